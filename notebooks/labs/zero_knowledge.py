# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Lab 4: Marginals, and a synthetic trace
#
# *85 minutes, eight steps. Read first: [Zero auxiliary knowledge](../../book/zero_knowledge.ipynb).*
#
# An attacker who knows nobody but the target reads a release: where are people, when, and how much do they move? You read these marginals, bend back what a defense did to them,
# make a person out of them who never lived, and use them to attack.
#
# Write where `...` stands. The cell below each answer checks it; hidden tests ask the same of other inputs. Steps do not build on your earlier answers.

# %%
import numpy as np
from lib import metrics
from lib.aggregation import aggregate, sample_member_groups
from lib.datasets import load

six = load("six-users")
flights = load("flights-by-number").select(epochs=slice(168, 336))
group = np.random.default_rng(1).choice(flights.n_users, 300, replace=False)
raw = aggregate(flights, [group])[0]
print(
    flights,
    "- 300 of them are counted,",
    raw.sum(),
    "visits in",
    (raw > 0).sum(),
    "cells",
)

# %% [raw]
# # BEGIN QUESTION
# name: marginals
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 1: three marginals (8 minutes)
#
# Write `marginals(counts, m)` for counts (places x hours) of `m` users: each place's share of all visits, each hour's share, and the mean number of visits of a user.

# %% [raw]
# # BEGIN SOLUTION


# %%
def marginals(counts, m):
    """(space, time, mean): shares of places, shares of hours, visits a user."""
    return (
        counts.sum(axis=1) / counts.sum(),
        counts.sum(axis=0) / counts.sum(),
        counts.sum() / m,
    )  # SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Of the counts 1, 3 and 0, 4 of two users the places have shares of 1/2, the hours of 1/8 and 7/8, and a user makes 4 visits.
"""  # END TEST CONFIG


def test_marginals_small(marginals):
    import numpy as np

    space, time, mean = marginals(np.array([[1, 3], [0, 4]]), 2)
    assert np.allclose(space, [0.5, 0.5]) and np.allclose(time, [1 / 8, 7 / 8])
    assert mean == 4


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Shares add up to 1, over places and over hours. The mean is by user, not by cell.
"""  # END TEST CONFIG


def test_marginals_flights(marginals, raw):
    space, time, mean = marginals(raw, 300)
    assert space.shape == (raw.shape[0],) and time.shape == (168,)
    assert abs(space.sum() - 1) < 1e-9 and abs(time.sum() - 1) < 1e-9
    assert (
        abs(mean - raw.sum() / 300) < 1e-9
        and abs(space[3] - raw[3].sum() / raw.sum()) < 1e-9
    )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: moved
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 2: how far apart are two marginals? (6 minutes)
#
# *Total variation* is the share of visits that must be moved to turn one marginal into the other. Write `moved(p, q)`.

# %% [raw]
# # BEGIN SOLUTION


# %%
def moved(p, q):
    """The share of visits to be moved to turn the shares p into q."""
    return np.abs(np.asarray(p) - np.asarray(q)).sum() / 2  # SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: To turn the shares 1/2, 1/2, 0 into 1/4, 1/2, 1/4, a quarter of the visits must move.
"""  # END TEST CONFIG


def test_moved_quarter(moved):
    import numpy as np

    assert (
        abs(moved(np.array([0.5, 0.5, 0]), np.array([0.25, 0.5, 0.25])) - 0.25) < 1e-9
    )


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A visit that moves is missing in one place and new in another, but it is one visit. Nothing is to be moved between equal shares, and all if no place is common.
"""  # END TEST CONFIG


def test_moved_ends(moved):
    assert moved([0.2, 0.8], [0.2, 0.8]) == 0
    assert abs(moved([1, 0, 0], [0, 0.5, 0.5]) - 1) < 1e-9
    assert abs(moved([0.25] * 4, [0.5, 0.5, 0, 0]) - 0.5) < 1e-9


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: compress
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 3: bend back what suppression did (10 minutes)
#
# Where small counts become 0, the popular becomes more popular. The attacker flattens the marginal by *log compression*: each share $x$ above 0 becomes $\log(1 + x / x_{\min})$, with $x_{\min}$ the smallest share above 0; shares of 0 stay 0; then all are divided by their
# sum. Write `compress(p)`.

# %% [raw]
# # BEGIN SOLUTION


# %%
def compress(p):
    """The marginal p, flattened by log compression."""
    # BEGIN SOLUTION
    p = np.asarray(p, float)
    flat = np.log1p(p / p[p > 0].min())
    return flat / flat.sum()
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: The shares 1/4 and 3/4 become log 2 and log 4, which is 1/3 and 2/3 after dividing by their sum.
"""  # END TEST CONFIG


def test_compress_two(compress):
    import numpy as np

    assert np.allclose(compress(np.array([0.25, 0.75])), [1 / 3, 2 / 3])


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A share of 0 stays 0, and the smallest share above 0 is the one to compare with. The result adds up to 1, and what was given is not changed.
"""  # END TEST CONFIG


def test_compress_zeros(compress):
    import numpy as np

    p = np.array([0.0, 0.1, 0.2, 0.7])
    found = compress(p)
    weights = np.log([2, 3, 8])
    assert found[0] == 0 and np.allclose(found[1:], weights / weights.sum())
    assert np.allclose(p, [0, 0.1, 0.2, 0.7])


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: invented
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 4: visits that nobody made (10 minutes)
#
# Noise of scale $b$ is added to an *empty* cell, the result is cut at 0 from below and rounded down. Write `invented(b)`: the mean number that is published there. With chance $\frac12 e^{-k/b}$ the noise is at least $k$, and the mean of a whole number $N \ge 0$ is
# $\sum_{k \ge 1} \Pr[N \ge k]$. (Or simulate, with at least a million draws.)

# %% [raw]
# # BEGIN SOLUTION


# %%
def invented(b):
    """Mean published number of an empty cell: Laplace noise of scale b, cut at 0, rounded down."""
    return 0.5 / np.expm1(1 / b)  # SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Noise of scale 1 invents 0.291 visits in each empty cell.
"""  # END TEST CONFIG


def test_invented_one(invented):
    assert abs(invented(1.0) - 0.291) < 0.003


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Rounding down takes something of it, and negative noise is cut, not kept. More noise invents more.
"""  # END TEST CONFIG


def test_invented_scales(invented):
    assert abs(invented(5.0) / 2.258 - 1) < 0.01
    assert abs(invented(0.5) / 0.0783 - 1) < 0.01


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# In a town most cells are empty. In how many visits does that end, here?

# %%
noise = np.random.default_rng(2).laplace(scale=1.0, size=raw.shape)
noisy = np.clip(np.floor(raw + noise), 0, 300)
print(
    f"{raw.sum()} visits, {noisy.sum():.0f} published, {(raw == 0).sum()} empty cells"
)

# %% [raw]
# # BEGIN QUESTION
# name: search
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 5: search for the mean (10 minutes)
#
# So the mean cannot be read off. The attacker turns it round: *which mean must made-up users have, so that their protected counts add up to what was published?* Given is a function `total(mean)`, which makes up users, protects their counts, and adds these up. It rises with
# the mean. Write `search(published, total, low, high)`: the mean between `low` and `high` for which `total` is nearest to `published`, to within 0.01. Halve the interval again and again: `total` is expensive and may be called at most 40 times.

# %% [raw]
# # BEGIN SOLUTION


# %%
def search(published, total, low, high):
    """The mean for which total(mean) is as published, to within 0.01."""
    # BEGIN SOLUTION
    while high - low > 0.01:
        middle = (low + high) / 2
        if total(middle) < published:
            low = middle
        else:
            high = middle
    return (low + high) / 2
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: If the total is 100 times the mean plus 300, and 1300 were published, the mean is 10.
"""  # END TEST CONFIG


def test_search_line(search):
    assert abs(search(1300, lambda mean: 100 * mean + 300, 0, 40) - 10) <= 0.011


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The total need not be a line. If even the largest mean gives too little, the answer is the largest, and if the smallest gives too much, the smallest.
"""  # END TEST CONFIG


def test_search_curves(search):
    calls = []

    def total(mean):
        calls.append(mean)
        return mean**3

    assert abs(search(1728, total, 0, 50) - 12) <= 0.011
    assert len(calls) <= 40
    assert abs(search(1e9, lambda mean: mean, 0, 50) - 50) <= 0.011
    assert abs(search(-5, lambda mean: mean, 2, 50) - 2) <= 0.011


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## A person who never lived
#
# Places are joined to their neighbours by a triangulation of the map. `near[s]` lists the neighbours of place `s`.

# %%
from lib.datasets import mobility

joined = mobility.triangulate(flights.rois)
near = [joined[[s]].indices for s in range(flights.n_rois)]
print("neighbours of", flights.rois.index[0], ":", list(flights.rois.index[near[0]]))

# %% [raw]
# # BEGIN QUESTION
# name: grow
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 6: her part of the map (12 minutes)
#
# Write `grow(origin, near, n, rng)`: a list of `n` different places that begins with `origin`, in which every further place is a neighbour of one that was there before. Draw each at random among all neighbours of the places so far. If there are none left, the list stays shorter.

# %% [raw]
# # BEGIN SOLUTION


# %%
def grow(origin, near, n, rng):
    """A connected set of n places around the origin, in the order in which they came."""
    # BEGIN SOLUTION
    places = [origin]
    while len(places) < n:
        border = sorted({int(s) for place in places for s in near[place]} - set(places))
        if not border:
            break
        places.append(int(rng.choice(border)))
    return places
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: There are as many places as were asked for, none twice, and each is a neighbour of an earlier one.
"""  # END TEST CONFIG


def test_grow_connected(grow, near):
    import numpy as np

    places = [int(s) for s in grow(3, near, 10, np.random.default_rng(1))]
    assert places[0] == 3 and len(set(places)) == len(places) == 10
    assert all(
        any(s in near[before] for before in places[:i])
        for i, s in enumerate(places)
        if i
    )


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The set must not always grow from the last place only, so that it can go on where a path would be stuck. On an island with three places it has three. Other draws give other sets.
"""  # END TEST CONFIG


def test_grow_island(grow):
    import numpy as np

    star = [
        np.array([1, 2, 3]),
        np.array([0]),
        np.array([0]),
        np.array([0]),
        np.array([5]),
        np.array([4]),
    ]
    assert sorted(grow(1, star, 4, np.random.default_rng(1))) == [0, 1, 2, 3]
    assert sorted(grow(4, star, 4, np.random.default_rng(1))) == [4, 5]
    ways = {tuple(grow(0, star, 3, np.random.default_rng(seed))) for seed in range(60)}
    assert len(ways) == 6


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: person
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 7: her trace (14 minutes)
#
# Write `person(space, time, mean, near, rng)`: a 0/1 trace (places x hours) of a made-up user:
#
# 1. draw an origin with the chances `space`;
# 2. take the ten places around it (`patch(origin)` below gives them, whatever your Step 6 does);
# 3. draw her number of visits: `round` of an exponential number with this mean;
# 4. for each visit draw a place among the ten, with chances in proportion to `space`, and an hour, with the chances `time`. The same cell twice is one visit.


# %%
def patch(origin, rng):
    """Ten places around the origin, as positions."""
    return mobility.grow_subgraphs(np.array([origin]), joined, rng)[0]


# %% [raw]
# # BEGIN SOLUTION


# %%
def person(space, time, mean, near, rng):
    """The trace of a synthetic user, places x hours."""
    # BEGIN SOLUTION
    trace = np.zeros((len(space), len(time)), int)
    places = patch(rng.choice(len(space), p=space), rng)
    n = round(rng.exponential(mean))
    share = space[places] / space[places].sum()
    trace[rng.choice(places, n, p=share), rng.choice(len(time), n, p=time)] = 1
    return trace
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: A trace is places by hours, of 0 and 1, in at most ten places.
"""  # END TEST CONFIG


def test_person_a_trace(person, near, raw):
    import numpy as np

    space, time = raw.sum(axis=1) / raw.sum(), raw.sum(axis=0) / raw.sum()
    rng = np.random.default_rng(1)
    for _ in range(20):
        made = np.asarray(person(space, time, 20.0, near, rng))
        assert made.shape == raw.shape and set(np.unique(made)) <= {0, 1}
        assert (made.sum(axis=1) > 0).sum() <= 10


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The number of visits varies as an exponential number does, places that have no share are not visited, and hours follow the marginal of time.
"""  # END TEST CONFIG


def test_person_many(person, near, raw):
    import numpy as np

    space = np.where(np.arange(len(raw)) % 3 > 0, 1.0, 0.0)
    space /= space.sum()
    time = np.repeat([0.0, 1.0], 84) / 84
    rng = np.random.default_rng(2)
    made = np.array([person(space, time, 12.0, near, rng) for _ in range(600)])
    visits = made.sum(axis=(1, 2))
    assert abs(visits.mean() - 11.5) < 1.5 and abs(visits.std() - 11.5) < 2
    assert made[:, :, :84].sum() == 0 and made[:, ::3].sum() == 0
    assert (made.sum(axis=(0, 2)) > 0).sum() > 30


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## An attack from one release
#
# `game(target, seed)` plays as in the first lab: counts of 200 groups of 300 (group x place x hour) and who is in which.


# %%
def game(target, seed, size=300, n_groups=200):
    rng = np.random.default_rng(seed)
    groups, members = sample_member_groups(
        np.arange(flights.n_users), target, n_groups, size, rng
    )
    return aggregate(flights, groups), members


def plain(release, trace):
    return release[trace == 1].sum()


counts, members = game(500, 1)
trace = flights.trace(flights.users[500])
scores = np.array([plain(release, trace) for release in counts])
print(f"the plain sum over {trace.sum()} cells: AUC {metrics.auc(members, scores):.2f}")

# %% [raw]
# # BEGIN QUESTION
# name: attack
# points: 4
# all_or_nothing: true

# %% [markdown]
# ## Step 8: write an attack that needs one release (15 minutes)
#
# The plain sum gives a full cell in the morning rush the same weight as one where hardly anybody ever is. Write `weighted(release, trace)`: a score from *one* release (places x hours) and the target's trace. Nobody tells the attacker how full a cell usually is, but the release's own marginals do: if place
# and hour had nothing to do with each other, how many would be in each cell? A cell in which few are expected tells more. (For a Poisson count with mean λ, one more is worth $\log(1 + 1/\lambda)$.)

# %% [raw]
# # BEGIN SOLUTION


# %%
def weighted(release, trace):
    """A score for one release: the counts in the target's cells, weighed by how rare they are."""
    # BEGIN SOLUTION
    expected = np.outer(release.sum(axis=1), release.sum(axis=0)) / max(
        release.sum(), 1
    )
    weight = np.log1p(1 / (expected + 0.02))
    return (release * weight)[trace == 1].sum()
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: For the target above the AUC must be a number above 1/2, with one finite score for each release.
"""  # END TEST CONFIG


def test_attack_finite(weighted, counts, trace, members):
    import numpy as np
    from lib import metrics

    scores = np.array([float(weighted(release, trace)) for release in counts])
    assert np.isfinite(scores).all() and metrics.auc(members, scores) > 0.5


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Over ten targets the mean AUC must be above 0.85, where the plain sum has 0.75. Weigh cells by how few are expected there, not by how many, and take care where nobody is expected.
"""  # END TEST CONFIG


def test_attack_ten_targets(weighted, game, flights):
    import numpy as np
    from lib import metrics

    visits = flights.visits().to_numpy()
    aucs = []
    for target in np.flatnonzero(visits >= 6)[::60][:10]:
        counts, members = game(int(target), int(target))
        trace = flights.trace(flights.users[int(target)])
        scores = np.array([float(weighted(release, trace)) for release in counts])
        aucs.append(metrics.auc(members, scores))
    assert np.mean(aucs) > 0.85


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## To go on
#
# - *Stretch.* Play Step 8 behind `SuppressSmallCounts(2)`. Rare cells are now empty ones. Which weights would you take?
# - *Stretch.* Make 300 people with your Step 7 from the marginals of `raw`, and count them. How many cells are not empty, compared with `raw`? What is missing in these people?
# - *Stretch.* Use made-up people to set a *threshold* for the plain sum. How often is the answer right, compared with the best threshold?

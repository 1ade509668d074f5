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
# An attacker who has no traces except the target's can still read a release: where are people, when, and how much do they move? You compute these marginals, correct them for the effect of a defense,
# generate a synthetic person from them, and use the marginals in an attack.
#
# Replace each `...` by your code. The cell below each answer checks it. Hidden tests check the same on other inputs. No step depends on your earlier answers.

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
# Write `marginals(counts, m)` for counts (places x hours) of `m` users. It returns the share of all visits at each place, the share in each hour, and the mean number of visits of a user.

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
failure_message: The counts 1, 3 and 0, 4 of two users give shares of 1/2 for the places and of 1/8 and 7/8 for the hours. A user makes 4 visits on average.
"""  # END TEST CONFIG


def test_marginals_small(marginals):
    import numpy as np

    space, time, mean = marginals(np.array([[1, 3], [0, 4]]), 2)
    assert np.allclose(space, [0.5, 0.5]) and np.allclose(time, [1 / 8, 7 / 8])
    assert mean == 4


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The shares must add up to 1, over places and over hours. The mean is the mean over users, not over cells.
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
# The *total variation distance* is the share of visits that must be moved to turn one marginal into the other. Write `moved(p, q)`.

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
failure_message: To turn the shares 1/2, 1/2, 0 into 1/4, 1/2, 1/4, a quarter of the visits must be moved.
"""  # END TEST CONFIG


def test_moved_quarter(moved):
    import numpy as np

    assert (
        abs(moved(np.array([0.5, 0.5, 0]), np.array([0.25, 0.5, 0.25])) - 0.25) < 1e-9
    )


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A visit that moves is missing in one place and added in another, but it is one visit. The distance is 0 between equal shares, and 1 if no place is common to both.
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
# ## Step 3: correct for suppression (10 minutes)
#
# If small counts are suppressed, popular places look even more popular. The attacker flattens the marginal by *log compression*. Each share $x$ above 0 becomes $\log(1 + x / x_{\min})$, where $x_{\min}$ is the smallest share above 0. Shares of 0 stay 0. Then all values are divided by their
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
failure_message: The shares 1/4 and 3/4 become log 2 and log 4, which gives 1/3 and 2/3 after dividing by their sum.
"""  # END TEST CONFIG


def test_compress_two(compress):
    import numpy as np

    assert np.allclose(compress(np.array([0.25, 0.75])), [1 / 3, 2 / 3])


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A share of 0 stays 0, and the reference is the smallest share above 0. The result must add up to 1, and your function must not change its input.
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
# ## Step 4: visits that only noise creates (10 minutes)
#
# Noise of scale $b$ is added to an *empty* cell, and the result is clipped at 0 and rounded down. Write `invented(b)`, the mean number that is published there. The noise is at least $k$ with probability $\frac12 e^{-k/b}$, and the mean of a random whole number $N \ge 0$ is
# $\sum_{k \ge 1} \Pr[N \ge k]$. (Or simulate it, with at least a million draws.)

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
failure_message: Noise of scale 1 creates 0.291 visits on average in each empty cell.
"""  # END TEST CONFIG


def test_invented_one(invented):
    assert abs(invented(1.0) - 0.291) < 0.003


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Rounding down lowers the mean, and negative values are clipped to 0. More noise creates more visits.
"""  # END TEST CONFIG


def test_invented_scales(invented):
    assert abs(invented(5.0) / 2.258 - 1) < 0.01
    assert abs(invented(0.5) / 0.0783 - 1) < 0.01


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# In a city most cells are empty. How many visits does the noise create here?

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
# ## Step 5: search for the mean number of visits (10 minutes)
#
# The mean number of visits can therefore not be read off the release. The attacker asks instead: *which mean must synthetic users have, so that their protected counts add up to the published total?* You are given a function `total(mean)`, which generates users, protects their counts, and adds these up. It increases with
# the mean. Write `search(published, total, low, high)`, the mean between `low` and `high` for which `total` is nearest to `published`, to within 0.01. Use bisection: `total` is expensive and may be called at most 40 times.

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
failure_message: If the total is 100 times the mean plus 300, and 1300 was published, the mean is 10.
"""  # END TEST CONFIG


def test_search_line(search):
    assert abs(search(1300, lambda mean: 100 * mean + 300, 0, 40) - 10) <= 0.011


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The total need not be linear. If even the largest mean gives too small a total, return the largest mean. If the smallest mean gives too large a total, return the smallest.
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
# ## A synthetic person
#
# A triangulation of the map connects each place with its neighbours. `near[s]` lists the neighbours of place `s`.

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
# ## Step 6: the places of a synthetic person (12 minutes)
#
# Write `grow(origin, near, n, rng)`, a list of `n` different places that begins with `origin` and in which every further place is a neighbour of an earlier one. Draw each place at random among all neighbours of the places chosen so far. If there are none left, return the shorter list.

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
failure_message: There must be the requested number of places, none twice, and each must be a neighbour of an earlier one.
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
failure_message: The set must not always grow from the last place, so that it can continue where a path would be stuck. On an island with three places it has three. Other draws must give other sets.
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
# ## Step 7: the trace of a synthetic person (14 minutes)
#
# Write `person(space, time, mean, near, rng)`, which returns a 0/1 trace (places x hours) of a synthetic user:
#
# 1. draw an origin with the probabilities `space`;
# 2. take the ten places around it (`patch(origin)` below gives them, whatever your Step 6 does);
# 3. draw the number of visits: `round` of an exponential random number with this mean;
# 4. for each visit draw a place among the ten, with probabilities proportional to `space`, and an hour, with the probabilities `time`. Two draws of the same cell are one visit.


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
failure_message: A trace is an array of places by hours that contains 0 and 1, with visits in at most ten places.
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
failure_message: The number of visits must vary like an exponential random number. Places with a share of 0 are never visited, and hours follow the marginal of time.
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
# `game(target, seed)` runs the membership game of the first lab. It returns the counts of 200 groups of 300 users (group x place x hour), and which groups contain the target.


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
# ## Step 8: an attack that needs one release (15 minutes)
#
# The plain sum gives a full cell in the morning rush the same weight as a cell where hardly anybody ever is. Write `weighted(release, trace)`, a score computed from *one* release (places x hours) and the target's trace. The attacker does not know how full a cell usually is, but the release's own marginals give an estimate. If place
# and hour were independent, how many people would you expect in each cell? A cell in which few people are expected is stronger evidence. (For a Poisson count with mean λ, one more person is worth $\log(1 + 1/\lambda)$.)

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
failure_message: For the target above, the AUC must be above 1/2, with one finite score for each release.
"""  # END TEST CONFIG


def test_attack_finite(weighted, counts, trace, members):
    import numpy as np
    from lib import metrics

    scores = np.array([float(weighted(release, trace)) for release in counts])
    assert np.isfinite(scores).all() and metrics.auc(members, scores) > 0.5


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Over ten targets the mean AUC must be above 0.85; the plain sum has 0.75. Give a large weight to cells where few people are expected, not many, and handle cells where nobody is expected.
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
# - *Stretch.* Run Step 8 on releases with `SuppressSmallCounts(2)`. Rare cells are now empty ones. Which weights would you use?
# - *Stretch.* Generate 300 people with your Step 7 from the marginals of `raw`, and count them. How many cells are not empty, compared with `raw`? What do these synthetic people lack?
# - *Stretch.* Use synthetic people to choose a *threshold* for the plain sum. How often is the answer right, compared with the best threshold?

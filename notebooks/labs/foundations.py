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
# # Lab 1: From traces to the sum attack
#
# *80 minutes, nine steps. Read first: [From records to releases](../../book/foundations.ipynb).*
#
# You are given six people, and then aircraft. You will count them, subtract, add noise, and write the first attack of the
# course with the two numbers that judge it. In the last step the attacker's notes are an hour off, and the attack is yours to find.
#
# Write where `...` stands. The cell below each answer checks it and gives hints; it may be run as often as you like. When the lab is
# graded, hidden tests ask the same of other inputs. Steps do not build on your earlier answers: a step that does not work costs that step only.

# %%
import numpy as np
import pandas as pd
from lib.aggregation import aggregate, sample_member_groups
from lib.datasets import load

six = load("six-users")
hours = [f"{epoch:%a %H}h" for epoch in six.epochs]
pd.DataFrame(six.trace("Eve"), list(six.rois.index), hours)

# %% [markdown]
# `six.trace(user)` is a trace: a row for each place (`six.rois.index`), a column for each hour (`six.epochs`), 1 where the user was.

# %% [raw]
# # BEGIN QUESTION
# name: visits
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 1: read a trace (5 minutes)
#
# Write `visits_of(traces, user)`: the user's visits as a list of pairs (place, hour), in the order of time. An hour is
# written as above: for Eve the list begins with `("station", "Mon 08h")`.

# %% [raw]
# # BEGIN SOLUTION


# %%
def visits_of(traces, user):
    """Her visits in the order of time: [(place, "Mon 08h"), ...]."""
    # BEGIN SOLUTION
    found = np.argwhere(traces.trace(user).T == 1)  # (hour, place), by hour
    return [(traces.rois.index[s], f"{traces.epochs[t]:%a %H}h") for t, s in found]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Eve has six visits. The first three are station, home and office on Monday at 8, 9 and 12.
"""  # END TEST CONFIG


def test_visits_eve(visits_of, six):
    said = [tuple(visit) for visit in visits_of(six, "Eve")]
    assert said[:3] == [
        ("station", "Mon 08h"),
        ("home", "Mon 09h"),
        ("office", "Mon 12h"),
    ]
    assert len(said) == 6


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The list must be right for everybody, also for those who are nowhere in some hours, and in the order of time.
"""  # END TEST CONFIG


def test_visits_dan_and_ben(visits_of, six):
    dan = [tuple(visit) for visit in visits_of(six, "Dan")]
    assert dan[:3] == [("park", "Mon 08h"), ("station", "Mon 12h"), ("home", "Mon 18h")]
    ben = [tuple(visit) for visit in visits_of(six, "Ben")]
    assert (
        len(ben) == 8
        and ben[4] == ("home", "Tue 08h")
        and ben[7] == ("home", "Tue 18h")
    )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: count
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 2: count (5 minutes)
#
# A count is a sum of traces. Write `count(traces, users)`: the aggregate of the users with these names, places by hours. (The library
# has `aggregate` for that, which takes positions and not names. Here, add up traces yourself.)

# %% [raw]
# # BEGIN SOLUTION


# %%
def count(traces, users):
    """How many of the users were in each place in each hour: (n_rois, n_epochs)."""
    return sum(traces.trace(user) for user in users)  # SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Of Ada, Ben and Cleo all three are at home on Monday at 8, so the first number is 3; together they make 24 visits.
"""  # END TEST CONFIG


def test_count_three(count, six):
    import numpy as np

    counts = np.asarray(count(six, ["Ada", "Ben", "Cleo"]))
    assert counts.shape == (4, 8)
    assert counts[0, 0] == 3 and counts.sum() == 24


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Only the users that are named are counted, and each of them adds 1 to every cell that she visits.
"""  # END TEST CONFIG


def test_count_others(count, six):
    from lib.aggregation import aggregate

    assert (count(six, ["Dan", "Fay"]) == six.trace("Dan") + six.trace("Fay")).all()
    assert (count(six, list(six.users)) == aggregate(six, [range(6)])[0]).all()


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: pairs
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 3: two are missing (10 minutes)
#
# In the chapter one of the six was left out of the counts, and could be named. Now **two** are left out, and the attacker knows all six traces. Write
# `left_out(traces, published)`: the list of all pairs of names that fit. A pair stands in the order of `traces.users`, as does the list.
# It may hold more than one pair: then the counts do not tell.

# %% [raw]
# # BEGIN SOLUTION


# %%
def left_out(traces, published):
    """All pairs of users without whom the counts would be as published."""
    # BEGIN SOLUTION
    from itertools import combinations

    everybody = sum(traces.trace(user) for user in traces.users)
    pairs = combinations(traces.users, 2)
    missing = everybody - published
    return [
        (a, b) for a, b in pairs if (traces.trace(a) + traces.trace(b) == missing).all()
    ]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Without Dan and Fay only one pair fits, and its names stand in the order of the users.
"""  # END TEST CONFIG


def test_pairs_dan_and_fay(left_out, six):
    from lib.aggregation import aggregate

    published = aggregate(six, [[0, 1, 2, 4]])[0]
    assert [tuple(pair) for pair in left_out(six, published)] == [("Dan", "Fay")]


# %%
""" # BEGIN TEST CONFIG
failure_message: Ada and Ben have the same trace. If Ada and Cleo are missing, Ben and Cleo fit as well.
"""  # END TEST CONFIG


def test_pairs_twins(left_out, six):
    from lib.aggregation import aggregate

    published = aggregate(six, [[1, 3, 4, 5]])[0]
    assert [tuple(pair) for pair in left_out(six, published)] == [
        ("Ada", "Cleo"),
        ("Ben", "Cleo"),
    ]


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A pair fits if every single cell fits, not only the totals of places or of hours.
"""  # END TEST CONFIG


def test_pairs_cell_by_cell(left_out, six):
    from lib.aggregation import aggregate

    published = aggregate(six, [[0, 1, 2, 4]])[0]
    shuffled = published[:, ::-1]
    assert left_out(six, shuffled) == []
    moved = published.copy()
    moved[0, 0] += 1
    moved[0, 1] -= 1
    assert left_out(six, moved) == []


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: scale
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 4: how much noise? (8 minutes)
#
# Laplace noise of scale $\Delta / \varepsilon$ is ε-differentially private if neighbours differ by at most $\Delta$, added up over all cells. Write
# `scale(traces, epsilon, unit, cap)`:
#
# - for the unit `"visit"`, neighbours differ in one visit;
# - for `"person"` they differ in whether one person's trace is there. If `cap` is a number, traces will be cut to that many visits *whatever the data are*. If it is
#   `None` nothing is cut, and Δ is the most visits of any user in the data, as Knock-Knock takes it. `traces.visits()` has everybody's number of visits.

# %% [raw]
# # BEGIN SOLUTION


# %%
def scale(traces, epsilon, unit, cap=None):
    """The scale of Laplace noise for a unit of privacy, "visit" or "person"."""
    # BEGIN SOLUTION
    if unit == "visit":
        return 1 / epsilon
    return (traces.visits().max() if cap is None else cap) / epsilon
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: The busiest of the six has eight visits. At an epsilon of 1 that is a scale of 8 for a person, and 1 for a visit.
"""  # END TEST CONFIG


def test_scale_six(scale, six):
    assert scale(six, 1.0, "visit") == 1
    assert scale(six, 1.0, "person") == 8
    assert scale(six, 1.0, "person", cap=5) == 5


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A smaller epsilon needs more noise. A cap is promised before the data are seen, so it sets the noise even where nobody has as many visits.
"""  # END TEST CONFIG


def test_scale_others(scale, six):
    assert abs(scale(six, 0.5, "visit") - 2) < 1e-9
    assert abs(scale(six, 0.1, "person", cap=20) - 200) < 1e-9
    assert abs(scale(six, 4.0, "person") - 2) < 1e-9


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: noisy
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 5: a release by hand (10 minutes)
#
# Write `noisy(counts, epsilon, group_size, rng)`: add Laplace event-level noise to each count, round to the nearest whole number,
# and keep all between 0 and the group's size. `rng.laplace(scale=..., size=...)` draws noise.

# %% [raw]
# # BEGIN SOLUTION


# %%
def noisy(counts, epsilon, group_size, rng):
    """Counts with noise for one visit, rounded, within 0 and group_size."""
    # BEGIN SOLUTION
    noise = rng.laplace(scale=1 / epsilon, size=np.shape(counts))
    return np.clip(np.rint(counts + noise), 0, group_size)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: A release has the shape of the counts and holds whole numbers from 0 to the size of the group.
"""  # END TEST CONFIG


def test_noisy_looks_like_counts(noisy):
    import numpy as np

    counts = np.arange(12).reshape(3, 4)
    made = noisy(counts, 0.5, 11, np.random.default_rng(1))
    assert made.shape == (3, 4) and (made == np.rint(made)).all()
    assert made.min() >= 0 and made.max() <= 11


# %%
""" # BEGIN TEST CONFIG
failure_message: With an epsilon of 1000 hardly any noise is left, and the counts come out as they are.
"""  # END TEST CONFIG


def test_noisy_little_noise(noisy):
    import numpy as np

    counts = np.arange(12)
    assert (noisy(counts, 1000, 11, np.random.default_rng(1)) == counts).all()


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Far from 0 and from the group's size, the noise must have mean 0 and a standard deviation of the root of 2, times the scale. Each cell has a draw of its own. No published number is above the size of the group.
"""  # END TEST CONFIG


def test_noisy_noise(noisy):
    import numpy as np

    made = noisy(np.full(20_000, 500), 0.1, 1000, np.random.default_rng(1)) - 500
    assert abs(made.mean()) < 0.5 and abs(made.std() - 200**0.5) < 0.5
    small = noisy(np.full(1000, 5), 0.1, 5, np.random.default_rng(1))
    assert small.min() == 0 and small.max() == 5
    assert abs((made > 10).mean() - 0.175) < 0.02  # 0.225 if the noise were normal


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## Aircraft
#
# Now real data: aircraft that left New York in four weeks of March 2013, each a *user* that visits airports. One of them is the target. A coin
# decides whether she is in a group of 100; `counts` has the counts of 200 such groups, `members` says in which she is.

# %%
flights = load("flights-by-tail")
rng = np.random.default_rng(7)
everybody = np.arange(flights.n_users)


def game(target, rng, size=100, n_groups=200):
    """Counts of groups (group x place x hour), and 1 for those that the target is in."""
    groups, members = sample_member_groups(everybody, target, n_groups, size, rng)
    return aggregate(flights, groups), members


target = int(np.argsort(flights.visits().to_numpy())[flights.n_users // 2])
counts, members = game(target, rng)
trace = flights.trace(flights.users[target])
print(f"{flights.users[target]}: {trace.sum()} visits; {len(counts)} groups of 100")

# %% [raw]
# # BEGIN QUESTION
# name: sums
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 6: the sum attack (6 minutes)
#
# The attacker knows the target's trace and nobody else's. Her score of a group is the sum of its counts over the target's cells. Write
# `sum_scores(counts, trace)`: the score of each group.

# %% [raw]
# # BEGIN SOLUTION


# %%
def sum_scores(counts, trace):
    """The sum of each group's counts over the cells where the trace is 1: (n_groups,)."""
    return counts[:, trace == 1].sum(axis=1)  # SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: There is one score for each group, and groups with the target score higher on average.
"""  # END TEST CONFIG


def test_sums_flights(sum_scores, counts, members, trace):
    import numpy as np

    scores = np.asarray(sum_scores(counts, trace))
    assert scores.shape == members.shape
    assert scores[members == 1].mean() > scores[members == 0].mean()


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Only the cells of the target count, each with its full count.
"""  # END TEST CONFIG


def test_sums_by_hand(sum_scores):
    import numpy as np

    counts = np.array([[[3, 0], [5, 1]], [[0, 9], [2, 2]]])
    assert list(sum_scores(counts, np.array([[1, 0], [0, 1]]))) == [4, 2]
    assert list(sum_scores(counts, np.array([[0, 1], [0, 0]]))) == [0, 9]


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: auc
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 7: the AUC (10 minutes)
#
# The AUC is the chance that a group with the target scores above a group without, if one of each is drawn; a tie counts half. Write `auc(members, scores)` without a
# library for it: compare all pairs.

# %% [raw]
# # BEGIN SOLUTION


# %%
def auc(members, scores):
    """Share of (member, non-member) pairs that are in the right order; a tie is half right."""
    # BEGIN SOLUTION
    inside, outside = scores[members == 1], scores[members == 0]
    gap = inside[:, None] - outside
    return (gap > 0).mean() + (gap == 0).mean() / 2
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: One of two members scores above both others and the second above one of them, so three of four pairs are right.
"""  # END TEST CONFIG


def test_auc_small(auc):
    import numpy as np

    assert auc(np.array([1, 0, 1, 0]), np.array([5.0, 1.0, 3.0, 4.0])) == 0.75


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Scores that are all the same rank nobody, and that is guessing. A score that is always wrong has an AUC of 0.
"""  # END TEST CONFIG


def test_auc_ties_and_order(auc):
    import numpy as np

    assert auc(np.array([1, 1, 0]), np.array([2.0, 2.0, 2.0])) == 0.5
    assert auc(np.array([0, 1, 0]), np.array([2.0, 1.0, 3.0])) == 0
    assert abs(auc(np.array([1, 0, 0]), np.array([2, 2, 1])) - 0.75) < 1e-9


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: tpr
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 8: few false accusations (10 minutes)
#
# An attacker who accuses may not be wrong often. Write `tpr_at(members, scores, fpr)`: she says "in" where the score is at least some threshold. Of all thresholds that
# accuse wrongly in at most a share `fpr` of the groups *without* the target, take the one that finds the largest share of the groups *with* her. Return that share. A threshold above all
# scores is allowed: it accuses nobody.

# %% [raw]
# # BEGIN SOLUTION


# %%
def tpr_at(members, scores, fpr):
    """The largest share of members found by a threshold whose false positive rate is allowed."""
    # BEGIN SOLUTION
    best = 0.0
    for threshold in np.unique(scores):
        says_in = scores >= threshold
        if says_in[members == 0].mean() <= fpr:
            best = max(best, says_in[members == 1].mean())
    return best
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: If no wrong accusation is allowed, only the member above all non-members is found. If one of two is allowed, both members are.
"""  # END TEST CONFIG


def test_tpr_small(tpr_at):
    import numpy as np

    members, scores = np.array([1, 0, 1, 0]), np.array([5, 1, 3, 4])
    assert tpr_at(members, scores, 0.0) == 0.5
    assert tpr_at(members, scores, 0.5) == 1.0


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The rate of wrong accusations is a share of the groups without the target. With ties a threshold takes all groups of the same score or none.
"""  # END TEST CONFIG


def test_tpr_ties(tpr_at):
    import numpy as np

    members = np.array([1, 1, 0, 0, 0, 0])
    assert tpr_at(members, np.array([2, 1, 2, 0, 0, 0]), 0.2) == 0
    assert tpr_at(members, np.array([2, 1, 2, 0, 0, 0]), 0.25) == 1.0
    assert tpr_at(members, np.array([0, 3, 2, 2, 2, 1]), 0.3) == 0.5


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# How does the sum do against this aircraft? `lib` has both numbers, so that this works whatever you wrote above.

# %%
from lib import metrics

plain = counts[:, trace == 1].sum(axis=1)
print(f"AUC {metrics.auc(members, plain):.2f}", end=", ")
print(f"TPR at 10% FPR {metrics.tpr_at_fpr(members, plain, 0.1):.2f}")

# %% [raw]
# # BEGIN QUESTION
# name: late
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 9: write an attack for bad notes (16 minutes)
#
# Somebody noted where the target was, with a clock that was wrong: by an hour early, not at all, or by an hour late, the same for all of her notes. So the attacker has `notes`, which is the target's trace moved by
# -1, 0 or 1 hours (`np.roll(trace, 1, axis=1)` moves it by 1), and does not know which. The plain sum over the noted cells fails when the clock was wrong.
#
# Write `late_scores(counts, notes)`, one score for each group. It should be nearly as good as the sum over the true trace, whatever the clock did. Hint: what would the sum be under each of the
# three clocks? She is in half of the groups: by what do the 200 sums of the right clock differ from those of a wrong one?

# %% [raw]
# # BEGIN SOLUTION


# %%
def late_scores(counts, notes):
    """A score for each group from a trace that is off by -1, 0 or 1 hours."""
    # BEGIN SOLUTION
    sums = [counts[:, np.roll(notes, h, axis=1) == 1].sum(axis=1) for h in (-1, 0, 1)]
    spread = [
        each.var() / max(each.mean(), 1) for each in sums
    ]  # she is in half of the groups
    return sums[np.argmax(spread)]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: With a clock that was right, the score must find the target in groups of 300 nearly as well as the sum does.
"""  # END TEST CONFIG


def test_late_right_clock(late_scores, game, flights):
    import numpy as np

    target = 5
    counts, members = game(target, np.random.default_rng(1), 300)
    trace = flights.trace(flights.users[target])
    from lib import metrics

    assert metrics.auc(members, late_scores(counts, trace)) > 0.9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Over several aircraft and both wrong clocks, in groups of 300, the mean AUC must be above 0.95. Move the notes by -1, 0 and 1 hours, not by places, and do not add the three sums up, as the two wrong ones bring only noise.
"""  # END TEST CONFIG


def test_late_wrong_clocks(late_scores, game, flights):
    import numpy as np
    from lib import metrics

    aucs = []
    for target in (200, 400, 500, 600, 800):
        counts, members = game(target, np.random.default_rng(target), 300)
        trace = flights.trace(flights.users[target])
        for shift in (-1, 1):
            notes = np.roll(trace, shift, axis=1)
            aucs.append(metrics.auc(members, late_scores(counts, notes)))
    assert np.mean(aucs) > 0.95


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## To go on
#
# - *Stretch.* A count of 1 in a cell where hardly anybody ever is says more than one of 60 at the airport in the morning. Weigh the cells, and beat the sum against `target`. (The [chapter](../../book/foundations.ipynb)
#   has an exercise on it; try without.)
# - *Stretch.* The clock may be off by up to a day. How much does the attack of Step 9 lose with every hour that is possible, and why?
# - *Stretch.* Play Step 6 behind your release of Step 5, at ε = 1. How many targets do you need to see the difference?

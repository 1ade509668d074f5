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
# You are given six people, and then aircraft. You will count them, subtract, add noise, and write the first attack of the course
# together with two numbers that evaluate it. In the last step the attacker's notes may be an hour off, and you design the attack yourself.
#
# Replace each `...` by your code. The cell below each answer checks it and gives hints; you may run it as often as you like. When the lab is
# graded, hidden tests check the same on other inputs. No step depends on your earlier answers, so a wrong step costs only its own points.

# %%
import numpy as np
import pandas as pd
from lib.aggregation import aggregate, sample_member_groups
from lib.datasets import load

six = load("six-users")
hours = [f"{epoch:%a %H}h" for epoch in six.epochs]
pd.DataFrame(six.trace("Eve"), list(six.rois.index), hours)

# %% [markdown]
# `six.trace(user)` is a trace: a row for each place (`six.rois.index`) and a column for each hour (`six.epochs`), with a 1 where the user was.

# %% [raw]
# # BEGIN QUESTION
# name: visits
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 1: read a trace (5 minutes)
#
# Write `visits_of(traces, user)`, which returns the user's visits as a list of pairs (place, hour), in order of time. An hour is
# written as above: Eve's list begins with `("station", "Mon 08h")`.

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
failure_message: The list must be right for every user, also for users who are nowhere in some hours, and must be in order of time.
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
# A count is a sum of traces. Write `count(traces, users)`, which returns the aggregate (places x hours) of the users with these names. (The library's
# `aggregate` takes positions instead of names. Here, add up the traces yourself.)

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
failure_message: Ada, Ben and Cleo are all at home on Monday at 8, so the first number is 3. Together the three make 24 visits.
"""  # END TEST CONFIG


def test_count_three(count, six):
    import numpy as np

    counts = np.asarray(count(six, ["Ada", "Ben", "Cleo"]))
    assert counts.shape == (4, 8)
    assert counts[0, 0] == 3 and counts.sum() == 24


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Only the named users are counted, and each of them adds 1 to every cell that they visit.
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
# ## Step 3: two users are missing (10 minutes)
#
# In the chapter, one of the six people was left out of the counts, and the attacker could name that person. Now **two** are left out, and the attacker knows all six traces. Write
# `left_out(traces, published)`, which returns the list of all pairs of names that are consistent with the published counts. The names in a pair and the pairs in the list are in the order of `traces.users`.
# If the list contains more than one pair, the counts do not reveal who is missing.

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
failure_message: If Dan and Fay are missing, only one pair is consistent with the counts. Its names are in the order of the users.
"""  # END TEST CONFIG


def test_pairs_dan_and_fay(left_out, six):
    from lib.aggregation import aggregate

    published = aggregate(six, [[0, 1, 2, 4]])[0]
    assert [tuple(pair) for pair in left_out(six, published)] == [("Dan", "Fay")]


# %%
""" # BEGIN TEST CONFIG
failure_message: Ada and Ben have the same trace. If Ada and Cleo are missing, Ben and Cleo are consistent with the counts, too.
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
failure_message: A pair is consistent only if every single cell agrees, not just the totals of places or of hours.
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
# - for the unit `"visit"` (event level), neighbours differ in one visit;
# - for the unit `"person"` (user level), neighbours differ by one person's trace. If `cap` is a number, every trace will be reduced to that many visits *whatever the data are*. If it is
#   `None`, traces stay as they are, and Δ is the largest number of visits of any user in the data, as in Knock-Knock. `traces.visits()` returns the number of visits of each user.

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
failure_message: The busiest of the six people has eight visits. At an epsilon of 1 the scale is 8 for a person and 1 for a visit.
"""  # END TEST CONFIG


def test_scale_six(scale, six):
    assert scale(six, 1.0, "visit") == 1
    assert scale(six, 1.0, "person") == 8
    assert scale(six, 1.0, "person", cap=5) == 5


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A smaller epsilon needs more noise. A cap is fixed before the data are seen, so it determines the noise even if nobody has that many visits.
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
# Write `noisy(counts, epsilon, group_size, rng)`. It adds Laplace event-level noise to each count, rounds to the nearest whole number,
# and clips the result to the range from 0 to the size of the group. `rng.laplace(scale=..., size=...)` draws noise.

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
failure_message: A release has the shape of the counts and contains whole numbers from 0 to the size of the group.
"""  # END TEST CONFIG


def test_noisy_looks_like_counts(noisy):
    import numpy as np

    counts = np.arange(12).reshape(3, 4)
    made = noisy(counts, 0.5, 11, np.random.default_rng(1))
    assert made.shape == (3, 4) and (made == np.rint(made)).all()
    assert made.min() >= 0 and made.max() <= 11


# %%
""" # BEGIN TEST CONFIG
failure_message: At an epsilon of 1000 there is hardly any noise, and the release equals the counts.
"""  # END TEST CONFIG


def test_noisy_little_noise(noisy):
    import numpy as np

    counts = np.arange(12)
    assert (noisy(counts, 1000, 11, np.random.default_rng(1)) == counts).all()


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Far from 0 and from the size of the group, the noise must have mean 0 and a standard deviation of the square root of 2 times the scale. Each cell has independent noise. No published number is above the size of the group.
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
# Now we use real data: aircraft that left New York in four weeks of March 2013. Each aircraft is a *user* that visits airports. One of them is the target, which is
# in a group of 100 with probability 1/2. `counts` has the counts of 200 such groups, and `members` says which of them contain the target.

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
# The attacker knows the target's trace and nobody else's. The score of a group is the sum of its counts over the target's cells. Write
# `sum_scores(counts, trace)`, which returns the score of each group.

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
failure_message: There is one score for each group, and groups with the target have higher scores on average.
"""  # END TEST CONFIG


def test_sums_flights(sum_scores, counts, members, trace):
    import numpy as np

    scores = np.asarray(sum_scores(counts, trace))
    assert scores.shape == members.shape
    assert scores[members == 1].mean() > scores[members == 0].mean()


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Only the target's cells matter, each with its full count.
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
# Draw one group with the target and one without. The AUC is the probability that the first has the higher score; a tie counts one half. Write `auc(members, scores)` without
# a library function for it: compare all pairs.

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
failure_message: One of the two members scores above both non-members and the other above one of them, so three of four pairs are in the right order.
"""  # END TEST CONFIG


def test_auc_small(auc):
    import numpy as np

    assert auc(np.array([1, 0, 1, 0]), np.array([5.0, 1.0, 3.0, 4.0])) == 0.75


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: If all scores are the same, nothing is ranked, which is guessing. A score that is always wrong has an AUC of 0.
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
# ## Step 8: few false positives (10 minutes)
#
# An attacker who accuses people must rarely be wrong. Write `tpr_at(members, scores, fpr)`. The attacker answers "member" if the score is at least some threshold. Among all thresholds with a
# false positive rate of at most `fpr`, which is a share of the groups *without* the target, take the one that identifies the largest share of the groups *with* the target. Return that share. A threshold above all
# scores is allowed; it identifies nobody.

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
failure_message: If no false positive is allowed, only the member above all non-members is identified. If one of two is allowed, both members are.
"""  # END TEST CONFIG


def test_tpr_small(tpr_at):
    import numpy as np

    members, scores = np.array([1, 0, 1, 0]), np.array([5, 1, 3, 4])
    assert tpr_at(members, scores, 0.0) == 0.5
    assert tpr_at(members, scores, 0.5) == 1.0


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The false positive rate is a share of the groups without the target. If scores tie, a threshold takes all groups with the same score or none of them.
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
# How well does the sum attack identify this aircraft? We use the functions of `lib`, so that this cell works whatever you wrote above.

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
# ## Step 9: an attack with wrong notes (16 minutes)
#
# Somebody noted where the target was, but their clock was wrong: it was an hour early, correct, or an hour late, and the error is the same for all notes. The attacker has `notes`, which is the target's trace moved by
# -1, 0 or 1 hours (`np.roll(trace, 1, axis=1)` moves it by 1), and does not know which. The plain sum over the noted cells fails if the clock was wrong.
#
# Write `late_scores(counts, notes)`, one score for each group. It should be nearly as good as the sum over the true trace, whatever the clock did. Hint: what would the sum be under each of the
# three clocks? The target is in half of the groups. How do the 200 sums under the right clock differ from those under a wrong one?

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
failure_message: If the clock was right, the score must identify the target in groups of 300 nearly as well as the sum does.
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
failure_message: Over several aircraft and both wrong clocks, in groups of 300, the mean AUC must be above 0.95. Move the notes by -1, 0 and 1 hours, not by places. Do not add up the three sums, because the two wrong ones add only noise.
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
# - *Stretch.* A count of 1 in a cell that is nearly always empty says more than a count of 60 at an airport in the morning. Weight the cells, and do better than the sum against `target`. (The [chapter](../../book/foundations.ipynb)
#   has an exercise on it; try without.)
# - *Stretch.* The clock may be off by up to a day. How much does the attack of Step 9 lose with every hour that is possible, and why?
# - *Stretch.* Run Step 6 on your release of Step 5, at ε = 1. How many targets do you need to see the difference?

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
# # Lab 8: A release of your own
#
# *82 minutes, seven steps. Read first: [Zero auxiliary knowledge](../../book/zero_knowledge.ipynb), its section on what holds and what it costs, [What a guarantee is worth](../../book/guarantees.ipynb), and [Attacks on protected counts](../../book/knock_knock_defenses.ipynb).*
#
# You are now the data holder. You want to publish hourly counts of groups of 200 aircraft at each airport, for one week. You build a set of attacks, decide how to measure *risk* and *usefulness*, and design a release that balances the two. The releases of a class
# make a leaderboard, which is computed on this machine.
#
# Replace each `...` by your code. The cell below each answer checks it. Hidden tests check the same on other inputs. No step depends on your earlier answers.

# %%
import numpy as np
import pandas as pd
from lib.aggregation import aggregate, sample_member_groups
from lib.chapters import leaderboard

flights = leaderboard.population()
print(flights)

# %% [raw]
# # BEGIN QUESTION
# name: misplaced
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 1: the error of a release (8 minutes)
#
# Write `misplaced(raw, released)`, the total variation distance between the raw and the released counts: divide both by their sums, and take half of the sum of the absolute differences. Treat negative counts as 0. A release in which all counts are 0 has the largest distance, 1.

# %% [raw]
# # BEGIN SOLUTION


# %%
def misplaced(raw, released):
    """The share of counts that is in the wrong cell, from 0 to 1."""
    # BEGIN SOLUTION
    released = np.maximum(released, 0)
    if released.sum() == 0:
        return 1.0
    return np.abs(released / released.sum() - raw / raw.sum()).sum() / 2
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Counts of 1 and 3 that are released as 2 and 2 have a distance of 1/4. Doubling all counts is no error at all.
"""  # END TEST CONFIG


def test_misplaced_quarter(misplaced):
    import numpy as np

    assert abs(misplaced(np.array([[1, 3]]), np.array([[2, 2]])) - 0.25) < 1e-9
    assert misplaced(np.array([[1, 3]]), np.array([[2, 6]])) == 0


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Negative counts are treated as 0, and a release without any count has a distance of 1. The result must never be NaN or above 1.
"""  # END TEST CONFIG


def test_misplaced_negative(misplaced):
    import numpy as np

    raw = np.array([[2.0, 0], [0, 2]])
    assert abs(misplaced(raw, np.array([[3.0, -5], [1, -1]])) - 0.5) < 1e-9
    assert misplaced(raw, np.zeros((2, 2))) == 1
    assert misplaced(raw, np.full((2, 2), -1.0)) == 1


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## The set of attacks
#
# The attacker knows the target's trace and knows how you make your releases. They can therefore make *examples*: releases of groups that they draw themselves, with and without the target. Here are some, under Laplace event-level noise.


# %%
def example(target, seed, epsilon=1.0, n=160, size=200):
    """Noisy counts of the target's cells (releases x cells), and in which releases she is."""
    rng = np.random.default_rng(seed)
    everybody = np.arange(flights.n_users)
    groups, members = sample_member_groups(everybody, target, n, size, rng)
    cells = flights.trace(flights.users[target]) == 1
    counts = aggregate(flights, groups)[:, cells]
    return counts + rng.laplace(scale=1 / epsilon, size=counts.shape), members


busy = int(np.argsort(-flights.visits().to_numpy())[20])
rows, members = example(busy, 1)
print(f"{flights.users[busy]}: {rows.shape[1]} cells in {len(rows)} releases")

# %% [raw]
# # BEGIN QUESTION
# name: learned
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 2: an attack that learns (14 minutes)
#
# Write `learned(examples, members, rows)`. It learns one weight for each cell from examples (releases x cells) and their labels, and returns a score for each of `rows`, which is the weighted sum of the cells. A cell should have a large weight if its mean with the target is far from its mean without, and a small weight if it varies much:
# $(\bar x_1 - \bar x_0) / (s^2 + 0.01)$, where $s^2$ is the variance over all examples.

# %% [raw]
# # BEGIN SOLUTION


# %%
def learned(examples, members, rows):
    """Scores of rows: a sum of cells, weighed by what examples tell."""
    # BEGIN SOLUTION
    apart = examples[members == 1].mean(axis=0) - examples[members == 0].mean(axis=0)
    return rows @ (apart / (examples.var(axis=0) + 0.01))
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: On new groups of the aircraft above, the AUC must be above 0.8.
"""  # END TEST CONFIG


def test_learned_fresh(learned, example, busy, rows, members):
    from lib import metrics

    new, labels = example(busy, 2)
    scores = learned(rows, members, new)
    assert scores.shape == labels.shape and metrics.auc(labels, scores) > 0.8


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Learn the weights from the examples only. A cell that varies much without the target must have a small weight. On synthetic cells, one of which is full and noisy, the AUC must be above 0.95.
"""  # END TEST CONFIG


def test_learned_full_cell(learned):
    import numpy as np
    from lib import metrics

    rng = np.random.default_rng(1)
    members = np.tile([1, 0], 200)
    cells = np.column_stack(
        [
            rng.normal(0, 30, 400),
            rng.normal(0, 0.5, (400, 2)).T[0],
            rng.normal(0, 0.5, 400),
        ]
    )
    cells = cells + members[:, None]
    scores = learned(cells[:200], members[:200], cells[200:])
    assert metrics.auc(members[200:], scores) > 0.95
    assert np.allclose(learned(cells[:200], members[:200], cells[200:203]), scores[:3])


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: risk
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 3: what is the risk? (8 minutes)
#
# `games` has a row for each target and a column for each attack, and contains AUCs. The risk of a release is the mean AUC of the attack that does best *on average*. It is not the mean over targets of the best attack for each target. That mean has a selection bias: it lies above 1/2 even if no attack works. Write `risk(games)`, which returns the name of the best attack and
# its mean AUC.

# %% [raw]
# # BEGIN SOLUTION


# %%
def risk(games):
    """The attack with the highest mean AUC over targets, and that mean."""
    # BEGIN SOLUTION
    means = games.mean()
    return means.idxmax(), means.max()
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Of two attacks with mean AUCs of 0.7 and 0.6, the first one determines the risk.
"""  # END TEST CONFIG


def test_risk_two(risk):
    import pandas as pd

    name, auc = risk(pd.DataFrame({"sum": [0.8, 0.6], "seen": [0.5, 0.7]}))
    assert name == "sum" and abs(auc - 0.7) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: If each of two attacks wins for some targets, the risk is the larger of the two means, not the mean of the winners.
"""  # END TEST CONFIG


def test_risk_turns(risk):
    import pandas as pd

    name, auc = risk(pd.DataFrame({"a": [0.9, 0.1, 0.5], "b": [0.1, 0.9, 0.56]}))
    assert name == "b" and abs(auc - 0.52) < 1e-9


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: beaten
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 4: which releases are dominated? (8 minutes)
#
# A release is *dominated* if another release has no more risk and no more error, and is strictly better in at least one of them. Write `beaten(risks, errors)`, which returns for each release whether it is dominated. (Two releases with the same risk and the same error do not dominate each other.)

# %% [raw]
# # BEGIN SOLUTION


# %%
def beaten(risks, errors):
    """For each release whether another one beats it: a boolean array."""
    # BEGIN SOLUTION
    risks, errors = np.asarray(risks), np.asarray(errors)
    as_good = (risks <= risks[:, None]) & (errors <= errors[:, None])
    less = (risks < risks[:, None]) | (errors < errors[:, None])
    return (as_good & less).any(axis=1)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: The third release has more risk and more error than the first, so it is dominated. The other two are not.
"""  # END TEST CONFIG


def test_beaten_three(beaten):
    assert list(beaten([0.6, 0.9, 0.8], [0.5, 0.1, 0.7])) == [False, False, True]


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Equal releases do not dominate each other. It is enough to be better in one number if the other is the same.
"""  # END TEST CONFIG


def test_beaten_equal(beaten):
    assert list(beaten([0.6, 0.6, 0.6], [0.5, 0.5, 0.4])) == [True, True, False]
    assert list(beaten([0.6, 0.6], [0.5, 0.5])) == [False, False]
    assert list(beaten([0.7, 0.6], [0.5, 0.5])) == [True, False]


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: pool
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 5: publish less detail (8 minutes)
#
# Noise is not the only defense: you can also publish less detail. Write `pooled(counts)` for counts (groups x places x 168 hours, from midnight). It returns an array of the same shape in which each hour of the day holds the *mean over the seven days*. The reader of such a release sees one typical day, repeated seven times.

# %% [raw]
# # BEGIN SOLUTION


# %%
def pooled(counts):
    """Counts in which each hour has the mean of that hour over all days."""
    # BEGIN SOLUTION
    n, places, hours = counts.shape
    day = counts.reshape(n, places, hours // 24, 24).mean(axis=2)
    return np.tile(day, hours // 24)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: The shape must stay the same, all days must be equal, and the total must not change.
"""  # END TEST CONFIG


def test_pool_alike(pooled):
    import numpy as np

    counts = np.random.default_rng(1).integers(0, 9, (2, 3, 168))
    made = pooled(counts)
    assert made.shape == counts.shape and abs(made.sum() - counts.sum()) < 1e-6
    assert np.allclose(made[:, :, :24], made[:, :, 48:72])


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Hour 5 holds the mean of hours 5, 29, 53 and so on, of the same place and group. Your function must not change the counts it is given.
"""  # END TEST CONFIG


def test_pool_hour_five(pooled):
    import numpy as np

    counts = np.zeros((1, 2, 168))
    counts[0, 1, 29] = 7
    made = pooled(counts)
    assert (
        np.allclose(made[0, 1, 5::24], 1) and made.sum() == 7 and made[0, 0].sum() == 0
    )
    assert counts.sum() == 7 and counts[0, 1, 29] == 7


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: label
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 6: the guarantee of a release (8 minutes)
#
# A data holder pools the counts as above and adds Laplace noise of one `scale` to each hour of the *typical day* (24 numbers for each place; the other days are copies). Before that, each trace was reduced to at most `cap` visits. Write `label(cap, scale, n_days)`. It returns ε at event level, and ε at user level for add/remove neighbours. By how much does one visit
# change the mean over the days?

# %% [raw]
# # BEGIN SOLUTION


# %%
def label(cap, scale, n_days):
    """(epsilon for a visit, epsilon for a person) of noise of that scale on means over days."""
    return 1 / (n_days * scale), cap / (n_days * scale)  # SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: For one day and a scale of 1, ε is 1 at event level, and 20 at user level if a user has at most 20 visits.
"""  # END TEST CONFIG


def test_label_one_day(label):
    visit, person = label(20, 1.0, 1)
    assert abs(visit - 1) < 1e-9 and abs(person - 20) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: One visit on one of seven days changes the mean by one seventh. The copies of the day cost nothing, because they are post-processing of what is already published.
"""  # END TEST CONFIG


def test_label_week(label):
    visit, person = label(14, 0.5, 7)
    assert abs(visit - 2 / 7) < 1e-9 and abs(person - 4) < 1e-9


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## Your release
#
# The table shows some simple releases on the leaderboard's groups. An AUC of 1/2 is guessing; at an error of 1, nothing of the counts is left.

# %%
from lib.mechanisms import Laplace, PostProcess, SuppressSmallCounts, release_traces

simple = {
    "raw": [],
    "visit, ε = 1": [Laplace(1.0), PostProcess()],
    "counts up to 1 hidden": [SuppressSmallCounts(2)],
    "counts up to 3 hidden": [SuppressSmallCounts(4)],
}
lines = {}
for name, mechanisms in simple.items():
    games = leaderboard.evaluate(
        lambda traces, groups, rng, m=mechanisms: release_traces(
            traces, groups, m, rng
        ),
        flights,
    )
    lines[name] = leaderboard.row(games)
pd.DataFrame.from_dict(lines, "index")

# %% [raw]
# # BEGIN QUESTION
# name: release
# points: 5
# all_or_nothing: true

# %% [markdown]
# ## Step 7: publish (28 minutes)
#
# Write `my_release(traces, groups, rng)`. It returns what you publish of each group, as an array (groups x places x hours) of finite numbers. The whole set of attacks (`leaderboard.ATTACKS`) is run against it, on groups and targets that you do not see. To pass, your release must have **a risk of at most 0.80 and an error of at most 0.50**. None of
# the simple releases does. Which details could you publish less precisely, and which could you leave out? You may combine pooling, suppression, noise, coarser hours or places, and whatever else you invent.
#
# Import everything you need *inside* the function (`np` is available), so that the function can be handed in on its own. It must not use the identity of the target.

# %% [raw]
# # BEGIN SOLUTION


# %%
def my_release(traces, groups, rng):
    """What is published of each group: (n_groups, n_rois, n_epochs)."""
    # BEGIN SOLUTION
    from lib.aggregation import aggregate

    counts = aggregate(traces, groups).astype(float)
    n, places, hours = counts.shape
    day = counts.reshape(n, places, hours // 24, 24).sum(axis=2)
    day[day <= 5] = 0  # hidden: hours with five visits in a week or fewer
    return np.tile(day / (hours // 24), hours // 24)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: A release must have a finite number for each place and hour of each group. The function must work on its own, with its imports inside.
"""  # END TEST CONFIG


def test_release_shape(my_release, flights):
    import tempfile

    import numpy as np

    groups = np.arange(40).reshape(2, 20)
    made = np.asarray(my_release(flights, groups, np.random.default_rng(1)), float)
    assert made.shape == (2, flights.n_rois, 168) and np.isfinite(made).all()
    from lib.chapters import leaderboard

    with tempfile.TemporaryDirectory() as folder:
        leaderboard.submit("mine", my_release, folder)
        assert len(leaderboard.board(folder, flights)) == 1


# %%
""" # BEGIN TEST CONFIG
failure_message: On the leaderboard's own groups the risk must be at most 0.80 and the error at most 0.50.
"""  # END TEST CONFIG


def test_release_leaderboard(my_release, flights):
    from lib.chapters import leaderboard

    line = leaderboard.row(leaderboard.evaluate(my_release, flights))
    assert line["risk"] <= 0.8, line
    assert line["error"] <= 0.5, line


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The same limits must hold on average on two other draws of groups and targets.
"""  # END TEST CONFIG


def test_release_other_groups(my_release, flights):
    import numpy as np
    from lib.chapters import leaderboard

    lines = [
        leaderboard.row(leaderboard.evaluate(my_release, flights, seed))
        for seed in (2, 3)
    ]
    assert np.mean([line["risk"] for line in lines]) <= 0.8, lines
    assert np.mean([line["error"] for line in lines]) <= 0.5, lines


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## Hand it in
#
# Give your release a name of letters and digits. The cell writes `releases/<name>.py` and shows the leaderboard of that folder, one row for each release. Put the files of your class into this folder. `python -m lib.chapters.labs board FOLDER` computes the same leaderboard, and `--seed 7` evaluates the releases on groups that nobody has seen.

# %%
leaderboard.submit("my_name", my_release)
leaderboard.board("releases", flights)

# %% [markdown]
# ## To go on
#
# - *Stretch.* Write an attack that does better against *your* release than the given attacks. (What happens to `learned` if the examples are drawn in pairs that differ in one member?)
# - *Stretch.* Your release probably has no privacy guarantee: a new attack may succeed tomorrow. Give it a user-level guarantee as in Step 6. What does that cost?
# - *Stretch.* Explain on half a page to whom the release is useful, whom it puts at risk, and what you would tell the people who are counted.

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
# # Lab 2: Build Knock-Knock
#
# *85 minutes, eight steps. Read first: [Knock-Knock: was a person counted?](../../book/knock_knock.ipynb).*
#
# You build the attack step by step: groups, features, a selection of features, a classifier, and two sound ways to evaluate it. At the end you link
# releases to groups without any classifier.
#
# Replace each `...` by your code. The cell below each answer checks it. Hidden tests check the same on other inputs. No step depends on your earlier answers.

# %%
import numpy as np
from lib import metrics
from lib.aggregation import aggregate
from lib.datasets import load

numbers, tails = load("flights-by-number"), load("flights-by-tail")
six = load("six-users")

# %% [raw]
# # BEGIN QUESTION
# name: groups
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 1: training groups (10 minutes)
#
# Write `make_groups(pool, target, n, size, rng)`. It draws `n` groups (an even number) of `size` distinct users each, the first half with the target and the second half without. `pool` contains positions of users,
# possibly including the target's. Return the groups as an array (n, size), and the labels, which are 1 for groups with the target.

# %% [raw]
# # BEGIN SOLUTION


# %%
def make_groups(pool, target, n, size, rng):
    """Groups (n, size) of positions, and members (n,): 1 for those with the target."""
    # BEGIN SOLUTION
    others = np.array([user for user in pool if user != target])
    groups = np.stack([rng.choice(others, size, replace=False) for _ in range(n)])
    groups[: n // 2, 0] = target
    return groups, np.repeat([1, 0], n // 2)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: There must be n groups of that size, half of them with label 1. A group has label 1 if and only if it contains the target.
"""  # END TEST CONFIG


def test_groups_labels(make_groups):
    import numpy as np

    groups, members = make_groups(np.arange(30), 4, 20, 5, np.random.default_rng(1))
    groups, members = np.asarray(groups), np.asarray(members)
    assert groups.shape == (20, 5) and members.sum() == 10
    assert ((groups == 4).any(axis=1) == (members == 1)).all()


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Nobody is in a group twice. The target is never in a group with label 0, even if the pool contains the target. Each group is drawn independently.
"""  # END TEST CONFIG


def test_groups_distinct(make_groups):
    import numpy as np

    groups, members = make_groups(np.arange(8), 4, 200, 6, np.random.default_rng(2))
    assert all(len(set(group)) == 6 for group in np.asarray(groups))
    assert ((np.asarray(groups) == 4).sum(axis=1) == np.asarray(members)).all()
    assert len({tuple(sorted(group)) for group in np.asarray(groups)}) > 10


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## Features
#
# The membership game below is under prior 1: the attacker knows the traces of half of the aircraft, and forms and labels groups of them. `task.train` and `task.test` contain counts (group x place x hour) of one week.

# %%
from lib.membership import game

week = range(168)
target = int(np.argsort(tails.visits().to_numpy())[900])
task = game.subset_task(
    tails, target, 0.5, 10, week, np.random.default_rng(3), n_train=200, n_test=100
)
print("train", task.train.shape, "test", task.test.shape)

# %% [raw]
# # BEGIN QUESTION
# name: statistics
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 2: statistics of a place (8 minutes)
#
# Write `statistics(counts)`. It computes five numbers for each place of each group, over its hours: minimum, maximum, median, mean, standard deviation, in this order. Return an array
# (groups, 5 x places) in which the five columns of a place are next to each other.

# %% [raw]
# # BEGIN SOLUTION


# %%
def statistics(counts):
    """(n, places, hours) -> (n, 5 * places): minimum, maximum, median, mean, deviation of each place."""
    # BEGIN SOLUTION
    five = [f(counts, axis=2) for f in (np.min, np.max, np.median, np.mean, np.std)]
    return np.stack(five, axis=2).reshape(len(counts), -1)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: One place with the counts 0, 0, 2, 6 has minimum 0, maximum 6, median 1, mean 2, and the square root of 6 as standard deviation.
"""  # END TEST CONFIG


def test_statistics_one_place(statistics):
    import numpy as np

    found = statistics(np.array([[[0, 0, 2, 6]]]))
    assert found.shape == (1, 5)
    assert np.allclose(found, [[0, 6, 1, 2, 6**0.5]])


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: With two places, the first five columns are those of the first place. The statistics are over hours, not over groups.
"""  # END TEST CONFIG


def test_statistics_two_places(statistics):
    import numpy as np

    counts = np.array([[[1, 3], [0, 8]], [[2, 2], [5, 5]]])
    found = statistics(counts)
    assert found.shape == (2, 10)
    assert np.allclose(found[0], [1, 3, 2, 2, 1, 0, 8, 4, 4, 4])
    assert np.allclose(found[1], [2, 2, 2, 2, 0, 5, 5, 5, 5, 0])


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: hours
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 3: features for each hour of the day (8 minutes)
#
# The statistics do not depend on *when* people were counted. Write `by_hour(counts, epochs)`. It returns, for each place, the total in each hour of the day, over all days: an array (groups, 24 x places), with the 24 columns of a place next to each other, from hour 0 to hour 23. `epochs` is the
# `DatetimeIndex` of the hours of `counts`; its first hour need not be midnight.

# %% [raw]
# # BEGIN SOLUTION


# %%
def by_hour(counts, epochs):
    """(n, places, hours) -> (n, 24 * places): totals by the hour of the day."""
    # BEGIN SOLUTION
    each = [counts[:, :, epochs.hour == hour].sum(axis=2) for hour in range(24)]
    return np.stack(each, axis=2).reshape(len(counts), -1)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Over two days that begin at midnight, the column of an hour is the sum of that hour over both days.
"""  # END TEST CONFIG


def test_hours_two_days(by_hour):
    import numpy as np
    import pandas as pd

    epochs = pd.date_range("2013-03-04", periods=48, freq="1h")
    found = by_hour(np.arange(48).reshape(1, 1, 48), epochs)
    assert found.shape == (1, 24)
    assert found[0, 0] == 24 and found[0, 23] == 23 + 47


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: If the counts begin at six in the morning, their first number belongs to column 6. A day has 24 hours and a week has 7 days; check that you did not exchange the two.
"""  # END TEST CONFIG


def test_hours_from_six(by_hour):
    import numpy as np
    import pandas as pd

    epochs = pd.date_range("2013-03-04 06:00", periods=72, freq="1h")
    counts = np.zeros((2, 3, 72), int)
    counts[1, 2, [0, 24]] = 5, 7
    found = by_hour(counts, epochs)
    assert found.shape == (2, 72)
    assert found[1, 2 * 24 + 6] == 12 and found.sum() == 12


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: keep
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 4: select features (10 minutes)
#
# The paper eliminates features by fitting the classifier again and again. Here is a simpler way. Score each feature by the distance between its two class means, in units of the feature's standard deviation over all groups:
# $|\bar x_1 - \bar x_0| / s$. A feature that never changes has a score of 0. Write `keep(features, members, n)`, which returns the positions of the `n` features with the largest scores, in ascending order.

# %% [raw]
# # BEGIN SOLUTION


# %%
def keep(features, members, n):
    """Positions of the n features whose means differ most, in standard deviations; ascending."""
    # BEGIN SOLUTION
    apart = np.abs(
        features[members == 1].mean(axis=0) - features[members == 0].mean(axis=0)
    )
    spread = features.std(axis=0)
    score = np.divide(apart, spread, out=np.zeros(len(apart)), where=spread > 0)
    return np.sort(np.argsort(-score, kind="stable")[:n])
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Of the three features, only the second follows the label. If one feature is asked for, it must be that one.
"""  # END TEST CONFIG


def test_keep_one(keep):
    import numpy as np

    features = np.array([[1.0, 5, 2], [2, 6, 2], [1, 1, 2], [2, 2, 2]])
    assert list(keep(features, np.array([1, 1, 0, 0]), 1)) == [1]


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Changing the unit of a feature must not change its score. Constant features have a score of 0 and must not come first as NaN. The positions are in ascending order.
"""  # END TEST CONFIG


def test_keep_scales(keep):
    import numpy as np

    rng = np.random.default_rng(1)
    members = np.repeat([1, 0], 50)
    noise, signal = (
        rng.normal(size=(100, 2)),
        rng.normal(size=(100, 2)) + 2 * members[:, None],
    )
    features = np.column_stack(
        [noise * 1000, np.ones(100), signal[:, 0], signal[:, 1] / 1000]
    )
    assert list(keep(features, members, 2)) == [3, 4]
    assert list(keep(-features, members, 2)) == [3, 4]


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: fit
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 5: train, and score new groups (12 minutes)
#
# Write `train_and_score(train, members, test)`. It standardizes the features, fits a logistic regression (`sklearn.linear_model.LogisticRegression`), and returns a score for each row of `test`, which is the margin of the classifier (`decision_function`). Compute the mean and the standard deviation
# for standardizing from `train` alone, because a score must not depend on the other groups to be scored. A feature that is constant in `train` must cause no error.

# %% [raw]
# # BEGIN SOLUTION


# %%
def train_and_score(train, members, test):
    """Margins of a logistic regression for the rows of test."""
    # BEGIN SOLUTION
    from sklearn.linear_model import LogisticRegression

    mean, spread = train.mean(axis=0), train.std(axis=0)
    spread = np.where(spread > 0, spread, 1)
    model = LogisticRegression(max_iter=10_000).fit((train - mean) / spread, members)
    return model.decision_function((test - mean) / spread)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: On data with a clear signal, the AUC must be above 0.9. Scores must be margins, not the labels 0 and 1.
"""  # END TEST CONFIG


def test_fit_signal(train_and_score):
    import numpy as np
    from lib import metrics

    rng = np.random.default_rng(1)
    members = np.repeat([1, 0], 100)
    rows = rng.normal(size=(200, 3)) + members[:, None]
    scores = train_and_score(rows[::2], members[::2], rows[1::2])
    assert metrics.auc(members[1::2], scores) > 0.9
    assert len(np.unique(scores)) > 50


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A row must have the same score alone and among other rows. Features in other units must give the same scores. A constant feature must change nothing.
"""  # END TEST CONFIG


def test_fit_alone_and_scaled(train_and_score):
    import numpy as np

    rng = np.random.default_rng(2)
    members = np.repeat([1, 0], 50)
    train, test = rng.normal(size=(100, 2)) + members[:, None], rng.normal(size=(9, 2))
    scores = train_and_score(train, members, test)
    assert np.allclose(train_and_score(train, members, test[:1]), scores[:1], atol=1e-3)
    units = np.array([1000.0, 0.001])
    assert np.allclose(
        train_and_score(train * units, members, test * units), scores, atol=1e-2
    )
    more = [np.column_stack([each, np.full(len(each), 3.0)]) for each in (train, test)]
    assert np.allclose(train_and_score(more[0], members, more[1]), scores, atol=1e-2)


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# The next cell runs the whole attack with the library's parts, once with statistics and once with hours. The baseline is the sum over the target's cells, which needs no training.

# %%
from lib.membership.features import extract
from lib.membership.selection import eliminate, fit_logistic


def hourly(counts):
    return counts.reshape(*counts.shape[:2], 7, 24).sum(axis=2).reshape(len(counts), -1)


for name, features in {"statistics": extract, "hours": hourly}.items():
    train, test = features(task.train).astype(float), features(task.test).astype(float)
    kept = eliminate(train, task.train_members, 150)
    weights, bias = fit_logistic(train[:, kept], task.train_members)
    print(name, f"{metrics.auc(task.test_members, test[:, kept] @ weights + bias):.2f}")
cells = tails.trace(tails.users[target])[:, :168] == 1
print("sum", f"{metrics.auc(task.test_members, task.test[:, cells].sum(axis=1)):.2f}")

# %% [raw]
# # BEGIN QUESTION
# name: honest
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 6: choose a classifier without selection bias (8 minutes)
#
# Several classifiers are tried. BEST takes the one with the highest AUC *on the test set itself*, which has a selection bias. Write `honest(validation, test)`. Each argument is a pair (members, scores), where `scores` is a dict from the name of a classifier to its scores. Choose the
# classifier on the validation groups, and return its name and its AUC on the test groups. `metrics.auc(members, scores)` is available.

# %% [raw]
# # BEGIN SOLUTION


# %%
def honest(validation, test):
    """The classifier that is best on validation, and its AUC on the test."""
    # BEGIN SOLUTION
    members, scores = validation
    name = max(scores, key=lambda each: metrics.auc(members, scores[each]))
    return name, metrics.auc(test[0], test[1][name])
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: In this example LR is better on the validation groups and MLP on the test groups. The answer is LR with its AUC on the test groups, 0.75.
"""  # END TEST CONFIG


def test_honest_lr(honest):
    import numpy as np

    members = np.array([1, 1, 0, 0])
    validation = members, {"LR": np.array([4, 3, 2, 1]), "MLP": np.array([4, 1, 3, 2])}
    test = members, {"LR": np.array([4, 2, 3, 1]), "MLP": np.array([4, 3, 2, 1])}
    name, auc = honest(validation, test)
    assert name == "LR" and auc == 0.75


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The choice must use the validation groups only, and the reported AUC must be that of the test groups. The order of the names must not matter.
"""  # END TEST CONFIG


def test_honest_order(honest):
    import numpy as np

    members, late = np.array([1, 1, 0, 0]), np.array([0, 1, 0, 1])
    best, worst = np.array([4, 3, 2, 1]), np.array([1, 2, 3, 4])
    said = honest(
        (members, {"a": worst, "b": best}), (late, {"a": best, "b": np.ones(4)})
    )
    assert said[0] == "b" and said[1] == 0.5


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: floor
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 7: the chance level of BEST (12 minutes)
#
# What AUC does BEST reach if nothing can be learned? Write `floor_of_best(members, scores, n_shuffles, rng)`: permute the labels, take the highest AUC among the classifiers, and average over `n_shuffles` permutations. In each permutation,
# *all classifiers must get the same labels*, as they did in the test. `scores` is a dict as in Step 6.

# %% [raw]
# # BEGIN SOLUTION


# %%
def floor_of_best(members, scores, n_shuffles, rng):
    """Mean, over shuffled labels, of the best classifier's AUC."""
    # BEGIN SOLUTION
    bests = []
    for _ in range(n_shuffles):
        shuffled = rng.permutation(members)
        bests.append(max(metrics.auc(shuffled, each) for each in scores.values()))
    return np.mean(bests)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: One classifier alone has a chance level of about 1/2. The best of four unrelated classifiers lies clearly above 1/2.
"""  # END TEST CONFIG


def test_floor_above_half(floor_of_best):
    import numpy as np

    rng = np.random.default_rng(1)
    members = np.repeat([1, 0], 30)
    scores = {name: rng.normal(size=60) for name in ("LR", "kNN", "RF", "MLP")}
    one = floor_of_best(members, {"LR": scores["LR"]}, 300, np.random.default_rng(2))
    four = floor_of_best(members, scores, 300, np.random.default_rng(2))
    assert abs(one - 0.5) < 0.02 and 0.55 < four < 0.6


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Two classifiers with identical scores are one classifier, with a chance level of 1/2. If the true labels influence the permuted ones, the result is too high.
"""  # END TEST CONFIG


def test_floor_twins(floor_of_best):
    import numpy as np

    members = np.repeat([1, 0], 30)
    same = np.arange(60.0)
    twins = {"a": same, "b": same}
    found = floor_of_best(members, twins, 300, np.random.default_rng(3))
    assert abs(found - 0.5) < 0.02


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## The groups themselves
#
# Under prior 2a the attacker knows past counts of *the very groups* that are now released. The chapter finds that a classifier may recognise the group rather than the person. Below are 60 groups of 20
# flight numbers. `past` has their counts in three weeks (week x group x place x hour). `released` has those of the fourth week, with Laplace event-level noise at ε = 0.3, in an unknown order.


# %%
def past_and_released(seed, size=20, n=60, epsilon=0.3):
    """Past counts, released counts, and the order that only the challenger knows."""
    rng = np.random.default_rng(seed)
    groups = [rng.choice(numbers.n_users, size, replace=False) for _ in range(n)]
    counts = aggregate(numbers, groups).reshape(n, numbers.n_rois, 4, 168)
    order = rng.permutation(n)
    noise = rng.laplace(scale=1 / epsilon, size=(n, numbers.n_rois, 168))
    return np.moveaxis(counts[:, :, :3], 2, 0), counts[order, :, 3] + noise, order


past, released, order = past_and_released(5)
print(past.shape, released.shape)

# %% [raw]
# # BEGIN QUESTION
# name: link
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 8: an attack that links groups (17 minutes)
#
# Write `link(past, released)`, which returns for each released group the position of the matching past group. Each past group is released *exactly once*. This helps, because nearest neighbours may name the same group twice.
# `scipy.optimize.linear_sum_assignment(cost)` solves such assignments for a matrix of costs. What should a cost be under Laplace noise, whose density falls with the absolute value? And which weeks tell most? (The clocks changed after the first week, and hours are in UTC.)

# %% [raw]
# # BEGIN SOLUTION


# %%
def link(past, released):
    """For each released group, the position of the past group that it is: a permutation."""
    # BEGIN SOLUTION
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    known = past[1:].mean(axis=0).reshape(past.shape[1], -1)
    cost = cdist(released.reshape(len(released), -1), known, "cityblock")
    return linear_sum_assignment(cost)[1]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Each past group must be named once, and more than half of the links must be right. Compare the counts cell by cell, hours included.
"""  # END TEST CONFIG


def test_link_links(link, past, released, order):
    import numpy as np

    said = np.asarray(link(past, released))
    assert sorted(said) == list(range(len(order)))
    assert (said == order).mean() > 0.5


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Over three other draws, 95 in 100 links must be right. Under Laplace noise, use absolute differences rather than squares. The week before the clocks changed does not match. Each group must be assigned exactly once.
"""  # END TEST CONFIG


def test_link_other_draws(link, past_and_released):
    import numpy as np

    right = []
    for seed in (1, 2, 3):
        past, released, order = past_and_released(seed)
        said = np.asarray(link(past, released))
        assert sorted(said) == list(range(60))
        right.append((said == order).mean())
    assert np.mean(right) > 0.95


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## To go on
#
# - *Stretch.* At which ε does linking fail? Are larger groups safer, or smaller ones? Make a prediction before you run it.
# - *Stretch.* Run Step 8 with aircraft (`tails`). Why does it fail?
# - *Stretch.* In the table above, the sum over the target's cells does best by far. Which features would let a classifier learn this by itself?

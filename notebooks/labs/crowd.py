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
# # Lab 5: Where was Dan?
#
# *82 minutes, eight steps. Read first: [Where was Dan?](../../book/crowd.ipynb).*
#
# Everybody was counted. The question is where each user was. You write two priors, two attacks, the error that measures them, and the baseline that beats most of them. At the end you write the attack that
# uses what BAYES ignores: the probabilities of all users together must add up to the counts.
#
# Replace each `...` by your answer. The cell below each answer checks it; hidden tests check it on other inputs. Later steps do not use your earlier answers.

# %%
import numpy as np
from lib.datasets import load

flights = load("flights-by-number")
some = flights.users[
    np.random.default_rng(1).choice(flights.n_users, 300, replace=False)
]
everybody = flights.select(users=some).with_null()
cells = everybody.matrix.toarray().reshape(300, everybody.n_rois, 672) > 0
NULL = everybody.n_rois - 1  # the place of users who are nowhere
watched, truth = cells[:, :, 168:504], cells[:, :, 504:]
counts = truth.sum(axis=0)
print("watched: users, places, hours", watched.shape, "- asked about:", truth.shape)

# %% [markdown]
# `watched[u, s, t]` says whether user `u` was at place `s` in hour `t` of two weeks, which the attacker observed. `truth` is the third week, of which the attacker sees only `counts`. Both begin on a Monday at 0 h UTC. The last place
# is *null*, for users who are at no other place.

# %% [raw]
# # BEGIN QUESTION
# name: often
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 1: frequent places (8 minutes)
#
# Write `often(watched)`, a prior (users x places): the share of each user's visits that fell on each place. In a few hours a user is at two places, origin and destination; then both count as visits. An hour at null counts as a visit to null.

# %% [raw]
# # BEGIN SOLUTION


# %%
def often(watched):
    """Each user's share of visits to each place; rows add up to 1."""
    # BEGIN SOLUTION
    seen = watched.sum(axis=2)
    return seen / seen.sum(axis=1, keepdims=True)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Someone who is at the first place in one of four hours, and at the second in three, has a prior of 1/4 and 3/4.
"""  # END TEST CONFIG


def test_often_small(often):
    import numpy as np

    small = np.array([[[1, 0, 0, 0], [0, 1, 1, 1]]], bool)
    assert np.allclose(often(small), [[0.25, 0.75]])


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Each row adds up to 1, also for users who are at two places in an hour.
"""  # END TEST CONFIG


def test_often_rows(often, watched):
    import numpy as np

    prior = often(watched)
    assert prior.shape == watched.shape[:2] and np.allclose(prior.sum(axis=1), 1)
    both = np.array([[[1, 0], [1, 1]], [[0, 0], [1, 1]]], bool)
    assert np.allclose(often(both), [[1 / 3, 2 / 3], [0, 1]])


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: daily
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 2: the hour of the day (10 minutes)
#
# Write `daily(watched)`: the same share, computed separately for each of the 24 hours of the day (users x places x 24). `watched` begins at 0 h.

# %% [raw]
# # BEGIN SOLUTION


# %%
def daily(watched):
    """Each user's share of visits to each place, for each hour of the day."""
    # BEGIN SOLUTION
    users, places, hours = watched.shape
    seen = watched.reshape(users, places, hours // 24, 24).sum(axis=2)
    return seen / seen.sum(axis=1, keepdims=True)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: The result has 24 hours, and over the places each hour adds up to 1.
"""  # END TEST CONFIG


def test_daily_shape(daily, watched):
    import numpy as np

    prior = daily(watched)
    assert prior.shape == (*watched.shape[:2], 24)
    assert np.allclose(prior.sum(axis=1), 1)


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Hour 3 of the day is hours 3, 27, 51 and so on, not the first three days.
"""  # END TEST CONFIG


def test_daily_hours(daily):
    import numpy as np

    small = np.zeros((1, 2, 48), bool)
    small[0, 1] = True
    small[0, :, 27] = [True, False]
    prior = daily(small)
    assert np.allclose(prior[0, :, 3], [0.5, 0.5])
    assert np.allclose(np.delete(prior[0, 1], 3), 1)


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: bayes
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 3: BAYES (10 minutes)
#
# Write `bayes(prior, counts)` for one hour: `prior` (users x places) times `counts` (places), each row divided by its sum. If a user's prior and the counts have no place in common, the user keeps the prior.

# %% [raw]
# # BEGIN SOLUTION


# %%
def bayes(prior, counts):
    """Probabilities after one hour's counts, users x places."""
    # BEGIN SOLUTION
    product = prior * counts
    total = product.sum(axis=1, keepdims=True)
    return np.where(total > 0, product / np.where(total > 0, total, 1), prior)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: A prior of 1/2 and 1/2 with counts of 1 and 3 becomes 1/4 and 3/4.
"""  # END TEST CONFIG


def test_bayes_small(bayes):
    import numpy as np

    assert np.allclose(
        bayes(np.array([[0.5, 0.5], [1, 0]]), np.array([1, 3])), [[0.25, 0.75], [1, 0]]
    )


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Every row adds up to 1, and nothing is NaN. A user who was never seen at any counted place keeps the prior.
"""  # END TEST CONFIG


def test_bayes_no_place_in_common(bayes):
    import numpy as np

    prior = np.array([[0.2, 0.8, 0], [0, 0.5, 0.5]])
    found = bayes(prior, np.array([0, 0, 4]))
    assert np.allclose(found, [[0.2, 0.8, 0], [0, 0, 1]])


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: max_roi
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 4: MAX_ROI (12 minutes)
#
# Write `max_roi(prior, counts, visits)` for one hour: each place with a count of $n$ is assigned the $n$ users with the largest prior there. Among equal priors, users with more `visits` (one number a user) come first, then users who come first in the list. Return 0 and 1, users x places. A user may be assigned to several places, or
# to none.

# %% [raw]
# # BEGIN SOLUTION


# %%
def max_roi(prior, counts, visits):
    """1 for the counts[s] users with the largest prior at place s, 0 for the others."""
    # BEGIN SOLUTION
    placed = np.zeros(prior.shape, int)
    for place, n in enumerate(counts):
        order = np.lexsort((-np.asarray(visits), -prior[:, place]))
        placed[order[:n], place] = 1
    return placed
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: The first place has a count of 1, and the user with the largest prior there is assigned to it.
"""  # END TEST CONFIG


def test_max_roi_one(max_roi):
    import numpy as np

    prior = np.array([[0.2, 0.8], [0.7, 0.3], [0.5, 0.5]])
    placed = max_roi(prior, np.array([1, 2]), np.array([1, 1, 1]))
    assert (placed == [[0, 1], [1, 0], [0, 1]]).all()


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Every place has as many users as were counted. Among equal priors, users with more visits come first, and then those who come first in the list.
"""  # END TEST CONFIG


def test_max_roi_ties(max_roi):
    import numpy as np

    prior = np.full((4, 2), 0.5)
    placed = max_roi(prior, np.array([2, 3]), np.array([3, 9, 3, 5]))
    assert (placed == [[0, 1], [1, 1], [0, 0], [1, 1]]).all()
    assert (max_roi(prior, np.array([0, 0]), np.array([1, 2, 3, 4])) == 0).all()


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: error
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 5: the profiling error (10 minutes)
#
# The Jensen-Shannon distance of two distributions $p$ and $q$ is the square root of $\frac12 \sum p \ln \frac{p}{m} + \frac12 \sum q \ln \frac{q}{m}$ with $m = (p + q) / 2$; terms of 0 are 0. Write `error(belief, where)`: the distance between the attacker's distribution of each user, `belief`, and the true one, `where` (both users x places,
# rows add up to 1). Use natural logarithms. (`scipy.special.rel_entr(p, m)` is $p \ln (p / m)$.)

# %% [raw]
# # BEGIN SOLUTION


# %%
def error(belief, where):
    """The Jensen-Shannon distance between belief and truth, of each user: (users,)."""
    # BEGIN SOLUTION
    from scipy.special import rel_entr

    middle = (belief + where) / 2
    apart = (rel_entr(belief, middle) + rel_entr(where, middle)).sum(axis=1) / 2
    return np.sqrt(np.maximum(apart, 0))
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: An attacker who gives the truth no probability has an error of the square root of ln 2, and one who is certain and right an error of 0. For a probability of 3/4 of the truth it is 0.309, with natural logarithms.
"""  # END TEST CONFIG


def test_error_three(error):
    import numpy as np

    belief = np.array([[1.0, 0], [0, 1], [0.75, 0.25]])
    where = np.array([[0.0, 1], [0, 1], [1, 0]])
    found = error(belief, where)
    assert np.allclose(found[:2], [np.log(2) ** 0.5, 0])
    p = 0.75
    assert (
        abs(
            found[2] ** 2
            - (np.log(2) - (1 + p) / 2 * np.log(1 + p) + p / 2 * np.log(p))
        )
        < 1e-9
    )


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The distance is the same in both directions, also if the truth is spread over two places, and never NaN.
"""  # END TEST CONFIG


def test_error_spread(error):
    import numpy as np

    first, second = (
        np.array([[0.5, 0.5, 0], [0.2, 0.3, 0.5]]),
        np.array([[0.5, 0, 0.5], [0.2, 0.3, 0.5]]),
    )
    found = error(first, second)
    assert np.allclose(found, error(second, first))
    assert np.allclose(found, [(np.log(2) / 2) ** 0.5, 0])


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: commit
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 6: an attacker who ignores the counts (8 minutes)
#
# The likeliest place, without counts, is the baseline that MAX_ROI has to beat. Write `commit(prior, delta, null)`: for each user the place with the largest prior if this prior is at least `delta`, and `null` otherwise; as 0 and 1, users x places. If several places have the largest prior, choose the first of them.

# %% [raw]
# # BEGIN SOLUTION


# %%
def commit(prior, delta, null):
    """Each user's likeliest place if it has at least delta of the prior, else null; as 0 and 1."""
    # BEGIN SOLUTION
    best = prior.argmax(axis=1)
    best = np.where(prior.max(axis=1) >= delta, best, null)
    return np.eye(prior.shape[1], dtype=int)[best]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: The first user has a place with a prior of 0.6. The second has none with one half, and is assigned to null.
"""  # END TEST CONFIG


def test_commit_two(commit):
    import numpy as np

    prior = np.array([[0.6, 0.3, 0.1], [0.4, 0.4, 0.2]])
    assert (commit(prior, 0.5, 2) == [[1, 0, 0], [0, 0, 1]]).all()


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Each row has one 1. Exactly delta is enough, and null need not be the last place.
"""  # END TEST CONFIG


def test_commit_exactly(commit):
    import numpy as np

    prior = np.array([[0.5, 0.5, 0], [0.3, 0.3, 0.4], [0.1, 0.2, 0.7]])
    assert (commit(prior, 0.5, 1) == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]).all()
    assert (commit(prior, 0.71, 0).sum(axis=1) == 1).all()


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: loss
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 7: privacy loss (6 minutes)
#
# A user's privacy loss is $\max(0, (e_P - e_{P,A}) / e_P)$, where $e_P$ is the error with the prior alone and $e_{P,A}$ that with the counts. Write `mean_loss(before, after)`: the mean of the users' losses, given their errors. A user whose error was 0 before has a loss of 0.

# %% [raw]
# # BEGIN SOLUTION


# %%
def mean_loss(before, after):
    """Mean over users of the share of the prior's error that the counts take away."""
    # BEGIN SOLUTION
    lost = np.where(before > 0, (before - after) / np.where(before > 0, before, 1), 0)
    return np.maximum(lost, 0).mean()
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Errors that fall from 0.4 to 0.1, and from 0.5 to 0.5, are losses of 0.75 and 0, and 0.375 on average.
"""  # END TEST CONFIG


def test_loss_two(mean_loss):
    import numpy as np

    assert abs(mean_loss(np.array([0.4, 0.5]), np.array([0.1, 0.5])) - 0.375) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Each user's loss is clipped at 0 before the mean is taken, and it is a share of this user's own error before. Errors of 0 must not give NaN.
"""  # END TEST CONFIG


def test_loss_own(mean_loss):
    import numpy as np

    assert abs(mean_loss(np.array([0.4, 0.2]), np.array([0.2, 0.8])) - 0.25) < 1e-9
    assert (
        abs(mean_loss(np.array([0.8, 0.1, 0.0]), np.array([0.4, 0.0, 0.0])) - 0.5)
        < 1e-9
    )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## All users at once
#
# This cell computes the probabilities of BAYES for Tuesday at 14 h UTC, with the hour of the day as prior. It does not use your answers. BAYES treats each user separately. How many users does it expect at null, and how many were counted there?

# %%
hour = 24 + 14
seen = watched.reshape(300, NULL + 1, 14, 24)[:, :, :, 14].sum(axis=2)
prior = seen / seen.sum(axis=1, keepdims=True)
now = counts[:, hour]
product = prior * now
believed = product / product.sum(axis=1, keepdims=True)
print("null: counted", now[NULL], "- BAYES believes", f"{believed[:, NULL].sum():.0f}")

# %% [raw]
# # BEGIN QUESTION
# name: balance
# points: 4
# all_or_nothing: true

# %% [markdown]
# ## Step 8: write an attack that adds up (18 minutes)
#
# Each counted person must be one of the users. Write `balance(prior, counts, mix)` for one hour:
#
# 1. People also go to places where they were never seen. Mix $(1 - \mathrm{mix})$ of each prior with `mix` of the distribution of the counts, `counts / counts.sum()`.
# 2. Rescale the columns so that they add up to `counts`, then the rows so that they add up to 1, and repeat until both hold (500 rounds are enough here). Nobody is at a place with a count of 0.
#
# First scale the counts so that they add up to the number of users. (They do not if somebody is at two places in this hour.) The algorithm is called *iterative proportional fitting*. Its result is the maximum-entropy solution: of all tables with these sums, the one nearest to the prior in relative entropy.

# %% [raw]
# # BEGIN SOLUTION


# %%
def balance(prior, counts, mix):
    """Probabilities, users x places: rows add up to 1, columns to the scaled counts."""
    # BEGIN SOLUTION
    counts = np.asarray(counts) * len(prior) / np.sum(counts)
    belief = (1 - mix) * prior + mix * counts / counts.sum()
    for _ in range(500):
        total = belief.sum(axis=0)
        belief = belief * np.divide(
            counts, total, out=np.zeros(len(counts)), where=total > 0
        )
        belief = belief / belief.sum(axis=1, keepdims=True)
    return belief
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: One of two users was counted at each place. The relative odds of the two users must stay those of their priors.
"""  # END TEST CONFIG


def test_balance_two(balance):
    import numpy as np

    found = balance(np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([1, 1]), 0.0)
    assert np.allclose(found.sum(axis=0), 1, atol=1e-4) and np.allclose(
        found.sum(axis=1), 1
    )
    assert abs(found[0, 0] - 0.75) < 1e-3


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Rows add up to 1 and columns to the scaled counts, up to a thousandth. Only multiply, so that nothing becomes negative. Nobody may be at a place where nobody was counted.
"""  # END TEST CONFIG


def test_balance_adds_up(balance, prior, now):
    import numpy as np

    found = balance(prior, now, 0.05)
    scaled = now * len(prior) / now.sum()
    assert np.isfinite(found).all() and (found >= 0).all()
    assert np.allclose(found.sum(axis=1), 1, atol=1e-3)
    assert np.allclose(found.sum(axis=0), scaled, atol=1e-2)
    assert found[:, now == 0].sum() == 0


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The mixture allows people to be at places where they were never seen. For the users who were out, the result must be nearer to the truth than that of BAYES.
"""  # END TEST CONFIG


def test_balance_nearer_than_bayes(balance, prior, now, truth, hour, NULL):
    import numpy as np

    everywhere = truth[:, :, hour]
    out = everywhere[:, :NULL].any(axis=1)
    where = everywhere / everywhere.sum(axis=1, keepdims=True)
    product = prior * now
    bayes = product / product.sum(axis=1, keepdims=True)
    found = balance(prior, now, 0.05)
    assert ((found - where)[out] ** 2).sum() < 0.9 * ((bayes - where)[out] ** 2).sum()
    new = balance(np.array([[1.0, 0], [1, 0], [1, 0]]), np.array([2, 1]), 0.05)
    assert np.allclose(new[:, 1], 1 / 3, atol=1e-3)


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## To go on
#
# - *Stretch.* Run your attack on all 168 hours. In which hours is it better than the likeliest place without counts, and in which is it worse than always null?
# - *Stretch.* What does Laplace event-level noise, at ε = 1, do to Step 8? The counts no longer add up to the users: what do you do?
# - *Stretch.* Write the attack that gives one *certain* answer: the most likely assignment of 300 users to 300 seats (`scipy.optimize.linear_sum_assignment`). Is it right more often?

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
# # Lab 7: Thresholds and the likelihood ratio
#
# *80 minutes, seven steps. Read first: [How close to the guarantee does an attack get?](../../book/thresholds.ipynb).*
#
# One noisy cell reveals little about the target; many cells reveal more. You compute the evidence in one cell, write three rules that combine cells, and compute the best accuracy that the privacy guarantee allows. Then the attacker loses the traces of the other users, and finally does not know which noise was used.
#
# Replace each `...` by your code. The cell below each answer checks it. Hidden tests check the same on other inputs. No step depends on your earlier answers.

# %%
import numpy as np
from lib import metrics
from lib.aggregation import aggregate_cells, sample_groups
from lib.datasets import load

EPSILON, N = 0.5, 60


def simulated(noise, rng, n_groups=2000, n=N):
    """What is left in the target's n cells of n_groups releases, and in which she is."""
    members = np.repeat([1, 0], n_groups // 2)
    return members[:, None] + noise(rng, (n_groups, n)), members


def laplace(scale):
    return lambda rng, size: rng.laplace(scale=scale, size=size)


left, members = simulated(laplace(1 / EPSILON), np.random.default_rng(1))
print(left.shape, "mean of members", left[members == 1].mean().round(2))

# %% [raw]
# # BEGIN QUESTION
# name: ratio
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 1: the evidence in one cell (8 minutes)
#
# The informed attacker subtracts the counts of all other users. What is left of a cell is Laplace noise of scale $1/\varepsilon$, plus 1 if the target is a member. Write `log_ratio(x, epsilon)`, the logarithm of the density of $x$ with the target divided by the density without. It must work on arrays.

# %% [raw]
# # BEGIN SOLUTION


# %%
def log_ratio(x, epsilon):
    """log f(x - 1) / f(x) for Laplace noise of scale 1 / epsilon."""
    return epsilon * (np.abs(x) - np.abs(np.asarray(x) - 1))  # SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: At one half, both cases are equally likely, so the log ratio is 0. At 1 it is epsilon.
"""  # END TEST CONFIG


def test_ratio_middle(log_ratio):
    import numpy as np

    assert abs(log_ratio(np.array([0.5]), 0.5)[0]) < 1e-12
    assert abs(log_ratio(np.array([1.0]), 0.5)[0] - 0.5) < 1e-12


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A very large value is no more evidence than a value of 1, and a very small one no more than a value of 0. Large values must not overflow.
"""  # END TEST CONFIG


def test_ratio_far_out(log_ratio):
    import numpy as np

    found = log_ratio(np.array([-5000.0, 0, 0.25, 7, 5000]), 0.8)
    assert np.allclose(found, [-0.8, -0.8, -0.4, 0.8, 0.8])


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: rules
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 2: three rules (8 minutes)
#
# Write `rules(left, epsilon)` for an array (releases x cells). It returns a tuple of three scores for each release. *One threshold*: the sum of what is left. *Two thresholds*: the number of cells with a value of at least 1/2. *Likelihood ratio*: the sum of the cells' log ratios.

# %% [raw]
# # BEGIN SOLUTION


# %%
def rules(left, epsilon):
    """(one, two, ratio): the scores of each release under three rules."""
    # BEGIN SOLUTION
    left = np.asarray(left)
    ratio = epsilon * (np.abs(left) - np.abs(left - 1))
    return left.sum(axis=1), (left >= 0.5).sum(axis=1), ratio.sum(axis=1)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: A release in which 2, 0 and 0.5 are left has the scores 2.5, 2 and, at an epsilon of 1, 0.
"""  # END TEST CONFIG


def test_rules_one_release(rules):
    import numpy as np

    one, two, ratio = rules(np.array([[2.0, 0, 0.5]]), 1.0)
    assert abs(one[0] - 2.5) < 1e-9 and two[0] == 2 and abs(ratio[0]) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Each rule gives one score for each release. On many releases with Laplace noise the likelihood ratio is best, two thresholds are close to it, and the sum is clearly worse.
"""  # END TEST CONFIG


def test_rules_order(rules, left, members):
    import numpy as np
    from lib import metrics

    one, two, ratio = (metrics.auc(members, each) for each in rules(left, 0.5))
    assert ratio > two > one + 0.01 and abs(one - 0.974) < 0.01
    few = rules(np.array([[1.0, -1], [0.5, 3]]), 0.5)
    assert np.allclose(few, [[0, 3.5], [1, 2], [0, 0.5]])


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: best_accuracy
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 3: the accuracy that the guarantee allows (12 minutes)
#
# An ε-differentially private value tells at most as much about a yes-or-no question as *one bit that is correct with probability* $p = e^{\varepsilon} / (1 + e^{\varepsilon})$. With $n$ such values, nobody does better than an attacker who sees $n$ such bits. The best attack answers "member" if more than half of the bits do, and guesses if exactly half do. Write `best_accuracy(epsilon, n)`, the accuracy of this attack if members and non-members are
# equally likely. (`scipy.stats.binom` has `pmf` and `sf`. The library's `accounting.expected_accuracy` computes the same number in another way; do not use it.)

# %% [raw]
# # BEGIN SOLUTION


# %%
def best_accuracy(epsilon, n):
    """The best accuracy of any attack on n values, each epsilon-DP."""
    # BEGIN SOLUTION
    from scipy.stats import binom

    right = 1 / (1 + np.exp(-epsilon))
    says = np.arange(n + 1)
    return (
        np.maximum(binom.pmf(says, n, right), binom.pmf(says, n, 1 - right)).sum() / 2
    )
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: At an epsilon of 1, one value allows an accuracy of 0.731, and three values allow 0.822.
"""  # END TEST CONFIG


def test_best_accuracy_few(best_accuracy):
    assert abs(best_accuracy(1.0, 1) - 0.7311) < 1e-4
    assert abs(best_accuracy(1.0, 3) - 0.8219) < 2e-4


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: For an even number of values, a tie is decided by guessing, so two values are no better than one. More values allow a higher accuracy, but less than adding up the budgets would.
"""  # END TEST CONFIG


def test_best_accuracy_many(best_accuracy):
    from lib import accounting

    assert abs(best_accuracy(1.0, 2) - best_accuracy(1.0, 1)) < 1e-9
    for epsilon, n in ((0.5, 60), (0.1, 7), (2.0, 4)):
        assert (
            abs(best_accuracy(epsilon, n) - accounting.expected_accuracy(epsilon, n))
            < 1e-6
        )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: exact
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 4: two thresholds, exactly (10 minutes)
#
# The number of cells with a value of at least 1/2 is binomial. Without the target, each cell has such a value with probability $\alpha = \frac12 e^{-\varepsilon / 2}$; with the target, with probability $1 - \alpha$. Write `two_exactly(epsilon, n)`, the accuracy with the best threshold on that number.

# %% [raw]
# # BEGIN SOLUTION


# %%
def two_exactly(epsilon, n):
    """Best accuracy of the two-threshold rule of an informed attacker, Laplace noise, n cells."""
    # BEGIN SOLUTION
    from scipy.stats import binom

    alpha = np.exp(-epsilon / 2) / 2
    threshold = np.arange(n + 2) - 1  # "in" above it
    found = binom.sf(threshold, n, 1 - alpha), binom.cdf(threshold, n, alpha)
    return max((found[0] + found[1]) / 2)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: With one cell, the accuracy is 1 minus alpha, which is 0.697 at an epsilon of 1.
"""  # END TEST CONFIG


def test_exact_one_cell(two_exactly):
    import numpy as np

    assert abs(two_exactly(1.0, 1) - (1 - np.exp(-0.5) / 2)) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Take the best of all thresholds on the number of cells, with equal numbers of members and non-members. The result must stay below what the guarantee allows.
"""  # END TEST CONFIG


def test_exact_sixty(two_exactly):
    from lib import accounting

    assert abs(two_exactly(0.5, 60) - 0.95798) < 1e-3
    assert abs(two_exactly(0.5, 2) - two_exactly(0.5, 1)) < 1e-9
    for n in (5, 20, 61):
        assert two_exactly(0.5, n) < accounting.expected_accuracy(0.5, n)


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: crowd
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 5: other users in the cell (14 minutes)
#
# The auxiliary attacker knows nobody in the group. The value of a cell is the noise, plus an unknown number $k$ of other users, plus 1 if the target is a member. The attacker has learned from similar people that $k$ has probability `chances[k]`. Write `crowd_ratio(x, chances, epsilon)`, the logarithm of the density of $x$ with the target divided by the density without, where each
# density is a mean over $k$. It must work on arrays of any shape.

# %% [raw]
# # BEGIN SOLUTION


# %%
def crowd_ratio(x, chances, epsilon):
    """The log ratio of a cell in which unknown others are: k of them with chance chances[k]."""
    # BEGIN SOLUTION
    from scipy.special import logsumexp

    away = np.asarray(x, float)[..., None] - np.arange(len(chances))
    with_her = logsumexp(-epsilon * np.abs(away - 1), axis=-1, b=chances)
    return with_her - logsumexp(-epsilon * np.abs(away), axis=-1, b=chances)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: If certainly nobody else is there, this is the log ratio of Step 1. If certainly three others are there, it is the log ratio of x - 3.
"""  # END TEST CONFIG


def test_crowd_certain(crowd_ratio):
    import numpy as np

    x = np.array([-1.0, 0.25, 0.5, 3.4])
    plain = 0.5 * (np.abs(x) - np.abs(x - 1))
    assert np.allclose(crowd_ratio(x, np.array([1.0]), 0.5), plain)
    assert np.allclose(crowd_ratio(x + 3, np.array([0, 0, 0, 1.0]), 0.5), plain)


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Average the densities, not their logarithms, and divide afterwards. Very large or small values must not give NaN, and the shape must stay the same.
"""  # END TEST CONFIG


def test_crowd_mixed(crowd_ratio):
    import numpy as np

    chances = np.array([0.5, 0.3, 0.2])
    x = np.array([[0.7, 1.2], [-4.0, 9.0]])

    def density(y):
        return sum(c * np.exp(-np.abs(y - k)) for k, c in enumerate(chances))

    assert np.allclose(
        crowd_ratio(x, chances, 1.0), np.log(density(x - 1) / density(x))
    )
    assert np.allclose(crowd_ratio(np.array([-3000.0, 3000]), chances, 1.0), [-1, 1])


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# We use real flights: the target's cells, with a group of 300 other users and event-level noise at ε = 1. The attacker has learned `chances` for each cell from groups of *other* flights.

# %%
flights = load("flights-by-number")
rng = np.random.default_rng(3)
shuffled = rng.permutation(flights.n_users)
target, known, released = shuffled[0], shuffled[1:527], shuffled[527:]
cells = np.flatnonzero(flights.trace(flights.users[target]))[:40]
past = aggregate_cells(flights, sample_groups(known, 1000, 300, rng), cells)
others = aggregate_cells(flights, sample_groups(released, 1000, 300, rng), cells)
who = np.repeat([1, 0], 500)
seen = others + who[:, None] + rng.laplace(scale=1.0, size=others.shape)
laws = [np.bincount(column) / len(past) for column in past.T]
means = past.mean(axis=0)
print(
    "cells",
    len(cells),
    "- AUC of the sum:",
    round(metrics.auc(who, seen.sum(axis=1)), 3),
)

# %% [raw]
# # BEGIN QUESTION
# name: midway
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 6: choosing a threshold (6 minutes)
#
# A score only ranks releases. To decide, the attacker needs a threshold. Write `decide(known_scores, known_members, scores)`. It returns 1 for each of `scores` that is at least the midpoint between the mean score of the known members and that of the known non-members, and 0 otherwise.

# %% [raw]
# # BEGIN SOLUTION


# %%
def decide(known_scores, known_members, scores):
    """1 where a score reaches the midpoint of the two known means."""
    # BEGIN SOLUTION
    inside = known_scores[known_members == 1].mean()
    outside = known_scores[known_members == 0].mean()
    return (np.asarray(scores) >= (inside + outside) / 2).astype(int)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: The known members have a mean of 8 and the known non-members a mean of 0, so the answer is 1 from a score of 4 on.
"""  # END TEST CONFIG


def test_midway_four(decide):
    import numpy as np

    known, members = np.array([7.0, 9, 1, -1]), np.array([1, 1, 0, 0])
    assert list(decide(known, members, np.array([3.9, 4.0, 5]))) == [0, 1, 1]


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The midpoint of the two means is not the mean of all scores if more members than non-members are known. The scores to be decided must not influence the threshold.
"""  # END TEST CONFIG


def test_midway_not_the_mean(decide):
    import numpy as np

    known, members = np.array([8.0, 8, 8, 0]), np.array([1, 1, 1, 0])
    assert list(decide(known, members, np.array([4.5, 3.5]))) == [1, 0]
    assert list(decide(known, members, np.array([40.0, 50.0]))) == [1, 1]


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## An unknown mechanism
#
# An office publishes noisy counts and does not disclose the mechanism. The noise may be Laplace or normal, of any scale. But many cells are certainly *empty*: nobody is at sea at night. What is published there is pure noise.

# %% [raw]
# # BEGIN QUESTION
# name: unknown
# points: 4
# all_or_nothing: true

# %% [markdown]
# ## Step 7: an attack for unknown noise (22 minutes)
#
# Write `unknown_noise(left, empty)`. It returns a score for each row of `left` (releases x cells: noise, plus 1 for members), given `empty`, a few hundred published values of empty cells. A score above 0 means "member". Estimate from `empty` which noise was used, and use its likelihood ratio. The attack must be nearly as accurate as one that
# knows the noise, whichever noise it is. (Normal noise of standard deviation σ has the log ratio $(x - \frac12) / \sigma^2$. Which of the two distributions fits better? The one under which the observed values have the higher likelihood, each with its best scale: the mean absolute value, or the root mean square.)

# %% [raw]
# # BEGIN SOLUTION


# %%
def unknown_noise(left, empty):
    """A score for each row of left, from noise of a law and scale that empty tells."""
    # BEGIN SOLUTION
    scale, deviation = np.abs(empty).mean(), np.sqrt((empty**2).mean())
    as_laplace = -np.log(2 * scale) - 1
    as_normal = -np.log(deviation * np.sqrt(2 * np.pi)) - 0.5
    if as_laplace > as_normal:
        return (np.abs(left) - np.abs(left - 1)).sum(axis=1) / scale
    return (left - 0.5).sum(axis=1) / deviation**2
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: With Laplace noise of scale 2, at least 94 of 100 answers must be right.
"""  # END TEST CONFIG


def test_unknown_laplace(unknown_noise, simulated, laplace):
    import numpy as np

    rng = np.random.default_rng(5)
    left, members = simulated(laplace(2.0), rng)
    scores = unknown_noise(left, rng.laplace(scale=2.0, size=800))
    assert ((scores > 0) == members).mean() >= 0.94


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Normal noise has a different log ratio. For both distributions and several scales, the accuracy must be within 0.01 of an attacker who knows the noise.
"""  # END TEST CONFIG


def test_unknown_both(unknown_noise, simulated, laplace):
    import numpy as np

    rng = np.random.default_rng(6)
    for scale in (1.5, 2.0, 3.0):
        left, members = simulated(laplace(scale), rng, 4000)
        told = ((np.abs(left) - np.abs(left - 1)).sum(axis=1) > 0) == members
        said = (unknown_noise(left, rng.laplace(scale=scale, size=800)) > 0) == members
        assert said.mean() >= told.mean() - 0.01
        left, members = simulated(
            lambda r, size, s=scale: r.normal(scale=s, size=size), rng, 4000
        )
        told = ((left - 0.5).sum(axis=1) > 0) == members
        said = (unknown_noise(left, rng.normal(scale=scale, size=800)) > 0) == members
        assert said.mean() >= told.mean() - 0.01


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## To go on
#
# - *Stretch.* Score `seen` above with your Step 5, cell by cell with `distributions`. Does it do better than the sum? How much better is it if the distributions come from `others` itself, which the attacker cannot know?
# - *Stretch.* The office rounds its numbers and clips them at 0. How well does Step 7 still work?
# - *Stretch.* How many empty cells does Step 7 need to tell Laplace from normal noise in 99 of 100 cases?

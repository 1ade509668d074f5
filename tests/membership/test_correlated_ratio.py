"""The correlated likelihood ratio: by its definition, without correlation, and with all of it."""

import numpy as np
import pytest

from lib import membership, metrics
from lib.mechanisms import Gaussian, Laplace, PostProcess
from lib.membership import score_distributions, shadows
from tests.reference import correlated as definition

LAPLACE = Laplace(0.5)
GAUSSIAN = Gaussian(0.9, 0.05, calibration="classical")
VISITS = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 1]])
ASKED = np.array([[0.4, 2.1, -1.0], [3.0, 3.5, 0.2], [-4.0, 9.0, 1.5], [1.0, 1.0, 1.0]])
TWO = np.array([1, 1, 0, 0])
ROUNDING = 1e-9


def fitted(mechanism, visits, size, **more):
    """The attack; what it is fitted on only sets the columns."""
    return membership.CorrelatedRatio(mechanism, visits, size, **more).fit(
        np.zeros((2, np.shape(visits)[1])), np.array([0, 1])
    )


@pytest.mark.parametrize("mechanism", [LAPLACE, GAUSSIAN, Laplace(4.0)])
@pytest.mark.parametrize("size", [0, 3, 7])
def test_it_is_the_average_over_every_group_of_the_pool(mechanism, size):
    attack = fitted(mechanism, VISITS, size)
    density = score_distributions.noise_distribution(mechanism).pdf
    expected = [definition.log_ratio(x, VISITS, size / 7, density) for x in ASKED]
    assert attack.exact_
    np.testing.assert_allclose(attack.decision_function(ASKED), expected, atol=ROUNDING)


def test_without_companions_it_is_the_sum_of_the_cells_ratios():
    visits = np.repeat(np.eye(3, dtype=int), 2, axis=0)  # two people in each cell, half are counted
    halves = np.repeat([[0], [1], [1], [2]], 3, axis=1)  # their law
    plain = membership.LikelihoodRatio(LAPLACE, halves).fit(ASKED, TWO)
    rng = np.random.default_rng(1)
    values = rng.normal(1, 3, (400, 3))
    found, expected = (
        each.decision_function(values) for each in (fitted(LAPLACE, visits, 3), plain)
    )
    np.testing.assert_allclose(found, expected, atol=ROUNDING)
    ranks = [np.argsort(scores.round(9), kind="stable") for scores in (found, expected)]
    np.testing.assert_array_equal(*ranks)


def test_where_nobody_is_unknown_it_is_the_informed_ratio():
    informed = membership.LikelihoodRatio(LAPLACE).fit(ASKED, TWO).decision_function(ASKED)
    for visits, size in ((VISITS, 0), (np.zeros((4, 3), int), 2)):
        found = fitted(LAPLACE, visits, size).decision_function(ASKED)
        np.testing.assert_allclose(found, informed, atol=ROUNDING)


@pytest.mark.parametrize("mechanism", [Laplace(1.0), Gaussian(2.0, 0.1)])
def test_it_beats_the_independent_ratio_on_duplicated_cells(mechanism):
    rng = np.random.default_rng(2)
    visits = np.repeat((rng.random((60, 1)) < 0.2).astype(np.uint8), 12, axis=1)
    visits[:, 8:] = 0  # eight cells that are one, and four where nobody else is
    values, members = shadows.shadow_aggregates(visits, 6000, 20, mechanism, rng)
    others = shadows.sample_counts(visits, 4000, 20, rng)
    plain = membership.LikelihoodRatio(mechanism, others).fit(values, members)
    scores = {
        "plain": plain.decision_function(values),
        "correlated": fitted(mechanism, visits, 20).decision_function(values),
    }
    low, _ = metrics.auc_interval(members, scores["correlated"])
    _, high = metrics.auc_interval(members, scores["plain"])
    assert low > high
    right = {name: ((each >= 0) == members).mean() for name, each in scores.items()}
    assert right["correlated"] > right["plain"]


def test_groups_that_are_drawn_say_nearly_what_all_groups_say():
    rng = np.random.default_rng(3)
    visits = (rng.random((14, 8)) < 0.4).astype(int)
    values = rng.normal(2, 3, (200, 8))
    listed = fitted(LAPLACE, visits, 5, n_groups=2**14)
    drawn = fitted(LAPLACE, visits, 5, n_groups=4000)
    assert listed.exact_ and not drawn.exact_
    apart = drawn.decision_function(values) - listed.decision_function(values)
    assert np.abs(apart).max() < 0.1
    again = fitted(LAPLACE, visits, 5, n_groups=4000)
    np.testing.assert_array_equal(drawn.decision_function(values), again.decision_function(values))


def test_far_values_say_what_the_nearest_value_with_the_same_ratio_says():
    attack = fitted(LAPLACE, VISITS, 3)
    far = attack.decision_function(np.array([[1e149] * 3, [-1e149] * 3, [20.0] * 3]))
    np.testing.assert_allclose(far, [1.5, -1.5, 1.5], atol=ROUNDING)


def test_columns_are_chosen_of_aggregates_and_of_visits():
    rng = np.random.default_rng(4)
    visits, values = (rng.random((9, 6)) < 0.4).astype(int), rng.normal(size=(20, 6))
    chosen = fitted(LAPLACE, visits, 4, cells=[4, 1])
    cut = fitted(LAPLACE, visits[:, [4, 1]], 4)
    np.testing.assert_array_equal(
        chosen.decision_function(values), cut.decision_function(values[:, [4, 1]])
    )
    assert set(chosen.predict(values)) <= {0, 1}


@pytest.mark.parametrize(
    ("mechanism", "visits", "size", "named"),
    [
        (PostProcess(), VISITS, 3, "Laplace or Gaussian"),
        (LAPLACE, VISITS[:, :2], 3, "aggregates have 3 columns"),
        (LAPLACE, VISITS * 2, 3, "0 or 1"),
        (LAPLACE, VISITS, 8, "group_size is 8; the pool allows 0 to 7"),
        (LAPLACE, VISITS[:0], 0, "visits are"),
    ],
)
def test_bad_input_is_named(mechanism, visits, size, named):
    attack = membership.CorrelatedRatio(mechanism, visits, size)
    with pytest.raises(ValueError, match=named):
        attack.fit(ASKED, TWO)

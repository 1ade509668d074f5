"""The optimal composition theorem, against the printed formula and against dp_accounting."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib import accounting

EXACT = 1e-10
DISCRETIZED = 5e-5  # dp_accounting rounds losses up, in steps of 1e-4


def printed(epsilon, delta, k):
    """Theorem 1 as the paper prints it."""
    pairs = []
    for i in range(k // 2 + 1):
        lost = (
            sum(
                math.comb(k, j)
                * (math.exp((k - j) * epsilon) - math.exp((k - 2 * i + j) * epsilon))
                for j in range(i)
            )
            / (1 + math.exp(epsilon)) ** k
        )
        pairs.append(((k - 2 * i) * epsilon, 1 - (1 - delta) ** k * (1 - lost)))
    return np.array(pairs)


@pytest.mark.parametrize(
    ("epsilon", "delta", "k"), [(0.5, 0, 1), (0.5, 0, 2), (0.1, 0.01, 7), (1, 0.001, 20)]
)
def test_composition_is_the_printed_formula(epsilon, delta, k):
    found = np.column_stack(accounting.optimal_composition(epsilon, delta, k))
    np.testing.assert_allclose(found, printed(epsilon, delta, k), atol=EXACT)


@pytest.mark.parametrize(("epsilon", "delta", "k"), [(0.5, 0, 60), (0.5, 1e-4, 20), (0.1, 0.01, 9)])
def test_composition_agrees_with_dp_accounting(pld, epsilon, delta, k):
    """Composing the worst (epsilon, delta) mechanism numerically gives the same deltas."""
    worst = pld.from_privacy_parameters(pld.common.DifferentialPrivacyParameters(epsilon, delta))
    composed = worst.self_compose(k)
    found = accounting.optimal_composition(epsilon, delta, k)
    other = [composed.get_delta_for_epsilon(each) for each in found.epsilons]
    np.testing.assert_allclose(found.deltas, other, atol=DISCRETIZED)


@pytest.mark.parametrize(
    ("k", "delta"), [(1, 0), (2, 0), (5, 0), (20, 0), (60, 0), (140, 0), (9, 0.01)]
)
def test_expected_accuracy_is_half_of_one_plus_the_total_variation(pld, k, delta):
    worst = pld.from_privacy_parameters(pld.common.DifferentialPrivacyParameters(0.5, delta))
    distance = worst.self_compose(k).get_delta_for_epsilon(0)
    found = accounting.expected_accuracy(0.5, k, delta)
    assert found == pytest.approx((1 + distance) / 2, abs=DISCRETIZED)


def test_the_published_anchors_to_three_decimals():
    found = {n: accounting.expected_accuracy(0.5, n) for n in (5, 20, 60, 100, 140)}
    assert found[60] == pytest.approx(0.9725, abs=5e-5)
    assert {n: round(value, 3) for n, value in found.items()} == {
        5: 0.721,
        20: 0.864,
        60: 0.972,
        100: 0.993,
        140: 0.998,
    }


def test_nothing_released_gives_nothing_and_one_release_the_textbook_value():
    assert accounting.expected_accuracy(0.5, 0) == 0.5
    assert accounting.expected_accuracy(0.5, 1) == pytest.approx(1 / (1 + math.exp(-0.5)))
    assert accounting.expected_accuracy(0, 60) == 0.5
    assert accounting.expected_accuracy(0.5, 1, delta=1) == 1


def test_a_long_release_does_not_overflow():
    pairs = accounting.optimal_composition(5.0, 0, 2000)
    assert np.isfinite(pairs.deltas).all() and (np.diff(pairs.deltas) >= -EXACT).all()
    assert accounting.expected_accuracy(5.0, 2000) == pytest.approx(1)


@given(st.floats(0, 3), st.integers(0, 30), st.floats(0, 0.2))
def test_accuracy_grows_with_each_observation_and_stays_a_probability(epsilon, k, delta):
    one, more = (accounting.expected_accuracy(epsilon, n, delta) for n in (k, k + 1))
    assert 0.5 - EXACT <= one <= more + EXACT <= 1 + 2 * EXACT


@pytest.mark.parametrize("k", [1, 6, 60])
def test_the_trade_off_curve_has_that_accuracy_and_is_its_own_mirror_image(k):
    fpr = np.linspace(0, 1, 20_001)
    fnr = accounting.trade_off(0.5, k, fpr)
    best = 1 - (fpr + fnr).min() / 2
    assert best == pytest.approx(accounting.expected_accuracy(0.5, k), abs=1e-4)
    assert np.all(np.diff(fnr) <= EXACT) and np.all(np.diff(fnr, 2) >= -EXACT)
    inside = fnr > 0
    np.testing.assert_allclose(accounting.trade_off(0.5, k, fnr[inside]), fpr[inside], atol=1e-9)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: accounting.expected_accuracy(-0.5, 60), "epsilon is -0.5"),
        (lambda: accounting.expected_accuracy(math.nan, 60), "epsilon is nan"),
        (lambda: accounting.expected_accuracy(0.5, 60, delta=1.5), "delta is 1.5"),
        (lambda: accounting.expected_accuracy(0.5, 2.5), "n_observations is 2.5"),
        (lambda: accounting.optimal_composition(0.5, 0, -1), "-1 observations"),
        (lambda: accounting.trade_off(0.5, 3, np.array([0.1, 1.2])), "false positive rate is 1.2"),
        (lambda: accounting.expected_accuracy(0.1, 10**7), "a whole number from 0 to 30000"),
    ],
)
def test_bad_input_is_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()


@pytest.mark.parametrize("junk", [None, "text", [1], {}, 1j, object(), 10**400])
def test_what_makes_no_sense_is_a_value_error(junk):
    for call in (
        lambda: accounting.expected_accuracy(junk, 3),
        lambda: accounting.expected_accuracy(0.5, junk),
        lambda: accounting.expected_accuracy(0.5, 3, junk),
        lambda: accounting.trade_off(0.5, 3, junk if junk != [1] else [2]),
    ):
        with pytest.raises(ValueError, match=r"."):
            call()


def test_a_large_budget_leaves_no_nan_in_the_trade_off():
    found = accounting.trade_off(10.0, 100, np.array([0.0, 0.001, 1.0]))
    assert found.tolist() == [1.0, 0.0, 0.0]

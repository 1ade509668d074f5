"""SpotMe: its estimate, and its guarantee against all outcomes enumerated."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from lib.aggregation import aggregate
from lib.datasets import load
from lib.mechanisms import Laplace, PostProcess, RandomizedResponse, release, release_traces

SIX = load("six-users").with_null()
EVERYBODY = [np.arange(6)]
P_VALUE = 1e-4


def probability(answers, trace, p):
    """Of a row of answers, one factor a cell."""
    factors = [1.0 * a if x else (p if a else 1 - p) for a, x in zip(answers, trace, strict=True)]
    return math.prod(factors)


def hockey_stick(first, second, p, epsilon):
    """sum over all outcomes of max(0, P - e^epsilon Q), the larger of both directions."""
    outcomes = list(itertools.product((0, 1), repeat=len(first)))
    pairs = [(probability(o, first, p), probability(o, second, p)) for o in outcomes]
    return max(
        sum(max(0.0, a - math.exp(epsilon) * b) for a, b in pairs),
        sum(max(0.0, b - math.exp(epsilon) * a) for a, b in pairs),
    )


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 3.0])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((1,), (0,)),
        ((1, 0), (0, 1)),
        ((1, 1, 1, 0), (0, 0, 0, 1)),
        ((1, 0, 1), (0, 0, 0)),
        ((1, 0, 1), (1, 0, 1)),
    ],
)
def test_the_delta_is_that_of_all_outcomes_enumerated(p, epsilon, first, second):
    change = (np.array(first) - np.array(second))[None, :]
    expected = hockey_stick(first, second, p, epsilon)
    assert RandomizedResponse(p).effective_delta(change, epsilon) == pytest.approx(
        expected, abs=1e-12
    )


def test_one_visit_costs_one_minus_p_at_every_epsilon():
    one = np.array([[1]])
    for epsilon in (0, 1, 10, 100):
        assert RandomizedResponse(0.7).effective_delta(one, epsilon) == pytest.approx(0.3)


def test_a_no_is_always_true_and_yes_has_probability_p():
    p = 0.3
    answers = RandomizedResponse(p).apply_traces(SIX, np.random.default_rng(0))
    told, true = answers.matrix.toarray(), SIX.matrix.toarray()
    assert (told >= true).all()
    absent = true == 0
    assert stats.binomtest(int(told[absent].sum()), int(absent.sum()), p).pvalue > P_VALUE
    assert answers.users.equals(SIX.users)


def test_the_estimate_is_unbiased():
    p, n = 0.5, 400
    raw = aggregate(SIX, EVERYBODY)[0]
    rng = np.random.default_rng(1)
    ways = {
        "traces": [
            release_traces(SIX, EVERYBODY, [RandomizedResponse(p)], rng)[0] for _ in range(n)
        ],
        "counts": [RandomizedResponse(p).simulate(raw, rng, 6) for _ in range(n)],
    }
    variance = (6 - raw) * p / (1 - p)
    for name, draws in ways.items():
        chi_square = ((np.mean(draws, axis=0) - raw) ** 2 * n / np.maximum(variance, 1e-9)).sum()
        assert stats.chi2.sf(chi_square, raw.size) > P_VALUE, name
        spread = np.var(draws, axis=0)[raw < 6] / variance[raw < 6]
        assert spread.mean() == pytest.approx(1, abs=0.1), name


def test_mechanisms_on_counts_follow():
    chain = [RandomizedResponse(0.5), Laplace(1.0), PostProcess()]
    released = release_traces(SIX, EVERYBODY, chain, np.random.default_rng(0))
    assert ((released >= 0) & (released <= 6) & (released == np.rint(released))).all()


def test_it_is_refused_on_counts_and_after_them():
    raw, rng = aggregate(SIX, EVERYBODY), np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"RandomizedResponse.*works on traces"):
        release(raw, [RandomizedResponse(0.5)], rng, 6)
    with pytest.raises(ValueError, match=r"RandomizedResponse.*works on traces"):
        release_traces(SIX, EVERYBODY, [Laplace(1.0), RandomizedResponse(0.5)], rng)


@pytest.mark.parametrize("p", [0, 1, -0.1, np.nan])
def test_p_is_a_probability(p):
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        RandomizedResponse(p)


def test_epsilon_is_not_negative():
    with pytest.raises(ValueError, match="epsilon is -1"):
        RandomizedResponse(0.5).effective_delta(np.array([[1]]), -1)
    assert "(epsilon, 0.25)-DP" in repr(RandomizedResponse(0.75))

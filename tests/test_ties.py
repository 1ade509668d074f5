"""Choices between equal values: rounding must not make them."""

import numpy as np
import pytest

from lib import reconstruction as rec
from lib import ties
from lib.reconstruction.sensed import SensedChain


@pytest.mark.parametrize("choose", [ties.argmax, ties.argmax_log])
def test_the_first_of_values_that_rounding_separates_wins(choose):
    values = np.array([0.1, 0.3, 0.1 + 0.2, 0.2])  # the third is the largest float
    values = np.log(values) if choose is ties.argmax_log else values
    assert values.argmax() == 2 and choose(values) == 1
    assert choose(np.array([values, values[::-1]])).tolist() == [1, 1]
    assert choose(np.array([values, values[::-1]]).T, axis=0).tolist() == [1, 1]


@pytest.mark.parametrize("choose", [ties.argmax, ties.argmax_log])
def test_values_further_apart_than_the_tolerance_are_not_tied(choose):
    low, high = np.array([0.5]), np.array([0.5 * (1 + 1e-8)])
    values = np.concatenate([low, high])
    assert choose(np.log(values) if choose is ties.argmax_log else values) == 1


def test_where_nothing_is_possible_the_first_index_is_returned():
    assert ties.argmax_log(np.full(3, -np.inf)) == 0
    assert ties.argmax(np.zeros(3)) == 0
    assert ties.argmax_log(np.array([-np.inf, -5.0])) == 1


def test_ranks_keep_the_order_of_values_that_rounding_separates():
    assert ties.argsort_descending(np.array([0.3, 1.0, 0.1 + 0.2, 0.3])).tolist() == [1, 0, 2, 3]
    assert ties.argsort_descending(np.array([0.3, 0.3 + 1e-8])).tolist() == [1, 0]
    assert ties.argsort_descending(np.array([-np.inf, 2.0, -np.inf, np.inf])).tolist() == [
        3,
        1,
        0,
        2,
    ]
    assert (
        ties.argsort_descending(np.array([])).tolist()
        == []
        == ties.argsort_descending(np.array([]))[:0].tolist()
    )
    rng = np.random.default_rng(3)
    values = rng.normal(size=50)
    assert ties.argsort_descending(values).tolist() == np.argsort(-values).tolist()


# -- the chain on which results once depended on the processor ------------------------------------


def rounded_otherwise(chain, rng):
    """The same chain with the last bits of its logarithms as another processor may have them."""
    other = rec.MarkovChain(chain.initial, chain.transition)
    for name in ("log_initial", "log_transition"):
        values = getattr(chain, name)
        other.__dict__[name] = values * (1 + 4e-16 * rng.integers(-2, 3, values.shape))
    initial = chain.initial * (1 + 4e-16 * rng.integers(-2, 3, chain.initial.shape))
    other.initial = initial
    return other


def test_on_a_reversible_chain_staying_anywhere_is_equally_probable():
    """The cause of the ties: pi(x) P(x, x) is the same number for every location x."""
    chain = rec.distance_chain(100, 0.1)
    staying = chain.initial * np.diag(chain.transition)
    np.testing.assert_allclose(staying, staying[0], rtol=1e-12)
    assert len(set(staying)) > 1, "no rounding to be robust against"


@pytest.mark.parametrize("n_epochs", [2, 5, 14])
def test_rounding_does_not_decide_which_trajectory_is_most_probable(n_epochs):
    rng = np.random.default_rng(14)
    chain = rec.distance_chain(100, 0.1)
    for _ in range(5):
        sensors = rng.integers(0, 100, n_epochs)
        other = rounded_otherwise(chain, rng)
        ways, theirs = (SensedChain(each, sensors)._best_paths[1] for each in (chain, other))
        np.testing.assert_array_equal(ways, theirs)
        counts = rec.observe(chain.sample(20, n_epochs, rng), sensors)
        apart = np.tile(sensors, (20, 1))
        for decode in (rec.viterbi_trajectory, rec.marginal_trajectory):
            expected = decode(chain, sensors, counts)
            np.testing.assert_array_equal(decode(other, sensors, counts), expected)
            np.testing.assert_array_equal(
                decode(other, apart, counts), decode(chain, apart, counts)
            )
        for n in (2, n_epochs):
            assert (rec.prior_trajectory(other, n) == rec.prior_trajectory(chain, n)).all()


def test_rounding_does_not_decide_where_a_greedy_sensor_goes():
    chain, rng = rec.distance_chain(20, 0.1), np.random.default_rng(8)
    runs = [
        rec.greedy_runs(each, 6, 50, np.random.default_rng(5)).sensors
        for each in (chain, *(rounded_otherwise(chain, rng) for _ in range(5)))
    ]
    for other in runs[1:]:
        np.testing.assert_array_equal(other, runs[0])

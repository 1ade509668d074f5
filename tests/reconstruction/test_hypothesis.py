"""Bounds from hypothesis tests: against listed tests, the best attack and its closed form."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib import reconstruction as rec
from lib.reconstruction import estimators
from lib.reconstruction import hypothesis as tests_of
from tests.reconstruction.test_reconstruction import QUADRATURE, enumerated, small
from tests.reference import reconstruction as reference

GRID = 1e-4  # of a power, from a grid of values
NOISE = (0.3, 1.0, 10.0)


@pytest.mark.parametrize("distance", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("level", [0.001, 0.05, 0.3, 0.5, 0.9])
def test_the_power_is_that_of_the_listed_likelihood_ratio_test(level, distance):
    normal = (stats.norm(0).pdf, stats.norm(distance).pdf)
    found = reference.power(*normal, level, half_width=30.0)
    assert rec.gaussian_power(level, distance) == pytest.approx(found, abs=GRID)
    laplace = (stats.laplace(0).pdf, stats.laplace(distance).pdf)
    found = reference.power(*laplace, level)
    assert rec.laplace_power(level, distance) == pytest.approx(found, abs=GRID)


@pytest.mark.parametrize("power", [rec.gaussian_power, rec.laplace_power])
def test_a_power_rises_is_concave_and_has_known_ends(power):
    level = np.linspace(0, 1, 201)
    assert power(level, 0.0) == pytest.approx(level, abs=1e-12)
    curve = power(level, 0.7)
    assert (curve[0], curve[-1]) == (0.0, 1.0)
    assert (np.diff(curve) > 0).all()
    assert (np.diff(curve, 2) < 1e-12).all()
    assert power(np.array([0.0, 0.4]), 1e4).tolist() == [0.0, 1.0]
    assert power(1e-300, 10.0) > 1e-300


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n_epochs=st.integers(1, 2), sigma=st.sampled_from(NOISE))
def test_no_attack_on_noisy_counts_is_above_the_bound(seed, n_epochs, sigma):
    chain, sensors, s = small(seed, n_epochs=n_epochs)
    ways = enumerated(chain, n_epochs)
    best = reference.best_noisy_success(ways, sensors, s, chain.n_locations, sigma)
    halfway, absent = (
        rec.hypothesis_bound(chain, n_epochs, s, sigma, each) for each in ("halfway", "absent")
    )
    assert best - QUADRATURE <= halfway <= absent <= 1


@pytest.mark.parametrize("sigma", NOISE)
def test_for_two_places_and_one_count_the_bound_is_the_best_attack(sigma):
    chain = rec.MarkovChain([0.5, 0.5], np.full((2, 2), 0.5))
    best = reference.best_noisy_success(enumerated(chain, 1), [0], 0, 2, sigma, 6001)
    bound = rec.hypothesis_bound(chain, 1, 0, sigma)
    assert bound == pytest.approx(best, abs=QUADRATURE)
    assert bound == pytest.approx(stats.norm.cdf(0.5 / sigma))
    assert rec.hypothesis_bound(chain, 1, 0, sigma, "absent") > bound + 0.01


def test_a_reference_that_is_too_near_would_give_a_bound_below_the_best_attack(monkeypatch):
    """The two tests above can fail."""
    chain = rec.MarkovChain([0.5, 0.5], np.full((2, 2), 0.5))
    best = reference.best_noisy_success(enumerated(chain, 1), [0], 0, 2, 1.0)
    monkeypatch.setitem(tests_of.REFERENCES, "halfway", 0.4)
    assert rec.hypothesis_bound(chain, 1, 0, 1.0) < best - 0.01


def test_with_much_noise_the_bound_is_that_without_counts_and_with_little_it_is_1():
    chain = rec.distance_chain(10, 0.1)
    bounds = [rec.hypothesis_bound(chain, 10, 5, sigma) for sigma in (1e-3, 0.5, 1.0, 5.0, 1e6)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] == 1.0
    assert bounds[-1] == pytest.approx(rec.moment_ball(chain, 10, 5), rel=1e-5)
    assert rec.hypothesis_bound(chain, 10, 5, None) == 1.0


def test_what_is_no_level_distance_or_reference_is_refused():
    chain = rec.distance_chain(3, 0.5)
    with pytest.raises(ValueError, match=r"level is 1\.5; a probability"):
        rec.gaussian_power([0.1, 1.5], 1.0)
    for distance in (-1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match=r"distance is .*; a finite number"):
            rec.laplace_power(0.1, distance)
    with pytest.raises(ValueError, match="reference is 'half'; one of absent, halfway"):
        rec.hypothesis_bound(chain, 3, 1, 1.0, "half")
    with pytest.raises(ValueError, match="allowed_errors"):
        rec.hypothesis_bound(chain, 3, 3, 1.0)
    with pytest.raises(ValueError, match="noise_std is -1"):
        rec.hypothesis_bound(chain, 3, 1, -1.0)


@pytest.mark.parametrize(
    ("chain", "slack"),
    [(rec.distance_chain(3, 0.3), 0.15), (rec.MarkovChain([0.5] * 2, np.full((2, 2), 0.5)), 0.05)],
)
def test_the_bound_holds_for_sensors_that_follow_the_counts(chain, slack):
    runs = rec.greedy_runs(chain, 2, 20_000, np.random.default_rng(5), 1.0)
    guess = rec.viterbi_trajectory(chain, runs.sensors, runs.counts, 1.0)
    found = estimators.success_rate(runs.trajectories, guess, 0)
    bound = rec.hypothesis_bound(chain, 2, 0, 1.0)
    assert found.low <= bound < found.high + slack

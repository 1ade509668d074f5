"""Discrete noise and rounding: exact distributions, guarantees, and OpenDP as an oracle."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from lib.mechanisms import DiscreteGaussian, DiscreteLaplace, Round, gaussian_delta
from lib.mechanisms.discrete import sample_discrete_gaussian, sample_discrete_laplace, zcdp_budget

N, SIZE = 60_000, np.asarray(100)


def probabilities(name, scale, far=400):
    k = np.arange(-far, far + 1)
    weight = np.exp(-np.abs(k) / scale if name == "laplace" else -(k**2) / (2 * scale**2))
    return k, weight / weight.sum()


def p_value(sample, name, scale):
    """Chi-squared test of draws; cells with few expected draws are joined."""
    k, p = probabilities(name, scale)
    common = p * len(sample) >= 20
    seen = np.array([(sample == each).sum() for each in k[common]])
    seen, p = np.append(seen, len(sample) - seen.sum()), np.append(p[common], 1 - p[common].sum())
    return stats.chisquare(seen, p * len(sample)).pvalue


@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(1), Fraction(7, 3), Fraction(20)])
def test_discrete_laplace_noise_has_its_distribution(scale):
    sample = sample_discrete_laplace(scale, (N,), np.random.default_rng(1))
    assert p_value(sample, "laplace", float(scale)) > 1e-3
    assert p_value(sample, "laplace", 1.1 * float(scale)) < 1e-6


@pytest.mark.parametrize("variance", [Fraction(1, 4), Fraction(2), Fraction(1001, 100), 900])
def test_discrete_gaussian_noise_has_its_distribution(variance):
    sample = sample_discrete_gaussian(Fraction(variance), (N,), np.random.default_rng(1))
    scale = math.sqrt(variance)
    assert p_value(sample, "gaussian", scale) > 1e-3
    assert p_value(sample, "gaussian", 1.1 * scale) < 1e-6


def test_epsilon_of_discrete_laplace_noise_is_exact():
    noise = DiscreteLaplace(0.5, sensitivity=3)
    _, p = probabilities("laplace", noise.scale)
    assert noise.scale == 6
    assert np.abs(np.log(p[3:] / p[:-3])).max() == pytest.approx(0.5)
    assert DiscreteLaplace(0.3, sensitivity=1).scale == pytest.approx(3.334)  # rounded up


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_delta_of_discrete_gaussian_noise_is_kept(epsilon):
    noise = DiscreteGaussian(epsilon, 1e-5)
    _, p = probabilities("gaussian", noise.scale)
    exact = np.maximum(p[1:] - math.exp(epsilon) * p[:-1], 0).sum()
    assert exact <= noise.delivered_delta <= 1.001e-5
    assert gaussian_delta(epsilon, noise.scale) < 1e-5
    assert gaussian_delta(epsilon, 0.8 * noise.scale) > 1e-5  # not much more noise than needed
    assert zcdp_budget(epsilon, 1e-5) == pytest.approx(1 / (2 * noise.scale**2), rel=0.01)


def test_noise_is_added_to_whole_numbers_only():
    rng = np.random.default_rng(0)
    for noise in (DiscreteLaplace(1.0), DiscreteGaussian(1.0, 1e-5)):
        noisy = noise.apply(np.full((20, 30), 50), rng, SIZE)
        assert noisy.dtype == np.int64 and noisy.shape == (20, 30)
        assert abs(noisy.mean() - 50) < 5 * noise.scale * math.sqrt(2 / 600)
        with pytest.raises(ValueError, match="counts have fractions"):
            noise.apply(np.array([0.5]), rng, SIZE)


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="backend is 'numpy'; one of exact, opendp"):
        DiscreteLaplace(1.0, backend="numpy")
    with pytest.raises(ValueError, match="take continuous noise"):
        DiscreteGaussian(1e-3, 1e-5)


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
def test_opendp_draws_from_the_same_distribution(name):
    pytest.importorskip("opendp")
    kind = DiscreteLaplace if name == "laplace" else DiscreteGaussian
    given = {"epsilon": 0.8} | ({"delta": 1e-5} if name == "gaussian" else {})
    zeros = np.zeros(20_000, np.int64)
    theirs = kind(**given, backend="opendp").apply(zeros, np.random.default_rng(0), SIZE)
    ours = kind(**given).apply(zeros, np.random.default_rng(0), SIZE)
    scale = kind(**given).scale
    assert p_value(theirs, name, scale) > 1e-6 and p_value(ours, name, scale) > 1e-3


# -- rounding --------------------------------------------------------------------------------------


def test_counts_are_rounded_up_or_to_the_nearest_multiple():
    counts = np.array([0, 1, 2, 3, 5, 6, 8])
    up = Round(5, "up").apply(counts, None, SIZE)
    assert up.tolist() == [0, 5, 5, 5, 5, 10, 10]
    assert Round(5).apply(counts, None, SIZE).tolist() == [0, 0, 0, 5, 5, 5, 10]


def test_random_rounding_keeps_the_expectation_and_multiples():
    counts, rng = np.repeat([0, 1, 2, 3, 7], 30_000).reshape(5, -1), np.random.default_rng(0)
    rounded = Round(3, "random").apply(counts, rng, SIZE)
    assert set(np.unique(rounded[1])) == {0, 3} and set(np.unique(rounded[4])) == {6, 9}
    assert (rounded[0] == 0).all() and (rounded[3] == 3).all()
    np.testing.assert_allclose(rounded.mean(axis=1), [0, 1, 2, 3, 7], atol=0.05)


def test_a_rounding_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="how is 'down'; one of nearest, up, random"):
        Round(3, "down")
    with pytest.raises(ValueError, match="base is 1"):
        Round(1)

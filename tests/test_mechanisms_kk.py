"""The mechanisms of Knock-Knock: oracles, distributions, and the guarantees they print."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import fft, stats

from lib import mechanisms, metrics
from lib.mechanisms import (
    EnhancedFourierPerturbation,
    FourierPerturbation,
    Gaussian,
    Laplace,
    PostProcess,
    release,
)
from tests.reference import knock_knock as reference

EXACT = 1e-9  # absolute: two ways of summing the same few numbers
SIGNIFICANCE = 1e-3  # a test of a true distribution fails once in a thousand seeds; these are fixed
ACCOUNTANT = 1e-3  # relative: the accountant rounds privacy losses up to its grid
STANDARD_ERRORS = 4  # for frequencies and means


def counts(seed: int, shape: tuple[int, ...] = (3, 4, 24)) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.poisson(rng.gamma(0.5, 8, size=shape))


def noise(mechanism: mechanisms.Mechanism, transform=lambda x: x, seed: int = 1) -> np.ndarray:
    """What is added to (many copies of) a flat series, in the domain where it is added."""
    raw = np.full((2_000, 2, 24), 5)
    released = release(raw, [mechanism], np.random.default_rng(seed), 1_000)
    return transform(released) - transform(raw.astype(float))


def follows(sample: np.ndarray, distribution) -> bool:
    return stats.kstest(sample.ravel(), distribution.cdf).pvalue > SIGNIFICANCE


# -- distribution and scale ----------------------------------------------------------------------


@pytest.mark.parametrize("calibration", ["printed", "analytic"])
def test_gaussian_noise_is_normal_with_its_scale(calibration):
    mechanism = Gaussian(1.0, 0.1, 3.0, calibration)
    assert follows(noise(mechanism), stats.norm(scale=mechanism.scale))


def test_laplace_noise_is_laplace_with_its_scale():
    assert follows(noise(Laplace(0.5, 3.0)), stats.laplace(scale=6.0))


def test_fourier_noise_is_laplace_on_both_parts_of_the_kept_coefficients():
    mechanism = FourierPerturbation(0.5, kappa=5, sensitivity=2.0)
    assert mechanism.scale == pytest.approx(np.sqrt(5) * 2.0 / 0.5)
    found = noise(mechanism, lambda x: fft.rfft(x, norm="ortho"))
    expected = stats.laplace(scale=mechanism.scale)
    assert follows(found[..., :5].real, expected)
    assert follows(found[..., 1:5].imag, expected)
    assert np.abs(found[..., 5:]).max() < EXACT
    parts = np.stack([found[..., 1].real, found[..., 1].imag, found[..., 2].real]).reshape(3, -1)
    assert np.abs(np.corrcoef(parts) - np.eye(3)).max() < STANDARD_ERRORS / np.sqrt(parts.shape[1])


def test_enhanced_fourier_noise_is_normal_on_the_kept_coefficients():
    mechanism = EnhancedFourierPerturbation(2.0, 0.1, 2.0)
    assert mechanism.scale == pytest.approx(np.sqrt(2 * np.log(20)) * 2.0 / 1.0)
    found = noise(mechanism, lambda x: fft.dct(x, norm="ortho")).reshape(-1, 24)
    kept = np.abs(found) > EXACT
    kappa = kept.sum(1)
    assert (kept == (np.arange(24) < kappa[:, None])).all()
    assert follows(found[kept], stats.norm(scale=mechanism.scale))


def test_enhanced_fourier_chooses_kappa_with_the_probabilities_it_states():
    mechanism = EnhancedFourierPerturbation(3.0, 0.1, 1.0)
    series = 6 + 3 * np.cos(np.pi * 3 * (2 * np.arange(12) + 1) / 24)  # one wave, at coefficient 3
    raw = np.tile(np.rint(series).astype(int), (20_000, 1, 1))
    released = mechanism.apply(raw, np.random.default_rng(3), np.array(100))
    kappa = (np.abs(fft.dct(released, norm="ortho")) > EXACT).sum(-1).ravel()
    observed = np.bincount(kappa, minlength=13)[1:]
    expected = choices(mechanism, raw[0, 0]) * len(raw)
    assert expected.min() > 5  # so that the test's distribution holds
    assert expected.max() > 2 * expected.min()  # and it could tell from a uniform choice
    assert stats.chisquare(observed, expected).pvalue > SIGNIFICANCE


# -- oracles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_epochs", [7, 8])
def test_fourier_reconstruction_is_the_papers(n_epochs):
    series = counts(4, (n_epochs,))
    for kappa in range(1, n_epochs // 2 + 2):
        kept = reference.fourier_coefficients(series, kappa)
        expected = reference.inverse_fourier(kept, n_epochs)
        found = mechanisms.fourier_reconstruction(series, kappa)
        np.testing.assert_allclose(found, expected, atol=EXACT)


def choices(mechanism, raw):
    return mechanism._probabilities(fft.dct(raw, norm="ortho"))


def test_choice_of_kappa_is_the_papers():
    raw = counts(6, (2, 3, 10))
    found = choices(EnhancedFourierPerturbation(3.0, 0.2, 1.5), raw)
    for where in np.ndindex(2, 3):
        expected = reference.choice_of_kappa(raw[where], 3.0, 0.2, 1.5)
        np.testing.assert_allclose(found[where], expected, atol=EXACT)


@pytest.mark.parametrize("mechanism", [FourierPerturbation(1e12, 13), Gaussian(1e12, 0.1)])
def test_without_noise_nothing_is_lost(mechanism):
    raw = counts(7)
    np.testing.assert_allclose(
        release(raw, [mechanism], np.random.default_rng(0), 500), raw, atol=EXACT
    )


def test_truncation_error_falls_with_kappa():
    raw = counts(8)
    errors = [((mechanisms.fourier_reconstruction(raw, k) - raw) ** 2).sum() for k in range(1, 14)]
    assert (np.diff(errors) <= EXACT).all()
    assert errors[-1] < EXACT < errors[0]


# -- guarantees ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.5, 1.0), (2.0, 7.0)])
def test_laplace_is_epsilon_dp_by_an_independent_accountant(pld, epsilon, sensitivity):
    scale = Laplace(epsilon, sensitivity).scale
    accountant = pld.from_laplace_mechanism(scale, sensitivity)
    assert accountant.get_delta_for_epsilon(epsilon) < EXACT
    below = accountant.get_delta_for_epsilon(0.99 * epsilon)  # and no smaller epsilon would do
    assert below == pytest.approx(1 - np.exp(-0.01 * epsilon / 2), rel=ACCOUNTANT)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0])
@pytest.mark.parametrize("calibration", ["printed", "analytic"])
def test_gaussian_delivers_its_delta_by_an_independent_accountant(pld, epsilon, calibration):
    mechanism = Gaussian(epsilon, 0.1, 3.0, calibration)
    accountant = pld.from_gaussian_mechanism(mechanism.scale / 3.0)
    expected = accountant.get_delta_for_epsilon(epsilon)
    assert mechanism.delivered_delta == pytest.approx(expected, rel=ACCOUNTANT)


def test_the_analytic_gaussian_is_tight_and_the_printed_one_fails_at_epsilon_10():
    assert Gaussian(10, 0.1, calibration="analytic").delivered_delta == pytest.approx(0.1)
    assert Gaussian(10, 0.1).delivered_delta > 0.2
    assert Gaussian(1, 0.1).delivered_delta < 0.1


@pytest.mark.parametrize("n_epochs", [15, 16])
def test_fourier_keeps_its_epsilon_for_one_roi(n_epochs):
    rng = np.random.default_rng(9)
    changes = rng.integers(0, 2, (5_000, 1, n_epochs))
    changes[:, 0, 0] = 1
    norms = np.sqrt((changes**2).sum((-2, -1)))
    for kappa in (1, 4, n_epochs // 2 + 1):
        spent = FourierPerturbation(1.0, kappa).effective_epsilon(changes / norms[:, None, None])
        assert spent.max() <= 1 + EXACT


def test_fourier_spends_the_l1_norm_of_what_it_releases():
    change = counts(15, (3, 11)) - counts(16, (3, 11))
    kept = [c for series in change for c in reference.fourier_coefficients(series, 4)]
    expected = sum(abs(c.real) + abs(c.imag) for c in kept) / (np.sqrt(4) * 2.0 / 0.5)
    assert FourierPerturbation(0.5, 4, 2.0).effective_epsilon(change) == pytest.approx(expected)


def test_fourier_spends_its_epsilon_again_in_every_roi():
    """The printed guarantee holds for a series, not for a user: here ten ROIs cost sqrt(10)."""
    n_rois, n_epochs = 10, 20
    everywhere = np.ones((n_rois, n_epochs))
    mechanism = FourierPerturbation(1.0, kappa=1, sensitivity=np.sqrt(everywhere.sum()))
    assert mechanism.effective_epsilon(everywhere) == pytest.approx(np.sqrt(n_rois))


def test_the_score_of_kappa_moves_by_at_most_the_sensitivity():
    """So half of epsilon pays for the choice: no probability changes by more than e^(epsilon/2)."""
    mechanism = EnhancedFourierPerturbation(3.0, 0.1, np.sqrt(6))
    rng = np.random.default_rng(10)
    raw = counts(11, (500, 1, 12))
    change = np.zeros(raw.shape, int)
    for row in change:
        row[0, rng.choice(12, 6, replace=False)] = 1
    before, after = (choices(mechanism, x) for x in (raw, raw + change))
    assert np.abs(np.log(after / before)).max() <= 3.0 / 2 + EXACT


# -- representation and errors -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mechanism", "said"),
    [
        (Laplace(0.5), ["0.5-DP", "one visit", "scale 2"]),
        (Laplace(0.5, 207), ["one user of at most 207 visits", "scale 414"]),
        (Gaussian(10, 0.1, 2.0), ["(10, 0.264)-DP", "4 visits", "standard deviation 0.4895"]),
        (FourierPerturbation(1, 4, 3.0), ["1-DP", "9 visits to one ROI", "scale 6", "each"]),
        (EnhancedFourierPerturbation(1, 0.1, 3.0), ["(1, 0.000615)-DP", "9 visits to one ROI"]),
    ],
)
def test_repr_says_unit_sensitivity_epsilon_and_scale(mechanism, said):
    text = repr(mechanism)
    for part in (f"epsilon={mechanism.epsilon:g}", f"sensitivity={mechanism.sensitivity:g}", *said):
        assert part in text


BAD = [
    (Laplace, {"epsilon": 0.0}, "epsilon is 0.0"),
    (Laplace, {"epsilon": np.nan}, "epsilon is nan"),
    (Gaussian, {"epsilon": -1, "delta": 0.1}, "epsilon is -1"),
    (Gaussian, {"epsilon": np.nan, "delta": 0.1}, "epsilon is nan"),
    (Gaussian, {"epsilon": 1, "delta": 0.0}, "delta is 0.0; a probability strictly between"),
    (Gaussian, {"epsilon": 1, "delta": 1.0}, "delta is 1.0"),
    (Gaussian, {"epsilon": 1, "delta": np.nan}, "delta is nan"),
    (Gaussian, {"epsilon": 1, "delta": 0.1, "sensitivity": 0}, "sensitivity is 0"),
    (Gaussian, {"epsilon": 1, "delta": 0.1, "calibration": "exact"}, "calibration is 'exact'"),
    (FourierPerturbation, {"epsilon": np.inf, "kappa": 3}, "epsilon is inf"),
    (FourierPerturbation, {"epsilon": 1, "kappa": 0}, "kappa is 0; a whole number from 1"),
    (FourierPerturbation, {"epsilon": 1, "kappa": 2.5}, "kappa is 2.5"),
    (FourierPerturbation, {"epsilon": 1, "kappa": 2, "sensitivity": -1}, "sensitivity is -1"),
    (EnhancedFourierPerturbation, {"epsilon": 0, "delta": 0.1}, "epsilon is 0"),
    (EnhancedFourierPerturbation, {"epsilon": 1, "delta": 2.0}, "delta is 2.0"),
]


@pytest.mark.parametrize(("kind", "arguments", "message"), BAD)
def test_impossible_parameters_are_refused(kind, arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        kind(**arguments)


def test_more_coefficients_than_there_are_is_refused():
    with pytest.raises(ValueError, match="kappa is 14; a series of 24 epochs has 13"):
        release(counts(0), [FourierPerturbation(1, 14)], np.random.default_rng(0), 500)


def test_negative_counts_are_refused():
    with pytest.raises(ValueError, match="count -1 at"):
        release(np.full((1, 2, 3), -1), [Gaussian(1, 0.1)], np.random.default_rng(0), 10)


def test_post_processing_makes_counts_of_noise():
    raw = counts(12)
    released = release(raw, [Gaussian(0.1, 0.1), PostProcess()], np.random.default_rng(0), 100)
    assert released.min() >= 0
    assert released.max() <= 100
    assert (released == np.rint(released)).all()


# -- mean relative error -------------------------------------------------------------------------


def test_mean_relative_error_is_the_papers():
    raw = counts(13, (5, 30)) + 1
    released = raw + np.random.default_rng(14).normal(size=raw.shape)
    for share in (0.001, 0.2):
        expected = reference.mean_relative_error(raw, released, share)
        assert metrics.mean_relative_error(raw, released, share) == pytest.approx(expected)
    assert metrics.mean_relative_error(raw, released) == metrics.mean_relative_error(
        raw, released, floor=0.001
    )
    several = metrics.mean_relative_error(np.stack([raw, raw]), np.stack([released, raw]))
    assert several == pytest.approx(metrics.mean_relative_error(raw, released) / 2)


def test_mean_relative_error_with_a_constant_bound():
    raw, released = np.array([[0, 0], [10, 1]]), np.array([[2, 0], [5, 2]])
    assert metrics.mean_relative_error(raw, released, sanity_bound=4) == (2 / 4 + 0.5 + 1 / 4) / 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"floor": 0.1, "sanity_bound": 1.0}, "give one of the two"),
        ({"floor": 0.0}, "floor is 0.0"),
        ({"sanity_bound": np.nan}, "sanity_bound is nan"),
        ({}, "series (1,) sums to 0"),
        ({"released": np.ones((2, 3))}, "equal, not empty"),
        ({"released": np.array([[1, np.inf], [0, 0]])}, "released inf at (0, 1)"),
    ],
)
def test_mean_relative_error_refuses_what_has_none(arguments, message):
    raw = np.array([[1, 2], [0, 0]])
    with pytest.raises(ValueError, match=re.escape(message)):
        metrics.mean_relative_error(raw, **{"released": raw, **arguments})

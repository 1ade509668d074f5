"""Noise on Fourier coefficients of time series: FPA and EFPAG."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import fft

from lib.mechanisms.base import (
    MAX_SQUARED,
    Mechanism,
    check_budget,
    check_change,
    check_positive,
    unit_of_privacy,
)
from lib.mechanisms.noise import Gaussian
from lib.validation import MAX_CELLS, check_finite, check_integer, format_value


def _check_kappa(kappa: int, n_epochs: int, most: int) -> None:
    if not n_epochs or not 0 <= check_integer("kappa", kappa) <= most:
        raise ValueError(f"kappa is {kappa}; a series of {n_epochs} epochs has {most} coefficients")


def fourier_reconstruction(counts: np.ndarray, kappa: int) -> np.ndarray:
    """Reconstruct each series from its first kappa DFT coefficients, as FPA does without noise.

    Parameters
    ----------
    counts : array_like, shape (..., n_epochs)
        Time series.
    kappa : int
        Number of coefficients of the real DFT that are kept, at most n_epochs // 2 + 1.

    Returns
    -------
    numpy.ndarray of float
        Reconstructed series, of the same shape.

    Raises
    ------
    ValueError
        If kappa is above n_epochs // 2 + 1.

    References
    ----------
    KK, Sec. VII-A.
    """
    n_epochs = (check_finite("counts", counts).shape or (0,))[-1]
    _check_kappa(kappa, n_epochs, n_epochs // 2 + 1)
    kept = fft.rfft(counts, norm="ortho")[..., :kappa]
    return fft.irfft(kept, n_epochs, norm="ortho")


@dataclass(frozen=True, repr=False)
class FourierPerturbation(Mechanism):
    """FPA: Laplace noise on the first kappa DFT coefficients of each ROI's series, the rest 0.

    scale = sqrt(kappa) sensitivity / epsilon, on the real and on the imaginary part. The DFT is
    orthonormal: coefficients of another normalisation are n_epochs or sqrt(n_epochs) times larger,
    and the same scale would protect them by the same factor less.

    The unit of privacy is ONE ROI's series. If a user changes it by at most `sensitivity` in L2,
    the noise is epsilon-DP: kappa complex coefficients are 2 kappa - 1 numbers, but all except the
    first (and the last, if n_epochs is even) stand for themselves and their conjugates, so they
    hold half the energy, and the L1 change is at most sqrt(1 + (2 kappa - 2) / 2) = sqrt(kappa)
    times the L2 change. For a user who changes several ROIs, sequential composition applies. With
    sensitivity = sqrt(D) for a user of D visits in k ROIs, the nominal epsilon is up to sqrt(k)
    epsilon for the whole user; with sqrt(n_epochs) for each ROI, up to k epsilon.
    `effective_epsilon` gives the exact value for a change.

    Parameters
    ----------
    epsilon : float
        Privacy parameter of one ROI's series, above 0.
    kappa : int
        Number of coefficients kept, 1 to n_epochs // 2 + 1.
    sensitivity : float, default=1.0
        L2 sensitivity of one ROI's series.

    Raises
    ------
    ValueError
        If epsilon or sensitivity is not a finite positive number, or kappa is not a whole number
        from 1 to n_epochs // 2 + 1.

    References
    ----------
    KK, Sec. VII-A; Rastogi and Nath 2010.

    Examples
    --------
    >>> fpa = FourierPerturbation(1.0, kappa=4, sensitivity=3.0)
    >>> fpa.scale
    6.0
    """

    epsilon: float
    kappa: int
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        check_budget(self.epsilon, self.sensitivity)
        if check_integer("kappa", self.kappa, 1) >= MAX_CELLS:
            raise ValueError(f"kappa is {format_value(self.kappa)}; fewer than 2^31 were expected")

    @property
    def scale(self) -> float:
        """Scale of the Laplace noise on each part of an orthonormal coefficient, in users."""
        return math.sqrt(self.kappa) * self.sensitivity / self.epsilon

    def __repr__(self) -> str:
        return (
            f"FourierPerturbation(epsilon={self.epsilon:g}, kappa={self.kappa}, "
            f"sensitivity={self.sensitivity:g}): {self.epsilon:g}-DP for "
            f"{unit_of_privacy(self.sensitivity**2)} to one ROI (L2), Laplace scale "
            f"{self.scale:g} on {self.kappa} DFT coefficients a ROI; a user seen in k ROIs "
            "composes it over each of them"
        )

    def effective_epsilon(self, change: np.ndarray) -> np.ndarray:
        """Compute the exact epsilon of two inputs that differ by `change`.

        Parameters
        ----------
        change : array_like, shape (..., n_rois, n_epochs)
            A user's trace (add/remove) or the difference of two users' traces (replace-one).

        Returns
        -------
        numpy.ndarray, shape (...)
            L1 norm of the change's kept coefficients, divided by the scale.
        """
        change = check_change(change)
        _check_kappa(self.kappa, change.shape[-1], change.shape[-1] // 2 + 1)
        kept = fft.rfft(change, norm="ortho")[..., : self.kappa]
        return (np.abs(kept.real) + np.abs(kept.imag)).sum(axis=(-2, -1)) / self.scale

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Reconstruct the series from noisy coefficients.

        Parameters
        ----------
        counts : numpy.ndarray, shape (n_groups, n_rois, n_epochs)
            Counts of users.
        rng : numpy.random.Generator
            Source of randomness.
        group_size : numpy.ndarray, shape (n_groups, 1, 1)
            Users in each group.

        Returns
        -------
        numpy.ndarray
            Noisy counts, of the same shape.
        """
        n_epochs = counts.shape[-1]
        _check_kappa(self.kappa, n_epochs, n_epochs // 2 + 1)
        kept = fft.rfft(counts, norm="ortho")[..., : self.kappa]
        noise = rng.laplace(scale=self.scale, size=(*kept.shape, 2))
        # the first coefficient has no imaginary part; the inverse ignores the noise drawn for it
        return fft.irfft(kept + noise.view(complex)[..., 0], n_epochs, norm="ortho")


@dataclass(frozen=True, repr=False)
class EnhancedFourierPerturbation(Mechanism):
    """EFPAG: Gaussian noise on the first kappa DCT-II coefficients, kappa chosen privately.

    Half of epsilon chooses each ROI's kappa from 1 to n_epochs with the exponential mechanism:
    P(kappa) ~ exp(-epsilon/2 * error(kappa) / (2 sensitivity)), where error(kappa) =
    sqrt(energy of the dropped coefficients + kappa scale^2) is the root of the expected sum of
    squared errors of the release. The other half, and delta, calibrate the noise. The DCT is
    orthonormal, so `sensitivity` (L2 in counts) is that of the coefficients and of the error, which
    is a norm of coefficients and constants.

    The unit of privacy is ONE ROI's series: (epsilon, delta)-DP if a user changes it by at most
    `sensitivity` in L2. For the whole user (sensitivity = sqrt(D) for D visits, in k ROIs) the
    guarantee of the noise holds, since squared L2 norms of ROIs add up; the k choices compose to up
    to sqrt(k) epsilon / 2, the whole to at most (1 + sqrt(k)) epsilon / 2. One kappa for all ROIs
    would avoid this. The paper leaves the split and the score to Acs and Castelluccia; these are
    the simplest that compose to (epsilon, delta).

    Parameters
    ----------
    epsilon : float
        Privacy parameter of one ROI's series, above 0.
    delta : float
        Privacy parameter, strictly between 0 and 1.
    sensitivity : float, default=1.0
        L2 sensitivity of one ROI's series.
    calibration : {"printed", "classical", "analytic"}, default="printed"
        Calibration of the noise at epsilon / 2, as in `Gaussian`.

    Raises
    ------
    ValueError
        As `Gaussian`.

    References
    ----------
    KK, Sec. VII-A; Acs and Castelluccia 2014.

    Examples
    --------
    >>> EnhancedFourierPerturbation(1.0, 0.1, sensitivity=3.0).noise().epsilon
    0.5
    """

    epsilon: float
    delta: float
    sensitivity: float = 1.0
    calibration: str = "printed"

    def __post_init__(self) -> None:
        check_positive("epsilon", self.epsilon)
        if self.noise().scale > MAX_SQUARED:
            raise ValueError(
                f"epsilon is {self.epsilon:g}, delta {self.delta:g} and sensitivity "
                f"{self.sensitivity:g}: a noise scale above {MAX_SQUARED:g}, whose square floats "
                "do not hold"
            )

    def noise(self) -> Gaussian:
        """Return the mechanism on the kept coefficients, with half of epsilon and all of delta.

        Returns
        -------
        Gaussian
            Noise on each kept coefficient.
        """
        return Gaussian(self.epsilon / 2, self.delta, self.sensitivity, self.calibration)

    @property
    def scale(self) -> float:
        """Standard deviation of the noise on each kept orthonormal coefficient, in users."""
        return self.noise().scale

    def __repr__(self) -> str:
        noise = self.noise()
        return (
            f"EnhancedFourierPerturbation(epsilon={self.epsilon:g}, delta={self.delta:g}, "
            f"sensitivity={self.sensitivity:g}, calibration={self.calibration!r}): "
            f"({self.epsilon:g}, {noise.delivered_delta:.3g})-DP for "
            f"{unit_of_privacy(self.sensitivity**2)} to one ROI (L2), standard deviation "
            f"{noise.scale:g} on the DCT-II coefficients kept; "
            f"a user seen in k ROIs composes epsilon/2 over k choices of kappa"
        )

    def _probabilities(self, coefficients: np.ndarray) -> np.ndarray:
        """P(kappa = 1), ..., P(kappa = n_epochs) of each series: (..., n_epochs) -> the same."""
        energy = coefficients**2
        weight = np.empty_like(energy)
        np.cumsum(np.flip(energy, -1), -1, out=np.flip(weight, -1))
        weight -= energy  # of the dropped coefficients; in place, since releases are large
        del energy
        np.maximum(weight, 0, out=weight)
        weight += np.arange(1, coefficients.shape[-1] + 1) * self.scale**2
        np.sqrt(weight, out=weight)  # now the error of each kappa
        weight -= weight.min(-1, keepdims=True)
        weight *= -self.epsilon / 4
        weight /= self.sensitivity
        np.exp(weight, out=weight)
        weight /= weight.sum(-1, keepdims=True)
        return weight

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Reconstruct the series from noisy coefficients.

        Parameters
        ----------
        counts : numpy.ndarray, shape (n_groups, n_rois, n_epochs)
            Counts of users.
        rng : numpy.random.Generator
            Source of randomness.
        group_size : numpy.ndarray, shape (n_groups, 1, 1)
            Users in each group.

        Returns
        -------
        numpy.ndarray
            Noisy counts, of the same shape.
        """
        coefficients = fft.dct(counts, norm="ortho")
        up_to = self._probabilities(coefficients)
        np.cumsum(up_to, -1, out=up_to)
        draw = rng.random((*counts.shape[:-1], 1)) * up_to[..., -1:]
        # coefficient i (from 0) is kept if kappa > i, that is if fewer than i + 1 were enough
        dropped = up_to[..., :-1] > draw
        del up_to
        coefficients += rng.normal(scale=self.scale, size=counts.shape)
        np.copyto(coefficients[..., 1:], 0.0, where=dropped)
        return fft.idct(coefficients, norm="ortho", overwrite_x=True)

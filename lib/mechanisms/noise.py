"""Laplace and Gaussian noise on counts, and their fast versions for counts that are rounded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from lib.mechanisms.base import Mechanism, check_budget, check_positive, unit_of_privacy
from lib.mechanisms.postprocessing import PostProcess
from lib.validation import check_real, format_value


@dataclass(frozen=True, repr=False)
class Laplace(Mechanism):
    """Laplace noise of scale sensitivity / epsilon on every cell.

    epsilon-DP for neighbouring inputs whose counts differ by at most `sensitivity` in L1. The noise
    is drawn in floating point, which is right for experiments; a real release needs a vetted
    sampler.

    Parameters
    ----------
    epsilon : float
        Privacy parameter, above 0.
    sensitivity : float, default=1.0
        L1 sensitivity in visits. 1: one visit of one user (event level). The most visits of any
        user in the release: the whole user (user level).

    Raises
    ------
    ValueError
        If epsilon or sensitivity is not a finite positive number.

    References
    ----------
    Dwork et al. 2006; LPA of KK, Sec. VII-A.

    Examples
    --------
    >>> Laplace(epsilon=0.5).scale
    2.0
    >>> Laplace(epsilon=1.0, sensitivity=20).scale  # for a user of 20 visits
    20.0
    """

    epsilon: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        check_budget(self.epsilon, self.sensitivity)

    @property
    def scale(self) -> float:
        """Scale b of the noise, in users; the standard deviation is sqrt(2) * b."""
        return self.sensitivity / self.epsilon

    def __repr__(self) -> str:
        return (
            f"Laplace(epsilon={self.epsilon:g}, sensitivity={self.sensitivity:g}): "
            f"{self.epsilon:g}-DP for {unit_of_privacy(self.sensitivity)} (L1), "
            f"Laplace scale {self.scale:g}"
        )

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Add noise to counts.

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
        noise = rng.laplace(scale=self.scale, size=counts.shape)
        noise += counts  # in place, since releases are large
        return noise

    def quantile(self, p: np.ndarray) -> np.ndarray:
        """Compute quantiles of the noise.

        Parameters
        ----------
        p : array_like of float
            Probabilities.

        Returns
        -------
        numpy.ndarray
            Values that the noise stays below with probability p.
        """
        return self.scale * _laplace_quantile(p)

    def sample_floor(self, size: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
        """Draw the noise rounded down, ten times faster than drawing the noise.

        floor(count + noise) = count + floor(noise), so counts that are rounded down need no more.

        Parameters
        ----------
        size : tuple of int
            Shape of the result.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        numpy.ndarray of int16, int32 or int64
            Whole numbers.
        """
        return _sample_floor(self, size, rng)


def _laplace_quantile(p: np.ndarray) -> np.ndarray:
    """Quantiles of the standard Laplace distribution."""
    with np.errstate(divide="ignore"):
        return np.where(p < 0.5, np.log(2 * p), -np.log(2 * (1 - p)))


CALIBRATIONS = ("printed", "classical", "analytic")


@dataclass(frozen=True, repr=False)
class Gaussian(Mechanism):
    """Gaussian noise of one standard deviation on every cell.

    (epsilon, delta)-DP for neighbouring inputs whose counts differ by at most `sensitivity` in L2.
    `delivered_delta` is the delta that the noise in use really gives.

    Parameters
    ----------
    epsilon : float
        Privacy parameter, above 0.
    delta : float
        Privacy parameter, strictly between 0 and 1.
    sensitivity : float, default=1.0
        L2 sensitivity; adding or removing a user of at most D visits changes 0/1 counts by sqrt(D).
    calibration : {"printed", "classical", "analytic"}, default="printed"
        "printed": scale = sqrt(2 ln(2/delta)) sensitivity / epsilon, the constant of KK. Proven for
        epsilon < 1 only. At delta = 0.1 and epsilon = 10 it gives delta = 0.26, and at epsilon =
        0.01 it is 64 times more noise than needed.
        "classical": scale = sqrt(2 ln(1.25/delta)) sensitivity / epsilon (Dwork and Roth 2014,
        Theorem A.1); proven for epsilon < 1 only.
        "analytic": the smallest scale that is (epsilon, delta)-DP, from dp_accounting.

    Raises
    ------
    ValueError
        If epsilon or sensitivity is not a finite positive number, delta is not strictly between 0
        and 1, or the calibration is unknown.

    References
    ----------
    GSM of KK, Sec. VII-A; Balle and Wang 2018.

    Examples
    --------
    >>> round(Gaussian(0.5, 1e-5, calibration='analytic').scale, 2)
    7.03
    >>> round(Gaussian(10.0, 0.1).delivered_delta, 2)
    0.26
    """

    epsilon: float
    delta: float
    sensitivity: float = 1.0
    calibration: str = "printed"

    def __post_init__(self) -> None:
        check_budget(self.epsilon, self.sensitivity)
        if not 0 < check_real("delta", self.delta) < 1:  # NaN is wrong too
            raise ValueError(
                f"delta is {self.delta}; a probability strictly between 0 and 1 was expected"
            )
        if not isinstance(self.calibration, str) or self.calibration not in CALIBRATIONS:
            raise ValueError(
                f"calibration is {format_value(self.calibration)}; one of {', '.join(CALIBRATIONS)}"
            )

    @property
    def scale(self) -> float:
        """Standard deviation of the noise, in users."""
        if self.calibration != "analytic":
            constant = 2 if self.calibration == "printed" else 1.25
            return math.sqrt(2 * math.log(constant / self.delta)) * self.sensitivity / self.epsilon
        from dp_accounting import get_sigma_gaussian  # a second to import: only where it is used

        try:
            return self.sensitivity * float(get_sigma_gaussian(self.epsilon, self.delta))
        except (ValueError, OverflowError):  # its search leaves what floats hold
            raise ValueError(
                f"epsilon is {self.epsilon:g}, delta {self.delta:g}: no analytic calibration is "
                "found for them; take calibration='classical'"
            ) from None

    @property
    def delivered_delta(self) -> float:
        """The smallest delta for which this noise is (epsilon, delta)-DP."""
        return gaussian_delta(self.epsilon, self.scale / self.sensitivity)

    def __repr__(self) -> str:
        return (
            f"Gaussian(epsilon={self.epsilon:g}, delta={self.delta:g}, "
            f"sensitivity={self.sensitivity:g}, calibration={self.calibration!r}): "
            f"({self.epsilon:g}, {self.delivered_delta:.3g})-DP for "
            f"{unit_of_privacy(self.sensitivity**2)} (L2), standard deviation {self.scale:g}"
        )

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Add noise to counts.

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
        noise = rng.normal(scale=self.scale, size=counts.shape)
        noise += counts
        return noise

    def quantile(self, p: np.ndarray) -> np.ndarray:
        """Compute quantiles of the noise.

        Parameters
        ----------
        p : array_like of float
            Probabilities.

        Returns
        -------
        numpy.ndarray
            Values that the noise stays below with probability p.
        """
        return self.scale * special.ndtri(p)


def gaussian_delta(epsilon: float, noise_multiplier: float) -> float:
    """Compute the exact delta of Gaussian noise at a given epsilon.

    Parameters
    ----------
    epsilon : float
        Privacy parameter, above 0.
    noise_multiplier : float
        Standard deviation of the noise divided by the L2 sensitivity, above 0.

    Returns
    -------
    float
        The smallest delta for which the noise is (epsilon, delta)-DP.

    Raises
    ------
    ValueError
        If an argument is not positive.

    References
    ----------
    Balle and Wang 2018, Theorem 8.
    """
    check_positive("epsilon", epsilon)
    check_positive("noise_multiplier", noise_multiplier)
    half, shift = 1 / (2 * noise_multiplier), epsilon * noise_multiplier
    # e^epsilon overflows where the tail it multiplies underflows: multiply in logarithms
    away = math.exp(epsilon + float(special.log_ndtr(-half - shift)))
    return max(0.0, float(special.ndtr(half - shift)) - away)


# -- noise on counts that are rounded --------------------------------------------------------------

_BLOCK_SIZE = 1 << 17  # draws that stay in the cache; even, since generators draw two codes a time
_SHIFTS = {"down": 0.0, "nearest": 0.5}  # added to the noise, which is then rounded down
_MAX_REDRAWN = 0.25  # share of second draws; beyond, the noise itself is drawn


def _sample_floor(
    noise: Laplace | Gaussian, size: tuple[int, ...], rng: np.random.Generator, shift: float = 0.0
) -> np.ndarray:
    """Draw floor(noise + shift), exactly.

    Sixteen random bits choose one of 65,536 equally likely intervals of the noise; an interval that
    contains a whole number is resolved by a second draw.
    """
    table, undecided = _floor_table(noise, shift)
    sample = np.empty(size, table.dtype)
    flat = sample.reshape(-1)
    places, codes = [np.arange(0)], [np.empty(0, np.uint16)]
    for start in range(0, len(flat), _BLOCK_SIZE):
        part = flat[start : start + _BLOCK_SIZE]
        code = rng.integers(0, 1 << 16, len(part), dtype=np.uint16)
        np.take(table, code, out=part, mode="wrap")  # no code is beyond the table
        redrawn = np.flatnonzero(part == undecided)
        places.append(start + redrawn)
        codes.append(code[redrawn])
    redrawn, code = np.concatenate(places), np.concatenate(codes)
    place = (code + rng.random(len(redrawn))) / (1 << 16)
    flat[redrawn] = np.floor(noise.quantile(place) + shift)
    return sample


@lru_cache(maxsize=16)
def _floor_table(noise: Laplace | Gaussian, shift: float) -> tuple[np.ndarray, int]:
    """Tabulate floor(noise + shift) in 65,536 intervals, and the mark of undecided intervals."""
    ends = noise.quantile(np.arange((1 << 16) + 1) / (1 << 16)) + shift
    lowest, highest = np.floor(ends[:-1]), np.ceil(ends[1:]) - 1
    farthest = 100 * noise.scale  # exp(-100) beyond that
    dtype: Any = np.int16 if farthest <= np.iinfo(np.int16).max else np.int32
    dtype = dtype if farthest <= np.iinfo(np.int32).max else np.int64
    undecided = int(np.iinfo(dtype).min)
    # the first and the last interval are infinite, hence undecided
    return np.where(lowest != highest, undecided, lowest).astype(dtype), undecided


def can_round_noise(counts: np.ndarray, mechanisms: Sequence[Any]) -> bool:
    """Tell whether the first two mechanisms are noise and rounding that can be drawn together.

    Not in the papers.

    Parameters
    ----------
    counts : numpy.ndarray
        Whole numbers.
    mechanisms : sequence of Mechanism
        Mechanisms on counts, in order.

    Returns
    -------
    bool
        Whether `add_rounded_noise` applies.
    """
    if len(mechanisms) < 2 or counts.ndim == 0 or type(mechanisms[0]) not in (Laplace, Gaussian):
        return False
    if not isinstance(mechanisms[1], PostProcess) or mechanisms[1].rounding == "none":
        return False
    table, undecided = _floor_table(mechanisms[0], _SHIFTS[mechanisms[1].rounding])
    return bool((table == undecided).mean() <= _MAX_REDRAWN)


def add_rounded_noise(
    counts: np.ndarray, noise: Any, after: PostProcess, size: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Add noise to whole numbers, round and clip, in one step with the same distribution.

    floor(count + noise) = count + floor(noise), and round(count + noise) = count + floor(noise +
    1/2) with probability 1.

    Parameters
    ----------
    counts : numpy.ndarray, shape (n_groups, ...)
        Whole numbers.
    noise : Laplace or Gaussian
        The noise.
    after : PostProcess
        Rounding, "down" or "nearest", and clipping.
    size : numpy.ndarray
        Group sizes, broadcast against counts.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    numpy.ndarray of float
        Released counts, of the same shape.
    """
    shift = _SHIFTS[after.rounding]
    released = np.empty(counts.shape)
    rows = max(1, _BLOCK_SIZE // max(1, math.prod(counts.shape[1:])))
    for start in range(0, len(counts), rows):
        part = slice(start, start + rows)
        block = released[part]
        np.add(counts[part], _sample_floor(noise, block.shape, rng, shift), out=block, dtype=float)
        if after.clip:
            np.clip(block, 0, size[part] if size.ndim and len(size) > 1 else size, out=block)
    return released

"""What is done before a release: bounded traces, noise on counts, suppression, post-processing.

Each mechanism is a small frozen object with one method: `apply_traces(traces, rng)` if it works on
traces, `apply(counts, rng, group_size)` if on counts. `release` applies a list of them in order.
Counts are arrays (n_groups, n_rois, n_epochs).

Source: each names its own; clipping and rounding follow ZK, Sec. 2.2.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from inspect import signature
from typing import Any, Protocol, overload

import numpy as np
from scipy import fft, sparse, special

from lib.aggregation import aggregate
from lib.traces import Traces
from lib.validation import (
    MAX_CELLS,
    check_finite,
    check_generator,
    check_integer,
    check_real,
    format_value,
)


class Mechanism(Protocol):
    """What is done to counts before they are released."""

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """counts (n, n_rois, n_epochs), group_size (n, 1, 1): the counts after it."""
        ...


class TraceMechanism(Protocol):
    """What is done to traces before they are counted."""

    def apply_traces(self, traces: Traces, rng: np.random.Generator) -> Traces:
        """The traces after it; those given are not changed."""
        ...


_SQUARED = 1e150  # of what is squared
_LARGEST = 1e290  # of a noise scale, and 1 / it the smallest: beyond, noise is NaN or is none


def _positive(name: str, value: float) -> None:
    if not 0 < check_real(name, value, "a finite number above 0") < math.inf:  # NaN is wrong too
        raise ValueError(f"{name} is {value}; a finite number above 0 was expected")


def _budget(epsilon: float, sensitivity: float) -> None:
    _positive("epsilon", epsilon)
    _positive("sensitivity", sensitivity)
    if not 1 / _SQUARED < sensitivity < _SQUARED:
        raise ValueError(
            f"sensitivity is {sensitivity:g}; {1 / _SQUARED:g} to {_SQUARED:g} expected"
        )
    if not 1 / _LARGEST < float(sensitivity) / float(epsilon) < _LARGEST:
        raise ValueError(
            f"epsilon is {epsilon:g}: noise for a sensitivity of {sensitivity:g} would have a "
            f"scale of {float(sensitivity) / float(epsilon):g}; floats hold {1 / _LARGEST:g} to "
            f"{_LARGEST:g}"
        )


def _delta(value: float) -> None:
    if not 0 < check_real("delta", value) < 1:  # NaN is wrong too
        raise ValueError(f"delta is {value}; a probability strictly between 0 and 1 was expected")


def _unit(visits: float) -> str:
    """Whom the guarantee is for: counts are sums of 0/1 traces, so a sensitivity counts visits."""
    return "one visit" if visits == 1 else f"one user of at most {visits:g} visits"


@dataclass(frozen=True, repr=False)
class Laplace(Mechanism):
    """Laplace noise of scale sensitivity / epsilon on every cell.

    Privacy: epsilon-DP for neighbouring inputs whose counts differ by at most `sensitivity` in L1.
    sensitivity=1: one visit of one user (event level). sensitivity = the most visits any user can
    have in the release: the whole user (user level). No delta.
    Source: Dwork et al. 2006; LPA of KK, Sec. VII-A. The noise is drawn in floating point, which is
    right for experiments; for a real release take a vetted sampler.
    Raises ValueError if epsilon or sensitivity is not a finite positive number.

    >>> Laplace(epsilon=0.5).scale
    2.0
    >>> Laplace(epsilon=1.0, sensitivity=20).scale  # for a user of 20 visits
    20.0
    """

    epsilon: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        _budget(self.epsilon, self.sensitivity)

    @property
    def scale(self) -> float:
        """Noise scale b in users; the standard deviation is sqrt(2) * b."""
        return self.sensitivity / self.epsilon

    def __repr__(self) -> str:
        return (
            f"Laplace(epsilon={self.epsilon:g}, sensitivity={self.sensitivity:g}): "
            f"{self.epsilon:g}-DP for {_unit(self.sensitivity)} (L1), Laplace scale {self.scale:g}"
        )

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """The counts with noise, of their shape; as `Mechanism.apply`."""
        noise = rng.laplace(scale=self.scale, size=counts.shape)
        noise += counts  # in place, since releases are large
        return noise

    def quantile(self, p: np.ndarray) -> np.ndarray:
        """What the noise stays below with probability p."""
        return self.scale * _laplace_quantile(p)

    def floored(self, size: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
        """The noise rounded down, whole numbers (int16 to int64), ten times faster than drawing it.

        floor(count + noise) = count + floor(noise), so this is all that counts rounded down need.
        """
        return _floored(self, size, rng)


def _laplace_quantile(p: np.ndarray) -> np.ndarray:
    """Where the standard Laplace distribution function is p."""
    with np.errstate(divide="ignore"):
        return np.where(p < 0.5, np.log(2 * p), -np.log(2 * (1 - p)))


CALIBRATIONS = ("printed", "classical", "analytic")


@dataclass(frozen=True, repr=False)
class Gaussian(Mechanism):
    """Gaussian noise on every cell, the same standard deviation `scale` everywhere.

    Privacy: for neighbouring inputs whose counts differ by at most `sensitivity` in L2; adding or
    removing a user of at most D visits moves 0/1 counts by sqrt(D).
    calibration  "printed": scale = sqrt(2 ln(2/delta)) sensitivity / epsilon, the paper's constant.
                 Proven for epsilon < 1 only. At delta = 0.1 and epsilon = 10 it delivers
                 delta = 0.26, and at epsilon = 0.01 it is 64 times more noise than needed.
                 "classical": scale = sqrt(2 ln(1.25/delta)) sensitivity / epsilon, the textbook's
                 (Dwork and Roth 2014, Theorem A.1); proven for epsilon < 1 only.
                 "analytic": the smallest scale that is (epsilon, delta)-DP, from dp_accounting.
    `delivered_delta` is what the scale in use really gives.
    Source: GSM of KK, Sec. VII-A; Balle and Wang 2018.
    Raises ValueError if epsilon or sensitivity is not a finite positive number, delta is not
    strictly between 0 and 1, or the calibration is neither.

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
        _budget(self.epsilon, self.sensitivity)
        _delta(self.delta)
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
            f"{_unit(self.sensitivity**2)} (L2), standard deviation {self.scale:g}"
        )

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """The counts with noise, of their shape; as `Mechanism.apply`."""
        noise = rng.normal(scale=self.scale, size=counts.shape)
        noise += counts
        return noise

    def quantile(self, p: np.ndarray) -> np.ndarray:
        """What the noise stays below with probability p."""
        return self.scale * special.ndtri(p)


# -- noise on whole numbers ------------------------------------------------------------------------

_AT_ONCE = 1 << 17  # draws of floored noise that stay in the cache; even: generators draw two codes
_SHIFTS = {"down": 0.0, "nearest": 0.5}  # of the noise, which is then rounded down
_MOST_AGAIN = 0.25  # of the draws of rounded noise that are made twice; beyond, noise as it is


def _floored(
    noise: Laplace | Gaussian, size: tuple[int, ...], rng: np.random.Generator, shift: float = 0.0
) -> np.ndarray:
    """floor(noise + shift), whole numbers.

    Sixteen random bits say in which of 65,536 equally likely intervals the noise lies; the
    intervals that hold a whole number are drawn from once more: nothing is approximated.
    """
    table, several = _floor_table(noise, shift)
    drawn = np.empty(size, table.dtype)
    flat = drawn.reshape(-1)
    places, codes = [np.arange(0)], [np.empty(0, np.uint16)]
    for start in range(0, len(flat), _AT_ONCE):
        part = flat[start : start + _AT_ONCE]
        code = rng.integers(0, 1 << 16, len(part), dtype=np.uint16)
        np.take(table, code, out=part, mode="wrap")  # no code is beyond the table
        again = np.flatnonzero(part == several)
        places.append(start + again)
        codes.append(code[again])
    again, code = np.concatenate(places), np.concatenate(codes)
    place = (code + rng.random(len(again))) / (1 << 16)
    flat[again] = np.floor(noise.quantile(place) + shift)
    return drawn


@lru_cache(maxsize=16)
def _floor_table(noise: Laplace | Gaussian, shift: float) -> tuple[np.ndarray, int]:
    """floor(noise + shift) in each of 65,536 intervals; the number returned where several are."""
    ends = noise.quantile(np.arange((1 << 16) + 1) / (1 << 16)) + shift
    lowest, highest = np.floor(ends[:-1]), np.ceil(ends[1:]) - 1
    furthest = 100 * noise.scale  # exp(-100) beyond that
    kind: Any = np.int16 if furthest <= np.iinfo(np.int16).max else np.int32
    kind = kind if furthest <= np.iinfo(np.int32).max else np.int64
    several = int(np.iinfo(kind).min)
    # both ends hold several, and they are infinite
    return np.where(lowest != highest, several, lowest).astype(kind), several


def _rounded(
    counts: np.ndarray, noise: Any, after: PostProcess, size: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Whole numbers with noise, rounded and clipped: the law of one after the other, in one go.

    floor(count + noise) = count + floor(noise), and round(count + noise) = count + floor(noise +
    1/2) with probability 1.
    """
    shift = _SHIFTS[after.rounding]
    made = np.empty(counts.shape)
    rows = max(1, _AT_ONCE // max(1, math.prod(counts.shape[1:])))
    for start in range(0, len(counts), rows):
        part = slice(start, start + rows)
        own = made[part]
        np.add(counts[part], _floored(noise, own.shape, rng, shift), out=own, dtype=float)
        if after.clip:
            np.clip(own, 0, size[part] if size.ndim and len(size) > 1 else size, out=own)
    return made


def _in_one_go(counts: np.ndarray, mechanisms: Sequence[Any]) -> bool:
    """Whether the first two mechanisms are noise on whole numbers, and rounding."""
    if len(mechanisms) < 2 or counts.ndim == 0 or type(mechanisms[0]) not in (Laplace, Gaussian):
        return False
    if not isinstance(mechanisms[1], PostProcess) or mechanisms[1].rounding == "none":
        return False
    table, several = _floor_table(mechanisms[0], _SHIFTS[mechanisms[1].rounding])
    return bool((table == several).mean() <= _MOST_AGAIN)


def gaussian_delta(epsilon: float, noise_multiplier: float) -> float:
    """The exact delta at `epsilon` of Gaussian noise; noise_multiplier = scale / L2 sensitivity.

    Source: Balle and Wang 2018, Theorem 8. Raises ValueError for a value that is not positive.
    """
    _positive("epsilon", epsilon)
    _positive("noise_multiplier", noise_multiplier)
    half, shift = 1 / (2 * noise_multiplier), epsilon * noise_multiplier
    # e^epsilon overflows where the tail it multiplies underflows: multiply in logarithms
    away = math.exp(epsilon + float(special.log_ndtr(-half - shift)))
    return max(0.0, float(special.ndtr(half - shift)) - away)


def _change(change: np.ndarray) -> np.ndarray:
    change = check_finite("change", change)
    if change.ndim < 2:
        raise ValueError(f"change is {change.shape}; (..., n_rois, n_epochs) was expected")
    return change


# -- Fourier mechanisms --------------------------------------------------------------------------


def _kappa(kappa: int, n_epochs: int, most: int) -> None:
    if not n_epochs or not 0 <= check_integer("kappa", kappa) <= most:
        raise ValueError(f"kappa is {kappa}; a series of {n_epochs} epochs has {most} coefficients")


def fourier_reconstruction(counts: np.ndarray, kappa: int) -> np.ndarray:
    """Each series from its first kappa real-DFT coefficients: what FPA releases without noise.

    counts (..., n_epochs) -> the same shape, float. Source: KK, Sec. VII-A.
    Raises ValueError if kappa is above the n_epochs // 2 + 1 coefficients there are.
    """
    n_epochs = (check_finite("counts", counts).shape or (0,))[-1]
    _kappa(kappa, n_epochs, n_epochs // 2 + 1)
    kept = fft.rfft(counts, norm="ortho")[..., :kappa]
    return fft.irfft(kept, n_epochs, norm="ortho")


@dataclass(frozen=True, repr=False)
class FourierPerturbation(Mechanism):
    """FPA: Laplace noise on the first kappa DFT coefficients of each ROI's series, the rest 0.

    scale = sqrt(kappa) sensitivity / epsilon, on the real and on the imaginary part; sensitivity is
    in L2. The DFT is the orthonormal one: coefficients of another normalisation are n_epochs or
    sqrt(n_epochs) times larger, and the same scale would then protect them by as much less.

    Privacy unit: ONE ROI's series. If a user changes it by at most `sensitivity` in L2, the noise
    is epsilon-DP: kappa complex coefficients are 2 kappa - 1 numbers, but all save the first (and
    the last, if n_epochs is even) stand for themselves and their conjugates, so they hold half the
    energy, and the L1 change is at most sqrt(1 + (2 kappa - 2) / 2) = sqrt(kappa) times the L2.
    A user who changes several ROIs spends that in each. With sensitivity = sqrt(D) for a user of D
    visits in k ROIs the printed "epsilon-DP" is, for the whole user, up to sqrt(k) epsilon; with
    sqrt(n_epochs) for each ROI, up to k epsilon. `epsilon_of` gives what a change really costs.
    Source: KK, Sec. VII-A; Rastogi and Nath 2010.
    Raises ValueError if epsilon or sensitivity is not a finite positive number, or kappa is not a
    whole number from 1 to n_epochs // 2 + 1.

    >>> fpa = FourierPerturbation(1.0, kappa=4, sensitivity=3.0)
    >>> fpa.scale
    6.0
    """

    epsilon: float
    kappa: int
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        _budget(self.epsilon, self.sensitivity)
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
            f"{_unit(self.sensitivity**2)} to one ROI (L2), Laplace scale {self.scale:g} on "
            f"{self.kappa} DFT coefficients a ROI; a user seen in k ROIs spends it in each"
        )

    def epsilon_of(self, change: np.ndarray) -> np.ndarray:
        """The exact epsilon at which two inputs are told apart that differ by `change`.

        change   (..., n_rois, n_epochs), a user's trace (she joins or leaves) or the difference of
                 two users' traces (one takes the other's place)
        returns  (...,): the L1 norm of the change's kept coefficients, over the scale
        """
        change = _change(change)
        _kappa(self.kappa, change.shape[-1], change.shape[-1] // 2 + 1)
        kept = fft.rfft(change, norm="ortho")[..., : self.kappa]
        return (np.abs(kept.real) + np.abs(kept.imag)).sum(axis=(-2, -1)) / self.scale

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Series from noisy coefficients, of the counts' shape."""
        n_epochs = counts.shape[-1]
        _kappa(self.kappa, n_epochs, n_epochs // 2 + 1)
        kept = fft.rfft(counts, norm="ortho")[..., : self.kappa]
        noise = rng.laplace(scale=self.scale, size=(*kept.shape, 2))
        # the first coefficient has no imaginary part; the inverse ignores the noise drawn for it
        return fft.irfft(kept + noise.view(complex)[..., 0], n_epochs, norm="ortho")


@dataclass(frozen=True, repr=False)
class EnhancedFourierPerturbation(Mechanism):
    """EFPAG: Gaussian noise on the first kappa DCT-II coefficients, kappa chosen in private.

    Half of epsilon chooses each ROI's kappa from 1 to n_epochs with the exponential mechanism:
    P(kappa) ~ exp(-epsilon/2 * error(kappa) / (2 sensitivity)), where error(kappa) =
    sqrt(energy of the dropped coefficients + kappa scale^2) is the root of the expected sum of
    squared errors of the release. The other half, and delta, pay for the noise. The DCT is
    orthonormal, so `sensitivity` (L2 in counts) is that of the coefficients, and of the error: it
    is a norm of coefficients and constants, and moves by no more than its argument.

    Privacy unit: ONE ROI's series, (epsilon, delta)-DP if a user changes it by at most
    `sensitivity` in L2. Of the whole user (sensitivity = sqrt(D) for D visits, in k ROIs) the noise
    keeps its promise, since L2 norms of ROIs add up in squares; the k choices do not: together they
    cost up to sqrt(k) epsilon / 2, the whole at most (1 + sqrt(k)) epsilon / 2. One kappa for all
    ROIs would mend it. `calibration` as in `Gaussian`, at epsilon / 2.
    Source: KK, Sec. VII-A; Acs and Castelluccia 2014. The paper leaves the split and the score to
    the latter; these are the simplest that compose to (epsilon, delta).
    Raises ValueError as `Gaussian` does.

    >>> EnhancedFourierPerturbation(1.0, 0.1, sensitivity=3.0).noise().epsilon
    0.5
    """

    epsilon: float
    delta: float
    sensitivity: float = 1.0
    calibration: str = "printed"

    def __post_init__(self) -> None:
        _positive("epsilon", self.epsilon)
        if self.noise().scale > _SQUARED:
            raise ValueError(
                f"epsilon is {self.epsilon:g}, delta {self.delta:g} and sensitivity "
                f"{self.sensitivity:g}: a noise scale above {_SQUARED:g}, whose square floats do "
                "not hold"
            )

    def noise(self) -> Gaussian:
        """The mechanism on the kept coefficients: half of epsilon, all of delta."""
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
            f"({self.epsilon:g}, {noise.delivered_delta:.3g})-DP for {_unit(self.sensitivity**2)} "
            f"to one ROI (L2), standard deviation {noise.scale:g} on the DCT-II coefficients kept; "
            f"a user seen in k ROIs spends epsilon/2 in each choice of kappa"
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
        """Series from noisy coefficients, of the counts' shape."""
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


@dataclass(frozen=True)
class SuppressSmallCounts(Mechanism):
    """Counts of `threshold` users or fewer are released as 0. No differential privacy.

    Source: ZK, Sec. 3. Raises ValueError if the threshold is negative.

    >>> rng = np.random.default_rng(1)
    >>> release(np.array([[1, 2, 3, 4]]), [SuppressSmallCounts(2)], rng, group_size=5).tolist()
    [[0, 0, 3, 4]]
    """

    threshold: int

    def __post_init__(self) -> None:
        if not 0 <= check_real("threshold", self.threshold) < math.inf:
            raise ValueError(f"threshold is {self.threshold}; 0 users or more were expected")

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """The counts, small ones 0; as `Mechanism.apply`."""
        return np.where(counts <= self.threshold, 0, counts)


@dataclass(frozen=True)
class PostProcess(Mechanism):
    """Makes noisy counts look like counts: rounded, then clipped to [0, group_size].

    rounding  "nearest", "down" or "none". Costs no privacy: it looks at the release only.

    >>> rng, counts = np.random.default_rng(1), np.array([[1, 2, 3, 4]])
    >>> release(counts, [Laplace(0.5), PostProcess()], rng, group_size=5).tolist()
    [[4.0, 2.0, 4.0, 4.0]]
    """

    rounding: str = "nearest"
    clip: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.rounding, str) or self.rounding not in ("nearest", "down", "none"):
            raise ValueError(
                f"rounding is {format_value(self.rounding)}; one of nearest, down, none"
            )
        if not isinstance(self.clip, bool | np.bool_):
            raise ValueError(f"clip is {format_value(self.clip)}; True or False was expected")

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """The counts, rounded and clipped to [0, group_size]."""
        if self.rounding != "none":
            counts = np.rint(counts) if self.rounding == "nearest" else np.floor(counts)
            own = counts if isinstance(counts, np.ndarray) and counts.dtype == float else None
            counts = np.add(counts, 0.0, out=own)  # no negative zeros
            return np.clip(counts, 0, group_size, out=own) if self.clip else counts
        return np.clip(counts, 0, group_size) if self.clip else counts


# -- mechanisms on traces -------------------------------------------------------------------------


@dataclass(frozen=True)
class BoundContributions(TraceMechanism):
    """At most `visits_per_day` visits of each user on each day; the others are left out at random.

    The visits that stay are a uniform choice among those of the day. Days are UTC. A user-day then
    changes counts by at most visits_per_day in L1: the sensitivity of `Laplace` at user-day level.
    Source: ZK, Sec. 6.2, which does not say how visits are chosen.
    Raises ValueError if visits_per_day is not a whole number from 1.

    >>> from lib.datasets import load
    >>> six, rng = load('six-users'), np.random.default_rng(1)
    >>> BoundContributions(1).apply_traces(six, rng).visits().tolist()  # two days
    [2, 2, 2, 2, 2, 2]
    """

    visits_per_day: int

    def __post_init__(self) -> None:
        if not (isinstance(self.visits_per_day, int | np.integer) and self.visits_per_day >= 1):
            raise ValueError(
                f"visits_per_day is {format_value(self.visits_per_day)}; a whole number from 1 expected"
            )

    def apply_traces(self, traces: Traces, rng: np.random.Generator) -> Traces:
        """Traces of the same users with the visits that stay."""
        matrix = traces.matrix
        days, day_of = np.unique(traces.epochs.normalize(), return_inverse=True)
        user = np.repeat(np.arange(traces.n_users), np.diff(matrix.indptr))
        user_day = user * len(days) + day_of[matrix.indices % max(traces.n_epochs, 1)]
        order = np.lexsort((rng.random(len(user)), user_day))
        first = np.searchsorted(user_day[order], user_day[order])  # of her visits that day
        kept = np.sort(order[np.arange(len(order)) - first < self.visits_per_day])
        roi, epoch = np.divmod(matrix.indices[kept], max(traces.n_epochs, 1))
        return Traces.from_codes(
            user[kept], roi, epoch, traces.users, traces.rois, traces.epochs, traces.report
        )


@dataclass(frozen=True, repr=False)
class RandomizedResponse(TraceMechanism):
    """SpotMe: each user answers "were you there?" for every cell, and with probability p says yes.

    With probability 1 - p she tells the truth. So who was there always says yes, and a "no" is
    always true: there is no epsilon for which this is epsilon-DP, whatever p. The exact
    (epsilon, delta) between two traces is `delta_of`; for one visit more or less, delta is 1 - p at
    every epsilon. The crowd paper prints ln((S - (S - 1) p) / p)-DP an epoch, which is the formula
    of another mechanism, S-ary randomized response.
    `release(traces, groups, [RandomizedResponse(p), ...], rng)` counts the answers and gives the
    unbiased estimate of the counts: fractional, and negative at times.
    Source: crowd, Sec. 5.3; Quercia et al. 2011. Raises ValueError if p is not in (0, 1).

    >>> change = np.array([[1, 0], [0, 0]])  # one visit more
    >>> round(RandomizedResponse(0.3).delta_of(change, epsilon=5.0).item(), 10)
    0.7
    """

    p: float

    def __post_init__(self) -> None:
        if not 0 < check_real("p", self.p) < 1:
            raise ValueError(f"p is {self.p}; a probability strictly between 0 and 1 was expected")

    def __repr__(self) -> str:
        return (
            f"RandomizedResponse(p={self.p:g}): not epsilon-DP for any epsilon; for one answer of "
            f"one user (epsilon, {1 - self.p:.3g})-DP, every epsilon"
        )

    def apply_traces(self, traces: Traces, rng: np.random.Generator) -> Traces:
        """Everybody's answers, as traces: a share p and more of all cells, so keep them few."""
        blocks = []
        for first in range(0, traces.n_users, 64):
            told = traces.matrix[first : first + 64].toarray().astype(bool)
            told |= rng.random(told.shape, np.float32) < self.p
            blocks.append(sparse.csr_array(told.astype(np.int32)))
        answers = sparse.vstack(blocks, "csr")
        return Traces(answers, traces.users, traces.rois, traces.epochs, traces.report)

    def estimator(self) -> Mechanism:
        """What turns counts of answers into estimates of counts."""
        return _Unbiased(self.p)

    def simulate(self, counts: np.ndarray, rng: np.random.Generator, group_size: int) -> np.ndarray:
        """Released estimates drawn from true counts, with the distribution of the whole protocol.

        Of the group_size - count absent, a binomial number says yes; answers are independent.
        """
        yes = counts + rng.binomial(group_size - counts, self.p)
        return self.estimator().apply(yes, rng, np.asarray(group_size))

    def delta_of(self, change: np.ndarray, epsilon: float) -> np.ndarray:
        """The smallest delta for which two traces are (epsilon, delta)-indistinguishable, locally.

        change   (..., n_rois, n_epochs), one trace less the other: -1, 0 or 1
        epsilon  0 or more
        returns  (...,). With a cells only in the first trace and b only in the second, the first's
                 answers hold a "no" that the second cannot give with probability 1 - p^b; all else
                 has likelihood ratio p^b / p^a. The larger of both directions.
        """
        if not 0 <= check_real("epsilon", epsilon) < math.inf:
            raise ValueError(f"epsilon is {epsilon}; a finite number from 0 was expected")
        change = _change(change)
        gained, lost = ((change == sign).sum(axis=(-2, -1)) for sign in (1, -1))
        return np.maximum(
            self._one_way(gained, lost, epsilon), self._one_way(lost, gained, epsilon)
        )

    def _one_way(self, a: np.ndarray, b: np.ndarray, epsilon: float) -> np.ndarray:
        log_p = math.log(self.p)
        same = np.exp(b * log_p) * -np.expm1(np.minimum(0.0, epsilon + (a - b) * log_p))
        return -np.expm1(b * log_p) + same


@dataclass(frozen=True)
class _Unbiased(Mechanism):
    """(yes - p n) / (1 - p), of n answers. Source: crowd, Sec. 5.3."""

    p: float

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        return (counts - self.p * group_size) / (1 - self.p)


@overload
def release(
    source: Traces,
    groups: Sequence[Sequence[int]] | np.ndarray,
    mechanisms: Sequence[Mechanism | TraceMechanism],
    rng: np.random.Generator,
) -> np.ndarray: ...
@overload
def release(
    source: np.ndarray,
    mechanisms: Sequence[Mechanism],
    rng: np.random.Generator,
    group_size: int | np.ndarray,
) -> np.ndarray: ...
def release(source: Traces | np.ndarray, *arguments: Any, **named: Any) -> np.ndarray:
    """Counts after the mechanisms, in order. Two forms:

    release(traces, groups, mechanisms, rng)          mechanisms on traces, the count, then those
                                                      on counts
    release(aggregate, mechanisms, rng, group_size)   protects counts that exist already

    groups      as `aggregation.aggregate` takes them
    mechanisms  a list; empty releases the raw counts
    rng         numpy.random.Generator
    group_size  users in each aggregate: one number, or one a group
    returns     (n_groups, n_rois, n_epochs); an aggregate may come without its first axis

    Raises ValueError if a count is negative, not a whole number or above the group's size, for
    sizes that are not one a group, and, naming it, for what is no mechanism, or one on traces
    after one on counts or where counts exist already.

    >>> from lib.datasets import load
    >>> six, rng = load('six-users'), np.random.default_rng(1)
    >>> release(six, [[0, 1], [2, 3, 4]], [Laplace(1.0), PostProcess()], rng).shape
    (2, 4, 8)
    >>> release(np.array([[9]]), [], rng, group_size=5)
    Traceback (most recent call last):
        ...
    ValueError: count 9 at (0, 0): a whole number from 0 to 5, the group's size
    """
    form: Any = _release_traces if isinstance(source, Traces) else _release_counts
    try:
        signature(form).bind(source, *arguments, **named)
    except TypeError as error:
        raise ValueError(
            f"release: {error}; (traces, groups, mechanisms, rng) or (aggregate, mechanisms, rng, "
            f"group_size) was expected, and source is a {type(source).__name__}"
        ) from None
    released: np.ndarray = form(source, *arguments, **named)
    return released


def _release_traces(
    traces: Traces,
    groups: Sequence[Sequence[int]] | np.ndarray,
    mechanisms: Sequence[Any],
    rng: np.random.Generator,
) -> np.ndarray:
    traces, on_counts = bounded(traces, mechanisms, rng)
    counts = aggregate(traces, groups, np.int32)
    sizes = np.array([len(group) for group in groups])
    return _release_counts(counts, on_counts, rng, sizes)


def _mechanisms(mechanisms: Sequence[Any], rng: np.random.Generator) -> list[Any]:
    """The list, if it is one of mechanisms; the generator is one if any needs it."""
    if not isinstance(mechanisms, Sequence) or isinstance(mechanisms, str):
        raise ValueError(
            f"mechanisms: {format_value(mechanisms)}; a list of mechanisms was expected"
        )
    for each in mechanisms:
        if isinstance(each, type) or not (hasattr(each, "apply") or hasattr(each, "apply_traces")):
            raise ValueError(
                f"{format_value(each)} is not a mechanism, such as Laplace(epsilon=1.0)"
            )
    if mechanisms:
        check_generator(rng)
    return list(mechanisms)


def bounded(
    traces: Traces, mechanisms: Sequence[Any], rng: np.random.Generator
) -> tuple[Traces, list[Any]]:
    """The traces after the mechanisms on traces, which come first, and the other mechanisms.

    Where a mechanism on traces has an estimator, that is the first of the others.
    Raises ValueError naming a mechanism on traces that stands after one on counts.
    """
    on_counts = _mechanisms(mechanisms, rng)
    estimators: list[Any] = []
    while on_counts and hasattr(on_counts[0], "apply_traces"):
        first: Any = on_counts.pop(0)
        traces = first.apply_traces(traces, rng)
        estimators += [first.estimator()] if hasattr(first, "estimator") else []
    for mechanism in on_counts:
        if hasattr(mechanism, "apply_traces"):
            raise ValueError(
                f"{mechanism!r} works on traces: it must stand before {on_counts[0]!r}, which "
                "works on counts"
            )
    return traces, [*estimators, *on_counts]


def _release_counts(
    counts: np.ndarray,
    mechanisms: Sequence[Mechanism],
    rng: np.random.Generator,
    group_size: int | np.ndarray,
) -> np.ndarray:
    counts, size = _whole_numbers("counts", counts), _whole_numbers("group_size", group_size)
    if size.ndim == 1 and len(size) not in (1, len(counts) if counts.ndim else 0):
        raise ValueError(f"group_size has {len(size)} sizes for {len(counts)} groups")
    if size.ndim == 1:
        size = size.reshape(-1, *[1] * (counts.ndim - 1))
    try:
        np.broadcast_shapes(counts.shape, size.shape)
    except ValueError:
        raise ValueError(f"group_size is {size.shape}; one size, or one a group") from None
    _refuse_impossible(counts, size)
    left = _mechanisms(mechanisms, rng)
    if _in_one_go(counts, left):
        counts, left = _rounded(counts, left[0], left[1], size, rng), left[2:]
    for mechanism in left:
        if hasattr(mechanism, "apply_traces"):
            raise ValueError(
                f"{mechanism!r} works on traces, and these are counts already: "
                "release(traces, groups, mechanisms, rng) applies it"
            )
        counts = mechanism.apply(counts, rng, size)
    return counts


def _whole_numbers(name: str, values: Any) -> np.ndarray:
    try:
        array = np.asarray(values)
    except ValueError:  # lists of several lengths
        array = np.empty(0, object)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name}: {format_value(values)}; whole numbers were expected")
    return array


def _refuse_impossible(counts: np.ndarray, size: np.ndarray) -> None:
    whole_numbers = counts.dtype.kind != "f" or (counts == np.floor(counts)).all()
    if whole_numbers and (not counts.size or counts.min() >= 0) and (counts <= size).all():
        return
    wrong = ~((counts >= 0) & (counts <= size) & (counts == np.floor(counts)))  # NaN is wrong too
    where = tuple(int(i) for i in np.argwhere(wrong)[0])
    limit = np.broadcast_to(size, counts.shape)[where]
    raise ValueError(
        f"count {counts[where]} at {where}: a whole number from 0 to {limit}, the group's size"
    )

"""Discrete Laplace and discrete Gaussian noise: whole numbers, drawn exactly.

Floating-point samplers of continuous noise leak information in their last digits (Mironov 2012).
Here a draw uses whole numbers only, so its distribution is exactly the stated one, as far as the
generator's bits are random. OpenDP's sampler, with its own source of randomness, can replace it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import optimize

from lib.mechanisms.noise import Gaussian, Laplace
from lib.validation import format_value

BACKENDS = ("exact", "opendp")
_DENOMINATOR = 1000  # scales are rounded up to multiples of 1 / this
_LARGEST = 2000.0  # standard deviation of a discrete Gaussian: beyond, int64 overflows
_LARGEST_SCALE = 1e9  # of discrete Laplace noise


@dataclass(frozen=True, repr=False)
class DiscreteLaplace(Laplace):
    """Discrete Laplace noise: P(k) is proportional to exp(-|k| / scale) for all whole numbers k.

    epsilon-DP for inputs whose counts differ by at most `sensitivity` in L1, like `Laplace`.

    Parameters
    ----------
    epsilon, sensitivity : float
        As in `Laplace`. The scale is rounded up to a multiple of 0.001.
    backend : {"exact", "opendp"}, default="exact"
        Sampler. "opendp" needs the package opendp and does not use `rng`: OpenDP draws from the
        operating system, so results differ from run to run.

    Raises
    ------
    ValueError
        As `Laplace`; for another backend; or if the scale is too large.

    References
    ----------
    Canonne, Kamath and Steinke 2020, Algorithm 2.

    Examples
    --------
    >>> counts, rng = np.array([[9, 9, 9]]), np.random.default_rng(1)
    >>> DiscreteLaplace(1.0).apply(counts, rng, np.asarray(20)).dtype
    dtype('int64')
    """

    backend: str = "exact"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self.backend, self.scale, _LARGEST_SCALE)

    @property
    def scale(self) -> float:
        """Scale of the noise, in users."""
        return float(self._ratio)

    @property
    def _ratio(self) -> Fraction:
        exact = Fraction(float(self.sensitivity)) / Fraction(float(self.epsilon))
        return Fraction(math.ceil(exact * _DENOMINATOR), _DENOMINATOR)

    def __repr__(self) -> str:
        return super().__repr__().replace("Laplace", "DiscreteLaplace", 1)

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Add noise to counts.

        Parameters
        ----------
        counts : numpy.ndarray of whole numbers, any shape
            Counts of users.
        rng : numpy.random.Generator
            Source of randomness of the backend "exact".
        group_size : numpy.ndarray
            Not used.

        Returns
        -------
        numpy.ndarray of int64
            Noisy counts, of the same shape.
        """
        counts = _whole(counts)
        if self.backend == "opendp":
            return _opendp(counts, "laplace", self.scale)
        return counts + sample_discrete_laplace(self._ratio, counts.shape, rng)

    def sample_floor(self, size: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
        """Draw the noise, which consists of whole numbers.

        Parameters
        ----------
        size : tuple of int
            Shape of the result.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        numpy.ndarray of int64
            Noise.
        """
        return self.apply(np.zeros(size, np.int64), rng, np.asarray(0))


@dataclass(frozen=True, repr=False)
class DiscreteGaussian(Gaussian):
    """Discrete Gaussian noise: P(k) is proportional to exp(-k^2 / (2 scale^2)).

    It satisfies rho-zCDP with rho = sensitivity^2 / (2 scale^2), as continuous noise does. The
    scale is the smallest for which the conversion from zCDP gives (epsilon, delta)-DP; this is a
    little more noise than the analytic calibration of continuous noise. `calibration` is not used.

    Parameters
    ----------
    epsilon, delta, sensitivity : float
        As in `Gaussian`.
    calibration : str
        Not used.
    backend : {"exact", "opendp"}, default="exact"
        As in `DiscreteLaplace`.

    Raises
    ------
    ValueError
        As `Gaussian`; for another backend; or if the scale is too large.

    References
    ----------
    Canonne, Kamath and Steinke 2020, Theorem 4, Corollary 13 and Algorithm 3.

    Examples
    --------
    >>> round(DiscreteGaussian(1.0, 1e-5).scale, 2)
    4.05
    """

    backend: str = "exact"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self.backend, self.scale, _LARGEST)

    @property
    def scale(self) -> float:
        """Parameter of the noise, which is close to its standard deviation, in users."""
        return math.sqrt(self._variance)

    @property
    def _variance(self) -> Fraction:
        exact = self.sensitivity**2 / (2 * zcdp_budget(self.epsilon, self.delta))
        denominator = _DENOMINATOR if exact < _DENOMINATOR else 1
        return Fraction(math.ceil(exact * denominator), denominator)

    @property
    def delivered_delta(self) -> float:
        """The delta that the conversion from zCDP gives at this epsilon."""
        return zcdp_delta(self.epsilon, self.sensitivity**2 / (2 * self.scale**2))

    def __repr__(self) -> str:
        return super().__repr__().replace("Gaussian", "DiscreteGaussian", 1)

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Add noise to counts.

        Parameters
        ----------
        counts : numpy.ndarray of whole numbers, any shape
            Counts of users.
        rng : numpy.random.Generator
            Source of randomness of the backend "exact".
        group_size : numpy.ndarray
            Not used.

        Returns
        -------
        numpy.ndarray of int64
            Noisy counts, of the same shape.
        """
        counts = _whole(counts)
        if self.backend == "opendp":
            return _opendp(counts, "gaussian", self.scale)
        return counts + sample_discrete_gaussian(self._variance, counts.shape, rng)


# -- calibration -----------------------------------------------------------------------------------


def zcdp_delta(epsilon: float, rho: float) -> float:
    """Compute a delta for which rho-zCDP implies (epsilon, delta)-DP.

    Parameters
    ----------
    epsilon : float
        Privacy parameter, above 0.
    rho : float
        zCDP parameter, above 0.

    Returns
    -------
    float
        The smallest delta over all orders of the conversion.

    References
    ----------
    Canonne, Kamath and Steinke 2020, Corollary 13.
    """

    def log_delta(log_order: float) -> float:  # of the order minus 1
        order = 1 + math.exp(log_order)
        exponent = (order - 1) * (order * rho - epsilon)
        return exponent - math.log(order - 1) + order * math.log1p(-1 / order)

    found = optimize.minimize_scalar(log_delta, bounds=(-10, 25), method="bounded")
    return float(math.exp(min(0.0, float(found.fun))))


def zcdp_budget(epsilon: float, delta: float) -> float:
    """Compute the largest rho for which rho-zCDP implies (epsilon, delta)-DP.

    Parameters
    ----------
    epsilon, delta : float
        Privacy parameters.

    Returns
    -------
    float
        The zCDP parameter.

    References
    ----------
    Canonne, Kamath and Steinke 2020, Corollary 13.
    """
    low, high = 0.0, epsilon + 1
    for _ in range(200):
        middle = (low + high) / 2
        if middle > 0 and zcdp_delta(epsilon, middle) > delta:
            high = middle
        else:
            low = middle
    return low


# -- samplers --------------------------------------------------------------------------------------


def sample_discrete_laplace(
    scale: Fraction, size: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray:
    """Draw discrete Laplace noise exactly.

    Parameters
    ----------
    scale : Fraction
        Scale t / s.
    size : tuple of int
        Shape of the result.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    numpy.ndarray of int64
        Draws.

    References
    ----------
    Canonne, Kamath and Steinke 2020, Algorithm 2.
    """
    t, s = scale.numerator, scale.denominator
    sample = np.empty(math.prod(size), np.int64)
    todo = np.arange(len(sample))
    while len(todo):
        rest = rng.integers(0, t, len(todo))
        kept = _bernoulli_exp(rest, np.full(len(todo), t), rng)
        bases = _geometric(int(kept.sum()), rng)
        size_of = (rest[kept] + t * bases) // s
        negative = rng.integers(0, 2, len(size_of)) == 1
        fine = ~(negative & (size_of == 0))  # otherwise 0 would be drawn twice as often
        sample[todo[kept][fine]] = np.where(negative, -size_of, size_of)[fine]
        todo = np.setdiff1d(todo, todo[kept][fine], assume_unique=True)
    return sample.reshape(size)


def sample_discrete_gaussian(
    variance: Fraction, size: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray:
    """Draw discrete Gaussian noise exactly.

    Parameters
    ----------
    variance : Fraction
        Square of the scale.
    size : tuple of int
        Shape of the result.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    numpy.ndarray of int64
        Draws.

    References
    ----------
    Canonne, Kamath and Steinke 2020, Algorithm 3.
    """
    n, d = variance.numerator, variance.denominator
    t = math.isqrt(n // d) + 1
    sample = np.empty(math.prod(size), np.int64)
    todo = np.arange(len(sample))
    while len(todo):
        drawn = sample_discrete_laplace(Fraction(t), (len(todo),), rng)
        over, under = (np.abs(drawn) * d * t - n) ** 2, 2 * n * d * t * t
        kept = _bernoulli_exp(over, np.full(len(todo), under), rng)
        sample[todo[kept]] = drawn[kept]
        todo = todo[~kept]
    return sample.reshape(size)


def _bernoulli_exp(over: np.ndarray, under: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw True with probability exp(-over / under), exactly (Algorithm 1)."""
    whole, rest = np.divmod(over, under)
    yes = _bernoulli_exp_below_one(rest, under, rng)
    left = np.where(yes, whole, 0)
    while (left > 0).any():  # exp(-whole) is a product
        at = np.flatnonzero(left > 0)
        ones = np.ones(len(at), np.int64)
        again = _bernoulli_exp_below_one(ones, ones, rng)
        yes[at[~again]] = False
        left[at] = np.where(again, left[at] - 1, 0)
    return yes


def _bernoulli_exp_below_one(
    over: np.ndarray, under: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """The same for ratios up to 1: the first k that fails with chance ratio / k is odd."""
    count = np.ones(len(over), np.int64)
    todo = np.arange(len(over))
    while len(todo):
        going = rng.integers(0, under[todo]) < over[todo]
        going &= rng.integers(0, count[todo]) == 0
        todo = todo[going]
        count[todo] += 1
    return np.asarray(count % 2 == 1)


def _geometric(n: int, rng: np.random.Generator) -> np.ndarray:
    """How often Bernoulli(exp(-1)) succeeds before it fails."""
    count, todo = np.zeros(n, np.int64), np.arange(n)
    while len(todo):
        ones = np.ones(len(todo), np.int64)
        todo = todo[_bernoulli_exp_below_one(ones, ones, rng)]
        count[todo] += 1
    return count


def _opendp(counts: np.ndarray, noise: str, scale: float) -> np.ndarray:
    """Add noise with OpenDP, which draws from the operating system."""
    try:
        import opendp.prelude as dp
    except ImportError:
        raise ValueError(
            "backend is 'opendp', and the package is not installed: pip install opendp"
        ) from None
    dp.enable_features("contrib")
    domain: Any = dp.vector_domain(dp.atom_domain(T=int))
    if noise == "laplace":
        measurement = dp.m.make_laplace(domain, dp.l1_distance(T=int), scale)
    else:
        measurement = dp.m.make_gaussian(domain, dp.l2_distance(T=float), scale)
    noisy = measurement(counts.ravel().tolist())
    return np.array(noisy, np.int64).reshape(counts.shape)


def _whole(counts: np.ndarray) -> np.ndarray:
    whole = np.rint(counts).astype(np.int64)
    if (whole != counts).any():
        raise ValueError("counts have fractions; discrete noise is for whole numbers")
    return whole


def _check(backend: str, scale: float, largest: float) -> None:
    if not isinstance(backend, str) or backend not in BACKENDS:
        raise ValueError(f"backend is {format_value(backend)}; one of {', '.join(BACKENDS)}")
    if scale > largest:
        raise ValueError(
            f"the noise would have a scale of {scale:g}; discrete noise is drawn up to "
            f"{largest:g}: take continuous noise"
        )

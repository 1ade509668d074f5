"""What a release says about its population: where, when and how much people are on the move.

ZK's attacker has nothing but the release. From it she estimates the space marginal, the time
marginal and the mean number of visits a user, and samples synthetic traces from them
(`lib.datasets.mobility.synthesize`).
Source: ZK, Sec. 4.3 and Alg. 2, 3, 4; the docstrings name corrections of the listings.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, sparse, stats

from lib import mechanisms as m
from lib.datasets import mobility
from lib.mechanisms import release_traces
from lib.validation import check_finite, check_integer, format_value, validated

LARGEST_POWER = 50.0
POWER_STEP = 0.01  # ZK, Alg. 4
LEAST_MEAN = 1.0  # visits a user: whoever is in the data made one
_NOISE = (m.Laplace, m.Gaussian, m.FourierPerturbation, m.EnhancedFourierPerturbation)


class EmptyRelease(ValueError):
    """The release has no positive count, so that nothing can be estimated from it."""


@dataclass(frozen=True)
class Marginals:
    """The three estimated inputs of the mobility model.

    Parameters
    ----------
    space : ndarray of float, shape (n_rois,)
        Probabilities of the ROIs.
    time : ndarray of float, shape (n_epochs,)
        Probabilities of the epochs.
    mean_visits : float
        Mean number of visits per user.
    powers : tuple of float, optional
        Degrees of the power transform of space and of time; None if none was used.
    """

    space: np.ndarray
    time: np.ndarray
    mean_visits: float
    powers: tuple[float, float] | None = None

    @property
    def activity(self) -> Any:
        """Exp(mean_visits), a frozen scipy distribution: ZK's activity marginal (Sec. 4.3.2)."""
        return stats.expon(scale=self.mean_visits)


@validated
def estimate(
    release: np.ndarray,
    mechanisms: Sequence[Any],
    group_size: int,
    coordinates: pd.DataFrame | np.ndarray,
    rng: np.random.Generator,
    *,
    inner_activity: str = "constant",
) -> Marginals:
    """Estimate the marginals from one release, as ZK does.

    Without mechanisms that matter (bounded contributions, post-processing and a threshold of 0 do
    not), these are the empirical marginals and mean. For suppression alone, marginals are
    log-compressed; for noise, with or without suppression, power-transformed. In both cases the
    mean is `estimate_mean`'s.

    Parameters
    ----------
    release : ndarray, shape (n_rois, n_epochs)
        Counts from 0 to `group_size`.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What was applied, in order.
    group_size : int
        Users in the release.
    coordinates : DataFrame or ndarray, shape (n_rois, 2)
        Latitude and longitude of the ROIs.
    rng : numpy.random.Generator
        Source of randomness.
    inner_activity : {"constant", "exponential"}
        As for `estimate_mean`.

    Returns
    -------
    Marginals
        The estimates.

    Raises
    ------
    EmptyRelease
        If all counts are 0, for instance all suppressed (a ValueError).
    ValueError
        If a count is negative or above `group_size`, or coordinates are unfit.

    References
    ----------
    ZK, Alg. 2.
    """
    space, time = empirical_marginals(release, group_size)
    noisy, suppressed = _noisy(mechanisms), _suppressed(mechanisms)
    if not noisy and not suppressed:
        return Marginals(space, time, float(np.sum(release)) / group_size)
    powers = None
    if noisy:
        (space, first), (time, second) = power_transform(space), power_transform(time)
        powers = first, second
    else:
        space, time = log_compress(space), log_compress(time)
    mean = estimate_mean(
        release,
        space,
        time,
        mechanisms,
        group_size,
        coordinates,
        rng,
        inner_activity=inner_activity,
    )
    return Marginals(space, time, mean, powers)


@validated
def empirical_marginals(release: np.ndarray, group_size: int) -> tuple[np.ndarray, np.ndarray]:
    """Compute the share of all counts in each ROI and in each epoch.

    Parameters
    ----------
    release : ndarray, shape (n_rois, n_epochs)
        Counts from 0 to `group_size`.
    group_size : int
        Users in the release.

    Returns
    -------
    space : ndarray of float, shape (n_rois,)
        Shares of the ROIs.
    time : ndarray of float, shape (n_epochs,)
        Shares of the epochs.

    Raises
    ------
    EmptyRelease
        If all counts are 0 (a ValueError).
    ValueError
        If a count is outside [0, group_size].

    References
    ----------
    ZK, Eq. 5 and 6.
    """
    counts = np.asarray(release)
    if counts.ndim != 2:
        raise ValueError(f"release has shape {counts.shape}; (n_rois, n_epochs) was expected")
    wrong = ~((counts >= 0) & (counts <= group_size))  # NaN is wrong too
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"count {counts[where]:g} at {where}: 0 to {group_size} were expected; "
            "clip a noisy release to that first, as PostProcess does"
        )
    total = counts.sum()
    if not total > 0:
        raise EmptyRelease(
            "all counts of the release are 0 (none were there, or all were suppressed): "
            "it says nothing about where and when"
        )
    return counts.sum(axis=1) / total, counts.sum(axis=0) / total


@validated
def log_compress(marginal: np.ndarray) -> np.ndarray:
    """Compress a marginal: log(1 + x / smallest positive x), scaled to sum to 1.

    Parameters
    ----------
    marginal : ndarray of float, shape (n,)
        Probabilities.

    Returns
    -------
    ndarray of float, shape (n,)
        Probabilities; zeros stay zeros.

    References
    ----------
    ZK, Eq. 7 and 8.
    """
    marginal = _checked(marginal)
    least = marginal[marginal > 0].min()
    with np.errstate(over="ignore"):
        compressed = np.log1p(marginal / least)
    if not np.isfinite(compressed).all():
        raise ValueError(f"marginal holds {least}: multiples of it are beyond any float")
    return compressed / compressed.sum()


@validated
def exponentiate(marginal: np.ndarray) -> np.ndarray:
    """Expand a marginal: exp(x) - 1, scaled to sum to 1.

    This inverse of log compression is the transform that fails.

    Parameters
    ----------
    marginal : ndarray of float, shape (n,)
        Probabilities.

    Returns
    -------
    ndarray of float, shape (n,)
        Probabilities.

    References
    ----------
    ZK, Sec. 4.3.1 (its constant 1/gamma cancels).
    """
    expanded = np.expm1(_checked(marginal))
    return expanded / expanded.sum()


@validated
def raise_to_power(marginal: np.ndarray, power: float) -> np.ndarray:
    """Raise a marginal to a power and scale it to sum to 1.

    Parameters
    ----------
    marginal : ndarray of float, shape (n,)
        Probabilities.
    power : float
        Above 0.

    Returns
    -------
    ndarray of float, shape (n,)
        Probabilities.

    Raises
    ------
    ValueError
        If the power is not above 0.
    """
    marginal = _checked(marginal)
    if not power > 0:
        raise ValueError(f"power is {power}; a number above 0 was expected")
    raised = (marginal / marginal.max()) ** power  # the largest is 1: nothing underflows to 0 / 0
    return raised / raised.sum()


@validated
def reference_variance(n: int, rng: np.random.Generator | None = None) -> float:
    """Compute the variance among n random probabilities: uniform draws scaled to sum to 1.

    Parameters
    ----------
    n : int
        Number of probabilities.
    rng : numpy.random.Generator, optional
        If given, the variance is that of one draw, as printed; by default it is 1 / (3 n^2), to
        which it tends.

    Returns
    -------
    float
        The variance.

    References
    ----------
    ZK, Eq. 9.
    """
    check_integer("n", n, 1)
    if rng is None:
        return 1 / (3 * n**2)
    draw = rng.random(n)
    return float(np.var(draw / draw.sum()))


@validated
def select_power(marginal: np.ndarray, variance: float) -> float:
    """Select the degree whose power transform has the variance nearest to a given one.

    Degrees are 1, 1.01, 1.02, ..., 50. The variance grows with the degree. It is 1 if the marginal
    varies enough already, and 50, with a warning, if the variance is out of reach.

    Parameters
    ----------
    marginal : ndarray of float, shape (n,)
        Probabilities.
    variance : float
        The variance to reach.

    Returns
    -------
    float
        The degree.

    References
    ----------
    ZK, Alg. 4, corrected: its listing returns the variance, tests one degree and returns the next,
    and ends only if a step meets a window.
    """

    marginal = _checked(marginal)

    def reached(step: int) -> float:
        return float(np.var(raise_to_power(marginal, 1 + POWER_STEP * step)))

    low, high = 0, round((LARGEST_POWER - 1) / POWER_STEP)
    if reached(low) >= variance:
        return 1.0
    if reached(high) < variance:
        warnings.warn(
            f"no power up to {LARGEST_POWER:g} gives a marginal of {len(marginal)} the variance "
            f"{variance:.3g}: it is nearly uniform",
            stacklevel=2,
        )
        return LARGEST_POWER
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if reached(middle) < variance else (low, middle)
    nearest = min((low, high), key=lambda step: abs(reached(step) - variance))
    return round(1 + POWER_STEP * nearest, 2)


@validated
def power_transform(
    marginal: np.ndarray, rng: np.random.Generator | None = None
) -> tuple[np.ndarray, float]:
    """Raise a marginal to the selected degree.

    Parameters
    ----------
    marginal : ndarray of float, shape (n,)
        Probabilities.
    rng : numpy.random.Generator, optional
        As for `reference_variance`.

    Returns
    -------
    marginal : ndarray of float, shape (n,)
        Probabilities.
    power : float
        The degree.

    References
    ----------
    ZK, Sec. 4.3.1.
    """
    marginal = _checked(marginal)
    power = select_power(marginal, reference_variance(len(marginal), rng))
    return raise_to_power(marginal, power), power


@validated
def estimate_mean(
    release: np.ndarray,
    space: np.ndarray,
    time: np.ndarray,
    mechanisms: Sequence[Any],
    group_size: int,
    coordinates: pd.DataFrame | np.ndarray,
    rng: np.random.Generator,
    *,
    inner_activity: str = "constant",
    tolerance: float = 0.01,
    max_iterations: int = 50,
) -> float:
    """Estimate the mean number of visits by matching synthetic releases to the real one.

    At the estimate, synthetic groups released alike hold the same number of counts. The printed
    listing steps from mu to mu_0 plus the excess of the release over the synthetic one, which has
    another fixed point. The intended step, from mu to mu plus the excess, needs hundreds of
    iterations if most counts are suppressed, and starts at mu_0, which is mostly noise if there is
    noise (36,000 visits at scale 200). Its fixed point is found here by doubling a bracket and by
    Brent's method, with every synthetic group drawn from the same random numbers, so that the
    search always ends.

    Parameters
    ----------
    release : ndarray, shape (n_rois, n_epochs)
        Released counts.
    space : ndarray of float, shape (n_rois,)
        Space marginal.
    time : ndarray of float, shape (n_epochs,)
        Time marginal.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What was applied, in order.
    group_size : int
        Users in the release.
    coordinates : DataFrame or ndarray, shape (n_rois, 2)
        Latitude and longitude of the ROIs.
    rng : numpy.random.Generator
        Source of randomness.
    inner_activity : {"constant", "exponential"}
        "constant": every synthetic user has the mean, rounded at random to a whole number (as
        printed); "exponential": Exp(mean), as in the attack. They differ under suppression.
    tolerance : float
        Relative tolerance of the mean.
    max_iterations : int
        Most iterations of the search.

    Returns
    -------
    float
        Visits per user, between LEAST_MEAN and the largest number in a synthetic trace. It is the
        lower end if even an empty group would be released with more counts.

    References
    ----------
    ZK, Alg. 3.
    """
    if inner_activity not in ("constant", "exponential"):
        raise ValueError(
            f"inner_activity is {format_value(inner_activity)}; one of constant, exponential"
        )
    neighbours = mobility.triangulate(coordinates)
    patch = min(mobility.SUBGRAPH_SIZE, len(space))
    most = float(patch * len(time))
    seed = int(rng.integers(2**63))

    def excess(mean: float) -> float:
        return (
            _released_visits(
                mean,
                space,
                time,
                mechanisms,
                group_size,
                coordinates,
                neighbours,
                inner_activity,
                np.random.default_rng(seed),
            )
            - float(np.sum(release)) / group_size
        )

    return _root(excess, most, tolerance, max_iterations)


# -- what noise does to marginals ----------------------------------------------------------------


@validated
def expected_counts(counts: np.ndarray, scale: float, rounding: str = "none") -> np.ndarray:
    """Compute the expected released counts under Laplace noise clipped at 0.

    With raw count A and scale b it is A + (b/2) exp(-A/b) without rounding, and A - 1/2 + exp(-A/b)
    / (2 - 2 exp(-1/b)) if counts are rounded down as well, as ZK's releases are. At A = 0 these are
    b/2 (ZK's Lemma A.3) and 1 / (2 exp(1/b) - 2), which the lemma omits and which is near (b - 1/2)
    / 2 + 1 / (24 b) for large b. Clipping at the group's size is ignored.

    Parameters
    ----------
    counts : ndarray
        Raw counts from 0, of any shape.
    scale : float
        Scale of the noise, b.
    rounding : {"none", "down"}
        Whether noisy counts are rounded down.

    Returns
    -------
    ndarray of float
        Expected counts of the same shape.

    Raises
    ------
    ValueError
        If the scale is not positive or the rounding unknown.

    References
    ----------
    ZK, Lemma A.3.
    """
    if not scale > 0:
        raise ValueError(f"scale is {scale}; a finite number above 0 was expected")
    counts = check_finite("counts", counts, 0)
    away = np.exp(-counts / scale)
    if rounding == "none":
        return counts + scale / 2 * away
    if rounding == "down":
        return counts - 0.5 - away / (2 * np.expm1(-1 / scale))
    raise ValueError(f"rounding is {format_value(rounding)}; one of none, down")


@validated
def limiting_marginals(
    counts: np.ndarray, scale: float, rounding: str = "none"
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the limits of the empirical marginals of a noisy release.

    By the law of large numbers the space marginal of the release differs from this one by an error
    that vanishes as epochs are added, and the time marginal as ROIs are added. If counts are
    strongly sparse (their mean over epochs vanishes), every ROI's expected count has the mean of an
    empty one, E0, and the limit is uniform: E0 / (n_rois E0) = 1 / n_rois.

    Parameters
    ----------
    counts : ndarray, shape (n_rois, n_epochs)
        Raw counts.
    scale : float
        Scale of the Laplace noise.
    rounding : {"none", "down"}
        As for `expected_counts`.

    Returns
    -------
    space : ndarray of float, shape (n_rois,)
        Shares of the expected counts.
    time : ndarray of float, shape (n_epochs,)
        Shares of the expected counts.

    References
    ----------
    ZK, App. A, Theorem A.2, corrected. The printed proof lets epsilon tend to 0 where it means the
    number of epochs to infinity, and has 1 / n_rois for n_rois in its last display.
    """
    if counts.ndim != 2 or not counts.size:
        raise ValueError(f"counts are {counts.shape}; (n_rois, n_epochs), not empty, was expected")
    expected = expected_counts(counts, scale, rounding)
    if not 0 < expected.sum() < np.inf:
        raise ValueError(
            f"scale is {scale}: expected counts sum to {expected.sum():g}; no marginal has such"
        )
    return expected.sum(axis=1) / expected.sum(), expected.sum(axis=0) / expected.sum()


# -- inside --------------------------------------------------------------------------------------


def _checked(marginal: np.ndarray) -> np.ndarray:
    """A row of probabilities, as floats."""
    marginal = check_finite("marginal", marginal, 0, 1 + 1e-9)
    if marginal.ndim != 1 or not marginal.any():
        raise ValueError(
            f"marginal is {format_value(marginal)}; a row of probabilities, not all 0, was expected"
        )
    return marginal


def _noisy(mechanisms: Sequence[Any]) -> bool:
    return any(isinstance(mechanism, _NOISE) for mechanism in mechanisms)


def _suppressed(mechanisms: Sequence[Any]) -> bool:
    return any(
        isinstance(mechanism, m.SuppressSmallCounts) and mechanism.threshold > 1
        for mechanism in mechanisms
    )


def _released_visits(
    mean: float,
    space: np.ndarray,
    time: np.ndarray,
    mechanisms: Sequence[Any],
    group_size: int,
    coordinates: pd.DataFrame | np.ndarray,
    neighbours: sparse.csr_array,
    inner_activity: str,
    rng: np.random.Generator,
) -> float:
    """Counts a user in the release of one synthetic group whose users have `mean` visits."""
    noise = rng.spawn(1)[0]  # the same noise whatever the mean
    share = rng.random(group_size)
    if inner_activity == "constant":
        n_visits = np.floor(mean + share)
    else:
        n_visits = stats.expon(scale=mean).ppf(share)
    traces = mobility.synthesize(
        space, time, n_visits, coordinates, group_size, rng, neighbours=neighbours
    )
    released = release_traces(traces, [np.arange(group_size)], mechanisms, noise)  # type: ignore[list-item]
    return float(released.sum()) / group_size


def _root(
    excess: Callable[[float], float], most: float, tolerance: float, max_iterations: int
) -> float:
    """Where `excess` passes 0, between LEAST_MEAN and `most`; the end that is nearer if nowhere."""
    low, high = LEAST_MEAN, 2 * LEAST_MEAN
    if most <= low or excess(low) >= 0:
        return low
    while high < most and excess(high) < 0:
        low, high = high, 2 * high
    high = min(high, most)
    if high == most and excess(most) < 0:
        return most
    found = optimize.brentq(
        excess, low, high, xtol=tolerance * low, rtol=1e-9, maxiter=max_iterations, disp=False
    )
    return float(found)

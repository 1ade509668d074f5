"""How probable a published value is, given the true count: exact for each mechanism on counts.

A published value tells in which interval the noisy count lies. Where a mechanism publishes the
noisy count itself, the interval is a point. Rounding makes it as wide as the base, clipping extends
it to infinity, and suppression censors it: a hidden count lies below the threshold. The likelihood
of a true count is then the probability, or the density, of the noise between the two ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from lib.audit.releases import Plan
from lib.mechanisms import DiscreteGaussian, DiscreteLaplace, FourierPerturbation, Gaussian, Laplace
from lib.membership.score_distributions import log_ratio

_FAR = 1e9  # no count is as far from 0
_HALVINGS = 90
_NEAR = 1e-3  # relative; closer values are published alike only if they are rounded or suppressed
_FLOOR = np.log(1e-13)  # log-likelihood of what is impossible
_NEVER = 1e-15  # probability of a count that is left out


class Evidence(NamedTuple):
    """Ends of the interval in which each noisy count lies.

    Parameters
    ----------
    low, high : ndarray of float, same shape
        The ends; equal where the noisy count itself is published.
    """

    low: np.ndarray
    high: np.ndarray

    def minus(self, known: np.ndarray) -> Evidence:
        """Subtract people who are known to be counted.

        Parameters
        ----------
        known : ndarray of int
            Their counts, of the same shape.

        Returns
        -------
        Evidence
            About the other people.
        """
        return Evidence(self.low - known, self.high - known)

    def of(self, which: np.ndarray) -> Evidence:
        """Select cells.

        Parameters
        ----------
        which : ndarray of int or bool
            Positions, or a mask, along the first axis.

        Returns
        -------
        Evidence
            About these cells.
        """
        return Evidence(self.low[which], self.high[which])


class CountLikelihood:
    """Likelihood of true counts, for one release.

    Parameters
    ----------
    plan : Plan
        The release; Laplace noise, Gaussian noise, random rounding or none, and any deterministic,
        increasing post-processing.
    group_size : int
        Upper bound on any count.

    Raises
    ------
    ValueError
        For Fourier perturbation, whose noise is not independent between cells.
    """

    def __init__(self, plan: Plan, group_size: int):
        if isinstance(plan.noise, FourierPerturbation):
            raise ValueError("the noise of fpa is not independent between cells")
        self.plan, self.group_size = plan, group_size
        self.noise: Laplace | Gaussian | None = plan.noise  # type: ignore[assignment]
        self.scale = self.noise.scale if self.noise else 0.0  # searched for at each access

    def evidence(self, published: np.ndarray) -> Evidence:
        """Find the interval of noisy counts that are published as each value.

        Parameters
        ----------
        published : ndarray
            Published values.

        Returns
        -------
        Evidence
            The intervals, of the same shape.
        """
        if self.plan.random_base:
            return self._multiples(published)
        if self.noise is None:  # counts are whole: all of them are tried
            shown = self._show(np.arange(self.group_size + 2))
            low = np.searchsorted(shown, published, "left") - 0.5
            return Evidence(low, np.searchsorted(shown, published, "right") - 0.5)
        published = np.asarray(published, float)
        if not self.plan.after:
            return Evidence(published, published)
        step = _NEAR * np.maximum(np.abs(published), 1)
        flat = (self._show(published + step) == published) | (
            self._show(published - step) == published
        )
        values, which = np.unique(published[flat], return_inverse=True)
        low, high = published.copy(), published.copy()
        low[flat], high[flat] = (each[which] for each in self._ends(values))
        return Evidence(low, high)

    def _multiples(self, published: np.ndarray) -> Evidence:
        """The smallest and the largest multiple that are published as each value."""
        base = self.plan.random_base
        multiples = np.arange(0.0, self.group_size + base + 1, base)
        shown = self._show(multiples)
        first, after = (np.searchsorted(shown, published, side) for side in ("left", "right"))
        last = len(multiples) - 1
        return Evidence(multiples[np.minimum(first, last)], multiples[np.maximum(after - 1, 0)])

    def _show(self, noisy: np.ndarray) -> np.ndarray:
        return self.plan.without_noise(noisy, self.group_size)

    def _ends(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The smallest and the largest noisy count that is published as each value."""
        ends = []
        for reached in (np.greater_equal, np.greater):
            below, above = np.full(values.shape, -_FAR), np.full(values.shape, _FAR)
            for _ in range(_HALVINGS):
                middle = (below + above) / 2
                yes = reached(self._show(middle), values)
                below, above = np.where(yes, below, middle), np.where(yes, middle, above)
            ends.append(above)
        return ends[0], ends[1]

    def log_likelihood(self, evidence: Evidence, count: np.ndarray | int) -> np.ndarray:
        """Compute the log-likelihood of true counts.

        Parameters
        ----------
        evidence : Evidence
            What was published.
        count : ndarray of int or int
            True counts, of a shape that broadcasts.

        Returns
        -------
        ndarray
            Log probabilities or, where the noisy count is published, log densities up to a
            constant. Impossible counts have a very small one instead of none.
        """
        low, high = evidence.low - count, evidence.high - count
        if self.plan.random_base:  # the nearer of two multiples is the likelier one
            away = np.maximum(np.maximum(-high, low), 0) / self.plan.random_base
            return np.log(np.maximum(1 - away, np.exp(_FLOOR)))
        if self.noise is None:
            return np.where((low < 0) & (high > 0), 0.0, _FLOOR)
        laplace = isinstance(self.noise, Laplace)
        if isinstance(self.noise, DiscreteLaplace | DiscreteGaussian):  # ends between numbers
            inside = low != high
            low = np.where(inside, np.ceil(low) - 0.5, low)
            high = np.where(inside, np.ceil(high) - 0.5, high)
        low, high = low / self.scale, high / self.scale
        density = -np.abs(low) if laplace else -0.5 * low**2
        if not (low != high).any():
            return density
        log_cdf: Any = _laplace_log_cdf if laplace else special.log_ndtr
        if isinstance(self.noise, DiscreteLaplace):
            log_cdf = _discrete_laplace_log_cdf(self.scale)
        mirrored = low + high > 0  # both ends in the lower half, where tails are accurate
        left, right = np.where(mirrored, -high, low), np.where(mirrored, -low, high)
        upper = log_cdf(right)
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = upper + np.log1p(-np.exp(np.minimum(log_cdf(left) - upper, 0.0)))
        inside = np.logaddexp(np.nan_to_num(inside, nan=-np.inf), _FLOOR)
        return np.where(low == high, density, inside)

    def log_ratio(self, evidence: Evidence, distribution: np.ndarray) -> np.ndarray:
        """Compute the log-likelihood ratio of one more person, against none, beside others.

        Parameters
        ----------
        evidence : Evidence
            What was published in cells with the same distribution of other users.
        distribution : ndarray of float
            Probabilities of 0, 1, 2, ... other users.

        Returns
        -------
        ndarray
            Log ratios in nats, of the same shape as the evidence.
        """
        ratios = np.empty(evidence.low.shape)
        point = evidence.low == evidence.high
        if self.noise is not None and point.any():
            ratios[point] = log_ratio(evidence.low[point], distribution, self.noise)
            if point.all():
                return ratios
        else:
            point = np.zeros_like(point)
        ends = evidence.low[~point] + 1j * evidence.high[~point]
        pairs, which = np.unique(ends, return_inverse=True)
        possible = np.flatnonzero(distribution > _NEVER)
        pair, weight = (
            Evidence(pairs.real[:, None], pairs.imag[:, None]),
            np.log(distribution[possible]),
        )
        without, with_target = (
            special.logsumexp(self.log_likelihood(pair, possible + more) + weight, axis=1)
            for more in (0, 1)
        )
        ratios[~point] = (with_target - without)[which.ravel()]
        return ratios


def _laplace_log_cdf(x: np.ndarray) -> np.ndarray:
    lower = np.minimum(x, 0) - np.log(2)
    return np.where(x < 0, lower, np.log1p(-0.5 * np.exp(-np.maximum(x, 0))))


def _discrete_laplace_log_cdf(scale: float) -> Callable[[np.ndarray], np.ndarray]:
    """Of noise divided by its scale, at places half-way between two whole numbers."""
    shift = 0.5 / scale + np.log1p(np.exp(-1 / scale))

    def log_cdf(x: np.ndarray) -> np.ndarray:
        tail = -np.abs(x) - shift
        return np.where(x < 0, tail, np.log1p(-np.exp(tail)))

    return log_cdf


def fourier_log_ratio(
    noise: FourierPerturbation, published: np.ndarray, others: np.ndarray, change: np.ndarray
) -> np.ndarray:
    """Compute the log-likelihood ratio of a change under Fourier perturbation.

    The noise of the real and of the imaginary part of each kept coefficient is independent. The
    other users' coefficients have the empirical distribution of samples. With one sample, the exact
    counts of all others, the ratio is exact; with more, coefficients are taken as independent.

    Parameters
    ----------
    noise : FourierPerturbation
        The noise.
    published : ndarray, shape (n_releases, n_rois, n_epochs)
        Published series, before any post-processing.
    others : ndarray, shape (n_samples, n_rois, n_epochs) or (n_samples, n_releases, ...)
        Raw series of the other users: samples for all releases, or for each of them.
    change : ndarray, shape (n_rois, n_epochs)
        What the target adds.

    Returns
    -------
    ndarray, shape (n_releases,)
        Log ratios in nats.
    """

    def parts(series: np.ndarray) -> np.ndarray:
        kept = np.fft.rfft(series, norm="ortho")[..., : noise.kappa]
        return np.concatenate([kept.real, kept.imag], axis=-1)

    if others.ndim == 3:
        others = others[:, None]
    distance = (parts(published) - parts(others)) / noise.scale
    with_target = distance - parts(change) / noise.scale
    ratios = special.logsumexp(-np.abs(with_target), axis=0) - special.logsumexp(
        -np.abs(distance), axis=0
    )
    return ratios.sum(axis=(-2, -1))

"""Distributions of scores over cells: normal, (Poisson) binomial, and exact by convolution.

A cell that the target may have visited is described by the distribution of the number of unknown
other users there: a row of probabilities of 0, 1, 2, ... users. `np.ones(1)` means that nobody else
is unknown, as for the informed attacker. The target adds 1, and the mechanism adds its noise.
Cells are taken as independent. This is exact for the informed attacker. For the auxiliary attacker
it is an approximation, because one person may visit several cells.

Source: threshold paper, Sec. 3; distributions by convolution, and of sums, are not in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import fft, special, stats

from lib.mechanisms import Gaussian, Laplace, Mechanism
from lib.validation import check_finite, format_value, validated

NO_OTHERS = np.ones(1)
_PER_SCALE = 64  # steps of a cell's grid in one noise scale
_TAIL: dict[type, float] = {
    Laplace: 40.0,
    Gaussian: 12.0,
}  # noise scales beyond which less than 1e-16 lies
_POINTS = 2**15  # of the sum's grid
_SPREAD = 14  # standard deviations on either side that it covers
_LARGEST = 10**7  # users a cell
_NEVER = 1e-15  # probability of a count below which it is left out of densities


@validated
def noise_distribution(mechanism: Mechanism) -> Any:
    """Return the distribution of the noise on a cell.

    Parameters
    ----------
    mechanism : Laplace or Gaussian
        The mechanism.

    Returns
    -------
    scipy.stats frozen distribution
        Of the noise.

    Raises
    ------
    ValueError
        If the mechanism is not additive noise.
    """
    additive = _additive(mechanism)
    kind = stats.laplace if isinstance(additive, Laplace) else stats.norm
    return kind(scale=additive.scale)


def _additive(mechanism: Mechanism) -> Laplace | Gaussian:
    if isinstance(mechanism, Laplace | Gaussian):
        return mechanism
    raise ValueError(
        f"mechanism is {format_value(mechanism)}; Laplace or Gaussian noise was expected"
    )


@validated
def count_distributions(others: np.ndarray) -> list[np.ndarray]:
    """Estimate the distribution of other users' counts in each cell from samples.

    Parameters
    ----------
    others : ndarray of int, shape (n, n_cells)
        Raw counts.

    Returns
    -------
    list of ndarray of float
        Each cell's probabilities of 0, 1, 2, ... users.

    Raises
    ------
    ValueError
        If a count is negative or not whole.
    """
    others = np.asarray(others)
    wrong = ~((others >= 0) & (others <= _LARGEST) & (others == np.floor(others)))
    if others.ndim != 2 or not len(others) or wrong.any():
        bad = others[wrong].flat[0] if wrong.any() else others.shape
        raise ValueError(f"others: {bad}; raw counts (n, cells) of whole numbers were expected")
    return [np.bincount(column.astype(np.int64)) / len(others) for column in others.T]


def _check_pmfs(counts: Sequence[np.ndarray]) -> None:
    """Raise ValueError for no cells, or naming the cell whose counts have no distribution."""
    if not len(counts):
        raise ValueError("counts: no cells; at least one was expected")
    for cell, pmf in enumerate(counts):
        pmf = check_finite(f"counts of cell {cell}", pmf, 0)
        if pmf.ndim != 1 or not abs(pmf.sum() - 1) < 1e-6:
            raise ValueError(f"counts of cell {cell}: {format_value(pmf)}; probabilities sum to 1")


# -- one cell ------------------------------------------------------------------------------------


def log_density(values: np.ndarray, counts: np.ndarray, mechanism: Mechanism) -> np.ndarray:
    """Compute the log density of count plus noise, up to a constant of the mechanism.

    Parameters
    ----------
    values : ndarray of float, shape (n,)
        Released values of one cell.
    counts : ndarray of float
        Probabilities of 0, 1, 2, ... other users in the cell.
    mechanism : Laplace or Gaussian
        The noise.

    Returns
    -------
    ndarray of float, shape (n,)
        Log densities.
    """
    scale = _additive(mechanism).scale
    if isinstance(mechanism, Laplace):
        return _laplace_log_density(values / scale, counts, scale)
    possible = np.flatnonzero(counts > _NEVER).tolist()

    def exponent(count: int) -> np.ndarray:
        return -0.5 * ((values - count) / scale) ** 2 + np.log(counts[count])

    highest = exponent(possible[0])
    if len(possible) == 1:
        return highest
    for count in possible[1:]:
        np.maximum(highest, exponent(count), out=highest)
    total = np.zeros_like(highest)
    for count in possible:
        total += np.exp(exponent(count) - highest)
    return highest + np.log(total)


def _laplace_log_density(scaled: np.ndarray, counts: np.ndarray, scale: float) -> np.ndarray:
    """Between two counts it is the sum of a rising and a falling exponential: two tables do."""
    at = np.arange(len(counts)) / scale
    with np.errstate(divide="ignore"):
        weights = np.log(counts)
    falling = np.append(-np.inf, np.logaddexp.accumulate(weights + at))  # counts at or below
    rising = np.append(np.logaddexp.accumulate((weights - at)[::-1])[::-1], -np.inf)  # above
    below = np.clip(np.floor(scaled * scale) + 1, 0, len(counts)).astype(np.intp)
    return np.logaddexp(falling[below] - scaled, rising[below] + scaled)


def log_ratio(values: np.ndarray, counts: np.ndarray, mechanism: Mechanism) -> np.ndarray:
    """Compute the log-likelihood ratio of one cell with the target and without.

    For the informed attacker it is (|x| - |x - 1|) / b under Laplace noise, a line cut off at -1/b
    and 1/b, and (x - 1/2) / sigma^2 under Gaussian noise. Otherwise it is that of the distribution
    of the other users, convolved with the noise.

    Parameters
    ----------
    values : ndarray of float, shape (n,)
        Released values of one cell.
    counts : ndarray of float
        Probabilities of 0, 1, 2, ... other users in the cell.
    mechanism : Laplace or Gaussian
        The noise.

    Returns
    -------
    ndarray of float, shape (n,)
        Log ratios in nats.
    """
    return log_density(values - 1, counts, mechanism) - log_density(values, counts, mechanism)


def identity_score(values: np.ndarray, counts: np.ndarray, mechanism: Mechanism) -> np.ndarray:
    """Return the one-threshold attack's score of a cell: the value itself.

    Parameters
    ----------
    values : ndarray of float, shape (n,)
        Released values of one cell.
    counts : ndarray of float
        Not used.
    mechanism : Laplace or Gaussian
        Not used.

    Returns
    -------
    ndarray of float, shape (n,)
        The values.
    """
    return values


@validated
def error_rates(
    mechanism: Mechanism, counts: Sequence[np.ndarray], thresholds: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the false positive and false negative rate of "value >= threshold" in each cell.

    Parameters
    ----------
    mechanism : Laplace or Gaussian
        The noise.
    counts : sequence of ndarray of float
        Each cell's distribution of other users, as `count_distributions` returns them.
    thresholds : ndarray of float, shape (n_cells,), optional
        By default midway between the two means of each cell, as in Alg. 5.

    Returns
    -------
    fpr, fnr : ndarray of float, shape (n_cells,)
        alpha' and beta'.

    References
    ----------
    Threshold paper, Sec. 3.3, with beta' = CDF(T - 1), the mass of members below T.
    """
    noise = noise_distribution(mechanism)
    _check_pmfs(counts)
    if thresholds is None:
        thresholds = np.array([pmf @ np.arange(len(pmf)) + 0.5 for pmf in counts])
    if check_finite("thresholds", thresholds).shape != (len(counts),):
        raise ValueError(f"thresholds are {thresholds.shape}; one for each of {len(counts)} cells")
    fpr, fnr = np.empty(len(counts)), np.empty(len(counts))
    for cell, (pmf, threshold) in enumerate(zip(counts, thresholds, strict=True)):
        away = threshold - np.arange(len(pmf))
        fpr[cell], fnr[cell] = pmf @ noise.sf(away), pmf @ noise.cdf(away - 1)
    return fpr, fnr


# -- distributions of scores in closed form --------------------------------------------------------


def normal_score_distributions(
    mechanism: Mechanism, counts: Sequence[np.ndarray]
) -> tuple[Any, Any]:
    """Approximate the one-threshold score by normal distributions.

    Variances add, over cells and with the noise's (the printed sum is of standard deviations).

    Parameters
    ----------
    mechanism : Laplace or Gaussian
        The noise.
    counts : sequence of ndarray of float
        Each cell's distribution of other users.

    Returns
    -------
    non_members, members : scipy.stats frozen distributions
        Of the score.

    References
    ----------
    Threshold paper, Theorem 2.
    """
    means = np.array([pmf @ np.arange(len(pmf)) for pmf in counts])
    squares = np.array([pmf @ np.arange(len(pmf)) ** 2 for pmf in counts])
    spread = float(np.sqrt((squares - means**2 + noise_distribution(mechanism).var()).sum()))
    return stats.norm(means.sum(), spread), stats.norm(means.sum() + len(means), spread)


def binomial_score_distributions(fpr: np.ndarray, fnr: np.ndarray) -> tuple[Any, Any]:
    """Compute the exact (Poisson) binomial distributions of the two-threshold score.

    Parameters
    ----------
    fpr, fnr : ndarray of float, shape (n_cells,)
        alpha' and beta' of each cell, as `error_rates` returns them.

    Returns
    -------
    non_members, members : scipy.stats frozen distributions
        Of the score.

    References
    ----------
    Threshold paper, Theorem 3.
    """
    return stats.poisson_binom(np.asarray(fpr)), stats.poisson_binom(1 - np.asarray(fnr))


def normal_binomial_score_distributions(fpr: np.ndarray, fnr: np.ndarray) -> tuple[Any, Any]:
    """Approximate the two-threshold score by normal distributions of the same mean and variance.

    Parameters
    ----------
    fpr, fnr : ndarray of float, shape (n_cells,)
        alpha' and beta' of each cell, as `error_rates` returns them.

    Returns
    -------
    non_members, members : scipy.stats frozen distributions
        Of the score.

    References
    ----------
    Threshold paper, Sec. 3.3 (n >= 5).
    """
    rates = [np.asarray(fpr), 1 - np.asarray(fnr)]
    out, into = (stats.norm(p.sum(), np.sqrt((p * (1 - p)).sum())) for p in rates)
    return out, into


def accuracy(out: Any, into: Any, threshold: float) -> float:
    """Compute the accuracy of "member if score >= threshold" on balanced classes.

    Parameters
    ----------
    out, into : scipy.stats frozen distributions
        Of the score, for non-members and for members.
    threshold : float
        The threshold.

    Returns
    -------
    float
        The accuracy.

    References
    ----------
    Threshold paper, Eq. 3.
    """
    below = np.nextafter(threshold, -np.inf)
    return float((out.cdf(below) + into.sf(below)) / 2)


@validated
def laplace_sum_sf(x: float, n: int, scale: float) -> float:
    """Compute P(sum of n Laplace variables > x) exactly.

    The sum is that of a random number of exponential variables with a sign: the walk of 2n - 1 fair
    steps that ends it leaves n - j of one sign.

    Parameters
    ----------
    x : float
        The value.
    n : int
        Number of variables, at least 1.
    scale : float
        Scale of each.

    Returns
    -------
    float
        The probability.

    Raises
    ------
    ValueError
        If n is below 1 or the scale is not positive.
    """
    if n < 1:
        raise ValueError(f"n is {n}; at least 1 variable was expected")
    if not scale > 0:
        raise ValueError(f"scale is {scale}; a number above 0 was expected")
    if x < 0:
        return 1 - laplace_sum_sf(-x, n, scale)
    j = np.arange(n)
    weight = np.exp(
        special.gammaln(n + j) - special.gammaln(j + 1) - special.gammaln(n) - (n + j) * np.log(2)
    )
    return float(weight @ special.gammaincc(n - j, x / scale))


# -- distributions of scores by convolution --------------------------------------------------------


@dataclass(frozen=True)
class ScoreDistribution:
    """A score's distribution for non-members and for members.

    Parameters
    ----------
    values : ndarray of float, shape (n,)
        Increasing values.
    non_members, members : ndarray of float, shape (n,)
        Their probabilities.
    """

    values: np.ndarray
    non_members: np.ndarray
    members: np.ndarray

    def rates(self) -> tuple[np.ndarray, np.ndarray]:
        """Compute the ROC curve.

        Returns
        -------
        fpr, tpr : ndarray of float, shape (n + 1,)
            False and true positive rates, from 0 to 1.
        """
        fpr, tpr = (np.cumsum(mass[::-1]) for mass in (self.non_members, self.members))
        return np.append(0, fpr), np.append(0, tpr)

    def accuracy(self) -> float:
        """Compute the accuracy of the best threshold on balanced classes.

        Returns
        -------
        float
            The accuracy.
        """
        fpr, tpr = self.rates()
        return float(0.5 + (tpr - fpr).max() / 2)

    def auc(self) -> float:
        """Compute the area under the ROC curve; ties count one half.

        Returns
        -------
        float
            The AUC.
        """
        fpr, tpr = self.rates()
        return float(np.trapezoid(tpr, fpr))

    def tpr(self, fpr: np.ndarray) -> np.ndarray:
        """Compute the true positive rate at given false positive rates.

        Parameters
        ----------
        fpr : ndarray of float in [0, 1]
            False positive rates; ties are broken at random.

        Returns
        -------
        ndarray of float
            True positive rates, of the same shape.
        """
        return np.interp(fpr, *self.rates())


@validated
def two_threshold_distribution(
    mechanism: Mechanism, counts: Sequence[np.ndarray], thresholds: np.ndarray | None = None
) -> ScoreDistribution:
    """Compute the exact distribution of the number of cells above their thresholds.

    Parameters
    ----------
    mechanism : Laplace or Gaussian
        The noise.
    counts : sequence of ndarray of float
        Each cell's distribution of other users.
    thresholds : ndarray of float, shape (n_cells,), optional
        By default midway between the two means of each cell.

    Returns
    -------
    ScoreDistribution
        On 0 to n_cells.
    """
    out, into = binomial_score_distributions(*error_rates(mechanism, counts, thresholds))
    values = np.arange(len(counts) + 1)
    return ScoreDistribution(values, out.pmf(values), into.pmf(values))


Score = Callable[[np.ndarray, np.ndarray, Mechanism], np.ndarray]


@validated
def convolved_distribution(
    mechanism: Mechanism, counts: Sequence[np.ndarray], score: Score
) -> ScoreDistribution:
    """Compute the distribution of the sum of a score over cells by convolution.

    Each cell's value is put on a fine grid, its score on the sum's grid (split between the two
    nearest points, so that means are kept), and Fourier transforms are multiplied.

    Parameters
    ----------
    mechanism : Laplace or Gaussian
        The noise.
    counts : sequence of ndarray of float
        Each cell's distribution of other users, as `count_distributions` returns them.
    score : callable
        `identity_score` or `log_ratio`.

    Returns
    -------
    ScoreDistribution
        Of the sum.

    Raises
    ------
    ValueError
        If there are no cells or the mechanism is not additive noise.
    """
    _check_pmfs(counts)
    kinds, times = _distinct(counts)
    cells = [_cell(mechanism, pmf, score) for pmf in kinds]
    moments = np.array([[_moments(s, m) for m in (out, into)] for s, out, into in cells])
    means, variances = np.tensordot(times, moments, 1).T  # of the sum, out and in
    width = abs(means[1] - means[0]) + 2 * _SPREAD * np.sqrt(variances.max())
    step = width / _POINTS
    sums = []
    for which in (0, 1):
        total = np.ones(_POINTS // 2 + 1, complex)
        for (values, *masses), n in zip(cells, times, strict=True):
            total *= fft.rfft(_on_grid(values / step, masses[which])) ** n
        sums.append(np.maximum(fft.irfft(total, _POINTS), 0))
    start = round((means.mean() - width / 2) / step)  # grid points are whole numbers of steps
    points = np.arange(start, start + _POINTS)
    out, into = (mass[points % _POINTS] / mass.sum() for mass in sums)
    return ScoreDistribution(points * step, out, into)


def _distinct(counts: Sequence[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
    found: dict[bytes, list[Any]] = {}
    for pmf in counts:
        pmf = np.asarray(pmf, float)
        found.setdefault(pmf.tobytes(), [pmf, 0])[1] += 1
    kinds, times = zip(*found.values(), strict=True)
    return list(kinds), np.array(times)


def _cell(mechanism: Mechanism, pmf: np.ndarray, score: Score) -> tuple[np.ndarray, ...]:
    """Scores at the midpoints of a cell's grid, and their masses without and with the target."""
    noise, scale = noise_distribution(mechanism), _additive(mechanism).scale
    tail = int(np.ceil(_TAIL[type(_additive(mechanism))] * scale))
    per_unit = max(8, int(np.ceil(_PER_SCALE / scale)))
    edges = np.arange(-tail * per_unit, (tail + len(pmf) + 1) * per_unit + 1) / per_unit
    distribution = np.zeros(len(edges))
    for count in np.flatnonzero(pmf > _NEVER):
        distribution += pmf[count] * noise.cdf(edges - count)
    out = np.diff(distribution)
    into = np.concatenate([np.zeros(per_unit), out[:-per_unit]])  # moved by one user
    return score((edges[:-1] + edges[1:]) / 2, pmf, mechanism), out, into


def _moments(values: np.ndarray, mass: np.ndarray) -> tuple[float, float]:
    mean = values @ mass
    return mean, ((values - mean) ** 2) @ mass


def _on_grid(position: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Masses at fractional positions, split between the two nearest points, positions modulo N."""
    lower = np.floor(position).astype(np.int64)
    upper_share = position - lower
    grid = np.bincount(lower % _POINTS, mass * (1 - upper_share), _POINTS)
    return grid + np.bincount((lower + 1) % _POINTS, mass * upper_share, _POINTS)

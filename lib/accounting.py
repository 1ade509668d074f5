"""What differential privacy promises over many observations, and the best attack it leaves.

An attack is a test of "she is not in" against "she is in". alpha is its false positive rate, beta
its false negative rate: the released (epsilon, delta) promises alpha + e^epsilon beta >= 1 - delta
and the same with the two exchanged. All budgets are per observation, of neighbouring inputs that
differ in one target.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special, stats


class Composition(NamedTuple):
    """Pairs (epsilon, delta) that all hold at once, the largest epsilon first; arrays (k//2 + 1,).

    No smaller pairs hold for every mechanism of the class.
    """

    epsilons: np.ndarray
    deltas: np.ndarray


def optimal_composition(epsilon: float, delta: float, k: int) -> Composition:
    """What k adaptive releases, each (epsilon, delta)-DP, promise together.

    returns  ((k - 2i) epsilon, 1 - (1 - delta)^k (1 - delta_i)) for i = 0, ..., k // 2
    Randomized response meets it with equality; other mechanisms leak less.
    Source: Theorem 1 and Eq. 2 of the threshold paper; Kairouz, Oh and Viswanath 2015, Theorem 3.3.
    Eq. 2 is summed as a binomial tail, with no powers that overflow.
    Raises ValueError if epsilon is negative or not finite, delta is outside [0, 1], or k is not a
    whole number from 0.
    """
    _check(epsilon, delta, k)
    i = np.arange(k // 2 + 1)
    lost = np.zeros(len(i))  # delta_i
    wrong = stats.binom.pmf(np.arange(k // 2), k, special.expit(-epsilon))  # of l lies among k
    for each in i[1:]:
        lost[each] = wrong[:each] @ -np.expm1(-2 * epsilon * np.arange(each, 0, -1))
    kept = np.exp(k * np.log1p(-delta)) if delta < 1 else float(k == 0)
    return Composition((k - 2 * i) * float(epsilon), 1 - kept * (1 - lost))


def expected_accuracy(epsilon: float, n_observations: int, delta: float = 0.0) -> float:
    """The largest accuracy that any attack can have against that promise, on balanced classes.

    The least of 1 - (1 - delta_i) / (1 + e^epsilon_i) over the pairs of `optimal_composition`.
    It is attained by randomized response; an attack on Laplace noise stays below it.
    Source: Fig. 1 and Eq. 3 of the threshold paper. Raises ValueError as `optimal_composition`.
    """
    epsilons, deltas = optimal_composition(epsilon, delta, n_observations)
    return float((1 - (1 - deltas) * special.expit(-epsilons)).min())


def trade_off(
    epsilon: float, n_observations: int, fpr: np.ndarray, delta: float = 0.0
) -> np.ndarray:
    """The smallest false negative rate at each false positive rate that the promise allows.

    fpr      any shape, in [0, 1]
    returns  the same shape. Source: Kairouz, Oh and Viswanath 2015, Theorem 2.1 for each pair.
    Raises ValueError for a rate outside [0, 1], and as `optimal_composition`.
    """
    epsilons, deltas = optimal_composition(epsilon, delta, n_observations)
    fpr = _rates(fpr)[..., None]
    most = np.maximum(1 - deltas - np.exp(epsilons) * fpr, np.exp(-epsilons) * (1 - deltas - fpr))
    return np.maximum(most, 0).max(axis=-1)


def gaussian_trade_off(scale: float, n_observations: int, fpr: np.ndarray) -> np.ndarray:
    """The same for Gaussian noise itself: n cells that each move by 1, standard deviation `scale`.

    The sum of the cells is the best test. Source: Dong, Roth and Su 2022, Eq. 6.
    Raises ValueError if scale is not positive, n_observations not a whole number from 0, or a rate
    outside [0, 1].
    """
    if not (np.isfinite(scale) and scale > 0):
        raise ValueError(f"scale is {scale}; a finite number above 0 was expected")
    _check(0, 0, n_observations)
    return special.ndtr(special.ndtri(1 - _rates(fpr)) - np.sqrt(n_observations) / scale)


def _check(epsilon: float, delta: float, k: int) -> None:
    if not (np.isfinite(epsilon) and epsilon >= 0):
        raise ValueError(f"epsilon is {epsilon}; a finite number from 0 was expected")
    if not 0 <= delta <= 1:  # NaN is wrong too
        raise ValueError(f"delta is {delta}; a probability from 0 to 1 was expected")
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 0:
        raise ValueError(f"{k!r} observations; a whole number from 0 was expected")


def _rates(fpr: np.ndarray) -> np.ndarray:
    fpr = np.asarray(fpr, float)
    if not ((fpr >= 0) & (fpr <= 1)).all():
        wrong = fpr[~((fpr >= 0) & (fpr <= 1))].flat[0]
        raise ValueError(f"false positive rate is {wrong}; a number from 0 to 1 was expected")
    return fpr

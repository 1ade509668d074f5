"""What differential privacy promises over many observations, and the best attack it leaves.

An attack is a test of "she is not in" against "she is in". alpha is its false positive rate, beta
its false negative rate: the released (epsilon, delta) promises alpha + e^epsilon beta >= 1 - delta
and the same with the two exchanged. All budgets are per observation, of neighbouring inputs that
differ in one target.

Source: threshold paper, Sec. 2.2; Kairouz, Oh and Viswanath 2015.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special, stats

from lib.validation import check_numbers, check_real, format_value, validated

_MOST = 30_000  # observations: the time grows with their square, to about a minute


class Composition(NamedTuple):
    """Pairs (epsilon, delta) that all hold at once, the largest epsilon first; arrays (k//2 + 1,).

    No smaller pairs hold for every mechanism of the class.
    """

    epsilons: np.ndarray
    deltas: np.ndarray


@validated
def optimal_composition(epsilon: float, delta: float, k: int) -> Composition:
    """What k adaptive releases, each (epsilon, delta)-DP, promise together.

    returns  ((k - 2i) epsilon, 1 - (1 - delta)^k (1 - delta_i)) for i = 0, ..., k // 2
    Randomized response meets it with equality; other mechanisms leak less.
    Source: Theorem 1 and Eq. 2 of the threshold paper; Kairouz, Oh and Viswanath 2015, Theorem 3.3.
    Eq. 2 is summed as a binomial tail, with no powers that overflow.
    Raises ValueError if epsilon is negative or not finite, delta is outside [0, 1], k is not a
    whole number from 0 to 30,000, or k epsilon is beyond any float.

    >>> [float(e) for e in optimal_composition(0.5, 0.0, 2)[0]]
    [1.0, 0.0]
    """
    _check(epsilon, delta, k)
    i = np.arange(k // 2 + 1)
    lost = np.zeros(len(i))  # delta_i
    wrong = stats.binom.pmf(np.arange(k // 2), k, special.expit(-epsilon))  # of l lies among k
    for each in i[1:]:
        lost[each] = wrong[:each] @ -np.expm1(-2 * epsilon * np.arange(each, 0, -1))
    kept = np.exp(k * np.log1p(-delta)) if delta < 1 else float(k == 0)
    return Composition((k - 2 * i) * float(epsilon), 1 - kept * (1 - lost))


@validated
def expected_accuracy(epsilon: float, n_observations: int, delta: float = 0.0) -> float:
    """The largest accuracy that any attack can have against that promise, on balanced classes.

    The least of 1 - (1 - delta_i) / (1 + e^epsilon_i) over the pairs of `optimal_composition`.
    It is attained by randomized response; an attack on Laplace noise stays below it.
    Source: Fig. 1 and Eq. 3 of the threshold paper. Raises ValueError as `optimal_composition`.

    >>> round(expected_accuracy(0.5, 60), 3)
    0.972
    >>> expected_accuracy(0.5, 0)
    0.5
    """
    epsilons, deltas = optimal_composition(epsilon, delta, n_observations)
    return float((1 - (1 - deltas) * special.expit(-epsilons)).min())


@validated
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
    with np.errstate(over="ignore", invalid="ignore"):
        rising = np.where(fpr > 0, np.exp(epsilons) * fpr, 0.0)  # no infinity times 0
    most = np.maximum(1 - deltas - rising, np.exp(-epsilons) * (1 - deltas - fpr))
    return np.maximum(most, 0).max(axis=-1)


def _check(epsilon: float, delta: float, k: int) -> None:
    if not 0 <= check_real("epsilon", epsilon, "a finite number from 0") < np.inf:
        raise ValueError(f"epsilon is {epsilon}; a finite number from 0 was expected")
    if not 0 <= check_real("delta", delta, "a probability from 0 to 1") <= 1:  # NaN is wrong too
        raise ValueError(f"delta is {delta}; a probability from 0 to 1 was expected")
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 0 <= k <= _MOST:
        raise ValueError(
            f"{format_value(k)} observations; a whole number from 0 to {_MOST} was expected"
        )
    if not float(epsilon) * k < np.inf:
        raise ValueError(f"epsilon is {epsilon}: {k} observations of it are beyond any float")


def _rates(fpr: np.ndarray) -> np.ndarray:
    fpr = check_numbers("false positive rate", fpr)
    if not ((fpr >= 0) & (fpr <= 1)).all():
        wrong = fpr[~((fpr >= 0) & (fpr <= 1))].flat[0]
        raise ValueError(f"false positive rate is {wrong}; a number from 0 to 1 was expected")
    return fpr

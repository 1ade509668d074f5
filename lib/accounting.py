"""Composition of differential privacy, and the best attack that a guarantee allows.

An attack is a test of "the target is not a member" against "the target is a member". alpha is its
false positive rate, beta its false negative rate: (epsilon, delta)-DP guarantees alpha + e^epsilon
beta >= 1 - delta, and the same with the two exchanged. All parameters are for one observation, of
neighbouring inputs that differ in one target.

Source: threshold paper, Sec. 2.2; Kairouz, Oh and Viswanath 2015.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special, stats

from lib.validation import check_numbers, check_real, format_value, validated

_MAX_OBSERVATIONS = 30_000  # observations: the time grows with their square, to about a minute


class Composition(NamedTuple):
    """Pairs (epsilon, delta) that all hold together, the largest epsilon first.

    No smaller pairs hold for every mechanism of the class.

    Attributes
    ----------
    epsilons : numpy.ndarray, shape (k // 2 + 1,)
        Values of epsilon.
    deltas : numpy.ndarray, shape (k // 2 + 1,)
        Values of delta.
    """

    epsilons: np.ndarray
    deltas: np.ndarray


@validated
def optimal_composition(epsilon: float, delta: float, k: int) -> Composition:
    """Compute the guarantee of k adaptive releases, each of them (epsilon, delta)-DP.

    The pairs are ((k - 2i) epsilon, 1 - (1 - delta)^k (1 - delta_i)) for i = 0, ..., k // 2.
    Randomized response attains them; other mechanisms leak less. Eq. 2 is summed as a binomial
    tail, without powers that overflow.

    Parameters
    ----------
    epsilon : float
        Privacy parameter of one release, at least 0.
    delta : float
        Privacy parameter of one release, in [0, 1].
    k : int
        Number of releases, 0 to 30,000.

    Returns
    -------
    Composition
        The pairs.

    Raises
    ------
    ValueError
        If epsilon is negative or not finite, delta is outside [0, 1], k is not a whole number from
        0 to 30,000, or k epsilon is beyond any float.

    References
    ----------
    Theorem 1 and Eq. 2 of the threshold paper; Kairouz, Oh and Viswanath 2015, Theorem 3.3.

    Examples
    --------
    >>> [float(e) for e in optimal_composition(0.5, 0.0, 2)[0]]
    [1.0, 0.0]
    """
    _check_arguments(epsilon, delta, k)
    i = np.arange(k // 2 + 1)
    lost = np.zeros(len(i))  # delta_i
    pmf = stats.binom.pmf(
        np.arange(k // 2), k, special.expit(-epsilon)
    )  # of l false reports among k
    for each in i[1:]:
        lost[each] = pmf[:each] @ -np.expm1(-2 * epsilon * np.arange(each, 0, -1))
    kept = np.exp(k * np.log1p(-delta)) if delta < 1 else float(k == 0)
    return Composition((k - 2 * i) * float(epsilon), 1 - kept * (1 - lost))


@validated
def expected_accuracy(epsilon: float, n_observations: int, delta: float = 0.0) -> float:
    """Compute the largest accuracy of any attack on balanced classes that the guarantee allows.

    The smallest 1 - (1 - delta_i) / (1 + e^epsilon_i) over the pairs of `optimal_composition`.
    Randomized response attains it; an attack on Laplace noise stays below it.

    Parameters
    ----------
    epsilon : float
        Privacy parameter of one observation, at least 0.
    n_observations : int
        Number of observations, 0 to 30,000.
    delta : float, default=0.0
        Privacy parameter of one observation, in [0, 1].

    Returns
    -------
    float
        Accuracy in [0.5, 1].

    Raises
    ------
    ValueError
        As `optimal_composition`.

    References
    ----------
    Fig. 1 and Eq. 3 of the threshold paper.

    Examples
    --------
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
    """Compute the smallest false negative rate at each false positive rate.

    The trade-off function that the guarantee allows any attack.

    Parameters
    ----------
    epsilon : float
        Privacy parameter of one observation, at least 0.
    n_observations : int
        Number of observations, 0 to 30,000.
    fpr : array_like
        False positive rates in [0, 1].
    delta : float, default=0.0
        Privacy parameter of one observation, in [0, 1].

    Returns
    -------
    numpy.ndarray
        False negative rates, of the same shape.

    Raises
    ------
    ValueError
        For a rate outside [0, 1], and as `optimal_composition`.

    References
    ----------
    Kairouz, Oh and Viswanath 2015, Theorem 2.1 for each pair.
    """
    epsilons, deltas = optimal_composition(epsilon, delta, n_observations)
    fpr = _check_rates(fpr)[..., None]
    with np.errstate(over="ignore", invalid="ignore"):
        rising = np.where(fpr > 0, np.exp(epsilons) * fpr, 0.0)  # no infinity times 0
    most = np.maximum(1 - deltas - rising, np.exp(-epsilons) * (1 - deltas - fpr))
    return np.maximum(most, 0).max(axis=-1)


def _check_arguments(epsilon: float, delta: float, k: int) -> None:
    """Raise ValueError for arguments that `optimal_composition` does not take."""
    if not 0 <= check_real("epsilon", epsilon, "a finite number from 0") < np.inf:
        raise ValueError(f"epsilon is {epsilon}; a finite number from 0 was expected")
    if not 0 <= check_real("delta", delta, "a probability from 0 to 1") <= 1:  # NaN is wrong too
        raise ValueError(f"delta is {delta}; a probability from 0 to 1 was expected")
    if (
        isinstance(k, bool)
        or not isinstance(k, int | np.integer)
        or not 0 <= k <= _MAX_OBSERVATIONS
    ):
        raise ValueError(
            f"{format_value(k)} observations; a whole number from 0 to {_MAX_OBSERVATIONS} "
            "was expected"
        )
    if not float(epsilon) * k < np.inf:
        raise ValueError(f"epsilon is {epsilon}: {k} observations of it are beyond any float")


def _check_rates(fpr: np.ndarray) -> np.ndarray:
    """Return false positive rates as an array, or raise ValueError."""
    fpr = check_numbers("false positive rate", fpr)
    if not ((fpr >= 0) & (fpr <= 1)).all():
        wrong = fpr[~((fpr >= 0) & (fpr <= 1))].flat[0]
        raise ValueError(f"false positive rate is {wrong}; a number from 0 to 1 was expected")
    return fpr

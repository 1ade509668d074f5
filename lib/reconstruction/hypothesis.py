"""Upper bounds on the success of any estimator from noisy counts, from hypothesis tests.

An estimator sees the counts of one target, or counts from a reference that has nothing to do with
the target. With the reference it succeeds with at most the best success without counts. How much
larger its success can be with the target's own counts is the power of the best test between the
two; noise makes it small.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from lib.reconstruction.chain import MarkovChain, check_noise
from lib.reconstruction.moments import _LEAST, moment_ball
from lib.validation import format_value, validated

REFERENCES = {"absent": 1.0, "halfway": 0.5}  # distance to what one count can be, at most


@validated
def gaussian_power(level: np.ndarray | float, distance: float) -> np.ndarray:
    """Compute the power of the best test between two normal distributions of the same variance.

    Parameters
    ----------
    level : array_like of float
        False positive rate of the test, 0 to 1.
    distance : float
        Distance of the two means in standard deviations, at least 0.

    Returns
    -------
    numpy.ndarray
        True positive rate Phi(Phi^-1(level) + distance), of the shape of `level`.

    Raises
    ------
    ValueError
        If a level is not a probability or the distance is negative or not finite.

    References
    ----------
    Hayes, Mahloujifar and Balle 2023; Kaissis et al. 2023.

    Examples
    --------
    >>> round(float(gaussian_power(0.05, distance=1.0)), 3)
    0.26
    """
    level = _checked(level, distance)
    return special.ndtr(special.ndtri(level) + distance)


@validated
def laplace_power(level: np.ndarray | float, distance: float) -> np.ndarray:
    """Compute the power of the best test between two Laplace distributions of the same scale.

    Parameters
    ----------
    level : array_like of float
        False positive rate of the test, 0 to 1.
    distance : float
        Distance of the two means divided by the scale, at least 0.

    Returns
    -------
    numpy.ndarray
        True positive rate, of the shape of `level`.

    Raises
    ------
    ValueError
        If a level is not a probability or the distance is negative or not finite.

    References
    ----------
    Kaissis et al. 2023.

    Examples
    --------
    >>> round(float(laplace_power(0.05, distance=1.0)), 3)
    0.136
    """
    level = _checked(level, distance)
    shrunk = math.exp(-distance)
    with np.errstate(divide="ignore", invalid="ignore"):
        steep = np.exp(np.minimum(np.log(level) + distance, 0.0))
        middle = 1 - shrunk / (4 * level)
    found = np.where(level < 0.5, middle, 1 - shrunk * (1 - level))
    return np.where(level <= shrunk / 2, steep, found)


def _checked(level: np.ndarray | float, distance: float) -> np.ndarray:
    level = np.asarray(level, float)
    wrong = ~((level >= 0) & (level <= 1))
    if wrong.any():
        raise ValueError(f"level is {level[wrong].flat[0]}; a probability was expected")
    if distance < 0:
        raise ValueError(f"distance is {distance}; a finite number of at least 0 was expected")
    return level


@validated
def hypothesis_bound(
    chain: MarkovChain,
    n_epochs: int,
    allowed_errors: int,
    noise_std: float | None,
    reference: str = "halfway",
) -> float:
    """Bound Pr[at most `allowed_errors` wrong steps] of any estimator by hypothesis tests.

    The power of a test whose level is the best success without counts (`moment_ball`, an upper
    bound on it) and whose distance is the largest distance between the target's part of the counts
    and the reference. The same for all sensors, and for sensors that follow the counts.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    n_epochs : int
        Number of epochs, at least 1.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts, about which
        the bound says nothing.
    reference : {"absent", "halfway"}, default="halfway"
        "absent", as in the literature: counts without the target, at a distance of up to
        sqrt(n_epochs) / noise_std. "halfway": half of the target in each count, at a distance of
        sqrt(n_epochs) / (2 noise_std) wherever the target is; always the smaller bound.

    Returns
    -------
    float
        Upper bound on the success probability.

    Raises
    ------
    ValueError
        If allowed_errors is outside 0..n_epochs - 1, the noise is not above 0 or the reference is
        unknown.

    References
    ----------
    Hayes, Mahloujifar and Balle 2023, for "absent".

    Examples
    --------
    >>> from lib.reconstruction import MarkovChain
    >>> chain = MarkovChain([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]])
    >>> round(hypothesis_bound(chain, n_epochs=1, allowed_errors=0, noise_std=1.0), 3)
    0.691
    """
    if reference not in REFERENCES:
        raise ValueError(f"reference is {format_value(reference)}; one of {', '.join(REFERENCES)}")
    ball = max(moment_ball(chain, n_epochs, allowed_errors), _LEAST)
    if check_noise(noise_std) is None:
        return 1.0
    assert noise_std is not None
    distance = REFERENCES[reference] * math.sqrt(n_epochs) / noise_std
    return float(gaussian_power(ball, distance))

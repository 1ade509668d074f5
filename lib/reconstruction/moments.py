"""A sharper bound than the paper's: from the moments of the number of right steps.

With C right steps, success means C >= r, r = n_epochs - s. Then, for every k from 1 to r,
Pr[success] <= E[binom(C, k)] / binom(r, k) (Markov's inequality; k = 1 is the plain one). binom(C,
k) counts the sets of k epochs that are all right, so its mean is a sum over such sets of products
along the chain. For the best guess after each sequence of raw counts that sum is bounded by a
dynamic programme that takes, from each fixed epoch to the next, the best location to come from.
Sightings are right for certain, and segments multiply. For s = 0, k = r the result is the best
success itself.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from lib.reconstruction.bounds import success_within
from lib.reconstruction.chain import MarkovChain, check_allowed_errors, check_noise
from lib.reconstruction.information import mutual_information
from lib.reconstruction.sensed import SensedChain
from lib.validation import validated

_LEAST = float(np.finfo(float).smallest_subnormal)  # a bound that underflows is no longer one


@validated
def moment_bound(
    chain: MarkovChain, sensors: np.ndarray, allowed_errors: int, noise_std: float | None = None
) -> float:
    """Bound Pr[at most `allowed_errors` wrong steps] of any estimator by moments.

    Exact for raw counts and allowed_errors = 0. For noisy counts the smaller of the bound for raw
    ones (data processing) and of d(p_s || P) <= I, with the "exact" information and P from the same
    programme without sensors. Time T^3 r M^2, r = n_epochs - allowed_errors. Not in the paper.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,)
        Location of the sensor that is on in each epoch.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.

    Returns
    -------
    float
        Upper bound on the success probability.

    Raises
    ------
    ValueError
        If allowed_errors is outside 0..n_epochs - 1, a sensor is not a location, or the noise is
        not above 0.

    Examples
    --------
    >>> from lib.reconstruction import MarkovChain
    >>> chain = MarkovChain([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> round(moment_bound(chain, [0, 0, 0], allowed_errors=0, noise_std=5.0), 3)
    0.491
    """
    sensed = SensedChain(chain, sensors)
    right = sensed.n_epochs - check_allowed_errors(allowed_errors, sensed.n_epochs)
    raw = _from_moments(_sensed_moments(sensed, right))
    if check_noise(noise_std) is None:
        return raw
    known = mutual_information(chain, sensors, noise_std, "exact")
    ball = max(moment_ball(chain, sensed.n_epochs, allowed_errors), _LEAST)
    return min(raw, float(success_within(known, math.log(ball), "kl")[0]))


@validated
def moment_bounds(chain: MarkovChain, sensors: np.ndarray) -> np.ndarray:
    """Compute `moment_bound` on raw counts for every number of allowed errors in one programme.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,)
        Location of the sensor that is on in each epoch.

    Returns
    -------
    numpy.ndarray, shape (n_epochs,)
        Bounds for allowed_errors = 0..n_epochs - 1.
    """
    sensed = SensedChain(chain, sensors)
    moments = _sensed_moments(sensed, sensed.n_epochs)
    return np.array([_from_moments(moments[: r + 1]) for r in range(sensed.n_epochs, 0, -1)])


@validated
def moment_ball(chain: MarkovChain, n_epochs: int, allowed_errors: int) -> float:
    """Bound the prior probability of all trajectories within `allowed_errors` of any one.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    n_epochs : int
        Number of epochs, at least 1.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.

    Returns
    -------
    float
        Upper bound on the probability.
    """
    right = n_epochs - check_allowed_errors(allowed_errors, n_epochs)
    chain = chain.restricted()
    powers = [chain.transition]
    for _ in range(n_epochs - 2):
        powers.append(powers[-1] @ chain.transition)
    kernels = [np.stack(powers)[:t][::-1] for t in range(n_epochs)]
    sums = _fixed_sums(chain.marginals(n_epochs), kernels, right)
    return _from_moments(np.append(1.0, sums.max(axis=-1).sum(axis=-1)))


def _from_moments(moments: np.ndarray) -> float:
    """The least of E[binom(C, k)] / binom(r, k), k = 1..r, and 1; moments has r + 1 entries."""
    right = len(moments) - 1
    k = np.arange(1, right + 1)
    return min(1.0, float((moments[1:] / special.binom(right, k)).min()))


def _fixed_sums(prob: np.ndarray, kernels: list[np.ndarray], right: int) -> np.ndarray:
    """For k = 1..right fixed epochs, the last at t and x: the sum over the others' epochs.

    prob      (n, m): probability of x in epoch t
    kernels  [t], (t, m, m): [u, y, x], probability of x in t from each location y in u < t
    Result (right, n, m). From each epoch to the next the best location to come from.
    """
    found = np.zeros((right, *prob.shape))
    found[0] = prob
    for k in range(1, right):
        for t in range(k, len(prob)):
            terms = kernels[t][k - 1 :] * found[k - 1, k - 1 : t, :, None]
            found[k, t] = terms.max(axis=1).sum(axis=0)
    return found


def _sensed_moments(sensed: SensedChain, right: int) -> np.ndarray:
    """Bounds on E[binom(C, k)], k = 0..right, of the best guess after each sequence of counts."""
    n = sensed.n_epochs
    segments = _segment_moments(sensed, right)
    moments = np.zeros((n + 1, right + 1))  # by beginning
    moments[0, 0] = 1.0
    for e in range(n + 1):
        terms = [np.convolve(moments[b], segments[b, e]) for b in range(e + 1)]
        total = np.sum(terms, axis=0)[: right + 1]
        if e < n:
            moments[e + 1] = total
            moments[e + 1, 1:] += total[:-1]  # a sighting is one more right step, for certain
    return total


def _segment_moments(sensed: SensedChain, right: int) -> np.ndarray:
    """The same along each segment, from its beginning to its end: (n + 1, n + 1, right + 1)."""
    n = sensed.n_epochs
    kernels, ends = _unseen_kernels(sensed)
    found = np.zeros((n + 1, n + 1, right + 1))
    found[..., 0] = np.exp(sensed.log_weights)
    for b in range(n):
        prob = _unseen_distributions(sensed, b)
        sums = _fixed_sums(prob, [row[b:] for row in kernels[b:]], min(right, n - b))
        stretches = (sums * ends[b + 1 :, None, b:]).max(axis=-1).sum(axis=-1)
        found[b, b + 1 :, 1 : len(sums) + 1] = stretches
    return found


def _unseen_distributions(sensed: SensedChain, b: int) -> np.ndarray:
    """Probability, from beginning b, of x in each later epoch, unseen until and in it."""
    prob, scale = sensed._forward
    found = prob[b, b:] * np.exp(scale[b, b:, None])
    found[np.arange(len(found)), sensed.sensors[b:]] = 0.0
    return found


def _unseen_kernels(sensed: SensedChain) -> tuple[list[np.ndarray], np.ndarray]:
    """[t], (t, m, m): probability of x in t, unseen after u and in t, from y in u < t; [u, y, x].

    Also (n + 1, n, m): probability, from x in t, of being unseen after it until the end e.
    """
    n, m = sensed.n_epochs, sensed.chain.n_locations
    step = sensed.chain.transition
    kernels = [np.empty((0, m, m))]
    ends = np.zeros((n + 1, n, m))
    for t in range(1, n):
        before = kernels[-1]
        reach = np.concatenate([(before.reshape(-1, m) @ step).reshape(before.shape), step[None]])
        ends[t, :t] = reach[..., sensed.sensors[t]]
        reach[..., sensed.sensors[t]] = 0.0
        kernels.append(reach)
    ends[n, : n - 1] = kernels[n - 1].sum(axis=-1)
    ends[n, n - 1] = 1.0
    return kernels, ends

"""Adaptive sensors: the next one depends on the counts so far.

Not in the paper, which leaves them to future work (Sec. 3.1).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from lib.reconstruction.chain import MarkovChain, check_epochs
from lib.reconstruction.estimators import _everywhere, _scaled
from lib.reconstruction.sensed import log_likelihoods, observe
from lib.ties import argmax
from lib.validation import validated


class Runs(NamedTuple):
    """Runs under adaptive sensors.

    Attributes
    ----------
    trajectories : numpy.ndarray of int, shape (n_runs, n_epochs)
        Locations of the target.
    sensors : numpy.ndarray of int, shape (n_runs, n_epochs)
        Sensors that were on.
    counts : numpy.ndarray of float, shape (n_runs, n_epochs)
        Released counts minus all other users.
    information : numpy.ndarray, shape (n_runs,)
        Sum over epochs of the entropy of "is the target there?" just before the count, in nats. Its
        mean estimates the mutual information of trajectory and raw counts.
    """

    trajectories: np.ndarray
    sensors: np.ndarray
    counts: np.ndarray
    information: np.ndarray


@validated
def greedy_runs(
    chain: MarkovChain,
    n_epochs: int,
    n_runs: int,
    rng: np.random.Generator,
    noise_std: float | None = None,
) -> Runs:
    """Simulate sensors that go where the location of the target is most uncertain.

    Given all counts so far, the next sensor is the location whose probability is nearest to 1/2:
    its count reveals most about the current location, with or without noise; ties go to the
    smallest location. The choice is greedy: it does not look ahead. The paper leaves adaptive
    sensors to future work (Sec. 3.1).

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    n_epochs : int
        Number of epochs, at least 1.
    n_runs : int
        Number of simulated runs.
    rng : numpy.random.Generator
        Source of randomness.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.

    Returns
    -------
    Runs
        Trajectories, sensors, counts and information.
    """
    truth = chain.sample(n_runs, check_epochs(n_epochs), rng)
    belief = np.repeat(chain.initial[None], n_runs, axis=0)
    sensors, counts = np.empty_like(truth), np.empty(truth.shape)
    information = np.zeros(n_runs)
    for t in range(n_epochs):
        if t:
            belief = belief @ chain.transition
        sensors[:, t] = argmax(1 - np.abs(belief - 0.5))
        chance = belief[np.arange(n_runs), sensors[:, t]]
        information += special.entr(chance) + special.entr(np.maximum(1 - chance, 0.0))
        counts[:, t] = observe(truth[:, t], sensors[:, t], noise_std, rng)
        away, there = log_likelihoods(counts[:, t], noise_std)
        belief = _scaled(
            belief * np.exp(_everywhere(sensors[:, t], away, there, chain.n_locations))
        )
        belief /= belief.sum(axis=1, keepdims=True)
    return Runs(truth, sensors, counts, information)

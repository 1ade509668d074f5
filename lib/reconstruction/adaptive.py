"""Sensors that are chosen while they watch: the next one depends on the counts so far.

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
    """Runs under adaptive sensors; arrays (n_runs, n_epochs), information (n_runs,) in nats.

    information  the sum over epochs of the entropy of "is she there?" just before the count. Its
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
    """Simulates sensors that go where "is she there?" is most uncertain, given all counts so far.

    That is the location with a chance nearest to 1/2, the one whose count says most about where she
    is now, with noise or without; ties to the smallest. Greedy: it does not look ahead.
    The paper leaves adaptive sensors to future work (Sec. 3.1).
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

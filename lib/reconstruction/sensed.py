"""A Markov chain that is observed by sensors: everything that follows from their counts.

A sighting (the target is at the sensor) fixes the location; before and after it the target follows
the chain again. A trajectory is thus divided into *segments*: from one sighting, or the start, to
the next sighting, or the end, past sensors that do not see the target. Segments do not depend on
the counts. Scored once, in T^2 M^2 operations, they give the best trajectory of any run in T^2
more, with or without noise, and the exact entropy of the raw counts, for which enumeration would
need 2^T terms.

Source: Koga et al., Sec. 3.2 and App. A; the division into segments is our own.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from lib.reconstruction.chain import (
    MarkovChain,
    _log,
    backtrack,
    check_locations,
    check_noise,
    viterbi_scores,
)
from lib.ties import argmax, argmax_log
from lib.validation import validated


@validated
def observe(
    trajectories: np.ndarray,
    sensors: np.ndarray,
    noise_std: float | None = None,
    rng: np.random.Generator | None = None,
) -> np.ndarray:
    """Simulate what the released counts reveal about the target: counts minus all other users.

    Parameters
    ----------
    trajectories : array_like of int, shape (n_runs, n_epochs)
        Locations of the target.
    sensors : array_like of int, shape (n_epochs,) or (n_runs, n_epochs)
        Sensors, for all runs or for each run.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.
    rng : numpy.random.Generator, optional
        Source of randomness; required for noise.

    Returns
    -------
    numpy.ndarray of float, shape (n_runs, n_epochs)
        1 where the target is at the sensor and 0 elsewhere, plus noise.

    Raises
    ------
    ValueError
        If the noise is not above 0, or noise is asked for without rng.

    References
    ----------
    Koga et al., Sec. 2.1 and 3.1.
    """
    if sensors.shape not in (trajectories.shape, trajectories.shape[-1:]):
        raise ValueError(
            f"sensors are {sensors.shape}, trajectories {trajectories.shape}: (n_runs, n_epochs), "
            "and one sensor an epoch, or one row a run"
        )
    seen = (trajectories == sensors).astype(float)
    if noise_std is None:
        return seen
    check_noise(noise_std)
    if rng is None:
        raise ValueError("noise_std without an rng: pass a numpy.random.Generator")
    return seen + rng.normal(scale=noise_std, size=seen.shape)


def log_likelihoods(
    counts: np.ndarray, noise_std: float | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the log-likelihoods of each count if the target is away and if at the sensor.

    Both up to one constant.

    Parameters
    ----------
    counts : array_like of float
        Counts minus all other users.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.

    Returns
    -------
    numpy.ndarray
        Log-likelihoods if the target is not at the sensor, of the shape of counts.
    numpy.ndarray
        Log-likelihoods if the target is at the sensor.

    Raises
    ------
    ValueError
        For a raw count other than 0 and 1, or a noisy one that is not finite.
    """
    counts = np.asarray(counts, float)
    wrong = ~np.isfinite(counts) if check_noise(noise_std) else ~np.isin(counts, (0.0, 1.0))
    if wrong.any():
        place = ", ".join(str(i) for i in np.argwhere(wrong)[0])
        wanted = "a finite number" if noise_std else "0 or 1 (the count minus all other users)"
        raise ValueError(f"counts[{place}] is {counts[wrong][0]}; {wanted} was expected")
    if noise_std is None:
        return _log(1 - counts), _log(counts)
    return -((counts / noise_std) ** 2) / 2, -(((counts - 1) / noise_std) ** 2) / 2


class SensedChain:
    """A Markov chain and the sensors that are on, one in each epoch.

    Internally, locations that the target cannot reach are removed: `chain` is the chain on its
    support, with one more location for all sensors that never see the target, and `sensors` are its
    locations. In the tables below the first axis is where a segment begins: 0 the start of time, i
    + 1 a sighting in epoch i; the second is where it ends: j a sighting in epoch j, n_epochs the
    end of time.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,)
        Locations, from 0.

    Raises
    ------
    ValueError
        If a sensor is not a location, or there is none.
    """

    @validated
    def __init__(self, chain: MarkovChain, sensors: np.ndarray):
        given = check_locations("sensors", sensors, chain.n_locations)
        if given.ndim != 1 or not len(given):
            raise ValueError(
                f"sensors has shape {given.shape}; (n_epochs,) was expected: the number of the "
                "location that is observed in each epoch"
            )
        self.n_epochs = len(given)
        self._locations = chain.support
        self.chain, self.sensors = _on_support(chain, given)

    # -- segments -------------------------------------------------------------------------------

    @cached_property
    def _start(self) -> np.ndarray:
        """Distribution of the location right after each beginning: (n_epochs + 1, n_locations)."""
        return np.vstack([self.chain.initial, self.chain.transition[self.sensors]])

    @cached_property
    def _forward(self) -> tuple[np.ndarray, np.ndarray]:
        """Forward: distribution of (unseen so far, location) in each epoch, and its log scale.

        prob[b, t, x] * exp(scale[b, t]): probability, from beginning b, of no sighting before epoch
        t and of being at x in t.
        """
        n, m = self.n_epochs, self.chain.n_locations
        prob, scale = np.zeros((n + 1, n, m)), np.full((n + 1, n), -np.inf)
        for t in range(n):
            if t:
                alive = prob[:t, t - 1].copy()
                alive[:, self.sensors[t - 1]] = 0.0
                prob[:t, t] = alive @ self.chain.transition
                scale[:t, t] = scale[:t, t - 1]
            prob[t, t], scale[t, t] = self._start[t], 0.0
            total = prob[: t + 1, t].sum(axis=1)
            prob[: t + 1, t] /= np.where(total > 0, total, 1.0)[:, None]
            scale[: t + 1, t] += _log(total)
        return prob, scale

    @cached_property
    def log_weights(self) -> np.ndarray:
        """Log-probability of each segment, given where it begins: (n_epochs + 1, n_epochs + 1)."""
        n = self.n_epochs
        prob, scale = self._forward
        weights = np.full((n + 1, n + 1), -np.inf)
        epoch = np.arange(n)
        weights[:, :n] = _log(prob[:, epoch, self.sensors]) + scale
        last = prob[:, n - 1].copy()
        last[:, self.sensors[-1]] = 0.0
        weights[:, n] = _log(last.sum(axis=1)) + scale[:, n - 1]
        weights[n, n] = 0.0  # a sighting in the last epoch, and that is the end
        return weights

    @cached_property
    def _log_occurrence(self) -> np.ndarray:
        """Log-probability that each beginning occurs: (n_epochs + 1,)."""
        prob = self.chain.marginals(self.n_epochs)
        return np.append(0.0, _log(prob[np.arange(self.n_epochs), self.sensors]))

    def count_entropy(self) -> float:
        """Compute the entropy of the raw counts.

        It equals their mutual information with the trajectory. The probability of a sequence of
        counts is the product of its segments', so the logarithm is a sum over them: exact for any
        number of epochs.

        Returns
        -------
        float
            Nats.
        """
        occurs = np.exp(self._log_occurrence[:, None] + self.log_weights)
        return float(-(occurs * np.where(occurs > 0, self.log_weights, 0.0)).sum())

    # -- the most probable trajectory ------------------------------------------------------------

    @cached_property
    def _best_paths(self) -> tuple[np.ndarray, np.ndarray]:
        """Log-probability of the best path along each segment, and the path.

        paths[b, e, t]: the location in epoch t, for the epochs after the beginning up to the end;
        elsewhere -1. Ties go to the smallest location. Source: Koga et al., App. A.
        """
        n, m = self.n_epochs, self.chain.n_locations
        unseen = np.zeros((n, m))
        unseen[np.arange(n), self.sensors] = -np.inf
        first = _log(self._start)
        best = np.full((n + 1, n + 1), -np.inf)
        paths = np.full((n + 1, n + 1, n), -1, np.int32)
        for b in range(n):
            scores, pointers = viterbi_scores(first[b], self.chain.log_transition, unseen[b:])
            final = scores[-1] + unseen[-1]
            ends = [(e, s, scores[e - b, s]) for e, s in enumerate(self.sensors[b:], b)]
            for e, last, value in [*ends, (n, argmax_log(final), final.max())]:
                stop = min(e + 1, n)
                best[b, e], paths[b, e, b:stop] = value, backtrack(pointers[: stop - b], last)
        best[n, n] = 0.0
        return best, paths

    def viterbi(self, counts: np.ndarray, noise_std: float | None = None) -> np.ndarray:
        """Compute the most probable trajectory of each run, given its counts.

        Parameters
        ----------
        counts : array_like of float, shape (n_runs, n_epochs)
            Released counts minus all other users, as `observe` gives them.
        noise_std : float, optional
            Standard deviation of the Gaussian noise on each count; None for raw counts.

        Returns
        -------
        numpy.ndarray of int, shape (n_runs, n_epochs)
            Locations.

        Raises
        ------
        ValueError
            If counts are impossible; the message names the run.
        """
        best, paths = self._best_paths
        score, pointer = self._choose_segments(counts, noise_std, best)
        if np.isneginf(score).any():
            run = int(np.flatnonzero(np.isneginf(score))[0])
            raise ValueError(f"counts of run {run} have probability 0 under this chain")
        return self._locations[self._join(pointer, paths)]

    def _choose_segments(
        self, counts: np.ndarray, noise_std: float | None, best: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Choose segments: the score of each run, and the best beginning for each end."""
        n = self.n_epochs
        away, there = log_likelihoods(self._check_counts(counts), noise_std)
        score = np.full((n + 1, len(away)), -np.inf)  # by beginning
        score[0] = 0.0
        pointer = np.zeros((n + 1, len(away)), np.int64)
        missed = np.zeros((n + 1, len(away)))  # log-likelihood of no sighting since each beginning
        for e in range(n + 1):
            reach = score[: e + 1] + best[: e + 1, e, None] + missed[: e + 1]
            pointer[e] = argmax_log(reach, axis=0)
            top = reach.max(axis=0)
            if e < n:
                score[e + 1] = top + there[:, e]
                missed[: e + 1] += away[:, e]
        return top, pointer

    def _join(self, pointer: np.ndarray, paths: np.ndarray) -> np.ndarray:
        """Join the chosen segments, from the end."""
        n = self.n_epochs
        found = np.empty((pointer.shape[1], n), np.int64)
        end = np.full(pointer.shape[1], n)
        for e in range(n, -1, -1):
            runs = np.flatnonzero(end == e)
            begin = pointer[e, runs]
            for b in np.unique(begin):
                stretch = slice(b, min(e, n - 1) + 1)
                found[runs[begin == b], stretch] = paths[b, e, stretch]
            end[runs] = begin - 1  # the sighting that was the beginning is another's end
        return found

    def _check_counts(self, counts: np.ndarray) -> np.ndarray:
        counts = np.asarray(counts, float)
        if counts.ndim != 2 or counts.shape[1] != self.n_epochs:
            raise ValueError(f"counts has shape {counts.shape}; (n_runs, {self.n_epochs}) expected")
        return counts

    # -- the most probable locations ------------------------------------------------------------

    @cached_property
    def _backward(self) -> np.ndarray:
        """Backward: probability of segment end e, unseen until then, from x in epoch t.

        (n_epochs + 1, n_epochs, n_locations), each scaled to a largest value of 1.
        """
        n, m = self.n_epochs, self.chain.n_locations
        onward = np.zeros((n + 1, n, m))
        onward[n, n - 1] = 1.0
        for t in range(n - 2, -1, -1):
            later = onward[t + 2 :, t + 1].copy()
            later[:, self.sensors[t + 1]] = 0.0
            onward[t + 2 :, t] = later @ self.chain.transition.T
            onward[t + 1, t] = self.chain.transition[:, self.sensors[t + 1]]
            top = onward[t + 1 :, t].max(axis=1, keepdims=True)
            onward[t + 1 :, t] /= np.where(top > 0, top, 1.0)
        return onward

    def _posteriors(self, t: int) -> np.ndarray:
        """Distribution of the location in epoch t along each segment that passes it unseen.

        (t + 1 beginnings, n_epochs - t ends, n_locations); zeros for an impossible segment.
        """
        prob = self._forward[0][: t + 1, None, t] * self._backward[None, t + 1 :, t]
        prob[..., self.sensors[t]] = 0.0
        total = prob.sum(axis=-1, keepdims=True)
        return prob / np.where(total > 0, total, 1.0)

    @cached_property
    def _modes(self) -> np.ndarray:
        """The most probable location in each epoch of each segment."""
        n = self.n_epochs
        paths = np.full((n + 1, n + 1, n), -1, np.int32)
        for t in range(n):
            paths[: t + 1, t + 1 :, t] = argmax(self._posteriors(t))
            paths[: t + 1, t, t] = self.sensors[t]
        return paths

    def segment_posteriors(
        self, counts: np.ndarray, noise_std: float | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Compute each run's log-likelihood and the posterior probability of each segment.

        Parameters
        ----------
        counts : array_like of float, shape (n_runs, n_epochs)
            Released counts minus all other users, as `observe` gives them.
        noise_std : float, optional
            Standard deviation of the Gaussian noise on each count; None for raw counts.

        Returns
        -------
        numpy.ndarray, shape (n_runs,)
            Log-likelihood of the counts, up to the constant of `log_likelihoods`.
        numpy.ndarray, shape (n_beginnings, n_ends, n_runs)
            Posterior probabilities.
        """
        n = self.n_epochs
        away, there = log_likelihoods(self._check_counts(counts), noise_std)
        forward = np.full((n + 1, len(away)), -np.inf)
        forward[0] = 0.0
        joint = np.full((n + 1, n + 1, len(away)), -np.inf)
        missed = np.zeros((n + 1, len(away)))
        for e in range(n + 1):
            step = self.log_weights[: e + 1, e, None] + missed[: e + 1]
            if e < n:
                step = step + there[:, e]
                missed[: e + 1] += away[:, e]
            joint[: e + 1, e] = step
            total = np.logaddexp.reduce(forward[: e + 1] + step, axis=0)
            if e < n:
                forward[e + 1] = total
        backward = np.zeros((n + 1, len(away)))  # by end; the end of time has 0
        for e in range(n - 1, -1, -1):
            backward[e] = np.logaddexp.reduce(joint[e + 1, e + 1 :] + backward[e + 1 :], axis=0)
        with np.errstate(invalid="ignore"):  # impossible counts have NaN
            return total, np.exp(forward[:, None] + joint + backward - total)

    def marginal_modes(self, counts: np.ndarray, noise_std: float | None = None) -> np.ndarray:
        """Compute the most probable location of each run in each epoch, given its counts.

        Parameters
        ----------
        counts : array_like of float, shape (n_runs, n_epochs)
            Released counts minus all other users, as `observe` gives them.
        noise_std : float, optional
            Standard deviation of the Gaussian noise on each count; None for raw counts.

        Returns
        -------
        numpy.ndarray of int, shape (n_runs, n_epochs)
            Locations.

        Raises
        ------
        ValueError
            If counts are impossible; the message names the run.
        """
        total, posterior = self.segment_posteriors(counts, noise_std)
        if np.isneginf(total).any():
            run = int(np.flatnonzero(np.isneginf(total))[0])
            raise ValueError(f"counts of run {run} have probability 0 under this chain")
        found = np.empty((len(total), self.n_epochs), np.int64)
        m = self.chain.n_locations
        for t in range(self.n_epochs):
            passing = posterior[: t + 1, t + 1 :].reshape(-1, len(total))
            prob = passing.T @ self._posteriors(t).reshape(-1, m)
            prob[:, self.sensors[t]] += posterior[: t + 1, t].sum(axis=0)
            found[:, t] = argmax(prob)
        return self._locations[found]


def _on_support(chain: MarkovChain, sensors: np.ndarray) -> tuple[MarkovChain, np.ndarray]:
    """Renumber chain and sensors by the support; sensors outside it share one location."""
    n, inner = len(chain.support), chain.restricted()
    number = np.full(chain.n_locations, n)
    number[chain.support] = np.arange(n)
    renumbered = number[sensors]
    if (renumbered < n).all():
        return inner, renumbered
    transition = np.zeros((n + 1, n + 1))
    transition[:n, :n], transition[n, n] = inner.transition, 1.0
    return MarkovChain(np.append(inner.initial, 0.0), transition), renumbered

"""Estimators of a trajectory, and how often they succeed within s wrong steps (Eq. 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from lib.reconstruction.chain import (
    MarkovChain,
    backtrack,
    check_allowed_errors,
    check_epochs,
    check_locations,
    check_noise,
    viterbi_scores,
)
from lib.reconstruction.sensed import SensedChain, log_likelihoods, observe
from lib.ties import argmax, argmax_log
from lib.validation import format_value, validated

ESTIMATORS = ("viterbi", "marginal", "prior", "constant")
_MAX_CASES = 10**7  # counts times trajectories that may be enumerated


class Loss(NamedTuple):
    """The privacy loss of an estimator: the share of runs in which it succeeds.

    Attributes
    ----------
    loss : float
        Share of runs with at most s wrong steps.
    low : float
        Lower end of the 95% interval.
    high : float
        Upper end of the 95% interval.
    n_runs : int
        Number of runs.
    """

    loss: float
    low: float
    high: float
    n_runs: int


@validated
def viterbi_trajectory(
    chain: MarkovChain, sensors: np.ndarray, counts: np.ndarray, noise_std: float | None = None
) -> np.ndarray:
    """Compute the most probable trajectory given the counts (Viterbi algorithm).

    The paper calls it the MAP estimator (maximum a posteriori). It is `algorithm="viterbi"` of
    hmmlearn. Runs that share their sensors cost T^2 each, after T^2 M^2 once. Ties go to the
    smallest location.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,) or (n_runs, n_epochs)
        Sensors, for all runs or for each run.
    counts : array_like of float, shape (n_epochs,) or (n_runs, n_epochs)
        Released counts minus all other users, as `observe` gives them.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.

    Returns
    -------
    numpy.ndarray of int
        Locations, of the shape of counts.

    Raises
    ------
    ValueError
        If a sensor is not a location, the noise is not above 0, or counts are impossible under the
        chain; the message names the run.

    References
    ----------
    Koga et al., Prop. 1.

    Examples
    --------
    >>> from lib.reconstruction import MarkovChain
    >>> chain = MarkovChain([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> viterbi_trajectory(chain, [0, 0, 0], [1, 1, 0]).tolist()
    [0, 0, 1]
    """
    return _decode(chain, sensors, counts, noise_std, "viterbi")


@validated
def marginal_trajectory(
    chain: MarkovChain, sensors: np.ndarray, counts: np.ndarray, noise_std: float | None = None
) -> np.ndarray:
    """Compute the most probable location of each epoch given the counts (posterior marginals).

    Posterior decoding maximises the expected number of right steps; hmmlearn calls it
    `algorithm="map"`. Not in the paper, whose MAP estimator (`viterbi_trajectory`) is optimal for s
    = 0 only.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,) or (n_runs, n_epochs)
        Sensors, for all runs or for each run.
    counts : array_like of float, shape (n_epochs,) or (n_runs, n_epochs)
        Released counts minus all other users, as `observe` gives them.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.

    Returns
    -------
    numpy.ndarray of int
        Locations, of the shape of counts.

    Raises
    ------
    ValueError
        As `viterbi_trajectory`.
    """
    return _decode(chain, sensors, counts, noise_std, "marginal")


def _decode(
    chain: MarkovChain,
    sensors: np.ndarray,
    counts: np.ndarray,
    noise_std: float | None,
    estimator: str,
) -> np.ndarray:
    counts = np.asarray(counts, float)
    rows, sensors = np.atleast_2d(counts), np.asarray(sensors)
    if sensors.ndim == 2 or counts.ndim == 1:  # tables of segments pay for many runs only
        found = _decode_each(chain, np.atleast_2d(sensors), rows, noise_std, estimator)
    else:
        sensed = SensedChain(chain, sensors)
        decode = sensed.viterbi if estimator == "viterbi" else sensed.marginal_modes
        found = decode(rows, noise_std)
    return found[0] if counts.ndim == 1 else found


def _decode_each(
    chain: MarkovChain,
    sensors: np.ndarray,
    counts: np.ndarray,
    noise_std: float | None,
    estimator: str,
) -> np.ndarray:
    """Decode runs whose sensors differ, equal runs once, by Viterbi or forward-backward."""
    sensors = check_locations("sensors", sensors, chain.n_locations)
    if sensors.shape != counts.shape:
        raise ValueError(f"sensors has shape {sensors.shape} and counts {counts.shape}")
    if not sensors.size:
        raise ValueError(f"sensors has shape {sensors.shape}; a run and an epoch were expected")
    both = np.hstack([sensors, counts])
    _, first, back = np.unique(both, axis=0, return_index=True, return_inverse=True)
    away, there = log_likelihoods(counts[first], noise_std)
    decode = _viterbi if estimator == "viterbi" else _forward_backward
    found, possible = decode(chain, sensors[first], away, there)
    if not possible.all():
        run = int(np.flatnonzero(~possible[back.ravel()])[0])
        raise ValueError(f"counts of run {run} have probability 0 under this chain")
    return found[back.ravel()]


def _viterbi(
    chain: MarkovChain, sensors: np.ndarray, away: np.ndarray, there: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the best trajectory of each run, and whether its counts are possible."""
    paths, possible = np.empty(sensors.shape, np.int64), np.empty(len(sensors), bool)
    for run, each in enumerate(zip(sensors, away, there, strict=True)):
        log_emissions = _everywhere(*each, chain.n_locations)
        scores, pointers = viterbi_scores(chain.log_initial, chain.log_transition, log_emissions)
        final = scores[-1] + log_emissions[-1]
        paths[run] = backtrack(pointers, int(argmax_log(final)))
        possible[run] = np.isfinite(final.max())
    return paths, possible


def _forward_backward(
    chain: MarkovChain, sensors: np.ndarray, away: np.ndarray, there: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the most probable location in each epoch of each run, and whether it is possible."""
    n_runs, n = sensors.shape
    likely = [
        np.exp(_everywhere(*each, chain.n_locations))
        for each in zip(sensors.T, away.T, there.T, strict=True)
    ]
    forward = [_scaled(chain.initial * likely[0])]
    for t in range(1, n):
        forward.append(_scaled((forward[-1] @ chain.transition) * likely[t]))
    onward, found = np.ones((n_runs, chain.n_locations)), np.empty((n_runs, n), np.int64)
    for t in range(n - 1, -1, -1):
        found[:, t] = argmax(forward[t] * onward)
        onward = _scaled((onward * likely[t]) @ chain.transition.T)
    return found, forward[-1].max(axis=1) > 0


def _everywhere(
    sensors: np.ndarray, away: np.ndarray, there: np.ndarray, n_locations: int
) -> np.ndarray:
    """Compute the log-likelihood of each count at each location, at most 0: (n, n_locations)."""
    top = np.maximum(away, there)
    found = np.repeat((away - top)[:, None], n_locations, axis=1)
    found[np.arange(len(sensors)), sensors] = there - top
    return found


def _scaled(mass: np.ndarray) -> np.ndarray:
    top = mass.max(axis=1, keepdims=True)
    return mass / np.where(top > 0, top, 1.0)


@validated
def prior_trajectory(chain: MarkovChain, n_epochs: int) -> np.ndarray:
    """Compute the most probable trajectory without any counts.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    n_epochs : int
        Number of epochs, at least 1.

    Returns
    -------
    numpy.ndarray of int, shape (n_epochs,)
        Locations.

    References
    ----------
    Koga et al., Prop. 2 and App. B.

    Examples
    --------
    >>> from lib.reconstruction import MarkovChain
    >>> chain = MarkovChain([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> prior_trajectory(chain, n_epochs=3).tolist()
    [0, 0, 0]
    """
    no_counts = np.zeros((check_epochs(n_epochs), chain.n_locations))
    scores, pointers = viterbi_scores(chain.log_initial, chain.log_transition, no_counts)
    return backtrack(pointers, int(argmax_log(scores[-1])))


@validated
def constant_trajectory(
    chain: MarkovChain, n_epochs: int, allowed_errors: int, excluded: Sequence[int] = ()
) -> np.ndarray:
    """Compute the constant guess that succeeds most often ("lucky constant").

    The success probability of each location is computed exactly, without simulation.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    n_epochs : int
        Number of epochs, at least 1.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.
    excluded : sequence of int, default=()
        Locations that may not be guessed ("somewhere else").

    Returns
    -------
    numpy.ndarray of int, shape (n_epochs,)
        One location, repeated.

    Raises
    ------
    ValueError
        If every location is excluded.

    References
    ----------
    Koga et al., Sec. 3.2.2 and 4.1.

    Examples
    --------
    >>> from lib.reconstruction import MarkovChain
    >>> chain = MarkovChain([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> constant_trajectory(chain, n_epochs=3, allowed_errors=1).tolist()
    [0, 0, 0]
    """
    free = np.setdiff1d(np.arange(chain.n_locations), excluded)
    if not len(free):
        raise ValueError("excluded holds every location; one must be left to guess")
    guesses = np.repeat(free[:, None], check_epochs(n_epochs), axis=1)
    return guesses[argmax(np.atleast_1d(guess_loss(chain, guesses, allowed_errors)))]


# -- losses --------------------------------------------------------------------------------------


@validated
def monte_carlo_loss(
    chain: MarkovChain,
    sensors: np.ndarray,
    allowed_errors: int,
    estimator: str = "viterbi",
    noise_std: float | None = None,
    n_runs: int = 1000,
    *,
    rng: np.random.Generator,
) -> Loss:
    """Estimate the privacy loss of an estimator by simulation.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,) or (n_runs, n_epochs)
        Sensors, for all runs or for each run; in the latter case runs are decoded one at a time.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.
    estimator : {"viterbi", "marginal", "prior", "constant"}, default="viterbi"
        "viterbi": most probable trajectory given the counts ("MAP" in the paper); "marginal": most
        probable location of each epoch given the counts; "prior": most probable trajectory without
        counts; "constant": best single location without counts.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.
    n_runs : int
        Number of simulated runs.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Loss
        Share of successful runs with its Clopper-Pearson interval.

    Raises
    ------
    ValueError
        If the estimator is unknown, allowed_errors is outside 0..n_epochs - 1, a sensor is not a
        location, the noise is not above 0, there is no run, or rows of sensors do not match the
        runs.

    References
    ----------
    Koga et al., Sec. 3.2.1.

    Examples
    --------
    >>> import numpy as np
    >>> from lib.reconstruction import MarkovChain
    >>> chain = MarkovChain([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> rng = np.random.default_rng(1)
    >>> monte_carlo_loss(chain, [0, 0], allowed_errors=0, rng=rng)  # a count tells all
    Loss(loss=1.0, low=0.9963179161033608, high=1.0, n_runs=1000)
    """
    sensors = check_locations("sensors", sensors, chain.n_locations)
    s = check_allowed_errors(allowed_errors, sensors.shape[-1])
    check_noise(noise_std)
    if n_runs < 1:
        raise ValueError(f"n_runs is {n_runs}; at least 1")
    if sensors.ndim == 2 and len(sensors) != n_runs:
        raise ValueError(f"sensors has {len(sensors)} rows; one for each of {n_runs} runs")
    truth = chain.sample(n_runs, sensors.shape[-1], rng)
    if estimator in ("viterbi", "marginal"):
        counts = observe(truth, sensors, noise_std, rng)
        guess = _decode(chain, sensors, counts, noise_std, estimator)
    else:
        guess = _guess_without_counts(chain, sensors.shape[-1], s, estimator)
    return success_rate(truth, guess, s)


@validated
def success_rate(truth: np.ndarray, guess: np.ndarray, allowed_errors: int) -> Loss:
    """Compute the share of trajectories that are guessed with at most s wrong steps.

    Parameters
    ----------
    truth : array_like of int, shape (n_runs, n_epochs)
        True locations.
    guess : array_like of int, shape (n_runs, n_epochs) or (n_epochs,)
        Guessed locations.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.

    Returns
    -------
    Loss
        The share with its Clopper-Pearson interval.
    """
    hits = int(((truth != guess).sum(axis=1) <= allowed_errors).sum())
    interval = stats.binomtest(hits, len(truth)).proportion_ci(0.95, "exact")
    return Loss(hits / len(truth), float(interval.low), float(interval.high), len(truth))


def _guess_without_counts(chain: MarkovChain, n_epochs: int, s: int, estimator: str) -> np.ndarray:
    if estimator == "prior":
        return prior_trajectory(chain, n_epochs)
    if estimator == "constant":
        return constant_trajectory(chain, n_epochs, s)
    raise ValueError(f"estimator is {format_value(estimator)}; one of {', '.join(ESTIMATORS)}")


@validated
def exact_loss(
    chain: MarkovChain, sensors: np.ndarray, allowed_errors: int, estimator: str = "viterbi"
) -> float:
    """Compute the privacy loss of an estimator from raw counts, without sampling error.

    The guess between two sightings depends on nothing else, so the distributions of the number of
    errors are computed segment by segment, in at most T^3 s M^2 steps, and convolved. Not in the
    paper.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,)
        Location of the sensor that is on in each epoch.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.
    estimator : {"viterbi", "marginal", "prior", "constant"}, default="viterbi"
        "viterbi": most probable trajectory given the counts ("MAP" in the paper); "marginal": most
        probable location of each epoch given the counts; "prior": most probable trajectory without
        counts; "constant": best single location without counts.

    Returns
    -------
    float
        Success probability.

    Raises
    ------
    ValueError
        As `monte_carlo_loss`.
    """
    sensed = SensedChain(chain, sensors)
    n = sensed.n_epochs
    s = check_allowed_errors(allowed_errors, n)
    if estimator not in ("viterbi", "marginal"):
        return float(guess_loss(chain, _guess_without_counts(chain, n, s, estimator), s))
    paths = sensed._best_paths[1] if estimator == "viterbi" else sensed._modes
    mass_of = _error_distributions(sensed, paths, s)
    errors = np.zeros((n + 1, s + 1))  # P(beginning, number of errors before it)
    errors[0, 0] = 1.0
    for e in range(n + 1):
        total = sum(np.convolve(errors[b], mass_of[b, e])[: s + 1] for b in range(e + 1))
        if e < n:
            errors[e + 1] = total
    return float(np.sum(total))


def _error_distributions(sensed: SensedChain, paths: np.ndarray, s: int) -> np.ndarray:
    """Compute P(segment with d errors | its beginning): (n + 1, n + 1, s + 1)."""
    n, m, sensors = sensed.n_epochs, sensed.chain.n_locations, sensed.sensors
    mass_of = np.zeros((n + 1, n + 1, s + 1))
    mass_of[n, n, 0] = 1.0
    for b in range(n):
        mass = np.zeros((n + 1 - b, s + 1, m))  # by end, errors, location
        mass[:, 0] = sensed._start[b]
        for t in range(b, n):
            if t > b:
                later = mass[1:]
                mass = (later.reshape(-1, m) @ sensed.chain.transition).reshape(later.shape)
            mass_of[b, t] = mass[0, :, sensors[t]]
            mass[..., sensors[t]] = 0.0
            mass[1:] = _one_step(mass[1:], paths[b, t + 1 :, t])
        mass_of[b, n] = mass[-1].sum(axis=-1)
    return mass_of


def _one_step(mass: np.ndarray, guess: np.ndarray) -> np.ndarray:
    """Move the mass that is not at the guessed location to one more error; (guesses, errors, x)."""
    which = np.arange(len(mass))
    right = mass[which, :, guess].copy()
    missed = np.zeros_like(mass)
    missed[:, 1:] = mass[:, :-1]
    missed[which, :, guess] = right
    return missed


@validated
def guess_loss(chain: MarkovChain, guesses: np.ndarray, allowed_errors: int) -> float | np.ndarray:
    """Compute the exact success probability of guesses that ignore the counts.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    guesses : array_like of int, shape (n_epochs,) or (n_guesses, n_epochs)
        Guessed locations.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.

    Returns
    -------
    float or numpy.ndarray, shape (n_guesses,)
        Success probability.
    """
    found = check_locations("guesses", guesses, chain.n_locations)
    rows = np.atleast_2d(found)
    s = check_allowed_errors(allowed_errors, rows.shape[1])
    mass = np.zeros((len(rows), s + 1, chain.n_locations))
    mass[:, 0] = chain.initial
    for t, guess in enumerate(rows.T):
        if t:
            mass = mass @ chain.transition
        mass = _one_step(mass, guess)
    success = mass.sum(axis=(1, 2))
    return float(success[0]) if found.ndim == 1 else success


@validated
def best_loss(chain: MarkovChain, sensors: np.ndarray, allowed_errors: int) -> float:
    """Compute the success probability of the best estimator from raw counts, by enumeration.

    For each sequence of counts: the guess with most probability within s errors. Not in the paper.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,)
        Location of the sensor that is on in each epoch.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.

    Returns
    -------
    float
        Success probability.

    Raises
    ------
    ValueError
        If counts times trajectories are more than 10^7.
    """
    sensors = check_locations("sensors", sensors, chain.n_locations)
    n = len(sensors)
    s = check_allowed_errors(allowed_errors, n)
    places = chain.support
    n_cases = (2.0 * len(places)) ** n
    if n_cases > _MAX_CASES:
        raise ValueError(
            f"{len(places)} locations and {n} epochs make {n_cases:.2g} cases; "
            f"{_MAX_CASES:.0e} at most"
        )
    joint, inner = chain.initial[places], chain.transition[np.ix_(places, places)]
    for _ in range(n - 1):
        joint = joint[..., None] * inner
    return sum(_best_ball(joint * mask, s) for mask in _consistent_trajectories(places, sensors))


def _consistent_trajectories(places: np.ndarray, sensors: np.ndarray) -> list[np.ndarray]:
    """List a 0/1 array over trajectories for each sequence of raw counts."""
    masks = [np.ones((1,) * len(sensors))]
    for t, sensor in enumerate(sensors):
        seen = (places == sensor).astype(float)
        shape = [1] * len(sensors)
        shape[t] = len(places)
        masks = [mask * each.reshape(shape) for mask in masks for each in (seen, 1 - seen)]
    return masks


def _best_ball(joint: np.ndarray, s: int) -> float:
    """Compute the largest mass within s errors of any guess."""
    if not joint.any():
        return 0.0
    mass = [joint] + [np.zeros_like(joint)] * s
    for axis in range(joint.ndim):
        others = [each.sum(axis=axis, keepdims=True) - each for each in mass]
        mass = [mass[0], *(mass[d] + others[d - 1] for d in range(1, s + 1))]
    return float(sum(mass).max())  # type: ignore[union-attr]

"""Mutual information of counts and trajectory, in nats: the paper's bounds and exact values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special, stats

from lib.reconstruction.chain import MarkovChain, _log, check_locations, check_noise
from lib.reconstruction.sensed import SensedChain, log_likelihoods, observe
from lib.validation import format_value, validated

KINDS = ("pairwise", "exact")
_Z = np.linspace(-12.0, 12.0, 4801)  # standard normal nodes: beyond them 1e-32 of the mass
_WEIGHT = stats.norm.pdf(_Z) * (_Z[1] - _Z[0])


@validated
def mutual_information(
    chain: MarkovChain,
    sensors: np.ndarray,
    noise_std: float | None = None,
    information: str = "pairwise",
) -> np.ndarray:
    """Compute (an upper bound on) the mutual information of trajectory and counts.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,) or (n_sequences, n_epochs)
        Sensors; one row for each sequence.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.
    information : {"pairwise", "exact"}, default="pairwise"
        "pairwise", as in the paper: for raw counts, the sum of H(count_t | count_t-1); for noisy
        counts, Eq. 4, whose terms are independent of each other. "exact": for raw counts, the
        mutual information itself, in time T^2 M^2; for noisy counts, the smaller of that (data
        processing) and of the sum over epochs of the information of each noisy count alone.

    Returns
    -------
    numpy.ndarray or float
        Nats; one value for each sequence.

    Raises
    ------
    ValueError
        If `information` is unknown, a sensor is not a location, or the noise is not above 0.

    References
    ----------
    Koga et al., Sec. 3.3.1 and App. C.
    """
    if information not in KINDS:
        raise ValueError(f"information is {format_value(information)}; one of {', '.join(KINDS)}")
    rows, single = sensor_rows(chain, sensors)
    if information == "exact":
        found = np.array([SensedChain(chain, row).count_entropy() for row in rows])
        if check_noise(noise_std) is not None:
            found = np.minimum(found, _own_information(hit_chances(chain, rows), noise_std))
    elif check_noise(noise_std) is None:
        found = _pairwise(chain, rows)
    else:
        found = _eq4(hit_chances(chain, rows), noise_std)
    return found[0] if single else found


def sensor_rows(chain: MarkovChain, sensors: np.ndarray) -> tuple[np.ndarray, bool]:
    """Return sensors as rows.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,) or (n_sequences, n_epochs)
        Sensors; one row for each sequence.

    Returns
    -------
    numpy.ndarray of int, shape (n_sequences, n_epochs)
        The sensors.
    bool
        Whether a single sequence was given.
    """
    found = check_locations("sensors", sensors, chain.n_locations)
    if found.ndim not in (1, 2) or found.shape[-1] == 0:
        raise ValueError(
            f"sensors has shape {found.shape}; (n_epochs,) or (n_sequences, n_epochs) was "
            "expected: the number of the location that is observed in each epoch"
        )
    return np.atleast_2d(found), found.ndim == 1


def hit_chances(chain: MarkovChain, rows: np.ndarray) -> np.ndarray:
    """Compute Pr[X_t = c_t] for each sensor.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    rows : numpy.ndarray of int, shape (n_sequences, n_epochs)
        Sensors.

    Returns
    -------
    numpy.ndarray, shape (n_sequences, n_epochs)
        Probabilities.
    """
    hit = chain.marginals(rows.shape[1])[np.arange(rows.shape[1]), rows]
    return np.clip(hit, 0.0, 1.0)  # rounding leaves them


def _pairwise(chain: MarkovChain, rows: np.ndarray) -> np.ndarray:
    """H(B_1) + sum of H(B_t | B_t-1), B_t = 1 if the target is at the sensor."""
    hit = hit_chances(chain, rows)
    before, now = hit[:, :-1], hit[:, 1:]
    both = before * chain.transition[rows[:, :-1], rows[:, 1:]]
    cells = np.stack([both, before - both, now - both, 1 - before - now + both])
    joint = special.entr(np.maximum(cells, 0.0)).sum(axis=0)
    alone = special.entr(hit) + special.entr(1 - hit)
    return alone[:, 0] + (joint - alone[:, :-1]).sum(axis=1)


def _eq4(hit: np.ndarray, noise_std: float | None) -> np.ndarray:
    assert noise_std is not None
    overlap = np.exp(-1 / (2 * noise_std**2))
    there, away = _log(hit + (1 - hit) * overlap), _log(1 - hit + hit * overlap)
    terms = np.where(hit > 0, hit * there, 0.0) + np.where(hit < 1, (1 - hit) * away, 0.0)
    return -terms.sum(axis=1)


def _own_information(hit: np.ndarray, noise_std: float | None) -> np.ndarray:
    """Sum over epochs of the mutual information of one bit and one noisy count, by quadrature."""
    assert noise_std is not None
    total = np.zeros(len(hit))
    exponent = -1 / (2 * noise_std**2) - _Z / noise_std  # of the density ratio
    for t in range(hit.shape[1]):
        open_ = np.flatnonzero((hit[:, t] > 0) & (hit[:, t] < 1))  # else the count tells nothing
        p = hit[open_, t, None]
        there = np.logaddexp(np.log(p), np.log1p(-p) + exponent) @ _WEIGHT
        away = np.logaddexp(np.log1p(-p), np.log(p) + exponent) @ _WEIGHT
        total[open_] -= p[:, 0] * there + (1 - p)[:, 0] * away
    return np.maximum(total, 0.0)


class Estimate(NamedTuple):
    """A mean over runs and its 95% interval (Student).

    Attributes
    ----------
    mean : float
        Mean.
    low : float
        Lower end.
    high : float
        Upper end.
    """

    mean: float
    low: float
    high: float


@validated
def monte_carlo_information(
    chain: MarkovChain,
    sensors: np.ndarray,
    n_runs: int,
    rng: np.random.Generator,
    noise_std: float | None = None,
) -> Estimate:
    """Estimate the mutual information of trajectory and counts by simulation.

    The mean of log Pr[counts | trajectory] - log Pr[counts] over sampled runs; the second term by
    the forward algorithm. Unbiased for raw and noisy counts.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,)
        Location of the sensor that is on in each epoch.
    n_runs : int
        Number of simulated runs.
    rng : numpy.random.Generator
        Source of randomness.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.

    Returns
    -------
    Estimate
        Nats.

    Raises
    ------
    ValueError
        For fewer than 2 runs.
    """
    if n_runs < 2:
        raise ValueError(f"n_runs is {n_runs}; an interval needs at least two")
    sensed = SensedChain(chain, sensors)
    truth = chain.sample(n_runs, sensed.n_epochs, rng)
    counts = observe(truth, np.asarray(sensors), noise_std, rng)
    away, there = log_likelihoods(counts, noise_std)
    given = np.where(truth == np.asarray(sensors), there, away).sum(axis=1)
    values = given - sensed.segment_posteriors(counts, noise_std)[0]
    half = stats.t.ppf(0.975, n_runs - 1) * stats.sem(values)
    return Estimate(float(values.mean()), float(values.mean() - half), float(values.mean() + half))

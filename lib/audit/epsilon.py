"""Declared and empirical epsilon: lower confidence bounds on the epsilon of a release.

There are three bounds. *Neighbours*: the mechanism is run on counts with and without one unit, and
the best test of the trials bounds epsilon. *A crowd in one cell*: k people at one place and hour; a
mechanism that gives each visit epsilon / cap guarantees them k times that, which is large enough to
be tested. *One run*: guesses about many people from one release.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from lib.audit.games import Game
from lib.audit.measures import (
    CONFIDENCE,
    Bound,
    clopper_pearson_epsilon,
    one_run_epsilon,
    round_significant,
    standardize,
)
from lib.audit.membership import likelihood_ratio_same_people
from lib.audit.releases import Plan
from lib.mechanisms import FourierPerturbation, Gaussian, Laplace, gaussian_delta
from lib.ties import argsort_descending

_BLOCK = 1 << 20  # values drawn in one call
_METHODS = 3
_EACH = 1 - (1 - CONFIDENCE) / _METHODS  # confidence of each, so that all hold simultaneously
_DIGITS = 6  # of a score
_GUESSES = 0.2  # share of people about whom the one-run audit guesses; fixed beforehand
_TRIALS = "Clopper-Pearson, best threshold of other trials"


@dataclass(frozen=True)
class EmpiricalEpsilon:
    """A lower confidence bound on epsilon and how it was obtained.

    Parameters
    ----------
    attack, method : str
        What was tested, and how.
    bound : Bound
        The bound.
    comparable : bool
        Whether it is about the unit for which epsilon is declared.
    """

    attack: str
    method: str
    bound: Bound
    comparable: bool

    def to_dict(self) -> dict[str, Any]:
        """Convert the bound for the audit's document.

        Returns
        -------
        dict
            The fields, numbers rounded.
        """
        return {
            "attack": self.attack,
            "method": self.method,
            "lower": round_significant(self.bound.lower),
            "confidence": round_significant(self.bound.confidence),
            "ceiling": round_significant(self.bound.ceiling),
            "comparable": self.comparable,
        }


def one_cell_bound(
    plan: Plan, n_trials: int, group_size: int, rng: np.random.Generator, confidence: float = _EACH
) -> Bound:
    """Bound the unit's epsilon by trials with k people at one place in one epoch.

    Noise is independent from count to count, so for Laplace noise a unit of `cap` visits costs
    exactly cap times one visit, and k visits to one cell cost at most k times one. An epsilon of e
    for k people therefore bounds the unit's from below by e cap / k. For Gaussian noise,
    k = sqrt(cap) people in one cell are at the same distance as a whole unit, so their bound holds
    for it.

    Parameters
    ----------
    plan : Plan
        The release.
    n_trials : int
        Trials with the people and without them.
    group_size : int
        Number of people in the group.
    rng : numpy.random.Generator
        Source of randomness.
    confidence : float
        Confidence level.

    Returns
    -------
    Bound
        The bound for the declared unit.

    Raises
    ------
    ValueError
        If the release has neither Laplace nor Gaussian noise.
    """
    if not isinstance(plan.noise, Laplace | Gaussian):
        raise ValueError(f"{plan.release.name} adds no Laplace or Gaussian noise to its counts")
    cap, most = plan.cap or 1, max(1, group_size // 2)
    if isinstance(plan.noise, Gaussian):
        k, delta = min(max(1, math.isqrt(cap)), most), plan.noise.delta
        factor = 1.0
    else:  # as many people as have an epsilon of about 1 together
        assert plan.epsilon is not None
        k, delta = min(max(1, round(cap / plan.epsilon)), most), 0.0
        factor = cap / k
    base = max(plan.threshold, (group_size - k) // 2)
    without, with_people = (
        _one_cell_trials(plan, value, n_trials, group_size, rng) for value in (base, base + k)
    )
    bound = clopper_pearson_epsilon(without, with_people, delta, confidence)
    return bound._replace(lower=bound.lower * factor, ceiling=bound.ceiling * factor)


def _one_cell_trials(
    plan: Plan, value: int, n_trials: int, group_size: int, rng: np.random.Generator
) -> np.ndarray:
    parts = []
    for first in range(0, n_trials, _BLOCK):
        n = min(_BLOCK, n_trials - first)
        parts.append(plan.apply(np.full((n, 1, 1), value), rng, group_size).ravel())
    return np.concatenate(parts)


def neighbours_bound(game: Game, confidence: float = _EACH) -> Bound:
    """Bound the unit's epsilon by trials with and without the largest unit in the records.

    The unit is somebody's busiest day, whole period or one visit, after contribution bounding.

    Parameters
    ----------
    game : Game
        The audit's game.
    confidence : float
        Confidence level.

    Returns
    -------
    Bound
        The bound for the declared unit.
    """
    plan, rng = game.plan, game.rng("epsilon", "neighbours")
    change = _largest_unit(game)
    places = np.flatnonzero(change.any(axis=1))
    if not len(places):
        return Bound(0.0, 0.0, confidence)
    change = change[places]
    everybody = game.bounded.matrix.sum(axis=0).reshape(-1, game.traces.n_epochs)[places]
    base = np.maximum(everybody - change, 0).astype(np.int32)
    if not isinstance(plan.noise, FourierPerturbation):  # noise is the same in every cell
        seen = change > 0
        base, change = base[seen][None], change[seen][None]
    n = int(np.clip(20_000_000 // max(base.size, 1), 200, game.sizes.trials // 10))
    return neighbour_pair_bound(plan, base, change, n, game.traces.n_users, rng, confidence)


def neighbour_pair_bound(
    plan: Plan,
    base: np.ndarray,
    change: np.ndarray,
    n_trials: int,
    group_size: int,
    rng: np.random.Generator,
    confidence: float = _EACH,
) -> Bound:
    """Bound epsilon between counts `base` and `base + change` by repeated trials.

    The score tells which of the two a publication is nearer to: up to a factor the log-likelihood
    ratio of Laplace noise (absolute distance) and of Gaussian noise (squared distance). Scores are
    rounded, because the last digits of floating-point noise reveal more than epsilon allows
    (Mironov 2012); a real release needs an exact sampler.

    Parameters
    ----------
    plan : Plan
        The release.
    base, change : ndarray of int, shape (n_rois, n_epochs)
        Counts without the unit, and the unit.
    n_trials : int
        Trials with the unit and without it.
    group_size : int
        Number of people in the group.
    rng : numpy.random.Generator
        Source of randomness.
    confidence : float
        Confidence level.

    Returns
    -------
    Bound
        The bound for this unit.
    """
    both = [base.astype(np.int32), (base + change).astype(np.int32)]
    noiseless = [plan.without_noise(each, group_size) for each in both]
    power = 1 if isinstance(plan.noise, Laplace) else 2
    scores: list[list[np.ndarray]] = [[], []]
    width = max(1, _BLOCK // max(base.size, 1))
    for first in range(0, n_trials, width):
        for block, raw in zip(scores, both, strict=True):
            raws = np.repeat(raw[None], min(width, n_trials - first), axis=0)
            published = plan.apply(raws, rng, group_size)
            distance = [np.abs(published - each) ** power for each in noiseless]
            block.append((distance[0] - distance[1]).sum(axis=(1, 2)).round(_DIGITS))
    without, with_unit = (np.concatenate(each) for each in scores)
    return clopper_pearson_epsilon(without, with_unit, plan.delta or 0.0, confidence)


def _largest_unit(game: Game) -> np.ndarray:
    """0/1 (n_rois, n_epochs): the largest unit that anybody's bounded visits hold."""
    traces = game.bounded
    if game.plan.unit == "visit":
        cell = np.zeros(game.shape[0] * game.shape[1], np.int32)
        cell[traces.matrix.indices[0]] = 1
        return cell.reshape(game.shape)
    user = int(np.argmax(np.diff(traces.matrix.indptr)))
    trace = traces.trace(traces.users[user])
    if game.plan.unit == "user-day":
        days = np.unique(traces.epochs.normalize(), return_inverse=True)[1]
        busiest = np.argmax(np.bincount(days, trace.sum(axis=0)))
        trace = trace * (days == busiest)
    return trace


def one_run_bound(game: Game, confidence: float = _EACH) -> Bound:
    """Bound a whole person's epsilon by the first test release alone.

    The number of guesses is fixed beforehand: the tenth of the targets with the highest scores are
    guessed to be members, the tenth with the lowest to be non-members.

    Parameters
    ----------
    game : Game
        The audit's game.
    confidence : float
        Confidence level.

    Returns
    -------
    Bound
        The bound for a whole person.
    """
    scores = likelihood_ratio_same_people(game, game.targets)
    z = standardize(scores.test, scores.shadow, game.shadow.members[game.targets])[:, 0]
    members = game.test.members[game.targets][:, 0]
    each = max(1, int(_GUESSES / 2 * len(z)))
    order = argsort_descending(-z)
    right = int(members[order[-each:]].sum() + (~members[order[:each]]).sum())
    return one_run_epsilon(len(z), 2 * each, right, game.plan.delta or 0.0, confidence)


def audit_epsilon(game: Game) -> dict[str, Any]:
    """Compare the declared epsilon with all lower bounds that apply.

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    dict
        Keys ``declared``, ``delta``, ``unit``, ``accountant`` (epsilon by unit), ``person``
        (epsilon of a person over the whole release), ``empirical``
        (bounds) and ``exceeded`` (whether a bound on the declared unit is above the declared one).
    """
    plan = game.plan
    bounds = [
        EmpiricalEpsilon(
            "one run, people at random",
            "one run (Steinke et al. 2023)",
            one_run_bound(game),
            plan.unit == "user",
        )
    ]
    if plan.noise is not None:
        bounds.append(EmpiricalEpsilon("neighbours", _TRIALS, neighbours_bound(game), True))
    if isinstance(plan.noise, Laplace | Gaussian):
        rng = game.rng("epsilon", "crowd")
        bound = one_cell_bound(plan, game.sizes.trials, game.traces.n_users, rng)
        bounds.append(EmpiricalEpsilon("a crowd in one cell", _TRIALS, bound, True))
    described = plan.describe()
    return {
        "declared": described["epsilon"],
        "delta": described["delta"],
        "unit": described["unit"],
        "accountant": epsilon_by_unit(plan),
        "person": person_epsilon(plan),
        "empirical": [each.to_dict() for each in bounds],
        "exceeded": plan.epsilon is not None
        and any(b.comparable and b.bound.lower > plan.epsilon for b in bounds),
    }


def epsilon_by_unit(plan: Plan) -> dict[str, float | None]:
    """Compute the epsilon that Laplace noise guarantees to each unit of privacy.

    Parameters
    ----------
    plan : Plan
        The release.

    Returns
    -------
    dict of str to float or None
        Effective epsilon by unit (keys of `UNITS`), by sequential composition; None without
        Laplace noise.
    """
    if not isinstance(plan.noise, Laplace):
        return {"visit": None, "user-day": None, "user": None}
    visits = _most_visits(plan)
    return {unit: most / plan.noise.scale for unit, most in visits.items()}


def person_epsilon(plan: Plan) -> dict[str, float | None]:
    """Compute the epsilon that is guaranteed to a whole person, over the whole release.

    Parameters
    ----------
    plan : Plan
        The release.

    Returns
    -------
    dict
        Key ``epsilon``: by sequential composition for Laplace noise; for Gaussian noise at the
        declared delta; None without noise.
    """
    noise = plan.noise
    if not isinstance(noise, Gaussian):
        return {"epsilon": plan.epsilon if plan.unit == "user" else epsilon_by_unit(plan)["user"]}
    if plan.unit == "user":
        return {"epsilon": plan.epsilon}
    multiplier, high = noise.scale / math.sqrt(_most_visits(plan)["user"]), 1.0
    while gaussian_delta(high, multiplier) > noise.delta:
        high *= 2
    exact = optimize.brentq(lambda e: gaussian_delta(e, multiplier) - noise.delta, 1e-9, high)
    return {"epsilon": float(exact)}


def _most_visits(plan: Plan) -> dict[str, int]:
    """The largest number of visits that each unit of privacy can add to the counts."""
    shape = plan.shape
    most_user = plan.cap if plan.unit == "user" else None
    days = math.ceil(shape.n_epochs / shape.epochs_a_day)
    a_day = plan.cap if plan.unit == "user-day" else min(shape.epochs_a_day, most_user or 10**9)
    if plan.unit == "visit":  # nothing is bounded: any number of places per epoch
        a_day = shape.epochs_a_day * shape.n_rois
    in_all = most_user if most_user is not None else int(a_day or 0) * days
    return {"visit": 1, "user-day": a_day or 0, "user": in_all}

"""Declared and empirical epsilon: lower bounds on the epsilon of a release.

Four bounds come from trials. *Neighbours*: the mechanism is run on counts with and without one
unit, and the best test of the trials bounds epsilon. *A crowd in one cell*: k people at one place
and hour; a mechanism that gives each visit epsilon / cap guarantees them k times that, which is
large enough to be tested. *Difference of two hours*: the same people, judged by their hour minus
another, which shows noise that is not independent. *One run*: guesses about many people from one
release. For Fourier perturbation, *one place* takes the place of the crowd.

Two bounds are exact, because they follow from the noise's distribution: that of the largest unit in
the records, and for Fourier perturbation that of one person who visits many places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np

from lib.audit.games import Game
from lib.audit.likelihood import fourier_log_ratio
from lib.audit.measures import (
    CONFIDENCE,
    Bound,
    clopper_pearson_epsilon,
    epsilon_of_mu,
    gaussian_epsilon,
    one_run_epsilon,
    round_significant,
    standardize,
)
from lib.audit.membership import likelihood_ratio_same_people
from lib.audit.releases import Plan
from lib.mechanisms import DiscreteGaussian, FourierPerturbation, Gaussian, Laplace
from lib.ties import argsort_descending

CRAFTED = "one person in turn"  # names the crafted neighbour of Fourier perturbation
_BLOCK = 1 << 20  # values drawn in one call
_METHODS = 4  # that use trials
_EACH = 1 - (1 - CONFIDENCE) / _METHODS  # confidence of each, so that all hold simultaneously
_DIGITS = 6  # of a score
_GUESSES = 0.2  # share of people about whom the one-run audit guesses; fixed beforehand
_MU = 2.0  # of the people in one cell together, for Gaussian noise: neither 0 nor 1 is rare
_TRIALS = "Clopper-Pearson, best threshold of other trials"
_GDP = "trade-off curve of Gaussian noise (Nasr et al. 2023), best threshold of other trials"
_EXACT = "exact, from the distribution of the noise"


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
    declared : float or None
        What is declared for the unit that it is about.
    """

    attack: str
    method: str
    bound: Bound
    comparable: bool
    declared: float | None

    @property
    def exceeded(self) -> bool:
        """Whether it shows that the declared epsilon is not guaranteed."""
        return self.comparable and self.declared is not None and self.bound.lower > self.declared

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
            "declared": round_significant(self.declared),
        }


def one_cell_bound(
    plan: Plan, n_trials: int, group_size: int, rng: np.random.Generator, confidence: float = _EACH
) -> Bound:
    """Bound the unit's epsilon by trials with k people at one place in one epoch.

    Noise is independent from count to count, so for Laplace noise a unit of `cap` visits costs
    exactly cap times one visit, and k visits to one cell cost at most k times one. An epsilon of e
    for k people therefore bounds the unit's from below by e cap / k. For Gaussian noise, k people
    in one cell are k / sqrt(cap) times as far apart as a whole unit.

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
    return _crowd_bound(plan, n_trials, group_size, rng, confidence, n_hours=1)


def two_hours_bound(
    plan: Plan, n_trials: int, group_size: int, rng: np.random.Generator, confidence: float = _EACH
) -> Bound:
    """Bound the unit's epsilon by the difference of two hours, k people being in one of them.

    Independent noise of two hours is wider than that of one, so the bound is below that of
    `one_cell_bound`. Noise that is used for both hours cancels.

    Parameters
    ----------
    plan, n_trials, group_size, rng, confidence : object
        As in `one_cell_bound`.

    Returns
    -------
    Bound
        The bound for the declared unit.

    Raises
    ------
    ValueError
        If the release has neither Laplace nor Gaussian noise.
    """
    return _crowd_bound(plan, n_trials, group_size, rng, confidence, n_hours=2)


def _crowd_bound(
    plan: Plan,
    n_trials: int,
    group_size: int,
    rng: np.random.Generator,
    confidence: float,
    n_hours: int,
) -> Bound:
    noise, cap, most = plan.noise, plan.cap or 1, max(1, group_size // 2)
    if not isinstance(noise, Laplace | Gaussian):
        raise ValueError(f"{plan.release.name} adds no Laplace or Gaussian noise to its counts")
    if _is_gdp(noise):
        k = min(max(1, round(_MU * noise.scale)), most)
    elif isinstance(noise, Gaussian):
        k = min(max(1, math.isqrt(cap)), most)
    else:  # as many people as have an epsilon of about 1 together
        assert plan.epsilon is not None
        k = min(max(1, round(cap / plan.epsilon)), most)
    base = max(plan.threshold, (group_size - k) // 2)
    without, with_people = (
        _publish_often(plan, np.array([value, base][:n_hours]), n_trials, group_size, rng)
        for value in (base, base + k)
    )
    if _is_gdp(noise):
        units = k / math.sqrt(cap)
        return gaussian_epsilon(without, with_people, plan.delta or 0.0, units, confidence)
    factor = 1.0 if isinstance(noise, Gaussian) else cap / k
    bound = clopper_pearson_epsilon(without, with_people, plan.delta or 0.0, confidence)
    return bound._replace(lower=bound.lower * factor, ceiling=bound.ceiling * factor)


def _is_gdp(noise: object) -> TypeGuard[Gaussian]:
    """Whether noise has the trade-off curve of a normal distribution."""
    return isinstance(noise, Gaussian) and not isinstance(noise, DiscreteGaussian)


def _publish_often(
    plan: Plan, hours: np.ndarray, n_trials: int, group_size: int, rng: np.random.Generator
) -> np.ndarray:
    """Publish the counts of one place again and again: the first hour, minus the second if any."""
    parts = []
    for first in range(0, n_trials, _BLOCK):
        counts = np.tile(hours, (min(_BLOCK, n_trials - first), 1, 1))
        shown = plan.apply(counts, rng, group_size)[:, 0]
        parts.append(shown[:, 0] - shown[:, 1:].sum(axis=1))
    return np.concatenate(parts).round(_DIGITS)


def one_place_bound(
    plan: Plan, n_trials: int, group_size: int, rng: np.random.Generator, confidence: float = _EACH
) -> Bound:
    """Bound the epsilon that Fourier perturbation declares for one person at one place.

    The person is at the place as long as the bound on visits allows, in one stretch.

    Parameters
    ----------
    plan, n_trials, group_size, rng, confidence : object
        As in `one_cell_bound`.

    Returns
    -------
    Bound
        The bound for one person at one place.
    """
    change = crafted_person(plan, 1)
    base = np.full(change.shape, max(plan.threshold, group_size // 2))
    return neighbour_pair_bound(plan, base, change, n_trials, group_size, rng, confidence)


def crafted_person(plan: Plan, most_places: int | None = None) -> np.ndarray:
    """Make the visits of one person who gets as little as possible from Fourier perturbation.

    The person stays at each of several places for the same time, one after the other. The number of
    places is the one with the largest epsilon.

    Parameters
    ----------
    plan : Plan
        A release with Fourier perturbation.
    most_places : int, optional
        Largest number of places; by default those of the release.

    Returns
    -------
    ndarray of int, shape (n_places, n_epochs)
        0 or 1, at most one place in each epoch.
    """
    assert isinstance(plan.noise, FourierPerturbation)
    n_epochs, cap = plan.shape.n_epochs, plan.cap or plan.shape.n_epochs
    most = min(plan.shape.n_rois, cap, most_places or cap)
    best, largest = np.zeros((1, n_epochs), np.int32), -1.0
    for n_places in range(1, most + 1):
        person = np.zeros((n_places, n_epochs), np.int32)
        epochs = np.arange(min(cap, n_epochs) // n_places * n_places)
        person[epochs * n_places // len(epochs), epochs] = 1
        epsilon = float(plan.noise.effective_epsilon(person))
        if epsilon > largest:
            best, largest = person, epsilon
    return best


def exact_epsilon(plan: Plan, change: np.ndarray) -> float | None:
    """Compute the epsilon of two inputs that differ by `change`, from the noise's distribution.

    Parameters
    ----------
    plan : Plan
        The release.
    change : ndarray of int, shape (n_rois, n_epochs)
        Visits of a unit.

    Returns
    -------
    float or None
        Epsilon, at the declared delta; None without noise, and for discrete Gaussian noise.
    """
    noise = plan.noise
    if isinstance(noise, FourierPerturbation):
        return float(noise.effective_epsilon(change))
    if isinstance(noise, Laplace):
        return float(np.abs(change).sum() / noise.scale)
    if _is_gdp(noise):
        return epsilon_of_mu(math.sqrt((change**2).sum()) / noise.scale, plan.delta or 0.0)
    return None


def neighbours_bound(game: Game, confidence: float = _EACH) -> Bound:
    """Bound the unit's epsilon by trials with and without the largest unit in the records.

    The unit is somebody's busiest day, whole period or one visit, after contribution bounding. For
    Gaussian noise, 20 people with these visits are added, whose epsilon is larger by a known
    factor.

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
    n = _few(base.size, game.sizes.trials)
    return neighbour_pair_bound(plan, base, change, n, game.traces.n_users, rng, confidence)


def _few(n_values: int, n_trials: int) -> int:
    """A number of trials for neighbours with so many values."""
    return int(np.clip(20_000_000 // max(n_values, 1), 200, n_trials // 10))


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
    ratio of Laplace noise (absolute distance), of Gaussian noise (squared distance), and of Fourier
    perturbation (in its coefficients). Scores are rounded, because the last digits of
    floating-point noise reveal more than epsilon allows (Mironov 2012); a real release needs an
    exact sampler.

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
    scores: list[list[np.ndarray]] = [[], []]
    width = max(1, _BLOCK // max(base.size, 1))
    for first in range(0, n_trials, width):
        for block, raw in zip(scores, both, strict=True):
            raws = np.repeat(raw[None], min(width, n_trials - first), axis=0)
            published = plan.apply(raws, rng, group_size)
            block.append(_nearness(plan, published, both, group_size).round(_DIGITS))
    without, with_unit = (np.concatenate(each) for each in scores)
    if _is_gdp(plan.noise):
        return gaussian_epsilon(without, with_unit, plan.delta or 0.0, 1.0, confidence)
    return clopper_pearson_epsilon(without, with_unit, plan.delta or 0.0, confidence)


def _nearness(
    plan: Plan, published: np.ndarray, both: list[np.ndarray], group_size: int
) -> np.ndarray:
    """By how much each publication is nearer to the second of two inputs: (n_trials,)."""
    if isinstance(plan.noise, FourierPerturbation):
        return fourier_log_ratio(plan.noise, published, both[0][None], both[1] - both[0])
    power = 1 if isinstance(plan.noise, Laplace) else 2
    noiseless = [plan.without_noise(each, group_size) for each in both]
    distance = [np.abs(published - each) ** power for each in noiseless]
    return np.asarray((distance[0] - distance[1]).sum(axis=(1, 2)))


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
        (epsilon of a person over the whole release), ``nominal`` (epsilon as Fourier perturbation
        is given it, for one place; otherwise None), ``empirical`` (bounds) and ``exceeded``
        (whether a bound is above what is declared for its unit).
    """
    plan, described = game.plan, game.plan.describe()
    fourier = plan.noise if isinstance(plan.noise, FourierPerturbation) else None
    bounds = list(_bounds(game))
    return {
        "declared": described["epsilon"],
        "delta": described["delta"],
        "unit": described["unit"],
        "accountant": epsilon_by_unit(plan),
        "person": person_epsilon(plan),
        "nominal": None if fourier is None else fourier.epsilon,
        "empirical": [each.to_dict() for each in bounds],
        "exceeded": any(each.exceeded for each in bounds),
    }


def _bounds(game: Game) -> Iterator[EmpiricalEpsilon]:
    plan, n_trials, size = game.plan, game.sizes.trials, game.traces.n_users
    one_run, declared = "one run (Steinke et al. 2023)", plan.epsilon
    people = one_run_bound(game)
    yield EmpiricalEpsilon(
        "one run, people at random", one_run, people, plan.unit == "user", declared
    )
    if plan.noise is None:
        return
    method = _GDP if _is_gdp(plan.noise) else _TRIALS
    yield EmpiricalEpsilon("neighbours", method, neighbours_bound(game), True, declared)
    yield from _exact("largest unit in the records", plan, _largest_unit(game))
    if isinstance(plan.noise, FourierPerturbation):
        rng = game.rng("epsilon", "one place")
        bound = one_place_bound(plan, _few(plan.shape.n_epochs, n_trials), size, rng)
        yield EmpiricalEpsilon("one person at one place", method, bound, True, plan.noise.epsilon)
        person = crafted_person(plan)
        yield from _exact(f"{CRAFTED}, {len(person)} places", plan, person)
        return
    bound = one_cell_bound(plan, n_trials, size, game.rng("epsilon", "crowd"))
    yield EmpiricalEpsilon("a crowd in one cell", method, bound, True, declared)
    bound = two_hours_bound(plan, n_trials, size, game.rng("epsilon", "two hours"))
    yield EmpiricalEpsilon("a crowd, difference of two hours", method, bound, True, declared)


def _exact(attack: str, plan: Plan, change: np.ndarray) -> Iterator[EmpiricalEpsilon]:
    value = exact_epsilon(plan, change)
    if value is not None:  # calibration finds its scale up to small errors
        bound = Bound(value * (1 - 1e-6), value, 1.0)
        yield EmpiricalEpsilon(attack, _EXACT, bound, True, plan.epsilon)


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
    mu = math.sqrt(_most_visits(plan)["user"]) / noise.scale
    return {"epsilon": epsilon_of_mu(mu, noise.delta)}


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

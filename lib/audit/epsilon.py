"""What epsilon promised, and what was seen: lower bounds on a release's epsilon.

Three bounds. *Neighbours*: the mechanism is run on counts with and without somebody's unit, and the
best test of trials bounds epsilon. *A crowd in one cell*: k people at one place and hour; a
mechanism that gives each visit epsilon / cap promises them k times that, a promise large enough to
be put to the test. *One run*: guesses about many people from one release.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lib.audit import measures
from lib.audit.games import Games
from lib.audit.membership import ratio_of_crowd
from lib.audit.releases import Plan
from lib.mechanisms import FourierPerturbation, Gaussian, Laplace
from lib.ties import argsort_descending

_BLOCK = 1 << 20  # values at once
_METHODS = 3
_EACH = 1 - (1 - measures.CONFIDENCE) / _METHODS  # confidence of each, so that all hold together
_DIGITS = 6  # of a score that count
_GUESSES = 0.2  # share of people about whom the one-run audit guesses; fixed beforehand


@dataclass(frozen=True)
class Found:
    """A lower bound, of whom and by what."""

    attack: str
    method: str
    bound: measures.Bound
    comparable: bool  # whether it is about the unit for which epsilon is declared

    def to_dict(self) -> dict[str, Any]:
        """As it stands in the audit's document."""
        return {
            "attack": self.attack,
            "method": self.method,
            "lower": measures._rounded(self.bound.lower),
            "confidence": measures._rounded(self.bound.confidence),
            "ceiling": measures._rounded(self.bound.ceiling),
            "comparable": self.comparable,
        }


def crowd_in_a_cell(
    plan: Plan, n_trials: int, group_size: int, rng: np.random.Generator, confidence: float = _EACH
) -> measures.Bound:
    """A lower bound on the unit's epsilon, by k people at one place in one epoch.

    Noise is independent from count to count, so a unit of `cap` visits costs cap times one visit,
    exactly, for Laplace noise; and k visits to one cell cost k times one at most. So an epsilon of
    e for k people bounds the unit's from below by e cap / k. For Gaussian noise k = sqrt(cap)
    people in one cell are as far away as a whole unit, and what holds for them holds for it.
    Raises ValueError for a release without Laplace or Gaussian noise.
    """
    if not isinstance(plan.noise, Laplace | Gaussian):
        raise ValueError(f"{plan.release.name} adds no Laplace or Gaussian noise to its counts")
    cap = plan.cap or 1
    room = max(1, group_size // 2)
    if isinstance(plan.noise, Gaussian):
        crowd, factor, delta = max(1, math.isqrt(cap)), 1.0, plan.noise.delta
    else:
        # as many people as the promise is about 1 for
        assert plan.epsilon is not None
        crowd, delta = max(1, round(cap / plan.epsilon)), 0.0
    crowd = min(crowd, room)
    if isinstance(plan.noise, Laplace):
        factor = cap / crowd
    base = max(plan.threshold, (group_size - crowd) // 2)
    without, with_them = (_one_cell(plan, base + k, n_trials, group_size, rng) for k in (0, crowd))
    bound = measures.clopper_pearson_epsilon(without, with_them, delta, confidence)
    return bound._replace(lower=bound.lower * factor, ceiling=bound.ceiling * factor)


def _one_cell(
    plan: Plan, value: int, n_trials: int, group_size: int, rng: np.random.Generator
) -> np.ndarray:
    parts = []
    for first in range(0, n_trials, _BLOCK):
        n = min(_BLOCK, n_trials - first)
        parts.append(plan.counts(np.full((n, 1, 1), value), rng, group_size).ravel())
    return np.concatenate(parts)


def neighbours(games: Games, confidence: float = _EACH) -> measures.Bound:
    """A lower bound on the unit's epsilon, by the person whom the unit is the largest for.

    The mechanism runs on the counts of everybody with her unit and without it. The unit is her
    busiest day, her whole period or one visit, after visits were bounded.
    """
    plan, rng = games.plan, games.rng("epsilon", "neighbours")
    change = _largest_unit(games)
    places = np.flatnonzero(change.any(axis=1))
    if not len(places):
        return measures.Bound(0.0, 0.0, confidence)
    change = change[places]
    everybody = games.bounded.matrix.sum(axis=0).reshape(-1, games.traces.n_epochs)[places]
    base = np.maximum(everybody - change, 0).astype(np.int32)
    if not isinstance(plan.noise, FourierPerturbation):  # noise is the same in every cell
        seen = change > 0
        base, change = base[seen][None], change[seen][None]
    n = int(np.clip(20_000_000 // max(base.size, 1), 200, games.sizes.trials // 10))
    return told_apart(plan, base, change, n, games.traces.n_users, rng, confidence)


def told_apart(
    plan: Plan,
    base: np.ndarray,
    change: np.ndarray,
    n_trials: int,
    group_size: int,
    rng: np.random.Generator,
    confidence: float = _EACH,
) -> measures.Bound:
    """A lower bound on epsilon between counts `base` and `base + change`, both (n_rois, n_epochs).

    The score is which of the two a publication is nearer to: the log ratio, up to a factor, of
    Laplace noise (absolute distance) and of Gaussian noise (squared). Scores are rounded: the last
    digits of floating-point noise give more away than its epsilon (Mironov 2012), and a release
    that is made in earnest draws its noise otherwise.
    """
    both = [base.astype(np.int32), (base + change).astype(np.int32)]
    quiet = [plan.without_noise(each, group_size) for each in both]
    power = 1 if isinstance(plan.noise, Laplace) else 2
    scores: list[list[np.ndarray]] = [[], []]
    width = max(1, _BLOCK // max(base.size, 1))
    for first in range(0, n_trials, width):
        for into, raw in zip(scores, both, strict=True):
            raws = np.repeat(raw[None], min(width, n_trials - first), axis=0)
            published = plan.counts(raws, rng, group_size)
            far = [np.abs(published - each) ** power for each in quiet]
            into.append((far[0] - far[1]).sum(axis=(1, 2)).round(_DIGITS))
    without, with_her = (np.concatenate(each) for each in scores)
    return measures.clopper_pearson_epsilon(without, with_her, plan.delta or 0.0, confidence)


def _largest_unit(games: Games) -> np.ndarray:
    """0/1 (n_rois, n_epochs): the largest unit that anybody's bounded visits hold."""
    traces = games.bounded
    shape = traces.n_rois, traces.n_epochs
    if games.plan.unit == "visit":
        cell = np.zeros(shape[0] * shape[1], np.int32)
        cell[traces.matrix.indices[0]] = 1
        return cell.reshape(shape)
    person = int(np.argmax(np.diff(traces.matrix.indptr)))
    trace = traces.trace(traces.users[person])
    if games.plan.unit == "user-day":
        days = np.unique(traces.epochs.normalize(), return_inverse=True)[1]
        busiest = np.argmax(np.bincount(days, trace.sum(axis=0)))
        trace = trace * (days == busiest)
    return trace


def one_run(games: Games, confidence: float = _EACH) -> measures.Bound:
    """A lower bound on a whole person's epsilon, from the first test release alone.

    How many guesses are made is fixed beforehand: the tenth with the highest scores are said to be
    in, the tenth with the lowest not to be.
    """
    found = ratio_of_crowd(games, games.targets)
    z = measures.standardised(found.test, found.shadow, games.shadow.members[games.targets])[:, 0]
    members = games.test.members[games.targets][:, 0]
    each = max(1, int(_GUESSES / 2 * len(z)))
    order = argsort_descending(-z)
    right = int(members[order[-each:]].sum() + (~members[order[:each]]).sum())
    delta = games.plan.delta or 0.0
    return measures.one_run_epsilon(len(z), 2 * each, right, delta, confidence)


def audited(games: Games) -> dict[str, Any]:
    """declared, delta, unit, accountant, empirical bounds, and whether one exceeds the declared."""
    plan = games.plan
    declared = plan.describe()
    found = [
        Found(
            "one run, people at random",
            "one run (Steinke et al. 2023)",
            one_run(games),
            plan.unit == "user",
        )
    ]
    if plan.noise is not None:
        found.append(
            Found(
                "neighbours",
                "Clopper-Pearson, best threshold of other trials",
                neighbours(games),
                True,
            )
        )
    if isinstance(plan.noise, Laplace | Gaussian):
        bound = crowd_in_a_cell(
            plan, games.sizes.trials, games.traces.n_users, games.rng("epsilon", "crowd")
        )
        found.append(
            Found(
                "a crowd in one cell",
                "Clopper-Pearson, best threshold of other trials",
                bound,
                True,
            )
        )
    return {
        "declared": declared["epsilon"],
        "delta": declared["delta"],
        "unit": declared["unit"],
        "accountant": accountant(plan),
        "empirical": [each.to_dict() for each in found],
        "exceeded": exceeded(plan.epsilon, found),
    }


def exceeded(declared: float | None, found: list[Found]) -> bool:
    """Whether a bound on the declared unit is above the declared epsilon."""
    return declared is not None and any(f.comparable and f.bound.lower > declared for f in found)


def accountant(plan: Plan) -> Mapping[str, Any]:
    """What the noise promises each unit, worked out from its scale: epsilon by unit, in words."""
    shape, noise = plan.shape, plan.noise
    if not isinstance(noise, Laplace):
        return {"visit": None, "user-day": None, "user": None}
    most_user = plan.cap if plan.unit == "user" else None
    days = math.ceil(shape.n_epochs / shape.epochs_a_day)
    a_day = plan.cap if plan.unit == "user-day" else min(shape.epochs_a_day, most_user or 10**9)
    if plan.unit == "visit":  # nothing is bounded: any number of places an epoch
        a_day = shape.epochs_a_day * shape.n_rois
    in_all = most_user if most_user is not None else int(a_day or 0) * days
    return {
        "visit": 1 / noise.scale,
        "user-day": (a_day or 0) / noise.scale,
        "user": in_all / noise.scale,
    }

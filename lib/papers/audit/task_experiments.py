"""Which defense leaves which task to an analyst, and how much of an attack it takes away.

Source: Pyrgelis, Troncoso and De Cristofaro, Measuring membership privacy on aggregate location
time-series (2020). Its abstract states which families of defenses can be used for which tasks;
`lib.papers.audit.task_verdicts` judges these statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from lib import metrics
from lib.aggregation import aggregate
from lib.audit.games import count_groups
from lib.audit.tasks import measure_tasks
from lib.execution.results import Row
from lib.papers.experiments import Unit, experiment
from lib.randomness import stream
from lib.traces import Traces

WEEK = 168  # hours; the attack sees the first week, the analyst everything
DATA = ("flights-by-number", "cabspotting", "valleybike")
N_DRAWS = 5  # of a random defense, to measure tasks

Defend = Callable[[np.ndarray, np.random.Generator], np.ndarray]


class Defense(NamedTuple):
    """A defense of a family, applied to counts of shape (..., n_epochs).

    hours   Number of epochs that it publishes as one count, spread evenly over them.
    """

    family: str
    words: str
    apply: Defend
    hours: int = 1


def _hide(threshold: int) -> Defense:
    def apply(counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return np.where(counts < threshold, 0, counts)

    return Defense("suppression", f"counts below {threshold} hidden", apply)


def _join(hours: int) -> Defense:
    def apply(counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        blocks = counts.reshape(*counts.shape[:-1], -1, hours)
        return np.repeat(blocks.mean(axis=-1), hours, axis=-1)

    return Defense("generalization", f"one count for {hours} hours", apply, hours)


def _round(base: int) -> Defense:
    def apply(counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return np.floor(counts / base + 0.5) * base

    return Defense("generalization", f"rounded to multiples of {base}", apply)


def _sample(share: float) -> Defense:
    def apply(counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return rng.binomial(counts.astype(np.int64), share) / share

    return Defense("sampling", f"{100 * share:g}% of all visits", apply)


def _noise(scale: float, words: str) -> Defense:
    def apply(counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return counts + rng.laplace(scale=scale, size=counts.shape)

    return Defense("noise", words, apply)


DEFENSES = {
    "raw": Defense("none", "counts as they are", lambda counts, rng: counts),
    "suppress-5": _hide(5),
    "suppress-10": _hide(10),
    "suppress-20": _hide(20),
    "hours-3": _join(3),
    "hours-6": _join(6),
    "hours-24": _join(24),
    "round-5": _round(5),
    "round-10": _round(10),
    "round-20": _round(20),
    "sample-80": _sample(0.8),
    "sample-50": _sample(0.5),
    "sample-20": _sample(0.2),
    "laplace-1": _noise(1, "Laplace noise of scale 1: epsilon 1 for one visit"),
    "laplace-10": _noise(10, "Laplace noise of scale 10: epsilon 0.1 for one visit"),
    "laplace-100": _noise(100, "Laplace noise of scale 100"),
}


def _defenses(traces: Traces) -> list[Unit]:
    return list(DEFENSES)


@experiment("audit-tasks", unit=("defense",), units=_defenses, at_paper={name: {} for name in DATA})
def tasks(
    traces: Traces, defense: Unit, *, n_targets: int = 100, n_releases: int = 400, seed: int = 2018
) -> Iterator[Row]:
    """Measure five tasks and a membership attack on one defense.

    The tasks use the counts of everybody. The attack sees releases of the first week, in which each
    user is counted with probability one half.

    Parameters
    ----------
    traces : Traces
        Visits of users.
    defense : str
        Name of a defense of `DEFENSES`.
    n_targets : int, default 100
        Number of targets; all users if there are fewer.
    n_releases : int, default 400
        Number of releases for training, and of others for the test.
    seed : int, default 2018
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        A row for each task, with the share of it that is left, and one for each target, with the
        lead of the attack, 2 AUC - 1. Columns: measure (a task or "attack"), number (of the draw or
        of the target), value.
    """
    chosen = DEFENSES[str(defense)]
    rng = stream(seed, "audit-tasks", str(defense))
    raw = aggregate(traces, [range(traces.n_users)])[0]
    for draw in range(N_DRAWS):
        left = measure_tasks(raw, chosen.apply(raw, rng), traces.epochs.tz_localize(None))
        yield from ({"measure": task, "number": draw, "value": left[task]} for task in left)
    week = traces.select(epochs=slice(0, WEEK))
    releases = [
        _releases(week, chosen, n_releases, stream(seed, "audit-tasks", "groups", part), rng)
        for part in ("training", "test")
    ]
    targets = _targets(week, n_targets, seed)
    for number in targets:
        lead = attack_lead(week, int(number), chosen.hours, *releases)
        yield {"measure": "attack", "number": number, "value": lead}


def _targets(week: Traces, n_targets: int, seed: int) -> np.ndarray:
    """Users with visits in the week."""
    active = np.flatnonzero(np.diff(week.matrix.indptr))
    return np.sort(stream(seed, "audit-tasks", "targets").permutation(active)[:n_targets])


class Releases(NamedTuple):
    """Published counts (n_releases, n_cells), and who is counted (n_users, n_releases)."""

    published: np.ndarray
    members: np.ndarray


def _releases(
    week: Traces,
    defense: Defense,
    n_releases: int,
    of_groups: np.random.Generator,
    of_defense: np.random.Generator,
) -> Releases:
    members = of_groups.random((week.n_users, n_releases)) < 0.5
    counts = count_groups(week, members).T.reshape(n_releases, week.n_rois, week.n_epochs)
    published = [defense.apply(each.astype(float), of_defense) for each in counts]
    return Releases(np.array(published, np.float32).reshape(n_releases, -1), members)


def attack_lead(week: Traces, target: int, hours: int, training: Releases, test: Releases) -> float:
    """Attack one target by a linear classifier of the counts that the target may have changed.

    The attacker has releases of groups of the same users, and knows who is in them. Each count is
    weighted by the difference of its means with and without the target, divided by its variance:
    Fisher's linear discriminant for independent counts.

    Parameters
    ----------
    week : Traces
        Visits of users.
    target : int
        Position of the target.
    hours : int
        Number of epochs that are published as one count.
    training, test : Releases
        Releases to learn from, and to be attacked.

    Returns
    -------
    float
        2 AUC - 1 on the test releases: 0 at chance level, 1 if no release is misjudged.
    """
    cells = np.unique(week.matrix[[target]].indices // hours * hours)
    inside, counts = training.members[target], training.published[:, cells]
    difference = counts[inside].mean(axis=0) - counts[~inside].mean(axis=0)
    spread = (counts[inside].var(axis=0) + counts[~inside].var(axis=0)) / 2
    weights = difference / (spread + 1 / len(inside))  # finite where the counts do not vary
    scores = (test.published[:, cells] @ weights).round(9)
    return float(2 * metrics.auc(test.members[target], scores) - 1)

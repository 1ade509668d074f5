"""How many members are identified in smaller releases, together or one by one, and at full size.

The audit evaluates an attack on releases that count half of the pool, with one threshold for all of
them, and on one release of everybody. These two differ in the size of the release and in the number
of groups behind a threshold. A third evaluation takes each smaller release alone, so that only the
size is left. The attack is the likelihood ratio with other people's traces.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd

from lib.audit import parse
from lib.audit.games import Game
from lib.audit.measures import detection_rates, standardize, standardizing_helps
from lib.audit.membership import Scores, likelihood_ratio_other_people
from lib.execution.results import Row
from lib.papers.audit.experiments import sample_group
from lib.papers.experiments import Unit, experiment
from lib.traces import Traces

DATA = ("flights-by-number", "cabspotting")
RELEASES = ("event-epsilon-1", "mds-k10")
EVALUATIONS = {
    "together": "smaller, together",
    "alone": "smaller, each alone",
    "full size": "full size",
}
_FPR = 0.01
_N_DIVISIONS = 5


def _units(traces: Traces) -> list[Unit]:
    return list(product(RELEASES, range(_N_DIVISIONS)))


@experiment(
    "audit-sizes", unit=("release", "division"), units=_units, at_paper={name: {} for name in DATA}
)
def sizes(
    traces: Traces, release_and_division: Unit, *, n_users: int = 500, seed: int = 2018
) -> Iterator[Row]:
    """Identify members of one division of the people in three evaluations.

    Parameters
    ----------
    traces : Traces
        Visits of users.
    release_and_division : tuple of (str, int)
        Name of a preset, and the number of a division of the people into controls, reference people
        and pool; 0 is the division of the audit.
    n_users : int, default 500
        Number of users.
    seed : int, default 2018
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        A row for each evaluation of `EVALUATIONS`. Columns: evaluation, identified (mean share of
        members at a false positive rate of 1%, over targets; "alone" is a mean over releases).
    """
    release, division = release_and_division
    people = sample_group(traces, n_users, seed)
    game = Game(people, parse(str(release)), seed + int(str(division)), quick=True)
    n_targets = len(game.targets)
    found = likelihood_ratio_other_people(game, np.concatenate([game.targets, game.controls]))
    scores, without, within = _comparable(game, found, n_targets)
    members = game.test.members[game.targets]
    alone = [
        np.nanmean(detection_rates(scores[:, [each]], members[:, [each]], _FPR))
        for each in range(scores.shape[1])
    ]
    in_full = np.tile(np.repeat([False, True], without.shape[1]), (n_targets, 1))
    full = detection_rates(np.hstack([without, within]), in_full, _FPR)
    shares = {
        "together": detection_rates(scores, members, _FPR),
        "alone": np.array(alone),
        "full size": full,
    }
    for evaluation, values in shares.items():
        yield {"evaluation": evaluation, "identified": float(np.nanmean(values))}


def _comparable(game: Game, found: Scores, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores of the first n in the test releases, at full size without and with the target.

    They are standardised by releases of other people where this helps on shadow releases, as in the
    audit.
    """
    full = found.full
    assert full is not None and full.reference is not None and found.reference is not None
    scores = found.test[:n], full.without[:n], full.with_target[:n]
    members = game.shadow.members[game.targets]
    if not standardizing_helps(found.shadow[:n], members, found.reference[:n]):
        return scores
    usual = found.reference[:n], full.reference[:n], full.reference[:n]
    nobody = (np.zeros(each.shape, bool) for each in usual)
    tests, without, within = map(standardize, scores, usual, nobody)
    return tests, without, within


def size_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the shares of one dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `sizes`.

    Returns
    -------
    pandas.DataFrame
        Index: release, division, counted from 1. A column for each of `EVALUATIONS`.
    """
    table = rows.pivot(index=["release", "division"], columns="evaluation", values="identified")
    table = table[list(EVALUATIONS)].rename(columns=EVALUATIONS).rename_axis(columns=None)
    return table.rename(index=lambda number: number + 1, level="division")

"""Scores that need no training, evaluated in the test groups of the zero-knowledge experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib import metrics
from lib.aggregation import aggregate_cells, sample_groups
from lib.membership.zero_knowledge import ZeroKnowledge
from lib.papers.zero_knowledge import experiments
from lib.traces import Traces


def score_games(
    score: Callable[[np.ndarray], np.ndarray],
    data: str,
    traces: Traces,
    offers: Sequence[tuple[str, float]],
    targets: Iterable[int],
    *,
    cap: int | None = None,
    **settings: Any,
) -> pd.DataFrame:
    """Evaluate a score of the target's cells in the games of KK, ZK and the sum.

    Groups and noise are those of `experiments.suppression`, `experiments.noise`,
    `experiments.user_level` and `experiments.user_budgets` with the same settings; without any, of
    the stored results.

    Parameters
    ----------
    score : callable
        Maps the released counts of the target's cells, shape (n_groups, n_cells), to a score for
        each group.
    data : str
        Name of the dataset.
    traces : lib.traces.Traces
        Its population.
    offers : sequence of (str, float)
        Unit of privacy (or "suppressed") and level of each defense.
    targets : iterable of int
        Positions of the targets.
    cap : int, optional
        Daily limit of user-day-level noise; by default, that of the stored results.
    **settings
        Arguments of `experiments.Game`, such as `n_test` and `seed`.

    Returns
    -------
    pandas.DataFrame
        A row for each defense and target. Columns: data, unit, level, target, AUC.
    """
    settings = experiments.sizes_of(data, traces) | settings
    cap = cap or experiments.CAPS.get(data, {}).get("cap", 10)
    chosen, rows = list(targets), []
    for unit, level in offers:
        mechanisms = _mechanisms(traces, unit, level, cap)
        for target in chosen:
            game = experiments.Game(traces, target, **settings).challenge(mechanisms)
            scores = score(game.releases_at(np.flatnonzero(game.trace)))
            auc = metrics.auc(game.members, scores)
            row = {"data": data, "unit": unit, "level": level, "target": target, "AUC": auc}
            rows.append(row)
    return pd.DataFrame(rows)


def counts_under_suppression(
    traces: Traces, target: int, k: int, rng: np.random.Generator, n_groups: int = 200
) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Count the visits in the target's cells, in the data holder's groups and in training groups.

    The data holder's groups are those of the stored results; `rng` draws the training groups.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    target : int
        Position of the target.
    k : int
        Largest count that is suppressed.
    rng : numpy.random.Generator
        Draws synthetic traces and training groups.
    n_groups : int, default 200
        Number of training groups, all with the target.

    Returns
    -------
    members : numpy.ndarray of {0, 1}, shape (n_test,)
        1 for the data holder's groups with the target.
    released : numpy.ndarray, shape (n_test, n_cells)
        Released counts of the target's cells in the data holder's groups.
    unprotected : dict of str to numpy.ndarray of int, shape (n_groups, n_cells)
        "synthetic (ZK)" and "reference (KK)": true counts of the same cells in training groups.
    """
    mechanisms = experiments.defense(k=k)
    game = experiments.Game(traces, target).challenge(mechanisms)
    cells, size = np.flatnonzero(game.trace), game.group_size
    n_traces = game.reference.n_users
    attacker = ZeroKnowledge(game.trace, game.rois, mechanisms, size, rng, n_traces=n_traces)
    synthetic = attacker.synthesize(game.release)
    groups = sample_groups(range(n_traces), n_groups, size - 1, rng)
    unprotected = {
        name: aggregate_cells(people, groups, cells) + 1
        for name, people in {"synthetic (ZK)": synthetic, "reference (KK)": game.reference}.items()
    }
    return game.members, game.releases_at(cells), unprotected


def _mechanisms(traces: Traces, unit: str, level: float, cap: int) -> list[Any]:
    """The mechanisms of a defense; `cap` is the daily limit of user-day-level noise."""
    if unit == "suppressed":
        return experiments.defense(k=int(level))
    if unit == "user":
        return experiments.user_noise(traces, level)
    return experiments.defense(level, cap=cap if unit == "user-day" else None)

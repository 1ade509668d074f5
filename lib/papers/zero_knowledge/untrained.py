"""Scores that need no training, evaluated in the test groups of the zero-knowledge experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib import metrics
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


def _mechanisms(traces: Traces, unit: str, level: float, cap: int) -> list[Any]:
    """The mechanisms of a defense; `cap` is the daily limit of user-day-level noise."""
    if unit == "suppressed":
        return experiments.defense(k=int(level))
    if unit == "user":
        return experiments.user_noise(traces, level)
    return experiments.defense(level, cap=cap if unit == "user-day" else None)

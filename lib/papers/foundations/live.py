"""What the first chapter measures live and does not store. Not in the papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib import metrics
from lib.aggregation import aggregate, aggregate_cells, sample_groups, sample_member_groups
from lib.papers.foundations.experiments import N_GROUPS, targets_of
from lib.randomness import stream
from lib.traces import Traces

IRREGULAR = {"other weeks": "7D", "other days": "1D"}  # how long an invented target is one user


def no_zero_games(
    populations: Mapping[str, Traces],
    *,
    group_sizes: Sequence[int],
    n_groups: int,
    n_targets: int,
    seed: int,
) -> pd.DataFrame:
    """Evaluate the rule "member if none of the target's cells is 0" on raw counts.

    The groups are those that `experiments.games` draws with the same arguments.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    group_sizes : sequence of int
        Numbers of users in a group.
    n_groups : int
        Number of groups, half of them with the target.
    n_targets : int
        Number of targets.
    seed : int
        Seed of the random streams.

    Returns
    -------
    pandas.DataFrame
        A row for each game. Columns: data, draw, group size, release ("raw, rule of no
        zeros"), AUC, FPR (share of the groups without the target for which the rule says "member").
    """
    rows = []
    for data, traces in populations.items():
        everybody = np.arange(traces.n_users)
        for draw, target in enumerate(targets_of(traces, n_targets, seed)):
            cells = traces.matrix[[target]].indices
            for size in group_sizes:
                rng = stream(seed, "foundations-game", data, draw, size)
                groups, members = sample_member_groups(everybody, int(target), n_groups, size, rng)
                no_zero = np.all(aggregate_cells(traces, groups, cells) > 0, axis=1)
                rows.append(
                    {
                        "data": data,
                        "draw": draw,
                        "group size": size,
                        "release": "raw, rule of no zeros",
                        "AUC": metrics.auc(members, no_zero),
                        "FPR": no_zero[members == 0].mean(),
                    }
                )
    return pd.DataFrame(rows)


def own_cells(populations: Mapping[str, Traces], *, n_targets: int, seed: int) -> pd.Series:
    """Say of each target whether it has a cell that no other user of the dataset visits.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    n_targets : int
        Number of targets, drawn as in `experiments.games`.
    seed : int
        Seed of the random streams.

    Returns
    -------
    pandas.Series
        "yes" or "no", named "private cell", by data and draw.
    """
    answers = {}
    for data, traces in populations.items():
        everybody = np.arange(traces.n_users)[None]
        for draw, target in enumerate(targets_of(traces, n_targets, seed)):
            counts = aggregate_cells(traces, everybody, traces.matrix[[target]].indices)[0]
            answers[data, draw] = "yes" if (counts == 1).any() else "no"
    return pd.Series(answers, name="private cell").rename_axis(["data", "draw"])


def over_all_cells(
    costs: pd.DataFrame, populations: Mapping[str, Traces], *, group_size: int, seed: int
) -> pd.DataFrame:
    """Add the error over all cells, visited and empty, to errors in the two kinds of cells.

    The true count of an empty cell is 0 and published counts are not negative, so the error in
    empty cells is the mean count that is published there.

    Parameters
    ----------
    costs : pandas.DataFrame
        As `experiments.errors` returns them.
    populations : mapping of str to lib.traces.Traces
        The datasets that `experiments.errors` was given.
    group_size : int
        Number of users in a group, as given to `experiments.errors`.
    seed : int
        Seed of the random streams, as given to `experiments.errors`.

    Returns
    -------
    pandas.DataFrame
        The rows with two further columns: "error, all cells" (absolute), and "of zeros" (the same
        error of a release of zeros).
    """
    visited, zeros = {}, {}
    for data, traces in populations.items():
        rng, size = stream(seed, "foundations-errors", data), min(group_size, traces.n_users)
        raw = aggregate(traces, sample_groups(np.arange(traces.n_users), N_GROUPS, size, rng))
        for group, counts in enumerate(raw):
            visited[data, group], zeros[data, group] = (counts > 0).mean(), counts.mean()
    of_group = pd.MultiIndex.from_frame(costs[["data", "group"]])
    share = pd.Series(visited).loc[of_group].to_numpy()
    of_empty = costs["count in empty cells"].fillna(0)  # no such cell: its share is 0
    whole = share * costs["its error"] + (1 - share) * of_empty
    columns = {"error, all cells": whole, "of zeros": pd.Series(zeros).loc[of_group].to_numpy()}
    return costs.assign(**columns)


def less_regular_targets(
    populations: Mapping[str, Traces], *, group_size: int, n_groups: int, n_targets: int, seed: int
) -> pd.DataFrame:
    """Evaluate targets beside invented ones that repeat neither their weeks nor their days.

    An invented target makes the real target's visits at first, and then the visits of another
    user, drawn at random: of a new one in each week ("other weeks"), or on each day ("other days").
    The real target and all users who lend their visits are left out of the groups; in every other
    group the target then takes the place of one user.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    group_size : int
        Number of users in a group, fewer if there are not enough users.
    n_groups : int
        Number of groups, half of them with the target.
    n_targets : int
        Number of targets.
    seed : int
        Seed of the random streams.

    Returns
    -------
    pandas.DataFrame
        Three rows for each target. Columns: data, draw, target ("real", "other weeks" or "other
        days"), visits, "mean without" and "deviation without" (of the sum over groups without the
        target), "if uncorrelated" (what the deviation would be if the counts of different cells
        were uncorrelated), "private cells" (the number of the target's cells that no user of the
        groups visits), "AUC of the sum", "AUC of the rule" (`no_zero_games`). The real target is
        evaluated on the groups of "other weeks".
    """
    rows = []
    for data, traces in populations.items():
        for draw, target in enumerate(targets_of(traces, n_targets, seed)):
            own = traces.trace(traces.users[target])
            for kind, period in IRREGULAR.items():
                rng = stream(seed, *_stream_of(kind), data, draw)
                invented, pool = _invent(traces, int(target), period, rng)
                groups = sample_groups(pool, n_groups, min(group_size, len(pool)), rng)
                both = {"real": own, kind: invented}
                for name, trace in both.items() if kind == "other weeks" else [(kind, invented)]:
                    measured = _measure(traces, pool, groups, np.flatnonzero(trace))
                    rows.append({"data": data, "draw": draw, "target": name} | measured)
    return pd.DataFrame(rows)


def _stream_of(kind: str) -> tuple[str, ...]:
    """Names of the random stream of an invented target."""
    return ("foundations-irregular",) if kind == "other weeks" else ("foundations-irregular", kind)


def _invent(
    traces: Traces, target: int, period: str, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Give each period after the first to another user: trace, and the users not involved."""
    everybody = np.arange(traces.n_users)
    part = np.asarray((traces.epochs - traces.epochs[0]) // pd.Timedelta(period))
    others = np.setdiff1d(everybody, [target])
    n_lenders = max(1, min(part.max(), len(others) - 1))  # at least one user is left
    lenders = np.resize(rng.choice(others, n_lenders, replace=False), part.max())
    of_part = [target, *lenders]
    trace = sum(traces.trace(traces.users[u]) * (part == p) for p, u in enumerate(of_part))
    return np.asarray(trace), np.setdiff1d(everybody, of_part)


def _measure(
    traces: Traces, pool: np.ndarray, groups: np.ndarray, cells: np.ndarray
) -> dict[str, float]:
    """Let a target with these cells join every other group, and evaluate sum and rule."""
    members = np.arange(len(groups)) % 2
    counts = aggregate_cells(traces, groups, cells)
    without = counts[members == 0]
    replaced = aggregate_cells(traces, groups[:, -1:], cells)
    counts = counts + members[:, None] * (1 - replaced)
    return {
        "visits": len(cells),
        "mean without": without.sum(axis=1).mean(),
        "deviation without": without.sum(axis=1).std(),
        "if uncorrelated": without.var(axis=0).sum() ** 0.5,
        "private cells": int((aggregate_cells(traces, pool[None], cells) == 0).sum()),
        "AUC of the sum": metrics.auc(members, counts.sum(axis=1)),
        "AUC of the rule": metrics.auc(members, np.all(counts > 0, axis=1)),
    }

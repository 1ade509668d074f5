"""Experiments of the foundations: regularity of users, error of noise, and a first attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from lib import metrics
from lib.aggregation import aggregate, aggregate_cells, sample_groups, sample_member_groups
from lib.datasets import load
from lib.execution.results import Row
from lib.mechanisms import Laplace, PostProcess, release
from lib.papers.experiments import experiment
from lib.randomness import stream
from lib.traces import Traces

FLIGHTS = "flights-by-number", "flights-by-tail"
PAPER = *FLIGHTS, "cabspotting"
N_GROUPS = 20  # whose errors are measured


@experiment("foundations-users", at_paper={name: {} for name in PAPER})
def users(traces: Traces, _: object, *, lag: str = "7D") -> Iterator[Row]:
    """Measure how much each user moves, and how much of it recurs after a lag.

    Source: KK, Sec. V; recurrence is ours.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    _ : object
        Not used: an experiment with one unit.
    lag : str
        Lag of the recurrence, as pandas writes time differences.

    Returns
    -------
    iterator of dict
        A row for each user. Columns: user (position among the users), visits, unique ROIs, active
        epochs (hours), recurrence (a share; NaN if no visit could be repeated).
    """
    each = zip(
        traces.visits(),
        (traces.epochs_per_roi() > 0).sum(axis=1),
        (traces.rois_per_epoch() > 0).sum(axis=1),
        traces.recurrence(lag),
        strict=True,
    )
    for user, (visits, places, hours, recurrence) in enumerate(each):
        yield {
            "user": user,
            "visits": int(visits),
            "unique ROIs": int(places),
            "active epochs": int(hours),
            "recurrence": float(recurrence),
        }


@experiment("foundations-release-error", at_paper={name: {} for name in PAPER})
def release_error(
    traces: Traces,
    _: object,
    *,
    data: str,
    group_size: int = 100,
    epsilons: Sequence[float] = (0.1, 1.0, 10.0),
    seed: int = 2013,
) -> Iterator[Row]:
    """Measure each group's mean count over its visited cells, and the error of Laplace noise there.

    The noise is scaled to one visit and to the most visits of any user, rounded, and clipped to the
    range from 0 to the group size.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    _ : object
        Not used: an experiment with one unit.
    data : str
        Name of the dataset; part of the names of the random streams.
    group_size : int
        Number of users in a group.
    epsilons : sequence of float
        Privacy budgets.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each group and quantity. Columns: quantity, epsilon (empty for the count), group,
        users (the mean count, or the mean absolute error).
    """
    rng = stream(seed, "foundations-release-error", data)
    size = min(group_size, traces.n_users)
    raw = aggregate(traces, sample_groups(np.arange(traces.n_users), N_GROUPS, size, rng))
    for group, counts in enumerate(raw):
        yield {
            "quantity": "mean count",
            "epsilon": "",
            "group": group,
            "users": float(counts[counts > 0].mean()),
        }
    for protected, sensitivity in (("visit", 1.0), ("user", float(traces.visits().max()))):
        for epsilon in epsilons:
            noise = [Laplace(float(epsilon), sensitivity), PostProcess()]
            released = release(raw, noise, rng, size)
            for group, (r, a) in enumerate(zip(released, raw, strict=True)):
                yield {
                    "quantity": f"error, a {protected} protected",
                    "epsilon": epsilon,
                    "group": group,
                    "users": float(np.abs(r - a)[a > 0].mean()),
                }


def score_groups(
    traces: Traces,
    target: int,
    group_size: int,
    n_groups: int,
    mechanisms: Sequence[Any],
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw groups, half of them with the target, and score their releases with the sum attack.

    The score is the sum of the released counts over the target's cells.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    target : int
        Position of the target among the users.
    group_size : int
        Number of users in a group.
    n_groups : int
        Number of groups, half of them with the target.
    mechanisms : sequence of lib.mechanisms.Mechanism
        The mechanisms of the release, in their order; none for raw counts.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    tuple of numpy.ndarray, each of shape (n_groups,)
        Members (1 for groups with the target) and scores.
    """
    everybody = np.arange(traces.n_users)
    groups, members = sample_member_groups(everybody, target, n_groups, group_size, rng)
    counts = aggregate_cells(traces, groups, traces.matrix[[target]].indices)
    return members, release(counts, list(mechanisms), rng, group_size).sum(axis=1)


def weekly_recurrence(populations: Mapping[str, Traces]) -> pd.DataFrame:
    """Measure each user's recurrence from one week to the next.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.

    Returns
    -------
    pandas.DataFrame
        A row for each user and pair of weeks. Columns: data, weeks ("1 to 2"), recurrence.
    """
    rows = []
    for data, traces in populations.items():
        starts = pd.date_range(traces.epochs[0], traces.epochs[-1], freq="7D")[:-1]
        for week, start in enumerate(starts, start=1):
            two = traces.between(start, start + pd.Timedelta("14D"))
            each = {"data": data, "weeks": f"{week} to {week + 1}"}
            rows += [each | {"recurrence": float(value)} for value in two.recurrence("7D")]
    return pd.DataFrame(rows, columns=["data", "weeks", "recurrence"])


def recurrence_by_clock(populations: Mapping[str, Traces], lag: str) -> pd.DataFrame:
    """Measure the recurrence of the flights by scheduled and by actual departure hours.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    lag : str
        Lag of the recurrence, as pandas writes time differences.

    Returns
    -------
    pandas.DataFrame
        A row for each user. Columns: data, hours ("scheduled" or "actual"), recurrence. Datasets
        other than the flights have no rows.
    """
    rows = []
    for data in populations:
        for hours in ("scheduled", "actual") if data in FLIGHTS else ():
            found = load(data, times=hours).recurrence(lag)
            each = {"data": data, "hours": hours}
            rows += [each | {"recurrence": float(value)} for value in found]
    return pd.DataFrame(rows, columns=["data", "hours", "recurrence"])


def recurrences(populations: Mapping[str, Traces], lag: str) -> pd.DataFrame:
    """Measure each user's recurrence beside the recurrence of that user's visits in others' traces.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    lag : str
        Lag of the recurrence, as pandas writes time differences.

    Returns
    -------
    pandas.DataFrame
        A row for each user. Columns: data, user, recurrence, "after the first week" (NaN if the
        rest is shorter than the lag), "of another" (mean share of the user's visits that one other
        user repeats).
    """
    rows = []
    for data, traces in populations.items():
        later = traces.epochs >= traces.epochs[0] + pd.Timedelta("7D")
        rest = traces.select(epochs=later) if later.any() else traces
        lasts = later.any() and rest.epochs.isin(rest.epochs + pd.Timedelta(lag)).any()
        each: dict[str, Any] = {"data": data, "user": traces.users.astype(str)}
        each["recurrence"] = traces.recurrence(lag).to_numpy()
        each["after the first week"] = rest.recurrence(lag).to_numpy() if lasts else np.nan
        rows.append(pd.DataFrame(each | {"of another": _of_another(traces, lag)}))
    names = ["data", "user", "recurrence", "after the first week", "of another"]
    return pd.concat(rows) if rows else pd.DataFrame(columns=names)


def _of_another(traces: Traces, lag: str) -> np.ndarray:
    """Mean share of each user's visits that one other user makes `lag` later, (n_users,)."""
    later = traces.epochs.get_indexer(traces.epochs + pd.Timedelta(lag))
    now = np.flatnonzero(later >= 0)
    first, second = (traces.select(epochs=e).matrix.astype(float) for e in (now, later[now]))
    by_others = first @ second.sum(axis=0) - first.multiply(second).sum(axis=1)
    with np.errstate(invalid="ignore"):  # NaN without a visit
        return np.asarray(by_others / first.sum(axis=1)).ravel() / (traces.n_users - 1)


# -- the sum attack in memory ----------------------------------------------------------------------


def with_noise(traces: Traces, epsilons: Sequence[float]) -> dict[str, list[Any]]:
    """Return the releases to compare: raw counts, and event-level and user-level noise.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    epsilons : sequence of float
        Privacy budgets.

    Returns
    -------
    dict of str to list of lib.mechanisms.Mechanism
        Name of the release to its mechanisms; noisy counts are rounded and clipped.
    """
    most = float(traces.visits().max())
    return {"raw": []} | {
        f"{level}-level, ε = {epsilon:g}": [Laplace(float(epsilon), each), PostProcess()]
        for level, each in (("event", 1.0), ("user", most))
        for epsilon in sorted(epsilons, reverse=True)
    }


def games(
    populations: Mapping[str, Traces],
    *,
    epsilons: Sequence[float] = (),
    releases: Mapping[str, Sequence[Any]] | None = None,
    group_sizes: Sequence[int],
    n_groups: int,
    n_targets: int,
    seed: int,
) -> pd.DataFrame:
    """Evaluate the sum attack on several targets against several releases.

    All games of a target draw the same groups.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    epsilons : sequence of float
        Privacy budgets.
    releases : mapping of str to sequence of lib.mechanisms.Mechanism, optional
        Name of a release to its mechanisms; without it, `with_noise` at the budgets.
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
        A row for each game. Columns: data, draw, group size, release, AUC, "TPR at 10% FPR".
    """
    rows = []
    for data, traces in populations.items():
        named = releases or with_noise(traces, epsilons)
        for draw, target in enumerate(targets_of(traces, n_targets, seed)):
            for size, (kind, mechanisms) in product(group_sizes, named.items()):
                rng = stream(seed, "foundations-game", data, draw, size)
                members, scores = score_groups(traces, int(target), size, n_groups, mechanisms, rng)
                rows.append(
                    {
                        "data": data,
                        "draw": draw,
                        "group size": size,
                        "release": kind,
                        "AUC": metrics.auc(members, scores),
                        "TPR at 10% FPR": metrics.tpr_at_fpr(members, scores, 0.1),
                    }
                )
    return pd.DataFrame(rows)


def gains(rows: pd.DataFrame) -> pd.DataFrame:
    """Compute the privacy gain of each target and release.

    A released AUC below 1/2 counts as 1/2. Raw counts have a gain of 0.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `games` returns them.

    Returns
    -------
    pandas.DataFrame
        The rows with the column gain.
    """
    keys = ["data", "group size", "draw"]
    raw = rows[rows["release"] == "raw"].set_index(keys)["AUC"]
    before = raw.loc[pd.MultiIndex.from_frame(rows[keys])].to_numpy()
    return rows.assign(gain=metrics.privacy_gain(before, np.maximum(rows["AUC"], 0.5)))


def errors(
    populations: Mapping[str, Traces], *, epsilons: Sequence[float], group_size: int, seed: int
) -> pd.DataFrame:
    """Measure the error of the releases of `with_noise` in groups of one size.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    epsilons : sequence of float
        Privacy budgets.
    group_size : int
        Number of users in a group.
    seed : int
        Seed of the random streams.

    Returns
    -------
    pandas.DataFrame
        A row for each group and release. Columns: data, group, release, "noise scale" (0 for raw
        counts), "count in visited cells", "its error" (absolute), "count in empty cells" (NaN if
        there is no such cell).
    """
    rows = []
    for data, traces in populations.items():
        rng, size = stream(seed, "foundations-errors", data), min(group_size, traces.n_users)
        raw = aggregate(traces, sample_groups(np.arange(traces.n_users), N_GROUPS, size, rng))
        for kind, mechanisms in with_noise(traces, epsilons).items():
            released = release(raw, mechanisms, rng, size)
            for group, (r, a) in enumerate(zip(released, raw, strict=True)):
                invented = r[a == 0].mean() if (a == 0).any() else np.nan
                rows.append(
                    {
                        "data": data,
                        "group": group,
                        "release": kind,
                        "noise scale": mechanisms[0].scale if mechanisms else 0.0,
                        "count in visited cells": r[a > 0].mean(),
                        "its error": np.abs(r - a)[a > 0].mean(),
                        "count in empty cells": invented,
                    }
                )
    return pd.DataFrame(rows)


def controls(
    traces: Traces, target: int, *, group_size: int, n_groups: int, n_controls: int, seed: int
) -> pd.DataFrame:
    """Evaluate the sum over the cells of non-members as a control: its AUC must be at chance level.

    Each control is drawn first and left out of all groups of the game; half of the groups contain
    the target.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    target : int
        Position of the target among the users.
    group_size : int
        Number of users in a group.
    n_groups : int
        Number of groups, half of them with the target.
    n_controls : int
        Number of non-member controls, fewer if there are not enough users.
    seed : int
        Seed of the random streams.

    Returns
    -------
    pandas.DataFrame
        A row for each control; none if a group leaves nobody out. Columns: control, AUC.
    """
    movers = np.flatnonzero(traces.visits() > 0)
    others = np.setdiff1d(movers, [target])
    n = min(n_controls, len(others)) if group_size <= traces.n_users - 2 else 0
    drawn = stream(seed, "foundations-strangers").choice(others, n, replace=False)
    rows = []
    for control in drawn:
        pool = np.setdiff1d(np.arange(traces.n_users), [control])
        rng = stream(seed, "foundations-stranger", int(control))
        groups, members = sample_member_groups(pool, target, n_groups, group_size, rng)
        scores = aggregate_cells(traces, groups, traces.matrix[[control]].indices).sum(axis=1)
        rows.append({"control": str(traces.users[control]), "AUC": metrics.auc(members, scores)})
    return pd.DataFrame(rows, columns=["control", "AUC"])


def parts(
    traces: Traces,
    *,
    shares: Sequence[float],
    group_size: int,
    n_groups: int,
    n_targets: int,
    n_subsets: int,
    seed: int,
) -> pd.DataFrame:
    """Evaluate the sum over some of the target's cells, drawn at random.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    shares : sequence of float in (0, 1]
        Shares of the target's cells that the attacker knows.
    group_size, n_groups, n_targets : int
        Users in a group, groups for each target, and targets.
    n_subsets : int
        Number of draws of cells over which an AUC is averaged.
    seed : int
        Seed of all random draws.

    Returns
    -------
    pandas.DataFrame
        One row for each target and share: draw, cells ("all", "10% at random", ...), AUC.
    """
    rows = []
    for draw, members, counts, _, rng in _cells_of_targets(
        traces, group_size, n_groups, n_targets, seed
    ):
        n_cells = counts.shape[1]
        chosen = {"all": [np.arange(n_cells)]}
        for share in shares:
            n = max(1, round(share * n_cells))
            chosen[f"{share:.0%} at random"] = [
                rng.choice(n_cells, n, replace=False) for _ in range(n_subsets)
            ]
        for name, subsets in chosen.items():
            aucs = [metrics.auc(members, counts[:, subset].sum(axis=1)) for subset in subsets]
            rows.append({"draw": draw, "cells": name, "AUC": np.mean(aucs)})
    return pd.DataFrame(rows)


def by_crowding(
    populations: Mapping[str, Traces],
    *,
    shares: Sequence[float],
    group_size: int,
    n_groups: int,
    n_targets: int,
    seed: int,
) -> pd.DataFrame:
    """Evaluate the sum over the target's quietest cells only, and over the busiest only.

    Cells are ranked by the counts of all users. An attacker who ranks them must know where people
    usually are, but not who is in the group.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        The datasets.
    shares : sequence of float in (0, 1]
        Shares of the target's cells that are added up.
    group_size, n_groups, n_targets : int
        Users in a group, groups for each target, and targets.
    seed : int
        Seed of all random draws.

    Returns
    -------
    pandas.DataFrame
        One row for each target, share and order. Columns: data, draw, order ("quietest first" or
        "busiest first"), share, cells (number of cells that are added up), visitors (mean number of
        users who visit such a cell, the target included), "different others" (users other than the
        target who visit at least one of these cells), deviation (standard deviation of the sum over
        groups without the target), "if uncorrelated" (what the deviation would be if the counts of
        different cells were uncorrelated), AUC.
    """
    rows = []
    for data, traces in populations.items():
        targets = targets_of(traces, n_targets, seed)
        for draw, members, counts, crowd, _ in _cells_of_targets(
            traces, group_size, n_groups, n_targets, seed
        ):
            visits = traces.matrix[:, traces.matrix[[targets[draw]]].indices].toarray() > 0
            without = counts[members == 0]
            order = np.argsort(crowd, kind="stable")
            for share, (name, ranked) in product(
                shares, (("quietest first", order), ("busiest first", order[::-1]))
            ):
                first = ranked[: max(1, int(share * len(order)))]
                rows.append(
                    {
                        "data": data,
                        "draw": draw,
                        "order": name,
                        "share": share,
                        "cells": len(first),
                        "visitors": crowd[first].mean(),
                        "different others": visits[:, first].any(axis=1).sum() - 1,
                        "deviation": without[:, first].sum(axis=1).std(),
                        "if uncorrelated": without[:, first].var(axis=0).sum() ** 0.5,
                        "AUC": metrics.auc(members, counts[:, first].sum(axis=1)),
                    }
                )
    return pd.DataFrame(rows)


def _cells_of_targets(
    traces: Traces, group_size: int, n_groups: int, n_targets: int, seed: int
) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray, np.random.Generator]]:
    """Yield of each target: draw, members, counts in its cells, everybody's counts there, rng."""
    everybody = np.arange(traces.n_users)
    for draw, target in enumerate(targets_of(traces, n_targets, seed)):
        rng = stream(seed, "foundations-parts", draw)
        groups, members = sample_member_groups(everybody, int(target), n_groups, group_size, rng)
        cells = traces.matrix[[target]].indices
        counts = aggregate_cells(traces, groups, cells)
        yield draw, members, counts, aggregate_cells(traces, everybody[None], cells)[0], rng


def n_twins(traces: Traces) -> int:
    """Count the users whose trace is equal to another user's.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.

    Returns
    -------
    int
        Number of users.
    """
    ends = zip(traces.matrix.indptr[:-1], traces.matrix.indptr[1:], strict=True)
    each = [np.sort(traces.matrix.indices[first:last]).tobytes() for first, last in ends]
    seen = Counter(each)
    return sum(seen[trace] > 1 for trace in each)


def targets_of(traces: Traces, n_targets: int, seed: int) -> np.ndarray:
    """Draw users with at least one visit, without replacement.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    n_targets : int
        Number of targets.
    seed : int
        Seed of the random streams.

    Returns
    -------
    numpy.ndarray of int, shape (n_targets,)
        Positions of the targets; fewer if there are fewer such users.
    """
    movers = np.flatnonzero(traces.visits() > 0)
    return np.random.default_rng(seed).choice(movers, min(n_targets, len(movers)), replace=False)


def draws(traces: Traces, *, n_targets: int, seed: int) -> list[int]:
    """List the units of the sum attack: the numbers of its targets.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    n_targets : int
        Number of targets.
    seed : int
        Seed of the random streams.

    Returns
    -------
    list of int
        0 to n - 1.
    """
    return list(range(len(targets_of(traces, n_targets, seed))))


@experiment(
    "foundations-sum-attack",
    unit=("draw",),
    units=draws,
    at_paper={name: {"n_groups": 1000, "n_targets": 150} for name in PAPER},
)
def sum_attack(
    traces: Traces,
    draw: int,
    *,
    group_sizes: Sequence[int] = (10, 30, 100),
    n_groups: int = 200,
    n_targets: int = 20,
    epsilon: float = 1.0,
    seed: int = 2013,
) -> Iterator[Row]:
    """Evaluate the sum attack on one target, in groups of several sizes, raw and with noise.

    The noise is Laplace noise for one visit. All games of a target draw the same groups and noise.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    draw : int
        Number of the target.
    group_sizes : sequence of int
        Numbers of users in a group.
    n_groups : int
        Number of groups, half of them with the target.
    n_targets : int
        Number of targets.
    epsilon : float
        Privacy budget.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each game. Columns: user (position among the users), group size, release ("raw" or
        "noisy"), AUC.
    """
    target = int(targets_of(traces, n_targets, seed)[draw])
    for size in group_sizes:
        for kind, mechanisms in (("raw", []), ("noisy", [Laplace(float(epsilon))])):
            rng = np.random.default_rng(np.random.SeedSequence([seed, 1], spawn_key=(draw,)))
            members, scores = score_groups(traces, target, size, n_groups, mechanisms, rng)
            yield {
                "user": target,
                "group size": size,
                "release": kind,
                "AUC": float(metrics.auc(members, scores)),
            }

"""What the foundations measure: how regular users are, what noise costs, and a first attack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib import metrics
from lib.aggregation import aggregate, aggregate_cells, sample_groups, sample_member_groups
from lib.datasets import load
from lib.mechanisms import Laplace, PostProcess, release
from lib.randomness import Numbers, numbered, stream
from lib.store import Row
from lib.studies.core import study
from lib.traces import Traces

# The places that the datasets had in the list of the first run: the streams of its noise.
NUMBERS = Numbers({"flights-by-number": 0, "flights-by-tail": 1, "cabspotting": 2, "commuters": 3,
                   "cabs": 4, "six-users": 5, "records": 6})  # fmt: skip
PAPER, FLIGHTS = tuple(NUMBERS)[:3], tuple(NUMBERS)[:2]
N_GROUPS = 20  # whose errors are measured


@study("foundations-users", at_paper={name: {} for name in PAPER})
def users(traces: Traces, _: object, *, lag: str = "7D") -> Iterator[Row]:
    """One row a user: how much she moves, and how much of it she repeats a lag later.

    Columns: user, visits, unique ROIs, active epochs (hours), recurrence (a share; empty where no
    visit could be repeated). Source: KK, Sec. V; recurrence is ours.
    """
    each = zip(traces.users, traces.visits(), (traces.places() > 0).sum(axis=1),
               (traces.active() > 0).sum(axis=1), traces.recurrence(lag), strict=True)  # fmt: skip
    for user, visits, places, hours, recurrence in each:
        yield {"user": str(user), "visits": int(visits), "unique ROIs": int(places),
               "active epochs": int(hours), "recurrence": float(recurrence)}  # fmt: skip


@study("foundations-release-error", at_paper={name: {} for name in PAPER})
def release_error(
    traces: Traces,
    _: object,
    *,
    data: str,
    group_size: int = 100,
    epsilons: Sequence[float] = (0.1, 1.0, 10.0),
    seed: int = 2013,
) -> Iterator[Row]:
    """Each group's mean count over its visited cells, and the noise's mean absolute error there.

    The noise is Laplace's, scaled to one visit and to the most visits of any user, rounded and kept
    between 0 and the group size.
    Columns: quantity, epsilon (empty for the count), group, users (the mean count or error).
    """
    rng, size = numbered(seed, NUMBERS[data]), min(group_size, traces.n_users)
    raw = aggregate(traces, sample_groups(np.arange(traces.n_users), N_GROUPS, size, rng))
    for group, counts in enumerate(raw):
        yield {"quantity": "mean count", "epsilon": "", "group": group,
               "users": float(counts[counts > 0].mean())}  # fmt: skip
    for protected, sensitivity in (("visit", 1.0), ("user", float(traces.visits().max()))):
        for epsilon in epsilons:
            noise = [Laplace(float(epsilon), sensitivity), PostProcess()]
            released = release(raw, noise, rng, size)
            for group, (r, a) in enumerate(zip(released, raw, strict=True)):
                yield {"quantity": f"error, a {protected} protected", "epsilon": epsilon,
                       "group": group, "users": float(np.abs(r - a)[a > 0].mean())}  # fmt: skip


def play(
    traces: Traces,
    target: int,
    group_size: int,
    n_groups: int,
    mechanisms: Sequence[Any],
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Members (0/1) and scores of the sum attack on fresh groups, half of them with the target.

    The score adds the released counts over the target's cells.
    """
    everybody = np.arange(traces.n_users)
    groups, members = sample_member_groups(everybody, target, n_groups, group_size, rng)
    counts = aggregate_cells(traces, groups, traces.matrix[[target]].indices)
    return members, release(counts, list(mechanisms), rng, group_size).sum(axis=1)


def weekly_recurrence(populations: Mapping[str, Traces]) -> pd.DataFrame:
    """Each user's recurrence from one week to the next: data, weeks ("1 to 2"), recurrence."""
    rows = []
    for data, traces in populations.items():
        starts = pd.date_range(traces.epochs[0], traces.epochs[-1], freq="7D")[:-1]
        for week, start in enumerate(starts, start=1):
            two = traces.between(start, start + pd.Timedelta("14D"))
            each = {"data": data, "weeks": f"{week} to {week + 1}"}
            rows += [each | {"recurrence": float(value)} for value in two.recurrence("7D")]
    return pd.DataFrame(rows, columns=["data", "weeks", "recurrence"])


def recurrence_by_clock(populations: Mapping[str, Traces], lag: str) -> pd.DataFrame:
    """The flights' recurrence by scheduled and by actual hours: data, hours, recurrence."""
    rows = []
    for data in populations:
        for hours in ("scheduled", "actual") if data in FLIGHTS else ():
            found = load(data, times=hours).recurrence(lag)
            each = {"data": data, "hours": hours}
            rows += [each | {"recurrence": float(value)} for value in found]
    return pd.DataFrame(rows, columns=["data", "hours", "recurrence"])


def strangers_cells(traces: Traces, groups: np.ndarray, seed: int) -> np.ndarray:
    """Cells of a user who moved and is in none of the groups; of one of them, if all are in some.

    A control: an attack that adds counts there must guess.
    """
    movers = np.flatnonzero(traces.visits() > 0)
    outside = np.setdiff1d(movers, groups)
    stranger = stream(seed, "foundations-stranger").choice(outside if len(outside) else movers)
    return traces.matrix[[int(stranger)]].indices


def gains(games: pd.DataFrame) -> pd.DataFrame:
    """The privacy gain of the noise for each target: rows of `sum_attack` -> data, size, gain."""
    keys = ["data", "group size", "draw"]
    pairs = games.set_index([*keys, "release"])["AUC"].unstack("release", sort=False)
    return pairs.assign(
        gain=metrics.privacy_gain(pairs["raw"].to_numpy(), pairs["noisy"].to_numpy())
    ).reset_index()


def targets_of(traces: Traces, n_targets: int, seed: int) -> np.ndarray:
    """Positions of users who were seen at all, drawn at random without repeats."""
    movers = np.flatnonzero(traces.visits() > 0)
    return np.random.default_rng(seed).choice(movers, min(n_targets, len(movers)), replace=False)


def draws(traces: Traces, *, n_targets: int, seed: int) -> list[int]:
    return list(range(len(targets_of(traces, n_targets, seed))))


@study(
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
    """AUC of the sum attack on one target, in groups of several sizes, raw and with noise.

    The noise is Laplace's for one visit. All games of a target draw the same groups and noise.
    Columns: user, group size, release ("raw", "noisy"), AUC.
    """
    target = int(targets_of(traces, n_targets, seed)[draw])
    for size in group_sizes:
        for kind, mechanisms in (("raw", []), ("noisy", [Laplace(float(epsilon))])):
            rng = np.random.default_rng(np.random.SeedSequence([seed, 1], spawn_key=(draw,)))
            members, scores = play(traces, target, size, n_groups, mechanisms, rng)
            yield {"user": str(traces.users[target]), "group size": size, "release": kind,
                   "AUC": float(metrics.auc(members, scores))}  # fmt: skip

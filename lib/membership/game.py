"""The distinguishability game: the training and the test material of the attacker.

A `Task` is one target's game under one prior: labelled aggregates to train on, and aggregates on
which to guess. Source: KK, Sec. III-B, IV-A, V-B; member = 1 is the paper's b = 0. Users are given
by their position in `traces.users`, epochs by a range of positions in `traces.epochs`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from lib.aggregation import aggregate
from lib.mechanisms import Mechanism, release
from lib.reading import times
from lib.traces import NULL, Traces
from lib.validation import MAX_CELLS, check_positions, format_value, validated


class TargetAbsent(ValueError):
    """The target is seen nowhere in the periods of a game."""


# -- periods and targets -------------------------------------------------------------------------


@validated
def period(traces: Traces, start: str | pd.Timestamp, length: str) -> range:
    """Find the epochs that begin in [start, start + length).

    Parameters
    ----------
    traces : Traces
        The population.
    start : str or Timestamp
        Begin; without a time zone it is UTC.
    length : str
        A duration such as "8h" or "7D".

    Returns
    -------
    range
        Positions in `traces.epochs`.

    Raises
    ------
    ValueError
        If the traces do not cover the whole period.
    """
    first, long = times.parse_instant("start", start, "UTC"), times.parse_duration("length", length)
    if traces.n_epochs < 2:
        raise ValueError(f"{traces.n_epochs} epoch(s): their length is unknown")
    epoch = traces.epochs[1] - traces.epochs[0]
    wanted = pd.date_range(first, first + long, freq=epoch, inclusive="left")
    found = traces.epochs.get_indexer(wanted)
    if not len(found) or (found < 0).any():
        raise ValueError(
            f"period of {length} from {first}: the traces cover {traces.epochs[0]} to "
            f"{traces.epochs[-1]} in epochs of {epoch}"
        )
    return range(int(found[0]), int(found[-1]) + 1)


def target_position(traces: Traces, user: Any) -> int:
    """Find the position of a user, by which the tasks name their target.

    Parameters
    ----------
    traces : Traces
        The population.
    user : hashable
        The user's id, one of `traces.users`.

    Returns
    -------
    int
        Position in `traces.users`, from 0.

    Raises
    ------
    ValueError
        If there is no such user.
    """
    position = traces.users.get_indexer(pd.Index([user]))[0]
    if position < 0:
        raise ValueError(f"no user {format_value(user)} among {traces.n_users} users")
    return int(position)


@validated
def sample_targets(
    traces: Traces, candidates: np.ndarray, n_per_third: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw the same number of targets from each third of the candidates by visits.

    Parameters
    ----------
    traces : Traces
        The population.
    candidates : ndarray of int
        Positions of users.
    n_per_third : int
        Targets per third: somewhat, mildly and highly mobile users.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of int, shape (3 * n_per_third,)
        Positions, the least mobile third first.

    Raises
    ------
    ValueError
        If a third holds fewer candidates.

    References
    ----------
    KK, Sec. V-A.
    """
    candidates = check_positions("candidates", candidates, traces.n_users)
    by_visits = candidates[np.argsort(traces.visits().to_numpy()[candidates], kind="stable")]
    thirds = np.array_split(by_visits, 3)
    if not 1 <= n_per_third <= min(map(len, thirds)):
        raise ValueError(
            f"n_per_third is {n_per_third}; {len(candidates)} candidates allow 1 to "
            f"{min(map(len, thirds))}"
        )
    return np.concatenate([rng.choice(third, n_per_third, replace=False) for third in thirds])


# -- groups --------------------------------------------------------------------------------------


@validated
def sample_distinct_groups(
    pool: np.ndarray, target: int, n_groups: int, group_size: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw distinct sets of users, half of them with the target.

    Parameters
    ----------
    pool : ndarray of int
        Positions of the other users; the target is removed if it is among them.
    target : int
        Position of the target.
    n_groups : int
        Number of groups, even.
    group_size : int
        Users in a group.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    groups : ndarray of int, shape (n_groups, group_size)
        Positions of users, sorted in each group.
    members : ndarray of {0, 1}, shape (n_groups,)
        1 for groups with the target, which come first.

    Raises
    ------
    ValueError
        If `n_groups` is odd, a group is larger than the pool, or the pool does not hold enough
        distinct
        groups.

    References
    ----------
    KK, Sec. VI ("unique user groups").
    """
    others = np.setdiff1d(check_positions("pool", pool, MAX_CELLS), [target])
    if n_groups < 2 or n_groups % 2:
        raise ValueError(f"n_groups is {n_groups}; an even number from 2 was expected")
    if not 1 <= group_size <= len(others):
        raise ValueError(
            f"group_size is {group_size}; the pool has {len(others)} users besides the target"
        )
    half = n_groups // 2
    with_target = np.column_stack(
        [_distinct(others, half, group_size - 1, rng), np.full(half, target)]
    )
    without = _distinct(others, half, group_size, rng)
    return np.sort(np.concatenate([with_target, without])), np.repeat([1, 0], half)


def _distinct(pool: np.ndarray, n: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """n distinct subsets, each drawn uniformly from those that are left."""
    possible = math.comb(len(pool), size)
    if n > possible:
        raise ValueError(
            f"{n} distinct groups were asked for; {size} of {len(pool)} users can be chosen in "
            f"{possible} ways"
        )
    found: dict[tuple[int, ...], None] = {}  # a set that keeps its order
    while len(found) < n:
        found[tuple(np.sort(rng.choice(pool, size, replace=False)))] = None
    return np.array(list(found), dtype=np.intp).reshape(n, size)


# -- tasks ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """The distinguishability game of one target: aggregates to learn from, and to tell apart.

    Parameters
    ----------
    target : int
        Position of the target.
    group_size : int
        Users in a group.
    train : ndarray of int, shape (n_train, n_rois, n_epochs)
        Counts of the training groups.
    train_members : ndarray of {0, 1}, shape (n_train,)
        1 for groups with the target.
    train_units : ndarray of int, shape (n_train,)
        Rows of one unit must stay together in cross-validation: a unit is a group, or a week if the
        test is a later week.
    test : ndarray of int, shape (n_test, n_rois, n_epochs)
        Counts of the test groups; both periods have the same number of epochs.
    test_members : ndarray of {0, 1}, shape (n_test,)
        1 for groups with the target.
    n_samples : int
        Number of training and test rows, which is the number of features that RFE keeps.
    """

    target: int
    group_size: int
    train: np.ndarray
    train_members: np.ndarray
    train_units: np.ndarray
    test: np.ndarray
    test_members: np.ndarray
    n_samples: int


@validated
def subset_task(
    traces: Traces,
    target: int,
    alpha: float,
    group_size: int,
    inference: range,
    rng: np.random.Generator,
    n_train: int = 400,
    n_test: int = 100,
) -> Task:
    """Draw the game of prior 1: the attacker knows the traces of a share of the users.

    The attacker trains on groups of known users. Test groups hold users whom the attacker does not
    know, and the target.

    Parameters
    ----------
    traces : Traces
        The population.
    target : int
        Position of the target.
    alpha : float in (0, 1)
        Share of all users whose traces are known, the target's among them; rounded down.
    group_size : int
        Users in a group.
    inference : range
        The released epochs, which the attacker also observed (T_O = T_I).
    rng : numpy.random.Generator
        Source of randomness.
    n_train, n_test : int
        Numbers of groups, even.

    Returns
    -------
    Task
        The game.

    Raises
    ------
    TargetAbsent
        If the target is seen nowhere in the period (a ValueError).
    ValueError
        If alpha is out of range or a pool is too small for distinct groups.

    References
    ----------
    KK, Sec. IV-A (1) and VI-A.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}; a share strictly between 0 and 1 was expected")
    _check_periods(traces, [inference])
    _check_moves(traces, target, [inference])
    n_known = math.floor(alpha * traces.n_users + 1e-9)  # 0.29 * 100 is 28.999999999999996
    others = rng.permutation(np.setdiff1d(np.arange(traces.n_users), [target]))
    known, unknown = np.split(others, [max(0, n_known - 1)])
    train_groups, train_members = sample_distinct_groups(known, target, n_train, group_size, rng)
    test_groups, test_members = sample_distinct_groups(unknown, target, n_test, group_size, rng)
    return Task(
        target,
        group_size,
        _counts(traces, train_groups, inference),
        train_members,
        np.arange(n_train),
        _counts(traces, test_groups, inference),
        test_members,
        n_train + n_test,
    )


@validated
def same_groups_task(
    traces: Traces,
    target: int,
    beta: int,
    group_size: int,
    inference: range,
    observation: Sequence[range],
    rng: np.random.Generator,
) -> Task:
    """Draw the game of prior 2a: past aggregates of the groups that are released again.

    Parameters
    ----------
    traces : Traces
        The population.
    target : int
        Position of the target.
    beta : int
        Number of groups, even.
    group_size : int
        Users in a group.
    inference : range
        The released epochs.
    observation : sequence of range
        Past periods of the same length; each gives one training row per group.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Task
        The game.

    Raises
    ------
    TargetAbsent
        If the target is seen nowhere in the periods (a ValueError).
    ValueError
        If beta is odd, periods overlap or differ in length, or there are too few distinct groups.

    References
    ----------
    KK, Sec. IV-A (2a) and VI-B.
    """
    _check_past(traces, target, beta, inference, observation)
    groups, members = sample_distinct_groups(
        np.arange(traces.n_users), target, beta, group_size, rng
    )
    train = [_counts(traces, groups, past) for past in observation]
    n_train = beta * len(observation)
    return Task(
        target,
        group_size,
        np.concatenate(train),
        np.tile(members, len(train)),
        np.arange(n_train) // beta,
        _counts(traces, groups, inference),
        members,
        n_train + beta,
    )


@validated
def different_groups_task(
    traces: Traces,
    target: int,
    beta: int,
    group_size: int,
    inference: range,
    observation: Sequence[range],
    rng: np.random.Generator,
    n_test: int = 100,
) -> Task:
    """Draw the game of prior 2b: past aggregates of other groups than those released.

    Parameters
    ----------
    traces : Traces
        The population.
    target : int
        Position of the target.
    beta : int
        Number of groups to learn from, even.
    group_size : int
        Users in a group.
    inference : range
        The released epochs.
    observation : sequence of range
        Past periods of the same length; each gives one training row per group.
    rng : numpy.random.Generator
        Source of randomness.
    n_test : int
        Number of released groups, even; none of them is in the training.

    Returns
    -------
    Task
        The game.

    Raises
    ------
    TargetAbsent
        If the target is seen nowhere in the periods (a ValueError).
    ValueError
        As `same_groups_task`.

    References
    ----------
    KK, Sec. IV-A (2b) and VI-B.
    """
    _check_past(traces, target, beta, inference, observation)
    groups, members = sample_distinct_groups(
        np.arange(traces.n_users), target, beta + n_test, group_size, rng
    )
    rank = np.concatenate([np.arange((beta + n_test) // 2)] * 2)  # within members, non-members
    past = rank < beta // 2
    train = [_counts(traces, groups[past], weeks) for weeks in observation]
    n_train = beta * len(observation)
    return Task(
        target,
        group_size,
        np.concatenate(train),
        np.tile(members[past], len(train)),
        np.arange(n_train) % beta,
        _counts(traces, groups[~past], inference),
        members[~past],
        n_train + n_test,
    )


@validated
def perfect_task(
    traces: Traces,
    target: int,
    n_groups: int,
    group_size: int,
    inference: range,
    rng: np.random.Generator,
) -> Task:
    """Draw the game of the perfect prior: training and test aggregates are the same.

    This is the worst case for a defense, which `passive_task` or `strategic_task` applies.

    Parameters
    ----------
    traces : Traces
        The population.
    target : int
        Position of the target.
    n_groups : int
        Number of groups, even.
    group_size : int
        Users in a group.
    inference : range
        The released epochs.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Task
        The game.

    Raises
    ------
    TargetAbsent
        If the target is seen nowhere in the period (a ValueError).
    ValueError
        If `n_groups` is odd or there are too few distinct groups.

    References
    ----------
    KK, Sec. VII-B.
    """
    _check_periods(traces, [inference])
    _check_moves(traces, target, [inference])
    groups, members = sample_distinct_groups(
        np.arange(traces.n_users), target, n_groups, group_size, rng
    )
    counts = _counts(traces, groups, inference)
    return Task(target, group_size, counts, members, np.arange(n_groups), counts, members, n_groups)


def _counts(traces: Traces, groups: np.ndarray, epochs: range) -> np.ndarray:
    """The groups' aggregates in these epochs; only the traces of users in a group are touched."""
    users, position = np.unique(groups, return_inverse=True)
    part = traces.select(users=traces.users[users], epochs=np.asarray(epochs))
    return aggregate(part, position.reshape(groups.shape))


def _check_past(
    traces: Traces, target: int, beta: int, inference: range, observation: Sequence[range]
) -> None:
    if not (beta >= 2 and beta % 2 == 0):  # NaN is wrong too
        raise ValueError(f"beta is {beta}; an even number of groups from 2 was expected")
    if not len(observation):
        raise ValueError("observation is empty; at least one past period was expected")
    _check_periods(traces, [inference, *observation])
    _check_moves(traces, target, [inference, *observation])


def _check_periods(traces: Traces, periods: Sequence[range]) -> None:
    """The first is the inference period; the others, if any, the observation."""
    taken = np.zeros(traces.n_epochs, bool)
    for epochs in periods:
        place = f"epochs {epochs.start} to {epochs.stop}"
        if epochs.step != 1 or not 0 <= epochs.start < epochs.stop <= traces.n_epochs:
            raise ValueError(f"{place}: a stretch of the {traces.n_epochs} epochs was expected")
        if len(epochs) != len(periods[0]):
            raise ValueError(f"{place} are {len(epochs)}, the inference period {len(periods[0])}")
        if taken[epochs.start : epochs.stop].any():
            raise ValueError(f"{place} overlap another period; they must be apart")
        taken[epochs.start : epochs.stop] = True


def _check_moves(traces: Traces, target: int, periods: Sequence[range]) -> None:
    if not 0 <= target < traces.n_users:
        raise ValueError(f"target is {target}; positions are 0 to {traces.n_users - 1}")
    roi, epoch = np.divmod(traces.matrix[[target]].indices, traces.n_epochs)
    somewhere = np.asarray(traces.rois.index)[roi] != NULL
    if not np.isin(epoch[somewhere], np.concatenate([np.asarray(p) for p in periods])).any():
        raise TargetAbsent(
            f"target {target} ({traces.users[target]!r}) is seen nowhere in the periods of the game"
        )


# -- defenses ------------------------------------------------------------------------------------


@validated
def passive_task(task: Task, mechanisms: Sequence[Mechanism], rng: np.random.Generator) -> Task:
    """Protect the test of an attacker who trains on raw aggregates.

    Training does not depend on the mechanism: a fitted attack can be used for several.

    Parameters
    ----------
    task : Task
        A game with raw counts.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What is applied, in order.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Task
        The game with protected test aggregates.

    References
    ----------
    KK, Sec. VII-B, case 1.
    """
    return replace(task, test=release(task.test, mechanisms, rng, task.group_size))


@validated
def strategic_task(task: Task, mechanisms: Sequence[Mechanism], rng: np.random.Generator) -> Task:
    """Protect training and test for an attacker who knows the mechanism.

    The noise on training aggregates is independent of the noise on released ones, which is the same
    as
    `passive_task` draws from the same generator.

    Parameters
    ----------
    task : Task
        A game with raw counts.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What is applied, in order.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Task
        The game with protected training and test aggregates.

    References
    ----------
    KK, Sec. VII-B, case 2.
    """
    protected = passive_task(task, mechanisms, rng)
    return replace(protected, train=release(task.train, mechanisms, rng, task.group_size))

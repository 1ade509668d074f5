"""Groups of users, and the counts a group leaves: from Traces to aggregates.

A group is a row of user positions (0-based, into `traces.users`), each user at most once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lib.traces import Traces


def aggregate(traces: Traces, groups: Sequence[Sequence[int]] | np.ndarray) -> np.ndarray:
    """How many users of each group were in each ROI in each epoch.

    groups   one sequence of user positions a group; sizes may differ
    returns  int32 (n_groups, n_rois, n_epochs), at most the group's size

    Raises ValueError naming the group that holds a user twice or a position that does not exist.
    Source: the aggregate time-series of KK, Sec. III; A^U of ZK, Sec. 3.
    """
    counts = traces.matrix.T @ _indicator(groups, traces.n_users)  # (cells, groups)
    return counts.T.reshape(len(groups), traces.n_rois, traces.n_epochs)


def aggregate_cells(
    traces: Traces, groups: Sequence[Sequence[int]] | np.ndarray, cells: np.ndarray
) -> np.ndarray:
    """The counts of some cells only (cell = roi * n_epochs + epoch), far cheaper than all.

    returns  int32 (n_groups, n_cells). Raises ValueError as `aggregate`, and for an unknown cell.
    """
    cells = np.asarray(cells)
    outside = (cells < 0) | (cells >= traces.matrix.shape[1])
    if outside.any():
        raise ValueError(f"no cell {cells[outside][0]}; there are {traces.matrix.shape[1]}")
    return (traces.matrix[:, cells].T @ _indicator(groups, traces.n_users)).T


def _indicator(groups: Sequence[Sequence[int]] | np.ndarray, n_users: int) -> np.ndarray:
    """The 0/1 matrix (n_users, n_groups) of who is in which group."""
    members = [np.asarray(group) for group in groups]
    indicator = np.zeros((n_users, len(members)), np.int32)
    for g, group in enumerate(members):
        if group.ndim != 1 or (len(group) and not np.issubdtype(group.dtype, np.integer)):
            raise ValueError(f"group {g}: a row of user positions (integers) was expected")
        if len(group) and not (group.min() >= 0 and group.max() < n_users):
            wrong = group[(group < 0) | (group >= n_users)][0]
            raise ValueError(f"group {g}: no user at position {wrong}; there are {n_users}")
        np.add.at(indicator[:, g], group.astype(np.intp), 1)
        if (indicator[:, g] > 1).any():
            twice = np.flatnonzero(indicator[:, g] > 1)[0]
            raise ValueError(f"group {g}: the user at position {twice} is in it more than once")
    return indicator


def split_pools(
    users: Sequence[int] | np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> list[np.ndarray]:
    """Disjoint random pools of the given sizes, each sorted.

    Raises ValueError if the sizes add up to more users than there are.
    """
    users = np.asarray(users)
    if min(sizes) < 0 or sum(sizes) > len(users):
        raise ValueError(f"pools of {list(sizes)} users cannot be cut from {len(users)}")
    shuffled = rng.permutation(users)
    ends = np.cumsum(sizes)
    return [np.sort(shuffled[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def sample_groups(
    pool: Sequence[int] | np.ndarray, n_groups: int, group_size: int, rng: np.random.Generator
) -> np.ndarray:
    """Uniform groups of distinct users from a pool, drawn independently of one another.

    returns  (n_groups, group_size) positions. Raises ValueError if the pool is too small.
    """
    pool = np.asarray(pool)
    if not 1 <= group_size <= len(pool):
        raise ValueError(f"group_size is {group_size}; the pool allows 1 to {len(pool)}")
    if n_groups < 1:
        raise ValueError(f"n_groups is {n_groups}; at least 1")
    return np.stack([rng.choice(pool, group_size, replace=False) for _ in range(n_groups)])


def sample_member_groups(
    pool: Sequence[int] | np.ndarray,
    target: int,
    n_groups: int,
    group_size: int,
    rng: np.random.Generator,
    paired: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Groups for the membership game: half with the target, half without.

    pool     positions of the others (the target is left out of it if she is in it)
    paired   group n_groups/2 + i is group i with another user in the target's place
    returns  groups (n_groups, group_size), members (n_groups,): 1 with the target, then 0 without

    Raises ValueError if n_groups is odd or the pool is too small.
    """
    others = np.asarray(pool)
    others = others[others != target]
    if n_groups < 2 or n_groups % 2:
        raise ValueError(f"n_groups is {n_groups}; an even number was expected")
    if not 1 <= group_size <= len(others):
        raise ValueError(f"group_size is {group_size}; the pool allows 1 to {len(others)}")
    half = n_groups // 2
    without = sample_groups(others, half, group_size, rng)
    base = without if paired else sample_groups(others, half, group_size, rng)
    with_target = base.copy()
    with_target[:, -1] = target
    return np.concatenate([with_target, without]), np.repeat([1, 0], half)

"""Groups of users, and the counts a group leaves: from Traces to aggregates.

A group is a row of user positions (0-based, into `traces.users`), each user at most once.

Source: the groups and aggregates of KK, Sec. III and IV.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from lib.traces import Traces
from lib.validation import check_instance, check_integer, check_positions, format_value, validated

_AT_ONCE = 1 << 24  # visits of a group's members that are gathered at once: 130 MB
_FEW = 16  # groups for which sorting the visits by cell costs more than it saves

Groups = Sequence[Sequence[int]] | np.ndarray


def aggregate(traces: Traces, groups: Groups, dtype: Any = None) -> np.ndarray:
    """How many users of each group were in each ROI in each epoch.

    groups   one sequence of user positions a group; sizes may differ
    dtype    of the counts: np.int16, np.int32 or np.int64; by default the first that holds the
             largest group. Squares of int16 wrap from 182: ask for np.int64 before multiplying
    returns  (n_groups, n_rois, n_epochs), at most the group's size

    Costs what the members' visits cost, whatever the population. Raises ValueError naming the group
    that holds a user twice or a position that does not exist, or a dtype that is too small.
    Source: the aggregate time-series of KK, Sec. III; A^U of ZK, Sec. 3.

    >>> from lib.datasets import load
    >>> aggregate(load('six-users'), [[0, 1, 2]]).shape
    (1, 4, 8)
    >>> aggregate(load('six-users'), [range(6)])[0, 0].tolist()  # at home, hour by hour
    [3, 1, 0, 4, 4, 0, 1, 2]
    """
    chosen = _Chosen(traces, groups, dtype)
    return chosen.counts().T.reshape(len(groups), traces.n_rois, traces.n_epochs)


def aggregate_cells(
    traces: Traces, groups: Groups, cells: np.ndarray, dtype: Any = None
) -> np.ndarray:
    """The counts of some cells only (cell = roi * n_epochs + epoch), far cheaper than all.

    returns  (n_groups, n_cells), dtype as `aggregate`. Raises ValueError as `aggregate`, and for a
             cell that is no whole number or not there.
    """
    check_instance("traces", traces, Traces)
    cells = check_positions("cells", cells, traces.matrix.shape[1])
    chosen = _Chosen(traces, groups, dtype)
    if chosen.most:
        return (traces.by_cell[cells] @ chosen.indicator).T
    return (chosen.rows(slice(None))[:, cells].T @ chosen.indicator).T


def aggregate_blocks(
    traces: Traces, groups: Groups, n_cells: int = 1 << 14, dtype: Any = None
) -> Iterator[tuple[slice, np.ndarray]]:
    """The counts of all cells, some at a time: for grids too large to hold for all groups at once.

    yields  (slice of cells, counts (n_groups, cells of the slice)), in the order of the cells;
            their columns lie together in memory. Raises ValueError as `aggregate`.
    """
    check_integer("n_cells", n_cells, 1)
    chosen = _Chosen(traces, groups, dtype)
    by_cell = chosen.by_cell()
    for start in range(0, by_cell.shape[0], n_cells):
        block = slice(start, min(start + n_cells, by_cell.shape[0]))
        yield block, (by_cell[block] @ chosen.indicator).T


class _Chosen:
    """Groups of users, checked, with the cheapest way to count what they visited.

    users      positions of those who are in a group; everybody if `most`
    indicator  the 0/1 matrix (len(users), n_groups) of who is in which group, of the counts' type
    most       whether most visits of the population are theirs, and fit in a view by cell
    """

    def __init__(self, traces: Traces, groups: Groups, dtype: Any):
        check_instance("traces", traces, Traces)
        self.traces = traces
        user, group, sizes = _memberships(groups, traces.n_users)
        inside = np.zeros(traces.n_users, bool)
        inside[user] = True
        self.users = np.flatnonzero(inside)
        self.ends = np.cumsum(np.diff(traces.matrix.indptr)[self.users], dtype=np.int64)
        n_visits = int(self.ends[-1]) if len(self.ends) else 0
        self.most = traces.has_by_cell and 2 * n_visits >= traces.matrix.nnz
        if self.most:
            self.users = np.arange(traces.n_users)
        dtype = _integer(dtype, max(sizes, default=0))
        self.indicator = np.zeros((len(self.users), len(sizes)), dtype)
        row = np.empty(traces.n_users, np.intp)
        row[self.users] = np.arange(len(self.users))
        self.indicator[row[user], group] = 1
        if np.count_nonzero(self.indicator) < len(user):
            _refuse_repeats(user, group)

    def counts(self) -> np.ndarray:
        """All counts, (n_cells, n_groups)."""
        if self.most:
            return self.traces.by_cell @ self.indicator
        n_groups = self.indicator.shape[1]
        counts = np.zeros((self.traces.matrix.shape[1], n_groups), self.indicator.dtype)
        for part in self._parts():
            rows = self.rows(part).T
            found = (rows if n_groups < _FEW else rows.tocsr()) @ self.indicator[part]
            if part == slice(0, len(self.users)):
                return found
            counts += found
        return counts

    def by_cell(self) -> sparse.csr_array:
        """Who of the users was where: (n_cells, len(users))."""
        return self.traces.by_cell if self.most else self.rows(slice(None)).T.tocsr()

    def rows(self, part: slice) -> sparse.csr_array:
        """The visits of some of the users, (users, n_cells), int8."""
        if len(self.users) == self.traces.n_users and part in (slice(None), slice(0, None)):
            found = self.traces.matrix
        else:
            found = self.traces.matrix[self.users[part]]
        ones = np.ones(found.nnz, np.int8)
        return sparse.csr_array((ones, found.indices, found.indptr), shape=found.shape)

    def _parts(self) -> Iterator[slice]:
        """Users in stretches of about `_AT_ONCE` visits."""
        first = 0
        while first < len(self.users):
            before = self.ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(self.ends, before + _AT_ONCE)))
            yield slice(first, min(last, len(self.users)))
            first = last


def _memberships(groups: Groups, n_users: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """The user and the group of every membership, and the groups' sizes."""
    listed = isinstance(groups, Sequence) or (isinstance(groups, np.ndarray) and groups.ndim)
    if not listed or isinstance(groups, str):
        raise ValueError(
            f"groups are {format_value(groups)}; a list of lists of positions was expected"
        )
    members = [_row(group) for group in groups]
    for g, each in enumerate(members):
        if each.ndim != 1 or (len(each) and each.dtype.kind not in "iu"):
            raise ValueError(f"group {g}: a row of user positions (integers) was expected")
    sizes = [len(each) for each in members]
    group = np.repeat(np.arange(len(members)), sizes)
    user = np.concatenate([each for each in members if len(each)] or [np.empty(0, np.intp)])
    wrong = np.flatnonzero((user < 0) | (user >= n_users))
    if len(wrong):
        g, position = group[wrong[0]], user[wrong[0]]
        raise ValueError(f"group {g}: no user at position {position}; there are {n_users}")
    return user.astype(np.intp, copy=False), group, sizes


def _row(group: Sequence[int] | np.ndarray) -> np.ndarray:
    try:
        return np.asarray(group)
    except ValueError:  # rows of several lengths
        return np.empty((0, 0))


def _refuse_repeats(user: np.ndarray, group: np.ndarray) -> None:
    order = np.lexsort((user, group))
    again = np.flatnonzero((np.diff(user[order]) == 0) & (np.diff(group[order]) == 0))
    twice, g = user[order][again[0]], group[order][again[0]]
    raise ValueError(f"group {g}: the user at position {twice} is in it more than once")


def _integer(dtype: Any, largest: int) -> np.dtype:
    """The type of counts up to the largest group."""
    if dtype is None:
        return np.dtype(np.int16 if largest <= np.iinfo(np.int16).max else np.int32)
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = np.dtype(object)
    if found not in (np.int16, np.int32, np.int64) or np.iinfo(found).max < largest:
        raise ValueError(
            f"dtype is {format_value(dtype)}; int16, int32 or int64 was expected, and to hold {largest}"
        )
    return found


@validated
def split_pools(
    users: Sequence[int] | np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> list[np.ndarray]:
    """Disjoint random pools of the given sizes, each sorted.

    Raises ValueError if the sizes add up to more users than there are.
    """
    users = _pool("users", users)
    sizes = [check_integer("size", size) for size in sizes]
    if sum(sizes) > len(users):
        raise ValueError(f"pools of {sizes} users cannot be cut from {len(users)}")
    shuffled = rng.permutation(users)
    ends = np.cumsum(sizes)
    return [np.sort(shuffled[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def _pool(name: str, users: Sequence[int] | np.ndarray) -> np.ndarray:
    pool = np.asarray(users)
    if pool.ndim != 1 or (len(pool) and pool.dtype.kind not in "iu"):
        raise ValueError(f"{name} is {format_value(users)}; a row of user positions was expected")
    if len(np.unique(pool)) < len(pool):
        raise ValueError(f"{name} holds a user more than once")
    return pool


@validated
def sample_groups(
    pool: Sequence[int] | np.ndarray, n_groups: int, group_size: int, rng: np.random.Generator
) -> np.ndarray:
    """Uniform groups of distinct users from a pool, drawn independently of one another.

    returns  (n_groups, group_size) positions. Raises ValueError if the pool is too small.
    """
    pool = _pool("pool", pool)
    if not 1 <= check_integer("group_size", group_size) <= len(pool):
        raise ValueError(f"group_size is {group_size}; the pool allows 1 to {len(pool)}")
    check_integer("n_groups", n_groups, 1)
    return np.stack([rng.choice(pool, group_size, replace=False) for _ in range(n_groups)])


@validated
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

    >>> rng = np.random.default_rng(1)
    >>> groups, members = sample_member_groups(range(6), 0, 4, 3, rng)
    >>> members.tolist(), [0 in group for group in groups]
    ([1, 1, 0, 0], [True, True, False, False])
    """
    others = _pool("pool", pool)
    others = others[others != check_integer("target", target)]
    if check_integer("n_groups", n_groups) < 2 or n_groups % 2:
        raise ValueError(f"n_groups is {n_groups}; an even number was expected")
    if not 1 <= check_integer("group_size", group_size) <= len(others):
        raise ValueError(f"group_size is {group_size}; the pool allows 1 to {len(others)}")
    half = n_groups // 2
    without = sample_groups(others, half, group_size, rng)
    base = without if paired else sample_groups(others, half, group_size, rng)
    with_target = base.copy()
    with_target[:, -1] = target
    return np.concatenate([with_target, without]), np.repeat([1, 0], half)

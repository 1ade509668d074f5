"""Groups of users and their aggregates: from Traces to counts.

A group is a row of user positions (0-based, into `traces.users`), each user at most once. The
standard layout of aggregates is (n_groups, n_rois, n_epochs); `flatten_cells` gives the equal
layout of one row a group, (n_groups, n_rois * n_epochs), with cell = roi * n_epochs + epoch.

Source: the groups and aggregates of KK, Sec. III and IV.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from lib.traces import Traces
from lib.validation import check_instance, check_integer, check_positions, format_value, validated

_BATCH_VISITS = 1 << 24  # visits of members that are gathered at a time: 130 MB
_FEW_GROUPS = 16  # below, sorting the visits by cell costs more than it saves

Groups = Sequence[Sequence[int]] | np.ndarray


def aggregate(traces: Traces, groups: Groups, dtype: Any = None) -> np.ndarray:
    """Count the users of each group in each ROI and epoch.

    The cost is that of the members' visits, whatever the size of the population.

    Parameters
    ----------
    traces : Traces
        Traces of the population.
    groups : sequence of sequences of int
        Positions of each group's users; sizes may differ.
    dtype : {np.int16, np.int32, np.int64}, optional
        Type of the counts; by default int16 if it holds the largest group, otherwise int32. Squares
        of int16 overflow from 182 on: ask for np.int64 before multiplying.

    Returns
    -------
    ndarray of int, shape (n_groups, n_rois, n_epochs)
        Counts, each at most the group's size. `counts.reshape(n_groups, n_rois * n_epochs)`, or
        `flatten_cells(counts)`, has one row a group, with cell = roi * n_epochs + epoch as in
        `Traces.matrix`.

    Raises
    ------
    ValueError
        If a group holds a user twice or a position that does not exist (the message names the
        group), or if the dtype is too small.

    References
    ----------
    The aggregate time-series of KK, Sec. III; A^U of ZK, Sec. 3.

    Examples
    --------
    >>> from lib.datasets import load
    >>> aggregate(load('six-users'), [[0, 1, 2]]).shape
    (1, 4, 8)
    >>> aggregate(load('six-users'), [range(6)])[0, 0].tolist()  # at home, hour by hour
    [3, 1, 0, 4, 4, 0, 1, 2]
    """
    counter = _Counter(traces, groups, dtype)
    return counter.counts().T.reshape(len(groups), traces.n_rois, traces.n_epochs)


def flatten_cells(counts: np.ndarray) -> np.ndarray:
    """Reshape aggregates to one row a group, without copying.

    Parameters
    ----------
    counts : ndarray, shape (n_groups, n_rois, n_epochs)
        Aggregates as `aggregate` returns them, or a release of them.

    Returns
    -------
    ndarray, shape (n_groups, n_rois * n_epochs)
        The same values, with cell = roi * n_epochs + epoch.

    Examples
    --------
    >>> flatten_cells(np.zeros((10, 4, 8))).shape
    (10, 32)
    """
    return counts.reshape(len(counts), counts.shape[1] * counts.shape[2])


def aggregate_cells(
    traces: Traces, groups: Groups, cells: np.ndarray, dtype: Any = None
) -> np.ndarray:
    """Count the users of each group in some cells only, which is far cheaper than in all.

    Parameters
    ----------
    traces : Traces
        Traces of the population.
    groups : sequence of sequences of int
        Positions of each group's users.
    cells : array_like of int, shape (n_cells,)
        Cells to count, cell = roi * n_epochs + epoch.
    dtype : numpy dtype, optional
        Type of the counts, as in `aggregate`.

    Returns
    -------
    ndarray of int, shape (n_groups, n_cells)
        Counts.

    Raises
    ------
    ValueError
        As `aggregate`, and if a cell is not a whole number or does not exist.
    """
    check_instance("traces", traces, Traces)
    cells = check_positions("cells", cells, traces.matrix.shape[1])
    counter = _Counter(traces, groups, dtype)
    if counter.by_population:
        return (traces.by_cell[cells] @ counter.indicator).T
    return (counter.visits(slice(None))[:, cells].T @ counter.indicator).T


def aggregate_blocks(
    traces: Traces, groups: Groups, n_cells: int = 1 << 14, dtype: Any = None
) -> Iterator[tuple[slice, np.ndarray]]:
    """Count the users of each group in all cells, a block of cells at a time.

    Meant for grids that are too large to hold the counts of all groups at once.

    Parameters
    ----------
    traces : Traces
        Traces of the population.
    groups : sequence of sequences of int
        Positions of each group's users.
    n_cells : int
        Cells in a block, at least 1.
    dtype : numpy dtype, optional
        Type of the counts, as in `aggregate`.

    Yields
    ------
    cells : slice
        The cells of the block, in increasing order.
    counts : ndarray of int, shape (n_groups, cells of the block)
        Counts, contiguous in memory by column.

    Raises
    ------
    ValueError
        As `aggregate`.
    """
    check_integer("n_cells", n_cells, 1)
    counter = _Counter(traces, groups, dtype)
    by_cell = counter.by_cell()
    for start in range(0, by_cell.shape[0], n_cells):
        block = slice(start, min(start + n_cells, by_cell.shape[0]))
        yield block, (by_cell[block] @ counter.indicator).T


class _Counter:
    """Validated groups of users, and the cheapest way to count their visits.

    users      positions of the users in any group; all users if `by_population`
    indicator  0/1 membership matrix (len(users), n_groups), of the counts' type
    by_population  whether most visits are the members', and fit in a view by cell
    """

    def __init__(self, traces: Traces, groups: Groups, dtype: Any):
        check_instance("traces", traces, Traces)
        self.traces = traces
        user, group, sizes = _memberships(groups, traces.n_users)
        is_member = np.zeros(traces.n_users, bool)
        is_member[user] = True
        self.users = np.flatnonzero(is_member)
        self.ends = np.cumsum(np.diff(traces.matrix.indptr)[self.users], dtype=np.int64)
        n_visits = int(self.ends[-1]) if len(self.ends) else 0
        self.by_population = traces.has_by_cell and 2 * n_visits >= traces.matrix.nnz
        if self.by_population:
            self.users = np.arange(traces.n_users)
        dtype = _count_dtype(dtype, max(sizes, default=0))
        self.indicator = np.zeros((len(self.users), len(sizes)), dtype)
        row = np.empty(traces.n_users, np.intp)
        row[self.users] = np.arange(len(self.users))
        self.indicator[row[user], group] = 1
        if np.count_nonzero(self.indicator) < len(user):
            _raise_repeat(user, group)

    def counts(self) -> np.ndarray:
        """All counts, (n_cells, n_groups)."""
        if self.by_population:
            return self.traces.by_cell @ self.indicator
        n_groups = self.indicator.shape[1]
        counts = np.zeros((self.traces.matrix.shape[1], n_groups), self.indicator.dtype)
        for part in self._parts():
            visits = self.visits(part).T
            found = (visits if n_groups < _FEW_GROUPS else visits.tocsr()) @ self.indicator[part]
            if part == slice(0, len(self.users)):
                return found
            counts += found
        return counts

    def by_cell(self) -> sparse.csr_array:
        """The users' visits by cell, (n_cells, len(users))."""
        return self.traces.by_cell if self.by_population else self.visits(slice(None)).T.tocsr()

    def visits(self, part: slice) -> sparse.csr_array:
        """The visits of a part of the users, (users, n_cells), int8."""
        found = self.traces.matrix
        if len(self.users) < self.traces.n_users or part not in (slice(None), slice(0, None)):
            found = found[self.users[part]]
        ones = np.ones(found.nnz, np.int8)
        return sparse.csr_array((ones, found.indices, found.indptr), shape=found.shape)

    def _parts(self) -> Iterator[slice]:
        """Parts of the users with about `_BATCH_VISITS` visits each."""
        first = 0
        while first < len(self.users):
            before = self.ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(self.ends, before + _BATCH_VISITS)))
            yield slice(first, min(last, len(self.users)))
            first = last


def _memberships(groups: Groups, n_users: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """The user and the group of every membership, and the groups' sizes."""
    listed = isinstance(groups, Sequence) or (isinstance(groups, np.ndarray) and groups.ndim)
    if not listed or isinstance(groups, str):
        raise ValueError(
            f"groups are {format_value(groups)}; a list of lists of positions was expected"
        )
    members = [_positions(f"group {g}:", group) for g, group in enumerate(groups)]
    sizes = [len(each) for each in members]
    group = np.repeat(np.arange(len(members)), sizes)
    user = np.concatenate([each for each in members if len(each)] or [np.empty(0, np.intp)])
    wrong = np.flatnonzero((user < 0) | (user >= n_users))
    if len(wrong):
        g, position = group[wrong[0]], user[wrong[0]]
        raise ValueError(f"group {g}: no user at position {position}; there are {n_users}")
    return user.astype(np.intp, copy=False), group, sizes


def _positions(name: str, users: Sequence[int] | np.ndarray) -> np.ndarray:
    try:
        row = np.asarray(users)
    except ValueError:  # rows of several lengths
        row = np.empty((0, 0))
    if row.ndim != 1 or (len(row) and row.dtype.kind not in "iu"):
        raise ValueError(
            f"{name} {format_value(users)}; a row of user positions (integers) was expected"
        )
    return row


def _raise_repeat(user: np.ndarray, group: np.ndarray) -> None:
    order = np.lexsort((user, group))
    again = np.flatnonzero((np.diff(user[order]) == 0) & (np.diff(group[order]) == 0))
    twice, g = user[order][again[0]], group[order][again[0]]
    raise ValueError(f"group {g}: the user at position {twice} is in it more than once")


def _count_dtype(dtype: Any, largest: int) -> np.dtype:
    """The type of counts up to the size of the largest group."""
    if dtype is None:
        return np.dtype(np.int16 if largest <= np.iinfo(np.int16).max else np.int32)
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = np.dtype(object)
    if found not in (np.int16, np.int32, np.int64) or np.iinfo(found).max < largest:
        raise ValueError(
            f"dtype is {format_value(dtype)}; int16, int32 or int64 was expected, large enough "
            f"for {largest}"
        )
    return found


@validated
def split_pools(
    users: Sequence[int] | np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> list[np.ndarray]:
    """Split users at random into disjoint pools of given sizes.

    Parameters
    ----------
    users : array_like of int, shape (n_users,)
        Distinct user positions.
    sizes : sequence of int
        Sizes of the pools; their sum is at most n_users.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    list of ndarray of int
        The pools, each sorted.

    Raises
    ------
    ValueError
        If the sizes add up to more users than there are.
    """
    users = _distinct("users", users)
    sizes = [check_integer("size", size) for size in sizes]
    if sum(sizes) > len(users):
        raise ValueError(f"pools of {sizes} users cannot be cut from {len(users)}")
    shuffled = rng.permutation(users)
    ends = np.cumsum(sizes)
    return [np.sort(shuffled[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def _distinct(name: str, users: Sequence[int] | np.ndarray) -> np.ndarray:
    pool = _positions(f"{name} is", users)
    if len(np.unique(pool)) < len(pool):
        raise ValueError(f"{name} holds a user more than once")
    return pool


@validated
def sample_groups(
    pool: Sequence[int] | np.ndarray, n_groups: int, group_size: int, rng: np.random.Generator
) -> np.ndarray:
    """Sample groups of distinct users uniformly and independently from a pool.

    Parameters
    ----------
    pool : array_like of int
        Distinct user positions.
    n_groups : int
        Number of groups, at least 1.
    group_size : int
        Users in a group, from 1 to the size of the pool.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of int, shape (n_groups, group_size)
        User positions.

    Raises
    ------
    ValueError
        If the pool is too small.
    """
    pool = _distinct("pool", pool)
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
    """Sample groups for membership inference: half with the target, half without.

    Parameters
    ----------
    pool : array_like of int
        Positions of the other users; the target is ignored if it is among them.
    target : int
        Position of the target.
    n_groups : int
        Number of groups, even and at least 2.
    group_size : int
        Users in a group, at most the number of other users.
    rng : numpy.random.Generator
        Source of randomness.
    paired : bool
        If True, group n_groups / 2 + i is group i with another user in the target's place.

    Returns
    -------
    groups : ndarray of int, shape (n_groups, group_size)
        User positions.
    members : ndarray of {0, 1}, shape (n_groups,)
        1 for the groups with the target, which come first; 0 for those without.

    Raises
    ------
    ValueError
        If n_groups is odd or the pool is too small.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> groups, members = sample_member_groups(range(6), 0, 4, 3, rng)
    >>> members.tolist(), [0 in group for group in groups]
    ([1, 1, 0, 0], [True, True, False, False])
    """
    others = _distinct("pool", pool)
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

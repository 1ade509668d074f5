"""Aggregation of tables larger than memory, a chunk at a time: visits, ids, medians."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from lib.validation import MAX_CELLS

_PENDING = 1 << 24  # visits in pieces before the pieces are merged: 64 to 200 MB
_BATCH = 1 << 22  # visits that are sorted at a time
_POINTS = 1 << 20  # distinct points of places that are counted


def distinct(values: np.ndarray) -> np.ndarray:
    """Sort values and drop repeats.

    `np.unique` hashes first, which takes three times as long; this sort also merges quickly what is
    sorted in parts already.

    Parameters
    ----------
    values : ndarray of int
        Non-negative integers.

    Returns
    -------
    ndarray of int
        The sorted distinct values.
    """
    values = np.sort(values, kind="stable")  # merges what is sorted in parts already
    return values[np.diff(values, prepend=-1) != 0]


# -- visits ----------------------------------------------------------------------------------------


class _Piece(NamedTuple):
    """Visits sorted by user and cell: those of user[i] are cell[start[i] : start[i + 1]]."""

    user: np.ndarray
    start: np.ndarray
    cell: np.ndarray  # int32


class Visits:
    """A set of visits that is built a batch at a time; repeats collapse.

    A visit takes 4 bytes until `matrix` is called (8 while batches are merged), then 8.

    Parameters
    ----------
    n_cells : int
        Number of cells. Users are numbered from 0, and n_users * n_cells is below 2^63.
    """

    def __init__(self, n_cells: int):
        self.n_cells = max(n_cells, 1)
        self._new: list[_Piece] = []
        self._old: list[_Piece] = []
        self._n_merged = 0  # visits at the last merge of all pieces
        self._repeats = False  # whether the last merge removed many

    def add(self, user: np.ndarray, cell: np.ndarray) -> None:
        """Add visits of users to cells.

        Parameters
        ----------
        user, cell : ndarray of int, shape (n,)
            Aligned positions, a few million at most.

        Returns
        -------
        None
        """
        self._new.append(_piece(user.astype(np.int64) * self.n_cells + cell, self.n_cells))
        if sum(len(piece.cell) for piece in self._new) < _PENDING:
            return
        self._old.append(self._merged(self._new))
        total = sum(len(piece.cell) for piece in self._old)
        if self._repeats and total > max(2 * self._n_merged, _PENDING):
            self._old = [self._merged(self._old)]
            self._n_merged = len(self._old[0].cell)

    @property
    def users(self) -> np.ndarray:
        """Sorted numbers of the users with visits."""
        pieces = [piece.user for piece in (*self._old, *self._new)]
        return distinct(np.concatenate(pieces)) if pieces else np.empty(0, np.int64)

    def matrix(self, users: np.ndarray) -> sparse.csr_array:
        """Return the visits of some users as a sparse matrix, and release them: can be called once.

        Parameters
        ----------
        users : ndarray of int
            Numbers of the users, in the order of the matrix's rows.

        Returns
        -------
        csr_array of int32, shape (len(users), n_cells)
            1 for each visit.

        Raises
        ------
        ValueError
            If there are 2^31 visits or more.
        """
        pieces = [*self._old, *self._new]
        self._old, self._new = [], []
        found = self._merged(pieces)
        at = np.searchsorted(found.user, users)
        there = np.flatnonzero(np.append(found.user, -1)[at] == users)
        first, length = np.zeros((2, len(users)), np.int64)
        first[there], length[there] = found.start[at[there]], np.diff(found.start)[at[there]]
        indptr = np.concatenate([[0], np.cumsum(length)])
        if indptr[-1] >= MAX_CELLS:
            raise ValueError(f"{indptr[-1]} visits; traces hold fewer than 2^31: take fewer users")
        in_order = np.array_equal(users[there], found.user)
        cell = found.cell if in_order else _rows(found.cell, first, indptr)
        del found
        ones = np.ones(len(cell), np.int32)
        shape = (len(users), self.n_cells)
        return sparse.csr_array((ones, cell, indptr.astype(np.int32)), shape=shape)

    def _merged(self, pieces: list[_Piece]) -> _Piece:
        """Merge pieces into one, some users at a time; the list is emptied."""
        if len(pieces) == 1:
            return pieces.pop()
        n_users = max((int(piece.user[-1]) + 1 for piece in pieces if len(piece.user)), default=0)
        ends = np.zeros(n_users, np.int64)
        for piece in pieces:
            ends[piece.user] += np.diff(piece.start)
        ends = np.cumsum(ends)
        total = int(ends[-1]) if n_users else 0
        cell, used = np.empty(total, np.int32), 0  # pages that are not written take no memory
        users, lengths = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for first, last in _ranges(ends):
            keys = [_keys(piece, first, last, self.n_cells) for piece in pieces]
            part = _piece(np.concatenate(keys), self.n_cells)
            cell[used : used + len(part.cell)] = part.cell
            used += len(part.cell)
            users.append(part.user)
            lengths.append(np.diff(part.start))
        pieces.clear()
        self._repeats = used < 0.9 * total
        start = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
        return _Piece(np.concatenate(users), start, cell[:used])


def _piece(key: np.ndarray, n_cells: int) -> _Piece:
    """The visits with keys user * n_cells + cell, in any order, possibly repeated."""
    user, cell = np.divmod(distinct(key), n_cells)
    first = np.flatnonzero(np.diff(user, prepend=-1))
    return _Piece(user[first], np.append(first, len(user)), cell.astype(np.int32))


def _keys(piece: _Piece, first: int, last: int, n_cells: int) -> np.ndarray:
    """user * n_cells + cell of the visits of users `first` to `last` - 1."""
    a, b = np.searchsorted(piece.user, (first, last))
    start = piece.start[a : b + 1]
    key = np.repeat(piece.user[a:b] * n_cells, np.diff(start))
    key += piece.cell[start[0] : start[-1]]
    return key


def _ranges(ends: np.ndarray) -> Iterator[tuple[int, int]]:
    """Ranges of rows with about `_BATCH` entries each, where row i ends at ends[i]."""
    first = 0
    while first < len(ends):
        before = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + _BATCH, "right")))
        yield first, last
        first = last


def _rows(values: np.ndarray, first: np.ndarray, indptr: np.ndarray) -> np.ndarray:
    """Reorder rows: row i, which begins at first[i], moves to indptr[i]."""
    moved = np.empty(indptr[-1], values.dtype)
    for row, last in _ranges(indptr[1:]):
        shift = np.repeat(first[row:last] - indptr[row:last], np.diff(indptr[row : last + 1]))
        moved[indptr[row] : indptr[last]] = values[shift + np.arange(indptr[row], indptr[last])]
    return moved


# -- ids -------------------------------------------------------------------------------------------


class Ids:
    """The distinct ids of a column, numbered in order of appearance.

    Parameters
    ----------
    column : str
        Name of the column, for messages.
    """

    def __init__(self, column: str):
        self.column = column
        self._number: dict[Any, int] = {}
        self._parts: list[pd.Index] = []

    def number(self, ids: pd.Series) -> np.ndarray:
        """Number the ids of a chunk's rows, adding those that are new.

        Parameters
        ----------
        ids : Series
            Ids.

        Returns
        -------
        ndarray of int32
            Number of each row's id.

        Raises
        ------
        ValueError
            If an id is not hashable.
        """
        try:
            local, found = pd.factorize(ids)
        except TypeError:
            raise ValueError(
                f"column {self.column!r} holds lists or other values that cannot be ids"
            ) from None
        found = pd.Index(found, dtype=object if ids.dtype == object else None)
        number, n_before = self._number, len(self._number)
        listed = found.tolist()
        of = np.fromiter((number.setdefault(x, len(number)) for x in listed), np.int32, len(listed))
        if len(number) > n_before:
            self._parts.append(found[of >= n_before])
        return of[local]

    def in_order(self) -> pd.Index:
        """Return all ids in the order of their numbers.

        Returns
        -------
        Index
            The ids.
        """
        kinds = {part.dtype for part in self._parts}
        if len(kinds) > 1 or (kinds == {np.dtype(object)} and len(self._parts) > 1):
            objects = [part.to_numpy(object) for part in self._parts]  # or 1 would become 1.0
            self._parts = [pd.Index(np.concatenate(objects), dtype=object)]
        elif len(self._parts) > 1:
            self._parts = [self._parts[0].append(self._parts[1:])]
        return self._parts[0] if self._parts else pd.Index([])

    def sorted(self, numbers: np.ndarray | None = None) -> tuple[pd.Index, np.ndarray]:
        """Sort ids.

        Parameters
        ----------
        numbers : ndarray of int, optional
            Numbers of the ids to sort; by default all.

        Returns
        -------
        ids : Index
            Sorted ids.
        numbers : ndarray of int
            Number of each.

        Raises
        ------
        ValueError
            If ids have several types, or are floats that may merge several ids.
        """
        ids = self.in_order()
        numbers = np.arange(len(ids)) if numbers is None else numbers
        ids = ids[numbers]
        kinds = {type(x).__name__ for x in ids.tolist()}
        if len(kinds) > 1:
            raise ValueError(
                f"column {self.column!r} mixes {' and '.join(sorted(kinds))}: use one type of id"
            )
        if pd.api.types.is_float_dtype(ids) and not (np.abs(ids) < 2**53).all():
            raise ValueError(
                f"column {self.column!r}: from 2^53 on, floats merge ids; read them as text"
            )
        index = pd.Index(np.sort(ids.unique()))
        return index, numbers[np.argsort(index.get_indexer(ids))]


# -- medians of places ---------------------------------------------------------------------------


class Medians:
    """Exact medians of each place's values, in memory that does not grow with their number.

    Values are counted by their leading bits: by all 64 as long as few values are distinct. If bits
    were dropped, all values must be passed again, to `refine`, to resolve those next to the
    median.
    """

    def __init__(self) -> None:
        self.dropped_bits = 0
        self._counts = self._near = _Counts(*np.zeros((3, 0), np.int64))

    def add(self, place: np.ndarray, value: np.ndarray) -> None:
        """Add values of places.

        Parameters
        ----------
        place : ndarray of int, shape (n,)
            Numbers of places, from 0.
        value : ndarray of float, shape (n,)
            Their values.

        Returns
        -------
        None
        """
        self._counts = self._counts.plus(place, _ordered(value) >> self.dropped_bits)
        while len(self._counts.place) > _POINTS and self.dropped_bits < 64:
            self.dropped_bits += 8
            place, key, count = self._counts
            self._counts = _counted(place, key >> 8, count)

    def refine(self, place: np.ndarray, value: np.ndarray) -> None:
        """Pass the same values a second time; required if bits were dropped.

        Parameters
        ----------
        place : ndarray of int, shape (n,)
            Numbers of places, from 0.
        value : ndarray of float, shape (n,)
            Their values.

        Returns
        -------
        None
        """
        low, high = (self._counts.key[each] for each in self._middle())
        of = np.searchsorted(np.unique(self._counts.place), place)
        key = _ordered(value)
        near = (key >> self.dropped_bits >= low[of]) & (key >> self.dropped_bits <= high[of])
        self._near = self._near.plus(place[near], key[near])

    def medians(self) -> np.ndarray:
        """Compute the median of each place that has values.

        Returns
        -------
        ndarray of float
            Medians, by number of place.
        """
        low, high = self._middle()
        keys = self._counts.key[low], self._counts.key[high]
        if self.dropped_bits:
            passed = np.cumsum(self._counts.n) - self._counts.n
            starts = np.searchsorted(self._near.place, self._counts.place[low])
            ends = np.cumsum(self._near.n)
            offset = (ends - self._near.n)[starts] - passed[low]
            at = (np.searchsorted(ends, rank + offset, "right") for rank in self._ranks())
            keys = tuple(self._near.key[each] for each in at)
        lower, upper = (_floats(each) for each in keys)
        return (lower + upper) / 2

    def _ranks(self) -> tuple[np.ndarray, np.ndarray]:
        """Ranks of the two middle values of each place, over all places."""
        _, first = np.unique(self._counts.place, return_index=True)
        n = np.add.reduceat(self._counts.n, first) if len(first) else first
        before = np.cumsum(n) - n
        return before + (n - 1) // 2, before + n // 2

    def _middle(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions, among the counts, of the two middle values of each place."""
        ends = np.cumsum(self._counts.n)
        low, high = (np.searchsorted(ends, rank, "right") for rank in self._ranks())
        return low, high


class _Counts(NamedTuple):
    """How often each key occurs at each place, sorted by both."""

    place: np.ndarray
    key: np.ndarray
    n: np.ndarray

    def plus(self, place: np.ndarray, key: np.ndarray) -> _Counts:
        more = place, key, np.ones(len(place), np.int64)
        return _counted(*(np.concatenate(pair) for pair in zip(self, more, strict=True)))


def _counted(place: np.ndarray, key: np.ndarray, count: np.ndarray) -> _Counts:
    order = np.lexsort((key, place))
    place, key, count = place[order], key[order], count[order]
    first = np.flatnonzero((np.diff(place, prepend=-1) != 0) | (np.diff(key, prepend=0) != 0))
    n = np.add.reduceat(count, first) if len(first) else count
    return _Counts(place[first], key[first], n)


def _ordered(value: np.ndarray) -> np.ndarray:
    """Integers in the order of the floats."""
    bits = (value + 0.0).view(np.int64)
    return bits ^ ((bits >> 63) & np.int64(2**63 - 1))


def _floats(ordered: np.ndarray) -> np.ndarray:
    return (ordered ^ ((ordered >> 63) & np.int64(2**63 - 1))).view(float)

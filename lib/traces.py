"""Traces: who was where, when; binary and sparse.

A trace is the paper's L^u: a 0/1 matrix of regions of interest (ROIs) by epochs. `Traces` keeps all
users' traces as one sparse matrix of users by cells, where cell = roi * n_epochs + epoch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from lib.reading import rows as sightings
from lib.reading import times
from lib.reading.chunks import Visits, distinct
from lib.reading.rows import Grid, Report, check_rois, check_n_cells
from lib.validation import MAX_CELLS, RecordError, check_instance, check_positions, format_value

__all__ = ["NULL", "Grid", "RecordError", "Report", "Traces"]

NULL = "null"  # the id of the ROI that stands for "seen nowhere"
_MOST_BY_CELL = 1 << 26  # visits, and cells, of a view by cell: 0.6 GB
_AT_ONCE = 1 << 22  # visits, or cells, that are worked on at once


class Traces:
    """All users' traces over the same ROIs and epochs.

    matrix  CSR, (n_users, n_rois * n_epochs), every stored value 1 and in a place of its own;
            cell = roi * n_epochs + epoch, fewer than 2^31
    users   Index of n_users unique ids
    rois    DataFrame indexed by unique ROI id, columns lat and lon in degrees (NaN if unknown)
    epochs  DatetimeIndex of epoch starts, UTC, increasing
    report  what became of the rows the traces were read from, if they were

    Raises ValueError if shapes disagree, an id repeats or is missing, a ROI is beyond the poles,
    epochs are not UTC, or the matrix is not binary, too large, or holds a visit twice.

    >>> from lib.datasets import load
    >>> six = load('six-users')
    >>> six.n_users, six.n_rois, six.n_epochs
    (6, 4, 8)
    >>> int(six.visits()['Ada'])
    8
    """

    def __init__(
        self,
        matrix: sparse.spmatrix | sparse.sparray | np.ndarray,
        users: Iterable[Any],
        rois: pd.DataFrame,
        epochs: pd.DatetimeIndex,
        report: Report | None = None,
    ):
        self.users = _ids_of("user", users)
        self.rois = check_rois(rois)
        self.epochs = epochs
        self.report = report
        check_instance("epochs", epochs, pd.DatetimeIndex)
        if str(epochs.tz) != "UTC":
            raise ValueError(
                f"epochs are in {epochs.tz or 'no time zone'}: take .tz_localize or "
                ".tz_convert to 'UTC'"
            )
        for kind, index in (("user", self.users), ("ROI", rois.index), ("epoch", epochs)):
            if index.hasnans:
                raise ValueError(f"{kind} {int(np.flatnonzero(index.isna())[0])} has no id (NaN)")
            if not index.is_unique:
                twice = index[index.duplicated()].tolist()[0]
                raise ValueError(f"{kind} {twice!r} appears more than once")
        if not epochs.is_monotonic_increasing:
            raise ValueError("epochs must increase")
        check_n_cells(self.n_rois, self.n_epochs)
        self.matrix = _binary(matrix, (self.n_users, self.n_rois * self.n_epochs))

    @property
    def n_users(self) -> int:
        """How many users there are."""
        return len(self.users)

    @property
    def n_rois(self) -> int:
        """How many ROIs there are, null included."""
        return len(self.rois)

    @property
    def n_epochs(self) -> int:
        """How many epochs there are."""
        return len(self.epochs)

    @property
    def has_by_cell(self) -> bool:
        """Whether these traces are small enough for the view `by_cell`."""
        return max(self.matrix.shape[1], self.matrix.nnz) <= _MOST_BY_CELL

    @cached_property
    def by_cell(self) -> sparse.csr_array:
        """The same visits by cell: CSR, (n_rois * n_epochs, n_users), int8; built when first asked.

        Its product with a matrix of int16 is of int16, and so on: the other's type decides.
        """
        ones = np.ones(self.matrix.nnz, np.int8)
        rows = (ones, self.matrix.indices, self.matrix.indptr)
        return sparse.csr_array(rows, shape=self.matrix.shape).T.tocsr()

    def __getstate__(self) -> dict[str, Any]:  # what another process can build is not sent there
        return {name: value for name, value in vars(self).items() if name != "by_cell"}

    def __repr__(self) -> str:
        return (
            f"Traces({self.n_users} users x {self.n_rois} ROIs x {self.n_epochs} epochs, "
            f"{self.matrix.nnz} visits)"
        )

    # -- making ---------------------------------------------------------------------------------

    @classmethod
    def from_codes(
        cls,
        user: np.ndarray,
        roi: np.ndarray,
        epoch: np.ndarray,
        users: Iterable[Any],
        rois: pd.DataFrame,
        epochs: pd.DatetimeIndex,
        report: Report | None = None,
    ) -> Traces:
        """Traces from three aligned arrays of 0-based positions; repeats collapse to one visit.

        Raises ValueError for lengths that differ, a position that is no whole number or out of
        range, 2^31 cells or visits, and as `Traces` does.
        """
        index = _ids_of("user", users)
        check_instance("epochs", epochs, pd.DatetimeIndex)
        n_cells = check_n_cells(len(check_rois(rois)), len(epochs))
        user, roi = (
            check_positions("user", user, len(index)),
            check_positions("roi", roi, len(rois)),
        )
        epoch = check_positions("epoch", epoch, len(epochs))
        if not len(user) == len(roi) == len(epoch):
            raise ValueError(
                f"{len(user)} users, {len(roi)} ROIs and {len(epoch)} epochs of visits"
            )
        visits = Visits(n_cells)
        for first in range(0, len(user), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            visits.add(user[part], roi[part] * len(epochs) + epoch[part])
        matrix = visits.matrix(np.arange(len(index)))
        return cls(matrix, index, rois, epochs, report)

    @classmethod
    def from_records(
        cls,
        frame: pd.DataFrame,
        user: str = "user",
        time: str = "time",
        roi: str | None = None,
        lat: str | None = None,
        lon: str | None = None,
        grid: Grid | tuple[int, int] | None = None,
        epoch: str = "1h",
        *,
        rois: pd.DataFrame | None = None,
        start: str | pd.Timestamp | None = None,
        end: str | pd.Timestamp | None = None,
        timezone: str = "UTC",
        time_format: str | None = None,
        null: bool = False,
    ) -> Traces:
        """Traces from any table of records, one row a sighting.

        frame     DataFrame; `user`, `time`, `roi`, `lat`, `lon` name its columns
        roi       column of place ids; or else `lat` and `lon` (degrees) with a `grid`.
                  With `roi`, `lat` and `lon` are optional and give each place its median point
        grid      a Grid, or (rows, columns) of one around all points
        time      time stamps or text with or without an offset, or numbers: seconds since 1970 UTC.
                  Times without an offset are read in `timezone`
        time_format  of the whole column: "ISO8601", "seconds", "milliseconds" or a pattern such as
                  "%d/%m/%Y %H:%M"; by default the only one that all rows have (see `lib.reading.times`),
                  which `.report.notes` names
        epoch     length of an epoch, as pandas writes it ("1h", "30min", "1D")
        rois      the places there are, in order (DataFrame indexed by id: lat, lon);
                  by default those that occur, sorted
        start, end  the window, half-open; by default the epochs from the first to the last record
        null      adds a ROI "null" that a user visits in every epoch she is seen nowhere

        Rows with a missing value, outside the window, the grid or `rois` are set aside and counted
        in `.report`. Raises RecordError (a ValueError) naming the first row that cannot be right: a
        latitude beyond 90, an infinite coordinate, a time that does not parse or reads two ways;
        ValueError for an empty table, no column for `user` or `time`, a missing column, one in two
        roles, ids that floats cannot tell apart, too many cells, or coordinates that look swapped.

        >>> import pandas as pd
        >>> times = ['2024-03-04T08:10Z', '2024-03-04T09:50Z']
        >>> seen = pd.DataFrame({'user': ['Ada', 'Ben'], 'time': times, 'roi': ['home', 'park']})
        >>> traces = Traces.from_records(seen, roi='roi')
        >>> traces.matrix.toarray()  # home at 8 and 9, park at 8 and 9
        array([[1, 0, 0, 0],
               [0, 0, 0, 1]], dtype=int32)
        """
        columns = sightings.Columns(
            user, time, roi, lat, lon, grid, epoch, rois, start, end, timezone, time_format
        )
        return cls.from_tables(lambda: [frame], columns, null)

    @classmethod
    def from_tables(
        cls, tables: sightings.Tables, columns: sightings.Columns, null: bool = False
    ) -> Traces:
        """As `from_records`, from a table in chunks: it may be larger than memory.

        tables   gives the chunks (DataFrames) each time it is called, twice or more; rows are
                 counted through all of them
        columns  what `from_records` is told, as one thing
        Takes the memory of the traces, of the ids, and of a chunk; a moment's more.
        """
        if not isinstance(null, bool | np.bool_):
            raise ValueError(f"null is {format_value(null)}; True or False was expected")
        traces = cls(*sightings.gather(tables, columns))
        return traces.with_null() if null else traces

    # -- choosing -------------------------------------------------------------------------------

    def select(
        self,
        users: Iterable[Any] | None = None,
        rois: Iterable[Any] | None = None,
        epochs: pd.DatetimeIndex | np.ndarray | slice | None = None,
    ) -> Traces:
        """The traces of these users, at these ROIs, in these epochs, in the order given.

        users and rois are ids; epochs are time stamps, or a slice, mask or positions. `.report`
        stays that of all the rows that were read. Raises ValueError naming an id that is not there.
        """
        matrix = self.matrix
        kept_users, kept_rois, kept_epochs = self.users, self.rois, self.epochs
        if users is not None:
            position = _positions(self.users, users, "user")
            matrix, kept_users = matrix[position], self.users[position]
        if rois is not None or epochs is not None:
            r = np.arange(self.n_rois) if rois is None else _positions(self.rois.index, rois, "ROI")
            e = self._epoch_positions(epochs)
            kept_rois, kept_epochs = self.rois.iloc[r], self.epochs[e]
            matrix = _visits_at(matrix, r, e, self.n_rois, self.n_epochs)
        return Traces(matrix, kept_users, kept_rois, kept_epochs, self.report)

    def between(self, start: str | pd.Timestamp, end: str | pd.Timestamp) -> Traces:
        """The epochs that begin in [start, end); times without a zone are UTC."""
        first, last = times.parse_instant("start", start, "UTC"), times.parse_instant("end", end, "UTC")
        if first >= last:
            raise ValueError(f"between: start {start} is not before end {end}")
        return self.select(epochs=np.asarray((self.epochs >= first) & (self.epochs < last)))

    def with_null(self) -> Traces:
        """The same traces with a last ROI "null", visited in each epoch a user is seen nowhere.

        Raises ValueError if there is one already, or for 2^31 visits.
        """
        if NULL in self.rois.index:
            raise ValueError("these traces have a null ROI already")
        indptr, n_null = self.matrix.indptr, self.n_epochs - self.active_epochs().to_numpy()
        ends = indptr + np.append(0, np.cumsum(n_null, dtype=np.int64))
        if ends[-1] >= MAX_CELLS:
            raise ValueError(
                f"{ends[-1]} visits, those to null included; traces hold fewer than 2^31: take "
                "fewer users or epochs"
            )
        cells = np.empty(ends[-1], np.int32)
        for users, seen in self._seen(epochs=True):
            nowhere = np.ones((users.stop - users.start, self.n_epochs), bool)
            nowhere.flat[seen - users.start * self.n_epochs] = False
            runs = np.column_stack([np.diff(indptr)[users], n_null[users]]).ravel()
            added = np.repeat(np.arange(len(runs)) % 2 == 1, runs)  # after her visits
            here = cells[ends[users.start] : ends[users.stop]]
            here[~added] = self.matrix.indices[indptr[users.start] : indptr[users.stop]]
            here[added] = self.n_rois * self.n_epochs + np.nonzero(nowhere)[1]
        null = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=pd.Index([NULL]))
        rois = pd.concat([self.rois.set_axis(self.rois.index.astype(object)), null])
        ones = np.ones(len(cells), np.result_type(self.matrix.dtype, np.int32))
        shape = self.n_users, len(rois) * self.n_epochs
        matrix = sparse.csr_array((ones, cells, ends.astype(np.int32)), shape=shape)
        return Traces(matrix, self.users, rois.rename_axis("roi"), self.epochs, self.report)

    # -- looking --------------------------------------------------------------------------------

    def trace(self, user: Any) -> np.ndarray:
        """One user's trace, dense: int32 (n_rois, n_epochs)."""
        (position,) = _positions(self.users, [user], "user")
        dense = self.matrix[[position]].toarray().reshape(self.n_rois, self.n_epochs)
        return dense.astype(np.int32, copy=False)

    def visits(self) -> pd.Series:
        """The number of visits (positive cells) of each user."""
        return pd.Series(np.diff(self.matrix.indptr), index=self.users, name="visits")

    def rois_per_epoch(self) -> np.ndarray:
        """Each user's number of ROIs in each epoch: int32 (n_users, n_epochs), dense."""
        return self._count(epochs=True)

    def epochs_per_roi(self) -> np.ndarray:
        """Each user's number of epochs in each ROI: int32 (n_users, n_rois), dense."""
        return self._count(epochs=False)

    def active_epochs(self) -> pd.Series:
        """In how many epochs each user is somewhere; nothing dense is made."""
        return self._n_seen(epochs=True).rename("active epochs")

    def unique_rois(self) -> pd.Series:
        """In how many ROIs each user is at some time; nothing dense is made."""
        return self._n_seen(epochs=False).rename("unique ROIs")

    def summary(self) -> pd.DataFrame:
        """Per-user statistics as the papers print them: mean, sd, median, min, max over users."""
        per_user = pd.concat([self.visits(), self.unique_rois(), self.active_epochs()], axis=1)
        return per_user.agg(["mean", "std", "median", "min", "max"]).T.rename_axis("per user")

    def recurrence(self, lag: str = "7D") -> pd.Series:
        """How regular each user is: the share of her visits that she repeats exactly `lag` later.

        Same ROI, same epoch `lag` later, among the visits for which that later epoch is in the
        window; NaN for a user without any. 1 is a timetable, 0 never the same place and hour again.
        """
        later = self.epochs.get_indexer(self.epochs + times.parse_duration("lag", lag))
        now = np.flatnonzero(later >= 0)
        if not len(now):
            raise ValueError(f"lag {lag}: no epoch of the window has a later one that far away")
        first, second = self.select(epochs=now), self.select(epochs=later[now])
        repeated = first.matrix.multiply(second.matrix).sum(axis=1)
        n_visits = first.visits()
        return (pd.Series(repeated, self.users, dtype=float) / n_visits).rename("recurrence")

    # -- inside ---------------------------------------------------------------------------------

    def _keys(self, epochs: bool) -> Iterator[tuple[slice, np.ndarray]]:
        """Users, some at a time, and their visits as user * n + epoch, or ROI, of n."""
        each, n = max(self.n_epochs, 1), self.n_epochs if epochs else self.n_rois
        indptr = self.matrix.indptr
        for users in _stretches(indptr + np.arange(self.n_users + 1) * n):
            first, last = users.start, users.stop
            cell = self.matrix.indices[indptr[first] : indptr[last]]
            user = np.repeat(np.arange(first, last), np.diff(indptr[first : last + 1]))
            yield users, user * n + (cell % each if epochs else cell // each)

    def _seen(self, epochs: bool) -> Iterator[tuple[slice, np.ndarray]]:
        """The same, each user in each epoch, or ROI, once."""
        for users, keys in self._keys(epochs):
            yield users, distinct(keys)

    def _count(self, epochs: bool) -> np.ndarray:
        n = self.n_epochs if epochs else self.n_rois
        counts = np.empty((self.n_users, n), np.int32)
        for users, keys in self._keys(epochs):
            here = counts[users]
            here[:] = np.bincount(keys - users.start * n, minlength=here.size).reshape(here.shape)
        return counts

    def _n_seen(self, epochs: bool) -> pd.Series:
        n = max(self.n_epochs if epochs else self.n_rois, 1)
        found = np.zeros(self.n_users, np.int64)
        for users, keys in self._seen(epochs):
            found[users] = np.bincount(keys // n - users.start, minlength=len(found[users]))
        return pd.Series(found, self.users)

    def _epoch_positions(self, epochs: pd.DatetimeIndex | np.ndarray | slice | None) -> np.ndarray:
        everything = np.arange(self.n_epochs)
        if epochs is None:
            return everything
        if isinstance(epochs, pd.DatetimeIndex):
            return _positions(self.epochs, epochs, "epoch")
        try:
            chosen = everything[epochs]
        except (IndexError, TypeError, ValueError):
            chosen = np.empty((0, 0), int)
        if chosen.ndim != 1:
            raise ValueError(
                f"epochs: {format_value(epochs)}; time stamps, or a slice, mask or positions among "
                f"{self.n_epochs}, were expected"
            )
        return chosen


def _ids_of(kind: str, ids: Iterable[Any]) -> pd.Index:
    try:
        index = pd.Index(ids, name=kind)
    except (TypeError, ValueError, NotImplementedError):
        index = pd.MultiIndex.from_arrays([[]])
    if isinstance(index, pd.MultiIndex):
        raise ValueError(f"{kind}s are {format_value(ids)}; a list of ids was expected")
    return index


def _binary(matrix: Any, shape: tuple[int, int]) -> sparse.csr_array:
    """The matrix as CSR; ValueError unless each stored value is 1, once, and inside."""
    try:
        found = sparse.csr_array(matrix)
    except (TypeError, ValueError):
        found = sparse.csr_array((0, 0), dtype=complex)
    if found.dtype.kind not in "biuf":
        raise ValueError(f"matrix is {format_value(matrix)}; a matrix of 0 and 1 was expected")
    if found.shape != shape:
        raise ValueError(f"matrix is {found.shape}; users, ROIs and epochs ask {shape}")
    if found.nnz and not found.data.min() == 1 == found.data.max():  # NaN neither
        raise ValueError(f"traces are binary: the matrix holds {found.data[found.data != 1][0]}")
    alone = sparse.csr_array((found.data, found.indices, found.indptr), shape=shape)
    try:
        alone.check_format(full_check=True)
    except ValueError as error:
        raise ValueError(f"the matrix is no whole CSR matrix of {shape}: {error}") from None
    if not alone.has_canonical_format:  # unsorted, or a place twice
        alone = alone.copy()
        alone.sort_indices()
        row = np.repeat(np.arange(shape[0]), np.diff(alone.indptr))
        again = np.flatnonzero((np.diff(alone.indices) == 0) & (np.diff(row) == 0))
        if len(again):
            where = int(row[again[0]]), int(alone.indices[again[0]])
            raise ValueError(f"the matrix holds (user, cell) {where} more than once")
    return found


def _stretches(work: np.ndarray) -> Iterator[slice]:
    """Users, as many at a time as make about `_AT_ONCE` of work, which adds up from 0 on."""
    first = 0
    while first < len(work) - 1:
        last = max(first + 1, int(np.searchsorted(work, work[first] + _AT_ONCE)) - 1)
        yield slice(first, last)
        first = last


def _visits_at(
    matrix: sparse.csr_array, rois: np.ndarray, epochs: np.ndarray, n_rois: int, n_epochs: int
) -> sparse.csr_array:
    """The visits at chosen ROIs in chosen epochs; never costs more than visits do."""
    if len(rois) * len(epochs) <= matrix.nnz:  # fewer cells than visits: each cell is looked up
        return matrix[:, (rois[:, None] * n_epochs + epochs).ravel()]
    which_roi, which_epoch = np.full(n_rois, -1), np.full(n_epochs, -1)
    which_roi[rois], which_epoch[epochs] = np.arange(len(rois)), np.arange(len(epochs))
    width, parts = len(rois) * len(epochs), []
    for users in _stretches(matrix.indptr):
        part = matrix[users]
        roi, epoch = np.divmod(part.indices, n_epochs)
        roi, epoch = which_roi[roi], which_epoch[epoch]
        kept = (roi >= 0) & (epoch >= 0)
        cells = (roi[kept] * len(epochs) + epoch[kept]).astype(np.int32)
        ends = np.append(0, np.cumsum(kept))[part.indptr].astype(np.int32)
        shape = len(ends) - 1, width
        parts.append(sparse.csr_array((part.data[kept], cells, ends), shape=shape))
        parts[-1].sort_indices()
    empty = sparse.csr_array((0, width), dtype=matrix.dtype)
    return parts[0] if len(parts) == 1 else sparse.vstack([empty, *parts], format="csr")


def _positions(index: pd.Index, ids: Iterable[Any], kind: str) -> np.ndarray:
    if isinstance(ids, str):
        raise ValueError(f"{kind}s must be a list of ids, not the text {format_value(ids)}")
    try:
        wanted = pd.Index(ids)
        position = index.get_indexer(wanted)
    except (TypeError, ValueError, NotImplementedError):  # pandas has no half floats
        raise ValueError(f"{kind}s are {format_value(ids)}; a list of ids was expected") from None
    if (position < 0).any():
        first = format_value(wanted[position < 0].tolist()[0])
        raise ValueError(f"no {kind} {first} in these traces")
    return position

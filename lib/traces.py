"""Binary, sparse traces: which user was in which ROI in which epoch.

A trace is the paper's L^u: a 0/1 matrix of regions of interest (ROIs) by epochs. `Traces` holds all
users' traces as one sparse matrix of users by cells, where cell = roi * n_epochs + epoch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from lib.reading import rows as sightings
from lib.reading import times
from lib.reading.chunks import Visits, distinct
from lib.reading.rows import Grid, Report, check_n_cells, check_rois
from lib.validation import MAX_CELLS, RecordError, check_instance, check_positions, format_value

__all__ = ["NULL", "Grid", "RecordError", "Report", "Traces"]

NULL = "null"  # the id of the ROI that represents "not seen"
_MAX_BY_CELL = 1 << 26  # visits, and cells, of a view by cell: 0.6 GB
_BATCH = 1 << 22  # visits, or cells, that are processed at a time


class Traces:
    """All users' traces over the same ROIs and epochs.

    Parameters
    ----------
    matrix : sparse matrix or array_like, shape (n_users, n_rois * n_epochs)
        Visits, cell = roi * n_epochs + epoch, fewer than 2^31 cells. Every stored value is 1, and
        no element is stored twice. Kept as a CSR array.
    users : iterable
        The n_users unique ids.
    rois : DataFrame
        Indexed by unique ROI id, columns lat and lon in degrees (NaN if unknown).
    epochs : DatetimeIndex
        Starts of the epochs, UTC, increasing.
    report : Report, optional
        What became of the rows from which the traces were read.

    Raises
    ------
    ValueError
        If shapes disagree, an id repeats or is missing, a latitude or longitude is out of range,
        epochs are not UTC and increasing, or the matrix is not binary, too large, or stores a
        visit twice.

    Examples
    --------
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
        """Number of users."""
        return len(self.users)

    @property
    def n_rois(self) -> int:
        """Number of ROIs, including null."""
        return len(self.rois)

    @property
    def n_epochs(self) -> int:
        """Number of epochs."""
        return len(self.epochs)

    @property
    def has_by_cell(self) -> bool:
        """Whether these traces are small enough for the view `by_cell`."""
        return max(self.matrix.shape[1], self.matrix.nnz) <= _MAX_BY_CELL

    @cached_property
    def by_cell(self) -> sparse.csr_array:
        """The visits by cell: CSR, (n_rois * n_epochs, n_users), int8; computed at first use.

        The product with a matrix of int16 is of int16, and so on: the other factor's type decides.
        """
        ones = np.ones(self.matrix.nnz, np.int8)
        rows = (ones, self.matrix.indices, self.matrix.indptr)
        return sparse.csr_array(rows, shape=self.matrix.shape).T.tocsr()

    def __getstate__(self) -> dict[str, Any]:  # another process can compute by_cell itself
        return {name: value for name, value in vars(self).items() if name != "by_cell"}

    def __repr__(self) -> str:
        return (
            f"Traces({self.n_users} users x {self.n_rois} ROIs x {self.n_epochs} epochs, "
            f"{self.matrix.nnz} visits)"
        )

    # -- construction -----------------------------------------------------------------------------

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
        """Create traces from aligned arrays of 0-based positions; repeats collapse to one visit.

        Parameters
        ----------
        user, roi, epoch : array_like of int, shape (n,)
            Positions in `users`, `rois` and `epochs`, one entry a visit.
        users : iterable
            Identifier of each user, as in `Traces`.
        rois : pandas.DataFrame
            Row for each ROI, as in `Traces`.
        epochs : pandas.DatetimeIndex
            Start of each epoch, as in `Traces`.
        report : Report, optional
            Account of the rows that were read, as in `Traces`.

        Returns
        -------
        Traces
            The traces.

        Raises
        ------
        ValueError
            If lengths differ, a position is not a whole number or out of range, there are 2^31
            cells or visits, and as `Traces`.
        """
        index = _ids_of("user", users)
        check_instance("epochs", epochs, pd.DatetimeIndex)
        n_cells = check_n_cells(len(check_rois(rois)), len(epochs))
        user = check_positions("user", user, len(index))
        roi = check_positions("roi", roi, len(rois))
        epoch = check_positions("epoch", epoch, len(epochs))
        if not len(user) == len(roi) == len(epoch):
            raise ValueError(
                f"{len(user)} users, {len(roi)} ROIs and {len(epoch)} epochs of visits"
            )
        visits = Visits(n_cells)
        for first in range(0, len(user), _BATCH):
            part = slice(first, first + _BATCH)
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
        grid: sightings.Areas | tuple[int, int] | None = None,
        epoch: str = "1h",
        *,
        rois: pd.DataFrame | None = None,
        start: str | pd.Timestamp | None = None,
        end: str | pd.Timestamp | None = None,
        timezone: str = "UTC",
        time_format: str | None = None,
        ambiguous: str = "drop",
        until: str | None = None,
        null: bool = False,
    ) -> Traces:
        """Create traces from a table of records, one row a sighting or a stay.

        Rows with a missing value, or outside the window, the grid or `rois`, are set aside and
        counted in `.report`.

        Parameters
        ----------
        frame : DataFrame
            The records.
        user, time : str
            Columns of user ids and of times. Times are time stamps or text with or without an
            offset, or numbers: seconds since 1970 UTC.
        roi : str, optional
            Column of place ids. Without it, `lat`, `lon` and `grid` are required.
        lat, lon : str, optional
            Columns of degrees. With `roi` they give each place its median point.
        grid : Grid, Areas or (int, int), optional
            A Grid, or (rows, columns) of one around all points; or other zones that hold points.
        epoch : str
            Length of an epoch, in pandas' notation ("1h", "30min", "1D"). Epochs longer than an
            hour follow the clocks of `timezone`: days are calendar days, of 23 or 25 hours when
            clocks change.
        rois : DataFrame, optional
            The places, in order (indexed by id; columns lat, lon); by default those that occur,
            sorted.
        start, end : str or Timestamp, optional
            The window, half-open; by default the epochs from the first to the last record.
        timezone : str
            Time zone of times without an offset.
        time_format : str, optional
            Format of the whole column: "ISO8601", "seconds", "milliseconds" or a pattern such as
            "%d/%m/%Y %H:%M"; by default the only one that all rows have (see `lib.reading.times`),
            which `.report.notes` names.
        ambiguous : {"drop", "earlier", "later"}
            What a time without an offset means that occurs twice when clocks are set back. By
            default such rows are set aside, as are times that do not occur at all.
        until : str, optional
            Column of the times at which stays end: a user is present in every epoch between.
        null : bool
            Whether to add a ROI "null" that a user visits in every epoch without a visit.

        Returns
        -------
        Traces
            The traces, with their `.report`.

        Raises
        ------
        RecordError
            If a row cannot be right: a latitude beyond 90, an infinite coordinate, a time that
            does not parse or is ambiguous. A ValueError that names the first such row.
        ValueError
            If the table is empty, a column is missing or has two roles, floats merge ids, there
            are too many cells, or coordinates appear to be swapped.

        Examples
        --------
        >>> import pandas as pd
        >>> times = ['2024-03-04T08:10Z', '2024-03-04T09:50Z']
        >>> seen = pd.DataFrame({'user': ['Ada', 'Ben'], 'time': times, 'roi': ['home', 'park']})
        >>> traces = Traces.from_records(seen, roi='roi')
        >>> traces.matrix.toarray()  # home at 8 and 9, park at 8 and 9
        array([[1, 0, 0, 0],
               [0, 0, 0, 1]], dtype=int32)
        """
        columns = sightings.Columns(
            user=user,
            time=time,
            roi=roi,
            lat=lat,
            lon=lon,
            until=until,
            grid=grid,
            epoch=epoch,
            rois=rois,
            start=start,
            end=end,
            timezone=timezone,
            time_format=time_format,
            ambiguous=ambiguous,
        )
        return cls.from_tables(lambda: [frame], columns, null)

    @classmethod
    def from_tables(
        cls, tables: sightings.Tables, columns: sightings.Columns, null: bool = False
    ) -> Traces:
        """Create traces from a table in chunks, which may be larger than memory.

        The memory required is that of the traces, of the ids, and of a chunk.

        Parameters
        ----------
        tables : callable
            Returns the chunks (DataFrames) at each call; it is called twice or more. Rows are
            counted through all chunks.
        columns : lib.reading.rows.Columns
            The arguments of `from_records`.
        null : bool
            As in `from_records`.

        Returns
        -------
        Traces
            The traces, with their `.report`.
        """
        if not isinstance(null, bool | np.bool_):
            raise ValueError(f"null is {format_value(null)}; True or False was expected")
        traces = cls(*sightings.gather(tables, columns))
        return traces.with_null() if null else traces

    # -- selection -------------------------------------------------------------------------------

    def select(
        self,
        users: Iterable[Any] | None = None,
        rois: Iterable[Any] | None = None,
        epochs: pd.DatetimeIndex | np.ndarray | slice | None = None,
    ) -> Traces:
        """Select users, ROIs and epochs, in the order given.

        Parameters
        ----------
        users, rois : iterable, optional
            Ids; by default all.
        epochs : DatetimeIndex, array_like or slice, optional
            Time stamps; or a slice, mask or positions; by default all.

        Returns
        -------
        Traces
            The selected traces; their `.report` is still that of all rows that were read.

        Raises
        ------
        ValueError
            If an id is unknown; the message names it.
        """
        matrix = self.matrix
        new_users, new_rois, new_epochs = self.users, self.rois, self.epochs
        if users is not None:
            position = _positions(self.users, users, "user")
            matrix, new_users = matrix[position], self.users[position]
        if rois is not None or epochs is not None:
            r = np.arange(self.n_rois) if rois is None else _positions(self.rois.index, rois, "ROI")
            e = self._epoch_positions(epochs)
            new_rois, new_epochs = self.rois.iloc[r], self.epochs[e]
            matrix = _visits_at(matrix, r, e, self.n_rois, self.n_epochs)
        return Traces(matrix, new_users, new_rois, new_epochs, self.report)

    def between(self, start: str | pd.Timestamp, end: str | pd.Timestamp) -> Traces:
        """Select the epochs that begin in [start, end).

        Parameters
        ----------
        start, end : str or Timestamp
            Times; UTC if they have no zone.

        Returns
        -------
        Traces
            The traces in these epochs.

        Raises
        ------
        ValueError
            If start is not before end.
        """
        first = times.parse_instant("start", start, "UTC")
        last = times.parse_instant("end", end, "UTC")
        if first >= last:
            raise ValueError(f"between: start {start} is not before end {end}")
        return self.select(epochs=np.asarray((self.epochs >= first) & (self.epochs < last)))

    def with_null(self) -> Traces:
        """Add a last ROI "null", visited in each epoch in which a user has no other visit.

        Returns
        -------
        Traces
            The extended traces.

        Raises
        ------
        ValueError
            If there is a null ROI already, or there would be 2^31 visits.
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
            added = np.repeat(np.arange(len(runs)) % 2 == 1, runs)  # after the user's visits
            here = cells[ends[users.start] : ends[users.stop]]
            here[~added] = self.matrix.indices[indptr[users.start] : indptr[users.stop]]
            here[added] = self.n_rois * self.n_epochs + np.nonzero(nowhere)[1]
        null = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=pd.Index([NULL]))
        rois = pd.concat([self.rois.set_axis(self.rois.index.astype(object)), null])
        ones = np.ones(len(cells), np.result_type(self.matrix.dtype, np.int32))
        shape = self.n_users, len(rois) * self.n_epochs
        matrix = sparse.csr_array((ones, cells, ends.astype(np.int32)), shape=shape)
        return Traces(matrix, self.users, rois.rename_axis("roi"), self.epochs, self.report)

    def on_grid(self, grid: Grid | tuple[int, int]) -> Traces:
        """Put places into the cells of a grid, by their coordinates.

        Parameters
        ----------
        grid : Grid or (int, int)
            A Grid, or (rows, columns) of one around all places.

        Returns
        -------
        Traces
            The traces over the grid's cells; visits to places outside it are set aside in the
            `.report`. If there is a null ROI, it is derived again.

        Raises
        ------
        ValueError
            If a place has no coordinates.
        """
        places = self.rois[self.rois.index != NULL]
        unknown = places.index[places[["lat", "lon"]].isna().any(axis=1)]
        if len(unknown):
            raise ValueError(
                f"a grid needs coordinates, and {len(unknown)} of {len(places)} places have none, "
                f"such as {format_value(unknown[0])}: give columns lat and lon, or list the places "
                "in a card (zones: {name: [latitude, longitude], ...}), or leave out the grid"
            )
        if not isinstance(grid, Grid):
            sightings.check_shape(grid)
            grid = Grid.around(places["lat"], places["lon"], *grid)
        cell = grid.locate(places["lat"].to_numpy(float), places["lon"].to_numpy(float))
        cell = np.append(cell, np.full(self.n_rois - len(places), -1))
        user, at = self.matrix.nonzero()
        roi, epoch = np.divmod(at, self.n_epochs)
        inside = cell[roi] >= 0
        report = self.report
        if report is not None:
            n_outside = int((~inside & (roi < len(places))).sum())
            notes = [f"{len(places)} places form a grid of {grid.n_rows} x {grid.n_columns} cells"]
            notes += [f"{n_outside} visits are outside the grid"] if n_outside else []
            report = replace(report, notes=(*report.notes, *notes))
        found = Traces.from_codes(
            user[inside],
            cell[roi[inside]],
            epoch[inside],
            self.users,
            grid.rois(),
            self.epochs,
            report,
        )
        return found.with_null() if NULL in self.rois.index else found

    # -- statistics --------------------------------------------------------------------------------

    def trace(self, user: Any) -> np.ndarray:
        """Return one user's dense trace.

        Parameters
        ----------
        user : object
            The user's id.

        Returns
        -------
        ndarray of int32, shape (n_rois, n_epochs)
            1 where the user was.
        """
        (position,) = _positions(self.users, [user], "user")
        dense = self.matrix[[position]].toarray().reshape(self.n_rois, self.n_epochs)
        return dense.astype(np.int32, copy=False)

    def visits(self) -> pd.Series:
        """Count the visits (positive cells) of each user.

        Returns
        -------
        Series of int
            Indexed by user.
        """
        return pd.Series(np.diff(self.matrix.indptr), index=self.users, name="visits")

    def rois_per_epoch(self) -> np.ndarray:
        """Count the ROIs that each user visits in each epoch.

        Returns
        -------
        ndarray of int32, shape (n_users, n_epochs)
            Counts.
        """
        return self._count(epochs=True)

    def epochs_per_roi(self) -> np.ndarray:
        """Count the epochs in which each user visits each ROI.

        Returns
        -------
        ndarray of int32, shape (n_users, n_rois)
            Counts.
        """
        return self._count(epochs=False)

    def active_epochs(self) -> pd.Series:
        """Count the epochs in which each user has a visit, without a dense array.

        Returns
        -------
        Series of int
            Indexed by user.
        """
        return self._n_seen(epochs=True).rename("active epochs")

    def unique_rois(self) -> pd.Series:
        """Count the ROIs that each user visits at some time, without a dense array.

        Returns
        -------
        Series of int
            Indexed by user.
        """
        return self._n_seen(epochs=False).rename("unique ROIs")

    def summary(self) -> pd.DataFrame:
        """Summarize visits, unique ROIs and active epochs over users, as the papers print them.

        Returns
        -------
        DataFrame
            One row for each quantity; columns mean, std, median, min and max.
        """
        per_user = pd.concat([self.visits(), self.unique_rois(), self.active_epochs()], axis=1)
        return per_user.agg(["mean", "std", "median", "min", "max"]).T.rename_axis("per user")

    def recurrence(self, lag: str = "7D") -> pd.Series:
        """Compute the share of each user's visits that recur exactly `lag` later.

        A visit recurs if the user is in the same ROI in the epoch `lag` later, among the visits
        for which that epoch is in the window. A timetable has 1; someone who is never in the same
        place at that time again has 0.

        Parameters
        ----------
        lag : str
            Length of time, in pandas' notation.

        Returns
        -------
        Series of float
            Indexed by user; NaN for users without such visits.

        Raises
        ------
        ValueError
            If no epoch of the window has another one `lag` later.
        """
        later = self.epochs.get_indexer(self.epochs + times.parse_duration("lag", lag))
        now = np.flatnonzero(later >= 0)
        if not len(now):
            raise ValueError(f"lag {lag}: no epoch of the window has a later one that far away")
        first, second = self.select(epochs=now), self.select(epochs=later[now])
        repeated = first.matrix.multiply(second.matrix).sum(axis=1)
        n_visits = first.visits()
        return (pd.Series(repeated, self.users, dtype=float) / n_visits).rename("recurrence")

    # -- private ---------------------------------------------------------------------------------

    def _keys(self, epochs: bool) -> Iterator[tuple[slice, np.ndarray]]:
        """Batches of users, and their visits as keys user * n + epoch (or ROI)."""
        each, n = max(self.n_epochs, 1), self.n_epochs if epochs else self.n_rois
        indptr = self.matrix.indptr
        for users in _ranges(indptr + np.arange(self.n_users + 1) * n):
            first, last = users.start, users.stop
            cell = self.matrix.indices[indptr[first] : indptr[last]]
            user = np.repeat(np.arange(first, last), np.diff(indptr[first : last + 1]))
            yield users, user * n + (cell % each if epochs else cell // each)

    def _seen(self, epochs: bool) -> Iterator[tuple[slice, np.ndarray]]:
        """As `_keys`, without repeats."""
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
    """The matrix as CSR; ValueError unless each stored value is 1, unique, and in range."""
    try:
        found = sparse.csr_array(matrix)
    except (TypeError, ValueError):
        found = sparse.csr_array((0, 0), dtype=complex)
    if found.dtype.kind not in "biuf":
        raise ValueError(f"matrix is {format_value(matrix)}; a matrix of 0 and 1 was expected")
    if found.shape != shape:
        raise ValueError(f"matrix is {found.shape}; users, ROIs and epochs require {shape}")
    if found.nnz and not found.data.min() == 1 == found.data.max():  # NaN neither
        raise ValueError(f"traces are binary: the matrix holds {found.data[found.data != 1][0]}")
    alone = sparse.csr_array((found.data, found.indices, found.indptr), shape=shape)
    try:
        alone.check_format(full_check=True)
    except ValueError as error:
        raise ValueError(f"the matrix is not a valid CSR matrix of {shape}: {error}") from None
    if not alone.has_canonical_format:  # unsorted, or a place twice
        alone = alone.copy()
        alone.sort_indices()
        row = np.repeat(np.arange(shape[0]), np.diff(alone.indptr))
        again = np.flatnonzero((np.diff(alone.indices) == 0) & (np.diff(row) == 0))
        if len(again):
            where = int(row[again[0]]), int(alone.indices[again[0]])
            raise ValueError(f"the matrix holds (user, cell) {where} more than once")
    return found


def _ranges(work: np.ndarray) -> Iterator[slice]:
    """Ranges of users with about `_BATCH` of work each; `work` is cumulative, from 0."""
    first = 0
    while first < len(work) - 1:
        last = max(first + 1, int(np.searchsorted(work, work[first] + _BATCH)) - 1)
        yield slice(first, last)
        first = last


def _visits_at(
    matrix: sparse.csr_array, rois: np.ndarray, epochs: np.ndarray, n_rois: int, n_epochs: int
) -> sparse.csr_array:
    """The visits at chosen ROIs in chosen epochs, at a cost no higher than that of the visits."""
    if len(rois) * len(epochs) <= matrix.nnz:  # fewer cells than visits: each cell is looked up
        return matrix[:, (rois[:, None] * n_epochs + epochs).ravel()]
    which_roi, which_epoch = np.full(n_rois, -1), np.full(n_epochs, -1)
    which_roi[rois], which_epoch[epochs] = np.arange(len(rois)), np.arange(len(epochs))
    width, parts = len(rois) * len(epochs), []
    for users in _ranges(matrix.indptr):
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
    except (TypeError, ValueError, NotImplementedError):  # pandas has no half-precision floats
        raise ValueError(f"{kind}s are {format_value(ids)}; a list of ids was expected") from None
    if (position < 0).any():
        first = format_value(wanted[position < 0].tolist()[0])
        raise ValueError(f"no {kind} {first} in these traces")
    return position

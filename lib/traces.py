"""Traces: who was where, when; binary and sparse.

A trace is the paper's L^u: a 0/1 matrix of regions of interest (ROIs) by epochs. `Traces` keeps all
users' traces as one sparse matrix of users by cells, where cell = roi * n_epochs + epoch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

NULL = "null"  # the id of the ROI that stands for "seen nowhere"


class RecordError(ValueError):
    """A record that cannot be right. `row` is its position in the table, from 0."""

    def __init__(self, row: int, problem: str):
        super().__init__(f"row {row}: {problem}")
        self.row = row
        self.problem = problem


@dataclass(frozen=True)
class Report:
    """What became of every row that was read: `read == kept + sum(set_aside.values())`."""

    read: int
    kept: int
    set_aside: dict[str, int] = field(default_factory=dict)
    duplicates: int = 0  # kept rows that fell into a cell the user already had
    notes: tuple[str, ...] = ()
    checksum: str | None = None  # SHA-256 of the files that were read

    def to_frame(self) -> pd.DataFrame:
        rows = {"rows read": self.read}
        rows |= {f"set aside: {why}": n for why, n in self.set_aside.items()}
        rows |= {"rows kept": self.kept, "of these, repeats in a cell": self.duplicates}
        return pd.DataFrame({"rows": rows})


@dataclass(frozen=True)
class Grid:
    """A half-open box cut into `n_rows` x `n_columns` cells; row 0 is the southernmost."""

    south: float
    north: float
    west: float
    east: float
    n_rows: int
    n_columns: int

    def __post_init__(self) -> None:
        if not (-90 <= self.south < self.north <= 90):
            raise ValueError(
                f"grid: south={self.south}, north={self.north}: "
                "latitudes must satisfy -90 <= south < north <= 90"
            )
        if not (-180 <= self.west < self.east <= 180):
            raise ValueError(
                f"grid: west={self.west}, east={self.east}: "
                "longitudes must satisfy -180 <= west < east <= 180"
            )
        if self.n_rows < 1 or self.n_columns < 1:
            raise ValueError(f"grid: {self.n_rows} x {self.n_columns} cells: at least 1 x 1")

    @classmethod
    def around(cls, lat: pd.Series, lon: pd.Series, n_rows: int, n_columns: int) -> Grid:
        """The smallest box that holds every point, cut into cells."""
        south, north, west, east = (float(x) for x in (lat.min(), lat.max(), lon.min(), lon.max()))
        margin = 1e-9  # degrees: the box is half-open, the largest point must fall inside
        return cls(south, north + margin, west, east + margin, n_rows, n_columns)

    def locate(self, lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
        """The cell number (row * n_columns + column) of each point; -1 outside the box."""
        with np.errstate(invalid="ignore"):
            row = np.floor((lat - self.south) / (self.north - self.south) * self.n_rows)
            column = np.floor((lon - self.west) / (self.east - self.west) * self.n_columns)
            inside = (row >= 0) & (row < self.n_rows) & (column >= 0) & (column < self.n_columns)
        return np.where(inside, row * self.n_columns + column, -1).astype(np.int64)

    def rois(self) -> pd.DataFrame:
        """One row a cell, indexed by cell number, with the latitude and longitude of its centre."""
        height = (self.north - self.south) / self.n_rows
        width = (self.east - self.west) / self.n_columns
        row, column = np.divmod(np.arange(self.n_rows * self.n_columns), self.n_columns)
        centres = {
            "lat": self.south + (row + 0.5) * height,
            "lon": self.west + (column + 0.5) * width,
        }
        return pd.DataFrame(centres, index=pd.Index(np.arange(len(row)), name="roi"))


class Traces:
    """All users' traces over the same ROIs and epochs.

    matrix  CSR, (n_users, n_rois * n_epochs), every stored value 1; cell = roi * n_epochs + epoch
    users   Index of n_users unique ids
    rois    DataFrame indexed by unique ROI id, columns lat and lon in degrees (NaN if unknown)
    epochs  DatetimeIndex of epoch starts, UTC, increasing
    report  what became of the rows the traces were read from, if they were

    Raises ValueError if shapes disagree, an id repeats, or the matrix is not binary.
    """

    def __init__(
        self,
        matrix: sparse.spmatrix | sparse.sparray | np.ndarray,
        users: Iterable[Any],
        rois: pd.DataFrame,
        epochs: pd.DatetimeIndex,
        report: Report | None = None,
    ):
        self.matrix = sparse.csr_array(matrix)
        self.users = pd.Index(users, name="user")
        self.rois = rois
        self.epochs = epochs
        self.report = report
        for kind, index in (("user", self.users), ("ROI", rois.index), ("epoch", epochs)):
            if not index.is_unique:
                twice = index[index.duplicated()].tolist()[0]
                raise ValueError(f"{kind} {twice!r} appears more than once")
        if not epochs.is_monotonic_increasing:
            raise ValueError("epochs must increase")
        shape = (self.n_users, self.n_rois * self.n_epochs)
        if self.matrix.shape != shape:
            raise ValueError(f"matrix is {self.matrix.shape}; users, ROIs and epochs ask {shape}")
        if self.matrix.nnz and not (self.matrix.data == 1).all():
            wrong = self.matrix.data[self.matrix.data != 1][0]
            raise ValueError(f"traces are binary: the matrix holds {wrong}")

    @property
    def n_users(self) -> int:
        return len(self.users)

    @property
    def n_rois(self) -> int:
        return len(self.rois)

    @property
    def n_epochs(self) -> int:
        return len(self.epochs)

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
        """Traces from three aligned arrays of 0-based positions; repeats collapse to one visit."""
        index = pd.Index(users, name="user")
        n_cells = len(rois) * len(epochs)
        flat = _distinct(np.asarray(user, np.int64) * n_cells + roi * len(epochs) + epoch)
        row, cell = np.divmod(flat, max(n_cells, 1))
        indptr = np.searchsorted(row, np.arange(len(index) + 1))
        matrix = sparse.csr_array(
            (np.ones(len(flat), np.int32), cell.astype(np.int32), indptr.astype(np.int32)),
            shape=(len(index), n_cells),
        )
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
        grid: Grid | None = None,
        epoch: str = "1h",
        *,
        rois: pd.DataFrame | None = None,
        start: str | pd.Timestamp | None = None,
        end: str | pd.Timestamp | None = None,
        timezone: str = "UTC",
        null: bool = False,
    ) -> Traces:
        """Traces from any table of records, one row a sighting.

        frame     DataFrame; `user`, `time`, `roi`, `lat`, `lon` name its columns
        roi       column of place ids; or else `lat` and `lon` (degrees) with a `grid`.
                  With `roi`, `lat` and `lon` are optional and give each place its median point
        time      time stamps or text with or without an offset, or numbers: seconds since 1970 UTC.
                  Times without an offset are read in `timezone`
        epoch     length of an epoch, as pandas writes it ("1h", "30min", "1D")
        rois      the places there are, in order (DataFrame indexed by id: lat, lon);
                  by default those that occur, sorted
        start, end  the window, half-open; by default the epochs from the first to the last record
        null      adds a ROI "null" that a user visits in every epoch she is seen nowhere

        Rows with a missing value, outside the window, the grid or `rois` are set aside and counted
        in `.report`. Raises RecordError (a ValueError) naming the first row that cannot be right: a
        latitude beyond 90, an infinite coordinate, a time that does not parse; ValueError for an
        empty table, a missing column, or coordinates that look swapped.
        """
        _check_columns(frame, user, time, roi, lat, lon, grid)
        missing = frame[[c for c in (user, time, roi, lat, lon) if c]].isna().any(axis=1).to_numpy()
        row = np.flatnonzero(~missing)  # positions in the reader's table, for messages
        kept = frame.iloc[row]
        aside = {"missing value": int(missing.sum())}

        if lat and lon:
            latitude, longitude = _coordinates(kept, lat, lon, row)
            if grid is None and roi is not None and rois is None:
                by_place = pd.DataFrame({"lat": latitude, "lon": longitude, "roi": kept[roi]})
                rois = by_place.groupby("roi").median()
        if roi is not None:
            if rois is None:
                found = _ids(kept[roi], roi)
                rois = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=found)
            rois = rois.rename_axis("roi")
            roi_code = rois.index.get_indexer(pd.Index(kept[roi]))
            nowhere = "place not listed"
        else:
            assert grid is not None
            rois = grid.rois()
            roi_code = grid.locate(latitude, longitude)
            _refuse_swapped(grid, latitude, longitude, roi_code)
            nowhere = "outside the grid"

        stamps = _utc(kept[time], time, row, timezone)
        epochs = _epochs(stamps, epoch, start, end, timezone)
        epoch_code = (stamps - epochs[0]) // pd.Timedelta(epoch)
        in_window = (epoch_code >= 0) & (epoch_code < len(epochs))
        aside["outside the window"] = int((~in_window).sum())
        aside[nowhere] = int((in_window & (roi_code < 0)).sum())

        good = np.flatnonzero(in_window & (roi_code >= 0))
        if not len(good):
            counted = ", ".join(f"{n} {why}" for why, n in aside.items() if n)
            raise ValueError(f"none of the {len(frame)} rows can be used: {counted}")
        users = _ids(kept[user].iloc[good], user)
        traces = cls.from_codes(
            users.get_indexer(pd.Index(kept[user].iloc[good])),
            roi_code[good],
            np.asarray(epoch_code)[good],
            users,
            rois[["lat", "lon"]],
            epochs,
        )
        traces.report = Report(
            read=len(frame),
            kept=len(good),
            set_aside={why: n for why, n in aside.items() if n},
            duplicates=len(good) - traces.matrix.nnz,
            notes=_zone_note(kept[time], timezone),
        )
        return traces.with_null() if null else traces

    # -- choosing -------------------------------------------------------------------------------

    def select(
        self,
        users: Iterable[Any] | None = None,
        rois: Iterable[Any] | None = None,
        epochs: pd.DatetimeIndex | np.ndarray | slice | None = None,
    ) -> Traces:
        """The traces of these users, at these ROIs, in these epochs, in the order given.

        users and rois are ids; epochs are time stamps, or a slice, mask or positions.
        Raises ValueError naming an id that is not there.
        """
        matrix = self.matrix
        kept_users, kept_rois, kept_epochs = self.users, self.rois, self.epochs
        if users is not None:
            position = _positions(self.users, users, "user")
            matrix, kept_users = matrix[position], self.users[position]
        if rois is not None or epochs is not None:
            r = np.arange(self.n_rois) if rois is None else _positions(self.rois.index, rois, "ROI")
            e = self._epoch_positions(epochs)
            matrix = matrix[:, (r[:, None] * self.n_epochs + e).ravel()]
            kept_rois, kept_epochs = self.rois.iloc[r], self.epochs[e]
        return Traces(matrix, kept_users, kept_rois, kept_epochs)

    def between(self, start: str | pd.Timestamp, end: str | pd.Timestamp) -> Traces:
        """The epochs that begin in [start, end); times without a zone are UTC."""
        first, last = _stamp(start, "UTC"), _stamp(end, "UTC")
        if first >= last:
            raise ValueError(f"between: start {start} is not before end {end}")
        return self.select(epochs=np.asarray((self.epochs >= first) & (self.epochs < last)))

    def with_null(self) -> Traces:
        """The same traces with a last ROI "null", visited in each epoch a user is seen nowhere."""
        if NULL in self.rois.index:
            raise ValueError("these traces have a null ROI already")
        absent = self.active() == 0
        null = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=pd.Index([NULL]))
        rois = pd.concat([self.rois.set_axis(self.rois.index.astype(object)), null])
        matrix = sparse.hstack([self.matrix, sparse.csr_array(absent.astype(np.int32))], "csr")
        return Traces(matrix, self.users, rois.rename_axis("roi"), self.epochs, self.report)

    # -- looking --------------------------------------------------------------------------------

    def trace(self, user: Any) -> np.ndarray:
        """One user's trace, dense: int32 (n_rois, n_epochs)."""
        (position,) = _positions(self.users, [user], "user")
        return self.matrix[[position]].toarray().reshape(self.n_rois, self.n_epochs)

    def visits(self) -> pd.Series:
        """The number of visits (positive cells) of each user."""
        return pd.Series(np.diff(self.matrix.indptr), index=self.users, name="visits")

    def active(self) -> np.ndarray:
        """Each user's number of ROIs in each epoch: int32 (n_users, n_epochs)."""
        epoch = self.matrix.indices % max(self.n_epochs, 1)
        return self._count(epoch, self.n_epochs)

    def places(self) -> np.ndarray:
        """Each user's number of epochs in each ROI: int32 (n_users, n_rois)."""
        return self._count(self.matrix.indices // max(self.n_epochs, 1), self.n_rois)

    def summary(self) -> pd.DataFrame:
        """Per-user statistics as the papers print them: mean, sd, median, min, max over users."""
        per_user = pd.DataFrame(
            {
                "visits": self.visits().to_numpy(),
                "unique ROIs": (self.places() > 0).sum(axis=1),
                "active epochs": (self.active() > 0).sum(axis=1),
            }
        )
        return per_user.agg(["mean", "std", "median", "min", "max"]).T.rename_axis("per user")

    def recurrence(self, lag: str = "7D") -> pd.Series:
        """How regular each user is: the share of her visits that she repeats exactly `lag` later.

        Same ROI, same epoch `lag` later, among the visits for which that later epoch is in the
        window; NaN for a user without any. 1 is a timetable, 0 never the same place and hour again.
        """
        later = self.epochs.get_indexer(self.epochs + pd.Timedelta(lag))
        now = np.flatnonzero(later >= 0)
        if not len(now):
            raise ValueError(f"lag {lag}: no epoch of the window has a later one that far away")
        first, second = self.select(epochs=now), self.select(epochs=later[now])
        repeated = first.matrix.multiply(second.matrix).sum(axis=1)
        n_visits = first.visits()
        return (pd.Series(repeated, self.users, dtype=float) / n_visits).rename("recurrence")

    # -- inside ---------------------------------------------------------------------------------

    def _count(self, code: np.ndarray, n: int) -> np.ndarray:
        user = np.repeat(np.arange(self.n_users), np.diff(self.matrix.indptr))
        flat = np.bincount(user * n + code, minlength=self.n_users * n)
        return flat.reshape(self.n_users, n).astype(np.int32)

    def _epoch_positions(self, epochs: pd.DatetimeIndex | np.ndarray | slice | None) -> np.ndarray:
        everything = np.arange(self.n_epochs)
        if epochs is None:
            return everything
        if isinstance(epochs, pd.DatetimeIndex):
            return _positions(self.epochs, epochs, "epoch")
        return everything[epochs]


def _distinct(values: np.ndarray) -> np.ndarray:
    """The sorted distinct values; `np.unique` hashes first, which takes three times as long."""
    values = np.sort(values)
    return values[np.diff(values, prepend=-1) != 0]


def _positions(index: pd.Index, ids: Iterable[Any], kind: str) -> np.ndarray:
    if isinstance(ids, str):
        raise ValueError(f"{kind}s must be a list of ids, not the text {ids!r}")
    wanted = pd.Index(ids)
    position = index.get_indexer(wanted)
    if (position < 0).any():
        raise ValueError(f"no {kind} {wanted[position < 0].tolist()[0]!r} in these traces")
    return position


def _check_columns(
    frame: pd.DataFrame,
    user: str,
    time: str,
    roi: str | None,
    lat: str | None,
    lon: str | None,
    grid: Grid | None,
) -> None:
    if bool(lat) != bool(lon):
        raise ValueError("lat and lon go together: name both columns")
    if (roi is None) == (grid is None):
        raise ValueError("say where a record was: either roi=, or lat=, lon= and a grid=")
    if grid is not None and not lat:
        raise ValueError("a grid needs lat= and lon=")
    if not frame.columns.is_unique:
        raise ValueError(f"column {frame.columns[frame.columns.duplicated()][0]!r} appears twice")
    for column in (user, time, roi, lat, lon):
        if column and column not in frame.columns:
            raise ValueError(f"no column {column!r}; the table has {', '.join(map(str, frame))}")
    if frame.empty:
        raise ValueError("the table of records is empty")


def _ids(column: pd.Series, name: str) -> pd.Index:
    """The distinct ids, sorted. Ids of several types would silently be several users."""
    kinds = {type(x).__name__ for x in column.unique()}
    if len(kinds) > 1:
        raise ValueError(f"column {name!r} mixes {' and '.join(sorted(kinds))}: use one type of id")
    return pd.Index(np.sort(column.unique()))


def _coordinates(
    frame: pd.DataFrame, lat: str, lon: str, row: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    found = []
    for column, limit in ((lat, 90), (lon, 180)):
        degrees = pd.to_numeric(frame[column], errors="coerce").to_numpy(float)
        wrong = ~(np.abs(degrees) <= limit)  # written so that NaN is wrong too
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            value = frame[column].iloc[first]
            hint = "; are latitude and longitude swapped?" if column == lat else ""
            raise RecordError(
                int(row[first]), f"{column} is {value}; degrees from -{limit} to {limit}{hint}"
            )
        found.append(degrees)
    return found[0], found[1]


def _refuse_swapped(grid: Grid, lat: np.ndarray, lon: np.ndarray, code: np.ndarray) -> None:
    inside, swapped = (code >= 0).sum(), (grid.locate(lon, lat) >= 0).sum()
    if swapped > inside:
        raise ValueError(
            f"latitude and longitude look swapped: {inside} of {len(lat)} rows are inside the "
            f"grid, {swapped} would be with the columns exchanged"
        )


def _utc(column: pd.Series, name: str, row: np.ndarray, timezone: str) -> pd.DatetimeIndex:
    """Time stamps in UTC; RecordError names the first that does not parse or does not exist."""
    if pd.api.types.is_numeric_dtype(column):
        seconds = column.to_numpy(float)
        wrong = ~((seconds >= 0) & (seconds < 2**33))  # 1970 to 2242: milliseconds fail here
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            raise RecordError(
                int(row[first]), f"{name} is {seconds[first]:g}; seconds since 1970 were expected"
            )
        return pd.DatetimeIndex(pd.to_datetime(seconds, unit="s", utc=True))
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        return pd.DatetimeIndex(column).tz_convert("UTC")
    if pd.api.types.is_datetime64_dtype(column):
        return _localized(pd.DatetimeIndex(column), column, name, row, timezone)
    return _parsed(column, name, row, timezone)


def _parsed(column: pd.Series, name: str, row: np.ndarray, timezone: str) -> pd.DatetimeIndex:
    text = column.astype(str)
    aware = text.str.contains(r"(?:Z|UTC|[+-]\d{2}:?\d{2}(?: \d{4})?)\s*$", regex=True).to_numpy()
    if aware.any() and not aware.all():
        first = int(np.flatnonzero(aware != aware[0])[0])
        raise RecordError(
            int(row[first]),
            f"{name} is {text.iloc[first]!r}; some times have a UTC offset and some have none",
        )
    stamps = pd.to_datetime(text, utc=bool(aware.all()), errors="coerce", format="ISO8601")
    if stamps.isna().any():  # not ISO 8601 throughout: let pandas read each on its own
        stamps = pd.to_datetime(text, utc=bool(aware.all()), errors="coerce", format="mixed")
    wrong = stamps.isna().to_numpy()
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise RecordError(int(row[first]), f"{name} is {text.iloc[first]!r}, which is not a time")
    if aware.all():
        return pd.DatetimeIndex(stamps)
    return _localized(pd.DatetimeIndex(stamps), column, name, row, timezone)


def _localized(
    naive: pd.DatetimeIndex, column: pd.Series, name: str, row: np.ndarray, timezone: str
) -> pd.DatetimeIndex:
    local = naive.tz_localize(timezone, ambiguous="NaT", nonexistent="NaT")
    wrong = np.asarray(local.isna())
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise RecordError(
            int(row[first]),
            f"{name} is {column.iloc[first]}, which {timezone} skips or has twice "
            "(daylight saving); write times with their UTC offset",
        )
    return local.tz_convert("UTC")


def _zone_note(column: pd.Series, timezone: str) -> tuple[str, ...]:
    if pd.api.types.is_numeric_dtype(column) or isinstance(column.dtype, pd.DatetimeTZDtype):
        return ()
    return (f"times without a UTC offset are read in {timezone}",)


def _stamp(when: str | pd.Timestamp, timezone: str) -> pd.Timestamp:
    stamp = pd.Timestamp(when)
    return stamp.tz_localize(timezone) if stamp.tz is None else stamp


def _epochs(
    stamps: pd.DatetimeIndex,
    epoch: str,
    start: str | pd.Timestamp | None,
    end: str | pd.Timestamp | None,
    timezone: str,
) -> pd.DatetimeIndex:
    length = pd.Timedelta(epoch)
    if not length > pd.Timedelta(0):
        raise ValueError(f"epoch is {epoch!r}; a positive length such as '1h' was expected")
    if not len(stamps) and (start is None or end is None):
        raise ValueError("no record has all its values: nothing says when the window is")
    first = stamps.min().floor(length) if start is None else _stamp(start, timezone)
    last = stamps.max().floor(length) + length if end is None else _stamp(end, timezone)
    if first >= last:
        raise ValueError(f"the window is empty: start {first} is not before end {last}")
    return pd.date_range(first, last, freq=length, inclusive="left", name="epoch").tz_convert("UTC")

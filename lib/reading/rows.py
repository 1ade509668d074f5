"""From the rows of a table to visits, with an account of what became of every row.

A table may be larger than memory: it comes in chunks and is read twice. The first pass collects the
ids, the common format of the times, the window and the range of coordinates; the second computes
each row's user, cell and epoch. Repeats of a visit are counted as duplicates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd
from scipy import sparse

from lib.reading import times
from lib.reading.chunks import Ids, Medians, Visits
from lib.validation import (
    MAX_CELLS,
    RecordError,
    check_instance,
    check_integer,
    check_numbers,
    check_real,
    format_names,
    format_value,
)

Tables = Callable[[], Iterable[pd.DataFrame]]  # returns a table's chunks at each call

_MAX_CACHED = 800_000_000  # bytes of chunks that are kept for the second pass
_PAIRS = 1 << 22  # of a stay and an epoch, which are added at a time


@dataclass(frozen=True)
class Report:
    """What became of every row that was read: `read == kept + sum(set_aside.values())`.

    Attributes
    ----------
    read : int
        Rows read.
    kept : int
        Rows used.
    set_aside : dict of str to int
        Rows that were not used, by reason.
    duplicates : int
        Used rows that fell into a cell the user already had.
    notes : tuple of str
        Remarks on how the rows were read.
    checksum : str or None
        SHA-256 of the files that were read.
    """

    read: int
    kept: int
    set_aside: dict[str, int] = field(default_factory=dict)
    duplicates: int = 0  # kept rows that fell into a cell the user already had
    notes: tuple[str, ...] = ()
    checksum: str | None = None  # SHA-256 of the files that were read

    def to_frame(self) -> pd.DataFrame:
        """Return the counts as a table.

        Returns
        -------
        DataFrame
            One column, `rows`: rows read, set aside by reason, kept, and repeats.
        """
        rows = {"rows read": self.read}
        rows |= {f"set aside: {why}": n for why, n in self.set_aside.items()}
        rows |= {"rows kept": self.kept, "of these, repeats in a cell": self.duplicates}
        return pd.DataFrame({"rows": rows})


@dataclass(frozen=True)
class Grid:
    """A half-open box that is divided into `n_rows` x `n_columns` cells; row 0 is the southernmost.

    Parameters
    ----------
    south, north, west, east : float
        Sides of the box in degrees, with south < north and west < east.
    n_rows, n_columns : int
        Numbers of cells, at least 1.

    Raises
    ------
    ValueError
        If a side is out of range, or there are no cells or 2^31.
    """

    south: float
    north: float
    west: float
    east: float
    n_rows: int
    n_columns: int

    def __post_init__(self) -> None:
        for side in ("south", "north", "west", "east"):
            check_real(f"grid: {side}", getattr(self, side))
        n_rows = check_integer("grid: n_rows", self.n_rows)
        n_cells = n_rows * check_integer("grid: n_columns", self.n_columns)
        if not 1 <= n_cells < MAX_CELLS:
            raise ValueError(
                f"grid: {self.n_rows} x {self.n_columns} cells: at least 1 x 1, and below 2^31"
            )
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

    @classmethod
    def around(cls, lat: pd.Series, lon: pd.Series, n_rows: int, n_columns: int) -> Grid:
        """Create the smallest grid that holds every point.

        Parameters
        ----------
        lat, lon : Series of float
            Points in degrees.
        n_rows, n_columns : int
            Numbers of cells.

        Returns
        -------
        Grid
            The grid; its northern and eastern sides have a margin of 1e-9 degrees.
        """
        south, north, west, east = (float(x) for x in (lat.min(), lat.max(), lon.min(), lon.max()))
        margin = 1e-9  # degrees: the box is half-open, the largest point must fall inside
        return cls(south, north + margin, west, east + margin, n_rows, n_columns)

    def locate(self, lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
        """Find the cell of each point.

        Parameters
        ----------
        lat, lon : ndarray of float, shape (n,)
            Points in degrees.

        Returns
        -------
        ndarray of int64, shape (n,)
            Cell numbers, row * n_columns + column; -1 outside the box.
        """
        with np.errstate(invalid="ignore"):
            row = np.floor((lat - self.south) / (self.north - self.south) * self.n_rows)
            column = np.floor((lon - self.west) / (self.east - self.west) * self.n_columns)
            inside = (row >= 0) & (row < self.n_rows) & (column >= 0) & (column < self.n_columns)
        return np.where(inside, row * self.n_columns + column, -1).astype(np.int64)

    def rois(self) -> pd.DataFrame:
        """Return the cells as ROIs.

        Returns
        -------
        DataFrame
            Indexed by cell number: columns lat and lon of the cell's centre.
        """
        height = (self.north - self.south) / self.n_rows
        width = (self.east - self.west) / self.n_columns
        row, column = np.divmod(np.arange(self.n_rows * self.n_columns), self.n_columns)
        centres = {
            "lat": self.south + (row + 0.5) * height,
            "lon": self.west + (column + 0.5) * width,
        }
        return pd.DataFrame(centres, index=pd.Index(np.arange(len(row)), name="roi"))


class Areas(Protocol):
    """Zones that hold points, as `Grid` and `lib.datasets.places.Polygons` do."""

    def locate(self, lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
        """Find the zone of each point.

        Parameters
        ----------
        lat, lon : ndarray of float, shape (n,)
            Degrees.

        Returns
        -------
        ndarray of int, shape (n,)
            Position of the zone; -1 outside all of them.
        """

    def rois(self) -> pd.DataFrame:
        """Return the zones, indexed by id, with the columns lat and lon."""


# -- the table -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Columns:
    """The roles of columns and how they are read.

    These are the arguments of `Traces.from_records`.

    Parameters
    ----------
    user, time : str
        Names of columns.
    roi, lat, lon, until : str, optional
        Names of columns: place, degrees, end of a stay.
    grid : Areas or tuple of int, optional
        Zones into which coordinates fall.
    epoch : str, default '1h'
        Length of an epoch.
    rois : pandas.DataFrame, optional
        Places, with coordinates.
    start, end : str or Timestamp, optional
        The window, half-open.
    timezone : str, default 'UTC'
        Time zone of times without an offset.
    time_format : str, optional
        Format of the times.
    ambiguous : {'drop', 'earlier', 'later'}
        What to do with local times that occur twice.
    """

    user: str
    time: str
    roi: str | None = None
    lat: str | None = None
    lon: str | None = None
    until: str | None = None
    grid: Areas | tuple[int, int] | None = None
    epoch: str = "1h"
    rois: pd.DataFrame | None = None
    start: str | pd.Timestamp | None = None
    end: str | pd.Timestamp | None = None
    timezone: str = "UTC"
    time_format: str | None = None
    ambiguous: str = "drop"

    @property
    def used(self) -> list[str]:
        """The columns that have a role."""
        columns = self.user, self.time, self.until, self.roi, self.lat, self.lon
        return [column for column in columns if column]

    def clocks(self) -> list[times.Clock]:
        """Create a clock for the column of times and, if there is one, for the column of ends.

        Returns
        -------
        list of lib.reading.times.Clock
            One or two clocks.
        """
        columns = [self.time, self.until] if self.until else [self.time]
        options = self.timezone, self.time_format, self.ambiguous
        return [times.Clock(column, *options) for column in columns]

    def check(self) -> None:
        """Check that a table could have these columns.

        Returns
        -------
        None

        Raises
        ------
        ValueError
            If a role has no valid column, two roles share one, or options contradict one another.
        """
        for role in ("user", "time", "until", "roi", "lat", "lon"):
            name = getattr(self, role)
            absent = name is None and role not in ("user", "time")
            if not absent and not (isinstance(name, str | int) and name):
                raise ValueError(
                    f"{role} is {format_value(name)}; the name of a column was expected"
                )
        if bool(self.lat) != bool(self.lon):
            raise ValueError("lat and lon go together: name both columns in columns=")
        if (self.roi is None) == (self.grid is None):
            raise ValueError("say where a record was: either roi=, or lat=, lon= and a grid=")
        if self.grid is not None and not self.lat:
            raise ValueError("a grid needs coordinates: give lat= and lon=")
        if self.grid is not None and not hasattr(self.grid, "locate"):
            check_shape(self.grid)
        if len(set(self.used)) < len(self.used):
            twice = next(column for column in self.used if self.used.count(column) > 1)
            raise ValueError(
                f"column {twice!r} has two roles; every role needs a column of its own"
            )

    def check_in(self, frame: pd.DataFrame) -> None:
        """Check that a table has these columns.

        Parameters
        ----------
        frame : DataFrame
            The table, or a chunk of it.

        Returns
        -------
        None

        Raises
        ------
        ValueError
            If a column is missing or appears twice.
        """
        check_instance("records", frame, pd.DataFrame)
        if not frame.columns.is_unique:
            twice = frame.columns[frame.columns.duplicated()][0]
            raise ValueError(f"column {twice!r} appears twice; rename one of the two")
        for column in self.used:
            if column not in frame.columns:
                raise ValueError(
                    f"no column {format_value(column)}; one of those of the table was expected: "
                    f"{format_names(frame)}"
                )


class _Moments(NamedTuple):
    """A column of times of a chunk's complete rows."""

    code: np.ndarray  # of each row: position among the distinct times, int32
    values: pd.Series  # the distinct times
    row: np.ndarray  # row of the reader's table in which each first appears
    stamps: pd.DatetimeIndex | None = None  # of `values`, which are dropped once they are parsed

    @property
    def size(self) -> int:
        """Size in bytes."""
        stamps = 0 if self.stamps is None else self.stamps.nbytes
        return self.code.nbytes + self.row.nbytes + stamps + self.values.memory_usage(deep=True)


class _Chunk(NamedTuple):
    """The complete rows of a chunk."""

    user: np.ndarray  # its number, int32, as `place`
    place: np.ndarray | None
    point: tuple[np.ndarray, np.ndarray] | None  # latitude, longitude
    moments: list[_Moments]  # when, and until when if there is such a column
    row: np.ndarray | None = None  # of the reader's table, for stays

    @property
    def size(self) -> int:
        """Size in bytes."""
        parts = (self.user, self.place, self.row, *(self.point or ()))
        numbers = sum(part.nbytes for part in parts if part is not None)
        return numbers + sum(each.size for each in self.moments)


class Sightings(NamedTuple):
    """All users' visits, (n_users, n_rois * n_epochs), and what rows and columns stand for."""

    matrix: sparse.csr_array
    users: pd.Index
    rois: pd.DataFrame
    epochs: pd.DatetimeIndex
    report: Report


def gather(tables: Tables, columns: Columns) -> Sightings:
    """Compute the visits that a table's rows describe.

    Parameters
    ----------
    tables : callable
        Returns the table's chunks (DataFrames) at each call.
    columns : Columns
        Roles of the columns, and options.

    Returns
    -------
    Sightings
        The visits.

    Raises
    ------
    ValueError
        As `Traces.from_records`.
    """
    reading = _Reading(tables, columns)
    reading.look()
    return reading.gather()


class _Reading:
    """Two passes through a table: `look`, then `gather`."""

    def __init__(self, tables: Tables, columns: Columns):
        columns.check()
        self.tables, self.columns = tables, columns
        self.users, self.places = Ids(columns.user), Ids(columns.roi or "")
        self.clocks = columns.clocks()
        self.medians = (Medians(), Medians())  # of places, if they are those that occur
        self.box = [np.inf, -np.inf, np.inf, -np.inf]  # south, north, west, east
        self.span: list[pd.Timestamp] = []  # first and last
        self.n_read = self.n_complete = 0
        self.cached: list[_Chunk] | None = []  # None if they are too large to keep

    # first pass

    def look(self) -> None:
        """First pass: collect the ids, the format of times, the window and the range of points."""
        of, unsettled, size = self.columns, False, 0
        for chunk in self._chunks():
            self.n_complete += len(chunk.user)
            for clock, of_chunk in zip(self.clocks, chunk.moments, strict=True):
                clock.look(of_chunk.values, of_chunk.row, np.bincount(of_chunk.code))
            self._add_points(chunk, Medians.add)
            unsettled = unsettled or not all(clock.is_settled for clock in self.clocks)
            if not unsettled and (self.cached is not None or of.start is None or of.end is None):
                chunk = self._with_stamps(chunk)
            size += chunk.size if self.cached is not None else 0
            if size > _MAX_CACHED:
                self.cached = None
            if self.cached is not None:
                self.cached.append(chunk)
        if not self.n_read:
            raise ValueError(
                "the table of records is empty; one row for each sighting was expected"
            )
        if unsettled:  # the first chunks alone were ambiguous
            for clock in self.clocks:
                clock.settle()
            if self.cached is None:
                for chunk in self._chunks():
                    self._with_stamps(chunk)
            else:
                self.cached = [self._with_stamps(chunk) for chunk in self.cached]

    def _chunks(self) -> Iterator[_Chunk]:
        self.n_read = 0
        for frame in self.tables():
            self.columns.check_in(frame)
            yield self._chunk(frame)
            self.n_read += len(frame)

    def _again(self) -> Iterator[_Chunk]:
        """All chunks again; cached ones are released."""
        if self.cached is None:
            yield from self._chunks()
        while self.cached:
            yield self.cached.pop(0)

    def _chunk(self, frame: pd.DataFrame) -> _Chunk:
        of = self.columns
        missing = np.zeros(len(frame), bool)
        for column in of.used:
            missing |= frame[column].isna().to_numpy()
        if isinstance(of.grid, tuple | list):
            self._widen(frame)
        row = self.n_read + np.flatnonzero(~missing)  # in the reader's table, for messages
        kept = frame[~missing] if missing.any() else frame
        point = _coordinates(kept, of.lat, of.lon, row) if of.lat and of.lon else None
        place = None if of.roi is None else self.places.number(kept[of.roi])
        moments = [_moments(kept[clock.name], row) for clock in self.clocks]
        rows = row if of.until else None
        return _Chunk(self.users.number(kept[of.user]), place, point, moments, rows)

    def _widen(self, frame: pd.DataFrame) -> None:
        lat, lon = (
            pd.to_numeric(frame[column], errors="coerce").to_numpy(float, na_value=np.nan)
            for column in (self.columns.lat, self.columns.lon)
        )
        usable = (np.abs(lat) <= 90) & (np.abs(lon) <= 180)
        if usable.any():
            south, north, west, east = self.box
            lat, lon = lat[usable], lon[usable]
            self.box = [min(south, lat.min()), max(north, lat.max())]
            self.box += [min(west, lon.min()), max(east, lon.max())]

    def _add_points(self, chunk: _Chunk, add: Callable[..., None]) -> None:
        if chunk.place is not None and chunk.point is not None and self.columns.rois is None:
            for side, degrees in zip(self.medians, chunk.point, strict=True):
                add(side, chunk.place, degrees)

    def _with_stamps(self, chunk: _Chunk) -> _Chunk:
        """The chunk with parsed time stamps, which extend the window."""
        moments = []
        for clock, column in zip(self.clocks, chunk.moments, strict=True):
            if column.stamps is None:
                stamps = clock.read(column.values, column.row)
                self.span += [each for each in (stamps.min(), stamps.max()) if not pd.isna(each)]
                self.span = [min(self.span), max(self.span)] if self.span else []
                parsed = pd.Series(dtype=object), np.empty(0, int), stamps
                column = _Moments(column.code, *parsed)
            moments.append(column)
        return chunk._replace(moments=moments)

    # second pass

    def gather(self) -> Sightings:
        """Second pass: all users' visits, in the order of sorted ids."""
        of = self.columns
        areas = self._areas()
        rois, position = (areas.rois(), None) if areas is not None else self._places()
        edges = _edges(self.span, of.epoch, of.start, of.end, of.timezone)
        epochs = edges[:-1]
        visits = Visits(check_n_cells(len(rois), len(epochs)))
        seen = _Seen()
        for chunk in self._again():
            if areas is not None and chunk.point is not None:
                roi = areas.locate(*chunk.point)
                seen.inside += int((roi >= 0).sum())
                seen.swapped += int((areas.locate(*chunk.point[::-1]) >= 0).sum())
            else:
                assert position is not None
                roi = position[chunk.place]
            first, last, unclear = self._epochs_of(chunk, edges)
            in_window = (last >= 0) & (first < len(epochs)) & ~unclear
            seen.unclear += int(unclear.sum())
            seen.outside += int((~in_window & ~unclear).sum())
            seen.nowhere += int((in_window & (roi < 0)).sum())
            good = in_window & (roi >= 0)
            user, roi, first, last = (each[good] for each in (chunk.user, roi, first, last))
            if of.until is not None:
                first, last = np.maximum(first, 0), np.minimum(last, len(epochs) - 1)
            for row, epoch in _every_epoch(first, last):
                visits.add(user[row], roi[row] * len(epochs) + epoch)
                seen.visits += len(epoch)
            if self.medians[0].dropped_bits or self.medians[1].dropped_bits:
                self._add_points(chunk, Medians.refine)
        seen.check_order(self.n_complete)
        aside = {
            "missing value": self.n_read - self.n_complete,
            f"local time that {of.timezone} skips or repeats": seen.unclear,
            "outside the window": seen.outside,
            self._outside(): seen.nowhere,
        }
        return self._sightings(visits, seen.visits, self._at_points(rois), epochs, aside)

    def _outside(self) -> str:
        grid = self.columns.grid
        if grid is None:
            return "place not listed"
        return "outside the grid" if isinstance(grid, Grid | tuple | list) else "outside all zones"

    def _sightings(
        self,
        visits: Visits,
        n_visits: int,
        rois: pd.DataFrame,
        epochs: pd.DatetimeIndex,
        aside: dict[str, int],
    ) -> Sightings:
        n_good = self.n_read - sum(aside.values())
        if not n_good:
            counted = ", ".join(f"{n} {why}" for why, n in aside.items() if n)
            raise ValueError(
                f"none of the {self.n_read} rows can be used: {counted}; correct the options that "
                "set these rows aside"
            )
        users, order = self.users.sorted(visits.users)
        matrix = visits.matrix(order)
        aside = {why: n for why, n in aside.items() if n}
        repeats = n_visits - matrix.nnz
        notes = dict.fromkeys(note for clock in self.clocks for note in clock.notes)
        report = Report(self.n_read, n_good, aside, repeats, tuple(notes))
        return Sightings(matrix, users, rois[["lat", "lon"]], epochs, report)

    def _areas(self) -> Areas | None:
        """The given zones, or a grid around all points."""
        shape = self.columns.grid
        if not isinstance(shape, tuple | list):
            return shape
        if not np.isfinite(self.box).all():  # no row can be used, so any box will do
            return Grid(-90, 90, -180, 180, *shape)
        return Grid.around(pd.Series(self.box[:2]), pd.Series(self.box[2:]), *shape)

    def _places(self) -> tuple[pd.DataFrame, np.ndarray]:
        """The places, and the position among them of each number; -1 if not listed."""
        rois = self.columns.rois
        if rois is not None:
            rois = check_rois(rois).rename_axis("roi")
            if not rois.index.is_unique:
                twice = rois.index[rois.index.duplicated()][0]
                raise ValueError(f"rois: place {twice!r} is listed twice; list each place once")
            return rois, rois.index.get_indexer(self.places.in_order())
        found, order = self.places.sorted()
        position = np.empty(len(order), np.int64)
        position[order] = np.arange(len(order))
        nowhere = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=found.rename("roi"))
        return nowhere, position

    def _at_points(self, rois: pd.DataFrame) -> pd.DataFrame:
        """Places with the medians of their points, unless they were given."""
        if self.columns.roi is None or not self.columns.lat or self.columns.rois is not None:
            return rois
        _, order = self.places.sorted()
        lat, lon = (side.medians()[order] for side in self.medians)
        return check_rois(pd.DataFrame({"lat": lat, "lon": lon}, index=rois.index))

    def _epochs_of(
        self, chunk: _Chunk, edges: pd.DatetimeIndex
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each row's first and last epoch, which may be outside the window, and unclear times."""
        positions: list[np.ndarray] = []
        unclear = np.zeros(len(chunk.user), bool)
        stamps = [
            clock.read(column.values, column.row) if column.stamps is None else column.stamps
            for clock, column in zip(self.clocks, chunk.moments, strict=True)
        ]
        for column, at in zip(chunk.moments, stamps, strict=True):
            # an epoch that begins when a stay ends is not in it
            when = _micros(at) - (1 if positions else 0)
            where = np.searchsorted(_micros(edges), when, "right") - 1
            positions.append(where[column.code])
            unclear |= np.asarray(at.isna())[column.code]
        if chunk.row is not None:
            begin, end = (_micros(at)[c.code] for c, at in zip(chunk.moments, stamps, strict=True))
            wrong = (end < begin) & ~unclear
            if wrong.any():
                row = int(chunk.row[np.flatnonzero(wrong)[0]])
                raise RecordError(
                    row,
                    f"{self.columns.until} is before {self.columns.time}; a stay ends after it "
                    "begins: exchange time and until in columns=, or correct the row",
                )
            positions[1] = np.maximum(*positions)
        return positions[0], positions[-1], unclear


class _Seen:
    """Counts of rows, by what became of them, and of visits."""

    inside = swapped = outside = nowhere = unclear = visits = 0

    def check_order(self, n_complete: int) -> None:
        """Raise ValueError if more points would be inside with latitude and longitude exchanged."""
        if self.swapped > self.inside:
            raise ValueError(
                f"latitude and longitude look swapped: {self.inside} of {n_complete} rows are "
                f"inside the grid, {self.swapped} would be if the columns were exchanged; exchange "
                "lat and lon in columns="
            )


# -- checks and parts ------------------------------------------------------------------------------


def _moments(column: pd.Series, row: np.ndarray) -> _Moments:
    """The distinct times of a column, with each row's code and the row of each first."""
    try:
        code, _ = pd.factorize(column)
    except TypeError:  # lists and the like: the clock will reject them
        return _Moments(np.arange(len(column)), column, row)
    first = np.empty(code.max(initial=-1) + 1, np.int64)
    first[code[::-1]] = np.arange(len(code))[::-1]
    return _Moments(code.astype(np.int32), column.iloc[first], row[first])


def _micros(stamps: pd.DatetimeIndex) -> np.ndarray:
    return stamps.as_unit("us").asi8


def _every_epoch(first: np.ndarray, last: np.ndarray) -> Iterator[tuple[Any, np.ndarray]]:
    """Rows and their epochs from the first to the last, a few million pairs at a time."""
    if np.array_equal(first, last):
        yield slice(None), first
        return
    ends = np.cumsum(last - first + 1)
    begin = 0
    while begin < len(first):
        before = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + _PAIRS, "right")))
        length = (last - first + 1)[begin:end]
        row = np.repeat(np.arange(begin, end), length)
        start = np.repeat(np.cumsum(length) - length, length)
        yield row, first[row] + np.arange(len(row)) - start
        begin = end


def check_shape(grid: Any) -> None:
    """Check the numbers of rows and columns of a grid.

    Parameters
    ----------
    grid : (int, int)
        Rows and columns.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        If it is something else.
    """
    if not isinstance(grid, tuple | list) or len(grid) != 2:
        raise ValueError(f"grid is {format_value(grid)}; a Grid, or (rows, columns), was expected")
    check_integer("grid: rows", grid[0], 1)
    check_integer("grid: columns", grid[1], 1)


def check_n_cells(n_rois: int, n_epochs: int) -> int:
    """Check that 32 bits can number the cells.

    Parameters
    ----------
    n_rois, n_epochs : int
        Numbers of ROIs and epochs.

    Returns
    -------
    int
        Number of cells, n_rois * n_epochs.

    Raises
    ------
    ValueError
        If there are 2^31 cells or more.
    """
    if n_rois * n_epochs >= MAX_CELLS:
        raise ValueError(
            f"{n_rois} ROIs x {n_epochs} epochs are {n_rois * n_epochs} cells; traces hold fewer "
            "than 2^31: choose fewer places, a longer epoch= or a window with start= and end="
        )
    return n_rois * n_epochs


def check_rois(rois: pd.DataFrame) -> pd.DataFrame:
    """Check a table of places.

    Parameters
    ----------
    rois : DataFrame
        Indexed by id: columns lat and lon in degrees, NaN if unknown.

    Returns
    -------
    DataFrame
        The table, unchanged.

    Raises
    ------
    ValueError
        If it has no such columns, or a coordinate is out of range.
    """
    check_instance("rois", rois, pd.DataFrame, "indexed by id, columns lat and lon")
    if not {"lat", "lon"} <= set(rois.columns) or isinstance(rois.index, pd.MultiIndex):
        raise ValueError("rois: a DataFrame indexed by id with columns lat and lon was expected")
    for column, limit in (("lat", 90), ("lon", 180)):
        degrees = check_numbers(f"rois: {column}", rois[column])
        wrong = np.abs(degrees) > limit  # NaN is a place unknown
        if wrong.any():
            place, value = rois.index[wrong][0], degrees[wrong][0]
            raise ValueError(
                f"ROI {place!r}: {column} is {value:g}; degrees from -{limit} to {limit} were "
                "expected"
            )
    return rois


def _coordinates(
    frame: pd.DataFrame, lat: str, lon: str, row: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    found = []
    for column, limit in ((lat, 90), (lon, 180)):
        if pd.api.types.is_complex_dtype(frame[column]):
            raise ValueError(f"column {column!r} is complex; degrees were expected")
        degrees = pd.to_numeric(frame[column], errors="coerce").to_numpy(float)
        wrong = ~(np.abs(degrees) <= limit)  # written so that NaN is wrong too
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            value = frame[column].iloc[first]
            advice = _advice(value, float(degrees[first]), swapped=column == lat)
            raise RecordError(
                int(row[first]),
                f"{column} is {_number(value)}; degrees from -{limit} to {limit} were expected"
                f"{advice}",
            )
        found.append(degrees)
    return found[0], found[1]


def _number(value: Any) -> str:
    """A coordinate as it is written: 5690454, not 5690454.0."""
    whole = isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if whole else str(value)


def _advice(value: object, degrees: float, swapped: bool) -> str:
    """Likely reasons for a coordinate out of range, with the remedy for each."""
    if np.isnan(degrees):
        comma = re.fullmatch(r"\s*[+-]?\d{1,3},\d+\s*", str(value))
        written = "write a decimal point, or give decimal=','"
        return f"; {written}" if comma else ", as a number such as -9.19"
    if abs(degrees) in (999, 9999, 99999):
        return "; if the number stands for a missing value, leave the field blank"
    if np.isinf(degrees):
        return "; leave a missing value blank"
    if abs(degrees) <= 180:
        return "; if latitude and longitude are swapped, exchange lat and lon in columns="
    if abs(degrees) <= 360 and not swapped:
        return "; write longitudes above 180 as negative numbers"
    return (
        "; if this is a number of metres, give crs= (such as crs=EPSG:27700, which requires "
        "pyproj); if it is in parts of a degree, give scale= (such as scale=1e6 or scale=1e7)"
    )


def _edges(
    span: list[pd.Timestamp],
    epoch: str,
    start: str | pd.Timestamp | None,
    end: str | pd.Timestamp | None,
    timezone: str,
) -> pd.DatetimeIndex:
    """Starts of the epochs, and the end of the last; above an hour they follow local clocks."""
    length = times.parse_duration("epoch", epoch)
    if not span and (start is None or end is None):
        raise ValueError(
            "no row has all its values and a time that the clocks show exactly once, so the window "
            "is not known; give start= and end=, or ambiguous= if clocks were set back"
        )
    on_clock = length > pd.Timedelta("1h")

    def instant(name: str, given: str | pd.Timestamp | None, seen: int) -> pd.Timestamp:
        if given is not None:
            found = times.parse_instant(name, given, timezone)
            return _local(found, timezone) if on_clock else found.tz_convert("UTC")
        local = _local(span[seen], timezone)
        weeks = length % pd.Timedelta("7D") == pd.Timedelta(0)
        monday = pd.Timedelta(days=4 if weeks else 0)
        floor = (local - monday).floor(length) + monday  # 1970 began on a Thursday
        return (floor if on_clock else span[seen] - (local - floor)) + seen * length

    first, last = instant("start", start, 0), instant("end", end, 1)
    _check_window(first, last, epoch, length)
    starts = pd.date_range(first, last, freq=length, inclusive="left", name="epoch")
    edges = pd.DatetimeIndex(starts.append(starts[-1:] + length), name="epoch")
    if not on_clock:
        return edges.tz_convert("UTC")
    twice = np.full(len(edges), True)  # of two instants with the same local time, the earlier
    instants = edges.tz_localize(timezone, ambiguous=twice, nonexistent="shift_forward")
    later = np.minimum.accumulate(_micros(instants)[::-1])[::-1]  # pandas shifts a day too far
    return pd.DatetimeIndex(later.view("M8[us]"), tz="UTC", name="epoch").unique()


def _check_window(
    first: pd.Timestamp, last: pd.Timestamp, epoch: str, length: pd.Timedelta
) -> None:
    if first >= last:
        raise ValueError(
            f"the window is empty: start {first} is not before end {last}; give other start= and "
            "end="
        )
    if (last - first) / length >= MAX_CELLS:
        raise ValueError(
            f"{(last - first) / length:.3g} epochs of {epoch}: fewer than 2^31 are possible; "
            "choose a longer epoch= or a window with start= and end="
        )


def _local(when: pd.Timestamp, timezone: str) -> pd.Timestamp:
    """What the clocks of a time zone show at an instant."""
    return when.tz_convert(timezone).tz_localize(None)

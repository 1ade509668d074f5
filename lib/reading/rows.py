"""From the rows of a table to visits, with an account of what became of every row.

A table may be larger than memory: it comes in chunks and is read twice. The first pass collects the
ids, the common format of the times, the window and the range of coordinates; the second computes
each row's user, cell and epoch. Repeats of a visit are counted as duplicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

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


# -- the table -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Columns:
    """The roles of columns and how they are read: the arguments of `Traces.from_records`."""

    user: str
    time: str
    roi: str | None = None
    lat: str | None = None
    lon: str | None = None
    grid: Grid | tuple[int, int] | None = None
    epoch: str = "1h"
    rois: pd.DataFrame | None = None
    start: str | pd.Timestamp | None = None
    end: str | pd.Timestamp | None = None
    timezone: str = "UTC"
    time_format: str | None = None

    @property
    def used(self) -> list[str]:
        """The columns that have a role."""
        return [c for c in (self.user, self.time, self.roi, self.lat, self.lon) if c]

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
        for role in ("user", "time", "roi", "lat", "lon"):
            name = getattr(self, role)
            absent = name is None and role not in ("user", "time")
            if not absent and not (isinstance(name, str | int) and name):
                raise ValueError(
                    f"{role} is {format_value(name)}; the name of a column was expected"
                )
        if bool(self.lat) != bool(self.lon):
            raise ValueError("lat and lon go together: name both columns")
        if (self.roi is None) == (self.grid is None):
            raise ValueError("say where a record was: either roi=, or lat=, lon= and a grid=")
        if self.grid is not None and not self.lat:
            raise ValueError("a grid needs lat= and lon=")
        if self.grid is not None and not isinstance(self.grid, Grid):
            if not isinstance(self.grid, tuple | list) or len(self.grid) != 2:
                raise ValueError(
                    f"grid is {format_value(self.grid)}; a Grid, or (rows, columns), was expected"
                )
            (
                check_integer("grid: rows", self.grid[0], 1),
                check_integer("grid: columns", self.grid[1], 1),
            )
        if len(set(self.used)) < len(self.used):
            twice = next(column for column in self.used if self.used.count(column) > 1)
            raise ValueError(f"column {twice!r} has two roles; user, time, roi, lat and lon differ")

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
            raise ValueError(f"column {twice!r} appears twice")
        for column in self.used:
            if column not in frame.columns:
                raise ValueError(
                    f"no column {format_value(column)}; the table has {format_names(frame)}"
                )


class _Chunk(NamedTuple):
    """The complete rows of a chunk."""

    user: np.ndarray  # its number, int32, as `place`
    place: np.ndarray | None
    point: tuple[np.ndarray, np.ndarray] | None  # latitude, longitude
    time: np.ndarray  # position in `times`, int32
    times: pd.Series  # the distinct ones
    row: np.ndarray  # row of the reader's table in which each first appears
    stamps: pd.DatetimeIndex | None = None  # of `times`, which are dropped once the format is known

    @property
    def size(self) -> int:
        """Size in bytes."""
        parts = (self.user, self.place, *(self.point or ()), self.time, self.row, self.stamps)
        numbers = sum(part.nbytes for part in parts if part is not None)
        return numbers + self.times.memory_usage(deep=True)


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
        self.clock = times.Clock(columns.time, columns.timezone, columns.time_format)
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
            self.clock.look(chunk.times, chunk.row, np.bincount(chunk.time))
            self._add_points(chunk, Medians.add)
            unsettled = unsettled or not self.clock.is_settled
            if not unsettled and (self.cached is not None or of.start is None or of.end is None):
                chunk = self._with_stamps(chunk)
            size += chunk.size if self.cached is not None else 0
            if size > _MAX_CACHED:
                self.cached = None
            if self.cached is not None:
                self.cached.append(chunk)
        if not self.n_read:
            raise ValueError("the table of records is empty")
        if unsettled:  # the first chunks alone were ambiguous
            self.clock.settle()
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
        if of.grid is not None and not isinstance(of.grid, Grid):
            self._widen(frame)
        row = self.n_read + np.flatnonzero(~missing)  # in the reader's table, for messages
        kept = frame[~missing] if missing.any() else frame
        point = _coordinates(kept, of.lat, of.lon, row) if of.lat and of.lon else None
        place = None if of.roi is None else self.places.number(kept[of.roi])
        return _Chunk(
            self.users.number(kept[of.user]), place, point, *_distinct_values(kept[of.time], row)
        )

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
        if chunk.stamps is not None:
            return chunk
        stamps = self.clock.read(chunk.times, chunk.row)
        if len(stamps):
            ends = [*self.span, stamps.min(), stamps.max()]
            self.span = [min(ends), max(ends)]
        return chunk._replace(stamps=stamps, times=pd.Series(dtype=object), row=np.empty(0, int))

    # second pass

    def gather(self) -> Sightings:
        """Second pass: all users' visits, in the order of sorted ids."""
        of = self.columns
        grid = self._grid()
        rois, position = (grid.rois(), None) if grid is not None else self._places()
        epochs = _epochs(self.span, of.epoch, of.start, of.end, of.timezone)
        visits = Visits(check_n_cells(len(rois), len(epochs)))
        inside = swapped = outside = nowhere = 0
        for chunk in self._again():
            if grid is not None and chunk.point is not None:
                roi = grid.locate(*chunk.point)
                inside += (roi >= 0).sum()
                swapped += (grid.locate(*chunk.point[::-1]) >= 0).sum()
            else:
                assert position is not None
                roi = position[chunk.place]
            epoch = self._epoch(chunk, epochs)
            in_window = (epoch >= 0) & (epoch < len(epochs))
            good = in_window & (roi >= 0)
            outside += (~in_window).sum()
            nowhere += (in_window & (roi < 0)).sum()
            visits.add(chunk.user[good], roi[good] * len(epochs) + epoch[good])
            if self.medians[0].dropped_bits or self.medians[1].dropped_bits:
                self._add_points(chunk, Medians.refine)
        if swapped > inside:
            raise ValueError(
                f"latitude and longitude look swapped: {inside} of {self.n_complete} rows are "
                f"inside the grid, {swapped} would be with the columns exchanged"
            )
        aside = {
            "missing value": self.n_read - self.n_complete,
            "outside the window": int(outside),
            "outside the grid" if grid is not None else "place not listed": int(nowhere),
        }
        return self._sightings(visits, self._at_points(rois), epochs, aside)

    def _sightings(
        self, visits: Visits, rois: pd.DataFrame, epochs: pd.DatetimeIndex, aside: dict[str, int]
    ) -> Sightings:
        n_good = self.n_read - sum(aside.values())
        if not n_good:
            counted = ", ".join(f"{n} {why}" for why, n in aside.items() if n)
            raise ValueError(f"none of the {self.n_read} rows can be used: {counted}")
        users, order = self.users.sorted(visits.users)
        matrix = visits.matrix(order)
        aside = {why: n for why, n in aside.items() if n}
        repeats = n_good - matrix.nnz
        report = Report(self.n_read, n_good, aside, repeats, self.clock.notes)
        return Sightings(matrix, users, rois[["lat", "lon"]], epochs, report)

    def _grid(self) -> Grid | None:
        """The given grid, or one around all points."""
        shape = self.columns.grid
        if shape is None or isinstance(shape, Grid):
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
                raise ValueError(f"ROI {rois.index[rois.index.duplicated()][0]!r} is listed twice")
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

    def _epoch(self, chunk: _Chunk, epochs: pd.DatetimeIndex) -> np.ndarray:
        """Each row's epoch, which may be below 0 or beyond the last."""
        stamps = chunk.stamps
        if stamps is None:
            stamps = self.clock.read(chunk.times, chunk.row)
        code = (stamps - epochs[0]) // times.parse_duration("epoch", self.columns.epoch)
        return np.asarray(code)[chunk.time]


# -- checks and parts ------------------------------------------------------------------------------


def _distinct_values(
    column: pd.Series, row: np.ndarray
) -> tuple[np.ndarray, pd.Series, np.ndarray]:
    """Each row's code, the distinct values, and the row in which each first appears."""
    try:
        code, _ = pd.factorize(column)
    except TypeError:  # lists and the like: the clock will reject them
        return np.arange(len(column)), column, row
    first = np.empty(code.max(initial=-1) + 1, np.int64)
    first[code[::-1]] = np.arange(len(code))[::-1]
    return code.astype(np.int32), column.iloc[first], row[first]


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
            raise ValueError(f"ROI {place!r}: {column} is {value:g}; from -{limit} to {limit}")
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
            hint = "; are latitude and longitude swapped?" if column == lat else ""
            raise RecordError(
                int(row[first]), f"{column} is {value}; degrees from -{limit} to {limit}{hint}"
            )
        found.append(degrees)
    return found[0], found[1]


def _epochs(
    span: list[pd.Timestamp],
    epoch: str,
    start: str | pd.Timestamp | None,
    end: str | pd.Timestamp | None,
    timezone: str,
) -> pd.DatetimeIndex:
    length = times.parse_duration("epoch", epoch)
    if not span and (start is None or end is None):
        raise ValueError("no record is complete: the window is undetermined; give start= and end=")
    first = (
        span[0].floor(length) if start is None else times.parse_instant("start", start, timezone)
    )
    last = (
        span[1].floor(length) + length if end is None else times.parse_instant("end", end, timezone)
    )
    if first >= last:
        raise ValueError(f"the window is empty: start {first} is not before end {last}")
    if (last - first) / length >= MAX_CELLS:
        raise ValueError(
            f"{(last - first) / length:.3g} epochs of {epoch}: fewer than 2^31 are possible; "
            "choose a longer epoch= or a window with start= and end="
        )
    return pd.date_range(first, last, freq=length, inclusive="left", name="epoch").tz_convert("UTC")

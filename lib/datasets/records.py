"""A reader's own records: a table, a folder of tables, a pattern, or a card.

Tables are read in chunks, twice if they are long, so they may be larger than memory. A row is a
sighting, a stay (it has a second time, `until`) or a trip (it has an origin and a destination).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from lib.datasets import cards, files, places, roles, tables, trip_pairs
from lib.datasets.tables import UnreadableError, text_of
from lib.reading.rows import Areas, Columns
from lib.traces import Grid, Traces
from lib.validation import RecordError, check_instance, check_real, format_names, format_value

_LAYOUT = ("separator", "decimal", "sheet", "crs", "scale")
_OPTIONS = ("rois", "start", "end", "timezone", "time_format", "ambiguous", "null", "zones")
_TRIPS = ("ends", "pairs")
_STEP = 15  # seconds between the points of a path, as Porto's taxis have them
_FEW = 10  # rows below which a row's own user is no sign of a mistake
_ALONE = 0.9  # share of rows with a user of their own that is
_ALONE_ID = 0.3  # the same, of a column that is only called id
_LARGE_FOLDER = 50  # tables, from which on only the first is checked for carriage returns


def load_records(
    path: str | Path | None = None,
    columns: Mapping[str, Any] | Sequence[str] | None = None,
    grid: Grid | tuple[int, int] | None = None,
    epoch: str | None = None,
    **options: Any,
) -> Traces:
    """Load traces from a table with one sighting, stay or trip a row.

    Ids of users and places are text, exactly as written: 1, 01, NA and null are four ids; a blank
    is missing. What was found rather than said is in `.report.notes`.

    Parameters
    ----------
    path : str or Path
        A text table with any usual separator, also compressed; Parquet (requires pyarrow), Excel
        (openpyxl) or a GeoJSON file of points; a folder of tables, or a pattern such as
        ``walkers/*.csv``, read in the order of names; or a card (.yml) that describes one of these:
        see `lib.datasets.cards`.
    columns : mapping or list of str, optional
        Column for each role: user, time, and roi, or lat and lon, or point (WKT, GeoJSON or WKB);
        until, the end of a stay; or origin and destination of a trip (with origin_lat, origin_lon,
        destination_lat, destination_lon for coordinates); polyline, a path of points
        [[longitude, latitude], ...], one every 15 seconds. For time a list of columns is joined:
        [date, hour]. By default columns with those names or usual ones. For a table without
        names, a list: the role of each column by position, "-" for none.
    grid : Grid or (int, int), optional
        A Grid, or (rows, columns) of one around all points. Places that a column names are put
        into its cells if they have coordinates. By default (10, 10), if no column names places.
    epoch : str, optional
        Length of an epoch; by default "1h".
    **options
        rois, start, end, timezone, time_format, ambiguous, null, as in `Traces.from_records`;
        zones, a table of places or a GeoJSON file of areas (requires shapely); separator, decimal
        ("." or ",") and sheet, where they are not found; crs, the system of coordinates that are
        not degrees, such as "EPSG:27700" (requires pyproj); scale, what degrees were multiplied
        by, such as 1e6; trips, "ends" (the default: a trip counts at its origin, and again at its
        destination) or "pairs" (it counts once, when it begins, in the zone "A → B"). Arguments
        take precedence over what a card says.

    Returns
    -------
    Traces
        The traces.

    Raises
    ------
    ValueError
        If the file, a line or an option cannot be right; the message names the file, and the line
        where there is one.
    """
    if path is None:
        raise ValueError(f"records: give path=, a table ({tables.READ}), or a YAML card")
    unknown = [name for name in options if name not in (*_OPTIONS, "trips", *_LAYOUT)]
    if unknown:
        known = ("columns", "grid", "epoch", *_OPTIONS, "trips", *_LAYOUT)
        raise ValueError(
            f"records: no option {unknown[0]!r}; one of {', '.join(known)} was expected"
        )
    given = {"columns": columns, "grid": grid, "epoch": epoch, **options}
    given = {name: value for name, value in given.items() if value is not None}
    found, root = tables.expand(path)
    if not cards.is_card(found[0]):
        return _load(found, root, **given)
    card = cards.read(found[0])
    with card.errors():
        traces = _load(card.tables, card.root, **(card.options | given))
    assert traces.report is not None
    traces.report = replace(traces.report, notes=(*traces.report.notes, *card.notes))
    return traces


def check_header(
    path: str | Path, columns: Mapping[str, Any] | Sequence[str] | None = None
) -> None:
    """Check a card and the header of its table, or the header of a table, without reading rows.

    Parameters
    ----------
    path : str or Path
        As in `load_records`.
    columns : mapping or list of str, optional
        As in `load_records`.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        If the card or the header cannot be right.
    """
    found, root = tables.expand(path)
    if not cards.is_card(found[0]):
        _Table(found, root, columns)
        return
    card = cards.read(found[0])
    with card.errors():
        layout = {name: card.options[name] for name in _LAYOUT if name in card.options}
        _Table(card.tables, card.root, columns or card.options.get("columns"), **layout)


def _load(
    sources: list[Path],
    root: Path,
    columns: Any = None,
    grid: Areas | tuple[int, int] | None = None,
    epoch: str = "1h",
    null: bool = False,
    zones: str | Path | None = None,
    rois: pd.DataFrame | None = None,
    trips: str = "ends",
    **options: Any,
) -> Traces:
    layout = {name: options.pop(name) for name in _LAYOUT if name in options}
    table = _Table(sources, root, columns, **layout, time_format=options.get("time_format"))
    if trips not in _TRIPS:
        raise ValueError(f"trips is {format_value(trips)}; 'ends' or 'pairs' was expected")
    if trips == "pairs":
        table.read_pairs(given=grid is not None or zones is not None or rois is not None)
    if rois is not None:
        check_instance("rois", rois, pd.DataFrame)
        rois = rois.set_axis(rois.index.map(str))
    if zones is not None:
        grid, rois = _zones(files.find(zones), grid)
        table.notes += [grid.note] if isinstance(grid, places.Polygons) else []
    coarse = table.choose_places(grid, rois is not None)
    cells = (10, 10) if grid is None else grid
    options |= {"rois": rois} if "roi" in table.names else {"grid": cells}
    check_instance("null", null, bool, "True or False")
    with table.errors():
        read = Columns(epoch=epoch, **table.names, **options)
        traces = Traces.from_tables(table.chunks, read, null and coarse is None)
        traces = _with_centres(traces, table)
        if coarse is not None:
            traces = traces.on_grid(coarse)
            traces = traces.with_null() if null else traces
    assert traces.report is not None
    table.check_people(traces)
    notes = tuple(dict.fromkeys((*traces.report.notes, *table.notes)))
    traces.report = replace(traces.report, checksum=files.checksum(sources), notes=notes)
    return traces


def _with_centres(traces: Traces, table: _Table) -> Traces:
    """The traces with the centres of places that are cells of H3 or geohash."""
    if "roi" not in table.names or traces.rois["lat"].notna().any():
        return traces
    ids = traces.rois.index.rename(table.names["roi"])
    null = len(ids) and ids[-1] == "null"
    centres, note = places.cell_centres(ids[:-1] if null else ids)
    table.notes += [note] if note else []
    if centres is None:
        return traces
    rois = centres.reindex(traces.rois.index)
    return Traces(traces.matrix, traces.users, rois, traces.epochs, traces.report)


# -- the table -----------------------------------------------------------------------------------


class _Table:
    """One or several files with the same columns, and the role of each column."""

    def __init__(
        self,
        sources: list[Path],
        root: Path,
        columns: Any = None,
        separator: str | None = None,
        decimal: str | None = None,
        sheet: str | None = None,
        crs: str = "",
        scale: Any = None,
        time_format: str | None = None,
    ):
        self.root, self.file, self.notes = root, sources[0], list[str]()
        self.starts: list[int] = []  # the first row of each file, from 0
        self.crs, self.scale = str(crs or ""), None if scale is None else _scale(scale)
        self.time_format = time_format
        if decimal not in (None, ".", ","):
            raise ValueError(f"decimal is {format_value(decimal)}; '.' or ',' was expected")
        if self.crs and self.scale is not None:
            raise ValueError("crs and scale were given: give one of the two")
        self.tables = self._open(sources, separator, sheet)
        self.file = self.tables[0].file
        columns = self._name(columns)
        first = self.tables[0]
        from_files = len(self.tables) > 1 or isinstance(first, tables.PltTable)
        options = first.file.name, text_of, from_files, bool(self.crs)
        self.roles = roles.find(columns, first.sample, *options)
        self.scale = self.scale or self.roles.scale
        self.decimal = decimal or self._decimal()
        self.notes += [*self.roles.notes, *(n for table in self.tables for n in table.notes)]
        self._check_headers()
        self.pairs = False  # whether a trip is one row, in the zone of its origin and destination
        self._own_notes = list(self.notes)
        self.names: dict[str, Any] = self._standard_names()

    @property
    def _ends(self) -> int:
        """Number of rows that a row of the table becomes."""
        return 2 if self.roles.is_trip and not self.pairs else 1

    def read_pairs(self, given: bool) -> None:
        """Read each trip as one row; ValueError without trips, or if places are `given`."""
        of = self.roles.columns
        if "origin" not in of:
            raise ValueError(
                f"trips=pairs: {self.file.name} has no columns of the origin and the destination "
                "of a trip: name them, and both times, with columns={origin: ..., destination: "
                "..., time: ..., until: ...}"
            )
        if given:
            raise ValueError(
                "trips=pairs: the zones are pairs of the places in the columns "
                f"{of['origin']!r} and {of['destination']!r}; give no grid, zones or rois"
            )
        self.pairs, self.notes = True, list(self._own_notes)
        self.names = self._standard_names()

    def _open(
        self, sources: list[Path], separator: str | None, sheet: str | None
    ) -> list[tables.Table]:
        opened: list[tables.Table] = []
        empty = []
        for file in sources:
            if len(sources) > 1 and not file.stat().st_size:
                empty.append(file.name)
                continue
            opened.append(tables.open_table(file, separator, sheet))
            if len(opened) > 1:
                opened[-1].sample = opened[-1].sample[:1]
        if empty:
            self.notes.append(f"{len(empty)} empty files, such as {empty[0]}, are passed over")
        if not opened:
            raise ValueError(
                f"all {len(sources)} files in {self.root.name} are empty; tables were expected"
            )
        if len(sources) > 1:
            beside = {
                file for place in {each.parent for each in sources} for file in place.iterdir()
            }
            left = sorted(file.name for file in beside - set(sources) if _is_table(file))
            if left:
                self.notes.append(f"tables of other kinds are not read: {format_names(left)}")
        return opened

    def _name(self, columns: Any) -> Any:
        """Name the columns of tables without names; what is left of `columns`."""
        if isinstance(columns, list | tuple):
            return self._by_position(list(columns))
        for table in self.tables:
            if not table.named and not isinstance(table, tables.PltTable):
                line = ", ".join(str(value) for value in table.sample.iloc[0])
                listed = ", ".join(roles.by_position(table.sample, text_of))
                raise ValueError(
                    f"{table.file.name}: the first line, {format_value(line)}, looks like data, "
                    "not like names of columns. Say what each column is, from left to right, '-' "
                    f"for one that is not needed, such as columns=[{listed}]"
                )
        return columns

    def _by_position(self, listed: list[Any]) -> dict[str, Any]:
        known = (*roles.ROLES, "-")
        for role in listed:
            if role not in known:
                raise ValueError(
                    f"columns is a list, and {format_value(role)} is no role: one of "
                    f"{', '.join(known)} was expected for each column, from left to right"
                )
            if listed.count(role) > 1 and role not in ("-", "time"):
                raise ValueError(
                    f"columns: {role} is listed twice; list it once, and '-' elsewhere"
                )
        names = [
            role if role not in ("-", "time") or listed.count(role) == 1 else f"{role} {i + 1}"
            for i, role in enumerate(listed)
        ]
        for table in self.tables:
            table.name(names)
        moments = [name for name in names if name.split()[0] == "time"]
        given = {role: role for role in listed if role not in ("-", "time")}
        return given | ({"time": moments if len(moments) > 1 else "time"} if moments else {})

    def _decimal(self) -> str:
        """The decimal mark of coordinates: a comma if the first rows have it."""
        first = self.tables[0]
        if not isinstance(first, tables.TextTable):
            return "."
        sides = [side for role, side in self.roles.columns.items() if role[-3:] in ("lat", "lon")]
        values = [value for side in sides for value in text_of(first.sample, side)]
        if not any(re.fullmatch(r"[+-]?\d+,\d+", value) for value in values):
            return "."
        self.notes.append("decimal commas")
        return ","

    def _check_headers(self) -> None:
        for number, table in enumerate(self.tables):
            for column in self.roles.used:
                if column not in table.header:
                    raise ValueError(
                        f"{table.file.name}: no column {format_value(column)}, which "
                        f"{self.file.name} has; the file has {format_names(table.header)}. Give "
                        "files with the same columns, as a folder of their own or by a pattern"
                    )
            if isinstance(table, tables.TextTable) and number < _LARGE_FOLDER:
                table.check_lines()

    # what becomes of the columns

    def _standard_names(self) -> dict[str, str]:
        """The name of each role's column after `_standard`."""
        of = self.roles.columns
        names = {role: _joined_name(column) for role, column in of.items()}
        if self.roles.people_from_files:
            names["user"] = "name of the file"
            example = self._person(self.tables[0].file)
            self.notes.append(
                f"each file is a person, such as {example!r} for {self.tables[0].file.name}"
            )
        if self.pairs or self.roles.is_trip:
            names = self._trip_names(names)
        elif "until" in of:
            self.notes.append(
                f"each row is a stay from {names['time']!r} until {names['until']!r}, which counts "
                "in every epoch that it overlaps"
            )
        if "polyline" in names:
            path = names.pop("polyline")
            names |= {"lat": f"latitude of {path}", "lon": f"longitude of {path}"}
            self.notes.append(
                f"each row is a path, whose points are {_STEP} seconds apart from {of['time']!r} "
                "on: rows are counted as points"
            )
        if "point" in names:
            point = names.pop("point")
            names |= {"lat": f"latitude of {point}", "lon": f"longitude of {point}"}
        self._note_conversion(has_coordinates="lat" in names)
        return names

    def _trip_names(self, names: dict[str, str]) -> dict[str, str]:
        """The names of a trip's columns, read as a pair of places or as its two ends."""
        of = self.roles.columns
        if self.pairs:
            both = trip_pairs.join(of["origin"], of["destination"])
            self.notes.append(f"each row is a trip, which counts once, in {of['time']!r}: {both}")
            return {"user": names["user"], "time": names["time"], "roi": both}
        self.notes.append(
            f"each row is a trip, which counts twice: in {of['time']!r} at its origin, in "
            f"{of['until']!r} at its destination"
        )
        ends = {side: f"{of[a]} or {of[b]}" for side, (a, b) in roles.TRIP.items() if a in of}
        return {"user": names["user"], "time": f"{names['time']} or {names['until']}", **ends}

    def _note_conversion(self, has_coordinates: bool) -> None:
        """Note how coordinates are converted; refuse a conversion of no coordinates."""
        if (self.crs or self.scale is not None) and not has_coordinates:
            raise ValueError(
                f"{'crs' if self.crs else 'scale'}: {self.file.name} has no columns of "
                "coordinates: name them with columns={lat: ..., lon: ...}"
            )
        if self.crs:
            self.notes.append(f"coordinates are converted from {self.crs}")
        if self.scale is not None:
            self.notes.append(f"coordinates are divided by {self.scale:g}")

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Context in which an error names the file, and the line of a row."""
        try:
            yield
        except RecordError as error:
            raise ValueError(f"{self.place(error.row)}: {error.problem}") from error
        except UnreadableError:
            raise
        except ValueError as error:
            raise ValueError(f"{self.file.name}: {error}") from error

    def choose_places(self, grid: Any, listed: bool) -> Grid | tuple[int, int] | None:
        """Drop points or places that are not needed; the grid to put places into later, if any."""
        if "roi" not in self.names:
            if listed and grid is None:
                raise ValueError(
                    f"zones: {self.file.name} has points, and no column of places that could be "
                    "listed: name one with columns={roi: ...}, or give areas (GeoJSON) or a grid"
                )
            return None
        if grid is None:
            if ("lat" in self.names) != ("lon" in self.names):
                self.names = {k: v for k, v in self.names.items() if k not in ("lat", "lon")}
            return None
        if {"lat", "lon"} <= set(self.names):
            self.notes.append(f"{self.names.pop('roi')!r} is not used: points are put into zones")
            return None
        if isinstance(grid, places.Polygons):
            raise ValueError(
                f"zones: {grid.file.name} holds areas, and {self.file.name} has no points to put "
                "into them: name columns lat and lon, or give a table of zones (zone, lat, lon)"
            )
        return grid

    def check_people(self, traces: Traces) -> None:
        """Refuse a column of row numbers that was taken for the people."""
        report = traces.report
        assert report is not None
        n_rows = report.kept / self._ends
        user = self.names["user"]
        least = _ALONE if re.fullmatch("(?i)id", user) is None else _ALONE_ID
        if report.kept < _FEW or traces.n_users <= least * n_rows:
            return
        numbered = user if traces.n_users > _ALONE * n_rows else None
        others = roles.id_like(self.tables[0].sample, self.roles.used, text_of, numbered)
        if self.roles.guessed_user and others:
            listed = " and ".join(map(format_value, others))
            look = "look like ids" if len(others) > 1 else "looks like an id"
            raise ValueError(
                f"{self.file.name}: column {format_value(user)} was taken for the person, but "
                f"{n_rows:,.0f} rows have {traces.n_users:,} different ones, and {listed} "
                f"{look}, too. Say which column is the person: columns={{user: "
                f"{others[0]}}}, or columns={{user: {user}}} if they really are so many people"
            )
        if numbered is None:
            return
        self.notes.append(
            f"nearly every row has its own {user!r}: check that it is the person, not the row"
        )

    # the rows

    def chunks(self) -> Iterator[pd.DataFrame]:
        """The rows, in columns that are named as `names` says, with ids as text."""
        row = 0
        of = self.roles.columns
        ids = [of[role] for role in ("user", "roi", *roles.TRIP["roi"]) if role in of]
        numbers = [column for role, column in of.items() if role[-3:] in ("lat", "lon")]
        raw = [column for column in self.roles.used if column not in (*numbers, *ids)]
        for i, table in enumerate(self.tables):
            self.starts[i:] = self.starts[i:] or [row]
            first = 0
            for frame in table.chunks(self.roles.used, ids, raw, self.decimal):
                if self.roles.people_from_files:
                    frame = frame.assign(**{self.names["user"]: self._person(table.file)})
                if "polyline" in of:
                    first, frame = first + len(frame), self._along(frame, table, first)
                standard = self._standard(frame, row)
                yield standard
                row += len(standard)

    def _along(self, frame: pd.DataFrame, table: tables.Table, first: int) -> pd.DataFrame:
        """A row for each point of each path; a path without points has a row without a place."""
        of, paths = self.roles.columns, []
        begin = pd.to_numeric(frame[of["time"]], errors="coerce").to_numpy(float)
        for row, text in enumerate(frame[of["polyline"]]):
            moment = frame[of["time"]].iloc[row]
            found, expected = text, "a path such as [[-8.62, 41.14], ...], longitude first,"
            path = _path(text)
            if path is not None and np.isnan(begin[row]) and not pd.isna(moment):
                found, expected, path = moment, "the start of a path in seconds since 1970", None
            if path is None:
                raise UnreadableError(
                    f"{table.place(first + row)}: {format_value(found)} was found; {expected} was "
                    "expected"
                )
            paths.append(path)
        lengths = np.array([len(path) for path in paths])
        step = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        lon, lat = np.concatenate(paths).T
        points = {self.names["lat"]: lat, self.names["lon"]: lon}
        points[of["time"]] = np.repeat(begin, lengths) + _STEP * step
        longer = frame.drop(columns=of["polyline"]).iloc[np.repeat(np.arange(len(frame)), lengths)]
        return longer.reset_index(drop=True).assign(**points)

    def place(self, row: int) -> str:
        """The place of a row: the file's name, its line, and its position in the file, from 0."""
        at = bisect_right(self.starts, row) - 1
        row -= self.starts[at]
        return self.tables[at].place(row // self._ends)

    def _person(self, file: Path) -> str:
        """The name of a file's person: of the folder below the root, or of the file."""
        parts = file.relative_to(self.root).parts
        if len(parts) > 1:
            return parts[0]
        stem = Path(parts[0])
        while stem.suffix.lower() in tables.PACKED | tables.ENDINGS:
            stem = stem.with_suffix("")
        return stem.name

    def _standard(self, frame: pd.DataFrame, row: int) -> pd.DataFrame:
        of = dict(self.roles.columns)
        for moment in ("time", "until"):
            if isinstance(of.get(moment), list):
                name = _joined_name(of[moment])
                joined = _joined(frame, of[moment], self.time_format, row, self._ends)
                frame, of[moment] = frame.assign(**{name: joined}), name
        if self.pairs:
            frame = _as_pairs(frame, of, self.names, row)
        elif self.roles.is_trip:
            frame = _both_ends(frame, of, self.names)
        if "point" in of:
            x, y, crs = places.points(frame[of["point"]], row)
        elif "lat" in self.names and (self.crs or self.scale is not None):
            x, y = (
                pd.to_numeric(frame[self.names[side]], errors="coerce").to_numpy(float)
                for side in ("lon", "lat")
            )
            self._check_numbers(frame, (x, y), row)
            crs = ""
        else:
            return frame
        lat, lon = places.to_degrees(x, y, self.crs or crs, self.scale, self.file, row)
        return frame.assign(**{self.names["lat"]: lat, self.names["lon"]: lon})

    def _check_numbers(self, frame: pd.DataFrame, found: Any, row: int) -> None:
        for side, values in zip(("lon", "lat"), found, strict=True):
            wrong = np.isnan(values) & frame[self.names[side]].notna().to_numpy()
            if wrong.any():
                at = int(np.flatnonzero(wrong)[0])
                value = frame[self.names[side]].iloc[at]
                raise RecordError(
                    row + at, f"{self.names[side]} is {format_value(value)}; a number was expected"
                )


def _path(text: Any) -> np.ndarray | None:
    """Longitudes and latitudes of a path, NaN for one without points; None if it is no path."""
    try:
        path = np.array(json.loads(text) or [[np.nan, np.nan]], float).reshape(-1, 2)
    except (TypeError, ValueError):
        return None
    return None if (np.abs(path) > (180, 90)).any() else path


def _is_table(file: Path) -> bool:
    readme = file.name.lower().startswith(("readme", "license", "."))
    return tables.ending(file) in tables.ENDINGS and not readme


def _joined_name(column: Any) -> str:
    return " and ".join(column) if isinstance(column, list) else str(column)


def _scale(value: Any) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = 0.0
    if not 1 < check_real("scale", found) < 1e12:
        raise ValueError(
            f"scale is {format_value(value)}; a number such as 1e6 or 1e7 was expected"
        )
    return found


def _joined(
    frame: pd.DataFrame, columns: list[str], time_format: str | None, row: int, step: int
) -> pd.Series:
    """One text for each row: date and time of day, in one of the formats that are read."""
    parts = [frame[column] for column in columns]
    missing = np.logical_or.reduce([part.isna().to_numpy() for part in parts])
    texts: list[Any] = [part.astype(str).str.strip() for part in parts]
    date, clock = texts[0].str.replace(r"[T ]00:00(:00(\.0*)?)?$", "", regex=True), texts[1:]
    if len(texts) > 2 and date[~missing].str.fullmatch(r"\d{4}").all():
        date, clock = date.str.cat([each.str.zfill(2) for each in texts[1:3]], "-"), texts[3:]
    if time_format is not None and "%H:%M" not in time_format and "%I" not in time_format:
        return date.str.cat(clock, " ").mask(missing) if clock else date.mask(missing)
    if len(clock) == 1:
        clock = [_clock(clock[0], ~missing, columns[-1], row, step)]
    elif clock:
        clock = [clock[0].str.zfill(2).str.cat([each.str.zfill(2) for each in clock[1:]], ":")]
    iso = date[~missing].str.fullmatch(r"\d{4}-\d{2}-\d{2}|\d{8}").all()
    mark = "T" if iso and time_format is None else " "
    joined = date.str.cat(clock, mark) if clock else date
    return joined.mask(missing)


def _clock(texts: pd.Series, present: np.ndarray, column: str, row: int, step: int) -> pd.Series:
    """Times of day as HH:MM or HH:MM:SS: from 7, 7:30, 7.30, 7h30 and 7:30 PM."""
    pattern = (
        r"^(\d{1,2})(?:\.0)?(?:[:.hH](\d{2}))?(?::(\d{2}(?:\.\d+)?))?[hH]?\s*([AaPp]\.?[Mm]\.?)?$"
    )
    parts = texts.str.extract(pattern)
    hour = pd.to_numeric(parts[0]).to_numpy(float, na_value=np.nan)
    half = parts[3].str[0].str.upper()
    hour = np.where(half == "P", hour % 12 + 12, np.where(half == "A", hour % 12, hour))
    wrong = present & ~(hour < 24)
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        value = texts.iloc[at]
        expected = "an hour from 0 to 23, or a time of day such as 7:30, was expected"
        if re.fullmatch("24(:00(:00)?)?", value):
            expected += "; write the hour 24 as 0 of the next day"
        raise RecordError(row + step * at, f"{column} is {format_value(value)}; {expected}")
    whole = pd.Series(hour, index=texts.index).map("{:02.0f}".format)
    minutes = whole.str.cat(parts[1].fillna("00"), ":")
    return minutes.where(parts[2].isna(), minutes.str.cat(parts[2].fillna(""), ":"))


def _both_ends(
    frame: pd.DataFrame, of: Mapping[str, Any], names: Mapping[str, str]
) -> pd.DataFrame:
    """Two rows for each trip: its origin and its destination."""
    ends = []
    for end, moment in enumerate(("time", "until")):
        columns = {names["user"]: frame[names["user"]], names["time"]: frame[of[moment]]}
        for side, pair in roles.TRIP.items():
            if side in names:
                columns[names[side]] = frame[of[pair[end]]]
        ends.append(pd.DataFrame(columns))
    both = pd.concat(ends, ignore_index=True)
    order = np.arange(len(both)).reshape(2, -1).T.ravel()
    return both.iloc[order].reset_index(drop=True)


def _as_pairs(
    frame: pd.DataFrame, of: Mapping[str, Any], names: Mapping[str, str], row: int
) -> pd.DataFrame:
    """One row for each trip, in the zone of its origin and destination."""
    sides = [frame[of[role]] for role in roles.TRIP["roi"]]
    for side in sides:
        wrong = side.str.contains(trip_pairs.ARROW, regex=False).fillna(False).to_numpy(bool)
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            raise RecordError(
                row + at,
                f"{side.name} is {format_value(side.iloc[at])}; a place without "
                f"{trip_pairs.ARROW!r} was expected",
            )
    pair = (sides[0] + trip_pairs.ARROW + sides[1]).mask(sides[0].isna() | sides[1].isna())
    columns = {names["user"]: frame[names["user"]], names["time"]: frame[of["time"]]}
    return pd.DataFrame(columns | {names["roi"]: pair})


# -- places that are given -------------------------------------------------------------------------


def _zones(file: Path, grid: Any) -> tuple[Any, pd.DataFrame | None]:
    """Areas, or a table of places (roi, lat, lon, or usual names) as `Traces.rois`."""
    if tables.ending(file) in (".geojson", ".json"):
        if grid is not None:
            raise ValueError("zones: areas and a grid were given: give one of the two")
        return places.Polygons(file), None
    table = tables.open_table(file)
    names = {}
    for role in ("roi", "lat", "lon"):
        usual = set(roles.USUAL[role].split()) | ({"id"} if role == "roi" else set())
        known = [name for name in table.header if re.sub(r"[\W_]", "", name).lower() in usual]
        exact = [name for name in known if name == role]
        names[role] = (exact or known or [""])[0]
    if "" in names.values():
        raise ValueError(
            f"zones: {file.name} has {format_names(table.header)}; columns roi (or zone, id, ...), "
            "lat and lon were expected"
        )
    whole = pd.concat(table.chunks(list(names.values()), [names["roi"]], [], "."))
    points = {side: whole[names[side]].to_numpy() for side in ("lat", "lon")}
    return grid, pd.DataFrame(points, index=pd.Index(whole[names["roi"]]))

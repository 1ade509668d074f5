"""A reader's own records: a table (CSV, TSV, Parquet), a folder of tables, or a card.

Tables are read in chunks, twice if they are long, so they may be larger than memory.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from lib.datasets import cards, files
from lib.reading.rows import Columns
from lib.traces import Grid, Traces
from lib.validation import RecordError, check_instance, format_names, format_value

_WHERE = ("roi", "lat", "lon")
_ROLES = ("user", "time", *_WHERE)
# Other usual names of columns, in any case, used where the role's own name is absent.
_USUAL = {
    "user": "user_id userid uid person person_id device device_id id",
    "time": "timestamp datetime date_time created_at date",
    "roi": "zone zone_id place place_id cell cell_id antenna station location",
    "lat": "latitude",
    "lon": "lng long longitude",
}
_TABLES = {".csv", ".tsv", ".parquet", ".pq"}
_ROWS = 1 << 20  # of a chunk
_SMALL = 1 << 24  # bytes of a Parquet file that is read at once
_NULLABLE = {f"{u}int{n}": f"{u.upper()}Int{n}" for u in ("", "u") for n in (8, 16, 32, 64)}
_OPTIONS = ("rois", "start", "end", "timezone", "time_format", "null")
_NOT_A_NUMBER = ["", "NA", "N/A", "n/a", "<NA>", "#NA", "#N/A", "#N/A N/A", "NULL", "null", "None"]
_NOT_A_NUMBER += ["NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"]


def load_records(
    path: str | Path | None = None,
    columns: Mapping[str, str] | None = None,
    grid: Grid | tuple[int, int] | None = None,
    epoch: str | None = None,
    **options: Any,
) -> Traces:
    """Load traces from a file with a header and one sighting a line.

    Ids of users and places are text, exactly as written: 1, 01, NA and null are four ids; a blank
    is missing.

    Parameters
    ----------
    path : str or Path
        The table (.csv, .tsv, also compressed; .parquet, which requires pyarrow); a folder of
        tables with the same columns, read in the order of their names; or a card (.yml) that
        describes either: see `lib.datasets.cards`.
    columns : mapping of str to str, optional
        Column for each role: user, time, and roi or lat and lon (or all). By default the columns
        with those names or usual ones (user_id, id; timestamp; zone, place; latitude, longitude,
        ...), which `.report.notes` names.
    grid : Grid or (int, int), optional
        Without a roi column: a Grid, or (rows, columns) of one around all points; by default (10,
        10).
    epoch : str, optional
        Length of an epoch; by default "1h".
    **options
        rois, start, end, timezone, time_format, null, as in `Traces.from_records`. Arguments take
        precedence over what a card says.

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
        raise ValueError("records: path= is needed, a CSV, TSV or Parquet file, or a YAML card")
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        known = ("columns", "grid", "epoch", *_OPTIONS)
        raise ValueError(f"records: no option {unknown[0]!r}; one of {', '.join(known)}")
    given = {"columns": columns, "grid": grid, "epoch": epoch, **options}
    given = {name: value for name, value in given.items() if value is not None}
    file = files.find(path)
    if not cards.is_card(file):
        return _load_table(file, [file], **given)
    card = cards.read(file)
    with card.errors():
        if card.zones is not None:
            card.options["rois"] = _zones(card.zones)
        traces = _load_table(card.table, card.files, **(card.options | given))
    assert traces.report is not None
    traces.report = replace(traces.report, notes=(*traces.report.notes, *card.notes))
    return traces


def check_header(path: str | Path, columns: Mapping[str, str] | None = None) -> None:
    """Check a card and the header of its table, or the header of a table, without reading rows.

    Parameters
    ----------
    path : str or Path
        As in `load_records`.
    columns : mapping of str to str, optional
        As in `load_records`.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        If the card or the header cannot be right.
    """
    file = files.find(path)
    if not cards.is_card(file):
        _roles_of(_files(file), columns, _column_names)
        return
    card = cards.read(file)
    with card.errors():
        _roles_of(_files(card.table), columns or card.options.get("columns"), _column_names)


def _load_table(
    path: Path,
    sources: list[Path],
    columns: Mapping[str, str] | None = None,
    grid: Grid | tuple[int, int] = (10, 10),
    epoch: str = "1h",
    null: bool = False,
    **options: Any,
) -> Traces:
    table = _Table(path, columns)
    if options.get("rois") is not None:
        check_instance("rois", options["rois"], pd.DataFrame)
        options["rois"] = options["rois"].set_axis(options["rois"].index.map(str))
    if "roi" not in table.roles:
        options["grid"] = grid
    try:
        read = Columns(epoch=epoch, **table.roles, **options)
        traces = Traces.from_tables(table.chunks, read, null)
    except RecordError as error:
        raise ValueError(f"{table.place(error.row)}: {error.problem}") from error
    except _UnreadableError:
        raise
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
    assert traces.report is not None
    renamed = [f"{role} is column {name!r}" for role, name in table.roles.items() if role != name]
    notes = (*traces.report.notes, *([", ".join(renamed)] if renamed and not columns else []))
    read_files = [file for source in sources for file in _files(source)]
    traces.report = replace(traces.report, checksum=files.checksum(read_files), notes=notes)
    return traces


# -- the table -----------------------------------------------------------------------------------


class _UnreadableError(ValueError):
    """A file that cannot be read as a table; the message names it."""


class _Table:
    """A file, or the files of a folder in order, and the role of each column."""

    def __init__(self, path: Path, columns: Mapping[str, str] | None):
        self.files = _files(path)
        self.roles: dict[str, Any] = _roles_of(self.files, columns, _header)
        self.starts: list[int] = []  # the first row of each file, from 0

    def chunks(self) -> Iterator[pd.DataFrame]:
        """The rows, with ids as text, exactly as written."""
        row = 0
        for i, file in enumerate(self.files):
            self.starts[i:] = self.starts[i:] or [row]
            for frame in _parquet(file, self.roles) if _is_parquet(file) else self._csv(file):
                yield frame
                row += len(frame)

    def place(self, row: int) -> str:
        """The place of a row: the file's name, its line, and its position in the file, from 0."""
        at = bisect_right(self.starts, row) - 1
        file, row = self.files[at], row - self.starts[at]
        line = None if _is_parquet(file) else files.line_of_row(file, row + 1, _separator(file))
        return f"{file.name}, {f'line {line} ' if line else ''}(row {row})"

    def _csv(self, file: Path) -> Iterator[pd.DataFrame]:
        ids = [self.roles[role] for role in ("user", "roi") if role in self.roles]
        blank = {name: [""] if name in ids else _NOT_A_NUMBER for name in self.roles.values()}
        text = dict.fromkeys([*ids, self.roles["time"]], str)
        return _csv(
            file,
            dtype=text,
            na_values=blank,
            keep_default_na=False,
            low_memory=False,
            index_col=False,
        )


def _files(path: Path) -> list[Path]:
    """The file, or the tables in the folder, sorted by name."""
    if not path.is_dir():
        return [path]
    found = sorted(
        file
        for file in path.iterdir()
        if file.is_file()
        and not file.name.startswith((".", "_"))
        and {suffix.lower() for suffix in file.suffixes} & _TABLES
    )
    if not found:
        raise ValueError(f"folder {path.name!r} holds no table: {', '.join(sorted(_TABLES))}")
    return found


def _is_parquet(file: Path) -> bool:
    return file.suffix.lower() in (".parquet", ".pq")


def _header(file: Path) -> list[str]:
    """The columns' names, after checking that all lines of the file end in the same way."""
    with _reading(file):
        line = None if _is_parquet(file) else files.find_lone_return(file)
    if line is not None:
        raise ValueError(
            f"{file.name}, line {line}: a carriage return stands where other lines end in a line "
            'feed; write it in quotes ("...") if it belongs to a value'
        )
    return _column_names(file)


def _column_names(file: Path) -> list[str]:
    """The columns' names, without reading anything else of the file."""
    if _is_parquet(file):
        return _parquet_header(file)
    first = next(_csv(file, header=None, nrows=1, dtype=str, keep_default_na=False))
    names = first.iloc[0].tolist()
    for name in names:
        if name and names.count(name) > 1:
            raise ValueError(
                f"{file.name}, line 1: {names.count(name)} columns are named {format_value(name)}"
            )
    return names


@contextmanager
def _reading(file: Path) -> Iterator[None]:
    """Context in which an error names the file that cannot be read as a table."""
    try:
        with warnings.catch_warnings():  # a line longer than the header is only warned of
            warnings.simplefilter("error", pd.errors.ParserWarning)
            yield
    except (*files.READ_ERRORS, pd.errors.ParserWarning) as error:
        raise _UnreadableError(f"{file.name} cannot be read as a table: {error}") from error


def _separator(file: Path) -> str:
    return "\t" if ".tsv" in file.name.lower() else ","


def _csv(file: Path, **options: Any) -> Iterator[pd.DataFrame]:
    options |= {"sep": _separator(file), "skip_blank_lines": False, "chunksize": _ROWS}
    with _reading(file):
        chunks = pd.read_csv(file, **options)
    with chunks:
        while True:
            with _reading(file):
                frame = next(chunks, None)
            if frame is None:
                return
            yield frame


def _parquet_header(file: Path) -> list[str]:
    if find_spec("pyarrow") is None:
        raise ValueError(
            f"{file.name}: Parquet is read only where pyarrow is installed (pip install pyarrow); "
            "or write the table as CSV"
        )
    with _reading(file):
        if file.stat().st_size <= _SMALL:
            return [str(column) for column in pd.read_parquet(file).columns]
        return import_module("pyarrow.parquet").read_schema(file).names


def _parquet(file: Path, roles: Mapping[str, str]) -> Iterator[pd.DataFrame]:
    """The columns that have a role, with ids as text."""
    chunks = _parquet_chunks(file, list(roles.values()))
    while True:
        with _reading(file):
            frame = next(chunks, None)
        if frame is None:
            return
        for column in (roles[role] for role in ("user", "roi") if role in roles):
            if pd.api.types.is_float_dtype(frame[column]):
                raise _UnreadableError(
                    f"{file.name}: column {column!r} holds floats, which are not ids"
                )
            frame[column] = frame[column].astype("string").astype(object)
        yield frame


def _nullable_type(kind: Any) -> Any:
    """pandas' nullable type for an Arrow integer type; None for Arrow's default."""
    return pd.api.types.pandas_dtype(_NULLABLE[str(kind)]) if str(kind) in _NULLABLE else None


def _parquet_chunks(file: Path, columns: list[str]) -> Iterator[pd.DataFrame]:
    if file.stat().st_size <= _SMALL:
        yield pd.read_parquet(file, columns=columns, dtype_backend="numpy_nullable")
        return
    with import_module("pyarrow.parquet").ParquetFile(file) as table:
        for batch in table.iter_batches(_ROWS, columns=columns):
            yield batch.to_pandas(types_mapper=_nullable_type)


def _zones(file: Path) -> pd.DataFrame:
    """A table of zones (roi, lat, lon, or usual names) as `Traces.rois`."""
    header = _header(file)
    names = {role: _usual_column(role, header, file) for role in _WHERE}
    names["roi"] = names["roi"] or ("id" if "id" in header else None)
    if None in names.values():
        raise ValueError(f"{file.name} has {format_names(header)}; roi, lat and lon were expected")
    text = {names["roi"]: str}
    table = pd.concat(_csv(file, dtype=text, keep_default_na=False, index_col=False))
    return pd.DataFrame(
        {side: table[names[side]].to_numpy() for side in ("lat", "lon")},
        index=pd.Index(table[names["roi"]]),
    )


# -- roles of columns ------------------------------------------------------------------------


def _roles_of(
    tables: list[Path], columns: Mapping[str, str] | None, header_of: Callable[[Path], list[str]]
) -> dict[str, str]:
    """The column of each role, which must be the same in all tables."""
    roles: dict[str, str] = {}
    for file in tables:
        header = header_of(file)
        roles = roles or _roles(columns, header, file)
        for column in roles.values():
            if column not in header:
                raise ValueError(
                    f"{file.name}: no column {format_value(column)}, which {tables[0].name} has; "
                    f"the file has {format_names(header)}"
                )
    return roles


def _roles(columns: Mapping[str, str] | None, header: list[str], file: Path) -> dict[str, str]:
    if columns is not None:
        check_instance("columns", columns, Mapping, "{user: ..., time: ..., lat: ..., lon: ...}")
    roles = dict(columns or {})
    for role, column in roles.items():
        if role not in _ROLES:
            raise ValueError(f"columns: no role {format_value(role)}; one of {', '.join(_ROLES)}")
        if column not in header:
            raise ValueError(
                f"columns: no column {format_value(column)}; {file.name} has {format_names(header)}"
            )
    for role in _missing_roles(roles, header):
        found = _usual_column(role, header, file)
        if role not in roles and found is not None:
            roles[role] = found
    missing = [role for role in ("user", "time") if role not in roles]
    if "roi" not in roles and not {"lat", "lon"} <= set(roles):
        missing.append("roi (or lat and lon)")
    if missing:
        raise ValueError(
            f"{file.name}: columns does not say which column is {', '.join(missing)}; "
            f"the file has {format_names(header)}. For instance: "
            "columns={user: id, time: when, lat: y, lon: x}"
        )
    if not columns and ("lat" in roles) != ("lon" in roles):  # one of a pair, beside a place
        roles = {role: column for role, column in roles.items() if role not in ("lat", "lon")}
    return roles


def _missing_roles(roles: Mapping[str, str], header: list[str]) -> list[str]:
    """The roles to look for; places only if `columns` does not say where a record was."""
    if set(roles) & set(_WHERE):
        return ["user", "time"]
    exact = [role for role in _WHERE if role in header]
    complete = "roi" in exact or {"lat", "lon"} <= set(exact)
    return ["user", "time", *(exact if complete else _WHERE)]


def _usual_column(role: str, header: list[str], file: Path) -> str | None:
    if role in header:
        return role
    names = (role, *_USUAL[role].split())
    found = [column for column in header if column.strip().lower() in names]
    if len(found) > 1:
        raise ValueError(
            f"{file.name}: columns {' and '.join(map(format_value, found))} may each be {role}: "
            "say which with columns="
        )
    return found[0] if found else None

"""Tables in files: how a file is packed, what separates its columns, and where its names stand.

Everything is found in the first lines; what was found and is not the usual is in `Table.notes`.
"""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.io.common import get_handle  # type: ignore[import-not-found]

from lib.datasets import files
from lib.datasets.roles import is_usual
from lib.validation import format_value

PACKED = {".gz", ".bz2", ".xz", ".zip", ".zst", ".tar"}
TEXT = {".csv", ".tsv", ".txt", ".dat", ".tab", ".psv", ".plt"}
PARQUET, EXCEL, POINTS = {".parquet", ".pq", ".geoparquet"}, {".xlsx", ".xlsm"}, {".geojson"}
ENDINGS = TEXT | PARQUET | EXCEL | POINTS
READ = "CSV and other text tables (also .gz, .bz2, .xz, .zip, .zst), Parquet, Excel, GeoJSON points"
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", r"\s+": "spaces"}
_OGR = "ogr2ogr -f CSV out.csv {file} -lco GEOMETRY=AS_WKT"
_PANDAS = "in Python, pandas.read_{kind}('{file}').to_csv('out.csv', index=False)"
_CONVERT = {
    **dict.fromkeys(
        (".npy", ".npz"),
        "in Python, pandas.DataFrame(numpy.load('{file}')).to_csv('out.csv', index=False)",
    ),
    **dict.fromkeys((".shp", ".gpkg", ".kml", ".kmz", ".gml", ".fgb", ".gpx", ".tab"), _OGR),
    **{f".{kind}": _PANDAS.replace("{kind}", kind) for kind in ("json", "feather", "pickle")},
    **dict.fromkeys(
        (".jsonl", ".ndjson"),
        "in Python, pandas.read_json('{file}', lines=True).to_csv('out.csv', index=False)",
    ),
    **dict.fromkeys((".dta", ".sav", ".sas7bdat"), "export it as CSV, for instance with pandas"),
    **dict.fromkeys((".xls", ".ods", ".numbers"), "save the sheet as CSV or .xlsx"),
    **dict.fromkeys((".db", ".sqlite", ".sqlite3"), "sqlite3 -csv -header {file} 'SELECT ...'"),
    **dict.fromkeys((".rds", ".rda", ".rdata"), "in R, write.csv(readRDS('{file}'), 'out.csv')"),
    ".pkl": _PANDAS.replace("{kind}", "pickle"),
    **dict.fromkeys((".h5", ".hdf5"), _PANDAS.replace("{kind}", "hdf")),
    **dict.fromkeys((".mat", ".nc"), "export it as CSV from the program that wrote it"),
    ".orc": _PANDAS.replace("{kind}", "orc"),
    **dict.fromkeys((".html", ".htm", ".xml", ".pdf", ".docx"), "save its table as CSV"),
    **dict.fromkeys((".tgz", ".7z", ".rar"), "unpack it and give the file or folder in it"),
}
del _CONVERT[".tab"]
NOT_READ = set(_CONVERT)  # endings of files that the reader has to convert
_ROWS = 1 << 20  # of a chunk
_HEAD = 1 << 18  # bytes from which the layout is found
_SAMPLE = 1000  # rows that are looked at
_PREAMBLE = 20  # lines before the names, at most
_SMALL = 1 << 24  # bytes of a Parquet file that is read at once
_NULLABLE = {f"{u}int{n}": f"{u.upper()}Int{n}" for u in ("", "u") for n in (8, 16, 32, 64)}
_NOT_A_NUMBER = ["", "NA", "N/A", "n/a", "<NA>", "#NA", "#N/A", "#N/A N/A", "NULL", "null", "None"]
_NOT_A_NUMBER += ["NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"]
_VALUE = re.compile(r"[+-]?\d+([.,]\d+)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?|POINT ?\(.*")
_MAGIC = {
    b"\x1f\x8b": "packed with gzip; end its name in .gz",
    b"PK\x03\x04": "packed with zip, or an Excel file; end its name in .zip or .xlsx",
    b"BZh": "packed with bzip2; end its name in .bz2",
    b"\xfd7zXZ": "packed with xz; end its name in .xz",
    b"\x28\xb5\x2f\xfd": "packed with zstd; end its name in .zst",
    b"PAR1": "a Parquet file; end its name in .parquet",
    b"\xd0\xcf\x11\xe0": "an old Excel file; save it as .xlsx",
}


class UnreadableError(ValueError):
    """A file that cannot be read as a table; the message names it."""


def ending(file: Path) -> str:
    """Return a file's ending in lower case, without those of packing.

    Parameters
    ----------
    file : Path
        A file.

    Returns
    -------
    str
        Such as ".csv"; empty if there is none.
    """
    suffixes = [suffix.lower() for suffix in file.suffixes]
    while suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def open_table(file: Path, separator: str | None = None, sheet: str | None = None) -> Table:
    """Open a table and find its layout; nothing but the first lines is read.

    Parameters
    ----------
    file : Path
        The file.
    separator : str, optional
        What separates columns of a text table; by default it is found.
    sheet : str, optional
        Name of an Excel sheet; by default the only one.

    Returns
    -------
    Table
        The table.

    Raises
    ------
    ValueError
        If it is not a file that is read; the message says how to convert it.
    """
    kind = ending(file)
    if kind == ".json" and _is_geojson(file):
        kind = ".geojson"
    if kind in _CONVERT:
        how = _CONVERT[kind].format(file=file.name)
        raise ValueError(f"{file.name}: files ending in {kind} are not read. Convert it: {how}")
    if separator is not None and separator not in SEPARATORS and separator != " ":
        raise ValueError(
            f"separator is {format_value(separator)}; one of {' '.join(map(repr, SEPARATORS))} "
            "was expected"
        )
    if sheet is not None and kind not in EXCEL:
        raise ValueError(
            f"sheet is {format_value(sheet)}, but {file.name} is no Excel file: leave sheet= out"
        )
    with reading(file):
        if kind == ".plt":
            return PltTable(file, ",")
        if kind in PARQUET:
            return ParquetTable(file)
        if kind in EXCEL:
            return ExcelTable(file, sheet)
        if kind in POINTS:
            return PointTable(file)
        return TextTable(file, separator)


@contextmanager
def reading(file: Path) -> Iterator[None]:
    """Context in which an error names the file that cannot be read as a table.

    Parameters
    ----------
    file : Path
        The file.

    Yields
    ------
    None
    """
    try:
        with warnings.catch_warnings():  # a line longer than the header is only warned of
            warnings.simplefilter("error", pd.errors.ParserWarning)
            yield
    except UnreadableError:
        raise
    except (*files.READ_ERRORS, pd.errors.ParserWarning) as error:
        raise UnreadableError(
            f"{file.name} cannot be read as a table: {_problem(error, file)}"
        ) from error


def _problem(error: Exception, file: Path) -> str:
    """What is wrong with a file, and what to do, in place of a library's message."""
    text = str(error)
    if isinstance(error, UnicodeError):
        convert = f"iconv -f ISO-8859-1 -t UTF-8 {file.name} > utf8.csv"
        return f"{text}. Save it as UTF-8: {convert}"
    if "Multiple files found in" in text:
        return f"{text.strip().rstrip('.')}. Unpack it and give the folder"
    if re.search(
        "Not a gzipped file|not a zip file|Invalid data stream|format not supported", text
    ):
        return f"it is not packed as its name says ({text}). Correct the ending of its name"
    if "Excel file format" in text or "not a zip file" in text:
        return "it is no Excel file, although its name ends like one. Correct the ending"
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON: {text}"
    if found := re.search("EOF inside string starting at row ([0-9]+)", text):
        return f"a quotation mark that opens near row {found[1]} is never closed. Correct that row"
    return text


class Table:
    """A table in a file.

    Attributes
    ----------
    file : Path
        The file.
    header : list of str
        Names of the columns; numbers from 1 where the file has no names.
    sample : DataFrame of str
        The first rows, "" where a value is missing.
    notes : list of str
        What was found that the reader should know.
    named : bool
        Whether the file names its columns.
    """

    def __init__(self, file: Path):
        self.file = file
        self.header: list[str] = []
        self.sample = pd.DataFrame()
        self.notes: list[str] = []
        self.named = True

    def name(self, columns: list[str]) -> None:
        """Give the columns names, by position.

        Parameters
        ----------
        columns : list of str
            As many names as there are columns.

        Returns
        -------
        None

        Raises
        ------
        ValueError
            If there are more or fewer.
        """
        if len(columns) != len(self.header):
            first = ", ".join(self.sample.iloc[0]) if len(self.sample) else ""
            raise ValueError(
                f"columns names {len(columns)} columns; {self.file.name} has {len(self.header)}, "
                f"such as {format_value(first)}: write '-' for a column that is not needed"
            )
        if self.named:
            self.notes.append(f"{self.file.name}: columns are named by their position")
        self.header, self.named = list(columns), False
        self.sample.columns = pd.Index(columns)

    def chunks(
        self, columns: list[str], ids: list[str], raw: list[str], decimal: str
    ) -> Iterator[pd.DataFrame]:
        """Read the rows, a part of the table at a time.

        Parameters
        ----------
        columns : list of str
            Columns that are needed.
        ids : list of str
            Those of ids, which become text, exactly as written.
        raw : list of str
            Those of times and points, which stay as they are: text in a text table.
        decimal : str
            The decimal mark of numbers.

        Yields
        ------
        DataFrame
            At least the columns that are needed.
        """
        raise NotImplementedError

    def place(self, row: int) -> str:
        """Describe where a row stands in the file.

        Parameters
        ----------
        row : int
            Number of the row, from 0.

        Returns
        -------
        str
            Such as "visits.csv, line 3 (row 1)".
        """
        return f"{self.file.name}, (row {row})"


# -- text -----------------------------------------------------------------------------------------


class TextTable(Table):
    """Lines of values with a separator between them.

    Parameters
    ----------
    file : Path
        The file.
    separator : str, optional
        The separator; found in the first lines if not given.
    """

    def __init__(self, file: Path, separator: str | None):
        super().__init__(file)
        raw, text = _head(file)
        self.encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
        self.skip = 0  # lines before the names, or before the first row
        if not text.strip():
            raise UnreadableError(f"{file.name} cannot be read as a table: it is empty")
        first, _, rest = text.partition("\n")
        if marked := re.fullmatch(r"sep=([,;|\t])\s*", first):  # Excel's first line
            separator, text, self.skip = separator or marked[1], rest, 1
        elif separator is None and ".tsv" in file.name.lower() and "\t" in first:
            separator = "\t"
        self.separator, rows = _separated(text, r"\s+" if separator == " " else separator)
        while len(rows) > 1 and self.skip < _PREAMBLE and _is_preamble(rows, self.separator):
            self.skip += 1
            del rows[0]
        if self.skip:
            what = "1 line" if self.skip == 1 else f"{self.skip} lines"
            self.notes.append(f"{file.name}: {what} before the names skipped")
        if self.separator not in (",", "\t"):
            self.notes.append(f"{file.name}: {SEPARATORS[self.separator]} separate columns")
        self._set_names([[value.strip() for value in rows[0]], *rows[1:]], rows[0])

    def _set_names(self, rows: list[list[str]], first: list[str]) -> None:
        usual = any(is_usual(name) for name in rows[0])
        self.named = usual or not any(_VALUE.fullmatch(value) for value in rows[0])
        self.header = list(first) if self.named else [str(i + 1) for i in range(len(rows[0]))]
        self._lines_of_names = int(self.named)
        body = rows[self._lines_of_names :]
        width = len(self.header)
        longer = [row for row in body if len(row) > width]
        self.trailing = len(longer) > len(body) / 2 and all(
            len(row) == width + 1 and not row[-1] for row in longer
        )
        filled = [(row + [""] * width)[:width] for row in body[:_SAMPLE] if row]
        self.sample = pd.DataFrame(filled, columns=self.header, dtype=object)
        for name in self.header:
            if name and self.header.count(name) > 1:
                raise UnreadableError(
                    f"{self.file.name}, line {self.skip + 1}: {self.header.count(name)} columns "
                    f"are named {format_value(name)}; rename them or give a list of roles, "
                    "columns=[user, time, ...]"
                )

    def check_lines(self) -> None:
        """Check that all lines of the file end in the same way.

        Returns
        -------
        None

        Raises
        ------
        ValueError
            Naming the line that does not.
        """
        if self.encoding != "utf-8":
            return
        with reading(self.file):
            line = files.find_lone_return(self.file)
        if line is not None:
            raise UnreadableError(
                f"{self.file.name}, line {line}: a carriage return stands where other lines end "
                'in a line feed; write it in quotes ("...") if it belongs to a value'
            )

    def chunks(
        self, columns: list[str], ids: list[str], raw: list[str], decimal: str
    ) -> Iterator[pd.DataFrame]:
        """Read the rows as `Table.chunks` says; unneeded columns are read too, to check lines."""
        text = [*ids, *raw]
        blank = {name: [""] if name in ids else _NOT_A_NUMBER for name in columns}
        options: dict[str, Any] = {"skiprows": self.skip}
        if not self.named or self.trailing:
            names = [*self.header, "(blank)"] if self.trailing else self.header
            unique = [name if self.header.count(name) == 1 else i for i, name in enumerate(names)]
            options |= {"header": None, "names": unique}
            options["skiprows"] += self._lines_of_names
        with reading(self.file):
            chunks = pd.read_csv(
                self.file,
                sep=self.separator,
                decimal=decimal,
                encoding=self.encoding,
                dtype=dict.fromkeys(text, str),
                na_values=blank,
                keep_default_na=False,
                low_memory=False,
                index_col=False,
                skip_blank_lines=False,
                chunksize=_ROWS,
                **options,
            )
        with chunks:
            while True:
                try:
                    with reading(self.file):
                        frame = next(chunks, None)
                except UnreadableError as error:
                    self.check_widths()
                    raise error
                if frame is None:
                    return
                yield frame

    def check_widths(self) -> None:
        """Check that no line has more values than there are columns.

        Returns
        -------
        None

        Raises
        ------
        ValueError
            Naming the line that has.
        """
        if self.separator == r"\s+":
            return
        width = len(self.header) + self.trailing
        found = files.find_long_row(self.file, self.separator, self.encoding, self.skip, width)
        if found is not None:
            line, n = found
            raise UnreadableError(
                f"{self.file.name}, line {line}: {n} values in a table of {width} columns; write a "
                'value that contains the separator in quotes ("...")'
            )

    def place(self, row: int) -> str:
        """Describe where a row stands, as `Table.place` says."""
        before = self.skip + self._lines_of_names
        mark = " " if self.separator == r"\s+" else self.separator
        line = files.line_of_row(self.file, row + before, mark, self.encoding)
        return f"{self.file.name}, {f'line {line} ' if line else ''}(row {row})"


class PltTable(TextTable):
    """A trajectory as GeoLife has it: six lines, then latitude, longitude, ..., date and time."""

    _NAMES = ("lat", "lon", "zero", "altitude", "days", "date", "clock")

    def _set_names(self, rows: list[list[str]], first: list[str]) -> None:
        self.skip, self._lines_of_names, self.named, self.trailing = 6, 0, False, False
        self.header = list(self._NAMES)
        body = [row for row in rows if len(row) == len(self.header)]
        self.sample = pd.DataFrame(body, columns=self.header, dtype=object)
        self.notes = ["each .plt file is a trajectory of GeoLife, whose times are GMT"]


def expand(path: str | Path) -> tuple[list[Path], Path]:
    """List the tables that a path names, and the folder they are in.

    Parameters
    ----------
    path : str or Path
        A file; a folder, whose tables are taken (or, if it has none, those of its subfolders); or
        a pattern such as ``walkers/*.csv``.

    Returns
    -------
    files : list of Path
        The tables, sorted by name.
    root : Path
        The folder, for names of people that are those of files.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If a folder holds no table.
    """
    if isinstance(path, str | Path) and set("*?[") & set(str(path)):
        given = Path(path).expanduser()
        fixed = [part for part in given.parts if not set("*?[") & set(part)]
        root = Path(*given.parts[: next(i for i, p in enumerate(given.parts) if p not in fixed)])
        found = sorted(file for file in root.glob(str(given.relative_to(root))) if file.is_file())
        if not found and not given.exists():
            raise FileNotFoundError(
                f"no file matches {str(path)!r}; check the pattern and the folder it begins in"
            )
        if found:
            return found, root
    file = files.find(path)
    if not file.is_dir():
        return [file], file.parent
    for everywhere in (False, True):
        inside = sorted(file.rglob("*") if everywhere else file.iterdir())
        inside = [
            each for each in inside if each.is_file() and not each.name.startswith((".", "_"))
        ]
        for kinds in (ENDINGS - {".txt", ".dat"}, {".txt", ".dat"}):
            if found := [each for each in inside if ending(each) in kinds]:
                return found, file
    raise ValueError(
        f"folder {file.name!r} holds no table; files that end in one of "
        f"{', '.join(sorted(ENDINGS))} (possibly packed) were expected"
    )


def _is_geojson(file: Path) -> bool:
    try:
        return '"FeatureCollection"' in _head(file)[1][:2000]
    except UnreadableError:
        return False


def _head(file: Path) -> tuple[bytes, str]:
    """The first bytes of a file, and whole lines of text in them."""
    with get_handle(file, "rb", compression="infer", is_text=False) as opened:
        stream: Any = opened.handle
        raw = stream.read(_HEAD)
    for magic, what in _MAGIC.items():
        if raw.startswith(magic):
            raise UnreadableError(f"{file.name} cannot be read as a table: it is {what}")
    utf16 = raw[:2] in (b"\xff\xfe", b"\xfe\xff")
    if b"\0" in raw and not utf16:
        raise UnreadableError(
            f"{file.name} cannot be read as a table: it is not text. Convert it to one of these: "
            f"{READ}"
        )
    whole = len(raw) < _HEAD
    encoding = "utf-16" if utf16 else "utf-8-sig"
    text = raw.decode(encoding) if whole else raw.decode(encoding, "ignore")
    if not whole and "\n" in text:
        text = text[: text.rindex("\n") + 1]
    return raw, text


def _separated(text: str, separator: str | None) -> tuple[str, list[list[str]]]:
    """What separates the columns, and the first rows; a comma if nothing speaks for another."""
    best, chosen = (-1, 0), (",", _rows(text, ","))
    for mark in [separator] if separator else SEPARATORS:
        rows = _rows(text, mark)
        if separator:
            return mark, rows
        widths = Counter(len(row) for row in rows if row)
        width, n = widths.most_common(1)[0]
        usual = sum(is_usual(name) for row in rows[:_PREAMBLE] for name in row)
        if mark == r"\s+" and best > (-1, 0):
            continue  # a space may belong to a time
        if width > 1 and n >= 0.8 * sum(widths.values()) and (usual, width) > best:
            best, chosen = (usual, width), (mark, rows)
    return chosen


def _rows(text: str, separator: str) -> list[list[str]]:
    lines = io.StringIO(text, newline="")
    if separator == r"\s+":
        return [line.split() for line in lines][: _SAMPLE + _PREAMBLE]
    rows = []
    try:
        for row in csv.reader(lines, delimiter=separator):
            rows.append(row)
            if len(rows) >= _SAMPLE + _PREAMBLE:
                break
    except csv.Error:
        pass
    return rows or [[""]]


def _is_preamble(rows: list[list[str]], separator: str) -> bool:
    """Whether the first line is blank, a comment or a title, rather than names or a row."""
    first, second = rows[:2]
    if not any(value.strip() for value in first):
        return True
    if first[0].startswith("#") and len(first) != len(second):
        return True
    widths = Counter(len(row) for row in rows[1:])
    return len(first) == 1 and widths.most_common(1)[0][0] > 1


# -- Parquet, Excel, GeoJSON -----------------------------------------------------------------------


def check_installed(package: str, file: Path, what: str) -> None:
    """Check that an optional package is installed.

    Parameters
    ----------
    package : str
        Its name.
    file : Path
        The file that needs it.
    what : str
        What it is needed for.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        If it is not; the message says how to install it.
    """
    if find_spec(package) is None:
        raise UnreadableError(
            f"{file.name}: {what} only where {package} is installed (pip install {package}); "
            "or write the table as CSV"
        )


def as_ids(values: pd.Series, file: Path) -> pd.Series:
    """Write ids as text.

    Parameters
    ----------
    values : Series
        Ids of any type.
    file : Path
        The file they are from, for messages.

    Returns
    -------
    Series of object
        Text, and missing values.

    Raises
    ------
    ValueError
        If they are floats, of which several ids may have become one.
    """
    if pd.api.types.is_float_dtype(values):
        raise UnreadableError(
            f"{file.name}: column {values.name!r} holds floats, which are not ids; write them as "
            "integers or text"
        )
    return values.astype("string").astype(object)


class ParquetTable(Table):
    """A Parquet file; a named index counts as a column.

    Parameters
    ----------
    file : Path
        The file.
    """

    def __init__(self, file: Path):
        super().__init__(file)
        check_installed("pyarrow", file, "Parquet is read")
        self._small = file.stat().st_size <= _SMALL
        first = next(self._frames(None), pd.DataFrame())
        self.header = [str(column) for column in first.columns]
        self.sample = first.head(_SAMPLE).set_axis(self.header, axis=1)

    def chunks(
        self, columns: list[str], ids: list[str], raw: list[str], decimal: str
    ) -> Iterator[pd.DataFrame]:
        """Read the rows as `Table.chunks` says."""
        frames = self._frames(columns)
        while True:
            with reading(self.file):
                frame = next(frames, None)
            if frame is None:
                return
            for column in ids:
                frame[column] = as_ids(frame[column], self.file)
            yield frame

    def _frames(self, columns: list[str] | None) -> Iterator[pd.DataFrame]:
        if self._small:
            whole = pd.read_parquet(self.file, dtype_backend="numpy_nullable")
            yield whole.reset_index() if any(whole.index.names) else whole
            return
        with import_module("pyarrow.parquet").ParquetFile(self.file) as table:
            for batch in table.iter_batches(_ROWS if columns else _SAMPLE, columns=columns):
                frame = batch.to_pandas(types_mapper=_nullable_type)
                yield frame.reset_index() if any(frame.index.names) else frame


def _nullable_type(kind: Any) -> Any:
    """pandas' nullable type for an Arrow integer type; None for Arrow's default."""
    return pd.api.types.pandas_dtype(_NULLABLE[str(kind)]) if str(kind) in _NULLABLE else None


class _WholeTable(Table):
    """A table that is read at once."""

    def __init__(self, file: Path):
        super().__init__(file)
        self.frame = pd.DataFrame()

    def _set(self, frame: pd.DataFrame) -> None:
        self.frame = frame
        self.header = [str(column) for column in frame.columns]
        self.sample = frame.head(_SAMPLE).set_axis(self.header, axis=1)

    def chunks(
        self, columns: list[str], ids: list[str], raw: list[str], decimal: str
    ) -> Iterator[pd.DataFrame]:
        """Read the rows as `Table.chunks` says."""
        frame = self.frame.set_axis(self.header, axis=1)[columns]
        yield frame.assign(**{column: frame[column].map(_written) for column in [*ids, *raw]})


class ExcelTable(_WholeTable):
    """A sheet of an Excel file, whose first row has the names.

    Parameters
    ----------
    file : Path
        The file.
    sheet : str, optional
        Name of the sheet; needed if there are several.
    """

    def __init__(self, file: Path, sheet: str | None):
        super().__init__(file)
        check_installed("openpyxl", file, "Excel files are read")
        with pd.ExcelFile(file) as book:
            names = [str(name) for name in book.sheet_names]
            if sheet is None and len(names) > 1:
                raise UnreadableError(
                    f"{file.name} has the sheets {', '.join(names)}: say which with sheet="
                )
            if sheet is not None and sheet not in names:
                raise UnreadableError(
                    f"sheet is {format_value(sheet)}; one of the sheets of {file.name} was "
                    f"expected: {', '.join(names)}"
                )
            self._set(pd.read_excel(book, sheet or names[0], dtype=object, na_values=[""]))

    def place(self, row: int) -> str:
        """Describe where a row stands, as `Table.place` says."""
        return f"{self.file.name}, row {row + 2} of the sheet (row {row})"


def _written(value: Any) -> Any:
    """An id or a time of a cell as text; a whole number has no decimals."""
    if value is None or value != value:
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


class PointTable(_WholeTable):
    """A GeoJSON file of points: their properties, and the column geometry.

    Parameters
    ----------
    file : Path
        The file.
    """

    def __init__(self, file: Path):
        super().__init__(file)
        with get_handle(file, "r", encoding="utf-8", compression="infer") as opened:
            content = json.load(opened.handle)
        features = content.get("features") if isinstance(content, dict) else None
        if not isinstance(features, list) or not features:
            raise UnreadableError(
                f"{file.name} holds no GeoJSON features; a FeatureCollection of points was expected"
            )
        rows = [
            {**(each.get("properties") or {}), "geometry": json.dumps(each.get("geometry"))}
            for each in features
        ]
        self._set(pd.DataFrame(rows, dtype=object))
        self.sample = self.sample.map(lambda value: "" if value is None else str(value))

    def place(self, row: int) -> str:
        """Describe where a row stands, as `Table.place` says."""
        return f"{self.file.name}, feature {row + 1} (row {row})"


def text_of(sample: pd.DataFrame, column: str) -> list[str]:
    """Return the values of a column of a sample as text, without those that are missing.

    Parameters
    ----------
    sample : DataFrame
        First rows of a table.
    column : str
        A column.

    Returns
    -------
    list of str
        Stripped values.
    """
    values = sample[column].tolist()
    kept = [value for value in values if isinstance(value, bytes) or not _missing(value)]
    return [value.hex() if isinstance(value, bytes) else str(value).strip() for value in kept]


def _missing(value: Any) -> bool:
    return value is None or value is pd.NA or value != value or (np.isscalar(value) and value == "")

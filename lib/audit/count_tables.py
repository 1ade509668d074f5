"""Read tables of published counts: long or wide, with totals and suppressed counts.

A long table has a line for each count; a wide one has a column for each zone, or for each time.
Columns are found by their names or named by the reader. The label `total` (or All, Overall, Sum)
stands for a total. Suppressed counts are blank or marked; `<10` and `1-9` bound them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from lib.audit.inputs import find_file
from lib.audit.small_counts import TOTAL, Counts
from lib.datasets import files, tables
from lib.execution import yaml_text
from lib.execution.yaml_text import YamlError
from lib.validation import format_names, format_value

MAX_COUNT = 1_000_000_000
MAX_TABLE = 5_000_000  # cells
_MAX_DECIMALS = 6
ROLES = ("zone", "origin", "destination", "time", "count")
_SYNONYMS = {
    "zone": "roi place cell zone_id zoneid grid_id station area region location county district"
    " name site sensor municipality city lsoa msoa geoid tract gemeinde kreis ort comune commune",
    "origin": "origen from origin_id start_zone pulocationid home",
    "destination": "destino to destination_id end_zone dolocationid work",
    "time": "epoch period timestamp datetime date_time year month week",
    "date": "fecha day",
    "hour": "periodo hour_of_day time_of_day",
    "start": "started_at start_time from_time pickup_datetime",
    "end": "ended_at finished_at end_time to_time dropoff_datetime",
    "count": "n counts users people persons visitors total_count value viajes trips flow flows",
}
_USER_LIKE = (
    *("user", "user_id", "userid", "uid", "device_id", "person_id", "vehicle_id", "taxi_id"),
    *("bike_id", "bikeid", "ride_id", "trip_id", "card_id"),
)
_WORDS = (
    r"(sub)?totals?|totale|totaal|totaux|sum|all|overall|everywhere|everything|everybody|gesamt"
    r"|insgesamt|summe|alle|ensemble|tous|toutes|tutti|todos|todas|\u03a3"
)
_OF = (
    r"zones?|places?|areas?|regions?|districts?|counties|cells?|stations?|sites?|sensors?|times?"
    r"|hours?|days?|weeks?|months?|years?|periods?|dates?|people|persons|users|city|country|county"
    r"|state|general|gesamt|zonen"
)
_TOTALS = re.compile(  # all, total, grand total, city total, all zones, total (all)
    rf"_?((grand|{_OF}) )?({_WORDS})( ?[(]?({_WORDS}|{_OF})[)]?)?:?|(both|all) sexes", re.I
)
_HIDDEN = re.compile(
    r"|\*+|x+|n\.?/?a\.?|<na>|nan|null|none|-+|\u2013|\u2014|\.+|:|#+|\u2026|c|s|d|"
    r"[(\[](c|s|d|x|z|u|w|low)[)\]]|\.+c|not (available|disclosed|shown|published)|"
    r"suppressed|hidden|confidential|withheld|redacted|masked|missing|unavailable",
    re.I,
)
_NEGATIVE = (
    "If it stands for a suppressed count, write * instead. Counts with noise have no small counts "
    "to look for: audit the records with their release"
)
_NOT_A_COUNT = "Write the number without marks, or * if the count is suppressed"
_NUMBER = r"[0-9][0-9.,' \u00a0\u202f]*"
_BELOW = re.compile(
    rf"(<=|<|\u2264|under|below|fewer than|less than|lt|up to|at most)\s*({_NUMBER})"
    r"\s*(\*|people|persons|users|visitors)?",
    re.I,
)
_UP_TO = ("<=", "\u2264", "up to", "at most")
_ABOVE = re.compile(rf"(>=|>|\u2265)\s*({_NUMBER})|({_NUMBER})\s*\+")
_RANGE = re.compile(rf"({_NUMBER}?)\s*(?:-|\u2013|\u2014|to)\s*({_NUMBER})", re.I)


class Table(NamedTuple):
    """A table of counts with the names of its axes.

    Parameters
    ----------
    counts : Counts
        The counts.
    axes : tuple of str
        Names of the axes, such as zone and time.
    notes : tuple of str
        How the table was read.
    checksum : str
        Of the file.
    """

    counts: Counts
    axes: tuple[str, ...]
    notes: tuple[str, ...]
    checksum: str


def read_table(
    name: str, columns: str | None = None, sheet: str | None = None, fewer: bool = False
) -> Table:
    """Read counts from a file.

    Parameters
    ----------
    name : str
        A table with a header line; the separator is found.
    columns : str, optional
        A mapping in YAML from zone, origin, destination, time and count to a column or to a list
        of columns. Several columns of time are joined; several of zone are axes of their own.
    sheet : str, optional
        Name of the sheet, if the file is an Excel file with several.
    fewer : bool
        Whether `columns` may name columns of zones and times that the table lacks, because its
        counts are totals over them.

    Returns
    -------
    Table
        The counts.

    Raises
    ------
    ValueError
        Naming the file, the place and what would be right.
    """
    file = find_file(name)
    text, found = _read_text(file, sheet)
    roles = _Roles(file, list(text.columns), _parse_columns(columns), fewer)
    long = _to_long(text, roles, file)
    numbers = _Numbers(file, long["count"], long["line"], roles.wide)
    used = [roles.count, *roles.wide, *(each for names in roles.keys.values() for each in names)]
    free = [each for each in roles.header if each not in used]
    counts = _to_counts(long, roles.axes, numbers, file, free)
    found += [*roles.notes, *_note_totals(long, roles.axes), *numbers.notes]
    return Table(counts, roles.axes, tuple(found), files.checksum([file]))


def _note_totals(long: pd.DataFrame, axes: Sequence[str]) -> list[str]:
    """Which labels are read as totals, where they have another name."""
    found = {
        axis: [each for each in long[axis].unique() if _TOTALS.fullmatch(each)] for axis in axes
    }
    return [
        f"{axis} {format_names(labels)} is read as the total"
        for axis, labels in found.items()
        if labels and labels != ["total"]
    ]


def _read_text(file: Path, sheet: str | None) -> tuple[pd.DataFrame, list[str]]:
    """All fields as text, with a column for the number of the line; and what was found."""
    table = tables.open_table(file, sheet=sheet)
    if isinstance(table, tables.TextTable):
        read = _read_lines(table)
    else:
        read = pd.concat(table.chunks(table.header, table.header, [], ".")).fillna("")
        read = read.astype(str).reset_index(drop=True)
        read["\0line"] = np.arange(len(read)) + 2
    read.columns = [str(each).strip().removeprefix("\ufeff") for each in read.columns]
    read = read.apply(lambda each: each.str.strip() if each.name != "\0line" else each)
    filled = read.drop(columns="\0line").ne("").to_numpy()
    footnote = (filled.sum(axis=1) == 1) & filled[:, 0] & (filled.shape[1] > 2)
    notes = list(table.notes)
    if footnote.any():
        first = read["\0line"].iloc[int(np.flatnonzero(footnote)[0])]
        notes.append(f"lines with text in the first column only are skipped, such as line {first}")
    read = read[filled.any(axis=1) & ~footnote]
    if not len(read):
        raise ValueError(f"{file.name} holds no count; one line per zone and time was expected")
    return read, notes


def _read_lines(table: tables.TextTable) -> pd.DataFrame:
    options: dict[str, Any] = {"dtype": str, "keep_default_na": False, "skip_blank_lines": False}
    table.check_widths()
    with tables.reading(table.file):
        read = pd.read_csv(
            table.file,
            sep=table.separator,
            index_col=False,
            skiprows=table.skip,
            encoding=table.encoding,
            **options,
        )
    read["\0line"] = np.arange(len(read)) + table.skip + 2
    return read


# -- columns ---------------------------------------------------------------------------------------


def _parse_columns(text: str | None) -> dict[str, list[str]]:
    if text is None:
        return {}
    try:
        given = yaml_text.read(text)
    except YamlError as error:
        raise ValueError(f"--columns is {format_value(text)}: {error.problem}") from None
    if not isinstance(given, Mapping) or not given or not set(given) <= set(ROLES):
        raise ValueError(
            f"--columns is {format_value(text)}; with --counts a mapping such as '{{zone: station, "
            f"time: [date, hour], count: n}}' was expected, with {', '.join(ROLES)}"
        )
    listed = {k: v if isinstance(v, list) else [v] for k, v in given.items()}
    return {role: [str(each) for each in names] for role, names in listed.items()}


class _Roles:
    """Which columns hold zones, times and counts.

    Parameters
    ----------
    file : Path
        The file, for messages.
    header : list of str
        Names of its columns.
    given : mapping of str to list of str
        What the reader named.
    fewer : bool
        Whether columns of zones and times may be absent.

    Attributes
    ----------
    axes : tuple of str
        Names of the axes.
    keys : dict of str to list of str
        Columns of each axis that has columns.
    count : str or None
        The column of counts; None in a wide table.
    wide : list of str
        Columns that hold counts of a wide table.
    notes : list of str
        What was found.
    """

    def __init__(
        self, file: Path, header: list[str], given: Mapping[str, list[str]], fewer: bool = False
    ):
        self.file, self.given = file, given
        self.header = [each for each in header if each != "\0line"]
        for role, names in given.items():
            for name in names:
                if name not in self.header and not (fewer and role in ("zone", "time")):
                    raise ValueError(
                        f"{file.name}: --columns names {format_value(name)} as {role}; the file "
                        f"has {format_names(self.header)}"
                    )
        self.notes: list[str] = []
        self.keys = self._zones() | self._times()
        self.count = self._count()
        self.wide: list[str] = []
        if self.count is None:
            self._find_wide()
        self.axes = tuple(sorted(self.keys, key=lambda axis: axis == "time"))

    def _named(self, role: str) -> list[str]:
        names = (role, *_SYNONYMS.get(role, "").split())
        return [each for each in self.header if each.lower().replace(" ", "_") in names]

    def _one(self, role: str, names: list[str]) -> list[str]:
        both = f", or all: '{{{role}: [{', '.join(names)}]}}'" if role in ("zone", "time") else ""
        if len(names) > 1:
            raise ValueError(
                f"{self.file.name}: several columns for {role}: {format_names(names)}; say which, "
                f"as in --columns '{{{role}: {names[0]}}}'{both}"
            )
        return names

    def _zones(self) -> dict[str, list[str]]:
        if "zone" in self.given:
            names = [each for each in self.given["zone"] if each in self.header]
            alone = len(self.given["zone"]) == 1
            return {"zone" if alone else each: [each] for each in names}
        pair = {
            role: self.given.get(role) or self._named(role) for role in ("origin", "destination")
        }
        if all(pair.values()):
            return {role: self._one(role, names) for role, names in pair.items()}
        found = self._one("zone", self._named("zone"))
        return {"zone": found} if found else {}

    def _times(self) -> dict[str, list[str]]:
        if "time" in self.given:
            names = [each for each in self.given["time"] if each in self.header]
            return {"time": names} if names else {}
        taken = {each for names in self.given.values() for each in names}
        named = {
            role: [each for each in self._named(role) if each not in taken]
            for role in ("time", "date", "hour", "start", "end")
        }
        if named["date"] and (named["hour"] or named["time"]):
            names = [*named["date"], *(named["hour"] or named["time"])]
        elif named["start"] and named["end"]:
            names = [*named["start"], *named["end"]]
        else:
            names = self._one("time", [each for names in named.values() for each in names])
        if len(names) > 2:
            self._one("time", names)
        if len(names) == 2:
            self.notes.append(f"the time of a count is {names[0]} and {names[1]} together")
        return {"time": names} if names else {}

    def _count(self) -> str | None:
        taken = {each for names in self.keys.values() for each in names}
        if "count" in self.given:
            return self._one("count", self.given["count"])[0]
        names = self._one("count", [each for each in self._named("count") if each not in taken])
        return names[0] if names else None

    def _find_wide(self) -> None:
        taken = {each for names in self.keys.values() for each in names}
        rest = [each for each in self.header if each not in taken]
        people = [each for each in self.header if each.lower() in _USER_LIKE]
        if len(rest) == 1 and "zone" in self.keys and not people:
            self.count = rest[0]
            self.notes.append(f"counts are in the column {rest[0]}")
            return
        absent = [axis for axis in ("zone", "time") if axis not in self.keys]
        if "destination" in self.keys:
            absent = [axis for axis in absent if axis != "zone"]
        if people or len(absent) != 1 or len(rest) < 2:
            raise ValueError(
                f"{self.file.name}: no column for {'count' if len(absent) < 2 else 'zone'}; the "
                f"file has {format_names(self.header)}. "
                + (
                    f"{people[0]} looks like one line for each visit: give such records without "
                    "--counts, with --release"
                    if people
                    else "Name columns as in --columns '{zone: station, time: date, count: n}'"
                )
            )
        self.wide, self.keys[absent[0]] = rest, []
        self.notes.append(f"each column from {rest[0]} on is a {absent[0]}")


def _to_long(text: pd.DataFrame, roles: _Roles, file: Path) -> pd.DataFrame:
    """One row for each count: a column for each axis, count and line."""
    lines = text["\0line"].to_numpy()
    keys = {axis: _joined(text, names) for axis, names in roles.keys.items() if names}
    if not roles.wide:
        long = pd.DataFrame(keys | {"count": text[roles.count], "line": lines})
    else:
        (axis,) = (axis for axis, names in roles.keys.items() if not names)
        parts = [
            pd.DataFrame(keys | {axis: name, "count": text[name], "line": lines})
            for name in roles.wide
        ]
        long = pd.concat(parts)
    long = long.reset_index(drop=True)
    for axis in roles.axes:
        labels = long[axis]
        blank = np.flatnonzero(labels == "")
        if len(blank):
            raise ValueError(
                f"{file.name}, line {long['line'][blank[0]]}: {axis} is blank; fill it in, or "
                "leave the line out"
            )
    return long


def _joined(text: pd.DataFrame, names: Sequence[str]) -> pd.Series:
    """The labels of an axis; those of several columns are joined, unless all are totals."""
    if len(names) == 1:
        return text[names[0]]
    joined, total = text[names[0]], text[names[0]].str.fullmatch(_TOTALS)
    for name in names[1:]:
        joined, total = joined + " " + text[name], total & text[name].str.fullmatch(_TOTALS)
    return joined.str.strip().where(~total, "total")


def _to_counts(
    long: pd.DataFrame, axes: tuple[str, ...], numbers: _Numbers, file: Path, free: Sequence[str]
) -> Counts:
    codes, labels = [], []
    for axis in axes:
        total = long[axis].str.fullmatch(_TOTALS).to_numpy(bool)
        names: Any
        code, names = pd.factorize(np.asarray(long[axis].where(~total), object))
        codes.append(np.where(total, TOTAL, code))
        labels.append([str(name) for name in names.tolist()])
    if not all(labels):
        raise ValueError(
            f"{file.name} holds no count of a zone at a time; a line for each zone and time was "
            "expected beside the totals"
        )
    if math.prod(len(each) + 1 for each in labels) > MAX_TABLE:
        sizes = " x ".join(f"{len(each)} {axis}s" for each, axis in zip(labels, axes, strict=True))
        raise ValueError(f"{file.name}: {sizes}; at most {MAX_TABLE:,} cells were expected")
    table = np.stack(codes, axis=1)
    twice = np.flatnonzero(pd.DataFrame(table).duplicated())
    if len(twice):
        row = long.loc[twice[0]]
        example = f"[{axes[0]}, sex]" if "zone" in axes else free[0] if free else "station"
        where = " at ".join(format_value(row[axis]) for axis in axes)
        raise ValueError(
            f"{file.name}, line {row['line']}: {axes[0]} {where} was given already. If another "
            f"column tells such lines apart, add it as in --columns '{{zone: {example}}}'"
        )
    return Counts(labels, table, numbers.low, numbers.high, numbers.hidden, numbers.scale)


# -- numbers ---------------------------------------------------------------------------------------


class _Numbers:
    """Counts and bounds as they are written.

    Parameters
    ----------
    file : Path
        The file, for messages.
    texts, lines : Series
        Counts as text, and their lines.
    wide : list of str
        Columns of a wide table, for messages.

    Attributes
    ----------
    low, high, hidden : ndarray
        As `Counts` has them.
    scale : int
        All counts times this are whole numbers.
    notes : list of str
        How numbers were read.
    """

    def __init__(self, file: Path, texts: pd.Series, lines: pd.Series, wide: Sequence[str]):
        self.decimal = _decimal_mark(texts)
        self.scale = 1
        self.notes: list[str] = []
        code, unique = pd.factorize(texts)
        read = []
        for number, text in enumerate(unique):
            try:
                read.append(self._read(str(text)))
            except ValueError:
                row = int(np.flatnonzero(code == number)[0])
                column = f", column {wide[row * len(wide) // len(texts)]}" if wide else ""
                raise ValueError(
                    f"{file.name}, line {lines[row]}{column}: count {format_value(text)}; a number "
                    "from 0 was expected, or blank, *, <10 or 1-9 if it is suppressed. "
                    + (_NEGATIVE if re.match("-[0-9]", str(text)) else _NOT_A_COUNT)
                ) from None
        bounds = np.array(read, float).reshape(-1, 3)[code]
        self.low, self.high, self.hidden = bounds[:, 0], bounds[:, 1], bounds[:, 2] > 0
        self._note(texts)

    def _read(self, text: str) -> tuple[float, float, bool]:
        """Smallest value, largest value, and whether the count is suppressed."""
        if _HIDDEN.fullmatch(text):
            return 0, np.inf, True
        if found := _BELOW.fullmatch(text):
            most = self._number(found[2])
            step = 0 if found[1].lower() in _UP_TO else 1
            if most - step < 0:
                raise ValueError
            return 0, most - step, True
        if found := _ABOVE.fullmatch(text):
            least = self._number(found[2] or found[3])
            return least + (found[1] == ">"), np.inf, True
        if (found := _RANGE.fullmatch(text)) and found[1]:
            ends = self._number(found[1]), self._number(found[2])
            if ends[0] > ends[1]:
                raise ValueError
            return *ends, True
        value = self._number(text)
        return value, value, False

    def _number(self, text: str) -> float:
        """A number with separators of thousands."""
        text = re.sub(r"(?<=[0-9])['\u00a0\u202f ](?=[0-9]{3})", "", text.strip())
        thousands = "," if self.decimal == "." else "."
        if not re.fullmatch(
            rf"[0-9]{{1,3}}(\{thousands}[0-9]{{3}})*(\{self.decimal}[0-9]+)?|"
            rf"[0-9]{{1,10}}(\{self.decimal}[0-9]+)?",
            text,
        ):
            raise ValueError
        whole, _, fraction = text.replace(thousands, "").partition(self.decimal)
        fraction = fraction.rstrip("0")
        if len(fraction) > _MAX_DECIMALS or int(whole) > MAX_COUNT:
            raise ValueError
        self.scale = max(self.scale, 10 ** len(fraction))
        return float(f"{whole}.{fraction or 0}")

    def _note(self, texts: pd.Series) -> None:
        if self.scale > 1:
            example = texts[texts.str.fullmatch(rf"[0-9]+\{self.decimal}[0-9]*[1-9]0*")].iloc[:1]
            self.notes.append(
                "counts have decimals, so they are weighted or estimated and not numbers of people"
                + "".join(
                    f"; {each!r} is read as a number below {_above(each, self.decimal)}"
                    for each in example
                )
            )


def _above(text: str, decimal: str) -> int:
    return int(text.partition(decimal)[0]) + 1


def _decimal_mark(texts: pd.Series) -> str:
    """The decimal mark: a comma where some count can only be read so, otherwise a point."""
    unique = pd.Series(texts.unique())
    comma = unique.str.fullmatch(r"[0-9]+,([0-9]{1,2}|[0-9]{4,})|[0-9.]*\.[0-9]{3},[0-9]+")
    points = unique.str.fullmatch(r"[0-9]{1,3}(\.[0-9]{3}){2,}(,[0-9]+)?")
    return "," if comma.any() or points.any() else "."

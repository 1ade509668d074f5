"""Unambiguous parsing of times: one format for a whole column, or an error.

A column is ISO 8601, or seconds since 1970, or one of a few formats that cannot be mistaken. Days
and months in figures are read if all rows together leave one order; everything else requires
`time_format=`: "ISO8601", "seconds", "milliseconds", or a pattern such as "%d/%m/%Y %H:%M".

Local times that a clock change repeats or skips become NaT, unless `ambiguous=` chooses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from lib.validation import RecordError, format_value

PLAUSIBLE = (1e8, 2.0**33)  # seconds: 1973 to 2242; a date written 20130304, or milliseconds, fail
_UNITS = {"seconds": 1, "milliseconds": 1000}
_OFFSET = r"\s*(?:Z|z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)"
_CLOCK = r"[0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2}(?:\.[0-9]+)?)?)?"
_DATE = r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}(?=T))"
_ISO = re.compile(rf"{_DATE}(?:[T ]{_CLOCK}({_OFFSET})?)?")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
_FIGURES = re.compile(
    r"([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4})"
    r"(?: ([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?))?"
)
_NAMED = {  # unambiguous formats, and the pattern of their texts
    "%a %b %d %H:%M:%S %z %Y": r"[A-Z]\w\w [A-Z]\w\w [0-9]+ [0-9:]{8} [+-][0-9]{4} [0-9]{4}",
    "%a, %d %b %Y %H:%M:%S %z": r"[A-Z]\w\w, [0-9]+ [A-Z]\w\w [0-9]{4} [0-9:]{8} [+-][0-9]{4}",
    "%a, %d %b %Y %H:%M:%S GMT": r"[A-Z]\w\w, [0-9]+ [A-Z]\w\w [0-9]{4} [0-9:]{8} GMT",
    "%d %b %Y %H:%M:%S": r"[0-9]{1,2} [A-Z]\w\w [0-9]{4} [0-9]+:[0-9]{2}:[0-9]{2}",
    "%d %b %Y %H:%M": r"[0-9]{1,2} [A-Z]\w\w [0-9]{4} [0-9]+:[0-9]{2}",
    "%d %b %Y": r"[0-9]{1,2} [A-Z]\w\w [0-9]{4}",
    "%d-%b-%Y %H:%M:%S": r"[0-9]{1,2}-[A-Z]\w\w-[0-9]{4} [0-9]+:[0-9]{2}:[0-9]{2}",
    "%d-%b-%Y %H:%M": r"[0-9]{1,2}-[A-Z]\w\w-[0-9]{4} [0-9]+:[0-9]{2}",
    "%d-%b-%Y": r"[0-9]{1,2}-[A-Z]\w\w-[0-9]{4}",
    "%Y/%m/%d %H:%M:%S": r"[0-9]{4}/[0-9]{1,2}/[0-9]{1,2} [0-9]+:[0-9]{2}:[0-9]{2}",
    "%Y/%m/%d %H:%M": r"[0-9]{4}/[0-9]{1,2}/[0-9]{1,2} [0-9]+:[0-9]{2}",
    "%Y/%m/%d": r"[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}",
}
_DATES: tuple[str, ...] = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y%m%d",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%m.%d.%Y",
)
_DATES += ("%d-%m-%Y", "%m-%d-%Y", "%d/%m/%y", "%m/%d/%y", "%d.%m.%y", "%d-%m-%y", "%m-%d-%y")
_DATES += tuple(
    f"%d{mark}{month}{mark}{year}"
    for mark in " -"
    for month in ("%b", "%B")
    for year in ("%Y", "%y")
)
_DATES += ("%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y", "%A %d %B %Y", "%a %d %b %Y", "%Y-%j")
_CLOCKS: tuple[str, ...] = (
    "",
    "%H:%M",
    "%H:%M:%S",
    "%H:%M:%S.%f",
    "%I:%M %p",
    "%I:%M:%S %p",
    "%I:%M%p",
    "%I %p",
)
_CLOCKS += ("%I:%M:%S%p", "%H.%M", "%Hh%M", "%Hh", "%H%M", "%H%M%S", "%H")
_FIELDS = {"Y": "[0-9]{4}", "y": "[0-9]{2}", "j": "[0-9]{3}", "b": "[A-Za-z]{3}"}
_FIELDS |= {"B": "[A-Za-z]{4,9}", "A": "[A-Z][a-z]+day", "a": "[A-Za-z]{3}", "p": "[AaPp][Mm]"}
_FIELDS |= {"M": "[0-9]{2}", "S": "[0-9]{2}", "f": "[0-9]{1,6}"}
_DATE_AND_HOUR = re.compile(
    r"(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([01][0-9]|2[0-3])(\.0*)?"
)

AMBIGUOUS = ("drop", "earlier", "later")


def suggest(value: Any) -> str:
    """Say how a time may be given that is not read without being told how.

    Parameters
    ----------
    value : object
        The time.

    Returns
    -------
    str
        Advice that names the formats in which it could be read.
    """
    text = f"{value:.0f}" if isinstance(value, float) else str(value).strip()
    found = _formats(text)
    if re.fullmatch(r"[0-9]{1,2}:[0-9]{2}.{0,10}", text):
        return "the date is missing; join both columns with columns={time: [date, time]}"
    if not found:
        return (
            "write times like 2013-03-04T14:20, or give time_format= (a pattern such as "
            "'%d/%m/%Y %H:%M', 'seconds' or 'milliseconds')"
        )
    listed = " or ".join(f"time_format={form!r}" for form in found)
    return f"give {listed}, or write times like 2013-03-04T14:20"


def _formats(text: str) -> list[str]:
    """The formats that a text has; several if day and month may be exchanged."""
    if re.fullmatch("[0-9]{13}", text):
        return ["milliseconds"]
    zone = re.search(r"(?<=[0-9mM]) ?[A-Z]{2,5}$", text)
    zone = None if zone and zone[0].strip() in ("AM", "PM") else zone
    whole = text.removesuffix(zone[0]) if zone else text
    suffix = zone[0].replace(zone[0].strip(), "%Z") if zone else ""
    days = [day for day in _DATES if re.match(_regex(day), whole)]
    found = []
    for day, clock, mark in product(days, _CLOCKS, (" ", "T", ", ", "")):
        form = f"{day}{mark}{clock}" if clock else day
        joined = mark == "" and day != "%Y%m%d"
        if joined or (not clock and mark != " ") or form + suffix in found:
            continue
        if _has_format(whole, form):
            found.append(form + suffix)
    return found[:2]


def _regex(form: str) -> str:
    """A regular expression of the texts that a format describes."""
    digits = "[0-9]{2}" if re.search("%[a-zA-Z]%", form) else "[0-9]{1,2}"
    pattern = re.escape(form).replace(r"\ ", " ")
    for field, of_field in (_FIELDS | dict.fromkeys("mdHI", digits)).items():
        pattern = pattern.replace(f"%{field}", of_field)
    return pattern


def _has_format(text: str, form: str) -> bool:
    try:
        return bool(re.fullmatch(_regex(form), text)) and datetime.strptime(text, form).year >= 1970
    except ValueError:
        return False


class _Column:
    """A column of times, its name, and where its rows stand in the reader's table."""

    def __init__(self, values: pd.Series, name: str, row: np.ndarray):
        self.values, self.name, self.row = values, name, row

    def refuse(self, wrong: np.ndarray, problem: str, advise: bool = False) -> None:
        """RecordError for the first wrong row, if there is one."""
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            value = self.values.iloc[first]
            what = f"{value:.10g}" if isinstance(value, float) else format_value(value)
            advice = f"; {suggest(value)}" if advise else ""
            raise RecordError(int(self.row[first]), f"{self.name} is {what}{problem}{advice}")


class Clock:
    """Parser of a column of times in chunks: `look` at all, then `read` all in their one format.

    Parameters
    ----------
    name : str
        Name of the column, for messages.
    timezone : str
        Time zone of times without an offset.
    time_format : str, optional
        As the module says; by default the one format of the whole column is determined.
    ambiguous : {"drop", "earlier", "later"}
        What a local time means that occurs twice when clocks are set back: nothing (NaT), the
        first or the second of the two instants.

    Raises
    ------
    ValueError
        If an option is unknown.
    """

    def __init__(
        self, name: str, timezone: str, time_format: str | None = None, ambiguous: str = "drop"
    ):
        check_timezone(timezone)
        _check_format(time_format)
        if ambiguous not in AMBIGUOUS:
            raise ValueError(
                f"ambiguous is {format_value(ambiguous)}; one of {', '.join(AMBIGUOUS)} was "
                "expected"
            )
        self.name, self.timezone, self.time_format = name, timezone, time_format
        self.ambiguous = ambiguous
        self._looks: dict[tuple[str, Any], _Look] = {}

    def look(self, values: pd.Series, row: np.ndarray, n_rows: np.ndarray | None = None) -> None:
        """Collect the formats of some values.

        Parameters
        ----------
        values : Series
            Times, none missing.
        row : ndarray of int
            Row of the reader's table in which each value first appears.
        n_rows : ndarray of int, optional
            Number of rows with each value; by default 1.

        Returns
        -------
        None
        """
        if not len(values):
            return
        n_rows = np.ones(len(values), np.int64) if n_rows is None else n_rows
        kind = self._kind(values)
        if kind != "text":
            self._count((kind, None), row[0], values.iloc[0], n_rows.sum())
        elif self.time_format in (None, "ISO8601"):
            self._look_at(_text(values), values, row, n_rows)
        else:
            self._count((self.time_format, None), row[0], values.iloc[0], n_rows.sum())

    @property
    def is_settled(self) -> bool:
        """Whether the values seen so far have one format; later ones may have another."""
        try:
            self.settle()
        except RecordError:
            return False
        return True

    def settle(self) -> None:
        """Check that all values have one format.

        Returns
        -------
        None

        Raises
        ------
        RecordError
            For the first row whose format differs from the most frequent, or if no format fits.
        """
        self._form()

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the loading report on how the times were read."""
        form = self._form()
        naive = f"times without a UTC offset are read in {self.timezone}"
        if form in ("stamps", "naive stamps"):
            return (naive,) if form == "naive stamps" else ()
        if form in ("numbers", *_UNITS):
            return (f"{self.name}: read as {self.time_format or 'seconds'} since 1970",)
        note = f"{self.name}: read as {_format_name(form)}"
        return (note,) if self._aware(form) else (naive, note)

    def read(self, values: pd.Series, row: np.ndarray) -> pd.DatetimeIndex:
        """Parse values that were looked at.

        Parameters
        ----------
        values : Series
            Times, none missing.
        row : ndarray of int
            Their rows in the reader's table, for messages.

        Returns
        -------
        DatetimeIndex
            Time stamps in UTC; NaT for local times that a clock change repeats or skips.

        Raises
        ------
        RecordError
            For the first row of the column whose format differs from the most frequent, or the
            first of these values that does not parse.
        """
        form = self._form()
        times = _Column(values, self.name, row)
        if form == "stamps":
            return pd.DatetimeIndex(values).tz_convert("UTC")
        if form == "naive stamps":
            return self._localized(pd.DatetimeIndex(values))
        if form == "not times":
            times.refuse(np.ones(len(values), bool), ", which is not a time", advise=True)
        if form == "numbers":
            return _from_numbers(times, values.to_numpy(float), self.time_format)
        text = _text(values)
        if form in _UNITS:
            seconds = pd.to_numeric(text, errors="coerce").to_numpy(float)
            return _from_numbers(times, seconds, self.time_format)
        aware = self._aware(form)
        if form == "ISO8601":
            stamps = _iso(
                text, aware, bool(self.time_format), (form, "other offset") in self._looks
            )
        elif form in ("day", "month"):
            stamps = _figures(text, form)
        else:
            if "%Z" in form:
                text, form = self._with_offsets(times, text, form)
            stamps = _pattern(text, form, aware)
        times.refuse(
            np.asarray(stamps.isna()),
            f", which is not a time in the format {_format_name(form)}; correct the row"
            + (", or give another time_format=" if self.time_format else ""),
        )
        return stamps if aware else self._localized(stamps)

    def _localized(self, naive: pd.DatetimeIndex) -> pd.DatetimeIndex:
        dst: Any = "NaT" if self.ambiguous == "drop" else np.full(len(naive), True)
        if self.ambiguous == "later":
            dst = ~dst
        local = naive.tz_localize(self.timezone, ambiguous=dst, nonexistent="NaT")
        return local.tz_convert("UTC")

    def _with_offsets(self, times: _Column, text: pd.Series, form: str) -> tuple[pd.Series, str]:
        """Texts and their format with offsets for names of zones: +0100 and %z for CET and %Z."""
        known = _zone_names(self.timezone)
        parts = [re.escape(part) for part in re.split("(%[A-Za-z%])", form)]
        pattern = "".join(
            "(?P<zone>[A-Za-z]+)" if part == "%Z" else ".*?" if part[:1] == "%" else part
            for part in parts
        )
        found = [re.fullmatch(pattern, each) for each in text]
        names = [match["zone"] if match else None for match in found]
        times.refuse(
            np.array([name is not None and name.upper() not in known for name in names]),
            f", whose zone is not one of {', '.join(known)}: give timezone= the place whose "
            "clocks show such names, or write times with their UTC offset",
        )
        numeric = [
            known[name.upper()].join(each.rsplit(name, 1)) if name else each
            for each, name in zip(text, names, strict=True)
        ]
        return pd.Series(numeric, dtype=object), form.replace("%Z", "%z")

    # formats of values

    def _kind(self, values: pd.Series) -> str:
        if isinstance(values.dtype, pd.DatetimeTZDtype) and self.time_format is None:
            return "stamps"
        if pd.api.types.is_datetime64_dtype(values) and self.time_format is None:
            return "naive stamps"
        if pd.api.types.is_bool_dtype(values) or pd.api.types.is_complex_dtype(values):
            return "not times"
        numeric = pd.api.types.is_numeric_dtype(values) and self.time_format in (None, *_UNITS)
        return "numbers" if numeric else "text"

    def _look_at(
        self, text: pd.Series, values: pd.Series, row: np.ndarray, n_rows: np.ndarray
    ) -> None:
        first = _ISO.fullmatch(text.iloc[0])
        if first and _alike(text.tolist()):
            self._count(("ISO8601", _offset(first[1])), row[0], values.iloc[0], n_rows.sum())
            return
        found = [_ISO.fullmatch(x) for x in text]
        offsets = {match and match[1] for match in found}
        kinds = {_offset(each) for each in offsets}
        if None not in found and len(kinds) == 1:
            self._count(("ISO8601", kinds.pop()), row[0], values.iloc[0], n_rows.sum())
            return
        written = values.tolist()
        for x, match, value, at, n in zip(text, found, written, row, n_rows, strict=True):
            if match or self.time_format:
                self._count(("ISO8601", _offset(match and match[1])), at, value, n)
            else:
                self._count(_look(x), at, value, n)

    def _count(self, look: tuple[str, Any], row: int, value: Any, n_rows: int) -> None:
        if look not in self._looks:
            self._looks[look] = _Look(int(row), value, 0)
        self._looks[look].n_rows += int(n_rows)

    # the common format

    def _form(self) -> str:
        """The common format of all values; RecordError for the first value without it."""
        n_rows = dict.fromkeys(_LOOKS, 0)
        for (form, _), look in self._looks.items():
            n_rows[form] = n_rows.get(form, 0) + look.n_rows
        best = max(n_rows, key=lambda form: n_rows[form])
        others = [look for (form, _), look in self._looks.items() if form != best]
        if others or best == "":
            best = max(_LOOKS, key=lambda form: n_rows[form]) if best == "" else best
            others = [look for (form, _), look in self._looks.items() if form != best]
            other = f"; other rows are {_format_name(best)}" if n_rows[best] else ""
            self._refuse(others, f", which is not a time or is ambiguous{other}", advise=True)
        if best == "figures":
            return self._order()
        if best == "ISO8601":
            self._aware(best)
        return best

    def _refuse(self, looks: list[_Look], problem: str, advise: bool = False) -> None:
        """RecordError for the first of the rows."""
        first = min(looks, key=lambda look: look.row)
        column = _Column(pd.Series([first.value], dtype=object), self.name, np.array([first.row]))
        column.refuse(np.array([True]), problem, advise)

    def _order(self) -> str:
        """Whether day or month comes first, if all rows together decide it."""
        sides = {
            side: [look for (_, of), look in self._looks.items() if of == side]
            for side in ("day", "month", "unequal", "equal")
        }
        if sides["day"] and sides["month"]:
            late = max(sides["day"] + sides["month"], key=lambda look: look.row)
            self._refuse(
                [late],
                ", with day and month in another order than rows before; correct the rows that "
                "are wrong",
            )
        if not sides["day"] and not sides["month"]:
            self._refuse(
                sides["unequal"] or sides["equal"],
                ", in which the day or the month may come first",
                advise=True,
            )
        return "day" if sides["day"] else "month"

    def _aware(self, form: str) -> bool:
        """Whether all times have a UTC offset; RecordError if only some have."""
        if form != "ISO8601":
            return "%z" in form or "%Z" in form or form.endswith("GMT")
        naive = [look for (_, of), look in self._looks.items() if of is None]
        aware = [look for (_, of), look in self._looks.items() if of is not None]
        if naive and aware:
            late = max((naive, aware), key=lambda looks: min(look.row for look in looks))
            self._refuse(
                late,
                "; some times have a UTC offset and some have none: write all of them with an "
                "offset, or none",
            )
        return bool(aware)


def parse_times(
    column: pd.Series, name: str, row: np.ndarray, timezone: str, time_format: str | None = None
) -> tuple[pd.DatetimeIndex, tuple[str, ...]]:
    """Parse a column of times.

    Parameters
    ----------
    column : Series
        Times, text, or numbers; none missing.
    name : str
        Name of the column, for messages.
    row : ndarray of int
        Rows in the reader's table, for messages.
    timezone : str
        Time zone of times without an offset.
    time_format : str, optional
        As the module says; by default the one format of the whole column is determined.

    Returns
    -------
    stamps : DatetimeIndex
        Time stamps in UTC.
    notes : tuple of str
        Remarks for the loading report on how they were read.

    Raises
    ------
    RecordError
        For the first row that does not fit.
    ValueError
        If an option is unknown.
    """
    clock = Clock(name, timezone, time_format)
    clock.look(column, row)
    return clock.read(column, row), clock.notes


def check_timezone(timezone: str) -> None:
    """Check that a text names a time zone.

    Parameters
    ----------
    timezone : str
        For example "Europe/Rome".

    Returns
    -------
    None

    Raises
    ------
    ValueError
        If there is no such time zone.
    """
    try:
        if not isinstance(timezone, str):
            raise TypeError
        ZoneInfo(timezone)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):  # all of these occur
        raise ValueError(
            f"timezone is {format_value(timezone)}; a name such as 'UTC' or 'Europe/Rome' was "
            "expected"
        ) from None


def parse_instant(name: str, when: Any, timezone: str) -> pd.Timestamp:
    """Parse one instant that is given as an option.

    Parameters
    ----------
    name : str
        Name of the option, for messages.
    when : str, datetime or date
        A time, a date, or ISO 8601 text.
    timezone : str
        Time zone if there is no offset.

    Returns
    -------
    Timestamp
        The instant, with a time zone.

    Raises
    ------
    ValueError
        If it is not an instant.
    """
    text = isinstance(when, str) and _ISO.fullmatch(when.strip())
    try:
        if not (text or isinstance(when, date | np.datetime64)):  # "now" and "10:00" mean today
            raise ValueError
        found = pd.Timestamp(_offsets(pd.Series([when.strip()]))[0] if text else when)
        if pd.isna(found):
            raise ValueError
    except (ValueError, OverflowError):
        raise ValueError(
            f"{name} is {format_value(when)}; a time such as 2013-03-04T14:20 was expected"
        ) from None
    if found.tz is not None:
        return found
    local = found.tz_localize(timezone, ambiguous="NaT", nonexistent="NaT")
    if pd.isna(local):
        raise ValueError(
            f"{name} is {format_value(when)}, which the clocks of {timezone} show twice or never; "
            "give it with its UTC offset, such as 2013-03-04T14:20+01:00"
        )
    return local


def parse_duration(name: str, length: Any) -> pd.Timedelta:
    """Parse a positive length of time.

    Parameters
    ----------
    name : str
        Name of the option, for messages.
    length : str or Timedelta
        In pandas' notation, such as "1h"; a bare number has no unit and is rejected.

    Returns
    -------
    Timedelta
        The length.

    Raises
    ------
    ValueError
        If it is not a positive length.
    """
    found: Any = pd.NaT
    if not isinstance(length, int | float) and not str(length).strip().isdigit():
        try:
            found = pd.Timedelta(length)
        except (ValueError, TypeError, OverflowError):
            found = pd.NaT
    if not found > pd.Timedelta(0):
        raise ValueError(
            f"{name} is {format_value(length)}; a fixed length such as '15min', '1h', '1D' or '7D' "
            "was expected"
        )
    return found


def _zone_names(timezone: str) -> dict[str, str]:
    """The offset, such as +0100, of UTC's names and of the names that a zone's clocks show."""
    months = pd.date_range("1970", "2038", freq="MS", tz="UTC").tz_convert(timezone)
    shown = sorted({(f"{month:%Z}".upper(), f"{month:%z}") for month in months})
    names = [name for name, _ in shown if name.isalpha()]
    return dict.fromkeys(("UTC", "GMT", "UT", "Z"), "+0000") | {
        name: offset for name, offset in shown if names.count(name) == 1
    }


def _check_format(form: Any) -> None:
    if form is None or (isinstance(form, str) and form in ("ISO8601", *_UNITS)):
        return
    zones = form.count("%Z") + form.count("%z") if isinstance(form, str) else 0
    if not isinstance(form, str) or not re.search("%[YyGc]", form) or zones > 1:
        raise ValueError(
            f"time_format is {format_value(form)}; 'ISO8601', 'seconds', 'milliseconds', or a "
            "pattern with a year such as '%d/%m/%Y %H:%M' was expected"
        )


def _format_name(form: str) -> str:
    figures = {"day": "day/month/year", "month": "month/day/year", "ISO8601": "ISO 8601"}
    return figures.get(form, form)


# -- which format --------------------------------------------------------------------------------


@dataclass
class _Look:
    """A format that values have: its first row, the value there, and the number of rows."""

    row: int
    value: Any
    n_rows: int


_LOOKS = {"ISO8601": _ISO, "seconds": _NUMBER, "figures": _FIGURES} | {
    form: re.compile(pattern) for form, pattern in _NAMED.items()
}


def _look(text: str) -> tuple[str, Any]:
    """The format of a text ("" for none), and for figures which of them is the day."""
    for form, pattern in _LOOKS.items():
        match = pattern.fullmatch(text)
        if match and form == "figures":
            first, second = int(match[1]), int(match[3])
            if first > 12 and second > 12:
                break
            if first > 12 or second > 12:
                return form, "day" if first > 12 else "month"
            return form, "equal" if first == second else "unequal"
        if match:
            return form, None
    return "", None


def _alike(texts: list[str]) -> bool:
    """Whether texts differ in their digits only: all are ISO 8601, if one is."""
    try:
        letters = np.array(texts, "S")
    except UnicodeEncodeError:
        return False
    codes = letters.view(np.uint8).reshape(len(texts), -1)
    low, high = codes.min(axis=0), codes.max(axis=0)
    return bool((((low == high) & (low > 0)) | ((low >= ord("0")) & (high <= ord("9")))).all())


def _offset(written: str | None) -> str | None:
    """The kind of a UTC offset: "offset" if pandas parses it, else "other offset"; or None."""
    if not written:
        return None
    return "offset" if re.fullmatch(r"Z|[+-]\d\d:?\d\d", written) else "other offset"


# -- reading -------------------------------------------------------------------------------------


def _text(values: pd.Series) -> pd.Series:
    """Stripped text as objects, which are faster to iterate than pandas' own text."""
    return pd.Series([str(x).strip() for x in values.tolist()], dtype=object)


def _from_numbers(times: _Column, values: np.ndarray, form: str | None) -> pd.DatetimeIndex:
    low, high = PLAUSIBLE if form is None else (0, PLAUSIBLE[1])
    seconds = values / _UNITS[form or "seconds"]
    times.refuse(
        ~((seconds >= low) & (seconds < high)),
        f"; seconds since 1970 were expected, {low:g} to {high:g}",
        advise=True,
    )
    if form is None and all(_DATE_AND_HOUR.fullmatch(f"{value:.10g}") for value in values):
        times.refuse(
            np.ones(len(values), bool),
            ", which may be seconds since 1970, or a year, month, day and hour; give "
            "time_format='seconds' or time_format='%Y%m%d%H'",
        )
    stamps = pd.to_datetime(values, unit="ms" if form == "milliseconds" else "s", utc=True)
    return pd.DatetimeIndex(stamps)


def _iso(text: pd.Series, aware: bool, given: bool, other_offsets: bool) -> pd.DatetimeIndex:
    if given:  # pandas accepts more as ISO 8601 than is documented here
        text = text.where(np.array([_ISO.fullmatch(x) is not None for x in text]))
    if other_offsets:
        text = _offsets(text)
    stamps = pd.to_datetime(text, utc=aware, errors="coerce", format="ISO8601")
    return pd.DatetimeIndex(stamps)


def _offsets(text: pd.Series) -> pd.Series:
    """ISO 8601 times with their offsets written in full: +01, GMT and Z are +01:00 and +00:00."""
    zero = text.str.replace(r"(?<=[0-9])\s*(?:Z|z|UTC|GMT)$", "+00:00", regex=True)
    return zero.str.replace(
        r"(?<=[0-9])([T ][0-9:.]+)\s*([+-][0-9]{2}):?([0-9]{2})?$",
        lambda match: f"{match[1]}{match[2]}:{match[3] or '00'}",
        regex=True,
    )


def _figures(text: pd.Series, form: str) -> pd.DatetimeIndex:
    parts = text.str.extract(_FIGURES)
    day, month = (parts[0], parts[2]) if form == "day" else (parts[2], parts[0])
    clock = parts[4].fillna("00:00").str.zfill(5).where(parts[4].str.count(":") != 2, parts[4])
    iso = parts[3] + "-" + month.str.zfill(2) + "-" + day.str.zfill(2) + " " + clock
    return pd.DatetimeIndex(pd.to_datetime(iso, format="ISO8601", errors="coerce"))


def _pattern(text: pd.Series, form: str, aware: bool) -> pd.DatetimeIndex:
    try:
        stamps = pd.to_datetime(text, utc=aware, format=form, errors="coerce")
    except (ValueError, TypeError, re.error) as error:
        raise ValueError(
            f"time_format is {format_value(form)}, which is not a pattern ({error}); a pattern "
            "such as '%d/%m/%Y %H:%M' was expected"
        ) from None
    return pd.DatetimeIndex(stamps)

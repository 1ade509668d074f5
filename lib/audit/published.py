"""An audit of published counts alone, without the records behind them.

The table has the columns zone, time and count (or synonyms), one line per cell. A blank, `*` or `x`
is a suppressed count, `<10` one with a known upper bound. `total` in place of a zone, a time or
both is a total over them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from lib import datasets
from lib.audit import small_counts
from lib.audit.inputs import find_file
from lib.audit.small_counts import SMALL, Counts
from lib.datasets import files
from lib.validation import format_names, format_value

MAX_COUNT = 1_000_000_000
MAX_TABLE = 5_000_000  # cells
TOTAL = "total"
_SYNONYMS = {
    "zone": "roi place cell zone_id",
    "time": "epoch period hour date timestamp",
    "count": "n counts users people value",
}
_SUPPRESSED = ("", "*", "x")
_BELOW = re.compile(r"<\s*([0-9]{1,9})")


class Table(NamedTuple):
    """A table of counts with the names of its zones and times.

    Parameters
    ----------
    counts : Counts
        The counts.
    zones, times : list of str
        Names, in the order of the file.
    checksum : str
        Of the file.
    """

    counts: Counts
    zones: list[str]
    times: list[str]
    checksum: str


def read_table(name: str) -> Table:
    """Read counts from a CSV or TSV file.

    Parameters
    ----------
    name : str
        The file.

    Returns
    -------
    Table
        The counts.

    Raises
    ------
    ValueError
        Naming the file and the line.
    """
    file = find_file(name)
    frame = _read_frame(file)
    cells = frame[(frame["zone"] != TOTAL) & (frame["time"] != TOTAL)]
    zones, times = (list(dict.fromkeys(cells[each])) for each in ("zone", "time"))
    if not zones:
        raise ValueError(f"{file.name} holds no count of a zone at a time")
    if len(zones) * len(times) > MAX_TABLE:
        raise ValueError(
            f"{file.name}: {len(zones)} zones x {len(times)} times; at most {MAX_TABLE:,} cells "
            "were expected"
        )
    at = dict(zip(zip(frame["zone"], frame["time"], strict=True), frame["value"], strict=True))
    counts = Counts(
        np.array([[at.get((zone, time), np.nan) for time in times] for zone in zones]),
        np.array([at.get((zone, TOTAL), np.nan) for zone in zones]),
        np.array([at.get((TOTAL, time), np.nan) for time in times]),
        float(at.get((TOTAL, TOTAL), np.nan)),
        np.array([[(zone, time) in at for time in times] for zone in zones]),
        float(np.nan_to_num(frame["below"], nan=0).max()) or np.inf,
    )
    return Table(counts, zones, times, files.checksum([file]))


def _read_frame(file: Path) -> pd.DataFrame:
    """zone, time, value (NaN: suppressed) and below, one row per line, checked."""
    options: dict[str, Any] = {"dtype": str, "keep_default_na": False, "skip_blank_lines": False}
    separator = "\t" if ".tsv" in file.name.lower() else ","
    try:
        read: pd.DataFrame = pd.read_csv(file, sep=separator, index_col=False, **options)
    except files.READ_ERRORS as error:
        raise ValueError(f"{file.name} cannot be read as a table: {error}") from None
    columns = {role: _column(role, list(read.columns), file) for role in _SYNONYMS}
    frame = pd.DataFrame({role: read[name].str.strip() for role, name in columns.items()})
    if not len(frame):
        raise ValueError(f"{file.name} holds no count; one line per zone and time was expected")
    for role in ("zone", "time"):
        frame[role] = frame[role].where(frame[role].str.lower() != TOTAL, TOTAL)
        blank = np.flatnonzero(frame[role] == "")
        if len(blank):
            raise ValueError(f"{file.name}, line {blank[0] + 2}: {role} is blank")
    twice = np.flatnonzero(frame.duplicated(["zone", "time"]))
    if len(twice):
        zone, time = frame.loc[twice[0], ["zone", "time"]]
        raise ValueError(
            f"{file.name}, line {twice[0] + 2}: zone {format_value(zone)} at {format_value(time)} "
            "was given already"
        )
    return frame.join(_values(frame["count"], file))


def _column(role: str, header: list[str], file: Path) -> str:
    names = (role, *_SYNONYMS[role].split())
    matches = [name for name in header if name.strip().lower() in names]
    if len(matches) != 1:
        raise ValueError(
            f"{file.name}: {'no column' if not matches else 'several columns'} for "
            f"{role}; the file has {format_names(header)}"
        )
    return matches[0]


def _values(texts: pd.Series, file: Path) -> pd.DataFrame:
    values, below = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    for i, text in enumerate(texts):
        bound = _BELOW.fullmatch(text)
        if bound:
            below[i] = int(bound[1])
        elif text.lower() not in _SUPPRESSED:
            if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) > MAX_COUNT:
                raise ValueError(
                    f"{file.name}, line {i + 2}: count {format_value(text)}; whole numbers from 0 "
                    "were expected, blank or * if suppressed. Counts with noise have no small "
                    "counts to look for: audit the records with their release"
                )
            values[i] = int(text)
    return pd.DataFrame({"value": values, "below": below})


# -- the document ----------------------------------------------------------------------------------

_NO_RECORDS = (
    "No attack on people was run, because only the table was examined. Such attacks need the "
    "records behind the counts."
)
_CONSTANT: dict[str, Any] = {  # parts of the document that do not depend on the table
    "schema_version": 2,
    "assessment": None,
    "complete": False,
    "at_risk": None,
    "release": {
        "name": "published counts",
        "mechanisms": [],
        "unit": None,
        "cap": None,
        "epsilon": None,
        "delta": None,
        "words": "a table of counts, audited without the records behind it",
    },
    "epsilon": None,
    "usefulness": {},
    "alternatives": [],
    "not_tested": [
        {
            "name": "Attacks on people",
            "why": "who is in the data, and where somebody was: this needs the records",
        },
        {"name": "Guarantees", "why": "whether the noise gives a guarantee of privacy"},
    ],
    "limits": [],
    "missing": [],
    "cite": [],
}


def document(tables: list[Table], names: list[str]) -> dict[str, Any]:
    """Audit one table, or two versions of the same table.

    Parameters
    ----------
    tables : list of Table
        One or two tables.
    names : list of str
        Their files.

    Returns
    -------
    dict
        As `lib.audit.document`, without attacks on people.

    Raises
    ------
    ValueError
        If two tables differ in zones or times.
    """
    first = tables[0]
    counts = first.counts
    for other in tables[1:]:
        if (other.zones, other.times) != (first.zones, first.times):
            raise ValueError(
                "the two tables differ in zones or times; versions of the same counts were "
                "expected, in the same order"
            )
    checks = [_small(counts), _totals(counts)]
    checks += [_between(counts, other.counts) for other in tables[1:]]
    reasons = [
        f"{check['name']}: {check['statement']}"
        for severity in ("fail", "review")
        for check in checks
        if check["severity"] == severity
    ]
    failed = any(check["severity"] == "fail" for check in checks)
    return _CONSTANT | {
        "verdict": "fail" if failed else "review",
        "reasons": [*reasons, _NO_RECORDS],
        "data": _data(first, names[0]),
        "settings": {
            "what was looked at": "counts only",
            "small": f"1 to {SMALL - 1}",
            "sha256": first.checksum[:16],
        },
        "attacks": [*checks, _UNTESTED],
        "disclosure": {
            "cells": int(counts.listed.sum()),
            "small_cells": int(small_counts.small(counts).sum()),
            "zeros": int((counts.cells == 0).sum()),
            "suppressed": int(counts.suppressed.sum()),
            "recovered": _n_determined(counts),
        },
    }


def _data(table: Table, name: str) -> dict[str, Any]:
    n_zones, n_times = table.counts.cells.shape
    return {
        "label": datasets.label(name),
        "users": None,
        "zones": n_zones,
        "epochs": n_times,
        "start": table.times[0],
        "end": table.times[-1],
        "epoch_hours": None,
        "visits": None,
        "has_coordinates": False,
        "loader": None,
    }


_CHECK: dict[str, Any] = {
    "goal": "disclosure",
    "knowledge": "release",
    "realistic": True,
    "paper": None,
    "status": "tested",
    "why": None,
    "measures": {},
    "control": None,
    "succeeded": False,
    "severity": "none",
    "statement": "",
}
_UNTESTED = _CHECK | {
    "id": "people",
    "name": "Attacks on people",
    "goal": "membership",
    "goal_words": "who is in the data?",
    "knowledge": "any",
    "knowledge_words": "anything",
    "status": "not tested",
    "why": "the records behind the counts were not given",
}


def _result(what: str, n: int, severity: str, statement: str) -> dict[str, Any]:
    measure = {"value": n, "low": None, "high": None, "baseline": None, "unit": "cells"}
    found = severity if n else "none"
    return {
        "measures": {what: measure},
        "succeeded": n > 0,
        "severity": found,
        "statement": statement,
    }


def _small(counts: Counts) -> dict[str, Any]:
    n = int(small_counts.small(counts).sum())
    statement = f"No published count is from 1 to {SMALL - 1}."
    if n:
        statement = (
            f"{n:,} of {int(counts.listed.sum()):,} counts are from 1 to {SMALL - 1}: somebody who "
            "knows most of these people learns about the others."
        )
    words = {
        "id": "small-cells",
        "name": "Small counts",
        "goal_words": "whom is a count about?",
        "knowledge_words": "the table",
    }
    return _CHECK | words | _result("small counts", n, "review", statement)


def _totals(counts: Counts) -> dict[str, Any]:
    check = _CHECK | {
        "id": "totals",
        "name": "Suppressed counts that follow from totals",
        "goal_words": "what were the hidden counts?",
        "knowledge_words": "the table with its totals",
    }
    n, n_hidden = _n_determined(counts), int(counts.suppressed.sum())
    if n is None:
        return check | {
            "status": "not tested",
            "why": "the totals do not add up with the counts, for example because both were "
            "rounded",
            "severity": "review",
            "statement": "The totals do not add up with the counts.",
        }
    statement = f"No suppressed count ({n_hidden:,}) follows from the totals."
    if n:
        statement = (
            f"{n:,} of {n_hidden:,} suppressed counts follow from the totals by subtraction."
        )
    return check | _result("suppressed counts recovered", n, "fail", statement)


def _n_determined(counts: Counts) -> int | None:
    """Number of suppressed counts that follow from totals; None if totals contradict counts."""
    try:
        return int(small_counts.determined(counts).sum())
    except ValueError:
        return None


def _between(one: Counts, other: Counts) -> dict[str, Any]:
    n = int(small_counts.differences(one, other).sum())
    statement = f"{n:,} counts differ by 1 to {SMALL - 1} between the two tables"
    statement += ": each difference is a small count of people." if n else "."
    words = {
        "id": "differencing",
        "name": "Subtracting one release from another",
        "goal_words": "who came or left?",
        "knowledge_words": "both tables",
    }
    return _CHECK | words | _result("small differences", n, "review", statement)

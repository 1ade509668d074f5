"""An audit of published counts alone: what stands in the table, whoever the people are.

The table has the columns zone, time and count (or usual names), one line a cell. A blank, `*` or
`x` is a suppressed count, `<10` one of which the bound is known. `total` in place of a zone, a time
or both is a total over them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from lib import datasets
from lib.audit import inputs, published
from lib.audit.published import Counts
from lib.datasets import files
from lib.validation import format_names, format_value

LARGEST = 1_000_000_000  # a count; more people than that are no group
MOST = 5_000_000  # cells of a table
TOTAL = "total"
_NAMES = {
    "zone": "roi place cell zone_id",
    "time": "epoch period hour date timestamp",
    "count": "n counts users people value",
}
_SUPPRESSED = ("", "*", "x")
_BELOW = re.compile(r"<\s*([0-9]{1,9})")


class Table(NamedTuple):
    """A table of counts, and what its zones and times are called."""

    counts: Counts
    zones: list[str]
    times: list[str]
    checksum: str


def read(name: str) -> Table:
    """The counts in a CSV or TSV file. Raises ValueError naming the file and the line."""
    file = inputs.found(name)
    frame = _frame(file)
    cells = frame[(frame["zone"] != TOTAL) & (frame["time"] != TOTAL)]
    zones, times = (list(dict.fromkeys(cells[each])) for each in ("zone", "time"))
    if not zones:
        raise ValueError(f"{file.name} holds no count of a zone at a time")
    if len(zones) * len(times) > MOST:
        raise ValueError(
            f"{file.name}: {len(zones)} zones x {len(times)} times; at most {MOST:,} "
            "cells were expected"
        )
    at = dict(zip(zip(frame["zone"], frame["time"], strict=True), frame["value"], strict=True))
    matrix = np.array([[at.get((zone, time), np.nan) for time in times] for zone in zones])
    listed = np.array([[(zone, time) in at for time in times] for zone in zones])
    counts = Counts(
        matrix,
        np.array([at.get((zone, TOTAL), np.nan) for zone in zones]),
        np.array([at.get((TOTAL, time), np.nan) for time in times]),
        float(at.get((TOTAL, TOTAL), np.nan)),
        listed,
        float(np.nan_to_num(frame["below"], nan=0).max()) or np.inf,
    )
    return Table(counts, zones, times, files.checksum([file]))


def _frame(file: Path) -> pd.DataFrame:
    """zone, time, value (NaN: suppressed) and below, one row a line, checked."""
    separator = "\t" if ".tsv" in file.name.lower() else ","
    try:
        read = pd.read_csv(
            file,
            dtype=str,
            keep_default_na=False,
            sep=separator,
            index_col=False,
            skip_blank_lines=False,
        )
    except files.READ_ERRORS as error:
        raise ValueError(f"{file.name} cannot be read as a table: {error}") from None
    columns = {role: _column(role, list(read.columns), file) for role in _NAMES}
    frame = pd.DataFrame({role: read[name].str.strip() for role, name in columns.items()})
    if not len(frame):
        raise ValueError(f"{file.name} holds no count; one line a zone and time was expected")
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
    names = (role, *_NAMES[role].split())
    found = [name for name in header if name.strip().lower() in names]
    if len(found) != 1:
        raise ValueError(
            f"{file.name}: {'no column' if not found else 'several columns'} for "
            f"{role}; the file has {format_names(header)}"
        )
    return found[0]


def _values(texts: pd.Series, file: Path) -> pd.DataFrame:
    values, below = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    for i, text in enumerate(texts):
        bound = _BELOW.fullmatch(text)
        if bound:
            below[i] = int(bound[1])
        elif text.lower() not in _SUPPRESSED:
            if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) > LARGEST:
                raise ValueError(
                    f"{file.name}, line {i + 2}: count {format_value(text)}; whole numbers from 0 were "
                    "expected, blank or * where suppressed. Counts with noise have no small counts "
                    "to look for: audit the records with their release"
                )
            values[i] = int(text)
    return pd.DataFrame({"value": values, "below": below})


# -- what they tell --------------------------------------------------------------------------------


def document(tables: list[Table], names: list[str]) -> dict[str, Any]:
    """The audit of one table, or of two versions of one, as `lib.audit.document` has it.

    Raises ValueError for two tables of other zones or times.
    """
    first = tables[0]
    counts = first.counts
    for other in tables[1:]:
        if (other.zones, other.times) != (first.zones, first.times):
            raise ValueError(
                "the two tables differ in zones or times; versions of the same counts "
                "were expected, in the same order"
            )
    checks = [_small(counts), _totals(counts)]
    if len(tables) > 1:
        checks.append(_between(counts, tables[1].counts))
    severities = [each["severity"] for each in checks]
    verdict = "fail" if "fail" in severities else "review"
    reasons = [
        f"{each['name']}: {each['statement']}"
        for kind in ("fail", "review")
        for each in checks
        if each["severity"] == kind
    ]
    n_zones, n_times = counts.cells.shape
    return {
        "schema_version": 1,
        "verdict": verdict,
        "complete": False,
        "reasons": [
            *reasons,
            "No attack on people was played: only the table was looked at. That "
            "needs the records behind the counts.",
        ],
        "at_risk": None,
        "data": {
            "label": datasets.label(names[0]),
            "users": None,
            "zones": n_zones,
            "epochs": n_times,
            "start": first.times[0],
            "end": first.times[-1],
            "epoch_hours": None,
            "visits": None,
            "has_coordinates": False,
            "loader": None,
        },
        "settings": {
            "what was looked at": "counts only",
            "small": f"1 to {published.SMALL - 1}",
            "sha256": first.checksum[:16],
        },
        "release": {
            "name": "published counts",
            "mechanisms": [],
            "unit": None,
            "cap": None,
            "epsilon": None,
            "delta": None,
            "words": "a table of counts, audited without the records behind it",
        },
        "attacks": [*checks, _untested()],
        "epsilon": None,
        "disclosure": _disclosure(counts),
        "usefulness": {},
        "alternatives": [],
        "not_tested": [
            {
                "name": "Attacks on people",
                "why": "who is in the data, and where somebody was: that needs the records",
            },
            {"name": "Promises", "why": "whether a promise of differential privacy is kept"},
        ],
        "limits": [],
        "missing": [],
        "cite": [],
    }


def _check(
    key: str, name: str, goal: str, knowledge: str, n: int, what: str, severity: str, statement: str
) -> dict[str, Any]:
    measure = {"value": n, "low": None, "high": None, "baseline": None, "unit": "cells"}
    return {
        "id": key,
        "name": name,
        "goal": "disclosure",
        "goal_words": goal,
        "knowledge": "release",
        "knowledge_words": knowledge,
        "realistic": True,
        "paper": None,
        "status": "tested",
        "why": None,
        "measures": {what: measure},
        "control": None,
        "succeeded": severity != "none",
        "severity": severity,
        "statement": statement,
    }


def _small(counts: Counts) -> dict[str, Any]:
    n = int(published.small(counts).sum())
    said = f"{n:,} of {int(counts.listed.sum()):,} counts are from 1 to {published.SMALL - 1}"
    words = (
        f"{said}: whoever knows some of these people learns about the few others."
        if n
        else (f"No published count is from 1 to {published.SMALL - 1}.")
    )
    return _check(
        "small-cells",
        "Small counts",
        "whom is a count about?",
        "the table",
        n,
        "small counts",
        "review" if n else "none",
        words,
    )


def _totals(counts: Counts) -> dict[str, Any]:
    goal, knowledge = "what were the hidden counts?", "the table with its totals"
    name, what = "Totals that give suppressed counts away", "suppressed counts recovered"
    n_hidden = int(counts.suppressed.sum())
    try:
        n = int(published.recovered(counts).sum())
    except ValueError:
        found = _check("totals", name, goal, knowledge, 0, what, "review", "")
        why = "the totals do not add up with the counts, as where both were rounded"
        return found | {
            "status": "not tested",
            "why": why,
            "measures": {},
            "succeeded": False,
            "statement": "The totals do not add up with the counts.",
        }
    words = (
        f"{n:,} of {n_hidden:,} suppressed counts follow from the totals by subtraction."
        if n
        else f"No suppressed count ({n_hidden:,}) follows from the totals."
    )
    return _check("totals", name, goal, knowledge, n, what, "fail" if n else "none", words)


def _between(one: Counts, other: Counts) -> dict[str, Any]:
    n = int(published.differences(one, other).sum())
    most = published.SMALL - 1
    words = f"{n:,} counts differ by 1 to {most} between the two tables"
    words += ": each difference is a count of so few people." if n else "."
    severity = "review" if n else "none"
    return _check(
        "differencing",
        "Subtracting one release from another",
        "who came or left?",
        "both tables",
        n,
        "small differences",
        severity,
        words,
    )


def _untested() -> dict[str, Any]:
    return {
        "id": "people",
        "name": "Attacks on people",
        "goal": "membership",
        "goal_words": "who is in the data?",
        "knowledge": "any",
        "knowledge_words": "anything",
        "realistic": True,
        "paper": None,
        "status": "not tested",
        "why": "the records behind the counts were not given",
        "measures": {},
        "control": None,
        "succeeded": False,
        "severity": "none",
        "statement": "",
    }


def _disclosure(counts: Counts) -> dict[str, Any]:
    return {
        "cells": int(counts.listed.sum()),
        "small_cells": int(published.small(counts).sum()),
        "zeros": int(published.zeros(counts).sum()),
        "suppressed": int(counts.suppressed.sum()),
        "recovered": _recovered(counts),
    }


def _recovered(counts: Counts) -> int | None:
    try:
        return int(published.recovered(counts).sum())
    except ValueError:
        return None

"""Two runs side by side: their values, and which numbers of their tables differ."""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from lib.chapters.head import shown
from lib.execution import environment

COLUMNS = ["table", "row", "column", "first", "second", "change"]
BEYOND, WITHIN, PLAIN = "beyond the intervals", "within the intervals", "no interval"
ABSENT = "not there"
ONLY_FIRST, ONLY_SECOND = "only in the first", "only in the second"
_TEXT_INTERVAL = re.compile(r"^(\S+) \[(\S+), (\S+)\]$")  # 0.84 [0.80, 0.88]
_LOW, _HIGH = "95% low", "95% high"


class Comparison(NamedTuple):
    """What differs between two runs.

    Parameters
    ----------
    values : pandas.DataFrame
        Index: parameter; columns: first, second, as text (YAML).
    tables : pandas.DataFrame
        Columns `COLUMNS`; a row for each number or text that differs.
    same : int
        How many numbers and texts are the same in both.
    """

    values: pd.DataFrame
    tables: pd.DataFrame
    same: int


def folder(name: str) -> Path:
    """Find the folder of a finished run.

    Parameters
    ----------
    name : str
        Its path, or its name in `runs`.

    Returns
    -------
    pathlib.Path
        The folder.

    Raises
    ------
    ValueError
        If there is no such folder, or it holds no finished run; the message names the nearest one.
    """
    for path in (Path(name), environment.runs() / name):
        if (path / "provenance.json").exists():
            return path
    known = [file.parent.name for file in environment.runs().glob("*/provenance.json")]
    near = get_close_matches(Path(name).name, known, 1, 0)
    meant = f"; did you mean {near[0]!r}?" if near else "; there are none yet"
    raise ValueError(f"no finished run {name!r}{meant}")


def compare(first: Path, second: Path) -> Comparison:
    """Compare two finished runs of one chapter.

    Parameters
    ----------
    first, second : pathlib.Path
        Their folders.

    Returns
    -------
    Comparison
        What differs.

    Raises
    ------
    ValueError
        If they are runs of two chapters.
    """
    one, other = _provenance(first), _provenance(second)
    if one["chapter"] != other["chapter"]:
        raise ValueError(
            f"{first.name} is a run of {one['chapter']}, {second.name} of {other['chapter']}; "
            "two runs of one chapter were expected"
        )
    pairs = [
        {name: shown(value) for name, value in each["parameters"].items()} for each in (one, other)
    ]
    values = {
        name: [each.get(name, ABSENT) for each in pairs]
        for name in dict.fromkeys([*pairs[0], *pairs[1]])
        if pairs[0].get(name) != pairs[1].get(name)
    }
    rows: list[list[str]] = []
    same = 0
    for name in sorted({*_tables(first), *_tables(second)}):
        found, equal = _table(name, _tables(first).get(name), _tables(second).get(name))
        rows += found
        same += equal
    given = pd.DataFrame.from_dict(values, orient="index", columns=["first", "second"])
    return Comparison(given, pd.DataFrame(rows, columns=COLUMNS), same)


def _provenance(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    return found


def _tables(folder: Path) -> dict[str, pd.DataFrame]:
    return {
        file.stem: pd.read_csv(file, dtype=str, keep_default_na=False)
        for file in (folder / "tables").glob("*.csv")
    }


def _table(
    name: str, first: pd.DataFrame | None, second: pd.DataFrame | None
) -> tuple[list[list[str]], int]:
    """The rows of one table that differ, and how many cells are the same."""
    if first is None or second is None:
        only = ONLY_SECOND if first is None else ONLY_FIRST
        return [[name, "", "", "", "", only]], 0
    keys = _keys(first, second)
    one, other = _by_row(first, keys), _by_row(second, keys)
    rows, same = [], 0
    for key in dict.fromkeys([*one, *other]):
        words = ", ".join(key)
        if key not in one or key not in other:
            rows.append([name, words, "", "", "", ONLY_SECOND if key not in one else ONLY_FIRST])
            continue
        found, equal = _row(one[key], other[key])
        rows += [[name, words, *each] for each in found]
        same += equal
    return rows, same


def _keys(first: pd.DataFrame, second: pd.DataFrame) -> list[str]:
    """Find the first columns that together distinguish all rows of both tables."""
    common = [str(column) for column in first if column in second]
    for n in range(1, len(common) + 1):
        if not any(each.duplicated(common[:n]).any() for each in (first, second)):
            return common[:n]
    return common


def _by_row(table: pd.DataFrame, keys: list[str]) -> dict[tuple[str, ...], dict[str, str]]:
    """Index rows by their keys, and by their number if their keys are equal."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for i, row in enumerate(table.to_dict("records")):
        key = tuple(row[column] for column in keys)
        found[(*key, str(i)) if key in found else key] = {
            str(column): text for column, text in row.items() if column not in keys
        }
    return found


def _row(one: dict[str, str], other: dict[str, str]) -> tuple[list[list[str]], int]:
    """What differs between two rows: column, both values, and whether beyond the intervals."""
    rows, same = [], 0
    bounded = _LOW in one and _HIGH in one and _LOW in other and _HIGH in other
    for column in dict.fromkeys([*one, *other]):
        if bounded and column in (_LOW, _HIGH):
            continue
        a, b = one.get(column, ""), other.get(column, "")
        if a == b:
            same += 1
            continue
        ends = _interval(a), _interval(b)
        if bounded and column == _mean(one):
            ends = _floats(one[_LOW], one[_HIGH]), _floats(other[_LOW], other[_HIGH])
        rows.append([column, a, b, _changed(*ends)])
    return rows, same


def _mean(row: dict[str, str]) -> str:
    """Name the column before the two ends of an interval."""
    names = list(row)
    return names[max(names.index(_LOW) - 1, 0)]


_Ends = tuple[float, float] | None


def _interval(text: str) -> _Ends:
    """The ends of "0.84 [0.80, 0.88]"."""
    found = _TEXT_INTERVAL.match(text)
    return _floats(found.group(2), found.group(3)) if found else None


def _floats(low: str, high: str) -> _Ends:
    try:
        return float(low), float(high)
    except ValueError:  # a single value has no interval
        return None


def _changed(first: _Ends, second: _Ends) -> str:
    if first is None or second is None:
        return PLAIN
    apart = first[1] < second[0] or second[1] < first[0]
    return BEYOND if apart else WITHIN


def words(found: Comparison) -> str:
    """Describe a comparison, as `python -m lib compare` prints it.

    Parameters
    ----------
    found : Comparison
        The comparison.

    Returns
    -------
    str
        Several lines.
    """
    lines = ["values:", found.values.to_string() if len(found.values) else "  the same"]
    counts = found.tables["change"].value_counts()
    told = ", ".join(f"{n} {change}" for change, n in counts.items())
    lines += ["", f"the same: {found.same}; changed: {len(found.tables)}" + (told and f" ({told})")]
    if len(found.tables):
        lines.append(found.tables.to_string(index=False, max_colwidth=40))
    return "\n".join(lines)

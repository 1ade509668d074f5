"""Stored results: the rows of an experiment as plain CSV, and beside them what they depend on.

`book/results/<experiment>/<data>.csv` holds the rows of a finished experiment on one dataset.
`columns.yml` names the columns of every
experiment. `<data>.json` holds everything that they depend on: the setting, the code
(`lib.execution.fingerprints`), the versions of the numerical packages and the checksum of the data.
It also says when the rows were computed, in how many parts and seconds. Finished units of an
interrupted experiment wait in `runs/unfinished`, in a folder named by the hash of what they depend
on.
"""

from __future__ import annotations

import hashlib
import io
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil
import yaml

from lib.execution import environment

RESULTS = environment.ROOT / "book" / "results"
UNFINISHED = environment.ROOT / "runs" / "unfinished"
PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas")
Row = dict[str, Any]


class Rows(pd.DataFrame):
    """Rows of an experiment: a table whose error for a missing column names the experiment.

    Parameters
    ----------
    *args, **kwargs : object
        As of a pandas.DataFrame.
    """

    _metadata = ["experiment"]  # noqa: RUF012  (pandas hands it on to parts of the table)
    experiment = ""

    @property
    def _constructor(self) -> type[Rows]:
        return Rows

    def __getitem__(self, key: Any) -> Any:
        try:
            return super().__getitem__(key)
        except KeyError as error:
            columns = ", ".join(map(str, self.columns))
            raise KeyError(
                f"{error.args[0]!r} is no column of the rows of {self.experiment or 'experiments'};"
                f" they have: {columns}"
            ) from None


class StoredResultsError(ValueError):
    """Stored results that are missing or damaged."""


@dataclass(frozen=True)
class Fingerprint:
    """Everything that stored rows depend on.

    Parameters
    ----------
    setting : dict
        The experiment's arguments, as JSON has them.
    code : dict of str to str
        Module -> hash of its code.
    packages : dict of str to str
        Numerical package -> version.
    checksum : str
        Checksum of the data's files; empty if there are none.
    """

    setting: dict[str, Any]
    code: dict[str, str]
    packages: dict[str, str] = field(default_factory=lambda: packages())
    checksum: str = ""

    @property
    def digest(self) -> str:
        """Hash of all of it, 16 hexadecimal digits."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def reasons(self, now: Fingerprint) -> list[str]:
        """Explain why rows with this fingerprint are out of date.

        Parameters
        ----------
        now : Fingerprint
            What the rows would depend on if they were computed now.

        Returns
        -------
        list of str
            The reasons; empty if the rows are up to date.
        """
        found = [
            f"{what} {name}: {_shown(before.get(name))} -> {_shown(after.get(name))}"
            for what, before, after in (
                ("setting", self.setting, now.setting),
                ("package", self.packages, now.packages),
            )
            for name in sorted(before.keys() | after.keys())
            if before.get(name) != after.get(name)
        ]
        changed = [
            m
            for m in sorted(self.code.keys() | now.code.keys())
            if self.code.get(m) != now.code.get(m)
        ]
        found += [f"code of {', '.join(changed)}"] if changed else []
        found += ["the data's files"] if self.checksum != now.checksum else []
        return found


def packages() -> dict[str, str]:
    """Return the versions of the numerical packages.

    Returns
    -------
    dict of str to str
        Package -> version.
    """
    return {name: _version(name) for name in PACKAGES}


_version = cache(version)  # which reads and parses the package's description


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


# -- stored results --------------------------------------------------------------------------------


def read(experiment: str, data: str) -> pd.DataFrame:
    """Read the stored rows of an experiment on one dataset.

    Parameters
    ----------
    experiment, data : str
        Names of the experiment and of the dataset.

    Returns
    -------
    pandas.DataFrame
        The rows.

    Raises
    ------
    StoredResultsError
        If no results are stored, or if they have a column that `columns.yml` does not name.
    """
    file = _file(experiment, data, "csv")
    if not file.exists():
        raise StoredResultsError(
            f"no stored results of {experiment} on {data}: "
            f"`python -m lib paper {experiment}` computes them"
        )
    rows = Rows(parsed(file.read_text(encoding="utf-8")))
    rows.experiment = experiment
    _check_columns(experiment, rows)
    return rows


def _check_columns(experiment: str, rows: pd.DataFrame) -> None:
    """Raise StoredResultsError for a column that `columns.yml` does not name."""
    file = RESULTS / "columns.yml"
    known = _declared(file).get(experiment)
    if known is None:
        columns = ", ".join(map(str, rows.columns[1:]))
        raise StoredResultsError(f"{file} has no entry for the rows: {experiment}: [{columns}]")
    for column in map(str, rows.columns[1:]):
        if column not in known:
            near = get_close_matches(column, known, 1, 0)[0]
            raise StoredResultsError(
                f"{experiment} has a column {column!r}, which {file} does not name; "
                f"did you mean {near!r}?"
            )


@cache
def _declared(file: Path) -> dict[str, list[str]]:
    """Experiment -> its columns."""
    found: dict[str, list[str]] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return found


def parsed(text: str) -> pd.DataFrame:
    """Read rows from CSV; numbers keep all digits, and only an empty field is a missing value.

    Parameters
    ----------
    text : str
        The CSV.

    Returns
    -------
    pandas.DataFrame
        The rows.
    """
    return pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""])


def provenance(experiment: str, data: str) -> dict[str, Any]:
    """Read what stored rows depend on, and how they were computed.

    Parameters
    ----------
    experiment, data : str
        Names of the experiment and of the dataset.

    Returns
    -------
    dict
        The content of `<data>.json`.

    Raises
    ------
    StoredResultsError
        If no results are stored, or the file is damaged.
    """
    file = _file(experiment, data, "json")
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoredResultsError(f"no stored results of {experiment} on {data}") from None
    except ValueError as error:
        raise StoredResultsError(f"{file} is damaged: {error}") from error
    return found


def is_stored(experiment: str, data: str) -> bool:
    """Return whether an experiment has stored rows on a dataset.

    Parameters
    ----------
    experiment, data : str
        Names of the experiment and of the dataset.

    Returns
    -------
    bool
        Whether both files exist.
    """
    return _file(experiment, data, "json").exists() and _file(experiment, data, "csv").exists()


def store(
    experiment: str, data: str, rows: pd.DataFrame, fingerprint: Fingerprint, **facts: Any
) -> None:
    """Store rows, and then what they depend on; the second file shows that the rows are complete.

    Parameters
    ----------
    experiment, data : str
        Names of the experiment and of the dataset.
    rows : pandas.DataFrame
        The rows.
    fingerprint : Fingerprint
        What they depend on.
    **facts
        How they were computed: units, seconds, date, ...

    Raises
    ------
    StoredResultsError
        If the rows have a column that `columns.yml` does not name.
    """
    _check_columns(experiment, rows)
    folder = RESULTS / experiment
    folder.mkdir(parents=True, exist_ok=True)
    _file(experiment, data, "json").unlink(missing_ok=True)
    environment.write(_file(experiment, data, "csv"), rows.to_csv(index=False, lineterminator="\n"))
    stamp(
        experiment,
        data,
        fingerprint,
        {"experiment": experiment, "data": data, "rows": len(rows)} | facts,
    )


def stamp(experiment: str, data: str, fingerprint: Fingerprint, facts: dict[str, Any]) -> None:
    """Write what existing rows depend on.

    Parameters
    ----------
    experiment, data : str
        Names of the experiment and of the dataset.
    fingerprint : Fingerprint
        What the rows depend on.
    facts : dict
        How they were computed.
    """
    text = json.dumps(facts | asdict(fingerprint), indent=1, default=as_plain)
    environment.write(_file(experiment, data, "json"), text + "\n")


def stored_fingerprint(experiment: str, data: str) -> Fingerprint:
    """Return what stored rows depend on.

    Parameters
    ----------
    experiment, data : str
        Names of the experiment and of the dataset.

    Returns
    -------
    Fingerprint
        What they depend on.

    Raises
    ------
    StoredResultsError
        If no results are stored.
    """
    found = provenance(experiment, data)
    return Fingerprint(
        **{name: found[name] for name in ("setting", "code", "packages", "checksum")}
    )


def files(experiment: str) -> list[Path]:
    """List the files of an experiment's stored rows.

    Parameters
    ----------
    experiment : str
        Its name.

    Returns
    -------
    list of pathlib.Path
        The CSV files.
    """
    return sorted((RESULTS / experiment).glob("*.csv"))


def _file(experiment: str, data: str, ending: str) -> Path:
    return RESULTS / experiment / f"{data.replace(' ', '-')}.{ending}"


def as_plain(value: Any) -> Any:
    """Convert a numpy scalar or array for JSON.

    Parameters
    ----------
    value : object
        A value that JSON does not know.

    Returns
    -------
    object
        Python numbers and lists.

    Raises
    ------
    TypeError
        For any other value.
    """
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{value!r} is not plain: numbers, text and lists were expected")


def plain(value: Any) -> Any:
    """Return a value as JSON would give it back: lists for tuples, Python's numbers for numpy's.

    Parameters
    ----------
    value : object
        Numbers, text, lists and mappings.

    Returns
    -------
    object
        The converted value.
    """
    return json.loads(json.dumps(value, default=as_plain))


def frame(
    data: str, unit: Sequence[str], computed: Sequence[tuple[Any, list[Row]]]
) -> pd.DataFrame:
    """Put the rows of units into one table.

    Parameters
    ----------
    data : str
        Name of the dataset.
    unit : sequence of str
        The columns that name a unit.
    computed : sequence of (object, list of dict)
        Units and their rows.

    Returns
    -------
    pandas.DataFrame
        The column `data`, the unit's columns, and those of the rows.
    """
    made = []
    for name, rows in computed:
        values = name if isinstance(name, (list, tuple)) else [name]
        head = {"data": data} | dict(zip(unit, values, strict=True))
        made += [head | row for row in rows]
    return pd.DataFrame(made, columns=None if made else ["data", *unit])


def differences(
    stored: pd.DataFrame,
    computed: pd.DataFrame,
    tolerance: float,
    loose_columns: Sequence[str] = (),
) -> list[str]:
    """List the differences between stored rows and rows that were computed again.

    Parameters
    ----------
    stored, computed : pandas.DataFrame
        The stored rows and the rows computed again.
    tolerance : float
        For decimal numbers, absolute or relative, whichever is larger. Whole numbers and text must
        be equal.
    loose_columns : sequence of str
        Columns that may differ by 0.05, because another processor sums a network's terms in
        another order.

    Returns
    -------
    list of str
        One description each; empty if the rows are the same.
    """
    computed = parsed(computed.to_csv(index=False))
    if len(stored) != len(computed) or set(stored) != set(computed):
        one, other = (
            f"{len(rows)} rows of {', '.join(map(str, rows))}" for rows in (stored, computed)
        )
        return [f"{one} are stored, {other} were computed"]
    found = []
    for column in stored:
        within = 0.05 if column in loose_columns else tolerance
        for row, (one, other) in enumerate(zip(stored[column], computed[column], strict=True)):
            if not _same(one, other, within):
                found.append(f"{column} of row {row}: {one!r} stored, {other!r} computed")
    return found


def _same(one: Any, other: Any, within: float) -> bool:
    if pd.isna(one) or pd.isna(other):
        return bool(pd.isna(one) and pd.isna(other))
    if isinstance(one, (float, np.floating)) or isinstance(other, (float, np.floating)):
        one, other = float(one), float(other)
        return bool(one == other or abs(one - other) <= within * max(1.0, abs(one), abs(other)))
    return bool(one == other)


@contextmanager
def peak_memory(interval: float = 1.0) -> Iterator[list[int]]:
    """Sample the memory of this process and all processes below it.

    Parameters
    ----------
    interval : float, default 1.0
        Seconds between two samples.

    Yields
    ------
    list of int
        Bytes; grows while the block runs.
    """
    samples, stop, own = [0], threading.Event(), psutil.Process()

    def sample() -> None:
        while True:
            samples.append(sum(map(_resident, [own, *own.children(recursive=True)])))
            if stop.wait(interval):
                return

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        stop.set()
        thread.join()


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # it ended meanwhile
        return 0

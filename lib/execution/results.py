"""Stored results: the rows of an experiment as plain CSV, with what they depend on beside them.

`book/results/<experiment>/<data>.csv` holds the rows of a finished experiment on one dataset,
`<data>.json` all
that they depend on: the setting, the code (`lib.execution.fingerprints`), the numerical packages,
the data's
checksum; and when, in how many parts and seconds they were played. Rows of an experiment that was
stopped
wait, unit by unit, in `runs/unfinished`, under the hash of all that they depend on.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import threading
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil
from filelock import FileLock

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "book" / "results"
UNFINISHED = ROOT / "runs" / "unfinished"
PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas")
Row = dict[str, Any]


class StoredResultsError(ValueError):
    """Stored results that are missing or damaged."""


@dataclass(frozen=True)
class Fingerprint:
    """All that stored rows depend on.

    setting   the experiment's arguments, as JSON has them
    code      module -> hash of what of it can be reached
    packages  numerical package -> version
    checksum  of the data's files; empty where there are none
    """

    setting: dict[str, Any]
    code: dict[str, str]
    packages: dict[str, str] = field(default_factory=lambda: packages())
    checksum: str = ""

    @property
    def digest(self) -> str:
        """16 digits that stand for all of it."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def reasons(self, now: Fingerprint) -> list[str]:
        """Return the reasons why rows with this fingerprint are out of date under another."""
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
    """The versions of the packages that numbers depend on."""
    return {name: _version(name) for name in PACKAGES}


_version = cache(version)  # which reads and parses the package's description


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


# -- stored results --------------------------------------------------------------------------------


def read(experiment: str, data: str) -> pd.DataFrame:
    """Return the stored rows of an experiment on one dataset; StoredResultsError if none."""
    file = _file(experiment, data, "csv")
    if not file.exists():
        raise StoredResultsError(
            f"no stored results of {experiment} on {data}: "
            f"`python -m lib paper {experiment}` computes them"
        )
    return parsed(file.read_text(encoding="utf-8"))


def parsed(text: str) -> pd.DataFrame:
    """Rows from CSV, every number as it was; only an empty field is a missing value."""
    return pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""])


def provenance(experiment: str, data: str) -> dict[str, Any]:
    """Return what stored rows depend on; StoredResultsError if there are none or it is damaged."""
    file = _file(experiment, data, "json")
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoredResultsError(f"no stored results of {experiment} on {data}") from None
    except ValueError as error:
        raise StoredResultsError(f"{file} is damaged: {error}") from error
    return found


def is_stored(experiment: str, data: str) -> bool:
    """Return whether an experiment has stored rows on a dataset."""
    return _file(experiment, data, "json").exists() and _file(experiment, data, "csv").exists()


def store(
    experiment: str, data: str, rows: pd.DataFrame, fingerprint: Fingerprint, **facts: Any
) -> None:
    """Store rows, then what they depend on, whose file shows that the rows are complete."""
    folder = RESULTS / experiment
    folder.mkdir(parents=True, exist_ok=True)
    _file(experiment, data, "json").unlink(missing_ok=True)
    _write(_file(experiment, data, "csv"), rows.to_csv(index=False, lineterminator="\n"))
    stamp(
        experiment,
        data,
        fingerprint,
        {"experiment": experiment, "data": data, "rows": len(rows)} | facts,
    )


def stamp(experiment: str, data: str, fingerprint: Fingerprint, facts: dict[str, Any]) -> None:
    """Writes the provenance of rows that are there."""
    text = json.dumps(facts | asdict(fingerprint), indent=1, default=as_plain)
    _write(_file(experiment, data, "json"), text + "\n")


def stored_fingerprint(experiment: str, data: str) -> Fingerprint:
    """Return what stored rows depend on; StoredResultsError if there are none."""
    found = provenance(experiment, data)
    return Fingerprint(
        **{name: found[name] for name in ("setting", "code", "packages", "checksum")}
    )


def files(experiment: str) -> list[Path]:
    """Return the files of an experiment's stored rows."""
    return sorted((RESULTS / experiment).glob("*.csv"))


def _file(experiment: str, data: str, ending: str) -> Path:
    return RESULTS / experiment / f"{data.replace(' ', '-')}.{ending}"


def _write(file: Path, text: str) -> None:
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(file)


def as_plain(value: Any) -> Any:
    """A numpy scalar or array, or a tuple, as JSON has it."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{value!r} is not plain: numbers, text and lists were expected")


def plain(value: Any) -> Any:
    """A value as JSON gives it back: tuples become lists, numpy's numbers Python's."""
    return json.loads(json.dumps(value, default=as_plain))


def frame(data: str, unit: Sequence[str], played: Sequence[tuple[Any, list[Row]]]) -> pd.DataFrame:
    """Tidy rows: the column `data`, the unit's columns, and those of the rows."""
    made = []
    for name, rows in played:
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


# -- going on --------------------------------------------------------------------------------------


class Unfinished:
    """The units of one experiment on one dataset that are finished while others are not."""

    def __init__(self, experiment: str, data: str, fingerprint: Fingerprint) -> None:
        self.folder = UNFINISHED / f"{experiment}-{data.replace(' ', '-')}-{fingerprint.digest}"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait for another process that computes the same; a killed process holds no lock."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.folder.with_suffix(".lock")):
            yield

    def read(self, unit: Hashable) -> dict[str, Any] | None:
        """A finished unit's rows and seconds."""
        try:
            found: dict[str, Any] = json.loads(self._file(unit).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found

    def write(self, unit: Hashable, rows: list[Row], seconds: float) -> None:
        """Puts a finished unit's rows and seconds away, all or nothing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"rows": rows, "seconds": seconds}, default=as_plain)
        _write(self._file(unit), text)

    def begin(self) -> int:
        """Count the parts in which the experiment is run; return the number of this one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "parts"
        part = int(file.read_text()) + 1 if file.exists() else 1
        _write(file, str(part))
        return part

    def remove(self) -> None:
        """Delete the finished units, whose rows are stored now."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _file(self, unit: Hashable) -> Path:
        name = hashlib.sha256(json.dumps(unit, default=as_plain).encode()).hexdigest()[:16]
        return self.folder / f"{name}.json"


@contextmanager
def peak_memory(interval: float = 1.0) -> Iterator[list[int]]:
    """A list that grows by the bytes that this process and all below it hold, every second."""
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

"""Kept rows: what an experiment found, as plain CSV with its provenance beside it; and going on.

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
    """Kept rows that are not there, or not what they say they are."""


@dataclass(frozen=True)
class Fingerprint:
    """All that rows depend on.

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
        """Why rows with this fingerprint are stale under another; none if they are not."""
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


# -- kept rows -------------------------------------------------------------------------------------


def read(experiment: str, data: str) -> pd.DataFrame:
    """The kept rows of an experiment on one dataset. Raises StoredResultsError if there are
    none."""
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
    """What is known of kept rows. Raises StoredResultsError if there are none, or it is damaged."""
    file = _file(experiment, data, "json")
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoredResultsError(f"no stored results of {experiment} on {data}") from None
    except ValueError as error:
        raise StoredResultsError(f"{file} is damaged: {error}") from error
    return found


def is_stored(experiment: str, data: str) -> bool:
    """Whether an experiment has kept rows on a dataset."""
    return _file(experiment, data, "json").exists() and _file(experiment, data, "csv").exists()


def store(
    experiment: str, data: str, rows: pd.DataFrame, fingerprint: Fingerprint, **facts: Any
) -> None:
    """Keeps rows and what they depend on; first the rows, so that provenance means complete."""
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
    """What kept rows depend on. Raises StoredResultsError if there are none."""
    found = provenance(experiment, data)
    return Fingerprint(
        **{name: found[name] for name in ("setting", "code", "packages", "checksum")}
    )


def files(experiment: str) -> list[Path]:
    """The files of an experiment's kept rows."""
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
    kept: pd.DataFrame, played: pd.DataFrame, tolerance: float, loose_columns: Sequence[str] = ()
) -> list[str]:
    """List the differences between stored rows and rows that were computed again.

    Parameters
    ----------
    kept, played : pandas.DataFrame
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
    played = parsed(played.to_csv(index=False))
    if len(kept) != len(played) or set(kept) != set(played):
        one, other = (f"{len(rows)} rows of {', '.join(map(str, rows))}" for rows in (kept, played))
        return [f"{one} are kept, {other} were played"]
    found = []
    for column in kept:
        within = 0.05 if column in loose_columns else tolerance
        for row, (one, other) in enumerate(zip(kept[column], played[column], strict=True)):
            if not _same(one, other, within):
                found.append(f"{column} of row {row}: {one!r} kept, {other!r} played")
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
        """Waits for another process that plays the same; a killed process holds no lock."""
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
        """Counts the parts in which the experiment is played; this one's number."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "parts"
        part = int(file.read_text()) + 1 if file.exists() else 1
        _write(file, str(part))
        return part

    def remove(self) -> None:
        """Forgets the finished units: their rows are kept now."""
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

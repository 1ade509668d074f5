"""Many runs in one command that survives being killed: a sweep over parameters.

A run is a chapter with all its values. Each has a folder named by the hash of everything that it
depends on, and the folder appears only when the run is finished. So to continue after a kill is
nothing but to start again: runs that are there are kept, the others are done.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pandas as pd
import yaml
from tqdm import tqdm

from lib.chapters import notebooks, parameters
from lib.chapters.parameters import ParameterError
from lib.chapters.runs import failed_folder, folder_of, is_finished, run_into
from lib.execution import environment, yaml_text
from lib.execution.durations import duration
from lib.execution.errors import ChapterError
from lib.execution.parallel import cluster_size, run_parallel
from lib.validation import format_value

MOST = 10_000  # runs that are done without a question
_KEYS = ("notebook", "parameters", "cross")
_TABLES = ("table.csv", "table.partial.csv")  # of all runs, and of those that are finished
_BAR = "{percentage:3.0f}%|{bar}| {desc}"


# -- what is to be run -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A chapter with all its values.

    Parameters
    ----------
    chapter : str
        The chapter.
    values : dict
        All its values.
    inputs : str
        Hash of everything that the run depends on.
    folder : pathlib.Path
        Its folder.
    crossed : dict
        The values in which it differs from the other runs of its sweep.
    """

    chapter: str
    values: dict[str, Any]
    inputs: str
    folder: Path
    crossed: dict[str, Any] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether the run's outputs are there."""
        return is_finished(self.folder, self.inputs)

    def __str__(self) -> str:
        crossed = " ".join(f"{name}={_text(value)}" for name, value in self.crossed.items())
        return crossed or self.chapter


@dataclass(frozen=True)
class Sweep:
    """A sweep file that was read.

    Parameters
    ----------
    file : pathlib.Path
        The file.
    runs : list of Run
        Its runs in order; the last list of `cross:` changes fastest.
    """

    file: Path
    runs: list[Run]

    @property
    def folder(self) -> Path:
        """The folder of the sweep's tables."""
        return environment.runs() / f"sweep-{self.file.stem}"


def read(file: str | Path, most: float = MOST) -> Sweep:
    """Read a sweep file and check everything in it.

    Its entries are `notebook` (a chapter), `parameters` (values of all runs, in place of the
    chapter's `book` values; optional) and `cross` (for some parameters the list of values that each
    takes; every combination is a run).

    Parameters
    ----------
    file : str or pathlib.Path
        The file.
    most : float, default 10,000
        Largest number of runs.

    Returns
    -------
    Sweep
        Its runs.

    Raises
    ------
    ParameterError
        For more than `most` runs, before any value is checked; for whatever the chapter would not
        accept, with parameter, value, file and line; for a name or a value that is given twice.
    """
    file = Path(file)
    top = _mapping(_composed(file), file)
    for name, (line, _) in top.items():
        if name not in _KEYS:
            near = get_close_matches(name, _KEYS, 1, 0)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise _wrong(file, line, f"no entry {format_value(name)}{meant}")
    for name in ("notebook", "cross"):
        if name not in top:
            raise _wrong(file, 1, f"there is no entry {name!r}; a sweep has {', '.join(_KEYS)}")
    line, node = top["notebook"]
    chapter = str(yaml_text.plain(node))
    with _at(file, line):
        parameters.parameters(chapter)
    fixed = _mapping(top["parameters"][1], file) if "parameters" in top else {}
    lists = _lists(*top["cross"], file, most)
    for name in lists:
        if name in fixed:
            raise _wrong(file, lists[name][0], f"{name} is fixed in line {fixed[name][0]} too")
    checked = {name: _checked(chapter, name, each, file) for name, each in fixed.items()}
    crossed = {name: _crossed(chapter, name, node, file) for name, (_, node) in lists.items()}
    with _at(file, top["cross"][0]):
        return Sweep(file, _runs(chapter, checked, crossed))


def _composed(file: Path) -> yaml.Node:
    try:
        with file.open("rb") as stream:
            text = stream.read(4 * yaml_text.LARGEST + 1).decode("utf-8")
    except (OSError, ValueError) as error:
        raise ParameterError(
            f"sweep file {format_value(str(file))} cannot be read: {error}"
        ) from error
    try:
        found = yaml_text.compose(text)
        if found is not None:
            yaml_text.plain(found)
    except yaml_text.YamlError as error:
        raise _wrong(file, error.line, error.problem) from None
    if found is None:
        raise _wrong(file, 1, f"the file is empty; a sweep has {', '.join(_KEYS)}")
    return found


def _mapping(node: yaml.Node, file: Path) -> dict[str, tuple[int, yaml.Node]]:
    """Return line and value of each name in a mapping; none for an empty value."""
    if isinstance(node, yaml.MappingNode):
        return {
            str(yaml_text.plain(key)): (yaml_text.line_of(key), value) for key, value in node.value
        }
    value = yaml_text.plain(node)
    if value is None:
        return {}
    message = f"{format_value(value)} stands where `name: value` was expected"
    raise _wrong(file, yaml_text.line_of(node), message)


def _lists(
    line: int, node: yaml.Node, file: Path, most: float
) -> dict[str, tuple[int, yaml.SequenceNode]]:
    """Return line and list of each name in `cross`."""
    found = {}
    for name, (at, each) in _mapping(node, file).items():
        if not isinstance(each, yaml.SequenceNode) or not each.value:
            value = format_value(yaml_text.plain(each))
            raise _wrong(file, at, f"{name} is {value}; a list of values to cross was expected")
        found[name] = at, each
    if not found:
        raise _wrong(file, line, "`cross` is empty; a list for a parameter was expected")
    count = math.prod(len(each.value) for _, each in found.values())
    if count > most:
        message = f"`cross` makes {count:,} runs; more than {most:,} are done only with --yes"
        raise _wrong(file, line, message)
    return found


def _wrong(file: Path, line: int, message: object) -> ParameterError:
    return ParameterError(f"{file}, line {line}: {message}")


@contextmanager
def _at(file: Path, line: int) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise _wrong(file, line, error) from None


def _checked(chapter: str, name: str, entry: tuple[int, yaml.Node], file: Path) -> Any:
    line, node = entry
    with _at(file, line):
        return parameters.from_book(chapter, {name: yaml_text.plain(node)})[name]


def _crossed(chapter: str, name: str, node: yaml.SequenceNode, file: Path) -> list[Any]:
    """Check the values that a parameter takes; all differ."""
    found: dict[str, Any] = {}
    for each in node.value:
        line = yaml_text.line_of(each)
        value = _checked(chapter, name, (line, each), file)
        if _text(value) in found:
            raise _wrong(file, line, f"{name} takes {format_value(value)} twice")
        found[_text(value)] = value
    return list(found.values())


def _runs(chapter: str, fixed: dict[str, Any], crossed: dict[str, list[Any]]) -> list[Run]:
    base = parameters.book_values(chapter) | fixed
    own = [dict(zip(crossed, each, strict=True)) for each in product(*crossed.values())]
    for each in own:
        parameters.check_together(chapter, base | each)
    every = list(notebooks.inputs_of_each(chapter, (base | each for each in own)))
    parameters.check_headers(chapter, (base | each for each in own))
    return [
        Run(chapter, base | each, inputs, folder_of(chapter, inputs), each)
        for each, inputs in zip(own, every, strict=True)
    ]


# -- what they will cost ---------------------------------------------------------------------------


class Cost(NamedTuple):
    """What a similar run took.

    Parameters
    ----------
    seconds : float
        Its time.
    megabytes : float
        Its memory; NaN if it was not measured.
    like : str
        Name of the similar run, and how many of its values differ.
    """

    seconds: float
    megabytes: float  # NaN where it was not measured
    like: str  # whose cost this is, and how many parameters it had other


def finished_before() -> list[dict[str, Any]]:
    """Read the provenance of all finished runs.

    Returns
    -------
    list of dict
        The provenance of each, with its "name".
    """
    found = []
    for file in sorted(environment.runs().glob("[!.]*/provenance.json")):
        with suppress(ValueError):
            found.append(json.loads(file.read_text()) | {"name": file.parent.name})
    return found


def expected(run: Run, before: list[dict[str, Any]]) -> Cost | None:
    """Estimate the cost of a run from the finished run of its chapter with most values in common.

    If several are equally similar, the time is their median, and the memory their maximum.

    Parameters
    ----------
    run : Run
        The run.
    before : list of dict
        What `finished_before` returns.

    Returns
    -------
    Cost or None
        The cost; None if no run of the chapter has finished.
    """
    same = [each for each in before if each["chapter"] == run.chapter]
    other = [_differing(run.values, each["parameters"]) for each in same]
    near = [each for each, n in zip(same, other, strict=True) if n == min(other)]
    if not near:
        return None
    like = near[0]["name"] + (f" and {len(near) - 1} more" if len(near) > 1 else "")
    like += f", {min(other)} values differ" if min(other) else ""
    memory = [each.get("peak_memory_mb", math.nan) for each in near]
    return Cost(median(each["duration_seconds"] for each in near), max(memory), like)


def _differing(one: dict[str, Any], other: dict[str, Any]) -> int:
    return sum(
        name not in one or name not in other or one[name] != other[name]
        for name in one.keys() | other.keys()
    )


def plan(runs: list[Run]) -> pd.DataFrame:
    """List runs with their states and expected costs.

    Parameters
    ----------
    runs : list of Run
        The runs.

    Returns
    -------
    pandas.DataFrame
        A row for each run: its folder, its crossed values, its state, its time and memory, and
        the run from which they are estimated.
    """
    before, rows = finished_before(), []
    for run in runs:
        cost = expected(run, before)
        state = "finished" if run.finished else "to do"
        if state == "to do" and failed_folder(run.folder).exists():
            state = "failed before"
        rows.append(
            {"run": run.folder.name}
            | {name: _text(value) for name, value in run.crossed.items()}
            | {
                "state": state,
                "time": duration(cost.seconds) if cost else "unknown",
                "memory": _memory(cost),
                "as": cost.like if cost else "",
            }
        )
    return pd.DataFrame(rows)


def in_all(runs: list[Run], processes: int) -> str:
    """Summarise what is left to do.

    Parameters
    ----------
    runs : list of Run
        The runs.
    processes : int
        Number of processes.

    Returns
    -------
    str
        One line.
    """
    todo, before = [run for run in runs if not run.finished], finished_before()
    costs = [expected(run, before) for run in todo]
    known = [cost for cost in costs if cost]
    words = f"{len(runs)} runs, {len(todo)} to do"
    if known:
        time = sum(cost.seconds for cost in known) / processes
        memory = sorted((cost.megabytes for cost in known if cost.megabytes > 0), reverse=True)
        words += f": about {duration(time)} with {processes} at once"
        words += f", at most {sum(memory[:processes]):.0f} MB" if memory else ""
        words += f", without the {len(todo) - len(known)} unknown" if len(known) < len(todo) else ""
    return words


def _memory(cost: Cost | None) -> str:
    return f"{cost.megabytes:.0f} MB" if cost and cost.megabytes > 0 else "unknown"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


# -- one run, in another process -------------------------------------------------------------------


def _order(run: Run) -> dict[str, Any]:
    """Describe a run to another process; its folder is relative to the checkout."""
    folder = os.path.relpath(run.folder, environment.ROOT)
    return {"chapter": run.chapter, "values": run.values, "inputs": run.inputs, "folder": folder}


def _perform(position: int, order: dict[str, Any], bring: bool) -> _Ended:
    """Do a run; return its position, its error, and its files if another machine needs them."""
    chapter, values, inputs = order["chapter"], order["values"], order["inputs"]
    folder = Path(os.path.normpath(environment.ROOT / order["folder"]))
    error = ""
    try:
        if notebooks.inputs(chapter, values) != inputs:
            raise ValueError(
                f"{chapter}: its code, packages, stored results or data are not those of the "
                "command that started it"
            )
        run_into(folder, chapter, values, inputs, again=False, bar=False)
    except (ChapterError, ValueError, OSError) as wrong:
        error = str(wrong)
    if not bring:
        return position, error, {}
    folder = failed_folder(folder) if error else folder
    files = [file for file in folder.rglob("*") if file.is_file()]
    error = error.replace(f"{environment.ROOT}{os.sep}", "")  # its folder there is that of here
    found = {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
    return position, error, found


_Ended = tuple[int, str, dict[str, bytes]]


# -- all of them -----------------------------------------------------------------------------------


def perform(runs: list[Run], processes: int = 1, scheduler: str = "") -> dict[int, str]:
    """Do the runs that are not finished, with a progress bar.

    Parameters
    ----------
    runs : list of Run
        The runs.
    processes : int, default 1
        Number of processes on this machine.
    scheduler : str, optional
        Address of a Dask scheduler whose workers do the runs instead.

    Returns
    -------
    dict of int to str
        Position and error of each failed run.

    Raises
    ------
    ValueError
        For fewer than one process.
    ChapterError
        If a process was killed.
    OSError
        If the scheduler does not answer.
    """
    if processes < 1:
        raise ValueError(f"processes is {processes}; at least 1 was expected")
    todo = [position for position, run in enumerate(runs) if not run.finished]
    if not todo:
        return {}
    before = finished_before()
    costs = [(position, expected(runs[position], before)) for position in todo]
    jobs = [(position, _order(runs[position]), bool(scheduler)) for position in todo]
    parallel = cluster_size(scheduler) if scheduler else processes
    failed = {}
    with (
        closing(run_parallel(_perform, jobs, processes, scheduler)) as done,
        _Progress({i: cost and cost.seconds for i, cost in costs}, parallel) as bar,
    ):
        for position, error, files in done:
            _bring(runs[position], files, bool(error))
            bar.finish(position)
            if error:
                failed[position] = error
    return dict(sorted(failed.items()))


def _bring(run: Run, files: dict[str, bytes], failed: bool) -> None:
    """Store the files of a run on a cluster here, unless the two machines share a disk."""
    folder = failed_folder(run.folder) if failed else run.folder
    if not files or (run.finished and not failed):
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".executing-") as partial:
        for name, content in files.items():
            file = Path(partial, "run", name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        environment.replace(Path(partial, "run"), folder)


class _Progress:
    """A bar of the expected time, that moves on every second where somebody looks at it."""

    def __init__(self, seconds: dict[int, float | None], at_once: int) -> None:
        self.left, self.all, self.at_once = dict(seconds), len(seconds), at_once
        self.started = self.last = time.monotonic()
        self.stop = threading.Event()
        self.bar = tqdm(total=1.0, bar_format=_BAR)
        self.ticking = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> _Progress:
        self._show()
        if sys.stderr.isatty():
            self.ticking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        if self.ticking.is_alive():
            self.ticking.join()
        self.bar.close()

    def finish(self, position: int) -> None:
        del self.left[position]
        self.last = time.monotonic()
        self._show()

    def _tick(self) -> None:
        while not self.stop.wait(1.0):
            self._show()

    def _show(self) -> None:
        gone, done = time.monotonic() - self.started, self.all - len(self.left)
        left = self.remaining()
        self.bar.n = gone / (gone + left) if left is not None and gone + left else done / self.all
        self.bar.set_description_str(self.words())

    def words(self) -> str:
        gone, left = time.monotonic() - self.started, self.remaining()
        rest = "time left unknown" if left is None else f"about {duration(left)} left"
        return f"{self.all - len(self.left)} of {self.all} runs, {duration(gone)} gone, {rest}"

    def remaining(self) -> float | None:
        """Seconds left; runs of which nothing is known count as the mean of the others."""
        done = self.all - len(self.left)
        known = [each for each in self.left.values() if each is not None]
        if not known and not done:
            return None
        measured = (self.last - self.started) * self.at_once / max(done, 1)
        mean = sum(known) / len(known) if known else measured
        each = [mean if seconds is None else seconds for seconds in self.left.values()]
        whole = max(sum(each) / self.at_once, max(each, default=0.0))
        return max(whole - (time.monotonic() - self.last), 0.0)


# -- a sweep ---------------------------------------------------------------------------------------


def prepare(plan: Sweep) -> None:
    """Create the folder of a sweep, with a copy of its file; remove tables of fewer runs.

    Parameters
    ----------
    plan : Sweep
        The sweep.
    """
    environment.write(plan.folder / "sweep.yml", plan.file.read_text(encoding="utf-8"))
    if not all(run.finished for run in plan.runs):
        for name in _TABLES:
            (plan.folder / name).unlink(missing_ok=True)


def write_table(plan: Sweep) -> Path:
    """Write the table of the finished runs.

    Parameters
    ----------
    plan : Sweep
        The sweep.

    Returns
    -------
    pathlib.Path
        `table.csv`, or `table.partial.csv` if runs are missing; the other file is deleted.
    """
    finished = [run for run in plan.runs if run.finished]
    right, wrong = _TABLES if len(finished) == len(plan.runs) else _TABLES[::-1]
    text = table(finished).to_csv(index=False, lineterminator="\n")
    with environment.alone(plan.folder.name):
        (plan.folder / wrong).unlink(missing_ok=True)
        environment.write(plan.folder / right, text)
    return plan.folder / right


def table(runs: list[Run]) -> pd.DataFrame:
    """Put all tables of the finished runs into one.

    Parameters
    ----------
    runs : list of Run
        The runs.

    Returns
    -------
    pandas.DataFrame
        All text. Columns: `run` (its folder), the crossed parameters, `table` (the name of the
        chapter's table), then every column of any of the tables, empty where a table lacks it. A
        column named like a crossed parameter gets the suffix "(table)".
    """
    frames = []
    for run in (run for run in runs if run.finished):
        own = {"run": run.folder.name} | {k: _text(v) for k, v in run.crossed.items()}
        for file in sorted((run.folder / "tables").glob("*.csv")):
            frame = pd.read_csv(file, dtype=str, keep_default_na=False)
            first = own | {"table": file.stem}
            frame = frame.rename(columns={c: f"{c} (table)" for c in frame if c in first})
            frames.append(pd.DataFrame(first, index=frame.index).join(frame))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

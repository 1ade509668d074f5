"""Running chapters: their parameters checked first, papermill second, always the same bytes.

A chapter is `notebooks/<chapter>.py`. Its `parameters` cell declares every knob on one line,
`name: type = default  # meaning; range`, and that line is what values are checked against.
"""

from __future__ import annotations

import ast
import fcntl
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pandas as pd
import papermill
import psutil
import yaml
from jupyter_client.manager import AsyncKernelManager
from papermill.translators import PythonTranslator
from traitlets import default

import lib
from lib import FINISHED_VARIABLE
from lib.datasets import files
from lib.plots import TABLES_VARIABLE

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "book"
RUNS = ROOT / "runs"
PAPER = BOOK / "paper"
KERNEL_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OPENBLAS_CORETYPE": "Haswell",
    "TQDM_DISABLE": "1",
}
_KEY = "aggregate_location"  # where an executed notebook keeps the hash of its inputs


class ParameterError(ValueError):
    """A parameter that a chapter does not have or does not accept."""


class ChapterError(RuntimeError):
    """A chapter that stopped with an error; the message says where its notebook lies."""


# -- parameters ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameter:
    """One line of a chapter's `parameters` cell."""

    name: str
    type: str  # int, float, bool, str, list[...] or dict[str, ...]
    default: Any
    help: str

    @property
    def is_path(self) -> bool:
        return bool(re.search(r"\bfile\b", self.help))

    def check(self, value: Any) -> Any:
        """The value as the chapter will get it; ParameterError says what would be accepted."""
        if self.type == "float" and isinstance(value, str):  # YAML reads 1e-3 as text
            value = _number(value)
        if not _is(value, self.type):
            raise ParameterError(f"{self.name} is {value!r}; it takes {self}")
        for each in value if isinstance(value, list) else [value]:
            if not self._in_range(each):
                raise ParameterError(f"{self.name} is {value!r}; it takes {self}")
        if self.is_path and value and not Path(value).expanduser().exists():
            raise ParameterError(f"{self.name}: no file or folder {value!r}")
        return float(value) if self.type == "float" else value

    def _in_range(self, value: Any) -> bool:
        choices = re.search(r"\bone of ([\w|.+-]+)", self.help)
        if choices:
            return value in choices.group(1).split("|")
        bounds = re.search(r"(?:^|[\s;])(-?[\d.]*?\d(?:e-?\d+)?)?\.\.(-?[\w.-]+)?", self.help)
        if bounds and isinstance(value, (int, float)):
            low, high = (_number(bound) for bound in bounds.groups())
            if isinstance(low, float) and value < low:
                return False
            return not (isinstance(high, float) and value > high)
        return True

    def __str__(self) -> str:
        return f"{self.type}" + (f": {self.help}" if self.help else "")


def _number(text: str | None) -> Any:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return text  # a bound such as "pool" is known only to the chapter


def _is(value: Any, annotation: str) -> bool:
    outer, _, inner = annotation.partition("[")
    inner = inner.removesuffix("]")
    if outer == "list":
        return isinstance(value, list) and all(_is(each, inner) for each in value)
    if outer == "dict":
        key, _, item = (part.strip() for part in inner.partition(","))
        return isinstance(value, dict) and all(_is(k, key) and _is(v, item)
                                               for k, v in value.items())  # fmt: skip
    if outer == "float":
        return (
            isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        )
    if outer == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, {"str": str, "bool": bool}[outer])


def chapters() -> list[str]:
    return sorted(file.stem for file in (ROOT / "notebooks").glob("*.py"))


def _source(chapter: str) -> Path:
    file = ROOT / "notebooks" / f"{chapter}.py"
    if not file.exists():
        near = get_close_matches(chapter, chapters(), 1, 0)
        raise ParameterError(f"no notebook {chapter!r}; did you mean {near[0]!r}? {_listed()}")
    return file


def _listed() -> str:
    return f"There are: {', '.join(chapters())}"


def parameters(chapter: str) -> list[Parameter]:
    """A chapter's parameters, in the order of its `parameters` cell."""
    found = _declared(_source(chapter).read_text(encoding="utf-8"))
    if found is None:
        raise ParameterError(f"notebook {chapter!r} has no cell tagged parameters")
    return found


@cache
def _declared(source: str) -> list[Parameter] | None:
    for cell in jupytext.reads(source, fmt="py:percent").cells:
        if "parameters" in cell.metadata.get("tags", []):
            found = PythonTranslator.inspect(cell)
            return [
                Parameter(p.name, p.inferred_type_name, ast.literal_eval(p.default), p.help)
                for p in found
            ]
    return None


def check(chapter: str, values: dict[str, Any]) -> dict[str, Any]:
    """The values, checked against the chapter's parameters, or ParameterError."""
    known = {p.name: p for p in parameters(chapter)}
    for name in values:
        if name not in known:
            near = get_close_matches(name, known, 1, 0)[0]
            raise ParameterError(
                f"{chapter} has no parameter {name!r}; did you mean {near!r} ({known[near]})? "
                f"It has: {', '.join(known)}"
            )
    return {name: known[name].check(value) for name, value in values.items()}


def parameter_set(chapter: str, which: str) -> dict[str, Any]:
    """All `book` or `paper` values of a chapter: `notebooks/params/<chapter>.yml` over defaults."""
    defaults = {p.name: p.default for p in parameters(chapter)}
    file = ROOT / "notebooks" / "params" / f"{chapter}.yml"
    return defaults | check(chapter, yaml.safe_load(file.read_text())[which] or {})


# -- what an executed notebook depends on ----------------------------------------------------------


def inputs_hash(chapter: str, values: dict[str, Any]) -> str:
    """SHA-256 of everything that determines a chapter's outputs: source, lib, values, lock."""
    total = hashlib.sha256()
    sources = [_source(chapter), *sorted((ROOT / "lib").rglob("*.py")), ROOT / "requirements.lock"]
    for file in sources:
        total.update(file.relative_to(ROOT).as_posix().encode() + b"\0")
        total.update(file.read_text(encoding="utf-8").encode() + b"\0")  # newlines made equal
    total.update(json.dumps(values, sort_keys=True).encode())
    for digest in _data_checksums(chapter, values).values():
        total.update(digest.encode())
    return total.hexdigest()


def _data_checksums(chapter: str, values: dict[str, Any]) -> dict[str, str]:
    paths = {p.name: values.get(p.name) for p in parameters(chapter) if p.is_path}
    checksums = {}
    for name, value in paths.items():
        if value:
            path = BOOK / value
            contents = (
                sorted(f for f in path.rglob("*") if f.is_file()) if path.is_dir() else [path]
            )
            checksums[name] = files.checksum(contents)
    return checksums


def book_inputs(chapter: str) -> str:
    """The hash of what the book's notebook depends on: also the paper tables that it shows."""
    total = hashlib.sha256(inputs_hash(chapter, parameter_set(chapter, "book")).encode())
    for table in sorted((PAPER / chapter / "tables").glob("*.csv")):
        total.update(table.name.encode() + b"\0" + table.read_text(encoding="utf-8").encode())
    return total.hexdigest()


def is_stale(chapter: str) -> bool:
    """Whether the book's executed notebook is missing or was made from other inputs."""
    file = BOOK / f"{chapter}.ipynb"
    if not file.exists():
        return True
    metadata = nbformat.read(file, as_version=4).metadata
    return bool(metadata.get(_KEY, {}).get("inputs") != book_inputs(chapter))


# -- executing -------------------------------------------------------------------------------------


@contextmanager
def _environment(tables: Path | None, finished: Path | None) -> Iterator[None]:
    """What the kernel inherits: one thread, no progress bars, `lib`, the folders for results."""
    wanted = KERNEL_ENVIRONMENT | {"PYTHONPATH": str(ROOT), TABLES_VARIABLE: str(tables or "")}
    wanted[FINISHED_VARIABLE] = str(finished or "")
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class SocketKernelManager(AsyncKernelManager):
    """Reaches its kernel through files where the system has such sockets.

    A port is looked for first and taken later: two kernels that start at once may want the same.
    """

    @default("transport")
    def _transport(self) -> str:
        return "tcp" if os.name == "nt" else "ipc"

    @default("connection_file")
    def _connection_file(self) -> str:
        return str(Path(tempfile.gettempdir(), f"kernel-{uuid.uuid4().hex}.json"))


def execute(
    chapter: str,
    values: dict[str, Any],
    target: Path,
    inputs: str,
    tables: Path | None = None,
    finished: Path | None = None,
) -> None:
    """Executes a chapter with checked values and writes it to `target`, the same bytes every time.

    inputs    the hash of what it depends on, kept in the notebook
    tables    a folder that gets the chapter's tables as CSV
    finished  a folder that gets the rows of each finished target, and gives those it has

    Raises ChapterError if a cell fails; `target` then holds the notebook with the error in it.
    """
    notebook = jupytext.read(_source(chapter))
    notebook.metadata = {"kernelspec": {"name": "python3", "language": "python",
                                        "display_name": "Python 3"}}  # fmt: skip
    with _environment(tables, finished):
        try:
            papermill.execute_notebook(
                nbformat.from_dict(notebook),
                str(target),
                parameters=values,
                cwd=str(BOOK),
                kernel_name="python3",
                kernel_manager_class=SocketKernelManager,
                extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
                progress_bar={"desc": chapter},
            )
        except papermill.PapermillExecutionError as error:
            raise ChapterError(
                f"{chapter} stopped: {error.ename}: {error.evalue}\nsee {target}"
            ) from error
        except RuntimeError as error:  # the kernel died
            _mark(target, type(error).__name__, f"{error}; most often for want of memory")
            raise ChapterError(f"{chapter} stopped: {error}\nsee {target}") from error
    executed = nbformat.read(target, as_version=4)
    _normalise(executed, chapter)
    executed.metadata[_KEY] = {"inputs": inputs}
    nbformat.write(executed, target)


def _mark(file: Path, name: str, text: str) -> None:
    """Puts an error on top of a notebook in which no cell could say it."""
    notebook = nbformat.read(file, as_version=4)
    error = nbformat.v4.new_output("error", ename=name, evalue=text, traceback=[f"{name}: {text}"])
    notebook.cells.insert(0, nbformat.v4.new_code_cell(outputs=[error]))
    nbformat.write(notebook, file)


def _normalise(notebook: nbformat.NotebookNode, chapter: str) -> None:
    """Takes out what differs from run to run: ids, times, versions, how text was cut."""
    for number, cell in enumerate(notebook.cells):
        cell.id = f"{chapter}-{number:03d}"
        for transient in ("execution", "papermill"):
            cell.metadata.pop(transient, None)
        if cell.cell_type == "code":
            cell.outputs = _merged(cell.outputs)
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"},
            "language_info": {"name": "python"},
        }
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5


def _merged(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Printed text in one piece: a kernel sends it in one or several, as time has it."""
    merged: list[nbformat.NotebookNode] = []
    for output in outputs:
        last = merged[-1] if merged else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            merged[-1].text += output.text
        else:
            merged.append(output)
    return merged


def update_book() -> list[str]:
    """Executes the chapters whose inputs changed, with their `book` values; says which."""
    stale = [chapter for chapter in chapters() if is_stale(chapter)]
    for chapter in stale:
        with tempfile.TemporaryDirectory(dir=ROOT, prefix=".executing-") as folder:
            partial = Path(folder) / f"{chapter}.ipynb"
            try:
                execute(chapter, parameter_set(chapter, "book"), partial, book_inputs(chapter))
            except ChapterError:
                failed = RUNS / f"{chapter}-failed.ipynb"
                failed.parent.mkdir(exist_ok=True)
                partial.replace(failed)
                raise ChapterError(f"{chapter} stopped with an error; see {failed}") from None
            partial.replace(BOOK / f"{chapter}.ipynb")
    return stale


def run(chapter: str, values: dict[str, Any]) -> Path:
    """Executes a chapter with a reader's values over its `book` values, into `runs/`."""
    chosen = over_set(chapter, "book", values)
    inputs = inputs_hash(chapter, chosen)
    folder = RUNS / f"{chapter}-{inputs[:10]}"
    run_into(folder, chapter, chosen, inputs)
    return folder


def paper(chapter: str, values: dict[str, Any]) -> Path:
    """Executes a chapter with its `paper` values (and a reader's over them), into `book/paper/`."""
    chosen = over_set(chapter, "paper", values)
    run_into(PAPER / chapter, chapter, chosen, inputs_hash(chapter, chosen))
    return PAPER / chapter


def over_set(chapter: str, which: str, values: dict[str, Any]) -> dict[str, Any]:
    """All values of a run: a set of the chapter, and over it a reader's values, checked.

    Paths become relative to the folder that chapters run in: no machine's name is kept.
    """
    values = check(chapter, values)
    paths = {p.name for p in parameters(chapter) if p.is_path}
    return parameter_set(chapter, which) | {
        name: os.path.relpath(Path(value).expanduser(), BOOK) if name in paths and value else value
        for name, value in values.items()
    }


def is_finished(folder: Path, inputs: str) -> bool:
    """Whether the folder holds a finished run with these inputs (their hash)."""
    try:
        return bool(json.loads((folder / "provenance.json").read_text())["inputs"] == inputs)
    except (OSError, ValueError, KeyError):
        return False


def failed_folder(folder: Path) -> Path:
    """Where the notebook of a failed run goes: always among the runs, never into the book."""
    return RUNS / f"{folder.name}-failed"


def run_into(
    folder: Path, chapter: str, values: dict[str, Any], inputs: str, again: bool = True
) -> None:
    """Executes a chapter with checked values into a folder: its notebook, tables and provenance.

    A hidden folder is filled and then renamed: nothing unfinished ever bears a finished run's name.
    A run that was stopped, however, goes on where it was when the same is run again: the rows of
    its finished targets wait in `runs/unfinished` under the hash of all that they depend on. Of
    two processes that fill the same folder, the second waits for the first.

    again  whether a run that is already finished is done once more

    Raises ChapterError if a cell fails, after keeping the notebook in `failed_folder(folder)`.
    """
    finished = RUNS / "unfinished" / f"{chapter}-{inputs[:16]}"
    with _alone(RUNS / "unfinished" / f"{folder.parent.name}-{folder.name}.lock"):
        if not again and is_finished(folder, inputs):
            return
        folder.parent.mkdir(parents=True, exist_ok=True)
        for left in folder.parent.glob(f".executing-{folder.name}-*"):  # by one that was killed
            shutil.rmtree(left, ignore_errors=True)
        partial = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".executing-{folder.name}-"))
        try:
            _fill(partial, chapter, values, inputs, finished)
        except ChapterError as error:
            replace(partial, failed_folder(folder))
            raise ChapterError(
                str(error).replace(str(partial), str(failed_folder(folder)))
            ) from None
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
        replace(partial, folder)
        for old in (finished, failed_folder(folder)):
            shutil.rmtree(old, ignore_errors=True)


def _fill(folder: Path, chapter: str, values: dict[str, Any], inputs: str, finished: Path) -> None:
    """Executes a chapter into an empty folder; the provenance comes last."""
    folder.chmod(0o755)
    tables = folder / "tables"
    tables.mkdir()
    resumed, started = finished.exists(), time.monotonic()
    with _peak_memory() as peak:
        execute(chapter, values, folder / f"{chapter}.ipynb", inputs, tables, finished)
    (folder / "parameters.yml").write_text(yaml.safe_dump(values, sort_keys=False))
    provenance = {
        "chapter": chapter,
        "version": lib.__version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        "numpy": version("numpy"),
        "parameters": values,
        "lock": files.checksum([ROOT / "requirements.lock"]),
        "inputs": inputs,
        "data": _data_checksums(chapter, values) | _datasets_read(tables),
        "duration_seconds": round(time.monotonic() - started, 1),
        "peak_memory_mb": round(max(peak) / 1e6),
    }
    if resumed:
        provenance["resumed"] = True  # then the duration is that of the last part
    (folder / "provenance.json").write_text(json.dumps(provenance, indent=1) + "\n")


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Waits for other processes with the same lock file; a killed process holds none."""
    file.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with file.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                current = os.path.samestat(os.fstat(lock.fileno()), file.stat())
            except FileNotFoundError:
                current = False
            if current:  # else the one before removed it while this one waited
                try:
                    yield
                finally:
                    file.unlink(missing_ok=True)
                return


@contextmanager
def _peak_memory(interval: float = 1.0) -> Iterator[list[int]]:
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


def _datasets_read(tables: Path) -> dict[str, str]:
    """Checksums of the datasets that a chapter lists in its table `data`."""
    file = tables / "data.csv"
    if not file.exists():
        return {}
    table = pd.read_csv(file, index_col=0)["checksum"].dropna()
    return {str(name): str(checksum) for name, checksum in table.items()}


def replace(new: Path, old: Path) -> None:
    """Gives a folder another's name; the other, if there is one, goes only then."""
    old.parent.mkdir(parents=True, exist_ok=True)
    if old.exists():
        aside = Path(tempfile.mkdtemp(dir=old.parent, prefix=f".executing-{old.name}-"))
        old.rename(aside / "old")
        new.rename(old)
        shutil.rmtree(aside, ignore_errors=True)
    else:
        new.rename(old)


# -- the book --------------------------------------------------------------------------------------


def build_book(output: Path = ROOT / "_build") -> Path:
    """Builds the pages strictly, from nothing; every warning is an error. Returns the home page.

    Raises ChapterError if the build fails; what was wrong has been printed.
    """
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    tool = Path(sys.executable).with_name("jupyter-book")
    command = [str(tool), "build", str(ROOT), "--path-output", str(output.parent)]
    command += ["-W", "-n", "--keep-going"]
    if subprocess.run(command, check=False).returncode:
        raise ChapterError("the book was not built: every warning above is an error")
    return output / "html" / "book" / "index.html"

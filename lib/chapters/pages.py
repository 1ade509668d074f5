"""The pages of the book: which are stale, bringing them up to date, checking them, building."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from tqdm import tqdm

from lib.chapters import building, notebooks, parameters, unchanged
from lib.execution import environment, fingerprints
from lib.execution.errors import ChapterError
from lib.execution.parallel import run_parallel

State = Literal["fresh", "prose", "stale"]
_AT_ONCE = 2  # pages that are executed at a time


def pages() -> list[str]:
    """All notebooks of the book: chapters, and `replication/<paper>`."""
    folder = environment.notebooks()
    found = [*folder.glob("*.py"), *folder.glob("replication/*.py")]
    return sorted(file.relative_to(folder).with_suffix("").as_posix() for file in found)


def values_of(page: str) -> dict[str, Any]:
    """A page's values in the book; a replication has none."""
    return {} if "/" in page else parameters.book_values(page)


def state(page: str) -> State:
    """Whether the book's executed notebook is up to date, in its prose and comments only not, or
    was made from other code, values, packages or kept rows (or not at all).
    """
    kept = notebooks.hashes(notebooks.executed(page))
    if kept.get("inputs") != notebooks.inputs(page, values_of(page)):
        return "stale"
    return "fresh" if kept.get("source") == notebooks.source_hash(page) else "prose"


def update(names: Iterable[str] = ()) -> dict[str, State]:
    """Brings pages up to date, all without a name: page -> what it was, where that was not fresh.

    Two are executed at a time. Raises ChapterError for the first page that fails; its notebook then
    lies in `runs`.
    """
    before = {page: state(page) for page in list(names) or pages()}
    for page in (each for each in before if before[each] == "prose"):
        notebooks.render(page, values_of(page), notebooks.executed(page))
    stale = [page for page in before if before[page] == "stale"]
    if stale:
        with tempfile.TemporaryDirectory(dir=environment.ROOT, prefix=".executing-") as folder:
            if len(stale) == 1:
                _execute(stale[0], folder)
            else:
                _execute_each(stale, folder)
    return {page: was for page, was in before.items() if was != "fresh"}


def _execute(page: str, folder: str, bar: bool = True) -> None:
    values, target = values_of(page), notebooks.executed(page)
    target.parent.mkdir(parents=True, exist_ok=True)
    name = page.replace("/", "-")
    partial = Path(folder, f"{name}.ipynb")
    try:
        notebooks.execute(page, values, partial, notebooks.inputs(page, values), bar)
    except ChapterError as error:
        failed = environment.runs() / f"{name}-failed.ipynb"
        failed.parent.mkdir(exist_ok=True)
        partial.replace(failed)
        raise ChapterError(str(error).replace(str(partial), str(failed))) from None
    partial.replace(target)


def _execute_each(stale: list[str], folder: str) -> None:
    """Several pages, with one bar for all; what a worker that is stopped leaves goes with us."""
    with (
        tempfile.TemporaryDirectory(prefix="pages-") as passing,
        closing(
            run_parallel(_in_worker, [(page, folder, passing) for page in stale], _AT_ONCE)
        ) as done,
        tqdm(total=len(stale), desc="pages", unit="page") as bar,
    ):
        for _ in done:
            bar.update()


def _in_worker(page: str, folder: str, passing: str) -> None:
    tempfile.tempdir = passing
    _execute(page, folder, bar=False)


def make(found_in: str) -> Path:
    """Builds the book of pages that are up to date; returns the home page.

    found_in  `unchanged.digest()` from before they were found so; empty if some had to be changed,
              and then they are looked at again. It is remembered, if it stays so to the end
    """
    if not found_in:
        fingerprints.forget()
        found_in = unchanged.digest()
        found_in = "" if update() else found_in
    home = build()
    if found_in and not _named_files() and unchanged.digest() == found_in:
        unchanged.remember_book(found_in)
    return home


def _named_files() -> bool:
    """Whether a page's values name files, which may lie anywhere."""
    return any(parameters.paths(page, values_of(page)) for page in parameters.chapters())


# -- checking --------------------------------------------------------------------------------------


def unchecked() -> list[str]:
    """The pages whose bytes or inputs are not those that were last found good."""
    found_in = unchanged.digest()
    found = [page for page in pages() if _stamp(page) != _last_stamp(page)]
    if not found and not _named_files():
        unchanged.remember_checked(found_in)
    return found


def check(names: Iterable[str]) -> int:
    """Executes pages again and compares every documented number; pytest's exit code.

    Two processes take one page after another, the longest first (`conftest.py`). What is found good
    is remembered.
    """
    chosen = list(names)
    if not chosen:
        return 0
    if importlib.util.find_spec("nbval") is None:
        raise ChapterError("nbval, which checks pages, is missing: run `make test-env`")
    stamps = {page: _stamp(page) for page in chosen}
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env"]
    command += ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    command += [str(notebooks.executed(page).relative_to(environment.ROOT)) for page in chosen]
    done = subprocess.run(
        command, cwd=environment.ROOT, env=environment.variables(), check=False
    ).returncode
    if done == 0:
        for page, stamp in stamps.items():
            file = _stamp_file(page)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(stamp)
    return done


def _stamp(page: str) -> str:
    file = notebooks.executed(page)
    total = hashlib.sha256(file.read_bytes() if file.exists() else b"")
    total.update(notebooks.inputs(page, values_of(page)).encode())
    return total.hexdigest()


def _last_stamp(page: str) -> str:
    file = _stamp_file(page)
    return file.read_text() if file.exists() else ""


def _stamp_file(page: str) -> Path:
    return environment.ROOT / ".nbval" / page.replace("/", "-")


# -- building --------------------------------------------------------------------------------------


def build(output: Path | None = None) -> Path:
    """Build the pages strictly; every warning is an error.

    After a build without a warning, only what changed is built again (`lib.chapters.building`).

    Parameters
    ----------
    output : Path, optional
        The build folder, called `_build`; if not given, that of the checkout.

    Returns
    -------
    Path
        The home page.

    Raises
    ------
    ChapterError
        If the build fails. What was wrong has been printed.
    """
    output = output or environment.ROOT / "_build"
    sources = building.sources()
    if building.prepare(output, sources):
        tool = Path(sys.executable).with_name("jupyter-book")
        command = [str(tool), "build", str(environment.ROOT), "--path-output", str(output.parent)]
        command += ["-W", "-n", "--keep-going"]
        variables = os.environ | {building.BUILDER: str(os.getpid())}
        if subprocess.run(command, env=variables, check=False).returncode:
            raise ChapterError("the book was not built: every warning above is an error")
        if building.sources() == sources:
            building.keep(output, sources)
    return output / "html" / "book" / "index.html"

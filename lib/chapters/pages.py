"""The pages of the book: bring them up to date, check their numbers, and build the book."""

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

State = Literal["current", "prose", "outdated"]
_AT_ONCE = 2  # pages that are executed at a time


def pages() -> list[str]:
    """List the notebooks of the book: chapters, and `replication/<paper>`.

    Returns
    -------
    list of str
        Names of pages.
    """
    folder = environment.notebooks()
    found = [*folder.glob("*.py"), *folder.glob("replication/*.py")]
    return sorted(file.relative_to(folder).with_suffix("").as_posix() for file in found)


def values_of(page: str) -> dict[str, Any]:
    """Return the values of a page's parameters in the book.

    Parameters
    ----------
    page : str
        Name of the page.

    Returns
    -------
    dict
        The values; a replication has none.
    """
    return {} if "/" in page else parameters.book_values(page)


def state(page: str) -> State:
    """Say whether the executed notebook of a page is up to date.

    Parameters
    ----------
    page : str
        Name of the page.

    Returns
    -------
    {"current", "prose", "outdated"}
        "prose" if only text and comments changed since it was executed; "outdated" if its code,
        values, packages or stored results changed, or it was never executed.
    """
    kept = notebooks.hashes(notebooks.executed(page))
    if kept.get("inputs") != notebooks.inputs(page, values_of(page)):
        return "outdated"
    return "current" if kept.get("source") == notebooks.source_hash(page) else "prose"


def update(names: Iterable[str] = ()) -> dict[str, State]:
    """Bring pages up to date; two are executed at a time.

    Parameters
    ----------
    names : iterable of str
        Names of pages; all if empty.

    Returns
    -------
    dict of str to str
        The former state of each page that was not up to date.

    Raises
    ------
    ChapterError
        For the first page that fails; its notebook is then in `runs`.
    """
    before = {page: state(page) for page in list(names) or pages()}
    for page in (each for each in before if before[each] == "prose"):
        notebooks.render(page, values_of(page), notebooks.executed(page))
    outdated = [page for page in before if before[page] == "outdated"]
    if outdated:
        with tempfile.TemporaryDirectory(dir=environment.ROOT, prefix=".executing-") as folder:
            if len(outdated) == 1:
                _execute(outdated[0], folder)
            else:
                _execute_each(outdated, folder)
    return {page: was for page, was in before.items() if was != "current"}


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


def _execute_each(outdated: list[str], folder: str) -> None:
    """Execute several pages with one progress bar; delete what stopped workers leave."""
    with (
        tempfile.TemporaryDirectory(prefix="pages-") as passing,
        closing(
            run_parallel(_in_worker, [(page, folder, passing) for page in outdated], _AT_ONCE)
        ) as done,
        tqdm(total=len(outdated), desc="pages", unit="page") as bar,
    ):
        for _ in done:
            bar.update()


def _in_worker(page: str, folder: str, passing: str) -> None:
    tempfile.tempdir = passing
    _execute(page, folder, bar=False)


def make(found_in: str) -> Path:
    """Build the book from pages that are up to date.

    Parameters
    ----------
    found_in : str
        `unchanged.digest()` from before the pages were found up to date; empty if some had to be
        changed, and then they are checked again. The digest is remembered if nothing changes during
        the build.

    Returns
    -------
    pathlib.Path
        The home page.
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
    """Return whether the values of any page name files, which may be anywhere."""
    return any(parameters.paths(page, values_of(page)) for page in parameters.chapters())


# -- checking --------------------------------------------------------------------------------------


def unchecked() -> list[str]:
    """List the pages that changed since their numbers were last checked.

    Returns
    -------
    list of str
        Names of pages whose bytes or inputs differ.
    """
    found_in = unchanged.digest()
    found = [page for page in pages() if _stamp(page) != _last_stamp(page)]
    if not found and not _named_files():
        unchanged.remember_checked(found_in)
    return found


def check(names: Iterable[str]) -> int:
    """Execute pages again and compare every documented number.

    Two processes take one page after another, the longest first (`conftest.py`). Pages without a
    difference are remembered.

    Parameters
    ----------
    names : iterable of str
        Names of pages.

    Returns
    -------
    int
        The exit code of pytest.

    Raises
    ------
    ChapterError
        If nbval is not installed.
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
    """Build the pages and the slides strictly; every warning is an error.

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
    from book._ext import slides  # an extension of Sphinx, which is slow to import

    output = output or environment.ROOT / "_build"
    sources = building.sources()
    if building.prepare(output, sources):
        tool = Path(sys.executable).with_name("jupyter-book")
        command = [str(tool), "build", str(environment.ROOT), "--path-output", str(output.parent)]
        command += ["-W", "-n", "--keep-going"]
        variables = os.environ | {building.BUILDER: str(os.getpid())}
        if subprocess.run(command, env=variables, check=False).returncode:
            raise ChapterError("the book was not built: every warning above is an error")
        slides.build_into(output / "html")
        if building.sources() == sources:
            building.keep(output, sources)
    return output / "html" / "book" / "index.html"

"""Folders of notebooks, pages and runs, and what every process of this project runs with."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from filelock import FileLock

from lib.execution import ONE_THREAD

ROOT = Path(__file__).parents[2]


def variables() -> dict[str, str]:
    """Return the environment of a kernel or a run: one thread, no progress bars, `lib` importable.

    Returns
    -------
    dict of str to str
        The environment variables.
    """
    return os.environ | ONE_THREAD | {"TQDM_DISABLE": "1", "PYTHONPATH": str(ROOT)}


def notebooks() -> Path:
    """Return the folder of the notebooks' sources.

    Returns
    -------
    pathlib.Path
        The folder.
    """
    return ROOT / "notebooks"


def book() -> Path:
    """Return the folder of the book's pages.

    Returns
    -------
    pathlib.Path
        The folder.
    """
    return ROOT / "book"


def runs() -> Path:
    """Return the folder of a reader's runs.

    Returns
    -------
    pathlib.Path
        The folder.
    """
    return ROOT / "runs"


def kill(process: int) -> None:
    """Kill a process after all processes that it started.

    Parameters
    ----------
    process : int
        Its id.
    """
    with suppress(psutil.Error):
        own = psutil.Process(process)
        for each in [*own.children(recursive=True), own]:
            with suppress(psutil.Error):
                each.kill()


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Wait for other processes that do the same; a killed process holds no lock.

    Parameters
    ----------
    name : str
        What is done.

    Yields
    ------
    None
        While no other process does it.
    """
    folder = runs() / ".locks"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{name}.lock"):
        yield


def write(file: Path, text: str) -> None:
    """Write a text file completely or not at all; its folder is created.

    Parameters
    ----------
    file : pathlib.Path
        The file.
    text : str
        Its content.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def replace(new: Path, old: Path) -> None:
    """Give a folder the name of another one, which is deleted only then.

    Parameters
    ----------
    new : pathlib.Path
        The folder.
    old : pathlib.Path
        Its new name; a folder of this name may exist.
    """
    old.parent.mkdir(parents=True, exist_ok=True)
    if old.exists():
        aside = Path(tempfile.mkdtemp(dir=old.parent, prefix=f".executing-{old.name}-"))
        old.rename(aside / "old")
        new.rename(old)
        shutil.rmtree(aside, ignore_errors=True)
    else:
        new.rename(old)

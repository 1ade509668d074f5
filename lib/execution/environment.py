"""Where notebooks, pages and runs lie, and what every kernel of this project runs with."""

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
    """The environment of a kernel or a run: one thread, no progress bars, `lib` to be found."""
    return os.environ | ONE_THREAD | {"TQDM_DISABLE": "1", "PYTHONPATH": str(ROOT)}


def notebooks() -> Path:
    """The folder of the notebooks' sources."""
    return ROOT / "notebooks"


def book() -> Path:
    """The folder of the book's pages."""
    return ROOT / "book"


def runs() -> Path:
    """The folder of a reader's runs."""
    return ROOT / "runs"


def kill(process: int) -> None:
    """Kills a process and all below it, those first."""
    with suppress(psutil.Error):
        own = psutil.Process(process)
        for each in [*own.children(recursive=True), own]:
            with suppress(psutil.Error):
                each.kill()


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Waits for other processes that do the same; a killed process holds no lock."""
    folder = runs() / ".locks"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{name}.lock"):
        yield


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

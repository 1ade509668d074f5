"""Where notebooks, pages and runs lie, and what every kernel of this project runs with."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from filelock import FileLock
from jupyter_client.manager import AsyncKernelManager
from traitlets import default

from lib.running import ONE_THREAD

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


class KernelManager(AsyncKernelManager):
    """Starts kernels in that environment, reached through files where the system has such sockets.

    A port is looked for first and taken later: two kernels that start at once may want the same.
    """

    folder = tempfile.gettempdir()  # of those files

    @default("transport")
    def _transport(self) -> str:
        return "tcp" if os.name == "nt" else "ipc"

    @default("connection_file")
    def _connection_file(self) -> str:
        return str(Path(self.folder, f"kernel-{uuid.uuid4().hex[:8]}.json"))

    async def start_kernel(self, **options: Any) -> None:  # type: ignore[override]
        """Starts a kernel in `variables()`."""
        await super().start_kernel(**options | {"env": variables()})


@contextmanager
def kernels() -> Iterator[type[KernelManager]]:
    """What starts kernels; however this ends, no kernel lives on, and its files are gone."""
    folder = tempfile.mkdtemp(prefix="kernels-")
    try:
        yield type("KernelManager", (KernelManager,), {"folder": folder})
    finally:
        with suppress(psutil.Error):
            for child in psutil.Process().children():
                if folder in " ".join(child.cmdline()):
                    kill(child.pid)
        shutil.rmtree(folder, ignore_errors=True)


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

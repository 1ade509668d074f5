"""Jupyter kernels in the environment of a run, which end with what started them."""

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
from jupyter_client.manager import AsyncKernelManager
from traitlets import default

from lib.execution.environment import kill, variables


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

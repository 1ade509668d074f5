"""Jupyter kernels that end together with what started them."""

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
    """Start kernels with one thread, reached through files where the system has such sockets.

    A port is looked for first and taken later: two kernels could get the same one.
    """

    folder = tempfile.gettempdir()  # of those files

    @default("transport")
    def _transport(self) -> str:
        return "tcp" if os.name == "nt" else "ipc"

    @default("connection_file")
    def _connection_file(self) -> str:
        return str(Path(self.folder, f"kernel-{uuid.uuid4().hex[:8]}.json"))

    async def start_kernel(self, **options: Any) -> None:  # type: ignore[override]
        """Start a kernel with the environment of `variables()`.

        Parameters
        ----------
        **options : object
            Passed on to jupyter_client.
        """
        await super().start_kernel(**options | {"env": variables()})


@contextmanager
def kernels() -> Iterator[type[KernelManager]]:
    """Provide a class that starts kernels; afterwards no kernel is alive and its files are gone.

    Yields
    ------
    type
        A subclass of `KernelManager`.
    """
    folder = tempfile.mkdtemp(prefix="kernels-")
    try:
        yield type("KernelManager", (KernelManager,), {"folder": folder})
    finally:
        with suppress(psutil.Error):
            for child in psutil.Process().children():
                if folder in " ".join(child.cmdline()):
                    kill(child.pid)
        shutil.rmtree(folder, ignore_errors=True)

"""Ctrl-C at any moment gives one line and exit code 130, and leaves nothing half done.

Only `python -m lib` installs these handlers; programs that import the package keep the usual
KeyboardInterrupt.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from types import FrameType

CODE = 130
SAID = "stopped; the same command continues where it stopped"
_PATIENCE = 3.0  # seconds in which another Ctrl-C does not disturb the tidying up of the first
_last = 0.0  # when it was pressed; never before


def at_once() -> None:
    """Let Ctrl-C end the process immediately, for the time in which modules are imported."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as in a script's background
        signal.signal(signal.SIGINT, _end)


def tidily() -> None:
    """Let Ctrl-C raise KeyboardInterrupt from here on, if `at_once` was called before."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, _interrupt)


def asked() -> bool:
    """Return whether Ctrl-C was pressed since `tidily`.

    Returns
    -------
    bool
        Whether it was.
    """
    return _last > 0


def leave(code: int) -> None:
    """End the process when all is done; Ctrl-C no longer changes how it ends.

    Parameters
    ----------
    code : int
        The exit code.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exec("")  # Python remembers a KeyboardInterrupt inside such a text, and would end by it
    sys.exit(code)


def _end(_signal: int, _frame: FrameType | None) -> None:
    os.write(2, f"{SAID}\n".encode())
    os._exit(CODE)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    import logging

    global _last
    logging.disable()  # of tasks and workers that are given up
    before, _last = _last, time.monotonic()
    if not before or _last - before >= _PATIENCE:
        raise KeyboardInterrupt

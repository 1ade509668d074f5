"""Waiting for an event, however long it takes: no test fails because a machine is slow.

An event that never comes is ended by the one limit on a whole test, which pytest has.
"""

import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import psutil

PATIENCE = 1200  # seconds, where a tool insists on a limit for what always comes
BETWEEN = 0.02  # seconds between two looks


def until(condition: Callable[[], Any], *needed: subprocess.Popen[Any]) -> Any:
    """What the condition returns, as soon as that is true.

    needed  processes without which it never becomes true: AssertionError if one of them ends before
    """
    while not (found := condition()):
        ended = [process for process in needed if process.poll() is not None]
        if ended and not (found := condition()):  # it may have come with the end
            raise AssertionError(_last_words(ended[0]))
        if found:
            break
        time.sleep(BETWEEN)
    return found


def _last_words(process: subprocess.Popen[Any]) -> str:
    said = [text for text in process.communicate() if text]
    what = f"{process.args} ended with exit code {process.returncode} before what was waited for"
    return "\n".join([what, *map(str, said)])


def until_ended(processes: Iterable[psutil.Process]) -> None:
    """Returns when none of these processes runs; one that nobody has collected does not run."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                time.sleep(BETWEEN)

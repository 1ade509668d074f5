"""Work done by several processes at once, none of which outlives the work."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor

_POLL = 0.5  # seconds between two looks at who gave the work
# Processes keep what they freed (`lib.execution.MEMORY_KEPT`): joblib replaces one that has grown.
warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)
_staying = False


def run_parallel(
    function: Callable[..., Any], given: Iterable[tuple[Any, ...]], processes: int
) -> Generator[Any, None, None]:
    """What the function returns for each tuple of arguments, as they become finished.

    processes  how many work at once, at least 2; they end with the work (or where they are
               `staying`, with that), and what they held of it with them; or with this process,
               however this ends

    >>> sorted(run_parallel(pow, [(2, 3), (3, 2)], processes=2))
    [8, 9]
    """
    workers = Parallel(
        n_jobs=processes,
        return_as="generator_unordered",
        initializer=end_with,
        initargs=(os.getpid(),),
    )
    try:
        yield from workers(delayed(function)(*each) for each in given)
    finally:
        if not _staying:
            _end_all()


@contextmanager
def persistent_workers() -> Iterator[None]:
    """Within it, the processes of `at_once` wait for the next work: they take seconds to begin."""
    global _staying
    _staying = True
    try:
        yield
    finally:
        _staying = False
        _end_all()


def _end_all() -> None:
    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)


def end_with(giver: int) -> None:
    """End this process soon after the one that gives it work."""

    def watch() -> None:
        while os.getppid() == giver:
            time.sleep(_POLL)
        os._exit(1)

    Thread(target=watch, daemon=True).start()

"""Work done by several processes at once, none of which outlives the work."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable
from threading import Thread
from typing import Any

from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor

_POLL = 0.5  # seconds between two looks at who gave the work


def at_once(
    function: Callable[..., Any], given: Iterable[tuple[Any, ...]], processes: int
) -> Generator[Any, None, None]:
    """What the function returns for each tuple of arguments, as they become finished.

    processes  how many work at once, at least 2; they end with the work, and what they held of it
               with them; or with this process, however this ends

    >>> sorted(at_once(pow, [(2, 3), (3, 2)], processes=2))
    [8, 9]
    """
    workers = Parallel(
        n_jobs=processes,
        return_as="generator_unordered",
        initializer=_end_with,
        initargs=(os.getpid(),),
    )
    try:
        yield from workers(delayed(function)(*each) for each in given)
    finally:
        get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)


def _end_with(giver: int) -> None:
    """Ends this process soon after the one that gives it work."""

    def watch() -> None:
        while os.getppid() == giver:
            time.sleep(_POLL)
        os._exit(1)

    Thread(target=watch, daemon=True).start()

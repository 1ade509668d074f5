"""Work done by several processes at once, none of which outlives the process that asked for it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from threading import Thread
from typing import Any

from joblib import Parallel, delayed

_POLL = 0.5  # seconds between two looks at who gave the work


def at_once(
    function: Callable[..., Any], given: Iterable[tuple[Any, ...]], processes: int
) -> Iterator[Any]:
    """What the function returns for each tuple of arguments, as they become finished.

    processes  how many work at once, at least 2; each ends with this process, however this ends,
               from before its first piece of work on

    >>> sorted(at_once(pow, [(2, 3), (3, 2)], processes=2))
    [8, 9]
    """
    workers = Parallel(
        n_jobs=processes,
        return_as="generator_unordered",
        initializer=_end_with,
        initargs=(os.getpid(),),
    )
    yield from workers(delayed(function)(*each) for each in given)


def _end_with(giver: int) -> None:
    """Ends this process soon after the one that gives it work."""

    def watch() -> None:
        while os.getppid() == giver:
            time.sleep(_POLL)
        os._exit(1)

    Thread(target=watch, daemon=True).start()

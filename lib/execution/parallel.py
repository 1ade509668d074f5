"""Work in several processes, on this machine or on a Dask cluster; none outlives the work."""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any

from joblib import Parallel, delayed, parallel_config
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import TerminatedWorkerError

from lib.execution import environment
from lib.execution.errors import ChapterError
from lib.validation import format_value

if TYPE_CHECKING:
    from distributed import Client

_POLL = 0.5  # seconds between two looks at whether the parent is alive
# Processes keep what they freed (`lib.execution.MEMORY_KEPT`): joblib replaces one that has grown.
warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)
_staying = False


def run_parallel(
    function: Callable[..., Any],
    given: Iterable[tuple[Any, ...]],
    processes: int,
    scheduler: str = "",
    shared: Sequence[Any] = (),
) -> Generator[Any, None, None]:
    """Call a function in other processes, and yield what it returns as the calls finish.

    The processes end with the work (within `persistent_workers`, with that), or with this process,
    however it ends.

    Parameters
    ----------
    function : callable
        The function, importable by name.
    given : iterable of tuple
        The arguments of each call.
    processes : int
        Number of processes on this machine; 1 makes the calls in this process.
    scheduler : str, optional
        Address of a Dask scheduler whose workers do the work instead.
    shared : sequence
        Large objects among the arguments of all calls, sent to each worker of a cluster once.

    Yields
    ------
    object
        What a call returns.

    Raises
    ------
    ChapterError
        If a worker process was killed.
    OSError
        If the scheduler does not answer.

    Examples
    --------
    >>> sorted(run_parallel(pow, [(2, 3), (3, 2)], processes=2))
    [8, 9]
    """
    if scheduler:
        yield from _on_cluster(function, given, scheduler, shared)
        return
    if processes == 1:
        yield from (function(*each) for each in given)
        return
    workers = Parallel(
        n_jobs=processes,
        return_as="generator_unordered",
        initializer=_begin,
        initargs=(os.getpid(),),
    )
    try:
        yield from workers(delayed(function)(*each) for each in given)
    except TerminatedWorkerError as error:
        raise ChapterError(
            "a process that did the work was killed, most often because memory ran out; the same "
            "command continues where it stopped, and --processes 1 needs least memory"
        ) from error
    finally:
        if not _staying:
            _end_all()


def _on_cluster(
    function: Callable[..., Any],
    given: Iterable[tuple[Any, ...]],
    scheduler: str,
    shared: Sequence[Any],
) -> Iterator[Any]:
    from distributed import KilledWorker

    with _client(scheduler) as client:
        with parallel_config("dask", client=client, scatter=list(shared) or None):
            workers = Parallel(n_jobs=-1, return_as="generator_unordered", batch_size=1)
        try:
            yield from workers(delayed(_sequentially)(function, *each) for each in given)
        except KilledWorker as error:
            raise ChapterError(f"the cluster gave up: {error}") from error


def _sequentially(function: Callable[..., Any], *arguments: Any) -> Any:
    """On a worker of a cluster: what the function calls is not sent to other workers."""
    with parallel_config("sequential"):
        return function(*arguments)


def cluster_size(scheduler: str) -> int:
    """Count the threads of a Dask cluster.

    Parameters
    ----------
    scheduler : str
        Address of the scheduler.

    Returns
    -------
    int
        How many calls run at the same time; at least 1.

    Raises
    ------
    OSError
        If the scheduler does not answer.
    """
    with _client(scheduler) as client:
        return max(1, sum(client.nthreads().values()))


def _client(scheduler: str) -> Client:
    from distributed import Client

    try:
        return Client(scheduler, timeout="20s", set_as_default=False)
    except (OSError, ValueError, RuntimeError, TypeError) as error:  # the last: no certificates
        why = " ".join(str(error).split())
        message = f"no Dask scheduler is reached at {format_value(scheduler)}: {why}"
        raise OSError(message) from error


@contextmanager
def persistent_workers() -> Iterator[None]:
    """Let processes wait for the next work instead of ending; they take seconds to start.

    Yields
    ------
    None
        While they wait.
    """
    global _staying
    _staying = True
    try:
        yield
    finally:
        _staying = False
        _end_all()


def _end_all() -> None:
    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)


def _begin(parent: int) -> None:
    """In a new process: Ctrl-C is left to the parent, with which this process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(parent)


def end_with(parent: int) -> None:
    """End this process and all processes below it soon after its parent has ended.

    Parameters
    ----------
    parent : int
        Id of the parent.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_POLL)
        environment.kill(os.getpid())

    Thread(target=watch, daemon=True).start()

"""Work by several processes: what each piece gives, and that nobody stays when the giver goes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from lib.execution.parallel import persistent_workers, run_parallel
from tests.waiting import until, until_ended

ONE_PIECE_FOR_TWO = """
import signal
from lib.execution.parallel import run_parallel
list(run_parallel(signal.pause, [()], processes=2))  # works for ever
"""


def test_every_piece_is_done_once_by_another_process():
    found = list(run_parallel(divmod, [(n, 3) for n in range(7)], processes=2))
    assert sorted(found) == [divmod(n, 3) for n in range(7)]


def test_an_error_in_a_piece_arrives():
    with pytest.raises(ZeroDivisionError):
        list(run_parallel(divmod, [(1, 1), (1, 0)], processes=2))


def test_workers_end_with_the_work():
    assert os.getpid() not in {*run_parallel(os.getpid, [()] * 4, processes=2)}  # others did it
    until_ended(_loky(psutil.Process()))


def test_workers_stay_for_the_next_work_where_told_and_end_then(tmp_path):
    with persistent_workers():
        rounds = [_both(tmp_path / f"{n}") for n in range(2)]
        workers = _loky(psutil.Process())
    assert rounds[0] == rounds[1] == {each.pid for each in workers}  # four without it
    until_ended(workers)


def _both(folder: Path) -> set[int]:
    """The processes of two pieces of work, neither of which ends before the other has begun."""
    folder.mkdir()
    return {*run_parallel(_who, [(folder, 2)] * 2, processes=2)}


def _who(folder: Path, n: int) -> int:
    (folder / str(os.getpid())).touch()
    until(lambda: len(list(folder.iterdir())) == n)
    return os.getpid()


def _loky(giver: psutil.Process) -> list[psutil.Process]:
    below = giver.children(recursive=True)
    return [each for each in below if "LokyProcess" in " ".join(each.cmdline())]


@pytest.mark.slow
def test_workers_without_work_end_with_the_process_that_was_killed():
    giver = subprocess.Popen([sys.executable, "-c", ONE_PIECE_FOR_TWO])
    until(lambda: len(_loky(psutil.Process(giver.pid))) == 2, giver)
    below = psutil.Process(giver.pid).children(recursive=True)
    giver.send_signal(signal.SIGKILL)
    giver.wait()
    until_ended(below)


GROWING = """
import os
from joblib.externals.loky import process_executor
from lib.execution.parallel import run_parallel

def grow(n):
    process_executor._MEMORY_LEAK_CHECK_DELAY = -1.0  # joblib looks once a second; here always
    run_parallel.kept = getattr(run_parallel, "kept", []) + [bytearray(b"x" * n)]
    return os.getpid()

by = list(run_parallel(grow, [(0,)] * 4 + [(350_000_000,)] * 6, 2))
print(len(by), len(set(by)) > 2)
"""


@pytest.mark.slow
def test_nobody_is_told_of_a_process_that_grew_and_was_replaced():
    command = [sys.executable, "-c", GROWING]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("10 True\n", "")

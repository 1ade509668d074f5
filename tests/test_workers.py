"""Work by several processes: what each piece gives, and that nobody stays when the giver goes."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from lib.workers import at_once, staying

ONE_PIECE_FOR_TWO = """
import time
from lib.workers import at_once
list(at_once(time.sleep, [(120,)], processes=2))
"""


def test_every_piece_is_done_once_by_another_process():
    found = list(at_once(divmod, [(n, 3) for n in range(7)], processes=2))
    assert sorted(found) == [divmod(n, 3) for n in range(7)]


def test_an_error_in_a_piece_arrives():
    with pytest.raises(ZeroDivisionError):
        list(at_once(divmod, [(1, 1), (1, 0)], processes=2))


def test_workers_end_with_the_work():
    assert os.getpid() not in {*at_once(_who, [(0.2,)] * 4, processes=2)}  # others did it
    _, alive = psutil.wait_procs(_loky(psutil.Process()), timeout=30)
    assert not alive


def test_workers_stay_for_the_next_work_where_told_and_end_then():
    with staying():
        rounds = [{*at_once(_who, [(0.2,)] * 6, processes=2)} for _ in range(2)]
        assert len(_loky(psutil.Process())) == 2
    assert len(rounds[0] | rounds[1]) <= 2  # four without it
    _, alive = psutil.wait_procs(_loky(psutil.Process()), timeout=30)
    assert not alive


def _who(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def _loky(giver: psutil.Process) -> list[psutil.Process]:
    below = giver.children(recursive=True)
    return [each for each in below if "LokyProcess" in " ".join(each.cmdline())]


@pytest.mark.slow
def test_workers_without_work_end_with_the_process_that_was_killed():
    giver = subprocess.Popen([sys.executable, "-c", ONE_PIECE_FOR_TWO])
    below = _workers(giver.pid, at_least=2)
    giver.send_signal(signal.SIGKILL)
    giver.wait()
    _, alive = psutil.wait_procs(below, timeout=30)
    for each in alive:
        each.kill()
    assert not alive


def _workers(giver: int, at_least: int) -> list[psutil.Process]:
    """All processes below, as soon as so many of them wait for work."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if len(_loky(psutil.Process(giver))) >= at_least:
            return psutil.Process(giver).children(recursive=True)
        time.sleep(0.05)
    raise TimeoutError("no workers")


GROWING = """
import time
from lib.workers import at_once

def grow(n):
    at_once.kept = getattr(at_once, "kept", []) + [bytearray(b"x" * n)]
    time.sleep(1.1)  # joblib looks once a second
    return n

print(sorted(at_once(grow, [(n,) for n in (0, 0, 350_000_000, 350_000_000, 1, 1)], 2))[0])
"""


@pytest.mark.slow
def test_nobody_is_told_of_a_process_that_grew_and_was_replaced():
    command = [sys.executable, "-c", GROWING]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("0\n", "")

"""Kills what computes, at random moments, and gives the same command again until it is finished.

    python -m tests.papers.kills --n 100            # 100 kills, of every kind in turn
    python -m tests.papers.kills --kind experiment --n 3

A kind is a command in a small house of its own: `run` a run of foundations on six people, `sweep` a
sweep of three runs with two at once, `experiment` an experiment with two processes of joblib,
`cluster` the
same experiment on two workers of Dask. What is killed (SIGKILL) is drawn too: the command's own
process,
one of the processes below it (a child, a kernel, a worker of joblib), or one of Dask's. When the
command has ended by itself, its rows and tables must be those of a command that nobody disturbed,
byte for byte, and nothing may be left over of what was killed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import psutil

from lib.execution import environment
from tests import waiting
from tests.chapters.test_sweep import LIB, NOTEBOOK, PARAMETERS, SWEEP
from tests.seeds import generator

DRAWS = generator("kills")
KINDS = ("run", "sweep", "experiment", "cluster")
TINY = [
    "-p",
    "datasets",
    "[six-users]",
    "-p",
    "lag",
    "1D",
    "-p",
    "group_sizes",
    "[2, 3]",
    "-p",
    "n_groups",
    "20",
    "-p",
    "n_targets",
    "2",
]
EXPERIMENT = '''\
"""A Knock-Knock experiment of six units, for `tests.papers.kills`."""

import time

import numpy as np

from lib.datasets import load
from lib.membership import game, knock_knock
from lib.randomness import stream
from lib.papers.experiments import experiment


def some(context, *, n=6):
    return list(range(n))


@experiment("killed", unit=("target",), units=some, load=load, at_paper={"flights-by-tail": {}})
def killed(traces, target, *, n=6, pause=0.3):
    """AUCs of two classifiers on one target."""
    busy = np.argsort(-traces.visits().to_numpy(), kind="stable")
    week = range(0, 168)
    rng = stream(7, "killed", target)
    task = game.perfect_task(traces, int(busy[target]), 20, 10, week, rng)
    time.sleep(pause)
    for classifier, auc in knock_knock.classifier_aucs(task, rng, ["LR", "kNN"]).items():
        yield {"classifier": classifier, "AUC": auc}

'''


class Kill(NamedTuple):
    """What became of one kill."""

    kind: str
    victim: str
    seconds: float  # after which it came
    again: int  # how often the command was given after it
    wrong: str  # what is not as if nobody had been killed; nothing


# -- houses ----------------------------------------------------------------------------------------


def built(folder: Path, sweep: bool) -> Path:
    """A checkout of its own, with an experiment that no other has; for a sweep with its chapter."""
    folder.mkdir(parents=True)
    root = LIB.parent
    for name in ("lib", "notebooks", "book"):
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (*root.glob("*.yml"), root / "requirements.lock"):
        shutil.copy(file, folder / file.name)
    (folder / "lib" / "papers" / "foundations" / "interpretation_experiments.py").write_text(
        EXPERIMENT
    )
    with (folder / "book" / "results" / "columns.yml").open("a") as columns:
        columns.write("killed: [target, classifier, AUC]\n")
    if sweep:
        (folder / "notebooks" / "tiny.py").write_text(NOTEBOOK)
        (folder / "notebooks" / "params" / "tiny.yml").write_text(PARAMETERS)
        text = SWEEP.replace("[1, 3]", "[2]").replace("[1, 2]", "[1, 2, 3]")
        (folder / "s.yml").write_text(text)
    return folder


def command(house: Path, kind: str, scheduler: str) -> list[str]:
    python = [sys.executable, "-m"]
    return {
        "run": [*python, "lib", "run", "foundations", *TINY],
        "sweep": [*python, "lib", "sweep", "s.yml", "--processes", "2"],
        "experiment": [*python, "lib", "paper", "killed", "--processes", "2"],
        "cluster": [*python, "lib", "paper", "killed", "--scheduler", scheduler],
    }[kind]


def results(house: Path, kind: str) -> dict[str, bytes]:
    """The rows and tables that a command leaves, by name."""
    pattern = {"run": "runs/foundations-*/tables/*.csv", "sweep": "runs/sweep-s/table.csv"}.get(
        kind, "book/results/killed/*.csv"
    )
    found = [file for file in house.glob(pattern) if "-failed/" not in file.as_posix()]
    return {file.relative_to(house).as_posix(): file.read_bytes() for file in found}


def forget(house: Path) -> None:
    """Takes away all that commands left."""
    for folder in (house / "runs", house / "book" / "results" / "killed"):
        shutil.rmtree(folder, ignore_errors=True)


def leftovers(house: Path) -> list[str]:
    """What only something unfinished leaves: hidden folders, partial files, waiting units."""
    hidden = [*house.glob("runs/.executing-*"), *house.glob("book/results/*/.*")]
    waiting = [each for each in house.glob("runs/unfinished/*") if each.suffix != ".lock"]
    return [each.relative_to(house).as_posix() for each in (*hidden, *waiting)]


class Cluster:
    """A Dask scheduler and two workers; whoever was killed is started again."""

    def __init__(self, house: Path) -> None:
        self.house, self.file = house, house / "scheduler.json"
        local = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0", "--port", "0")
        self.scheduler = self._start("scheduler", "--scheduler-file", str(self.file), *local)
        waiting.until(lambda: self.file.exists() and self.file.read_text(), self.scheduler)
        self.address = json.loads(self.file.read_text())["address"]
        self.workers: list[subprocess.Popen[bytes]] = []
        self.mend()

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return started(self.house, [sys.executable, "-m", "dask", *arguments])

    def mend(self) -> None:
        self.workers = [each for each in self.workers if each.poll() is None]
        while len(self.workers) < 2:
            worker = self._start(
                "worker",
                self.address,
                "--nthreads",
                "1",
                "--no-nanny",
                "--dashboard-address",
                "127.0.0.1:0",
            )
            self.workers.append(worker)

    def close(self) -> None:
        for each in (*self.workers, self.scheduler):
            each.kill()
            each.wait()


def started(house: Path, arguments: list[str]) -> subprocess.Popen[bytes]:
    variables = environment.variables() | {"PYTHONPATH": str(house), "TQDM_DISABLE": "1"}
    with (house / "said").open("ab") as said:
        return subprocess.Popen(arguments, cwd=house, env=variables, stdout=said, stderr=said)


# -- killing ---------------------------------------------------------------------------------------


def finished(process: subprocess.Popen[bytes]) -> float:
    """Waits for a command that nobody disturbs; its seconds."""
    begun = time.monotonic()
    if process.wait():
        raise RuntimeError(f"exit code {process.returncode} of {process.args}")
    return time.monotonic() - begun


def victims(process: subprocess.Popen[bytes], workers: list[subprocess.Popen[bytes]]) -> list[int]:
    """Processes that may be killed, each kind as likely as another: own, below, of Dask."""
    below = [each.pid for each in psutil.Process(process.pid).children(recursive=True)]
    return [
        process.pid,
        *([DRAWS.choice(below)] if below else []),
        *([DRAWS.choice(workers).pid] if workers else []),
    ]


def one(
    house: Path,
    kind: str,
    whole: dict[str, bytes],
    seconds: float,
    cluster: Cluster | None,
    start: Callable[[], subprocess.Popen[bytes]],
) -> Kill:
    """Kills something once, then gives the command until it is finished."""
    forget(house)
    process = start()
    moment = DRAWS.uniform(0, seconds)
    with_it = _ended_within(process, moment)
    victim = "nothing, it had ended"
    everything: list[psutil.Process] = []
    if not with_it:
        everything = psutil.Process(process.pid).children(recursive=True)
        chosen = DRAWS.choice(victims(process, cluster.workers if cluster else []))
        victim = "itself" if chosen == process.pid else "a process below"
        victim = "a worker" if cluster and chosen in {w.pid for w in cluster.workers} else victim
        os.kill(chosen, signal.SIGKILL)
    process.wait()
    waiting.until_ended(everything)
    again = 0
    while process.returncode and again < 5:
        if cluster:
            cluster.mend()
        again += 1
        process = start()
        process.wait()
    wrong = [f"exit code {process.returncode}"] if process.returncode else []
    found = results(house, kind)
    wrong += [f"{name} differs" for name in whole if found.get(name) != whole[name]]
    wrong += [f"left over: {name}" for name in leftovers(house)]
    return Kill(kind, victim, moment, again, "; ".join(wrong))


def _ended_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def kills(kind: str, n: int, folder: Path) -> list[Kill]:
    """So many kills of one kind, in a house in this folder."""
    house = built(folder / kind, kind == "sweep")
    cluster = Cluster(house) if kind == "cluster" else None
    try:
        arguments = command(house, kind, cluster.address if cluster else "")

        def start() -> subprocess.Popen[bytes]:
            return started(house, arguments)

        first = finished(start())
        whole = results(house, kind)
        if not whole:
            raise RuntimeError(f"{kind}: a command that nobody disturbed left nothing")
        forget(house)
        seconds = 0.9 * min(first, finished(start()))
        if results(house, kind) != whole:
            raise RuntimeError(f"{kind}: two commands that nobody disturbed differ")
        found = []
        for _ in range(n):
            found.append(one(house, kind, whole, seconds, cluster, start))
            print(
                f"{kind}: killed {found[-1].victim} after {found[-1].seconds:.1f} s; "
                f"{found[-1].again} more times; {found[-1].wrong or 'same'}",
                flush=True,
            )
        return found
    except RuntimeError:
        print((house / "said").read_text()[-3000:], file=sys.stderr)
        raise
    finally:
        if cluster:
            cluster.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.papers.kills", description=__doc__)
    parser.add_argument("--n", type=int, default=100, help="kills in all, 100")
    parser.add_argument("--kind", choices=KINDS, help="of one kind only")
    options = parser.parse_args()
    chosen = [options.kind] if options.kind else list(KINDS)
    found: list[Kill] = []
    with tempfile.TemporaryDirectory() as folder:
        for position, kind in enumerate(chosen):
            n = (options.n + position) // len(chosen)
            found += kills(kind, n, Path(folder)) if n else []
    good = sum(not each.wrong for each in found)
    print(f"{good} of {len(found)} resumed to the same rows and tables")
    return 0 if not any(each.wrong for each in found) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Many runs in one command, stopped in every way there is, in a house with one tiny notebook.

Where something has to happen while a run is at work, the run waits: the tiny notebook stays where
it is as long as there is a file `wait` beside it. So no test depends on how fast anything is.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import psutil
import pytest

from lib.__main__ import main
from lib.chapters import sweeps
from lib.chapters.sweeps import Run
from lib.execution import environment
from tests.seeds import SEED, generator
from tests.waiting import until, until_ended

LIB = Path(environment.__file__).parents[1]
NOTEBOOK = """\
# %% tags=["parameters"]
seed = 1
size = 2
fails = 9
pause = 0.0
records = ""

# %%
import random, time
import os
from IPython.display import display

with open("started", "a") as file:
    file.write(f"{seed} {size}\\n")
while os.path.exists("wait"):
    time.sleep(0.02)
time.sleep(pause)
if records:
    open(records).read()
rows = [f"{i},{random.Random(seed + i).random()},{1 / (seed - fails)}" for i in range(size)]
text = "\\n".join(["label 0,draw,seed", *rows]) + "\\n"
table = {"name": "draws", "csv": text}
display({"text/plain": "draws"}, raw=True, metadata={"table": table})
"""
PARAMETERS = """\
parameters:
  seed: {type: int, default: 1, min: 0, max: 9, help: of the draws}
  size: {type: int, default: 2, min: 1, max: 5, help: rows}
  fails: {type: int, default: 9, min: 0, max: 9, help: the seed that fails}
  pause: {type: float, default: 0, min: 0, max: 60, help: seconds}
  records: {type: str, default: "", path: true, help: file to read}
book: {}
"""
SWEEP = """\
notebook: tiny
parameters:
  pause: 0.4
cross:
  seed: [1, 2]
  size: [1, 3]
"""
PATIENT = {  # how long the parts of a cluster wait for one another
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "30m",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "30m",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "30m",
}
THREE = SWEEP.replace("[1, 2]", "[1, 2, 3]").replace("[1, 3]", "[2]")


def built(folder):
    """A checkout with this library and one small chapter."""
    for name in ("notebooks/params", "book"):
        (folder / name).mkdir(parents=True)
    (folder / "lib").symlink_to(LIB)
    (folder / "requirements.lock").write_text("")
    (folder / "notebooks" / "tiny.py").write_text(NOTEBOOK)
    (folder / "notebooks" / "params" / "tiny.yml").write_text(PARAMETERS)
    (folder / "s.yml").write_text(THREE)
    return folder


@pytest.fixture
def house(tmp_path):
    yield built(tmp_path)
    let_go(tmp_path)  # what a failed test leaves comes to its end


@pytest.fixture
def inside(house, monkeypatch):
    """The same, for this process."""
    monkeypatch.setattr(environment, "ROOT", house)
    (house / "s.yml").write_text(SWEEP)
    return house


def started(house, *arguments, module="lib"):
    variables = environment.variables() | PATIENT | {"PYTHONPATH": str(house)}
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=house,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def command(house, *arguments):
    process = started(house, *arguments)
    printed, complained = process.communicate()
    return process.returncode, printed, complained


def hold(house):
    """Lets every run wait, from now on until `let_go`."""
    (house / "book" / "wait").touch()


def let_go(house):
    (house / "book" / "wait").unlink(missing_ok=True)


def begun(house):
    """How many runs have begun, those among them that begin a second time counted again."""
    file = house / "book" / "started"
    return file.read_text().count("\n") if file.exists() else 0


def table(house):
    return (house / "runs" / "sweep-s" / "table.csv").read_text()


def undated(file):
    """The text of an executed notebook without the day, which may end between two executions."""
    text, n = re.subn(r'"date": "\d{4}-\d\d-\d\d"', '"date": ""', file.read_text())
    assert n == 1
    return text


def sweep_files(house):
    return sorted(file.name for file in (house / "runs" / "sweep-s").iterdir())


def kept(house):
    """Every folder that looks finished, with when its notebook was written."""
    folders = [f for f in (house / "runs").glob("tiny-*") if not f.name.endswith("-failed")]
    return {f.name: (f / "tiny.ipynb").stat().st_mtime_ns for f in folders}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The table of the sweep that runs through, in one process."""
    folder = built(tmp_path_factory.mktemp("whole"))
    code, printed, complained = command(folder, "sweep", "s.yml", "--processes", "1")
    assert code == 0, complained
    assert "finished: 3 of 3 runs, 0 of them before" in printed
    return table(folder)


# -- what a sweep file may say ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (SWEEP.replace("seed:", "sed:"), 5, ["tiny", "no parameter 'sed'", "'seed'"]),
        (SWEEP.replace("[1, 2]", "[1, many]"), 5, ["seed", "'many'", "a whole number"]),
        (
            SWEEP.replace("[1, 2]", "\n    - 1\n    - -2"),
            7,
            ["seed is -2", "at least 0 and at most 9"],
        ),
        (SWEEP.replace("[1, 2]", "[1, 1]"), 5, ["seed takes 1 twice"]),
        (SWEEP.replace("[1, 2]", "1"), 5, ["seed is 1", "list of values"]),
        (SWEEP.replace("[1, 2]", "[]"), 5, ["seed is []", "list of values"]),
        (SWEEP.replace("pause: 0.4", "pause: 99"), 3, ["pause is 99", "at most 60"]),
        (SWEEP.replace("pause: 0.4", "size: 2"), 6, ["size", "line 3"]),
        (SWEEP.replace("pause: 0.4", "records: none.csv"), 3, ["records", "none.csv"]),
        (SWEEP.replace("  size", "  seed"), 6, ["seed", "line 5"]),
        (SWEEP.replace("cross", "crosses"), 4, ["'crosses'", "'cross'"]),
        (SWEEP.replace("tiny", "tinny"), 1, ["'tinny'", "'tiny'"]),
        (SWEEP.partition("cross")[0], 1, ["'cross'"]),
        ("notebook: tiny\ncross:\n", 2, ["`cross` is empty", "list"]),
        (SWEEP.replace("2]", "2"), 6, ["YAML"]),
        ("- 1\n", 1, ["[1]", "name: value"]),
        ("", 1, ["empty"]),
    ],
)
def test_what_is_wrong_is_refused_by_file_and_line_before_anything_runs(
    inside, capsys, text, line, words
):
    (inside / "s.yml").write_text(text)
    assert main(["sweep", str(inside / "s.yml")]) == 2
    complained = capsys.readouterr().err
    assert complained.startswith(f"refused: {inside / 's.yml'}, line {line}: ")
    for word in words:
        assert word in complained
    assert not (inside / "runs").exists()


def test_a_file_or_scheduler_that_is_not_there_is_named(inside, capsys):
    assert main(["sweep", "none.yml"]) == 2
    assert "'none.yml'" in capsys.readouterr().err
    assert main(["sweep", str(inside / "s.yml"), "--processes", "0"]) == 2
    assert "processes is 0" in capsys.readouterr().err
    assert main(["sweep", str(inside / "s.yml"), "--scheduler", "foo://here:1"]) == 1
    complained = capsys.readouterr().err
    assert complained.startswith("error: no Dask scheduler is reached at 'foo://here:1': ")
    assert complained.count("\n") == 1


def test_runs_are_all_combinations_the_last_list_fastest(inside):
    runs = sweeps.read(inside / "s.yml").runs
    assert [run.crossed for run in runs] == [
        {"seed": seed, "size": size} for seed in (1, 2) for size in (1, 3)
    ]
    assert all(run.values["pause"] == 0.4 and run.values["fails"] == 9 for run in runs)
    assert len({run.folder for run in runs}) == 4
    swapped = SWEEP.replace("  seed: [1, 2]\n  size: [1, 3]", "  size: [3]\n  seed: [2, 1]")
    (inside / "t.yml").write_text(swapped)
    others = sweeps.read(inside / "t.yml").runs
    assert {run.folder for run in others} == {runs[1].folder, runs[3].folder}  # kept is kept


# -- what it will cost -----------------------------------------------------------------------------


def kept_run(name, values, seconds, memory=None):
    folder = environment.runs() / name
    folder.mkdir(parents=True)
    provenance = {"chapter": "tiny", "parameters": values, "duration_seconds": seconds}
    if memory:
        provenance["peak_memory_mb"] = memory
    (folder / "provenance.json").write_text(json.dumps(provenance))


def test_expected_costs_are_those_of_the_nearest_finished_runs(inside, capsys):
    runs = sweeps.read(inside / "s.yml").runs
    assert sweeps.expected(runs[0], sweeps.finished_before()) is None
    assert main(["sweep", str(inside / "s.yml"), "--dry-run"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("unknown") == 8
    kept_run("far", {}, 1000)
    kept_run("near-1", runs[0].values | {"pause": 9.0}, 100, 200)
    kept_run("near-2", runs[0].values | {"pause": 8.0}, 140, 300)
    cost = sweeps.expected(runs[0], sweeps.finished_before())
    assert cost == (120, 300, "near-1 and 1 more, 1 values differ")
    assert main(["sweep", str(inside / "s.yml"), "--dry-run", "--processes", "2"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("2 min") == 4
    assert "4 runs, 4 to do: about 4 min with 2 at once, at most 600 MB" in printed
    assert not list((inside / "runs").glob("sweep-*"))


@pytest.mark.parametrize(
    ("seconds", "at_once", "finished", "left"),
    [
        ({0: 10.0, 1: 30.0}, 1, [], 40),
        ({0: 10.0, 1: 30.0}, 2, [], 30),  # the longest is not divided
        ({0: 10.0, 1: None}, 1, [], 20),
        ({0: None, 1: None}, 1, [], None),
        ({0: 10.0, 1: 30.0}, 1, [1], 10),
        ({0: 10.0}, 1, [0], 0),
    ],
)
def test_time_left(seconds, at_once, finished, left, monkeypatch):
    monkeypatch.setattr(sweeps, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    with sweeps._Progress(seconds, at_once) as bar:
        for position in finished:
            bar.finish(position)
        found, words = bar.remaining(), bar.words()
    assert found == left
    assert ("unknown" in words) is (left is None)


@pytest.mark.parametrize(
    ("seconds", "text"), [(12.4, "12 s"), (200, "3 min"), (4800, "80 min"), (7500, "2 h 05 min")]
)
def test_durations(seconds, text):
    assert sweeps.duration(seconds) == text


# -- the same table, however it was come by --------------------------------------------------------


@pytest.mark.slow
def test_two_starts_at_once_do_every_run_once_and_give_the_same_table(house, whole):
    both = [started(house, "sweep", "s.yml", "--processes", "2") for _ in range(2)]
    for process in both:
        assert process.communicate() and process.returncode == 0
    assert table(house) == whole
    runs = sorted((house / "book" / "started").read_text().split("\n"))
    assert runs == ["", "1 2", "2 2", "3 2"]
    frame = pd.read_csv(house / "runs" / "sweep-s" / "table.csv")
    assert frame.columns.tolist() == [
        "run",
        "seed",
        "size",
        "table",
        "label 0",
        "draw",
        "seed (table)",
    ]
    assert frame.groupby(["seed", "size"]).size().tolist() == [2, 2, 2]
    assert frame["draw"].iloc[-1] == random.Random(3 + 1).random()
    assert not list(house.rglob(".executing-*"))


@pytest.mark.slow
def test_killed_at_random_moments_it_goes_on_to_the_same_table(house, whole):
    moments = generator("moments of kills")
    code, before, stops = None, {}, [signal.SIGINT, signal.SIGKILL, signal.SIGKILL]
    while code != 0:
        process = started(house, "sweep", "s.yml", "--processes", "2")
        everything = []
        if stops:
            how = stops.pop()
            if how == signal.SIGINT:  # Python itself answers it while it begins
                until(lambda p=process: _below(p) or p.poll() is not None)
            time.sleep(moments.uniform(0, 4))
            everything = _below(process)
            process.send_signal(how)
        process.communicate()
        code = process.returncode
        assert code in (0, 130, -signal.SIGINT, -signal.SIGKILL), f"seed {SEED}"
        if code:
            until_ended(everything)  # nothing works on unseen
            if (house / "runs" / "sweep-s" / "table.csv").exists():  # stopped just after the end
                assert table(house) == whole
        now = kept(house)
        assert before.items() <= now.items()  # what was finished is neither lost nor done again
        assert all((house / "runs" / name / "provenance.json").exists() for name in now)
        before = now
    assert table(house) == whole
    assert not list(house.rglob(".executing-*"))


def _below(process):
    """All processes below one that may have ended."""
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


@pytest.mark.slow
def test_a_run_that_loses_its_kernel_fails_alone(house):
    hold(house)
    process = started(house, "sweep", "s.yml", "--processes", "3")
    until(lambda: begun(house) == 3, process)
    next(each for each in _below(process) if "ipykernel_launcher" in each.cmdline()).kill()
    let_go(house)
    _, complained = process.communicate()
    assert process.returncode == 1
    assert complained.count("failed: ") == 1
    assert "Kernel died" in complained
    assert len(kept(house)) == 2
    (notebook,) = house.glob("runs/*-failed/tiny.ipynb")
    assert "DeadKernelError" in notebook.read_text()


@pytest.mark.slow
def test_a_killed_process_stops_the_command_which_continues_when_repeated(house, whole):
    hold(house)
    process = started(house, "sweep", "s.yml", "--processes", "2")
    until(lambda: begun(house) == 2, process)
    everything = _below(process)
    next(each for each in everything if "LokyProcess" in " ".join(each.cmdline())).kill()
    _, complained = process.communicate()
    assert process.returncode == 1
    assert "error: a process that did the work was killed" in complained
    until_ended(everything)
    let_go(house)
    assert command(house, "sweep", "s.yml")[0] == 0
    assert table(house) == whole


@pytest.mark.slow
def test_nothing_works_on_when_the_command_is_killed(house):
    (house / "s.yml").write_text(THREE.replace("[1, 2, 3]", "[1]"))
    hold(house)  # whatever is left works for ever
    process = started(house, "sweep", "s.yml")
    until(lambda: begun(house), process)
    everything = _below(process)
    assert len(everything) >= 2  # the run's process and its kernel
    process.kill()
    process.communicate()
    until_ended(everything)


@pytest.mark.slow
def test_a_failed_run_keeps_its_notebook_and_stops_no_other(house):
    crossed = "cross:\n  seed: [1, 2, 3, 4]\n"
    (house / "s.yml").write_text(f"notebook: tiny\nparameters: {{fails: 3}}\n{crossed}")
    code, printed, complained = command(house, "sweep", "s.yml", "--processes", "2")
    assert code == 1
    assert "finished: 3 of 4 runs" in printed
    partial = house / "runs" / "sweep-s" / "table.partial.csv"
    assert f"table of 3 of 4 runs, partial: {partial.relative_to(house)}" in printed
    (failed,) = house.glob("runs/*-failed/tiny.ipynb")
    assert "ZeroDivisionError" in failed.read_text()
    lines = complained.splitlines()[-2:]
    assert lines[0] == "failed: seed=3: tiny stopped: ZeroDivisionError: division by zero"
    assert lines[1] == f"see {failed}"
    assert pd.read_csv(partial)["seed"].drop_duplicates().tolist() == [1, 2, 4]
    before = kept(house)
    assert command(house, "sweep", "s.yml")[0] == 1  # tries only that one again
    assert kept(house) == before
    assert sweep_files(house) == ["sweep.yml", "table.partial.csv"]
    (house / "s.yml").write_text((house / "s.yml").read_text().replace("[1, 2, 3, 4]", "[1, 2, 4]"))
    assert command(house, "sweep", "s.yml")[0] == 0
    assert sweep_files(house) == ["sweep.yml", "table.csv"]


@pytest.mark.slow
def test_a_full_disk_leaves_nothing_that_looks_finished(house):
    (house / "s.yml").write_text(THREE.replace("[1, 2, 3]", "[1]"))
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY));"
        "from lib.__main__ import main; sys.exit(main(['sweep', 's.yml']))"
    )
    variables = os.environ | {"PYTHONPATH": str(house), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", limited], cwd=house, env=variables, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "File too large" in done.stderr
    assert kept(house) == {}


# -- the same on a cluster -------------------------------------------------------------------------


@pytest.fixture
def cluster(house):
    """The address of a Dask scheduler and its two workers, each a process of its own.

    They are started as the how-to says, but for ports that are free.
    """
    file = house / "scheduler.json"
    where = (
        "--scheduler-file",
        str(file),
        "--host",
        "127.0.0.1",
        "--dashboard-address",
        "127.0.0.1:0",
    )
    processes = [started(house, "scheduler", *where, "--port", "0", module="dask")]
    processes += [
        started(house, "worker", *where, "--nthreads", "1", "--no-nanny", module="dask")
        for _ in range(2)
    ]
    try:
        yield until(lambda: address_in(file), *processes), processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def address_in(file):
    """The address of the scheduler that writes this file; nothing before it has."""
    try:
        return json.loads(file.read_text())["address"]
    except (OSError, ValueError):
        return ""


def listening(process):
    """The networks on which others are let in."""
    found = psutil.Process(process.pid).net_connections("inet")
    return {each.laddr.ip for each in found if each.status == psutil.CONN_LISTEN}


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_gives_the_same_table(house, whole, cluster):
    address, (scheduler, *workers) = cluster
    hold(house)
    process = started(house, "sweep", "s.yml", "--scheduler", address)
    until(lambda: _below(workers[0]), process, scheduler, *workers)
    assert listening(scheduler) == listening(workers[0]) == {"127.0.0.1"}
    time.sleep(generator("moment of a worker's end").uniform(0, 2))
    trees = _below(workers[0])
    workers[0].kill()
    let_go(house)
    _, complained = process.communicate()
    assert process.returncode == 0, complained
    assert table(house) == whole
    until_ended(trees)


def test_what_a_worker_did_elsewhere_is_brought_here(inside):
    folder = inside / "runs" / "tiny-0"
    run = Run("tiny", {}, "abc", folder)
    files = {"tables/draws.csv": b"1\n", "provenance.json": b'{"inputs": "abc"}'}
    sweeps._bring(run, files, failed=False)
    assert run.finished
    assert (folder / "tables" / "draws.csv").read_bytes() == b"1\n"
    sweeps._bring(run, {"tiny.ipynb": b"error"}, failed=True)
    assert (inside / "runs" / "tiny-0-failed" / "tiny.ipynb").read_bytes() == b"error"
    assert sorted(f.name for f in (inside / "runs").iterdir()) == ["tiny-0", "tiny-0-failed"]


@pytest.mark.slow
def test_a_run_is_refused_where_the_sources_are_others(inside):
    run = sweeps.read(inside / "s.yml").runs[0]
    order = sweeps._order(run) | {"inputs": "0" * 64}
    assert "are not those" in sweeps._perform(0, order, bring=False)[1]
    assert not run.finished

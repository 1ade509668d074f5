"""What a reader may say on the command line and in YAML, what is refused, and Ctrl-C."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from lib import datasets
from lib.__main__ import main
from lib.chapters import notebooks, pages, parameters, sweeps
from lib.execution import MEMORY_KEPT, environment, interrupts, yaml_text
from tests import memory
from tests.chapters.test_sweep import LIB, PARAMETERS, SWEEP, begun, built, hold, let_go, undated
from tests.chapters.test_sweep import command as run
from tests.waiting import until, until_ended


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A checkout with one small chapter, for this process."""
    monkeypatch.setattr(environment, "ROOT", built(tmp_path))
    yield tmp_path
    let_go(tmp_path)  # what a failed test leaves comes to its end


def refused(capsys, *arguments):
    """What a command says that it refuses: one line, not longer than a few."""
    assert main(list(arguments)) == 2
    said = capsys.readouterr().err
    assert said.startswith("refused: ")
    assert said.count("\n") == 1
    assert len(said) < 1000
    return said


# -- YAML ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("1_000", 1000),
        ("-0x1f", -31),
        ("0.5", 0.5),
        ("1.5e+3", 1500.0),
        ("1e-3", "1e-3"),  # a parameter that wants a number reads it as one
        ("yes", True),
        ("~", None),
        ("", None),
        ("{user: id, lat: y}", {"user": "id", "lat": "y"}),
        ("[a, &b b, *b]", ["a", "b", "b"]),
        ("!!str 3", "3"),
        ("010", "010"),  # YAML says 8
        ("12:30", "12:30"),  # YAML says 750
        ("2013-03-04", "2013-03-04"),
        ("2024-13-45", "2024-13-45"),  # YAML has no such day
        ("=", "="),
    ],
)
def test_yaml_is_read_as_it_is_written(text, value):
    assert yaml_text.read(text) == value
    assert type(yaml_text.read(text)) is type(value)


def bomb(levels=6):
    """Lists of ten aliases of lists of ten aliases: some hundred bytes for a million texts."""
    names = "abcdef"[:levels]
    lines = [f"a: &a [{', '.join('x' * 10)}]"]
    for before, name in pairwise(names):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]")
    return "{" + ", ".join(lines) + "}"


CHAIN = "[" + "&a0 [x], " + ", ".join(f"&a{i} [*a{i - 1}]" for i in range(1, 500)) + "]"
FEW_BYTES = 2_000_000  # for reading what is refused; written out, it takes ten times as many
BAD_YAML = [
    ("9" * 400, "400 digits"),
    ("9" * 5000, "5000 digits"),
    (bomb(), "aliases written out"),
    (CHAIN, "deep"),
    ("[" * 700, "deep"),
    ("[" * 700 + "]" * 700, "deep"),
    ("&a [*a]", "contains itself"),
    ("&a {b: *a}", "contains itself"),
    ("{[1, 2]: 3}", "[1, 2] stands where a name"),
    ("{a: 1, a: 2}", "'a' was given"),
    ("!!python/object/apply:os.system [ls]", "tag '!!python/object/apply:os.system'"),
    ("!foo 3", "tag '!foo'"),
    ("!!binary aGk=", "tag '!!binary'"),
    ("!!int many", "'many' is no int"),
    ("*" + "z" * 9000, "undefined alias"),
    ("[1, 2", "no YAML"),
    ("--- 1\n--- 2", "no YAML"),
]


@pytest.mark.parametrize(("text", "words"), BAD_YAML)
def test_yaml_that_cannot_be_right_is_refused_by_line_before_it_is_written_out(text, words):
    with memory.at_most(FEW_BYTES), pytest.raises(yaml_text.YamlError) as found:
        yaml_text.read(f"\n\n{text}")
    assert words in found.value.problem
    assert found.value.line in (3, 4)
    assert len(str(found.value)) < 400


def test_text_that_is_too_long_is_refused_whatever_it_is():
    for text in (f"[{'x, ' * 200_000}]", f"[&a {'x' * 5000}, {', '.join(['*a'] * 100)}]"):
        with (
            memory.at_most(FEW_BYTES),
            pytest.raises(yaml_text.YamlError, match=r"at most 200,000 were expected"),
        ):
            yaml_text.read(text)


@pytest.mark.parametrize(("text", "words"), BAD_YAML)
def test_a_value_or_a_sweep_file_that_is_no_such_yaml_is_named(house, capsys, text, words):
    if "--- 1" not in text:
        said = refused(capsys, "run", "tiny", "-p", "seed", text)
        assert said.startswith("refused: parameter 'seed' is ")
        assert words in said
    (house / "s.yml").write_text(SWEEP.replace("[1, 2]", text))
    said = refused(capsys, "sweep", str(house / "s.yml"))
    assert said.startswith(f"refused: {house / 's.yml'}, line ")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("seed", "2024-13-45", "seed is '2024-13-45'; a whole number"),
        ("seed", "1e99", "seed is '1e99'; a whole number"),
        ("seed", "9" * 300, "seed is 9999"),
        ("pause", "9" * 308, "pause is 9999"),
        ("seed", f"[{'a, ' * 999}a]", "seed is ['a', 'a',"),
        ("records", "~nobodyatall/x", "records is '~nobodyatall/x'; a file or folder"),
        ("records", '"\\0"', "records is '\\x00'; a file or folder"),
        ("records", "x" * 9000, "records is 'xxxxx"),
        ("x" * 900, "1", "no parameter 'xxxxx"),
    ],
)
def test_values_of_another_kind_are_refused_shortly(house, capsys, name, text, words):
    assert words in refused(capsys, "run", "tiny", "-p", name, text)
    (house / "s.yml").write_text(f"notebook: tiny\ncross:\n  {name}: [{text}]\n")
    said = refused(capsys, "sweep", str(house / "s.yml"))
    assert f"{house / 's.yml'}, line 3: " in said
    assert words in said
    assert not (house / "runs").exists()


# -- arguments -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sweep", "s.yml", "--processes", "0"], "--processes is 0"),
        (["sweep", "s.yml", "--dry-run", "--processes", "0"], "--processes is 0"),
        (["sweep", "s.yml", "--processes", "9" * 400], "--processes is 999"),
        (["sweep", "s.yml", "--scheduler", ""], "--scheduler is empty"),
        (["paper", "--dry-run", "--processes", "-1"], "--processes is -1"),
        (["paper", ""], "'' is no experiment or paper"),
        (["paper", "kk", " "], "' ' is no experiment or paper"),
        (["experiments", "", "--outdated"], "'' is no experiment or paper"),
        (["experiments", "--recheck", "--units", "0"], "--units is 0"),
        (["run", ""], "no notebook ''"),
        (["parameters", ""], "no notebook ''"),
        (["run", "/tmp/tiny"], "no notebook '/tmp/tiny'"),
        (["run", "../notebooks/tiny"], "no notebook '../notebooks/tiny'"),
        (["run", "tiny", "--params", "seed='1"], '--params is "seed=\'1": No closing quotation'),
        (["run", "tiny", "--params", "x" * 9000], "NAME=VALUE was expected"),
        (["book", ""], "no page ''"),
        (["book", "/tmp/tiny"], "no page '/tmp/tiny'"),
        (["book", "../tiny"], "no page '../tiny'"),
        (["book", "tinny"], "no page 'tinny'; did you mean 'tiny'?"),
    ],
)
def test_arguments_that_mean_nothing_are_refused_by_name(
    house, capsys, monkeypatch, arguments, words
):
    monkeypatch.chdir(house)
    assert words in refused(capsys, *arguments)
    assert not (house / "runs").exists()


@pytest.mark.parametrize("word", ["seeps", "x" * 9000])
def test_a_command_or_an_option_that_does_not_exist_is_refused_in_one_line(capsys, word):
    for arguments in ([word], ["sweep", "s.yml", "--processes", word], ["datasets", f"--{word}"]):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        said = capsys.readouterr().err
        assert left.value.code == 2
        assert said.startswith("refused: ") and said.count("\n") == 1 and len(said) < 2200


@pytest.mark.parametrize("notebook", ["/tmp/tiny", "../notebooks/tiny", "'tiny '", "[tiny]", "''"])
def test_the_notebook_of_a_sweep_is_a_chapters_name(house, capsys, notebook):
    (house / "s.yml").write_text(SWEEP.replace("tiny", notebook))
    assert "line 1: no notebook" in refused(capsys, "sweep", str(house / "s.yml"))


# -- how much --------------------------------------------------------------------------------------


def test_more_than_ten_thousand_runs_are_counted_and_not_looked_at(house, capsys, monkeypatch):
    monkeypatch.setattr(parameters, "from_book", lambda *_: pytest.fail("looked at a value"))
    numbers = f"[{', '.join(map(str, range(150)))}]"
    crossed = f"  seed: {numbers}\n  size: {numbers}\n"
    (house / "s.yml").write_text(SWEEP.partition("  seed")[0] + crossed)
    for more in ([], ["--dry-run"]):
        said = refused(capsys, "sweep", str(house / "s.yml"), *more)
        assert (
            "line 4: `cross` makes 22,500 runs; more than 10,000 are done only with --yes" in said
        )
    with pytest.raises(pytest.fail.Exception, match="looked at a value"):
        main(["sweep", str(house / "s.yml"), "--yes"])
    assert not (house / "runs").exists()


def test_what_is_asked_for_is_listed(house, capsys, monkeypatch):
    monkeypatch.setattr(sweeps, "MOST", 3)
    (house / "s.yml").write_text(SWEEP)
    assert "makes 4 runs; more than 3" in refused(capsys, "sweep", str(house / "s.yml"))
    assert main(["sweep", str(house / "s.yml"), "--yes", "--dry-run"]) == 0
    assert "4 runs, 4 to do" in capsys.readouterr().out


def test_a_folder_with_everything_in_it_is_not_read(house, capsys, monkeypatch):
    monkeypatch.setattr(notebooks, "_MOST_FILES", 3)
    for name in "abcdefgh":
        (house / "data" / name).mkdir(parents=True)
    (house / "data" / "a" / "one").write_text("1")
    monkeypatch.setattr(notebooks.files, "checksum", lambda *_: pytest.fail("read a file"))
    real, looked = Path.rglob, []

    def counted(folder, pattern):
        for file in real(folder, pattern):
            looked.append(file)
            yield file

    monkeypatch.setattr(Path, "rglob", counted)
    said = refused(capsys, "run", "tiny", "-p", "records", str(house / "data"))
    assert "records is a folder with more than 3 files" in said
    assert len(looked) == 4


@pytest.mark.skipif(os.name == "nt", reason="no pipes with names")
def test_what_is_no_file_is_not_waited_for(house, capsys):
    os.mkfifo(house / "pipe")
    said = refused(capsys, "run", "tiny", "-p", "records", str(house / "pipe"))
    assert f"records is '{house / 'pipe'}'" in said or "a file" in said


def test_a_table_without_the_columns_is_refused_before_anything_runs(house, capsys):
    (house / "t.csv").write_text("id,when\na,2013-03-04 10:00\n")
    words = "t.csv: columns does not say which column is roi"
    assert words in refused(capsys, "run", "tiny", "-p", "records", str(house / "t.csv"))
    sweep = f"notebook: tiny\nparameters: {{records: {house / 't.csv'}}}\ncross: {{seed: [1, 2]}}\n"
    (house / "s.yml").write_text(sweep)
    assert words in refused(capsys, "sweep", str(house / "s.yml"))
    assert not list(house.rglob("started"))


def test_a_table_is_looked_at_once_for_all_runs_of_a_sweep(house, monkeypatch):
    looked = []
    monkeypatch.setattr(parameters.records, "check_header", lambda *given: looked.append(given))
    several = [{"records": name, "seed": seed} for name in ("a.csv", "b.csv") for seed in (1, 2)]
    parameters.check_headers("tiny", several)
    assert [file.name for file, _ in looked] == ["a.csv", "b.csv"]


def test_the_table_behind_a_card_counts(house):
    (house / "t.csv").write_text("user,time,roi\na,2013-03-04 10:00,x\n")
    (house / "c.yml").write_text("path: t.csv\n")
    values = {"records": "../c.yml"}
    before = notebooks.data_checksums("tiny", values)
    assert before.keys() == {"records"}
    (house / "t.csv").write_text("user,time,roi\nb,2013-03-04 10:00,x\n")
    assert notebooks.data_checksums("tiny", values) != before


def test_the_inputs_of_many_are_those_of_each(house):
    several = [parameters.over_book("tiny", {"seed": seed}) for seed in (1, 2, 1)]
    found = list(notebooks.inputs_of_each("tiny", several))
    assert found == [notebooks.inputs("tiny", values) for values in several]
    assert found[0] == found[2] != found[1]


@pytest.mark.parametrize("n", [3, 25])
def test_many_failures_are_not_all_named(house, capsys, monkeypatch, n):
    (house / "notebooks" / "params" / "tiny.yml").write_text(
        PARAMETERS.replace("max: 9", "max: 99")
    )
    seeds = f"[{', '.join(map(str, range(n)))}]"
    (house / "s.yml").write_text(f"notebook: tiny\ncross:\n  seed: {seeds}\n")
    monkeypatch.setattr(sweeps, "perform", lambda runs, *_: dict.fromkeys(range(n), "e" * 9000))
    assert main(["sweep", str(house / "s.yml")]) == 1
    said = capsys.readouterr()
    assert f"finished: 0 of {n} runs" in said.out
    assert said.err.count("failed: seed=") == min(n, 20)
    assert ("failed: 5 more" in said.err) is (n == 25)
    assert max(map(len, said.err.splitlines())) < 2000


# -- what the pages on running say -----------------------------------------------------------------


def snippets(language, containing):
    pages = ("run.md", "publish.md", "reference/commands.md")
    text = "\n".join((LIB.parent / "book" / page).read_text() for page in pages)
    blocks = re.findall(r"^```([^\n]*)\n(.*?)^```", text, re.M | re.S)
    return [block for named, block in blocks if named == language and containing in block]


def test_the_card_of_the_how_to_reads_the_table_that_it_makes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,), (card,) = snippets("python", "to_csv"), snippets("yaml", "path: walkers.csv")
    exec(code, {})
    (shown,) = snippets("", "id,when,y,x")
    assert (tmp_path / "walkers.csv").read_text().startswith(shown)
    (tmp_path / "walkers.yml").write_text(card)
    traces = datasets.load("walkers.yml")
    assert (traces.n_users, traces.n_rois, traces.n_epochs) == (120, 96, 336)
    (reads,), (printed,) = snippets("python", "traces.report.read"), snippets("", "Traces(")
    exec(reads, {})
    assert capsys.readouterr().out == printed
    assert traces.report.read == traces.report.kept == 8042
    values = parameters.over_book("foundations", {"datasets": ["walkers.yml"]})
    named = parameters.paths("foundations", values)
    assert {file.name for file in named.values()} == {"walkers.csv", "walkers.yml"}


def test_the_how_to_opens_no_scheduler_to_a_network():
    commands = [line for block in snippets("", "dask ") for line in block.splitlines()]
    dask = [line for line in commands if re.match(r"(\w+=\d+ )*dask ", line)]
    assert len(dask) == 4
    memory = " ".join(f"{name}={most}" for name, most in MEMORY_KEPT.items())
    assert dask[1].startswith(f"{memory} dask worker ")
    for line in dask:
        assert "--dashboard-address 127.0.0.1:" in line  # its default is every network
        assert ("--host 127.0.0.1" in line) or ("--protocol tls" in line)
    (card,) = snippets("yaml", "require-encryption")
    assert "require-encryption: true" in card


# -- Ctrl-C ----------------------------------------------------------------------------------------


def test_an_impatient_second_time_does_not_disturb_the_first(monkeypatch):
    now = 1000.0
    monkeypatch.setattr(interrupts, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(interrupts, "_last", 0.0)
    quiet = []
    monkeypatch.setattr("logging.disable", lambda: quiet.append(1))
    with pytest.raises(KeyboardInterrupt):
        interrupts._interrupt(2, None)
    assert interrupts.asked()
    assert quiet  # about tasks that are given up
    now += interrupts._PATIENCE / 2
    interrupts._interrupt(2, None)
    now += interrupts._PATIENCE
    with pytest.raises(KeyboardInterrupt):
        interrupts._interrupt(2, None)


def test_an_error_that_ctrl_c_became_is_no_error(house, capsys, monkeypatch):
    def stopped(*_):
        monkeypatch.setattr(interrupts, "_last", 1.0)
        raise ImportError("initialization failed")

    monkeypatch.setattr(parameters, "parameters", stopped)
    assert main(["parameters", "tiny"]) == 130
    assert capsys.readouterr().err == f"{interrupts.SAID}\n"


# A command that waits where it would import a module, and that no later Ctrl-C disturbs, however
# much later it comes.
HELD = """
import runpy, sys, time
from importlib.abc import MetaPathFinder
from pathlib import Path
from lib.execution import interrupts

class Held(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == module:
            Path("importing").touch()
            while True:
                time.sleep(0.02)

module = sys.argv.pop(1)
sys.meta_path.insert(0, Held())
interrupts._PATIENCE = float("inf")
runpy.run_module("lib", run_name="__main__", alter_sys=True)
"""


def ctrl_c(house, arguments, awaited, times=1, module=""):
    """Exit code and complaint of a command stopped after something has happened.

    It has a folder of its own for what is passing, of which nothing of a kernel's may be left.
    """
    with tempfile.TemporaryDirectory(prefix="c-") as passing:  # sockets have short names
        found = _ctrl_c(house, [module, *arguments], awaited, times, passing)
        assert not list(Path(passing).glob("kernels-*"))
    return found


def _ctrl_c(house, arguments, awaited, times, passing):
    said = house / "said"
    variables = environment.variables() | {"PYTHONPATH": str(house), "TMPDIR": passing}
    with said.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-c", HELD, *arguments],
            cwd=house,
            env=variables,
            stdout=subprocess.DEVNULL,
            stderr=stream,
            start_new_session=True,
        )
    until(awaited, process)
    below = psutil.Process(process.pid).children(recursive=True)
    for _ in range(times):
        os.kill(process.pid, signal.SIGINT)
    code = process.wait()
    until_ended(below)
    return code, said.read_text().splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["argparse", "numpy._core._multiarray_umath", "pandas.core.api", "traitlets"]
)
def test_ctrl_c_while_modules_are_imported_is_one_line(house, module):
    imported = (house / "importing").exists
    assert ctrl_c(house, ["run", "tiny"], imported, module=module) == (130, [interrupts.SAID])
    assert not (house / "runs").exists()


def second(house, settings=PARAMETERS, add=""):
    """The same page again, under another name."""
    text = (house / "notebooks" / "tiny.py").read_text()
    (house / "notebooks" / "other.py").write_text(text + add)
    (house / "notebooks" / "params" / "other.yml").write_text(settings)


@pytest.mark.slow
def test_pages_that_are_executed_at_once_are_as_if_executed_alone(house):
    second(house)
    files = [house / "book" / f"{name}.ipynb" for name in ("tiny", "other")]
    code, printed, complained = run(house, "book", "tiny", "other")
    assert (code, printed) == (0, "pages executed: tiny, other\n"), complained
    together = [undated(file) for file in files]
    for file in files:
        file.unlink()
        assert pages.update([file.stem]) == {file.stem: "outdated"}
    assert [undated(file) for file in files] == together
    assert not list(house.glob("**/.executing-*"))


@pytest.mark.slow
def test_of_pages_that_are_executed_at_once_one_that_fails_is_named(house):
    second(house, add="1 / 0\n")
    code, _, complained = run(house, "book", "tiny", "other")
    failed = house / "runs" / "other-failed.ipynb"
    assert code == 1
    assert "other stopped: ZeroDivisionError" in complained and f"see {failed}" in complained
    assert "ZeroDivisionError" in failed.read_text()
    assert not (house / "book" / "other.ipynb").exists()
    assert not list(house.glob("**/.executing-*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("when", "times", "command"),
    [
        ("before", 1, ["run", "tiny"]),
        ("within", 3, ["run", "tiny"]),
        ("within", 1, ["book", "tiny"]),
        ("within", 1, ["book", "tiny", "other"]),
        ("within", 3, ["book", "tiny", "other"]),
    ],
)
def test_ctrl_c_while_a_page_is_executed_leaves_nothing_half_done(house, when, times, command):
    second(house)
    hold(house)

    def awaited():
        if when == "before":  # its kernel is there
            return (house / "runs" / ".locks").exists()
        return begun(house) == len(command) - 1

    assert ctrl_c(house, command, awaited, times) == (130, [interrupts.SAID])
    assert not list(house.glob("**/.executing-*"))
    assert not list(house.glob("**/*-failed*")) + list(house.glob("**/*.ipynb"))
    with environment.alone("tiny"):  # nobody holds it
        pass


def test_a_verb_that_was_renamed_says_so_and_runs(capsys):
    assert main(["studies", "fano-eq-4"]) == main(["experiments", "fano-eq-4"]) == 0
    captured = capsys.readouterr()
    assert captured.err.count("`studies` is now called `experiments`") == 1
    assert captured.out.count("fano-eq-4") == 2


def test_help_does_not_wait_for_slow_packages():
    code = "import sys, lib.__main__; print({'numpy', 'pandas', 'scipy'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"

"""`python -m lib audit`: what is refused, what is told, and an audit that survives being killed."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

from lib import datasets
from lib.__main__ import main
from lib.audit import AuditStep, inputs
from lib.audit import command as audit
from lib.audit import page as audit_page
from lib.execution import environment, interrupts
from lib.traces import Traces
from tests import waiting
from tests.audit import audits, how_to_audits
from tests.chapters.test_command_line import bomb, snippets
from tests.data import walkers

SCHEMA = json.loads((audit_page.FOLDER / "schema.json").read_text())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with records and a release, and runs elsewhere than in the checkout."""
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.chdir(tmp_path)
    walkers(tmp_path, 60, 14)
    (tmp_path / "release.yml").write_text("preset: mds-k10\n")
    return tmp_path


def steps(*_):
    """In place of an audit's own, which take minutes."""
    return [
        AuditStep(f"attack {name}", name, 2.0, 10**6, lambda name=name: {"name": name})
        for name in "abc"
    ]


@pytest.fixture
def fake(monkeypatch):
    """An audit of three steps that are done at once."""

    def document(traces, release, results, quick, seed, largest_error):
        found = audits.document()
        found["settings"] |= {"done": list(results), "seed": seed, "quick": quick}
        return found

    monkeypatch.setattr(audit, "steps", steps)
    monkeypatch.setattr(audit, "document", document)


def refused(capsys, *arguments):
    """What a command says that it refuses: one line, and nothing is written."""
    before = sorted(Path.cwd().rglob("*"))
    assert main(["audit", *arguments]) == 2
    said = capsys.readouterr().err
    assert said.startswith("refused: ") and said.count("\n") == 1 and len(said) < 1500
    assert sorted(Path.cwd().rglob("*")) == before
    return said


def test_the_command_prints_how_records_were_read(tmp_path, monkeypatch, capsys):
    lines = [f"u{i};2013-03-0{1 + i % 7} {i % 24:02d}:10;45,{i % 9};9,{i % 7}" for i in range(60)]
    (tmp_path / "a.csv").write_text(
        "who;seen;lat;lon\n" + "\n".join([*lines, "u1;;45,1;9,1"]) + "\n"
    )
    monkeypatch.chdir(tmp_path)
    columns = "--columns", "{user: who, time: seen}"
    assert main(["audit", "a.csv", "--release", "raw", "--dry-run", *columns]) == 0
    said = capsys.readouterr().out
    for line in (
        "61 rows read, 60 kept",
        "1 set aside: missing value",
        "seen: read as ISO 8601",
        "times without a UTC offset are read in UTC",
        "decimal commas",
        "semicolons separate columns",
    ):
        assert line in said


def test_refusals_name_the_commands_own_options(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = [f"{i},c{i % 4},2013-03-05 {i:02d}:15,z" for i in range(20)]
    (tmp_path / "a.csv").write_text("id,card,time,zone\n" + "\n".join(lines) + "\n")
    said = refused(capsys, "a.csv", "--release", "raw")
    assert "--columns '{user: card}', or --columns '{user: id}' if" in said
    (tmp_path / "b.csv").write_text("user,time,zone\na,10/03/2013 17:18,z\n")
    said = refused(capsys, "b.csv", "--release", "raw")
    assert "give --time-format '%d/%m/%Y %H:%M' or --time-format '%m/%d/%Y %H:%M'" in said


def test_a_refusal_for_too_few_people_says_who_was_taken_for_a_person(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("bikeid,time,station\n1,2013-03-05 10:00,a\n")
    said = refused(capsys, "a.csv", "--release", "raw")
    assert "the records hold 1 user; an audit needs at least 50" in said
    assert "user is column 'bikeid'" in said


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "nothing to audit was given; one of RECORDS, --counts, --example"),
        (["walkers.yml"], "no --release was given"),
        (["walkers.yml", "--example"], "RECORDS and --example were given"),
        (["--counts", "walkers.csv", "--release", "raw"], "--release goes with records"),
        (["none.csv", "--release", "raw"], "no file or folder 'none.csv'"),
        (["", "--release", "raw"], "RECORDS is empty"),
        (["flights-by-nomber", "--release", "raw"], "did you mean 'flights-by-number'?"),
        (["walkers.yml", "--release", "mds-k11"], "did you mean 'mds-k10'?"),
        (["walkers.yml", "--release", ""], "--release is empty"),
        (["walkers.yml", "--release", "none.yml"], "no file or folder 'none.yml'"),
        (["walkers.yml", "--release", "./"], "is a folder"),
        (["walkers.yml", "--release", "raw", "--seed", "-1"], "--seed is -1"),
        (["walkers.yml", "--release", "raw", "--processes", "0"], "--processes is 0"),
        (["walkers.yml", "--release", "raw", "--out", "release.yml"], "--out is 'release.yml'"),
        (["walkers.yml", "--release", "raw", "--out", ""], "--out is ''"),
        (["walkers.yml", "--release", "raw", "--grid", "[2"], "--grid is '[2'"),
        (["walkers.yml", "--release", "raw", "--grid", "7"], "--grid is 7; [rows, columns]"),
        (["walkers.yml", "--release", "raw", "--columns", "{user: nobody}"], "no column 'nobody'"),
        (["walkers.yml", "--release", "raw", "--timezone", "Mars"], "timezone is 'Mars'"),
        (["flights-by-number", "--release", "raw", "--epoch", "1D"], "its options are"),
        (["--counts", "none.csv"], "no file or folder 'none.csv'"),
        (["--counts", "walkers.csv"], "for zone; the file has"),
    ],
)
def test_what_does_not_go_together_or_is_not_there_is_refused(folder, capsys, arguments, words):
    assert words in refused(capsys, *arguments)


def test_processes_are_looked_at_before_anything_else(folder, capsys):
    assert "--processes is 0" in refused(capsys, "--example", "--processes", "0")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "r.yml: None was found"),
        ("- raw", "r.yml: ['raw'] was found"),
        ("preset: rawr", "r.yml, line 1: preset: 'rawr'"),
        ("preset: raw\npresset: 1", "r.yml, line 2: release: no key 'presset'"),
        ("preset: raw\nmechanisms: []", "both `preset` and `mechanisms`"),
        ("name: x", "neither `preset` nor `mechanisms`"),
        ("mechanisms:", "r.yml, line 1: mechanisms: None"),
        ("mechanisms: [{name: user-level-laplace, epsilon: 0}]", "epsilon is 0"),
        ("mechanisms: [{name: user-level-laplace, epsilon: -1}]", "epsilon is -1"),
        ("mechanisms: [{name: user-level-laplace, epsilon: .nan}]", "epsilon is nan"),
        ("mechanisms: [{name: user-level-laplace, epsilon: much}]", "epsilon is 'much'"),
        ("mechanisms: [{name: user-level-laplace, epsilon: 1e-99}]", "epsilon is 1e-99"),
        ("mechanisms: [{name: user-level-laplace}]", "epsilon is missing"),
        ("mechanisms: [{name: usr-level-laplace, epsilon: 1}]", "did you mean 'user-level-lap"),
        ("mechanisms:\n - name: suppress\n   treshold: 10", "r.yml, line 3: mechanisms[0]: sup"),
        ("preset: raw\ncap: 3", "r.yml, line 2: cap is 3"),
        (f"preset: {bomb()}", "aliases written out"),
        ("preset: &a [*a]", "contains itself"),
        ("preset: [1, 2", "this is no YAML"),
        ("preset: raw\npreset: raw", "r.yml, line 2: 'preset' was given in line 1"),
        ("preset: raw\nperiod: 2013-03-04", "r.yml, line 2: period is '2013-03-04'"),
        ("preset: raw\nepoch: 3", "r.yml, line 2: epoch is 3"),
        ("preset: raw\nzones: 3", "r.yml, line 2: zones is 3"),
        ("preset: raw\nzones: none.csv", "no file or folder"),
        ("preset: raw\nzones: {0: a}", "zones: 47 of the records' zones are not named, such as"),
        ("preset: raw\nperiod: [2014-01-01, 2014-02-01]", "walkers.y"),
        ("preset: raw\nepoch: 0h", "epoch is '0h'; a fixed length"),
    ],
)
def test_a_release_that_cannot_be_right_is_refused_with_its_line(folder, capsys, text, words):
    (folder / "r.yml").write_text(text)
    assert words in refused(capsys, "walkers.yml", "--release", "r.yml")


def test_a_release_that_is_no_text_is_refused(folder, capsys):
    (folder / "r.yml").write_bytes(b"preset: \xff\xfe")
    assert "r.yml cannot be read as text" in refused(capsys, "walkers.yml", "--release", "r.yml")
    (folder / "r.yml").write_text(f"preset: {'x' * 10**6}")
    assert "characters; at most" in refused(capsys, "walkers.yml", "--release", "r.yml")


def records(folder, rows):
    frame = pd.DataFrame(rows, columns=["user", "time", "zone"])
    frame.to_csv(folder / "few.csv", index=False)
    return "few.csv"


def at(hour):
    return f"2013-03-04T{hour:02d}:00Z"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "few.csv"),
        ([(u, at(u % 24), f"z{u % 3}") for u in range(49)], "49 users; an audit needs at least 50"),
        ([(u, at(u % 24), "z") for u in range(60)], "1 zone; at least 2"),
        ([(u, at(3), f"z{u % 3}") for u in range(60)], "1 epoch; at least 2"),
        ([(u, at(h), f"z{h}") for u in range(60) for h in (1, 2)], "all 60 users have the same"),
    ],
)
def test_records_about_which_nothing_can_be_said_are_refused(folder, capsys, rows, words):
    name = records(folder, rows)
    assert words in refused(capsys, name, "--release", "raw")
    assert words in refused(capsys, name, "--release", "raw", "--dry-run")


def test_an_empty_file_is_refused(folder, capsys):
    (folder / "empty.csv").write_text("")
    assert "empty.csv" in refused(capsys, "empty.csv", "--release", "raw")


# -- what is read ----------------------------------------------------------------------------------


def test_a_release_may_be_cut_otherwise_than_the_records(folder):
    zones = {str(i): "west" if i % 8 < 4 else "east" for i in range(48)}
    table = pd.DataFrame({"zone": zones.keys(), "released": zones.values()})
    table.to_csv(folder / "zones.csv", index=False)
    (folder / "r.yml").write_text(
        "preset: raw\nepoch: 1D\nperiod: [2013-03-04, 2013-03-11]\nzones: zones.csv\n"
    )
    request = inputs.read_release("r.yml")
    traces = inputs.load_records("walkers.yml", request.cut, {})
    assert (traces.n_rois, traces.n_epochs) == (2, 7)
    assert list(traces.rois.index) == ["east", "west"]
    whole = datasets.load("walkers.yml", epoch="1D", end="2013-03-11")
    west = whole.matrix.tocoo()
    side = np.array([zones[str(each)] for each in whole.rois.index])[west.col // 7]
    for i, name in enumerate(traces.rois.index):
        expected = pd.DataFrame({"u": west.row, "day": west.col % 7})[side == name]
        assert traces.matrix[:, i * 7 : i * 7 + 7].sum() == len(expected.drop_duplicates())
    assert traces.rois.loc["west", "lon"] < traces.rois.loc["east", "lon"]
    assert traces.report.notes[-1] == "48 zones of the records form 2 zones of the release"


@pytest.mark.parametrize("form", ["mapping", "table"])
def test_zones_that_are_not_named_form_a_group_of_their_own(folder, form):
    (folder / "zones.csv").write_text("zone,released\n3,harbour\n*,other\n")
    given = "{'3': harbour, '*': other}" if form == "mapping" else "zones.csv"
    (folder / "r.yml").write_text(f"preset: raw\nzones: {given}\n")
    request = inputs.read_release("r.yml")
    traces = inputs.load_records("walkers.yml", request.cut, {})
    assert list(traces.rois.index) == ["harbour", "other"]
    whole = inputs.load_records("walkers.yml", {}, {})
    here = whole.matrix.toarray().reshape(whole.n_users, whole.n_rois, -1)
    merged = traces.matrix.toarray().reshape(traces.n_users, 2, -1)
    harbour = list(map(str, whole.rois.index)).index("3")
    np.testing.assert_array_equal(merged[:, 0], here[:, harbour])
    others = np.delete(here, harbour, axis=1).max(axis=1)
    np.testing.assert_array_equal(merged[:, 1], others)


def test_a_release_may_be_of_a_coarser_grid(folder):
    (folder / "r.yml").write_text("preset: raw\nzones: [2, 3]\n")
    traces = inputs.load_records("walkers.yml", inputs.read_release("r.yml").cut, {})
    assert traces.n_rois == 6


def test_a_number_with_an_exponent_is_a_number(folder):
    (folder / "r.yml").write_text("mechanisms: [{name: user-level-laplace, epsilon: 5e-1}]")
    (step,) = inputs.read_release("r.yml").release.steps
    assert step.parameters == {"epsilon": 0.5}


def test_the_digest_of_records_is_of_all_that_they_hold(folder):
    whole = inputs.load_records("walkers.yml", {}, {})
    same = inputs.load_records("walkers.yml", {}, {})
    other = inputs.load_records("walkers.yml", {}, {"start": "2013-03-05"})
    assert inputs.digest(whole) == inputs.digest(same) != inputs.digest(other)
    same.users = same.users[::-1]
    assert inputs.digest(whole) != inputs.digest(same)
    moved = whole.matrix.copy()
    moved.indices = (whole.n_rois * whole.n_epochs - 1 - moved.indices).astype(moved.indices.dtype)
    moved.sort_indices()
    mirrored = Traces(moved, whole.users, whole.rois, whole.epochs)
    assert inputs.digest(whole) != inputs.digest(mirrored)


def test_presets_and_mechanisms_are_listed(capsys):
    assert main(["audit", "--list"]) == 0
    said = capsys.readouterr().out
    for words in ("presets:", "mechanisms:", "  mds-k10 ", "  user-level-laplace ", "epsilon"):
        assert words in said


# -- what is told, and what is written -------------------------------------------------------------


def test_a_dry_run_tells_time_and_memory_and_writes_nothing(folder, capsys):
    before = sorted(folder.rglob("*"))
    for arguments in (["walkers.yml", "--release", "release.yml", "--out", "new"], ["--example"]):
        assert main(["audit", *arguments, "--dry-run", "--processes", "1"]) == 0
        said = capsys.readouterr().out
        assert "in all about" in said and "MB beside the records" in said
        assert "Knock-Knock" in said
    assert sorted(folder.rglob("*")) == before


@pytest.mark.usefixtures("fake")
def test_whatever_the_verdict_the_exit_code_is_0_and_the_files_are_where_they_should_be(
    folder, capsys
):
    command = ["audit", "walkers.yml", "--release", "release.yml", "--processes", "1"]
    assert main([*command, "--out", "here/there"]) == 0
    said = capsys.readouterr().out
    assert "verdict: fail" in said and "Knock-Knock: a third of the members" in said
    assert (folder / "here" / "there" / "audit.html").as_uri() in said
    assert main(command) == 0
    (output,) = (folder / "runs").glob("audit-*")
    for name in audit.FILES:
        assert (output / name).read_bytes() == (folder / "here" / "there" / name).read_bytes()
    found = json.loads((output / "audit.json").read_text())
    jsonschema.validate(found, SCHEMA)
    assert found["data"]["label"] == "walkers" and found["data"]["loader"]["set_aside"] == {}
    for name in audit.FILES:
        assert str(folder) not in (output / name).read_text()


@pytest.mark.slow
def test_two_processes_write_the_same_bytes_and_ids_are_there_only_if_asked_for(folder):
    found = {}
    for n, more in (("1", []), ("2", []), ("3", ["--show-ids"])):
        command = ["audit", "walkers.yml", "--release", "mds-k10", "--quick", "--out", n, *more]
        assert main([*command, "--processes", "2" if n == "2" else "1"]) == 0
        found[n] = [(folder / n / name).read_text(encoding="utf-8") for name in audit.FILES]
        jsonschema.validate(json.loads(found[n][1]), SCHEMA)
    assert found["1"] == found["2"]
    ids = [f"w{i:03d}" for i in range(60)]
    table = (folder / "walkers.csv").read_text()
    assert all(each in table for each in ids)
    assert not any(each in text for each in ids for text in found["1"])
    assert "position" not in found["1"][1]
    for text in found["3"]:
        assert sum(each in text for each in ids) in range(2, 11)


@pytest.mark.usefixtures("fake")
def test_only_what_is_not_kept_is_played_and_a_change_voids_all_of_it(folder, monkeypatch):
    run_names, step = [], audit._step

    def counted(given, name):
        run_names.append(name)
        return step(given, name)

    monkeypatch.setattr(audit, "_step", counted)

    def again(*more):
        run_names.clear()
        command = ["audit", "walkers.yml", "--release", "release.yml", "--out", "o"]
        assert main([*command, "--processes", "1", *more]) == 0
        return [name.removeprefix("attack ") for name in run_names]

    assert again() == ["a", "b", "c"]
    assert again() == []
    (kept,) = (folder / "o" / ".steps").iterdir()
    (kept / "attack-b.json").unlink()
    assert again() == ["b"]
    assert again("--seed", "1") == ["a", "b", "c"]
    assert len(list((folder / "o" / ".steps").iterdir())) == 1
    assert again("--quick", "--seed", "1") == ["a", "b", "c"]
    (folder / "release.yml").write_text("preset: raw\n")
    assert again("--quick", "--seed", "1") == ["a", "b", "c"]
    text = (folder / "walkers.csv").read_text().splitlines()
    (folder / "walkers.csv").write_text("\n".join(text[:-5]) + "\n")
    assert again("--quick", "--seed", "1") == ["a", "b", "c"]


@pytest.mark.usefixtures("fake")
def test_a_report_of_other_records_does_not_stay_while_an_audit_is_not_finished(
    folder, monkeypatch
):
    command = ["audit", "walkers.yml", "--release", "raw", "--out", "o", "--processes", "1"]
    assert main(command) == 0
    assert (folder / "o" / "audit.html").exists()

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(audit, "_step", stopped)
    assert main([*command, "--seed", "9"]) == interrupts.CODE
    assert not (folder / "o" / "audit.html").exists()
    assert not (folder / "o" / "audit.json").exists()


@pytest.mark.usefixtures("fake")
def test_a_result_that_is_no_number_is_never_written(folder, monkeypatch):
    monkeypatch.setattr(audit, "document", lambda *_: audits.document(epsilon=float("nan")))
    with pytest.raises(ValueError, match="JSON"):
        audit.write_report(folder / "o", audits.document(epsilon=float("nan")))
    assert not (folder / "o" / "audit.html").exists()


@pytest.mark.usefixtures("fake")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_folder_that_cannot_be_written_is_an_error_and_no_verdict(folder, capsys):
    (folder / "o").mkdir()
    (folder / "o" / ".steps").write_text("a file where a folder should be")
    command = ["audit", "walkers.yml", "--release", "raw", "--out", "o", "--processes", "1"]
    assert main(command) == 1
    assert capsys.readouterr().err.startswith("error: ")


def test_counts_are_audited_alone(folder, capsys):
    (folder / "c.csv").write_text("zone,time,count\na,1,20\na,2,*\na,total,23\n")
    assert main(["audit", "--counts", "c.csv", "--dry-run", "--out", "o"]) == 0
    assert not (folder / "o").exists()
    assert main(["audit", "--counts", "c.csv", "--out", "o"]) == 0
    assert "verdict: fail" in capsys.readouterr().out
    found = json.loads((folder / "o" / "audit.json").read_text())
    jsonschema.validate(found, SCHEMA)
    page = (folder / "o" / "audit.html").read_text()
    assert "Not everything was tested" in page and "Attacks on people" in page
    assert main(["audit", *["--counts", "c.csv"] * 3, "--out", "o"]) == 0
    jsonschema.validate(json.loads((folder / "o" / "audit.json").read_text()), SCHEMA)


# -- being killed ----------------------------------------------------------------------------------

SLOW = """
import sys, time
from lib.audit import command as audit
from lib.execution import environment, interrupts as stopping
from lib import __main__ as door
from pathlib import Path
from tests.audit import test_inputs as tests, audits
environment.ROOT = Path.cwd()
def steps(*_):
    def wait(name, run):
        def waited():
            time.sleep({pause} if name != "attack a" else 0)
            return run()
        return waited
    return [audit.AuditStep(s.name, s.words, s.seconds, s.bytes, wait(s.name, s.run))
            for s in tests.steps()]
audit.steps = steps
def document(traces, release, results, quick, seed, largest_error):
    return audits.document(reasons=list(results))
audit.document = document
stopping.at_once()
stopping.leave(door.main(sys.argv[1:]))
"""


def started(folder, pause, *arguments):
    code = SLOW.format(pause=pause)
    root = str(Path(__file__).parents[2])
    variables = environment.variables() | {"PYTHONPATH": root}
    command = ["audit", "walkers.yml", "--release", "raw", "--out", "o", "--processes", "1"]
    return subprocess.Popen(
        [sys.executable, "-c", code, *command, *arguments],
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize("how", ["SIGKILL", "SIGINT"])
def test_an_audit_that_was_killed_goes_on_and_gives_the_same_bytes(folder, how):
    running = started(folder, 100_000)
    waiting.until(lambda: list((folder / "o").glob(".steps/*/attack-a.json")), running)
    running.send_signal(getattr(signal, how))
    running.wait()
    if how == "SIGINT":
        assert running.returncode == interrupts.CODE
        assert running.stderr.read().strip().endswith(interrupts.SAID)
    assert not (folder / "o" / "audit.html").exists()
    (first,) = (folder / "o").glob(".steps/*/attack-a.json")
    before = first.stat().st_mtime_ns
    assert started(folder, 0).wait() == 0
    assert first.stat().st_mtime_ns == before
    found = {name: (folder / "o" / name).read_bytes() for name in audit.FILES}
    assert started(folder, 0, "--out", "new").wait() == 0
    assert {name: (folder / "new" / name).read_bytes() for name in audit.FILES} == found


# -- what the page on publishing says --------------------------------------------------------------


@pytest.mark.slow
def test_the_audits_of_the_how_to_are_what_it_says():
    played = how_to_audits.results()
    said, found = (
        [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
        for text in (how_to_audits.stored_table(), how_to_audits.table(played))
    )
    assert [row[:2] for row in said] == [row[:2] for row in found]
    verdicts = ["**fail**", "**review**", "**review**", "**guaranteed**", ""]
    assert [row[1] for row in said[2:]] == verdicts
    if sys.version_info[:2] == (3, 11):  # where numbers are compared
        assert said == found
        assert how_to_audits.stored_purposes() == how_to_audits.purposes(played)
        assert how_to_audits.PAGE.read_text(encoding="utf-8") == how_to_audits.page(played)


@pytest.mark.parametrize("page", ["publish.md", "index.md"])
def test_a_finished_audit_can_be_seen(page):
    text = (environment.ROOT / "book" / page).read_text(encoding="utf-8")
    assert f'href="../_static/{how_to_audits.PAGE.name}"' in text
    assert how_to_audits.PAGE.exists()


def test_the_release_of_the_how_to_is_read(folder):
    (card,) = snippets("yaml", "user-day-level-laplace")
    (folder / "release.yml").write_text(card)
    request = inputs.read_release("release.yml")
    assert [step.name for step in request.release.steps] == ["user-day-level-laplace", "suppress"]
    assert set(request.cut) == {"epoch", "period"} and request.release.cap == 8


def test_the_how_to_names_every_key_of_the_document():
    text = (environment.ROOT / "book" / "publish.md").read_text(encoding="utf-8")
    table = text.partition("| key | content |")[2].partition("\n## ")[0]
    assert all(f"`{key}`" in table for key in SCHEMA["required"])


# -- what records may hide -------------------------------------------------------------------------


def test_a_grid_of_the_release_is_used_or_refused(tmp_path):
    rows = [f"p{i % 60},2013-03-0{4 + i % 5} {i % 24:02d}:15,z{i % 25}" for i in range(600)]
    (tmp_path / "visits.csv").write_text("\n".join(["user,time,zone", *rows]) + "\n")
    release = tmp_path / "release.yml"
    release.write_text("preset: raw\nzones: [2, 2]\n")
    cut = inputs.read_release(str(release)).cut
    with pytest.raises(ValueError, match="a grid needs coordinates, and 25 of 25 places have none"):
        inputs.load_records(str(tmp_path / "visits.csv"), cut, {})
    zones = ", ".join(f"z{i}: [{45 + i // 5}, {9 + i % 5}]" for i in range(25))
    (tmp_path / "card.yml").write_text(f"path: visits.csv\nzones: {{{zones}}}\n")
    assert inputs.load_records(str(tmp_path / "card.yml"), cut, {}).n_rois == 4
    assert inputs.load_records("flights-by-number", cut, {}).n_rois == 4
    with pytest.raises(ValueError, match="flights-by-number: there is no option 'epoch'"):
        inputs.load_records("flights-by-number", {"epoch": "1D"}, {})


def test_options_of_the_command_reach_the_reader(tmp_path):
    file = tmp_path / "taxi.txt"
    file.write_text(
        "1;2008-02-02 15:36;116411720;39921230\n2;2008-02-02 15:46;116411350;39938830\n"
    )
    options = {"columns": "[user, time, lon, lat]", "scale": "1e6", "grid": "[2, 1]"}
    assert inputs.load_records(str(file), {}, options).n_rois == 2


def test_an_audit_of_people_with_one_visit_each_says_so_first(tmp_path):
    from lib.audit.run import _with_single_visits

    rows = [f"{i},2013-03-0{4 + i % 5} {i % 24:02d}:15,z{i % 5}" for i in range(200)]
    (tmp_path / "visits.csv").write_text("\n".join(["user,time,zone", *rows]) + "\n")
    alone = datasets.load(str(tmp_path / "visits.csv"))
    verdict, reasons = _with_single_visits(alone, "none-succeeded", ["No attack succeeded."])
    assert verdict == "review"
    assert reasons[0].startswith("100% of the 200 people have a single visit.")
    verdict, reasons = _with_single_visits(alone, "fail", ["An attack succeeded."])
    assert (verdict, len(reasons)) == ("fail", 2)
    six = datasets.load("six-users")
    assert _with_single_visits(six, "fail", ["x"]) == ("fail", ["x"])

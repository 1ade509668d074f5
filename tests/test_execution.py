import json
import re

import nbformat
import pandas as pd
import pytest
import yaml

from lib import execution
from lib.__main__ import main
from lib.datasets import files
from lib.execution import Parameter, ParameterError

QUICK = {
    "datasets": ["six-users"],
    "lag": "1D",
    "group_sizes": [2, 3],
    "n_groups": 20,
    "n_targets": 2,
}
QUICK_TEXT = " ".join(
    f"{name}={json.dumps(value).replace(' ', '')}" for name, value in QUICK.items()
)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr(execution, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(execution, "PAPER", tmp_path / "paper")
    return tmp_path


def finished(folder):
    return [path for path in folder.iterdir() if path.name[0] != "." and path.name != "unfinished"]


# -- parameters ------------------------------------------------------------------------------------

SIZE = Parameter("sizes", "list[int]", [10], "users; 2..pool")
RATE = Parameter("rate", "float", 0.5, "1e-3..1")
KIND = Parameter("kind", "str", "RF", "one of LR|kNN|RF")


@pytest.mark.parametrize(
    ("parameter", "value", "kept"),
    [
        (SIZE, [2, 99999], [2, 99999]),  # the pool's size is the chapter's to know
        (RATE, "1e-3", 1e-3),  # YAML reads that as text
        (RATE, 1, 1.0),
        (KIND, "kNN", "kNN"),
        (Parameter("n", "int", 1, "0.."), 0, 0),
        (Parameter("on", "bool", True, ""), False, False),
        (Parameter("c", "dict[str, str]", {}, ""), {"user": "id"}, {"user": "id"}),
    ],
)
def test_values_that_fit_are_kept(parameter, value, kept):
    assert parameter.check(value) == kept
    assert type(parameter.check(value)) is type(kept)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        (SIZE, [10, 1]),
        (SIZE, 10),
        (SIZE, [2.5]),
        (SIZE, [True]),
        (RATE, 0.0001),
        (RATE, 1.01),
        (RATE, float("nan")),
        (RATE, "much"),
        (KIND, "SVM"),
        (KIND, 3),
        (Parameter("n", "int", 1, "users; 0.."), -1),
        (Parameter("n", "int", 1, "users; 0.."), "3"),
        (Parameter("on", "bool", True, ""), "yes"),
        (Parameter("c", "dict[str, str]", {}, ""), {"user": 3}),
        (Parameter("path", "str", "", "file of records"), "no-such-file.csv"),
    ],
)
def test_values_that_do_not_fit_are_refused_by_name(parameter, value):
    with pytest.raises(ParameterError, match=rf"^{parameter.name}"):
        parameter.check(value)


@pytest.mark.parametrize("chapter", execution.chapters())
def test_every_chapter_declares_what_its_sets_use(chapter):
    declared = execution.parameters(chapter)
    assert all(p.help and p.type != "None" for p in declared)
    assert all(p.check(p.default) == p.default for p in declared)
    for which in ("book", "paper"):
        execution.parameter_set(chapter, which)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["foundation"], ["foundation", "did you mean 'foundations'"]),
        (["foundations", "-p", "sed", "7"], ["'sed'", "did you mean 'seed'", "int", "0.."]),
        (["foundations", "-p", "seed", "many"], ["seed is 'many'", "int"]),
        (["foundations", "-p", "seed", "-1"], ["seed is -1", "0.."]),
        (["foundations", "-p", "datasets", "[taxis]"], ["datasets is ['taxis']", "one of"]),
        (["foundations", "-p", "records", "none.csv"], ["records", "none.csv"]),
        (["foundations", "-p", "seed", "{"], ["seed", "YAML"]),
        (["foundations", "-p", "seed", "1", "--params", "seed=2"], ["seed", "twice"]),
        (["foundations", "--params", "seed"], ["'seed'", "NAME=VALUE"]),
    ],
)
def test_wrong_parameters_are_refused_before_anything_runs(elsewhere, capsys, arguments, words):
    assert main(["run", *arguments]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("refused: ")
    for word in words:
        assert word in printed
    assert not (elsewhere / "runs").exists()


# -- running ---------------------------------------------------------------------------------------


def test_a_run_leaves_notebook_tables_and_parameters(elsewhere, capsys):
    assert main(["run", "foundations", "-p", "seed", "7", "--params", QUICK_TEXT]) == 0
    (folder,) = finished(elsewhere / "runs")
    assert re.fullmatch(r"foundations-[0-9a-f]{10}", folder.name)
    assert str(folder) in capsys.readouterr().out
    kept = yaml.safe_load((folder / "parameters.yml").read_text())
    assert kept == execution.parameter_set("foundations", "book") | QUICK | {"seed": 7}
    provenance = json.loads((folder / "provenance.json").read_text())
    assert provenance["parameters"]["seed"] == 7
    assert len(provenance["lock"]) == 64
    table = pd.read_csv(folder / "tables" / "six-recurrence.csv", index_col=0)
    assert table.loc["Fay", "recurrence"] == 0.25
    notebook = nbformat.read(folder / "foundations.ipynb", as_version=4)
    injected = [c for c in notebook.cells if "injected-parameters" in c.metadata.get("tags", [])]
    assert "seed = 7" in injected[0].source
    assert all(c.execution_count for c in notebook.cells if c.cell_type == "code" and c.source)


def test_a_readers_own_records_run(elsewhere, capsys):
    rows = [f"u{i % 7},2013-03-0{4 + i % 5} {8 + i % 9:02d}:00,40.{i % 9},-73.{i % 8}"
            for i in range(200)]  # fmt: skip
    file = elsewhere / "mine.csv"
    file.write_text("\n".join(["id,when,y,x", *rows]) + "\n")
    columns = "{user: id, time: when, lat: y, lon: x}"
    quick = QUICK_TEXT.replace('datasets=["six-users"] ', "")
    arguments = ["-p", "records", str(file), "-p", "columns", columns, "--params", quick]
    assert main(["run", "foundations", *arguments]) == 0, capsys.readouterr().err
    (folder,) = finished(elsewhere / "runs")
    assert pd.read_csv(folder / "tables" / "rows.csv", index_col=0).loc["rows read"].item() == 200
    data = json.loads((folder / "provenance.json").read_text())["data"]
    assert data["records"] == files.checksum([file])[:16]


def test_the_paper_set_goes_to_its_own_folder(elsewhere):
    assert main(["paper", "foundations", "--params", QUICK_TEXT]) == 0
    (folder,) = finished(elsewhere / "paper")
    assert folder.name == "foundations"
    assert (folder / "tables" / "sum-attack.csv").exists()


def test_a_chapter_that_fails_keeps_its_notebook_under_another_name(elsewhere, capsys):
    assert main(["run", "foundations", "--params", QUICK_TEXT.replace("1D", "900D")]) == 1
    printed = capsys.readouterr().err
    assert "no epoch of the window" in printed
    (folder,) = finished(elsewhere / "runs")
    assert folder.name.endswith("-failed")
    assert str(folder / "foundations.ipynb") in printed
    assert "lag 900D" in (folder / "foundations.ipynb").read_text()


def test_a_folder_that_cannot_be_written_is_named(elsewhere, capsys):
    (elsewhere / "runs").write_text("in the way")
    assert main(["run", "foundations", "--params", QUICK_TEXT]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith("error: ")
    assert str(elsewhere / "runs") in printed


def test_executing_twice_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        execution.execute("foundations", QUICK, tmp_path / f"{name}.ipynb", "inputs")
    assert (tmp_path / "one.ipynb").read_bytes() == (tmp_path / "two.ipynb").read_bytes()
    assert "image/png" in (tmp_path / "one.ipynb").read_text()


def test_printed_text_is_put_together_however_the_kernel_cut_it():
    def stream(text, name="stdout"):
        return nbformat.v4.new_output("stream", name=name, text=text)

    image = nbformat.v4.new_output("display_data", data={"image/png": ""})
    pieces = [stream("a"), stream("b\n"), image, stream("c"), stream("d", "stderr"), stream("e")]
    texts = [output.get("text") for output in execution._merged(pieces)]
    assert texts == ["ab\n", None, "c", "d", "e"]


# -- what is stale ---------------------------------------------------------------------------------


def test_a_change_of_any_input_changes_the_hash(tmp_path, monkeypatch):
    for part in ("notebooks", "lib"):
        for file in (execution.ROOT / part).rglob("*"):
            if file.suffix in (".py", ".yml"):
                copy = tmp_path / file.relative_to(execution.ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(file.read_bytes())
    (tmp_path / "requirements.lock").write_text("a==1\n")
    monkeypatch.setattr(execution, "ROOT", tmp_path)

    def fingerprint():
        return execution.inputs_hash("foundations", {"seed": 1})

    seen = {fingerprint(), execution.inputs_hash("foundations", {"seed": 2})}
    for name in ("notebooks/foundations.py", "lib/traces.py", "requirements.lock"):
        before = (tmp_path / name).read_text()
        (tmp_path / name).write_text(before + "# changed\n")
        seen.add(fingerprint())
        (tmp_path / name).write_bytes(before.replace("\n", "\r\n").encode())
        assert fingerprint() in seen  # line ends are no change
    assert len(seen) == 5


def test_a_missing_or_outdated_notebook_is_stale(tmp_path, monkeypatch):
    committed = (execution.BOOK / "foundations.ipynb").read_text()
    monkeypatch.setattr(execution, "BOOK", tmp_path)
    assert execution.is_stale("foundations")
    (tmp_path / "foundations.ipynb").write_text(committed)
    assert not execution.is_stale("foundations")
    monkeypatch.setattr(execution, "PAPER", tmp_path)
    assert execution.is_stale("foundations")  # it shows tables that are gone
    monkeypatch.undo()
    monkeypatch.setattr(execution, "BOOK", tmp_path)
    notebook = json.loads(committed)
    notebook["metadata"]["aggregate_location"]["inputs"] = "0" * 64
    (tmp_path / "foundations.ipynb").write_text(json.dumps(notebook))
    assert execution.is_stale("foundations")


def test_the_commands_that_list(capsys):
    assert main(["datasets"]) == 0
    assert "flights-by-tail" in capsys.readouterr().out
    assert main(["parameters", "foundations"]) == 0
    assert "group_sizes: list[int]" in capsys.readouterr().out

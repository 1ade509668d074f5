"""Chapters with other values, and the book's pages: what is refused, executed, or only rendered."""

import ast
import io
import json
import re
from contextlib import redirect_stdout

import jupytext
import nbformat
import pandas as pd
import pytest
import yaml

from lib.__main__ import main
from lib.chapters import notebooks, pages, parameters
from lib.chapters.parameters import Parameter, ParameterError
from lib.datasets import files
from lib.execution import environment
from lib.execution.errors import ChapterError
from lib.papers import figures
from tests.chapters.test_sweep import begun, built, undated

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
    monkeypatch.setattr(environment, "runs", lambda: tmp_path / "runs")
    return tmp_path


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A checkout with one small chapter, for this process."""
    monkeypatch.setattr(environment, "ROOT", built(tmp_path))
    return tmp_path


def finished(folder):
    return [path for path in folder.iterdir() if path.name[0] != "."]


# -- parameters ------------------------------------------------------------------------------------


def parameter(name="x", kind="int", default=1, text="what it is", **more):
    return Parameter(name, kind, default, text, **more)


SIZES = parameter("sizes", "list[int]", [10], min=2, ascending=True)
RATE = parameter("rate", "float", 0.5, above=0, max=1)
KINDS = parameter("kinds", "list[str]", ["RF"], choices=("LR", "kNN", "RF"), distinct=True)
OF = parameter("of", "dict[str, float]", {}, keys=("cabs", "commuters"), min=0, max=1)


@pytest.mark.parametrize(
    ("which", "value", "kept"),
    [
        (SIZES, [2, 99999], [2, 99999]),
        (RATE, "1e-3", 1e-3),  # YAML reads that as text
        (RATE, 1, 1.0),
        (KINDS, ["kNN", "LR"], ["kNN", "LR"]),
        (OF, {"cabs": 1}, {"cabs": 1.0}),
        (parameter(min=0), 0, 0),
        (parameter("on", "bool", True), False, False),
        (parameter("c", "dict[str, list[int]]", {}), {"a": [1]}, {"a": [1]}),
        (parameter("l", "list[int]", [], nonempty=False), [], []),
        (parameter("path", "str", "", path=True), "", ""),
    ],
)
def test_values_that_fit_are_kept(which, value, kept):
    assert which.check(value) == kept
    assert repr(which.check(value)) == repr(kept)


@pytest.mark.parametrize(
    ("which", "value", "words"),
    [
        (SIZES, [1, 10], "at least 2"),
        (SIZES, [10, 10], "above the one before"),
        (SIZES, [], "at least one value"),
        (SIZES, 10, "a list"),
        (SIZES, [2.5], "a whole number"),
        (SIZES, [True], "a whole number"),
        (RATE, 0, "above 0"),
        (RATE, 1.01, "at most 1"),
        (RATE, float("nan"), "a number"),
        (RATE, "much", "a number"),
        (KINDS, ["SVM"], "one of LR, kNN, RF"),
        (KINDS, ["LR", "LR"], "no value twice"),
        (KINDS, [3], "text"),
        (OF, {"taxis": 0.5}, "cabs, commuters"),
        (OF, {"cabs": 2}, "at most 1"),
        (OF, {"cabs": "x"}, "a mapping from names to a number"),
        (parameter("n", min=0), -1, "at least 0"),
        (parameter("n"), "3", "a whole number"),
        (parameter("on", "bool", True), "yes", "true or false"),
        (parameter("path", "str", "", path=True), "no-such-file.csv", "a file or folder"),
    ],
)
def test_values_that_do_not_fit_are_refused_by_name_value_and_what_is_right(which, value, words):
    with pytest.raises(ParameterError) as refused:
        which.check(value)
    assert str(refused.value).startswith(f"{which.name} is {value!r}; ")
    assert words in str(refused.value)
    assert which.help in str(refused.value)


@pytest.mark.parametrize("chapter", parameters.chapters())
def test_the_parameters_cell_says_what_is_declared(chapter):
    declared = {p.name: p.default for p in parameters.parameters(chapter)}
    assert all(p.help for p in parameters.parameters(chapter))
    tagged = [
        cell
        for cell in notebooks.code(jupytext.read(notebooks.source(chapter)))
        if "parameters" in cell.metadata.get("tags", [])
    ]
    statements = ast.parse(tagged[0].source).body
    cell = {each.targets[0].id: ast.literal_eval(each.value) for each in statements}
    assert list(cell) == list(declared)
    assert cell == declared
    parameters.book_values(chapter)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"type": "int", "default": 1}, "no 'help'"),
        ({"type": "int", "default": 1, "help": "x", "maximum": 3}, "'maximum'; did you mean 'max'"),
        ({"type": "int", "default": "a", "help": "x"}, "x is 'a'"),
    ],
)
def test_a_declaration_that_is_wrong_is_refused(house, entry, words):
    file = house / "notebooks" / "params" / "tiny.yml"
    file.write_text(yaml.safe_dump({"parameters": {"x": entry}}))
    with pytest.raises(ParameterError, match=words):
        parameters.parameters("tiny")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["foundation"], ["foundation", "did you mean 'foundations'"]),
        (["foundations", "-p", "sed", "7"], ["'sed'", "did you mean 'seed'", "int", "at least 0"]),
        (["foundations", "-p", "seed", "many"], ["seed is 'many'", "a whole number"]),
        (["foundations", "-p", "seed", "-1"], ["seed is -1", "at least 0"]),
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


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The folder of a quick run, and what the command printed."""
    runs, printed = tmp_path_factory.mktemp("ran") / "runs", io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed):
        patch.setattr(environment, "runs", lambda: runs)
        assert main(["run", "foundations", "-p", "seed", "7", "--params", QUICK_TEXT]) == 0
    (folder,) = finished(runs)
    return folder, printed.getvalue()


@pytest.mark.slow
def test_a_run_leaves_notebook_tables_and_parameters(ran):
    folder, printed = ran
    assert re.fullmatch(r"foundations-[0-9a-f]{10}", folder.name)
    assert str(folder) in printed
    kept = yaml.safe_load((folder / "parameters.yml").read_text())
    assert kept == parameters.book_values("foundations") | QUICK | {"seed": 7}
    provenance = json.loads((folder / "provenance.json").read_text())
    assert provenance["parameters"]["seed"] == 7
    assert len(provenance["lock"]) == 64
    table = pd.read_csv(folder / "tables" / "six-aggregate.csv", index_col=0)
    assert table.loc["home", "Mon 08"] == 3
    notebook = nbformat.read(folder / "foundations.ipynb", as_version=4)
    injected = [c for c in notebook.cells if "injected-parameters" in c.metadata.get("tags", [])]
    assert "seed = 7" in injected[0].source
    assert all(c.execution_count for c in notebook.cells if c.cell_type == "code" and c.source)


@pytest.mark.slow
def test_a_readers_own_records_run(elsewhere, capsys):
    rows = [
        f"u{i % 7},2013-03-0{4 + i % 5} {8 + i % 9:02d}:00,40.{i % 9},-73.{i % 8}"
        for i in range(200)
    ]
    file = elsewhere / "mine.csv"
    file.write_text("\n".join(["id,when,y,x", *rows]) + "\n")
    columns = "{user: id, time: when, lat: y, lon: x}"
    quick = QUICK_TEXT.replace('datasets=["six-users"] ', "")
    arguments = ["-p", "records", str(file), "-p", "columns", columns, "--params", quick]
    assert main(["run", "foundations", *arguments]) == 0, capsys.readouterr().err
    (folder,) = finished(elsewhere / "runs")
    assert pd.read_csv(folder / "tables" / "rows.csv", index_col=0).loc["rows read"].item() == 200
    data = json.loads((folder / "provenance.json").read_text())["data"]
    assert data["records"][:16] == files.checksum([file])[:16]


@pytest.mark.slow
def test_a_chapter_that_fails_keeps_its_notebook_under_another_name(elsewhere, capsys):
    file = elsewhere / "two.csv"
    rows = [f"{user},2013-03-0{day} 08:00,there" for user in "ab" for day in range(4, 8)]
    file.write_text("\n".join(["user,time,roi", *rows]) + "\n")
    quick = QUICK_TEXT.replace('datasets=["six-users"] ', "")
    assert main(["run", "foundations", "-p", "records", str(file), "--params", quick]) == 1
    printed = capsys.readouterr().err
    assert "records has 2 users; at least 3 were expected" in printed
    (folder,) = finished(elsewhere / "runs")
    assert folder.name.endswith("-failed")
    assert str(folder / "foundations.ipynb") in printed
    assert "at least 3 were expected" in (folder / "foundations.ipynb").read_text()


def test_a_folder_that_cannot_be_written_is_named(elsewhere, capsys):
    (elsewhere / "runs").write_text("in the way")
    assert main(["run", "foundations", "--params", QUICK_TEXT]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith("error: ")
    assert str(elsewhere / "runs") in printed


@pytest.mark.slow
def test_executing_twice_gives_the_same_bytes(ran, tmp_path):
    first, again = ran[0] / "foundations.ipynb", tmp_path / "again.ipynb"
    values = yaml.safe_load((ran[0] / "parameters.yml").read_text())
    notebooks.execute("foundations", values, again, notebooks.hashes(first)["inputs"])
    assert undated(again) == undated(first)
    assert "image/png" in again.read_text()


def test_printed_text_is_put_together_however_the_kernel_cut_it():
    def stream(text, name="stdout"):
        return nbformat.v4.new_output("stream", name=name, text=text)

    image = nbformat.v4.new_output("display_data", data={"image/png": ""})
    pieces = [stream("a"), stream("b\n"), image, stream("c"), stream("d", "stderr"), stream("e")]
    texts = [output.get("text") for output in notebooks._merged(pieces)]
    assert texts == ["ab\n", None, "c", "d", "e"]


# -- tables ----------------------------------------------------------------------------------------


def test_a_table_travels_in_full_in_the_metadata_of_what_is_shown(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda *_, **named: shown.append(named))
    figures.show_table(pd.DataFrame({"a": [1 / 3]}), "thirds")
    assert shown == [{"metadata": {"table": {"name": "thirds", "csv": f"label 0,a\n0,{1 / 3}\n"}}}]
    with pytest.raises(ValueError, match="'a/b'"):
        figures.show_table(pd.DataFrame(), "a/b")


def showing(*names):
    outputs = [
        nbformat.v4.new_output(
            "display_data", {"text/plain": name}, metadata={"table": {"name": name, "csv": "x\n"}}
        )
        for name in names
    ]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=outputs)])


def test_tables_are_taken_out_of_the_notebook_and_no_name_is_taken_twice():
    notebook = showing("one", "two")
    assert notebooks._taken_tables(notebook, "page") == {"one": "x\n", "two": "x\n"}
    assert all(output.metadata == {} for output in notebook.cells[0].outputs)
    with pytest.raises(ChapterError, match="two tables named 'one'"):
        notebooks._taken_tables(showing("one", "one"), "page")


# -- pages -----------------------------------------------------------------------------------------


def edit(house, old, new, name="tiny.py"):
    file = house / "notebooks" / name
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.fixture
def page(house):
    """The same, its page in the book, with a sentence and a comment."""
    edit(house, "# %%\nimport", "# %% [markdown]\n# A sentence.\n\n# %%\n# A comment.\nimport")
    assert pages.update() == {"tiny": "outdated"}
    assert pages.state("tiny") == "current"
    assert begun(house) == 1
    return house / "book" / "tiny.ipynb"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A sentence.", "Another."),
        ("A comment.", "Another."),
        ("import random", '"""Another."""\nimport random'),
        ("# %%\n# A comment", "# %% [markdown]\n# Another.\n\n# %%\n# A comment"),
        ("# %%\n# A comment", '# %% tags=["hide-input"]\n# A comment'),
    ],
)
def test_changed_prose_is_renewed_around_the_outputs_without_executing(house, page, old, new):
    outputs = [cell.outputs for cell in notebooks.code(nbformat.read(page, 4))]
    edit(house, old, new)
    assert pages.update() == {"tiny": "prose"}
    assert begun(house) == 1
    renewed = undated(page)
    assert ("Another" in renewed) or ("hide-input" in renewed)
    assert [cell.outputs for cell in notebooks.code(nbformat.read(page, 4))] == outputs
    assert pages.state("tiny") == "current"
    page.unlink()
    pages.update()
    assert begun(house) == 2
    assert undated(page) == renewed  # no other than an execution gives


@pytest.mark.slow
def test_prose_that_changes_while_a_page_is_executed_is_renewed_the_next_time(
    house, page, monkeypatch
):
    executed = notebooks.papermill.execute_notebook

    def edited_meanwhile(*args, **options):
        edit(house, "A sentence.", "Another.")
        return executed(*args, **options)

    monkeypatch.setattr(notebooks.papermill, "execute_notebook", edited_meanwhile)
    page.unlink()
    pages.update()
    assert "A sentence." in undated(page)
    assert pages.update() == {"tiny": "prose"}
    assert "Another." in undated(page)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("seed + i", "seed + 2 * i", "tiny.py"),
        ("table = {", "# %%\ntable = {", "tiny.py"),  # a cell in two: whose are the outputs?
        ("size = 2", "size = 3", "tiny.py"),
        ("book: {}", "book: {size: 4}", "params/tiny.yml"),
    ],
)
def test_changed_code_or_values_are_executed(house, page, old, new, name):
    edit(house, old, new, name)
    assert pages.update() == {"tiny": "outdated"}
    assert begun(house) == 2
    assert pages.update() == {}
    assert begun(house) == 2


def test_kept_rows_packages_and_the_library_make_a_page_outdated(house, monkeypatch):
    cell = "\nfrom lib.papers.foundations import experiments\n\nexperiments.users.stored()\n"
    edit(house, "import random, time", cell + "import random, time")
    seen = {notebooks.inputs("tiny", {})}
    assert notebooks.inputs("tiny", {}) in seen
    file = house / "rows.csv"
    monkeypatch.setattr("lib.execution.results.files", lambda experiment: [file])
    monkeypatch.setattr("lib.execution.results.provenance", lambda *_: {"date": "today"})
    for text in ("a\n1\n", "a\n2\n"):
        file.write_text(text)
        seen.add(notebooks.inputs("tiny", {}))
    monkeypatch.setattr("lib.execution.results.provenance", lambda *_: {"date": "tomorrow"})
    seen.add(notebooks.inputs("tiny", {}))
    monkeypatch.setattr("lib.execution.results.packages", lambda: {"numpy": "0"})
    seen.add(notebooks.inputs("tiny", {}))
    monkeypatch.setattr(
        "lib.execution.fingerprints.of_cells", lambda *cells: {"lib.traces": "other"}
    )
    seen.add(notebooks.inputs("tiny", {}))
    assert len(seen) == 6


@pytest.mark.slow
def test_a_replication_has_no_parameters_and_runs_in_its_own_folder(house):
    (house / "notebooks" / "replication").mkdir()
    text = "# %%\nfrom pathlib import Path\n\nprint(Path.cwd().name)\n"
    (house / "notebooks" / "replication" / "small.py").write_text(text)
    assert pages.update(["replication/small"]) == {"replication/small": "outdated"}
    notebook = nbformat.read(house / "book" / "replication" / "small.ipynb", 4)
    assert notebook.cells[0].outputs[0].text == "replication\n"
    assert pages.state("replication/small") == "current"
    assert pages.pages() == ["replication/small", "tiny"]


@pytest.mark.slow
def test_a_page_that_fails_is_kept_among_the_runs_and_not_in_the_book(house):
    edit(house, "book: {}", "book: {seed: 9}", "params/tiny.yml")
    with pytest.raises(ChapterError, match="ZeroDivisionError"):
        pages.update()
    assert not (house / "book" / "tiny.ipynb").exists()
    assert "ZeroDivisionError" in (house / "runs" / "tiny-failed.ipynb").read_text()


def test_only_pages_that_changed_since_they_were_found_good_are_checked(house, page, monkeypatch):
    asked = []

    def found(command, **_):
        asked.append(command[-1])
        return pd.Series({"returncode": int(len(asked) == 1)})

    monkeypatch.setattr(pages.subprocess, "run", found)
    for code, left in ((1, ["tiny"]), (0, [])):  # bad, then good
        assert pages.unchecked() == ["tiny"]
        assert pages.check(pages.unchecked()) == code
        assert pages.unchecked() == left
    assert asked == ["book/tiny.ipynb"] * 2
    page.write_text(page.read_text().replace("draws", "drawn"))
    assert pages.unchecked() == ["tiny"]


def test_the_commands_that_list(capsys):
    assert main(["datasets"]) == 0
    assert "flights-by-tail" in capsys.readouterr().out
    assert main(["parameters", "foundations"]) == 0
    assert "list[int], at least 2" in capsys.readouterr().out

"""The committed notebooks: executed, fresh, small, and really compared by nbval."""

import copy
import os
import re
import subprocess
import sys

import nbformat
import pytest

import conftest
from lib import execution

CHAPTERS = execution.chapters()
TOO_LARGE = 3_000_000  # bytes of a notebook
LARGEST_FIGURE = 150_000  # bytes of one PNG
MOST_DIGITS = 4  # of a number in a table
NEAR = 2  # code cells between a figure and its table
ONE_IN_A_THOUSAND = 1.001


def read(chapter):
    return nbformat.read(execution.BOOK / f"{chapter}.ipynb", as_version=4)


def outputs(chapter):
    return [o for c in read(chapter).cells if c.cell_type == "code" for o in c.outputs]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_is_executed_and_made_from_the_present_inputs(chapter):
    assert not execution.is_stale(chapter), "run `make book` and commit the executed chapter"
    assert outputs(chapter)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_warns_of_nothing_and_names_no_folder_of_a_machine(chapter):
    text = (execution.BOOK / f"{chapter}.ipynb").read_text()
    assert not re.search(r"(?<![\w.])/(home|root|tmp|work|Users)/", text)
    assert not [o for o in outputs(chapter) if o.get("name") == "stderr"]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_is_small_and_its_figures_have_alternative_texts(chapter):
    assert (execution.BOOK / f"{chapter}.ipynb").stat().st_size < TOO_LARGE
    for cell in read(chapter).cells:
        images = [
            o.data["image/png"] for o in cell.get("outputs", []) if "image/png" in o.get("data", {})
        ]
        for image in images:
            assert len(image) * 3 / 4 < LARGEST_FIGURE
            assert len(cell.metadata["mystnb"]["image"]["alt"]) > 30


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_figure_has_a_table_near_it(chapter):
    code = [cell for cell in read(chapter).cells if cell.cell_type == "code"]
    shown = [{kind for o in cell.outputs for kind in o.get("data", {})} for cell in code]
    for position, kinds in enumerate(shown):
        if "image/png" in kinds:
            near = shown[max(0, position - NEAR) : position + NEAR + 1]
            assert any("text/html" in each for each in near), code[position].source


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_tables_show_at_most_four_digits(chapter):
    tables = [o.data["text/html"] for o in outputs(chapter) if "text/html" in o.get("data", {})]
    assert tables
    for table in tables:
        for number in re.findall(r"<td>-?([\d.]*\.\d+)(?:e-?\d+)?</td>", table):
            digits = number.replace(".", "").lstrip("0")
            assert len(digits) <= MOST_DIGITS, number


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_has_exercises_with_solutions(chapter):
    source = (execution.ROOT / "notebooks" / f"{chapter}.py").read_text()
    assert source.count("```{exercise}") >= 5
    assert source.count("```{exercise}") == source.count("````{solution-start}")
    assert source.count("````{solution-start}") == source.count("````{solution-end}")


# -- nbval is seen to fail -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def excerpt():
    """The first chapter down to its first printed decimal number: quick to execute."""
    notebook = read("foundations")
    for last, cell in enumerate(notebook.cells):
        if any(re.search(r"\d\.\d{3}", o.get("text", "")) for o in cell.get("outputs", [])):
            notebook.cells = notebook.cells[: last + 1]
            return notebook
    raise AssertionError("no printed decimal number in the first chapter")


def nbval(notebook, folder):
    """The exit code and output of nbval, as `make test` calls it, on this notebook."""
    nbformat.write(notebook, folder / "excerpt.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env",
               "-p", "conftest", "-p", "no:cacheprovider", "--noconftest",
               f"--rootdir={folder}", "-c", os.devnull, "excerpt.ipynb"]  # fmt: skip
    environment = os.environ | execution.KERNEL_ENVIRONMENT | {"PYTHONPATH": str(execution.ROOT)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def edited(notebook, factor):
    """The same notebook with its last printed decimal number multiplied."""
    changed = copy.deepcopy(notebook)
    output = changed.cells[-1].outputs[-1]
    *_, last = re.finditer(r"\d+\.\d{3}", output.text)
    number = f"{float(last.group()) * factor:.9f}"
    output.text = output.text[: last.start()] + number + output.text[last.end() :]
    return changed


def test_nbval_passes_the_excerpt_and_what_is_within_the_tolerance(excerpt, tmp_path):
    code, printed = nbval(excerpt, tmp_path)
    assert code == 0, printed
    assert "passed" in printed
    code, printed = nbval(edited(excerpt, 1 + conftest.RELATIVE_TOLERANCE / 2), tmp_path)
    assert code == 0, printed


def test_nbval_catches_a_number_changed_by_one_in_a_thousand(excerpt, tmp_path):
    code, printed = nbval(edited(excerpt, ONE_IN_A_THOUSAND), tmp_path)
    assert code == 1
    assert "1 failed" in printed


def test_nbval_catches_emptied_outputs(excerpt, tmp_path):
    emptied = copy.deepcopy(excerpt)
    for cell in emptied.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    code, printed = nbval(emptied, tmp_path)
    assert code != 0
    assert "never executed" in printed
    only_outputs = copy.deepcopy(excerpt)
    for cell in only_outputs.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    assert nbval(only_outputs, tmp_path)[0] != 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("AUC 0.9000", "AUC 0.9004", True),
        ("AUC 0.9000", "AUC 0.9009", False),
        ("AUC 0.90", "AUC  0.9001", True),  # padding moves with the digits
        ("7 users", "8 users", False),  # whole numbers are exact
        ("0.5 users", "0.5 cabs", False),
        ("1e-05", "1.0001e-05", True),
        ("1e-05", "2e-05", False),
        ("0.5 0.5", "0.5", False),
    ],
)
def test_the_tolerance_is_for_decimal_numbers_only(one, other, same):
    assert (conftest.TolerantText(one) == conftest.TolerantText(other)) is same
    assert (conftest.TolerantText(one) != conftest.TolerantText(other)) is not same

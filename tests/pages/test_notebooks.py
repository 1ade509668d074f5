"""The committed notebooks: executed, fresh, small, and really compared by nbval."""

import copy
import os
import re
import subprocess
import sys

import jupytext
import nbformat
import pytest

import conftest
from lib.chapters import head, notebooks, pages, parameters
from lib.execution import environment

CHAPTERS = parameters.chapters()
PAGES = pages.pages()
TOO_LARGE = 3_000_000  # bytes of a notebook
LARGEST_FIGURE = 150_000  # bytes of one PNG
MOST_DIGITS = 4  # of a number in a table
NEAR = 2  # code cells between a figure and its table
ONE_IN_A_THOUSAND = 1.001


def read(page):
    return nbformat.read(notebooks.executed(page), as_version=4)


def outputs(page):
    return [o for c in notebooks.code(read(page)) for o in c.outputs]


@pytest.mark.parametrize("page", PAGES)
def test_is_executed_and_made_from_the_present_inputs(page):
    assert pages.state(page) == "current", "run `make book` and commit the page"
    assert outputs(page)


@pytest.mark.parametrize("page", PAGES)
def test_every_paragraph_is_that_of_the_source(page):
    source = jupytext.read(notebooks.source(page))
    written = [cell.source for cell in source.cells if cell.cell_type == "markdown"]
    shown = [cell.source for cell in read(page).cells if cell.cell_type == "markdown"]
    banner = head.banner(page, pages.values_of(page)) if page in CHAPTERS else None
    assert [text for text in shown if text != banner] == written


@pytest.mark.parametrize("page", PAGES)
def test_warns_of_nothing_and_names_no_folder_of_a_machine(page):
    text = notebooks.executed(page).read_text()
    assert not re.search(r"(?<![\w.])/(home|root|tmp|work|Users)/", text)
    assert not [o for o in outputs(page) if o.get("name") == "stderr"]


@pytest.mark.parametrize("page", PAGES)
def test_is_small_and_its_figures_have_alternative_texts(page):
    assert notebooks.executed(page).stat().st_size < TOO_LARGE
    for cell in read(page).cells:
        images = [
            o.data["image/png"] for o in cell.get("outputs", []) if "image/png" in o.get("data", {})
        ]
        for image in images:
            assert len(image) * 3 / 4 < LARGEST_FIGURE
            assert len(cell.metadata["mystnb"]["image"]["alt"]) > 30


@pytest.mark.parametrize("page", PAGES)
def test_every_figure_has_a_table_near_it(page):
    code = notebooks.code(read(page))
    shown = [{kind for o in cell.outputs for kind in o.get("data", {})} for cell in code]
    for position, kinds in enumerate(shown):
        if "image/png" in kinds:
            near = shown[max(0, position - NEAR) : position + NEAR + 1]
            assert any("text/html" in each for each in near), code[position].source


@pytest.mark.parametrize("page", PAGES)
def test_tables_show_at_most_four_digits(page):
    tables = [o.data["text/html"] for o in outputs(page) if "text/html" in o.get("data", {})]
    assert tables
    for table in tables:
        if 'id="claim-' in table:
            continue  # numbers as papers print them
        for number in re.findall(r"<td>-?(\d*\.\d+)(?:e-?\d+)?</td>", table):
            digits = number.replace(".", "").lstrip("0")
            assert len(digits) <= MOST_DIGITS, number


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_has_exercises_with_solutions(chapter):
    source = notebooks.source(chapter).read_text()
    exercises, projects = source.count("```{exercise}"), source.count("(★★★, ")
    assert exercises >= 5
    assert exercises - projects == source.count("````{solution-start}")
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
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--nbval",
        "--nbval-current-env",
        "-p",
        "conftest",
        "-p",
        "no:cacheprovider",
        "--noconftest",
        f"--rootdir={folder}",
        "-c",
        os.devnull,
        "excerpt.ipynb",
    ]
    variables = environment.variables()
    done = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, check=False
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


@pytest.mark.slow
def test_nbval_passes_the_excerpt_and_what_is_within_the_tolerance(excerpt, tmp_path):
    code, printed = nbval(excerpt, tmp_path)
    assert code == 0, printed
    assert "passed" in printed
    code, printed = nbval(edited(excerpt, 1 + conftest.RELATIVE_TOLERANCE / 2), tmp_path)
    assert code == 0, printed


@pytest.mark.slow
def test_nbval_catches_a_number_changed_by_one_in_a_thousand(excerpt, tmp_path):
    code, printed = nbval(edited(excerpt, ONE_IN_A_THOUSAND), tmp_path)
    assert code == 1
    assert "1 failed" in printed


@pytest.mark.slow
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


def test_the_longest_files_come_first_and_notebooks_never_measured_before_them(tmp_path):
    for name, size in (("small.ipynb", 1), ("large.ipynb", 9)):
        (tmp_path / name).write_text("x" * size)
    names = ["test_quick.py", "test_slow.py", "small.ipynb", "large.ipynb", "test_new.py"]
    n_slow = dict.fromkeys(names, 0) | {"test_new.py": 1, "test_newer.py": 2}
    n_slow["tests/repository/test_structure.py"] = 0  # long nevertheless
    seconds = {"test_quick.py": 0.1, "test_slow.py": 90.0}
    ordered = ["large.ipynb", "small.ipynb", "tests/repository/test_structure.py", "test_newer.py"]
    ordered += ["test_new.py", "test_slow.py", "test_quick.py"]
    assert conftest.longest_first(n_slow, seconds, tmp_path) == ordered
    seconds |= {"small.ipynb": 95.0, "large.ipynb": 2.0, "test_new.py": 1.0, "test_newer.py": 0.5}
    ordered = ["tests/repository/test_structure.py", "small.ipynb", "test_slow.py", "large.ipynb"]
    ordered += ["test_new.py", "test_newer.py", "test_quick.py"]
    assert conftest.longest_first(n_slow, seconds, tmp_path) == ordered


SAID_SECONDS = """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    report.duration = 9.0 if "test_b" in report.nodeid else 1.0
"""


@pytest.mark.slow
@pytest.mark.parametrize("asked", [[], ["-m", "not slow"]])
def test_files_are_run_in_the_order_of_their_seconds_of_the_last_time(tmp_path, asked):
    for name in "ab":
        (tmp_path / f"test_{name}.py").write_text(f"def test_{name}():\n    pass\n")
    (tmp_path / "seconds.py").write_text(SAID_SECONDS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-p",
        "conftest",
        "-p",
        "seconds",
        "--noconftest",
        f"--rootdir={tmp_path}",
        "-c",
        os.devnull,
        *asked,
        ".",
    ]
    variables = environment.variables()
    variables["PYTHONPATH"] += f"{os.pathsep}{tmp_path}"
    for first in ("test_a", "test_b"):
        done = subprocess.run(
            command, cwd=tmp_path, env=variables, check=True, capture_output=True, text=True
        )
        assert re.findall(r"(test_[ab])\.py::", done.stdout)[0] == first

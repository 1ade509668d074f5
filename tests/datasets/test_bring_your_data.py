"""Every line of the page "Bring your data" reads the file beside it."""

import re
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest

from lib.datasets import load

PAGE = Path(__file__).parents[2] / "book" / "bring-your-data.md"
FILE = re.compile(r"```\{code-block\} text\n:caption: (\S+)\n(.*?)```", re.S)
CODE = re.compile(r"```python\n(.*?)```", re.S)
LINES = [line for block in CODE.findall(PAGE.read_text()) for line in block.splitlines()]
CALLS = [line for line in LINES if line.startswith("load(")]
# What each line must find, where it is not ada and ben with a visit each.
PEOPLE = {"ambiguous.csv": 1, "milliseconds.csv": 1, "taxi.dat": 1, "titled.csv": 1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The page's files, and what its other lines write."""
    place = tmp_path_factory.mktemp("page")
    for name, text in FILE.findall(PAGE.read_text()):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(place)
        for line in LINES:
            if line.startswith("pd.") and (".to_parquet" not in line or find_spec("pyarrow")):
                exec(line, {"pd": pd})
    return place


@pytest.mark.parametrize("line", CALLS)
def test_a_line_of_the_page_reads_its_file(line, folder, monkeypatch):
    if "parquet" in line:
        pytest.importorskip("pyarrow", reason="Parquet is read only where pyarrow is installed")
    monkeypatch.chdir(folder)
    found = eval(line, {"load": load})
    name = re.match(r'load\("([^"]+)"', line)[1]
    lost = found.report.set_aside
    expected = PEOPLE.get(name, 2) - (name == "new-york.csv" and "ambiguous" not in line)
    assert found.n_users == expected
    assert bool(lost) == (expected < PEOPLE.get(name, 2))


def test_every_file_of_the_page_is_read_by_a_line():
    named = [name for name, _ in FILE.findall(PAGE.read_text())]
    assert len(CALLS) >= 25
    for name in named:
        assert any(name.split("/")[0] in line for line in [*CALLS, "names.csv"]), name


def test_the_notes_that_the_page_shows_are_those_of_the_loader(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    ((code, shown),) = re.findall(
        r"```python\n(traces = .*?)```\n\n```\n(.*?)```", PAGE.read_text(), re.S
    )
    exec(code, {"load": load})
    assert capsys.readouterr().out == shown


def test_what_the_page_says_of_stays_and_trips(folder, monkeypatch):
    monkeypatch.chdir(folder)
    stays = load("stays.csv")
    assert stays.visits().to_dict() == {"ada": 2, "ben": 4}  # 10 and 11; 11, 12, 13 and 14
    trips = load("trips.csv", timezone="America/New_York")
    assert trips.visits().to_dict() == {"29590": 2, "31817": 2}

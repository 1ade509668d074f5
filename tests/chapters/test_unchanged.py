"""Nothing is done where nothing changed, and only there: every file counts, by its content."""

import os
import subprocess
import sys

import pytest

from lib.__main__ import main
from lib.chapters import pages, unchanged
from lib.execution import environment

MADE = {
    "lib/a.py": "A = 1\n",
    "lib/__pycache__/a.pyc": "1",
    "notebooks/tiny.py": "# %%\nprint(1)\n",
    "notebooks/params/tiny.yml": "parameters: {}\n",
    "book/tiny.ipynb": "{}",
    "book/results/experiment/data.csv": "a\n1\n",
    "_config.yml": "title: t\n",
    "_toc.yml": "root: book/index\n",
    "tests/test_a.py": "",
    "_build/html/book/index.html": "<h1>",
    "_build/html/_static/a.js": "1",
}


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A checkout whose book is built and whose pages are checked."""
    for name, text in MADE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    unchanged.remember_book(unchanged.digest())
    unchanged.remember_checked(unchanged.digest())
    return tmp_path


def seen():
    return unchanged.book_is_built(), unchanged.pages_are_checked()


@pytest.mark.parametrize(
    "name", [name for name in MADE if not name.startswith(("tests", "_build"))]
)
def test_a_changed_new_or_lost_source_is_seen_though_size_and_time_are_the_same(house, name):
    assert seen() == (True, True)
    counts = (False, False) if "__pycache__" not in name else (True, True)
    file = house / name
    text, time = file.read_text(), file.stat().st_mtime_ns
    file.write_text(text[:-1] + "~")
    os.utime(file, ns=(time, time))
    assert seen() == counts
    file.write_text(text)
    assert seen() == (True, True)
    file.rename(file.with_suffix(".other"))
    assert seen() == counts
    file.with_suffix(".other").rename(file)
    assert seen() == (True, True)


def test_packages_and_python_count_and_tests_do_not(house, monkeypatch):
    (house / "tests" / "test_a.py").write_text("changed")
    assert seen() == (True, True)
    (house / "site" / "numpy-0.0.1.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(house / "site")
    assert seen() == (False, False)
    monkeypatch.undo()
    monkeypatch.setattr(environment, "ROOT", house)
    assert seen() == (True, True)
    monkeypatch.setattr(sys, "version", "3.99")
    assert seen() == (False, False)


@pytest.mark.parametrize("name", ["_build/html/book/index.html", "_build/html/_static/a.js"])
def test_a_built_book_that_is_not_whole_is_built_again(house, name):
    (house / name).write_text("!")
    assert seen() == (False, True)
    (house / name).unlink()
    assert seen() == (False, True)


def test_the_commands_end_at_once_and_only_if_nothing_is_named(house, capsys, monkeypatch):
    def called(*_):
        raise ValueError("looked")

    for name in ("pages", "unchecked", "update"):
        monkeypatch.setattr(pages, name, called)
    assert main(["book"]) == main(["check"]) == 0
    said = capsys.readouterr().out
    assert f"the book is built: {unchanged.home().as_uri()}" in said
    assert "pages to check: none" in said
    for words in (["book", "tiny"], ["check", "--all"], ["check", "tests"]):
        assert main(words) == 2
    (house / "book" / "tiny.ipynb").write_text("changed")
    assert main(["book"]) == main(["check"]) == 2


@pytest.fixture
def making(house, monkeypatch):
    """The same, its book not built; building takes no time."""
    (house / "_build" / "unchanged").unlink()
    monkeypatch.setattr(pages, "build", unchanged.home)
    monkeypatch.setattr(pages, "update", dict)
    return house


def test_a_book_is_remembered_only_if_nothing_changed_meanwhile(making, monkeypatch):
    pages.make(unchanged.digest())
    assert unchanged.book_is_built()
    pages.make("")  # pages were changed: they are looked at again
    assert unchanged.book_is_built()

    def building():
        (making / "lib" / "a.py").write_text("A = 2\n")
        return unchanged.home()

    monkeypatch.setattr(pages, "build", building)
    pages.make(unchanged.digest())
    assert not unchanged.book_is_built()


def test_a_book_of_a_page_that_is_not_fresh_or_reads_files_is_not_remembered(making, monkeypatch):
    monkeypatch.setattr(pages, "update", lambda: {"tiny": "outdated"})
    pages.make("")
    assert not unchanged.book_is_built()
    monkeypatch.setattr(pages, "update", dict)
    monkeypatch.setattr(pages.parameters, "paths", lambda *_: {"records": making / "r.csv"})
    pages.make(unchanged.digest())
    assert not unchanged.book_is_built()


def test_pages_are_remembered_as_checked_only_if_each_is(house, monkeypatch):
    (house / ".nbval" / "unchanged").unlink()
    monkeypatch.setattr(pages, "_stamp", lambda page: "now")
    assert pages.unchecked() == ["tiny"]
    assert not unchanged.pages_are_checked()
    monkeypatch.setattr(pages, "_last_stamp", lambda page: "now")
    assert pages.unchecked() == []
    assert unchanged.pages_are_checked()


def test_a_command_with_nothing_to_do_imports_nothing_that_executes():
    code = "import sys, lib.chapters.unchanged; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=environment.ROOT,
    )
    heavy = {"numpy", "pandas", "jupytext", "papermill", "nbformat", "sphinx", "matplotlib"}
    assert not heavy & set(done.stdout.split())

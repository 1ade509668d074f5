"""The page of a run: in the book's look, offline, with links into the book and what it cites."""

import json
import re
import subprocess

import nbformat
import pytest

from book._ext import frame
from lib.chapters import head, parameters, run_page
from lib.execution import environment
from lib.execution.errors import ChapterError


def test_links_of_a_page_alone_lead_into_the_book_or_nowhere():
    text = "See [](run.md), [noise](knock_knock.ipynb#here), {ref}`the games <kk-games>`, [](#a)."
    assert frame.linked(text, "none") == "See run, noise, the games, [](#a)."
    found = frame.linked(text, "file:///book")
    assert "[run](file:///book/run.html)" in found
    assert "[noise](file:///book/knock_knock.html#here)" in found


@pytest.fixture
def a_run(tmp_path):
    """A finished run of a few cells."""
    folder = tmp_path / "runs" / "foundations-12"
    folder.mkdir(parents=True)
    banner = head.banner("foundations", parameters.book_values("foundations") | {"seed": 7})
    cells = [
        nbformat.v4.new_markdown_cell("# From records to releases\n\nAs {cite:t}`guan2024zero`."),
        nbformat.v4.new_markdown_cell(banner),
        nbformat.v4.new_markdown_cell("The sum $\\sum_u L^u$, see [](notation.md)."),
        nbformat.v4.new_code_cell(
            "1 + 1",
            outputs=[
                nbformat.v4.new_output("execute_result", {"text/plain": "2"}, execution_count=1)
            ],
        ),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "foundations.ipynb")
    (folder / "provenance.json").write_text(json.dumps({"chapter": "foundations"}))
    return folder


@pytest.mark.slow
def test_a_run_gets_its_page(a_run):
    page = run_page.write(a_run)
    text = page.read_text(encoding="utf-8")
    assert page == a_run / "foundations.html"
    assert head.NOT_THE_BOOKS in text
    assert "python -m lib run foundations" in re.sub(r"<[^>]+>", "", text)
    assert "A zero auxiliary knowledge membership inference attack" in text
    assert "searchindex" not in text
    for name in re.findall(r'(?:src|href)="(\.\./\.look/[^"?#]+)', text):
        assert (a_run / name).exists(), name
    elsewhere = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"', text)
    assert elsewhere == []
    assert not list((a_run.parent / run_page.LOOK).rglob("*.map"))


def test_a_page_that_cannot_be_built_is_told_with_its_reason(a_run, monkeypatch):
    def failing(*_, **__):
        return subprocess.CompletedProcess([], 1, "line\n" * 20, "no such theme")

    monkeypatch.setattr(run_page.subprocess, "run", failing)
    with pytest.raises(ChapterError, match=r"run is finished(.|\n)*no such theme"):
        run_page.write(a_run)
    assert environment.book().exists()

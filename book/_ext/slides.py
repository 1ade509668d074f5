"""Slides: a deck for each chapter, of `book/slides/<chapter>.md`, built apart from the book.

A Sphinx extension, named in `book/slides/conf.py`, and what builds with it. A deck takes figures
and tables from the executed chapter whose name it bears, by their names there.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import lib
from book._ext import executed
from lib.execution import environment
from lib.execution.errors import ChapterError

BESIDE = 1.25  # figures that are narrower, by width / height, stand beside the text
WIDE, TALL = 90, 13  # letters in the longest row, and rows, of a table that is set small
NARROW, SHORT = 60, 8  # letters in the longest row, and rows, of a table that is set large
_NOTES = re.compile(r"^```\{notes\} (\d+)$", re.MULTILINE)


def source(chapter: str) -> Path:
    """Return the source file of the slides of a chapter."""
    return environment.book() / "slides" / f"{chapter}.md"


def decks() -> list[str]:
    """Return the chapters that have slides."""
    return sorted(file.stem for file in (environment.book() / "slides").glob("[!i]*.md"))


def minutes(chapter: str) -> list[int]:
    """Return the minutes that each slide takes, from its speaker's notes."""
    return [int(each) for each in _NOTES.findall(source(chapter).read_text(encoding="utf-8"))]


def build_into(book: Path) -> None:
    """Build all decks into the folder `slides` of the built book, with the book's MathJax."""
    output = build(book / "slides").parent
    shutil.rmtree(output / "_static" / "mathjax")
    for deck in output.glob("*.html"):
        text = deck.read_text(encoding="utf-8")
        deck.write_text(text.replace('"_static/mathjax/', '"../_static/mathjax/'), encoding="utf-8")


def build(output: Path | None = None) -> Path:
    """Build all decks, treating warnings as errors, and return the page that lists them.

    Raises ChapterError if the build fails; what was wrong has been printed.
    """
    output = output or environment.ROOT / "_build" / "slides"
    shutil.rmtree(output, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="slides-") as doctrees:
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "-n", "--keep-going"]
        command += ["-b", "revealjs", "-d", doctrees]
        command += [str(source("index").parent), str(output)]
        if subprocess.run(command, env=environment.variables(), check=False).returncode:
            raise ChapterError("the slides were not built: every warning above is an error")
    return output / "index.html"


# -- the extension ---------------------------------------------------------------------------------


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the extension; called by Sphinx."""
    app.add_directive("notes", Notes)
    app.add_directive("figure-of", FigureOf)
    app.add_directive("table-of", TableOf)
    app.add_directive("decks", Decks)
    return {"version": lib.__version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _raw(text: str) -> list[nodes.Node]:
    return [nodes.raw("", text, format="html")]


class Notes(SphinxDirective):
    """The speaker's notes of a slide, with its minutes."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the notes and the minutes."""
        n = directives.positive_int(self.arguments[0])
        words = html.escape(" ".join(" ".join(self.content).split()))
        said = f"{n} minute{'s' if n > 1 else ''}. {words}"
        return _raw(f'<aside class="notes" data-minutes="{n}">{said}</aside>')


class FigureOf(SphinxDirective):
    """A figure of the chapter, by its label there."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the figure of the executed chapter."""
        try:
            found = executed.figure(self.env.docname, self.arguments[0])
        except ValueError as problem:
            raise self.error(str(problem)) from None
        place = "beside" if found.width_by_height < BESIDE else "r-stretch"
        data, alt = f"data:image/png;base64,{found.png}", html.escape(found.alt)
        return _raw(f'<img class="{place}" src="{data}" alt="{alt}">')


class TableOf(SphinxDirective):
    """A table of the chapter, by the name that its cell gives it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table of the executed chapter."""
        try:
            found = executed.table(self.env.docname, self.arguments[0])
        except ValueError as problem:
            raise self.error(str(problem)) from None
        rows = [re.sub(r"<[^>]+>|\s+", " ", row).split() for row in found.split("</tr>")]
        longest = max(len(" ".join(row)) for row in rows)
        size = "small " if longest > WIDE or len(rows) > TALL else ""
        if longest <= NARROW and len(rows) <= SHORT:
            size = "large "
        return _raw(found.replace('class="', f'class="{size}', 1))


class Decks(SphinxDirective):
    """A list of all decks, with their minutes."""

    def run(self) -> list[nodes.Node]:
        """Return the list of all decks."""
        lines = []
        for chapter in _in_order(self.env.found_docs):
            title = source(chapter).read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
            told = f"{sum(minutes(chapter))} minutes, {len(minutes(chapter))} slides"
            lines.append(f'<li><a href="{chapter}.html">{html.escape(title)}</a> ({told})</li>')
        return _raw(f"<ol>{''.join(lines)}</ol>")


def _in_order(found: set[str]) -> list[str]:
    """Decks in the order in which the book has its chapters."""
    toc = (environment.ROOT / "_toc.yml").read_text(encoding="utf-8")
    return sorted(found - {"index"}, key=lambda chapter: toc.index(f"book/{chapter}\n"))

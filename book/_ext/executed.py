"""What an executed chapter says and shows, for what is made of it: its quiz and its slides.

Text, figures and tables are read from the committed notebook when something is built, and copied
nowhere.
"""

from __future__ import annotations

import ast
import base64
import json
import re
import struct
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from lib.execution import environment

_NAMED = {"show_table", "show_if_any"}  # of `lib.papers.figures`: frame, name
_TABLES = {*_NAMED, "display_table"}
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)+(?![\w%])|(?<![\w.,])\d+\.\d+(?=%)")


class Figure(NamedTuple):
    """A figure of a chapter: its PNG in base64 and its alternative text."""

    png: str
    alt: str

    @property
    def width_by_height(self) -> float:
        """Return width and height in pixels, read from the first chunk of the PNG."""
        width, height = struct.unpack(">II", base64.b64decode(self.png)[16:24])
        return width / height


@cache
def _cells(chapter: str) -> list[dict[str, Any]]:
    file = environment.book() / f"{chapter}.ipynb"
    if not file.exists():
        raise ValueError(f"no executed chapter {chapter!r} in {file.parent.name}/")
    found = json.loads(file.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if "remove-cell" not in cell["metadata"].get("tags", [])]


def _said(cell: dict[str, Any]) -> str:
    """A cell's source and what it printed or displayed as text, in one line."""
    parts = ["".join(cell["source"])]
    for output in cell.get("outputs", []):
        parts.append("".join(output.get("text", "")))
        parts.append("".join(output.get("data", {}).get("text/plain", "")))
        parts.append(re.sub(r"<[^>]+>", " ", "".join(output.get("data", {}).get("text/html", ""))))
    figure = cell["metadata"].get("mystnb", {}).get("figure", {})
    return " ".join(" ".join([*parts, figure.get("caption", "")]).split())


def sections(chapter: str) -> Iterator[tuple[str, str]]:
    """Return the heading and the text, in one line, of each cell of a chapter."""
    heading = ""
    for cell in _cells(chapter):
        if cell["cell_type"] == "code":
            yield heading, _said(cell)
            continue
        for block in re.split(r"(?m)^(?=#{1,4} )", "".join(cell["source"])):
            if block.startswith("#"):
                heading = block.partition("\n")[0].lstrip("# ")
            yield heading, " ".join(block.split())


def heading_of(chapter: str, fact: str) -> str:
    """Return the heading under which a sentence or number appears; "" if it does not appear."""
    fact = " ".join(fact.split())
    return next((heading for heading, text in sections(chapter) if fact in text), "")


def numbers(text: str) -> set[str]:
    """Return the numbers in a text that contain a decimal point or a comma: 0.84, 1,054."""
    return set(_NUMBER.findall(text))


def unknown_numbers(chapter: str, text: str) -> set[str]:
    """Return the numbers in a text that do not appear on the chapter's page."""
    said = " ".join(each for _, each in sections(chapter))
    return {each for each in numbers(text) if not re.search(_alone(each), said)}


def _alone(number: str) -> str:
    return rf"(?<![\d.,]){re.escape(number)}(?!\d|[.,]\d)"


def figure(chapter: str, name: str) -> Figure:
    """Return a figure of a chapter by its label, such as "fig-week".

    Raises ValueError, naming those there are, for a label that the chapter does not have.
    """
    found = {}
    for cell in _cells(chapter):
        shown = cell["metadata"].get("mystnb", {})
        for output in cell.get("outputs", []):
            png = output.get("data", {}).get("image/png")
            if png and "figure" in shown:
                found[shown["figure"]["name"]] = Figure("".join(png).strip(), shown["image"]["alt"])
    if name not in found:
        raise ValueError(f"{chapter} has no figure {name!r}; it has: {', '.join(found)}")
    return found[name]


def table(chapter: str, name: str) -> str:
    """Return a table of a chapter as HTML, by the name that its cell gives to `plots.show_table`.

    Raises ValueError, naming those there are, for a name that the chapter does not have.
    """
    found: dict[str, str] = {}
    for cell in _cells(chapter):
        shown = [
            "".join(output["data"]["text/html"])
            for output in cell.get("outputs", [])
            if "text/html" in output.get("data", {})
        ]
        if cell["cell_type"] == "code" and shown:
            found |= dict(zip(_table_names("".join(cell["source"])), shown, strict=False))
    if name not in found:
        raise ValueError(f"{chapter} has no table {name!r}; it has: {', '.join(found)}")
    html = found[name]
    return html[html.index("<table") : html.index("</table>") + len("</table>")]


def _table_names(code: str) -> list[str]:
    """The tables that a cell shows, in order; "" for one whose name does not stand there."""
    names = []  # with their lines
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            kind = node.func.attr
            name = node.args[1] if kind in _NAMED else None
            said = str(name.value) if isinstance(name, ast.Constant) else ""
            names += [(node.lineno, said)] * (kind in _TABLES)
    return [said for _, said in sorted(names, key=lambda each: each[0])]

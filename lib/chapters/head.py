"""The head of a chapter: reading time, prerequisites, and how to run it with other values.

An executed notebook has none of it: `book._ext.frame` adds it when the book is built. Only the
banner of a run with other values than the book's is part of that run's notebook.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import yaml

from lib.chapters import parameters
from lib.chapters.parameters import Parameter
from lib.execution import environment

WORDS_A_MINUTE = 180
SECONDS = 30  # that a reader spends on a displayed formula, a figure or a cell
DIFFICULTIES = ("easy", "intermediate", "demanding")
NOT_THE_BOOKS = "Not the values of the book"
_HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell", "injected-parameters"}


class Chapter(NamedTuple):
    """What the head of a chapter says.

    Parameters
    ----------
    minutes : int
        Reading time.
    difficulty : str
        One of `DIFFICULTIES`.
    needs : str
        What to read before it.
    lab : str
        The lab that goes with it.
    """

    minutes: int
    difficulty: str
    needs: str
    lab: str


def described(chapter: str) -> Chapter:
    """Describe a chapter.

    Parameters
    ----------
    chapter : str
        Its name.

    Returns
    -------
    Chapter
        Its reading time, measured on the executed page, its difficulty and what it needs.

    Raises
    ------
    ValueError
        If `book/chapters.yml` does not know the chapter.
    """
    found = _listed(chapter)
    executed = environment.book() / f"{chapter}.ipynb"
    cells = json.loads(executed.read_text(encoding="utf-8"))["cells"]
    difficulty = DIFFICULTIES[found["difficulty"] - 1]
    return Chapter(minutes(cells), difficulty, found["needs"], found["lab"])


def _listed(chapter: str) -> dict[str, Any]:
    """Return what `book/chapters.yml` says of a chapter."""
    file = environment.book() / "chapters.yml"
    found = yaml.safe_load(file.read_text(encoding="utf-8"))
    if chapter not in found:
        raise ValueError(f"{file.name} has no chapter {chapter!r}; it has: {', '.join(found)}")
    return dict(found[chapter])


def minutes(cells: Iterable[Mapping[str, Any]]) -> int:
    """Estimate the reading time of a page from its words, formulas, visible cells and figures.

    Parameters
    ----------
    cells : iterable of mapping
        The cells of the executed notebook.

    Returns
    -------
    int
        Minutes, in steps of five.
    """
    words = things = 0
    for cell in cells:
        text = "".join(cell["source"])
        tags = set(cell["metadata"].get("tags", []))
        if cell["cell_type"] == "markdown":
            prose, *formulas = re.split(r"(?m)^\$\$", text)
            words += len(re.findall(r"\w+", " ".join([prose, *formulas[1::2]])))
            things += len(formulas[::2])
        elif not tags & _HIDDEN:
            things += 1
        things += sum("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
    seconds = words * 60 / WORDS_A_MINUTE + things * SECONDS
    return max(5, 5 * round(seconds / 300))


def with_head(page: str, notebook: dict[str, Any], links: str = "") -> dict[str, Any]:
    """Add to an executed notebook what its readers should know first.

    A chapter gets its reading time and prerequisites under its title, and instructions for other
    values, folded, below its first cell. Chapters and replications say when and with which versions
    they were executed.

    Parameters
    ----------
    page : str
        Name of the page.
    notebook : dict
        The executed notebook; changed in place.
    links : str
        What stands under the reading time of a chapter (Markdown).

    Returns
    -------
    dict
        The notebook.
    """
    for cell in notebook["cells"]:
        if "injected-parameters" in cell["metadata"].get("tags", []):  # told by the table
            cell["metadata"]["tags"].append("remove-cell")
    first = notebook["cells"][0]
    title, _, rest = "".join(first["source"]).partition("\n")
    kept = notebook["metadata"].get("aggregate_location", {})
    if "/" in page:
        first["source"] = "\n".join([title, rest, "", _executed(kept)])
        return notebook
    chapter = described(page)
    under = (
        f"*About {chapter.minutes} minutes of reading; {chapter.difficulty}. "
        f"Before it: {chapter.needs}.*"
    )
    below = [_how_to_run(page), "", _executed(kept)]
    first["source"] = "\n".join([title, "", under, "", links, rest, "", *below])
    return notebook


def _executed(kept: Mapping[str, str]) -> str:
    if "date" not in kept:
        return ""
    return f"<small>Executed on {kept['date']} with {kept['versions']}.</small>"


def _how_to_run(chapter: str) -> str:
    declared = parameters.parameters(chapter)
    values = parameters.book_values(chapter)
    rows = [["parameter", "in the book", "what it is", "accepts"], ["---"] * 4]
    for p in declared:
        accepts = str(p).removesuffix(f": {p.help}")
        cells = [f"`{p.name}`", f"`{shown(values[p.name])}`", p.help, accepts]
        rows.append([cell.replace("|", r"\|") for cell in cells])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    example = _listed(chapter).get("example") or _example(declared, values)
    return _FOLDED.format(chapter=chapter, example=example, table=table)


_FOLDED = """\
:::::{{admonition}} Run this page with other numbers
:class: dropdown run-it

```
python -m lib run {chapter} {example}
```

executes this page again and writes it, with its tables, to a folder of its own under `runs/`. The
book
itself does not change. [](run.md) explains more. These are the parameters:

{table}
:::::"""


def _example(declared: list[Parameter], values: Mapping[str, Any]) -> str:
    """Another value of a parameter that every reader can change."""
    if "seed" in values:
        return f"-p seed {values['seed'] + 1}"
    return f"-p {declared[0].name} '{shown(values[declared[0].name])}'"


def shown(value: Any) -> str:
    """Write a value as on the command line (YAML).

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    str
        One line.
    """
    text = yaml.safe_dump(value, default_flow_style=True, width=math.inf, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...")


# -- a page with other values ----------------------------------------------------------------------


def banner(chapter: str, values: Mapping[str, Any]) -> str:
    """Say at the head of a run which of its values differ from the book's.

    Parameters
    ----------
    chapter : str
        The chapter.
    values : mapping
        All values of the run.

    Returns
    -------
    str
        Markdown; "" if all values are the book's.
    """
    book = parameters.book_values(chapter)
    other = [name for name in values if values[name] != book.get(name)]
    if not other:
        return ""
    lines = [
        f"> - `{name}` is `{shown(values[name])}`, in the book `{shown(book[name])}`"
        for name in other
    ]
    return "\n".join(
        [
            f"> **{NOT_THE_BOOKS}.** Tables and figures on this page were computed with:",
            ">",
            *lines,
            ">",
            "> Sentences about results were written for the book's run, and may be wrong here.",
        ]
    )

"""What stands around the pages: heads, quizzes, numbers in prose, titles, the bibliography.

A Sphinx extension, named in `_config.yml`. All of it is made when the book is built, from committed
files: no executed notebook holds any of it, and nothing is executed again when it changes.
"""

from __future__ import annotations

import gc
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pandas as pd
from docutils import nodes
from pybtex.plugin import register_plugin
from pybtex.style.formatting.unsrt import Style as UnsortedStyle
from pybtex.style.labels import BaseLabelStyle
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.search.en import SearchEnglish
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import is_exercise_node
from sphinx_exercise.post_transforms import ResolveTitlesInExercises

import lib
from book._ext.quizzes import with_quiz
from lib.chapters import parameters
from lib.chapters.head import described, with_head
from lib.execution import environment
from lib.papers import claims
from lib.papers import verdicts as findings

_PAGES_BETWEEN = 16  # that are read or written between two searches for garbage


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the extension; called by Sphinx."""
    _collect_seldom(app)
    register_plugin("pybtex.style.formatting", "author_year", AuthorYearStyle)
    app.add_search_language(English)
    app.add_post_transform(TitlesWithoutBrackets)
    app.add_config_value("frame_book", "", "env")  # of a run's page: where the book lies, or none
    app.connect("config-inited", _give_numbers)
    app.connect("config-inited", _launch_from_an_address_only)
    app.connect("source-read", _give_head)
    return {"version": lib.__version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _collect_seldom(app: Sphinx) -> None:
    """Looks for garbage after every few pages alone, and never twice at what lives on.

    Of the millions of nodes nearly all live to the end of the build: looking at all of them again
    and again takes a fifth of its time.
    """
    gc.disable()
    done = count(1)

    def collect(*_: Any) -> None:
        if next(done) % _PAGES_BETWEEN == 0:
            gc.collect()
            gc.freeze()

    app.connect("doctree-read", collect)
    app.connect("doctree-resolved", collect)


class English(SearchEnglish):
    """The language of the search index, which finds the stem of each word once for all pages."""

    def init(self, options: dict[str, str]) -> None:
        """Connect the extension; called by Sphinx."""
        super().init(options)
        self._found = cache(super().stem)

    def stem(self, word: str) -> str:
        """Return the stem of a word, as Sphinx finds it."""
        return self._found(word)


# -- numbers in prose ------------------------------------------------------------------------------


def _give_numbers(app: Sphinx, config: Config) -> None:
    config.myst_substitutions = {**config.myst_substitutions, **substitutions()}


def _launch_from_an_address_only(app: Sphinx, config: Config) -> None:
    """The theme cannot make links to Binder and Colab where no repository has an address."""
    if not config.html_theme_options.get("repository_url"):
        config.html_theme_options.pop("launch_buttons", None)


def substitutions() -> dict[str, dict[str, Any]]:
    """Return the values of `{{ name["key"] }}` on prose pages.

    here, published, verdict, data  of a claim, by its id: what was judged last; `here` to the digit
                                    that the paper prints
    counts                          of a paper's claims, or of "all": by verdict, by what
                                    substitutes say ("substitute consistent"), or "all" of them
    minutes, difficulty             of a chapter
    """
    tables = findings.committed()
    rows = {name: row for table in tables.values() for name, row in table.iterrows()}
    chapters = {name: described(name) for name in parameters.chapters()}
    return {
        "here": {str(name): _to_digit(str(name), row["here"]) for name, row in rows.items()},
        **{
            column: {str(name): str(row[column]) for name, row in rows.items()}
            for column in ("published", "verdict", "data")
        },
        "counts": _counts(tables),
        "minutes": {name: each.minutes for name, each in chapters.items()},
        "difficulty": {name: each.difficulty for name, each in chapters.items()},
    }


def _counts(tables: Mapping[str, pd.DataFrame]) -> dict[str, dict[str, str]]:
    verdicts = {
        paper: [*table["verdict"], *(f"substitute {each}" for each in table["substitute"] if each)]
        for paper, table in tables.items()
    }
    verdicts["all"] = [each for several in verdicts.values() for each in several]
    names = [*claims.VERDICTS, *(f"substitute {each}" for each in claims.SUBSTITUTE)]
    return {
        paper: {name: str(found.count(name)) for name in names}
        | {"all": str(sum(each in claims.VERDICTS for each in found))}
        for paper, found in verdicts.items()
    }


def _to_digit(name: str, here: str) -> str:
    found = claims.claim(name)
    if found.kind == "trend" or here == "none" or ".." in here:
        return here
    return f"{float(here) + 0.0:.{max(0, found.digits)}f}"


# -- heads of pages -------------------------------------------------------------------------------


def _give_head(app: Sphinx, name: str, source: list[str]) -> None:
    file = Path(app.env.doc2path(name))
    if file.suffix == ".ipynb":
        page = file.relative_to(Path(app.srcdir) / "book").with_suffix("").as_posix()
        in_book = page in parameters.chapters() and not app.config.frame_book
        notebook = with_head(page, json.loads(source[0]), _material(page) if in_book else "")
        if app.config.frame_book:
            for cell in notebook["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = linked("".join(cell["source"]), app.config.frame_book)
        elif in_book:
            notebook = with_quiz(page, notebook)
        source[0] = json.dumps(notebook)


def _material(chapter: str) -> str:
    """Return links to what is taught with a chapter: slides, lab, session plans and quiz."""
    lab = described(chapter).lab
    syllabus = (environment.book() / "teach" / "syllabus.md").read_text(encoding="utf-8")
    plans = re.split(r"(?m)^\(session-(\d+)\)=$", syllabus)
    sessions = [
        n for n, plan in zip(plans[1::2], plans[2::2], strict=True) if _reads(plan, chapter)
    ]
    links = [
        f'<a href="../slides/{chapter}.html">slides</a>',
        *(f"{{ref}}`session {n} <session-{n}>`" for n in sessions),
        f"{{ref}}`lab <syllabus-labs>` (`make lab LAB={lab}`)",
        '<a href="#quiz">quiz</a>',
    ]
    return f"<small>For teaching: {', '.join(links)}.</small>"


def _reads(plan: str, chapter: str) -> bool:
    reading = plan.partition("**Reading.**")[2].partition("\n\n")[0]
    return f"](../{chapter}.ipynb)" in reading


_LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)?[\w/-]+)\.(?:md|ipynb)(#[\w-]+)?\)")
_ROLE = re.compile(r"\{(?:ref|numref|prf:ref|doc)\}`([^`<]*?)\s*(?:<[^`]*>)?`")


def linked(text: str, book: str) -> str:
    """Return the text of a stand-alone page with its links to other pages pointing into the book.

    book  the address of the folder of the book's pages, or "none"
    """

    def link(found: re.Match[str]) -> str:
        words, page, place = found.group(1), found.group(2).removeprefix("../"), found.group(3)
        words = words or page.replace("_", " ").replace("-", " ")
        return words if book == "none" else f"[{words}]({book}/{page}.html{place or ''})"

    return _LINK.sub(link, _ROLE.sub(r"\1", text))


# -- titles of exercises --------------------------------------------------------------------------


class TitlesWithoutBrackets(SphinxPostTransform):
    """Put a dash before the title of an exercise, where the extension puts brackets around it.

    Titles end with brackets of their own: "Exercise 1.1 – Twins (★, 5 minutes)". The setting
    `proof_title_format` does the same for definitions and theorems.
    """

    default_priority = ResolveTitlesInExercises.default_priority + 1

    def run(self, **_: Any) -> None:
        """Rewrite the titles of a page; called by Sphinx."""
        for exercise in self.document.findall(is_exercise_node):
            title = exercise[0]
            if len(title) > 2 and title[-1].astext() == ")":
                opening = next(each for each in title if each.astext() == " (")
                title.replace(opening, nodes.Text(" – "))
                title.pop()


# -- the bibliography ------------------------------------------------------------------------------


class AuthorYearLabels(BaseLabelStyle):
    """Labels as the text cites: "Han and Verdú, 1994"; a letter behind where two agree."""

    def format_labels(self, sorted_entries: Iterable[Any]) -> Iterator[str]:
        """Return one label for each entry, in their order."""
        labels = [f"{_authors(each)}, {each.fields['year']}" for each in sorted_entries]
        total, so_far = Counter(labels), Counter[str]()
        for label in labels:
            so_far[label] += 1
            yield label + (chr(96 + so_far[label]) if total[label] > 1 else "")


def _authors(entry: Any) -> str:
    names = [
        " ".join(str(part) for part in (*each.rich_prelast_names, *each.rich_last_names))
        for each in entry.persons["author"]
    ]
    return names[0] + " et al." if len(names) > 2 else " and ".join(names)


class AuthorYearStyle(UnsortedStyle):
    """Entries by author and year, with their DOI, address and preprint as links."""

    default_label_style = AuthorYearLabels
    default_sorting_style = "author_year_title"

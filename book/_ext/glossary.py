"""Terms of the glossary, linked where a page first uses them, with the definition at hand.

A link to the glossary whose title is the definition: a mouse shows it, so does the keyboard's focus
(`book/static/book.css`); it needs no script, and in print it is plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

PAGE = "book/glossary"
LEFT_OUT = (PAGE, "book/notation", "book/scoreboard", "book/bibliography", "book/reference/")
# Where a word is no prose, or is a link already
_APART = (
    nodes.title,
    nodes.literal,
    nodes.reference,
    nodes.caption,
    nodes.table,
    nodes.rubric,
    nodes.math,
    nodes.raw,
    nodes.field_name,
    nodes.term,
)


def connect(app: Sphinx) -> None:
    """Link glossary terms when pages are written."""
    app.connect("doctree-resolved", _link_terms)


def definitions(app: Any) -> dict[str, tuple[str, str]]:
    """Return, for each term, its id on the glossary's page and its definition in one line."""
    if not hasattr(app, "_glossary"):
        app._glossary = {}
        if PAGE in app.env.all_docs:
            for item in app.env.get_doctree(PAGE).findall(nodes.definition_list_item):
                text = " ".join(item[-1].astext().split())
                for term in item.findall(nodes.term):
                    app._glossary[term.astext()] = (term["ids"][0], text)
    found: dict[str, tuple[str, str]] = app._glossary
    return found


def _link_terms(app: Sphinx, doctree: nodes.document, page: str) -> None:
    if page.startswith(LEFT_OUT) or not (known := definitions(app)):
        return
    glossary = app.builder.get_relative_uri(page, PAGE)
    left = dict(known)
    for text in list(doctree.findall(nodes.Text)):
        if _is_prose(text):
            parts = with_links(str(text), left, glossary)
            if len(parts) > 1:
                text.parent.replace(text, parts)


def _is_prose(text: nodes.Text) -> bool:
    parent, in_paragraph = text.parent, False
    while parent is not None:
        if isinstance(parent, _APART):
            return False
        in_paragraph |= isinstance(parent, nodes.paragraph)
        parent = parent.parent
    return in_paragraph


def with_links(text: str, left: dict[str, tuple[str, str]], glossary: str) -> list[nodes.Node]:
    """Link the first use of each term in `left`, and remove the linked terms from `left`."""
    parts: list[nodes.Node] = []
    while found := _first(text, left):
        term, match = found
        place, definition = left.pop(term)
        link = nodes.reference("", match[0], internal=True, refuri=f"{glossary}#{place}")
        link["reftitle"], link["classes"] = definition, ["glossary-term"]
        parts += [nodes.Text(text[: match.start()]), link]
        text = text[match.end() :]
    return [*parts, nodes.Text(text)]


def _first(text: str, left: Iterable[str]) -> tuple[str, re.Match[str]] | None:
    """The first of the terms in a text; where two begin at the same letter, the longer one."""
    found = [
        (match.start(), -match.end("term"), term, match)
        for term in left
        if term[1:] in text and (match := _pattern(term).search(text))
    ]
    return min(found)[2:] if found else None


@cache
def _pattern(term: str) -> re.Pattern[str]:
    """A term as a whole word, also in the plural and at the beginning of a sentence."""
    spelt = "|".join(map(re.escape, (term, term[0].upper() + term[1:])))
    return re.compile(rf"(?<![\w-])(?P<term>{spelt})s?(?![\w-])")

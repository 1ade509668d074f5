"""The picture of the front page: six people, their counts, and what these reveal about one.

`python -m lib.papers.foundations.front_page` writes `book/static/six.html`: vectors in the page
itself, so that they follow its colours, light or dark, and stand below each other on a phone.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path

import numpy as np

from lib.datasets import load
from lib.traces import Traces

TARGET = "Dan"
FILE = Path(__file__).parents[3] / "book" / "static" / "six.html"
_CELL = (35, 24)  # pixels of a cell of the large grids, of 340 in all
_SMALL = 12  # pixels of a cell of the small ones
_LEFT, _TOP = 52, 30


def picture() -> str:
    """Build the four panels of the picture.

    Returns
    -------
    str
        HTML.
    """
    six = load("six-users")
    target = six.trace(TARGET)
    counts = np.sum([six.trace(user) for user in six.users], axis=0)
    others = np.sum([six.trace(user) for user in six.users if user != TARGET], axis=0)
    chances = counts / six.n_users
    panels = {
        "Six people": (
            "Four places and eight hours on two days. A filled square is a visit.",
            _people(six),
        ),
        "What is published": (
            "How many of them were in each place in each hour.",
            _grid(six, "The counts of all six", lambda at: _count(int(counts[at]))),
        ),
        "An attacker who knows nothing else": (
            f"The probability that {TARGET} was there: count / 6. Rings mark where he was.",
            _grid(six, "The chances", lambda at: _chance(chances[at], bool(target[at]))),
        ),
        "An attacker who knows the other five": (
            f"The counts minus those of the five: every visit of {TARGET}.",
            _grid(six, "What is left", lambda at: _rest(int(counts[at] - others[at]))),
        ),
    }
    inside = "\n".join(
        f"<div><p><strong>{escape(title)}</strong><small>{escape(text)}</small></p>\n{drawn}</div>"
        for title, (text, drawn) in panels.items()
    )
    return f'<div class="six">\n{inside}\n</div>\n'


def _people(six: Traces) -> str:
    """Draw a small grid for each user, three in a row."""
    parts = []
    for i, user in enumerate(six.users):
        left, top = 116 * (i % 3), 22 + 82 * (i // 3)
        kind = "dan" if user == TARGET else "full"
        parts.append(f'<text x="{left}" y="{top - 6}">{escape(str(user))}</text>')
        for (roi, epoch), there in np.ndenumerate(six.trace(user)):
            x, y = left + _SMALL * epoch, top + _SMALL * roi
            parts.append(_square(x, y, _SMALL, _SMALL, kind if there else "free"))
    return _svg(340, 160, "Six small grids of places by hours, one a person", parts)


def _grid(six: Traces, words: str, cell: Callable[[tuple[int, int]], tuple[str, str]]) -> str:
    """Draw a large grid; `cell` returns the drawing and the text of a place and hour."""
    width, height = _CELL
    parts = []
    for roi, name in enumerate(six.rois.index):
        y = _TOP + height * roi + height / 2 + 4
        parts.append(f'<text x="{_LEFT - 6}" y="{y:g}" text-anchor="end">{escape(name)}</text>')
    for epoch, stamp in enumerate(six.epochs):
        x = _LEFT + width * epoch + width / 2
        for line, text in enumerate((f"{stamp:%a}", f"{stamp.hour}h")):
            y = 12 + 12 * line
            parts.append(f'<text x="{x:g}" y="{y}" text-anchor="middle">{text}</text>')
    for roi, epoch in np.ndindex(six.n_rois, six.n_epochs):
        x, y = _LEFT + width * epoch, _TOP + height * roi
        drawn, text = cell((roi, epoch))
        parts.append(_square(x, y, width, height, "free"))
        parts.append(drawn.format(x=x + 0.5, y=y + 0.5, width=width - 1, height=height - 1))
        if text:
            css = ' class="on"' if "full" in drawn and "opacity" not in drawn else ""
            middle = f'x="{x + width / 2:g}" y="{y + height / 2 + 4:g}" text-anchor="middle"'
            parts.append(f"<text {middle}{css}>{text}</text>")
    return _svg(_LEFT + width * six.n_epochs + 2, _TOP + height * six.n_rois + 2, words, parts)


_AT = 'x="{x}" y="{y}" width="{width}" height="{height}"'


def _count(count: int) -> tuple[str, str]:
    if not count:
        return "", ""
    return f'<rect {_AT} class="full" fill-opacity="{count / 12:.2f}"/>', str(count)


def _chance(chance: float, there: bool) -> tuple[str, str]:
    filled = f'<rect {_AT} class="dan" fill-opacity="{0.7 * chance:.2f}"/>' if chance else ""
    ring = f'<rect {_AT} rx="9" class="ring"/>' if there else ""
    return filled + ring, f"{chance:.0%}" if chance else ""


def _rest(count: int) -> tuple[str, str]:
    return (f'<rect {_AT} class="dan"/>', "") if count else ("", "")


def _square(x: float, y: float, width: float, height: float, kind: str) -> str:
    return (
        f'<rect x="{x + 0.5:g}" y="{y + 0.5:g}" width="{width - 1:g}" height="{height - 1:g}" '
        f'class="{kind}"/>'
    )


def _svg(width: int, height: int, words: str, parts: list[str]) -> str:
    inside = "\n".join(part for part in parts if part)
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(words)}">\n'
        f"{inside}\n</svg>"
    )


if __name__ == "__main__":
    FILE.write_text(picture(), encoding="utf-8", newline="\n")
    print(f"written: {FILE.name}")

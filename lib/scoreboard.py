"""The page on which every published claim of the five papers stands, with what became of it.

One table a paper, in the order of its figures, tables and sections. The page is whole without
JavaScript; `book/static/scoreboard.js` puts filters above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from lib import claims
from lib.claims import Claim

NONE = "no result yet"
NAMES = {"kk": "Knock-Knock", "zk": "Zero auxiliary knowledge", "crowd": "Aggregation privacy",
         "fano": "Fano loss", "threshold": "Threshold attacks"}  # fmt: skip
_KINDS = ("fig", "table", "theorem", "lemma", "proposition", "eq", "example", "abstract", "sec")
_COLUMNS = ("place", "claim", "published", "here", "data", "verdict")

_INTRODUCTION = """\
(scoreboard)=
# Scoreboard

Every number and every trend that the five papers publish, one line each: what they say, what came
out here and on which data, and a link to the place in the chapter that computed it. Nobody typed a
verdict; code compares.

- **reproduced**: a number on the paper's own data, within three standard errors and half of the
  last digit printed.
- **holds**: a trend that is true at 95%, on the data named.
- **differs**: neither; *why* says for what reason, or what was tried.
- **input**: a fact that a stand-in was made from, so that agreement proves nothing.
- **not comparable**: a number on data that nobody here holds; ours, on other data, is beside it,
  or *none* where nothing here measures it.
- **no result yet**: no chapter has computed it.

Behind a claim's name stands the paper's dataset, in *data* ours; a value behind ± is a standard
error.
"""


def page(gathered: Mapping[str, pd.DataFrame]) -> str:
    """The page (MyST): counts by paper and verdict, then one table for each paper.

    gathered  as `claims.gather` gives it; claims that it lacks are listed as having no result yet
    """
    filters = _raw('<div class="scoreboard-filters"></div>')
    parts = [_INTRODUCTION, *_counts(gathered), "", *filters, ""]
    for paper in claims.PAPERS:
        found = gathered.get(paper, pd.DataFrame())
        own = sorted(map(claims.claim, claims.published(paper).index), key=_order)
        parts += [f"(scoreboard-{paper})=", f"## {NAMES[paper]}", ""]
        parts += [f"*{claims.plain(claims.title(paper))}*", "", ":::{container} scoreboard", ""]
        parts += [_row(_COLUMNS), _row(["---"] * len(_COLUMNS))]
        parts += [_row(_cells(each, found)) for each in own]
        parts += ["", ":::", ""]
    script = _raw('<script src="../_static/scoreboard.js"></script>')
    return "\n".join([*parts, *script, ""])


def _raw(text: str) -> list[str]:
    return ["```{raw} html", text, "```"]


def write(book: Path = claims.BOOK) -> Path:
    """Writes `scoreboard.md` from what the chapters kept. Raises ValueError as `gather` does."""
    file = book / "scoreboard.md"
    file.write_text(page(claims.gather(book)), encoding="utf-8", newline="\n")
    return file


def _counts(gathered: Mapping[str, pd.DataFrame]) -> list[str]:
    """The table on top: a paper a row, a verdict a column."""
    rows = {}
    for paper in claims.PAPERS:
        verdicts = gathered[paper]["verdict"].tolist() if paper in gathered else []
        total = len(claims.published(paper))
        numbers = [verdicts.count(verdict) for verdict in claims.VERDICTS]
        name = f"{{ref}}`{NAMES[paper]} <scoreboard-{paper}>`"
        rows[name] = [*numbers, total - len(verdicts), total]
    rows["**all**"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    head = ["paper", *claims.VERDICTS, NONE, "all"]
    lines = [_row(head), _row(["---", *["--:"] * (len(head) - 1)])]
    return lines + [_row([name, *map(str, numbers)]) for name, numbers in rows.items()]


def _order(claim: Claim) -> tuple[int, list[int], str]:
    """Figures, tables, theorems, sections, each by their numbers; then as the paper has it."""
    place = claim.source.partition(" / ")[0].lower()
    kind = next((i for i, kind in enumerate(_KINDS) if place.startswith(kind)), len(_KINDS))
    numbers = [int(digits) for digits in re.findall(r"\d+", place)]
    return kind, numbers, place


def _cells(claim: Claim, found: pd.DataFrame) -> list[str]:
    """A line of a paper's table: `_COLUMNS`."""
    trend = claim.kind == "trend"
    first = [claims.plain(claim.source), f"`{claim.id}`"]
    first[1] += "" if trend else f" {claims.plain(claim.quantity)}"
    first[1] += f" ({claims.plain(claim.dataset)})"
    said = claims.plain(" ".join((claim.claim if trend else claim.published).split()))
    if claim.id not in found.index:
        return [*first, said, "", "", f"**{NONE}**"]
    row = {str(column): str(value) for column, value in found.loc[claim.id].items()}
    verdict = f"**{row['verdict']}**, {{ref}}`{row['chapter'].replace('_', ' ')} <{row['cell']}>`"
    if row["reason"]:
        why = claims.plain(row["reason"])
        verdict += f" <details><summary>why</summary>{why}</details>"
    data = claims.plain(row["data"]) if row["here"] != "none" else ""
    return [*first, said, claims.with_error(row["here"], row["standard_error"]), data, verdict]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"

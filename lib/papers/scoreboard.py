"""Every published claim of the five papers with what became of it: a page of all, tables of some.

On the page, one table a paper, in the order of its figures, tables and sections; it is whole
without JavaScript, `book/static/scoreboard.js` puts filters above it. Each line leads to the place
of the claim on its paper's replication, `#claim-<id>`, where `show` displays a section's claims.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

import pandas as pd

from lib.papers import claims
from lib.papers.claims import Claim

NONE = "no result yet"
NAMES = {
    "kk": "Knock-Knock",
    "zk": "Zero auxiliary knowledge",
    "crowd": "Aggregation privacy",
    "fano": "Fano loss",
    "threshold": "Threshold attacks",
}
_KINDS = ("fig", "table", "theorem", "lemma", "proposition", "eq", "example", "abstract", "sec")
_COLUMNS = ("place", "claim", "published", "here", "data", "verdict")

_INTRODUCTION = """\
(scoreboard)=
# Scoreboard

Every number and every trend that the five papers' texts and tables state (curves that are only
drawn are not), one line each: what they say, what came out here and on which data. A claim's name
leads to its place on the paper's replication, beside the tables and figures that it comes from.
Nobody typed a verdict; code compares.

- **reproduced**: a number on the paper's own data, within three standard errors and half of the
  last digit printed.
- **holds**: a trend or a bound that is true at 95%, on the data named, which may be a surrogate;
*by
  a margin of ours*, where a word that decides ("much", "close to") has no number in the paper.
- **differs**: neither; *why* says for what reason, what was tried, or that nothing was. *Under the
  named reading*: where a paper leaves something open, one other reading was chosen after its
  numbers were seen; the replication names it, and no verdict rests on it.
- **input**: a fact that a surrogate was made from, so that agreement proves nothing.
- **not comparable**: a number on data that we do not hold; ours, on other data, is beside it, or
  *none* where nothing here measures it.
- **no result yet**: nothing here has computed it.

Behind a claim's name stands the paper's dataset (`sfc` are the cabs, `tfl` London's commuters,
`cdr` callers), in *data* ours; a value behind ± is a standard error. What is chosen above the
tables stands in the page's address, which can be sent and kept.
"""
OPEN_UP_TO = 12  # claims of a section that are shown unfolded


def page(gathered: Mapping[str, pd.DataFrame]) -> str:
    """The page (MyST): counts by paper and verdict, then one table for each paper.

    gathered  as `lib.papers.verdicts.gather` gives it; claims that it lacks have no result yet
    """
    filters = _raw('<div class="scoreboard-filters"></div>')
    parts = [_INTRODUCTION, *_counts(gathered), "", *filters, ""]
    for paper in claims.PAPERS:
        found = gathered.get(paper, pd.DataFrame())
        own = sorted(map(claims.claim, claims.published(paper).index), key=_order)
        parts += [f"(scoreboard-{paper})=", f"## {NAMES[paper]}", ""]
        parts += [f"*{plain(claims.title(paper))}*", "", ":::{container} scoreboard", ""]
        parts += [_row(_COLUMNS), _row(["---"] * len(_COLUMNS))]
        parts += [_row(_cells(each, found)) for each in own]
        parts += ["", ":::", ""]
    script = _raw('<script src="../_static/scoreboard.js"></script>')
    return "\n".join([*parts, *script, ""])


def _raw(text: str) -> list[str]:
    return ["```{raw} html", text, "```"]


def write(gathered: Mapping[str, pd.DataFrame], book: Path = claims.BOOK) -> Path:
    """Writes `scoreboard.md` from judged claims."""
    file = book / "scoreboard.md"
    file.write_text(page(gathered), encoding="utf-8", newline="\n")
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
    said = plain(_said(claim))
    first = [plain(claim.source), f"`{claim.id}`{plain(_of(claim))}"]
    if claim.id not in found.index:
        return [*first, said, "", "", _marked(NONE)]
    row = {str(column): str(value) for column, value in found.loc[claim.id].items()}
    address = f"{row['chapter']}.html#{anchor(claim.id)}"
    first[1] = f'<a href="{address}">{claim.id}</a>{plain(_of(claim))}'
    verdict = _judged(row)
    if row["reason"]:
        verdict += f" <details><summary>why</summary>{plain(row['reason'])}</details>"
    data = plain(row["data"]) if row["here"] != "none" else ""
    return [*first, said, with_error(row["here"], row["standard_error"]), data, verdict]


def _said(claim: Claim) -> str:
    return " ".join((claim.claim if claim.kind == "trend" else claim.published).split())


def _of(claim: Claim) -> str:
    """What is measured, on which of the paper's data."""
    quantity = "" if claim.kind == "trend" else f" {claim.quantity}"
    return f"{quantity} ({claim.dataset})"


def _marked(verdict: str) -> str:
    """A verdict in its colour (`book/static/book.css`)."""
    kind = "none" if verdict == NONE else verdict.replace(" ", "-")
    return f'<span class="verdict {kind}">{verdict}</span>'


def _judged(row: Mapping[str, str]) -> str:
    """A verdict, with what it rests on where that is not plain."""
    told = _marked(row["verdict"])
    told += " by a margin of ours" if row.get("grade") == "margin" else ""
    other = row.get("named_verdict")
    return told + (f" ({other} under a reading chosen after seeing it)" if other else "")


def anchor(name: str) -> str:
    """The id of a claim's line on its paper's replication."""
    return f"claim-{name}"


def show(judged: pd.DataFrame, *cells: str) -> None:
    """Displays the claims of one or more sections of a replication, each with an address.

    judged  as `lib.papers.verdicts.judged` gives it
    cells   labels of sections: `claims.Finding.cell`

    Raises ValueError for a label that no claim has.
    """
    from IPython.display import display

    bundle = {"text/html": section(judged, cells), "text/plain": _counted(_of_cells(judged, cells))}
    display(bundle, raw=True)


def section(judged: pd.DataFrame, cells: Iterable[str]) -> str:
    """What `show` displays (HTML): a table, folded where it is long."""
    chosen = _of_cells(judged, cells)
    order = sorted(map(claims.claim, chosen.index), key=_order)
    found: dict[str, dict[str, str]] = chosen.to_dict("index")  # type: ignore[assignment]
    head = "".join(f"<th>{each}</th>" for each in ("claim", "published", "here", "data", "verdict"))
    rows = "\n".join(_line(each, found[each.id]) for each in order)
    unfolded = " open" if len(chosen) <= OPEN_UP_TO else ""
    return (
        f'<details class="claims"{unfolded}><summary>{_counted(chosen)}</summary>\n'
        f'<table class="claims"><thead><tr>{head}</tr></thead><tbody>\n{rows}\n'
        "</tbody></table></details>"
    )


def _of_cells(judged: pd.DataFrame, cells: Iterable[str]) -> pd.DataFrame:
    for cell in cells:
        if cell not in set(judged["cell"]):
            known = ", ".join(sorted(set(judged["cell"])))
            raise ValueError(f"no claim is shown at {cell!r}; there are: {known}")
    return judged[judged["cell"].isin(list(cells))]


def _counted(chosen: pd.DataFrame) -> str:
    counts = Counter(chosen["verdict"])
    words = [f"{counts[verdict]} {verdict}" for verdict in claims.VERDICTS if counts[verdict]]
    return f"The paper's claims, {len(chosen)}: {', '.join(words)}"


def _line(claim: Claim, row: Mapping[str, str]) -> str:
    """One claim as a row with an address."""
    link = f'<a href="#{anchor(claim.id)}">{claim.id}</a>'
    here = "none" if row["here"] == "none" else with_error(row["here"], row["standard_error"])
    why = f" {escape(row['reason'])}" if row["reason"] else ""
    cells = [
        f"{escape(claim.source)}: {link}{escape(_of(claim))}",
        escape(_said(claim)),
        here,
        escape(row["data"]) if row["here"] != "none" else "",
        _judged(row) + why,
    ]
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr id="{anchor(claim.id)}">{inside}</tr>'


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def with_error(here: str, error: str) -> str:
    """A kept number, or both ends of a range, and its standard error, to the error's second digit.

    As kept where the error is 0, or too small for six decimals.
    """
    if float(error) == 0:
        return here
    decimals = max(0, 1 - math.floor(math.log10(float(error))))
    if decimals > 6:
        return f"{here} ± {error}"
    numbers = "..".join(
        f"{round(float(number), decimals) + 0.0:.{decimals}f}" for number in here.split("..")
    )
    return f"{numbers} ± {float(error):.{decimals}f}"


def plain(text: str) -> str:
    """Text that MyST shows as it is: no markup, formula or link in it."""
    return re.sub(r"([\\`*_{}\[\]<>$|~^&@#])", r"\\\1", text)

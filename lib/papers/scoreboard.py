"""Every published claim of the five papers with its verdict: a page of all, tables of some.

On the page, one table a paper, in the order of its figures, tables and sections; it is whole
without JavaScript, `book/static/scoreboard.js` puts filters above it. Each line leads to the place
of the claim on its paper's replication, `#claim-<id>`, where `show` displays a section's claims.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

import pandas as pd

from lib.papers import claims, verdicts
from lib.papers.claims import Claim
from lib.papers.figures import SURROGATES

NONE = "no result yet"
NAMES = {
    "kk": "Knock-Knock",
    "zk": "Zero auxiliary knowledge",
    "crowd": "Aggregation privacy",
    "fano": "Fano loss",
    "threshold": "Threshold attacks",
}
# The papers' datasets by the names that the files of published claims have for them.
DATASETS = {
    "sfc": "San Francisco cabs",
    "tfl": "London fare cards",
    "cdr": "call records",
    "milan": "tweets of Milan",
    "gowalla": "Gowalla",
    "foursquare": "Foursquare",
    "simulated": "simulated",
    "analytic": "none: a formula",
}
_SHOWN = "shown: "  # begins the remark that says what the shown number measures
_KINDS = ("fig", "table", "theorem", "lemma", "proposition", "eq", "example", "abstract", "sec")
_COLUMNS = ("place", "claim", "published", "here", "data", "verdict")

_INTRODUCTION = """\
(scoreboard)=
# Scoreboard

Can the results of the five papers be reproduced? This page lists every number and every statement
in their texts and tables, with the verdict of our replication. Values that can only be read off a
curve are omitted. Each claim's name links to its entry on the page of its paper, next to the table
or figure that shows our results. No verdict is typed by hand: code compares stored results with the
claim.
"""
_RULE = """\
## The rule

**A claim is judged on the paper's own data and in its own setting, or it is not tested.**

*A number.* Let $x$ be our number, with standard error $s$, and $v$ the published one, with standard
error $s_v$. If the paper prints no standard error, we take $s_v = s$, as if it had sampled the same
number of targets or releases. Let $h$ be half a unit in the last place of the printed number, and
$r = t\\sqrt{s^2 + s_v^2}$ half of the 95% interval of the difference, with Student's quantile $t$.

- **reproduced** if $|x - v| \\le h + r$ and the interval is short enough for the digits to mean
  something: $r$ is at most two units of the last digit (or twice the interval of the paper, if it
  prints one);
- **contradicted** if $|x - v| > h + r$;
- **undecided** if $|x - v| \\le h + r$, but the interval is longer than that. The row says how
  many runs would make it short enough. A number is also undecided if its verdict depends on a
  setting that the paper does not print.

The last printed place does not always show how precisely a number is meant. Knock-Knock and
aggregation privacy give two decimals in their prose but drop a final 0: they write "0.09, 0.1 and
0.2". We therefore read a 0.9 in their prose as 0.90, with $h = 0.005$. For a number with "about" or
"~" we count the places as printed: $h = 0.05$ for "about 0.5". In a few places a paper gives only
words, such as "almost no loss", or its sentence implies another tolerance. That tolerance then
takes the place of $h$, and the half-interval $r$ may be at most as large as the tolerance. Such a
verdict depends on how we interpret the words, and the row says how much of the allowed distance
comes from this interpretation.
This rule is strict with exact results: a number without sampling error that is off by one unit in
the last place is contradicted, whereas a sampled number may be off by more.

The three cases are five lines of code. Two units of the last digit are $4h$.

```python
def verdict(v, h, x, s, t, s_v=None):
    r = t * np.hypot(s, s if s_v is None else s_v)
    if abs(x - v) > h + r:
        return "contradicted"
    return "reproduced" if r <= max(4 * h, 2 * t * (s_v or 0)) else "undecided"
```

You can run it: the pages on [Knock-Knock](kkr-by-hand), [zero auxiliary knowledge](zkr-by-hand)
and [aggregation privacy](crowd-rep-by-hand) apply the rule first to one number and then to a whole
figure or table.

*A statement or a bound.* We write it as a set of inequalities and test each inequality in both
directions.

- **supported** if all of them hold at the one-sided 95% level;
- **contradicted** if one is violated at the one-sided 95% level, divided by the number of
  inequalities (Bonferroni);
- **undecided** otherwise. The row says how many runs a decision would need.

Where the paper gives no number for the deciding word ("much", "close to"), we chose one, and the
row says *by a margin of ours*. Some of these margins were chosen after the results were known; the
replication pages say where another margin would give another verdict.

A test is one-sided, but the intervals in tables are two-sided. A statement can therefore be
supported even if the interval in the table contains 0, when 0 is close to its end. Formulas and
case-by-case checks have no standard error; their rows say *without sampling error*.

At most one in twenty sampled numbers is contradicted by chance if all of them are right.

*Anything else.*

- **input**: a fact that we took from the paper. We calibrated a surrogate to it, set it as a
  parameter, or fitted it; or our number depends on such a fit. Agreement then proves nothing.
- **not tested**: we could not test the claim. The data may be closed, or public but not available
  to us, or available only in part; the statistic may be undefined on them; or we did not measure
  it. If we have substitute data, the row says by the same rule whether they are *consistent* or
  *inconsistent* with the claim, or leave it *undecided*. An inconsistent surrogate says nothing
  against the paper, because the surrogate may be to blame.
- **no result yet**: we have not computed it.

Two kinds of claims on simulated data count as tested. Some papers simulate data themselves. And in
the paper on threshold attacks, an informed attacker subtracts the counts of all other people, so
that only noise remains. This noise can be simulated exactly, whatever data the paper names.

*Within the paper.* Two tables about London can be tested without any data. London's counts are so
sparse that the ratio of two errors depends on the noise alone. We take one printed error of the
table as the reference and compute the others from it by the paper's formula. The row says whether a
printed error is *consistent* with its computed value, that is, within 5% of it, or *inconsistent*.

"""
_READING = """\
### Could a test fail?

A test that cannot fail proves nothing. An automatic check therefore shuffles the labels of all
stored rows and replaces half of the values, chosen at random, by their mirror images about the
middle of the range. At least nine in ten of the supported
statements must then lose their support. A second check gives each sampled difference a random sign,
so that only noise is left. Fewer than one in twenty statements may then be contradicted.

### How to read a row

The name of a claim is an abbreviation. It states the paper (`kk`, `zk`, `crowd`, `fano` or
`threshold`), the place (`fig7`, `tab3`), what was measured (`lr`: logistic regression; `pl`:
privacy loss; `pg`: privacy gain) and the setting (`m500`: groups of 500 users; `eps1`:
$\\varepsilon = 1$; `k5`: counts up to 5 are suppressed). The measure and the paper's dataset follow
the name: `sfc` are the cabs of San Francisco, `tfl` London's commuters, `cdr` callers,
`milan` the tweets of Milan.

- *Published* is the printed value, with the standard error that the paper prints, if any.
- *Here* gives our value; ± is its standard error. For a statement it is the quantity whose change
  would most easily reverse the verdict, such as a difference of two means; the remark under *why*
  says which. If the statement was checked case by case, it is the share of the cases in which it is
  true.
- *Data* names our data. *Elsewhere* gives the result on other datasets.
- *Under an interpretation chosen after seeing it*: the verdict under an interpretation of the paper
  that we chose after seeing the published value, such as
  [which score was probably used](kk-score). It is a hint about what the authors did, and not a
  test.
- *Rows* names the experiment that we examined for the reason of a contradiction.

Above each table you can filter its rows. The filters are kept in the page's address, so you can
bookmark or share them.

"""
EXAMPLES = ("kk-fig4-rf-auc-m10", "kk-fig3b-pl-m10", "kk-fig4-mlp-auc-m50")
_EXAMPLE = """\
(scoreboard-example)=
### Three numbers, judged by hand

All three numbers are means over 150 cabs, so $t = 1.976$. Knock-Knock prints two decimals and no
standard error. Therefore $h = 0.005$, a unit of the last digit is 0.01, and $r = t\\sqrt2\\,s$.
"""
_OUTCOME = """\
- *First row.* The distance is below $h + r$, and $r$ is below two units (0.02). The number is
  reproduced.
- *Second row.* The distance is even smaller, but $r$ is above two units. A value that is 0.02 away
  would have agreed, too, so the agreement says little about the second decimal: undecided.
- *Third row.* The distance is above $h + r$. Chance explains such a distance in fewer than one of
  twenty cases: contradicted.
"""
_EXERCISES = """\
### Exercises

```{exercise} Three rows (★, in pairs, 15 minutes)
:label: scoreboard-ex-rows
Pick three rows of one of the tables below: one whose published number has a "~", one with a 0 that
the paper dropped, such as 0.9, and one that is undecided. Cover the verdict. Compute $h$, $r$ and
the verdict from *Published* and *Here*. Then compare. Where you disagree, which word of the rule
decides?
```

````{solution} scoreboard-ex-rows
:class: dropdown
The remark under *why* gives the distance and the distance that is allowed, which is $h + r$. With
150 targets $r \\approx 1.976 \\sqrt2\\,s$. Two readers disagree most often about $h$. *Learned:* a
verdict is only as good as the tolerance, so the tolerance must be fixed before the number is known.
````

```{exercise} More cabs (★, by hand, 10 minutes)
:label: scoreboard-ex-more
Take the second row of [the example](scoreboard-example). The standard error of a mean falls with
the square root of the number of targets. How many cabs would make $r$ two units? Compare with the
number in the claim's row below. How many would it take for three units?
```

````{solution} scoreboard-ex-more
:class: dropdown
The half interval $r = 0.0225$ must shrink by the factor $0.0225 / 0.02$, so the number of cabs must
grow by the square of that factor: $150 \\, (0.0225 / 0.02)^2 \\approx 190$, as the row says. There
are 534 cabs, so more targets could be drawn. For three units,
$150 \\, (0.0225 / 0.03)^2 \\approx 84$ cabs are enough, or two or three more because $t$ is a
little larger for fewer cabs. The number would then be reproduced.
*Learned:* "undecided" is a statement about the experiment and about the precision that we ask for,
not about the paper. A longer experiment decides.
````

```{exercise} A careless replication (★★, 10 minutes)
:label: scoreboard-ex-careless
Suppose that we had evaluated only 5 cabs instead of 150. What would happen to the AUCs that are
contradicted now? Why does the rule not call them reproduced?
```

````{solution} scoreboard-ex-careless
:class: dropdown
The standard errors grow by a factor of about $\\sqrt{30} \\approx 5.5$, and $t$ grows from 1.98 to
2.78, so $r$ is almost eight times as large: about 0.13 in the third row instead of 0.017. The
distances of these AUCs, 0.02 to 0.14, would then be below $h + r$. Without the second condition, on
the length of the interval, a small experiment would "reproduce" them. With it, they are undecided.
The page on Knock-Knock [draws such samples](kkr-ex-careless). *Learned:* agreement counts only if
disagreement was possible.
````

```{exercise} Many claims (★, 5 minutes)
:label: scoreboard-ex-many
Suppose that a paper has 60 sampled numbers and all of them are right. On average, how many does the
rule contradict at most? Knock-Knock has about 60, and more of them are contradicted than that. What
else speaks against chance?
```

````{solution} scoreboard-ex-many
:class: dropdown
At most $60 \\times 0.05 = 3$. Chance would also spread the contradicted numbers over the paper, and
they would miss by little. Here they cluster in Table III, where our errors are at least a hundred
times the printed ones, in the figures on the gain from noise (12 and 13), and in groups of 500
users. *Learned:* with hundreds of claims, look at where the contradictions are, not only at their
number.
````

"""


def page(gathered: Mapping[str, pd.DataFrame]) -> str:
    """Create the page (MyST): counts by paper, the rule, then one table for each paper.

    Claims that are missing in the tables have no result yet.

    Parameters
    ----------
    gathered : mapping of str to DataFrame
        Judged claims of each paper, as `lib.papers.verdicts.gather` returns them.

    Returns
    -------
    str
        The page.
    """
    filters = _raw('<div class="scoreboard-filters"></div>')
    parts = [_INTRODUCTION, *_counts(gathered), _RULE, *_worked(gathered), _READING]
    parts += [_EXERCISES, *_moves(gathered), *filters, ""]
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
    """Write `scoreboard.md` from judged claims.

    Parameters
    ----------
    gathered : mapping of str to DataFrame
        Judged claims of each paper, as `lib.papers.verdicts.gather` returns them.
    book : Path
        Folder of the book's pages.

    Returns
    -------
    Path
        The file.
    """
    file = book / "scoreboard.md"
    file.write_text(page(gathered), encoding="utf-8", newline="\n")
    return file


def _counts(gathered: Mapping[str, pd.DataFrame]) -> list[str]:
    """The answer in words, then verdicts on the papers' own data, and substitutes apart."""
    own = _counted_by_paper(gathered, "verdict", claims.VERDICTS, NONE)
    untested = {paper: found[found["verdict"] == "not tested"] for paper, found in gathered.items()}
    others = _counted_by_paper(untested, "substitute", claims.SUBSTITUTE, "no substitute")
    return [
        "## The answer in numbers",
        "",
        *_answer(gathered),
        summary(pd.concat(gathered.values())) if gathered else "Nothing was computed yet.",
        "Each paper's page answers in words: "
        + ", ".join(f"[{NAMES[paper]}](replication/{paper}.ipynb)" for paper in claims.PAPERS)
        + ". The verdicts are explained [below](scoreboard-rule).",
        "",
        *_raw(_bars(gathered)),
        "",
        "Verdicts on the papers' own data, as numbers:",
        "",
        *own,
        "",
        "Most claims could not be tested because their data are closed, or public but not available"
        " to us. Nearly all of them could be tried on substitute data: surrogates, or parts of the"
        " paper's data:",
        "",
        *others,
        "",
        "(scoreboard-rule)=",
    ]


def _answer(gathered: Mapping[str, pd.DataFrame]) -> list[str]:
    """Three lines: formulas and simulations, the cabs, and what cannot be judged."""
    if not gathered:
        return []
    every = pd.concat(gathered.values())
    tested = every[every["verdict"].isin(claims.VERDICTS[:4])]
    cabs = tested["data"] == "cabspotting"
    made, real = (Counter(tested.loc[which, "verdict"]) for which in (~cabs, cabs))
    agree, agree_real = (n["reproduced"] + n["supported"] for n in (made, real))
    few = Counter(gathered["zk"]["verdict"]) if "zk" in gathered else Counter()
    of_zk = sum(few[each] for each in claims.VERDICTS[:4])
    return [
        f"- **Formulas and simulations:** of the {made.total()} claims that we could test, {agree}"
        f" agree with our results, {made['contradicted']} are contradicted and {made['undecided']}"
        " are undecided.",
        "- **The cabs of San Francisco**, the only data of people that we have in the form in which"
        " a paper used them: of"
        f" {real.total()} claims, {agree_real} agree, {real['contradicted']} are contradicted and"
        f" {real['undecided']} are undecided. The contradicted ones are not independent of each"
        " other: many come from one table or concern one mechanism.",
        f"- **Zero auxiliary knowledge:** only {of_zk} of {few.total()} claims could be tested, so"
        " its experiments cannot be judged. They were repeated on synthetic surrogates.",
        "",
    ]


def _bars(gathered: Mapping[str, pd.DataFrame]) -> str:
    """A bar for each paper, divided by the verdicts on its own data (HTML)."""
    rows = []
    for paper in claims.PAPERS:
        found = Counter(gathered[paper]["verdict"]) if paper in gathered else Counter()
        total = len(claims.published(paper))
        parts = "".join(
            f'<span class="{verdict.replace(" ", "-")}" style="flex-grow: {n}"'
            f' title="{verdict}: {n}">{n if n >= total / 25 else ""}</span>'
            for verdict in claims.VERDICTS
            if (n := found[verdict])
        )
        name = f"<span>{escape(NAMES[paper])}, {total} claims</span>"
        rows.append(f'<div>{name}<div class="bar">{parts}</div></div>')
    keys = "".join(
        f'<span class="key"><span class="{verdict.replace(" ", "-")}"></span>{verdict}</span>'
        for verdict in claims.VERDICTS
    )
    return (
        f'<figure class="verdict-bars"><div class="keys">{keys}</div>\n'
        + "\n".join(rows)
        + "\n<figcaption>All claims of each paper, divided by the verdict on the paper's own data."
        " Where we do not have the data, most claims are not tested. A paper without an orange"
        " part has no contradicted claim.</figcaption>"
        "</figure>"
    )


def summary(judged: pd.DataFrame) -> str:
    """Say in words how many claims were tested, and how the tests ended.

    Parameters
    ----------
    judged : pandas.DataFrame
        Judged claims of one or more papers.

    Returns
    -------
    str
        Three sentences, or two if nothing could be tested.
    """
    found = Counter(judged["verdict"])
    ended = {verdict: found[verdict] for verdict in claims.VERDICTS[:4] if found[verdict]}
    told = [f"{verdict} for {n}" for verdict, n in ended.items()]
    if len(ended) == 1:
        told = [f"{verdict} for all of them" for verdict in ended]
    listed = " and ".join(each for each in (", ".join(told[:-1]), *told[-1:]) if each)
    return (
        f"Of {len(judged)} claims, {sum(ended.values())} could be tested in the setting of the"
        " paper, on its own data or by its formulas."
        f"{f' The verdict is {listed}.' if ended else ''} Of the other claims,"
        f" {found['input']} are inputs, which prove nothing, and {found['not tested']} were not"
        " tested."
    )


def _worked(gathered: Mapping[str, pd.DataFrame]) -> list[str]:
    """Three numbers with all that the rule takes, and their verdicts."""
    found = gathered.get("kk", pd.DataFrame())
    if not set(EXAMPLES) <= set(found.index):
        return []
    head = ("claim", "$v$", "$x$", "$s$", "$\\lvert x - v\\rvert$", "$r$", "$h + r$", "verdict")
    lines = [_row(head), _row(["---", *["--:"] * 6, "---"])]
    for claim in map(claims.claim, EXAMPLES):
        row = {str(column): str(value) for column, value in found.loc[claim.id].items()}
        x, s, freedom = (float(row[each]) for each in ("here", "standard_error", "freedom"))
        r = claims.reach(claim, s, freedom)
        numbers = (x, s, abs(x - claim.value[0]), r, claims.half_digit(claim) + r)
        shown = [f"{number:.4f}" for number in numbers]
        name = f'<a href="replication/kk.html#{anchor(claim.id)}">{claim.id}</a>'
        lines.append(_row([name, claim.published, *shown, _marked(row["verdict"])]))
    return [_EXAMPLE, *lines, "", _OUTCOME]


def _counted_by_paper(
    gathered: Mapping[str, pd.DataFrame], column: str, words: Sequence[str], rest: str
) -> list[str]:
    """A table with a row a paper, a column a word, and one for claims with none of them, if any."""
    rows = {}
    for paper in claims.PAPERS:
        found = gathered[paper][column].tolist() if paper in gathered else []
        total = len(found) if column == "substitute" else len(claims.published(paper))
        numbers = [found.count(word) for word in words]
        name = f"{{ref}}`{NAMES[paper]} <scoreboard-{paper}>`"
        rows[name] = [*numbers, total - sum(numbers), total]
    rows["**all**"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    head = ["paper", *words, rest, "all"]
    if not rows["**all**"][-2]:  # every claim has one of the words
        head.remove(rest)
        rows = {name: [*numbers[:-2], numbers[-1]] for name, numbers in rows.items()}
    lines = [_row(head), _row(["---", *["--:"] * (len(head) - 1)])]
    return lines + [_row([name, *map(str, numbers)]) for name, numbers in rows.items()]


def _moves(gathered: Mapping[str, pd.DataFrame]) -> list[str]:
    """How many verdicts are not those of the earlier rule, by what they were and are."""
    table = verdicts.moved(gathered)
    pairs = Counter(zip(table["before"], table["now"], strict=True)).most_common()
    lines = [_row(["before", "now", "claims"]), _row(["---", "---", "--:"])]
    lines += [_row([before, now, str(n)]) for (before, now), n in pairs]
    return [
        "### An earlier rule",
        "",
        "Until 25 November 2026 we used another rule, with the verdicts *reproduced*, *holds*,"
        " *differs*, *input* and *not comparable*. *Differs* included results that were undecided,"
        f" undefined, or judged on other data. {len(table)} verdicts changed, not counting mere"
        " renamings. {download}`The list <claims/moved.csv>` gives the reason for each.",
        "",
        *lines,
        "",
    ]


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
        return [*first, said, "none", "none", _marked(NONE)]
    row = {str(column): str(value) for column, value in found.loc[claim.id].items()}
    address = f"{row['chapter']}.html#{anchor(claim.id)}"
    first[1] = f'<a href="{address}">{claim.id}</a>{plain(_of(claim))}'
    verdict = _judged(row)
    why = "; ".join(plain(row[column]) for column in ("reason", "note") if row[column])
    verdict += f" <details><summary>why</summary>{why}</details>"
    return [*first, said, with_error(row["here"], row["standard_error"]), _data(row), verdict]


def _data(row: Mapping[str, str]) -> str:
    return plain(row["data"]) if row["here"] != "none" else "none"


def _said(claim: Claim) -> str:
    """What the paper says, a number with the standard error that the paper prints."""
    error = f" ± {claim.stderr:g}" if claim.stderr else ""
    return " ".join((claim.claim if claim.kind == "trend" else claim.published + error).split())


def _of(claim: Claim) -> str:
    """What is measured, on which of the paper's data."""
    quantity = "" if claim.kind == "trend" else f" {claim.quantity}"
    return f"{quantity} ({claim.dataset})"


def _marked(verdict: str) -> str:
    """A verdict in its colour (`book/static/book.css`)."""
    kind = "none" if verdict == NONE else verdict.replace(" ", "-")
    return f'<span class="verdict {kind}">{verdict}</span>'


def _judged(row: Mapping[str, str], apart: str = "; ") -> str:
    """A verdict, with what stands in for it, what it rests on, and what other data say."""
    other = row["named_verdict"]
    grade = " by a margin of ours" if row["grade"] == "margin" else ""
    told = [
        _marked(row["verdict"]) + ("" if row["substitute"] else grade),
        f"substitute {row['substitute']}{grade}" if row["substitute"] else "",
        f"elsewhere {row['elsewhere']}" if row["elsewhere"] else "",
        f"within the paper {row['within_paper']}" if row["within_paper"] else "",
        f"{other} under an interpretation chosen after seeing it" if other else "",
    ]
    return apart.join(each for each in told if each)


def anchor(name: str) -> str:
    """Return the id of a claim's line on the replication page of its paper.

    Parameters
    ----------
    name : str
        Id of the claim.

    Returns
    -------
    str
        The id.
    """
    return f"claim-{name}"


def show(judged: pd.DataFrame, *cells: str) -> None:
    """Display the claims of one or more sections of a replication, each with an address.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged` gives it.
    *cells : str
        Labels of sections: `claims.Finding.cell`.

    Raises
    ------
    ValueError
        If no claim has the label.
    """
    _display(section(judged, cells), _counted(_of_cells(judged, cells)))


def show_apart(judged: pd.DataFrame, cell: str) -> None:
    """Display the claims of a section, with those that agree in a folded table below the others.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged` gives it.
    cell : str
        Label of the section: `claims.Finding.cell`.

    Raises
    ------
    ValueError
        If no claim has the label.
    """
    own = _of_cells(judged, [cell])
    agree = own["substitute"].eq("consistent") | own["verdict"].eq("input")
    parts = {
        "inconsistent, undecided, tested, or not measured": own[~agree],
        "consistent, or inputs": own[agree],
    }
    told = {
        f"Claims of the paper, {len(rows)} of {len(own)}: {words}": rows
        for words, rows in parts.items()
        if len(rows)
    }
    tables = [_details(rows, words, i == 0) for i, (words, rows) in enumerate(told.items())]
    _display("".join(tables), "; ".join(told))


def show_conclusions(judged: pd.DataFrame, conclusions: Mapping[str, Sequence[str]]) -> None:
    """Display a paper's conclusions in words, each with the verdict and the claims it rests on.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged` gives it.
    conclusions : mapping of str to sequence of str
        A sentence of HTML for each conclusion, and the claims it rests on: the first makes its
        verdict, the others are further evidence.

    Raises
    ------
    ValueError
        If a conclusion rests on no claim, or on one that is not in the table.
    """
    _display(conclusions_table(judged, conclusions), "; ".join(conclusions))


def show_summary(judged: pd.DataFrame) -> None:
    """Display in words how many of a paper's claims were tested, and how the tests ended.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged` gives it.
    """
    _display(f"<p>{escape(summary(judged))}</p>", summary(judged))


def show_by_data(judged: pd.DataFrame) -> None:
    """Display how many claims have which verdict, by the paper's data and ours.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged` gives it.
    """
    table = by_data(judged)
    flat = table.reset_index()
    flat.columns = pd.MultiIndex.from_tuples(_two_lines(flat.columns))
    html = flat.to_html(classes="by-data", border=1, index=False)
    _display(html, table.to_string())


MEASURES = {
    "profiling error (JS)": "profiling error",
    "localization error (1 - F1)": "localization error",
    "AUC": "AUC",
    "PL": "privacy loss",
    "PG": "privacy gain",
    "accuracy": "accuracy",
    "MRE": "mean relative error",
}
_TRIED = {"reproduced", "undecided", "contradicted", "consistent", "inconsistent"}


def agreement(judged: pd.DataFrame, substitutes: bool = False) -> pd.DataFrame:
    """Collect the printed means of errors, AUCs, accuracies, losses and gains with ours.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged` gives it.
    substitutes : bool, default False
        Whether to collect the numbers that could be tried on substitute data only, in place of
        those that could be tested.

    Returns
    -------
    pandas.DataFrame
        Index: claim. Columns: measure, published, here, half (of the 95% interval of their
        difference), told (the verdict, or what the substitute says). Bounds are left out.
    """
    rows = {}
    for name, row in judged.iterrows():
        claim = claims.claim(str(name))
        told = row["substitute"] if substitutes else row["verdict"]
        measure = MEASURES.get(claim.quantity.removeprefix("mean "))
        if measure and claim.op in ("=", "~") and len(claim.value) == 1 and told in _TRIED:
            freedom = float(row["freedom"] or "inf")
            half = claims.reach(claim, float(row["standard_error"]), freedom)
            rows[name] = [measure, claim.value[0], float(row["here"]), half, told]
    columns = ["measure", "published", "here", "half", "told"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def _two_lines(columns: Iterable[str]) -> list[tuple[str, str]]:
    """The head of a table of verdicts; what substitutes say stands below "not tested"."""
    lines = []
    for name in columns:
        verdict, _, substitute = name.partition(", ")
        lines.append((f"{verdict}; the substitute is", substitute) if substitute else ("", name))
    return [(above, "none" if name == "no substitute" else name) for above, name in lines]


def _display(html: str, text: str) -> None:
    from IPython.display import display

    display({"text/html": html, "text/plain": text}, raw=True)


def by_data(judged: pd.DataFrame) -> pd.DataFrame:
    """Count verdicts by the paper's data and ours.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged` gives it.

    Returns
    -------
    pandas.DataFrame
        Index: the paper's data, our data, what was tested most first. Columns: the verdicts; "not
        tested" is divided by what substitutes say.
    """
    theirs = [DATASETS[claims.claim(str(name)).dataset] for name in judged.index]
    ours = judged["data"].where(judged["here"] != "none", "none").map(_named_surrogates)
    told = [
        f"not tested, {substitute or 'no substitute'}" if verdict == "not tested" else verdict
        for verdict, substitute in zip(judged["verdict"], judged["substitute"], strict=True)
    ]
    rest = [f"not tested, {word}" for word in (*claims.SUBSTITUTE, "no substitute")]
    order = [word for word in (*claims.VERDICTS[:-1], *rest) if word in told]
    table = pd.crosstab(
        [pd.Series(theirs, judged.index, name="the paper's data"), ours.rename("our data")],
        pd.Series(told, judged.index, name="claims"),
    )
    tested = table.columns.intersection(list(claims.VERDICTS[:4]))
    first = table[tested].sum(axis=1).sort_values(ascending=False, kind="stable").index
    return table.loc[first, order]


def _named_surrogates(data: str) -> str:
    each = data.split(", ")
    return ", ".join(f"{name} (surrogate)" if name in SURROGATES else name for name in each)


def conclusions_table(judged: pd.DataFrame, conclusions: Mapping[str, Sequence[str]]) -> str:
    """Create the table that `show_conclusions` displays.

    Parameters
    ----------
    judged : pandas.DataFrame
        Judged claims of a paper.
    conclusions : mapping of str to sequence of str
        Conclusion in words to the ids of the claims that it rests on.

    Returns
    -------
    str
        The table (HTML).
    """
    head = "".join(f"<th>{each}</th>" for each in ("the paper concludes", "verdict", "claims"))
    rows = []
    for sentence, names in conclusions.items():
        missing = [name for name in names if name not in judged.index]
        if missing or not names:
            raise ValueError(f"conclusion {sentence!r} rests on {missing or 'no claim'}")
        found = judged.loc[list(names)]
        told = found["substitute"].where(found["substitute"] != "", found["verdict"])
        each = "<br>".join(f"{_link(str(name))}: <em>{word}</em>" for name, word in told.items())
        rows.append(f"<tr><td>{sentence}</td><td>{_verdicts(found)}</td><td>{each}</td></tr>")
    body = "\n".join(rows)
    return (
        f'<table class="conclusions"><thead><tr>{head}</tr></thead><tbody>\n{body}\n'
        "</tbody></table>"
    )


def _verdicts(found: pd.DataFrame) -> str:
    """The verdict of the first claim, and how many of the others have another one."""
    told = [
        _with_substitute(verdict, substitute)
        for verdict, substitute in zip(found["verdict"], found["substitute"], strict=True)
    ]
    others = Counter(each for each in told if each != told[0])
    rest = ", ".join(f"{n} {each}" for each, n in others.items())
    return told[0] + (f"<br>other evidence: {rest}" if rest else "")


def _with_substitute(verdict: str, substitute: str) -> str:
    return _marked(verdict) + (f" (substitute {substitute})" if substitute else "")


def _link(name: str) -> str:
    return f'<a href="#{anchor(name)}">{name}</a>'


def section(judged: pd.DataFrame, cells: Iterable[str]) -> str:
    """Create what `show` displays: a table of claims under the counts of their verdicts.

    Parameters
    ----------
    judged : pandas.DataFrame
        Judged claims of a paper.
    cells : iterable of str
        Labels of cells whose claims are shown.

    Returns
    -------
    str
        The table (HTML).
    """
    chosen = _of_cells(judged, cells)
    return _details(chosen, _counted(chosen))


def _details(chosen: pd.DataFrame, summary: str, is_open: bool = True) -> str:
    """A table of claims under a summary, unfolded or not."""
    order = sorted(map(claims.claim, chosen.index), key=_order)
    found: dict[str, dict[str, str]] = chosen.to_dict("index")  # type: ignore[assignment]
    titles = ("claim", "published", "here", "verdict", "reason and remarks")
    head = "".join(f"<th>{each}</th>" for each in titles)
    rows = "\n".join(_line(each, found[each.id]) for each in order)
    return (
        f'<details class="claims"{" open" * is_open}><summary>{summary}</summary>\n'
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
    link = _link(claim.id)
    measures, remarks = _shown(row["note"])
    cells = [
        f"{escape(claim.source)}: {link}{escape(_of(claim))}",
        escape(_said(claim)),
        _here(row, measures),
        _judged(row, "<br>"),
        " ".join(map(_sentence, _parts(row["reason"]) + remarks)),
    ]
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr id="{anchor(claim.id)}">{inside}</tr>'


def _parts(text: str) -> list[str]:
    return text.split("; ") if text else []


def _shown(note: str) -> tuple[str, list[str]]:
    """What the shown number measures, where a note says it, and the note's other remarks."""
    remarks = _parts(note)
    said = [each for each in remarks if each.startswith(_SHOWN)]
    return "".join(each.removeprefix(_SHOWN) for each in said), [
        each for each in remarks if each not in said
    ]


def _here(row: Mapping[str, str], measures: str) -> str:
    """Our number, what it measures, and the data that it comes from."""
    if row["here"] == "none":
        return "none"
    number = with_error(row["here"], row["standard_error"])
    beside = "".join(f"<br>{escape(each)}" for each in (measures,) if each)
    return f"<b>{number}</b>{beside}<br>on {escape(row['data'])}"


def _sentence(remark: str) -> str:
    """A remark as a sentence: a capital where its first word is one, and a full stop."""
    first = remark.split(maxsplit=1)[0].rstrip(":,")
    capital = first == "a" or (len(first) > 1 and first.isalpha() and first.islower())
    text = remark[0].upper() + remark[1:] if capital else remark
    return escape(text if text.endswith(".") else f"{text}.")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def with_error(here: str, error: str) -> str:
    """Format a stored number, or both ends of a range, with its standard error.

    Parameters
    ----------
    here : str
        The number, or a range.
    error : str
        Its standard error.

    Returns
    -------
    str
        The number and the error, to the second digit of the error; the stored text if the
        error is 0 or needs more than six decimals.
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
    """Escape a text so that MyST finds no markup, formula or link in it.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    str
        The escaped text.
    """
    return re.sub(r"([\\`*_{}\[\]<>$|~^&@#])", r"\\\1", text)

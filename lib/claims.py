"""Published numbers against reproduced ones.

What the papers say lies in `book/claims/published/<paper>.yml`. What a chapter found is a list of
`Finding`s; `table(findings)` judges them, and the chapter keeps the result at its paper run with
`plots.show_table(..., "claims")`. `python -m lib claims` gathers these kept tables,
`book/paper/<chapter>/tables/claims.csv`, into `book/claims/<paper>.csv` and writes an appendix
page from each. So executing the book writes nothing (its chapters show `top(...)` of the kept
table), a claim has one place where it was computed, and gathering twice gives the same bytes.

Nobody types a verdict. A number is compared here; a trend is what `greater`, `increasing`, ...
return. The five verdicts:

reproduced      a number on the paper's own data, within `tolerance`
holds           a trend that is true at 95%, on the data named
differs         neither; a reason, or what was tried, is asked for
input           a fact that the stand-in was made from: agreement proves nothing
not comparable  a number on data nobody here holds; ours, on other data, stands beside it
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml

from lib import datasets

BOOK = Path(__file__).parents[1] / "book"
PAPERS = ("kk", "zk", "crowd", "fano", "threshold")
VERDICTS = ("reproduced", "holds", "differs", "input", "not comparable")
OPERATORS = ("=", "~", ">", ">=", "<", "<=")
COLUMNS = ("id", "published", "here", "standard_error", "data", "verdict", "reason", "chapter",
           "cell")  # fmt: skip
CONFIDENCE = 0.95
_TEXT = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_VALUES = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
STANDARD_ERRORS = 3  # that a reproduced number may be away

# A paper's dataset that is held, by the names of `data` that are it.
HELD = {
    "sfc": {"cabspotting"},
    "simulated": {"simulated", "analytic"},
    "analytic": {"simulated", "analytic"},
}
# A stand-in: the dataset that it stands for, and the published statistics that it was made from.
_MOMENTS = {
    f"{what}_{moment}"
    for what in (
        "reports",
        "unique_rois",
        "active_slots",
        "reports_per_roi",
        "active_slots_per_roi",
    )
    for moment in ("mean", "std")
}
_SIZES = {"users", "stations", "rois", "epochs", "observation_epochs", "inference_epochs"}
_POOLS = {"sites", "epochs"} | {
    f"{pool}_traces" for pool in ("target", "auxiliary", "train", "validation")
}
CALIBRATED = {
    "commuters": ("tfl", _MOMENTS | _SIZES),
    "cabs": ("sfc", _MOMENTS | _SIZES),
    "callers": ("cdr", {"users", "rois", "epochs"}),
    "tweeters-zk": ("milan", {"users", "rois", "epochs"}),
    "tweeters-threshold": ("milan", _POOLS),
}


# -- what the papers say ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Claim:
    """One published number or trend.

    value   the number; two for a range; none for a trend
    digits  decimals of its last digit (0.90: 2; 168: 0), read from the file's text. A rounded
            whole number (`~`) ends with its last digit that is not 0 (about 11,000,000: -6)
    stderr  the published standard error, 0 where there is none
    claim   a trend in words
    """

    id: str
    source: str
    dataset: str
    quantity: str
    op: str
    value: tuple[float, ...]
    digits: int
    kind: str
    needs: str
    setting: dict[str, Any]
    stderr: float
    claim: str
    note: str
    published: str  # as text: 0.90, > 2000000, 0.64..0.76, or the trend in words


def claim(name: str) -> Claim:
    """The claim with this id. Raises ValueError, with the nearest id, if there is none."""
    paper = name.partition("-")[0] if isinstance(name, str) else ""
    if paper in PAPERS and name in _claims(paper):
        return _claims(paper)[name]
    known = [each for p in ([paper] if paper in PAPERS else PAPERS) for each in _claims(p)]
    near = get_close_matches(str(name), known, 1, 0)[0]
    raise ValueError(f"no claim {name!r}; did you mean {near!r}?")


def published(paper: str) -> pd.DataFrame:
    """All claims of a paper, in its file's order: index `id`, columns the other fields of `Claim`.

    Raises ValueError for an unknown paper.
    """
    rows = [asdict(each) for each in _claims(_known(paper)).values()]
    return pd.DataFrame(rows).set_index("id")


def _known(paper: str) -> str:
    if paper not in PAPERS:
        raise ValueError(f"no paper {paper!r}; there are: {', '.join(PAPERS)}")
    return paper


@cache
def _claims(paper: str) -> dict[str, Claim]:
    return _parsed((BOOK / "claims" / "published" / f"{paper}.yml").read_text(encoding="utf-8"))


def _parsed(text: str) -> dict[str, Claim]:
    """Claims of one file. Raises ValueError for an id given twice, or what cannot be understood."""
    as_text = yaml.load(text, _TEXT)["claims"]  # 0.90 stays 0.90
    as_values = yaml.load(text, _VALUES)["claims"]
    found: dict[str, Claim] = {}
    for words, entry in zip(as_text, as_values, strict=True):
        if entry["id"] in found:
            raise ValueError(f"claim {entry['id']} is published twice")
        found[entry["id"]] = _claim(words, entry)
    return found


def _claim(words: dict[str, Any], entry: dict[str, Any]) -> Claim:
    name, kind, op = entry["id"], entry["kind"], entry.get("op", "")
    if kind not in ("number", "trend") or entry["needs"] not in ("open", "private"):
        raise ValueError(f"claim {name}: kind {kind!r}, needs {entry['needs']!r} is not known")
    if kind == "trend" and not entry.get("claim"):
        raise ValueError(f"claim {name}: a trend says in words what it claims")
    if kind == "number" and op not in OPERATORS:
        raise ValueError(f"claim {name}: op {op!r} is none of {' '.join(OPERATORS)}")
    texts = words.get("value", [])
    texts = [texts] if isinstance(texts, str) else texts
    if kind == "number" and len(texts) not in (1, 2):
        raise ValueError(f"claim {name}: value {texts} is neither a number nor a range")
    sign = "" if op in ("", "=") else f"{op} "
    return Claim(
        id=name, source=entry["source"], dataset=entry["dataset"], quantity=entry["quantity"],
        op=op, value=tuple(float(each) for each in texts),
        digits=max((_digits(each, op) for each in texts), default=0),
        kind=kind, needs=entry["needs"], setting=entry["setting"] or {},
        stderr=float(entry.get("stderr", 0)), claim=entry.get("claim", ""),
        note=entry.get("note", ""),
        published=sign + "..".join(texts) if texts else entry["claim"],
    )  # fmt: skip


def _digits(text: str, op: str) -> int:
    number = Decimal(text)
    if op == "~" and number and number == number.to_integral_value() and "." not in text:
        number = number.normalize()
    return -int(number.as_tuple().exponent)


# -- predicates of trends --------------------------------------------------------------------------


class Trend(NamedTuple):
    """What a predicate found: whether it holds at 95%, and the number that decided it."""

    holds: bool
    here: float
    standard_error: float


def greater(a: float, error_a: float, b: float, error_b: float) -> Trend:
    """Whether a > b, one-sided at 95%; `here` is a - b.

    The standard errors are taken as independent. Where a and b come from the same targets, give
    the mean of their differences as `a`, its standard error, and 0, 0. Errors of 0 are exact.
    Raises ValueError if a number is not finite or an error is negative.
    """
    (a, b), (error_a, error_b) = _sampled([a, b], [error_a, error_b])
    difference, error = float(a - b), math.hypot(error_a, error_b)
    return Trend(difference > _quantile(CONFIDENCE) * error, difference, error)


def close(a: float, error_a: float, b: float, error_b: float, within: float) -> Trend:
    """Whether a and b are less than `within` apart at 95% (two one-sided tests); `here` is a - b.

    Not finding a difference is no evidence of closeness; this is. `within` is in the unit of a and
    must be said beforehand. Errors and refusals as in `greater`, and for a `within` not above 0.
    """
    if not (math.isfinite(within) and within > 0):
        raise ValueError(f"within is {within}; a positive number was expected")
    _, difference, error = greater(a, error_a, b, error_b)
    apart = abs(difference) + _quantile(CONFIDENCE) * error
    return Trend(apart < within, difference, error)


def increasing(values: Sequence[float], standard_errors: Sequence[float] | float) -> Trend:
    """Whether values grow: the last above the first at 95%, and no pair the other way at 95%.

    values           at least 2, in the order of what they grow with
    standard_errors  one for each, or one for all; independent

    The pairs share the 5% (Bonferroni). Flat stretches are no objection. `here` is last - first.
    Raises ValueError for fewer than two values, and as `greater` does.
    """
    v, e = _sampled(values, standard_errors)
    if len(v) < 2:
        raise ValueError(f"{len(v)} values make no trend; at least 2 were expected")
    first, last = np.triu_indices(len(v), 1)
    fall, error = v[first] - v[last], np.hypot(e[first], e[last])
    falls = fall > _quantile(1 - (1 - CONFIDENCE) / len(first)) * error
    ends = greater(v[-1], e[-1], v[0], e[0])
    return ends._replace(holds=ends.holds and not falls.any())


def decreasing(values: Sequence[float], standard_errors: Sequence[float] | float) -> Trend:
    """Whether values fall: `increasing` upside down; `here` is last - first."""
    rise = increasing([-value for value in values], standard_errors)
    return rise._replace(here=0.0 - rise.here)


def always(cases: Sequence[bool] | np.ndarray) -> Trend:
    """Whether a statement without sampling error is true in every case; `here` is the share.

    For theorems and bounds checked case by case. Raises ValueError for no cases, or for cases that
    are not true or false.
    """
    array = np.asarray(cases)
    if array.size == 0 or array.dtype != bool:
        raise ValueError(f"{array.size} cases of type {array.dtype}: some that are bool expected")
    return Trend(bool(array.all()), float(array.mean()), 0.0)


def every(*trends: Trend) -> Trend:
    """Whether all hold. `here` is the first that fails, else the one nearest to failing.

    Each part at 95% makes the whole at 95% at least (Berger 1982, intersection-union test).
    Nearest is by the number over its standard error. Raises ValueError without trends.
    """
    if not trends:
        raise ValueError("no trends: at least one was expected")
    failed = [trend for trend in trends if not trend.holds]
    if failed:
        return failed[0]
    return min(trends, key=lambda t: abs(t.here) / t.standard_error if t.standard_error else np.inf)


def _sampled(values: Any, errors: Any) -> tuple[np.ndarray, np.ndarray]:
    v = np.atleast_1d(np.asarray(values, float))
    e = np.asarray(errors, float)
    if e.ndim and e.shape != v.shape:
        raise ValueError(f"{e.size} standard errors for {v.size} values")
    e = np.broadcast_to(e, v.shape)
    if v.ndim != 1 or not np.isfinite(v).all():
        raise ValueError(f"values are {v}; finite numbers in one row were expected")
    if not (np.isfinite(e) & (e >= 0)).all():
        raise ValueError(f"standard errors are {e}; finite numbers from 0 were expected")
    return v, e


def _quantile(level: float) -> float:
    return NormalDist().inv_cdf(level)


# -- verdicts --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """What a chapter found for one claim.

    here            a number; two for a range of which both ends are claimed; a `Trend` for a trend;
                    None where nothing here measures it (not comparable; the reason says why)
    data            names of `lib.datasets.available()`, "simulated" or "analytic"; with commas
    cell            a label in the chapter, `(this)=`, that stands before the cell that computed it
    standard_error  of `here` (the larger of two); a trend brings its own
    reason          why it differs, or what was tried; may say more about any other verdict
    """

    id: str
    here: float | tuple[float, float] | Trend | None
    data: str
    cell: str
    standard_error: float = 0.0
    reason: str = ""


def tolerance(claim: Claim, standard_error: float) -> float:
    """How far a reproduced number may be away: 3 standard errors and half of the last digit.

    Both standard errors, the published one and ours, in quadrature.
    """
    return STANDARD_ERRORS * math.hypot(standard_error, claim.stderr) + 0.5 * 10.0**-claim.digits


def agrees(claim: Claim, here: Sequence[float], standard_error: float) -> bool:
    """Whether a number is what was published, within `tolerance`.

    = ~   a number that near; of a range, both ends that near (=), or all in between (~)
    > <   on that side of it, or on the other side that near; >= and <= alike

    Raises ValueError for one number where both ends of a range are claimed, or two for one.
    """
    low, high = min(claim.value), max(claim.value)
    if len(here) > len(claim.value) or (claim.op == "=" and len(here) != len(claim.value)):
        raise ValueError(
            f"claim {claim.id} is {claim.published!r}: {len(claim.value)} numbers "
            f"were expected, not {len(here)}"
        )
    slack = tolerance(claim, standard_error)
    slack += 1e-12 * max(abs(low), abs(high), slack)  # 0.975 - 0.97 is 0.0050000000000000044
    if claim.op == "=":
        return abs(min(here) - low) <= slack and abs(max(here) - high) <= slack
    above = claim.op in ("<", "<=") or min(here) >= low - slack
    below = claim.op in (">", ">=") or max(here) <= high + slack
    return above and below


def judge(claim: Claim, finding: Finding) -> str:
    """One of `VERDICTS`: what the finding says about the claim. See the module's docstring.

    Raises ValueError, naming the id, for what `table` refuses.
    """
    numbers, standard_error = _checked(claim, finding)
    stand_in_for, statistics = CALIBRATED.get(finding.data, ("", set()))
    if finding.here is None:
        verdict = "not comparable"
    elif isinstance(finding.here, Trend):
        verdict = "holds" if finding.here.holds else "differs"
    elif stand_in_for == claim.dataset and claim.setting.get("statistic") in statistics:
        verdict = "input"
    elif claim.needs == "private" or claim.dataset not in HELD:
        verdict = "not comparable"
    elif finding.data in HELD[claim.dataset] and agrees(claim, numbers, standard_error):
        verdict = "reproduced"
    else:
        verdict = "differs"
    return verdict


def _checked(claim: Claim, finding: Finding) -> tuple[tuple[float, ...], float]:
    """The finding's numbers and their standard error, or ValueError naming the id."""
    where, here, error = f"claim {finding.id}", finding.here, finding.standard_error
    if finding.id != claim.id:
        raise ValueError(f"{where}: judged against {claim.id}")
    if here is None:
        if not finding.reason.strip():
            raise ValueError(f"{where}: nothing here measures it; a reason is needed")
        return (), 0.0
    if isinstance(here, Trend) != (claim.kind == "trend"):
        wanted = "a Trend" if claim.kind == "trend" else "a number"
        raise ValueError(f"{where} is a {claim.kind}: {wanted} was expected, not {here!r}")
    numbers: tuple[Any, ...] = here if isinstance(here, tuple) else (here,)
    if isinstance(here, Trend):
        if error:
            raise ValueError(f"{where}: a Trend brings its standard error, {error} is one more")
        numbers, error = (here.here,), here.standard_error
    for number in numbers:
        if isinstance(number, (bool, np.bool_, str)) or not math.isfinite(number):
            raise ValueError(f"{where}: here is {number!r}; a finite number was expected")
    if not (math.isfinite(error) and error >= 0):
        raise ValueError(f"{where}: standard error is {error}; a finite number from 0 expected")
    names = {*datasets.available().index, "simulated", "analytic"}
    for name in finding.data.split(", "):
        if name not in names:
            near = get_close_matches(name, names, 1, 0)[0]
            raise ValueError(f"{where}: no data {name!r}; did you mean {near!r}?")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", finding.cell):
        raise ValueError(f"{where}: cell {finding.cell!r} is no label such as same-groups")
    return tuple(float(number) for number in numbers), float(error)


# -- tables ----------------------------------------------------------------------------------------


def table(findings: Iterable[Finding]) -> pd.DataFrame:
    """The findings, judged: index `id`, in the papers' order, and the columns of `COLUMNS` but
    `chapter`, which gathering adds. Numbers are text with 4 significant digits.

    Raises ValueError for an unknown id (with the nearest), a claim given twice, a number or error
    that is not finite, a number for a trend or the reverse, unknown data, a cell that is no label,
    and no finding at all. A difference without a reason is refused later, by `gather`: a run of an
    hour must not be lost for want of a sentence.
    """
    rows: dict[str, dict[str, str]] = {}
    for finding in findings:
        found = claim(finding.id)
        if finding.id in rows:
            raise ValueError(f"claim {finding.id} is given twice")
        verdict = judge(found, finding)
        numbers, error = _checked(found, finding)
        rows[finding.id] = {
            "published": found.published, "here": _shown(numbers),
            "standard_error": _shown([error]), "data": finding.data, "verdict": verdict,
            "reason": " ".join(finding.reason.split()), "cell": finding.cell,
        }  # fmt: skip
    if not rows:
        raise ValueError("no findings: at least one was expected")
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("id").loc[_ordered(rows)]


def _ordered(names: Iterable[str]) -> list[str]:
    wanted = set(names)
    return [name for paper in PAPERS for name in _claims(paper) if name in wanted]


def _shown(numbers: Sequence[float]) -> str:
    """4 significant digits; whole numbers from 10,000 in full; "none" for no number."""
    if not numbers:
        return "none"
    numbers = [number + 0.0 for number in numbers]  # no negative zero
    return "..".join(f"{x:.4g}" if abs(x) < 9_999.5 else f"{x:.0f}" for x in numbers)


def top(table: pd.DataFrame, ids: Sequence[str]) -> pd.DataFrame:
    """The most telling claims of a table, in the order given, as a chapter shows them.

    Index `id`, columns source, published (numbers with 4 digits), here, data, verdict. Raises
    ValueError for an id that the table lacks (with the nearest) or that is given twice.
    """
    for name in ids:
        if name not in table.index:
            near = get_close_matches(name, list(table.index), 1, 0)
            raise ValueError(f"claim {name!r} is not in the table; did you mean {near}?")
        if list(ids).count(name) > 1:
            raise ValueError(f"claim {name} is given twice")
    chosen = table.loc[list(ids), ["published", "here", "data", "verdict"]].copy()
    chosen["published"] = [_cut(text) for text in chosen["published"]]
    chosen.insert(0, "source", [claim(name).source for name in ids])
    return chosen


def _cut(text: str) -> str:
    try:
        number = float(text)
    except ValueError:
        return text  # a trend, a range or a bound
    return text if len(text.replace(".", "").lstrip("0")) <= 4 else _shown([number])


def read(file: Path) -> pd.DataFrame:
    """A kept or gathered table of claims, all text: index `id`. Raises ValueError if it is none."""
    frame = pd.read_csv(file, dtype=str, keep_default_na=False, encoding="utf-8")
    expected = set(COLUMNS) - ({"chapter"} if file.parent.name == "tables" else set())
    if set(frame.columns) != expected:
        raise ValueError(
            f"{file.name}: columns {', '.join(frame.columns)}; expected {', '.join(COLUMNS)}"
        )
    return frame.set_index("id")


# -- gathering -------------------------------------------------------------------------------------


def gather(book: Path = BOOK) -> dict[str, pd.DataFrame]:
    """All chapters' kept claims, a table for each paper that has some, in the papers' order.

    Raises ValueError if two chapters give the same claim, if what was published has changed since
    the chapter ran, if a verdict is unknown, if a difference has no reason, or if a chapter has no
    such label as its `cell` says.
    """
    rows: dict[str, dict[str, str]] = {}
    for file in sorted(book.glob("paper/[!.]*/tables/claims.csv")):  # hidden: of a run going on
        chapter = file.parents[1].name
        for name, row in _kept(file, book.parent / "notebooks" / f"{chapter}.py"):
            if name in rows:
                raise ValueError(f"claim {name} is given by {rows[name]['chapter']} and {chapter}")
            rows[name] = row | {"id": name, "chapter": chapter}
    gathered = {}
    for paper in PAPERS:
        own = [rows[name] for name in _claims(paper) if name in rows]
        if own:
            gathered[paper] = pd.DataFrame(own)[list(COLUMNS)].set_index("id")
    return gathered


def _kept(file: Path, source: Path) -> Iterator[tuple[str, dict[str, str]]]:
    labels = set(re.findall(r"(?m)^(?:# )?\(([^()\s]+)\)=\s*$", source.read_text(encoding="utf-8")))
    for name, row in read(file).iterrows():
        where = f"{source.stem}, claim {name}"
        if row["published"] != claim(str(name)).published:
            raise ValueError(
                f"{where}: {row['published']!r} was published when it ran, now it is "
                f"{claim(str(name)).published!r}; run the chapter again"
            )
        if row["verdict"] not in VERDICTS:
            raise ValueError(f"{where}: no verdict {row['verdict']!r}")
        if row["verdict"] == "differs" and not row["reason"]:
            raise ValueError(
                f"{where} differs: published {row['published']!r}, here {row['here']} +- "
                f"{row['standard_error']} on {row['data']}; a reason is needed"
            )
        if row["cell"] not in labels:
            raise ValueError(f"{where}: the chapter has no label ({row['cell']})=")
        yield str(name), {str(column): value for column, value in row.items()}


def write(book: Path = BOOK) -> list[Path]:
    """Gathers, writes `claims/<paper>.csv` and `claims-<paper>.md` in the book; returns the files.

    What `gather` refuses is refused before anything is written.
    """
    written = []
    for paper, found in gather(book).items():
        csv = book / "claims" / f"{paper}.csv"
        csv.parent.mkdir(exist_ok=True)
        csv.write_text(found.to_csv(lineterminator="\n"), encoding="utf-8", newline="\n")
        markdown = book / f"claims-{paper}.md"
        markdown.write_text(page(paper, found), encoding="utf-8", newline="\n")
        written += [csv, markdown]
    return written


def missing(paper: str, book: Path = BOOK) -> list[str]:
    """Ids of a paper's claims that no chapter has given yet, from the kept tables."""
    names = _claims(_known(paper))
    found = gather(book).get(paper)
    return [name for name in names if found is None or name not in found.index]


# -- the appendix ----------------------------------------------------------------------------------

_INTRODUCTION = """\
One line for each claim, its id first: what the paper says, what came out here and on which data,
with its standard error, and a link to the place that computed it.

- *reproduced*: a number on the paper's own data, within three standard errors and half of the last
  digit printed.
- *holds*: a trend that is true at 95%, on the data named.
- *differs*: neither; the line says why, or what was tried.
- *input*: a fact that a stand-in was made from, so that agreement proves nothing.
- *not comparable*: a number on data that nobody here holds; ours, on other data, stands beside it.
"""


def page(paper: str, found: pd.DataFrame) -> str:
    """The appendix page of a paper (MyST): counts by verdict, then one line for each claim.

    found  as `gather` gives it; claims that it lacks are listed as having no result yet

    Raises ValueError for an unknown paper.
    """
    names = _claims(_known(paper))
    lines = [_line(each, found) for each in names.values()]
    counts = found["verdict"].value_counts().to_dict() | {"no result yet": len(names) - len(found)}
    shown = [f"| {verdict} | {counts[verdict]} |" for verdict in (*VERDICTS, "no result yet")
             if counts.get(verdict)]  # fmt: skip
    return "\n".join(
        [
            f"(claims-{paper})=", f"# Claims of {plain(title(paper))}", "", _INTRODUCTION,
            "| verdict | claims |", "|---|---|", *shown, f"| all | {len(names)} |", "", *lines, "",
        ]
    )  # fmt: skip


@cache
def title(paper: str) -> str:
    file = BOOK / "claims" / "published" / f"{paper}.yml"
    title: str = yaml.load(file.read_text(encoding="utf-8"), _VALUES)["paper"]["title"]
    return title


def _line(claim: Claim, found: pd.DataFrame) -> str:
    said = claim.claim if claim.kind == "trend" else f"{claim.quantity} {claim.published}"
    line = f"- `{claim.id}` ({plain(claim.source)}): {plain(said).rstrip('.')}"
    if claim.id not in found.index:
        return f"{line}. **No result yet.**"
    row = found.loc[claim.id]
    here = with_error(str(row["here"]), str(row["standard_error"]))
    line += f". **{str(row['verdict']).capitalize()}**"
    line += f": {here} on {row['data']}" if row["here"] != "none" else ""
    reason = f" {plain(row['reason']).rstrip('.')}." if row["reason"] else ""
    return f"{line}.{reason} {{ref}}`{row['chapter']} <{row['cell']}>`"


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

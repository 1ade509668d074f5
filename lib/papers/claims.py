"""Published numbers against reproduced ones.

`book/claims/published/<paper>.yml` holds what the papers claim. A `Finding` is the corresponding
result; `lib.papers.verdicts` collects all of them from stored results, and `table` judges them.

Nobody types a verdict. A number is compared here; a trend is what `greater`, `increasing` and the
like return. There are five verdicts.

reproduced
    A number on the paper's own data, within `tolerance`.
holds
    A trend, or a bound on data that nobody holds, which is true at the 95% level on the data named.
    Its grade is `margin` if it rests on a margin of ours, otherwise `strong`.
differs
    Neither of these. The explanation, or what was tried, is required.
input
    A fact that calibrates a surrogate, was fitted, or is set; agreement proves nothing.
not comparable
    A number on data that nobody here holds; our number, on other data, stands beside it.

`Finding.why` is only for results that differ, `note` for any.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml
from scipy import special, stats

from lib import datasets
from lib.papers.summaries import mean_and_error

BOOK = Path(__file__).parents[2] / "book"
PAPERS = ("kk", "zk", "crowd", "fano", "threshold")
VERDICTS = ("reproduced", "holds", "differs", "input", "not comparable")
OPERATORS = ("=", "~", ">", ">=", "<", "<=")
COLUMNS = (
    "id",
    "published",
    "here",
    "standard_error",
    "data",
    "verdict",
    "reason",
    "chapter",
    "cell",
    "grade",
    "named_verdict",
)
GRADES = ("strong", "margin")
CONFIDENCE = 0.95
_TEXT = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_VALUES = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
STANDARD_ERRORS = 3  # that a reproduced number may be away
FEW = 30  # runs, from which on an error is known well

# A paper's dataset that is held, by the names of `data` that are it.
_MADE = {"simulated", "analytic"}
HELD = {"sfc": {"cabspotting"}, "simulated": _MADE, "analytic": _MADE}
# Papers whose prose gives two decimals and never prints a last 0: "0.09, 0.1 and 0.2".
_DROPS_ZEROS = ("kk-", "crowd-")
# What says that a published statement was not found. No verdict but "differs" goes with it.
DENIALS = re.compile(
    r"not as said|no convention|unexplained|not explained|not so here|does not hold|differs"
    r"|contradict|refut|no (?:rise|fall|difference) at|\btried\b|not for every",
    re.IGNORECASE,
)
# A surrogate: the dataset that it stands for, and the published statistics that it was made from.
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

    Parameters
    ----------
    id, source, dataset, quantity, op, kind, needs, setting, note : object
        The entry in the file of published claims.
    value : tuple of float
        The number; two for a range; empty for a trend.
    digits : int
        Decimals of the last printed digit (0.90: 2; 168: 0), read from the text of the file. A
        rounded whole number (`~`) ends at its last nonzero digit (about 11,000,000: -6). In the
        prose of the first two papers, which drop a final 0, 0.9 ends at hundredths; so does an
        exact value in words ("no loss"), for which the file gives `digits`.
    stderr : float
        The published standard error, 0 if there is none.
    claim : str
        A trend in words.
    published : str
        The value as text: 0.90, > 2000000, 0.64..0.76, or the trend in words.
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
    return _table(_known(paper)).copy()


@cache
def _table(paper: str) -> pd.DataFrame:
    return pd.DataFrame([asdict(each) for each in _claims(paper).values()]).set_index("id")


def _known(paper: str) -> str:
    if paper not in PAPERS:
        raise ValueError(f"no paper {paper!r}; there are: {', '.join(PAPERS)}")
    return paper


@cache
def _claims(paper: str) -> dict[str, Claim]:
    return _parsed((BOOK / "claims" / "published" / f"{paper}.yml").read_text(encoding="utf-8"))


def _parsed(text: str) -> dict[str, Claim]:
    """Claims of one file. Raises ValueError for an id given twice, or what cannot be understood."""
    of_text, of_values = yaml.load(text, _TEXT), yaml.load(text, _VALUES)
    if not isinstance(of_values, dict) or not isinstance(of_values.get("claims"), list):
        raise ValueError("a file of claims has two keys, paper: and claims:, the latter a list")
    as_text, as_values = of_text["claims"], of_values["claims"]  # as text, 0.90 stays 0.90
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
        id=name,
        source=entry["source"],
        dataset=entry["dataset"],
        quantity=entry["quantity"],
        op=op,
        value=tuple(float(each) for each in texts),
        digits=entry.get("digits", max((_ends(each, entry) for each in texts), default=0)),
        kind=kind,
        needs=entry["needs"],
        setting=entry["setting"] or {},
        stderr=float(entry.get("stderr", 0)),
        claim=entry.get("claim", ""),
        note=entry.get("note", ""),
        published=sign + "..".join(texts) if texts else entry["claim"],
    )


def _ends(text: str, entry: dict[str, Any]) -> int:
    """Decimals of a number's last digit."""
    number, op = Decimal(text), entry["op"]
    if op == "~" and number and number == number.to_integral_value() and "." not in text:
        number = number.normalize()
    digits = -int(number.as_tuple().exponent)
    prose = entry["id"].startswith(_DROPS_ZEROS) and not entry["source"].startswith("Table")
    return 2 if prose and digits == 1 and op == "=" and abs(number) <= 1 else digits


# -- predicates of trends --------------------------------------------------------------------------


class Estimate(NamedTuple):
    """A number, its standard error (0: nothing was sampled) and the error's degrees of freedom."""

    value: float
    error: float = 0.0
    freedom: float = math.inf


class Trend(NamedTuple):
    """What a predicate found: whether it holds at 95%, and the number that decided it.

    margin  whether a margin of ours decided it with ("close", "much", "high")
    """

    holds: bool
    here: float
    standard_error: float
    margin: bool = False


def estimate(values: Sequence[float] | np.ndarray | pd.Series) -> Estimate:
    """The mean over independent units; NaN are left out. ValueError with fewer than two values."""
    kept = np.asarray(values, float)
    kept = kept[~np.isnan(kept)]
    return Estimate(*mean_and_error(kept), len(kept) - 1)


def greater(a: Estimate | float, b: Estimate | float = 0.0) -> Trend:
    """Whether a > b, one-sided at 95%; `here` is a - b.

    The standard errors are taken as independent, with Student's quantile and Welch's degrees of
    freedom. Where a and b come from the same targets, give the `estimate` of their differences as
    `a`. Errors of 0 are exact. Raises ValueError if a number is not finite, an error is negative,
    or there is no degree of freedom.
    """
    found = difference(a, b)
    bound = _quantile(CONFIDENCE, found.freedom) * found.error
    return Trend(found.value > bound, float(found.value), found.error)


def beyond(a: Estimate | float, limit: float) -> Trend:
    """Whether a is above a limit that is ours; as `greater`."""
    return ours(greater(a, limit))


def below(a: Estimate | float, limit: float) -> Trend:
    """Whether a is below a limit that is ours; `here` is limit - a."""
    return ours(greater(limit, a))


def ours(trend: Trend) -> Trend:
    """The trend, said to rest on a margin of ours."""
    return trend._replace(margin=True)


def close(a: Estimate | float, b: Estimate | float, within: float) -> Trend:
    """Whether a and b are less than `within` apart at 95% (two one-sided tests); `here` is a - b.

    Not finding a difference is no evidence of closeness; this is. `within` is in the unit of a and
    must be said beforehand. Errors and refusals as in `greater`, and for a `within` not above 0.
    """
    if not (math.isfinite(within) and within > 0):
        raise ValueError(f"within is {within}; a positive number was expected")
    found = difference(a, b)
    most = abs(found.value) + _quantile(CONFIDENCE, found.freedom) * found.error
    return Trend(most < within, found.value, found.error, margin=True)


def increasing(values: Sequence[Estimate | float] | pd.DataFrame) -> Trend:
    """Whether values grow: the last above the first at 95%, and no pair the other way at 95%.

    values  at least 2 in the order of what they grow with, with independent errors; or a table with
            a row for each unit and a column for each value, whose differences are paired

    The pairs share the 5% (Bonferroni). Flat stretches are no objection. `here` is last - first.
    Raises ValueError for fewer than two values, and as `greater` does.
    """
    count = values.shape[1] if isinstance(values, pd.DataFrame) else len(values)
    if count < 2:
        raise ValueError(f"{count} values make no trend; at least 2 were expected")
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    level = 1 - (1 - CONFIDENCE) / len(pairs)
    rises = {pair: _difference(values, *pair) for pair in pairs}
    falls = any(
        -rise.value > _quantile(level, rise.freedom) * rise.error for rise in rises.values()
    )
    ends = greater(rises[0, count - 1])
    return ends._replace(holds=ends.holds and not falls)


def decreasing(values: Sequence[Estimate | float] | pd.DataFrame) -> Trend:
    """Whether values fall: `increasing` upside down; `here` is last - first."""
    if isinstance(values, pd.DataFrame):
        rise = increasing(-values)
    else:
        rise = increasing([_number(each)._replace(value=-_number(each).value) for each in values])
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
    margin = any(trend.margin for trend in trends)
    failed = [trend for trend in trends if not trend.holds]
    if failed:
        return failed[0]._replace(margin=margin)
    weakest = min(trends, key=_strength)
    return weakest._replace(margin=margin)


def any_positive(*numbers: Estimate) -> Trend:
    """Whether any of several is above 0, at 95% for all (Bonferroni); `here` is the surest."""
    if not numbers:
        raise ValueError("no numbers: at least one was expected")
    level = 1 - (1 - CONFIDENCE) / len(numbers)
    found = [
        Trend(n.value > _quantile(level, n.freedom) * n.error, n.value, n.error)
        for n in map(_number, numbers)
    ]
    return max(found, key=lambda trend: (trend.holds, trend.here))


def _strength(trend: Trend) -> float:
    return abs(trend.here) / trend.standard_error if trend.standard_error else math.inf


def difference(a: Estimate | float, b: Estimate | float) -> Estimate:
    """a - b of independent numbers."""
    one, other = _number(a), _number(b)
    error = math.hypot(one.error, other.error)
    return Estimate(one.value - other.value, error, _freedom(one, other))


def _difference(values: Sequence[Estimate | float] | pd.DataFrame, i: int, j: int) -> Estimate:
    """Value j less value i."""
    if isinstance(values, pd.DataFrame):
        return _number(estimate(values.iloc[:, j] - values.iloc[:, i]))
    return difference(values[j], values[i])


def _number(number: Estimate | float) -> Estimate:
    """A number as an `Estimate`, or ValueError."""
    found = number if isinstance(number, Estimate) else Estimate(float(number))
    if not math.isfinite(found.value):
        raise ValueError(f"a value is {found.value}; a finite number was expected")
    if not (math.isfinite(found.error) and found.error >= 0):
        raise ValueError(f"a standard error is {found.error}; a finite number from 0 was expected")
    if not found.freedom >= 1:
        raise ValueError(f"degrees of freedom are {found.freedom}; at least 1 was expected")
    return found


def _freedom(a: Estimate, b: Estimate) -> float:
    """Degrees of freedom of a difference (Welch and Satterthwaite)."""
    parts = [each.error**4 / each.freedom for each in (a, b)]
    total = (a.error**2 + b.error**2) ** 2
    return total / sum(parts) if sum(parts) > 0 else math.inf


def _quantile(level: float, freedom: float = math.inf) -> float:
    return float(special.ndtri(level) if math.isinf(freedom) else special.stdtrit(freedom, level))


# -- reasons ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Why:
    """Why a result differs, and the experiments whose kept rows show it."""

    text: str
    rows: tuple[str, ...]


_ROWS = re.compile(r"\(rows: ([a-z0-9, -]+)\)")


def because(text: str, *experiments: str) -> Why:
    """An explanation that was tested, with the experiments whose kept rows it was tested on."""
    if not experiments:
        raise ValueError(f"{text!r}: an explanation names the experiment whose rows show it")
    return Why(f"{text} (rows: {', '.join(experiments)})", experiments)


def unexplained(*tried: tuple[str, str]) -> Why:
    """No explanation; `tried` is what was tried and the experiment whose kept rows show it."""
    said = "; ".join(f"{text} (rows: {experiment})" for text, experiment in tried)
    return Why(
        f"unexplained; {f'tried: {said}' if tried else 'nothing tried'}",
        tuple(experiment for _, experiment in tried),
    )


def on_each(parts: Mapping[str, Trend], *experiments: str) -> tuple[Trend, Why]:
    """Whether a trend holds on each of several data (or settings); and, if not, where it does."""
    so = [name for name, trend in parts.items() if trend.holds]
    rest = [name for name in parts if name not in so]
    text = f"so on {', '.join(so)}, not on {', '.join(rest)}"
    return every(*parts.values()), because(text, *experiments) if so else unexplained()


def named(reason: str) -> list[str]:
    """The experiments that a reason names."""
    return [experiment for group in _ROWS.findall(reason) for experiment in group.split(", ")]


def check_reason(name: str, verdict: str, reason: str, grade: str = "") -> None:
    """Raises ValueError, naming the claim, where a reason or a grade contradicts the verdict.

    Only what differs is denied, explained or was tried; only what holds has a grade.
    """
    denied = DENIALS.search(reason) or _ROWS.search(reason)
    if verdict != "differs" and denied:
        raise ValueError(f"claim {name}: {verdict}, but its reason says {denied.group()!r}")
    if grade and verdict != "holds":
        raise ValueError(f"claim {name}: {verdict}, but its grade is {grade!r}")


# -- verdicts --------------------------------------------------------------------------------------


Number = float | Estimate


@dataclass(frozen=True)
class Finding:
    """The result for one claim.

    Parameters
    ----------
    id : str
        The claim.
    here : float, Estimate, tuple of these, Trend or None
        The number or estimate; two for a range; several if each has to keep a bound; a `Trend` for
        a trend; None if nothing here measures it (the note says why).
    data : str
        Names of `lib.datasets.available()`, "simulated" or "analytic", separated by commas.
    cell : str
        The label `(like-this)=` before the cell that shows it.
    why : Why, optional
        The reason if it differs: `because` or `unexplained`.
    note : str
        A remark for any verdict: how words were read, on which data.
    given : str
        How the number was fitted or set; it is then `input`.
    named : Finding, optional
        The same claim under the named interpretation of its paper.
    """

    id: str
    here: Number | tuple[Number, ...] | Trend | None
    data: str
    cell: str
    why: Why | None = None
    note: str = ""
    given: str = ""
    named: Finding | None = None


def tolerance(claim: Claim, error: float, freedom: float = math.inf) -> float:
    """How far a reproduced number may be away: 3 standard errors and half of the last digit.

    Both standard errors, the published one and ours, in quadrature. Fewer than `FEW` runs know
    their error badly: Student's quantile of the same level stands for the 3.
    """
    level = float(stats.norm.cdf(STANDARD_ERRORS))
    many = _quantile(level, freedom) if freedom < FEW - 1 else STANDARD_ERRORS
    return many * math.hypot(error, claim.stderr) + 0.5 * 10.0**-claim.digits


def agrees(
    claim: Claim, here: Sequence[float], error: float = 0.0, freedom: float = math.inf
) -> bool:
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
    slack = tolerance(claim, error, freedom)
    slack += 1e-12 * max(abs(low), abs(high), slack)  # 0.975 - 0.97 is 0.0050000000000000044
    if claim.op == "=":
        return abs(min(here) - low) <= slack and abs(max(here) - high) <= slack
    above = claim.op in ("<", "<=") or min(here) >= low - slack
    below = claim.op in (">", ">=") or max(here) <= high + slack
    return above and below


def keeps(claim: Claim, here: Estimate) -> bool:
    """Whether a number keeps a one-sided bound, at 95%: what other data can say of it."""
    side = 1 if ">" in claim.op else -1
    away = side * (here.value - claim.value[0])
    needed = _quantile(CONFIDENCE, here.freedom) * here.error
    return away > needed or (away == needed == 0 and "=" in claim.op)


def judge(claim: Claim, finding: Finding) -> str:
    """One of `VERDICTS`: what the finding says about the claim. See the module's docstring.

    Raises ValueError, naming the id, for what `table` refuses.
    """
    numbers = _checked(claim, finding)
    surrogate_for, statistics = CALIBRATED.get(finding.data, ("", set()))
    calibrated = surrogate_for == claim.dataset and claim.setting.get("statistic") in statistics
    if finding.here is None:
        return "not comparable"
    if finding.given or (calibrated and claim.kind == "number"):
        return "input"
    if isinstance(finding.here, Trend):
        return "holds" if finding.here.holds else "differs"
    if _is_held(claim):
        error, freedom = _largest(numbers)
        same = finding.data in HELD.get(claim.dataset, _MADE)
        values = [number.value for number in numbers]
        return "reproduced" if same and agrees(claim, values, error, freedom) else "differs"
    if claim.op in ("=", "~"):
        return "not comparable"
    return "holds" if all(keeps(claim, number) for number in numbers) else "differs"


def _is_held(claim: Claim) -> bool:
    """Whether the data of a claim are at hand: the informed attacker sees nothing but noise."""
    informed = claim.setting.get("attacker") == "informed"
    return claim.needs == "open" and (claim.dataset in HELD or informed)


def _largest(numbers: Sequence[Estimate]) -> tuple[float, float]:
    """The largest error of several numbers, and the fewest degrees of freedom."""
    return max(each.error for each in numbers), min(each.freedom for each in numbers)


def _checked(claim: Claim, finding: Finding) -> tuple[Estimate, ...]:
    """The finding's numbers, or ValueError naming the id."""
    where, here = f"claim {finding.id}", finding.here
    if finding.id != claim.id:
        raise ValueError(f"{where}: judged against {claim.id}")
    if here is None:
        if not finding.note.strip():
            raise ValueError(f"{where}: nothing here measures it; a note is needed")
        return ()
    if isinstance(here, Trend) != (claim.kind == "trend"):
        wanted = "a Trend" if claim.kind == "trend" else "a number"
        raise ValueError(f"{where} is a {claim.kind}: {wanted} was expected, not {here!r}")
    if isinstance(here, Trend):
        numbers: tuple[Any, ...] = (Estimate(here.here, here.standard_error),)
    else:
        several = isinstance(here, tuple) and not isinstance(here, Estimate)
        numbers = here if several else (here,)  # type: ignore[assignment]
    found = []
    for number in numbers:
        value = number.value if isinstance(number, Estimate) else number
        if isinstance(value, (bool, np.bool_, str)) or not math.isfinite(value):
            raise ValueError(f"{where}: here is {value!r}; a finite number was expected")
        try:
            found.append(_number(number if isinstance(number, Estimate) else float(number)))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    _check_place(where, finding)
    return tuple(found)


@cache
def _places() -> frozenset[str]:
    return frozenset({*datasets.available().index, "simulated", "analytic"})


def _check_place(where: str, finding: Finding) -> None:
    for name in finding.data.split(", "):
        if name not in _places():
            near = get_close_matches(name, _places(), 1, 0)[0]
            raise ValueError(f"{where}: no data {name!r}; did you mean {near!r}?")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", finding.cell):
        raise ValueError(f"{where}: cell {finding.cell!r} is no label such as same-groups")


# -- tables ----------------------------------------------------------------------------------------


def table(findings: Iterable[Finding]) -> pd.DataFrame:
    """The findings, judged: index `id`, in the papers' order, and the columns of `COLUMNS` but
    `chapter`, which `lib.papers.verdicts.gather` adds. Numbers are text with 4 significant digits.

    Raises ValueError for an unknown id (with the nearest), a claim given twice, a number or error
    that is not finite, a number for a trend or the reverse, unknown data, a cell that is no label,
    a difference without a reason, a reason that contradicts its verdict, and no finding at all.
    """
    rows: dict[str, dict[str, str]] = {}
    for finding in findings:
        if finding.id in rows:
            raise ValueError(f"claim {finding.id} is given twice")
        rows[finding.id] = _row(claim(finding.id), finding)
    if not rows:
        raise ValueError("no findings: at least one was expected")
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("id").loc[_ordered(rows)]


def _row(claim: Claim, finding: Finding) -> dict[str, str]:
    verdict, numbers = judge(claim, finding), _checked(claim, finding)
    worst = _decisive(claim, numbers)
    here, error = _shown([each.value for each in worst]), _largest(worst or [Estimate(0.0)])[0]
    if finding.why is None and verdict == "differs":
        raise ValueError(
            f"claim {claim.id} differs: published {claim.published!r}, here "
            f"{here} +- {_shown([error])} on {finding.data}; a reason is needed"
        )
    said = finding.why.text if finding.why else ""
    why = f"{_how(claim, finding, numbers)}{said}" if verdict == "differs" else ""
    reason = "; ".join(
        " ".join(text.split()) for text in (finding.given, finding.note, why) if text
    )
    grade = ""
    if verdict == "holds":
        grade = GRADES[isinstance(finding.here, Trend) and finding.here.margin]
    check_reason(claim.id, verdict, reason, grade)
    other = judge(claim, finding.named) if finding.named else verdict
    return {
        "published": claim.published,
        "here": here,
        "standard_error": _shown([error]),
        "data": finding.data,
        "verdict": verdict,
        "reason": reason,
        "cell": finding.cell,
        "grade": grade,
        "named_verdict": other if other != verdict else "",
    }


def _how(claim: Claim, finding: Finding, numbers: Sequence[Estimate]) -> str:
    """Whether a bound that other data do not surely keep is broken, and how surely."""
    if isinstance(finding.here, Trend) or claim.op in ("=", "~") or _is_held(claim):
        return ""
    other = {">": "<", ">=": "<", "<": ">", "<=": ">"}[claim.op]
    if any(keeps(replace(claim, op=other), number) for number in numbers):
        return "broken at 95%; "
    means = [Estimate(number.value) for number in numbers]
    kept = all(keeps(claim, mean) for mean in means)
    return "kept by the mean, not surely at 95%; " if kept else "broken, not surely at 95%; "


def _decisive(claim: Claim, numbers: Sequence[Estimate]) -> Sequence[Estimate]:
    """The numbers that are shown: of several that keep a bound, the one nearest to breaking it."""
    if len(numbers) <= max(1, len(claim.value)):
        return numbers
    if claim.op not in (">", ">=", "<", "<="):
        raise ValueError(
            f"claim {claim.id} is {claim.published!r}: {len(claim.value)} numbers "
            f"were expected, not {len(numbers)}"
        )
    side = 1 if ">" in claim.op else -1
    return [min(numbers, key=lambda each: side * each.value)]


def _ordered(names: Iterable[str]) -> list[str]:
    wanted = set(names)
    papers = {name.partition("-")[0] for name in wanted}
    known = (name for paper in PAPERS if paper in papers for name in _claims(paper))
    return [name for name in known if name in wanted]


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
    """A gathered table of claims, all text: index `id`. Raises ValueError if it is none."""
    frame = pd.read_csv(file, dtype=str, keep_default_na=False, encoding="utf-8")
    if list(frame.columns) != list(COLUMNS):
        raise ValueError(
            f"{file.name}: columns {', '.join(frame.columns)}; expected {', '.join(COLUMNS)}"
        )
    return frame.set_index("id")


@cache
def title(paper: str) -> str:
    """The title of a paper, by its short name."""
    file = BOOK / "claims" / "published" / f"{paper}.yml"
    found: str = yaml.load(file.read_text(encoding="utf-8"), _VALUES)["paper"]["title"]
    return found

"""Published numbers and statements against reproduced ones: the rule, and the verdicts.

`book/claims/published/<paper>.yml` holds what the papers claim. A `Finding` is the corresponding
result; `lib.papers.verdicts` collects all of them from stored results, and `table` judges them.
Nobody types a verdict. There are six:

reproduced
    A number, within half a unit in its last printed digit plus the 95% interval of the difference,
    on the paper's own data, where that interval is at most `UNITS` units of the last digit on
    either side.
supported
    A statement or a bound that holds at the one-sided 95% level, on the paper's own data.
contradicted
    The interval excludes what the paper says, on the paper's own data: by the same levels.
undecided
    The interval allows both, or is too wide for the printed digits to mean anything. The reason
    says how many runs would decide.
input
    A fact that calibrates a surrogate, was set, or was fitted, and what depends on such a fit.
not tested
    A reason from `UNTESTED`. If other data stand in for those of the paper, `substitute` says
    whether they are "consistent" or "inconsistent" with the claim, or leave it "undecided".

A number has a sampling error in the paper, too. Where none is printed we take it to be ours, as
if the paper had sampled as many targets or releases as we do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml

from lib import datasets
from lib.papers import predicates
from lib.papers.predicates import CONFIDENCE, Estimate, Trend

BOOK = Path(__file__).parents[2] / "book"
PAPERS = ("kk", "zk", "crowd", "fano", "threshold")
VERDICTS = ("reproduced", "supported", "contradicted", "undecided", "input", "not tested")
SUBSTITUTE = ("consistent", "inconsistent", "undecided")
CLOSED = "data closed"
PUBLIC = "data public, not at hand"
CUT = "only a cut of the data at hand"
UNDEFINED = "statistic undefined on these data"
UNMEASURED = "not measured here"
UNTESTED = (CLOSED, PUBLIC, CUT, UNDEFINED, UNMEASURED)
OPERATORS = ("=", "~", ">", ">=", "<", "<=")
COLUMNS = (
    "id",
    "published",
    "here",
    "standard_error",
    "freedom",
    "data",
    "verdict",
    "reason",
    "substitute",
    "elsewhere",
    "note",
    "chapter",
    "cell",
    "grade",
    "named_verdict",
    "within_paper",
)
GRADES = ("strong", "margin")
_AGREES = ("reproduced", "supported", "consistent")
UNITS = 2  # of the last printed digit: the widest half interval of a number that is reproduced
_TEXT = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_VALUES = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_MADE = {"simulated", "analytic"}
# Why a claim about a dataset is not tested on the paper's own data.
ABSENT = {"tfl": CLOSED, "cdr": CLOSED, "milan": PUBLIC, "gowalla": CUT, "foursquare": CUT}
# Papers whose prose gives two decimals and never prints a last 0: "0.09, 0.1 and 0.2".
_DROPS_ZEROS = ("kk-", "crowd-")
# What says that a published statement was not found. It goes with a contradiction only.
DENIALS = re.compile(
    r"not as said|no convention|unexplained|explained by|not explained|not so here|does not hold"
    r"|differs|contradict|refut|no (?:rise|fall|difference) at|\btried\b|not for every",
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
    id, source, dataset, quantity, op : str
        The entry in the file of published claims.
    value : tuple of float
        The number; two for a range; empty for a trend.
    digits : int
        Decimals of the last printed digit (0.90: 2; 168: 0), read from the text of the file. A
        rounded whole number (`~`) ends at its last nonzero digit (about 11,000,000: -6). In the
        prose of the first two papers, which drop a final 0, 0.9 ends at hundredths; so does an
        exact value in words ("no loss"), for which the file gives `digits`.
    kind, needs : str
        The entry in the file.
    setting : dict
        The entry in the file.
    stderr : float
        The published standard error, 0 if there is none.
    within : float
        For a number in words ("similar to the baseline"): how far away is still that; else 0.
    claim : str
        A trend in words.
    note : str
        The entry in the file.
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
    within: float
    claim: str
    note: str
    published: str  # as text: 0.90, > 2000000, 0.64..0.76, or the trend in words


def claim(name: str) -> Claim:
    """Look up a published claim.

    Parameters
    ----------
    name : str
        Its id.

    Returns
    -------
    Claim
        The claim.

    Raises
    ------
    ValueError
        If there is no such claim; the message names the nearest id.
    """
    paper = name.partition("-")[0] if isinstance(name, str) else ""
    if paper in PAPERS and name in _claims(paper):
        return _claims(paper)[name]
    known = [each for p in ([paper] if paper in PAPERS else PAPERS) for each in _claims(p)]
    near = get_close_matches(str(name), known, 1, 0)[0]
    raise ValueError(f"no claim {name!r}; did you mean {near!r}?")


def published(paper: str) -> pd.DataFrame:
    """Tabulate all claims of a paper, in the order of its file.

    Parameters
    ----------
    paper : str
        One of `PAPERS`.

    Returns
    -------
    pandas.DataFrame
        Index `id`; columns: the other fields of `Claim`.

    Raises
    ------
    ValueError
        If the paper is unknown.
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
        within=float(entry.get("within", 0)),
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


# -- reasons ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Why:
    """Why a result contradicts a claim, and the experiments whose stored rows show it.

    Parameters
    ----------
    text : str
        The reason in words.
    rows : tuple of str
        Names of the experiments.
    """

    text: str
    rows: tuple[str, ...] = ()


UNEXPLAINED = "unexplained"
_ROWS = re.compile(r"\(rows: ([a-z0-9, -]+)\)")


def because(text: str, *experiments: str) -> Why:
    """State an explanation that was tested.

    Parameters
    ----------
    text : str
        The explanation.
    *experiments : str
        Experiments whose stored rows show it.

    Returns
    -------
    Why
        The explanation with its experiments.

    Raises
    ------
    ValueError
        If no experiment is named.
    """
    if not experiments:
        raise ValueError(f"{text!r}: an explanation names the experiment whose rows show it")
    return Why(f"{text} (rows: {', '.join(experiments)})", experiments)


def unexplained(*tried: tuple[str, str], nothing: str = "") -> Why:
    """State that there is no explanation.

    Parameters
    ----------
    *tried : (str, str)
        What was tried, and the experiment whose stored rows show it.
    nothing : str
        If nothing was tried: why nothing could be.

    Returns
    -------
    Why
        Without a text if neither is given: only what is not contradicted needs none.
    """
    said = "; ".join(f"{text} (rows: {experiment})" for text, experiment in tried)
    if said:
        return Why(f"{UNEXPLAINED}; tried: {said}", tuple(experiment for _, experiment in tried))
    return Why(f"{UNEXPLAINED}; nothing tried: {nothing}" if nothing else "")


def named(reason: str) -> list[str]:
    """List the experiments that a reason names.

    Parameters
    ----------
    reason : str
        A note of a judged claim.

    Returns
    -------
    list of str
        Names of experiments.
    """
    return [experiment for group in _ROWS.findall(reason) for experiment in group.split(", ")]


def check_row(name: str, row: Mapping[str, str]) -> None:
    """Check that the columns of a judged claim agree with its verdict.

    Parameters
    ----------
    name : str
        The claim.
    row : mapping of str to str
        `verdict`, `reason`, `substitute`, `note` and `grade`.

    Raises
    ------
    ValueError
        If a word is in no closed list; if a claim that is not contradicted is denied, explained or
        was tried; or if something else than support has a grade.
    """
    verdict, note = row["verdict"], row["note"]
    denied = DENIALS.search(note) or _ROWS.search(note)
    against = "contradicted" in verdict or row["substitute"] == "inconsistent"
    if denied and not against:
        raise ValueError(f"claim {name}: {verdict}, but its note says {denied.group()!r}")
    if verdict not in VERDICTS:
        raise ValueError(f"claim {name}: verdict {verdict!r} is none of {', '.join(VERDICTS)}")
    if (verdict == "not tested") != (row["reason"] in UNTESTED):
        raise ValueError(f"claim {name}: {verdict}, but its reason is {row['reason']!r}")
    if row["substitute"] and (verdict != "not tested" or row["substitute"] not in SUBSTITUTE):
        raise ValueError(f"claim {name}: {verdict}, with substitute {row['substitute']!r}")
    if row["grade"] and verdict != "supported" and row["substitute"] != "consistent":
        raise ValueError(f"claim {name}: {verdict}, but its grade is {row['grade']!r}")


# -- the rule --------------------------------------------------------------------------------------


Number = float | Estimate
Here = Number | tuple[Number, ...] | Trend


@dataclass(frozen=True)
class Finding:
    """The result for one claim.

    Parameters
    ----------
    id : str
        The claim.
    here : float, Estimate, tuple of these, Trend or None
        The number or estimate; two for a range; several if each has to keep a bound; a `Trend` for
        a statement; None if nothing here measures it (the note says why).
    data : str
        Names of `lib.datasets.available()`, "simulated" or "analytic", separated by commas: the
        paper's own data, or those that stand in for them.
    cell : str
        The label `(like-this)=` before the cell that shows it.
    why : Why, optional
        The reason if it is contradicted: `because` or `unexplained`.
    note : str
        A remark for any verdict: how words were read.
    given : str
        How the number was fitted or set; it is then `input`.
    named : Finding, optional
        The same claim under the named interpretation of its paper.
    elsewhere : mapping of str to Trend or number
        What further data say, beyond what the paper claims, by their names.
    unprinted : tuple of float
        The same number for other values of a setting that the paper does not print. A number whose
        verdict depends on this setting is undecided: ours agrees and another value does not, or
        ours does not agree and the range of all of them reaches what is printed.
    """

    id: str
    here: Here | None
    data: str
    cell: str
    why: Why | None = None
    note: str = ""
    given: str = ""
    named: Finding | None = None
    elsewhere: Mapping[str, Here] = field(default_factory=dict)
    unprinted: tuple[float, ...] = ()


def beside(parts: Mapping[str, Here]) -> dict[str, Any]:
    """Divide results by data: the first decides, the others stand beside.

    Parameters
    ----------
    parts : mapping of str to Trend or number
        Results by the names of their data.

    Returns
    -------
    dict
        The fields `data`, `here` and `elsewhere` of a `Finding`.
    """
    data, *others = parts
    return {"data": data, "here": parts[data], "elsewhere": {name: parts[name] for name in others}}


class Judgement(NamedTuple):
    """A verdict with its reason; `substitute` where other data stand in for the paper's."""

    verdict: str
    reason: str
    substitute: str = ""


def half_digit(claim: Claim) -> float:
    """Compute how far a number may be from what is printed without any sampling error.

    Parameters
    ----------
    claim : Claim
        The published claim.

    Returns
    -------
    float
        Half of the last digit, or the margin of a number in words.
    """
    return claim.within or 0.5 * 10.0**-claim.digits


def reach(claim: Claim, error: float, freedom: float = math.inf) -> float:
    """Compute half of the 95% interval of the difference between our number and the published one.

    Parameters
    ----------
    claim : Claim
        Whose standard error, if it has one, is that of the published number; otherwise it is ours.
    error, freedom : float
        Our standard error and its degrees of freedom.

    Returns
    -------
    float
        Student's quantile times the standard error of the difference.
    """
    both = math.hypot(error, claim.stderr or error)
    return predicates.quantile((1 + CONFIDENCE) / 2, freedom) * both


def tolerance(claim: Claim, error: float, freedom: float = math.inf) -> float:
    """Compute how far a number may be away: `half_digit` plus `reach`.

    Parameters
    ----------
    claim : Claim
        The published claim.
    error, freedom : float
        Our standard error and its degrees of freedom.

    Returns
    -------
    float
        The largest distance at which a number agrees.
    """
    return half_digit(claim) + reach(claim, error, freedom)


def agrees(
    claim: Claim, here: Sequence[float], error: float = 0.0, freedom: float = math.inf
) -> bool:
    """Decide whether numbers are what was published, within `tolerance`.

    Parameters
    ----------
    claim : Claim
        The published claim.
    here : sequence of float
        One number; two for both ends of a range (=). For a range (~) all lie in between.
    error, freedom : float
        Our largest standard error and its degrees of freedom.

    Returns
    -------
    bool
        Whether they agree.

    Raises
    ------
    ValueError
        If one number is given where two are claimed, or two for one.
    """
    low, high = min(claim.value), max(claim.value)
    if len(here) > len(claim.value) or (claim.op == "=" and len(here) != len(claim.value)):
        raise ValueError(
            f"claim {claim.id} is {claim.published!r}: {len(claim.value)} numbers "
            f"were expected, not {len(here)}"
        )
    return _off(claim, here) <= tolerance(claim, error, freedom) + _rounding(low, high)


def _off(claim: Claim, here: Sequence[float]) -> float:
    """How far numbers are from what is printed."""
    low, high = min(claim.value), max(claim.value)
    if claim.op == "=":
        return max(abs(min(here) - low), abs(max(here) - high))
    return max(low - min(here), max(here) - high, 0.0)


def _rounding(*values: float) -> float:
    return 1e-12 * max(1.0, *map(abs, values))  # 0.975 - 0.97 is 0.0050000000000000044


def bound(claim: Claim, numbers: Sequence[Estimate]) -> Trend:
    """State that every number keeps a one-sided bound.

    Parameters
    ----------
    claim : Claim
        The published claim.
    numbers : sequence of Estimate
        The numbers.

    Returns
    -------
    Trend
        The number shown is the one nearest to breaking the bound.
    """
    side, limit = (1 if ">" in claim.op else -1), claim.value[0]
    steps = []
    for each in numbers:
        slack = each._replace(value=side * (each.value - limit))
        if slack.value == 0 and slack.error == 0 and "=" in claim.op:
            slack = Estimate(1.0)
        steps.append(Trend((predicates.Part(slack, each.value),)))
    return predicates.every(*steps)


def is_own(claim: Claim, data: str) -> bool:
    """Decide whether data are the paper's own.

    The informed attacker of the threshold paper sees noise alone, so that simulated counts are the
    paper's own wherever its targets are from. A theorem is about all data.

    Parameters
    ----------
    claim : Claim
        The published claim.
    data : str
        Names of our data, separated by commas.

    Returns
    -------
    bool
        Whether they are.
    """
    if claim.needs == "private":
        return False
    if claim.dataset == "analytic":
        return True
    own = {"sfc": {"cabspotting"}, "simulated": _MADE, "milan": {"simulated"}}
    return data in own.get(claim.dataset, set())


def judge(claim: Claim, finding: Finding) -> Judgement:
    """Judge what a finding says about a claim, by the rule in the module's docstring.

    Parameters
    ----------
    claim : Claim
        The published claim.
    finding : Finding
        Our result.

    Returns
    -------
    Judgement
        Verdict, reason and what a substitute says.

    Raises
    ------
    ValueError
        For what `table` refuses; the message names the claim.
    """
    numbers = _checked(claim, finding)
    if (given := _input(claim, finding)) and finding.here is not None:
        return Judgement("input", given)
    own = is_own(claim, finding.data)
    absent = ABSENT.get(claim.dataset, CLOSED)
    if finding.here is None:
        return Judgement("not tested", UNMEASURED if own else absent)
    verdict, reason = _weighed(claim, finding.here, numbers, finding.unprinted)
    if verdict == predicates.UNDEFINED:
        return Judgement("not tested", UNDEFINED)
    if own:
        return Judgement(verdict, reason)
    return Judgement("not tested", absent, _of_substitute(verdict))


def _input(claim: Claim, finding: Finding) -> str:
    """How a fact was given; empty if it was free."""
    stands_for, statistics = CALIBRATED.get(finding.data, ("", set()))
    calibrated = stands_for == claim.dataset and claim.setting.get("statistic") in statistics
    if finding.given or not (calibrated and claim.kind == "number"):
        return " ".join(finding.given.split())
    return "the surrogate was made from it"


def _of_substitute(verdict: str) -> str:
    return {"undecided": "undecided", "contradicted": "inconsistent"}.get(verdict, "consistent")


def _weighed(
    claim: Claim, here: Here, numbers: Sequence[Estimate], unprinted: Sequence[float] = ()
) -> tuple[str, str]:
    """The verdict as if the data were the paper's own, and its reason."""
    if not isinstance(here, Trend) and claim.op in ("=", "~"):
        return _weighed_number(claim, numbers, unprinted)
    trend = here if isinstance(here, Trend) else bound(claim, numbers)
    if trend.verdict == predicates.UNDECIDED:
        return trend.verdict, trend.runs
    exact = all(part.slack.error == 0 for part in trend.parts)
    side = "holds" if trend.verdict == predicates.SUPPORTED else "is violated"
    level = "without sampling error" if exact else "at the 95% level"
    return trend.verdict, f"{side} {level}{', by a margin of ours' if trend.margin else ''}"


def _weighed_number(
    claim: Claim, numbers: Sequence[Estimate], unprinted: Sequence[float]
) -> tuple[str, str]:
    """Equivalence of a number: near enough, and measured well enough."""
    error, freedom = _largest(numbers)
    values, far = [each.value for each in numbers], reach(claim, error, freedom)
    off, allowed = _off(claim, values), tolerance(claim, error, freedom)
    said = f"{two_digits(off)} away, {two_digits(allowed)} allowed"
    if claim.within:
        said += f", of which {claim.within:g} is how we read the words of the paper"
    if error:
        said += f" ({_degrees(freedom)})"
    near = agrees(claim, values, error, freedom)
    low, high = min(*unprinted, *values, values[0]), max(*unprinted, *values, values[0])
    most = tolerance(claim, error, freedom) + _rounding(min(claim.value), max(claim.value))
    least, greatest = min(claim.value) - most, max(claim.value) + most
    all_near, some_near = low >= least and high <= greatest, high >= least and low <= greatest
    if unprinted and (not all_near if near else some_near):
        ends = _shown([low, high]).replace("..", " to ")
        return "undecided", (
            f"{said}; it is {ends} for other values of a setting that the paper does not print: no"
            " number of runs decides, only that setting would"
        )
    if not near:
        return "contradicted", said
    widest = _widest(claim, freedom)
    if far <= widest * (1 + 1e-9):
        return "reproduced", said
    more = predicates.more_runs((far / widest) ** 2, freedom)
    return "undecided", f"{said}; the interval of ±{far:.2g} is too wide; {more}"


def two_digits(value: float) -> str:
    """Write a number with two significant digits, without powers of ten where it is large.

    Parameters
    ----------
    value : float
        The number.

    Returns
    -------
    str
        Such as "14,000" or "0.021".
    """
    return f"{float(f'{value:.2g}'):,.10g}"


def _widest(claim: Claim, freedom: float) -> float:
    """The widest half interval of a number that is reproduced; twice the published one if wider."""
    theirs = predicates.quantile((1 + CONFIDENCE) / 2, freedom) * claim.stderr
    return claim.within or UNITS * max(10.0**-claim.digits, theirs)


def _degrees(freedom: float) -> str:
    return "normal" if math.isinf(freedom) else f"{freedom:.3g} degrees of freedom"


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
    _check_place(where, finding)
    return _numbers_of(where, here)


def _numbers_of(where: str, here: Here) -> tuple[Estimate, ...]:
    """The numbers of a result, or ValueError naming the place."""
    if isinstance(here, Trend):
        several: tuple[Any, ...] = (here.here,)
    else:
        several = here if isinstance(here, tuple) and not isinstance(here, Estimate) else (here,)
    found = []
    for number in several:
        value = number.value if isinstance(number, Estimate) else number
        if isinstance(value, (bool, np.bool_, str)) or not math.isfinite(value):
            raise ValueError(f"{where}: here is {value!r}; a finite number was expected")
        try:
            found.append(predicates.number(number))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    return tuple(found)


@cache
def _places() -> frozenset[str]:
    return frozenset({*datasets.available().index, "simulated", "analytic"})


def _check_place(where: str, finding: Finding) -> None:
    names = [name for data in (finding.data, *finding.elsewhere) for name in data.split(", ")]
    for name in names:
        if name not in _places():
            near = get_close_matches(name, _places(), 1, 0)[0]
            raise ValueError(f"{where}: no data {name!r}; did you mean {near!r}?")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", finding.cell):
        raise ValueError(f"{where}: cell {finding.cell!r} is no label such as same-groups")


# -- tables ----------------------------------------------------------------------------------------


def table(findings: Iterable[Finding]) -> pd.DataFrame:
    """Judge findings.

    Parameters
    ----------
    findings : iterable of Finding
        At most one for each claim.

    Returns
    -------
    pandas.DataFrame
        Index `id`, in the papers' order; the columns of `COLUMNS` but `chapter` and
        `within_paper`, which `lib.papers.verdicts.gather` adds. Numbers are text with 4
        significant digits.

    Raises
    ------
    ValueError
        For an unknown id (with the nearest), a claim given twice, a number or error that is not
        finite, a number for a statement or the reverse, unknown data, a cell that is no label, a
        contradiction without a reason, a note that denies its verdict, and no finding at all.
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
    verdict, reason, substitute = judge(claim, finding)
    worst = _decisive(claim, _checked(claim, finding))
    here, (error, freedom) = _shown([each.value for each in worst]), _largest(worst or [_EXACT])
    row = {
        "published": claim.published,
        "here": here,
        "standard_error": _shown([error]),
        "freedom": "" if math.isinf(freedom) else f"{freedom:.4g}",
        "data": finding.data,
        "verdict": verdict,
        "reason": reason,
        "substitute": substitute,
        "elsewhere": "; ".join(_elsewhere(claim, finding, verdict)),
        "note": _note(claim, finding, verdict, substitute),
        "cell": finding.cell,
        "grade": _grade(finding.here, verdict, substitute),
        "named_verdict": _under_named(claim, finding, verdict, substitute),
    }
    check_row(claim.id, row)
    return row


_EXACT = Estimate(0.0)


def _note(claim: Claim, finding: Finding, verdict: str, substitute: str) -> str:
    """The note, and the explanation of what is contradicted."""
    against = verdict == "contradicted" or substitute == "inconsistent"
    said = finding.why.text if finding.why else ""
    if verdict == "contradicted" and not said:
        raise ValueError(
            f"claim {claim.id} is contradicted: published {claim.published!r}, here "
            f"{finding.here} on {finding.data}; a reason is needed"
        )
    if _under_named(claim, finding, verdict, substitute) in _AGREES:
        said = said.replace(UNEXPLAINED, "explained by the best-fitting interpretation only", 1)
    texts = (finding.note, said if against else "")
    return "; ".join(" ".join(text.split()) for text in texts if text)


def _grade(here: Here | None, verdict: str, substitute: str) -> str:
    if verdict != "supported" and (substitute != "consistent" or not isinstance(here, Trend)):
        return ""
    return GRADES[isinstance(here, Trend) and here.margin]


def _elsewhere(claim: Claim, finding: Finding, verdict: str) -> Iterable[str]:
    """What each of the further data says."""
    for data, here in finding.elsewhere.items():
        numbers = _numbers_of(f"claim {claim.id} on {data}", here)
        found, _ = _weighed(claim, here, numbers)
        undefined = found == predicates.UNDEFINED
        yield f"{data}: {found if undefined else _of_substitute(found)}"


def _under_named(claim: Claim, finding: Finding, verdict: str, substitute: str) -> str:
    """What is said under the named interpretation, where it is something else.

    Of a claim that is not tested, it is what substitute data say, because they can support or
    contradict nothing.
    """
    if finding.named is None or finding.named.here is None:
        return ""
    numbers = _checked(claim, finding.named)
    other, _ = _weighed(claim, finding.named.here, numbers)
    other = _of_substitute(other) if substitute else other
    return other if other != (substitute or verdict) else ""


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


def read(file: Path) -> pd.DataFrame:
    """Read a gathered table of claims, all text.

    Parameters
    ----------
    file : Path
        As `lib.papers.verdicts.write` writes it.

    Returns
    -------
    pandas.DataFrame
        Index `id`; the other columns of `COLUMNS`.

    Raises
    ------
    ValueError
        If the file has other columns.
    """
    frame = pd.read_csv(file, dtype=str, keep_default_na=False, encoding="utf-8")
    if list(frame.columns) != list(COLUMNS):
        raise ValueError(
            f"{file.name}: columns {', '.join(frame.columns)}; expected {', '.join(COLUMNS)}"
        )
    return frame.set_index("id")


@cache
def title(paper: str) -> str:
    """Look up the title of a paper.

    Parameters
    ----------
    paper : str
        One of `PAPERS`.

    Returns
    -------
    str
        The title.
    """
    file = BOOK / "claims" / "published" / f"{paper}.yml"
    found: str = yaml.load(file.read_text(encoding="utf-8"), _VALUES)["paper"]["title"]
    return found

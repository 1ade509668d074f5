"""Verdicts on the claims of What Does The Crowd Say About You?, from stored rows.

Numbers are looked up by what a claim says of its setting; statements are conditions beside their
ids. SFC is judged on the cabs themselves: all of the paper's own, so that without noise nothing was
sampled and no number of theirs has an error. London's cards are closed; ten thousand synthetic
commuters stand in for them, and flights by number stand beside where a statement is an order or a
fall. Relative errors depend on a sanity bound that we chose by the paper's tables: they are inputs.

The paper does not print the box of its map. A number of the cabs that the stored boxes cover is
reproduced if it agrees in ours and in all ten near it, contradicted if it agrees in none, and
undecided otherwise. The note on a statement says in how many boxes it has the same verdict.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import yaml

from lib import localization as loc
from lib.execution.results import Row
from lib.papers import claims, predicates
from lib.papers import interpretations as shared
from lib.papers.aggregation_privacy import (
    calibration_experiments,
    defense_experiments,
    interpretations,
)
from lib.papers.aggregation_privacy import experiments as crowd
from lib.papers.claims import Finding, Why, because, unexplained
from lib.papers.experiments import Experiment
from lib.papers.predicates import Estimate, Trend

DATA = {"sfc": "cabspotting", "tfl": "commuters"}
CAB, COM = DATA.values()
REGULAR, IRREGULAR = "flights-by-number", "flights-by-tail"
BOTH, LIKE_TFL = f"{CAB}, {COM}", f"{COM}, {REGULAR}"
ALL_FOUR = f"{BOTH}, {REGULAR}, {IRREGULAR}"
PROFILING, LOCALIZATION = crowd.GOALS


@dataclass(frozen=True)
class Margins:
    """Numbers of ours for words of the paper.

    Parameters
    ----------
    near : float
        What "small", "negligible" and "insignificant" allow, of an error or a loss.
    slight : float
        What "slightly" and "quite low" allow.
    alike : float
        By how much errors may differ that the paper's order calls equal.
    far : float
        Times: what "far less" and "far above" ask for.
    noticeable, large : float
        A gain, and an MRE.
    """

    near: float = 0.02
    slight: float = 0.05
    alike: float = 0.005
    far: float = 2.0
    noticeable: float = 0.1
    large: float = 1.0


MARGINS = Margins()


def findings() -> Iterator[Finding]:
    """Judge every claim of the paper from stored rows.

    Returns
    -------
    iterator of Finding
        The findings.
    """
    stored = _Stored()
    tried = findings_by_interpretation()
    best = shared.rank_interpretations(tried).index[0]
    moved = _that_differ(tried[best], shared.literal(tried))
    named = {**moved, **_under_bound(), **_under_plain_fpa(stored)}
    found = chain.from_iterable(family(stored) for family in (_numbers, *_STATEMENTS))
    yield from shared.with_named(found, named, CAB)


def _that_differ(found: shared.Found, literal: shared.Found) -> shared.Found:
    """Those under an interpretation that are not what they are under the literal one."""
    return {name: each for name, each in found.items() if _seen(each) != _seen(literal[name])}


def _seen(finding: Finding) -> tuple[str, float]:
    here = finding.here
    if isinstance(here, Trend):
        return here.verdict, round(here.here.value, 9)
    return "", round(float(getattr(here, "value", here)), 9)  # type: ignore[arg-type]


def findings_by_interpretation() -> dict[interpretations.Interpretation, shared.Found]:
    """Find the numbers and trends of the cabs without noise under every interpretation.

    Interpretations are compared in our box of the map alone, because no other is stored for them.

    Returns
    -------
    dict
        Interpretation to claim id to finding.
    """
    stored = _Stored()
    found: dict[interpretations.Interpretation, shared.Found] = {}
    for reading in interpretations.interpretations():
        other = copy(stored)
        other.errors, other.pairs = interpretations.rows_under(reading, stored.errors, stored.pairs)
        each = chain(_numbers(other), _profiling(other), _localization(other))
        found[reading] = {
            f.id: replace(f, unprinted=())
            for f in each
            if f.data == CAB and not _is_under_noise(f.id)
        }
    return found


def findings_by_box() -> Mapping[str, shared.Found]:
    """Find the cabs' numbers without noise in every box of the grid.

    Returns
    -------
    mapping
        Box, the book's first, to claim id to finding; numbers of one strategy, by the paper's
        baseline.
    """
    rows, found = interpretations.rows_by_box(), defaultdict[str, dict[str, Finding]](dict)
    for name, claim in claims.published("crowd").query("dataset == 'sfc'").iterrows():
        where, column = _where(claim["setting"]), _COLUMNS.get(claim["quantity"])
        if where is None or column is None or _is_under_noise(str(name)):
            continue
        for each, row in rows[where].items():
            found[each][str(name)] = Finding(
                str(name), Estimate(float(row[column])), CAB, f"crowd-{where[0]}", unexplained()
            )
    return dict(found)


def _where(setting: dict[str, Any]) -> tuple[str, str, str] | None:
    """Goal, prior and strategy, if the number is of one, by the paper's own base."""
    if not {"goal", "prior", "strategy"} <= set(setting):
        return None
    goal, prior, strategy = (str(setting[each]) for each in ("goal", "prior", "strategy"))
    own = setting.get("baseline", crowd.baseline(goal, prior)) == crowd.baseline(goal, prior)
    return (goal, prior, strategy) if own else None


def _is_under_noise(name: str) -> bool:
    where = claims.claim(name).setting
    return "mechanism" in where or ("goal" not in where and claims.claim(name).kind == "number")


def judge_sanity_bounds(dataset: str = "sfc") -> pd.DataFrame:
    """Count how many MREs of Tables 3 to 5 every sanity bound matches.

    Parameters
    ----------
    dataset : str, default 'sfc'
        "sfc" or "tfl".

    Returns
    -------
    pandas.DataFrame
        See `interpretations.rank_bounds`. London's are judged on the surrogate, as if it were
        London.
    """
    return interpretations.rank_bounds(_mres(dataset), DATA[dataset])


_OTHER_MARGINS = {  # a margin, what it stands for, and two other values
    "near": ("small, negligible: a difference of at most", (0.01, 0.03)),
    "slight": ("slightly, low: a difference of at most", (0.025, 0.1)),
    "alike": ("equal errors: a difference of at most", (0.0025, 0.01)),
    "far": ("far, times", (1.5, 3.0)),
    "noticeable": ("a noticeable gain, above", (0.05, 0.2)),
    "large": ("a large MRE, above", (0.5, 2.0)),
}


def judge_margins() -> pd.DataFrame:
    """Judge all statements again with a smaller and with a larger value of each of our margins.

    Returns
    -------
    pandas.DataFrame
        Text. A row for each margin; two columns with the other value and the statements whose
        verdict it changes.
    """
    own, rows = _verdicts(MARGINS), {}
    for name, (words, others) in _OTHER_MARGINS.items():
        changed = []
        for value in others:
            now = _verdicts(replace(MARGINS, **{name: value}))
            other = [f"{each}: {now[each]}" for each in now if now[each] != own[each]]
            changed.append(f"{value:g}: {', '.join(other) or 'none'}")
        rows[f"{words} {getattr(MARGINS, name):g}"] = changed
    columns = ["verdicts that a smaller value changes", "verdicts that a larger value changes"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    return table.rename_axis("margin of ours")


def _verdicts(margins: Margins) -> dict[str, str]:
    """Claim id to verdict, of all statements."""
    stored = _Stored(margins)
    each = chain.from_iterable(family(stored) for family in _STATEMENTS)
    return {one.id: one.here.verdict for one in each if isinstance(one.here, Trend)}


def _mres(dataset: str = "sfc") -> dict[str, interpretations.Key]:
    """The published MREs of a dataset: claim -> mechanism and level."""
    found: dict[str, interpretations.Key] = {}
    numbers = claims.published("crowd").query(
        f"dataset == '{dataset}' and quantity == 'MRE' and op == '='"
    )
    for name, where in numbers["setting"].items():
        if "p" in where:
            found[str(name)] = "SpotMe", where["p"]
        else:
            mechanism = "FPA" if where["mechanism"] == "FPA" else _SCALES[where["scale"]]
            found[str(name)] = mechanism, float(where["epsilon"])
    return found


def _under_bound() -> shared.Found:
    """What the MREs are under the bound that meets most of them."""
    best, found = judge_sanity_bounds().index[0], {}
    for name, key in _mres().items():
        row = interpretations.bound_row(key, *best)
        here = Estimate(float(row["MRE"]), float(row["MRE se"]), interpretations.FREEDOM)
        found[name] = Finding(name, here, CAB, "crowd-noise", unexplained())
    return found


PLAIN = "plain, not mirrored"  # the transform of FPA that meets the printed errors of the cabs


def _under_plain_fpa(stored: _Stored) -> shared.Found:
    """What the cabs' gains under FPA are with the transform that meets the printed errors."""
    rows = crowd.fpa_interpretations.stored(CAB).query("reading == @PLAIN")
    gains, found = rows.set_index("ε")["gain"], {}
    numbers = claims.published("crowd").query("dataset == 'sfc' and quantity == 'mean PG'")
    for name, claim in numbers.iterrows():
        if claim["setting"]["mechanism"] != "FPA":
            continue
        at = [float(gains[e]) for e in crowd.EPSILONS if _covers(claim["setting"]["epsilon"], e)]
        farthest = int(np.argmax([abs(gain - claim["value"][0]) for gain in at]))
        here = _drawn(stored)._replace(value=at[farthest])
        found[str(name)] = Finding(str(name), here, CAB, "crowd-noise", unexplained())
    return found


def _covers(budgets: object, epsilon: float) -> bool:
    """Whether a claim about some budgets, as text or as one number, is about this one."""
    text = str(budgets)
    if text.startswith("<="):
        return epsilon <= float(text.removeprefix("<="))
    return text == "all" or float(text) == epsilon


class _Stored:
    """Means and standard errors in the stored rows, by what they describe."""

    def __init__(self, margins: Margins = MARGINS) -> None:
        self.margins = margins
        self.facts = _rows(crowd.statistics, "data")
        self.errors = _rows(crowd.errors, "data goal prior strategy", REGULAR, IRREGULAR)
        self.pairs = _rows(crowd.pairs, "data goal prior first other second")
        self.parts = _rows(crowd.parts, "data clock part less")
        self.noise = _rows(crowd.noise, "data mechanism level what", REGULAR, IRREGULAR)
        self.boxes = interpretations.rows_by_box()
        many = defense_experiments.release_errors.stored(CAB).to_dict("records")
        self.many = {(row["mechanism"], row["ε"]): row for row in many}

    def of(self, data: str, goal: str, prior: str, strategy: str, what: str = "error") -> Estimate:
        return _number(data, self.errors[data, goal, prior, strategy], what)

    def difference(
        self, data: str, goal: str, a: tuple[str, str], b: tuple[str, str], what: str = "error"
    ) -> Estimate:
        """a's less b's, each a prior and a strategy: user by user, where pairs are kept."""
        if (data, goal, *a, *b) in self.pairs:
            return _number(data, self.pairs[(data, goal, *a, *b)], what)
        if (data, goal, *b, *a) in self.pairs:
            found = _number(data, self.pairs[(data, goal, *b, *a)], what)
            return found._replace(value=0.0 - found.value)
        one, other = (self.of(data, goal, *each, what) for each in (a, b))
        error = float(np.hypot(one.error, other.error))
        return Estimate(one.value - other.value, error, one.freedom)

    def under(self, data: str, mechanism: str, level: float, what: str = "at") -> Row:
        return self.noise[data, mechanism, level, what]

    def gain(self, data: str, mechanism: str, level: float, what: str = "at") -> Estimate:
        """A mean gain; its error is that over users, though only noise was drawn: too large."""
        row = self.under(data, mechanism, level, what)
        return Estimate(float(row["gain"]), float(row["gain se"]), row["users"] - 1)

    def mre(self, data: str, mechanism: str, level: float, what: str = "at") -> Estimate:
        """A mean error; five releases of the cabs leave an order open, so they have more."""
        if what == "at" and data == CAB and (mechanism, level) in self.many:
            many = self.many[mechanism, level]
            return Estimate(float(many["MRE"]), float(many["MRE se"]), many["releases"] - 1)
        row = self.under(data, mechanism, level, what)
        return Estimate(float(row["MRE"]), float(row["MRE se"]), N_RELEASES - 1)


N_RELEASES = crowd.noise.defaults["n_releases"]


def _rows(experiment: Experiment, keys: str, *more: str) -> dict[tuple[Any, ...], Row]:
    rows: list[Any] = experiment.stored(CAB, COM, *more).to_dict("records")
    return {tuple(row[key] for key in keys.split()): row for row in rows}


def _number(data: str, row: Row, what: str) -> Estimate:
    """A mean over users; over all cabs there are, nothing was sampled."""
    if data == CAB:
        return Estimate(float(row[what]))
    return Estimate(float(row[what]), float(row[f"{what} se"]), row["users"] - 1)


def _trend(
    name: str, found: Trend | Mapping[str, Trend], cell: str, note: str = "", why: Why | None = None
) -> Finding:
    """A finding about a statement; of several data the first decides, others stand beside."""
    parts = {CAB: found} if isinstance(found, Trend) else found
    return Finding(id=name, cell=f"crowd-{cell}", why=why, note=note, **claims.beside(parts))


# -- numbers ---------------------------------------------------------------------------------------

_OTHERS = "the surrogate models users' visits, neither the other cards nor their trips"
_BOX = "we chose the bounds of our grid by these statistics, because the papers do not print theirs"
_COUNTED = ("crowd-data-sfc-users", "crowd-data-sfc-gps", "crowd-data-sfc-taxis-raw")
_SET = {
    "crowd-data-sfc-rois": "set: ten by ten cells and null",
    "crowd-data-sfc-cells": "set: ten by ten cells",
    "crowd-data-sfc-epochs": "set: the paper's three weeks",
    "crowd-data-sfc-observation-epochs": "set: two of the three weeks",
    "crowd-data-sfc-inference-epochs": "set: the last of the three weeks",
    "crowd-data-tfl-stations": "set, as the number of ROIs",
}
_COLUMNS = {
    "mean profiling error (JS)": "error",
    "mean localization error (1 - F1)": "error",
    "mean PL": "loss",
    "fraction of users with reduced error": "better",
    "fraction of users with increased error": "worse",
    "fraction of users with error <= 0.5": "to 0.5",
    "fraction of users with error > 0.25": "above 0.25",
}
_SCALES = dict(
    zip(("Lap(|S||T|/eps)", "Lap(Delta/eps)", "Lap(|T|/eps)", "Lap(1/eps)"), crowd.SCM, strict=True)
)


def _numbers(stored: _Stored) -> Iterator[Finding]:
    for name, claim in claims.published("crowd").iterrows():
        data, where = DATA.get(claim["dataset"]), claim["setting"]
        if claim["kind"] != "number" or data is None:
            continue
        if "mechanism" in where:
            found: Estimate | None = _number_of_noise(stored, claim, data)
            cell = "crowd-spotme" if "SpotMe" in where["mechanism"] else "crowd-noise"
        elif "goal" in where:
            found = _number_of_errors(stored, claim, data)
            cell = "crowd-hours" if "hours" in where else f"crowd-{where['goal']}"
        else:
            found, cell = _number_of_data(stored.facts[data,], str(name), where), "crowd-data"
        if found is not None:
            yield Finding(
                str(name),
                found,
                data,
                cell,
                _why(stored, claim),
                _note(stored, claim),
                _given(str(name), data),
                unprinted=_of_unprinted(stored, claim),
            )
        elif "-data-tfl-" in str(name):
            yield Finding(str(name), None, data, cell, note=_OTHERS)


_BOUND = "the sanity bound of five users was chosen after seeing the errors that are printed"


def _given(name: str, data: str) -> str:
    """How a number was set or fitted; nothing where it was counted or left free."""
    if data == CAB and claims.claim(name).quantity == "MRE":
        return _BOUND
    if name == calibration_experiments.USED and data == "commuters":
        return "the surrogate's weekly noise was chosen by it"
    if "-data-" not in name or name in _COUNTED:
        return ""
    return _SET.get(name, _BOX if data == CAB else "")


def _number_of_errors(stored: _Stored, claim: pd.Series, data: str) -> Estimate | None:
    where, what = claim["setting"], claim["quantity"]
    if "hours" in where:
        return _number(data, stored.parts[data, "San Francisco", "12-16h", "nothing"], "error")
    goal, prior, strategy = where["goal"], where["prior"], where.get("strategy")
    if "better predicted" in what:
        return _number(
            data, stored.pairs[data, goal, prior, "MAX_ROI", prior, "MAX_USER"], "first better"
        )
    if strategy is None or what not in _COLUMNS:
        return None
    base = where.get("baseline", crowd.baseline(goal, prior))
    if what == "mean PL" and base != crowd.baseline(goal, prior):
        return _number(
            data, stored.pairs[data, goal, prior, base, prior, strategy], "loss of second"
        )
    return stored.of(data, goal, prior, strategy, _COLUMNS[what])


def _number_of_noise(stored: _Stored, claim: pd.Series, data: str) -> Estimate:
    """MRE with its error over releases; privacy gain, on the cabs with that of `_drawn`.

    Of several budgets or scales, the number that decides: the smallest MRE, the gain that is
    farthest away.
    """
    where, gain = claim["setting"], claim["quantity"] == "mean PG"

    def at(name: str, level: float) -> Estimate:
        if not gain:
            return stored.mre(data, name, level)
        found = stored.gain(data, name, level)
        return found if data != CAB else _drawn(stored)._replace(value=found.value)

    if "p" in where:
        return at("SpotMe", where["p"])
    if isinstance(where.get("scale"), list):
        return min(at(_SCALES[scale], e) for scale in where["scale"] for e in crowd.EPSILONS)
    name = "FPA" if where["mechanism"] == "FPA" else _SCALES[where["scale"]]
    levels = [e for e in crowd.EPSILONS if _covers(where["epsilon"], e)]
    return max(
        (at(name, e) for e in levels), key=lambda found: abs(found.value - claim["value"][0])
    )


def _drawn(stored: _Stored) -> Estimate:
    """The error of a gain on the cabs from the drawn noise alone, of which no row is stored.

    Noise of the largest scale takes counts from end to end at every ε: how far these four gains
    are from each other is chance.
    """
    gains = [stored.gain(CAB, crowd.SCM[0], e).value for e in crowd.EPSILONS]
    return Estimate(float(np.mean(gains)), float(np.std(gains, ddof=1)), len(gains) - 1)


def _number_of_data(of: Row, name: str, where: dict[str, Any]) -> Estimate | None:
    more = {
        "observation_epochs": of["epochs"] - of["inference_epochs"],
        "crowd-data-sfc-reports-total": of["reports_mean"] * of["users"],
        "crowd-data-sfc-cells": of["rois"] - 1,
        "crowd-data-tfl-stations": of["rois"] - 1,
        "crowd-data-sfc-gps": of["read"],
        "crowd-data-sfc-taxis-raw": of["taxis"],
        "crowd-data-sfc-sensitivity": of["sensitivity"],
        "crowd-data-tfl-sensitivity": of["sensitivity"],
    }
    key = where.get("statistic", name)
    found = more.get(key, of.get(key))
    return None if found is None else Estimate(float(found))


def _note(stored: _Stored, claim: pd.Series) -> str:
    """What was decided where the paper is silent, whatever came out."""
    where, said = claim["setting"], []
    if claim.name == _REPORTS:
        said.append(f"below the printed bound; with null it would be {_with_null(stored):,.0f}")
    if claim["within"]:
        said.append(f"no number is printed, {claim['note']}")
    if where.get("mechanism") == "FPA" and str(where["epsilon"]) in ("0.001", "0.01", "<=0.01"):
        said.append(
            "with so much noise every mechanism gives about this value, so it proves little"
        )
    elif "mechanism" in where and where.get("strategy") is None:
        said.append(
            "with a sanity bound of 5 users, which we chose after seeing the errors of the cabs"
        )
    elif "mechanism" in where:
        said.append("we clip and round noisy counts, which the paper does not say")
    depends = claim["dataset"] == "sfc" and claim["quantity"] in (*_COLUMNS, "mean PG")
    if depends and not _in_boxes(stored, claim):
        said.append(_OUR_BOX)
    return "; ".join(said)


_OUR_BOX = "computed in our box of the map only"
_REPORTS = "crowd-data-sfc-reports-total"


def _with_null(stored: _Stored) -> float:
    """All visits of the cabs in the three weeks, those at null included."""
    return float(stored.facts[CAB,]["visits"])


_UNTRIED = {
    "crowd-fig8-scm-1-pg-eps-le-0.01": unexplained(
        nothing="the gain depends on how noisy counts are clipped and rounded; the paper does not"
        " say how, and our rows store one way only"
    ),
    "crowd-data-sfc-taxis-raw": unexplained(
        ("without cabs that send nothing in the three weeks it is 534", "crowd-data")
    ),
}


_SMALL_CROWD = because(
    "computed with 1,000 commuters, where the paper has 10,000", "crowd-noise", "crowd-bounds"
)


def _why(stored: _Stored, claim: pd.Series) -> Why:
    """What was tried for a number, in rows that are kept."""
    where, tried = claim["setting"], []
    if why := _UNTRIED.get(str(claim.name)):
        return why
    if "mechanism" in where and claim["dataset"] == "tfl":
        return _SMALL_CROWD
    if "hours" in where:
        values = _midday_errors(stored)
        said = "the clocks of London and of UTC, and weekdays alone, which give "
        tried.append((f"{said}{min(values):.3f} to {max(values):.3f}", "crowd-hours"))
    elif where.get("mechanism") == "FPA":
        tried.append((_other_transforms(), "crowd-fpa"))
    elif where.get("prior") in loc.LAST and where["goal"] == PROFILING:
        tried.append(_OF_LAST)
    elif "mechanism" in where and where.get("strategy") is None:
        tried.append(("200 constants and four rules for the sanity bound", "crowd-bounds"))
    elif where.get("strategy") == "MAX_ROI" and where.get("goal") in (PROFILING, LOCALIZATION):
        tried.append(_OF_MAX_ROI)
    if values := _in_boxes(stored, claim):
        said = f"{len(values)} boxes near ours, which give {min(values):.3f} to "
        tried.append((f"{said}{max(values):.3f}", "crowd-boxes"))
    return unexplained(*tried)


def _other_transforms() -> str:
    """What the two transforms of FPA give that come nearest to a word or to the printed MREs."""
    rows = crowd.fpa_interpretations.stored(CAB).set_index(["reading", "ε"])["gain"]
    return (
        f"three other transforms; the plain, mirrored one gives {rows['plain', 1.0]:.3f}, which"
        " would agree, but its MREs do not fit the printed ones; the one that fits the MREs, plain"
        f" and not mirrored, gives {rows[PLAIN, 1.0]:.3f}"
    )


def _midday_errors(stored: _Stored) -> tuple[float, ...]:
    """The cabs' error at mid-day by each clock on weekdays, and on all days by the other clocks.

    The paper states neither its clock nor whether its mid-day hours include those of weekends.
    """
    weekdays = [_by_clock(clock)["PRIOR"]["weekday 12-16h"] for clock in crowd.CLOCKS]
    others = [clock for clock in crowd.CLOCKS if clock != "San Francisco"]
    every_day = [stored.parts[CAB, clock, "12-16h", "nothing"]["error"] for clock in others]
    return tuple(float(value) for value in (*weekdays, *every_day))


def _of_unprinted(stored: _Stored, claim: pd.Series) -> tuple[float, ...]:
    """A number for other values of what the paper does not print: its clock, or its box."""
    if "hours" in claim["setting"] and claim["dataset"] == "sfc":
        return _midday_errors(stored)
    return _in_boxes(stored, claim)


def _in_boxes(stored: _Stored, claim: pd.Series) -> tuple[float, ...]:
    """A number of the cabs without noise in the boxes near ours; the paper does not print its."""
    where = claim["setting"]
    if claim["dataset"] != "sfc" or "mechanism" in where or not (key := _where(where)):
        return ()
    boxes, column = stored.boxes[key], _COLUMNS[claim["quantity"]]
    return tuple(float(row[column]) for box, row in boxes.items() if box != interpretations.OURS)


_OF_MAX_ROI = "four ways to break ties, and an assignment without null", "crowd-readings"
_OF_LAST = (
    "base 2, no square root, only the hours out, other lags, a season that does not slide",
    "crowd-last",
)


def published_means(goal: str) -> pd.DataFrame:
    """Compare the means that the paper prints for the cabs with ours.

    Parameters
    ----------
    goal : str
        "profiling" or "localization".

    Returns
    -------
    pandas.DataFrame
        Index: prior, strategy, column. Columns: published, here, the distance that is allowed
        (half a unit in the last digit, or the margin of a word), half of our 95% interval.

    Raises
    ------
    ValueError
        If a published quantity has no known column.
    """
    kept = crowd.errors.stored(CAB)
    found = kept[kept["goal"] == goal].set_index(["prior", "strategy"])
    rows = {}
    for name, claim in claims.published("crowd").iterrows():
        where, column = claim["setting"], _COLUMNS.get(claim["quantity"])
        key = where.get("prior"), where.get("strategy")
        own = claim["dataset"] == "sfc" and where.get("goal") == goal and key in found.index
        if not own or claim["kind"] != "number" or "mechanism" in where:
            continue  # under noise, the same prior and strategy have other numbers
        if column is None:
            raise ValueError(f"nothing is known to hold {claim['quantity']!r} of {key}")
        if column in ("error", "loss") and where.get("baseline") != "POP":
            here = crowd.with_interval(found.loc[[key]], column).iloc[0]
            half = here["95% high"] - here[column]
            allowed = claims.half_digit(claims.claim(str(name)))
            rows[*key, column] = [claim["value"][0], here[column], allowed, half]
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.columns = pd.Index(["published", "here", "allowed", "half interval"])
    return frame.set_axis(pd.MultiIndex.from_tuples(rows, names=["prior", "strategy", ""]))


def means_in_boxes() -> pd.DataFrame:
    """List the means of single strategies that the paper prints for the cabs, in every box.

    Returns
    -------
    pandas.DataFrame
        A row for each of the 44 means and each of the eleven boxes. Columns: claim; goal, prior,
        strategy, measure; published; here (in our box); allowed; box; mean (in this box); away, how
        far it is from the published number.
    """
    means = pd.concat({goal: published_means(goal) for goal in crowd.GOALS})
    means.index.names = names = ["goal", "prior", "strategy", "measure"]
    found = claims.published("crowd").query("dataset == 'sfc'")
    ids = {
        (*key, _COLUMNS[claim["quantity"]]): str(name)
        for name, claim in found.iterrows()
        if (key := _where(claim["setting"])) and not _is_under_noise(str(name))
        if claim["quantity"] in _COLUMNS
    }
    means.insert(0, "claim", [ids[key] for key in means.index])
    every = interpretations.experiments.errors_in_boxes.stored()
    tall = every.melt(["box", *names[:3]], ["error", "loss"], "measure", "mean")
    rows = means.drop(columns="half interval").reset_index().merge(tall, on=names)
    away = (rows["mean"] - rows["published"]).abs().round(12)  # 0.975 - 0.97 is not quite 0.005
    return rows.assign(away=away)


# -- trends of errors ------------------------------------------------------------------------------

_ADD = ("BAYES", "MAX_ROI", "MAX_USER")  # strategies that add the counts to a prior
_LAST = ("LAST_HOUR", "LAST_DAY", "LAST_WEEK")
_SFC_ORDER = (
    "LAST_HOUR < ROI_DAY_WEEK < ROI_DAY = LAST_DAY < FREQ_ROI < TIME_DAY_WEEK"
    " < LAST_WEEK < TIME_DAY"
)
_LAST_ORDER = "LAST_HOUR < LAST_DAY < LAST_WEEK"
_TFL_ORDER = (
    "LAST_DAY < LAST_WEEK < ROI_DAY_WEEK = LAST_HOUR < ROI_DAY < TIME_DAY_WEEK < FREQ_ROI"
    " < TIME_DAY"
)


def _order(text: str) -> list[str]:
    """Conditions on neighbours of an order of priors, whose own errors are compared."""
    kinds = text.split()
    steps = zip(kinds[::2], kinds[1::2], kinds[2::2], strict=False)
    return [f"{a} PRIOR {sign} {b} PRIOR" for a, sign, b in steps]


def _condition(stored: _Stored, data: str, goal: str, text: str) -> Trend:
    """Judge a condition on a prior and a strategy, or on two.

    "A < B": A errs less. "A ~ B", "A = B": errors within `near`, `alike`. "A == B": equal errors.
    "loss: A > B": A has the larger mean loss (or share better, worse). "A small", "A slight": the
    mean loss is within `near`, `slight`.
    """
    what, _, rest = text.rpartition(": ")
    words = rest.split()
    a, b = (words[0], words[1]), (words[3], words[4]) if len(words) > 3 else ("", "")
    sign, margins = words[2], stored.margins
    if sign in ("small", "slight"):
        loss = stored.of(data, goal, *a, "loss")
        return predicates.close(loss, 0.0, margins.near if sign == "small" else margins.slight)
    if sign == "<":
        return predicates.greater(stored.difference(data, goal, b, a, what or "error"))
    apart = stored.difference(data, goal, a, b, what or "error")
    if sign == ">":
        return predicates.greater(apart)
    if sign == "==":
        return predicates.always([bool(apart.value == 0)])
    return predicates.close(apart, 0.0, margins.near if sign == "~" else margins.alike)


def _all_hold(stored: _Stored, data: str, goal: str, conditions: Iterable[str]) -> Trend:
    return predicates.every(*(_condition(stored, data, goal, each) for each in conditions))


def _each(text: str, *values: str) -> list[str]:
    """The condition with each value in place of "_"."""
    return [text.replace("_ ", f"{value} ").replace(" _", f" {value}") for value in values]


_GREEDY, _RECENT = ("MAX_ROI", "MAX_USER"), ("LAST_WEEK", "LAST_DAY")
_PASSENGERS = (COM, REGULAR)
_Conditions = dict[str, list[str]]  # dataset -> conditions that all have to hold
_PROFILING: dict[str, _Conditions] = {
    "fig1-maxroi-hurts-sfc": {
        CAB: [
            "FREQ_ROI PRIOR < FREQ_ROI MAX_ROI",
            "FREQ_ROI BAYES < FREQ_ROI PRIOR",
            "FREQ_ROI MAX_USER < FREQ_ROI BAYES",
        ]
    },
    "fig2-sfc-maxroi-worse": {CAB: ["ROI_DAY_WEEK PRIOR < ROI_DAY_WEEK MAX_ROI"]},
    "fig10-sfc-maxroi": {CAB: ["ROI_DAY PRIOR < ROI_DAY MAX_ROI"]},
    "fig3-tfl-bayes-small": {COM: ["TIME_DAY_WEEK BAYES slight"]},
    "fig11-tfl-bayes": {COM: ["TIME_DAY BAYES small"]},
    "fig13-order": {
        CAB: _order(_LAST_ORDER)
        + _order("LAST_HOUR < ROI_DAY_WEEK")
        + _order("LAST_HOUR < FREQ_ROI")
    },
    "fig13-strategies": {
        CAB: [f"{k} {s} < {k} PRIOR" for k in _LAST for s in ("BAYES", "MAX_USER")]
        + _each("_ PRIOR < _ MAX_ROI", *_LAST)
        + [f"{k} {s} slight" for k in _LAST for s in _ADD]
    },
    "fig12-hour-negligible": {COM: _each("LAST_HOUR _ small", *crowd.STRATEGIES)},
    "fig2-vs-fig1": {CAB: _order("ROI_DAY_WEEK < FREQ_ROI")},
}
_LOCALIZATION: dict[str, _Conditions] = {
    "fig4-sfc-maxroi-consistent": {
        CAB: [
            "better: FREQ_ROI MAX_ROI > FREQ_ROI MAX_USER",
            "loss: FREQ_ROI MAX_USER > FREQ_ROI MAX_ROI",
        ]
    },
    "fig4-sfc-bayes-all": {
        CAB: [
            "FREQ_ROI BAYES+ALL small",
            "FREQ_ROI BAYES+POP == FREQ_ROI POP",
            "FREQ_ROI ALL < FREQ_ROI POP",
        ]
    },
    "fig5-sfc-all-best": {
        CAB: _each("ROI_DAY_WEEK ALL < ROI_DAY_WEEK _", "POP", "BAYES+POP", *_GREEDY)
    },
    "fig5-sfc-bayes-all": {CAB: ["ROI_DAY_WEEK BAYES+ALL small"]},
    "fig5-vs-fig4-sfc": {
        CAB: ["ROI_DAY_WEEK ALL < FREQ_ROI ALL", "ROI_DAY_WEEK POP ~ FREQ_ROI POP"]
    },
    "fig16-sfc-pop-worst": {
        CAB: _each("TIME_DAY_WEEK _ < TIME_DAY_WEEK POP", "ALL", "BAYES+ALL", *_GREEDY)
    },
    "fig5-vs-fig4-tfl": dict.fromkeys(
        _PASSENGERS,
        _each("ROI_DAY_WEEK _ < FREQ_ROI _", "ALL", "POP")
        + _each("loss: FREQ_ROI _ > ROI_DAY_WEEK _", *_GREEDY),
    ),
    "fig4-tfl-pop-bayes": {d: ["FREQ_ROI BAYES+POP ~ FREQ_ROI POP"] for d in _PASSENGERS},
    "fig16-tfl-pop-bayes": {
        d: ["TIME_DAY_WEEK BAYES+POP ~ TIME_DAY_WEEK POP"] for d in _PASSENGERS
    },
    "fig14-tfl-max-user-consistent": dict.fromkeys(
        _PASSENGERS, _each("worse: _ MAX_ROI > _ MAX_USER", *_RECENT)
    ),
    "fig14-15-order": {CAB: _order("LAST_HOUR < LAST_DAY < LAST_WEEK")}
    | dict.fromkeys(_PASSENGERS, _order("LAST_DAY < LAST_HOUR") + _order("LAST_WEEK < LAST_DAY")),
}
_NEGLIGIBLE = f'"negligible" means a mean loss below {MARGINS.near}'
_NO_ADVANTAGE = f'"no advantage" means a difference of errors below {MARGINS.near}'
_NOTES = {
    "fig3-tfl-bayes-small": f'"slightly" means a mean loss below {MARGINS.slight}',
    "fig11-tfl-bayes": _NEGLIGIBLE,
    "fig13-strategies": f'"low" means a mean loss below {MARGINS.slight}',
    "fig12-hour-negligible": _NEGLIGIBLE,
    "fig4-sfc-bayes-all": _NEGLIGIBLE,
    "fig5-sfc-bayes-all": _NEGLIGIBLE,
    "fig4-tfl-pop-bayes": _NO_ADVANTAGE,
    "fig16-tfl-pop-bayes": _NO_ADVANTAGE,
}


def _tried(stored: _Stored, name: str) -> Why | None:
    """What was tried to explain a contradicted statement."""
    if name == "fig13-order":
        return unexplained(_OF_LAST, _in_other_boxes(stored, _LAST_ORDER))
    return unexplained(_OF_MAX_ROI) if name == "fig13-strategies" else None


def _judge(stored: _Stored, goal: str, claimed: dict[str, _Conditions]) -> Iterator[Finding]:
    """Findings of claims that are conditions on one or several datasets."""
    for name, on in claimed.items():
        parts = {data: _all_hold(stored, data, goal, each) for data, each in on.items()}
        both = {CAB, COM} <= set(parts)
        if both:
            parts = _both_cities(parts)
        first = next(iter(parts))
        each = [(data, text) for data in first.split(", ") for text in on[data]]
        said = [_NOTES.get(name, ""), "" if both else _in_every_box(stored, goal, on)]
        note = "; ".join([*filter(None, said), _shown(stored, goal, each, parts[first])])
        yield _trend(f"crowd-{name}", parts, goal, note, _tried(stored, name))


_LESS = "whichever is nearer to failing"


def _shown(stored: _Stored, goal: str, each: Iterable[tuple[str, str]], found: Trend) -> str:
    """What the number of a statement is: that of its condition nearest to failing."""
    for data, text in each:
        if found.deciding in _condition(stored, data, goal, text).parts:
            return f"shown: {_in_words(text)}"
    raise ValueError(f"no condition on {goal} has the number {found.here.value}")


def _in_words(text: str) -> str:
    """What `_condition` measures."""
    what, _, rest = text.rpartition(": ")
    words = rest.split()
    a, b = (_attack(*words[i : i + 2]) if len(words) > i else "" for i in (0, 3))
    if words[2] in ("small", "slight"):
        return f"the mean loss of {a}"
    if words[2] == "==":
        return f"1 if the errors of {a} and {b} are the same"
    first, second = (b, a) if words[2] == "<" else (a, b)
    if what in ("better", "worse"):
        return f"the share of users whom {first} predicts {what}, minus that of {second}"
    return f"the {'mean loss' if what else 'error'} of {first} minus that of {second}"


def _attack(prior: str, strategy: str) -> str:
    return f"{prior} alone" if strategy == "PRIOR" else f"{strategy} with {prior}"


def _in_every_box(stored: _Stored, goal: str, on: _Conditions) -> str:
    """In how many boxes near ours a statement about the cabs has the same verdict."""
    if set(on) != {CAB}:
        return ""
    ours = _all_hold(stored, CAB, goal, on[CAB]).verdict
    others = [each for name, each in _by_box(stored).items() if name != interpretations.OURS]
    same = sum(_all_hold(each, CAB, goal, on[CAB]).verdict == ours for each in others)
    return f"the same verdict in {same} of {len(others)} boxes near ours"


def _by_box(stored: _Stored) -> dict[str, _Stored]:
    """The stored rows with the cabs' means of each box; differences come from the means."""
    found = {}
    for box in stored.boxes[PROFILING, "FREQ_ROI", "PRIOR"]:
        other = copy(stored)
        other.errors = dict(stored.errors)
        for key, rows in stored.boxes.items():
            other.errors[CAB, *key] = {**stored.errors[CAB, *key], **rows[box]}
        other.pairs = {key: row for key, row in stored.pairs.items() if key[0] != CAB}
        found[box] = other
    return found


def _both_cities(parts: Mapping[str, Trend]) -> dict[str, Trend]:
    """What is said of both cities: cabs with commuters first, then with flights."""
    return {f"{CAB}, {other}": predicates.every(parts[CAB], parts[other]) for other in _PASSENGERS}


def _profiling(stored: _Stored) -> Iterator[Finding]:
    yield from _judge(stored, PROFILING, _PROFILING)
    yield _far_more_for_the_regular(stored)
    why = unexplained(_in_other_boxes(stored, _SFC_ORDER))
    found = _all_hold(stored, CAB, PROFILING, _order(_SFC_ORDER))
    alike = f'"=" means a difference of errors below {MARGINS.alike}'
    note = _shown(stored, PROFILING, [(CAB, each) for each in _order(_SFC_ORDER)], found)
    yield _trend("crowd-prior-order-sfc", found, "profiling", f"{alike}; {note}", why)
    parts = {d: _all_hold(stored, d, PROFILING, _order(_TFL_ORDER)) for d in _PASSENGERS}
    note = _shown(stored, PROFILING, [(COM, each) for each in _order(_TFL_ORDER)], parts[COM])
    yield _trend("crowd-prior-order-tfl", parts, "profiling", f"{alike}; {note}")
    yield _takeaway_of_profiling(stored)


_REGULARITY = ((COM, CAB), (REGULAR, IRREGULAR))  # the more regular population first


def _far_more_for_the_regular(stored: _Stored) -> Finding:
    """Whether counts help the regular far more, whose prior errs less."""
    parts = {}
    for pair in _REGULARITY:
        prior = [stored.of(data, PROFILING, "FREQ_ROI", "PRIOR") for data in pair]
        loss = [stored.of(data, PROFILING, "FREQ_ROI", "BAYES", "loss") for data in pair]
        far = predicates.ours(predicates.greater(loss[0], _times(stored.margins.far, loss[1])))
        regular = predicates.greater(prior[1], prior[0])
        parts[", ".join(sorted(pair))] = predicates.every(regular, far)
    note = (
        f'"far less" means less than 1/{MARGINS.far:g}; shown: the loss of commuters minus'
        f" {MARGINS.far:g} times that of cabs, or the error of the cabs' prior minus that of the"
        f" commuters', {_LESS}"
    )
    return _trend("crowd-fig1-tfl-over-sfc", parts, "profiling", note)


def _times(factor: float, each: Estimate) -> Estimate:
    return Estimate(factor * each.value, factor * each.error, each.freedom)


def _in_other_boxes(stored: _Stored, order: str) -> tuple[str, str]:
    """In how many boxes near ours the priors' errors have an order, and whose rows say so."""
    boxes = stored.boxes[PROFILING, "FREQ_ROI", "PRIOR"]
    so = [_in_order(stored, box, order) for box in boxes if box != interpretations.OURS]
    return f"{len(so)} boxes near ours, of which {sum(so)} have this order", "crowd-boxes"


def _in_order(stored: _Stored, box: str, order: str) -> bool:
    """Whether the priors' errors on the cabs have an order in a box."""
    for condition in _order(order):
        a, _, sign, b, _ = condition.split()
        one, other = (float(stored.boxes[PROFILING, k, "PRIOR"][box]["error"]) for k in (a, b))
        if not (abs(other - one) <= stored.margins.alike if sign == "=" else other > one):
            return False
    return True


def _mean_loss(stored: _Stored, data: str, goal: str, kinds: Sequence[str], by: str) -> Estimate:
    """Mean over priors of a strategy's mean loss, for the same users.

    Errors are added as if they went together.
    """
    each = [stored.of(data, goal, kind, by, "loss") for kind in kinds]
    values, errors = zip(*((one.value, one.error) for one in each), strict=True)
    return Estimate(float(np.mean(values)), float(np.mean(errors)), each[0].freedom)


def _takeaway_of_profiling(stored: _Stored) -> Finding:
    """Compare every strategy's mean loss by kind of prior, and by population."""
    probable, assigned = (
        {
            data: {s: _mean_loss(stored, data, PROFILING, kinds, s) for s in _ADD}
            for data in ALL_FOUR.split(", ")
        }
        for kinds in (loc.PROBABILISTIC, loc.LAST)
    )
    parts = {}
    for pair in _REGULARITY:
        steps = [
            predicates.greater(probable[data][s], assigned[data][s]) for data in pair for s in _ADD
        ]
        one, other = (probable[data] for data in pair)
        steps += [predicates.greater(one[s], other[s]) for s in _ADD]
        parts[", ".join(sorted(pair))] = predicates.every(*steps)
    note = (
        "shown: by how much a strategy's mean loss is larger for priors that are probabilities, or"
        f" for commuters, {_LESS}"
    )
    return _trend("crowd-takeaway-profiling", parts, "profiling", note)


def _localization(stored: _Stored) -> Iterator[Finding]:
    yield from _judge(stored, LOCALIZATION, _LOCALIZATION)
    yield _takeaway_of_localization(stored)


def _takeaway_of_localization(stored: _Stored) -> Finding:
    pop, hour = "ROI_DAY_WEEK POP", "LAST_HOUR PRIOR"
    assigned = [f"{kind} PRIOR" for kind in ("LAST_WEEK", "LAST_DAY")]
    probable = [f"{k} ALL" for k in ("FREQ_ROI", "ROI_DAY_WEEK")]
    worse = {CAB: (hour, [*probable, *assigned, "FREQ_ROI POP", pop])}
    worse |= dict.fromkeys(_PASSENGERS, (pop, [*probable, *assigned, hour]))
    taxis = stored.of(CAB, LOCALIZATION, *hour.split())
    parts = {}
    for data, (best, others) in worse.items():
        steps = [_condition(stored, data, LOCALIZATION, f"{best} < {each}") for each in others]
        if data != CAB:
            mine = stored.of(data, LOCALIZATION, *pop.split())
            steps.append(predicates.greater(taxis, mine))
        for s in ("MAX_ROI", "MAX_USER"):
            kinds = (loc.PROBABILISTIC, loc.LAST)
            losses = (_mean_loss(stored, data, LOCALIZATION, k, s) for k in kinds)
            steps.append(predicates.greater(*losses))
        parts[data] = predicates.every(*steps)
    note = (
        "shown: another error minus that of the strategy that is said to be best, or a difference"
        " of losses or of cities, of those the one nearest to failing"
    )
    return _trend("crowd-takeaway-localization", _both_cities(parts), "localization", note)


# -- trends of hours, of noise and of simulations --------------------------------------------------


def _by_hour(stored: _Stored) -> Iterator[Finding]:
    morning, midday, evening = list(crowd.PARTS)[:3]

    def more(data: str, part: str, than: str, what: str = "error") -> Trend:
        if (data, "local", part, than) in stored.parts:
            return predicates.greater(_number(data, stored.parts[data, "local", part, than], what))
        found = _number(data, stored.parts[data, "local", than, part], what)
        return predicates.greater(found._replace(value=0.0 - found.value))

    of_passengers = [more(COM, part, morning) for part in (midday, evening)]
    of_passengers += [more(COM, part, morning, "BAYES") for part in (midday, evening)]
    of_passengers.append(predicates.greater(_weekend_above_weekdays(stored)))
    note = (
        "shown: the prior's error, or what BAYES takes off it, in the later part of the day minus"
        " that in the morning, or what BAYES takes off at weekends minus that on weekdays, of those"
        " the one nearest to failing"
    )
    yield _trend("crowd-fig6-tfl-morning", {COM: predicates.every(*of_passengers)}, "hours", note)
    note = (
        f"judged by the clocks of {_listed(crowd.CLOCKS)}; {_OUR_BOX}; shown: by San Francisco's"
        " clock, the prior's error in the morning minus that at mid-day, or a difference of what"
        " the counts take off it, of those the one nearest to failing"
    )
    yield _trend("crowd-fig6-sfc-peak", _peak_by_clock(), "hours", note)


def _weekend_above_weekdays(stored: _Stored) -> Estimate:
    """What BAYES takes off at weekends minus the mean of what it takes off in parts of weekdays.

    Errors are added as if they went together.
    """
    *weekdays, weekend = list(crowd.PARTS)[:4]
    each = [_number(COM, stored.parts[COM, "local", part, weekend], "BAYES") for part in weekdays]
    values, errors = zip(*((one.value, one.error) for one in each), strict=True)
    return Estimate(-float(np.mean(values)), float(np.mean(errors)), each[0].freedom)


# -- the clock of Fig. 6 ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _BySetting(Trend):
    """A statement that is judged for several values of a setting that the paper does not print.

    It has a verdict if all of them give the same one; otherwise the setting decides.
    """

    others: Mapping[str, Trend] = field(default_factory=dict)
    setting: str = ""

    @property
    def verdict(self) -> str:
        own = Trend(self.parts).verdict
        same = all(each.verdict == own for each in self.others.values())
        return own if same else predicates.UNDECIDED

    @property
    def runs(self) -> str:
        verdicts = {name: each.verdict for name, each in self.others.items()}
        said = ", ".join(f"{verdict} by that of {name}" for name, verdict in verdicts.items())
        own = f"{Trend(self.parts).verdict} by {self.setting}"
        return f"{own}, {said}; the paper does not state which clock it uses"


def _by_clock(clock: str) -> pd.DataFrame:
    """The cabs' errors in parts of the week by a clock: of the prior, and what counts take off."""
    rows = crowd.hours.stored(CAB)
    there = (rows["hour"] + crowd.CLOCKS[clock] - crowd.CLOCKS["San Francisco"]) % 168
    found = {}
    for part, (days, hours) in crowd.PARTS.items():
        mean = rows[(there // 24).isin(days) & (there % 24).isin(hours)].mean(numeric_only=True)
        off = {name: mean["PRIOR"] - mean[name] for name in ("BAYES", "MAX_USER")}
        found[part] = {"PRIOR": mean["PRIOR"], **off}
    return pd.DataFrame.from_dict(found, orient="index")


def peak_conditions(clock: str) -> pd.DataFrame:
    """Compare parts of the week by a clock, as the paper does for the cabs of Fig. 6.

    Parameters
    ----------
    clock : str
        One of `experiments.CLOCKS`.

    Returns
    -------
    pandas.DataFrame
        Index: four conditions of the paper, and one that was used until the text was read again: it
        compares strategies at weekends. Columns: the side that should be larger, the other side,
        and whether it is. Errors are means over all cabs, so that nothing was sampled.
    """
    at = _by_clock(clock)
    morning, midday, _, weekend = list(crowd.PARTS)[:4]
    rows = {
        "the prior's error: morning above mid-day": (at["PRIOR"][morning], at["PRIOR"][midday]),
        "BAYES reduces it: mid-day above morning": (at["BAYES"][midday], at["BAYES"][morning]),
        "MAX_USER reduces it: mid-day above morning": (
            at["MAX_USER"][midday],
            at["MAX_USER"][morning],
        ),
        "at weekends: MAX_USER above BAYES": (at["MAX_USER"][weekend], at["BAYES"][weekend]),
        "(not used: MAX_USER at weekends above mid-day)": (
            at["MAX_USER"][weekend],
            at["MAX_USER"][midday],
        ),
    }
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["larger", "smaller"])
    return table.assign(holds=table["larger"] > table["smaller"])


def _peak_by_clock() -> Trend:
    """State what is said of Fig. 6b, by every clock."""
    trends = {}
    for clock in crowd.CLOCKS:
        sides = peak_conditions(clock)[["larger", "smaller"]].astype(float).iloc[:4]
        steps = (predicates.greater(large, small) for large, small in sides.to_numpy())
        trends[clock] = predicates.every(*steps)
    ours = trends.pop("San Francisco")
    return _BySetting(ours.parts, others=trends, setting="San Francisco's clock")


def _listed(names: Iterable[str]) -> str:
    """Names as a list in words."""
    *most, last = names
    return f"{', '.join(most)} and {last}"


def _under_noise(stored: _Stored) -> Iterator[Finding]:
    tried = unexplained(("three other transforms for FPA", "crowd-fpa"))
    on = (("tab3", "tfl", _PASSENGERS, _FAR_ABOVE), ("tab4", "sfc", (CAB,), _ORDER_ONLY))
    for table, mean, where, note in on:
        orders = {data: _ordered(stored, data, far=data != CAB) for data in where}
        yield _trend(f"crowd-{table}-order", orders, "noise", note, tried)
        rises = {
            d: predicates.increasing([stored.mre(d, "SpotMe", p) for p in crowd.PS]) for d in where
        }
        rise = f"shown: the error at p = {crowd.PS[-1]} minus that at p = {crowd.PS[0]}"
        rise = f"{_OUR_BOX}; {rise}" if mean == "sfc" else rise
        yield _trend(f"crowd-tab5-{mean}-monotone", rises, "spotme", rise)
    above = {d: predicates.greater(_mean_above_fpa(stored, d)) for d in _PASSENGERS}
    note = "on average over the budgets; shown: the gain under Lap(|T|/ε) minus that under FPA"
    yield _trend("crowd-fig7-fpa-below-scm-t", above, "noise", note)
    yield _spotme(stored)
    yield _price(stored)


_FAR_ABOVE = (
    f'"far above" means more than {MARGINS.far:g} times; shown: an error of the larger scales minus'
    f" {MARGINS.far:g} times that of FPA, or the error of FPA minus that of Lap(1/ε), {_LESS}"
)
_ORDER_ONLY = (
    "tested: the order only; that all values lie between 24 and 27 depends on the sanity bound,"
    f" which we chose after seeing this table; {_OUR_BOX}; shown: an error minus that of the next"
    " better mechanism, of the pair nearest to failing"
)


def _mean_above_fpa(stored: _Stored, data: str) -> Estimate:
    """Mean over the budgets of the gain under Lap(|T|/ε) minus that under FPA."""
    each = [stored.gain(data, "SCM Lap(|T|/ε)", e, "above FPA") for e in crowd.EPSILONS]
    values, errors = zip(*((one.value, one.error) for one in each), strict=True)
    return Estimate(float(np.mean(values)), float(np.mean(errors)), each[0].freedom)


_OUTPUT_NOISE = [(m, e) for m in crowd.OUTPUT for e in crowd.EPSILONS]
_ALL_NOISE = [*_OUTPUT_NOISE, *(("SpotMe", p) for p in crowd.PS)]


def _price(stored: _Stored) -> Finding:
    """State that wherever a gain is noticeable the error is large."""
    parts = {}
    for data in ALL_FOUR.split(", "):
        errors = [
            stored.mre(data, *each)
            for each in _ALL_NOISE
            if stored.gain(data, *each).value > stored.margins.noticeable
        ]
        parts[data] = predicates.every(
            *(predicates.beyond(each, stored.margins.large) for each in errors)
        )
    gains = {each: stored.gain(CAB, *each).value for each in _ALL_NOISE}
    noticed = [each for each in _ALL_NOISE if gains[each] > stored.margins.noticeable]
    first = min(noticed, key=lambda each: stored.mre(CAB, *each).value)
    missed = max((each for each in _ALL_NOISE if each not in noticed), key=lambda each: gains[each])
    note = (
        f'"noticeable" means a mean gain above {MARGINS.noticeable}, "large" an MRE above'
        f" {MARGINS.large:g} with a sanity bound of five users; {_under_every_bound(stored)};"
        f" {_OUR_BOX};"
        f" the gain of {_setting(*missed)}, {gains[missed]:.3f}, just fails to be noticeable;"
        f" shown: the smallest of these errors under our bound, that of {_setting(*first)}, minus"
        f" {MARGINS.large:g}"
    )
    return _trend("crowd-takeaway-dp", parts, "noise", note)


def _setting(mechanism: str, level: float) -> str:
    """A mechanism and its level in words."""
    return f"{mechanism} at {'p' if mechanism == 'SpotMe' else 'ε'} = {level:g}"


def _under_every_bound(stored: _Stored) -> str:
    """The smallest error of the cabs at a noticeable gain, under any constant sanity bound."""
    rows = interpretations.experiments.sanity_bounds.stored(CAB)
    rows = rows.assign(constant=pd.to_numeric(rows["bound"], errors="coerce")).dropna()
    found = []
    for mechanism, level in _ALL_NOISE:
        if stored.gain(CAB, mechanism, level).value > stored.margins.noticeable:
            name = f"{mechanism}, orthonormal" if mechanism == "FPA" else mechanism
            found.append(rows[(rows["mechanism"] == name) & (rows["level"] == level)])
    each = pd.concat(found)
    return (
        f"with bounds up to {each['constant'].max():g} users the smallest of these errors on the"
        f" cabs is {each['MRE'].min():.2f}"
    )


def _ordered(stored: _Stored, data: str, far: bool) -> Trend:
    """State that Lap(1/ε) errs least, then FPA, then the larger scales, far above it or not."""
    steps = []
    for e in crowd.EPSILONS:
        fpa = stored.mre(data, "FPA", e)
        steps.append(predicates.greater(fpa, stored.mre(data, crowd.SCM[3], e)))
        times = _times(stored.margins.far, fpa) if far else fpa
        steps += [predicates.greater(stored.mre(data, m, e), times) for m in crowd.SCM[:3]]
    found = predicates.every(*steps)
    return predicates.ours(found) if far else found


def _spotme(stored: _Stored) -> Finding:
    """Fig. 9: gains rise with p, strongly or negligibly; below those of costlier output noise.

    The paper calls a rise negligible that it prints as one from 0.04 to 0.1, so that here the word
    cannot mean a difference of at most `Margins.near`.
    """
    last = "SpotMe", crowd.PS[-1]
    cabs = stored.gain(CAB, *last, "above the least")
    little = [predicates.below(cabs, stored.margins.noticeable), *_cheaper(stored, CAB, cabs)]
    parts = {CAB: predicates.every(*little)}
    for data in _PASSENGERS:
        rise = stored.gain(data, *last, "above the least")
        parts[data] = predicates.every(
            predicates.greater(rise, cabs), *_cheaper(stored, data, rise)
        )
    note = (
        f'"negligibly" means by less than {MARGINS.noticeable} here, because the paper prints a'
        " rise from 0.04 to 0.1; output perturbation at its largest gain; shown:"
        f" {MARGINS.noticeable} minus the rise on the cabs, the rise, or a difference"
        " of gains or errors, of those the one nearest to failing"
    )
    return _trend("crowd-fig9-trend", _both_cities(parts), "spotme", note)


def _cheaper(stored: _Stored, data: str, rise: Estimate) -> list[Trend]:
    """What is said of SpotMe on one dataset: gains rise, and the largest output gain costs more."""
    last = "SpotMe", crowd.PS[-1]
    most = max(_OUTPUT_NOISE, key=lambda each: stored.gain(data, *each).value)
    costs = (
        predicates.greater(of(data, *most), of(data, *last)) for of in (stored.gain, stored.mre)
    )
    return [predicates.greater(rise), *costs]


def _simulated(stored: _Stored) -> Iterator[Finding]:
    js = crowd.js_distance.stored().iloc[0]
    cases = [js["smallest"] >= 0, js["largest"] <= 1 + 1e-12, js["triangles"] == 1]
    bounds = predicates.always(np.array(cases, bool))
    share = "shown: the share of the cases in which it is true"
    yield _trend("crowd-js-bounds", {"simulated": bounds}, "js", share)
    bias = crowd.spotme_bias.stored()["bias"]
    square = Estimate(float((bias**2).mean()), float(np.sqrt(2 / len(bias))))
    unbiased = predicates.close(predicates.estimate(bias), 0.0, 0.5)
    found = predicates.every(unbiased, predicates.close(square, 1.0, 1.0))
    note = (
        "within half a standard error; without bias, the standardised bias has a mean square near"
        " 1; shown: the mean bias in standard errors, or its mean square minus 1"
    )
    yield _trend("crowd-rr-unbiased", {"simulated": found}, "spotme", note)


_STATEMENTS = (_profiling, _localization, _by_hour, _under_noise, _simulated)


# -- decisions -------------------------------------------------------------------------------------


def decisions() -> pd.DataFrame:
    """Tabulate where the paper's text is unclear or wrong, and what was decided.

    Returns
    -------
    pandas.DataFrame
        Index: id in the published file, without the paper's name. Columns: where, what is unclear,
        decided.
    """
    file = claims.BOOK / "claims" / "published" / "crowd.yml"
    found = yaml.safe_load(file.read_text(encoding="utf-8"))["ambiguities"]
    rows = {each["id"].removeprefix("crowd-amb-"): each for each in found}
    table = pd.DataFrame.from_dict(rows, orient="index")[["where", "issue", "decision"]]
    return table.rename(columns={"issue": "what is unclear", "decision": "decided"})


# -- kinds of claims -------------------------------------------------------------------------------


def kind_of_evidence(name: str, note: str) -> str:
    """Name the kind of agreement of a reproduced claim, by how easily it could have failed.

    Parameters
    ----------
    name : str
        Id of the claim.
    note : str
        The remark on its verdict, which says if it was computed in our box of the map only.

    Returns
    -------
    str
        The kind, in words.
    """
    claim = claims.claim(name)
    if claim.quantity.startswith("count"):
        return "a count of the data file"
    if claim.quantity == "mean PG" and claim.value[0] == 0.36:
        return "a gain at which the noise hides everything"
    if claim.within:  # the paper has a word in place of a number
        what = "loss" if claim.quantity == "mean PL" else "gain"
        return f"a verbal result for a {what} near 0"
    return f"two decimals, in {'our box only' if only_in_our_box(note) else 'all eleven boxes'}"


def only_in_our_box(note: str) -> bool:
    """Whether the remark on a verdict says that we computed the number in our box of the map only.

    Parameters
    ----------
    note : str
        The remark.

    Returns
    -------
    bool
        False if we computed it in all boxes, or if it does not depend on the box.
    """
    return "in our box of the map only" in note


def why_input(reason: str) -> str:
    """Say why a claim about the data is an input.

    Parameters
    ----------
    reason : str
        What the lists of claims say about it.

    Returns
    -------
    str
        What we used the printed value for.

    Raises
    ------
    ValueError
        If the reason is not one of those that the lists have.
    """
    for start, why in _INPUTS.items():
        if reason.startswith(start):
            return why
    raise ValueError(f"unknown reason for an input: {reason!r}; known: {', '.join(_INPUTS)}")


_INPUTS = {  # how a reason begins, and the words for it
    "the surrogate was made from it": "the surrogate was built from it",
    "we chose the bounds": "it guided our choice of the box",
    "set": "we set it",
}


def explanation_tried(note: str) -> bool:
    """Whether the remark on a contradicted claim names more than the comparison of boxes.

    Parameters
    ----------
    note : str
        The remark. Each thing that was tried ends with the rows of an experiment in brackets.

    Returns
    -------
    bool
        False if we tried nothing, or only other boxes, which the rule requires anyway.
    """
    return note.count("(rows: ") > note.count("(rows: crowd-boxes)")


_SUBJECTS = {  # the first one of whose patterns occurs in a claim's strategy and id
    "MAX_ROI": ("MAX_ROI", "crowd-fig13-strategies"),
    "last week, last day, orders of priors": (
        "last-week",
        "last-day",
        "fig13-order",
        "prior-order",
    ),
    "the hour of the day": ("fig6",),
    "gains under noise": ("fig8",),
    "the number of cabs in the file": ("data",),
    "MAX_USER with TIME_DAY_WEEK": ("max-user",),
    "POP, and TIME_DAY_WEEK alone": ("",),
}


def subject(name: str) -> str:
    """Name the subject of a contradicted claim.

    Parameters
    ----------
    name : str
        Id of the claim.

    Returns
    -------
    str
        The subject, in words.
    """
    words = f"{claims.claim(name).setting.get('strategy')} {name}"
    return next(it for it, patterns in _SUBJECTS.items() if any(p in words for p in patterns))

"""What kept rows say of the claims of What Does The Crowd Say About You?

Numbers are looked up by what a claim says of its setting; each trend's predicate stands beside its
id. SFC is judged on the cabs themselves: all of the paper's own, so that without noise nothing was
sampled and no number of theirs has an error. TFL is judged on ten thousand synthetic commuters, a
stand-in, and where a trend is an order or a fall, on the flights by number too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from copy import copy
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pandas as pd
import yaml

from lib import localization as loc
from lib.execution.results import Row
from lib.papers import claims
from lib.papers import interpretations as shared
from lib.papers.aggregation_privacy import experiments as crowd
from lib.papers.aggregation_privacy import interpretations as readings
from lib.papers.claims import Estimate, Finding, Trend, Why, because, unexplained
from lib.papers.experiments import Experiment

DATA = {"sfc": "cabspotting", "tfl": "commuters"}
CAB, COM = DATA.values()
REGULAR, IRREGULAR = "flights-by-number", "flights-by-tail"
BOTH, LIKE_TFL = f"{CAB}, {COM}", f"{COM}, {REGULAR}"
ALL_FOUR = f"{BOTH}, {REGULAR}, {IRREGULAR}"
PROFILING, LOCALIZATION = crowd.GOALS
NEAR = 0.02  # what "small", "negligible" and "insignificant" allow, of an error or a loss
SLIGHT = 0.05  # what "slightly" and "quite low" allow
ALIKE = 0.005  # by how much errors may differ that the paper's order calls equal
FAR = 2.0  # times: what "far less" and "far above" ask for
NOTICEABLE, LARGE = 0.1, 1.0  # a gain, an MRE
NEGLIGIBLE = f"Negligible is a mean loss below {NEAR}."
HIGHLIGHTS = [  # claims that a page shows first
    "crowd-fig1-sfc-prof-prior-freq-roi-err",
    "crowd-fig1-sfc-prof-bayes-freq-roi-err",
    "crowd-fig1-maxroi-hurts-sfc",
    "crowd-fig13-sfc-prof-prior-last-week-err",
    "crowd-fig4-sfc-loc-all-freq-roi-err",
    "crowd-fig5-sfc-all-best",
    "crowd-fig9-sfc-pg-p0.9",
    "crowd-takeaway-dp",
]


def findings() -> Iterator[Finding]:
    """Everything there is to say about this paper's claims, from kept rows."""
    kept = _Kept()
    tried = findings_by_interpretation()
    best = shared.judged(tried).index[0]
    named = {**tried[best], **_under_bound()}
    families = (_numbers, _profiling, _localization, _by_hour, _behind_noise, _simulated)
    found = chain.from_iterable(family(kept) for family in families)
    yield from shared.with_named(found, named, CAB)


def findings_by_interpretation() -> dict[readings.Interpretation, shared.Found]:
    """Reading -> what is found on the cabs under it, without noise: id -> finding."""
    kept = _Kept()
    found: dict[readings.Interpretation, shared.Found] = {}
    for reading in readings.readings():
        other = copy(kept)
        other.errors, other.pairs = readings.rows_under(reading, kept.errors, kept.pairs)
        each = chain(_numbers(other), _profiling(other), _localization(other))
        found[reading] = {f.id: f for f in each if f.data == CAB and not _is_behind_noise(f.id)}
    return found


def findings_by_box() -> Mapping[str, shared.Found]:
    """Box of the grid, the book's first -> what is found in it on the cabs, without noise.

    Numbers of one strategy, by the paper's own base.
    """
    rows, found = readings.in_boxes(), defaultdict[str, dict[str, Finding]](dict)
    for name, claim in claims.published("crowd").query("dataset == 'sfc'").iterrows():
        where, column = _where(claim["setting"]), _COLUMNS.get(claim["quantity"])
        if where is None or column is None or _is_behind_noise(str(name)):
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


def _is_behind_noise(name: str) -> bool:
    where = claims.claim(name).setting
    return "mechanism" in where or ("goal" not in where and claims.claim(name).kind == "number")


def bounds(dataset: str = "sfc") -> pd.DataFrame:
    """How many MREs of Tables 4 and 5 (sfc) or 3 and 5 (tfl) every sanity bound meets.

    See `readings.of_bounds`. London's are judged on the stand-in, as if it were London.
    """
    return readings.rank_bounds(_mres(dataset), DATA[dataset])


def _mres(dataset: str = "sfc") -> dict[str, readings.Key]:
    """The published MREs of a dataset: claim -> mechanism and level."""
    found: dict[str, readings.Key] = {}
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
    best, found = bounds().index[0], {}
    for name, key in _mres().items():
        row = readings.bound_row(key, *best)
        here = Estimate(float(row["MRE"]), float(row["MRE se"]), readings.FREEDOM)
        found[name] = Finding(name, here, CAB, "crowd-noise", unexplained())
    return found


class _Kept:
    """Means and standard errors in the kept rows, by what they are of."""

    def __init__(self) -> None:
        self.facts = _rows(crowd.statistics, "data")
        self.errors = _rows(crowd.errors, "data goal prior strategy", REGULAR, IRREGULAR)
        self.pairs = _rows(crowd.pairs, "data goal prior first other second")
        self.parts = _rows(crowd.parts, "data clock part less")
        self.noise = _rows(crowd.noise, "data mechanism level what", REGULAR, IRREGULAR)
        self.boxes = readings.in_boxes()

    def of(self, data: str, goal: str, prior: str, strategy: str, what: str = "error") -> Estimate:
        return _number(data, self.errors[data, goal, prior, strategy], what)

    def less(
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

    def lower(self, data: str, goal: str, a: tuple[str, str], b: tuple[str, str]) -> Trend:
        """Whether a has a lower error than b."""
        return claims.greater(self.less(data, goal, b, a))

    def small(self, data: str, goal: str, prior: str, strategy: str, within: float = NEAR) -> Trend:
        """Whether a mean loss is small."""
        return claims.close(self.of(data, goal, prior, strategy, "loss"), 0.0, within)

    def behind(self, data: str, mechanism: str, level: float, what: str = "at") -> Row:
        return self.noise[data, mechanism, level, what]

    def gain(self, data: str, mechanism: str, level: float, what: str = "at") -> Estimate:
        """A mean gain; its error is that over users, though only noise was drawn: too large."""
        row = self.behind(data, mechanism, level, what)
        return Estimate(float(row["gain"]), float(row["gain se"]), row["users"] - 1)

    def mre(self, data: str, mechanism: str, level: float, what: str = "at") -> Estimate:
        row = self.behind(data, mechanism, level, what)
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
    name: str, found: Trend, cell: str, data: str = CAB, note: str = "", why: Why | None = None
) -> Finding:
    return Finding(name, found, data, f"crowd-{cell}", why or unexplained(), note)


# -- numbers ---------------------------------------------------------------------------------------

_OTHERS = "The stand-in is made of users' visits: it has neither the other cards nor their trips."
_BOX = "the papers do not print their grid; ours is the box that meets most of their statistics"
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


def _numbers(kept: _Kept) -> Iterator[Finding]:
    for name, claim in claims.published("crowd").iterrows():
        data, where = DATA.get(claim["dataset"]), claim["setting"]
        if claim["kind"] != "number" or data is None:
            continue
        if "mechanism" in where:
            found: Estimate | None = _number_of_noise(kept, claim, data)
            cell = "crowd-spotme" if "SpotMe" in where["mechanism"] else "crowd-noise"
        elif "goal" in where:
            found = _number_of_errors(kept, claim, data)
            cell = "crowd-hours" if "hours" in where else f"crowd-{where['goal']}"
        else:
            found, cell = _number_of_data(kept.facts[data,], str(name), where), "crowd-data"
        if found is not None:
            yield Finding(
                str(name),
                found,
                data,
                cell,
                _why(kept, claim),
                _note(where),
                _given(str(name), data),
            )
        elif "-data-tfl-" in str(name):
            yield Finding(str(name), None, data, cell, note=_OTHERS)


def _given(name: str, data: str) -> str:
    """How a fact about the data was set or fitted; nothing where it was counted or left free."""
    if "-data-" not in name or name in _COUNTED:
        return ""
    return _SET.get(name, _BOX if data == CAB else "")


def _number_of_errors(kept: _Kept, claim: pd.Series, data: str) -> Estimate | None:
    where, what = claim["setting"], claim["quantity"]
    if "hours" in where:
        return _number(data, kept.parts[data, "San Francisco", "12-16h", "nothing"], "error")
    goal, prior, strategy = where["goal"], where["prior"], where.get("strategy")
    if "better predicted" in what:
        return _number(
            data, kept.pairs[data, goal, prior, "MAX_ROI", prior, "MAX_USER"], "first better"
        )
    if strategy is None or what not in _COLUMNS:
        return None
    base = where.get("baseline", crowd.baseline(goal, prior))
    if what == "mean PL" and base != crowd.baseline(goal, prior):
        return _number(data, kept.pairs[data, goal, prior, base, prior, strategy], "loss of second")
    return kept.of(data, goal, prior, strategy, _COLUMNS[what])


def _number_of_noise(kept: _Kept, claim: pd.Series, data: str) -> Estimate:
    """MRE with its error over releases; privacy gain, on the cabs with that of `_drawn`.

    Of several budgets or scales, the number that decides: the smallest MRE, the gain that is
    farthest away.
    """
    where, gain = claim["setting"], claim["quantity"] == "mean PG"

    def at(name: str, level: float) -> Estimate:
        if not gain:
            return kept.mre(data, name, level)
        found = kept.gain(data, name, level)
        return found if data != CAB else _drawn(kept)._replace(value=found.value)

    if "p" in where:
        return at("SpotMe", where["p"])
    if isinstance(where.get("scale"), list):
        return min(at(_SCALES[scale], e) for scale in where["scale"] for e in crowd.EPSILONS)
    name = "FPA" if where["mechanism"] == "FPA" else _SCALES[where["scale"]]
    bound = str(where["epsilon"])
    if bound == "all" or bound.startswith("<="):
        most = crowd.EPSILONS[-1] if bound == "all" else float(bound.removeprefix("<="))
        each = [at(name, e) for e in crowd.EPSILONS if e <= most]
        return max(each, key=lambda found: abs(found.value - claim["value"][0]))
    return at(name, float(bound))


def _drawn(kept: _Kept) -> Estimate:
    """The error of a gain on the cabs from the drawn noise alone, of which no row is kept.

    Noise of the largest scale takes counts from end to end at every ε: how far these four gains
    are from each other is chance.
    """
    gains = [kept.gain(CAB, crowd.SCM[0], e).value for e in crowd.EPSILONS]
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


def _note(where: dict[str, Any]) -> str:
    """What was decided where the paper is silent, whatever came out."""
    if where.get("mechanism") == "FPA" and str(where["epsilon"]) in ("0.001", "0.01", "<=0.01"):
        return "so much noise that any mechanism gives about this: it proves little"
    if "mechanism" in where and where.get("strategy") is None:
        return "with a sanity bound of 5 users, chosen after seeing the published numbers"
    if "mechanism" in where:
        return "noise clipped and rounded, which the paper does not say"
    return ""


def _why(kept: _Kept, claim: pd.Series) -> Why:
    """What was tried for a number, in rows that are kept."""
    where, tried = claim["setting"], []
    if "hours" in where:
        london = kept.parts[CAB, "London", "12-16h", "nothing"]["error"]
        tried.append((f"London's clock, by which it is {london:.3f}", "crowd-parts"))
    elif where.get("mechanism") == "FPA":
        tried.append(
            (
                "three readings of the transform; the plain one, not mirrored, comes nearest",
                "crowd-fpa",
            )
        )
    elif where.get("prior") in loc.LAST and where["goal"] == PROFILING:
        tried.append(_OF_LAST)
    elif "mechanism" in where and where.get("strategy") is None:
        tried.append(("200 constants and four rules as the sanity bound", "crowd-bounds"))
    elif where.get("strategy") == "MAX_ROI" and where.get("goal") in (PROFILING, LOCALIZATION):
        tried.append(_OF_MAX_ROI)
    if claim["dataset"] == "sfc" and "mechanism" not in where and (key := _where(where)):
        values = [
            row[_COLUMNS[claim["quantity"]]]
            for each, row in kept.boxes[key].items()
            if each != readings.OURS
        ]
        tried.append(
            (
                f"{len(values)} boxes near ours, in which it is {min(values):.3f} to "
                f"{max(values):.3f}",
                "crowd-boxes",
            )
        )
    return unexplained(*tried)


_OF_MAX_ROI = "four orders of equals, and null left out of the assignment", "crowd-readings"
_OF_LAST = (
    "base 2, no root, the hours out alone, other lags, a season that does not slide",
    "crowd-last",
)


def published_means(goal: str) -> pd.DataFrame:
    """The means that the paper prints for the cabs, beside ours and half of its 95% interval.

    Raises ValueError for a number of a quantity that no column is known to hold.
    """
    kept = crowd.errors.stored(CAB)
    found = kept[kept["goal"] == goal].set_index(["prior", "strategy"])
    rows = {}
    for _, claim in claims.published("crowd").iterrows():
        where, column = claim["setting"], _COLUMNS.get(claim["quantity"])
        key = where.get("prior"), where.get("strategy")
        own = claim["dataset"] == "sfc" and where.get("goal") == goal and key in found.index
        if not own or claim["kind"] != "number" or "mechanism" in where:
            continue  # behind noise, the same prior and strategy have other numbers
        if column is None:
            raise ValueError(f"nothing is known to hold {claim['quantity']!r} of {key}")
        if column in ("error", "loss") and where.get("baseline") != "POP":
            here = crowd.with_interval(found.loc[[key]], column).iloc[0]
            half = here["95% high"] - here[column]
            rows[*key, column] = [claim["value"][0], here[column], half]
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.columns = pd.Index(["published", "here", "half interval"])
    return frame.set_axis(pd.MultiIndex.from_tuples(rows, names=["prior", "strategy", ""]))


# -- trends of profiling ---------------------------------------------------------------------------
# An id, its predicate, where it is shown, on what.
# fmt: off

_ADD = ("BAYES", "MAX_ROI", "MAX_USER")  # strategies that add the counts to a prior


def _profiling(kept: _Kept) -> Iterator[Finding]:
    yield from _profiling_by_habits(kept)
    yield from _profiling_by_the_last(kept)
    yield from _orders_of_priors(kept)
    yield _takeaway_of_profiling(kept)


def _profiling_by_habits(kept: _Kept) -> Iterator[Finding]:
    def far_more(regular: str, other: str) -> Trend:
        """Whether counts help the regular far more, whose prior errs less."""
        prior, loss = ([kept.of(data, PROFILING, "FREQ_ROI", strategy, what)
                        for data in (regular, other)]
                       for strategy, what in (("PRIOR", "error"), ("BAYES", "loss")))
        twice = Estimate(FAR * loss[1].value, FAR * loss[1].error, loss[1].freedom)
        return claims.every(claims.greater(prior[1], prior[0]),
                            claims.ours(claims.greater(loss[0], twice)))

    pairs = (COM, CAB), (REGULAR, IRREGULAR)
    found, why = claims.on_each({" against ".join(pair): far_more(*pair) for pair in pairs},
                                "crowd-errors")
    yield _trend("crowd-fig1-tfl-over-sfc", found, "profiling", ALL_FOUR,
                 f"far less is less than one part in {FAR:g}", why)
    yield _trend("crowd-fig1-maxroi-hurts-sfc", claims.every(
        _lower(kept, CAB, "FREQ_ROI", "PRIOR", "MAX_ROI"),
        _lower(kept, CAB, "FREQ_ROI", "BAYES", "PRIOR"),
        claims.below(kept.less(
            CAB, PROFILING, ("FREQ_ROI", "PRIOR"), ("FREQ_ROI", "BAYES")), SLIGHT),
        _lower(kept, CAB, "FREQ_ROI", "MAX_USER", "BAYES")), "profiling",
        note=f"slightly is by less than {SLIGHT}")
    for name, kind in (("fig2-sfc-maxroi-worse", "ROI_DAY_WEEK"), ("fig10-sfc-maxroi", "ROI_DAY")):
        yield _trend(f"crowd-{name}", _lower(kept, CAB, kind, "PRIOR", "MAX_ROI"), "profiling")
    small = f"Small is a mean loss below {NEAR}."
    for name, kind in (("fig3-tfl-bayes-small", "TIME_DAY_WEEK"), ("fig11-tfl-bayes", "TIME_DAY")):
        found = kept.small(COM, PROFILING, kind, "BAYES")
        yield _trend(f"crowd-{name}", found, "profiling", COM, small)


def _profiling_by_the_last(kept: _Kept) -> Iterator[Finding]:
    last = ("LAST_HOUR", "LAST_DAY", "LAST_WEEK")
    orders = " ".join(last), "LAST_HOUR ROI_DAY_WEEK", "LAST_HOUR FREQ_ROI"
    yield _trend("crowd-fig13-order", claims.every(*(_order(kept, CAB, each) for each in orders)),
                 "profiling", why=unexplained(_OF_LAST))
    yield _trend("crowd-fig13-strategies", claims.every(
        *(_lower(kept, CAB, k, s, "PRIOR") for k in last for s in ("BAYES", "MAX_USER")),
        *(_lower(kept, CAB, k, "PRIOR", "MAX_ROI") for k in last),
        *(kept.small(CAB, PROFILING, k, s, SLIGHT) for k in last for s in _ADD)),
        "profiling", note=f"low is a mean loss below {SLIGHT}", why=unexplained(_OF_MAX_ROI))
    yield _trend("crowd-fig12-hour-negligible", claims.every(
        *(kept.small(COM, PROFILING, "LAST_HOUR", s) for s in crowd.STRATEGIES)),
        "profiling", COM, NEGLIGIBLE)


def _orders_of_priors(kept: _Kept) -> Iterator[Finding]:
    yield _trend("crowd-fig2-vs-fig1", _order(kept, CAB, "ROI_DAY_WEEK FREQ_ROI"), "profiling")
    sfc = "LAST_HOUR ROI_DAY_WEEK ROI_DAY =LAST_DAY FREQ_ROI TIME_DAY_WEEK LAST_WEEK TIME_DAY"
    boxes = kept.boxes[PROFILING, "FREQ_ROI", "PRIOR"]
    so = [_in_order(kept, sfc, each) for each in boxes if each != readings.OURS]
    why = unexplained((f"{len(so)} boxes near ours, of which {sum(so)} have it", "crowd-boxes"))
    yield _trend("crowd-prior-order-sfc", _order(kept, CAB, sfc), "profiling", why=why)
    tfl = "LAST_DAY LAST_WEEK ROI_DAY_WEEK =LAST_HOUR ROI_DAY TIME_DAY_WEEK FREQ_ROI TIME_DAY"
    found, why = claims.on_each({d: _order(kept, d, tfl) for d in (COM, REGULAR)}, "crowd-errors")
    yield _trend("crowd-prior-order-tfl", found, "profiling", LIKE_TFL, why=why)


def _lower(kept: _Kept, data: str, kind: str, a: str, b: str) -> Trend:
    """Whether profiling from a prior errs less by strategy a than by b."""
    return kept.lower(data, PROFILING, (kind, a), (kind, b))


def _steps(kinds: str) -> Iterator[tuple[str, str, bool]]:
    """Two neighbours of an order of priors, and whether they are to err alike: =, within ALIKE."""
    for a, b in pairwise(kinds.split()):
        yield a.strip("="), b.strip("="), b.startswith("=")


def _order(kept: _Kept, data: str, kinds: str) -> Trend:
    """Whether the prior's error grows in this order, step by step."""
    found = []
    for a, b, alike in _steps(kinds):
        apart = kept.less(data, PROFILING, (a, "PRIOR"), (b, "PRIOR"))
        found.append(claims.close(apart, 0.0, ALIKE) if alike else claims.greater(0.0, apart))
    return claims.every(*found)


def _in_order(kept: _Kept, kinds: str, box: str) -> bool:
    """Whether the prior's errors on the cabs grow in this order in a box."""
    def error(kind: str) -> float:
        return float(kept.boxes[PROFILING, kind, "PRIOR"][box]["error"])

    steps = [(error(b) - error(a), alike) for a, b, alike in _steps(kinds)]
    return all(abs(step) <= ALIKE if alike else step > 0 for step, alike in steps)


def _takeaway_of_profiling(kept: _Kept) -> Finding:
    """Every strategy's mean loss over the priors of a kind, and of one population and another."""
    def loss(data: str, kinds: tuple[str, ...], strategy: str) -> Estimate:
        return _mean_of([kept.of(data, PROFILING, kind, strategy, "loss") for kind in kinds])

    of = {data: {kind: {s: loss(data, priors, s) for s in _ADD}
                 for kind, priors in (("probable", loc.PROBABILISTIC), ("assigned", loc.LAST))}
          for data in ALL_FOUR.split(", ")}
    parts = {data: claims.every(*(claims.greater(each["probable"][s], each["assigned"][s])
                                  for s in _ADD)) for data, each in of.items()}
    parts |= {f"{regular} against {other}": claims.every(*(
        claims.greater(of[regular]["probable"][s], of[other]["probable"][s]) for s in _ADD))
        for regular, other in ((COM, CAB), (REGULAR, IRREGULAR))}
    found, why = claims.on_each(parts, "crowd-errors")
    return _trend("crowd-takeaway-profiling", found, "profiling", ALL_FOUR, why=why)


def _mean_of(each: list[Estimate]) -> Estimate:
    """A mean of means of the same users; their errors are added as if they went together."""
    values, errors = zip(*((one.value, one.error) for one in each), strict=True)
    return Estimate(float(np.mean(values)), float(np.mean(errors)), each[0].freedom)


# -- trends of localization ------------------------------------------------------------------------


def _localization(kept: _Kept) -> Iterator[Finding]:
    yield from _localization_of_cabs(kept)
    yield from _localization_of_passengers(kept)
    last = ("LAST_HOUR PRIOR", "LAST_DAY PRIOR", "LAST_WEEK PRIOR")
    yield _trend("crowd-fig14-15-order", claims.every(
        *(_closer(kept, CAB, a, b) for a, b in pairwise(last)),
        *(_closer(kept, d, b, a) for d in (COM, REGULAR) for a, b in pairwise(last))),
        "localization", f"{BOTH}, {REGULAR}")
    yield _takeaway_of_localization(kept)


def _apart(kept: _Kept, data: str, a: str, b: str, what: str = "error") -> Estimate:
    """By how much less a errs than b in localizing: a prior and a strategy each, "FREQ_ROI ALL"."""
    (p, first), (q, second) = a.rsplit(" ", 1), b.rsplit(" ", 1)
    return kept.less(data, LOCALIZATION, (p, first), (q, second), what)


def _closer(kept: _Kept, data: str, a: str, b: str) -> Trend:
    return claims.greater(_apart(kept, data, b, a))


def _localization_of_cabs(kept: _Kept) -> Iterator[Finding]:
    def small(kind: str) -> Trend:
        return kept.small(CAB, LOCALIZATION, kind, "BAYES+ALL")

    greedy = "FREQ_ROI MAX_ROI", "FREQ_ROI MAX_USER"
    yield _trend("crowd-fig4-sfc-maxroi-consistent", claims.every(
        claims.greater(_apart(kept, CAB, *greedy, "better")),
        claims.greater(_apart(kept, CAB, *greedy[::-1], "loss"))), "localization")
    same = bool(_apart(kept, CAB, "FREQ_ROI BAYES+POP", "FREQ_ROI POP").value == 0)
    yield _trend("crowd-fig4-sfc-bayes-all", claims.every(
        small("FREQ_ROI"), claims.always([same]),
        _closer(kept, CAB, "FREQ_ROI ALL", "FREQ_ROI POP")), "localization", note=NEGLIGIBLE)
    yield _trend("crowd-fig5-sfc-all-best", claims.every(
        *(_closer(kept, CAB, "ROI_DAY_WEEK ALL", f"ROI_DAY_WEEK {s}")
          for s in ("POP", "BAYES+POP", "MAX_ROI", "MAX_USER"))), "localization")
    yield _trend("crowd-fig5-sfc-bayes-all", small("ROI_DAY_WEEK"), "localization", note=NEGLIGIBLE)
    pop = _apart(kept, CAB, "ROI_DAY_WEEK POP", "FREQ_ROI POP")
    yield _trend("crowd-fig5-vs-fig4-sfc", claims.every(
        _closer(kept, CAB, "ROI_DAY_WEEK ALL", "FREQ_ROI ALL"), claims.close(pop, 0.0, NEAR)),
        "localization")
    yield _trend("crowd-fig16-sfc-pop-worst", claims.every(
        *(_closer(kept, CAB, f"TIME_DAY_WEEK {s}", "TIME_DAY_WEEK POP")
          for s in ("ALL", "BAYES+ALL", "MAX_ROI", "MAX_USER"))), "localization")


def _localization_of_passengers(kept: _Kept) -> Iterator[Finding]:
    both = COM, REGULAR
    yield _trend("crowd-fig5-vs-fig4-tfl", claims.every(
        *(_closer(kept, d, f"ROI_DAY_WEEK {s}", f"FREQ_ROI {s}")
          for d in both for s in ("ALL", "POP")),
        *(claims.greater(_apart(kept, d, f"FREQ_ROI {s}", f"ROI_DAY_WEEK {s}", "loss"))
          for d in both for s in ("MAX_ROI", "MAX_USER"))), "localization", LIKE_TFL)
    for name, kind in (("fig4", "FREQ_ROI"), ("fig16", "TIME_DAY_WEEK")):
        apart = [_apart(kept, d, f"{kind} BAYES+POP", f"{kind} POP") for d in both]
        yield _trend(f"crowd-{name}-tfl-pop-bayes",
                     claims.every(*(claims.close(each, 0.0, NEAR) for each in apart)),
                     "localization", LIKE_TFL,
                     f"no advantage is a difference of errors below {NEAR}")
    yield _trend("crowd-fig14-tfl-max-user-consistent", claims.every(
        *(claims.greater(_apart(kept, d, f"{k} MAX_ROI", f"{k} MAX_USER", "worse"))
          for d in both for k in ("LAST_WEEK", "LAST_DAY"))), "localization", LIKE_TFL)


def _takeaway_of_localization(kept: _Kept) -> Finding:
    def lower(data: str, a: str, b: str) -> Trend:
        (p, first), (q, second) = a.split(), b.split()
        return kept.lower(data, LOCALIZATION, (p, first), (q, second))

    def loss(data: str, kinds: tuple[str, ...], strategy: str) -> Estimate:
        return _mean_of([kept.of(data, LOCALIZATION, kind, strategy, "loss") for kind in kinds])

    pop, hour = "ROI_DAY_WEEK POP", "LAST_HOUR PRIOR"
    assigned = [f"{kind} PRIOR" for kind in ("LAST_WEEK", "LAST_DAY")]
    probable = [f"{k} ALL" for k in ("FREQ_ROI", "ROI_DAY_WEEK")]
    taxis = kept.of(CAB, LOCALIZATION, *hour.split())
    parts = {CAB: [lower(CAB, hour, each) for each in (*probable, *assigned, "FREQ_ROI POP", pop)]}
    for d in (COM, REGULAR):
        parts[d] = [lower(d, pop, each) for each in (*probable, *assigned, hour)]
        parts[d] += [claims.greater(taxis, kept.of(d, LOCALIZATION, *pop.split()))]
    for d, each in parts.items():
        each += [claims.greater(loss(d, loc.PROBABILISTIC, s), loss(d, loc.LAST, s))
                 for s in ("MAX_ROI", "MAX_USER")]
    found, why = claims.on_each({d: claims.every(*each) for d, each in parts.items()},
                                "crowd-errors", "crowd-pairs")
    return _trend("crowd-takeaway-localization", found, "localization", f"{BOTH}, {REGULAR}",
                  why=why)


# -- trends of hours, of noise and of simulations --------------------------------------------------


def _by_hour(kept: _Kept) -> Iterator[Finding]:
    morning, midday, evening, weekend = list(crowd.PARTS)[:4]

    def less(data: str, part: str, than: str, what: str = "error") -> Estimate:
        if (data, "local", part, than) in kept.parts:
            return _number(data, kept.parts[data, "local", part, than], what)
        found = _number(data, kept.parts[data, "local", than, part], what)
        return found._replace(value=0.0 - found.value)

    yield _trend("crowd-fig6-tfl-morning", claims.every(
        *(claims.greater(less(COM, p, morning)) for p in (midday, evening)),
        *(claims.greater(less(COM, p, morning, "BAYES")) for p in (midday, evening, weekend))),
        "hours", COM)
    yield _trend("crowd-fig6-sfc-peak", claims.every(
        claims.greater(less(CAB, morning, midday)),
        claims.greater(less(CAB, midday, morning, "BAYES")),
        claims.greater(less(CAB, midday, morning, "MAX_USER")),
        claims.greater(less(CAB, weekend, midday, "MAX_USER"))), "hours", why=unexplained((
            "London's clock, by which the prior errs {:.3f} in the morning and {:.3f} at mid-day"
            .format(*(kept.parts[CAB, "London", each, "nothing"]["error"]
                      for each in ("7-10h", "12-16h"))), "crowd-parts")))


def _behind_noise(kept: _Kept) -> Iterator[Finding]:
    readings = unexplained(("three other readings of FPA's transform", "crowd-fpa"))
    for name, where in (("crowd-tab3-order", (COM, REGULAR)), ("crowd-tab4-order", (CAB,))):
        found = claims.every(*(_ordered(kept, data, far=data != CAB) for data in where))
        yield _trend(name, found, "noise", ", ".join(where), why=readings)
    for name, where in (("crowd-tab5-tfl-monotone", (COM, REGULAR)),
                        ("crowd-tab5-sfc-monotone", (CAB,))):
        rises = [claims.increasing([kept.mre(d, "SpotMe", p) for p in crowd.PS]) for d in where]
        yield _trend(name, claims.every(*rises), "spotme", ", ".join(where))
    above = {f"{d} at ε = {e:g}": claims.greater(kept.gain(d, "SCM Lap(|T|/ε)", e, "above FPA"))
             for d in (COM, REGULAR) for e in crowd.EPSILONS}
    found, why = claims.on_each(above, "crowd-noise")
    yield _trend("crowd-fig7-fpa-below-scm-t", found, "noise", LIKE_TFL, "at every ε", why)
    yield _spotme(kept)
    yield _price(kept)


def _price(kept: _Kept) -> Finding:
    """Wherever a gain is noticeable the error is large."""
    cheap, cases = [], []
    for d in ALL_FOUR.split(", "):
        for mechanism, level in _ALL_NOISE:
            gain, mre = (f(d, mechanism, level).value for f in (kept.gain, kept.mre))
            if gain > NOTICEABLE:
                cases.append(bool(mre > LARGE))
            if gain > NOTICEABLE and mre <= LARGE:
                cheap.append(f"{mechanism} at {level:g} on {d}: {gain:.2f} at {mre:.2f}")
    note = f"noticeable is a mean gain above {NOTICEABLE}, large an MRE above {LARGE:g}"
    return _trend("crowd-takeaway-dp", claims.ours(claims.always(cases)), "noise", ALL_FOUR, note,
                  because(f"a gain for less: {'; '.join(cheap)}", "crowd-noise"))


_ALL_NOISE = [*((m, e) for m in crowd.OUTPUT for e in crowd.EPSILONS),
              *(("SpotMe", p) for p in crowd.PS)]


def _ordered(kept: _Kept, data: str, far: bool) -> Trend:
    """Lap(1/ε) below FPA below the larger scales: far below them, or all meeting between 24 and 27.

    Table 3 says that the larger scales are far above and saturate; Table 4 where all meet.
    """
    steps, least = [], crowd.EPSILONS[0]
    for e in crowd.EPSILONS:
        fpa = kept.mre(data, "FPA", e)
        steps.append(claims.greater(fpa, kept.mre(data, crowd.SCM[3], e)))
        times = Estimate(FAR * fpa.value, FAR * fpa.error, fpa.freedom) if far else fpa
        steps += [claims.greater(kept.mre(data, m, e), times) for m in crowd.SCM[:3]]
    if far:
        return claims.ours(claims.every(*steps))
    for m in (*crowd.SCM[:3], "FPA"):
        found = kept.mre(data, m, least)
        steps += [claims.greater(found, 24), claims.greater(27, found)]
    return claims.every(*steps)


def _spotme(kept: _Kept) -> Finding:
    """Fig. 9: gains rise with p, strongly or hardly; below those of costlier output noise."""
    rise = {d: kept.gain(d, "SpotMe", crowd.PS[-1], "above the least") for d in (COM, REGULAR, CAB)}
    steps = [claims.greater(each) for each in rise.values()]
    steps += [claims.greater(rise[d], rise[CAB]) for d in (COM, REGULAR)]
    steps.append(claims.below(rise[CAB], NOTICEABLE))
    for d in rise:
        most = max(((m, e) for m in crowd.OUTPUT for e in crowd.EPSILONS),
                   key=lambda each: kept.gain(d, *each).value)
        steps += [claims.greater(kept.gain(d, *most), kept.gain(d, "SpotMe", crowd.PS[-1])),
                  claims.greater(kept.mre(d, *most), kept.mre(d, "SpotMe", crowd.PS[-1]))]
    return _trend("crowd-fig9-trend", claims.every(*steps), "spotme", f"{BOTH}, {REGULAR}",
                  f"hardly is by less than {NOTICEABLE}; output perturbation at its largest gain")


def _simulated(kept: _Kept) -> Iterator[Finding]:
    js = crowd.js_distance.stored().iloc[0]
    cases = [js["smallest"] >= 0, js["largest"] <= 1 + 1e-12, js["triangles"] == 1]
    yield _trend("crowd-js-bounds", claims.always(np.array(cases, bool)), "js", "simulated")
    bias = crowd.spotme_bias.stored()["bias"]
    square = Estimate(float((bias**2).mean()), float(np.sqrt(2 / len(bias))))
    unbiased = claims.close(claims.estimate(bias), 0.0, 0.5)
    yield _trend("crowd-rr-unbiased", claims.every(unbiased, claims.close(square, 1.0, 1.0)),
                 "spotme", "simulated", "within half a standard error; the standardised bias has a "
                 "mean square near 1 where there is none")


# -- decisions -------------------------------------------------------------------------------------


def decisions() -> pd.DataFrame:
    """Where the paper's text is unclear or wrong, and what was decided, from the published file.

    Index: id, without the paper's; columns: where, what is unclear, decided.
    """
    file = claims.BOOK / "claims" / "published" / "crowd.yml"
    found = yaml.safe_load(file.read_text(encoding="utf-8"))["ambiguities"]
    rows = {each["id"].removeprefix("crowd-amb-"): each for each in found}
    table = pd.DataFrame.from_dict(rows, orient="index")[["where", "issue", "decision"]]
    return table.rename(columns={"issue": "what is unclear", "decision": "decided"})

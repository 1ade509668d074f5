"""Which reading of what the crowd paper leaves open meets most of its numbers on the cabs.

Each declared reading (`lib.studies.crowd_readings`) is judged on all numbers that hang on it, as
the literal one is; so is a paper with its numbers dealt out anew, which says what luck gives. The
best is chosen after the numbers were seen: it makes a claim's `named_verdict`, and no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from lib import claims
from lib.claims import Claim, Finding
from lib.store import Row
from lib.studies import crowd_readings as studies

CAB = "cabspotting"
MEASURES = ("error", "loss", "better", "worse")
MET = ("reproduced", "holds")
SHUFFLES = 2000
FREEDOM = studies.N_RELEASES - 1
LEAST, MOST = 1.0, 20.0  # constants, in users, among which luck is asked for


class Reading(NamedTuple):
    """Of MAX_ROI's null and ties, and of the users over whom shares are taken."""

    null: str
    ties: str
    over: str


LITERAL = Reading(*studies.AS_PRINTED, studies.EVERYBODY)


def readings() -> list[Reading]:
    over = (studies.EVERYBODY, studies.SEEN)
    return [Reading(*each) for each in product(studies.NULL_ROW, studies.TIES, over)]


# -- MAX_ROI ---------------------------------------------------------------------------------------


def under(
    reading: Reading, errors: Mapping[Any, Row], pairs: Mapping[Any, Row]
) -> tuple[dict[Any, Row], dict[Any, Row]]:
    """Rows of the cabs' errors and pairs, with what a reading changes in them.

    errors, pairs  as `lib.findings.crowd` keeps them, by data, goal, prior, strategy (and, twice,
                   for pairs); what nothing under the reading says of a pair is left out
    """
    found, two = dict(errors), {k: v for k, v in pairs.items() if not _of_max_roi(k)}
    if reading.over == studies.SEEN:
        for (goal, prior, strategy), row in _seen().items():
            known = found[CAB, goal, prior, strategy]
            found[CAB, goal, prior, strategy] = {**known, **row}
    for (goal, prior), row in _max_roi(reading).items():
        found[CAB, goal, prior, "MAX_ROI"] = row
        other = found[CAB, goal, prior, "MAX_USER"]
        apart: Row = {each: row[each] - other[each] for each in MEASURES}
        better = {"first better": row["over MAX_USER"]}
        two[CAB, goal, prior, "MAX_ROI", prior, "MAX_USER"] = apart | better
        if goal == "localization" and row["loss of POP"] == row["loss of POP"]:
            base = found[CAB, goal, prior, "POP"]
            apart = {each: base[each] - row[each] for each in MEASURES}
            two[CAB, goal, prior, "POP", prior, "MAX_ROI"] = apart | {
                "loss of second": row["loss of POP"]
            }
    return found, two


def _of_max_roi(key: tuple[Any, ...]) -> bool:
    return key[0] == CAB and "MAX_ROI" in (key[3], key[5])


def _max_roi(reading: Reading) -> dict[Any, Row]:
    """(goal, prior) -> MAX_ROI's row of means, over the draws where equals are drawn."""
    kept = studies.readings.kept(CAB)
    kept = kept[(kept["null"] == reading.null) & (kept["ties"] == reading.ties)]
    means = kept.groupby(["goal", "prior"]).mean(numeric_only=True).drop(columns="draw")
    if reading.over == studies.SEEN:
        for each in ("better", "worse", "over MAX_USER"):
            means[each] = means[f"{each}, seen"]
    rows: list[Any] = means.to_dict("records")
    return dict(zip(means.index, rows, strict=True))


def _seen() -> dict[Any, Row]:
    kept = studies.shares.kept(CAB)
    kept = kept[kept["strategy"] != "MAX_ROI"]
    keys = zip(kept["goal"], kept["prior"], kept["strategy"], strict=True)
    rows: list[Any] = kept[["better", "worse"]].to_dict("records")
    return dict(zip(keys, rows, strict=True))


Found = dict[str, Finding]


def judged(found: Mapping[Reading, Found]) -> pd.DataFrame:
    """How much each reading meets: what was found under it, id -> finding, best first.

    Columns: numbers met, and those within 0.01, of all numbers; numbers met of those that readings
    change; trends that hold, of all on the cabs; the mean difference.
    """
    numbers = _moving(found)
    everything = [name for name in found[LITERAL] if _is_number(name)]
    trends = [name for name in found[LITERAL] if not _is_number(name)]
    rows = {}
    for reading, each in found.items():
        apart = [abs(_value(each[name]) - claims.claim(name).value[0]) for name in everything]
        rows[reading] = {
            "met": _count(each, everything), "numbers": len(everything),
            "within 0.01": int(sum(a <= 0.01 + 1e-12 for a in apart)),
            "met, of those that move": _count(each, numbers), "that move": len(numbers),
            "trends that hold": _count(each, trends), "trends": len(trends),
            "mean difference": float(np.mean(apart)),
        }  # fmt: skip
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index = pd.MultiIndex.from_tuples(rows, names=Reading._fields)
    return table.sort_values(["met", "mean difference"], ascending=[False, True])


def best(table: pd.DataFrame) -> Reading:
    return Reading(*table.index[0])


def by_chance(found: Mapping[Reading, Found], seed: int = 2017) -> dict[str, float]:
    """What the best reading meets of published numbers that are dealt out anew within their kind.

    Of `SHUFFLES` deals: the mean and 95% quantile of the numbers met by the best of all readings,
    and by a random one. Only numbers that readings change count.
    """
    numbers = _moving(found)
    here = np.array([[_value(each[name]) for name in numbers] for each in found.values()])
    published = [claims.claim(name) for name in numbers]
    kinds = np.array([f"{c.setting['goal']} {c.quantity}" for c in published])
    values = np.array([c.value[0] for c in published])
    slack = np.array([claims.tolerance(c, 0.0) for c in published]) + 1e-12
    rng = np.random.default_rng(seed)
    met = np.empty((SHUFFLES, len(found)))
    for i in range(SHUFFLES):
        dealt, within = values.copy(), slack.copy()
        for kind in set(kinds):
            of = np.flatnonzero(kinds == kind)
            order = rng.permutation(of)
            dealt[of], within[of] = values[order], slack[order]
        met[i] = (np.abs(here - dealt) <= within).sum(axis=1)
    top = met.max(axis=1)
    return {"best, mean": top.mean(), "best, 95%": np.quantile(top, 0.95), "any, mean": met.mean()}


def _moving(found: Mapping[Reading, Found]) -> list[str]:
    """The numbers that are not the same under all readings."""
    return [
        name for name in found[LITERAL] if _is_number(name)
        and len({round(_value(each[name]), 9) for each in found.values()}) > 1
    ]  # fmt: skip


def _is_number(name: str) -> bool:
    return claims.claim(name).kind == "number"


def _value(finding: Finding) -> float:
    return float(getattr(finding.here, "value", finding.here))  # type: ignore[arg-type]


def _count(found: Found, names: Iterable[str]) -> int:
    return sum(claims.judge(claims.claim(name), found[name]) in MET for name in names)


# -- the sanity bound ------------------------------------------------------------------------------

Key = tuple[str, float]  # a mechanism and its level


def of_bounds(keys: Mapping[str, Key], data: str = CAB) -> pd.DataFrame:
    """How many published MREs each bound meets, under each reading of FPA; best first.

    keys  claim -> the mechanism and level that it is of
    data  on which kept rows

    Index: bound, FPA's transform. Columns: met, of numbers, mean relative difference.
    """
    kept = studies.bounds.kept(data)
    rows = dict(iter(kept.groupby(["mechanism", "level"])))
    parts = []
    for name, (mechanism, level) in keys.items():
        for transform in studies.READINGS:
            known = (mechanism, level) in rows
            of = rows[mechanism if known else f"{mechanism}, {transform}", level]
            parts.append(_apart(claims.claim(name), of).assign(transform=transform))
    each = pd.concat(parts).rename(columns={"transform": "FPA's transform"})
    table = each.groupby(["bound", "FPA's transform"], sort=False).agg(
        met=("met", "sum"), numbers=("met", "size"), off=("off", "mean")
    )  # fmt: skip
    table = table.rename(columns={"off": "mean relative difference"})
    return table.sort_values(["met", "mean relative difference"], ascending=[False, True])


def _apart(claim: Claim, rows: pd.DataFrame) -> pd.DataFrame:
    """Whether a number is met under each bound, and how far off it is: `claims.agrees`, at once."""
    digit = claims.tolerance(claim, 0.0)
    within = digit + (claims.tolerance(claim, 1.0, FREEDOM) - digit) * rows["MRE se"]
    away = (rows["MRE"] - claim.value[0]).abs()
    return pd.DataFrame({"bound": rows["bound"], "met": away <= within,
                         "off": away / claim.value[0]})  # fmt: skip


def row_of(key: Key, bound: str, transform: str) -> Row:
    """What is kept of a mechanism at a level under one bound and one reading of FPA."""
    kept = studies.bounds.kept(CAB)
    names = kept["mechanism"].isin([key[0], f"{key[0]}, {transform}"])
    (row,) = kept[names & (kept["level"] == key[1]) & (kept["bound"] == bound)].to_dict("records")
    return dict(row)  # type: ignore[arg-type]


def share_of_constants(table: pd.DataFrame, least: int) -> float:
    """The share of constants from `LEAST` to `MOST` that meet at least so many, with any FPA."""
    met = table["met"].groupby(level="bound", sort=False).max()
    values = pd.to_numeric(pd.Series(met.index), errors="coerce").to_numpy()
    among = (values >= LEAST) & (values <= MOST)
    return float((met.to_numpy()[among] >= least).mean())


def with_named(findings: Iterable[Finding], named: Mapping[str, Finding]) -> Iterator[Finding]:
    """The findings, those of the cabs alone with what they are under the named reading."""
    for each in findings:
        other = named.get(each.id)
        yield replace(each, named=other) if other and each.data == CAB else each

"""Which reading of what the crowd paper leaves open meets most of its numbers on the cabs.

Rows of `lib.papers.aggregation_privacy.interpretation_experiments`, judged as `lib.papers.interpretations` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

import pandas as pd

from lib.execution.results import Row
from lib.papers import claims
from lib.papers import interpretations as shared
from lib.papers.aggregation_privacy import interpretation_experiments as experiments
from lib.papers.claims import Claim

CAB = "cabspotting"
MEASURES = ("error", "loss", "better", "worse")
FREEDOM = experiments.N_RELEASES - 1
LEAST, MOST = 1.0, 20.0  # constants, in users, among which luck is asked for


class Interpretation(NamedTuple):
    """Of MAX_ROI's null and ties, and of the users over whom shares are taken."""

    null: str
    ties: str
    over: str


LITERAL = Interpretation(*experiments.AS_PRINTED, experiments.ALL_USERS)


def readings() -> list[Interpretation]:
    """All of them, the literal one first."""
    over = (experiments.ALL_USERS, experiments.OBSERVED)
    return [Interpretation(*each) for each in product(experiments.NULL_ROW, experiments.TIES, over)]


# -- MAX_ROI ---------------------------------------------------------------------------------------


def rows_under(
    reading: Interpretation, errors: Mapping[Any, Row], pairs: Mapping[Any, Row]
) -> tuple[dict[Any, Row], dict[Any, Row]]:
    """Rows of the cabs' errors and pairs, with what a reading changes in them.

    errors, pairs  as `lib.papers.aggregation_privacy.claims` keeps them, by data, goal, prior, strategy (and, twice,
                   for pairs); what nothing under the reading says of a pair is left out
    """
    found, two = dict(errors), {k: v for k, v in pairs.items() if not _of_max_roi(k)}
    if reading.over == experiments.OBSERVED:
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


def _max_roi(reading: Interpretation) -> dict[Any, Row]:
    """(goal, prior) -> MAX_ROI's row of means, over the draws where equals are drawn."""
    kept = experiments.interpretations.stored(CAB)
    kept = kept[(kept["null"] == reading.null) & (kept["ties"] == reading.ties)]
    means = kept.groupby(["goal", "prior"]).mean(numeric_only=True).drop(columns="draw")
    if reading.over == experiments.OBSERVED:
        for each in ("better", "worse", "over MAX_USER"):
            means[each] = means[f"{each}, seen"]
    rows: list[Any] = means.to_dict("records")
    return dict(zip(means.index, rows, strict=True))


def _seen() -> dict[Any, Row]:
    kept = experiments.shares_of_observed.stored(CAB)
    kept = kept[kept["strategy"] != "MAX_ROI"]
    keys = zip(kept["goal"], kept["prior"], kept["strategy"], strict=True)
    rows: list[Any] = kept[["better", "worse"]].to_dict("records")
    return dict(zip(keys, rows, strict=True))


def kind(claim: Claim) -> str:
    """Among which published numbers one is dealt out anew."""
    return f"{claim.setting['goal']} {claim.quantity}"


def table(found: Mapping[Interpretation, shared.Found]) -> pd.DataFrame:
    """`lib.papers.interpretations.judged`, its index in the three things that readings differ in."""
    judged = shared.judged(found)
    judged.index = pd.MultiIndex.from_tuples(judged.index, names=Interpretation._fields)
    return judged


# -- the cabs' box ---------------------------------------------------------------------------------

OURS = experiments.OURS


def in_boxes() -> dict[tuple[str, str, str], dict[str, Row]]:
    """(goal, prior, strategy) -> the box, the book's first -> its row of means on the cabs."""
    rows: list[Any] = experiments.errors_in_boxes.stored(CAB).to_dict("records")
    found: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in rows:
        found.setdefault((row["goal"], row["prior"], row["strategy"]), {})[row["box"]] = row
    return found


# -- the sanity bound ------------------------------------------------------------------------------

Key = tuple[str, float]  # a mechanism and its level


def rank_bounds(keys: Mapping[str, Key], data: str = CAB) -> pd.DataFrame:
    """How many published MREs each bound meets, under each reading of FPA; best first.

    keys  claim -> the mechanism and level that it is of
    data  on which kept rows

    Index: bound, FPA's transform. Columns: met, of numbers, mean relative difference.
    """
    kept = experiments.sanity_bounds.stored(data)
    rows = dict(iter(kept.groupby(["mechanism", "level"])))
    parts = []
    for name, (mechanism, level) in keys.items():
        for transform in experiments.FPA_INTERPRETATIONS:
            known = (mechanism, level) in rows
            of = rows[mechanism if known else f"{mechanism}, {transform}", level]
            parts.append(_apart(claims.claim(name), of).assign(transform=transform))
    each = pd.concat(parts).rename(columns={"transform": "FPA's transform"})
    table = each.groupby(["bound", "FPA's transform"], sort=False).agg(
        met=("met", "sum"), numbers=("met", "size"), off=("off", "mean")
    )
    table = table.rename(columns={"off": "mean relative difference"})
    return table.sort_values(["met", "mean relative difference"], ascending=[False, True])


def _apart(claim: Claim, rows: pd.DataFrame) -> pd.DataFrame:
    """Whether a number is met under each bound, and how far off it is: `claims.agrees`, at once."""
    digit = claims.tolerance(claim, 0.0)
    within = digit + (claims.tolerance(claim, 1.0, FREEDOM) - digit) * rows["MRE se"]
    away = (rows["MRE"] - claim.value[0]).abs()
    return pd.DataFrame(
        {"bound": rows["bound"], "met": away <= within, "off": away / claim.value[0]}
    )


def bound_row(key: Key, bound: str, transform: str) -> Row:
    """What is kept of a mechanism at a level under one bound and one reading of FPA."""
    kept = experiments.sanity_bounds.stored(CAB)
    names = kept["mechanism"].isin([key[0], f"{key[0]}, {transform}"])
    (row,) = kept[names & (kept["level"] == key[1]) & (kept["bound"] == bound)].to_dict("records")
    return dict(row)  # type: ignore[arg-type]


def share_of_constants(table: pd.DataFrame, least: int) -> float:
    """The share of constants from `LEAST` to `MOST` that meet at least so many, with any FPA."""
    met = table["met"].groupby(level="bound", sort=False).max()
    values = pd.to_numeric(pd.Series(met.index), errors="coerce").to_numpy()
    among = (values >= LEAST) & (values <= MOST)
    return float((met.to_numpy()[among] >= least).mean())

"""Which interpretation of the paper on aggregation privacy matches most of its numbers on the cabs.

Stored rows of `interpretation_experiments`, judged by `lib.papers.interpretations`.
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
    """A decision for each place where the paper's text can be read in several ways.

    Attributes
    ----------
    null : str
        How MAX_ROI treats null, a name in `experiments.NULL_ROW`.
    ties : str
        How MAX_ROI breaks ties, a name in `experiments.TIES`.
    over : str
        Users over whom shares are taken.
    """

    null: str
    ties: str
    over: str


LITERAL = Interpretation(*experiments.AS_PRINTED, experiments.ALL_USERS)


def interpretations() -> list[Interpretation]:
    """List all interpretations, the literal one first.

    Returns
    -------
    list of Interpretation
        The interpretations.
    """
    over = (experiments.ALL_USERS, experiments.OBSERVED)
    return [Interpretation(*each) for each in product(experiments.NULL_ROW, experiments.TIES, over)]


# -- MAX_ROI ---------------------------------------------------------------------------------------


def rows_under(
    interpretation: Interpretation, errors: Mapping[Any, Row], pairs: Mapping[Any, Row]
) -> tuple[dict[Any, Row], dict[Any, Row]]:
    """Replace in the cabs' errors and pairs what an interpretation changes.

    Parameters
    ----------
    interpretation : Interpretation
        The interpretation.
    errors : mapping of Any to Row
        Rows by data, goal, prior and strategy.
    pairs : mapping of Any to Row
        Rows by data, goal, and prior and strategy twice.

    Returns
    -------
    tuple of dict
        Errors and pairs under the interpretation; pairs that nothing stored gives are left out.
    """
    found, two = dict(errors), {k: v for k, v in pairs.items() if not _of_max_roi(k)}
    if interpretation.over == experiments.OBSERVED:
        for (goal, prior, strategy), row in _seen().items():
            known = found[CAB, goal, prior, strategy]
            found[CAB, goal, prior, strategy] = {**known, **row}
    for (goal, prior), row in _max_roi(interpretation).items():
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


def _max_roi(interpretation: Interpretation) -> dict[Any, Row]:
    """(goal, prior) -> MAX_ROI's row of means, over the draws where equals are drawn."""
    stored = experiments.interpretations.stored(CAB)
    stored = stored[
        (stored["null"] == interpretation.null) & (stored["ties"] == interpretation.ties)
    ]
    means = stored.groupby(["goal", "prior"]).mean(numeric_only=True).drop(columns="draw")
    if interpretation.over == experiments.OBSERVED:
        for each in ("better", "worse", "over MAX_USER"):
            means[each] = means[f"{each}, seen"]
    rows: list[Any] = means.to_dict("records")
    return dict(zip(means.index, rows, strict=True))


def _seen() -> dict[Any, Row]:
    stored = experiments.shares_of_observed.stored(CAB)
    stored = stored[stored["strategy"] != "MAX_ROI"]
    keys = zip(stored["goal"], stored["prior"], stored["strategy"], strict=True)
    rows: list[Any] = stored[["better", "worse"]].to_dict("records")
    return dict(zip(keys, rows, strict=True))


def permutation_group(claim: Claim) -> str:
    """Name the group of published values among which one may be permuted.

    Parameters
    ----------
    claim : Claim
        A published number.

    Returns
    -------
    str
        The goal and the quantity.
    """
    return f"{claim.setting['goal']} {claim.quantity}"


def table(found: Mapping[Interpretation, shared.Found]) -> pd.DataFrame:
    """Judge interpretations, with an index of their three parts.

    Parameters
    ----------
    found : mapping of Interpretation to shared.Found
        Interpretation to its findings.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    judged = shared.rank_interpretations(found)
    judged.index = pd.MultiIndex.from_tuples(judged.index, names=Interpretation._fields)
    return judged


# -- the cabs' box ---------------------------------------------------------------------------------

OURS = experiments.OURS


def rows_by_box() -> dict[tuple[str, str, str], dict[str, Row]]:
    """Collect the rows of means on the cabs by box.

    Returns
    -------
    dict[tuple[str, str, str], mapping of str to Row]
        (goal, prior, strategy) to box, the book's first, to row.
    """
    rows: list[Any] = experiments.errors_in_boxes.stored(CAB).to_dict("records")
    found: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in rows:
        found.setdefault((row["goal"], row["prior"], row["strategy"]), {})[row["box"]] = row
    return found


# -- the sanity bound ------------------------------------------------------------------------------

Key = tuple[str, float]  # a mechanism and its level


def rank_bounds(keys: Mapping[str, Key], data: str = CAB) -> pd.DataFrame:
    """Count how many published MREs each bound matches, under each interpretation of FPA.

    Parameters
    ----------
    keys : mapping of str to Key
        Claim to the mechanism and level that it is about.
    data : str, default CAB
        Dataset whose stored rows are used.

    Returns
    -------
    pandas.DataFrame
        Index: bound, FPA's transform, best first. Columns: met, of numbers, mean relative
        difference.
    """
    stored = experiments.sanity_bounds.stored(data)
    rows = dict(iter(stored.groupby(["mechanism", "level"])))
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
    """Select the stored row of a mechanism and level under one bound and interpretation of FPA.

    Parameters
    ----------
    key : Key
        Mechanism and level.
    bound : str
        The sanity bound.
    transform : str
        Interpretation of FPA.

    Returns
    -------
    dict
        The row.
    """
    stored = experiments.sanity_bounds.stored(CAB)
    names = stored["mechanism"].isin([key[0], f"{key[0]}, {transform}"])
    (row,) = stored[names & (stored["level"] == key[1]) & (stored["bound"] == bound)].to_dict(
        "records"
    )
    return dict(row)  # type: ignore[arg-type]


def share_of_constants(table: pd.DataFrame, least: int) -> float:
    """Compute the share of constants that match enough numbers under any FPA.

    Parameters
    ----------
    table : pandas.DataFrame
        Bounds as `rank_bounds` gives them.
    least : int
        Number of MREs to be matched at least.

    Returns
    -------
    float
        Share, 0 to 1.
    """
    met = table["met"].groupby(level="bound", sort=False).max()
    values = pd.to_numeric(pd.Series(met.index), errors="coerce").to_numpy()
    among = (values >= LEAST) & (values <= MOST)
    return float((met.to_numpy()[among] >= least).mean())

"""Calibrate one constant of the commuters by one printed number, and predict the others.

London's fare cards are closed. The surrogate's weekly noise decides how regular a commuter is. It
is chosen by a single number of the paper, the profiling error of last week as a prior, and judged
on all other printed errors and losses of London. `lib.datasets.synthetic` has the chosen value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib import localization as loc
from lib.datasets.synthetic import load_commuters
from lib.execution.results import Row
from lib.papers import claims
from lib.papers.aggregation_privacy.experiments import KINDS, ObservedWeek, baseline
from lib.papers.experiments import experiment

USED = "crowd-fig12-tfl-prof-prior-last-week-err"  # the one number that chooses
BEFORE = 0.5  # the constant of version 0.1, which was chosen freely
CLOSE = 0.05
SHUFFLES = 2000
_COLUMNS = {
    "mean profiling error (JS)": "error",
    "mean localization error (1 - F1)": "error",
    "mean PL": "loss",
}


def _constants(context: None, *, constants: Sequence[float]) -> list[float]:
    return list(constants)


def printed() -> pd.DataFrame:
    """List the paper's mean errors and losses of London, by what they are of.

    Returns
    -------
    DataFrame
        Indexed by claim: goal, prior, strategy, baseline (of a loss), measure ("error" or "loss"),
        value. Numbers of which the paper gives only a bound or a range are left out.
    """
    table = claims.published("crowd").query("dataset == 'tfl' and kind == 'number' and op == '='")
    rows = {}
    for name, quantity, where, value in zip(
        table.index, table["quantity"], table["setting"], table["value"], strict=True
    ):
        ours = quantity in _COLUMNS and where.get("prior") in KINDS and "strategy" in where
        if ours and len(value) == 1 and "mechanism" not in where:
            own = {key: where[key] for key in ("goal", "prior", "strategy")}
            own |= {"baseline": where.get("baseline", baseline(own["goal"], own["prior"]))}
            rows[name] = own | {"measure": _COLUMNS[quantity], "value": value[0]}
    return pd.DataFrame.from_dict(rows, orient="index")


@experiment(
    "crowd-calibration",
    paper="crowd",
    answers=("Sec. 4.2", "Sec. 4.3"),
    unit=("weekly noise",),
    units=_constants,
    load=None,
    at_paper={"simulated": {"n_users": 2000}},
)
def calibration(
    nothing: None,
    weekly_noise: float,
    *,
    n_users: int = 100,
    constants: Sequence[float] = (0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0),
) -> Iterator[Row]:
    """Measure the printed errors and losses on commuters with one value of the weekly noise.

    Parameters
    ----------
    nothing : None
        No data are needed: the commuters are made up.
    weekly_noise : float
        The constant.
    n_users : int
        Number of commuters; the paper has 10,000.
    constants : sequence of float
        Values that are tried.

    Returns
    -------
    iterator of dict
        A row for each printed number. Columns: claim, here (the surrogate's mean).
    """
    traces = load_commuters(n_users, weekly_noise=weekly_noise)
    week = ObservedWeek(traces.with_null())
    wanted = printed()
    by_prior: Any = wanted.groupby(["goal", "prior"], sort=False)
    for (goal, prior), claims_of in by_prior:
        found = week.errors(goal, prior, 0.5)
        for claim in claims_of.itertuples():
            here = found[claim.strategy]
            if claim.measure == "loss":
                here = loc.privacy_loss_from_errors(found[claim.baseline], here)
            yield {"claim": claim.Index, "here": here.mean()}


def judged(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare each constant's predictions with the printed numbers that did not choose it.

    Parameters
    ----------
    rows : DataFrame
        Rows of `calibration`.

    Returns
    -------
    DataFrame
        A row for each constant: the number that was used, here; the mean distance of the others,
        how many of them are within 0.05, and the same if the printed numbers change places within
        their kind (goal and measure), on average.
    """
    table, here = printed(), rows.pivot(index="claim", columns="weekly noise", values="here")
    others = table.drop(USED)
    kinds = (others["goal"] + others["measure"]).to_numpy()
    found, rng = {}, np.random.default_rng(2017)
    for constant, column in here.items():
        values = column.loc[others.index].to_numpy()
        away = np.abs(values - others["value"].to_numpy())
        chance = [
            (np.abs(values - _permuted(others["value"].to_numpy(), kinds, rng)) <= CLOSE).sum()
            for _ in range(SHUFFLES)
        ]
        found[constant] = {
            "last week's error": column[USED],
            "others": len(others),
            "mean distance": away.mean(),
            "within 0.05": int((away <= CLOSE).sum()),
            "within 0.05 by chance": float(np.mean(chance)),
        }
    return pd.DataFrame.from_dict(found, orient="index").rename_axis("weekly noise")


def chosen(rows: pd.DataFrame) -> float:
    """Choose the constant whose error of last week is nearest to the printed one.

    Parameters
    ----------
    rows : DataFrame
        Rows of `calibration`.

    Returns
    -------
    float
        The constant.
    """
    used = rows[rows["claim"] == USED]
    away = np.abs(used["here"].to_numpy() - printed()["value"][USED])
    return float(used["weekly noise"].to_numpy()[away.argmin()])


def moved(rows: pd.DataFrame) -> pd.DataFrame:
    """List the printed numbers that the chosen constant brings within 0.05, or takes out of it.

    Parameters
    ----------
    rows : DataFrame
        Rows of `calibration`.

    Returns
    -------
    DataFrame
        Indexed by claim: printed, with the constant of before, with the chosen one.
    """
    here = rows.pivot(index="claim", columns="weekly noise", values="here")
    table = pd.DataFrame(
        {
            "printed": printed()["value"],
            f"before, {BEFORE:g}": here[BEFORE],
            f"chosen, {chosen(rows):g}": here[chosen(rows)],
        }
    ).drop(USED)
    near = (table.sub(table["printed"], axis=0).abs() <= CLOSE).iloc[:, 1:]
    return table[near.iloc[:, 0] != near.iloc[:, 1]]


def _permuted(values: np.ndarray, kinds: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Values that change places within their kind."""
    dealt = values.copy()
    for kind in np.unique(kinds):
        of = np.flatnonzero(kinds == kind)
        dealt[of] = values[rng.permutation(of)]
    return dealt

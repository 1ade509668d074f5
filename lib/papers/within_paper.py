"""Do the errors of a table agree with each other? A test that needs no data.

If the noise is large beside a count, the error of the count hardly depends on the count, and the
errors of a cell under two scales of noise have the same divisor. So the ratio of two printed errors
is nearly the ratio of two expected errors of a count of 0, which a formula gives. For the smallest
noise the formula is up to 10% too low on the surrogate. One printed error of each paper, under
event-level Laplace noise, is the reference; each other one is compared with what the reference and
the printed formulas predict.

A number is "consistent" if it is within 5% of the prediction, or within half a unit in its last
digit plus that of the reference. The margin was chosen after the numbers were seen. EFPAG chooses
its number of coefficients by the counts, so that nothing is predicted for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from lib.papers import claims

CLOSE = 0.05
CONSISTENT, INCONSISTENT, REFERENCE = "consistent", "inconsistent", "reference"
REFERENCES = {"kk": "kk-tab2-lpa-1-eps0.01", "crowd": "crowd-tab3-scm-1-eps0.001"}
TABLES = {"kk": ("Table II",), "crowd": ("Table 3", "Table 5")}
MOST = {"kk": 9500, "crowd": 10_000}  # users in the released group
ROIS, HOURS, KAPPA = 583, 168, 25  # of London's release
DELTA, VISITS = 0.1, {"kk": 207, "crowd": 224}  # δ of GSM; the printed sensitivities


def laplace_error(scale: float, most: int) -> float:
    """Compute the expected error of a count of 0 under rounded and clipped Laplace noise.

    Parameters
    ----------
    scale : float
        Scale of the noise.
    most : int
        Largest count.

    Returns
    -------
    float
        The mean of the released count.
    """
    return float((0.5 * np.exp(-(np.arange(1, most + 1) - 0.5) / scale)).sum())


def normal_error(deviation: float, most: int) -> float:
    """Compute the expected error of a count of 0 under rounded and clipped normal noise.

    Parameters
    ----------
    deviation : float
        Standard deviation of the noise.
    most : int
        Largest count.

    Returns
    -------
    float
        The mean of the released count.
    """
    return float(special.ndtr(-(np.arange(1, most + 1) - 0.5) / deviation).sum())


def _fpa(sensitivity: float, epsilon: float, most: int) -> float:
    """FPA: a sum of 2 κ - 1 Laplace coefficients in each hour, nearly normal."""
    scale = (KAPPA * sensitivity) ** 0.5 / epsilon
    return normal_error(scale * ((8 * KAPPA - 6) / HOURS) ** 0.5, most)


def _knock_knock(where: Mapping[str, Any]) -> float | None:
    epsilon, most, visits = float(where["epsilon"]), MOST["kk"], VISITS["kk"]
    of: dict[str, Callable[[], float]] = {
        "LPA(1/eps)": lambda: laplace_error(1 / epsilon, most),
        "LPA(Delta/eps)": lambda: laplace_error(visits / epsilon, most),
        "GSM": lambda: normal_error((2 * np.log(2 / DELTA) * visits) ** 0.5 / epsilon, most),
        "FPA": lambda: _fpa(visits, epsilon, most),
    }
    return of[where["mechanism"]]() if where["mechanism"] in of else None


def _crowd(where: Mapping[str, Any]) -> float:
    most = MOST["crowd"]
    if "p" in where:  # a forced yes of each user: a binomial count, scaled up
        return normal_error((most * where["p"] / (1 - where["p"])) ** 0.5, most)
    epsilon = float(where["epsilon"])
    if where["mechanism"] == "FPA":
        return _fpa(HOURS, epsilon, most)
    scales = {"Lap(1/eps)": 1, "Lap(|T|/eps)": HOURS, "Lap(Delta/eps)": VISITS["crowd"]}
    scales["Lap(|S||T|/eps)"] = ROIS * HOURS
    return laplace_error(scales[where["scale"]] / epsilon, most)


_EXPECTED: dict[str, Callable[[Mapping[str, Any]], float | None]] = {
    "kk": _knock_knock,
    "crowd": _crowd,
}


@cache
def predictions(paper: str) -> pd.DataFrame:
    """Compare each error of London's tables with what the reference predicts.

    Parameters
    ----------
    paper : str
        "kk" or "crowd".

    Returns
    -------
    pandas.DataFrame
        Index: claim. Columns: published, predicted, published / predicted, verdict.
    """
    table = claims.published(paper).query("dataset == 'tfl' and quantity == 'MRE' and op == '='")
    first = claims.claim(REFERENCES[paper])
    unit = first.value[0] / (_EXPECTED[paper](first.setting) or np.nan)
    rows = {}
    for claim in map(claims.claim, table.index[table["source"].isin(TABLES[paper])]):
        expected = _EXPECTED[paper](claim.setting)
        if expected is not None:
            predicted, published = unit * expected, claim.value[0]
            slack = claims.half_digit(first) / first.value[0] * predicted
            near = max(CLOSE * predicted, claims.half_digit(claim) + slack)
            word = CONSISTENT if abs(published - predicted) <= near else INCONSISTENT
            word = REFERENCE if claim.id == first.id else word
            rows[claim.id] = [published, predicted, published / predicted, word]
    columns = ["published", "predicted", "published / predicted", "within the paper"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("claim")


def words() -> dict[str, str]:
    """Say for each error of London's tables whether it is consistent with the reference.

    Returns
    -------
    dict of str to str
        Claim to "consistent", "inconsistent" or "reference".
    """
    return {
        str(name): str(word)
        for paper in TABLES
        for name, word in predictions(paper)["within the paper"].items()
    }


def by_mechanism(paper: str) -> pd.DataFrame:
    """Tabulate the published error over the predicted one, by mechanism and level of noise.

    Parameters
    ----------
    paper : str
        "kk" or "crowd".

    Returns
    -------
    pandas.DataFrame
        A row for each claim, with its mechanism and ε or p.
    """
    found = predictions(paper).copy()
    settings = [claims.claim(str(name)).setting for name in found.index]
    named = [f"{s['mechanism']} {s.get('scale', '')}".strip() for s in settings]
    named = [name.replace("Delta", "Δ").replace("eps", "ε") for name in named]
    levels = [s.get("epsilon", s.get("p")) for s in settings]
    found.index = pd.MultiIndex.from_arrays([named, levels], names=["mechanism", "ε or p"])
    return found

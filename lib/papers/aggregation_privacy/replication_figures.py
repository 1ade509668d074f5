"""Drawings and tables of the page that replicates the paper on aggregation privacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.papers import claims, figures
from lib.papers.aggregation_privacy.experiments import LIKELIEST, NULL
from lib.papers.aggregation_privacy.figures import WORDS, plain_name
from lib.papers.figures import COLORS, MARKERS

_PLACES = {  # places in COLORS and MARKERS
    "BAYES": 0,
    "MAX_ROI": 1,
    "MAX_USER": 2,
    LIKELIEST: 4,
    "PRIOR": 5,
    "POP": 4,
    "ALL": 3,
}


def show_attackers(
    rows: pd.DataFrame, goal: str, data: str, attackers: Sequence[str], marked: str = ""
) -> None:
    """Draw the mean error of each attacker with each prior, and a line at that of always null.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.compare_with_null`.
    goal : str
        "profiling" or "localization".
    data : str
        Name of the dataset.
    attackers : sequence of str
        Strategies to be drawn. One that a prior lacks is left out in its row.
    marked : str, optional
        A strategy whose error is the same with all priors; it has a line of its own.
    """
    found = rows[(rows["goal"] == goal) & (rows["data"] == data)]
    errors = found.pivot(index="prior", columns="strategy", values="error")
    priors = list(found["prior"].unique())
    figure, ax = plt.subplots(figsize=(6.2, 0.45 * len(priors) + 1.6))
    ax.axvline(errors[NULL].iloc[0], color="black", linestyle=":", label=WORDS[NULL], marker="")
    if marked:
        how: dict[str, Any] = {"linestyle": "-", "linewidth": 1, "marker": ""}
        ax.axvline(errors[marked].iloc[0], color=COLORS[3], label=WORDS[marked], **how)
    for n, name in enumerate(attackers):
        i, shift = _PLACES[name], 0.12 * (n - (len(attackers) - 1) / 2)
        style: dict[str, Any] = {"color": COLORS[i], "marker": MARKERS[i], "markersize": 8}
        y = np.arange(len(priors)) + shift
        ax.plot(errors.loc[priors, name], y, linestyle="", label=WORDS[name], **style)
    ax.set_yticks(range(len(priors)), priors)
    ax.set(ylim=(len(priors) - 0.5, -0.5), xlabel=f"mean {goal} error")
    ax.locator_params(axis="x", nbins=6)
    figure.legend(loc="outside upper center", ncols=2, fontsize=11)
    plt.show()


def show_bounds(found: Mapping[str, pd.DataFrame], largest: float = 10.0) -> None:
    """Draw how many printed MREs agree with ours under each constant sanity bound.

    Parameters
    ----------
    found : mapping of str to pandas.DataFrame
        Dataset -> bounds as `interpretations.rank_bounds` gives them. Each bound is drawn with the
        transform of FPA that agrees with most numbers.
    largest : float, default 10
        Largest constant that is drawn, in users.
    """
    ax = plt.subplots(figsize=(6.2, 3.2))[1]
    for data, each in found.items():
        met = each["met"].groupby(level="bound").max()
        met.index = pd.Index(pd.to_numeric(met.index.to_series(), errors="coerce"))
        met = met[met.index <= largest].sort_index()
        ax.plot(met.index, met, **figures.line_style(data, markers=False))
    numbers = next(iter(found.values()))["numbers"].iloc[0]
    ax.set(xlabel="constant sanity bound, in users", ylabel=f"numbers met, of {numbers}")
    ax.set(xlim=(0, largest), ylim=(0, numbers), yticks=range(0, numbers + 1, 5))
    ax.legend()
    plt.show()


# -- tables ----------------------------------------------------------------------------------------

_STATISTICS = {  # a column of `experiments.statistics`, and the words for it
    "users": "users",
    "rois": "places, null included",
    "epochs": "hours in the whole period",
    "reports_mean": "visits per user, mean",
    "reports_std": "visits per user, standard deviation",
    "unique_rois_mean": "places per user, mean",
    "unique_rois_std": "places per user, standard deviation",
    "active_slots_mean": "active hours per user, mean",
    "active_slots_std": "active hours per user, standard deviation",
    "reports_per_roi_mean": "visits per place, mean",
    "reports_per_roi_std": "visits per place, standard deviation",
    "active_slots_per_roi_mean": "active hours per place, mean",
    "active_slots_per_roi_std": "active hours per place, standard deviation",
    "sensitivity": "Δ, the most visits of one user in the inference week",
}
_CITIES = {  # a dataset: the paper's name in ids, and the columns of the paper's numbers and ours
    "cabspotting": ("sfc", "cabs, printed", "cabs, here"),
    "commuters": ("tfl", "London, printed", "surrogate, here"),
}


def data_table(facts: pd.DataFrame) -> pd.DataFrame:
    """Tabulate statistics of the data beside those that the paper prints.

    Parameters
    ----------
    facts : pandas.DataFrame
        Rows of `experiments.statistics`, by dataset.

    Returns
    -------
    pandas.DataFrame
        A row for each statistic, in words. A column for each dataset; before it, one with the
        paper's numbers for the same data or for those that the surrogate replaces.
    """
    values = claims.published("crowd")["value"]
    columns = {}
    for data in facts.index:
        here = plain_name(data)
        if data in _CITIES:
            city, theirs, here = _CITIES[data]
            ids = [f"crowd-data-{city}-{each.replace('_', '-')}" for each in _STATISTICS]
            columns[theirs] = [values[name][0] for name in ids]
        columns[here] = list(facts.loc[data, list(_STATISTICS)].astype(float))
    index = pd.Index(list(_STATISTICS.values()), name="statistic")
    return pd.DataFrame(columns, index=index)

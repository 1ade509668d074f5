"""Drawings of the page that replicates the paper on aggregation privacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.papers import figures
from lib.papers.aggregation_privacy.experiments import LIKELIEST, NULL
from lib.papers.aggregation_privacy.figures import WORDS
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

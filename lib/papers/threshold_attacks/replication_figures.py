"""Figures and tables of the page that replicates the paper on threshold attacks."""

from __future__ import annotations

import textwrap
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.papers import figures, summaries
from lib.papers.figures import COLORS
from lib.papers.threshold_attacks.experiments import INFORMED
from lib.papers.threshold_attacks.figures import (
    SHADES,
    means_by_attack,
    name_attackers,
    stacked_panels,
)

_SOURCES = {
    INFORMED: "informed attacker",
    "simulated": "informed attacker",
    "tweeters-threshold": "auxiliary, surrogate",
    "simulated, tweeters-threshold": "informed − auxiliary",
    "analytic": "formula",
}
_PASS = {"within": "left", "beyond": "right"}


def gains_by_cells(rows: pd.DataFrame, measure: str) -> None:
    """Draw how far attacks are above the one-threshold rule, by number of cells (Fig. 13, 14, 19).

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, cells, attack and measures.
    measure : str
        Column to compare, paired by run.

    Returns
    -------
    None
    """
    rule, named = "one-threshold", name_attackers(rows)
    others = [attack for attack in rows["attack"].unique() if attack != rule]
    found = {
        attack: summaries.differences(
            named, ["data", "cells"], measure, ["run"], "attack", attack, rule
        )
        for attack in others
    }
    table = pd.concat(found, names=["attack"]).reset_index()
    table = table[table["n"] > 0].sort_values("cells", kind="stable")
    names = {"ylabel": f"{measure} − one-thr.", "xlabel": "positive cells"}
    axes = means_by_attack(table, "cells", apart=2, **names)
    for ax in axes.values():
        ax.axhline(0, color="black", linewidth=1, linestyle=":", marker="", label=rule)
    figures.finish(axes, 2)


def margin_dots(compared: pd.DataFrame) -> None:
    """Draw differences and the limits of their tests as multiples of the margins.

    Parameters
    ----------
    compared : pandas.DataFrame
        Columns of `claims.margins`, and limit.

    Returns
    -------
    None
    """
    shown = compared.assign(source=compared["data"].map(_SOURCES))
    looks = dict(zip(dict.fromkeys(_SOURCES.values()), range(len(_SOURCES)), strict=False))
    sides = list(shown.groupby("side", sort=True))
    figure, axes = stacked_panels(
        2, 6.6, height_ratios=[2 + part["word"].nunique() for _, part in sides]
    )
    for ax, (side, part) in zip(axes, sides, strict=True):
        words = list(part.sort_values(["margin", "word"]).groupby(["margin", "word"], sort=False))
        for place, (_, each) in enumerate(words):
            places = place + np.linspace(-0.3, 0.3, len(each) + 2)[1:-1]
            for y, (_, row) in zip(places, each.sort_values("source").iterrows(), strict=True):
                _margin_dot(ax, y, row, looks[row["source"]])
        labels = [f"{textwrap.fill(str(word), 18)} ({margin:g})" for (margin, word), _ in words]
        ax.set_yticks(range(len(words)), labels)
        ax.set_ylim(len(words) - 0.5, -0.5)
        ax.axvline(1, color="black", linewidth=1, linestyle=":", marker="")
        ax.set_title(
            f"{side} the margin: pass if the bar ends {_PASS[str(side)]} of 1", loc="right"
        )
    axes[-1].set_xlabel("multiple of the margin")
    dots = [plt.Line2D([], [], marker=figures.MARKERS[i], color=COLORS[i]) for i in looks.values()]
    figure.legend(dots, list(looks), loc="outside upper center", ncols=2)
    plt.show()


def _margin_dot(ax: Any, place: float, row: pd.Series, look: int) -> None:
    """Draw a difference as a dot and a bar to the limit of its test, over the margin."""
    value = abs(row["difference"]) / row["margin"]
    limit, shade = row["limit"] / row["margin"], COLORS[look]
    ax.plot([value, limit], [place, place], color=shade, linestyle="-", marker="", linewidth=2)
    ax.plot(value, place, color=shade, marker=figures.MARKERS[look], markersize=5)


def margin_table(compared: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the differences that are compared with one margin.

    Parameters
    ----------
    compared : pandas.DataFrame
        Columns of `claims.margins`, limit and passes.

    Returns
    -------
    pandas.DataFrame
        A row for each inequality; index word, data, compared.
    """
    exact = "largest distance of the normal from the exact accuracy"
    in_full = {exact: f"{exact}, two thresholds, Laplace noise"}
    rows = compared.round(5).assign(
        compared=compared["compared"].replace(in_full),
        freedom=compared["freedom"].replace(np.inf, np.nan),
    )
    rows = rows.sort_values(["word", "data"]).set_index(["word", "data", "compared"])
    return rows[["difference", "SE", "freedom", "limit", "passes"]]


def map_of_rules(chart: pd.DataFrame) -> None:
    """Draw the accuracy of two thresholds minus that of one.

    Parameters
    ----------
    chart : pandas.DataFrame
        Differences; rows: epsilon, columns: mean count.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6, 4.2))
    limit = np.abs(chart.to_numpy()).max()
    image = ax.imshow(
        chart, cmap=plt.get_cmap("PuOr_r", SHADES), vmin=-limit, vmax=limit, aspect="auto"
    )
    for (row, column), value in np.ndenumerate(chart.to_numpy()):
        shade = "white" if abs(value) > 0.6 * limit else "black"
        text = "0" if abs(value) < 0.005 else f"{value:+.2f}".replace("-", "−")
        ax.text(column, row, text, ha="center", va="center", color=shade)
    ax.set_xticks(range(len(chart.columns)), [f"{mean:g}" for mean in chart.columns])
    ax.set_yticks(range(len(chart)), [f"{budget:g}" for budget in chart.index])
    ax.set(xlabel="mean count of others in a cell", ylabel="ε of an observation")
    ax.grid(False)
    figure.colorbar(image, label="difference in accuracy")
    plt.show()

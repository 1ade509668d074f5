"""Figures and tables of the page that replicates the paper on threshold attacks."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.papers import figures, summaries
from lib.papers.figures import COLORS
from lib.papers.threshold_attacks.experiments import FPRS, INFORMED
from lib.papers.threshold_attacks.figures import (
    SHADES,
    THIN,
    low_rates,
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


def gains_by_cells(
    rows: pd.DataFrame, measure: str, limits: tuple[float, float] | None = None
) -> None:
    """Draw how far attacks are above the one-threshold rule, by number of cells (Fig. 13, 14, 19).

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, cells, attack and measures.
    measure : str
        Column to compare, paired by run.
    limits : tuple of float, optional
        Ends of the vertical axis, for figures that should share it. By default the data decide.

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
    labels: dict[str, Any] = {"ylabel": "gain over\none threshold", "xlabel": "positive cells"}
    axes = figures.intervals(
        table,
        "cells",
        "attack",
        "data",
        size=(6, 2.3),
        xscale="log",
        apart=0.05,
        styles=_styles(others),
        **labels,
    )
    lowest, highest = zip(*(ax.get_ylim() for ax in axes.values()), strict=True)
    for data, ax in axes.items():
        ax.axhline(0, color="black", linewidth=1, linestyle=":", marker="", label=rule)
        ax.set(ylim=limits or (min(lowest), max(highest)))
        ax.minorticks_off()
        ax.set_xticks(_TICKS, [str(n) for n in _TICKS])
        if 50 in set(table.loc[table["data"] == data, "cells"]):
            ax.text(50, 0.02, "50", transform=ax.get_xaxis_transform(), ha="center", fontsize=11)
    figures.finish(axes, 2)


_TICKS = (5, 20, 60, 100, 140)


def _styles(attacks: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Hollow marks for networks, which were trained in three of ten runs."""
    hollow = {"markerfacecolor": "white", "markeredgewidth": 1.8}
    styles = {
        name: figures.line_style(name) | hollow | {"label": f"{name} (3 runs)"}
        for name in attacks
        if name.startswith("network")
    }
    return THIN | styles


def low_rate_curves(rows: pd.DataFrame) -> None:
    """Draw the low end of the ROC curves on logarithmic axes (Fig. 18).

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, attack and the true positive rate at each of `FPRS`. Drawn are
        means over runs with 95% intervals.

    Returns
    -------
    None
    """
    table = low_rates(name_attackers(rows)).reset_index()
    table = table[table["n"] > 0]
    table["95% low"] = table["95% low"].clip(lower=1e-3)  # a logarithmic axis has no 0
    table["95% high"] = table["95% high"].clip(upper=1)  # a rate is at most 1
    labels: dict[str, Any] = {"xlabel": "false positive rate", "ylabel": "true positive rate"}
    axes = figures.intervals(
        table,
        "FPR",
        "attack",
        "data",
        size=(6, 2.6),
        xscale="log",
        yscale="log",
        apart=0.08,
        styles=_styles(table["attack"].unique().tolist()),
        **labels,
    )
    for data, ax in axes.items():
        ax.plot(FPRS, FPRS, color="black", linewidth=1, linestyle=":", marker="", label="guessing")
        ax.set_xticks(list(FPRS), [f"{rate:g}" for rate in FPRS])
        lowest = table.loc[table["data"] == data, "95% low"].min()
        ax.set_ylim(0.8 * lowest, 1.15)
        wide = (0.02, 0.05, 0.1, 0.2, 0.5, 1)
        ticks = wide if lowest < 0.1 else (0.2, 0.3, 0.4, 0.5, 0.7, 1)
        shown = [tick for tick in ticks if tick > 0.8 * lowest]
        ax.set_yticks(shown, [f"{tick:g}" for tick in shown])
        ax.minorticks_off()
    figures.finish(axes, 2)


def rates_over_one_threshold(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of true positive rates as multiples of those of the one-threshold rule.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, attack and the true positive rate at each of `FPRS`. The ratios
        are paired by run.

    Returns
    -------
    pandas.DataFrame
        Text: geometric means with 95% intervals; a row for each dataset and false positive rate,
        a column for each attack.
    """
    columns = {f"TPR {rate:g}": rate for rate in FPRS}
    key = ["data", "run", "FPR"]
    tall = name_attackers(rows).melt([*key[:2], "attack"], list(columns), "FPR", "found").dropna()
    is_rule = tall["attack"] == "one-threshold"
    rule = tall[is_rule].set_index(key)["found"].rename("of the rule")
    tall = tall[~is_rule].join(rule, on=key)
    tall = tall.assign(
        FPR=tall["FPR"].map(columns), log=np.log(tall["found"] / tall["of the rule"])
    )
    table = summaries.means(tall, ["data", "FPR", "attack"], "log")
    parts = ["mean", "95% low", "95% high"]
    table[parts] = np.exp(table[parts])
    return summaries.bracketed(table, 2)["mean [95%]"].unstack("attack", sort=False)


def difference_dots(groups: Mapping[str, pd.DataFrame], pairs: Sequence[tuple[str, str]]) -> None:
    """Draw differences in accuracy between attacks, paired by run, with 95% intervals.

    Parameters
    ----------
    groups : mapping of str to pandas.DataFrame
        Rows of runs (data, run, attack, accuracy); each group has a colour and a marker.
    pairs : sequence of (str, str)
        Attacks; each pair is a row of each panel, the first attack minus the second.

    Returns
    -------
    None
    """
    found = {
        (name, f"{first} −\n{second}"): summaries.differences(
            name_attackers(rows), ["data"], "accuracy", ["run"], "attack", first, second
        )
        for name, rows in groups.items()
        for first, second in pairs
    }
    every = pd.concat(found, names=["group", "pair"])
    panels = list(every.groupby(level="data", sort=False))
    figure, axes = stacked_panels(3, 2 + 1.6 * len(panels), sharex=True)
    labels = [f"{first} −\n{second}" for first, second in pairs]
    for ax, (data, part) in zip(axes, panels, strict=True):
        for i, name in enumerate(groups):
            each = part.droplevel("data").loc[name].reindex(labels)
            places = np.arange(len(pairs)) + 0.3 * (i - (len(groups) - 1) / 2)
            look: dict[str, Any] = {"color": COLORS[i], "fmt": figures.MARKERS[i], "markersize": 5}
            reach = each["95% high"] - each["mean"]
            ax.errorbar(each["mean"], places, xerr=reach, capsize=3, label=name, **look)
        ax.axvline(0, color="black", linewidth=1, linestyle=":", marker="")
        ax.set_yticks(range(len(pairs)), labels)
        ax.set_ylim(len(pairs) - 0.5, -0.5)
        ax.set_title(data, loc="left")
        ax.tick_params(labelbottom=True)
        ax.xaxis.set_major_locator(plt.MultipleLocator(0.04))
    axes[-1].set_xlabel("difference in accuracy")
    if len(groups) > 1:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    plt.show()


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
        2, 7.2, height_ratios=[4 + part["word"].nunique() for _, part in sides]
    )
    for ax, (side, part) in zip(axes, sides, strict=True):
        words = list(part.sort_values(["margin", "word"]).groupby(["margin", "word"], sort=False))
        for place, (_, each) in enumerate(words):
            places = place + np.linspace(-0.5, 0.5, len(each) + 2)[1:-1]
            for y, (_, row) in zip(places, each.sort_values("source").iterrows(), strict=True):
                _margin_dot(ax, y, row, looks[row["source"]])
        labels = [f"{textwrap.fill(str(word), 18)} ({margin:g})" for (margin, word), _ in words]
        ax.set_yticks(range(len(words)), labels)
        ax.set_ylim(len(words) - 0.5, -0.5)
        ax.axvline(1, color="black", linewidth=1, linestyle=":", marker="")
        ax.set_title(
            f"{side} the margin: pass if the whole\nbar lies {_PASS[str(side)]} of 1", loc="left"
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
    if row["word"] == "much more accurate":
        name = str(row["compared"]).split(",")[0].removeprefix("the ")
        beside: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": 11}
        white = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
        ax.annotate(name, (value, place), (9, 0), bbox=white, **beside)


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


def map_of_rules(chart: pd.DataFrame, counts: Mapping[str, float], epsilon: float) -> None:
    """Draw the accuracy of two thresholds minus that of one.

    Parameters
    ----------
    chart : pandas.DataFrame
        Differences; rows: epsilon, columns: mean count.
    counts : mapping of str to float
        Mean count in each dataset, marked in the row of `epsilon`.
    epsilon : float
        Privacy parameter of these datasets.

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
    for name, count in counts.items():
        place = np.interp(np.log(count), np.log(chart.columns.to_numpy()), range(chart.shape[1]))
        row = list(chart.index).index(epsilon) + 0.36
        ax.plot(place, row, marker="^", linestyle="", color="black", markersize=6)
        ax.annotate(
            name,
            (place, row),
            (-5, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=9.5,
        )
    ax.set_xticks(range(len(chart.columns)), [f"{mean:g}" for mean in chart.columns])
    ax.set_yticks(range(len(chart)), [f"{budget:g}" for budget in chart.index])
    ax.set(xlabel="mean count of others in a cell", ylabel="ε of an observation")
    ax.grid(False)
    figure.colorbar(image, label="two thresholds − one threshold")
    plt.show()

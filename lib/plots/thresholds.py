"""Figures and wide tables of the chapter on threshold attacks; an attack has one look in all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib import summaries
from lib.plots import color, look
from lib.studies.thresholds import FPRS, INFORMED, chosen, paired

EXACT = {
    "DP bound": "DP bound",
    "likelihood ratio": "ratio",
    "two-threshold": "two",
    "one-threshold": "one",
}
CLASSES = {"out": "non-member", "in": "member"}


# -- tables of the games ---------------------------------------------------------------------------


def by_attack(rows: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Means over runs side by side: a row for each data and number of cells.

    `within` is the largest half-width of a row's 95% intervals.
    """
    return _side_by_side(summaries.means(rows, ["data", "cells", "attack"], measure))


def low_rates(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean true positive rates over runs, with intervals: by data, attack, false positive rate."""
    columns = {f"TPR {f:g}": f for f in FPRS}
    tall = rows.melt(["data", "attack", "run"], list(columns), "FPR", "true positives").dropna()
    return summaries.means(
        tall.assign(FPR=tall["FPR"].map(columns)), ["data", "attack", "FPR"], "true positives"
    )


def low_rates_by_attack(rows: pd.DataFrame, rates: Sequence[float] = (0.001, 0.01, 0.1)) -> Any:
    """The same side by side, at some of the false positive rates."""
    table = low_rates(rows).query("FPR in @rates")
    return _side_by_side(table.reorder_levels(["data", "FPR", "attack"]))


def _side_by_side(table: pd.DataFrame) -> pd.DataFrame:
    table = table[table["n"] > 0]
    half = (table["95% high"] - table["mean"]).groupby(level=[0, 1]).max()
    return table["mean"].unstack("attack", sort=False).sort_index().assign(within=half)


def differences(rows: pd.DataFrame) -> pd.DataFrame:
    """Differences of interest, paired by run: mean and standard error, by data and cells."""
    pairs = [("likelihood ratio", "two-threshold"), ("likelihood ratio", "one-threshold"),
             ("two-threshold", "one-threshold"), ("one-threshold", "network"),
             ("likelihood ratio", "network")]  # fmt: skip
    found = [
        {"data": data, "cells": n, "difference": f"{one} - {other}"}
        | dict(zip(("mean", "SE"), paired(part, one, other), strict=True))
        for (data, n), part in rows.groupby(["data", "cells"], sort=False)
        for one, other in pairs
    ]
    return pd.DataFrame(found).set_index(["data", "cells", "difference"])


def gap_parts(rows: pd.DataFrame, bound: float) -> pd.DataFrame:
    """From the DP bound down to the network: by data, the steps of mean accuracy. One noise."""
    steps = ["ratio", "two", "network"]
    mean = rows.groupby(["data", "attack"], sort=False)["accuracy"].mean().unstack("attack")
    mean = mean[["likelihood ratio", "two-threshold", "network"]].set_axis(steps, axis=1)
    mean.insert(0, "bound", bound)
    parts = {f"{a} - {b}": mean[a] - mean[b] for a, b in zip(mean, steps, strict=False)}
    return pd.DataFrame(parts | {"whole gap": mean["bound"] - mean["network"]}).loc[
        rows["data"].unique()
    ]


def first_figure(rows: pd.DataFrame, exact: pd.Series) -> pd.DataFrame:
    """Fig. 1 and what it lacks. rows: one noise and number of cells; exact: of as many cells."""
    lines = {"DP bound": exact["DP bound"]}
    lines |= {f"{name}, informed, exact": exact[column] for name, column in EXACT.items()
              if column in ("ratio", "two", "one")}  # fmt: skip
    for data, each in chosen(rows, attack="network, 100 nodes").groupby("data", sort=False):
        who = "informed" if data == INFORMED else f"auxiliary, {data}"
        lines[f"network of 100 nodes, {who}"] = each["accuracy"].mean()
    return pd.Series(lines, name="accuracy").to_frame()


# -- figures ---------------------------------------------------------------------------------------


def _line(ax: Any, x: Any, y: Any, name: str, markers: bool = True) -> None:
    ax.plot(x, y, **look(name, markers and name != "DP bound"))


def _panels(n: int, height: float, **more: Any) -> tuple[Any, np.ndarray]:
    figure, axes = plt.subplots(n, 1, figsize=(6, height), **more)
    return figure, np.atleast_1d(axes)


def _finish(figure: Any, ax: Any) -> None:
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    plt.show()


def cell_ratios(ratios: pd.DataFrame) -> None:
    """The log-likelihood ratio of one cell against its value, a line a column."""
    figure, ax = plt.subplots()
    for name in ratios:
        ax.plot(ratios.index, ratios[name], marker="", label=name)
    ax.set(xlabel="value of the cell, less the others' mean", ylabel="log-likelihood ratio")
    _finish(figure, ax)


def exact_accuracies(rows: pd.DataFrame) -> None:
    """Fig. 6: exact accuracy of the informed attacker against the number of cells, by noise."""
    figure, axes = _panels(2, 6.4, sharex=True)
    for ax, (noise, table) in zip(axes, rows.groupby("noise", sort=False), strict=True):
        for name, column in EXACT.items():
            _line(ax, table["cells"], table[column], name)
        ax.set(title=noise, ylabel="accuracy, informed")
    axes[-1].set_xlabel("positive cells")
    _finish(figure, axes[0])


def exact_roc(curves: pd.DataFrame, cells: int) -> None:
    """Exact ROC curves on logarithmic axes. Index: false positive rate; columns: attacks."""
    figure, ax = plt.subplots()
    for name in curves:
        _line(ax, curves.index, curves[name], str(name), markers=False)
    ax.set(xscale="log", yscale="log", xlabel="false positive rate")
    ax.set(ylabel=f"true positive rate, {cells} cells")
    _finish(figure, ax)


def cell_densities(densities: pd.DataFrame) -> None:
    """Fig. 7: the density of one cell. Columns: (attacker, out | in)."""
    names = densities.columns.get_level_values(0).unique()
    figure, axes = _panels(len(names), 5.2, sharex=True)
    for ax, attacker in zip(axes, names, strict=True):
        for member, label in CLASSES.items():
            ax.plot(densities.index, densities[attacker, member], **look(label, markers=False))
        ax.set(title=attacker, ylabel="density of a cell")
    axes[-1].set_xlabel("value of the cell")
    _finish(figure, axes[0])


def score_histograms(rows: pd.DataFrame) -> None:
    """Fig. 8 and 10: sampled scores (dots) and their laws (lines), a panel a score and attacker."""
    figure, axes = _panels(4, 9)
    for ax, (key, part) in zip(axes, rows.groupby(["score", "attacker"], sort=False), strict=True):
        for name, label in CLASSES.items():
            each = chosen(part, **{"class": name})
            ax.plot(each["value"], each["sampled"], ".", color=color(label), label=label)
            ax.plot(each["value"], each["law"], color=color(label), marker="", linestyle="-")
        ax.set(title="{}, {}".format(*key), ylabel="density")
    axes[-1].set_xlabel("score")
    _finish(figure, axes[0])


def accuracy_and_roc(against: pd.DataFrame, midway: float) -> None:
    """Fig. 9: accuracy against the threshold (the index), and the errors there."""
    _, axes = _panels(2, 6)
    axes[0].plot(against.index, against["accuracy"], marker="")
    axes[0].axvline(midway, color="black", linewidth=1, linestyle=":", marker="")
    axes[0].set(xlabel="threshold", ylabel="accuracy")
    axes[1].plot(against["false positive rate"], against["true positive rate"], marker=".")
    axes[1].set(xlabel="false positive rate", ylabel="true positive rate")
    plt.show()


def map_of_rules(chart: pd.DataFrame) -> None:
    """Two thresholds less one: rows epsilon, columns mean count."""
    figure, ax = plt.subplots(figsize=(6, 4.2))
    limit = np.abs(chart.to_numpy()).max()
    image = ax.imshow(chart, cmap="PuOr_r", vmin=-limit, vmax=limit, aspect="auto")
    for (row, column), value in np.ndenumerate(chart.to_numpy()):
        shade = "white" if abs(value) > 0.6 * limit else "black"
        ax.text(column, row, f"{value:+.2f}", ha="center", va="center", color=shade)
    ax.set_xticks(range(len(chart.columns)), [f"{mean:g}" for mean in chart.columns])
    ax.set_yticks(range(len(chart)), [f"{budget:g}" for budget in chart.index])
    ax.set(xlabel="mean count of others in a cell", ylabel="ε of an observation")
    ax.grid(False)
    figure.colorbar(image, label="two - one")
    plt.show()


def _panels_of(table: pd.DataFrame, ylabel: str) -> tuple[Any, dict[str, Any]]:
    """A panel for each data of a table."""
    names = list(dict.fromkeys(table.index.get_level_values("data")))
    figure, axes = _panels(len(names), 2.9 * len(names), sharex=True)
    for ax, data in zip(axes, names, strict=True):
        title = "informed" if data == INFORMED else f"auxiliary, {data}"
        ax.set(title=title, ylabel=ylabel)
    return figure, dict(zip(names, axes, strict=True))


def _with_intervals(ax: Any, part: Any, low: bool = False) -> None:
    for attack, rows in part.groupby(level="attack", sort=False):
        rows = rows.droplevel("attack").sort_index()
        up = rows["95% high"] - rows["mean"]
        down = np.minimum(rows["mean"] - rows["95% low"], 0.9 * rows["mean"]) if low else up
        ax.errorbar(
            rows.index,
            rows["mean"],
            yerr=[down, up],
            linewidth=1.5,
            capsize=3,
            markersize=5,
            **look(str(attack)),
        )


def by_cells(rows: pd.DataFrame, measure: str, expected: pd.Series | None = None) -> None:
    """Fig. 13, 14, 17, 19, 20: means with intervals against cells; expected: the DP bound's."""
    table = summaries.means(rows, ["data", "cells", "attack"], measure)
    table = table[table["n"] > 0]
    figure, axes = _panels_of(table, measure)
    for data, ax in axes.items():
        part = table.xs(data, level="data")
        _with_intervals(ax, part)
        if expected is not None:
            _line(ax, expected.index, expected, "DP bound")
    ax.set_xlabel("positive cells")
    _finish(figure, next(iter(axes.values())))


def roc(rows: pd.DataFrame) -> None:
    """Fig. 18, 21: mean true positive rates with intervals, both axes logarithmic."""
    table = low_rates(rows)
    figure, axes = _panels_of(table, "true positives")
    for data, ax in axes.items():
        part = table.xs(data, level="data")
        _with_intervals(ax, part, low=True)
        ax.set(xscale="log", yscale="log")
        ax.set_yticks([0.001, 0.01, 0.1, 0.3, 1], ["0.001", "0.01", "0.1", "0.3", "1"])
        found = part["mean"][part["mean"] > 0]
        ax.set_ylim(found.min() / 2 if len(found) else 1e-3, 1.1)
        ax.minorticks_off()
    ax.set_xlabel("false positive rate")
    _finish(figure, ax)


def loss_of_scales(loss: pd.DataFrame) -> None:
    """Fig. 16: the loss of the one-node network against a (the index), a line for each b."""
    _, ax = plt.subplots()
    for b in loss:
        ax.plot(loss.index, np.maximum(loss[b], 1e-12), label=f"b = {b:g}")
    ax.set(xscale="log", yscale="log", xlabel="a", ylabel="approximation loss")
    ax.legend()
    plt.show()


def weight_maps(rows: pd.DataFrame) -> None:
    """Fig. 12, 15, 23, 24: first-layer weights, a panel for each attacker."""
    names = rows["data"].unique()
    figure, axes = _panels(len(names), 4 * len(names))
    for ax, data in zip(axes, names, strict=True):
        matrix = chosen(rows, data=data).filter(like="node ")
        image = ax.imshow(matrix, cmap="PuOr", vmin=-1, vmax=1)
        title = "informed" if data == INFORMED else "auxiliary"
        ax.set(title=title, xlabel="hidden node", ylabel="cell")
        ax.grid(False)
    figure.colorbar(image, ax=axes, label="weight over the largest", shrink=0.5)
    plt.show()


def learning(table: pd.DataFrame, best: float, cells: int) -> None:
    """Fig. 22 with clipped cells: mean accuracy by learner and shadows; best: the exact ratio's."""
    figure, ax = plt.subplots(figsize=(6, 4.4))
    for name, rows in table.groupby(level="learner", sort=False):
        rows = rows.droplevel("learner")
        ax.errorbar(rows.index, rows["mean"], yerr=rows["95% high"] - rows["mean"],
                    capsize=3, markersize=5, linewidth=1.5, label=name)  # fmt: skip
    ax.axhline(best, color="black", linewidth=1, marker="", linestyle=":",
               label="likelihood ratio, exact")  # fmt: skip
    ax.set(xscale="log", xlabel="shadow aggregates", ylabel=f"accuracy, {cells} cells")
    sizes = sorted(table.index.get_level_values("shadows").unique())
    ax.set_xticks(sizes, [f"{size:,}" for size in sizes], rotation=30)
    ax.minorticks_off()
    _finish(figure, ax)

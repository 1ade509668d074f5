"""Figures and wide tables of the chapter on threshold attacks; an attack has one look in all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.papers import summaries
from lib.papers.figures import COLORS, color, label, line_style
from lib.papers.threshold_attacks.experiments import (
    CORRELATED,
    FPRS,
    INFORMED,
    POPULATIONS,
    RIVALS,
    STEPS,
    select,
)

EXACT = {
    "DP bound": "DP bound",
    "likelihood ratio": "ratio",
    "two-threshold": "two",
    "one-threshold": "one",
}
CLASSES = {"out": "non-member", "in": "member"}
_SHADES = 41  # of a map: more are lost where a picture gets a palette


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


def exact_table(rows: pd.DataFrame, cells: Sequence[int] | None = None) -> pd.DataFrame:
    """Exact accuracies: a row each noise and number of `cells` (all), a column each attack."""
    names = list(EXACT)[::-1]
    rows = rows if cells is None else rows[rows["cells"].isin(cells)]
    table = rows.set_index(["noise", "cells"])[[EXACT[name] for name in names]]
    return table.set_axis(names, axis=1)


def gap_table(
    table: pd.DataFrame, in_all: pd.DataFrame | None = None, digits: int = 3
) -> pd.DataFrame:
    """`experiments.gap` for readers: a row a step, a column for each data, in accuracy.

    in_all  `experiments.unreached`, for a last row
    """
    found = _told(table, digits).unstack("data", sort=False)
    found = found.loc[[step for step in STEPS if step in found.index]]
    if in_all is not None:
        found.loc["best attack less network"] = summaries.bracketed(in_all, digits)["mean [95%]"]
    return found.rename(columns=_who).fillna("")


def _told(table: pd.DataFrame, digits: int = 3) -> pd.Series:
    """Means with intervals as text; one without width is "exact"."""
    exact = table["95% high"] - table["95% low"] < 1e-9
    return summaries.texts(table, digits).mask(
        exact, table["mean"].map(f"{{:.{digits}f}}, exact".format)
    )


def crowds_table(rows: pd.DataFrame) -> pd.DataFrame:
    """`experiments.compare_populations` for readers: means over runs, and paired differences."""
    table = summaries.means(rows, ["what", "crowd"], "value")
    found = summaries.bracketed(table)["mean [95%]"].unstack("crowd", sort=False)
    true, assumed = list(POPULATIONS)[::-1]
    less = summaries.differences(rows, ["what"], "value", ["run"], "crowd", true, assumed)
    return found.assign(**{"true - assumed": summaries.bracketed(less)["mean [95%]"]})


def means_table(rows: pd.DataFrame, measure: str = "accuracy", digits: int = 3) -> pd.DataFrame:
    """Mean of each attack with its interval over runs, a column for each data."""
    table = summaries.means(rows, ["data", "attack"], measure)
    found = summaries.bracketed(table, digits)["mean [95%]"].unstack("data", sort=False)
    return found.rename(columns=_who).fillna("")


def paired_table(
    rows: pd.DataFrame, pairs: Sequence[tuple[str, str]], measure: str = "accuracy"
) -> pd.DataFrame:
    """Differences paired by run, with intervals: a row a pair, a column for each data."""
    found = {}
    for first, second in pairs:
        both = rows[rows["attack"].isin([first, second])]
        table = summaries.differences(both, ["data"], measure, ["run"], "attack", first, second)
        found[f"{first} less {second}"] = summaries.bracketed(table, 3)["mean [95%]"]
    return pd.DataFrame(found).T.rename(columns=_who).fillna("").rename_axis(measure)


def rivals_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Both ratios and the networks, one dataset, paired by run: columns accuracy and AUC."""
    ratio, *networks = RIVALS
    pairs = [(ratio, each) for each in networks] + [(CORRELATED, each) for each in RIVALS]
    found = {m: paired_table(rows, pairs, m).iloc[:, 0] for m in ("accuracy", "AUC")}
    return pd.DataFrame(found)


def independence_table(rows: pd.DataFrame, sampled: pd.DataFrame) -> pd.DataFrame:
    """`experiments.independence` beside what the independent ratio reaches in the same run."""
    table = rows.set_index("data")
    names = {
        "mean correlation": "mean correlation of two cells",
        "mean count": "mean count of a cell, auxiliary half",
        "same, released users": "mean count of a cell, released half",
        "accuracy if independent": "ratio's accuracy, if both halves were alike and"
        " cells independent",
    }
    found = table[list(names)].rename(columns=names)
    first = select(sampled, run=0, attack="likelihood ratio").set_index("data")["accuracy"]
    return found.assign(**{"ratio's accuracy": first}).rename(index=_who).T


def learned_table(
    weights: pd.DataFrame, by_hand: pd.DataFrame, activations: pd.DataFrame, n_test: int
) -> pd.DataFrame:
    """Which rule networks hold: built by hand, of each number of shadow aggregates, and ReLU's.

    Intervals are over the `n_test` aggregates of one network each.
    """
    hand = by_hand.set_index("network").rename(index=lambda name: f"by hand: {name}")
    square = select(weights, data=INFORMED, **{"hidden nodes": 60}).set_index("shadows")
    square = square.rename(index=lambda n: f"sigmoid, {n:,} shadows")
    relu = select(activations, activation="relu").set_index("activation")
    relu = relu.rename(index={"relu": "ReLU, 200,000 shadows"})
    table = pd.concat([hand, square, relu])
    table = table.rename(columns={"centred bias": "bias from the means"})
    columns = ["concentration", "agrees with one", "agrees with two", "bias from the means"]
    texts = []
    for value in table["accuracy"]:
        half = 1.96 * np.sqrt(value * (1 - value) / n_test)
        texts.append(summaries.in_brackets(value, value - half, value + half, 3))
    return table[columns].round(3).assign(accuracy=texts).rename_axis("network")


def first_figure(rows: pd.DataFrame, exact: pd.Series) -> pd.DataFrame:
    """Fig. 1 and what it lacks. rows: one noise and number of cells; exact: of as many cells."""
    lines = {"DP bound": f"{exact['DP bound']:.3f}"}
    lines |= {
        f"{name}, informed, exact": f"{exact[column]:.3f}"
        for name, column in EXACT.items()
        if column in ("ratio", "two", "one")
    }
    nets = summaries.means(select(rows, attack="network, 100 nodes"), ["data"], "accuracy")
    for data, text in summaries.bracketed(nets, 3)["mean [95%]"].items():
        lines[f"network of 100 nodes, {_who(str(data))}"] = text
    return pd.Series(lines, name="accuracy").to_frame()


# -- figures ---------------------------------------------------------------------------------------


def _line(ax: Any, x: Any, y: Any, name: str, markers: bool = True) -> None:
    bound = {"linestyle": "-", "linewidth": 1} if name == "DP bound" else {}
    ax.plot(x, y, **line_style(name, markers and name != "DP bound") | bound)


def _panels(n: int, height: float, **more: Any) -> tuple[Any, np.ndarray]:
    figure, axes = plt.subplots(n, 1, figsize=(6, height), **more)
    return figure, np.atleast_1d(axes)


def _finish(figure: Any, ax: Any) -> None:
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    plt.show()


def show_cell(epsilon: float, sigma: float) -> None:
    """One cell: its density without and with her, and what each value says, for both noises."""
    x = np.linspace(-8, 9, 681)
    laplace = epsilon * (np.abs(x) - np.abs(x - 1))
    _, axes = _panels(2, 6.2, sharex=True)
    for at, name in enumerate(CLASSES.values()):
        density = epsilon / 2 * np.exp(-epsilon * np.abs(x - at))
        axes[0].plot(x, density, **line_style(name, markers=False))
    axes[0].set(ylabel="density, Laplace noise")
    axes[0].legend()
    axes[1].plot(x, laplace, marker="", label="Laplace noise")
    axes[1].plot(x, (x - 0.5) / sigma**2, marker="", label="Gaussian noise")
    axes[1].axhline(0, color="black", linewidth=1, linestyle=":", marker="")
    axes[1].set(xlabel="value of the cell", ylabel="log-likelihood ratio")
    axes[1].legend()
    plt.show()


def show_gap(table: pd.DataFrame) -> None:
    """`experiments.gap`: each step from the promise down to the network, with its interval."""
    names = list(table.index.get_level_values("data").unique())
    sizes = [len(table.loc[name]) for name in names]
    _, axes = plt.subplots(len(names), 1, figsize=(6, 1.5 + 0.55 * sum(sizes)), height_ratios=sizes)
    for ax, name in zip(np.atleast_1d(axes), names, strict=True):
        steps = table.loc[name]
        for place, (_, row) in enumerate(steps.iterrows()):
            ax.barh(
                place,
                row["mean"],
                left=row["start"] - row["mean"],
                color=COLORS[0],
                alpha=0.75 if row["mean"] >= 0 else 0.3,
            )
            spread = [[row["95% high"] - row["mean"]], [row["mean"] - row["95% low"]]]
            if np.ptp([row["95% high"], row["95% low"]]) > 1e-9:  # else it is exact
                ax.errorbar(
                    row["start"] - row["mean"],
                    place,
                    xerr=spread,
                    color="black",
                    capsize=4,
                    marker="",
                    linewidth=1.5,
                )
        _ends(ax, steps)
        ax.set_yticks(range(len(steps)), list(steps.index))
        ax.invert_yaxis()
        ax.set_title(_who(name))
        ax.set_xlabel("accuracy")
    plt.show()


def _ends(ax: Any, steps: pd.DataFrame) -> None:
    """What the first step starts from and the last one ends at, beside their bars."""
    first, last = steps.iloc[0], steps.iloc[-1]
    end = last["start"] - last["mean"]
    around = max(last["start"], end, end + last["mean"] - last["95% low"])
    ax.annotate(
        f"bound {first['start']:.3f}",
        (first["start"] - first["mean"], 0),
        (-6, 0),
        textcoords="offset points",
        ha="right",
        va="center",
    )
    ax.annotate(
        f"network {end:.3f}",
        (around, len(steps) - 1),
        (8, 0),
        textcoords="offset points",
        va="center",
    )


def _who(data: str) -> str:
    return "informed attacker" if data == INFORMED else f"auxiliary, {label(data)}"


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
    ticks = [0.3, 0.5, 0.7, 1.0]
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    _finish(figure, ax)


def cell_densities(densities: pd.DataFrame) -> None:
    """Fig. 7: the density of one cell. Columns: (attacker, out | in)."""
    names = densities.columns.get_level_values(0).unique()
    figure, axes = _panels(len(names), 5.2, sharex=True)
    for ax, attacker in zip(axes, names, strict=True):
        for member, name in CLASSES.items():
            ax.plot(densities.index, densities[attacker, member], **line_style(name, markers=False))
        ax.set(title=attacker, ylabel="density of a cell")
    axes[-1].set_xlabel("value of the cell")
    _finish(figure, axes[0])


def score_histograms(rows: pd.DataFrame) -> None:
    """Fig. 8 and 10: sampled scores (dots) and their laws (lines), a panel a score and attacker."""
    figure, axes = _panels(4, 9)
    for ax, (key, part) in zip(axes, rows.groupby(["score", "attacker"], sort=False), strict=True):
        for short, name in CLASSES.items():
            each = select(part, **{"class": short})
            ax.plot(each["value"], each["sampled"], ".", color=color(name), label=name)
            ax.plot(each["value"], each["law"], color=color(name), marker="", linestyle="-")
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
    image = ax.imshow(
        chart, cmap=plt.get_cmap("PuOr_r", _SHADES), vmin=-limit, vmax=limit, aspect="auto"
    )
    for (row, column), value in np.ndenumerate(chart.to_numpy()):
        shade = "white" if abs(value) > 0.6 * limit else "black"
        ax.text(column, row, f"{round(value, 2) + 0.0:+.2f}", ha="center", va="center", color=shade)
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
        ax.set(title=_who(data), ylabel=ylabel)
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
            **line_style(str(attack)),
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


def weight_maps(rows: pd.DataFrame, title: str = "data") -> None:
    """Fig. 12, 15, 23, 24: first-layer weights, a panel for each value of the column `title`."""
    parts = dict(list(rows.groupby(title, sort=False)))
    wide = len(parts) == 2
    shape: Any = {"figsize": (6, 3.4), "ncols": 2} if wide else {"figsize": (6, 4 * len(parts))}
    figure, axes = plt.subplots(**shape, squeeze=False)
    for ax, (name, part) in zip(axes.flat, parts.items(), strict=True):
        image = ax.imshow(
            part.filter(like="node "), cmap=plt.get_cmap("PuOr", _SHADES), vmin=-1, vmax=1
        )
        words = f"{name:,} shadows" if isinstance(name, int | np.integer) else _who(str(name))
        ax.set_title(words.replace("auxiliary, ", "auxiliary,\n"), fontsize="medium")
        ax.set(xlabel="hidden node", ylabel="cell")
        ax.grid(False)
    figure.colorbar(
        image, ax=axes, label="weight over the largest", shrink=0.6, location="bottom", aspect=40
    )
    plt.show()


def learning(table: pd.DataFrame, best: float, cells: int) -> None:
    """Fig. 22 with clipped cells: mean accuracy by learner and shadows; best: the exact ratio's."""
    figure, ax = plt.subplots(figsize=(6, 4.4))
    for name, rows in table.groupby(level="learner", sort=False):
        rows = rows.droplevel("learner")
        ax.errorbar(
            rows.index,
            rows["mean"],
            yerr=rows["95% high"] - rows["mean"],
            capsize=3,
            markersize=5,
            linewidth=1.5,
            label=name,
        )
    ax.axhline(
        best, color="black", linewidth=1, marker="", linestyle=":", label="likelihood ratio, exact"
    )
    ax.set(xscale="log", xlabel="shadow aggregates", ylabel=f"accuracy, {cells} cells")
    sizes = sorted(table.index.get_level_values("shadows").unique())
    ax.set_xticks(sizes, [f"{size:,}" for size in sizes], rotation=30)
    ax.minorticks_off()
    _finish(figure, ax)

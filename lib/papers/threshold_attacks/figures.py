"""Figures and wide tables of the chapter on threshold attacks; an attack has one style in all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib import metrics
from lib.papers import figures, summaries
from lib.papers.figures import COLORS, color, label, line_style
from lib.papers.threshold_attacks.experiments import (
    CORRELATED,
    FEW,
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
# What the chapter calls the likelihood ratios, the steps of the gap, and what `crowds` measures.
RATIO_NAMES = {"likelihood ratio": "independent ratio", "correlated ratio": "joint ratio"}
STEP_NAMES = {
    "the noise": "bound → informed ratio",
    "the other users": "informed → joint ratio",
    "independence": "joint → independent ratio",
    "two thresholds": "ratio → two thresholds",
    "one threshold": "two → one threshold",
    "the network": "one threshold → network",
    "best attack minus network": "best attack → network",
}
_HALVES = {
    "assumed": "attacker uses the auxiliary half",
    "true": "attacker uses the released half",
    "true - assumed": "released minus auxiliary",
}
_KINDS = {
    "ratio, cells shuffled": "accuracy, independent ratio, cells permuted",
    "ratio, as released": "accuracy, independent ratio, as released",
    "correlated ratio": "accuracy, joint ratio, as released",
    "lost to correlation": "lost to correlation (first row − second)",
    "ratio, best threshold": "accuracy, independent ratio, best threshold",
}
_THRESHOLDS = {"own": "own threshold", "shadows": "best on shadows", "best": "best threshold"}
# Which cause a step of the gap has, whatever name it is shown by.
_CAUSES = {
    "the noise": "Laplace noise leaks less than the bound allows",
    "the other users": "other users",
    "independence": "cells treated as independent",
    "two thresholds": "simpler rule",
    "one threshold": "simpler rule",
    "the network": "rest of the network's loss",
}
_CAUSES |= {STEP_NAMES[step]: cause for step, cause in _CAUSES.items()}
_FIVE = ("reference", "one-threshold", "two-threshold", "network", "likelihood ratio")
_MIDDLE = {"flights-by-number": 50}  # cells of the chapter's tables; 60 elsewhere
_ROOM = 0.88  # accuracy up to which a label fits on the right, on an axis that ends at 1.01
SHADES = 41  # of a map: more are lost where a picture gets a palette


# -- tables of the games ---------------------------------------------------------------------------


def rename_ratios(rows: pd.DataFrame) -> pd.DataFrame:
    """Name the likelihood ratios as the pages do.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs, with a column attack.

    Returns
    -------
    pandas.DataFrame
        The rows; the two ratios are the independent ratio and the joint ratio.
    """
    return rows.assign(attack=rows["attack"].replace(RATIO_NAMES))


def by_attack(rows: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Make a table of means over runs, a row for each dataset and number of cells.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, cells, attack and measures.
    measure : str
        Column to average.

    Returns
    -------
    pandas.DataFrame
        A column for each attack; within: the largest half-width of a row's 95% intervals.
    """
    return _side_by_side(summaries.means(rows, ["data", "cells", "attack"], measure))


def low_rates(rows: pd.DataFrame) -> pd.DataFrame:
    """Compute mean true positive rates over runs with their intervals.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, cells, attack and measures.

    Returns
    -------
    pandas.DataFrame
        Columns of `lib.papers.summaries.means`; index data, attack, FPR.
    """
    columns = {f"TPR {f:g}": f for f in FPRS}
    tall = rows.melt(["data", "attack", "run"], list(columns), "FPR", "true positives").dropna()
    return summaries.means(
        tall.assign(FPR=tall["FPR"].map(columns)), ["data", "attack", "FPR"], "true positives"
    )


def low_rates_by_attack(
    rows: pd.DataFrame, rates: Sequence[float] = (0.001, 0.003, 0.01, 0.1)
) -> Any:
    """Make a table of the mean true positive rates at a number of false positive rates.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, cells, attack and measures.
    rates : sequence of float
        False positive rates.

    Returns
    -------
    pandas.DataFrame
        A row for each dataset and rate, a column for each attack.
    """
    table = low_rates(rows).query("FPR in @rates")
    return _side_by_side(table.reorder_levels(["data", "FPR", "attack"]))


def _side_by_side(table: pd.DataFrame) -> pd.DataFrame:
    table = table[table["n"] > 0]
    half = (table["95% high"] - table["mean"]).groupby(level=[0, 1]).max()
    return table["mean"].unstack("attack", sort=False).sort_index().assign(within=half)


def exact_table(rows: pd.DataFrame, cells: Sequence[int] | None = None) -> pd.DataFrame:
    """Make a table of exact accuracies.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.exact`.
    cells : sequence of int, optional
        Numbers of cells to show; all without it.

    Returns
    -------
    pandas.DataFrame
        A row for each noise and number of cells, a column for each attack.
    """
    names = list(EXACT)[::-1]
    rows = rows if cells is None else rows[rows["cells"].isin(cells)]
    table = rows.set_index(["noise", "cells"])[[EXACT[name] for name in names]]
    return table.set_axis(names, axis=1)


def gap_table(
    table: pd.DataFrame, in_all: pd.DataFrame | None = None, digits: int = 3
) -> pd.DataFrame:
    """Make a table of the steps from the DP bound down to the network, in accuracy.

    Parameters
    ----------
    table : pandas.DataFrame
        As `experiments.gap` returns it.
    in_all : pandas.DataFrame, optional
        As `experiments.unreached` returns it: a last row.
    digits : int
        Decimals.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each step, a column for each dataset.
    """
    found = _formatted(table, digits).unstack("data", sort=False)
    found = found.loc[[step for step in STEPS if step in found.index]]
    if in_all is not None:
        found.loc["best attack minus network"] = summaries.bracketed(in_all, digits)["mean [95%]"]
    return found.rename(columns=_attacker_name).fillna("")


def _formatted(table: pd.DataFrame, digits: int = 3) -> pd.Series:
    """Means with intervals as text; one without width is "exact"."""
    exact = table["95% high"] - table["95% low"] < 1e-9
    return summaries.texts(table, digits).mask(
        exact, table["mean"].map(f"{{:.{digits}f}}, exact".format)
    )


def crowds_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of means over runs by population, and of paired differences.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `experiments.compare_populations` returns them.

    Returns
    -------
    pandas.DataFrame
        Text; a column for each population and one for the difference.
    """
    true, assumed = list(POPULATIONS)[::-1]
    pairs = [(true, assumed)]
    found = figures.table(rows, ["what"], "value", "crowd", pairs=pairs, unit=["run"])
    return found.rename(columns={f"{true} - {assumed}": "true - assumed"})


def means_table(rows: pd.DataFrame, measure: str = "accuracy", digits: int = 3) -> pd.DataFrame:
    """Make a table of each attack's mean with its interval over runs.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, cells, attack and measures.
    measure : str
        Column to average.
    digits : int
        Decimals.

    Returns
    -------
    pandas.DataFrame
        Text; a column for each dataset.
    """
    return figures.table(name_attackers(rows), ["attack"], measure, "data", digits=digits)


def paired_table(
    rows: pd.DataFrame, pairs: Sequence[tuple[str, str]], measure: str = "accuracy"
) -> pd.DataFrame:
    """Make a table of differences between attacks, paired by run, with intervals.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, cells, attack and measures.
    pairs : sequence of (str, str)
        Attacks, each pair a row.
    measure : str
        Column to average.

    Returns
    -------
    pandas.DataFrame
        Text; a column for each dataset.
    """
    found = figures.table(
        name_attackers(rows), ["data"], measure, "attack", digits=3, pairs=pairs, unit=["run"]
    )
    return found[[f"{first} - {second}" for first, second in pairs]].T.rename_axis(measure)


def name_attackers(rows: pd.DataFrame) -> pd.DataFrame:
    """Name each dataset after its attacker.

    Parameters
    ----------
    rows : pandas.DataFrame
        With the column data.

    Returns
    -------
    pandas.DataFrame
        The rows with the attackers' names in this column.
    """
    return rows.assign(data=rows["data"].map(_attacker_name))


def rivals_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare both ratios and the networks on one dataset, paired by run.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, cells, attack and measures.

    Returns
    -------
    pandas.DataFrame
        Text; columns accuracy and AUC.
    """
    found = {m: paired_table(rows, _rival_pairs(), m).iloc[:, 0] for m in ("accuracy", "AUC")}
    table = pd.DataFrame(found)
    for old, new in RATIO_NAMES.items():
        table.index = table.index.str.replace(old, new)
    return table


def _rival_pairs() -> list[tuple[str, str]]:
    ratio, *networks = RIVALS
    return [(ratio, each) for each in networks] + [(CORRELATED, each) for each in RIVALS]


def five_attacks(rows: pd.DataFrame) -> pd.DataFrame:
    """Select the chapter's five attacks: Laplace noise, 2,000 shadow aggregates, middle cells.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.games`.

    Returns
    -------
    pandas.DataFrame
        The rows, sorted by attack, with the chapter's names of the attacks.
    """
    rows = select(rows, noise="Laplace", shadows=FEW)
    rows = rows[rows["cells"] == rows["data"].map(_MIDDLE).fillna(60)]
    return rename_ratios(pd.concat([select(rows, attack=attack) for attack in _FIVE]))


def by_target(rows: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Make a table of one dataset with a row for each target and a column for each attack.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs of one dataset: run, attack and measures.
    measure : str
        Column to show.

    Returns
    -------
    pandas.DataFrame
        Index: target. The attacks have the chapter's names.
    """
    wide = rows.pivot(index="run", columns="attack", values=measure)
    return wide[rows["attack"].unique()].rename(columns=RATIO_NAMES).rename_axis("target")


def gap_in_words(table: pd.DataFrame, in_all: pd.DataFrame) -> pd.DataFrame:
    """Make the table of `gap_table` with the chapter's names of the steps.

    Parameters
    ----------
    table : pandas.DataFrame
        As `experiments.gap` returns it.
    in_all : pandas.DataFrame
        As `experiments.best_minus_network` returns it: a last row.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each step, a column for each dataset.
    """
    return gap_table(table, in_all).rename(index=STEP_NAMES)


def crowds_in_words(rows: pd.DataFrame) -> pd.DataFrame:
    """Make the table of `crowds_table` with the chapter's names of rows and columns.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `experiments.compare_populations` returns them.

    Returns
    -------
    pandas.DataFrame
        Text; a column for each half of the users and one for the difference.
    """
    found = crowds_table(rows)
    order = [*_KINDS, *(kind for kind in found.index if kind not in _KINDS)]
    found = found.loc[order].rename(index=_KINDS, columns=_HALVES)
    return found.rename_axis(f"mean over {rows['run'].nunique()} targets")


def thresholds_in_words(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare each attack's accuracy at its own threshold and at the best one.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `threshold_choice.compare_thresholds` returns them.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each attack. Columns: mean accuracies at three thresholds, and the
        difference between the best and the own one with its interval, paired by run.
    """
    found = {}
    for name, part in rows.groupby("attack", sort=False):
        wide = part.pivot(index="run", columns="threshold", values="accuracy")
        means = {word: f"{wide[key].mean():.2f}" for key, word in _THRESHOLDS.items()}
        lost = (wide["best"] - wide["own"]).to_numpy()
        text = summaries.in_brackets(lost.mean(), *metrics.mean_interval(lost))
        found[RATIO_NAMES.get(str(name), str(name))] = means | {"best minus own": text}
    table = pd.DataFrame.from_dict(found, orient="index")
    return table.rename_axis(f"mean over {rows['run'].nunique()} targets")


def rivals_in_words(rows: pd.DataFrame) -> pd.DataFrame:
    """Make the table of `rivals_table` with the chapter's names of the attacks.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, cells, attack and measures.

    Returns
    -------
    pandas.DataFrame
        Text; columns accuracy and AUC.
    """
    found = rivals_table(rows)
    for old, new in RATIO_NAMES.items():
        found.index = found.index.str.replace(old, new)
    return found


def independence_table(rows: pd.DataFrame, sampled: pd.DataFrame) -> pd.DataFrame:
    """Compare the independent ratio's accuracy with its accuracy if cells were independent.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.independence`.
    sampled : pandas.DataFrame
        Rows of runs, named as `rename_ratios` does; the first run is used.

    Returns
    -------
    pandas.DataFrame
        A column for each dataset.
    """
    table = rows.set_index("data")
    names = {
        "mean correlation": "mean correlation of two cells",
        "mean count": "mean count of a cell, auxiliary half",
        "same, released users": "mean count of a cell, released half",
        "accuracy if independent": "independent ratio's accuracy, if both halves had the same"
        " distribution and cells were independent",
    }
    found = table[list(names)].rename(columns=names)
    ratio = RATIO_NAMES["likelihood ratio"]
    first = select(sampled, run=0, attack=ratio).set_index("data")["accuracy"]
    return (
        found.assign(**{f"{ratio}'s accuracy, first target": first}).rename(index=_attacker_name).T
    )


def learned_table(
    weights: pd.DataFrame, by_hand: pd.DataFrame, activations: pd.DataFrame, n_test: int
) -> pd.DataFrame:
    """Make a table of the rule that networks learn, by number of shadow aggregates and activation.

    Parameters
    ----------
    weights : pandas.DataFrame
        Rows of networks by number of shadow aggregates.
    by_hand : pandas.DataFrame
        Rows of networks whose weights were set by hand.
    activations : pandas.DataFrame
        Rows of networks by activation function.
    n_test : int
        Number of test aggregates, which decides the width of the intervals.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each network.
    """
    hand = by_hand.set_index("network").rename(index=lambda name: f"by hand: {name}")
    square = select(weights, data=INFORMED, **{"hidden nodes": 60}).set_index("shadows")
    square = square.rename(index=lambda n: f"sigmoid, {n:,} shadows")
    relu = select(activations, activation="relu").set_index("activation")
    relu = relu.rename(index={"relu": "ReLU, 200,000 shadows"})
    table = pd.concat([hand, square, relu])
    columns = ["concentration", "agrees with one", "agrees with two"]
    texts = []
    for value in table["accuracy"]:
        half = 1.96 * np.sqrt(value * (1 - value) / n_test)
        texts.append(summaries.in_brackets(value, value - half, value + half, 3))
    numbers = table[columns].map("{:.3f}".format).replace("nan", "not measured")
    return numbers.assign(accuracy=texts).rename_axis("network")


def name_halves(rows: pd.DataFrame) -> pd.DataFrame:
    """Name halves and measures as the table of `crowds_in_words` does.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `experiments.compare_populations` returns them.

    Returns
    -------
    pandas.DataFrame
        Columns run, half ("auxiliary half" or "released half"), measure, value.
    """
    halves = {key: name.removeprefix("attacker uses the ") for key, name in _HALVES.items()}
    named = rows.assign(crowd=rows["crowd"].map(halves), what=rows["what"].replace(_KINDS))
    return named.rename(columns={"crowd": "half", "what": "measure"})


def first_figure(rows: pd.DataFrame, exact: pd.Series) -> pd.DataFrame:
    """Make a table of the accuracies in Fig. 1, and of the ones that it lacks.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs with one noise and one number of cells.
    exact : pandas.Series
        Row of `experiments.exact` for the same noise and number of cells.

    Returns
    -------
    pandas.DataFrame
        One column of text.
    """
    lines = {"DP bound": f"{exact['DP bound']:.3f}"}
    lines |= {
        f"{RATIO_NAMES.get(name, name)}, informed, exact": f"{exact[column]:.3f}"
        for name, column in EXACT.items()
        if column in ("ratio", "two", "one")
    }
    nets = summaries.means(select(rows, attack="network, 100 nodes"), ["data"], "accuracy")
    for data, text in summaries.bracketed(nets, 3)["mean [95%]"].items():
        lines[f"network of 100 nodes, {_attacker_name(str(data))}"] = text
    return pd.Series(lines, name="accuracy").to_frame()


# -- figures ---------------------------------------------------------------------------------------


def stacked_panels(n: int, height: float, **more: Any) -> tuple[Any, np.ndarray]:
    """Create panels one below the other.

    Parameters
    ----------
    n : int
        Number of panels.
    height : float
        Of the figure, in inches.
    **more
        Arguments of `matplotlib.pyplot.subplots`.

    Returns
    -------
    tuple of (matplotlib.figure.Figure, ndarray of matplotlib.axes.Axes, shape (n,))
        The figure and its panels.
    """
    figure, axes = plt.subplots(n, 1, figsize=(6, height), **more)
    return figure, np.atleast_1d(axes)


def _finish(figure: Any, ax: Any) -> None:
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    plt.show()


def show_cell(epsilon: float, sigma: float) -> None:
    """Draw the density of one cell without and with the target, and the log-likelihood ratio.

    Parameters
    ----------
    epsilon : float
        Privacy budget of the Laplace noise.
    sigma : float
        Standard deviation of the Gaussian noise.

    Returns
    -------
    None
    """
    x = np.linspace(-8, 9, 681)
    laplace = epsilon * (np.abs(x) - np.abs(x - 1))
    _, axes = stacked_panels(2, 6.2, sharex=True)
    for ax in axes:
        ax.grid(False, axis="x")
        _mark_kinks(ax)
    for at, name in enumerate(CLASSES.values()):
        density = epsilon / 2 * np.exp(-epsilon * np.abs(x - at))
        axes[0].plot(x, density, **line_style(name, markers=False))
    axes[0].set(ylabel="density, Laplace noise")
    axes[0].legend()
    # Other colours and lines than above, where they tell members from non-members.
    green, grey = COLORS[2], COLORS[5]
    axes[1].plot(x, laplace, color=green, linestyle="-", marker="", label="Laplace noise")
    gaussian = (x - 0.5) / sigma**2
    axes[1].plot(x, gaussian, color=grey, linestyle="-.", marker="", label="Gaussian noise")
    axes[1].axhline(0, color="black", linewidth=1, linestyle="-", marker="")
    for bound in (epsilon, -epsilon):
        axes[1].axhline(bound, color="black", linewidth=1, linestyle=":", marker="")
    axes[1].set_yticks([-epsilon, 0, epsilon], ["−ε", "0", "+ε"])
    axes[1].set(xlabel="value of the cell", ylabel="log-likelihood ratio")
    axes[1].set_xticks([-8, -4, 0, 1, 4, 8])
    axes[1].legend(loc="upper left", bbox_to_anchor=(0, 0.9))
    plt.show()


def _mark_kinks(ax: Any) -> None:
    """Shade the values between the two peaks, 0 and 1, and draw lines there and at 1/2."""
    ax.axvspan(0, 1, color=COLORS[1], alpha=0.18, linewidth=0)
    for at, line in ((0, "-"), (0.5, ":"), (1, "-")):
        ax.axvline(at, color=COLORS[5], linewidth=1, linestyle=line, marker="")


def show_gap(table: pd.DataFrame, best: pd.DataFrame | None = None) -> None:
    """Draw each step from the DP bound down to the network, with its interval.

    The colour is the cause of the step; the number on the right is the accuracy lost.
    With `best`, a double arrow below the steps spans the distance from the best attack
    to the network, on the axis of accuracy, and names its share of the gap; the intervals
    are then printed below the numbers instead of drawn at the bars, and the axis ends near
    the bars.

    Parameters
    ----------
    table : pandas.DataFrame
        As `experiments.gap` returns it.
    best : pandas.DataFrame, optional
        As `experiments.best_minus_network` returns it: the length of the arrow.

    Returns
    -------
    None
    """
    names = list(table.index.get_level_values("data").unique())
    below = 0 if best is None else 1  # a row for the arrow
    sizes = [len(table.loc[name]) + below for name in names]
    figure, axes = stacked_panels(
        len(names), 2.6 + 0.55 * sum(sizes), height_ratios=sizes, sharex=True
    )
    left, right, room = _axis_of_gap(table, best is not None)
    for ax, name in zip(axes, names, strict=True):
        steps = table.loc[name]
        for place, (step, row) in enumerate(steps.iterrows()):
            _step(ax, place, _CAUSES[str(step)], row, printed=best is not None)
        _ends(ax, steps, whiskers=best is None, room=room)
        rows = list(steps.index)
        if best is not None:
            _distance_to_best(ax, steps, best.loc[name])
            rows.append("best attack → network")
        # On two lines, so that the axes are wide enough for their title.
        ax.set_yticks(range(len(rows)), [each.replace("→ ", "→\n") for each in rows])
        ax.invert_yaxis()
        ax.set_title(_attacker_name(name))
        ax.tick_params(labelbottom=True)
    at = 1.18 if best is None else _LOSS_AT
    axes[0].set_title("loss", loc="right", fontweight="normal", fontsize="medium", x=at)
    axes[-1].set(xlabel="accuracy", xlim=(left, right))
    _legend_of_causes(figure, table, gains=best is not None)
    plt.show()


def _axis_of_gap(table: pd.DataFrame, tight: bool) -> tuple[float | None, float, float]:
    """Both ends of the axis, and the accuracy up to which a label fits right of its bar."""
    if not tight:
        return None, 1.01, _ROOM
    left = (table["start"] - table["mean"]).min() - 0.02
    right = table["start"].max() + 0.01
    return left, right, left + 0.4 * (right - left)


def _legend_of_causes(figure: Any, table: pd.DataFrame, gains: bool) -> None:
    """Name the cause of each colour; with `gains`, say which colour is pale because of a gain."""
    drawn = {_CAUSES[str(step)] for step in table.index.get_level_values("step")}
    causes = [each for each in _CAUSE_COLORS if each in drawn]
    bars = [plt.Rectangle((0, 0), 1, 1, color=COLORS[_CAUSE_COLORS[each]]) for each in causes]
    gained = table[table["mean"] < -0.0005].index.get_level_values("step")
    pale = {_CAUSES[str(step)] for step in gained if gains}
    words = [f"{each} (pale: a gain)" if each in pale else each for each in causes]
    figure.legend(bars, words, loc="outside upper center", ncols=1)


_LOSS_AT = 1.4  # right end of the losses, in widths of the axes, if intervals are printed
_CAUSE_COLORS = {
    "Laplace noise leaks less than the bound allows": 5,
    "other users": 2,
    "cells treated as independent": 3,
    "simpler rule": 0,
    "rest of the network's loss": 1,
}


_BELOW_BEST = (
    "cells treated as independent",
    "simpler rule",
    "rest of the network's loss",
)  # causes of the steps below the best attack


def _step(ax: Any, place: int, cause: str, row: pd.Series, printed: bool) -> None:
    """Draw one step of the gap: its bar, its interval, and the accuracy lost on the right."""
    end, mean = row["start"] - row["mean"], row["mean"]
    shade = COLORS[_CAUSE_COLORS[cause]]
    alpha = 0.85 if mean >= 0 else 0.35
    # The edge makes a step of width 0 visible.
    ax.barh(place, mean, left=end, color=shade, edgecolor=shade, alpha=alpha)
    if printed:
        _print_loss(ax, place, row)
        return
    if row["95% high"] - row["95% low"] > 1e-9:  # else it is exact
        spread = [[row["95% high"] - mean], [mean - row["95% low"]]]
        ax.errorbar(end, place, xerr=spread, color="black", capsize=4, marker="", linewidth=1.5)
    text = f"{mean + 0.0:.3f}".replace("-", "−")
    ax.text(1.18, place, text, transform=ax.get_yaxis_transform(), ha="right", va="center")


def _print_loss(ax: Any, place: int, row: pd.Series) -> None:
    """Print the accuracy lost in one step, and its interval on the line below."""
    numbers = (f"{row[key] + 0.0:.3f}" for key in ("mean", "95% low", "95% high"))
    mean, low, high = (text.replace("-", "−").replace("−0.000", "0.000") for text in numbers)
    exact = row["95% high"] - row["95% low"] < 1e-9
    where: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "ha": "right"}
    ax.text(_LOSS_AT, place, mean, va="bottom", **where)
    interval = "exact" if exact else f"[{low}, {high}]"
    ax.text(_LOSS_AT, place + 0.05, interval, va="top", fontsize="small", **where)


def _ends(ax: Any, steps: pd.DataFrame, whiskers: bool, room: float) -> None:
    """Label the bound at the first bar and the network at the last one, on the side with room."""
    first, last = steps.iloc[0], steps.iloc[-1]
    end = last["start"] - last["mean"]
    drawn = [last["start"], end]
    if whiskers:
        drawn += [last["start"] - last["95% low"], last["start"] - last["95% high"]]
    left, right = min(drawn), max(drawn)
    beside = right < room  # else the label would leave the axes
    ax.annotate(
        f"bound {first['start']:.4f}",
        (first["start"] - first["mean"], 0),
        (-6, 0),
        textcoords="offset points",
        ha="right",
        va="center",
    )
    ax.annotate(
        f"network {end:.3f}",
        (right if beside else left, len(steps) - 1),
        (8 if beside else -8, 0),
        textcoords="offset points",
        ha="left" if beside else "right",
        va="center",
        # So that the dotted line of the best attack does not cross the label.
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
    )


def _distance_to_best(ax: Any, steps: pd.DataFrame, best: pd.Series) -> None:
    """Draw a double arrow from the network to the best attack, and its share of the gap."""
    lost = best["mean"]
    place, last = len(steps), steps.iloc[-1]
    network = last["start"] - last["mean"]
    thin: dict[str, Any] = {"color": "black", "linestyle": ":", "linewidth": 1.2}
    causes = [_CAUSES[str(step)] for step in steps.index]
    best_row = sum(cause not in _BELOW_BEST for cause in causes) - 1
    at = place - 0.15  # of the arrow; its text stands below
    ax.vlines(network + lost, best_row + 0.4, at + 0.1, **thin)
    ax.vlines(network, place - 0.6, at + 0.1, **thin)
    ends: dict[str, Any] = {"xy": (network + lost, at), "xytext": (network, at)}
    arrow = {"arrowstyle": "<->", "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", **ends, arrowprops=arrow)
    ax.annotate(
        f"{lost / steps['mean'].sum():.0%} of the gap",
        (network + lost / 2, at),
        (0, -7),
        textcoords="offset points",
        ha="center",
        va="top",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )
    ax.set_ylim(-0.6, place + 0.6)
    _print_loss(ax, place, best)
    ax.axhline(place - 0.5, color=COLORS[5], linewidth=0.8, linestyle="-", marker="")


def _attacker_name(data: str) -> str:
    return "informed attacker" if data == INFORMED else f"auxiliary, {label(data)}"


def threshold_dots(rows: pd.DataFrame) -> None:
    """Draw each attack's mean accuracy at its own threshold, at a learned one and at the best one.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `threshold_choice.compare_thresholds` returns them.

    Returns
    -------
    None
    """
    named = rename_ratios(rows)
    means = named.groupby(["attack", "threshold"], sort=False)["accuracy"].mean().unstack()
    _, ax = plt.subplots(figsize=(6, 3))
    places = range(len(means))
    ax.hlines(places, means["own"], means["best"], color=COLORS[5], linewidth=1.5)
    # Hollow circles, so that a cross on the same place can be seen.
    looks: dict[str, dict[str, Any]] = {
        "own": {"marker": "o", "color": COLORS[0], "markerfacecolor": "none", "markersize": 9},
        "shadows": {"marker": "x", "color": COLORS[1], "markersize": 7},
        "best": {"marker": "D", "color": COLORS[2], "markersize": 7},
    }
    for key, look in looks.items():
        ax.plot(means[key], places, linestyle="", label=_THRESHOLDS[key], **look)
    ax.set_yticks(places, list(means.index))
    ax.invert_yaxis()
    ax.margins(y=0.12)
    ax.set(xlabel=f"mean accuracy over {rows['run'].nunique()} targets")
    ax.figure.legend(loc="outside upper center", ncols=3)
    plt.show()


def half_dots(shift: pd.Series, lost: pd.Series) -> None:
    """Draw the accuracy lost to the threshold against the size of the difference of the halves.

    Targets whose attacker expects counts that are too high have another mark than the others.

    Parameters
    ----------
    shift : pandas.Series, shape (n_targets,)
        Mean count of the target's cells in the released half minus that in the auxiliary half.
    lost : pandas.Series, shape (n_targets,)
        Accuracy at the best threshold minus accuracy at the attack's own threshold.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6, 3.8))
    looks: dict[str, dict[str, Any]] = {
        "attacker expects counts that are too high": {"marker": "o", "color": COLORS[0]},
        "attacker expects counts that are too low": {
            "marker": "s",
            "color": COLORS[1],
            "markerfacecolor": "none",
            "markeredgewidth": 1.8,
        },
    }
    for (name, look), of_kind in zip(looks.items(), (shift < 0, shift >= 0), strict=True):
        ax.plot(shift[of_kind].abs(), lost[of_kind], linestyle="", label=name, markersize=8, **look)
    ax.set(xlim=(0, None), ylim=(0, None), ylabel="accuracy lost")
    ax.set_xlabel("size of the difference of the mean counts")
    ax.figure.legend(loc="outside upper center", ncols=1)
    plt.show()


def ratio_histograms(
    scores: Mapping[str, np.ndarray], members: np.ndarray, best: Mapping[str, float] | None = None
) -> None:
    """Draw histograms of log-likelihood ratios for both classes, a panel for each kind of release.

    Parameters
    ----------
    scores : mapping of str to ndarray of float, shape (n,)
        Title of the panel -> the scores of its releases.
    members : ndarray of {0, 1}, shape (n,)
        1 for releases that contain the target.
    best : mapping of str to float, optional
        Title of a panel -> the best threshold for its scores, drawn as a second line.

    Returns
    -------
    None
    """
    figure, axes = stacked_panels(len(scores), 2.4 * len(scores), sharex=True, sharey=True)
    bins = np.histogram_bin_edges(np.concatenate(list(scores.values())), 40)
    for ax, (title, each) in zip(axes, scores.items(), strict=True):
        for kind, name in enumerate(CLASSES.values()):
            look = line_style(name, markers=False)
            density, _ = np.histogram(each[members == kind], bins, density=True)
            ax.stairs(
                density, bins, label=name, color=look["color"], linestyle=look["linestyle"], lw=1.8
            )
        ax.axvline(0, color="black", linewidth=1, linestyle=":", marker="", label="own threshold")
        if best and title in best:
            look = {"color": COLORS[2], "linestyle": "-.", "label": "best threshold"}
            ax.axvline(best[title], linewidth=1.5, marker="", **look)
        ax.set(title=title, ylabel="density")
    axes[-1].set_xlabel("log-likelihood ratio")
    _finish(figure, axes[0])


def evidence_curves(curves: pd.DataFrame, epsilon: float, spread: Mapping[str, float]) -> None:
    """Draw log-likelihood ratios of one cell, with the bounds that the guarantee sets.

    Each curve is thick over the likely values, and its name stands beside it.

    Parameters
    ----------
    curves : pandas.DataFrame
        Index: value of the cell minus its mean; a column for each of three distributions of the
        others, the steepest curve first.
    epsilon : float
        Privacy budget of the cell; the bounds are ±epsilon.
    spread : mapping of str to float
        For each column, the standard deviation of the value of a cell without the target.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6, 4.2))
    heights = np.array([0.9, 0.86, 0.4]) * epsilon  # of the names
    for name, shade, line, height in zip(curves, COLORS, figures.LINES, heights, strict=False):
        curve, reach = curves[name], spread[str(name)]
        likely = curve[np.abs(curve.index) <= reach]
        look: dict[str, Any] = {"color": shade, "marker": ""}
        ax.plot(curve.index, curve, linestyle=line, linewidth=1.5, **look)
        ax.plot(likely.index, likely, linestyle="-", linewidth=6, alpha=0.45, **look)
        crossing = float(np.interp(height, curve, curve.index))
        left = name == curves.columns[0]  # the steepest curve: its label must not cross the others
        place: dict[str, Any] = {"textcoords": "offset points", "color": shade, "va": "top"}
        place |= {
            "xytext": (-8 if left else 16, -4 if left else 0),
            "ha": "right" if left else "left",
        }
        ax.annotate(str(name), (crossing, height), **place)
    for bound in (-epsilon, epsilon):
        ax.axhline(bound, color="black", linewidth=1, linestyle=":", marker="")
    ax.set_yticks([-epsilon, 0, epsilon], ["−ε", "0", "+ε"])
    ax.set(xlabel="value of the cell minus mean count", ylabel="log-likelihood ratio")
    plt.show()


def exact_accuracies(
    rows: pd.DataFrame,
    distance: bool = False,
    names: Mapping[str, str] | None = None,
    ticks: Sequence[int] = (),
) -> None:
    """Draw the exact accuracy of the informed attacker against the number of cells (Fig. 6).

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.exact`; a panel for each noise.
    distance : bool, default False
        Whether the panel of Laplace noise shows the bound minus the accuracy.
    names : mapping of str to str, optional
        Other names of attacks, such as `RATIO_NAMES`.
    ticks : sequence of int, optional
        Numbers of cells to name on a logarithmic axis; without them, the axis is linear.

    Returns
    -------
    None
    """
    tall = rows.melt(["noise", "cells"], list(EXACT.values()), "column", "mean")
    shown = {column: (names or {}).get(name, name) for name, column in EXACT.items()}
    tall = _without_interval(tall.assign(attack=tall["column"].map(shown)))
    labels: dict[str, Any] = {"xlabel": "positive cells", "ylabel": "accuracy, informed"}
    # Hollow, so that the markers show where another attack has the same accuracy.
    hollow = {"markersize": 10, "markerfacecolor": "none", "markeredgewidth": 1.5}
    ratio = shown["ratio"]
    styles = THIN | {ratio: line_style("likelihood ratio") | {"label": ratio} | hollow}
    styles |= {shown[rule]: line_style(f"{rule}-threshold") | {"markersize": 5} for rule in _RULES}
    if distance:
        tall = pd.concat([_distances(tall), tall[tall["noise"] != "Laplace"]])
    scale = "log" if ticks else "linear"
    axes = figures.intervals(
        tall, "cells", "attack", "noise", size=(6, 2.5), styles=styles, xscale=scale, **labels
    )
    for ax in axes.values() if ticks else ():
        ax.minorticks_off()
        ax.set_xticks(ticks, [str(n) for n in ticks])
    if distance:
        axes[_BELOW].set(ylabel="bound − accuracy", ylim=(0, None))
    figures.finish(axes, 2)


_RULES = ("one", "two")
_BELOW = "Laplace: distance below the bound"


def _distances(tall: pd.DataFrame) -> pd.DataFrame:
    """The bound minus the accuracy of each attack under Laplace noise, as rows of one panel."""
    rows = select(tall, noise="Laplace")
    bound = select(rows, attack="DP bound").set_index("cells")["mean"]
    rows = rows[rows["attack"] != "DP bound"]
    return rows.assign(noise=_BELOW, mean=rows["cells"].map(bound) - rows["mean"])


THIN = {
    "DP bound": line_style("DP bound", markers=False) | {"linestyle": "-", "linewidth": 2},
    "independent ratio": line_style("likelihood ratio") | {"label": "independent ratio"},
}


def _without_interval(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(**{"95% low": np.nan, "95% high": np.nan})


def exact_roc(curves: pd.DataFrame, cells: int) -> None:
    """Draw exact ROC curves, with a logarithmic axis of false positive rates.

    Parameters
    ----------
    curves : pandas.DataFrame
        True positive rates; index: false positive rate; columns: attacks.
    cells : int
        Number of the target's cells.

    Returns
    -------
    None
    """
    tall = curves.rename_axis("FPR").reset_index().melt("FPR", var_name="attack", value_name="mean")
    styles = {name: line_style(name, markers=False) for name in map(str, curves)} | THIN
    axes = figures.intervals(
        _without_interval(tall),
        "FPR",
        "attack",
        size=(6, 3.6),
        xscale="log",
        xlabel="false positive rate",
        ylabel="true positive rate",
        styles=styles,
    )
    axes[""].set(ylim=(0, 1.02), title=f"{cells} cells")
    figures.finish(axes, 2)


def cell_densities(densities: pd.DataFrame, thresholds: Mapping[str, float]) -> None:
    """Draw the density of one cell for both classes, a panel for each attacker (Fig. 7).

    Parameters
    ----------
    densities : pandas.DataFrame
        Index: value of the cell; columns: attacker, and "out" or "in".
    thresholds : mapping of str to float
        Threshold of the cell for each attacker. The area of non-members above it is shaded.

    Returns
    -------
    None
    """
    figure, axes = stacked_panels(len(thresholds), 5.2, sharex=True)
    for ax, (attacker, threshold) in zip(axes, thresholds.items(), strict=True):
        for member, name in CLASSES.items():
            ax.plot(densities.index, densities[attacker, member], **line_style(name, markers=False))
        above = densities.loc[threshold:, (attacker, "out")]
        ax.fill_between(above.index, above, color=color("non-member"), alpha=0.2, linewidth=0)
        ax.axvline(threshold, label="threshold of the cell", **_DOTTED)
        ax.set(title=attacker, ylabel="density of a cell")
    axes[-1].set_xlabel("value of the cell")
    _finish(figure, axes[0])


_DOTTED: dict[str, Any] = {"color": "black", "linewidth": 1.5, "linestyle": ":", "marker": ""}


def score_histograms(
    rows: pd.DataFrame,
    thresholds: Mapping[tuple[str, str], float],
    others: Mapping[tuple[str, str, str], Any],
) -> None:
    """Draw sampled scores (dots) and their distributions (lines): Fig. 8 and 10.

    Parameters
    ----------
    rows : pandas.DataFrame
        Columns score, attacker, class, value, sampled, density (exact).
    thresholds : mapping of (str, str) to float
        Threshold that decides, for each score and attacker.
    others : mapping of (str, str, str) to scipy.stats distribution
        For some scores, attackers and classes, a second distribution: dashed lines.

    Returns
    -------
    None
    """
    figure, axes = stacked_panels(4, 9)
    panels = rows.groupby(["score", "attacker"], sort=False)
    for ax, ((score, attacker), part) in zip(axes, panels, strict=True):
        whole, key = score == "two-threshold", (str(score), str(attacker))
        look: dict[str, Any] = {"marker": "", "drawstyle": "steps-mid" if whole else "default"}
        for short, name in CLASSES.items():
            each, marker = select(part, **{"class": short}), "o" if short == "out" else "^"
            ax.plot(each["value"], each["sampled"], marker, ms=4, color=color(name), label=name)
            ax.plot(each["value"], each["density"], color=color(name), linestyle="-", **look)
            if (*key, short) in others:
                other = others[*key, short]
                density = (other.pmf if whole else other.pdf)(each["value"])
                ax.plot(each["value"], density, color="black", linestyle="--", lw=1.3, **look)
        ax.axvline(thresholds[key], **_DOTTED)
        ax.set(title="{}, {}".format(*key), ylabel="probability" if whole else "density")
        if whole:
            ax.set_xlim(8, 52)
    axes[-1].set_xlabel("score")
    handles, labels = axes[0].get_legend_handles_labels()
    lines: dict[str, Any] = {"theorem": "-", "without replacement": "--", "threshold": ":"}
    for text, line in lines.items():
        handles.append(plt.Line2D([], [], color="black", linestyle=line, marker=""))
        labels.append(text)
    figure.legend(handles, labels, loc="outside upper center", ncols=3)
    plt.show()


def accuracy_and_roc(against: pd.DataFrame, midway: float) -> None:
    """Draw the accuracy against the threshold, and the ROC curve (Fig. 9).

    Parameters
    ----------
    against : pandas.DataFrame
        Accuracy, false and true positive rate; index: the threshold.
    midway : float
        Threshold halfway between the means of both classes.

    Returns
    -------
    None
    """
    _, axes = stacked_panels(2, 6)
    axes[0].plot(against.index, against["accuracy"], marker="")
    axes[0].axvline(midway, **_DOTTED)
    axes[0].set(xlabel="threshold", ylabel="accuracy")
    axes[1].plot(against["false positive rate"], against["true positive rate"], marker=".")
    best = against.loc[midway]
    place = best["false positive rate"], best["true positive rate"]
    axes[1].plot(*place, marker="D", color=COLORS[1], markersize=9)
    axes[1].annotate(f"threshold {midway:g}", place, (12, -14), textcoords="offset points")
    axes[1].set(xlabel="false positive rate", ylabel="true positive rate")
    plt.show()


def mean_dots(rows: pd.DataFrame, measure: str, alike: int) -> None:
    """Draw each attack's mean with its 95% interval over runs, a panel for each dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, attack and measures; every attack of a dataset has the same runs.
    measure : str
        Column to average.
    alike : int
        Number of first panels that share one axis; each of the others has its own.

    Returns
    -------
    None
    """
    found = summaries.means(name_attackers(rows), ["data", "attack"], measure)
    panels = {
        data: each.droplevel("data") for data, each in found.groupby(level="data", sort=False)
    }
    sizes = [len(each) for each in panels.values()]
    height = 0.5 + 0.75 * len(panels) + 0.34 * sum(sizes)
    _, axes = stacked_panels(len(panels), height, sharex=False, height_ratios=sizes)
    for ax in axes[1:alike]:  # with its own tick labels
        ax.sharex(axes[0])
    for ax, (title, each) in zip(axes, panels.items(), strict=True):
        places, reach = range(len(each)), each["95% high"] - each["mean"]
        ax.errorbar(each["mean"], places, xerr=reach, fmt="o", capsize=3, markersize=6)
        ax.set_yticks(places, list(each.index))
        ax.invert_yaxis()
        ax.margins(y=0.12)
        ax.set_title(title, loc="left")
        ax.locator_params(axis="x", nbins=6)
    axes[-1].set_xlabel(f"mean {measure}")
    plt.show()


def runs_of_all(rows: pd.DataFrame) -> pd.DataFrame:
    """Select the runs that every attack of a dataset has.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs: data, run, attack and measures.

    Returns
    -------
    pandas.DataFrame
        The rows of these runs.
    """
    attacks = rows.groupby("data")["attack"].transform("nunique")
    return rows[rows.groupby(["data", "run"])["attack"].transform("nunique") == attacks]


def rival_dots(rows: pd.DataFrame) -> None:
    """Draw the gains over the independent ratio, and of the joint ratio over the best network.

    Intervals are 95%; there is a panel for each measure.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of runs of one dataset: data, run, attack and measures.

    Returns
    -------
    None
    """
    ratio, *networks = RIVALS
    joint, best = RATIO_NAMES[CORRELATED], networks[-1].replace(", ", ",\n")
    pairs = {each.replace(", ", ",\n"): (each, ratio) for each in networks}
    pairs |= {joint: (CORRELATED, ratio), f"{joint}\n(over {best})": (CORRELATED, networks[-1])}
    _, axes = stacked_panels(2, 5.8, sharex=True)
    for ax, measure in zip(axes, ("accuracy", "AUC"), strict=True):
        for place, (first, second) in enumerate(pairs.values()):
            found = summaries.differences(
                rows, ["data"], measure, ["run"], "attack", first, second
            ).iloc[0]
            last = second != ratio
            look = {"fmt": "s" if last else "o", "color": COLORS[1 if last else 0]}
            width = found["95% high"] - found["mean"]
            ax.errorbar(found["mean"], place, xerr=width, capsize=3, markersize=7, **look)
        ax.axvline(0, color="black", linewidth=1, linestyle=":", marker="")
        ax.axhline(len(pairs) - 1.5, color=COLORS[5], linewidth=1, linestyle="-", marker="")
        ax.set_yticks(range(len(pairs)), list(pairs))
        ax.invert_yaxis()
        ax.margins(y=0.15)
        ax.set_title(measure, loc="left")
    axes[-1].set_xlabel("gain")
    plt.show()


def loss_of_scales(loss: pd.DataFrame) -> None:
    """Draw the loss of the one-node network against a, a line for each b (Fig. 16).

    Parameters
    ----------
    loss : pandas.DataFrame
        Approximation loss; index: a, columns: b.

    Returns
    -------
    None
    """
    _, ax = plt.subplots()
    for b in loss:
        ax.plot(loss.index, np.maximum(loss[b], 1e-12), label=f"b = {b:g}")
    ax.set(xscale="log", yscale="log", ylabel="approximation loss")
    ax.set_xlabel("scale a of the hidden node")
    ax.legend()
    plt.show()


def weight_maps(rows: pd.DataFrame, marked: Mapping[int, Sequence[int]] | None = None) -> None:
    """Draw each network's first-layer weights (Fig. 12, 15, 23, 24).

    Parameters
    ----------
    rows : pandas.DataFrame
        A row for each cell of each network, with the network's number of shadow aggregates and a
        column "node ..." for each hidden node.
    marked : mapping of int to sequence of int, optional
        Number of shadow aggregates -> cells to mark with a triangle at the right edge.

    Returns
    -------
    None
    """
    parts = {int(str(n)): part for n, part in rows.groupby("shadows", sort=False)}
    wide = len(parts) == 2
    shape: Any = {"figsize": (6, 3.4), "ncols": 2} if wide else {"figsize": (6, 4 * len(parts))}
    figure, axes = plt.subplots(**shape, squeeze=False)
    for ax, (shadows, part) in zip(axes.flat, parts.items(), strict=True):
        image = ax.imshow(
            part.filter(like="node "), cmap=plt.get_cmap("PuOr", SHADES), vmin=-1, vmax=1
        )
        ax.set_title(f"{shadows:,} shadows", fontsize="medium")
        ax.set(xlabel="hidden node", ylabel="cell")
        ax.grid(False)
        if marked is not None:
            ax.set(xticks=[0, 20, 40, 59], yticks=[0, 20, 40, 59])
            cells = list(marked.get(shadows, []))
            look: dict[str, Any] = {"linestyle": "", "color": "black", "clip_on": False}
            look |= {"transform": ax.get_yaxis_transform(), "scalex": False, "scaley": False}
            near = np.diff(sorted(cells), prepend=-9) < 3  # else two triangles would overlap
            across = np.where(near, 1.058, 1.022)
            (marks,) = ax.plot(across, sorted(cells), marker="<", markersize=3.5, **look)
            marks.set_in_layout(False)  # else it would narrow the panel
    figure.colorbar(
        image,
        ax=axes,
        label="weight, relative to the largest",
        shrink=0.6,
        location="bottom",
        aspect=40,
    )
    plt.show()


def weights_and_concentrations(rows: pd.DataFrame, marked: Mapping[int, Sequence[int]]) -> None:
    """Draw each network's first-layer weights, and below them the concentration of each node.

    Parameters
    ----------
    rows : pandas.DataFrame
        A row for each cell of each network, with the network's number of shadow aggregates and a
        column "node ..." for each hidden node.
    marked : mapping of int to sequence of int
        Number of shadow aggregates -> cells to mark and name at the right edge of the map.

    Returns
    -------
    None
    """
    parts = {int(str(n)): part for n, part in rows.groupby("shadows", sort=False)}
    shape: dict[str, Any] = {"figsize": (6, 4.9), "height_ratios": [3, 1], "sharex": "col"}
    figure, axes = plt.subplots(2, len(parts), squeeze=False, **shape)
    for (above, below), (shadows, part) in zip(axes.T, parts.items(), strict=True):
        weights = part.filter(like="node ").to_numpy()
        shades = plt.get_cmap("PuOr", SHADES)
        image = above.imshow(weights, cmap=shades, vmin=-1, vmax=1, aspect="auto")
        squares = weights**2
        concentration = squares.max(axis=0) / squares.sum(axis=0)
        below.bar(range(len(concentration)), concentration, width=1, color=COLORS[2])
        below.axhline(0.5, color="black", linewidth=1, linestyle=":", marker="")
        below.set(xlabel="hidden node", ylim=(0, 1.05), yticks=[0, 0.5, 1])
        above.set_title(f"{shadows:,} shadows", fontsize="medium")
        above.set_yticks([*range(0, len(weights) - 5, 20), len(weights) - 1])
        below.set_xticks([*range(0, len(concentration) - 5, 20), len(concentration) - 1])
        for ax in (above, below):
            ax.grid(False)
        _mark_cells(above, marked.get(shadows, []))
    axes[0, 0].set_ylabel("cell")
    axes[1, 0].set_ylabel("concentration")
    label = "weight, relative to the largest"
    figure.colorbar(image, ax=axes, label=label, shrink=0.6, location="bottom", aspect=40)
    plt.show()


def _mark_cells(ax: Any, cells: Sequence[int]) -> None:
    """Mark cells with triangles at the right edge of a map; neighbours share one label."""
    if not cells:
        return
    cells = sorted(cells)
    edge = ax.get_yaxis_transform()
    look: dict[str, Any] = {"linestyle": "", "color": "black", "clip_on": False, "transform": edge}
    ax.plot(
        [1.03] * len(cells), cells, marker="<", markersize=3.5, scaley=False, scalex=False, **look
    )
    for group in np.split(cells, np.flatnonzero(np.diff(cells) > 6) + 1):
        ax.text(1.07, group.mean(), "\n".join(map(str, group)), transform=edge, va="center")


def learning(
    table: pd.DataFrame, best: float, cells: int, name: str = "independent ratio, exact"
) -> None:
    """Draw the mean accuracy by learner against the number of shadow aggregates.

    Fig. 22, with clipped cells.

    Parameters
    ----------
    table : pandas.DataFrame
        Means with intervals; index learner, shadows.
    best : float
        Exact accuracy of the independent ratio.
    cells : int
        Number of the target's cells.
    name : str
        Label of this accuracy.

    Returns
    -------
    None
    """
    names = table.index.unique("learner")
    looks = zip(names, COLORS, figures.MARKERS, figures.LINES, strict=False)
    axes = figures.intervals(
        table.sort_index(level="shadows", sort_remaining=False, kind="stable"),
        "shadows",
        "learner",
        size=(6, 3),
        xscale="log",
        xlabel="shadow aggregates",
        ylabel=f"accuracy, {cells} cells",
        styles={n: {"color": c, "marker": m, "linestyle": s} for n, c, m, s in looks},
    )
    axes[""].axhline(best, color="black", linewidth=1, marker="", linestyle=":", label=name)
    sizes = sorted(table.index.get_level_values("shadows").unique())
    tilt = 30 if len(sizes) > 3 else 0  # a few labels have room on one line
    axes[""].set_xticks(sizes, [f"{size:,}" for size in sizes], rotation=tilt)
    axes[""].minorticks_off()
    figures.finish(axes, 2)

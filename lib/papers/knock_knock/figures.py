"""Figures and tables of Knock-Knock's games, from the rows of `experiments`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib import metrics
from lib.papers import claims, figures, summaries
from lib.papers.beside_published import BOX_MEAN
from lib.papers.figures import COLORS
from lib.papers.knock_knock.experiments import FLOOR, FOUR, GAME, PERIODS, PRIORS, weeks
from lib.traces import Traces

EACH = ["data", "prior", "group size", "classifier"]
_TITLES = {  # of priors
    PRIORS[0]: "Prior 1:\nknown users,\nsame week",
    PRIORS[1]: "Prior 2a:\nsame groups,\nearlier weeks",
    PRIORS[2]: "Prior 2b:\nother groups,\nearlier weeks",
}


def titled(name: str) -> str:
    """Return a dataset's name as figures and tables show it.

    Parameters
    ----------
    name : str
        Name of the dataset.

    Returns
    -------
    str
        The name.
    """
    return figures.label(name)


WORDS = {
    "flights-by-number": "flight numbers",
    "flights-by-tail": "aircraft",
    "cabspotting": "real cabs",
    "valleybike": "riders",
}


def in_words(name: Any) -> Any:
    """Return what the chapter calls the users of a dataset.

    Parameters
    ----------
    name : object
        Name of a dataset; everything else is returned as `titled` returns it, or as it is.

    Returns
    -------
    object
        Such as "flight numbers".
    """
    if not isinstance(name, str):
        return name
    return WORDS.get(name, titled(name))


def _styles(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the line style of each dataset, labelled in words."""
    return {name: figures.line_style(name) | {"label": in_words(name)} for name in names}


_CELL_SUM = {"color": "black", "linestyle": ":", "marker": "X", "label": "cell sum"}


def _guessing(ax: Any, across: bool = False) -> None:
    line = ax.axvline if across else ax.axhline
    line(0.5, color="black", linewidth=1, linestyle=":", marker="")


def _tick_sizes(ax: Any, sizes: Iterable[float]) -> None:
    """Tick a logarithmic axis at group sizes, except those that stand close to a larger one."""
    each = sorted(set(sizes))
    kept = [a for a, b in zip(each, [*each[1:], np.inf], strict=True) if b >= 3 * a]
    ax.set_xticks(kept, [f"{size:g}" for size in kept])
    ax.minorticks_off()


# -- tables ----------------------------------------------------------------------------------------


def by_classifier(games: pd.DataFrame) -> pd.DataFrame:
    """Put the AUCs of all classifiers in one column.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.

    Returns
    -------
    pandas.DataFrame
        A row for each game and classifier: `GAME`, classifier, AUC.
    """
    long = games.melt(GAME, var_name="classifier", value_name="AUC", ignore_index=False)
    return long.sort_index(kind="stable").dropna(ignore_index=True)


def mean_aucs(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Compute the mean AUC over targets with its 95% interval, and the mean privacy loss.

    Parameters
    ----------
    rows : pandas.DataFrame
        One row for each target and `by`, with a column AUC.
    by : sequence of str
        Names of the table's rows.

    Returns
    -------
    pandas.DataFrame
        Columns of `lib.papers.summaries.means`, and mean loss; intervals end at 0 and 1.
    """
    table = summaries.means(rows, by, "AUC")
    ends = ["95% low", "95% high"]
    table[ends] = table[ends].clip(0, 1)
    losses = rows.assign(loss=metrics.privacy_loss(rows["AUC"].to_numpy()))
    return table.assign(**{"mean loss": losses.groupby(list(by), sort=False)["loss"].mean()})


def auc_table(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Make a table of `mean_aucs`: targets, mean AUC with interval as text, mean loss.

    Parameters
    ----------
    rows : pandas.DataFrame
        One row for each target and `by`, with a column AUC.
    by : sequence of str
        Names of the table's rows.

    Returns
    -------
    pandas.DataFrame
        Columns n, "AUC [95%]", mean loss.
    """
    table = mean_aucs(rows, by)
    return table[["n"]].assign(
        **{"AUC [95%]": summaries.texts(table, 3), "mean loss": table["mean loss"]}
    )


def wide(games: pd.DataFrame) -> pd.DataFrame:
    """Compute the mean AUC of each classifier, a row for each game.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.

    Returns
    -------
    pandas.DataFrame
        A column for each classifier; within: the widest half-interval; targets.
    """
    table = mean_aucs(by_classifier(games), EACH)
    half = table.assign(within=table["95% high"] - table["mean"]).groupby(EACH[:-1], sort=False)
    means = table["mean"].unstack("classifier", sort=False)
    return means.assign(within=half["within"].max(), targets=half["n"].max())


def medians(games: pd.DataFrame, name: str, priors: Sequence[str] = PRIORS) -> pd.DataFrame:
    """Compute the median AUC over targets.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    name : str
        Name of the dataset.
    priors : sequence of str
        Names in `experiments.PRIORS`.

    Returns
    -------
    pandas.DataFrame
        A row for each prior and group size, a column for each classifier.
    """
    rows = games[(games["data"] == name) & games["prior"].isin(priors)]
    kinds = [each for each in (*FOUR, "BEST") if each in rows and rows[each].notna().any()]
    table = rows.groupby(["prior", "group size"], sort=False)[kinds].median()
    return table.rename_axis(columns="classifier (median AUC)")


def losses(games: pd.DataFrame) -> pd.DataFrame:
    """Compute the mean privacy loss under BEST, and under BEST with permuted labels.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.

    Returns
    -------
    pandas.DataFrame
        Columns of `lib.papers.summaries.means`; index data, prior, group size, of.
    """
    rows = by_classifier(games[[*GAME, "BEST", FLOOR]]).rename(columns={"classifier": "of"})
    rows["loss"] = metrics.privacy_loss(rows["AUC"].to_numpy())
    return summaries.means(rows, ["data", "prior", "group size", "of"], "loss")


def floor(games: pd.DataFrame) -> pd.DataFrame:
    """Compute the mean AUC of BEST and of BEST with permuted labels over targets.

    Each target's AUC is first averaged over group sizes.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.

    Returns
    -------
    pandas.DataFrame
        Columns of `lib.papers.summaries.means`; index data, prior, AUC of.
    """
    rows = by_classifier(games[[*GAME, "BEST", FLOOR]]).rename(columns={"classifier": "AUC of"})
    keys = ["data", "prior", "AUC of"]
    of_target = rows.groupby([*keys, "target"], sort=False)["AUC"].mean().reset_index()
    return summaries.means(of_target, keys, "AUC").sort_index(kind="stable")


def regularity(games: pd.DataFrame, classifier: str) -> pd.DataFrame:
    """Compare the mean AUC of flights by number and by tail, whose targets differ.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    classifier : str
        Name of the classifier.

    Returns
    -------
    pandas.DataFrame
        Both means, their difference, and Welch's 95% interval; index prior, group size.
    """
    rows = {}
    for key, each in games.groupby(["prior", "group size"], sort=False):
        aucs = each.set_index("data")[classifier]
        if not {"flights-by-number", "flights-by-tail"} <= set(aucs.index):
            continue  # a size that one of them has no users for
        number, tail = aucs["flights-by-number"], aucs["flights-by-tail"]
        interval = metrics.difference_interval(number, tail)
        rows[key] = [number.mean(), tail.mean(), number.mean() - tail.mean(), *interval]
    columns = ["by number", "by tail", "difference", "95% low", "95% high"]
    index = pd.MultiIndex.from_tuples(rows, names=["prior", "group size"])
    return pd.DataFrame(list(rows.values()), index, columns)


def compared(variants: pd.DataFrame) -> pd.DataFrame:
    """Compute each version's mean AUC and its difference from the first version, paired by target.

    Parameters
    ----------
    variants : pandas.DataFrame
        Rows of `experiments.variants`.

    Returns
    -------
    pandas.DataFrame
        Columns of `lib.papers.summaries.means` with AUC for mean, minus the first, standard error.
    """
    aucs = variants.set_index(GAME)
    change = aucs.apply(lambda version: version - aucs[version.name.split(",")[0]]).reset_index()
    table = summaries.means(by_classifier(variants), EACH, "AUC").rename(columns={"mean": "AUC"})
    above = by_classifier(change).groupby(EACH, sort=False)["AUC"]
    table = table.assign(**{"minus the first": above.mean(), "standard error": above.sem()})
    return table.rename_axis([*EACH[:-1], "version"])


def changes(table: pd.DataFrame) -> pd.DataFrame:
    """Show the differences of `compared` from the first version, a column for each game.

    Parameters
    ----------
    table : pandas.DataFrame
        What `compared` returned, for one dataset.

    Returns
    -------
    pandas.DataFrame
        Text, such as "-0.037 ± 0.008"; a row for each version but the first of its classifier.
    """
    rows = table[table.index.get_level_values("version").str.contains(",")]
    texts = [
        f"{change:.3f} ± {error:.3f}"
        for change, error in zip(rows["minus the first"], rows["standard error"], strict=True)
    ]
    found = pd.Series(texts, rows.index).unstack(["prior", "group size"], sort=False)
    games: Any = found.columns
    found.columns = [f"{prior}, m = {size}" for prior, size in games]
    return found.fillna("")


def settings_table(
    of: Mapping[str, Mapping[str, Any]],
    populations: Mapping[str, Traces],
    numbers: Mapping[str, int],
    classifiers: Sequence[str],
) -> pd.DataFrame:
    """Make a table of the paper's settings (Sec. V and VI) beside a chapter's.

    Parameters
    ----------
    of : mapping of str to mapping
        Name of a dataset to its settings.
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    numbers : mapping of str to int
        Numbers of groups by their names in `experiments.Game`.
    classifiers : sequence of str
        Names of the chapter's classifiers.

    Returns
    -------
    pandas.DataFrame
        Text; columns "the paper" and "here".
    """

    def each(values: Iterable[object]) -> str:
        return " or ".join(dict.fromkeys(map(str, values)))

    n, past = [], []
    for data, traces in populations.items():
        n.append(of[data]["n_per_third"])
        past.append(len(weeks(traces)) - 1)
    train, test, same, other = (
        numbers[name] for name in ("n_train", "n_test", "beta_same", "beta_different")
    )
    rows = {
        "targets (from each third)": ("150 (50)", each(f"{3 * each_n} ({each_n})" for each_n in n)),
        "classifiers": (", ".join(FOUR), ", ".join(classifiers)),
        "prior 1: share α of users known": (
            "0.2 cabs, 0.11 commuters",
            each(of[data]["alpha"] for data in populations),
        ),
        "prior 1: training groups, test groups": ("400, 100", f"{train}, {test}"),
        "prior 2a: groups, the same in training and test": ("150", str(same)),
        "prior 2b: training groups, test groups": ("300, 100", f"{other}, {test}"),
        "released week": ("1: first; 2a, 2b: last", "1: first; 2a, 2b: last"),
        "weeks before the release (2a, 2b)": ("2 cabs, 3 commuters", each(past)),
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=["the paper", "here"])


def show_regularity(games: pd.DataFrame, classifiers: Sequence[str]) -> None:
    """Show `regularity_table`, or say why there is none.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    classifiers : sequence of str
        Names of classifiers.

    Returns
    -------
    None
    """
    if {"flights-by-number", "flights-by-tail"} <= set(games["data"]):
        figures.show_table(regularity_table(games, classifiers), "regularity")
    else:
        print(
            "This comparison needs flights by number and by tail, which share airports and hours. "
            "It was left out, because other data differ in more than regularity."
        )


# -- tables for readers: "0.84 [0.80, 0.88]" -------------------------------------------------------


def show_regular_users(games: pd.DataFrame, classifiers: Sequence[str]) -> None:
    """Draw the mean AUC by number minus by tail against group size, a panel for each prior.

    Nothing is drawn without both kinds of flights.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    classifiers : sequence of str
        Names of classifiers.

    Returns
    -------
    None
    """
    if not {"flights-by-number", "flights-by-tail"} <= set(games["data"]):
        return
    each = {name: regularity(games, name) for name in classifiers}
    rows = pd.concat(each, names=["classifier"]).rename(columns={"difference": "mean"})
    rows = rows.reset_index().sort_values("prior", kind="stable")
    axes = figures.intervals(
        rows.assign(prior=rows["prior"].map(_TITLES)),
        "group size",
        "classifier",
        "prior",
        columns=3,
        size=(7.0, 3.0),
        level=0,
        xscale="log",
        xlabel="users in the group",
        ylabel="difference of mean AUCs",
        ticks=True,
        apart=0.15,
    )
    for ax in axes.values():
        _tick_sizes(ax, rows["group size"])
    figures.finish(axes, 2)


def prior_table(games: pd.DataFrame, classifier: str, priors: Sequence[str]) -> pd.DataFrame:
    """Make a table of one classifier's mean AUC: priors and datasets by group sizes.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    classifier : str
        Name of the classifier.
    priors : sequence of str
        Some of `experiments.PRIORS`.

    Returns
    -------
    pandas.DataFrame
        Text.
    """
    rows = by_classifier(games.loc[games["prior"].isin(priors), [*GAME, classifier]])
    return _by_size(rows, ["prior", "data"])


def attack_table(games: pd.DataFrame, prior: str, sums: pd.DataFrame) -> pd.DataFrame:
    """Make a table of mean AUCs under one prior: datasets and attacks by group sizes.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    prior : str
        One of `experiments.PRIORS`.
    sums : pandas.DataFrame
        Rows of `experiments.sums`, the untrained sum on the same groups.

    Returns
    -------
    pandas.DataFrame
        Text.
    """
    names = [name for name in FOUR if name in games and games[name].notna().any()]
    chosen = games.loc[games["prior"] == prior, [*GAME, *names]]
    rows = pd.concat(
        [by_classifier(chosen), by_classifier(sums.rename(columns={"sum": "the sum"}))]
    )
    return _by_size(rows.rename(columns={"classifier": "attack"}), ["data", "attack"])


def show_attacks(games: pd.DataFrame, prior: str, sums: pd.DataFrame) -> None:
    """Draw the mean AUC of each classifier and of the sum, a panel for each dataset.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    prior : str
        One of `experiments.PRIORS`.
    sums : pandas.DataFrame
        Rows of `experiments.sums`, the untrained sum on the same groups.

    Returns
    -------
    None
    """
    names = [name for name in FOUR if name in games and games[name].notna().any()]
    chosen = games.loc[games["prior"] == prior, [*GAME, *names]]
    rows = pd.concat([by_classifier(chosen), by_classifier(sums)])
    rows = rows.sort_values("data", kind="stable")
    rows["data"] = rows["data"].map(in_words)
    axes = figures.intervals(
        mean_aucs(rows, ["data", "group size", "classifier"]),
        "group size",
        "classifier",
        "data",
        columns=2,
        size=(6.4, 3.2),
        level=0.5,
        xscale="log",
        ylim=(0.45, 1.03),
        xlabel="users in the group",
        ylabel="mean AUC",
        ticks=True,
        apart=0.05,
        styles={"sum": _CELL_SUM},
    )
    figures.finish(axes, 3)


def _by_size(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return mean AUCs as text, a column for each group size."""
    found = summaries.texts(mean_aucs(rows, [*by, "group size"])).unstack("group size", sort=False)
    table = found.sort_index(level=by[0], sort_remaining=False)
    return table.fillna("").rename(index=in_words)


def sum_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the sum's mean AUC and TPR at an FPR of 1%, by dataset and group size.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.sum_sizes`.

    Returns
    -------
    pandas.DataFrame
        Text.
    """
    values = {"AUC": "AUC", "TPR": "TPR at 1% FPR"}
    table = figures.table(rows, ["data", "group size"], values, within=(0, 1))
    return table.rename(index=in_words)


def show_sum_sizes(rows: pd.DataFrame) -> None:
    """Draw the cell sum's mean AUC and TPR at an FPR of 1% against group size, a panel each.

    The axis of the AUC begins below 1/2, or at 0.88 if every interval lies above 0.9.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.sum_sizes`, or of `lib.papers.riders.experiments.sums`.

    Returns
    -------
    None
    """
    axes = plt.subplots(1, 2, figsize=(6.4, 3.6))[1]
    panels = {"AUC": ("mean AUC", 0.5), "TPR": ("mean TPR at an FPR of 1%", 0.01)}
    for ax, (column, (title, guessing)) in zip(axes, panels.items(), strict=True):
        means = summaries.means(rows, ["data", "group size"], column).reset_index()
        means["data"] = means["data"].astype(str)
        for data, style in _styles(means["data"].unique()).items():
            each = means[means["data"] == data]
            high = each["95% high"].clip(upper=1) - each["mean"]
            ends = [each["mean"] - each["95% low"], high]
            ax.errorbar(each["group size"], each["mean"], yerr=ends, capsize=3, **style)
        ax.axhline(guessing, color="black", linewidth=1, linestyle=":", marker="")
        ax.set(title=title, xlabel="users in the group", xscale="log", ylim=(0, 1.03))
        if column == "AUC":
            ax.set_ylim(0.45, 1.02)
            if means["95% low"].min() > 0.9:
                ax.set(ylim=(0.88, 1.005), yticks=[0.9, 0.95, 1])
        sizes = sorted(rows["group size"].unique())
        ax.set_xticks(sizes, [f"{n:g}" for n in sizes], fontsize=10)
        ax.minorticks_off()
    figures.finish(dict(enumerate(axes)), 2)


def show_overlaps(numbers: pd.DataFrame) -> None:
    """Draw how many other users share some number of cells with a target, by dataset.

    Parameters
    ----------
    numbers : pandas.DataFrame, shape (datasets, numbers of cells)
        Mean number of other users over targets; columns are named by the number of shared cells,
        and the last column stands for this number and more.

    Returns
    -------
    None
    """
    axes = plt.subplots(1, len(numbers), figsize=(6.4, 3.2), sharey=True, squeeze=False)[1][0]
    labels = [*map(str, numbers.columns[:-1]), f"≥ {numbers.columns[-1]}"]
    for ax, (data, means) in zip(axes, numbers.iterrows(), strict=True):
        bars = ax.bar(labels, means, color=figures.line_style(str(data)).get("color"))
        ax.bar_label(bars, fmt="%.1f", fontsize=11)
        ax.set(title=in_words(data), xlabel="cells shared with the target")
        ax.grid(False, axis="x")
    axes[0].set(ylabel="mean number of other users", ylim=(0, 1.12 * numbers.to_numpy().max()))
    plt.show()


def show_recognised(apart: Mapping[str, np.ndarray]) -> None:
    """Draw how far each group of one week is from each group of another, by dataset.

    A circle marks the nearest group of each row, filled if it is the same group.

    Parameters
    ----------
    apart : mapping of str to numpy.ndarray, shape (groups, groups)
        By dataset: the distance of each released group (rows) from each known group (columns).

    Returns
    -------
    None
    """
    _, axes = plt.subplots(
        1, len(apart), figsize=(6.4, 4.85), squeeze=False, sharey=True, layout="constrained"
    )
    circle: dict[str, Any] = {"marker": "o", "linestyle": "", "markersize": 5}
    circle |= {"markeredgecolor": COLORS[1], "markeredgewidth": 1.5}
    for ax, (data, distances) in zip(axes[0], apart.items(), strict=True):
        relative = distances / distances.mean(axis=1, keepdims=True)
        image = ax.imshow(relative, cmap="gray", vmin=0, vmax=1.2)
        rows, nearest = np.arange(len(distances)), distances.argmin(axis=1)
        right = nearest == rows
        same = {"color": COLORS[1], "label": "nearest: the same group"}
        ax.plot(nearest[right], rows[right], **circle, **same)
        other = {"markerfacecolor": "none", "label": "nearest: another group"}
        ax.plot(nearest[~right], rows[~right], **circle, **other)
        ax.set_title(f"{in_words(data)}:\n{right.sum()} of {len(rows)} recognised")
        ax.set(xlabel="group, last known week", xticks=[], yticks=[])
        ax.grid(False)
        ax.set_anchor("S")
    axes[0, 0].set_ylabel("group, released week")
    bar = plt.colorbar(image, ax=axes[0], orientation="horizontal", shrink=0.6, aspect=30)
    bar.set_label("distance / mean distance of the row")
    figures.finish(dict(enumerate(axes[0])), 2)


def show_predicted(measured: pd.DataFrame, predicted: pd.DataFrame) -> None:
    """Draw the sum's measured mean AUC as points and the predicted one as a line.

    Parameters
    ----------
    measured : pandas.DataFrame
        Rows of `experiments.sum_sizes`.
    predicted : pandas.DataFrame
        A row for each dataset, target and group size, with the column "predicted".

    Returns
    -------
    None
    """
    means = summaries.means(measured, ["data", "group size"], "AUC").reset_index()
    means["95% high"] = means["95% high"].clip(upper=1)
    means["data"] = means["data"].astype(str)
    points = {
        data: style | {"linestyle": "", "label": f"{in_words(data)}, measured"}
        for data, style in _styles(means["data"].unique()).items()
    }
    axes = figures.intervals(
        means,
        "group size",
        "data",
        size=(6.0, 3.2),
        level=0.5,
        ylim=(0.45, 1.03),
        xlabel="users in the group",
        ylabel="mean AUC of the cell sum",
        styles=points,
    )
    for data, rows in predicted.groupby("data", sort=False):
        curve = rows.groupby("group size")["predicted"].mean()
        style = figures.line_style(str(data), markers=False)
        style["label"] = f"{in_words(str(data))}, predicted"
        next(iter(axes.values())).plot(curve.index, curve, **style)
    figures.finish(axes, 2)


def tpr_table(found: pd.DataFrame, sums: pd.DataFrame) -> pd.DataFrame:
    """Make a table of mean TPRs at an FPR of 1%: datasets by attacks and priors.

    Parameters
    ----------
    found, sums : pandas.DataFrame
        Rows of `experiments.cautious` and `experiments.cautious_sums`.

    Returns
    -------
    pandas.DataFrame
        Text.
    """
    number = found["prior"].str.split(" ").str[0]
    rows = [found.assign(attack="LR, prior " + number), sums.assign(attack="cell sum, prior 1")]
    table = figures.table(pd.concat(rows), ["data"], "TPR", "attack", within=(0, 1))
    return table[["LR, prior 1", "cell sum, prior 1", "LR, prior 2b"]].rename(index=in_words)


def label_table(recognised: pd.DataFrame) -> pd.DataFrame:
    """Make a table of mean AUCs with the target's labels, with random ones, and their difference.

    Parameters
    ----------
    recognised : pandas.DataFrame
        Rows of `experiments.recognition`.

    Returns
    -------
    pandas.DataFrame
        Text; a column for each kind of labels, and one for true minus random, paired by target.
    """
    names = {"the target's": "true labels", "a coin's": "random labels"}
    rows = recognised.assign(labels=recognised["labels"].replace(names))
    found = figures.table(rows, ["data"], "AUC", "labels", within=(0, 1))
    pair = summaries.differences(rows, ["data"], "AUC", ["target"], "labels", *names.values())
    return found.assign(difference=summaries.texts(pair)).rename(index=in_words)


def regularity_table(games: pd.DataFrame, classifiers: Sequence[str]) -> pd.DataFrame:
    """Make a table of mean AUC by number minus by tail: priors and classifiers by group sizes.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    classifiers : sequence of str
        Names of classifiers.

    Returns
    -------
    pandas.DataFrame
        Text, with Welch's 95% intervals.
    """
    each = {name: regularity(games, name) for name in classifiers}
    table = pd.concat(each, names=["classifier"]).rename(columns={"difference": "mean"})
    found = summaries.texts(table, 3).unstack("group size").fillna("").swaplevel()
    return found.sort_index(level="prior", sort_remaining=False)


def lengths_table(lengths: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the mean privacy loss in each period, with the number of targets.

    Parameters
    ----------
    lengths : pandas.DataFrame
        Rows of `experiments.lengths`.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each period, a column for each dataset. A period in which a target is seen
        nowhere has no row for this target.
    """
    rows = lengths[lengths["clock"] == "local"]
    rows = rows.assign(loss=metrics.privacy_loss(rows["AUC"].to_numpy()))
    means = summaries.means(rows, ["data", "period"], "loss")
    means["95% high"] = means["95% high"].clip(upper=1)
    means["95% low"] = means["95% low"].clip(lower=0)
    cells = summaries.texts(means) + " (" + means["n"].astype(int).astype(str) + ")"
    table = cells.unstack("data", sort=False).rename(columns=in_words)
    return table.reindex([period for period in PERIODS if period in table.index])


def losses_beside(lengths: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the mean privacy loss in each period beside the paper's (Fig. 11c and d).

    Parameters
    ----------
    lengths : pandas.DataFrame
        Stored results of `experiments.lengths`.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each period.
    """
    rows = lengths[lengths["clock"] == "local"]
    rows = rows.assign(loss=metrics.privacy_loss(rows["AUC"].to_numpy()))
    means = summaries.means(rows, ["data", "period"], "loss")
    means["95% high"] = means["95% high"].clip(upper=1)
    ours = summaries.texts(means).unstack(sort=False)
    commuters = ("168-week", "24-monday", "24-saturday", "8-monday", "8-saturday")
    printed = {
        "commuters": [f"kk-fig11c-pl-{which}" for which in commuters],
        "cabspotting": [f"kk-fig11d-pl-{hours}" for hours in (168, 24, 24, 8, 8)],
    }
    table: dict[str, dict[Any, str]] = {}
    for data, ids in printed.items():
        published = [claims.claim(each).published for each in ids]
        whose = "commuters" if data == "commuters" else "cabs"
        table[f"{whose}, the paper"] = dict(zip(PERIODS, published, strict=True))
        table[titled(data)] = ours.loc[data].to_dict()
    return pd.DataFrame(table).loc[list(PERIODS)]


def show_loss_by_length(lengths: pd.DataFrame, guessing: Mapping[str, float]) -> None:
    """Draw the mean privacy loss in each period with its interval, a panel for each dataset.

    Stars, a little higher, are the means that the paper prints; the dotted line is an attacker who
    guesses.

    Parameters
    ----------
    lengths : pandas.DataFrame
        Rows of `experiments.lengths`.
    guessing : mapping of str to float
        Name of a dataset, in the order of the panels, to the mean loss of an attacker who guesses.

    Returns
    -------
    None
    """
    rows = lengths[lengths["clock"] == "local"]
    rows = rows.assign(loss=metrics.privacy_loss(rows["AUC"].to_numpy()))
    means = summaries.means(rows, ["data", "period"], "loss")
    n_rows = -(-len(guessing) // 2)
    grid = plt.subplots(n_rows, 2, figsize=(6.4, 1.2 + 2.5 * n_rows), sharex=True, sharey=True)[1]
    axes, heights, periods = dict(enumerate(grid.flat)), range(len(PERIODS)), list(PERIODS)
    star: dict[str, Any] = {"marker": "*", "color": "black", "linestyle": "", "markersize": 9}
    for ax, (data, level) in zip(grid.flat, guessing.items(), strict=False):
        each = means.loc[data].reindex(periods)
        low, high = each["95% low"].clip(lower=0), each["95% high"].clip(upper=1)
        style = _styles([data])[data] | {"linestyle": "", "markersize": 5, "capsize": 3}
        style["label"] = ""
        ax.errorbar(each["mean"], heights, xerr=[each["mean"] - low, high - each["mean"]], **style)
        for height, period in enumerate(periods):
            for mean in _published_length(data, "mean PL", period):
                ax.plot([mean], [height - 0.3], label="the paper", **star)
        ax.axvline(level, color="black", linewidth=1, linestyle=":", marker="", label="guessing")
        ax.set(title=in_words(data), xlim=(-0.03, 1.05), ylim=(len(periods) - 0.5, -0.8))
        ax.set_yticks(heights, periods)
    ours: dict[str, Any] = {"marker": "o", "color": "grey", "linestyle": "", "markersize": 5}
    axes[0].plot([], [], label="here (coloured)", **ours)
    grid[-1][0].figure.supxlabel("mean privacy loss", fontsize=12)
    figures.finish(axes, 3)


def show_riders_games(games: pd.DataFrame) -> None:
    """Draw the mean AUC of each attack and prior with its interval, a marker for each population.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `lib.papers.riders.experiments.games` of one group size.

    Returns
    -------
    None
    """
    means = summaries.means(games, ["data", "prior", "attack"], "AUC")
    low, high = means["95% low"].clip(lower=0), means["95% high"].clip(upper=1)
    means["low"], means["high"] = means["mean"] - low, high - means["mean"]
    settings = list(dict.fromkeys(means.droplevel("data").index))
    ax = plt.subplots(figsize=(6.0, 4.2))[1]
    names = list(dict.fromkeys(means.index.get_level_values("data")))
    for i, (data, style) in enumerate(_styles(names).items()):
        each = means.loc[data].loc[settings]
        at = [height + 0.16 * (i - (len(names) - 1) / 2) for height in range(len(settings))]
        style |= {"linestyle": "", "capsize": 2}
        ax.errorbar(each["mean"], at, xerr=[each["low"], each["high"]], **style)
    words = {"LR": "LR", "sum": "cell sum"}
    labels = [f"prior {prior.split()[0]}:\n{words[attack]}" for prior, attack in settings]
    ax.set_yticks(range(len(settings)), labels)
    ax.set(xlabel="mean AUC, groups of ten", xlim=(0.45, 1.02))
    ax.grid(False, axis="y")
    ax.invert_yaxis()
    _guessing(ax, across=True)
    figures.finish({0: ax}, 4)


def aucs_beside(games: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the mean AUCs that the paper prints for the cabs, beside ours.

    Parameters
    ----------
    games : pandas.DataFrame
        Stored results of `experiments.games` for the cabs.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each prior, group size and classifier with a printed mean.
    """
    ours = summaries.texts(mean_aucs(by_classifier(games), ["prior", "group size", "classifier"]))
    names = {theirs: prior for prior, theirs in _PRIOR.items()}
    table = claims.published("kk")
    table = table[(table["dataset"] == _THEIRS["cabspotting"]) & (table["quantity"] == "mean AUC")]
    rows = {}
    for of, value, op in zip(table["setting"], table["value"], table["op"], strict=True):
        if op in ("=", "~") and len(value) == 1 and of["n_epochs"] == 168:
            key = (names[of["prior"]], of["m"], str(of["classifier"]).replace("-", ""))
            printed = f"about {value[0]:g}" if op == "~" else f"{value[0]:.2f}"
            rows[key] = {"the paper": printed, "here": ours[key]}
    found = pd.DataFrame.from_dict(rows, orient="index")
    found = found.rename_axis(["prior", "group size", "classifier"])
    return found.sort_index(level=[0, 1], sort_remaining=False, kind="stable")


def show_found(games: pd.DataFrame) -> None:
    """Draw our means for the cabs minus those that the paper prints, AUCs above losses.

    Above: the mean AUC of each classifier. Below: the mean privacy loss under BEST. A mean that the
    paper prints as "about" has an open circle.

    Parameters
    ----------
    games : pandas.DataFrame
        Stored results of `experiments.games` for the cabs.

    Returns
    -------
    None
    """
    aucs = mean_aucs(by_classifier(games), ["prior", "group size", "classifier"])
    of_best = losses(games).droplevel("data").xs("BEST", level="of")
    both = (aucs_beside(games), aucs), (best_losses_beside(games), of_best)
    axes = plt.subplots(
        2, 1, figsize=(6.4, 7.4), sharex=True, gridspec_kw={"height_ratios": [16, 6]}
    )[1]
    for ax, (beside, found) in zip(axes, both, strict=True):
        texts = beside["the paper"][beside["the paper"] != ""]
        printed = texts.str.removeprefix("about ").astype(float)
        ours, heights = found.loc[printed.index], np.arange(len(printed))
        ends = [ours["mean"] - ours["95% low"], ours["95% high"] - ours["mean"]]
        bars: dict[str, Any] = {"fmt": "o", "color": figures.color("cabspotting"), "capsize": 2}
        change = ours["mean"] - printed
        ax.errorbar(change, heights, xerr=ends, markersize=6, **bars)
        about = texts.str.startswith("about").to_numpy()
        hollow: dict[str, Any] = {"marker": "o", "linestyle": "", "markersize": 6, "zorder": 6}
        ax.plot(change[about], heights[about], color=bars["color"], mfc="white", **hollow)
        names = [
            f"prior {key[0].split()[0]}, groups of {key[1]}" + "".join(f": {k}" for k in key[2:])
            for key in printed.index
        ]
        ax.set_yticks(heights, names, fontsize=11)
        ax.axvline(0, color="black", linewidth=1, marker="")
        ax.set_ylim(len(names) - 0.5, -0.5)
    axes[0].set_title("AUC: ours minus the paper's")
    axes[1].set_title("loss: ours minus the paper's")
    plt.show()


def best_losses_beside(games: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the mean privacy loss under BEST beside the means that the paper prints.

    Parameters
    ----------
    games : pandas.DataFrame
        Stored results of `experiments.games` for the cabs.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each prior and group size. Columns: the paper (empty where it prints no
        mean), here, chance level (BEST with permuted labels).
    """
    found = losses(games).droplevel("data")
    ours = summaries.texts(pd.DataFrame(found.xs("BEST", level="of"))).sort_index()
    printed = {
        (prior, size): f"{mean:.2f}"
        for prior, size in ours.index
        for mean in published_means(
            "cabspotting", "mean PL", prior, m=size, classifier="BEST"
        ).values()
    }
    chance = found.xs(FLOOR, level="of")["mean"].map("{:.2f}".format)
    table = pd.DataFrame({"here": ours, "chance level": chance.reindex(ours.index)})
    table.insert(0, "the paper", pd.Series(printed).reindex(ours.index))
    return table.fillna("")


def floor_table(games: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the mean AUC of BEST and of its chance level, by dataset and prior.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.

    Returns
    -------
    pandas.DataFrame
        Text; empty if there was one classifier only, and so no BEST.
    """
    if "BEST" not in games:
        return pd.DataFrame()
    found = summaries.texts(floor(games)).unstack("AUC of", sort=False)
    return found.rename(index=in_words, columns={FLOOR: "chance level of BEST"})


def choice_table(choices: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the AUC by how a classifier is chosen, and of BEST's optimistic bias.

    Parameters
    ----------
    choices : pandas.DataFrame
        Rows of `experiments.choices`.

    Returns
    -------
    pandas.DataFrame
        Text. The bias is BEST minus cross-validated: its mean over targets, and the smallest and
        the largest. It is never negative, so an interval around its mean says little.
    """
    aucs = choices.pivot_table("AUC", ["data", "target"], "choice", sort=False)
    bias = (aucs["BEST"] - aucs["cross-validated"]).groupby(level="data", sort=False)
    each = bias.agg(["mean", "min", "max", "size"])
    texts = [f"{m:.2f} ({low:.2f} to {high:.2f})" for m, low, high, _ in each.to_numpy()]
    table = aucs.groupby(level="data", sort=False).mean().map("{:.2f}".format)
    table["BEST minus cross-validated"] = texts
    return table.assign(targets=each["size"]).rename(index=in_words).rename_axis(columns=None)


def gain_table(learning: pd.DataFrame, steps: Sequence[tuple[int, int]]) -> pd.DataFrame:
    """Make a table of the gain in AUC from more training groups, paired by target.

    Parameters
    ----------
    learning : pandas.DataFrame
        Rows of `experiments.learning`.
    steps : sequence of (int, int)
        Numbers of training groups, fewer and more: a column each.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each dataset.
    """
    of = ["data"], "AUC", ["target"], "training groups"
    found = {
        f"from {fewer} to {more}": summaries.texts(
            summaries.differences(learning, *of, more, fewer), 3
        )
        for fewer, more in steps
    }
    return pd.DataFrame(found).fillna("").rename(index=in_words)


# -- figures ---------------------------------------------------------------------------------------


def show_game() -> None:
    """Draw which groups and weeks the attacker learns from and attacks, under each prior.

    Returns
    -------
    None
    """
    learned, asked = COLORS[2], COLORS[3]  # no dataset's, and not those of in and out
    question = (3, 0, asked)
    boxes: dict[str, list[tuple[int, float, str]]] = {  # week, height, colour
        "prior 1: groups of known users, same week": [(3, 1, learned), question],
        "prior 2a: the same groups, earlier weeks": [
            *((week, 0, learned) for week in range(3)),
            question,
        ],
        "prior 2b: other groups, earlier weeks": [
            *((week, 1, learned) for week in range(3)),
            question,
        ],
    }
    axes = plt.subplots(3, 1, figsize=(6.0, 4.6), sharex=True)[1]
    inside: dict[str, Any] = {"ha": "center", "va": "center", "color": "white", "fontsize": 10}
    for ax, (title, each) in zip(axes, boxes.items(), strict=True):
        for week, row, color in each:
            ax.barh(row, 0.9, left=week + 0.05, height=0.8, color=color)
            words = "in or out?" if color == asked else "learns"
            ax.text(week + 0.5, row, words, weight="bold", **inside)
        ax.set(title=title, ylim=(-0.6, 1.6), xlim=(0, 4))
        ax.set_yticks([0, 1], ["the released\ngroups", "other\ngroups"])
        ax.grid(False)
    axes[-1].set_xticks([0.5, 1.5, 2.5, 3.5], ["week 1", "week 2", "week 3", "this week"])
    plt.show()


def show_knowledge(
    games: pd.DataFrame, classifier: str, sums: pd.DataFrame, larger: pd.DataFrame
) -> None:
    """Draw one classifier's mean AUC against group size, a panel a prior, and the cell sum.

    Filled markers are the classifier, open ones the cell sum under prior 1, and small open ones the
    cell sum in larger groups, which are drawn from all users.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    classifier : str
        Name of the classifier.
    sums, larger : pandas.DataFrame
        Rows of `experiments.sums`, and of `experiments.sum_sizes` for the larger groups.

    Returns
    -------
    None
    """
    axes = plt.subplots(1, 3, figsize=(7.0, 4.2), sharex=True, sharey=True)[1]
    of_sums = sums.rename(columns={"sum": "AUC"})
    styles = _styles(dict.fromkeys(games["data"]))
    for ax, prior in zip(axes, PRIORS, strict=True):
        rows = games[games["prior"] == prior]
        _lines(ax, rows.rename(columns={classifier: "AUC"}), styles)
        ax.axhline(0.5, color="black", linewidth=1, linestyle=":", marker="")
        ax.set(title=_TITLES[prior], xscale="log", xlabel="users in the group")
    hollow = {"linestyle": ":", "markerfacecolor": "white", "label": ""}
    _lines(axes[0], of_sums, styles, hollow)
    _lines(axes[0], larger, styles, hollow | {"linewidth": 1, "markersize": 4})
    words = {"ha": "center", "fontsize": 11}
    forest = "forest" if classifier == "RF" else classifier
    for ax, (x, y) in zip(axes, ((19, 0.72), (60, 0.94), (80, 0.8)), strict=True):
        ax.text(x, y, forest, **words)
    axes[0].text(66, 0.85, "cell sum", **words)
    sizes = [*games["group size"], *larger["group size"]]
    _tick_sizes(axes[0], sizes)
    axes[0].set(ylabel="mean AUC", xlim=(min(sizes) / 1.4, 1.4 * max(sizes)), ylim=(0.46, 1.03))
    figures.finish(dict(enumerate(axes)), 2)


def _lines(
    ax: Any, rows: pd.DataFrame, styles: Mapping[str, Any], more: Mapping[str, Any] = {}
) -> None:
    """Draw each dataset's mean AUC with its interval, the datasets a little apart."""
    for i, (data, style) in enumerate(styles.items()):
        each = rows[rows["data"] == data].dropna(subset=["AUC"])
        if each.empty:
            continue
        means = mean_aucs(each, ["group size"]).sort_index()
        at = means.index.to_numpy(float) * (1 + 0.1 * (i - (len(styles) - 1) / 2))
        ends = [means["mean"] - means["95% low"], means["95% high"] - means["mean"]]
        ax.errorbar(at, means["mean"], yerr=ends, **({"capsize": 3} | style | dict(more)))


_THEIRS = {"cabspotting": "sfc", "commuters": "tfl"}
_PRIOR = dict(zip(PRIORS, ("subset", "same-groups", "different-groups"), strict=True))


def published_means(
    name: str, quantity: str, prior: str = PRIORS[1], **setting: object
) -> dict[str, float]:
    """Look up the means that the paper prints for a dataset and prior.

    Parameters
    ----------
    name : str
        Our name of the dataset; it is empty for one that is not in the paper.
    quantity : str
        "mean AUC" or "mean PL".
    prior : str
        One of `experiments.PRIORS`.
    **setting
        Values that the claim's setting has to have, such as m=100.

    Returns
    -------
    dict
        Classifier to mean.
    """
    wanted = {"prior": _PRIOR[prior], **setting}
    table = claims.published("kk")
    rows = table[(table["dataset"] == _THEIRS.get(name)) & (table["quantity"] == quantity)]
    return {
        str(of["classifier"]).replace("-", ""): value[0]
        for of, value, op in zip(rows["setting"], rows["value"], rows["op"], strict=True)
        if op in ("=", "~") and len(value) == 1 and {**of, **wanted} == of
    }


def star_of_legend(ax: Any) -> None:
    """Give the legend a grey star, before the stars in the colours of their classifiers are drawn.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The first panel.
    """
    style: dict[str, Any] = {"color": "grey", "markeredgecolor": "black", "markersize": 13}
    ax.plot([], [], "*", label="published", **style)


def show_losses(games: pd.DataFrame, names: Sequence[str]) -> None:
    """Draw box plots of the privacy loss under BEST, by prior (rows) and dataset (columns).

    Stars are the means that the paper prints.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    names : sequence of str
        Names of datasets.

    Returns
    -------
    None
    """
    loss = games.assign(loss=metrics.privacy_loss(games["BEST"].to_numpy()))
    loss = loss.set_index(["data", "prior"])
    shape: dict[str, Any] = {"figsize": (6.4, 7.4), "squeeze": False}
    figure, axes = plt.subplots(len(PRIORS), len(names), sharey=True, **shape)
    for row, prior in zip(axes, PRIORS, strict=True):
        for ax, name in zip(row, names, strict=True):
            sizes = loss.loc[[(name, prior)]].groupby("group size")["loss"]
            names_of_sizes = [str(m) for m, _ in sizes]
            ax.boxplot([each for _, each in sizes], tick_labels=names_of_sizes, **BOX_MEAN)
            for place, (m, _) in enumerate(sizes, start=1):
                for mean in published_means(
                    name, "mean PL", prior, m=m, classifier="BEST"
                ).values():
                    figures.mark_published(ax, place, mean)
            ax.set_title(f"prior {prior.split()[0]},\n{titled(name)}", fontsize="medium")
            ax.tick_params(axis="x", labelrotation=45)
    figure.supxlabel("group size m")
    figure.supylabel("privacy loss under BEST")
    plt.show()


def show_lengths(lengths: pd.DataFrame, names: Sequence[str]) -> None:
    """Draw box plots of AUC and privacy loss over targets by period, a column for each dataset.

    Stars are the means that the paper prints.

    Parameters
    ----------
    lengths : pandas.DataFrame
        Rows of `experiments.lengths`.
    names : sequence of str
        Names of datasets.

    Returns
    -------
    None
    """
    rows = lengths.set_index(["data", "period"])["AUC"]
    axes = plt.subplots(2, len(names), figsize=(6.4, 5.4), sharey="row", sharex=True)[1]
    labels = [period.replace(" 8-16h", "\n8-16h") for period in PERIODS]
    for column, name in zip(axes.T, names, strict=True):
        aucs = [rows.loc[[(name, period)]].to_numpy() for period in PERIODS]
        both = {"mean AUC": aucs, "mean PL": map(metrics.privacy_loss, aucs)}
        for ax, (quantity, values) in zip(column, both.items(), strict=True):
            ax.boxplot(list(values), tick_labels=labels, **BOX_MEAN)
            for place, period in enumerate(PERIODS, start=1):
                for mean in _published_length(name, quantity, period):
                    figures.mark_published(ax, place, mean)
            ax.tick_params(axis="x", labelrotation=90)
        column[0].set_title(titled(name))
    axes[0, 0].set_ylabel("AUC")
    axes[1, 0].set_ylabel("privacy loss")
    plt.show()


def _published_length(name: str, quantity: str, period: str) -> Iterable[float]:
    """The means that the paper prints for a period; for the cabs it prints one for both days."""
    n_epochs = 168 if period == "week" else 8 if "8-16h" in period else 24
    of: dict[str, object] = {"n_epochs": n_epochs, "m": 100, "classifier": "MLP"}
    if name == "commuters":
        of |= {"m": 1000, "day": period.removesuffix("h"), "classifier": "RF"}
    return published_means(name, quantity, PRIORS[1], **of).values()


def show_learning(curve: pd.DataFrame, middle: int) -> None:
    """Draw the mean AUC against the number of training groups, a line for each dataset.

    Parameters
    ----------
    curve : pandas.DataFrame
        As `mean_aucs` returns it by data and training groups.
    middle : int
        Users in a group.

    Returns
    -------
    None
    """
    axes = figures.intervals(
        curve,
        "training groups",
        "data",
        size=(6.0, 2.6),
        level=0.5,
        xscale="log",
        xlabel="training groups",
        ylabel=f"mean AUC, groups of {middle}",
        ticks=True,
        apart=0.04,
        styles=_styles(curve.index.get_level_values("data").unique()),
    )
    figures.finish(axes, 3)

"""Drawings of the page that replicates Knock-Knock: verdicts, the search for a noise, Table II."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from lib import metrics
from lib.papers import figures, summaries
from lib.papers.knock_knock.defense_claims import published_gains
from lib.papers.knock_knock.experiments import PRIORS
from lib.papers.knock_knock.figures import EACH, FOUR, by_classifier, mean_aucs, published_means
from lib.papers.knock_knock.noise_interpretations import BUDGETS, CONCERNS, noise_games
from lib.papers.knock_knock.noise_search import CABS, CLOSE, STEPS, Search, rank, restricted

_VERDICTS = ("reproduced", "supported", "undecided", "contradicted")  # in this order
_GREY = "#D5D5D5"


def show_verdicts(counts: pd.DataFrame) -> None:
    """Draw how many claims of each subject have each verdict, a bar for each subject.

    Parameters
    ----------
    counts : pandas.DataFrame
        Numbers of claims; a row for each subject, a column for each verdict. Other columns, such
        as that of inputs, are not drawn.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 0.55 * len(counts) + 1.3))
    left = np.zeros(len(counts))
    for verdict in _VERDICTS:
        if verdict not in counts:
            continue
        width = counts[verdict].to_numpy(dtype=float)
        bars = ax.barh(
            range(len(counts)), width, left=left, color=figures.color(verdict), label=verdict
        )
        texts = [f"{each:.0f}" if each else "" for each in width]
        ax.bar_label(bars, texts, label_type="center", color="white", fontweight="bold")
        left += width
    ax.set_yticks(range(len(counts)), [str(each) for each in counts.index])
    ax.invert_yaxis()
    ax.set_xlabel("claims about the cabs")
    ax.grid(visible=False, axis="y")
    figures.finish({0: ax}, columns=2)


def show_allowed(means: pd.DataFrame) -> None:
    """Draw our means beside the printed ones and what the rule allows, a row for each mean.

    The grey bar holds all means that the rule would not contradict.

    Parameters
    ----------
    means : pandas.DataFrame
        Columns "published", "here", "allowed" (a distance) and "verdict"; the index levels name
        the mean.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 0.38 * len(means) + 1.4))
    height = np.arange(len(means))
    lowest = means["published"] - means["allowed"]
    ax.barh(height, 2 * means["allowed"], left=lowest, color=_GREY, label="allowed")
    style: dict[str, Any] = {"color": "white", "markeredgecolor": "black", "markersize": 12}
    ax.plot(means["published"], height, "*", label="published", **style)
    for verdict in _VERDICTS:
        here = means["verdict"] == verdict
        if here.any():
            look = figures.line_style(verdict) | {"linestyle": "", "label": f"here, {verdict}"}
            ax.plot(means["here"][here], height[here], **look)
    names = [f"{classifier}, groups of {size}" for size, classifier in means.index]
    ax.set_yticks(height, names)
    ax.invert_yaxis()
    ax.margins(x=0.03)
    ax.set_xlabel("mean AUC")
    ax.grid(visible=False, axis="y")
    figures.finish({0: ax}, columns=2)


def show_differences(bounds: pd.DataFrame) -> None:
    """Draw differences with their bounds against 0, a row for each difference.

    Parameters
    ----------
    bounds : pandas.DataFrame
        Columns "mean difference", "lower bound" and "upper bound"; the index has group sizes.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 0.36 * len(bounds) + 0.9))
    height = np.arange(len(bounds))
    color = figures.COLORS[0]
    ax.hlines(height, bounds["lower bound"], bounds["upper bound"], color=color)
    ax.plot(bounds["mean difference"], height, "o", color=color)
    ax.axvline(0, color="black", linewidth=1.2, linestyle=":", marker="")
    ax.set_yticks(height, [f"groups of {size}" for size in bounds.index])
    ax.invert_yaxis()
    ax.set_xlabel("loss under prior 2a minus loss under prior 2b")
    ax.grid(visible=False, axis="y")
    plt.show()


def show_classifiers(games: pd.DataFrame, name: str) -> None:
    """Draw the mean AUC of each classifier against the group size, a panel for each prior.

    Stars are the means that the paper prints.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    name : str
        Name of the dataset.

    Returns
    -------
    None
    """
    rows = by_classifier(games[games["data"] == name])
    means = mean_aucs(rows[rows["classifier"].isin([*FOUR, "BEST"])], EACH).reset_index()
    means = means[means["prior"].isin(PRIORS)]
    titles = {prior: f"prior {prior}" for prior in PRIORS}
    apart = 0.07
    axes = figures.intervals(
        means.assign(prior=means["prior"].map(titles)),
        "group size",
        "classifier",
        "prior",
        size=(6.2, 2.3),
        level=0.5,
        xscale="log",
        ylim=(0.45, 1.03),
        xlabel="users in the group (points moved apart)",
        ylabel="mean AUC",
        ticks=True,
        apart=apart,
    )
    kinds = list(dict.fromkeys(means["classifier"]))
    for prior, size in means[["prior", "group size"]].drop_duplicates().itertuples(index=False):
        printed = published_means(name, "mean AUC", prior, m=size, n_epochs=168)
        for kind in printed.keys() & set(kinds):
            moved = size * (1 + apart * (kinds.index(kind) - (len(kinds) - 1) / 2))
            figures.mark_published(axes[titles[prior]], moved, printed[kind], figures.color(kind))
    figures.finish(axes)


def show_errors(errors: pd.DataFrame) -> None:
    """Draw the errors of Table III beside ours under two bounds, a row for each error.

    Parameters
    ----------
    errors : pandas.DataFrame
        Index levels mechanism and ε; columns "published", "here, 0.1% of the ROI" and
        "here, 0.5 users".

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 6.4))
    place, names = 0.0, {}
    ours = {"here, 0.1% of the ROI": "white", "here, 0.5 users": None}
    for mechanism, of_mechanism in errors.groupby(level="mechanism", sort=False):
        height = place + np.arange(len(of_mechanism))
        line = figures.line_style(str(mechanism)) | {"linestyle": "", "marker": "o"}
        for column, face in ours.items():
            look = line | {"label": None, "markerfacecolor": face or line["color"]}
            ax.plot(of_mechanism[column], height, **look)
        for x, y in zip(of_mechanism["published"], height, strict=True):
            figures.mark_published(ax, x, y, "white")
        for y, epsilon in zip(height, of_mechanism.index.get_level_values("ε"), strict=True):
            names[y] = f"{mechanism}, ε = {epsilon:g}"
        place = height[-1] + 1.6
    for column, face in ours.items():
        ax.plot([], [], "o", color="black", markerfacecolor=face or "black", label=column)
    ax.set_yticks(list(names), list(names.values()))
    ax.invert_yaxis()
    ax.set(xscale="log", xlabel="mean relative error on the cabs")
    figures.finish({0: ax}, columns=3)


_TITLES = {  # step of `noise_search.STEPS` -> title of its panel
    "nothing": "1  as printed",
    "how an error is computed": "2  also bound, division",
    "and the root": "3  also Δ, root",
    "and all about Fourier noise": "4  also transform",
}
_HIGHEST = 4.0  # of the two last panels; farther errors are numbers at the upper edge


def show_ratios(found: Search) -> None:
    """Draw our errors on the cabs divided by those of Table III, a panel for each step of a search.

    Each panel has the best combination of its step. Filled marks are near, that is, within 5% or
    within rounding; the band is the 5%. The two last panels have a shorter axis.

    Parameters
    ----------
    found : noise_search.Search
        All combinations.

    Returns
    -------
    None
    """
    figure, grid = plt.subplots(2, 2, sharex=True, sharey="row", figsize=(6.4, 6.8))
    axes = list(grid.flat)
    for ax, (step, title) in zip(axes, _TITLES.items(), strict=True):
        part = restricted(found, **STEPS[step])
        best = rank(part)[0]
        _draw_ratios(ax, part.here[best] / found.published, part.met()[best], ax in axes[2:])
        ax.set_title(title)
        ax.set_xticks(BUDGETS, [f"{epsilon:g}" for epsilon in BUDGETS])
    axes[0].set(yscale="log", ylim=(0.5, 20_000))
    axes[2].set(yscale="log", ylim=(0.6, _HIGHEST))
    axes[2].set_yticks([0.7, 1, 1.5, 2, 3], ["0.7", "1", "1.5", "2", "3"])
    axes[2].minorticks_off()
    figure.supylabel("our error / printed error")
    figure.supxlabel("ε (points moved apart)")
    figures.finish(dict(enumerate(axes)))


def _draw_ratios(ax: Axes, ratios: np.ndarray, near: np.ndarray, short: bool) -> None:
    """One panel: ratios and whether they are near, shape (5, 4); `short` has an upper edge."""
    ax.axhspan(1 - CLOSE, 1 + CLOSE, color=_GREY, linewidth=0)
    apart = 1.25 ** np.arange(-2.0, 3.0)  # so that no marker hides another one
    edges = iter((0.93, 0.8, 0.67))  # of `_HIGHEST`: a row of numbers for each mechanism
    for mechanism, line, is_near, moved in zip(CONCERNS, ratios, near, apart, strict=True):
        at, style = np.array(BUDGETS) * moved, figures.line_style(mechanism)
        ax.plot(at, line, **(style | {"markerfacecolor": "white", "linewidth": 1}))
        ax.plot(at[is_near], line[is_near], **(style | {"linestyle": "", "label": None}))
        beyond = line > _HIGHEST if short else np.zeros(len(line), dtype=bool)
        edge = next(edges) if beyond.any() else 0.0
        for x, ratio in zip(at[beyond], line[beyond], strict=True):
            text: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
            ax.text(x, edge * _HIGHEST, f"↑{ratio:.0f}", color=style["color"], **text)
    ax.set_xscale("log")


def show_sensitivities(ratios: Any, printed: float) -> None:
    """Draw errors divided by the printed ones against the sensitivity, a line for each error.

    Parameters
    ----------
    ratios : pandas.DataFrame
        Our error divided by the printed one; a row for each Δ, a column for each error, which is
        named by its mechanism and ε.
    printed : float
        The Δ that the paper prints.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 3.9))
    ax.axhspan(1 - CLOSE, 1 + CLOSE, color=_GREY, linewidth=0)
    ax.axvline(printed, color="black", linewidth=1, linestyle=":", marker="")
    ax.annotate("printed Δ", (printed, 0.72), (4, 0), textcoords="offset points", fontsize=11)
    for mechanism, epsilon in ratios.columns.tolist():
        style = figures.line_style(str(mechanism)) | {"label": f"{mechanism}, ε = {epsilon:g}"}
        if epsilon < max(BUDGETS):
            style |= {"linestyle": ":", "markerfacecolor": "white"}
        ax.plot(ratios.index, ratios[mechanism, epsilon], **style)
    ax.set(xlabel="sensitivity Δ", ylabel="our error / printed error")
    figures.finish({0: ax}, columns=2)


def show_chance(best: Mapping[str, np.ndarray], published: int) -> None:
    """Draw how many numbers are near in made-up tables and in the published one.

    Parameters
    ----------
    best : mapping of str to ndarray of int, shape (n_tables,)
        Name of each kind of made-up table to the near numbers under the best interpretation.
    published : int
        The same number for the published table.

    Returns
    -------
    None
    """
    _, axes = plt.subplots(len(best), 1, figsize=(6.2, 1.75 * len(best)), sharex=True)
    for ax, (kind, found), color in zip(axes, best.items(), figures.COLORS, strict=False):
        shares = np.bincount(found, minlength=published + 1) / len(found)
        ax.bar(range(len(shares)), shares, color=color)
        ax.plot([published], [0.03], "*", markersize=14, color="black", clip_on=False)
        beside: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "fontsize": 11}
        ax.annotate("published", (published, 0.03), (-6, 12), **beside)
        ax.set_title(f"{kind} tables")
        ax.set_ylabel("share")
        ax.grid(visible=False, axis="x")
    axes[-1].set_xticks(range(0, published + 1, 2))
    axes[-1].set_xlabel("near numbers, of 20, under the best interpretation")
    plt.show()


def show_gain_pairs() -> None:
    """Draw both attackers' mean gains under each option of the noise, beside the published pair.

    The stored rows are those of `noise_interpretations.noise_games` on the cabs, at ε = 10.

    Returns
    -------
    None
    """
    rows = noise_games.stored(CABS)
    long = rows.melt(
        ["mechanism", "convention", "target"], ["passive", "strategic"], "attacker", "AUC"
    )
    long["gain"] = metrics.privacy_gain(1.0, long["AUC"].to_numpy().clip(0.5))
    means = summaries.means(long, ["mechanism", "convention", "attacker"], "gain")
    half = (means["95% high"] - means["95% low"]) / 2
    gains, halves = means["mean"].unstack("attacker"), half.unstack("attacker")
    printed, mechanisms = published_gains(), ["GSM", "FPA", "EFPAG"]
    _, axes = plt.subplots(1, 3, figsize=(6.4, 3.1), sharex=True, sharey=True)
    for ax, mechanism in zip(axes, mechanisms, strict=True):
        of, errors = gains.loc[mechanism], halves.loc[mechanism]
        style: dict[str, Any] = {"fmt": "o", "lw": 1, "color": figures.color(mechanism)}
        crosses = errors["strategic"], errors["passive"]
        ax.errorbar(of["passive"], of["strategic"], *crosses, **style)
        pair = printed["passive", mechanism], printed["strategic", mechanism]
        figures.mark_published(ax, *pair)
        ax.set(title=mechanism, xlim=(0.55, 1.05), ylim=(0, 1.05))
        ax.set_xticks([0.6, 0.8, 1.0])
    axes[1].set_xlabel("gain against the passive attacker")
    axes[0].set_ylabel("against the strategic one")
    plt.show()


def show_within(table: pd.DataFrame) -> None:
    """Draw the errors of London's table divided by their predictions from one of them.

    Parameters
    ----------
    table : pandas.DataFrame
        Index levels mechanism and ε; columns "published / predicted" (filled marks) and
        "surrogate: here / predicted" (hollow marks).

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 4.2))
    ax.axhspan(1 - CLOSE, 1 + CLOSE, color=_GREY, linewidth=0)
    apart = 1.16 ** np.arange(-1.5, 2.5)  # so that no marker hides another one
    for (mechanism, part), moved in zip(table.groupby(level=0, sort=False), apart, strict=True):
        budgets = part.index.get_level_values("ε").to_numpy(dtype=float)
        style = figures.line_style(str(mechanism)) | {"linestyle": ""}
        ax.plot(budgets * moved, part["published / predicted"], **style)
        style |= {"markerfacecolor": "white", "label": None}
        ax.plot(budgets * moved, part["surrogate: here / predicted"], **style)
    ax.set(xscale="log", yscale="log", ylim=(0.01, 2))
    ax.set_xticks(sorted(set(table.index.get_level_values("ε"))), ["0.01", "0.1", "1", "10"])
    ax.set_yticks([0.01, 0.03, 0.1, 0.3, 0.7, 1], ["0.01", "0.03", "0.1", "0.3", "0.7", "1"])
    ax.minorticks_off()
    ax.set_xlabel("ε (points moved apart)")
    ax.set_ylabel("error / prediction")
    figures.finish({0: ax}, columns=4)

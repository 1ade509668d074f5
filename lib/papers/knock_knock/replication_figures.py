"""Drawings of the page that replicates Knock-Knock: verdicts, the search for a noise, Table II."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from lib import metrics
from lib.papers import claims, figures, scoreboard, summaries
from lib.papers.knock_knock.defense_claims import printed_gains, published_gains
from lib.papers.knock_knock.experiments import PRIORS
from lib.papers.knock_knock.figures import (
    EACH,
    FOUR,
    by_classifier,
    losses,
    mean_aucs,
    published_means,
    star_of_legend,
)
from lib.papers.knock_knock.noise_interpretations import BUDGETS, CONCERNS, noise_games
from lib.papers.knock_knock.noise_search import CABS, CLOSE, STEPS, Search, rank, restricted

_VERDICTS = ("reproduced", "supported", "undecided", "contradicted")  # in this order
_GREY, _DARK_GREY = "#D5D5D5", "#949494"


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
    """Draw our means minus the printed ones and what the rule allows, a row for each mean.

    The grey bar holds all differences that the rule would not contradict. Its darker part holds
    those that it would not contradict with the finite-population correction.

    Parameters
    ----------
    means : pandas.DataFrame
        Columns "published", "here", "allowed" and "allowed, corrected" (distances) and "verdict";
        the index levels name the mean.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 0.38 * len(means) + 1.4))
    height = np.arange(len(means))
    for column, shade in (("allowed", _GREY), ("allowed, corrected", _DARK_GREY)):
        ax.barh(height, 2 * means[column], left=-means[column], color=shade, label=column)
    ax.axvline(0, color="black", linewidth=1.2, linestyle=":", marker="", label="published")
    deviation = means["here"] - means["published"]
    stroke: dict[str, Any] = {"linestyle": "", "markersize": 17, "markeredgewidth": 3.5}
    for verdict in _VERDICTS:
        here = means["verdict"] == verdict
        if here.any():
            stroke |= {"color": figures.color(verdict), "label": f"here, {verdict}"}
            ax.plot(deviation[here], height[here], marker="|", **stroke)
    names = [f"{classifier}, groups of {size}" for size, classifier in means.index]
    ax.set_yticks(height, names)
    ax.invert_yaxis()
    ax.set(xlim=(-0.03, 0.04), xlabel="our mean AUC minus the printed one")
    ax.grid(visible=False, axis="y")
    figures.finish({0: ax}, columns=2)


_TICKS: dict[str, Sequence[float]] = {  # of both axes, by measure
    "AUC": (0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    "privacy loss": (0, 0.2, 0.4, 0.6, 0.8),
    "privacy gain": (0, 0.2, 0.4, 0.6, 0.8, 1.0),
    "mean relative error": (0.01, 1, 100, 10_000),
}


def show_agreement(judged: pd.DataFrame, smallest_ratio: float, verdicts: bool = True) -> None:
    """Draw our means on the cabs against the printed ones, a panel for each measure.

    Filled crosses among the errors are those of the two Laplace mechanisms, hollow ones the others.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged` gives it.
    smallest_ratio : float
        The smallest of our errors divided by the printed one; a dashed line.
    verdicts : bool, default True
        Whether colours and markers show the verdicts; otherwise all marks are grey discs.

    Returns
    -------
    None
    """
    points = scoreboard.agreement(judged)
    mechanisms = [claims.claim(str(name)).setting.get("mechanism", "") for name in points.index]
    laplace = np.array([str(each).startswith("LPA") for each in mechanisms])
    figure, grid = plt.subplots(2, 2, figsize=(6.2, 6.9))
    for ax, (measure, ticks) in zip(grid.flat, _TICKS.items(), strict=True):
        of_measure = points["measure"] == measure
        errors = measure == "mean relative error"
        ax.set(title=measure, **({"xscale": "log", "yscale": "log"} if errors else {}))
        _draw_agreement(ax, points[of_measure], laplace[of_measure] | (not errors), verdicts)
        shown = points.loc[of_measure, ["published", "here"]].to_numpy()
        space = 0.08 * np.ptp(shown)
        low, high = (3e-4, 5e4) if errors else (shown.min() - space, shown.max() + space)
        line: dict[str, Any] = {"color": "black", "lw": 1, "marker": ""}
        ax.plot([low, high], [low, high], ls=":", **line)
        if errors:
            above = smallest_ratio * np.array([low, high])
            ax.plot([low, high], above, ls="--", **line)
        texts = [f"{each:g}" if each < 1_000 else f"{each:,}" for each in ticks]
        ax.set_xticks(ticks, texts)
        ax.set_yticks(ticks, texts)
        ax.set(xlim=(low, high), ylim=(low, high), aspect="equal")
    figure.supxlabel("published")
    figure.supylabel("here")
    figures.finish(dict(enumerate(grid.flat)))


def _draw_agreement(ax: Axes, points: pd.DataFrame, filled: np.ndarray, verdicts: bool) -> None:
    """One panel: points with intervals by verdict; `filled` says which marks are not hollow."""
    for verdict in ("reproduced", "undecided", "contradicted"):
        grey = {"color": _DARK_GREY, "marker": "o"}
        look = figures.line_style(verdict) if verdicts else grey
        for face, which in (("white", ~filled), (look["color"], filled)):
            here = points[which & (points["told"] == verdict)]
            style: dict[str, Any] = {"color": look["color"], "mfc": face, "ms": 6, "lw": 1}
            label = verdict if verdicts and face != "white" else None
            values = here["published"], here["here"], here["half"]
            ax.errorbar(*values, fmt=look["marker"], label=label, **style)


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
    star_of_legend(axes[titles[PRIORS[0]]])
    kinds = list(dict.fromkeys(means["classifier"]))
    for prior, size in means[["prior", "group size"]].drop_duplicates().itertuples(index=False):
        printed = published_means(name, "mean AUC", prior, m=size, n_epochs=168)
        for kind in printed.keys() & set(kinds):
            moved = size * (1 + apart * (kinds.index(kind) - (len(kinds) - 1) / 2))
            figures.mark_published(axes[titles[prior]], moved, printed[kind], figures.color(kind))
    figures.finish(axes)


def show_errors(ratios: pd.DataFrame) -> None:
    """Draw our errors under two bounds divided by those of Table III, a row for each error.

    The band holds the ratios from 1/2 to 2.

    Parameters
    ----------
    ratios : pandas.DataFrame
        Index levels mechanism and ε; a column for each of two bounds, of which the first has hollow
        marks and the second filled ones.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 6.4))
    ax.axvspan(0.5, 2, color=_GREY, linewidth=0)
    ax.axvline(1, color="black", linewidth=1.2, linestyle=":", marker="")
    place, names = 0.0, {}
    for mechanism, of_mechanism in ratios.groupby(level="mechanism", sort=False):
        height = place + np.arange(len(of_mechanism))
        line = figures.line_style(str(mechanism)) | {"linestyle": "", "marker": "o", "label": None}
        for column, face in zip(ratios, ("white", line["color"]), strict=True):
            ax.plot(of_mechanism[column], height, **(line | {"markerfacecolor": face}))
        for y, epsilon in zip(height, of_mechanism.index.get_level_values("ε"), strict=True):
            names[y] = f"{mechanism}, ε = {epsilon:g}"
        place = height[-1] + 1.6
    for column, face in zip(ratios, ("white", "black"), strict=True):
        ax.plot([], [], "o", color="black", markerfacecolor=face, label=column)
    ax.set_yticks(list(names), list(names.values()))
    ax.invert_yaxis()
    ax.set(xscale="log", xlim=(0.4, 10_000), xlabel="our error / printed error, on the cabs")
    ticks = (1, 10, 100, 1_000, 10_000)
    ax.set_xticks(ticks, [f"{each:,}" for each in ticks])
    figures.finish({0: ax}, columns=2)


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


def show_top_gains(means: pd.DataFrame, data: str, n_groups: int) -> None:
    """Draw the mean gains against the passive attacker above 0.9; dotted: guessing's gain.

    Parameters
    ----------
    means : pandas.DataFrame
        As `defense_figures.mean_gains` returns it.
    data : str
        Name of the dataset.
    n_groups : int
        Number of groups, half of them with the target.

    Returns
    -------
    None
    """
    levels = means.index.get_level_values
    passive = means[(levels("data") == data) & (levels("attacker") == "passive")]
    axes = figures.intervals(
        passive,
        "ε",
        "mechanism",
        "attacker",
        size=(6.2, 3.2),
        level=metrics.guessing_gain(n_groups // 2, n_groups // 2),
        xscale="log",
        ylim=(0.9, 1.01),
        xlabel="ε (points moved apart)",
        ylabel="privacy gain",
        apart=0.12,
    )
    for attacker, mechanism, epsilon, gain in printed_gains(data):
        if attacker == "passive":
            figures.mark_published(axes[attacker], epsilon, gain, figures.color(mechanism))
    figures.finish(axes)


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


def losses_table(games: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the mean privacy loss under BEST, and under BEST with permuted labels.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.

    Returns
    -------
    pandas.DataFrame
        Texts such as "0.862 [0.846, 0.878]", and the number of targets; index data, prior, group
        size. An interval ends at 1, the largest loss.
    """
    table = losses(games)
    table["95% high"] = table["95% high"].clip(upper=1)
    texts = summaries.texts(table, 3).unstack("of", sort=False)
    return texts.assign(targets=table["n"].groupby(level=[0, 1, 2], sort=False).max())

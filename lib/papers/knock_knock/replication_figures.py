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
from lib.papers.knock_knock.defense_figures import APART, star_shifts
from lib.papers.knock_knock.experiments import PRIORS
from lib.papers.knock_knock.figures import (
    EACH,
    FOUR,
    by_classifier,
    losses,
    mean_aucs,
    published_means,
    star_of_legend,
    titled,
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
    _draw_allowed(ax, means)
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


def _draw_allowed(ax: Axes, means: pd.DataFrame) -> None:
    """Bars of the differences that the rule allows, and a dotted line at the printed means."""
    for column, shade in (("allowed", _GREY), ("allowed, corrected", _DARK_GREY)):
        if column in means:
            width, left = 2 * means[column], -means[column]
            ax.barh(np.arange(len(means)), width, left=left, color=shade, label=column)
    ax.axvline(0, color="black", linewidth=1.2, linestyle=":", marker="", label="published")


_SHORT = {"subset": "1", "same-groups": "2a", "different-groups": "2b"}
_PERIOD = {168: "", 24: ", day", 8: ", 8 hours"}


def show_deviations(means: pd.DataFrame, verdicts: bool = True) -> None:
    """Draw our AUCs and losses on raw counts minus the printed ones, a row for each.

    Parameters
    ----------
    means : pandas.DataFrame
        Index: claim. Columns "measure", "published", "here", "allowed" (a distance) and "told"
        (the verdict).
    verdicts : bool, default True
        Whether bars show what the rule allows, and marks the verdict; otherwise there are no bars
        and all marks are grey discs.

    Returns
    -------
    None
    """
    means = means.sort_values("measure", kind="stable")
    _, ax = plt.subplots(figsize=(6.2, 0.29 * len(means) + 1.5))
    height, names = np.arange(len(means)), []
    _draw_allowed(ax, means if verdicts else means.drop(columns="allowed"))
    deviation = means["here"] - means["published"]
    for verdict in ("reproduced", "undecided", "contradicted"):
        look = figures.line_style(verdict) | {"linestyle": "", "markersize": 8}
        if not verdicts:
            look |= {"color": _DARK_GREY, "marker": "o", "label": "here"}
        of = (means["told"] == verdict).to_numpy()
        ax.plot(deviation[of], height[of], **look)
    for name, measure in means["measure"].items():
        of_claim = claims.claim(str(name)).setting
        classifier = str(of_claim["classifier"]).replace("-", "")
        where = f"{_SHORT[of_claim['prior']]}, {of_claim['m']}, {classifier}"
        names.append(f"{measure.split()[-1]}: {where}{_PERIOD[of_claim['n_epochs']]}")
    ax.set_yticks(height, names)
    ax.invert_yaxis()
    ax.set(xlim=(-0.13, 0.16), ylim=(len(means) - 0.4, -0.6))
    ax.set_xlabel("our mean minus the printed one")
    ax.grid(visible=False, axis="y")
    figures.finish({0: ax}, columns=3)


_TICKS: dict[str, Sequence[float]] = {  # of both axes, by measure
    "privacy gain": (0, 0.2, 0.4, 0.6, 0.8, 1.0),
    "mean relative error": (0.01, 1, 100, 10_000),
}


def show_agreement(judged: pd.DataFrame, smallest_ratio: float) -> None:
    """Draw our gains and errors on the cabs against the printed ones, a panel for each measure.

    Filled crosses among the errors are those of the two Laplace mechanisms, hollow ones the others.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged` gives it.
    smallest_ratio : float
        The smallest of our errors divided by the printed one; a dashed line.

    Returns
    -------
    None
    """
    points = scoreboard.agreement(judged)
    mechanisms = [claims.claim(str(name)).setting.get("mechanism", "") for name in points.index]
    laplace = np.array([str(each).startswith("LPA") for each in mechanisms])
    figure, grid = plt.subplots(1, 2, figsize=(6.2, 4.0))
    for ax, (measure, ticks) in zip(grid.flat, _TICKS.items(), strict=True):
        of_measure = points["measure"] == measure
        errors = measure == "mean relative error"
        ax.set(title=measure, **({"xscale": "log", "yscale": "log"} if errors else {}))
        _draw_agreement(ax, points[of_measure], laplace[of_measure] | (not errors))
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


def _draw_agreement(ax: Axes, points: pd.DataFrame, filled: np.ndarray) -> None:
    """One panel: points with intervals by verdict; `filled` says which marks are not hollow."""
    for verdict in ("reproduced", "undecided", "contradicted"):
        look = figures.line_style(verdict)
        for face, which in (("white", ~filled), (look["color"], filled)):
            here = points[which & (points["told"] == verdict)]
            if here.empty:
                continue
            style: dict[str, Any] = {"color": look["color"], "mfc": face, "ms": 6, "lw": 1}
            label = verdict if face != "white" else None
            values = here["published"], here["here"], here["half"]
            ax.errorbar(*values, fmt=look["marker"], label=label, **style)


def show_differences(limits: pd.DataFrame) -> None:
    """Draw differences with their limits against 0, a row for each difference.

    Parameters
    ----------
    limits : pandas.DataFrame
        Columns "mean difference", "lower limit" and "upper limit"; the index has group sizes.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 0.36 * len(limits) + 0.9))
    height = np.arange(len(limits))
    color = figures.COLORS[0]
    ax.hlines(height, limits["lower limit"], limits["upper limit"], color=color)
    ax.plot(limits["mean difference"], height, "o", color=color)
    ax.axvline(0, color="black", linewidth=1.2, linestyle=":", marker="")
    ax.set_yticks(height, [f"groups of {size}" for size in limits.index])
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


_STROKE: dict[str, Any] = {"markersize": 13, "markeredgewidth": 3}
_STRIP = 0.13  # height of a row of means below the axis of a panel


def show_distributions(
    games: pd.DataFrame, name: str, priors: Sequence[str] = PRIORS, columns: int = 2
) -> None:
    """Draw the distribution of AUCs over targets, a panel for each prior and group size.

    A grey strip below each panel has a row for each classifier of which the paper prints a mean:
    the star is this mean, the stroke ours.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    name : str
        Name of the dataset.
    priors : sequence of str
        Names in `experiments.PRIORS`.
    columns : int, default 2
        Number of panels beside each other.

    Returns
    -------
    None
    """
    rows = games[(games["data"] == name) & games["prior"].isin(priors)]
    panels: list[tuple[str, int, dict[str, float], pd.DataFrame]] = []
    for prior in priors:
        for m, aucs in rows[rows["prior"] == prior].groupby("group size"):
            printed = published_means(name, "mean AUC", prior, m=m, n_epochs=168)
            panels.append((prior, int(str(m)), printed, aucs))
    n_rows, depth = -(-len(panels) // columns), max(len(each[2]) for each in panels)
    shape: dict[str, Any] = {"sharex": True, "sharey": True, "squeeze": False}
    size = 6.4, 1.2 + n_rows * (1.75 + 0.22 * depth)
    figure, grid = plt.subplots(n_rows, columns, figsize=size, **shape)
    axes = list(grid.flat)
    for ax in axes[len(panels) :]:
        ax.set_visible(False)
    if depth:
        star_of_legend(axes[0])
        axes[0].plot([], [], "|", label="our mean", color="grey", **_STROKE)
    for ax, (prior, m, printed, aucs) in zip(axes, panels, strict=False):
        _draw_distributions(ax, aucs, printed, depth)
        of_prior = f"prior {prior.split()[0]}, " if len(priors) > 1 else ""
        ax.set_title(f"{of_prior}m = {m:,}", fontsize="medium")
    for ax in axes[max(0, len(panels) - columns) : len(panels)]:
        ax.tick_params(labelbottom=True)
    figure.supxlabel(f"AUC of a target, {titled(name)}")
    figure.supylabel("share of targets")
    figures.finish(dict(enumerate(axes)))


def _draw_distributions(
    ax: Axes, aucs: pd.DataFrame, printed: Mapping[str, float], depth: int
) -> None:
    """One panel: a curve for each classifier, and below it means in `depth` rows of a strip."""
    kinds = [kind for kind in (*FOUR, "BEST") if kind in aucs and aucs[kind].notna().any()]
    for kind in kinds:
        ax.ecdf(aucs[kind], **figures.line_style(kind, markers=False))
    ax.axvline(0.5, color="black", linewidth=1.2, linestyle=":", marker="")
    ax.set(xlim=(0.3, 1.02), ylim=(-_STRIP * depth, 1.02), yticks=(0, 0.25, 0.5, 0.75, 1))
    if depth:
        ax.axhspan(-_STRIP * depth, 0, color="#ECECEC", linewidth=0, zorder=0)
        ax.axhline(0, color="black", linewidth=0.8, marker="")
    for row, kind in enumerate(kind for kind in kinds if kind in printed):
        height = -_STRIP * (row + 0.5)
        ax.text(0.31, height, kind, fontsize=11, va="center")
        style: dict[str, Any] = {"color": figures.color(kind), "linestyle": ""}
        mean = float(aucs[kind].mean())
        ax.plot([mean], [height], "|", zorder=5, **style, **_STROKE)
        style |= {"markeredgecolor": "black", "markersize": 11, "zorder": 6}
        ax.plot([printed[kind]], [height], "*", **style)


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


_PAIR_MARKS: dict[
    str, dict[str, Any]
] = {  # entries of the legend: what a mark of `show_gain_pairs` stands for
    "c = 2, or complex noise (circle)": {"marker": "o"},
    "c = 1, or real noise (square)": {"marker": "s"},
    "other coefficients dropped (filled)": {"marker": "o"},
    "other coefficients left (hollow)": {"marker": "o", "markerfacecolor": "white"},
    "one-sided (small)": {"marker": "o", "markersize": 5},
}


def show_gain_pairs() -> None:
    """Draw both attackers' mean gains under each option of the noise, beside the published pair.

    The stored rows are those of `noise_interpretations.noise_games` on the cabs, at ε = 10. Shape,
    filling and size of a mark name the option.

    Returns
    -------
    None
    """
    gains = _mean_gains()
    printed, mechanisms = published_gains(), ["GSM", "FPA", "EFPAG"]
    _, axes = plt.subplots(1, 3, figsize=(6.4, 4.1), sharex=True, sharey=True)
    for label, look in _PAIR_MARKS.items():
        entry = {"color": "grey", "linestyle": "", "markersize": 9, **look}
        axes[0].plot([], [], label=label, **entry)
    for ax, mechanism in zip(axes, mechanisms, strict=True):
        for option, of in gains.loc[mechanism].iterrows():
            look = _pair_look(str(option), figures.color(mechanism))
            ax.errorbar(*of[["passive", "strategic", "half strategic", "half passive"]], **look)
        figures.mark_published(ax, *(printed[who, mechanism] for who in ("passive", "strategic")))
        ax.set(title=mechanism, xlim=(0.55, 1.05), ylim=(0, 1.05), xticks=(0.6, 0.8, 1.0))
    axes[1].set_xlabel("gain against the passive attacker")
    axes[0].set_ylabel("against the strategic one")
    figures.finish(dict(enumerate(axes)), columns=2)


def _mean_gains() -> pd.DataFrame:
    """Mean gains of both attackers with half their intervals; index mechanism and convention."""
    rows = noise_games.stored(CABS)
    long = rows.melt(
        ["mechanism", "convention", "target"], ["passive", "strategic"], "attacker", "AUC"
    )
    long["gain"] = metrics.privacy_gain(1.0, long["AUC"].to_numpy().clip(0.5))
    means = summaries.means(long, ["mechanism", "convention", "attacker"], "gain")
    half = (means["95% high"] - means["95% low"]) / 2
    return means["mean"].unstack("attacker").join(half.unstack("attacker").add_prefix("half "))


def _pair_look(option: str, color: str) -> dict[str, Any]:
    """How an option of the noise is drawn: second options are squares, hollow, or small."""
    words = option.split()
    return {
        "lw": 1,
        "color": color,
        "fmt": "s" if {"real", "1"} & set(words) else "o",
        "ms": 5 if "one-sided" in words else 9,
        "mfc": "white" if "left" in words else color,
    }


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
        apart=APART,
    )
    star_of_legend(axes["passive"])
    shifts = star_shifts(passive)
    for attacker, mechanism, epsilon, gain in printed_gains(data):
        if attacker == "passive":
            moved = epsilon * shifts[mechanism]
            figures.mark_published(axes[attacker], moved, gain, figures.color(mechanism))
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


def errors_in_parentheses(ours: pd.Series, published: pd.Series) -> pd.DataFrame:
    """Make a table of errors in the form of the paper's Tables II and III: ours (published).

    Parameters
    ----------
    ours, published : pandas.Series
        Errors; index levels mechanism and ε.

    Returns
    -------
    pandas.DataFrame
        Texts such as "126 (131.9)"; a row for each mechanism, a column for each budget.
    """
    cells = [
        f"{here:,.0f} ({printed:g})" if here > 100 else f"{here:.2g} ({printed:g})"
        for here, printed in zip(ours.reindex(published.index), published, strict=True)
    ]
    wide = pd.Series(cells, published.index).unstack("ε", sort=False)
    return wide.add_prefix("ε = ").rename_axis(index="ours (published)", columns=None)

"""Drawings of the page that replicates Knock-Knock: verdicts, the search for a noise, Table II."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from lib import metrics
from lib.papers import claims, figures, scoreboard, summaries, within_paper
from lib.papers.knock_knock.defense_claims import (
    ATTACKERS,
    NAMED,
    printed_gains,
    published_gains,
    under_readings,
)
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
        labels = ax.bar_label(bars, texts, label_type="center", color="white", fontweight="bold")
        for label, each in zip(labels, width, strict=True):
            if each < 2:  # a narrow bar
                label.set_fontsize(9)
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
    ax.set_xticks([-0.02, 0, 0.02, 0.04], ["-0.02", "0", "0.02", "0.04"])
    ax.grid(visible=False, axis="y")
    figures.finish({0: ax}, columns=2)


def _draw_allowed(ax: Axes, means: pd.DataFrame) -> None:
    """Bars of the differences that the rule allows, and a dotted line at the printed means."""
    shades = {
        "allowed": ("allowed by the rule", _GREY),
        "allowed, corrected": ("with the correction", _DARK_GREY),
    }
    for column, (label, shade) in shades.items():
        if column in means:
            width, left = 2 * means[column], -means[column]
            ax.barh(np.arange(len(means)), width, left=left, color=shade, label=label)
    ax.axvline(0, color="black", linewidth=1.2, linestyle=":", marker="", label="published")


_SHORT = {"subset": "1", "same-groups": "2a", "different-groups": "2b"}
_PERIOD = {168: "", 24: ", a day", 8: ", 8 hours"}
_FARTHEST = 0.085  # end of the axis of `show_deviations`; farther means are numbers with an arrow


def show_deviations(means: pd.DataFrame, verdicts: bool = True) -> None:
    """Draw our AUCs and losses on raw counts minus the printed ones, a row for each.

    The rows of a prior stand together, AUCs before losses. Bars of means that the paper gives in
    words are hatched.

    Parameters
    ----------
    means : pandas.DataFrame
        Index: claim. Columns "measure", "published", "here", "allowed" (a distance) and
        "verdict".
    verdicts : bool, default True
        Whether bars show what the rule allows, and marks the verdict; otherwise there are no bars
        and all marks are grey discs.

    Returns
    -------
    None
    """
    n_lines = len(means) + 1.6 * means.index.map(_prior_of).nunique()
    _, ax = plt.subplots(figsize=(6.2, 0.29 * n_lines + 1.3))
    place, names = 0.0, {}
    for prior in _SHORT.values():
        part = means[means.index.map(_prior_of) == prior]
        if part.empty:
            continue
        names[place] = f"prior {prior}"
        size = part.index.map(lambda name: claims.claim(str(name)).setting["m"])
        ordered = part.assign(size=size).sort_values(["measure", "size"], kind="stable")
        for claim, row in ordered.iterrows():
            place += 1
            names[place] = _name_of_mean(str(claim), str(row["measure"]))
            _draw_deviation(ax, place, claims.claim(str(claim)).op, row, verdicts)
        place += 1.6
    ax.axvline(0, color="black", linewidth=1.2, linestyle=":", marker="", label="published")
    for label, hatch in (("allowed by the rule", ""), ("allowed, printed in words", "////")):
        style: dict[str, Any] = {"color": _GREY, "hatch": hatch, "edgecolor": _DARK_GREY}
        if verdicts:
            ax.barh(
                [0], [np.nan], label=label, linewidth=0, **(style if hatch else {"color": _GREY})
            )
    for verdict in ("reproduced", "undecided", "contradicted") if verdicts else ():
        ax.plot([], [], **(figures.line_style(verdict) | {"linestyle": "", "markersize": 8}))
    ax.set_yticks(list(names), list(names.values()))
    for text in ax.get_yticklabels():
        if text.get_text().startswith("prior"):
            text.set_fontweight("bold")
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(-_FARTHEST, _FARTHEST), ylim=(place - 0.9, -0.7))
    ticks = (-0.05, 0, 0.05)
    ax.set_xticks(ticks, [f"{each:g}" for each in ticks])
    ax.set_xlabel("our mean minus the printed one")
    ax.grid(visible=False, axis="y")
    figures.finish({0: ax}, columns=2)


def _prior_of(claim: str) -> str:
    return _SHORT[claims.claim(claim).setting["prior"]]


def _name_of_mean(claim: str, measure: str) -> str:
    """Name a row of `show_deviations`, such as "AUC, LR, m = 10"."""
    of_claim = claims.claim(claim).setting
    classifier = str(of_claim["classifier"]).replace("-", "")
    period = _PERIOD[of_claim["n_epochs"]]
    return f"{measure.split()[-1]}, {classifier}, m = {of_claim['m']}{period}"


def _draw_deviation(ax: Axes, height: float, op: str, row: pd.Series, verdicts: bool) -> None:
    """One row: the bar of what is allowed, and our mean or, beyond the axis, an arrow."""
    deviation = float(row["here"] - row["published"])
    look = figures.line_style(str(row["verdict"])) | {
        "linestyle": "",
        "markersize": 8,
        "label": None,
    }
    if verdicts:
        hatched = {"hatch": "////", "edgecolor": _DARK_GREY, "linewidth": 0}
        words: dict[str, Any] = hatched if op == "~" else {}
        ax.barh([height], 2 * row["allowed"], left=-row["allowed"], color=_GREY, **words)
    else:
        look |= {"color": _DARK_GREY, "marker": "o"}
    if abs(deviation) < _FARTHEST:
        ax.plot([deviation], [height], **look)
        return
    end = 0.93 * np.sign(deviation) * _FARTHEST
    ax.plot([end], [height], **look)
    text = f"{deviation:+.2f} →" if deviation > 0 else f"← {deviation:+.2f}"
    beside: dict[str, Any] = {"ha": "right" if deviation > 0 else "left", "va": "center"}
    color = look["color"] if verdicts else "black"
    ax.text(0.88 * np.sign(deviation) * _FARTHEST, height, text, color=color, **beside)


def show_agreement(judged: pd.DataFrame, smallest_ratio: float) -> None:
    """Draw our gains on the cabs beside the printed ones, and our errors divided by the printed.

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
    points["mechanism"] = [_mechanism_of(str(name)) for name in points.index]
    gains = points[points["measure"] == "privacy gain"]
    _, axes = plt.subplots(2, 1, figsize=(6.2, 7.2), height_ratios=(1, 1.1))
    _draw_gain_rows(axes[0], gains)
    _draw_ratios_by_budget(axes[1], ratios_to_printed(judged), smallest_ratio)
    figures.finish({0: axes[0]})


def ratios_to_printed(judged: pd.DataFrame) -> pd.DataFrame:
    """Divide our errors on the cabs by those that the paper prints in its Table III.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged` gives it.

    Returns
    -------
    pandas.DataFrame
        Ratios; a row for each mechanism, a column for each budget.
    """
    points = scoreboard.agreement(judged)
    in_table = points.index.str.startswith("kk-tab3-")
    errors = points[in_table & (points["measure"] == "mean relative error")]
    names = [_mechanism_of(str(name)) for name in errors.index]
    budgets = [float(claims.claim(str(name)).setting["epsilon"]) for name in errors.index]
    index = pd.MultiIndex.from_arrays([names, budgets], names=["mechanism", "ε"])
    ratios = pd.Series((errors["here"] / errors["published"]).to_numpy(), index)
    return ratios.unstack("ε").reindex(list(dict.fromkeys(names)))


def _mechanism_of(claim: str) -> str:
    """The name in our figures of the mechanism that a claim is about; "" if there is none."""
    name = str(claims.claim(claim).setting.get("mechanism", ""))
    return " and ".join(NAMED.get(name, [name]))


def _draw_gain_rows(ax: Axes, gains: pd.DataFrame) -> None:
    """A row for each gain: our mean with the interval of the difference, a star for the printed."""
    names = []
    for height, (claim, row) in enumerate(gains.iterrows()):
        attacker = ATTACKERS[claims.claim(str(claim)).setting["train"]]
        names.append(f"{row['mechanism']}, {attacker}")
        look = figures.line_style(str(row["told"]))
        style: dict[str, Any] = {"color": look["color"], "ms": 10, "mfc": "none", "mew": 2}
        style |= {"zorder": 7}  # above the star, so that an equal pair shows both
        ax.errorbar(row["here"], height, xerr=row["half"], fmt=look["marker"], **style)
        figures.mark_published(ax, row["published"], height)
    for verdict in (each for each in _VERDICTS if each in set(gains["told"])):
        look = figures.line_style(verdict)
        empty: dict[str, Any] = {"color": look["color"], "ms": 10, "mfc": "none", "mew": 2}
        ax.plot([], [], look["marker"], label=f"ours, {verdict}", **empty)
    ax.set_yticks(range(len(gains)), names)
    ax.invert_yaxis()
    ax.set(xlim=(-0.05, 1.05), title="Gains at ε = 10", xlabel="privacy gain")
    ax.grid(visible=False, axis="y")


def _draw_ratios_by_budget(ax: Axes, ratios: pd.DataFrame, smallest_ratio: float) -> None:
    """Ratios against ε, a line for each mechanism, with its name and last ratio at the end."""
    budgets = ratios.columns.to_numpy(dtype=float)
    ax.axhline(smallest_ratio, color="black", linewidth=1, linestyle="--", marker="")
    below: dict[str, Any] = {"textcoords": "offset points", "fontsize": 11, "va": "top"}
    ax.annotate(f"{smallest_ratio:g} times", (budgets[-1], smallest_ratio), (-4, -5), **below)
    apart = 1.15 ** (np.arange(len(ratios)) - (len(ratios) - 1) / 2)  # so that none hides another
    for (mechanism, row), moved in zip(ratios.iterrows(), apart, strict=True):
        ax.plot(budgets * moved, row, **(figures.line_style(str(mechanism)) | {"linewidth": 1}))
    last = ratios.iloc[:, -1].sort_values()
    height = 0.0
    for name, ratio in zip(last.index, last.to_numpy(dtype=float).tolist(), strict=True):
        height = max(height * 1.36, ratio)  # names of lines that end close together stay apart
        place = (budgets[-1] * apart[-1] * 1.35, height)
        text, color = f"{name}: {ratio:,.0f}", figures.color(str(name))
        ax.text(*place, text, color=color, fontsize=11, va="center")
    ax.set(xscale="log", yscale="log", xlim=(budgets[0] / 2, budgets[-1] * 60))
    ax.set_ylim(0.6 * smallest_ratio, 2 * float(ratios.to_numpy().max()))
    ax.set_xticks(budgets, [f"{epsilon:g}" for epsilon in budgets])
    ticks = [100, 300, 1_000, 3_000]
    ax.set_yticks(ticks, [f"{each:,}" for each in ticks])
    ax.minorticks_off()
    ax.set(title="Our error / printed error", xlabel="ε (points moved apart)")


def show_differences(limits: pd.DataFrame) -> None:
    """Draw differences with both limits against 0, a row for each difference.

    The limits have different marks, because they belong to two tests at different levels.

    Parameters
    ----------
    limits : pandas.DataFrame
        Columns "mean difference", "lower limit" and "upper limit"; the index has group sizes.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 0.42 * len(limits) + 1.6))
    height = np.arange(len(limits))
    ax.hlines(height, limits["lower limit"], limits["upper limit"], color=_DARK_GREY, linewidth=1)
    mark: dict[str, Any] = {"linestyle": "", "markersize": 9}
    lower, upper = figures.color("supported"), figures.color("contradicted")
    label = "lower limit at 95%: above 0 in every row supports"
    ax.plot(limits["lower limit"], height, ">", color=lower, label=label, **mark)
    ax.plot(
        limits["mean difference"], height, "o", color="black", label="mean", markersize=5, ls=""
    )
    label = f"upper limit at 5% / {len(limits)}: below 0 in one row contradicts"
    style = mark | {"color": upper, "markerfacecolor": "white", "label": label}
    ax.plot(limits["upper limit"], height, "<", **style)
    ax.axvline(0, color="black", linewidth=1.2, linestyle=":", marker="")
    ax.set_yticks(height, [f"groups of {size}" for size in limits.index])
    ax.invert_yaxis()
    ax.set_xlabel("loss under prior 2a minus loss under prior 2b")
    ax.grid(visible=False, axis="y")
    figures.finish({0: ax}, columns=1)


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


def show_best_of_four(games: pd.DataFrame) -> None:
    """Draw the highest mean AUC of four classifiers against the group size, a panel for a prior.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`. The classifier is chosen for each point by these same means;
        among four, over many targets, the optimistic bias is small.

    Returns
    -------
    None
    """
    rows = by_classifier(games)
    means = mean_aucs(rows[rows["classifier"].isin(FOUR)], EACH)
    means = means[means.index.get_level_values("prior").isin(PRIORS)]
    best = means.groupby(level=EACH[:-1], sort=False)["mean"].transform("max")
    top = means[means["mean"] == best].groupby(level=EACH[:-1], sort=False).head(1).reset_index()
    axes = figures.intervals(
        top.assign(prior="prior " + top["prior"]),
        "group size",
        "data",
        "prior",
        size=(6.2, 2.0),
        level=0.5,
        xscale="log",
        ylim=(max(0.0, top["95% low"].min() - 0.03), 1.03),
        xlabel="users in the group (points moved apart)",
        ylabel="mean AUC",
        apart=0.05,
    )
    sizes = [5, 10, 50, 100, 500, 1_000, 9_500]
    for ax in axes.values():
        ax.set_xticks(sizes, [f"{each:,}" for each in sizes])
        ax.minorticks_off()
    figures.finish(axes, 2)


_STROKE: dict[str, Any] = {"markersize": 13, "markeredgewidth": 3}
_STRIP_GREY = "#ECECEC"
_STRIP = 0.13  # height of a row of means below the axis of a panel


def show_distributions(
    games: pd.DataFrame, name: str, priors: Sequence[str] = PRIORS, columns: int = 2
) -> None:
    """Draw the distribution of AUCs over targets, a panel for each prior and group size.

    If the paper prints any mean, each panel has a grey strip below it, with a row for each
    classifier of which the paper prints a mean: the star is this mean, the stroke ours.

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
    n_rows = -(-len(panels) // columns)
    least = int(any(each[2] for each in panels))
    depths = [  # of the strip in each row of panels: the most means that a panel of it has
        max(least, *(_n_means(each[2]) for each in panels[row * columns : (row + 1) * columns]))
        for row in range(n_rows)
    ]
    heights = [1.75 + 0.22 * depth for depth in depths]
    shape: dict[str, Any] = {"sharex": True, "sharey": "row", "squeeze": False}
    shape |= {"figsize": (6.4, 1.2 + sum(heights)), "height_ratios": heights}
    figure, grid = plt.subplots(n_rows, columns, **shape)
    axes = list(grid.flat)
    for ax in axes[len(panels) :]:
        ax.set_visible(False)
    if any(depths):
        star_of_legend(axes[0])
        axes[0].plot([], [], "|", label="our mean", color="grey", **_STROKE)
    for i, (ax, (prior, m, printed, aucs)) in enumerate(zip(axes, panels, strict=False)):
        _draw_distributions(ax, aucs, printed, depths[i // columns])
        of_prior = f"prior {prior.split()[0]}, " if len(priors) > 1 else ""
        ax.set_title(f"{of_prior}m = {m:,}", fontsize="medium")
    for ax in axes[max(0, len(panels) - columns) : len(panels)]:
        ax.tick_params(labelbottom=True)
    figure.supxlabel(f"AUC of a target, {titled(name)}")
    figure.supylabel("share of targets")
    figures.finish(dict(enumerate(axes)))


def _n_means(printed: Mapping[str, float]) -> int:
    """How many of the printed means are those of a single classifier or of BEST."""
    return sum(kind in printed for kind in (*FOUR, "BEST"))


def _draw_distributions(
    ax: Axes, aucs: pd.DataFrame, printed: Mapping[str, float], depth: int
) -> None:
    """One panel: a curve for each classifier, and below it means in `depth` rows of a strip."""
    kinds = [kind for kind in (*FOUR, "BEST") if kind in aucs and aucs[kind].notna().any()]
    for kind in kinds:
        ax.ecdf(aucs[kind], **figures.line_style(kind, markers=False))
    ax.axvline(0.5, color="black", linewidth=1.2, linestyle=":", marker="")
    _name_curves_at_1(ax, aucs[kinds])
    ax.set(xlim=(0.3, 1.02), ylim=(-_STRIP * depth, 1.02), yticks=(0, 0.25, 0.5, 0.75, 1))
    if depth:
        ax.axhspan(-_STRIP * depth, 0, color=_STRIP_GREY, linewidth=0, zorder=0)
        ax.axhline(0, color="black", linewidth=0.8, marker="")
        if not _n_means(printed):
            words = "in words: each near 1/2" if "each" in printed else "no mean is printed"
            middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 10}
            middle["bbox"] = {"facecolor": _STRIP_GREY, "linewidth": 0, "pad": 0.5}
            ax.text(0.68, -_STRIP * depth / 2, words, **middle)
    for row, kind in enumerate(kind for kind in kinds if kind in printed):
        height = -_STRIP * (row + 0.5)
        ax.text(0.31, height, kind, fontsize=11, va="center")
        style: dict[str, Any] = {"color": figures.color(kind), "linestyle": ""}
        mean = float(aucs[kind].mean())
        ax.plot([mean], [height], "|", zorder=5, **style, **_STROKE)
        style |= {"markeredgecolor": "black", "markersize": 11, "zorder": 6}
        ax.plot([printed[kind]], [height], "*", **style)


def _name_curves_at_1(ax: Axes, aucs: pd.DataFrame) -> None:
    """Name the curves that hide each other, because nearly all of their AUCs are above 0.99."""
    shares = (aucs > 0.99).sum() / aucs.notna().sum()
    at_1 = list(shares.index[shares > 0.97])
    if len(at_1) > 1:
        text = "at 1: all" if len(at_1) == aucs.shape[1] else f"at 1: {', '.join(at_1)}"
        blank: dict[str, Any] = {"facecolor": "white", "linewidth": 0, "pad": 0.5}
        style: dict[str, Any] = {"fontsize": 10, "va": "top", "linespacing": 1.05}
        ax.text(0.31, 1.0, textwrap.fill(text, 10), bbox=blank, **style)


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
    "how an error is computed": "2  + bound, division",
    "and the root": "3  + Δ, constant c",
    "and all about Fourier noise": "4  + transform",
}


def show_ratios(found: Search) -> None:
    """Draw our errors on the cabs divided by those of Table III, a panel for each step of a search.

    Each panel has the best combination of its step. Filled marks are within 5%, which is the band,
    and marks with a ring are near by rounding only. Each row of panels has its own vertical axis.

    Parameters
    ----------
    found : noise_search.Search
        All combinations.

    Returns
    -------
    None
    """
    figure, grid = plt.subplots(2, 2, sharex=True, sharey="row", figsize=(6.4, 7.8))
    axes = list(grid.flat)
    scales = [((0.5, 8_000), (1, 10, 100, 1_000))] * 2 + [((0.6, 45), (0.7, 1, 2, 5, 10, 30))] * 2
    for ax, (step, title), (ends, ticks) in zip(axes, _TITLES.items(), scales, strict=True):
        part = restricted(found, **STEPS[step])
        best = rank(part)[0]
        _draw_ratios(ax, part.here[best] / found.published, part.met()[best])
        ax.set(title=title, xscale="log", yscale="log", ylim=ends)
        ax.axhline(1, color="black", linewidth=0.8, marker="", zorder=1.5)
        ax.set_yticks(ticks, [f"{each:,}" for each in ticks])
        ax.minorticks_off()
        ax.set_xticks(BUDGETS, [f"{epsilon:g}" for epsilon in BUDGETS])
    entry: dict[str, Any] = {"color": "black", "linestyle": ""}
    axes[-1].plot([], [], "o", label=f"filled: within {CLOSE:.0%}", **entry)
    axes[-1].plot([], [], "o", label="hollow: not near", markerfacecolor="white", **entry)
    axes[-1].plot([], [], "o", label="ring: near by rounding", **(entry | _RING))
    figure.supylabel("our error / printed error")
    figure.supxlabel("ε (points moved apart)")
    figures.finish(dict(enumerate(axes)))


_RING: dict[str, Any] = {"markersize": 13, "markerfacecolor": "none", "markeredgewidth": 1.5}


def _draw_ratios(ax: Axes, ratios: np.ndarray, near: np.ndarray) -> None:
    """One panel: ratios of each mechanism and budget, and which of them are near, shape (5, 4)."""
    ax.axhspan(1 - CLOSE, 1 + CLOSE, color=_GREY, linewidth=0)
    apart = 1.5 ** np.arange(-2.0, 3.0)  # so that no marker hides another one
    for mechanism, line, is_near, moved in zip(CONCERNS, ratios, near, apart, strict=True):
        at, style = np.array(BUDGETS) * moved, figures.line_style(mechanism)
        ax.plot(at, line, **(style | {"markerfacecolor": "white", "linewidth": 1}))
        close = np.abs(line - 1) <= CLOSE
        bare = style | {"linestyle": "", "label": None}
        ax.plot(at[close], line[close], **bare)
        ringed = is_near & ~close
        ax.plot(at[ringed], line[ringed], **(bare | {"marker": "o"} | _RING))


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
    """Draw both attackers' mean gains under each option of the noise, a row for each option.

    The stored rows are those of `noise_interpretations.noise_games` on the cabs, at ε = 10. The
    first row of each mechanism has the published gains.

    Returns
    -------
    None
    """
    gains, printed = _mean_gains(), published_gains()
    _, ax = plt.subplots(figsize=(6.4, 6.6))
    attackers = {"passive": ("o", figures.COLORS[0]), "strategic": ("s", figures.COLORS[1])}
    for who, (marker, color) in attackers.items():
        ax.plot([], [], marker, color=color, label=f"{who} attacker")
    place, names = 0.0, {}
    for mechanism in ("GSM", "FPA", "EFPAG"):
        names[place] = f"{mechanism}, published"
        of_mechanism = gains.loc[mechanism]
        bottom = place + len(of_mechanism)
        for who, (marker, color) in attackers.items():
            value = printed[who, mechanism]
            figures.mark_published(ax, value, place, color)
            ax.vlines(value, place, bottom + 0.4, color=color, linewidth=1, linestyle=":")
            half = of_mechanism[f"half {who}"]
            at = place + 1 + np.arange(len(of_mechanism))
            style: dict[str, Any] = {"fmt": marker, "color": color, "ms": 7, "lw": 1.2}
            ax.errorbar(of_mechanism[who], at, xerr=half, **style)
        for option in of_mechanism.index:
            place += 1
            names[place] = _name_of_option(str(option))
        place = bottom + 1.5
    ax.set_yticks(list(names), list(names.values()))
    for text in ax.get_yticklabels():
        if text.get_text().endswith("published"):
            text.set_fontweight("bold")
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(0, 1.05), ylim=(place - 0.8, -0.7), xlabel="mean privacy gain at ε = 10")
    ax.grid(visible=False, axis="y")
    figures.finish({0: ax})


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


def _name_of_option(option: str) -> str:
    """Name a row of `show_gain_pairs`: "root 2 plain left" becomes "c = 2, left"."""
    words = [word for word in option.split() if word != "plain"]
    if words[0] == "root":
        words[:2] = [f"c = {words[1]}"]
    return ", ".join(words)


def show_gains_in_detail(means: pd.DataFrame, data: str, n_groups: int) -> None:
    """Draw mean gains against ε, those against the passive attacker above 0.9 only.

    The dotted line is the gain of guessing. Gains below the upper panel are written at its edge.

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
    of_data = means[means.index.get_level_values("data") == data]
    axes = figures.intervals(
        of_data,
        "ε",
        "mechanism",
        "attacker",
        size=(6.2, 3.0),
        level=metrics.guessing_gain(n_groups // 2, n_groups // 2),
        xscale="log",
        ylim=(-0.05, 1.08),
        xlabel="ε (points moved apart)",
        ylabel="privacy gain",
        ticks=True,
        apart=APART,
    )
    axes["passive"].set(ylim=(0.9, 1.007), title="passive (only gains above 0.9)")
    star_of_legend(axes["passive"])
    shifts = star_shifts(of_data)
    for attacker, mechanism, epsilon, gain in printed_gains(data):
        moved = epsilon * shifts[mechanism]
        if gain >= axes[attacker].get_ylim()[0]:
            figures.mark_published(axes[attacker], moved, gain, figures.color(mechanism))
    passive = of_data[of_data.index.get_level_values("attacker") == "passive"]
    _write_gains_below(axes["passive"], passive["mean"], shifts)
    figures.finish(axes)


def _write_gains_below(ax: Axes, gains: pd.Series, shifts: Mapping[str, float]) -> None:
    """Write each mean gain that lies below the panel at its lower edge, with an arrow."""
    lowest = ax.get_ylim()[0]
    below = gains[gains < lowest].reset_index()
    names, budgets = below["mechanism"].tolist(), below["ε"].tolist()
    for mechanism, epsilon, gain in zip(names, budgets, below["mean"].tolist(), strict=True):
        at = (epsilon * shifts[mechanism], lowest)
        style: dict[str, Any] = {"color": figures.color(mechanism), "fontsize": 11, "ha": "right"}
        text = f"{mechanism}:\n{gain:.2f} ↓"
        ax.annotate(text, at, (16, 4), textcoords="offset points", **style)


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
    for label, face in (("London, printed", "grey"), ("surrogate, ours", "white")):
        ax.plot([], [], "o", color="grey", markerfacecolor=face, label=label)
    ax.text(0.0065, 0.53, "GSM: 0.7 ≈ 1/√2", color=figures.color("GSM"), fontsize=11, va="center")
    ax.set(xscale="log", yscale="log", ylim=(0.01, 2))
    ax.set_xticks(sorted(set(table.index.get_level_values("ε"))), ["0.01", "0.1", "1", "10"])
    ax.set_yticks([0.01, 0.03, 0.1, 0.3, 0.7, 1], ["0.01", "0.03", "0.1", "0.3", "0.7", "1"])
    ax.minorticks_off()
    ax.set_xlabel("ε (points moved apart)")
    ax.set_ylabel("error / prediction")
    figures.finish({0: ax}, columns=3)


def laplace_ratios_table(london: pd.DataFrame) -> pd.DataFrame:
    """Divide the errors of LPA(1/ε) by their predictions from the error at the smallest budget.

    Parameters
    ----------
    london : pandas.DataFrame
        As for `show_within`, and with a column "published".

    Returns
    -------
    pandas.DataFrame
        Ratios; rows: London as published, and the smallest and the largest ratio that rounding of
        both errors allows; the surrogate; and the cabs under both kinds of division. A column for
        each budget. At the smallest budget, every ratio is 1.
    """
    of_laplace = london.loc["LPA(1/ε)"]
    names = [f"eps{epsilon:g}" for epsilon in BUDGETS]
    halves = [claims.half_digit(claims.claim(f"kk-tab2-lpa-1-{each}")) for each in names]
    share = np.array(halves) / of_laplace["published"].to_numpy()  # what rounding can change
    published = of_laplace["published / predicted"]
    lowest, highest = (1 - share) / (1 + share[0]), (1 + share) / (1 - share[0])
    lowest[0] = highest[0] = 1.0  # an error divided by itself
    ratios = {
        "London, published": published,
        "London, lowest": published * lowest,
        "London, highest": published * highest,
        "surrogate, true division": of_laplace["surrogate: here / predicted"],
    }
    of_zero = np.array([within_paper.laplace_error(1 / epsilon, 500) for epsilon in BUDGETS])
    for title, division in (("true", "true"), ("integer", "whole numbers")):
        found: Any = under_readings()[division, "the group's size", "0.5 users"]
        errors = np.array([found[f"kk-tab3-lpa-1-{each}"].here.value for each in names])
        relative = errors / errors[0] / (of_zero / of_zero[0])
        ratios[f"cabs, {title} division"] = pd.Series(relative, BUDGETS)
    table = pd.DataFrame(ratios).T.add_prefix("ε = ")
    return table.rename_axis("LPA(1/ε): error / predicted")


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

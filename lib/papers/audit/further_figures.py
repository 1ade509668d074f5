"""Drawings of the chapter with further questions about a release."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D

from lib.audit.tasks import TASKS
from lib.papers import figures
from lib.papers.audit.figures import KNOWN
from lib.papers.audit.task_experiments import DEFENSES

PEOPLE = {  # names of data in figures
    "valleybike": "riders of shared bikes",
    "flights-by-number": "flights by number",
    "flights-by-tail": "aircraft",
    "cabspotting": "cabs of San Francisco",
}
_TWO_LINES = {  # the same names, for narrow figures
    "valleybike": "riders of\nshared bikes",
    "flights-by-number": "flights\nby number",
    "flights-by-tail": "aircraft",
    "cabspotting": "cabs of\nSan Francisco",
}
_AUDITED = ("valleybike", "flights-by-number")
_TASK_DATA = {  # from the densest to the sparsest
    "cabspotting": "500 cabs of\nSan Francisco",
    "flights-by-number": "500 flights\nby number",
    "valleybike": "171 riders of\nshared bikes",
}
_MARKS = (  # in the figure of the tasks
    ("●", "orange: the defense protects;\nblue: it protects and keeps the task"),
    ("○", "it keeps the task, but is not shown to protect"),
    ("?", "the interval does not decide"),
    ("–", "no score even for true counts"),
)
_BY_KNOWLEDGE = (  # rows of the figure of the shares, from less to more knowledge
    "her visits",
    "past releases",
    "other people",
    "some others",
    "crowd",
    "everybody else",
)
_KINDS = {  # of defenses in the figure of the corners, by the beginning of their names
    "suppress": "small counts hidden",
    "hours": "hours joined",
    "round": "rounded",
    "sample": "sampled",
    "laplace": "noise",
}
_PALE = 1.6  # end of the colour scales, above 1, so that black marks are readable on any share
_GUESSES = {  # guessers of hidden counts, in the figure of the guesses
    "totals": "this week's totals",
    "last week": "last week's totals",
    "commonest value": "commonest value\n(all judged counts)",
}
_WAYS = (  # of setting the threshold, in the order of the stored rows
    "1  one threshold,\nreleases of other people",
    "2  the same, without\nunseen targets",
    "3  one threshold, releases\nof the same population",
    "4  for each target, on\nattacked releases",
    "5  for each target, on\nshadow releases",
    "6  one threshold,\nFPR of way 5",
)


class Scored(NamedTuple):
    """Scores of one way to standardise, with the threshold that one percent of them exceed.

    Parameters
    ----------
    groups : mapping of str to ndarray of float, shape (n_scores,)
        Scores of each group of cases.
    threshold : float
        The common threshold.
    """

    groups: Mapping[str, np.ndarray]
    threshold: float


def show_scores(ways: Mapping[str, Scored]) -> None:
    """Draw the scores of each group of cases and the common threshold, a panel for each way.

    A dot is the median of a group; a thick bar holds the middle half of its scores, and a thin bar
    the middle 98%.

    Parameters
    ----------
    ways : mapping of str to Scored
        The title of each panel, and what it shows; no group is empty.

    Returns
    -------
    None
    """
    n_groups = [len(each.groups) for each in ways.values()]
    size, ratios = (6.2, 0.42 * sum(n_groups) + 0.9 * len(ways)), [n + 1 for n in n_groups]
    _, axes = plt.subplots(len(ways), 1, figsize=size, sharex=True, height_ratios=ratios)
    for ax, (title, (groups, threshold)) in zip(np.atleast_1d(axes), ways.items(), strict=True):
        for height, (name, scores) in enumerate(groups.items()):
            low, lower, middle, upper, high = np.quantile(scores, [0.01, 0.25, 0.5, 0.75, 0.99])
            color = figures.COLORS[0 if name.startswith("members") else 1]
            ax.hlines(height, low, high, color=color, linewidth=1.5)
            ax.hlines(height, lower, upper, color=color, linewidth=7, alpha=0.5)
            ax.plot([middle], [height], "o", color=color)
        ax.axvline(threshold, color="black", linewidth=1.6, linestyle="--", marker="")
        beside: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "fontsize": 11}
        ax.annotate(f"threshold {threshold:.1f}", (threshold, -0.72), (-5, -4), **beside)
        ax.set_yticks(range(len(groups)), list(groups))
        ax.set_ylim(len(groups) - 0.5, -1.0)
        ax.set_xscale("symlog", linthresh=3)
        ax.set_title(title)
        ax.grid(visible=False, axis="y")
    ticks = [-3, 0, 3, 10, 30, 100]
    axes[-1].set_xticks(ticks, [str(each) for each in ticks])
    axes[-1].set_xlabel("standardised sum (logarithmic beyond 3)")
    plt.show()


def show_six_ways(rows: pd.DataFrame) -> None:
    """Draw the share identified with each of the six ways to set the threshold, by dataset.

    The second way is drawn with open marks, because it has fewer targets.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `lib.papers.riders.experiments.thresholds` for several datasets.

    Returns
    -------
    None
    """
    fig, ax = plt.subplots(figsize=(6.4, 5.0))
    for i, (data, part) in enumerate(rows.groupby("data", sort=False)):
        found = part.iloc[: len(_WAYS)]
        half = 1.96 * found["identified se"]
        ends = pd.DataFrame({"value": found["identified"], "low": found["identified"] - half})
        _draw_shares(ax, ends.assign(high=found["identified"] + half), i, str(data))
        fewer: dict[str, Any] = {"color": figures.COLORS[i], "mfc": "white", "zorder": 3}
        ax.plot(ends["value"].iloc[1], 1 + _shift(i), marker="os"[i], **fewer)
    ax.set_yticks(range(len(_WAYS)), list(_WAYS))
    _finish_shares(ax, len(_WAYS))
    fig.legend(loc="outside lower center", ncols=2)
    plt.show()


def show_identified(best: pd.DataFrame, releases: Mapping[str, str]) -> None:
    """Draw the share identified by what the attacker knows, a panel below the other per release.

    Parameters
    ----------
    best : pandas.DataFrame
        What `lib.papers.audit.experiments.by_knowledge` returns, for several datasets.
    releases : mapping of str to str
        The releases to draw, with their names in words.

    Returns
    -------
    None
    """
    known = [each for each in _BY_KNOWLEDGE if each in set(best["knowledge"])]
    fig, axes = plt.subplots(len(releases), 1, figsize=(6.2, 8.0), sharex=True)
    for ax, (release, words) in zip(axes, releases.items(), strict=True):
        of_release = best[best["release"] == release]
        for i, data in enumerate(_AUDITED):
            found = of_release[of_release["data"] == data].set_index("knowledge").loc[known]
            _draw_shares(ax, found, i, data)
        ax.set_title(words)
        ax.set_yticks(range(len(known)), [KNOWN[each] for each in known])
        _finish_shares(ax, len(known))
    handles, labels = axes[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=2)
    plt.show()


def _draw_shares(ax: Axes, found: pd.DataFrame, i: int, data: str) -> None:
    """Draw values with intervals, one below the other; those of dataset i are shifted and named."""
    heights = np.arange(len(found)) + _shift(i)
    sides = [found["value"] - found["low"].clip(lower=0), found["high"] - found["value"]]
    color = figures.COLORS[i]
    style: dict[str, Any] = {"fmt": "os"[i], "linestyle": "", "color": color}
    ax.errorbar(found["value"], heights, xerr=sides, label=PEOPLE.get(data, data), **style)
    for value, high, height in zip(found["value"], found["high"], heights, strict=True):
        beside: dict[str, Any] = {"textcoords": "offset points", "va": "center", "color": color}
        ax.annotate(f"{value:.2f}", (high, height), (7, 0), fontsize=10, **beside)


def _shift(i: int) -> float:
    """How far below its row dataset i is drawn."""
    return 0.3 * (i - 0.5)


def _finish_shares(ax: Axes, n: int) -> None:
    """Set the axes of shares: n rows from the top, and a scale from 0 to 1."""
    ax.set_ylim(n - 0.5, -0.5)
    ax.set(xlabel="share identified", xlim=(-0.02, 1.2), xticks=[0, 0.5, 1])
    ax.grid(visible=False, axis="y")


def show_guesses(right: pd.DataFrame, success: float) -> None:
    """Draw the share of right guesses by what they use, and what this week's totals add.

    There is a row of panels for hidden zeros and one for published zeros. The left panels have the
    shares of right guesses. The right panels have the share with this week's totals minus the share
    with last week's totals, beside a line at the difference that counts as a success.

    Parameters
    ----------
    right : pandas.DataFrame
        Shares of right guesses, as numbers or text: a row for each dataset and treatment of zeros,
        and a column for each guesser of `_GUESSES`.
    success : float
        The smallest difference that counts as a success.

    Returns
    -------
    None
    """
    panels = right.astype(float).groupby(level="zeros", sort=False)
    shape: dict[str, Any] = {
        "squeeze": False,
        "sharex": "col",
        "sharey": "row",
        "width_ratios": [1.9, 1],
    }
    fig, axes = plt.subplots(panels.ngroups, 2, figsize=(6.8, 6.4), **shape)
    for (ax, beside), (zeros, part) in zip(axes, panels, strict=True):
        _draw_guesses(ax, beside, part, success)
        ax.set_title(str(zeros))
        beside.set_title("the difference")
    axes[-1, 0].set(xlabel="share of right guesses", xlim=(0, 1.25), xticks=[0, 0.5, 1])
    axes[-1, 1].set(xlabel="this week minus\nlast week", xlim=(0, 0.32), xticks=[0, 0.1, success])
    handles, labels = axes[0, 0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=11)
    plt.show()


def _draw_guesses(ax: Axes, beside: Axes, part: pd.DataFrame, success: float) -> None:
    """Draw the shares of right guesses of each dataset, and beside them what this week adds."""
    heights = np.arange(len(part))
    for i, (guesser, words) in enumerate(_GUESSES.items()):
        _draw_numbers(ax, part[guesser], heights + 0.27 * (i - 1), i, words)
    gain = part["totals"] - part["last week"]
    beside.hlines(heights, 0, gain, color=figures.COLORS[0], linewidth=5, alpha=0.5)
    _draw_numbers(beside, gain, heights, 0, digits=3, line=success)
    beside.axvline(success, color="black", linestyle="--", linewidth=1.6, marker="")
    names = part.index.get_level_values("data")
    ax.set_yticks(heights, [_TWO_LINES.get(each, each) for each in names])
    ax.set_ylim(len(part) - 0.5, -0.5)
    for each in (ax, beside):
        each.grid(visible=False, axis="y")
        each.hlines(heights[1:] - 0.5, 0, 2, color="0.85", linewidth=1)


def _draw_numbers(
    ax: Axes,
    values: pd.Series,
    heights: np.ndarray,
    i: int,
    words: str = "",
    digits: int = 2,
    line: float = np.inf,
) -> None:
    """Draw values as marks of kind i, each with its number beside it; `words` name the kind.

    A number beyond half of `line` stands above its mark, where it does not reach a line there.
    """
    color = figures.COLORS[i]
    style: dict[str, Any] = {"color": color, "linestyle": "", "marker": "osD"[i], "markersize": 7}
    style["mfc"] = "white" if i == len(_GUESSES) - 1 else color  # judged on other cells
    ax.plot(values, heights, label=words, **style)
    for value, height in zip(values, heights, strict=True):
        beside: dict[str, Any] = {"textcoords": "offset points", "va": "center", "color": color}
        beside["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        place = (8, 0) if value < line / 2 else (4, 14)
        beside["ha"] = "left" if value < line / 2 else "right"
        ax.annotate(f"{value:.{digits}f}", (value, height), place, fontsize=11, **beside)


def show_corners(summary: pd.DataFrame) -> None:
    """Draw what each defense leaves of the lead and of each task, a panel per task and dataset.

    The shaded corner holds defenses that leave at most half of the lead and at least 0.8 of the
    task. Marks are filled if the intervals confirm that a defense protects and keeps the task.

    Parameters
    ----------
    summary : pandas.DataFrame
        What `task_verdicts.summarize` returns.

    Returns
    -------
    None
    """
    shape: dict[str, Any] = {"figsize": (6.2, 9.2), "sharex": True, "sharey": True}
    fig, axes = plt.subplots(len(TASKS), len(_TASK_DATA), layout="none", **shape)
    fig.subplots_adjust(0.18, 0.14, 0.98, 0.94, wspace=0.12, hspace=0.14)
    for (row, task), (column, data) in product(enumerate(TASKS), enumerate(_TASK_DATA)):
        ax = axes[row, column]
        of_data = summary[(summary["data"] == data) & (summary["defense"] != "raw")]
        raw = summary[(summary["data"] == data) & (summary["defense"] == "raw")]
        lead = raw[raw["measure"] == "attack"]["mean"].item()
        _draw_corner(ax, of_data[of_data["measure"].isin(["attack", task])], task, lead)
        if column == 0:
            ax.set_ylabel(task.replace(" ", "\n"), fontsize=11, weight="bold")
        if row == 0:
            ax.set_title(_TASK_DATA[data], fontsize=11)
    axes[0, 0].set(xlim=(-0.1, 1.1), ylim=(-0.12, 1.12), xticks=[0, 0.5, 1], yticks=[0, 0.8])
    for ax in axes.flat:
        ax.tick_params(labelsize=11)
    fig.supxlabel("share of the attack's lead that is left", x=0.58, y=0.08, fontsize=11)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="lower center", ncols=3, fontsize=11)
    plt.show()


def _draw_corner(ax: Axes, part: pd.DataFrame, task: str, lead: float) -> None:
    """Draw one panel: a mark for each defense, by its kind, beside the shaded corner."""
    ax.grid(False)
    mean, decided = (
        part.pivot(index="defense", columns="measure", values=of) for of in ("mean", "decided")
    )
    if (decided[task] == "undefined").all():
        ax.text(0.5, 0.5, "undefined", ha="center", va="center", fontsize=11)
        return
    ax.fill_between([-0.1, 0.5], 0.8, 1.12, color="0.86", linewidth=0, zorder=0)
    both = (decided == "yes").all(axis=1)
    for i, (kind, words) in enumerate(_KINDS.items()):
        of_kind = mean.index.str.startswith(kind)
        style: dict[str, Any] = {"linestyle": "", "color": figures.COLORS[i], "markersize": 6}
        style |= {"marker": figures.MARKERS[i], "zorder": 3, "clip_on": False}
        ax.plot([], [], label=words, **style)
        for confirmed, fill in ((True, figures.COLORS[i]), (False, "none")):
            shown = mean[of_kind & (both == confirmed).to_numpy()]
            ax.plot(shown["attack"] / lead, shown[task].clip(0, 1), mfc=fill, **style)


def show_tasks(summary: pd.DataFrame) -> None:
    """Draw what each defense leaves of each task and of the attack's lead, a panel per dataset.

    The first column is the attack's lead as a share of its lead on raw counts (orange), the others
    are shares of tasks (blue), both from 0 to 1. A dot in the first column marks a defense that
    protects; a dot elsewhere, a task that such a defense keeps; a ring, a task that a defense keeps
    that is not shown to protect. A task that cannot be done on the true counts is left white. The
    names of the columns stand above each panel, so that each panel can be read alone.

    Parameters
    ----------
    summary : pandas.DataFrame
        What `task_verdicts.summarize` returns.

    Returns
    -------
    None
    """
    fig, axes = plt.subplots(len(_TASK_DATA), 1, figsize=(6.0, 12.6))
    for ax, (data, title) in zip(axes, _TASK_DATA.items(), strict=True):
        of_lead, of_tasks = _draw_tasks(ax, summary[summary["data"] == data])
        ax.text(-0.62, 1.05, title, transform=ax.transAxes, weight="bold", fontsize=12)
    for drawn, words in ((of_tasks, "share of the task left"), (of_lead, "share of the lead left")):
        bar = fig.colorbar(drawn, ax=axes, location="bottom", aspect=40, pad=0.01, shrink=0.8)
        bar.set_label(words, fontsize=11)
        bar.ax.set_xlim(0, 1)
        bar.set_ticks([0, 0.5, 1], labels=["0", "0.5", "1"])
        bar.ax.tick_params(labelsize=11)
    _write_marks(fig)
    plt.show()


def _draw_tasks(ax: Axes, part: pd.DataFrame) -> tuple[AxesImage, AxesImage]:
    """Draw the shares and marks of one dataset; return the images of the lead and of the tasks."""
    columns = ["attack", *TASKS]
    share, decided = (
        part.pivot(index="defense", columns="measure", values=of).loc[list(DEFENSES)[1:], columns]
        for of in ("mean", "decided")
    )
    raw = part[(part["measure"] == "attack") & (part["defense"] == "raw")]["mean"].item()
    share["attack"] /= raw
    shown, in_lead = share.clip(0, 1).to_numpy(), np.arange(len(columns)) == 0
    of_lead, of_tasks = (
        ax.imshow(np.where(among, shown, np.nan), cmap=hue, vmin=0, vmax=_PALE, aspect="auto")
        for among, hue in ((in_lead, "Oranges"), (~in_lead, "Blues"))
    )
    for (row, column), answer in np.ndenumerate(decided.to_numpy()):
        mark = {"yes": "●", "inconclusive": "?", "undefined": "–"}.get(str(answer), "")
        if mark == "●" and decided["attack"].iloc[row] != "yes":
            mark = "○"  # the task is kept, but nobody is protected
        ax.text(column, row, mark, ha="center", va="center", color="black", fontsize=11)
    ax.axvline(0.5, color="black", linewidth=1.6)
    families = np.array([DEFENSES[name].family for name in share.index])
    for row in np.flatnonzero(families[1:] != families[:-1]):
        ax.axhline(row + 0.5, color="white", linewidth=3)
    ax.set_yticks(range(len(share)), [_short(DEFENSES[name].words) for name in share.index])
    tasks = ["attack's\nlead", *(task.replace(" ", "\n") for task in TASKS)]
    ax.xaxis.tick_top()
    ax.set_xticks(range(len(tasks)), tasks, rotation=45, ha="left", rotation_mode="anchor")
    ax.tick_params(labelsize=11, length=0)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    return of_lead, of_tasks


def _short(words: str) -> str:
    """A defense's name without its epsilon."""
    return words.partition(":")[0]


def _write_marks(fig: Figure) -> None:
    """Write what the marks mean above the panels."""
    style: dict[str, Any] = {"color": "black", "linestyle": "", "markersize": 9}
    handles = [Line2D([], [], marker=f"${mark}$", **style) for mark, _ in _MARKS]
    place: dict[str, Any] = {"loc": "outside upper center", "ncols": 1, "fontsize": 11}
    fig.legend(handles, [words for _, words in _MARKS], **place)

"""Drawings of the chapter with further questions about a release."""

from __future__ import annotations

from collections.abc import Mapping
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
    ("✓", "orange column: the defense protects"),
    ("●", "blue columns: it protects and keeps the task"),
    ("○", "blue columns: it keeps the task, but is not shown to protect"),
    ("?", "the interval does not decide"),
    ("–", "no score even for true counts"),
)
BY_KNOWLEDGE = (  # rows of the figure and of the tables of the shares, from less to more knowledge
    "her visits",
    "past releases",
    "other people",
    "some others",
    "crowd",
    "everybody else",
)
_WORST = ("crowd", "everybody else")  # kinds of knowledge of the worst cases, the last of these
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
    "3  one threshold,\nreleases of the pool",
    "4  for each target, on\nattacked releases",
    "5  for each target, on\nshadow releases",
    "6  one threshold,\nFPR of way 5",
)
_RATES = 1.35  # where the false positive rates end, in the figure of the six ways


class Scored(NamedTuple):
    """Scores of one way to standardise, with the common threshold and what is above it.

    Parameters
    ----------
    groups : mapping of str to ndarray of float, shape (n_scores,)
        Scores of each group of cases.
    threshold : float
        The common threshold.
    above : mapping of str to float
        The share of each group that is above the threshold.
    identified : float
        The share identified of all members, a mean over the targets.
    """

    groups: Mapping[str, np.ndarray]
    threshold: float
    above: Mapping[str, float]
    identified: float


def show_scores(ways: Mapping[str, Scored], people: str) -> None:
    """Draw the scores of each group of cases and the common threshold, a panel for each way.

    A dot is the median of a group; a thick bar holds the middle half of its scores, and a thin bar
    the middle 98%. At the right of each group stands the share of it that is above the threshold.
    If only one group of non-members reaches the threshold, it is marked.

    Parameters
    ----------
    ways : mapping of str to Scored
        The title of each panel, and what it shows; no group is empty.
    people : str
        Whose sums these are.

    Returns
    -------
    None
    """
    n_groups = [len(each.groups) for each in ways.values()]
    size, ratios = (6.2, 0.42 * sum(n_groups) + 1.0 * len(ways)), [n + 1 for n in n_groups]
    fig, axes = plt.subplots(len(ways), 1, figsize=size, sharex=True, height_ratios=ratios)
    for ax, (title, way) in zip(np.atleast_1d(axes), ways.items(), strict=True):
        _draw_scores(ax, way)
        ax.set_title(f"{title}: {way.identified:.0%} identified", loc="left", x=-0.48)
    ticks = [-3, -1, 0, 1, 3, 10, 30, 100]
    axes[-1].set_xticks(ticks, [f"{each}".replace("-", "−") for each in ticks])
    axes[-1].set_xticks([], minor=True)
    axes[-1].set_xlabel("standardised sum (logarithmic beyond 3)")
    fig.suptitle(people[0].upper() + people[1:], fontsize=13)
    plt.show()


def _draw_scores(ax: Axes, way: Scored) -> None:
    """Draw the scores of each group, the threshold, and the shares above it."""
    beside = ax.get_yaxis_transform()
    reach = []  # heights of the non-members who reach the threshold
    for height, (name, scores) in enumerate(way.groups.items()):
        low, lower, middle, upper, high = np.quantile(scores, [0.01, 0.25, 0.5, 0.75, 0.99])
        member = name.startswith("members")
        reach += [height] if not member and high >= 0.9 * way.threshold else []
        color = figures.COLORS[0 if member else 1]
        ax.hlines(height, low, high, color=color, linewidth=1.5)
        ax.hlines(height, lower, upper, color=color, linewidth=7, alpha=0.5)
        ax.plot([middle], [height], "o" if member else "s", color=color)
        share = f"{way.above[name]:.1%}"
        ax.text(1.14, height, share, transform=beside, ha="right", va="center", color=color)
    ax.text(1.14, -0.72, "above", transform=beside, ha="right", va="center", fontsize=11)
    ax.axvline(way.threshold, color="black", linewidth=1.6, linestyle="--", marker="")
    of_line: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "va": "center"}
    words = f"threshold {way.threshold:.1f}"
    ax.annotate(words, (way.threshold, -0.72), (-5, 0), fontsize=11, **of_line)
    if len(reach) == 1:
        beyond, color = (way.threshold, reach[0] + 0.4), figures.COLORS[1]
        ax.annotate("sets the threshold →", beyond, (-5, 0), color=color, fontsize=11, **of_line)
    ax.set_yticks(range(len(way.groups)), list(way.groups))
    ax.set_ylim(len(way.groups) - 0.3, -1.1)
    ax.set_xscale("symlog", linthresh=3)
    ax.grid(visible=False, axis="y")


def show_six_ways(rows: pd.DataFrame) -> None:
    """Draw the share identified with each of the six ways to set the threshold, by dataset.

    The second way is drawn with open marks, because it has fewer targets. At the right of each mark
    stands its false positive rate.

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
        for height, rate in enumerate(found["FPR"]):
            place, words = (_RATES, height + _shift(i)), f"{rate:.1%}"
            ax.text(*place, words, color=figures.COLORS[i], ha="right", va="center", fontsize=10)
    ax.set_yticks(range(len(_WAYS)), list(_WAYS))
    _finish_shares(ax, len(_WAYS))
    ax.text(_RATES, -0.75, "FPR", ha="right", va="center", fontsize=11)
    ax.set_xlim(-0.02, _RATES)
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
    known = [each for each in BY_KNOWLEDGE if each in set(best["knowledge"])]
    fig, axes = plt.subplots(len(releases), 1, figsize=(6.2, 8.0), sharex=True)
    for ax, (release, words) in zip(axes, releases.items(), strict=True):
        of_release = best[best["release"] == release]
        for i, data in enumerate(_AUDITED):
            found = of_release[of_release["data"] == data].set_index("knowledge").loc[known]
            _draw_shares(ax, found, i, data)
        ax.set_title(words)
        ax.set_yticks(range(len(known)), [KNOWN[each] for each in known])
        _finish_shares(ax, len(known))
        ax.tick_params(labelbottom=True)
        first = min((i for i, each in enumerate(known) if each in _WORST), default=len(known))
        ax.axhspan(first - 0.5, len(known) - 0.5, color="0.93", zorder=0)
        if first < len(known):
            ax.text(0.01, first + 0.5, "worst cases", fontsize=11, va="center")
    handles, labels = axes[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=2)
    plt.show()


def _draw_shares(ax: Axes, found: pd.DataFrame, i: int, data: str) -> None:
    """Draw values with intervals, one below the other; those of dataset i are shifted and named."""
    heights = np.arange(len(found)) + _shift(i)
    sides = [found["value"] - found["low"].clip(lower=0), found["high"] - found["value"]]
    color = figures.COLORS[i]
    style: dict[str, Any] = {"fmt": "os"[i], "linestyle": "", "color": color}
    bars = ax.errorbar(found["value"], heights, xerr=sides, label=PEOPLE.get(data, data), **style)
    alike = found["value"].isin([0, 1])  # all targets have this value: minimum width
    bars.lines[2][0].set_linestyle([(0, (2, 1.2)) if each else "solid" for each in alike])
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


def corner_table(summary: pd.DataFrame) -> pd.DataFrame:
    """Tabulate how many defenses of each kind protect, and how many also keep each task.

    Parameters
    ----------
    summary : pandas.DataFrame
        What `task_verdicts.summarize` returns.

    Returns
    -------
    pandas.DataFrame
        Text, a row for each dataset and for protection and each task, and a column for each kind of
        defense. A number says how many defenses protect (first row of a dataset), or protect and
        keep the task. Instead of 0 stands "?" if an interval leaves open whether a defense does
        both, "kept" if a defense keeps the task but none is shown to do both, and "undefined" if
        the task cannot be done on the true counts.
    """
    rows = {}
    for data in _TASK_DATA:
        of_data = summary[(summary["data"] == data) & (summary["defense"] != "raw")]
        decided = of_data.pivot(index="defense", columns="measure", values="decided")
        of_kind = {kind: decided[decided.index.str.startswith(kind)] for kind in _KINDS}
        for task in ("attack", *TASKS):
            row = {words: _answer(of_kind[kind], task) for kind, words in _KINDS.items()}
            rows[figures.label(data), "protects" if task == "attack" else task] = row
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["data", "task"])


def _answer(decided: pd.DataFrame, task: str) -> str:
    """How many defenses of one kind protect and keep the task, or why there are none."""
    if (decided[task] == "undefined").any():
        return "undefined"
    both = decided[["attack", task]]
    if n_both := int((both == "yes").all(axis=1).sum()):
        return str(n_both)
    if (both != "no").all(axis=1).any():
        return "?"
    return "kept" if task != "attack" and (decided[task] == "yes").any() else "0"


def show_corners(summary: pd.DataFrame) -> None:
    """Draw which kinds of defense protect and keep each task: a row per task, a block per dataset.

    A filled mark stands for a kind of which at least one defense does both; their number stands
    beside it. An open mark stands for a kind that keeps the task, but not with a defense that is
    shown to protect. Above the tasks stands how many defenses of each kind protect.

    Parameters
    ----------
    summary : pandas.DataFrame
        What `task_verdicts.summarize` returns.

    Returns
    -------
    None
    """
    table, width = corner_table(summary), len(_KINDS) + 0.6
    fig, ax = plt.subplots(figsize=(5.8, 6.6))
    for block, (data, title) in enumerate(_TASK_DATA.items()):
        left = block * width
        ax.text(left - 0.4, -0.7, title, weight="bold", fontsize=11, va="bottom")
        for height, row in enumerate(table.loc[figures.label(data)].to_numpy()):
            if "undefined" in row:
                ax.text(left + 2, height, "undefined", ha="center", va="center", fontsize=12)
                continue
            for i, answer in enumerate(row):
                _draw_answer(ax, left + i, height, i, answer, task=height > 0)
        if block:
            ax.axvline(left - 0.8, color="0.8", linewidth=1, linestyle="-", marker="")
    ax.axhline(0.5, color="black", linewidth=1.2, linestyle="-", marker="")
    names = ["how many\nprotect", *(each.replace(" ", "\n") for each in TASKS)]
    ax.set_yticks(range(len(names)), names)
    ax.set(xlim=(-0.7, len(_TASK_DATA) * width - 0.7), ylim=(len(names) - 0.4, -0.6), xticks=[])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.grid(False)
    fig.legend(handles=_corner_legend(), loc="outside lower center", ncols=2, fontsize=11)
    plt.show()


def _draw_answer(ax: Axes, x: float, y: float, i: int, answer: str, task: bool) -> None:
    """Draw the answer for one kind of defense; in the row above the tasks it is a number."""
    style: dict[str, Any] = {"ha": "center", "va": "center", "color": figures.COLORS[i]}
    filled = answer.isdigit() and answer != "0"
    if not task or answer == "?":
        ax.text(x, y, answer, fontsize=13, **style)
    elif answer == "0":
        ax.plot(x, y, ".", color="0.5", markersize=4)
    else:
        mark: dict[str, Any] = {"marker": figures.MARKERS[i], "markersize": 10, "mew": 1.6}
        ax.plot(x, y - 0.12 * filled, color=style["color"], mfc=None if filled else "white", **mark)
    if task and filled:
        ax.text(x, y + 0.27, answer, fontsize=12, **style)


def _corner_legend() -> list[Line2D]:
    """The marks of the kinds of defense, and what their filling means."""
    handles = [
        Line2D(
            [], [], color=figures.COLORS[i], marker=figures.MARKERS[i], linestyle="", label=words
        )
        for i, words in enumerate(_KINDS.values())
    ]
    for words, mark, fill in (
        ("filled: this many protect\nand keep the task", "o", "black"),
        ("open: one keeps the task,\nbut none does both", "o", "white"),
        ("dot: none is shown\nto keep the task", ".", "black"),
        ("?: inconclusive whether\none does both", "$?$", "black"),
    ):
        style: dict[str, Any] = {"color": "black", "marker": mark, "mfc": fill, "linestyle": ""}
        handles.append(Line2D([], [], label=words, **style))
    return handles


def show_tasks(summary: pd.DataFrame) -> None:
    """Draw what each defense leaves of each task and of the attack's lead, a panel per dataset.

    The first column is the attack's lead as a share of its lead on raw counts (orange), the others
    are shares of tasks (blue), both from 0 to 1. A tick in the first column marks a defense that
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
    fig, axes = plt.subplots(len(_TASK_DATA), 1, figsize=(6.2, 13.0))
    for ax, (data, title) in zip(axes, _TASK_DATA.items(), strict=True):
        of_lead, of_tasks = _draw_tasks(ax, summary[summary["data"] == data])
        ax.text(-0.53, 1.05, title, transform=ax.transAxes, weight="bold", fontsize=12)
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
        if mark == "●" and column == 0:
            mark = "✓"
        elif mark == "●" and decided["attack"].iloc[row] != "yes":
            mark = "○"  # the task is kept, but nobody is protected
        ax.text(column, row, mark, ha="center", va="center", color="black", fontsize=11)
    ax.axvline(0.5, color="black", linewidth=1.6)
    families = np.array([DEFENSES[name].family for name in share.index])
    for row in np.flatnonzero(families[1:] != families[:-1]):
        ax.axhline(row + 0.5, color="white", linewidth=3)
    ax.set_yticks(range(len(share)), [_short(DEFENSES[name].words) for name in share.index])
    _name_columns(ax, ["attack's lead", *TASKS])
    ax.tick_params(labelsize=11, length=0)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    return of_lead, of_tasks


def _name_columns(ax: Axes, names: list[str]) -> None:
    """Write the names of columns above a map, in two heights, so that no name is turned."""
    ax.set_xticks([])
    style: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "bottom"}
    for column, name in enumerate(names):
        upper = column % 2 == 1
        line = {"arrowstyle": "-", "color": "0.5", "shrinkA": 0, "shrinkB": 0} if upper else None
        place, words = (column, -0.5), name.replace(" ", "\n")
        ax.annotate(words, place, (0, 36 if upper else 4), fontsize=11, arrowprops=line, **style)


def _short(words: str) -> str:
    """A defense's name without its epsilon."""
    return words.partition(":")[0]


def _write_marks(fig: Figure) -> None:
    """Write what the marks mean above the panels."""
    style: dict[str, Any] = {"color": "black", "linestyle": "", "markersize": 9}
    handles = [Line2D([], [], marker=f"${mark}$", **style) for mark, _ in _MARKS]
    place: dict[str, Any] = {"loc": "outside upper center", "ncols": 1, "fontsize": 11}
    fig.legend(handles, [words for _, words in _MARKS], **place)

"""The rules that a search for attacks found, as text and as a figure for readers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from lib.papers import figures
from lib.papers.audit import search_experiments as searching

_DRAWN = ("raw", "event-epsilon-1", "round-5")  # the other releases leave hardly anything to find
_TERM = re.compile(r"([+-][\d.]+) × (.+?) × (.+?)(?= [+-][\d.]+ × |, (?:as|minus) |$)")


def rule_lines(rule: str) -> list[str]:
    """Split a stored rule into lines: one for each term, and one for the comparison.

    Parameters
    ----------
    rule : str
        A rule as `lib.papers.audit.search_experiments.Rule` writes it.

    Returns
    -------
    list of str
        The terms, with transformation and weight in brackets; then how the sum is compared with
        what is usual for the target.
    """
    terms = [f"{a} × [{count}] × [{weight}]" for a, count, weight in _TERM.findall(rule)]
    compared = max((each for each in searching.COMPARED if rule.endswith(each)), key=len)
    return [*terms, compared]


def show_own_and_attacked(rows: pd.DataFrame, names: Mapping[str, str]) -> None:
    """Draw what evolution's rules identify in own and in attacked releases, beside attacks by hand.

    Both shares of evolution are means over all targets, and are written at the right of each row.
    Where the best attack by hand was run on fewer targets, a diamond shows evolution's share in the
    attacked releases on these targets.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `lib.papers.audit.search_experiments.attacks_by_search` for one dataset.
    names : mapping of str to str
        Names of releases in words.

    Returns
    -------
    None
    """
    best = searching.compare(rows)["best by hand"]
    fig, axes = plt.subplots(2, 1, figsize=(6.4, 6.2), sharex=True, sharey=True)
    for ax, knowledge in zip(axes, searching.BY_HAND, strict=True):
        of_attacker = rows[rows["knowledge"] == knowledge]
        found = pd.DataFrame(
            {each: _shares(of_attacker, each, best[knowledge, each]) for each in _DRAWN}
        ).T
        _draw_shares(ax, found)
        ax.set_title(knowledge)
        ax.set_yticks(range(len(found)), [_in_two_lines(names.get(each, each)) for each in _DRAWN])
    axes[0].set(ylim=(len(_DRAWN) - 0.4, -0.75), xlim=(-0.06, 1.72), xticks=[0, 0.5, 1])
    # Below the shares, not below the column of numbers.
    axes[-1].set_xlabel("share identified", x=1.06 / 1.78 / 2 + 0.03)
    named: dict[str, Any] = {}
    for ax in axes:
        named |= dict(zip(*ax.get_legend_handles_labels()[::-1], strict=True))
    place: dict[str, Any] = {"loc": "outside lower center", "ncols": 2, "fontsize": 11}
    legend = fig.legend(named.values(), named.keys(), **place)
    for handle in legend.get_lines():
        handle.set_markersize(min(handle.get_markersize(), 13))
    plt.show()


def _in_two_lines(words: str) -> str:
    """The words with a line break after the first, if they are long."""
    return words.replace(" ", "\n", 1) if len(words) > 12 else words


def _shares(rows: pd.DataFrame, release: str, by_hand: str) -> dict[str, float]:
    """Shares of evolution in own and attacked releases, and of both attacks on the same targets."""
    part = rows[rows["release"] == release]
    of = part.pivot(index="number", columns="attack", values="identified")
    both = of[["evolution", by_hand]].dropna()
    fewer = both["evolution"].mean() if len(both) < len(of) else np.nan
    own = part[part["attack"] == "evolution"]["trained"].mean()
    attacked = of["evolution"].mean()
    return {"own": own, "attacked": attacked, "by hand": both[by_hand].mean(), "fewer": fewer}


def _draw_shares(ax: Axes, found: pd.DataFrame) -> None:
    """Draw the shares of each release in a row, and write them at its right."""
    blue, red = figures.COLORS[:2]
    heights = np.arange(len(found))
    ax.hlines(heights, found["attacked"], found["own"], color=blue, linewidth=1.5)
    style: dict[str, Any] = {"color": blue, "linestyle": "", "zorder": 3}
    ax.plot(found["attacked"], heights, "o", ms=7, label="evolution, attacked releases", **style)
    style |= {"mfc": "none", "mew": 1.5}
    ax.plot(found["own"], heights, "o", ms=12, label="evolution, own releases", **style)
    words = "best attack made by hand"
    ax.plot(found["by hand"], heights, "|", color=red, ms=24, mew=3, label=words, linestyle="")
    if found["fewer"].notna().any():
        words = "evolution, targets of that attack"
        ax.plot(found["fewer"], heights + 0.3, "D", ms=6, label=words, **style)
    ax.text(1.12, -0.62, "own → attacked", color=blue, va="center", fontsize=11)
    for height, row in zip(heights, found.itertuples(index=False), strict=True):
        own, attacked, by_hand = row[:3]
        ax.text(1.12, height - 0.14, f"{own:.2f} → {attacked:.2f}", color=blue, va="center")
        ax.text(1.12, height + 0.22, f"by hand {by_hand:.2f}", color=red, va="center")
    ax.grid(visible=False, axis="y")

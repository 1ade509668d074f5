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

    Shares of at least 0.05 are written below the filled circles; those in the attacker's own
    releases are written too if they are not nearly the same. Where the best attack by hand was run
    on fewer targets, the filled circle is a mean over the same targets.

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
    blue, red = figures.COLORS[:2]
    fig, axes = plt.subplots(2, 1, figsize=(6.4, 5.6), sharex=True, sharey=True)
    for ax, knowledge in zip(axes, searching.BY_HAND, strict=True):
        of_attacker = rows[rows["knowledge"] == knowledge]
        found = pd.DataFrame(
            {each: _on_same_targets(of_attacker, each, best[knowledge, each]) for each in _DRAWN}
        ).T
        hand, heights = found["by hand"].tolist(), np.arange(len(found))
        ax.hlines(heights, found["identified"], found["trained"], color=blue, linewidth=1.5)
        style = {"color": blue, "linestyle": "", "markersize": 8}
        ax.plot(found["trained"], heights, marker="o", mfc="white", label="own releases", **style)
        ax.plot(found["identified"], heights, marker="o", label="attacked releases", **style)
        ax.plot(hand, heights, "|", color=red, markersize=20, mew=3, label="best attack by hand")
        _write_shares(ax, found[["trained", "identified"]].to_numpy(), hand)
        ax.set(title=knowledge, xlim=(-0.06, 1.09))
        ax.set_yticks(heights, [names.get(each, each) for each in found.index])
        ax.grid(visible=False, axis="y")
    axes[0].set_ylim(len(_DRAWN) - 0.4, -0.6)
    axes[-1].set_xlabel("share identified")
    handles, labels = axes[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=3)
    plt.show()


def _on_same_targets(rows: pd.DataFrame, release: str, by_hand: str) -> dict[str, float]:
    """Shares of evolution in own and attacked releases, and by hand, on the same targets."""
    part = rows[rows["release"] == release]
    of = part.pivot(index="number", columns="attack", values="identified")
    same = of[["evolution", by_hand]].dropna().mean()
    own = part[part["attack"] == "evolution"]["trained"].mean()
    return {"trained": own, "identified": same["evolution"], "by hand": same[by_hand]}


def _write_shares(ax: Axes, shares: np.ndarray, hand: list[float]) -> None:
    """Write the larger shares beside their marks: own and by hand above, attacked below."""
    blue, red = figures.COLORS[:2]
    for height, ((own, attacked), by_hand) in enumerate(zip(shares, hand, strict=True)):
        if attacked < 0.05:
            continue
        style: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "fontsize": 11}
        ax.annotate(f"{attacked:.2f}", (attacked, height), (0, -18), color=blue, **style)
        ax.annotate(f"{by_hand:.2f}", (by_hand, height), (0, 12), color=red, **style)
        if own - attacked > 0.05:
            ax.annotate(f"{own:.2f}", (own, height), (0, 8), color=blue, **style)

"""Figures of trips, for readers."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.papers import figures


def show_trips(accuracy: pd.Series, allowed: pd.Series, published: tuple[int, float]) -> None:
    """Draw the best attacker's accuracy against a person's number of trips, and its bound.

    Parameters
    ----------
    accuracy, allowed : pandas.Series
        Accuracy of the best attacker, and the largest accuracy that the guarantee allows for all
        trips of the person together, by number of trips from 1 on.
    published : (int, float)
        A number of trips, and the accuracy that is published for it.

    Returns
    -------
    None
    """
    blue, red, green = figures.COLORS[:3]
    ax = plt.subplots(figsize=(6.2, 4.2))[1]
    beside: dict[str, Any] = {"textcoords": "offset points", "fontsize": 11}
    ax.plot(allowed.index, allowed, color=green, linestyle="--", marker="", linewidth=2)
    ax.plot(accuracy.index, accuracy, color=blue, marker="", linestyle="-", linewidth=2.2)
    words = "upper bound for all trips together"
    ax.annotate(words, (9, allowed[9]), (0, 7), color=green, **beside)
    ax.annotate("best attacker", (9, accuracy[9]), (8, -12), color=blue, **beside)
    first = allowed.index[0]
    ax.plot([first], [allowed[first]], color=green, marker="o", markersize=9, linestyle="")
    words = f"upper bound for one trip: {allowed[first]:.1%}"
    line = {"arrowstyle": "-", "color": green, "shrinkB": 5}
    ax.annotate(words, (first, allowed[first]), (30, -26), color=green, arrowprops=line, **beside)
    n, value = published
    ax.plot([n], [value], color=red, marker="X", markersize=11, linestyle="")
    words = f"published for {n} trips: {value:.1%}"
    ax.annotate(words, (n, value), (4, -9), va="top", color=red, **beside)
    ax.axhline(0.5, color="black", linestyle=":", linewidth=1.5, marker="")
    ax.annotate("chance level", (accuracy.index.max(), 0.5), (0, 5), ha="right", **beside)
    ax.set(xlabel="different trips in the week", ylim=(0.46, 1.05), xlim=(-1, None))
    levels = np.arange(0.5, 1.01, 0.1)
    ax.set_yticks(levels, [f"{level:.0%}" for level in levels])
    ax.set_title("accuracy of an attacker", fontweight="normal")
    plt.show()

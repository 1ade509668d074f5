"""Marks for our own results in figures that also show what a paper prints."""

from __future__ import annotations

from typing import Any

# Options of `Axes.boxplot` that show our mean as a level stroke: a paper prints means, not medians.
BOX_MEAN: dict[str, Any] = {
    "showmeans": True,
    "meanprops": {
        "marker": "_",
        "markersize": 15,
        "markeredgewidth": 2.5,
        "markeredgecolor": "#0072B2",
    },
}

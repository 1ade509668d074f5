"""Marks for our own results in figures that also show what a paper prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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


def mark_ours(ax: Axes, x: float, y: float, color: str = "black") -> None:
    """Mark our mean beside a published one: an upright stroke, called "our mean" in the legend.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The panel.
    x, y : float
        Where.
    color : str
        The colour of the line that the value is about.
    """
    style: dict[str, Any] = {"marker": "|", "markersize": 22, "markeredgewidth": 2.5, "zorder": 5}
    ax.plot([x], [y], color=color, linestyle="", label="our mean", **style)

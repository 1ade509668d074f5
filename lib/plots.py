"""One look for every figure, and the small table that stands beside each.

Colours are Okabe and Ito's, told apart by most colour-blind readers; line styles and markers change
with them, so that no figure needs colour. Figures are opaque: a light card on a dark page.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 2)))
TABLES_VARIABLE = "AGGREGATE_LOCATION_TABLES"  # where a run keeps its tables as CSV


def use_style() -> None:
    """Sets matplotlib's defaults for this process: 6 x 3.6 inches, legible at 350 pixels' width."""
    import matplotlib.pyplot as plt
    from cycler import cycler

    plt.rcParams.update(
        {
            "figure.figsize": (6.0, 3.6),
            "figure.dpi": 130,
            "figure.facecolor": "white",
            "figure.constrained_layout.use": True,
            "font.size": 12,
            "axes.titlesize": 12,
            "axes.titleweight": "bold",
            "axes.titlelocation": "left",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.color": "#DDDDDD",
            "axes.axisbelow": True,
            "legend.frameon": False,
            "lines.linewidth": 2.0,
            "lines.markersize": 7,
            "image.cmap": "cividis",
            "axes.prop_cycle": cycler(color=COLORS)
            + cycler(marker=MARKERS)
            + cycler(linestyle=LINES),
        }
    )


def show_counts(axes: Any, counts: Any, rois: list[str], epochs: list[str]) -> None:
    """Draws one ROI x epoch matrix of counts, each count written in its cell."""
    axes.imshow(counts, cmap="Blues", vmin=0, vmax=max(1.6 * counts.max(), 1), aspect="auto")
    for (roi, epoch), count in np.ndenumerate(counts):
        if count:
            axes.text(epoch, roi, f"{count:g}", ha="center", va="center")
    axes.set_xticks(range(len(epochs)), epochs, rotation=90)
    axes.set_yticks(range(len(rois)), rois)
    axes.grid(False)


_LINE = 40  # characters of a cell that is not broken


def show_table(frame: pd.DataFrame, name: str) -> None:
    """Shows a table with four significant digits; a run keeps it in full as `<name>.csv`.

    Raises ValueError if the name is not made of letters, digits, dashes and underscores.
    """
    keep_table(frame, name)
    display_table(frame)


def display_table(frame: pd.DataFrame) -> None:
    """Shows a table with four significant digits, and does not keep it."""
    from IPython.display import display

    shown = frame.map(_four_digits)
    if shown.index.nlevels == 1 and shown.columns.nlevels == 1:  # its name into the corner
        shown.columns = shown.columns.rename(shown.index.name)
        shown.index = shown.index.rename(None)
    with pd.option_context("display.max_rows", None, "display.max_colwidth", None):
        wordy = shown.map(lambda cell: isinstance(cell, str) and len(cell) > _LINE).to_numpy().any()
        if wordy:  # whose words may wrap
            html = shown.to_html(classes="wordy", border=1)
            display({"text/html": html, "text/plain": shown.to_string()}, raw=True)
        else:
            display(shown)


def keep_table(frame: pd.DataFrame, name: str) -> None:
    """Keeps a table as `<name>.csv` where this is a run, without showing it; else does nothing."""
    if not name.replace("-", "").replace("_", "").isalnum():
        raise ValueError(f"table name {name!r}: letters, digits, - and _ were expected")
    folder = os.environ.get(TABLES_VARIABLE)
    if folder:
        labels = [label or f"label {i}" for i, label in enumerate(frame.index.names)]
        frame.to_csv(Path(folder) / f"{name}.csv", index_label=labels)


def _four_digits(value: object) -> object:
    if isinstance(value, float):  # numpy's float64 is one
        if np.isnan(value):
            return ""
        value += 0.0  # no negative zero
        return f"{value:.4g}" if abs(value) < 10_000 else f"{value:.0f}"
    return value

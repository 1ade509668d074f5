"""One look for every figure, and the small table that stands beside each.

A dataset, a mechanism, an attack or a bound has one colour, line and marker in the whole book:
`look(name)`. Colours are Okabe and Ito's, its pale ones darkened to 3 : 1 on white, told apart by
most colour-blind readers; line styles and markers change with them, so that no figure needs colour.
Figures are light; on a dark page the browser turns their lightness round.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from lib import datasets

COLORS = ("#0072B2", "#D55E00", "#009E73", "#C4568F", "#B07800", "#6E6E6E", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 2)))
STAND_INS = ("commuters", "cabs", "callers", "tweeters-zk", "tweeters-threshold")

# Rows: what never stands in one figure with the next row's. Places in a row: places in COLORS.
_TABLE = (
    ("flights-by-number", "flights-by-tail", "cabspotting", "commuters", "cabs", "records"),
    ("callers", "tweeters-zk", "tweeters-threshold", "social-pulse", "foursquare", "gowalla"),
    ("LPA(Δ/ε)", "GSM", "FPA", "EFPAG", "LPA(1/ε)", "SpotMe", "raw"),
    ("SCM Lap(|S||T|/ε)", "SCM Lap(Δ/ε)", "", "SCM Lap(|T|/ε)", "SCM Lap(1/ε)"),  # and FPA
    ("LR", "kNN", "RF", "MLP", "BEST"),
    ("KK", "ZK", "sum"),
    ("BAYES", "MAX_ROI", "MAX_USER", "", "", "PRIOR"),
    ("loose", "tight", "MAP", "marginal", "moments", "prior", "constant"),
    (
        "one-threshold",
        "two-threshold",
        "network",
        "likelihood ratio",
        "reference",
        "network, 100 nodes",
        "DP bound",
    ),
    ("non-member", "member"),
)
_PLACES = {name: i for row in _TABLE for i, name in enumerate(row) if name}


def look(name: str, markers: bool = True) -> dict[str, Any]:
    """How a dataset, mechanism, attack or bound is drawn everywhere: matplotlib's words for a line.

    markers  whether the line has any; a curve of many points has none

    What the table does not know is drawn as matplotlib's cycle has it, and only gets its label.
    """
    found: dict[str, Any] = {"label": label(name)}
    if name in _PLACES:
        i = _PLACES[name]
        found |= {"color": COLORS[i], "linestyle": LINES[i], "marker": MARKERS[i]}
    return found if markers else found | {"marker": ""}


def color(name: str) -> str:
    """The colour of a dataset, mechanism, attack or bound; KeyError for one without."""
    return COLORS[_PLACES[name]]


def label(name: str) -> str:
    """What figures and tables call it: a reader's file without its folder, a stand-in as one."""
    return f"{name} (stand-in)" if name in STAND_INS else datasets.label(name)


def use_style() -> None:
    """Sets matplotlib's defaults for this process: 6 x 3.6 inches, legible at 350 pixels' width."""
    import matplotlib.pyplot as plt
    from cycler import cycler

    plt.rcParams.update(
        {
            "figure.figsize": (6.0, 3.6),
            "figure.dpi": 130,
            "savefig.dpi": 220,  # sharp on a screen of two pixels for one
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

    The CSV travels in the metadata of what is displayed. Raises ValueError if the name is not made
    of letters, digits, dashes and underscores.
    """
    if not name.replace("-", "").replace("_", "").isalnum():
        raise ValueError(f"table name {name!r}: letters, digits, - and _ were expected")
    labels = [label or f"label {i}" for i, label in enumerate(frame.index.names)]
    csv = frame.to_csv(index_label=labels, lineterminator="\n")
    display_table(frame, {"table": {"name": name, "csv": csv}})


def show_parts(frame: pd.DataFrame, name: str) -> None:
    """Shows a table in parts, one for each value of its first label, which stands in the corner.

    A run keeps each as `<name>-<number>.csv`, from 1.
    """
    first, *rest = frame.index.names
    for i, value in enumerate(dict.fromkeys(frame.index.get_level_values(0)), start=1):
        part: Any = frame.xs(value, level=0)
        said = value if first is None or isinstance(value, str) else f"{first} {value}"
        said = f"{said} (stand-in)" if said in STAND_INS else f"{said}"
        if part.index.nlevels == 1:
            across = part.columns.name if isinstance(part, pd.DataFrame) else None
            corner = f"{said}: {rest[0]}" + (f", by {across}" if across else "")
            part = part.rename_axis(index=corner, columns=None)
        else:
            part = part.rename_axis(columns=said)
        show_table(part, f"{name}-{i}")


def show_if_any(frame: pd.DataFrame, name: str, why: str) -> None:
    """`show_table`, or of a table without rows the sentence that says why there are none."""
    if frame.size:
        show_table(frame, name)
    else:
        print(why)


def display_table(frame: pd.DataFrame, metadata: dict[str, Any] | None = None) -> None:
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
            bundle = {"text/html": html, "text/plain": shown.to_string()}
            display(bundle, raw=True, metadata=metadata)
        else:
            display(shown, metadata=metadata)


def _four_digits(value: object) -> object:
    if isinstance(value, float):  # numpy's float64 is one
        if np.isnan(value):
            return ""
        value += 0.0  # no negative zero
        return f"{value:.4g}" if abs(value) < 10_000 else f"{value:.0f}"
    return value

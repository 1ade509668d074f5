"""One style for every figure, and functions for the tables beside them.

A dataset, a mechanism, an attack or a bound has one colour, line and marker in the whole book:
`line_style(name)`. The colours are those of Okabe and Ito, which most colour-blind readers can tell
apart; pale ones are darkened to a contrast of 3 : 1 on white. Line styles and markers change with
the colours, so no figure depends on colour alone. Figures are light; a dark page inverts them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from lib import datasets
from lib.papers import summaries

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = ("#0072B2", "#D55E00", "#009E73", "#C4568F", "#B07800", "#6E6E6E", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 2)))
SURROGATES = ("commuters", "cabs", "callers", "tweeters-zk", "tweeters-threshold")

# Rows: what never stands in one figure with the next row's. Places in a row: places in COLORS.
_TABLE = (
    (
        "flights-by-number",
        "flights-by-tail",
        "cabspotting",
        "commuters",
        "cabs",
        "records",
        "valleybike",
    ),
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
    ("reproduced", "contradicted", "supported", "", "", "undecided"),
)
_PLACES = {name: i for row in _TABLE for i, name in enumerate(row) if name}


def line_style(name: str, markers: bool = True) -> dict[str, Any]:
    """Return how a dataset, mechanism, attack or bound is drawn in every figure.

    Parameters
    ----------
    name : str
        Its name. A name that is not in the table gets only a label; matplotlib's cycle decides
        the rest.
    markers : bool, default True
        Whether the line has markers; a curve with many points has none.

    Returns
    -------
    dict
        Keyword arguments for matplotlib's `plot`.
    """
    found: dict[str, Any] = {"label": label(name)}
    if name in _PLACES:
        i = _PLACES[name]
        found |= {"color": COLORS[i], "linestyle": LINES[i], "marker": MARKERS[i]}
    return found if markers else found | {"marker": ""}


def color(name: str) -> str:
    """Return the colour of a dataset, mechanism, attack or bound.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    str
        The colour, such as "#0072B2".

    Raises
    ------
    KeyError
        If it has no colour.
    """
    return COLORS[_PLACES[name]]


def label(name: str) -> str:
    """Return what figures and tables call a dataset, mechanism, attack or bound.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    str
        The name; of a reader's file without its folder, of a surrogate with that word.
    """
    if name in SURROGATES:
        return f"{_with_word(name)}"
    return name if name in _PLACES else datasets.label(name)  # "LPA(Δ/ε)" is no path


def use_style() -> None:
    """Set matplotlib's defaults for this process; figures are legible 350 pixels wide."""
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
    """Draw one ROI x epoch matrix of counts, with each count written in its cell.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    counts : ndarray of shape (n_rois, n_epochs)
        The counts.
    rois, epochs : list of str
        Labels of the rows and columns.
    """
    axes.imshow(counts, cmap="Blues", vmin=0, vmax=max(1.6 * counts.max(), 1), aspect="auto")
    for (roi, epoch), count in np.ndenumerate(counts):
        if count:
            axes.text(epoch, roi, f"{count:g}", ha="center", va="center")
    axes.set_xticks(range(len(epochs)), epochs, rotation=90)
    axes.set_yticks(range(len(rois)), rois)
    axes.grid(False)


def show_releases(releases: Mapping[str, np.ndarray], rois: list[str], epochs: list[str]) -> None:
    """Draw releases of the same group, one below the other, with the same colours for counts.

    Parameters
    ----------
    releases : mapping of str to numpy.ndarray of shape (n_rois, n_epochs)
        Title to counts.
    rois, epochs : list of str
        Labels of the ROIs and of the epochs.

    Returns
    -------
    None
    """
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(len(releases), 1, figsize=(6, 2.0 * len(releases)), sharex=True)
    for ax, (title, counts) in zip(axes, releases.items(), strict=True):
        show_counts(ax, counts, rois, epochs)
        ax.images[0].set_clim(0, max(1.6 * max(each.max() for each in releases.values()), 1))
        ax.set_title(title)
    plt.show()


_LINE = 40  # characters of a cell that is not broken


def show_table(frame: pd.DataFrame, name: str) -> None:
    """Show a table with four significant digits; a run keeps all digits in `<name>.csv`.

    The CSV travels in the metadata of what is displayed.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table.
    name : str
        Its name: letters, digits, dashes and underscores.

    Raises
    ------
    ValueError
        If the name has other characters.
    """
    if not name.replace("-", "").replace("_", "").isalnum():
        raise ValueError(f"table name {name!r}: letters, digits, - and _ were expected")
    labels = [label or f"label {i}" for i, label in enumerate(frame.index.names)]
    csv = frame.to_csv(index_label=labels, lineterminator="\n")
    display_table(frame, {"table": {"name": name, "csv": csv}})


def show_parts(frame: pd.DataFrame, name: str) -> None:
    """Show a table in parts, one for each value of its first index level.

    The value stands in the corner of its part. A run keeps each part as `<name>-<number>.csv`,
    counted from 1.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table; its index has several levels.
    name : str
        Its name.
    """
    first, *rest = frame.index.names
    for i, value in enumerate(dict.fromkeys(frame.index.get_level_values(0)), start=1):
        part: Any = frame.xs(value, level=0)
        said = value if first is None or isinstance(value, str) else f"{first} {value}"
        said = f"{_with_word(said)}"
        if part.index.nlevels == 1:
            across = part.columns.name if isinstance(part, pd.DataFrame) else None
            corner = f"{said}: {rest[0]}" + (f", by {across}" if across else "")
            part = part.rename_axis(index=corner, columns=None)
        else:
            part = part.rename_axis(columns=said)
        show_table(part, f"{name}-{i}")


def show_if_any(frame: pd.DataFrame, name: str, why: str) -> None:
    """Show a table; if it has no rows, print why.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table.
    name : str
        Its name.
    why : str
        The sentence that explains why it is empty.
    """
    if frame.size:
        show_table(frame, name)
    else:
        print(why)


def display_table(frame: pd.DataFrame, metadata: dict[str, Any] | None = None) -> None:
    """Display a table with four significant digits, without keeping it in a run.

    Names of surrogates are followed by that word.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table.
    metadata : dict, optional
        Metadata of the displayed output.
    """
    from IPython.display import display

    shown = frame.map(_four_digits).map(_with_word).rename(index=_with_word, columns=_with_word)
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


NOTHING = "–"  # what stands in a cell without a value


def _with_word(name: Any) -> Any:
    return f"{name} (surrogate)" if isinstance(name, str) and name in SURROGATES else name


def _four_digits(value: object) -> object:
    if isinstance(value, float):  # numpy's float64 is one
        if np.isnan(value):
            return NOTHING
        value += 0.0  # no negative zero
        return f"{value:.4g}" if abs(value) < 10_000 else f"{value:.0f}"
    return NOTHING if value == "" else value


# -- points with intervals, and tables of them -----------------------------------------------------

_VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"linestyle": ":", "markerfacecolor": "white"},
    {"linestyle": "--", "markerfacecolor": "white"},
)


def intervals(
    rows: pd.DataFrame,
    x: str,
    by: str | Sequence[str] = (),
    panel: str | Sequence[str] = (),
    *,
    columns: int = 1,
    size: tuple[float, float] = (6.2, 2.4),
    level: float | None = None,
    xscale: str = "linear",
    yscale: str = "linear",
    ylim: tuple[float | None, float | None] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    ticks: bool = False,
    apart: float = 0.0,
    styles: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[Any, Axes]:
    """Draw means with their intervals against x: a line for each `by`, a panel for each `panel`.

    Parameters
    ----------
    rows : pandas.DataFrame
        One row a point: the columns "mean", "95% low" and "95% high" (NaN: no interval), and `x`,
        `by` and `panel` as columns or index levels. See `lib.papers.summaries.means`.
    x : str
        Name of the numbers on the horizontal axis.
    by : str or sequence of str, optional
        Names of what has a line of its own. The first decides colour and marker (`look`), the
        second the line: solid, dotted with hollow markers, dashed with hollow markers.
    panel : str or sequence of str, optional
        Names of what has a panel of its own, in the order of the rows.
    columns : int, default 1
        Number of panels beside each other.
    size : (float, float), default (6.2, 2.4)
        Inches: the figure's width, the height of a row of panels.
    level : float, optional
        Height of a dotted line across each panel, for example the AUC of guessing.
    xscale, yscale : {"linear", "log"}
        Scales of the axes.
    ylim : (float or None, float or None), optional
        Limits of the vertical axes.
    xlabel, ylabel : str, optional
        Labels of the lowest axes and of the left ones.
    ticks : bool, default False
        Whether the horizontal axis has a tick at each x, and no other.
    apart : float, default 0
        Shift between neighbouring lines so that intervals do not hide each other: a share of x on
        a logarithmic axis, in units of x on a linear one.
    styles : mapping of str to mapping, optional
        matplotlib's options for a line by the first `by`, in place of `look`.

    Returns
    -------
    dict of object to matplotlib.axes.Axes
        The axes of each panel, by its value (a tuple where `panel` has several names; "" without a
        panel). `finish` adds the legend and shows the figure.

    Examples
    --------
    >>> rows = pd.DataFrame({"data": ["cabs", "cabs"], "size": [10, 100], "mean": [0.8, 0.6],
    ...                      "95% low": [0.7, 0.5], "95% high": [0.9, 0.7]})
    >>> list(intervals(rows, "size", "data", level=0.5, xscale="log"))
    ['']
    """
    flat = rows.reset_index() if any(rows.index.names) else rows
    lines, panels = ([name] if isinstance(name, str) else list(name) for name in (by, panel))
    parts = _groups(flat, panels)
    order = {name: list(dict.fromkeys(flat[name])) for name in lines}
    keys = list(_groups(flat, lines))
    columns = min(columns, len(parts))
    axes = _grid(list(parts), columns, size, 0.4 + 0.2 * len(keys))
    for key, ax in axes.items():
        for line, points in _groups(parts[key], lines).items():
            shift, at = apart * (keys.index(line) - (len(keys) - 1) / 2), points[x].to_numpy(float)
            at = at * (1 + shift) if xscale == "log" else at + shift
            _draw_line(ax, at, points, _line_style(line, lines, order, styles or {}))
        if level is not None:
            ax.axhline(level, color="black", linewidth=1, linestyle=":", marker="")
        ax.set(xscale=xscale, yscale=yscale)
        if ylim is not None:  # setting limits, even to None, would fix those of the first panel
            ax.set_ylim(*ylim)
    _label_axes(list(axes.values()), columns, xlabel, ylabel)
    for ax in list(axes.values())[-columns:] if ticks else []:
        _tick_at(ax, sorted(flat[x].unique()))
    return axes


def _label_axes(axes: list[Axes], columns: int, xlabel: str, ylabel: str) -> None:
    """Label the left and the lowest panels."""
    for ax in axes[::columns]:
        ax.set_ylabel(ylabel)
    for ax in axes[-columns:]:
        ax.set_xlabel(xlabel)
        ax.tick_params(labelbottom=True)


def _tick_at(ax: Axes, numbers: list[float]) -> None:
    """A tick at each number, and no other."""
    ax.set_xticks(numbers, [f"{each:g}" for each in numbers])
    ax.minorticks_off()


def _grid(
    keys: list[Any], columns: int, size: tuple[float, float], legend: float
) -> dict[Any, Axes]:
    """Panels with titles, in rows; `legend` is the height above them, in inches."""
    import matplotlib.pyplot as plt

    n_rows = -(-len(keys) // columns)
    shape, shared = (size[0], size[1] * n_rows + legend), bool(columns > 1)
    options: dict[str, Any] = {"sharex": True, "sharey": shared, "squeeze": False}
    grid = plt.subplots(n_rows, columns, figsize=shape, **options)[1]
    for unused in grid.flat[len(keys) :]:
        unused.set_visible(False)
    axes = dict(zip(keys, grid.flat, strict=False))
    for key, ax in axes.items():
        named = key if isinstance(key, tuple) else (key,)
        ax.set_title(", ".join(label(str(each)) for each in named))
    return axes


def _groups(rows: pd.DataFrame, names: list[str]) -> dict[Any, pd.DataFrame]:
    """The rows of each value (of one name) or tuple of values (of several), in the rows' order."""
    if not names:
        return {"": rows}
    return dict(list(rows.groupby(names[0] if len(names) == 1 else names, sort=False)))


def _line_style(
    line: Any, names: list[str], order: dict[str, list[Any]], styles: Mapping[str, Any]
) -> dict[str, Any]:
    """Colour and marker by the first value of a line, its stroke by the second."""
    values = line if isinstance(line, tuple) else (line,)
    first = str(values[0])
    style = dict(styles[first]) if first in styles else line_style(first)
    texts = [style.get("label", first), *map(str, values[1:])]
    if len(values) > 1:
        style |= _VARIANTS[order[names[1]].index(values[1]) % len(_VARIANTS)]
    return style | {"label": ", ".join(texts)}


def _draw_line(ax: Axes, at: np.ndarray, points: pd.DataFrame, style: dict[str, Any]) -> None:
    mean, low, high = (points[name].to_numpy(float) for name in ("mean", "95% low", "95% high"))
    if np.isnan(low).all():  # no interval, so none in the legend either
        ax.plot(at, mean, **style)
        return
    ax.errorbar(at, mean, yerr=[mean - low, high - mean], capsize=3, **style)


BOUNDS = {">": ("^", "published: above"), "<": ("v", "published: below")}


def mark_published(ax: Axes, x: float, y: float, color: str = "black", op: str = "=") -> None:
    """Mark a value that the paper prints: a star, called "published" in the legend.

    A bound is a triangle that points to where the values are.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The panel.
    x, y : float
        Where.
    color : str
        The colour of the line, or of the box, that the value is about.
    op : str, default "="
        How the paper prints it: one of `lib.papers.claims.OPERATORS`.
    """
    marker, label = BOUNDS.get(op[0], ("*", "published"))
    size = 13 if marker == "*" else 8
    style: dict[str, Any] = {"marker": marker, "markersize": size, "linestyle": "", "zorder": 6}
    ax.plot([x], [y], color=color, markeredgecolor="black", label=label, **style)


def finish(axes: Mapping[Any, Axes], columns: int = 3) -> None:
    """Put one legend of all panels above the figure, and show it.

    Parameters
    ----------
    axes : mapping of object to matplotlib.axes.Axes
        The panels, as `intervals` returns them.
    columns : int, default 3
        Columns of the legend; a legend with one entry is left out.
    """
    import matplotlib.pyplot as plt

    entries: dict[str, Any] = {}
    for ax in axes.values():
        for handle, text in zip(*ax.get_legend_handles_labels(), strict=True):
            entries.setdefault(text, handle)
    if len(entries) > 1:
        place: Any = "outside upper center"
        figure: Any = next(iter(axes.values())).figure
        figure.legend(entries.values(), entries, loc=place, ncols=columns, fontsize=10)
    plt.show()


def table(
    rows: pd.DataFrame,
    by: Sequence[str],
    values: str | Mapping[str, str],
    across: str = "",
    *,
    digits: int = 2,
    within: tuple[float, float] = (-np.inf, np.inf),
    pairs: Sequence[tuple[str, str]] = (),
    unit: Sequence[str] = ("target",),
) -> pd.DataFrame:
    """Make a readers' table of means with 95% intervals, such as "0.84 [0.80, 0.88]".

    Parameters
    ----------
    rows : pandas.DataFrame
        Tidy rows, one for each unit and whatever `by` and `across` tell apart.
    by : sequence of str
        Names of the table's rows. Datasets are named as `label` names them.
    values : str or mapping of str to str
        The column to average; or several, each with the title of its column in the table.
    across : str, optional
        Name of what has a column of its own; then `values` is one.
    digits : int, default 2
        Decimals.
    within : (float, float), optional
        Limits at which intervals end, for example (0, 1) for an AUC.
    pairs : sequence of (str, str), optional
        Two values of `across` each: a further column "first - second" has the mean of their
        differences over the same units. A pair that the rows lack is left out.
    unit : sequence of str, default ("target",)
        Names of what such differences are paired by.

    Returns
    -------
    pandas.DataFrame
        Index `by` in the rows' order; text; empty where there is nothing.

    Examples
    --------
    >>> rows = pd.DataFrame({"data": "cabs", "attack": ["KK", "KK", "ZK", "ZK"],
    ...                      "target": [0, 1, 0, 1], "AUC": [0.8, 0.9, 0.7, 0.8]})
    >>> table(rows, ["data"], "AUC", "attack", within=(0, 1), pairs=[("ZK", "KK")]).iloc[0].tolist()
    ['0.85 [0.21, 1.00]', '0.75 [0.11, 1.00]', '-0.10 [-0.10, -0.10]']
    """
    titles = {values: values} if isinstance(values, str) else dict(values)
    columns = {}
    for name, title in titles.items():
        means = summaries.means(rows, [*by, across] if across else by, name)
        ends = ["95% low", "95% high"]
        means[ends] = means[ends].clip(*within)
        columns[title] = summaries.texts(means, digits)
    wide = pd.DataFrame(columns)
    if across:
        (name,) = titles
        wide = columns[titles[name]].unstack(across, sort=False)
        for first, second in pairs:
            if {first, second} <= set(wide.columns):
                change = summaries.differences(rows, by, name, unit, across, first, second)
                wide[f"{first} - {second}"] = summaries.texts(change, digits)
    if "data" in wide.index.names:
        wide = wide.rename(index=label, level="data")
    return wide.rename_axis(columns=None).fillna("")

"""Figures and tables of the replication and the chapters on aggregation privacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator
from scipy import stats

from lib import metrics
from lib.localization import LAST
from lib.papers import figures
from lib.papers.aggregation_privacy.experiments import (
    CLOCKS,
    IGNORED,
    LIKELIEST,
    NULL,
    PARTS,
    clock_label,
    with_interval,
)
from lib.papers.figures import COLORS, LINES, MARKERS, color, label
from lib.papers.summaries import means, texts

WORDS = {  # what tables for readers call attackers and priors
    NULL: "always null",
    "AGGREGATE": "the counts alone",
    "PRIOR": "the prior alone",
    "BAYES": "BAYES",
    "MAX_ROI": "MAX_ROI",
    "MAX_USER": "MAX_USER",
    "ALL": "ALL",
    "BAYES+ALL": "BAYES, then ALL",
    "POP": "POP",
    "BAYES+POP": "BAYES, then POP",
    LIKELIEST: "likeliest place, no counts",
    "FREQ_ROI": "frequent places",
    "ROI_DAY": "hour of day",
    "ROI_DAY_WEEK": "hour of week",
}
NAMES = {  # what the chapters call datasets
    "cabspotting": "real cabs",
    "flights-by-number": "flights by number",
    "flights-by-tail": "aircraft",
}
_ATTACKERS = (NULL, "AGGREGATE", "PRIOR", "BAYES", "MAX_ROI", "MAX_USER")
_DRAWN = (*_ATTACKERS[:3], LIKELIEST, *_ATTACKERS[3:])
RELEASES = 5  # of each kind, in the stored results


# Places in COLORS of attackers that only these chapters have.
_OTHERS = {
    "AGGREGATE": 3,
    LIKELIEST: 4,
    NULL: 6,
    "ALL": 0,
    "BAYES+ALL": 3,
    "POP": 4,
    "BAYES+POP": 6,
}


def plain_name(data: str) -> str:
    """Return what the text of the chapters calls a dataset.

    Parameters
    ----------
    data : str
        Name of a dataset.

    Returns
    -------
    str
        Plain words, such as "real cabs"; the usual label of any other dataset.
    """
    return NAMES.get(data) or label(data)


def printed_name(mechanism: str) -> str:
    """Write a mechanism as the chapters do, with T' for the hours of the inferred week.

    Parameters
    ----------
    mechanism : str
        Name of a mechanism in the results.

    Returns
    -------
    str
        The name, with the paper's symbol for the inferred week.
    """
    return mechanism.replace("|T|", "|T'|")


def with_decimals(table: pd.DataFrame, digits: int = 3) -> pd.DataFrame:
    """Write all numbers of a table with the same number of decimals.

    Parameters
    ----------
    table : pandas.DataFrame
        Numbers; a missing one becomes an empty text.
    digits : int, default 3
        Number of decimals.

    Returns
    -------
    pandas.DataFrame
        Texts.
    """
    return table.map(lambda value: "" if pd.isna(value) else f"{value:.{digits}f}")


def _look(name: str, markers: bool = True) -> dict[str, Any]:
    """Style as in the whole book, with the attackers that only these chapters have."""
    found = figures.line_style(name, markers)
    if name in _OTHERS:
        i = _OTHERS[name]
        found |= {
            "color": COLORS[i],
            "linestyle": LINES[i],
            "marker": MARKERS[i] if markers else "",
        }
    return found


def _chosen(rows: pd.DataFrame, index: Sequence[str], **where: str) -> pd.DataFrame:
    for column, value in where.items():
        rows = rows[rows[column] == value]
    return rows.set_index(list(index)) if index else rows


# -- figures ---------------------------------------------------------------------------------------


def show_bet(counts: np.ndarray, habits: np.ndarray, rois: list[str], hours: list[str]) -> None:
    """Draw a day's counts, and beside them how often one user was where before.

    Frames in both panels enclose the places where the user was.

    Parameters
    ----------
    counts : numpy.ndarray
        Counts of a day, shape (n_rois, n_hours).
    habits : numpy.ndarray
        Shares of one user's past visits, shape (n_rois,).
    rois : list of str
        Names of the ROIs.
    hours : list of str
        Labels of the hours.

    Returns
    -------
    None
    """
    axes = plt.subplots(1, 2, figsize=(6.2, 2.9), sharey=True, width_ratios=[4, 1.4])[1]
    left, right = axes
    for ax, values, columns in (
        (left, counts, hours),
        (right, habits[:, None], ["share of hours"]),
    ):
        figures.show_counts(ax, values, rois, columns)
        ax.tick_params(axis="x", labelrotation=0, length=0)
        for row, column in np.argwhere(values == 0):  # `show_counts` leaves them out
            ax.text(column, row, "0", ha="center", va="center", color="0.45")
        _frame_rows(ax, np.flatnonzero(habits), len(columns))
    left.set_title("Tuesday's counts")
    right.set_title("Dan's Monday")
    plt.show()


def _frame_rows(ax: Axes, chosen: np.ndarray, n_columns: int) -> None:
    """Frame the chosen rows of a panel of `show_counts`; neighbouring rows share a frame."""
    for run in np.split(chosen, np.flatnonzero(np.diff(chosen) > 1) + 1):
        if run.size:
            corner, size = (-0.46, run[0] - 0.46), (n_columns - 0.08, run.size - 0.08)
            ax.add_patch(plt.Rectangle(corner, *size, fill=False, linewidth=1.8))


def show_profiling(rows: pd.DataFrame, counts_line: bool = False) -> None:
    """Draw mean profiling errors with 95% intervals: over all hours, and over hours out.

    A marker for each prior, and a diamond for the two attackers who use none. The dotted line is
    the attacker who always answers null. The rows of the attacks are shaded, and over all hours a
    ring marks an attack with a smaller error than all rules have with the same prior.

    The two panels of a single dataset are below each other and have one scale. Several datasets
    have a row of panels each, with one scale for the panels over all hours and another for those
    over hours out, which begins at 0. The former is logarithmic if the largest error is more than
    five times the smallest, else linear. If the errors over hours out of a dataset are close
    together, the smallest and the largest are written.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.compare_with_null`.
    counts_line : bool, default False
        Whether a thin line in the panels over hours out marks the counts alone.

    Returns
    -------
    None
    """
    rows = rows[rows["goal"] == "profiling"]
    names, priors = list(rows["data"].unique()), list(rows["prior"].unique())
    alone = len(names) == 1
    shape, size = (len(names), len(_VIEWS)), (6.4, 0.9 + 2.4 * len(names))
    if alone:
        shape, size = (len(_VIEWS), 1), (6.4, 6)
    options: dict[str, Any] = {"sharex": "col", "sharey": True, "squeeze": False}
    figure, grid = plt.subplots(*shape, figsize=size, **options)
    for axes, data in zip(grid.T if alone else grid, names, strict=True):
        _draw_views(axes, rows[rows["data"] == data], counts_line, alone)
    for ax in grid.flat:
        ax.tick_params(labelbottom=True)
    if not alone:
        _spread_small_errors(grid, rows["error"].to_numpy())
        for ax, data in zip(grid[:, 1], names, strict=True):
            _write_range(ax, rows.loc[rows["data"] == data, "out"])
    figure.supxlabel("mean profiling error (further left: a better attacker)", fontsize=12)
    _explain_priors(figure, priors, with_none=True)
    plt.show()


def _spread_small_errors(grid: np.ndarray, errors: np.ndarray) -> None:
    """Give the panels over all hours a scale for their errors, and those over hours out one from 0.

    `errors` are those over all hours.
    """
    for ax in grid[:, 0]:
        scale_errors(ax, errors)
    for ax in grid[:, 1]:
        ax.set_xlim(left=0)
        ax.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 4, 10]))
        ax.xaxis.set_major_formatter("{x:g}")


def _write_range(ax: Axes, errors: pd.Series) -> None:
    """Write the smallest and the largest error if all are within an eighth of the axis."""
    low, high = errors.min(), errors.max()
    start, end = ax.get_xlim()
    if high - low < (end - start) / 8 and low > (start + end) / 2:
        words = f"all errors from\n{low:.3f} to {high:.3f}"
        ax.text(0.08, 0.72, words, transform=ax.transAxes, va="center", fontsize=12)


def scale_errors(ax: Axes, errors: np.ndarray) -> None:
    """Make the horizontal axis logarithmic if the largest error is over five times the smallest.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        A panel with errors on its horizontal axis.
    errors : numpy.ndarray
        The mean errors of all panels with this scale.

    Returns
    -------
    None
    """
    if errors.max() > 5 * errors.min() > 0:
        ax.set_xscale("log")
        count_by_threes(ax.xaxis)


def count_by_threes(axis: Axis) -> None:
    """Put the ticks of a logarithmic axis at 1 and 3 times powers of ten.

    Parameters
    ----------
    axis : matplotlib.axis.Axis
        The axis.

    Returns
    -------
    None
    """
    axis.set_major_locator(LogLocator(subs=(1, 3)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter("{x:g}")


def _draw_views(axes: np.ndarray, rows: pd.DataFrame, counts_line: bool, alone: bool) -> None:
    """One dataset's panels, over all hours and over hours out; `alone` if it is the only one."""
    name = plain_name(rows["data"].iloc[0])
    for ax, (value, view) in zip(axes, _VIEWS.items(), strict=True):
        _draw_attackers(ax, rows, value)
        if alone:
            ax.set_title(f"{name}, {view}")
        else:
            ax.set_title(f"{name}\n{view}" if value == "error" else f"\n{view}")
        if counts_line and value == "out":
            level: Any = rows.loc[rows["strategy"] == "AGGREGATE", value].iloc[0]
            ax.axvline(level, linewidth=1, linestyle="-", color=_look("AGGREGATE")["color"])


def _explain_priors(figure: Any, priors: Sequence[str], with_none: bool = False) -> None:
    """Put a legend above the figure: a mark for each prior, filled for the first.

    With `with_none`, the legend also has the diamond of attackers who use no prior.
    """
    fills = ["black", *["white"] * (len(priors) - 1)]
    looks = list(zip(MARKERS, fills, strict=False))
    words = [WORDS.get(prior, prior) for prior in priors]
    if with_none:
        looks, words = [*looks[: len(priors)], (_NO_PRIOR, "black")], [*words, "no prior"]
    marks = [
        plt.Line2D([], [], color="black", linestyle="", marker=mark, markerfacecolor=fill)
        for mark, fill in looks
    ]
    spacing = {"columnspacing": 1.2, "handletextpad": 0.1} if with_none else {}
    figure.legend(marks, words, loc="outside upper center", ncols=len(words), **spacing)


_NO_PRIOR = "D"  # the mark of attackers whose answer does not depend on a prior


_VIEWS = {"error": "all hours", "out": "hours out"}


def _draw_attackers(ax: Axes, rows: pd.DataFrame, value: str) -> None:
    """One dataset's attackers, a line each, with a mark for each prior or one for all."""
    drawn = [each for each in _DRAWN if (rows["strategy"] == each).any()]
    priors = list(rows["prior"].unique())
    for p, prior in enumerate(priors):
        found = _chosen(rows, ["strategy"], prior=prior).loc[drawn]
        better = _better_than_rules(found[value]) if value == "error" else []
        for place, (strategy, row) in enumerate(with_interval(found, value).iterrows()):
            no_prior = strategy in (NULL, "AGGREGATE")
            if no_prior and p:
                continue  # drawn with the first prior
            how = _look(str(strategy)) | {"linestyle": ""}
            how["marker"] = _NO_PRIOR if no_prior else MARKERS[p]
            how["markerfacecolor"] = "white" if p else how.get("color", "black")
            spread = (row["95% high"] - row["95% low"]) / 2
            y = place if no_prior else place + (p - (len(priors) - 1) / 2) * 0.24
            ax.errorbar(row[value], y, xerr=spread, linewidth=1.2, markersize=5, **how)
            if strategy in better:
                ax.plot(row[value], y, **_RING)
    null: Any = _chosen(rows, ["strategy"], prior=priors[0]).loc[NULL, value]
    ax.axvline(null, color="black", linestyle=":", linewidth=1.2)
    for place, strategy in enumerate(drawn):
        if strategy in _ATTACKS:
            ax.axhspan(place - 0.5, place + 0.5, color="0.92", linewidth=0, zorder=0)
    ax.set_yticks(range(len(drawn)), [WORDS[each] for each in drawn])
    ax.set(ylim=(len(drawn) - 0.5, -0.5))


_ATTACKS = ("BAYES", "MAX_ROI", "MAX_USER")
_RING: dict[str, Any] = {  # round the mark of an attack that beats all rules
    "marker": "o",
    "markersize": 11,
    "markerfacecolor": "none",
    "markeredgecolor": "black",
    "markeredgewidth": 1.4,
}


def _better_than_rules(errors: pd.Series) -> list[Any]:
    """The attacks with a smaller mean error than every rule; `errors` are means by strategy."""
    attacks = errors.index.isin(_ATTACKS)
    return list(errors.index[attacks & (errors < errors[~attacks].min())])


_BANDS: tuple[dict[str, Any], ...] = (  # backgrounds of parts of the week
    {"facecolor": "0.85"},
    {"facecolor": "none", "edgecolor": "0.6", "hatch": "////"},
)


def _draw_week(ax: Axes, shaded: Sequence[str]) -> None:
    """Name the days of the week between lines at midnight, with bands behind parts of the week."""
    for band, part in zip(_BANDS, shaded, strict=False):
        days, hours = PARTS[part]
        for day in days:
            first, after = 24 * day + min(hours), 24 * day + max(hours) + 1
            ax.axvspan(first - 0.5, after - 0.5, zorder=0, linewidth=0, **band)
    ax.grid(visible=False, axis="x")
    for midnight in range(0, 169, 24):
        ax.axvline(midnight - 0.5, color="0.6", linewidth=0.8, zorder=0)
    ax.set_xticks(range(12, 168, 24), ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"])  # no marks:
    ax.tick_params(axis="x", length=0)  # a mark at noon would be taken for midnight
    ax.set_xlim(-0.5, 167.5)


def show_hour_gains(rows: pd.DataFrame, shaded: Mapping[str, str]) -> None:
    """Draw the error of the prior alone minus that of three attackers over the hours of a day.

    The working days are averaged on the left, Saturday and Sunday on the right. The dotted line is
    0, the error of the prior alone. Each dataset has a row of panels with its own scale.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.hours`.
    shaded : mapping of str to str
        Parts of the week with a band behind them, as `experiments.PARTS` names them -> their names
        in the legend; the first band is plain, the second hatched.

    Returns
    -------
    None
    """
    names = list(rows["data"].unique())
    options: dict[str, Any] = {"sharex": True, "sharey": "row", "squeeze": False}
    size = 6, 1.6 + 2.1 * len(names)
    figure, grid = plt.subplots(len(names), len(_KINDS_OF_DAY), figsize=size, **options)
    for axes, data in zip(grid, names, strict=True):
        heads = f"{plain_name(data)}, {clock_label(data)}\n", "\n"
        for ax, head, (kind, days) in zip(axes, heads, _KINDS_OF_DAY.items(), strict=True):
            mine = rows[(rows["data"] == data) & rows["hour"].floordiv(24).isin(days)]
            _draw_day(ax, mine, days, list(shaded))
            ax.set_title(f"{head}{kind}", loc="left")
    lines, words = grid[0, 0].get_legend_handles_labels()
    bands = [plt.Rectangle((0, 0), 1, 1, linewidth=0, **band) for band in _BANDS[: len(shaded)]]
    handles, texts_of = [*lines, *bands], [*words, *shaded.values()]
    title = "error of the prior alone minus that of the attacker (above 0: a gain)"
    place: dict[str, Any] = {"loc": "outside upper center", "ncols": 2, "title": title}
    figure.legend(handles, texts_of, fontsize=11, title_fontsize=11, **place)
    figure.supxlabel("hour of the day", fontsize=12)
    plt.show()


_KINDS_OF_DAY = {"Monday to Friday": range(5), "Saturday and Sunday": range(5, 7)}


def _draw_day(ax: Axes, rows: pd.DataFrame, days: range, shaded: Sequence[str]) -> None:
    """Draw the gains of three attackers over the hours of an average day, each at its middle."""
    by_hour = rows.groupby(rows["hour"].mod(24)).mean(numeric_only=True)
    for i, (strategy, how) in enumerate(_GAINS_BY_HOUR.items()):
        gain = by_hour["PRIOR"] - by_hour[strategy]
        # a mark in every fourth hour, at other hours for each attacker
        marks: dict[str, Any] = {"markevery": (i, 4), "markersize": 5}
        ax.plot(by_hour.index + 0.5, gain, label=WORDS[strategy], **how, **marks)
    ax.axhline(0, color="black", linewidth=1.2, linestyle=":")
    for band, part in zip(_BANDS, shaded, strict=False):
        if set(PARTS[part][0]) & set(days):
            first, after = min(PARTS[part][1]), max(PARTS[part][1]) + 1
            ax.axvspan(first, after, zorder=0, linewidth=0, **band)
    ax.grid(visible=False, axis="x")
    ax.set(xlim=(0, 24), xticks=range(0, 25, 6))
    ax.tick_params(labelbottom=True)


_GAINS_BY_HOUR: dict[str, dict[str, Any]] = {  # the first is drawn on top
    "BAYES": {
        "color": color("BAYES"),
        "linestyle": "-",
        "linewidth": 1.8,
        "marker": "o",
        "zorder": 2.3,
    },
    NULL: {
        "color": "black",
        "linestyle": (0, (1, 1)),
        "linewidth": 1.8,
        "marker": "D",
        "zorder": 2.1,
    },
    "MAX_USER": {
        "color": color("MAX_USER"),
        "linestyle": "--",
        "linewidth": 1.2,
        "marker": "s",
        "markerfacecolor": "white",
        "zorder": 2.2,
    },
}


GUARANTEES = {  # unit of privacy of a mechanism
    "SCM Lap(1/ε)": "one visit",
    "SCM Lap(Δ/ε)": "a whole user",
    "SCM Lap(|T|/ε)": "one user at one place",
    "FPA": "one user at one place",
    "SpotMe": "no guarantee",
}


# -- tables for readers: "0.84 [0.80, 0.88]" -------------------------------------------------------


def _brackets(rows: pd.DataFrame, value: str) -> pd.Series:
    return texts(with_interval(rows, value), 3, value)


SELECTED = (LIKELIEST, "BAYES", "MAX_ROI")  # in tables; figures and the replication have all


def attacker_table(
    rows: pd.DataFrame,
    value: str = "error",
    attackers: Sequence[str] = (NULL, *SELECTED),
    goal: str = "profiling",
) -> pd.DataFrame:
    """Tabulate a mean with its interval by dataset and attacker (rows) and prior (columns).

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    value : str, default 'error'
        "error", or "out" for the hours when users were somewhere.
    attackers : sequence of str, optional
        Strategies, in the order of the rows.
    goal : str, default 'profiling'
        "profiling" or "localization".

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = _chosen(rows, ["data", "strategy", "prior"], goal=goal)
    names, priors = list(rows["data"].unique()), list(rows["prior"].unique())
    index = pd.MultiIndex.from_product([names, attackers])
    table = _brackets(found, value).unstack("prior").reindex(index)[priors]
    table = table.rename(columns=WORDS).rename(index=WORDS, level=1)
    table = table.rename(index=plain_name, level=0)
    return table.rename_axis(index=["data", "attacker"], columns=None)


def loss_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate profiling errors and privacy loss of one dataset by prior and attacker.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.compare_with_null`.

    Returns
    -------
    pandas.DataFrame
        Columns: mean error over all hours, mean privacy loss, mean error over the hours in which a
        user was out; numbers with three decimals.
    """
    columns = {"error": "mean error", "loss": "privacy loss", "out": "error in hours out"}
    found = _chosen(rows, ["prior", "strategy"], goal="profiling")
    drawn = [each for each in _DRAWN if each in found.index.get_level_values("strategy")]
    order = pd.MultiIndex.from_product([rows["prior"].unique(), drawn])
    table = found.loc[order, list(columns)].rename(columns=columns, index=WORDS).round(3)
    return table.rename_axis(index=["prior", "attacker"])


def paired_table(rows: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Tabulate by how much attacks err less than two attackers without counts, user by user.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.compare_with_null` for one dataset.
    pairs : pandas.DataFrame
        Rows of `experiments.pairs` for the same dataset.

    Returns
    -------
    pandas.DataFrame
        The error of the prior alone, and that of always null, minus the attack's: means over users
        with 95% intervals, as text.
    """
    found = {name: texts(each, 3, "mean") for name, each in _both_paired(rows, pairs).items()}
    return pd.DataFrame(found).rename(index=WORDS).rename_axis(index=["prior", "attack"])


def _both_paired(rows: pd.DataFrame, pairs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The two differences of `paired_table`, with their intervals, by prior and strategy."""
    index = ["prior", "strategy"]
    same = (pairs["goal"] == "profiling") & (pairs["prior"] == pairs["other"])
    pairs = pairs[same & (pairs["first"] == "PRIOR") & pairs["prior"].isin(rows["prior"])]
    pairs = pairs.rename(columns={"second": "strategy"}).set_index(index)
    found = _chosen(rows, index, goal="profiling").loc[pairs.index]
    found = found.assign(less=-found["above null"], **{"less se": found["above null se"]})
    less = with_interval(found, "less").rename(columns={"less": "mean"})
    of_prior = with_interval(pairs, "error").rename(columns={"error": "mean"})
    return {"prior minus attack": of_prior, "always null minus attack": less}


def out_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate by how much BAYES errs less than the prior and the counts alone, in the hours out.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.compare_out` for one dataset.

    Returns
    -------
    pandas.DataFrame
        A row for each prior; means over users with 95% intervals, as text.
    """
    found = rows.set_index("prior")
    columns = {"of prior": "the prior alone", "of counts": "the counts alone"}
    table = {f"{words} minus BAYES": _brackets(found, name) for name, words in columns.items()}
    return pd.DataFrame(table).rename(index=WORDS)


def placed_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate how often an attack places the users of each tenth.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.tenths` for one attack and one order of the users.

    Returns
    -------
    pandas.DataFrame
        Columns: mean number of visits, or of squares visited, before the inferred week; share of
        hours out; places named in an hour; share of hours in which a place was named. Texts.
    """
    first = {"visits": "visits before", "squares": "squares visited before"}
    columns = {
        "most": first[rows["ordered by"].iloc[0]],
        "truly": "share of hours out",
        "places": "squares named in an hour",
        "placed": "share of hours with a square",
    }
    decimals = {"most": 0, "truly": 2, "places": 1, "placed": 2}
    found = rows.set_index("tenth")
    texts = {columns[each]: found[each].map(f"{{:.{n}f}}".format) for each, n in decimals.items()}
    return pd.DataFrame(texts)


def tenths_error_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the error of the prior alone minus that of each attack, for each tenth of users.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.tenths` for one order of the users.

    Returns
    -------
    pandas.DataFrame
        Columns: each attack over all hours, then each over the hours out; means over users with
        95% intervals, as text.
    """
    views = {"less": "all hours", "less out": "hours out"}
    columns = {
        f"{attack}, {over}": _brackets(found.set_index("tenth"), value)
        for value, over in views.items()
        for attack, found in rows.groupby("strategy")
    }
    return pd.DataFrame(columns)


def hours_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate by how much three attackers reduce the prior's error in parts of the week.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    rows = rows[rows["part"].isin(list(PARTS)[:5])]
    found = _chosen(rows, ["data", "part"], clock="local", less="nothing")
    table = pd.DataFrame({each: _brackets(found, each) for each in ("BAYES", "MAX_USER", NULL)})
    return table.rename(index=plain_name, level="data")


def joint_scores_table(rows: pd.DataFrame, prior: str) -> pd.DataFrame:
    """Tabulate the mean Brier score of each answer, with one prior: a column for each dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    prior : str
        Name of a prior.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = _chosen(rows, ["answer", "data"], prior=prior)
    words = WORDS | {"max entropy (approximate)": "max entropy", "transport (exact)": "most likely"}
    order = [NULL, "PRIOR", LIKELIEST, "BAYES", "MAX_ROI", "MAX_USER", *list(words)[-2:]]
    table = _brackets(found, "Brier").unstack("data")[rows["data"].unique()]
    table = table.loc[[each for each in order if each in table.index]]
    return table.rename(index=words, columns=plain_name).rename_axis(columns=None, index="answer")


def null_kept_table(rows: pd.DataFrame, prior: str) -> pd.DataFrame:
    """Tabulate joint inference with the counts as they are and with the count of null kept.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `joint_experiments.joint_with_null`.
    prior : str
        Name of a prior.

    Returns
    -------
    pandas.DataFrame
        Text for readers; index: the answer. Columns: probability of null, score, score in hours
        out and at null, score minus the best.
    """
    found = rows[rows["prior"] == prior].set_index("answer").rename_axis("answer")
    table = pd.DataFrame({"probability of null": found["null"].map("{:.3f}".format)})
    table["score"] = _brackets(found, "Brier")
    for column, words in (("out", "in hours out"), ("at null", "in hours at null")):
        table[words] = found[column].map("{:.3f}".format)
    table["score minus the last"] = _brackets(found, "minus best")
    table.loc[found["minus best se"] == 0, "score minus the last"] = "–"
    table.loc[found["Brier"].isna(), table.columns[1:]] = "–"
    by_hours = {"PRIOR, null as its share of hours": "the prior, null by hours (no counts)"}
    return table.rename(index=WORDS | by_hours)


def price_table(rows: pd.DataFrame, levels: Sequence[float]) -> pd.DataFrame:
    """Tabulate what each mechanism costs and leaves to the attacker at some levels.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.attack_noisy_releases` for one dataset and prior.
    levels : sequence of float
        Values of ε or p.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = rows[rows["level"].isin(levels) & (rows["mechanism"] != IGNORED)]
    keys = ["mechanism", "level"]
    table = {
        "MRE, our bound": texts(means(found, keys, "MRE"), 2),
        "MRE, the paper's bound": texts(means(found, keys, "literal MRE"), 0),
        "attacker's error": texts(means(found, keys, "error"), 3),
    }
    found = pd.DataFrame(table).rename_axis(["mechanism", "ε or p"])
    return found.rename(index=printed_name, level="mechanism")


def ignorant_table(errors: Mapping[tuple[str, str], np.ndarray], raw: str) -> pd.DataFrame:
    """Tabulate errors of attackers, and how far they are above the one who uses the raw counts.

    Parameters
    ----------
    errors : mapping of (str, str) to numpy.ndarray
        Prior and attacker to the errors of all users, shape (n_users,).
    raw : str
        Name of the attacker who uses the raw counts, one for each prior.

    Returns
    -------
    pandas.DataFrame
        A row for each prior and attacker. Columns: mean error; mean of the error minus that of the
        attacker with the raw counts, paired by user; with 95% intervals over users, as text.
    """
    rows = {}
    for (prior, who), error in errors.items():
        paired = _over_users(error - errors[prior, raw], 4) if who != raw else "0"
        rows[WORDS.get(prior, prior), who] = {
            "error": _over_users(error),
            "error minus error with raw counts": paired,
        }
    return pd.DataFrame(rows).T.rename_axis(["prior", "attacker"])


def _over_users(values: np.ndarray, digits: int = 3) -> str:
    """Mean over users with its 95% interval, as text."""
    low, high = metrics.mean_interval(values)
    return f"{values.mean():.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def room_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate by how much attacks err less than always null.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.compare_with_null` for one dataset and goal, with any index.

    Returns
    -------
    pandas.DataFrame
        Columns: the attack's mean error; that of always null; the second minus the first, with the
        ends of its 95% interval over users.
    """
    less = "always null minus attack"
    rows = rows.assign(**{less: -rows["above null"], f"{less} se": rows["above null se"]})
    null = (rows["error"] + rows[less]).rename("error of always null")
    return pd.concat([rows["error"], null, with_interval(rows, less)], axis=1)


def ranked_table(noise: pd.DataFrame) -> pd.DataFrame:
    """Order all settings of noise on one dataset by the error of the release.

    Parameters
    ----------
    noise : pandas.DataFrame
        Stored rows of `experiments.noise` of one dataset.

    Returns
    -------
    pandas.DataFrame
        Index: mechanism, and ε or p. Columns: MRE; mean privacy gain; attacker's error minus that
        of always null, with the ends of its 95% interval over users; the ends of that of the gain.
    """
    at = noise[noise["what"] == "at"].sort_values("MRE")
    at = at.assign(mechanism=at["mechanism"].map(printed_name))
    words = {"level": "ε or p", "above null": "error minus always null"}
    gain = with_interval(at, "gain").drop(columns="gain").add_prefix("gain, ")
    table = at[["mechanism", "level", "MRE", "gain"]].join([with_interval(at, "above null"), gain])
    return table.rename(columns=words).set_index(["mechanism", "ε or p"])


def settings_table(ranked: pd.DataFrame) -> pd.DataFrame:
    """Write gains and differences from always null with their intervals.

    Parameters
    ----------
    ranked : pandas.DataFrame
        Rows of `ranked_table`.

    Returns
    -------
    pandas.DataFrame
        Columns: MRE; mean privacy gain; attacker's error minus that of always null; as text, with
        95% intervals over users.
    """
    worse = "error minus always null"
    gain = ranked[["gain"]].assign(
        **{f"95% {end}": ranked[f"gain, 95% {end}"] for end in ("low", "high")}
    )
    columns = {"gain": texts(gain, 3, "gain"), worse: texts(ranked, 3, worse)}
    return pd.DataFrame({"MRE": ranked["MRE"].map("{:.3f}".format), **columns})


def mre_table(rows: pd.DataFrame, bounds: Sequence[float]) -> pd.DataFrame:
    """Tabulate the MRE of every setting on one dataset under constant sanity bounds.

    Parameters
    ----------
    rows : pandas.DataFrame
        Stored rows of `experiments.sanity_bounds` of one dataset.
    bounds : sequence of float
        Sanity bounds, in users.

    Returns
    -------
    pandas.DataFrame
        Index: mechanism, and ε or p. A column for each bound. FPA has the orthonormal transform.
    """
    names = rows["mechanism"].replace("FPA, orthonormal", "FPA").map(printed_name)
    rows = rows.assign(mechanism=names, bound=pd.to_numeric(rows["bound"], errors="coerce"))
    found = rows[rows["bound"].isin(bounds)]
    table = found.set_index(["mechanism", "level", "bound"])["MRE"].unstack("bound")
    return table.rename_axis(["mechanism", "ε or p"])


def cabs_table(
    noise: pd.DataFrame, ignored: pd.DataFrame, printed: Mapping[str, float]
) -> pd.DataFrame:
    """Tabulate MRE, error and gain of every mechanism at one level, and of those without noise.

    Parameters
    ----------
    noise : pandas.DataFrame
        Stored rows of `experiments.noise` of one dataset that is no sample.
    ignored : pandas.DataFrame
        Stored rows of `experiments.ignore_counts`.
    printed : mapping of str to float
        Mechanism to the published MRE.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    at = noise[(noise["what"] == "at") & noise["level"].isin([1.0, 0.5])].set_index("mechanism")
    lazy = ignored.set_index("who")
    always = float(lazy["error"]["always null"])
    table = pd.DataFrame({"MRE": _mre(at, 2), "MRE in the paper": ""})
    table.loc[list(printed), "MRE in the paper"] = [f"{each:g}" for each in printed.values()]
    table["attacker's error"] = (at["above null"] + always).map("{:.3f}".format)
    table["gain"] = _brackets(at, "gain")
    others = pd.DataFrame({"MRE": "", "MRE in the paper": ""}, index=lazy.index)
    others["attacker's error"] = lazy["error"].map("{:.3f}".format)
    others["gain"] = _brackets(lazy, "gain")
    others.loc["raw counts", "gain"] = "0"  # by definition
    others = others.rename(index=lambda who: who if who == "raw counts" else f"no counts: {who}")
    table = pd.concat([table, others]).rename(index=printed_name)
    return table.rename_axis("release or attacker")


def _mre(rows: pd.DataFrame, digits: int) -> pd.Series:
    """MREs with intervals over releases."""
    return texts(with_interval(rows.assign(users=RELEASES), "MRE"), digits, "MRE")


def fpa_table(rows: pd.DataFrame, value: str, printed: Sequence[float] = ()) -> pd.DataFrame:
    """Tabulate MRE or gain under four interpretations of FPA on one dataset, a column for each ε.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    value : str
        "MRE" or "gain".
    printed : sequence of float, optional
        Published numbers, one for each ε.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = rows.set_index(["reading", "ε"])
    cells = _mre(found, 1) if value == "MRE" else _brackets(found, value)
    table = cells.unstack("ε").loc[rows["reading"].unique().tolist()]
    if printed:
        table.loc["the paper prints"] = [f"{each:g}" for each in printed]
    return table.rename(columns="ε = {:g}".format).rename_axis(columns=None, index="transform")


# -- tables ----------------------------------------------------------------------------------------


def errors_table(rows: pd.DataFrame, goal: str, prior: str) -> pd.DataFrame:
    """Tabulate error with its interval, loss and share of users better off, for one prior.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    goal : str
        "profiling" or "localization".
    prior : str
        Name of a prior.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = _chosen(rows, ["data", "strategy"], goal=goal, prior=prior)
    return with_interval(found, "error").join(found[["loss", "better"]])


def last_table(rows: pd.DataFrame, goal: str) -> pd.DataFrame:
    """Tabulate errors and losses with the assignment priors, a column for each strategy.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    goal : str
        "profiling" or "localization".

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = _chosen(rows[rows["prior"].isin(LAST)], ["prior", "data", "strategy"], goal=goal)
    order = pd.MultiIndex.from_product([LAST, rows["data"].unique()], names=["prior", "data"])
    wide = found[["error", "loss"]].unstack("strategy", sort=False)
    return pd.DataFrame(wide).reindex(order)


def week_parts_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the prior's error in parts of the week, and by how much counts reduce it.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = _chosen(rows, ["data", "part"], clock="local", less="nothing")
    taken = with_interval(found, "BAYES").rename(columns={"BAYES": "BAYES takes off"})
    return pd.concat([found["error"].rename("prior's error"), taken, found["MAX_USER"]], axis=1)


def clocks_table(rows: pd.DataFrame, hours: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the prior's error in two spans of the day by several cities' clocks.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.parts`: the spans on all seven days.
    hours : pandas.DataFrame
        Rows of `experiments.hours`, from which the spans on weekdays follow.

    Returns
    -------
    pandas.DataFrame
        The prior's error and by how much MAX_USER reduces it, on weekdays and on all days.
    """
    found = _chosen(rows[rows["clock"] != "local"], ["clock", "part"])
    found = found.rename_axis(["clock", "hours"])
    week = hours[hours["data"] == "cabspotting"].set_index("hour")
    on_weekdays = {}
    for city, span in found.index:
        here = (week.index + CLOCKS[city] - CLOCKS["San Francisco"]) % 168
        chosen = week[(here < 5 * 24) & np.isin(here % 24, PARTS[span][1])]
        off = chosen["PRIOR"] - chosen["MAX_USER"]
        on_weekdays[city, span] = chosen["PRIOR"].mean(), off.mean()
    weekdays = pd.DataFrame.from_dict(on_weekdays, orient="index").set_axis(found.index)
    half = with_interval(found, "error")["95% high"] - found["error"]
    error, taken = "prior's error", "MAX_USER takes off"
    return pd.DataFrame(
        {
            (error, "weekdays"): weekdays[0],
            (error, "all days"): found["error"],
            (error, "± all days"): half,
            (taken, "weekdays"): weekdays[1],
            (taken, "all days"): found["MAX_USER"],
        }
    )


def thirds_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the mean loss of users in thirds.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = _chosen(rows, ["data", "third by", "third"]).rename(columns={"loss": "mean"})
    interval = with_interval(found.rename(columns={"loss se": "mean se"}), "mean")
    return pd.concat([found["users"].rename("n"), interval], axis=1)


def noise_table(rows: pd.DataFrame, value: str) -> pd.DataFrame:
    """Tabulate MRE or gain of the output mechanisms, a column for each ε.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    value : str
        "MRE", "gain", or "MRE half": half of the 95% interval over releases.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    rows = rows.assign(**{"MRE half": rows["MRE se"] * stats.t.ppf(0.975, RELEASES - 1)})
    found = _chosen(rows[rows["mechanism"] != "SpotMe"], ["data", "mechanism", "level"], what="at")
    return found[value].rename_axis(["data", "mechanism", "ε"]).unstack("ε", sort=False)


def spotme_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate MRE and privacy gain of SpotMe by p.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = _chosen(rows, ["data", "level"], mechanism="SpotMe", what="at")
    gain = with_interval(found, "gain").rename(columns={"gain": "privacy gain"})
    return pd.concat([found["MRE"], gain], axis=1).rename_axis(["data", "p"])


def null_table(rows: pd.DataFrame, goal: str, data: str) -> pd.DataFrame:
    """Tabulate mean errors of one dataset: a row for each prior, a column for each attacker.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    goal : str
        "profiling" or "localization".
    data : str
        Name of the dataset.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = _chosen(rows, ["prior", "strategy"], goal=goal, data=data)["error"]
    table = found.unstack("strategy", sort=False).round(3)
    first = [each for each in (NULL, "PRIOR") if each in table]
    table = table[[*first, *table.columns.drop(first)]]
    return table.rename(columns=lambda each: WORDS.get(each, each)).astype(object).fillna("")


def last_interpretations_table(rows: pd.DataFrame, printed: dict[str, float]) -> pd.DataFrame:
    """Tabulate errors of the LAST priors under each interpretation, and what is printed.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    printed : mapping of str to float
        Prior to the published error.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    table = rows.set_index(["reading", "prior"])["error"].unstack("prior", sort=False).round(3)
    table.loc["the paper prints"] = pd.Series(printed)
    return table.rename_axis(columns=None)


def half_price_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Find the smallest MRE at which at least half of the largest gain on a dataset is reached.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    prices = {}
    for data, found in _chosen(rows, ["mechanism", "level"], what="at").groupby("data", sort=False):
        enough = found[found["gain"] >= found["gain"].max() / 2]
        name, level = enough["MRE"].idxmin()
        label = f"{name}, {'p' if name == 'SpotMe' else 'ε'} = {level:g}"
        best = enough.loc[(name, level)]
        unit = GUARANTEES.get(str(name), "everybody, everywhere")
        prices[data] = [found["gain"].max(), label, unit, best["MRE"], best["gain"]]
    columns = ["largest gain", "cheapest half of it", "ε-DP for", "MRE", "gain"]
    return pd.DataFrame.from_dict(prices, orient="index", columns=columns).rename_axis("data")


def guarantee_table(rows: pd.DataFrame, n_rois: int) -> pd.DataFrame:
    """Tabulate SpotMe's printed ε and exact δ, a column for each p.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    n_rois : int
        Number of ROIs, for the title.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    deltas = rows.set_index(["p", "data"])["δ of a week"].unstack("data", sort=False)
    first = _chosen(rows, ["p"], data=rows["data"].iloc[0])
    words = {"printed ε": f"printed ε, {n_rois} ROIs", "δ of a visit": "δ of a visit at that ε"}
    table = first[list(words)].rename(columns=words)
    return table.join(deltas.add_prefix("δ of a week at ε = 1, ")).T.rename_axis("p")


def joint_table(rows: pd.DataFrame, prior: str) -> pd.DataFrame:
    """Tabulate scores of strategies and of joint inference, with one prior.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    prior : str
        Name of a prior.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    found = _chosen(rows, ["data", "answer"], prior=prior)
    others = ["JS distance", "visits found", "no or two answers"]
    return with_interval(found, "Brier").join(found[others])


def bounds_table(found: pd.DataFrame, also: Sequence[str], best: int = 3) -> pd.DataFrame:
    """Tabulate the sanity bounds that match most MREs, each with its best interpretation of FPA.

    Parameters
    ----------
    found : pandas.DataFrame
        Bounds as `interpretations.rank_bounds` gives them.
    also : sequence of str
        Bounds that are shown in any case.
    best : int, default 3
        Number of best bounds.

    Returns
    -------
    pandas.DataFrame
        Text or numbers for readers.
    """
    each = found.reset_index().drop_duplicates("bound").set_index("bound")
    chosen = list(dict.fromkeys([*each.index[:best], *also]))
    each = each.loc[chosen].sort_values("met", ascending=False, kind="stable")
    met = each["met"].astype(str) + " of " + each["numbers"].astype(str)
    off = each["mean relative difference"].map(lambda x: f"{x:.3f}" if x < 10 else f"{x:.0f}")
    table = each[["FPA's transform"]].assign(
        **{"numbers met": met, "mean relative difference": off}
    )
    users = {name: f"{name} users" for name in table.index if "%" not in name}
    return table.rename(index=users).rename_axis("bound")


# -- differences between attackers, and stored rows beside live ones -------------------------------


_TENTHS: dict[str, dict[str, Any]] = {
    "all hours": {"color": COLORS[0], "linestyle": "-", "marker": "o"},
    "hours out": {"color": COLORS[1], "linestyle": "--", "marker": "s", "markerfacecolor": "white"},
}


def show_tenths(rows: pd.DataFrame) -> None:
    """Draw the error of the prior alone minus that of an attack, for each tenth of the cabs.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.tenths` for one attack and one order of the users.

    Returns
    -------
    None
    """
    ordered = {"visits": "visits", "squares": "squares visited"}[rows["ordered by"].iloc[0]]
    ax = plt.subplots(figsize=(6.2, 3.6))[1]
    for shift, (value, view) in zip((-0.06, 0.06), _VIEWS_OF_TENTHS.items(), strict=True):
        found, how = with_interval(rows, value), _TENTHS[view]
        spread = (found["95% high"] - found["95% low"]) / 2
        ax.errorbar(rows["tenth"] + shift, found[value], yerr=spread, capsize=3, **how)
        end = rows["tenth"].iloc[-1] + 0.3, found[value].iloc[-1]
        name: Any = view.replace(" ", "\n")
        ax.annotate(name, end, color=how["color"], va="center", annotation_clip=False)
    ax.axhline(0, color="black", linewidth=1.2, linestyle=":")
    ax.set_xticks(rows["tenth"])
    ax.set_xlabel(f"tenth of the cabs, by {ordered} (1: most)")
    title = f"error of the prior alone minus that of {rows['strategy'].iloc[0]}\n(above 0: a gain)"
    ax.set_title(title, fontsize=12, fontweight="normal")
    plt.show()


_VIEWS_OF_TENTHS = {"less": "all hours", "less out": "hours out"}


_PARTS_OF_GAIN = {"from hours out": "black", "from hours at null": "0.8"}  # colours of bars


def show_split(split: Mapping[tuple[str, str], Sequence[float]]) -> None:
    """Draw the gains of attackers over the prior alone, from hours out and from hours at null.

    A panel for each prior, and in it two bars for each attacker, with their lengths.

    Parameters
    ----------
    split : mapping of (str, str) to sequence of two float
        Prior and attacker -> gain from the hours out and gain from the hours at null; negative
        numbers are losses.

    Returns
    -------
    None
    """
    priors, who = (list(dict.fromkeys(names)) for names in zip(*split, strict=True))
    options: dict[str, Any] = {"sharex": True, "sharey": True, "squeeze": False}
    size = (6.4, 1.3 + len(priors) * (0.4 + 0.46 * len(who)))
    figure, axes = plt.subplots(len(priors), 1, figsize=size, **options)
    for ax, prior in zip(axes[:, 0], priors, strict=True):
        gains = np.array([split[prior, each] for each in who])
        for part, (words, face) in enumerate(_PARTS_OF_GAIN.items()):
            y = np.arange(len(who)) + 0.4 * part - 0.2
            bars = ax.barh(y, gains[:, part], 0.38, color=face, edgecolor="black", label=words)
            lengths = [f"{gain:+.3f}".replace("-", "\N{MINUS SIGN}") for gain in gains[:, part]]
            ax.bar_label(bars, lengths, padding=3, fontsize=10)
        ax.axvline(0, color="black", linewidth=1)
        ax.set(title=WORDS.get(prior, prior), ylim=(len(who) - 0.5, -0.5))
        ax.set_yticks(range(len(who)), [WORDS.get(each, each) for each in who])
        ax.grid(visible=False, axis="y")
    ends = np.array([[0, 0], *split.values()])
    room = 0.2 * (ends.max() - ends.min())  # for the lengths
    ax.set_xlim(ends.min() - room, ends.max() + room)
    ax.set_xlabel("part of the gain in mean profiling error (left of 0: a loss)")
    handles, words_drawn = ax.get_legend_handles_labels()
    figure.legend(handles, words_drawn, loc="outside upper center", ncols=2)
    plt.show()


def show_differences(rows: pd.DataFrame, xlabel: str, stacked: bool = False) -> None:
    """Draw mean differences with 95% intervals: a panel for each dataset, a marker for each prior.

    All panels have the same scale. If there is only one prior, the means are written at the right.

    Parameters
    ----------
    rows : pandas.DataFrame
        Columns: data, prior, strategy, mean, 95% low, 95% high.
    xlabel : str
        What is subtracted from what.
    stacked : bool, default False
        Whether the panels are below each other instead of beside each other.

    Returns
    -------
    None
    """
    names, priors = list(rows["data"].unique()), list(rows["prior"].unique())
    drawn = list(rows["strategy"].unique())
    options: dict[str, Any] = {"sharex": True, "sharey": True, "squeeze": False}
    shape, size = (1, len(names)), (6.4, 1.5 + 0.45 * len(drawn))
    if stacked:
        shape, size = (len(names), 1), (6.4, 0.8 + len(names) * (0.4 + 0.42 * len(drawn)))
    figure, grid = plt.subplots(*shape, figsize=size, **options)
    for ax, data in zip(grid.flat, names, strict=True):
        for row in rows[rows["data"] == data].to_dict("records"):
            p = priors.index(row["prior"])
            how = {"color": "black"} | _look(row["strategy"])
            how |= {"linestyle": "", "marker": MARKERS[p]}
            how["markerfacecolor"] = "white" if p else how["color"]
            y = drawn.index(row["strategy"]) + (p - (len(priors) - 1) / 2) * 0.24
            spread = [[row["mean"] - row["95% low"]], [row["95% high"] - row["mean"]]]
            ax.errorbar(row["mean"], y, xerr=spread, linewidth=1.2, markersize=5, **how)
            if len(priors) == 1:
                _write_mean(ax, row["mean"], y)
        ax.axvline(0, color="black", linestyle=":", linewidth=1.2)
        ax.set(title=plain_name(data), ylim=(len(drawn) - 0.5, -0.5))
        ax.set_yticks(range(len(drawn)), [WORDS.get(each, each) for each in drawn])
    locator = MaxNLocator(5 if stacked else 4, steps=[1, 2, 4, 10])
    grid[-1, -1].xaxis.set_major_locator(locator)
    grid[-1, -1].xaxis.set_major_formatter("{x:g}")
    figure.supxlabel(xlabel, fontsize=12)
    if len(priors) > 1:
        _explain_priors(figure, priors)
    plt.show()


def _write_mean(ax: Axes, mean: float, y: float) -> None:
    """Write a difference to the right of the panel, in the line of its mark."""
    words = f"{mean:+.4f}".replace("-", "\N{MINUS SIGN}")
    ax.text(1.02, y, words, transform=ax.get_yaxis_transform(), va="center", fontsize=11)


def show_paired(rows: pd.DataFrame, pairs: pd.DataFrame) -> None:
    """Draw by how much attacks err less than the prior alone and than always null.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.compare_with_null` for one dataset.
    pairs : pandas.DataFrame
        Rows of `experiments.pairs` for the same dataset.

    Returns
    -------
    None
    """
    both = pd.concat(_both_paired(rows, pairs), names=["data"]).reset_index()
    show_differences(both, "difference of mean profiling errors (right of 0: the attack is better)")


def show_gaps(gaps: Mapping[tuple[str, str], np.ndarray], xlabel: str) -> None:
    """Draw mean differences over users with 95% intervals, a panel for each dataset.

    Parameters
    ----------
    gaps : mapping of (str, str) to numpy.ndarray, shape (n_users,)
        Name of a dataset and name of a pair -> a difference for each user; nothing is drawn if
        there are none.
    xlabel : str
        What is subtracted.

    Returns
    -------
    None
    """
    drawn = [
        (
            data,
            "ROI_DAY",
            pair.replace(" minus", "\nminus"),
            values.mean(),
            *metrics.mean_interval(values),
        )
        for (data, pair), values in gaps.items()
    ]
    columns = ["data", "prior", "strategy", "mean", "95% low", "95% high"]
    if drawn:
        show_differences(pd.DataFrame(drawn, columns=columns), xlabel, stacked=True)


def show_joint(
    cells: Mapping[tuple[str, str], Any], name: str, columns: Sequence[str] = ()
) -> None:
    """Show a table on the hours in which the joint problem was solved; if it was not, say why.

    Parameters
    ----------
    cells : mapping of (str, str) to object
        Row and column -> text; or, with `columns`, the two labels of a row -> its values.
    name : str
        Name of the table.
    columns : sequence of str, optional
        Heads of the columns of a row's values.

    Returns
    -------
    None
    """
    if not cells:
        print("Only for up to 2,000 users: more would take minutes.")
    elif columns:
        figures.show_table(pd.DataFrame(cells, list(columns)).T, name)
    else:
        figures.show_table(pd.Series(cells).unstack(sort=False), name)


def beside_stored(stored: pd.DataFrame, live: pd.DataFrame) -> pd.DataFrame:
    """Put stored rows before live ones, without those of datasets that the page itself attacks.

    Parameters
    ----------
    stored, live : pandas.DataFrame
        Rows of one experiment, with a column "data".

    Returns
    -------
    pandas.DataFrame
        The rows of both.
    """
    return pd.concat([stored[~stored["data"].isin(live["data"])], live])

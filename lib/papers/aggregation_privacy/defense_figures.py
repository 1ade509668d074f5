"""Figures of the chapter on noise as a defense of aggregate location data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend_handler import HandlerTuple
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, NullLocator

from lib import metrics
from lib.papers.aggregation_privacy.experiments import LIKELIEST, NULL, with_interval
from lib.papers.aggregation_privacy.figures import (
    GUARANTEES,
    WORDS,
    count_by_threes,
    printed_name,
    scale_errors,
)
from lib.papers.figures import COLORS, line_style
from lib.papers.summaries import means

_CLOSE = 1.4  # points whose MREs are nearer than this factor share one text
_RULES: dict[str, Any] = {  # lines across
    NULL: ":",
    "the prior alone": "--",
    LIKELIEST: "--",
    "bolder rule": ":",
    "raw counts": "-",
}
_TEXT = 10.5  # points, of what is written inside a panel
_WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}  # behind a text on a line
_NEAR: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "fontsize": _TEXT}
_MRE = "mean relative error of the release"


def _style(name: str, markers: bool = True) -> dict[str, Any]:
    """Style of a mechanism; SpotMe is blue, because grey is for counts without noise."""
    found = line_style(name, markers) | {"linewidth": 1.4}
    return found | ({"color": COLORS[0]} if name == "SpotMe" else {})


def show_series(
    series: Mapping[str, np.ndarray],
    errors: Mapping[str, float],
    noons: Sequence[int],
    days: Sequence[str],
    clock: str,
    nights: Sequence[bool],
) -> None:
    """Draw one place's counts in grey, and over them what each mechanism releases: a panel each.

    A dotted line across marks the largest exact count, and bands mark the nights. Panels whose
    release exceeds twice the largest count have one vertical scale, and the others another.

    Parameters
    ----------
    series : mapping of str to numpy.ndarray
        Name to counts by hour, shape (n_hours,); the first is raw. A mechanism's name may go on
        after a comma.
    errors : mapping of str to float
        Mean absolute error over many releases of each series but the first, for the titles.
    noons : sequence of int
        Position of each day's noon.
    days : sequence of str
        Labels of the days.
    clock : str
        Which clock the days are by, for the label of the axis.
    nights : sequence of bool
        Whether each hour is between midnight and six in the morning.

    Returns
    -------
    None
    """
    raw, *_ = series.values()
    others = list(series.items())[1:]
    size = (6, 1.2 + 1.45 * len(others))
    figure, axes = plt.subplots(len(others), 1, figsize=size, sharex=True, squeeze=False)
    hours = np.arange(len(raw))
    for ax, (name, released) in zip(axes[:, 0], others, strict=True):
        for hour in np.flatnonzero(nights):
            ax.axvspan(hour - 0.5, hour + 0.5, color=_NIGHT, linewidth=0, zorder=0)
        ax.fill_between(hours, raw, color="#A6A6A6", step="mid", linewidth=0)
        ax.plot(hours, released, **_series_style(name))
        ax.axhline(raw.max(), **_LARGEST)
        ax.set_title(f"{name}: mean absolute error {errors[name]:#.3g}")
        ax.margins(x=0.01)
        ax.grid(visible=False, axis="x")
    far = np.array([np.abs(released).max() > 2 * raw.max() for _, released in others])
    scales = " (the scales differ)" if far.any() and not far.all() else ""
    for panels in (axes[far, 0], axes[~far, 0]):
        ends = [ax.get_ylim() for ax in panels]
        for ax in panels:
            ax.set_ylim(min(low for low, _ in ends), max(high for _, high in ends))
    axes[-1, 0].set_xticks(noons, days)
    axes[-1, 0].set_xlabel(f"noon of each day, {clock}")
    title = f"users counted in each hour{scales}"
    _explain_series(figure, title, [name for name, _ in others], raw.max())
    plt.show()


def _explain_series(figure: Figure, title: str, names: Sequence[str], largest: float) -> None:
    """Put a legend above the panels of one place's counts."""
    styles = {name.partition(",")[0]: _series_style(name) for name in names}
    lines = tuple(Line2D([], [], **style) for style in styles.values())
    across = Line2D([], [], **_LARGEST)
    marks: list[Any] = [Patch(color="#A6A6A6"), lines, across, Patch(color=_NIGHT)]
    words = ["exact counts", "one release", f"the largest, {largest:g}", "midnight to six"]
    figure.legend(
        marks,
        words,
        title=title,
        loc="outside upper center",
        ncols=2,
        handler_map={tuple: HandlerTuple(ndivide=None, pad=0.3)},
        columnspacing=1.2,
    )


_NIGHT = "#D6E6F2"  # of the bands
_LARGEST: dict[str, Any] = {"color": "0.35", "linestyle": ":", "linewidth": 1.1, "marker": ""}


def _series_style(name: str) -> dict[str, Any]:
    """Style of a release as a solid curve; a mechanism's name may go on after a comma."""
    return _style(name.partition(",")[0], markers=False) | {"linestyle": "-"}


def show_price(rows: pd.DataFrame, rules: Mapping[str, float]) -> None:
    """Draw the attacker's mean error against the release's MRE.

    The mechanisms share one panel. The second panel has a row for each mechanism, with its levels
    at its points. The area in which the attacker's error is below that of `LIKELIEST` is grey.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.attack_noisy_releases` for one dataset and prior.
    rules : mapping of str to float
        "raw counts", `LIKELIEST` or "bolder rule" to its mean error; each is a line across.

    Returns
    -------
    None
    """
    prior = WORDS.get(rows["prior"].iloc[0], rows["prior"].iloc[0])
    keys, noisy = ["mechanism", "level"], rows[rows["mechanism"].isin(list(GUARANTEES))]
    points = means(noisy, keys, "error").assign(MRE=means(noisy, keys, "MRE")["mean"])
    points = points.reset_index()
    figure = plt.figure(figsize=(6, 7.4))
    helped = Patch(color=_HELPED, label="below the likeliest place")
    ax = _draw_mechanisms(figure, points, f"attacker's mean error, {prior} as prior", [helped])
    ax.set_yscale("log")
    count_by_threes(ax.yaxis)
    largest = np.sqrt(np.log(2))  # of a Jensen-Shannon distance
    bottom = 0.62 * min(rules.values())
    ax.set_ylim(bottom, max(1.5 * points["mean"].max(), 1.1 * largest))
    ax.axhspan(bottom, rules[LIKELIEST], color=_HELPED, zorder=0, linewidth=0)
    highest = max(rules.values())
    for rule, error in rules.items():
        ax.axhline(error, color="black", linestyle=_RULES[rule], marker="", linewidth=1.2)
        above = error == highest
        _name_line(ax, 0.995, error, rule, above=above)
    ax.axhline(largest, color="0.45", linestyle="-", marker="", linewidth=0.9, zorder=1)
    _name_line(ax, 0.01, largest, f"largest possible error, {largest:.2f}", above=False, ha="left")
    name, lowest = "SCM Lap(1/ε)", 1.3 * min(rules.values())
    for x, error, level in zip(*_of(points, name, "MRE", "mean", "level"), strict=True):
        if x > 0 and error < 2 * highest:  # near the lines
            low = error <= lowest  # below the line of the raw counts, where there is room
            at: dict[str, Any] = _NEAR | ({"ha": "left", "va": "top"} if low else {})
            text = f"{_short_name(name)}, ε = {level:g}"
            ax.annotate(text, (x, error), (-12, -7) if low else (3, 5), **at)
    plt.show()


_HELPED = "0.91"  # of the area below the line of `LIKELIEST`


def show_lead(paired: Mapping[float, np.ndarray]) -> None:
    """Draw by how much an attacker on counts with event-level noise errs less than a rule.

    Three rows, one for each of the largest levels: the mean difference with its 95% interval over
    users, and its value. The mark is open if the interval contains 0.

    Parameters
    ----------
    paired : mapping of float to numpy.ndarray
        ε of event-level noise to the error of `LIKELIEST` minus that of the attacker, of each
        user, shape (n_users,).

    Returns
    -------
    None
    """
    shown = sorted(paired, reverse=True)[:3]
    _figure, ax = plt.subplots(figsize=(6, 1.5 + 0.5 * len(shown)))
    for y, level in enumerate(shown):
        mean, (low, high) = paired[level].mean(), metrics.mean_interval(paired[level])
        _draw_difference(ax, y, mean, low, high, _style("SCM Lap(1/ε)"))
        value = f"{mean:+.4f}".replace("-", "\N{MINUS SIGN}")
        ax.annotate(value, (high, y), (7, 0), **_NEAR | _AT_RIGHT)
    ax.axvline(0, color="black", linewidth=1.1, linestyle="--", marker="")
    ax.set_yticks(range(len(shown)), [f"ε = {level:g}" for level in shown])
    ax.set_ylim(len(shown) - 0.5, -0.5)
    ax.margins(x=0.2)  # room for the values
    ax.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    ax.set_title("error of likeliest place minus attacker's error", fontweight="normal")
    ax.set_xlabel("right of 0: the attacker has the smaller error")
    plt.show()


def _draw_difference(
    ax: Axes, y: int, mean: float, low: float, high: float, look: Mapping[str, Any]
) -> None:
    """Draw a mean with its 95% interval; the mark is open if the interval contains 0."""
    face = "white" if low <= 0 <= high else look["color"]
    style = {**look, "markerfacecolor": face, "linestyle": "", "label": None}
    ax.errorbar(mean, y, xerr=[[mean - low], [high - mean]], capsize=3, **style)


def show_aware(
    errors: Mapping[str, Mapping[float, np.ndarray]], rules: Mapping[str, float]
) -> None:
    """Draw the mean errors of two attackers on noisy counts against ε, with 95% intervals.

    Parameters
    ----------
    errors : mapping of str to mapping of float to numpy.ndarray
        The attackers, each with the errors of all users at each ε, shape (n_users,). The names
        stand beside the first points.
    rules : mapping of str to float
        "raw counts", `LIKELIEST` or "bolder rule" to its mean error; each is a line across with
        its name beside it.

    Returns
    -------
    None
    """
    _figure, ax = plt.subplots(figsize=(6, 4.2))
    looks = zip(errors.items(), COLORS, "os", strict=False)
    for (who, at), color, marker in looks:
        levels = sorted(at)
        ends = np.array([metrics.mean_interval(at[level]) for level in levels])
        mean = np.array([at[level].mean() for level in levels])
        style: dict[str, Any] = {"color": color, "marker": marker, "linestyle": "-"}
        style |= {"linewidth": 1.4, "elinewidth": 2.2, "markersize": 4.5, "capsize": 5}
        ax.errorbar(levels, mean, yerr=np.abs(ends.T - mean), **style)
        place: dict[str, Any] = {"textcoords": "offset points", "color": color, "fontsize": 12}
        ax.annotate(who, (levels[0], mean[0]), (8, 6), **place)
    highest = max(rules.values())
    for rule, error in rules.items():
        ax.axhline(error, color="black", linestyle=_RULES[rule], marker="", linewidth=1.1)
        _name_line(ax, 1.01, error, rule, above=error == highest, ha="left")
    ax.set_title("attacker's mean error", fontweight="normal")
    ax.set(xscale="log", yscale="log", xlabel="nominal ε of event-level noise")
    shown = sorted({level for at in errors.values() for level in at})
    ax.set_xticks(shown, [f"{level:g}" for level in shown])
    ax.xaxis.set_minor_locator(NullLocator())
    count_by_threes(ax.yaxis)
    largest = max(error.mean() for at in errors.values() for error in at.values())
    ax.set_ylim(0.8 * min(rules.values()), 1.5 * max(largest, highest))
    plt.show()


def show_gain_price(noise: pd.DataFrame, ignored: pd.DataFrame) -> None:
    """Draw the mean privacy gain of one dataset against the release's MRE.

    The mechanisms share one panel. The second panel has a row for each mechanism, with its levels
    at its points. Lines across are attackers who use no counts; the grey band is the 95% interval
    of always null over users. The vertical line is an MRE of 1. The two points next to the line of
    always null, one above and one below it, have their names and gains.

    Parameters
    ----------
    noise : pandas.DataFrame
        Rows of `experiments.noise`.
    ignored : pandas.DataFrame
        Rows of `experiments.ignore_counts`.

    Returns
    -------
    None
    """
    at = noise[(noise["what"] == "at") & noise["mechanism"].isin(list(GUARANTEES))]
    points = with_interval(at, "gain").rename(columns={"gain": "mean"})
    points = pd.concat([at[["mechanism", "level", "MRE"]], points], axis=1)
    lazy = with_interval(ignored.set_index("who"), "gain")
    rules = {WORDS.get(who, who): lazy["gain"][who] for who in ("the prior alone", NULL)}
    figure = plt.figure(figsize=(6, 7.4))
    ax = _draw_mechanisms(figure, points, "mean privacy gain of a user", one=True)
    _name_pile(ax, points)
    above = points["mean"] > rules[WORDS[NULL]]
    for side, chosen in ((5, points[above].nsmallest), (-5, points[~above].nlargest)):
        for row in chosen(1, "mean").to_dict("records"):
            level = f"{'p' if row['mechanism'] == 'SpotMe' else 'ε'} = {row['level']:g}"
            text = f"{_short_name(row['mechanism'])}, {level}: {row['mean']:.3f}"
            ax.annotate(text, (row["MRE"], row["mean"]), (9, side), **_NEAR | _AT_RIGHT)
    low, high = (float(lazy[end][NULL]) for end in ("95% low", "95% high"))
    ax.axhspan(low, high, color="0.85", zorder=0, linewidth=0)
    for rule, gain in rules.items():
        ax.axhline(gain, color="black", linestyle=_RULES[rule], marker="", linewidth=1.2)
        _name_line(ax, 0.01, gain, rule, above=True, ha="left")
    ax.set_ylim(0, None)
    plt.show()


_AT_RIGHT: dict[str, Any] = {"ha": "left", "va": "center"}


def _name_pile(ax: Axes, points: pd.DataFrame) -> None:
    """Say how many points lie at the largest MREs, if they are many and have about one mean."""
    pile = points[points["MRE"] > points["MRE"].max() / 2]
    low, high = pile["mean"].min(), pile["mean"].max()
    if len(pile) > 3 and high - low < 0.05:
        corner = pile["MRE"].max(), pile["95% low"].min()
        text = f"{len(pile)} settings:\n{low:.3f} to {high:.3f}"
        ax.annotate(text, corner, (6, -4), **_NEAR | {"va": "top"})


def _draw_mechanisms(
    figure: Figure, points: pd.DataFrame, title: str, also: Sequence[Patch] = (), one: bool = False
) -> Axes:
    """All mechanisms in one panel, and below it a row for each with its levels at its points.

    The legend above ends with the patches of `also`. With `one`, a vertical line marks an MRE of 1,
    and no lines join the points. Returns the first panel.
    """
    names = [each for each in GUARANTEES if (points["mechanism"] == each).any()]
    ratios = [3.3, 0.4 + 0.55 * len(names)]
    ax, strips = figure.subplots(2, 1, sharex=True, height_ratios=ratios)
    look = {"linewidth": 0.9, "markeredgecolor": "white", "markeredgewidth": 0.6, "markersize": 8}
    look |= {"linestyle": ""} if one else {}
    for row, name in enumerate(names):
        x, mean, low, high = _of(points, name, "MRE", "mean", "95% low", "95% high")
        style = _style(name) | look | {"label": _short_name(name)}
        ax.errorbar(x, mean, yerr=[mean - low, high - mean], capsize=3, elinewidth=1.6, **style)
        _draw_row(strips, row, name, x, _of(points, name, "level")[0], style)
    _finish_rows(strips, len(names))
    ax.set_title(title, fontweight="normal")
    ax.tick_params(labelbottom=False)
    ax.margins(x=0.07)  # room for the text at the first point
    for each in (ax, strips):
        if one:
            each.axvline(1, color="black", linewidth=1.1, linestyle="-.", marker="", zorder=0)
    if one:
        place: dict[str, Any] = {"transform": ax.get_xaxis_transform(), "fontsize": _TEXT}
        ax.text(1, 0.97, "MRE 1 ", ha="right", va="top", **place)
    marks = [Line2D([], [], **_style(name) | look | {"linestyle": ""}) for name in names]
    words = [*map(_short_name, names), *(str(patch.get_label()) for patch in also)]
    spacing: dict[str, Any] = {"columnspacing": 1.2, "handletextpad": 0.3, "fontsize": _TEXT}
    figure.legend([*marks, *also], words, loc="outside upper center", ncols=3, **spacing)
    return ax


def _draw_row(
    ax: Axes, row: int, name: str, x: np.ndarray, levels: np.ndarray, style: Mapping[str, Any]
) -> None:
    """The points of one mechanism in a row, with its name, its unit and its levels."""
    ax.plot(x, np.full(len(x), row), **{**style, "linestyle": "", "label": None})
    in_row: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "fontsize": _TEXT}
    ax.text(0.01, row - 0.36, _row_name(name), va="center", **in_row)
    if row:
        ax.axhline(row - 0.6, color="#DDDDDD", linewidth=0.8, linestyle="-", marker="")
    _write_levels(ax, row, x, levels)


def _finish_rows(ax: Axes, n_rows: int) -> None:
    """Scale and describe the panel that has a row for each mechanism."""
    ax.set_yticks([])
    ax.set_ylim(n_rows - 0.45, -0.75)
    ax.grid(visible=False, axis="y")
    ax.set_title("the same points: nominal ε (p for SpotMe)", fontsize=12, fontweight="normal")
    ax.set(xscale="log", xlabel=_MRE)
    ax.xaxis.set_major_formatter("{x:g}")
    ax.margins(x=0.07)


def _short_name(mechanism: str) -> str:
    """A mechanism without the name of the family that adds noise to counts."""
    return printed_name(mechanism).removeprefix("SCM ")


def _row_name(mechanism: str) -> str:
    """A mechanism and its unit of privacy."""
    unit = "no finite ε" if mechanism == "SpotMe" else GUARANTEES[mechanism]
    return f"{_short_name(mechanism)}: {unit}"


def _name_line(ax: Axes, x: float, y: float, name: str, above: bool, ha: str = "right") -> None:
    """Write the name of a line across above or below it, x in shares of the panel's width."""
    place: dict[str, Any] = {"textcoords": "offset points", "fontsize": _TEXT, "ha": ha}
    place |= {"xycoords": ax.get_yaxis_transform(), "va": "bottom" if above else "top"}
    ax.annotate(name, (x, y), (0, 1 if above else -2), **place)


def _write_levels(ax: Axes, y: float, x: np.ndarray, levels: np.ndarray) -> None:
    """Write each level below its point of a row; levels of points that coincide above them.

    A list of levels runs from left to right like the points of the row. If more than two points are
    all that there are, and all coincide, the text says so.
    """
    drawn = x > 0  # the axis is logarithmic
    if not drawn.any():
        return
    order = np.flatnonzero(drawn)[np.argsort(-x[drawn], kind="stable")]  # from the right
    x, levels = x[order], levels[order]
    falls = bool(levels[0] < levels[-1])  # whether levels fall from left to right
    near = np.flatnonzero(np.abs(np.diff(np.log(x))) > np.log(_CLOSE)) + 1
    for group in np.split(np.arange(len(x)), near):
        place: dict[str, Any] = {
            "textcoords": "offset points",
            "fontsize": _TEXT - 0.5,
            "bbox": _WHITE,
        }
        if len(group) == 1:
            at, place["ha"], place["va"] = (0, -5), "center", "top"
            ax.annotate(f"{levels[group[0]]:g}", (x[group[0]], y), at, **place)
            continue
        text = ", ".join(f"{level:g}" for level in sorted(levels[group], reverse=falls))
        if len(group) == len(drawn) > 2:
            text = f"all {len(group)} values"
        ax.annotate(text, (x[group].max(), y), (5, 5), ha="right", va="bottom", **place)


def _of(points: pd.DataFrame, name: str, *columns: str) -> list[np.ndarray]:
    """Columns of one mechanism's points, in the order of its levels."""
    found = points[points["mechanism"] == name].sort_values("level")
    return [found[each].to_numpy(float) for each in columns]


def show_ignorant(errors: Mapping[tuple[str, str], np.ndarray]) -> None:
    """Draw the mean errors of attackers with 95% intervals over users, a panel for each prior.

    Attackers who use the raw counts have filled marks, the others open ones. The mean stands beside
    each mark.

    Parameters
    ----------
    errors : mapping of (str, str) to numpy.ndarray
        Prior and attacker to the errors of all users, shape (n_users,). Names of attackers without
        counts may end in ", no counts"; names of those with counts begin with "raw counts".

    Returns
    -------
    None
    """
    priors = list(dict.fromkeys(prior for prior, _ in errors))
    rows = [[who for each, who in errors if each == prior] for prior in priors]
    options: dict[str, Any] = {"sharex": True, "squeeze": False}
    options["height_ratios"] = [len(each) for each in rows]
    size = (6, 2.1 + 0.33 * len(errors))
    means_of = np.array([each.mean() for each in errors.values()])
    figure, axes = plt.subplots(len(priors), 1, figsize=size, **options)
    for ax, prior, attackers in zip(axes[:, 0], priors, rows, strict=True):
        for y, who in enumerate(attackers):
            low, high = metrics.mean_interval(errors[prior, who])
            mean = errors[prior, who].mean()
            face = COLORS[0] if who.startswith("raw counts") else "white"
            style = _MARK | {"markerfacecolor": face}
            ax.errorbar(mean, y, xerr=[[mean - low], [high - mean]], capsize=3, **style)
            place: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
            digits = 3 if mean >= 0.01 else 4
            ax.annotate(f"{mean:.{digits}f}", (high, y), (7, 0), fontsize=10, **place)
        names = [who.removesuffix(", no counts") for who in attackers]
        ax.set_yticks(range(len(names)), names)
        ax.set(ylim=(len(names) - 0.5, -0.5), title=f"prior: {WORDS.get(prior, prior)}")
        scale_errors(ax, means_of)
        ax.margins(x=0.12)
    axes[-1, 0].set_xlabel("attacker's mean error")
    _explain_fill(figure, "uses the exact counts", "ignores the counts")
    plt.show()


def _explain_fill(figure: Figure, filled: str, open_mark: str) -> None:
    """Put a legend above the figure that says what filled and open marks are."""
    marks = [Line2D([], [], **_MARK | {"markerfacecolor": face}) for face in (COLORS[0], "white")]
    figure.legend(marks, [filled, open_mark], loc="outside upper center", ncols=2)


_MARK: dict[str, Any] = {"color": COLORS[0], "marker": "o", "linestyle": ""}


def show_settings(ranked: pd.DataFrame) -> None:
    """Draw the attacker's error minus that of always null, with 95% intervals, a row a setting.

    Marks are open if the interval contains 0, else filled. A line separates settings with an MRE
    below 1; the MRE of each setting stands at the right.

    Parameters
    ----------
    ranked : pandas.DataFrame
        Rows of `figures.ranked_table`, in the order of their MRE.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6.2, 1.9 + 0.36 * len(ranked)))
    worse = ranked["error minus always null"].to_numpy()
    low, high = ranked["95% low"].to_numpy(), ranked["95% high"].to_numpy()
    at_right: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "va": "center"}
    names = []
    for y, (mechanism, level, error) in enumerate(
        ranked["MRE"].reset_index().itertuples(index=False)
    ):
        _draw_difference(ax, y, worse[y], low[y], high[y], _MARK)
        name = _short_name(str(mechanism))
        names.append(f"{name}, {'p' if name == 'SpotMe' else 'ε'} = {level:g}")
        ax.text(1.02, y, f"{error:.2f}", **at_right)
    ax.axvline(0, color="black", linewidth=1, linestyle="-")
    border = float((ranked["MRE"] < 1).sum()) - 0.5
    ax.axhline(border, color="black", linewidth=1, linestyle="--")
    ax.text(0.99, border - 0.3, "MRE below 1", ha="right", **at_right)
    ax.text(0.99, border + 0.3, "MRE above 1", ha="right", **at_right)
    ax.text(1.02, -1, "MRE", **at_right)
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_title("setting", x=-0.02, ha="right", fontweight="normal")
    ax.set_xlabel("attacker's error minus that of always null")
    _explain_fill(figure, "interval excludes 0", "interval contains 0")
    plt.show()

"""Figures of the chapter on noise as a defense of aggregate location data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator

from lib import metrics
from lib.papers.aggregation_privacy.experiments import LIKELIEST, NULL, with_interval
from lib.papers.aggregation_privacy.figures import GUARANTEES, WORDS, printed_name
from lib.papers.figures import COLORS, line_style
from lib.papers.summaries import means

_CLOSE = 1.4  # points whose MREs are nearer than this factor share one text
_REACH = 0.13  # of a panel's height: what a text beside a point takes
_FLAT = 0.041  # of a panel's height: points that differ by less are on a level
_RULES: dict[str, Any] = {  # lines across
    NULL: ":",
    "the prior alone": "--",
    LIKELIEST: "--",
    "bolder rule": ":",
    "raw counts": "-",
}


def _style(name: str, markers: bool = True) -> dict[str, Any]:
    """Style of a mechanism; SpotMe is blue, because the other mechanisms are drawn in grey."""
    found = line_style(name, markers) | {"linewidth": 1.4}
    return found | ({"color": COLORS[0]} if name == "SpotMe" else {})


def show_series(series: Mapping[str, np.ndarray], days: Sequence[str]) -> None:
    """Draw one place's counts, and over them what each mechanism releases: a panel each.

    Parameters
    ----------
    series : mapping of str to numpy.ndarray
        Name to counts by hour, shape (n_hours,); the first is raw. A mechanism's name may go on
        after a comma.
    days : sequence of str
        Labels of the days.

    Returns
    -------
    None
    """
    raw, *_ = series.values()
    others = list(series.items())[1:]
    size = (6, 0.8 + 1.4 * len(others))
    figure, axes = plt.subplots(len(others), 1, figsize=size, sharex=True, squeeze=False)
    for ax, (name, released) in zip(axes[:, 0], others, strict=True):
        ax.plot(raw, color="black", linewidth=1, marker="", linestyle="-")
        ax.plot(released, **_style(name.partition(",")[0], markers=False))
        ax.set_title(name)
    axes[-1, 0].set_xticks(range(12, len(raw), 24), days)
    words = ["raw counts, the same in every panel"]
    figure.legend([axes[0, 0].lines[0]], words, loc="outside upper center")
    figure.supylabel("count")
    plt.show()


def show_price(rows: pd.DataFrame, rules: Mapping[str, float]) -> None:
    """Draw the attacker's mean error against the release's MRE, a panel for each mechanism.

    The last panel enlarges the points of the first mechanism that are near the lines across.

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
    keys, noisy = ["mechanism", "level"], rows[rows["mechanism"].isin(list(GUARANTEES))]
    points = means(noisy, keys, "error").assign(MRE=means(noisy, keys, "MRE")["mean"])
    points = points.reset_index()
    axes = _draw_mechanisms(points, rules, "attacker's mean error")
    for ax in axes:
        _count_by_threes(ax)
    _enlarge(axes[0].figure.axes[-1], points, rules)
    plt.show()


def _enlarge(cell: Axes, points: pd.DataFrame, rules: Mapping[str, float]) -> None:
    """Draw the points of the first mechanism near the rules, with the names of the rules."""
    name = next(each for each in GUARANTEES if (points["mechanism"] == each).any())
    highest = max(rules.values())
    near = points[(points["mean"] < 2 * highest) & (points["MRE"] > 0)]
    x, mean, low, high, levels = _of(near, name, "MRE", "mean", "95% low", "95% high", "level")
    ax = cell.inset_axes((0.08, 0.0, 0.92, 0.94))
    ax.errorbar(x, mean, yerr=[mean - low, high - mean], capsize=3, **_style(name))
    for rule, error in rules.items():
        ax.axhline(error, color="black", linestyle=_RULES[rule], marker="", linewidth=1.1)
        where = "bottom" if error == highest else "top"
        _name_line(ax, 0.985, error, rule, ha="right", va=where)
    ax.set(ylim=(0, 2 * highest), title=f"{printed_name(name)},\nenlarged")
    if len(x):
        ax.set(xscale="log", xlim=(x.min() / 5, x.max() * 100))  # the names are at the right
    for at, error, level in zip(x, mean, levels, strict=True):
        place: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "fontsize": 9}
        ax.annotate(f"{level:g}", (at, error), (-4, 5), **place)


def show_aware(
    errors: Mapping[str, Mapping[float, np.ndarray]], rules: Mapping[str, float]
) -> None:
    """Draw the mean errors of two attackers on noisy counts against ε, with 95% intervals.

    Parameters
    ----------
    errors : mapping of str to mapping of float to numpy.ndarray
        The attackers, each with the errors of all users at each ε, shape (n_users,).
    rules : mapping of str to float
        "raw counts", `LIKELIEST` or "bolder rule" to its mean error; each is a line across with
        its name beside it.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6, 3.9))
    for (who, at), look, marker in zip(errors.items(), COLORS, "os", strict=False):
        ends = np.array([metrics.mean_interval(error) for error in at.values()])
        mean = np.array([error.mean() for error in at.values()])
        spread = np.abs(ends.T - mean)
        style: dict[str, Any] = {"color": look, "marker": marker, "linestyle": "-"}
        ax.errorbar([*at], mean, yerr=spread, label=who, capsize=3, linewidth=1.4, **style)
    highest = max(rules.values())
    for rule, error in rules.items():
        ax.axhline(error, color="black", linestyle=_RULES[rule], marker="", linewidth=1.1)
        where = "bottom" if error == highest else "top"
        _name_line(ax, 1.01, error, rule, va=where)
    ax.set(xscale="log", xlabel="nominal ε of event-level noise", ylabel="attacker's mean error")
    ax.set_yscale("log")
    _count_by_threes(ax)
    figure.legend(loc="outside upper center", ncols=2)
    plt.show()


def _count_by_threes(ax: Axes) -> None:
    """Put ticks of a logarithmic vertical axis at 1 and 3 times powers of ten."""
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 3)))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter("{x:g}")


def show_gain_price(noise: pd.DataFrame, ignored: pd.DataFrame) -> None:
    """Draw the mean privacy gain of one dataset against the release's MRE, a panel a mechanism.

    Lines across are attackers who use no counts; the grey band is the 95% interval of always null
    over users.

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
    axes = _draw_mechanisms(points, rules, "mean privacy gain", logarithmic=False)
    low, high = (float(lazy[end][NULL]) for end in ("95% low", "95% high"))
    for ax in axes:
        ax.axhspan(low, high, color="0.85", zorder=0, linewidth=0)
        for rule, gain in rules.items():
            _name_line(ax, 0.02, gain, rule, ha="left", va="bottom")
    plt.show()


def _draw_mechanisms(
    points: pd.DataFrame, rules: Mapping[str, float], ylabel: str, logarithmic: bool = True
) -> list[Axes]:
    """A panel for each mechanism with its levels at the points; the others are drawn in grey."""
    names = [each for each in GUARANTEES if (points["mechanism"] == each).any()]
    figure, grid = plt.subplots(3, 2, figsize=(6.4, 8.8), sharex=True, sharey=True)
    axes = [*grid.flat][: len(names)]
    for name, ax in zip(names, axes, strict=True):
        for other in names:
            ax.plot(*_of(points, other, "MRE", "mean"), color="#C8C8C8", linewidth=1, marker="")
        x, mean, low, high = _of(points, name, "MRE", "mean", "95% low", "95% high")
        ax.errorbar(x, mean, yerr=[mean - low, high - mean], capsize=3, **_style(name))
        for rule, value in rules.items():
            ax.axhline(value, color="black", linestyle=_RULES[rule], marker="", linewidth=1.1)
        unit = "no finite ε" if name == "SpotMe" else GUARANTEES[name]
        ax.set(xscale="log", title=f"{printed_name(name)}:\n{unit}")
        ax.set_yscale("log" if logarithmic else "linear")
    for ax in grid.flat:
        ax.margins(x=0.06, y=0.2)  # of all panels, because they share the axes
    for name, ax in zip(names, axes, strict=True):
        x, mean, levels = _of(points, name, "MRE", "mean", "level")
        _write_levels(ax, x, mean, levels, [*rules.values()])
    for ax in axes[-2:]:  # the lowest of each column
        ax.tick_params(labelbottom=True)
    for unused in [*grid.flat][len(names) :]:
        unused.set_axis_off()
    figure.supxlabel("mean relative error of the release")
    figure.supylabel(ylabel)
    return axes


def _name_line(ax: Axes, x: float, y: float, name: str, **aligned: Any) -> None:
    """Write the name of a line across beside it, x in shares of the panel's width."""
    ax.text(x, y, name, transform=ax.get_yaxis_transform(), fontsize=9.5, **aligned)


def _write_levels(
    ax: Axes, x: np.ndarray, y: np.ndarray, levels: np.ndarray, rules: Sequence[float]
) -> None:
    """Write each level above its point, or below if something is in the way.

    Points that coincide share one text.
    """
    drawn = x > 0  # the axis is logarithmic
    if not drawn.any():
        return
    order = np.flatnonzero(drawn)[np.argsort(-x[drawn], kind="stable")]  # from the right
    x, y, levels = x[order], y[order], levels[order]
    near = np.flatnonzero(np.abs(np.diff(np.log(x))) > np.log(_CLOSE)) + 1
    taken = [_height(ax, value) for value in rules]
    before = np.inf  # height of the point to the right
    for group in np.split(np.arange(len(x)), near):
        text = ", ".join(f"{levels[i]:g}" for i in sorted(group, key=lambda i: levels[i]))
        place: dict[str, Any] = {"textcoords": "offset points", "fontsize": 9}
        first = group[x[group].argmin()]
        height = _height(ax, y[first])
        blocked = any(0.03 < each - height < _REACH for each in taken)
        if len(group) > 1:
            shift, place["ha"] = (8, 7), "right"
        elif blocked or abs(before - height) < _FLAT:
            shift, place["ha"], place["va"] = (0, -5), "center", "top"
        else:
            shift, place["ha"] = (-3, 4), "right"
        ax.annotate(text, (x[first], y[first]), shift, **place)
        before = height


def _height(ax: Axes, y: float) -> float:
    """Where a value is in a panel: 0 at the bottom, 1 at the top."""
    return float(ax.transAxes.inverted().transform(ax.transData.transform((1, y)))[1])


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
    size = (6, 1.6 + 0.33 * len(errors))
    figure, axes = plt.subplots(len(priors), 1, figsize=size, **options)
    for ax, prior, attackers in zip(axes[:, 0], priors, rows, strict=True):
        for y, who in enumerate(attackers):
            low, high = metrics.mean_interval(errors[prior, who])
            mean = errors[prior, who].mean()
            face = COLORS[0] if who.startswith("raw counts") else "white"
            style: dict[str, Any] = {"color": COLORS[0], "marker": "o", "markerfacecolor": face}
            ax.errorbar(mean, y, xerr=[[mean - low], [high - mean]], capsize=3, **style)
            place: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
            digits = 3 if mean >= 0.01 else 4
            ax.annotate(f"{mean:.{digits}f}", (high, y), (7, 0), fontsize=10, **place)
        names = [who.removesuffix(", no counts") for who in attackers]
        ax.set_yticks(range(len(names)), names)
        ax.set(ylim=(len(names) - 0.5, -0.5), title=f"prior: {WORDS.get(prior, prior)}")
        ax.set(xscale="log", xticks=[0.01, 0.03, 0.1])
        ax.xaxis.set_minor_locator(NullLocator())
        ax.xaxis.set_major_formatter("{x:g}")
        ax.margins(x=0.12)
    figure.supxlabel("attacker's mean error")
    plt.show()


def show_settings(ranked: pd.DataFrame) -> None:
    """Draw the attacker's error minus that of always null, with 95% intervals, a row a setting.

    Marks are filled if the interval excludes 0. A line separates settings with an MRE below 1.

    Parameters
    ----------
    ranked : pandas.DataFrame
        Rows of `figures.ranked_table`, in the order of their MRE.

    Returns
    -------
    None
    """
    _figure, ax = plt.subplots(figsize=(6.4, 1.2 + 0.34 * len(ranked)))
    worse = ranked["error minus always null"].to_numpy()
    low, high = ranked["95% low"].to_numpy(), ranked["95% high"].to_numpy()
    for y in range(len(ranked)):
        face = COLORS[0] if low[y] > 0 or high[y] < 0 else "white"
        style: dict[str, Any] = {"color": COLORS[0], "marker": "o", "markerfacecolor": face}
        ax.errorbar(
            worse[y], y, xerr=[[worse[y] - low[y]], [high[y] - worse[y]]], capsize=3, **style
        )
    ax.axvline(0, color="black", linewidth=1, linestyle="-")
    ax.axhline((ranked["MRE"] < 1).sum() - 0.5, color="black", linewidth=1, linestyle="--")
    words = []
    for mechanism, level, error in ranked["MRE"].reset_index().itertuples(index=False):
        name = str(mechanism).removeprefix("SCM ")
        words.append(f"{name}, {'p' if name == 'SpotMe' else 'ε'} = {level:g}:  {error:.2f}")
    ax.set_yticks(range(len(words)), words)
    ax.set_ylim(len(words) - 0.5, -0.5)
    ax.set_ylabel("setting: mean relative error")
    ax.set_xlabel("attacker's error minus that of always null")
    plt.show()

"""Drawings and tables of the page that replicates the paper on aggregation privacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from lib.papers import claims, figures
from lib.papers.aggregation_privacy.experiments import CLOCKS, EPSILONS, NULL, OUTPUT, clock_label
from lib.papers.aggregation_privacy.figures import _BANDS, WORDS, _draw_week, _look, spotme_table
from lib.papers.beside_published import BOX_MEAN
from lib.papers.figures import COLORS

_PRIORS = (  # in the order of the rows of all figures
    "FREQ_ROI",
    "ROI_DAY",
    "ROI_DAY_WEEK",
    "TIME_DAY",
    "TIME_DAY_WEEK",
    "LAST_WEEK",
    "LAST_DAY",
    "LAST_HOUR",
)


def show_attackers(
    rows: pd.DataFrame, goal: str, data: str, attackers: Sequence[str], marked: str = ""
) -> None:
    """Draw the mean error of each attacker with each prior, and a line at that of always null.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.compare_with_null`.
    goal : str
        "profiling" or "localization".
    data : str
        Name of the dataset.
    attackers : sequence of str
        Strategies to be drawn. One that a prior lacks is left out in its row.
    marked : str, optional
        A strategy whose error is the same with all priors; it has a line of its own.
    """
    found = rows[(rows["goal"] == goal) & (rows["data"] == data)]
    errors = found.pivot(index="prior", columns="strategy", values="error")
    priors = list(found["prior"].unique())
    figure, ax = plt.subplots(figsize=(6.2, 0.45 * len(priors) + 1.6))
    ax.axvline(errors[NULL].iloc[0], color="black", linestyle=":", label=WORDS[NULL], marker="")
    if marked:
        how: dict[str, Any] = {"linestyle": "-", "linewidth": 1, "marker": ""}
        how |= {"color": _look(marked)["color"], "label": WORDS[marked]}
        ax.axvline(errors[marked].iloc[0], **how)
    for n, name in enumerate(attackers):
        style = _look(name) | {"linestyle": "", "markersize": 8, "label": WORDS[name]}
        y = np.arange(len(priors)) + 0.12 * (n - (len(attackers) - 1) / 2)
        ax.plot(errors.loc[priors, name], y, **style)
    ax.set_yticks(range(len(priors)), priors)
    ax.set(ylim=(len(priors) - 0.5, -0.5), xlabel=f"mean {goal} error")
    ax.locator_params(axis="x", nbins=6)
    figure.legend(loc="outside upper center", ncols=2, fontsize=11)
    plt.show()


def show_bounds(found: Mapping[str, pd.DataFrame], largest: float = 10.0) -> None:
    """Draw how many printed MREs agree with ours under each constant sanity bound.

    Parameters
    ----------
    found : mapping of str to pandas.DataFrame
        Dataset -> bounds as `interpretations.rank_bounds` gives them. Each bound is drawn with the
        transform of FPA that agrees with most numbers.
    largest : float, default 10
        Largest constant that is drawn, in users.
    """
    ax = plt.subplots(figsize=(6.2, 3.8))[1]
    for data, each in found.items():
        met = each["met"].groupby(level="bound").max()
        met.index = pd.Index(pd.to_numeric(met.index.to_series(), errors="coerce"))
        met = met[met.index <= largest].sort_index()
        style = figures.line_style(data, markers=False)
        ax.plot(met.index, met, **style)
        words, place = _PEAKS[data]
        highest = met.index[met == met.max()]
        best = " to ".join(f"{bound:g}" for bound in dict.fromkeys((highest[0], highest[-1])))
        peak = float(highest[-1]), float(met.max())
        options: dict[str, Any] = {"fontsize": 11, "va": "center", "color": style["color"]}
        ax.annotate(f"{words}\nmost with {best} users", peak, place, arrowprops=_LEADER, **options)
    numbers = next(iter(found.values()))["numbers"].iloc[0]
    ax.axvline(5, color="0.4", linewidth=1, linestyle="--", zorder=0)
    ax.text(5.1, 0.68 * numbers, "our bound:\n5 users", fontsize=11, va="top")
    ax.set(xlabel="constant sanity bound, in users", ylabel=f"numbers met, of {numbers}")
    ax.set(xlim=(0, largest), ylim=(0, numbers), yticks=range(0, numbers + 1, 5))
    plt.show()


_PEAKS = {  # words beside the peak of a curve, and where they stand
    "cabspotting": ("printed for the cabs:", (5.6, 20)),
    "commuters": ("printed for London,\non the surrogate:", (6.5, 12.5)),
}
_STAR: dict[str, Any] = {"marker": "*", "markersize": 13, "linestyle": "", "zorder": 5}


def _star_style(color: str, verbal: bool) -> dict[str, Any]:
    """A full star for a printed number, a hollow one for a verbal result."""
    face, edge = ("white", color) if verbal else (color, "black")
    return _STAR | {"markerfacecolor": face, "markeredgecolor": edge}


def show_clocks(hours: pd.DataFrame, cities: Sequence[str], printed: float) -> None:
    """Draw the cabs' mean errors over the hours of a weekday, by the clocks of several cities.

    Parameters
    ----------
    hours : pandas.DataFrame
        Rows of `experiments.hours` for the cabs.
    cities : sequence of str
        Names in `experiments.CLOCKS`; a panel for each.
    printed : float
        The error of the prior that the paper prints for mid-day.
    """
    names = ["PRIOR", "BAYES", "MAX_USER", NULL]
    figure, axes = plt.subplots(len(cities), 1, figsize=(6.2, 6), sharex=True, sharey=True)
    for ax, city in zip(axes, cities, strict=True):
        there = (hours["hour"] + CLOCKS[city] - CLOCKS["San Francisco"]) % 168
        weekdays = hours[there < 120]
        mean = weekdays.groupby(there[there < 120] % 24)[names].mean()
        for name in names:
            style = _look(name, markers=False) | {"label": WORDS[name]}
            ax.plot(mean.index, mean[name], **style)
        for (first, last), words in {(6.5, 9.5): "morning", (11.5, 15.5): "mid-day"}.items():
            ax.axvspan(first, last, color="0.88", linewidth=0, zorder=0)
            place = (first + last) / 2, 0.75
            ax.text(*place, words, ha="center", va="center", fontsize=11)
        ax.plot([13.5], [printed], **_star_style(_look("PRIOR")["color"], verbal=False))
        words = f"printed for the\nprior: {printed:g}"
        ax.annotate(words, (13.5, printed), (16.2, 0.4), fontsize=11, arrowprops=_LEADER)
        ax.set(title=f"by the clock of {city}", ylabel="mean error", xlim=(0, 23))
        ax.set(ylim=(0.22, 0.79), yticks=[0.3, 0.4, 0.5, 0.6, 0.7])
    axes[-1].set(xlabel="hour of the day, on weekdays", xticks=range(0, 24, 3))
    handles, texts = axes[0].get_legend_handles_labels()
    figure.legend(handles, texts, loc="outside upper center", ncols=4, fontsize=11, **_NARROW)
    plt.show()


_LEADER: dict[str, Any] = {"arrowstyle": "-", "color": "0.4", "shrinkB": 7}
_NARROW: dict[str, Any] = {"columnspacing": 1.2, "handlelength": 2.2, "handletextpad": 0.5}


def show_week(rows: pd.DataFrame, shaded: Mapping[str, str], strategies: Sequence[str]) -> None:
    """Draw mean errors in each hour of a week: the prior alone, strategies, and always null.

    Below the errors of a dataset, a lower panel shows by how much each strategy reduces the error
    of the prior. The lower panels have the same scale.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.hours`; two panels for each dataset.
    shaded : mapping of str to str
        Parts of the week with a band behind them, as `experiments.PARTS` names them -> their names
        in the legend. The first band is plain, the second hatched.
    strategies : sequence of str
        Which strategies are drawn.
    """
    names = list(rows["data"].unique())
    figure, axes = plt.subplots(
        2 * len(names),
        1,
        figsize=(6.2, 1.5 + 3.6 * len(names)),
        sharex=True,
        height_ratios=[2.1, 1.3] * len(names),
    )
    below = axes[1::2]
    for upper, lower, data in zip(axes[::2], below, names, strict=True):
        of = rows[rows["data"] == data].sort_values("hour")
        for name in ("PRIOR", *strategies, NULL):
            style = _look(name, markers=False) | {"linewidth": 1.4, "label": WORDS[name]}
            upper.plot(of["hour"], of[name], **style)
            if name in strategies:
                lower.plot(of["hour"], of["PRIOR"] - of[name], **style)
        lower.axhline(0, color="black", linewidth=0.8, marker="")
        for ax in (upper, lower):
            _draw_week(ax, list(shaded))
        upper.set(title=f"{_title(data)}, {clock_label(data)}", ylabel="mean error")
        lower.set_ylabel("reduction", fontsize=11)
    ends = np.array([ax.get_ylim() for ax in below])
    for ax in below:
        ax.set_ylim(ends[:, 0].min(), ends[:, 1].max())
    axes[-1].set_xlabel("day of the week")
    handles, texts = axes[0].get_legend_handles_labels()
    handles += [Patch(linewidth=0, **band) for band in _BANDS[: len(shaded)]]
    place: dict[str, Any] = {"loc": "outside upper center", "ncols": 3, "fontsize": 11}
    figure.legend(handles, [*texts, *shaded.values()], **place, **_NARROW)
    plt.show()


def show_distributions(rows: pd.DataFrame, goal: str, priors: Sequence[str]) -> None:
    """Draw the share of users with at most some error, and in a strip below it the mean errors.

    A panel for each prior and dataset. A curve reaches from the 2.5% quantile of the users to the
    97.5% quantile, and dots mark the smallest and the largest error. In the strip each attacker has
    a row with our mean (a stroke) and with the printed one (a star), if there is one.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.errors`.
    goal : str
        "profiling" or "localization".
    priors : sequence of str
        Names of priors; each has a row of panels, one for each dataset.
    """
    chosen = rows[(rows["goal"] == goal) & rows["prior"].isin(priors)]
    names = list(chosen["data"].unique())
    used = {prior: _in_order(chosen[chosen["prior"] == prior]) for prior in priors}
    heights = [h for prior in priors for h in (1.75, 0.16 * len(used[prior]) + 0.15)]
    figure, axes = plt.subplots(
        2 * len(priors),
        len(names),
        figsize=(6.4, sum(heights) + 0.75 * len(priors) + 0.9),
        sharex=True,
        sharey="row",
        squeeze=False,
        height_ratios=heights,
    )
    for p, prior in enumerate(priors):
        for n, data in enumerate(names):
            upper, strip = axes[2 * p, n], axes[2 * p + 1, n]
            own = chosen[(chosen["prior"] == prior) & (chosen["data"] == data)]
            own = own.set_index("strategy")
            printed = _printed_errors(data, goal, prior)
            _draw_shares(upper, own, used[prior])
            _draw_means(strip, own["error"], printed, used[prior])
            title = _title(data) if len(priors) == 1 else f"{prior}\n{_title(data)}"
            upper.set_title(title, fontsize=11)
            strip.tick_params(labelbottom=True)
        axes[2 * p, 0].set_ylabel("share of users", fontsize=11)
    largest = {"profiling": 0.84, "localization": 1.01}[goal]
    axes[0, 0].set(xlim=(0, largest), xticks=[0, 0.2, 0.4, 0.6, 0.8])
    for ax in axes[-1]:
        ax.set_xlabel(f"{goal} error")
    _explain_distributions(figure, _in_order(chosen), list(axes.flat))
    plt.show()


def _city(data: str) -> str:
    """What the ids of claims call a dataset; empty for one that the paper has no numbers for."""
    return _CITIES.get(data, ("",))[0]


def _printed_errors(data: str, goal: str, prior: str) -> dict[str, tuple[float, bool]]:
    """Strategy to the printed mean error, and whether the paper gives it in words only."""
    table = claims.published("crowd")
    wanted = {"goal": goal, "prior": prior}
    rows = table[(table["dataset"] == _city(data)) & (table["kind"] == "number")]
    columns = (rows[each] for each in ("setting", "value", "quantity", "within"))
    return {
        of["strategy"]: (value[0], bool(within > 0))
        for of, value, what, within in zip(*columns, strict=True)
        if what.startswith(f"mean {goal} error")
        and {**of, **wanted} == of
        and "mechanism" not in of
        and "strategy" in of
    }


def _published_gains(data: str) -> dict[tuple[str, float], tuple[float, bool]]:
    """The printed mean gains by mechanism (its scale) or SpotMe and ε or p; whether verbal."""
    table = claims.published("crowd")
    rows = table[(table["dataset"] == _city(data)) & (table["quantity"] == "mean PG")]
    found = {}
    for of, value, within in zip(rows["setting"], rows["value"], rows["within"], strict=True):
        printed = value[0], bool(within > 0)
        if "p" in of:
            found["SpotMe", float(of["p"])] = printed
            continue
        name = f"SCM {of['scale']}" if "scale" in of else of["mechanism"]
        text = str(of["epsilon"])
        most = float(text.removeprefix("<=")) if text != "all" else EPSILONS[-1]
        levels = [e for e in EPSILONS if e <= most] if text[0] in "<a" else [most]
        name = name.replace("Delta", "Δ").replace("eps", "ε")
        found |= {(name, level): printed for level in levels}
    return found


_ORDER = (  # of the strategies in the legend
    "PRIOR",
    "AGGREGATE",
    "ALL",
    "POP",
    "BAYES",
    "BAYES+ALL",
    "BAYES+POP",
    "MAX_ROI",
    "MAX_USER",
)


def _in_order(rows: pd.DataFrame) -> list[str]:
    """The strategies of the rows, in the order of the legend."""
    return [name for name in _ORDER if (rows["strategy"] == name).any()]


_STROKE: dict[str, Any] = {"marker": "|", "markersize": 11, "markeredgewidth": 2.5}
_STROKE |= {"linestyle": "", "zorder": 4}
_END: dict[str, Any] = {"marker": "o", "markersize": 3.5, "linestyle": ""}


def _draw_shares(ax: Axes, own: pd.DataFrame, strategies: Sequence[str]) -> None:
    """The middle 95% of the users of each strategy as a curve, and dots for the two ends."""
    quantiles = [name for name in own.columns.astype(str) if name.endswith("%")]
    shares = np.array([float(name.rstrip("%")) / 100 for name in quantiles])
    for name in strategies:
        if name not in own.index:
            continue
        errors = own.loc[name, quantiles].to_numpy(float)
        style = _look(name, markers=False) | {"linewidth": 1.5}
        ax.plot(errors[1:-1], shares[1:-1], **style)
        ax.plot(errors[[0, -1]], shares[[0, -1]], color=style["color"], clip_on=False, **_END)
    ax.set(ylim=(0, 1), yticks=[0, 0.5, 1])


def _draw_means(
    ax: Axes, ours: pd.Series, printed: Mapping[str, tuple[float, bool]], strategies: Sequence[str]
) -> None:
    """A row for each strategy: a stroke at our mean, a star at the printed one."""
    for y, name in enumerate(strategies):
        color = _look(name, markers=False)["color"]
        if name in ours.index:
            ax.plot([ours[name]], [y], color=color, **_STROKE)
        if name in printed:
            mean, verbal = printed[name]
            star = _star_style(color, verbal) | {"markersize": 9}
            ax.plot([mean], [y], **star)
    ax.set_yticks(range(len(strategies)), strategies, fontsize=9)
    ax.set(ylim=(len(strategies) - 0.4, -0.6), facecolor="0.96")
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")


def _explain_distributions(figure: Any, strategies: Sequence[str], axes: Sequence[Axes]) -> None:
    """One legend above the panels: a curve for each strategy, and the marks of the strip."""
    lines = [_look(name, markers=False) | {"linewidth": 1.5} for name in strategies]
    handles = [plt.Line2D([], [], **style) for style in lines]
    texts = list(strategies)
    faces = [
        line.get_markerfacecolor() for ax in axes for line in ax.lines if line.get_marker() == "*"
    ]
    handles += [plt.Line2D([], [], color="black", **marks) for marks in (_END, _STROKE)]
    texts += ["smallest, largest", "our mean"]
    if any(face != "white" for face in faces):
        handles.append(plt.Line2D([], [], **_star_style("black", verbal=False)))
        texts.append("printed")
    if "white" in faces:
        handles.append(plt.Line2D([], [], **_star_style("black", verbal=True)))
        texts.append("verbal")
    place: dict[str, Any] = {"loc": "outside upper center", "ncols": 4, "fontsize": 10}
    figure.legend(handles, texts, **place, **_NARROW)


def losses_table(errors: pd.DataFrame, goal: str) -> pd.DataFrame:
    """Put the mean losses that the paper prints beside ours.

    Parameters
    ----------
    errors : pandas.DataFrame
        Rows of `experiments.errors`.
    goal : str
        "profiling" or "localization".

    Returns
    -------
    pandas.DataFrame
        Index: data, prior, strategy. Columns: published; here; verbal, whether the paper gives
        it in words only. Losses relative to POP are left out.
    """
    found = errors[errors["goal"] == goal].set_index(["data", "prior", "strategy"])["loss"]
    rows = {}
    for _, claim in claims.published("crowd").query("quantity == 'mean PL'").iterrows():
        where = claim["setting"]
        data = {city: name for name, (city, *_) in _CITIES.items()}[claim["dataset"]]
        if where["goal"] == goal and where.get("baseline") != "POP":
            key = data, where["prior"], where["strategy"]
            rows[key] = [claim["value"][0], found[key], bool(claim["within"])]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["published", "here", "verbal"])
    return table.set_axis(pd.MultiIndex.from_tuples(rows, names=["data", "prior", "strategy"]))


def show_losses(table: pd.DataFrame) -> None:
    """Draw each mean loss and the printed one, which a line joins; a panel for each dataset.

    Parameters
    ----------
    table : pandas.DataFrame
        As `losses_table` gives it.
    """
    strategies = [name for name in _WITH_LOSSES if name in table.index.unique("strategy")]
    priors = {data: _in_table(table.loc[[data]]) for data in _CITIES}
    heights = [len(each) for each in priors.values()]
    size = 6.2, 0.5 * sum(heights) + 2.4
    figure, axes = plt.subplots(2, 1, figsize=size, height_ratios=heights)
    for ax, data in zip(axes, _CITIES, strict=True):
        rows = table.loc[data].reset_index()
        for prior, strategy, published, here, verbal in rows.itertuples(index=False):
            how = _look(strategy) | {"linestyle": "", "markersize": 6}
            shift = 0.24 * (strategies.index(strategy) - (len(strategies) - 1) / 2)
            y = priors[data].index(prior) + shift
            ax.hlines(y, published, here, color=how["color"], linewidth=1.5)
            ax.plot([here], [y], **how)
            ax.plot([published], [y], **_star_style(how["color"], verbal) | {"markersize": 9})
        ax.set(title=_TITLES[data], xlabel="mean loss")
        for y_line in range(len(priors[data]) - 1):
            ax.axhline(y_line + 0.5, color="0.8", linewidth=0.8)
        ax.grid(visible=False, axis="y")
        ax.margins(x=0.05)
        ax.set_yticks(range(len(priors[data])), priors[data])
        ax.set_ylim(len(priors[data]) - 0.5, -0.5)
    looks = [_look(name) | {"markersize": 7, "linestyle": ""} for name in strategies]
    marks = [plt.Line2D([], [], **look) for look in looks]
    stars = [
        plt.Line2D([], [], **_star_style("black", word) | {"markersize": 9})
        for word in (False, True)
    ]
    figure.legend(
        [*marks, *stars],
        [*strategies, "printed", "verbal"],
        loc="outside upper center",
        ncols=3,
        fontsize=11,
        **_NARROW,
    )
    plt.show()


def _in_table(rows: pd.DataFrame) -> list[str]:
    """The priors of the rows, in the order of all figures."""
    return [prior for prior in _PRIORS if prior in rows.index.unique("prior")]


_WITH_LOSSES = ("BAYES", "BAYES+ALL", "BAYES+POP", "MAX_ROI", "MAX_USER", "POP")
_TITLES = {
    "cabspotting": "cabs",
    "commuters": "commuters (surrogate)",
    "flights-by-number": "flights by number",
    "flights-by-tail": "flights by tail",
}


def _title(data: str) -> str:
    """What this page calls a dataset; the usual label of one that it does not use."""
    return _TITLES.get(data) or figures.label(data)


def gains_table(noise: pd.DataFrame) -> pd.DataFrame:
    """Put the mean gains that the paper prints beside ours.

    Parameters
    ----------
    noise : pandas.DataFrame
        Rows of `experiments.noise`.

    Returns
    -------
    pandas.DataFrame
        Index: data, mechanism, ε. Columns: published, missing if the paper says nothing; verbal,
        whether it gives the gain in words only; here; the 5% and the 95% quantile of the users.
    """
    keys = ["data", "mechanism", "level"]
    chosen = noise[noise["mechanism"].isin(OUTPUT[1:]) & (noise["what"] == "at")]
    table = chosen.set_index(keys)[["gain", "5%", "95%"]].rename(columns={"gain": "here"})
    printed = {data: _published_gains(data) for data in table.index.unique("data")}
    found = [printed[data].get((name, level), (np.nan, False)) for data, name, level in table.index]
    table.insert(0, "published", [gain for gain, _ in found])
    table.insert(1, "verbal", [verbal for _, verbal in found])
    return table.rename_axis(["data", "mechanism", "ε"])


def show_mean_gains(table: pd.DataFrame, ignored: pd.Series) -> None:
    """Draw each mean gain and the printed one, which a line joins; a panel for each dataset.

    A row for each mechanism and ε. Vertical lines are the gains if the attacker ignored the counts.

    Parameters
    ----------
    table : pandas.DataFrame
        As `gains_table` gives it.
    ignored : pandas.Series
        Column gain of `experiments.ignore_counts`, by data and attacker.
    """
    names, levels = OUTPUT[1:], sorted(table.index.unique("ε"))
    rows = [(name, level) for name in names for level in levels]
    y = np.arange(len(rows)) + 1.2 * (np.arange(len(rows)) // len(levels))
    size = 6.2, 0.26 * (y[-1] + 1) + 2
    figure, axes = plt.subplots(1, len(_CITIES), figsize=size, sharey=True)
    for ax, data in zip(axes, _CITIES, strict=True):
        for who, (line, _) in _WITHOUT_COUNTS.items():
            ax.axvline(ignored[data, who], color="black", linestyle=line, linewidth=1.2)
        own = table.loc[[data]].droplevel("data").reindex(pd.MultiIndex.from_tuples(rows))
        gains = own.to_dict("records")
        for at, (name, _), gain in zip(y, rows, gains, strict=True):
            _draw_gain(ax, at, gain, figures.color(name))
        ax.set_title(_title(data).replace(" (", "\n("), fontsize=12)
        ax.set(xlabel="mean privacy gain", xlim=(-0.025, None))
        ax.locator_params(axis="x", nbins=5)
        ax.grid(visible=False, axis="y")
        ax.tick_params(axis="y", length=0)
    axes[0].set_yticks(y, [f"ε = {level:g}" for _, level in rows], fontsize=11)
    axes[0].set_ylim(y[-1] + 0.7, -1.6)
    for name, first in zip(names, y[:: len(levels)], strict=True):
        place: dict[str, Any] = {"ha": "right", "va": "center", "fontsize": 11, "weight": "bold"}
        words = figures.label(name).removeprefix("SCM ")
        axes[0].text(-0.04, first - 1, words, transform=axes[0].get_yaxis_transform(), **place)
    _explain_gains(figure)
    plt.show()


def _draw_gain(ax: Axes, y: float, gain: Mapping[Any, Any], color: str) -> None:
    """A stroke at our mean, a star at the printed one if there is one, and a line between them."""
    ax.plot([gain["here"]], [y], color=color, **_STROKE)
    if np.isfinite(gain["published"]):
        ax.hlines(y, gain["published"], gain["here"], color=color, linewidth=1.5)
        star = _star_style(color, gain["verbal"]) | {"markersize": 9}
        ax.plot([gain["published"]], [y], **star)


def _explain_gains(figure: Any) -> None:
    """A legend above the panels: the marks, and the attackers who ignore the counts."""
    handles = [plt.Line2D([], [], color="black", **_STROKE)]
    handles += [
        plt.Line2D([], [], **_star_style("black", word) | {"markersize": 9})
        for word in (False, True)
    ]
    texts = ["our mean", "printed", "verbal"]
    for line, does in _WITHOUT_COUNTS.values():
        style: dict[str, Any] = {"linestyle": line, "linewidth": 1.2, "marker": ""}
        handles.append(plt.Line2D([], [], color="black", **style))
        texts.append(f"if the attacker\n{does}")
    figure.legend(handles, texts, loc="outside upper center", ncols=2, fontsize=11, **_NARROW)


_WITHOUT_COUNTS = {  # attackers of `experiments.ignore_counts`: a line, and what they do
    "the prior alone": ("--", "used the prior alone"),
    "always null": (":", "always answered null"),
}
_HATCHES = ("", "///", "...", "xxx")  # of the boxes of the mechanisms


def show_gains(rows: pd.DataFrame) -> None:
    """Draw boxes of users' privacy gains at each ε: quartiles, whiskers from 5 to 95%.

    A stroke marks the mean. The four mechanisms stand in the same order at each ε.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.noise`; a panel for each dataset.
    """
    datasets, names = list(rows["data"].unique()), OUTPUT[1:]
    size = 6.2, 1.2 + 2.1 * len(datasets)
    figure, axes = plt.subplots(len(datasets), 1, figsize=size, sharex=True, squeeze=False)
    quantiles = {"whislo": "5%", "q1": "25%", "med": "50%", "q3": "75%", "whishi": "95%"}
    levels = sorted(rows.loc[rows["mechanism"].isin(names), "level"].unique())
    for ax, data in zip(axes.flat, datasets, strict=True):
        for n, (name, hatch) in enumerate(zip(names, _HATCHES, strict=True)):
            of = rows.query("data == @data and mechanism == @name and what == 'at'")
            boxes = [
                {end: row[column] for end, column in quantiles.items()} | {"mean": row["gain"]}
                for _, row in of.iterrows()
            ]
            ax.bxp(
                boxes,
                positions=np.arange(len(boxes)) + 0.2 * (n - 1.5),
                widths=0.16,
                showfliers=False,
                patch_artist=True,
                boxprops={"facecolor": figures.color(name), "hatch": hatch, "alpha": 0.7},
                medianprops={"color": "black"},
                manage_ticks=False,
                **BOX_MEAN,
            )
        ax.set(title=_title(data), ylabel="privacy gain")
    axes[-1, 0].set_xticks(range(len(levels)), [f"{epsilon:g}" for epsilon in levels])
    axes[-1, 0].set_xlabel("ε (less noise to the right)")
    marks: list[Any] = [
        Patch(facecolor=figures.color(name), edgecolor="black", hatch=hatch, alpha=0.7)
        for name, hatch in zip(names, _HATCHES, strict=True)
    ]
    stroke = BOX_MEAN["meanprops"] | {"markersize": plt.rcParams["lines.markersize"]}
    marks.append(plt.Line2D([], [], linestyle="", **stroke))
    texts = [*map(figures.label, names), "mean"]
    figure.legend(marks, texts, loc="outside upper center", ncols=3, fontsize=11)
    plt.show()


def show_spotme(rows: pd.DataFrame) -> None:
    """Draw the mean privacy gain of SpotMe against p, with 95% intervals over users.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.noise`.
    """
    points = spotme_table(rows).rename(columns={"privacy gain": "mean"})
    ax = plt.subplots(figsize=(6.2, 3.8))[1]
    for data, of in points.groupby(level="data", sort=False):
        p = of.index.get_level_values("p").to_numpy(float)
        style = figures.line_style(str(data)) | {"markersize": 6, "label": "_named"}
        spread = [of["mean"] - of["95% low"], of["95% high"] - of["mean"]]
        ax.errorbar(p, of["mean"], yerr=spread, capsize=3, **style)
        words = _title(str(data)).replace(" (", "\n(").replace("flights by", "flights\nby")
        ax.annotate(
            words,
            (p[-1], of["mean"].iloc[-1]),
            xytext=(10, _SHIFTS.get(str(data), 0)),
            textcoords="offset points",
            color=style["color"],
            va="center",
            fontsize=11,
            annotation_clip=False,
        )
        for (mechanism, at), (gain, verbal) in _published_gains(str(data)).items():
            if mechanism == "SpotMe":
                ax.plot([at], [gain], **_star_style(style["color"], verbal))
    ax.plot([], [], label="printed", **_star_style("0.6", verbal=False))
    ax.legend(loc="upper left", fontsize=11)
    ax.set(xlabel="p, the probability of a forced yes", ylabel="mean privacy gain", ylim=(0, None))
    ax.set_xticks(sorted({float(p) for p in points.index.get_level_values("p")}))
    plt.show()


_SHIFTS = {"flights-by-tail": 12, "flights-by-number": -14}  # of names, in points


# Of verdicts on this page: colours that no strategy has, and different marks.
_VERDICTS: dict[str, dict[str, Any]] = {
    "reproduced": {"color": "black", "marker": "o"},
    "undecided": {"color": "0.45", "marker": "P"},
    "contradicted": {"color": "#B2182B", "marker": "s", "markerfacecolor": "white"},
}
_SIDES: dict[str, dict[str, Any]] = {  # of a mark: where words stand, in points
    "left": {"xytext": (-7, 0), "ha": "right", "va": "center"},
    "right": {"xytext": (7, 0), "ha": "left", "va": "center"},
    "above": {"xytext": (0, 7), "ha": "center", "va": "bottom"},
    "far above right": {"xytext": (16, 13), "ha": "left", "va": "bottom"},  # with a leader line
    "below": {"xytext": (0, -7), "ha": "center", "va": "top"},
    "below left": {"xytext": (5, -7), "ha": "right", "va": "top"},
}
_SIDES["far above right"]["arrowprops"] = _LEADER | {"shrinkB": 4}


def _name_mark(ax: Axes, words: str, place: tuple[float, float], side: str) -> None:
    ax.annotate(words, place, textcoords="offset points", fontsize=11, **_SIDES[side])


CONTRADICTED_MEANS = {  # the names of the marks, and on which side of them the names stand
    "crowd-fig13-sfc-prof-prior-last-week-err": ("LAST_WEEK", "left"),
    "crowd-fig13-sfc-prof-prior-last-day-err": ("LAST_DAY", "left"),
    "crowd-fig6-sfc-midday-prior": ("ROI_DAY at mid-day (Fig. 6)", "right"),
    "crowd-fig1-sfc-prof-max-roi-freq-roi-err": ("MAX_ROI", "below"),
    "crowd-fig3-sfc-prof-prior-time-day-week-err": ("TIME_DAY_WEEK", "far above right"),
    "crowd-fig11-sfc-prof-max-roi-time-day-pl": ("MAX_ROI, TIME_DAY", "above"),
    "crowd-fig3-sfc-prof-max-roi-time-day-week-pl": ("MAX_ROI, TIME_DAY_WEEK", "left"),
    "crowd-fig3-sfc-prof-max-user-time-day-week-pl": ("MAX_USER, TIME_DAY_WEEK", "left"),
    "crowd-fig4-sfc-loc-max-roi-freq-roi-pl": ("MAX_ROI, FREQ_ROI", "left"),
    "crowd-fig5-sfc-loc-max-roi-roi-day-week-pl": ("MAX_ROI,\nROI_DAY_WEEK", "above"),
    "crowd-fig16-sfc-loc-max-roi-time-day-week-pl": (
        "MAX_ROI and MAX_USER,\nTIME_DAY_WEEK",
        "above",
    ),
    "crowd-fig4-sfc-loc-pop-freq-roi-err": ("POP, two priors", "below left"),
    "crowd-fig8-fpa-pg-eps1": ("FPA, ε = 1", "right"),
    "crowd-fig8-scm-1-pg-eps-le-0.01": ("Lap(1/ε), ε = 0.01", "left"),
}
_MEASURES = (
    "profiling error",
    "localization error",
    "profiling loss",
    "localization loss",
    "privacy gain",
)


def show_named_agreement(points: pd.DataFrame, named: Mapping[str, tuple[str, str]]) -> None:
    """Draw how far our means are from the printed ones, a panel for each measure, with some names.

    Parameters
    ----------
    points : pandas.DataFrame
        As `lib.papers.scoreboard.agreement` gives it.
    named : mapping of str to (str, str)
        Words for some of the claims, and on which side of the mark they stand: "left", "right",
        "above", "far above right", "below" or "below left".

    Raises
    ------
    KeyError
        If a name is not among the points.
    """
    if missing := [name for name in named if name not in points.index]:
        raise KeyError(f"not among the points: {', '.join(missing)}")
    figure, axes = plt.subplots(len(_MEASURES), 1, figsize=(6.2, 10.4), sharey=True)
    is_localization = points.index.str.contains("-loc-")
    kinds = np.where(is_localization, "localization loss", "profiling loss")
    measures = points["measure"].where(points["measure"] != "privacy loss", kinds)
    for ax, measure in zip(axes, _MEASURES, strict=True):
        of = points[measures == measure]
        ax.axhspan(-0.005, 0.005, color="0.85", linewidth=0, zorder=0)
        ax.axhline(0, color="black", linestyle=":", linewidth=1, marker="")
        for verdict, look in _VERDICTS.items():
            mine = of[of["told"] == verdict]
            style = look | {"linestyle": "", "markerfacecolor": "none", "label": verdict}
            ax.plot(mine["published"], mine["here"] - mine["published"], markersize=6, **style)
        for name, row in of[of.index.isin(list(named))].iterrows():
            words, side = named[str(name)]
            _name_mark(ax, words, (row["published"], row["here"] - row["published"]), side)
        ax.set(title=measure, ylim=(-0.095, 0.12), yticks=[-0.05, 0, 0.05, 0.1])
        ax.margins(x=0.12)
        ax.locator_params(axis="x", nbins=6)
    axes[-1].set_xlabel("printed mean")
    figure.supylabel("our mean minus the printed one", fontsize=12)
    handles, labels = axes[0].get_legend_handles_labels()
    handles.append(Patch(color="0.85"))
    labels.append("at most 0.005")
    figure.legend(handles, labels, loc="outside upper center", ncols=2, fontsize=11)
    plt.show()


def show_in_boxes(means: pd.DataFrame, strategies: Sequence[str] = (), row: float = 0.2) -> None:
    """Draw how far each mean is from the printed one, in our box of the map and in others.

    Parameters
    ----------
    means : pandas.DataFrame
        A row for each mean, with the index goal, prior, strategy and measure. Columns: published,
        allowed; in our box; the lowest and the highest over the boxes; the verdict.
    strategies : sequence of str, optional
        Which strategies are drawn, in this order; by default all, those with the most means
        first.
    row : float, default 0.2
        Height of a row in inches. Words are larger in rows of 0.27 inches or more.
    """
    of = means.index.get_level_values("strategy")
    order = list(strategies) or list(of.value_counts().index)
    rows = pd.concat([_by_prior(means[of == name]) for name in order])
    named = rows.index.get_level_values("strategy")
    wide = row >= 0.27
    figure, ax = plt.subplots(figsize=(6.4, row * (len(rows) + len(order)) + 1.2))
    y = np.arange(len(rows)) + 0.9 * np.cumsum(np.r_[0, named[1:] != named[:-1]])
    printed = rows["published"].to_numpy()
    band: dict[str, Any] = {"height": 0.9, "color": "0.88", "label": "allowed"}
    ax.barh(y, 2 * rows["allowed"], left=-rows["allowed"], **band)
    for verdict, look in _VERDICTS.items():
        style = look | {"linestyle": "", "markersize": 6 if wide else 4, "label": verdict}
        mine = (rows["verdict"] == verdict).to_numpy()
        ends = (rows[["lowest", "highest"]].to_numpy() - printed[:, None])[mine]
        ax.hlines(y[mine], *ends.T, color=style["color"], linewidth=2 if wide else 1.5)
        cap: dict[str, Any] = {"marker": "|", "markersize": 13 if wide else 9, "linestyle": ""}
        for end in ends.T:
            ax.plot(end, y[mine], color=style["color"], markeredgewidth=1.5, **cap)
        ax.plot((rows["in our box"] - printed)[mine], y[mine], **style)
    ax.axvline(0, color="black", linestyle=":", linewidth=1)
    alone = len(rows.index.unique("goal")) == 1  # then no row has to name its goal
    for name in order:
        ax.text(-0.155, y[named == name].min() - 0.95, name, weight="bold", va="center")
    words = [
        f"{what}, {prior}" if alone else f"{goal[0].upper()} {what}, {prior}"
        for goal, prior, _, what in rows.index
    ]
    ax.set_yticks(y, ["" for _ in words])
    for at, text in zip(y, words, strict=True):
        ax.text(-0.155, at, text, fontsize=12 if wide else 10, va="center")
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")
    ax.set(ylim=(y[-1] + 1, y[0] - 1.6), xlim=(-0.155, 0.072))
    ax.set_xticks([-0.06, -0.03, 0, 0.03, 0.06])
    ax.set_xlabel("our mean minus the printed one", x=0.66)
    figure.legend(loc="outside upper center", ncols=4, fontsize=11, **_NARROW)
    plt.show()


def _by_prior(rows: pd.DataFrame) -> pd.DataFrame:
    """Profiling before localization, errors before losses, and priors in the usual order."""
    goals, measures = ("profiling", "localization"), ("error", "loss")
    places = [
        (goals.index(goal), measures.index(what), _PRIORS.index(prior))
        for goal, prior, _, what in rows.index
    ]
    return rows.iloc[sorted(range(len(rows)), key=places.__getitem__)]


def show_london(numbers: pd.DataFrame) -> None:
    """Draw how far the surrogate's means are from those printed for London, in two crowds.

    A panel for errors, for small losses and for larger ones. A line joins the two crowds' marks of
    the same number. Numbers with the same printed value stand beside each other.

    Parameters
    ----------
    numbers : pandas.DataFrame
        A row for each printed number. Columns: measure; value, the printed number; "2,000 users"
        and "10,000 users", ours.
    """
    figure, axes = plt.subplots(3, 1, figsize=(6.2, 7.6), sharey=True)
    is_loss, is_small = numbers["measure"] == "loss", numbers["value"] < 0.15
    panels = {
        "errors": (~is_loss, (0.1, 1.02)),
        "losses printed as less than 0.15": (is_loss & is_small, (-0.005, 0.15)),
        "losses printed as 0.15 or more": (is_loss & ~is_small, (0.2, 0.82)),
    }
    crowds: dict[str, dict[str, Any]] = {
        "2,000 users": {"marker": "s", "color": COLORS[1], "markerfacecolor": "white"},
        "10,000 users": {"marker": "o", "color": COLORS[0]},
    }
    for ax, (title, (chosen, ends)) in zip(axes, panels.items(), strict=True):
        rows = numbers[chosen].sort_values(["value", "10,000 users"])
        same = rows.groupby("value")["value"]
        aside = same.cumcount() - (same.transform("size") - 1) / 2
        x = rows["value"] + 0.014 * (ends[1] - ends[0]) * aside
        away = rows[list(crowds)].sub(rows["value"], axis=0)
        ax.axhspan(-0.05, 0.05, color="0.88", linewidth=0, zorder=0)
        ax.axhline(0, color="black", linestyle=":", linewidth=1, marker="")
        ax.vlines(x, away.min(axis=1), away.max(axis=1), color="0.5", linewidth=1, zorder=1)
        for size, how in crowds.items():
            ax.plot(x, away[size], linestyle="", markersize=5, label=size, **how)
        ax.set(title=title, xlim=ends)
        ax.locator_params(axis="x", nbins=6)
    axes[-1].set_xlabel("mean that the paper prints for London")
    figure.supylabel("surrogate minus London", fontsize=12)
    handles, labels = axes[0].get_legend_handles_labels()
    handles.append(Patch(color="0.88"))
    labels.append("at most 0.05")
    figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize=11, **_NARROW)
    plt.show()


# -- tables ----------------------------------------------------------------------------------------

_STATISTICS = {  # a column of `experiments.statistics`, and the words for it
    "users": "users",
    "rois": "places, null included",
    "epochs": "hours in the whole period",
    "reports_mean": "visits per user, mean",
    "reports_std": "visits per user, standard deviation",
    "unique_rois_mean": "places per user, mean",
    "unique_rois_std": "places per user, standard deviation",
    "active_slots_mean": "active hours per user, mean",
    "active_slots_std": "active hours per user, standard deviation",
    "reports_per_roi_mean": "visits per place, mean",
    "reports_per_roi_std": "visits per place, standard deviation",
    "active_slots_per_roi_mean": "active hours per place, mean",
    "active_slots_per_roi_std": "active hours per place, standard deviation",
    "sensitivity": "Δ, the most visits of one user in the inference week",
}
_CITIES = {  # a dataset: the paper's name in ids, and the columns of the paper's numbers and ours
    "cabspotting": ("sfc", "cabs, printed", "cabs, here"),
    "commuters": ("tfl", "London, printed", "surrogate, here"),
}


def data_table(facts: pd.DataFrame) -> pd.DataFrame:
    """Tabulate statistics of the data beside those that the paper prints.

    Parameters
    ----------
    facts : pandas.DataFrame
        Rows of `experiments.statistics`, by dataset.

    Returns
    -------
    pandas.DataFrame
        A row for each statistic, in words. A column for each dataset; before it, one with the
        paper's numbers for the same data or for those that the surrogate replaces.
    """
    values = claims.published("crowd")["value"]
    columns = {}
    for data in facts.index:
        here = _title(data)
        if data in _CITIES:
            city, theirs, here = _CITIES[data]
            ids = [f"crowd-data-{city}-{each.replace('_', '-')}" for each in _STATISTICS]
            columns[theirs] = [values[name][0] for name in ids]
        columns[here] = list(facts.loc[data, list(_STATISTICS)].astype(float))
    index = pd.Index(list(_STATISTICS.values()), name="statistic")
    return pd.DataFrame(columns, index=index)

"""Drawings and tables of the page that replicates the paper on aggregation privacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from lib.papers import claims, figures
from lib.papers.aggregation_privacy.experiments import CLOCKS, EPSILONS, LIKELIEST, NULL, OUTPUT
from lib.papers.aggregation_privacy.figures import WORDS, _published_gains, plain_name
from lib.papers.figures import COLORS, LINES, MARKERS

_PLACES = {  # places in COLORS and MARKERS
    "BAYES": 0,
    "MAX_ROI": 1,
    "MAX_USER": 2,
    LIKELIEST: 4,
    "PRIOR": 5,
    "POP": 4,
    "ALL": 3,
}


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
        ax.axvline(errors[marked].iloc[0], color=COLORS[3], label=WORDS[marked], **how)
    for n, name in enumerate(attackers):
        i, shift = _PLACES[name], 0.12 * (n - (len(attackers) - 1) / 2)
        style: dict[str, Any] = {"color": COLORS[i], "marker": MARKERS[i], "markersize": 8}
        y = np.arange(len(priors)) + shift
        ax.plot(errors.loc[priors, name], y, linestyle="", label=WORDS[name], **style)
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
    ax = plt.subplots(figsize=(6.2, 3.2))[1]
    for data, each in found.items():
        met = each["met"].groupby(level="bound").max()
        met.index = pd.Index(pd.to_numeric(met.index.to_series(), errors="coerce"))
        met = met[met.index <= largest].sort_index()
        style = figures.line_style(data, markers=False) | {"label": _TABLES[data]}
        ax.plot(met.index, met, **style)
    numbers = next(iter(found.values()))["numbers"].iloc[0]
    for bound, words in {4.5: "4.5: best", 5.0: "5: ours", 6.0: "6: best"}.items():
        ax.axvline(bound, color="0.6", linewidth=1, zorder=0)
        ax.text(bound + 0.08, 21 - 3 * (bound - 4.5) / 0.5, words, fontsize=11)
    ax.set(xlabel="constant sanity bound, in users", ylabel=f"numbers met, of {numbers}")
    ax.set(xlim=(0, largest), ylim=(0, numbers), yticks=range(0, numbers + 1, 5))
    ax.legend(loc="upper left", fontsize=11)
    plt.show()


_TABLES = {"cabspotting": "cabs", "commuters": "London's,\non the surrogate"}
_STAR: dict[str, Any] = {"marker": "*", "markersize": 13, "linestyle": "", "zorder": 5}


def _star_style(color: str, in_words: bool) -> dict[str, Any]:
    """A full star for a printed number, a hollow one for a number that a word stands for."""
    face, edge = ("white", color) if in_words else (color, "black")
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
    lines = {"PRIOR": 5, "BAYES": 0, "MAX_USER": 2, NULL: 6}
    figure, axes = plt.subplots(len(cities), 1, figsize=(6.2, 5.6), sharex=True, sharey=True)
    for ax, city in zip(axes, cities, strict=True):
        there = (hours["hour"] + CLOCKS[city] - CLOCKS["San Francisco"]) % 168
        weekdays = hours[there < 120]
        mean = weekdays.groupby(there[there < 120] % 24)[list(lines)].mean()
        for name, i in lines.items():
            how: dict[str, Any] = {"color": COLORS[i], "linestyle": LINES[i]}
            ax.plot(mean.index, mean[name], label=WORDS[name], **how)
        ax.axvspan(6.5, 9.5, color="0.85", linewidth=0, zorder=0)
        ax.axvspan(11.5, 15.5, facecolor="none", edgecolor="0.75", hatch="//", linewidth=0)
        ax.plot([13.5], [printed], label="published", **_star_style(COLORS[5], in_words=False))
        ax.set(title=f"the clock of {city}", ylabel="error", xlim=(0, 23))
    axes[-1].set(xlabel="hour of the day, on weekdays", xticks=range(0, 24, 3))
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=3, fontsize=11)
    plt.show()


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
        Index: data, prior, strategy. Columns: published; here; in words, whether the paper has a
        word in place of the number. Losses relative to POP are left out.
    """
    found = errors[errors["goal"] == goal].set_index(["data", "prior", "strategy"])["loss"]
    rows = {}
    for _, claim in claims.published("crowd").query("quantity == 'mean PL'").iterrows():
        where = claim["setting"]
        data = {city: name for name, (city, *_) in _CITIES.items()}[claim["dataset"]]
        if where["goal"] == goal and where.get("baseline") != "POP":
            key = data, where["prior"], where["strategy"]
            rows[key] = [claim["value"][0], found[key], bool(claim["within"])]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["published", "here", "in words"])
    return table.set_axis(pd.MultiIndex.from_tuples(rows, names=["data", "prior", "strategy"]))


def show_losses(table: pd.DataFrame) -> None:
    """Draw each mean loss and the printed one, which a line joins; a panel for each dataset.

    Parameters
    ----------
    table : pandas.DataFrame
        As `losses_table` gives it.
    """
    strategies = [name for name in _LOSS_PLACES if name in table.index.unique("strategy")]
    priors = list(table.index.unique("prior"))
    size = 6.2, 0.62 * len(priors) + 1.7
    figure, axes = plt.subplots(1, 2, figsize=size, sharey=True)
    for ax, data in zip(axes, _CITIES, strict=True):
        rows = table.loc[data].reset_index()
        for prior, strategy, published, here, in_words in rows.itertuples(index=False):
            i = _LOSS_PLACES[strategy]
            y = priors.index(prior) + 0.2 * (strategies.index(strategy) - (len(strategies) - 1) / 2)
            ax.hlines(y, published, here, color=COLORS[i], linewidth=1.5)
            how: dict[str, Any] = {"color": COLORS[i], "marker": MARKERS[i], "markersize": 9}
            ax.plot([here], [y], linestyle="", **how)
            ax.plot([published], [y], **_star_style(COLORS[i], in_words))
        ax.set(title=_TITLES[data], xlabel="mean loss")
        for y_line in range(len(priors) - 1):
            ax.axhline(y_line + 0.5, color="0.8", linewidth=0.8)
        ax.grid(visible=False, axis="y")
        ax.margins(x=0.08)
    axes[0].set_yticks(range(len(priors)), priors)
    axes[0].set_ylim(len(priors) - 0.5, -0.5)
    marks = [
        plt.Line2D([], [], color=COLORS[i], marker=MARKERS[i], markersize=9, linestyle="")
        for i in (_LOSS_PLACES[name] for name in strategies)
    ]
    stars = [plt.Line2D([], [], **_star_style("black", word)) for word in (False, True)]
    figure.legend(
        [*marks, *stars],
        [*strategies, "published", "published as a word"],
        loc="outside upper center",
        ncols=3,
        fontsize=11,
    )
    plt.show()


_LOSS_PLACES = {"BAYES": 0, "BAYES+ALL": 3, "BAYES+POP": 5, "MAX_ROI": 1, "MAX_USER": 2, "POP": 4}
_TITLES = {"cabspotting": "cabs", "commuters": "commuters (surrogate)"}


def show_mean_gains(noise: pd.DataFrame, ignored: pd.DataFrame) -> None:
    """Draw mean gains against ε, and the gains if the attacker ignored the counts.

    Parameters
    ----------
    noise : pandas.DataFrame
        Rows of `experiments.noise`.
    ignored : pandas.DataFrame
        Column gain of `experiments.ignore_counts`, by data and attacker.
    """
    mechanisms = OUTPUT[1:]
    figure, axes = plt.subplots(2, 1, figsize=(6.2, 6.6), sharex=True)
    for ax, data in zip(axes, _CITIES, strict=True):
        for n, name in enumerate(mechanisms):
            rows = noise.query("data == @data and mechanism == @name and what == 'at'")
            x = np.arange(len(EPSILONS)) + 0.16 * (n - (len(mechanisms) - 1) / 2)
            style = figures.line_style(name) | {"linewidth": 1.2, "markersize": 7}
            ax.vlines(x, rows["5%"], rows["95%"], color=style["color"], linewidth=1.2)
            ax.plot(x, rows["gain"], **style)
            for (other, epsilon), (gain, in_words) in _published_gains(data).items():
                if other == name:
                    at = x[list(EPSILONS).index(epsilon)] + 0.05
                    ax.plot([at], [gain], **_star_style(style["color"], in_words))
        for who, line in {"the prior alone": "--", "always null": ":"}.items():
            ax.axhline(
                ignored.to_dict()[data, who],
                color="black",
                linestyle=line,
                linewidth=1.2,
                label=who,
                marker="",
            )
        ax.set(title=_TITLES[data], ylabel="privacy gain")
    axes[-1].set_xticks(range(len(EPSILONS)), [f"{epsilon:g}" for epsilon in EPSILONS])
    axes[-1].set_xlabel("ε")
    handles, names = axes[0].get_legend_handles_labels()
    stars = [plt.Line2D([], [], **_star_style("black", word)) for word in (False, True)]
    handles, names = [*handles, *stars], [*names, "published", "published as a word"]
    figure.legend(handles, names, loc="outside upper center", ncols=2, fontsize=11)
    plt.show()


_SIDES: dict[str, dict[str, Any]] = {  # of a mark: where words stand, in points
    "left": {"xytext": (-7, 0), "ha": "right", "va": "center"},
    "right": {"xytext": (7, 0), "ha": "left", "va": "center"},
    "above": {"xytext": (0, 7), "ha": "center", "va": "bottom"},
    "above right": {"xytext": (-5, 7), "ha": "left", "va": "bottom"},
    "below": {"xytext": (0, -7), "ha": "center", "va": "top"},
}


def _name_mark(ax: Axes, words: str, place: tuple[float, float], side: str) -> None:
    ax.annotate(words, place, textcoords="offset points", fontsize=11, **_SIDES[side])


_MEASURES = ("profiling error", "localization error", "privacy loss", "privacy gain")


def show_named_agreement(points: pd.DataFrame, named: Mapping[str, tuple[str, str]]) -> None:
    """Draw our means against the printed ones, a panel for each measure, with some names.

    Parameters
    ----------
    points : pandas.DataFrame
        As `lib.papers.scoreboard.agreement` gives it.
    named : mapping of str to (str, str)
        Words for some of the claims, and on which side of the mark they stand: "left", "right",
        "above", "above right" or "below".
    """
    figure, axes = plt.subplots(2, 2, figsize=(6.2, 6.9))
    for ax, measure in zip(axes.flat, _MEASURES, strict=True):
        of = points[points["measure"] == measure]
        for verdict in ("reproduced", "undecided", "contradicted"):
            mine = of[of["told"] == verdict]
            style = figures.line_style(verdict) | {"linestyle": "", "markerfacecolor": "none"}
            ax.plot(mine["published"], mine["here"], markersize=7, **style)
        values = of[["published", "here"]].to_numpy()
        ends = values.min() - 0.03, values.max() + 0.03
        ax.plot(ends, ends, color="black", linestyle=":", linewidth=1, marker="")
        for name, row in of[of.index.isin(list(named))].iterrows():
            words, side = named[str(name)]
            _name_mark(ax, words, (row["published"], row["here"]), side)
        ax.set(title=measure, xlim=ends, ylim=ends)
        ax.locator_params(nbins=5)
    figure.supxlabel("published", fontsize=12)
    figure.supylabel("here", fontsize=12)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize=11)
    plt.show()


def show_london(numbers: pd.DataFrame) -> None:
    """Draw the surrogate's means against those printed for London, with two sizes of the crowd.

    Parameters
    ----------
    numbers : pandas.DataFrame
        A row for each printed number. Columns: measure; value, the printed number; "2,000 users"
        and "10,000 users", ours.
    """
    figure, axes = plt.subplots(1, 2, figsize=(6.2, 3.9))
    marks = {"2,000 users": ("s", COLORS[1], "none"), "10,000 users": ("o", COLORS[0], COLORS[0])}
    is_loss = numbers["measure"] == "loss"
    for ax, rows, title in zip(
        axes, (numbers[~is_loss], numbers[is_loss]), ("errors", "losses"), strict=True
    ):
        ends = np.array([0, 1.02 if title == "errors" else 0.85])
        ax.fill_between(ends, ends - 0.05, ends + 0.05, color="0.88", linewidth=0, zorder=0)
        ax.plot(ends, ends, color="black", linestyle=":", linewidth=1, marker="")
        for size, (marker, edge, face) in marks.items():
            how: dict[str, Any] = {"marker": marker, "color": edge, "markerfacecolor": face}
            ax.plot(rows["value"], rows[size], linestyle="", markersize=6, label=size, **how)
        ax.set(title=title, xlabel="printed for London", xlim=ends, ylim=ends)
    axes[0].set_ylabel("surrogate")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2, fontsize=11)
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
        here = plain_name(data)
        if data in _CITIES:
            city, theirs, here = _CITIES[data]
            ids = [f"crowd-data-{city}-{each.replace('_', '-')}" for each in _STATISTICS]
            columns[theirs] = [values[name][0] for name in ids]
        columns[here] = list(facts.loc[data, list(_STATISTICS)].astype(float))
    index = pd.Index(list(_STATISTICS.values()), name="statistic")
    return pd.DataFrame(columns, index=index)

"""Drawings of the chapter on Knock-Knock: attacks side by side, regular users, bike riders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from lib.papers import figures, summaries
from lib.papers.figures import COLORS, LINES, MARKERS
from lib.papers.knock_knock.experiments import FOUR, GAME, PRIORS
from lib.papers.knock_knock.figures import by_classifier, mean_aucs, regularity

_TITLES = {
    PRIORS[0]: "Prior 1:\nknown users,\nsame week",
    PRIORS[1]: "Prior 2a:\nsame groups,\nearlier weeks",
    PRIORS[2]: "Prior 2b:\nother groups,\nearlier weeks",
}


def show_attacks(games: pd.DataFrame, prior: str, sums: pd.DataFrame) -> None:
    """Draw the mean AUC of each classifier and of the sum, a panel for each dataset.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    prior : str
        One of `experiments.PRIORS`.
    sums : pandas.DataFrame
        Rows of `experiments.sums`, the untrained sum on the same groups.

    Returns
    -------
    None
    """
    names = [name for name in FOUR if name in games and games[name].notna().any()]
    chosen = games.loc[games["prior"] == prior, [*GAME, *names]]
    rows = pd.concat([by_classifier(chosen), by_classifier(sums)]).sort_values(
        "data", kind="stable"
    )
    axes = figures.intervals(
        mean_aucs(rows, ["data", "group size", "classifier"]),
        "group size",
        "classifier",
        "data",
        columns=2,
        size=(6.4, 3.2),
        level=0.5,
        xscale="log",
        ylim=(0.45, 1.03),
        xlabel="users in the group",
        ylabel="mean AUC",
        ticks=True,
        apart=0.05,
        styles={"sum": _style_at(6, "the sum")},
    )
    figures.finish(axes, 3)


def show_regular_users(games: pd.DataFrame, classifiers: Sequence[str]) -> None:
    """Draw the mean AUC by number minus by tail against group size, a panel for each prior.

    Nothing is drawn without both kinds of flights.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.games`.
    classifiers : sequence of str
        Names of classifiers.

    Returns
    -------
    None
    """
    if not {"flights-by-number", "flights-by-tail"} <= set(games["data"]):
        return
    each = {name: regularity(games, name) for name in classifiers}
    rows = pd.concat(each, names=["classifier"]).rename(columns={"difference": "mean"})
    rows = rows.reset_index().sort_values("prior", kind="stable")
    axes = figures.intervals(
        rows.assign(prior=rows["prior"].map(_TITLES)),
        "group size",
        "classifier",
        "prior",
        columns=3,
        size=(7.0, 3.0),
        level=0,
        xscale="log",
        xlabel="users in the group",
        ylabel="difference of mean AUCs",
        ticks=True,
        apart=0.15,
    )
    figures.finish(axes, 2)


def show_riders(rows: pd.DataFrame) -> None:
    """Draw the sum's mean AUC and TPR at an FPR of 1% against group size, a panel each.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `lib.papers.riders.experiments.sums`.

    Returns
    -------
    None
    """
    both = rows.melt(["data", "target", "group size"], ["AUC", "TPR"], "panel", "found")
    both["panel"] = both["panel"].map({"AUC": "AUC", "TPR": "TPR at an FPR of 1%"})
    means = summaries.means(both, ["data", "panel", "group size"], "found")
    means["95% high"] = means["95% high"].clip(upper=1)
    axes = figures.intervals(
        means,
        "group size",
        "data",
        "panel",
        columns=2,
        size=(6.4, 2.8),
        xscale="log",
        ylim=(0, 1.03),
        xlabel="users in the group",
        ylabel="mean over targets",
        ticks=True,
        apart=0.06,
        styles={"valleybike": _style_at(3, figures.label("valleybike"))},  # has no colour yet
    )
    for level, ax in zip((0.5, 0.01), axes.values(), strict=True):
        ax.axhline(level, color="black", linewidth=1, linestyle=":", marker="")
    figures.finish(axes, 2)


def _style_at(place: int, label: str) -> dict[str, Any]:
    """Return the colour, line and marker at this place of the book's style, with a label."""
    look = {"color": COLORS[place], "linestyle": LINES[place], "marker": MARKERS[place]}
    return {**look, "label": label}

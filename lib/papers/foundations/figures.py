"""The foundations' figures: traces and their sum, a week of counts, recurrence, a first attack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.metrics import roc_curve

from lib import metrics
from lib.papers import figures, summaries
from lib.traces import Traces


def show_six(six: Traces, hours: list[str]) -> None:
    """Draw each user's trace, two in a row, and their sum below.

    Parameters
    ----------
    six : lib.traces.Traces
        Six users.
    hours : list of str
        Labels of the epochs.

    Returns
    -------
    None
    """
    names = list(map(str, six.users))
    layout: Any = [*map(list, zip(names[::2], names[1::2], strict=True)), ["sum", "sum"]]
    axes = plt.subplot_mosaic(layout, figsize=(6, 8.6))[1]
    traces = {name: six.trace(name) for name in names}
    for name, counts in (traces | {"sum": sum(traces.values())}).items():
        figures.show_counts(axes[name], counts, list(six.rois.index), hours)
        axes[name].set_title("all six: the aggregate" if name == "sum" else name)
        if name not in ("sum", *names[-2:]):
            axes[name].set_xticks(range(len(hours)), [])
    plt.show()


def show_week(populations: Mapping[str, Traces]) -> None:
    """Draw the visits in each hour of the first week, a line for each dataset.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.

    Returns
    -------
    None
    """
    hourly = {}
    for name, traces in populations.items():
        visits = pd.Series(traces.rois_per_epoch().sum(axis=0), traces.epochs)
        hourly[name] = visits[visits.index < visits.index[0] + pd.Timedelta("7D")]
    show_hours(hourly)


def show_scores(
    members: np.ndarray, scores: np.ndarray, score: str = "sum of counts over the target's cells"
) -> None:
    """Draw histograms of the scores of groups without and with the target.

    Parameters
    ----------
    members : numpy.ndarray of {0, 1}, shape (n,)
        1 for groups with the target.
    scores : numpy.ndarray, shape (n,)
        Scores of the groups.
    score : str
        What the score is.

    Returns
    -------
    None
    """
    ax = plt.subplots()[1]
    whole = np.array_equal(scores, np.rint(scores))
    n_bins = min(25, int(np.ptp(scores)) + 1) if whole else 25
    bins = np.histogram_bin_edges(scores, bins=n_bins).tolist()
    for label, member, hatch in (("without the target", 0, ""), ("with the target", 1, "//")):
        ax.hist(scores[members == member], bins, alpha=0.6, label=label, hatch=hatch)
    ax.set(xlabel=f"score: {score}", ylabel="groups")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.17), ncols=2)
    plt.show()


def show_roc(members: np.ndarray, scores: np.ndarray, fpr: float = 0.1) -> None:
    """Draw the ROC curve, its area, the diagonal of guessing, and the point at one FPR.

    Parameters
    ----------
    members : numpy.ndarray of {0, 1}, shape (n,)
        1 for groups with the target.
    scores : numpy.ndarray, shape (n,)
        Scores of the groups.
    fpr : float
        False positive rate of the marked point.

    Returns
    -------
    None
    """
    false, true, _ = roc_curve(members, scores)
    ax = plt.subplots(figsize=(4.6, 4.2))[1]
    ax.plot(false, true, marker="")
    ax.fill_between(false, true, alpha=0.15)
    ax.plot([0, 1], [0, 1], color="black", linewidth=1, linestyle=":", marker="")
    found = metrics.tpr_at_fpr(members, scores, fpr)
    ax.plot([fpr], [found], linestyle="", marker="o", color=figures.COLORS[1])
    ax.annotate(f"finds {found:.0%} at {fpr:.0%}", (fpr, found), (fpr + 0.06, found - 0.12))
    ax.text(0.55, 0.3, f"AUC {metrics.auc(members, scores):.2f}")
    ax.set(xlabel="false positive rate", ylabel="true positive rate", xlim=(0, 1), ylim=(0, 1.02))
    plt.show()


def recurrence_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of mean recurrence by dataset: after the first week, all weeks, another user's.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `experiments.recurrences` returns them.

    Returns
    -------
    pandas.DataFrame
        Text; columns without any value are left out.
    """
    columns = {
        "after the first week": "after the first week",
        "recurrence": "all weeks",
        "of another": "all weeks, of another user",
    }
    columns = {name: title for name, title in columns.items() if rows[name].notna().any()}
    return figures.table(rows, ["data"], columns) if columns else pd.DataFrame()


def price_table(games: pd.DataFrame, costs: pd.DataFrame, data: str) -> pd.DataFrame:
    """Make a table of privacy and error of each release of one dataset.

    Parameters
    ----------
    games, costs : pandas.DataFrame
        As `experiments.gains` and `experiments.errors` return them.
    data : str
        Name of the dataset.

    Returns
    -------
    pandas.DataFrame
        Text; columns AUC, gain and the errors.
    """
    games, costs = (rows[rows["data"] == data] for rows in (games, costs))
    found = {value: _column(games, value) for value in ("AUC", "gain")}
    found["error in visited cells"] = _column(costs, "its error")
    found["count in empty cells"] = _column(costs, "count in empty cells")
    return pd.DataFrame(found)


def _column(rows: pd.DataFrame, value: str) -> pd.Series:
    """Means with intervals by release, as text: large ones without decimals."""
    found = summaries.means(rows, ["release"], value)
    texts = [summaries.bracketed(found, digits)["mean [95%]"] for digits in (2, 0)]
    return texts[0].where(~(found["mean"] >= 10), texts[1]).rename(lambda x: x.split("for ")[-1])


def show_price(games: pd.DataFrame, costs: pd.DataFrame) -> None:
    """Draw the mean AUC against the mean error, a line for each dataset and unit of privacy.

    Parameters
    ----------
    games, costs : pandas.DataFrame
        As `experiments.games` and `experiments.errors` return them.

    Returns
    -------
    None
    """
    keys = ["data", "release"]
    errors = summaries.means(costs, keys, "its error")["mean"].rename("mean error")
    both = summaries.means(games, keys, "AUC").join(errors)
    both = both[both["mean error"] > 0].reset_index()
    both["unit"] = both["release"].str.split(",").str[0]
    axes = figures.intervals(
        both,
        "mean error",
        ["data", "unit"],
        size=(6.0, 3.4),
        level=0.5,
        xscale="log",
        xlabel="mean error in visited cells",
        ylabel="mean AUC",
    )
    count = costs.loc[costs["release"] == "raw", "count in visited cells"].mean()
    axes[""].axvline(count, color="black", linewidth=1, linestyle="--", marker="")
    axes[""].annotate("mean count", (count, 1.0), (4, 0), textcoords="offset points")
    figures.finish(axes, 2)


def stored_table(
    users: pd.DataFrame, costs: pd.DataFrame, games: pd.DataFrame, size: int = 100
) -> pd.DataFrame:
    """Make a table of stored results: a quantity in a row, a dataset in a column.

    Parameters
    ----------
    users, costs, games : pandas.DataFrame
        Stored results of `experiments.users`, `release_error` and `sum_attack`.
    size : int
        Users in a group.

    Returns
    -------
    pandas.DataFrame
        Text. The last column has the means that KK and aggregation privacy print of their cabs.
    """
    titles = {"visits": "visits", "unique ROIs": "places", "active epochs": "hours"}
    found = [
        figures.table(users, ["data"], titles, digits=0),
        figures.table(users, ["data"], {"recurrence": "recurrence at 7D"}),
    ]
    at_one = pd.to_numeric(costs["epsilon"]) == 1
    noisy = (costs["quantity"] == "error, a visit protected") & at_one
    of_counts = {"mean count": costs["quantity"] == "mean count", "its error, ε = 1": noisy}
    found += [
        figures.table(costs[which], ["data"], {"users": title})
        for title, which in of_counts.items()
    ]
    for kind in ("raw", "noisy"):
        rows = games[(games["release"] == kind) & (games["group size"] == size)]
        found.append(figures.table(rows, ["data"], {"AUC": f"AUC, {kind}"}))
    published = {"visits": "3,827; 3,663", "places": "78; 77", "hours": "340; 340"}
    return pd.concat(found, axis=1).T.assign(published=pd.Series(published)).fillna("")


def show_hours(hourly: Mapping[str, pd.Series]) -> None:
    """Draw the visits in each hour, a line for each dataset.

    Parameters
    ----------
    hourly : mapping of str to pandas.Series
        Name of the dataset to visits; index: hours.

    Returns
    -------
    None
    """
    ax = plt.subplots()[1]
    starts = {visits.index[0].day_name() for visits in hourly.values()}
    for name, visits in hourly.items():
        days = (visits.index - visits.index[0]) / pd.Timedelta("1D")
        ax.plot(days, visits, **figures.line_style(name, markers=False))
    ax.set(xlabel="days since the first epoch", ylabel="visits in an hour", ylim=(0, None))
    if len(starts) == 1:
        first = next(iter(hourly.values())).index[0]
        n_days = max((each.index[-1] - each.index[0]).days + 1 for each in hourly.values())
        names = [f"{first + pd.Timedelta(day, 'D'):%a}" for day in range(n_days)]
        ax.set_xticks(range(n_days), names, ha="left")
        ax.set_xlabel(f"from {first:%H} h, UTC, of each day")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.17), ncols=2)
    plt.show()


def show_recurrence(rows: pd.DataFrame, lag: str) -> None:
    """Draw the distribution of recurrence over users, after the first week if that is known.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `experiments.recurrences` returns them; without any, nothing is drawn.
    lag : str
        Lag of the recurrence.

    Returns
    -------
    None
    """
    if rows.empty:
        return
    column = "after the first week"
    column = column if rows[column].notna().any() else "recurrence"
    ax = plt.subplots()[1]
    for name, values in rows.dropna(subset=[column]).groupby("data", sort=False)[column]:
        ax.step(
            np.sort(values),
            np.linspace(0, 1, len(values)),
            where="post",
            **figures.line_style(str(name), markers=False),
        )
    when = "" if column == "recurrence" else f" {column}"
    ax.set(
        xlabel=f"recurrence at lag {lag}{when}",
        ylabel="share of users at or below",
        xlim=(-0.02, 1.02),
    )
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.17), ncols=2)
    plt.show()


def show_attack(auc: pd.DataFrame) -> None:
    """Draw the mean AUC with intervals against group size.

    Parameters
    ----------
    auc : pandas.DataFrame
        Means with intervals; index data, release, group size.

    Returns
    -------
    None
    """
    axes = figures.intervals(
        auc,
        "group size",
        ["data", "release"],
        size=(6.0, 3.2),
        level=0.5,
        xscale="log",
        apart=0.04,
        xlabel="users in the group",
        ylabel="mean AUC over targets",
        ticks=True,
    )
    figures.finish(axes, 2)

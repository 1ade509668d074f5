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
    """Each user's trace, two in a row, and their sum below."""
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
    """Visits in each hour of the first week, everybody and all places, a line a dataset."""
    hourly = {}
    for name, traces in populations.items():
        visits = pd.Series(traces.rois_per_epoch().sum(axis=0), traces.epochs)
        hourly[name] = visits[visits.index < visits.index[0] + pd.Timedelta("7D")]
    show_hours(hourly)


def show_scores(
    members: np.ndarray, scores: np.ndarray, score: str = "sum of counts over the target's cells"
) -> None:
    """Histograms of scores of groups without (0) and with (1) the target."""
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
    """The ROC curve, its area, the diagonal of guessing, and the point at one FPR."""
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
    """Mean recurrence, a row a dataset: over all weeks, after the first, and of another user."""
    columns = {
        "after the first week": "after the first week",
        "recurrence": "all weeks",
        "of another": "all weeks, of another user",
    }
    found = {}
    for column, title in columns.items():
        if rows[column].notna().any():
            found[title] = summaries.bracketed(summaries.means(rows, ["data"], column))[
                "mean [95%]"
            ]
    return pd.DataFrame(found)


def price_table(played: pd.DataFrame, costs: pd.DataFrame, data: str) -> pd.DataFrame:
    """What each release of one dataset buys and costs: of rows of `gains` and of `errors`."""
    played, costs = (rows[rows["data"] == data] for rows in (played, costs))
    found = {value: _column(played, value) for value in ("AUC", "gain")}
    found["error where somebody was"] = _column(costs, "its error")
    found["count where nobody was"] = _column(costs, "count where nobody was")
    return pd.DataFrame(found)


def _column(rows: pd.DataFrame, value: str) -> pd.Series:
    """Means with intervals by release, as text: large ones without decimals."""
    found = summaries.means(rows, ["release"], value)
    texts = [summaries.bracketed(found, digits)["mean [95%]"] for digits in (2, 0)]
    return texts[0].where(~(found["mean"] >= 10), texts[1]).rename(lambda x: x.split("for ")[-1])


def show_price(played: pd.DataFrame, costs: pd.DataFrame) -> None:
    """Mean AUC against the mean error where somebody was, a line a dataset and unit of privacy."""
    ax = plt.subplots()[1]
    keys = ["data", "release"]
    errors = summaries.means(costs, keys, "its error")["mean"].rename("mean error")
    both = summaries.means(played, keys, "AUC").join(errors)
    both = both[both["mean error"] > 0].reset_index()
    both["unit"] = both["release"].str.split(",").str[0]
    for (name, unit), rows in both.groupby(["data", "unit"], sort=False):
        drawn = figures.line_style(str(name)) | {"label": f"{name}, {unit}"}
        if "person" in str(unit):
            drawn |= {"linestyle": ":", "markerfacecolor": "white"}
        spread = [rows["mean"] - rows["95% low"], rows["95% high"] - rows["mean"]]
        ax.errorbar(rows["mean error"], rows["mean"], yerr=spread, capsize=4, **drawn)
    ax.axhline(0.5, color="black", linewidth=1, linestyle=":", marker="")
    count = costs.loc[costs["release"] == "raw", "count where somebody was"].mean()
    ax.axvline(count, color="black", linewidth=1, linestyle="--", marker="")
    ax.annotate("mean count", (count, 1.0), (4, 0), textcoords="offset points")
    ax.set(xlabel="mean error where somebody was", ylabel="mean AUC", xscale="log")
    _legend_above(ax)
    plt.show()


def kept_table(
    users: pd.DataFrame, costs: pd.DataFrame, played: pd.DataFrame, size: int = 100
) -> pd.DataFrame:
    """Kept rows of `users`, `release_error` and `sum_attack`: a quantity a row, a dataset a column.

    The last column has the means that KK and crowd print of their cabs.
    """
    found = {
        title: _of_data(users, column, digits)
        for title, column, digits in (
            ("visits", "visits", 0),
            ("places", "unique ROIs", 0),
            ("hours", "active epochs", 0),
            ("recurrence at 7D", "recurrence", 2),
        )
    }
    at_one = pd.to_numeric(costs["epsilon"]) == 1
    noisy = (costs["quantity"] == "error, a visit protected") & at_one
    found["mean count"] = _of_data(costs[costs["quantity"] == "mean count"], "users")
    found["its error, ε = 1"] = _of_data(costs[noisy], "users")
    for kind in ("raw", "noisy"):
        rows = played[(played["release"] == kind) & (played["group size"] == size)]
        found[f"AUC, {kind}"] = _of_data(rows, "AUC")
    published = {"visits": "3,827; 3,663", "places": "78; 77", "hours": "340; 340"}
    table = pd.DataFrame(found).T
    return table.assign(published=pd.Series(published)).fillna("")


def _of_data(rows: pd.DataFrame, value: str, digits: int = 2) -> pd.Series:
    return summaries.bracketed(summaries.means(rows, ["data"], value), digits)["mean [95%]"]


def show_hours(hourly: Mapping[str, pd.Series]) -> None:
    """Visits in each hour, a line a dataset."""
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
    """Distribution of recurrence over users, after the first week if that is known; or nothing."""
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
    """Mean AUC with intervals against group size: index data, release, group size."""
    ax = plt.subplots()[1]
    lines = {"raw": "-", "visit": "--", "person": ":"}
    groups = list(auc.groupby(level=[0, 1], sort=False))
    for i, ((name, kind), rows) in enumerate(groups):
        sizes = rows.index.get_level_values("group size").to_numpy(float)
        spread = [rows["mean"] - rows["95% low"], rows["95% high"] - rows["mean"]]
        drawn = figures.line_style(str(name)) | {"label": f"{name}, {kind}"}
        drawn["linestyle"] = next((lines[of] for of in lines if of in str(kind)), "-")
        if kind != "raw":
            drawn["markerfacecolor"] = "white"
        aside = 1.04 ** (i - (len(groups) - 1) / 2)
        ax.errorbar(sizes * aside, rows["mean"], yerr=spread, capsize=3, **drawn)
    ax.axhline(0.5, color="black", linewidth=1, linestyle=":", marker="")
    ax.set(xlabel="users in the group", ylabel="mean AUC over targets", xscale="log")
    ticks = sorted(set(auc.index.get_level_values("group size")))
    ax.set_xticks(ticks, [str(size) for size in ticks])
    ax.minorticks_off()
    _legend_above(ax)
    plt.show()


def _legend_above(ax: Any) -> None:
    handles, labels = ax.get_legend_handles_labels()
    place: Any = "outside upper center"
    ax.figure.legend(handles, labels, loc=place, fontsize=9, ncols=1 + (len(labels) > 3))

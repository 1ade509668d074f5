"""The foundations' figures: traces and their sum, a week of counts, recurrence, a first attack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.metrics import roc_curve

from lib import metrics, plots, summaries
from lib.traces import Traces


def show_six(six: Traces, hours: list[str]) -> None:
    """Each user's trace, two in a row, and their sum below."""
    names = list(map(str, six.users))
    layout: Any = [*map(list, zip(names[::2], names[1::2], strict=True)), ["sum", "sum"]]
    axes = plt.subplot_mosaic(layout, figsize=(6, 8))[1]
    traces = {name: six.trace(name) for name in names}
    for name, counts in (traces | {"sum": sum(traces.values())}).items():
        plots.show_counts(axes[name], counts, list(six.rois.index), hours)
        axes[name].set_title("all six: the aggregate" if name == "sum" else name)
        if name != "sum":
            axes[name].set_xticks(range(len(hours)), [])
    plt.show()


def show_week(populations: Mapping[str, Traces]) -> None:
    """Visits in each hour of the first week, everybody and all places, a line a dataset."""
    hourly = {}
    for name, traces in populations.items():
        visits = pd.Series(traces.active().sum(axis=0), traces.epochs)
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
    ax.plot([fpr], [found], linestyle="", marker="o", color=plots.COLORS[1])
    ax.annotate(f"finds {found:.0%} at {fpr:.0%}", (fpr, found), (fpr + 0.06, found - 0.12))
    ax.text(0.55, 0.3, f"AUC {metrics.auc(members, scores):.2f}")
    ax.set(xlabel="false positive rate", ylabel="true positive rate", xlim=(0, 1), ylim=(0, 1.02))
    plt.show()


def error_table(costs: pd.DataFrame) -> pd.DataFrame:
    """Mean counts and errors of `release_error`, a row each budget, a column each dataset."""
    found = summaries.means(costs, ["data", "quantity", "epsilon"], "users")
    return summaries.bracketed(found)["mean [95%]"].unstack("data", sort=False)


def show_hours(hourly: Mapping[str, pd.Series]) -> None:
    """Visits in each hour, a line a dataset."""
    ax = plt.subplots()[1]
    for name, visits in hourly.items():
        days = (visits.index - visits.index[0]) / pd.Timedelta("1D")
        ax.plot(days, visits, **plots.look(name, markers=False))
    ax.set(xlabel="days since the first epoch", ylabel="visits in an hour", ylim=(0, None))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.17), ncols=2)
    plt.show()


def show_recurrence(users: pd.DataFrame, lag: str) -> None:
    """Distribution of recurrence over users: columns data, recurrence."""
    ax = plt.subplots()[1]
    for name, values in users.dropna().groupby("data", sort=False)["recurrence"]:
        ax.step(np.sort(values), np.linspace(0, 1, len(values)), where="post",
                **plots.look(str(name), markers=False))  # fmt: skip
    ax.set(
        xlabel=f"recurrence at lag {lag}", ylabel="share of users at or below", xlim=(-0.02, 1.02)
    )
    ax.legend(loc="lower right")
    plt.show()


def show_attack(auc: pd.DataFrame) -> None:
    """Mean AUC with intervals against group size: index data, release, group size."""
    ax = plt.subplots()[1]
    for (name, kind), rows in auc.groupby(level=[0, 1], sort=False):
        sizes = rows.index.get_level_values("group size")
        spread = [rows["mean"] - rows["95% low"], rows["95% high"] - rows["mean"]]
        drawn = plots.look(str(name)) | {"label": f"{name}, {kind}"}
        if kind != "raw":
            drawn |= {"linestyle": ":", "markerfacecolor": "white"}
        ax.errorbar(sizes, rows["mean"], yerr=spread, capsize=4, **drawn)
    ax.axhline(0.5, color="black", linewidth=1, linestyle=":", marker="")
    ax.set(xlabel="users in the group", ylabel="mean AUC over targets", xscale="log")
    ax.set_xticks(sizes, [str(size) for size in sizes])
    n_columns = 1 + (len(auc.index.unique(0)) > 1)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.35), ncols=n_columns)
    plt.show()

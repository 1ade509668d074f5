"""The foundations' figures: traces and their sum, a week of counts, recurrence, a first attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from sklearn.metrics import roc_curve

from lib import metrics
from lib.papers import figures, summaries
from lib.traces import Traces

_USERS = {"flights-by-number": "flight numbers", "flights-by-tail": "aircraft"}  # of a dataset


def _style(data: str, markers: bool = False) -> dict[str, Any]:
    """Return how a dataset is drawn; the flights are named after their users."""
    style = figures.line_style(data, markers=markers)
    return style | {"label": _USERS.get(data, style["label"])}


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
    total = np.sum(list(traces.values()), axis=0)
    for name, counts in (traces | {"sum": total}).items():
        figures.show_counts(axes[name], counts, list(six.rois.index), hours)
        axes[name].set_title("all six: the aggregate" if name == "sum" else name)
        if name not in ("sum", *names[-2:]):
            axes[name].set_xticks(range(len(hours)), [])
    for place, hour in np.argwhere(total == 0):
        axes["sum"].text(hour, place, "0", ha="center", va="center")
    plt.show()


def show_sum_attack(six: Traces, target: str, hours: list[str]) -> None:
    """Draw the counts with and without the target, with a frame around the target's cells.

    Parameters
    ----------
    six : lib.traces.Traces
        Six users.
    target : str
        One of them.
    hours : list of str
        Labels of the epochs.

    Returns
    -------
    None
    """
    own = six.trace(target)
    whole = np.sum([six.trace(user) for user in six.users], axis=0)
    panels = {f"{target} was counted": whole, f"{target} was not counted": whole - own}
    axes = plt.subplots(2, 1, sharex=True, figsize=(6.0, 5.2))[1]
    for ax, (title, counts) in zip(axes, panels.items(), strict=True):
        figures.show_counts(ax, counts, list(six.rois.index), hours)
        ax.images[0].set_clim(0, 1.6 * whole.max())
        for place, hour in np.argwhere(counts == 0):
            ax.text(hour, place, "0", ha="center", va="center")
        for place, hour in np.argwhere(own == 1):
            corner, color = (hour - 0.5, place - 0.5), figures.COLORS[1]
            ax.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=color, linewidth=3.5))
        ax.set_title(f"{title}: the {own.sum()} framed cells add up to {counts[own == 1].sum()}")
    plt.show()


def show_week(populations: Mapping[str, Traces], zone: str | None = None) -> None:
    """Draw the visits in each hour of the first week, a line for each dataset.

    With a time zone, days are named at local noon, and nights (1 to 6 o'clock) are shaded.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    zone : str, optional
        Time zone of the users, such as "America/New_York"; by default, hours are in UTC.

    Returns
    -------
    None
    """
    hourly = {}
    for name, traces in populations.items():
        visits = pd.Series(traces.rois_per_epoch().sum(axis=0), traces.epochs)
        hourly[name] = visits[visits.index < visits.index[0] + pd.Timedelta("7D")]
    show_hours(hourly, zone)


def show_scores(
    members: np.ndarray,
    scores: np.ndarray,
    score: str = "sum of counts over the target's cells",
    ylabel: str = "groups",
    threshold: float | None = None,
    target: str = "the target",
) -> None:
    """Draw histograms of the scores of groups without and with the target, and their means.

    With a threshold, it is marked by a solid line, bars below it are paler, and the shares of the
    scores above it are written into the figure.

    Parameters
    ----------
    members : numpy.ndarray of {0, 1}, shape (n,)
        1 for groups with the target.
    scores : numpy.ndarray, shape (n,)
        Scores of the groups.
    score, ylabel : str
        What the score is, and what is counted.
    threshold : float, optional
        Groups that score higher are called members.
    target : str
        Name of the target, for the legend.

    Returns
    -------
    None
    """
    ax = plt.subplots()[1]
    bins = _bins(scores, threshold)
    for label, member, hatch in ((f"without {target}", 0, ""), (f"with {target}", 1, "//")):
        of_group, color = scores[members == member], figures.COLORS[member]
        ax.hist(of_group, bins, alpha=0.6, label=label, hatch=hatch, color=color)
        ax.axvline(of_group.mean(), color=color, linestyle="--", marker="")
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    ax.set(xlabel=f"score: {score}", ylabel=ylabel)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.17), ncols=2)
    if threshold is not None:
        _mark_threshold(ax, members, scores, threshold)
    plt.show()


def _bins(scores: np.ndarray, threshold: float | None) -> list[float]:
    """Return the edges of the bins of a histogram; the threshold lies between two bins."""
    n_bins = 25 if len(scores) > 400 else 12
    edges = np.histogram_bin_edges(scores, bins=n_bins)
    if np.array_equal(scores, np.rint(scores)):  # the same number of whole scores in each bin
        width = int(np.ptp(scores)) // n_bins + 1
        first = scores.min() - 0.5
        if threshold is not None:
            first -= (first - np.floor(threshold) - 0.5) % width
        return list(np.arange(first, scores.max() + width, width).tolist())
    if threshold is not None:
        width = edges[1] - edges[0]
        first = edges[0] - (edges[0] - threshold) % width
        edges = first + width * np.arange(n_bins + 2)
    return list(edges.tolist())


def _mark_threshold(ax: Axes, members: np.ndarray, scores: np.ndarray, threshold: float) -> None:
    """Draw the threshold, make the bars below it paler, and write the shares of scores above it."""
    ax.axvline(threshold, color="black", linewidth=1.5, marker="")
    for bar in ax.patches:
        if isinstance(bar, Rectangle) and bar.get_x() + bar.get_width() / 2 < threshold:
            bar.set_alpha(0.25)
    place: dict[str, Any] = {"transform": ax.transAxes, "ha": "right", "va": "top"}
    ax.text(0.98, 0.97, f"above {threshold:.0f}:", **place)
    for member, rate in enumerate(("without (FPR)", "with (TPR)")):
        text = f"{rate} {(scores[members == member] > threshold).mean():.0%}"
        ax.text(0.98, 0.87 - 0.1 * member, text, color=figures.COLORS[member], **place)


def show_roc(members: np.ndarray, scores: np.ndarray, thresholds: Sequence[float] = ()) -> None:
    """Draw the ROC curve, its area, the diagonal of guessing, and the points of some thresholds.

    Parameters
    ----------
    members : numpy.ndarray of {0, 1}, shape (n,)
        1 for groups with the target.
    scores : numpy.ndarray, shape (n,)
        Scores of the groups.
    thresholds : sequence of float
        Groups that score higher than a threshold are called members; each has a dot on the curve.

    Returns
    -------
    None
    """
    false, true, _ = roc_curve(members, scores)
    ax = plt.subplots(figsize=(4.8, 4.4))[1]
    ax.plot(false, true, marker="")
    ax.fill_between(false, true, alpha=0.15)
    ax.plot([0, 1], [0, 1], color="black", linewidth=1, linestyle=":", marker="")
    for threshold in thresholds:
        fpr, tpr = ((scores[members == member] > threshold).mean() for member in (0, 1))
        ax.plot([fpr], [tpr], linestyle="", marker="o", color=figures.COLORS[1])
        beside: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
        ax.annotate(f"above {threshold:.0f}", (fpr, tpr), (9, -6), **beside)
    ax.text(0.6, 0.3, f"AUC {metrics.auc(members, scores):.2f}")
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
        "of another": "all weeks, another user",
    }
    columns = {name: title for name, title in columns.items() if rows[name].notna().any()}
    return figures.table(rows, ["data"], columns) if columns else pd.DataFrame()


def price_table(games: pd.DataFrame, costs: pd.DataFrame, data: str) -> pd.DataFrame:
    """Make a table of privacy and error of each release of one dataset, and of publishing zeros.

    Parameters
    ----------
    games, costs : pandas.DataFrame
        As `experiments.gains` and `live.over_all_cells` return them.
    data : str
        Name of the dataset.

    Returns
    -------
    pandas.DataFrame
        Text, with the noise scale of each release, in ascending order. The last row is a release of
        zeros: its error is the mean count, and it tells an attacker nothing, so its AUC is 1/2
        without sampling error.
    """
    games, costs = (rows[rows["data"] == data] for rows in (games, costs))
    raw = costs[costs["release"] == "raw"].assign(release="all zeros")
    errors = {"its error": "count in visited cells", "error, all cells": "of zeros"}
    zeros = raw.assign(**{error: raw[of_zeros] for error, of_zeros in errors.items()})
    scales = costs.groupby("release")["noise scale"].first().sort_values(kind="stable")
    costs = pd.concat([costs, zeros])
    shown = [f"{scale:.3g}" if scale < 100 else f"{scale:.0f}" for scale in scales]
    found = {"noise scale": pd.Series(shown, scales.index)}
    found |= {value: _column(games, value) for value in ("AUC", "gain")}
    found["noise scale"]["all zeros"] = "–"
    found["AUC"]["all zeros"], found["gain"]["all zeros"] = "0.50", "1.00"
    found["error, visited cells"] = _column(costs, "its error")
    found["published, empty cells"] = _column(costs, "count in empty cells")
    found["error, all cells"] = _column(costs, "error, all cells")
    table = pd.DataFrame(found).loc[found["noise scale"].index]
    return table.rename_axis("release")


def brief_price_table(games: pd.DataFrame, costs: pd.DataFrame, data: str) -> pd.DataFrame:
    """Make the table of prices without the empty cells and without intervals of the errors.

    Parameters
    ----------
    games, costs : pandas.DataFrame
        As `experiments.gains` and `live.over_all_cells` return them.
    data : str
        Name of the dataset.

    Returns
    -------
    pandas.DataFrame
        Text, with the rows of `price_table`.
    """
    table = price_table(games, costs, data).drop(columns="published, empty cells")
    errors = {name: table[name].str.split(" [", regex=False).str[0] for name in table.columns[-2:]}
    return table.assign(**errors)


def _column(rows: pd.DataFrame, value: str) -> pd.Series:
    """Return means with intervals by release as text, large ones without decimals."""
    found = summaries.means(rows, ["release"], value)
    texts = [summaries.bracketed(found, digits)["mean [95%]"] for digits in (2, 0)]
    return texts[0].where(~(found["mean"] >= 10), texts[1])


_ERRORS = {  # of a release, beside that of a release of zeros, by the cells that are judged
    "visited cells": ("its error", "count in visited cells"),
    "all cells": ("error, all cells", "of zeros"),
}


def show_price(games: pd.DataFrame, costs: pd.DataFrame) -> None:
    """Draw the mean AUC against the mean error: in visited cells above, in all cells below.

    Each dataset has a column, and each unit of privacy its marker. A horizontal line is the AUC on
    raw counts; `_connect_releases` and `_mark_zeros` draw the rest. Of user-level noise, only
    budgets down to 1 are drawn: smaller ones give the same point of guessing with larger errors.

    Parameters
    ----------
    games, costs : pandas.DataFrame
        As `experiments.games` and `live.over_all_cells` return them.

    Returns
    -------
    None
    """
    both, zeros = _prices(games, costs)
    raw = games[games["release"] == "raw"].groupby("data")["AUC"].mean()
    looks = _release_styles(["raw", *dict.fromkeys(both["unit"])])
    styles = {unit: look | {"linestyle": ""} for unit, look in looks.items()}
    axes = figures.intervals(
        both,
        "mean error",
        "unit",
        ["cells", "data"],
        columns=both["data"].nunique(),
        size=(6.2, 3.0),
        level=0.5,
        xscale="log",
        ylim=(min(0.43, both["95% low"].min() - 0.03), 1.04),
        xlabel="mean absolute error per cell",
        ylabel="mean AUC",
        styles=styles,
    )
    for (cells, data), ax in axes.items():
        ax.set_title(f"{_style(data)['label']},\n{cells}")
        ax.axhline(raw[data], color="0.45", linewidth=1.2, marker="", label="raw counts", zorder=0)
        _connect_releases(ax, both.query("cells == @cells and data == @data"), styles)
    left, right = both["mean error"].min() / 3, max(1000.0, 3 * both["mean error"].max())
    for key, ax in axes.items():
        ax.set_xlim(left, right)
        _mark_zeros(ax, zeros[key], left)
    _finish(axes, 2)


def _mark_zeros(ax: Axes, error: float, left: float) -> None:
    """Mark a release of zeros by a cross, and shade the smaller errors from the left end on."""
    ax.axvline(error, color="black", linewidth=1, linestyle="--", marker="")
    ax.plot([error], [0.5], color="black", marker="X", linestyle="", label="all zeros", zorder=6)
    if error > left:
        ax.axvspan(left, error, color=figures.COLORS[0], alpha=0.1, linewidth=0, zorder=0)
        ax.text(left * 1.3, 0.52, "better than\nzeros", fontsize=11, color="0.25", va="bottom")


def _prices(
    games: pd.DataFrame, costs: pd.DataFrame
) -> tuple[pd.DataFrame, dict[tuple[str, str], float]]:
    """Return AUC and error of each noisy release, and the error of zeros, by cells and dataset."""
    keys = ["data", "release"]
    aucs = summaries.means(games, keys, "AUC")
    parts: list[pd.DataFrame] = []
    zeros: dict[tuple[str, str], float] = {}
    for cells, (error, of_zeros) in _ERRORS.items():
        mean = summaries.means(costs, keys, error)["mean"].rename("mean error")
        parts.append(aucs.join(mean).reset_index().assign(cells=cells))
        of_raw = costs[costs["release"] == "raw"].groupby("data")[of_zeros].mean()
        zeros |= {(cells, str(data)): value for data, value in of_raw.items()}
    both = pd.concat(parts)
    both = both[both["mean error"] > 0]
    both = both.assign(unit=both["release"].str.split(",").str[0])
    epsilons = pd.to_numeric(both["release"].str.rpartition(" ")[2])
    smallest = max((each for each in epsilons if each <= 1), default=0)
    return both[(both["unit"] != "user-level") | (epsilons >= smallest)], zeros


def _connect_releases(
    ax: Axes, points: pd.DataFrame, styles: Mapping[str, Mapping[str, Any]]
) -> None:
    """Connect the releases of a panel by a grey line, and write ε beside each of them."""
    along = points.sort_values("mean error")
    ax.plot(along["mean error"], along["mean"], color="0.6", linewidth=1, marker="", zorder=1)
    columns = ["release", "unit", "mean error", "mean"]
    first = along["release"].iloc[0]
    for release, unit, error, auc in along[columns].itertuples(index=False):
        text = release.rpartition(" ")[2]
        of_user = unit == "user-level"
        beside = _beside(float(text), of_user)
        text = f"ε = {text}" if release == first or (of_user and text == "1") else text
        of = {"color": styles[unit]["color"], "textcoords": "offset points"}
        ax.annotate(text, (error, auc), beside, **of)


def _beside(epsilon: float, of_user: bool) -> tuple[int, int]:
    """Return where ε is written beside a release in points, so that no two labels collide."""
    if not of_user:
        return (-5, -22) if epsilon >= 1 else (8, 3)
    if epsilon > 1:
        return (-24, -14)
    return (-2, 10) if epsilon == 1 else (-12, -20) if epsilon > 0.1 else (8, 1)


def _release_styles(releases: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return how releases are drawn where each panel is a dataset: raw counts first, in black."""
    looks = zip((6, 2, 3, 1), ("-", "-", "--", "-."), ("o", "^", "D", "s"), strict=True)
    styles = [
        {"color": figures.COLORS[i], "linestyle": line, "marker": marker}
        for i, line, marker in looks
    ]
    return {name: style for name, style in zip(releases, styles, strict=False)}


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
        Text. The first labels say of which release a row is. The last columns have the means that
        the two papers print of their cabs.
    """
    titles = {
        "visits": "visits of a user",
        "unique ROIs": "places of a user",
        "active epochs": "hours with a visit",
    }
    at_one = pd.to_numeric(costs["epsilon"]) == 1
    noisy = (costs["quantity"] == "error, a visit protected") & at_one
    counts = {
        ("raw counts", "mean count, visited cells"): costs["quantity"] == "mean count",
        ("noise, rounded, clipped", "error, visited cells"): noisy,
    }
    attacks = {"raw counts": "raw", "noise, neither rounded nor clipped": "noisy"}
    found = [("traces", figures.table(users, ["data"], titles, digits=0))]
    found += [("traces", figures.table(users, ["data"], {"recurrence": "weekly recurrence"}))]
    found += [
        (release, figures.table(costs[which], ["data"], {"users": title}))
        for (release, title), which in counts.items()
    ]
    for release, kind in attacks.items():
        rows = games[(games["release"] == kind) & (games["group size"] == size)]
        found.append((release, figures.table(rows, ["data"], {"AUC": "AUC of the sum"})))
    tables = [each.T.assign(release=release) for release, each in found]
    table = pd.concat(tables).rename_axis("quantity").set_index("release", append=True)
    return table.swaplevel().rename_axis(columns=None).assign(**_published(table))


def _published(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return what Knock-Knock and Aggregation privacy print of their cabs, row by row."""
    printed = {
        "visits of a user": ("3,827", "3,663"),
        "places of a user": ("78", "77"),
        "hours with a visit": ("340", "340"),
    }
    rows = [printed.get(quantity, ("", "")) for quantity in table.index.get_level_values(0)]
    return dict(zip(("KK", "AP"), map(list, zip(*rows, strict=True)), strict=True))


def show_crowding(rows: pd.DataFrame) -> None:
    """Draw the mean AUC against the share of the target's cells that are added up.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `experiments.by_crowding` returns them.

    Returns
    -------
    None
    """
    axes = figures.intervals(
        summaries.means(rows, ["data", "order", "share"], "AUC"),
        "share",
        ["data", "order"],
        size=(6.0, 3.2),
        level=0.5,
        xlabel="share of the target's cells that are added up",
        ylabel="mean AUC over targets",
        ticks=True,
        styles={str(data): _style(data, markers=True) for data in rows["data"].unique()},
    )
    _finish(axes, 2)


def show_clumps(probabilities: Mapping[str, pd.Series], aucs: Mapping[str, float], n: int) -> None:
    """Draw distributions of sums without and with the target, a panel for each population.

    Parameters
    ----------
    probabilities : mapping of str to pandas.Series
        Two populations or more: who the other users are, and the probability of each sum over the
        target's cells; index: the sums, in ascending order.
    aucs : mapping of str to float
        AUC of the sum attack in each population.
    n : int
        Number of the target's visits, by which the target moves the sum.

    Returns
    -------
    None
    """
    shape: Any = {"sharex": True, "figsize": (6.0, 1 + 2.2 * len(probabilities))}
    axes = plt.subplots(len(probabilities), 1, **shape)[1]
    for ax, (who, each) in zip(axes, probabilities.items(), strict=True):
        at = each.index.to_numpy(float)
        mean = float((at * each).sum())
        deviation = float((each * (at - mean) ** 2).sum() ** 0.5)
        width = min(np.diff(at).min(), 5)
        for label, added, hatch in (("without the target", 0, ""), ("with the target", n, "//")):
            look: Any = {"color": figures.COLORS[min(added, 1)], "alpha": 0.6, "hatch": hatch}
            ax.bar(at + added, each, width=width, label=label, linewidth=0, **look)
            ax.axvline(mean + added, color=look["color"], linestyle="--", marker="")
        ax.set_title(f"{who}: AUC {aucs[who]:.2f}")
        place = {"xycoords": "axes fraction", "ha": "right", "va": "top"}
        ax.annotate(f"standard\ndeviation {deviation:.1f}", (0.99, 0.95), **place)
        ax.set_ylabel("share of groups")
    axes[-1].set(xlabel="sum over the target's cells", xlim=(-6, 110))
    handles: Any = axes[0].get_legend_handles_labels()
    axes[0].figure.legend(*handles, loc="outside upper center", ncols=2)
    plt.show()


def show_hours(hourly: Mapping[str, pd.Series], zone: str | None = None) -> None:
    """Draw the visits in each hour, a line for each dataset.

    With a time zone, days are named at local noon, and nights (1 to 6 o'clock) are shaded.

    Parameters
    ----------
    hourly : mapping of str to pandas.Series
        Name of the dataset to visits; index: hours.
    zone : str, optional
        Time zone of the users; by default, hours are in UTC.

    Returns
    -------
    None
    """
    ax = plt.subplots()[1]
    starts = {visits.index[0].day_name() for visits in hourly.values()}
    for name, visits in hourly.items():
        days = (visits.index - visits.index[0]) / pd.Timedelta("1D")
        ax.plot(days, visits, **_style(name))
    label = "visits in an hour, first week"
    ax.set(xlabel="days since the first epoch", ylabel=label, ylim=(0, None))
    if zone is not None:
        _mark_local_days(ax, pd.DatetimeIndex(next(iter(hourly.values())).index), zone)
    elif len(starts) == 1:
        first = next(iter(hourly.values())).index[0]
        n_days = max((each.index[-1] - each.index[0]).days + 1 for each in hourly.values())
        names = [f"{first + pd.Timedelta(day, 'D'):%a}" for day in range(n_days)]
        ax.set_xticks(range(n_days), names, ha="left")
        start = "midnight" if first.hour == 0 else f"{first:%H} h"
        ax.set_xlabel(f"hour of the week (UTC), ticks at {start}")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.17), ncols=2)
    plt.show()


def _mark_local_days(ax: Axes, epochs: pd.DatetimeIndex, zone: str) -> None:
    """Shade the nights of a time zone, and name its days at noon."""
    utc = epochs if epochs.tz is not None else epochs.tz_localize("UTC")
    noons = []
    for place, local in zip((utc - utc[0]) / pd.Timedelta("1D"), utc.tz_convert(zone), strict=True):
        if 1 <= local.hour < 6:
            ax.axvspan(place - 0.5 / 24, place + 0.5 / 24, color="0.9", linewidth=0, zorder=0)
        if local.hour == 12:
            noons.append((place, f"{local:%a}"))
    ax.set_xticks([place for place, _ in noons], [day for _, day in noons])
    ax.set_xlabel(f"local time ({zone.rpartition('/')[2].replace('_', ' ')}), ticks at noon")


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
        ax.step(np.sort(values), np.linspace(0, 1, len(values)), where="post", **_style(str(name)))
    when = "" if column == "recurrence" else f" {column}"
    ax.set(
        xlabel=f"recurrence at a lag of {'one week' if lag == '7D' else lag}{when}",
        ylabel="share of users at or below",
        xlim=(-0.02, 1.02),
    )
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.17), ncols=2)
    plt.show()


def _finish(axes: Mapping[Any, Axes], columns: int) -> None:
    """Put one legend of all panels above the figure, in letters that a phone can show."""
    entries: dict[str, Any] = {}
    for ax in axes.values():
        for handle, text in zip(*ax.get_legend_handles_labels(), strict=True):
            entries.setdefault(text, handle)
    place: Any = "outside upper center"
    figure: Any = next(iter(axes.values())).figure
    figure.legend(entries.values(), entries, loc=place, ncols=columns, fontsize=11)
    plt.show()


def show_attack(auc: pd.DataFrame) -> None:
    """Draw the mean AUC with intervals against group size: a panel for each dataset.

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
        "release",
        "data",
        size=(6.0, 2.9),
        level=0.5,
        xscale="log",
        apart=0.06,
        xlabel="users in the group",
        ylabel="mean AUC",
        ticks=True,
        styles=_release_styles(list(dict.fromkeys(auc.index.get_level_values("release")))),
    )
    for data, ax in axes.items():
        ax.set_title(_style(data)["label"])
    _finish(axes, 1)

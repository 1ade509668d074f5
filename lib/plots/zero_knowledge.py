"""Figures of the zero-auxiliary-knowledge chapter: each takes frames or arrays and shows itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib import plots
from lib.datasets import mobility
from lib.plots import STAND_INS, look
from lib.traces import Traces


def show_releases(releases: Mapping[str, np.ndarray], traces: Traces) -> None:
    """Releases of the same group below each other, (n_rois, n_epochs) each."""
    hours = [stamp.strftime("%Hh") for stamp in traces.epochs]
    _, axes = plt.subplots(len(releases), 1, figsize=(4.5, 6.5), sharex=True)
    for ax, (label, counts) in zip(axes, releases.items(), strict=True):
        plots.show_counts(ax, counts, list(traces.rois.index), hours)
        ax.set_title(label)
    plt.show()


def show_visits(visits: Mapping[str, Sequence[int]]) -> None:
    """A histogram a population of its users' visits."""
    size = (6, 1.6 * len(visits) + 0.6)
    _, axes = plt.subplots(len(visits), 1, figsize=size, sharex=True, squeeze=False)
    for ax, (name, values) in zip(axes[:, 0], visits.items(), strict=True):
        ax.hist(values, bins=np.geomspace(10, 1500, 30))
        ax.set(title=name, xscale="log", ylabel="users")
    axes[-1, 0].set_xlabel("visits")
    plt.show()


def show_marginals(true: tuple[np.ndarray, np.ndarray], time: Mapping[str, np.ndarray],
                   space: Mapping[str, np.ndarray]) -> None:  # fmt: skip
    """Estimated time marginals over two days, and space marginals by popularity."""
    _, axes = plt.subplots(2, 1, figsize=(6, 4.8))
    order, days = np.argsort(-true[0])[::5], np.arange(48)
    axes[0].plot(days, true[1][:48], color="black", marker="", label="population")
    for label, estimate in time.items():
        axes[0].plot(days, estimate[:48], marker="", label=label)
    axes[1].plot(true[0][order], color="black", marker="", zorder=3, label="population")
    for label, estimate in space.items():
        axes[1].plot(estimate[order], marker="", linewidth=1.3, label=label)
    axes[0].set(xlabel="hour of the first two days", ylabel="probability",
                title="time (stand-in callers)")  # fmt: skip
    axes[1].set(xlabel="every fifth place, most visited first", ylabel="probability",
                title="space, epsilon = 0.1 a visit")  # fmt: skip
    for ax in axes:
        ax.legend(fontsize=10)
    plt.show()


def show_activity(visits: np.ndarray, families: Mapping[str, Any]) -> None:
    """Distribution functions of the number of visits: the population's and some families'."""
    _, ax = plt.subplots(figsize=(6, 3.2))
    at = np.geomspace(1, 1500, 200)
    share = [(visits <= x).mean() for x in at]
    ax.plot(at, share, color="black", marker="", label="stand-in callers")
    for name in ("lognormal", "exponential"):
        ax.plot(at, families[name].cdf(at), marker="", label=name)
    ax.set(xlabel="visits", ylabel="share of users", xscale="log")
    ax.legend()
    plt.show()


def show_times(times: Mapping[str, np.ndarray]) -> None:
    """Time marginals of releases, over the first four days."""
    figure, ax = plt.subplots(figsize=(6, 2.8))
    for label, time in times.items():
        ax.plot(time[:96], marker="", label=label)
    label = "hour of the first four days (stand-in tweeters)"
    ax.set(xlabel=label, ylabel="probability", ylim=(0, None))
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    plt.show()


def show_patch(traces: Traces, space: np.ndarray, title: str, rng: np.random.Generator) -> None:
    """Places by their share of visits, joined by their triangulation, and one connected set."""
    neighbours = mobility.triangulate(traces.rois)
    patch = mobility.grow_subgraphs(np.array([np.argmax(space)]), neighbours, rng)[0]
    lat, lon = traces.rois["lat"].to_numpy(), traces.rois["lon"].to_numpy()
    first, second = np.nonzero(np.triu(neighbours.toarray()))
    edges = [lon[first], lon[second]], [lat[first], lat[second]]
    _, ax = plt.subplots(figsize=(5, 3.4))
    ax.plot(*edges, color="#CCCCCC", linewidth=0.6, linestyle="-", marker="")
    ax.scatter(lon, lat, s=2000 * space, label="places, by visits")
    ax.scatter(lon[patch], lat[patch], s=60, facecolors="none", edgecolors="#D55E00", linewidths=2,
               label="one set of ten")  # fmt: skip
    ax.set(xlabel="longitude", ylabel="latitude", title=title)
    ax.legend(loc="lower right", fontsize=10)
    plt.show()


def show_both(table: pd.DataFrame, x: str, xlabel: str, scale: str = "linear") -> None:
    """A panel a population: KK and ZK of `findings.zk.compared` against its last level."""
    names = table.index.get_level_values("data").unique()
    size = (6, 2.6 * len(names))
    _, axes = plt.subplots(len(names), 1, figsize=size, sharex=True, squeeze=False)
    for ax, name in zip(axes[:, 0], names, strict=True):
        rows = table.xs(name, level="data")
        at = rows.index.get_level_values(x).astype(float)
        for attacker, error in (("KK", "se"), ("ZK", "se ")):
            ax.errorbar(at, rows[attacker], yerr=rows[error], capsize=4, **look(attacker))
        stand_in = " (stand-in)" if name in STAND_INS else ""
        ax.set(title=name + stand_in, ylabel="mean AUC", xscale=scale, ylim=(0.4, 1.04))
        _ticks(ax, at, [f"{each:g}" for each in at])
    axes[-1, 0].set_xlabel(xlabel)
    axes[0, 0].legend(ncols=2)
    plt.show()


def show_pairs(games: pd.DataFrame) -> None:
    """AUC against the budget, of both attackers, trained on pairs and on independent groups."""
    figure, ax = plt.subplots(figsize=(6, 3.6))
    for (attacker, groups), rows in games.groupby(["attacker", "groups"], sort=False):
        auc = rows.groupby("epsilon")["AUC"]
        ax.errorbar(auc.mean().index, auc.mean(), yerr=auc.sem(), capsize=4,
                    label=f"{attacker}, {groups}")  # fmt: skip
    _guess(ax)
    ax.set(xlabel="epsilon of a user-day", ylabel="mean AUC", title=games["data"].iloc[0])
    handles = ax.get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2, fontsize=10)
    plt.show()


def show_sizes(table: pd.DataFrame, data: str) -> None:
    """Mean AUC of ZK against the size of the group, a line a release."""
    figure, ax = plt.subplots(figsize=(6, 3.4))
    for label, rows in table.xs(data, level="data").groupby(level="release", sort=False):
        at = rows.index.get_level_values("m")
        ax.errorbar(at, rows["ZK"], yerr=rows["se "], capsize=4, label=label)
    ax.set(xlabel="users in a group", ylabel="mean AUC of ZK", xscale="log", title=data)
    _ticks(ax, at, [str(each) for each in at])
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    plt.show()


def _guess(ax: Any) -> None:
    ax.axhline(0.5, color="black", linewidth=1, linestyle=":", marker="")


def _ticks(ax: Any, at: Any, labels: list[str]) -> None:
    _guess(ax)
    ax.set_xticks(at, labels)
    ax.minorticks_off()

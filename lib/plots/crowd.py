"""Figures of what the crowd says about you, and tables beside them, from rows of its studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.localization import LAST
from lib.plots import color, label, look
from lib.studies.crowd import GOALS, OUTPUT, with_interval

_LIMIT = dict(zip(GOALS, (0.84, 1.01), strict=True))  # sqrt(ln 2) is the largest profiling error


def _chosen(rows: pd.DataFrame, index: Sequence[str], **where: str) -> pd.DataFrame:
    for column, value in where.items():
        rows = rows[rows[column] == value]
    return rows.set_index(list(index))


# -- figures ---------------------------------------------------------------------------------------


def show_errors(rows: pd.DataFrame, goal: str, priors: Sequence[str]) -> None:
    """The share of users with at most some error: a panel for each prior and dataset."""
    panels = [(prior, data) for prior in priors for data in rows["data"].unique()]
    columns, high = min(2, len(panels)), 1.9 if len(priors) == 1 else 1.75
    n_rows = -(-len(panels) // columns)
    figure, axes = plt.subplots(n_rows, columns, figsize=(6, 1.1 + high * n_rows), sharey=True,
                                squeeze=False)  # fmt: skip
    for ax in axes.flat[len(panels) :]:
        ax.set_axis_off()
    percents = [name for name in rows.columns.astype(str) if name.endswith("%")]
    shares = [float(name[:-1]) / 100 for name in percents]
    for ax, (prior, data) in zip(axes.flat, panels, strict=False):
        found = _chosen(rows, ["strategy"], goal=goal, prior=prior, data=data)
        for strategy, row in found.iterrows():
            ax.plot(row[percents], shares, **look(str(strategy), markers=False))
        ax.set_title(label(data) if len(priors) == 1 else f"{prior},\n{label(data)}", fontsize=11)
        ax.set(xlim=(0, _LIMIT[goal]), xticks=[0, 0.25, 0.5, 0.75], ylim=(0, 1.02))
    for ax in axes[-1]:
        ax.set_xlabel(f"{goal} error")
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, fontsize=10)
    plt.show()


def _panels(rows: pd.DataFrame, high: float, **options: Any) -> tuple[Any, list[tuple[Any, str]]]:
    """A figure with one panel below the other, a dataset each."""
    names = list(rows["data"].unique())
    figure, axes = plt.subplots(len(names), 1, figsize=(6, 1 + high * len(names)), sharex=True,
                                squeeze=False, **options)  # fmt: skip
    return figure, list(zip(axes[:, 0], names, strict=True))


def show_hours(rows: pd.DataFrame) -> None:
    """Mean errors over the hours of the week, of the prior and of BAYES."""
    figure, panels = _panels(rows, 1.8)
    for ax, data in panels:
        hours = _chosen(rows, ["hour"], data=data)
        for strategy in ("PRIOR", "BAYES"):
            ax.plot(hours.index, hours[strategy], linewidth=1.2, **look(strategy, markers=False))
        ax.set(title=label(data), ylabel="error")
    ax.set_xticks(range(12, 168, 24), ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"])
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    plt.show()


def show_gains(rows: pd.DataFrame) -> None:
    """Boxes of users' privacy gains at each epsilon: quartiles, whiskers from 5 to 95%."""
    figure, panels = _panels(rows, 2)
    names = OUTPUT[1:]
    for ax, data in panels:
        for m, name in enumerate(names):
            found = _chosen(rows, ["level"], data=data, mechanism=name, what="at")
            boxes = [
                {"whislo": row["5%"], "q1": row["25%"], "med": row["50%"], "q3": row["75%"],
                 "whishi": row["95%"]} for _, row in found.iterrows()
            ]  # fmt: skip
            ax.bxp(boxes, positions=np.arange(len(boxes)) + 0.2 * (m - 1.5), widths=0.16,
                   showfliers=False, patch_artist=True, boxprops={"facecolor": color(name)},
                   medianprops={"color": "black"}, manage_ticks=False)  # fmt: skip
        ax.set(title=label(data), ylabel="privacy gain")
    ax.set_xticks(range(len(found)), [f"{epsilon:g}" for epsilon in found.index])
    ax.set_xlabel("ε")
    swatches = [plt.Rectangle((0, 0), 1, 1, facecolor=color(name)) for name in names]
    figure.legend(swatches, names, loc="outside upper center", ncols=2)
    plt.show()


def show_spotme(rows: pd.DataFrame) -> None:
    """Mean privacy gain of SpotMe against p, with intervals over users."""
    figure, ax = plt.subplots()
    for data, found in spotme_table(rows).groupby("data", sort=False):
        mean = found["privacy gain"].to_numpy()
        spread = mean - found["95% low"].to_numpy()
        ax.errorbar(
            found.index.get_level_values("p"), mean, yerr=spread, capsize=4, **look(str(data))
        )
    ax.set(xlabel="p, the probability of a forced yes", ylabel="mean privacy gain")
    figure.legend(loc="outside upper center", ncols=2)
    plt.show()


# -- tables ----------------------------------------------------------------------------------------


def errors_table(rows: pd.DataFrame, goal: str, prior: str) -> pd.DataFrame:
    """One prior: mean error with its interval, mean loss and share of users better off."""
    found = _chosen(rows, ["data", "strategy"], goal=goal, prior=prior)
    return with_interval(found, "error").join(found[["loss", "better"]])


def last_table(rows: pd.DataFrame, goal: str) -> pd.DataFrame:
    """Errors and losses with the assignment priors, a column for each strategy."""
    found = _chosen(rows[rows["prior"].isin(LAST)], ["prior", "data", "strategy"], goal=goal)
    order = pd.MultiIndex.from_product([LAST, rows["data"].unique()], names=["prior", "data"])
    wide = found[["error", "loss"]].unstack("strategy", sort=False)
    return pd.DataFrame(wide).reindex(order)


def parts_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Parts of the week: the prior's error, and what the counts take off it."""
    found = _chosen(rows, ["data", "part"], clock="local", less="nothing")
    taken = with_interval(found, "BAYES").rename(columns={"BAYES": "BAYES takes off"})
    return pd.concat([found["error"].rename("prior's error"), taken, found["MAX_USER"]], axis=1)


def clocks_table(rows: pd.DataFrame) -> pd.DataFrame:
    """The prior's error in two spans of the day by several cities' clocks."""
    found = _chosen(rows[rows["clock"] != "local"], ["clock", "part"]).rename_axis(
        ["clock", "hours"]
    )
    errors = with_interval(found, "error").rename(columns={"error": "prior's error"})
    return errors.join(found["MAX_USER"].rename("MAX_USER takes off"))


def thirds_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean loss of users in thirds."""
    found = _chosen(rows, ["data", "third by", "third"]).rename(columns={"loss": "mean"})
    interval = with_interval(found.rename(columns={"loss se": "mean se"}), "mean")
    return pd.concat([found["users"].rename("n"), interval], axis=1)


def noise_table(rows: pd.DataFrame, value: str) -> pd.DataFrame:
    """MRE or gain of the output mechanisms, a column for each epsilon."""
    found = _chosen(rows[rows["mechanism"] != "SpotMe"], ["data", "mechanism", "level"], what="at")
    return found[value].rename_axis(["data", "mechanism", "ε"]).unstack("ε", sort=False)


def spotme_table(rows: pd.DataFrame) -> pd.DataFrame:
    """MRE and gain of SpotMe."""
    found = _chosen(rows, ["data", "level"], mechanism="SpotMe", what="at")
    gain = with_interval(found, "gain").rename(columns={"gain": "privacy gain"})
    return pd.concat([found["MRE"], gain], axis=1).rename_axis(["data", "p"])


def readings_table(noise: pd.DataFrame, readings: pd.DataFrame) -> pd.DataFrame:
    """MRE under four readings of FPA."""
    found = _chosen(noise, ["data", "level"], mechanism="FPA", what="at").rename_axis(["data", "ε"])
    return found[["MRE"]].set_axis(["orthonormal"], axis=1).join(_chosen(readings, ["data", "ε"]))


def price_table(rows: pd.DataFrame) -> pd.DataFrame:
    """The smallest error at which at least half of the largest gain on a dataset is had."""
    prices = {}
    for data, found in _chosen(rows, ["mechanism", "level"], what="at").groupby("data", sort=False):
        enough = found[found["gain"] >= found["gain"].max() / 2]
        name, level = enough["MRE"].idxmin()
        label = f"{name}, {'p' if name == 'SpotMe' else 'ε'} = {level:g}"
        best = enough.loc[(name, level)]
        prices[data] = [found["gain"].max(), label, best["MRE"], best["gain"]]
    columns = ["largest gain", "cheapest half of it", "MRE", "gain"]
    return pd.DataFrame.from_dict(prices, orient="index", columns=columns).rename_axis("data")


def guarantee_table(rows: pd.DataFrame, n_rois: int) -> pd.DataFrame:
    """SpotMe's printed epsilon and exact deltas, a column for each p."""
    deltas = rows.set_index(["p", "data"])["δ of a week"].unstack("data", sort=False)
    first = _chosen(rows, ["p"], data=rows["data"].iloc[0])
    table = pd.DataFrame({f"printed ε, {n_rois} ROIs": first["printed ε"],
                          "δ of a visit at that ε": first["δ of a visit"]})  # fmt: skip
    return table.join(deltas.add_prefix("δ of a week at ε = 1, ")).T.rename_axis("p")


def joint_table(rows: pd.DataFrame, prior: str) -> pd.DataFrame:
    """Scores of the strategies beside those of the exact answers, with one prior."""
    found = _chosen(rows, ["data", "answer"], prior=prior)
    return with_interval(found, "Brier").join(
        found[["JS distance", "visits found", "no or two answers"]]
    )

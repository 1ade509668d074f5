"""Figures of the chapter on Fano loss: privacy losses, their bounds, and what they hang on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from lib.plots import COLORS, look

ATTACKS = ("MAP", "marginal", "prior", "constant")


def sweeps(means: pd.DataFrame, panels: Mapping[str, str]) -> None:
    """The lines of Fig. 5, a panel for each of `panels`: what is swept, its label."""
    figure, axes = plt.subplots(len(panels), 1, figsize=(6, 6.4), sharey=True)
    for ax, (swept, label) in zip(axes, panels.items(), strict=True):
        table = means.loc[swept]
        for name in ("loose", "tight", *ATTACKS):
            ax.plot(table.index, table[name], **look(name))
        ax.set(xlabel=label, ylabel="privacy loss", ylim=(-0.03, 1.03))
        if swept == "M":
            _at_each(ax, table.index)
    _legend_above(figure, axes[0])
    plt.show()


def gaps(means: pd.DataFrame, best: pd.Series, n_epochs: int) -> None:
    """Three bounds and the best attack against the steps asked for, on a logarithmic scale."""
    _, ax = plt.subplots()
    for name in ("tight", "tight, exact I and KL", "moments"):
        ax.plot(means.index, means[name], **look(name))
    ax.plot(best.index, best, label="best attack")
    ax.set(xlabel=f"right steps asked for, of {n_epochs}", ylabel="privacy loss", yscale="log")
    ax.legend(loc="lower left")
    plt.show()


def adaptive(rows: pd.DataFrame, setting: str) -> None:
    """The success of MAP with random and with greedy sensors, with intervals, by map."""
    _, ax = plt.subplots()
    for name, line in rows.groupby("sensors", sort=False):
        spread = [line["MAP"] - line["95% low"], line["95% high"] - line["MAP"]]
        ax.errorbar(line["M"], line["MAP"], yerr=spread, capsize=4, label=name)
    ax.set(xlabel="places M", ylabel=f"success of MAP, {setting}")
    _at_each(ax, rows["M"].unique())
    ax.legend(title="sensors")
    plt.show()


def noise(means: pd.DataFrame, lines: Sequence[str], title: str = "{}") -> None:
    """Bounds and MAP against σ, a panel for each of the first level; level lines: no noise."""
    names = means.index.get_level_values(0).unique()
    figure, axes = _panels(len(names))
    for ax, name in zip(axes, names, strict=True):
        table = means.loc[name]
        noisy = table.drop(0.0)
        for line, other in zip(lines, COLORS, strict=False):
            drawn = {"color": other} | look(line)
            ax.plot(noisy.index, noisy[line], **drawn)
            ax.axhline(table.loc[0.0, line], color=drawn["color"], linewidth=0.8, marker="")
        ax.set(title=title.format(name), ylabel="privacy loss", xscale="log", ylim=(-0.03, 1.03))
    axes[-1].set_xlabel("standard deviation σ of the noise (thin lines: no noise)")
    _legend_above(figure, axes[0])
    plt.show()


def users(rows: pd.DataFrame, column: str, xlabel: str, bound: str) -> None:
    """Each user's bound against something about her, a panel a dataset."""
    own = rows[rows["chains"] == "as decided"]
    _, axes = _panels(own["data"].nunique(), height=2.9)
    for ax, (name, table) in zip(axes, own.groupby("data", sort=False), strict=True):
        ax.plot(table[column], table[bound], "o", alpha=0.25, markersize=4)
        ax.set(title=name, ylabel="tight bound", ylim=(-0.03, 1.03))
    axes[-1].set_xlabel(xlabel)
    plt.show()


def steps(means: pd.DataFrame, names: Sequence[str]) -> None:
    """Fig. 6: means over users against the steps asked for, a panel a dataset."""
    figure, axes = _panels(len(names))
    for ax, name in zip(axes, names, strict=True):
        table = means.loc[name]
        for line in ("loose", "tight", "moments", "MAP", "prior", "constant"):
            ax.plot(table.index, table[line], **look(line))
        ax.set(title=name, ylabel="mean privacy loss", ylim=(-0.03, 1.03), xticks=table.index)
    axes[-1].set_xlabel("right steps asked for, T − s")
    _legend_above(figure, axes[0])
    plt.show()


def with_raw(table: pd.DataFrame) -> pd.DataFrame:
    """A table by noise, for reading: σ as text, "raw" where there is none."""
    flat = table.reset_index()
    words = flat["σ"].map(lambda sigma: f"{sigma:g}" if sigma else "raw")
    return flat.assign(σ=words).set_index(list(table.index.names))


def _panels(n: int, height: float = 3.2) -> tuple[Any, Any]:
    figure, axes = plt.subplots(n, 1, figsize=(6, height * n), sharex=True, squeeze=False)
    return figure, axes[:, 0]


def _at_each(ax: Any, sizes: Any) -> None:
    """A logarithmic axis with a tick at each size."""
    ax.set_xscale("log")
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.minorticks_off()


def _legend_above(figure: Any, ax: Any) -> None:
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=3)

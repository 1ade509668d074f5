"""Figures and tables of Fano loss: the success of guessed paths, its bounds, people's habits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import special, stats

from lib import metrics
from lib.papers import figures, summaries
from lib.papers.figures import COLORS
from lib.reconstruction.chain import MarkovChain

ATTACKS = ("MAP", "marginal", "prior", "constant")
WORDS = {
    "loose": "loose bound",
    "tight": "tight bound",
    "moments": "moment bound",
    "marginal": "modes",
}
CUTS = ("gowalla", "foursquare")  # a part of each service only
FAINTEST = 1e-30  # the lower end of a logarithmic axis, where an interval reaches 0
NOT_FEWER = 25  # points of a scatter from which on they are drawn pale


def line_style(name: str) -> dict[str, Any]:
    """How an attack or a bound is drawn, with the word that the chapters use for it."""
    known = {word: each for each, word in WORDS.items()}
    return figures.line_style(known.get(name, name)) | {"label": WORDS.get(name, name)}


def titled(name: str) -> str:
    """A dataset's name in titles: a part of the paper's data is named as one."""
    return f"{figures.label(name)} (a cut)" if name in CUTS else figures.label(name)


# -- by hand ---------------------------------------------------------------------------------------


def moves(chain: MarkovChain, places: Sequence[str]) -> pd.DataFrame:
    """A chain in words: where she begins, and where she goes from each place that she visits."""
    rows = {}
    for x in map(int, chain.support):
        onward = [
            f"{places[y]} {chain.transition[x, y]:.2g}"
            for y in map(int, np.flatnonzero(chain.transition[x]))
        ]
        rows[places[x]] = {"is there": chain.initial[x], "goes on to": ", ".join(onward)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("from")


def show_bit(p: np.ndarray, h: np.ndarray, marked: Mapping[str, float]) -> None:
    """The binary entropy, and the chance of some people to be at the sensor."""
    ax = plt.subplots(figsize=(6, 3.2))[1]
    ax.plot(p, h, color="black", marker="", linestyle="-")
    for (name, x), color, shape in zip(marked.items(), COLORS, figures.MARKERS, strict=False):
        height = float(special.entr(x) + special.entr(1 - x))
        ax.plot([x], [height], marker=shape, color=color, linestyle="")
        ax.annotate(
            name,
            (x, height),
            (0, -22) if x > 0.3 else (12, -6),
            textcoords="offset points",
            ha="center" if x > 0.3 else "left",
        )
    ax.set(
        xlabel="p, the probability that the person is at the sensor",
        ylabel="h(p), nats",
        ylim=(0, 0.76),
    )
    plt.show()


def show_both_sides(p_e: np.ndarray, right: np.ndarray, left: float, true: float) -> None:
    """Fano's inequality: its right side over p_e, its left side, and the best attacker's p_e."""
    figure, ax = plt.subplots(figsize=(6, 3.8))
    ax.plot(p_e, right, **figures.line_style("loose", markers=False) | {"label": "right side"})
    ax.axhline(
        left,
        color="black",
        linewidth=1.5,
        linestyle="--",
        marker="",
        label="left side: what the attacker still does not know",
    )
    ax.fill_between(p_e, 0, right.max(), where=(right < left).tolist(), alpha=0.15, color="black")
    ax.axvline(
        true, color=figures.color("MAP"), linestyle=":", marker="", label="the best attacker"
    )
    ax.set(
        xlabel="chance of failure $p_e$ (shaded: impossible)",
        ylabel="nats",
        xlim=(0, 1),
        ylim=(0, right.max()),
    )
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=1)
    plt.show()


def show_posterior(
    posterior: np.ndarray, places: Sequence[str], paths: Mapping[str, Sequence[int]]
) -> None:
    """The posterior of each step as shades, with paths that are named drawn over it."""
    ax = plt.subplots(figsize=(6, 3.4))[1]
    ax.imshow(posterior.T, cmap="Blues", vmin=0, vmax=2 * posterior.max(), aspect="auto")
    for (step, place), chance in np.ndenumerate(posterior):
        if chance > 0:
            ax.text(
                step + 0.3,
                place + 0.3,
                f"{chance:.2f}",
                ha="center",
                va="center",
                fontsize=9,
                zorder=5,
                bbox={"facecolor": "white", "alpha": 0.7, "pad": 1, "linewidth": 0},
            )
    for name, path in paths.items():
        ax.plot(range(len(path)), path, **line_style(name))
    ax.set_xticks(range(len(posterior)), [f"step {t + 1}" for t in range(len(posterior))])
    ax.set_yticks(range(len(places)), list(places))
    ax.grid(False)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    plt.show()


# -- what nobody can do better ---------------------------------------------------------------------

CHECKED = ("loose", "tight", "moments", "MAP")


def show_cases(cases: pd.DataFrame) -> None:
    """Bounds and MAP against the best possible success, a panel each, a point a random chain."""
    axes = plt.subplots(2, 2, figsize=(6, 6), sharex=True, sharey=True)[1]
    for ax, name in zip(axes.flat, CHECKED, strict=True):
        drawn = line_style(name) | {"linestyle": "", "alpha": 0.4, "markersize": 5}
        ax.plot(cases["best"], cases[_column(name)], **drawn)
        ax.plot([0, 1], [0, 1], color="black", linewidth=1, linestyle=":", marker="")
        ax.set(title=WORDS.get(name, name), xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    for ax in axes[-1]:
        ax.set_xlabel("best possible success")
    for ax in axes[:, 0]:
        ax.set_ylabel("bound, or success")
    plt.show()


def case_table(cases: pd.DataFrame) -> pd.DataFrame:
    """Each bound, and MAP, minus the best possible success: least, median and largest."""
    of = {WORDS.get(name, name): cases[_column(name)] - cases["best"] for name in CHECKED}
    found = pd.DataFrame(of).agg(["min", "median", "max"]).T.round(9) + 0.0
    return found.set_axis(["least", "median", "largest"], axis=1).rename_axis("minus the best")


def _column(name: str) -> str:
    return "map" if name == "MAP" else name


# -- the simulated person --------------------------------------------------------------------------


def show_swept(rows: pd.DataFrame, lines: Sequence[str], xlabel: str, each: bool = False) -> None:
    """Attacks and bounds on a logarithmic axis, with 95% intervals over sequences of sensors.

    rows  of `experiments.sweeps`, one thing swept; each: a logarithmic tick at every value
    """
    figure, ax = plt.subplots(figsize=(6, 4.4))
    for name in lines:
        found = summaries.means(rows, ["value"], name)
        found = found[found["mean"] > FAINTEST]
        low = np.maximum(found["95% low"].fillna(found["mean"]), found["mean"] / 1000)
        spread = [found["mean"] - low, found["95% high"].fillna(found["mean"]) - found["mean"]]
        ax.errorbar(found.index, found["mean"], yerr=spread, capsize=3, **line_style(name))
    ax.set(xlabel=xlabel, ylabel="chance of success", yscale="log")
    if each:
        _at_each(ax, sorted(rows["value"].unique()))
    _legend_above(figure, ax)
    plt.show()


def swept_table(rows: pd.DataFrame, lines: Sequence[str], name: str, most: int = 6) -> pd.DataFrame:
    """Means with intervals over sequences of sensors, at no more than so many swept values."""
    values = sorted(rows["value"].unique())
    if len(values) > most:
        values = [values[i] for i in np.linspace(0, len(values) - 1, most).round().astype(int)]
    chosen = rows[rows["value"].isin(values)].sort_values("value", kind="stable")
    found = {
        WORDS.get(line, line): _in_powers(summaries.means(chosen, ["value"], line))
        for line in lines
    }
    return pd.DataFrame(found).rename_axis(name)


def gain_table(sweep: pd.DataFrame) -> pd.DataFrame:
    """What modes have more than MAP on the same sensors, by the swept value: one column."""
    gain = sweep.assign(gain=sweep["marginal"] - sweep["MAP"])
    texts = _in_powers(summaries.means(gain, ["value"], "gain"), least=-np.inf)
    return pd.DataFrame({"modes minus MAP [95%]": texts}).rename_axis("places M")


def _in_powers(table: pd.DataFrame, least: float = 0.0) -> pd.Series:
    """Means with intervals: two digits of the mean, below 0.001 as "4.8 [4.5, 5.1]·10⁻⁵"; what does
    not depend on the sensors stands alone. Intervals begin at `least` at the least."""

    def format_row(row: pd.Series) -> str:
        mean, low, high = row["mean"], row["95% low"], row["95% high"]
        alone = not high - low > 1e-9 * abs(mean)  # NaN: a single value
        if mean == 0:
            return "0"
        power = int(np.floor(np.log10(abs(mean))))
        scale, digits = (10.0**power, 1) if power < -3 else (1.0, max(1 - power, 0))
        low, high = (np.nan, np.nan) if alone else (max(low, least) / scale, high / scale)
        text = summaries.in_brackets(mean / scale, low, high, digits)
        return text + f"·10{str(power).translate(_SUPERSCRIPTS)}" * (scale < 1)

    return table.apply(format_row, axis=1)


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def noise_table(runs: pd.DataFrame, bounds: pd.DataFrame) -> pd.DataFrame:
    """MAP by noise with its interval over runs, what noise takes from it on the same runs, two
    bounds, the moment one with its interval over sensors, and ε; below, what needs no count."""
    rows: dict[str, dict[str, Any]] = {}
    for sigma in runs["σ"].unique().tolist():
        each = runs[runs["σ"] == sigma]
        hits = stats.binomtest(int(each["MAP"].sum()), len(each)).proportion_ci(0.95, "exact")
        row: dict[str, Any] = {
            "MAP [95%]": summaries.in_brackets(each["MAP"].mean(), hits.low, hits.high)
        }
        lost = summaries.differences(runs, [], "MAP", ["run"], "σ", 0.0, sigma) if sigma else None
        taken = "" if lost is None else summaries.bracketed(lost)["mean [95%]"].iloc[0]
        row["taken by noise [95%]"] = taken
        own = bounds.loc[sigma]
        row["moment bound [95%]"] = summaries.in_brackets(own["moments"], own["low"], own["high"])
        row["tight bound"], row["ε"] = f"{own['tight']:.2f}", f"{own['ε']:.3g}"
        rows[f"{sigma:g}" if sigma else "raw"] = row
    rows["no count"] = {
        "MAP [95%]": f"{bounds['prior'].iloc[0]:.2f} (prior)",
        "moment bound [95%]": f"{bounds['no count'].iloc[0]:.2f}",
    }
    table = pd.DataFrame.from_dict(rows, orient="index").astype(object)
    return table.fillna("").rename_axis("σ")


# -- better bounds and guesses ---------------------------------------------------------------------


def show_adaptive(rows: pd.DataFrame, setting: str) -> None:
    """The success of MAP with random and with greedy sensors, with intervals, by map."""
    ax = plt.subplots()[1]
    for shift, (name, line) in zip((0.97, 1.03), rows.groupby("sensors", sort=False), strict=True):
        spread = [line["MAP"] - line["95% low"], line["95% high"] - line["MAP"]]
        ax.errorbar(shift * line["M"], line["MAP"], yerr=spread, capsize=4, label=name)
    ax.set(xlabel="places M", ylabel=f"success of MAP, {setting}", ylim=(0, None))
    _at_each(ax, rows["M"].unique())
    ax.legend(title="sensors")
    plt.show()


def ball_table(balls: pd.DataFrame) -> pd.DataFrame:
    """The tight bound with other Q, means over sequences with intervals: a row a map."""
    rows = balls.rename(columns={"M": "value"})
    names = [name for name in ("Q of Eq. 5", "Q by moments", "least Q") if name in rows]
    return swept_table(rows, names, "places M")


def adaptive_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What random and greedy sensors learn, and MAP's success, with 95% intervals."""
    found = {}
    for _, row in rows.iterrows():
        half = 1.96 * row["its error"]
        known = summaries.in_brackets(
            row["information"], row["information"] - half, row["information"] + half
        )
        share = summaries.in_brackets(row["MAP"], row["95% low"], row["95% high"], 3)
        found[row["M"], row["sensors"]] = {
            "information, nats [95%]": known,
            "MAP [95%]": share,
            "tight bound": row["tight bound"],
        }
    index = pd.MultiIndex.from_tuples(found, names=["places M", "sensors"])
    return pd.DataFrame(list(found.values()), index)


FILLED = {"as decided": "only what was seen", "one added": "one added to each transition"}


def show_filled(habits: pd.DataFrame) -> None:
    """Each user's tight bound against her spectral gap, by how unseen transitions are filled, with
    those marked whose chain had no unique stationary distribution: a row a dataset."""
    names = list(habits["data"].unique())
    size = (6, 3.2 * len(names) + 0.7)
    figure, axes = plt.subplots(
        len(names), 2, figsize=size, sharex=True, sharey=True, squeeze=False
    )
    decided = habits[habits["chains"] == "as decided"].set_index(["data", "user"])["mixed"]
    mixed = habits.join(decided.astype(bool).rename("unsettled"), on=["data", "user"])["unsettled"]
    kinds = {"settled": ~mixed, "no unique stationary distribution": mixed}
    for i, name in enumerate(names):
        for ax, (chains, title) in zip(axes[i], FILLED.items(), strict=True):
            here = (habits["data"] == name) & (habits["chains"] == chains)
            pale = 0.35 if here.sum() > NOT_FEWER else 1
            for (kind, chosen), color, shape in zip(kinds.items(), COLORS, "os", strict=False):
                each = habits[here & chosen]
                ax.plot(
                    each["gap"],
                    each["random"],
                    shape,
                    alpha=pale,
                    markersize=5,
                    color=color,
                    label=kind,
                )
            ax.set_title(title if len(names) == 1 else f"{titled(name)}:\n{title}", fontsize=10)
            ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
        axes[i, 0].set_ylabel("tight bound")
    for ax in axes[-1]:
        ax.set_xlabel("spectral gap")
    _legend_above(figure, axes[0, 0])
    plt.show()


def filled_table(rows: pd.DataFrame) -> pd.DataFrame:
    """By what is added to each transition (`experiments.smoothed_chains`): means over users with
    intervals. The log-likelihood is of those users whose real steps can be in every chain."""
    rows = rows.assign(possible=np.isfinite(rows["log-likelihood"]))
    common = rows.groupby(["data", "user"])["possible"].transform("all")
    columns = {
        "tight": "tight bound",
        "expected": "prior, as the chain expects",
        "prior": "prior on the real days",
        "possible": "real days can be",
    }
    table = pd.DataFrame(
        {
            words: _formatted(rows.astype({column: float}), column)
            for column, words in columns.items()
        }
    )
    known = rows[common]
    if len(known):
        users = ", ".join(map(str, known.groupby("data")["user"].nunique()))
        table[f"log-likelihood, {users} users"] = _formatted(known, "log-likelihood", 1)
    return one_level(table.fillna(""))


def paired_table(rows: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """By how much one way of adding explains the real days better than another, paired by user.

    rows  `experiments.smoothed_chains`; once for the users whose days no way calls impossible, once
          for those whom these two allow: their number, and the mean difference of log-likelihoods
    """
    wide = rows.pivot(index=["data", "user"], columns="added", values="log-likelihood")
    found = {}
    for days, names in (("all readings allow", list(wide)), ("these two allow", [first, second])):
        allowed = wide[np.isfinite(wide[names]).all(axis=1)]
        for data, pairs in (allowed[first] - allowed[second]).groupby("data"):
            own = pairs.to_numpy()
            low, high = metrics.mean_interval(own) if len(own) > 1 else (np.nan, np.nan)
            texts = f"{own.mean():.2f} [{low:.2f}, {high:.2f}]"
            found[data, days] = {"users": len(own), f"{first} minus {second}": texts}
    return one_level(
        pd.DataFrame.from_dict(found, orient="index").rename_axis(["data", "days that"])
    )


def _formatted(rows: pd.DataFrame, column: str, digits: int = 2) -> pd.Series:
    found = summaries.means(rows, ["data", "added"], column)
    return summaries.bracketed(found, digits)["mean [95%]"]


def one_level(table: pd.DataFrame) -> pd.DataFrame:
    """A table for readers with one column of row names: a level that says the same in every row
    goes, the others are joined."""
    flat = table.index.to_frame()
    levels = [name for name in flat if len(flat[name].unique()) > 1] or [flat.columns[-1]]
    names = [", ".join(map(str, key)) for key in flat[levels].itertuples(index=False)]
    return table.set_axis(pd.Index(names, name=", ".join(map(str, levels))))


def given_table(found: pd.DataFrame, given: pd.DataFrame) -> pd.DataFrame:
    """`correlation_table`, beside the same between users who visited equally many places."""
    table = correlation_table(found)
    texts = [summaries.in_brackets(*row) for row in given.loc[found.index].to_numpy(float)]
    return one_level(table.assign(**{"given places visited [95%]": texts}))


def correlation_table(found: pd.DataFrame) -> pd.DataFrame:
    """Spearman's correlations of `experiments.correlations`, with bootstrap intervals."""
    rows: dict[Any, dict[str, Any]] = {
        key: {
            "users": row["users"],
            "correlation [95%]": summaries.in_brackets(
                row["correlation"], row["95% low"], row["95% high"]
            ),
        }
        for key, row in found.iterrows()
    }
    table = pd.DataFrame(
        list(rows.values()), pd.MultiIndex.from_tuples(rows, names=found.index.names)
    )
    return table.astype({"users": int}).rename(FILLED | {"settled only": "the same, settled only"})


def people_table(rows: pd.DataFrame, lines: Mapping[str, str]) -> pd.DataFrame:
    """Means over users with 95% intervals: a row a line, named in words; a column a dataset."""
    found = {}
    for line, words in lines.items():
        table = summaries.bracketed(summaries.means(rows, ["data"], line))["mean [95%]"]
        found[words] = table.rename(index=lambda name: figures.label(str(name)))
    return pd.DataFrame.from_dict(found, orient="index").rename_axis("mean over users")


def visits_table(found: pd.DataFrame) -> pd.DataFrame:
    """Fig. 3 in groups, of `experiments.bounds_by_visits`: the bound's mean with its interval over
    users, and the ends of its middle 80%."""
    half = found["sem"].fillna(0.0) * stats.t.ppf(0.975, np.maximum(found["count"] - 1, 1))
    texts = [
        summaries.in_brackets(mean, mean - spread, min(mean + spread, 1.0))
        for mean, spread in zip(found["mean"], half, strict=True)
    ]
    ends = [f"{low:.2f} to {high:.2f}" for low, high in found[["10%", "90%"]].to_numpy()]
    columns = {"users": found["count"], "mean tight bound [95%]": texts, "80% of users": ends}
    return pd.DataFrame(columns, found.index)


def map_table(by_noise: pd.DataFrame) -> pd.DataFrame:
    """Fig. 7: MAP with its interval, and the bounds; by map and noise."""
    table = with_raw(by_noise)
    texts = table[["MAP", "95% low", "95% high"]].apply(
        lambda row: f"{row['MAP']:.2g} [{row['95% low']:.2g}, {row['95% high']:.2g}]", axis=1
    )
    return (
        table[["tight", "tight, smaller I", "moments"]]
        .assign(**{"MAP [95%]": texts})
        .rename(columns=WORDS)
    )


# -- the paper's figures ---------------------------------------------------------------------------


def sweeps(means: pd.DataFrame, panels: Mapping[str, str]) -> None:
    """The lines of Fig. 5, a panel for each of `panels`: what is swept, its label."""
    figure, axes = plt.subplots(len(panels), 1, figsize=(6, 7.6), sharey=True)
    for ax, (swept, label) in zip(axes, panels.items(), strict=True):
        table = means.loc[swept]
        for name in ("loose", "tight", *ATTACKS):
            ax.plot(table.index, table[name], **line_style(name))
        ax.set(xlabel=label, ylabel="privacy loss", yscale="log", ylim=(1e-12, 2))
        if swept == "M":
            _at_each(ax, table.index)
    _legend_above(figure, axes[0])
    plt.show()


def noise(means: pd.DataFrame, lines: Sequence[str], title: str = "") -> None:
    """Bounds and MAP against σ, a panel for each of the first level; level lines: no noise.

    title  of a panel, with its name in braces; without it, the dataset's name
    """
    names = means.index.get_level_values(0).unique()
    figure, axes = _panels(len(names))
    for ax, name in zip(axes, names, strict=True):
        table = means.loc[name]
        noisy = table.drop(0.0)
        for line in lines:
            drawn = line_style(line)
            ax.plot(noisy.index, noisy[line], **drawn)
            ax.axhline(table.loc[0.0, line], color=drawn["color"], linewidth=0.8, marker="")
        ax.set(
            title=title.format(name) if title else titled(name),
            ylabel="privacy loss",
            xscale="log",
            ylim=(-0.03, 1.03),
        )
    axes[-1].set_xlabel("standard deviation σ of the noise (thin lines: no noise)")
    _legend_above(figure, axes[0])
    plt.show()


def users(rows: pd.DataFrame, column: str, xlabel: str, bound: str) -> None:
    """Each user's bound against something about her, a panel a dataset."""
    own = rows[rows["chains"] == "as decided"]
    _, axes = _panels(own["data"].nunique(), height=2.6)
    for ax, (name, table) in zip(axes, own.groupby("data", sort=False), strict=True):
        ax.plot(table[column], table[bound], "o", alpha=0.25, markersize=4)
        ax.set(title=titled(str(name)), ylabel="tight bound", ylim=(-0.03, 1.03))
    axes[-1].set_xlabel(xlabel)
    plt.show()


def steps(means: pd.DataFrame, names: Sequence[str]) -> None:
    """Fig. 6: means over users against the steps asked for, a panel a dataset."""
    figure, axes = _panels(len(names))
    for ax, name in zip(axes, names, strict=True):
        table = means.loc[name]
        for line in ("loose", "tight", "moments", "MAP", "prior", "constant"):
            ax.plot(table.index, table[line], **line_style(line))
        ax.set(
            title=titled(name), ylabel="mean privacy loss", ylim=(-0.03, 1.03), xticks=table.index
        )
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

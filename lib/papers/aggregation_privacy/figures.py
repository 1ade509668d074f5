"""Figures of what the crowd says about you, and tables beside them, from rows of its experiments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator
from scipy import stats

from lib.localization import LAST
from lib.papers import figures
from lib.papers.aggregation_privacy.experiments import (
    ATTACK,
    GOALS,
    IGNORED,
    LIKELIEST,
    NULL,
    OUTPUT,
    PARTS,
    clock_label,
    with_interval,
)
from lib.papers.figures import COLORS, LINES, MARKERS, color, label
from lib.papers.summaries import means, texts

WORDS = {  # what tables for readers call attackers and priors
    NULL: "always null",
    "AGGREGATE": "the counts alone",
    "PRIOR": "the prior alone",
    "BAYES": "BAYES",
    "MAX_ROI": "MAX_ROI",
    "MAX_USER": "MAX_USER",
    "ALL": "ALL",
    "BAYES+ALL": "BAYES, then ALL",
    "POP": "POP",
    "BAYES+POP": "BAYES, then POP",
    LIKELIEST: "likeliest place, no counts",
    "FREQ_ROI": "frequent places",
    "ROI_DAY": "hour of day",
    "ROI_DAY_WEEK": "hour of week",
}
_ATTACKERS = (NULL, "AGGREGATE", "PRIOR", "BAYES", "MAX_ROI", "MAX_USER")
_DRAWN = (*_ATTACKERS[:3], LIKELIEST, *_ATTACKERS[3:])
RELEASES = 5  # of each kind, in the kept rows
_LIMIT = dict(zip(GOALS, (0.84, 1.01), strict=True))  # sqrt(ln 2) is the largest profiling error


# Places in COLORS of who looks at the counts alone, or at none.
_OTHERS = {"AGGREGATE": 3, LIKELIEST: 4, NULL: 6}


def look(name: str, markers: bool = True) -> dict[str, Any]:
    """As in the whole book, and of the two attackers that only this chapter has."""
    found = figures.look(name, markers)
    if name in _OTHERS:
        i = _OTHERS[name]
        found |= {"color": COLORS[i], "linestyle": LINES[i]} | (
            {"marker": MARKERS[i]} if markers else {}
        )
    return found


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
    figure, axes = plt.subplots(
        n_rows, columns, figsize=(6, 1.1 + high * n_rows), sharey=True, squeeze=False
    )
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
    figure, axes = plt.subplots(
        len(names), 1, figsize=(6, 1 + high * len(names)), sharex=True, squeeze=False, **options
    )
    return figure, list(zip(axes[:, 0], names, strict=True))


def show_bet(counts: np.ndarray, habits: np.ndarray, rois: list[str], hours: list[str]) -> None:
    """A day's counts, and beside them how often one user was where before."""
    _, (left, right) = plt.subplots(1, 2, figsize=(6, 2.9), sharey=True, width_ratios=[4, 1.2])
    figures.show_counts(left, counts, rois, hours)
    figures.show_counts(right, habits[:, None], rois, ["share"])
    left.set_title("Tuesday's counts")
    right.set_title("Dan's Monday")
    plt.show()


def show_profiling(rows: pd.DataFrame) -> None:
    """Dots: every attacker's mean profiling error with its interval; a marker for each prior.

    The dotted line is the attacker who always says null.
    """
    rows = rows[rows["goal"] == "profiling"]
    names, priors = list(rows["data"].unique()), list(rows["prior"].unique())
    figure, axes = plt.subplots(
        len(names), 1, figsize=(6, 0.8 + 2.4 * len(names)), sharex=True, squeeze=False
    )
    for ax, data in zip(axes[:, 0], names, strict=True):
        for p, prior in enumerate(priors):
            found = _chosen(rows, ["strategy"], data=data, prior=prior).loc[list(_DRAWN)]
            interval = with_interval(found, "error")
            for place, (strategy, row) in enumerate(interval.iterrows()):
                how = look(str(strategy)) | {"linestyle": "", "marker": MARKERS[p]}
                how["markerfacecolor"] = "white" if p else how.get("color", "black")
                how["linewidth"], how["markersize"] = 1.2, 5
                spread = (row["95% high"] - row["95% low"]) / 2
                y = place + (p - (len(priors) - 1) / 2) * 0.24
                ax.errorbar(row["error"], y, xerr=spread, **how)
        null = _chosen(rows, ["strategy"], data=data, prior=priors[0]).loc[NULL, "error"]
        ax.axvline(null, color="black", linestyle=":", linewidth=1.2)
        ax.set_yticks(range(len(_DRAWN)), [WORDS[each] for each in _DRAWN])
        ax.set_ylim(len(_DRAWN) - 0.5, -0.5)
        ax.set_title(label(data))
    ax.set_xlabel("mean profiling error")
    ax.set_xlim(left=0)
    marks = [
        plt.Line2D(
            [],
            [],
            color="black",
            linestyle="",
            marker=MARKERS[p],
            markerfacecolor="white" if p else "black",
            label=WORDS.get(prior, prior),
        )
        for p, prior in enumerate(priors)
    ]
    figure.legend(handles=marks, loc="outside upper center", ncols=3)
    plt.show()


def show_hours(rows: pd.DataFrame) -> None:
    """Mean errors over the hours of the week, of the prior, of BAYES and of always null."""
    figure, panels = _panels(rows, 1.8, sharey=True)
    for ax, data in panels:
        hours = _chosen(rows, ["hour"], data=data)
        for strategy in ("PRIOR", "BAYES", NULL):
            ax.plot(
                hours.index,
                hours[strategy],
                linewidth=1.2,
                **look(strategy, markers=False) | {"label": WORDS[strategy]},
            )
        ax.set(title=f"{label(data)}, {clock_label(data)}", ylabel="error")
    ax.set_xticks(range(12, 168, 24), ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"])
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    plt.show()


def show_series(series: dict[str, np.ndarray], hours: Sequence[str]) -> None:
    """One place's counts, and the same behind several mechanisms: a panel each, its own scale."""
    raw = next(iter(series.values()))
    others = list(series.items())[1:]
    figure, axes = plt.subplots(
        len(others), 1, figsize=(6, 0.8 + 1.4 * len(others)), sharex=True, squeeze=False
    )
    for ax, (name, values) in zip(axes[:, 0], others, strict=True):
        ax.plot(values, linewidth=1.2, **look(name, markers=False))
        ax.plot(raw, color="black", linewidth=1.2, marker="", linestyle="-", label="raw")
        ax.set_title(name)
    ax.set_xticks(range(12, len(raw), 24), hours)
    figure.legend([ax.lines[-1]], ["raw"], loc="outside upper center")
    figure.supylabel("count")
    plt.show()


PROMISES = {  # marker of a mechanism's promise
    "SCM Lap(Δ/ε)": ("s", "a whole user"),
    "SCM Lap(|T|/ε)": ("^", "one user at one place"),
    "FPA": ("^", "one user at one place"),
    "SCM Lap(1/ε)": ("o", "one visit"),
    "SpotMe": ("x", "nothing, for any ε"),
}
_ACROSS = {"raw counts": "-", "the prior alone": "--", LIKELIEST: "-.", NULL: ":"}
_CLOSE = 1.2  # lines of errors nearer than this factor have their words on both sides


def _name_lines(ax: Axes, across: pd.Series) -> None:
    """Words at the right end of lines across: above the line, below it if another is close."""
    names = across.groupby(across).agg(lambda same: " = ".join(same.index))
    for error, above in zip(names.index, [*names.index[1:], np.inf], strict=True):
        side = "top" if above < _CLOSE * error else "bottom"
        ax.text(
            0.995,
            error,
            names[error],
            transform=ax.get_yaxis_transform(),
            ha="right",
            va=side,
            fontsize=9,
        )


def show_price(rows: pd.DataFrame) -> None:
    """The attacker's mean error against the release's MRE: a panel a dataset and prior.

    rows  of `lib.papers.aggregation_privacy.experiments.behind_noise`, with a column `prior`

    Markers say what is promised. Broken lines across are who looks at no count; above the lowest,
    noise only misleads.
    """
    panels = [
        (str(d), str(p), found) for (d, p), found in rows.groupby(["data", "prior"], sort=False)
    ]
    figure, axes = plt.subplots(
        len(panels),
        1,
        figsize=(6, 1.3 + 2.5 * len(panels)),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for ax, (data, prior, found) in zip(axes[:, 0], panels, strict=True):
        for name, (marker, _) in PROMISES.items():
            own = found[found["mechanism"] == name]
            mre, error = (means(own, ["level"], value) for value in ("MRE", "error"))
            how = look(name) | {"marker": marker}
            spread = (error["95% high"] - error["95% low"]) / 2
            ax.errorbar(mre["mean"], error["mean"], yerr=spread, linewidth=1.2, **how)
        across = found[found["mechanism"] == IGNORED].set_index("who")["error"]
        across["raw counts"] = found.loc[found["mechanism"] == "raw", "error"].item()
        for who, line in _ACROSS.items():
            ax.axhline(across[who], color="black", linestyle=line, linewidth=1.3)
        _name_lines(ax, across[list(_ACROSS)].round(6))
        ax.set_title(f"{label(data)}, {WORDS.get(prior, prior)}")
        ax.set(xscale="log", yscale="log", ylabel="error")
        ax.yaxis.set_major_locator(LogLocator(subs=(1, 3)))
        ax.yaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_formatter("{x:g}")
    ax.set_xlabel("mean relative error of the release")
    handles, names = ax.get_legend_handles_labels()
    promised = [f"{name}: {PROMISES[name][1]}" for name in names]
    figure.legend(handles, promised, loc="outside upper center", ncols=2, fontsize=9)
    plt.show()


def show_gains(rows: pd.DataFrame) -> None:
    """Boxes of users' privacy gains at each epsilon: quartiles, whiskers from 5 to 95%."""
    figure, panels = _panels(rows, 2)
    names = OUTPUT[1:]
    for ax, data in panels:
        for m, name in enumerate(names):
            found = _chosen(rows, ["level"], data=data, mechanism=name, what="at")
            boxes = [
                {
                    "whislo": row["5%"],
                    "q1": row["25%"],
                    "med": row["50%"],
                    "q3": row["75%"],
                    "whishi": row["95%"],
                }
                for _, row in found.iterrows()
            ]
            ax.bxp(
                boxes,
                positions=np.arange(len(boxes)) + 0.2 * (m - 1.5),
                widths=0.16,
                showfliers=False,
                patch_artist=True,
                boxprops={"facecolor": color(name)},
                medianprops={"color": "black"},
                manage_ticks=False,
            )
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


# -- tables for readers: "0.84 [0.80, 0.88]" -------------------------------------------------------


def _told(rows: pd.DataFrame, value: str) -> pd.Series:
    return texts(with_interval(rows, value), 3, value)


_TOLD = (LIKELIEST, "BAYES", "MAX_ROI")  # in tables; figures and the replication have all


def _by_attacker(
    rows: pd.DataFrame, value: str, order: Sequence[str], **where: str
) -> pd.DataFrame:
    """One value: a row each dataset and attacker, a column each prior."""
    found = _chosen(rows, ["data", "strategy", "prior"], **where)
    names, priors = list(rows["data"].unique()), list(rows["prior"].unique())
    index = pd.MultiIndex.from_product([names, order])
    table = _told(found, value).unstack("prior").reindex(index)[priors]
    table = table.rename(columns=WORDS).rename(index=WORDS, level=1).rename(index=label, level=0)
    return table.rename_axis(index=["data", "attacker"], columns=None)


def profiling_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean profiling error of four attackers."""
    return _by_attacker(rows, "error", (NULL, *_TOLD), goal="profiling")


def out_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean profiling error of four attackers in the hours when users were somewhere."""
    return _by_attacker(rows, "out", ("PRIOR", *_TOLD), goal="profiling")


def census_table(rows: pd.DataFrame, prior: str) -> pd.DataFrame:
    """Profiling with one prior of a dataset that is all there is: means without intervals."""
    found = _chosen(rows, ["strategy"], goal="profiling", prior=prior).loc[list(_ATTACKERS)]
    columns = {
        "error": "mean error",
        "out": "in the hours out",
        "above null": "above always null",
        "better than null": "share better than null",
    }
    return found[list(columns)].round(3).rename(columns=columns, index=WORDS).rename_axis(None)


def localization_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean localization error of each rule."""
    return _by_attacker(rows, "error", ("ALL", "POP", "MAX_ROI"), goal="localization")


def parts_short(rows: pd.DataFrame) -> pd.DataFrame:
    """What BAYES and always null take off the prior's error, in four parts of the week."""
    rows = rows[rows["part"].isin(list(PARTS)[:4])]
    found = _chosen(rows, ["data", "part"], clock="local", less="nothing")
    table = pd.DataFrame({"BAYES": _told(found, "BAYES"), NULL: _told(found, NULL)})
    return table.rename(index=label, level="data")


def _side_by_side(table: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """The columns of one dataset after those of another."""
    names = rows["data"].unique().tolist()
    return pd.concat({label(data): table.xs(data, level="data") for data in names}, axis=1)


def joint_wide(rows: pd.DataFrame, prior: str) -> pd.DataFrame:
    """Brier score and visits found: a row an answer, with one prior."""
    found = _chosen(rows, ["answer", "data"], prior=prior)
    share = found["visits found"].map(lambda x: "" if np.isnan(x) else f"{x:.2f}")
    columns = {"Brier": _told(found, "Brier"), "visits found": share}
    words = WORDS | {"max entropy (approximate)": "max entropy", "transport (exact)": "most likely"}
    order = [NULL, "PRIOR", LIKELIEST, "BAYES", "MAX_ROI", "MAX_USER", *list(words)[-2:]]
    table = _side_by_side(pd.DataFrame(columns), rows).loc[order].rename(index=words)
    return table.rename_axis(columns=["data", "score"], index=None)


def price_table(rows: pd.DataFrame, levels: Sequence[float]) -> pd.DataFrame:
    """What each mechanism costs and leaves at some levels: a row each.

    rows  of one dataset and prior of `lib.papers.aggregation_privacy.experiments.behind_noise`
    """
    found = rows[rows["level"].isin(levels) & (rows["mechanism"] != IGNORED)]
    keys = ["mechanism", "level"]
    shown = {
        "MRE, bound in users": ("MRE", 2),
        "MRE, 0.1% of the place": ("literal MRE", 0),
        "attacker's error": ("error", 3),
    }
    columns = {
        words: texts(means(found, keys, value), digits) for words, (value, digits) in shown.items()
    }
    table = pd.DataFrame(columns)
    return table.rename_axis(["mechanism", "ε or p"])


def lazy_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Errors without noise, and of attackers who look at no count, as gains too."""
    found = rows[rows["mechanism"].isin([IGNORED, "raw"])]
    attack = "raw counts, " + found["data"].map(lambda data: ATTACK.get(data, "MAX_USER"))
    who = found["who"].fillna(attack).replace(WORDS)
    table = found.assign(who=who, prior=found["prior"].replace(WORDS)).set_index(["prior", "who"])
    columns = {"error": "error", "gain": "gain", "unclipped": "gain, unclipped"}
    return table[list(columns)].round(3).rename(columns=columns)


def cabs_table(
    noise: pd.DataFrame, ignored: pd.DataFrame, printed: Mapping[str, float]
) -> pd.DataFrame:
    """MRE and mean gain of every mechanism at one level, above attackers who look at no count.

    noise, ignored  kept rows of one dataset that is all there is: gains without an interval
    printed         mechanism -> the published MRE
    """
    at = noise[(noise["what"] == "at") & noise["level"].isin([1.0, 0.5])].set_index("mechanism")
    half = at["MRE se"] * stats.t.ppf(0.975, RELEASES - 1)
    mre = at.assign(**{"95% low": at["MRE"] - half, "95% high": at["MRE"] + half})
    table = pd.DataFrame(
        {"MRE": texts(mre, 2, "MRE"), "the paper prints": "", "gain": at["gain"].round(3)}
    )
    table.loc[list(printed), "the paper prints"] = [f"{each:g}" for each in printed.values()]
    lazy = ignored[ignored["who"] != "raw counts"].set_index("who")
    words = "counts ignored; error " + lazy["error"].map("{:.3f}".format)
    lazy = pd.DataFrame({"MRE": words, "the paper prints": "", "gain": lazy["gain"].round(3)})
    return pd.concat([table, lazy]).rename_axis("release")


def fpa_table(rows: pd.DataFrame, value: str, printed: Sequence[float] = ()) -> pd.DataFrame:
    """One dataset's MRE or gain under four readings of FPA, and what is printed: a column an ε."""
    found = rows.set_index(["reading", "ε"])
    if value == "MRE":
        half = found["MRE se"] * stats.t.ppf(0.975, RELEASES - 1)
        ends = {"95% low": found["MRE"] - half, "95% high": found["MRE"] + half}
        told = texts(found.assign(**ends), 1, "MRE")  # as the paper prints
    else:
        told = found[value].map("{:.3f}".format)
    table = told.unstack("ε").loc[rows["reading"].unique().tolist()]
    if printed:
        table.loc["the paper prints"] = [f"{each:g}" for each in printed]
    return table.rename_axis(columns="ε", index=None)


def verdicts(table: pd.DataFrame) -> pd.DataFrame:
    """`claims.top` for a chapter: no number beside a trend, and surrogates are named.

    A trend of the paper's private data that ours lack is no refutation: "not seen on our data".
    """
    trend = pd.to_numeric(table["published"].str.strip("~ "), errors="coerce").isna()
    elsewhere = (table["data"] != "cabspotting") & (table["verdict"] == "differs")
    return table.assign(
        here=table["here"].mask(trend, ""),
        verdict=table["verdict"].mask(trend & elsewhere, "not seen on our data"),
    )


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
    """MRE or gain of the output mechanisms, a column for each epsilon.

    value  "MRE half": half of the 95% interval over five releases
    """
    rows = rows.assign(**{"MRE half": rows["MRE se"] * stats.t.ppf(0.975, RELEASES - 1)})
    found = _chosen(rows[rows["mechanism"] != "SpotMe"], ["data", "mechanism", "level"], what="at")
    return found[value].rename_axis(["data", "mechanism", "ε"]).unstack("ε", sort=False)


def spotme_table(rows: pd.DataFrame) -> pd.DataFrame:
    """MRE and gain of SpotMe."""
    found = _chosen(rows, ["data", "level"], mechanism="SpotMe", what="at")
    gain = with_interval(found, "gain").rename(columns={"gain": "privacy gain"})
    return pd.concat([found["MRE"], gain], axis=1).rename_axis(["data", "p"])


def null_table(rows: pd.DataFrame, goal: str, data: str) -> pd.DataFrame:
    """Mean errors of one dataset: a row a prior, a column an attacker, always null first."""
    found = _chosen(rows, ["prior", "strategy"], goal=goal, data=data)["error"]
    table = found.unstack("strategy", sort=False).round(3)
    table = table[
        [
            NULL,
            *(["PRIOR"] if "PRIOR" in table else []),
            *table.columns.drop([NULL, "PRIOR"], errors="ignore"),
        ]
    ]
    return table.rename(columns=lambda each: WORDS.get(each, each)).astype(object).fillna("")


def last_readings_table(rows: pd.DataFrame, printed: dict[str, float]) -> pd.DataFrame:
    """Errors of the LAST priors alone under each reading, and what is printed."""
    table = rows.set_index(["reading", "prior"])["error"].unstack("prior", sort=False).round(3)
    table.loc["the paper prints"] = pd.Series(printed)
    return table.rename_axis(columns=None)


def half_price_table(rows: pd.DataFrame) -> pd.DataFrame:
    """The smallest error at which at least half of the largest gain on a dataset is had."""
    prices = {}
    for data, found in _chosen(rows, ["mechanism", "level"], what="at").groupby("data", sort=False):
        enough = found[found["gain"] >= found["gain"].max() / 2]
        name, level = enough["MRE"].idxmin()
        label = f"{name}, {'p' if name == 'SpotMe' else 'ε'} = {level:g}"
        best = enough.loc[(name, level)]
        promise = PROMISES.get(str(name), ("", "everybody, everywhere"))[1]
        prices[data] = [found["gain"].max(), label, promise, best["MRE"], best["gain"]]
    columns = ["largest gain", "cheapest half of it", "ε-DP for", "MRE", "gain"]
    return pd.DataFrame.from_dict(prices, orient="index", columns=columns).rename_axis("data")


def guarantee_table(rows: pd.DataFrame, n_rois: int) -> pd.DataFrame:
    """SpotMe's printed epsilon and exact deltas, a column for each p."""
    deltas = rows.set_index(["p", "data"])["δ of a week"].unstack("data", sort=False)
    first = _chosen(rows, ["p"], data=rows["data"].iloc[0])
    table = pd.DataFrame(
        {
            f"printed ε, {n_rois} ROIs": first["printed ε"],
            "δ of a visit at that ε": first["δ of a visit"],
        }
    )
    return table.join(deltas.add_prefix("δ of a week at ε = 1, ")).T.rename_axis("p")


def joint_table(rows: pd.DataFrame, prior: str) -> pd.DataFrame:
    """Scores of the strategies beside those of the exact answers, with one prior."""
    found = _chosen(rows, ["data", "answer"], prior=prior)
    return with_interval(found, "Brier").join(
        found[["JS distance", "visits found", "no or two answers"]]
    )


def bounds_table(found: pd.DataFrame, also: Sequence[str], best: int = 3) -> pd.DataFrame:
    """The bounds that meet most MREs, and others by name, each with its best reading of FPA."""
    each = found.reset_index().drop_duplicates("bound").set_index("bound")
    chosen = list(dict.fromkeys([*each.index[:best], *also]))
    each = each.loc[chosen].sort_values("met", ascending=False, kind="stable")
    met = each["met"].astype(str) + " of " + each["numbers"].astype(str)
    off = each["mean relative difference"].map(lambda x: f"{x:.3f}" if x < 10 else f"{x:.0f}")
    table = pd.DataFrame(
        {
            "FPA's transform": each["FPA's transform"],
            "numbers met": met,
            "mean relative difference": off,
        }
    )
    users = {name: f"{name} users" for name in table.index if "%" not in name}
    return table.rename(index=users).rename_axis("bound")

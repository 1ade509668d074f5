"""Figures and tables of Knock-Knock's games, from the rows of `lib.papers.knock_knock.experiments`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from lib import metrics
from lib.papers import claims, figures, summaries
from lib.papers.figures import COLORS
from lib.papers.knock_knock.experiments import FLOOR, FOUR, GAME, PERIODS, PRIORS, weeks
from lib.traces import Traces

EACH = ["data", "prior", "group size", "classifier"]


def titled(name: str) -> str:
    """A dataset's name as figures and tables show it."""
    return figures.label(name)


def _guessing(ax: Any, across: bool = False) -> None:
    line = ax.axvline if across else ax.axhline
    line(0.5, color="black", linewidth=1, linestyle=":", marker="")


def _with_interval(ax: Any, x: Sequence[int], rows: Any, name: object, **how: Any) -> None:
    spread = [rows["mean"] - rows["95% low"], rows["95% high"] - rows["mean"]]
    ax.errorbar(x, rows["mean"], yerr=spread, capsize=4, **figures.look(str(name)) | how)


def _ticks(ax: Any, numbers: Sequence[int], **how: Any) -> None:
    """A logarithmic axis with these numbers on it."""
    ax.set_xscale("log")
    ax.set_xticks(numbers, [str(each) for each in numbers], **how)
    ax.minorticks_off()


# -- tables ----------------------------------------------------------------------------------------


def by_classifier(games: pd.DataFrame) -> pd.DataFrame:
    """One row a game and classifier: `GAME`, classifier, AUC."""
    long = games.melt(GAME, var_name="classifier", value_name="AUC", ignore_index=False)
    return long.sort_index(kind="stable").dropna(ignore_index=True)


def mean_aucs(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Mean AUC over targets with its interval, which ends at 1 at the latest, and mean loss."""
    table = summaries.means(rows, by, "AUC")
    ends = ["95% low", "95% high"]
    table[ends] = table[ends].clip(0, 1)
    losses = rows.assign(loss=metrics.privacy_loss(rows["AUC"].to_numpy())).groupby(
        list(by), sort=False
    )
    return table.assign(**{"mean loss": losses["loss"].mean()})


def told_aucs(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The same for readers: targets, mean AUC and its interval in one column, mean loss."""
    table = mean_aucs(rows, by)
    return table[["n"]].assign(
        **{"AUC [95%]": summaries.texts(table, 3), "mean loss": table["mean loss"]}
    )


def wide(games: pd.DataFrame) -> pd.DataFrame:
    """One row a game: the mean AUC of each classifier, and the widest half-interval."""
    table = mean_aucs(by_classifier(games), EACH)
    half = table.assign(within=table["95% high"] - table["mean"]).groupby(EACH[:-1], sort=False)
    means = table["mean"].unstack("classifier", sort=False)
    return means.assign(within=half["within"].max(), targets=half["n"].max())


def medians(games: pd.DataFrame, name: str, priors: Sequence[str] = PRIORS) -> pd.DataFrame:
    """The median AUC over targets, a row for each prior and group size."""
    rows = games[(games["data"] == name) & games["prior"].isin(priors)]
    kinds = [each for each in (*FOUR, "BEST") if each in rows and rows[each].notna().any()]
    table = rows.groupby(["prior", "group size"], sort=False)[kinds].median()
    return table.rename_axis(columns="classifier (median AUC)")


def losses(games: pd.DataFrame) -> pd.DataFrame:
    """Mean privacy loss under BEST with its interval; and under BEST of shuffled labels."""
    rows = by_classifier(games[[*GAME, "BEST", FLOOR]]).rename(columns={"classifier": "of"})
    rows["loss"] = metrics.privacy_loss(rows["AUC"].to_numpy())
    return summaries.means(rows, ["data", "prior", "group size", "of"], "loss")


def floor(games: pd.DataFrame) -> pd.DataFrame:
    """BEST and its floor: each target's mean over group sizes, and their mean over targets."""
    rows = by_classifier(games[[*GAME, "BEST", FLOOR]]).rename(columns={"classifier": "AUC of"})
    keys = ["data", "prior", "AUC of"]
    of_target = rows.groupby([*keys, "target"], sort=False)["AUC"].mean().reset_index()
    return summaries.means(of_target, keys, "AUC").sort_index(kind="stable")


def regularity(games: pd.DataFrame, classifier: str) -> pd.DataFrame:
    """Mean AUC by number less by tail, other targets, with Welch's 95% interval."""
    rows = {}
    for key, each in games.groupby(["prior", "group size"], sort=False):
        aucs = each.set_index("data")[classifier]
        if not {"flights-by-number", "flights-by-tail"} <= set(aucs.index):
            continue  # a size that one of them has no users for
        number, tail = aucs["flights-by-number"], aucs["flights-by-tail"]
        interval = metrics.difference_interval(number, tail)
        rows[key] = [number.mean(), tail.mean(), number.mean() - tail.mean(), *interval]
    columns = ["by number", "by tail", "difference", "95% low", "95% high"]
    index = pd.MultiIndex.from_tuples(rows, names=["prior", "group size"])
    return pd.DataFrame(list(rows.values()), index, columns)


def compared(variants: pd.DataFrame) -> pd.DataFrame:
    """Each version's mean AUC, and by how much it is above the first, target by target."""
    aucs = variants.set_index(GAME)
    change = aucs.apply(lambda version: version - aucs[version.name.split(",")[0]]).reset_index()
    table = summaries.means(by_classifier(variants), EACH, "AUC").rename(columns={"mean": "AUC"})
    above = by_classifier(change).groupby(EACH, sort=False)["AUC"]
    table = table.assign(**{"less the first": above.mean(), "standard error": above.sem()})
    return table.rename_axis([*EACH[:-1], "version"])


def say_if_one(classifiers: Sequence[str]) -> None:
    """Says what one classifier alone cannot show."""
    if len(classifiers) == 1:
        print(
            f"{classifiers[0]} is the only classifier here: there is no BEST to be chosen, and "
            "what follows about BEST and choosing has nothing to show."
        )


def settings_table(
    of: Mapping[str, Mapping[str, Any]],
    populations: Mapping[str, Traces],
    numbers: Mapping[str, int],
    classifiers: Sequence[str],
) -> pd.DataFrame:
    """The paper's setting (Sec. V and VI) beside a chapter's: what is fitted, and its numbers."""

    def each(values: Iterable[object]) -> str:
        return " or ".join(dict.fromkeys(map(str, values)))

    n, past = [], []
    for data, traces in populations.items():
        n.append(of[data]["n_per_third"])
        past.append(len(weeks(traces)) - 1)
    train, test, same, other = (
        numbers[name] for name in ("n_train", "n_test", "beta_same", "beta_different")
    )
    rows = {
        "targets": ("150, 50 a third", each(f"{3 * each_n}, {each_n} a third" for each_n in n)),
        "classifiers": (", ".join(FOUR), ", ".join(classifiers)),
        "share α of users known (1)": (
            "0.2 cabs, 0.11 commuters",
            each(of[data]["alpha"] for data in populations),
        ),
        "week asked about": ("1: first; 2a, 2b: last", "1: first; 2a, 2b: last"),
        "1: groups known, asked": ("400, 100", f"{train}, {test}"),
        "2a: groups known, and asked": ("150", str(same)),
        "2b: groups known, asked": ("300, 100", f"{other}, {test}"),
        "rows to learn from: 1, 2a, 2b": (
            "400, 150, 300; past: × 2 or 3 weeks",
            each(f"{train}, {same * k}, {other * k}" for k in past),
        ),
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=["the paper", "here"])


def told(judged: pd.DataFrame, ids: Mapping[str, str]) -> pd.DataFrame:
    """Judged claims of a paper for readers, each with what it is about; index: where it stands.

    Ours has the 95% interval of its standard error over targets.
    """
    rows = claims.top(judged, list(ids))
    here = pd.to_numeric(rows["here"])
    half = 1.96 * pd.to_numeric(judged.loc[list(ids), "standard_error"])
    ends = zip(here, here - half, here + half, strict=True)
    columns = {
        "what": list(ids.values()),
        "the paper": ["" if len(text) > 9 else text for text in rows["published"]],
        "here [95%]": [summaries.in_brackets(*each) for each in ends],
        "verdict": rows["verdict"].to_list(),
    }
    return pd.DataFrame(columns, [source.split(" / ")[0] for source in rows["source"]])


def show_regularity(games: pd.DataFrame, classifier: str) -> None:
    """The table of `regularity`, or why there is none."""
    if {"flights-by-number", "flights-by-tail"} <= set(games["data"]):
        figures.show_table(regularity_table(games, classifier), "regularity")
    else:
        print(
            "Only the flights are the same world twice, by number and by tail: with other data "
            "nothing can be said about regularity alone."
        )


# -- tables for readers: "0.84 [0.80, 0.88]" -------------------------------------------------------


def prior_table(
    games: pd.DataFrame, classifier: str, priors: Sequence[str], sums: pd.DataFrame | None = None
) -> pd.DataFrame:
    """One classifier's mean AUC, a row each prior and dataset, a column each group size.

    sums  the untrained sum in the same games: a row more a dataset
    """
    rows = by_classifier(games.loc[games["prior"].isin(priors), [*GAME, classifier]])
    if sums is not None:
        untrained = by_classifier(sums)
        rows = pd.concat([rows, untrained.assign(prior=untrained["prior"] + ": the sum")])
    found = summaries.texts(mean_aucs(rows, GAME[:1] + GAME[2:]))
    table = found.unstack("group size").swaplevel().sort_index(level="prior", sort_remaining=False)
    return table.fillna("").rename(index=titled)


def label_table(recognised: pd.DataFrame) -> pd.DataFrame:
    """Mean AUC with the target's labels and with a coin's, a row a dataset."""
    return summaries.texts(mean_aucs(recognised, ["data", "labels"])).unstack("labels", sort=False)


def regularity_table(games: pd.DataFrame, classifier: str) -> pd.DataFrame:
    """By number less by tail: a row each prior, a column each group size."""
    table = regularity(games, classifier).rename(columns={"difference": "mean"})
    return summaries.texts(table).unstack("group size").fillna("")


def same_targets(lengths: pd.DataFrame, periods: Sequence[str]) -> pd.DataFrame:
    """Mean AUC in each period, of the targets who are somewhere in all of them."""
    rows = lengths[(lengths["clock"] == "local") & lengths["period"].isin(periods)]
    seen = rows.groupby(["data", "target"])["period"].transform("nunique") == len(periods)
    table = mean_aucs(rows[seen], ["data", "period"])
    found = summaries.texts(table).unstack("period", sort=False)
    return found.assign(targets=table["n"].groupby(level="data").max()).rename(index=titled)


def coins_table(aucs: Mapping[str, Sequence[float]], people: Iterable[str]) -> pd.DataFrame:
    """AUCs of people, and below them where 95% of the others fall: of labels by coin.

    aucs  prior -> those of the people, in their order, then those of coins
    """
    index, found = pd.Index(people), pd.DataFrame(aucs)
    own, coins = found[: len(index)].set_axis(index), found[len(index) :]
    ends = coins.quantile([0.025, 0.975]).set_axis(pd.Index(["coins, from", "coins, to"]))
    return pd.concat([own, ends]).rename_axis("target").round(3)


def losses_beside(lengths: pd.DataFrame) -> pd.DataFrame:
    """Mean privacy loss in each period, the paper's (Fig. 11c and d) above ours, of kept rows."""
    rows = lengths[lengths["clock"] == "local"]
    rows = rows.assign(loss=metrics.privacy_loss(rows["AUC"].to_numpy()))
    means = summaries.means(rows, ["data", "period"], "loss")
    means["95% high"] = means["95% high"].clip(upper=1)
    ours = summaries.texts(means).unstack(sort=False)
    commuters = ("168-week", "24-monday", "24-saturday", "8-monday", "8-saturday")
    printed = {
        "commuters": [f"kk-fig11c-pl-{which}" for which in commuters],
        "cabspotting": [f"kk-fig11d-pl-{hours}" for hours in (168, 24, 24, 8, 8)],
    }
    table: dict[str, dict[Any, str]] = {}
    for data, ids in printed.items():
        said = [claims.claim(each).published for each in ids]
        whose = "commuters" if data == "commuters" else "cabs"
        table[f"{whose}, the paper"] = dict(zip(PERIODS, said, strict=True))
        table[titled(data)] = ours.loc[data].to_dict()
    return pd.DataFrame(table).loc[list(PERIODS)]


def floor_table(games: pd.DataFrame) -> pd.DataFrame:
    """BEST beside its floor, a row each dataset and prior."""
    return summaries.texts(floor(games)).unstack("AUC of", sort=False).rename(index=titled)


def choice_table(choices: pd.DataFrame) -> pd.DataFrame:
    """What each way to choose a classifier reaches, and what BEST is above, a row a dataset."""
    found = summaries.texts(mean_aucs(choices, ["data", "choice"])).unstack("choice", sort=False)
    pairs = summaries.differences(
        choices, ["data"], "AUC", ["target"], "choice", "BEST", "cross-validated"
    )
    return found.assign(**{"BEST less cross-validated": summaries.texts(pairs)}).rename(
        index=titled
    )


def gain_table(learning: pd.DataFrame, steps: Sequence[tuple[int, int]]) -> pd.DataFrame:
    """What more training groups bring the same targets: a row a dataset, a column each step."""
    found = {
        f"from {few} to {many}": summaries.texts(
            summaries.differences(
                learning, ["data"], "AUC", ["target"], "training groups", many, few
            )
        )
        for few, many in steps
    }
    return pd.DataFrame(found).fillna("").rename(index=titled)


# -- figures ---------------------------------------------------------------------------------------


def show_game() -> None:
    """What each prior is about: groups against weeks, learned from or asked about."""
    learned, asked = COLORS[2], COLORS[3]  # no dataset's, and not those of in and out
    boxes: dict[str, list[tuple[int, float, str]]] = {  # week, height, colour
        "prior 1: groups of users she knows, same week": [(3, 1, learned), (3, 0, asked)],
        "prior 2a: the same groups, earlier weeks": [
            *((week, 0, learned) for week in range(3)),
            (3, 0, asked),
        ],
        "prior 2b: other groups, earlier weeks": [
            *((week, 1, learned) for week in range(3)),
            (3, 0, asked),
        ],
    }
    axes = plt.subplots(3, 1, figsize=(6.0, 4.6), sharex=True)[1]
    for ax, (title, each) in zip(axes, boxes.items(), strict=True):
        for week, row, color in each:
            ax.barh(row, 0.9, left=week + 0.05, height=0.8, color=color)
            words = "in or out?" if color == asked else "learns"
            ax.text(
                week + 0.5,
                row,
                words,
                ha="center",
                va="center",
                color="white",
                weight="bold",
                fontsize=10,
            )
        ax.set(title=title, ylim=(-0.6, 1.6), xlim=(0, 4))
        ax.set_yticks([0, 1], ["the released\ngroups", "other\ngroups"])
        ax.grid(False)
    axes[-1].set_xticks([0.5, 1.5, 2.5, 3.5], ["week 1", "week 2", "week 3", "this week"])
    plt.show()


def show_priors(
    games: pd.DataFrame, classifier: str = "", sums: pd.DataFrame | None = None
) -> None:
    """Mean AUC against group size, a panel a prior, of one classifier.

    classifier  without one, each dataset's best by these very means: among four, over many targets,
                that flatters little
    sums        the untrained sum in games of prior 1, dotted in its panel
    """
    rows = by_classifier(games)
    table = mean_aucs(rows[rows["classifier"].isin([classifier] if classifier else FOUR)], EACH)
    figure, axes = plt.subplots(len(PRIORS), 1, figsize=(6.0, 6.6), sharex=True, sharey=True)
    for ax, prior in zip(axes, PRIORS, strict=True):
        for name, each in table.xs(prior, level="prior").groupby(level="data", sort=False):
            top = each.loc[each.groupby(level="group size", sort=False)["mean"].idxmax()]
            _with_interval(ax, top.index.get_level_values("group size").to_list(), top, name)
        if sums is not None and prior == PRIORS[0]:
            for name, each in mean_aucs(by_classifier(sums), EACH).groupby("data", sort=False):
                sizes = each.index.get_level_values("group size").to_list()
                _with_interval(
                    ax,
                    sizes,
                    each,
                    name,
                    linestyle=":",
                    markerfacecolor="white",
                    label=f"{titled(str(name))}, sum",
                )
        _guessing(ax)
        ax.set(title=f"prior {prior}", ylabel="mean AUC")
        _ticks(ax, sorted(rows["group size"].unique()), rotation=45)
    axes[-1].set_xlabel("users in the group")
    handles = axes[-1 if sums is None else 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2)
    plt.show()


def show_cdfs(games: pd.DataFrame, name: str, priors: Sequence[str] = PRIORS) -> None:
    """The distribution of AUCs over targets: a panel for each prior and group size."""
    rows = games[games["data"] == name]
    panels = [
        (prior, size, each)
        for prior in priors
        for size, each in rows[rows["prior"] == prior].groupby("group size")
    ]
    columns = 3
    n_rows = -(-len(panels) // columns)
    figure, axes = plt.subplots(
        n_rows, columns, sharex=True, sharey=True, squeeze=False, figsize=(6.4, 1.1 + 1.9 * n_rows)
    )
    for ax in axes.flat[len(panels) :]:
        ax.set_visible(False)
    for ax in axes.flat[max(0, len(panels) - columns) : len(panels)]:
        ax.tick_params(labelbottom=True)
    for ax, (prior, size, aucs) in zip(axes.flat, panels, strict=False):
        for kind in (*FOUR, "BEST"):
            if kind in aucs and aucs[kind].notna().any():
                ax.ecdf(aucs[kind], **figures.look(kind, markers=False))
        ax.set_title(f"{prior.split()[0]}, m = {size}", fontsize="medium")
        _guessing(ax, across=True)
        ax.set_xlim(0.3, 1.02)
    figure.supxlabel(f"AUC, {titled(name)}; panels: prior, group size")
    figure.supylabel("share of targets")
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=5)
    plt.show()


def show_losses(games: pd.DataFrame, names: Sequence[str]) -> None:
    """Box plots of the privacy loss under BEST: a row a prior, a column a dataset."""
    loss = games.assign(loss=metrics.privacy_loss(games["BEST"].to_numpy()))
    loss = loss.set_index(["data", "prior"])
    shape: dict[str, Any] = {"figsize": (6.4, 6.6), "squeeze": False}
    figure, axes = plt.subplots(len(PRIORS), len(names), sharey=True, **shape)
    for row, prior in zip(axes, PRIORS, strict=True):
        for ax, name in zip(row, names, strict=True):
            sizes = loss.loc[[(name, prior)]].groupby("group size")["loss"]
            ax.boxplot([each for _, each in sizes], tick_labels=[str(m) for m, _ in sizes])
            ax.set_title(f"{prior.split()[0]}, {titled(name)}", fontsize="medium")
            ax.tick_params(axis="x", labelrotation=45)
    figure.supxlabel("users in the group; panels: prior, data")
    figure.supylabel("privacy loss under BEST")
    plt.show()


def show_lengths(lengths: pd.DataFrame, names: Sequence[str]) -> None:
    """AUC and privacy loss over targets for each period, a column a dataset."""
    rows = lengths.set_index(["data", "period"])["AUC"]
    axes = plt.subplots(2, len(names), figsize=(6.4, 5.4), sharey="row", sharex=True)[1]
    labels = [period.replace(" 8-16h", "\n8-16h") for period in PERIODS]
    for column, name in zip(axes.T, names, strict=True):
        aucs = [rows.loc[[(name, period)]].to_numpy() for period in PERIODS]
        for ax, values in zip(column, (aucs, map(metrics.privacy_loss, aucs)), strict=True):
            ax.boxplot(list(values), tick_labels=labels)
            ax.tick_params(axis="x", labelrotation=90)
        column[0].set_title(titled(name))
    axes[0, 0].set_ylabel("AUC")
    axes[1, 0].set_ylabel("privacy loss")
    plt.show()


def show_learning(curve: pd.DataFrame, middle: int) -> None:
    """Mean AUC against the number of training groups, a line a dataset."""
    ax = plt.subplots(figsize=(6.0, 3.0))[1]
    for name, rows in curve.groupby(level="data", sort=False):
        _with_interval(ax, rows.index.get_level_values("training groups").to_list(), rows, name)
    _guessing(ax)
    ax.set(xlabel="training groups", ylabel=f"mean AUC, groups of {middle}")
    _ticks(ax, sorted(curve.index.get_level_values("training groups").unique()))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.3), ncols=2)
    plt.show()

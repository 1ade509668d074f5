"""Figures and readers' tables of the zero-auxiliary-knowledge chapter and its replication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.datasets import mobility
from lib.papers import claims, figures, scoreboard, summaries, verdicts
from lib.papers.experiments import Experiment
from lib.papers.figures import COLORS
from lib.papers.zero_knowledge import experiments
from lib.traces import Traces

ATTACKS = ("KK", "ZK", "sum")
SCORERS = ("logistic", "target's cells")  # what these attacks are made of
HIDDEN = {"k = 1": COLORS[1], "epsilon = 1": COLORS[2], "epsilon = 0.1": COLORS[3]}
OFFERS = (
    ("suppressed", 1.0),
    ("suppressed", 5.0),
    ("event", 1.0),
    ("event", 0.1),
    ("user-day", 10.0),
    ("user-day", 1.0),
    ("user", 10.0),
    ("user", 1.0),
)
WITH_WEAK_NOISE = (*OFFERS[:2], ("event", 10.0), *OFFERS[2:])
_STANDS_FOR = {"milan": "tweeters-zk", "cdr": "callers"}  # the paper's data, our surrogates
_SUM = {"sum": figures.line_style("sum") | {"marker": "D"}}  # a triangle is a printed bound
_FOUR: dict[str, dict[str, Any]] = {  # how each of the four attacks is drawn
    "KK": figures.line_style("KK"),
    "ZK": figures.line_style("ZK"),
    **_SUM,
    "occupied cells": {
        "label": "occupied cells",
        "color": COLORS[3],
        "linestyle": figures.LINES[3],
        "marker": "P",
    },
}


# -- rows: one attack's AUC each -------------------------------------------------------------------


def attacks(*games: pd.DataFrame) -> pd.DataFrame:
    """Select the attacks that figures show: KK and ZK (logistic regression) and sum (known cells).

    Parameters
    ----------
    *games : pandas.DataFrame
        Rows of games.

    Returns
    -------
    pandas.DataFrame
        Rows with a column `attack`. The sum learns nothing, so one of its two equal rows is left.
    """
    rows = pd.concat(games, ignore_index=True)
    fitted = rows[rows["scorer"] == "logistic"].assign(attack=lambda each: each["attacker"])
    alone = (rows["scorer"] == "target's cells") & (rows["attacker"] == "ZK")
    return pd.concat([fitted, rows[alone].assign(attack="sum")], ignore_index=True)


def with_sums(
    games_of: Sequence[Experiment], what: str, by: str, where: str = "target >= 0"
) -> pd.DataFrame:
    """Join stored games of KK and ZK with the sum's rows on the same test groups.

    Parameters
    ----------
    games_of : sequence of lib.papers.experiments.Experiment
        Experiments of games.
    what : str
        Value of the column `what` of `experiments.sums`.
    by : str
        Column in which the games differ.
    where : str
        Which of the games, as `pandas.DataFrame.query` reads it.

    Returns
    -------
    pandas.DataFrame
        Rows with a column `attack`.
    """
    games = pd.concat([each.stored().query(where) for each in games_of], ignore_index=True)
    sums = experiments.sums.stored()
    same = sums[(sums["what"] == what) & sums["at"].isin(games[by])]
    same = same[same["data"].isin(games["data"])]
    alone = same.rename(columns={"at": by}).assign(attack="sum")
    both = pd.concat([games.assign(attack=games["attacker"]), alone], ignore_index=True)
    return both.astype({by: games[by].dtype})


_DEFENSES = {
    "suppressed": "k = {:g}",
    "event": "visit, ε = {:g}",
    "user-day": "day, ε = {:g}",
    "user": "user, ε = {:g}",
}


def source_note(experiment: Experiment, *data: str) -> str:
    """Describe where stored results come from, as a line below a figure or table.

    Parameters
    ----------
    experiment : lib.papers.experiments.Experiment
        An experiment with stored results.
    *data : str
        Datasets; without any, all of the experiment's.

    Returns
    -------
    str
        Such as "(stored results, each: 30 targets, run 2026-11-22)", after a line break.
    """
    notes = dict.fromkeys(each.split(", ", 1)[1] for each in experiment.source(*data).split("; "))
    return "\n(stored results, each: " + "; ".join(notes) + ")"


def describe(unit: str, level: float) -> str:
    """Describe a defense in words, such as "visit, ε = 1".

    Parameters
    ----------
    unit : str
        Unit of privacy, or "suppressed".
    level : float
        ε, or k.

    Returns
    -------
    str
        The description.
    """
    return _DEFENSES[unit].format(level)


# -- tables ----------------------------------------------------------------------------------------

_SHARE = (0.0, 1.0)  # where intervals of an AUC or a share end


def paired_table(
    rows: pd.DataFrame,
    by: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    across: str = "attack",
    value: str = "AUC",
    fine: bool = False,
) -> pd.DataFrame:
    """Make a table of means and paired differences, and mark the significant differences.

    An asterisk follows the 95% interval of a difference if it does not contain 0. Unless `fine`, an
    end of such an interval may be printed as 0.00, because it is rounded.

    Parameters
    ----------
    rows : pandas.DataFrame
        Tidy rows, one for each target.
    by : sequence of str
        Names of the table's rows.
    pairs : sequence of (str, str)
        Two values of `across` each; the second is subtracted from the first. A pair that the rows
        lack is left out.
    across : str
        Name of what has a column of its own.
    value : str
        Column to average.
    fine : bool
        Whether differences are formatted by `difference_text`.

    Returns
    -------
    pandas.DataFrame
        Text, as of `lib.papers.figures.table`.
    """
    found = figures.table(rows, by, value, across, within=_SHARE, pairs=pairs)
    for first, second in pairs:
        title = f"{first} - {second}"
        if title in found:
            change = summaries.differences(rows, by, value, ["target"], across, first, second)
            if "data" in change.index.names:
                change = change.rename(index=figures.label, level="data")
            if fine:
                ends = change[["mean", "95% low", "95% high"]].to_numpy(float).tolist()
                texts = pd.Series([difference_text(*each) for each in ends], change.index)
                found[title] = texts.reindex(found.index, fill_value="")
            else:
                found[title] = found[title] + _marks(change).reindex(found.index, fill_value="")
    return found


def difference_text(mean: float, low: float, high: float) -> str:
    """Format a difference with its interval; an asterisk follows an interval without 0.

    The numbers have two decimals, or up to four if two would print an end of an interval without 0
    as 0.00.

    Parameters
    ----------
    mean, low, high : float
        The difference, and the ends of its interval (NaN: no interval).

    Returns
    -------
    str
        Such as "0.004 [0.001, 0.007]*".
    """
    excludes = low > 0 or high < 0
    nearest = min(abs(low), abs(high)) if excludes else 1.0
    digits = next((each for each in (2, 3) if round(nearest, each) > 0), 4)
    return summaries.in_brackets(mean, low, high, digits) + ("*" if excludes else "")


def _short(name: str) -> str:
    """Label of a dataset where there is little room."""
    return "flights" if name.startswith("flights") else figures.label(name)


def _marks(found: pd.DataFrame) -> pd.Series:
    """An asterisk for each interval that does not contain 0."""
    excludes = (found["95% low"] > 0) | (found["95% high"] < 0)
    return excludes.map({True: "*", False: ""})


def table(
    rows: pd.DataFrame,
    by: Sequence[str],
    value: str = "AUC",
    marked: bool = False,
    fine: bool = False,
) -> pd.DataFrame:
    """Make a table of the attacks' means and two paired differences, with 95% intervals.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `attacks` returns them.
    by : sequence of str
        Names of the table's rows.
    value : str
        Column to average.
    marked : bool
        Whether an asterisk marks differences whose interval does not contain 0.
    fine : bool
        Whether marked differences are formatted by `difference_text`.

    Returns
    -------
    pandas.DataFrame
        Text; columns KK, ZK, sum, "ZK - KK" and "sum - ZK" as far as rows have them.
    """
    pairs = (("ZK", "KK"), ("sum", "ZK"))
    if marked:
        found = paired_table(rows, by, pairs, value=value, fine=fine)
    else:
        found = figures.table(rows, by, value, "attack", within=_SHARE, pairs=pairs)
    first = [each for each in ATTACKS if each in found]
    found = found[[*first, *(each for each in found if each not in first)]]
    return _in_order(found, rows) if by[0] == "data" else found


def beside_kk(rows: pd.DataFrame, by: Sequence[str], fine: bool = False) -> pd.DataFrame:
    """Make a table of KK's mean AUC and of how far the other attacks are from it, paired by target.

    An asterisk marks a difference whose interval does not contain 0.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `attacks` returns them.
    by : sequence of str
        Names of the table's rows, the dataset first.
    fine : bool
        Whether differences are formatted by `difference_text`.

    Returns
    -------
    pandas.DataFrame
        Text; columns KK, "ZK - KK", "sum - KK" and, if it was scored, "occupied cells - KK".
    """
    pairs = [(other, "KK") for other in ("ZK", "sum", "occupied cells")]
    found = paired_table(rows, by, pairs, fine=fine)
    columns = ["KK", *(f"{first} - {second}" for first, second in pairs)]
    return _in_order(found[[each for each in columns if each in found]], rows)


def lead_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of ZK's mean AUC and of differences of sum, ZK and KK, without intervals.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `select_defenses` returns them.

    Returns
    -------
    pandas.DataFrame
        Text; four rows for each dataset, a column for each defense.
    """
    means = rows.pivot_table("AUC", "defense", ["data", "attack"], sort=False)
    found = {}
    for name in rows["data"].unique():
        of = means[name]
        pairs = (("sum", "ZK"), ("sum", "KK"), ("ZK", "KK"))
        leads = {"ZK": of["ZK"]} | {f"{a} - {b}": of[a] - of[b] for a, b in pairs}
        found[figures.label(name)] = pd.DataFrame(leads).T
    both = pd.concat(found, names=["data", "AUC"]).round(2) + 0  # no negative zero
    return both.map("{:.2f}".format)


def rival_table(
    games: pd.DataFrame,
    attack: str,
    offers: Sequence[tuple[str, float]],
    rivals: Sequence[str] = ("sum", "KK", "ZK"),
) -> pd.DataFrame:
    """Make a table of an attack's mean AUC and of how far it is ahead of others, paired by target.

    Parameters
    ----------
    games : pandas.DataFrame
        As `by_defense` returns them.
    attack : str
        Name of the attack.
    offers : sequence of (str, float)
        Unit and level of each defense.
    rivals : sequence of str
        The other attacks.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each dataset and defense. Differences are formatted by `difference_text`.
    """
    pairs = [(attack, rival) for rival in rivals]
    found = paired_table(select_defenses(games, offers), ["data", "defense"], pairs, fine=True)
    return found[[attack, *(f"{first} - {second}" for first, second in pairs)]]


def best_rivals(
    games: pd.DataFrame, attack: str, offers: Sequence[tuple[str, float]]
) -> pd.DataFrame:
    """Compare an attack with the best of the other attacks, for each dataset and defense.

    The best other attack is the one with the highest mean AUC.

    Parameters
    ----------
    games : pandas.DataFrame
        As `by_defense` returns them.
    attack : str
        Name of the attack.
    offers : sequence of (str, float)
        Unit and level of each defense.

    Returns
    -------
    pandas.DataFrame
        Index: data, unit, level. Columns: those of `summaries.differences`, paired by target (the
        lead of the attack); AUC, of the attack; rival and rival AUC, of the best other attack.
    """
    rows, by = select_defenses(games, offers), ["data", "unit", "level"]
    means = rows.pivot_table("AUC", by, "attack")
    others = means.drop(columns=attack)
    named = rows.join(others.idxmax(axis=1).rename("rival"), on=by)
    both = named[(named["attack"] == attack) | (named["attack"] == named["rival"])]
    both = both.assign(side=np.where(both["attack"] == attack, attack, "rival"))
    lead = summaries.differences(both, by, "AUC", ["target"], "side", attack, "rival")
    best = {"rival": others.idxmax(axis=1), "rival AUC": others.max(axis=1)}
    return lead.assign(AUC=means[attack], **best)


def best_rival_table(
    found: Any, names: Sequence[str], offers: Sequence[tuple[str, float]]
) -> pd.DataFrame:
    """Make a table of an attack's AUC beside that of the best of the other attacks.

    Parameters
    ----------
    found : pandas.DataFrame
        As `best_rivals` returns it.
    names : sequence of str
        Datasets, two columns each.
    offers : sequence of (str, float)
        Unit and level of each defense, from top to bottom.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each defense. Columns: the dataset, and within it "occupied" and "best
        other" with the other attack's name.
    """
    columns = {}
    for name in names:
        rows = found.loc[name].loc[list(offers)]
        short = figures.label(name).removesuffix(" (surrogate)")
        columns[short, "occupied"] = rows["AUC"].map("{:.2f}".format)
        others = rows["rival AUC"].map("{:.2f}".format)
        columns[short, "best other"] = others + " (" + rows["rival"] + ")"
    table = pd.DataFrame(columns).rename_axis(columns=["data", "AUC"])
    table.index = pd.Index([describe(*offer) for offer in table.index], name="defense")
    return table


def select_defenses(rows: pd.DataFrame, offers: Sequence[tuple[str, float]]) -> pd.DataFrame:
    """Select the rows of some defenses, in their order, and describe them in the column `defense`.

    Parameters
    ----------
    rows : pandas.DataFrame
        With the columns data, unit and level.
    offers : sequence of (str, float)
        Unit and level of each defense.

    Returns
    -------
    pandas.DataFrame
        The rows, dataset by dataset.
    """
    found = [
        rows[(rows["data"] == name) & (rows["unit"] == unit) & (rows["level"] == level)]
        for name in rows["data"].unique()
        for unit, level in offers
    ]
    return describe_defenses(pd.concat(found, ignore_index=True))


def describe_defenses(rows: pd.DataFrame) -> pd.DataFrame:
    """Describe the defense of each row in a further column `defense`.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows with the columns unit and level.

    Returns
    -------
    pandas.DataFrame
        The rows with that column.
    """
    pairs = zip(rows["unit"], rows["level"], strict=True)
    return rows.assign(defense=[describe(unit, level) for unit, level in pairs])


def by_defense(suppressed: pd.DataFrame, noisy: pd.DataFrame, *users: pd.DataFrame) -> pd.DataFrame:
    """Join games with the columns unit and level, as `experiments.costs` has them.

    Parameters
    ----------
    suppressed, noisy : pandas.DataFrame
        Rows of `experiments.suppression` and of `experiments.noise`.
    *users : pandas.DataFrame
        Rows of games against user-level noise.

    Returns
    -------
    pandas.DataFrame
        All rows.
    """
    games = [
        suppressed.rename(columns={"k": "level"}).assign(unit="suppressed"),
        noisy.rename(columns={"epsilon": "level"}),
        *(each.rename(columns={"epsilon": "level"}).assign(unit="user") for each in users),
    ]
    return pd.concat(games, ignore_index=True).astype({"level": float})


def best_attacks(games: pd.DataFrame) -> pd.DataFrame:
    """Select the attack with the highest mean AUC for each dataset, unit and level.

    The best are selected by these same means; among three or four, over thirty targets, the
    optimistic bias is small.

    Parameters
    ----------
    games : pandas.DataFrame
        As `by_defense` returns them.

    Returns
    -------
    pandas.DataFrame
        Index data, unit, level; the attack, its mean AUC and interval.
    """
    by = ["data", "unit", "level"]
    found = summaries.means(games, [*by, "attack"], "AUC").reset_index("attack")
    ends = ["95% low", "95% high"]
    found[ends] = found[ends].clip(*_SHARE)
    top = found.groupby(level=by, sort=False)["mean"].transform("max")
    return found[found["mean"] == top].groupby(level=by, sort=False).head(1)


def prices(games: pd.DataFrame, costs: pd.DataFrame) -> pd.DataFrame:
    """Join the best attack's AUC and the cost of the release, by data, unit and level.

    Parameters
    ----------
    games : pandas.DataFrame
        As `by_defense` returns them.
    costs : pandas.DataFrame
        Rows of `experiments.costs`.

    Returns
    -------
    pandas.DataFrame
        The columns of `best_attacks`, cells moved, places moved and error.
    """
    paid = costs.groupby(["data", "unit", "level"], sort=False)
    means = paid[["cells moved", "places moved", "error"]].mean()
    return best_attacks(games).join(means).sort_index()


def price_table(
    found: Any, names: Sequence[str], offers: Sequence[tuple[str, float]] = OFFERS
) -> pd.DataFrame:
    """Make a table of the best attack and the cells moved, a row for each defense.

    Parameters
    ----------
    found : pandas.DataFrame
        As `prices` returns it.
    names : sequence of str
        Datasets, two columns each.
    offers : sequence of (str, float)
        Unit and level of each defense.

    Returns
    -------
    pandas.DataFrame
        Text.
    """
    columns: dict[str, list[str]] = {}
    for name in names:
        of = found.loc[[(name, *offer) for offer in offers]]
        label = _short(name)
        columns[f"{label}: AUC"] = (summaries.texts(of) + ", " + of["attack"]).tolist()
        columns[f"{label}: moved"] = [f"{share:.0%}" for share in of["cells moved"]]
    index = pd.Index([describe(*offer) for offer in offers], name="defense")
    return pd.DataFrame(columns, index)


def cost_table(found: Any, scales: pd.DataFrame, flat: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the best attack and of what each defense costs, sorted by the AUC.

    Parameters
    ----------
    found : pandas.DataFrame
        As `prices` returns it, with the rows to show.
    scales : pandas.DataFrame
        Scale of the noise. Index: the defense, as `describe` names it; a column for each dataset.
    flat : pandas.DataFrame
        Costs of a flat release. Index: the dataset; columns: cells moved, places moved.

    Returns
    -------
    pandas.DataFrame
        Text. Index: data and defense, the last of each dataset a flat release. Columns: AUC, best
        attack, wrong cell, wrong place.
    """
    moved = ["cells moved", "places moved"]
    parts = {}
    for name in flat.index:
        rows = found.loc[[name]].sort_values("mean", ascending=False)
        part = rows[moved].map("{:.0%}".format)
        part.insert(0, "AUC", summaries.texts(rows))
        part.insert(1, "best attack", rows["attack"])
        part.index = pd.Index(_with_scales(rows.loc[name].index, scales[name]), name="defense")
        part.loc["flat release"] = ["", "", *flat.loc[name, moved].map("{:.0%}".format)]
        parts[figures.label(name)] = part
    titles = dict(zip(moved, ("wrong cell", "wrong place"), strict=True))
    return pd.concat(parts, names=["data"]).rename(columns=titles)


def _with_scales(offers: Any, scales: pd.Series) -> list[str]:
    """Names of defenses; of noise with its scale, such as "visit, ε = 10 (0.1)"."""
    names = [describe(*offer) for offer in offers]
    return [f"{name} ({scales[name]:g})" if name in scales else name for name in names]


def undone_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the estimates that the paper proposes.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.marginal_distances`, repeated.

    Returns
    -------
    pandas.DataFrame
        Text: distance of the space and of the time marginal, by release and estimate.
    """
    kept = rows[rows["estimate"] != "exponential"]
    kept = kept.replace({"estimate": {"empirical": "as released"}})
    return figures.table(kept, ["release", "estimate"], {"space": "space", "time": "time"})


def mean_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of visits per user, a row for each release.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.mean_visits`, repeated.

    Returns
    -------
    pandas.DataFrame
        Text: what the release sums to, the estimate, and the true mean.
    """
    columns = {"sum / m": "sum / m", "estimated": "searched for"}
    found = figures.table(rows, ["release"], columns)
    return found.assign(everybody=rows.groupby("release")["true"].mean())


def pair_table(games: pd.DataFrame, budgets: Sequence[float]) -> pd.DataFrame:
    """Make a table of the mean AUC on pairs and on independent groups, and of the paired gain.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.pairs`.
    budgets : sequence of float
        The budgets to show.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each attacker and budget.
    """
    rows = games[games["epsilon"].isin(budgets)]
    pairs = [("pairs", "independent")]
    found = figures.table(rows, ["attacker", "epsilon"], "AUC", "groups", pairs=pairs)
    return found.rename(columns={"pairs - independent": "gain"})[
        ["independent", "pairs", "gain"]
    ].sort_index()


def likelihood_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of distances of estimated marginals, a column for each estimate.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment on marginals.

    Returns
    -------
    pandas.DataFrame
        The table.
    """
    long = rows.melt(["data", "number", "estimate"], ["space", "time"], "marginal", "distance")
    return _in_order(figures.table(long, ["data", "marginal"], "distance", "estimate"), rows)


def printed_table(judged: pd.DataFrame, source: str, setting: str) -> pd.DataFrame:
    """Make a table of the means of a table of the paper beside ours, with standard errors.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `lib.papers.verdicts.judged_with_pages` returns it.
    source : str
        The paper's table, such as "Table 3".
    setting : str
        What differs from row to row of that table, such as "k".

    Returns
    -------
    pandas.DataFrame
        Text. Index: data and the setting; for each attacker a column paper, here and verdict.
    """
    printed = claims.published("zk").query("source == @source and kind == 'number'")
    rows: dict[tuple[str, Any], dict[str, str]] = {}
    for claim, row in printed.iterrows():
        place, own = row["setting"], judged.loc[str(claim)].to_dict()
        line = rows.setdefault((_STANDS_FOR[row["dataset"]], place[setting]), {})
        of_paper = f"{row['value'][0]:.3f} ± {row['stderr']:.3f}"
        of_ours = f"{float(own['here']):.3f} ± {float(own['standard_error']):.3f}"
        line[f"{place['attack']}, paper"] = of_paper
        line[f"{place['attack']}, here"] = of_ours
        line[f"{place['attack']}, verdict"] = own["substitute"]
    found = pd.DataFrame.from_dict(rows, orient="index")
    names = ["data", setting.replace("known_rois", "known places")]
    found.index = pd.MultiIndex.from_tuples(rows, names=names)
    return found.loc[list(_STANDS_FOR.values())]


def printed_twins() -> pd.DataFrame:
    """Collect the means that the paper prints for KK and for ZK in the same setting, beside ours.

    Returns
    -------
    pandas.DataFrame
        Index: claim. Columns: attack; v, s_v, h, the printed mean, its standard error (0 if 0.000
        is printed) and half a unit of its last digit; x, s, our mean and its standard error;
        other x, other s, those of the other attacker; source, dataset, quantity.
    """
    judged, printed = verdicts.committed()["zk"], claims.published("zk")
    points = scoreboard.agreement(judged, substitutes=True)
    rows: dict[tuple[str, ...], dict[str, dict[str, Any]]] = {}
    for name in points.index:
        claim, own = claims.claim(str(name)), judged.loc[name]
        place = {key: each for key, each in claim.setting.items() if key != "attack"}
        line = {"v": claim.value[0], "s_v": claim.stderr, "h": claims.half_digit(claim)}
        line |= {"x": float(own["here"]), "s": float(own["standard_error"]), "claim": name}
        words = printed.loc[name, ["source", "dataset", "quantity"]].to_dict()
        key = (*words.values(), str(place))
        rows.setdefault(key, {})[str(claim.setting["attack"])] = line | words
    found = []
    for both in rows.values():
        if set(both) == {"KK", "ZK"}:
            for attack, other in (("KK", "ZK"), ("ZK", "KK")):
                others = {f"other {name}": both[other][name] for name in ("x", "s")}
                found.append({"attack": attack} | both[attack] | others)
    return pd.DataFrame(found).set_index("claim")


def threshold_table(rows: pd.DataFrame, marked: bool = False) -> pd.DataFrame:
    """Make a table of the accuracies and thresholds of logistic regression.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.thresholds`.
    marked : bool
        Whether an asterisk marks differences of counts whose interval does not contain 0.

    Returns
    -------
    pandas.DataFrame
        The table.
    """
    fitted = rows[rows["scorer"] == "logistic"]
    fitted = fitted.assign(**{"learned - real": fitted["learned"] - fitted["real"]})
    columns = "accuracy", "best accuracy", "called in", "learned - real"
    by = ["data", "attacker"]
    found = figures.table(fitted, by, dict(zip(columns, columns, strict=True)))
    if marked:
        marks = _marks(summaries.means(fitted, by, columns[-1]))
        found[columns[-1]] += marks.rename(index=figures.label, level="data")
    return _in_order(found, rows).T


def _in_order(found: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """A table whose first level is the dataset, in the rows' order."""
    names = map(figures.label, rows["data"].unique())
    return pd.concat([found.loc[[name]] for name in names if name in found.index])


# -- figures ---------------------------------------------------------------------------------------


def show_visits(visits: Mapping[str, Sequence[int]]) -> None:
    """Draw the share of users with at most so many visits, a line for each population.

    Parameters
    ----------
    visits : mapping of str to sequence of int
        Name of the dataset to the visits of each user.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6, 3.4))
    for (name, values), color, line in zip(visits.items(), COLORS, ("-", "--", "-."), strict=False):
        _draw_share_at_most(ax, values, color=color, linestyle=line, label=figures.label(name))
    ax.set(xlabel="visits during the whole period", ylabel="share of possible targets")
    ax.set_ylim(0, 1.03)
    handles = ax.get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2, fontsize=11)
    plt.show()


def _draw_share_at_most(ax: Any, visits: Sequence[int] | np.ndarray, **style: Any) -> None:
    """Draw the share of users with at most a number of visits, on a logarithmic axis."""
    ordered = np.sort(visits)
    at = np.arange(ordered[0], ordered[-1] + 1)
    share = np.searchsorted(ordered, at, side="right") / len(ordered)
    ax.plot(at, share, marker="", drawstyle="steps-post", **style)
    ax.set_xscale("log")


def show_marginals(
    true: tuple[np.ndarray, np.ndarray], released: Mapping[str, Any], name: str, epochs: Any
) -> None:
    """Draw the space marginal by popularity and the time marginal of two days, true and released.

    A dotted line marks the flat marginal.

    Parameters
    ----------
    true : tuple of numpy.ndarray
        Space and time marginal of all users.
    released : mapping of str to dict
        Name in `HIDDEN` to what `experiments.released_marginals` returns.
    name : str
        Name of the dataset.
    epochs : pandas.DatetimeIndex
        Start of each hour of the time marginal.

    Returns
    -------
    None
    """
    _, axes = plt.subplots(2, 1, figsize=(6, 4.6))
    order = np.argsort(-true[0], kind="stable")[:40]
    two_days = np.arange(min(48, len(true[1])))
    for i, (ax, which, at) in enumerate(
        zip(axes, ("space", "time"), (order, two_days), strict=True)
    ):
        x = np.arange(len(at)) + (which == "space")  # places are counted from 1
        ax.plot(x, true[i][at], color="black", marker="", label="true, whole population")
        flat = {"color": "black", "linestyle": ":", "linewidth": 1, "marker": ""}
        ax.axhline(1 / len(true[i]), label="flat marginal", **flat)
        for line, (label, found) in zip(("--", "-."), released.items(), strict=False):
            ax.plot(
                x,
                found["empirical"][which][0][at],
                color=HIDDEN[label],
                marker="",
                linestyle=line,
                label=label.replace("epsilon", "ε"),
            )
        ax.set(ylabel="share of visits", ylim=(0, None))
    axes[0].set(xlabel="places, most visited first", title=f"where, {figures.label(name)}")
    ticks = two_days[::12]
    axes[0].set_xticks([1, *range(10, len(order) + 1, 10)])
    axes[1].set_xticks(ticks, [f"{epochs[at]:%a %H}h" for at in ticks])
    axes[1].set(xlabel="hour of the first two days", title="when")
    axes[0].legend(fontsize=10)
    plt.show()


def show_activity(visits: np.ndarray, families: Mapping[str, Any]) -> None:
    """Draw the distribution function of the number of visits beside fitted families.

    Parameters
    ----------
    visits : numpy.ndarray of int, shape (n_users,)
        Visits of each user.
    families : mapping of str to scipy.stats distribution
        As `experiments.activity_families` returns them.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6, 3.2))
    at = np.geomspace(1, 1500, 200)
    share = [(visits <= x).mean() for x in at]
    ax.plot(at, share, color="black", marker="", label="callers (surrogate)")
    for name in ("lognormal", "exponential"):
        ax.plot(at, families[name].cdf(at), marker="", label=name)
    ax.set(xlabel="visits", ylabel="share of users", xscale="log")
    ax.legend()
    plt.show()


def show_lines(lines: Mapping[str, np.ndarray], xlabel: str, name: str, days: bool = False) -> None:
    """Draw marginals of one kind over each other; the population's is solid and black.

    Parameters
    ----------
    lines : mapping of str to numpy.ndarray
        Label to shares.
    xlabel : str
        Label of the horizontal axis.
    name : str
        Name of the dataset.
    days : bool
        Whether the shares are those of consecutive hours; then the axis names the days.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6, 3.0))
    styles = zip(COLORS, ("--", "-.", ":"), strict=False)
    for label, each in lines.items():
        style: dict[str, Any] = {"linewidth": 1.3, "label": label}
        if label == "population":
            style |= {"color": "black", "linestyle": "-", "zorder": 3}
        else:
            style["color"], style["linestyle"] = next(styles)
        ax.plot(each, marker="", **style)
    ax.set(xlabel=xlabel, ylabel="share of visits", ylim=(0, None), title=figures.label(name))
    if days:
        _name_days(ax, max(map(len, lines.values())))
    handles = ax.get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, fontsize=11)
    plt.show()


def show_flattening(
    spaces: Mapping[str, np.ndarray], hours: Mapping[str, np.ndarray], name: str
) -> None:
    """Draw the space and the time marginal of releases with more and more noise.

    A dotted line marks the uniform marginal.

    Parameters
    ----------
    spaces : mapping of str to numpy.ndarray
        Label of each release to its shares by place, the most popular place first.
    hours : mapping of str to numpy.ndarray
        Label of each release to its shares by hour of an average day.
    name : str
        Name of the dataset.

    Returns
    -------
    None
    """
    figure, axes = plt.subplots(2, 1, figsize=(6.2, 6.0))
    for ax, lines in zip(axes, (spaces, hours), strict=True):
        looks = zip(COLORS, ("-", "--", "-.", (0, (6, 1, 1, 1, 1, 1))), "os^D", strict=False)
        for (label, shares), (color, line, marker) in zip(lines.items(), looks, strict=False):
            style: dict[str, Any] = {"color": color, "linestyle": line, "linewidth": 1.5}
            style |= {"marker": marker, "markersize": 4.5, "markevery": len(shares) // 8}
            ax.plot(shares, label=label, **style)
        ax.axhline(1 / len(shares), color="black", linewidth=1.3, linestyle=":", marker="")
        ax.set(ylabel="share of visits", ylim=(0, None))
    axes[0].set(title=f"space, {figures.label(name)}", xlabel="places, most popular first")
    axes[1].set(title="time", xlabel="hour of the day, mean of seven days")
    axes[1].set_xticks(range(0, 24, 6))
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=4, fontsize=11)
    plt.show()


def _name_days(ax: Any, n_hours: int) -> None:
    """Put a tick at each midnight, and the number of each day between two ticks."""
    ax.set_xticks(range(0, n_hours + 1, 24), [""] * (n_hours // 24 + 1))
    names = [f"day {i + 1}" for i in range(n_hours // 24)]
    ax.set_xticks(range(12, n_hours, 24), names, minor=True)
    ax.tick_params(axis="x", which="minor", length=0)


def show_suppressed(shares: pd.DataFrame) -> None:
    """Draw the share of positive counts that is suppressed against k, a line for each dataset.

    Parameters
    ----------
    shares : pandas.DataFrame
        Rows of `experiments.suppressed`.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6.0, 3.0))
    looks = zip(COLORS, ("-", "--", "-."), "os^", strict=False)
    for name, (color, line, marker) in zip(shares["data"].unique(), looks, strict=False):
        rows = shares[shares["data"] == name]
        style: dict[str, Any] = {"color": color, "linestyle": line, "marker": marker}
        ax.plot(rows["k"], rows["share"], label=figures.label(name), **style)
    ax.set(ylim=(0, 1.03), xticks=shares["k"].unique(), xlabel="counts up to k become 0")
    ax.set_ylabel("share of positive\ncounts set to 0")
    handles = ax.get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2, fontsize=11)
    plt.show()


def show_inputs(traces: Traces, space: np.ndarray, time: np.ndarray, name: str) -> None:
    """Draw what synthetic traces are made of: three marginals and a triangulation of the places.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    space : numpy.ndarray, shape (n_rois,)
        Shares of visits by place.
    time : numpy.ndarray, shape (n_epochs,)
        Shares of visits by hour.
    name : str
        Name of the dataset.

    Returns
    -------
    None
    """
    figure, axes = plt.subplots(2, 2, figsize=(6.2, 5.4))
    axes[0, 0].plot(np.sort(space)[::-1], marker="", color="black")
    axes[0, 0].set(xlabel="places, by visits", ylabel="share of visits", title="space")
    axes[0, 1].plot(time[:48], marker="", color="black")
    axes[0, 1].set(xlabel="hours of two days", title="time")
    _name_days(axes[0, 1], 48)
    _draw_share_at_most(axes[1, 0], traces.visits().to_numpy(), color="black", linestyle="-")
    label = "share of users with\nat most so many"
    axes[1, 0].set(xlabel="visits", ylabel=label, ylim=(0, 1.03), title="activity")
    _edges(axes[1, 1], traces)
    axes[1, 1].set(xlabel="longitude", ylabel="latitude", title="triangulation")
    figure.suptitle(figures.label(name), fontsize=12)
    plt.show()


def _edges(ax: Any, traces: Traces) -> None:
    lat, lon = traces.rois["lat"].to_numpy(), traces.rois["lon"].to_numpy()
    first, second = np.nonzero(np.triu(mobility.triangulate(traces.rois).toarray()))
    edges = [lon[first], lon[second]], [lat[first], lat[second]]
    ax.plot(*edges, color="#999999", linewidth=0.6, linestyle="-", marker="")


def show_trace(
    traces: Traces, space: np.ndarray, patch: np.ndarray, visits: np.ndarray, name: str
) -> None:
    """Draw the map, and a synthetic user on it.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    space : numpy.ndarray, shape (n_rois,)
        Shares of visits, drawn as the size of a place.
    patch : numpy.ndarray of int
        Positions of the user's ROIs, the origin first.
    visits : numpy.ndarray of int, shape (n_visits,)
        Positions of the visited ROIs.
    name : str
        Name of the dataset.

    Returns
    -------
    None
    """
    lat, lon = traces.rois["lat"].to_numpy(), traces.rois["lon"].to_numpy()
    _, ax = plt.subplots(figsize=(6, 5.8))
    _edges(ax, traces)
    ax.set_aspect(1 / np.cos(np.radians(lat.mean())))
    ax.scatter(lon, lat, s=2500 * space, color=COLORS[0], alpha=0.35, label="places, by visits")
    of_user: dict[str, Any] = {"facecolors": "none", "linewidths": 2, "zorder": 3}
    for at, marker, label in (
        (patch[1:], "o", "the user's places"),
        (patch[:1], "s", "their origin"),
    ):
        of_user |= {"marker": marker, "edgecolors": COLORS[1], "label": label}
        ax.scatter(lon[at], lat[at], s=260, **of_user)
    for place in patch:
        where, n = (lon[place], lat[place]), int((visits == place).sum())
        behind = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.5}
        beside: dict[str, Any] = {"textcoords": "offset points", "zorder": 4, "bbox": behind}
        beside |= {"ha": "center", "va": "center", "fontsize": 11}
        ax.annotate(f"{traces.rois.index[place]}", where, (0, -17), **beside)
        if n:
            ax.annotate(f"{n}", where, (15, 9), fontweight="bold", **beside)
    ax.set(title=figures.label(name), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.grid(False)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), fontsize=11, ncols=3)
    plt.show()


_BOXES = {  # of `show_scheme`: middle, width, height, text
    "release": (1.42, 5.6, 3.1, 0.5, "the release: published counts"),
    "visits": (4.63, 5.6, 2.95, 0.5, "the target's visits"),
    "marginals": (1.2, 4.15, 1.95, 0.62, "where, when and how\nmuch people move"),
    "synthetic": (1.2, 3.3, 1.95, 0.4, "synthetic traces"),
    "real": (3.03, 3.3, 1.4, 0.62, "real traces of\nother people"),
    "pairs": (
        2.18,
        2.2,
        3.9,
        0.86,
        "pairs of groups: $m - 1$ shared members,\n"
        "and the target or somebody else;\nthe same noise",
    ),
    "fit": (2.18, 1.12, 3.9, 0.4, "regression: a weight for every cell"),
    "fixed": (
        5.2,
        1.78,
        1.82,
        1.7,
        "fixed rule:\nadd up the target's\ncells, or count the\noccupied ones",
    ),
    "score": (2.99, 0.2, 6.24, 0.4, "score of the release, and a threshold: in or out?"),
}
_ARROWS = (  # where it stands, and from which box it leads to which
    (0.04, "release", "score"),
    (1.9, "release", "marginals"),
    (1.2, "marginals", "synthetic"),
    (1.2, "synthetic", "pairs"),
    (3.03, "real", "pairs"),
    (3.93, "visits", "pairs"),
    (2.18, "pairs", "fit"),
    (2.18, "fit", "score"),
    (5.85, "visits", "fixed"),
    (5.2, "fixed", "score"),
)


def show_scheme() -> None:
    """Draw the steps of the four attacks, from what the attacker has to a score.

    Returns
    -------
    None
    """
    _, ax = plt.subplots(figsize=(6.2, 6))
    for name, (x, y, width, height, text) in _BOXES.items():
        corner = x - width / 2, y - height / 2
        face, line = ("#F6D9A8", 2.5) if name == "real" else ("#F2F2F2", 1)
        box = plt.Rectangle(corner, width, height, facecolor=face, edgecolor="black", lw=line)
        ax.add_patch(box)
        ax.text(x, y, text, ha="center", va="center", fontsize=11)
    arrow = {"arrowstyle": "-|>", "color": "black", "linewidth": 1.5}
    for x, first, second in _ARROWS:
        start = _BOXES[first][1] - _BOXES[first][3] / 2
        end = _BOXES[second][1] + _BOXES[second][3] / 2
        ax.annotate("", (x, end), (x, start), arrowprops=arrow)
    ax.text(2.99, 6.05, "every attacker has", ha="center", va="center", fontsize=11)
    for x, heading in ((1.2, "ZK"), (3.03, "KK"), (5.0, "no training")):
        ax.text(x, 4.85, heading, ha="center", va="center", fontweight="bold")
    for x, bottom in ((2.25, 2.75), (4.19, 0.5)):
        ax.plot([x, x], [bottom, 5.1], color="#BBBBBB", linewidth=1, linestyle=":", marker="")
    ax.set(xlim=(-0.2, 6.2), ylim=(-0.1, 6.2))
    ax.axis("off")
    plt.show()


def show_decisions(
    groups: Mapping[str, tuple[np.ndarray, np.ndarray]], threshold: float, best: float
) -> None:
    """Draw histograms of an attack's scores with and without the target, and two thresholds.

    Parameters
    ----------
    groups : mapping of str to (numpy.ndarray, numpy.ndarray)
        Title of each panel to the scores of groups and to their labels (1: with the target).
    threshold : float
        The attacker's threshold, drawn in every panel.
    best : float
        The best threshold for the last panel, drawn only there.

    Returns
    -------
    None
    """
    figure, axes = plt.subplots(len(groups), 1, figsize=(6, 4.4), sharex=True)
    everything = np.concatenate([scores for scores, _ in groups.values()])
    bins = np.histogram_bin_edges(everything, 18).tolist()
    for ax, (title, (scores, labels)) in zip(axes, groups.items(), strict=True):
        for value, name, color in (
            (0, "without the target", COLORS[0]),
            (1, "with the target", COLORS[1]),
        ):
            ax.hist(scores[labels == value], bins, color=color, alpha=0.6, label=name)
        line = {"color": "black", "linewidth": 1.5, "marker": ""}
        ax.axvline(threshold, linestyle="-", label="the attacker's threshold", **line)
        ax.set(title=title, ylabel="groups")
    axes[-1].axvline(best, linestyle="--", label="best threshold for the lower panel", **line)
    axes[-1].set_xlabel("score")
    handles = axes[-1].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2, fontsize=10)
    plt.show()


_DECIDED = (  # columns of `experiments.thresholds`, and how their means are drawn
    ("AUC", {"label": "AUC (ranking)", "marker": "D", "color": COLORS[6]}),
    (
        "best accuracy",
        {"label": "accuracy at the best threshold", "marker": "s", "color": COLORS[2]},
    ),
    ("accuracy", {"label": "accuracy", "marker": "o", "color": COLORS[0]}),
    (
        "called in",
        {"label": "labelled as containing the target", "marker": "^", "color": COLORS[1]},
    ),
)


def show_accuracies(rows: pd.DataFrame) -> None:
    """Draw how well KK and ZK rank and decide: a panel for each dataset, a row for each attack.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.thresholds`.

    Returns
    -------
    None
    """
    fitted = rows[rows["scorer"] == "logistic"]
    names, attackers = fitted["data"].unique(), ATTACKS[:2]
    size = (6.2, 1.7 * len(names) + 1.4)
    figure, axes = plt.subplots(len(names), 1, figsize=size, sharex=True, squeeze=False)
    for ax, name in zip(axes[:, 0], names, strict=True):
        for i, (measure, style) in enumerate(_DECIDED):
            found = summaries.means(fitted[fitted["data"] == name], ["attacker"], measure)
            found = found.loc[list(attackers)]
            low, high = (found[end].clip(*_SHARE) for end in ("95% low", "95% high"))
            ends = [found["mean"] - low, high - found["mean"]]
            at = np.arange(len(attackers)) + 0.2 * (i - 1.5)
            ax.errorbar(found["mean"], at, xerr=ends, capsize=3, linestyle="", **style)
        ax.axvline(0.5, color="black", linewidth=1, linestyle=":", marker="")
        ax.set_yticks(range(len(attackers)), attackers)
        ax.grid(visible=False, axis="y")
        ax.axhline(0.5, color="#BBBBBB", linewidth=1, linestyle="-", marker="")
        ax.set(ylim=(len(attackers) - 0.5, -0.5), xlim=(0.35, 1.02), title=figures.label(name))
    axes[-1, 0].set_xlabel("AUC, or share of the groups")
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2, fontsize=11)
    plt.show()


def show_against(
    rows: pd.DataFrame,
    x: str,
    xlabel: str,
    scale: str = "linear",
    what: str = "AUC",
    printed: str = "",
) -> None:
    """Draw the mean of each attack against `x` with 95% intervals over targets.

    Where rows have a unit of privacy, user-day noise has hollow markers. Points with the same `x`
    are moved apart on a linear axis, and on a logarithmic one if rows have a unit of privacy.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of games, as `attacks` returns them: a panel for each dataset.
    x : str
        Column of the horizontal axis.
    xlabel : str
        Its label.
    scale : {"linear", "log"}
        Its scale.
    what : str
        Column to average.
    printed : str
        The paper's figure, such as "fig7", whose printed values are marked.

    Returns
    -------
    None
    """
    by, marks = ["attack"], _published_aucs(printed, x, rows)
    if "unit" in rows:
        rows = rows.replace({"unit": {"event": "visit", "user-day": "day"}})
        by.append("unit")
    means = summaries.means(rows, ["data", *by, x], what).reset_index()
    means["attack"] = pd.Categorical(means["attack"], ATTACKS)
    means = means.sort_values(["attack", x], kind="stable").astype({"attack": str})
    order = {name: i for i, name in enumerate(rows["data"].unique())}
    means = means.sort_values("data", key=lambda column: column.map(order), kind="stable")
    axes = figures.intervals(
        means,
        x,
        by,
        "data",
        size=(6.2, 1.8),
        level=0.5,
        xscale=scale,
        ylim=(0.42, 1.03),
        xlabel=xlabel,
        ylabel=f"mean {what}",
        ticks=scale == "linear" or rows[x].nunique() < 8,
        apart=0.015 * np.ptp(rows[x]) if scale == "linear" else 0.09 * ("unit" in rows),
        styles=_SUM,
    )
    for data, ax in axes.items():
        _mark_published(ax, marks[marks["data"] == data])
    figures.finish(axes)


_FILLED = {"consistent": "white", "undecided": "#AAAAAA"}  # inconsistent: the attacker's colour


def _verdict_style(attack: str, told: str) -> dict[str, Any]:
    """Style of a mean: the attacker decides colour and shape, and the verdict fills the marker."""
    style = figures.line_style(attack) | {"linestyle": "", "markersize": 6, "label": None}
    return style | {"markerfacecolor": _FILLED.get(told, style["color"])}


def _explain_verdicts(figure: Any) -> None:
    """Put a legend of attackers and verdicts above a figure."""
    entries = {}
    for attack in ATTACKS[:2]:
        entries[attack] = plt.Line2D([], [], **_verdict_style(attack, "consistent"))
    for told in ("consistent", "undecided", "inconsistent"):
        style = _verdict_style("KK", told) | {"color": "black"}
        style["markerfacecolor"] = _FILLED.get(told, "black")
        entries[told] = plt.Line2D([], [], **style)
    place: Any = "outside upper center"
    figure.legend(entries.values(), entries, loc=place, ncols=5, fontsize=11, columnspacing=1.0)


def show_agreement(points: pd.DataFrame, low_end: float, high_end: float) -> None:
    """Draw our means against the printed ones, with grey bands near the ends of the scale.

    Parameters
    ----------
    points : pandas.DataFrame
        As `lib.papers.scoreboard.agreement` gives them. Columns: measure, published, here, half
        (of the interval) and told. A panel for each measure and attacker.
    low_end, high_end : float
        Where the bands end and begin. Markers in the lower band have no interval.

    Returns
    -------
    None
    """
    settings = claims.published("zk").loc[points.index, "setting"]
    attackers = ["KK" if each["attack"] == "KK" else "ZK" for each in settings]
    size: dict[str, Any] = {"figsize": (6.2, 6.6), "sharex": True, "sharey": True}
    figure, axes = plt.subplots(2, 2, **size)
    groups = points.groupby(["measure", pd.Series(attackers, points.index)])
    for ax, ((measure, attack), each) in zip(axes.flat, groups, strict=True):
        for start, end in ((0.45, low_end), (high_end, 1.03)):
            ax.axvspan(start, end, color="#999999", alpha=0.2, linewidth=0)
        ax.plot([0.45, 1.03], [0.45, 1.03], color="black", linewidth=1, linestyle=":", marker="")
        for _, row in each.iterrows():
            error = row["half"] if row["published"] > low_end else 0
            style = _verdict_style(str(attack), row["told"])
            ax.errorbar(row["published"], row["here"], yerr=error, elinewidth=1, **style)
        highest = int((each["published"] >= high_end).sum())
        note: dict[str, Any] = {"xy": (0.955, 0.47), "ha": "left", "fontsize": 11, "rotation": 90}
        ax.annotate(f"{highest} at 0.95 or more", **note)
        ax.set(title=f"{measure} of {attack} (n = {len(each)})", xlim=(0.45, 1.03))
        ax.set(ylim=(0.45, 1.03), aspect="equal", xticks=(0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
    figure.supxlabel("printed in the paper", fontsize=12)
    figure.supylabel("ours, on the surrogate", fontsize=12)
    _explain_verdicts(figure)
    plt.show()


def show_noise(rows: pd.DataFrame, printed: str) -> None:
    """Draw the mean AUC of each attack against the scale of the noise, by unit of privacy.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of games, as `attacks` returns them: a row of panels for each dataset. Event-level
        noise is on the left, user-day noise on the right.
    printed : str
        The paper's figure, such as "fig8", whose printed values are marked.

    Returns
    -------
    None
    """
    marks = _published_aucs(printed, "scale", rows)
    units = {"event": "event-level", "user-day": "user-day"}
    means = summaries.means(rows, ["data", "unit", "attack", "scale"], "AUC").reset_index()
    keys = [(name, unit) for name in rows["data"].unique() for unit in units]
    means["panel"] = list(zip(means["data"], means["unit"], strict=True))
    means = means.sort_values("panel", key=lambda each: each.map(keys.index), kind="stable")
    means["panel"] = [f"{_short(name)},\n{units[unit]} noise" for name, unit in means["panel"]]
    axes = figures.intervals(
        means,
        "scale",
        "attack",
        "panel",
        columns=2,
        size=(6.2, 2.2),
        level=0.5,
        xscale="log",
        ylim=(0.42, 1.03),
        xlabel="scale of the noise, Δ / ε",
        ylabel="mean AUC",
        apart=0.06,
        styles={name: figures.line_style(name) | {"markersize": 5} for name in ATTACKS} | _SUM,
    )
    for (name, unit), ax in zip(keys, axes.values(), strict=True):
        ax.set_title(ax.get_title(loc="left"), fontsize=11)
        _mark_published(ax, marks[(marks["data"] == name) & marks["unit"].isin(["", unit])])
    figures.finish(axes)


def show_by_setting(rows: pd.DataFrame, xlabel: str) -> None:
    """Draw paired differences as dots with 95% intervals: a row for each setting.

    Parameters
    ----------
    rows : pandas.DataFrame
        A row for each dot. Columns: data (a panel each), setting, attack (decides the colour),
        mean, "95% low", "95% high" and "p (Holm)"; `_fill_significant` says what the last one does.
    xlabel : str
        Label of the horizontal axis.

    Returns
    -------
    None
    """
    names, settings = rows["data"].unique(), list(dict.fromkeys(rows["setting"]))
    size = (6.4, 0.27 * len(settings) + 1.5)
    figure, axes = plt.subplots(1, len(names), figsize=size, sharex=True, sharey=True)
    attackers = list(dict.fromkeys(rows["attack"]))
    for ax, name in zip(axes, names, strict=True):
        for i, attack in enumerate(attackers):
            each = rows[(rows["data"] == name) & (rows["attack"] == attack)]
            at = each["setting"].map(settings.index) + 0.3 * (i - (len(attackers) - 1) / 2)
            ends = [each["mean"] - each["95% low"], each["95% high"] - each["mean"]]
            style = figures.line_style(attack) | {"linestyle": "", "markersize": 4.5}
            ax.errorbar(each["mean"], at, xerr=ends, capsize=2, markerfacecolor="white", **style)
            _fill_significant(ax, each["mean"], at, each, style, across=True)
        ax.axvline(0, color="black", linewidth=1, linestyle=":", marker="")
        ax.set_title(_short(name).replace(" (", "\n("), fontsize=10)
    axes[0].set_yticks(range(len(settings)), settings)
    axes[0].invert_yaxis()
    figure.supxlabel(xlabel, fontsize=12)
    if len(attackers) > 1:
        handles = axes[0].get_legend_handles_labels()
        figure.legend(*handles, loc="outside upper center", ncols=2, fontsize=10)
    plt.show()


def show_differences(rows: pd.DataFrame, x: str, xlabel: str, ylabel: str) -> None:
    """Draw mean differences with their 95% intervals against a setting; no difference is dotted.

    Parameters
    ----------
    rows : pandas.DataFrame
        A row for each point. Columns: data (a panel each), attack (a line each), `x`, mean,
        "95% low", "95% high" and perhaps "p (Holm)"; `_fill_significant` says what the last one
        does.
    x : str
        Column of the setting; its values are drawn at equal distances, in the rows' order.
    xlabel, ylabel : str
        Labels of the axes.

    Returns
    -------
    None
    """
    settings = list(dict.fromkeys(rows[x]))
    numbered = rows.assign(place=rows[x].map(settings.index))
    low, high = rows["95% low"].min(), rows["95% high"].max()
    margin = 0.08 * (high - low)
    tested, attackers = "p (Holm)" in rows, list(dict.fromkeys(rows["attack"]))
    hollow = {"markerfacecolor": "white", "markersize": 5}
    styles = {name: figures.line_style(name) | hollow for name in attackers} if tested else _SUM
    axes = figures.intervals(
        numbered,
        "place",
        "attack",
        "data",
        size=(6.2, 1.9),
        level=0,
        ylim=(low - margin, high + margin),
        xlabel=xlabel,
        ylabel=ylabel,
        apart=0.12,
        styles=styles,
    )
    for data, ax in axes.items():
        ax.set_xticks(range(len(settings)), [str(each).removesuffix(".0") for each in settings])
        for i, name in enumerate(attackers if tested else []):
            each = numbered[(numbered["data"] == data) & (numbered["attack"] == name)]
            at = each["place"] + 0.12 * (i - (len(attackers) - 1) / 2)
            _fill_significant(ax, at, each["mean"], each, styles[name])
    figures.finish(axes)


def _fill_significant(
    ax: Any, x: pd.Series, y: pd.Series, rows: pd.DataFrame, style: Any, across: bool = False
) -> None:
    """Fill the markers of differences that are significant after Holm's correction.

    An asterisk stands at the upper end of an interval that excludes 0 before the correction only.
    With `across`, intervals are horizontal.
    """
    after = rows["p (Holm)"] < 0.05
    before = (rows["95% low"] > 0) | (rows["95% high"] < 0)
    filled = {"linestyle": "", "label": None, "zorder": 5, "markerfacecolor": style["color"]}
    ax.plot(x[after], y[after], **style | filled)
    for i in rows.index[before & ~after]:
        high = rows.loc[i, "95% high"]
        place, shift = ((high, y[i]), (5, -2)) if across else ((x[i], high), (0, -1))
        ax.annotate(
            "*",
            place,
            shift,
            textcoords="offset points",
            ha="center",
            va="center_baseline" if across else "bottom",
        )


def show_deviations(points: pd.DataFrame, source: str, setting: str, xlabel: str) -> None:
    """Draw our means minus those of a table of the paper, with 95% intervals of the differences.

    A hollow marker is consistent with the printed mean, a grey one undecided, and a marker filled
    with the attacker's colour inconsistent.

    Parameters
    ----------
    points : pandas.DataFrame
        As `lib.papers.scoreboard.agreement` gives it: index claim; columns published, here, half
        (of the interval) and told.
    source : str
        The table, such as "Table 3".
    setting : str
        What differs from row to row of the table, such as "k".
    xlabel : str
        Label of the horizontal axis.

    Returns
    -------
    None
    """
    printed, told = claims.published("zk").query("source == @source"), points["told"].to_dict()
    of_table = printed.join(points[["here", "half"]], how="inner")
    at = [str(each[setting]).removeprefix("top") for each in of_table["setting"]]
    ticks = list(dict.fromkeys(at))
    names = list(_STANDS_FOR)
    figure, axes = plt.subplots(len(names), 1, figsize=(6.2, 4.9), sharex=True, sharey=True)
    for (claim, row), place in zip(of_table.iterrows(), at, strict=True):
        attack, ax = row["setting"]["attack"], axes[names.index(row["dataset"])]
        x = ticks.index(place) + (0.1 if attack == "ZK" else -0.1)
        style = _verdict_style(attack, str(told[claim]))
        ax.errorbar(x, row["here"] - row["value"][0], yerr=row["half"], capsize=3, **style)
    for name, ax in zip(names, axes, strict=True):
        ax.axhline(0, color="black", linewidth=1, linestyle=":", marker="")
        ax.set(title=figures.label(_STANDS_FOR[name]), ylabel="ours − printed")
    axes[-1].set_xticks(range(len(ticks)), [each.removesuffix(".0") for each in ticks])
    axes[-1].set_xlabel(xlabel)
    _explain_verdicts(figure)
    plt.show()


def show_steps(
    paths: Mapping[str, Sequence[float]], levels: Mapping[str, float], ylabel: str
) -> None:
    """Draw the values of an iteration step by step, with horizontal lines to compare them with.

    Parameters
    ----------
    paths : mapping of str to sequence of float
        Name of each iteration to its values, the starting value first.
    levels : mapping of str to float
        Name to height of each horizontal line.
    ylabel : str
        Label of the vertical axis.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6, 3.2))
    for (name, values), color, marker in zip(
        paths.items(), ("black", "#777777"), "^v", strict=True
    ):
        style: dict[str, Any] = {"color": color, "linestyle": "-", "marker": marker}
        ax.plot(values, markersize=5, linewidth=1.3, label=name, **style)
    for (name, height), line in zip(levels.items(), ("--", ":"), strict=False):
        ax.axhline(height, color="black", linewidth=1.3, linestyle=line, marker="", label=name)
    ax.set(xlabel="step", ylabel=ylabel)
    handles = ax.get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2, fontsize=11)
    plt.show()


def show_unit_differences(rows: pd.DataFrame, near: float, xlabel: str) -> None:
    """Draw the AUC under noise for a day minus that under noise for a visit, at the same scale.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of games under both units, with the columns data, attack, unit, scale, target and AUC.
    near : float
        Half the width of the grey band around 0.
    xlabel : str
        Label of the horizontal axis.

    Returns
    -------
    None
    """
    by, names = ["data", "scale", "attack"], list(rows["data"].unique())
    found: Any = summaries.differences(rows, by, "AUC", ["target"], "unit", "user-day", "event")
    scales = {name: sorted(found.loc[name].index.unique("scale")) for name in names}
    heights = [len(scales[name]) for name in names]
    figure, axes = plt.subplots(
        len(names), 1, figsize=(6.2, 0.85 * sum(heights) + 1.5), sharex=True, height_ratios=heights
    )
    for ax, name in zip(axes, names, strict=True):
        ax.axvspan(-near, near, color="#999999", alpha=0.25, linewidth=0)
        for i, (attack, style) in enumerate(_FOUR.items()):
            of_attack = found.loc[name].xs(attack, level="attack").loc[scales[name]]
            ends = [of_attack["mean"] - of_attack["95% low"]]
            ends.append(of_attack["95% high"] - of_attack["mean"])
            at = np.arange(len(of_attack)) + 0.19 * (i - 1.5)
            style = style | {"linestyle": "", "label": attack}
            ax.errorbar(of_attack["mean"], at, xerr=ends, capsize=3, **style)
        ax.axvline(0, color="black", linewidth=1, linestyle=":", marker="")
        ax.set_yticks(range(len(scales[name])), [f"scale {each:g}" for each in scales[name]])
        ax.set(ylim=(len(scales[name]) - 0.5, -0.5), title=figures.label(name))
        ax.grid(visible=False, axis="y")
    axes[-1].set_xlabel(xlabel)
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=4, fontsize=11)
    plt.show()


def show_four(rows: pd.DataFrame, x: str, xlabel: str, scale: str = "linear") -> None:
    """Draw the mean AUC of each of the four attacks against `x`, with 95% intervals over targets.

    No line joins the marks of the occupied cells, which are not counted at every `x`.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of games with the columns data, attack, target, AUC and `x`: a panel for each dataset.
    x : str
        Column of the horizontal axis.
    xlabel : str
        Its label.
    scale : {"linear", "log"}
        Its scale.

    Returns
    -------
    None
    """
    means = summaries.means(rows, ["data", "attack", x], "AUC").reset_index()
    order = {name: i for i, name in enumerate([*rows["data"].unique(), *_FOUR])}
    keys = [means[column].map(order) for column in ("data", "attack")]
    means = means.iloc[np.lexsort([means[x], keys[1], keys[0]])]
    unjoined = {"occupied cells": _FOUR["occupied cells"] | {"linestyle": "none"}}
    axes = figures.intervals(
        means,
        x,
        "attack",
        "data",
        size=(6.2, 2.1),
        level=0.5,
        xscale=scale,
        ylim=(0.42, 1.03),
        xlabel=xlabel,
        ylabel="mean AUC",
        ticks=True,
        apart=0.04 * np.ptp(rows[x]) / 5 if scale == "linear" else 0.06,
        styles=_FOUR | unjoined,
    )
    figures.finish(axes, 4)


SHARED = "#BBBBBB"  # a printed value that is about both attackers


def _mark_published(ax: Any, marks: pd.DataFrame) -> None:
    """Mark printed AUCs in the attacker's colour; one that is about both attackers is grey.

    A mean and a bound with the same value are drawn beside each other.
    """
    for _, same in marks.groupby(["at", "auc"]):
        point, signs = same.iloc[0][["at", "auc"]].tolist(), list(dict.fromkeys(same["sign"]))
        for i, sign in enumerate(signs):
            attackers = same.loc[same["sign"] == sign, "attack"].unique()
            color = figures.color(attackers[0]) if len(attackers) == 1 else SHARED
            across, up = ax.transData.transform(point)
            across += 24 * (i - (len(signs) - 1) / 2)
            x, _ = ax.transData.inverted().transform((across, up))
            figures.mark_published(ax, x, point[1], color, sign)


def _published_aucs(figure: str, x: str, rows: pd.DataFrame) -> pd.DataFrame:
    """The AUCs of KK and of ZK that the text prints for a figure: where, value and sign.

    A value for both units of privacy has the unit "". Without a figure there are no values.
    """
    columns = ["data", "unit", "at", "attack", "auc", "sign"]
    if not figure:
        return pd.DataFrame(columns=columns)
    of_figure = claims.published("zk").query("kind == 'number' and quantity == 'mean AUC'")
    found = []
    for _, row in of_figure[of_figure.index.str.startswith(f"zk-{figure}-")].iterrows():
        where, attack = row["setting"], str(row["setting"]["attack"]).partition(" ")[0]
        at = _published_place(x, where, rows[rows["data"] == _STANDS_FOR[row["dataset"]]])
        if at is not None and where["attack"] in ("KK", "ZK", "ZK (PS)", "ZK (IS)"):
            place = [_STANDS_FOR[row["dataset"]], where.get("unit", ""), at]
            found.append([*place, attack, row["value"][0], row["op"][0]])
    return pd.DataFrame(found, columns=columns)


def _published_place(x: str, where: dict[str, Any], rows: pd.DataFrame) -> float | None:
    """Where on the axis a printed value stands; a bound for several values at the last one."""
    if x == "share" and "target_visits" not in where:
        return float(where["p_known"]) if isinstance(where["p_known"], float) else None
    if x in ("k", "epsilon"):
        return float(where[x]) if isinstance(where.get(x), int | float) else None
    if x == "scale" and "noise_scale" in where:
        return float(str(where["noise_scale"]).removeprefix("<="))
    if x == "scale" and isinstance(where.get("unit"), str):
        epsilon = float(str(where["epsilon"]).removeprefix("<="))
        same = rows[(rows["unit"] == where["unit"]) & (rows["epsilon"] == epsilon)]
        return float(same["scale"].iloc[0])
    return None


def show_pairs(games: pd.DataFrame, note: str = "", printed: str = "") -> None:
    """Draw the AUC of both attackers against ε, trained on pairs and on independent groups.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.pairs`.
    note : str
        Appended to the label of the horizontal axis.
    printed : str
        The paper's figure, such as "fig10", whose printed values are marked.

    Returns
    -------
    None
    """
    marks = _published_aucs(printed, "epsilon", games)
    means = summaries.means(games, ["data", "attacker", "groups", "epsilon"], "AUC")
    labels: dict[str, Any] = {"xlabel": "ε of a user's day" + note, "ylabel": "mean AUC"}
    by = ["attacker", "groups"]
    axes = figures.intervals(means, "epsilon", by, "data", size=(6, 3.2), level=0.5, **labels)
    for data, ax in axes.items():
        _mark_published(ax, marks[marks["data"] == data])
    figures.finish(axes, 2)


def show_sizes(games: pd.DataFrame, attack: str = "ZK") -> None:
    """Draw the mean AUC of an attack against the group size: a line for each release.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `experiments.sizes` and `experiments.noisy_sizes`: a panel for each dataset.
    attack : str
        "KK" or "ZK".

    Returns
    -------
    None
    """
    games = games[games["attacker"] == attack]
    games = games.assign(release=games["release"].str.replace("epsilon", "ε"))
    axes = figures.intervals(
        summaries.means(games, ["data", "release", "m"], "AUC"),
        "m",
        "release",
        "data",
        size=(5.5, 2.3),
        level=0.5,
        xscale="log",
        xlabel="users in a group",
        ylabel=f"mean AUC of {attack}",
        ticks=True,
    )
    for data, ax in axes.items():
        lines: Any = zip(*ax.get_legend_handles_labels(), strict=True)
        colors = {name: line[0].get_color() for line, name in lines}
        colors["raw"] = "white"
        for (release, size), auc in published_sizes(str(data), attack).items():
            figures.mark_published(ax, size, auc, colors[release])
    list(axes.values())[-1].tick_params(axis="x", labelrotation=45)
    figures.finish(axes)


def published_sizes(data: str, attack: str) -> dict[tuple[str, int], float]:
    """Look up the mean AUCs of Tables 6 to 9.

    Parameters
    ----------
    data : str
        "callers" or "tweeters-zk", which stand in for the paper's data; none for others.
    attack : str
        "KK" or "ZK".

    Returns
    -------
    dict
        Release and group size to mean AUC.
    """
    tables = {"callers": ("cdr", 6, 8), "tweeters-zk": ("milan", 7, 9)}
    if data not in tables:
        return {}
    short, *numbers = tables[data]
    found = {}
    for release, number in zip(("raw", "k = 1"), numbers, strict=True):
        start = f"zk-tab{number}-{short}-{attack.lower()}-auc-m"
        for name, values in claims.published("zk")["value"].items():
            if str(name).startswith(start):
                found[release, int(str(name).removeprefix(start))] = values[0]
    return found


def show_leads(rows: pd.DataFrame, offers: Sequence[tuple[str, float]], note: str = "") -> None:
    """Draw the paired differences of the sum, ZK and KK, a row of panels for each dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of games with the columns data, attack, unit, level, target and AUC.
    offers : sequence of (str, float)
        Unit and level of each defense, from top to bottom.
    note : str
        Written below the panels.

    Returns
    -------
    None
    """
    pairs = (("sum", "ZK"), ("sum", "KK"), ("ZK", "KK"))
    by, names = ["data", "unit", "level"], rows["data"].unique()
    size = (6.6, 1.9 * len(names) + 0.9)
    figure, axes = plt.subplots(
        len(names), len(pairs), figsize=size, sharex=True, sharey="row", squeeze=False
    )
    places = -np.arange(len(offers))
    for column, (first, second) in enumerate(pairs):
        found: Any = summaries.differences(rows, by, "AUC", ["target"], "attack", first, second)
        for ax, name in zip(axes[:, column], names, strict=True):
            for place, (unit, level) in zip(places, offers, strict=True):
                row = found.loc[(name, unit, level)]
                ends = [[row["mean"] - row["95% low"]], [row["95% high"] - row["mean"]]]
                ax.errorbar(row["mean"], place, xerr=ends, capsize=3, **_UNITS[unit])
            ax.axvline(0, color="black", linewidth=1, linestyle=":", marker="")
            ax.set_yticks(places, [describe(*offer) for offer in offers])
            ax.set_ylim(places[-1] - 0.6, 0.6)
        better = f"← {second} | {first} →"  # whose AUC is higher on this side of 0
        axes[-1, column].set_xlabel(f"{first} minus {second}\n{better}", fontsize=11)
    for ax, name in zip(axes[:, 0], names, strict=True):
        ax.set_title(figures.label(name))
    handles, labels = axes[0, 0].get_legend_handles_labels()
    key = dict(zip((label.replace("day", "noise: day") for label in labels), handles, strict=True))
    figure.legend(key.values(), key, loc="outside upper center", ncols=len(key), fontsize=10)
    if note:
        figure.supxlabel(note.strip(), fontsize=10)
    plt.show()


def show_rivals(
    found: Any, names: Sequence[str], offers: Sequence[tuple[str, float]], attack: str
) -> None:
    """Draw an attack's lead over the best of the other attacks, which each row names.

    Parameters
    ----------
    found : pandas.DataFrame
        As `best_rivals` returns it.
    names : sequence of str
        Datasets, a panel each.
    offers : sequence of (str, float)
        Unit and level of each defense, from top to bottom.
    attack : str
        Name of the attack.

    Returns
    -------
    None
    """
    size = (6.4, 0.33 * len(offers) + 1.3)
    figure, axes = plt.subplots(
        1, len(names), figsize=size, sharex=True, sharey=True, squeeze=False
    )
    places = -np.arange(len(offers))
    for ax, name in zip(axes[0], names, strict=True):
        for place, offer in zip(places, offers, strict=True):
            row = found.loc[(name, *offer)]
            ends = [[row["mean"] - row["95% low"]], [row["95% high"] - row["mean"]]]
            style = _UNITS[offer[0]] | {"label": None}
            ax.errorbar(row["mean"], place, xerr=ends, capsize=3, **style)
            at = {"transform": ax.get_yaxis_transform(), "ha": "right", "va": "center"}
            ax.text(0.98, place, row["rival"], fontsize=11, **at)
        ax.axvline(0, color="black", linewidth=1, linestyle=":", marker="")
        ax.set_yticks(places, [describe(*offer) for offer in offers])
        ax.set_title(figures.label(name).replace(" (", "\n("), fontsize=11)
    low, high = axes[0, 0].get_xlim()
    axes[0, 0].set_xlim(low, high + 0.3 * (high - low))  # room for the names
    figure.supxlabel(f"AUC: {attack} minus the attack named at the right", fontsize=11)
    plt.show()


def show_protection(
    found: Any, scales: pd.DataFrame, flat: Mapping[str, float], near: float
) -> None:
    """Draw the best attack's mean AUC beside the cost of the release, sorted by the AUC.

    A best attack is named only where it is not the number of occupied cells.

    Parameters
    ----------
    found : pandas.DataFrame
        As `prices` returns it, with the rows to show.
    scales : pandas.DataFrame
        Scale of the noise. Index: the defense, as `describe` names it; a column for each dataset.
    flat : mapping of str to float
        Dataset to the share of counts that is moved if all cells have the same count.
    near : float
        AUC below which the left panels are grey.

    Returns
    -------
    None
    """
    size = (6.4, 3.5 * len(flat))
    _, axes = plt.subplots(len(flat), 2, figsize=size, sharex="col", squeeze=False)
    for (left, right), (name, share) in zip(axes, flat.items(), strict=True):
        rows = found.loc[name].sort_values("mean")
        exceptions = rows["attack"].where(rows["attack"] != "occupied cells", "")
        _show_best(left, rows.assign(attack=exceptions), near)
        left.set_yticks(range(len(rows)), _with_scales(rows.index, scales[name]))
        left.set_title(figures.label(name), fontsize=11)
        _show_moved(right, rows, share)
        for place, moved in enumerate(rows["cells moved"]):
            right.text(0.02, place, f"{moved:.0%}", va="center", fontsize=11)
        right.set(yticks=[], ylim=left.get_ylim())
        beside = {"rotation": 90, "ha": "right", "va": "center", "fontsize": 11}
        right.text(share - 0.02, len(rows) - 2.5, f"flat release: {share:.0%}", **beside)
    axes[-1, 0].set_xlabel("AUC of the best attack")
    axes[-1, 1].set_xlabel("share in the wrong cell")
    plt.show()


def show_prices(found: Any, names: Sequence[str]) -> None:
    """Draw the best attack's mean AUC beside the share of counts moved, a row for each defense.

    All panels have the same order, by the AUC's mean over the datasets, and name the best attacks.

    Parameters
    ----------
    found : pandas.DataFrame
        As `prices` returns it.
    names : sequence of str
        Datasets, two panels each.

    Returns
    -------
    None
    """
    size = (5.6, 3.2 * len(names))
    _, axes = plt.subplots(len(names), 2, figsize=size, sharex="col", sharey="row", squeeze=False)
    mean_aucs = found.loc[list(names)].groupby(level=["unit", "level"])["mean"].mean()
    order = mean_aucs[list(OFFERS)].sort_values().index
    for (left, right), name in zip(axes, names, strict=True):
        rows = found.loc[name].loc[order]
        _show_best(left, rows)
        left.set_title(figures.label(name))
        _show_moved(right, rows)
    axes[-1, 0].set_xlabel("AUC of the best attack")
    axes[-1, 1].set_xlabel("share in the wrong cell")
    plt.show()


def _show_best(ax: Any, rows: Any, near: float = 0.0) -> None:
    """Draw the best attacks' mean AUC and interval, a row for each defense, from the bottom."""
    if near:
        ax.axvspan(0, near, color="#999999", alpha=0.25, linewidth=0)
    for place, ((unit, _), row) in enumerate(rows.iterrows()):
        ends = [[row["mean"] - row["95% low"]], [row["95% high"] - row["mean"]]]
        ax.errorbar(row["mean"], place, xerr=ends, capsize=3, **_UNITS[unit] | {"label": None})
        low = row["mean"] > 0.75  # then there is more room to the left
        at = row["95% low"] - 0.015 if low else row["95% high"] + 0.015
        ax.text(at, place, row["attack"], ha="right" if low else "left", va="center", fontsize=10)
    ax.axvline(0.5, color="black", linewidth=1, linestyle=":", marker="")
    ax.set_yticks(range(len(rows)), [describe(*offer) for offer in rows.index])
    ax.set_xlim(0.45, 1.03)


def _show_moved(ax: Any, rows: Any, flat: float | None = None) -> None:
    """Draw bars of the share of counts in the wrong cell, a row for each defense."""
    ax.barh(range(len(rows)), rows["cells moved"], color="#BBBBBB")
    if flat is not None:
        ax.axvline(flat, color="black", linewidth=1.5, linestyle="--", marker="")
    shares = [0, 0.25, 0.5, 0.75, 1]
    ax.set_xticks(shares, [f"{share:.0%}" for share in shares], fontsize=9)
    ax.set(xlim=(0, 1.03))
    ax.grid(visible=False, axis="y")


_UNITS: dict[str, dict[str, Any]] = {
    unit: {"label": label, "marker": marker, "color": color, "linestyle": ""}
    for unit, label, marker, color in (
        ("suppressed", "suppressed", "o", "#000000"),
        ("event", "noise: visit", "s", "#555555"),
        ("user-day", "day", "^", "#777777"),
        ("user", "whole user", "D", "#999999"),
    )
}

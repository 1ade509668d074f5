"""Figures and tables of Knock-Knock's defenses, from rows of `defense_experiments`.

A mechanism has one colour in all of them, which `lib.papers.figures` defines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib import metrics
from lib.mechanisms import Gaussian, Mechanism, gaussian_delta
from lib.papers import figures, summaries
from lib.papers.figures import color
from lib.papers.knock_knock.defense_claims import published_gains
from lib.papers.knock_knock.defense_experiments import BOUNDS, gains
from lib.papers.knock_knock.figures import titled

PRIVACY_UNITS = {
    "LPA(Δ/ε)": "one user",
    "GSM": "one user",
    "FPA": "one user in one ROI",
    "EFPAG": "one user in one ROI",
    "LPA(1/ε)": "one visit",
}
FOR_A_USER = tuple(PRIVACY_UNITS)[:4]
DEFENSE = ["data", "mechanism", "ε"]
ATTACKERS = ("passive", "strategic")
BOUND = list(BOUNDS)[1]  # that of the chapter's tables


# -- tables for readers: "0.84 [0.80, 0.88]" -------------------------------------------------------


def bracketed(means: pd.DataFrame, digits: int = 2, most: float = np.inf) -> pd.Series:
    """Means with their intervals as text; intervals end at `most` at the latest."""
    ends = means.assign(**{"95% high": means["95% high"].clip(upper=most)})
    return summaries.texts(ends, digits)


def by_column(
    means: pd.DataFrame, level: str, digits: int = 2, most: float = np.inf
) -> pd.DataFrame:
    """Means with intervals, a column for each value of one of the labels."""
    table = bracketed(means, digits, most).unstack(level, sort=False).rename(index=titled)
    if level == "ε":
        table = table.rename(columns=lambda epsilon: f"ε = {epsilon:g}")
    return table.rename(columns=titled).rename_axis(columns=None).fillna("")


def sensitivity(spent: pd.DataFrame) -> pd.DataFrame:
    """What decides about noise: the busiest user's visits, the most places of one, the median."""
    names = {"Δ": "Δ, most visits", "most ROIs of a user": "k, most places"}
    return spent[[*names, "median visits"]].rename(columns=names, index=titled)


def noise(mechanisms: Mapping[str, Mechanism], n_epochs: int = 168) -> pd.DataFrame:
    """For whom each mechanism's promise is, and the noise of one count, a row a mechanism."""
    rows = {}
    for label, each in mechanisms.items():
        mechanism: Any = each
        normal = hasattr(mechanism, "delta")
        deviation: Any = mechanism.scale * (1 if normal else 2**0.5)
        if label == "FPA":  # a real first coefficient, and others of which each count takes twice
            kept = np.arange(min(mechanism.kappa, n_epochs // 2 + 1))
            alone = (kept == 0) | (2 * kept == n_epochs)
            deviation *= float(np.where(alone, 1, 4).sum() / n_epochs) ** 0.5
        if label == "EFPAG":
            deviation = f"at most {deviation:.4g}"
        rows[label] = {
            "promise is for": PRIVACY_UNITS[label],
            "sensitivity": mechanism.sensitivity,
            "noise": "Gaussian" if normal else "Laplace",
            "standard deviation of a count": deviation,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("mechanism")


def delivered(epsilons: Sequence[float], delta: float) -> pd.DataFrame:
    """What GSM's printed constant delivers of a promised δ, and the noise it would take: a row a
    budget."""
    rows = {}
    for epsilon in epsilons:
        printed, exact = Gaussian(epsilon, delta), Gaussian(epsilon, delta, calibration="analytic")
        needed = exact.scale / printed.scale
        rows[f"{epsilon:g}"] = {
            "δ if she joins or leaves": printed.delivered_delta,
            "δ if she is swapped": gaussian_delta(epsilon, printed.scale / 2**0.5),
            "noise needed / printed, joins": needed,
            "needed / printed, swapped": needed * 2**0.5,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("ε")


def spent_under_fpa(spent: pd.DataFrame) -> pd.DataFrame:
    """What users spend under FPA of a promised 1, a row a dataset."""
    table = spent.set_index("data").filter(like="FPA, ")
    table = table.rename(columns=lambda name: name.removeprefix("FPA, "))
    table.insert(0, "promised ε", 1.0)
    worst = spent.set_index("data")["most ROIs of a user"] ** 0.5
    return table.assign(**{"worst case, √k": worst})


def spent_under_efpag(spent: pd.DataFrame) -> pd.DataFrame:
    """What users spend under EFPAG of a promised 1, a row a dataset."""
    rows = spent.set_index("data")
    choices, worst = rows["EFPAG, choices"], (1 + rows["most ROIs of a user"] ** 0.5) / 2
    table = pd.DataFrame({"promised ε": 1.0, "noise": 0.5, "choices, largest of a user": choices})
    return table.assign(both=0.5 + choices, **{"worst case": worst})


def spent(rows: pd.DataFrame) -> pd.DataFrame:
    """What decides about noise, and the most a user spends of a promised 1, a row a dataset."""
    fpa, efpag, given = spent_under_fpa(rows), spent_under_efpag(rows), rows.set_index("data")
    table = {
        "Δ, most visits": given["Δ"],
        "k, most places": given["most ROIs of a user"],
        "FPA: largest": fpa["largest of a user"],
        "users above 1": fpa["users above 1"],
        "EFPAG: at most": efpag["both"],
    }
    return pd.DataFrame(table).rename(index=titled)


def floor_table(truncated: pd.DataFrame, empty: pd.DataFrame) -> pd.DataFrame:
    """MRE of FPA without noise and of an empty table: a column a dataset.

    truncated  rows of `truncation` with the κ that is used, and no other
    """
    rows = [truncated.assign(mechanism="FPA, no noise"), empty.assign(mechanism="every count 0")]
    return by_column(summaries.means(pd.concat(rows), ["data", "mechanism"], BOUND), "data", 3)


def auc_table(rows: pd.DataFrame, epsilon: float, n_groups: int) -> pd.DataFrame:
    """Mean AUC of both attackers at one budget: a row a mechanism, two columns a dataset.

    The last row: guessing, and where 95% of means over as many guesses are.
    """
    table = _of_attackers(rows, epsilon, "AUC")
    half = 1.96 * _guess_spread(n_groups) / _n_targets(rows) ** 0.5
    table.loc["guessing"] = summaries.in_brackets(0.5, 0.5 - half, 0.5 + half)
    return table


def _guess_spread(n_groups: int) -> float:
    """The standard deviation of the AUC of scores that say nothing."""
    half = n_groups // 2
    return float(((2 * half + 1) / (12 * half**2)) ** 0.5)


def _n_targets(rows: pd.DataFrame) -> int:
    return int(rows.groupby("data")["target"].nunique().min())


def _of_attackers(rows: pd.DataFrame, epsilon: float, value: str) -> pd.DataFrame:
    means = summaries.means(rows[rows["ε"] == epsilon], ["data", "attacker", "mechanism"], value)
    table = bracketed(means, most=1).unstack(["data", "attacker"], sort=False)
    pairs_of: Any = table.columns
    table.columns = [f"{titled(data)}, {attacker}" for data, attacker in pairs_of]
    return table


def pairs(rows: pd.DataFrame) -> pd.DataFrame:
    """AUC of the strategic less that of the passive attacker, on the same releases."""
    of = ["target"], "attacker", "strategic", "passive"
    return summaries.differences(rows, DEFENSE, "AUC", *of)


def extremes(pairs: pd.DataFrame, n_most: int = 2, n_least: int = 3) -> pd.DataFrame:
    """The largest and the smallest differences of `pairs`, with how many targets they are over."""
    ordered = pairs.sort_values("mean", ascending=False, kind="stable")
    ends = pd.concat([ordered.head(n_most), ordered.iloc[n_most:].tail(n_least)])
    table = ends[["n"]].rename(columns={"n": "targets"})
    table.insert(0, "strategic less passive", bracketed(ends))
    names = [f"{titled(data)}, {mechanism}, ε = {e:g}" for data, mechanism, e in ends.index]
    return table.set_axis(pd.Index(names, name="behind"))


def attackers_table(rows: pd.DataFrame, by: str) -> pd.DataFrame:
    """AUC of both attackers and their paired difference, a row for each value of `by`."""
    rows = rows.assign(**{by: rows[by].map(lambda value: f"{value:g}" if by == "ε" else value)})
    table = by_column(summaries.means(rows, [by, "attacker"], "AUC"), "attacker", most=1)
    of = ["target"], "attacker", "strategic", "passive"
    less = bracketed(summaries.differences(rows, [by], "AUC", *of)).rename(index=titled)
    n = rows.groupby(by, sort=False)["target"].nunique().rename(index=titled)
    return table.assign(**{"strategic less passive": less, "targets": n})


def matching_table(attacks: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Mean AUC of those who train, of matching, and of matching with labels by coin."""
    return by_column(summaries.means(attacks, [*by, "attacker"], "AUC"), "attacker", most=1)


def repair_table(
    errors: pd.DataFrame, attacks: pd.DataFrame, empty: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Printed and kept promises: the error, how many times it grows, and the best attack's AUC.

    errors   one budget's rows, of mechanisms as printed and kept ("GSM", "GSM, kept")
    attacks  rows of `all_attacks`, of the same
    empty    rows of `empty_errors`, which need the data; they get a line of their own
    """
    mre = errors.set_index(["data", "mechanism", "release"])[BOUND].unstack("mechanism")
    found = attacks[attacks["attacker"] != "matching coins"]
    aucs = summaries.means(found, ["data", "mechanism", "attacker"], "AUC").sort_index()
    labels = [label for label in errors["mechanism"].unique() if label.endswith(", kept")]
    rows = {}
    for data in errors["data"].unique():
        for kept in labels:
            printed, of = kept.removesuffix(", kept"), mre.loc[data]
            rows[titled(data), printed] = {
                "error, as printed": _with_interval(of[printed]),
                "error, promise held": _with_interval(of[kept]),
                "times": _with_interval(of[kept] / of[printed]),
                "best attack, as printed": _best(aucs.loc[(data, printed)]),
                "best attack, promise held": _best(aucs.loc[(data, kept)]),
            }
        if empty is not None:
            of_zeros = empty.loc[empty["data"] == data, BOUND]
            rows[titled(data), "zeros"] = {"error, as printed": _with_interval(of_zeros)}
    table = pd.DataFrame.from_dict(rows, orient="index").fillna("")
    return table.rename_axis(["data", "mechanism"])


def _with_interval(values: pd.Series) -> str:
    """Mean and interval as text; empty where a ratio has nothing to divide by."""
    kept = values.replace(np.inf, np.nan).dropna().to_numpy()
    if len(kept) < 2:
        return ""
    return summaries.in_brackets(kept.mean(), *metrics.mean_interval(kept))


def _best(means: pd.DataFrame) -> str:
    best = str(means["mean"].idxmax())
    return f"{bracketed(means, most=1)[best]} {best}"


# -- tables of the replication ---------------------------------------------------------------------


def by_budget(means: pd.DataFrame | pd.Series) -> pd.DataFrame:
    """The means of a table that has ε as its last label: a column for each."""
    values = means["mean"] if isinstance(means, pd.DataFrame) else means
    table = values.unstack("ε", sort=False)
    return table.add_prefix("ε = ").rename_axis(columns=None)


def under_both_bounds(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Mean errors over releases with intervals, by the reading of the sanity bound and `by`."""
    each = {bound: summaries.means(rows, by, bound) for bound in BOUNDS}
    return pd.concat(each, names=["γ"])


def clipping(errors: pd.DataFrame) -> pd.DataFrame:
    """How many times larger the mean error is before counts are rounded and clipped."""
    means = errors.groupby(["counts", *DEFENSE], sort=False)[BOUND].mean()
    return by_budget(means["unclipped"] / means["clipped"])


def mean_gains(games: pd.DataFrame) -> pd.DataFrame:
    """Mean gain over targets with its interval, mean gain as printed and mean AUC."""
    rows, keys = gains(games), ["attacker", *DEFENSE]
    means = rows.groupby(keys, sort=False)[["PG as printed", "AUC"]].mean().add_prefix("mean ")
    return summaries.means(rows, keys, "PG").join(means)


# -- figures ---------------------------------------------------------------------------------------


def show_attackers(members: np.ndarray, scores: Mapping[str, np.ndarray]) -> None:
    """Two attackers' scores of the same releases, a panel each; above 0 they say "in"."""
    axes = plt.subplots(len(scores), 1, figsize=(6, 4.2), sharex=True, sharey=True)[1]
    for ax, (who, each) in zip(axes, scores.items(), strict=True):
        for label, member, hatch in (("without Fay", 0, ""), ("with Fay", 1, "//")):
            drawn = (each[members == member] / each.std()).clip(-4, 4)
            ax.hist(drawn, np.linspace(-4, 4, 33), alpha=0.6, label=label, hatch=hatch)
        ax.axvline(0, color="black", linewidth=1.5, linestyle="--", marker="")
        ax.set(title=who, ylabel="releases")
    axes[-1].set_xlabel("score, over its spread; right of the dashed line she says: in")
    axes[0].legend(loc="upper left")
    plt.show()


def show_mechanisms(
    series: np.ndarray, released: Mapping[str, np.ndarray], hours: int = 96
) -> None:
    """One place's counts and what each mechanism makes of them, a panel each."""
    figure, axes = plt.subplots(len(released), 1, figsize=(6, 6.6), sharex=True, sharey=True)
    for ax, (label, each) in zip(axes, released.items(), strict=True):
        ax.fill_between(range(hours), series[:hours], color="#BBBBBB", step="mid", label="raw")
        ax.plot(range(hours), each[:hours], color=color(label), marker="", linewidth=1.8)
        ax.set_title(label)
    axes[-1].set_xlabel("hours since the week began; grey: the raw counts")
    figure.supylabel("users")
    plt.show()


def show_errors(errors: pd.DataFrame, empty: pd.DataFrame) -> None:
    """Draw the mean relative error against ε, a panel for the first and the last dataset.

    Parameters
    ----------
    errors, empty : pandas.DataFrame
        Rows of `experiments.errors`, and of `experiments.empty_errors` (dotted lines).

    Returns
    -------
    None
    """
    nothing = empty.groupby("data")[BOUND].mean()
    means = _first_and_last(summaries.means(errors, DEFENSE, BOUND))
    axes = _against_budget(means, "data", 2.3, ylabel="mean relative error", yscale="log")
    for name, ax in axes.items():
        ax.axhline(nothing[name], color="black", linewidth=1.5, linestyle=":", marker="")
    figures.finish(axes)


def show_aucs(rows: pd.DataFrame) -> None:
    """Draw the mean AUC against ε: a row of panels for each attacker, a column for a dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `experiments.gains` returns them; the first and the last dataset are drawn.

    Returns
    -------
    None
    """
    means = _first_and_last(summaries.means(rows, ["attacker", *DEFENSE], "AUC"))
    panels = ["attacker", "data"]
    limits = {"level": 0.5, "ylim": (0.3, 1.04)}
    figures.finish(_against_budget(means, panels, 2.2, ylabel="mean AUC", **limits))


def show_pairs(differences: pd.DataFrame) -> None:
    """Draw the strategic minus the passive attacker's AUC against ε, a panel for each dataset.

    Parameters
    ----------
    differences : pandas.DataFrame
        As `pairs` returns it.

    Returns
    -------
    None
    """
    label = "AUC, strategic less passive"
    axes = _against_budget(differences, "data", 2.5, ylabel="", level=0)
    next(iter(axes.values())).figure.supylabel(label)
    figures.finish(axes)


def show_gains(means: pd.DataFrame, data: str, n_groups: int) -> None:
    """Draw the mean privacy gain against ε, a panel for each attacker; dotted: guessing's gain.

    Stars are the gains that the paper prints.

    Parameters
    ----------
    means : pandas.DataFrame
        As `mean_gains` returns it.
    data : str
        Name of the dataset.
    n_groups : int
        Number of groups, half of them with the target.

    Returns
    -------
    None
    """
    means = means[means.index.get_level_values("data") == data]
    floor = metrics.guessing_gain(n_groups // 2, n_groups // 2)
    options = {"level": floor, "ylim": (-0.1, 1.15), "columns": 1}
    panels = ["attacker", "data"]
    axes = _against_budget(means, panels, 2.7, ylabel="privacy gain", **options)
    printed: Any = published_gains() if data == "cabspotting" else pd.Series(dtype=float)
    for (attacker, mechanism), gain in printed.items():
        figures.mark_published(axes[attacker, data], 10, gain, color(mechanism))
    figures.finish(axes)


def _first_and_last(means: pd.DataFrame) -> pd.DataFrame:
    """The means of the first and the last dataset: two panels can be read on a phone."""
    names = means.index.unique("data")
    return means[means.index.get_level_values("data").isin([names[0], names[-1]])]


def _against_budget(
    means: pd.DataFrame, panels: str | list[str], height: float, ylabel: str, **options: Any
) -> dict[Any, Any]:
    """Means against ε, a line for each mechanism, moved apart a little."""
    drawn: dict[str, Any] = {"columns": 2, "size": (6.4, height), "xscale": "log", "apart": 0.12}
    drawn |= {"xlabel": "ε (points moved apart)", "ylabel": ylabel}
    return figures.intervals(means, "ε", "mechanism", panels, **drawn | options)

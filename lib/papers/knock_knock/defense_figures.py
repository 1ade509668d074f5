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
from lib.papers.knock_knock.defense_claims import printed_gains
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
    """Format means with their intervals, such as "0.84 [0.80, 0.88]".

    Parameters
    ----------
    means : pandas.DataFrame
        Means with intervals, as `lib.papers.summaries.means` returns them.
    digits : int
        Decimals.
    most : float
        Upper limit of the intervals.

    Returns
    -------
    pandas.Series of str
        Index of the means.
    """
    ends = means.assign(**{"95% high": means["95% high"].clip(upper=most)})
    return summaries.texts(ends, digits)


def by_column(
    means: pd.DataFrame, level: str, digits: int = 2, most: float = np.inf
) -> pd.DataFrame:
    """Make a table of means with intervals, with a column for each value of one index level.

    Parameters
    ----------
    means : pandas.DataFrame
        Means with intervals, as `lib.papers.summaries.means` returns them.
    level : str
        Name of that index level.
    digits : int
        Decimals.
    most : float
        Upper limit of the intervals.

    Returns
    -------
    pandas.DataFrame
        Text; empty where there is nothing.
    """
    table = bracketed(means, digits, most).unstack(level, sort=False)
    if "data" in table.index.names:
        table = table.rename(index=titled, level="data")
    if level == "ε":
        table = table.rename(columns=lambda epsilon: f"ε = {epsilon:g}")
    elif level == "data":
        table = table.rename(columns=titled)
    return table.rename_axis(columns=None).fillna("")


def sensitivity(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of what decides about the scale of noise, a row for each dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `defense_experiments.effective_epsilons`.

    Returns
    -------
    pandas.DataFrame
        Δ (visits of the most active user), k (most places of a user), median visits.
    """
    names = {"Δ": "Δ, most visits", "most ROIs of a user": "k, most places"}
    return rows[[*names, "median visits"]].rename(columns=names, index=titled)


def noise(mechanisms: Mapping[str, Mechanism], n_epochs: int = 168) -> pd.DataFrame:
    """Make a table of the unit of privacy of each mechanism and of its noise on one count.

    Parameters
    ----------
    mechanisms : mapping of str to lib.mechanisms.Mechanism
        Mechanisms by name.
    n_epochs : int
        Number of epochs of a release.

    Returns
    -------
    pandas.DataFrame
        A row for each mechanism: unit of privacy, sensitivity, distribution, standard deviation.
    """
    rows = {}
    for label, each in mechanisms.items():
        mechanism: Any = each
        normal = hasattr(mechanism, "delta")
        deviation: Any = mechanism.scale * (1 if normal else 2**0.5)
        if label == "FPA":  # a real first coefficient, and others of which each count takes twice
            frequency = np.arange(min(mechanism.kappa, n_epochs // 2 + 1))
            alone = (frequency == 0) | (2 * frequency == n_epochs)
            deviation *= float(np.where(alone, 1, 4).sum() / n_epochs) ** 0.5
        if label == "EFPAG":
            deviation = f"at most {deviation:.4g}"
        rows[label] = {
            "unit of privacy": PRIVACY_UNITS[label],
            "sensitivity": mechanism.sensitivity,
            "noise": "Gaussian" if normal else "Laplace",
            "standard deviation of a count": deviation,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("mechanism")


def delivered(epsilons: Sequence[float], delta: float) -> pd.DataFrame:
    """Make a table of the δ that GSM's printed constant delivers, and of the noise it would take.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy budgets.
    delta : float
        The nominal δ.

    Returns
    -------
    pandas.DataFrame
        A row for each budget: δ and the factor of the noise, under add/remove and replace-one
        neighbours.
    """
    rows = {}
    for epsilon in epsilons:
        printed, exact = Gaussian(epsilon, delta), Gaussian(epsilon, delta, calibration="analytic")
        needed = exact.scale / printed.scale
        rows[f"{epsilon:g}"] = {
            "δ, add/remove": printed.delivered_delta,
            "δ, replace-one": gaussian_delta(epsilon, printed.scale / 2**0.5),
            "noise needed / printed, add/remove": needed,
            "needed / printed, replace-one": needed * 2**0.5,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("ε")


def effective_epsilon_of_fpa(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the users' effective ε under FPA for a nominal ε of 1, by dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `defense_experiments.effective_epsilons`.

    Returns
    -------
    pandas.DataFrame
        The largest under add/remove and replace-one, the number of users above 1, the worst case.
    """
    table = rows.set_index("data").filter(like="FPA, ")
    table = table.rename(columns=lambda name: name.removeprefix("FPA, "))
    table.insert(0, "nominal ε", 1.0)
    worst = rows.set_index("data")["most ROIs of a user"] ** 0.5
    return table.assign(**{"worst case, √k": worst})


def effective_epsilon_of_efpag(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of bounds on effective ε under EFPAG for a nominal ε of 1, by dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `defense_experiments.effective_epsilons`.

    Returns
    -------
    pandas.DataFrame
        The parts of the noise and of the choice of κ, their sum, the worst case.
    """
    found = rows.set_index("data")
    choices, worst = found["EFPAG, choices"], (1 + found["most ROIs of a user"] ** 0.5) / 2
    table = pd.DataFrame({"nominal ε": 1.0, "noise": 0.5, "choices, largest of a user": choices})
    return table.assign(both=0.5 + choices, **{"worst case": worst})


def effective_epsilon_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of sensitivities and effective ε for a nominal ε of 1, a row for each dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `defense_experiments.effective_epsilons`.

    Returns
    -------
    pandas.DataFrame
        Visits, places, and the largest effective ε under FPA and EFPAG.
    """
    fpa, efpag, given = (
        effective_epsilon_of_fpa(rows),
        effective_epsilon_of_efpag(rows),
        rows.set_index("data"),
    )
    table = {
        "Δ, most visits": given["Δ"],
        "k, most places": given["most ROIs of a user"],
        "FPA: largest": fpa["largest of a user"],
        "users above 1": fpa["users above 1"],
        "EFPAG: at most": efpag["both"],
    }
    return pd.DataFrame(table).rename(index=titled)


def floor_table(truncated: pd.DataFrame, empty: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the MRE of FPA without noise and of a release of zeros, by dataset.

    Parameters
    ----------
    truncated : pandas.DataFrame
        Rows of `defense_experiments.truncation` for the κ in use only.
    empty : pandas.DataFrame
        Rows of `defense_experiments.empty_errors`.

    Returns
    -------
    pandas.DataFrame
        Text.
    """
    rows = [truncated.assign(mechanism="FPA, no noise"), empty.assign(mechanism="every count 0")]
    table = figures.table(pd.concat(rows), ["mechanism"], BOUND, "data", digits=3)
    return table.rename(columns=titled)


def auc_table(rows: pd.DataFrame, epsilon: float, n_groups: int) -> pd.DataFrame:
    """Make a table of the mean AUC of both attackers at one budget.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `defense_experiments.gains`.
    epsilon : float
        Privacy budget.
    n_groups : int
        Number of groups in a game, half of them with the target.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each mechanism, two columns for each dataset. The last row has the chance
        level and the interval of 95% of the means over the same number of random scores.
    """
    at = rows[rows["ε"] == epsilon]
    at = at.assign(columns=at["data"].map(titled) + ", " + at["attacker"])
    table = figures.table(at, ["mechanism"], "AUC", "columns", within=(-np.inf, 1.0))
    half = 1.96 * _guess_spread(n_groups) / _n_targets(rows) ** 0.5
    table.loc["guessing"] = summaries.in_brackets(0.5, 0.5 - half, 0.5 + half)
    return table


def _guess_spread(n_groups: int) -> float:
    """Standard deviation of the AUC of uninformative scores."""
    half = n_groups // 2
    return float(((2 * half + 1) / (12 * half**2)) ** 0.5)


def _n_targets(rows: pd.DataFrame) -> int:
    return int(rows.groupby("data")["target"].nunique().min())


def pairs(rows: pd.DataFrame) -> pd.DataFrame:
    """Compute the strategic minus the passive attacker's AUC, paired by target and release.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `defense_experiments.gains`.

    Returns
    -------
    pandas.DataFrame
        Columns of `lib.papers.summaries.means`; index data, mechanism, ε.
    """
    of = ["target"], "attacker", "strategic", "passive"
    return summaries.differences(rows, DEFENSE, "AUC", *of)


def extremes(pairs: pd.DataFrame, n_most: int = 2, n_least: int = 3) -> pd.DataFrame:
    """Make a table of the largest and the smallest differences of `pairs`.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `pairs` returns it.
    n_most, n_least : int
        Numbers of the largest and of the smallest differences.

    Returns
    -------
    pandas.DataFrame
        Text: the difference and its number of targets.
    """
    ordered = pairs.sort_values("mean", ascending=False, kind="stable")
    ends = pd.concat([ordered.head(n_most), ordered.iloc[n_most:].tail(n_least)])
    table = ends[["n"]].rename(columns={"n": "targets"})
    table.insert(0, "strategic minus passive", bracketed(ends))
    names = [f"{titled(data)}, {mechanism}, ε = {e:g}" for data, mechanism, e in ends.index]
    return table.set_axis(pd.Index(names, name="under"))


def attackers_table(rows: pd.DataFrame, by: str) -> pd.DataFrame:
    """Make a table of the AUC of both attackers and of their paired difference.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `defense_experiments.gains`.
    by : str
        Name of the table's rows.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each value of `by`.
    """
    rows = rows.assign(**{by: rows[by].map(lambda value: f"{value:g}" if by == "ε" else value)})
    table = figures.table(
        rows, [by], "AUC", "attacker", within=(-np.inf, 1.0), pairs=[("strategic", "passive")]
    )
    table = table.rename(columns={"strategic - passive": "strategic minus passive"})
    return table.assign(targets=rows.groupby(by, sort=False)["target"].nunique())


def matching_table(attacks: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Make a table of the mean AUC of training, of matching, and of matching with random labels.

    Parameters
    ----------
    attacks : pandas.DataFrame
        Rows of `defense_experiments.all_attacks`.
    by : sequence of str
        Names of the table's rows.

    Returns
    -------
    pandas.DataFrame
        Text; a column for each attacker.
    """
    return figures.table(attacks, by, "AUC", "attacker", within=(-np.inf, 1.0))


def repair_table(
    errors: pd.DataFrame, attacks: pd.DataFrame, empty: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Compare printed with calibrated mechanisms: error, its ratio, and the best attack's AUC.

    Parameters
    ----------
    errors : pandas.DataFrame
        Rows of one budget of mechanisms as printed and calibrated ("GSM" and "GSM, kept").
    attacks : pandas.DataFrame
        Rows of `defense_experiments.all_attacks` for the same mechanisms.
    empty : pandas.DataFrame, optional
        Rows of `defense_experiments.empty_errors`, which need the data; they get a row of their
        own.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each dataset and mechanism.
    """
    mre = errors.set_index(["data", "mechanism", "release"])[BOUND].unstack("mechanism")
    found = attacks[attacks["attacker"] != "matching coins"]
    aucs = summaries.means(found, ["data", "mechanism", "attacker"], "AUC").sort_index()
    labels = [label for label in errors["mechanism"].unique() if label.endswith(", kept")]
    rows = {}
    for data in errors["data"].unique():
        for calibrated in labels:
            printed, of = calibrated.removesuffix(", kept"), mre.loc[data]
            rows[titled(data), printed] = {
                "error, as printed": _with_interval(of[printed]),
                "error, calibrated": _with_interval(of[calibrated]),
                "times": _with_interval(of[calibrated] / of[printed]),
                "best attack, as printed": _best(aucs.loc[(data, printed)]),
                "best attack, calibrated": _best(aucs.loc[(data, calibrated)]),
            }
        if empty is not None:
            of_zeros = empty.loc[empty["data"] == data, BOUND]
            rows[titled(data), "zeros"] = {"error, as printed": _with_interval(of_zeros)}
    table = pd.DataFrame.from_dict(rows, orient="index").fillna("")
    return table.rename_axis(["data", "mechanism"])


def _with_interval(values: pd.Series) -> str:
    """Mean and interval as text; empty if ratios have no finite value."""
    finite = values.replace(np.inf, np.nan).dropna().to_numpy()
    if len(finite) < 2:
        return ""
    return summaries.in_brackets(finite.mean(), *metrics.mean_interval(finite))


def _best(means: pd.DataFrame) -> str:
    best = str(means["mean"].idxmax())
    return f"{bracketed(means, most=1)[best]} {best}"


# -- tables of the replication ---------------------------------------------------------------------


def by_budget(means: pd.DataFrame | pd.Series) -> pd.DataFrame:
    """Put the budgets of a table in columns.

    Parameters
    ----------
    means : pandas.DataFrame or pandas.Series
        Means whose last index level is ε.

    Returns
    -------
    pandas.DataFrame
        A column for each budget.
    """
    values = means["mean"] if isinstance(means, pd.DataFrame) else means
    table = values.unstack("ε", sort=False)
    return table.add_prefix("ε = ").rename_axis(columns=None)


def under_both_bounds(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Compute mean errors over releases under both interpretations of the sanity bound.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `defense_experiments.errors`.
    by : list of str
        Names of the table's rows.

    Returns
    -------
    pandas.DataFrame
        Columns of `lib.papers.summaries.means`; index γ, then `by`.
    """
    each = {bound: summaries.means(rows, by, bound) for bound in BOUNDS}
    return pd.concat(each, names=["γ"])


def clipping(errors: pd.DataFrame) -> pd.DataFrame:
    """Compute how many times larger the mean error is before counts are rounded and clipped.

    Parameters
    ----------
    errors : pandas.DataFrame
        Rows of `defense_experiments.errors`.

    Returns
    -------
    pandas.DataFrame
        A row for each dataset and mechanism, a column for each budget.
    """
    means = errors.groupby(["counts", *DEFENSE], sort=False)[BOUND].mean()
    return by_budget(means["unclipped"] / means["clipped"])


def mean_gains(games: pd.DataFrame) -> pd.DataFrame:
    """Compute the mean privacy gain over targets with its interval.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `defense_experiments.games`.

    Returns
    -------
    pandas.DataFrame
        Columns of `lib.papers.summaries.means`, mean PG as printed, mean AUC.
    """
    rows, keys = gains(games), ["attacker", *DEFENSE]
    means = rows.groupby(keys, sort=False)[["PG as printed", "AUC"]].mean().add_prefix("mean ")
    return summaries.means(rows, keys, "PG").join(means)


# -- figures ---------------------------------------------------------------------------------------


def show_attackers(members: np.ndarray, scores: Mapping[str, np.ndarray]) -> None:
    """Draw histograms of two attackers' scores of the same releases, a panel each.

    Parameters
    ----------
    members : numpy.ndarray of {0, 1}, shape (n,)
        1 for releases with the target.
    scores : mapping of str to numpy.ndarray of shape (n,)
        Name of the attacker to scores; above 0 the attacker answers "member".

    Returns
    -------
    None
    """
    axes = plt.subplots(len(scores), 1, figsize=(6, 4.2), sharex=True, sharey=True)[1]
    for ax, (attacker, each) in zip(axes, scores.items(), strict=True):
        for label, member, hatch in (("without Fay", 0, ""), ("with Fay", 1, "//")):
            drawn = (each[members == member] / each.std()).clip(-4, 4)
            ax.hist(drawn, np.linspace(-4, 4, 33), alpha=0.6, label=label, hatch=hatch)
        ax.axvline(0, color="black", linewidth=1.5, linestyle="--", marker="")
        ax.set(title=attacker, ylabel="releases")
    axes[-1].set_xlabel("score over its standard deviation; above 0 the attacker answers: in")
    axes[0].legend(loc="upper left")
    plt.show()


def show_mechanisms(
    series: np.ndarray, released: Mapping[str, np.ndarray], hours: int = 96
) -> None:
    """Draw one place's counts and their release under each mechanism, a panel each.

    Parameters
    ----------
    series : numpy.ndarray, shape (n_epochs,)
        Raw counts.
    released : mapping of str to numpy.ndarray of shape (n_epochs,)
        Name of the mechanism to released counts.
    hours : int
        Number of hours that are drawn.

    Returns
    -------
    None
    """
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
    label = "AUC, strategic minus passive"
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
    guessing = metrics.guessing_gain(n_groups // 2, n_groups // 2)
    options = {"level": guessing, "ylim": (-0.1, 1.15), "columns": 1}
    panels = ["attacker", "data"]
    axes = _against_budget(means, panels, 2.7, ylabel="privacy gain", **options)
    for attacker, mechanism, epsilon, gain in printed_gains(data):
        figures.mark_published(axes[attacker, data], epsilon, gain, color(mechanism))
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

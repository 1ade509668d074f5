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
from lib.papers.knock_knock.figures import star_of_legend, titled

PRIVACY_UNITS = {
    "LPA(Δ/ε)": "one user",
    "GSM": "one user",
    "FPA": "one user at one place",
    "EFPAG": "one user at one place",
    "LPA(1/ε)": "one visit",
}
DEFENSE = ["data", "mechanism", "ε"]
ATTACKERS = ("passive", "strategic")
BOUND = list(BOUNDS)[1]  # that of the chapters' tables
RANDOM_LABELS = "matching, random labels"
EVENT_LEVEL = "LPA(1/ε)"
ENDS = ("95% low", "95% high")


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
        Text; a row for each mechanism: unit of privacy, nominal guarantee, sensitivity (L1 for
        Laplace, L2 for the others), distribution, standard deviation of the noise on one count.
    """
    rows = {}
    for label, each in mechanisms.items():
        mechanism: Any = each
        normal = hasattr(mechanism, "delta")
        nominal = f"ε = {mechanism.epsilon:g}" + (f", δ = {mechanism.delta:g}" if normal else "")
        deviation = _plain_digits(_deviation_on_one_count(label, mechanism, n_epochs))
        rows[label] = {
            "unit of privacy": PRIVACY_UNITS[label],
            "guarantee": nominal,
            "Δ1 or Δ2": _plain_digits(mechanism.sensitivity),
            "distribution": "Gaussian" if normal else "Laplace",
            "standard deviation on one count": f"at most {deviation}"
            if label == "EFPAG"
            else deviation,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("mechanism")


def _deviation_on_one_count(label: str, mechanism: Any, n_epochs: int) -> float:
    """Standard deviation of a mechanism's noise on one count; under EFPAG its largest value."""
    if hasattr(mechanism, "delta"):
        return float(mechanism.scale)
    deviation = float(mechanism.scale) * 2**0.5
    if label == "FPA":  # a real first coefficient, and others of which each count takes twice
        frequency = np.arange(min(mechanism.kappa, n_epochs // 2 + 1))
        alone = (frequency == 0) | (2 * frequency == n_epochs)
        deviation *= float(np.where(alone, 1, 4).sum() / n_epochs) ** 0.5
    return deviation


def _plain_digits(value: float) -> str:
    """Three significant digits without an exponent; a whole number keeps no decimals."""
    if value == round(value):
        return f"{value:.0f}"
    text = np.format_float_positional(value, precision=3, unique=False, fractional=False)
    return text.rstrip(".")


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
        Text; a row for each budget: δ, and the factor by which the noise would have to be
        multiplied, under add/remove and replace-one neighbours.
    """
    rows = {}
    for epsilon in epsilons:
        printed, exact = Gaussian(epsilon, delta), Gaussian(epsilon, delta, calibration="analytic")
        needed = exact.scale / printed.scale
        found = {
            "δ, add": printed.delivered_delta,
            "δ, replace": gaussian_delta(epsilon, printed.scale / 2**0.5),
            "factor, add": needed,
            "factor, replace": needed * 2**0.5,
        }
        rows[f"{epsilon:g}"] = {name: f"{value:.3g}" for name, value in found.items()}
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
        Δ (most visits of a user), k (most places of a user), and the largest effective ε under FPA
        and EFPAG.
    """
    fpa, efpag, given = (
        effective_epsilon_of_fpa(rows),
        effective_epsilon_of_efpag(rows),
        rows.set_index("data"),
    )
    table = {
        "Δ": given["Δ"],
        "k": given["most ROIs of a user"],
        "FPA, largest": fpa["largest of a user"],
        "FPA, users above 1": fpa["users above 1"],
        "EFPAG, largest bound": efpag["both"],
    }
    return pd.DataFrame(table).rename(index=titled)


def errors_table(errors: pd.DataFrame, baselines: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Make a table of mean relative errors, a column for each budget.

    Parameters
    ----------
    errors : pandas.DataFrame
        Rows of `defense_experiments.errors`.
    baselines : mapping of str to pandas.DataFrame
        Title to the MRE of releases without a budget: columns data and that of `BOUND`.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each dataset and mechanism, and for each dataset and baseline. A check mark
        follows a mean that is below that of the first baseline.
    """
    budgets = errors["ε"].unique()
    rows = [errors[["data", "mechanism", "ε", BOUND]]]
    for title, each in baselines.items():
        rows += [each[["data", BOUND]].assign(mechanism=title, **{"ε": e}) for e in budgets]
    found = pd.concat(rows)
    means = found.groupby(DEFENSE, sort=False)[BOUND].mean().unstack("ε", sort=False)
    baseline = means.xs(next(iter(baselines)), level="mechanism")
    below = means.lt(baseline.reindex(means.index, level="data"))
    table = means.map(_three_digits) + below.replace({True: " ✓", False: ""})
    table = table.rename(columns="ε = {:g}".format, index=titled).rename_axis(columns=None)
    order = [(titled(data), name) for data in errors["data"].unique() for name in _names(found)]
    return table.reindex([row for row in order if row in table.index])[_budget_titles(budgets)]


def significant(means: pd.DataFrame) -> pd.Series:
    """Format means with their intervals in three significant digits, since errors differ so much.

    Parameters
    ----------
    means : pandas.DataFrame
        Means with intervals, as `lib.papers.summaries.means` returns them.

    Returns
    -------
    pandas.Series of str
        Index of the means.
    """
    return means.apply(_significant, axis=1)


def _significant(row: pd.Series) -> str:
    """A mean with its interval in three significant digits, since errors differ so much."""
    mean, low, high = (_three_digits(row[name]) for name in ("mean", *ENDS))
    return f"{mean} [{low}, {high}]"


def _three_digits(value: float) -> str:
    return f"{value:#.3g}".rstrip(".")


def _names(rows: pd.DataFrame) -> list[str]:
    return list(rows["mechanism"].unique())


def _budget_titles(budgets: np.ndarray) -> list[str]:
    return [f"ε = {epsilon:g}" for epsilon in sorted(budgets)]


def trained_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the AUC of both trained attackers and of their paired difference.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of one budget of `defense_experiments.gains`.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each dataset and mechanism.
    """
    limits = {"within": (-np.inf, 1.0), "pairs": [("strategic", "passive")]}
    table = figures.table(rows, ["data", "mechanism"], "AUC", "attacker", **limits)  # type: ignore[arg-type]
    return table.rename(columns={"strategic - passive": "difference"})


def highest_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the largest mean AUC of both attackers, a row for each dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `defense_experiments.gains` for some mechanisms, GSM among them.

    Returns
    -------
    pandas.DataFrame
        Text; under GSM at the largest ε for each attacker, under the other mechanisms at this ε,
        and under all mechanisms at smaller ε (empty if there is none).
    """
    found = {}
    for data, of_data in rows.groupby("data", sort=False):
        means = of_data.groupby(["attacker", "mechanism", "ε"])["AUC"].mean().reset_index()
        largest, gsm = means["ε"] == means["ε"].max(), means["mechanism"] == "GSM"
        by_attacker = means[largest & gsm].set_index("attacker")["AUC"]
        parts = {f"GSM, {attacker}": by_attacker[attacker] for attacker in ATTACKERS}
        parts["other mechanisms"] = means.loc[largest & ~gsm, "AUC"].max()
        parts["all, at smaller ε"] = means.loc[~largest, "AUC"].max()
        found[titled(str(data))] = parts
    table = pd.DataFrame(found).T.rename_axis("data")
    return table.map(lambda auc: "" if np.isnan(auc) else f"{auc:.2f}")


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
    """Make a table of the mean AUC of both trained attackers and of matching with both labels.

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


def calibrated_matching_table(attacks: pd.DataFrame) -> pd.DataFrame:
    """Compare the AUC of matching under mechanisms as printed and calibrated.

    Parameters
    ----------
    attacks : pandas.DataFrame
        Rows of one budget of `defense_experiments.all_attacks`.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each dataset and mechanism that has both kinds of noise.
    """
    rows = attacks[attacks["attacker"] == "matching"]
    calibrated = rows["mechanism"].str.endswith(", calibrated")
    rows = rows.assign(
        mechanism=rows["mechanism"].str.removesuffix(", calibrated"),
        noise=np.where(calibrated, "calibrated", "as printed"),
    )
    rows = rows[rows["mechanism"].isin(rows.loc[calibrated, "mechanism"])]
    return figures.table(rows, ["data", "mechanism"], "AUC", "noise", within=(-np.inf, 1.0))


def zeros_from_bounds(bounds: pd.DataFrame) -> pd.DataFrame:
    """Compute the MRE of a release of zeros from stored rows about the sanity bound.

    With a bound of 0.5 users, zeros err by 1 in each cell that is not empty, so that their MRE is
    the share p of such cells. Two stored means determine it: over all cells, 1 / max(0.5, count)
    has the mean x = 2 (1 - p) + p y, where y is the mean of 1 / count over cells above 0.

    Parameters
    ----------
    bounds : pandas.DataFrame
        Rows of `defense_experiments.sanity_bounds`.

    Returns
    -------
    pandas.DataFrame
        A row for each release. Columns: data, release, the MRE with a bound of 0.5 users.
    """
    rows = bounds[bounds["ROIs"] == "all"]
    x = rows.pivot_table("x", ["data", "release"], "γ")
    share = (2 - x[BOUND]) / (2 - x["cells above 0 only"])
    return share.rename(BOUND).reset_index()


def calibration_table(errors: pd.DataFrame, empty: pd.DataFrame) -> pd.DataFrame:
    """Compare the errors of mechanisms as printed and calibrated with that of zeros.

    Parameters
    ----------
    errors : pandas.DataFrame
        Rows of one budget of mechanisms as printed and calibrated ("GSM" and "GSM, calibrated").
    empty : pandas.DataFrame
        The MRE of releases of zeros, for the same datasets.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each dataset and mechanism: both errors, their ratio, the error of zeros.
    """
    mre = errors.set_index(["data", "mechanism", "release"])[BOUND].unstack("mechanism")
    labels = [label for label in errors["mechanism"].unique() if label.endswith(", calibrated")]
    rows = {}
    for data in errors["data"].unique():
        zeros = empty.loc[empty["data"] == data, BOUND]
        for calibrated in labels:
            printed = calibrated.removesuffix(", calibrated")
            before, after = mre.loc[data, printed], mre.loc[data, calibrated]
            rows[titled(data), printed] = {
                "error, as printed": _mean(before),
                "error, calibrated": _mean(after),
                "times": _mean(after / before),
                "zeros": _mean(zeros),
            }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["data", "mechanism"])


def _mean(values: pd.Series) -> str:
    """Mean of the finite values with two decimals; empty if there is none."""
    finite = values.replace(np.inf, np.nan).dropna()
    return f"{finite.mean():.2f}" if len(finite) else ""


def _calibrated_errors(errors: pd.DataFrame, printed: str) -> dict[str, str]:
    """Errors of a mechanism as printed and calibrated, and their ratio, of one dataset."""
    calibrated = f"{printed}, calibrated"
    return {
        "error, as printed": _with_interval(errors[printed]),
        "error, calibrated": _with_interval(errors[calibrated]),
        "times": _with_interval(errors[calibrated] / errors[printed]),
    }


def repair_table(errors: pd.DataFrame, attacks: pd.DataFrame) -> pd.DataFrame:
    """Compare printed with calibrated mechanisms: error, its ratio, and the best attack's AUC.

    Parameters
    ----------
    errors : pandas.DataFrame
        Rows of one budget of mechanisms as printed and calibrated ("GSM" and "GSM, calibrated").
    attacks : pandas.DataFrame
        Rows of `defense_experiments.all_attacks` for the same mechanisms.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each dataset and mechanism.
    """
    mre = errors.set_index(["data", "mechanism", "release"])[BOUND].unstack("mechanism")
    found = attacks[attacks["attacker"] != RANDOM_LABELS]
    aucs = summaries.means(found, ["data", "mechanism", "attacker"], "AUC").sort_index()
    labels = [label for label in errors["mechanism"].unique() if label.endswith(", calibrated")]
    rows = {}
    for data in errors["data"].unique():
        for calibrated in labels:
            printed = calibrated.removesuffix(", calibrated")
            rows[titled(data), printed] = _calibrated_errors(mre.loc[data], printed) | {
                "best attack, as printed": _best(aucs.loc[(data, printed)]),
                "best attack, calibrated": _best(aucs.loc[(data, calibrated)]),
            }
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


def show_bounds(
    fpr: np.ndarray,
    most: Mapping[float, np.ndarray],
    attack: tuple[float, float],
    limit: np.ndarray,
    delta: float,
    points: Mapping[float, float],
) -> None:
    """Draw the largest TPR that guarantees allow against the FPR, a curve for each ε.

    Parameters
    ----------
    fpr : numpy.ndarray, shape (n,)
        False positive rates.
    most : mapping of float to numpy.ndarray of shape (n,)
        ε to the largest true positive rates, from the smallest ε to the largest.
    attack : (float, float)
        FPR and TPR of an attack on a release with ε = 1 and δ = 0, marked by a cross.
    limit : numpy.ndarray, shape (n,)
        Largest true positive rates of attacks on this release.
    delta : float
        The δ of the curves in `most`.
    points : mapping of float to float
        FPR to the largest TPR for ε = 1: points of this curve that are marked by circles.

    Returns
    -------
    None
    """
    ax = plt.subplots(figsize=(5.6, 5.2))[1]
    styles = figures.LINES[: len(most)][::-1]
    for i, ((epsilon, tpr), style) in enumerate(zip(most.items(), styles, strict=False)):
        line: dict[str, Any] = {"color": figures.COLORS[i % len(figures.COLORS)]}
        width = 3.5 if epsilon == max(most) else 2
        line |= {"linestyle": style, "linewidth": width, "marker": ""}
        ax.plot(fpr, tpr, label=f"ε = {epsilon:g}", **line)
        if epsilon == 1:
            for at, height in points.items():
                circle = {"marker": "o", "markersize": 8, "markerfacecolor": "white", "zorder": 5}
                ax.plot([at], [height], **line | circle)
                _name_point(ax, at, height, line["color"])
    thin: dict[str, Any] = {"linestyle": "-", "linewidth": 1.2, "marker": ""}
    ax.plot(fpr, limit, color="black", **thin)
    ax.plot([0, 1], [0, 1], color="#666666", **thin)
    ax.plot(*attack, color="black", marker="X", markersize=10, linestyle="")
    middle = 0.36
    below: dict[str, Any] = {"va": "top", "fontsize": 11}
    at_middle = (middle, float(np.interp(middle, fpr, limit)))
    _write(ax, "ε = 1, δ = 0", at_middle, (0, -4), **below)
    _write(ax, "attack\non Fay", attack, (9, -1), **below)
    _write(ax, "guessing", (0.66, 0.66), (4, -3), **below, color="#666666")
    arrow = {"arrowstyle": "->", "lw": 0.8, "shrinkB": 4}
    start = f"δ = {delta:g}: up to {100 * delta:g}% of targets\nwithout any false alarm"
    _write(ax, start, (0, delta), (58, -32), arrowprops=arrow)
    ax.set(xlabel="false positive rate", ylabel="true positive rate", ylim=(-0.12, 1.05))
    ax.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    ax.legend(loc="lower right", fontsize=11, title=f"curves with δ = {delta:g}")
    plt.show()


def _name_point(ax: Any, x: float, y: float, color_: str) -> None:
    """Write the height of a point to its left, or where the axis is near to its right."""
    near = x < 0.15
    arrow = {"arrowstyle": "-", "color": color_, "lw": 0.8, "shrinkA": 0, "shrinkB": 4}
    options: dict[str, Any] = {"ha": "right", "color": color_} | (
        {"ha": "left", "arrowprops": arrow} if near else {}
    )
    _write(ax, f"{y:.3f}", (x, y), (36, 36) if near else (-6, 5), **options)


def _write(
    ax: Any, text: str, at: tuple[float, float], shift: tuple[float, float], **style: Any
) -> None:
    """Write a text at an offset, in points, from a position."""
    ax.annotate(text, at, shift, textcoords="offset points", **{"fontsize": 11} | style)


def show_delta(noises: Mapping[float, float]) -> None:
    """Draw the δ that Gaussian noise delivers as an area between two curves, a panel for each ε.

    An arrow is the distance from the peak to the crossing of the curves. An inset in the first
    panel enlarges how far the curves are apart to the right of the crossing.

    Parameters
    ----------
    noises : mapping of float to float
        ε to the standard deviation of the noise, in units of the sensitivity; the smallest ε first.

    Returns
    -------
    None
    """
    figure, grid = plt.subplots(len(noises), 1, figsize=(6.2, 5.6), sharex=True, squeeze=False)
    axes = list(grid.flat)
    x = np.linspace(-2, max(4.0, *(1 / r for r in noises.values())) + 3.5, 2001)
    for ax, (epsilon, r) in zip(axes, noises.items(), strict=True):
        crossing = epsilon * r + 1 / (2 * r)
        _draw_delta(ax, x, epsilon, r, crossing)
        if ax is axes[0]:
            _enlarge_delta(ax.inset_axes((0.76, 0.18, 0.23, 0.35)), x, epsilon, r, crossing)
        ax.set_title(f"ε = {epsilon:g}: shaded area δ = {gaussian_delta(epsilon, r):.4f}")
        ax.set(ylim=(0, 0.56), yticks=[0, 0.2, 0.4])
    place: dict[str, Any] = {"loc": "outside upper center", "ncols": 2, "fontsize": 11}
    figure.legend(*axes[0].get_legend_handles_labels(), **place)
    axes[-1].set_xlabel("release, in standard deviations of the noise")
    plt.show()


def _densities(x: np.ndarray, epsilon: float, r: float) -> tuple[np.ndarray, np.ndarray]:
    """Density of a release with the user, and e^ε times its density without the user."""
    inside = np.exp(-((x - 1 / r) ** 2) / 2) / np.sqrt(2 * np.pi)
    return inside, np.exp(epsilon - x**2 / 2) / np.sqrt(2 * np.pi)


def _draw_delta(ax: Any, x: np.ndarray, epsilon: float, r: float, crossing: float) -> None:
    """Draw both densities of a release at x, the area between them, and where they cross."""
    inside, outside = _densities(x, epsilon, r)
    lines: dict[str, Any] = {"marker": "", "linewidth": 2}
    ax.plot(x, inside, linestyle="-", label="density with the user", **lines)
    lines["label"] = "$e^ε$ times density without the user"
    ax.plot(x[x >= 0], outside[x >= 0], linestyle="--", **lines)  # its peak is above the frame
    shaded = {"color": figures.COLORS[0], "alpha": 0.4, "hatch": "//"}
    ax.fill_between(x, outside, inside, where=inside > outside, **shaded)
    ax.axvline(crossing, color="black", linestyle=":", linewidth=1.5, marker="")
    ax.plot([1 / r] * 2, [0, 0.47], color="black", linestyle=":", linewidth=1.5, marker="")
    arrow = {"arrowstyle": "<->", "shrinkA": 0, "shrinkB": 0, "lw": 1.3}
    ax.annotate("", (crossing, 0.45), (1 / r, 0.45), arrowprops=arrow)
    name = f"εr − 1/(2r) = {crossing - 1 / r:.2f}".replace("-", "−")
    blank: dict[str, Any] = {"bbox": {"color": "white", "pad": 1}}
    if crossing - 1 / r > 1.5:  # the dashed curve runs to the left of the crossing
        _write(ax, name, (crossing, 0.45), (6, 0), va="center", **blank)
    else:
        _write(ax, name, (min(1 / r, crossing), 0.45), (-5, 0), ha="right", va="center", **blank)


def _enlarge_delta(ax: Any, x: np.ndarray, epsilon: float, r: float, crossing: float) -> None:
    """Draw by how much one density exceeds the other, to the right of where they cross."""
    x = x[(x > crossing) & (x < crossing + 2)]
    inside, outside = _densities(x, epsilon, r)
    shaded = {"color": figures.COLORS[0], "alpha": 0.4, "hatch": "//"}
    ax.fill_between(x, inside - outside, **shaded)
    ax.set_title("the shaded\nheight, enlarged", fontsize=10, fontweight="normal")
    ax.tick_params(labelsize=9)
    ax.set(ylim=(0, None))


def show_composition(bounds: pd.DataFrame, exact: pd.DataFrame) -> None:
    """Draw bounds on the effective ε of users, and the exact values, as bars divided by place.

    A wide bar is the bound, the narrow bar below it the exact value; dashed: a nominal ε of 1.
    Users are sorted by their bound, and the places are named above the first.

    Parameters
    ----------
    bounds : pandas.DataFrame
        A row for each user, a column for each place: what the place contributes at most.
    exact : pandas.DataFrame
        What the place contributes exactly; rows and columns as in `bounds`.

    Returns
    -------
    None
    """
    users = bounds.sum(axis=1).sort_values(ascending=False, kind="stable").index
    ax = plt.subplots(figsize=(6.2, 1.1 + 0.62 * len(users)))[1]
    ax.axvline(1, color="black", linestyle="--", linewidth=1.5, marker="", zorder=3)
    for parts, shift, height in ((bounds, -0.12, 0.46), (exact, 0.27, 0.24)):
        at, left = np.arange(len(users)) + shift, np.zeros(len(users))
        for place, color_, hatch in zip(
            parts, figures.COLORS, ("", "//", "..", "xx"), strict=False
        ):
            widths = parts[place].reindex(users).to_numpy(float)
            look: dict[str, Any] = {"color": color_, "hatch": hatch, "edgecolor": "white"}
            ax.barh(at, widths, height, left=left, **look)
            if parts is bounds and widths[0] > 0:
                middle = (left[0] + widths[0] / 2, at[0] - height / 2)
                _write(ax, str(place), middle, (0, 3), ha="center", color=color_)
            left = left + widths
        kind = "at most" if parts is bounds else "exactly"
        for end, height_of_end in zip(left, at, strict=True):
            beside: dict[str, Any] = {"va": "center", "fontsize": 10, "zorder": 4}
            beside["bbox"] = {"color": "white", "pad": 0.5}
            _write(ax, f"{kind} {end:.2f}", (end, height_of_end), (4, 0), **beside)
    ax.set(ylim=(len(users) - 0.4, -0.75), xlim=(0, 1.22 * bounds.sum(axis=1).max()))
    ax.set_yticks(range(len(users)), list(users))
    _write(ax, "nominal ε", (1, len(users) - 0.4), (5, 4), fontsize=10)
    ax.set_xlabel("effective ε")
    plt.show()


def show_calibration(errors: pd.DataFrame, empty: pd.DataFrame, places: Mapping[str, int]) -> None:
    """Draw the mean errors of mechanisms as printed and calibrated, a panel for each dataset.

    Parameters
    ----------
    errors, empty : pandas.DataFrame
        Rows as for `calibration_table`. A dotted line marks the error of releases of zeros.
    places : mapping of str to int
        Dataset to the largest number of places of a user; stands in the title, with ε.

    Returns
    -------
    None
    """
    means = errors.groupby(["data", "mechanism"], sort=False)[BOUND].mean()
    nothing = empty.groupby("data")[BOUND].mean()
    names = errors["data"].unique()
    size = (6.2, 1.35 * len(names) + 0.9)
    axes = plt.subplots(len(names), 1, figsize=size, sharex=True, squeeze=False)[1].flat
    for ax, data in zip(axes, names, strict=True):
        of_data = means[data]
        calibrated = of_data[of_data.index.str.endswith(", calibrated")]
        rows = calibrated.rename(lambda label: label.removesuffix(", calibrated"))
        for row, (name, after) in enumerate(rows.items()):
            style = figures.line_style(str(name)) | {"linestyle": "", "markersize": 9}
            joined = {"color": style["color"], "linestyle": "-", "marker": ""}
            ax.plot([of_data[name], after], [row, row], **joined)
            ax.plot(of_data[name], row, **style | {"markerfacecolor": "white"})
            ax.plot(after, row, **style)
        ax.axvline(nothing[data], color="black", linestyle=":", linewidth=1.5, marker="")
        beside: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
        ax.annotate("zeros", (nothing[data], 1), (5, 0), **beside)
        epsilon = errors.loc[errors["data"] == data, "ε"].max()
        ax.set_title(f"{titled(str(data))}: ε = {epsilon:g}, k = {places[str(data)]}")
        ax.set(xscale="log", ylim=(len(rows) - 0.5, -0.5), yticks=range(len(rows)))
        ax.set_yticklabels(list(rows.index))
    axes[-1].set_xlabel("mean relative error: hollow, paper's noise; filled, calibrated")
    plt.show()


def show_matching(attacks: pd.DataFrame, bounds: Mapping[str, float]) -> None:
    """Draw the mean AUC of three attackers by mechanism, a panel below another for each dataset.

    Parameters
    ----------
    attacks : pandas.DataFrame
        Rows of one budget of `defense_experiments.all_attacks`.
    bounds : mapping of str to float
        By mechanism, the largest AUC that its guarantee allows for one user, drawn as a dashed line
        in the row of the mechanism. A dotted line across all rows marks guessing.

    Returns
    -------
    None
    """
    drawn = attacks[attacks["attacker"] != "passive"]
    means = summaries.means(drawn, ["data", "attacker", "mechanism"], "AUC").reset_index()
    names, mechanisms = means["data"].unique(), list(means["mechanism"].unique())
    figure, axes = plt.subplots(
        len(names),
        1,
        figsize=(6.2, 2.1 * len(names) + 0.7),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for ax, data in zip(axes.flat, names, strict=True):
        for i, attacker in enumerate(means["attacker"].unique()):
            points = means[(means["data"] == data) & (means["attacker"] == attacker)]
            _draw_across(ax, points.set_index("mechanism").loc[mechanisms], attacker, i)
        for mechanism, bound in bounds.items():
            row = mechanisms.index(mechanism)
            ax.vlines(bound, row - 0.45, row + 0.45, color="black", linestyle="--", linewidth=1.5)
            ax.text(bound - 0.01, row, "bound", ha="right", va="center", fontsize=11)
        ax.axvline(0.5, color="black", linestyle=":", linewidth=1, marker="")
        ax.set_title(figures.label(data))
        ax.set(xlim=(0.4, 1.03), xticks=[0.5, 0.6, 0.7, 0.8, 0.9, 1], yticks=range(len(mechanisms)))
        ax.set_yticklabels(mechanisms)
    axes.flat[0].invert_yaxis()
    axes.flat[-1].set_xlabel("mean AUC")
    place: Any = "outside upper center"
    figure.legend(*axes.flat[0].get_legend_handles_labels(), loc=place, ncols=3, fontsize=11)
    plt.show()


def _draw_across(ax: Any, points: pd.DataFrame, attacker: str, i: int) -> None:
    """Draw one attacker's means with intervals, the mechanisms below each other."""
    at = np.arange(len(points)) + (i - 1) * 0.22
    mean, low, high = (points[name].to_numpy(float) for name in ("mean", "95% low", "95% high"))
    style: dict[str, Any] = {"color": figures.COLORS[i], "marker": figures.MARKERS[i]}
    style |= {"markerfacecolor": "white" if attacker == RANDOM_LABELS else figures.COLORS[i]}
    ax.errorbar(mean, at, xerr=[mean - low, high - mean], label=attacker, linestyle="", **style)


def show_similarity(known: np.ndarray, release: np.ndarray, expected: np.ndarray) -> None:
    """Draw three groups and a release in a plane, before and after means are subtracted.

    In the first panel, an arrow leads from the expected release to the release. In the second
    panel, the release is projected onto the direction of each group (dotted).

    Parameters
    ----------
    known : numpy.ndarray, shape (3, 2)
        Raw counts of groups A, B and C in two cells.
    release : numpy.ndarray, shape (2,)
        Released counts.
    expected : numpy.ndarray, shape (2,)
        The mean release.

    Returns
    -------
    None
    """
    axes = plt.subplots(1, 2, figsize=(6.8, 3.8))[1]
    centred, moved = known - known.mean(axis=0), release - expected
    for ax, points, at in zip(axes, (known, centred), (release, moved), strict=True):
        ax.plot(*at, color="black", marker="X", markersize=11, linestyle="")
        ax.annotate("release", at, (6, -18), textcoords="offset points")
        for i, (name, point) in enumerate(zip("ABC", points, strict=True)):
            ax.plot(*point, color=figures.COLORS[i], marker=figures.MARKERS[i], linestyle="")
            ax.annotate(name, point, (7, 4), textcoords="offset points", color=figures.COLORS[i])
        ax.set_aspect("equal")
    for i, point in enumerate(centred):
        unit = point / np.linalg.norm(point)
        line = np.outer((-6, 6), unit)
        axes[1].plot(*line.T, color=figures.COLORS[i], marker="", linewidth=1, zorder=0)
        foot = (moved @ unit) * unit
        axes[1].plot(*np.array([moved, foot]).T, color="#666666", linestyle=":", marker="")
        axes[1].plot(*foot, color=figures.COLORS[i], marker=".", markersize=9, linestyle="")
    for name, point in {"mean group": known.mean(axis=0), "expected release": expected}.items():
        axes[0].plot(*point, color="#666666", marker="+", markersize=11, linestyle="")
        axes[0].annotate(name, point, (0, 9), textcoords="offset points", ha="center", fontsize=11)
    axes[0].annotate("", release, expected, arrowprops={"arrowstyle": "->", "color": "#666666"})
    axes[0].set(title="counts", xlim=(0, 8), ylim=(0, 8), xlabel="cell 1", ylabel="cell 2")
    axes[1].set(title="minus their means", xlim=(-5, 5), ylim=(-5, 5))
    axes[1].set(xlabel="cell 1", ylabel="cell 2")
    plt.show()


def show_dropped(shares: Mapping[str, np.ndarray], titles: Mapping[str, str]) -> None:
    """Draw histograms of the share of the distance between two groups that is left, a panel each.

    Parameters
    ----------
    shares : mapping of str to numpy.ndarray of shape (n,)
        Name of a way to drop waves to the shares, one for each pair of groups and draw.
    titles : mapping of str to str
        The same names to the titles of the panels. The colour of a panel is that of the mechanism
        with which the name begins. A dashed line marks the median.

    Returns
    -------
    None
    """
    size = (6.2, 1.5 * len(shares) + 0.7)
    axes = plt.subplots(len(shares), 1, figsize=size, sharex=True, squeeze=False)[1].flat
    bins = np.linspace(0, max(1, *(each.max() for each in shares.values())), 51)
    for ax, (name, each) in zip(axes, shares.items(), strict=True):
        weights = np.full(len(each), 1 / len(each))
        ax.hist(each, bins, weights=weights, color=color(name.partition(",")[0]))
        ax.axvline(np.median(each), color="black", linestyle="--", linewidth=1.5, marker="")
        ax.set_title(titles[name], fontsize=12)
        ax.set_yticks([])
    axes[-1].set_xlabel("share of the distance between two groups that is left")
    plt.show()


def show_groups(curve: pd.DataFrame) -> None:
    """Draw the AUC of the best test between two groups against the users who differ.

    Parameters
    ----------
    curve : pandas.DataFrame
        Index: number of users; columns mean, least, most (of the test's AUC) and "guarantee
        allows", the largest AUC that the guarantee for one user allows for as many users (dashed);
        dotted: guessing.

    Returns
    -------
    None
    """
    ax = plt.subplots(figsize=(6, 3.4))[1]
    ax.fill_between(curve.index, curve["least"], curve["most"], alpha=0.25)
    ax.plot(curve.index, curve["mean"], marker="o", label="best test")
    allowed = curve["guarantee allows"]
    ax.plot(curve.index, allowed, color="black", linestyle="--", marker="s", label=allowed.name)
    ax.axhline(0.5, color="black", linestyle=":", linewidth=1, marker="")
    ax.set(xscale="log", ylim=(0.45, 1.03), ylabel="AUC")
    ax.legend(loc="center right")
    ax.set_xticks(curve.index, [str(n) for n in curve.index])
    ax.minorticks_off()
    ax.set_xlabel("users in whom the two groups differ")
    plt.show()


def show_calibrated(times_zeros: pd.Series, aucs: pd.Series) -> None:
    """Draw the AUC of matching against the error, a panel for each dataset.

    An arrow leads from each printed mechanism to its calibrated version.

    Parameters
    ----------
    times_zeros : pandas.Series
        Mean relative error divided by that of a table of zeros, by data and mechanism ("GSM" and
        "GSM, calibrated"). A vertical line marks the error of the table of zeros, a dotted one
        guessing.
    aucs : pandas.Series
        Mean AUC of matching, with the same index.

    Returns
    -------
    None
    """
    both = pd.DataFrame({"times": times_zeros, "AUC": aucs}).replace(np.inf, np.nan).dropna()
    both = both[both["times"] > 0]
    names = [name for name in aucs.index.unique("data") if name in both.index.unique("data")]
    size = (6.2, 2.0 * len(names) + 0.6)
    axes = plt.subplots(len(names), 1, figsize=size, sharex=True, sharey=True, squeeze=False)[1]
    for ax, data in zip(axes.flat, names, strict=True):
        of_data = both.loc[data]
        for calibrated in of_data.index[of_data.index.str.endswith(", calibrated")]:
            _draw_arrow(ax, of_data, calibrated)
        ax.axvline(1, color="black", linestyle="--", linewidth=1.5, marker="")
        ax.axhline(0.5, color="black", linestyle=":", linewidth=1, marker="")
        ax.set(xscale="log", ylim=(0.42, 1.06), ylabel="AUC")
        ax.set_title(figures.label(data))
        ax.set_xticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    axes.flat[-1].set_xlabel("error / error of a table of zeros (dashed)")
    handles, labels = axes.flat[0].get_legend_handles_labels()
    axes.flat[0].figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize=11)
    plt.show()


def _draw_arrow(ax: Any, of_data: pd.DataFrame, calibrated: str) -> None:
    """Draw one mechanism: a hollow mark as printed, an arrow to a filled mark after calibration."""
    printed = calibrated.removesuffix(", calibrated")
    if printed not in of_data.index:
        return
    start, end = (of_data.loc[name].to_numpy(float) for name in (printed, calibrated))
    style = figures.line_style(printed) | {"linestyle": "", "markersize": 9}
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": style["color"], "lw": 1.5})
    ax.plot(*start, **style | {"markerfacecolor": "white", "label": "_"})
    ax.plot(*end, **style)


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
    axes[-1].set_xlabel("score / its standard deviation; above 0: member")
    axes[0].legend(loc="upper left")
    plt.show()


def show_mechanisms(
    series: np.ndarray, released: Mapping[str, np.ndarray], off_by: Mapping[str, float]
) -> None:
    """Draw one place's counts and their release under each mechanism, a panel each.

    Parameters
    ----------
    series : numpy.ndarray, shape (n_epochs,)
        Raw counts.
    released : mapping of str to numpy.ndarray of shape (n_epochs,)
        Name of the mechanism to released counts.
    off_by : mapping of str to float
        Name of the mechanism to the mean absolute error of its release; stands in the title.

    Returns
    -------
    None
    """
    axes = _over_counts(series, list(released.values()), 6.8)
    for ax, label in zip(axes, released, strict=True):
        ax.lines[0].set_color(color(label))
        ax.set_title(f"{label}: {PRIVACY_UNITS[label]}, off by {off_by[label]:.1f} people")
    plt.show()


def show_causes(
    series: np.ndarray, causes: Mapping[str, np.ndarray], errors: Mapping[str, Sequence[float]]
) -> None:
    """Draw one place's counts and FPA's release with only one cause of error, a panel each.

    Hatched: people in hours in which nobody was there. All series may be cut to the same part of a
    week.

    Parameters
    ----------
    series : numpy.ndarray, shape (n_epochs,)
        Raw counts.
    causes : mapping of str to numpy.ndarray of shape (n_epochs,)
        What FPA does to the counts, to the rounded and clipped counts that result.
    errors : mapping of str to (float, float)
        The same names to the mean error in people and the mean relative error, of the whole week.

    Returns
    -------
    None
    """
    axes = _over_counts(series, list(causes.values()), 5.2, step=True)
    wrong: dict[str, Any] = {"color": figures.COLORS[1], "hatch": "////", "step": "mid"}
    for ax, (label, line) in zip(axes, causes.items(), strict=True):
        ax.lines[0].set_color(color("FPA"))
        where_nobody_was = np.where(series == 0, line, 0)
        ax.fill_between(range(len(line)), where_nobody_was, **wrong, alpha=0.6, linewidth=0)
        people, relative = errors[label]
        ax.set_title(label)
        of_line = f"off by {people:.2f} people, relative {relative:.2f}"
        ax.set_title(of_line, loc="right", fontsize=11, fontweight="normal")
    axes[-1].set_xlabel("hours since the week began (grey: raw counts, in people)")
    plt.show()


def _over_counts(
    series: np.ndarray, lines: Sequence[np.ndarray], height: float, step: bool = False
) -> Any:
    """Draw each line over the raw counts in a panel of its own; return the panels."""
    axes = plt.subplots(len(lines), 1, figsize=(6.2, height), sharex=True, sharey=True)[1]
    shape: Any = "steps-mid" if step else "default"
    for ax, line in zip(axes, lines, strict=True):
        ax.fill_between(range(len(series)), series, color="#BBBBBB", step="mid")
        ax.plot(range(len(line)), line, marker="", linewidth=1.5, linestyle="-", drawstyle=shape)
    axes[-1].set_xticks(range(0, len(series) + 1, 24))
    axes[0].set_title("people in an hour", loc="right", fontsize=11, fontweight="normal")
    axes[-1].set_xlabel("hours since the week began (grey: raw counts)")
    return axes


def show_errors(errors: pd.DataFrame, empty: pd.DataFrame) -> None:
    """Draw the mean relative error of each mechanism in a column for each ε.

    There is a panel for the first and the last dataset. In each column the mechanisms stand side by
    side, in the order of the rows. One line above the first panel names them in this order. Values
    stand at the marks below the line of zeros, and at the lowest mark above it for the largest ε.

    Parameters
    ----------
    errors, empty : pandas.DataFrame
        Rows of `experiments.errors`, and of `experiments.empty_errors` (dotted lines).

    Returns
    -------
    None
    """
    nothing = empty.groupby("data")[BOUND].mean()
    means = errors.groupby(DEFENSE, sort=False)[BOUND].mean()
    names = list(dict.fromkeys(means.index.unique("data")[[0, -1]]))
    budgets, mechanisms = sorted(errors["ε"].unique()), list(errors["mechanism"].unique())
    positive = np.append(means[means > 0], nothing)
    size = (6.2, 2.5 * len(names) + 0.3)
    panels: dict[str, Any] = {"figsize": size, "sharex": True, "sharey": True, "squeeze": False}
    figure, grid = plt.subplots(len(names), 1, **panels)
    axes = list(grid.flat)
    for ax, data in zip(axes, names, strict=True):
        ax.set(yscale="log", ylim=(positive.min() / 2, positive.max() * 2.5))
        _draw_columns(ax, means[data], budgets, mechanisms)
        _draw_zeros(ax, float(nothing[data]))
        ax.set_title(f"{titled(str(data))}: mean relative error")
        ax.set(xlim=(-0.5, len(budgets) - 0.5))
        _write_deciding(ax, means[data], float(nothing[data]), budgets, mechanisms)
    axes[-1].set_xticks(range(len(budgets)), [f"ε = {epsilon:g}" for epsilon in budgets])
    axes[0].yaxis.set_major_formatter("{x:g}")
    handles, labels = axes[0].get_legend_handles_labels()
    close: dict[str, Any] = {"fontsize": 10, "handletextpad": 0.1, "columnspacing": 1.2}
    place: Any = "outside upper center"
    figure.legend(handles, labels, loc=place, ncols=len(labels), **close)
    plt.show()


def _draw_columns(
    ax: Any, means: pd.Series, budgets: Sequence[float], mechanisms: Sequence[str]
) -> None:
    """Draw the means of one dataset: a column for each ε, and in it a mark for each mechanism."""
    ax.grid(visible=False, axis="x")
    for column in range(0, len(budgets), 2):
        ax.axvspan(column - 0.5, column + 0.5, color="#F2F2F2", zorder=0)
    slots = _slots(len(mechanisms))
    found: Any = means.unstack("ε").reindex(index=list(mechanisms), columns=list(budgets))
    for (name, row), slot in zip(found.iterrows(), slots, strict=True):
        style = figures.line_style(str(name)) | {"linestyle": "", "markersize": 8}
        ax.plot(np.arange(len(budgets)) + slot, row, **style)


def _slots(n: int) -> np.ndarray:
    """Where n marks stand in a column, relative to its middle."""
    return np.asarray(0.68 * (np.arange(n) / max(n - 1, 1) - 0.5))


def _draw_zeros(ax: Any, error: float) -> None:
    """Draw the error of a table of zeros as a dotted line, and hatch the area of smaller errors."""
    ax.axhline(error, color="black", linewidth=1.5, linestyle=":", marker="")
    below: dict[str, Any] = {"facecolor": "none", "edgecolor": "#CFCFCF", "hatch": "//"}
    ax.axhspan(ax.get_ylim()[0], error, **below, linewidth=0, zorder=0.5)
    blank: dict[str, Any] = {"fontsize": 10, "bbox": {"color": "white", "pad": 0.8}}
    _write(ax, f"zeros: {error:.2f}", (-0.46, error), (0, 5), **blank)
    _write(ax, "hatched: smaller error than zeros", (-0.46, error), (0, -6), va="top", **blank)


def _write_deciding(
    ax: Any, means: pd.Series, zeros: float, budgets: Sequence[float], mechanisms: Sequence[str]
) -> None:
    """Write the errors below that of zeros, and the smallest one above it at the largest ε."""
    slots = dict(zip(mechanisms, _slots(len(mechanisms)), strict=True))
    largest = means.index.get_level_values("ε").max()  # of this dataset
    at_largest = means.xs(largest, level="ε")
    above = at_largest[at_largest >= zeros]
    shown = [(name, largest) for name in above.nsmallest(1).index]
    shown += list(means[(means < zeros) & (means > 0)].index)
    blank: dict[str, Any] = {"fontsize": 10, "bbox": {"color": "white", "pad": 0.5}}
    for name, epsilon in shown:
        at = (list(budgets).index(epsilon) + slots[name], float(means[name, epsilon]))
        shift, side = ((7, 1), "left") if at[1] >= zeros else ((-8, -5), "right")
        _write(ax, _plain_digits(at[1]), at, shift, ha=side, **blank)


def show_aucs(rows: pd.DataFrame) -> None:
    """Draw the mean AUC of both attackers against ε, a row of two panels for each dataset.

    The left panels show the mechanisms whose noise is scaled to a user's visits, the right ones
    event-level noise, on an axis of their own.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `experiments.gains` returns them.

    Returns
    -------
    None
    """
    means = summaries.means(rows, ["attacker", *DEFENSE], "AUC").reset_index()
    names = means["data"].unique()
    size = (6.4, 2.1 * len(names) + 0.9)
    shared: dict[str, Any] = {"sharex": True, "sharey": "col", "squeeze": False}
    figure, axes = plt.subplots(len(names), 2, figsize=size, **shared)
    for both, data in zip(axes, names, strict=True):
        for ax, event_level in zip(both, (False, True), strict=True):
            drawn = (means["mechanism"] == EVENT_LEVEL) == event_level
            _draw_attackers(ax, means[(means["data"] == data) & drawn])
            ax.axhline(0.5, color="black", linestyle=":", linewidth=1, marker="")
        both[0].set_title(figures.label(data))
        both[0].set_ylabel("mean AUC")
        both[1].set_title(f"{figures.label(data)},\nevent-level")
    for ax in axes[-1]:
        ax.set_xlabel("ε (moved apart)")
    _name_marks(figure, axes[0])
    plt.show()


def _name_marks(figure: Any, axes: Sequence[Any]) -> None:
    """Put one legend above the figure: the colour of each mechanism, the mark of each attacker."""
    found = [ax.get_legend_handles_labels() for ax in axes]
    handles = [handle for each, _ in found for handle in each]
    labels = [label for _, each in found for label in each]
    grey: dict[str, Any] = {"color": "#444444", "marker": "o", "markersize": 6}
    handles.append(plt.Line2D([], [], linestyle="-", **grey))
    handles.append(plt.Line2D([], [], linestyle=":", markerfacecolor="white", **grey))
    place: Any = "outside upper center"
    figure.legend(handles, [*labels, "strategic", "passive"], loc=place, ncols=4, fontsize=10)


def _draw_attackers(ax: Any, means: pd.DataFrame) -> None:
    """Draw the means against ε: a colour for each mechanism, hollow marks for passive attackers."""
    mechanisms = list(means["mechanism"].unique())
    for (attacker, mechanism), points in means.groupby(["attacker", "mechanism"], sort=False):
        passive = attacker == "passive"
        apart = 1 + 0.14 * (mechanisms.index(mechanism) - (len(mechanisms) - 1) / 2)
        style = figures.line_style(str(mechanism)) | {"linestyle": ":" if passive else "-"}
        style |= {"markerfacecolor": "white"} if passive else {}
        style["label"] = f"_{mechanism}" if passive else str(mechanism)  # _: not in the legend
        mean, low, high = (points[name].to_numpy(float) for name in ("mean", *ENDS))
        errors = np.maximum([mean - low, high - mean], 0)
        at = points["ε"].to_numpy(float) * apart
        ax.errorbar(at, mean, yerr=errors, linewidth=1.3, markersize=6, **style)
    ax.set_xscale("log")


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
    drawn = differences[["95% low", "95% high"]].to_numpy()
    limits = {"level": 0, "ylim": (drawn.min() - 0.02, drawn.max() + 0.02)}
    axes = _against_budget(differences, "data", 2.5, ylabel="", **limits)
    next(iter(axes.values())).figure.supylabel(label, fontsize=12)
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
    printed = printed_gains(data)
    if printed:
        star_of_legend(next(iter(axes.values())))
    shifts = star_shifts(means)
    for attacker, mechanism, epsilon, gain in printed:
        moved = epsilon * shifts[mechanism]
        figures.mark_published(axes[attacker, data], moved, gain, color(mechanism))
    figures.finish(axes)


APART = 0.12  # shift between the lines of neighbouring mechanisms, a share of ε


def star_shifts(means: pd.DataFrame) -> dict[str, float]:
    """Compute by which factor the points of each mechanism are moved, so that stars move along.

    Parameters
    ----------
    means : pandas.DataFrame
        What is drawn, with the index level mechanism.

    Returns
    -------
    dict of str to float
        Factor of ε by mechanism.
    """
    names = [str(name) for name in means.index.unique("mechanism")]
    return {name: 1 + APART * (i - (len(names) - 1) / 2) for i, name in enumerate(names)}


def _against_budget(
    means: pd.DataFrame, panels: str | list[str], height: float, ylabel: str, **options: Any
) -> dict[Any, Any]:
    """Means against ε, a line for each mechanism, moved apart a little."""
    drawn: dict[str, Any] = {"columns": 2, "size": (6.4, height), "xscale": "log", "apart": APART}
    drawn |= {"xlabel": "ε (points moved apart)", "ylabel": ylabel}
    return figures.intervals(means, "ε", "mechanism", panels, **drawn | options)

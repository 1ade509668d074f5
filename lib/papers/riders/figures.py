"""Tables of the riders' results, for readers."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.papers import figures
from lib.papers.audit import figures as audit_figures
from lib.papers.audit.further_figures import BY_KNOWLEDGE, PEOPLE
from lib.papers.summaries import texts

STRATEGIES = ("always null", "PRIOR", "BAYES", "MAX_ROI", "MAX_USER")
RELEASES = {  # names of the audited releases, in words
    "raw": "raw counts",
    "mds-k10": "counts below 10 suppressed",
    "event-epsilon-1": "event-level noise, ε = 1",
    "user-day-epsilon-1": "user-day-level noise, ε = 1",
    "user-epsilon-1": "user-level noise, ε = 1",
}
ATTACKS = audit_figures.NAMES | {  # names that do not speak of thresholds; those are a subject
    "one-threshold": "sum, known people subtracted",
    "two-threshold": "cells above usual, counted",
}


def localization_table(
    rows: pd.DataFrame, gains: pd.DataFrame, goal: str = "profiling", prior: str = "ROI_DAY"
) -> pd.DataFrame:
    """Tabulate the error of each localization strategy, over all hours and over hours on a bike.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.localization`.
    gains : pandas.DataFrame
        Rows of `experiments.gains_on_a_bike`.
    goal, prior : str
        The attacker's goal and prior knowledge.

    Returns
    -------
    pandas.DataFrame
        Text, a row for each strategy. The last column is the mean over riders of the error minus
        that of the prior, in hours on a bike; empty for the baselines.
    """
    chosen = rows[(rows["goal"] == goal) & (rows["prior"] == prior)].set_index("strategy")
    chosen = chosen.loc[list(STRATEGIES)]
    paired = gains[gains["prior"] == prior].set_index("strategy")
    return pd.DataFrame(
        {
            "error, all hours": chosen["error"].map("{:.4f}".format),
            "error, hours on a bike": _with_interval(chosen, "out"),
            "minus error of PRIOR": _with_interval(paired, "above prior", 3).reindex(
                chosen.index, fill_value=""
            ),
        }
    )


def threshold_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the share of members that the sum identifies, by the way its threshold is set.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.thresholds` for several datasets.

    Returns
    -------
    pandas.DataFrame
        Text, a row for each way: the share identified with its interval, and the false positive
        rate, for each dataset.
    """
    parts = {}
    for data, found in rows.groupby("data", sort=False):
        found = found.set_index("threshold")
        shown = {
            "identified": _with_interval(found, "identified"),
            "FPR": found["FPR"].map("{:.3f}".format),
        }
        parts[figures.label(str(data))] = pd.DataFrame(shown)
    return pd.concat(parts, axis=1)


def audit_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the share of members identified: the attacker's knowledge by releases.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `lib.papers.audit.experiments.audit_releases` for several datasets.

    Returns
    -------
    pandas.DataFrame
        Text for readers, a row for each dataset and kind of knowledge.
    """
    found = audit_figures.knowledge_table(rows[rows["release"].isin(list(RELEASES))])
    found = found.rename(index=RELEASES).rename_axis(columns=None)
    names = [audit_figures.KNOWN[each] for each in BY_KNOWLEDGE]
    known = [each for each in names if each in found.columns]
    parts = {data: found.loc[data, known].T for data in found.index.unique(level="data")}
    table = pd.concat(parts, names=["data", "the attacker knows"])
    return table.rename_axis(columns=None)


def verdict_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the verdict on each release of one dataset, with what decided it.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `lib.papers.audit.experiments.audit_releases` for one dataset.

    Returns
    -------
    pandas.DataFrame
        Columns: verdict; the numbers of attacks that fail the release and that warn; the AUC of the
        sum; the cells with fewer than ten people before anything is hidden, and those hidden.
    """
    attacks = rows[rows["part"] == "attack"].drop_duplicates(["release", "attack"])
    severities = pd.crosstab(attacks["release"], attacks["severity"])
    of_sum = rows[(rows["attack"] == "sum-of-cells") & (rows["measure"] == "AUC")]
    of_sum = of_sum.set_index("release").rename(columns={"low": "95% low", "high": "95% high"})
    disclosed = rows[rows["part"] == "disclosure"]
    cells = disclosed.pivot(index="release", columns="measure", values="value").astype(int)
    verdicts = rows[rows["part"] == "verdict"].set_index("release")["measure"]
    table = pd.DataFrame(
        {
            "verdict": verdicts.str.replace("-", " "),
            "attacks that fail it": severities["fail"],
            "attacks that warn": severities["review"],
            "AUC of the sum": texts(of_sum, of="value"),
            "cells below ten": cells["small_before"],
            "suppressed": cells["suppressed"],
        }
    )
    return table.loc[list(RELEASES)].rename(index=RELEASES).rename_axis("release")


def recovery_table(rows: pd.DataFrame, release: str = "raw") -> pd.DataFrame:
    """Tabulate the share of steps that trajectory recovery finds, beside its two controls.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `lib.papers.audit.recovery_experiments.recovery`.
    release : str, default "raw"
        What was published.

    Returns
    -------
    pandas.DataFrame
        Text for readers, a row for each population.
    """
    chosen = rows[rows["release"] == release].set_index("population")
    shown = ["recovered", "chance", "control", "above chance", "above control"]
    shares = {name: _with_interval(chosen, name) for name in shown}
    table = pd.DataFrame({"people": chosen["people"], **shares})
    names = {"control": "not counted", "above control": "above not counted"}
    return table.rename(columns=names)


def show_recovery(rows: pd.DataFrame, release: str = "raw") -> None:
    """Draw the share of steps that trajectory recovery finds, beside its two controls.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `lib.papers.audit.recovery_experiments.recovery`.
    release : str, default "raw"
        What was published.

    Returns
    -------
    None
    """
    chosen = rows[rows["release"] == release].set_index("population")
    names = {"recovered": "recovered", "chance": "chance", "control": "not counted"}
    ax = plt.subplots(figsize=(6.4, 3.8))[1]
    for i, (name, words) in enumerate(names.items()):
        heights = np.arange(len(chosen)) + 0.25 * (i - 1)
        half, color = 1.96 * chosen[f"{name} se"], figures.COLORS[i]
        style: dict[str, Any] = {"fmt": "osD"[i], "linestyle": "", "color": color}
        ax.errorbar(chosen[name], heights, xerr=half, label=words, **style)
        ends = (chosen[name] + half).to_numpy()
        for share, end, height in zip(chosen[name], ends, heights, strict=True):
            beside: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
            beside |= {"fontsize": 11, "color": color}
            ax.annotate(f"{share:.2f}", (end, height), (5, 0), **beside)
    ax.set_yticks(range(len(chosen)), [PEOPLE.get(each, each) for each in chosen.index])
    ax.set_ylim(len(chosen) - 0.45, -0.55)
    ax.set(xlabel="mean share of a person's steps", xlim=(0, 0.8))
    ax.grid(visible=False, axis="y")
    ax.legend(loc="lower right")
    plt.show()


def _with_interval(rows: pd.DataFrame, name: str, digits: int = 2) -> pd.Series:
    """Write a mean with its normal 95% interval, from its standard error, as text."""
    half = 1.96 * rows[f"{name} se"]
    ends = {"mean": rows[name], "95% low": rows[name] - half, "95% high": rows[name] + half}
    return texts(pd.DataFrame(ends), digits)

"""Drawings and tables of the page that replicates the paper on aggregation privacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from unittest.mock import patch

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.papers import claims, figures
from lib.papers import interpretations as shared
from lib.papers.aggregation_privacy import claims as rules
from lib.papers.aggregation_privacy.experiments import LIKELIEST, NULL
from lib.papers.aggregation_privacy.figures import WORDS, plain_name
from lib.papers.aggregation_privacy.interpretations import Interpretation
from lib.papers.figures import COLORS, MARKERS
from lib.papers.predicates import Trend

_PLACES = {  # places in COLORS and MARKERS
    "BAYES": 0,
    "MAX_ROI": 1,
    "MAX_USER": 2,
    LIKELIEST: 4,
    "PRIOR": 5,
    "POP": 4,
    "ALL": 3,
}


def show_attackers(
    rows: pd.DataFrame, goal: str, data: str, attackers: Sequence[str], marked: str = ""
) -> None:
    """Draw the mean error of each attacker with each prior, and a line at that of always null.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.compare_with_null`.
    goal : str
        "profiling" or "localization".
    data : str
        Name of the dataset.
    attackers : sequence of str
        Strategies to be drawn. One that a prior lacks is left out in its row.
    marked : str, optional
        A strategy whose error is the same with all priors; it has a line of its own.
    """
    found = rows[(rows["goal"] == goal) & (rows["data"] == data)]
    errors = found.pivot(index="prior", columns="strategy", values="error")
    priors = list(found["prior"].unique())
    figure, ax = plt.subplots(figsize=(6.2, 0.45 * len(priors) + 1.6))
    ax.axvline(errors[NULL].iloc[0], color="black", linestyle=":", label=WORDS[NULL], marker="")
    if marked:
        how: dict[str, Any] = {"linestyle": "-", "linewidth": 1, "marker": ""}
        ax.axvline(errors[marked].iloc[0], color=COLORS[3], label=WORDS[marked], **how)
    for n, name in enumerate(attackers):
        i, shift = _PLACES[name], 0.12 * (n - (len(attackers) - 1) / 2)
        style: dict[str, Any] = {"color": COLORS[i], "marker": MARKERS[i], "markersize": 8}
        y = np.arange(len(priors)) + shift
        ax.plot(errors.loc[priors, name], y, linestyle="", label=WORDS[name], **style)
    ax.set_yticks(range(len(priors)), priors)
    ax.set(ylim=(len(priors) - 0.5, -0.5), xlabel=f"mean {goal} error")
    ax.locator_params(axis="x", nbins=6)
    figure.legend(loc="outside upper center", ncols=2, fontsize=11)
    plt.show()


def show_bounds(found: Mapping[str, pd.DataFrame], largest: float = 10.0) -> None:
    """Draw how many printed MREs agree with ours under each constant sanity bound.

    Parameters
    ----------
    found : mapping of str to pandas.DataFrame
        Dataset -> bounds as `interpretations.rank_bounds` gives them. Each bound is drawn with the
        transform of FPA that agrees with most numbers.
    largest : float, default 10
        Largest constant that is drawn, in users.
    """
    ax = plt.subplots(figsize=(6.2, 3.2))[1]
    for data, each in found.items():
        met = each["met"].groupby(level="bound").max()
        met.index = pd.Index(pd.to_numeric(met.index.to_series(), errors="coerce"))
        met = met[met.index <= largest].sort_index()
        ax.plot(met.index, met, **figures.line_style(data, markers=False))
    numbers = next(iter(found.values()))["numbers"].iloc[0]
    ax.set(xlabel="constant sanity bound, in users", ylabel=f"numbers met, of {numbers}")
    ax.set(xlim=(0, largest), ylim=(0, numbers), yticks=range(0, numbers + 1, 5))
    ax.legend()
    plt.show()


# -- tables ----------------------------------------------------------------------------------------

_STATISTICS = {  # a column of `experiments.statistics`, and the words for it
    "users": "users",
    "rois": "places, null included",
    "epochs": "hours in the whole period",
    "reports_mean": "visits per user, mean",
    "reports_std": "visits per user, standard deviation",
    "unique_rois_mean": "places per user, mean",
    "unique_rois_std": "places per user, standard deviation",
    "active_slots_mean": "active hours per user, mean",
    "active_slots_std": "active hours per user, standard deviation",
    "reports_per_roi_mean": "visits per place, mean",
    "reports_per_roi_std": "visits per place, standard deviation",
    "active_slots_per_roi_mean": "active hours per place, mean",
    "active_slots_per_roi_std": "active hours per place, standard deviation",
    "sensitivity": "Δ, the most visits of one user in the inference week",
}
_CITIES = {  # a dataset: the paper's name in ids, and the columns of the paper's numbers and ours
    "cabspotting": ("sfc", "cabs, printed", "cabs, here"),
    "commuters": ("tfl", "London, printed", "surrogate, here"),
}


def data_table(facts: pd.DataFrame) -> pd.DataFrame:
    """Tabulate statistics of the data beside those that the paper prints.

    Parameters
    ----------
    facts : pandas.DataFrame
        Rows of `experiments.statistics`, by dataset.

    Returns
    -------
    pandas.DataFrame
        A row for each statistic, in words. A column for each dataset; before it, one with the
        paper's numbers for the same data or for those that the surrogate replaces.
    """
    values = claims.published("crowd")["value"]
    columns = {}
    for data in facts.index:
        here = plain_name(data)
        if data in _CITIES:
            city, theirs, here = _CITIES[data]
            ids = [f"crowd-data-{city}-{each.replace('_', '-')}" for each in _STATISTICS]
            columns[theirs] = [values[name][0] for name in ids]
        columns[here] = list(facts.loc[data, list(_STATISTICS)].astype(float))
    index = pd.Index(list(_STATISTICS.values()), name="statistic")
    return pd.DataFrame(columns, index=index)


_MARGINS = {  # a margin of ours, what it stands for, and two other values
    "NEAR": ("small, negligible: a difference of at most", (0.01, 0.03)),
    "SLIGHT": ("slightly, low: a difference of at most", (0.025, 0.1)),
    "ALIKE": ("equal errors: a difference of at most", (0.0025, 0.01)),
    "FAR": ("far, times", (1.5, 3.0)),
    "NOTICEABLE": ("a noticeable gain, above", (0.05, 0.2)),
    "LARGE": ("a large MRE, above", (0.5, 2.0)),
}


def margins_table(found: Mapping[Interpretation, shared.Found]) -> pd.DataFrame:
    """Judge all statements again with a smaller and with a larger value of each of our margins.

    Parameters
    ----------
    found : mapping of Interpretation to mapping of str to Finding
        As `claims.findings_by_interpretation` returns it. These findings are not judged again.

    Returns
    -------
    pandas.DataFrame
        A row for each margin. Two columns with the other value and the statements whose verdict
        it changes.
    """
    own, rows = _verdicts_on_statements(found), {}
    for name, (words, others) in _MARGINS.items():
        changed = []
        for value in others:
            now = _verdicts_on_statements(found, **{name: value})
            other = [f"{each}: {now[each]}" for each in now if now[each] != own[each]]
            changed.append(f"{value:g}: {', '.join(other) or 'none'}")
        rows[f"{words} {getattr(rules, name):g}"] = changed
    columns = ["verdicts that a smaller value changes", "verdicts that a larger value changes"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    return table.rename_axis("margin of ours")


def _verdicts_on_statements(
    found: Mapping[Interpretation, shared.Found], **margins: float
) -> dict[str, str]:
    """The verdicts on all statements, with other margins in place of ours.

    The margins are constants of the module with the rules, so they are replaced there for a moment.
    """
    stored: dict[str, Any] = {"findings_by_interpretation": lambda: found}
    with patch.multiple(rules, **stored, **margins):  # type: ignore[call-overload]
        each = list(rules.findings())
    return {one.id: one.here.verdict for one in each if isinstance(one.here, Trend)}


def kind_of_evidence(name: str, note: str) -> str:
    """Name the kind of agreement of a reproduced claim, by how easily it could have failed.

    Parameters
    ----------
    name : str
        Id of the claim.
    note : str
        The remark on its verdict, which says if it was computed in our box of the map only.

    Returns
    -------
    str
        The kind, in words.
    """
    claim = claims.claim(name)
    if claim.quantity.startswith("count"):
        return "a count of the data file"
    if claim.quantity == "mean PG" and claim.value[0] == 0.36:
        return "a gain at which the noise hides everything"
    if claim.within:  # the paper has a word in place of a number
        return f"a word for a {'loss' if claim.quantity == 'mean PL' else 'gain'} near 0"
    only_ours = "in our box of the map only" in note
    return f"two digits, in {'our box only' if only_ours else 'all eleven boxes'}"


_SUBJECTS = {  # the first one of whose patterns occurs in a claim's strategy and id
    "MAX_ROI": ("MAX_ROI", "crowd-fig13-strategies"),
    "last week, last day, orders of priors": (
        "last-week",
        "last-day",
        "fig13-order",
        "prior-order",
    ),
    "the hour of the day": ("fig6",),
    "gains under noise": ("fig8",),
    "the number of cabs in the file": ("data",),
    "MAX_USER with TIME_DAY_WEEK": ("max-user",),
    "POP, and TIME_DAY_WEEK alone": ("",),
}


def subject(name: str) -> str:
    """Name the subject of a contradicted claim.

    Parameters
    ----------
    name : str
        Id of the claim.

    Returns
    -------
    str
        The subject, in words.
    """
    words = f"{claims.claim(name).setting.get('strategy')} {name}"
    return next(it for it, patterns in _SUBJECTS.items() if any(p in words for p in patterns))

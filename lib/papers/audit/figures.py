"""Figures and wide tables of the audit: attacks x releases, risk against usefulness."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import groupby
from textwrap import fill
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from scipy import optimize

from lib import audit
from lib.audit.attacks import ATTACKS
from lib.audit.games import QUICK
from lib.audit.measures import aucs
from lib.audit.releases import PRESET_WORDS, UNITS
from lib.audit.tasks import TASKS
from lib.audit.verdicts import FAILS
from lib.papers.audit.experiments import EXPOSED, FOUND, ORDER, by_knowledge, risk_and_use
from lib.papers.audit.task_experiments import DEFENSES
from lib.papers.audit.verdict_rules import failing_releases
from lib.papers.figures import COLORS, LINES, MARKERS, label, show_counts
from lib.papers.summaries import in_brackets

NAMES = {  # of attacks, in tables and figures
    "sum-of-cells": "sum of the target's cells",
    "one-threshold": "one threshold",
    "two-threshold": "two thresholds",
    "likelihood-ratio-others": "ratio, other people known",
    "likelihood-ratio-crowd": "independent ratio",
    "likelihood-ratio-some-others": "ratio, 30% known",
    "likelihood-ratio-correlated": "joint ratio",
    "likelihood-ratio-informed": "ratio, all others known",
    "knock-knock-subset": "Knock-Knock, like groups",
    "knock-knock-same-groups": "Knock-Knock, same groups",
    "knock-knock-different-groups": "Knock-Knock, past groups",
    "meta-classifier": "neural network",
    "zero-knowledge": "zero knowledge",
    "place-bayes": "BAYES",
    "place-max-roi": "MAX_ROI",
    "place-max-user": "MAX_USER",
    "place-joint": "joint profiles",
    "trajectory-map": "most probable trajectory",
    "trajectory-modes": "place of each hour",
    "trajectory-assignment": "joint trajectories",
    "unicity": "unicity",
    "two-releases": "two releases",
    "totals": "hidden counts from totals",
}
RATIOS = {"likelihood ratio": "independent ratio", "correlated ratio": "joint ratio"}
KNOWN = {  # knowledge that membership attacks have, in tables and figures
    "her visits": "the target's visits",
    "her visits and the map": "and the map",
    "past releases": "past releases",
    "other people": "other people's traces",
    "crowd": "everybody's traces",
    "some others": "30% of the others",
    "everybody else": "everybody else",
}
_WITH_MAP = "her visits and the map"
_SUMS = "usual sums of other people"  # what the sum of the target's cells is compared with
RULES = (
    "sum-of-cells",
    "one-threshold",
    "two-threshold",
    "likelihood-ratio-others",
    "likelihood-ratio-crowd",
    "likelihood-ratio-correlated",
    "likelihood-ratio-some-others",
    "likelihood-ratio-informed",
)
LEARNED = (
    "knock-knock-subset",
    "knock-knock-same-groups",
    "knock-knock-different-groups",
    "meta-classifier",
    "zero-knowledge",
)
MEMBERSHIP = RULES + LEARNED
OTHERS = (
    "place-bayes",
    "place-max-roi",
    "place-max-user",
    "place-joint",
    "trajectory-map",
    "trajectory-modes",
    "trajectory-assignment",
    "two-releases",
)
GAINS = (
    "gain over the prior",
    "steps recovered beyond the baseline",
    "visits found beyond chance",
    "hidden counts recovered",
)
UNIT_WORDS = {
    UNITS["visit"]: "a visit",
    UNITS["user-day"]: "a person's day",
    UNITS["user"]: "a person",
    "none": "nobody",
}
KINDS = {  # of releases, by their privacy guarantee: colour and marker
    "nothing is done": (COLORS[6], "X"),
    "hidden or rounded": (COLORS[1], "s"),
    "noise for a visit": (COLORS[2], "^"),
    "noise for a day": (COLORS[3], "D"),
    "noise for a person": (COLORS[0], "o"),
    "noise for a person at one place": (COLORS[4], "v"),
}
_GUARANTEED_TO = {  # kinds of releases -> the unit of their guarantee, above columns of a figure
    "nothing is done": "no guarantee",
    "hidden or rounded": "no guarantee",
    "noise for a visit": "visit",
    "noise for a day": "day",
    "noise for a person": "person",
    "noise for a person at one place": "place",
}
RELEASES = {  # audited presets, in words, with the letters of tables and figures
    "raw": "A: raw counts",
    "mds-k10": "B: below 10 suppressed",
    "flowkit-15": "C: up to 15 suppressed",
    "round-5": "D: rounded to 5",
    "suppress-10-round-5": "E: below 10 suppressed, rounded",
    "event-epsilon-1": "F: event-level noise",
    "user-day-epsilon-1": "G: user-day-level noise",
    "user-epsilon-1": "H: user-level noise",
    "gaussian-user-epsilon-1": "I: user-level Gaussian noise",
    "fpa-epsilon-1": "J: Fourier perturbation",
    "google-mobility": "K: Google's process",
}
_SHORT_DATA = {  # names of data in a figure
    "flights-by-number": "flight\nnumbers",
    "flights-by-tail": "aircraft",
    "cabspotting": "cabs",
    "valleybike": "riders",
    "commuters": "surrogate\ncommuters",
}
_PLAUSIBLE = {each.id: each.threat.plausible for each in ATTACKS}
_KNOWS = {each.id: each.threat.knowledge.name for each in ATTACKS}
_PLAUSIBLE_KNOWLEDGE = {each.threat.knowledge.name for each in ATTACKS if each.threat.plausible}
_SOME_OTHERS = "the target's visits and those of 30% of the others"
_EXACT_NAMES = {  # of knowledge, where the audit gives an attacker more than the registry's words
    "the target's visits": f"the target's visits, and {_SUMS}",
    _SOME_OTHERS: f"{_SOME_OTHERS}, and the traces of other people",
}

_LINEAR, _LINEAR_WIDTH = 3, 0.5  # scores up to ±3 are on a linear scale, half a decade wide
_WITH_AND_WITHOUT: dict[str, dict[str, Any]] = {  # looks of the bars of releases
    "with the target": {"facecolor": COLORS[0], "linewidth": 0.8},
    "without": {"facecolor": "white", "edgecolor": COLORS[1], "hatch": "////", "linewidth": 0.8},
}
_APART = 0.022  # least distance of two releases in a figure, in usefulness
_DASHES: Any = (0, (2, 1.2))  # of the frame of an attack that fails a release by an AUC only
_FLOOR = 0.005  # smallest share that is drawn on a logarithmic axis
_LIGHT_INK = 0.6  # risk from which on numbers are white
_HIGH = 0.6  # upper end of an interval from which on there is no room for a letter above it
_FRAME: dict[str, Any] = {"facecolor": "none", "edgecolor": COLORS[1], "linewidth": 2}


def release_kind(release: str) -> str:
    """Name which of `KINDS` a preset is.

    Parameters
    ----------
    release : str
        Name of a preset.

    Returns
    -------
    str
        The kind.
    """
    chosen = audit.parse(release)
    unit = chosen.unit
    if any(step.name == "fpa" for step in chosen.steps):
        return "noise for a person at one place"
    if unit is not None:
        return {"visit": "noise for a visit", "user-day": "noise for a day"}.get(
            unit, "noise for a person"
        )
    return "nothing is done" if release == "raw" else "hidden or rounded"


# -- tables ----------------------------------------------------------------------------------------


def in_words(table: pd.DataFrame) -> pd.DataFrame:
    """Name the presets in a table's index in words.

    Parameters
    ----------
    table : pandas.DataFrame
        Presets, or anything else, as index or as one level of it.

    Returns
    -------
    pandas.DataFrame
        The same table, with `RELEASES` as labels.
    """
    return table.rename(index=RELEASES)


def threats_table(threats: pd.DataFrame) -> pd.DataFrame:
    """Tabulate threats with the attacks' names.

    Parameters
    ----------
    threats : pandas.DataFrame
        See `experiments.threat_table`.

    Returns
    -------
    pandas.DataFrame
        Text for readers.
    """
    attacks = threats["attack"].map(lambda ids: "; ".join(NAMES[each] for each in ids))
    table = threats.assign(attack=attacks).rename(
        columns={"attack": "attacks", "realistic": "plausible"}
    )
    return table.rename(index=_EXACT_NAMES)


def identified_table(
    rows: pd.DataFrame, measure: str = FOUND, intervals: bool = True
) -> pd.DataFrame:
    """Tabulate `knowledge_table` of 100 members, and say what the sum of cells is compared with.

    The audit compares each sum with the sums of the same cells in releases of reference people, so
    its share identified needs more than the target's visits.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    measure : str, default FOUND
        Measure of an attack.
    intervals : bool, default True
        Whether to show the intervals as well.

    Returns
    -------
    pandas.DataFrame
        Text for readers.
    """
    column = f"{KNOWN['her visits']}, {_SUMS}"
    table = knowledge_table(rows, measure, _of_100 if intervals else _alone_of_100)
    return table.rename(columns={KNOWN["her visits"]: column})


def strongest_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Name the membership attacks with a finding that identify most members, and how many of 100.

    The strongest attack is the one whose share has the highest lower end, in the simulated releases
    or at full size. Attacks whose controls are not at chance level are left out.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases` for one dataset.

    Returns
    -------
    pandas.DataFrame
        Text, with the release as index. Columns: the strongest attack with plausible knowledge, and
        that in the worst case; a dash where none is significantly better than its baseline.
    """
    sizes = {FOUND: "", f"{FOUND}, full size": ", full size"}
    found = rows[rows["attack"].isin(MEMBERSHIP) & rows["measure"].isin(list(sizes))]
    found = found[found["severity"].isin(["fail", "review"])]
    blind = (found["control low"] > 0.5) | (found["control high"] < 0.5)
    found = found[~blind].sort_values(["low", "value"], ascending=False, kind="stable")
    words = found["attack"].map(NAMES) + ": " + pd.Series(_of_100(found), index=found.index)
    found = found.assign(words=words + found["measure"].map(sizes))
    columns = {"strongest plausible attack": True, "strongest worst case": False}
    table = {}
    for column, wanted in columns.items():
        part = found[found["attack"].map(_PLAUSIBLE) == wanted].drop_duplicates("release")
        table[column] = part.set_index("release")["words"]
    order = list(dict.fromkeys(rows["release"]))
    return pd.DataFrame(table).reindex(order).fillna("–").rename_axis("release")


def verdicts_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the verdict on each release, and the attacks that decide it.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases` for one dataset.

    Returns
    -------
    pandas.DataFrame
        Index: release. Columns: verdict, the numbers of attacks that make the release fail and
        that give a warning, those of `strongest_table`, and the AUC of the sum.
    """
    attacks = rows[rows["part"] == "attack"].drop_duplicates(["release", "attack"])
    table = pd.crosstab(attacks["release"], attacks["severity"])[["fail", "review"]]
    table.columns = ["attacks that make it fail", "attacks that give a warning"]
    verdicts = rows[rows["part"] == "verdict"].set_index("release")["measure"]
    table.insert(0, "verdict", verdicts.str.replace("-", " "))
    sums = rows[(rows["attack"] == "sum-of-cells") & (rows["measure"] == "AUC")]
    table = table.loc[rows["release"].unique()].join(strongest_table(rows))
    table["AUC of the sum"] = sums.set_index("release")["value"].astype(float).round(2)
    return table


def deciding_attacks(rows: pd.DataFrame, release: str) -> str:
    """Name the attacks that make a release fail, and those that only give a warning.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases` for one dataset.
    release : str
        Name of a preset.

    Returns
    -------
    str
        Two lines.
    """
    attacks = rows[(rows["part"] == "attack") & (rows["release"] == release)]
    attacks = attacks.drop_duplicates("attack")
    lines = []
    for severity, words in {"fail": "make it fail", "review": "give a warning"}.items():
        named = attacks.loc[attacks["severity"] == severity, "attack"].map(NAMES)
        lines.append(f"{RELEASES[release]}, attacks that {words}: {'; '.join(named)}")
    return "\n".join(lines)


def judged_table(judged: pd.DataFrame, attacks: Sequence[str]) -> pd.DataFrame:
    """Tabulate which measures of some attacks reach their thresholds.

    Parameters
    ----------
    judged : pandas.DataFrame
        Rows of `experiments.audit_releases` for one release, with columns threshold and reached.
    attacks : sequence of str
        Ids of attacks.

    Returns
    -------
    pandas.DataFrame
        Index: attack. Columns: measure, value, lower end, threshold, and whether it is reached.
    """
    table = judged.set_index("attack").loc[list(attacks)]
    measures = table["measure"].str.replace(FOUND, "share identified")
    numbers = table[["value", "low", "threshold"]].astype(float).round(3)
    table = numbers.rename(columns={"low": "lower end"}).assign(
        reached=table["reached"].map({True: "yes", False: "no"})
    )
    table.insert(0, "measure", measures)
    return table.rename(index=NAMES).rename_axis("attack")


def exposed_table(rows: pd.DataFrame, chosen: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """Tabulate AUC and share identified, of all targets and of the most exposed tenth.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases` for one dataset.
    chosen : sequence of (str, str)
        Releases and attacks.

    Returns
    -------
    pandas.DataFrame
        Index: release and attack. Columns: the four numbers.
    """
    columns = {
        "AUC": "AUC",
        "AUC, most exposed tenth": "AUC, most exposed",
        FOUND: "identified",
        EXPOSED: "identified, most exposed",
    }
    found = rows[rows["measure"].isin(list(columns))]
    table = found.pivot(index=["release", "attack"], columns="measure", values="value")
    table = table[list(columns)].reindex(pd.MultiIndex.from_tuples(chosen))
    table = table.astype(float).round(3).rename(columns=columns)
    table.index = [f"{RELEASES[release]}; {NAMES[attack]}" for release, attack in chosen]
    return table


_PURPOSES = {  # measures of usefulness, in words
    "busiest zones found": "10 busiest places found",
    "peak hour found": "busiest hours found",
    "error of totals by zone and day": "error of a daily total",
}


def purposes_table(
    rows: pd.DataFrame, zeros: Mapping[str, Mapping[str, float | None]]
) -> pd.DataFrame:
    """Tabulate what each release is good for, with zeros everywhere as the baseline.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases` for one dataset.
    zeros : mapping of str to mapping
        What `lib.audit.usefulness.measure_usefulness` gives for counts of 0.

    Returns
    -------
    pandas.DataFrame
        Index: release. Columns: shares of the busiest places and hours that are
        found, and the relative error of a daily total.
    """
    found = rows[rows["measure"].isin(list(_PURPOSES))]
    table = found.pivot(index="release", columns="measure", values="value")
    table = table.loc[rows["release"].unique(), list(_PURPOSES)].astype(float)
    table.loc["zeros everywhere"] = [zeros[each]["value"] for each in _PURPOSES]
    return table.rename(columns=_PURPOSES).rename_axis("release").round(2)


def guarantees_table(guarantees: pd.DataFrame) -> pd.DataFrame:
    """Tabulate in words what each release publishes and guarantees.

    Parameters
    ----------
    guarantees : pandas.DataFrame
        See `experiments.guarantees`.

    Returns
    -------
    pandas.DataFrame
        Text for readers.
    """
    table = pd.DataFrame(
        {
            "what is published": [PRESET_WORDS[name].split(";")[0] for name in guarantees.index],
            "unit": [UNIT_WORDS.get(unit, "nobody") for unit in guarantees["unit"]],
            "ε": [_number(value) for value in guarantees["epsilon"]],
            "ε of a person": [_number(value) for value in guarantees["epsilon of a person"]],
        },
        index=guarantees.index,
    )
    for name in guarantees.index:
        nominal = _nominal_epsilon(name)
        if nominal is not None:
            of_person = f"at most {table.loc[name, 'ε of a person']}"
            table.loc[name, ["unit", "ε", "ε of a person"]] = _AT_PLACE, _number(nominal), of_person
    return table


_AT_PLACE = "a person at one place"


def _nominal_epsilon(release: str) -> float | None:
    """Epsilon that Fourier perturbation declares at one place; None for other releases."""
    for step in audit.parse(release).steps:
        if step.name == "fpa":
            return float(step.parameters["epsilon"])
    return None


def _number(value: float | None) -> str:
    if value is None or not np.isfinite(value):
        return ""
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _of(rows: pd.DataFrame, attacks: Sequence[str], measure: str) -> pd.DataFrame:
    found = rows[(rows["part"] == "attack") & (rows["measure"] == measure)]
    return found.set_index("attack").reindex([a for a in attacks if a in set(found["attack"])])


_CONTROL = ("control", "control low", "control high")


def _cell(rows: pd.DataFrame, *columns: str) -> list[str]:
    """Values with intervals as text."""
    numbers = rows[list(columns or ("value", "low", "high"))].to_numpy(float)
    return [in_brackets(*row) for row in numbers]


def _of_100(rows: pd.DataFrame) -> list[str]:
    """Shares with intervals as whole numbers of 100; an interval is not broken between lines."""
    shares = 100 * rows[["value", "low", "high"]].to_numpy(float)
    words = [in_brackets(value, low, high, digits=0) for value, low, high in shares]
    return [each.replace(", ", ",\N{NO-BREAK SPACE}") for each in words]


def _alone_of_100(rows: pd.DataFrame) -> list[str]:
    """Shares as whole numbers of 100."""
    return [f"{100 * share:.0f}" for share in rows["value"]]


def members_table(
    rows: pd.DataFrame, attacks: Sequence[str] = MEMBERSHIP, exposed: bool = True
) -> pd.DataFrame:
    """Tabulate membership attacks on one release, each beside its control.

    Columns are the AUC, the share identified and the AUC of non-member controls.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    attacks : sequence of str, default MEMBERSHIP
        Ids of attacks.
    exposed : bool, default True
        Whether to show the share identified of the most exposed tenth.

    Returns
    -------
    pandas.DataFrame
        Text for readers.
    """
    auc = _of(rows, attacks, "AUC")
    table = {"AUC": _cell(auc), "identified": _cell(_of(rows, attacks, FOUND))}
    if exposed:
        table["identified, most exposed"] = _cell(_of(rows, attacks, EXPOSED))
    table["AUC, controls"] = _cell(auc, *_CONTROL)
    return pd.DataFrame(table, index=[NAMES[a] for a in auc.index]).rename_axis("attack")


def gains_table(rows: pd.DataFrame, attacks: Sequence[str] = OTHERS) -> pd.DataFrame:
    """Tabulate what the other attacks gain over their baselines on one release, and on controls.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    attacks : sequence of str, default OTHERS
        Ids of attacks.

    Returns
    -------
    pandas.DataFrame
        Text for readers.
    """
    found = rows[(rows["part"] == "attack") & rows["measure"].isin(GAINS)].set_index("attack")
    found = found.reindex([a for a in attacks if a in found.index])
    over = found["measure"].map(_BASELINES)
    over[over.index == "trajectory-assignment"] = "random assignment"
    table = {
        "knows": [_KNOWS[a] for a in found.index],
        "gain over": over,
        "gain": _cell(found),
        "controls": _cell(found, *_CONTROL),
        "severity": found["severity"],
    }
    return pd.DataFrame(table).rename(index=NAMES).rename_axis("attack")


_BASELINES = {
    "gain over the prior": "the prior's error",
    "steps recovered beyond the baseline": "usual place of each hour",
    "visits found beyond chance": "a guess at the visits",
    "hidden counts recovered": "none",
}


def trajectories_and_unicity(rows: pd.DataFrame) -> str:
    """Describe, for one release, the steps that attacks recover and the people singled out.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.

    Returns
    -------
    str
        Sentences.
    """
    ways, alone = [], []
    columns = ["attack", "measure", "value", "low", "high"]
    for attack, measure, *numbers in rows[columns].itertuples(index=False):
        share = in_brackets(*numbers)
        if measure == "steps recovered":
            ways.append(f"{NAMES[attack]} {share}")
        elif str(measure).startswith("singled out by"):
            alone.append(f"{measure.split()[-2]}: {share}")
    sentences = {
        "Steps recovered (F1; for joint trajectories, a share)": ways,
        "People who are unique, by number of known visits": alone,
    }
    return "\n".join(f"{what}: {', '.join(found)}." for what, found in sentences.items() if found)


def visits_published(rows: pd.DataFrame) -> str:
    """Describe the share of visits in each release, a line for each dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.

    Returns
    -------
    str
        Sentences.
    """
    found = rows[rows["measure"] == "visits published"]
    names = found["release"].map(lambda name: RELEASES.get(name, name))
    shares = names + " " + found["value"].map("{:.3f}".format)
    each = shares.groupby(found["data"], sort=False).agg(", ".join)
    return "\n".join(f"Visits published, {label(str(data))}: {of}." for data, of in each.items())


def not_tested(rows: pd.DataFrame) -> str:
    """Describe the attacks that could not be tested on a release.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.

    Returns
    -------
    str
        Sentences.
    """
    found = rows[rows["measure"] == "not tested"]
    return "\n".join(
        f"Not tested: {NAMES[row['attack']]} ({row['why']})." for _, row in found.iterrows()
    )


def knowledge_table(
    rows: pd.DataFrame, measure: str = FOUND, in_text: Callable[[pd.DataFrame], list[str]] = _cell
) -> pd.DataFrame:
    """Tabulate the highest risk that any attack reaches, by release (rows) and knowledge (columns).

    With several datasets they are a first level of the index.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    measure : str, default FOUND
        Measure of an attack.
    in_text : callable, default _cell
        How to write the value, low and high of each row.

    Returns
    -------
    pandas.DataFrame
        Text for readers.
    """
    found = by_knowledge(rows, measure)
    found["share"] = in_text(found)
    known = [name for name in KNOWN if name != _WITH_MAP]
    columns = [name for name in known if name in set(found["knowledge"])]
    index = ["release"] if len(set(found["data"])) == 1 else ["data", "release"]
    order = pd.MultiIndex.from_frame(found[index].drop_duplicates())
    table = found.set_index([*index, "knowledge"])["share"].unstack("knowledge")
    table = table.reindex(order.get_level_values(0) if len(index) == 1 else order)
    return table[columns].rename(columns=KNOWN).fillna("not tested")


def data_table(rows: pd.DataFrame, knowledge: str = "crowd") -> pd.DataFrame:
    """Tabulate the members identified of 100 with one knowledge: a column for each dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    knowledge : str, default 'crowd'
        Name of an attacker's knowledge.

    Returns
    -------
    pandas.DataFrame
        Text for readers.
    """
    found = by_knowledge(rows)
    found["value"] = _of_100(found)
    return _data_across(found[found["knowledge"] == knowledge])


def order_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the rank correlation of places: rows and columns as in `data_table`.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.

    Returns
    -------
    pandas.DataFrame
        Numbers.
    """
    return _data_across(rows[rows["measure"] == ORDER]).astype(float).round(2)


def _data_across(found: pd.DataFrame) -> pd.DataFrame:
    """A column for each dataset, a row for each release that all have."""
    order = list(dict.fromkeys(found["release"]))
    table = found.pivot(index="release", columns="data", values="value").reindex(order).dropna()
    return table[list(dict.fromkeys(found["data"]))].rename(columns=label)


def ranking_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate how many of the surest guesses of hidden counts are right.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `ranking_experiments.ranking` for one number of guesses.

    Returns
    -------
    pandas.DataFrame
        A row for each dataset and what is hidden: the number of weeks; means over them of the
        numbers of counts and of guesses; and, as text with three decimals, means of the
        probability that the attacker gives the guesses, and of the shares right.
    """
    rows, groups = rows.drop_duplicates(), ["data", "zeros"]
    sizes = ["hidden", "forced", "judged", "first"]
    totals = rows[rows["attacker"] == "totals"]
    found = totals.groupby(groups, sort=False)[[*sizes, "sure"]].mean()
    right = rows.pivot_table("right", groups, "attacker", sort=False)
    found[sizes] = found[sizes].round().astype(int)
    found.insert(0, "weeks", totals.groupby(groups, sort=False)["week"].nunique())
    found = found.join(right).reset_index()
    found = found.rename(columns={"first": "guesses", "forced": "determined"})
    found["data"] = found["data"].map(label)
    found = found.set_index(groups)
    shares = ["sure", *right.columns]
    return found.assign(**found[shares].map("{:.3f}".format))


def task_table(summary: pd.DataFrame, data: str) -> pd.DataFrame:
    """Tabulate what each defense leaves of each task, and of the lead of the attack.

    Parameters
    ----------
    summary : pandas.DataFrame
        What `task_verdicts.summarize` returns.
    data : str
        Name of a dataset.

    Returns
    -------
    pandas.DataFrame
        Text; index: the defense in words. Columns: the attack's lead (2 AUC - 1), and a share of
        each task; tasks that cannot be done on the true counts are left out.
    """
    part = summary[summary["data"] == data]
    table = part.pivot(index="defense", columns="measure", values="mean").reindex(list(DEFENSES))
    table = table[["attack", *TASKS]].dropna(axis="columns").round(2) + 0.0  # no -0.00
    table.index = [DEFENSES[str(name)].words for name in table.index]
    table = table.rename(columns={"attack": "attack's lead"})
    table = table.rename_axis("defense").rename_axis(None, axis="columns")
    return table.map(lambda share: f"{share:.2f}" if abs(share) < 10 else f"{share:.0f}")


def epsilon_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the ε that each noisy release declares, and lower bounds from trials [ceiling].

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.

    Returns
    -------
    pandas.DataFrame
        Text for readers.
    """
    part = rows[rows["part"] == "epsilon"]
    table = {}
    for release, each in part.groupby("release", sort=False):
        by = {row["attack"]: row for row in each.to_dict("records")}
        declared = by["declared"]
        if pd.isna(declared["value"]):
            continue
        unit, value = UNIT_WORDS[declared["measure"]], _number(declared["value"])
        nominal = _nominal_epsilon(str(release))
        if nominal is not None:
            unit, value = _AT_PLACE, f"{_number(nominal)} (a person: at most {value})"
        table[release] = {"for": unit, "ε declared": value} | {
            words: _bound(by[name]) if name in by else "" for name, words in _BOUNDS.items()
        }
    return pd.DataFrame.from_dict(table, orient="index").rename_axis("release")


def fourier_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Tabulate all lower bounds on the ε of Fourier perturbation.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases` for one dataset.

    Returns
    -------
    pandas.DataFrame
        Index: input. Columns: how the bound was obtained, ε at least, ceiling.
    """
    part = rows[(rows["part"] == "epsilon") & (rows["release"] == "fpa-epsilon-1")]
    part = part[part["ceiling"].notna()]
    computed = part["attack"].str.contains("largest unit|in turn")
    table = {
        "inputs": part["attack"].replace({"neighbours": "with and without the unit"}),
        "how": np.where(computed, "computed", "trials"),
        "ε at least": [f"{value:.3g}" for value in part["value"]],
        "ceiling": [f"{value:.3g}" for value in part["ceiling"]],
    }
    return pd.DataFrame(table).set_index("inputs")


_BOUNDS = {
    "neighbours": "with and without the unit",
    "a crowd in one cell": "many people in one cell",
    "a crowd, difference of two hours": "difference of two hours",
    "one run, people at random": "one run, of a person",
}


def _bound(row: Mapping[Hashable, Any]) -> str:
    return f"{row['value']:.3g} (of {row['ceiling']:.3g})"


# -- figures ---------------------------------------------------------------------------------------


def show_releases_with_totals(
    releases: Mapping[str, np.ndarray],
    rois: list[str],
    epochs: list[str],
    missing: Mapping[str, tuple[np.ndarray, np.ndarray]],
) -> None:
    """Draw releases one below the other, and beside some of them what their totals leave over.

    Where there are totals, cells without a published count are hatched; elsewhere they show a 0.

    Parameters
    ----------
    releases : mapping of str to ndarray of shape (n_rois, n_epochs)
        Title to counts.
    rois, epochs : list of str
        Labels of the rows and columns.
    missing : mapping of str to (ndarray of shape (n_rois,), ndarray of shape (n_epochs,))
        Title to the people missing from each place and from each hour, for a margin.

    Returns
    -------
    None
    """
    rows = len(releases)
    _, axes = plt.subplots(rows, 1, figsize=(6, 2.0 * rows + 0.6 * len(missing)), sharex=True)
    most = max(each.max() for each in releases.values())
    for ax, (title, counts) in zip(axes, releases.items(), strict=True):
        show_counts(ax, counts, rois, epochs)
        ax.images[0].set_clim(0, max(1.6 * most, 1))
        ax.set_title(title)
        ax.tick_params(length=0)
        for i, j in np.argwhere(np.asarray(counts) == 0):
            if title in missing:  # the cell is blank in what is published
                look: dict[str, Any] = {"facecolor": "none", "edgecolor": "0.6", "linewidth": 0}
                ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, hatch="////", **look))
            else:
                ax.text(j, i, "0", ha="center", va="center", color="0.35")
        if title in missing:
            _write_margins(ax, *missing[title])
    two_lines = [each.replace(" ", "\n") for each in epochs]
    axes[-1].set_xticks(range(len(epochs)), two_lines, rotation=0)
    plt.show()


def _write_margins(ax: Axes, by_row: np.ndarray, by_column: np.ndarray) -> None:
    """Write numbers to the right of rows and below columns, with the word missing at the corner."""
    style: dict[str, Any] = {"ha": "center", "va": "center", "clip_on": False, "color": COLORS[1]}
    right, below = len(by_column) - 0.15, len(by_row) - 0.05
    for i, number in enumerate(by_row):
        ax.text(right, i, f"{number:g}", weight="bold", **style)
    for j, number in enumerate(by_column):
        ax.text(j, below, f"{number:g}", weight="bold", **style)
    ax.text(-0.6, below, "missing", **style | {"ha": "right"})
    ax.text(right, -0.75, "missing", **style | {"ha": "right"})


def show_targets(
    score: np.ndarray,
    inside: np.ndarray,
    blocks: Mapping[str, Mapping[str, int]],
    thresholds: Mapping[str, float],
    xlabel: str,
) -> None:
    """Draw histograms of some targets' scores, in releases with and without them, and thresholds.

    In each row, the releases with the target are above the line and those without are below it.
    Beside each row stand the target's AUC, and how many of 100 releases with the target have a
    score above the first threshold.

    Parameters
    ----------
    score : ndarray, shape (targets, releases)
        Scores; the axis is linear between -3 and 3, and logarithmic beyond.
    inside : ndarray of bool, shape (targets, releases)
        Whether the release counts the target.
    blocks : mapping of str to mapping of str to int
        The words above a block of rows -> the words at a row -> the number of its target.
    thresholds : mapping of str to float
        The words above a vertical line, and where it is; the first is the higher one.
    xlabel : str
        What the scores are.

    Returns
    -------
    None
    """
    drawn = score[[i for rows in blocks.values() for i in rows.values()]]
    _, ax = plt.subplots(figsize=(6.4, 0.62 * len(drawn) + 0.5 * len(blocks) + 1.7))
    limits = _scale_scores(ax, [*drawn.ravel(), *thresholds.values()])
    scale = ax.xaxis.get_transform()
    left, right = scale.transform(np.array(limits))
    edges = scale.inverted().transform(np.linspace(left, right, 76))  # of equal drawn width
    beside, ticks = ax.get_yaxis_transform(), {}
    first, height = next(iter(thresholds.values())), 0.0
    for heading, rows in blocks.items():
        ax.text(-0.03, height, heading, transform=beside, ha="right", va="center", weight="bold")
        height += 0.9
        for words, i in rows.items():
            _draw_histograms(ax, score[i, inside[i]], score[i, ~inside[i]], edges, height)
            found = 100 * (score[i, inside[i]] > first).mean()
            numbers = f"{aucs(score[[i]], inside[[i]])[0]:.3f}  {found:4.0f}"
            ax.text(1.03, height, numbers, transform=beside, va="center")
            ticks[words] = height
            height += 1.0
    ax.text(1.03, 0, "AUC, identified", transform=beside, va="center")
    sides = ("left", "right")  # of the higher and of the lower threshold
    for (words, where), dashes, side in zip(thresholds.items(), ("-", "--"), sides, strict=False):
        ax.axvline(where, color="black", linewidth=1.4, linestyle=dashes, marker="")
        ax.text(where, -0.65, words, ha=side, va="bottom")
    bars = [plt.Rectangle((0, 0), 1, 1, **look) for look in _WITH_AND_WITHOUT.values()]
    ax.figure.legend(bars, list(_WITH_AND_WITHOUT), loc="outside upper center", ncols=2)
    ax.set_yticks(list(ticks.values()), list(ticks))
    ax.set_ylim(height - 0.4, -0.6)
    ax.set_xlim(*limits)
    ax.set_xlabel(f"{xlabel};\nlogarithmic beyond {_LINEAR}", x=0.35)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")
    plt.show()


def _scale_scores(ax: Axes, drawn: Sequence[float]) -> tuple[float, float]:
    """Give scores an axis that is logarithmic beyond -3 and 3; return its ends."""
    limits = min(-5.0, 1.1 * min(drawn)), max(350.0, 1.1 * max(drawn))
    ax.set_xscale("symlog", linthresh=_LINEAR, linscale=_LINEAR_WIDTH)
    beyond = [m * 10**power for power in range(1, 7) for m in (1, 3)]
    marks = [*(-each for each in reversed(beyond)), -3, 0, 3, *beyond]
    marks = [each for each in marks if limits[0] <= each <= limits[1]]
    ax.set_xticks(marks, [f"{each:,}" for each in marks])
    ax.minorticks_off()
    return limits


def _draw_histograms(
    ax: Axes, above: np.ndarray, below: np.ndarray, edges: np.ndarray, height: float
) -> None:
    """Draw a histogram upwards and one downwards from a line, with the same bins."""
    shares = [np.histogram(each, edges)[0] / len(each) for each in (above, below)]
    tall = 0.44 / max(each.max() for each in shares)
    for sign, share, look in zip((-1, 1), shares, _WITH_AND_WITHOUT.values(), strict=True):
        filled, x, width = share > 0, edges[:-1], np.diff(edges)
        tops = sign * tall * share[filled]
        ax.bar(x[filled], tops, width[filled], height, align="edge", **look)
    ax.axhline(height, color="0.6", linewidth=0.7, linestyle="-", marker="", zorder=0)


def show_risks(rows: pd.DataFrame, measure: str = FOUND) -> None:
    """Draw the risk of each attack on each release of one dataset, in per cent.

    Rows are attacks with plausible knowledge, then worst cases; columns are releases, below the
    unit of their guarantee, with a key of their letters and verdicts below. A frame marks attacks
    that fail a release: a solid one by a share identified, a dashed one by an AUC only. A cross
    above a number marks attacks whose controls are not at chance level, a dash attacks that were
    not tested, an asterisk attacks that are run on few targets. The colour of no risk is that of
    the page, which is dark in the dark theme.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    measure : str, default FOUND
        Measure of an attack.

    Returns
    -------
    None
    """
    found = rows[(rows["part"] == "attack") & (rows["measure"] == measure)]
    tested = [attack for attack in MEMBERSHIP if attack in set(found["attack"])]
    attacks = [  # from the top; the empty row has the heading of the rows below it
        *(each for each in tested if _PLAUSIBLE[each]),
        "",
        *(each for each in tested if not _PLAUSIBLE[each]),
    ]
    columns = list(dict.fromkeys(rows["release"]))
    figure, ax = plt.subplots(figsize=(6.6, 1.4 + 0.42 * len(attacks)))
    _write_risks(ax, found, attacks, columns)
    _frame_failures(ax, rows, attacks, columns)
    called = [NAMES.get(a, "") + "*" * (a in LEARNED) for a in attacks]
    ax.set_yticks(range(len(attacks)), called)
    bold: dict[str, Any] = {"ha": "right", "va": "center", "weight": "bold", "fontsize": 11}
    for row, words in ((-0.85, "plausible attackers"), (attacks.index(""), "worst cases")):
        ax.text(-0.65, row, words, **bold)
    _write_verdicts(ax, rows, columns)
    ax.tick_params(labelsize=11, length=0)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    _mark_blocks(ax, [_GUARANTEED_TO[release_kind(each)] for each in columns])
    signs = {
        "fails because of the share identified": plt.Rectangle((0, 0), 1, 1, **_FRAME),
        "fails because of an AUC only": plt.Rectangle((0, 0), 1, 1, linestyle=_DASHES, **_FRAME),
        "controls not at chance level": _sign("x"),
        f"{QUICK.slow_targets} targets only": _sign("$*$"),
    }
    place: dict[str, Any] = {"loc": "outside upper center", "ncols": 2, "fontsize": 11}
    figure.legend(signs.values(), signs.keys(), handlelength=1.2, **place)
    plt.show()


def _sign(marker: str, color: str = "black", **look: Any) -> plt.Line2D:
    """A mark for a legend."""
    return plt.Line2D([], [], color=color, marker=marker, linestyle="", **look)


def _frame_failures(ax: Axes, rows: pd.DataFrame, attacks: list[str], releases: list[str]) -> None:
    """Frame the cells of attacks that fail a release: dashed if by an AUC only."""
    failing = rows[(rows["part"] == "attack") & (rows["severity"] == "fail")]
    for (attack, release), part in failing.groupby(["attack", "release"]):
        if attack not in attacks or release not in releases:
            continue
        limits = part["measure"].map(FAILS).astype(float)
        by_share = (part["measure"].str.startswith("TPR") & (part["low"] >= limits)).any()
        corner = releases.index(release) - 0.44, attacks.index(attack) - 0.44
        dashes = "-" if by_share else _DASHES
        ax.add_patch(plt.Rectangle(corner, 0.88, 0.88, linestyle=dashes, **_FRAME))


def _write_verdicts(ax: Axes, rows: pd.DataFrame, releases: list[str]) -> None:
    """Write the letter of each column, the word fail below it, and a key with all verdicts."""
    verdicts = rows[rows["part"] == "verdict"].set_index("release")["measure"].to_dict()
    letters = [RELEASES[each].split(":")[0] for each in releases]
    words = [str(verdicts.get(each, "")).replace("-", " ") for each in releases]
    ax.set_xticks(range(len(releases)), letters, weight="bold")
    below = ax.get_yticks()[-1] + 1.5
    style: dict[str, Any] = {"va": "center", "fontsize": 11}
    ax.text(6.2, below + 0.5, "verdict", weight="bold", **style)
    for number, (release, verdict) in enumerate(zip(releases, words, strict=True)):
        look: dict[str, Any] = dict(style)
        if verdict == "fail":
            look |= {"weight": "bold", "color": COLORS[1]}
            ax.text(number, below - 0.12, "fails", ha="center", **look)
        line = below + 1.1 + 0.53 * number
        ax.text(-4.6, line, RELEASES[release], **look)
        ax.text(6.2, line, verdict, **look)


def _write_risks(ax: Axes, found: pd.DataFrame, attacks: list[str], releases: list[str]) -> None:
    """Draw a coloured cell with its number for each attack (row) and release (column)."""
    blind = (found["control low"] > 0.5) | (found["control high"] < 0.5)
    values, crossed = (
        found.assign(own=each)
        .pivot(index="attack", columns="release", values="own")
        .reindex(index=attacks, columns=releases)
        .to_numpy(float)
        for each in (found["value"], blind)
    )
    _write_shares(ax, values, crossed == 1)


def _write_shares(ax: Axes, shares: np.ndarray, crossed: np.ndarray | None = None) -> None:
    """Draw a coloured cell for each share with its number of 100, a dash where there is none.

    A row without any share stays empty.
    """
    empty = np.isnan(shares).all(axis=1)
    drawn = np.ma.masked_array(np.nan_to_num(shares), np.broadcast_to(empty[:, None], shares.shape))
    ax.imshow(drawn, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for (i, j), value in np.ndenumerate(shares):
        text, ink = "" if empty[i] else "–", "black"
        if np.isfinite(value):
            text = "×\n" * int(crossed is not None and crossed[i, j]) + f"{100 * value:.0f}"
            ink = "black" if value < _LIGHT_INK else "white"
        ax.text(j, i, text, ha="center", va="center", color=ink, fontsize=11)


def _mark_blocks(ax: Axes, words: Sequence[str]) -> None:
    """Name blocks of columns with the same words at the top, and draw a line between two blocks."""
    blocks = [(name, len(list(each))) for name, each in groupby(words)]
    ends = np.cumsum([size for _, size in blocks]) - 0.5
    starts = np.r_[-0.5, ends[:-1]]
    for end in ends[:-1]:
        ax.axvline(end, color="black", linewidth=1.6, marker="")
    above = ax.secondary_xaxis("top")
    above.set_xticks((starts + ends) / 2, [name for name, _ in blocks])
    above.tick_params(length=0, labelsize=10)
    above.spines[:].set_visible(False)


def show_risk_and_use(
    rows: pd.DataFrame, knowledge: Sequence[str], smaller: Sequence[str] = ()
) -> None:
    """Draw the share of members identified against the rank correlation of places.

    A panel for each knowledge; intervals are the audit's; letters are those of
    `RELEASES`. The vertical axis is logarithmic, and smaller shares than its lower end
    are drawn there, with an arrow. Releases of the same usefulness are drawn side by side. Where a
    release fails by an AUC, and not by the share that is drawn, words say so.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    knowledge : sequence of str
        Names of an attacker's knowledge, a panel each.
    smaller : sequence of str, default ()
        Names of presets whose shares are from smaller releases than the others; their marks are
        hollow.

    Returns
    -------
    None
    """
    found = risk_and_use(rows)
    releases = list(dict.fromkeys(found["release"]))
    failing = set(rows.loc[(rows["part"] == "verdict") & (rows["measure"] == "fail"), "release"])
    n = len(knowledge)
    size = (6, 1.8 + 2.6 * n)
    figure, panels = plt.subplots(n, 1, figsize=size, sharex=True, sharey=True, squeeze=False)
    for ax, name in zip(panels[:, 0], knowledge, strict=True):
        of = found[found["knowledge"] == name].sort_values(["use", "release"])
        of = of.assign(at=_spread(of["use"].to_numpy(float)), hollow=of["release"].isin(smaller))
        _draw_risks(ax, of, failing)
        if name in _PLAUSIBLE_KNOWLEDGE:
            _note_aucs(ax, of, rows[rows["attack"].map(_KNOWS) == name])
        ax.axhline(0.01, color="black", linestyle=":", linewidth=1.4, marker="")
        ax.text(0.7, 0.0105, "a guess", ha="center", va="bottom", fontsize=11)
        ax.add_patch(plt.Rectangle((0.8, 0.7 * _FLOOR), 0.3, 0.1, color="0.9", zorder=0))
        ax.text(0.93, 0.0038, "order kept,\nat most 0.1", ha="center", fontsize=11)
        ax.set(yscale="log", ylim=(0.7 * _FLOOR, 1))
        ax.set_xlim(-0.05, 1.06)
        ticks = {_FLOOR: f"{_FLOOR} or less", 0.01: "0.01", 0.1: "0.1", 1: "1"}
        ax.set_yticks(list(ticks), list(ticks.values()))
        ax.set_title(f"share identified if the attacker knows\n{KNOWN[name]}")
    panels[-1, 0].set_xlabel("rank correlation of places (1: order kept, 0: order lost)")
    letters: dict[str, list[str]] = {}
    for each in releases:
        letters.setdefault(release_kind(each), []).append(RELEASES[each].split(":")[0])
    handles = {
        f"{', '.join(letters[kind])}: {kind}": _sign(marker, color)
        for kind, (color, marker) in KINDS.items()
        if kind in letters
    }
    handles["ring: the verdict is fail"] = _sign("o", markersize=11, mfc="none")
    if smaller:
        handles["hollow: smaller releases"] = _sign("v", mfc="white")
    place: dict[str, Any] = {"loc": "outside upper center", "ncols": 2, "fontsize": 10}
    figure.legend(handles.values(), handles.keys(), **place)
    plt.show()


def show_data(rows: pd.DataFrame, knowledge: Sequence[str]) -> None:
    """Draw the members identified of 100 on each release (row) and dataset (column).

    In the panels of plausible attackers, a frame marks a release that fails: a dashed one if only
    measures at full size make it fail. An arrow there leads to the number at full size.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases` for several datasets.
    knowledge : sequence of str
        Names of an attacker's knowledge, a panel each.

    Returns
    -------
    None
    """
    found = by_knowledge(rows)
    names = [_SHORT_DATA[each] for each in dict.fromkeys(found["data"])]
    size = (6, 0.5 + 4.0 * len(knowledge))
    figure, panels = plt.subplots(len(knowledge), 1, figsize=size, sharex=True, squeeze=False)
    for ax, name in zip(panels[:, 0], knowledge, strict=True):
        table = _data_across(found[found["knowledge"] == name])
        _write_shares(ax, table.to_numpy(float))
        ax.set_yticks(range(len(table)), [RELEASES[each] for each in table.index])
        ax.set_xticks(range(len(names)), names)
        ax.set_title(f"known: {KNOWN[name]}")
        ax.tick_params(labelsize=11, length=0)
        ax.grid(False)
        ax.spines[:].set_visible(False)
        if name in _PLAUSIBLE_KNOWLEDGE:
            releases, data = list(table.index), list(dict.fromkeys(found["data"]))
            dashed = _frame_releases(ax, rows, releases, data)
            of_full = by_knowledge(rows, f"{FOUND}, full size").query("knowledge == @name")
            for row in of_full.to_dict("records"):
                if (row["data"], row["release"]) in dashed and np.isfinite(row["value"]):
                    cell = releases.index(row["release"]) * len(data) + data.index(row["data"])
                    text = ax.texts[cell]  # the cells are written row by row
                    text.set_text(f"{text.get_text()} → {100 * row['value']:.0f}")
    signs = {
        "the release fails": plt.Rectangle((0, 0), 1, 1, **_FRAME),
        "fails at full size only (→)": plt.Rectangle((0, 0), 1, 1, linestyle=_DASHES, **_FRAME),
    }
    place: dict[str, Any] = {"loc": "outside upper center", "ncols": 2, "fontsize": 11}
    figure.legend(signs.values(), signs.keys(), handlelength=1.2, **place)
    plt.show()


def _frame_releases(
    ax: Axes, rows: pd.DataFrame, releases: list[str], data: list[str]
) -> list[tuple[str, str]]:
    """Frame the cells of failing releases: dashed if only measures at full size make them fail.

    Return the dataset and the release of each cell with a dashed frame.
    """
    dashed = []
    at_full_size = rows["measure"].str.contains("full size", na=False)
    in_smaller = failing_releases(rows[~at_full_size])
    failing = rows[(rows["part"] == "verdict") & (rows["measure"] == "fail")]
    for release, where in zip(failing["release"], failing["data"], strict=True):
        if release not in releases or where not in data:
            continue
        corner = data.index(where) - 0.47, releases.index(release) - 0.44
        if (where, release) not in in_smaller:
            dashed.append((where, release))
        dashes = "-" if (where, release) in in_smaller else _DASHES
        ax.add_patch(plt.Rectangle(corner, 0.94, 0.88, linestyle=dashes, **_FRAME))
    return dashed


def show_two_measures(
    rows: pd.DataFrame, measures: Mapping[str, str], knowledge: Mapping[str, float | None]
) -> None:
    """Draw the members identified by two measures, two dots with intervals for each release.

    The axis is a square root's, which spreads small shares.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases` for one dataset.
    measures : mapping of str to str
        Two measures of an attack, with their words in the legend.
    knowledge : mapping of str to float or None
        Names of an attacker's knowledge, a panel each, with the share at which such an attack
        fails a release: a dotted line, or none.

    Returns
    -------
    None
    """
    n = len(knowledge)
    figure, panels = plt.subplots(n, 1, figsize=(6, 0.8 + 3.8 * n), sharex=True, squeeze=False)
    for ax, (name, limit) in zip(panels[:, 0], knowledge.items(), strict=True):
        _draw_measures(ax, rows, measures, name)
        if limit is not None:
            ax.axvline(100 * limit, color="black", linewidth=1.2, linestyle=":", marker="")
            ax.text(102 * limit, 10.3, " fails", va="bottom", fontsize=11)
        ax.tick_params(axis="y", labelsize=11, length=0, pad=9)
        ax.set_title(f"known: {KNOWN[name]}")
    panels[-1, 0].set_xlabel("identified of 100 (square-root axis)")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    plt.show()


def _draw_measures(
    ax: Axes, rows: pd.DataFrame, measures: Mapping[str, str], knowledge: str
) -> None:
    """Draw two dots with intervals for each release, from the top, of the best attack."""
    releases = list(dict.fromkeys(rows["release"]))
    for number, (measure, words) in enumerate(measures.items()):
        found = by_knowledge(rows, measure).set_index(["knowledge", "release"]).loc[knowledge]
        shares = 100 * found.reindex(releases)[["value", "low", "high"]].to_numpy(float)
        value, low, high = shares.T
        reach = np.stack([value - np.maximum(low, 0), high - value])
        look: dict[str, Any] = {"color": COLORS[number], "marker": MARKERS[number], "linestyle": ""}
        at = np.arange(len(releases)) + 0.36 * number - 0.18
        for row in at[np.isnan(value)]:
            beside: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "fontsize": 11}
            ax.text(0.99, row, f"{words}: not run", ha="right", va="center", color="0.35", **beside)
        ax.errorbar(value, at, xerr=reach, label=words, linewidth=1.2, clip_on=False, **look)
    ax.set_xscale("function", functions=(lambda x: np.sqrt(np.maximum(x, 0)), np.square))
    ax.set_xticks([0, 1, 5, 10, 25, 50, 100])
    ax.set_yticks(range(len(releases)), [RELEASES[each] for each in releases])
    ax.set(ylim=(len(releases) - 0.4, -0.6), xlim=(0, 100))


def sizes_table(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Summarise, for several data, how the share identified changes with the size of a release.

    Parameters
    ----------
    tables : mapping of str to pandas.DataFrame
        Name of the data to what `size_experiments.size_table` returns.

    Returns
    -------
    pandas.DataFrame
        Text for readers: a row for each data and release, with the smallest and the largest of 100
        members identified in any division, and the number of divisions with fewer at full size.
    """
    found = []
    for data, table in tables.items():
        for release, part in table.groupby(level="release", sort=False):
            ends = {
                words: f"{100 * part[column].min():.0f} to {100 * part[column].max():.0f}"
                for column, words in (
                    ("smaller, each alone", "smaller releases, of 100"),
                    ("full size", "full size, of 100"),
                )
            }
            fewer = (part["full size"] < part["smaller, each alone"]).sum()
            told = {"fewer at full size": f"in {fewer} of {len(part)} divisions"}
            found.append({"data": data, "release": RELEASES[str(release)]} | ends | told)
    return pd.DataFrame(found).set_index(["data", "release"])


def show_divisions(table: pd.DataFrame, limit: float) -> None:
    """Draw the share identified in three evaluations, a line for each division of the people.

    The first and the last division are named to the right of the frame, with the last share; the
    others are grey.

    Parameters
    ----------
    table : pandas.DataFrame
        As `size_experiments.size_table` returns it: index (release, division), a column for each
        evaluation.
    limit : float
        Share at which a plausible attack fails a release; a dotted line.

    Returns
    -------
    None
    """
    releases = list(table.index.unique("release"))
    size = (6, 2.7 * len(releases))
    _, axes = plt.subplots(len(releases), 1, figsize=size, sharex=True, sharey=True)
    top = 110 * max(table.max().max(), limit)
    for ax, release in zip(axes, releases, strict=True):
        shares = 100 * table.loc[release]
        named = {each: f"division {each}" for each in shares.index[[0, -1]]}
        near = abs(shares.iloc[0, -1] - shares.iloc[-1, -1]) < 0.1 * top  # names would overlap
        for division, values in shares.iterrows():
            look: dict[str, Any] = {"color": "0.6", "marker": "o", "linestyle": "-", "linewidth": 1}
            if division in named:
                number = list(named).index(division)
                look = {"color": COLORS[number], "marker": MARKERS[number], "zorder": 3}
                look["linestyle"] = LINES[number]
                upper = values.iloc[-1] >= shares.iloc[[0, -1], -1].max()
                place = ("bottom" if upper else "top") if near else "center"
                style: dict[str, Any] = {"va": place, "fontsize": 11}
                style["transform"] = ax.get_yaxis_transform()  # to the right of the frame
                words = f"{named[division]}: {values.iloc[-1]:.0f}"
                ax.text(1.02, values.iloc[-1], words, color=COLORS[number], **style)
            ax.plot(range(len(values)), values, **look)
        ax.axhline(100 * limit, color="black", linewidth=1, linestyle=":", marker="")
        ax.text(-0.65, 102 * limit, f"fails at {100 * limit:.0f}", va="bottom", fontsize=11)
        ax.set(title=RELEASES[release], ylabel="identified of 100", xlim=(-0.68, 2.15))
        ax.set_ylim(0, top)
    axes[-1].set_xticks(range(len(table.columns)), [fill(each, 14) for each in table.columns])
    plt.show()


def _note_aucs(ax: Axes, drawn: pd.DataFrame, rows: pd.DataFrame) -> None:
    """Write beside a mark that its release fails by an AUC, if the share is not enough."""
    failing = rows[(rows["severity"] == "fail") & rows["measure"].str.startswith("AUC", na=False)]
    by_auc = set(failing.loc[failing["low"] >= failing["measure"].map(FAILS), "release"])
    beside: dict[str, Any] = {"textcoords": "offset points", "va": "center", "ha": "right"}
    noted = drawn[drawn["release"].isin(by_auc) & (drawn["low"] < FAILS[FOUND])]
    for row in noted.to_dict("records"):
        place = row["at"], max(_FLOOR, row["value"])
        ax.annotate("fails by\nits AUC", place, (-14, 0), fontsize=10, **beside)


def _draw_risks(ax: Axes, rows: pd.DataFrame, failing: set[str]) -> None:
    """Draw a mark with its interval and its letter for each release, with a ring if it fails."""
    before = -np.inf
    for row in rows.to_dict("records"):
        tint, marker = KINDS[release_kind(row["release"])]
        value, low, high = (max(_FLOOR, row[end]) for end in ("value", "low", "high"))
        style: dict[str, Any] = {"color": tint, "marker": marker, "linestyle": ""}
        reach = [[value - low], [high - value]]
        style["clip_on"] = False
        style["mfc"] = "white" if row["hollow"] else tint
        ax.errorbar(row["at"], value, reach, linewidth=1.2, markersize=8, **style)
        fails = row["release"] in failing
        if fails:
            ring: dict[str, Any] = {"markersize": 16, "mfc": "none", "mew": 1.2, "color": "black"}
            ax.plot(row["at"], value, "o", clip_on=False, **ring)
        letter = RELEASES[row["release"]].split(":")[0]
        if row["value"] < _FLOOR:
            below: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "center"}
            ax.annotate("↓", (row["at"], value), (0, -11), annotation_clip=False, **below)
        look: dict[str, Any] = {"textcoords": "offset points", "fontsize": 11}
        if high > _HIGH or letter == "I":  # above its interval, an I would look like a part of it
            side = 1 if row["at"] - before < 2 * _APART else -1  # away from the mark before
            aside = (side * (11 if fails else 7), 0)
            look |= {"ha": "left" if side > 0 else "right", "va": "center"}
            ax.annotate(letter, (row["at"], value), aside, annotation_clip=False, **look)
        else:
            up = (0, 11 if fails else 7)
            ax.annotate(letter, (row["at"], high), up, ha="center", **look)
        before = row["at"]


def _spread(ordered: np.ndarray) -> np.ndarray:
    """Move ascending numbers as little as possible until they are `_APART` from each other."""
    steps = _APART * np.arange(len(ordered))
    return optimize.isotonic_regression(ordered - steps).x + steps


def risk_and_use_table(rows: pd.DataFrame, knowledge: Sequence[str]) -> pd.DataFrame:
    """Tabulate verdict, usefulness and risk by knowledge of one dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    knowledge : sequence of str
        Names of an attacker's knowledge, a panel each.

    Returns
    -------
    pandas.DataFrame
        Text for readers.
    """
    found = risk_and_use(rows)
    found["share"] = _cell(found)
    releases = list(dict.fromkeys(found["release"]))
    table = found.pivot(index="release", columns="knowledge", values="share")
    table = table.reindex(index=releases, columns=list(knowledge))
    use = rows[rows["part"] == "usefulness"].set_index(["measure", "release"])["value"]
    verdicts = rows[rows["part"] == "verdict"].set_index("release")["measure"]
    table.insert(0, "verdict", verdicts.reindex(releases).str.replace("-", " "))
    table.insert(
        1, "rank correlation of places", use[ORDER].reindex(releases).astype(float).round(2)
    )
    table.insert(2, "error of a count", use["MRE"].reindex(releases).astype(float).round(3))
    return table.rename(columns=KNOWN).rename_axis("release")

"""Figures and wide tables of the audit: attacks x releases, risk against usefulness."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib import audit
from lib.audit.attacks import ATTACKS
from lib.audit.releases import ABOUT, UNITS
from lib.papers.audit.experiments import EXPOSED, FOUND, ORDER, by_knowledge, risk_and_use
from lib.papers.figures import COLORS, label, show_counts
from lib.papers.summaries import in_brackets

NAMES = {  # of attacks, in tables and figures
    "sum-of-cells": "sum over her cells",
    "one-threshold": "one threshold",
    "two-threshold": "two thresholds",
    "likelihood-ratio-crowd": "likelihood ratio",
    "likelihood-ratio-some-others": "ratio, 30% known",
    "likelihood-ratio-correlated": "correlated ratio",
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
    "trajectory-map": "most probable way",
    "trajectory-modes": "place of each hour",
    "trajectory-assignment": "everybody's ways at once",
    "unicity": "unicity",
    "two-releases": "two releases",
    "totals": "hidden counts from totals",
}
KNOWN = {  # knowledge that membership attacks have, in tables and figures
    "her visits": "her visits",
    "her visits and the map": "and the map",
    "past releases": "past releases",
    "crowd": "the crowd",
    "some others": "30% of the others",
    "everybody else": "everybody else",
}
RULES = (
    "sum-of-cells",
    "one-threshold",
    "two-threshold",
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
KINDS = {  # of releases, by what they promise: colour and marker
    "nothing is done": (COLORS[6], "X"),
    "hidden or rounded": (COLORS[1], "s"),
    "noise for a visit": (COLORS[2], "^"),
    "noise for a day": (COLORS[3], "D"),
    "noise for a person": (COLORS[0], "o"),
}

_NEAR = 0.03  # releases so near to each other in usefulness share a label


def release_kind(release: str) -> str:
    """Which of `KINDS` a preset is."""
    unit = audit.parse(release).unit
    if unit is not None:
        return {"visit": "noise for a visit", "user-day": "noise for a day"}.get(
            unit, "noise for a person"
        )
    return "nothing is done" if release == "raw" else "hidden or rounded"


# -- tables ----------------------------------------------------------------------------------------


def threats_table(threats: pd.DataFrame) -> pd.DataFrame:
    """`experiments.audit.threats` with the attacks' names."""
    attacks = threats["attack"].map(lambda ids: ", ".join(NAMES[each] for each in ids))
    return threats.assign(attack=attacks).rename(columns={"attack": "attacks"})


def guarantees_table(guarantees: pd.DataFrame) -> pd.DataFrame:
    """`experiments.audit.promises` with words: what each does, whom it promises something, how much."""
    return pd.DataFrame(
        {
            "what is published": [ABOUT[name].split(";")[0] for name in guarantees.index],
            "unit": [UNIT_WORDS.get(unit, "nobody") for unit in guarantees["unit"]],
            "ε": [_number(value) for value in guarantees["epsilon"]],
            "ε of a person": [_number(value) for value in guarantees["epsilon of a person"]],
        },
        index=guarantees.index,
    )


def _number(value: float | None) -> str:
    if value is None or not np.isfinite(value):
        return ""
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _of(rows: pd.DataFrame, attacks: Sequence[str], measure: str) -> pd.DataFrame:
    found = rows[(rows["part"] == "attack") & (rows["measure"] == measure)]
    return found.set_index("attack").reindex([a for a in attacks if a in set(found["attack"])])


def _cell(rows: pd.DataFrame) -> list[str]:
    return [in_brackets(*row) for row in rows[["value", "low", "high"]].to_numpy(float)]


def members_table(
    rows: pd.DataFrame, attacks: Sequence[str] = MEMBERSHIP, exposed: bool = True
) -> pd.DataFrame:
    """Membership attacks on one release: AUC, share found, the AUC of people who were never in.

    exposed  whether with the share found of the most exposed tenth
    """
    auc = _of(rows, attacks, "AUC")
    table = {"AUC": _cell(auc), "found": _cell(_of(rows, attacks, FOUND))}
    if exposed:
        table["found, most exposed"] = _cell(_of(rows, attacks, EXPOSED))
    ends = auc[["control", "control low", "control high"]].to_numpy(float)
    table["AUC, never in"] = [in_brackets(*row) for row in ends]
    return pd.DataFrame(table, index=[NAMES[a] for a in auc.index]).rename_axis("attack")


def gains_table(rows: pd.DataFrame, attacks: Sequence[str] = OTHERS) -> pd.DataFrame:
    """What the other attacks gain over their baselines on one release, and their controls."""
    found = rows[(rows["part"] == "attack") & rows["measure"].isin(GAINS)].set_index("attack")
    found = found.reindex([a for a in attacks if a in found.index])
    knows = {each.id: each.threat.knowledge.name for each in ATTACKS}
    return (
        pd.DataFrame(
            {
                "knows": [knows[a] for a in found.index],
                "gain over": found["measure"].map(_BASELINES),
                "gain": _cell(found),
                "never in": [
                    in_brackets(*row)
                    for row in found[["control", "control low", "control high"]].to_numpy(float)
                ],
                "severity": found["severity"],
            }
        )
        .rename(index=NAMES)
        .rename_axis("attack")
    )


_BASELINES = {
    "gain over the prior": "the prior's error",
    "steps recovered beyond the baseline": "steps of the prior",
    "visits found beyond chance": "a guess at her visits",
    "hidden counts recovered": "none",
}


def ways_and_sightings(rows: pd.DataFrame) -> str:
    """One release: steps of a way that each attack gets right, and people singled out."""
    ways, alone = [], []
    columns = ["attack", "measure", "value", "low", "high"]
    for attack, measure, *numbers in rows[columns].itertuples(index=False):
        share = in_brackets(*numbers)
        if measure == "steps recovered":
            ways.append(f"{NAMES[attack]} {share}")
        elif str(measure).startswith("singled out by"):
            alone.append(f"{measure.split()[-2]}: {share}")
    said = {"Steps right (F1)": ways, "People singled out, by how many sightings": alone}
    return "\n".join(f"{what}: {', '.join(found)}." for what, found in said.items() if found)


def visits_published(rows: pd.DataFrame) -> str:
    """The share of visits that is in what each release publishes, a line each dataset."""
    found = rows[rows["measure"] == "visits published"]
    lines = []
    for data, of in found.groupby("data", sort=False):
        shares = ", ".join(
            f"{name} {x:.3f}" for name, x in zip(of["release"], of["value"], strict=True)
        )
        lines.append(f"Visits published, {label(str(data))}: {shares}.")
    return "\n".join(lines)


def not_tested(rows: pd.DataFrame) -> str:
    """A sentence on each attack that could not be tried on a release."""
    found = rows[rows["measure"] == "not tested"]
    return "\n".join(
        f"Not tested: {NAMES[row['attack']]} ({row['why']})." for _, row in found.iterrows()
    )


def knowledge_table(rows: pd.DataFrame, measure: str = FOUND) -> pd.DataFrame:
    """Risk by release (rows) and knowledge (columns): the most that any attack reaches with it.

    One dataset, or a first level of the index for several.
    """
    found = by_knowledge(rows, measure)
    found["share"] = _cell(found)
    columns = [
        name
        for name in ("her visits", "past releases", "crowd", "some others", "everybody else")
        if name in set(found["knowledge"])
    ]
    index = ["release"] if len(set(found["data"])) == 1 else ["data", "release"]
    order = pd.MultiIndex.from_frame(found[index].drop_duplicates())
    table = found.set_index([*index, "knowledge"])["share"].unstack("knowledge")
    table = table.reindex(order.get_level_values(0) if len(index) == 1 else order)
    return table[columns].rename(columns=KNOWN).fillna("not tested")


def data_table(rows: pd.DataFrame, knowledge: str = "crowd") -> pd.DataFrame:
    """Share found with one knowledge: a column each dataset, a row each release that all have."""
    found = by_knowledge(rows)
    found = found[found["knowledge"] == knowledge]
    found["share"] = _cell(found)
    order = list(dict.fromkeys(found["release"]))
    table = found.pivot(index="release", columns="data", values="share").reindex(order).dropna()
    return table[list(dict.fromkeys(found["data"]))].rename(columns=label)


def order_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What is left of the order of places: columns and rows as in `data_table`."""
    found = rows[rows["measure"] == ORDER]
    order = list(dict.fromkeys(found["release"]))
    table = found.pivot(index="release", columns="data", values="value").reindex(order).dropna()
    return table[list(dict.fromkeys(found["data"]))].rename(columns=label)


def epsilon_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What each release with noise declares, and what was seen at least [ceiling]."""
    part = rows[rows["part"] == "epsilon"]
    table = {}
    for release, each in part.groupby("release", sort=False):
        by = {row["attack"]: row for row in each.to_dict("records")}
        declared = by["declared"]
        if pd.isna(declared["value"]):
            continue
        table[release] = {
            "for": UNIT_WORDS[declared["measure"]],
            "ε declared": _number(declared["value"]),
        } | {words: _bound(by[name]) if name in by else "" for name, words in _BOUNDS.items()}
    return pd.DataFrame.from_dict(table, orient="index").rename_axis("release")


_BOUNDS = {
    "neighbours": "with and without the unit",
    "a crowd in one cell": "a crowd in one cell",
    "one run, people at random": "one run, of a person",
}


def _bound(row: Mapping[Hashable, Any]) -> str:
    return f"{row['value']:.3g} (of {row['ceiling']:.3g})"


# -- figures ---------------------------------------------------------------------------------------


def risk_map(rows: pd.DataFrame, measure: str = FOUND) -> None:
    """Attacks x releases of one dataset, each share in per cent; a cross where controls are found.

    Grey is not tested.
    """
    found = rows[(rows["part"] == "attack") & (rows["measure"] == measure)]
    releases = list(dict.fromkeys(rows["release"]))
    attacks = [a for a in MEMBERSHIP if a in set(found["attack"])]
    shares = found.pivot(index="attack", columns="release", values="value")
    blind = found.assign(b=(found["control low"] > 0.5) | (found["control high"] < 0.5))
    blind = blind.pivot(index="attack", columns="release", values="b")
    shares = shares.reindex(index=attacks, columns=releases)
    blind = blind.reindex(index=attacks, columns=releases)
    values = shares.to_numpy(float)
    _, ax = plt.subplots(figsize=(6, 1.9 + 0.36 * len(attacks)))
    ax.set_facecolor("#DDDDDD")
    ax.imshow(np.ma.masked_invalid(values), cmap="cividis", vmin=0, vmax=1, aspect="auto")
    for (i, j), value in np.ndenumerate(values):
        if np.isfinite(value):
            cross = "×" if blind.iloc[i, j] is True or blind.iloc[i, j] == 1 else ""
            ink = "white" if value < 0.5 else "black"
            ax.text(
                j, i, f"{100 * value:.0f}{cross}", ha="center", va="center", color=ink, fontsize=11
            )
    short = [name.removesuffix("-epsilon-1") for name in releases]
    ax.set_xticks(
        range(len(releases)), short, rotation=55, ha="right", fontsize=11, rotation_mode="anchor"
    )
    ax.set_yticks(
        range(len(attacks)), [NAMES[a].replace("Knock-Knock", "KK") for a in attacks], fontsize=11
    )
    ax.grid(False)
    ax.spines[:].set_visible(False)
    plt.show()


def show_risk_and_use(rows: pd.DataFrame, knowledge: Sequence[str]) -> None:
    """Share of members found against what is left of the order of places: a panel a knowledge.

    Intervals are the audit's. Letters are those of `risk_and_use_table`.
    """
    found = risk_and_use(rows)
    releases = list(dict.fromkeys(found["release"]))
    letters = {name: chr(ord("A") + i) for i, name in enumerate(releases)}
    figure, panels = plt.subplots(
        len(knowledge),
        1,
        figsize=(6, 1.6 + 2.6 * len(knowledge)),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for ax, name in zip(panels[:, 0], knowledge, strict=True):
        of = found[found["knowledge"] == name].sort_values("use")
        for row in of.to_dict("records"):
            tint, marker = KINDS[release_kind(row["release"])]
            reach = [[max(0.0, row["value"] - row["low"])], [max(0.0, row["high"] - row["value"])]]
            ax.errorbar(
                row["use"],
                row["value"],
                reach,
                color=tint,
                marker=marker,
                linestyle="",
                markersize=8,
                linewidth=1.2,
            )
        for _, near in of.groupby((of["use"].diff() > _NEAR).cumsum()):
            words = ", ".join(sorted(letters[release] for release in near["release"]))
            ax.annotate(
                words,
                (near["use"].mean(), near["high"].max()),
                (0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=11,
            )
        ax.axhline(0.01, color="black", linestyle=":", linewidth=1.4)
        ax.set(ylim=(-0.08, 1.3), yticks=[0, 0.5, 1], ylabel="share found")
        ax.set_title(f"who knows {KNOWN[name]}")
    panels[-1, 0].set_xlabel("order of places kept (1: all, 0: nothing)")
    used = [k for k in KINDS if k in {release_kind(r) for r in releases}]
    handles = [
        plt.Line2D([], [], color=KINDS[k][0], marker=KINDS[k][1], linestyle="", label=k)
        for k in used
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=2, fontsize=10)
    plt.show()


def risk_and_use_table(rows: pd.DataFrame, knowledge: Sequence[str]) -> pd.DataFrame:
    """The figure's letters, of one dataset: verdict, usefulness, share found by knowledge."""
    found = risk_and_use(rows)
    found["share"] = _cell(found)
    releases = list(dict.fromkeys(found["release"]))
    table = found.pivot(index="release", columns="knowledge", values="share")
    table = table.reindex(index=releases, columns=list(knowledge))
    use = rows[rows["part"] == "usefulness"].set_index(["measure", "release"])["value"]
    verdicts = rows[rows["part"] == "verdict"].set_index("release")["measure"]
    table.insert(0, "verdict", verdicts.reindex(releases).str.replace("-", " "))
    table.insert(1, "order of places", use[ORDER].reindex(releases))
    table.insert(2, "error of a count", use["MRE"].reindex(releases))
    table.index = [f"{chr(ord('A') + i)}: {name}" for i, name in enumerate(releases)]
    return table.rename(columns=KNOWN).rename_axis("release")


def show_releases(published: dict[str, np.ndarray], rois: list[str], epochs: list[str]) -> None:
    """Releases of the same counts below each other."""
    _, panels = plt.subplots(len(published), 1, figsize=(6, 2.0 * len(published)), sharex=True)
    for ax, (name, counts) in zip(panels, published.items(), strict=True):
        show_counts(ax, counts, rois, epochs)
        ax.set_title(name)
    plt.show()

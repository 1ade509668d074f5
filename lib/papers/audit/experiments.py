"""One release, every attack: the audit of `lib.audit` played on groups of people, as rows.

A unit is a release, by its preset's name. `python -m lib audit` does the same to a reader's own
records, and writes a report; here are rows, to be compared over releases and data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib import audit
from lib.audit import verdicts
from lib.audit.attacks import ATTACKS
from lib.audit.epsilon import accountant, crowd_in_a_cell
from lib.audit.games import FEWEST_USERS
from lib.audit.releases import PRESETS, UNITS, with_mechanism
from lib.datasets import load
from lib.execution.results import Row
from lib.mechanisms import Laplace
from lib.papers.experiments import Unit, experiment
from lib.randomness import stream
from lib.traces import Traces

RELEASES = tuple(PRESETS)
SELECTED_RELEASES = ("raw", "mds-k10", "event-epsilon-1", "user-day-epsilon-1", "user-epsilon-1")
FOUND = "TPR at 1.0% FPR"
ORDER = "rank correlation of places"
EXPOSED = "TPR at 1.0% FPR, most exposed tenth"


def sample_group(traces: Traces, n_users: int, seed: int) -> Traces:
    """The people whose counts are to be published: n_users at random, all if there are no more."""
    if traces.n_users <= n_users:
        return traces
    kept = stream(seed, "audit-group").permutation(traces.n_users)[:n_users]
    return traces.select(users=traces.users[np.sort(kept)])


def load_groups(
    datasets: Mapping[str, str], n_users: int, seed: int, path: str = ""
) -> dict[str, Traces]:
    """`group` of each dataset, by what it is called on a page; a sentence where users are fewer.

    Raises ValueError, naming the data, for fewer users than an audit needs.
    """
    found = {}
    for name, source in datasets.items():
        traces = load(source, path or None)
        if traces.n_users < FEWEST_USERS:
            raise ValueError(f"{name} has {traces.n_users} users; an audit needs {FEWEST_USERS}")
        if traces.n_users < n_users:
            print(f"{name}: {traces.n_users} users instead of {n_users} (n_users): all of them.")
        found[name] = sample_group(traces, n_users, seed)
    return found


# -- the experiment -------------------------------------------------------------------------------------


def _releases(context: Traces, releases: Sequence[str]) -> list[Unit]:
    return list(releases)


@experiment(
    "audit-releases",
    unit=("release",),
    units=_releases,
    at_paper={
        "flights-by-number": {},
        "flights-by-tail": {},
        "cabspotting": {"n_users": 534, "quick": True, "releases": SELECTED_RELEASES},
        "commuters": {"n_users": 10_000, "quick": True, "releases": SELECTED_RELEASES},
    },
)
def audit_releases(
    traces: Traces,
    release: Unit,
    *,
    n_users: int = 500,
    quick: bool = False,
    seed: int = 2018,
    releases: Sequence[str] = RELEASES,
) -> Iterable[Row]:
    """One release of a group of people, with every attack; a row an attack and measure.

    Columns: part ("attack", "usefulness", "epsilon", "disclosure", "verdict"), attack, measure,
    value with low, high and baseline, ceiling (of bounds on epsilon), control with its ends (AUC or
    gain of people who were never in), severity, why (of what was not tested). Intervals are the
    audit's: all of a release hold together at 95%.
    """
    people, chosen = sample_group(traces, n_users, seed), audit.parse(release)
    found = {
        step.name: step.run()
        for step in audit.steps(people, chosen, quick, seed)
        if not step.name.startswith("alternative ")
    }
    tried = [each for name, each in found.items() if name.startswith("attack ")]
    for each in tried:
        yield from _attack_rows(each)
    for name, each in found["usefulness"].items():
        yield _row("usefulness", "", name, each["value"])
    for name in ("small_before", "small_cells", "ones", "suppressed"):
        yield _row("disclosure", "", name, found["disclosure"][name])
    yield from _epsilon_rows(found["epsilon"])
    verdict, _ = verdicts.verdict(tried, found["epsilon"], True)
    fails = sum(each["severity"] == "fail" for each in tried)
    yield _row("verdict", "", verdict, fails)


def _row(part: str, attack: str, measure: str, value: float | None, **more: Any) -> Row:
    empty = dict.fromkeys(
        ["low", "high", "baseline", "ceiling", "control", "control low", "control high"], None
    )
    return (
        {"part": part, "attack": attack, "measure": measure, "value": value}
        | empty
        | {"severity": "", "why": ""}
        | more
    )


def _attack_rows(found: Mapping[str, Any]) -> Iterable[Row]:
    name, severity = found["id"], found["severity"]
    if found["status"] == "not tested":
        yield _row("attack", name, "not tested", None, severity="not tested", why=found["why"])
    control = found["control"].get("AUC") or found["control"].get("gain") or {}
    beside = {
        "control": control.get("value"),
        "control low": control.get("low"),
        "control high": control.get("high"),
        "severity": severity,
    }
    for measure, each in found["measures"].items():
        interval = {end: each[end] for end in ("low", "high", "baseline")}
        yield _row("attack", name, measure, each["value"], **interval, **beside)


def _epsilon_rows(found: Mapping[str, Any]) -> Iterable[Row]:
    yield _row("epsilon", "declared", found["unit"], found["declared"])
    yield _row("epsilon", "delta", found["unit"], found["delta"])
    for unit, epsilon in found["accountant"].items():
        yield _row("epsilon", "accountant", UNITS[unit], epsilon)
    for each in found["empirical"]:
        about = "declared unit" if each["comparable"] else "another unit"
        yield _row("epsilon", each["attack"], about, each["lower"], ceiling=each["ceiling"])
    yield _row("epsilon", "exceeded", "", float(found["exceeded"]))


# -- tables ----------------------------------------------------------------------------------------


def threat_table(*goals: str) -> pd.DataFrame:
    """Knowledge x goal -> how many attacks of the registry, their names, and who may know as much.

    goals  of `lib.audit.threats.GOALS`; all without any
    """
    rows = []
    for attack in ATTACKS:
        goal, knows = attack.threat.goal, attack.threat.knowledge
        if not goals or goal.name in goals:
            rows.append(
                {
                    "goal": goal.words,
                    "somebody who knows": knows.words,
                    "realistic": "yes" if knows.realistic else "no, the worst case",
                    "attack": attack.id,
                }
            )
    keys = ["goal", "somebody who knows", "realistic"]
    found = pd.DataFrame(rows).groupby(keys, sort=False)["attack"]
    return found.agg(list).reset_index("realistic")


def guarantees(people: Traces, releases: Sequence[str] = RELEASES) -> pd.DataFrame:
    """What each release of these people promises: unit, cap, epsilon; and to a whole person.

    Columns: unit, cap (visits), epsilon, epsilon of a person (Laplace noise by the accountant).
    Index: release.
    """
    rows = {}
    for name in releases:
        plan = audit.parse(name).plan(people)
        whole = accountant(plan)["user"]
        rows[name] = {
            "unit": UNITS[plan.unit] if plan.unit else "",
            "cap": plan.cap,
            "epsilon": plan.epsilon,
            "epsilon of a person": whole
            if whole is not None or plan.unit != "user"
            else plan.epsilon,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("release")


def by_knowledge(rows: pd.DataFrame, measure: str = FOUND) -> pd.DataFrame:
    """What the membership attack that does best with each knowledge reaches, by data and release.

    The best is the one whose interval begins highest. One whose controls are not at chance finds a
    group, and no members: it stands only where there is no other, as the baseline.
    Columns: data, release, knowledge, attack, value, low, high.
    """
    knows = {each.id: each.threat.knowledge.name for each in ATTACKS}
    found = rows[(rows["part"] == "attack") & (rows["measure"] == measure)].copy()
    blind = (found["control low"] > 0.5) | (found["control high"] < 0.5)
    for end in ("value", "low", "high"):
        found[end] = found[end].where(~blind, found["baseline"]).astype(float)
    found["low"], found["blind"] = found["low"].fillna(0.0), blind
    found["knowledge"] = found["attack"].map(knows)
    keys = ["data", "release", "knowledge"]
    order = {"blind": True, "low": False, "value": False}  # whether ascending
    best = found.sort_values(list(order), ascending=list(order.values())).drop_duplicates(keys)
    return best.sort_index()[[*keys, "attack", "value", "low", "high"]].reset_index(drop=True)


def risk_and_use(rows: pd.DataFrame, use: str = ORDER) -> pd.DataFrame:
    """Each release's risk by knowledge (`by_knowledge`) beside its usefulness: a column `use`."""
    useful = rows[(rows["part"] == "usefulness") & (rows["measure"] == use)]
    left = useful.set_index(["data", "release"])["value"].rename("use")
    return by_knowledge(rows).join(left, on=["data", "release"])


def weakened_noise(
    people: Traces, epsilon: float, factors: Sequence[float], n_trials: int, seed: int
) -> pd.DataFrame:
    """A release that promises a person epsilon, with its noise's scale multiplied by `factors`.

    Columns: noise, promised, seen at least (95%), alarm.
    """
    steps = [{"name": "user-level-laplace", "epsilon": epsilon}]
    plan, rows = audit.parse({"mechanisms": steps}).plan(people), {}
    for factor in factors:
        noise = Laplace(epsilon / factor, plan.cap or 1)
        rng = stream(seed, "audit-weakened", str(factor))
        bound = crowd_in_a_cell(with_mechanism(plan, noise), n_trials, people.n_users, rng, 0.95)
        rows[f"{factor:g} of the scale"] = {
            "promised": epsilon,
            "seen at least": bound.lower,
            "alarm": "yes" if bound.lower > epsilon else "no",
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("noise")


def people_needed(people: Traces, epsilon: float) -> pd.DataFrame:
    """How many people such counts need for noise for a whole person to be a tenth of a count.

    Rows: how long a count lasts; a person counts once a place and period. The cap is what the
    median person has (to compare: it would have to be public). The noise must be a tenth of the
    count at which half of all visits are in larger ones.
    Columns: cap, noise of a count, count at the median visit, people needed.
    """
    by_user = people.matrix.tocoo()
    roi, epoch = np.divmod(by_user.col.astype(np.int64), people.n_epochs)
    day = (people.epochs.normalize() - people.epochs[0].normalize()).days.to_numpy()
    periods = {
        "epoch": np.arange(people.n_epochs),
        "day": day,
        "week": day // 7,
        "whole period": np.zeros_like(day),
    }
    rows = {}
    for name, number in periods.items():
        pairs = np.unique(np.stack([by_user.row, roi, number[epoch]]), axis=1)
        _, cell, size = np.unique(pairs[1:], axis=1, return_inverse=True, return_counts=True)
        cap = max(1, round(float(np.median(np.bincount(pairs[0], minlength=people.n_users)))))
        usual = float(np.median(size[cell.ravel()]))
        rows[name] = {
            "cap": cap,
            "noise of a count": cap / epsilon,
            "count at the median visit": usual,
            "people needed": round(people.n_users * 10 * cap / epsilon / usual),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("counted for each")

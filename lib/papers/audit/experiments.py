"""The audit of `lib.audit` on groups of people: one release, every attack, as rows.

A unit is a release, by its preset's name. `python -m lib audit` does the same for a reader's own
records, and writes a report; these are rows, to be compared over releases and data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib import audit
from lib.aggregation import aggregate
from lib.audit import usefulness, verdicts
from lib.audit.attacks import ATTACKS
from lib.audit.epsilon import epsilon_by_unit, one_cell_bound
from lib.audit.games import FEWEST_USERS
from lib.audit.releases import PRESETS, UNITS, replace_noise
from lib.execution.results import Row, provenance
from lib.mechanisms import Laplace
from lib.mechanisms.traces import keep_visits, lowest_of_each, visits_of
from lib.metrics import tpr_at_fpr, tpr_at_fpr_interval
from lib.papers.experiments import Unit, experiment
from lib.papers.summaries import in_brackets
from lib.randomness import stream
from lib.traces import Traces

RELEASES = tuple(name for name in PRESETS if name != "bassolas-2019")  # of visits, not of trips
FOUND = "TPR at 1.0% FPR"
ORDER = "rank correlation of places"
EXPOSED = "TPR at 1.0% FPR, most exposed tenth"


def sample_group(traces: Traces, n_users: int, seed: int) -> Traces:
    """Sample the people whose counts are to be published.

    Parameters
    ----------
    traces : Traces
        Visits of users.
    n_users : int
        Number of users.
    seed : int
        Seed of the streams of random numbers.

    Returns
    -------
    Traces
        Visits of `n_users` at random; all if there are no more.
    """
    if traces.n_users <= n_users:
        return traces
    kept = stream(seed, "audit-group").permutation(traces.n_users)[:n_users]
    return traces.select(users=traces.users[np.sort(kept)])


def sample_populations(
    populations: Mapping[str, Traces], n_users: int, seed: int
) -> dict[str, Traces]:
    """Sample a group of each population; print a sentence where users are fewer.

    Parameters
    ----------
    populations : mapping of str to Traces
        Name on a page to the traces.
    n_users : int
        Number of users.
    seed : int
        Seed of the streams of random numbers.

    Returns
    -------
    mapping of str to Traces
        Name to the group.

    Raises
    ------
    ValueError
        If a population has fewer users than an audit needs; the message names it.
    """
    found = {}
    for name, traces in populations.items():
        if traces.n_users < FEWEST_USERS:
            raise ValueError(f"{name} has {traces.n_users} users; an audit needs {FEWEST_USERS}")
        if traces.n_users < n_users:
            print(f"{name}: {traces.n_users} users instead of {n_users} (n_users): all of them.")
        found[name] = sample_group(traces, n_users, seed)
    return found


# -- the experiment ------------------------------------------------------------------------------


def _releases(context: Traces, releases: Sequence[str]) -> list[Unit]:
    return list(releases)


@experiment(
    "audit-releases",
    unit=("release",),
    units=_releases,
    at_paper={
        "flights-by-number": {"quick": True},
        "flights-by-tail": {"quick": True},
        "cabspotting": {"quick": True},
        "valleybike": {"quick": True},
        "commuters": {"quick": True},
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
    """Run every attack on one release of a group of people.

    Parameters
    ----------
    traces : Traces
        Visits of users.
    release : Unit
        Name of a preset.
    n_users : int, default 500
        Number of users.
    quick : bool, default False
        Whether the audit runs with fewer trials.
    seed : int, default 2018
        Seed of the streams of random numbers.
    releases : sequence of str, default RELEASES
        Presets of releases.

    Returns
    -------
    iterable of dict
        A row for each attack and measure. Columns: part ("attack", "usefulness", "epsilon",
        "disclosure", "verdict"), attack, measure, value with low, high and baseline, ceiling (of
        bounds on ε), control with its ends (AUC or gain on non-member controls), severity, why (of
        what was not tested). Intervals are the audit's: all of a release hold together at 95%.
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


def stored_or_run(
    people: Mapping[str, Traces],
    releases: Sequence[str],
    n_users: int,
    seed: int,
    processes: int = 1,
) -> pd.DataFrame:
    """Read quick audits that are stored with these settings, and run the others.

    Parameters
    ----------
    people : mapping of str to Traces
        Groups by the names of their datasets, as `sample_populations` gives them.
    releases : sequence of str
        Presets.
    n_users, seed, processes : int
        Settings of the audits.

    Returns
    -------
    pandas.DataFrame
        Rows of `audit_releases`, which are the same either way.
    """
    frames = []
    for data, traces in people.items():
        stored = audit_releases.is_stored(data)
        setting = provenance(audit_releases.name, data)["setting"] if stored else {}
        asked: dict[str, Any] = {"quick": True, "n_users": n_users, "seed": seed}
        if asked.items() <= setting.items() and set(releases) <= set(setting["releases"]):
            rows = audit_releases.stored(data)
            frames.append(rows[rows["release"].isin(releases)])
        else:
            one = {data: traces}
            frames.append(audit_releases(one, releases=releases, processes=processes, **asked))
    return pd.concat(frames, ignore_index=True)


def _row(part: str, attack: str, measure: str, value: float | None, **more: Any) -> Row:
    numbers = ("low", "high", "baseline", "ceiling", "control", "control low", "control high")
    start = {"part": part, "attack": attack, "measure": measure, "value": value}
    return start | dict.fromkeys(numbers) | {"severity": "", "why": ""} | more


def _attack_rows(found: Mapping[str, Any]) -> Iterable[Row]:
    name, severity = found["id"], found["severity"]
    if found["status"] == "not tested":
        yield _row("attack", name, "not tested", None, severity="not tested", why=found["why"])
    control = found["control"].get("AUC") or found["control"].get("gain") or {}
    ends = {f"control {end}": control.get(end) for end in ("low", "high")}
    beside = {"control": control.get("value"), **ends, "severity": severity}
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
    """Tabulate the registry's attacks by knowledge and goal.

    Parameters
    ----------
    *goals : str
        Names of `lib.threats.GOALS`; all without any.

    Returns
    -------
    pandas.DataFrame
        Index: goal, knowledge. Columns: realistic, attack (a list of ids).
    """
    rows = [
        {
            "goal": attack.threat.goal.words,
            "somebody who knows": attack.threat.knowledge.words,
            "realistic": "yes" if attack.threat.plausible else "no, the worst case",
            "attack": attack.id,
        }
        for attack in ATTACKS
        if not goals or attack.threat.goal.name in goals
    ]
    keys = ["goal", "somebody who knows", "realistic"]
    found = pd.DataFrame(rows).groupby(keys, sort=False)["attack"]
    return found.agg(list).reset_index("realistic")


def guarantees(people: Traces, releases: Sequence[str] = RELEASES) -> pd.DataFrame:
    """Tabulate the privacy guarantee of each release of a group.

    Parameters
    ----------
    people : Traces
        The group whose counts are published.
    releases : sequence of str, default RELEASES
        Presets of releases.

    Returns
    -------
    pandas.DataFrame
        Index: release. Columns: unit, cap (visits), epsilon, epsilon of a person (Laplace noise: by
        the accountant).
    """
    rows = {}
    for name in releases:
        plan = audit.parse(name).plan(people)
        whole, unit = epsilon_by_unit(plan)["user"], UNITS[plan.unit] if plan.unit else ""
        of_person = plan.epsilon if whole is None and plan.unit == "user" else whole
        rows[name] = [unit, plan.cap, plan.epsilon, of_person]
    columns = ["unit", "cap", "epsilon", "epsilon of a person"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    return table.rename_axis("release")


def by_knowledge(rows: pd.DataFrame, measure: str = FOUND) -> pd.DataFrame:
    """Find what the best membership attack with each knowledge reaches, by data and release.

    The best attack is the one whose interval begins highest. One whose controls are not at chance
    level identifies a group, and no members: it counts only where there is no other, as the
    baseline.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    measure : str, default FOUND
        Measure of an attack.

    Returns
    -------
    pandas.DataFrame
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
    """Join each release's risk by knowledge with its usefulness.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    use : str, default ORDER
        Measure of usefulness.

    Returns
    -------
    pandas.DataFrame
        `by_knowledge` with a column use.
    """
    useful = rows[(rows["part"] == "usefulness") & (rows["measure"] == use)]
    left = useful.set_index(["data", "release"])["value"].rename("use")
    return by_knowledge(rows).join(left, on=["data", "release"])


def weakened_noise(
    people: Traces, epsilon: float, factors: Sequence[float], n_trials: int, seed: int
) -> pd.DataFrame:
    """Test whether the audit notices noise whose scale is smaller than the guarantee needs.

    Parameters
    ----------
    people : Traces
        The group whose counts are published.
    epsilon : float
        Privacy budget.
    factors : sequence of float
        Factors of the noise's scale.
    n_trials : int
        Number of trials.
    seed : int
        Seed of the streams of random numbers.

    Returns
    -------
    pandas.DataFrame
        Index: noise. Columns: nominal ε, ε at least (95%), alarm.
    """
    steps = [{"name": "user-level-laplace", "epsilon": epsilon}]
    plan, rows = audit.parse({"mechanisms": steps}).plan(people), {}
    for factor in factors:
        noise = Laplace(epsilon / factor, plan.cap or 1)
        rng = stream(seed, "audit-weakened", str(factor))
        bound = one_cell_bound(replace_noise(plan, noise), n_trials, people.n_users, rng, 0.95)
        alarm = "yes" if bound.lower > epsilon else "no"
        rows[f"{factor:g} of the scale"] = [epsilon, bound.lower, alarm]
    columns = ["nominal ε", "ε at least (95%)", "alarm"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("noise")


# -- releases of longer periods --------------------------------------------------------------------

_N_DRAWS = 20  # of the noise, to measure usefulness
_USES = {
    ORDER: "order of places",
    "busiest zones found": "10 busiest places found",
    "error of totals by place": "error of a place's total",
}


def _periods(people: Traces) -> dict[str, np.ndarray]:
    """Number of the period of each epoch, by the name of the period's length."""
    day = (people.epochs.normalize() - people.epochs[0].normalize()).days.to_numpy()
    return {
        "epoch": np.arange(people.n_epochs),
        "day": day,
        "week": day // 7,
        "whole period": np.zeros_like(day),
    }


def join_epochs(people: Traces, period: str) -> Traces:
    """Join epochs, so that a person counts once per place and longer period.

    Parameters
    ----------
    people : Traces
        The group whose counts are published.
    period : {"epoch", "day", "week", "whole period"}
        Length of the periods; "epoch" leaves the records as they are.

    Returns
    -------
    Traces
        The same people and places.

    Raises
    ------
    ValueError
        If there is no such period; the message lists them.
    """
    periods = _periods(people)
    if period not in periods:
        raise ValueError(f"no period {period!r}; there are: {', '.join(periods)}")
    _, first, number = np.unique(periods[period], return_index=True, return_inverse=True)
    visits = visits_of(people)
    epochs = people.epochs[first]
    return Traces.from_codes(
        visits.user, visits.roi, number[visits.epoch], people.users, people.rois, epochs
    )


def limit_visits(people: Traces, most: int, rng: np.random.Generator) -> Traces:
    """Keep a limited number of visits of each person, chosen at random.

    Unlike the releases of `lib.audit`, a person may keep several places of one epoch: an epoch may
    be a week.

    Parameters
    ----------
    people : Traces
        The group whose counts are published.
    most : int
        Largest number of visits of a person in all epochs together.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Traces
        The same people, places and epochs.
    """
    visits = visits_of(people)
    kept = lowest_of_each(visits.user, rng.permutation(len(visits.user)), most)
    return keep_visits(people, visits, kept)


def worst_case_scores(
    cap: int, epsilon: float, inside: bool, n_trials: int, rng: np.random.Generator
) -> np.ndarray:
    """Score a target with as many visits as the cap allows, if everybody else is known.

    The attacker subtracts all others. What is left of each of the target's counts is 1 or 0 plus
    Laplace noise of scale ``cap / epsilon``; the score is the log-likelihood ratio. Equal scores
    are ordered at random.

    Parameters
    ----------
    cap : int
        Number of the target's counts.
    epsilon : float
        Privacy budget of a person.
    inside : bool
        Whether the target is counted.
    n_trials : int
        Number of releases.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n_trials,)
        Scores.
    """
    rest = inside + rng.laplace(scale=cap / epsilon, size=(n_trials, cap))
    score = (np.abs(rest) - np.abs(rest - 1)).sum(axis=1) * epsilon / cap
    return np.asarray(score.round(6) + 1e-7 * rng.random(n_trials))


def publish_less_often(
    people: Traces, caps: Mapping[Any, int], epsilon: float, seed: int, n_trials: int = 200_000
) -> pd.DataFrame:
    """Attack counts of longer periods with user-level noise, and measure how useful they are.

    Parameters
    ----------
    people : Traces
        The group whose counts are published.
    caps : mapping of str to int
        Length of the periods (see `join_epochs`) to the largest number of visits of a person.
    epsilon : float
        Privacy budget of a person for all counts.
    seed : int
        Seed of the streams of random numbers.
    n_trials : int, default 200,000
        Number of simulated releases of each kind in the attack.

    Returns
    -------
    pandas.DataFrame
        A row for each period, and one of zeros everywhere. Columns: cap; the share identified in
        the worst case; how well the order of places is preserved, how many of the busiest are
        found, and the error of a place's total. Intervals are at 95%.
    """
    rows = {}
    for name, most in caps.items():
        rng, cap = stream(seed, "audit-less-often", str(name)), int(most)
        joined = join_epochs(people, str(name))
        true, counts = (_counts(each) for each in (joined, limit_visits(joined, cap, rng)))
        noise = rng.laplace(scale=cap / epsilon, size=(_N_DRAWS, *counts.shape))
        risk = _worst_case_risk(cap, epsilon, n_trials, rng)
        rows[name] = {"cap": str(cap), "identified, worst case": risk} | _uses(true, counts + noise)
    nothing = {"cap": "", "identified, worst case": "0.01"} | _uses(true, 0 * true)
    rows["zeros everywhere"] = nothing
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("counted for each")


def _counts(people: Traces) -> np.ndarray:
    return aggregate(people, [list(range(people.n_users))])[0].astype(float)


def _worst_case_risk(cap: int, epsilon: float, n_trials: int, rng: np.random.Generator) -> str:
    """The share identified at a false positive rate of 1%, with its interval."""
    scores = [worst_case_scores(cap, epsilon, into, n_trials, rng) for into in (False, True)]
    trials = np.repeat([0, 1], n_trials), np.concatenate(scores)
    return in_brackets(tpr_at_fpr(*trials, 0.01), *tpr_at_fpr_interval(*trials, 0.01), 3)


def _uses(true: np.ndarray, published: np.ndarray) -> dict[str, str]:
    """What published counts are good for, with intervals over draws of the noise."""
    found = usefulness.measure_usefulness(true, published)
    table = pd.DataFrame(found).T[["value", "low", "high"]].astype(float)
    return {words: in_brackets(*table.loc[name]) for name, words in _USES.items()}

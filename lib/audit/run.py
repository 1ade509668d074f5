"""An audit in steps: each is a pure function of records, release, seed and its name.

`steps` lists them with their estimated cost, for a plan, for progress and for resuming; `document`
combines their results and gives the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from lib.audit import measures, verdicts
from lib.audit.alternatives import FLOOR, LARGEST_ERROR, best_first, propose, try_out
from lib.audit.attacks import ATTACKS, evaluate, why_not
from lib.audit.epsilon import audit_epsilon, person_epsilon
from lib.audit.games import Game, count_groups
from lib.audit.releases import Plan, Release
from lib.audit.small_counts import structure
from lib.audit.usefulness import measure_usefulness
from lib.traces import Traces

SCHEMA_VERSION = 3
_DRAWS = 20  # of the noise, to measure usefulness
_SINGLE = 0.9  # share of people with one visit, from which on the audit warns
_SPEED = 3e8  # visits of all releases that are added up in a second
_RISK = "TPR at 1.0% FPR, most exposed tenth"
_CITE = (
    "Pyrgelis, Troncoso, De Cristofaro: Knock Knock, Who's There? Membership Inference on "
    "Aggregate Location Data. NDSS 2018.",
    "Guan, Guépin, Cretu, de Montjoye: A Zero Auxiliary Knowledge Membership Inference Attack on "
    "Aggregate Location Data. PoPETs 2024.",
    "Pyrgelis, Troncoso, De Cristofaro: What Does The Crowd Say About You? PETS 2017.",
    "Koga, Meehan, Chaudhuri: Measuring Privacy Loss in Distributed Spatio-Temporal Data. 2024.",
    "Liu, Shilov, Guépin, de Montjoye: Sub-optimal Learning in Meta-Classifier Attacks. 2024.",
    "Xu, Tu, Li, Zhang, Fu, Jin: Trajectory Recovery From Ash. WWW 2017.",
    "Steinke, Nasr, Jagielski: Privacy Auditing with One (1) Training Run. NeurIPS 2023.",
)


@dataclass(frozen=True)
class AuditStep:
    """One step of an audit.

    Parameters
    ----------
    name : str
        Identifier.
    words : str
        What the step does.
    seconds : float
        Estimated time; 0 if it cannot be run.
    bytes : int
        Estimated memory during the step, beside the records.
    run : callable
        Returns the result, a serialisable dict.
    """

    name: str
    words: str
    seconds: float
    bytes: int
    run: Callable[[], dict[str, Any]]


def steps(
    traces: Traces, release: Release, quick: bool = False, seed: int = 2018
) -> list[AuditStep]:
    """List the steps of an audit in order.

    The steps share random draws, which are made when first needed; they give the same results in
    any order and in any process.

    Parameters
    ----------
    traces : Traces
        The records.
    release : Release
        How counts are published.
    quick : bool
        Whether to simulate fewer releases and targets.
    seed : int
        Seed of all random draws.

    Returns
    -------
    list of AuditStep
        The steps; nothing is drawn yet.

    Raises
    ------
    ValueError
        As `lib.audit.games.check_auditable`, or if the release does not fit the records.
    """
    game = Game(traces, release, seed, quick)
    n_simulated = game.n_releases + 3 * game.n_shadow
    n_values = n_simulated * traces.n_rois * traces.n_epochs
    work = n_simulated * traces.matrix.nnz / _SPEED
    scale = (0.35 if quick else 1.0) * max(0.2, n_values / 27_000_000)
    memory = 14 * n_values + 40 * traces.matrix.nnz
    basic: list[tuple[str, str, float, Callable[[], dict[str, Any]]]] = [
        ("data", "what the records hold", 0.1, lambda: _data(traces)),
        ("disclosure", "what the counts reveal by themselves", 0.5, lambda: _disclosure(game)),
        ("usefulness", "how useful the counts remain", 0.5, lambda: _usefulness(game)),
        ("epsilon", "declared and empirical epsilon", 2 + 2 * work, lambda: audit_epsilon(game)),
    ]
    listed = [AuditStep(name, words, cost, memory, run) for name, words, cost, run in basic]
    for attack in ATTACKS:
        cost = attack.cost * scale if why_not(attack, game) is None else 0.0
        run = _call(evaluate, attack, game)
        listed.append(AuditStep(f"attack {attack.id}", attack.name, cost, memory, run))
    for other in propose(traces, release):
        words, cost = f"the same records, released as {other.name}", 10 * scale + work
        run = _call(try_out, game, other, _usefulness)
        listed.append(AuditStep(f"alternative {other.name}", words, cost, 2 * memory, run))
    return listed


def _call(function: Callable[..., dict[str, Any]], *arguments: Any) -> Callable[[], dict[str, Any]]:
    return lambda: function(*arguments)


def document(
    traces: Traces,
    release: Release,
    results: Mapping[str, Mapping[str, Any]],
    quick: bool = False,
    seed: int = 2018,
    largest_error: float = LARGEST_ERROR,
) -> dict[str, Any]:
    """Combine the results of steps into the audit's document.

    Parameters
    ----------
    traces, release : object
        As in `steps`.
    results : mapping of str to mapping
        Result of each step by its name. If some are missing, the document says that it is
        incomplete, and its verdict is "review" at best.
    quick, seed : object
        As in `steps`.
    largest_error : float
        Floor of usefulness: the largest error of totals by zone and day with which counts are
        useful. Alternatives above it come first.

    Returns
    -------
    dict
        The serialisable document; ``lib/audit/report/schema.json`` describes it.

    Raises
    ------
    ValueError
        As `steps`, and for a result of an unknown step.
    """
    game = Game(traces, release, seed, quick)
    expected = [step.name for step in steps(traces, release, quick, seed)]
    missing = _missing(expected, results)

    def of(kind: str) -> list[dict[str, Any]]:
        names = [name for name in expected if name.startswith(f"{kind} ") and name in results]
        return [dict(results[name]) for name in names]

    attacks, plan = of("attack"), game.plan.describe()
    epsilon = dict(results.get("epsilon", _no_epsilon(game.plan)))
    verdict, reasons = verdicts.verdict(attacks, epsilon, not missing)
    verdict, reasons = _with_single_visits(traces, verdict, reasons)
    return {
        "schema_version": SCHEMA_VERSION,
        "verdict": verdict,
        "complete": not missing,
        "missing": missing,
        "reasons": reasons,
        "at_risk": most_at_risk(attacks),
        "assessment": verdicts.assess(attacks, epsilon),
        "data": dict(results.get("data", {})),
        "settings": _settings(game, quick),
        "release": plan,
        "attacks": attacks,
        "epsilon": epsilon,
        "disclosure": dict(results.get("disclosure", {})),
        "usefulness": dict(results.get("usefulness", {})),
        "floor": {"measure": FLOOR, "largest": largest_error},
        "alternatives": best_first(of("alternative"), largest_error),
        "not_tested": _not_tested(attacks, missing),
        "limits": _limits(game),
        "cite": list(_CITE),
    }


def _missing(expected: list[str], results: Mapping[str, Any]) -> list[str]:
    """List the steps without a result; refuse results of unknown steps."""
    for name in results:
        if name not in expected:
            raise ValueError(f"no step {name!r} in this audit; there are: {', '.join(expected)}")
    return [name for name in expected if name not in results]


def _with_single_visits(traces: Traces, verdict: str, reasons: list[str]) -> tuple[str, list[str]]:
    """The verdict and its reasons, headed by a warning if nearly everybody has a single visit."""
    share = float((traces.visits() == 1).mean())
    if share < _SINGLE:
        return verdict, reasons
    warning = (
        f"{share:.0%} of the {traces.n_users:,} people have a single visit. The column of the "
        "person may number the rows; if it does, this audit says nothing: name the person's "
        "column (columns: {user: ...})."
    )
    if verdict == "none-succeeded":
        return "review", [warning]
    return verdict, [warning, *reasons]


def audit(
    traces: Traces, release: Release, quick: bool = False, seed: int = 2018
) -> dict[str, Any]:
    """Run all steps of an audit, without progress.

    Parameters
    ----------
    traces, release, quick, seed : object
        As in `steps`.

    Returns
    -------
    dict
        The document.

    Raises
    ------
    ValueError
        As `steps`.
    """
    results = {step.name: step.run() for step in steps(traces, release, quick, seed)}
    return document(traces, release, results, quick, seed)


# -- steps that are not attacks --------------------------------------------------------------------


def _data(traces: Traces) -> dict[str, Any]:
    length = traces.epochs[1] - traces.epochs[0]
    visits = traces.visits()
    return {
        "users": traces.n_users,
        "zones": traces.n_rois,
        "epochs": traces.n_epochs,
        "start": traces.epochs[0].isoformat(),
        "end": (traces.epochs[-1] + length).isoformat(),
        "epoch_hours": length / pd.Timedelta("1h"),
        "visits": int(traces.matrix.nnz),
        "visits_median": float(visits.median()),
        "visits_most": int(visits.max()),
        "users_without_visits": int((visits == 0).sum()),
        "has_coordinates": bool(not traces.rois[["lat", "lon"]].isna().to_numpy().any()),
    }


def _counts_of_all(game: Game, traces: Traces) -> np.ndarray:
    """Counts of all users of these traces: (n_rois, n_epochs)."""
    everybody = np.ones((game.traces.n_users, 1), bool)
    return count_groups(traces, everybody).reshape(game.shape)


def _disclosure(game: Game) -> dict[str, Any]:
    """What one release of all the records reveals."""
    raw = _counts_of_all(game, game.bounded).astype(np.int32)
    published = game.plan.publish(raw, game.rng("disclosure"), game.traces.n_users)
    found = structure(published.counts, published.by_place, published.by_hour, game.plan.threshold)
    hidden = (published.counts == 0) & (raw > 0) if game.plan.threshold else np.zeros(1, bool)
    return found | {
        "suppressed": int(hidden.sum()),
        "small_before": int(((raw > 0) & (raw < 10)).sum()),
        "words": "counts of one release of all the records; small: from 1 to 9 people",
    }


def _usefulness(game: Game) -> dict[str, Any]:
    """Releases of all the records against the counts before contribution bounding."""
    raw, rng = _counts_of_all(game, game.bounded).astype(np.int32), game.rng("usefulness")
    sampled = game.plan.noise is not None or game.plan.random_base
    draws = [
        game.plan.apply(raw, rng, game.traces.n_users) for _ in range(_DRAWS if sampled else 1)
    ]
    epochs = game.traces.epochs
    minute = np.asarray(epochs.hour * 60 + epochs.minute)
    day = np.unique(epochs.normalize(), return_inverse=True)[1]
    raw, zones = _counts_of_all(game, game.traces), [str(each) for each in game.traces.rois.index]
    return measure_usefulness(raw, draws, minute, day, zones)


# -- the document's parts --------------------------------------------------------------------------


def most_at_risk(attacks: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Describe the risk of the most exposed tenth under the best realistic attack.

    This is the attack whose interval begins highest; if none is significantly better than guessing,
    the one with the narrowest interval. Attacks whose controls are not at chance level are left
    out, because they do not recognise the target.

    Parameters
    ----------
    attacks : list of dict
        Results of attacks.

    Returns
    -------
    dict or None
        Sentence, attack, value, interval, baseline and whether it is significant; None without
        such an attack.
    """
    tested = [
        attack
        for attack in attacks
        if attack["realistic"]
        and attack["measures"].get(_RISK, {}).get("low") is not None
        and attack["control"].get("at_chance", True)
    ]
    if not tested:
        return None

    def rank(attack: dict[str, Any]) -> tuple[bool, float, float]:
        m = attack["measures"][_RISK]
        clear = m["low"] > m["baseline"]
        return clear, m["low"] if clear else m["low"] - m["high"], m["value"]

    worst = max(tested, key=rank)
    measure = worst["measures"][_RISK]
    return {
        "sentence": _risk_sentence(measure["value"], worst["knowledge_words"]),
        "attack": worst["id"],
        **{key: measure[key] for key in ("value", "low", "high", "baseline")},
        "clear": bool(measure["low"] > measure["baseline"]),
    }


def _risk_sentence(value: float, knows: str) -> str:
    return (
        f"Of 100 people in the most exposed tenth, {100 * value:.0f} could be identified as being "
        f"in the data by an attacker who knew {knows}, if 1 of 100 people who are not in the data "
        "is wrongly identified."
    )


def _settings(game: Game, quick: bool) -> dict[str, Any]:
    return {
        "seed": game.seed,
        "quick": quick,
        "releases": game.n_releases,
        "targets": len(game.targets),
        "reference": len(game.reference),
        "full_size": game.full_size,
        "few_targets": game.sizes.slow_targets,
        "rare_targets": game.sizes.synthesis_targets,
        "controls": len(game.controls),
        "pool": len(game.pool),
        "trials": game.sizes.trials,
        "confidence": measures.CONFIDENCE,
        "interval_level": measures.round_significant(measures.LEVEL),
        "intervals": "all intervals hold simultaneously with 95% confidence (Bonferroni over "
        f"{measures.DECIDING} measures)",
        "rules": verdicts.RULES,
        "marks": verdicts.FAILS,
    }


def _no_epsilon(plan: Plan) -> dict[str, Any]:
    found = plan.describe()
    declared = {"declared": found["epsilon"], "delta": found["delta"], "unit": found["unit"]}
    person = person_epsilon(plan)
    return declared | {"accountant": {}, "person": person, "empirical": [], "exceeded": False}


def _not_tested(attacks: list[dict[str, Any]], missing: list[str]) -> list[dict[str, str]]:
    reasons = [(a["name"], str(a["why"])) for a in attacks if a["status"] == "not tested"]
    reasons += [(name, "the audit was stopped before this step") for name in missing]
    reasons += [
        ("other attacks", "attacks that have not been invented yet"),
        ("other knowledge", "attackers with data that this audit does not consider"),
    ]
    return [{"name": name, "why": why} for name, why in reasons]


def _limits(game: Game) -> list[str]:
    return [
        f"Each simulated release holds about {len(game.pool) // 2} people, drawn from "
        f"{len(game.pool)}. Measures at full size are about the release of {game.full_size} "
        f"people: all {game.traces.n_users} but the {len(game.reference)} whose traces a plausible "
        "attacker has. Size matters in both directions: more people hide a person better, and "
        "fewer counts fall below a suppression threshold.",
        "At full size each person in turn is left out of the release or put back, and the others "
        "stay as they are.",
        "Which visits contribution bounding keeps is drawn once for all simulated releases.",
        "Counts are assumed to be published once; each further publication about the same people "
        "increases the risk.",
        "Noise is assumed to be drawn exactly: attacks on the last digits of floating-point "
        "numbers, which can reveal the noise, are not run.",
        "People are assumed to be independent: a family that travels together is more exposed than "
        "one person.",
    ]

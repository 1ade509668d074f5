"""An audit, step by step: each step is a pure function of records, release, seed and its name.

`steps` lists them with what they are expected to cost, for a plan, for progress and for going on
where one was stopped; `document` puts their results together, and gives the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from lib.audit import epsilon, measures, membership, usefulness, verdicts
from lib.audit.attacks import ATTACKS, result, why_not
from lib.audit.games import Games, count
from lib.audit.releases import Release, Step, parse
from lib.audit.small_counts import structure
from lib.audit.threats import KNOWLEDGE
from lib.traces import Traces

SCHEMA_VERSION = 1
_ALTERNATIVES = ("user-day-epsilon-1", "suppress-10-round-5", "user-epsilon-1")  # the first two
_SPEED = 3e8  # visits of all releases that are added up in a second
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
    """One step: `run()` gives its result, a JSON-able dict; seconds and bytes are estimates.

    bytes  what the audit has in memory during this step, above the records
    """

    name: str
    words: str
    seconds: float
    bytes: int
    run: Callable[[], dict[str, Any]]


def steps(
    traces: Traces, release: Release, quick: bool = False, seed: int = 2018
) -> list[AuditStep]:
    """The steps of an audit, in order. They share draws, which are made when they are first
    needed: in one process, in any order, or some of them in another process later.

    Raises ValueError, before anything is drawn, for fewer than 50 users, one zone, one epoch, users
    who are all alike, more than a million counts, or a release that does not fit the records.
    """
    games = Games(traces, release, seed, quick)
    played = 2 * games.n_releases * traces.n_rois * traces.n_epochs
    work = 2 * games.n_releases * traces.matrix.nnz / _SPEED
    scale = (0.35 if quick else 1.0) * max(0.2, played / 27_000_000)
    memory = 14 * played + 40 * traces.matrix.nnz
    found = [
        AuditStep("data", "what the records hold", 0.1, memory, lambda: _data(traces)),
        AuditStep(
            "disclosure",
            "what the counts show by themselves",
            0.5,
            memory,
            lambda: _disclosure(games),
        ),
        AuditStep("usefulness", "what is left for use", 0.5, memory, lambda: _usefulness(games)),
        AuditStep(
            "epsilon",
            "what epsilon promises, and what is seen",
            2 + 2 * work,
            memory,
            lambda: epsilon.audited(games),
        ),
    ]
    for attack in ATTACKS:
        tested = why_not(attack, games) is None
        found.append(
            AuditStep(
                f"attack {attack.id}",
                attack.name,
                attack.cost * scale if tested else 0.0,
                memory,
                lambda attack=attack: result(attack, games),  # type: ignore[misc]
            )
        )
    for name in _alternatives(release):
        found.append(
            AuditStep(
                f"alternative {name}",
                f"the same records, released as {name}",
                8 * scale + work,
                2 * memory,
                lambda name=name: _alternative(games, name),  # type: ignore[misc]
            )
        )
    return found


def document(
    traces: Traces,
    release: Release,
    results: Mapping[str, Mapping[str, Any]],
    quick: bool = False,
    seed: int = 2018,
) -> dict[str, Any]:
    """The audit, as one JSON-able dict, from what its steps gave (name -> result).

    What is missing from `results` is missing from the document: it says that it is not complete,
    and its verdict is "review" at best. Raises ValueError as `steps`, and for a result of an
    unknown step.
    """
    games = Games(traces, release, seed, quick)
    expected = [step.name for step in steps(traces, release, quick, seed)]
    for name in results:
        if name not in expected:
            raise ValueError(f"no step {name!r} in this audit; there are: {', '.join(expected)}")
    missing = [name for name in expected if name not in results]
    attacks = [
        dict(results[name]) for name in expected if name.startswith("attack ") and name in results
    ]
    plan = games.plan.describe()
    eps = dict(results.get("epsilon", _no_epsilon(plan)))
    verdict, reasons = verdicts.verdict(attacks, eps, not missing)
    alternatives = [
        dict(results[name])
        for name in expected
        if name.startswith("alternative ") and name in results
    ]
    return {
        "schema_version": SCHEMA_VERSION,
        "verdict": verdict,
        "complete": not missing,
        "missing": missing,
        "reasons": reasons,
        "at_risk": at_risk(attacks),
        "data": dict(results.get("data", {})),
        "settings": _settings(games, quick),
        "release": plan,
        "attacks": attacks,
        "epsilon": eps,
        "disclosure": dict(results.get("disclosure", {})),
        "usefulness": dict(results.get("usefulness", {})),
        "alternatives": alternatives,
        "not_tested": _not_tested(attacks, missing),
        "limits": _limits(games),
        "cite": list(_CITE),
    }


def audit(
    traces: Traces, release: Release, quick: bool = False, seed: int = 2018
) -> dict[str, Any]:
    """All steps and the document at once, without progress. Raises ValueError as `steps`."""
    results = {step.name: step.run() for step in steps(traces, release, quick, seed)}
    return document(traces, release, results, quick, seed)


# -- steps that are no attacks ---------------------------------------------------------------------


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


def _everybody(games: Games) -> np.ndarray:
    inside = np.ones((games.traces.n_users, 1), bool)
    shape = games.traces.n_rois, games.traces.n_epochs
    return count(games.bounded, inside).reshape(shape).astype(np.int32)


def _true_counts(games: Games) -> np.ndarray:
    inside = np.ones((games.traces.n_users, 1), bool)
    return count(games.traces, inside).reshape(games.traces.n_rois, games.traces.n_epochs)


def _disclosure(games: Games) -> dict[str, Any]:
    """Of one release of all the records."""
    raw = _everybody(games)
    published = games.plan.published(raw, games.rng("disclosure"), games.traces.n_users)
    found = structure(published.counts, published.by_place, published.by_hour, games.plan.threshold)
    hidden = (published.counts == 0) & (raw > 0) if games.plan.threshold else np.zeros(1, bool)
    return found | {
        "suppressed": int(hidden.sum()),
        "small_before": int(((raw > 0) & (raw < 10)).sum()),
        "words": "counts of one release of all the records; small: from 1 to 9 people",
    }


def _usefulness(games: Games) -> dict[str, Any]:
    """Of one release of all the records, against the counts before anything was bounded."""
    published = games.plan.counts(_everybody(games), games.rng("usefulness"), games.traces.n_users)
    return _rounded(usefulness.measured(_true_counts(games), published))


def _alternatives(release: Release) -> list[str]:
    parsed = {name: parse(name) for name in _ALTERNATIVES}
    others = [n for n, r in parsed.items() if (r.steps, r.cap) != (release.steps, release.cap)]
    return others[:2]


def _alternative(games: Games, name: str) -> dict[str, Any]:
    """Risk and use of another release of the same records, played as this one was."""
    other = Games(games.traces, parse(name), games.seed, games.sizes.targets < 1000)
    scores = membership.ratio_of_some(other, other.targets)
    found = measures.membership_measures(
        scores.test,
        other.test.members[other.targets],
        scores.shadow,
        other.shadow.members[other.targets],
    )
    risk = found["TPR at 1.0% FPR, most exposed tenth"]
    use = _usefulness(other)
    plan = other.plan.describe()
    return {
        "release": name,
        "change_first": _change_first(parse(name).steps),
        "risk": {
            "sentence": _risk_sentence(risk.value, KNOWLEDGE["some others"].words),
            "attack": "likelihood-ratio-some-others",
        }
        | risk.to_dict(),
        "usefulness": use,
        "words": f"{plan['words']} {_cost_in_words(use)}",
    }


def _cost_in_words(use: Mapping[str, Any]) -> str:
    if use["visits published"]["value"] == 0:
        return "Then nothing is left: all counts are published as 0."
    error = use["MRE"]
    return (
        f"Over all counts, the empty ones too, one is then off by {error['value']:.2g} of itself "
        f"on average (zeros everywhere: {error['nothing']:.2g})."
    )


def _change_first(steps: tuple[Step, ...]) -> str:
    return "; ".join(step.kind.words.format(**step.parameters) for step in steps)


# -- the document's parts --------------------------------------------------------------------------


def at_risk(attacks: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The most exposed tenth under the attack that does best with knowledge that people have.

    That is the one whose interval begins highest; where none is clear of guessing, the one whose
    interval is narrowest. Attacks whose controls are not at chance are left out: what they find is
    not her.
    """
    name = "TPR at 1.0% FPR, most exposed tenth"
    tried = [a for a in attacks if a["realistic"] and name in a["measures"]]
    tried = [
        a
        for a in tried
        if a["measures"][name]["low"] is not None and a["control"].get("at_chance", True)
    ]
    if not tried:
        return None

    def how_clear(attack: dict[str, Any]) -> tuple[bool, float, float]:
        m = attack["measures"][name]
        clear = m["low"] > m["baseline"]
        return clear, m["low"] if clear else m["low"] - m["high"], m["value"]

    worst = max(tried, key=how_clear)  # where none is clear, the one that was measured best
    measure = worst["measures"][name]
    return {
        "sentence": _risk_sentence(measure["value"], worst["knowledge_words"]),
        "attack": worst["id"],
        "value": measure["value"],
        "low": measure["low"],
        "high": measure["high"],
        "baseline": measure["baseline"],
        "clear": bool(measure["low"] > measure["baseline"]),
    }


def _risk_sentence(value: float, knows: str) -> str:
    return (
        f"Of 100 people like the most exposed tenth, {100 * value:.0f} could be told to be in the "
        f"data by somebody who knew {knows}; of 100 who are not in it, 1 would be taken for a "
        "member."
    )


def _settings(games: Games, quick: bool) -> dict[str, Any]:
    return {
        "seed": games.seed,
        "quick": quick,
        "releases": games.n_releases,
        "targets": len(games.targets),
        "few_targets": games.sizes.few_targets,
        "rare_targets": games.sizes.rare_targets,
        "controls": len(games.controls),
        "pool": len(games.pool),
        "trials": games.sizes.trials,
        "confidence": measures.CONFIDENCE,
        "interval_level": measures._rounded(measures.LEVEL),
        "intervals": "all intervals hold together with 95% confidence (Bonferroni over "
        f"{measures.DECIDING} measures)",
        "rules": verdicts.RULES,
        "marks": verdicts.FAILS,
    }


def _no_epsilon(plan: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "declared": plan["epsilon"],
        "delta": plan["delta"],
        "unit": plan["unit"],
        "accountant": {},
        "empirical": [],
        "exceeded": False,
    }


def _not_tested(attacks: list[dict[str, Any]], missing: list[str]) -> list[dict[str, str]]:
    skipped = [
        {"name": a["name"], "why": str(a["why"])} for a in attacks if a["status"] == "not tested"
    ]
    late = [{"name": name, "why": "the audit was stopped before it"} for name in missing]
    never = [
        {"name": "other attacks", "why": "those that nobody has thought of yet"},
        {"name": "other knowledge", "why": "attackers with data that this audit knows nothing of"},
    ]
    return skipped + late + never


def _limits(games: Games) -> list[str]:
    return [
        f"Each release played holds about {len(games.pool) // 2} people, drawn from "
        f"{len(games.pool)}, not all {games.traces.n_users}: in a larger crowd people hide a "
        "little better.",
        "Counts are taken to be published once; each further publication of the same people adds "
        "to the risk.",
        "Noise is taken to be drawn exactly: the last digits of floating-point numbers, which can "
        "give noise away, are not attacked.",
        "People are taken to be independent: a family that travels together is more exposed than "
        "one person.",
    ]


def _rounded(value: Any) -> Any:
    """The same with six significant digits."""
    if isinstance(value, Mapping):
        return {key: _rounded(each) for key, each in value.items()}
    return measures._rounded(value)

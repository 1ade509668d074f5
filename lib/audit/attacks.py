"""The registry: every attack on one release, with its threat model, its paper and what it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lib.audit import count_attacks, localization, measures, membership, trajectories, verdicts
from lib.audit.games import Games
from lib.audit.measures import Measure
from lib.audit.threats import Threat, threat

KK = "Pyrgelis, Troncoso, De Cristofaro 2018 (Knock Knock)"
ZK = "Guan, Guépin, Cretu, de Montjoye 2024 (Zero Auxiliary Knowledge)"
CROWD = "Pyrgelis, Troncoso, De Cristofaro 2017 (What Does The Crowd Say)"
FANO = "Koga, Meehan, Chaudhuri 2024 (Fano loss)"
THRESHOLD = "Liu, Shilov, Guépin, de Montjoye 2024 (Sub-optimal Learning)"
XU = "Xu et al. 2017 (Trajectory Recovery From Ash)"
UNICITY = "de Montjoye et al. 2013 (Unique in the Crowd)"
TABLES = "Dobra and Fienberg 2000 (bounds for cell entries)"

_NAMED = 10  # of the most exposed people


@dataclass(frozen=True)
class Found:
    """What an attack came to: measures, its control, a plain sentence, and more for the page."""

    measures: Mapping[str, Measure]
    control: Mapping[str, Any]
    statement: str
    more: Mapping[str, Any]


@dataclass(frozen=True)
class Attack:
    """One attack on one release.

    needs  "coordinates", "history" (two days at least), "small" (runs on 500 people at most)
    run    Games -> Found
    cost   seconds at 1,000 targets x 100 zones x 672 hours, about; quick is a fraction of it
    """

    id: str
    name: str
    threat: Threat
    paper: str
    run: Callable[[Games], Found]
    needs: tuple[str, ...] = ()
    cost: float = 1.0


def why_not(attack: Attack, games: Games) -> str | None:
    """Why an attack cannot be tried on these records or this release; None if it can."""
    traces = games.traces
    if "time" in attack.needs and not games.sizes.rare_targets:
        return "left out of a quick audit: it takes long for each person"
    if "coordinates" in attack.needs and traces.rois[["lat", "lon"]].isna().to_numpy().any():
        return "the zones have no coordinates, and this attack has to know which are neighbours"
    if "coordinates" in attack.needs and len(traces.rois.drop_duplicates(["lat", "lon"])) < 4:
        return "fewer than four positions: neighbours are found by triangulation"
    if "history" in attack.needs and traces.n_epochs < 2 * games.plan.shape.epochs_a_day:
        return "less than two days of records: there is no earlier period to learn from"
    if "imitable" in attack.needs:
        known = {"raw", "whole-numbers", "suppress"} | {
            f"{unit}-level-{noise}"
            for unit in ("event", "user-day", "user")
            for noise in ("laplace", "gaussian")
        }
        other = [step.name for step in games.release.steps if step.name not in known]
        if other:
            return f"it imitates noise on counts and suppression, not {other[0]}"
    if "totals" in attack.needs and games.release.totals == "none":
        return "no totals are published beside the counts"
    if "hidden" in attack.needs and games.plan.threshold < 2:
        return "the release hides no counts"
    return None


# -- membership ------------------------------------------------------------------------------------


_NOT_HER = (
    " But it says the same of people who were never in: what it recognises is the group, not her."
)


def _membership(attack: membership.Attack, how_many: str) -> Callable[[Games], Found]:
    def run(games: Games) -> Found:
        n = {
            "all": None,
            "some": 4 * games.sizes.few_targets,
            "few": games.sizes.few_targets,
            "rare": games.sizes.rare_targets,
        }[how_many]
        people = games.targets if n is None else games.few(n)
        controls = games.controls if n is None else games.few(n, games.controls)
        asked = np.concatenate([people, controls])
        scores = attack(games, asked)
        found = _judged(games, scores, slice(0, len(people)))
        control = _control(games, scores, slice(len(people), None))
        said = _found_members(found)
        if not control["at_chance"]:
            said += _NOT_HER
        more: dict[str, Any] = {"targets": len(people)}
        if n is None:
            more["exposed"] = _exposed(games, scores, people)
        return Found(found, control, said, more)

    return run


def _exposed(
    games: Games, scores: membership.Scores, people: np.ndarray
) -> list[dict[str, float | int]]:
    """The most exposed people by position, chosen on shadow releases, with their AUC on others."""
    shadow, test = scores.shadow[: len(people)], scores.test[: len(people)]
    chosen = measures.exposed(measures.aucs(shadow, games.shadow.members[people]))[:_NAMED]
    own = measures.aucs(test[chosen], games.test.members[people[chosen]])
    return [
        {"position": int(position), "AUC": float(f"{auc:.6g}")}
        for position, auc in zip(people[chosen], own, strict=True)
    ]


def _judged(games: Games, scores: membership.Scores, part: slice) -> dict[str, Measure]:
    people = scores.people[part]
    return measures.membership_measures(
        scores.test[part],
        games.test.members[people],
        scores.shadow[part],
        games.shadow.members[people],
    )


def _control(games: Games, scores: membership.Scores, part: slice) -> dict[str, Any]:
    """People who were never in, with labels that were drawn as everybody's."""
    people = scores.people[part]
    own = measures.aucs(scores.test[part], games.test.members[people])
    found = measures.mean_measure(own, 0.5, "AUC", (0, 1))
    at_chance = found.low is None or found.high is None or found.low <= 0.5 <= found.high
    return {
        "words": "people who were never in, scored in the same way",
        "people": len(people),
        "AUC": found.to_dict(),
        "at_chance": at_chance,
    }


def _found_members(found: Mapping[str, Measure]) -> str:
    worst, all_ = (found[f"TPR at 1.0% FPR{x}"] for x in (", most exposed tenth", ""))
    return (
        f"of 100 people who are in, it finds {_out_of_100(all_.value)}, and of 100 like the most "
        f"exposed tenth {_out_of_100(worst.value)}, while it takes one in 100 others for members "
        f"(a guess finds one); it ranks a member above another person in "
        f"{_out_of_100(found['AUC'].value)} of 100 cases (a guess: 50)."
    )


def _out_of_100(value: float) -> str:
    return f"{100 * value:.0f}"


# -- places, trajectories, disclosure --------------------------------------------------------------


def _gain(of: Callable[[Games], localization.Gain]) -> Callable[[Games], Found]:
    def run(games: Games) -> Found:
        gain = of(games)
        members = measures.mean_measure(gain.members, 0.0, gain.unit)
        others = measures.mean_measure(gain.controls, 0.0, gain.unit)
        own = measures.beyond_controls(gain.members, gain.controls, gain.unit)
        control = {
            "words": gain.control,
            "people": len(gain.controls),
            "gain": others.to_dict(),
            "at_chance": True,
        }
        errors = {
            name: measures.mean_measure(each, None, gain.error).to_dict()
            for name, each in gain.errors.items()
        }
        said = (
            f"with the counts it is off by {errors['with the counts']['value']:.3f}, without them "
            f"by {errors['without the counts']['value']:.3f}: {100 * members.value:.1f}% less; for "
            f"people who are not in the counts {100 * others.value:.1f}% less."
        )
        # what is learned because she is in: beyond what the crowd says of anybody
        found = {
            "gain over the prior": own,
            "gain over the prior, crowd included": members._replace(baseline=None),
        }
        return Found(found, control, said, {"errors": errors, "people": len(gain.members)})

    return run


def _steps(of: Callable[[Games], trajectories.Recovered]) -> Callable[[Games], Found]:
    def run(games: Games) -> Found:
        found = of(games)
        gain, others = found.attack - found.baseline, found.control - found.control_baseline
        unit = "share of the hours in which she was somewhere"
        reached = measures.mean_measure(found.attack, None, unit, (0, 1))
        guess = float(found.baseline.mean())
        said = (
            f"it recovers {100 * reached.value:.1f} of 100 steps; {found.baseline_words} "
            f"{100 * guess:.1f}."
        )
        return Found(
            {
                "steps recovered beyond the baseline": measures.beyond_controls(gain, others, unit),
                "steps recovered": reached,
            },
            {
                "words": found.control_words,
                "people": len(others),
                "gain": measures.mean_measure(others, 0.0, unit).to_dict(),
                "at_chance": True,  # what they gain is taken off
            },
            said,
            {"people": len(gain)},
        )

    return run


def _disclosed(of: Callable[[Games], count_attacks.Disclosed]) -> Callable[[Games], Found]:
    def run(games: Games) -> Found:
        found = of(games)
        return Found(found.measures, found.control, found.statement, found.more)

    return run


def _m(
    id_: str,
    name: str,
    knowledge: str,
    paper: str,
    attack: membership.Attack,
    how_many: str = "all",
    needs: tuple[str, ...] = (),
    cost: float = 2.0,
) -> Attack:
    run = _membership(attack, how_many)
    return Attack(id_, name, threat(knowledge, "membership"), paper, run, needs, cost)


ATTACKS: tuple[Attack, ...] = (
    _m("sum-of-cells", "Sum over her cells", "her visits", THRESHOLD, membership.sum_of_cells),
    _m(
        "one-threshold",
        "One threshold, known others taken away",
        "some others",
        THRESHOLD,
        membership.one_threshold,
        cost=4,
    ),
    _m(
        "two-threshold",
        "Two thresholds, known others taken away",
        "some others",
        THRESHOLD,
        membership.two_threshold,
    ),
    _m(
        "likelihood-ratio-crowd",
        "Likelihood ratio, the crowd known",
        "crowd",
        THRESHOLD,
        membership.ratio_of_crowd,
    ),
    _m(
        "likelihood-ratio-some-others",
        "Likelihood ratio, known others taken away",
        "some others",
        THRESHOLD,
        membership.ratio_of_some,
    ),
    _m(
        "likelihood-ratio-correlated",
        "Likelihood ratio that knows who goes together",
        "crowd",
        THRESHOLD,
        membership.correlated_ratio,
        "some",
        cost=8,
    ),
    _m(
        "likelihood-ratio-informed",
        "Likelihood ratio, everybody else known",
        "everybody else",
        THRESHOLD,
        membership.informed_ratio,
        "some",
        cost=4,
    ),
    _m(
        "knock-knock-subset",
        "Knock-Knock, groups of similar people",
        "crowd",
        KK,
        membership.knock_knock_subset,
        "few",
        cost=20,
    ),
    _m(
        "knock-knock-same-groups",
        "Knock-Knock, the same groups in the past",
        "past releases",
        KK,
        membership.knock_knock_same,
        "few",
        ("history",),
        20,
    ),
    _m(
        "knock-knock-different-groups",
        "Knock-Knock, other groups in the past",
        "past releases",
        KK,
        membership.knock_knock_different,
        "few",
        ("history",),
        20,
    ),
    _m(
        "meta-classifier",
        "Neural network on her cells",
        "some others",
        THRESHOLD,
        membership.meta_classifier,
        "few",
        cost=20,
    ),
    _m(
        "zero-knowledge",
        "Traces made from the release itself",
        "her visits and the map",
        ZK,
        membership.zero_knowledge,
        "rare",
        ("coordinates", "imitable", "time"),
        60,
    ),
    Attack(
        "place-bayes",
        "BAYES",
        threat("history", "place"),
        CROWD,
        _gain(localization.bayes),
        ("history",),
        20,
    ),
    Attack(
        "place-max-roi",
        "MAX_ROI",
        threat("history", "place"),
        CROWD,
        _gain(localization.max_roi),
        ("history",),
        10,
    ),
    Attack(
        "place-max-user",
        "MAX_USER",
        threat("history", "place"),
        CROWD,
        _gain(localization.max_user),
        ("history",),
        10,
    ),
    Attack(
        "place-joint",
        "All users at once (greatest entropy)",
        threat("history", "place"),
        CROWD,
        _gain(localization.joint),
        ("history",),
        20,
    ),
    Attack(
        "trajectory-map",
        "Most probable way",
        threat("everybody else", "trajectory"),
        FANO,
        _steps(trajectories.most_probable),
        ("history",),
        10,
    ),
    Attack(
        "trajectory-modes",
        "Most probable place of each hour",
        threat("everybody else", "trajectory"),
        FANO,
        _steps(trajectories.modes),
        ("history",),
        10,
    ),
    Attack(
        "trajectory-assignment",
        "Everybody's ways at once, from counts alone",
        threat("release", "trajectory"),
        XU,
        _steps(trajectories.assignment),
        (),
        20,
    ),
    Attack(
        "unicity",
        "Sightings that single a person out",
        threat("records", "re-identification"),
        UNICITY,
        _disclosed(count_attacks.unicity),
        (),
        2,
    ),
    Attack(
        "two-releases",
        "Difference of two releases",
        threat("two releases", "disclosure"),
        "differencing",
        _disclosed(count_attacks.two_releases),
        (),
        1,
    ),
    Attack(
        "totals",
        "Hidden counts from totals",
        threat("release", "disclosure"),
        TABLES,
        _disclosed(count_attacks.totals),
        ("hidden", "totals"),
        2,
    ),
)


def result(attack: Attack, games: Games) -> dict[str, Any]:
    """One entry of the document's `attacks`: JSON-able, the same bytes for the same seed."""
    entry: dict[str, Any] = {
        "id": attack.id,
        "name": attack.name,
        "goal": attack.threat.goal.name,
        "goal_words": attack.threat.goal.words,
        "knowledge": attack.threat.knowledge.name,
        "knowledge_words": attack.threat.knowledge.words,
        "realistic": attack.threat.knowledge.realistic,
        "paper": attack.paper,
        "status": "tested",
        "why": None,
        "measures": {},
        "control": {},
        "succeeded": False,
        "severity": "none",
        "statement": "",
    }
    why = why_not(attack, games)
    if why is not None:
        return entry | {"status": "not tested", "why": why, "statement": f"Not tested: {why}."}
    found = attack.run(games)
    measured = {name: each.to_dict() for name, each in found.measures.items()}
    succeeded, severity = verdicts.severity(
        measured, attack.threat.knowledge.realistic, found.control
    )
    return entry | {
        "measures": measured,
        "control": dict(found.control),
        "succeeded": succeeded,
        "severity": severity,
        "statement": found.statement,
        "more": dict(found.more),
    }

"""The registry of attacks on one release: threat model, paper and requirements of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lib.audit import count_attacks, localization, measures, membership, trajectories, verdicts
from lib.audit.games import Game
from lib.audit.measures import Measure, excess_over_controls, mean_measure
from lib.mechanisms import DiscreteGaussian, FourierPerturbation
from lib.threats import Threat, threat

KK = "Pyrgelis, Troncoso, De Cristofaro 2018 (Knock Knock)"
ZK = "Guan, Guépin, Cretu, de Montjoye 2024 (Zero Auxiliary Knowledge)"
CROWD = "Pyrgelis, Troncoso, De Cristofaro 2017 (What Does The Crowd Say)"
FANO = "Koga, Meehan, Chaudhuri 2024 (Fano loss)"
THRESHOLD = "Liu, Shilov, Guépin, de Montjoye 2024 (Sub-optimal Learning)"
XU = "Xu et al. 2017 (Trajectory Recovery From Ash)"
UNICITY = "de Montjoye et al. 2013 (Unique in the Crowd)"
TABLES = "Dobra and Fienberg 2000 (bounds for cell entries)"

_NAMED = 10  # of the most exposed people
_TPR = "TPR at 1.0% FPR"
_PAST = ("history",)  # needs


@dataclass(frozen=True)
class Outcome:
    """The result of an attack.

    Parameters
    ----------
    measures : mapping of str to Measure
        What was measured.
    control : mapping
        The control, and whether it is at chance level.
    statement : str
        The result in a sentence.
    more : mapping
        Further numbers for the report.
    """

    measures: Mapping[str, Measure]
    control: Mapping[str, Any]
    statement: str
    more: Mapping[str, Any]


@dataclass(frozen=True)
class Attack:
    """One attack on one release.

    Parameters
    ----------
    id : str
        Identifier; it never changes.
    name : str
        Title in reports.
    threat : Threat
        Its threat model.
    paper : str
        Where it was published.
    run : callable
        Maps a `Game` to an `Outcome`.
    needs : tuple of str
        Requirements, see `why_not`.
    cost : float
        Approximate seconds for 1,000 targets, 100 zones and 672 hours.
    """

    id: str
    name: str
    threat: Threat
    paper: str
    run: Callable[[Game], Outcome]
    needs: tuple[str, ...] = ()
    cost: float = 1.0


MOST_SAMPLED = 200_000  # visits, for sampling who else is counted: some minutes


def why_not(attack: Attack, game: Game) -> str | None:
    """Explain why an attack cannot be run on these records or this release.

    Parameters
    ----------
    attack : Attack
        The attack.
    game : Game
        The audit's game.

    Returns
    -------
    str or None
        The reason; None if it can be run.
    """
    traces, needs = game.traces, attack.needs
    if "time" in needs and not game.sizes.synthesis_targets:
        return "left out of a quick audit: it takes long for each person"
    visits = game.bounded.matrix.nnz
    if "companions" in needs and visits > MOST_SAMPLED:
        return (
            f"{visits:,} visits are too many to sample who else is counted; up to "
            f"{MOST_SAMPLED:,} are sampled, for example of fewer people or a shorter period"
        )
    if "coordinates" in needs and traces.rois[["lat", "lon"]].isna().to_numpy().any():
        return "the zones have no coordinates, and this attack has to know which are neighbours"
    if "coordinates" in needs and len(traces.rois.drop_duplicates(["lat", "lon"])) < 4:
        return "fewer than four positions: neighbours are found by triangulation"
    if "history" in needs and traces.n_epochs < 2 * game.plan.shape.epochs_a_day:
        return "less than two days of records: there is no earlier period to learn from"
    if "imitable" in needs:
        unknown = [step.name for step in game.release.steps if step.name not in _IMITABLE]
        if unknown:
            return f"it imitates noise on counts and suppression, not {unknown[0]}"
    if "totals" in needs and game.release.totals == "none":
        return "no totals are published beside the counts"
    if "hidden" in needs and game.plan.threshold < 2:
        return "the release hides no counts"
    return None


_IMITABLE = {"raw", "whole-numbers", "suppress"} | {
    f"{unit}-level-{noise}"
    for unit in ("event", "user-day", "user")
    for noise in ("laplace", "gaussian")
}


# -- membership ------------------------------------------------------------------------------------


def _membership(attack: membership.Attack, sample: str) -> Callable[[Game], Outcome]:
    """Run a membership attack on targets and on controls; `sample` sets how many of each."""

    def run(game: Game) -> Outcome:
        n = {
            "all": None,
            "some": 4 * game.sizes.slow_targets,
            "slow": game.sizes.slow_targets,
            "synthesis": game.sizes.synthesis_targets,
        }[sample]
        people = game.targets if n is None else game.sample(n)
        controls = game.controls if n is None else game.sample(n, game.controls)
        scores = attack(game, np.concatenate([people, controls]))
        found = evaluate_members(game, scores, slice(0, len(people)))
        control = _evaluate_controls(game, scores, slice(len(people), None))
        statement = _membership_statement(found, game)
        if not control["at_chance"]:
            statement += (
                " But it finds the same about people who were never in the data: it recognises "
                "the group, not the person."
            )
        more: dict[str, Any] = {"targets": len(people)}
        if n is None:
            more["exposed"] = _exposed(game, scores, people)
        return Outcome(found, control, statement, more)

    return run


def _exposed(
    game: Game, scores: membership.Scores, people: np.ndarray
) -> list[dict[str, float | int]]:
    """The most exposed people, selected on shadow releases, with their AUC on test releases."""
    shadow, test = scores.shadow[: len(people)], scores.test[: len(people)]
    selected = measures.most_exposed(measures.aucs(shadow, game.shadow.members[people]))[:_NAMED]
    own = measures.aucs(test[selected], game.test.members[people[selected]])
    return [
        {"position": int(position), "AUC": float(f"{auc:.6g}")}
        for position, auc in zip(people[selected], own, strict=True)
    ]


def evaluate_members(
    game: Game, scores: membership.Scores, part: slice = slice(None)
) -> dict[str, Measure]:
    """Measure a membership attack on targets.

    Parameters
    ----------
    game : Game
        The audit's game.
    scores : Scores
        Scores of the targets, and perhaps of other people.
    part : slice
        The targets among them.

    Returns
    -------
    dict of str to Measure
        Measures by name.
    """
    people = scores.people[part]
    shadow, members = scores.shadow[part], game.shadow.members[people]
    reference = None if scores.reference is None else scores.reference[part]
    as_is = scores.calibrated
    if as_is and reference is not None:
        as_is = not measures.standardizing_helps(shadow, members, reference)
    found = measures.membership_measures(
        scores.test[part], game.test.members[people], shadow, members, reference, as_is
    )
    full = scores.full
    if full is None:
        return found
    usual = None if as_is or full.reference is None else full.reference[part]
    return found | measures.full_size_measures(full.without[part], full.with_target[part], usual)


def _evaluate_controls(game: Game, scores: membership.Scores, part: slice) -> dict[str, Any]:
    """AUC of people who were in no release, with random labels like everybody's."""
    people = scores.people[part]
    own = measures.aucs(scores.test[part], game.test.members[people])
    auc = mean_measure(own, 0.5, "AUC", (0, 1))
    return {
        "words": "people who were never in the data, scored in the same way",
        "people": len(people),
        "AUC": auc.to_dict(),
        "at_chance": auc.low is None or auc.high is None or auc.low <= 0.5 <= auc.high,
    }


def _membership_statement(found: Mapping[str, Measure], game: Game) -> str:
    overall, worst, auc = (
        f"{100 * found[name].value:.0f}" for name in (_TPR, f"{_TPR}, most exposed tenth", "AUC")
    )
    return (
        f"in releases of about {len(game.pool) // 2} people it identifies {overall} of 100 people "
        f"who are in the data{_at_full_size(found, game)}, and {worst} of 100 in the "
        "most exposed tenth, if one in 100 people who are not in the data is wrongly identified (a "
        f"guess identifies one); it ranks a member above a non-member in {auc} of 100 comparisons "
        "(a guess: 50)."
    )


def _at_full_size(found: Mapping[str, Measure], game: Game) -> str:
    measure = found.get(f"{_TPR}, {measures.FULL_SIZE}")
    if measure is None:
        return ""
    return f" ({100 * measure.value:.0f} of 100 in the release of {game.full_size} people)"


# -- places, trajectories, disclosure --------------------------------------------------------------


def _gain(attack: Callable[[Game], localization.Gain]) -> Callable[[Game], Outcome]:
    def run(game: Game) -> Outcome:
        gain = attack(game)
        members = mean_measure(gain.members, 0.0, gain.unit)
        controls = mean_measure(gain.controls, 0.0, gain.unit)
        errors = {
            name: mean_measure(each, None, gain.error).to_dict()
            for name, each in gain.errors.items()
        }
        before, after = (errors[f"{way} the counts"]["value"] for way in ("without", "with"))
        statement = (
            f"the mean error is {after:.3f} with the counts and {before:.3f} without them: "
            f"{_lower(members.value)}; for people who are not in the counts it is "
            f"{_lower(controls.value)}."
        )
        # the first is what the target's membership reveals, beyond what counts say of anybody
        found = {
            "gain over the prior": excess_over_controls(gain.members, gain.controls, gain.unit),
            "gain over the prior, crowd included": members._replace(baseline=None),
        }
        control = {
            "words": gain.control,
            "people": len(gain.controls),
            "gain": controls.to_dict(),
            "at_chance": True,
        }
        return Outcome(found, control, statement, {"errors": errors, "people": len(gain.members)})

    return run


def _lower(gain: float) -> str:
    return f"{abs(100 * gain):.1f}% {'lower' if gain >= 0 else 'higher'}"


def _steps(attack: Callable[[Game], trajectories.RecoveredSteps]) -> Callable[[Game], Outcome]:
    def run(game: Game) -> Outcome:
        found = attack(game)
        gain, others = found.attack - found.baseline, found.control - found.control_baseline
        unit = "share of the hours in which the person was somewhere"
        recovered = mean_measure(found.attack, None, unit, (0, 1))
        statement = (
            f"it recovers {100 * recovered.value:.1f} of 100 steps; {found.baseline_words} "
            f"{100 * float(found.baseline.mean()):.1f}."
        )
        control = {
            "words": found.control_words,
            "people": len(others),
            "gain": mean_measure(others, 0.0, unit).to_dict(),
            "at_chance": True,  # their gain is subtracted
        }
        results = {
            "steps recovered beyond the baseline": excess_over_controls(gain, others, unit),
            "steps recovered": recovered,
        }
        return Outcome(results, control, statement, {"people": len(gain)})

    return run


def _disclosure(attack: Callable[[Game], count_attacks.Disclosure]) -> Callable[[Game], Outcome]:
    return lambda game: Outcome(*attack(game))


TITLES = {  # in reports
    "sum-of-cells": "Sum over the target's cells",
    "one-threshold": "One threshold, some users known",
    "two-threshold": "Two thresholds, some users known",
    "likelihood-ratio-others": "Likelihood ratio, other people's traces known",
    "likelihood-ratio-crowd": "Likelihood ratio, everybody's traces known",
    "likelihood-ratio-some-others": "Likelihood ratio, some users known",
    "likelihood-ratio-correlated": "Joint likelihood ratio, everybody's traces known",
    "likelihood-ratio-informed": "Likelihood ratio, everybody else known",
    "knock-knock-subset": "Knock-Knock, prior 1 (subset of users known)",
    "knock-knock-same-groups": "Knock-Knock, prior 2a (same groups in the past)",
    "knock-knock-different-groups": "Knock-Knock, prior 2b (other groups in the past)",
    "meta-classifier": "Neural network on the target's cells",
    "zero-knowledge": "Zero auxiliary knowledge (traces synthesised from the release)",
    "place-bayes": "BAYES",
    "place-max-roi": "MAX_ROI",
    "place-max-user": "MAX_USER",
    "place-joint": "Joint localization of all users (maximum entropy)",
    "trajectory-map": "Most probable trajectory",
    "trajectory-modes": "Most probable place of each hour",
    "trajectory-assignment": "All trajectories at once, from counts alone",
    "unicity": "Unicity (sightings that single a person out)",
    "two-releases": "Differencing attack on two releases",
    "totals": "Hidden counts recovered from totals",
}
# id, knowledge, paper, attack, sample of targets, needs, cost
_MEMBERSHIP: tuple[tuple[str, str, str, membership.Attack, str, tuple[str, ...], float], ...] = (
    ("sum-of-cells", "her visits", THRESHOLD, membership.sum_of_cells, "all", (), 2),
    ("one-threshold", "some others", THRESHOLD, membership.one_threshold, "all", (), 4),
    ("two-threshold", "some others", THRESHOLD, membership.two_threshold, "all", (), 2),
    (
        "likelihood-ratio-others",
        "other people",
        THRESHOLD,
        membership.likelihood_ratio_other_people,
        "all",
        (),
        4,
    ),
    (
        "likelihood-ratio-crowd",
        "crowd",
        THRESHOLD,
        membership.likelihood_ratio_same_people,
        "all",
        (),
        2,
    ),
    (
        "likelihood-ratio-some-others",
        "some others",
        THRESHOLD,
        membership.likelihood_ratio_known_users,
        "all",
        (),
        2,
    ),
    (
        "likelihood-ratio-correlated",
        "crowd",
        THRESHOLD,
        membership.joint_likelihood_ratio,
        "some",
        ("companions",),
        150,
    ),
    (
        "likelihood-ratio-informed",
        "everybody else",
        THRESHOLD,
        membership.informed_likelihood_ratio,
        "some",
        (),
        4,
    ),
    ("knock-knock-subset", "crowd", KK, membership.knock_knock_prior_1, "slow", (), 20),
    (
        "knock-knock-same-groups",
        "past releases",
        KK,
        membership.knock_knock_prior_2a,
        "slow",
        _PAST,
        20,
    ),
    (
        "knock-knock-different-groups",
        "past releases",
        KK,
        membership.knock_knock_prior_2b,
        "slow",
        _PAST,
        20,
    ),
    ("meta-classifier", "some others", THRESHOLD, membership.meta_classifier, "slow", (), 20),
    (
        "zero-knowledge",
        "her visits and the map",
        ZK,
        membership.zero_knowledge,
        "synthesis",
        ("coordinates", "imitable", "time"),
        60,
    ),
)
# id, knowledge, goal, paper, run, needs, cost
_OTHERS: tuple[
    tuple[str, str, str, str, Callable[[Game], Outcome], tuple[str, ...], float], ...
] = (
    ("place-bayes", "history", "place", CROWD, _gain(localization.bayes), _PAST, 20),
    ("place-max-roi", "history", "place", CROWD, _gain(localization.max_roi), _PAST, 10),
    ("place-max-user", "history", "place", CROWD, _gain(localization.max_user), _PAST, 10),
    ("place-joint", "history", "place", CROWD, _gain(localization.joint), _PAST, 20),
    (
        "trajectory-map",
        "everybody else",
        "trajectory",
        FANO,
        _steps(trajectories.most_probable),
        _PAST,
        10,
    ),
    (
        "trajectory-modes",
        "everybody else",
        "trajectory",
        FANO,
        _steps(trajectories.most_probable_steps),
        _PAST,
        10,
    ),
    ("trajectory-assignment", "release", "trajectory", XU, _steps(trajectories.assignment), (), 20),
    ("unicity", "records", "re-identification", UNICITY, _disclosure(count_attacks.unicity), (), 2),
    (
        "two-releases",
        "two releases",
        "disclosure",
        "",
        _disclosure(count_attacks.two_releases),
        (),
        1,
    ),
    (
        "totals",
        "release",
        "disclosure",
        TABLES,
        _disclosure(count_attacks.totals),
        ("hidden", "totals"),
        2,
    ),
)
ATTACKS: tuple[Attack, ...] = tuple(
    Attack(
        id_, TITLES[id_], threat(knows, "membership"), paper, _membership(run, sample), needs, cost
    )
    for id_, knows, paper, run, sample, needs, cost in _MEMBERSHIP
) + tuple(
    Attack(id_, TITLES[id_], threat(knows, goal), paper, run, needs, cost)
    for id_, knows, goal, paper, run, needs, cost in _OTHERS
)


_EXACT = {
    "likelihood-ratio-others": "approximate",
    "likelihood-ratio-crowd": "exact for each cell",
    "likelihood-ratio-some-others": "approximate",
    "likelihood-ratio-correlated": "approximate",
    "likelihood-ratio-informed": "exact",
}


def exactness(attack: Attack, game: Game) -> str:
    """Say whether an attack's likelihood ratio is exact under this release.

    Parameters
    ----------
    attack : Attack
        The attack.
    game : Game
        The audit's game.

    Returns
    -------
    str
        "exact", "exact for each cell" (cells are taken as independent) or "approximate"; empty for
        an attack that is no likelihood ratio.
    """
    how = _EXACT.get(attack.id, "")
    noise, after = game.plan.noise, game.plan.after
    if how and isinstance(noise, DiscreteGaussian) and after:  # tails of a normal distribution
        return "approximate"
    if not how or not isinstance(noise, FourierPerturbation):
        return how
    return how if how == "exact" and not game.plan.after else "approximate"


def evaluate(attack: Attack, game: Game) -> dict[str, Any]:
    """Run an attack and describe its result.

    Parameters
    ----------
    attack : Attack
        The attack.
    game : Game
        The audit's game.

    Returns
    -------
    dict
        One entry of the document's ``attacks``: serialisable, identical for the same seed.
    """
    knowledge, goal = attack.threat.knowledge, attack.threat.goal
    how = exactness(attack, game)
    entry: dict[str, Any] = {
        "id": attack.id,
        "name": f"{attack.name} ({how})" if how else attack.name,
        "goal": goal.name,
        "goal_words": goal.words,
        "knowledge": knowledge.name,
        "knowledge_words": knowledge.words,
        "realistic": knowledge.plausible,
        "paper": attack.paper,
        "status": "tested",
        "why": None,
        "measures": {},
        "control": {},
        "succeeded": False,
        "severity": "none",
        "statement": "",
    }
    why = why_not(attack, game)
    if why is not None:
        return entry | {"status": "not tested", "why": why, "statement": f"Not tested: {why}."}
    outcome = attack.run(game)
    measured = {name: each.to_dict() for name, each in outcome.measures.items()}
    succeeded, severity = verdicts.severity(measured, knowledge.plausible, outcome.control)
    return entry | {
        "measures": measured,
        "control": dict(outcome.control),
        "succeeded": succeeded,
        "severity": severity,
        "statement": outcome.statement,
        "more": dict(outcome.more),
    }

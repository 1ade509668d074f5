"""When an audit fails a release: rules that were fixed before any release was examined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

VERDICTS = ("fail", "review", "none-succeeded")

# An attack with realistic knowledge and with controls at chance level fails the release if the
# lower end of its interval reaches one of these. Intervals hold simultaneously (see `measures`).
FAILS = {
    "TPR at 1.0% FPR": 0.1,  # one member in ten identified at one false positive in a hundred
    "TPR at 1.0% FPR, most exposed tenth": 0.5,
    "AUC": 0.75,
    "gain over the prior": 0.1,  # of the error, or of the steps, of the attacker without counts
    "steps recovered beyond the baseline": 0.1,
    "hidden counts recovered": 0.0,  # any
}
STRICT = {"hidden counts recovered"}  # must exceed its threshold; the others may equal it
RULES = {
    "fail": "a lower bound on epsilon exceeds the declared epsilon; or hidden counts are recovered "
    "exactly; or an attack with knowledge that somebody may well have reaches one of the "
    "thresholds with the lower end of its interval, while its controls stay at chance level",
    "review": "an attack is significantly better than its baseline; or controls are not at chance "
    "level; or the audit is incomplete",
    "none-succeeded": "no attack that was run succeeded, which does not mean that none could",
}


def severity(
    measures: Mapping[str, Mapping[str, Any]], realistic: bool, control: Mapping[str, Any]
) -> tuple[bool, str]:
    """Decide whether an attack succeeded, and how serious that is.

    Parameters
    ----------
    measures : mapping of str to mapping
        Each measure's value, low, high and baseline.
    realistic : bool
        Whether somebody may well have the attack's knowledge.
    control : mapping
        The control; ``at_chance`` is taken as true if it is missing.

    Returns
    -------
    succeeded : bool
        Whether a measure is significantly above its baseline.
    severity : {"fail", "review", "none"}
        What that means for the release.
    """
    beats = any(_above(m, m["baseline"]) for m in measures.values() if m["baseline"] is not None)
    strong = any(
        _above(m, FAILS[name], or_equal=name not in STRICT)
        for name, m in measures.items()
        if name in FAILS
    )
    at_chance = bool(control.get("at_chance", True))
    if not beats:
        return False, "none" if at_chance else "review"
    return True, "fail" if strong and realistic and at_chance else "review"


def _above(measure: Mapping[str, Any], threshold: float, or_equal: bool = False) -> bool:
    low = measure["low"] if measure["low"] is not None else measure["value"]
    return low is not None and bool(low >= threshold if or_equal else low > threshold)


def verdict(
    attacks: Sequence[Mapping[str, Any]], epsilon: Mapping[str, Any], complete: bool
) -> tuple[str, list[str]]:
    """Decide the verdict on a release and list its reasons.

    Parameters
    ----------
    attacks : sequence of mapping
        Results of attacks, as `lib.audit.attacks.evaluate` returns them.
    epsilon : mapping
        Declared and empirical epsilon, as `lib.audit.epsilon.audit_epsilon` returns them.
    complete : bool
        Whether every step was run.

    Returns
    -------
    verdict : {"fail", "review", "none-succeeded"}
        The verdict.
    reasons : list of str
        Plain sentences, the most important first.
    """
    fails: list[str] = [_exceeded(epsilon)] if epsilon.get("exceeded") else []
    reviews: list[str] = []
    if not complete:
        reviews.append("The audit is incomplete: attacks that were not run may succeed.")
    for attack in sorted(attacks, key=_margin, reverse=True):
        if attack["status"] == "tested" and attack["severity"] != "none":
            reason = f"{attack['name']}: {attack['statement']}"
            (fails if attack["severity"] == "fail" else reviews).append(reason)
    if fails:
        return "fail", fails + reviews
    if reviews:
        return "review", reviews
    return "none-succeeded", [
        "No attack that was run succeeded. This does not mean that none could: see what was not "
        "tested."
    ]


def _margin(attack: Mapping[str, Any]) -> float:
    """How far the lower end of an attack's best measure is above its baseline."""
    measures = [m for m in attack["measures"].values() if m["baseline"] is not None]
    return max((m["low"] - m["baseline"] for m in measures if m["low"] is not None), default=0.0)


def _exceeded(epsilon: Mapping[str, Any]) -> str:
    worst = max(epsilon["empirical"], key=lambda each: each["lower"] or 0.0)
    return (
        f"Empirical epsilon ({worst['attack']}): the true epsilon for {epsilon['unit']} is at "
        f"least {worst['lower']:.3g}, but {epsilon['declared']:.3g} is declared. The noise does "
        "not give the declared guarantee: do not publish before the error is found."
    )

"""When an audit fails a release: rules that were fixed before any release was looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

VERDICTS = ("fail", "review", "none-succeeded")

# An attack with knowledge that people have, and controls at chance, fails the release if the lower
# end of its interval reaches one of these. Intervals hold together (see `measures`).
FAILS = {
    "TPR at 1.0% FPR": 0.1,  # one member in ten found, one other in a hundred taken for a member
    "TPR at 1.0% FPR, most exposed tenth": 0.5,
    "AUC": 0.75,
    "gain over the prior": 0.1,  # of the error, or of the steps, that knowledge without counts has
    "steps recovered beyond the baseline": 0.1,
    "hidden counts recovered": 0.0,  # any
}
STRICT = {"hidden counts recovered"}  # these have to exceed their mark, not reach it
RULES = {
    "fail": "a lower bound on epsilon exceeds the declared epsilon; or hidden counts are recovered "
    "exactly; or an attack with knowledge that people have reaches one of the marks with the lower "
    "end of its interval, while its controls stay at chance",
    "review": "an attack beats its baseline beyond its interval; or controls are not at chance; or "
    "the audit is not finished",
    "none-succeeded": "no attack that was tried succeeded, which does not mean that none could",
}


def severity(
    measures: Mapping[str, Mapping[str, Any]], realistic: bool, control: Mapping[str, Any]
) -> tuple[bool, str]:
    """Whether an attack succeeded, and how bad that is: "fail", "review" or "none"."""
    beats = any(_above(m, m["baseline"]) for m in measures.values() if m["baseline"] is not None)
    strong = any(
        _above(m, FAILS[name], reach=name not in STRICT)
        for name, m in measures.items()
        if name in FAILS
    )
    at_chance = bool(control.get("at_chance", True))
    if not beats:
        return False, "none" if at_chance else "review"
    return True, "fail" if strong and realistic and at_chance else "review"


def _above(measure: Mapping[str, Any], mark: float, reach: bool = False) -> bool:
    low = measure["low"] if measure["low"] is not None else measure["value"]
    if low is None:
        return False
    return bool(low >= mark) if reach else bool(low > mark)


def verdict(
    attacks: Sequence[Mapping[str, Any]], epsilon: Mapping[str, Any], complete: bool
) -> tuple[str, list[str]]:
    """The verdict, and its reasons in plain sentences, the most important first."""
    fails: list[str] = []
    reviews: list[str] = []
    if epsilon.get("exceeded"):
        fails.append(_exceeded(epsilon))
    for attack in sorted(attacks, key=_margin, reverse=True):
        if attack["status"] == "tested" and attack["severity"] != "none":
            said = f"{attack['name']}: {attack['statement']}"
            (fails if attack["severity"] == "fail" else reviews).append(said)
    if not complete:
        reviews.insert(0, "The audit is not finished: what was not tried may succeed.")
    if fails:
        return "fail", fails + reviews
    if reviews:
        return "review", reviews
    return "none-succeeded", [
        "No attack that was tried succeeded. This does not mean that none could: see what was not "
        "tested."
    ]


def _margin(attack: Mapping[str, Any]) -> float:
    """How far the lower end of an attack's best measure is above its baseline."""
    found = [m for m in attack["measures"].values() if m["baseline"] is not None]
    lows = [m["low"] - m["baseline"] for m in found if m["low"] is not None]
    return max(lows, default=0.0)


def _exceeded(epsilon: Mapping[str, Any]) -> str:
    worst = max(epsilon["empirical"], key=lambda each: each["lower"] or 0.0)
    return (
        f"Empirical epsilon ({worst['attack']}): the release lets through an epsilon of at least "
        f"{worst['lower']:.3g} for {epsilon['unit']}, and promises {epsilon['declared']:.3g}. Its "
        "noise is not what it says: do not publish before that is found."
    )

"""When an audit fails a release: the rules of the verdict.

A verdict has two sides: what a plausible attacker achieves, and what is guaranteed to a person
whatever an attacker knows. Where no attack succeeds and nothing is guaranteed, the verdict is worse
than where a small epsilon is guaranteed for everything that a person does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

VERDICTS = ("fail", "review", "none-succeeded", "guaranteed")  # from the worst to the best

GUARANTEE = 1.0  # largest epsilon of a person, over the whole release, that counts as a guarantee
DELTA = 1e-5  # and the largest delta
PRIORS = (0.5, 0.1, 0.01)  # shares of people in the data among those whom an attacker considers
_FPR = 0.01
_IDENTIFIED = ("TPR at 1.0% FPR, full size", "TPR at 1.0% FPR")

# An attack with realistic knowledge and with controls at chance level fails the release if the
# lower end of its interval reaches one of these. Intervals hold simultaneously (see `measures`).
FAILS = {
    "TPR at 1.0% FPR": 0.1,  # one member in ten identified at one false positive in a hundred
    "TPR at 1.0% FPR, most exposed tenth": 0.5,
    "AUC": 0.75,
    "TPR at 1.0% FPR, full size": 0.1,
    "AUC, full size": 0.75,
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
    "none-succeeded": "no attack that was run succeeded, and nothing is guaranteed to a person, so "
    "another attack may succeed",
    "guaranteed": "an epsilon of at most 1, with delta at most 0.00001, is guaranteed for "
    "everything that one person does in the whole period, whatever an attacker knows; and no "
    "finding fails the release",
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
    verdict : {"fail", "review", "none-succeeded", "guaranteed"}
        The verdict.
    reasons : list of str
        Plain sentences, the most important first.
    """
    fails: list[str] = [_exceeded(epsilon)] if epsilon.get("exceeded") else []
    reviews: list[str] = _above_nominal(epsilon)
    if not complete:
        reviews.append("The audit is incomplete: attacks that were not run may succeed.")
    for attack in sorted(attacks, key=_margin, reverse=True):
        if attack["status"] == "tested" and attack["severity"] != "none":
            reason = f"{attack['name']}: {attack['statement']}"
            (fails if attack["severity"] == "fail" else reviews).append(reason)
    if fails:
        return "fail", fails + reviews
    promise = guarantee(epsilon)
    if complete and promise["holds"]:
        return "guaranteed", [promise["sentence"], *reviews]
    if reviews:
        return "review", reviews
    return "none-succeeded", [
        "No attack that was run succeeded. This does not mean that none could: see what was not "
        "tested.",
        promise["sentence"],
    ]


def guarantee(epsilon: Mapping[str, Any]) -> dict[str, Any]:
    """Describe what is guaranteed to a person over the whole release, whatever an attacker knows.

    Parameters
    ----------
    epsilon : mapping
        As `lib.audit.epsilon.audit_epsilon` returns it.

    Returns
    -------
    dict
        Keys ``epsilon`` and ``delta`` (None without a guarantee), ``holds`` (whether it is small
        enough, and no bound contradicts it) and ``sentence``.
    """
    value, delta = (epsilon.get("person") or {}).get("epsilon"), epsilon.get("delta") or 0.0
    if value is None:
        text = "Nothing is guaranteed: an attacker with other knowledge may learn anything."
        return {"epsilon": None, "delta": None, "holds": False, "sentence": text}
    holds = value <= GUARANTEE and delta <= DELTA and not epsilon.get("exceeded")
    but = f" but with probability {delta:g}" if delta else ""
    if value <= 5:
        bound = min(1.0, _FPR * math.exp(value) + delta)
        effect = (
            f"so no attacker{but} identifies more than {100 * bound:.1f} of 100 members if one in "
            "100 people who are not in the data is wrongly identified"
        )
    else:
        effect = "which excludes hardly any attack"
    text = (
        f"For everything that one person does in the whole period, epsilon {value:.3g} is "
        f"guaranteed, {effect}."
    )
    return {"epsilon": value, "delta": delta, "holds": bool(holds), "sentence": text}


def assess(attacks: Sequence[Mapping[str, Any]], epsilon: Mapping[str, Any]) -> dict[str, Any]:
    """Describe both sides of a verdict.

    Parameters
    ----------
    attacks, epsilon : object
        As for `verdict`.

    Returns
    -------
    dict
        Keys ``plausible`` and ``worst``: the share of members that the best attack with such
        knowledge identifies at 1% false positives, with its interval, or None; ``base_rates`` of
        the plausible one; ``guarantee``.
    """
    best = _best(attacks, plausible=True)
    return {
        "plausible": best,
        "worst": _best(attacks, plausible=False),
        "base_rates": [] if best is None else _base_rates(float(best["value"])),
        "guarantee": guarantee(epsilon),
    }


def _best(attacks: Sequence[Mapping[str, Any]], plausible: bool) -> dict[str, Any] | None:
    """The attack whose interval begins highest; at the full size, where that was measured."""
    found = []
    for attack in attacks:
        if attack["realistic"] < plausible or not attack["control"].get("at_chance", True):
            continue
        for name in _IDENTIFIED:
            measure = attack["measures"].get(name)
            if measure is not None and measure["low"] is not None:
                numbers = {key: measure[key] for key in ("value", "low", "high", "baseline")}
                found.append({"attack": attack["id"], "name": attack["name"], "measure": name})
                found[-1] |= numbers | {"knowledge": attack["knowledge_words"]}
    return max(found, key=lambda each: (each["low"], each["value"]), default=None)


def _base_rates(share: float) -> list[dict[str, float]]:
    """Of the people whom an attack flags, how many were never counted, for each prior."""
    rates = []
    for prior in PRIORS:
        wrong, right = (1 - prior) * _FPR, prior * share
        rates.append({"prior": prior, "never_counted": float(f"{wrong / (wrong + right):.6g}")})
    return rates


def _margin(attack: Mapping[str, Any]) -> float:
    """How far the lower end of an attack's best measure is above its baseline."""
    measures = [m for m in attack["measures"].values() if m["baseline"] is not None]
    return max((m["low"] - m["baseline"] for m in measures if m["low"] is not None), default=0.0)


def _exceeded(epsilon: Mapping[str, Any]) -> str:
    worst = max(
        (each for each in epsilon["empirical"] if each["comparable"]),
        key=lambda each: (each["lower"] or 0.0) - (each["declared"] or 0.0),
    )
    return (
        f"Empirical epsilon ({worst['attack']}): the true epsilon for {epsilon['unit']} is at "
        f"least {worst['lower']:.3g}, but {worst['declared']:.3g} is declared. The noise does "
        "not give the declared guarantee: do not publish before the error is found."
    )


def _above_nominal(epsilon: Mapping[str, Any]) -> list[str]:
    """A sentence if epsilon was given for one place and does not hold for a person."""
    nominal = epsilon.get("nominal")
    bounds = [each for each in epsilon.get("empirical", []) if each["declared"] != nominal]
    worst = max(bounds, key=lambda each: each["lower"] or 0.0, default=None)
    if nominal is None or worst is None or worst["lower"] <= nominal:
        return []
    return [
        f"Nominal epsilon: {nominal:.3g} is for one person at one place. For one person in the "
        f"whole release epsilon is at least {worst['lower']:.3g} ({worst['attack']}), and up to "
        f"{epsilon['declared']:.3g}."
    ]

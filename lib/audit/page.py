"""The page of an audit: one HTML file without scripts or requests, made from `audit.json` alone.

The template is in `report/`. jinja escapes everything that a document holds, and the page's content
security policy forbids the browser to load anything.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

from lib.audit.alternatives import useful_enough

FOLDER = Path(__file__).with_name("report")
RISK = "TPR at 1.0% FPR, most exposed tenth"  # the measure by which releases are compared


class Verdict(NamedTuple):
    """Words for a verdict.

    Parameters
    ----------
    word, headline, meaning : str
        In the title, at the top of the page, and its explanation.
    """

    word: str
    headline: str
    meaning: str


VERDICTS = {
    "fail": Verdict(
        "Fail",
        "Do not publish these counts as they are.",
        "Fail: an attack succeeded with knowledge that somebody may well have, or the noise does "
        "not give the declared guarantee.",
    ),
    "review": Verdict(
        "Review",
        "These counts need a decision before they are published.",
        "Review: the findings are warnings rather than failures.",
    ),
    "none-succeeded": Verdict(
        "No attack succeeded, nothing guaranteed",
        "No attack that was run succeeded, and nothing is guaranteed.",
        "Other attacks, other knowledge and later releases remain. What was not tested is listed "
        "below.",
    ),
    "guaranteed": Verdict(
        "Guaranteed",
        "The privacy of a person is guaranteed, within the stated epsilon.",
        "Differential privacy for a whole person bounds what any attacker learns from this release "
        "alone, if the noise is drawn as described. Each further release about the same people "
        "adds to epsilon.",
    ),
}
MAIN = "identified in the most exposed tenth, or as named"
SHORT = {"fail": "yes", "review": "warning", "none": "no"}
OUTCOMES = {
    "fail": "It succeeded: this alone is a reason not to publish.",
    "review": "A warning: the result is significantly better than its baseline but reaches no "
    "threshold, or the attack needs knowledge that few people have, or its control is not at "
    "chance level.",
    "none": "It did not succeed.",
}
NOT_CLEAR = (
    "A guess identifies 1%, which this interval includes. No attack with realistic knowledge was "
    "significantly better than guessing; this is the one that was measured most precisely."
)
GLOSSARY = {
    "AUC": "Area under the ROC curve: the probability that an attack gives a person in the data a "
    "higher score than a person who is not; 0.5 is guessing, 1 is certainty.",
    "TPR": "True positive rate: the share of the people in the data whom the attack identifies.",
    "FPR": "False positive rate: the share of the people not in the data whom the attack wrongly "
    "identifies as being in it.",
    "MRE": "Mean relative error of the published counts.",
    "most exposed tenth": "The tenth of the people about whom the attack learns most. They are "
    "selected on other simulated releases than those the attack is evaluated on. The audit does "
    "not describe these people; with --show-ids it lists them.",
    "epsilon": "The parameter of differential privacy. It bounds how much the data of one unit (a "
    "visit, a day or a person) can change the probability of any published result: by a factor of "
    "at most e^epsilon. That is almost nothing at 0.1, a factor of 2.7 at 1, and of 22,000 at 10.",
    "delta": "The probability with which this bound may fail.",
    "prior": "What an attacker who knows people's habits would guess without these counts.",
}


def render(document: Mapping[str, Any]) -> str:
    """Render the page of an audit.

    Parameters
    ----------
    document : mapping
        Contents of `audit.json`.

    Returns
    -------
    str
        HTML.
    """
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    tested = [each for each in document["attacks"] if each["status"] == "tested"]
    beside = ways(document)
    text = _template().render(
        doc=document,
        style=Markup(style),
        style_hash="sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        verdict=VERDICTS[document["verdict"]],
        unfinished=_unfinished(document),
        confidence=_confidence(document["at_risk"]),
        dots=_dots(document["at_risk"]),
        hours=_hours(document["data"]["epoch_hours"]),
        verdicts=VERDICTS,
        outcomes=OUTCOMES,
        tested=tested,
        picture=picture(document),
        changes=_changes(document),
        ways=beside,
        none_useful=bool(beside) and not any(each["useful_enough"] for each in beside),
        sides=_sides(document["assessment"]),
        base_rates=_base_rates(document["assessment"]),
        attack_at_risk=_attack_name(document, (document["at_risk"] or {}).get("attack", "")),
        settings=_in_words(document["settings"], SETTINGS),
        disclosure=_in_words(document["disclosure"], DISCLOSURE),
        tally=_tally(tested),
        main_name=MAIN,
        short=SHORT,
        people=(document["at_risk"] or {}).get("people", []),
        glossary=_glossary(document),
    )
    return text + "\n"


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "measure": format_measure,
        "baseline": _baseline,
        "plain": format_number,
        "share": _share,
        "text": _text,
        "settings": _settings,
        "control": _control,
        "main": _main_measure,
        "capital": _capital,
        "day": _day,
    }
    return environment.get_template("page.html")


# -- numbers and words -----------------------------------------------------------------------------


def format_number(value: Any) -> str:
    """Format a number for readers: 12,345; 0.84; 0.0012.

    Parameters
    ----------
    value : object
        A number, a truth value, None, or text.

    Returns
    -------
    str
        The number; text unchanged.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "unknown"
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, float):
        return str(value)
    if value == 0 or not math.isfinite(value):
        return f"{value + 0.0:g}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = max(0, 2 - math.floor(math.log10(abs(value)))) if abs(value) >= 1 else 2
    return f"{value:.{min(digits, 2)}f}" if abs(value) >= 0.1 else f"{value:.2g}"


def _share(value: Any) -> str:
    """A share between 0 and 1 in percent; other types as `format_number`."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return format_number(value)
    percent = 100 * value
    whole = abs(percent) >= 10 or percent == round(percent)
    return f"{percent:.0f}%" if whole else f"{percent:.1f}%"


def _form(measure: Mapping[str, Any]) -> Any:
    return _share if str(measure.get("unit", "")).startswith("share") else format_number


def format_measure(measure: Mapping[str, Any]) -> str:
    """Format a value with its interval: 0.84 [0.80, 0.88].

    Parameters
    ----------
    measure : mapping
        ``value``, ``low``, ``high`` and ``unit``.

    Returns
    -------
    str
        In percent if the unit is a share.
    """
    form, value = _form(measure), measure["value"]
    if value is None:
        return "could not be measured"
    low, high = measure.get("low"), measure.get("high")
    interval = "" if low is None or high is None else f" [{form(low)}, {form(high)}]"
    return f"{form(value)}{interval}"


def _baseline(measure: Mapping[str, Any]) -> str:
    base = measure.get("baseline")
    return "" if base is None else str(_form(measure)(base))


def _tally(tested: Sequence[Mapping[str, Any]]) -> str:
    """How many attacks succeeded, in words."""
    n = sum(each["severity"] == "fail" for each in tested)
    more = sum(each["severity"] == "review" for each in tested)
    if not tested or not n + more:
        return ""
    text = f"Of {len(tested)} attacks, {n or 'none'} succeeded with realistic knowledge"
    return f"{text}; {more} {'more ' if n else ''}gave a warning." if more else f"{text}."


def _main_measure(attack: Mapping[str, Any]) -> str:
    """The one measure of an attack that the overview shows."""
    found = attack["measures"]
    for name in (RISK, *found):
        if name in found:
            return ("" if name == RISK else f"{name}: ") + format_measure(found[name])
    return ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _named(name: str) -> str:
    return name.replace("_", " ")


def _text(value: Any) -> str:
    """Any part of a document, in words."""
    if isinstance(value, Mapping):
        if "value" in value:
            return format_measure(value)
        return "; ".join(f"{_named(str(name))} {_text(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value)) or "none"
    return format_number(value)


def _settings(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {format_number(value)}" for name, value in parameters.items())


def _hours(hours: float | None) -> str:
    if hours is None:
        return ""
    if hours == 1:
        return "one hour"
    days = hours / 24
    if days >= 1 and days == int(days):
        return "one day" if days == 1 else f"{days:.0f} days"
    return f"{hours:g} hours" if hours > 1 else f"{60 * hours:g} minutes"


def _confidence(at_risk: Mapping[str, Any] | None) -> str:
    if not at_risk or at_risk.get("low") is None or not 0 <= at_risk["value"] <= 1:
        return ""
    text = (
        f"With 95% confidence the number lies between {_share(at_risk['low'])} and "
        f"{_share(at_risk['high'])}."
    )
    return text if at_risk.get("clear", True) else f"{text} {NOT_CLEAR}"


def _sides(found: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """Both sides of the verdict: what attackers achieve, and what is guaranteed."""
    if found is None:
        return []
    sides = []
    for key, whom in (
        ("plausible", "a plausible attacker identifies, at 1% false positives"),
        ("worst", "the best attacker that was simulated, worst case"),
    ):
        best = found[key]
        text = "not measured"
        if best is not None:
            share = format_measure({**best, "unit": "share"})
            where = "at full size" if "full size" in best["measure"] else "of simulated releases"
            text = f"{share} of the members ({where}) with {best['knowledge']}: {best['name']}"
        sides.append({"side": whom, "text": text})
    sentence = str(found["guarantee"]["sentence"])
    return [*sides, {"side": "guaranteed, whatever an attacker knows", "text": sentence}]


_USES = {  # in the table of all ways to publish
    "error of totals by zone and day": "error of totals by zone and day",
    "rank correlation of places": "ranking of zones (rank correlation)",
    "peak hour found": "zones with the right peak hour",
}


def ways(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Put the release beside its alternatives, best first.

    Parameters
    ----------
    document : mapping
        Contents of `audit.json`.

    Returns
    -------
    list of dict
        A row for each: name, guarantee, risks, usefulness and verdict; empty without alternatives.
    """
    if document["assessment"] is None or not document["alternatives"]:
        return []
    own = {
        "release": f"as audited: {document['release']['name']}",
        "change_first": "",
        "verdict": document["verdict"],
        "usefulness": document["usefulness"],
        "useful_enough": useful_enough(document["usefulness"], document["floor"]["largest"]),
    } | {key: document["assessment"][key] for key in ("guarantee", "plausible", "worst")}
    return [_way(each) for each in (own, *document["alternatives"])]


def _way(entry: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: _identified(entry[key]) for key in ("plausible", "worst")}
    useful = entry["usefulness"]
    name = ": ".join(part for part in (entry["release"], entry["change_first"]) if part)
    return found | {
        "name": name,
        "guarantee": format_guarantee(entry["guarantee"]),
        "uses": {
            words: "lost"
            if useful[key]["value"] is None
            else format_measure(_with_unit(useful[key]))
            for key, words in _USES.items()
            if key in useful
        },
        "verdict": VERDICTS[entry["verdict"]].word,
        "useful_enough": entry["useful_enough"],
    }


def _identified(best: Mapping[str, Any] | None) -> str:
    """The share of members that the best attack identifies, with its interval."""
    return "not measured" if best is None else format_measure({**best, "unit": "share"})


def format_guarantee(found: Mapping[str, Any]) -> str:
    """Format what is guaranteed to a person: "epsilon 1.00, delta 1e-05" or "none".

    Parameters
    ----------
    found : mapping
        ``epsilon`` and ``delta``, as `lib.audit.verdicts.guarantee` returns them.

    Returns
    -------
    str
        The guarantee in a few words.
    """
    if found["epsilon"] is None:
        return "none"
    words = f"epsilon {format_number(found['epsilon'])}"
    return f"{words}, delta {format_number(found['delta'])}" if found["delta"] else words


def _with_unit(useful: Mapping[str, Any]) -> dict[str, Any]:
    return {"value": useful["value"], "low": useful["low"], "high": useful["high"], "unit": ""}


def _base_rates(found: Mapping[str, Any] | None) -> str:
    """How many of the people whom the attack flags were never counted."""
    if found is None or not found["base_rates"]:
        return ""
    rates = [
        f"{100 * each['never_counted']:.0f} of 100 where {_share(each['prior'])} of the people "
        "whom the attacker considers are in the data"
        for each in found["base_rates"]
    ]
    return (
        f"Of the people whom the plausible attacker flags, many were never counted: {rates[0]}; "
        + "; ".join(
            rate.replace(" of the people whom the attacker considers", "") for rate in rates[1:]
        )
        + "."
    )


def _dots(at_risk: Mapping[str, Any] | None) -> int | None:
    """Of 100 dots, how many are full; None where the risk is no share."""
    value = at_risk["value"] if at_risk else None
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return round(100 * value)


def _unfinished(document: Mapping[str, Any]) -> str:
    n = sum(each["status"] != "tested" for each in document["attacks"])
    return (
        f"{n} of {len(document['attacks'])} attacks were not run, so what they would find is "
        "unknown. The reasons are under “What was not tested”."
    )


SETTINGS = {
    "what was looked at": "what was examined",
    "small": "small counts",
    "sha256": "SHA-256 of the table begins with",
    "seed": "seed of all random draws",
    "quick": "quick audit (--quick)",
    "releases": "simulated releases",
    "targets": "people attacked (targets)",
    "few_targets": "targets of slow attacks",
    "controls": "non-member controls (people who were never in the data)",
    "pool": "people from whom releases were drawn",
    "trials": "trials of the noise",
    "intervals": "intervals",
}
DISCLOSURE = {
    "cells": "counts in the table",
    "small_cells": "counts from 1 to 9",
    "small_share": "their share of all counts that are not 0",
    "ones": "counts of a single person",
    "zeros": "counts of 0",
    "zeros_share": "their share of all counts",
    "small_before": "counts from 1 to 9 before any processing",
    "suppressed": "suppressed counts",
    "totals_published": "totals published beside the counts",
    "recovered": "suppressed counts that follow from the totals",
    "undecided": "suppressed counts of which it remains undecided whether they follow",
    "negative": "counts below 0, which only noise produces",
    "fractions": "counts that are not whole numbers",
}


def _in_words(found: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, str]:
    """Values by the label that `words` gives them, in its order."""
    return {
        label: _share(found[name]) if name.endswith("_share") else _text(found[name])
        for name, label in words.items()
        if name in found
    }


def _control(control: Mapping[str, Any]) -> str:
    """A control in words: who, what was measured, and whether that is at chance level."""
    parts = [
        f"{_named(name)} {_text(value)}"
        for name, value in control.items()
        if name not in ("words", "at_chance")
    ]
    text = "; ".join([str(control.get("words", "")), *parts]).strip("; ")
    return text if control.get("at_chance", True) else f"{text}; NOT at chance level"


def _day(text: str) -> str:
    """A time as a date if it is midnight."""
    return re.sub(r"T00:00(:00)?(\+00:00|Z)?$", "", text)


def _glossary(document: Mapping[str, Any]) -> dict[str, str]:
    """The terms that the page uses."""
    parts = ("attacks", "at_risk", "reasons", "usefulness", "alternatives")
    text = json.dumps([document[part] for part in parts])
    return {word: means for word, means in GLOSSARY.items() if re.search(rf"\b{word}\b", text)}


# -- the picture -----------------------------------------------------------------------------------


class Point(NamedTuple):
    """One release in the risk-usefulness diagram.

    Parameters
    ----------
    name : str
        Its label.
    risk : float
        Share identified.
    low, high : float or None
        Interval of the risk.
    use : float
        Error of the counts.
    own : bool
        Whether it is the audited release.
    """

    name: str
    risk: float
    low: float | None
    high: float | None
    use: float
    own: bool


def picture(document: Mapping[str, Any]) -> dict[str, Any] | None:
    """Compare the audited release with its alternatives, all under the same attack.

    Parameters
    ----------
    document : mapping
        Contents of `audit.json`.

    Returns
    -------
    dict or None
        Two diagrams (SVG, ``wide`` and ``narrow``), their ``rows``, and labels; None without
        alternatives.
    """
    own, uses = _comparable(document), document["usefulness"]
    if own is None or not uses:
        return None
    use_name = next(iter(uses))
    points = [_point(document["release"]["name"], own, uses[use_name], True)]
    points += [
        _point(each["release"], each["risk"], each["usefulness"][use_name], False)
        for each in document["alternatives"]
    ]
    words = ["the audited release", *(each["words"] for each in document["alternatives"])]
    rows = [
        {
            "point": point,
            "name": point.name,
            "risk": format_measure({**point._asdict(), "value": point.risk, "unit": "share"}),
            "use": format_number(point.use),
            "error": format_error(point.use),
            "words": text,
        }
        for point, text in zip(points, words, strict=True)
    ]
    axes = f"error of a count ({use_name}); lower is better", "identified in the most exposed tenth"
    return {
        "wide": draw(points, 720, 340, axes, "wide-picture"),
        "narrow": draw(points, 350, 340, axes, "narrow"),
        "rows": rows,
        "risk_name": "identified in the most exposed tenth",
        "use_name": use_name,
        "nothing": format_error(uses[use_name]["nothing"]),
        "attack": _attack_name(document, _tried_with(document)),
    }


def format_error(use: float) -> str:
    """Format a relative error in words.

    Parameters
    ----------
    use : float
        Mean relative error.

    Returns
    -------
    str
        "31% of its value", "2.50 times its value" or "nothing".
    """
    if use >= 2:
        return f"{format_number(use)} times its value"
    return f"{_share(use)} of its value" if use else "nothing"


def _tried_with(document: Mapping[str, Any]) -> str:
    """The id of the attack that alternatives are evaluated with."""
    return str(document["alternatives"][0]["risk"]["attack"])


def _comparable(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The audited release's risk under the attack of the alternatives."""
    if not document["alternatives"]:
        return None
    attack = _attack(document, _tried_with(document))
    found: Mapping[str, Any] | None = attack and attack["measures"].get(RISK)
    return found


def _attack(document: Mapping[str, Any], key: str) -> Mapping[str, Any] | None:
    return next((each for each in document["attacks"] if each["id"] == key), None)


def _attack_name(document: Mapping[str, Any], key: str) -> str:
    attack = _attack(document, key)
    return key if attack is None else str(attack["name"])


def _changes(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Alternatives with their benefit and cost; those that help come first.

    An alternative helps if its interval is below that of the audited release.
    """
    shown = picture(document)
    if shown is None:
        return []
    own, *others = shown["rows"]
    found = [
        {
            "change": _capital(each["change_first"]),
            "helps": _above(own["point"], row["point"]),
            "risk": row["risk"],
            "own_risk": own["risk"],
            "use": row["error"],
            "own_use": own["error"],
            **_strongest(each, document["assessment"]),
        }
        for each, row in zip(document["alternatives"][:2], others, strict=False)
        if each["usefulness"].get("visits published", {}).get("value") != 0
    ]
    return sorted(found, key=lambda each: not each["helps"])


def _strongest(
    entry: Mapping[str, Any], assessment: Mapping[str, Any] | None
) -> dict[str, str | None]:
    """An alternative's guarantee and worst case beside the release's; None if both are alike."""
    if assessment is None:
        return {"guarantee": None, "own_guarantee": None, "worst": None, "own_worst": None}
    guarantee, own = (format_guarantee(each["guarantee"]) for each in (entry, assessment))
    measured = entry["worst"] is not None and assessment["worst"] is not None
    return {
        "guarantee": None if guarantee == own else guarantee,
        "own_guarantee": own,
        "worst": _identified(entry["worst"]) if measured else None,
        "own_worst": _identified(assessment["worst"]) if measured else None,
    }


def _above(one: Point, other: Point) -> bool:
    """Whether a risk is significantly larger than another: their intervals do not overlap."""
    low = one.risk if one.low is None else one.low
    return low > (other.risk if other.high is None else other.high)


def _point(name: str, risk: Mapping[str, Any], use: Mapping[str, Any], own: bool) -> Point:
    return Point(name, risk["value"], risk["low"], risk["high"], use["value"], own)


_TOP, _BOTTOM, _LEFT, _RIGHT = 34, 46, 56, 22  # pixels around the axes
_LINE = 17  # pixels between two labels
_LONGEST, _LETTER = 26, 8.5  # characters of a name in the picture, and pixels of one


@dataclass(frozen=True)
class _Axes:
    """Maps error and risk to pixels."""

    width: int
    height: int
    across: list[float]  # ticks
    up: list[float]

    def x(self, use: float) -> float:
        return round(_LEFT + (self.width - _LEFT - _RIGHT) * use / self.across[-1], 1)

    def y(self, risk: float) -> float:
        inner = self.height - _TOP - _BOTTOM
        return round(_TOP + inner * (1 - max(risk, 0.0) / self.up[-1]), 1)


def draw(
    points: Sequence[Point], width: int, height: int, names: tuple[str, str], css: str
) -> Markup:
    """Draw risk against error as SVG, each mark with its name.

    Parameters
    ----------
    points : sequence of Point
        The releases.
    width, height : int
        In pixels.
    names : (str, str)
        Labels of the horizontal and the vertical axis.
    css : str
        Class of the diagram; it decides at which width it is shown.

    Returns
    -------
    Markup
        The SVG element.
    """
    axes = _Axes(
        width,
        height,
        _round_ticks(max([each.use for each in points] + [0.1])),
        _round_ticks(max([each.high or each.risk for each in points] + [0.1])),
    )
    text = "; ".join(
        f"{each.name}: {names[1]} {_share(each.risk)}, {names[0]} {format_number(each.use)}"
        for each in points
    )
    parts = [*_frame(axes, names), *_marks(axes, points), *_names(axes, points)]
    return Markup('<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        css, width, height, text, Markup("").join(parts)
    )


def _frame(axes: _Axes, names: tuple[str, str]) -> list[Markup]:
    right, left = axes.width - _RIGHT, axes.x(0)
    parts = [
        Markup('<text x="4" y="14">{}</text>').format(names[1]),
        Markup('<text x="{}" y="{}" text-anchor="end">{}</text>').format(
            right, axes.height - 6, names[0]
        ),
    ]
    for risk in axes.up:
        parts.append(_line(left, axes.y(risk), right, axes.y(risk), "axis"))
        parts.append(_tick(left - 10, axes.y(risk) + 4, "end", _share(risk)))
    for use in axes.across:
        parts.append(_tick(axes.x(use), axes.height - _BOTTOM + 18, "middle", f"{use:g}"))
    return parts


def _marks(axes: _Axes, points: Sequence[Point]) -> list[Markup]:
    parts = []
    form = Markup('<circle cx="{}" cy="{}" r="6.5" class="{}"/>')
    for each in points:
        x = axes.x(each.use)
        if each.low is not None and each.high is not None:
            parts.append(_line(x, axes.y(each.low), x, axes.y(each.high), "bar"))
        parts.append(form.format(x, axes.y(each.risk), "point this" if each.own else "point"))
    return parts


def _names(axes: _Axes, points: Sequence[Point]) -> list[Markup]:
    """Labels beside the marks, to the left of those in the right half."""
    boxes = []
    for each in points:
        wide, at = _LETTER * len(_shorten(each.name)), axes.x(each.use)
        begin = at - 12 - wide if at > axes.width / 2 else at + 12
        boxes.append((begin, begin + wide, axes.y(each.risk)))
    parts = []
    form = Markup('<text x="{}" y="{}" text-anchor="{}" class="{}">{}</text>')
    for each, height in zip(points, _label_heights(boxes, axes.y(0) - 8), strict=True):
        at = axes.x(each.use)
        left_of = at > axes.width / 2
        x, y = round(at + (-12 if left_of else 12), 1), round(height + 5, 1)
        css, anchor = "this-label" if each.own else "", "end" if left_of else "start"
        parts.append(form.format(x, y, anchor, css, _shorten(each.name)))
    return parts


def _round_ticks(most: float) -> list[float]:
    """Four to seven round numbers from 0 to at least `most`."""
    size = 10.0 ** math.floor(math.log10(most))
    step = next(size * each for each in (0.2, 0.25, 0.5, 1, 2) if most <= 5.001 * size * each)
    return [float(f"{i * step:.3g}") for i in range(math.ceil(most / step - 1e-9) + 1)]


def _shorten(name: str) -> str:
    """A name that fits beside its mark."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 3]}..."


def _line(x1: float, y1: float, x2: float, y2: float, css: str) -> Markup:
    form = '<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>'
    return Markup(form).format(x1, y1, x2, y2, css)


def _tick(x: float, y: float, anchor: str, text: str) -> Markup:
    form = '<text x="{}" y="{}" text-anchor="{}" class="tick">{}</text>'
    return Markup(form).format(round(x, 1), round(y, 1), anchor, text)


def _label_heights(boxes: Sequence[tuple[float, float, float]], lowest: float) -> list[float]:
    """Heights of labels that do not overlap and are not below `lowest`.

    Each box is a label's left, right and preferred height.
    """
    found: dict[int, float] = {}
    for i in sorted(range(len(boxes)), key=lambda i: -boxes[i][2]):
        left, right, height = boxes[i]
        height = min(height, lowest)
        near = [found[k] for k in found if boxes[k][0] < right and left < boxes[k][1]]
        for other in sorted(near, reverse=True):
            if abs(other - height) < _LINE:
                height = other - _LINE
        found[i] = height
    return [found[i] for i in range(len(boxes))]

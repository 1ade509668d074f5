"""The page of an audit: one file, without a script, that asks for nothing, from `audit.json` alone.

The template stands beside, in `report/`. jinja escapes everything that a document holds; what
the browser may load is stated in the page itself (nothing).
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

FOLDER = Path(__file__).with_name("report")
RISK = "TPR at 1.0% FPR, most exposed tenth"  # the measure by which releases are compared


class Verdict(NamedTuple):
    """How a verdict is called: in a tab, as a headline, and what it means."""

    word: str
    headline: str
    meaning: str


VERDICTS = {
    "fail": Verdict(
        "Fail",
        "Do not publish these counts as they are.",
        "Fail: an attack succeeded with knowledge that somebody may well have.",
    ),
    "review": Verdict(
        "Review",
        "Somebody should decide before these counts are published.",
        "Review: what was found is a warning, but no plain failure.",
    ),
    "none-succeeded": Verdict(
        "No attack tried succeeded",
        "No attack tried succeeded.",
        "That is no promise: other attacks, other knowledge and later releases remain. What was "
        "not tested is listed below.",
    ),
}
MAIN = "found, of the most exposed tenth, or as named"
SHORT = {"fail": "yes", "review": "in part", "none": "no"}
OUTCOMES = {
    "fail": "It succeeded: this alone is a reason not to publish.",
    "review": "It succeeded in part, or with knowledge that few have: a reason to think again.",
    "none": "It did not succeed.",
}
NOT_CLEAR = (
    "A guess finds 1%: this is no more. No attack with such knowledge did clearly better than "
    "guessing; of them this one was measured best, and others are less certain."
)
GLOSSARY = {
    "AUC": "How often an attacker who compares somebody in the data with somebody who is not gives "
    "the higher score to the right one: 0.5 is guessing, 1 is certainty.",
    "TPR": "Of the people in the data, the share that the attack finds (true positive rate).",
    "FPR": "Of the people not in the data, the share that the attack takes for being in it (false "
    "positive rate).",
    "most exposed tenth": "The tenth of the people of whom the attack finds out most. They are "
    "chosen on other releases than those it is judged on.",
    "epsilon": "A number that bounds what one person's data can change: at most by a factor of "
    "e^epsilon in the chance of whatever is published. At 0.1 next to nothing, at 1 a factor of "
    "2.7, at 10 of 22,000.",
    "delta": "How likely it is at most that this bound does not hold.",
    "prior": "What somebody would guess who knows people's habits, but not these counts.",
}


def page(document: Mapping[str, Any]) -> str:
    """The HTML of a document that `audit.json` holds."""
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    tested = [each for each in document["attacks"] if each["status"] == "tested"]
    text = _template().render(
        doc=document,
        style=Markup(style),
        style_hash="sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        verdict=VERDICTS[document["verdict"]],
        unfinished=_unfinished(document),
        sureness=_sureness(document["at_risk"]),
        dots=_dots(document["at_risk"]),
        hours=_hours(document["data"]["epoch_hours"]),
        verdicts=VERDICTS,
        outcomes=OUTCOMES,
        tested=tested,
        picture=picture(document),
        changes=_changes(document),
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
        "measured": measured,
        "baseline": _baseline,
        "plain": number,
        "share": _share,
        "words": _named,
        "told": told,
        "settings": _settings,
        "controlled": controlled,
        "main": main,
        "capital": _capital,
        "day": _day,
    }
    return environment.get_template("page.html")


# -- numbers and words -----------------------------------------------------------------------------


def number(value: Any) -> str:
    """A number as people read it: 12,345; 0.84; 0.0012; text stays what it is."""
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
    """A share between 0 and 1 in percent; what is none, as a number."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return number(value)
    percent = 100 * value
    whole = abs(percent) >= 10 or percent == round(percent)
    return f"{percent:.0f}%" if whole else f"{percent:.1f}%"


def _form(measure: Mapping[str, Any]) -> Any:
    return _share if str(measure.get("unit", "")).startswith("share") else number


def measured(measure: Mapping[str, Any]) -> str:
    """A value with its interval: 0.84 [0.80, 0.88]."""
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
    said = f"Of {len(tested)} attacks, {n or 'none'} succeeded with what somebody may well know"
    return f"{said}; {more} {'more ' if n else ''}are a warning." if more else f"{said}."


def main(attack: Mapping[str, Any]) -> str:
    """The one measure of an attack that a list shows."""
    found = attack["measures"]
    for name in (RISK, *found):
        if name in found:
            return ("" if name == RISK else f"{name}: ") + measured(found[name])
    return ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _named(name: str) -> str:
    return name.replace("_", " ")


def told(value: Any) -> str:
    """Whatever stands in a document, in words."""
    if isinstance(value, Mapping):
        if "value" in value:
            return measured(value)
        return "; ".join(f"{_named(str(name))} {told(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(told, value)) or "none"
    return number(value)


def _settings(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {number(value)}" for name, value in parameters.items())


def _hours(hours: float | None) -> str:
    if hours is None:
        return ""
    if hours == 1:
        return "one hour"
    days = hours / 24
    if days >= 1 and days == int(days):
        return "one day" if days == 1 else f"{days:.0f} days"
    return f"{hours:g} hours" if hours > 1 else f"{60 * hours:g} minutes"


def _sureness(at_risk: Mapping[str, Any] | None) -> str:
    if not at_risk or at_risk.get("low") is None or not 0 <= at_risk["value"] <= 1:
        return ""
    said = (
        f"With 95% confidence the number lies between {_share(at_risk['low'])} and "
        f"{_share(at_risk['high'])}."
    )
    return said if at_risk.get("clear", True) else f"{said} {NOT_CLEAR}"


def _dots(at_risk: Mapping[str, Any] | None) -> int | None:
    """Of 100 dots, how many are full; None where the risk is no share."""
    value = at_risk["value"] if at_risk else None
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return round(100 * value)


def _unfinished(document: Mapping[str, Any]) -> str:
    n = sum(each["status"] != "tested" for each in document["attacks"])
    return (
        f"{n} of {len(document['attacks'])} attacks were not played; what they would find "
        "nobody knows. Why stands under What was not tested."
    )


SETTINGS = {
    "what was looked at": "what was looked at",
    "small": "a small count",
    "sha256": "SHA-256 of the table begins with",
    "seed": "seed of all draws",
    "quick": "smaller games (--quick)",
    "releases": "releases that were played",
    "targets": "people who were attacked",
    "few_targets": "people whom slow attacks were tried on",
    "controls": "people who were never in, as control",
    "pool": "people of whom releases were drawn",
    "trials": "trials of the noise",
    "intervals": "intervals",
}
DISCLOSURE = {
    "cells": "counts in the table",
    "small_cells": "counts from 1 to 9",
    "small_share": "their share of all counts that are not 0",
    "ones": "counts of a single person",
    "zeros": "counts of nobody",
    "zeros_share": "their share of all counts",
    "small_before": "counts from 1 to 9 before anything was done to them",
    "suppressed": "counts that were hidden",
    "totals_published": "totals stand beside the counts",
    "recovered": "hidden counts that the totals give away",
    "negative": "counts below 0, which only noise makes",
    "fractions": "counts that are no whole numbers",
}


def _in_words(found: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, str]:
    """The values that `words` has a name for, by that name, in its order."""
    return {
        said: _share(found[name]) if name.endswith("_share") else told(found[name])
        for name, said in words.items()
        if name in found
    }


def controlled(control: Mapping[str, Any]) -> str:
    """A control in words: who, what was measured on them, and whether that is chance."""
    parts = [
        f"{_named(name)} {told(value)}"
        for name, value in control.items()
        if name not in ("words", "at_chance")
    ]
    said = "; ".join([str(control.get("words", "")), *parts]).strip("; ")
    return said if control.get("at_chance", True) else f"{said}; NOT at chance, so look closer"


def _day(text: str) -> str:
    """An instant as a day, where it is midnight."""
    return re.sub(r"T00:00(:00)?(\+00:00|Z)?$", "", text)


def _glossary(document: Mapping[str, Any]) -> dict[str, str]:
    """What words mean, of those that the page uses."""
    parts = ("attacks", "at_risk", "reasons", "usefulness", "alternatives")
    said = json.dumps([document[part] for part in parts])
    return {word: means for word, means in GLOSSARY.items() if re.search(rf"\b{word}\b", said)}


# -- the picture -----------------------------------------------------------------------------------


class Point(NamedTuple):
    """A way to publish: how much is at risk, with its interval, and what the counts lose."""

    name: str
    risk: float
    low: float | None
    high: float | None
    use: float
    own: bool


def picture(document: Mapping[str, Any]) -> dict[str, Any] | None:
    """Ways to publish, drawn wide and narrow, and as rows; None where there is only one.

    All are judged by one attack, that which the alternatives were tried with.
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
    names = f"error of a count ({use_name}); less is better", "found, of 100 of the most exposed"
    words = ["as it was audited", *(each["words"] for each in document["alternatives"])]
    rows = [
        {
            "point": point,
            "name": point.name,
            "risk": _risk(point),
            "use": number(point.use),
            "error": error_in_words(point.use),
            "words": said,
        }
        for point, said in zip(points, words, strict=True)
    ]
    return {
        "wide": drawn(points, 720, 340, names, "wide-picture"),
        "narrow": drawn(points, 350, 340, names, "narrow"),
        "rows": rows,
        "risk_name": "of 100 of the most exposed, found",
        "use_name": use_name,
        "nothing": error_in_words(uses[use_name]["nothing"]),
        "attack": _attack_name(document, _tried_with(document)),
    }


def error_in_words(use: float) -> str:
    """How far a count is off, as people say it."""
    if use >= 2:
        return f"{number(use)} times its value"
    return f"{_share(use)} of its value" if use else "nothing"


def _tried_with(document: Mapping[str, Any]) -> str:
    """The id of the attack by which alternatives are judged."""
    return str(document["alternatives"][0]["risk"]["attack"])


def _comparable(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What the attack that alternatives were tried with reached on the audited release."""
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


def _risk(point: Point) -> str:
    interval = (
        ""
        if point.low is None or point.high is None
        else (f" [{_share(point.low)}, {_share(point.high)}]")
    )
    return _share(point.risk) + interval


def _changes(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What to change first, and in numbers what that brings and costs: what helps comes first.

    What helps is told from what was audited: their intervals lie apart.
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
        }
        for each, row in zip(document["alternatives"][:2], others, strict=False)
        if each["usefulness"].get("visits published", {}).get("value") != 0  # nothing is no change
    ]
    return sorted(found, key=lambda each: not each["helps"])


def _above(one: Point, other: Point) -> bool:
    """Whether a risk is larger than another, beyond their intervals."""
    low = one.risk if one.low is None else one.low
    return low > (other.risk if other.high is None else other.high)


def _point(name: str, risk: Mapping[str, Any], use: Mapping[str, Any], own: bool) -> Point:
    return Point(name, risk["value"], risk["low"], risk["high"], use["value"], own)


_TOP, _BOTTOM, _LINE = 34, 46, 17  # pixels above and below the axes, and between two labels
_LONGEST, _LETTER = 26, 8.5  # characters of a name in the picture, and pixels of one


def drawn(
    points: Sequence[Point], width: int, height: int, names: tuple[str, str], css: str
) -> Markup:
    """Risk against loss of usefulness as SVG, each mark with its name.

    names  of the horizontal and the vertical axis
    css    the picture's class: at which width it is shown
    """
    left, right = 56, 22
    across_ticks = _round_ticks(max([each.use for each in points] + [0.1]))
    up_ticks = _round_ticks(max([each.high or each.risk for each in points] + [0.1]))
    most, top = across_ticks[-1], up_ticks[-1]

    def x(use: float) -> float:
        return round(left + (width - left - right) * use / most, 1)

    def y(risk: float) -> float:
        return round(_TOP + (height - _TOP - _BOTTOM) * (1 - max(risk, 0.0) / top), 1)

    across, up = names
    parts = [
        Markup('<text x="4" y="14">{}</text>').format(up),
        Markup('<text x="{}" y="{}" text-anchor="end">{}</text>').format(
            width - right, height - 6, across
        ),
    ]
    for risk in up_ticks:
        parts.append(_line(x(0), y(risk), width - right, y(risk), "axis"))
        parts.append(_tick(x(0) - 10, y(risk) + 4, "end", _share(risk)))
    for use in across_ticks:
        parts.append(_tick(x(use), height - _BOTTOM + 18, "middle", f"{use:g}"))
    for each in points:
        if each.low is not None and each.high is not None:
            parts.append(_line(x(each.use), y(each.low), x(each.use), y(each.high), "bar"))
        kind = "point this" if each.own else "point"
        parts.append(
            Markup('<circle cx="{}" cy="{}" r="6.5" class="{}"/>').format(
                x(each.use), y(each.risk), kind
            )
        )
    boxes = []
    for each in points:
        wide, at = _LETTER * len(_cut(each.name)), x(each.use)
        left_of = at > width / 2
        begin = at - 12 - wide if left_of else at + 12
        boxes.append((begin, begin + wide, y(each.risk)))
    for each, (begin, _, _), at in zip(points, boxes, _labels(boxes, y(0) - 8), strict=True):
        left_of = begin < x(each.use)
        place = round(x(each.use) + (-12 if left_of else 12), 1), round(at + 5, 1)
        kind, anchor = "this-label" if each.own else "", "end" if left_of else "start"
        parts.append(
            Markup('<text x="{}" y="{}" text-anchor="{}" class="{}">{}</text>').format(
                *place, anchor, kind, _cut(each.name)
            )
        )
    said = "; ".join(
        f"{each.name}: {up} {_share(each.risk)}, {across} {number(each.use)}" for each in points
    )
    return Markup('<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        css, width, height, said, Markup("").join(parts)
    )


def _round_ticks(most: float) -> list[float]:
    """Four to seven round numbers from 0 to at least `most`."""
    size = 10.0 ** math.floor(math.log10(most))
    step = next(size * each for each in (0.2, 0.25, 0.5, 1, 2) if most <= 5.001 * size * each)
    return [float(f"{i * step:.3g}") for i in range(math.ceil(most / step - 1e-9) + 1)]


def _cut(name: str) -> str:
    """A name that fits beside its mark."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 3]}..."


def _line(x1: float, y1: float, x2: float, y2: float, css: str) -> Markup:
    form = '<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>'
    return Markup(form).format(x1, y1, x2, y2, css)


def _tick(x: float, y: float, anchor: str, text: str) -> Markup:
    form = '<text x="{}" y="{}" text-anchor="{}" class="tick">{}</text>'
    return Markup(form).format(round(x, 1), round(y, 1), anchor, text)


def _labels(boxes: Sequence[tuple[float, float, float]], lowest: float) -> list[float]:
    """Heights of labels, in the order given, none over another and none below `lowest`.

    boxes  of each label: left, right, and the height at which it would stand best
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

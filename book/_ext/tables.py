"""Generated parts of the reference, as MyST: formulas and their code, decisions, data, threats.

A page asks for one with a line such as `% generated: formulas`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import yaml

from book._ext import usage
from lib import datasets
from lib.execution import environment
from lib.papers.experiments import Experiment, all_experiments
from lib.papers.foundations.data_cards import MEASURED, cards
from lib.threats import KNOWLEDGE

PAPERS = {
    "kk": "Knock-Knock",
    "zk": "Zero auxiliary knowledge",
    "crowd": "Aggregation privacy",
    "fano": "Fano loss",
    "threshold": "Threshold attacks",
}


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster, where there is one


@cache
def read(name: str) -> dict[str, Any]:
    """Read a YAML file of `book/reference`, or of another folder of the book: `../claims/...`."""
    file = environment.book() / "reference" / f"{name}.yml"
    found: dict[str, Any] = yaml.load(file.read_text(encoding="utf-8"), _LOADER)
    return found


def role(name: str) -> str:
    """Return a link to the API entry of a name of `lib`, given without `lib.`."""
    home = usage.home(f"lib.{name}")
    parts = name.split(".")
    words = ".".join(parts[-2:]) if parts[-2:-1] and parts[-2][0].isupper() else parts[-1]
    return f"{{py:obj}}`{words} <{home}>`"


def plain(text: str) -> str:
    """Escape what has a meaning in Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>$|~])", r"\\\1", " ".join(str(text).split()))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], classes: str = "") -> str:
    """Return a Markdown table in a container with these classes."""
    lines = [f"| {' | '.join(row)} |" for row in (columns, ["---"] * len(columns), *rows)]
    return "\n".join(
        [f":::{{container}} reference-table {classes}".rstrip(), "", *lines, "", ":::"]
    )


# -- from formula to code --------------------------------------------------------------------------


def formulas() -> str:
    """Return one table a paper: every numbered artefact with code, tests, place and decisions."""
    parts = []
    for paper, artefacts in read("artefacts").items():
        known = read("code")["formulas"][paper]
        rows = [_formula(each, known[each["label"]], paper) for each in artefacts]
        columns = ["in the paper", "code", "tested by", "in the book", "decided"]
        parts += [
            f"(formulas-{paper})=",
            f"## {PAPERS[paper]}",
            "",
            table(columns, rows, "formulas stacked"),
            "",
        ]
    return "\n".join(parts)


def _formula(artefact: Mapping[str, str], known: Mapping[str, Any], paper: str) -> list[str]:
    decided = [f"[{each.split('-amb-')[1]}]({each})" for each in known.get("decided", [])]
    return [
        f"**{artefact['label']}** {plain(artefact['what'])}",
        ", ".join(role(name) for name in known["code"]),
        ", ".join(_test(each) for each in known["test"]),
        place(known["where"]),
        ", ".join(decided),
    ]


def _test(each: str) -> str:
    file, name = each.split("::")
    words = name.removeprefix("test_").replace("_", " ")
    return f'<span title="tests/{file}::{name}">{words}</span>'


def place(where: str) -> str:
    """Return a link to a definition box, a page or a labelled place of the book."""
    if where in read("code")["boxes"]:
        return f"{{prf:ref}}`{where}`"
    page = environment.book() / where
    if any(page.with_suffix(ending).exists() for ending in (".md", ".ipynb")):
        return f"{{doc}}`/book/{where}`"
    return f"[](#{where})"


def decisions() -> str:
    """Return every unclear or wrong place of the papers, with our decision and its reason."""
    parts = []
    for paper, name in PAPERS.items():
        found = read(f"../claims/published/{paper}")["ambiguities"]
        parts += [f"## {name}", ""]
        for each in found:
            short = each["id"].split("-amb-")[1].replace("-", " ")
            issue, decision, why = (plain(each[key]) for key in ("issue", "decision", "why"))
            parts += [
                f"({each['id']})=",
                f"**{short}** ({plain(each['where'])}). {issue}",
                f"*Decided:* {decision} *Why:* {why}",
                "",
            ]
    return "\n".join(parts)


# -- data ------------------------------------------------------------------------------------------


def data() -> str:
    """Return one card a dataset: origin, permitted use and statistics."""
    known: Any = datasets.available()
    parts = [_sizes(), ""]
    for name, card in read("data").items():
        where = "" if name not in MEASURED else f" Numbers: {cards.source(name)}."
        parts += [
            f"(data-{name})=",
            f"## `{name}`",
            "",
            f"{known.loc[name, 'source']}.{where}",
            "",
            *(f":{key}: {text.strip()}" for key, text in card.items()),
            f":file needed: {known.loc[name, 'file needed']}",
            "",
        ]
    return "\n".join(parts)


def _sizes() -> str:
    rows = []
    for name in MEASURED:
        found: Any = cards.stored(name).iloc[0]
        again = found["recurrence"]
        rows.append(
            [
                f"[{name}](#data-{name})",
                read("data")[name]["people"].split(":")[0].split(".")[0],
                *(f"{int(found[key]):,}" for key in ("users", "places", "hours", "visits")),
                f"{found['median visits']:.0f}, {int(found['most visits']):,}",
                f"{found['median places']:.0f}",
                f"{found['visited cells']:.0%}",
                "" if again != again else f"{again:.2f}",
            ]
        )
    columns = [
        "data",
        "people?",
        "users",
        "places",
        "hours",
        "visits",
        "visits of a user: median, most",
        "places of a user",
        "cells visited",
        "recurrence",
    ]
    return table(columns, rows, "numbers")


# -- threats ---------------------------------------------------------------------------------------


def threats() -> str:
    """Return a table of threat models: knowledge, goal, attacks and bounds."""
    rows, words = [], read("threats")["knows"]
    for each in read("threats")["threats"]:
        rows.append(
            [
                f"[{each['who']}](#threat-{each['id']})",
                each["wants"],
                words[each["knows"]],
                "plausible" if KNOWLEDGE[each["knows"]].plausible else "worst case",
                ", ".join(f"{{doc}}`/book/{page}`" for page in each["chapters"]),
                ", ".join(role(name) for name in each["attack"]),
                ", ".join(role(name) for name in each["bound"]) or "none",
            ]
        )
    names = ["who", "wants", "knows", "kind", "chapter", "attack", "bound"]
    return table(names, rows, "threats stacked")


def ladder() -> str:
    """Return a table of threat models by knowledge (rows) and goal (columns)."""
    found, words = read("threats")["threats"], read("threats")["knows"]
    goals = list(dict.fromkeys(each["wants"] for each in found))
    rows = []
    for knows in words:
        cells = [
            "; ".join(
                f"[{each['who']}](#threat-{each['id']})"
                for each in found
                if (each["knows"], each["wants"]) == (knows, goal)
            )
            for goal in goals
        ]
        rows.append([words[knows], *cells])
    return table(["knows", *(f"wants {goal}" for goal in goals)], rows, "ladder stacked")


def threats_in_words() -> str:
    """Return one paragraph for each threat model."""
    parts = []
    for each in read("threats")["threats"]:
        parts += [f"(threat-{each['id']})=", f"**{each['who']}.** {each['words'].strip()}", ""]
    return "\n".join(parts)


# -- experiments ----------------------------------------------------------------------------------


def measured() -> str:
    """Return a table of all experiments: what each answers, its data and its function."""
    rows = [_experiment(each) for each in all_experiments().values()]
    return table(["experiment", "answers", "data with stored results", "function"], rows, "stacked")


def _experiment(each: Experiment) -> list[str]:
    answers = f"{each.paper} " * bool(each.paper) + ", ".join(each.answers)
    stored = ", ".join(data for data in each.at_paper if each.is_stored(data))
    function = each.function
    return [
        f"`{each.name}`",
        answers or "the book's own",
        stored or "none",
        role(f"{function.__module__.removeprefix('lib.')}.{function.__name__}"),
    ]


MADE: dict[str, Callable[[], str]] = {
    each.__name__: each
    for each in (formulas, decisions, data, ladder, threats, threats_in_words, measured)
}

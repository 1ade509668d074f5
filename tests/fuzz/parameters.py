"""Values of chapters' parameters, as `-p NAME VALUE` and `--params` bring them."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from lib.__main__ import main
from lib.chapters import parameters, run_page, runs
from tests.fuzz import LONGEST, WrongError

BOMB = (
    "[&a [x,x,x,x,x,x,x,x,x]"
    + "".join(f", &{new} [{','.join([f'*{old}'] * 9)}]" for old, new in pairwise("abcdefgh"))
    + "]"
)
TEXTS = [
    "",
    " ",
    "~",
    "null",
    "true",
    "yes",
    "on",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "10",
    "30",
    "1.5",
    "1e-3",
    "1e400",
    "-0.0",
    ".inf",
    "-.inf",
    ".nan",
    "nan",
    "inf",
    "1" * 400,
    "1_000",
    "0x1F",
    "0o17",
    "0b1",
    "190:20:30",
    "2024-01-01",
    "2024-13-45",
    "12h",
    "7D",
    "text",
    "[]",
    "{}",
    "[1]",
    "[1, 1]",
    "[2, 1]",
    "[1, 2, 3]",
    "[10, 30]",
    "[[1]]",
    "[1, [2]]",
    "{a: 1}",
    "{1: 2}",
    "{cabs: 0.1}",
    "{a: {b: 1}}",
    "{a: 1, a: 2}",
    "[a, b]",
    "[null]",
    "[true]",
    "[.nan]",
    "{a: }",
    "? [a]",
    "{[1]: 2}",
    "!!python/name:os.system",
    "!!python/object/apply:os.getcwd []",
    "!foo x",
    "!!binary aGVsbG8=",
    "!!set {a}",
    "!!omap [a: 1]",
    "!!int x",
    "!!float x",
    BOMB,
    "!!timestamp x",
    "&a [*a]",
    "*a",
    "<<: {a: 1}",
    "[" * 700,
    "{" * 700,
    "- 1\n- 2",
    "a: b: c",
    "---\n1\n---\n2",
    "%YAML 1.1",
    "\t",
    "\x00",
    "\ufeff1",
    "'",
    '"',
    "`",
    "@",
    "#",
    "a\nb",
    "flights-by-number",
    "[flights-by-number]",
    "[flights-by-number, flights-by-number]",
    "[cabspotting]",
    "[LR, kNN]",
    "LR",
    "~nobody-here/x",
    "/",
    "/etc/passwd",
    "README.md",
    "..",
    "x" * 5000,
    "é",
    "😀",
    "-p",
    "--",
    "NAME=VALUE",
    "[0.1, 1.0]",
    "{flights-by-tail: 12h}",
    "{flights-by-tail: 5}",
    "{flights-by-number: 0.3}",
    "{user: id, time: when}",
]


def _number(bound: Any) -> bool:
    """Whether a bound is a number, and not a length of time, or none."""
    return isinstance(bound, (int, float))


def _of(parameter: parameters.Parameter) -> st.SearchStrategy[str]:
    """Texts near what a parameter takes: its bounds, its choices, its own default."""
    bounds = [b for b in (parameter.min, parameter.max, parameter.above) if _number(b)]
    near = [str(b + d) for b in bounds for d in (0, -1, 1, 0.5, -1e-9)]
    near += [*map(str, parameter.choices), *parameter.keys, str(parameter.default)]
    lists = [f"[{a}, {b}]" for a in near[:6] for b in near[:6]]
    named = [f"{{{key}: {value}}}" for key in parameter.keys for value in (*near[:3], "x", "[1]")]
    return st.sampled_from([*near, *lists, *named])


@st.composite
def cases(draw: Any) -> dict[str, Any]:
    chapter = draw(st.sampled_from(parameters.chapters()))
    good = draw(st.integers(0, 3)) == 0  # defaults, quoted as a shell would have them
    declared = parameters.parameters(chapter)
    pairs = []
    for _ in range(draw(st.integers(1, 2))):
        parameter = draw(st.sampled_from(declared))
        if good:
            pairs.append((parameter.name, json.dumps(parameter.default)))
            continue
        name = draw(st.sampled_from([parameter.name] * 9 + ["", "sed", "seed ", "é", "a=b"]))
        numbers = st.integers().map(str) | st.floats().map(str) | st.lists(st.integers()).map(str)
        pairs.append(
            (name, draw(st.sampled_from(TEXTS) | _of(parameter) | numbers | st.text(max_size=8)))
        )
    pairs = list(dict(pairs).items()) if good else pairs
    return {"chapter": chapter, "pairs": pairs, "together": draw(st.booleans()), "good": good}


def judge(case: dict[str, Any], folder: Path) -> str:
    """Gives the values to `run`, which stops where the chapter would begin."""
    (folder / "tables").mkdir(exist_ok=True)
    taken: dict[str, Any] = {}

    def stopped(chapter: str, values: dict[str, Any]) -> Path:
        taken.update(parameters.over_book(chapter, values))
        return folder

    quote = shlex.quote if case["good"] else str
    arguments = ["run", case["chapter"]]
    if case["together"]:
        arguments += [
            "--params",
            " ".join(f"{name}={quote(value)}" for name, value in case["pairs"]),
        ]
    else:
        arguments += [word for pair in case["pairs"] for word in ("-p", *pair)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "run", stopped)
        patch.setattr(run_page, "write", lambda folder: folder)  # of a run that never was
        code, said = outcome(arguments)
    if code == 0:
        _check_taken(case["chapter"], taken)
        return "accepted"
    check_one_line(code, said)
    if taken:
        raise WrongError(f"refused after all values were accepted: {said[:300]}")
    return "refused"


def outcome(arguments: list[str]) -> tuple[int, str]:
    """The exit code of a command, and what it said on its standard error."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            code = main(arguments)
        except SystemExit as stop:  # argparse's own refusals
            code = -2 if stop.code == 2 else 1
        except Exception as error:
            raise WrongError(f"{type(error).__name__}: {str(error)[:300]}") from error
    return code, said.getvalue()


def check_one_line(code: int, said: str) -> None:
    """Refused, in one line that says what was wrong; argparse's usage may stand before it."""
    if code == -2:
        said = said.rstrip("\n").rpartition("\n")[2]
    if code not in (2, -2) or len(said) > LONGEST or len(said) < 20:
        raise WrongError(f"exit code {code} and {len(said)} characters: {said[:300]}")
    if said.rstrip("\n").count("\n") or "Traceback" in said:
        raise WrongError(f"more than one line: {said[:300]}")


def _check_taken(chapter: str, taken: dict[str, Any]) -> None:
    """Every value is one that its declaration allows, judged by other code than the check."""
    for p in parameters.parameters(chapter):
        value = taken[p.name]
        outer, _, inner = p.type.partition("[")
        kinds = {"int": int, "float": float, "str": str, "bool": bool, "list": list, "dict": dict}
        if type(value) is not kinds[outer]:
            raise WrongError(f"{p.name} is {value!r}, and {p.type} is declared")
        each = list(value.values()) if outer == "dict" else value if outer == "list" else [value]
        kind = kinds.get(inner.rstrip("]").rpartition(",")[2].strip() if inner else outer)
        for one in each:
            if kind is not None and type(one) is not kind:
                raise WrongError(f"{p.name} holds {one!r}, and {p.type} is declared")
            if isinstance(one, float) and not abs(one) < float("inf"):
                raise WrongError(f"{p.name} holds {one!r}")
            if p.choices and not p.own and one not in p.choices:
                raise WrongError(f"{p.name} holds {one!r}, and is one of {p.choices}")
            if isinstance(one, (int, float)) and not (
                (not _number(p.min) or one >= p.min)
                and (not _number(p.max) or one <= p.max)
                and (not _number(p.above) or one > p.above)
            ):
                raise WrongError(f"{p.name} holds {one!r}: {p}")
        if p.keys and not p.own and not set(value) <= set(p.keys):
            raise WrongError(f"{p.name} names {set(value) - set(p.keys)}")
        if p.ascending and sorted(set(value)) != value:
            raise WrongError(f"{p.name} is {value!r}, and ascending is declared")

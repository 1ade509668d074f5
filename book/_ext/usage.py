"""Which chapters, experiments and tests use each function of `lib`.

Only names are followed (`from lib.metrics import auc`, `metrics.auc`, `lib.metrics.auc`), by the
syntax tree; what a file reaches through another function is not counted, and methods go by their
class.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from lib.execution import environment


class Users(NamedTuple):
    """The pages (without suffix), experiments and tests that use a name, each sorted."""

    pages: tuple[str, ...]
    experiments: tuple[str, ...]
    tests: tuple[str, ...]


def resolved(name: str) -> Any:
    """Import and return the object behind a dotted name; None if there is none."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing: Any = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            if not hasattr(thing, part):
                return None
            thing = getattr(thing, part)
        return thing
    return None


@cache
def home(name: str) -> str:
    """Return where a dotted name is defined; "" if nowhere."""
    thing = resolved(name)
    thing = getattr(thing, "function", thing)  # of an experiment
    if inspect.ismodule(thing):
        return thing.__name__
    found = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    return ".".join(found) if all(isinstance(part, str) for part in found) else ""  # type: ignore[arg-type]


def named(file: Path) -> set[str]:
    """Return where each name of `lib` that a Python file uses is defined."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    known: dict[str, str] = {}  # a name in this file -> dotted
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                known[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    ours = {name: dotted for name, dotted in known.items() if dotted.split(".")[0] == "lib"}
    return {home(each) for node in ast.walk(tree) for each in _dotted(node, ours)} - {""}


def _dotted(node: ast.AST, known: dict[str, str]) -> Iterator[str]:
    """A name, or a name with attributes, as dotted, if it begins with one that is known."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    if isinstance(node, ast.Name) and node.id in known:
        yield ".".join([known[node.id], *attributes])


@cache
def _index() -> dict[str, Users]:
    """Home of a name -> who names it."""
    found: dict[str, tuple[set[str], set[str], set[str]]] = {}
    for kind, name, file in _files():
        for each in named(file):
            found.setdefault(each, (set(), set(), set()))[kind].add(name)
    return {
        each: Users(tuple(sorted(pages)), tuple(sorted(experiments)), tuple(sorted(tests)))
        for each, (pages, experiments, tests) in found.items()
    }


def _files() -> Iterator[tuple[int, str, Path]]:
    notebooks = environment.notebooks()
    for file in [*notebooks.glob("*.py"), *notebooks.glob("replication/*.py")]:
        yield 0, file.relative_to(notebooks).with_suffix("").as_posix(), file
    papers = environment.ROOT / "lib" / "papers"
    for file in papers.glob("*/*experiments.py"):
        yield 1, file.relative_to(papers).with_suffix("").as_posix().replace("/", "."), file
    for file in (environment.ROOT / "tests").rglob("test_*.py"):
        yield 2, file.relative_to(environment.ROOT / "tests").as_posix(), file


def users(name: str) -> Users:
    """Return the files that use a name (of a class: or its methods), by where it is defined."""
    return _index().get(name, Users((), (), ()))

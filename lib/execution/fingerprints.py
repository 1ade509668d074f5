"""What a result depends on in the code: the definitions that it can reach, without their comments.

A definition is a function, a class or another top-level statement of a module of `lib`. From a
first one, names are followed: through the module that defines them, through imports at the top or
inside functions, through attributes of modules, through a package's table `_HOME` of names that it
imports when they are first used. What is hashed is the syntax tree of every definition reached,
without comments, docstrings and annotations of arguments; so a changed sentence voids nothing, and
a changed line voids what can reach it.

A method is reached with its class, and a class where its name is reached. What a string names is
not seen: `getattr(module, name)` reaches nothing. The functions that play experiments, keep rows
and
run pages are not followed (`NOT_FOLLOWED`): they decide when something is computed, not what.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
NOT_FOLLOWED = (
    "lib.papers.experiments",
    "lib.execution",
    "lib.chapters",
    "lib.papers.command",
    "lib.__main__",
)
WHOLE = "*"  # of a module that is handed on as an object
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Definition(NamedTuple):
    """A top-level name of a module."""

    module: str
    name: str


class _Module(NamedTuple):
    bound: dict[str, list[ast.stmt]]  # name -> the statements that define it
    imports: dict[str, tuple[str, str]]  # name -> module and what of it ("" for the module itself)
    always: list[ast.stmt]  # what runs when it is imported: calls, loops


def of(bare: Callable[..., Any], *others: Callable[..., Any]) -> dict[str, str]:
    """Hash, for each module, the definitions that functions can reach, including themselves.

    Parameters
    ----------
    bare : callable
        The function of an experiment, without its decorator `experiment` and its defaults, which
        are the setting.
    *others : callable
        Functions that count as they are.

    Returns
    -------
    dict of str
        The hash of each module.

    Raises
    ------
    ValueError
        If a function is not at the top level of a module of `lib`.
    """
    without = _bare(bare, others)
    return _hashes(reached(bare, *others), without)


def reached(bare: Callable[..., Any], *others: Callable[..., Any]) -> set[Definition]:
    """The definitions that `of` hashes."""
    without = _bare(bare, others)
    return reach([*without, *map(_defined, others)], without)


def _bare(bare: Callable[..., Any], others: Iterable[Callable[..., Any]]) -> set[Definition]:
    return {_defined(bare)} - set(map(_defined, others))


def of_cells(cells: Iterable[str], *others: Callable[..., Any]) -> dict[str, str]:
    """The same for a page: what its code cells can reach, and, as `page`, the cells themselves.

    others  functions that the cells call by a name in a string
    """
    statements = _statements(cells)
    hashes = _hashes(reach_of(statements) | reach(map(_defined, others)), set())
    return {"page": _digest(map(plain, statements)), **hashes}


def experiments_in(cells: Iterable[str]) -> list[Definition]:
    """The experiments that a page's code can reach: definitions with the decorator `experiment`."""
    found = [each for each in reach_of(_statements(cells)) if _is_experiment(each)]
    return sorted(found)


def code_of(cell: str) -> str:
    """A cell's code without comments and docstrings, to tell whether two cells do the same."""
    return _digest(map(plain, _statements([cell])))


def reach(starts: Iterable[Definition], bare: Container[Definition] = ()) -> set[Definition]:
    """All definitions that some can reach, these included; `bare` ones without their setting."""
    found: set[Definition] = set()
    todo = list(starts)
    while todo:
        each = todo.pop()
        if each in found or each.module.startswith(NOT_FOLLOWED):
            continue
        found.add(each)
        todo += _next(each, each in bare)
    return found


def reach_of(statements: list[ast.stmt]) -> set[Definition]:
    """All definitions that free-standing code, such as a page's, can reach."""
    scope: dict[str, tuple[str, str]] = {}
    for statement in statements:
        scope |= _imports(statement)
    return reach(d for s in statements for d in _references(s, scope, set(), ""))


def forget() -> None:
    """Reads the files of `lib` anew when next asked."""
    for cached in (_file, _parsed, _next, _text):
        cached.cache_clear()


# -- reading a module ------------------------------------------------------------------------------


@cache
def _file(module: str) -> Path | None:
    """The file of a module of `lib`, or None if there is none of that name."""
    parts = module.split(".")
    if parts[0] != "lib":
        return None
    path = ROOT.joinpath(*parts)
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.exists():
            return file
    return None


@cache
def _parsed(module: str) -> _Module:
    file = _file(module)
    if file is None:
        raise ValueError(f"no module {module!r} in lib")
    return _read(ast.parse(file.read_text(encoding="utf-8")), module)


def _read(tree: ast.Module, module: str) -> _Module:
    bound: dict[str, list[ast.stmt]] = {}
    imports: dict[str, tuple[str, str]] = {}
    always: list[ast.stmt] = []
    for statement in tree.body:
        if _is_type_checking(statement):
            continue
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            imports |= _imports(statement, module)
            continue
        names = list(_binds(statement))
        for name in names:
            bound.setdefault(name, []).append(statement)
        if not names and not _is_text(statement):
            always.append(statement)
    return _Module(bound, imports, always)


def _binds(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    else:
        yield from _stored([statement])


def _stored(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that code binds in its own scope: not those inside functions and comprehensions."""
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, _COMPREHENSIONS):
            yield from (w.target.id for w in ast.walk(node) if isinstance(w, ast.NamedExpr))
        elif not isinstance(node, ast.Lambda):
            yield from _stored(ast.iter_child_nodes(node))


def _is_type_checking(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and getattr(statement.test, "id", "") == "TYPE_CHECKING"


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _imports(node: ast.AST, module: str = "") -> dict[str, tuple[str, str]]:
    """What import statements anywhere in a node bind: name -> module and what of it."""
    found = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Import):
            for alias in each.names:
                top = alias.name.partition(".")[0]
                found[alias.asname or top] = (alias.name if alias.asname else top, "")
        elif isinstance(each, ast.ImportFrom):
            source = each.module or ""
            if each.level:
                source = importlib.util.resolve_name("." * each.level + source, module)
            for alias in each.names:
                found[alias.asname or alias.name] = (source, alias.name)
    return found


# -- following names -------------------------------------------------------------------------------


@cache
def _next(each: Definition, bare: bool) -> frozenset[Definition]:
    """What a definition refers to, and what runs when its module is imported."""
    return frozenset(_referred(each, bare))


def _referred(each: Definition, bare: bool) -> Iterator[Definition]:
    module = _parsed(each.module)
    if each.name == WHOLE:
        yield from (Definition(each.module, name) for name in module.bound)
        yield from (d for pair in module.imports.values() for d in _resolved(*pair))
    statements = [*module.bound.get(each.name, []), *module.always]
    for statement in statements:
        stripped = _without_setting(statement) if bare else statement
        scope = module.imports | _imports(statement, each.module)
        yield from _references(stripped, scope, set(module.bound), each.module)


def _references(
    statement: ast.stmt, scope: dict[str, tuple[str, str]], own: set[str], module: str
) -> Iterator[Definition]:
    """The definitions that a statement names, by itself or as attributes of modules."""
    for chain in _visible(statement):
        if chain[0] in scope:
            source, name = scope[chain[0]]
            yield from _resolved(source, name, chain[1:])
        elif chain[0] in own:
            yield Definition(module, chain[0])


def _visible(node: ast.AST, local: frozenset[str] = frozenset()) -> Iterator[list[str]]:
    """Names and chains of attributes in a node, a chain given once.

    Annotations are left out, and so is what is `local` to a function or a comprehension.
    """
    if chain := _chain(node):
        if chain[0] not in local:
            yield chain
        return
    inside = _inside(node, local)
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                outside = isinstance(node, _FUNCTIONS) and field in ("args", "decorator_list")
                yield from _visible(child, local if outside else inside)


def _inside(node: ast.AST, local: frozenset[str]) -> frozenset[str]:
    """What is local in the body of a node, if so much is outside of it."""
    if isinstance(node, _COMPREHENSIONS):
        return local | set(_stored(each.target for each in node.generators))
    if not isinstance(node, _FUNCTIONS):
        return local
    body = node.body if isinstance(node.body, list) else [node.body]
    given = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
    shared = {
        name for each in ast.walk(node) if isinstance(each, ast.Global) for name in each.names
    }
    return (local | given | set(_stored(body))) - shared


def _chain(node: ast.AST) -> list[str]:
    """["a", "b", "c"] of the expression a.b.c; nothing of any other."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []


def _resolved(source: str, name: str, rest: Iterable[str] = ()) -> Iterator[Definition]:
    """The definition behind a name of a module, through packages that only hand it on."""
    if not source.startswith("lib") or source.split(".")[0] != "lib":
        return
    rest = list(rest)
    if not name:
        if not rest:
            yield from _whole(source)
            return
        name, rest = rest[0], rest[1:]
    if _file(f"{source}.{name}") and name not in _bound(source):
        yield from _resolved(f"{source}.{name}", "", rest)
    elif name in _bound(source):
        yield Definition(source, name)
    elif _file(source) and name in _parsed(source).imports:
        yield from _resolved(*_parsed(source).imports[name], rest)
    elif name in _lazy(source):
        yield from _resolved(f"{source}.{_lazy(source)[name]}", name, rest)


def _lazy(module: str) -> dict[str, str]:
    """Name -> the part of a package that it is imported from when first used, after its `_HOME`."""
    for statement in _bound(module).get("_HOME", []):
        if isinstance(statement, ast.Assign):
            return dict(ast.literal_eval(statement.value))
    return {}


def _whole(module: str) -> Iterator[Definition]:
    """A module handed on as an object; `lib` itself has nothing of its own."""
    if module != "lib" and _file(module):
        yield Definition(module, WHOLE)


def _bound(module: str) -> dict[str, list[ast.stmt]]:
    return _parsed(module).bound if _file(module) else {}


def _defined(function: Callable[..., Any]) -> Definition:
    module, name = function.__module__, function.__qualname__
    if not _file(module) or name not in _bound(module):
        raise ValueError(f"{module}.{name} does not stand at the top of a module of lib")
    return Definition(module, name)


def _is_experiment(each: Definition) -> bool:
    return any(
        _declares_experiment(decorator)
        for statement in _bound(each.module).get(each.name, [])
        for decorator in getattr(statement, "decorator_list", [])
    )


def _declares_experiment(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(called, "id", getattr(called, "attr", "")) == "experiment"


# -- hashing ---------------------------------------------------------------------------------------


def _hashes(found: set[Definition], bare: Container[Definition]) -> dict[str, str]:
    by_module: dict[str, list[str]] = {}
    for each in sorted(found):
        by_module.setdefault(each.module, []).append(_text(each, each in bare))
    always = {module: [plain(s) for s in _parsed(module).always] for module in by_module}
    return {module: _digest([*always[module], *parts]) for module, parts in by_module.items()}


@cache
def _text(each: Definition, bare: bool) -> str:
    """The statements that define a name."""
    statements = _bound(each.module).get(each.name, [])
    return "".join(plain(_without_setting(s) if bare else s) for s in statements)


def _digest(parts: Iterable[str]) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(part.encode() + b"\0")
    return total.hexdigest()[:16]


def plain(node: Any) -> str:
    """A syntax tree as text: without comments, docstrings, annotations of arguments, positions.

    Empty fields are left out, so that Python 3.11 to 3.13 write the same.
    """
    if isinstance(node, list):
        return "[" + ",".join(map(plain, node)) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = []
    for name, value in ast.iter_fields(node):
        hidden = name in ("annotation", "returns", "type_comment", "kind", "ctx", "type_params")
        if name == "body" and isinstance(value, list):
            value = [each for each in value if not _is_text(each)]
        if not (hidden or value is None or value == []):
            fields.append(f"{name}={plain(value)}")
    return f"{type(node).__name__}({','.join(fields)})"


def _without_setting(statement: ast.stmt) -> ast.stmt:
    """Return a function without the decorator of an experiment and its arguments' defaults."""
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return statement
    a = statement.args
    none: list[ast.expr | None] = [None] * len(a.kwonlyargs)
    args = ast.arguments(a.posonlyargs, a.args, a.vararg, a.kwonlyargs, none, a.kwarg, [])
    others = [each for each in statement.decorator_list if not _declares_experiment(each)]
    return ast.FunctionDef(statement.name, args, statement.body, others, None, None)


def _statements(cells: Iterable[str]) -> list[ast.stmt]:
    """The statements of code cells; lines for IPython (`%time`, `!ls`) are passed over."""
    found: list[ast.stmt] = []
    for cell in cells:
        lines = ["" if line.lstrip()[:1] in "%!" else line for line in cell.splitlines()]
        found += [s for s in ast.parse("\n".join(lines)).body if not _is_text(s)]
    return found

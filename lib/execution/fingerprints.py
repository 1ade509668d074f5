"""What a result depends on in the code: the modules of `lib` that its own module imports.

Imports are followed wherever they stand, at the top of a module or inside a function. A name that a
package hands on, from another module or by its table `_HOME` of names imported at first use, counts
as the module that defines it. Each module is hashed without comments, docstrings and annotations,
so a changed sentence puts nothing out of date, and a changed line every result whose imports lead
to its module. `python -m lib experiments --recheck` tells whether such results really change.

What a string names is not seen: `import_module(name)` reaches nothing. The modules that run
experiments, store rows and execute pages are not followed (`NOT_FOLLOWED`): they decide when
something is computed, not what.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NOT_FOLLOWED = (
    "lib.papers.experiments",
    "lib.execution",
    "lib.chapters",
    "lib.papers.command",
    "lib.__main__",
)
_HIDDEN = ("annotation", "returns", "type_comment", "kind", "ctx", "type_params")


def of(*starts: str | Callable[..., Any]) -> dict[str, str]:
    """Hash the modules that functions or modules depend on.

    Parameters
    ----------
    *starts : str or callable
        Names of modules, and functions, which count as the module that defines them.

    Returns
    -------
    dict of str to str
        Module -> hash, for every module of `lib` in the closure of imports.

    Raises
    ------
    ValueError
        If a module is not in `lib`.
    """
    todo = [each if isinstance(each, str) else each.__module__ for each in starts]
    for module in todo:
        if not _file(module):
            raise ValueError(f"{module} is not a module of lib")
    found: dict[str, str] = {}
    while todo:
        module = todo.pop()
        if module not in found and not module.startswith(NOT_FOLLOWED):
            found[module] = _hash(module)
            todo += _imports(module)
    return dict(sorted(found.items()))


def of_cells(cells: Iterable[str], *starts: str | Callable[..., Any]) -> dict[str, str]:
    """Hash a page's code and the modules that it depends on.

    Parameters
    ----------
    cells : iterable of str
        The page's code cells; lines for IPython (`%time`, `!ls`) are skipped.
    *starts : str or callable
        Further modules or functions, which the page names in a string.

    Returns
    -------
    dict of str to str
        Module -> hash, and the hash of the cells as "page".
    """
    page = ast.Module([s for cell in cells for s in _parsed_cell(cell)], [])
    return {"page": _digest(page), **of(*_imported(page), *starts)}


def code_of(cell: str) -> str:
    """Hash a cell's code without comments, to tell whether two cells do the same.

    Parameters
    ----------
    cell : str
        The code.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    return _digest(ast.Module(_parsed_cell(cell), []))


def forget() -> None:
    """Read the files of `lib` again when next asked."""
    for cached in (_file, _tree, _imports, _hash):
        cached.cache_clear()


@cache
def _file(module: str) -> Path | None:
    """The file of a module of `lib`; None if there is none."""
    path = ROOT.joinpath(*module.split("."))
    files = (path / "__init__.py", path.with_suffix(".py"))
    return next((f for f in files if f.is_file() and module.split(".")[0] == "lib"), None)


def _is_package(module: str) -> bool:
    file = _file(module)
    return file is not None and file.name == "__init__.py"


@cache
def _tree(module: str) -> ast.Module:
    file = _file(module)
    assert file is not None
    tree = ast.parse(file.read_text(encoding="utf-8"))
    tree.body = [s for s in tree.body if not _is_type_checking(s)]
    return tree


def _is_type_checking(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and getattr(statement.test, "id", "") == "TYPE_CHECKING"


@cache
def _imports(module: str) -> frozenset[str]:
    return frozenset(_imported(_tree(module)))


def _imported(tree: ast.Module) -> set[str]:
    """The modules of `lib` that code imports; of a package, those behind the names it uses."""
    bound = _bound(tree)
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    used = {getattr(node.value, "id", "") for node in attributes}
    found = {m for name, m in bound.items() if not (_is_package(m) and name in used)}
    found |= {
        _module(node, bound) for node in attributes if _is_package(_module(node.value, bound))
    }
    return {module for module in found if _file(module)} - {"lib"}


def _bound(tree: ast.Module) -> dict[str, str]:
    """Names that import statements bind -> the module of `lib` that each leads to."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                found[each.asname or "lib"] = each.name if each.asname else "lib"
        elif isinstance(node, ast.ImportFrom) and _file(node.module or ""):
            found |= {e.asname or e.name: _home(str(node.module), e.name) for e in node.names}
    return {name: module for name, module in found.items() if _file(module)}


def _module(node: ast.expr, bound: dict[str, str]) -> str:
    """The module that an expression such as `lib.metrics.auc` leads to; "" if to none."""
    if isinstance(node, ast.Name):
        return bound.get(node.id, "")
    package = _module(node.value, bound) if isinstance(node, ast.Attribute) else ""
    return _home(package, node.attr) if _is_package(package) else ""  # type: ignore[attr-defined]


def _home(module: str, name: str) -> str:
    """The module that defines a name of a module, through packages that only hand it on."""
    if _file(f"{module}.{name}"):
        return f"{module}.{name}"
    if not _is_package(module):
        return module
    for statement in _tree(module).body:
        if isinstance(statement, ast.ImportFrom) and _file(statement.module or ""):
            for each in statement.names:
                if name == (each.asname or each.name):
                    return _home(str(statement.module), each.name)
        elif isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "_HOME":
            return ".".join([module, *filter(None, [ast.literal_eval(statement.value).get(name)])])
    return module


@cache
def _hash(module: str) -> str:
    return _digest(_tree(module))


def _digest(tree: ast.Module) -> str:
    return hashlib.sha256(_text(tree).encode()).hexdigest()[:16]


def _text(node: Any) -> str:
    """Write a syntax tree without positions, annotations and what no result depends on.

    Empty fields are left out, so that Python 3.11 to 3.13 write the same.
    """
    if isinstance(node, list):
        kept = [each for each in node if not _is_beside_the_point(each)]
        return "[" + ",".join(map(_text, kept)) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [(name, value) for name, value in ast.iter_fields(node) if name not in _HIDDEN]
    written = [f"{name}={_text(value)}" for name, value in fields if value not in (None, [])]
    return f"{type(node).__name__}({','.join(written)})"


def _is_beside_the_point(node: Any) -> bool:
    """Whether no result can depend on this.

    It is a docstring, the number of the version, or the decorator `@experiment(...)`, whose setting
    is compared by itself.
    """
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "__version__"
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("experiment")


def _parsed_cell(cell: str) -> list[ast.stmt]:
    lines = ["" if line.lstrip()[:1] in "%!" else line for line in cell.splitlines()]
    return ast.parse("\n".join(lines)).body

"""The reference: API pages with who uses what, definition boxes with their code, generated tables.

A Sphinx extension, named in `_config.yml`. Everything is made when the book is built: the API pages
by autodoc from docstrings (`book._ext.docstrings`), the links between definition boxes, functions
and tests from `book/reference/code.yml` and from who names what (`book._ext.usage`).
"""

from __future__ import annotations

import inspect
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.domains.python import ObjectEntry
from sphinx.environment import BuildEnvironment
from sphinx.ext.autodoc import FunctionDocumenter
from sphinx.pycode.parser import Parser

import lib
from book._ext import docstrings, glossary, tables, usage
from lib.execution import environment
from lib.papers.experiments import Experiment

_MODULE = re.compile(r"^\.\. automodule:: (lib[\w.]*)", re.M)
_GENERATED = re.compile(r"^% generated: (\w+)$", re.M)
_BOX = re.compile(
    r"^(?P<fence>`{3,})\{prf:\w+\}[^\n]*\n:label: (?P<label>[\w-]+)\n.*?(?=^(?P=fence)$)",
    re.M | re.S,
)
_SCIKIT = re.compile(r"set_\w+_request|get_metadata_routing")  # what scikit-learn adds


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.setup_extension("sphinx.ext.autodoc")
    Parser.parse_definition = _no_lines  # type: ignore[method-assign]
    app.add_autodocumenter(ExperimentDocumenter)
    app.connect("autodoc-process-docstring", _give_docstring)
    app.connect("autodoc-skip-member", _skip)
    app.connect("source-read", _give_tables_and_links, priority=400)  # before heads are made
    app.connect("env-updated", _note_doors)
    glossary.connect(app)
    return {"version": lib.__version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _no_lines(self: Parser) -> None:
    """Replaces the search for the lines of definitions: slow, and only links to source need it."""


# -- what has a page -------------------------------------------------------------------------------


@cache
def modules() -> dict[str, str]:
    """Every module that an API page shows -> that page, as Sphinx names it."""
    pages = sorted((environment.book() / "reference" / "api").glob("*.md"))
    return {
        module: f"book/reference/api/{page.stem}"
        for page in pages
        for module in _MODULE.findall(page.read_text(encoding="utf-8"))
    }


def public(module: str) -> dict[str, Any]:
    """The public functions, classes and methods that a module defines: dotted name -> thing."""
    found: dict[str, Any] = {}
    for name, value in vars(usage.resolved(module)).items():
        thing: Any = value.function if isinstance(value, Experiment) else value
        if name.startswith("_") or getattr(thing, "__module__", "") != module:
            continue
        if inspect.isclass(thing):
            found[f"{module}.{name}"] = thing
            members = {k: v for k, v in vars(thing).items() if not k.startswith("_")}
            for key, each in members.items():
                function = getattr(each, "fget", None) or getattr(each, "__func__", each)
                if inspect.isfunction(function) and not _SCIKIT.fullmatch(key):
                    found[f"{module}.{name}.{key}"] = getattr(thing, key)
        elif inspect.isfunction(thing):
            found[f"{module}.{name}"] = thing
    return found


@cache
def documented() -> frozenset[str]:
    """The dotted names that have an entry: public, and with a docstring."""
    names = {
        name for module in modules() for name, thing in public(module).items() if thing.__doc__
    }
    return frozenset(names)


def doors() -> dict[str, str]:
    """Names that packages pass on -> where they are defined: `lib.membership.OneThreshold`."""
    found = {}
    for package in ("lib.membership", "lib.localization", "lib.reconstruction"):
        module = usage.resolved(package)
        for name in getattr(module, "_HOME", None) or module.__all__:
            found[f"{package}.{name}"] = usage.home(f"{package}.{name}")
    return {name: at for name, at in found.items() if at in documented()}


# -- API pages -------------------------------------------------------------------------------------


class ExperimentDocumenter(FunctionDocumenter):
    """Documents an experiment by the function that it was made of."""

    objtype = "experiment"
    directivetype = "function"

    @classmethod
    def can_document_member(cls, member: Any, name: str, isattr: bool, parent: Any) -> bool:
        """Whether it is an experiment."""
        return isinstance(member, Experiment)

    def import_object(self, raiseerror: bool = False) -> bool:
        """Imports the experiment, and takes its function."""
        found = super().import_object(raiseerror)
        self.object = getattr(self.object, "function", self.object)
        return found

    def format_args(self, **options: Any) -> str:
        """The signature, without names that a default unpacks."""
        return re.sub(r"\*[A-Z]\w+", "...", super().format_args(**options))  # in a default


def _skip(app: Any, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    return True if _SCIKIT.fullmatch(name) else None


def _give_docstring(
    app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Rewrites an entry's lines in place, and adds where it is defined, used and tested."""
    try:
        names = set(inspect.signature(thing).parameters) if callable(thing) else set()
    except ValueError:
        names = set()
    lines[:] = docstrings.as_rst(lines, names, lambda word: link(word, name, names))
    if what in ("function", "experiment", "class", "exception") and lines:
        lines += [*used(name), ""]
    elif what == "module":
        inside = [each for each in public(name) if each in documented()]
        tops = [each for each in inside if each.count(".") == name.count(".") + 1]
        roles = ", ".join(f":py:obj:`{each.rpartition('.')[2]} <{each}>`" for each in tops)
        lines += [".. container:: used", "", f"    ``{name}``: {roles}", ""]


def link(word: str, at: str, names: set[str]) -> str:
    """A role for a name in backticks, as it is meant at a place in `lib`; "" if it has no entry."""
    name = word.removesuffix("()")
    if name in names or not re.fullmatch(r"[A-Za-z_][\w.]*", name):
        return ""
    scopes = at.split(".")
    for n in range(len(scopes), -1, -1):
        home = usage.home(".".join([*scopes[:n], name])) if n or name.startswith("lib.") else ""
        if home in documented() and home != at:
            return f":py:obj:`{word} <{home}>`"
        if home in modules():
            return f":py:mod:`{word} <{home}>`"
    return ""


def used(name: str) -> list[str]:
    """A line for an entry: the box that defines it, the chapters and experiments that use it, tests."""
    users = usage.users(name)
    said = []
    defined = [
        label
        for label, code in tables.read("code")["boxes"].items()
        if name in (usage.home(f"lib.{each}") for each in code)
    ]
    if defined:
        said.append("Defined in " + ", ".join(f":prf:ref:`{label}`" for label in defined))
    if users.pages:
        pages = (f":doc:`/book/{page}`" for page in users.pages)
        said.append("used in " + ", ".join(pages))
    if users.experiments:
        said.append("by the experiments " + ", ".join(f"``{each}``" for each in users.experiments))
    if users.tests:
        said.append("tested by " + ", ".join(f"``{each}``" for each in users.tests))
    text = "; ".join(said)
    return [".. container:: used", "", f"    {text[0].upper()}{text[1:]}."] if said else []


def _note_doors(app: Sphinx, env: BuildEnvironment) -> None:
    """Gives the names that packages pass on an address of their own, in objects.inv too."""
    objects = env.get_domain("py").objects  # type: ignore[attr-defined]
    for name, at in doors().items():
        if at in objects and name not in objects:
            entry = objects[at]
            objects[name] = ObjectEntry(entry.docname, entry.node_id, entry.objtype, True)


# -- boxes and tables ------------------------------------------------------------------------------


def boxes(text: str) -> list[str]:
    """The labels of the definition boxes in a page's text."""
    return [found["label"] for found in _BOX.finditer(text)]


def with_code(text: str) -> str:
    """A page's text, each definition box with links to its code."""

    def linked(found: re.Match[str]) -> str:
        code = tables.read("code")["boxes"].get(found["label"], [])
        roles = ", ".join(tables.role(name) for name in code)
        return f"{found[0]}\n<small>In code: {roles}</small>\n" if code else found[0]

    return _BOX.sub(linked, text)


def _give_tables_and_links(app: Sphinx, name: str, source: list[str]) -> None:
    if app.config.frame_book:  # a page that stands alone has no reference beside it
        return
    file = Path(app.env.doc2path(name))
    if file.suffix == ".ipynb":
        notebook = json.loads(source[0])
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = with_code("".join(cell["source"]))
        source[0] = json.dumps(notebook)
    else:
        source[0] = _GENERATED.sub(lambda found: tables.MADE[found[1]](), source[0])

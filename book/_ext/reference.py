"""The reference: API pages with who uses what, definition boxes with their code, generated tables.

A Sphinx extension, named in `_config.yml`. Everything is made when the book is built: the API pages
by autodoc and numpydoc, the links between definition boxes, functions and tests from
`book/reference/code.yml` and from the files that name a function (`book._ext.usage`).
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
from sphinx.ext.autodoc import FunctionDocumenter
from sphinx.pycode.parser import Parser
from sphinx_codeautolink.extension.block import CodeBlockAnalyser

import lib
from book._ext import glossary, tables, usage
from lib.execution import environment
from lib.papers.experiments import Experiment

_MODULE = re.compile(r"^\.\. automodule:: (lib[\w.]*)", re.M)
_GENERATED = re.compile(r"^% generated: (\w+)$", re.M)
_BOX = re.compile(
    r"^(?P<fence>`{3,})\{prf:\w+\}[^\n]*\n:label: (?P<label>[\w-]+)\n.*?(?=^(?P=fence)$)",
    re.M | re.S,
)
_NAME = re.compile(r"(?<![`:])`([^`]+)`(?![`_])(?=(\w?))")
_PIPE = re.compile(r"(``.*?``|`[^`]*`)|\|")
_SCIKIT = re.compile(r"set_\w+_request|get_metadata_routing")  # what scikit-learn adds


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the extension; called by Sphinx.

    Parameters
    ----------
    app : Sphinx
        The running build.

    Returns
    -------
    dict
        The version, and that pages may be read and written in parallel.
    """
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("numpydoc")
    Parser.parse_definition = _no_lines  # type: ignore[method-assign]
    CodeBlockAnalyser.depart_section = _leave_section
    app.add_autodocumenter(ExperimentDocumenter)
    app.connect("autodoc-process-docstring", _link_names, priority=400)  # before numpydoc's
    app.connect("autodoc-process-docstring", _add_users, priority=600)
    app.connect("autodoc-skip-member", _skip)
    app.connect("source-read", _give_tables_and_links, priority=400)  # before heads are made
    app.connect("doctree-read", _note_exported_names)
    glossary.connect(app)
    return {"version": lib.__version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _leave_section(self: CodeBlockAnalyser, node: Any) -> None:
    """Replace codeautolink's handler, which fails for untitled sections (definition boxes)."""
    if self.title_stack:
        self.title_stack.pop()


def _no_lines(self: Parser) -> None:
    """Replace the search for the lines of definitions: slow, and only source links need it."""


# -- what has a page -------------------------------------------------------------------------------


@cache
def modules() -> dict[str, str]:
    """Return the API page of each documented module, as Sphinx names it."""
    pages = sorted((environment.book() / "reference" / "api").glob("*.md"))
    return {
        module: f"book/reference/api/{page.stem}"
        for page in pages
        for module in _MODULE.findall(page.read_text(encoding="utf-8"))
    }


def public(module: str) -> dict[str, Any]:
    """Return the public functions, classes and methods that a module defines, by dotted name."""
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
    """Return the dotted names that have an entry: public, and with a docstring."""
    names = {
        name for module in modules() for name, thing in public(module).items() if thing.__doc__
    }
    return frozenset(names)


def exported() -> dict[str, str]:
    """Return where the names that packages export, such as `lib.metrics.auc`, are defined."""
    found = {}
    for package in ("lib.mechanisms", "lib.membership", "lib.localization", "lib.reconstruction"):
        module = usage.resolved(package)
        for name in getattr(module, "_HOME", None) or module.__all__:
            found[f"{package}.{name}"] = usage.home(f"{package}.{name}")
    return {name: at for name, at in found.items() if at in documented()}


# -- API pages -------------------------------------------------------------------------------------


class ExperimentDocumenter(FunctionDocumenter):
    """Documents an experiment by the function that it decorates."""

    objtype = "experiment"
    directivetype = "function"

    @classmethod
    def can_document_member(cls, member: Any, name: str, isattr: bool, parent: Any) -> bool:
        """Return whether a member is an experiment."""
        return isinstance(member, Experiment)

    def import_object(self, raiseerror: bool = False) -> bool:
        """Import the experiment and take its function."""
        found = super().import_object(raiseerror)
        self.object = getattr(self.object, "function", self.object)
        return found

    def format_args(self, **options: Any) -> str:
        """Return the signature without the names that a default unpacks."""
        return re.sub(r"\*[A-Z]\w+", "...", super().format_args(**options))  # in a default


def _skip(app: Any, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    return True if _SCIKIT.fullmatch(name) else None


def _link_names(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Turn names in single backticks into links to their entries, others into literals."""
    try:
        names = set(inspect.signature(thing).parameters) if callable(thing) else set()
    except ValueError:
        names = set()

    def linked(found: re.Match[str]) -> str:
        return (link(found[1], name, names) or f"``{found[1]}``") + "\\ " * bool(found[2])

    def plain(line: str) -> str:
        line = _NAME.sub(linked, line)
        return _PIPE.sub(lambda found: found[1] or r"\|", line)  # |x| substitutes nothing here

    lines[:] = [plain(line) if ">>>" not in line else line for line in lines]
    if what == "module":  # an indented block behind a colon is code
        for i in range(len(lines) - 2):
            code = lines[i].endswith(":") and not lines[i + 1] and lines[i + 2].startswith("    ")
            lines[i] += ":" * bool(code and not lines[i].endswith("::"))


def _add_users(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Add to an entry where it is defined, used and tested; to a module, the names in it."""
    if what in ("function", "experiment", "class", "exception") and lines:
        lines += ["", *used(name), ""]
    elif what == "module":
        inside = [each for each in public(name) if each in documented()]
        tops = [each for each in inside if each.count(".") == name.count(".") + 1]
        roles = ", ".join(f":py:obj:`{each.rpartition('.')[2]} <{each}>`" for each in tops)
        lines += ["", ".. container:: used", "", f"    ``{name}``: {roles}", ""]


def link(word: str, at: str, names: set[str]) -> str:
    """Return a role for a name in backticks as seen from `at`; "" if it has no entry."""
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
    """Return a line with the box that defines a name and the files that use and test it."""
    users = usage.users(name)
    parts = []
    defined = [
        label
        for label, code in tables.read("code")["boxes"].items()
        if name in (usage.home(f"lib.{each}") for each in code)
    ]
    if defined:
        parts.append("Defined in " + ", ".join(f":prf:ref:`{label}`" for label in defined))
    if users.pages:
        pages = (f":doc:`/book/{page}`" for page in users.pages)
        parts.append("used in " + ", ".join(pages))
    if users.experiments:
        parts.append("by the experiments " + ", ".join(f"``{each}``" for each in users.experiments))
    if users.tests:
        parts.append("tested by " + ", ".join(f"``{each}``" for each in users.tests))
    text = "; ".join(parts)
    return [".. container:: used", "", f"    {text[0].upper()}{text[1:]}."] if parts else []


def _note_exported_names(app: Sphinx, doctree: Any) -> None:
    """Give the names that packages export an address of their own, in objects.inv too."""
    if app.env.docname not in modules().values():  # no API page: nothing to import for
        return
    objects = app.env.get_domain("py").objects  # type: ignore[attr-defined]
    for name, at in exported().items():
        if at in objects and name not in objects:
            entry = objects[at]
            objects[name] = ObjectEntry(entry.docname, entry.node_id, entry.objtype, True)


# -- boxes and tables ------------------------------------------------------------------------------


def boxes(text: str) -> list[str]:
    """Return the labels of the definition boxes in a page's text."""
    return [found["label"] for found in _BOX.finditer(text)]


def with_code(text: str) -> str:
    """Add links to the code to each definition box of a page's text."""

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

"""Write only the pages of the book that changed, unless what pages share changed too.

A Sphinx extension, named in `_config.yml`, for builds that reuse the output of the last one
(`lib.chapters.building`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx_codeautolink.extension import SphinxCodeAutoLink
from sphinx_codeautolink.extension.block import CodeExample, Name, SourceTransform
from sphinx_codeautolink.extension.cache import DataCache

import lib
from lib.chapters.building import BUILDER, remove
from lib.execution.parallel import end_with

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

# Attributes of Sphinx's environment that describe the program, or that only their own page uses
_NOT_SHARED = {
    *("app", "config", "config_status", "domains", "events", "project", "settings"),
    *("all_docs", "dependencies", "sphinx_exercise_gated_registry", "sphinx_exercise_node_order"),
    "sphinx_codeautolink_transforms",
}
_OF_ONE_PAGE = ("aggregate_location", "wordcount")  # in a page's metadata


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the comparison; called by Sphinx."""
    if BUILDER in os.environ:
        end_with(int(os.environ[BUILDER]))  # otherwise it could write over the next build
    DataCache.read = _read_links
    app.connect("env-get-outdated", _note_shared)
    app.connect("env-get-updated", _pages_to_write, priority=900)  # after all numbers are assigned
    app.connect("html-page-context", _note_written)
    app.connect("html-collect-pages", _complete_index)
    app.connect("build-finished", _link_written, priority=400)  # before codeautolink's
    return {"version": lib.__version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _note_shared(app: Any, env: BuildEnvironment, *changes: set[str]) -> list[str]:
    """Remember what the pages of the last build share, before any page is read again."""
    app._shared, app._written = _shared(env), set()
    return []


def _pages_to_write(app: Any, env: BuildEnvironment) -> Iterable[str]:
    """Choose the pages to write beside those that were read: all if what they share changed."""
    citations = env.get_domain("cite").data["citation_refs"]
    citations.sort(key=lambda each: each.docname)  # as if all pages had been read, in their order
    if _shared(env) == app._shared:
        return []
    for each in Path(app.outdir).iterdir():  # no image may be left that no page shows any more
        if each.name != "_static":
            remove(each)
    return env.all_docs


def _shared(env: BuildEnvironment) -> Any:
    """Everything that a page may use of other pages, in a form that can be compared."""
    found = {k: v for k, v in vars(env).items() if k not in _NOT_SHARED and not k.startswith("_")}
    found["metadata"] = {
        page: {k: v for k, v in values.items() if k not in _OF_ONE_PAGE}
        for page, values in env.metadata.items()
    }
    return _plain(found)


def _plain(value: Any) -> Any:
    """Replace nodes and objects by text, and what has no order by sorted lists."""
    if isinstance(value, nodes.Node):
        return value.pformat()
    if isinstance(value, Mapping):
        return sorted((repr(key), _plain(each)) for key, each in value.items())
    if isinstance(value, Set):
        return sorted(map(repr, value))
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if type(value).__repr__ is object.__repr__:
        return _plain(vars(value))
    return repr(value)


def _read_links(self: DataCache) -> None:
    """Read the links in code of the last build; codeautolink's own reads those of .rst files."""
    file = self.cache_dir / self.cache_filename
    for page, links in json.loads(file.read_text("utf-8")).items() if file.exists() else ():
        for link in links:
            link["example"] = CodeExample(**link["example"])
            link["names"] = [Name(**name) for name in link["names"]]
        self.transforms[page] = [SourceTransform(**link) for link in links]


def _note_written(app: Any, page: str, *others: Any) -> None:
    app._written.add(str(Path(page)))


def _link_written(app: Any, exception: Exception | None) -> None:
    """Tell codeautolink, which otherwise links in changed pages only, which pages were written."""
    for listener in app.events.listeners["build-finished"]:
        extension = getattr(listener.handler, "__self__", None)
        if isinstance(extension, SphinxCodeAutoLink):
            extension.outdated_docs = app._written


def _complete_index(app: Any) -> list[Any]:
    """Correct the search index where only some pages are written.

    Sphinx loses the index entries of the other pages, and keeps words that no page has any more.
    """
    file, indexer = Path(app.outdir) / "searchindex.js", app.builder.indexer
    if file.exists():
        last = app.builder.indexer_format.loads(file.read_text(encoding="utf-8"))
        found: dict[str, list[tuple[str, str, str]]] = {name: [] for name in last["docnames"]}
        for entry, places in last["indexentries"].items():
            for page, place, is_main in places:
                name = last["docnames"][page]
                found[name].append((entry, place, "main" if is_main else ""))
        indexer._index_entries = found | indexer._index_entries
        for words in (indexer._mapping, indexer._title_mapping):
            for word in [each for each in words if not words[each]]:
                del words[word]
    return []

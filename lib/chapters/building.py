"""Rebuilding the book: only the pages that changed, unless what pages share changed too.

A build that ends without a warning leaves a record of its sources beside its output. The next build
reuses that output if only pages changed since. Sphinx then reads these pages again. It writes only
them if the labels, titles, numbers, citations and index entries of the whole book are still the
same, and otherwise writes every page (`book._ext.shared` compares them). A build that fails or is
interrupted leaves no record, and so the build after it starts from nothing.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from lib.chapters import unchanged
from lib.execution import environment, fingerprints

BUILDER = "BOOK_BUILT_BY"  # variable with the id of the process that waits for the build
_RECORD = "sources.json"  # in the build folder
_REUSED = ("html", ".doctrees", "jupyter_execute")  # of the build folder
_READ_BY_OTHERS = ("book/glossary.md", "book/reference/api/")  # pages that other pages quote


class Sources(NamedTuple):
    """What a book is built from.

    Attributes
    ----------
    pages : dict
        Path of each page -> hash of its text.
    shared : str
        Hash of everything else, on which any page may depend.
    """

    pages: dict[str, str]
    shared: str


def sources() -> Sources:
    """Hash the present sources of the book.

    The API pages name the notebooks and tests that use a function. The code of all notebooks and
    the tests therefore count as shared.

    Returns
    -------
    Sources
        The hashes.
    """
    hashes = unchanged.hashes(environment.ROOT, (*unchanged.MADE_OF, "tests"))
    pages = {name: hashes.pop(name) for name in list(hashes) if _is_page(name)}
    for name in hashes:
        if name.startswith("notebooks/") and name.endswith(".py"):
            text = (environment.ROOT / name).read_text(encoding="utf-8")
            hashes[name] = fingerprints.code_of(text)  # its prose is in the executed page
    shared = json.dumps([sys.version, unchanged.packages(), hashes])
    return Sources(pages, hashlib.sha256(shared.encode()).hexdigest())


def _is_page(name: str) -> bool:
    is_text = name.startswith("book/") and name.endswith((".md", ".ipynb"))
    return is_text and not name.startswith(_READ_BY_OTHERS)


def prepare(output: Path, now: Sources) -> bool:
    """Empty the build folder, except for what the next build can reuse.

    Parameters
    ----------
    output : Path
        The build folder. It is made if it does not exist.
    now : Sources
        What is about to be built.

    Returns
    -------
    bool
        Whether there is anything to build. If not, the folder is left as it is.
    """
    output.mkdir(parents=True, exist_ok=True)
    outdated = _outdated_doctrees(output, now)
    if outdated == []:
        return False
    (output / _RECORD).unlink(missing_ok=True)  # first: an interruption must leave no record
    for each in output.iterdir():
        if outdated is None or each.name not in _REUSED:
            remove(each)
    if outdated is not None:
        remove(output / "html" / "_static")  # Sphinx links differently to a file already there
        for file in outdated:
            file.unlink()  # Sphinx reads every page that has no doctree
    return True


def _outdated_doctrees(output: Path, now: Sources) -> list[Path] | None:
    """Find the doctrees of the pages that changed; None if the last build cannot be reused."""
    try:
        record = json.loads((output / _RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    pages = record["pages"]
    if pages.keys() != now.pages.keys() or record["shared"] != now.shared:
        return None
    changed = [name for name in pages if pages[name] != now.pages[name]]
    doctrees = [(output / ".doctrees" / name).with_suffix(".doctree") for name in changed]
    known = all(file.exists() for file in doctrees)  # else some page may include the changed file
    return doctrees if known and record["built"] == _built(output) else None


def keep(output: Path, built_from: Sources) -> None:
    """Record that a build ended without a warning, so that the next one can reuse it.

    Parameters
    ----------
    output : Path
        The build folder.
    built_from : Sources
        What it was built from.
    """
    record = built_from._asdict() | {"built": _built(output)}
    (output / _RECORD).write_text(json.dumps(record), encoding="utf-8")


def _built(output: Path) -> str:
    hashes = json.dumps(unchanged.hashes(output, _REUSED))
    return hashlib.sha256(hashes.encode()).hexdigest()


def remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it.

    Parameters
    ----------
    path : Path
        The file or folder; it must exist.
    """
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()

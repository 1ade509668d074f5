"""Detect in a moment that nothing changed since the book was built or its numbers were checked.

Contents of files are compared, never their times. Nothing slow is imported: this answers before the
modules are loaded that could tell what changed.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

from lib.execution import environment

MADE_OF = ("lib", "notebooks", "book", "_config.yml", "_toc.yml")


def digest(*folders: str) -> str:
    """Hash names and contents of files, and the installed packages.

    Parameters
    ----------
    *folders : str
        Folders or files of the checkout. By default, everything that pages and their outputs depend
        on, except files that the values of a page name: whoever remembers the digest must know that
        there are none.

    Returns
    -------
    str
        SHA-256, in hexadecimal.
    """
    total = hashlib.sha256(f"{sys.version} {packages()}".encode())
    for name, value in hashes(environment.ROOT, folders or MADE_OF).items():
        total.update(f"{name}\0{value}".encode())
    return total.hexdigest()


def hashes(base: Path, folders: Iterable[str]) -> dict[str, str]:
    """Hash all files in some folders.

    Parameters
    ----------
    base : Path
        Where the folders are.
    folders : iterable of str
        Names of folders, or of files.

    Returns
    -------
    dict
        Path of each file, relative to `base` -> SHA-256 of its content; sorted.
    """
    found: list[Path] = []
    for place in (base / folder for folder in folders):
        found += [place] if place.is_file() else place.rglob("*")
    files = sorted(f for f in found if f.is_file() and "__pycache__" not in f.parts)
    return {
        file.relative_to(base).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
    }


def packages() -> list[str]:
    """Return the names and versions of all packages, as their folders are called.

    Returns
    -------
    list of str
        The names.
    """
    places = [Path(place) for place in sys.path if Path(place).is_dir()]
    return sorted({each.name for place in places for each in place.glob("*.dist-info")})


def _read(file: Path) -> str:
    return file.read_text() if file.exists() else ""


# -- the book --------------------------------------------------------------------------------------


def home() -> Path:
    """Return the home page of the built book.

    Returns
    -------
    pathlib.Path
        The file.
    """
    return environment.ROOT / "_build" / "html" / "book" / "index.html"


def book_is_built() -> bool:
    """Check whether the book was built from what is there now.

    Returns
    -------
    bool
        Whether neither its sources nor its pages changed since.
    """
    made_of, _, built = _read(_built()).partition(" ")
    return bool(made_of) and made_of == digest() and built == digest("_build/html")


def remember_book(made_of: str) -> None:
    """Remember what the present book was built from.

    Parameters
    ----------
    made_of : str
        The digest.
    """
    _built().write_text(f"{made_of} {digest('_build/html')}")


def _built() -> Path:
    return environment.ROOT / "_build" / "unchanged"


# -- its numbers -----------------------------------------------------------------------------------


def pages_are_checked() -> bool:
    """Check whether every number of every page was found correct with what is there now.

    Returns
    -------
    bool
        Whether nothing changed since.
    """
    made_of = _read(_checked())
    return bool(made_of) and made_of == digest()


def remember_checked(made_of: str) -> None:
    """Remember with what all pages were found correct.

    Parameters
    ----------
    made_of : str
        The digest.
    """
    _checked().parent.mkdir(exist_ok=True)
    _checked().write_text(made_of)


def _checked() -> Path:
    return environment.ROOT / ".nbval" / "unchanged"

"""Whether what the book is made from is still what it was when all was found right.

By the content of every file, never by its time; and in a moment, before the modules are imported
that could tell what changed.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

from lib.execution import environment

MADE_OF = ("lib", "notebooks", "book", "_config.yml", "_toc.yml")


def digest(*folders: str) -> str:
    """SHA-256 over names and contents of all files in folders of the checkout, and the packages.

    folders  or files; without any, all that pages and their outputs depend on, but for files that a
             page's values name: whoever remembers a digest must know that there are none
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
    """Return the names and versions of all packages, as their folders are called."""
    places = [Path(place) for place in sys.path if Path(place).is_dir()]
    return sorted({each.name for place in places for each in place.glob("*.dist-info")})


def _read(file: Path) -> str:
    return file.read_text() if file.exists() else ""


# -- the book --------------------------------------------------------------------------------------


def home() -> Path:
    """The home page of the built book."""
    return environment.ROOT / "_build" / "html" / "book" / "index.html"


def book_is_built() -> bool:
    """Whether the book was built of what is there now, and nobody touched it since."""
    made_of, _, built = _read(_built()).partition(" ")
    return bool(made_of) and made_of == digest() and built == digest("_build/html")


def remember_book(made_of: str) -> None:
    """Remembers the digest of what the present book was built of."""
    _built().write_text(f"{made_of} {digest('_build/html')}")


def _built() -> Path:
    return environment.ROOT / "_build" / "unchanged"


# -- its numbers -----------------------------------------------------------------------------------


def pages_are_checked() -> bool:
    """Whether every number of every page was found good with what is there now."""
    made_of = _read(_checked())
    return bool(made_of) and made_of == digest()


def remember_checked(made_of: str) -> None:
    """Remembers the digest of that with which all pages were found good."""
    _checked().parent.mkdir(exist_ok=True)
    _checked().write_text(made_of)


def _checked() -> Path:
    return environment.ROOT / ".nbval" / "unchanged"

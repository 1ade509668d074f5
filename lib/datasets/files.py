"""Locating a reader's files, identifying their versions, and caching what was parsed."""

from __future__ import annotations

import csv
import hashlib
import lzma
import os
import re
import tarfile
import warnings
import zipfile
import zlib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from pandas.io.common import get_handle  # type: ignore[import-not-found]

from lib.validation import format_value

DATA_VARIABLE = "AGGREGATE_LOCATION_DATA"
CACHE_VARIABLE = "AGGREGATE_LOCATION_CACHE"
# What reading a file raises where it, or its packing, is damaged or of another kind.
READ_ERRORS = (
    ValueError,
    OSError,
    EOFError,
    ImportError,
    MemoryError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    tarfile.TarError,
    *([import_module("zstandard").ZstdError] if find_spec("zstandard") else []),
)
_BESIDE_CHECKOUT = Path(__file__).parents[3] / "shared" / "data"


def find(path: str | Path | None, *names: str) -> Path:
    """Find a file by its path, or by its name in the data folders.

    Parameters
    ----------
    path : str or Path, optional
        A file, or a folder with a file of one of the names.
    *names : str
        Names to look for, in order of preference.

    Returns
    -------
    Path
        The given path, or the first of the names in it or, without a path, in the data folders.

    Raises
    ------
    FileNotFoundError
        If nothing was found; the message says where it was looked for.
    ValueError
        If the path is not a path.
    """
    if path is not None:
        try:
            found = Path(path).expanduser()
            there = found.exists()
        except (TypeError, ValueError, RuntimeError, OSError) as error:  # ~nobody, NUL, too long
            why = getattr(error, "strerror", None) or error  # the other half is the path again
            raise ValueError(
                f"path is {format_value(path)}; a file or folder was expected ({why})"
            ) from None
        if not there:
            raise FileNotFoundError(
                f"no file or folder {str(found)!r}; check its name and the folder it is sought in"
            )
        return next((found / name for name in names if (found / name).exists()), found)
    folder = os.environ.get(DATA_VARIABLE)
    for place in [Path(folder)] if folder else [_BESIDE_CHECKOUT]:
        for name in names:
            if (place / name).exists():
                return place / name
    raise FileNotFoundError(
        f"this dataset needs {' or '.join(names)}: pass path=, or put it in a folder and set "
        f"{DATA_VARIABLE} to that folder"
    )


def checksum(files: list[Path]) -> str:
    """Compute one SHA-256 checksum of the names and contents of files.

    Parameters
    ----------
    files : list of Path
        Files; their order matters.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    total = hashlib.sha256()
    for file in files:
        total.update(file.name.encode() + b"\0")
        with file.open("rb") as stream:
            total.update(hashlib.file_digest(stream, "sha256").digest())
    return total.hexdigest()


def find_lone_return(file: Path) -> int | None:
    """Find the first carriage return that only some readers take for the end of a line.

    That is one outside quotes that no line feed follows, in a file that has line feeds.

    Parameters
    ----------
    file : Path
        A text file, possibly compressed in a way that pandas can read.

    Returns
    -------
    int or None
        Its line, from 1; None if there is none.
    """
    quotes, lines, found, feeds = 0, 1, None, False
    with get_handle(file, "rb", compression="infer", is_text=False) as opened:
        stream: Any = opened.handle
        while block := stream.read(1 << 20):
            if block.endswith(b"\r"):
                block += stream.read(1)
            feeds = feeds or b"\n" in block
            if found is None and b"\r" in block:
                lone = (match.start() for match in re.finditer(rb"\r(?!\n)", block))
                outside = (at for at in lone if (quotes + block.count(b'"', 0, at)) % 2 == 0)
                at = next(outside, None)
                found = None if at is None else lines + block.count(b"\n", 0, at)
            if found is not None and feeds:
                return found
            quotes, lines = quotes + block.count(b'"'), lines + block.count(b"\n")
    return None


def line_of_row(file: Path, row: int, separator: str, encoding: str = "utf-8") -> int | None:
    """Find the line at which a row of a table begins; a value in quotes may span several lines.

    Parameters
    ----------
    file : Path
        A text table, possibly compressed.
    row : int
        Number of the row, the header being row 0.
    separator : str
        Separator of columns.
    encoding : str
        Encoding of the text.

    Returns
    -------
    int or None
        The line, from 1; None if that cannot be determined.
    """
    try:
        with get_handle(file, "r", encoding=encoding, compression="infer") as opened:
            handle: Any = opened.handle
            reader = csv.reader(handle, delimiter=separator)
            for _ in range(row):
                next(reader)
            return reader.line_num + 1
    except (csv.Error, StopIteration, *READ_ERRORS):
        return None


def find_long_row(
    file: Path, separator: str, encoding: str, skip: int, width: int
) -> tuple[int, int] | None:
    """Find the first row with more values than a table has columns.

    Parameters
    ----------
    file : Path
        A text table, possibly compressed.
    separator : str
        Separator of columns.
    encoding : str
        Encoding of the text.
    skip : int
        Rows to pass over.
    width : int
        Number of columns.

    Returns
    -------
    (int, int) or None
        The row's line, from 1, and its number of values; None if there is no such row.
    """
    with get_handle(file, "r", encoding=encoding, compression="infer") as opened:
        handle: Any = opened.handle
        reader = csv.reader(handle, delimiter=separator)
        line = 1
        try:
            for number, row in enumerate(reader):
                if number >= skip and len(row) > width:
                    return line, len(row)
                line = reader.line_num + 1
        except (csv.Error, *READ_ERRORS):
            return None
    return None


def cache_file(dataset: str, key: str) -> Path:
    """Name the file that holds the parsed form of a dataset.

    Parameters
    ----------
    dataset : str
        Name of the dataset.
    key : str
        Identifies the content, so that the cache is never out of date.

    Returns
    -------
    Path
        A file in the cache folder, which AGGREGATE_LOCATION_CACHE names.
    """
    folder = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("aggregate-location")
    return Path(folder) / f"{dataset}-{key[:20]}.npz"


def read_cache(file: Path) -> dict[str, np.ndarray] | None:
    """Read the arrays of a cache file.

    Parameters
    ----------
    file : Path
        The cache file.

    Returns
    -------
    dict of str to ndarray, or None
        The arrays; None if the file is absent or damaged.
    """
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None


def write_cache(file: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays to a cache file, completely or not at all.

    A folder that cannot be written causes a warning, not an error.

    Parameters
    ----------
    file : Path
        The cache file.
    arrays : dict of str to ndarray
        Arrays to store.

    Returns
    -------
    None
    """
    partial = file.with_suffix(f".{os.getpid()}.partial")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as stream:
            np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
        partial.replace(file)
    except OSError as error:
        warnings.warn(
            f"the parsed data could not be kept ({error}); the next load parses again. "
            f"Set {CACHE_VARIABLE} to a folder that can be written",
            stacklevel=2,
        )
        partial.unlink(missing_ok=True) if partial.parent.exists() else None

"""Finding a reader's files, telling one version from another, and keeping what was parsed."""

from __future__ import annotations

import hashlib
import os
import warnings
import zipfile
import zlib
from pathlib import Path

import numpy as np
import platformdirs

DATA_VARIABLE = "AGGREGATE_LOCATION_DATA"
CACHE_VARIABLE = "AGGREGATE_LOCATION_CACHE"
_BESIDE_CHECKOUT = Path(__file__).parents[3] / "shared" / "data"


def find(path: str | Path | None, *names: str) -> Path:
    """The given path, or the first of `names` in it or, without one, in the data folders.

    FileNotFoundError says where it looked.
    """
    if path is not None:
        found = Path(path).expanduser()
        if not found.exists():
            raise FileNotFoundError(f"no file or folder {str(found)!r}")
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
    """SHA-256 over the names and contents of files, in the order given."""
    total = hashlib.sha256()
    for file in files:
        total.update(file.name.encode() + b"\0")
        with file.open("rb") as stream:
            total.update(hashlib.file_digest(stream, "sha256").digest())
    return total.hexdigest()


def cache_file(dataset: str, key: str) -> Path:
    """Where the parsed form of a file lives; `key` names its content, so it is never stale."""
    folder = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("aggregate-location")
    return Path(folder) / f"{dataset}-{key[:20]}.npz"


def read_cache(file: Path) -> dict[str, np.ndarray] | None:
    """The arrays of a cache file; None if it is absent or damaged."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None


def write_cache(file: Path, arrays: dict[str, np.ndarray]) -> None:
    """Writes all or nothing; a folder that cannot be written costs a warning, not the data."""
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

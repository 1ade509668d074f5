"""A chapter with a reader's values: executed into a folder of its own, with tables and provenance.

A folder is named by the hash of all that its run depends on, and bears that name only when the run
is finished.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

import lib
from lib.chapters import notebooks, parameters
from lib.datasets import files
from lib.execution import environment, results
from lib.execution.errors import ChapterError


def run(chapter: str, values: Mapping[str, Any]) -> Path:
    """Executes a chapter with a reader's values over those of the book; returns the folder.

    Raises ParameterError for values that it does not accept, before anything runs; ChapterError if
    a cell fails.
    """
    chosen = parameters.over_book(chapter, values)
    inputs = notebooks.inputs(chapter, chosen)
    parameters.check_headers(chapter, [chosen])
    run_into(folder_of(chapter, inputs), chapter, chosen, inputs)
    return folder_of(chapter, inputs)


def folder_of(chapter: str, inputs: str) -> Path:
    """Where a run of these values lies."""
    return environment.runs() / f"{chapter}-{inputs[:10]}"


def failed_folder(folder: Path) -> Path:
    """Where the notebook of a failed run goes."""
    return environment.runs() / f"{folder.name}-failed"


def is_finished(folder: Path, inputs: str) -> bool:
    """Whether the folder holds a finished run with these inputs (their hash)."""
    try:
        return bool(json.loads((folder / "provenance.json").read_text())["inputs"] == inputs)
    except (OSError, ValueError, KeyError):
        return False


def run_into(
    folder: Path, chapter: str, values: Mapping[str, Any], inputs: str, again: bool = True
) -> None:
    """Executes a chapter with checked values into a folder: its notebook, tables and provenance.

    A hidden folder is filled and then renamed: nothing unfinished ever bears a finished run's name.
    Of two processes that fill the same folder, the second waits for the first.

    again  whether a run that is already finished is done once more

    Raises ChapterError if a cell fails, after keeping the notebook in `failed_folder(folder)`.
    """
    with environment.alone(folder.name):
        if not again and is_finished(folder, inputs):
            return
        folder.parent.mkdir(parents=True, exist_ok=True)
        for left in folder.parent.glob(f".executing-{folder.name}-*"):  # by one that was killed
            shutil.rmtree(left, ignore_errors=True)
        partial = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".executing-{folder.name}-"))
        failed = failed_folder(folder)
        try:
            _fill(partial, chapter, values, inputs)
        except ChapterError as error:
            environment.replace(partial, failed)
            raise ChapterError(str(error).replace(str(partial), str(failed))) from None
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
        environment.replace(partial, folder)
        shutil.rmtree(failed, ignore_errors=True)


def _fill(folder: Path, chapter: str, values: Mapping[str, Any], inputs: str) -> None:
    """Executes a chapter into an empty folder; the provenance comes last."""
    folder.chmod(0o755)
    started = time.monotonic()
    with results.peak_memory() as peak:
        tables = notebooks.execute(chapter, values, folder / f"{chapter}.ipynb", inputs)
    (folder / "tables").mkdir()
    for name, text in tables.items():
        (folder / "tables" / f"{name}.csv").write_text(text, encoding="utf-8", newline="\n")
    (folder / "parameters.yml").write_text(yaml.safe_dump(dict(values), sort_keys=False))
    provenance = {
        "chapter": chapter,
        "version": lib.__version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        "packages": results.packages(),
        "parameters": values,
        "lock": files.checksum([environment.ROOT / "requirements.lock"]),
        "inputs": inputs,
        "data": notebooks.data_checksums(chapter, values) | _datasets_read(tables),
        "duration_seconds": round(time.monotonic() - started, 1),
        "peak_memory_mb": round(max(peak) / 1e6),
    }
    (folder / "provenance.json").write_text(json.dumps(provenance, indent=1) + "\n")


def _datasets_read(tables: Mapping[str, str]) -> dict[str, str]:
    """Checksums of the datasets that a chapter lists in its table `data`."""
    if "data" not in tables:
        return {}
    table = pd.read_csv(io.StringIO(tables["data"]), index_col=0)
    if "checksum" not in table:
        return {}
    return {str(name): str(digest) for name, digest in table["checksum"].dropna().items()}

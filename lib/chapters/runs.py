"""Run a chapter with a reader's values in a folder of its own, with tables and provenance.

The folder is named by the hash of everything that the run depends on. It gets that name only when
the run is finished.
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
    """Execute a chapter with a reader's values in place of the book's.

    Parameters
    ----------
    chapter : str
        Its name.
    values : mapping
        Values of some parameters.

    Returns
    -------
    pathlib.Path
        The folder of the run.

    Raises
    ------
    ParameterError
        For values that the chapter does not accept, before anything runs.
    ChapterError
        If a cell fails.
    """
    chosen = parameters.over_book(chapter, values)
    inputs = notebooks.inputs(chapter, chosen)
    parameters.check_headers(chapter, [chosen])
    run_into(folder_of(chapter, inputs), chapter, chosen, inputs)
    return folder_of(chapter, inputs)


def folder_of(chapter: str, inputs: str) -> Path:
    """Return the folder of a run.

    Parameters
    ----------
    chapter : str
        The chapter.
    inputs : str
        Hash of everything that the run depends on.

    Returns
    -------
    pathlib.Path
        The folder; it may not exist.
    """
    return environment.runs() / f"{chapter}-{inputs[:10]}"


def failed_folder(folder: Path) -> Path:
    """Return the folder for the notebook of a failed run.

    Parameters
    ----------
    folder : pathlib.Path
        The folder of the run.

    Returns
    -------
    pathlib.Path
        The folder; it may not exist.
    """
    return environment.runs() / f"{folder.name}-failed"


def is_finished(folder: Path, inputs: str) -> bool:
    """Return whether a folder holds a finished run.

    Parameters
    ----------
    folder : pathlib.Path
        The folder.
    inputs : str
        Hash of everything that the run depends on.

    Returns
    -------
    bool
        Whether the run in it has these inputs.
    """
    try:
        return bool(json.loads((folder / "provenance.json").read_text())["inputs"] == inputs)
    except (OSError, ValueError, KeyError):
        return False


def run_into(
    folder: Path,
    chapter: str,
    values: Mapping[str, Any],
    inputs: str,
    again: bool = True,
    bar: bool = True,
) -> None:
    """Execute a chapter with checked values into a folder: its notebook, tables and provenance.

    A hidden folder is filled and then renamed, so an unfinished run never has the name of a
    finished one. Of two processes that fill the same folder, the second waits for the first.

    Parameters
    ----------
    folder : pathlib.Path
        The folder.
    chapter : str
        The chapter.
    values : mapping
        All its values, checked.
    inputs : str
        Hash of everything that the run depends on.
    again : bool, default True
        Whether to repeat a run that is already finished.
    bar : bool, default True
        Whether to show progress.

    Raises
    ------
    ChapterError
        If a cell fails; the notebook is then in `failed_folder(folder)`.
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
            _fill(partial, chapter, values, inputs, bar)
        except ChapterError as error:
            environment.replace(partial, failed)
            raise ChapterError(str(error).replace(str(partial), str(failed))) from None
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
        environment.replace(partial, folder)
        shutil.rmtree(failed, ignore_errors=True)


def _fill(folder: Path, chapter: str, values: Mapping[str, Any], inputs: str, bar: bool) -> None:
    """Executes a chapter into an empty folder; the provenance comes last."""
    folder.chmod(0o755)
    started = time.monotonic()
    with results.peak_memory() as peak:
        tables = notebooks.execute(chapter, values, folder / f"{chapter}.ipynb", inputs, bar)
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

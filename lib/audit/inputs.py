"""Check what an audit is given before anything runs: records or counts, and the release.

The release is a small YAML file, or the name of a preset. In addition to what `lib.audit.releases`
takes, it may state places and times of the release, if they differ from those of the records::

    preset: mds-k10                       # or mechanisms: [{name: ..., ...}, ...]
    epoch: 1D                             # length of an epoch of the release
    period: [2013-03-04, 2013-03-18]      # half-open
    zones: {gare: centre, port: coast}    # record's zone -> released zone; or a table of that
                                          # (zone, released); or a grid: [rows, columns];
                                          # '*': other is for all zones that are not named
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from lib import datasets
from lib.audit import releases
from lib.datasets import files
from lib.execution import yaml_text
from lib.execution.yaml_text import YamlError
from lib.traces import Grid, Traces
from lib.validation import check_instance, format_names, format_value

_CUT = ("zones", "epoch", "period")
_OTHERS = "*"  # in place of a zone: all that are not named
_SIDES = ("south", "north", "west", "east", "rows", "columns")
_EXPONENT = re.compile(r"[-+]?[0-9]{1,17}(\.[0-9]{0,17})?[eE][-+]?[0-9]{1,3}")
_OF_YAML = ("columns", "grid")  # options whose text is YAML


@dataclass(frozen=True)
class ReleaseRequest:
    """A release as the user described it.

    Parameters
    ----------
    release : Release
        How counts are published.
    mapping : mapping
        What `lib.audit.releases.parse` was given.
    cut : mapping
        Zones, epoch and period of the release, where they differ from the records'.
    """

    release: releases.Release
    mapping: Mapping[str, Any]
    cut: Mapping[str, Any] = field(default_factory=dict)


# -- the release -----------------------------------------------------------------------------------


def read_release(given: str) -> ReleaseRequest:
    """Read a release from a YAML file, or from a preset's name.

    Parameters
    ----------
    given : str
        A file (ending in .yml or .yaml, or with a slash) or a preset.

    Returns
    -------
    ReleaseRequest
        The release.

    Raises
    ------
    ValueError
        Naming the file and, where there is one, the line.
    """
    if not given.strip():
        raise ValueError("--release is empty; a YAML file, or a preset's name, was expected")
    if not (given.lower().endswith((".yml", ".yaml")) or "/" in given or "\\" in given):
        if given not in releases.PRESETS:
            near = get_close_matches(given, releases.PRESETS, 1, 0)
            raise ValueError(
                f"--release is {format_value(given)}, no file and no preset; did you mean "
                f"{near[0]!r}? There are: {', '.join(releases.PRESETS)}"
            )
        mapping: dict[str, Any] = {"preset": given}
        return ReleaseRequest(releases.parse(mapping), mapping)
    file = find_file(given)
    mapping, lines = _mapping(file)
    cut = {name: mapping.pop(name) for name in _CUT if name in mapping}
    if "mechanisms" in mapping:
        mapping["mechanisms"] = _numbers(mapping["mechanisms"])
    try:
        release = releases.parse(mapping)
        return ReleaseRequest(release, mapping, {k: _cut(k, v, file) for k, v in cut.items()})
    except ValueError as error:
        raise ValueError(f"{_at(file, lines, str(error))}: {error}") from error


def find_file(given: str | Path) -> Path:
    """Find an existing file.

    Parameters
    ----------
    given : str or Path
        Its name, as `lib.datasets.files.find` resolves it.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ValueError
        If it does not exist or is a folder.
    """
    try:
        file = files.find(given)
    except FileNotFoundError as error:
        raise ValueError(str(error)) from None
    if not file.is_file():
        raise ValueError(f"{format_value(str(file))} is a folder; a file was expected")
    return file


def _mapping(file: Path) -> tuple[dict[str, Any], dict[str, int]]:
    """The entries of a file, and the line of every name in it."""
    try:
        with file.open("rb") as stream:
            text = stream.read(4 * yaml_text.LARGEST + 1).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{file.name} cannot be read as text: {error}; save it as UTF-8") from None
    try:
        node = yaml_text.compose(text)
        content = None if node is None else yaml_text.plain(node)
    except YamlError as error:
        raise ValueError(f"{file.name}, line {error.line}: {error.problem}") from None
    if not isinstance(content, dict) or not all(isinstance(key, str) for key in content):
        raise ValueError(
            f"{file.name}: {format_value(content)} was found; `preset: NAME` or `mechanisms: "
            "[...]` was expected"
        )
    return content, {
        name: line
        for line, each in enumerate(text.splitlines(), 1)
        for name in re.findall(r"([\w-]+)\s*:", each)
    }


def _numbers(value: Any) -> Any:
    """Convert text such as 1e-3, which YAML does not read as a number, to a number."""
    if isinstance(value, list):
        return [_numbers(each) for each in value]
    if isinstance(value, dict):
        return {name: _numbers(each) for name, each in value.items()}
    return float(value) if isinstance(value, str) and _EXPONENT.fullmatch(value) else value


def _at(file: Path, lines: Mapping[str, int], message: str) -> str:
    """The file and the line of the name that a message is about: the last before its advice."""
    words = re.findall(r"[\w-]+", re.split("[;,] ", message)[0])
    names = [word for word in words if word in lines]
    return f"{file.name}, line {lines[names[-1]]}" if names else file.name


def _cut(name: str, value: Any, file: Path) -> Any:
    """One entry about how a release is cut, checked. Raises ValueError naming it."""
    if name == "period":
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(
                f"period is {format_value(value)}; [start, end] was expected, such as [2013-03-04, "
                "2013-03-11]; the end is not part of it"
            )
        return [str(each) for each in value]
    if name == "epoch":
        check_instance("epoch", value, str, "a length of time such as 1h or 1D")
        return value
    if isinstance(value, str):
        return _read_zones(find_file(file.parent / Path(value).expanduser()))
    if isinstance(value, list) or (isinstance(value, dict) and set(value) == set(_SIDES)):
        return parse_grid(name, value)
    if not isinstance(value, dict) or not value:
        raise ValueError(
            f"zones is {format_value(value)}; a mapping such as {{gare: centre, port: coast}}, a "
            "table with the columns zone and released, or a grid [rows, columns] was expected"
        )
    return {str(zone): str(released) for zone, released in value.items()}


def parse_grid(name: str, value: Any) -> Grid | tuple[int, int]:
    """Read a grid of zones.

    Parameters
    ----------
    name : str
        What to call it in messages.
    value : list or mapping
        [rows, columns], or a mapping with rows, columns and the four sides of a box.

    Returns
    -------
    Grid or (int, int)
        As loaders take it.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if isinstance(value, list) and len(value) == 2:
        return (value[0], value[1])  # the loader checks them
    if isinstance(value, dict) and set(value) == set(_SIDES):
        return Grid(*(value[side] for side in _SIDES))
    raise ValueError(
        f"{name} is {format_value(value)}; [rows, columns] was expected, or a mapping with "
        f"{', '.join(_SIDES)}"
    )


def _read_zones(file: Path) -> dict[str, str]:
    try:
        table = pd.read_csv(file, dtype=str, keep_default_na=False, index_col=False)
    except files.READ_ERRORS as error:
        raise ValueError(
            f"{file.name} cannot be read as a table: {error}; a CSV file with the columns zone and "
            "released was expected"
        ) from None
    if list(table.columns) != ["zone", "released"] or not len(table):
        raise ValueError(
            f"{file.name} has {format_names(table.columns)}; zone and released were expected"
        )
    twice = table["zone"][table["zone"].duplicated()]
    if len(twice):
        raise ValueError(
            f"{file.name}, line {twice.index[0] + 2}: zone {format_value(twice.iloc[0])} was given "
            "already; list each zone once"
        )
    return dict(zip(table["zone"], table["released"], strict=True))


# -- the records -----------------------------------------------------------------------------------


def load_records(name: str, cut: Mapping[str, Any], options: Mapping[str, Any]) -> Traces:
    """Load records and cut them as the release is cut.

    Parameters
    ----------
    name : str
        A table, a YAML card, or a dataset's name.
    cut : mapping
        Zones, epoch and period of the release.
    options : mapping of str to str or None
        Options of the loader as text; None if not given.

    Returns
    -------
    Traces
        The records.

    Raises
    ------
    ValueError
        If they do not exist or cannot be read.
    """
    if not name.strip():
        raise ValueError(
            "RECORDS is empty; a table, a folder of tables, a YAML card or a dataset's name was "
            "expected"
        )
    given = {key: _option(key, value) for key, value in options.items() if value is not None}
    given |= {"epoch": cut["epoch"]} if "epoch" in cut else {}
    given |= dict(zip(("start", "end"), cut["period"], strict=True)) if "period" in cut else {}
    zones = cut.get("zones")
    given |= {"grid": zones} if isinstance(zones, Grid | tuple) else {}
    try:
        traces = datasets.load(name, **given)
    except FileNotFoundError as error:
        raise ValueError(str(error)) from None
    except ValueError as error:
        raise ValueError(as_options(str(error), options)) from error
    return _merged(traces, zones) if isinstance(zones, dict) else traces


def as_options(message: str, names: Iterable[str]) -> str:
    """Write a loader's message in the words of the command: columns={user: id} as --columns.

    Parameters
    ----------
    message : str
        The message.
    names : iterable of str
        Names of options.

    Returns
    -------
    str
        The message.
    """

    def option(match: re.Match[str]) -> str:
        name, value = f"--{match[1].replace('_', '-')}", match[2]
        return f"{name} '{value}'" if value[:1] in ("{", "[") else f"{name} {value}".strip()

    value = r"\{[^{}]*\}|\[[^][]*\]|'[^']*'|[\w:]+(?:\.\w+)*|"
    return re.sub(rf"(?<![\w-])({'|'.join(names)})=({value})", option, message)


def _option(name: str, text: str) -> Any:
    if name not in _OF_YAML:
        return text
    try:
        value = yaml_text.read(text)
    except YamlError as error:
        raise ValueError(f"--{name} is {format_value(text)}: {error.problem}") from None
    return parse_grid("--grid", value) if name == "grid" else value


def _merged(traces: Traces, zones: Mapping[str, str]) -> Traces:
    """Traces over the released zones; each is at the centre of the zones that form it."""
    own = traces.rois.index.map(str)
    if _OTHERS in zones:
        zones = {zone: zones[_OTHERS] for zone in own} | dict(zones)
    missing = [zone for zone in own if zone not in zones]
    if missing:
        raise ValueError(
            f"zones: {len(missing)} of the records' zones are not named, such as "
            f"{format_value(missing[0])}; each needs a released zone, or all others one "
            "together: '*': other"
        )
    released = pd.Index([zones[zone] for zone in own])
    rois = traces.rois.groupby(released, sort=True)[["lat", "lon"]].mean()
    user, cell = traces.matrix.nonzero()
    roi, epoch = np.divmod(cell, traces.n_epochs)
    report = traces.report
    if report is not None:
        note = f"{traces.n_rois} zones of the records form {len(rois)} zones of the release"
        report = replace(report, notes=(*report.notes, note))
    return Traces.from_codes(
        user,
        rois.index.get_indexer(released)[roi],
        epoch,
        traces.users,
        rois,
        traces.epochs,
        report,
    )


def loading_report(traces: Traces) -> dict[str, Any] | None:
    """Report what became of every row of a file.

    Parameters
    ----------
    traces : Traces
        Loaded records.

    Returns
    -------
    dict or None
        Rows read, kept, set aside and duplicated, and notes; None if there was no file.
    """
    report = traces.report
    if report is None:
        return None
    return {
        "read": report.read,
        "kept": report.kept,
        "set_aside": dict(report.set_aside),
        "duplicates": report.duplicates,
        "notes": list(report.notes),
    }


def digest(traces: Traces) -> str:
    """Compute a checksum of records.

    Parameters
    ----------
    traces : Traces
        The records.

    Returns
    -------
    str
        SHA-256 of users, zones, epochs and visits.
    """
    total = hashlib.sha256()
    names = [[str(each) for each in index] for index in (traces.users, traces.rois.index)]
    total.update(json.dumps([*names, [str(each) for each in traces.epochs]]).encode())
    total.update(traces.rois[["lat", "lon"]].to_numpy(float).tobytes())
    for part in (traces.matrix.indptr, traces.matrix.indices):
        total.update(np.asarray(part, np.int64).tobytes())
    return total.hexdigest()

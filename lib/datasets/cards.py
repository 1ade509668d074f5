"""Cards: small YAML files that say what a table of records is and how to read it:

    what: GPS of 120 walkers, a week in spring, by agreement with each of them
    path: walkers.csv                # beside the card, or absolute; a folder; walkers/*.csv
    columns: {user: id, time: when, lat: y, lon: x}      # or roi: zone, or point: geometry
    timezone: Europe/Rome            # of times without an offset
    time_format: "%d/%m/%Y %H:%M"    # where the column does not tell
    ambiguous: earlier               # times that occur twice: earlier, later, or drop
    epoch: 1h
    start: 2013-03-04                # the window, half-open
    end: 2013-03-11
    grid: {south: 45.40, north: 45.53, west: 9.08, east: 9.28, rows: 8, columns: 12}
    null: true                       # adds the ROI "null"

Only `path` is required. `grid` may be [rows, columns] around all points. Instead of it, for a
column of places, `zones` lists all there are: {market: [45.46, 9.19], ...}, or names a table with
columns roi (zone, id, ...), lat and lon, or a GeoJSON file of areas. `columns` may list the roles
of a table without names: [user, time, lat, lon]. For what is not found in the table there are
`separator`, `decimal`, `sheet`, `crs` (EPSG:27700) and `scale` (1e6), and for a table of trips
`trips` (pairs), as in `records.load_records`.
Every value is read as the text that is written. Only text, lists and mappings are accepted: no
tags, anchors or aliases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from lib.datasets import files
from lib.datasets.tables import expand
from lib.traces import Grid
from lib.validation import format_value

MAX_BYTES = 200_000  # bytes of a card
_MAX_DEPTH = 8  # mappings and lists within one another
_FORBIDDEN = (yaml.AliasToken, yaml.AnchorToken, yaml.TagToken, yaml.DirectiveToken)
_SIDES = ("south", "north", "west", "east", "rows", "columns")


@dataclass
class Card:
    """The content of a card: the table, and the options to read it with.

    Attributes
    ----------
    file : Path
        The card.
    lines : dict of str to int
        Line of each key, from 1.
    options : dict
        Options of `records.load_records`.
    notes : tuple of str
        The card's own description of the data.
    tables : list of Path
        The tables.
    root : Path
        The folder that they are in.
    files : list of Path
        Files whose contents determine the result.
    """

    file: Path
    lines: dict[str, int]  # of each key, from 1
    options: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    tables: list[Path] = field(default_factory=list)
    root: Path = Path()
    files: list[Path] = field(default_factory=list)  # whose content decides

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Context in which a ValueError gets the card's name and the line of the key concerned.

        Yields
        ------
        None
        """
        try:
            yield
        except ValueError as error:
            keys = [key for key in self.lines if re.search(rf"(^|: ){key}\b", str(error))]
            where = f", line {self.lines[keys[0]]}" if keys else ""
            raise ValueError(f"{self.file.name}{where}: {error}") from error


def is_card(file: Path) -> bool:
    """Tell whether a file is a card, by its ending.

    Parameters
    ----------
    file : Path
        Any file.

    Returns
    -------
    bool
        True for .yml and .yaml.
    """
    return file.suffix.lower() in (".yml", ".yaml")


def read(file: Path) -> Card:
    """Read a card.

    Parameters
    ----------
    file : Path
        The card.

    Returns
    -------
    Card
        Its content.

    Raises
    ------
    ValueError
        If something in the card cannot be right; the message names the file and the line.
    """
    node = _compose(file)
    if not isinstance(node, yaml.MappingNode):
        raise _wrong(file, node, "lines such as `path: my.csv` were expected")
    content = _plain(node, file)
    nodes = {key.value: key for key, _ in node.value}
    card = Card(file, {key: place.start_mark.line + 1 for key, place in nodes.items()})
    if "path" not in content:
        raise _wrong(
            file, node, "`path` is missing: name the table that this card is about, `path: my.csv`"
        )
    for key, value in content.items():
        if key not in _READERS:
            raise _wrong(
                file, nodes[key], f"no key {key!r}; one of {', '.join(_READERS)} was expected"
            )
        try:
            _READERS[key](card, value, key)
        except (ValueError, FileNotFoundError) as error:
            raise type(error)(str(_wrong(file, nodes[key], f"{key}: {error}"))) from None
    if {"grid", "zones"} <= set(content):
        raise _wrong(file, nodes["zones"], "grid and zones: give one of the two")
    return card


# -- the keys ------------------------------------------------------------------------------------


def _text(card: Card, value: Any, key: str) -> None:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{format_value(value)} was found; a line of text was expected")
    card.options[key] = value


def _what(card: Card, value: Any, key: str) -> None:
    _text(card, value, key)
    card.notes = (card.options.pop(key),)


def _path(card: Card, value: Any, key: str) -> None:
    _text(card, value, key)
    path = card.file.parent / Path(card.options.pop(key)).expanduser()
    card.tables, card.root = expand(path)
    if is_card(card.tables[0]):
        raise ValueError(f"{value} is a card too; a table was expected")
    card.files += [card.file, *card.tables]


def _columns(card: Card, value: Any, key: str) -> None:
    listed = value.values() if isinstance(value, dict) else value
    names = [name for each in listed for name in (each if isinstance(each, list) else [each])]
    if isinstance(value, str) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"{format_value(value)} was found; a mapping such as {{user: id, time: when, roi: "
            "zone}} was expected"
        )
    card.options[key] = value


def _null(card: Card, value: Any, key: str) -> None:
    if value not in ("true", "false"):
        raise ValueError(f"{format_value(value)} was found; true or false was expected")
    card.options[key] = value == "true"


def _grid(card: Card, value: Any, key: str) -> None:
    if isinstance(value, list) and len(value) == 2:
        card.options[key] = tuple(_integer(each) for each in value)
    elif isinstance(value, dict) and set(value) == set(_SIDES):
        south, north, west, east = (_degrees(value[side]) for side in _SIDES[:4])
        shape = _integer(value["rows"]), _integer(value["columns"])
        card.options[key] = Grid(south, north, west, east, *shape)
    else:
        raise ValueError(
            f"{format_value(value)} was found; a mapping with {', '.join(_SIDES)}, or [rows, "
            "columns], was expected"
        )


def _zones(card: Card, value: Any, key: str) -> None:
    if isinstance(value, str):
        zones = files.find(card.file.parent / Path(value).expanduser())
        card.options[key] = zones
        card.files.append(zones)
        return
    if not isinstance(value, dict) or not value:
        raise ValueError(
            f"{format_value(value)} was found; a mapping such as {{market: [45.46, 9.19]}}, or a "
            "file, was expected"
        )
    for zone, place in value.items():
        if not isinstance(place, list) or len(place) != 2:
            raise ValueError(
                f"{zone} is at {format_value(place)}; [latitude, longitude] was expected"
            )
    points = [[_degrees(each) for each in place] for place in value.values()]
    card.options["rois"] = pd.DataFrame(points, index=list(value), columns=["lat", "lon"])


def _degrees(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{format_value(value)} was found where degrees were expected") from None


def _integer(value: Any) -> int:
    if not isinstance(value, str) or not re.fullmatch("[0-9]{1,9}", value):
        raise ValueError(f"{format_value(value)} was found where a whole number was expected")
    return int(value)


_READERS: dict[str, Callable[[Card, Any, str], None]] = {
    "path": _path,
    "what": _what,
    "columns": _columns,
    **dict.fromkeys(("timezone", "time_format", "ambiguous", "epoch", "start", "end"), _text),
    **dict.fromkeys(("separator", "decimal", "sheet", "crs", "scale", "trips"), _text),
    "grid": _grid,
    "zones": _zones,
    "null": _null,
}


# -- YAML ----------------------------------------------------------------------------------------


def _compose(file: Path) -> yaml.Node:
    if file.stat().st_size > MAX_BYTES:
        raise ValueError(
            f"{file.name} has {file.stat().st_size} bytes; a card has at most {MAX_BYTES}"
        )
    try:
        text = file.read_text(encoding="utf-8")
        depth = 0
        for token in yaml.scan(text, yaml.BaseLoader):
            depth += type(token).__name__.endswith("StartToken")
            depth -= type(token).__name__.endswith("EndToken")
            if isinstance(token, _FORBIDDEN) or depth > _MAX_DEPTH:
                what = "lists this deep" if depth > _MAX_DEPTH else "tags, anchors and aliases"
                raise _wrong(file, token, f"{what} are not allowed in a card; write plain values")
        found = yaml.compose(text, yaml.BaseLoader)
    except UnicodeDecodeError as error:
        raise ValueError(f"{file.name} is not UTF-8 text: {error}") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        problem = getattr(error, "problem", None) or error
        raise ValueError(f"{file.name}, line {line}: this is not YAML: {problem}") from error
    if found is None:
        raise ValueError(f"{file.name} is empty; lines such as `path: my.csv` were expected")
    return found


def _plain(node: yaml.Node, file: Path) -> Any:
    """The text, list or mapping of a node; ValueError for a repeated key."""
    if isinstance(node, yaml.SequenceNode):
        return [_plain(each, file) for each in node.value]
    if not isinstance(node, yaml.MappingNode):
        return node.value
    found: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.value in found:
            raise _wrong(
                file,
                key,
                f"key {format_value(_plain(key, file))} is not text, or appears twice; write each "
                "key once",
            )
        found[key.value] = _plain(value, file)
    return found


def _wrong(file: Path, place: yaml.Node | yaml.Token, message: object) -> ValueError:
    return ValueError(f"{file.name}, line {place.start_mark.line + 1}: {message}")

"""Cards: a small YAML file that says what a table of records is and how to read it.

    what: GPS of 120 walkers, a week in spring, by agreement with each of them
    path: walkers.csv                # beside the card, or absolute
    columns: {user: id, time: when, lat: y, lon: x}      # or roi: zone
    timezone: Europe/Rome            # of times without an offset
    time_format: "%d/%m/%Y %H:%M"    # where the column does not tell
    epoch: 1h
    start: 2013-03-04                # the window, half-open
    end: 2013-03-11
    grid: {south: 45.40, north: 45.53, west: 9.08, east: 9.28, rows: 8, columns: 12}
    null: true                       # adds the ROI "null"

Only `path` is needed. `grid` may be [rows, columns] around all points. Instead of it, for a column
of places, `zones` lists all there are: {market: [45.46, 9.19], ...}, or the name of a table with
their columns roi (zone, id, ...), lat and lon. Every value is read as the text that is written, and
nothing but text, lists and mappings is read at all: no tags, anchors or aliases.
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
from lib.traces import Grid
from lib.validation import format_value

LARGEST = 200_000  # bytes of a card
_DEEPEST = 8  # mappings and lists within one another
_FORBIDDEN = (yaml.AliasToken, yaml.AnchorToken, yaml.TagToken, yaml.DirectiveToken)
_SIDES = ("south", "north", "west", "east", "rows", "columns")


@dataclass
class Card:
    """What a card says: the table, and the options to read it with."""

    file: Path
    lines: dict[str, int]  # of each key, from 1
    options: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    table: Path = Path()
    zones: Path | None = None  # a table of them
    files: list[Path] = field(default_factory=list)  # whose content decides

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Puts the card's name, and the line of the key in question, before an error's message."""
        try:
            yield
        except ValueError as error:
            said = [key for key in self.lines if re.search(rf"(^|: ){key}\b", str(error))]
            where = f", line {self.lines[said[0]]}" if said else ""
            raise ValueError(f"{self.file.name}{where}: {error}") from error


def is_card(file: Path) -> bool:
    """Whether a file is a card, by its ending."""
    return file.suffix.lower() in (".yml", ".yaml")


def read(file: Path) -> Card:
    """The card in a file. Raises ValueError naming the file and the line that cannot be right."""
    node = _composed(file)
    if not isinstance(node, yaml.MappingNode):
        raise _wrong(file, node, "lines such as `path: my.csv` were expected")
    said = _plain(node, file)
    nodes = {key.value: key for key, _ in node.value}
    card = Card(file, {key: place.start_mark.line + 1 for key, place in nodes.items()})
    if "path" not in said:
        raise _wrong(file, node, "`path` is missing: the table that this card is about")
    for key, value in said.items():
        if key not in _READERS:
            raise _wrong(file, nodes[key], f"no key {key!r}; one of {', '.join(_READERS)}")
        try:
            _READERS[key](card, value, key)
        except (ValueError, FileNotFoundError) as error:
            raise type(error)(str(_wrong(file, nodes[key], f"{key}: {error}"))) from None
    if {"grid", "zones"} <= set(said):
        raise _wrong(file, nodes["zones"], "grid and zones: give one of the two")
    return card


# -- what each key may say -----------------------------------------------------------------------


def _text(card: Card, value: Any, key: str) -> None:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{format_value(value)} was found; a line of text was expected")
    card.options[key] = value


def _what(card: Card, value: Any, key: str) -> None:
    _text(card, value, key)
    card.notes = (card.options.pop(key),)


def _path(card: Card, value: Any, key: str) -> None:
    _text(card, value, key)
    card.table = files.find(card.file.parent / Path(card.options.pop(key)).expanduser())
    if is_card(card.table):
        raise ValueError(f"{value} is a card too; a table was expected")
    card.files += [card.file, card.table]


def _columns(card: Card, value: Any, key: str) -> None:
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value.values()):
        raise ValueError(
            f"{format_value(value)} was found; such as {{user: id, time: when, roi: zone}}"
        )
    card.options[key] = value


def _null(card: Card, value: Any, key: str) -> None:
    if value not in ("true", "false"):
        raise ValueError(f"{format_value(value)} was found; true or false was expected")
    card.options[key] = value == "true"


def _grid(card: Card, value: Any, key: str) -> None:
    if isinstance(value, list) and len(value) == 2:
        card.options[key] = tuple(_whole(each) for each in value)
    elif isinstance(value, dict) and set(value) == set(_SIDES):
        south, north, west, east = (_degrees(value[side]) for side in _SIDES[:4])
        shape = _whole(value["rows"]), _whole(value["columns"])
        card.options[key] = Grid(south, north, west, east, *shape)
    else:
        raise ValueError(
            f"{format_value(value)} was found; {', '.join(_SIDES)}, or [rows, columns]"
        )


def _zones(card: Card, value: Any, key: str) -> None:
    if isinstance(value, str):
        card.zones = files.find(card.file.parent / Path(value).expanduser())
        card.files.append(card.zones)
        return
    if not isinstance(value, dict) or not value:
        raise ValueError(
            f"{format_value(value)} was found; such as {{market: [45.46, 9.19]}}, or a file"
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


def _whole(value: Any) -> int:
    if not isinstance(value, str) or not re.fullmatch("[0-9]{1,9}", value):
        raise ValueError(f"{format_value(value)} was found where a whole number was expected")
    return int(value)


_READERS: dict[str, Callable[[Card, Any, str], None]] = {
    "path": _path,
    "what": _what,
    "columns": _columns,
    "timezone": _text,
    "time_format": _text,
    "epoch": _text,
    "start": _text,
    "end": _text,
    "grid": _grid,
    "zones": _zones,
    "null": _null,
}


# -- YAML ----------------------------------------------------------------------------------------


def _composed(file: Path) -> yaml.Node:
    if file.stat().st_size > LARGEST:
        raise ValueError(f"{file.name} has {file.stat().st_size} bytes; a card has {LARGEST}")
    try:
        text = file.read_text(encoding="utf-8")
        depth = 0
        for token in yaml.scan(text, yaml.BaseLoader):
            depth += type(token).__name__.endswith("StartToken")
            depth -= type(token).__name__.endswith("EndToken")
            if isinstance(token, _FORBIDDEN) or depth > _DEEPEST:
                what = "lists this deep" if depth > _DEEPEST else "tags, anchors and aliases"
                raise _wrong(file, token, f"{what} have no place in a card")
        found = yaml.compose(text, yaml.BaseLoader)
    except UnicodeDecodeError as error:
        raise ValueError(f"{file.name} is no UTF-8 text: {error}") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        problem = getattr(error, "problem", None) or error
        raise ValueError(f"{file.name}, line {line}: this is no YAML: {problem}") from error
    if found is None:
        raise ValueError(f"{file.name} is empty; lines such as `path: my.csv` were expected")
    return found


def _plain(node: yaml.Node, file: Path) -> Any:
    """Text, lists and mappings; ValueError for a key that occurs twice or is no text."""
    if isinstance(node, yaml.SequenceNode):
        return [_plain(each, file) for each in node.value]
    if not isinstance(node, yaml.MappingNode):
        return node.value
    found: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.value in found:
            raise _wrong(
                file, key, f"key {format_value(_plain(key, file))} is no text, or given before"
            )
        found[key.value] = _plain(value, file)
    return found


def _wrong(file: Path, place: yaml.Node | yaml.Token, message: object) -> ValueError:
    return ValueError(f"{file.name}, line {place.start_mark.line + 1}: {message}")

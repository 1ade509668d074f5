"""YAML written by a reader (values of `-p`, sweep files); every mistake is reported with its line.

Allowed are text, numbers, true and false, null, lists, and mappings with names. A date, a time, or
a number that begins with a zero stays the text that was written; plain YAML would read 1:30 as 90
and 010 as 8. The size is limited with all aliases expanded, and is computed without expanding them.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

from lib.validation import format_value

LARGEST = 200_000  # characters, with all aliases written out
_DEEPEST = 20  # lists and mappings within one another
_TOO_DEEP = f"lists or mappings more than {_DEEPEST} deep in one another"
_STANDARD = "tag:yaml.org,2002:"
_TAGS = {  # that may be written
    yaml.ScalarEvent: ("str", "int", "float", "bool", "null"),
    yaml.SequenceStartEvent: ("seq",),
    yaml.MappingStartEvent: ("map",),
}
_NUMBERS = {
    "int": r"[-+]?(0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)$",
    "float": r"[-+]?(([0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)([eE][-+][0-9]+)?|\.(inf|Inf|INF))$"
    r"|\.(nan|NaN|NAN)$",
}


class YamlError(ValueError):
    """A line of a YAML text cannot be read.

    Parameters
    ----------
    line : int
        Number of the line, from 1.
    problem : str
        What is wrong.
    """

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line, self.problem = line, problem


class _Loader(yaml.SafeLoader):
    """YAML 1.1 without what it guesses: dates, times, octal numbers, `=` and `<<`."""

    yaml_implicit_resolvers = {  # noqa: RUF012  (the name is PyYAML's)
        first: [each for each in known if each[0].endswith((":bool", ":null"))]
        for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


for _kind, _pattern in _NUMBERS.items():
    _Loader.add_implicit_resolver(f"{_STANDARD}{_kind}", re.compile(_pattern), [*"-+.0123456789"])


def read(text: str) -> Any:
    """Read the value of a YAML text.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    object
        The value; None if the text is empty.

    Raises
    ------
    YamlError
        If the text is not YAML as this module allows it.
    """
    node = compose(text)
    return None if node is None else plain(node)


def compose(text: str) -> yaml.Node | None:
    """Parse a YAML text into nodes, which know their lines.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    yaml.Node or None
        The node; None if the text is empty.

    Raises
    ------
    YamlError
        If the text is not YAML, has tags, contains itself, or is longer than `LARGEST` characters
        or nested more than 20 levels deep.
    """
    if len(text) > LARGEST:
        raise YamlError(1, f"{len(text):,} characters; at most {LARGEST:,} were expected")
    try:
        depth = 0
        for event in yaml.parse(text, _Loader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                raise YamlError(event.start_mark.line + 1, _TOO_DEEP)  # type: ignore[union-attr]
            _check_tag(event)
        node: yaml.Node | None = yaml.compose(text, _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or " ".join(str(error).split())
        problem = problem if len(problem) <= 200 else f"{problem[:200]}..."
        raise YamlError(mark.line + 1 if mark else 1, f"this is no YAML: {problem}") from None
    if node is not None:
        _measured(node, {})
    return node


def plain(node: yaml.Node) -> Any:
    """Return the value of a node from `compose`.

    Parameters
    ----------
    node : yaml.Node
        The node.

    Returns
    -------
    object
        The value.

    Raises
    ------
    YamlError
        If a mapping has a name twice, or a name that is not a plain value.
    """
    if isinstance(node, yaml.SequenceNode):
        return [plain(each) for each in node.value]
    if not isinstance(node, yaml.MappingNode):
        return _scalar(node)
    found: dict[Any, Any] = {}
    lines: dict[Any, int] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise YamlError(
                line_of(key), f"{format_value(plain(key))} stands where a name was expected"
            )
        name = _scalar(key)
        if name in found:
            problem = f"{format_value(name)} was given in line {lines[name]} already"
            raise YamlError(line_of(key), problem)
        found[name], lines[name] = plain(value), line_of(key)
    return found


def line_of(node: yaml.Node) -> int:
    """Return the line at which a node begins.

    Parameters
    ----------
    node : yaml.Node
        The node.

    Returns
    -------
    int
        The line, counted from 1.
    """
    return int(node.start_mark.line) + 1


def _check_tag(event: yaml.Event) -> None:
    tag = getattr(event, "tag", None)
    if tag in (None, "!") or tag.removeprefix(_STANDARD) in _TAGS.get(type(event), ()):
        return
    line, tag = event.start_mark.line + 1, tag.replace(_STANDARD, "!!")  # type: ignore[union-attr]
    raise YamlError(line, f"tag {format_value(tag)}; text, numbers, lists and mappings have none")


def _measured(node: yaml.Node, known: dict[int, tuple[int, int] | None]) -> tuple[int, int]:
    """Count characters and depth of a node with aliases expanded; each alias is counted once."""
    if id(node) in known:
        before = known[id(node)]
        if before is None:
            raise YamlError(line_of(node), "a list or mapping contains itself")
        return before
    known[id(node)] = None
    if isinstance(node, yaml.ScalarNode):
        size, depth = len(node.value) + 1, 0
    else:
        pairs = isinstance(node, yaml.MappingNode)
        inside = [each for pair in node.value for each in pair] if pairs else node.value
        found = [_measured(each, known) for each in inside]
        size = 1 + sum(each for each, _ in found)
        depth = 1 + max((each for _, each in found), default=0)
    if size > LARGEST:
        problem = f"{size:,} characters with all aliases written out; at most {LARGEST:,}"
        raise YamlError(line_of(node), f"{problem} were expected")
    if depth > _DEEPEST:
        raise YamlError(line_of(node), _TOO_DEEP)
    known[id(node)] = size, depth
    return size, depth


def _scalar(node: yaml.Node) -> Any:
    kind = node.tag.removeprefix(_STANDARD)
    try:
        value = SafeConstructor().construct_object(node)
        if kind == "int":
            float(value)
    except (ValueError, KeyError, OverflowError):
        long = kind == "int" and len(node.value) > 300
        problem = f"has {len(node.value)} digits, too many" if long else f"is no {kind}"
        raise YamlError(line_of(node), f"{format_value(node.value)} {problem}") from None
    return value

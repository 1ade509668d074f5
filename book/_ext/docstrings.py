"""The project's docstrings as reStructuredText, for the API pages.

They are written to be read in a terminal: sentences, and blocks of two columns,

    members  (n,) 0 or 1
    returns  (n,), higher for a member

which become definition lists here; so no docstring has to be written twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator

_ENTRY = re.compile(r"(\*?\w[\w.*]*(?:, \w+)*) {2,}(\S.*)")
_RESULT = re.compile(r"(returns|yields) +(\S.*)")
_SECOND = re.compile(r" {3,}(\w+) {2,}(\S.*)")  # another entry on the same line
_CHOICE = re.compile(r'([A-Z][A-Z_, ]+|"\w+"): ')  # one of several values, on a line of its own
_OPENER = r"(?:Raises|Source:|Source of|Privacy:|Privacy unit:|Fitted:|Warns|Fitting raises)"
_OPENS = re.compile(rf"(?<=[.;]) (?={_OPENER} )")
_BOLD = re.compile(r"(Raises|Source:|Privacy:|Privacy unit:|Fitted:|Warns|Fitting raises)(?= )")
_CODE = re.compile(r"(``[^`]+``|`[^`]+`)")
_EMPHASIS = re.compile(r"\\\*(\w[\w-]*)\\\*")

Link = Callable[[str], str]  # a name in single backticks -> what stands for it


def as_rst(
    lines: Iterable[str], names: Container[str] = (), link: Link = lambda name: ""
) -> list[str]:
    """Lines of a docstring as lines of reStructuredText.

    names  of the arguments: such a word opens an entry with a single space behind it too
    link   a role for a name in backticks, or "" where it names nothing that has a page
    """
    found: list[str] = []
    for block in _blocks(lines):
        if block[0].startswith(">>>"):
            found += [*block, ""]
        elif all(line.startswith("    ") for line in block):
            found += ["::", "", *block, ""]
        else:
            found += _prose(block, names, link)
    return found


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Runs of lines without an empty one; indented ones that follow one another stay together."""
    block: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            block.append(line.rstrip())
        elif block:
            yield block
            block = []


def _prose(block: list[str], names: Container[str], link: Link) -> list[str]:
    """A block without code: paragraphs, lists, and entries of two columns."""
    parts: list[tuple[str, list[str]]] = []  # "" of a paragraph, "-" of a list, or an entry's name
    for line in block:
        opened = None if line.startswith(" ") else _entry(line, names, bool(parts and parts[-1][0]))
        if opened:
            parts += [(name, [text]) for name, text in opened]
        elif line.startswith("- "):
            parts.append(("-", [line[2:]]))
        elif line.startswith(" ") and parts:
            parts[-1][1].append("\n" * bool(_CHOICE.match(line.strip())) + line.strip())
        elif parts and not parts[-1][0] and not re.match(rf"{_OPENER} ", line):
            parts[-1][1].append(line)
        else:
            parts.append(("", [line.strip()]))
    return [line for name, text in parts for line in _part(name, " ".join(text), link)]


def _entry(line: str, names: Container[str], within: bool) -> list[tuple[str, str]]:
    """The entries that a line opens, if it does: name and the meaning's beginning."""
    found = _RESULT.fullmatch(line) or _ENTRY.fullmatch(line)
    if not found and within:
        first, _, rest = line.partition(" ")
        return [(first, rest)] if first in names else []
    if not found:
        return []
    name, text = found.groups()
    second = _SECOND.search(text)
    if second:
        return [(name, text[: second.start()]), (second.group(1), second.group(2))]
    return [(name, text)]


def _part(name: str, text: str, link: Link) -> list[str]:
    if not name:
        sentences = _OPENS.split(text)
        return [line for each in sentences for line in (_paragraph(each, link), "")]
    if name == "-":
        return [f"- {escaped(text, link)}", ""]
    term = (
        name if name in ("returns", "yields") else ", ".join(f"``{x}``" for x in name.split(", "))
    )
    meanings = [escaped(each.strip(), link) for each in text.split("\n")]
    return [term, *[line for each in meanings for line in (f"    {each}", "")]]


def _paragraph(text: str, link: Link) -> str:
    opener = _BOLD.match(text)
    start = opener.end() if opener else 0
    rest = escaped(text[start:], link)
    return f"**{text[:start]}**{rest}" if start else rest


def escaped(text: str, link: Link = lambda name: "") -> str:
    """Plain words as reStructuredText: nothing but backticks and *a word* means anything."""
    pieces = _CODE.split(text)
    for i, piece in enumerate(pieces):
        if i % 2:
            name = piece.strip("`")
            pieces[i] = link(name) or f"``{name}``"
            if pieces[i - 1] and re.search(r"[\w(]$", pieces[i - 1]) and pieces[i - 1][-1] != "(":
                pieces[i] = r"\ " + pieces[i]
            if i + 1 < len(pieces) and re.match(r"\w", pieces[i + 1]):
                pieces[i + 1] = r"\ " + pieces[i + 1]
        else:
            plain = re.sub(r"([\\*|`])", r"\\\1", piece)
            plain = re.sub(r"(?<=\w)_(?!\w)", r"\\_", plain)
            pieces[i] = _EMPHASIS.sub(r"*\1*", plain)
    return "".join(pieces)

"""How nbval compares: numbers with a decimal point within a tolerance, everything else exactly.

nbval alone compares text, and passes a notebook that was never executed; both are mended here.
"""

import re

import nbformat
import pytest
from nbval import plugin

RELATIVE_TOLERANCE = 5e-4  # of numbers with a decimal point; smaller than one in a thousand
ABSOLUTE_TOLERANCE = 1e-12  # so that 0.0 compares with rounding error

_FLOAT = re.compile(r"-?\d+(?:\.\d*(?:[eE][+-]?\d+)?|[eE][+-]?\d+)")


class TolerantText(str):
    """Text that equals another if the words are the same and the decimal numbers are close."""

    __slots__ = ()

    def __eq__(self, other):
        mine, theirs = (" ".join(text.split()) for text in (self, other))  # padding moves
        if _FLOAT.sub("#", mine) != _FLOAT.sub("#", theirs):
            return False
        pairs = zip(_FLOAT.findall(mine), _FLOAT.findall(theirs), strict=True)
        return all(_close(float(a), float(b)) for a, b in pairs)

    def __ne__(self, other):
        return not self == other

    __hash__ = str.__hash__


def _close(a, b):
    return abs(a - b) <= max(RELATIVE_TOLERANCE * max(abs(a), abs(b)), ABSOLUTE_TOLERANCE)


_sanitize = plugin.IPyNbCell.sanitize
_collect = plugin.IPyNbFile.collect


def _tolerant(self, text):
    sanitized = _sanitize(self, text)
    return TolerantText(sanitized) if isinstance(sanitized, str) else sanitized


def _executed(self):
    cells = [c for c in nbformat.read(self.path, as_version=4).cells if c.cell_type == "code"]
    never = [c for c in cells if c.source.strip() and c.execution_count is None]
    if never or not any(c.outputs for c in cells):
        raise pytest.Collector.CollectError(
            f"{self.path.name} has {len(never)} cells that were never executed: run `make book`"
        )
    return _collect(self)


plugin.IPyNbCell.sanitize = _tolerant
plugin.IPyNbFile.collect = _executed

"""What published counts tell by their structure alone, without anybody's records.

Counts stand in a matrix of zones by epochs; a suppressed count is NaN. A total over a zone's
epochs, an epoch's zones or everything stands beside them where it was published, else NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

SMALL = 10  # a count from 1 to below this is small, as MDS and many statistical offices have it
_ROUNDS = 1000  # of tightening; each makes at least one range narrower


@dataclass(frozen=True)
class Counts:
    """Published counts.

    cells       (n_zones, n_epochs), whole numbers from 0; NaN: suppressed
    by_zone     (n_zones,) totals; NaN: not published
    by_epoch    (n_epochs,) totals; NaN: not published
    everything  the total of all; NaN: not published
    listed      (n_zones, n_epochs), whether the table has a line for the cell
    below       a suppressed count is below this; infinite where nobody says
    """

    cells: np.ndarray
    by_zone: np.ndarray
    by_epoch: np.ndarray
    everything: float
    listed: np.ndarray
    below: float = np.inf

    @property
    def suppressed(self) -> np.ndarray:
        """Which counts are marked as hidden."""
        return np.isnan(self.cells) & self.listed


class Ranges(NamedTuple):
    """What each cell can be, (n_zones, n_epochs) each; equal where the count is known."""

    low: np.ndarray
    high: np.ndarray


def small(counts: Counts, least: int = SMALL) -> np.ndarray:
    """Which cells hold a published count from 1 to below `least`: (n_zones, n_epochs)."""
    return (counts.cells > 0) & (counts.cells < least)


def zeros(counts: Counts) -> np.ndarray:
    """Which cells are published as nobody: (n_zones, n_epochs)."""
    return counts.cells == 0


def ranges(counts: Counts) -> Ranges:
    """The ranges that totals leave to suppressed counts, which say at least these.

    In each sum a suppressed count is at most what the total leaves with all others at their least,
    and at least what it leaves with all others at their most; until nothing changes. A cell that
    the table does not list is no part of a sum. Raises ValueError for totals that cannot be right.
    """
    low = np.where(counts.suppressed, 0.0, np.nan_to_num(counts.cells))
    top = counts.below - 1 if np.isfinite(counts.below) else np.inf
    high = np.where(counts.suppressed, top, np.nan_to_num(counts.cells))
    for _ in range(_ROUNDS):
        before = low.copy(), high.copy()
        for axis, totals in (
            (1, counts.by_zone[:, None]),
            (0, counts.by_epoch[None, :]),
            (None, np.full((1, 1), counts.everything)),
        ):
            _tighten(low, high, totals, axis)
        if (low > high).any():
            zone, epoch = (int(each) for each in np.argwhere(low > high)[0])
            raise ValueError(
                f"totals contradict the counts, first in zone {zone}, epoch {epoch} (from 0)"
            )
        if all(np.array_equal(old, new) for old, new in zip(before, (low, high), strict=True)):
            break
    return Ranges(low, high)


def _tighten(low: np.ndarray, high: np.ndarray, totals: np.ndarray, axis: int | None) -> None:
    """Narrows ranges, in place, by the totals along one axis; NaN: there is no total."""
    known = ~np.isnan(totals)
    least = low.sum(axis, keepdims=True)
    unbounded = np.isinf(high)
    most = np.where(unbounded, 0, high).sum(axis, keepdims=True)
    free = unbounded.sum(axis, keepdims=True)  # of a range without an end all others must be known
    others = np.where(free - unbounded > 0, np.inf, most - np.where(unbounded, 0, high))
    np.minimum(high, totals - (least - low), out=high, where=known)
    np.maximum(low, totals - others, out=low, where=known)


def recovered(counts: Counts) -> np.ndarray:
    """Which suppressed cells the totals give away exactly: (n_zones, n_epochs)."""
    found = ranges(counts)
    exact: np.ndarray = counts.suppressed & (found.low == found.high)
    return exact


def differences(one: Counts, other: Counts, least: int = SMALL) -> np.ndarray:
    """Which cells of two releases differ by 1 to below `least`: (n_zones, n_epochs).

    Between two versions of the same counts such a difference is about so few people.
    """
    if one.cells.shape != other.cells.shape:
        raise ValueError(
            f"two releases of {one.cells.shape} and {other.cells.shape} cells; the "
            "same zones and times were expected"
        )
    apart = np.abs(one.cells - other.cells)
    few: np.ndarray = (apart > 0) & (apart < least)
    return few

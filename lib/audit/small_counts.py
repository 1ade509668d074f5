"""What a table of counts reveals by itself: small counts, zeros, and suppressed counts.

Suppressed counts are recovered from published totals: a row or a column with one suppressed count
determines it, and integer limits on the others often do too. Nothing here needs the records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lib.validation import check_numbers, validated

SMALL = 10  # counts from 1 to below it are small, as for MDS and many statistical offices
_ROUNDS = 1000  # of tightening; each makes at least one range narrower


@dataclass(frozen=True)
class Counts:
    """A table of published counts.

    Parameters
    ----------
    cells : ndarray, shape (n_zones, n_epochs)
        Whole numbers from 0; NaN if suppressed.
    by_zone : ndarray, shape (n_zones,)
        Totals; NaN if not published.
    by_epoch : ndarray, shape (n_epochs,)
        Totals; NaN if not published.
    everything : float
        The grand total; NaN if not published.
    listed : ndarray of bool, shape (n_zones, n_epochs)
        Whether the table has a line for the cell.
    below : float
        Every suppressed count is below it; infinite if unknown.
    """

    cells: np.ndarray
    by_zone: np.ndarray
    by_epoch: np.ndarray
    everything: float
    listed: np.ndarray
    below: float = np.inf

    @property
    def suppressed(self) -> np.ndarray:
        """Which cells are marked as suppressed."""
        return np.isnan(self.cells) & self.listed


class Ranges(NamedTuple):
    """Possible values of each cell; equal where the count is known.

    Parameters
    ----------
    low, high : ndarray, shape (n_zones, n_epochs)
        Smallest and largest value.
    """

    low: np.ndarray
    high: np.ndarray


def ranges(counts: Counts) -> Ranges:
    """Bound suppressed counts by the published totals.

    In each sum a suppressed count is at most the total minus all others at their smallest, and at
    least the total minus all others at their largest; this is repeated until nothing changes. Cells
    that the table does not list are not part of a sum.

    Parameters
    ----------
    counts : Counts
        The table.

    Returns
    -------
    Ranges
        Bounds, not always the tightest.

    Raises
    ------
    ValueError
        If the totals contradict the counts.
    """
    low = np.where(counts.suppressed, 0.0, np.nan_to_num(counts.cells))
    top = counts.below - 1 if np.isfinite(counts.below) else np.inf
    high = np.where(counts.suppressed, top, np.nan_to_num(counts.cells))
    sums = (
        (1, counts.by_zone[:, None]),
        (0, counts.by_epoch[None, :]),
        (None, np.full((1, 1), counts.everything)),
    )
    for _ in range(_ROUNDS):
        before = low.copy(), high.copy()
        for axis, totals in sums:
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
    """Narrow ranges, in place, by the totals along one axis; NaN: there is no total."""
    known = ~np.isnan(totals)
    least = low.sum(axis, keepdims=True)
    unbounded = np.isinf(high)
    finite = np.where(unbounded, 0, high)
    # a sum has an upper end only if all its other cells have one
    free = unbounded.sum(axis, keepdims=True)
    others = np.where(free - unbounded > 0, np.inf, finite.sum(axis, keepdims=True) - finite)
    np.minimum(high, totals - (least - low), out=high, where=known)
    np.maximum(low, totals - others, out=low, where=known)


def small(counts: Counts, below: int = SMALL) -> np.ndarray:
    """Find small published counts.

    Parameters
    ----------
    counts : Counts
        The table.
    below : int
        Counts from 1 to below it are small.

    Returns
    -------
    ndarray of bool, shape (n_zones, n_epochs)
        Which cells are small.
    """
    return (counts.cells > 0) & (counts.cells < below)


def determined(counts: Counts) -> np.ndarray:
    """Find suppressed counts that follow exactly from the totals.

    Parameters
    ----------
    counts : Counts
        The table.

    Returns
    -------
    ndarray of bool, shape (n_zones, n_epochs)
        Which cells are suppressed and determined.

    Raises
    ------
    ValueError
        If the totals contradict the counts.
    """
    low, high = ranges(counts)
    exact: np.ndarray = counts.suppressed & (low == high)
    return exact


def differences(one: Counts, other: Counts, below: int = SMALL) -> np.ndarray:
    """Find cells in which two releases of the same counts differ by a small number of people.

    Parameters
    ----------
    one, other : Counts
        Tables with the same zones and times.
    below : int
        Differences from 1 to below it are small.

    Returns
    -------
    ndarray of bool, shape (n_zones, n_epochs)
        Which cells differ by a small number.

    Raises
    ------
    ValueError
        If the tables have different shapes.
    """
    if one.cells.shape != other.cells.shape:
        raise ValueError(
            f"two releases of {one.cells.shape} and {other.cells.shape} cells; the same zones and "
            "times were expected"
        )
    apart = np.abs(one.cells - other.cells)
    return np.asarray((apart > 0) & (apart < below))


@validated
def recover(
    counts: np.ndarray, by_place: np.ndarray, by_hour: np.ndarray, threshold: int
) -> np.ndarray:
    """Recover the suppressed counts of a release that follow exactly from its totals.

    Whole numbers without noise are assumed; totals that contradict the counts recover nothing.

    Parameters
    ----------
    counts : ndarray, shape (n_rois, n_epochs)
        Published counts: 0 where fewer than `threshold` were counted.
    by_place, by_hour : ndarray, shape (n_rois,) and (n_epochs,)
        Totals of the counts before suppression.
    threshold : int
        Counts below it are suppressed.

    Returns
    -------
    ndarray of int64, shape (n_rois, n_epochs)
        Recovered values; -1 for all other cells.

    References
    ----------
    Dobra and Fienberg 2000 (bounds for cell entries).
    """
    counts, by_place, by_hour = (np.asarray(each, float) for each in (counts, by_place, by_hour))
    hidden, nothing = counts == 0, np.full(counts.shape, -1, np.int64)
    if any((each != np.rint(each)).any() for each in (counts, by_place, by_hour)):
        return nothing
    shown, everywhere = np.where(hidden, np.nan, counts), np.ones(counts.shape, bool)
    try:
        low, high = ranges(Counts(shown, by_place, by_hour, np.nan, everywhere, threshold))
    except ValueError:
        return nothing
    return np.where(hidden & (low == high), low, nothing).astype(np.int64)


def structure(
    counts: np.ndarray,
    by_place: np.ndarray | None = None,
    by_hour: np.ndarray | None = None,
    threshold: int = 0,
) -> dict[str, Any]:
    """Describe what published counts reveal by themselves.

    Parameters
    ----------
    counts : ndarray, shape (n_rois, n_epochs)
        Published counts.
    by_place, by_hour : ndarray, optional
        Published totals, shape (n_rois,) and (n_epochs,).
    threshold : int
        Counts below it were suppressed.

    Returns
    -------
    dict
        ``cells``; ``small_cells``: counts from 1 to 9, and ``small_share`` of those that are not 0;
        ``ones``; ``zeros`` and ``zeros_share``; ``negative`` counts, which only noise produces;
        ``fractions``: counts that are not whole numbers; ``totals_published``; ``recovered``:
        suppressed counts that follow from the totals, and ``recovered_people``: those above 0.

    Raises
    ------
    ValueError
        Unless there are two axes of finite numbers.
    """
    counts = check_numbers("counts", counts)
    if counts.ndim != 2 or not counts.size or not np.isfinite(counts).all():
        raise ValueError(f"counts are {counts.shape}; finite numbers (n_rois, n_epochs) expected")
    is_small = (counts >= 1) & (counts < SMALL) & (counts == np.floor(counts))
    values = np.full(1, -1)
    if by_place is not None and by_hour is not None and threshold > 1:
        values = recover(counts, np.asarray(by_place), np.asarray(by_hour), threshold)
    return {
        "cells": int(counts.size),
        "small_cells": int(is_small.sum()),
        "small_share": float(is_small.sum() / max((counts != 0).sum(), 1)),
        "ones": int((counts == 1).sum()),
        "zeros": int((counts == 0).sum()),
        "zeros_share": float((counts == 0).mean()),
        "negative": int((counts < 0).sum()),
        "fractions": int((counts != np.floor(counts)).sum()),
        "totals_published": by_place is not None and by_hour is not None,
        "recovered": int((values >= 0).sum()),
        "recovered_people": int((values > 0).sum()),
    }

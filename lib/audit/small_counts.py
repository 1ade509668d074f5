"""What a table of counts reveals by itself: small counts, and suppressed counts.

Suppressed counts are recovered from published totals, all of which are used together
(`lib.audit.linear_bounds`). Nothing here needs the records.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from lib.audit.linear_bounds import ContradictionError, Intervals, Sums, intervals
from lib.validation import check_numbers, validated

SMALL = 10  # counts from 1 to below it are small, as for MDS and many statistical offices
PROTECTION = 5  # an interval of a hidden count that is narrower tells too much
TOTAL = -1  # in place of a label's number: over all labels


@dataclass(frozen=True)
class Counts:
    """A table of published counts over one or more axes, such as zone and time.

    Parameters
    ----------
    labels : sequence of list of str
        Labels of each axis.
    codes : ndarray of int, shape (n_counts, n_axes)
        Number of each count's label, or `TOTAL`.
    low, high : ndarray, shape (n_counts,)
        Equal to the count if it is published; otherwise what is known of it beforehand, with an
        infinite `high` if nothing is.
    hidden : ndarray of bool, shape (n_counts,)
        Which counts are suppressed.
    scale : int
        All counts times this are whole numbers; 1 unless counts have decimals.
    """

    labels: Sequence[Sequence[str]]
    codes: np.ndarray
    low: np.ndarray
    high: np.ndarray
    hidden: np.ndarray
    scale: int = 1

    @property
    def is_total(self) -> np.ndarray:
        """Which counts are totals."""
        return np.asarray((self.codes == TOTAL).any(axis=1))

    @property
    def whole(self) -> bool:
        """Whether all counts are whole numbers."""
        return self.scale == 1

    def bounded(self, least: float | None, below: float | None) -> Counts:
        """Add what is known of hidden counts.

        Parameters
        ----------
        least : float or None
            Smallest value of a hidden count.
        below : float or None
            Every hidden count is below it.

        Returns
        -------
        Counts
            The same table with narrower bounds, which may contradict each other.
        """
        step = 1 / self.scale
        low = np.maximum(self.low, least) if least is not None else self.low
        high = np.minimum(self.high, below - step) if below is not None else self.high
        return replace(
            self,
            low=np.where(self.hidden, low, self.low),
            high=np.where(self.hidden, high, self.high),
        )


def from_grid(
    cells: np.ndarray,
    by_zone: np.ndarray | None = None,
    by_epoch: np.ndarray | None = None,
    everything: float | None = None,
    low: float = 0,
    high: float = np.inf,
) -> Counts:
    """Make a table of arrays: cells first, row by row, then totals of zones, of epochs, of all.

    Parameters
    ----------
    cells : ndarray, shape (n_zones, n_epochs)
        Whole numbers from 0; NaN if suppressed.
    by_zone, by_epoch : ndarray, optional
        Totals; NaN if suppressed.
    everything : float, optional
        The grand total; NaN if suppressed.
    low, high : float
        What is known of suppressed counts.

    Returns
    -------
    Counts
        The table, with numbers from 0 as labels.
    """
    cells = np.asarray(cells, float)
    n_zones, n_epochs = cells.shape
    codes, values = [np.indices(cells.shape).reshape(2, -1).T], [cells.ravel()]
    for axis, totals in enumerate((by_zone, by_epoch)):
        if totals is not None:
            code = np.full((cells.shape[axis], 2), TOTAL)
            code[:, axis] = np.arange(cells.shape[axis])
            codes.append(code)
            values.append(np.asarray(totals, float))
    if everything is not None:
        codes.append(np.array([[TOTAL, TOTAL]]))
        values.append(np.array([everything], float))
    value = np.concatenate(values)
    hidden = np.isnan(value)
    labels = [[str(i) for i in range(n)] for n in (n_zones, n_epochs)]
    bounds = np.where(hidden, low, value), np.where(hidden, high, value)
    return Counts(labels, np.concatenate(codes), *bounds, hidden)


# -- suppressed counts -----------------------------------------------------------------------------


def suppressed_intervals(counts: Counts, unlisted: str = "zero", width: int = 0) -> Intervals:
    """Find what all published totals together reveal of the suppressed counts.

    Parameters
    ----------
    counts : Counts
        The table.
    unlisted : {"zero", "hidden"}
        Whether a cell that the table does not list is 0 or a suppressed count.
    width : int
        Protection level: as `lib.audit.linear_bounds.intervals`, but at most the interval that
        was known beforehand.

    Returns
    -------
    Intervals
        One for each count of the table, in the counts' unit.

    Raises
    ------
    ContradictionError
        If the totals contradict the counts.
    """
    system = _System(counts, unlisted)
    variables = system.rows()
    n = len(counts.low)
    before = counts.high - counts.low
    widths = np.zeros(system.n_unknown)
    of_rows = variables < n
    widths[of_rows] = np.minimum(width, before[variables[of_rows]]) * counts.scale
    found = intervals(system.sums(), widths)
    result = [counts.low.copy(), counts.high.copy(), counts.low.copy(), counts.high.copy()]
    decided = np.ones(n, bool)
    for whole, part in zip(result, found[:4], strict=True):
        whole[variables[of_rows]] = part[of_rows] / counts.scale
    decided[variables[of_rows]] = found.decided[of_rows]
    low, high, seen_low, seen_high = result
    return Intervals(low, high, seen_low, seen_high, decided)


class _System:
    """The sums of a table: each total is the sum of its parts along each of its axes.

    A total that the table does not list, but that a larger total contains, is an unknown like a
    hidden one.
    """

    def __init__(self, counts: Counts, unlisted: str):
        self.counts, self.unlisted = counts, unlisted
        shape = [len(each) + 1 for each in counts.labels]  # the last of an axis: its total
        self.last = np.array(shape) - 1
        self.known = np.zeros(shape)
        self.unknown = np.full(shape, -1)
        self.listed = np.zeros(shape, bool)
        at = tuple(np.where(counts.codes == TOTAL, self.last, counts.codes).T)
        open_ = np.flatnonzero(counts.low != counts.high)
        self.listed[at] = True
        self.known[at] = np.where(counts.low == counts.high, counts.low, 0) * counts.scale
        self.known = np.rint(self.known)
        self.unknown[tuple(axis[open_] for axis in at)] = np.arange(len(open_))
        self.of_row: list[int] = open_.tolist()
        self.entries: tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]] = ([], [], [])
        self.totals: list[float] = []
        totals = np.argwhere(self.listed)
        self._queue = deque(map(tuple, totals[(totals == self.last).any(axis=1)]))
        while self._queue:
            self._add(self._queue.popleft())

    @property
    def n_unknown(self) -> int:
        """Number of unknown counts."""
        return len(self.of_row)

    def rows(self) -> np.ndarray:
        """Row of the table of each unknown count; the number of rows if it is not listed."""
        return np.array(self.of_row, int)

    def _add(self, key: tuple[int, ...]) -> None:
        """Add the sums of one total."""
        for axis in np.flatnonzero(np.array(key) == self.last):
            parts: Any = (*key[:axis], slice(0, int(self.last[axis])), *key[axis + 1 :])
            inner = (np.delete(key, axis) != np.delete(self.last, axis)).all()
            if not inner or self.unlisted == "hidden":
                self._add_unlisted(key, int(axis), queue=not inner)
            cells = self.unknown[parts]
            cells, signs = cells[cells >= 0], np.ones((cells >= 0).sum())
            own = int(self.unknown[key])
            if own >= 0:
                cells, signs = np.append(cells, own), np.append(signs, -1.0)
            row = np.full(len(cells), len(self.totals))
            for whole, part in zip(self.entries, (row, cells, signs), strict=True):
                whole.append(part)
            self.totals.append(self.known[key] - self.known[parts].sum())

    def _add_unlisted(self, key: tuple[int, ...], axis: int, queue: bool) -> None:
        for i in range(int(self.last[axis])):
            part = (*key[:axis], i, *key[axis + 1 :])
            if not self.listed[part]:
                self.listed[part] = True
                self.unknown[part] = len(self.of_row)
                self.of_row.append(len(self.counts.low))
                if queue:
                    self._queue.append(part)

    def sums(self) -> Sums:
        """The system of all sums."""
        row, cell, sign = (np.concatenate([*each, np.empty(0)]) for each in self.entries)
        shape = len(self.totals), self.n_unknown
        matrix = sparse.coo_array((sign, (row.astype(int), cell.astype(int))), shape).tocsr()
        scale = self.counts.scale
        low = np.append(self.counts.low, 0.0)[self.rows()] * scale
        high = np.append(self.counts.high, np.inf)[self.rows()] * scale
        low, high = np.ceil(low - 1e-6) + 0.0, np.floor(high + 1e-6)
        return Sums(matrix, np.array(self.totals, float), low, high, self.counts.whole)


# -- published counts ------------------------------------------------------------------------------


def small(counts: Counts, below: float = SMALL) -> np.ndarray:
    """Find small published counts.

    Parameters
    ----------
    counts : Counts
        The table.
    below : float
        Counts above 0 and below it are small.

    Returns
    -------
    ndarray of bool, shape (n_counts,)
        Which counts, totals included, are small.
    """
    return np.asarray(~counts.hidden & (counts.low > 0) & (counts.low < below))


class Pair(NamedTuple):
    """Two tables over the same labels, and which counts of each are the same cell.

    Parameters
    ----------
    one, other : Counts
        The tables; labels of both are those of either.
    common : ndarray of int, shape (n_common, 2)
        Positions of cells that both list.
    """

    one: Counts
    other: Counts
    common: np.ndarray


def match(one: Counts, other: Counts) -> Pair:
    """Match the counts of two tables by their labels, whatever their order.

    Parameters
    ----------
    one, other : Counts
        Tables with the same axes.

    Returns
    -------
    Pair
        The tables with common labels.

    Raises
    ------
    ValueError
        If the numbers of axes differ.
    """
    if len(one.labels) != len(other.labels):
        raise ValueError(
            f"two tables of {len(one.labels)} and {len(other.labels)} axes; the same were expected"
        )
    labels = [list(dict.fromkeys([*a, *b])) for a, b in zip(one.labels, other.labels, strict=True)]
    both = [replace(each, labels=labels, codes=_recoded(each, labels)) for each in (one, other)]
    at = {tuple(code): i for i, code in enumerate(both[0].codes.tolist())}
    pairs = [
        (at[tuple(code)], j) for j, code in enumerate(both[1].codes.tolist()) if tuple(code) in at
    ]
    return Pair(both[0], both[1], np.array(pairs, int).reshape(-1, 2))


def _recoded(counts: Counts, labels: Sequence[Sequence[str]]) -> np.ndarray:
    codes = counts.codes.copy()
    for axis, (old, new) in enumerate(zip(counts.labels, labels, strict=True)):
        number = {label: i for i, label in enumerate(new)}
        table = np.array([*(number[label] for label in old), TOTAL])  # the last: a total
        codes[:, axis] = table[counts.codes[:, axis]]
    return codes


def differences(pair: Pair, below: float = SMALL) -> np.ndarray:
    """Find counts that differ by a small number of people between two tables.

    Parameters
    ----------
    pair : Pair
        The tables.
    below : float
        Differences above 0 and below it are small.

    Returns
    -------
    ndarray of bool, shape (n_common,)
        Which common counts differ by a small number.
    """
    i, j = pair.common.T
    apart = np.abs(pair.one.low[i] - pair.other.low[j])
    return np.asarray(_both_shown(pair) & (apart > 0) & (apart < below))


def _both_shown(pair: Pair) -> np.ndarray:
    i, j = pair.common.T
    return np.asarray(~pair.one.hidden[i] & ~pair.other.hidden[j])


def merge(pair: Pair) -> Counts | None:
    """Merge two tables of the same counts: what either of them shows is known.

    Parameters
    ----------
    pair : Pair
        The tables.

    Returns
    -------
    Counts or None
        One table; a count that only one of them hides is marked as hidden, with its value as both
        bounds. None if published counts differ, so that the tables are not of the same counts.
    """
    one, other, (i, j) = pair.one, pair.other, pair.common.T
    low, high = one.low.copy(), one.high.copy()
    low[i], high[i] = np.maximum(low[i], other.low[j]), np.minimum(high[i], other.high[j])
    if (low > high).any():
        return None
    hidden = one.hidden.copy()
    hidden[i] |= other.hidden[j]
    alone = np.setdiff1d(np.arange(len(other.low)), j)
    joined = [
        np.concatenate([a, b[alone]])
        for a, b in (
            (one.codes, other.codes),
            (low, other.low),
            (high, other.high),
            (hidden, other.hidden),
        )
    ]
    codes, low, high, hidden = joined
    return Counts(one.labels, codes, low, high, hidden, max(one.scale, other.scale))


@validated
def recover(
    counts: np.ndarray, by_place: np.ndarray, by_hour: np.ndarray, threshold: int
) -> np.ndarray:
    """Recover the suppressed counts of a release that follow exactly from its totals.

    All totals are used together, so no cell that they determine is missed. Whole numbers without
    noise are assumed; totals that contradict the counts recover nothing.

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
    Gusfield 1988; Dobra and Fienberg 2000 (bounds for cell entries).
    """
    counts, by_place, by_hour = (np.asarray(each, float) for each in (counts, by_place, by_hour))
    hidden, nothing = counts == 0, np.full(counts.shape, -1, np.int64)
    if any((each != np.rint(each)).any() for each in (counts, by_place, by_hour)):
        return nothing
    shown = np.where(hidden, np.nan, counts)
    try:
        found = suppressed_intervals(from_grid(shown, by_place, by_hour, high=threshold - 1))
    except ContradictionError:
        return nothing
    low, exact = (each[: counts.size].reshape(counts.shape) for each in (found.low, found.exact))
    return np.where(hidden & exact, low, nothing).astype(np.int64)


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

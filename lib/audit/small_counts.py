"""What counts say of themselves, whoever is behind them: small cells, zeros, hidden counts.

Hidden counts are recovered from published totals: a row or a column with one hidden count gives it
away, and integer limits on the others (nobody is counted below 0 or above the threshold) often do
too. Nothing here needs the records, so this is also what is checked where there are only counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lib.audit.published import Counts, ranges
from lib.validation import check_numbers, validated

_SMALL = 10  # counts from 1 to 9 are small


@validated
def recovered(
    counts: np.ndarray, by_place: np.ndarray, by_hour: np.ndarray, threshold: int
) -> np.ndarray:
    """The values of hidden counts that the totals leave no choice about, -1 where they leave one.

    counts     (n_rois, n_epochs) published: 0 where fewer than `threshold` were counted
    by_place, by_hour  (n_rois,), (n_epochs,) totals of the counts before they were hidden
    Counts that are published have the value -1 too. Whole numbers without noise are assumed; totals
    that contradict the counts recover nothing. Source: Dobra and Fienberg 2000 (bounds of tables).
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
    """What published counts (n_rois, n_epochs) show by themselves.

    small_cells, small_share  counts from 1 to 9, and their share of those that are not 0
    ones      counts of a single person;  zeros, zeros_share  counts of 0
    negative  counts below 0, which only noise makes;  fractions  counts that are no whole numbers
    recovered, recovered_people  hidden counts that the totals reveal, and those above 0 of them
    Raises ValueError unless there are two axes of finite numbers.
    """
    counts = check_numbers("counts", counts)
    if counts.ndim != 2 or not counts.size or not np.isfinite(counts).all():
        raise ValueError(f"counts are {counts.shape}; finite numbers (n_rois, n_epochs) expected")
    small = (counts >= 1) & (counts < _SMALL) & (counts == np.floor(counts))
    found: dict[str, Any] = {
        "cells": int(counts.size),
        "small_cells": int(small.sum()),
        "small_share": float(small.sum() / max((counts != 0).sum(), 1)),
        "ones": int((counts == 1).sum()),
        "zeros": int((counts == 0).sum()),
        "zeros_share": float((counts == 0).mean()),
        "negative": int((counts < 0).sum()),
        "fractions": int((counts != np.floor(counts)).sum()),
        "totals_published": by_place is not None and by_hour is not None,
        "recovered": 0,
        "recovered_people": 0,
    }
    if by_place is not None and by_hour is not None and threshold > 1:
        values = recovered(counts, np.asarray(by_place), np.asarray(by_hour), threshold)
        found["recovered"] = int((values >= 0).sum())
        found["recovered_people"] = int((values > 0).sum())
    return found

"""Seven statistics of each ROI's series: what the Knock-Knock classifiers look at.

Source: KK, Sec. V-B.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from lib.validation import validated

STATISTICS = ("variance", "minimum", "maximum", "median", "mean", "std", "sum")
_LARGEST = np.finfo(np.float32).max  # in which forests and networks compute
_CELLS_AT_ONCE = 1 << 16  # a block of ROIs stays in the processor's cache, however counts lie


def feature_names(rois: Iterable[Any]) -> list[str]:
    """Name the columns of `extract`.

    Parameters
    ----------
    rois : iterable
        Names of the ROIs.

    Returns
    -------
    list of str
        "<roi> <statistic>"; all statistics of a ROI stand together.
    """
    return [f"{roi} {statistic}" for roi in rois for statistic in STATISTICS]


@validated
def extract(aggregates: np.ndarray) -> np.ndarray:
    """Compute seven statistics of the time series of every ROI.

    Parameters
    ----------
    aggregates : ndarray, shape (n, n_rois, n_epochs)
        Counts or noisy counts.

    Returns
    -------
    ndarray of float, shape (n, 7 * n_rois)
        Column 7 * roi + i is STATISTICS[i] of that ROI. Variance and standard deviation are the
        population's (ddof = 0). Statistics of whole numbers are exact up to the last division and
        square root.

    Raises
    ------
    ValueError
        Unless there are three axes, at least one epoch, and finite numbers whose sums and variances
        single precision holds.

    References
    ----------
    KK, Sec. V-B (tsfresh).
    """
    aggregates = np.asarray(aggregates)
    if aggregates.ndim != 3 or not aggregates.size:
        raise ValueError(f"aggregates are {aggregates.shape}; (n, n_rois, n_epochs), not empty")
    n, n_rois, n_epochs = aggregates.shape
    features = np.empty((n, n_rois, len(STATISTICS)))
    width = max(1, _CELLS_AT_ONCE // (n * n_epochs))
    for roi in range(0, n_rois, width):
        block = np.s_[:, roi : roi + width]
        with np.errstate(invalid="ignore"):  # refused below, with its place
            _fill(features[block], aggregates[block])
    wrong = ~(np.abs(features[:, :, [0, -1]]) <= _LARGEST).all(axis=2)  # NaN is not
    if wrong.any():
        group, roi = (int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"aggregates: group {group}, ROI {roi} holds a value that is not finite, or whose "
            "square is too large for single precision"
        )
    return features.reshape(n, -1)


def _fill(features: np.ndarray, counts: np.ndarray) -> None:
    """Writes the statistics of counts (n, n_rois, n_epochs) into features (n, n_rois, 7)."""
    n_epochs = counts.shape[-1]
    small = _as_int16(counts)
    numbers = counts.astype(float, order="C")
    total = numbers.sum(-1)
    if small is None:
        variance, ordered = numbers.var(-1), np.sort(numbers, -1)
    else:  # both sums are whole numbers below 2^53, so nothing is rounded before the division
        squares = np.einsum("gre,gre->gr", numbers, numbers)
        variance = (n_epochs * squares - total**2) / n_epochs**2
        ordered = np.sort(small, -1)
    features[..., 0] = variance
    features[..., 1] = ordered[..., 0]
    features[..., 2] = ordered[..., -1]
    below, above = ordered[..., (n_epochs - 1) // 2], ordered[..., n_epochs // 2]
    features[..., 3] = (below.astype(float) + above) / 2
    features[..., 4] = total / n_epochs
    features[..., 5] = np.sqrt(variance)
    features[..., 6] = total


def _as_int16(counts: np.ndarray) -> np.ndarray | None:
    """The same numbers as int16, which sort ten times faster, or None if some do not fit."""
    small = counts.astype(np.int16, order="C")
    return small if (small == counts).all() else None

"""Mechanisms that use the counts alone: suppression, rounding and clipping."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lib.mechanisms.base import Mechanism
from lib.validation import check_real, format_value


@dataclass(frozen=True)
class SuppressSmallCounts(Mechanism):
    """Suppression of small counts: counts below `threshold` are released as 0.

    Not differentially private. Zero and one suppress nothing.

    Parameters
    ----------
    threshold : float
        Smallest count that is released, in users. ZK's parameter k is the largest count that is
        suppressed: threshold = k + 1.

    Raises
    ------
    ValueError
        If the threshold is negative.

    References
    ----------
    ZK, Sec. 3.

    Examples
    --------
    >>> from lib.mechanisms import release
    >>> rng = np.random.default_rng(1)
    >>> release(np.array([[1, 2, 3, 4]]), [SuppressSmallCounts(3)], rng, group_size=5).tolist()
    [[0, 0, 3, 4]]
    """

    threshold: float

    def __post_init__(self) -> None:
        if not 0 <= check_real("threshold", self.threshold) < math.inf:
            raise ValueError(f"threshold is {self.threshold}; 0 users or more were expected")

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Replace small counts by 0.

        Parameters
        ----------
        counts : numpy.ndarray, shape (n_groups, n_rois, n_epochs)
            Counts of users.
        rng : numpy.random.Generator
            Source of randomness.
        group_size : numpy.ndarray, shape (n_groups, 1, 1)
            Users in each group.

        Returns
        -------
        numpy.ndarray
            Array of the same shape.
        """
        return np.where(counts < self.threshold, 0, counts)


@dataclass(frozen=True)
class PostProcess(Mechanism):
    """Post-processing of noisy counts: rounded, then clipped to [0, group_size].

    Differential privacy is not affected by post-processing.

    Parameters
    ----------
    rounding : {"nearest", "down", "none"}, default="nearest"
        How counts are rounded.
    clip : bool, default=True
        Whether counts are clipped to [0, group_size].

    Raises
    ------
    ValueError
        If a parameter has another value.

    References
    ----------
    ZK, Sec. 2.2.1.

    Examples
    --------
    >>> from lib.mechanisms import Laplace, release
    >>> rng, counts = np.random.default_rng(1), np.array([[1, 2, 3, 4]])
    >>> release(counts, [Laplace(0.5), PostProcess()], rng, group_size=5).tolist()
    [[4.0, 2.0, 4.0, 4.0]]
    """

    rounding: str = "nearest"
    clip: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.rounding, str) or self.rounding not in ("nearest", "down", "none"):
            raise ValueError(
                f"rounding is {format_value(self.rounding)}; one of nearest, down, none"
            )
        if not isinstance(self.clip, bool | np.bool_):
            raise ValueError(f"clip is {format_value(self.clip)}; True or False was expected")

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Round and clip counts.

        Parameters
        ----------
        counts : numpy.ndarray, shape (n_groups, n_rois, n_epochs)
            Counts of users.
        rng : numpy.random.Generator
            Source of randomness.
        group_size : numpy.ndarray, shape (n_groups, 1, 1)
            Users in each group.

        Returns
        -------
        numpy.ndarray
            Array of the same shape.
        """
        if self.rounding != "none":
            counts = np.rint(counts) if self.rounding == "nearest" else np.floor(counts)
            target = counts if isinstance(counts, np.ndarray) and counts.dtype == float else None
            counts = np.add(counts, 0.0, out=target)  # no negative zeros
            return np.clip(counts, 0, group_size, out=target) if self.clip else counts
        return np.clip(counts, 0, group_size) if self.clip else counts

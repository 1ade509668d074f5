"""Rounding of counts to multiples of a base: to the nearest, upwards, or at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.mechanisms.base import Mechanism
from lib.validation import check_integer, format_value

DIRECTIONS = ("nearest", "up", "random")
LARGEST_BASE = 2**24  # single precision holds all whole numbers up to it


@dataclass(frozen=True)
class Round(Mechanism):
    """Counts rounded to multiples of `base`. Not differentially private.

    Parameters
    ----------
    base : int
        Released counts are multiples of it, from 2 to `LARGEST_BASE`.
    how : {"nearest", "up", "random"}, default="nearest"
        "nearest": to the nearest multiple, halves upwards. "up": to the next multiple that is not
        smaller; only 0 stays 0, as in Strava Metro. "random": to one of the two multiples around a
        count, to each with the probability that keeps the expectation; multiples stay as they are,
        as in the random rounding to base 3 of Stats NZ.

    Raises
    ------
    ValueError
        If the base is not a whole number from 2 to `LARGEST_BASE`, or for another `how`.

    References
    ----------
    Not in the papers. Strava Metro rounds up to multiples of 5; Stats NZ rounds at random to
    multiples of 3.

    Examples
    --------
    >>> counts, rng = np.array([0, 1, 5, 6]), np.random.default_rng(1)
    >>> Round(5, "up").apply(counts, rng, np.asarray(9)).tolist()
    [0.0, 5.0, 5.0, 10.0]
    """

    base: int
    how: str = "nearest"

    def __post_init__(self) -> None:
        if check_integer("base", self.base, 2) > LARGEST_BASE:
            raise ValueError(f"base is {self.base}; at most {LARGEST_BASE} was expected")
        if not isinstance(self.how, str) or self.how not in DIRECTIONS:
            raise ValueError(f"how is {format_value(self.how)}; one of {', '.join(DIRECTIONS)}")

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator | None, group_size: np.ndarray
    ) -> np.ndarray:
        """Round counts.

        Parameters
        ----------
        counts : array_like, any shape
            Counts.
        rng : numpy.random.Generator or None
            Source of randomness; used only for "random".
        group_size : numpy.ndarray
            Not used.

        Returns
        -------
        numpy.ndarray of float32
            Multiples of `base`, of the same shape.
        """
        in_bases = np.asarray(counts, np.float32) / self.base
        if self.how == "nearest":
            multiples = np.floor(in_bases + 0.5)
        elif self.how == "up":
            multiples = np.ceil(in_bases)
        else:
            assert rng is not None
            whole = np.floor_divide(counts, self.base)
            rest = (counts - whole * self.base) / self.base
            multiples = (whole + (rng.random(np.shape(counts)) < rest)).astype(np.float32)
        return multiples * np.float32(self.base)

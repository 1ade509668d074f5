"""The two kinds of mechanisms, and checks of the parameters they share. Not in the papers."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from lib.traces import Traces
from lib.validation import check_finite, check_real

MAX_SQUARED = 1e150  # largest number that is squared
_MAX_SCALE = 1e290  # of noise, and 1 / it the smallest: beyond, noise is NaN or rounds to none


class Mechanism(Protocol):
    """A mechanism that is applied to counts before they are released."""

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Apply the mechanism to counts.

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
            Counts after the mechanism, of the same shape.
        """
        ...


class TraceMechanism(Protocol):
    """A mechanism that is applied to traces before they are counted."""

    def apply_traces(self, traces: Traces, rng: np.random.Generator) -> Traces:
        """Apply the mechanism to traces.

        Parameters
        ----------
        traces : Traces
            Not changed.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        Traces
            Traces after the mechanism.
        """
        ...


def check_positive(name: str, value: float) -> None:
    """Raise ValueError unless a parameter is a finite number above 0.

    Parameters
    ----------
    name : str
        Name of the parameter, for the message.
    value : float
        Value to check.

    Returns
    -------
    None
    """
    if not 0 < check_real(name, value, "a finite number above 0") < math.inf:  # NaN is wrong too
        raise ValueError(f"{name} is {value}; a finite number above 0 was expected")


def check_budget(epsilon: float, sensitivity: float) -> None:
    """Raise ValueError unless epsilon and sensitivity give a noise scale that floats can hold.

    Parameters
    ----------
    epsilon : float
        Privacy parameter, above 0.
    sensitivity : float
        Largest change of the counts, above 0.

    Returns
    -------
    None
    """
    check_positive("epsilon", epsilon)
    check_positive("sensitivity", sensitivity)
    least = 1 / MAX_SQUARED
    if not least < sensitivity < MAX_SQUARED:
        raise ValueError(f"sensitivity is {sensitivity:g}; {least:g} to {MAX_SQUARED:g} expected")
    scale = float(sensitivity) / float(epsilon)
    if not 1 / _MAX_SCALE < scale < _MAX_SCALE:
        raise ValueError(
            f"epsilon is {epsilon:g}: noise for a sensitivity of {sensitivity:g} would have a "
            f"scale of {scale:g}; floats hold {1 / _MAX_SCALE:g} to {_MAX_SCALE:g}"
        )


def check_change(change: np.ndarray) -> np.ndarray:
    """Return a difference of traces as floats, or raise ValueError.

    Parameters
    ----------
    change : array_like, shape (..., n_rois, n_epochs)
        Difference between two neighbouring inputs.

    Returns
    -------
    numpy.ndarray
        The difference as floats.
    """
    change = check_finite("change", change)
    if change.ndim < 2:
        raise ValueError(f"change is {change.shape}; (..., n_rois, n_epochs) was expected")
    return change


def unit_of_privacy(visits: float) -> str:
    """Describe whom a guarantee protects: counts are sums of 0/1 traces, so sensitivity is visits.

    Parameters
    ----------
    visits : float
        Largest number of visits that the guarantee covers.

    Returns
    -------
    str
        Words for a message.
    """
    return "one visit" if visits == 1 else f"one user of at most {visits:g} visits"

"""Choices among floating-point numbers that rounding cannot decide.

Two sums of the same terms differ in their last bits from one processor to another. Where values are
equal in exact arithmetic, a plain `argmax` therefore returns another index on another machine: on a
reversible Markov chain, staying put has the same joint probability at every location. Here values
within a stated tolerance of each other are tied, and the lowest index wins.
"""

from __future__ import annotations

import numpy as np

LOG_TOLERANCE = 1e-9  # absolute, between logarithms of probabilities
TOLERANCE = 1e-9  # relative to the largest absolute value


def argmax_log(values: np.ndarray, axis: int = -1) -> np.ndarray:
    """Find the largest log-probability, where values within 1e-9 of it are tied.

    Parameters
    ----------
    values : array_like of float
        Log-probabilities; -inf is allowed.
    axis : int
        Axis along which to compare.

    Returns
    -------
    ndarray of int
        First index of a tied value along the axis; the shape of `values` without that axis.

    Examples
    --------
    >>> argmax_log(np.log([0.1 + 0.2, 0.3])), int(np.argmax(np.log([0.3, 0.1 + 0.2])))
    (np.int64(0), 1)
    """
    values = np.asarray(values)
    top = values.max(axis=axis, keepdims=True)
    return (values >= top - LOG_TOLERANCE).argmax(axis=axis)


def argmax(values: np.ndarray, axis: int = -1) -> np.ndarray:
    """Find the largest value, where values within a relative 1e-9 of it are tied.

    Parameters
    ----------
    values : array_like of float
        Non-negative numbers, such as probabilities.
    axis : int
        Axis along which to compare.

    Returns
    -------
    ndarray of int
        First index of a tied value along the axis; the shape of `values` without that axis.
    """
    values = np.asarray(values)
    top = values.max(axis=axis, keepdims=True)
    return (values >= top * (1 - TOLERANCE)).argmax(axis=axis)


def argsort_descending(values: np.ndarray) -> np.ndarray:
    """Sort values from the largest to the smallest, keeping the order of tied values.

    Neighbours in that order are tied if they differ by at most 1e-9 of the largest absolute value.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Numbers; infinities are allowed.

    Returns
    -------
    ndarray of int, shape (n,)
        Indices that sort the values.

    Examples
    --------
    >>> argsort_descending(np.array([0.3, 1.0, 0.1 + 0.2])).tolist()
    [1, 0, 2]
    """
    order = np.argsort(-np.asarray(values), kind="stable")
    if len(order) < 2:
        return order
    ranked = np.asarray(values)[order]
    step = TOLERANCE * np.abs(ranked[np.isfinite(ranked)]).max(initial=0.0)
    with np.errstate(invalid="ignore"):  # infinities among themselves are tied
        group = np.concatenate([[0], np.cumsum(ranked[:-1] - ranked[1:] > step)])
    return order[np.lexsort((order, group))]

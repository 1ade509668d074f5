"""Releases: mechanisms applied in order, to counts or to traces that are then counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lib.aggregation import aggregate
from lib.mechanisms.base import Mechanism, TraceMechanism
from lib.mechanisms.noise import add_rounded_noise, can_round_noise
from lib.traces import Traces
from lib.validation import check_generator, check_instance, format_value


def release(
    counts: np.ndarray,
    mechanisms: Sequence[Mechanism],
    rng: np.random.Generator,
    group_size: int | np.ndarray,
) -> np.ndarray:
    """Apply mechanisms to counts, in order.

    Parameters
    ----------
    counts : array_like of int, shape (n_groups, n_rois, n_epochs)
        Aggregates; one aggregate may come without its first axis.
    mechanisms : sequence of Mechanism
        Mechanisms on counts; an empty list releases the raw counts.
    rng : numpy.random.Generator
        Source of randomness.
    group_size : int or array_like of int, shape (n_groups,)
        Users in each group.

    Returns
    -------
    numpy.ndarray
        Released counts, of the same shape.

    Raises
    ------
    ValueError
        If a count is negative, not a whole number or above the group's size, if there is not one
        size for each group, or if a mechanism is invalid or works on traces.

    See Also
    --------
    release_traces : Applies mechanisms to traces, counts them, and applies those on counts.

    Examples
    --------
    >>> release(np.array([[9]]), [], np.random.default_rng(1), group_size=5)
    Traceback (most recent call last):
        ...
    ValueError: count 9 at (0, 0): a whole number from 0 to 5, the group's size
    """
    if isinstance(counts, Traces):
        raise ValueError("counts are Traces: release_traces(traces, groups, mechanisms, rng)")
    counts, size = _whole_numbers("counts", counts), _whole_numbers("group_size", group_size)
    if size.ndim == 1 and len(size) not in (1, len(counts) if counts.ndim else 0):
        raise ValueError(f"group_size has {len(size)} sizes for {len(counts)} groups")
    if size.ndim == 1:
        size = size.reshape(-1, *[1] * (counts.ndim - 1))
    try:
        np.broadcast_shapes(counts.shape, size.shape)
    except ValueError:
        raise ValueError(f"group_size is {size.shape}; one size, or one a group") from None
    _check_counts(counts, size)
    remaining = _check_mechanisms(mechanisms, rng)
    if can_round_noise(counts, remaining):
        noise, after, *remaining = remaining
        counts = add_rounded_noise(counts, noise, after, size, rng)
    for mechanism in remaining:
        if hasattr(mechanism, "apply_traces"):
            raise ValueError(
                f"{mechanism!r} works on traces, and these are counts already: "
                "release_traces(traces, groups, mechanisms, rng) applies it"
            )
        counts = mechanism.apply(counts, rng, size)
    return counts


def release_traces(
    traces: Traces,
    groups: Sequence[Sequence[int]] | np.ndarray,
    mechanisms: Sequence[Mechanism | TraceMechanism],
    rng: np.random.Generator,
) -> np.ndarray:
    """Apply mechanisms on traces, count the users of each group, and apply mechanisms on counts.

    Parameters
    ----------
    traces : Traces
        Traces of all users.
    groups : sequence of sequences of int
        Positions of the users in each group, as `lib.aggregation.aggregate` takes them.
    mechanisms : sequence of TraceMechanism or Mechanism
        Mechanisms on traces first; an empty list releases the raw counts.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    numpy.ndarray, shape (n_groups, n_rois, n_epochs)
        Released counts.

    Raises
    ------
    ValueError
        If a group or a mechanism is invalid, or a mechanism on traces stands after one on counts.

    Examples
    --------
    >>> from lib.datasets import load
    >>> from lib.mechanisms import Laplace, PostProcess
    >>> six, rng = load('six-users'), np.random.default_rng(1)
    >>> release_traces(six, [[0, 1], [2, 3, 4]], [Laplace(1.0), PostProcess()], rng).shape
    (2, 4, 8)
    """
    check_instance("traces", traces, Traces, "release(counts, mechanisms, rng, group_size)")
    traces, on_counts = apply_trace_mechanisms(traces, mechanisms, rng)
    counts = aggregate(traces, groups, np.int32)
    sizes = np.array([len(group) for group in groups])
    return release(counts, on_counts, rng, sizes)


def apply_trace_mechanisms(
    traces: Traces, mechanisms: Sequence[Any], rng: np.random.Generator
) -> tuple[Traces, list[Any]]:
    """Apply the mechanisms on traces, and return those that remain for the counts.

    Parameters
    ----------
    traces : Traces
        Not changed.
    mechanisms : sequence of TraceMechanism or Mechanism
        Mechanisms on traces first.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Traces
        Traces after the mechanisms on traces.
    list of Mechanism
        Mechanisms on counts; the estimators of mechanisms on traces, if any, come first.

    Raises
    ------
    ValueError
        If a mechanism on traces stands after one on counts; the message names it.
    """
    on_counts = _check_mechanisms(mechanisms, rng)
    estimators: list[Any] = []
    while on_counts and hasattr(on_counts[0], "apply_traces"):
        first: Any = on_counts.pop(0)
        traces = first.apply_traces(traces, rng)
        estimators += [first.estimator()] if hasattr(first, "estimator") else []
    for mechanism in on_counts:
        if hasattr(mechanism, "apply_traces"):
            raise ValueError(
                f"{mechanism!r} works on traces: it must stand before {on_counts[0]!r}, which "
                "works on counts"
            )
    return traces, [*estimators, *on_counts]


def _check_mechanisms(mechanisms: Sequence[Any], rng: np.random.Generator) -> list[Any]:
    """Return the mechanisms as a list, or raise ValueError; check rng if there are any."""
    if not isinstance(mechanisms, Sequence) or isinstance(mechanisms, str):
        raise ValueError(
            f"mechanisms: {format_value(mechanisms)}; a list of mechanisms was expected"
        )
    for each in mechanisms:
        if isinstance(each, type) or not (hasattr(each, "apply") or hasattr(each, "apply_traces")):
            raise ValueError(
                f"{format_value(each)} is not a mechanism, such as Laplace(epsilon=1.0)"
            )
    if mechanisms:
        check_generator(rng)
    return list(mechanisms)


def _whole_numbers(name: str, values: Any) -> np.ndarray:
    """Return values as an array of numbers."""
    try:
        array = np.asarray(values)
    except ValueError:  # lists of several lengths
        array = np.empty(0, object)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name}: {format_value(values)}; whole numbers were expected")
    return array


def _check_counts(counts: np.ndarray, size: np.ndarray) -> None:
    """Raise ValueError for a count that is impossible in a group of this size."""
    whole_numbers = counts.dtype.kind != "f" or (counts == np.floor(counts)).all()
    if whole_numbers and (not counts.size or counts.min() >= 0) and (counts <= size).all():
        return
    wrong = ~((counts >= 0) & (counts <= size) & (counts == np.floor(counts)))  # NaN is wrong too
    where = tuple(int(i) for i in np.argwhere(wrong)[0])
    limit = np.broadcast_to(size, counts.shape)[where]
    raise ValueError(
        f"count {counts[where]} at {where}: a whole number from 0 to {limit}, the group's size"
    )

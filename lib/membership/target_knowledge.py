"""What an attacker knows of the target: the whole trace, part of it, or places without times.

Source: ZK, Sec. 6.3 and App. D.3.
"""

from __future__ import annotations

import numpy as np

from lib.validation import check_finite, check_integer, check_positions, format_value, validated


@validated
def partial_trace(trace: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Draw a random share of the visits of a trace.

    Parameters
    ----------
    trace : ndarray of {0, 1}, shape (n_rois, n_epochs)
        The target's visits.
    share : float in (0, 1]
        Share of the visits that the attacker knows, rounded up to whole visits.
    rng : numpy.random.Generator
        Source of randomness. The same state and a smaller share give a subset.

    Returns
    -------
    ndarray of {0, 1}, shape (n_rois, n_epochs)
        The visits that the attacker knows.

    Raises
    ------
    ValueError
        If the share is outside (0, 1] or the trace has no visits.

    References
    ----------
    ZK, Sec. 6.3.
    """
    visits = target_cells(trace)
    if not 0 < share <= 1:
        raise ValueError(f"share is {share}; a number above 0 and up to 1 was expected")
    n_known = int(np.ceil(share * len(visits) - 1e-9))  # 0.07 * 100 is 7.000000000000001
    known = np.zeros(trace.size, trace.dtype)
    known[rng.permutation(visits)[:n_known]] = 1
    return known.reshape(trace.shape)


@validated
def top_places(trace: np.ndarray, k: int | None = None) -> np.ndarray:
    """Return the most visited ROIs of a trace.

    Parameters
    ----------
    trace : ndarray of {0, 1}, shape (n_rois, n_epochs)
        The target's visits.
    k : int, optional
        Number of ROIs; by default all visited ROIs. Fewer are returned if fewer were visited.

    Returns
    -------
    ndarray of int
        Positions of ROIs, the most visited first. Ties go to the earlier ROI.

    References
    ----------
    ZK, App. D.3.
    """
    target_cells(trace)
    visits = trace.sum(axis=1)
    order = np.argsort(-visits, kind="stable")[: np.count_nonzero(visits)]
    return order if k is None else order[:k]


@validated
def greedy_trace(places: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Mark every epoch at every known ROI as visited.

    The result holds all of the target's visits to these ROIs and many that never happened.

    Parameters
    ----------
    places : ndarray of int
        Positions of the known ROIs.
    shape : tuple of int
        (n_rois, n_epochs).

    Returns
    -------
    ndarray of {0, 1}, shape (n_rois, n_epochs)
        The guessed trace.

    References
    ----------
    ZK, App. D.3.
    """
    trace = np.zeros([check_integer("shape", n, 1) for n in shape], np.int32)
    trace[check_positions("places", places, len(trace))] = 1
    return trace


@validated
def random_trace(
    places: np.ndarray, mean_visits: float, time: np.ndarray, n_rois: int, rng: np.random.Generator
) -> np.ndarray:
    """Guess the epochs of visits to known ROIs from the time marginal.

    Parameters
    ----------
    places : ndarray of int
        Positions of the known ROIs.
    mean_visits : float
        Visits to guess, spread evenly over the ROIs and rounded up; repeated visits collapse.
    time : ndarray of float, shape (n_epochs,)
        The time marginal: probabilities that sum to 1.
    n_rois : int
        Number of ROIs in the data.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of {0, 1}, shape (n_rois, n_epochs)
        The guessed trace.

    References
    ----------
    ZK, App. D.3.
    """
    places, time = check_positions("places", places, n_rois), check_finite("time", time, 0)
    if time.ndim != 1 or not abs(time.sum() - 1) < 1e-8:
        raise ValueError(f"time is {format_value(time)}; probabilities that sum to 1 were expected")
    if not len(places) or not 0 <= mean_visits <= n_rois * len(time):
        raise ValueError(
            f"{mean_visits:g} visits at {len(places)} places; at least one place and from 0 to "
            f"{n_rois * len(time)} visits (the number of cells) were expected"
        )
    trace = np.zeros((n_rois, len(time)), np.int32)
    n_each = int(np.ceil(mean_visits / len(places)))
    for place in places:
        trace[place, rng.choice(len(time), n_each, p=time)] = 1
    return trace


def target_cells(trace: np.ndarray) -> np.ndarray:
    """Return the cells that a trace visits.

    Parameters
    ----------
    trace : array_like of {0, 1}, shape (n_rois, n_epochs)
        The target's visits.

    Returns
    -------
    ndarray of int
        Increasing cells: cell = roi * n_epochs + epoch.

    Raises
    ------
    ValueError
        If the trace has another shape or other values, or holds no visit.
    """
    trace = np.asarray(trace)
    if trace.ndim != 2 or not np.isin(trace, (0, 1)).all():
        raise ValueError(f"trace of shape {trace.shape}: 0 or 1 in (n_rois, n_epochs) was expected")
    visits = np.flatnonzero(trace)
    if not len(visits):
        raise ValueError("the target has no visits: counts are the same with and without them")
    return visits

"""The mobility model from which ZK samples synthetic traces.

A synthetic user has an origin, drawn from the space marginal, and a connected subgraph of ROIs
around it in the Delaunay triangulation. The number of visits is drawn from the activity marginal;
each visit is to a ROI of the subgraph (by the space marginal) in an epoch drawn from the time
marginal.

Source: ZK, Sec. 4.2 and Alg. 1, after Farzanehfar et al.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.spatial import ConvexHull

from lib.traces import Report, Traces
from lib.validation import (
    MAX_CELLS,
    check_generator,
    check_integer,
    check_numbers,
    check_positions,
    format_value,
)

SUBGRAPH_SIZE = 10  # ROIs, ZK's Alg. 1
_TIE = 1e-9  # of the squared extent: how far heights move, to choose among equal triangulations
_FLAT = 1e-6  # a triangle whose circumcircle is 1/_FLAT extents wide is three points on a line


class Distribution(Protocol):
    """A frozen distribution of `scipy.stats`, such as `stats.expon(scale=120)`."""

    def rvs(self, size: int, random_state: np.random.Generator) -> Any:
        """Draw random numbers.

        Parameters
        ----------
        size : int
            How many.
        random_state : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of float, shape (size,)
            Non-negative numbers.
        """
        ...


def triangulate(coordinates: pd.DataFrame | np.ndarray) -> sparse.csr_array:
    """Find which ROIs are neighbours in the Delaunay triangulation of their positions.

    Where four points lie on one circle, as in any regular grid, there are several Delaunay
    triangulations. One is chosen by moving the points' heights on the paraboloid by a fixed tiny
    amount, never their positions: joggled positions (Qhull's QJ) make far corners of a grid
    neighbours, along borders that are no longer straight. ROIs at one position are neighbours, and
    share their other neighbours. Degrees are taken as plane coordinates, as in ZK, Sec. 4.2.

    Parameters
    ----------
    coordinates : DataFrame with columns lat and lon, or array_like, shape (n_rois, 2)
        Latitude and longitude in degrees.

    Returns
    -------
    csr_array of bool, shape (n_rois, n_rois)
        Symmetric adjacency matrix with an empty diagonal.

    Raises
    ------
    ValueError
        If there are fewer than four distinct positions, all lie on a line, or one is not finite.
    """
    positions, member = np.unique(_points(coordinates), axis=0, return_inverse=True)
    if len(positions) < 4:
        raise ValueError(f"{len(positions)} distinct ROI positions; a triangulation asks for four")
    centred = positions - positions.mean(axis=0)
    spread = np.linalg.svd(centred, compute_uv=False)
    if spread[1] < _FLAT * spread[0]:
        raise ValueError(f"all {len(member)} ROIs lie on one line: no triangle joins them")
    first, second = _delaunay_edges(centred / np.abs(centred).max())

    n = len(positions)
    ones = np.ones(len(first) + n, bool)
    everyone = np.arange(n)
    edges = (np.concatenate([first, everyone]), np.concatenate([second, everyone]))
    beside = sparse.csr_array((ones, edges), shape=(n, n))
    at = sparse.csr_array(
        (np.ones(len(member), bool), (np.arange(len(member)), member)), shape=(len(member), n)
    )
    neighbours = sparse.csr_array(at @ (beside + beside.T) @ at.T)
    neighbours.setdiag(False)
    neighbours.eliminate_zeros()
    neighbours.sort_indices()
    return neighbours


def grow_subgraphs(
    origins: np.ndarray,
    neighbours: sparse.csr_array,
    rng: np.random.Generator,
    size: int = SUBGRAPH_SIZE,
) -> np.ndarray:
    """Grow a connected set of ROIs around each origin, one random neighbour of the set at a time.

    Each ROI that borders on the set is equally likely to join (ZK leaves the growth to its
    reference). All sets grow simultaneously.

    Parameters
    ----------
    origins : array_like of int, shape (n,)
        ROI positions.
    neighbours : csr_array, shape (n_rois, n_rois)
        Adjacency matrix, as `triangulate` returns it.
    rng : numpy.random.Generator
        Source of randomness.
    size : int
        ROIs in a set, at least 1.

    Returns
    -------
    ndarray of int, shape (n, size)
        ROI positions in the order they joined, the origin first; -1 where the connected component
        of the origin has fewer than `size` ROIs.

    Raises
    ------
    ValueError
        If size is below 1, or an origin does not exist.

    References
    ----------
    ZK, Alg. 1.
    """
    check_generator(rng)
    if check_integer("size", size) < 1:
        raise ValueError(f"size is {size}; a subgraph has at least 1 ROI")
    table = _padded(neighbours)
    origins = check_positions("origins", origins, neighbours.shape[0])
    if len(origins) * size >= MAX_CELLS:
        raise ValueError(
            f"size is {format_value(size)}; {len(origins)} subgraphs hold fewer than 2^31"
        )
    n, row = len(origins), np.arange(len(origins))
    grown = np.full((n, size), -1, np.int64)
    grown[:, 0] = origins
    seen = np.zeros((n, neighbours.shape[0] + 1), bool)  # the last column takes the padding
    seen[row, origins] = True
    seen[:, -1] = True
    border = np.empty((n, min(size * table.shape[1], neighbours.shape[0]) + 1), np.int64)
    length = np.zeros(n, np.int64)

    newest = np.asarray(origins)
    for step in range(1, size):
        for beside in table[newest].T:
            unseen = ~seen[row, beside]
            seen[row, beside] = True
            border[row, length] = beside  # overwritten by the next if already seen
            length += unseen
        drawn = (rng.random(n) * length).astype(np.int64)
        newest = np.where(length > 0, border[row, drawn], -1)
        grown[:, step] = newest
        length -= length > 0
        border[row, drawn] = border[row, length]
    return grown


def synthesize(
    space: np.ndarray,
    time: np.ndarray,
    activity: Distribution | np.ndarray,
    coordinates: pd.DataFrame | np.ndarray,
    n_traces: int,
    rng: np.random.Generator,
    *,
    subgraph_size: int = SUBGRAPH_SIZE,
    epochs: pd.DatetimeIndex | None = None,
    neighbours: sparse.csr_array | None = None,
) -> Traces:
    """Sample synthetic traces from the marginals of space, time and activity.

    Visits are drawn with replacement and a trace is binary, so that repeats collapse:
    `.report.duplicates` counts them, `.report.read` the visits that were drawn.

    Parameters
    ----------
    space : array_like, shape (n_rois,)
        Probability of each ROI; scaled to sum to 1.
    time : array_like, shape (n_epochs,)
        Probability of each epoch; scaled to sum to 1.
    activity : Distribution or array_like, shape (n_traces,)
        Distribution of the number of visits, for instance `scipy.stats.expon(scale=mean)`, or the
        numbers themselves. Rounded to whole visits and cut at n_rois * n_epochs; 0 leaves an empty
        trace (dropping it would raise the mean).
    coordinates : DataFrame or array_like, shape (n_rois, 2)
        Latitude and longitude, for instance `Traces.rois`.
    n_traces : int
        Number of traces, at least 1.
    rng : numpy.random.Generator
        Source of randomness.
    subgraph_size : int
        ROIs that a synthetic user can visit.
    epochs : DatetimeIndex, optional
        The n_epochs time stamps; by default hours from 1970.
    neighbours : csr_array, optional
        Result of `triangulate(coordinates)`, to save computing it again.

    Returns
    -------
    Traces
        Synthetic traces of users 0 to n_traces - 1.

    Raises
    ------
    ValueError
        If marginals are not probabilities or sizes disagree, and as `triangulate`.

    References
    ----------
    ZK, Alg. 1.
    """
    check_generator(rng)
    space, time = _cdf("space", space), _cdf("time", time)
    rois = _rois(coordinates)
    if neighbours is None:
        neighbours = triangulate(coordinates)
    if not len(rois) == neighbours.shape[0] == len(space):
        raise ValueError(
            f"{len(rois)} ROIs with coordinates, {neighbours.shape[0]} in the triangulation, "
            f"{len(space)} in the space marginal: these must be the same"
        )
    if epochs is None:
        epochs = pd.date_range("1970", periods=len(time), freq="1h", tz="UTC", name="epoch")
    n_visits = _n_visits(activity, n_traces, len(space) * len(time), rng)

    origins = np.searchsorted(space, rng.random(n_traces), side="right")
    patches = grow_subgraphs(origins, neighbours, rng, subgraph_size)
    trace = np.repeat(np.arange(n_traces), n_visits)
    roi = _draw_places(np.diff(space, prepend=0.0), patches, trace, rng)
    epoch = _draw_epochs(np.diff(time, prepend=0.0), len(trace), rng)
    traces = Traces.from_codes(trace, roi, epoch, pd.RangeIndex(n_traces), rois, epochs)
    drawn = len(trace)
    traces.report = Report(read=drawn, kept=drawn, duplicates=drawn - traces.matrix.nnz)
    return traces


# -- inside --------------------------------------------------------------------------------------


def _points(coordinates: pd.DataFrame | np.ndarray) -> np.ndarray:
    if isinstance(coordinates, pd.DataFrame):
        if not {"lat", "lon"} <= set(coordinates.columns):
            raise ValueError("coordinates: a DataFrame with columns lat and lon was expected")
        coordinates = coordinates[["lat", "lon"]].to_numpy()
    points = check_numbers("coordinates", coordinates)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"coordinates are {points.shape}; (n_rois, 2) was expected")
    wrong = ~np.isfinite(points).all(axis=1)
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"ROI {first} is at {points[first]}; it needs a latitude and a longitude")
    return points


def _delaunay_edges(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The edges of the lower hull of the points raised onto a paraboloid; points within [-1, 1]."""
    height = (points**2).sum(axis=1)
    height += _TIE * np.random.default_rng(0).random(len(points))
    above = [[0.0, 0.0, 10.0]]  # a point over all others, so that the hull is never flat
    hull = ConvexHull(np.concatenate([np.column_stack([points, height]), above]))
    lower = (hull.simplices < len(points)).all(axis=1) & (hull.equations[:, 2] < -_FLAT)
    a, b, c = hull.simplices[lower].T
    return np.concatenate([a, b, c]), np.concatenate([b, c, a])


def _padded(neighbours: sparse.csr_array) -> np.ndarray:
    """The neighbours of each ROI, (n_rois + 1, largest degree), padded with n_rois.

    The last row has no neighbours at all: index -1 (no ROI) selects it.
    """
    if not sparse.issparse(neighbours) or neighbours.format != "csr":
        raise ValueError(f"neighbours: {format_value(neighbours)}; what triangulate() returns")
    n = neighbours.shape[0]
    degree = np.diff(neighbours.indptr)
    table = np.full((n + 1, max(degree.max(), 1)), n, np.int64)
    table[:n][np.arange(table.shape[1]) < degree[:, None]] = neighbours.indices
    return table


def _rois(coordinates: pd.DataFrame | np.ndarray) -> pd.DataFrame:
    if isinstance(coordinates, pd.DataFrame):
        _points(coordinates)
        return coordinates[["lat", "lon"]]
    points = _points(coordinates)
    index = pd.RangeIndex(len(points), name="roi")
    return pd.DataFrame(points, index, columns=["lat", "lon"])


def _cdf(name: str, marginal: np.ndarray) -> np.ndarray:
    marginal = check_numbers(f"{name} marginal", marginal)
    wrong = ~((marginal >= 0) & np.isfinite(marginal))
    if marginal.ndim != 1 or wrong.any():
        what = f"entry {marginal[wrong][0]}" if wrong.any() else f"shape {marginal.shape}"
        raise ValueError(f"{name} marginal: {what}; a row of finite numbers from 0 was expected")
    if not marginal.sum() > 0:
        raise ValueError(f"{name} marginal: all {len(marginal)} entries are 0")
    cdf = np.cumsum(marginal)
    cdf /= cdf[-1]
    cdf[np.flatnonzero(marginal)[-1] :] = 1.0
    return cdf


def _n_visits(
    activity: Distribution | np.ndarray, n_traces: int, most: int, rng: np.random.Generator
) -> np.ndarray:
    check_integer("n_traces", n_traces, 1)
    if hasattr(activity, "rvs"):
        activity = activity.rvs(size=n_traces, random_state=rng)
    visits = check_numbers("activity", activity)
    if visits.shape != (n_traces,):
        raise ValueError(f"activity has shape {visits.shape}; one number a trace: ({n_traces},)")
    wrong = ~((visits >= 0) & np.isfinite(visits))
    if wrong.any():
        raise ValueError(f"activity: {visits[wrong][0]} visits; a finite number from 0")
    return np.rint(np.minimum(visits, most)).astype(np.int64)


def _draw_epochs(time: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """n independent epochs: multinomial counts in random order."""
    epochs = np.repeat(np.arange(len(time), dtype=np.int32), rng.multinomial(n, time))
    rng.shuffle(epochs)
    return epochs


def _draw_places(
    space: np.ndarray, patches: np.ndarray, trace: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """A ROI for each visit, from its trace's patch by the space marginal.

    One search serves all traces: trace i's cumulative distribution lies between i and i + 1.
    """
    weight = np.where(patches >= 0, space[patches], 0.0)
    cdf = np.cumsum(weight, axis=1)
    total = cdf[:, -1:]
    last = weight.shape[1] - 1 - np.argmax(weight[:, ::-1] > 0, axis=1)
    cdf /= total
    cdf[np.arange(cdf.shape[1]) >= last[:, None]] = 1.0
    offset = np.arange(len(patches))[:, None]
    draw = trace + rng.random(len(trace))
    position = np.searchsorted((cdf + offset).ravel(), draw, side="right")
    # rounding at large offsets can push a draw into the next trace: back to this one's last place
    position = np.minimum(position, trace * patches.shape[1] + last[trace])
    return patches.ravel()[position]

"""The mobility model: any set of ROIs, connected patches, traces distributed as the listing's."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.sparse.csgraph import connected_components
from scipy.spatial import Delaunay

from lib.datasets import mobility
from lib.traces import Grid
from tests.reference import zero_knowledge as reference

LEAST_P = 1e-3  # seeds are fixed: a right sampler fails once in a thousand seeds, not at random
GRID = Grid(45.40, 45.54, 9.08, 9.29, 10, 10).rois()


def sets(neighbours):
    return [set(row) for row in np.split(neighbours.indices, neighbours.indptr[1:-1])]


def scattered(n, seed=0):
    return np.random.default_rng(seed).random((n, 2))


# -- triangulation -------------------------------------------------------------------------------


def test_scattered_rois_have_the_neighbours_that_qhull_gives_them():
    points = scattered(300)
    indptr, indices = Delaunay(points).vertex_neighbor_vertices
    expected = [set(indices[a:b]) for a, b in pairwise(indptr)]
    assert sets(mobility.triangulate(points)) == expected


@pytest.mark.parametrize("shape", [(2, 2), (3, 7), (10, 10)])
def test_in_a_grid_only_cells_that_touch_are_neighbours(shape):
    n_rows, n_columns = shape
    neighbours = mobility.triangulate(Grid(45.4, 45.5, 9.1, 9.3, *shape).rois())
    a, b = neighbours.nonzero()
    apart = np.abs(np.subtract(np.divmod(a, n_columns), np.divmod(b, n_columns)))
    assert apart.max() == 1
    sides = n_rows * (n_columns - 1) + n_columns * (n_rows - 1)
    diagonals = (n_rows - 1) * (n_columns - 1)
    assert neighbours.nnz == 2 * (sides + diagonals)


def test_the_diagonal_of_a_square_follows_the_fixed_heights_not_the_build():
    neighbours = mobility.triangulate(GRID).toarray()
    height = np.random.default_rng(0).random(100)
    for corner in (row * 10 + column for row in range(9) for column in range(9)):
        first, second = (corner, corner + 11), (corner + 1, corner + 10)
        lower, upper = sorted((first, second), key=lambda pair: height[list(pair)].sum())
        assert neighbours[lower] and not neighbours[upper]


@pytest.mark.parametrize("degrees", range(1, 45, 4))
def test_a_turned_grid_whose_borders_are_straight_only_up_to_rounding(degrees):
    turn = np.exp(1j * np.radians(degrees))
    row, column = np.divmod(np.arange(100), 10)
    turned = turn * (row + 1j * column) + (45.4 + 9.1j)
    points = np.column_stack([turned.real, turned.imag])
    a, b = mobility.triangulate(points).nonzero()
    assert np.abs(turned[a] - turned[b]).max() < 1.5  # a diagonal is 1.41


def test_joggled_positions_would_join_far_corners_of_a_grid():
    """Why positions are left alone: what Qhull's QJ does instead."""
    edges = Delaunay(np.indices((10, 10)).reshape(2, -1).T, qhull_options="QJ").simplices
    row, column = np.divmod(edges, 10)
    assert max(np.ptp(row, axis=1).max(), np.ptp(column, axis=1).max()) > 3


@given(st.integers(0, 10_000), st.integers(4, 40), st.booleans())
@settings(max_examples=40, deadline=None)
def test_any_positions_give_one_connected_planar_graph(seed, n, lattice):
    points = np.random.default_rng(seed).random((n, 2))
    points = np.floor(points * 4) if lattice else points  # many on circles, lines, or one another
    distinct = np.unique(points, axis=0)
    if len(distinct) < 4 or np.linalg.matrix_rank(distinct - distinct[0]) < 2:
        return
    neighbours = mobility.triangulate(points)
    assert (neighbours != neighbours.T).nnz == 0 and not neighbours.diagonal().any()
    assert connected_components(neighbours, directed=False)[0] == 1
    if len(distinct) == n:
        assert neighbours.nnz // 2 <= 3 * n - 6
    again = mobility.triangulate(points)
    assert (neighbours != again).nnz == 0


def test_rois_at_one_position_are_neighbours_and_share_the_others():
    points = np.concatenate([scattered(20), scattered(20)[[3]]])
    beside = sets(mobility.triangulate(points))
    assert 20 in beside[3]
    assert beside[3] - {20} == beside[20] - {3}


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (scattered(3), "3 distinct ROI positions; a triangulation asks for four"),
        (scattered(3)[[0, 1, 2, 0]], "3 distinct"),
        (np.outer(np.arange(6), [0.1, 0.3]) + np.array([45, 9]), "all 6 ROIs lie on one line"),
        (np.array([[0, 0], [1, np.nan], [2, 0], [0, 1]]), "ROI 1 is at"),
        (np.zeros((5, 3)), r"\(5, 3\)"),
    ],
)
def test_positions_without_a_triangulation_are_refused(points, message):
    with pytest.raises(ValueError, match=message):
        mobility.triangulate(points)


# -- patches -------------------------------------------------------------------------------------


def test_each_patch_is_as_likely_as_growing_by_a_uniform_neighbour_makes_it():
    neighbours = mobility.triangulate(scattered(9))
    expected = reference.probability_of_subgraphs(4, sets(neighbours), 4)
    n = 20_000
    patches = mobility.grow_subgraphs(np.full(n, 4), neighbours, np.random.default_rng(1), 4)
    found = dict.fromkeys(expected, 0)
    for patch in patches:
        found[frozenset(patch)] += 1
    chances = n * np.array(list(expected.values()))
    assert chances.sum() == pytest.approx(n)
    assert stats.chisquare(list(found.values()), chances).pvalue > LEAST_P


def test_patches_are_connected_distinct_and_begin_at_the_origin():
    neighbours = mobility.triangulate(GRID)
    origins = np.random.default_rng(0).integers(0, 100, 200)
    patches = mobility.grow_subgraphs(origins, neighbours, np.random.default_rng(1))
    assert patches.shape == (200, mobility.SUBGRAPH_SIZE)
    assert (patches[:, 0] == origins).all()
    for patch in patches:
        assert len(set(patch)) == len(patch)
        inside = neighbours[patch][:, patch]
        assert connected_components(inside, directed=False)[0] == 1


def test_fewer_rois_than_a_patch_has_are_all_taken():
    neighbours = mobility.triangulate(scattered(6))
    patches = mobility.grow_subgraphs(np.arange(6), neighbours, np.random.default_rng(0))
    assert (np.sort(patches, axis=1) == [-1] * 4 + list(range(6))).all()
    with pytest.raises(ValueError, match="size is 0"):
        mobility.grow_subgraphs(np.arange(6), neighbours, np.random.default_rng(0), 0)


# -- traces --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def both():
    """The same model sampled by the library and by the listing: visits as (trace, roi, epoch)."""
    rng = np.random.default_rng(0)
    points, n, n_visits = scattered(12), 4000, 6
    space, time = rng.dirichlet(np.ones(12)), rng.dirichlet(np.ones(5))
    traces = mobility.synthesize(
        space, time, np.full(n, n_visits), points, n, np.random.default_rng(1), subgraph_size=4
    )
    user, cell = traces.matrix.nonzero()
    neighbours = sets(mobility.triangulate(points))
    loops = [reference.synthetic_trace(space, time, n_visits, neighbours, 4, rng) for _ in range(n)]
    listed = np.array([(u, s, t) for u, trace in enumerate(loops) for s, t in trace])
    return n, np.column_stack([user, *np.divmod(cell, 5)]), listed


def same_distribution(first, second):
    n = max(first.max(), second.max()) + 1
    table = np.array([np.bincount(values, minlength=n) for values in (first, second)])
    return stats.chi2_contingency(table[:, table.sum(axis=0) > 10]).pvalue > LEAST_P


def test_traces_are_distributed_as_the_listing_s(both):
    n, here, listed = both
    assert same_distribution(here[:, 1] * 5 + here[:, 2], listed[:, 1] * 5 + listed[:, 2])
    for values in (lambda v: v[:, 0], lambda v: np.unique(v[:, 0] * 12 + v[:, 1]) // 12):
        per_trace = [np.bincount(values(v), minlength=n) for v in (here, listed)]
        assert same_distribution(*per_trace)  # visits, then distinct ROIs, a trace
    pairs = []
    for visits in (here, listed):  # which two ROIs a trace holds: the patches
        held = np.zeros((n, 12), bool)
        held[visits[:, 0], visits[:, 1]] = True
        pairs.append(np.repeat(np.arange(144), (held.T.astype(int) @ held).ravel()))
    assert same_distribution(*pairs)


def test_activity_sets_the_number_of_visits_and_repeats_are_reported():
    rng = np.random.default_rng(0)
    space, time = np.ones(100), np.ones(168)
    traces = mobility.synthesize(space, time, stats.expon(scale=20), GRID, 3000, rng)
    drawn = traces.report.read
    assert drawn / 3000 == pytest.approx(20, rel=0.05)
    assert drawn == traces.matrix.nnz + traces.report.duplicates
    empty = (traces.visits() == 0).mean()
    assert empty == pytest.approx(1 - np.exp(-0.5 / 20), rel=0.3)  # kept, so that the mean is right
    assert list(traces.rois.index) == list(GRID.index)


def test_a_cell_without_probability_is_never_visited():
    rng = np.random.default_rng(0)
    space, time = rng.random(100) * (rng.random(100) < 0.5), rng.random(24) * (np.arange(24) > 6)
    traces = mobility.synthesize(space, time, np.full(500, 100), GRID, 500, rng)
    assert not traces.epochs_per_roi()[:, space == 0].any()
    assert not traces.rois_per_epoch()[:, time == 0].any()


def test_a_place_of_its_own_and_a_single_trace_work():
    rng = np.random.default_rng(0)
    one = np.zeros(100)
    one[7] = 1
    epochs = pd.date_range("2013-11-01", periods=3, freq="1h", tz="UTC", name="epoch")
    traces = mobility.synthesize(one, np.ones(3), np.array([1e9]), GRID, 1, rng, epochs=epochs)
    assert traces.visits().tolist() == [3] and traces.epochs_per_roi()[0, 7] == 3
    assert traces.epochs.equals(epochs)


@pytest.mark.parametrize("junk", [None, "text", {}, 1j, object(), [None, "a"]])
@pytest.mark.parametrize(
    "which", ["space", "time", "activity", "coordinates", "n_traces", "rng", "subgraph_size"]
)
def test_what_makes_no_sense_is_a_value_error(which, junk):
    right = {
        "space": np.ones(100),
        "time": np.ones(2),
        "activity": np.ones(2),
        "coordinates": GRID,
        "n_traces": 2,
        "rng": np.random.default_rng(0),
    }
    with pytest.raises(ValueError, match=r"."):
        mobility.synthesize(**(right | {which: junk}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"space": np.full(100, -1.0)}, "space marginal: entry -1"),
        ({"space": np.zeros(100)}, "space marginal: all 100 entries are 0"),
        ({"time": np.array([1, np.nan])}, "time marginal: entry nan"),
        ({"space": np.ones(99)}, "100 ROIs with coordinates.*99 in the space marginal"),
        ({"activity": np.array([1.0, np.inf])}, "activity: inf visits"),
        ({"activity": np.ones(3)}, r"activity has shape \(3,\)"),
        ({"n_traces": 0}, "n_traces is 0"),
        ({"coordinates": GRID.iloc[:3]}, "3 distinct ROI positions"),
    ],
)
def test_bad_input_is_refused(change, message):
    right = {
        "space": np.ones(100),
        "time": np.ones(2),
        "activity": np.ones(2),
        "coordinates": GRID,
        "n_traces": 2,
    }
    with pytest.raises(ValueError, match=message):
        mobility.synthesize(**(right | change), rng=np.random.default_rng(0))

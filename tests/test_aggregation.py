import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib import aggregation
from lib.aggregation import (
    aggregate,
    aggregate_blocks,
    aggregate_cells,
    sample_groups,
    sample_member_groups,
    split_pools,
)
from lib.datasets import load
from lib.traces import Traces
from tests.reference import counting

SIX = load("six-users")
MATRICES = [SIX.trace(user) for user in SIX.users]
GROUP = st.lists(st.integers(0, 5), unique=True, max_size=6)


@settings(max_examples=50, deadline=None)
@given(st.lists(GROUP, min_size=1, max_size=5))
def test_aggregate_equals_the_reference(groups):
    counts = aggregate(SIX, groups)
    assert np.issubdtype(counts.dtype, np.integer)
    assert counts.shape == (len(groups), 4, 8)
    for each, group in zip(counts, groups, strict=True):
        assert np.array_equal(each, counting.aggregate(MATRICES, group))
    cells = np.array([3, 0, 31, 17])
    assert np.array_equal(aggregate_cells(SIX, groups, cells), counts.reshape(-1, 32)[:, cells])


def population(n_users, n_visits, seed=0):
    """Users at random over 5 ROIs and 7 epochs."""
    rng = np.random.default_rng(seed)
    user, roi, epoch = (rng.integers(0, n, n_visits) for n in (n_users, 5, 7))
    rois = pd.DataFrame({"lat": 0.0, "lon": 0.0}, index=range(5))
    hours = pd.date_range("2013-03-04", periods=7, freq="1h", tz="UTC")
    return Traces.from_codes(user, roi, epoch, range(n_users), rois, hours)


WAYS = {  # how groups are counted: what the limits are, how many groups of how many users
    "most of the population": ({}, 20, 50),
    "a few of many users": ({}, 3, 5),
    "more groups of a few": ({}, 20, 1),
    "no view by cell": ({"most": 0}, 3, 50),
    "members in parts": ({"most": 0, "at_once": 10}, 3, 50),
    "members in parts, many groups": ({"most": 0, "at_once": 10}, 20, 50),
}


@pytest.mark.parametrize("way", WAYS)
def test_all_ways_to_count_agree(way, monkeypatch):
    limits, n_groups, size = WAYS[way]
    monkeypatch.setattr("lib.traces._MAX_BY_CELL", limits.get("most", 1 << 26))
    monkeypatch.setattr(aggregation, "_BATCH_VISITS", limits.get("at_once", 1 << 24))
    traces = population(60, 700)
    groups = sample_groups(np.arange(60), n_groups, size, np.random.default_rng(1))
    dense = traces.matrix.toarray()
    expected = np.stack([dense[group].sum(axis=0) for group in groups])
    counts = aggregate(traces, groups)
    assert np.array_equal(counts.reshape(n_groups, -1), expected)
    assert np.moveaxis(
        counts, 0, -1
    ).flags.c_contiguous  # the groups of a cell lie together, as always
    cells = np.array([34, 0, 7, 7])
    assert np.array_equal(aggregate_cells(traces, groups, cells), expected[:, cells])
    for n_cells in (1, 4, 35, 99):
        blocks = list(aggregate_blocks(traces, groups, n_cells))
        assert np.array_equal(np.concatenate([block for _, block in blocks], 1), expected)
        assert [cells.start for cells, _ in blocks] == list(range(0, 35, n_cells))


def test_one_group_of_many_users_costs_what_its_members_cost(monkeypatch):
    traces = population(100_000, 100_000)
    monkeypatch.setattr(Traces, "by_cell", property(lambda self: pytest.fail("everybody sorted")))
    rows = []
    monkeypatch.setattr(
        aggregation._Counter, "visits", _counting(aggregation._Counter.visits, rows)
    )
    aggregate(traces, [np.arange(50)])
    aggregate_cells(traces, [np.arange(50)], [3])
    list(aggregate_blocks(traces, [np.arange(50)]))
    assert len(rows) == 3
    assert max(rows) < 100 + 50


def _counting(rows, visits):
    def counted(self, part):
        found = rows(self, part)
        visits.append(found.nnz)
        return found

    return counted


def test_the_view_by_cell_is_not_sent_to_other_processes():
    traces = population(60, 700)
    assert (traces.matrix != traces.by_cell.T).nnz == 0
    assert traces.by_cell is traces.by_cell
    sent = pickle.loads(pickle.dumps(traces))
    assert "by_cell" in vars(traces)
    assert "by_cell" not in vars(sent)
    assert (sent.by_cell != traces.by_cell).nnz == 0


def test_counts_do_not_wrap_in_large_groups():
    many = SIX.select()
    matrix = np.ones((70_000, 1), int)
    big = type(many)(matrix, range(70_000), many.rois.iloc[:1], many.epochs[:1])
    assert aggregate(big, [np.arange(70_000)]).item() == 70_000
    for size, dtype in ((32_767, np.int16), (32_768, np.int32)):
        counts = aggregate(big, [np.arange(size)])
        assert counts.dtype == dtype
        assert counts.item() == size


def test_counts_are_of_the_type_asked_for_if_it_holds_them():
    for dtype in (np.int16, np.int32, "int64"):
        assert aggregate(SIX, [[0, 1]], dtype).dtype == dtype
        assert aggregate_cells(SIX, [[0, 1]], [3], dtype).dtype == dtype
    with pytest.raises(ValueError, match=r"dtype is 'int16'.*enough for 32768"):
        aggregate(population(1 << 15, 10), [range(1 << 15)], "int16")
    for junk in (float, "text", bool, object(), np.int8):
        with pytest.raises(ValueError, match="dtype is"):
            aggregate(SIX, [[0]], junk)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([[0, 1], [2, 2]], "group 1: the user at position 2 .* more than once"),
        ([[0, 6]], "group 0: no user at position 6; there are 6"),
        ([[-1]], "no user at position -1"),
        ([[0.5]], "integers"),
        ([[0], [True]], "group 1: .*integers"),
        ([[5, 4], [0, 0, 3], [1, 1]], "group 1: the user at position 0 .* more than once"),
    ],
)
def test_bad_groups_are_named(groups, message):
    with pytest.raises(ValueError, match=message):
        aggregate(SIX, groups)


@pytest.mark.parametrize("cell", [32, -1, np.nan, 0.5, np.inf, 1j, "0", None, [[0]]])
def test_an_unknown_cell_is_named(cell):
    with pytest.raises(ValueError, match="cells"):  # NaN once ended the process
        aggregate_cells(SIX, [[0]], np.array([cell]))
    with pytest.raises(ValueError, match="cells"):
        aggregate_cells(SIX, [[0]], cell)
    assert aggregate_cells(SIX, [[0]], []).shape == (1, 0)


@pytest.mark.parametrize("junk", [None, "text", 1.5, [None], [0.5], {}, 1j, True])
def test_what_makes_no_sense_is_a_value_error(junk):
    rng, pool = np.random.default_rng(0), np.arange(9)
    for call in (
        lambda: aggregate(SIX, junk),
        lambda: aggregate(SIX, [junk]),
        lambda: list(aggregate_blocks(SIX, junk)),
        lambda: list(aggregate_blocks(SIX, [[0]], junk)),
        lambda: split_pools(junk, [1], rng),
        lambda: split_pools(pool, junk, rng),
        lambda: split_pools(pool, [2], junk),
        lambda: sample_groups(junk, 2, 1, rng),
        lambda: sample_groups(pool, junk, 1, rng),
        lambda: sample_groups(pool, 2, junk, rng),
        lambda: sample_groups(pool, 2, 1, junk),
        lambda: sample_member_groups(pool, junk, 2, 2, rng),
        lambda: sample_member_groups(pool, 0, junk, 2, rng),
    ):
        with pytest.raises(ValueError, match=r"."):
            call()


def test_a_pool_holds_nobody_twice():
    with pytest.raises(ValueError, match="more than once"):
        sample_groups([1, 1, 2], 2, 2, np.random.default_rng(0))


def test_pools_are_disjoint_and_of_the_sizes_asked():
    pools = split_pools(np.arange(20, 40), [5, 8, 0], np.random.default_rng(0))
    assert [len(pool) for pool in pools] == [5, 8, 0]
    together = np.concatenate(pools)
    assert len(set(together)) == 13
    assert together.min() >= 20
    with pytest.raises(ValueError, match="cannot be cut from 20"):
        split_pools(np.arange(20), [15, 6], np.random.default_rng(0))


def test_member_groups_are_half_and_half_and_paired_ones_differ_in_one_user():
    rng = np.random.default_rng(0)
    for paired in (False, True):
        groups, members = sample_member_groups(np.arange(30), 7, 10, 6, rng, paired)
        assert members.tolist() == [1] * 5 + [0] * 5
        assert all((7 in group) == bool(m) for group, m in zip(groups, members, strict=True))
        assert all(len(set(group)) == 6 for group in groups)
        shared = [len(set(a) & set(b)) for a, b in zip(groups[:5], groups[5:], strict=True)]
        assert (shared == [5] * 5) is paired


def test_every_user_is_drawn_equally_often():
    groups = sample_groups(np.arange(10), 4000, 3, np.random.default_rng(3))
    counts = np.bincount(groups.ravel(), minlength=10)
    five_sigma = 5 * np.sqrt(4000 * 0.3 * 0.7)
    assert np.abs(counts - 1200).max() < five_sigma


def test_impossible_groups_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="group_size is 7; the pool allows 1 to 6"):
        sample_groups(np.arange(6), 2, 7, rng)
    with pytest.raises(ValueError, match="group_size is 6; the pool allows 1 to 5"):
        sample_member_groups(np.arange(6), 0, 2, 6, rng)
    with pytest.raises(ValueError, match="n_groups is 3; an even"):
        sample_member_groups(np.arange(6), 0, 3, 2, rng)

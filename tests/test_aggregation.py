import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.aggregation import (
    aggregate,
    aggregate_cells,
    sample_groups,
    sample_member_groups,
    split_pools,
)
from lib.datasets import load
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


def test_counts_do_not_wrap_in_large_groups():
    many = SIX.select()
    matrix = np.ones((70_000, 1), int)
    big = type(many)(matrix, range(70_000), many.rois.iloc[:1], many.epochs[:1])
    assert aggregate(big, [np.arange(70_000)]).item() == 70_000


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([[0, 1], [2, 2]], "group 1: the user at position 2 .* more than once"),
        ([[0, 6]], "group 0: no user at position 6; there are 6"),
        ([[-1]], "no user at position -1"),
        ([[0.5]], "integers"),
    ],
)
def test_bad_groups_are_named(groups, message):
    with pytest.raises(ValueError, match=message):
        aggregate(SIX, groups)


def test_an_unknown_cell_is_named():
    with pytest.raises(ValueError, match="no cell 32"):
        aggregate_cells(SIX, [[0]], np.array([32]))


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

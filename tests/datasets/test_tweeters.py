"""Synthetic tweeters meet the little that the threshold paper publishes about Milan."""

import numpy as np
import pandas as pd
import pytest

from lib.datasets import available, load, tweeters

NAME = "tweeters-threshold"
WEEKLY = 4840 / 15_793  # ZK's users of the first week among the threshold paper's
TOLERANCE = 0.03


@pytest.fixture(scope="module")
def milan():
    return load(NAME)


def test_sizes_are_the_papers(milan):
    assert (milan.n_users, milan.n_rois, milan.n_epochs) == (15_793, 96, 800)
    assert (milan.visits() > 0).all()
    assert milan.epochs[-1] == pd.Timestamp("2013-12-31 23:00", tz="UTC")


def test_enough_users_can_be_targets_with_140_cells(milan):
    assert (milan.rois_per_epoch() > 0).sum(axis=1).max() <= tweeters._MOST
    n_targets = ((milan.rois_per_epoch() > 0).sum(axis=1) >= 140).sum()
    assert 10 <= n_targets <= 100


def test_about_as_many_are_seen_in_a_week(milan):
    shares = [
        (milan.select(epochs=slice(first, first + 168)).visits() > 0).mean()
        for first in range(0, 800 - 168, 168)
    ]
    assert np.mean(shares) == pytest.approx(WEEKLY, abs=TOLERANCE)


def test_traces_have_exactly_the_numbers_drawn_for_them(milan):
    numbers = tweeters._numbers(tweeters.synthetic._lattice(15_793, 2024))
    np.testing.assert_array_equal(milan.visits(), numbers.visits)
    np.testing.assert_array_equal((milan.rois_per_epoch() > 0).sum(axis=1), numbers.active)
    assert milan.rois_per_epoch().max() == 2


def test_a_seed_repeats_and_a_user_does_not_depend_on_the_others():
    many, few, other = (
        load(NAME, n_users=200),
        load(NAME, n_users=129),
        load(NAME, n_users=200, seed=1),
    )
    assert (few.matrix != many.matrix[:129]).nnz == 0
    assert (other.matrix != many.matrix).nnz


@pytest.mark.parametrize(("option", "value"), [("n_users", 0), ("n_users", 2.5), ("seed", -1)])
def test_bad_input_is_named(option, value):
    with pytest.raises(ValueError, match=f"{option} is {value!r}; a whole number"):
        load(NAME, **{option: value})


def test_listed_as_a_surrogate():
    row = available().loc[NAME]
    assert row["source"].startswith("synthetic surrogate") and row["users"].startswith("synthetic")

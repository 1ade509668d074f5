"""Sampled tables with given totals: against all tables, and what must hold for any."""

import numpy as np
import pytest

from lib.audit.linear_bounds import ContradictionError
from lib.audit.table_sampling import value_shares
from lib.papers.audit import ranking_experiments
from lib.randomness import stream
from tests.reference import tables

RUNS = 40
SIX_STANDARD_ERRORS = 6  # of the mean over the runs; 200 shares are compared


def _hidden(shape, share, most, *name):
    """Make a table whose counts are hidden with some probability, and what is known of them."""
    rng = stream(1, "tables", *name)
    table = rng.integers(0, most + 1, shape)
    hidden = rng.random(shape) < share
    low, high = np.where(hidden, 0, table), np.where(hidden, most, table)
    return table, low, high, (table.sum(axis=1), table.sum(axis=0))


@pytest.mark.parametrize(
    ("shape", "share", "name"), [((2, 3), 1.0, 0), ((3, 3), 0.85, 1), ((3, 4), 0.7, 2)]
)
def test_shares_are_those_of_all_tables(shape, share, name):
    _, low, high, totals = _hidden(shape, share, 2, name)
    expected = tables.value_shares(low, high, *totals)
    found = np.array(
        [
            value_shares(low, high, *totals, 1000, stream(1, "runs", name, run))
            for run in range(RUNS)
        ]
    )
    error = found.std(axis=0, ddof=1) / RUNS**0.5
    assert (np.abs(found.mean(axis=0) - expected) <= SIX_STANDARD_ERRORS * error + 1e-9).all()


def test_a_table_that_only_a_long_cycle_can_change_changes():
    """Six hidden counts in a ring: no exchange of two rows and two columns is possible."""
    ring = np.eye(3, dtype=int) + np.roll(np.eye(3, dtype=int), 1, axis=1)
    found = value_shares(0 * ring, ring, np.ones(3), np.ones(3), 4000, stream(1, "ring"))
    assert np.abs(found[ring == 1] - 0.5).max() < 0.2


def test_published_counts_and_forced_counts_have_one_value():
    low, high = np.array([[0, 7], [0, 0]]), np.array([[9, 7], [9, 9]])
    found = value_shares(low, high, np.array([10, 0]), np.array([3, 7]), 20, stream(1, "forced"))
    assert found.argmax(axis=2).tolist() == [[3, 0], [0, 0]]
    assert np.array_equal(found.max(axis=2), np.ones((2, 2)))


def test_totals_that_no_table_has_are_refused():
    low, high = np.zeros((2, 2), int), np.full((2, 2), 2)
    with pytest.raises(ContradictionError, match="no table of whole numbers fits"):
        value_shares(low, high, np.array([5, 0]), np.array([3, 2]), 20, stream(1, "refused"))


def test_one_sweep_is_refused():
    with pytest.raises(ValueError, match="sweeps is 1"):
        value_shares(np.zeros((2, 2)), np.ones((2, 2)), [1, 1], [1, 1], 1, stream(1, "refused"))


def test_hidden_are_small_counts_and_judged_against_the_truth():
    counts = np.array([[0, 4, 12], [9, 10, 1]])
    table = ranking_experiments.publish(counts, 1)
    assert table.hidden.tolist() == [[False, True, False], [True, False, True]]
    assert (table.low <= counts).all() and (counts <= table.high).all()
    assert ranking_experiments.forced(table).tolist() == table.hidden.tolist()
    formula = ranking_experiments.shares_of_formula(table)
    assert np.allclose(formula.sum(axis=2), 1)

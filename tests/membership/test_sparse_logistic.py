"""L1 logistic regression to a certified gap: against liblinear, and against its own certificate."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from lib.membership import sparse_logistic
from lib.membership.sparse_logistic import Pairs, Rows, fit

TIGHT = 1e-6  # relative gap asked for where the optimum is compared
SAME = 3e-6  # relative, of two objectives at their optimum
FLOAT32 = 1e-5  # relative, of sums of float32 products


def counts(n=60, n_columns=400, seed=0, noise=0.0):
    """Pairs of aggregates; the second of a pair has one user more: (columns, n) and members."""
    rng = np.random.default_rng(seed)
    base = rng.poisson(rng.gamma(0.5, 2.0, n_columns)[:, None], (n_columns, n // 2)).astype(float)
    base += np.floor(rng.laplace(0, noise, base.shape)) if noise else 0
    trace, other = rng.random(n_columns) < 0.05, rng.random((n_columns, n // 2)) < 0.03
    difference = np.where(other, -1.0, 0) + trace[:, None]
    return base, difference, np.repeat([0, 1], n // 2)


def rows_of(base, difference):
    return Rows(np.hstack([base, base + difference]).astype(np.float32))


def pairs_of(base, difference):
    return Pairs(base.astype(np.float32), sparse.csr_array(difference))


def objective(matrix, members, weights, intercept, cost):
    total = np.abs(weights).sum() + abs(intercept)
    for row, member in zip(matrix, members, strict=True):
        total += cost * np.logaddexp(0, -(2 * member - 1) * (row @ weights + intercept))
    return total


@pytest.mark.parametrize(("cost", "noise"), [(1.0, 0), (0.05, 0), (1.0, 3.0), (30.0, 0)])
def test_reaches_the_optimum_of_liblinear(cost, noise):
    base, difference, members = counts(noise=noise)
    model = fit(pairs_of(base, difference), members, cost, tolerance=TIGHT)
    matrix = np.hstack([base, base + difference]).T
    peer = LogisticRegression(C=cost, l1_ratio=1, solver="liblinear", tol=1e-10, max_iter=100_000)
    peer.fit(matrix, members)
    theirs = objective(matrix, members, peer.coef_[0], peer.intercept_[0], cost)
    weights = np.zeros(matrix.shape[1])
    weights[model.columns] = model.weights
    ours = objective(matrix, members, weights, model.intercept, cost)
    assert ours == pytest.approx(model.objective, rel=SAME)
    assert ours == pytest.approx(theirs, rel=SAME)
    assert model.gap <= TIGHT
    assert len(model.columns) < 60


def test_the_gap_certifies_at_any_tolerance():
    base, difference, members = counts(noise=1.0)
    best = fit(rows_of(base, difference), members, tolerance=TIGHT).objective
    for tolerance in (0.3, 0.03, 1e-3):
        model = fit(rows_of(base, difference), members, tolerance=tolerance)
        assert 0 <= model.gap <= tolerance
        assert (
            model.objective * (1 - model.gap) <= best * (1 + SAME) <= model.objective * (1 + SAME)
        )


def test_pairs_are_rows():
    base, difference, members = counts(noise=2.0)
    pairs, rows = pairs_of(base, difference), rows_of(base, difference)
    vector = np.random.default_rng(0).normal(size=60)
    assert pairs.shape == rows.shape == (60, 400)
    assert pairs.correlate(vector) == pytest.approx(rows.correlate(vector), abs=1e-3)
    assert np.array_equal(pairs.columns(np.array([7, 3])), rows.columns(np.array([7, 3])))
    one, two = fit(pairs, members, tolerance=TIGHT), fit(rows, members, tolerance=TIGHT)
    assert one.objective == pytest.approx(two.objective, rel=SAME)


@pytest.mark.parametrize("n_columns", [40, 2050])  # less and more than are floats at once
def test_counts_kept_as_such_give_the_same_fit(n_columns):
    base, difference, members = counts(n_columns=n_columns, noise=2.0)
    floats, whole = pairs_of(base, difference), pairs_of(base, difference)
    whole = Pairs(base.astype(np.int16), whole.difference)
    vector = np.random.default_rng(0).normal(size=60)
    assert np.array_equal(floats.correlate(vector), whole.correlate(vector))
    assert Rows(whole.base).correlate(vector[:30]) == pytest.approx(base @ vector[:30], abs=1e-3)
    one, two = fit(floats, members), fit(whole, members)
    assert np.array_equal(one.columns, two.columns) and np.array_equal(one.weights, two.weights)
    assert one.gap == two.gap <= 1e-3


def test_rows_that_cancel_correlate_with_their_difference_alone():
    base, difference, _ = counts()
    pairs = pairs_of(base, difference)
    half = np.random.default_rng(0).normal(size=30)
    assert pairs.correlate(np.append(-half, half)) == pytest.approx(difference @ half)


@pytest.mark.parametrize("n", [1, 7, 20, 50])
def test_the_largest_are_those_that_sorting_puts_first(n):
    values = np.random.default_rng(n).integers(0, 6, 20).astype(float)
    expected = sorted(range(20), key=lambda i: (-values[i], i))[:n]
    assert sparse_logistic._largest(values, n).tolist() == expected


def test_more_columns_than_the_first_working_set():
    base, difference, members = counts(n_columns=5000, noise=5.0)
    model = fit(pairs_of(base, difference), members, tolerance=1e-5)
    assert model.gap <= 1e-5
    peer = fit(pairs_of(base, difference), members, solver="liblinear")
    assert model.objective <= peer.objective * (1 + FLOAT32)


def test_columns_outside_the_working_set_count_for_the_gap(monkeypatch):
    base, difference, members = counts(n_columns=5000, noise=20.0)
    best = fit(pairs_of(base, difference), members, tolerance=1e-5).objective
    monkeypatch.setattr(sparse_logistic, "_FIRST", 20)
    monkeypatch.setattr(sparse_logistic, "_MOST_NEW", 20)
    for tolerance in (0.3, 0.1, 0.01):
        model = fit(pairs_of(base, difference), members, tolerance=tolerance)
        assert model.objective * (1 - model.gap) <= best * (1 + SAME)


def test_nothing_to_learn_gives_a_weight_of_nothing():
    model = fit(Rows(np.zeros((50, 8), np.float32)), np.repeat([0, 1], 4))
    assert model.gap == 0
    assert len(model.columns) == 0
    assert model.intercept == 0
    assert model.objective == pytest.approx(8 * np.log(2))


def test_the_other_solvers_say_how_far_they_are():
    base, difference, members = counts(noise=1.0)
    rows = rows_of(base, difference)
    best = fit(rows, members, tolerance=TIGHT)
    liblinear = fit(rows, members, solver="liblinear")
    few, many = (fit(rows, members, solver="saga", iterations=n) for n in (5, 3000))
    assert best.gap < liblinear.gap < 0.1
    assert many.gap < few.gap
    for model in (liblinear, few, many):
        assert model.objective * (1 - model.gap) <= best.objective * (1 + FLOAT32)


def test_says_when_it_stops_too_early(monkeypatch):
    base, difference, members = counts(n_columns=5000, noise=5.0)
    monkeypatch.setattr(sparse_logistic, "_MOST_ROUNDS", 1)
    with pytest.warns(RuntimeWarning, match="duality gap of"):
        model = fit(pairs_of(base, difference), members)
    assert model.gap > 1e-3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"members": np.ones(60)}, "both present"),
        ({"members": np.repeat([0, 1], 20)}, "60 rows"),
        ({"cost": 0.0}, "cost is 0.0"),
        ({"tolerance": np.nan}, "tolerance is nan"),
        ({"solver": "newton"}, "solver is 'newton'; one of certified, liblinear, saga"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    base, difference, members = counts()
    with pytest.raises(ValueError, match=message):
        fit(**{"rows": rows_of(base, difference), "members": members} | change)

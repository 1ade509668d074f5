import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from scipy import stats
from sklearn.metrics import roc_auc_score

from lib import metrics
from tests.reference import scoring

EXACT = 1e-12  # relative: the same arithmetic in another order
SCORED = st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=40).filter(
    lambda rows: 0 < sum(m for m, _ in rows) < len(rows)
)


@settings(max_examples=100, deadline=None)
@given(SCORED, st.floats(0.01, 0.99))
def test_scores_equal_the_reference(rows, fpr):
    members, scores = (np.array(column) for column in zip(*rows, strict=True))
    value = metrics.auc(members, scores)
    assert value == pytest.approx(scoring.auc(members, scores), rel=EXACT)
    assert value == pytest.approx(roc_auc_score(members, scores), rel=EXACT)
    assert metrics.privacy_loss(value) == pytest.approx(scoring.privacy_loss(value), abs=EXACT)
    tpr = metrics.tpr_at_fpr(members, scores, fpr)
    assert tpr == pytest.approx(scoring.tpr_at_fpr(members, scores, fpr), rel=EXACT)
    low, high = metrics.auc_interval(members, scores)
    assert 0 <= low <= value <= high <= 1
    low, high = metrics.tpr_at_fpr_interval(members, scores, fpr)
    assert 0 <= low <= high <= 1


@pytest.mark.parametrize(
    ("n_in", "n_out", "n_right"), [(51, 58, 2642), (5, 5, 20), (10, 30, 300), (4, 4, 16)]
)
def test_auc_interval_is_newcombes_fifth(n_in, n_out, n_right):
    """Both ends solve (a - AUC)^2 = z^2 V(a); V of the paper, with m* = n* = (m + n) / 2 - 1.

    V(a) = a (1 - a) (1 + n* (1 - a) / (2 - a) + m* a / (1 + a)) / (m n), made a polynomial here.
    """
    members = np.repeat([1, 0], [n_in, n_out])
    below = np.full(n_in, n_right // n_in) + (np.arange(n_in) < n_right % n_in)  # of each member
    scores = np.concatenate([below - 0.5, np.arange(n_out)])
    value = n_right / (n_in * n_out)
    a, star, z = Polynomial([0.0, 1.0]), (n_in + n_out) / 2 - 1, 1.959963984540054
    left = (a - value) ** 2 * (2 - a) * (1 + a) * n_in * n_out
    bracket = (2 - a) * (1 + a) + star * (1 - a) * (1 + a) + star * a * (2 - a)
    roots = (left - z**2 * a * (1 - a) * bracket).roots()
    inside = sorted(x.real for x in roots if abs(x.imag) < 1e-9 and -1e-9 < x.real < 1 + 1e-9)
    low, high = metrics.auc_interval(members, scores)
    assert any(low == pytest.approx(x, abs=1e-7) for x in inside if x < value)
    assert value == 1 or any(high == pytest.approx(x, abs=1e-7) for x in inside if x > value)


@settings(max_examples=100, deadline=None)
@given(st.floats(0, 1), st.floats(0, 1))
def test_gain_equals_the_reference(raw, released):
    expected = scoring.privacy_gain(raw, released)
    assert metrics.privacy_gain(raw, released) == pytest.approx(expected, abs=EXACT)


def test_gain_and_loss_take_arrays():
    assert metrics.privacy_loss(np.array([0.4, 0.5, 1.0])).tolist() == [0, 0, 1]
    gain = metrics.privacy_gain(np.array([1.0, 0.75, 0.4]), np.array([0.75, 0.5, 0.3]))
    assert gain.tolist() == [0.5, 1.0, 0.0]


def test_allowed_false_positives_do_not_suffer_from_rounding():
    outside = np.arange(100.0)  # 0.29 * 100 is 28.999999999999996 in floating point
    members, scores = np.repeat([0, 1], 100), np.concatenate([outside, outside])
    assert metrics.tpr_at_fpr(members, scores, 0.29) == 0.29


# -- intervals -----------------------------------------------------------------------------------

RUNS = 400
NOMINAL = 0.95
SLACK = 5 * np.sqrt(0.95 * 0.05 / RUNS)  # five standard errors of the coverage


def draw(rng, n=60, shift=1.2):
    members = np.repeat([1, 0], n)
    return members, rng.normal(size=2 * n) + shift * members


def covered(interval, truth):
    hits = 0
    for seed in range(RUNS):
        low, high = interval(*draw(np.random.default_rng(seed)))
        hits += low <= truth <= high
    return hits / RUNS


def test_auc_and_loss_intervals_cover():
    truth = stats.norm.cdf(1.2 / np.sqrt(2))
    assert abs(covered(metrics.auc_interval, truth) - NOMINAL) < SLACK
    assert abs(covered(metrics.privacy_loss_interval, 2 * truth - 1) - NOMINAL) < SLACK
    narrow = covered(lambda m, s: metrics.auc_interval(m, s, level=0.5), truth)
    assert narrow < 0.7


def test_tpr_intervals_cover_conservatively():
    truth = stats.norm.sf(stats.norm.isf(0.1) - 1.2)
    assert covered(lambda m, s: metrics.tpr_at_fpr_interval(m, s, 0.1), truth) > NOMINAL - SLACK


def test_intervals_are_not_points_at_the_edges():
    members = np.repeat([1, 0], 20)
    low, high = metrics.auc_interval(members, members)
    assert high == 1
    assert 0.8 < low < 0.99
    low, high = metrics.auc_interval(members, 1 - members)
    assert low == 0
    assert 0.01 < high < 0.2
    assert metrics.tpr_at_fpr_interval(members, members, 0.01)[0] < 1


def test_mean_intervals_cover():
    hits = 0
    for seed in range(RUNS):
        low, high = metrics.mean_interval(np.random.default_rng(seed).exponential(size=50))
        hits += low <= 1 <= high
    assert abs(hits / RUNS - NOMINAL) < SLACK


def test_the_interval_of_a_difference_is_welchs():
    rng = np.random.default_rng(0)
    first, second = rng.normal(1, 2, 15), rng.normal(0, 1, 9)
    expected = stats.ttest_ind(first, second, equal_var=False).confidence_interval(0.9)
    low, high = metrics.difference_interval([*first, np.nan], second, level=0.9)
    assert (low, high) == pytest.approx((expected.low, expected.high), rel=EXACT)
    assert metrics.difference_interval([1, 1], [0.5, 0.5, 0.5]) == (0.5, 0.5)
    with pytest.raises(ValueError, match="at least two"):
        metrics.difference_interval([1], [1, 2])


def test_mean_table_has_a_row_a_sample_and_leaves_nan_out():
    table = metrics.mean_table({("a", 1): [1, 2, 3, np.nan], ("b", 2): [4, 6]}, ["x", "y"])
    assert table.index.names == ["x", "y"]
    assert table["n"].tolist() == [3, 2]
    assert table["mean"].tolist() == [2, 5]
    assert metrics.mean_table({"a": [1, 2]}, ["x"]).index.names == ["x"]
    with pytest.raises(ValueError, match="at least two"):
        metrics.mean_table({"a": [1.0]}, ["x"])


# -- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("members", "scores", "message"),
    [
        ([1, 1], [1, 2], "both classes"),
        ([0, 0], [1, 2], "both classes"),
        ([0, 2], [1, 2], "holds 2"),
        ([0, 1], [1, np.nan], "score 1 is NaN"),
        ([0, 1], [1, 2, 3], "one score a member"),
    ],
)
def test_what_cannot_be_scored_is_refused(members, scores, message):
    for function in (metrics.auc, metrics.auc_interval, metrics.privacy_loss_interval):
        with pytest.raises(ValueError, match=message):
            function(np.array(members), np.array(scores, float))
    with pytest.raises(ValueError, match=message):
        metrics.tpr_at_fpr(np.array(members), np.array(scores, float), 0.1)


@pytest.mark.parametrize("rate", [0, 1, -0.1, np.nan])
def test_rates_and_levels_outside_are_refused(rate):
    members = np.array([0, 1])
    with pytest.raises(ValueError, match="fpr"):
        metrics.tpr_at_fpr(members, members, rate)
    with pytest.raises(ValueError, match="level"):
        metrics.auc_interval(members, members, level=rate)


def test_aucs_outside_are_refused():
    with pytest.raises(ValueError, match=r"auc is 1\.2"):
        metrics.privacy_loss(1.2)
    with pytest.raises(ValueError, match="auc_released is nan"):
        metrics.privacy_gain(0.9, np.nan)


@pytest.mark.parametrize("junk", [None, "text", {}, 1j, object(), [[0], [1, 2]], [None, "a"]])
@pytest.mark.parametrize(
    "call",
    [
        lambda x: metrics.auc(x, [0, 1]),
        lambda x: metrics.auc([0, 1], x),
        lambda x: metrics.auc_interval([0, 1], [0, 1], x),
        lambda x: metrics.privacy_loss(x),
        lambda x: metrics.privacy_gain(0.9, x),
        lambda x: metrics.tpr_at_fpr([0, 1], [0, 1], x),
        lambda x: metrics.mean_relative_error(x, [1.0]),
        lambda x: metrics.mean_relative_error([1.0], x),
        lambda x: metrics.mean_relative_error([1.0], [1.0], sanity_bound=x or "text"),
        lambda x: metrics.js_divergence(x, [0.5, 0.5]),
        lambda x: metrics.js_distance([0.5, 0.5], [0.5, 0.5], x),
        lambda x: metrics.mean_interval(x),
        lambda x: metrics.difference_interval([1, 2], x),
        lambda x: metrics.mean_table({"a": x}, ["a"]),
        lambda x: metrics.mean_table([x], ["a"]),
    ],
)
def test_what_makes_no_sense_is_a_value_error(call, junk):
    with pytest.raises(ValueError, match=r"."):
        call(junk)


def test_complex_scores_are_refused_not_cut():
    with pytest.raises(ValueError, match=r"scores is .*; an array of real numbers"):
        metrics.auc([0, 1], np.array([1 + 2j, 3]))


# -- what guessing gains -------------------------------------------------------------------------

SIMULATED = 0.01  # of a mean of 4,000 gains, whose standard error is below 0.002


@pytest.mark.parametrize(("n", "gain"), [(30, 0.940), (100, 0.967), (200, 0.977)])
def test_the_gain_of_guessing_is_below_one_and_what_a_simulation_gives(n, gain):
    rng = np.random.default_rng(5)
    members = np.repeat([0, 1], n)
    aucs = np.array([metrics.auc(members, rng.random(2 * n)) for _ in range(4000)])
    simulated = metrics.privacy_gain(1.0, aucs.clip(0.5)).mean()
    assert metrics.guessing_gain(n, n) == pytest.approx(gain, abs=5e-4)
    assert simulated == pytest.approx(gain, abs=SIMULATED)


def test_the_gain_of_guessing_needs_groups_of_both_kinds():
    with pytest.raises(ValueError, match="0 groups with the target"):
        metrics.guessing_gain(0, 5)

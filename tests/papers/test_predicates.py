"""What supports a statement, what contradicts it, and what decides nothing."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.papers import predicates
from lib.papers.predicates import Estimate

HAIR = 1e-9  # just inside and just outside
Z = 1.6448536269514722  # of one-sided 95%, from a printed table
T_2 = 2.919985580353725  # the same of Student's distribution with 2 degrees of freedom
Z_3 = 2.1280452341849  # the normal quantile at 1 - 0.05 / 3
YES, NO = predicates.greater(Estimate(0.4, 0.1)), predicates.greater(Estimate(-0.4, 0.1))
MAYBE = predicates.greater(Estimate(0.1, 0.1))


def near(value, error, runs=math.inf):
    return Estimate(value, error, runs - 1)


def test_a_contradiction_needs_as_much_evidence_as_support():
    for sign, verdict in ((1, "supported"), (-1, "contradicted")):
        assert predicates.greater(near(sign * (Z + HAIR), 1)).verdict == verdict
        assert predicates.greater(near(sign * (Z - HAIR), 1)).verdict == "undecided"
        assert predicates.greater(near(sign * (T_2 + 1e-6), 1, 3)).verdict == verdict
        assert predicates.greater(near(sign * (T_2 - 1e-6), 1, 3)).verdict == "undecided"
        assert predicates.greater(sign * HAIR).verdict == verdict  # exact


def test_equal_numbers_are_not_greater_and_equal_runs_decide_nothing():
    assert predicates.greater(1, 1).verdict == "contradicted"
    assert predicates.greater(near(0, 0, runs=20)).verdict == "undecided"
    assert "error is not known" in predicates.greater(near(0, 0, runs=20)).runs


def test_welch_joins_independent_numbers():
    error = math.hypot(0.03, 0.04)
    assert predicates.greater(near(1 + (Z + HAIR) * error, 0.03), near(1, 0.04)).verdict == (
        "supported"
    )
    assert predicates.greater(near(2, 0.3), near(1, 0.4)).here[:2] == (1, 0.5)
    both = predicates.difference(near(2, 0.3, runs=5), near(1, 0.3, runs=5))
    assert both == pytest.approx((1, 0.3 * math.sqrt(2), 8))  # equal errors add up
    assert predicates.difference(near(2, 0.3, runs=5), near(1, 0.0)).freedom == pytest.approx(4)


def test_close_is_two_tests_and_far_needs_evidence_too():
    assert predicates.close(near(1, 0.1), 1, within=(Z + HAIR) * 0.1).verdict == "supported"
    assert predicates.close(near(1, 0.1), 1, within=(Z - HAIR) * 0.1).verdict == "undecided"
    assert predicates.close(1.2, 1, within=0.1).verdict == "contradicted"
    assert predicates.close(1, 1.2, within=0.1).verdict == "contradicted"
    assert predicates.close(near(1.15, 0.1), 1, within=0.1).verdict == "undecided"
    for within in (0, -1, math.nan):
        with pytest.raises(ValueError, match="within"):
            predicates.close(1, 1, within)


def test_all_parts_must_hold_and_one_that_fails_is_enough():
    assert predicates.every(YES, YES).verdict == "supported"
    assert predicates.every(YES, MAYBE).verdict == "undecided"
    assert predicates.every(YES, MAYBE, NO).verdict == "contradicted"
    assert predicates.every(YES, MAYBE).here.value == 0.1  # the nearest to failing
    assert predicates.every(YES, predicates.greater(near(9, 0.1))).here.value == 0.4


def test_several_parts_share_the_five_percent_of_a_contradiction():
    one = predicates.greater(near(-Z - HAIR, 1))
    assert one.verdict == "contradicted"
    assert predicates.every(one, YES, YES).verdict == "undecided"
    assert predicates.every(predicates.greater(near(-Z_3 - 1e-6, 1)), YES, YES).verdict == (
        "contradicted"
    )
    exact = predicates.always([True])  # shares nothing
    assert predicates.every(one, exact, exact).verdict == "contradicted"


def test_increasing_wants_the_ends_apart_and_no_fall_between():
    assert predicates.increasing([0, 1, 1, 2]).verdict == "supported"
    assert predicates.increasing([0, 1, 1, 2]).here[:2] == (2, 0)
    assert predicates.increasing([1, 1]).verdict == "contradicted"
    assert predicates.increasing([0, 3, 2.999, 4]).verdict == "contradicted"
    noisy = [near(v, 0.01) for v in (0, 3, 2.999, 4)]
    assert predicates.increasing(noisy).verdict == "supported"  # the fall may be chance
    assert predicates.increasing([near(0, 0.1), near(0.1, 0.1)]).verdict == "undecided"
    fall = Z_3 * math.sqrt(2)
    for middle, verdict in ((fall - 1e-3, "supported"), (fall + 1e-3, "contradicted")):
        assert predicates.increasing([near(v, 1) for v in (-99, middle, 0)]).verdict == verdict


def test_the_same_units_are_compared_with_themselves():
    """Each target rises a little; between targets lies much more."""
    table = pd.DataFrame({10: [0.0, 5.0, 9.0, 2.0], 100: [0.1, 5.2, 9.1, 2.2]})
    assert predicates.increasing(table).verdict == "supported"
    assert predicates.decreasing(table).verdict == "contradicted"
    assert predicates.increasing(table).here.value == pytest.approx(0.15)
    apart = [predicates.estimate(table[size]) for size in table]
    assert predicates.increasing(apart).verdict == "undecided"
    assert predicates.decreasing(table[[100, 10]]).verdict == "supported"


@given(st.lists(st.floats(-9, 9), min_size=2, max_size=6), st.floats(0, 2))
def test_what_rises_does_not_fall(values, error):
    numbers = [near(v, error) for v in values]
    rise, fall = predicates.increasing(numbers), predicates.decreasing(numbers)
    assert {rise.verdict, fall.verdict} != {"supported"}
    mirrored = predicates.decreasing([near(-v, error) for v in values])
    assert mirrored.verdict == rise.verdict
    turned = predicates.greater(numbers[0], numbers[-1]).verdict
    if len(values) == 2 and error:
        other = {"supported": "contradicted", "contradicted": "supported"}
        assert rise.verdict == other.get(turned, turned)


def test_exact_cases_are_true_or_not():
    assert predicates.always([True, True]).here.value == 1
    assert predicates.always([True, False]).here.value == 0.5
    assert predicates.always([True, False]).verdict == "contradicted"
    for bad in ([], [1, 0], [0.5]):
        with pytest.raises(ValueError, match="bool"):
            predicates.always(bad)


def test_one_draw_decides_nothing_and_what_is_undefined_is_no_failure():
    assert predicates.once(predicates.always([False])).verdict == "undecided"
    assert "at least two" in predicates.once(predicates.always([False])).runs
    nothing = predicates.undefined("all bounds are equal")
    assert nothing.verdict == "undefined"
    assert predicates.every(NO, nothing).verdict == "undefined"


def test_any_of_several_shares_the_five_percent():
    assert predicates.any_positive(near(0, 1), near(Z_3 + 1e-3, 1), near(-9, 1)).verdict == (
        "supported"
    )
    assert predicates.any_positive(near(0, 1), near(Z_3 - 1e-3, 1)).verdict == "supported"
    assert predicates.any_positive(near(0, 1), near(1.9, 1)).verdict == "undecided"
    assert predicates.any_positive(near(-2, 1), near(-9, 1)).verdict == "contradicted"
    with pytest.raises(ValueError, match="no numbers"):
        predicates.any_positive()
    with pytest.raises(ValueError, match="no part of another"):
        predicates.every(predicates.any_positive(near(1, 1)))


def test_what_rests_on_a_margin_says_so():
    assert not predicates.greater(2, 1).margin
    assert predicates.close(1, 1, 0.1).margin and predicates.beyond(2, 1).margin
    assert predicates.every(predicates.greater(2, 1), predicates.below(1, 2)).margin


def test_how_many_runs_would_decide():
    """Errors fall with the root of the number of runs: half of the mean, four times the runs."""
    reach = predicates.quantile(0.95, 99)
    half = predicates.greater(Estimate(reach / 2, 1, 99))
    assert half.runs == "about 400 runs instead of 100 would decide"
    assert (
        predicates.greater(Estimate(Z / 2, 1)).runs
        == "about 4.0 times the present number of runs would decide"
    )
    assert "more than 1000" in predicates.greater(Estimate(1e-6, 1, 99)).runs


def test_what_is_no_sample_is_refused():
    for bad in (math.nan, math.inf):
        with pytest.raises(ValueError, match="finite"):
            predicates.increasing([bad, 1])
    for bad in (-0.1, math.nan, math.inf):
        with pytest.raises(ValueError, match="standard error"):
            predicates.greater(near(1, bad))
    with pytest.raises(ValueError, match="degrees of freedom are 0"):
        predicates.greater(near(1, 0.1, runs=1))
    with pytest.raises(ValueError, match="1 values make no trend"):
        predicates.increasing([1])
    with pytest.raises(ValueError, match="no trends"):
        predicates.every()
    assert predicates.estimate([1, 2, 3, np.nan]) == pytest.approx((2, 1 / math.sqrt(3), 2))
    with pytest.raises(ValueError, match="at least two"):
        predicates.estimate([1])

"""Lower bounds on epsilon catch a mechanism whose noise is wrong, and spare a right one."""

import numpy as np
import pytest
from scipy import special, stats

from lib import audit, metrics
from lib.audit import alternatives, epsilon, measures, usefulness
from lib.audit.releases import Plan, Shape, replace_noise
from lib.mechanisms import Gaussian, Laplace

RUNS = 200
SHAPE = Shape(10, 48, 24)
RELEASES = {
    "event": {"mechanisms": [{"name": "event-level-laplace", "epsilon": 1.0}]},
    "user-day": {"mechanisms": [{"name": "user-day-level-laplace", "epsilon": 2.0}]},
    "user": {"mechanisms": [{"name": "user-level-laplace", "epsilon": 0.5}]},
    "capped": {"mechanisms": [{"name": "user-level-laplace", "epsilon": 1.0}], "cap": 5},
    "whole numbers": {
        "mechanisms": [{"name": "event-level-laplace", "epsilon": 1.0}, {"name": "whole-numbers"}]
    },
    "hidden": {
        "mechanisms": [
            {"name": "event-level-laplace", "epsilon": 1.0},
            {"name": "suppress", "threshold": 10},
        ]
    },
    "gaussian": {"mechanisms": [{"name": "user-level-gaussian", "epsilon": 1.0, "delta": 1e-5}]},
}


def halved(plan):
    """The same guarantee with half the noise."""
    noise = plan.noise
    if isinstance(noise, Laplace):
        return replace_noise(plan, Laplace(2 * noise.epsilon, noise.sensitivity))
    return replace_noise(
        plan, Gaussian(noise.epsilon, noise.delta, noise.sensitivity / 2, noise.calibration)
    )


def how_often(plan, trials, confidence):
    bounds = [
        epsilon.one_cell_bound(plan, trials, 1000, np.random.default_rng(run), confidence)
        for run in range(RUNS)
    ]
    return sum(bound.lower > plan.epsilon for bound in bounds), bounds


@pytest.mark.parametrize("name", list(RELEASES))
def test_right_noise_exceeds_its_epsilon_no_more_often_than_confidence_allows(name):
    plan = Plan(audit.parse(RELEASES[name]), SHAPE)
    wrong, bounds = how_often(plan, 4_000, 0.95)
    assert wrong <= stats.binom.ppf(0.999, RUNS, 0.05)
    assert min(bound.ceiling for bound in bounds) > plan.epsilon  # it could have been caught


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in RELEASES if n != "gaussian"])
def test_half_the_noise_is_caught_in_nearly_every_run(name):
    plan = halved(Plan(audit.parse(RELEASES[name]), SHAPE))
    caught, _ = how_often(plan, 6_000, 0.95)
    assert caught >= 0.99 * RUNS


@pytest.mark.parametrize("name", ["event", "user-day", "user", "capped"])
def test_with_many_trials_the_bound_comes_close_to_what_the_noise_lets_through(name):
    plan = Plan(audit.parse(RELEASES[name]), SHAPE)
    bound = epsilon.one_cell_bound(plan, 600_000, 1000, np.random.default_rng(9), 0.95)
    assert 0.93 < bound.lower / plan.epsilon <= 1


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1, 2])
@pytest.mark.parametrize("name", ["event", "capped", "whole numbers", "hidden"])
def test_neighbours_are_told_apart_only_where_the_noise_is_too_small(name, factor):
    right = Plan(audit.parse(RELEASES[name]), SHAPE)
    plan = right if factor == 1 else halved(right)
    # where counts are small, the last digits of floating-point noise tell them apart
    small = 12 if name == "hidden" else 3
    base = np.full((1, min(right.cap or 1, 5)), small)
    above = 0
    for trial in range(RUNS):
        rng = np.random.default_rng(trial)
        bound = epsilon.neighbour_pair_bound(plan, base, np.ones_like(base), 4_000, 1000, rng, 0.95)
        above += bound.lower > right.epsilon
    if factor == 1:
        assert above <= stats.binom.ppf(0.999, RUNS, 0.05)
    elif right.cap is None:  # of five visits together only the far tails tell more
        assert above >= 0.99 * RUNS


def test_half_the_gaussian_noise_is_caught():
    plan = halved(Plan(audit.parse(RELEASES["gaussian"]), SHAPE))
    rng = np.random.default_rng(0)
    bounds = [epsilon.one_cell_bound(plan, 400_000, 1000, rng, 0.95) for _ in range(5)]
    assert all(bound.lower > plan.epsilon for bound in bounds)


def test_clopper_pearson_epsilon_of_randomized_response():
    rng, e = np.random.default_rng(1), 1.0
    lower = []
    for _ in range(RUNS):
        without = (rng.random(4_000) > special.expit(e)).astype(float)
        with_target = (rng.random(4_000) < special.expit(e)).astype(float)
        lower.append(measures.clopper_pearson_epsilon(without, with_target).lower)
    assert sum(each > e for each in lower) <= stats.binom.ppf(0.999, RUNS, 0.05)
    assert np.mean(lower) > 0.8  # and it is not far below


def test_clopper_pearson_epsilon_looks_at_both_sides_and_at_delta():
    out, into = np.repeat([0.0, 1.0], [50, 50]), np.repeat([0.0, 1.0], [1, 99])
    rng = np.random.default_rng(2)
    out, into = rng.permutation(np.tile(out, 50)), rng.permutation(np.tile(into, 50))
    one, other = (
        measures.clopper_pearson_epsilon(*each).lower for each in ((out, into), (1 - into, 1 - out))
    )
    assert one == pytest.approx(np.log(50), abs=0.7)
    assert other == pytest.approx(np.log(50), abs=0.7)
    with_delta = measures.clopper_pearson_epsilon(out, into, 0.3).lower
    assert 0 < with_delta < one
    with pytest.raises(ValueError, match="3 trials; 4 of either"):
        measures.clopper_pearson_epsilon(np.zeros(3), np.zeros(9))


def test_threshold_is_chosen_on_other_trials_than_it_is_judged_on():
    rng, lower = np.random.default_rng(3), []
    for _ in range(RUNS):  # nothing to be found: chosen on the same, it would be found
        scores = rng.normal(size=(2, 2_000))
        lower.append(measures.clopper_pearson_epsilon(*scores).lower)
    assert sum(each > 0 for each in lower) <= 0.02 * RUNS  # 0.07 if chosen on the same


def test_one_run_epsilon_is_the_published_formula():
    for n, right, delta in ((100, 80, 0.0), (100, 80, 1e-5), (40, 40, 0.0), (100, 55, 1e-3)):
        found = measures.one_run_epsilon(500, n, right, delta)
        if found.lower == 0:
            assert p_value(500, n, right, 0.0, delta) > 0.05
        else:
            assert p_value(500, n, right, found.lower, delta) == pytest.approx(0.05, abs=1e-6)
    most = measures.one_run_epsilon(500, 40, 40).lower
    assert most == measures.one_run_epsilon(500, 40, 3).ceiling
    assert measures.one_run_epsilon(500, 0, 0).lower == 0
    with pytest.raises(ValueError, match="5 right of 4 guesses"):
        measures.one_run_epsilon(10, 4, 5)


def p_value(m, r, v, eps, delta):
    """As Steinke, Nasr and Jagielski print it in their Appendix D, a loop."""
    q = 1 / (1 + np.exp(-eps))
    beta = stats.binom.sf(v - 1, r, q)
    alpha, total = 0.0, 0.0
    for i in range(1, v + 1):
        total += stats.binom.pmf(v - i, r, q)
        alpha = max(alpha, total / i)
    return min(1.0, beta + alpha * delta * 2 * m)


def test_one_run_epsilon_spares_randomized_response():
    rng, wrong = np.random.default_rng(4), 0
    for _ in range(RUNS):
        right = int((rng.random(300) < special.expit(0.7)).sum())
        wrong += measures.one_run_epsilon(300, 300, right).lower > 0.7
    assert wrong <= stats.binom.ppf(0.999, RUNS, 0.05)


# -- measures over people --------------------------------------------------------------------------


def test_aucs_and_flags_agree_with_the_library():
    rng = np.random.default_rng(5)
    scores = rng.integers(0, 9, (20, 40)).astype(float)
    members = rng.random((20, 40)) < 0.5
    found = measures.aucs(scores, members)
    for person in range(20):
        assert found[person] == pytest.approx(metrics.auc(members[person], scores[person]))
    assert np.isnan(measures.aucs(scores[:1], np.ones((1, 40), bool)))
    hits = measures.detection_rates(scores, members, 0.1)
    pooled = metrics.tpr_at_fpr(members.ravel(), scores.ravel(), 0.1)
    assert (hits * members.sum(axis=1)).sum() / members.sum() == pytest.approx(pooled)


def test_the_most_exposed_are_chosen_on_other_releases():
    rng = np.random.default_rng(6)
    test, shadow = rng.normal(size=(2, 400, 60))
    members, shadow_members = rng.random((2, 400, 60)) < 0.5
    found = measures.membership_measures(test, members, shadow, shadow_members)
    assert found["AUC, most exposed tenth"].value == pytest.approx(0.5, abs=0.03)
    chosen_on_test = measures.most_exposed(measures.aucs(test, members))
    assert measures.aucs(test, members)[chosen_on_test].mean() > 0.6  # which luck would give


def test_intervals_of_scores_that_say_nothing_hold_together():
    rng, alarms = np.random.default_rng(7), 0
    for _ in range(60):
        test, shadow = rng.normal(size=(2, 60, 60))
        members, shadow_members = rng.random((2, 60, 60)) < 0.5
        found = measures.membership_measures(test, members, shadow, shadow_members)
        alarms += any(m.low > m.baseline for m in found.values())
    assert alarms <= 3


def test_a_constant_sample_has_an_interval_that_knows_how_small_it_is():
    few = measures.mean_measure(np.ones(5), 0.5, "share", (0, 1))
    many = measures.mean_measure(np.ones(5_000), 0.5, "share", (0, 1))
    assert few.low < 0.5 < many.low < 1 == few.high
    assert measures.mean_measure(np.ones(1), 0.5, "share").low is None


# -- what is left for use --------------------------------------------------------------------------


def test_zeros_everywhere_stand_beside_the_error_and_nothing_is_called_so():
    raw = np.array([[0, 0, 0, 4]])
    half, nothing = (
        usefulness.measure_usefulness(raw, raw / 2),
        usefulness.measure_usefulness(raw, 0 * raw),
    )
    assert half["MRE"]["value"] == 0.125 and half["MRE"]["nothing"] == 0.25
    assert nothing["MRE"]["value"] == nothing["MRE"]["nothing"]
    assert "publishing zeros everywhere would give 0.25" in half["MRE"]["words"]
    assert (
        "the mean relative error is 0.12 (zeros everywhere: 0.25)"
        in alternatives._cost_in_words(half)
    )
    assert "nothing is left" in alternatives._cost_in_words(nothing)

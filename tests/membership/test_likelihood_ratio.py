"""Laws of scores and the likelihood-ratio attack: anchors by formula, convolution and sampling."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib import accounting, membership, metrics
from lib.mechanisms import Gaussian, Laplace, PostProcess
from lib.membership import score_distributions, shadows
from tests.reference import thresholds as listing

LAPLACE = Laplace(0.5)
GAUSSIAN = Gaussian(0.5, 1 / (2 * 1999), calibration="classical")
CONVOLVED = 2e-5  # error of the convolution's grid
DISCRETIZED = 5e-5  # dp_accounting rounds losses up, in steps of 1e-4
STANDARD_ERRORS = 4.5
NOBODY_IN_60 = np.zeros((3948, 60), np.uint8)

# Informed attacker, Laplace, epsilon 0.5, best threshold: exact values, to 3 decimals.
ANCHORS = {
    5: (0.665, 0.701, 0.703, 0.721),
    20: (0.789, 0.839, 0.851, 0.864),
    60: (0.915, 0.958, 0.964, 0.972),
    100: (0.961, 0.987, 0.990, 0.993),
    140: (0.982, 0.996, 0.997, 0.998),
}


def informed(n):
    return [score_distributions.NO_OTHERS] * n


def scattered(chance, n=60):
    """The paper's example: 2,000 traces, a share of which has a one in the cell."""
    return [stats.binom.pmf(np.arange(200), 2000, chance)] * n


# -- anchors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", ANCHORS)
def test_anchors_by_formula_and_by_convolution(pld, n):
    one = 1 - score_distributions.laplace_sum_sf(n / 2, n, LAPLACE.scale)
    two = score_distributions.two_threshold_distribution(LAPLACE, informed(n)).accuracy()
    ratio = score_distributions.convolved_distribution(
        LAPLACE, informed(n), score_distributions.log_ratio
    ).accuracy()
    found = (one, two, ratio, accounting.expected_accuracy(0.5, n))
    assert tuple(round(value, 3) for value in found) == ANCHORS[n]
    summed = score_distributions.convolved_distribution(
        LAPLACE, informed(n), score_distributions.identity_score
    ).accuracy()
    assert summed == pytest.approx(one, abs=CONVOLVED)
    composed = pld.from_laplace_mechanism(LAPLACE.scale).self_compose(n)
    distance = composed.get_delta_for_epsilon(0)
    assert ratio == pytest.approx((1 + distance) / 2, abs=DISCRETIZED)


def test_the_last_two_anchors_at_60_to_four_decimals():
    ratio = score_distributions.convolved_distribution(
        LAPLACE, informed(60), score_distributions.log_ratio
    ).accuracy()
    assert (round(ratio, 4), round(accounting.expected_accuracy(0.5, 60), 4)) == (0.9639, 0.9725)


@pytest.mark.parametrize("n", [5, 60, 140])
def test_anchors_by_sampling(n):
    rng = np.random.default_rng(n)
    others = np.zeros((3948, n), np.uint8)
    train, test = (
        shadows.shadow_aggregates(others, size, 1999, LAPLACE, rng, theta=1.0)
        for size in (40_000, 40_000)
    )
    attacks = (
        membership.OneThreshold(),
        membership.TwoThreshold(),
        membership.LikelihoodRatio(LAPLACE),
    )
    for attack, exact in zip(attacks, ANCHORS[n], strict=False):
        found = (attack.fit(*train).predict(test[0]) == test[1]).mean()
        assert abs(found - exact) < STANDARD_ERRORS * np.sqrt(exact * (1 - exact) / 40_000) + 5e-4


def test_gaussian_anchors():
    one = score_distributions.convolved_distribution(
        GAUSSIAN, informed(60), score_distributions.identity_score
    ).accuracy()
    assert round(one, 3) == 0.681
    assert one == pytest.approx(stats.norm.cdf(np.sqrt(60) / 2 / GAUSSIAN.scale), abs=CONVOLVED)
    assert (
        round(score_distributions.two_threshold_distribution(GAUSSIAN, informed(60)).accuracy(), 3)
        == 0.645
    )
    ratio = score_distributions.convolved_distribution(
        GAUSSIAN, informed(60), score_distributions.log_ratio
    ).accuracy()
    assert ratio == pytest.approx(one, abs=CONVOLVED)


def test_the_auxiliary_example_changes_its_order_with_the_share_of_ones():
    rules = {
        chance: (
            score_distributions.convolved_distribution(
                LAPLACE, scattered(chance), score_distributions.identity_score
            ).accuracy(),
            score_distributions.two_threshold_distribution(LAPLACE, scattered(chance)).accuracy(),
            score_distributions.convolved_distribution(
                LAPLACE, scattered(chance), score_distributions.log_ratio
            ).accuracy(),
        )
        for chance in (0.0001, 0.0005, 0.001, 0.01)
    }
    rounded = {chance: tuple(round(x, 3) for x in found) for chance, found in rules.items()}
    assert rounded[0.01][:2] == (0.769, 0.726)
    assert rounded[0.0001][:2] == (0.912, 0.948)  # 0.947 by the decision's sampling
    for chance, (one, two, ratio) in rules.items():
        assert (two > one) == (chance <= 0.0005)
        assert ratio >= max(one, two) - CONVOLVED


# -- laws ------------------------------------------------------------------------------------------


def test_the_printed_error_rate_of_a_cell():
    fpr, fnr = score_distributions.error_rates(LAPLACE, informed(1))
    np.testing.assert_allclose([fpr[0], fnr[0]], 0.5 * np.exp(-0.25))
    assert fpr[0] == pytest.approx(0.3894, abs=5e-5)


def test_error_rates_are_those_of_sampled_cells():
    rng = np.random.default_rng(1)
    law, threshold = np.array([0.5, 0.3, 0.0, 0.2]), 1.2
    (fpr,), (fnr,) = score_distributions.error_rates(LAPLACE, [law], np.array([threshold]))
    noisy = rng.choice(4, 200_000, p=law) + rng.laplace(scale=2, size=200_000)
    error = STANDARD_ERRORS * 0.5 / np.sqrt(200_000)
    assert abs((noisy >= threshold).mean() - fpr) < error
    assert abs((noisy + 1 < threshold).mean() - fnr) < error


def test_the_poisson_binomial_law_counts_every_outcome():
    rates = np.array([0.1, 0.5, 0.8])
    out, _ = score_distributions.binomial_score_distributions(rates, rates)
    brute = np.zeros(4)
    for outcome in np.ndindex(2, 2, 2):
        chosen = np.array(outcome)
        brute[chosen.sum()] += np.prod(np.where(chosen, rates, 1 - rates))
    np.testing.assert_allclose(out.pmf(np.arange(4)), brute)
    same_out, same_in = score_distributions.binomial_score_distributions(
        np.full(9, 0.3), np.full(9, 0.2)
    )
    np.testing.assert_allclose(same_out.pmf(np.arange(10)), stats.binom(9, 0.3).pmf(np.arange(10)))
    np.testing.assert_allclose(same_in.pmf(np.arange(10)), stats.binom(9, 0.8).pmf(np.arange(10)))


def test_normal_laws_have_the_moments_of_sampled_scores():
    rng = np.random.default_rng(2)
    chances = np.linspace(0.01, 0.2, 20)
    counts = [stats.binom.pmf(np.arange(51), 50, p) for p in chances]
    cells = rng.binomial(50, chances, (40_000, 20)) + rng.laplace(scale=2, size=(40_000, 20))
    out, into = score_distributions.normal_score_distributions(LAPLACE, counts)
    score = cells.sum(axis=1)
    assert out.mean() == pytest.approx(score.mean(), abs=STANDARD_ERRORS * out.std() / 200)
    assert out.std() == pytest.approx(score.std(), rel=0.02)
    assert into.mean() - out.mean() == pytest.approx(20) and into.std() == out.std()
    rates = score_distributions.error_rates(LAPLACE, counts)
    exact, normal = (
        score_distributions.binomial_score_distributions(*rates),
        score_distributions.normal_binomial_score_distributions(*rates),
    )
    for one, other in zip(exact, normal, strict=True):
        assert one.mean() == pytest.approx(other.mean())
        assert one.std() == pytest.approx(other.std())


@given(st.integers(1, 8), st.floats(-30, 30), st.floats(0.3, 5))
@settings(max_examples=20, deadline=None)
def test_the_sum_of_laplace_variables_by_its_characteristic_function(n, x, scale):
    """Gil-Pelaez: P(S > x) = 1/2 - (1/pi) integral of sin(t x) / t (1 + (scale t)^2)^-n."""
    t = (np.arange(100_000) + 0.5) * 5e-4 / scale
    inside = np.sin(t * x) / t * (1 + (scale * t) ** 2) ** -float(n)
    expected = 0.5 - inside.sum() * (t[1] - t[0]) / np.pi
    assert score_distributions.laplace_sum_sf(x, n, scale) == pytest.approx(expected, abs=2e-5)


def test_a_law_has_the_auc_and_the_roc_of_its_samples():
    counts = scattered(0.0005, 20)
    law = score_distributions.convolved_distribution(LAPLACE, counts, score_distributions.log_ratio)
    rng = np.random.default_rng(3)
    n = 40_000
    cells = rng.binomial(2000, 0.0005, (n, 20)) + rng.laplace(scale=2, size=(n, 20))
    members = np.repeat([1, 0], n // 2)
    cells += members[:, None]
    ratio = sum(score_distributions.log_ratio(cells[:, i], counts[i], LAPLACE) for i in range(20))
    assert law.auc() == pytest.approx(metrics.auc(members, ratio), abs=0.012)
    for fpr in (0.001, 0.1):
        low, high = metrics.tpr_at_fpr_interval(members, ratio, fpr, level=0.9999)
        assert low <= law.tpr(fpr) <= high
    assert law.non_members.sum() == pytest.approx(1) and law.members.sum() == pytest.approx(1)


def test_cells_of_different_laws_may_come_in_any_order():
    counts = [*scattered(0.001, 3), *informed(4), *scattered(0.0001, 2)]
    for score in (score_distributions.identity_score, score_distributions.log_ratio):
        first = score_distributions.convolved_distribution(LAPLACE, counts, score)
        turned = score_distributions.convolved_distribution(LAPLACE, counts[::-1], score)
        np.testing.assert_allclose(first.non_members, turned.non_members, atol=1e-12)


# -- the attack ------------------------------------------------------------------------------------


def test_the_informed_ratio_is_a_line_cut_off_at_both_ends():
    x = np.linspace(-40, 40, 1001)
    found = score_distributions.log_ratio(x, score_distributions.NO_OTHERS, LAPLACE)
    np.testing.assert_allclose(found, [listing.laplace_ratio(each, 2) for each in x], atol=1e-12)
    np.testing.assert_allclose(found, np.clip(2 * x - 1, -1, 1) / 2, atol=1e-12)
    np.testing.assert_allclose(
        score_distributions.log_ratio(x, score_distributions.NO_OTHERS, GAUSSIAN),
        (x - 0.5) / GAUSSIAN.scale**2,
        atol=1e-12,
    )


@pytest.mark.parametrize("mechanism", [LAPLACE, GAUSSIAN, Laplace(8)])
def test_the_auxiliary_ratio_is_the_naive_convolution(mechanism):
    law = np.array([0.2, 0.5, 0.0, 0.3])
    x = np.linspace(-9, 12, 53)
    density = score_distributions.noise_distribution(mechanism).pdf
    expected = [listing.convolved_ratio(each, law, density) for each in x]
    np.testing.assert_allclose(
        score_distributions.log_ratio(x, law, mechanism), expected, atol=1e-10
    )


def test_far_values_and_little_noise_do_not_underflow():
    ratios = score_distributions.log_ratio(np.array([-1e4, 1e4]), scattered(0.01)[0], Laplace(50))
    np.testing.assert_allclose(ratios, [-50, 50], atol=1e-6)


def test_no_other_attack_is_better_on_correlated_or_independent_cells():
    rng = np.random.default_rng(5)
    visits = (rng.random((800, 30)) < 0.003).astype(np.uint8)
    train, test = (shadows.shadow_aggregates(visits, 20_000, 400, LAPLACE, rng) for _ in "ab")
    others = shadows.sample_counts(visits, 4000, 400, rng)
    ratio = membership.LikelihoodRatio(LAPLACE, others).fit(*train)
    accuracy = {
        type(attack).__name__: (attack.fit(*train).predict(test[0]) == test[1]).mean()
        for attack in (ratio, membership.OneThreshold(), membership.TwoThreshold())
    }
    best = accuracy.pop("LikelihoodRatio")
    assert best > max(accuracy.values())
    assert best == pytest.approx(
        ratio.score_distribution().accuracy(), abs=STANDARD_ERRORS * 0.5 / 20_000**0.5
    )
    np.testing.assert_allclose(
        ratio.cell_scores(test[0]).sum(axis=1), ratio.decision_function(test[0])
    )


def test_columns_are_chosen_of_aggregates_and_of_others():
    rng = np.random.default_rng(6)
    others = rng.integers(0, 4, (50, 6))
    values, members = rng.normal(size=(20, 6)), np.repeat([1, 0], 10)
    chosen = membership.LikelihoodRatio(LAPLACE, others, [4, 1]).fit(values, members)
    cut = membership.LikelihoodRatio(LAPLACE, others[:, [4, 1]]).fit(values[:, [4, 1]], members)
    np.testing.assert_array_equal(
        chosen.decision_function(values), cut.decision_function(values[:, [4, 1]])
    )


@pytest.mark.parametrize(
    ("attack", "named"),
    [
        (membership.LikelihoodRatio(PostProcess()), "additive|Laplace or Gaussian"),
        (membership.LikelihoodRatio(LAPLACE, np.ones((5, 2))), "the same columns"),
        (membership.LikelihoodRatio(LAPLACE, np.full((5, 3), 0.5)), "others: 0.5"),
        (membership.LikelihoodRatio(LAPLACE, np.full((5, 3), -1)), "others: -1"),
        (membership.LikelihoodRatio(LAPLACE, cells=[7]), "no cell 7"),
    ],
)
def test_bad_input_is_named(attack, named):
    with pytest.raises(ValueError, match=named):
        attack.fit(np.ones((4, 3)), np.array([1, 1, 0, 0]))


def test_laws_refuse_no_cells_and_no_variables():
    with pytest.raises(ValueError, match="no cells"):
        score_distributions.convolved_distribution(LAPLACE, [], score_distributions.identity_score)
    with pytest.raises(ValueError, match="n is 0"):
        score_distributions.laplace_sum_sf(1, 0, 2)

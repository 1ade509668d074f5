"""Shadow aggregates and the two threshold attacks against the paper's listings."""

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from lib import membership, metrics
from lib.datasets import load
from lib.mechanisms import Gaussian, Laplace
from lib.membership import meta_classifier as nets
from lib.membership import shadows
from lib.membership.thresholds import normal_threshold
from tests.reference import thresholds as listing

STANDARD_ERRORS = 4.5  # that a sampled moment may be away
LAPLACE = Laplace(0.5)


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def shadow(rng, n=400, cells=12, theta=0.0, chance=0.05):
    visits = (rng.random((300, cells)) < chance).astype(np.uint8)
    return shadows.shadow_aggregates(visits, n, 150, LAPLACE, rng, theta)


# -- shadow aggregates -----------------------------------------------------------------------------


def test_counts_have_the_law_of_groups_drawn_one_by_one(rng):
    visits = (rng.random((30, 3)) < 0.4).astype(np.uint8)
    counts = shadows.sample_counts(visits, 20_000, 11, rng)
    for cell in range(3):
        law = stats.hypergeom(30, int(visits[:, cell].sum()), 11)
        seen = np.bincount(counts[:, cell].astype(int), minlength=12)
        expected = law.pmf(np.arange(12)) * len(counts)
        usual = expected > 5
        distance = ((seen - expected)[usual] ** 2 / expected[usual]).sum()
        assert distance < stats.chi2.isf(1e-5, usual.sum())
    slow = listing.group_counts(visits, 1500, 11, rng)
    for fast_moment, slow_moment in ((np.cov(counts.T), np.cov(slow.T)),):
        np.testing.assert_allclose(fast_moment, slow_moment, atol=0.4)


def test_subsets_have_their_sizes_and_are_uniform(rng):
    sizes = rng.integers(0, 6, 60_000)
    chosen = shadows._subsets(sizes, 5, rng)
    np.testing.assert_array_equal(chosen.sum(axis=1), sizes)
    pairs = chosen[sizes == 2] @ (1 << np.arange(5))
    _, seen = np.unique(pairs, return_counts=True)
    assert len(seen) == 10
    assert stats.chisquare(seen).pvalue > 1e-5


def test_a_seed_gives_the_same_aggregates(rng):
    first, again = (shadow(np.random.default_rng(3))[0] for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert (shadow(rng)[0] != first).any()


@pytest.mark.parametrize("theta", [0.0, 0.3, 1.0])
def test_what_is_left_of_a_release_shrinks_with_the_share_that_is_known(rng, theta):
    visits = (rng.random((300, 5)) < 0.3).astype(np.uint8)
    values, members = shadows.shadow_aggregates(visits, 40_000, 150, LAPLACE, rng, theta)
    unknown = round(150 * (1 - theta))
    share = visits.mean(axis=0)
    law_variance = unknown * share * (1 - share) * (300 - unknown) / 299 + 8
    error = np.sqrt(law_variance / 20_000)
    outside, inside = values[members == 0], values[members == 1]
    assert (abs(outside.mean(axis=0) - unknown * share) < STANDARD_ERRORS * error).all()
    assert (abs(inside.mean(axis=0) - unknown * share - 1) < STANDARD_ERRORS * error).all()
    np.testing.assert_allclose(outside.var(axis=0), law_variance, rtol=0.08)


def test_the_informed_attackers_shadows_are_noise(rng):
    values, members = shadow(rng, 4000, theta=1.0)
    apart = [values[members == b].ravel() - b for b in (0, 1)]
    for each in apart:
        assert stats.kstest(each, stats.laplace(scale=2).cdf).pvalue > 1e-5


def test_replaced_members_have_one_other_fewer(rng):
    everywhere = np.ones((40, 2), np.uint8)
    still = Laplace(1e9)
    for neighbours, expected in (("add", 11), ("replace", 10)):
        values, members = shadows.shadow_aggregates(
            everywhere, 10, 10, still, rng, neighbours=neighbours
        )
        np.testing.assert_allclose(values[members == 1], expected, atol=1e-5)
        np.testing.assert_allclose(values[members == 0], 10, atol=1e-5)


def test_clipping_keeps_at_most_c_visits_an_epoch_and_any_of_them(rng):
    cabs = load("cabs", n_users=40)
    clipped = shadows.clip_visits(cabs, 1, rng)
    assert clipped.rois_per_epoch().max() == 1 < cabs.rois_per_epoch().max()
    assert (clipped.matrix.multiply(cabs.matrix) != clipped.matrix).nnz == 0
    np.testing.assert_array_equal(clipped.rois_per_epoch(), np.minimum(cabs.rois_per_epoch(), 1))
    other = shadows.clip_visits(cabs, 1, rng)
    assert (other.matrix != clipped.matrix).nnz
    np.testing.assert_array_equal(
        shadows.clip_visits(cabs, 3, rng).rois_per_epoch(), np.minimum(cabs.rois_per_epoch(), 3)
    )


def test_users_are_split_as_in_the_paper_and_the_target_is_in_no_pool(rng):
    six = load("commuters", n_users=401)
    pools = shadows.split_users(six, 5, rng)
    assert [len(pool) for pool in pools] == [200, 200, 100, 100]
    together = np.concatenate([pools.target, pools.train, pools.validation])
    np.testing.assert_array_equal(np.sort(together), np.setdiff1d(np.arange(401), [5]))
    np.testing.assert_array_equal(
        pools.auxiliary, np.sort(np.concatenate([pools.train, pools.validation]))
    )


def test_positive_cells_are_the_targets(rng):
    six = load("six-users")
    cells = shadows.positive_cells(six, 0, 8, rng)
    assert set(cells) == set(np.flatnonzero(six.trace("Ada").ravel()))
    visits = shadows.visits_at(six, np.arange(6), cells)
    assert visits[0].all() and visits.shape == (6, 8)


# -- the two attacks against the listings ----------------------------------------------------------


@pytest.fixture
def game(rng):
    """A target of 5 visits on a 3 x 4 map, shadow aggregates as the listing makes them."""
    z = np.zeros((3, 4), int)
    z.ravel()[rng.choice(12, 5, replace=False)] = 1
    auxiliary = (rng.random((60, 3, 4)) < 0.2).astype(int)
    made = listing.shadow_aggregates(
        auxiliary.tolist(), z.tolist(), 20, 0.5, 40, lambda x: x + rng.laplace(scale=2), rng
    )
    flat = np.array(made).reshape(40, 12)
    return z, made, flat, np.repeat([1, 0], 20)


def test_one_threshold_is_the_listing(game):
    z, made, flat, members = game
    nothing = listing.zeros(z.tolist())

    def score(aggregate):
        return listing.score1(aggregate, nothing, z.tolist())

    for fpr, at in (
        (None, listing.threshold(made, z, score)),
        (0.1, listing.threshold_at(made, z, score, 0.1)),
    ):
        attack = membership.OneThreshold(cells=z.ravel() == 1, fpr=fpr).fit(flat, members)
        assert attack.threshold_ == pytest.approx(at)
        decided = [listing.attack(each, nothing, score, at) for each in made]
        np.testing.assert_array_equal(attack.predict(flat), decided)


def test_two_threshold_is_the_listing_with_halves_below_a_thousand(game):
    z, made, flat, members = game
    nothing, cells = listing.zeros(z.tolist()), np.flatnonzero(z.ravel())
    first, second = made[0::2], made[1::2]  # every other one, members first in both
    for cell_fpr in (None, 0.2):
        by_cell = (
            listing.cell_thresholds(first, z.tolist())
            if cell_fpr is None
            else listing.cell_thresholds_at(first, z.tolist(), cell_fpr)
        )

        def score(aggregate, by_cell=by_cell):
            return listing.score2(aggregate, nothing, z.tolist(), by_cell)

        attack = membership.TwoThreshold(cells=cells, cell_fpr=cell_fpr).fit(flat, members)
        np.testing.assert_allclose(attack.cell_thresholds_, np.array(by_cell).ravel()[cells])
        assert attack.threshold_ == pytest.approx(listing.threshold(second, z, score))
        assert list(attack.score_aggregates(flat)) == [score(each) for each in made]


def test_many_shadow_aggregates_serve_both_thresholds(rng):
    values, members = shadow(rng, 1000)
    attack = membership.TwoThreshold().fit(values, members)
    inside, outside = values[members == 1], values[members == 0]
    expected = (inside.mean(axis=0, dtype=float) + outside.mean(axis=0, dtype=float)) / 2
    np.testing.assert_allclose(attack.cell_thresholds_, expected)


@pytest.mark.parametrize("fpr", [0.01, 0.2])
def test_the_fixed_rate_is_kept_on_fresh_aggregates(rng, fpr):
    values, members = shadow(rng, 20_000)
    fresh, fresh_members = shadow(np.random.default_rng(7), 20_000)  # the same pool, same rng
    for attack in (membership.OneThreshold(fpr=fpr), membership.TwoThreshold(fpr=fpr)):
        flagged = attack.fit(values, members).predict(fresh)[fresh_members == 0].mean()
        if isinstance(attack, membership.OneThreshold):
            assert flagged == pytest.approx(fpr, abs=STANDARD_ERRORS * (fpr / 10_000) ** 0.5)
        else:  # a whole number of cells cannot meet every rate
            assert flagged < 2 * fpr


def test_the_cells_rate_is_kept_in_each_cell(rng):
    values, members = shadow(rng, 20_000)
    attack = membership.TwoThreshold(cell_fpr=0.3).fit(values, members)
    above = (values[members == 0] >= attack.cell_thresholds_).mean(axis=0)
    np.testing.assert_allclose(above, 0.3, atol=1e-3)


def test_the_reference_attack_is_one_threshold_and_noise(rng):
    visits = np.zeros((20, 6), np.uint8)
    z, r = np.array([1, 1, 1, 0, 0, 0]), np.array([0, 0, 1, 1, 0, 0])
    values, members = shadows.shadow_aggregates(visits, 4000, 10, LAPLACE, rng, 1.0, trace=z)
    attack = membership.ReferenceAttack(z, r).fit(values, members)
    np.testing.assert_allclose(
        attack.decision_function(values), values[:, [0, 1]].sum(1) - values[:, 3], atol=1e-4
    )
    apart = membership.ReferenceAttack(z, np.zeros(6)).fit(values, members)
    one = membership.OneThreshold(z == 1).fit(values, members)
    assert metrics.auc(members, apart.decision_function(values)) == pytest.approx(
        metrics.auc(members, one.decision_function(values))
    )
    several = membership.ReferenceAttack(z, np.stack([r, r, 1 - r])).fit(values, members)
    np.testing.assert_allclose(several.weights_, z - (2 * r + (1 - r)) / 3)


def test_estimators_can_be_cloned_with_their_parameters():
    cells = np.array([1, 2])
    for attack in (
        membership.OneThreshold(cells, 0.1),
        membership.TwoThreshold(cells, 0.1, 0.2),
        membership.ReferenceAttack(cells, cells),
        membership.LikelihoodRatio(LAPLACE, None, cells),
        membership.MetaClassifier(cells, hidden=3),
    ):
        names = clone(attack).get_params()
        assert set(names) == set(attack.get_params())


# -- what all attacks share ------------------------------------------------------------------------


def attacks_of(n):
    return {
        "one": membership.OneThreshold(),
        "two": membership.TwoThreshold(),
        "reference": membership.ReferenceAttack(np.ones(n), np.zeros(n)),
        "ratio": membership.LikelihoodRatio(LAPLACE),
        "network": membership.MetaClassifier(max_epochs=1),
    }


@pytest.mark.parametrize("name", attacks_of(1))
def test_only_as_many_columns_as_were_fitted_are_judged(rng, name):
    values, members = shadow(rng)
    attack = attacks_of(12)[name]
    with pytest.raises(NotFittedError):
        attack.decision_function(values)
    assert attack.fit(values, members).n_features_in_ == 12
    for width in (11, 13):
        with pytest.raises(ValueError, match=f"{width} columns; .* was fitted on 12"):
            attack.decision_function(np.ones((4, width)))


def test_a_tie_is_a_member():
    """A score at the threshold; every attack that decides has it with these aggregates."""
    values, members = np.array([[1.0], [1.0], [0.0], [0.0]] * 3), np.array([1, 1, 0, 0] * 3)
    one = membership.OneThreshold().fit(values, members)
    two = membership.TwoThreshold().fit(values, members)
    ratio = membership.LikelihoodRatio(LAPLACE).fit(values, members)
    network = membership.MetaClassifier(max_epochs=1).fit(values, members)
    network.network_ = nets.one_threshold_network(1, 0.5, 1.0, 1.0)
    two.threshold_ = 1.0  # a count can only reach whole thresholds
    for attack in (one, two, ratio, network):
        at = np.array([[0.5]])
        assert attack.decision_function(at) == [0], attack
        assert attack.predict(at) == [1], attack


def test_the_reference_attack_does_not_decide():
    assert not hasattr(membership.ReferenceAttack([1], [0]), "predict")


# -- bad input -------------------------------------------------------------------------------------


POOL = np.ones((10, 3), np.uint8)


def fit(attack, values=None, members=(1, 1, 0, 0)):
    values = np.arange(12.0).reshape(4, 3) if values is None else values
    return attack.fit(values, np.array(members))


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda r: shadows.shadow_aggregates(POOL, 4, 5, LAPLACE, r, 1.5), "theta is 1.5"),
        (lambda r: shadows.shadow_aggregates(POOL, 4, 5, LAPLACE, r, np.nan), "theta is nan"),
        (lambda r: shadows.shadow_aggregates(POOL, 4, 11, LAPLACE, r), "allows 1 to 10"),
        (lambda r: shadows.shadow_aggregates(POOL, 3, 5, LAPLACE, r), "n_shadow is 3"),
        (lambda r: shadows.shadow_aggregates(POOL, 4, 5, LAPLACE, r, neighbours="x"), "'x'"),
        (lambda r: shadows.shadow_aggregates(POOL, 4, 5, LAPLACE, r, trace=[1]), "trace is"),
        (lambda r: shadows.sample_counts(POOL, 4, 11, r), "group_size is 11"),
        (lambda r: shadows.sample_counts(POOL, 0, 1, r), "n_groups is 0"),
        (lambda r: shadows.clip_visits(load("six-users"), 0, r), "C is 0"),
        (lambda r: shadows.clip_visits(load("six-users"), 1.5, r), "most is 1.5"),
        (lambda r: shadows.positive_cells(load("six-users"), 0, 9, r), "allows 1 to 8"),
        (lambda r: shadows.positive_cells(load("six-users"), 6, 1, r), "target is 6"),
        (lambda r: fit(membership.OneThreshold(fpr=0.0)), "fpr is 0"),
        (lambda r: fit(membership.OneThreshold(fpr=1.0)), "fpr is 1"),
        (lambda r: fit(membership.TwoThreshold(fpr=1.0)), "fpr is 1"),
        (lambda r: fit(membership.TwoThreshold(cell_fpr=0.0)), "cell_fpr is 0"),
        (lambda r: normal_threshold(np.arange(4), np.array([1, 0, 1, 0]), np.nan), "fpr is nan"),
        (lambda r: fit(membership.OneThreshold([3])), "no cell 3"),
        (lambda r: fit(membership.OneThreshold([])), "no positive cell"),
        (lambda r: fit(membership.OneThreshold([0.5])), "cells are float64"),
        (lambda r: fit(membership.OneThreshold([True])), "a mask of 3 columns"),
        (lambda r: fit(membership.OneThreshold(), members=(1, 1, 1, 1)), "both classes"),
        (lambda r: fit(membership.OneThreshold(), members=(1, 2, 0, 0)), "members holds 2"),
        (lambda r: fit(membership.OneThreshold(), members=(1, 0)), "one for each of the 4"),
        (lambda r: fit(membership.OneThreshold(), np.full((4, 3), np.inf)), "not finite"),
        (lambda r: fit(membership.OneThreshold(), np.ones(4)), "was expected"),
        (lambda r: fit(membership.TwoThreshold(), np.ones((2, 3)), (1, 0)), "both classes"),
        (lambda r: fit(membership.ReferenceAttack([1, 0], [0, 1])), r"trace is \(2,\)"),
        (lambda r: fit(membership.ReferenceAttack([0, 0, 0], [0, 1, 0])), "no visit"),
    ],
)
def test_bad_input_is_named(rng, call, named):
    with pytest.raises(ValueError, match=named):
        call(rng)


def test_the_textbooks_gaussian_scale():
    gaussian = Gaussian(0.5, 1 / (2 * 1999), calibration="classical")
    assert gaussian.scale == pytest.approx(8.25, abs=0.005)
    with pytest.raises(ValueError, match="one of printed, classical, analytic"):
        Gaussian(0.5, 0.1, calibration="x")

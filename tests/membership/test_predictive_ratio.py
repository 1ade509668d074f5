"""The predictive likelihood ratio: by its definition, with a huge pool, and where it must help."""

import numpy as np
import pytest
from scipy import integrate, stats

from lib import membership
from lib.mechanisms import Gaussian, Laplace
from lib.membership import predictive, score_distributions, shadows

LAPLACE = Laplace(0.5)
VISITS = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 1]])
ASKED = np.array([[0.4, 2.1, -1.0], [3.0, 3.5, 0.2], [-4.0, 9.0, 1.5], [1.0, 1.0, 1.0]])


def fitted(attack, mechanism, visits, size, **more):
    """The attack; what it is fitted on only sets the columns."""
    return attack(mechanism, visits, size, **more).fit(
        np.zeros((2, np.shape(visits)[1])), np.array([0, 1])
    )


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("chance", [0.1, 0.5])
def test_numbers_are_poisson_with_a_gamma_rate(n, chance):
    pmf = predictive.predictive(n, chance)
    for count in range(4):
        mixed, _ = integrate.quad(
            lambda root: (  # rate = root², as the density of a rate is unbounded at 0
                stats.poisson.pmf(count, chance * root**2)  # noqa: B023
                * stats.gamma.pdf(root**2, n + 0.5)
                * 2
                * root
            ),
            0,
            12,
        )
        assert pmf[count] == pytest.approx(mixed, abs=1e-7)
    assert pmf @ np.arange(len(pmf)) == pytest.approx(chance * (n + 0.5), abs=1e-6)


@pytest.mark.parametrize("mechanism", [LAPLACE, Gaussian(0.9, 0.05, calibration="classical")])
def test_it_is_the_average_over_groups_of_companions_and_over_others(mechanism):
    attack = fitted(membership.PredictiveRatio, mechanism, VISITS, 3, n_groups=500)
    density = score_distributions.noise_distribution(mechanism).pdf
    others = [predictive.predictive(n, 3 / 7) for n in (1, 0, 1)]  # who visit one cell only
    for asked, found in zip(ASKED, attack.decision_function(ASKED), strict=True):
        total = np.zeros(2)
        for counts, chance in zip(attack.counts_, attack.chances_, strict=True):
            for added in (0, 1):
                cells = [
                    sum(p * density(asked[c] - counts[c] - added - k) for k, p in enumerate(pmf))
                    for c, pmf in enumerate(others)
                ]
                total[added] += chance * np.prod(cells)
        assert found == pytest.approx(np.log(total[1] / total[0]), abs=1e-6)


def test_with_many_people_in_the_pool_it_is_the_correlated_ratio():
    rng = np.random.default_rng(3)
    visits = np.repeat(np.eye(3, dtype=int), 4000, axis=0)
    values = rng.normal(2, 2, (200, 3))
    plain, unsure = (
        fitted(attack, LAPLACE, visits, 6).decision_function(values)
        for attack in (membership.CorrelatedRatio, membership.PredictiveRatio)
    )
    np.testing.assert_allclose(unsure, plain, atol=0.01)


@pytest.mark.parametrize("seed", range(6))
def test_it_is_less_often_sure_and_wrong_about_people_whom_the_pool_lacks(seed):
    rng = np.random.default_rng(seed)
    pool, released = np.zeros((100, 8), np.uint8), (rng.random((100, 8)) < 0.01).astype(np.uint8)
    trace = np.ones(8, int)
    values, members = shadows.shadow_aggregates(released, 4000, 50, Laplace(2.0), rng, 0.0, trace)
    loss = [
        np.logaddexp(0, np.where(members, -1, 1) * attack.decision_function(values)).mean()
        for attack in (
            fitted(membership.PredictiveRatio, Laplace(2.0), pool, 50),
            fitted(membership.CorrelatedRatio, Laplace(2.0), pool, 50),
        )
    ]
    assert loss[0] < loss[1]

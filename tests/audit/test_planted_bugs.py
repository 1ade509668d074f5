"""Six bugs of noisy releases: which of them the bounds on epsilon see, and none in right noise."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import fft

from lib import audit
from lib.audit import epsilon, verdicts
from lib.audit.games import Game
from lib.audit.measures import CONFIDENCE, epsilon_of_mu, gaussian_epsilon
from lib.audit.releases import Plan, Shape, replace_noise
from lib.mechanisms import FourierPerturbation, Gaussian, Laplace
from tests.audit.test_audit import PEOPLE

LAPLACE = {"mechanisms": [{"name": "user-level-laplace", "epsilon": 1.0}], "cap": 20}
GAUSSIAN = {"mechanisms": [{"name": "user-level-gaussian", "epsilon": 1.0}], "cap": 20}
FOURIER = {"mechanisms": [{"name": "fpa", "epsilon": 1.0, "kappa": 4}], "cap": 20}


class OneForAllHours(Laplace):
    """Noise is drawn once for each place and used for all its hours."""

    def apply(self, counts, rng, group_size):
        return counts + rng.laplace(scale=self.scale, size=(*counts.shape[:-1], 1))


class SameForAllReleases(Laplace):
    """The seed is fixed, so every release has the same noise."""

    def apply(self, counts, rng, group_size):
        shape = counts.shape[-2:]
        return counts + np.random.default_rng(0).laplace(scale=self.scale, size=shape)


class Unnormalised(FourierPerturbation):
    """The scale is that of orthonormal coefficients, and the coefficients are not."""

    def apply(self, counts, rng, group_size):
        kept = fft.rfft(counts)[..., : self.kappa]
        noise = rng.laplace(scale=self.scale, size=(*kept.shape, 2)).view(complex)[..., 0]
        return fft.irfft(kept + noise, counts.shape[-1])


def halved(plan):
    return replace_noise(plan, Laplace(2 * plan.noise.epsilon, plan.noise.sensitivity))


def without_cap(plan):
    plan = Plan(plan.release, plan.shape)
    plan.bound = None
    return plan


def delta_twice(plan):
    """Half of delta was meant for each of two noises; both were given all of it."""
    return replace_noise(plan, replace(plan.noise, delta=2 * plan.noise.delta))


def as_(kind):
    return lambda plan: replace_noise(
        plan, kind(**{name: getattr(plan.noise, name) for name in plan.noise.__dataclass_fields__})
    )


BUGS = {
    "half the scale": (LAPLACE, halved),
    "forgotten cap": (LAPLACE, without_cap),
    "unnormalised transform": (FOURIER, as_(Unnormalised)),
    "noise reused over hours": (LAPLACE, as_(OneForAllHours)),
    "fixed seed": (LAPLACE, as_(SameForAllReleases)),
    "delta spent twice": (GAUSSIAN, delta_twice),
}


def bounds(given, bug=None, seed=0):
    """All bounds on the epsilon of a release, with a bug or without."""
    game = Game(PEOPLE, audit.parse(given), seed, quick=True)
    if bug is not None:
        declared = game.plan.delta, game.plan.epsilon
        game.plan = bug(game.plan)
        assert (game.plan.delta, game.plan.epsilon) == declared
    return epsilon.audit_epsilon(game)


@pytest.mark.parametrize("name", list(BUGS))
def test_planted_bugs_are_seen(name):
    found = bounds(*BUGS[name])
    seen = {each["attack"] for each in found["empirical"] if each["lower"] > each["declared"]}
    expected = {
        "half the scale": "a crowd in one cell",
        "forgotten cap": "largest unit in the records",
        "unnormalised transform": "one person at one place",
        "noise reused over hours": "a crowd, difference of two hours",
        "fixed seed": "a crowd in one cell",
        "delta spent twice": "largest unit in the records",
    }
    assert found["exceeded"] and expected[name] in seen
    verdict, reasons = verdicts.verdict([], found, True)
    assert verdict == "fail" and reasons[0].startswith("Empirical epsilon (")


@pytest.mark.parametrize("given", [LAPLACE, GAUSSIAN, FOURIER], ids=["laplace", "gaussian", "fpa"])
def test_right_noise_is_not_suspected(given):
    for seed in range(5):
        assert not bounds(given, seed=seed)["exceeded"]


@pytest.mark.slow
@pytest.mark.parametrize("given", [LAPLACE, GAUSSIAN, FOURIER], ids=["laplace", "gaussian", "fpa"])
def test_right_noise_is_suspected_no_more_often_than_confidence_allows(given):
    assert sum(bounds(given, seed=seed)["exceeded"] for seed in range(60)) <= 7


# -- the trade-off curve of Gaussian noise ---------------------------------------------------------


def test_gaussian_noise_is_bounded_by_nearly_all_of_its_epsilon():
    plan = Plan(audit.parse("gaussian-user-epsilon-1"), Shape(10, 672, 24))
    trials, rng = 1_000_000, np.random.default_rng(0)
    lower = epsilon.one_cell_bound(plan, trials, 1000, rng).lower
    assert 0.91 < lower <= 1
    assert lower < epsilon.one_cell_bound(plan, trials, 1000, rng, 0.5).lower


def test_gaussian_bounds_hold_as_often_as_they_should():
    mu, delta, runs = 0.8, 1e-5, 300
    true = epsilon_of_mu(mu, delta)
    rng = np.random.default_rng(1)
    lower = [
        gaussian_epsilon(rng.normal(size=2000), rng.normal(mu, size=2000), delta).lower
        for _ in range(runs)
    ]
    assert sum(each > true for each in lower) <= runs * (1 - CONFIDENCE) * 1.5
    assert np.mean(lower) > 0.7 * true
    assert epsilon_of_mu(1 / Gaussian(1.0, 1e-5, 1.0, "analytic").scale, 1e-5) == pytest.approx(1)


# -- Fourier perturbation --------------------------------------------------------------------------


def test_fourier_perturbation_is_above_its_nominal_epsilon_for_a_person():
    """The bound is reached: with the person's change and more, no release is more telling."""
    plan = Plan(audit.parse({"preset": "fpa-epsilon-1"}), Shape(30, 96, 24))
    person = epsilon.crafted_person(plan)
    exact = epsilon.exact_epsilon(plan, person)
    assert person.sum() <= plan.cap and (person.sum(axis=0) <= 1).all()
    assert 1 < exact <= plan.epsilon
    kept = fft.rfft(person, norm="ortho")[:, : plan.noise.kappa]
    published = fft.irfft(2 * kept, person.shape[1], norm="ortho")
    ratio = epsilon.fourier_log_ratio(plan.noise, published[None], 0 * person[None], person)
    assert ratio == pytest.approx(exact)
    found = bounds({"preset": "fpa-epsilon-1"})
    _, reasons = verdicts.verdict([], found, True)
    assert found["nominal"] == 1 and not found["exceeded"]
    assert any(reason.startswith("Nominal epsilon: 1 is for one person") for reason in reasons)
    assert epsilon.exact_epsilon(plan, epsilon.crafted_person(plan, 1)) <= 1

"""The search over the noise of Table III: conventions against sums by hand, and the counting."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import fft

from lib.mechanisms import (
    EnhancedFourierPerturbation,
    FourierPerturbation,
    Gaussian,
    Laplace,
    PostProcess,
    fourier_reconstruction,
)
from lib.membership.game import strategic_task
from lib.papers.knock_knock import defense_experiments as defenses
from lib.papers.knock_knock import noise_interpretations as noise
from lib.papers.knock_knock import noise_search
from lib.papers.knock_knock.interpretation_experiments import BOUNDS, DIVISIONS, WITHIN
from lib.randomness import stream

COUNTS = np.random.default_rng(5).poisson(3.0, (2, 3, 12)).astype(float)
SIZE = np.asarray(10)
D = 9.0  # sensitivity


def noisy(mechanism, seed=1, **choices):
    reading = noise.NoiseReading(mechanism, 0.5, D, noise.LITERAL | choices, kappa=4)
    return reading.apply(COUNTS, np.random.default_rng(seed), SIZE)


@pytest.mark.parametrize(
    ("mechanism", "library"),
    [
        ("LPA(Δ/ε)", Laplace(0.5, D)),
        ("LPA(1/ε)", Laplace(0.5)),
        ("GSM", Gaussian(0.5, 0.1, D**0.5)),
        ("FPA", FourierPerturbation(0.5, 4, D**0.5)),
        ("EFPAG", EnhancedFourierPerturbation(0.5, 0.1, D**0.5)),
    ],
)
def test_the_printed_convention_is_the_librarys_mechanism(mechanism, library):
    expected = library.apply(COUNTS, np.random.default_rng(1), SIZE)
    np.testing.assert_allclose(noisy(mechanism), expected, atol=1e-9)


def by_sums(choices, seed=1):
    """FPA under a convention, by the sums that define the transforms."""
    n, kappa = COUNTS.shape[-1], 4
    parts = np.random.default_rng(seed).laplace(
        scale=np.sqrt(kappa) * D**0.5 / 0.5, size=(2, 3, kappa, 2)
    )
    added = parts[..., 0] + (0 if choices["noise"] == "real" else 1j) * parts[..., 1]
    forward = n**-0.5 if choices["transform"] == "orthonormal" else 1.0
    back = n**-0.5 if choices["transform"] == "orthonormal" else 1 / n
    t = np.arange(n)
    out = np.zeros_like(COUNTS)
    for i, j in itertools.product(range(2), range(3)):
        series = COUNTS[i, j]
        for k in range(kappa):
            wave = np.exp(2j * np.pi * k * t / n)
            coefficient = forward * (series * wave.conj()).sum()
            kept = coefficient if choices["others"] == "dropped" else 0.0
            value = kept + added[i, j, k]
            if choices["half"] == "mirrored" and k == 0:
                value = value.real  # the first coefficient of a real series is real
            twice = 2 if choices["half"] == "mirrored" and k else 1
            out[i, j] += back * twice * (value * wave).real
        if choices["others"] == "left":
            out[i, j] += series
    return out


def test_every_convention_of_fpa_is_its_sums():
    for choices in noise.variants("FPA"):
        own = {name: choices[name] for name in noise.CONCERNS["FPA"]}
        np.testing.assert_allclose(noisy("FPA", **own), by_sums(choices), atol=1e-9, err_msg=own)


def test_a_constant_of_one_takes_the_root_of_two_off_the_noise():
    printed, smaller = noisy("GSM") - COUNTS, noisy("GSM", root="1") - COUNTS
    np.testing.assert_allclose(printed, 2**0.5 * smaller)


def test_efpag_that_leaves_the_other_coefficients_has_no_truncation_error():
    few = np.zeros((1, 1, 12))
    few[..., 3] = 100.0  # far from smooth: all coefficients matter
    for root, transform in itertools.product("21", ("orthonormal", "plain")):
        convention = noise.LITERAL | {"root": root, "transform": transform, "others": "left"}
        reading = noise.NoiseReading("EFPAG", 1e7, D, convention)
        np.testing.assert_allclose(
            reading.apply(few, np.random.default_rng(0), SIZE), few, atol=1e-3
        )
    plain = noise.NoiseReading("EFPAG", 0.5, D, noise.LITERAL | {"transform": "plain"})
    library = EnhancedFourierPerturbation(0.5, 0.1, (D / 12) ** 0.5)
    draws = (each.apply(COUNTS, np.random.default_rng(3), SIZE) for each in (plain, library))
    np.testing.assert_allclose(*draws, atol=1e-9)


def test_efpag_with_a_constant_of_one_draws_smaller_noise():
    def on_the_first_coefficient(**choices):  # which is always kept
        return fft.dct(noisy("EFPAG", **choices) - COUNTS, norm="ortho")[..., 0]

    printed, smaller = on_the_first_coefficient(), on_the_first_coefficient(root="1")
    np.testing.assert_allclose(printed, 2**0.5 * smaller)


def test_truncation_alone_is_the_librarys():
    reading = noise.NoiseReading("FPA", 1e12, D, kappa=4)
    np.testing.assert_allclose(
        reading.apply(COUNTS, np.random.default_rng(0), SIZE),
        fourier_reconstruction(COUNTS, 4),
        atol=1e-6,
    )


def test_names_tell_conventions_apart():
    for mechanism, concerns in noise.CONCERNS.items():
        names = [noise.name_of(mechanism, each) for each in noise.variants(mechanism)]
        assert len(set(names)) == len(names) == 2 ** len(concerns)
        assert noise.variants(mechanism)[0] == noise.LITERAL


def test_gains_are_those_of_attacks_on_the_conventions_release():
    everybody = defenses.population("flights-by-number")
    week = everybody.select(users=everybody.users[:120])
    target = defenses.targets(week, data="x", n_per_third=1)[0]
    setting = {"data": "x", "group_size": 20, "n_groups": 40, "n_per_third": 1}
    rows = pd.DataFrame(
        noise.noise_games.function(week, target, classifier="LR", sensitivity=30.0, **setting)
    )
    assert len(rows) == len(noise._played()) == 15
    of = defenses.DefendedGame(week, target, classifier="LR", **setting)
    task = of.task()
    gsm = noise.NoiseReading("GSM", 10.0, 30.0, noise.LITERAL | {"root": "1"})
    rng = stream(of.seed, "kk-noise-games", "x", target, "GSM", "root 1")
    met = strategic_task(task, [gsm, PostProcess()], rng)
    cells = met.test.reshape(len(met.test), -1)
    row = rows[rows["convention"] == "root 1"]
    for who, learned in (("passive", task), ("strategic", met)):
        margin = of.fit(learned).decision_function(cells)
        inside, outside = margin[met.test_members == 1], margin[met.test_members == 0]
        pairs = inside[:, None] - outside[None]
        expected = (pairs > 0).mean() + (pairs == 0).mean() / 2
        assert row[who].item() == pytest.approx(expected)


# -- counting what is met --------------------------------------------------------------------------


def world(here, published):
    """A search of a few made-up tables."""
    here, published = np.asarray(here, float), np.asarray(published, float)
    return noise_search.Search(
        pd.DataFrame(index=range(len(here))), here, published, 0.05 * published
    )


PUBLISHED = np.array(
    [[100, 50, 20, 4], [80, 30, 9, 1], [60, 10, 2, 0.2], [40, 5, 1, 0.1], [20, 2, 0.3, 0.01]]
)


def test_numbers_within_five_percent_are_met():
    factors = np.array([1.0, 1.049, 1.051, 0.951, 0.949])
    found = world([PUBLISHED * each for each in factors], PUBLISHED)
    assert found.met().all(axis=(1, 2)).tolist() == [True, True, False, True, False]
    assert noise_search.rank(found)[0] == 0
    assert noise_search.distance(found)[0] == 0


def test_chance_meets_less_than_the_code_that_made_the_table():
    tables = PUBLISHED * np.random.default_rng(0).uniform(0.5, 2, (50, 5, 4))
    found = world([PUBLISHED, *tables], PUBLISHED)
    for kind in ("permuted", "displaced"):
        best = noise_search.best_by_chance(found, kind)
        assert len(best) == noise_search.SHUFFLES
        assert found.met().sum(axis=(1, 2)).max() == 20 > best.mean() + 5
    same = np.broadcast_to(PUBLISHED[:1], PUBLISHED.shape)  # nothing to permute
    assert (noise_search.best_by_chance(world([same], same), "permuted") == 20).all()


def test_the_search_collects_each_table_from_the_stored_rows():
    found, rows = noise_search.search(), noise.noise_errors.stored("cabspotting")
    assert len(found.combinations) == 16 * 2 ** len(noise.CHOICES) * len(noise.SENSITIVITIES)
    rng = np.random.default_rng(4)
    for at in [noise_search.literal(found), *rng.choice(len(found.combinations), 20)]:
        each = found.combinations.iloc[at]
        for m, mechanism in enumerate(noise.CONCERNS):
            swept = each["Δ"] if mechanism != "LPA(1/ε)" else noise.SENSITIVITIES[0]
            same = rows[
                (rows["mechanism"] == mechanism)
                & (rows["convention"] == (noise.name_of(mechanism, each) or noise.NO_CHOICE))
                & (rows["Δ"] == swept)
                & (rows["division"] == each["division"])
                & (rows["within"] == each["within"])
            ]
            assert same.sort_values("ε")[each["bound"]].tolist() == found.here[at, m].tolist()
    first = found.combinations.iloc[noise_search.literal(found)]
    assert first["division"] == DIVISIONS[0] and first["within"] == WITHIN[0]
    assert first["bound"] == BOUNDS[0] and first["Δ"] == 2685
    assert found.published[0].tolist() == [131.9, 129.3, 114.4, 41.9]


def test_a_restricted_search_has_the_allowed_choices_only():
    found = noise_search.search()
    part = noise_search.restricted(found, root=["2"], noise=["complex"])
    assert len(part.here) == len(found.here) / 4
    assert set(part.combinations["root"]) == {"2"}

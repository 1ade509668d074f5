"""Space, time and activity from a release: the listings' values, in every privacy setting."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib.datasets import mobility
from lib.mechanisms import (
    Gaussian,
    Laplace,
    PostProcess,
    SuppressSmallCounts,
    release,
    release_traces,
)
from lib.membership import marginals
from lib.traces import Grid
from tests.reference import zero_knowledge as reference

GRID = Grid(45.40, 45.54, 9.08, 9.29, 10, 10).rois()
N_USERS, MEAN = 400, 25.0
SETTINGS = {
    "raw": [],
    "suppressed": [SuppressSmallCounts(2)],
    "noisy": [Laplace(1), PostProcess("down")],
    "noisy, suppressed": [Laplace(1), PostProcess("down"), SuppressSmallCounts(2)],
}


def variation(p, q):
    return 0.5 * np.abs(np.asarray(p) - q).sum()


@pytest.fixture(scope="module")
def population():
    """True marginals of a model, and traces sampled from it."""
    rng = np.random.default_rng(0)
    row, column = np.divmod(np.arange(100), 10)
    space = np.exp(-np.hypot(row - 4, column - 5) / 2.5)
    time = 1.1 + np.sin(2 * np.pi * np.arange(48) / 24)
    space, time = space / space.sum(), time / time.sum()
    n_visits = np.floor(MEAN + rng.random(N_USERS))
    traces = mobility.synthesize(space, time, n_visits, GRID, N_USERS, rng)
    return space, time, traces


def released(traces, mechanisms, seed=1):
    groups = [np.arange(traces.n_users)]
    return release_traces(traces, groups, mechanisms, np.random.default_rng(seed))[0]


# -- transforms ----------------------------------------------------------------------------------


def test_empirical_marginals_are_the_shares_of_rows_and_columns():
    counts = np.random.default_rng(0).integers(0, 5, (4, 6))
    here = marginals.empirical_marginals(counts, 5)
    expected = reference.empirical_marginals(counts.tolist())
    for found, wanted in zip(here, expected, strict=True):
        np.testing.assert_allclose(found, wanted)


def test_log_compression_flattens_and_keeps_zeros():
    compressed = marginals.log_compress(np.array([0.7, 0.2, 0.1, 0.0]))
    logs = np.log([8, 3, 2, 1])
    np.testing.assert_allclose(compressed, logs / logs.sum())
    assert compressed[3] == 0


def test_exponentiation_hardly_changes_small_probabilities():
    """Why ZK's Fig. 5 finds that it fails: e^x - 1 is x where x is small."""
    noisy = np.linspace(1, 1.2, 500) / np.linspace(1, 1.2, 500).sum()
    assert variation(marginals.exponentiate(noisy), noisy) < 1e-4


@pytest.mark.parametrize("spread", [0.02, 0.1, 0.3, 2.0])
def test_selected_power_is_the_listing_s(spread):
    rng = np.random.default_rng(3)
    marginal = np.exp(spread * rng.normal(size=60))
    marginal /= marginal.sum()
    variance = marginals.reference_variance(60)
    assert marginals.select_power(marginal, variance) == pytest.approx(
        reference.select_power(marginal.tolist(), variance)
    )


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=30), st.floats(1, 20))
@settings(max_examples=60, deadline=None)
def test_variance_grows_with_the_power_so_that_the_search_ends(values, power):
    marginal = np.array(values)
    if not marginal.max() > 0:
        return
    smaller, larger = (np.var(marginals.raise_to_power(marginal, p)) for p in (power, 1.5 * power))
    assert larger >= smaller - 1e-12


def test_a_marginal_that_varies_enough_is_left_alone():
    marginal = np.array([0.97, 0.01, 0.02])
    transformed, power = marginals.power_transform(marginal)
    assert power == 1
    np.testing.assert_allclose(transformed, marginal)


def test_a_uniform_marginal_stops_at_the_largest_power_with_a_warning():
    with pytest.warns(UserWarning, match="no power up to 50"):
        transformed, power = marginals.power_transform(np.full(20, 0.05))
    assert power == marginals.LARGEST_POWER
    np.testing.assert_allclose(transformed, 0.05)


def test_reference_variance_is_the_expectation_of_the_printed_draw():
    rng = np.random.default_rng(0)
    draws = [marginals.reference_variance(300, rng) for _ in range(200)]
    error = np.std(draws) / np.sqrt(200)
    assert abs(np.mean(draws) - marginals.reference_variance(300)) < 4 * error + 1e-2 / 300**2


# -- settings ------------------------------------------------------------------------------------


def test_each_setting_uses_the_transform_of_algorithm_2(population):
    traces = population[2]
    rng = np.random.default_rng(0)
    for name, mechanisms in SETTINGS.items():
        counts = released(traces, mechanisms)
        found = marginals.estimate(counts, mechanisms, N_USERS, GRID, rng)
        direct = marginals.empirical_marginals(counts, N_USERS)
        for here, empirical in zip((found.space, found.time), direct, strict=True):
            expected = {"raw": lambda x: x, "suppressed": marginals.log_compress}.get(
                name, lambda x: marginals.power_transform(x)[0]
            )(empirical)
            np.testing.assert_allclose(here, expected)
        assert (found.powers is not None) == ("noisy" in name)
        if name == "raw":
            assert found.mean_visits == counts.sum() / N_USERS


@pytest.mark.parametrize(
    "mechanisms", [[PostProcess("down")], [SuppressSmallCounts(1)], [PostProcess(clip=False)]]
)
def test_what_changes_nothing_counts_as_raw(population, mechanisms):
    counts = released(population[2], mechanisms)
    found = marginals.estimate(counts, mechanisms, N_USERS, GRID, np.random.default_rng(0))
    assert found.mean_visits == counts.sum() / N_USERS and found.powers is None


def test_gaussian_noise_is_noise(population):
    mechanisms = [Gaussian(1, 1e-3), PostProcess("down")]
    counts = released(population[2], mechanisms)
    found = marginals.estimate(counts, mechanisms, N_USERS, GRID, np.random.default_rng(0))
    assert found.powers is not None


@pytest.mark.parametrize("name", SETTINGS)
def test_the_mean_is_found_where_the_marginals_are_right(population, name):
    space, time, traces = population
    mechanisms = SETTINGS[name]
    found = marginals.estimate_mean(
        released(traces, mechanisms),
        space,
        time,
        mechanisms,
        N_USERS,
        GRID,
        np.random.default_rng(2),
    )
    assert found == pytest.approx(MEAN, rel=0.05)


def test_the_mean_is_the_listing_s(population):
    points, rng = np.random.default_rng(0).random((15, 2)), np.random.default_rng(4)
    space, time = rng.dirichlet(np.ones(15)), np.full(24, 1 / 24)
    traces = mobility.synthesize(space, time, np.full(80, 12), points, 80, rng)
    mechanisms = SETTINGS["noisy"]
    counts = released(traces, mechanisms)
    neighbours = mobility.triangulate(points)
    listed = reference.estimate_mean(
        counts,
        space,
        time,
        [set(row) for row in np.split(neighbours.indices, neighbours.indptr[1:-1])],
        10,
        80,
        lambda raw: release(raw, mechanisms, rng, 80),
        rng,
    )
    here = [
        marginals.estimate_mean(
            counts, space, time, mechanisms, 80, points, np.random.default_rng(seed)
        )
        for seed in range(8)
    ]
    # the sum of 360 noises of scale 1 is uncertain by about 0.2 visits a user, on either side
    assert abs(np.mean(here) - listed) < 0.6


def test_suppression_makes_the_two_inner_activities_differ(population):
    space, time, _ = population
    rng = np.random.default_rng(0)
    traces = mobility.synthesize(space, time, stats.expon(scale=MEAN), GRID, N_USERS, rng)
    mechanisms = [SuppressSmallCounts(4)]
    counts = released(traces, mechanisms)
    constant, exponential = (
        marginals.estimate_mean(
            counts,
            space,
            time,
            mechanisms,
            N_USERS,
            GRID,
            np.random.default_rng(0),
            inner_activity=activity,
        )
        for activity in ("constant", "exponential")
    )
    assert exponential == pytest.approx(traces.report.read / N_USERS, rel=0.03)
    assert constant < 0.98 * exponential  # repeats in a cell grow with the square of the visits


# -- it always ends ------------------------------------------------------------------------------


def one_survivor():
    counts = np.zeros((100, 48), int)
    counts[3, 5] = 6
    return counts


@pytest.mark.parametrize(
    ("counts", "mechanisms"),
    [
        (one_survivor(), [SuppressSmallCounts(6)]),
        (np.full((100, 48), N_USERS), SETTINGS["noisy"]),  # more than any traces can give
        (np.eye(100, 48), SETTINGS["noisy"]),  # less than the noise alone gives
        (np.full((100, 48), N_USERS), [SuppressSmallCounts(2)]),
    ],
)
def test_the_search_ends_in_few_synthetic_groups(counts, mechanisms, monkeypatch):
    calls = []
    synthesize = mobility.synthesize
    monkeypatch.setattr(
        mobility, "synthesize", lambda *a, **k: calls.append(1) or synthesize(*a, **k)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # uniform releases have no power
        found = marginals.estimate(counts, mechanisms, N_USERS, GRID, np.random.default_rng(0))
    assert marginals.LEAST_MEAN <= found.mean_visits <= 10 * 48
    assert len(calls) <= 40


def test_more_noise_than_signal_still_gives_a_mean():
    mechanisms = [Laplace(0.1, 20), PostProcess("down")]
    counts = release(np.zeros((100, 48)), mechanisms, np.random.default_rng(0), N_USERS)
    found = marginals.estimate(counts, mechanisms, N_USERS, GRID, np.random.default_rng(1))
    assert marginals.LEAST_MEAN <= found.mean_visits <= 10 * 48


# -- bad input -----------------------------------------------------------------------------------


def test_an_empty_release_says_nothing(population):
    for counts in (
        np.zeros((100, 48)),
        released(population[2], [SuppressSmallCounts(N_USERS + 1)]),
    ):
        with pytest.raises(marginals.EmptyRelease, match="none were there, or all were suppressed"):
            marginals.estimate(counts, [], N_USERS, GRID, np.random.default_rng(0))
    assert issubclass(marginals.EmptyRelease, ValueError)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (np.full((100, 48), -0.5), r"count -0.5 at \(0, 0\): 0 to 400.*clip a noisy release"),
        (np.full((100, 48), 401), "count 401"),
        (np.full((100, 48), np.nan), "count nan"),
        (np.ones((1, 100, 48)), r"\(1, 100, 48\)"),
    ],
)
def test_a_release_that_cannot_be_is_refused(counts, message):
    with pytest.raises(ValueError, match=message):
        marginals.estimate(counts, [], N_USERS, GRID, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inner_activity": "poisson"}, "inner_activity is 'poisson'"),
        ({"coordinates": GRID.iloc[:3]}, "3 distinct ROI positions"),
        ({"coordinates": GRID.iloc[:10]}, "on one line"),
    ],
)
def test_other_bad_input_is_refused(population, change, message):
    counts = released(population[2], SETTINGS["noisy"])
    given = {"coordinates": GRID} | change
    with pytest.raises(ValueError, match=message):
        marginals.estimate(
            counts, SETTINGS["noisy"], N_USERS, rng=np.random.default_rng(0), **given
        )

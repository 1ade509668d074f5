"""Marginals by likelihood: the right channel, the right rates, and nearer than the transforms."""

import warnings

import numpy as np
import pytest
from scipy import stats

from lib.aggregation import sample_groups
from lib.datasets import load
from lib.mechanisms import (
    Gaussian,
    Laplace,
    PostProcess,
    SuppressSmallCounts,
    release,
    release_traces,
)
from lib.membership import counts_likelihood as likelihood
from lib.membership import marginals

GROUP = 30
DOWN, NEAREST = PostProcess("down"), PostProcess("nearest")
CHANNELS = {
    "raw": [],
    "suppressed": [SuppressSmallCounts(3)],
    "Laplace, down": [Laplace(1), DOWN],
    "Laplace, nearest": [Laplace(0.5), NEAREST],
    "Gaussian, suppressed": [Gaussian(1, 0.1), DOWN, SuppressSmallCounts(2)],
    "much noise": [Laplace(0.05), DOWN],
}


@pytest.mark.parametrize("name", CHANNELS)
def test_the_channel_is_that_of_the_mechanisms(name):
    mechanisms, rate, n = CHANNELS[name], 1.7, 40_000
    table = likelihood._Table(likelihood._channel(mechanisms), 12, GROUP)
    node = round((np.log(rate) - table.first) / (table.last - table.first) * 511)
    exact = np.exp(table.first + node * (table.last - table.first) / 511)
    rng = np.random.default_rng(0)
    raw = np.minimum(rng.poisson(exact, n), GROUP)
    found = np.bincount(release(raw, mechanisms, rng, GROUP).astype(int), minlength=GROUP + 1)
    chance = n * table.probability[node]
    common = chance > 5
    assert not found[chance < 1e-9].any()
    table = [np.append(each[common], each[~common].sum() + 1e-9) for each in (found, chance)]
    table[1] *= table[0].sum() / table[1].sum()
    assert stats.chisquare(*table).pvalue > 1e-3


@pytest.mark.parametrize("name", CHANNELS)
def test_the_score_is_the_derivative_of_the_log_likelihood(name):
    table = likelihood._Table(likelihood._channel(CHANNELS[name]), 12, GROUP)
    step = (table.last - table.first) / 511
    for node in (300, 400, 480):
        likely = table.probability[node] > 1e-9
        before, after = (table.probability[n][likely] for n in (node - 1, node + 1))
        slope = np.log(after / before) / 2 / step
        np.testing.assert_allclose(table.score[node][likely], slope, rtol=5e-3, atol=5e-3)
        assert (table.probability[node] @ table.score[node]) == pytest.approx(0, abs=1e-3)


def rank_one(seed=0, n_rois=60, n_epochs=480):
    rng = np.random.default_rng(seed)
    space = rng.lognormal(0, 1, n_rois)
    day = np.tile(1.2 + np.sin(2 * np.pi * np.arange(24) / 24), n_epochs // 24)
    rates = 0.8 * np.outer(space / space.mean(), day / day.mean())
    return rates, np.minimum(rng.poisson(rates), 1000)


@pytest.mark.parametrize("name", CHANNELS)
def test_the_rates_are_found(name):
    rates, raw = rank_one()
    rng = np.random.default_rng(1)
    counts = release(raw, CHANNELS[name], rng, 1000)
    found = likelihood.fit_rates(counts, CHANNELS[name], 1000)
    if name != "much noise":
        assert found.sum() == pytest.approx(rates.sum(), rel=0.1)
    for axis, empirical in zip((1, 0), marginals.empirical_marginals(counts, 1000), strict=True):
        here, true = (each.sum(axis=axis) / each.sum() for each in (found, rates))
        printed = marginals.power_transform(empirical)[0]
        limit = 0.07 if name != "much noise" else 0.5 * np.abs(printed - true).sum()
        assert 0.5 * np.abs(here - true).sum() < limit


def test_without_mechanisms_the_marginals_are_almost_the_empirical_ones():
    _, raw = rank_one()
    found = likelihood.fit_rates(raw, [], 1000, epochs_a_day=1000)
    for axis, empirical in zip((1, 0), marginals.empirical_marginals(raw, 1000), strict=True):
        assert 0.5 * np.abs(found.sum(axis=axis) / found.sum() - empirical).sum() < 0.02


@pytest.fixture(scope="module")
def callers():
    return load("callers", n_users=2000, seed=1)


def variations(traces, mechanisms, seed):
    """Total variation to the marginals of the group: (transform or likelihood, space or time)."""
    rng = np.random.default_rng(seed)
    groups = sample_groups(np.arange(traces.n_users), 1, 1000, rng)
    true = marginals.empirical_marginals(release_traces(traces, groups, [], rng)[0], 1000)
    counts = release_traces(traces, groups, mechanisms, rng)[0]
    printed = [marginals.power_transform(x)[0] for x in marginals.empirical_marginals(counts, 1000)]
    rates = likelihood.fit_rates(counts, mechanisms, 1000)
    here = [rates.sum(axis=axis) / rates.sum() for axis in (1, 0)]
    return np.array(
        [
            [0.5 * np.abs(p - q).sum() for p, q in zip(each, true, strict=True)]
            for each in (printed, here)
        ]
    )


def test_at_epsilon_1_it_is_at_least_twice_as_near_as_the_power_transform(callers):
    found = np.mean([variations(callers, [Laplace(1), DOWN], seed) for seed in range(2)], axis=0)
    assert (found[1] <= found[0] / 2).all(), found


def test_the_mean_is_nearer_too(callers):
    rng = np.random.default_rng(0)
    mechanisms = [Laplace(1), DOWN]
    groups = sample_groups(np.arange(callers.n_users), 1, 1000, rng)
    counts = release_traces(callers, groups, mechanisms, rng)[0]
    found = likelihood.estimate(counts, mechanisms, 1000, callers.rois, rng)
    true = callers.visits().iloc[groups[0]].mean()
    assert found.mean_visits == pytest.approx(true, rel=0.1)
    assert found.space.sum() == pytest.approx(1) and found.time.sum() == pytest.approx(1)


class OnTraces:
    """A mechanism on traces has no `apply`."""


def test_mechanisms_on_traces_are_passed_over():
    _, raw = rank_one()
    first, second = (likelihood.fit_rates(raw, each, 1000) for each in ([], [OnTraces()]))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    "mechanisms", [[DOWN, Laplace(1)], [Laplace(1), Laplace(1)], [SuppressSmallCounts(2), DOWN]]
)
def test_an_order_it_has_no_likelihood_for_is_refused(mechanisms):
    with pytest.raises(ValueError, match="is not expected here: noise"):
        likelihood.fit_rates(rank_one()[1], mechanisms, 1000)


def test_what_cannot_be_a_release_is_refused():
    with pytest.raises(marginals.EmptyRelease):
        likelihood.fit_rates(np.zeros((5, 5)), [], 10)
    with pytest.raises(ValueError, match="count 11"):
        likelihood.fit_rates(np.full((5, 5), 11), [], 10)


def test_extreme_releases_end_quietly():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for counts in (np.full((5, 48), 10), np.eye(5, 48), np.eye(5, 48) * 10):
            for mechanisms in CHANNELS.values():
                assert np.isfinite(likelihood.fit_rates(counts, mechanisms, 10)).all()

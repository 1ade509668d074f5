"""ZK's Appendix A in numbers: Lemma A.1, Theorem A.2 and Lemma A.3, as printed and as mended."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from lib.mechanisms import Laplace, PostProcess, release
from lib.membership import marginals
from lib.traces import Grid, Traces

SCALES = [0.3, 1.0, 2.0, 20.0]


@pytest.mark.parametrize("scale", SCALES)
def test_lemma_a3_the_mean_of_clipped_noise_is_half_its_scale(scale):
    density = stats.laplace(scale=scale).pdf
    mean = integrate.quad(lambda x: x * density(x), 0, 60 * scale)[0]
    assert mean == pytest.approx(scale / 2)
    assert marginals.expected_counts(np.zeros(1), scale)[0] == pytest.approx(mean)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("count", [0, 1, 5])
def test_the_floored_mean_is_another_one(scale, count):
    values = np.arange(-count, int(80 * scale) + 5)  # of the noise, rounded down
    noise = stats.laplace(scale=scale)
    chances = noise.cdf(values + 1) - noise.cdf(values)
    exact = ((count + values) * chances).sum()
    (found,) = marginals.expected_counts(np.full(1, count), scale, "down")
    assert found == pytest.approx(exact, abs=1e-9)
    if count == 0:
        assert exact == pytest.approx(0.5 / np.expm1(1 / scale))
        assert exact < scale / 2


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("rounding", ["none", "down"])
def test_expected_counts_are_the_means_of_releases(scale, rounding):
    raw = np.tile([0, 1, 3, 40], (50_000, 1))
    mechanisms = [Laplace(1 / scale), PostProcess(rounding)]
    released = release(raw, mechanisms, np.random.default_rng(0), 10**6)
    error = released.std(axis=0) / np.sqrt(len(raw))
    difference = released.mean(axis=0) - marginals.expected_counts(raw[0], scale, rounding)
    assert (np.abs(difference) < 4 * error).all()


@given(st.integers(0, 50), st.floats(-100, 100))
def test_what_a_count_adds_to_clipped_noise_is_between_0_and_itself(count, noise):
    """The step of the proof that needs no limit: 0 <= X <= A, so sparse counts add nothing."""
    added = max(count + noise, 0) - max(noise, 0)
    assert -1e-9 <= added <= count + 1e-9


def released_space(counts, scale, seed, rounding="down"):
    mechanisms = [Laplace(1 / scale), PostProcess(rounding)]
    noisy = release(counts, mechanisms, np.random.default_rng(seed), 10**6)
    return marginals.empirical_marginals(noisy, 10**6)[0]


def away(p, q):
    return 0.5 * np.abs(p - q).sum()


@pytest.mark.parametrize("scale", [1.0, 5.0])
def test_theorem_a2_sparse_counts_leave_a_uniform_space_marginal(scale):
    """Strongly sparse: ROI s has (s + 1) sqrt(epochs) visits, whose mean an epoch vanishes."""
    distance = []
    for n_epochs in (100, 2500, 62_500):
        counts = np.zeros((8, n_epochs), int)
        for roi in range(8):
            counts[roi, : (roi + 1) * int(np.sqrt(n_epochs)) // 2] = 1
        distance.append(away(released_space(counts, scale, 0), np.full(8, 1 / 8)))
    assert distance[0] > distance[1] > distance[2]
    assert distance[2] < 0.01


def test_the_time_marginal_flattens_as_rois_are_added():
    distance = []
    for n_rois in (100, 2500, 62_500):
        counts = np.zeros((n_rois, 8), int)
        for epoch in range(8):  # the same visits however finely space is cut: Lemma A.1
            counts[: 5 * (epoch + 1), epoch] = 1
        distance.append(away(released_space(counts.T, 1.0, 0), np.full(8, 1 / 8)))
    assert distance[0] > distance[1] > distance[2]
    assert distance[2] < 0.01


@pytest.mark.parametrize("rounding", ["none", "down"])
def test_without_sparsity_the_limit_is_another_and_known(rounding):
    n_epochs, rate = 40_000, np.array([0.05, 0.2, 0.5, 1.5])
    counts = np.random.default_rng(0).poisson(rate[:, None], (4, n_epochs))
    found = released_space(counts, 1.0, 1, rounding)
    limit = marginals.limiting_marginals(counts, 1.0, rounding)[0]
    assert away(found, limit) < 0.005
    assert away(limit, np.full(4, 1 / 4)) > 0.1
    assert away(limit, rate / rate.sum()) > 0.1


def test_the_limiting_time_marginal_is_that_of_the_transposed_counts():
    counts = np.random.default_rng(0).poisson(0.5, (6, 9))
    space, time = marginals.limiting_marginals(counts, 2.0, "down")
    other_time, other_space = marginals.limiting_marginals(counts.T, 2.0, "down")
    np.testing.assert_allclose(space, other_space)
    np.testing.assert_allclose(time, other_time)


def test_lemma_a1_needs_a_bound_for_finer_rois_raise_the_column_sum():
    """A user seen twice in an hour is one visit to a large ROI and two to its halves."""
    frame = pd.DataFrame(
        {
            "user": ["ada"] * 3,
            "time": [1_362_355_200, 1_362_355_800, 1_362_356_400],  # one hour
            "lat": [0.1, 0.9, 0.9],
            "lon": [0.5, 0.5, 0.5],
        }
    )
    sums = [
        Traces.from_records(frame, lat="lat", lon="lon", grid=Grid(0, 1, 0, 1, n, 1)).matrix.nnz
        for n in (1, 2, 64, 512)
    ]
    assert sums == [1, 2, 2, 2]
    assert max(sums) <= len(frame)  # the bound: the records of the epoch


@pytest.mark.parametrize(
    ("scale", "rounding", "message"), [(0, "none", "scale is 0"), (1, "up", "rounding is 'up'")]
)
def test_bad_input_is_refused(scale, rounding, message):
    with pytest.raises(ValueError, match=message):
        marginals.expected_counts(np.zeros(2), scale, rounding)

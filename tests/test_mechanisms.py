import dataclasses
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib import mechanisms
from lib.datasets import load
from lib.mechanisms import (
    BoundContributions,
    EnhancedFourierPerturbation,
    FourierPerturbation,
    Gaussian,
    Laplace,
    PostProcess,
    RandomizedResponse,
    SuppressSmallCounts,
    gaussian_delta,
    release,
    release_traces,
)
from lib.traces import Traces
from tests.reference import counting
from tests.reference import zero_knowledge_attack as reference

SIX = load("six-users")
MANY = np.full((1, 200, 250), 50)
SIGNIFICANCE = 1e-4  # of a statistical test with a fixed seed


def test_laplace_noise_has_its_distribution_and_scale():
    noise = release(MANY, [Laplace(0.5, 3.0)], np.random.default_rng(0), 100) - MANY
    assert stats.kstest(noise.ravel(), stats.laplace(scale=6.0).cdf).pvalue > SIGNIFICANCE
    assert stats.kstest(noise.ravel(), stats.laplace(scale=6.3).cdf).pvalue < SIGNIFICANCE


@pytest.mark.parametrize("scale", [0.5, 1.0, 7.3, 400.0])
def test_floored_noise_is_laplace_noise_rounded_down(scale):
    noise = Laplace(1.0, scale).sample_floor((500, 400), np.random.default_rng(0))
    values, counts = np.unique(noise, return_counts=True)
    edges = np.array([-np.inf, *np.quantile(values, np.linspace(0.02, 0.98, 30)).round(), np.inf])
    edges = np.unique(edges)
    observed = [counts[(values >= a) & (values < b)].sum() for a, b in pairwise(edges)]
    expected = np.diff(stats.laplace(scale=scale).cdf(edges)) * noise.size
    kept = expected > 5
    chi = (np.array(observed)[kept] - expected[kept]) ** 2 / expected[kept]
    assert stats.chi2(kept.sum()).sf(chi.sum()) > SIGNIFICANCE
    wrong = np.diff(stats.laplace(scale=1.05 * scale).cdf(edges)) * noise.size
    chi = (np.array(observed)[kept] - wrong[kept]) ** 2 / wrong[kept]
    assert stats.chi2(kept.sum()).sf(chi.sum()) < SIGNIFICANCE
    assert noise.dtype == (np.int32 if scale == 400.0 else np.int16)


@pytest.mark.parametrize("scale", [0.3, 1.0, 20.0])
@pytest.mark.parametrize("block", [64, 1 << 17])
def test_floored_noise_is_the_plain_one_draw_for_draw(scale, block, monkeypatch):
    monkeypatch.setattr(mechanisms.noise, "_BLOCK_SIZE", block)
    ours, theirs = np.random.default_rng(3), np.random.default_rng(3)
    found = Laplace(1.0, scale).sample_floor((9, 111), ours)
    assert np.array_equal(found, reference.floored_laplace(scale, (9, 111), theirs))
    assert ours.bit_generator.state == theirs.bit_generator.state
    assert Laplace(1.0, scale).sample_floor((0, 4), ours).shape == (0, 4)


NOISES = [Laplace(1.0, 0.4), Laplace(0.1), Gaussian(1.0, 0.1), Gaussian(0.5, 1e-5, 6.0)]


def distribution(noise, rounding, count, size):
    """The chance of each whole number up to the size, where a count gets noise and is tidied."""
    whole, scale = np.arange(size + 1), noise.scale
    shape = stats.laplace(count, scale) if isinstance(noise, Laplace) else stats.norm(count, scale)
    ends = whole + (0.5 if rounding == "nearest" else 1.0)
    return np.diff(shape.cdf(ends[:-1]), prepend=0.0, append=1.0)


@pytest.mark.parametrize("rounding", ["nearest", "down"])
@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_rounded_noise_has_its_distribution(noise, rounding):
    sizes, counts = np.array([400, 90]), np.array([[[30]], [[90]]]).repeat(300_000, axis=2)
    chain = [noise, PostProcess(rounding)]
    found = release(counts, chain, np.random.default_rng(4), sizes)
    for released, count, size in zip(found, (30, 90), sizes, strict=True):
        seen = np.bincount(released.ravel().astype(int), minlength=size + 1)
        chances = distribution(noise, rounding, count, size)
        assert distance(seen, chances) < 2.2 / np.sqrt(seen.sum())  # KS at 1e-4
        wrong = distribution(
            dataclasses.replace(noise, sensitivity=1.05 * noise.sensitivity), rounding, count, size
        )
        assert distance(seen, wrong) > 2.2 / np.sqrt(seen.sum())


def distance(seen, chances):
    """Kolmogorov-Smirnov distance of how often each whole number was seen from its chance."""
    return np.abs(np.cumsum(seen) / seen.sum() - np.cumsum(chances)).max()


@pytest.mark.parametrize("noise", [Laplace(1.0, 5_000.0), Gaussian(1.0, 0.1, 9_000.0)], ids=repr)
def test_noise_too_wide_for_a_table_is_drawn_as_it_is(noise):
    rounded = release(MANY, [noise, PostProcess()], np.random.default_rng(2), 10**6)
    drawn = noise.apply(MANY, np.random.default_rng(2), np.array(0))
    assert np.array_equal(rounded, np.clip(np.rint(drawn), 0, 10**6))


def test_rounded_noise_is_the_same_in_blocks_as_in_each_alone(monkeypatch):
    monkeypatch.setattr(mechanisms.noise, "_BLOCK_SIZE", 8)
    counts, chain = np.arange(40).reshape(5, 2, 4), [Laplace(0.5), PostProcess()]
    sizes, rng = np.arange(39, 44), np.random.default_rng(5)
    alone = [release(c, chain, rng, int(s)) for c, s in zip(counts, sizes, strict=True)]
    assert np.array_equal(release(counts, chain, np.random.default_rng(5), sizes), alone)
    assert release(counts[:0], chain, rng, 9).shape == (0, 2, 4)


def test_noise_of_any_scale_fits_its_whole_numbers():
    for scale in (1.0, 1e4, 1e9):
        noise = Laplace(1.0, scale).sample_floor((4, 5_000), np.random.default_rng(6))
        typical = stats.median_abs_deviation(noise, axis=None) / (np.log(2) * scale)
        assert 0.95 < typical < 1.05 + 1 / scale, (scale, typical)


def test_nothing_of_what_is_given_is_changed():
    counts = np.array([[[1.0, 2.0], [0.0, 3.0]]])
    for mechanism in (
        Laplace(1.0),
        Gaussian(1.0, 0.1),
        PostProcess(),
        PostProcess("none"),
        PostProcess("down"),
        FourierPerturbation(1.0, 1),
        EnhancedFourierPerturbation(1.0, 0.1),
        SuppressSmallCounts(2),
    ):
        mechanism.apply(counts, np.random.default_rng(0), np.array(2))
        assert counts.tolist() == [[[1.0, 2.0], [0.0, 3.0]]], mechanism


def test_post_processing_leaves_no_negative_zero():
    noisy = np.array([[-0.3, -0.0, 0.2, -1.0]])
    for rounding in ("nearest", "down"):
        for kind in (float, np.float32):
            out = PostProcess(rounding).apply(noisy.astype(kind), None, np.array(3))
            assert not np.signbit(out).any()


def test_laplace_noise_is_independent_between_cells_and_groups():
    noise = release(np.full((400, 5, 5), 9), [Laplace(1.0)], np.random.default_rng(1), 20) - 9
    correlations = np.corrcoef(noise.reshape(400, 25).T)[np.triu_indices(25, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(400)


def test_suppression_equals_the_reference():
    counts = np.arange(24).reshape(2, 3, 4)
    for threshold in (0, 1, 7):
        out = release(counts, [SuppressSmallCounts(threshold + 1)], np.random.default_rng(0), 30)
        assert out.ravel().tolist() == counting.suppress(counts.ravel().tolist(), threshold)


def test_post_processing_rounds_then_clips_to_each_groups_own_size():
    noisy = np.array([[[-0.4, 1.5, 2.6, 9.0]], [[-3.0, 0.5, 3.49, 9.0]]])
    size = np.array([2, 5]).reshape(2, 1, 1)
    nearest = PostProcess().apply(noisy, np.random.default_rng(0), size)
    assert nearest.tolist() == [[[0, 2, 2, 2]], [[0, 0, 3, 5]]]
    assert not np.signbit(nearest).any()
    down = PostProcess("down", clip=False).apply(noisy, np.random.default_rng(0), size)
    assert down.tolist() == [[[-1, 1, 2, 9]], [[-3, 0, 3, 9]]]


def test_mechanisms_apply_in_order():
    counts = np.full((1, 1, 1000), 1)
    noise_first = [Laplace(1.0), SuppressSmallCounts(2)]
    suppressed_first = noise_first[::-1]
    a = release(counts, noise_first, np.random.default_rng(0), 10)
    b = release(counts, suppressed_first, np.random.default_rng(0), 10)
    assert (a == 0).mean() == pytest.approx(1 - 0.5 / np.e, abs=0.1)
    assert (b == 0).mean() == 0


def test_traces_and_their_counts_give_the_same_release():
    groups = [[0, 1, 2], [3, 4]]
    mechanisms = [Laplace(1.0), PostProcess()]
    from_traces = release_traces(SIX, groups, mechanisms, np.random.default_rng(5))
    raw = release_traces(SIX, groups, [], np.random.default_rng(5))
    from_counts = release(raw, mechanisms, np.random.default_rng(5), np.array([3, 2]))
    assert np.array_equal(from_traces, from_counts)
    assert from_traces[1].max() <= 2


@pytest.mark.parametrize(
    ("count", "message"),
    [(7, "count 7.0"), (-1, "count -1.0"), (1.5, "count 1.5"), (np.nan, "nan"), (np.inf, "inf")],
)
def test_counts_that_cannot_be_are_named_with_their_place(count, message):
    counts = np.zeros((2, 2, 2))
    counts[1, 0, 1] = count
    with pytest.raises(ValueError, match=rf"{message} at \(1, 0, 1\).* 0 to 6"):
        release(counts, [], np.random.default_rng(0), 6)


@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf])
def test_budgets_that_guarantee_nothing_are_refused(value):
    with pytest.raises(ValueError, match="epsilon"):
        Laplace(value)
    with pytest.raises(ValueError, match="sensitivity"):
        Laplace(1.0, value)


def test_unknown_steps_are_refused():
    with pytest.raises(ValueError, match="threshold"):
        SuppressSmallCounts(-1)
    with pytest.raises(ValueError, match="'up'"):
        PostProcess("up")
    with pytest.raises(ValueError, match="not a mechanism"):
        release(MANY, ["noise"], np.random.default_rng(0), 100)


def test_noise_beyond_what_floats_hold_is_refused():
    for epsilon in (1e-320, 1e-300, 1e300):
        for kind in (
            lambda e: Laplace(e),
            lambda e: Gaussian(e, 0.1),
            lambda e: FourierPerturbation(e, 2),
            lambda e: EnhancedFourierPerturbation(e, 0.1),
        ):
            with pytest.raises(ValueError, match=r"epsilon is .* scale"):
                kind(epsilon)
    noisy = release(MANY, [Laplace(1e-280)], np.random.default_rng(0), 100)
    assert np.isfinite(noisy).all()


@pytest.mark.parametrize("junk", [None, "text", ["a"], {}, 1j, object(), 10**400])
@pytest.mark.parametrize(
    "call",
    [
        lambda x: Laplace(x),
        lambda x: Laplace(1, x),
        lambda x: Gaussian(x, 0.1),
        lambda x: Gaussian(1, x),
        lambda x: Gaussian(1, 0.1, x),
        lambda x: Gaussian(1, 0.1, 1, x),
        lambda x: FourierPerturbation(x, 2),
        lambda x: EnhancedFourierPerturbation(1, x),
        lambda x: SuppressSmallCounts(x),
        lambda x: PostProcess(x),
        lambda x: RandomizedResponse(x),
        lambda x: gaussian_delta(x, 1),
        lambda x: gaussian_delta(1, x),
        lambda x: mechanisms.fourier_reconstruction(x, 1),
        lambda x: release_traces(SIX, [[0]], x, np.random.default_rng(0)),
        lambda x: release_traces(SIX, [[0]], [x], np.random.default_rng(0)),
        lambda x: release_traces(SIX, x, [], np.random.default_rng(0)),
        lambda x: release_traces(SIX, [[0]], [Laplace(1)], x),
        lambda x: release(MANY, [Laplace(1)], x, 100),
        lambda x: release(MANY, [Laplace(1)], np.random.default_rng(0), x),
        lambda x: release(x, [Laplace(1)], np.random.default_rng(0), 1),
        lambda x: release_traces(x, [[0]], [Laplace(1)], np.random.default_rng(0)),
    ],
)
def test_what_makes_no_sense_is_a_value_error(call, junk):
    with pytest.raises(ValueError, match=r"."):
        call(junk)


def test_errors_of_a_release_name_the_arguments_expected():
    with pytest.raises(ValueError, match=r"release_traces\(traces, groups, mechanisms, rng"):
        release(SIX, [], np.random.default_rng(0), 6)
    with pytest.raises(ValueError, match=r"release\(counts, mechanisms, rng, group_size"):
        release_traces(MANY, [[0]], [], np.random.default_rng(0))
    with pytest.raises(ValueError, match="group_size has 3 sizes for 2 groups"):
        release(np.ones((2, 3, 4)), [], np.random.default_rng(0), np.array([1, 2, 3]))
    with pytest.raises(ValueError, match="is not a mechanism, such as Laplace"):
        release_traces(SIX, [[0]], [Laplace], np.random.default_rng(0))


# -- on traces -------------------------------------------------------------------------------------


def busy_days(n_users=300, per_day=6):
    """Users with `per_day` visits on the first of two days and one on the second."""
    epochs = pd.date_range("2021-06-01", periods=48, freq="1h", tz="UTC")
    rois = pd.DataFrame({"lat": [0.0, 1.0], "lon": 0.0}, index=["a", "b"])
    hours = np.tile([*range(per_day), 30], n_users)
    user = np.repeat(np.arange(n_users), per_day + 1)
    return Traces.from_codes(user, user % 2, hours, range(n_users), rois, epochs)


def test_contributions_are_bounded_each_day_and_chosen_uniformly():
    traces, cap = busy_days(), 2
    capped = BoundContributions(cap).apply_traces(traces, np.random.default_rng(0))
    hours = capped.matrix.sum(axis=0).reshape(2, 48).sum(axis=0)
    by_day = capped.rois_per_epoch().reshape(300, 2, 24).sum(axis=2)
    assert (by_day == [cap, 1]).all()
    assert (capped.matrix.multiply(traces.matrix) - capped.matrix).nnz == 0  # only leaves out
    assert stats.chisquare(hours[:6]).pvalue > SIGNIFICANCE
    assert stats.chisquare(hours[:6] * [3, 1, 1, 1, 1, 1]).pvalue < SIGNIFICANCE  # it can fail


def test_a_bound_that_nobody_reaches_changes_nothing():
    capped = BoundContributions(6).apply_traces(busy_days(), np.random.default_rng(0))
    assert (capped.matrix - busy_days().matrix).nnz == 0


def test_release_bounds_traces_before_it_counts():
    bound, groups = BoundContributions(1), [list(range(300))]
    released = release_traces(busy_days(), groups, [bound, PostProcess()], np.random.default_rng(0))
    assert released.sum() == 300 * 2
    raw = release_traces(busy_days(), groups, [], np.random.default_rng(0))
    assert raw.sum() == 300 * 7


def test_mechanisms_on_traces_are_refused_by_name_where_they_come_too_late():
    bound = BoundContributions(1)
    with pytest.raises(ValueError, match=r"BoundContributions\(visits_per_day=1\).*counts already"):
        release(MANY, [bound], np.random.default_rng(0), 100)
    with pytest.raises(ValueError, match=r"BoundContributions.*before Laplace"):
        release_traces(busy_days(), [[0]], [Laplace(1.0), bound], np.random.default_rng(0))


@pytest.mark.parametrize("visits", [0, -1, 1.5, None])
def test_a_bound_is_a_whole_number_of_visits(visits):
    with pytest.raises(ValueError, match="visits_per_day"):
        BoundContributions(visits)

"""Synthetic commuters and cabs meet what the papers publish about TFL and SFC, for any seed."""

import numpy as np
import pandas as pd
import pytest

from lib.datasets import available, load, synthetic
from lib.traces import Traces

TOLERANCE = 0.05  # of each published mean and standard deviation
N_USERS = {"commuters": 10_000, "cabs": 534}  # the papers'

# Mean and standard deviation over users. With null hours: KK Sec. V-A; without: crowd Sec. 4.1.
PUBLISHED = {
    "commuters": {
        ("visits", False): (171, 26),
        ("unique ROIs", False): (19, 9),
        ("active epochs", False): (115, 21),
        ("visits", True): (728, 16),
        ("unique ROIs", True): (20, 9),
    },
    "cabs": {
        ("visits", False): (3663, 1116),
        ("unique ROIs", False): (77, 6),
        ("active epochs", False): (340, 94),
        ("visits", True): (3827, 1069),
        ("unique ROIs", True): (78, 6),
    },
}
# Mean and standard deviation over ROIs in the last week, without null: crowd Sec. 4.1.
PUBLISHED_PER_ROI = {
    "commuters": {"visits": (818, 1361), "epochs with users": (71, 54)},
    "cabs": {"visits": (6714, 7624), "epochs with users": (135, 61)},
}


@pytest.fixture(scope="module", params=["commuters", "cabs"])
def default(request: pytest.FixtureRequest) -> tuple[str, Traces]:
    return request.param, load(request.param)


def per_user_errors(name: str, traces: Traces) -> pd.Series:
    """Relative error of each published mean and standard deviation."""
    tables = {False: traces.summary(), True: traces.with_null().summary()}
    return pd.Series(
        {
            f"{row}, {moment}{', null counted' * null}": tables[null].loc[row, moment] / value - 1
            for (row, null), published in PUBLISHED[name].items()
            for moment, value in zip(("mean", "std"), published, strict=True)
        }
    )


def per_roi_errors(name: str, traces: Traces) -> pd.Series:
    last_week = traces.select(epochs=slice(-168, None))
    counts = np.bincount(last_week.matrix.indices, minlength=last_week.matrix.shape[1])
    counts = counts.reshape(traces.n_rois, 168)
    found = {"visits": counts.sum(axis=1), "epochs with users": (counts > 0).sum(axis=1)}
    return pd.Series(
        {
            f"{what}, {moment}": getattr(found[what], moment)() / value - 1
            for what, published in PUBLISHED_PER_ROI[name].items()
            for moment, value in zip(("mean", "std"), published, strict=True)
        }
    )


def assert_close(errors: pd.Series) -> None:
    wrong = errors[errors.abs() > TOLERANCE]
    assert wrong.empty, f"relative errors beyond {TOLERANCE}:\n{wrong}"


def chance(traces: Traces) -> float:
    """Mean recurrence if each user were at her places as often, at hours of no meaning."""
    hours = traces.epochs_per_roi().astype(float)
    return float(((hours**2).sum(axis=1) / hours.sum(axis=1) / traces.n_epochs).mean())


def test_default_size_meets_published_statistics_of_users(default: tuple[str, Traces]) -> None:
    name, traces = default
    assert traces.n_users == N_USERS[name]
    assert_close(per_user_errors(name, traces))


def test_default_size_meets_published_statistics_of_rois(default: tuple[str, Traces]) -> None:
    name, traces = default
    assert_close(per_roi_errors(name, traces))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3])
def test_cabs_of_other_seeds_meet_published_statistics(seed: int) -> None:
    cabs = load("cabs", seed=seed)
    assert_close(per_user_errors("cabs", cabs))
    assert_close(per_roi_errors("cabs", cabs))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3])
def test_fewer_commuters_of_other_seeds_meet_published_statistics(seed: int) -> None:
    assert_close(per_user_errors("commuters", load("commuters", n_users=2_000, seed=seed)))


@pytest.mark.parametrize("name", N_USERS)
def test_traces_have_exactly_the_numbers_drawn_for_them(name: str) -> None:
    drawn = {"commuters": synthetic._commuter_numbers, "cabs": synthetic._cab_numbers}[name]
    traces = load(name, n_users=200, seed=8)
    numbers = drawn(synthetic._lattice(200, 8))
    np.testing.assert_array_equal(traces.visits(), numbers.visits)
    np.testing.assert_array_equal((traces.rois_per_epoch() > 0).sum(axis=1), numbers.active)
    np.testing.assert_array_equal((traces.epochs_per_roi() > 0).sum(axis=1), numbers.places)


def test_shapes_and_windows_are_the_papers(default: tuple[str, Traces]) -> None:
    name, traces = default
    n_rois, n_epochs, start = {
        "commuters": (582, 672, "2010-03-01"),
        "cabs": (100, 504, "2008-05-19"),
    }[name]
    assert (traces.n_rois, traces.n_epochs) == (n_rois, n_epochs)
    assert traces.epochs[0] == pd.Timestamp(start, tz="UTC") and traces.epochs[0].day_of_week == 0
    assert traces.rois[["lat", "lon"]].notna().all(axis=None)


def test_commuters_repeat_their_weeks_and_cabs_do_not(default: tuple[str, Traces]) -> None:
    name, traces = default
    recurrence = traces.recurrence().mean()
    if name == "commuters":
        assert recurrence > 0.35 > 5 * chance(traces)
    else:
        assert recurrence < 1.25 * chance(traces) < 0.25


@pytest.mark.parametrize("name", N_USERS)
def test_a_seed_is_reproducible_and_another_differs(name: str) -> None:
    first, again, other = (load(name, n_users=40, seed=seed) for seed in (5, 5, 6))
    assert (first.matrix != again.matrix).nnz == 0
    pd.testing.assert_frame_equal(first.rois, again.rois)
    assert (first.matrix != other.matrix).nnz > first.matrix.nnz / 10


@pytest.mark.parametrize("name", N_USERS)
def test_a_user_does_not_depend_on_how_many_there_are(name: str) -> None:
    many = load(name, n_users=200, seed=5)
    for n_users in (1, 127, 129):
        few = load(name, n_users=n_users, seed=5)
        assert few.n_users == n_users
        assert (few.matrix != many.matrix[:n_users]).nnz == 0


@pytest.mark.parametrize("name", N_USERS)
def test_null_is_one_more_roi(name: str) -> None:
    traces = load(name, n_users=3, null=True)
    plain = load(name, n_users=3)
    assert traces.n_rois == plain.n_rois + 1
    assert ((traces.rois_per_epoch() > 0).all(axis=1)).all()


@pytest.mark.parametrize("name", N_USERS)
@pytest.mark.parametrize(
    ("option", "value"),
    [("n_users", 0), ("n_users", -3), ("n_users", 2.5), ("n_users", True), ("seed", -1)],
)
def test_bad_input_is_named(name: str, option: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{option} is {value!r}; a whole number"):
        load(name, **{option: value})


def test_listed_as_surrogates() -> None:
    listed = available().loc[list(N_USERS)]
    assert listed["source"].str.startswith("synthetic surrogate").all()
    assert listed["users"].str.startswith("synthetic").all()
    assert (listed["file needed"] == "none").all()

"""Synthetic callers and tweeters meet what ZK publishes about CDR and Milan, for any seed."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial import ConvexHull

from lib.aggregation import aggregate, sample_groups
from lib.datasets import available, load
from lib.datasets.callers import MILAN_GRID

TOLERANCE = 0.05  # of each published number
SIZES = {"callers": (11_000, 500, 720), "tweeters-zk": (4840, 100, 168)}  # ZK, Sec. 5.1
KM = 111.2  # in a degree of latitude
RATIO = 6  # visits of a CDR target over those of a Milan target: ZK, Sec. 6.1
SUPPRESSED = 0.99  # of the non-zero counts of 1,000 users, at k = 5: ZK, Sec. 6.1, Fig. 15
FEW = {"callers": 1500, "tweeters-zk": 2000}  # users that show the same statistics sooner


@pytest.fixture(scope="module")
def population():
    return {name: load(name) for name in SIZES}


@pytest.fixture(scope="module", params=[1, 2])
def smaller(request):
    return {name: load(name, n_users=FEW[name], seed=request.param) for name in SIZES}


def target_visits(populations):
    """Mean visits of those among whom the targets are drawn: all callers, busy tweeters."""
    busy = populations["tweeters-zk"].visits()
    return populations["callers"].visits().mean(), busy[busy >= 10].mean()


def suppressed(traces):
    groups = sample_groups(np.arange(traces.n_users), 5, 1000, np.random.default_rng(0))
    counts = aggregate(traces, groups)
    return ((counts > 0) & (counts <= 5)).sum() / (counts > 0).sum()


@pytest.mark.parametrize("name", SIZES)
def test_the_default_has_the_paper_s_size(population, name):
    traces = population[name]
    assert (traces.n_users, traces.n_rois, traces.n_epochs) == SIZES[name]
    assert (np.diff(traces.epochs) == np.timedelta64(1, "h")).all()


def test_callers_have_the_paper_s_month_and_area(population):
    traces = population["callers"]
    assert str(traces.epochs[0]) == "2021-06-01 00:00:00+00:00"
    assert traces.epochs[-1].month == 6 and traces.epochs[-1].day == 30
    lat, lon = traces.rois["lat"], traces.rois["lon"]
    plane = np.column_stack([lat, lon * np.cos(np.radians(lat.mean()))]) * KM
    assert ConvexHull(plane).volume == pytest.approx(150, rel=TOLERANCE)


def test_the_milan_grid_covers_the_published_area():
    height = (MILAN_GRID.north - MILAN_GRID.south) * KM
    width = (MILAN_GRID.east - MILAN_GRID.west) * KM * np.cos(np.radians(45.46))
    assert height * width == pytest.approx(256, rel=0.01)
    assert height == pytest.approx(width, rel=0.01)


def test_callers_are_active_in_each_whole_week(population):
    weeks = population["callers"].rois_per_epoch()[:, : 4 * 168].reshape(-1, 4, 168)
    assert (weeks.sum(axis=2) > 0).all()


def test_activity_is_lognormal_and_heavier_tailed_than_exponential(population):
    visits = population["callers"].visits().to_numpy()
    visits = visits[(visits > 10) & (visits < 1000)]  # off the ends, where it is cut and rounded
    logarithm = np.log(visits + np.random.default_rng(0).uniform(-0.5, 0.5, len(visits)))
    low, high = (np.log([10.5, 999.5]) - np.log(121.4) + 0.5) / 1.0
    fitted = stats.truncnorm(low, high, loc=np.log(121.4) - 0.5)
    assert stats.kstest(logarithm, fitted.cdf).statistic < 0.01
    assert stats.kstest(visits, stats.expon(scale=visits.mean()).cdf).statistic > 0.05


def test_users_have_the_paper_s_ratio_of_visits(population, smaller):
    for populations in (population, smaller):
        caller, tweeter = target_visits(populations)
        assert caller / tweeter == pytest.approx(RATIO, rel=TOLERANCE)


@pytest.mark.parametrize("name", SIZES)
def test_suppression_takes_the_paper_s_share_of_counts(population, smaller, name):
    for populations in (population, smaller):
        here = 1 - suppressed(populations[name])
        assert here == pytest.approx(1 - SUPPRESSED, abs=0.005)


def test_enough_tweeters_can_be_targets(population):
    assert (population["tweeters-zk"].visits() >= 10).sum() >= 50


def test_callers_have_a_home_and_hours(population):
    """What the mobility model leaves out, and the surrogate has: a place for the hour."""
    traces = population["callers"].select(users=range(300))
    hour = traces.epochs.hour
    night, day = (
        traces.select(epochs=when).epochs_per_roi() for when in (hour < 6, abs(hour - 13) < 4)
    )
    home = night.argmax(axis=1)[:, None]
    share = [np.take_along_axis(p, home, axis=1).sum() / p.sum() for p in (night, day)]
    assert share[0] > 0.5 > share[1]


@pytest.mark.parametrize("name", SIZES)
def test_a_seed_gives_the_same_users_whatever_their_number(name):
    few, more = load(name, n_users=40, seed=3), load(name, n_users=300, seed=3)
    assert (few.matrix != more.matrix[:40]).nnz == 0
    assert (few.matrix != load(name, n_users=40, seed=4).matrix).nnz > 0
    assert load(name, n_users=1).n_users == 1


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("wrong", [{"n_users": 0}, {"n_users": 2.5}, {"seed": -1}, {"seed": True}])
def test_a_size_or_seed_that_cannot_be_is_refused(name, wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        load(name, **wrong)


def test_they_are_listed_as_surrogates():
    assert available().loc[list(SIZES), "source"].str.contains("surrogate").all()


@pytest.mark.parametrize("name", SIZES)
def test_no_hour_stands_out(smaller, name):
    """Those who are asked for a visit a week make it in their own hours."""
    per_hour = smaller[name].rois_per_epoch().sum(axis=0)
    assert per_hour.max() < 3 * per_hour.mean()

import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib import localization as loc
from lib import metrics
from lib.aggregation import aggregate
from lib.datasets import load
from lib.localization import errors
from lib.localization.profiles import BatchedEpochs
from lib.traces import Traces
from tests.reference import localization as reference

CLOSE = 1e-9
TWO_DAYS = 48
KINDS = loc.KINDS


def made(n_users=7, n_rois=4, days=15, seed=0, often=0.1):
    """Traces of some days of 24 hours, null included."""
    rng = np.random.default_rng(seed)
    favourite = rng.integers(0, n_rois, (n_users, 1, 24))
    there = rng.random((n_users, n_rois, days * 24)) < often
    habit = favourite == np.arange(n_rois)[None, :, None]
    there |= np.tile(habit, days) & (rng.random(there.shape) < 6 * often)
    rois = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=pd.Index(range(n_rois), name="roi"))
    epochs = pd.date_range("2013-03-04", periods=days * 24, freq="1h", tz="UTC", name="epoch")
    traces = Traces(there.reshape(n_users, -1).astype(int), range(n_users), rois, epochs)
    return traces.with_null()


TRACES = made()
CUBE = TRACES.matrix.toarray().reshape(TRACES.n_users, TRACES.n_rois, TRACES.n_epochs)
OBSERVED, TRUTH = CUBE[:, :, :-TWO_DAYS], CUBE[:, :, -TWO_DAYS:]
COUNTS = TRUTH.sum(axis=0)
REPORTS = OBSERVED[:, :-1].sum(axis=(1, 2))
EXPECTED = {
    "FREQ_ROI": reference.freq_roi(OBSERVED, TWO_DAYS),
    "ROI_DAY": reference.roi_season(OBSERVED, 24, TWO_DAYS),
    "TIME_DAY": reference.time_season(OBSERVED, 24, TWO_DAYS),
    "LAST_WEEK": reference.last_season(CUBE, 168, TWO_DAYS),
    "LAST_DAY": reference.last_season(CUBE, 24, TWO_DAYS),
    "LAST_HOUR": reference.last_season(CUBE, 1, TWO_DAYS),
}
# 13 days are observed, so the weekly slots of the two days inferred were seen once, or twice


def weekly(season):
    """Two days inferred start on the 14th day: slot 0 of the reference is then 6 days in."""
    shifted = np.concatenate([OBSERVED[:, :, 6 * 24 : 7 * 24], OBSERVED[:, :, 13 * 24 :]], axis=2)
    first_day = season(shifted[:, :, :24], 24, 24)
    both = np.concatenate([OBSERVED[:, :, :24], OBSERVED[:, :, 7 * 24 : 8 * 24]], axis=2)
    return np.concatenate([first_day, season(both, 24, 24)], axis=2)


EXPECTED["ROI_DAY_WEEK"] = weekly(reference.roi_season)
EXPECTED["TIME_DAY_WEEK"] = weekly(reference.time_season)
PRIORS = sorted(EXPECTED)
TRUE = loc.inference_period(TRACES, TWO_DAYS)


def prior(kind):
    return loc.prior(TRACES, kind, TWO_DAYS)


# -- priors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PRIORS)
def test_a_prior_is_its_equation(kind):
    assert np.allclose(prior(kind).toarray(), EXPECTED[kind], rtol=0, atol=CLOSE)
    assert np.array_equal(prior(kind).reports, REPORTS)


@pytest.mark.parametrize("kind", loc.PROBABILISTIC)
def test_a_probabilistic_prior_sums_to_one(kind):
    assert np.allclose(prior(kind).toarray().sum(axis=1), 1, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("kind", [*loc.PROBABILISTIC])
def test_popular_and_all_rois_are_their_equations(kind):
    p = EXPECTED[kind]
    popular, everything = loc.popular(prior(kind)), loc.all_rois(prior(kind))
    assert np.array_equal(reference.filled(popular.toarray()), reference.popular(p))
    assert np.array_equal(reference.filled(everything.toarray()), reference.all_rois(p))


def test_pop_and_all_are_kinds_too():
    assert np.array_equal(
        loc.prior(TRACES, "POP", TWO_DAYS, of="ROI_DAY", delta=0.4).toarray(),
        loc.popular(prior("ROI_DAY"), 0.4).toarray(),
    )
    assert np.array_equal(
        loc.prior(TRACES, "ALL", TWO_DAYS).toarray(), loc.all_rois(prior("FREQ_ROI")).toarray()
    )


def test_null_can_be_counted_among_all_rois():
    with_null = loc.all_rois(prior("FREQ_ROI"), count_null=True).toarray()
    assert np.array_equal(with_null, EXPECTED["FREQ_ROI"] > 0)


def test_the_six_users_have_days_of_four_hours():
    six = load("six-users").with_null()
    monday = six.select(epochs=slice(0, 4))
    tuesday = loc.prior(six, "ROI_DAY", 4)
    assert np.array_equal(
        tuesday.toarray(), monday.matrix.toarray().reshape(6, six.n_rois, 4)
    )  # one day seen: its visits are the prior
    assert np.array_equal(loc.prior(six, "LAST_DAY", 4).toarray(), tuesday.toarray())


def test_a_prior_in_some_epochs_only():
    few = prior("ROI_DAY").select(np.array([3, 30]))
    assert np.allclose(few.toarray([2, 0]), EXPECTED["ROI_DAY"][[2, 0]][:, :, [3, 30]])


def test_users_without_any_observation_are_refused_and_named():
    nobody = Traces(
        np.zeros((2, 3 * 8)), ["Ada", "Ben"], load("six-users").rois[:3], load("six-users").epochs
    )
    with pytest.raises(ValueError, match=r"no observation of user 'Ada'.*with_null"):
        loc.prior(nobody, "FREQ_ROI", 4)
    assert (loc.prior(nobody.with_null(), "FREQ_ROI", 4).toarray()[:, 3] == 1).all()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("FREQ_ROY",), "did you mean 'FREQ_ROI'"),
        (("FREQ_ROI", 0), "inference is 0"),
        (("FREQ_ROI", 15 * 24), "inference is 360"),
        (("LAST_WEEK", 12 * 24), "no epoch that much before"),
        (("ROI_DAY_WEEK", 10 * 24), "no observation of user"),
        (("POP", TWO_DAYS, "FREQ_ROI", 0.0), "delta is 0"),
    ],
)
def test_a_prior_refuses(arguments, problem):
    with pytest.raises(ValueError, match=problem):
        loc.prior(TRACES, *arguments)


# -- strategies ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PRIORS)
def test_bayes_is_algorithm_1(kind):
    posterior = loc.bayes(prior(kind), COUNTS).toarray()
    assert np.allclose(posterior, reference.bayes(EXPECTED[kind], COUNTS), rtol=0, atol=CLOSE)


@pytest.mark.parametrize("kind", PRIORS)
def test_max_roi_is_algorithm_2(kind):
    assigned = loc.max_roi(prior(kind), COUNTS).toarray()
    assert np.array_equal(assigned, reference.max_roi(EXPECTED[kind], COUNTS, REPORTS))
    assert np.array_equal(assigned.sum(axis=0), COUNTS)


@pytest.mark.parametrize("kind", PRIORS)
def test_max_user_is_algorithm_3(kind):
    assigned = loc.max_user(prior(kind), COUNTS).toarray()
    assert np.array_equal(assigned, reference.max_user(EXPECTED[kind], COUNTS, REPORTS))
    assert (assigned.sum(axis=0) <= COUNTS).all()


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10_000))
def test_strategies_on_random_priors_and_any_counts(seed):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(4), (5, 3)).transpose(0, 2, 1) * (rng.random((5, 4, 3)) < 0.7)
    p[:, -1] += 1 - p.sum(axis=1)
    reports, counts = rng.integers(0, 3, 5), rng.integers(0, 6, (4, 3))
    given_prior = loc.from_array(p, null=3, reports=reports)
    for strategy in ("bayes", "max_roi", "max_user"):
        here = getattr(loc, strategy)(given_prior, counts).toarray()
        there = (
            getattr(reference, strategy)(p, counts, reports)
            if strategy != "bayes"
            else reference.bayes(p, counts)
        )
        assert np.allclose(here, there, rtol=0, atol=CLOSE), strategy


def test_the_aggregate_profile_is_everybodys():
    baseline = loc.aggregate_profile(COUNTS, prior("FREQ_ROI")).toarray()
    assert np.allclose(baseline, (COUNTS / COUNTS.sum(axis=0))[None], rtol=0, atol=CLOSE)


def test_where_nobody_moves_the_prior_is_kept_and_counted():
    counts = COUNTS.copy()
    counts[:, 5] = 0
    posterior = loc.bayes(prior("FREQ_ROI"), counts)
    assert np.allclose(posterior.toarray()[:, :, 5], EXPECTED["FREQ_ROI"][:, :, 5])
    assert loc.count_unupdated(prior("FREQ_ROI"), counts) == TRACES.n_users
    assert loc.count_unupdated(prior("FREQ_ROI"), COUNTS) == 0
    assert loc.max_roi(prior("FREQ_ROI"), counts).toarray()[:, :, 5].sum() == 0
    baseline = loc.aggregate_profile(counts, prior("FREQ_ROI"))
    assert np.isfinite(loc.profiling_error(baseline, TRUE)).all()


@pytest.mark.parametrize("strategy", [loc.bayes, loc.max_roi, loc.max_user, loc.most_likely])
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda counts: counts[:, :-1], r"aggregate is \(5, 47\); the prior needs \(5, 48\)"),
        (lambda counts: -counts, r"count -\d+ at ROI"),
        (lambda counts: counts + 0.5, r"count \d+.5 at ROI 0, epoch 0.*PostProcess"),
        (lambda counts: counts + 8, r"a whole number from 0 to 7"),
        (lambda counts: np.where(counts, counts, np.nan), "count nan"),
    ],
)
def test_counts_that_cannot_be_right_are_refused(strategy, change, problem):
    with pytest.raises(ValueError, match=problem):
        strategy(prior("FREQ_ROI"), change(COUNTS))


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda p: p * 0.9, r"user 0 in epoch 0 sums to 0.9, not to 1"),
        (lambda p: p[0], "users, ROIs, epochs"),
        (lambda p: np.where(p > 0.2, np.nan, p), "is nan"),
        (lambda p: p - 0.5, "is -0"),
    ],
)
def test_a_prior_of_ones_own_must_be_one(spoil, problem):
    with pytest.raises(ValueError, match=problem):
        loc.bayes(spoil(EXPECTED["FREQ_ROI"]), COUNTS)


def test_a_user_who_is_not_there():
    with pytest.raises(ValueError, match="users: no position 7"):
        prior("FREQ_ROI").toarray([0, 7])


# -- errors ----------------------------------------------------------------------------------------

SELDOM = made(n_users=8, n_rois=9, often=0.003)  # hardly anybody was ever in all places
SEEN = loc.inference_period(SELDOM, TWO_DAYS)
THERE = SEEN.matrix.sum(axis=0).reshape(SEEN.n_rois, TWO_DAYS)
SOME_COUNTS = {
    "true": THERE,
    "nobody in some hours": THERE * (np.arange(TWO_DAYS) % 3 > 0),
    "any": np.random.default_rng(1).integers(0, SEEN.n_users + 1, THERE.shape),
    "everybody everywhere": np.full(THERE.shape, SEEN.n_users),
    "nobody": 0 * THERE,
}


@pytest.mark.parametrize("some", SOME_COUNTS)
@pytest.mark.parametrize("name", ["bayes", "max_roi", "max_user"])
def test_users_at_once_err_as_epoch_by_epoch(monkeypatch, name, some):
    monkeypatch.setattr(errors, "_COLUMNS", 3 * TWO_DAYS)  # three users at a time, of eight
    known = loc.prior(SELDOM, "FREQ_ROI", TWO_DAYS)
    assert 10 < (known.toarray()[:, :, 0] == 0).sum() < 60
    once = getattr(loc, name)(known, SOME_COUNTS[some])
    assert isinstance(once.of_slot, BatchedEpochs)
    slowly = replace(once, of_slot=lambda slot: once.of_slot(slot))
    for hours in (range(TWO_DAYS), [7, 12, 40]):
        truth = SEEN.select(epochs=list(hours))
        a, b = once.select(np.array(hours)), slowly.select(np.array(hours))
        assert_same_errors(a, b, truth, exact=name != "bayes")


def assert_same_errors(a, b, truth, exact):
    for error_of in (loc.profiling_error, loc.profiling_error_by_epoch):
        squares = (error_of(each, truth, root=False) for each in (a, b))
        np.testing.assert_allclose(*squares, rtol=0, atol=0 if exact else 1e-14)
        np.testing.assert_allclose(
            error_of(a, truth), error_of(b, truth), rtol=0, atol=0 if exact else 1e-7
        )  # a root near 0 loses digits
    if exact:  # places, 0 or 1
        assert np.array_equal(loc.localization_error(a, truth), loc.localization_error(b, truth))


@pytest.mark.parametrize("name", ["bayes", "max_roi", "max_user"])
def test_a_row_that_many_share_stays_shared_when_hours_are_the_same(name):
    here, there = STRATEGIES[name]
    hours = np.array([9, 33])  # of two days: the same slot
    profile = here(prior("TIME_DAY").select(hours), COUNTS[:, hours])
    expected = there(EXPECTED["TIME_DAY"][:, :, hours], COUNTS[:, hours])
    found = loc.profiling_error_by_epoch(profile, TRUE.select(epochs=hours.tolist()))
    wanted = reference.profiling_error(expected, TRUTH[:, :, hours])
    assert np.allclose(found, wanted, rtol=0, atol=1e-7)


def test_a_posterior_is_no_place_though_its_prior_stays_the_same():
    with pytest.raises(ValueError, match="places to predict are 0 or 1"):
        loc.localization_error(loc.bayes(prior("FREQ_ROI"), COUNTS), TRUE)


def test_who_is_nowhere_is_named_with_the_hour_when_users_come_at_once(monkeypatch):
    monkeypatch.setattr(errors, "_COLUMNS", 3 * TWO_DAYS)
    there = TRUE.matrix.toarray().reshape(TRUE.n_users, -1, TWO_DAYS)
    there[4, :, 9] = 0
    holes = Traces(there.reshape(TRUE.n_users, -1), TRUE.users, TRUE.rois, TRUE.epochs)
    where = rf"user {TRUE.users[4]} is nowhere at {TRUE.epochs[9]}".replace("+", r"\+")
    with pytest.raises(ValueError, match=where):
        loc.profiling_error(loc.max_roi(prior("FREQ_ROI"), COUNTS), holes)


def test_a_user_without_a_place_needs_null(monkeypatch):
    monkeypatch.setattr(errors, "_COLUMNS", 3 * TWO_DAYS)
    nameless = replace(prior("FREQ_ROI"), null=None)
    nobody = COUNTS.copy()
    nobody[:, 3] = 0
    with pytest.raises(
        ValueError, match="is empty for the user at position 0, and there is no ROI"
    ):
        loc.profiling_error(loc.max_user(nameless, nobody), TRUE)


STRATEGIES = {
    "prior": (lambda p, counts: p, lambda p, counts: p),
    "bayes": (loc.bayes, reference.bayes),
    "max_roi": (loc.max_roi, lambda p, counts: reference.max_roi(p, counts, REPORTS)),
    "max_user": (loc.max_user, lambda p, counts: reference.max_user(p, counts, REPORTS)),
}


@pytest.mark.parametrize("kind", PRIORS)
@pytest.mark.parametrize("name", STRATEGIES)
def test_profiling_errors_are_equation_4(kind, name):
    here, there = STRATEGIES[name]
    profile, expected = here(prior(kind), COUNTS), there(EXPECTED[kind], COUNTS)
    errors = reference.profiling_error(expected, TRUTH)
    by_epoch = loc.profiling_error_by_epoch(profile, TRUE)
    assert np.allclose(by_epoch, errors, rtol=0, atol=1e-7)  # a root near 0 loses digits
    assert np.allclose(loc.profiling_error(profile, TRUE), errors.mean(axis=1), atol=1e-7)


def test_base_two_distances_are_larger_by_a_constant_and_divergences_are_their_squares():
    natural = loc.profiling_error_by_epoch(prior("FREQ_ROI"), TRUE)
    base_2 = loc.profiling_error_by_epoch(prior("FREQ_ROI"), TRUE, base=2)
    squares = loc.profiling_error_by_epoch(prior("FREQ_ROI"), TRUE, base=2, root=False)
    assert np.allclose(base_2, natural / math.sqrt(math.log(2)))
    assert np.allclose(squares, base_2**2)
    user, epoch = 3, 17
    there = TRUTH[user, :, epoch] / TRUTH[user, :, epoch].sum()
    belief = EXPECTED["FREQ_ROI"][user, :, epoch]
    assert squares[user, epoch] == pytest.approx(metrics.js_divergence(there, belief))
    assert base_2[user, epoch] == pytest.approx(metrics.js_distance(there, belief))


@pytest.mark.parametrize("kind", PRIORS)
def test_localization_errors_are_equation_5(kind):
    p = EXPECTED[kind]
    posterior = reference.bayes(p, COUNTS)
    cases = {
        "max_roi": (loc.max_roi(prior(kind), COUNTS), reference.max_roi(p, COUNTS, REPORTS)),
        "max_user": (loc.max_user(prior(kind), COUNTS), reference.max_user(p, COUNTS, REPORTS)),
        "pop": (loc.popular(prior(kind)), reference.popular(reference.normalised(p))),
        "all": (loc.all_rois(prior(kind)), reference.all_rois(p)),
        "bayes, all": (loc.all_rois(loc.bayes(prior(kind), COUNTS)), reference.all_rois(posterior)),
        "bayes, pop": (loc.popular(loc.bayes(prior(kind), COUNTS)), reference.popular(posterior)),
    }
    for name, (profile, assigned) in cases.items():
        expected = reference.localization_error(assigned, TRUTH)
        assert np.allclose(loc.localization_error(profile, TRUE), expected), name


def test_the_truth_itself_has_no_error():
    truth = loc.from_array(TRUTH / TRUTH.sum(axis=1, keepdims=True), null=4)
    assert np.allclose(loc.profiling_error(truth, TRUE), 0, atol=1e-7)
    assert np.allclose(loc.localization_error(loc.all_rois(truth, count_null=True), TRUE), 0)


def test_errors_refuse_what_they_cannot_score():
    with pytest.raises(ValueError, match="0 or 1; take popular"):
        loc.localization_error(prior("FREQ_ROI"), TRUE)
    with pytest.raises(ValueError, match="0 or 1; take popular"):
        loc.localization_error(prior("TIME_DAY"), TRUE)
    with pytest.raises(ValueError, match="the profile has"):
        loc.profiling_error(prior("FREQ_ROI"), TRACES)
    with pytest.raises(ValueError, match="base is 1"):
        loc.profiling_error(prior("FREQ_ROI"), TRUE, base=1)
    real = [roi for roi in TRACES.rois.index if roi != "null"]
    without = TRACES.select(rois=real)
    known = loc.from_array(np.full((7, 4, TWO_DAYS), 0.25))
    with pytest.raises(ValueError, match="is nowhere at"):
        loc.profiling_error(known, loc.inference_period(without, TWO_DAYS))


def test_errors_refuse_other_users_places_or_days_of_the_same_shape():
    known = prior("FREQ_ROI")
    users, rois = TRACES.users, TRACES.rois.index
    others = {
        "users": TRUE.select(users=users[::-1]),
        "rois": TRUE.select(rois=rois[::-1]),
        "epochs": TRACES.select(epochs=slice(0, TWO_DAYS)),
    }
    for kind, other in others.items():
        for score, guess in (
            (loc.profiling_error, known),
            (loc.localization_error, loc.popular(known)),
            (loc.localization_error, loc.max_roi(known, COUNTS)),
            (loc.profiling_error, loc.bayes(known, COUNTS)),
        ):
            score(guess, TRUE)
            with pytest.raises(ValueError, match=f"the profile's {kind} are not the truth's"):
                score(guess, other)
    few = np.array([3, 7, 40])
    loc.profiling_error(known.select(few), TRUE.select(epochs=few))
    with pytest.raises(ValueError, match="the profile's epochs"):
        loc.profiling_error(known.select(few), TRUE.select(epochs=few + 1))


def test_privacy_loss_and_gain_are_equations_6_and_16():
    before, after = np.array([0.4, 0.4, 0.0, 0.4]), np.array([0.1, 0.5, 0.0, 0.4])
    assert np.allclose(loc.privacy_loss_from_errors(before, after), [0.75, 0, 0, 0])
    raw, noisy = np.array([0.2, 0.5, 1.0, 0.2]), np.array([0.6, 0.4, 1.0, 0.2])
    assert np.allclose(loc.privacy_gain_from_errors(raw, noisy), [0.5, 0, 0, 0])
    for wrong in (np.array([-0.1]), np.array([np.nan])):
        with pytest.raises(ValueError, match="from 0 to 1e150 was expected"):
            loc.privacy_loss_from_errors(wrong, np.array([0.1]))


# -- all users at once -----------------------------------------------------------------------------


def brute_force(p, counts):
    """The largest sum of logs over 0/1 matrices with these column sums and a ROI for everybody."""
    n_users, n_rois = p.shape
    columns = [
        [c for c in itertools.product((0, 1), repeat=n_users) if sum(c) == counts[s]]
        for s in range(n_rois)
    ]
    best = -np.inf
    for choice in itertools.product(*columns):
        x = np.array(choice).T
        if (x.sum(axis=1) >= 1).all():
            best = max(best, (x * np.log(p)).sum())
    return best


@pytest.mark.parametrize("seed", range(8))
def test_the_most_likely_assignment_is_exact(seed):
    rng = np.random.default_rng(seed)
    n_users, n_rois, mix = 4, 3, 0.1
    p = rng.dirichlet(np.ones(n_rois), n_users) * (rng.random((n_users, n_rois)) < 0.6)
    p[:, -1] += 1 - p.sum(axis=1)
    visits = np.eye(n_rois, dtype=int)[rng.integers(0, n_rois, n_users)]
    visits |= rng.random(visits.shape) < 0.15  # some second visits
    counts = visits.sum(axis=0)
    assigned = loc.most_likely(p[:, :, None], counts[:, None], mix).toarray()[:, :, 0]
    assert np.array_equal(assigned.sum(axis=0), counts)
    assert (assigned.sum(axis=1) >= 1).all()
    mixed = (1 - mix) * p + mix * counts / counts.sum()
    here = (assigned[:, counts > 0] * np.log(mixed[:, counts > 0])).sum()
    assert here == pytest.approx(brute_force(mixed[:, counts > 0], counts[counts > 0]))


def test_max_entropy_marginals_add_up_to_the_counts():
    shares = COUNTS / COUNTS.sum(axis=0)
    marginals = loc.max_entropy(prior("ROI_DAY"), COUNTS).toarray()
    assert np.allclose(marginals.sum(axis=1), 1)
    assert np.allclose(marginals.mean(axis=0), shares, atol=1e-5)


def test_with_one_user_left_out_the_counts_place_her():
    """Everybody else is certain: the counts then say where the last one is; BAYES says less."""
    p = np.array([[1, 0, 0], [1, 0, 0], [0.8, 0.1, 0.1]])[:, :, None]
    counts = np.array([[2], [1], [0]])
    assert loc.most_likely(p, counts).toarray()[2, 1, 0] == 1
    assert loc.max_entropy(p, counts, mix=1e-4).toarray()[2, 1, 0] > 0.95
    assert loc.bayes(p, counts).toarray()[2, 0, 0] > 0.9


@pytest.mark.parametrize("mix", [0, 1, np.nan])
def test_mix_is_a_share(mix):
    with pytest.raises(ValueError, match=f"mix is {mix}"):
        loc.max_entropy(prior("ROI_DAY"), COUNTS, mix)


def test_everybody_must_be_somewhere():
    with pytest.raises(ValueError, match="null must be counted"):
        loc.most_likely(prior("FREQ_ROI"), np.minimum(COUNTS, 1))


# -- size ------------------------------------------------------------------------------------------


def test_the_last_week_of_commuters_is_counted_as_in_aggregation():
    commuters = load("commuters", n_users=40, null=True)
    week = loc.inference_period(commuters)
    (counts,) = aggregate(week, [np.arange(40)])
    profile = loc.max_roi(loc.prior(commuters, "FREQ_ROI"), counts)
    assigned = profile.toarray()
    assert assigned.shape == (40, 583, 168)
    assert np.array_equal(assigned.sum(axis=0), counts)

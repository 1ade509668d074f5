"""The membership game, its features and their elimination, and the Knock-Knock attack."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.neural_network import MLPClassifier

from lib import metrics
from lib.mechanisms import Laplace, PostProcess
from lib.membership import KnockKnock, features, game, selection
from lib.membership import knock_knock as kk
from lib.randomness import stream
from lib.traces import NULL, Traces
from tests.reference import knock_knock as reference

FEATURES = 1e-12  # relative: one rounding of a variance against numpy's two passes
MARGINS = 1e-3  # relative: liblinear stops at a gradient, not at the optimum
WEIGHTS = 1e-6  # relative, of the largest weight
FEW_SYSTEMS = 100  # solved to drop 220 of 420 features behind noise; 199 if steps are taken whole
SINGLE = 1e-3  # of a probability: what 50 epochs in single precision may be away
SEED = 20180218

N_USERS, N_ROIS, WEEK = 40, 4, 12  # a "week" of twelve epochs fourteen hours long
EPOCHS = pd.date_range("2013-03-04", periods=3 * WEEK, freq="14h", tz="UTC")
PAST, NOW = [range(0, WEEK), range(WEEK, 2 * WEEK)], range(2 * WEEK, 3 * WEEK)


def make_traces(locations: np.ndarray, last: object = "d") -> Traces:
    rois = pd.DataFrame({"lat": 0.0, "lon": 0.0}, index=pd.Index(["a", "b", "c", last], name="roi"))
    users = [f"user {i}" for i in range(len(locations))]
    return Traces(locations.reshape(len(locations), -1), users, rois, EPOCHS)


@pytest.fixture
def locations() -> np.ndarray:
    rng = np.random.default_rng(SEED)
    week = rng.random((N_USERS, N_ROIS, WEEK)) < 0.2  # the same every week, nearly
    slips = rng.random((N_USERS, N_ROIS, 3 * WEEK)) < 0.02
    return (np.tile(week, 3) ^ slips).astype(int)


@pytest.fixture
def traces(locations) -> Traces:
    return make_traces(locations)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(SEED)


def rows(n: int, n_rois: int, seed: int, shift: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Statistics of n aggregates, half of them with one more user."""
    rng = np.random.default_rng(seed)
    raw = rng.poisson(rng.gamma(0.5, 6, size=(n_rois, 24)), (n, n_rois, 24))
    raw[: n // 2] += rng.random((n_rois, 24)) < 0.1 * shift
    return features.extract(raw), np.repeat([1, 0], n // 2)


# -- features ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_epochs", [1, 7, 24])
@pytest.mark.parametrize("kind", ["counts", "group last", "large", "noisy", "negative"])
def test_features_are_the_papers(kind, n_epochs):
    raw = np.random.default_rng(1).poisson(5, (6, 5, n_epochs))
    if kind == "group last":
        raw = np.ascontiguousarray(raw.transpose(1, 2, 0)).transpose(2, 0, 1)
    raw = {"large": raw * 100_003, "noisy": raw + 0.123, "negative": raw - 7}.get(kind, raw)
    expected = reference.statistics(raw)
    np.testing.assert_allclose(features.extract(raw), expected, rtol=FEATURES, atol=FEATURES)


def test_counts_have_exact_features_save_the_variance():
    raw = np.random.default_rng(2).poisson(900, (8, 3, 168))
    found, expected = (
        x.reshape(8, 3, 7) for x in (features.extract(raw), reference.statistics(raw))
    )
    exact = [i for i, name in enumerate(features.STATISTICS) if name not in ("variance", "std")]
    np.testing.assert_array_equal(found[..., exact], expected[..., exact])


def test_features_are_named_in_their_order():
    raw = np.zeros((1, 2, 3))
    raw[0, 1] = [4, 5, 9]
    named = dict(
        zip(features.feature_names(["home", "park"]), features.extract(raw)[0], strict=True)
    )
    assert named["park minimum"] == 4
    assert named["park median"] == 5
    assert named["park maximum"] == 9
    assert named["park sum"] == 18
    assert named["home sum"] == 0


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (np.zeros((2, 3)), "aggregates are (2, 3)"),
        (np.zeros((2, 3, 0)), "not empty"),
        (np.array([[[0.0, np.nan]]]), "group 0, ROI 0"),
        (np.array([[[0.0, 1.0], [np.inf, 0.0]]]), "group 0, ROI 1"),
    ],
)
def test_features_refuse_what_has_none(raw, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        features.extract(raw)


# -- elimination ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "n_rois", "n_selected", "step"),
    [(20, 6, 10, 1), (20, 6, 10, 0.1), (40, 12, 40, 1), (40, 12, 7, 3), (60, 4, 5, 1)],
)
def test_elimination_selects_scikit_learns_set(n, n_rois, n_selected, step):
    for seed in range(3):
        x, members = rows(n, n_rois, seed)
        found = selection.eliminate(x, members, n_selected, step)
        np.testing.assert_array_equal(found, reference.eliminate(x, members, n_selected, step))
        assert found.sum() == n_selected


def test_elimination_selects_scikit_learns_set_at_medium_size():
    x, members = rows(200, 101, 7)
    found = selection.eliminate(x, members, 300)
    np.testing.assert_array_equal(found, reference.eliminate(x, members, 300, 0.1))


def test_a_round_behind_noise_takes_few_systems(monkeypatch):
    """A step that goes astray is shortened; the next round does not begin from where it ended."""
    rng = np.random.default_rng(0)
    counts = rng.poisson(3.0, (200, 60, 168)) * (rng.random((60, 1)) < 0.5)
    noisy = np.rint(counts + rng.laplace(scale=30, size=counts.shape)).clip(0, 500)
    x, members = features.extract(noisy), np.repeat([1, 0], 100)
    solved, factorise = [], selection._KernelLogistic._factorise

    def counted(self, *arguments):
        solved.append(arguments)
        return factorise(self, *arguments)

    monkeypatch.setattr(selection._KernelLogistic, "_factorise", counted)
    selection.eliminate(x, members, 200)
    assert len(solved) < FEW_SYSTEMS


def test_weights_are_the_optimum_after_many_eliminations():
    """The gradient of the stated objective is zero, however much was taken from the kernel."""
    rng = np.random.default_rng(3)
    x = rng.normal(1, 1, (50, 210)) * np.geomspace(1e-2, 1e6, 210)
    members = np.repeat([1, 0], 25)
    model = selection._KernelLogistic(x, 2.0 * members - 1)
    for n_features in range(209, 59, -1):
        model.weights()
        model.drop(np.array([n_features]))  # the largest first: hardest on rounding
    weights, intercept = model.weights(), model.dual.sum()
    kept = x[:, model.columns]
    pull = members - 1 / (1 + np.exp(-(kept @ weights + intercept)))
    np.testing.assert_allclose(weights, kept.T @ pull, atol=WEIGHTS * np.abs(weights).max())
    assert intercept == pytest.approx(pull.sum(), abs=WEIGHTS * np.abs(weights).max())


def test_of_equal_columns_the_earlier_goes_first():
    x, members = rows(30, 4, 2)
    twice = np.hstack([x, x])
    for n_gone in range(1, 2 * x.shape[1] - 1):
        left = selection.eliminate(twice, members, twice.shape[1] - n_gone, 1)
        first, second = left[: x.shape[1]], left[x.shape[1] :]
        assert (first <= second).all()  # whoever is left of the first has its twin left as well


def test_columns_are_dropped_only_where_it_is_sure_which(monkeypatch):
    """With the doubt ignored, the first rough weights decide, and some columns are other ones."""
    x, members = rows(40, 12, 1)
    expected = selection.eliminate(x, members, 5, 1)
    error = selection._KernelLogistic._error
    monkeypatch.setattr(selection._KernelLogistic, "_error", lambda self: (*error(self)[:2], 0.0))
    assert (selection.eliminate(x, members, 5, 1) != expected).any()


def test_elimination_keeps_everything_where_little_is_there():
    x, members = rows(20, 2, 0)
    assert selection.eliminate(x, members, 14).all()
    assert selection.eliminate(x, members, 99).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_selected": 0}, "n_selected is 0"),
        ({"step": 0.0}, "step is 0.0"),
        ({"step": 1.5}, "step is 1.5"),
        ({"step": np.nan}, "step is nan"),
        ({"members": np.ones(20)}, "both 0 and 1"),
        ({"members": np.repeat([1, 0], 9)}, "one member a row"),
        ({"members": np.repeat([1, 2], 10)}, "both 0 and 1"),
        ({"features": np.full((20, 3), np.nan)}, "feature 0 of row 0 is nan"),
    ],
)
def test_elimination_refuses_what_cannot_be(change, message):
    x, members = rows(20, 2, 0)
    arguments = {"features": x, "members": members, "n_selected": 3, **change}
    with pytest.raises(ValueError, match=re.escape(message)):
        selection.eliminate(**arguments)


def test_elimination_warns_where_rounding_stops_it():
    rng = np.random.default_rng(1)
    x = np.column_stack([rng.normal(1, 0.1, (60, 30)) * 1e13, rng.normal(size=(60, 60))])
    with pytest.warns(RuntimeWarning, match="rounding stops it first"):
        selection.eliminate(x, np.repeat([1, 0], 30), 80)


# -- periods and targets -------------------------------------------------------------------------


def hourly(days: int = 28) -> Traces:
    epochs = pd.date_range("2013-03-04", periods=24 * days, freq="1h", tz="UTC")
    rois = pd.DataFrame({"lat": [0.0], "lon": [0.0]}, index=["a"])
    return Traces(np.ones((2, len(epochs)), int), ["x", "y"], rois, epochs)


@pytest.mark.parametrize(("length", "n"), [("8h", 8), ("24h", 24), ("6D", 144)])
def test_a_period_is_as_long_as_asked(length, n):
    traces = hourly()
    now = game.period(traces, "2013-03-25 08:00", length)
    assert len(now) == n
    assert traces.epochs[now.start].hour == 8


def test_a_period_outside_the_traces_is_refused():
    traces = hourly()
    with pytest.raises(ValueError, match="period of 24h from 2013-04-01"):
        game.period(traces, "2013-04-01", "24h")
    with pytest.raises(ValueError, match="period of 8h"):
        game.period(traces, "2013-03-04 00:30", "8h")


def test_targets_come_from_thirds_of_mobility(traces, rng):
    visits = traces.visits().to_numpy()
    candidates = np.flatnonzero(visits > 0)[:30]
    targets = game.sample_targets(traces, candidates, 4, rng)
    assert len(set(targets)) == 12
    assert set(targets) <= set(candidates)
    low, middle, high = visits[targets].reshape(3, 4)
    assert low.max() <= middle.min()
    assert middle.max() <= high.min()
    with pytest.raises(ValueError, match="n_per_third is 11; 30 candidates allow 1 to 10"):
        game.sample_targets(traces, candidates, 11, rng)


# -- groups --------------------------------------------------------------------------------------


def test_groups_are_distinct_and_hold_the_target_or_not(rng):
    """Six others make C(6, 2) = 15 trios with the target: all of them, and 15 of 20 without."""
    groups, members = game.sample_distinct_groups(np.arange(7), 2, 30, 3, rng)
    assert len({tuple(sorted(group)) for group in groups}) == 30
    np.testing.assert_array_equal((groups == 2).any(axis=1), members == 1)
    assert members.sum() == 15
    assert (np.diff(groups, axis=1) > 0).all()


def test_every_group_is_as_likely_as_another(rng):
    drawn = [game.sample_distinct_groups(np.arange(5), 0, 2, 2, rng)[0] for _ in range(2_000)]
    for half, n_possible in ((0, 4), (1, 6)):
        _, counts = np.unique([groups[half] for groups in drawn], axis=0, return_counts=True)
        assert len(counts) == n_possible
        spread = np.sqrt(len(drawn) / n_possible)
        assert np.abs(counts - len(drawn) / n_possible).max() < 4 * spread


@pytest.mark.parametrize(
    ("n_groups", "group_size", "message"),
    [
        (10, 2, "5 distinct groups were asked for; 1 of 4 users can be chosen in 4 ways"),
        (4, 4, "2 distinct groups were asked for; 4 of 4 users can be chosen in 1 ways"),
        (4, 5, "group_size is 5; the pool has 4 users besides the target"),
        (4, 0, "group_size is 0"),
        (3, 2, "n_groups is 3; an even number"),
        (0, 2, "n_groups is 0"),
    ],
)
def test_groups_that_cannot_be_are_refused(rng, n_groups, group_size, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        game.sample_distinct_groups(np.arange(5), 2, n_groups, group_size, rng)


# -- tasks ---------------------------------------------------------------------------------------


def test_subset_task_trains_on_known_users_and_tests_on_others(traces, locations, monkeypatch):
    seen = record_groups(monkeypatch)
    task = game.subset_task(traces, 3, 0.31, 4, NOW, np.random.default_rng(0), 20, 10)
    (train, members), (test, test_members) = seen
    known, unknown = set(train.ravel()), set(test.ravel())
    assert known & unknown == {3}
    assert len(known) <= int(0.31 * N_USERS)
    check_rows(locations, task.train, train, NOW)
    check_rows(locations, task.test, test, NOW)
    np.testing.assert_array_equal(task.train_members, members)
    np.testing.assert_array_equal(task.test_members, test_members)
    assert task.n_samples == 30


def test_same_groups_task_has_a_row_for_each_week_of_each_group(traces, locations, monkeypatch):
    seen = record_groups(monkeypatch)
    task = game.same_groups_task(traces, 3, 10, 5, NOW, PAST, np.random.default_rng(0))
    ((groups, members),) = seen
    for week, epochs in enumerate(PAST):
        part = slice(10 * week, 10 * week + 10)
        check_rows(locations, task.train[part], groups, epochs)
        np.testing.assert_array_equal(task.train_members[part], members)
        assert set(task.train_units[part]) == {week}
    check_rows(locations, task.test, groups, NOW)
    assert task.n_samples == 30


def test_different_groups_task_shares_no_group_with_its_test(traces, locations, monkeypatch):
    seen = record_groups(monkeypatch)
    task = game.different_groups_task(traces, 3, 12, 5, NOW, PAST, np.random.default_rng(0), 8)
    ((groups, members),) = seen
    past = np.r_[0:6, 10:16]  # six of the ten groups with the target, six of those without
    later = np.r_[6:10, 16:20]
    for week, epochs in enumerate(PAST):
        part = slice(12 * week, 12 * week + 12)
        check_rows(locations, task.train[part], groups[past], epochs)
        np.testing.assert_array_equal(task.train_units[part], np.arange(12))
    check_rows(locations, task.test, groups[later], NOW)
    np.testing.assert_array_equal(task.test_members, members[later])
    np.testing.assert_array_equal(task.train_members, np.tile(members[past], 2))
    assert task.n_samples == 32


def record_groups(monkeypatch) -> list:
    seen, sample = [], game.sample_distinct_groups

    def recorded(*arguments):
        seen.append(sample(*arguments))
        return seen[-1]

    monkeypatch.setattr(game, "sample_distinct_groups", recorded)
    return seen


def check_rows(locations, aggregates, groups, epochs):
    assert len(aggregates) == len(groups)
    for row, group in zip(aggregates, groups, strict=True):
        expected = reference.aggregate(locations, group)[:, epochs.start : epochs.stop]
        np.testing.assert_array_equal(row, expected)


PRIORS = {
    "subset": lambda traces, rng, **k: game.subset_task(
        **{
            "traces": traces,
            "target": 3,
            "alpha": 0.5,
            "group_size": 4,
            "inference": NOW,
            "rng": rng,
            "n_train": 8,
            "n_test": 4,
        }
        | k
    ),
    "same": lambda traces, rng, **k: game.same_groups_task(
        **{
            "traces": traces,
            "target": 3,
            "beta": 8,
            "group_size": 4,
            "inference": NOW,
            "observation": PAST,
            "rng": rng,
        }
        | k
    ),
    "different": lambda traces, rng, **k: game.different_groups_task(
        **{
            "traces": traces,
            "target": 3,
            "beta": 8,
            "group_size": 4,
            "inference": NOW,
            "observation": PAST,
            "rng": rng,
            "n_test": 4,
        }
        | k
    ),
    "perfect": lambda traces, rng, **k: game.perfect_task(
        **{
            "traces": traces,
            "target": 3,
            "n_groups": 8,
            "group_size": 4,
            "inference": NOW,
            "rng": rng,
        }
        | k
    ),
}
BAD_TASKS = [
    *[("subset", {"alpha": a}, f"alpha is {a}") for a in (0.0, 1.0, -0.1, 1.5, np.nan)],
    ("subset", {"alpha": 0.1}, "group_size is 4; the pool has 3 users"),
    ("subset", {"alpha": 0.95}, "group_size is 4; the pool has 2 users"),
    *[(p, {"beta": b}, f"beta is {b}") for p in ("same", "different") for b in (0, 7, -2, np.nan)],
    *[(p, {"target": 99}, "target is 99; positions are 0 to 39") for p in PRIORS],
    *[(p, {"target": -1}, "target is -1") for p in PRIORS],
    ("same", {"group_size": 40}, "the pool has 39 users"),
    ("perfect", {"n_groups": 80, "group_size": 2}, "40 distinct groups were asked for"),
    ("same", {"observation": [range(20, 32)]}, "epochs 20 to 32 overlap another period"),
    ("different", {"observation": [NOW]}, "overlap another period"),
    ("same", {"observation": [range(0, 12), range(5, 17)]}, "epochs 5 to 17 overlap"),
    ("same", {"observation": [range(0, 8)]}, "epochs 0 to 8 are 8, the inference period 12"),
    ("same", {"observation": []}, "observation is empty"),
    ("subset", {"inference": range(30, 40)}, "a stretch of the 36 epochs"),
    ("perfect", {"inference": range(5, 5)}, "a stretch of the 36 epochs"),
]


@pytest.mark.parametrize(("prior", "change", "message"), BAD_TASKS)
def test_impossible_tasks_are_refused(traces, rng, prior, change, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        PRIORS[prior](traces, rng, **change)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("null", [False, True])
def test_a_target_who_never_moves_is_refused(locations, rng, prior, null):
    """Being seen nowhere is no move, though the null ROI has a visit in every epoch."""
    locations[3] = 0
    locations[:, -1] = locations[:, :-1].sum(1) == 0 if null else 0
    traces = make_traces(locations, NULL if null else "d")
    with pytest.raises(ValueError, match=r"target 3 \('user 3'\) is seen nowhere"):
        PRIORS[prior](traces, rng)


def test_a_target_seen_only_in_the_past_may_play_past_groups_but_not_the_subset(locations, rng):
    locations[3, :, NOW.start : NOW.stop] = 0
    traces = make_traces(locations)
    assert len(PRIORS["same"](traces, rng).test) == 8
    with pytest.raises(ValueError, match="is seen nowhere"):
        PRIORS["subset"](traces, rng)


@pytest.mark.parametrize("prior", PRIORS)
def test_a_task_depends_on_its_seed_alone(traces, prior):
    first, again = (PRIORS[prior](traces, stream(1, "a")) for _ in range(2))
    other = PRIORS[prior](traces, stream(2, "a"))
    np.testing.assert_array_equal(first.train, again.train)
    np.testing.assert_array_equal(first.test, again.test)
    assert (first.train != other.train).any()


# -- defenses ------------------------------------------------------------------------------------


def test_the_passive_attacker_trains_on_raw_and_the_strategic_on_fresh_noise(traces, rng):
    raw = PRIORS["perfect"](traces, rng)
    np.testing.assert_array_equal(raw.train, raw.test)
    mechanisms = [Laplace(1.0)]
    passive = game.passive_task(raw, mechanisms, np.random.default_rng(5))
    strategic = game.strategic_task(raw, mechanisms, np.random.default_rng(5))
    np.testing.assert_array_equal(passive.train, raw.train)
    np.testing.assert_array_equal(passive.test, strategic.test)
    in_training, in_test = strategic.train - raw.train, strategic.test - raw.test
    assert (in_training != in_test).all()
    correlation = np.corrcoef(in_training.ravel(), in_test.ravel())[0, 1]
    assert abs(correlation) < 4 / np.sqrt(in_test.size)
    assert strategic.n_samples == raw.n_samples == 8


def test_the_release_is_clipped_to_the_group_size(traces, rng):
    task = game.passive_task(PRIORS["perfect"](traces, rng), [Laplace(0.01), PostProcess()], rng)
    assert task.test.min() == 0
    assert task.test.max() == task.group_size


# -- the attack ----------------------------------------------------------------------------------


def regular_task(traces, beta: int = 40) -> game.Task:
    return game.same_groups_task(traces, 3, beta, 5, NOW, PAST, np.random.default_rng(1))


def flat(aggregates: np.ndarray) -> np.ndarray:
    return aggregates.reshape(len(aggregates), -1)


def test_the_attack_with_logistic_regression_is_the_papers(traces):
    task = game.subset_task(traces, 3, 0.5, 4, NOW, np.random.default_rng(1), 12, 8)
    expected = reference.attack(task.train, task.train_members, task.test, task.n_samples)
    found = kk.score_classifiers(task, np.random.default_rng(0), ["LR"])["LR"]
    np.testing.assert_allclose(found, expected, rtol=MARGINS)


def test_play_gives_the_scores_of_each_estimator(traces):
    task = regular_task(traces)
    scores = kk.score_classifiers(task, np.random.default_rng(0))
    seed = int(np.random.default_rng(0).integers(2**31))
    assert tuple(scores) == kk.CLASSIFIERS
    for name, found in scores.items():
        attack = KnockKnock(N_ROIS, WEEK, name, n_features=task.n_samples, random_state=seed)
        attack.fit(flat(task.train), task.train_members)
        np.testing.assert_array_equal(attack.decision_function(flat(task.test)), found)


@pytest.mark.parametrize("classifier", kk.CLASSIFIERS)
def test_a_regular_target_is_found_in_small_groups(traces, classifier):
    task = regular_task(traces)
    attack = KnockKnock(N_ROIS, WEEK, classifier).fit(flat(task.train), task.train_members)
    scores = attack.decision_function(flat(task.test))
    assert metrics.auc(task.test_members, scores) > 0.6
    guesses = attack.predict(flat(task.test))
    assert set(guesses) <= {0, 1}
    assert scores[guesses == 1].min() >= scores[guesses == 0].max()


@pytest.mark.parametrize("classifier", kk.CLASSIFIERS)
def test_without_signal_the_attack_guesses(classifier):
    """Members drawn by a coin: scores on 600 unseen rows are within four standard errors of 1/2."""
    rng = np.random.default_rng(3)
    train, test = rng.poisson(4, (60, 24)), rng.poisson(4, (600, 24))
    members, unseen = np.repeat([1, 0], 30), np.repeat([1, 0], 300)
    scores = KnockKnock(2, 12, classifier).fit(train, members).decision_function(test)
    standard_error = np.sqrt((300 + 300 + 1) / (12 * 300 * 300))
    assert abs(metrics.auc(unseen, scores) - 0.5) < 4 * standard_error


def test_elimination_sees_training_rows_only(traces):
    task = regular_task(traces)
    attack = KnockKnock(N_ROIS, WEEK, "LR", n_features=10)
    attack.fit(flat(task.train), task.train_members)
    assert attack.support_.sum() == 10
    expected = selection.eliminate(features.extract(task.train), task.train_members, 10)
    np.testing.assert_array_equal(attack.support_, expected)


def test_knock_knock_is_a_scikit_learn_estimator():
    attack = KnockKnock(4, 12, "MLP", n_features=5, step=1, random_state=7)
    copy = clone(attack)
    assert copy.get_params() == attack.get_params()
    assert copy.set_params(classifier="kNN").classifier == "kNN"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_single_precision_trains_the_same_network_and_scores_in_double():
    rng = np.random.default_rng(3)
    features = rng.normal(size=(60, 5))
    members = (features[:, 0] > 0).astype(int)
    single = kk.SinglePrecisionMLP((8,), max_iter=50, tol=0, random_state=1).fit(features, members)
    double = MLPClassifier((8,), max_iter=50, tol=0, random_state=1).fit(features, members)
    scores = single.predict_proba(features)
    assert scores.dtype == np.float64
    assert 0 < np.abs(scores - double.predict_proba(features)).max() < SINGLE


def test_a_forest_sees_one_of_the_columns_that_order_rows_alike():
    rng = np.random.default_rng(4)
    column = rng.poisson(3.0, (30, 3)).astype(float)
    twice = np.hstack([column[:, :1] * 24, column, np.sqrt(column), np.zeros((30, 2))])
    distinct = kk.DistinctRankings().fit(twice)
    assert distinct.columns_.tolist() == [0, 2, 3, 7]
    np.testing.assert_array_equal(distinct.transform(twice), twice[:, [0, 2, 3, 7]])
    tied = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 4.0]]).T
    assert kk.DistinctRankings().fit(tied).columns_.tolist() == [0]
    tied[1, 0] = 1.0  # a tie is an order of its own
    assert kk.DistinctRankings().fit(tied).columns_.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"classifier": "SVM"}, "classifier is 'SVM'; one of LR, kNN, RF, MLP"),
        ({"n_rois": 5}, "5 ROIs x 12 epochs ask (n, 60)"),
        ({"members": np.ones(80, int)}, "both 0 and 1"),
    ],
)
def test_an_attack_that_cannot_be_is_refused(traces, change, message):
    task = regular_task(traces)
    members = change.pop("members", task.train_members)
    attack = KnockKnock(**{"n_rois": N_ROIS, "n_epochs": WEEK} | change)
    with pytest.raises(ValueError, match=re.escape(message)):
        attack.fit(flat(task.train), members)


# -- choosing a classifier -----------------------------------------------------------------------


def test_best_is_the_highest_auc_on_the_test():
    members = np.array([1, 1, 0, 0])
    scores = {"LR": np.array([1, 0, 1, 0]), "RF": np.array([3, 2, 1, 0])}
    assert kk.best_classifier(members, scores) == ("RF", 1.0)


def test_the_floor_of_best_is_that_of_shuffled_labels():
    rng = np.random.default_rng(4)
    members = np.repeat([1, 0], [7, 9])
    scores = {"LR": rng.normal(size=16), "kNN": rng.integers(0, 3, 16).astype(float)}
    found = kk.permuted_best_aucs(members, scores, np.random.default_rng(5), 30)
    shuffled = np.random.default_rng(5).permuted(np.tile(members, (30, 1)), axis=1)
    expected = reference.best_of_shuffled(members, scores, list(shuffled))
    np.testing.assert_allclose(found, expected, rtol=FEATURES)


def test_the_floor_of_one_classifier_is_a_coin_and_more_classifiers_raise_it():
    rng = np.random.default_rng(6)
    members = np.repeat([1, 0], 50)
    one = {"LR": rng.normal(size=100)}
    four = one | {name: rng.normal(size=100) for name in ("kNN", "RF", "MLP")}
    floor = kk.permuted_best_aucs(members, one, rng)
    standard_error = floor.std() / np.sqrt(len(floor))
    assert abs(floor.mean() - 0.5) < 4 * standard_error
    assert kk.permuted_best_aucs(members, four, rng).mean() > 0.5 + 10 * standard_error


def test_cross_validation_keeps_units_together_and_finds_the_signal(traces, monkeypatch):
    task = regular_task(traces)
    weeks = np.split(features.extract(task.train), 2)
    folds, fit_all = [], kk._fit_all

    def recorded(train, members, test, *arguments):
        folds.append([[np.array_equal(part, week) for week in weeks] for part in (train, test)])
        return fit_all(train, members, test, *arguments)

    monkeypatch.setattr(kk, "_fit_all", recorded)
    aucs = kk.cross_validate_aucs(task, np.random.default_rng(0), ["LR", "RF"])
    first, second = [True, False], [False, True]
    assert sorted(folds) == [[second, first], [first, second]]  # learn from one week, try the other
    assert set(aucs) == {"LR", "RF"}
    assert min(aucs.values()) > 0.6


def test_cross_validation_needs_two_units(traces):
    task = game.same_groups_task(traces, 3, 10, 5, NOW, PAST[:1], np.random.default_rng(1))
    with pytest.raises(ValueError, match="1 unit of training rows"):
        kk.cross_validate_aucs(task, np.random.default_rng(0))


def test_the_package_does_not_import_scikit_learn_before_it_is_needed():
    code = "import sys, lib.membership; assert 'sklearn' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)

"""The attack without auxiliary traces: training aggregates, rule, game, refusals."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from lib import metrics
from lib.aggregation import aggregate
from lib.datasets import load
from lib.mechanisms import (
    BoundContributions,
    FourierPerturbation,
    Gaussian,
    Laplace,
    PostProcess,
    SuppressSmallCounts,
)
from lib.membership import KnockKnockLR, ZeroKnowledge, challenges, marginals, target_knowledge
from lib.membership import zero_knowledge as zk
from lib.membership.protection import CountProtection
from lib.traces import Traces
from tests.reference import zero_knowledge_attack as reference

N_USERS, N_ROIS, N_EPOCHS, SIZE = 90, 9, 48, 20
DOWN = PostProcess("down")
SIGNIFICANCE = 1e-4  # of a statistical test with a fixed seed
SAME_SCORES = 1e-3  # relative to their spread: two solvers at their optimum


def make_traces(n_users=N_USERS, seed=0):
    rng = np.random.default_rng(seed)
    popular = rng.gamma(0.5, 1.0, (N_ROIS, 1)) * np.ones((1, N_EPOCHS))
    busy = rng.gamma(1.0, 1.0, n_users)
    share = np.minimum(0.12 * busy[:, None, None] * popular / popular.mean(), 0.8)
    visits = (rng.random((n_users, N_ROIS, N_EPOCHS)) < share).astype(int)
    visits[:, 0, 0] |= visits.sum(axis=(1, 2)) == 0
    grid = np.arange(N_ROIS)
    rois = pd.DataFrame({"lat": grid // 3 * 0.1, "lon": grid % 3 * 0.1})
    epochs = pd.date_range("2021-06-01", periods=N_EPOCHS, freq="1h", tz="UTC")
    return Traces(visits.reshape(n_users, -1), [f"u{i}" for i in range(n_users)], rois, epochs)


TRACES = make_traces()
OTHERS = TRACES.select(users=TRACES.users[1:])
TARGET = TRACES.trace("u0")


def training(mechanisms, seed=0, **options):
    rng = np.random.default_rng(seed)
    options = {"n_train": 20, "n_validation": 10} | options
    return zk.Training(OTHERS, TARGET, mechanisms, SIZE, rng, **options)


def dense(rows):
    """Training rows as an array (rows, cells)."""
    return rows.columns(np.arange(rows.shape[1])).T


# -- training aggregates ---------------------------------------------------------------------------


@pytest.mark.parametrize("k", [0, 1, 3])
def test_pairs_without_noise_are_the_reference(k):
    made = training([SuppressSmallCounts(k + 1)])
    traces = [OTHERS.trace(user) for user in OTHERS.users]
    rows, half = dense(made.rows), 10
    assert made.members.tolist() == [0] * half + [1] * half
    for i, group in enumerate(made.groups[:half]):
        *shared, other = group
        with_her, without = reference.pair(traces, TARGET, shared, other, None, k)
        assert np.array_equal(rows[i], without.ravel())
        assert np.array_equal(rows[half + i], with_her.ravel())


def test_independent_groups_are_the_reference():
    made = training([SuppressSmallCounts(2)], paired=False)
    traces = [*(OTHERS.trace(user) for user in OTHERS.users), TARGET]
    for row, group in zip(dense(made.rows), made.groups, strict=True):
        expected = reference.protect(reference.count(traces, group), None, 1, SIZE)
        assert np.array_equal(row, expected.ravel())
    shared = [len(np.intersect1d(a, b)) for a, b in zip(*np.split(made.groups, 2), strict=True)]
    assert max(shared) < SIZE - 1


@pytest.mark.parametrize("noise", [Laplace(0.5), Gaussian(1.0, 1e-3)])
def test_a_pair_shares_its_noise(noise):
    made = training([noise])
    without, with_her = np.split(dense(made.rows), 2)
    raw_without, raw_with = np.split(dense(training([]).rows), 2)
    assert with_her - without == pytest.approx(raw_with - raw_without, abs=1e-3)
    drawn = without - raw_without
    alone = noise.apply(np.zeros(9999), np.random.default_rng(0), np.array(0))
    assert drawn.std() == pytest.approx(alone.std(), rel=0.1)
    assert abs(np.corrcoef(drawn[0], drawn[1])[0, 1]) < 0.2  # but pairs do not share theirs


def test_noise_comes_before_clipping_flooring_and_suppression():
    k = 2
    made = training([Laplace(1.0), DOWN, SuppressSmallCounts(k + 1)])
    rows, raw = dense(made.rows), dense(training([]).rows)
    noisy = dense(training([Laplace(1.0), PostProcess("down", clip=False)]).rows)  # the same draws
    noise = noisy[:10] - raw[:10]
    for member, half in ((0, slice(0, 10)), (1, slice(10, 20))):
        expected = reference.protect(raw[half], noise, k, SIZE)
        assert np.array_equal(rows[half], expected), member
    assert (rows == 0).any() and (rows > k).any() and not ((rows > 0) & (rows <= k)).any()


def test_floored_noise_has_the_releases_distribution():
    made = dense(training([Laplace(0.3), DOWN], n_train=40).rows)[:20]
    plain = dense(training([Laplace(0.3), PostProcess("none"), DOWN], n_train=40).rows)[:20]
    assert made.mean() == pytest.approx(plain.mean(), rel=0.1)
    assert made.std() == pytest.approx(plain.std(), rel=0.1)
    assert np.array_equal(made, np.floor(made))


def test_counts_are_kept_as_such_and_what_is_not_whole_as_floats(monkeypatch):
    assert training([Laplace(0.3), DOWN]).rows.base.dtype == np.int16
    assert training([], paired=False).rows.base.dtype == np.int16
    assert training([Laplace(0.3)]).rows.base.dtype == np.float32
    whole = dense(training([SuppressSmallCounts(2)]).rows)
    monkeypatch.setattr(zk, "_BLOCK", 7)  # cells at once; the last are fewer
    assert np.array_equal(dense(training([SuppressSmallCounts(2)]).rows), whole)


def test_contributions_are_bounded_before_counting():
    bound = BoundContributions(1)
    made = training([bound])
    assert made.by_user.sum() <= 2 * OTHERS.n_users
    challenge = challenges.Challenge(TRACES, 0, [bound], SIZE, 40, np.random.default_rng(0), 10)
    assert max(reference.bounded_days(challenge.trace, 24)) == 1
    assert max(reference.bounded_days(TARGET, 24)) > 1
    assert challenge.on_counts == []


# -- scores ----------------------------------------------------------------------------------------


def test_scores_are_those_of_liblinear_on_the_same_rows():
    made = training([Laplace(2.0), DOWN], n_train=40)
    attack = made.attack(tolerance=1e-6)
    model = reference.fit(list(dense(made.rows)), made.members)
    releases = aggregate(TRACES, [range(20), range(5, 25), range(40, 60)])
    theirs = model.decision_function(releases.reshape(3, -1))
    assert attack.score(releases) == pytest.approx(theirs, abs=SAME_SCORES * np.ptp(theirs))
    assert attack.gap <= 1e-6


def test_scores_without_training():
    made = training([Laplace(1.0), DOWN])
    without, with_her = np.split(dense(made.rows), 2)
    releases = aggregate(TRACES, [range(20), range(5, 25)])
    flat = releases.reshape(2, -1)
    difference = with_her.mean(axis=0) - without.mean(axis=0)
    assert made.attack("mean difference").score(releases) == pytest.approx(
        flat @ difference, rel=1e-5
    )
    assert made.attack("target's cells").score(releases) == pytest.approx(flat @ TARGET.ravel())


def test_an_attack_without_the_other_cells_weights():
    attack = training([Laplace(1.0), DOWN]).attack()
    releases = aggregate(TRACES, [range(20), range(5, 25)])
    hers = TARGET.ravel() > 0
    weights = np.zeros(hers.size)
    weights[attack.cells] = attack.weights
    assert weights[~hers].any()
    assert weights[hers].any()
    expected = releases.reshape(2, -1) @ (weights * hers) + attack.intercept
    assert attack.restrict(np.flatnonzero(hers)).score(releases) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_threshold_is_best_on_the_validation(seed):
    rng = np.random.default_rng(seed)
    members = rng.integers(0, 2, 30)
    scores = np.round(rng.normal(size=30) + members, 1)
    best, thresholds = reference.best_thresholds(members, scores)
    found = zk.best_threshold(members, scores)
    assert ((scores > found) == members).mean() == best
    assert found in [pytest.approx(threshold) for threshold in thresholds]


@pytest.mark.parametrize("members", [[0, 0], [1, 1], [1, 0]])
def test_everybody_or_nobody_may_be_called_a_member(members):
    """Where nobody is a member, the best threshold lies above every score."""
    scores = np.array([1.0, 3.0])
    found = zk.best_threshold(np.array(members), scores)
    best, _ = reference.best_thresholds(np.array(members), scores)
    assert ((scores > found) == members).mean() == best
    if members == [0, 0]:
        assert found > scores.max()
    if members == [1, 1]:
        assert found < scores.min()


def test_threshold_with_scores_of_minus_infinity():
    assert zk.best_threshold(np.array([0, 1, 0]), np.array([-np.inf, 3.0, 1.0])) == 2.0
    assert zk.best_threshold(np.array([0, 0]), np.array([-np.inf, -np.inf])) == 0.0


def test_a_raw_zero_at_a_visit_proves_that_she_is_out():
    challenge = challenges.Challenge(TRACES, 0, [], SIZE, 40, np.random.default_rng(1), 60)
    made = zk.Training(
        challenge.reference,
        challenge.trace,
        [],
        SIZE,
        np.random.default_rng(0),
        n_train=20,
        n_validation=10,
    )
    raw = challenge.releases_at(np.arange(N_ROIS * N_EPOCHS)).reshape(-1, N_ROIS, N_EPOCHS)
    fires = np.isneginf(challenge.scores({"KK": made.attack()})["KK"])
    assert fires.tolist() == [reference.contradicts(one, TARGET) for one in raw]
    assert fires[challenge.members == 0].any()
    assert not fires[challenge.members == 1].any()


@pytest.mark.parametrize(
    ("mechanisms", "certain", "speaks"),
    [
        ([], True, True),
        ([SuppressSmallCounts(1), DOWN], True, True),
        ([SuppressSmallCounts(2)], True, False),
        ([Laplace(1.0), DOWN], True, False),
        ([], False, False),
    ],
)
def test_the_rule_is_for_raw_counts_and_true_visits(mechanisms, certain, speaks):
    attack = training(mechanisms, certain=certain).attack("target's cells")
    assert len(attack.rule) == (TARGET.sum() if speaks else 0)


@pytest.mark.parametrize("noise", [Laplace(0.5), Gaussian(1.0, 1e-3)])
def test_noise_at_a_cell_does_not_depend_on_the_other_cells(noise):
    protection = CountProtection.of([noise])
    cells = np.arange(0, 4000, 2)
    drawn = protection.add_seeded_noise(np.zeros((2000, 50)), cells, 17)
    assert np.array_equal(
        drawn[7:9], protection.add_seeded_noise(np.zeros((2, 50)), cells[7:9], 17)
    )
    assert not np.array_equal(drawn, protection.add_seeded_noise(np.zeros((2000, 50)), cells, 18))
    law = stats.laplace if isinstance(noise, Laplace) else stats.norm
    assert stats.kstest(drawn.ravel(), law(scale=noise.scale).cdf).pvalue > SIGNIFICANCE
    assert stats.kstest(drawn.ravel(), law(scale=1.03 * noise.scale).cdf).pvalue < SIGNIFICANCE
    for one, other in ((drawn[:-1], drawn[1:]), (drawn[:, :-1], drawn[:, 1:])):
        assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 5 / np.sqrt(one.size)
    floored = CountProtection.of([noise, DOWN])
    assert np.array_equal(
        floored.add_seeded_noise(np.zeros((2000, 50)), cells, 17), np.floor(drawn)
    ) == (isinstance(noise, Laplace))


# -- the game --------------------------------------------------------------------------------------


def test_test_groups_are_disjoint_from_the_reference_and_half_hold_the_target():
    challenge = challenges.Challenge(TRACES, 5, [], SIZE, 40, np.random.default_rng(0), 30)
    inside = challenge._indicator
    known = TRACES.users.get_indexer(challenge.reference.users)
    assert len(known) == 40 and 5 not in known
    assert not inside[known].any()
    assert inside.sum(axis=0).tolist() == [SIZE] * 30
    assert inside[5].tolist() == challenge.members.tolist()
    assert challenge.members.sum() == 15
    groups = [np.flatnonzero(column) for column in inside.T]
    cells = np.array([3, 77, 200])
    expected = aggregate(TRACES, groups).reshape(30, -1)
    assert np.array_equal(challenge.releases_at(cells), expected[:, cells])
    assert np.array_equal(challenge.release.ravel(), expected[0])


def test_attacks_are_scored_on_the_same_releases():
    challenge = challenges.Challenge(
        TRACES, 0, [Laplace(0.5), DOWN], SIZE, 40, np.random.default_rng(0), 20
    )
    made = zk.Training(
        challenge.reference,
        TARGET,
        challenge.on_counts,
        SIZE,
        np.random.default_rng(0),
        n_train=20,
        n_validation=10,
    )
    one, two = made.attack("target's cells"), made.attack("mean difference")
    scores = challenge.scores({"one": one, "again": one, "two": two})
    assert np.array_equal(scores["one"], scores["again"])
    cells = two.used_cells
    assert np.array_equal(
        challenge.releases_at(cells)[:, np.searchsorted(cells, one.cells)].sum(axis=1),
        scores["one"],
    )
    assert np.array_equal(challenge.releases_at(cells)[0], challenge.release.ravel()[cells])


@pytest.mark.parametrize("mechanisms", [[], [Laplace(10.0), DOWN], [SuppressSmallCounts(2)]])
def test_both_attackers_find_a_conspicuous_target(mechanisms):
    rng = np.random.default_rng(0)
    everybody = challenges.Challenge(TRACES, 0, mechanisms, SIZE, 45, rng, 60)
    releases = everybody.releases
    options = {"n_train": 60, "n_validation": 20}
    made = zk.Training(everybody.reference, TARGET, mechanisms, SIZE, rng, **options)
    knock = KnockKnockLR(TARGET if made.protection.raw else None).fit(*made.aggregates())
    zero = ZeroKnowledge(TARGET, TRACES.rois, mechanisms, SIZE, rng, n_traces=200, **options)
    for attacker in (knock, zero.fit(releases)):
        assert metrics.auc(everybody.members, attacker.decision_function(releases)) > 0.75
        assert attacker.attack_.gap <= 1e-3
        assert attacker.n_features_in_ == N_ROIS * N_EPOCHS
    logistic = made.attack()
    assert np.array_equal(knock.decision_function(releases), logistic.score(releases))


def test_the_same_seed_gives_the_same_scores_and_traces():
    releases = aggregate(TRACES, [range(20), range(5, 25)])

    def attacker():
        rng = np.random.default_rng(3)
        return ZeroKnowledge(
            TARGET,
            TRACES.rois,
            [Laplace(1.0), DOWN],
            SIZE,
            rng,
            n_traces=50,
            n_train=20,
            n_validation=10,
        )

    def scores(attack, aggregates):
        return attack.fit(aggregates).decision_function(releases)

    assert np.array_equal(scores(attacker(), releases), scores(attacker(), releases))
    one = attacker()
    assert np.array_equal(scores(one, releases), scores(one, releases))
    assert np.array_equal(scores(one, releases[0]), scores(clone(one), releases))
    assert one.get_params()["n_traces"] == 50
    called = releases[[0]], one.decision_function(releases[:1]) > one.attack_.threshold
    assert np.array_equal(one.predict(called[0]), called[1])
    with pytest.raises(NotFittedError, match="call fit first"):
        attacker().decision_function(releases)
    synthetic = one.synthesize(releases[0])
    assert (synthetic.matrix != one.synthesize(releases[0]).matrix).nnz == 0
    assert (synthetic.n_users, synthetic.n_rois, synthetic.n_epochs) == (50, N_ROIS, N_EPOCHS)


def test_a_trial_has_a_row_for_each_attacker_and_scorer():
    challenge = challenges.Challenge(
        TRACES, 0, [Laplace(5.0), DOWN], SIZE, 40, np.random.default_rng(0), 60
    )
    rows = challenges.evaluate_attackers(
        challenge,
        np.random.default_rng(1),
        scorers=zk.SCORERS,
        n_traces=50,
        n_train=20,
        n_validation=10,
    )
    assert [(row["attacker"], row["scorer"]) for row in rows] == [
        (attacker, scorer) for attacker in ("KK", "ZK") for scorer in zk.SCORERS
    ]
    assert all(0 <= row["accuracy"] <= 1 for row in rows)
    assert rows[2]["AUC"] > 0.7 and np.isnan(rows[1]["gap"]) and rows[0]["gap"] <= 1e-3


def test_a_trial_on_a_release_that_holds_nothing_is_a_guess():
    nothing = challenges.Challenge(
        TRACES, 0, [SuppressSmallCounts(SIZE + 1)], SIZE, 40, np.random.default_rng(0), 20
    )
    rows = challenges.evaluate_attackers(
        nothing, np.random.default_rng(1), n_traces=50, n_train=20, n_validation=10
    )
    assert [(row["AUC"], row["accuracy"]) for row in rows] == [(0.5, 0.5)] * 2


# -- what the attacker knows of the target ---------------------------------------------------------


def test_partial_traces_are_rounded_up_and_nested():
    before = np.zeros_like(TARGET)
    for share in (0.01, 0.1, 0.25, 0.5, 1.0):
        part = target_knowledge.partial_trace(TARGET, share, np.random.default_rng(4))
        assert part.sum() == reference.known_visits(int(TARGET.sum()), share)
        assert (part <= TARGET).all() and (before <= part).all()
        before = part
    with pytest.raises(ValueError, match="share is 0"):
        target_knowledge.partial_trace(TARGET, 0.0, np.random.default_rng(0))


def test_known_places_without_times():
    places = target_knowledge.top_places(TARGET, 2)
    per_place = TARGET.sum(axis=1)
    assert per_place[places].tolist() == sorted(per_place, reverse=True)[:2]
    assert set(target_knowledge.top_places(TARGET)) == set(np.flatnonzero(per_place))
    assert np.array_equal(
        target_knowledge.greedy_trace(places, TARGET.shape),
        reference.greedy(list(places), *TARGET.shape),
    )
    time = np.zeros(N_EPOCHS)
    time[:24] = 1 / 24
    guessed = target_knowledge.random_trace(places, 10, time, N_ROIS, np.random.default_rng(0))
    assert set(np.flatnonzero(guessed.sum(axis=1))) == set(places)
    assert 2 <= guessed.sum() <= 10 and not guessed[:, 24:].any()


# -- what cannot be --------------------------------------------------------------------------------


def test_bad_input_is_named():
    rng = np.random.default_rng(0)
    nobody = np.zeros_like(TARGET)
    for make in (
        lambda: zk.Training(OTHERS, nobody, [], SIZE, rng),
        lambda: ZeroKnowledge(nobody, TRACES.rois, [], SIZE, rng).fit(TARGET),
        lambda: target_knowledge.partial_trace(nobody, 0.5, rng),
        lambda: target_knowledge.top_places(nobody),
    ):
        with pytest.raises(ValueError, match="no visits"):
            make()
    with pytest.raises(ValueError, match="group_size is 90; a reference of 89 traces"):
        zk.Training(OTHERS, TARGET, [], 90, rng)
    with pytest.raises(ValueError, match="60 users of reference and groups of 40: the 89 users"):
        challenges.Challenge(TRACES, 0, [], 40, 60, rng)
    with pytest.raises(ValueError, match="group_size is 30; 20 synthetic traces"):
        ZeroKnowledge(TARGET, TRACES.rois, [], 30, rng, n_traces=20).fit(TARGET)
    with pytest.raises(ValueError, match=r"trace is \(9, 47\)"):
        zk.Training(OTHERS, TARGET[:, 1:], [], SIZE, rng)
    with pytest.raises(ValueError, match="0 or 1"):
        zk.Training(OTHERS, 2 * TARGET, [], SIZE, rng)
    with pytest.raises(ValueError, match=r"FourierPerturbation.*share its noise"):
        zk.Training(OTHERS, TARGET, [FourierPerturbation(1.0, 3)], SIZE, rng)
    with pytest.raises(ValueError, match="scorer is 'boosting'"):
        training([]).attack("boosting")
    with pytest.raises(ValueError, match="epsilon"):
        Laplace(0.0)


@pytest.mark.parametrize("rois", [TRACES.rois.iloc[:3], TRACES.rois.assign(lon=0.0)])
def test_places_without_a_triangulation_are_refused(rois):
    with pytest.raises(ValueError, match=r"triang|line"):
        ZeroKnowledge(np.ones((len(rois), 4)), rois, [], 5).fit(np.ones((len(rois), 4)))


def test_a_release_that_holds_nothing_is_refused():
    attacker = ZeroKnowledge(
        TARGET,
        TRACES.rois,
        [SuppressSmallCounts(SIZE + 1)],
        SIZE,
        np.random.default_rng(0),
        n_traces=50,
    )
    with pytest.raises(marginals.EmptyRelease):
        attacker.fit(np.zeros((2, N_ROIS, N_EPOCHS)))
    with pytest.raises(ValueError, match=r"the release is \(9, 47\)"):
        attacker.synthesize(np.ones((N_ROIS, N_EPOCHS - 1)))


def test_a_threshold_that_suppresses_everything_teaches_nothing():
    attack = training([SuppressSmallCounts(SIZE + 1)]).attack()
    assert len(attack.cells) == 0 and attack.gap == 0
    assert attack.score(np.ones((4, N_ROIS, N_EPOCHS))).tolist() == [attack.intercept] * 4


def test_six_users_and_flights_go_in_as_they_are():
    six = load("six-users")
    rng = np.random.default_rng(0)
    others = six.select(users=six.users[1:])
    made = zk.Training(others, six.trace("Ada"), [], 3, rng, n_train=10, n_validation=4)
    attacker = KnockKnockLR(six.trace("Ada")).fit(*made.aggregates())
    scores = attacker.decision_function(aggregate(six, [[0, 2, 3], [2, 3, 4]]))
    assert scores[0] > scores[1]

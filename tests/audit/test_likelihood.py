"""Likelihood ratios of the audit against brute force, on worlds that are small enough for it."""

import functools
import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib import audit
from lib.audit import attacks, measures, membership
from lib.audit.games import Game
from lib.audit.likelihood import CountLikelihood
from lib.audit.localization import n_inferred_epochs
from lib.audit.releases import Plan, Shape
from lib.membership import score_distributions
from lib.traces import Traces

N_USERS, N_EPOCHS = 60, 12
LAPLACE = {"name": "event-level-laplace", "epsilon": 1.0}
GAUSSIAN = {"name": "event-level-gaussian", "epsilon": 2.0, "delta": 1e-2}
ROUND, HIDE = {"name": "round", "base": 3}, {"name": "suppress", "threshold": 3}
WHOLE = {"name": "whole-numbers"}
CHAINS = {
    "raw": [{"name": "raw"}],
    "rounded": [ROUND],
    "hidden": [HIDE],
    "hidden, rounded": [HIDE, ROUND],
    "rounded, hidden": [ROUND, HIDE],
    "random": [{"name": "random-round", "base": 3}],
    "laplace": [LAPLACE],
    "laplace, whole": [LAPLACE, WHOLE],
    "laplace, rounded": [LAPLACE, ROUND],
    "laplace, hidden": [LAPLACE, HIDE],
    "laplace, whole, hidden": [LAPLACE, WHOLE, HIDE],
    "gaussian": [GAUSSIAN],
    "gaussian, whole": [GAUSSIAN, WHOLE],
    "gaussian, hidden": [GAUSSIAN, HIDE],
}
DISCRETE, RANDOM = (
    LAPLACE | {"name": "event-level-discrete-laplace"},
    {"name": "random-round", "base": 2},
)
ALL = CHAINS | {
    "discrete": [DISCRETE],
    "discrete, whole": [DISCRETE, WHOLE],
    "discrete, hidden": [DISCRETE, HIDE],
    "random": [RANDOM],
    "random, hidden": [RANDOM, HIDE],
    "up": [{"name": "round-up", "base": 3}],
}


def release(name):
    return audit.parse({"mechanisms": ALL[name]})


@functools.cache
def noise(mechanism):
    kind = stats.laplace if type(mechanism).__name__ == "Laplace" else stats.norm
    return kind(scale=mechanism.scale)


def oracle(name, plan, value, count, size):
    """Probability, or density, of a published value: every case written out."""
    steps = [step["name"] for step in ALL[name]]
    if steps[0] in (DISCRETE["name"], RANDOM["name"]):
        return whole_oracle(steps, plan, value, count, size)
    if steps == ["random-round"]:
        return max(0.0, 1 - abs(value - count) / 3)
    if plan.noise is None:
        return float(plan.without_noise(np.array([count]), size)[0] == value)
    law = noise(plan.noise)
    if steps[1:] == ["suppress"]:
        return law.cdf(3 - count) if value == 0 else law.pdf(value - count)
    if not steps[1:]:
        return law.pdf(value - count)
    half = 1.5 if "round" in steps else 0.5
    low, high = value - half, value + half
    if "suppress" in steps and value == 0:
        high = 2.5
    if "whole-numbers" in steps:  # clipped, too
        low, high = (-np.inf if value == 0 else low), (np.inf if value == size else high)
    return law.cdf(high - count) - law.cdf(low - count)


def whole_oracle(steps, plan, value, count, size):
    """The same for noise in whole numbers: a sum over all noisy counts."""
    noisy = np.arange(-60, 90)
    if steps[0] == RANDOM["name"]:
        chance = np.maximum(1 - np.abs(noisy - count) / 2, 0) * (noisy % 2 == 0)
    else:
        chance = stats.dlaplace(1 / plan.noise.scale).pmf(noisy - count)
    shown = np.clip(noisy, 0, size) if "whole-numbers" in steps else noisy
    shown = np.where(shown < 3, 0, shown) if "suppress" in steps else shown
    return float(chance[shown == value].sum())


def world(companions, name, seed=5):
    """A target with six cells, and a few others of the pool who share some; nobody else does."""
    rois = pd.DataFrame({"lat": [45.0, 46.0], "lon": [9.0, 9.0]})
    epochs = pd.date_range("2024-01-01", periods=N_EPOCHS, freq="1h", tz="UTC")
    rng = np.random.default_rng(seed)
    first = np.arange(N_USERS), rng.integers(0, 2, N_USERS), rng.integers(6, 12, N_USERS)
    blank = Traces.from_codes(*first, range(N_USERS), rois, epochs)
    roles = Game(blank, release(name), seed, True)  # roles do not depend on visits
    target = int(roles.targets[0])
    others = [int(user) for user in roles.pool if user != target][: len(companions)]
    user = [target] * 6 + [o for o, cells in zip(others, companions, strict=True) for _ in cells]
    epoch = [*range(6), *itertools.chain(*companions)]
    apart = [each[~np.isin(first[0], user)] for each in first]
    codes = [np.append(a, b) for a, b in zip(apart, (user, 0 * np.array(user), epoch), strict=True)]
    traces = Traces.from_codes(*codes, range(N_USERS), rois, epochs)
    return Game(traces, release(name), seed, True), target, others


def bayes(game, target, others, companions, name):
    """The best score there is: an average over all groups of companions, cells together."""
    published, size = game.test.published[:6].astype(float), game.group_size
    visits = np.zeros((len(others), 6), int)
    for row, cells in enumerate(companions):
        visits[row, list(cells)] = 1
    groups = np.array(list(itertools.product([0, 1], repeat=len(others)))) @ visits
    values, which = np.unique(published, return_inverse=True)
    table = np.array(
        [[oracle(name, game.plan, v, n, size) for n in range(len(others) + 2)] for v in values]
    )[which.reshape(published.shape)]  # cells, releases, counts
    cell = np.arange(6)
    chance = [
        sum(table[cell, :, group + label].prod(axis=0) for group in groups) for label in (0, 1)
    ]
    return np.log(np.maximum(chance[1], 1e-300)) - np.log(np.maximum(chance[0], 1e-300))


def auc(game, target, scores):
    return measures.aucs(np.atleast_2d(scores), game.test.members[[target]])[0]


ALONE = [(0,), (0,), (1,), (2,), (2,), (3,), (4,), (5,)]  # cells are independent
TOGETHER = [(0, 1, 2), (0, 1, 2, 3), (1, 2), (3, 4, 5), (4, 5), (0, 5), (2, 3), (0, 1, 2, 3, 4, 5)]


@pytest.mark.parametrize("name", ALL)
def test_independent_cells_give_the_score_of_bayes(name):
    game, target, others = world(ALONE, name)
    best = bayes(game, target, others, ALONE, name)
    found = membership.likelihood_ratio_same_people(game, np.array([target])).test[0]
    sure = np.abs(best) > 20  # impossible with or without the target
    np.testing.assert_allclose(found[~sure], best[~sure], atol=2e-3)
    assert (np.sign(found[sure]) == np.sign(best[sure])).all()


@pytest.mark.parametrize("name", CHAINS)
def test_the_joint_ratio_ranks_as_well_as_bayes(name):
    game, target, others = world(TOGETHER, name)
    best = auc(game, target, bayes(game, target, others, TOGETHER, name))
    found = membership.joint_likelihood_ratio(game, np.array([target])).test[0]
    assert auc(game, target, found) == pytest.approx(best, abs=0.01)


@pytest.mark.parametrize(
    "name", ["laplace", pytest.param("gaussian, whole", marks=pytest.mark.slow)]
)
def test_groups_that_are_drawn_rank_nearly_as_well(name, monkeypatch):
    monkeypatch.setattr(membership, "_GROUPS", 1)
    monkeypatch.setattr(membership, "_SWEEPS", 200)
    game, target, others = world(TOGETHER, name)
    best = bayes(game, target, others, TOGETHER, name)
    found = membership.joint_likelihood_ratio(game, np.array([target])).test[0]
    assert auc(game, target, found) == pytest.approx(auc(game, target, best), abs=0.03)
    assert np.corrcoef(found, best)[0, 1] > 0.95


@pytest.mark.parametrize("name", CHAINS)
def test_with_all_others_known_the_ratio_is_exact(name):
    game, target, _ = world(TOGETHER, name)
    found = membership.informed_likelihood_ratio(game, np.array([target])).test[0]
    raw = game.test.raw[:6] - game.test.inside[target]
    shown, size = game.test.published[:6].astype(float), game.group_size
    chance = np.array(
        [
            [
                [oracle(name, game.plan, v, n + label, size) for v, n in zip(*pair, strict=True)]
                for pair in zip(shown, raw, strict=True)
            ]
            for label in (0, 1)
        ]
    )
    with np.errstate(divide="ignore"):
        best = (np.log(chance[1]) - np.log(chance[0])).sum(axis=0)
    certain = ~np.isfinite(best)
    np.testing.assert_allclose(found[~certain], best[~certain], atol=2e-3)
    assert (np.sign(found[certain]) == np.sign(best[certain])).all()


@pytest.mark.parametrize("name", [*CHAINS, "discrete, whole", "random", "random, hidden", "up"])
def test_probabilities_of_published_values_are_those_of_trials(name):
    plan, size = Plan(release(name), Shape(2, N_EPOCHS, N_EPOCHS)), 30
    likelihood, rng = CountLikelihood(plan, size), np.random.default_rng(1)
    for count in (0, 2, 7):
        shown = plan.apply(np.full((20_000, 1, 1), count), rng, size).ravel().astype(np.float32)
        values, times = np.unique(shown, return_counts=True)
        values, share = values[times > 50], times[times > 50] / len(shown)
        found = np.exp(likelihood.log_likelihood(likelihood.evidence(values), count))
        error = np.sqrt(share * (1 - share) / len(shown))
        assert (np.abs(found - share) <= 5 * error + 1e-9).all()


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
def test_noise_alone_has_the_ratio_of_the_library(name):
    plan = Plan(release(name), Shape(2, N_EPOCHS, N_EPOCHS))
    likelihood, law = CountLikelihood(plan, 30), stats.binom.pmf(np.arange(6), 5, 0.5)
    values = np.linspace(-5, 12, 200)
    found = likelihood.log_ratio(likelihood.evidence(values), law)
    library = score_distributions.log_ratio(values, law, plan.noise)
    np.testing.assert_allclose(found, library)


def test_where_nothing_can_be_seen_ratios_say_nothing():
    game = Game(world(TOGETHER, "raw")[0].traces, audit.parse("flowkit-15"), 5, True)
    assert not game.test.published.any()
    for attack in (
        membership.likelihood_ratio_other_people,
        membership.likelihood_ratio_known_users,
        membership.likelihood_ratio_same_people,
        membership.joint_likelihood_ratio,
        membership.informed_likelihood_ratio,
    ):
        scores = attack(game, game.targets).test
        own = measures.aucs(scores, game.test.members[game.targets])
        interval = measures.mean_measure(own, 0.5, "", (0, 1))
        assert interval.low <= 0.5 <= interval.high, attack.__name__


def test_fourier_noise_has_the_ratio_of_its_coefficients():
    given = {"mechanisms": [{"name": "fpa", "epsilon": 5.0, "kappa": 3}]}
    game = Game(world(TOGETHER, "raw")[0].traces, audit.parse(given), 5, True)
    target = game.targets[0]
    found = membership.informed_likelihood_ratio(game, np.array([target])).test[0]
    change = game.traces.trace(game.traces.users[target])
    raw = game.test.raw.T.reshape(-1, *game.shape)
    out = raw - game.test.inside[target][:, None, None] * change
    shown = game.test.published.T.reshape(-1, *game.shape)
    distance = [np.fft.rfft(shown - each, norm="ortho")[..., :3] for each in (out, out + change)]
    size = [(np.abs(d.real) + np.abs(d.imag)).sum(axis=(1, 2)) for d in distance]
    np.testing.assert_allclose(found, (size[0] - size[1]) / game.plan.noise.scale, atol=1e-4)


def test_names_say_exact_or_approximate():
    by_id = {attack.id: attack for attack in attacks.ATTACKS}
    traces = world(TOGETHER, "raw")[0].traces
    for given, words in (
        ("raw", {"crowd": "exact for each cell", "informed": "exact", "correlated": "approximate"}),
        ({"mechanisms": [{"name": "fpa", "epsilon": 1.0, "kappa": 3}]}, {"crowd": "approximate"}),
    ):
        game = Game(traces, audit.parse(given), 5, True)
        for name, how in words.items():
            assert attacks.exactness(by_id[f"likelihood-ratio-{name}"], game) == how
    assert "normal" not in " ".join(attacks.TITLES.values())


# -- other people, and the release at its full size ------------------------------------------------


def riders(n_users, seed, n_rois=40, n_days=5):
    """People who take a few of the same trips every day; some places are crowded."""
    rng = np.random.default_rng(seed)
    weight = 1 / np.arange(1, n_rois + 1)
    home = rng.choice(n_rois, n_users, p=weight / weight.sum())
    hour = rng.integers(6, 22, n_users)
    user = np.repeat(np.arange(n_users), n_days)
    epoch = np.tile(np.arange(n_days) * 24, n_users) + np.repeat(hour, n_days)
    roi = np.where(rng.random(len(user)) < 0.8, home[user], rng.integers(0, n_rois, len(user)))
    rois = pd.DataFrame({"lat": 45 + 0.01 * np.arange(n_rois), "lon": 9.0})
    epochs = pd.date_range("2024-01-01", periods=24 * n_days, freq="1h", tz="UTC")
    return Traces.from_codes(user, roi, epoch, range(n_users), rois, epochs)


def test_reference_people_are_in_no_other_release():
    game = Game(riders(300, 0), audit.parse("raw"), 1, True)
    parts = [set(each.tolist()) for each in (game.pool, game.controls, game.reference)]
    assert sum(map(len, parts)) == len(set.union(*parts)) == 300
    assert not game.test.inside[game.reference].any()
    assert not game.others.inside[[*game.pool, *game.controls]].any()
    assert (game.others.inside.sum(axis=0) == len(game.pool) // 2).all()
    assert game.full_counts.sum() == game.bounded.visits().to_numpy().sum() - (
        game.bounded.visits().to_numpy()[game.reference].sum()
    )


@pytest.mark.parametrize("name", ["mds-k10", "raw", "event-epsilon-1"])
def test_the_full_size_is_what_an_independent_simulation_finds(name):
    traces, n_draws = riders(900, 2), 5
    game = Game(traces, audit.parse(name), 1, False)
    people = game.targets
    found = membership.sum_of_cells(game, people)
    result = measures.full_size_measures(*found.full)["AUC, full size"]
    visits = traces.matrix.toarray().astype(int)
    crowd = np.delete(visits, game.reference, axis=0).sum(axis=0)
    rng = np.random.default_rng(7)
    drawn = rng.multinomial(game.full_size - 1, np.full(len(game.reference), 1 / 180), 200)
    usual = game.plan.apply((drawn @ visits[game.reference])[:, None], rng, 900)[:, 0]
    scores = []
    for own in visits[people]:
        sums = usual @ own
        for label in (0, 1):
            counts = np.repeat((crowd - own + label * own)[None, None], n_draws, axis=0)
            shown = game.plan.apply(counts, rng, 900)[:, 0] @ own
            scores.append((label, (shown - sums.mean()) / (sums.std() or 1)))
    out, into = (np.concatenate([s for label, s in scores if label == k]) for k in (0, 1))
    simulated = (into[:, None] > out).mean() + (into[:, None] == out).mean() / 2
    assert result.value == pytest.approx(simulated, abs=0.015)
    assert result.low < simulated < result.high


def test_in_a_larger_release_fewer_counts_are_hidden():
    game = Game(riders(900, 2), audit.parse("mds-k10"), 1, True)
    shown = (game.test.published > 0).mean()
    assert (game.plan.without_noise(game.full_counts, 900) > 0).mean() > 2 * shown


def test_somebody_who_knows_other_people_finds_less_than_the_owner_of_everything():
    game = Game(riders(600, 3), audit.parse("event-epsilon-1"), 1, True)
    shares = [
        attacks.evaluate_members(game, attack(game, game.targets))["TPR at 1.0% FPR"]
        for attack in (
            membership.likelihood_ratio_other_people,
            membership.likelihood_ratio_same_people,
        )
    ]
    assert shares[0].value < shares[1].value
    trained = membership.meta_classifier(game, game.targets[:40])
    members = game.test.members[game.targets[:40]]
    ratio = membership.likelihood_ratio_known_users(game, game.targets[:40])
    best, learned = (np.nanmean(measures.aucs(each.test, members)) for each in (ratio, trained))
    assert best > learned - 0.02


def test_visits_are_kept_as_often_as_contribution_bounding_keeps_them():
    traces = riders(80, 4)
    given = {"mechanisms": [{"name": "user-level-laplace", "epsilon": 1.0}], "cap": 3}
    game = Game(traces, audit.parse(given), 1, True)
    of = membership._pairs(game, np.arange(80), traces)
    rng, times = np.random.default_rng(0), np.zeros(len(of.cells))
    for _ in range(400):
        kept = game.plan.bound_traces(traces, rng).matrix
        rows = np.repeat(np.arange(80), np.diff(of.starts))
        times += np.asarray(kept[rows, of.cells]).ravel()
    assert np.abs(times / 400 - of.kept).max() < 0.13
    assert np.abs(times / 400 - of.kept).mean() < 0.025


@pytest.mark.parametrize("name", ["raw", "mds-k10", "round-5", "event-epsilon-1", "user-epsilon-1"])
def test_a_quick_audit_estimates_what_a_full_one_does(name):
    traces, found = riders(500, 6), []
    for quick in (True, False):
        game = Game(traces, audit.parse(name), 6, quick)
        scores = membership.likelihood_ratio_known_users(game, game.targets)
        found.append((n_inferred_epochs(game), game.n_shadow))
        found.append(attacks.evaluate_members(game, scores))
    assert found[0] == found[2]
    for measure, quick in found[1].items():
        full = found[3][measure]
        assert quick.low <= full.high and full.low <= quick.high, measure


def test_a_statement_names_the_sizes_that_its_numbers_are_about():
    game = Game(riders(300, 0), audit.parse("mds-k10"), 1, True)
    attack = next(a for a in attacks.ATTACKS if a.id == "likelihood-ratio-informed")
    found = attacks.evaluate(attack, game)
    share = 100 * found["measures"]["TPR at 1.0% FPR, full size"]["value"]
    said = f"{share:.0f} of 100 in the release of {300 - len(game.reference)} people"
    assert said in found["statement"]
    assert f"in releases of about {len(game.pool) // 2} people" in found["statement"]

"""Experiments of Knock-Knock's games in small: units alone, what is left out, and the text's
attack."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from lib import metrics
from lib.aggregation import aggregate, sample_member_groups
from lib.membership import game
from lib.membership.knock_knock import (
    RidgeLogistic,
    best_classifier,
    classifier_aucs,
    permuted_best_aucs,
    score_classifiers,
)
from lib.papers.knock_knock import experiments as kk
from lib.papers.knock_knock import figures
from lib.randomness import stream
from lib.traces import NULL, Traces
from tests.reference import knock_knock as reference

LIBLINEAR = 1e-5  # relative: how close liblinear comes to the optimum at tol=1e-10 on small data
TWO_DIGITS = 0.0051  # by how much a number that is printed with two digits may be off
SMALL = {"n_train": 20, "n_test": 20, "n_per_third": 2, "seed": 7}
PAST = {"beta_same": 20, "beta_different": 20}
N_USERS = 40


@pytest.fixture(scope="module")
def town():
    """Forty people of habit, four places and nowhere, three weeks."""
    rng = np.random.default_rng(3)
    seen = np.tile(rng.random((N_USERS, 4, 168)) < 0.05, 3)
    seen ^= rng.random(seen.shape) < 0.01
    everywhere = np.concatenate([seen, ~seen.any(axis=1, keepdims=True)], axis=1)
    places = pd.Index(["a", "b", "c", "d", NULL], name="roi")
    rois = pd.DataFrame({"lat": 0.0, "lon": 0.0}, index=places)
    epochs = pd.date_range("2013-03-04", periods=504, freq="h", tz="UTC")
    users = [f"user {i}" for i in range(N_USERS)]
    return Traces(everywhere.reshape(N_USERS, -1).astype(int), users, rois, epochs)


def task(seed=0):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(2.0, (30, 4, 8))
    members = np.tile([1, 0], 15)
    counts[members == 1, 0] += 2
    return game.Task(0, 9, counts[:20], members[:20], np.arange(20), counts[20:], members[20:], 30)


@pytest.mark.parametrize(
    ("experiment", "setting"),
    [
        (kk.games, {"subset_sizes": [5], "past_sizes": [5], **PAST}),
        (kk.sums, {"subset_sizes": [5]}),
        (kk.lengths, {"group_size": 5, "beta_same": 20}),
        (kk.choices, {"middle": 5}),
        (kk.learning, {"middle": 5, "training_groups": [10, 20]}),
        (kk.statistics, {"middle": 5}),
        (kk.cautious, {"middle": 5, "beta_different": 20}),
        (kk.variants, {"past_sizes": [5], **PAST}),
        (kk.sum_sizes, {"sizes": [5, 20, 40], "n_groups": 200}),
        (kk.cautious_sums, {"middle": 5}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_target_is_played_the_same_alone(town, experiment, setting):
    small = {name: value for name, value in SMALL.items() if name in experiment.defaults}
    together = experiment({"town": town}, **small, **setting)
    targets = together["target"].unique().tolist()
    assert targets == kk.targets(town, 2, 7)
    alone = experiment({"town": town}, units={"town": targets[3:4]}, **small, **setting)
    expected = together[together["target"] == targets[3]].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, expected)
    assert not alone.select_dtypes(float).isna().any(axis=None)


def test_a_game_is_the_attack_as_the_papers_text_has_it(town):
    few = {"n_train": 8, "n_test": 20, "beta_same": 10, "beta_different": 4}  # so that RFE acts
    sizes = {"subset_sizes": [5], "past_sizes": [5]}
    rows = kk.games({"town": town}, n_per_third=2, seed=7, **sizes, **few)
    for _, row in rows.iterrows():
        rng = stream(7, "kk-games", "town", row["target"], row["prior"], 5)
        played = kk.task(town, row["target"], row["prior"], 5, rng, **few)
        assert played.n_samples < 7 * 5
        scores = reference.attack(played.train, played.train_members, played.test, played.n_samples)
        assert row["LR"] == metrics.auc(played.test_members, scores)
    assert rows["LR"].nunique() > 3


def test_the_sum_is_played_on_the_groups_of_the_games_and_its_size_is_the_settings(town):
    of = {"town": {"subset_sizes": [5], "past_sizes": [5], "n_per_third": 2}}
    small = {"n_train": 20, "n_test": 20, "seed": 7, "group_size": 5, **PAST}
    rows = kk.run_in_memory({"town": town}, of, kk.sums, **small)
    games = kk.run_in_memory({"town": town}, of, kk.games, **small)
    known = games.loc[games["prior"] == kk.PRIORS[0], kk.GAME].reset_index(drop=True)
    pd.testing.assert_frame_equal(rows[kk.GAME], known)
    for _, row in rows.iterrows():
        rng = stream(7, "kk-games", "town", row["target"], kk.PRIORS[0], 5)
        played = kk.task(town, row["target"], kk.PRIORS[0], 5, rng, n_train=20, n_test=20)
        cells = town.trace(town.users[row["target"]])[:, :168]
        sums = np.tensordot(played.test, cells, 2)
        assert row["sum"] == metrics.auc(played.test_members, sums)


def test_the_sum_is_evaluated_on_groups_of_all_users_in_the_first_week(town):
    rows = kk.sum_sizes({"town": town}, sizes=[5, 39, 40], n_groups=40, n_per_third=2, seed=7)
    assert rows["group size"].unique().tolist() == [5, 39]  # forty users leave nobody out
    for _, row in rows.iterrows():
        rng = stream(7, "kk-sum-sizes", "town", row["target"], row["group size"])
        size = row["group size"]
        groups, members = sample_member_groups(np.arange(40), row["target"], 40, size, rng)
        cells = town.trace(town.users[row["target"]])[:, :168]
        scores = np.tensordot(aggregate(town, groups)[:, :, :168], cells, 2)
        assert row["AUC"] == metrics.auc(members, scores)
        assert row["TPR"] == metrics.tpr_at_fpr(members, scores, 0.01)


def test_the_cautious_sum_scores_the_groups_of_the_cautious_classifier(town, monkeypatch):
    scored = []
    monkeypatch.setattr(metrics, "tpr_at_fpr", lambda *given: scored.append(given) or 0.5)
    given = {"middle": 5, "n_train": 20, "n_test": 20, "n_per_third": 2, "seed": 7}
    rows = kk.cautious_sums({"town": town}, fpr=0.1, **given)
    for target, (members, scores, fpr) in zip(rows["target"], scored, strict=True):
        rng = stream(7, "kk-cautious", "town", target, kk.PRIORS[0])
        asked = kk.task(town, target, kk.PRIORS[0], 5, rng, n_train=20, n_test=20)
        cells = town.trace(town.users[target])[:, :168]
        assert scores.tolist() == np.tensordot(asked.test, cells, 2).tolist()
        assert (members == asked.test_members).all()
        assert fpr == 0.1


def test_stored_rows_are_read_if_the_settings_are_theirs_and_computed_otherwise(monkeypatch):
    data = "flights-by-number"
    setting = {"n_per_third": 17, "training_groups": [20, 50, 100, 200], "seed": 2018}
    monkeypatch.setattr(kk, "run_in_memory", lambda *_, **given: pd.DataFrame([given]))
    read = kk.stored_or_run({data: None}, {data: {"alpha": 0.3}}, kk.learning, **setting)
    pd.testing.assert_frame_equal(read, kk.learning.stored(data))
    for other in ({"seed": 1}, {"n_per_third": 3}, {"training_groups": [20]}, {"n_test": 20}):
        ran = kk.stored_or_run({data: None}, {data: {"alpha": 0.3}}, kk.learning, **setting | other)
        assert ran.shape == (1, len(setting | other))
    ran = kk.stored_or_run({data: None}, {data: {"alpha": 0.2}}, kk.learning, **setting)
    assert len(ran) == 1


def test_the_sum_stands_below_the_classifiers_on_the_same_groups(town):
    of = {"town": {"subset_sizes": [5], "past_sizes": [5], "n_per_third": 2}}
    small = {"n_train": 20, "n_test": 20, "seed": 7, "classifiers": ["LR", "kNN"], **PAST}
    games, sums = (kk.run_in_memory({"town": town}, of, e, **small) for e in (kk.games, kk.sums))
    table = figures.attack_table(games, kk.PRIORS[0], sums)
    assert table.index.get_level_values("attack").tolist() == ["LR", "kNN", "the sum"]
    assert table.loc[("town", "the sum"), 5].startswith(f"{sums['sum'].mean():.2f} [")
    assert figures.floor_table(games).shape == (3, 2)
    alone = kk.run_in_memory({"town": town}, of, kk.games, **small | {"classifiers": ["LR"]})
    assert figures.floor_table(alone).empty


def test_a_bias_that_cannot_be_negative_has_a_range_and_no_interval():
    rows = [
        {"data": "d", "target": t, "choice": choice, "AUC": auc}
        for t, aucs in enumerate([(0.8, 0.8), (0.9, 0.6)])
        for choice, auc in zip(("BEST", "cross-validated"), aucs, strict=True)
    ]
    table = figures.choice_table(pd.DataFrame(rows))
    assert table.loc["d", "BEST minus cross-validated"] == "0.15 (0.00 to 0.30)"
    assert table.loc["d", "targets"] == 2


def test_groups_for_which_there_are_not_enough_users_are_left_out(town):
    found = kk.possible(town, 0.3, [5, 11, 12], [5, 39, 40])
    known = [("1 subset", 5), ("1 subset", 11)]
    assert found == [*known, *((prior, size) for prior in kk.PRIORS[1:] for size in (5, 39))]
    assert kk.share_known("cabspotting", None) == 0.2
    assert kk.share_known("cabspotting", 0.4) == 0.4
    assert kk.share_known("town", None) == 0.3


def test_targets_come_from_all_thirds_and_fewer_of_them_too(town):
    visits = town.visits().to_numpy()
    chosen = kk.targets(town, 4, 7)
    thirds = np.array_split(np.sort(visits), 3)
    for i, third in enumerate(thirds):
        assert set(visits[chosen[4 * i : 4 * i + 4]]) <= set(third)
    assert kk.thinned_targets(town, 4, 7) == chosen
    assert kk.subset_of_targets(town, 4, 3, 7) == chosen[::4]


def test_hours_of_the_cabs_are_those_of_their_clocks(town, monkeypatch):
    setting = {"group_size": 5, "beta_same": 20, "n_per_third": 2, "seed": 7}
    both = kk.lengths({"cabspotting": town}, clocks=["local", "UTC"], **setting)
    aucs = both.pivot(index=["target", "period"], columns="clock", values="AUC")
    same = (aucs["local"] == aucs["UTC"]).groupby("period").mean()
    assert same["week"] == 1
    assert same["Monday"] < 1
    monkeypatch.delitem(kk.BEHIND, "cabspotting")
    elsewhere = kk.lengths({"cabspotting": town}, **setting).set_index(["target", "period"])["AUC"]
    in_utc = aucs["UTC"].dropna()
    pd.testing.assert_series_equal(elsewhere.sort_index(), in_utc.sort_index(), check_names=False)


def test_versions_are_of_the_same_games_and_are_compared_target_by_target(town):
    games = kk.games({"town": town}, subset_sizes=[], past_sizes=[5, 10], **PAST, **SMALL)
    variants = kk.variants({"town": town}, past_sizes=[5, 10], networks=True, **PAST, **SMALL)
    as_played = games.set_index(kk.GAME)["LR"]
    pd.testing.assert_series_equal(
        variants.set_index(kk.GAME)["LR"], as_played.loc[variants.set_index(kk.GAME).index]
    )
    assert variants["group size"].unique().tolist() == [10]
    assert variants["MLP"].notna().tolist() == [True, False] * 3
    table = figures.compared(variants).loc[("town", kk.PRIORS[1], 10)]
    change = variants["LR, without null"] - variants["LR"]
    assert table.loc["LR, without null", "minus the first"] == pytest.approx(change.mean())
    assert table.loc["LR, without null", "standard error"] == pytest.approx(change.sem())
    rng = stream(7, "kk-games", "town", int(variants["target"][0]), kk.PRIORS[1], 10)
    played = kk.task(town, variants["target"][0], kk.PRIORS[1], 10, rng, **PAST)
    bare = replace(played, train=played.train[:, :-1], test=played.test[:, :-1])
    assert variants["LR, without null"][0] == classifier_aucs(bare, rng, ["LR"])["LR"]
    assert table.loc["MLP", ["n", "minus the first"]].tolist() == [3, 0]


def test_tables_of_a_game_are_means_over_targets(town):
    games = kk.games({"town": town}, subset_sizes=[5], past_sizes=[5], **PAST, **SMALL)
    first = games[games["prior"] == kk.PRIORS[0]]
    wide = figures.wide(games).loc[("town", kk.PRIORS[0], 5)]
    assert wide["kNN"] == pytest.approx(first["kNN"].mean())
    assert wide["targets"] == 6
    ends = [metrics.mean_interval(first[each]) for each in ("LR", "kNN", "BEST", kk.FLOOR)]
    half = [min(1, end.high) - (end.low + end.high) / 2 for end in ends]
    assert wide["within"] == pytest.approx(max(half))
    loss = figures.losses(games).loc[("town", kk.PRIORS[0], 5, "BEST"), "mean"]
    assert loss == pytest.approx(metrics.privacy_loss(first["BEST"]).mean())


def test_more_groups_gain_what_the_same_targets_gain():
    aucs = {(1, 20): 0.5, (1, 40): 0.7, (2, 20): 0.6, (2, 40): 0.7, (3, 20): 0.9}
    rows = [
        {"data": "town", "target": target, "training groups": n, "AUC": auc}
        for (target, n), auc in aucs.items()
    ]
    table = figures.gain_table(pd.DataFrame(rows), [(20, 40)])
    assert table.loc["town", "from 20 to 40"].startswith("0.150 [")


def test_losses_stand_below_the_papers():
    table = figures.losses_beside(kk.lengths.stored("cabspotting", "commuters"))
    assert table.loc["week", "cabs, the paper"] == "0.25"
    assert table.loc["Saturday 8-16h", "commuters, the paper"] == "0.46"
    assert table.loc["week", "cabspotting"].startswith("0.27 [")


def test_the_papers_games_are_kept():
    kept = kk.games.stored("cabspotting")
    assert kept.groupby(["prior", "group size"]).size().eq(150).all()
    sizes = kept.groupby("prior")["group size"].unique().map(list)
    assert sizes.to_list() == [[5, 10, 50, 100], *[[5, 10, 50, 100, 300, 500]] * 2]
    assert set(kk.FOUR) <= set(kept)


def test_an_attack_has_an_auc_a_classifier_and_best_with_its_floor():
    found = classifier_aucs(task(), stream(1, "a"), ["LR", "kNN"])
    assert list(found) == ["LR", "kNN", "BEST", "BEST, labels shuffled"]
    assert found["BEST"] == max(found["LR"], found["kNN"])
    rng = stream(1, "a")
    scores = score_classifiers(task(), rng, ["LR", "kNN"])
    assert best_classifier(task().test_members, scores)[1] == found["BEST"]
    floor = permuted_best_aucs(task().test_members, scores, rng, 200).mean()
    assert floor == found["BEST, labels shuffled"]
    assert list(classifier_aucs(task(), stream(1, "a"), ["LR"])) == ["LR"]


def test_logistic_regression_is_liblinears_at_its_optimum():
    rng = np.random.default_rng(2)
    features = rng.poisson(3.0, (40, 12)).astype(float)
    members = (features[:, 0] + rng.normal(size=40) > 3).astype(int)
    ours = RidgeLogistic().fit(features, members)
    theirs = LogisticRegression(solver="liblinear", tol=1e-10, max_iter=10_000)
    theirs.fit(features, members)
    expected = theirs.decision_function(features)
    scale = np.abs(expected).max()
    assert np.abs(ours.decision_function(features) - expected).max() < LIBLINEAR * scale
    assert np.array_equal(ours.predict(features), theirs.predict(features))
    unpenalised = LogisticRegression(solver="lbfgs", tol=1e-10, max_iter=10_000)
    other = unpenalised.fit(features, members).decision_function(features)
    assert np.abs(other - expected).max() > LIBLINEAR * scale  # it penalises no intercept


def test_aucs_stand_beside_the_papers():
    table = figures.aucs_beside(kk.games.stored("cabspotting"))
    assert table.loc[("1 subset", 10, "kNN"), "the paper"] == "0.70"
    assert table.loc[("2a same groups", 100, "RF"), "the paper"] == "about 0.5"
    assert table.loc[("2a same groups", 500, "LR"), "here"].startswith("0.66 [")


def test_the_figure_of_what_was_found_shows_the_differences_of_the_tables(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    of_cabs = kk.games.stored("cabspotting")
    figures.show_found(of_cabs)
    tables = figures.aucs_beside(of_cabs), figures.best_losses_beside(of_cabs)
    for ax, table in zip(plt.gcf().axes, tables, strict=True):
        table = table[table["the paper"] != ""]
        printed = table["the paper"].str.removeprefix("about ").astype(float)
        ours = table["here"].str.split(" ").str[0].astype(float)
        drawn = np.asarray(ax.containers[0].lines[0].get_xdata(), float)
        np.testing.assert_allclose(drawn, ours - printed, atol=TWO_DIGITS)
        assert len(ax.get_yticks()) == len(table)
    plt.close("all")

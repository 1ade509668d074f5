"""Experiments of counts behind noise in small: units alone, calibrated guarantees, gains, groups
recognised."""

import numpy as np
import pandas as pd
import pytest

from lib import metrics
from lib.mechanisms import Gaussian, PostProcess
from lib.membership import game
from lib.membership.knock_knock import KnockKnock
from lib.papers.knock_knock import defense_claims as findings
from lib.papers.knock_knock import defense_experiments as experiments
from lib.papers.knock_knock import defense_figures as figures
from lib.randomness import stream
from lib.traces import NULL, Traces

DATA = "flights-by-number"
SIZES = {"group_size": 5, "seed": 7}
PLAY = SIZES | {"n_groups": 20, "n_per_third": 2}
N_USERS = 40
ROUNDING = 1e-9


@pytest.fixture(scope="module")
def week():
    """The first week of forty people in four places and nowhere, one of them nowhere for long."""
    rng = np.random.default_rng(3)
    seen = rng.random((N_USERS, 4, 200)) < 0.05
    seen[0] = np.arange(200) // 42 == np.arange(4)[:, None]
    everywhere = np.concatenate([seen, ~seen.any(axis=1, keepdims=True)], axis=1)
    rois = pd.DataFrame({"lat": 0.0, "lon": 0.0}, pd.Index(["a", "b", "c", "d", NULL], name="roi"))
    epochs = pd.date_range("2013-03-04", periods=200, freq="h", tz="UTC")
    users = [f"user {i}" for i in range(N_USERS)]
    traces = Traces(everywhere.reshape(N_USERS, -1).astype(int), users, rois, epochs)
    return experiments.first_week(traces)


@pytest.mark.parametrize(
    ("experiment", "setting"),
    [
        (experiments.errors, SIZES | {"n_releases": 2, "catalogues": experiments.CATALOGUES}),
        (experiments.truncation, SIZES | {"n_releases": 2}),
        (experiments.sanity_bounds, SIZES | {"n_releases": 2}),
        (experiments.games, PLAY | {"epsilons": [1.0, 3.0]}),
        (experiments.variants, PLAY | {"epsilons": [1.0]}),
        (experiments.draws, PLAY | {"draws": [1, 2]}),
        (experiments.matching, PLAY | {"epsilons": [0.1, 10.0]}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_unit_is_played_the_same_alone(week, experiment, setting):
    together = experiment({DATA: week}, **setting)
    unit = experiment.units_of(DATA, week, experiment.setting(setting))[1]
    alone = experiment({DATA: week}, units={DATA: [unit]}, **setting)
    labels = list(experiment.unit)
    expected = together.set_index(labels).loc[[unit]].reset_index()[list(together)]
    pd.testing.assert_frame_equal(alone, expected)
    assert len(together) > len(alone) > 0


def test_a_game_is_that_of_the_perfect_prior_by_hand(week):
    rows = experiments.games({DATA: week}, epsilons=[1.0], **PLAY)
    target = int(rows["target"].iloc[0])
    groups = stream(7, "kk-defenses-groups", DATA, target)
    task = game.perfect_task(week, target, 20, 5, range(168), groups)
    attack = KnockKnock(week.n_rois, 168, "LR", random_state=7)
    attack.fit(task.train.reshape(20, -1), task.train_members)
    raw = metrics.auc(task.test_members, attack.decision_function(task.train.reshape(20, -1)))
    gsm = Gaussian(1.0, 0.1, float(week.visits().max()) ** 0.5)
    noise = 7, "kk-defenses-games", DATA, target, "printed", "GSM", 1.0
    met = game.passive_task(task, [gsm, PostProcess()], stream(*noise))
    auc = metrics.auc(met.test_members, attack.decision_function(met.test.reshape(20, -1)))
    row = rows[(rows["target"] == target) & (rows["mechanism"] == "GSM")]
    assert row["passive"].item() == auc
    assert row["raw"].item() == raw > 0.5
    hers = game.strategic_task(task, [gsm, PostProcess()], stream(*noise))
    attack.fit(hers.train.reshape(20, -1), hers.train_members)
    scores = attack.decision_function(met.test.reshape(20, -1))
    assert row["strategic"].item() == metrics.auc(met.test_members, scores) != auc


def test_calibrated_mechanisms_hold_their_guarantee_and_printed_ones_do_not(week):
    printed, calibrated = (
        experiments.mechanisms(week, 1.0, each) for each in ("printed", "calibrated")
    )
    assert (
        experiments.fpa_effective_epsilons(week, calibrated["FPA, calibrated"]).max()
        <= 1 + ROUNDING
    )
    spent = experiments.effective_epsilons({DATA: week})
    table = figures.effective_epsilon_of_fpa(spent).loc[DATA]
    costs = experiments.fpa_effective_epsilons(week, printed["FPA"])
    assert table["largest of a user"] == costs.max() > 1
    assert costs.max() <= table["largest of a swap"] <= 2 * table["worst case, √k"]
    assert calibrated["GSM, calibrated"].delivered_delta == pytest.approx(0.1, rel=1e-3)
    both = figures.effective_epsilon_of_efpag(spent).loc[DATA, "both"]
    shared = calibrated["EFPAG, calibrated"].epsilon
    assert 1 < both <= (1 + experiments.most_rois(week) ** 0.5) / 2
    assert shared * (1 + experiments.most_rois(week) ** 0.5) / 2 == pytest.approx(1)


def test_less_noise_is_less_error_and_clipping_changes_no_noise(week):
    rows = experiments.errors({DATA: week}, n_releases=3, **SIZES)
    means = rows.groupby(["counts", "mechanism", "ε"])["0.5 users"].mean()
    unclipped, clipped = (
        [means[counts, "GSM", epsilon] for epsilon in experiments.BUDGETS]
        for counts in ("unclipped", "clipped")
    )
    assert (np.diff(unclipped) < 0).all()
    assert (np.diff(clipped[1:]) < 0).all()  # where the noise is widest, all is clipped
    assert (means["clipped"] <= means["unclipped"] + ROUNDING).mean() > 0.8
    assert means["clipped", "LPA(Δ/ε)", 0.01] <= 2 * 5  # kept within the group's size


def test_all_coefficients_are_no_error_and_one_is_the_most(week):
    rows = experiments.truncation({DATA: week}, n_releases=3, **SIZES)
    means = rows.groupby("κ")["0.5 users"].mean()
    assert means[85] == 0
    assert means[40] < means[1]


def test_gains_hold_an_auc_below_one_half_where_the_formula_does_not():
    labels = {"data": "d", "target": 1, "mechanism": "GSM", "ε": 1.0, "raw": 1.0}
    games = pd.DataFrame([labels | {"passive": 0.75, "strategic": 0.4}])
    rows = experiments.gains(games).set_index("attacker")
    assert rows["PG"].to_dict() == {"passive": 0.5, "strategic": 1.0}
    assert rows["PG as printed"].to_dict() == {"passive": 0.5, "strategic": 0.0}


def test_raw_groups_are_recognised(week):
    target = experiments.targets(week, data=DATA)[0]
    task = experiments.perfect_task(week, DATA, target, 20, 5)
    centre = task.train.mean(axis=0)
    scores = experiments.matching_scores(task.test, task.train, task.train_members, centre)
    assert metrics.auc(task.test_members, scores) == 1


def test_matching_scores_a_release_the_same_alone_and_uses_no_other_release(week):
    target = experiments.targets(week, data=DATA)[0]
    task = experiments.perfect_task(week, DATA, target, 20, 5)
    met = game.strategic_task(task, [Gaussian(1.0, 0.1), PostProcess()], stream(7, "noise"))
    hers = task.train, task.train_members, met.train.mean(axis=0)
    together = experiments.matching_scores(met.test, *hers)
    alone = [experiments.matching_scores(each[None], *hers)[0] for each in met.test]
    np.testing.assert_allclose(together, alone)


def test_groups_whose_labels_are_random_are_recognised_as_well(week):
    rows = experiments.matching({DATA: week}, epsilons=[1000.0], **PLAY)
    aucs = rows[rows["mechanism"] == "LPA(1/ε)"].groupby(["centre", "labels"])["AUC"].mean()
    assert len(aucs) == 4
    assert (aucs == 1).all()


def test_attackers_are_put_together_on_the_targets_and_budgets_that_all_met(week):
    games = experiments.games({DATA: week}, epsilons=[1.0], **PLAY)
    matching = experiments.matching({DATA: week}, epsilons=[1.0, 3.0], **PLAY)
    fewer = matching[matching["target"] != matching["target"].iloc[0]]
    attacks = experiments.all_attacks(games, fewer)
    counted = attacks.groupby("attacker")["target"].nunique()
    assert set(counted.index) == {"passive", "strategic", "matching", "matching, random labels"}
    assert (counted == games["target"].nunique() - 1).all()
    assert set(attacks["ε"]) == {1.0}
    assert not attacks["mechanism"].str.endswith("calibrated").any()


def test_an_empty_release_errs_by_everything_that_is_counted(week):
    rows = experiments.empty_errors(
        {DATA: week}, of={DATA: {"group_size": 5}}, n_releases=2, seed=7
    )
    raw = experiments.raw_releases(week, DATA, 2, 5, 7)
    seen = [one[one.sum(axis=1) > 0] for one in raw]
    expected = [(one / np.maximum(one, 0.5)).mean() for one in seen]
    assert rows["0.5 users"].to_list() == pytest.approx(expected)


def test_the_busiest_place_is_not_nowhere(week):
    series = experiments.busiest_place(week, DATA, 5, 7)
    counts = experiments.raw_releases(week, DATA, 1, 5, 7)[0]
    assert counts[-1].sum() > series.sum() == counts[:-1].sum(axis=1).max()


def test_subset_of_targets_are_some_of_all_thirds(week):
    chosen = experiments.targets(week, data=DATA, n_per_third=4)
    assert experiments.subset_of_targets(week, data=DATA, n_per_third=4, n_at_most=5) == chosen[::3]
    assert experiments.subset_of_targets(week, data=DATA, n_per_third=4, n_at_most=12) == chosen


def test_published_tables_are_read_from_the_claims():
    errors, gains = findings.published_errors(), findings.published_gains()
    assert len(errors) == 2 * 5 * 4
    assert errors["cabspotting", "LPA(1/ε)", 0.01] == 24.7
    assert errors["commuters", "GSM", 10.0] == 0.75
    assert gains["passive"].to_dict() == {
        "LPA(Δ/ε)": 1.0,
        "GSM": 1.0,
        "FPA": 0.96,
        "EFPAG": 0.92,
        "LPA(1/ε)": 0.0,
    }
    assert gains["strategic"].to_dict() == {"GSM": 0.8, "FPA": 0.32, "EFPAG": 0.15}


# -- tables of the chapters ------------------------------------------------------------------------


def test_the_error_of_zeros_follows_from_stored_means(week):
    setting = SIZES | {"n_releases": 3}
    direct = experiments.empty_errors(
        {DATA: week}, of={DATA: {"group_size": 5}}, n_releases=3, seed=7
    )
    found = figures.zeros_from_bounds(experiments.sanity_bounds({DATA: week}, **setting))
    assert list(found) == ["data", "release", figures.BOUND]
    assert found[figures.BOUND].to_list() == pytest.approx(direct[figures.BOUND].to_list())
    assert 0 < found[figures.BOUND].max() < 1


def rows_of(mechanism, epsilon, errors):
    return [
        {"data": "cabs", "mechanism": mechanism, "ε": epsilon, "release": i, figures.BOUND: error}
        for i, error in enumerate(errors)
    ]


def test_errors_stand_by_budget_with_the_baseline_last():
    rows = pd.DataFrame(rows_of("GSM", 10.0, [1.0, 1.0]) + rows_of("GSM", 1.0, [4.0, 6.0]))
    zeros = pd.DataFrame(rows_of("", 1.0, [0.5, 0.5]))
    table = figures.errors_table(rows, {"zeros": zeros})
    assert list(table) == ["ε = 1", "ε = 10"]
    assert [name for _, name in table.index] == ["GSM", "zeros"]
    assert [text.split()[0] for text in table["ε = 1"]] == ["5.00", "0.500"]
    assert [text.split()[0] for text in table["ε = 10"]] == ["1.00", "0.500"]


def test_calibrated_errors_are_compared_with_printed_ones_and_zeros():
    rows = pd.DataFrame(
        rows_of("GSM", 10.0, [1.0, 2.0]) + rows_of("GSM, calibrated", 10.0, [2.0, 4.0])
    )
    zeros = pd.DataFrame(rows_of("", 10.0, [0.5, 0.5]))
    (row,) = figures.calibration_table(rows, zeros).to_dict("records")
    firsts = {name: text.split()[0] for name, text in row.items()}
    assert firsts == {
        "error, as printed": "1.50",
        "error, calibrated": "3.00",
        "times": "2.00",
        "zeros": "0.50",
    }


def attacks_on(mechanism, attacker, aucs):
    return [
        {"data": "cabs", "target": i, "mechanism": mechanism, "attacker": attacker, "AUC": auc}
        for i, auc in enumerate(aucs)
    ]


def test_matching_is_compared_only_where_there_is_calibrated_noise():
    rows = attacks_on("GSM", "matching", [0.9, 1.0]) + attacks_on("FPA", "matching", [0.8, 0.8])
    rows += attacks_on("GSM, calibrated", "matching", [0.6, 0.8])
    rows += attacks_on("GSM", "passive", [0.5, 0.5])
    table = figures.calibrated_matching_table(pd.DataFrame(rows))
    assert [name for _, name in table.index] == ["GSM"]
    assert [text.split()[0] for text in table.iloc[0]] == ["0.95", "0.70"]
    assert list(table) == ["as printed", "calibrated"]


def test_differences_of_trained_attackers_are_paired_by_target():
    rows = attacks_on("GSM", "passive", [0.5, 0.9]) + attacks_on("GSM", "strategic", [0.6, 1.0])
    row = figures.trained_table(pd.DataFrame(rows)).iloc[0]
    assert row["difference"] == "0.10 [0.10, 0.10]"

"""What the zero-auxiliary-knowledge experiments measure, on a population of ninety."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from lib.membership import marginals
from lib.papers.zero_knowledge import claims as zk
from lib.papers.zero_knowledge import experiments, explorer, figures, untrained
from lib.traces import Traces

N_USERS, N_ROIS, N_EPOCHS = 90, 9, 48
SMALL = {"group_size": 20, "n_reference": 40, "n_train": 20, "n_validation": 10, "n_test": 20}
GAMES = {"units": {"some": [3]}, **SMALL}


@pytest.fixture(scope="module")
def some():
    rng = np.random.default_rng(0)
    users, rois, epochs = (rng.integers(n, size=1500) for n in (N_USERS, N_ROIS, N_EPOCHS))
    start = pd.date_range("2020-01-06", periods=N_EPOCHS, freq="h")
    frame = pd.DataFrame({"user": users, "time": start[epochs], "roi": rois})
    made = Traces.from_records(frame.drop_duplicates(), user="user", time="time", roi="roi")
    made.rois["lat"], made.rois["lon"] = np.divmod(np.arange(N_ROIS), 3)
    return {"some": made}


def test_a_target_alone_has_the_same_rows_as_among_others(some):
    played = experiments.suppression(some, ks=[0, 2], **GAMES | {"units": {"some": [5, 3]}})
    alone = experiments.suppression(some, ks=[2], **GAMES)
    among = played.query("target == 3 and k == 2").reset_index(drop=True)
    pd.testing.assert_frame_equal(among, alone)
    assert set(played["attacker"]) == {"KK", "ZK"} and played["AUC"].between(0, 1).all()


def test_scores_that_are_not_fitted_are_those_of_the_same_games(some):
    both = experiments.noise(some, epsilons=[1.0], scorers=experiments.zk.SCORERS, **GAMES)
    rest = experiments.scores(some, epsilons=[1.0], **GAMES)
    expected = both[both["scorer"] != "logistic"].reset_index(drop=True)
    pd.testing.assert_frame_equal(rest, expected)
    assert dict(zip(both["unit"], both["scale"], strict=True)) == {"event": 1.0, "user-day": 10.0}


def test_a_score_without_training_faces_the_groups_and_the_noise_of_the_other_attacks(some):
    scorers = ["target's cells"]
    noisy = experiments.noise(some, epsilons=[1.0], scorers=scorers, **GAMES)
    hidden = experiments.suppression(some, ks=[1], scorers=scorers, **GAMES)
    both = figures.by_defense(hidden, noisy).query("attacker == 'ZK'")
    offers = [("suppressed", 1.0), ("event", 1.0), ("user-day", 1.0)]
    of_some = "some", some["some"], offers, GAMES["units"]["some"]
    alone = untrained.score_games(lambda counts: counts.sum(axis=1), *of_some, cap=10, **SMALL)
    assert both["unit"].tolist() == alone["unit"].tolist()
    assert both["AUC"].tolist() == alone["AUC"].tolist()


def test_an_asterisk_marks_a_difference_whose_interval_does_not_contain_zero():
    aucs = {"sum": [0.801, 0.802, 0.803], "ZK": [0.8, 0.8, 0.8], "KK": [0.7, 0.8, 0.9]}
    rows = pd.DataFrame(
        {"data": "tweeters-zk", "attack": attack, "target": target, "AUC": auc}
        for attack, of in aucs.items()
        for target, auc in enumerate(of)
    )
    pairs = [("sum", "ZK"), ("sum", "KK"), ("sum", "nobody")]
    found = figures.paired_table(rows, ["data"], pairs).iloc[0]
    assert found["sum - KK"].startswith("0.00 [") and not found["sum - KK"].endswith("*")
    assert not found["sum - ZK"].endswith("*")  # 0.002 with a half-width of 0.0025
    less_noise = rows.assign(AUC=rows["AUC"].where(rows["attack"] != "sum", 0.802))
    less_noise.loc[0, "AUC"] = 0.8021
    assert figures.paired_table(less_noise, ["data"], pairs)["sum - ZK"].tolist() == [
        "0.00 [0.00, 0.00]*"
    ]
    fine = figures.paired_table(less_noise, ["data"], pairs, fine=True).iloc[0]
    assert fine["sum - ZK"] == "0.002 [0.002, 0.002]*"
    assert fine["sum - KK"].startswith("0.00 [") and not fine["sum - KK"].endswith("*")
    assert figures.difference_text(0.007, 0.0002, 0.0138) == "0.0070 [0.0002, 0.0138]*"


def test_whoever_knows_all_of_her_and_cannot_guess_wins_raw_games(some):
    raw = experiments.suppression(some, ks=[0], scorers=["logistic"], **GAMES)
    rule = experiments.rule(some, units={"some": [3]}, group_size=20, n_reference=40, n_test=20)
    out = rule.set_index("member")["called out"]
    assert out[1] == 0 and out[0] > 0.9
    assert (raw["AUC"] > 0.95).all()


def test_sizes_that_a_pool_is_too_small_for_are_left_out(some):
    sized = {name: value for name, value in GAMES.items() if name != "group_size"}
    assert set(experiments.sizes(some, sizes=[10, 40, 41, 60], **sized)["m"]) == {10, 40}
    wanted = {"group_size": 1000, "n_reference": 2500}
    thousands = experiments.load("tweeters-zk")
    assert experiments.sizes_of("tweeters-zk", thousands) == wanted


def test_the_lemma_is_right_within_its_errors():
    rows = experiments.clipped(["simulated"])
    for rounding in ("none", "down"):
        off = rows[f"{rounding}: drawn"] - rows[f"{rounding}: exact"]
        assert (off.abs() < 4 * rows[f"{rounding}: error"]).all()
    assert rows["none: exact"].tolist() == [scale / 2 for scale in experiments.SCALES]


def test_noisy_marginals_tend_to_the_uniform_one():
    units = [("space, sqrt(t) visits", n) for n in experiments.LIMITS]
    rows = experiments.uniform(["simulated"], units={"simulated": units})
    means = rows.groupby("size")["distance"].mean()
    assert means.is_monotonic_decreasing and means.iloc[-1] < 0.01
    assert len(rows) == len(units) * experiments.N_UNIFORM


def test_nothing_moves_where_nothing_is_hidden(some):
    costs = experiments.costs(some, ks=[0, 9], epsilons=[1.0], group_size=20, n_releases=2)
    by_offer = costs.groupby(["unit", "level"], sort=False)[["cells moved", "places moved"]].mean()
    assert (by_offer.loc[("suppressed", 0.0)] == 0).all()
    assert by_offer.loc[("suppressed", 9.0), "cells moved"] > 0.4
    units = by_offer.index.get_level_values("unit").tolist()
    assert units == ["suppressed", "suppressed", "event", "user-day", "user"]


def test_sums_are_those_of_the_games_of_others(some):
    raw = {"group_size": 20, "n_reference": 40, "n_test": 20, "units": {"some": [3]}}
    alone = experiments.sums(some, epsilons=[], sizes=[20], shares=[1.0], **raw)
    found = alone.set_index("what")["AUC"]
    suppressed = experiments.suppression(some, ks=[1], **GAMES).query('scorer == "target\'s cells"')
    assert (suppressed["AUC"] == found["k = 1"]).all()
    both = experiments.partial(some, shares=[1.0], **GAMES)
    assert found["known"] > 0.5 and len(both) == 2


def test_thresholds_are_those_of_the_games_of_suppression(some):
    found = experiments.thresholds(some, **GAMES).set_index(["attacker", "scorer"])
    games = experiments.suppression(some, ks=[1], **GAMES).set_index(["attacker", "scorer"])
    for key in found.index:
        assert found.loc[key, "AUC"] == games.loc[key, "AUC"]
        assert found.loc[key, "accuracy"] == games.loc[key, "accuracy"]
    assert (found["best accuracy"] >= found["accuracy"]).all()


def test_a_user_budget_is_a_user_level(some):
    one = experiments.user_level(some, epsilon=2.0, **GAMES)
    pd.testing.assert_frame_equal(experiments.user_budgets(some, epsilons=[2.0], **GAMES), one)


# -- tables ----------------------------------------------------------------------------------------


def games(attacker, values, **columns):
    return pd.DataFrame(
        {
            "data": "x",
            "target": range(len(values)),
            "attacker": attacker,
            "scorer": "logistic",
            "AUC": values,
            **columns,
        }
    )


def test_attackers_are_compared_over_the_same_targets():
    both = pd.concat([games("KK", [0.6, 0.8, 0.7]), games("ZK", [0.65, 0.85, 0.75])])
    row = zk.compare_attackers(both, ["data"]).loc[("x",)]
    assert row["ZK - KK"] == pytest.approx(0.05) and row["95% low"] == pytest.approx(0.05)
    assert row["se"] == pytest.approx(0.1 / 3**0.5)
    said = zk.describe_intervals(zk.compare_attackers(both, ["data"]))
    assert said.startswith("1 of 1 intervals exclude 0; largest mean difference 0.050")


def test_the_best_attack_is_that_of_the_highest_mean():
    rows = pd.concat([games("KK", [0.6, 0.8]), games("ZK", [0.7, 0.9])])
    rows = pd.concat([rows, games("ZK", [0.9, 0.9]).assign(scorer="target's cells")])
    offered = figures.attacks(rows).assign(unit="event", level=1.0)
    (best,) = figures.best_attacks(offered).to_dict("records")
    assert best["attack"] == "sum" and best["mean"] == pytest.approx(0.9)
    table = figures.table(offered, ["data"])
    assert table.loc["x", "sum - ZK"].startswith("0.10 [")


def test_a_gain_is_the_seconds_over_the_firsts():
    both = pd.concat([games("ZK", [0.6, 0.8], by="old"), games("ZK", [0.7, 0.8], by="new")])
    row = zk.paired_gain(both, ["data"], "by", "old", "new").loc[("x",)]
    assert row[["old", "new", "gain"]].tolist() == pytest.approx([0.7, 0.75, 0.05])


def test_kept_facts_about_the_surrogates_are_their_calibration():
    found = {finding.id: finding.here for finding in zk._facts()}
    assert found["zk-data-cdr-users"] == 11_000 and found["zk-data-milan-rois"] == 100


def test_all_cells_alike_are_as_far_from_flights_as_most_cells_are_empty():
    flat = experiments.flat_costs(["flights-by-number"], n_releases=2)
    assert list(flat) == ["flights-by-number"] and 0.8 < flat["flights-by-number"] < 1


def test_adding_up_every_hour_of_her_places_finds_hardly_anybody():
    sums = experiments.place_sums("tweeters-zk")
    kept = experiments.places.stored("tweeters-zk")
    assert set(sums["target"]) == set(kept["target"]) and 0.5 < sums["AUC"].mean() < 0.65


def test_the_mean_release_is_what_releases_are_on_average():
    counts = np.array([[0, 1, 3], [7, 0, 2]])
    for epsilon, k in ((None, 1), (1.0, 0), (1.0, 2), (0.3, 4)):
        made = experiments.defense(epsilon, k)
        raw = np.repeat(counts[None], 40_000, axis=0)
        for mechanism in made:
            raw = mechanism.apply(raw, np.random.default_rng(3), np.asarray(1000))
        error = raw.std(axis=0) / 200 + 1e-12
        found = explorer.mean_release(counts, epsilon, k)
        assert (np.abs(raw.mean(axis=0) - found) < 4.5 * error).all(), (epsilon, k)
    same = marginals.expected_counts(counts.astype(float), 2.0, "down")
    assert explorer.mean_release(counts, 0.5, 0) == pytest.approx(same)


def test_the_figure_that_readers_move_holds_what_the_library_computes_and_asks_nobody():
    text = explorer.FILE.read_text(encoding="utf-8")
    given = json.loads(re.search(r"const given = (.*);\n", text).group(1))
    some = explorer.page([0, 1], [None, 1.0])
    again = json.loads(re.search(r"const given = (.*);\n", some).group(1))
    for key in ("visits", "space", "time"):
        assert given[key] == again[key]
    at = [k * given["n"] + e for k in (0, 1) for e in (0, explorer.EPSILONS.index(1.0))]
    for i, row in zip(at, again["grid"], strict=True):
        for key, line in row.items():
            assert given["grid"][i][key] == pytest.approx(line, abs=1.1e-3), (i, key)
    shown = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]|src=|@import|url\(", shown)
    script = re.sub(r"const (given|places) = .*;\n", "", text).split("<script>")[1]
    assert script == re.sub(r"const (given|places) = .*;\n", "", some).split("<script>")[1]

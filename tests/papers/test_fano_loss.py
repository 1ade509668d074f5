"""Experiments of Fano loss in small: what every setting must show, and what is refused."""

import json
import re

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib import reconstruction as rec
from lib.datasets import load
from lib.papers import verdicts
from lib.papers.fano_loss import choices, explorer, figures
from lib.papers.fano_loss import experiments as fano

matplotlib.use("agg")

SMALL = {"n_epochs": 4, "allowed_errors": 1, "n_sequences": 3, "seed": 7}


@pytest.fixture(scope="module")
def aircraft():
    return {"flights-by-tail": fano.load_people("flights-by-tail", n_users=10)}


def test_the_bounds_of_every_sweep_are_above_its_attacks():
    rows = fano.sweeps(["simulated"], n_locations=6, map_sizes=[4], times=[2, 4], short=2, **SMALL)
    assert len(rows) == 3 * (1 + 4 + 2 * 2 + 2)
    best = rows[["MAP", "marginal", "prior", "constant"]].max(axis=1)
    for bound in ("loose", "tight", "tight, exact I and KL", "moments"):
        assert (rows[bound] >= best - 1e-12).all(), bound


def test_the_figure_of_map_sizes_has_the_ratios_of_two_maps():
    sizes = [2, 5]
    units = {"simulated": [("M", m) for m in sizes]}
    rows = fano.sweeps(["simulated"], units=units, map_sizes=sizes, times=[], **SMALL)
    figures.show_map_sizes(rows)
    means = rows.groupby("value")[["moments", "tight", "MAP", "marginal"]].mean()
    best = means[["MAP", "marginal"]].max(axis=1)
    expected = [means["moments"][2] / best[2], means["moments"][5] / best[5]]
    expected.append(means["tight"][5] / best[5])
    words = [text.get_text() for text in plt.gcf().axes[0].texts]
    assert [each for each in words if each[:1] == "×"] == [f"× {each:.1f}" for each in expected]
    plt.close("all")


def test_with_noise_bounds_are_above_the_guesses_that_ignore_counts():
    given = {"n_locations": 6, "map_sizes": [4], "times": [2, 4], "short": 2} | SMALL
    noisy = fano.noisy_sweeps(["simulated"], n_runs=9, **given)
    raw = fano.sweeps(["simulated"], **given)
    for guess in ("prior", "constant"):
        assert (noisy["loose"] >= noisy[guess] - 1e-12).all(), guess
        assert (noisy["tight"] >= noisy[guess] - 1e-12).all(), guess
        pd.testing.assert_series_equal(noisy[guess], raw[guess])
    steps = noisy[noisy["swept"] == "T - s"].pivot(index="sequence", columns="value", values="MAP")
    assert (steps.diff(axis=1).iloc[:, 1:] <= 0).all(axis=None)  # the same runs for every s


def test_people_with_noise_are_attacked_as_at_the_same_noise_elsewhere(aircraft):
    setting = {"n_sequences": 2, "n_attacks": 2}
    everybody = fano.attack_people(aircraft, **setting)
    same = everybody[everybody["σ"] == 1.0].reset_index(drop=True)
    noisy = fano.noisy_people(aircraft, **setting)
    noisy = noisy[noisy["T - s"] == 4].reset_index(drop=True)
    columns = ["user", "loose", "tight", "MAP"]
    pd.testing.assert_frame_equal(noisy[columns], same[columns])


def test_a_point_is_the_same_whatever_else_is_swept():
    points = [[0.1], [0.1, 3.0], [0.5, 0.1]]
    played = [
        fano.noise(["simulated"], sizes=[4], noise_stds=each, n_runs=9, **SMALL) for each in points
    ]
    kept = [rows[rows["σ"] == 0.1].reset_index(drop=True) for rows in played]
    pd.testing.assert_frame_equal(kept[0], kept[1])
    pd.testing.assert_frame_equal(kept[0], kept[2])


def test_noise_of_a_few_runs_has_an_interval_over_all_of_them():
    rows = fano.noise(["simulated"], sizes=[4], noise_stds=[1.0], n_runs=9, **SMALL)
    table = fano.noise_means(rows)
    hits = rows.loc[rows["σ"] == 1.0, "MAP"].mean()
    assert table.loc[(4, 1.0), "95% low"] < hits < table.loc[(4, 1.0), "95% high"]
    assert table.loc[(4, 1.0), "MAP"] == pytest.approx(hits)


def test_a_user_is_attacked_the_same_alone(aircraft):
    setting = {"n_sequences": 2, "n_attacks": 2}
    everybody = fano.attack_people(aircraft, **setting)
    alone = fano.attack_people(aircraft, units={"flights-by-tail": [4]}, **setting)
    expected = everybody[everybody["user"] == 4].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, expected)
    means, _ = fano.step_means(everybody, fano.constant_guesses(aircraft))
    assert (means[["MAP", "prior", "constant"]].diff().dropna() >= 0).all(axis=None)


def test_the_noise_on_a_users_counts_is_the_same_whatever_else_is_attacked(aircraft):
    units = {"flights-by-tail": [0, 3]}
    several, first, alone = (
        fano.attack_people(aircraft, units=units, noise_stds=sigmas, n_sequences=n, n_attacks=n)
        for sigmas, n in (([0.3, 1.0], 20), ([1.0, 0.3], 20), ([1.0], 20))
    )
    kept = [rows[rows["σ"] == 1.0].reset_index(drop=True) for rows in (several, first, alone)]
    pd.testing.assert_frame_equal(kept[0], kept[1])
    pd.testing.assert_frame_equal(kept[0], kept[2])


def test_groups_by_visits_hold_everybody_once(aircraft):
    rows = fano.habits(aircraft, n_sequences=2)
    counts = fano.bounds_by_visits(rows)["count"].groupby(level="chains").sum()
    assert (counts == rows["user"].nunique()).all()


def test_users_without_a_gap_or_with_equal_bounds_have_no_correlation():
    rows = pd.DataFrame(
        {
            "data": "x",
            "chains": "as decided",
            "mixed": False,
            "gap": [np.nan, *np.linspace(0, 1, 12)],
            "random": 1.0,
        }
    )
    found = fano.correlations(rows).loc[("x", "as decided")]
    assert (found["users"], found["no gap"]) == (12, 1)
    assert found.drop(["users", "no gap"]).isna().all()
    assert fano.correlations(rows.assign(random=-rows["gap"])).iloc[0]["correlation"] == -1


@pytest.mark.parametrize("window", ["soon", "0D", "-1D", "", "20"])
def test_a_window_that_is_no_length_is_refused_by_name(window):
    with pytest.raises(ValueError, match="window of flights-by-tail is"):
        fano.load_people("flights-by-tail", window=window)


def test_windows_too_long_to_learn_from_are_refused():
    with pytest.raises(ValueError, match="2 windows of 20D; at least 7"):
        fano.load_people("flights-by-tail", window="20D", min_active=1)


def test_no_attack_beats_the_best_and_no_bound_is_below_it():
    six = load("six-users")
    for sensors in np.eye(4, dtype=int):
        found = fano.losses_by_errors(fano.diary_chain(six, "Dan"), sensors)
        attacks, bounds = ["prior", "constant", "MAP", "marginal"], ["moments", "tight", "loose"]
        assert (found[attacks].le(found["best"] + 1e-12, axis=0)).all(axis=None)
        assert (found[bounds].ge(found["best"] - 1e-12, axis=0)).all(axis=None)
        assert found.loc[0, "MAP"] == pytest.approx(found.loc[0, "best"])


def test_the_least_order_of_each_row_is_the_moment_bound():
    chain, sensors = fano.diary_chain(load("six-users"), "Fay"), np.array([0, 1, 2, 0])
    orders = fano.moment_orders(chain, sensors)
    assert np.isnan(orders.loc[1, "k = 2"])
    bounds = [rec.moment_bound(chain, sensors, 4 - r) for r in orders.index]
    assert orders.min(axis=1).to_numpy() == pytest.approx(bounds)


def test_counts_about_whoever_is_never_there_say_nothing():
    found = fano.losses_by_user(load("six-users"), ["Ada", "Eve"], np.full(4, 3))
    assert found.loc["Ada", "I"] == pytest.approx(0, abs=1e-9)
    assert found.loc["Ada", "MAP"] == pytest.approx(found.loc["Ada", "prior"])
    assert found.loc["Eve", "I"] > 0.1


def test_noise_far_below_one_half_takes_nothing_and_much_noise_leaves_the_prior():
    setting = SMALL | {"n_locations": 4}
    runs = fano.noisy_runs([0.05, 100.0], n_runs=900, **setting)
    raw, little, much = (runs.loc[runs["σ"] == sigma, "MAP"].to_numpy() for sigma in (0, 0.05, 100))
    assert len(raw) == 900
    assert (raw == little).all()
    bounds = fano.noise_bounds([0.05, 100.0], **setting)
    assert raw.mean() > much.mean()
    assert abs(much.mean() - bounds["prior"].iloc[0]) < 4 * (0.25 / 900) ** 0.5
    assert (bounds["tight"] >= bounds["prior"]).all()
    assert bounds["ε"].is_monotonic_decreasing


def test_map_with_ties_broken_either_way_holds_the_library_s_and_stays_below_the_best():
    dan, sensors = fano.diary_chain(load("six-users"), "Dan"), np.zeros(4, int)
    ties, known = fano.map_with_ties(dan, sensors), fano.losses_by_errors(dan, sensors)
    assert (ties["least"] <= known["MAP"] + 1e-12).all()
    assert (known["MAP"] <= ties["largest"] + 1e-12).all()
    assert (ties["largest"] <= known["best"] + 1e-12).all()
    assert ties.loc[0].to_list() == pytest.approx([known.loc[0, "best"]] * 2)
    assert ties.loc[2, "least"] < ties.loc[2, "largest"]


def test_nothing_added_is_the_chain_as_decided(aircraft):
    rows = fano.smoothed_chains(aircraft, {"none": 0.0, "one": 1.0}, n_sequences=2)
    habits = fano.habits(aircraft, n_sequences=2).set_index(["chains", "user"])["random"]
    for name, chains in (("none", "as decided"), ("one", "one added")):
        mine = rows[rows["added"] == name].set_index("user")["tight"]
        assert mine.to_numpy() == pytest.approx(habits.loc[chains].to_numpy())


def test_four_bounds_under_noise_are_above_every_attack_and_the_published_test_is_the_looser():
    rows = fano.noise_comparison(
        [0.3, 10.0], map_sizes=[4], n_sequences=3, n_runs=300, n_epochs=4, allowed_errors=1
    )
    means = rows.groupby("σ").mean()
    assert len(rows) == 6
    for bound in ("tight", "moments", "absent", "halfway"):
        assert (means[bound] >= means["no count"]).all()
        assert (means[bound] >= means[["MAP", "marginal"]].max(axis=1) - 0.1).all()
        assert (means[bound] >= means["rounded"]).all()
    assert (means["halfway"] <= means["absent"]).all()
    assert means.loc[10.0, "halfway"] < means.loc[0.3, "halfway"]


def test_an_attacker_who_rounds_weak_noise_away_attacks_exact_counts():
    setting = {"n_epochs": 4, "allowed_errors": 1, "n_sequences": 3}
    rows = fano.noise_comparison([0.05, 0.5], map_sizes=[4], n_runs=3, **setting)
    chain, sensors = rec.distance_chain(4, 0.1), fano.sample_sensors(2024, 4, 4, 3)
    exact = [
        max(rec.exact_loss(chain, row, 1, g) for g in ("viterbi", "marginal")) for row in sensors
    ]
    assert rows.loc[rows["σ"] == 0.05, "rounded"].to_list() == pytest.approx(exact)
    share = stats.norm.cdf(1) ** 4  # one bit is right unless the noise exceeds 1/2
    assert rows.loc[rows["σ"] == 0.5, "rounded"].to_list() == pytest.approx(share * np.array(exact))
    assert (
        figures._best_attack(rows.assign(MAP=0.0, marginal=0.0))["attack"] >= rows["rounded"]
    ).all()


def test_a_lucky_hit_is_no_attack_but_one_above_the_guess_without_counts_is():
    given = {"M": 10, "σ": 1.0, "no count": 0.1, "rounded": 0.05, "marginal": 0.0}
    rows = pd.DataFrame(given, index=range(10))
    lucky, real = np.eye(10)[0], np.full(10, 0.3) + np.arange(10) / 100
    assert (figures._best_attack(rows.assign(MAP=lucky))["attack"] == 0.1).all()
    assert (figures._best_attack(rows.assign(MAP=real))["attack"] == real).all()


def test_the_figure_that_readers_move_holds_what_the_library_computes_and_asks_nobody():
    text = explorer.FILE.read_text(encoding="utf-8")
    given = json.loads(re.search(r"const given = (.*);\n", text).group(1))
    assert (given["maps"], given["steps"]) == (list(explorer.MAPS), list(explorer.STEPS))
    for m, n_epochs in ((10, 4), (20, 2)):
        again = explorer.logarithms(explorer.values(m, n_epochs))
        for name, line in again.items():
            assert given["grid"][f"{m},{n_epochs}"][name] == pytest.approx(line, abs=2e-4), name
    shown = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]|src=|@import|url\(", shown)
    again = explorer.page([10], [4])
    script = re.sub(r"const (given|places) = .*;\n", "", text).split("<script>")[1]
    assert script == re.sub(r"const (given|places) = .*;\n", "", again).split("<script>")[1]


def test_the_table_of_choices_repeats_the_stored_verdicts_and_knows_every_margin():
    judged = verdicts.committed()["fano"]
    lines = choices.lines()
    for line in lines:
        row = judged.loc[f"fano-{line.claim}"]
        assert line.verdict == (row["substitute"] or row["verdict"]), line
    by_margin = judged.index[judged["grade"] == "margin"]
    assert set(by_margin) <= {f"fano-{line.claim}" for line in lines}

"""The audit experiment: units, tables, figures and the explorer."""

import json
import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from lib.audit.attacks import ATTACKS
from lib.audit.releases import PRESETS
from lib.datasets import load
from lib.papers.audit import experiments, explorer, figures, verdict_rules
from lib.threats import KNOWLEDGE

SMALL = {"n_users": 80, "quick": True}


@pytest.fixture(scope="module")
def flights():
    return load("flights-by-number")


@pytest.fixture(scope="module")
def rows(flights):
    chosen = ["raw", "user-epsilon-1"]
    return experiments.audit_releases({"flights-by-number": flights}, releases=chosen, **SMALL)


def kept_like(measure="x", **columns):
    """Rows of one attack each, as the experiment gives them."""
    rows = pd.DataFrame(columns)
    empty = {
        "data": "d",
        "release": "r",
        "part": "attack",
        "measure": measure,
        "baseline": 0.01,
        "control low": 0.4,
        "control high": 0.6,
    }
    return rows.assign(**{name: value for name, value in empty.items() if name not in rows})


@pytest.mark.slow
def test_a_unit_alone_is_the_same_as_among_others(flights, rows):
    data = "flights-by-number"
    alone = experiments.audit_releases({data: flights}, units={data: ["user-epsilon-1"]}, **SMALL)
    among = rows[rows["release"] == "user-epsilon-1"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, among, check_exact=True, check_dtype=False)


@pytest.mark.slow
def test_every_attack_has_rows_a_name_and_a_place_in_the_tables(rows):
    ids = {attack.id for attack in ATTACKS}
    assert set(rows.loc[rows["part"] == "attack", "attack"]) == ids == set(figures.NAMES)
    goals = {attack.id: attack.threat.goal.name for attack in ATTACKS}
    members = {name for name, goal in goals.items() if goal == "membership"}
    assert members == set(figures.MEMBERSHIP)
    assert ids - members - set(figures.OTHERS) == {"unicity", "totals"}
    knows = {a.threat.knowledge.name for a in ATTACKS if a.id in members}
    assert knows == set(figures.KNOWN) and knows <= set(KNOWLEDGE)
    one = rows[rows["release"] == "raw"]
    tables = [figures.members_table(one, figures.RULES), figures.gains_table(one)]
    assert [len(table) for table in tables] == [len(figures.RULES), len(figures.OTHERS)]
    assert tables[1].loc["joint trajectories", "gain over"] == "random assignment"
    assert "zero knowledge" in figures.not_tested(one)


@pytest.mark.slow
def test_raw_counts_fail_and_noise_for_a_person_leaves_nothing_to_find(rows):
    verdict = rows[rows["part"] == "verdict"].set_index("release")["measure"]
    assert verdict["raw"] == "fail" and verdict["user-epsilon-1"] != "fail"
    use = rows[rows["measure"] == "MRE"].set_index("release")["value"]
    assert use["raw"] == 0 < use["user-epsilon-1"]
    best = experiments.by_knowledge(rows).set_index(["release", "knowledge"])["value"]
    assert best["raw", "everybody else"] > 0.9 > 0.2 > best["user-epsilon-1", "everybody else"]


def test_an_attack_that_finds_the_controls_too_counts_for_nothing():
    found = kept_like(attack=["knock-knock-same-groups"], value=[0.9], low=[0.8], high=[1.0])
    assert experiments.by_knowledge(found, "x")["value"].item() == 0.9
    blind = found.assign(**{"control low": 0.7, "control high": 0.9})
    assert experiments.by_knowledge(blind, "x")["value"].item() == 0.01
    below = found.assign(**{"control low": 0.1, "control high": 0.4})
    assert experiments.by_knowledge(below, "x")["value"].item() == 0.01


def test_the_best_attack_is_the_one_whose_interval_begins_highest():
    few, many = "neural network of two people", "likelihood-ratio-some-others"
    found = kept_like(
        attack=["meta-classifier", many], value=[1.0, 0.8], low=[0.02, 0.75], high=[1.0, 0.85]
    )
    assert experiments.by_knowledge(found, "x")["attack"].item() == many != few


def test_a_weakened_noise_is_an_alarm_and_the_right_one_is_not(flights):
    people = experiments.sample_group(flights, 200, 1)
    found = experiments.weakened_noise(people, 1.0, [1, 0.5], 50_000, 1)
    assert list(found["alarm"]) == ["no", "yes"]


def test_a_group_is_drawn_by_its_seed_and_never_larger_than_everybody(flights, capsys):
    assert experiments.sample_group(flights, 10**6, 1) is flights
    one, other = (experiments.sample_group(flights, 60, seed).users for seed in (1, 2))
    assert len(one) == 60 and set(one) != set(other)
    experiments.sample_populations({"flights": load("flights-by-number")}, 10**6, 1)
    assert "users instead of 1000000" in capsys.readouterr().out
    with pytest.raises(ValueError, match="six has 6 users; an audit needs 50"):
        experiments.sample_populations({"six": load("six-users")}, 100, 1)


def test_each_release_is_of_one_kind_and_promises_what_its_plan_does(flights):
    kinds = {name: figures.release_kind(name) for name in PRESETS}
    assert set(kinds.values()) == set(figures.KINDS)
    assert kinds["google-mobility"] == "noise for a day"
    assert kinds["fpa-epsilon-1"] == "noise for a person at one place"
    guarantees = experiments.guarantees(experiments.sample_group(flights, 60, 1))
    assert guarantees.loc["user-day-epsilon-1", "epsilon of a person"] == pytest.approx(28)
    assert guarantees.loc["user-epsilon-1", "epsilon of a person"] == pytest.approx(1)
    assert np.isnan(guarantees.loc["raw", "epsilon"])


def test_every_audited_release_has_words_with_its_letter_in_order():
    assert list(figures.RELEASES) == list(experiments.RELEASES)
    letters = [words.split(": ")[0] for words in figures.RELEASES.values()]
    assert letters == [chr(ord("A") + i) for i in range(len(letters))]


def test_the_movable_figure_has_the_numbers_of_the_kept_rows():
    text = explorer.FILE.read_text(encoding="utf-8")
    assert text == explorer.page(), "run python -m lib.papers.audit.explorer"
    given = json.loads(re.search(r"const given = (.+);", text).group(1))
    rows = experiments.audit_releases.stored("flights-by-number")
    best = experiments.by_knowledge(rows).set_index(["knowledge", "release"])
    point = given["points"][0][0][experiments.RELEASES.index("mds-k10")]
    assert point[0] == pytest.approx(best.loc[("her visits", "mds-k10"), "value"], abs=1e-3)


def test_figures_draw_what_is_kept(monkeypatch):
    import matplotlib.pyplot as plt

    drawn = []
    monkeypatch.setattr(plt, "show", lambda: drawn.append(plt.gcf()))
    rows = experiments.audit_releases.stored("flights-by-number")
    figures.show_risks(rows)
    figures.show_risk_and_use(rows, ["crowd", "everybody else"])
    texts = [t.get_text() for t in drawn[0].axes[0].texts]
    found = rows[(rows["measure"] == experiments.FOUND) & rows["value"].notna()]
    words = [text for text in texts if text[:1] in tuple("×0123456789")]
    assert len(words) == len(found) and any("×" in text for text in words)
    assert {"verdict", "fail", "review", "guaranteed"} <= set(texts)
    assert len(drawn[0].axes[0].patches) == 12  # six attacks on each of the two failing releases
    assert len(drawn[1].axes) == 2
    sizes = {experiments.FOUND: "175", f"{experiments.FOUND}, full size": "400"}
    figures.show_two_measures(rows, sizes, {"other people": 0.1, "everybody else": None})
    first = drawn[2].axes[0]
    assert [text.get_text() for text in first.get_yticklabels()] == list(figures.RELEASES.values())
    figures.show_data(rows, ["other people"])
    assert len(drawn[3].axes[0].texts) == len(experiments.RELEASES)
    verdicts = rows.loc[rows["part"] == "verdict", "measure"]
    assert len(drawn[3].axes[0].patches) == (verdicts == "fail").sum() > 0  # frames
    counts, margins = np.array([[2, 0], [0, 3]]), (np.array([1, 4]), np.array([5, 0]))
    two = {"a": counts, "b": 1 - counts}
    figures.show_releases_with_totals(two, ["x", "y"], ["1", "2"], {"a": margins})
    written = [text.get_text() for text in drawn[4].axes[0].texts]
    assert written == ["2", "3", "1", "4", "5", "0", "missing", "missing"]
    assert len(drawn[4].axes[0].patches) == 2  # hatched, where nothing is published
    assert [text.get_text() for text in drawn[4].axes[1].texts].count("0") == (two["b"] == 0).sum()
    plt.close("all")


def test_the_attacks_that_decide_a_verdict_are_named():
    rows = experiments.audit_releases.stored("flights-by-number")
    failing, warning = figures.deciding_attacks(rows, "event-epsilon-1").splitlines()
    assert failing.count(";") == 5
    assert warning.endswith("independent ratio; joint ratio; ratio, all others known")
    of_100 = figures.identified_table(rows, intervals=False)
    assert of_100.loc["raw", "other people's traces"] == "42"


def test_longer_periods_count_a_person_once_per_place(flights):
    people = experiments.sample_group(flights, 60, 1)
    weeks = experiments.join_epochs(people, "week")
    assert weeks.n_epochs == 4 and weeks.users.equals(people.users)
    first = people.trace(people.users[0]).reshape(people.n_rois, 4, 7 * 24).any(axis=2)
    assert np.array_equal(weeks.trace(people.users[0]).astype(bool), first)
    with pytest.raises(ValueError, match="no period 'month'; there are: epoch, day, week"):
        experiments.join_epochs(people, "month")


def test_a_limit_keeps_visits_that_were_there(flights):
    people = experiments.sample_group(flights, 60, 1)
    kept = experiments.limit_visits(people, 5, np.random.default_rng(1))
    assert np.array_equal(kept.visits(), np.minimum(people.visits(), 5))
    assert (people.matrix - kept.matrix).min() >= 0


def test_the_strongest_attacker_reaches_what_epsilon_allows_and_no_more():
    rng, found = np.random.default_rng(1), {}
    for epsilon in (1.0, 2.0):
        without, inside = (
            experiments.worst_case_scores(2, epsilon, each, 100_000, rng) for each in (False, True)
        )
        found[epsilon] = (inside > np.quantile(without, 0.99)).mean()
    assert found[1.0] == pytest.approx(0.01 * np.e, rel=0.15)
    assert found[2.0] == pytest.approx(0.01 * np.e**2, rel=0.15)


def test_longer_periods_are_more_useful_and_zeros_are_the_baseline(flights):
    people = experiments.sample_group(flights, 200, 1)
    found = experiments.publish_less_often(people, {"day": 40, "whole period": 2}, 1.0, 1, 2000)
    order = found["order of places"].str.split().str[0].astype(float)
    assert order["zeros everywhere"] == 0 < order["day"] < order["whole period"]
    assert list(found["cap"]) == ["40", "2", ""]
    assert found.loc["zeros everywhere", "error of a place's total"] == "1.00"


def test_the_rule_with_its_own_thresholds_fails_the_releases_that_failed():
    rows = experiments.audit_releases.stored()
    verdict = rows[(rows["part"] == "verdict") & (rows["measure"] == "fail")]
    failed = set(zip(verdict["data"], verdict["release"], strict=True))
    assert verdict_rules.failing_releases(rows) == failed
    assert verdict_rules.failing_releases(rows, identified=0.01) > failed
    assert verdict_rules.failing_releases(rows, auc=0.75) == failed
    assert verdict_rules.failing_releases(rows, auc=0.7) > failed
    assert verdict_rules.failing_releases(rows, auc=2) < failed


def test_what_a_larger_release_conceals_is_summed_up_over_the_divisions():
    index = pd.MultiIndex.from_product([["raw"], [1, 2]], names=["release", "division"])
    shares = {"smaller, each alone": [0.2, 0.304], "full size": [0.1, 0.5]}
    found = figures.sizes_table({"cabspotting": pd.DataFrame(shares, index=index)})
    assert found.iloc[0].tolist() == ["20 to 30", "10 to 50", "in 1 of 2 divisions"]


def test_beside_a_target_stand_its_auc_and_the_share_above_the_first_threshold(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    score = np.array([[0.0, 1.0, 2.0, 3.0], [9.0, 9.0, 9.0, 9.0]])
    inside = np.array([[False, True, False, True], [True, True, False, False]])
    blocks = {"block": {"first": 0, "second": 1}}
    figures.show_targets(score, inside, blocks, {"high": 2.5, "low": 0.5}, "score")
    written = [text.get_text().split() for text in plt.gca().texts]
    assert ["0.750", "50"] in written and ["0.500", "100"] in written
    plt.close("all")


@pytest.mark.parametrize("threshold", [30.0, 9_000.0])
def test_the_axis_of_scores_reaches_all_scores_and_thresholds(monkeypatch, threshold):
    monkeypatch.setattr(plt, "show", lambda: None)
    score, inside = np.array([[-40.0, 2.0, 30.0, 2_500.0]]), np.array([[True, False, False, True]])
    figures.show_targets(score, inside, {"block": {"first": 0}}, {"high": threshold}, "score")
    ax = plt.gca()
    drawn = [each.get_height() for each in ax.patches]
    assert len(drawn) == 4 and sum(drawn) == pytest.approx(0)
    low, high = ax.get_xlim()
    assert low <= -40 and high > max(2_500, threshold)
    assert ax.get_xticklabels()[-1].get_text() == ("1,000" if threshold == 30 else "3,000")
    named = [text.get_text() for text in ax.figure.legends[0].texts]
    assert named == ["with the target", "without"]
    plt.close("all")

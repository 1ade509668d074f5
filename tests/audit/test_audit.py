"""One release, every attack: each verdict is reached, and for the right reason."""

import json
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from lib import audit
from lib.audit import attacks, count_attacks, membership, verdicts
from lib.audit.games import Game, count_groups
from lib.audit.measures import DECIDING, LEVEL, aucs
from lib.audit.releases import Release, replace_noise
from lib.audit.small_counts import recover, structure
from lib.mechanisms import Laplace
from lib.papers.audit import experiments
from lib.traces import Traces


def commuters(n_users=160, n_rois=12, n_days=6, seed=0, coordinates=True):
    """People with a home and a place of work, seen most hours; a few places are busy."""
    rng = np.random.default_rng(seed)
    home, work = rng.integers(0, n_rois, n_users), rng.integers(0, 4, n_users)
    user, epoch = np.nonzero(rng.random((n_users, 24 * n_days)) < 0.5)
    at_work = (epoch % 24 >= 8) & (epoch % 24 < 18)
    roi = np.where(at_work, work[user], home[user])
    point = np.arange(n_rois)
    rois = pd.DataFrame({"lat": 45 + 0.01 * (point % 4), "lon": 9 + 0.01 * (point // 4)})
    if not coordinates:
        rois[:] = np.nan
    epochs = pd.date_range("2024-01-01", periods=24 * n_days, freq="1h", tz="UTC")
    return Traces.from_codes(user, roi, epoch, range(n_users), rois, epochs)


def busy(n_users=540):
    """Places that are crowded at all hours, save two that are now and then nearly empty."""
    rng = np.random.default_rng(2)
    user, epoch = np.nonzero(rng.random((n_users, 48)) < 0.9)
    roi = rng.integers(0, 5, len(user))
    quiet = (roi < 2) & (epoch % 6 == 0) & (rng.random(len(user)) < 0.92)
    roi = np.where(quiet, 4, roi)
    epochs = pd.date_range("2024-01-01", periods=48, freq="1h", tz="UTC")
    return Traces.from_codes(user, roi, epoch, range(n_users), PEOPLE.rois.iloc[:5], epochs)


PEOPLE = commuters()


@dataclass(frozen=True)
class HalfNoise(Release):
    """A release whose implementation draws half the noise of its guarantee."""

    def plan(self, traces):
        plan = super().plan(traces)
        return replace_noise(plan, Laplace(2 * plan.noise.epsilon, plan.noise.sensitivity))


def half_noise(given):
    right = audit.parse(given)
    return HalfNoise(right.name, right.steps, right.cap, right.totals)


def run_audit(release, only=None, traces=PEOPLE):
    steps = audit.steps(traces, release, quick=True, seed=4)
    results = {s.name: s.run() for s in steps if only is None or s.name in only}
    return audit.document(traces, release, results, quick=True, seed=4)


@pytest.fixture(scope="module")
def raw():
    return run_audit(audit.parse("raw"))


# -- verdicts and their reasons --------------------------------------------------------------------


def test_raw_counts_fail_for_attacks_with_knowledge_that_people_have(raw):
    assert raw["verdict"] == "fail"
    assert raw["complete"]
    failing = {a["id"] for a in raw["attacks"] if a["severity"] == "fail"}
    assert "likelihood-ratio-some-others" in failing
    assert "likelihood-ratio-informed" not in failing  # nobody knows everybody else
    names = {a["name"]: a["severity"] for a in raw["attacks"]}
    severities = [names[reason.split(":")[0]] for reason in raw["reasons"]]
    assert severities == sorted(severities)  # fail before review
    assert raw["reasons"][0].startswith("Likelihood ratio")  # the strongest
    plausible, worst = raw["assessment"]["plausible"], raw["assessment"]["worst"]
    assert plausible["low"] > plausible["baseline"]
    assert plausible["value"] < worst["value"] == 1
    assert [each["prior"] for each in raw["assessment"]["base_rates"]] == [0.5, 0.1, 0.01]
    assert raw["at_risk"]["sentence"].startswith("Of 100 people in the most exposed tenth, ")


def test_controls_who_were_never_in_stay_at_chance(raw):
    for each in raw["attacks"]:
        if each["goal"] == "membership" and each["status"] == "tested":
            same_groups = each["id"] == "knock-knock-same-groups"
            assert each["control"]["at_chance"] != same_groups, each["id"]
            assert not same_groups or each["severity"] == "review"


@pytest.mark.slow
def test_a_user_level_epsilon_of_a_twentieth_leaves_no_attack():
    given = {"mechanisms": [{"name": "user-level-laplace", "epsilon": 0.05}]}
    found = run_audit(audit.parse(given))
    assert found["verdict"] == "guaranteed"
    assert "epsilon 0.05 is guaranteed" in found["reasons"][0]
    assert not found["epsilon"]["exceeded"]
    assert found["epsilon"]["declared"] == 0.05
    assert max(e["lower"] for e in found["epsilon"]["empirical"] if e["comparable"]) <= 0.05


@pytest.mark.parametrize("unit", ["event", "user-day", "user"])
def test_half_the_noise_fails_by_its_epsilon_and_says_so(unit):
    given = {"mechanisms": [{"name": f"{unit}-level-laplace", "epsilon": 0.5}]}
    found = run_audit(half_noise(given), {"epsilon"})
    assert found["verdict"] == "fail"
    assert found["epsilon"]["exceeded"]
    assert found["reasons"][0].startswith("Empirical epsilon (")
    by = {each["attack"]: each["lower"] for each in found["epsilon"]["empirical"]}
    assert by["a crowd in one cell"] > 0.5
    right = run_audit(audit.parse(given), {"epsilon"})
    assert not right["epsilon"]["exceeded"]
    assert right["verdict"] == "review"  # it is incomplete


def test_suppression_after_totals_fails_by_the_totals():
    release, crowded = audit.parse({"preset": "mds-k10", "totals": True}), busy()
    found = run_audit(release, {"attack totals", "disclosure"}, crowded)
    assert found["verdict"] == "fail"
    assert found["reasons"][0].startswith("Hidden counts recovered from totals")
    assert found["disclosure"]["recovered_people"] > 0
    corrected = audit.parse({"preset": "mds-k10", "totals": "after-suppression"})
    found = run_audit(corrected, {"attack totals", "disclosure"}, crowded)
    assert found["verdict"] == "review"
    assert found["disclosure"]["recovered_people"] == 0
    assert not any(a["succeeded"] for a in found["attacks"])


def test_an_unfinished_audit_never_looks_clean():
    release = audit.parse({"mechanisms": [{"name": "user-level-laplace", "epsilon": 0.05}]})
    names = [step.name for step in audit.steps(PEOPLE, release, quick=True)]
    found = run_audit(release, set(names[:6]))
    assert found["verdict"] == "review"
    assert not found["complete"]
    assert found["missing"] == names[6:]
    assert found["reasons"][0].startswith("The audit is incomplete")
    assert {each["name"] for each in found["not_tested"]} >= set(names[6:])
    nothing = audit.document(PEOPLE, release, {}, quick=True)
    assert nothing["verdict"] == "review"
    json.dumps(nothing, allow_nan=False)
    with pytest.raises(ValueError, match="no step 'attack nothing'"):
        audit.document(PEOPLE, release, {"attack nothing": {}}, quick=True)


def test_the_rules_of_severity():
    def measure(low, baseline=0.0):
        return {"value": low, "low": low, "high": 1.0, "baseline": baseline}

    strong = {"AUC": measure(0.76, 0.5)}
    weak = {"AUC": measure(0.51, 0.5)}
    assert verdicts.severity(strong, True, {"at_chance": True}) == (True, "fail")
    assert verdicts.severity(strong, False, {"at_chance": True}) == (True, "review")
    assert verdicts.severity(strong, True, {"at_chance": False}) == (True, "review")
    assert verdicts.severity(weak, True, {"at_chance": True}) == (True, "review")
    assert verdicts.severity({"AUC": measure(0.5, 0.5)}, True, {}) == (False, "none")
    assert verdicts.severity({"AUC": measure(0.4, 0.5)}, True, {"at_chance": False})[1] == "review"
    for name, mark in verdicts.FAILS.items():
        above = {name: measure(mark + 1e-9, -1.0)}
        below = {name: measure(mark - 1e-9, -1.0)}
        assert verdicts.severity(above, True, {})[1] == "fail"
        assert verdicts.severity(below, True, {})[1] == "review"


# -- the document ----------------------------------------------------------------------------------


def test_the_document_is_json_with_the_agreed_keys(raw):
    assert json.loads(json.dumps(raw, allow_nan=False)) == raw
    assert raw["schema_version"] == 3
    assert raw["verdict"] in audit.VERDICTS
    assert set(raw) >= {
        "reasons",
        "at_risk",
        "assessment",
        "data",
        "settings",
        "release",
        "attacks",
        "epsilon",
        "disclosure",
        "usefulness",
        "alternatives",
        "not_tested",
        "cite",
    }
    for each in raw["attacks"]:
        assert set(each) >= {
            "id",
            "name",
            "goal",
            "knowledge",
            "paper",
            "status",
            "measures",
            "control",
            "succeeded",
            "severity",
            "statement",
        }
        for found in each["measures"].values():
            assert set(found) == {"value", "low", "high", "baseline", "unit"}
    assert len(raw["alternatives"]) == 5
    assert raw["usefulness"]["MRE"]["value"] == 0 < raw["usefulness"]["MRE"]["nothing"]
    assert raw["data"]["users"] == PEOPLE.n_users


def test_equal_seeds_give_equal_bytes_in_any_order(raw):
    release = audit.parse("raw")
    steps = {step.name: step for step in audit.steps(PEOPLE, release, quick=True, seed=4)}
    names = ["attack totals", "attack meta-classifier", "attack two-threshold", "epsilon"]
    names += ["alternative user-day-epsilon-1", "attack trajectory-assignment", "disclosure"]
    again = {name: steps[name].run() for name in names}
    first = {f"attack {a['id']}": a for a in raw["attacks"]} | {
        f"alternative {a['release']}": {k: v for k, v in a.items() if k != "useful_enough"}
        for a in raw["alternatives"]
    }
    first |= {"epsilon": raw["epsilon"], "disclosure": raw["disclosure"]}
    for name in names:
        assert json.dumps(again[name]) == json.dumps(first[name]), name


def test_steps_tell_what_they_cost_before_anything_is_drawn():
    found = audit.steps(PEOPLE, audit.parse("raw"))
    assert len({step.name for step in found}) == len(found)
    assert all(step.seconds >= 0 and step.bytes > 0 and step.words for step in found)
    assert sum(s.seconds for s in audit.steps(PEOPLE, audit.parse("raw"), quick=True)) < sum(
        s.seconds for s in found
    )


def test_zones_without_coordinates_leave_out_what_needs_them():
    lost = commuters(coordinates=False)
    steps = {s.name: s for s in audit.steps(lost, audit.parse("raw"))}
    found = steps["attack zero-knowledge"].run()
    assert found["status"] == "not tested"
    assert "no coordinates" in found["why"]
    assert steps["attack zero-knowledge"].seconds == 0
    tracks = {s.name: s for s in audit.steps(lost, audit.parse("raw"), quick=True)}
    assert tracks["attack trajectory-assignment"].run()["status"] == "tested"


def test_what_a_release_hides_from_zero_knowledge_is_said():
    game = Game(PEOPLE, audit.parse("round-5"), 3, False)
    zero = next(a for a in attacks.ATTACKS if a.id == "zero-knowledge")
    assert "not round" in attacks.why_not(zero, game)


def test_half_of_all_people_are_in_a_release():
    game = Game(PEOPLE, audit.parse("raw"), 3, False)
    who = game.draw_members("anything", 200)
    assert abs(who.mean() - 0.5) < 6 * 0.5 / who.size**0.5


def test_only_counts_above_zero_can_be_hidden():
    game = Game(PEOPLE, audit.parse({"preset": "mds-k10", "totals": True}), 3, False)
    everybody = np.zeros((game.traces.n_users, 1), bool)
    everybody[game.pool] = True
    raw = count_groups(game.bounded, everybody)
    assert 0 < count_attacks.totals(game).more["hidden"] <= (raw > 0).sum() < (raw >= 0).sum()


REFUSED = {
    "49 users; an audit needs at least 50": PEOPLE.select(users=range(49)),
    "1 zone; at least 2": PEOPLE.select(rois=[0]),
    "1 epoch; at least 2": PEOPLE.select(epochs=slice(0, 1)),
    "have the same 2 visits": Traces.from_codes(
        np.repeat(np.arange(60), 2),
        np.tile([0, 1], 60),
        np.tile([0, 3], 60),
        range(60),
        PEOPLE.rois,
        PEOPLE.epochs,
    ),
    "have the same 0 visits": Traces.from_codes(
        np.empty(0, int), np.empty(0, int), np.empty(0, int), range(60), PEOPLE.rois, PEOPLE.epochs
    ),
}


@pytest.mark.parametrize("message", list(REFUSED))
def test_records_that_allow_no_audit_are_refused(message):
    with pytest.raises(ValueError, match=message):
        audit.steps(REFUSED[message], audit.parse("raw"))


def test_people_who_are_almost_all_alike_are_no_error():
    cells = np.tile([0, 1], 60)
    roi = cells.copy()
    roi[-1] = 5
    twins = Traces.from_codes(
        np.repeat(np.arange(60), 2), roi, np.tile([0, 3], 60), range(60), PEOPLE.rois, PEOPLE.epochs
    )
    found = run_audit(audit.parse("raw"), traces=twins)
    assert found["complete"]
    json.dumps(found, allow_nan=False)


# -- attacks ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game():
    return Game(PEOPLE, audit.parse("raw"), 5, True)


def test_nobody_is_both_asked_about_and_known_or_a_control(game):
    assert not set(game.targets) & set(game.known)
    assert not set(game.controls) & set(game.pool)
    assert not game.test.inside[game.controls].any()
    assert not (game.test.members == game.shadow.members).all()


def test_with_everybody_else_known_raw_counts_give_everything_away(game):
    scores = membership.informed_likelihood_ratio(game, game.targets)
    members = game.test.members[game.targets]
    seen = PEOPLE.visits().to_numpy()[game.targets] > 0
    assert ((scores.test > 0) == members)[seen].all()
    by_id = {a.id: attacks.evaluate(a, game) for a in attacks.ATTACKS if "trajectory" in a.id}
    assert by_id["trajectory-map"]["measures"]["steps recovered"]["value"] > 0.95
    assert by_id["trajectory-modes"]["measures"]["steps recovered"]["value"] > 0.95


def test_knowledge_is_worth_something(game):
    def auc(attack):
        scores = attack(game, game.targets).test
        return float(np.nanmean(aucs(scores, game.test.members[game.targets])))

    total, some, crowd, together = (
        auc(each)
        for each in (
            membership.sum_of_cells,
            membership.one_threshold,
            membership.likelihood_ratio_same_people,
            membership.joint_likelihood_ratio,
        )
    )
    assert total < some < 1
    assert total < crowd < together


def test_people_who_stay_are_recovered_by_assignment():
    n_users, n_rois, n_epochs = 120, 120, 48
    rng = np.random.default_rng(0)
    home = rng.permutation(n_users)  # each has their own place
    user, epoch = np.nonzero(np.ones((n_users, n_epochs)))
    away = rng.random(len(user)) < 0.02
    roi = np.where(away, rng.integers(0, n_rois, len(user)), home[user])
    rois = pd.DataFrame({"lat": np.arange(n_rois) * 0.1, "lon": np.arange(n_rois) % 2 * 1.0})
    epochs = pd.date_range("2024-01-01", periods=n_epochs, freq="1h", tz="UTC")
    stay = Traces.from_codes(user, roi, epoch, range(n_users), rois, epochs)
    attack = next(a for a in attacks.ATTACKS if a.id == "trajectory-assignment")
    found = attacks.evaluate(attack, Game(stay, audit.parse("raw"), 1, True))
    assert found["measures"]["steps recovered"]["value"] > 0.8
    assert found["measures"]["steps recovered beyond the baseline"]["low"] > 0.1
    assert found["severity"] == "fail"


def test_hidden_counts_are_recovered_from_totals_only_where_there_is_no_choice():
    raw = np.array([[3, 12, 20], [15, 4, 30], [11, 40, 2]])
    shown = np.where(raw < 10, 0, raw)
    values = recover(shown, raw.sum(axis=1), raw.sum(axis=0), 10)
    np.testing.assert_array_equal(values, np.where(raw < 10, raw, -1))
    raw = np.array([[3, 4, 20], [5, 2, 30]])  # a square of hidden counts keeps its secret
    shown = np.where(raw < 10, 0, raw)
    assert (recover(shown, raw.sum(axis=1), raw.sum(axis=0), 10) == -1).all()
    raw = np.array([[9, 9, 20], [5, 2, 30]])  # unless they are as large as can be
    shown = np.where(raw < 10, 0, raw)
    found = recover(shown, raw.sum(axis=1), raw.sum(axis=0), 10)
    np.testing.assert_array_equal(found, [[9, 9, -1], [5, 2, -1]])
    assert (recover(shown, raw.sum(axis=1) - 50, raw.sum(axis=0), 10) == -1).all()


def test_recovered_counts_are_always_the_true_ones():
    rng = np.random.default_rng(1)
    for _ in range(50):
        raw = rng.poisson(rng.choice([2, 8, 20], (8, 9)))
        shown = np.where(raw < 10, 0, raw)
        values = recover(shown, raw.sum(axis=1), raw.sum(axis=0), 10)
        np.testing.assert_array_equal(values[values >= 0], raw[values >= 0])


def test_structure_of_counts_without_records():
    found = structure(np.array([[0, 1, 5], [10, -2, 3.5]]))
    assert (found["cells"], found["small_cells"], found["ones"], found["zeros"]) == (6, 2, 1, 1)
    assert (found["negative"], found["fractions"]) == (1, 1)
    with pytest.raises(ValueError, match="finite numbers"):
        structure(np.array([[np.nan, 1]]))


def test_two_releases_show_who_left_unless_noise_hides_it():
    attack = next(a for a in attacks.ATTACKS if a.id == "two-releases")
    name = "visits found beyond chance"
    raw = attacks.evaluate(attack, Game(PEOPLE, audit.parse("raw"), 1, True))
    noisy = attacks.evaluate(attack, Game(PEOPLE, audit.parse("user-epsilon-1"), 1, True))
    assert raw["measures"][name]["low"] > 0.75
    assert raw["severity"] == "review"
    assert noisy["severity"] == "none"


def test_intervals_are_wide_enough_for_all_measures_together(raw):
    assert pytest.approx(1 - 0.05 / DECIDING) == LEVEL
    deciding = sum(
        found["baseline"] is not None
        for each in raw["attacks"]
        for found in each["measures"].values()
    )
    not_tested = sum(each["status"] == "not tested" for each in raw["attacks"])
    assert 60 < deciding <= DECIDING - 6 * not_tested


def test_the_better_alternatives_come_first(raw):
    ranks = [
        (not a["useful_enough"], -verdicts.VERDICTS.index(a["verdict"]))
        for a in raw["alternatives"]
    ]
    assert ranks == sorted(ranks)
    by = {each["release"]: each for each in raw["alternatives"]}
    bounded = by["by-day-bounded-user-level"]
    assert bounded["verdict"] == "guaranteed" and bounded["guarantee"]["epsilon"] == 1
    assert by["coarser-zones"]["verdict"] == "fail" and by["coarser-zones"]["zones"] == 4
    assert by["by-day"]["epochs"] == 6
    assert by["by-day"]["usefulness"]["peak hour found"]["value"] is None


@pytest.mark.slow
def test_the_experiment_has_a_row_a_measure_and_a_verdict_a_release(raw):
    setting = {"releases": ["raw"], "quick": True, "seed": 4, "n_users": PEOPLE.n_users}
    rows = experiments.audit_releases({"people": PEOPLE}, **setting)
    assert rows["measure"][rows["part"] == "verdict"].tolist() == [raw["verdict"]]
    kept = rows[rows["part"] == "attack"].set_index(["attack", "measure"])["value"]
    for each in raw["attacks"]:
        for name, found in each["measures"].items():
            assert kept[each["id"], name] == found["value"]

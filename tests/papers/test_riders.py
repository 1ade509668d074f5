"""The riders' experiments: against counts by hand on made-up traces, and on flights of one size."""

import numpy as np
import pandas as pd
import pytest

from lib import audit, metrics
from lib.audit import membership
from lib.audit.games import Game
from lib.datasets import load
from lib.papers.aggregation_privacy import experiments as crowd
from lib.papers.audit import experiments as audits
from lib.papers.knock_knock import experiments as kk
from lib.papers.riders import experiments as riders
from lib.papers.riders import figures, trip_experiments
from lib.traces import Traces


def made_up(n_users=30, seed=0):
    """Two weeks of users who visit five of eight places at a few hours."""
    rng = np.random.default_rng(seed)
    n_visits = 20
    return Traces.from_codes(
        np.repeat(np.arange(n_users), n_visits),
        rng.integers(0, 8, n_users * n_visits),
        rng.integers(0, 2 * 168, n_users * n_visits),
        pd.RangeIndex(n_users),
        pd.DataFrame({"lat": 0.0, "lon": 0.0}, index=range(8)),
        pd.date_range("2024-01-01", periods=2 * 168, freq="1h", tz="UTC"),
    )


def test_a_population_has_as_many_users_as_there_are_riders():
    drawn, again = (riders.population("flights-by-tail", n_users=40) for _ in range(2))
    assert drawn.n_users == 40 and drawn.users.tolist() == again.users.tolist()
    assert set(drawn.users) < set(load("flights-by-tail").users)
    six = riders.population("six-users", n_users=40)
    assert six.users.tolist() == load("six-users").users.tolist()


def test_targets_are_seen_in_the_first_week():
    traces = made_up()
    visits = [(traces.trace(user)[:, :168] > 0).sum() for user in traces.users]
    chosen = riders.seen_in_first_week(traces, 3)
    assert len(set(chosen)) == 9 and all(visits[target] >= 4 for target in chosen)


def test_what_is_repeated_is_counted_by_hand():
    traces = made_up()
    for user in range(traces.n_users):
        cells = set(zip(*np.nonzero(traces.trace(user)), strict=True))
        one = {(p, t) for p, t in cells if t < 168}
        two = {(p, t - 168) for p, t in cells if t >= 168}
        found = riders.repeated(traces, user)
        assert found["cells again"] == len(one & two) / len(one)
        places, later = {p for p, _ in one}, {p for p, _ in two}
        assert found["places again"] == pytest.approx(len(places & later) / len(places))


def test_the_sum_finds_the_target_and_not_the_control():
    traces = made_up()
    chosen = riders.seen_in_first_week(traces, 8)
    setting = {"data": "", "sizes": (3, 10, 29), "n_groups": 200}
    each = [list(riders.sums.function(traces, target, **setting)) for target in chosen]
    sizes = [row["group size"] for row in each[0]]
    assert sizes == [3, 10]  # 29 leaves nobody out but the control
    found = pd.DataFrame([row for rows in each for row in rows])
    assert found["AUC"].min() > 0.8
    assert found["control"].mean() == pytest.approx(0.5, abs=0.06)
    target, rows = chosen[0], each[0]
    dense = np.stack([traces.trace(user)[:, :168] > 0 for user in traces.users])
    own = dense[target]
    assert rows[0]["alone"] == pytest.approx((dense.sum(axis=0)[own] == 1).mean())


def test_the_games_are_those_of_the_replication():
    traces = riders.population("flights-by-tail", n_users=60)
    target = kk.targets(traces, 1)[0]
    setting = {"data": "x", "alpha": 0.5, "n_train": 20, "n_test": 20}
    setting |= {"beta_same": 20, "beta_different": 20, "n_per_third": 1, "seed": 1}
    rows = pd.DataFrame(riders.games.function(traces, target, sizes=(5,), **setting))
    assert rows["attack"].tolist() == ["sum", "LR", "RF", "LR", "RF", "LR", "RF"]
    assert rows["prior"].unique().tolist() == list(kk.PRIORS)
    game = kk.Game(traces, target, **setting)
    found = game.task(kk.PRIORS[0], 5, game.stream("riders-games", kk.PRIORS[0], 5))
    cells = traces.trace(traces.users[target])[:, :168]
    by_hand = [(counts * cells).sum() for counts in found.test]
    assert rows["AUC"][0] == metrics.auc(found.test_members, np.array(by_hand))


def test_locating_riders_is_the_comparison_with_null():
    week = crowd.ObservedWeek(made_up().with_null())
    unit = ("profiling", "FREQ_ROI")
    rows = list(riders.localization.function(week, unit))
    assert rows == list(crowd.compare_with_null.function(week, unit))
    assert rows[0]["strategy"] == crowd.NULL and rows[0]["above null"] == 0


def test_stored_results_are_of_one_size():
    for name in (riders.games, riders.sums):
        assert set(name.at_paper) == set(riders.ALL_FOUR)
        stored = name.stored()
        assert len(set(stored.groupby("data")["target"].nunique())) == 1
        assert stored["target"].max() < riders.N_USERS


def test_the_table_of_strategies_shows_the_chosen_goal_with_intervals():
    row = {"goal": "profiling", "prior": "ROI_DAY", "error": 0.00501, "out": 0.8, "out se": 0.1}
    rows = pd.DataFrame([row | {"strategy": name, "users out": 7} for name in figures.STRATEGIES])
    rows.loc[3, ["out", "users out"]] = 0.5, 6
    other = rows.assign(prior="FREQ_ROI", out=0.0)
    gain = {"prior": "ROI_DAY", "strategy": "MAX_ROI", "above prior": -0.3, "above prior se": 0.05}
    gains = pd.DataFrame([gain | {"prior": "FREQ_ROI", "above prior": 0.0}, gain])
    table = figures.localization_table(pd.concat([other, rows]), gains)
    assert table.index.tolist() == list(figures.STRATEGIES)
    assert table.iloc[0].tolist() == ["0.0050", "0.80 [0.60, 1.00]", ""]
    assert table.loc["MAX_ROI"].tolist() == [
        "0.0050",
        "0.50 [0.30, 0.70]",
        "-0.300 [-0.398, -0.202]",
    ]


def test_the_table_of_thresholds_has_two_columns_for_each_dataset():
    row = {"threshold": "one", "identified": 0.5, "identified se": 0.1, "targets": 4, "FPR": 0.01}
    rows = pd.DataFrame([row | {"data": "flights-by-number"}, row | {"data": "x", "FPR": 0.02}])
    table = figures.threshold_table(rows)
    assert table.loc["one"].tolist() == ["0.50 [0.30, 0.70]", "0.010", "0.50 [0.30, 0.70]", "0.020"]


def audited(release, severities, verdict, suppressed):
    """An audit's rows of one release: attacks with two measures each, a verdict, counted cells."""
    attack = {"data": "x", "release": release, "part": "attack", "low": 0.2, "high": 0.4}
    attack |= {"control low": 0.4, "control high": 0.6, "baseline": 0.01}
    ids = ["sum-of-cells", "likelihood-ratio-crowd"]
    rows = [
        attack | {"attack": name, "severity": severity, "measure": measure, "value": value}
        for name, severity in zip(ids, severities, strict=True)
        for measure, value in (("AUC", 0.9), ("TPR at 1.0% FPR", 0.3))
    ]
    other = {"data": "x", "release": release}
    rows.append(other | {"part": "verdict", "measure": verdict})
    for measure, value in (("small_before", 12), ("suppressed", suppressed)):
        rows.append(other | {"part": "disclosure", "measure": measure, "value": value})
    return rows


def test_the_table_of_verdicts_counts_the_attacks_that_decide():
    names = list(figures.RELEASES)
    rows = audited(names[0], ["fail", "review"], "fail", 0)
    rows += audited(names[1], ["none", "none"], "none-succeeded", 12)
    for name in names[2:]:
        rows += audited(name, ["fail", "fail"], "fail", 0)
    rows = pd.DataFrame(rows)
    table = figures.verdict_table(rows)
    of_sum = "0.90 [0.20, 0.40]"
    assert table.loc["raw counts"].tolist() == ["fail", 1, 1, of_sum, 12, 0]
    hidden = table.loc["counts below 10 suppressed"]
    assert hidden.tolist() == ["none succeeded", 0, 0, of_sum, 12, 12]
    assert table["attacks that fail it"].tolist() == [1, 0, 2, 2, 2]


def test_the_table_of_the_audit_has_a_part_for_each_dataset():
    rows = [row for name in figures.RELEASES for row in audited(name, ["fail", "fail"], "fail", 0)]
    found = pd.DataFrame([*rows, *(row | {"data": "y"} for row in rows)])
    changed = found["data"].eq("y") & found["release"].eq("raw") & found["value"].eq(0.3)
    found.loc[changed, "value"] = 0.25
    table = figures.audit_table(found)
    assert table.columns.tolist() == list(figures.RELEASES.values())
    known = ["the target's visits", "everybody's traces"]
    assert table.index.tolist() == [(data, each) for data in "xy" for each in known]
    assert set(table.loc["x"].to_numpy().ravel()) == {"0.30 [0.20, 0.40]"}
    assert set(table.loc["y"]["raw counts"]) == {"0.25 [0.20, 0.40]"}


def test_the_table_of_recovery_shows_one_release_beside_both_controls():
    shares = ["recovered", "chance", "control", "above chance", "above control"]
    row = {"release": "raw", "population": "walkers", "people": 9}
    row |= {name: i / 10 for i, name in enumerate(shares)} | {f"{name} se": 0.0 for name in shares}
    rows = pd.DataFrame([row | {"release": "noisy", "people": 8}, row])
    table = figures.recovery_table(rows)
    assert table.columns[3] == "not counted" and table.columns[5] == "above not counted"
    assert table.loc["walkers"].tolist() == [9, *(f"0.{i}0 [0.{i}0, 0.{i}0]" for i in range(5))]


def test_trips_of_a_week_are_counted_by_hand():
    """Two people on a line of three zones, in epochs of six hours, for two weeks."""
    sightings = [  # person, zone, epoch
        *((0, 0, 0), (0, 1, 1), (0, 2, 3)),  # a → c, two epochs without a sighting are no end
        *((0, 2, 8), (0, 0, 9)),  # c → a
        *((0, 0, 20), (0, 2, 21)),  # a → c again: the same cell
        *((0, 1, 25), (0, 0, 26), (0, 1, 27)),  # back where it began: no trip
        *((0, 0, 40), (0, 2, 41)),  # a → c in the second week
        *((1, 2, 4), (1, 1, 5)),  # c → b of the other person
    ]
    user, roi, epoch = np.array(sightings).T
    rois = pd.DataFrame({"lat": 0.0, "lon": 0.0}, index=["a", "b", "c"])
    epochs = pd.date_range("2024-01-01", periods=56, freq="6h", tz="UTC")
    traces = Traces.from_codes(user, roi, epoch, ["u", "v"], rois, epochs)
    found = trip_experiments.weekly_pairs(traces, 2)
    assert found.rois.index.tolist() == ["a → c", "c → a", "c → b"]
    assert found.trace("u").tolist() == [[1, 1], [1, 0], [0, 0]]
    assert found.trace("v").tolist() == [[0, 0], [0, 0], [1, 0]]
    rows = list(trip_experiments.unique_trips.function(found, ()))
    assert rows == [{"trips": 1, "person-weeks": 2}, {"trips": 2, "person-weeks": 1}]


@pytest.mark.parametrize("data", riders.thresholds.at_paper)
def test_the_first_threshold_is_that_of_the_stored_audit(data):
    rows = audits.audit_releases.stored(data)
    own = rows.query("release == 'raw' and attack == 'sum-of-cells'").set_index("measure")["value"]
    found = riders.thresholds.stored(data).set_index("threshold")["identified"]
    first = found["one threshold, releases of other people"]
    assert first == pytest.approx(own["TPR at 1.0% FPR"], rel=1e-5)  # stored with six digits


def test_a_threshold_for_each_target_is_at_least_as_good_on_average():
    people = riders.audited("flights-by-number")
    found = pd.DataFrame(riders.thresholds.function(people, None)).set_index("threshold")
    identified = found["identified"]
    ways = identified.drop("difference between the last two")
    assert len(ways) == 6 and ways.between(0, 1).all()
    assert ways["a threshold for each target, set on the attacked releases"] >= ways.iloc[0]
    own, one = ways.iloc[-2:]
    assert identified.iloc[-1] == pytest.approx(own - one)
    assert found["FPR"].iloc[-3] == found["FPR"].iloc[-2]


def test_a_threshold_on_shadow_releases_is_the_highest_sum_without_the_target():
    people = riders.audited("flights-by-number")
    found = pd.DataFrame(riders.thresholds.function(people, None)).set_index("threshold")
    game = Game(people, audit.parse("raw"), 2018, quick=True)
    sums = membership.sum_of_cells(game, game.targets)
    shares, wrong = [], []
    for target, test, shadow in zip(game.targets, sums.test, sums.shadow, strict=True):
        threshold = max(shadow[~game.shadow.members[target]])
        inside = game.test.members[target]
        shares.append((test[inside] > threshold).mean())
        wrong.append((test[~inside] > threshold).mean())
    row = found.loc["a threshold for each target, set on shadow releases"]
    assert row["identified"] == pytest.approx(np.mean(shares))
    assert row["FPR"] == pytest.approx(np.mean(wrong))


def test_gains_on_a_bike_are_the_stored_differences_of_means():
    errors = riders.localization.stored().query("goal == 'profiling'")
    errors = errors.set_index(["prior", "strategy"])["out"]
    for (prior, strategy), row in (
        riders.gains_on_a_bike.stored().set_index(["prior", "strategy"]).iterrows()
    ):
        above = errors[prior, strategy] - errors[prior, "PRIOR"]
        assert row["above prior"] == pytest.approx(above, abs=1e-9)
        assert row["users"] == 51

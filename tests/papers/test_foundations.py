"""What the first chapter measures, on the six users and on small made-up traces."""

import numpy as np
import pandas as pd
import pytest

from lib import datasets, metrics
from lib.aggregation import aggregate, sample_groups, sample_member_groups
from lib.mechanisms import release
from lib.papers.foundations import experiments as foundations
from lib.papers.foundations import figures, live
from lib.randomness import stream
from lib.traces import Traces


@pytest.fixture(scope="module")
def two_weeks():
    """Two users, one place, fifteen days: the first comes daily at 8, the second only at first."""
    epochs = pd.date_range("2013-03-04", periods=15 * 24, freq="1h", tz="UTC")
    first = [(0, 24 * day + 8) for day in range(15)]
    visits = np.array([*first, (1, 5), (1, 6)])
    rois = pd.DataFrame({"lat": [40.0], "lon": [-74.0]}, index=["station"])
    none = np.zeros(len(visits), int)
    return Traces.from_codes(visits[:, 0], none, visits[:, 1], ["a", "b"], rois, epochs)


def test_weekly_recurrence_is_from_one_week_to_the_next(two_weeks):
    rows = foundations.weekly_recurrence({"made": two_weeks})
    assert rows["weeks"].unique().tolist() == ["1 to 2", "2 to 3"]
    first = rows[rows["weeks"] == "1 to 2"]["recurrence"].tolist()
    assert first == [1.0, 0.0]
    nobody = foundations.weekly_recurrence({"six": datasets.load("six-users")})
    assert nobody.empty and list(nobody.columns) == ["data", "weeks", "recurrence"]


def test_only_flights_have_two_clocks():
    six = {"six-users": datasets.load("six-users")}
    assert foundations.recurrence_by_clock(six, "1D").empty


def test_recurrence_of_another_and_after_the_first_week(two_weeks):
    found = foundations.recurrences({"made": two_weeks}, "7D").set_index("user")
    assert found.loc["a", ["recurrence", "after the first week", "of another"]].tolist() == [
        1,
        1,
        0,
    ]
    assert found.loc["b", ["recurrence", "of another"]].tolist() == [0, 0]
    assert np.isnan(found.loc["b", "after the first week"])
    six = foundations.recurrences({"six": datasets.load("six-users")}, "1D").set_index("user")
    assert six["after the first week"].isna().all()
    trace, monday = datasets.load("six-users").trace, datasets.load("six-users").trace("Ada")[:, :4]
    others = [trace(user)[:, 4:] for user in ("Ben", "Cleo", "Dan", "Eve", "Fay")]
    by_hand = np.mean([(monday * tuesday).sum() / monday.sum() for tuesday in others])
    assert six.loc["Ada", "of another"] == pytest.approx(by_hand)
    assert foundations.recurrences({}, "1D").empty


PLAYED = {"n_groups": 20, "n_targets": 3, "seed": 1}


def test_games_of_a_target_draw_the_same_groups_under_every_release():
    six = {"six-users": datasets.load("six-users")}
    same = {"raw": [], "again": []}
    rows = foundations.games(six, releases=same, group_sizes=[2, 3], **PLAYED)
    assert len(rows) == 3 * 2 * 2
    pairs = rows.set_index(["draw", "group size", "release"])["AUC"].unstack("release")
    assert pairs["raw"].tolist() == pairs["again"].tolist()
    noisy = foundations.games(six, epsilons=[1.0], group_sizes=[3], **PLAYED)
    wanted = ["raw", "event-level, ε = 1", "user-level, ε = 1"]
    assert noisy["release"].unique().tolist() == wanted


def test_noise_for_a_person_has_the_busiest_users_visits_as_scale():
    six = datasets.load("six-users")
    found = foundations.with_noise(six, [2.0])
    scales = [noise[0].scale for name, noise in found.items() if name != "raw"]
    assert scales == [1 / 2, six.visits().max() / 2]


def test_gains_are_paired_by_target():
    rows = [
        {"data": "d", "group size": 10, "draw": draw, "release": kind, "AUC": auc}
        for draw, aucs in enumerate([(0.9, 0.7, 0.4), (0.8, 0.8, 0.9)])
        for kind, auc in zip(("raw", "visit", "person"), aucs, strict=True)
    ]
    found = foundations.gains(pd.DataFrame(rows)).set_index(["release", "draw"])["gain"]
    assert found["raw"].tolist() == [0, 0]
    assert found["visit"].tolist() == pytest.approx([0.5, 0])
    assert found["person"].tolist() == pytest.approx([1, 0])  # held at 1/2, and at nothing


def test_errors_tell_visited_from_empty_cells():
    six = {"six-users": datasets.load("six-users")}
    found = (
        foundations.errors(six, epsilons=[1.0], group_size=3, seed=1)
        .groupby("release")
        .mean(numeric_only=True)
    )
    assert found.loc["raw", ["its error", "count in empty cells"]].tolist() == [0, 0]
    assert found.loc["event-level, ε = 1", "count in empty cells"] > 0


def test_errors_over_all_cells_are_those_of_the_whole_table():
    six = {"six-users": datasets.load("six-users")}
    costs = foundations.errors(six, epsilons=[1.0], group_size=3, seed=1)
    found = live.over_all_cells(costs, six, group_size=3, seed=1)
    rng = stream(1, "foundations-errors", "six-users")
    groups = sample_groups(np.arange(6), foundations.N_GROUPS, 3, rng)
    raw = aggregate(six["six-users"], groups)
    for kind, mechanisms in foundations.with_noise(six["six-users"], [1.0]).items():
        released = release(raw, mechanisms, rng, 3)
        rows = found[found["release"] == kind]
        wanted = np.abs(released - raw).mean(axis=(1, 2))
        assert rows["error, all cells"].to_numpy() == pytest.approx(wanted)
        assert rows["of zeros"].to_numpy() == pytest.approx(raw.mean(axis=(1, 2)))


def test_the_rule_of_no_zeros_misses_no_member():
    six = {"six-users": datasets.load("six-users")}
    rows = live.no_zero_games(six, group_sizes=[2, 4], **PLAYED)
    assert rows["AUC"].to_numpy() == pytest.approx(1 - rows["FPR"].to_numpy() / 2)
    games = foundations.games(six, releases={"raw": []}, group_sizes=[2, 4], **PLAYED)
    assert rows[["draw", "group size"]].equals(games[["draw", "group size"]])


def test_a_cell_that_nobody_else_visits_is_an_own_cell():
    six = datasets.load("six-users")
    found = live.own_cells({"six": six}, n_targets=6, seed=1)
    counts = six.matrix.toarray().sum(axis=0)
    for draw, target in enumerate(foundations.targets_of(six, 6, 1)):
        alone = any(counts[cell] == 1 for cell in six.matrix[[target]].indices)
        assert found["six", draw] == ("yes" if alone else "no")
    assert set(found) == {"yes", "no"}


def test_less_regular_targets_repeat_neither_weeks_nor_days():
    """Forty users, each with a place and an hour of its own that recur on 28 days."""
    epochs = pd.date_range("2013-03-04", periods=28 * 24, freq="1h", tz="UTC")
    visits = np.array([(u, u % 2, 24 * day + u // 4) for u in range(40) for day in range(28)])
    rois = pd.DataFrame({"lat": [40.0, 41.0], "lon": [-74.0, -75.0]}, index=["a", "b"])
    users = [f"u{u:02}" for u in range(40)]
    made = {"made": Traces.from_codes(*visits.T, users, rois, epochs)}
    settings = {"group_size": 6, "n_groups": 100, "n_targets": 5, "seed": 1}
    rows = live.less_regular_targets(made, **settings)
    assert rows["target"].tolist() == ["real", "other weeks", "other days"] * 5
    assert rows["visits"].tolist() == [28] * 15
    assert rows["private cells"].between(0, rows["visits"]).all()
    deviations = rows.groupby("target")["deviation without"].mean()
    assert deviations["other days"] < deviations["other weeks"] < 0.7 * deviations["real"]


def test_a_control_is_in_none_of_the_groups(monkeypatch):
    six, drawn = datasets.load("six-users"), []
    real = foundations.sample_member_groups

    def seen(pool, *rest):
        drawn.append(set(range(6)) - set(pool.tolist()))
        groups, members = real(pool, *rest)
        assert not drawn[-1] & set(groups.ravel().tolist())
        return groups, members

    monkeypatch.setattr(foundations, "sample_member_groups", seen)
    settings = {"n_groups": 20, "n_controls": 9, "seed": 1}
    found = foundations.controls(six, 3, group_size=4, **settings)
    assert len(found) == len(set(found["control"])) == 5
    assert sorted(found["control"]) == sorted(set(six.users) - {"Dan"})
    assert foundations.controls(six, 3, group_size=5, **settings).empty


def test_parts_of_a_trace():
    six = datasets.load("six-users")
    rows = foundations.parts(six, shares=[1.0], group_size=3, n_subsets=2, **PLAYED)
    found = rows.set_index(["cells", "draw"])["AUC"]
    assert found["all"].tolist() == found["100% at random"].tolist()
    assert rows["cells"].nunique() == 2


def test_the_quietest_cells_are_added_up_first():
    six = {"six-users": datasets.load("six-users")}
    shares = [0.5, 1.0]
    rows = foundations.by_crowding(six, shares=shares, group_size=3, **PLAYED)
    assert len(rows) == 3 * 2 * 2
    found = rows.set_index(["order", "share", "draw"])["AUC"]
    quiet, busy = found["quietest first"], found["busiest first"]
    assert quiet[1.0].tolist() == busy[1.0].tolist()  # all cells, in either order
    whole = foundations.parts(six["six-users"], shares=[], group_size=3, n_subsets=1, **PLAYED)
    assert quiet[1.0].tolist() == whole["AUC"].tolist()
    traces, everybody = six["six-users"], np.arange(6)
    for draw, target in enumerate(foundations.targets_of(traces, 3, 1)):
        rng = stream(1, "foundations-parts", draw)
        groups, members = sample_member_groups(everybody, int(target), 20, 3, rng)
        cells = traces.matrix[[target]].indices
        visitors = aggregate(traces, [everybody])[0].ravel()[cells]
        half = cells[np.argsort(visitors, kind="stable")[: len(cells) // 2]]
        sums = aggregate(traces, groups).reshape(20, -1)[:, half].sum(axis=1)
        assert quiet[0.5][draw] == metrics.auc(members, sums)


def test_zeros_stand_in_the_table_of_prices_with_the_mean_count_as_error():
    six = {"six-users": datasets.load("six-users")}
    played = foundations.games(six, epsilons=[1.0], group_sizes=[3], **PLAYED)
    costs = foundations.errors(six, epsilons=[1.0], group_size=3, seed=1)
    costs = live.over_all_cells(costs, six, group_size=3, seed=1)
    table = figures.price_table(foundations.gains(played), costs, "six-users")
    raw = costs[costs["release"] == "raw"]
    error = table.loc["all zeros", "error, visited cells"]
    assert error.startswith(f"{raw['count in visited cells'].mean():.2f} [")
    over_all = table.loc["all zeros", "error, all cells"]
    assert over_all.startswith(f"{raw['of zeros'].mean():.2f} [")
    assert table.loc["all zeros", ["AUC", "gain"]].tolist() == ["0.50", "1.00"]
    assert table.index[-1] == "all zeros"
    assert "noise" not in " ".join(table.index)


def test_each_row_of_the_stored_table_says_of_which_release_it_is():
    stored = (foundations.users, foundations.release_error, foundations.sum_attack)
    table = figures.stored_table(*(each.stored() for each in stored))
    assert set(table.index.get_level_values("release")) == {
        "traces",
        "raw counts",
        "noise, rounded, clipped",
        "noise, neither rounded nor clipped",
    }
    assert table.loc[("traces", "visits of a user"), ["KK", "AP"]].tolist() == ["3,827", "3,663"]


def test_twins():
    assert foundations.n_twins(datasets.load("six-users")) == 2


def test_datasets_are_described_in_words():
    six = datasets.load("six-users")
    table = datasets.describe({"six-users": six})
    assert table.loc["users", "six-users"] == "6"
    assert table.loc["visits of a user: median, most", "six-users"] == "8, 8"
    empty = 1 - (six.matrix.sum(axis=0) > 0).mean()
    assert table.loc["cells that nobody visits", "six-users"] == f"{empty:.0%}"
    assert datasets.row_counts({"six-users": six}).empty  # nothing was read


def test_an_invented_target_does_not_repeat_its_weeks():
    """Forty users, each with a place and an hour of its own that recur in four weeks."""
    epochs = pd.date_range("2013-03-04", periods=28 * 24, freq="1h", tz="UTC")
    visits = np.array([(u, u % 2, 168 * week + u // 4) for u in range(40) for week in range(4)])
    rois = pd.DataFrame({"lat": [40.0, 41.0], "lon": [-74.0, -75.0]}, index=["a", "b"])
    users = [f"u{u:02}" for u in range(40)]
    made = {"made": Traces.from_codes(*visits.T, users, rois, epochs)}
    rows = live.less_regular_targets(made, group_size=20, n_groups=100, n_targets=5, seed=1)
    rows = rows[rows["target"] != "other days"]
    assert rows["target"].tolist() == ["real", "other weeks"] * 5
    assert rows["visits"].tolist() == [4] * 10  # one in each week, its own or a lender's
    deviations = rows.groupby("target")["deviation without"].mean()
    # A real target meets the same user in every week. An invented one meets others in each week.
    assert deviations["other weeks"] < 0.7 * deviations["real"]


def test_invented_targets_leave_somebody_to_draw_groups_from():
    six = datasets.load("six-users")
    rows = live.less_regular_targets({"six": six}, group_size=9, **PLAYED)
    rows = rows[rows["target"] != "other days"]
    assert len(rows) == 6 and rows["AUC of the sum"].between(0, 1).all()
    one_week = rows.set_index(["draw", "target"])["AUC of the sum"].unstack("target")
    assert one_week["real"].tolist() == one_week["other weeks"].tolist()  # no later week


def test_crowding_tells_who_else_is_in_the_cells():
    six = datasets.load("six-users")
    rows = foundations.by_crowding({"six": six}, shares=[1.0], group_size=3, **PLAYED)
    for draw, target in enumerate(foundations.targets_of(six, 3, 1)):
        own = six.trace(six.users[target]) == 1
        others = [six.trace(user)[own] for user in six.users if user != six.users[target]]
        found = rows[rows["draw"] == draw].iloc[0]
        assert found["cells"] == own.sum()
        assert found["visitors"] == pytest.approx(1 + sum(others).mean())
        assert found["different others"] == sum(each.any() for each in others)


def test_prices_are_sorted_by_the_scale_of_the_noise():
    six = {"six-users": datasets.load("six-users")}
    played = foundations.games(six, epsilons=[1.0, 10.0], group_sizes=[3], **PLAYED)
    costs = foundations.errors(six, epsilons=[1.0, 10.0], group_size=3, seed=1)
    costs = live.over_all_cells(costs, six, group_size=3, seed=1)
    table = figures.price_table(foundations.gains(played), costs, "six-users")
    assert table["noise scale"].tolist() == ["0", "0.1", "0.8", "1", "8", "–"]
    assert played["TPR at 10% FPR"].between(0, 1).all()

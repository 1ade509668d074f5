"""Other ways to publish: which are proposed, how records are made coarser, and their order."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from lib import audit
from lib.audit import usefulness
from lib.audit.alternatives import best_first, coarsen_time, coarsen_zones, propose, useful_enough
from lib.traces import Traces
from tests.audit.test_audit import PEOPLE, commuters


def names(release, traces=PEOPLE):
    return [each.name for each in propose(traces, audit.parse(release))]


def test_other_releases_coarser_counts_and_a_bound_are_proposed():
    assert names("raw") == [
        "user-day-epsilon-1",
        "suppress-10-round-5",
        "by-day",
        "coarser-zones",
        "by-day-bounded-user-level",
    ]
    assert names("user-day-epsilon-1")[:2] == ["suppress-10-round-5", "user-epsilon-1"]
    renamed = replace(audit.parse("user-day-epsilon-1"), name="ours")
    assert "user-day-epsilon-1" not in [each.name for each in propose(PEOPLE, renamed)]
    daily = coarsen_time(PEOPLE)
    assert names("raw", daily)[2:] == ["coarser-zones", "bounded-user-level"]
    assert "coarser-zones" not in names("raw", commuters(coordinates=False))
    assert "by-day" not in names("fpa-epsilon-1")  # six days do not have ten coefficients


def test_a_person_is_counted_once_a_day_in_each_zone():
    daily = coarsen_time(PEOPLE)
    assert daily.n_epochs == 6 and daily.users.equals(PEOPLE.users)
    for user in PEOPLE.users[:5]:
        hourly = PEOPLE.trace(user).reshape(PEOPLE.n_rois, 6, 24)
        np.testing.assert_array_equal(daily.trace(user), hourly.any(axis=2))


def test_neighbouring_zones_are_joined():
    coarse = coarsen_zones(PEOPLE)  # the map has three columns of four zones
    assert coarse.n_rois == 4 and coarse.n_epochs == PEOPLE.n_epochs
    near = np.abs(
        PEOPLE.rois[["lat", "lon"]].to_numpy()[:, None] - coarse.rois[["lat", "lon"]].to_numpy()
    ).max(axis=2)
    nearest = near.argmin(axis=1)
    assert np.bincount(nearest).max() <= 4
    for user in PEOPLE.users[:5]:
        fine = PEOPLE.trace(user)
        joined = np.array([fine[nearest == zone].any(axis=0) for zone in range(4)])
        np.testing.assert_array_equal(coarse.trace(user), joined)


def entry(name, error, verdict, risk, high=None):
    useful = {"error of totals by zone and day": {"value": error, "low": None, "high": high}}
    found = {"value": risk, "high": risk}
    return {"release": name, "usefulness": useful, "verdict": verdict, "plausible": found}


def test_the_floor_of_usefulness_is_the_readers():
    entries = [
        entry("useless", 3.0, "guaranteed", 0.01),
        entry("risky", 0.02, "fail", 0.6),
        entry("less risky", 0.05, "fail", 0.2),
        entry("uncertain", 0.09, "guaranteed", 0.01, high=0.12),
    ]
    order = [each["release"] for each in best_first(entries, 0.1)]
    assert order == ["less risky", "risky", "useless", "uncertain"]
    assert best_first(entries, 0.2)[0]["release"] == "uncertain"
    assert best_first(entries, 9.0)[0]["useful_enough"]
    assert not useful_enough({}, 0.1)


# -- usefulness ------------------------------------------------------------------------------------


def test_totals_by_zone_and_day_and_peak_hours_are_what_publishers_add_up():
    raw = np.zeros((3, 48))
    raw[0, [8, 32]], raw[1, [17, 41]], raw[2, 5] = 10, 20, 0
    raw[2, 6] = 4
    hour, day = np.arange(48) % 24, np.arange(48) // 24
    shown = raw.copy()
    shown[0, 8], shown[1, 17], shown[1, 18] = 11, 10, 30  # errors 0.1 and 1.0 in zone-days
    found = usefulness.measure_usefulness(raw, shown, hour, day)
    assert found["error of totals by zone and day"]["value"] == pytest.approx(0.0)
    assert found["peak hour found"]["value"] == pytest.approx(5 / 6)  # zone 1: 17 h ties with 18 h
    shown[1, 18] = 31
    again = usefulness.measure_usefulness(raw, shown, hour, day)
    assert again["peak hour found"]["value"] == pytest.approx(2 / 3)
    zeros = usefulness.measure_usefulness(raw, 0 * raw, hour, day)
    assert zeros["error of totals by zone and day"]["value"] == 1
    assert zeros["peak hour found"]["value"] == pytest.approx(1 / 24)  # a guess
    assert zeros["peak hour found"]["low"] is None  # nothing was sampled
    assert (
        usefulness.measure_usefulness(raw, raw, hour * 0, day)["peak hour found"]["value"] is None
    )


def test_marginals_of_trips_and_the_largest_flows_on_six_trips():
    zones = ["A → B", "A → C", "B → A"]
    raw = np.array([[2, 1], [1, 0], [0, 2]])  # six trips in two hours
    shown = np.array([[3, 0], [0, 0], [0, 4]])
    found = usefulness.measure_usefulness(raw, shown, zones=zones)
    # from A 4 trips and 3 published, from B 2 and 4; to B 3 and 3, to C 1 and 0, to A 2 and 4
    assert found["error of trips by origin"]["value"] == pytest.approx((1 / 4 + 1) / 2)
    assert found["error of trips by destination"]["value"] == 1
    # flows 3, 1, 2 have ranks 3, 1, 2; those of 3, 0, 4 are 2, 1, 3
    ranking = found["ranking of the 10 largest flows"]
    assert (ranking["value"], ranking["low"]) == (pytest.approx(0.5), None)
    assert ranking["words"].startswith("how well the ranking of the 10 pairs of places")
    several = usefulness.measure_usefulness(raw, np.stack([shown, raw]), zones=zones)
    by_origin = several["error of trips by origin"]
    assert by_origin["value"] == pytest.approx(5 / 16)
    assert by_origin["low"] < 5 / 16 < by_origin["high"]
    with_null = np.concatenate([raw, [[9, 9]]])
    again = usefulness.measure_usefulness(with_null, with_null, zones=[*zones, "null"])
    assert again["error of trips by origin"]["value"] == 0
    equal = usefulness.measure_usefulness(raw * 0 + 1, shown, zones=zones)
    assert equal["ranking of the 10 largest flows"]["value"] is None
    for others in (None, ["A", "B", "C"], ["A → B", "A → C", "B"]):
        assert set(usefulness.measure_usefulness(raw, shown, zones=others)) == set(
            usefulness.measure_usefulness(raw, shown)
        )


def test_an_audit_compares_flows_only_if_its_zones_are_pairs_of_places():
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, 60, 400), rng.integers(0, 4, 400), rng.integers(0, 2, 400)
    epochs = pd.date_range("2024-01-01", periods=2, freq="7D", tz="UTC")

    def measures(zones):
        rois = pd.DataFrame({"lat": 0.0, "lon": 0.0}, index=zones)
        traces = Traces.from_codes(*drawn, range(60), rois, epochs)
        steps = audit.steps(traces, audit.parse("event-epsilon-1"), quick=True)
        return next(step.run() for step in steps if step.name == "usefulness")

    of_pairs = measures(["a → b", "a → c", "b → a", "c → a"])
    more = set(of_pairs) - set(measures(["a", "b", "c", "d"]))
    assert more == {
        "error of trips by origin",
        "error of trips by destination",
        "ranking of the 10 largest flows",
    }
    assert all(of_pairs[name]["low"] < of_pairs[name]["high"] for name in more)


def test_intervals_cover_the_mean_over_the_noise():
    rng, covered = np.random.default_rng(0), 0
    raw = rng.poisson(30, (4, 24)).astype(float)
    many = usefulness.measure_usefulness(raw, raw + rng.laplace(scale=5, size=(4000, 4, 24)))
    for _ in range(100):
        some = usefulness.measure_usefulness(raw, raw + rng.laplace(scale=5, size=(20, 4, 24)))[
            "MRE"
        ]
        covered += some["low"] <= many["MRE"]["value"] <= some["high"]
    assert 87 <= covered <= 100

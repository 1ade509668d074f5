import numpy as np
import pandas as pd
import pytest

from lib.datasets import available, flights, load

KINDS = ("flights-by-number", "flights-by-tail")


@pytest.fixture(scope="module")
def loaded():
    return {name: load(name) for name in KINDS}


def test_both_have_the_same_users_places_and_hours_in_number(loaded):
    number, tail = (loaded[name] for name in KINDS)
    assert number.n_users == tail.n_users
    assert number.rois.index.equals(tail.rois.index)
    assert number.epochs.equals(tail.epochs)
    assert number.n_epochs == 4 * 7 * 24
    assert number.epochs[0] == pd.Timestamp("2013-03-04", tz="UTC")


def test_every_airport_has_coordinates(loaded):
    rois = loaded["flights-by-tail"].rois
    assert {"BQN", "PSE", "SJU", "STT", "JFK", "LGA", "EWR"} <= set(rois.index)
    assert rois.notna().all().all()
    assert rois.lat.between(17, 62).all()
    assert rois.lon.between(-158, -64).all()


def test_every_sighting_is_accounted_for(loaded):
    for traces in loaded.values():
        report = traces.report
        assert report.read == report.kept + sum(report.set_aside.values()) == 2 * 336_776
        assert report.set_aside["flight cancelled"] == 2 * 8255
        assert report.kept == traces.matrix.nnz + report.duplicates
        assert traces.visits().min() >= 16


def test_numbers_recur_weekly_and_tails_do_not(loaded):
    number, tail = (loaded[name].recurrence().mean() for name in KINDS)
    assert number > 0.6
    assert tail < 0.05


@pytest.mark.slow
def test_a_known_flight_is_where_and_when_it_was():
    # UA1545, 1 January 2013: EWR 5:15 to IAH 8:19 local, that is 10:15 and 14:19 UTC.
    traces = load("flights-by-number", start="2013-01-01", end="2013-01-02", min_visits=1)
    everybody = load(
        "flights-by-number",
        start="2013-01-01",
        end="2013-01-02",
        min_visits=1,
        n_users=traces.n_users,
    )
    assert everybody.users.equals(traces.users)
    table, airports = flights._tables()
    departure, arrival = flights._instants(table, airports, "scheduled")
    assert departure[0] == pd.Timestamp("2013-01-01 10:15", tz="UTC")
    assert arrival[0] == pd.Timestamp("2013-01-01 14:19", tz="UTC")


def test_arrivals_follow_departures_by_about_the_time_in_the_air():
    table, airports = flights._tables()
    departure, arrival = flights._instants(table, airports, "actual")
    in_the_air = pd.read_csv(flights._package_files()[0], usecols=["air_time"]).air_time
    minutes = (arrival - departure).dt.total_seconds() / 60 - in_the_air
    on_the_ground = minutes.dropna()
    assert (on_the_ground.between(0, 300)).mean() > 0.9999
    assert 25 < on_the_ground.median() < 35


@pytest.mark.slow
def test_the_draw_is_seeded_and_its_size_is_chosen():
    ten, again, other = (load("flights-by-tail", n_users=10, seed=s) for s in (1, 1, 2))
    assert ten.n_users == 10
    assert ten.users.equals(again.users)
    assert not ten.users.equals(other.users)
    assert np.array_equal(ten.matrix.toarray(), again.matrix.toarray())


def test_options_that_leave_nobody_are_refused():
    with pytest.raises(ValueError, match="n_users is 9999; there are 1 to"):
        load("flights-by-tail", n_users=9999)
    with pytest.raises(ValueError, match="min_visits is 5000; no user"):
        load("flights-by-tail", min_visits=5000)
    with pytest.raises(ValueError, match="'real'; scheduled or actual"):
        load("flights-by-tail", times="real")


@pytest.mark.parametrize("option", ["start", "end", "times", "min_visits", "n_users", "seed"])
@pytest.mark.parametrize("junk", ["text", [1], {}, 1j])
def test_an_option_that_makes_no_sense_is_refused_by_name(option, junk):
    with pytest.raises(ValueError, match=rf"^{option} is"):
        load("flights-by-tail", **{option: junk})


def test_unknown_names_get_the_nearest_one():
    with pytest.raises(ValueError, match="did you mean 'flights-by-tail'"):
        load("flights-by-tale")
    assert set(KINDS) <= set(available().index)

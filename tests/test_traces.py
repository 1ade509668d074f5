import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.traces import Grid, RecordError, Traces
from tests.reference import counting

USERS, ROIS = ["a", "b", "c"], ["p", "q"]
HOURS = list(pd.date_range("2013-03-04", periods=6, freq="1h", tz="UTC"))
RECORD = st.tuples(st.sampled_from(USERS), st.sampled_from(ROIS), st.sampled_from(HOURS))


def frame(records):
    return pd.DataFrame(records, columns=["user", "roi", "time"])


def good(n=20):
    """A table of n sound records on a box around San Francisco."""
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "user": rng.integers(0, 3, n),
            "time": [f"2013-03-04T{i % 10:02d}:15:00+00:00" for i in range(n)],
            "lat": rng.uniform(37.7, 37.8, n),
            "lon": rng.uniform(-122.5, -122.4, n),
        }
    )


BOX = Grid(37.7, 37.8, -122.5, -122.4, 4, 5)


def on_grid(table, **options):
    return Traces.from_records(table, lat="lat", lon="lon", grid=BOX, **options)


# -- against the reference -------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.lists(RECORD, min_size=1, max_size=40))
def test_from_records_equals_the_reference(records):
    traces = Traces.from_records(frame(records), roi="roi")
    expected = counting.traces(records, list(traces.users), list(traces.rois.index), HOURS)
    positions = [HOURS.index(epoch) for epoch in traces.epochs]
    for user in traces.users:
        assert np.array_equal(traces.trace(user), expected[user][:, positions])
    assert traces.report.read == len(records) == traces.report.kept
    assert traces.report.duplicates == len(records) - len(set(records))


@settings(max_examples=60, deadline=None)
@given(st.lists(RECORD, min_size=1, max_size=40), st.integers(1, 3))
def test_recurrence_equals_the_reference(records, lag):
    traces = Traces.from_records(
        frame(records), roi="roi", start="2013-03-04", end="2013-03-04T06:00"
    )
    for user, value in traces.recurrence(f"{lag}h").items():
        assert value == pytest.approx(
            counting.recurrence(traces.trace(user), lag), rel=1e-12, nan_ok=True
        )


def test_an_epoch_belongs_to_its_start_and_the_window_is_half_open():
    times = ["2013-03-04T00:00:00Z", "2013-03-04T00:59:59.999Z", "2013-03-04T01:00:00Z"]
    table = pd.DataFrame({"user": [1, 1, 1], "time": times, "roi": ["p", "p", "p"]})
    traces = Traces.from_records(table, roi="roi", start="2013-03-04", end="2013-03-04T01:00")
    assert traces.trace(1).tolist() == [[1]]
    assert traces.report.set_aside == {"outside the window": 1}
    assert traces.report.duplicates == 1


# -- the grid, null, selection ---------------------------------------------------------------------


def test_grid_cells_are_half_open_rows_from_the_south():
    grid = Grid(0, 2, 0, 3, 2, 3)
    lat = np.array([0.0, 0.999, 1.0, 1.999, 2.0, -0.001])
    lon = np.array([0.0, 2.999, 1.0, 0.0, 0.0, 0.0])
    assert grid.locate(lat, lon).tolist() == [0, 2, 4, 3, -1, -1]
    centres = grid.rois()
    assert grid.locate(centres.lat.to_numpy(), centres.lon.to_numpy()).tolist() == list(range(6))


def test_null_is_visited_exactly_where_a_user_is_nowhere():
    traces = on_grid(good())
    with_null = on_grid(good(), null=True)
    assert with_null.rois.index[-1] == "null"
    for user in traces.users:
        nowhere = traces.trace(user).sum(axis=0) == 0
        assert np.array_equal(with_null.trace(user)[-1], nowhere.astype(int))
        assert np.array_equal(with_null.trace(user)[:-1], traces.trace(user))
    with pytest.raises(ValueError, match="null"):
        with_null.with_null()


def test_selecting_equals_indexing_the_dense_array():
    traces = on_grid(good(60))
    dense = traces.matrix.toarray().reshape(traces.n_users, traces.n_rois, traces.n_epochs)
    chosen = traces.select(users=[2, 0], rois=[7, 3, 11], epochs=slice(2, 9, 3))
    expected = dense[[2, 0]][:, [7, 3, 11]][:, :, 2:9:3]
    assert np.array_equal(chosen.matrix.toarray().reshape(expected.shape), expected)
    part = traces.between("2013-03-04T02:00", "2013-03-04T05:00")
    assert np.array_equal(part.matrix.toarray().reshape(3, 20, 3), dense[:, :, 2:5])
    with pytest.raises(ValueError, match="user 99"):
        traces.select(users=[99])
    with pytest.raises(ValueError, match="before"):
        traces.between("2013-03-05", "2013-03-04")


def test_summary_counts_visits_places_and_hours():
    table = frame([("a", "p", HOURS[0]), ("a", "q", HOURS[0]), ("a", "p", HOURS[2])])
    summary = Traces.from_records(table, roi="roi").summary()
    assert summary["mean"].tolist() == [3, 2, 2]


def test_places_with_coordinates_get_their_median_point():
    table = pd.DataFrame(
        {"user": 1, "time": HOURS[:3], "roi": "p", "lat": [1.0, 2.0, 9.0], "lon": [5.0, 5.0, 6.0]}
    )
    traces = Traces.from_records(table, roi="roi", lat="lat", lon="lon")
    assert traces.rois.loc["p"].tolist() == [2.0, 5.0]


# -- bad input -------------------------------------------------------------------------------------


def broken(column, row, value):
    table = good().astype({column: object})
    table.loc[row, column] = value
    return table


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("lat", 95),
        ("lat", float("inf")),
        ("lon", -200.0),
        ("lat", "north"),
        ("time", "half past nine"),
        ("time", "2013-02-30T00:00:00+00:00"),
        ("time", "2013-03-04T05:00:00"),  # the others have an offset
    ],
)
def test_a_value_that_cannot_be_right_names_its_row(column, value):
    with pytest.raises(RecordError, match="row 17") as caught:
        on_grid(broken(column, 17, value))
    assert caught.value.row == 17
    assert str(value) in str(caught.value)


@pytest.mark.parametrize(("column", "value"), [("lat", np.nan), ("time", None), ("user", None)])
def test_a_missing_value_is_set_aside_and_counted(column, value):
    report = on_grid(broken(column, 17, value)).report
    assert report.set_aside == {"missing value": 1}
    assert report.read == report.kept + 1 == 20


def test_rows_are_named_as_the_reader_counts_them_even_after_missing_ones():
    table = broken("lat", 17, 95)
    table.loc[3, "user"] = np.nan
    with pytest.raises(RecordError, match="row 17"):
        on_grid(table)


def test_an_empty_table_and_missing_columns_are_refused():
    with pytest.raises(ValueError, match="empty"):
        on_grid(good().iloc[:0])
    with pytest.raises(ValueError, match=r"no column 'lat'.*user, time, lon"):
        on_grid(good().drop(columns="lat"))
    with pytest.raises(ValueError, match="roi=, or lat="):
        Traces.from_records(good())
    with pytest.raises(ValueError, match="appears twice"):
        on_grid(pd.concat([good(), good()[["lat"]]], axis=1))


def test_records_all_outside_are_an_error_that_counts_them():
    with pytest.raises(ValueError, match=r"none of the 20 rows.*20 outside the window"):
        on_grid(good(), start="2014-01-01", end="2014-01-02")


def test_swapped_coordinates_and_inverted_boxes_are_refused():
    swapped = good().rename(columns={"lat": "lon", "lon": "lat"})
    with pytest.raises(RecordError, match="swapped"):  # a latitude of -122
        on_grid(swapped)
    near = good().assign(lat=lambda t: t.lat - 37, lon=lambda t: t.lon + 123)  # both below 90
    box = Grid(0.7, 0.8, 0.5, 0.6, 2, 2)
    with pytest.raises(ValueError, match="look swapped: 0 of 20"):
        Traces.from_records(near, lat="lon", lon="lat", grid=box)
    for south, north, west, east in [(37.8, 37.7, -1, 1), (0, 1, 5, -5), (0, 91, 0, 1)]:
        with pytest.raises(ValueError, match="must satisfy"):
            Grid(south, north, west, east, 2, 2)


def test_mixed_ids_are_refused_and_duplicate_ids_too():
    with pytest.raises(ValueError, match="mixes int and str"):
        on_grid(broken("user", 17, "1"))
    traces = on_grid(good())
    with pytest.raises(ValueError, match="user 0 appears more than once"):
        Traces(traces.matrix, [0, 0, 1], traces.rois, traces.epochs)
    with pytest.raises(ValueError, match="ROI 3 appears more than once"):
        Traces(traces.matrix, traces.users, traces.rois.set_axis([3] * 20), traces.epochs)


def test_matrices_that_are_not_binary_or_not_of_that_shape_are_refused():
    traces = on_grid(good())
    with pytest.raises(ValueError, match="holds 2"):
        Traces(traces.matrix * 2, traces.users, traces.rois, traces.epochs)
    with pytest.raises(ValueError, match="ask"):
        Traces(traces.matrix[:2], traces.users, traces.rois, traces.epochs)


# -- time ------------------------------------------------------------------------------------------


def one(time, **options):
    table = pd.DataFrame({"user": [1], "time": [time], "roi": ["p"]})
    return Traces.from_records(table, roi="roi", **options).epochs[0]


def test_the_same_instant_however_it_is_written():
    expected = pd.Timestamp("2013-03-04 14:00", tz="UTC")
    for time in (
        "2013-03-04T14:20:00Z",
        "2013-03-04 09:20:00-05:00",
        "2013-03-04T14:20",
        "Mon Mar 04 14:20:00 +0000 2013",
        1362406800,
        1362406800.0,
        pd.Timestamp("2013-03-04 14:20"),
        pd.Timestamp("2013-03-04 09:20", tz="America/New_York"),
    ):
        assert one(time) == expected, time
    assert one("2013-03-04T09:20", timezone="America/New_York") == expected


@pytest.mark.parametrize("time", ["2013-03-10T02:30", "2013-11-03T01:30"])
def test_a_daylight_saving_hour_is_refused_without_its_offset(time):
    with pytest.raises(RecordError, match="daylight saving"):
        one(time, timezone="America/New_York")
    assert one(time + "-05:00") is not None


def test_milliseconds_are_not_taken_for_seconds():
    with pytest.raises(RecordError, match="seconds since 1970"):
        one(1362406800000)


def test_the_report_says_when_naive_times_were_read_as_utc():
    assert "UTC" in on_grid(good().assign(time="2013-03-04T01:00")).report.notes[0]

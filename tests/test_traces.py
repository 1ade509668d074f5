import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from lib.aggregation import aggregate
from lib.reading import times
from lib.reading.rows import Columns
from lib.traces import Grid, RecordError, Report, Traces
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


@pytest.mark.parametrize("at_once", [1, 30, 1 << 22])
def test_who_was_somewhere_is_told_a_part_of_the_users_at_a_time(monkeypatch, at_once):
    monkeypatch.setattr("lib.traces._BATCH", at_once)
    traces = on_grid(good(60)).select(users=[2, 0, 1], epochs=[3, 1, 2, 8, 9][1:])
    dense = traces.matrix.toarray().reshape(3, 20, -1)
    assert np.array_equal(traces.rois_per_epoch(), dense.sum(axis=1))
    assert np.array_equal(traces.epochs_per_roi(), dense.sum(axis=2))
    assert traces.active_epochs().tolist() == dense.any(axis=1).sum(axis=1).tolist()
    assert traces.unique_rois().tolist() == dense.any(axis=2).sum(axis=1).tolist()
    null = traces.with_null()
    assert np.array_equal(
        null.matrix.toarray().reshape(3, 21, -1),
        np.concatenate([dense, ~dense.any(axis=1, keepdims=True)], axis=1),
    )
    assert null.matrix.has_canonical_format
    monkeypatch.setattr("lib.traces.MAX_CELLS", 12)
    with pytest.raises(ValueError, match=r"visits, those to null included; traces hold fewer"):
        traces.with_null()


def test_nothing_dense_is_made_of_many_users():
    """80 MB if it were, for each of the five."""
    n_users, rng = 2_000, np.random.default_rng(0)
    epochs = pd.date_range("2013-01-01", periods=10_000, freq="1h", tz="UTC")
    rois = pd.DataFrame({"lat": 0.0, "lon": 0.0}, index=range(10_000))
    codes = [rng.integers(0, n, 20_000) for n in (n_users, 10_000, 10_000)]
    traces = Traces.from_codes(*codes, range(n_users), rois, epochs)
    tracemalloc.start()
    traces.summary(), traces.active_epochs(), traces.unique_rois()
    assert tracemalloc.get_traced_memory()[1] < 20e6
    tracemalloc.stop()


def test_chunks_are_one_table_whose_rows_are_counted_through():
    table = good(40).assign(user=lambda t: t.user.astype(str))
    whole = on_grid(table)
    columns = Columns("user", "time", lat="lat", lon="lon", grid=BOX)
    parts = [table[i : i + 7] for i in range(0, 40, 7)]
    traces = Traces.from_tables(lambda: iter(parts), columns)
    assert (traces.matrix != whole.matrix).nnz == 0
    assert traces.report == whole.report
    parts[5] = parts[5].astype({"lat": object})
    parts[5].iloc[2, 2] = "north"
    with pytest.raises(RecordError, match="row 37: lat is north"):
        Traces.from_tables(lambda: iter(parts), columns)
    with pytest.raises(ValueError, match="empty"):
        Traces.from_tables(lambda: [], columns)
    with pytest.raises(ValueError, match="no column 'lat'"):
        Traces.from_tables(lambda: [*parts[:5], parts[5].drop(columns="lat")], columns)


def test_a_grid_may_be_rows_and_columns_around_all_points():
    traces = Traces.from_records(good(), lat="lat", lon="lon", grid=(3, 2))
    assert traces.n_rois == 6
    assert traces.report.kept == 20
    for junk, said in (((3,), "grid is"), ((0, 1), "rows is 0"), ((3, 2.5), "columns is 2.5")):
        with pytest.raises(ValueError, match=said):
            Traces.from_records(good(), lat="lat", lon="lon", grid=junk)


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


@pytest.mark.parametrize("n_visits", [40, 4000])  # fewer than the cells chosen; more
def test_selecting_is_the_same_for_few_visits_and_for_many(n_visits, monkeypatch):
    rng = np.random.default_rng(n_visits)
    dense = np.zeros((30, 20, 24), np.int8)
    dense.flat[rng.permutation(dense.size)[:n_visits]] = 1
    places = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=range(20))
    hours = pd.date_range("2013-03-04", periods=24, freq="1h", tz="UTC")
    traces = Traces(dense.reshape(30, -1), range(30), places, hours)
    monkeypatch.setattr("lib.traces._BATCH", 7)  # users in several parts
    rois = rng.permutation(20)[:15]
    chosen = traces.select(rois=rois, epochs=slice(1, None, 2))
    expected = dense[:, rois][:, :, 1::2].reshape(30, -1)
    assert np.array_equal(chosen.matrix.toarray(), expected) and expected.any()
    assert traces.select(users=[], rois=rois).matrix.shape == (0, 15 * 24)


def test_a_choice_from_a_large_grid_of_few_visits_takes_little_memory():
    places = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=range(20_000))
    hours = pd.date_range("2013-03-04", periods=10_000, freq="1h", tz="UTC")
    user, roi, hour = np.random.default_rng(0).integers(0, [[5], [20_000], [10_000]], (3, 1000))
    traces = Traces.from_codes(user, roi, hour, range(5), places, hours)
    tracemalloc.start()
    assert traces.select(epochs=slice(0, 5000)).matrix.nnz == np.count_nonzero(hour < 5000)
    assert len(traces.recurrence()) == 5
    assert tracemalloc.get_traced_memory()[1] < 20e6
    tracemalloc.stop()


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
    assert (value if isinstance(value, str) else f"{value:g}") in str(caught.value)


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
    with pytest.raises(ValueError, match="require"):
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


NEW_YORK = {"timezone": "America/New_York"}
SKIPPED, REPEATED = "2013-03-10T02:30", "2013-11-03T01:30"


@pytest.mark.parametrize("time", [SKIPPED, REPEATED])
def test_a_local_time_that_clocks_skip_or_repeat_is_set_aside_and_counted(time):
    two = pd.DataFrame({"user": ["a", "b"], "time": [time, time[:8] + "12T08:00"], "roi": "x"})
    found = Traces.from_records(two, roi="roi", **NEW_YORK)
    assert found.users.tolist() == ["b"]
    assert found.report.set_aside == {"local time that America/New_York skips or repeats": 1}
    with pytest.raises(ValueError, match="a time that the clocks show exactly once"):
        Traces.from_records(two[:1], roi="roi", **NEW_YORK)
    assert Traces.from_records(two.assign(time=two.time + "-05:00"), roi="roi").n_users == 2


def test_a_repeated_time_may_be_taken_for_the_earlier_or_the_later():
    one_row = pd.DataFrame({"user": ["a"], "time": [REPEATED], "roi": ["x"]})
    for ambiguous, hour in (("earlier", 5), ("later", 6)):
        found = Traces.from_records(one_row, roi="roi", ambiguous=ambiguous, **NEW_YORK)
        assert found.epochs[0].hour == hour
    with pytest.raises(ValueError, match="ambiguous is 'both'; one of drop, earlier, later"):
        Traces.from_records(one_row, roi="roi", ambiguous="both")


@pytest.mark.parametrize(
    ("zone", "days", "lengths"),
    [
        ("America/Chicago", ["2010-03-13", "2010-03-16"], [24, 23, 24, 24]),
        ("America/Chicago", ["2010-11-06", "2010-11-08"], [24, 25, 24]),
        ("America/Santiago", ["2010-10-09", "2010-10-11"], [24, 23, 24]),  # no midnight on the 10th
        ("Asia/Kolkata", ["2010-03-13", "2010-03-14"], [24, 24]),
        ("Pacific/Apia", ["2011-12-29", "2012-01-01"], [24, 24, 24]),  # had no 30 December
    ],
)
def test_days_are_calendar_days_of_the_time_zone(zone, days, lengths):
    times = [f"{day} 00:30" for day in days]
    records = pd.DataFrame({"user": ["a", "b"], "time": times, "roi": "x"})
    found = Traces.from_records(records, roi="roi", epoch="1D", timezone=zone)
    edges = found.epochs.append(found.epochs[-1:] + pd.Timedelta(hours=lengths[-1]))
    assert (np.diff(edges) / np.timedelta64(1, "h")).tolist() == lengths
    assert found.matrix.indices.tolist() == [0, len(lengths) - 1]


@pytest.mark.parametrize("zone", ["America/Chicago", "America/Santiago", "Asia/Kolkata"])
def test_epochs_longer_than_an_hour_begin_at_the_same_local_hours_all_year(zone):
    records = pd.DataFrame({"user": ["a", "b"], "time": ["2010-01-01", "2010-12-31"], "roi": "x"})
    found = Traces.from_records(records, roi="roi", epoch="6h", timezone=zone)
    hours = found.epochs.tz_convert(zone).hour
    assert set(hours) <= {0, 1, 6, 12, 18}  # 1 where there is no midnight
    assert (hours == 1).sum() <= 1


def test_hours_begin_with_those_of_the_time_zone():
    records = pd.DataFrame({"user": ["a"], "time": ["2010-03-13 10:10"], "roi": ["x"]})
    found = Traces.from_records(records, roi="roi", timezone="Asia/Kolkata")
    assert found.epochs.tz_convert("Asia/Kolkata")[0].strftime("%H:%M") == "10:00"


# -- stays -----------------------------------------------------------------------------------------


def test_a_stay_counts_in_every_epoch_that_it_overlaps():
    stays = pd.DataFrame(
        [
            ("a", "2013-03-04T08:30Z", "2013-03-04T11:00Z"),  # 8, 9 and 10: it ends as 11 begins
            ("b", "2013-03-04T09:00Z", "2013-03-04T09:00Z"),  # a moment
            ("c", "2013-03-04T01:00Z", "2013-03-05T01:00Z"),  # longer than the window
            ("d", "2013-03-04T01:00Z", "2013-03-04T08:00Z"),  # over before it
            ("a", "2013-03-04T10:10Z", "2013-03-04T10:20Z"),  # once more in 10
        ],
        columns=["user", "time", "until"],
    ).assign(roi="x")
    window = {"start": "2013-03-04T08:00", "end": "2013-03-04T12:00"}
    found = Traces.from_records(stays, roi="roi", until="until", **window)
    assert found.users.tolist() == ["a", "b", "c"]
    assert found.matrix.toarray().tolist() == [[1, 1, 1, 0], [0, 1, 0, 0], [1, 1, 1, 1]]
    assert found.report.kept == 4
    assert found.report.set_aside == {"outside the window": 1}
    assert found.report.duplicates == 1


def test_a_stay_that_ends_before_it_begins_is_refused_with_its_row():
    stays = pd.DataFrame(
        {"user": ["a", "b"], "time": ["2013-03-04", "2013-03-04"], "until": ["2013-03-05"] * 2}
    ).assign(roi="x")
    stays.loc[1, "until"] = "2013-03-03"
    with pytest.raises(RecordError, match="until is before time") as refused:
        Traces.from_records(stays, roi="roi", until="until")
    assert refused.value.row == 1


def test_long_stays_are_expanded_a_part_at_a_time(monkeypatch):
    rng = np.random.default_rng(5)
    start = pd.Timestamp("2013-03-04", tz="UTC") + pd.to_timedelta(rng.integers(0, 90, 40), "h")
    stays = pd.DataFrame({"user": rng.integers(0, 9, 40), "time": start, "roi": "x"})
    stays["until"] = start + pd.to_timedelta(rng.integers(0, 30, 40), "h")
    whole = Traces.from_records(stays, roi="roi", until="until")
    monkeypatch.setattr("lib.reading.rows._PAIRS", 7)
    parts = Traces.from_records(stays, roi="roi", until="until")
    assert (whole.matrix != parts.matrix).nnz == 0
    assert whole.report == parts.report


@pytest.mark.parametrize(
    ("zone", "text", "hour"),
    [
        ("UTC", "10/03/2013 17:18 UTC", 17),
        ("UTC", "10/03/2013 17:18 GMT", 17),
        ("Europe/Rome", "10/03/2013 17:18 CET", 16),
        ("Europe/Rome", "10/07/2013 17:18 CEST", 15),
        ("America/New_York", "03/11/2013 01:18 EDT", 5),  # an hour that occurs twice
        ("America/New_York", "03/11/2013 01:18 EST", 6),
    ],
)
def test_names_of_zones_are_read_where_they_are_those_of_the_place(zone, text, hour):
    found = one(text, timezone=zone, time_format="%d/%m/%Y %H:%M %Z")
    assert found.hour == hour


@pytest.mark.parametrize("text", ["10/03/2013 17:18 EST", "10/03/2013 17:18 Moon"])
def test_names_of_zones_that_are_not_those_of_the_place_are_refused(text):
    with pytest.raises(RecordError, match=r"whose zone is not one of UTC, .*give timezone="):
        one(text, timezone="Europe/Rome", time_format="%d/%m/%Y %H:%M %Z")


@pytest.mark.parametrize("form", ["%Z %Y", "%Y %Z %Z", "%Y%Z%z", "%G %Z", "%c %Y %Z", "%Y-%q", "%"])
def test_no_format_of_times_ends_in_a_traceback(form):
    with pytest.raises(ValueError, match="time"):
        one("2013-03-04 10:00 UTC", time_format=form)


def test_milliseconds_are_not_taken_for_seconds():
    with pytest.raises(RecordError, match="seconds since 1970"):
        one(1362406800000)


def test_the_report_says_when_naive_times_were_read_as_utc():
    assert "UTC" in on_grid(good().assign(time="2013-03-04T01:00")).report.notes[0]


READ_ONE_WAY = {  # as written -> the instant in UTC, in a column of its own
    "2013-03-04T14:20:00+01": "2013-03-04 13:20",
    "2013-03-04 14:20 GMT": "2013-03-04 14:20",
    "2013-03-04 14:20 +0100": "2013-03-04 13:20",
    "20130304T142000": "2013-03-04 14:20",
    "2013/3/4 14:20": "2013-03-04 14:20",
    "13/03/2013 14:20": "2013-03-13 14:20",
    "03/13/2013 14:20:30": "2013-03-13 14:20:30",
    "04 Mar 2013 14:20": "2013-03-04 14:20",
    "Mon, 04 Mar 2013 14:20:00 GMT": "2013-03-04 14:20",
}


def read(*written, **options):
    column = pd.Series(written)
    return times.parse_times(
        column, "time", np.arange(len(column)), **({"timezone": "UTC"} | options)
    )


@pytest.mark.parametrize("written", READ_ONE_WAY)
def test_times_that_read_one_way_only_are_read_and_their_format_is_reported(written):
    stamps, notes = read(written)
    assert stamps[0] == pd.Timestamp(READ_ONE_WAY[written], tz="UTC")
    assert "read as" in notes[-1]


def test_one_order_of_day_and_month_holds_for_the_whole_column():
    stamps, notes = read("12/03/2013", "13/03/2013")
    assert [str(stamp.date()) for stamp in stamps] == ["2013-03-12", "2013-03-13"]
    assert notes[-1] == "time: read as day/month/year"
    table = pd.DataFrame({"user": "a", "roi": "p", "time": ["12/03/2013", "13/03/2013"]})
    assert "day/month/year" in Traces.from_records(table, roi="roi").report.notes[-1]


@pytest.mark.parametrize(
    ("written", "row", "said"),
    [
        (["05/05/2013", "04/03/2013"], 1, "may come first; give time_format="),
        (["13/03/2013", "03/13/2013"], 1, "another order"),
        (["03/04/2013", "13/13/2013", "03/14/2013"], 1, "is ambiguous"),
        (["2013-03-04", "04/13/2013"], 1, "not a time or is ambiguous"),
        (["2013-03-04", "1362406800"], 1, "other rows are ISO 8601"),
        (["2013-03-04T10:00Z", "2013-03-04T10:00"], 1, "some have none"),
        *(
            ([word], 0, "time_format=")
            for word in (
                "now",
                "today",
                "March",
                "-5",
                "2013",
                "20130304",
                "true",
                "1362406800000",
                "Mon 10:00",
                "3/4/13",
                "inf",
                "nan",
            )
        ),
        (["10:00"], 0, "the date is missing"),
        ([True], 0, "not a time"),
        ([-5], 0, "seconds since 1970"),
        ([20130304], 0, "seconds since 1970"),
        ([pd.Timedelta("1h")], 0, "not a time"),
        (["2013-03-04 10:00+99:00"], 0, "not a time"),
    ],
)
def test_times_that_read_several_ways_or_none_are_refused_with_their_row(written, row, said):
    with pytest.raises(RecordError, match=said) as caught:
        read(*written)
    assert caught.value.row == row


def test_a_format_that_is_given_is_the_only_one():
    march, april = pd.Timestamp("2013-03-04", tz="UTC"), pd.Timestamp("2013-04-03", tz="UTC")
    assert read("04/03/2013", time_format="%d/%m/%Y")[0][0] == march
    assert read("04/03/2013", time_format="%m/%d/%Y")[0][0] == april
    assert read(20130304, time_format="%Y%m%d")[0][0] == march
    assert read(1362355200000, time_format="milliseconds")[0][0] == march
    assert read("5", time_format="seconds")[0][0] == pd.Timestamp(5, unit="s", tz="UTC")
    with pytest.raises(RecordError, match="not a time"):
        read("2013-03-04", time_format="%d/%m/%Y")
    for wrong in ("dd/mm/yyyy", "%H:%M", 3, "%Y%Q"):
        with pytest.raises(ValueError, match="time_format is"):
            read("04/03/2013", time_format=wrong)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize(
    "written",
    [
        ["12/03/2013", "01/02/2013", "13/03/2013", "11/03/2013"],
        ["12/03/2013", "03/13/2013", "13/03/2013"],
        ["2013-03-04", "2013-03-05", "2013-03-04 10:00+01", "2013-03-04 10:00Z"],
        ["2013-03-04 10:00+01", "2013-03-04 10:00Z", "2013-03-04T11:20:30.5+0100"],
        ["2013-03-04", "04/13/2013", "05/13/2013", "06/14/2013"],
        ["05/05/2013", "04/03/2013", "03/03/2013"],
        ["2013-03-04", "2013-02-30"],
        ["13/13/2013", "03/04/2013"],
        ["never", "1362406800", "1362406900"],
        ["2013-03-04", "２０１３-03-04"],
    ],
)
def test_a_column_in_chunks_is_read_as_the_whole(written, size):
    def in_chunks():
        clock = times.Clock("time", "UTC")
        starts = range(0, len(written), size)
        chunks = [
            (pd.Series(written[i : i + size]), np.arange(i, i + len(written[i : i + size])))
            for i in starts
        ]
        for values, row in chunks:
            clock.look(values, row)
        clock.settle()
        return [stamp for values, row in chunks for stamp in clock.read(values, row)], clock.notes

    try:
        stamps, notes = read(*written)
    except RecordError as error:
        with pytest.raises(RecordError) as caught:
            in_chunks()
        assert str(caught.value) == str(error)
    else:
        assert in_chunks() == (list(stamps), notes)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.datetimes(pd.Timestamp("1975-01-01"), pd.Timestamp("2100-01-01")), min_size=1, max_size=6
    ),
    st.sampled_from(["%d/%m/%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S"]),
)
def test_a_column_in_figures_is_read_right_or_refused(moments, form):
    moments = [moment.replace(microsecond=0) for moment in moments]
    try:
        stamps, _ = read(*(moment.strftime(form) for moment in moments))
    except RecordError as error:
        assert all(moment.day <= 12 for moment in moments)
        assert "may come first" in error.problem
    else:
        assert list(stamps.tz_localize(None)) == moments


# -- doors -----------------------------------------------------------------------------------------

HOUR = pd.date_range("2013-03-04", periods=2, freq="1h", tz="UTC", name="epoch")
PLACE = pd.DataFrame({"lat": [0.0, 1.0], "lon": 0.0}, index=["p", "q"])


def csr(indices, indptr, shape=(2, 4)):
    matrix = sparse.csr_array(shape, dtype=np.int32)
    matrix.data, matrix.indices = np.ones(len(indices), np.int32), np.array(indices, np.int32)
    matrix.indptr = np.array(indptr, np.int32)
    return matrix


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (csr([1, 1], [0, 2, 2]), r"\(user, cell\) \(0, 1\) more than once"),
        (csr([3, 0, 3], [0, 1, 3]), None),  # unsorted would do, and is left as it is
        (csr([3, 1, 3], [0, 3, 3]), r"\(0, 3\) more than once"),
        (csr([4], [0, 1, 1]), "not a valid CSR matrix"),
        (csr([-1], [0, 1, 1]), "not a valid CSR matrix"),
        (np.ones((2, 4), complex), "matrix of 0 and 1"),
        (None, "matrix"),
        ("matrix", "matrix"),
    ],
)
def test_a_matrix_holds_each_visit_once_and_inside(matrix, message):
    if message is None:
        traces = Traces(matrix, ["a", "b"], PLACE, HOUR)
        assert traces.matrix.indices.tolist() == [3, 0, 3]
        return
    with pytest.raises(ValueError, match=message):
        Traces(matrix, ["a", "b"], PLACE, HOUR)


EMPTY = {"matrix": np.zeros((2, 4)), "users": ["a", "b"], "rois": PLACE, "epochs": HOUR}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"epochs": HOUR.tz_localize(None)}, "no time zone"),
        ({"epochs": HOUR.tz_convert("Europe/Rome")}, "epochs are in Europe/Rome"),
        ({"epochs": [0, 1]}, "a DatetimeIndex was expected"),
        ({"rois": PLACE.assign(lat=95.0)}, "ROI 'p': lat is 95"),
        ({"rois": PLACE.assign(lon=np.inf)}, "ROI 'p': lon is inf"),
        ({"rois": PLACE.assign(lat="x")}, "lat.*real numbers"),
        ({"rois": PLACE[["lat"]]}, "columns lat and lon"),
        ({"rois": None}, "rois is None"),
        ({"users": ["a", np.nan]}, "user 1 has no id"),
        ({"users": None}, "users are None"),
        ({"users": "ab"}, "users are 'ab'"),
        ({"users": [("a", 1), ("b", 2)]}, "a list of ids"),
    ],
)
def test_users_places_and_epochs_are_what_they_should_be(changed, message):
    Traces(**EMPTY)
    with pytest.raises(ValueError, match=message):
        Traces(**(EMPTY | changed))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"epoch": [2]}, "epoch: no position 2"),
        ({"epoch": [-1]}, "epoch: no position -1"),
        ({"roi": [2]}, "roi: no position 2"),
        ({"user": [9]}, "user: no position 9"),
        ({"roi": [0.5]}, r"roi: no position 0\.5"),
        ({"roi": [np.nan]}, "roi: no position nan"),
        ({"roi": [0, 1]}, "1 users, 2 ROIs and 1 epochs"),
        ({"roi": None}, "roi: None"),
        ({"roi": "p"}, "roi: 'p'"),
        ({"roi": [[0]]}, "a row of positions"),
        ({"roi": [1j]}, "a row of positions"),
    ],
)
def test_codes_are_whole_in_range_and_aligned(changed, message):
    codes = {"user": [0], "roi": [1], "epoch": [1]}
    rest = {"users": ["a", "b"], "rois": PLACE, "epochs": HOUR}
    assert Traces.from_codes(**codes, **rest).matrix.indices.tolist() == [3]
    with pytest.raises(ValueError, match=message):
        Traces.from_codes(**(codes | changed), **rest)


def test_cells_that_32_bits_cannot_number_are_refused_with_what_to_choose():
    epochs = pd.date_range("2010-01-01", periods=87_600, freq="1h", tz="UTC")  # ten years
    rois = pd.DataFrame({"lat": 0.0, "lon": 0.0}, index=range(60_000))
    message = "60000 ROIs x 87600 epochs are 5256000000 cells.*longer epoch="
    with pytest.raises(ValueError, match=message):
        Traces.from_codes([0], [59_999], [87_599], ["a"], rois, epochs)
    with pytest.raises(ValueError, match=message):
        Traces(sparse.csr_array((1, 60_000 * 87_600)), ["a"], rois, epochs)
    table = frame([("a", 0, epochs[0]), ("a", 1, epochs[-1])])
    with pytest.raises(ValueError, match="cells"):
        Traces.from_records(table, roi="roi", rois=rois)
    with pytest.raises(ValueError, match=r"epochs of 1us: fewer than 2\^31"):
        Traces.from_records(table, roi="roi", epoch="1us")
    with pytest.raises(ValueError, match="cells"):
        Grid(0, 1, 0, 1, 10**6, 10**6)


def test_a_trace_is_int32_whatever_the_matrix_is_made_of():
    for kind in (bool, np.int8, float):
        traces = Traces(np.eye(2, 4).astype(kind), ["a", "b"], PLACE, HOUR)
        assert traces.trace("a").dtype == np.int32


def test_a_selection_keeps_the_report():
    report = Report(read=5, kept=5, checksum="abc")
    traces = Traces(**EMPTY, report=report)
    assert traces.select(users=["b"]).report == report
    assert traces.between("2013-03-04", "2013-03-05").report == report


@pytest.mark.parametrize(
    "call",
    [
        lambda t, x: t.select(users=x),
        lambda t, x: t.select(rois=x),
        lambda t, x: t.select(epochs=x),
        lambda t, x: t.between(x, "2013-03-05"),
        lambda t, x: t.between("2013-03-04", x),
        lambda t, x: t.recurrence(x),
        lambda t, x: t.trace(x),
        lambda t, x: Traces.from_records(x, roi="roi"),
        lambda t, x: on_grid(good(), epoch=x),
        lambda t, x: on_grid(good(), timezone=x),
        lambda t, x: on_grid(good(), null=x),
        lambda t, x: on_grid(good().assign(user=[[x]] * 20)),
        lambda t, x: Traces.from_records(good(), lat="lat", lon="lon", grid=x),
        lambda t, x: Grid(x, 1, 0, 1, 2, 2),
        lambda t, x: Grid(0, 1, 0, 1, 2, x),
        lambda t, x: aggregate(t, x),
        lambda t, x: aggregate(x, [[0]]),
    ],
)
@pytest.mark.parametrize("junk", [None, "text", 1.5, [None], {"z": 1}, object(), 1j])
def test_what_makes_no_sense_is_a_value_error(call, junk):
    try:
        call(Traces(**EMPTY), junk)
    except ValueError as error:
        assert str(error)
    else:
        assert junk is None  # None stands for "all" of users, ROIs and epochs


def test_ids_that_floats_cannot_tell_apart_are_refused():
    table = good().assign(user=[2.0**53] * 10 + [float(2**53 + 1)] * 10)
    with pytest.raises(ValueError, match="floats merge ids"):
        on_grid(table)


def test_one_column_has_one_role():
    with pytest.raises(ValueError, match="column 'lat' has two roles"):
        Traces.from_records(good(), lat="lat", lon="lat", grid=BOX)

"""Social Pulse: both papers' preparations, two layouts, and every row accounted for."""

import json

import numpy as np
import pandas as pd
import pytest

from lib.datasets import load
from lib.traces import Grid

START = pd.Timestamp("2013-10-31 23:00", tz="UTC")
BOX = Grid(45.4, 45.5, 9.1, 9.3, 2, 2)


def tweet(hours, user="ada", lat=45.45, lon=9.2, **fields):
    """A feature as the distribution has it."""
    return {
        "user": user,
        "timestamp": (START + pd.Timedelta(hours=hours)).timestamp(),
        "geomPoint.geom": {"type": "Point", "coordinates": [lon, lat]},
        "municipality.name": "Milano",
    } | fields


def write(folder, features, name="social-pulse-milano.geojson"):
    file = folder / name
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return file


def two_months(n=4000):
    """Tweets of 50 users over 60 days, spread around Milan, a few far from it."""
    rng = np.random.default_rng(0)
    place = rng.normal([45.46, 9.19], 0.03, (n, 2))
    place[:8] += 0.4
    hours = rng.uniform(0, 60 * 24, n)
    hours[:2] = 0, 60 * 24 - 0.5
    users = rng.integers(0, 50, n)
    return [
        tweet(h, f"u{u}", lat, lon) for h, u, (lat, lon) in zip(hours, users, place, strict=True)
    ]


def test_zk_takes_the_first_week_and_the_central_tweets_on_a_10_by_10_grid(tmp_path):
    features = two_months()
    traces = load("social-pulse", path=write(tmp_path, features))
    assert (traces.n_rois, traces.n_epochs) == (100, 168)
    assert traces.epochs[0] == START
    lat = np.array([f["geomPoint.geom"]["coordinates"][1] for f in features])
    height = np.diff(traces.rois["lat"].unique())[0]
    assert 10 * height == pytest.approx(np.diff(np.quantile(lat, [0.005, 0.995]))[0], rel=0.02)
    report = traces.report
    assert report.read == 4000 == report.kept + sum(report.set_aside.values())
    assert report.kept == pytest.approx(4000 * 7 / 60, rel=0.15)
    assert 0 < report.set_aside["outside the grid"] < 40


def test_the_threshold_paper_takes_the_last_800_hours_and_all_of_the_area(tmp_path):
    traces = load("social-pulse", path=write(tmp_path, two_months()), preset="threshold")
    assert (traces.n_rois, traces.n_epochs) == (96, 800)
    assert traces.epochs[-1] == START + pd.Timedelta(hours=60 * 24 - 1)
    assert "outside the grid" not in traces.report.set_aside


def test_each_tweet_lands_in_its_cell(tmp_path):
    features = [
        tweet(0.5, "ada", 45.41, 9.11),
        tweet(0.9, "ada", 45.42, 9.12),  # the same cell and hour
        tweet(2, "ada", 45.49, 9.29),
        tweet(30, "bob", 45.41, 9.29),
    ]
    traces = load("social-pulse", path=write(tmp_path, features), grid=BOX)
    assert traces.users.tolist() == ["ada", "bob"]
    assert np.argwhere(traces.trace("ada")).tolist() == [[0, 0], [3, 2]]
    assert np.argwhere(traces.trace("bob")).tolist() == [[1, 30]]
    assert traces.report.duplicates == 1
    assert len(traces.report.checksum) == 64


def test_plain_geojson_with_text_times_reads_the_same(tmp_path):
    features = [tweet(0, "ada"), tweet(7, "bob", 45.41, 9.15)]
    plain = [
        {
            "type": "Feature",
            "geometry": f["geomPoint.geom"],
            "properties": {
                "user": f["user"],
                "created": str(pd.Timestamp(f["timestamp"], unit="s").isoformat()),
            },
        }
        for f in features
    ]
    first = load("social-pulse", path=write(tmp_path, features), grid=BOX)
    second = load("social-pulse", path=write(tmp_path, plain, "other.geojson"), grid=BOX)
    assert (first.matrix != second.matrix).nnz == 0
    assert first.epochs.equals(second.epochs)


def test_every_row_that_is_not_used_is_in_the_report(tmp_path):
    point = {"type": "Point", "coordinates": [9.2, 45.45]}
    features = [
        tweet(0),
        tweet(1, user=None),
        tweet(1, user=""),
        {"timestamp": START.timestamp(), "geomPoint.geom": point},
        tweet(1, timestamp=None),
        tweet(1) | {"geomPoint.geom": None},
        tweet(1) | {"geomPoint.geom": {"type": "LineString", "coordinates": [[9, 45], [9, 46]]}},
        tweet(1) | {"geomPoint.geom": {"type": "Point", "coordinates": [9.2]}},
        tweet(1) | {"geomPoint.geom": {"type": "Point", "coordinates": [None, 45.45]}},
        tweet(1, lat=float("nan")),
        "not a feature",
        tweet(168.5),
        tweet(1, lat=45.6),
    ]
    report = load("social-pulse", path=write(tmp_path, features), grid=BOX).report
    assert report.read == 13 and report.kept == 1
    assert report.set_aside == {
        "no user": 3,
        "no time": 1,
        "no point": 5,
        "no fields": 1,
        "outside the window": 1,
        "outside the grid": 1,
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lat": 95.0}, "feature 2: lat is 95"),
        ({"lat": float("inf")}, "feature 2: lat is inf"),
        ({"timestamp": 1.38e12}, "feature 2: time is 1.38e"),
        ({"timestamp": "yesterday at noon"}, "feature 2: time is"),
        ({"user": 7}, "mixes int and str"),
    ],
)
def test_a_tweet_that_cannot_be_right_is_named(tmp_path, change, message):
    features = [tweet(0), tweet(1, user=None), tweet(2, **change)]
    with pytest.raises(ValueError, match=f"social-pulse-milano.geojson.*{message}"):
        load("social-pulse", path=write(tmp_path, features), grid=BOX)


def test_swapped_coordinates_are_refused(tmp_path):
    features = [tweet(h, lat=9.2, lon=45.45) for h in range(3)]
    with pytest.raises(ValueError, match="order longitude, latitude"):
        load("social-pulse", path=write(tmp_path, features))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type": "FeatureCollection", "features": [{"user"', "is not whole, or not JSON"),
        ("\x1f\x8b", "is not whole, or not JSON"),
        ('{"type": "Feature"}', "is not a FeatureCollection"),
        ("[1, 2]", "is not a FeatureCollection"),
        ('{"features": []}', "none of 0 features"),
        ('{"features": [{"user": "ada"}]}', "none of 1 features can be used: 1 with no time"),
    ],
)
def test_a_file_that_is_something_else_is_refused(tmp_path, text, message):
    file = tmp_path / "social.geojson"
    file.write_text(text)
    with pytest.raises(ValueError, match=f"social.geojson.*{message}"):
        load("social-pulse", path=file)


def test_a_missing_file_or_unknown_preset_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("AGGREGATE_LOCATION_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"social-pulse-milano\.geojson"):
        load("social-pulse")
    with pytest.raises(ValueError, match="preset is 'kk'; one of zk, threshold"):
        load("social-pulse", preset="kk")


def test_the_folder_of_the_file_will_do(tmp_path):
    file = write(tmp_path, two_months())
    assert load("social-pulse", path=tmp_path).report == load("social-pulse", path=file).report
    file.unlink()
    with pytest.raises(FileNotFoundError, match="a folder without social-pulse-milano"):
        load("social-pulse", path=tmp_path)

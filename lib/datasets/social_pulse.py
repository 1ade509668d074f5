"""Social Pulse Milano: geo-tagged tweets of November and December 2013 ("Milan" in two papers).

The distribution is one GeoJSON file, a FeatureCollection with a feature for each tweet. It keeps a
tweet's fields beside `geomPoint.geom` (a point: longitude, latitude); plain GeoJSON, with
`geometry` and `properties`, is read as well.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from lib.datasets import files
from lib.traces import Grid, Report, Traces
from lib.validation import RecordError, check_instance, format_value

_FILE = "social-pulse-milano.geojson"
_MILAN = (45.46, 9.19)  # degrees; the middle of the tweets must be within one of them
_COLUMNS = ["user", "time", "lat", "lon"]


class _Preset(NamedTuple):
    shape: tuple[int, int]  # of the grid: rows, columns
    share: float  # of the tweets that the box holds, in latitude and in longitude
    hours: int
    first: bool  # hours of the data, or else its last


_PRESETS = {
    "zk": _Preset((10, 10), 0.99, 168, True),
    "threshold": _Preset((12, 8), 1.0, 800, False),
}


def load_social_pulse(
    path: str | Path | None = None, preset: str = "zk", grid: Grid | None = None
) -> Traces:
    """Load geo-tagged tweets of Milan by the hour, prepared as in one of the two papers.

    A tweet without user, time or point is set aside and counted in `.report`, as is one outside the
    window or the grid. The two papers' numbers of users cannot be compared.

    Parameters
    ----------
    path : str or Path, optional
        The file (social-pulse-milano.geojson) or its folder.
    preset : {"zk", "threshold"}
        "zk": a 10 x 10 grid and the first week of the data, 168 hours (ZK, Sec. 5.1).
        "threshold": a 12 x 8 grid and the last 800 hours (threshold paper, Sec. 5).
    grid : Grid, optional
        Another grid. Neither paper prints its box: by default "threshold" takes the smallest one
        with all tweets, and "zk" the one that leaves out the outermost 1% in latitude and in
        longitude, half on each side, as its authors' code does.

    Returns
    -------
    Traces
        Traces of the users who tweeted.

    Raises
    ------
    ValueError
        If the file cannot be right; the message names the file and the feature (from 0).
    FileNotFoundError
        If there is no file.
    """
    if not isinstance(preset, str) or preset not in _PRESETS:
        raise ValueError(
            f"preset is {format_value(preset)}; one of {', '.join(_PRESETS)} was expected"
        )
    if grid is not None:
        check_instance("grid", grid, Grid)
    file = files.find(path, _FILE)
    if file.is_dir():
        raise FileNotFoundError(f"{str(file)!r} is a folder without {_FILE}; give the file")
    tweets, n_read, aside = _tweets(file)
    try:
        traces = _prepared(tweets, _PRESETS[preset], grid)
    except RecordError as error:
        feature = tweets.index[error.row]
        raise ValueError(f"{file.name}, feature {feature}: {error.problem}") from error
    except ValueError as error:
        raise ValueError(f"{file.name}: {error}") from error
    report = traces.report
    assert isinstance(report, Report)
    traces.report = replace(
        report, read=n_read, set_aside=aside | report.set_aside, checksum=files.checksum([file])
    )
    return traces


def _prepared(tweets: pd.DataFrame, preset: _Preset, grid: Grid | None) -> Traces:
    everywhere = Grid(-90, 90, -180, 180, 1, 1)
    everything = Traces.from_records(
        tweets, lat="lat", lon="lon", grid=everywhere
    )  # checks all rows
    middle = tweets["lat"].median(), tweets["lon"].median()
    if np.abs(np.subtract(middle, _MILAN)).max() > 1:
        raise ValueError(
            f"the middle of the tweets is at latitude {middle[0]:.2f}, longitude {middle[1]:.2f}, "
            f"Milan at {_MILAN[0]}, {_MILAN[1]}: are the coordinates in the order longitude, "
            "latitude?"
        )
    hours = pd.Timedelta(hours=preset.hours)
    start = everything.epochs[0]
    end = everything.epochs[-1] + pd.Timedelta(hours=1)
    start, end = (start, start + hours) if preset.first else (end - hours, end)
    if grid is None:
        outside = (1 - preset.share) / 2
        lat, lon = (
            tweets[axis][tweets[axis].between(*tweets[axis].quantile([outside, 1 - outside]))]
            for axis in ("lat", "lon")
        )
        grid = Grid.around(lat, lon, *preset.shape)
    return Traces.from_records(tweets, lat="lat", lon="lon", grid=grid, start=start, end=end)


def _tweets(file: Path) -> tuple[pd.DataFrame, int, dict[str, int]]:
    """Usable tweets by feature number, the number of features, and those set aside by reason."""
    try:
        collection = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:  # a JSON or a Unicode error, or far too deep
        raise ValueError(f"{file.name} is not whole, or not JSON: {error}") from error
    features = collection.get("features") if isinstance(collection, dict) else None
    if not isinstance(features, list):
        raise ValueError(
            f"{file.name} is not a FeatureCollection: it has no list of features; give the file "
            "as it was published"
        )
    rows, numbers = [], []
    aside: Counter[str] = Counter()
    for number, feature in enumerate(features):
        tweet, problem = _tweet(feature)
        if tweet is None:
            aside[problem] += 1
        else:
            rows.append(tweet)
            numbers.append(number)
    if not rows:
        counted = ", ".join(f"{n} with {why}" for why, n in aside.items())
        raise ValueError(f"{file.name}: none of {len(features)} features can be used: {counted}")
    tweets = pd.DataFrame(rows, numbers, _COLUMNS)
    text = tweets["time"].map(lambda time: isinstance(time, str))
    if text.any() and not text.all():
        first = tweets.index[text != text.iloc[0]][0]
        raise ValueError(
            f"{file.name}, feature {first}: time is {tweets.loc[first, 'time']!r}; some times are "
            "numbers and some are text"
        )
    return tweets, len(features), dict(aside)


def _tweet(feature: Any) -> tuple[tuple[Any, ...] | None, str]:
    """User, time, latitude and longitude of a feature; or None and what is missing."""
    if not isinstance(feature, dict):
        return None, "no fields"
    fields = feature | (feature.get("properties") or {})
    user, time = fields.get("user"), fields.get("timestamp", fields.get("created"))
    for name, value in (("user", user), ("time", time)):
        if _missing(value):
            return None, f"no {name}"
    point = fields.get("geomPoint.geom") or fields.get("geometry") or {}
    place = point.get("coordinates") if isinstance(point, dict) else None
    if not isinstance(place, list) or len(place) < 2 or point.get("type", "Point") != "Point":
        return None, "no point"
    if _missing(place[0]) or _missing(place[1]):
        return None, "no point"
    return (user, time, place[1], place[0]), ""


def _missing(value: Any) -> bool:
    return value is None or value == "" or value != value  # NaN differs from itself

"""Check-ins of location-based social networks: Gowalla and Foursquare.

A check-in is a user, a place and an instant. `load_gowalla` and `load_foursquare` make traces of
them; `read_gowalla` and `read_foursquare` give the table of check-ins, which `windowed` turns into
one place a user and time window, as the paper on reconstruction loss prepares them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from lib.datasets import files
from lib.reading import times
from lib.traces import Traces
from lib.validation import MAX_CELLS, RecordError, check_instance, check_integer

_GOWALLA = (
    "gowalla-nyc/loc-gowalla_totalCheckins_nyc.txt.gz",
    "loc-gowalla_totalCheckins_nyc.txt.gz",
    "loc-gowalla_totalCheckins.txt.gz",
    "loc-gowalla_totalCheckins.txt",
)
_FOURSQUARE = (
    "foursquare-us",
    "Foursquare_checkins.txt.gz",
    "dataset_TIST2015_Checkins.txt",
    "dataset_TSMC2014_NYC.txt",
    "dataset_TSMC2014_TKY.txt",
)
_COLUMNS = ["user", "time", "roi", "lat", "lon"]
_TSMC = ["user", "roi", "category id", "category", "lat", "lon", "offset", "time"]
_TIST, _CUT = ["user", "roi", "time", "offset"], ["user", "roi", "time"]
_LONG_DATE = "%a %b %d %H:%M:%S %z %Y"  # Tue Apr 03 18:00:09 +0000 2012
_CUT_DELAY = 8 * 3600  # seconds: the times of the cut are eight hours early


def load_gowalla(path: str | Path | None = None, **options: Any) -> Traces:
    """Gowalla check-ins, February 2009 to October 2010, or the cut of New York that is at hand.

    path     a file as SNAP distributes it: user, ISO 8601 time, latitude, longitude, place;
             tab-separated, no header, also compressed
    options  n_places  only the places with most check-ins, ties to the smallest id; by default all
             others as `Traces.from_records` takes them: start, end, epoch ("1h"), null, ...

    Users and places are numbers; a place with several coordinates gets their median. `.report`
    counts the rows. Raises ValueError naming the file and line that cannot be right, for a file
    that is cut short, or for more cells (places x epochs) than traces can hold; FileNotFoundError.
    """
    return _traces(read_gowalla(path), _gowalla_file(path), **options)


def load_foursquare(path: str | Path | None = None, **options: Any) -> Traces:
    """Foursquare check-ins, April 2012 to September 2013; everything else as `load_gowalla`.

    path  dataset_TSMC2014_*.txt; or dataset_TIST2015_Checkins.txt or Foursquare_checkins.txt (also
          .gz) with the file of places beside it (dataset_TIST2015_POIs.txt,
          Foursquare_poi_coos.txt); or a folder with one of them
    """
    return _traces(read_foursquare(path), _foursquare_file(path), **options)


def read_gowalla(path: str | Path | None = None) -> pd.DataFrame:
    """All check-ins as they stand in the file: columns user, time (UTC), roi, lat, lon."""
    file = _gowalla_file(path)
    frame = _table(file, ["user", "time", "lat", "lon", "roi"])
    frame["time"] = _times(file, frame["time"], "ISO8601")
    return _typed(file, frame, ["user", "roi"])


def read_foursquare(path: str | Path | None = None) -> pd.DataFrame:
    """All check-ins, of any of the three distributions: columns as `read_gowalla`."""
    file = _foursquare_file(path)
    n_columns = len(_table(file, None, 1).columns)
    layouts = {len(names): names for names in (_TSMC, _TIST, _CUT)}
    if n_columns not in layouts:
        raise ValueError(f"{file.name} has {n_columns} columns; 8 (TSMC2014), 4 (TIST2015) or 3")
    frame = _table(file, layouts[n_columns])
    if n_columns == 3:
        frame["time"] = _seconds(file, frame["time"])
    else:
        frame["time"] = _times(file, frame["time"], _LONG_DATE)
    if n_columns < 8:
        frame = frame.join(_places(file), on="roi")
        unknown = frame["lat"].isna() & frame["roi"].notna()
        if unknown.any():
            first = int(np.flatnonzero(unknown)[0])
            raise ValueError(
                f"{file.name}, line {first + 1}: place {frame['roi'][first]!r} is not in "
                "the file of places"
            )
    return _typed(file, frame, ["user", "roi"] if n_columns == 3 else ["user"])


# -- one place a window ----------------------------------------------------------------------------


class Windowed(NamedTuple):
    """Where each user was in each window: one place, or somewhere else.

    states  int (n_users, n_windows): position in `places`, or len(places) for somewhere else
    """

    users: pd.Index
    places: pd.Index
    starts: pd.DatetimeIndex
    states: np.ndarray

    @property
    def n_locations(self) -> int:
        """The places, and somewhere else."""
        return len(self.places) + 1


def windowed(
    records: pd.DataFrame, length: str = "20D", n_places: int = 100, min_active: int = 10
) -> Windowed:
    """The preparation of Koga et al., Sec. 4.1, with what it leaves open decided.

    records     check-ins: columns user, time (UTC), roi; rows with a missing value are refused
    length      of a window; the first begins at midnight before the first check-in, the last may be
                incomplete
    n_places    the places with most check-ins over the whole time, ties to the smallest id; all
                others, and no check-in, are "somewhere else"
    min_active  users with a check-in at these places in fewer windows are left out

    Of several places in a window the one with most check-ins counts, of equals the latest visited.
    Places are ordered by check-ins, the most visited first. Raises ValueError if nobody is left.
    """
    check_instance("records", records, pd.DataFrame, "columns user, time and roi")
    if not {"user", "time", "roi"} <= set(records.columns):
        raise ValueError(f"records have columns {', '.join(map(str, records))}; user, time and roi")
    check_integer("n_places", n_places, 1)
    check_integer("min_active", min_active)
    if records.empty or records[["user", "time", "roi"]].isna().any(axis=None):
        raise ValueError("records are empty or lack a user, time or roi: leave such rows out first")
    size = records["roi"].value_counts()
    order = pd.DataFrame({"n": size.to_numpy(), "id": size.index}).sort_values(
        ["n", "id"], ascending=[False, True]
    )
    places = pd.Index(order["id"].iloc[:n_places], name="roi")
    origin, step = records["time"].min().floor("D"), times.duration("length", length)
    n_windows = int((records["time"].max() - origin) // step) + 1
    place = places.get_indexer(pd.Index(records["roi"]))
    kept = records[["user", "time"]].assign(place=place)[place >= 0]
    kept["window"] = ((kept["time"] - origin) // step).astype(int)
    users, states = _one_place(kept, n_windows, len(places))
    active = (states < len(places)).sum(axis=1) >= min_active
    if not active.any():
        raise ValueError(
            f"min_active is {min_active}; nobody is at the {len(places)} places in so many of "
            f"{n_windows} windows"
        )
    starts = pd.date_range(origin, periods=n_windows, freq=step, name="window")
    return Windowed(users[active], places, starts, states[active])


def _one_place(kept: pd.DataFrame, n_windows: int, elsewhere: int) -> tuple[pd.Index, np.ndarray]:
    visits = kept.groupby(["user", "window", "place"], sort=True)["time"].agg(["size", "max"])
    ranked = visits.reset_index().sort_values(["user", "window", "size", "max"])
    chosen = ranked.drop_duplicates(["user", "window"], keep="last")
    users = pd.Index(np.sort(chosen["user"].unique()), name="user")
    states = np.full((len(users), n_windows), elsewhere)
    states[users.get_indexer(pd.Index(chosen["user"])), chosen["window"]] = chosen["place"]
    return users, states


def records_of(traces: Traces) -> pd.DataFrame:
    """Traces as a table of records: one row a visit, columns user, time and roi."""
    user = np.repeat(np.arange(traces.n_users), np.diff(traces.matrix.indptr))
    roi, epoch = np.divmod(traces.matrix.indices, traces.n_epochs)
    return pd.DataFrame(
        {"user": traces.users[user], "time": traces.epochs[epoch], "roi": traces.rois.index[roi]}
    )


# -- reading ---------------------------------------------------------------------------------------


def _gowalla_file(path: str | Path | None) -> Path:
    return files.find(path, *_GOWALLA)


def _foursquare_file(path: str | Path | None) -> Path:
    found = files.find(path, *_FOURSQUARE)
    if not found.is_dir():
        return found
    patterns = ("Foursquare_checkins.txt*", "dataset_TIST2015_Checkins.txt*", "dataset_TSMC2014_*")
    for pattern in patterns:
        for file in sorted(found.glob(pattern)):
            return file
    raise ValueError(f"{found.name} holds no file named {', '.join(patterns)}")


def _table(file: Path, names: list[str] | None, n_rows: int | None = None) -> pd.DataFrame:
    try:
        return pd.read_csv(
            file,
            sep="\t",
            header=None,
            names=names,
            dtype=str,
            quoting=3,
            encoding="latin-1",
            nrows=n_rows,
            index_col=False,
            skip_blank_lines=False,
            na_values=[""],
            keep_default_na=False,
        )
    except files.DAMAGED as error:
        raise ValueError(f"{file.name} cannot be read as a table: {error}") from error


def _places(file: Path) -> pd.DataFrame:
    """Coordinates of the places, from the file beside: index place, columns lat, lon."""
    for pattern in ("Foursquare_poi_coos.txt*", "dataset_TIST2015_POIs.txt*"):
        for beside in sorted(file.parent.glob(pattern)):
            table = _table(beside, None).iloc[:, :3].set_axis(["roi", "lat", "lon"], axis=1)
            if table["roi"].duplicated().any():
                twice = table["roi"][table["roi"].duplicated()].iloc[0]
                raise ValueError(f"{beside.name}: place {twice!r} appears more than once")
            return table.set_index("roi")
    raise FileNotFoundError(
        f"{file.name} names places only: Foursquare_poi_coos.txt or dataset_TIST2015_POIs.txt "
        "must lie beside it"
    )


def _times(file: Path, text: pd.Series, form: str) -> pd.Series:
    return _known(file, text, pd.to_datetime(text, format=form, utc=True, errors="coerce"))


def _seconds(file: Path, text: pd.Series) -> pd.Series:
    seconds = pd.to_numeric(text, errors="coerce") + _CUT_DELAY
    seconds = seconds.where(seconds.between(0, 2**33))
    return _known(file, text, pd.to_datetime(seconds, unit="s", utc=True))


def _known(file: Path, text: pd.Series, stamps: pd.Series) -> pd.Series:
    wrong = (stamps.isna() & text.notna()).to_numpy()
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"{file.name}, line {first + 1}: time is {text.iloc[first]!r}")
    return stamps


def _typed(file: Path, frame: pd.DataFrame, whole: list[str]) -> pd.DataFrame:
    """Ids and coordinates as numbers; a row with a missing value keeps it, for the report."""
    frame = frame[_COLUMNS].copy()
    for column in [*whole, "lat", "lon"]:
        numbers = pd.to_numeric(frame[column], errors="coerce")
        limit = {"lat": 90.0, "lon": 180.0}.get(column, np.inf)
        fits = numbers.abs() <= limit
        if column in whole:  # one spelling an id: 01 and 1e3 would be other people
            fits = frame[column].str.fullmatch("0|-?[1-9][0-9]{0,17}", na=True)
        wrong = (frame[column].notna() & ~fits).to_numpy()
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"{file.name}, line {first + 1}: {column} is {frame[column].iloc[first]!r}, "
                "which cannot be right"
            )
        frame[column] = numbers
        if column in whole and not numbers.isna().any():
            frame[column] = numbers.astype(np.int64)
        elif column in whole and (numbers.abs() >= 2**53).any():
            raise ValueError(
                f"{file.name}: {column}s of 2^53 and more, and rows without: leave those out first"
            )
    return frame


def _traces(frame: pd.DataFrame, file: Path, n_places: int | None = None, **options: Any) -> Traces:
    if n_places is not None:
        check_integer("n_places", n_places, 1)
        size = frame["roi"].value_counts().sort_index(kind="stable")
        chosen = size.sort_values(ascending=False, kind="stable").index[:n_places]
        places = frame[frame["roi"].isin(chosen)].groupby("roi")[["lat", "lon"]].median()
        options.setdefault("rois", places)
    epoch = times.duration("epoch", options.get("epoch", "1h"))
    n_rois = len(options["rois"]) if "rois" in options else frame["roi"].nunique()
    n_epochs = (frame["time"].max() - frame["time"].min()) / epoch
    if n_rois * (n_epochs + 2) >= MAX_CELLS and not {"start", "end"} <= set(options):
        raise ValueError(
            f"{file.name}: {n_rois} places x {n_epochs:.0f} epochs are too many cells; choose "
            "n_places=, a longer epoch= or a window with start= and end="
        )
    try:
        traces = Traces.from_records(frame, roi="roi", lat="lat", lon="lon", **options)
    except RecordError as error:
        raise ValueError(f"{file.name}, line {error.row + 1}: {error.problem}") from error
    assert traces.report is not None
    traces.report = replace(traces.report, checksum=files.checksum([file]))
    return traces

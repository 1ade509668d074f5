"""Check-ins of location-based social networks: Gowalla and Foursquare.

A check-in is a user, a place and an instant. `load_gowalla` and `load_foursquare` return traces;
`read_gowalla` and `read_foursquare` return the table of check-ins, which `to_trajectories` reduces
to one place for each user and time window, as in the paper on reconstruction loss.
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
    "Gowalla_totalCheckins.txt",
    "Gowalla_checkins.txt",
    "Gowalla_checkins.txt.gz",
)
_PLACES = {
    "gowalla": ("Gowalla_poi_coos.txt*",),
    "foursquare": ("Foursquare_poi_coos.txt*", "dataset_TIST2015_POIs.txt*"),
}
_OPTIONS = ("n_places", "grid", "rois", "epoch", "start", "end", "null")
_FOURSQUARE = (
    "foursquare-us",
    "Foursquare_checkins.txt.gz",
    "Foursquare_checkins.txt",
    "dataset_TIST2015_Checkins.txt",
    "dataset_TIST2015_Checkins.txt.gz",
    "dataset_TSMC2014_NYC.txt",
    "dataset_TSMC2014_TKY.txt",
)
_COLUMNS = ["user", "time", "roi", "lat", "lon"]
_TSMC = ["user", "roi", "category id", "category", "lat", "lon", "offset", "time"]
_TIST, _SUBSET = ["user", "roi", "time", "offset"], ["user", "roi", "time"]
_LONG_DATE = "%a %b %d %H:%M:%S %z %Y"  # Tue Apr 03 18:00:09 +0000 2012
_SUBSET_DELAY = 8 * 3600  # seconds: the times of the 5,000-user subset are eight hours early


def load_gowalla(path: str | Path | None = None, **options: Any) -> Traces:
    """Load Gowalla check-ins, February 2009 to October 2010, or their subset in New York.

    Users and places are numbers; a place with several coordinates gets their median. `.report`
    counts the rows.

    Parameters
    ----------
    path : str or Path, optional
        A file as SNAP distributes it: user, ISO 8601 time, latitude, longitude, place;
        tab-separated, no header, possibly compressed. Or three columns: user, place, seconds since
        1970; their coordinates are read from Gowalla_poi_coos.txt if it lies beside the file.
    **options
        `n_places`: only the places with most check-ins, ties to the smallest id (by default all).
        `grid`: zones are the cells of a Grid, or of (rows, columns) around all check-ins, instead
        of places. Others as in `Traces.from_records`: rois, start, end, epoch ("1h"), null.

    Returns
    -------
    Traces
        Traces of the users who checked in.

    Raises
    ------
    ValueError
        If a line cannot be right (the message names file and line), the file is cut short, or
        there are more cells (places x epochs) than traces can hold.
    FileNotFoundError
        If there is no file.
    """
    _check_options("gowalla", options)
    return _traces(read_gowalla(path), _gowalla_file(path), **options)


def load_foursquare(path: str | Path | None = None, **options: Any) -> Traces:
    """Load Foursquare check-ins, April 2012 to September 2013.

    Parameters
    ----------
    path : str or Path, optional
        dataset_TSMC2014_*.txt; or dataset_TIST2015_Checkins.txt or Foursquare_checkins.txt (also
        .gz) with the file of places beside it (dataset_TIST2015_POIs.txt,
        Foursquare_poi_coos.txt); or a folder with one of them.
    **options
        As in `load_gowalla`.

    Returns
    -------
    Traces
        Traces of the users who checked in.
    """
    _check_options("foursquare", options)
    return _traces(read_foursquare(path), _foursquare_file(path), **options)


def _check_options(name: str, options: dict[str, Any]) -> None:
    for option in options:
        if option not in _OPTIONS:
            raise ValueError(
                f"{name}: there is no option {option!r}; its options are: path, "
                f"{', '.join(_OPTIONS)}"
            )
    if options.get("grid") is not None and {"n_places", "rois"} & set(options):
        raise ValueError(f"{name}: a grid and n_places or rois were given: give one of them")


def read_gowalla(path: str | Path | None = None) -> pd.DataFrame:
    """Read all Gowalla check-ins as they are in the file.

    Parameters
    ----------
    path : str or Path, optional
        As in `load_gowalla`.

    Returns
    -------
    DataFrame
        One row for each check-in: columns user, time (UTC), roi, lat, lon.
    """
    file = _gowalla_file(path)
    if len(_table(file, None, 1).columns) == 3:
        frame = _table(file, ["user", "roi", "time"])
        frame["time"] = _seconds(file, frame["time"], 0)
        return _typed(file, _located(file, frame, "gowalla"), ["user", "roi"])
    frame = _table(file, ["user", "time", "lat", "lon", "roi"])
    frame["time"] = _times(file, frame["time"], "ISO8601")
    return _typed(file, frame, ["user", "roi"])


def read_foursquare(path: str | Path | None = None) -> pd.DataFrame:
    """Read all Foursquare check-ins, of any of the three distributions.

    Parameters
    ----------
    path : str or Path, optional
        As in `load_foursquare`.

    Returns
    -------
    DataFrame
        One row for each check-in: columns user, time (UTC), roi, lat, lon.
    """
    file = _foursquare_file(path)
    n_columns = len(_table(file, None, 1).columns)
    layouts = {len(names): names for names in (_TSMC, _TIST, _SUBSET)}
    if n_columns not in layouts:
        raise ValueError(
            f"{file.name} has {n_columns} columns; 8 (TSMC2014), 4 (TIST2015) or 3 (its subset) "
            "were expected"
        )
    frame = _table(file, layouts[n_columns])
    if n_columns == 3:
        frame["time"] = _seconds(file, frame["time"], _SUBSET_DELAY)
    else:
        frame["time"] = _times(file, frame["time"], _LONG_DATE)
    if n_columns < 8:
        frame = _located(file, frame, "foursquare")
    return _typed(file, frame, ["user", "roi"] if n_columns == 3 else ["user"])


# -- trajectories ---------------------------------------------------------------------------------


class Trajectories(NamedTuple):
    """One place for each user and time window, or "somewhere else".

    Attributes
    ----------
    users : Index
        The n_users ids.
    places : Index
        Ids of the places, the most visited first.
    starts : DatetimeIndex
        Starts of the n_windows windows, UTC.
    states : ndarray of int, shape (n_users, n_windows)
        Position in `places`, or len(places) for somewhere else.
    """

    users: pd.Index
    places: pd.Index
    starts: pd.DatetimeIndex
    states: np.ndarray

    @property
    def n_locations(self) -> int:
        """Number of places, plus one for somewhere else."""
        return len(self.places) + 1


def to_trajectories(
    records: pd.DataFrame, length: str = "20D", n_places: int = 100, min_active: int = 10
) -> Trajectories:
    """Reduce check-ins to one place for each user and time window.

    Of several places in a window the one with most check-ins counts, and among equals the one
    visited last. Places are ordered by check-ins, the most visited first.

    Parameters
    ----------
    records : DataFrame
        Check-ins: columns user, time (UTC), roi. Rows with a missing value are refused.
    length : str
        Length of a window; the first begins at midnight before the first check-in, the last may be
        incomplete.
    n_places : int
        Number of places with most check-ins over the whole time, ties to the smallest id; all
        others, and no check-in, are "somewhere else".
    min_active : int
        Users with a check-in at these places in fewer windows are left out.

    Returns
    -------
    Trajectories
        The remaining users' states.

    Raises
    ------
    ValueError
        If records are invalid or no user remains.

    References
    ----------
    Koga et al., Sec. 4.1, with decisions of ours where it leaves some open.
    """
    check_instance("records", records, pd.DataFrame, "columns user, time and roi")
    if not {"user", "time", "roi"} <= set(records.columns):
        raise ValueError(
            f"records have columns {', '.join(map(str, records))}; user, time and roi were expected"
        )
    check_integer("n_places", n_places, 1)
    check_integer("min_active", min_active)
    if records.empty or records[["user", "time", "roi"]].isna().any(axis=None):
        raise ValueError("records are empty or lack a user, time or roi: leave such rows out first")
    size = records["roi"].value_counts()
    order = pd.DataFrame({"n": size.to_numpy(), "id": size.index}).sort_values(
        ["n", "id"], ascending=[False, True]
    )
    places = pd.Index(order["id"].iloc[:n_places], name="roi")
    origin, step = records["time"].min().floor("D"), times.parse_duration("length", length)
    n_windows = int((records["time"].max() - origin) // step) + 1
    place = places.get_indexer(pd.Index(records["roi"]))
    located = records[["user", "time"]].assign(place=place)[place >= 0]
    located["window"] = ((located["time"] - origin) // step).astype(int)
    users, states = _states(located, n_windows, len(places))
    active = (states < len(places)).sum(axis=1) >= min_active
    if not active.any():
        raise ValueError(
            f"min_active is {min_active}; no user is at the {len(places)} places in that many of "
            f"{n_windows} windows"
        )
    starts = pd.date_range(origin, periods=n_windows, freq=step, name="window")
    return Trajectories(users[active], places, starts, states[active])


def _states(located: pd.DataFrame, n_windows: int, elsewhere: int) -> tuple[pd.Index, np.ndarray]:
    visits = located.groupby(["user", "window", "place"], sort=True)["time"].agg(["size", "max"])
    ranked = visits.reset_index().sort_values(["user", "window", "size", "max"])
    chosen = ranked.drop_duplicates(["user", "window"], keep="last")
    users = pd.Index(np.sort(chosen["user"].unique()), name="user")
    states = np.full((len(users), n_windows), elsewhere)
    states[users.get_indexer(pd.Index(chosen["user"])), chosen["window"]] = chosen["place"]
    return users, states


def to_records(traces: Traces) -> pd.DataFrame:
    """Convert traces to a table of records, one row a visit.

    Parameters
    ----------
    traces : Traces
        Traces.

    Returns
    -------
    DataFrame
        Columns user, time and roi.
    """
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
    raise ValueError(
        f"{found.name} holds no file named {', '.join(patterns)}; give the folder with the files "
        "as they were published"
    )


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
    except files.READ_ERRORS as error:
        raise ValueError(f"{file.name} cannot be read as a table: {error}") from error


def _located(file: Path, frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Check-ins with the coordinates of their places, from the file beside."""
    places = _places(file, name)
    if places is None:
        return frame.assign(lat=np.nan, lon=np.nan)
    frame = frame.join(places, on="roi")
    unknown = frame["lat"].isna() & frame["roi"].notna()
    if unknown.any():
        first = int(np.flatnonzero(unknown)[0])
        raise ValueError(
            f"{file.name}, line {first + 1}: place {frame['roi'][first]!r} is not in "
            "the file of places; give both files of the same version"
        )
    return frame


def _places(file: Path, name: str) -> pd.DataFrame | None:
    """Coordinates of the places, from the file beside: index place, columns lat, lon."""
    for pattern in _PLACES[name]:
        for beside in sorted(file.parent.glob(pattern)):
            table = _table(beside, None).iloc[:, :3].set_axis(["roi", "lat", "lon"], axis=1)
            if table["roi"].duplicated().any():
                twice = table["roi"][table["roi"].duplicated()].iloc[0]
                raise ValueError(
                    f"{beside.name}: place {twice!r} appears more than once; list each place once"
                )
            return table.set_index("roi")
    if name == "gowalla":
        return None
    raise FileNotFoundError(
        f"{file.name} names places only: Foursquare_poi_coos.txt or dataset_TIST2015_POIs.txt "
        "must lie beside it"
    )


def _times(file: Path, text: pd.Series, form: str) -> pd.Series:
    return _checked_times(file, text, pd.to_datetime(text, format=form, utc=True, errors="coerce"))


def _seconds(file: Path, text: pd.Series, delay: int) -> pd.Series:
    seconds = pd.to_numeric(text, errors="coerce") + delay
    seconds = seconds.where(seconds.between(0, 2**33))
    return _checked_times(file, text, pd.to_datetime(seconds, unit="s", utc=True))


def _checked_times(file: Path, text: pd.Series, stamps: pd.Series) -> pd.Series:
    wrong = (stamps.isna() & text.notna()).to_numpy()
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"{file.name}, line {first + 1}: time is {text.iloc[first]!r}, which is not a time in "
            "the dataset's format; give the file as it was published"
        )
    return stamps


def _typed(file: Path, frame: pd.DataFrame, integers: list[str]) -> pd.DataFrame:
    """Ids and coordinates as numbers; a row with a missing value keeps it, for the report."""
    frame = frame[_COLUMNS].copy()
    for column in [*integers, "lat", "lon"]:
        numbers = pd.to_numeric(frame[column], errors="coerce")
        limit = {"lat": 90.0, "lon": 180.0}.get(column, np.inf)
        fits = numbers.abs() <= limit
        if column in integers:  # one spelling for each id: 01 and 1e3 would be other users
            fits = frame[column].str.fullmatch("0|-?[1-9][0-9]{0,17}", na=True)
        wrong = (frame[column].notna() & ~fits).to_numpy()
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"{file.name}, line {first + 1}: {column} is {frame[column].iloc[first]!r}, "
                "which cannot be right; correct the line, or leave it out"
            )
        frame[column] = numbers
        if column in integers and not numbers.isna().any():
            frame[column] = numbers.astype(np.int64)
        elif column in integers and (numbers.abs() >= 2**53).any():
            raise ValueError(
                f"{file.name}: {column}s of 2^53 and more, and rows without: leave those out first"
            )
    return frame


def _traces(
    frame: pd.DataFrame, file: Path, n_places: int | None = None, grid: Any = None, **options: Any
) -> Traces:
    located = bool(frame["lat"].notna().any())
    if grid is not None and not located:
        raise ValueError(
            f"{file.name}: a grid needs coordinates of the places: put Gowalla_poi_coos.txt "
            "(place, latitude, longitude) beside it"
        )
    if n_places is not None:
        check_integer("n_places", n_places, 1)
        size = frame["roi"].value_counts().sort_index(kind="stable")
        chosen = size.sort_values(ascending=False, kind="stable").index[:n_places]
        places = frame[frame["roi"].isin(chosen)].groupby("roi")[["lat", "lon"]].median()
        options.setdefault("rois", places)
    epoch = times.parse_duration("epoch", options.get("epoch", "1h"))
    n_rois = len(options["rois"]) if "rois" in options else frame["roi"].nunique()
    n_epochs = (frame["time"].max() - frame["time"].min()) / epoch
    if (
        grid is None
        and n_rois * (n_epochs + 2) >= MAX_CELLS
        and not {"start", "end"} <= set(options)
    ):
        raise ValueError(
            f"{file.name}: {n_rois} places x {n_epochs:.0f} epochs are too many cells; choose "
            "n_places=, grid=, a longer epoch= or a window with start= and end="
        )
    try:
        where: dict[str, Any] = {"lat": "lat", "lon": "lon"} if located else {}
        where |= {"roi": "roi"} if grid is None else {"grid": grid}
        traces = Traces.from_records(frame, **where, **options)
    except RecordError as error:
        raise ValueError(f"{file.name}, line {error.row + 1}: {error.problem}") from error
    assert traces.report is not None
    traces.report = replace(traces.report, checksum=files.checksum([file]))
    return traces

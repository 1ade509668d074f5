"""YJMob100K: phones of 100,000 people in a city of Japan, 75 days (Yabe et al., Sci. Data 2024).

The published table has the columns uid, d, t, x and y: a person, a day from 0, a half hour from 0,
and a cell of 500 m, counted from 1 in both directions. City and dates are not published.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from lib.datasets import files
from lib.reading.rows import Columns
from lib.traces import Grid, Traces

_NAMES = (
    "yjmob100k/yjmob100k-dataset1.csv.gz",
    "yjmob100k-dataset1.csv.gz",
    "yjmob100k-dataset1.csv",
)
_COLUMNS = {"uid": (0, 2**53), "d": (0, 74), "t": (0, 47), "x": (1, 200), "y": (1, 200)}
_HIDDEN = 999  # x and y of the days that a competition asked for
_STEP = 0.0045  # degrees of 500 m at the equator
_SIDE = 200 * _STEP
_FIRST_DAY = pd.Timestamp("2000-01-03", tz="UTC")  # a date for day 0, whose own is not published
_ROWS = 1 << 21  # of a chunk

# All of the city in 20 x 20 cells of 5 km: 200 x 200 cells would mostly be empty in every hour.
CITY = Grid(0.0, _SIDE, 0.0, _SIDE, 20, 20)


def load_yjmob100k(
    path: str | Path | None = None, grid: Grid = CITY, epoch: str = "1h", null: bool = False
) -> Traces:
    """Load the people of YJMob100K.

    Cells are placed on a plane near the equator, with a corner at latitude 0 and longitude 0, so
    that distances are right and nothing else is. Day 0 is dated Monday 3 January 2000; which day of
    the week it was is not published. `.report` counts the rows.

    Parameters
    ----------
    path : str or Path, optional
        yjmob100k-dataset1.csv.gz, or its folder; also dataset 2, and files of the same columns.
    grid : Grid
        Zones on the plane, on which a published cell is 0.0045 degrees wide; by default 20 x 20
        zones of 5 km.
    epoch : str
        Length of an epoch; the data have half hours.
    null : bool
        Whether to add a ROI "null" that a user visits in every epoch without a visit.

    Returns
    -------
    Traces
        The traces of everybody who is seen in the grid. Rows with x and y of 999, which hide places
        that a competition asked for, are set aside as outside the grid.

    Raises
    ------
    ValueError
        If a line cannot be right; the message names file and line.
    FileNotFoundError
        If there is no file.
    """
    file = files.find(path, *_NAMES)
    if file.is_dir():
        raise FileNotFoundError(f"{str(file)!r} is a folder without {_NAMES[1]}")
    columns = Columns(
        user="uid",
        time="time",
        lat="lat",
        lon="lon",
        grid=grid,
        epoch=epoch,
        start=_FIRST_DAY,
        end=_FIRST_DAY + pd.Timedelta("75D"),
    )
    traces = Traces.from_tables(lambda: _chunks(file), columns, null)
    assert traces.report is not None
    traces.report = replace(traces.report, checksum=files.checksum([file]))
    return traces


def _chunks(file: Path) -> Iterator[pd.DataFrame]:
    """Read the table in chunks, with a time stamp and a point on the plane for each row."""
    first = 2  # line of the first row
    try:
        with pd.read_csv(file, usecols=list(_COLUMNS), chunksize=_ROWS) as chunks:
            for chunk in chunks:
                _check(file, chunk, first)
                first += len(chunk)
                minute = 30 * (48 * chunk["d"] + chunk["t"])
                yield pd.DataFrame(
                    {
                        "uid": chunk["uid"].astype(np.int64),
                        "time": _FIRST_DAY + pd.to_timedelta(minute, unit="min"),
                        "lat": (chunk["y"] - 0.5) * _STEP,
                        "lon": (chunk["x"] - 0.5) * _STEP,
                    }
                )
    except files.READ_ERRORS as error:
        if file.name in str(error):
            raise
        raise ValueError(f"{file.name} cannot be read as YJMob100K's table: {error}") from error


def _check(file: Path, chunk: pd.DataFrame, first: int) -> None:
    """Check that values are whole numbers in their ranges; the chunk begins at line `first`."""
    for column, (low, high) in _COLUMNS.items():
        values = pd.to_numeric(chunk[column], errors="coerce").to_numpy()
        right = (values >= low) & (values <= high) & (values % 1 == 0)
        if column in "xy":
            right |= values == _HIDDEN
        if not right.all():
            at = int(np.flatnonzero(~right)[0])
            raise ValueError(
                f"{file.name}, line {first + at}: {column} is {chunk[column].iloc[at]!r}; "
                f"a whole number from {low} to {high} was expected"
            )

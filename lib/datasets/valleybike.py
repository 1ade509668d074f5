"""ValleyBike: riders of a bike share in the Connecticut River Valley, Massachusetts.

The riders are people, and each keeps one pseudonym over all months. The reduced table has the first
position of a rider in every five minutes of a ride, June 2020 to February 2021; the R package
`valleybikeData` (Amherst-Statistics, MIT licence) has all positions, one .rda file a month.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from lib.datasets import files, records
from lib.datasets.tables import check_installed
from lib.traces import Grid, Traces

# Springfield to Amherst and Northampton in cells of about 2.2 x 2.1 km. The box and the cells are
# our choice: no paper has used these data.
VALLEY = Grid(42.05, 42.45, -72.75, -72.45, 20, 12)
_NAMES = ("valleybike/valleybike.csv.gz", "valleybike.csv.gz", "valleybike.csv")
_COLUMNS = ["user", "time", "lat", "lon"]
_IN_R = ["user_id", "time", "latitude", "longitude"]


def load_valleybike(
    path: str | Path | None = None,
    grid: Grid | tuple[int, int] = VALLEY,
    start: str = "2020-11-30",
    end: str = "2020-12-28",
    **options: Any,
) -> Traces:
    """Load riders of ValleyBike's shared bikes: people, who are seen only while they ride.

    Parameters
    ----------
    path : str or Path, optional
        The reduced table (valleybike.csv.gz: user, time, lat, lon), a monthly file of the R package
        valleybikeData (december2020.rda), or a folder of such files. Reading .rda files requires
        rdata. They hold a position every five seconds, so that riders visit more cells.
    grid : Grid or (int, int)
        Zones; positions outside are set aside. By default 20 x 12 cells of about 2 km.
    start, end : str
        The window, half-open, UTC dates; by default four weeks from Monday 30 November 2020, the
        first complete month of the reduced table. Its other months are June and October 2020, of
        which it has ten and six days, January and February 2021.
    **options
        epoch and null, as in `lib.datasets.records.load_records`. The times are UTC.

    Returns
    -------
    Traces
        The traces of the riders in the window.

    Raises
    ------
    ValueError
        If a file cannot be right; the message names it, and the line where there is one.
    FileNotFoundError
        If there are no data.
    """
    found = files.find(path, *_NAMES)
    months = _months(found)
    options |= {"start": start, "end": end}
    if not months:
        return records.load_records(found, {name: name for name in _COLUMNS}, grid, **options)
    frame = pd.concat([_read_month(file) for file in months], ignore_index=True)
    traces = Traces.from_records(frame, lat="lat", lon="lon", grid=grid, **options)
    assert traces.report is not None
    traces.report = replace(traces.report, checksum=files.checksum(months))
    return traces


def _months(found: Path) -> list[Path]:
    """List the .rda files of months; none if the path is a table."""
    if found.is_dir():
        months = [file for file in sorted(found.glob("*.rda")) if file.stem[-4:].isdigit()]
        if not months:
            raise FileNotFoundError(
                f"{str(found)!r} holds neither {_NAMES[-2]} nor a monthly file such as "
                "december2020.rda"
            )
        return months
    return [found] if found.suffix.lower() == ".rda" else []


def _read_month(file: Path) -> pd.DataFrame:
    """Read the table of one month, as the R package stores it."""
    check_installed("rdata", file, "R's data files are read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes of R that have no counterpart
            content = import_module("rdata").read_rda(file)
    except (*files.READ_ERRORS, NotImplementedError) as error:
        raise ValueError(f"{file.name} cannot be read as R's data: {error}") from error
    for table in content.values():
        if isinstance(table, pd.DataFrame) and set(_IN_R) <= set(table.columns):
            return table[_IN_R].set_axis(_COLUMNS, axis=1)
    raise ValueError(f"{file.name} holds no table with columns {', '.join(_IN_R)}")

"""Two public collections of Beijing: GeoLife's volunteers and T-Drive's taxis.

Each person, or taxi, has files of its own. Neither collection is redistributed here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lib.datasets import files, records
from lib.traces import Grid, Traces

# Central Beijing, within about the fourth ring road: 18 x 17 km. Our choice; no paper prints one.
BEIJING = Grid(39.83, 39.99, 116.28, 116.48, 10, 10)


def load_geolife(
    path: str | Path | None = None, grid: Grid | tuple[int, int] = BEIJING, **options: Any
) -> Traces:
    """Load the volunteers of GeoLife, April 2007 to August 2012.

    Parameters
    ----------
    path : str or Path, optional
        The folder "Data" of GeoLife 1.3, or one that holds it: the user is the name of the folder
        in which there is a folder Trajectory of .plt files.
    grid : Grid or (int, int)
        Zones; points outside are set aside. By default 10 x 10 cells in the centre of Beijing.
    **options
        start, end, epoch, timezone, null, as in `lib.datasets.records.load_records`. The times
        are GMT.

    Returns
    -------
    Traces
        The traces.

    Raises
    ------
    ValueError
        If a file cannot be right; the message names it.
    FileNotFoundError
        If there are no data.
    """
    folder = files.find(path, "Geolife Trajectories 1.3", "geolife", "Data")
    while folder.is_dir() and (folder / "Data").is_dir():
        folder = folder / "Data"
    return records.load_records(folder, grid=grid, **options)


def load_t_drive(
    path: str | Path | None = None, grid: Grid | tuple[int, int] = BEIJING, **options: Any
) -> Traces:
    """Load the taxis of T-Drive, 2 to 8 February 2008.

    Parameters
    ----------
    path : str or Path, optional
        The folder of text files, one a taxi: taxi, local time, longitude, latitude.
    grid : Grid or (int, int)
        Zones; points outside are set aside. By default 10 x 10 cells in the centre of Beijing.
    **options
        start, end, epoch, timezone ("Asia/Shanghai"), null, as in
        `lib.datasets.records.load_records`.

    Returns
    -------
    Traces
        The traces.

    Raises
    ------
    ValueError
        If a file cannot be right; the message names it and the line.
    FileNotFoundError
        If there are no data.
    """
    folder = files.find(path, "taxi_log_2008_by_id", "t-drive")
    options = {"timezone": "Asia/Shanghai"} | options
    columns = ["user", "time", "lon", "lat"]
    return records.load_records(folder, columns, grid, **options)

"""Cabspotting: the San Francisco taxis of KK and of the aggregation-privacy paper ("SFC").

The distribution is a folder, or an archive of it, with one text file a cab: `new_<cab>.txt`,
one fix a line (latitude, longitude, occupied 0 or 1, unix time), times ascending or descending.
"""

from __future__ import annotations

import io
import lzma
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from lib.datasets import files
from lib.reading import times
from lib.traces import Grid, Report, Traces
from lib.validation import MAX_CELLS, check_instance, check_real

SFC_GRID = Grid(37.72584, 37.79899, -122.43698, -122.36879, 10, 10)
_CAB_FILE = re.compile(r"new_(\w+)\.txt$")
_FIELDS = ("latitude", "longitude", "occupied", "time")
_ERAS = (1_000_000_000, 2_000_000_000)  # unix seconds, 2001 to 2033: a truncated time falls outside
_EARTH_RADIUS = 6_371_009.0  # metres


def load_cabspotting(
    path: str | Path | None = None,
    start: str = "2008-05-19",
    end: str = "2008-06-09",
    grid: Grid = SFC_GRID,
    epoch: str = "1h",
    null: bool = False,
    occupied: bool | None = None,
    max_speed: float | None = None,
    interpolate: float | None = None,
) -> Traces:
    """Load the taxis of San Francisco, May and June 2008, on the papers' 10 x 10 grid.

    Positions are kept to 1e-6 degrees (0.1 m). The parsed fixes are cached in one file named by the
    data's checksum.

    Parameters
    ----------
    path : str or Path, optional
        The folder or the archive (.tar, .tar.xz, .tar.gz, ...).
    start, end : str
        The window, half-open, UTC unless they carry an offset; by default the papers' three weeks
        from Monday 19 May. Users are the cabs with a fix in it: 534.
    grid : Grid
        Fixes outside it are set aside. The papers do not print theirs: the default meets most of
        their statistics.
    epoch : str
        Length of an epoch.
    null : bool
        Whether to add the ROI "null" for each epoch in which a cab is in no cell (KK counts it).
    occupied : bool, optional
        Keep only fixes with (True) or without (False) a passenger.
    max_speed : float, optional
        Metres per second; sets aside fixes that imply a higher speed along the straight line from
        the cab's previous fix (GPS glitches). The papers do not filter.
    interpolate : float, optional
        Seconds; between two fixes of a cab at most that far apart, add a point each minute on the
        straight line. The papers do not mention interpolation.

    Returns
    -------
    Traces
        Traces of the cabs with a fix in the window.

    Raises
    ------
    ValueError
        If a line cannot be right (the message names file and line), or an archive is damaged.
    FileNotFoundError
        If there are no data.
    """
    _check_options(grid, occupied, max_speed, interpolate)
    source = files.find(path, "cabspottingdata.tar.xz", "cabspottingdata")
    cabs, fixes, digest = _fixes(source)
    epochs = _window(start, end, epoch)
    n_read, n_added = len(fixes["time"]), 0
    fixes, set_aside = _filtered(fixes, occupied, max_speed)
    if interpolate is not None:
        fixes, n_added = _interpolated(fixes, interpolate)

    seconds = times.parse_duration("epoch", epoch).total_seconds()
    hour = ((fixes["time"] - epochs[0].timestamp()) // seconds).astype(np.int64)
    inside = (hour >= 0) & (hour < len(epochs))
    if not inside.any():
        raise ValueError(
            f"no fix of {source.name} is in the window from {start} to {end}; give another start= "
            "and end= (the fixes are from 17 May to 10 June 2008)"
        )
    present = np.unique(fixes["cab"][inside])
    roi = grid.locate(fixes["lat"] / 1e6, fixes["lon"] / 1e6)
    kept = inside & (roi >= 0)
    set_aside["outside the window"] = int((~inside).sum())
    set_aside["outside the grid"] = int((inside & (roi < 0)).sum())
    user = np.searchsorted(present, fixes["cab"][kept])
    traces = Traces.from_codes(user, roi[kept], hour[kept], cabs[present], grid.rois(), epochs)

    notes = [f"{len(cabs)} cab files, {len(cabs) - len(present)} without a fix in the window"]
    if interpolate is not None:
        notes.insert(0, f"of the rows, {n_added} are interpolated points")
    rows = n_read + n_added, len(user), len(user) - traces.matrix.nnz
    traces.report = _report(rows, set_aside, notes, digest)
    return traces.with_null() if null else traces


def _report(
    rows: tuple[int, int, int], set_aside: dict[str, int], notes: list[str], digest: str
) -> Report:
    """Report on the rows that were read, those kept, and repeats among these."""
    read, kept, duplicates = rows
    return Report(
        read=read,
        kept=kept,
        set_aside={why: n for why, n in set_aside.items() if n},
        duplicates=duplicates,
        notes=tuple(notes),
        checksum=digest,
    )


def _check_options(grid: Any, occupied: Any, max_speed: Any, interpolate: Any) -> None:
    for option, value in (("max_speed", max_speed), ("interpolate", interpolate)):
        if value is not None and not 0 < check_real(option, value) < np.inf:
            raise ValueError(f"{option} is {value}; a finite number above 0 was expected")
    check_instance("grid", grid, Grid)
    if occupied not in (None, True, False):
        raise ValueError(f"occupied is {occupied!r}; None, True or False was expected")


def _window(start: str, end: str, epoch: str) -> pd.DatetimeIndex:
    first = times.parse_instant("start", start, "UTC").tz_convert("UTC")
    last = times.parse_instant("end", end, "UTC").tz_convert("UTC")
    if (last - first) / times.parse_duration("epoch", epoch) >= MAX_CELLS:
        raise ValueError(f"epoch is {epoch}: too many from {start} to {end}; choose a longer one")
    epochs = pd.date_range(first, last, freq=epoch, inclusive="left", name="epoch")
    if not len(epochs):
        raise ValueError(
            f"the window is empty: start {start} is not before end {end}; give other start= and "
            "end="
        )
    return epochs


def _filtered(
    fixes: dict[str, np.ndarray], occupied: bool | None, max_speed: float | None
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """The fixes that pass both filters, and the number that did not pass each."""
    set_aside: dict[str, int] = {}
    keep = np.ones(len(fixes["time"]), bool)
    if occupied is not None:
        keep &= fixes["occupied"] == occupied
        set_aside["with a passenger" if not occupied else "without a passenger"] = int(
            (~keep).sum()
        )
    if max_speed is not None:
        fast = keep & (_speed(fixes) > max_speed)
        set_aside[f"faster than {max_speed:g} m/s"] = int(fast.sum())
        keep &= ~fast
    if keep.all():
        return fixes, set_aside
    return {name: values[keep] for name, values in fixes.items()}, set_aside


def _interpolated(
    fixes: dict[str, np.ndarray], longest: float
) -> tuple[dict[str, np.ndarray], int]:
    """The fixes, then a point a minute in gaps of at most `longest` seconds; their number."""
    gap = np.diff(fixes["time"])
    same_cab = np.diff(fixes["cab"]) == 0
    n_points = np.where(same_cab & (gap <= longest), (gap - 1) // 60, 0)
    before = np.repeat(np.arange(len(gap)), n_points)
    minute = np.arange(len(before)) - np.repeat(np.cumsum(n_points) - n_points, n_points) + 1
    share = 60 * minute / gap[before]
    added = {"cab": fixes["cab"][before], "time": fixes["time"][before] + 60 * minute}
    for name in ("lat", "lon"):
        added[name] = fixes[name][before] + share * np.diff(fixes[name])[before]
    return {name: np.concatenate([fixes[name], added[name]]) for name in added}, len(before)


def _speed(fixes: dict[str, np.ndarray]) -> np.ndarray:
    """Metres per second since the cab's previous fix; 0 for its first, infinite in no time."""
    lat, lon = np.radians(fixes["lat"] / 1e6), np.radians(fixes["lon"] / 1e6)
    north = np.diff(lat, prepend=lat[:1])
    east = np.diff(lon, prepend=lon[:1]) * np.cos(lat)
    seconds = np.diff(fixes["time"], prepend=fixes["time"][:1]).astype(float)
    metres = _EARTH_RADIUS * np.hypot(north, east)
    with np.errstate(divide="ignore", invalid="ignore"):
        speed = np.where(metres > 0, metres / seconds, 0.0)
    speed[np.diff(fixes["cab"], prepend=-1) != 0] = 0.0
    return speed


# -- reading -------------------------------------------------------------------------------------


def _fixes(source: Path) -> tuple[np.ndarray, dict[str, np.ndarray], str]:
    """Cab names, all fixes sorted by cab and time, and the data's checksum."""
    digest = files.checksum(_cab_files(source) if source.is_dir() else [source])
    parser = files.checksum([Path(__file__)])  # another parser is another cache
    cache = files.cache_file("cabspotting", digest[:12] + parser[:8])
    stored = files.read_cache(cache)
    if stored is None:
        stored = _parse_all(source)
        files.write_cache(cache, stored)
    counts = stored["counts"]
    fixes = {name: np.cumsum(stored[name], dtype=np.int32) for name in ("lat", "lon", "time")}
    fixes["occupied"] = stored["occupied"].astype(bool)
    fixes["cab"] = np.repeat(np.arange(len(counts), dtype=np.int16), counts)
    return stored["cabs"], fixes, digest


def _parse_all(source: Path) -> dict[str, np.ndarray]:
    """The arrays that are cached: differences from fix to fix pack well."""
    parts: dict[str, np.ndarray] = {}
    with tqdm(desc=f"reading {source.name}", unit=" cabs") as progress:
        for name, text in _texts(source):
            cab = _CAB_FILE.search(name).group(1)  # type: ignore[union-attr]
            if cab in parts:
                raise ValueError(f"{source.name} holds cab {cab!r} twice; remove one of its files")
            parts[cab] = _parse(name, text)
            progress.update()
    if not parts:
        raise ValueError(
            f"{source.name} holds no file named new_<cab>.txt; give cabspottingdata as published"
        )
    cabs = sorted(parts)
    table = np.concatenate([parts[cab] for cab in cabs])
    arrays = {
        "cabs": np.array(cabs),
        "counts": np.array([len(parts[cab]) for cab in cabs]),
        "occupied": table[:, 2].astype(np.int8),
    }
    for column, name in ((0, "lat"), (1, "lon"), (3, "time")):
        arrays[name] = np.diff(table[:, column], prepend=np.int32(0))
    return arrays


def _cab_files(folder: Path) -> list[Path]:
    found = sorted(file for file in folder.rglob("new_*.txt") if _CAB_FILE.search(file.name))
    if not found:
        raise ValueError(
            f"{folder.name} holds no file named new_<cab>.txt; give cabspottingdata as published"
        )
    return found


def _texts(source: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of each cab's file; ValueError for a damaged archive."""
    if source.is_dir():
        for file in _cab_files(source):
            yield file.name, file.read_bytes()
        return
    try:
        with tarfile.open(source) as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isfile() else None
                if content is not None and _CAB_FILE.search(member.name):
                    yield Path(member.name).name, content.read()
            while archive.fileobj.read(2**20):
                pass  # read to the end, where damage shows
    except (tarfile.TarError, lzma.LZMAError, EOFError, OSError, zlib.error) as error:
        raise ValueError(
            f"{source.name} is not a whole archive ({error or 'it ends too early'}); "
            "fetch it again, or pass the unpacked folder"
        ) from error


def _parse(name: str, text: bytes) -> np.ndarray:
    """One cab's fixes, ascending in time: int32 (n, 4), degrees in millionths."""
    if not text.strip():
        return np.empty((0, 4), np.int32)
    try:
        table = pd.read_csv(io.BytesIO(text), sep=" ", header=None, dtype=float).to_numpy()
    except ValueError:
        table = np.empty((0, 0))
    if table.shape[1] != 4 or _wrong(table).any():
        raise ValueError(_first_problem(name, text))
    table[:, :2] *= 1e6
    ascending = np.argsort(table[:, 3], kind="stable")
    return np.rint(table[ascending]).astype(np.int32)


def _wrong(table: np.ndarray) -> np.ndarray:
    """Which values cannot be right (NaN included), one boolean a value."""
    lat, lon, occupied, time = table.T
    right = [
        np.abs(lat) <= 90,
        np.abs(lon) <= 180,
        (occupied == 0) | (occupied == 1),
        (time >= _ERAS[0]) & (time < _ERAS[1]),
    ]
    return ~np.array(right).T


def _first_problem(name: str, text: bytes) -> str:
    for number, line in enumerate(text.decode("latin-1").splitlines(), start=1):
        values = line.split()
        if not values:
            continue
        place = f"{name}, line {number}: {line.strip()!r}"
        if len(values) != 4:
            return f"{place} has {len(values)} values; {', '.join(_FIELDS)} were expected"
        for field, value in zip(_FIELDS, values, strict=True):
            try:
                float(value)
            except ValueError:
                return f"{place}: {field} is {value!r}, not a number"
        wrong = _wrong(np.array([values], float))[0]
        if wrong.any():
            which = int(np.flatnonzero(wrong)[0])
            return f"{place}: {_FIELDS[which]} is {values[which]}, which cannot be right"
    return f"{name}: four numbers a line, separated by single spaces, were expected"

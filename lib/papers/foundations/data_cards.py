"""What the datasets are: the numbers on their cards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lib import datasets
from lib.execution.results import Row
from lib.papers.experiments import experiment
from lib.traces import Traces

NOT_AT_HAND = ("social-pulse", "yjmob100k", "geolife", "t-drive")  # public files
MEASURED = tuple(datasets.available().index.drop(["records", *NOT_AT_HAND]))


LAGS = {"six-users": {"lag": "1D"}, "tweeters-zk": {"lag": "1D"}}  # windows of a week or less


@experiment("data-cards", at_paper={name: LAGS.get(name, {}) for name in MEASURED})
def cards(traces: Traces, unit: tuple[()], *, lag: str = "7D") -> Iterator[Row]:
    """Measure the size of one dataset as `datasets.load` returns it; null is not counted.

    Not in the papers.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    unit : tuple
        Empty: an experiment with one unit.
    lag : str
        Lag of the recurrence, as pandas writes time differences.

    Returns
    -------
    iterator of dict
        One row. Columns: users, places, hours (epochs), visits; median and most visits of a user;
        median places of a user; recurrence (mean share of a user's visits repeated after the lag;
        None if no visit could be repeated); visited cells (share of all cells); rows read (None if
        nothing is read).
    """
    visits, report = traces.visits(), traces.report
    recurrence = traces.recurrence(lag).dropna()
    cells = traces.n_rois * traces.n_epochs
    yield {
        "users": traces.n_users,
        "places": traces.n_rois,
        "hours": traces.n_epochs,
        "visits": traces.matrix.nnz,
        "median visits": float(visits.median()),
        "most visits": int(visits.max()),
        "median places": float(traces.unique_rois().median()),
        "recurrence": float(recurrence.mean()) if len(recurrence) else None,
        "visited cells": len(np.unique(traces.matrix.indices)) / cells,
        "rows read": report.read if report else None,
    }

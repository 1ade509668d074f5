"""What the datasets are: the numbers on their cards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lib import datasets
from lib.execution.results import Row
from lib.papers.experiments import experiment
from lib.traces import Traces

# Without a reader's own records, and without the one public file that is not at hand
MEASURED = tuple(datasets.available().index.drop(["records", "social-pulse", "geolife", "t-drive"]))


LAGS = {"six-users": {"lag": "1D"}, "tweeters-zk": {"lag": "1D"}}  # windows of a week or less


@experiment("data-cards", at_paper={name: LAGS.get(name, {}) for name in MEASURED})
def cards(traces: Traces, unit: tuple[()], *, lag: str = "7D") -> Iterator[Row]:
    """One dataset's size as `datasets.load` gives it, without options; null is not counted.

    Columns: users, places, hours (epochs), visits; of a user: the median and most visits, the
    median places, and the mean share of visits repeated a lag later (recurrence; empty where no
    visit could be); visited cells, as a share of all; rows read (empty: nothing is read).
    Not in the papers.
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

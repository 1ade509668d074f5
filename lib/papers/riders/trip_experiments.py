"""How many different trips a person makes in a week: riders of shared bikes, and cab drivers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from lib.datasets import load, trip_pairs
from lib.execution.results import Row
from lib.papers.experiments import experiment
from lib.traces import Traces

# how the dataset is read, and the most epochs between two sightings of one trip
_READ: dict[str, tuple[dict[str, Any], int]] = {
    "valleybike": ({"epoch": "5min"}, 2),
    "cabspotting": ({"epoch": "1min", "occupied": True}, 2),
}
_WEEK = pd.Timedelta("7D")


def weekly_pairs(traces: Traces, gap: int) -> Traces:
    """Find the trips of each user, and count them by week in zones of origin and destination.

    A trip is a run of sightings, from the zone of the first to the zone of the last. A run that
    ends in the zone where it began is no trip.

    Parameters
    ----------
    traces : Traces
        Sightings in short epochs.
    gap : int
        Most epochs from one sighting of a trip to the next.

    Returns
    -------
    Traces
        The same users; zones are pairs such as "A → B", and epochs are weeks from the first epoch.
        A visit of a zone is at least one trip of the user in the week.
    """
    user, cell = traces.matrix.nonzero()
    roi, epoch = np.divmod(cell, max(traces.n_epochs, 1))
    order = np.lexsort((roi, epoch, user))
    user, roi, epoch = user[order], roi[order], epoch[order]
    starts = (np.diff(user, prepend=-1) != 0) | (np.diff(epoch, prepend=0) > gap)
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(user)) - 1
    moved = roi[first] != roi[last]
    first, last = first[moved], last[moved]
    code, kinds = pd.factorize(roi[first] * traces.n_rois + roi[last])
    names = traces.rois.index
    pairs = [trip_pairs.join(*(names[i] for i in divmod(each, traces.n_rois))) for each in kinds]
    week = np.asarray((traces.epochs[epoch[first]] - traces.epochs[0]) // _WEEK, np.int64)
    weeks = pd.date_range(
        traces.epochs[0], traces.epochs[-1], freq=_WEEK, name=traces.epochs.name or "epoch"
    )
    rois = pd.DataFrame({"lat": np.nan, "lon": np.nan}, pd.Index(pairs, name="roi"), dtype=float)
    return Traces.from_codes(user[first], code, week, traces.users, rois, weeks, traces.report)


def trips_of(data: str) -> Traces:
    """Load the trips of a dataset: rides on a shared bike, or rides of a cab with a passenger.

    Parameters
    ----------
    data : str
        Name of the dataset.

    Returns
    -------
    Traces
        See `weekly_pairs`.
    """
    options, gap = _READ.get(data, ({}, 1))
    return weekly_pairs(load(data, **options), gap)


@experiment("riders-trips", load=trips_of, at_paper={"valleybike": {}, "cabspotting": {}})
def unique_trips(traces: Traces, unit: tuple[()]) -> Iterator[Row]:
    """Count the different trips that a person makes in a week.

    Houssiau et al. 2022 compute from this number how well an attacker recognises a person in
    aggregated trips.

    Parameters
    ----------
    traces : Traces
        Trips, see `weekly_pairs`.
    unit : tuple
        Empty: an experiment with one unit.

    Returns
    -------
    iterator of dict
        A row for each number that occurs. Columns: trips (different pairs of places in one week),
        person-weeks (weeks of a person with so many trips; weeks without a trip are left out).
    """
    user, cell = traces.matrix.nonzero()
    of_week = np.bincount(user * traces.n_epochs + cell % traces.n_epochs)
    for trips, weeks in zip(*np.unique(of_week[of_week > 0], return_counts=True), strict=True):
        yield {"trips": int(trips), "person-weeks": int(weeks)}

"""Guessing hidden counts from published totals, the surest first, beside guesses without them.

Source: Dick et al., Confidence-ranked reconstruction of census microdata from published statistics
(PNAS 2023); Sanchez et al. 2023 object that a guess may be right without the release. The control
therefore makes the same guesses from the totals of the week before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from lib.aggregation import aggregate
from lib.audit.small_counts import from_grid, suppressed_intervals
from lib.audit.table_sampling import value_shares
from lib.execution.results import Row
from lib.papers.experiments import Unit, experiment
from lib.randomness import stream
from lib.traces import Traces

WEEK = 168  # hours
THRESHOLD = 10  # counts below it are hidden, as in the preset mds-k10
DATA = ("flights-by-number", "flights-by-tail", "cabspotting", "valleybike")
FIRST = (100, 1000)  # how many of the surest guesses are judged
LEAST = {"zeros hidden": 0, "zeros published": 1}  # smallest hidden count


class Published(NamedTuple):
    """Counts of a week with totals of zones and hours; counts from `low` to `high` are hidden."""

    counts: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def hidden(self) -> np.ndarray:
        """Which counts are hidden, shape (n_zones, n_hours)."""
        return self.low < self.high


def publish(counts: np.ndarray, least: int) -> Published:
    """Hide the small counts of a table; its totals stay published.

    Parameters
    ----------
    counts : ndarray of int, shape (n_zones, n_hours)
        True counts.
    least : int
        Smallest count that is hidden; the largest is `THRESHOLD` - 1.

    Returns
    -------
    Published
        The table as an attacker sees it, and the true counts.
    """
    hidden = (counts >= least) & (counts < THRESHOLD)
    low, high = np.where(hidden, least, counts), np.where(hidden, THRESHOLD - 1, counts)
    return Published(counts, low, high)


def forced(table: Published) -> np.ndarray:
    """Find the hidden counts that follow from the totals.

    Parameters
    ----------
    table : Published
        A table with hidden counts.

    Returns
    -------
    ndarray of bool, shape (n_zones, n_hours)
        Which hidden counts can have one value only.
    """
    shown = np.where(table.hidden, np.nan, table.counts)
    totals = table.counts.sum(axis=1), table.counts.sum(axis=0)
    low = float(table.low[table.hidden].min()) if table.hidden.any() else 0.0
    found = suppressed_intervals(from_grid(shown, *totals, low=low, high=THRESHOLD - 1))
    return np.asarray(found.exact[: shown.size].reshape(shown.shape) & table.hidden)


def shares_of_formula(table: Published) -> np.ndarray:
    """Guess without sampling: Poisson counts, with means from the two totals of a cell.

    Parameters
    ----------
    table : Published
        A table with hidden counts.

    Returns
    -------
    ndarray, shape (n_zones, n_hours, n_values)
        Probability of each value of a hidden count, from the smallest to the largest.
    """
    rest = np.where(table.hidden, table.counts, 0)
    of_row, of_column = rest.sum(axis=1, keepdims=True), rest.sum(axis=0, keepdims=True)
    mean = of_row * of_column / max(rest.sum(), 1)
    least = int(table.low[table.hidden].min())
    values = np.arange(least, THRESHOLD)
    found = stats.poisson.pmf(values, np.maximum(mean, 1e-9)[..., None])
    return np.asarray(found / found.sum(axis=2, keepdims=True))


def _weeks(traces: Traces) -> list[Unit]:
    weeks = range(1, traces.n_epochs // WEEK)
    return [(week, zeros) for week in weeks for zeros in LEAST]


def _sampled(table: Published, sweeps: int, *name: Any) -> np.ndarray:
    totals = table.counts.sum(axis=1), table.counts.sum(axis=0)
    return value_shares(table.low, table.high, *totals, sweeps, stream(*name))


def _judged(shares: np.ndarray, table: Published, judged: np.ndarray, first: int) -> dict[str, Any]:
    """Judge the surest guesses: how sure they are, and how many are right."""
    least = int(table.low[table.hidden].min())
    sure, guess = shares[judged].max(axis=1), shares[judged].argmax(axis=1) + least
    order = np.argsort(-sure, kind="stable")[:first]
    return {"sure": sure[order].mean(), "right": (guess == table.counts[judged])[order].mean()}


@experiment(
    "audit-ranking", unit=("week", "zeros"), units=_weeks, at_paper={name: {} for name in DATA}
)
def ranking(traces: Traces, unit: Unit, *, sweeps: int = 10_000, seed: int = 2018) -> Iterator[Row]:
    """Guess the hidden counts of a week by sampled tables, the surest first.

    Judged are counts that are hidden in this week and in the week before, and that the totals do
    not force.

    Parameters
    ----------
    traces : Traces
        Visits of users.
    unit : tuple of (int, str)
        Number of the week, from 1, and whether counts of 0 are hidden, too.
    sweeps : int, default 10,000
        Sweeps of the sampler.
    seed : int, default 2018
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        A row for each attacker and number of guesses. Columns: attacker ("totals"; "formula": the
        totals without sampling; "last week": the totals of the week before; "commonest value":
        every hidden count has the value that is commonest among them), first (number of surest
        guesses; fewer if fewer counts are judged), sure (mean probability that the attacker gives
        them), right (share that is right), judged, hidden, forced (numbers of counts).
    """
    week, zeros = unit
    counts = aggregate(traces, [range(traces.n_users)])[0].astype(np.int64)
    before, now = (
        publish(counts[:, WEEK * each : WEEK * (each + 1)], LEAST[zeros])
        for each in (week - 1, week)
    )
    follows = forced(now)
    judged = now.hidden & before.hidden & ~follows
    if not judged.any():
        return
    name = (seed, "audit-ranking", zeros)
    found = {
        "totals": _sampled(now, sweeps, *name, week),
        "formula": shares_of_formula(now),
        "last week": _sampled(before, sweeps, *name, week - 1),
    }
    often = np.bincount(now.counts[judged])
    sizes = {"judged": judged.sum(), "hidden": now.hidden.sum(), "forced": follows.sum()}
    for first in FIRST:
        size = {"first": min(first, judged.sum()), **sizes}
        for attacker, shares in found.items():
            yield {"attacker": attacker, **size, **_judged(shares, now, judged, first)}
        common = often.max() / often.sum()
        yield {"attacker": "commonest value", **size, "sure": np.nan, "right": common}

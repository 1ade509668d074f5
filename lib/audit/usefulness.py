"""How useful published counts remain, by what publishers do with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from lib import metrics
from lib.audit.measures import CONFIDENCE, round_significant
from lib.datasets import trip_pairs

_TOP = 10  # busiest zones, largest flows
_WORDS = {
    "MRE": "mean relative error: over all counts, including empty ones, a published count differs "
    "from the true one by this share of it on average (true counts below one person are taken as "
    "one); publishing zeros everywhere would give {nothing:.2g}",
    "rank correlation of places": "how well the ranking of places by visits is preserved "
    "(Spearman); 1 is perfectly, 0 not at all",
    "error of totals by place": "relative error of a place's total, at the median place",
    "error of totals by hour": "relative error of an hour's total, at the median hour",
    "visits published": "the sum of all published counts, as a share of the true sum",
    "error of totals by zone and day": "relative error of the total of a zone on one day, at the "
    "median of all that are not 0",
    "peak hour found": "share of zones whose busiest hour of the day, over all days, is the true "
    "one; without a value where a day has one count",
    "busiest zones found": f"share of the {_TOP} busiest zones that are among the {_TOP} busiest "
    "published ones",
    "error of trips by origin": "relative error of all trips that leave a place, at the median "
    "place",
    "error of trips by destination": "relative error of all trips that arrive at a place, at the "
    "median place",
    f"ranking of the {_TOP} largest flows": f"how well the ranking of the {_TOP} pairs of places "
    "with the most trips is preserved (Spearman); 1 is perfectly, 0 not at all; without a value "
    "where all these flows are equal",
}


def measure_usefulness(
    raw: np.ndarray,
    published: np.ndarray | Sequence[np.ndarray],
    epoch_of_day: np.ndarray | None = None,
    day: np.ndarray | None = None,
    zones: Sequence[str] | None = None,
) -> dict[str, dict[str, Any]]:
    """Compare published counts with the true ones.

    Parameters
    ----------
    raw : ndarray, shape (n_rois, n_epochs)
        True counts.
    published : ndarray or sequence of ndarray, shape (n_draws, n_rois, n_epochs)
        Counts after all mechanisms: of one release, or of several that differ by their noise.
    epoch_of_day, day : ndarray of int, shape (n_epochs,), optional
        Hour of the day, or another part of it, of each epoch; and number of its day. By default
        all epochs are of one day.
    zones : sequence of str, optional
        Names of the zones. If all are pairs of places ("A → B"), trips by origin and by
        destination and the largest flows are compared, too.

    Returns
    -------
    dict of str to dict
        Each measure's ``value`` (None where it is not defined), ``low`` and ``high`` (a 95%
        interval of its mean over draws of the noise; None for a single release) and ``words``. If
        most counts are 0, publishing nothing has a small MRE, too; the MRE of zeros everywhere is
        under ``nothing``.
    """
    raw = np.asarray(raw, float)
    draws = np.asarray(published, float).reshape(-1, *raw.shape)
    n_epochs = raw.shape[1]
    hours = np.arange(n_epochs) if epoch_of_day is None else np.asarray(epoch_of_day)
    days = np.zeros(n_epochs, int) if day is None else np.asarray(day)
    pairs = None if zones is None else trip_pairs.split(zones)
    found = [_values(raw, each, hours, days) | _of_trips(raw, each, pairs) for each in draws]
    nothing = metrics.mean_relative_error(raw, np.zeros_like(raw), sanity_bound=1.0)
    results: dict[str, dict[str, Any]] = {
        name: _mean([each[name] for each in found])
        | {"words": _WORDS[name].format(nothing=nothing)}
        for name in found[0]
    }
    results["MRE"]["nothing"] = round_significant(nothing)
    return results


def _mean(values: list[float | None]) -> dict[str, float | None]:
    """Mean over draws and its interval; no interval of a single draw."""
    if any(value is None for value in values):
        return {"value": None, "low": None, "high": None}
    numbers = np.array(values, float)
    ends: tuple[float | None, float | None] = (None, None)
    if len(numbers) > 1:
        ends = metrics.mean_interval(numbers, CONFIDENCE)
    low, high = (round_significant(end) for end in ends)
    return {"value": round_significant(float(numbers.mean())), "low": low, "high": high}


def _values(
    raw: np.ndarray, published: np.ndarray, hours: np.ndarray, days: np.ndarray
) -> dict[str, float | None]:
    by_place, by_hour = ((raw.sum(axis=a), published.sum(axis=a)) for a in (1, 0))
    return {
        "MRE": metrics.mean_relative_error(raw, published, sanity_bound=1.0),
        "rank correlation of places": _rank_correlation(*by_place),
        "error of totals by place": _median_error(*by_place),
        "error of totals by hour": _median_error(*by_hour),
        "visits published": float(published.sum() / max(raw.sum(), 1)),
        "error of totals by zone and day": _median_error(_sums(raw, days), _sums(published, days)),
        "peak hour found": _peaks_found(_sums(raw, hours), _sums(published, hours)),
        "busiest zones found": _busiest_found(*by_place),
    }


def _of_trips(
    raw: np.ndarray, published: np.ndarray, pairs: pd.DataFrame | None
) -> dict[str, float | None]:
    """Marginals of the matrix of trips, and its largest entries; nothing without pairs."""
    if pairs is None:
        return {}
    flows = pd.DataFrame({"raw": raw.sum(axis=1), "published": published.sum(axis=1)})
    flows = flows[pairs["origin"].notna()]
    sums = {side: flows.groupby(pairs[side])[["raw", "published"]].sum() for side in pairs}
    largest = flows.sort_values("raw", ascending=False, kind="stable").head(_TOP)
    true, shown = largest["raw"].to_numpy(), largest["published"].to_numpy()
    return {
        f"error of trips by {side}": _median_error(of["raw"].to_numpy(), of["published"].to_numpy())
        for side, of in sums.items()
    } | {
        f"ranking of the {_TOP} largest flows": _rank_correlation(true, shown)
        if np.ptp(true)
        else None
    }


def _sums(counts: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Sums over the epochs of each group: (n_rois, n_groups)."""
    members = np.unique(group, return_inverse=True)[1][:, None] == np.arange(len(np.unique(group)))
    return np.asarray(counts @ members)


def _rank_correlation(raw: np.ndarray, published: np.ndarray) -> float:
    if np.ptp(raw) == 0 or np.ptp(published) == 0:
        return 0.0
    return float(stats.spearmanr(raw, published).statistic)


def _median_error(raw: np.ndarray, published: np.ndarray) -> float:
    """The median relative error of totals that are not 0."""
    seen = raw > 0
    return float(np.median(np.abs(published - raw)[seen] / raw[seen])) if seen.any() else 0.0


def _peaks_found(raw: np.ndarray, published: np.ndarray) -> float | None:
    """Share of zones with visits whose largest published sum is a true largest one.

    If several published sums are the largest, one of them is guessed.
    """
    seen = raw.sum(axis=1) > 0
    if raw.shape[1] < 2 or not seen.any():
        return None
    raw, published = raw[seen], published[seen]
    peak = published == published.max(axis=1, keepdims=True)
    true = raw == raw.max(axis=1, keepdims=True)
    return float(((peak & true).sum(axis=1) / peak.sum(axis=1)).mean())


def _busiest_found(raw: np.ndarray, published: np.ndarray) -> float:
    n = min(_TOP, len(raw))
    if np.ptp(published) == 0:
        return n / len(raw)
    first, other = (set(np.argsort(-each, kind="stable")[:n].tolist()) for each in (raw, published))
    return len(first & other) / n

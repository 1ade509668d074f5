"""How useful published counts remain."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from lib import metrics

_WORDS = {
    "MRE": "mean relative error: over all counts, including empty ones, a published count differs "
    "from the true one by this share of it on average (true counts below one person are taken as "
    "one); publishing zeros everywhere would give {nothing:.2g}",
    "rank correlation of places": "how well the ranking of places by visits is preserved "
    "(Spearman); 1 is perfectly, 0 not at all",
    "error of totals by place": "relative error of a place's total, at the median place",
    "error of totals by hour": "relative error of an hour's total, at the median hour",
    "visits published": "the sum of all published counts, as a share of the true sum",
}


def measure_usefulness(raw: np.ndarray, published: np.ndarray) -> dict[str, dict[str, Any]]:
    """Compare published counts with the true ones.

    Parameters
    ----------
    raw : ndarray, shape (n_rois, n_epochs)
        True counts.
    published : ndarray, shape (n_rois, n_epochs)
        Counts after all mechanisms.

    Returns
    -------
    dict of str to dict
        Each measure's ``value`` and ``words``. If most counts are 0, publishing nothing has a
        small MRE, too; the MRE of zeros everywhere is under ``nothing``.
    """
    raw, published = np.asarray(raw, float), np.asarray(published, float)
    by_place, by_hour = ((raw.sum(axis=a), published.sum(axis=a)) for a in (1, 0))
    values = {
        "MRE": metrics.mean_relative_error(raw, published, sanity_bound=1.0),
        "rank correlation of places": _rank_correlation(*by_place),
        "error of totals by place": _median_error(*by_place),
        "error of totals by hour": _median_error(*by_hour),
        "visits published": float(published.sum() / max(raw.sum(), 1)),
    }
    nothing = metrics.mean_relative_error(raw, np.zeros_like(raw), sanity_bound=1.0)
    results: dict[str, dict[str, Any]] = {
        name: {"value": value, "words": _WORDS[name].format(nothing=nothing)}
        for name, value in values.items()
    }
    results["MRE"]["nothing"] = nothing
    return results


def _rank_correlation(raw: np.ndarray, published: np.ndarray) -> float:
    if np.ptp(raw) == 0 or np.ptp(published) == 0:
        return 0.0
    return float(stats.spearmanr(raw, published).statistic)


def _median_error(raw: np.ndarray, published: np.ndarray) -> float:
    """The median relative error of totals that are not 0."""
    seen = raw > 0
    return float(np.median(np.abs(published - raw)[seen] / raw[seen])) if seen.any() else 0.0

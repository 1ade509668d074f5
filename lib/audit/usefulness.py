"""What is left of the counts for those who want to use them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from lib import metrics

_WORDS = {
    "MRE": "over all counts, the empty ones too, a published count is off by this share of the "
    "true one, on average (counts of fewer than one person as one); zeros everywhere would be off "
    "by {nothing:.2g}",
    "rank correlation of places": "how well the order of places by visits survives; 1 is "
    "perfectly, 0 not at all",
    "error of totals by place": "the total of a place is off by this share, at the median place",
    "error of totals by hour": "the total of an hour is off by this share, at the median hour",
    "visits published": "the sum of all published counts, as a share of the true one",
}


def measured(raw: np.ndarray, published: np.ndarray) -> dict[str, dict[str, Any]]:
    """Usefulness of published counts, both (n_rois, n_epochs): NAME -> value and words.

    Where most counts are 0, whoever publishes nothing has a small MRE, too: it stands under
    `nothing` beside the MRE.
    """
    raw, published = np.asarray(raw, float), np.asarray(published, float)
    by_place, by_hour = ((raw.sum(axis=a), published.sum(axis=a)) for a in (1, 0))
    values = {
        "MRE": metrics.mean_relative_error(raw, published, sanity_bound=1.0),
        "rank correlation of places": _rank_correlation(*by_place),
        "error of totals by place": _error(*by_place),
        "error of totals by hour": _error(*by_hour),
        "visits published": float(published.sum() / max(raw.sum(), 1)),
    }
    nothing = metrics.mean_relative_error(raw, np.zeros_like(raw), sanity_bound=1.0)
    found: dict[str, dict[str, Any]] = {
        name: {"value": value, "words": _WORDS[name].format(nothing=nothing)}
        for name, value in values.items()
    }
    found["MRE"]["nothing"] = nothing
    return found


def _rank_correlation(raw: np.ndarray, published: np.ndarray) -> float:
    if np.ptp(raw) == 0 or np.ptp(published) == 0:
        return 0.0
    return float(stats.spearmanr(raw, published).statistic)


def _error(raw: np.ndarray, published: np.ndarray) -> float:
    """The median relative error of totals that are not 0."""
    seen = raw > 0
    if not seen.any():
        return 0.0
    return float(np.median(np.abs(published - raw)[seen] / raw[seen]))

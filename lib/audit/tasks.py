"""What an analyst can still do with published counts: six tasks of mobility analytics.

The tasks are those of Pyrgelis, Troncoso and De Cristofaro, Measuring membership privacy on
aggregate location time-series (2020). The measures are ours: each is 1 if an analyst of the
published counts comes to the same result as an analyst of the true counts, and 0 if the result is
no better than without the release.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

TASKS = {
    "hotspot discovery": "find the busiest tenth of all zones, day by day",
    "hotspot ranking": "order the busiest tenth of all zones, day by day",
    "forecasting": "forecast the last week by the mean of the earlier weeks",
    "map inference": "find out which zones are in use at which hour of the week",
    "location labelling": "divide zones into four kinds by the hours of the day at which they are "
    "visited",
    "anomaly detection": "find the hundredth of all zones and days that is most unusual",
}
_WEEK = pd.Timedelta(weeks=1)
_SHARES = {"hotspots": 0.1, "anomalies": 0.01}
_KINDS = 4  # of zones


def measure_tasks(
    raw: np.ndarray, published: np.ndarray, epochs: pd.DatetimeIndex
) -> dict[str, float]:
    """Measure how much of each task published counts leave.

    Parameters
    ----------
    raw : ndarray, shape (n_rois, n_epochs)
        True counts.
    published : ndarray, shape (n_rois, n_epochs)
        Counts after all mechanisms.
    epochs : pandas.DatetimeIndex, shape (n_epochs,)
        Start of each epoch, in local time. At least two weeks.

    Returns
    -------
    dict of str to float
        For each task of `TASKS` the share that is left: 1 for the true counts, 0 for a guess
        without the release, negative if the release misleads. NaN if the task cannot be done
        on the true counts either.

    Raises
    ------
    ValueError
        If the shapes differ, or the epochs are less than two weeks.
    """
    raw, published = np.asarray(raw, float), np.asarray(published, float)
    if raw.shape != published.shape or raw.shape[1:] != (len(epochs),):
        raise ValueError(
            f"true counts have shape {raw.shape}, published ones {published.shape}, and there are "
            f"{len(epochs)} epochs; both must be (zones, epochs)"
        )
    last = epochs >= epochs[-1] - _WEEK + (epochs[1] - epochs[0])
    if (~last).sum() < last.sum():
        raise ValueError(f"the epochs end {epochs[-1] - epochs[0]} after the first; two weeks")
    day = epochs.normalize()
    hour_of_week = epochs.day_of_week * 24 + epochs.hour
    days = [_sums(each, day) for each in (raw, published)]
    weeks = [_sums(each, hour_of_week) for each in (raw, published)]
    hours = [_sums(each, epochs.hour) for each in (raw, published)]
    weekend = day.unique().day_of_week >= 5
    return {
        "hotspot discovery": _discovery(days[0], days[1]),
        "hotspot ranking": _ranking(days[0], days[1]),
        "forecasting": _forecasting(raw, published, np.asarray(hour_of_week), last),
        "map inference": _map_inference(weeks[0], weeks[1]),
        "location labelling": _labelling(hours[0], hours[1]),
        "anomaly detection": _anomalies(days[0], days[1], weekend),
    }


def _sums(counts: np.ndarray, group: pd.Index) -> np.ndarray:
    """Sums over the epochs of each group, (n_rois, n_groups); sums that are equal stay equal."""
    number = np.unique(group, return_inverse=True)[1]
    sums: np.ndarray = (counts @ np.eye(number.max() + 1)[number]).round(9)
    return sums


def _kept(value: float, without: float) -> float:
    """Scale a measure that is 1 for the true counts; without the release it is `without`."""
    return float((value - without) / (1 - without)) if without < 1 else float("nan")


def _top_shares(values: np.ndarray, n_top: int) -> np.ndarray:
    """Probability that each value is among the largest, if equal values are ordered at random."""
    ordered = np.sort(values)[::-1]
    least = ordered[n_top - 1]
    above, equal = values > least, values == least
    return above + equal * (n_top - above.sum()) / equal.sum()


def _common(raw: np.ndarray, published: np.ndarray, n_top: int) -> float:
    """Expected share of the largest true values that are among the largest published ones."""
    return float(_top_shares(raw, n_top) @ _top_shares(published, n_top) / n_top)


def _discovery(raw: np.ndarray, published: np.ndarray) -> float:
    n_top = max(1, round(_SHARES["hotspots"] * len(raw)))
    found = [
        _common(*each, n_top) / _common(each[0], each[0], n_top)
        for each in zip(raw.T, published.T, strict=True)
        if each[0].any()
    ]
    return _kept(float(np.mean(found)), n_top / len(raw))


def _ranking(raw: np.ndarray, published: np.ndarray) -> float:
    n_top = max(2, round(_SHARES["hotspots"] * len(raw)))
    found = []
    for true, shown in zip(raw.T, published.T, strict=True):
        top = np.argsort(-true, kind="stable")[:n_top]
        if np.ptp(true[top]):
            tau = stats.kendalltau(true[top], shown[top]).statistic if np.ptp(shown[top]) else 0.0
            found.append(tau)
    return float(np.mean(found)) if found else float("nan")


def _forecasting(
    raw: np.ndarray, published: np.ndarray, hour_of_week: np.ndarray, last: np.ndarray
) -> float:
    """Skill, 1 - (squared error) / (that of zeros), divided by the skill of the true counts."""
    skill = []
    for counts in (raw, published):
        means = np.zeros((len(raw), 168))
        for hour in np.unique(hour_of_week[~last]):
            means[:, hour] = counts[:, ~last & (hour_of_week == hour)].mean(axis=1)
        error = (raw[:, last] - means[:, hour_of_week[last]]) ** 2
        skill.append(1 - error.sum() / max((raw[:, last] ** 2).sum(), 1))
    return float(skill[1] / skill[0]) if skill[0] > 0 else float("nan")


def _map_inference(raw: np.ndarray, published: np.ndarray) -> float:
    """F1 of "published counts from a threshold on are in use", at the best threshold."""
    used = raw.ravel() > 0
    order = np.argsort(-published.ravel(), kind="stable")
    values, right = published.ravel()[order], np.cumsum(used[order])
    shown = np.arange(1, len(values) + 1)
    last = np.append(values[1:] < values[:-1], True)  # of each published value
    f1 = (2 * right / (used.sum() + shown))[last].max()
    return _kept(float(f1), 2 * used.mean() / (1 + used.mean()))  # without the release: all


def _labelling(raw: np.ndarray, published: np.ndarray) -> float:
    kinds = []
    for counts in (raw, published):
        profile = counts[raw.sum(axis=1) > 0]
        profile = profile / np.maximum(np.abs(profile).sum(axis=1, keepdims=True), 1e-12)
        if len(np.unique(profile, axis=0)) < _KINDS:
            kinds.append(np.zeros(len(profile), int))
            continue
        kinds.append(KMeans(_KINDS, n_init=20, random_state=0).fit_predict(profile))
    return float(adjusted_rand_score(*kinds)) if np.ptp(kinds[0]) else float("nan")


def _anomalies(raw: np.ndarray, published: np.ndarray, weekend: np.ndarray) -> float:
    unusual = []
    for counts in (raw, published):
        expected = np.empty_like(counts)
        for kind in (weekend, ~weekend):
            if kind.any():
                expected[:, kind] = counts[:, kind].mean(axis=1, keepdims=True)
        spread = np.sqrt(np.maximum(expected, 0) + 1)
        unusual.append((np.abs(counts - expected) / spread).round(9).ravel())
    n_top = max(1, round(_SHARES["anomalies"] * raw.size))
    value = _common(unusual[0], unusual[1], n_top) / _common(unusual[0], unusual[0], n_top)
    return _kept(value, n_top / raw.size)

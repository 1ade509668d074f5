"""The attacker's knowledge before the counts: the priors of the paper.

Source: aggregation privacy, Sec. 3.2, Eq. 7-14, Table 2. The traces are divided in two: the last
`inference` epochs are to be inferred, all others are the observation period.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches

import numpy as np
import pandas as pd
from scipy import sparse

from lib.localization.profiles import Epoch, Profile, row_of, split, with_data
from lib.traces import NULL, Traces
from lib.validation import format_value, validated

PROBABILISTIC = ("FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK", "TIME_DAY", "TIME_DAY_WEEK")
LAST = ("LAST_WEEK", "LAST_DAY", "LAST_HOUR")
KINDS = (*PROBABILISTIC, *LAST, "POP", "ALL")
WEEK = 168  # hourly epochs
_ROUNDING = 1e-9  # relative: a probability that is delta but for its last digits is popular


@validated
def prior(
    traces: Traces, kind: str, inference: int = WEEK, of: str = "FREQ_ROI", delta: float = 0.5
) -> Profile:
    """Compute the attacker's prior knowledge of every user over the inference period.

    The kinds of priors are

    FREQ_ROI
        How often the user is in each ROI, at any time (Eq. 7).
    ROI_DAY, ROI_DAY_WEEK
        The same for each time of the day, of the week (Eq. 8-9).
    TIME_DAY, TIME_DAY_WEEK
        When the user is seen at all, not where: uniform over all ROIs in these slots, null in the
        others (Eq. 10-11).
    LAST_WEEK, LAST_DAY, LAST_HOUR
        Where the user was a week, a day, an epoch earlier, 0 or 1 (Eq. 14). The last two slide over
        the truth of the inference period itself.
    POP, ALL
        `popular`, `all_rois` of the prior `of` (Eq. 12-13).

    Null, if the traces have it, is a ROI like the others, except that a TIME prior and `reports`
    count real ROIs only.

    Parameters
    ----------
    traces : Traces
        Observation period, followed by the inference period.
    kind : str
        One of `KINDS`.
    inference : int, default=168
        Number of epochs at the end that are to be inferred.
    of : str, default="FREQ_ROI"
        The prior that POP and ALL are made of.
    delta : float, default=0.5
        Smallest popular probability, of POP.

    Returns
    -------
    Profile
        Lazy profile over the inference period.

    Raises
    ------
    ValueError
        For an unknown kind, too few epochs, or a user without an observation in a slot; with
        `traces.with_null()` every epoch has one.

    References
    ----------
    Aggregation privacy, Sec. 3.2 and Table 2.

    Examples
    --------
    >>> from lib.datasets import load
    >>> habits = prior(load('six-users').with_null(), 'FREQ_ROI', inference=4)
    >>> habits.toarray([0])[0, :, 0].tolist()  # Ada: home, station, office, park, null
    [0.5, 0.25, 0.25, 0.0, 0.0]
    """
    if kind in ("POP", "ALL"):
        known = prior(traces, of, inference)
        return popular(known, delta) if kind == "POP" else all_rois(known)
    if kind not in KINDS:
        near = get_close_matches(str(kind), KINDS, 1, 0)[0]
        raise ValueError(
            f"no prior {format_value(kind)}; did you mean {near!r}? One of {', '.join(KINDS)}"
        )
    if not 1 <= inference < traces.n_epochs:
        raise ValueError(f"inference is {inference}; 1 to {traces.n_epochs - 1} epochs expected")
    observed = np.arange(traces.n_epochs) < traces.n_epochs - inference
    null = traces.rois.index.tolist().index(NULL) if NULL in traces.rois.index else None
    if kind in LAST:
        epochs, slots = _last(traces, kind, inference), np.arange(inference)
    else:
        codes, n_slots = _codes(traces.epochs, kind)
        slots = codes[~observed]
        counts = split(traces.matrix, np.where(observed, codes, -1), n_slots, traces.n_rois)
        build = _times if kind.startswith("TIME") else _shares
        epochs = [build(counts[slot], null) for slot in range(n_slots)]
    _check_not_empty(epochs, np.unique(slots), traces, kind)
    reports = _reports(traces, observed, null)
    return Profile(
        traces.n_users,
        traces.n_rois,
        null,
        reports,
        slots,
        epochs.__getitem__,
        traces.users,
        traces.rois.index,
        traces.epochs[~observed],
    )


@validated
def inference_period(traces: Traces, inference: int = WEEK) -> Traces:
    """Select the last `inference` epochs of the traces, which are to be inferred.

    Parameters
    ----------
    traces : Traces
        Observation period, followed by the inference period.
    inference : int, default=168
        Number of epochs at the end that are to be inferred.

    Returns
    -------
    Traces
        The truth.
    """
    return traces.select(epochs=slice(traces.n_epochs - inference, None))


@validated
def popular(profile: Profile, delta: float = 0.5) -> Profile:
    """Predict the ROIs with probability `delta` or more; null if there are none (POP).

    Works on posteriors as well.

    Parameters
    ----------
    profile : Profile
        The attacker's profile of every user.
    delta : float, default=0.5
        Smallest popular probability, in (0, 1].

    Returns
    -------
    Profile
        Zeros and ones.

    Raises
    ------
    ValueError
        If delta is not in (0, 1].

    References
    ----------
    Aggregation privacy, Eq. 12.
    """
    if not 0 < delta <= 1:
        raise ValueError(f"delta is {delta}; a probability above 0 was expected")
    least = delta * (1 - _ROUNDING)

    def of_epoch(t: int) -> Epoch:
        epoch = profile.epoch(t)
        own = epoch.own.data >= (least * epoch.totals())[epoch.row]
        if epoch.shared is None:
            return epoch.with_data(own.astype(np.int8))
        shared = epoch.shared >= least * epoch.shared.sum()
        return epoch.with_data(own.astype(np.int8), shared.astype(np.int8))

    return _assigned(profile, of_epoch)


@validated
def all_rois(profile: Profile, count_null: bool = False) -> Profile:
    """Predict every ROI with a probability above 0; null if there is no other (ALL).

    Parameters
    ----------
    profile : Profile
        The attacker's profile of every user.
    count_null : bool, default=False
        Whether to predict null wherever its probability is above 0. The paper's numbers for London
        require False: null beside other ROIs would contradict them.

    Returns
    -------
    Profile
        Zeros and ones.

    References
    ----------
    Aggregation privacy, Eq. 13.
    """

    def of_epoch(t: int) -> Epoch:
        dropped = -1 if count_null or profile.null is None else profile.null
        return profile.epoch(t).map(lambda w, roi: ((w > 0) & (roi != dropped)).astype(np.int8))

    return _assigned(profile, of_epoch)


def _assigned(profile: Profile, of_epoch: Callable[[int], Epoch]) -> Profile:
    return replace(profile, slots=np.arange(profile.n_epochs), of_slot=of_epoch)


# -- helpers -------------------------------------------------------------------------------------


def _codes(epochs: pd.DatetimeIndex, kind: str) -> tuple[np.ndarray, int]:
    """The slot of each epoch: the same for the same time of the day, or of the week."""
    if kind == "FREQ_ROI":
        return np.zeros(len(epochs), int), 1
    time = epochs.hour * 60 + epochs.minute
    if kind.endswith("WEEK"):
        time = time + epochs.day_of_week * 1440
    codes, found = pd.factorize(time, sort=True)
    return codes, len(found)


def _shares(counts: sparse.csr_array, null: int | None) -> Epoch:
    return Epoch(with_data(counts, counts.data / counts.sum(axis=1)[row_of(counts)]))


def _times(counts: sparse.csr_array, null: int | None) -> Epoch:
    """Uniform over all ROIs for users seen at a real one, null for the others."""
    n_users, n_rois = counts.shape
    real = counts.indices != (-1 if null is None else null)
    active = np.bincount(row_of(counts)[real], minlength=n_users) > 0
    absent = np.flatnonzero(~active) if null is not None else np.empty(0, int)
    cells = absent, np.full(len(absent), 0 if null is None else null)
    own = sparse.csr_array((np.ones(len(absent)), cells), shape=counts.shape)
    return Epoch(own, np.full(n_rois, 1 / n_rois), active)


def _last(traces: Traces, kind: str, inference: int) -> list[Epoch]:
    now = np.arange(traces.n_epochs - inference, traces.n_epochs)
    if kind == "LAST_HOUR":
        before = now - 1
    else:
        lag = pd.Timedelta("7D" if kind == "LAST_WEEK" else "1D")
        before = traces.epochs.get_indexer(traces.epochs[now] - lag)
    if (before < 0).any():
        first = traces.epochs[now[before < 0][0]]
        raise ValueError(f"{kind}: the traces have no epoch that much before {first}")
    earlier = traces.select(epochs=before)
    parts = split(earlier.matrix, np.arange(inference), inference, traces.n_rois)
    return [Epoch(part) for part in parts]


def _reports(traces: Traces, observed: np.ndarray, null: int | None) -> np.ndarray:
    roi, epoch = np.divmod(traces.matrix.indices, traces.n_epochs)
    counted = observed[epoch] & (roi != (-1 if null is None else null))
    return np.bincount(row_of(traces.matrix)[counted], minlength=traces.n_users)


def _check_not_empty(epochs: list[Epoch], slots: np.ndarray, traces: Traces, kind: str) -> None:
    for slot in slots:
        empty = np.flatnonzero(epochs[slot].totals() == 0)
        if len(empty):
            raise ValueError(
                f"{kind}: no observation of user {traces.users[empty[0]]!r} in slot {slot}; "
                "traces.with_null() adds the ROI null for epochs without a visit"
            )

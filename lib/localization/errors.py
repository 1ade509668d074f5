"""How far the attacker is off: profiling and localization errors of each user, loss and gain.

Source: crowd, Sec. 3.1, Eq. 4-6 and 16. Where a column of an assignment is empty, it says null.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from lib.doors import door
from lib.localization.profiles import Epoch, Profile, row_of, split
from lib.traces import Traces

_LARGEST = 1e150  # beyond it a ratio of two errors may be no float


@door
def profiling_error(
    profile: Profile, truth: Traces, base: float = math.e, root: bool = True
) -> np.ndarray:
    """The mean over epochs of the distance between a user's true profile and the attacker's.

    truth  the traces of the inference period, with the profile's users, ROIs and epochs
    base   of the logarithm; the published numbers fit the natural one, 2 gives 1.2 times as much
    root   the Jensen-Shannon distance, the square root of the divergence
    returns (n_users,), at most sqrt(ln 2) = 0.83 in natural units. Source: Eq. 4

    Raises ValueError if users, ROIs or epochs are others than the profile's, or a user is nowhere
    in an epoch, null included.

    >>> from lib.datasets import load
    >>> from lib.localization.priors import inferred, prior
    >>> six = load('six-users').with_null()
    >>> errors = profiling_error(prior(six, 'FREQ_ROI', inference=4), inferred(six, 4))
    >>> errors.shape, bool(errors.max() < 0.83)
    ((6,), True)
    """
    total = np.zeros(profile.n_users)
    for error in _epoch_errors(profile, truth, base, root):
        total += error
    return total / profile.n_epochs


@door
def profiling_error_by_epoch(
    profile: Profile, truth: Traces, base: float = math.e, root: bool = True
) -> np.ndarray:
    """`profiling_error` before the mean: (n_users, n_epochs)."""
    return np.stack(list(_epoch_errors(profile, truth, base, root)), axis=1)


def _epoch_errors(profile: Profile, truth: Traces, base: float, root: bool) -> Iterator[np.ndarray]:
    if not (math.isfinite(base) and base > 1):
        raise ValueError(f"base is {base}; a number above 1 was expected")
    for t, (user, roi) in enumerate(_visits(profile, truth)):
        n_visits = np.bincount(user, minlength=profile.n_users)
        if not n_visits.all():
            nobody = truth.users[np.flatnonzero(n_visits == 0)[0]]
            raise ValueError(
                f"user {nobody!r} is nowhere at {truth.epochs[t]}: a profile must sum to 1; "
                "traces.with_null() counts being nowhere as a ROI"
            )
        p = _distribution(profile.epoch(t), user, roi, profile.null)
        divergence = _divergence(p, 1 / n_visits[user], user, profile.n_users) / math.log(base)
        yield np.sqrt(divergence) if root else divergence


def _divergence(p: np.ndarray, q: np.ndarray, user: np.ndarray, n_users: int) -> np.ndarray:
    """Jensen-Shannon divergence in nats from the cells of the truth alone: p there, q > 0 there.

    Elsewhere q is 0 and p / 2 is the mean, so that each p adds p ln(2) / 2, and all these p sum to
    what the truth's cells leave of 1.
    """
    middle = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(p > 0, p * np.log(p / middle), 0.0) + q * np.log(q / middle)
    inside = np.bincount(user, own - math.log(2) * p, n_users)
    return np.maximum(0.0, 0.5 * (inside + math.log(2)))


def _distribution(epoch: Epoch, user: np.ndarray, roi: np.ndarray, null: int | None) -> np.ndarray:
    """Probabilities at aligned cells: columns normalised, empty ones null."""
    total = epoch.totals()
    empty = total == 0
    if null is None and empty.any():
        raise ValueError(
            f"the profile says nothing of the user at position {np.flatnonzero(empty)[0]}, and "
            "there is no ROI null that could mean it"
        )
    weight = epoch.at(user, roi) / np.where(empty, 1, total)[user]
    return np.where(empty[user], roi == null, weight) if empty.any() else weight


@door
def localization_error(profile: Profile, truth: Traces) -> np.ndarray:
    """1 - F1 of each user's predicted cells over the whole inference period, null included.

    profile  0 and 1: an assignment prior, `max_roi`, `max_user`, or `popular` or `all_rois` of
             anything
    truth    the traces of the inference period, with the profile's users, ROIs and epochs
    returns  (n_users,). Source: Eq. 3, 5

    Raises ValueError if users, ROIs or epochs are others than the profile's, or it holds anything
    but 0 and 1.

    >>> from lib.datasets import load
    >>> from lib.localization.priors import inferred, popular, prior
    >>> six = load('six-users').with_null()
    >>> guess = popular(prior(six, 'ROI_DAY', inference=4))
    >>> float(localization_error(guess, inferred(six, 4))[0])  # Ada repeats her day
    0.0
    """
    hits, predicted, true = (np.zeros(profile.n_users) for _ in range(3))
    for t, (user, roi) in enumerate(_visits(profile, truth)):
        epoch = profile.epoch(t)
        _refuse_probabilities(epoch, t)
        total = epoch.totals()
        hit = epoch.at(user, roi)
        if profile.null is not None:
            hit = np.where(total[user] == 0, roi == profile.null, hit)
            total = np.maximum(total, 1)
        hits += np.bincount(user, hit, profile.n_users)
        predicted += total
        true += np.bincount(user, minlength=profile.n_users)
    return 1 - 2 * hits / np.maximum(predicted + true, 1)


def _refuse_probabilities(epoch: Epoch, t: int) -> None:
    for weights in (epoch.own.data, epoch.shared):
        if weights is not None and not ((weights == 0) | (weights == 1)).all():
            wrong = weights[(weights != 0) & (weights != 1)][0]
            raise ValueError(
                f"the profile holds {wrong:g} in epoch {t}: places to predict are 0 or 1; take "
                "popular(profile) or all_rois(profile)"
            )


def _visits(profile: Profile, truth: Traces) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Users and ROIs of all visits of each epoch, aligned."""
    shape = profile.n_users, profile.n_rois, profile.n_epochs
    if (truth.n_users, truth.n_rois, truth.n_epochs) != shape:
        raise ValueError(f"the truth is {truth!r}; the profile has {shape}: users, ROIs, epochs")
    for kind in ("users", "rois", "epochs"):
        known = getattr(profile, kind)
        other = truth.rois.index if kind == "rois" else getattr(truth, kind)
        if known is not None and not known.equals(other):
            first = int(np.flatnonzero(known != other)[0])
            raise ValueError(
                f"the profile's {kind} are not the truth's: number {first} is {known[first]!r}, "
                f"and {other[first]!r} there"
            )
    parts = split(truth.matrix, np.arange(truth.n_epochs), truth.n_epochs, truth.n_rois)
    for part in parts:
        yield row_of(part), part.indices


@door
def privacy_loss(prior_error: np.ndarray, error: np.ndarray) -> np.ndarray:
    """What the counts took off each user's error, relative; 0 where they took nothing. Eq. 6.

    Raises ValueError for errors that are negative or not finite.

    prior_error, error  (n_users,), without and with the counts
    """
    before, after = _errors(prior_error, error)
    return np.where(after < before, (before - after) / np.where(before > 0, before, 1), 0.0)


@door
def privacy_gain(raw_error: np.ndarray, released_error: np.ndarray) -> np.ndarray:
    """What a defense added to each user's error, relative to the most it could (an error of 1).

    0 where it added nothing. Eq. 16; natural-log distances cannot exceed 0.83, nor then the gain 1.
    Raises ValueError for errors that are negative or not finite.

    raw_error, released_error  (n_users,), with raw and with released counts
    """
    before, after = _errors(raw_error, released_error)
    gains = (after > before) & (before < 1)
    return np.where(gains, (after - before) / np.where(before < 1, 1 - before, 1), 0.0)


def _errors(*errors: np.ndarray) -> list[np.ndarray]:
    arrays = [np.asarray(each, float) for each in errors]
    for each in arrays:
        wrong = ~((each >= 0) & (each <= _LARGEST))  # NaN is wrong too
        if wrong.any():
            raise ValueError(f"error {each[wrong].flat[0]}; a number from 0 to 1e150 was expected")
    if arrays[0].shape != arrays[1].shape:
        raise ValueError(f"errors are {arrays[0].shape} and {arrays[1].shape}: one a user in each")
    return arrays

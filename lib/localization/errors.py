"""Profiling and localization errors of each user, privacy loss and gain.

Source: aggregation privacy, Sec. 3.1, Eq. 4-6 and 16. An empty column of an assignment means null.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lib.localization.profiles import BatchedEpochs, Epoch, Profile, row_of, split
from lib.traces import Traces
from lib.validation import validated

_MAX_ERROR = 1e150  # beyond it a ratio of two errors may be no float


@validated
def profiling_error(
    profile: Profile, truth: Traces, base: float = math.e, root: bool = True
) -> np.ndarray:
    """Compute each user's mean distance between the true and the attacker's profile.

    Parameters
    ----------
    profile : Profile
        The attacker's profile of every user.
    truth : Traces
        Traces of the inference period, with the profile's users, ROIs and epochs.
    base : float, default=math.e
        Base of the logarithm; the published numbers fit the natural one, base 2 gives 1.2 times as
        much.
    root : bool, default=True
        Whether to use the Jensen-Shannon distance, the square root of the divergence.

    Returns
    -------
    numpy.ndarray, shape (n_users,)
        Mean over epochs; at most sqrt(ln 2) = 0.83 in natural units.

    Raises
    ------
    ValueError
        If users, ROIs or epochs differ from the profile's, or a user is nowhere in an epoch, null
        included.

    References
    ----------
    Aggregation privacy, Eq. 4.

    Examples
    --------
    >>> from lib.datasets import load
    >>> from lib.localization.priors import inference_period, prior
    >>> six = load('six-users').with_null()
    >>> errors = profiling_error(prior(six, 'FREQ_ROI', inference=4), inference_period(six, 4))
    >>> errors.shape, bool(errors.max() < 0.83)
    ((6,), True)
    """
    total = np.zeros(profile.n_users)
    for users, _, errors in _errors_by_part(profile, truth, base, root):
        total[users] += errors.cumsum(axis=1)[:, -1]  # epoch after epoch, whichever way they came
    return total / profile.n_epochs


@validated
def profiling_error_by_epoch(
    profile: Profile, truth: Traces, base: float = math.e, root: bool = True
) -> np.ndarray:
    """Compute each user's distance between the true and the attacker's profile in each epoch.

    Parameters
    ----------
    profile : Profile
        The attacker's profile of every user.
    truth : Traces
        Traces of the inference period, with the profile's users, ROIs and epochs.
    base : float, default=math.e
        Base of the logarithm; the published numbers fit the natural one, base 2 gives 1.2 times as
        much.
    root : bool, default=True
        Whether to use the Jensen-Shannon distance, the square root of the divergence.

    Returns
    -------
    numpy.ndarray, shape (n_users, n_epochs)
        `profiling_error` before the mean.
    """
    found = np.empty((profile.n_users, profile.n_epochs))
    for users, epochs, errors in _errors_by_part(profile, truth, base, root):
        found[users, epochs] = errors
    return found


def _errors_by_part(
    profile: Profile, truth: Traces, base: float, root: bool
) -> Iterator[tuple[slice, slice, np.ndarray]]:
    """Users, epochs and the distances of these, (users, epochs)."""
    if not (math.isfinite(base) and base > 1):
        raise ValueError(f"base is {base}; a number above 1 was expected")
    for part in _parts(profile, truth):
        n_visits = np.bincount(part.column, minlength=part.total.size)
        if not n_visits.all():
            user, epoch = part.place(np.flatnonzero(n_visits == 0)[0])
            raise ValueError(
                f"user {truth.users[user]!r} is nowhere at {truth.epochs[epoch]}: a profile must "
                "sum to 1; traces.with_null() counts being nowhere as a ROI"
            )
        p, q = _distribution(part, profile.null), 1 / n_visits[part.column]
        divergence = _divergence(p, q, part.column, part.total.size) / math.log(base)
        errors = np.sqrt(divergence) if root else divergence
        yield part.users, part.epochs, errors.reshape(part.total.shape)


def _divergence(p: np.ndarray, q: np.ndarray, column: np.ndarray, n_columns: int) -> np.ndarray:
    """Jensen-Shannon divergence of columns in nats from the cells of the truth alone.

    There p is the profile's and q > 0 the truth's. Elsewhere q is 0 and p / 2 is the mean, so that
    each p adds p ln(2) / 2, and all these p sum to what the truth's cells leave of 1.
    """
    middle = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(p > 0, p * np.log(p / middle), 0.0) + q * np.log(q / middle)
    inside = np.bincount(column, own - math.log(2) * p, n_columns)
    return np.maximum(0.0, 0.5 * (inside + math.log(2)))


def _distribution(part: _Part, null: int | None) -> np.ndarray:
    """Probabilities at the visits: columns normalised, empty ones null."""
    total = part.total.ravel()
    empty = total == 0
    if not empty.any():
        return part.weight / total[part.column]
    if null is None:
        user, _ = part.place(np.flatnonzero(empty)[0])
        raise ValueError(
            f"the profile is empty for the user at position {user}, and there is no ROI null "
            "to predict instead"
        )
    weight = part.weight / np.where(empty, 1, total)[part.column]
    return np.where(empty[part.column], part.roi == null, weight)


@validated
def localization_error(profile: Profile, truth: Traces) -> np.ndarray:
    """Compute 1 - F1 of each user's predicted cells over the inference period, null included.

    Parameters
    ----------
    profile : Profile
        Zeros and ones: an assignment prior, `max_roi`, `max_user`, or `popular` or `all_rois` of
        any profile.
    truth : Traces
        Traces of the inference period, with the profile's users, ROIs and epochs.

    Returns
    -------
    numpy.ndarray, shape (n_users,)
        Errors in [0, 1].

    Raises
    ------
    ValueError
        If users, ROIs or epochs differ from the profile's, or it holds anything but 0 and 1.

    References
    ----------
    Aggregation privacy, Eq. 3 and 5.

    Examples
    --------
    >>> from lib.datasets import load
    >>> from lib.localization.priors import inference_period, popular, prior
    >>> six = load('six-users').with_null()
    >>> guess = popular(prior(six, 'ROI_DAY', inference=4))
    >>> float(localization_error(guess, inference_period(six, 4))[0])  # Ada repeats her day
    0.0
    """
    hits, predicted, true = (np.zeros(profile.n_users) for _ in range(3))
    for part in _parts(profile, truth, only_places=True):
        hit, total, shape = part.weight, part.total, part.total.shape
        if profile.null is not None:
            hit = np.where(total.ravel()[part.column] == 0, part.roi == profile.null, hit)
            total = np.maximum(total, 1)
        n_visits = np.bincount(part.column, minlength=total.size)
        hits[part.users] += np.bincount(part.column, hit, total.size).reshape(shape).sum(axis=1)
        predicted[part.users] += total.sum(axis=1)
        true[part.users] += n_visits.reshape(shape).sum(axis=1)
    return 1 - 2 * hits / np.maximum(predicted + true, 1)


def _check_assignments(epoch: Epoch, t: int) -> None:
    for weights in (epoch.own.data, epoch.shared):
        if weights is not None and not ((weights == 0) | (weights == 1)).all():
            wrong = weights[(weights != 0) & (weights != 1)][0]
            raise ValueError(
                f"the profile holds {wrong:g} in epoch {t}: places to predict are 0 or 1; take "
                "popular(profile) or all_rois(profile)"
            )


class _Part(NamedTuple):
    """A block of users and epochs, one column each: true places and weights of the profile.

    column  of each visit, users * epochs; roi  of each; weight  the profile's there
    total   (users, epochs), the sums of the profile's columns
    """

    users: slice
    epochs: slice
    column: np.ndarray
    roi: np.ndarray
    weight: np.ndarray
    total: np.ndarray

    def place(self, column: int) -> tuple[int, int]:
        """The positions of the user and the epoch of a column, among all of them."""
        user, epoch = divmod(int(column), self.total.shape[1])
        return self.users.start + user, self.epochs.start + epoch


def _parts(profile: Profile, truth: Traces, only_places: bool = False) -> Iterator[_Part]:
    """Iterate over all users and epochs; with `only_places`, weights must be 0 or 1."""
    _check_same_labels(profile, truth)
    block = profile.of_slot
    if isinstance(block, BatchedEpochs) and (block.assigns or not only_places):
        return _by_users(profile, truth, block)
    return _by_epochs(profile, truth, only_places)


_COLUMNS = 2**17  # at a time: some megabytes


def _by_users(profile: Profile, truth: Traces, block: BatchedEpochs) -> Iterator[_Part]:
    n_users, n_epochs = truth.n_users, truth.n_epochs
    ends, cells = truth.matrix.indptr, truth.matrix.indices
    step = max(1, _COLUMNS // n_epochs)
    for start in range(0, n_users, step):
        users = slice(start, min(start + step, n_users))
        each = np.arange(users.start, users.stop)
        user = np.repeat(each, np.diff(ends[start : users.stop + 1]))
        roi, t = np.divmod(cells[ends[start] : ends[users.stop]], np.int32(n_epochs))
        weight, total = block.of_users(users, user, roi, profile.slots[t])
        column = (user - start) * n_epochs + t
        yield _Part(users, slice(0, n_epochs), column, roi, weight, total[:, profile.slots])


def _by_epochs(profile: Profile, truth: Traces, only_places: bool) -> Iterator[_Part]:
    parts = split(truth.matrix, np.arange(truth.n_epochs), truth.n_epochs, truth.n_rois)
    for t, part in enumerate(parts):
        epoch, user, roi = profile.epoch(t), row_of(part), part.indices
        if only_places:
            _check_assignments(epoch, t)
        users, total = slice(0, profile.n_users), epoch.totals()[:, None]
        yield _Part(users, slice(t, t + 1), user, roi, epoch.at(user, roi), total)


def _check_same_labels(profile: Profile, truth: Traces) -> None:
    """Raise ValueError unless the truth has the profile's users, ROIs and epochs."""
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


@validated
def privacy_loss_from_errors(prior_error: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Compute the relative reduction of each user's error by the counts.

    Parameters
    ----------
    prior_error : array_like, shape (n_users,)
        Errors without the counts.
    error : array_like, shape (n_users,)
        Errors with the counts.

    Returns
    -------
    numpy.ndarray, shape (n_users,)
        Privacy loss in [0, 1]; 0 where the counts do not reduce the error.

    Raises
    ------
    ValueError
        If errors are negative or not finite.

    References
    ----------
    Aggregation privacy, Eq. 6.
    """
    before, after = _errors(prior_error, error)
    return np.where(after < before, (before - after) / np.where(before > 0, before, 1), 0.0)


@validated
def privacy_gain_from_errors(raw_error: np.ndarray, released_error: np.ndarray) -> np.ndarray:
    """Compute the increase of each user's error by a defense, relative to the largest possible.

    The largest possible error is 1. Natural-log distances, and then the gain, cannot exceed 0.83
    and 1.

    Parameters
    ----------
    raw_error : array_like, shape (n_users,)
        Errors with raw counts.
    released_error : array_like, shape (n_users,)
        Errors with released counts.

    Returns
    -------
    numpy.ndarray, shape (n_users,)
        Privacy gain; 0 where the error does not increase.

    Raises
    ------
    ValueError
        If errors are negative or not finite.

    References
    ----------
    Aggregation privacy, Eq. 16.
    """
    before, after = _errors(raw_error, released_error)
    gains = (after > before) & (before < 1)
    return np.where(gains, (after - before) / np.where(before < 1, 1 - before, 1), 0.0)


def _errors(*errors: np.ndarray) -> list[np.ndarray]:
    arrays = [np.asarray(each, float) for each in errors]
    for each in arrays:
        wrong = ~((each >= 0) & (each <= _MAX_ERROR))  # NaN is wrong too
        if wrong.any():
            raise ValueError(f"error {each[wrong].flat[0]}; a number from 0 to 1e150 was expected")
    if arrays[0].shape != arrays[1].shape:
        raise ValueError(f"errors are {arrays[0].shape} and {arrays[1].shape}: one a user in each")
    return arrays

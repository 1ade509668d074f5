"""Profiles: what an attacker believes about every user, ROI and epoch, without a dense cube.

A profile is the paper's P, one matrix of ROIs by epochs for each user. It is kept an epoch at a
time, sparse, and made when it is asked for: users x ROIs x epochs would be 8 GB for London.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy import sparse

from lib.validation import check_positions, format_value, validated


@dataclass(frozen=True)
class Epoch:
    """One epoch of a profile: weights of users x ROIs, at least 0.

    own      CSR (n_users, n_rois), indices sorted; empty for sharers
    shared   (n_rois,), the one row that all sharers have (the aggregate; a uniform guess)
    sharers  bool (n_users,)

    Where both occur, whoever has a row of her own is surer of its ROIs than the sharers are.
    """

    own: sparse.csr_array
    shared: np.ndarray | None = None
    sharers: np.ndarray | None = None

    @cached_property
    def row(self) -> np.ndarray:
        """The user of each stored weight."""
        return row_of(self.own)

    @cached_property
    def cell(self) -> np.ndarray:
        """user * n_rois + roi of each stored weight, ascending."""
        return self.row * self.own.shape[1] + self.own.indices

    def at(self, user: np.ndarray, roi: np.ndarray) -> np.ndarray:
        """The weights of aligned users and ROIs, float.

        user, roi  positions, aligned
        """
        stored = self.cell
        wanted = user * self.own.shape[1] + roi
        place = np.minimum(np.searchsorted(stored, wanted), max(len(stored) - 1, 0))
        weight = np.zeros(len(wanted))
        if len(stored):
            found = stored[place] == wanted
            weight[found] = self.own.data[place[found]]
        if self.shared is not None:
            weight = np.where(self.sharers[user], self.shared[roi], weight)  # type: ignore[index]
        return weight

    def at_runs(self, user: np.ndarray, roi: np.ndarray) -> np.ndarray:
        """The same as `at`, looked up once for neighbours that are the same user and ROI.

        user, roi  positions, aligned
        """
        cell = user * self.own.shape[1] + roi
        first = np.flatnonzero(np.diff(cell, prepend=-1))
        return np.repeat(self.at(user[first], roi[first]), np.diff(first, append=len(cell)))

    def totals(self) -> np.ndarray:
        """The sum of each user's weights, (n_users,)."""
        total = np.bincount(self.row, self.own.data, self.own.shape[0])
        if self.shared is None or self.sharers is None:
            return total
        return np.where(self.sharers, self.shared.sum(), total)

    def map(self, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Epoch:
        """function(weights, rois) applied to the stored weights and to the shared row."""
        n_rois = self.own.shape[1]
        shared = None if self.shared is None else function(self.shared, np.arange(n_rois))
        return self.with_data(function(self.own.data, self.own.indices), shared)

    def with_data(self, data: np.ndarray, shared: np.ndarray | None = None) -> Epoch:
        """The same places with other weights.

        data  one number a stored weight; shared (n_rois,)
        """
        changed = Epoch(with_data(self.own, data), shared, self.sharers)
        vars(changed).update(row=self.row, cell=self.cell)
        return changed

    def toarray(self, users: np.ndarray) -> np.ndarray:
        """Dense weights of these users: (users, n_rois)."""
        dense = self.own[users].toarray().astype(float)
        if self.shared is not None:
            dense[self.sharers[users]] = self.shared  # type: ignore[index]
        return dense


class AtOnce(ABC):
    """An `of_slot` that also tells some users' weights in all slots at once.

    Strategies on a prior that is the same in all epochs do: much is then looked up only once.
    """

    assigns: bool  # whether all weights are 0 or 1

    @abstractmethod
    def __call__(self, slot: int) -> Epoch:
        """The weights of one slot."""

    @abstractmethod
    def of_users(
        self, users: slice, user: np.ndarray, roi: np.ndarray, slot: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The weights at aligned users, ROIs and slots, and totals of all slots (users, n_slots).

        users            neighbours
        user, roi, slot  positions, aligned; users ascending, each one of these neighbours
        """


@dataclass(frozen=True)
class Profile:
    """Weights of users x ROIs x epochs, made an epoch at a time.

    slots    (n_epochs,): the slot that each epoch repeats (for a daily prior, the hour of the day)
    of_slot  slot -> Epoch
    null     position of the ROI "null", or None
    reports  (n_users,): observed visits that are not null; they order users and break ties
    users, rois, epochs  whose, where and when, if known: scores refuse a truth with others

    Columns of probabilities sum to 1; those of assignments are 0 or 1.
    """

    n_users: int
    n_rois: int
    null: int | None
    reports: np.ndarray
    slots: np.ndarray
    of_slot: Callable[[int], Epoch]
    users: pd.Index | None = None
    rois: pd.Index | None = None
    epochs: pd.DatetimeIndex | None = None

    @property
    def n_epochs(self) -> int:
        """How many epochs the profile has."""
        return len(self.slots)

    def epoch(self, t: int) -> Epoch:
        """The weights of epoch `t`, from 0, made when asked for."""
        return self.of_slot(int(self.slots[t]))

    def steady(self) -> Epoch | None:
        """The one epoch that all of several repeat, where each user has a row of her own in it."""
        if self.n_epochs < 2 or (self.slots != self.slots[0]).any():
            return None
        epoch = self.epoch(0)
        return epoch if epoch.shared is None else None

    def select(self, epochs: np.ndarray | slice) -> Profile:
        """The same profile in some of its epochs (positions, a mask or a slice)."""
        try:
            chosen = np.arange(self.n_epochs)[epochs]
        except (IndexError, TypeError, ValueError):
            chosen = np.empty((0, 0), int)
        if chosen.ndim != 1:
            raise ValueError(
                f"epochs: {format_value(epochs)}; positions, a mask or a slice of {self.n_epochs} expected"
            )
        kept = None if self.epochs is None else self.epochs[chosen]
        return replace(self, slots=self.slots[chosen], epochs=kept)

    @validated
    def toarray(self, users: Iterable[int] | None = None) -> np.ndarray:
        """Dense weights of the users at these positions (by default all): (users, ROIs, epochs)."""
        everybody = np.arange(self.n_users)
        chosen = everybody if users is None else check_positions("users", list(users), self.n_users)
        dense = np.empty((len(chosen), self.n_rois, self.n_epochs))
        for t in range(self.n_epochs):
            dense[:, :, t] = self.epoch(t).toarray(chosen)
        return dense


@validated
def from_array(
    array: np.ndarray, null: int | None = None, reports: np.ndarray | None = None
) -> Profile:
    """A profile of given probabilities (n_users, n_rois, n_epochs).

    null     position of the ROI "null", where there is one
    reports  (n_users,), who comes first where probabilities are equal; by default nobody

    Raises ValueError naming the user and epoch whose probabilities do not sum to 1, or the one that
    is negative or not finite.

    array  (n_users, n_rois, n_epochs), columns that sum to 1
    """
    array = np.asarray(array, float)
    if array.ndim != 3:
        raise ValueError(f"prior is {array.shape}; (users, ROIs, epochs) was expected")
    wrong = ~(np.isfinite(array) & (array >= 0))
    if wrong.any():
        u, s, t = (int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(f"prior of user {u} at ROI {s}, epoch {t} is {array[u, s, t]}; 0 to 1")
    sums = array.sum(axis=1)
    off = np.abs(sums - 1) > 1e-6
    if off.any():
        u, t = (int(i) for i in np.argwhere(off)[0])
        raise ValueError(f"prior of user {u} in epoch {t} sums to {sums[u, t]:.6g}, not to 1")
    n_users, n_rois, n_epochs = array.shape
    epochs = [Epoch(sparse.csr_array(array[:, :, t])) for t in range(n_epochs)]
    reports = np.zeros(n_users) if reports is None else np.asarray(reports)
    return Profile(n_users, n_rois, null, reports, np.arange(n_epochs), epochs.__getitem__)


# -- CSR -----------------------------------------------------------------------------------------


def row_of(matrix: sparse.csr_array) -> np.ndarray:
    """The row of each stored element."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def with_data(matrix: sparse.csr_array, data: np.ndarray) -> sparse.csr_array:
    """The same places with other weights.

    data  one number a stored element
    """
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def split(
    matrix: sparse.csr_array, slots: np.ndarray, n_slots: int, n_rois: int
) -> list[sparse.csr_array]:
    """Counts of users x ROIs in each slot, from users x cells (cell = roi * n_epochs + epoch).

    slots  (n_epochs,): the slot an epoch belongs to, -1 for none
    """
    n_users, n_epochs = matrix.shape[0], len(slots)
    roi, epoch = np.divmod(matrix.indices, np.int32(n_epochs))
    slot = np.where(slots < 0, n_slots, slots).astype(np.int32)[epoch]
    rois = sparse.csr_array((roi, slot, matrix.indptr), shape=(n_users, n_slots + 1))
    by_slot = rois.tocsc()  # by counting, in time that is linear; users and ROIs stay in order
    parts = []
    for start, end in list(pairwise(by_slot.indptr))[:n_slots]:
        seen = np.bincount(by_slot.indices[start:end], minlength=n_users)
        indptr = np.concatenate([[0], np.cumsum(seen)]).astype(np.int32)
        ones = np.ones(end - start, np.int32)
        part = sparse.csr_array((ones, by_slot.data[start:end], indptr), shape=(n_users, n_rois))
        part.sum_duplicates()
        parts.append(part)
    return parts

"""Profiles: an attacker's beliefs about every user, ROI and epoch, without a dense array.

A profile is the paper's P, one matrix of ROIs by epochs for each user. It is computed one sparse
epoch at a time, on demand: users x ROIs x epochs would be 8 GB for London.
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
    """One epoch of a profile: nonnegative weights of users x ROIs.

    If both `own` and `shared` occur, users with a row of their own have larger weights at its ROIs
    than the sharers.

    Parameters
    ----------
    own : scipy.sparse.csr_array, shape (n_users, n_rois)
        Indices sorted; rows of sharers are empty.
    shared : numpy.ndarray, shape (n_rois,), optional
        The one row that all sharers have (the aggregate; a uniform guess).
    sharers : numpy.ndarray of bool, shape (n_users,), optional
        Users with the shared row.
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
        """Look up the weights of pairs of users and ROIs.

        Parameters
        ----------
        user : numpy.ndarray of int, shape (n,)
            Positions of users.
        roi : numpy.ndarray of int, shape (n,)
            Positions of ROIs.

        Returns
        -------
        numpy.ndarray of float, shape (n,)
            Weights.
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
        """Look up weights as `at`, once for equal neighbouring pairs.

        Parameters
        ----------
        user : numpy.ndarray of int, shape (n,)
            Positions of users.
        roi : numpy.ndarray of int, shape (n,)
            Positions of ROIs.

        Returns
        -------
        numpy.ndarray of float, shape (n,)
            Weights.
        """
        cell = user * self.own.shape[1] + roi
        first = np.flatnonzero(np.diff(cell, prepend=-1))
        return np.repeat(self.at(user[first], roi[first]), np.diff(first, append=len(cell)))

    def totals(self) -> np.ndarray:
        """Sum each user's weights.

        Returns
        -------
        numpy.ndarray, shape (n_users,)
            Sums.
        """
        total = np.bincount(self.row, self.own.data, self.own.shape[0])
        if self.shared is None or self.sharers is None:
            return total
        return np.where(self.sharers, self.shared.sum(), total)

    def map(self, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Epoch:
        """Apply a function to the stored weights and to the shared row.

        Parameters
        ----------
        function : callable
            Maps aligned arrays of weights and ROIs to new weights.

        Returns
        -------
        Epoch
            The changed epoch.
        """
        n_rois = self.own.shape[1]
        shared = None if self.shared is None else function(self.shared, np.arange(n_rois))
        return self.with_data(function(self.own.data, self.own.indices), shared)

    def with_data(self, data: np.ndarray, shared: np.ndarray | None = None) -> Epoch:
        """Replace the stored weights.

        Parameters
        ----------
        data : numpy.ndarray, shape (n_stored,)
            New weights.
        shared : numpy.ndarray, shape (n_rois,), optional
            New shared row.

        Returns
        -------
        Epoch
            The changed epoch.
        """
        changed = Epoch(with_data(self.own, data), shared, self.sharers)
        vars(changed).update(row=self.row, cell=self.cell)
        return changed

    def toarray(self, users: np.ndarray) -> np.ndarray:
        """Return the weights of some users as a dense array.

        Parameters
        ----------
        users : numpy.ndarray of int
            Positions of users.

        Returns
        -------
        numpy.ndarray, shape (n_selected, n_rois)
            Weights.
        """
        dense = self.own[users].toarray().astype(float)
        if self.shared is not None:
            dense[self.sharers[users]] = self.shared  # type: ignore[index]
        return dense


class BatchedEpochs(ABC):
    """A callable slot -> Epoch that can also return a block of users' weights for all slots.

    Strategies on a prior that is the same in all epochs are such callables: much is then looked up
    only once.

    Attributes
    ----------
    assigns : bool
        Whether all weights are 0 or 1.
    """

    assigns: bool  # whether all weights are 0 or 1

    @abstractmethod
    def __call__(self, slot: int) -> Epoch:
        """The weights of one slot."""

    @abstractmethod
    def of_users(
        self, users: slice, user: np.ndarray, roi: np.ndarray, slot: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Look up the weights of a block of users in all slots.

        Parameters
        ----------
        users : slice
            Neighbouring users.
        user : numpy.ndarray of int, shape (n,)
            Positions of users in the block, ascending.
        roi : numpy.ndarray of int, shape (n,)
            Positions of ROIs.
        slot : numpy.ndarray of int, shape (n,)
            Slots.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Weights.
        numpy.ndarray, shape (n_selected, n_slots)
            Sums of the weights over ROIs.
        """


@dataclass(frozen=True)
class Profile:
    """Weights of users x ROIs x epochs, computed one epoch at a time.

    Columns of probabilities sum to 1; those of assignments are 0 or 1.

    Parameters
    ----------
    n_users : int
        Number of users.
    n_rois : int
        Number of ROIs.
    null : int or None
        Position of the ROI "null".
    reports : numpy.ndarray, shape (n_users,)
        Observed visits that are not null; they order users and break ties.
    slots : numpy.ndarray of int, shape (n_epochs,)
        The slot that each epoch repeats (for a daily prior, the hour of the day).
    of_slot : callable
        Maps a slot to its Epoch.
    users : pandas.Index, optional
        Names of users, if known: scores reject a truth with others.
    rois : pandas.Index, optional
        Names of ROIs, if known.
    epochs : pandas.DatetimeIndex, optional
        Epochs, if known.
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
        """Compute the weights of one epoch.

        Parameters
        ----------
        t : int
            Position of the epoch, from 0.

        Returns
        -------
        Epoch
            Weights.
        """
        return self.of_slot(int(self.slots[t]))

    def steady(self) -> Epoch | None:
        """Return the epoch that all epochs repeat, if there is one without a shared row.

        Returns
        -------
        Epoch or None
            The epoch; None if epochs differ, there is only one, or a row is shared.
        """
        if self.n_epochs < 2 or (self.slots != self.slots[0]).any():
            return None
        epoch = self.epoch(0)
        return epoch if epoch.shared is None else None

    def select(self, epochs: np.ndarray | slice) -> Profile:
        """Select epochs of the profile.

        Parameters
        ----------
        epochs : array_like or slice
            Positions, a mask or a slice.

        Returns
        -------
        Profile
            The profile in these epochs.

        Raises
        ------
        ValueError
            If epochs cannot be used as an index.
        """
        try:
            chosen = np.arange(self.n_epochs)[epochs]
        except (IndexError, TypeError, ValueError):
            chosen = np.empty((0, 0), int)
        if chosen.ndim != 1:
            raise ValueError(
                f"epochs: {format_value(epochs)}; positions, a mask or a slice of {self.n_epochs} "
                "were expected"
            )
        kept = None if self.epochs is None else self.epochs[chosen]
        return replace(self, slots=self.slots[chosen], epochs=kept)

    @validated
    def toarray(self, users: Iterable[int] | None = None) -> np.ndarray:
        """Return the weights of users as a dense array.

        Parameters
        ----------
        users : iterable of int, optional
            Positions of users; by default all.

        Returns
        -------
        numpy.ndarray, shape (n_selected, n_rois, n_epochs)
            Weights.
        """
        all_users = np.arange(self.n_users)
        chosen = all_users if users is None else check_positions("users", list(users), self.n_users)
        dense = np.empty((len(chosen), self.n_rois, self.n_epochs))
        for t in range(self.n_epochs):
            dense[:, :, t] = self.epoch(t).toarray(chosen)
        return dense


@validated
def from_array(
    array: np.ndarray, null: int | None = None, reports: np.ndarray | None = None
) -> Profile:
    """Create a profile from probabilities.

    Parameters
    ----------
    array : array_like, shape (n_users, n_rois, n_epochs)
        Columns that sum to 1.
    null : int, optional
        Position of the ROI "null".
    reports : array_like, shape (n_users,), optional
        Users with more reports come first if probabilities are equal; by default all have 0.

    Returns
    -------
    Profile
        The profile.

    Raises
    ------
    ValueError
        If probabilities do not sum to 1, or one is negative or not finite; the message names the
        user and epoch.
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
    """Return the row of each stored element.

    Parameters
    ----------
    matrix : scipy.sparse.csr_array
        The matrix.

    Returns
    -------
    numpy.ndarray of int, shape (n_stored,)
        Rows.
    """
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def with_data(matrix: sparse.csr_array, data: np.ndarray) -> sparse.csr_array:
    """Replace the stored elements of a matrix.

    Parameters
    ----------
    matrix : scipy.sparse.csr_array
        The matrix.
    data : numpy.ndarray, shape (n_stored,)
        New elements.

    Returns
    -------
    scipy.sparse.csr_array
        The changed matrix.
    """
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def split(
    matrix: sparse.csr_array, slots: np.ndarray, n_slots: int, n_rois: int
) -> list[sparse.csr_array]:
    """Split traces into counts of users x ROIs in each slot.

    Parameters
    ----------
    matrix : scipy.sparse.csr_array, shape (n_users, n_cells)
        Visits; cell = roi * n_epochs + epoch.
    slots : numpy.ndarray of int, shape (n_epochs,)
        Slot of each epoch, -1 for none.
    n_slots : int
        Number of slots.
    n_rois : int
        Number of ROIs.

    Returns
    -------
    list of scipy.sparse.csr_array, each (n_users, n_rois)
        Counts, one matrix for each slot.
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

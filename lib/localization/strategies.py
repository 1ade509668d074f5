"""Inference strategies: BAYES, MAX_ROI and MAX_USER.

Source: aggregation privacy, Sec. 3.3, Eq. 15, Algorithms 3.1-3.3. Counts are (n_rois, n_epochs) and
include the row of null if the prior has one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy import sparse

from lib.localization.profiles import BatchedEpochs, Epoch, Profile, from_array
from lib.ties import argsort_descending
from lib.validation import validated


@validated
def bayes(prior: Profile | np.ndarray, aggregate: np.ndarray) -> Profile:
    """BAYES: the prior times the aggregate profile, normalised for each user and epoch.

    If prior and counts have no ROI in common (no user moves, or all are where the user never was)
    the counts carry no information and the prior is returned; `count_unupdated` counts how often.
    Assignment priors are normalised first.

    Parameters
    ----------
    prior : Profile or array_like, shape (n_users, n_rois, n_epochs)
        The attacker's prior: a profile, or probabilities.
    aggregate : array_like of int, shape (n_rois, n_epochs)
        Counts, with the row of null if the prior has one.

    Returns
    -------
    Profile
        Posterior probabilities.

    Raises
    ------
    ValueError
        If shapes disagree or counts are negative, fractional or above n_users.

    References
    ----------
    Aggregation privacy, Eq. 15 and Algorithm 3.1.

    Examples
    --------
    >>> habits = np.full((2, 2, 1), 0.5)  # two users, two ROIs, one epoch
    >>> habits[0, :, 0] = 0.9, 0.1
    >>> bayes(habits, np.array([[1], [1]])).toarray([0])[0, :, 0].tolist()
    [0.9, 0.1]
    """
    known, counts = _checked(prior, aggregate)
    steady = known.steady()

    def of_epoch(t: int) -> Epoch:
        return _update(known.epoch(t), counts[:, t])

    of_slot = of_epoch if steady is None else _Posterior(steady, counts)
    return replace(known, slots=np.arange(known.n_epochs), of_slot=of_slot)


class _Posterior(BatchedEpochs):
    """BAYES on a prior that is the same in all epochs."""

    assigns = False

    def __init__(self, epoch: Epoch, counts: np.ndarray) -> None:
        self.epoch, self.counts = epoch, counts

    def __call__(self, slot: int) -> Epoch:
        return _update(self.epoch, self.counts[:, slot])

    def of_users(
        self, users: slice, user: np.ndarray, roi: np.ndarray, slot: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Compute prior times counts, not normalised; the prior where they have no common ROI.

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
        before, own = self.epoch.at_runs(user, roi), self.epoch.own[users]
        after, total = before * self.counts[roi, slot], own @ self.counts.astype(float)
        known = total > 0
        if known.all():
            return after, total
        total = np.where(known, total, own.sum(axis=1)[:, None])
        return np.where(known[user - users.start, slot], after, before), total


def _update(epoch: Epoch, counts: np.ndarray) -> Epoch:
    before, after = epoch.totals(), epoch.map(lambda weights, roi: weights * counts[roi])
    total = after.totals()
    known = total > 0
    scale = (1 / np.where(known, total, np.where(before > 0, before, 1)))[epoch.row]
    own = (
        after.own.data
        if known.all()
        else np.where(known[epoch.row], after.own.data, epoch.own.data)
    )
    if epoch.shared is None or after.shared is None:
        return epoch.with_data(own * scale)
    shared = after.shared if after.shared.sum() > 0 else epoch.shared
    return epoch.with_data(own * scale, shared / shared.sum())


@validated
def count_unupdated(prior: Profile | np.ndarray, aggregate: np.ndarray) -> int:
    """Count the (user, epoch) pairs whose prior and counts have disjoint support.

    For these `bayes` returns the prior.

    Parameters
    ----------
    prior : Profile or array_like, shape (n_users, n_rois, n_epochs)
        The attacker's prior: a profile, or probabilities.
    aggregate : array_like of int, shape (n_rois, n_epochs)
        Counts, with the row of null if the prior has one.

    Returns
    -------
    int
        Number of pairs.
    """
    prior, counts = _checked(prior, aggregate)
    n_kept = 0
    for t in range(prior.n_epochs):
        epoch, now = prior.epoch(t), counts[:, t]
        shared = None if epoch.shared is None else epoch.shared * now
        met = epoch.with_data(epoch.own.data * now[epoch.own.indices], shared)
        n_kept += int((met.totals() == 0).sum())
    return n_kept


@validated
def aggregate_profile(aggregate: np.ndarray, like: Profile) -> Profile:
    """Compute the baseline without a prior: every user has the distribution of the counts.

    Parameters
    ----------
    aggregate : array_like of int, shape (n_rois, n_epochs)
        Counts, with the row of null if the prior has one.
    like : Profile
        Gives users, ROIs and epochs.

    Returns
    -------
    Profile
        The aggregate profile A^p.

    References
    ----------
    Aggregation privacy, Sec. 3.1.
    """
    _, counts = _checked(like, aggregate)
    no_rows = sparse.csr_array((like.n_users, like.n_rois))
    all_users = np.ones(like.n_users, bool)

    def of_epoch(t: int) -> Epoch:
        return Epoch(no_rows, counts[:, t] / max(counts[:, t].sum(), 1), all_users)

    return replace(like, slots=np.arange(like.n_epochs), of_slot=of_epoch)


@validated
def max_roi(prior: Profile | np.ndarray, aggregate: np.ndarray) -> Profile:
    """MAX_ROI: each ROI and epoch is assigned its A(s, t) most probable users.

    Equal probabilities are ordered by reports, then position; users of probability 0 are assigned
    too if there are not enough others. A user may be assigned to several ROIs (null among them) or
    to none.

    Parameters
    ----------
    prior : Profile or array_like, shape (n_users, n_rois, n_epochs)
        The attacker's prior: a profile, or probabilities.
    aggregate : array_like of int, shape (n_rois, n_epochs)
        Counts, with the row of null if the prior has one.

    Returns
    -------
    Profile
        Zeros and ones.

    Raises
    ------
    ValueError
        If shapes disagree or counts are negative, fractional or above n_users.

    References
    ----------
    Aggregation privacy, Algorithm 3.2.

    Examples
    --------
    >>> habits = np.array([[[0.9], [0.1]], [[0.4], [0.6]]])
    >>> max_roi(habits, np.array([[1], [1]])).toarray()[:, :, 0].tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return _greedy(*_checked(prior, aggregate), by_weight=True)


@validated
def max_user(prior: Profile | np.ndarray, aggregate: np.ndarray) -> Profile:
    """MAX_USER: users, most reports first, are assigned to all possible ROIs with free places.

    A ROI's capacity concerns no other ROI, so it is assigned the A(s, t) first users with a
    positive probability, and the order of a user's ROIs changes nothing.

    Parameters
    ----------
    prior : Profile or array_like, shape (n_users, n_rois, n_epochs)
        The attacker's prior: a profile, or probabilities.
    aggregate : array_like of int, shape (n_rois, n_epochs)
        Counts, with the row of null if the prior has one.

    Returns
    -------
    Profile
        Zeros and ones.

    Raises
    ------
    ValueError
        If shapes disagree or counts are negative, fractional or above n_users.

    References
    ----------
    Aggregation privacy, Algorithm 3.3.

    Examples
    --------
    >>> habits = np.array([[[0.9], [0.1]], [[0.4], [0.6]]])
    >>> max_user(habits, np.array([[1], [2]])).toarray()[:, :, 0].tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    return _greedy(*_checked(prior, aggregate), by_weight=False)


def _greedy(prior: Profile, counts: np.ndarray, by_weight: bool) -> Profile:
    slots, steady = np.arange(prior.n_epochs), prior.steady()
    order = np.lexsort((np.arange(prior.n_users), -prior.reports))
    position = np.empty(prior.n_users, int)
    position[order] = np.arange(prior.n_users)
    queues: dict[int, _Queue] = {}

    def of_epoch(t: int) -> Epoch:
        slot = int(prior.slots[t])
        if slot not in queues:
            if len(queues) == _QUEUES:
                queues.clear()
            queues[slot] = _Queue(prior.of_slot(slot), order, position, by_weight)
        return Epoch(queues[slot].serve(counts[:, t]))

    if steady is None:
        return replace(prior, slots=slots, of_slot=of_epoch)
    served = _BatchedAssignment(_Queue(steady, order, position, by_weight), counts)
    return replace(prior, slots=slots, of_slot=served)


_QUEUES = 24  # kept at a time: all of a daily prior


class _Queue:
    """Order in which users are assigned to each ROI."""

    def __init__(
        self, epoch: Epoch, order: np.ndarray, position: np.ndarray, by_weight: bool
    ) -> None:
        own = epoch.own[order]  # a copy: its rows in the users' order
        own.eliminate_zeros()
        by_roi = own.tocsc()
        self.users, self.ends = order[by_roi.indices], by_roi.indptr
        for start, end in pairwise(self.ends) if by_weight else ():
            first = argsort_descending(by_roi.data[start:end])
            self.users[start:end] = self.users[start:end][first]
        self.order, self.position, self.shape = order, position, own.shape
        self.fill_up = by_weight  # those of probability 0 last
        sharers = epoch.sharers if epoch.sharers is not None else np.zeros(len(order), bool)
        self.sharers = order[sharers[order]]
        self.shared = epoch.shared if epoch.shared is not None else np.zeros(own.shape[1])
        self.taken = np.zeros(len(order), bool)

    def serve(self, counts: np.ndarray) -> sparse.csr_array:
        """Assign the counted number of users to each ROI: 0/1 (n_users, n_rois)."""
        rois = np.flatnonzero(counts)
        parts = [self._first(int(roi), int(counts[roi])) for roi in rois]
        user = np.concatenate(parts) if parts else np.empty(0, int)
        roi = np.repeat(rois, [len(part) for part in parts])
        ones = np.ones(len(user), np.int8)
        matrix = sparse.csr_array((ones, (user, roi)), shape=self.shape)
        matrix.sort_indices()
        return matrix

    def of(self, roi: int) -> np.ndarray:
        """Users with a row of their own with this ROI, in order."""
        return self.users[self.ends[roi] : self.ends[roi + 1]]

    def _first(self, roi: int, n: int) -> np.ndarray:
        own = self.of(roi)
        if self.shared[roi] > 0 and not self.fill_up and len(own):
            both = np.concatenate([own, self.sharers])
            return both[np.argsort(self.position[both])][:n]
        if len(own) >= n:
            return own[:n]
        sharers = self.sharers[: n - len(own)] if self.shared[roi] > 0 else own[:0]
        chosen = np.concatenate([own, sharers])
        if len(chosen) == n or not self.fill_up:
            return chosen
        self.taken[chosen] = True
        rest = self.order[:n]  # at most len(chosen) of these n are taken already
        rest = rest[~self.taken[rest]]
        self.taken[chosen] = False
        return np.concatenate([chosen, rest[: n - len(chosen)]])


class _BatchedAssignment(BatchedEpochs):
    """MAX_ROI or MAX_USER on a prior that is the same in all epochs: one queue serves them all.

    A user in a ROI's queue is assigned if the count is at least the user's rank. MAX_ROI then
    assigns users outside the queue, in the users' order up to a last one.
    """

    assigns = True

    def __init__(self, queue: _Queue, counts: np.ndarray) -> None:
        self.queue, self.counts = queue, counts.astype(np.int32)

    def __call__(self, slot: int) -> Epoch:
        return Epoch(self.queue.serve(self.counts[:, slot]))

    def of_users(
        self, users: slice, user: np.ndarray, roi: np.ndarray, slot: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Tell whether each pair is assigned, and how many ROIs each user has.

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
        numpy.ndarray of bool, shape (n,)
            Whether the user is assigned to the ROI.
        numpy.ndarray of int, shape (n_selected, n_slots)
            Number of ROIs of each user.
        """
        rank = self._ranks.at_runs(user, roi)
        served = (rank > 0) & (rank <= self.counts[roi, slot])
        if self._last is not None:
            served |= (rank == 0) & (self.queue.position[user] <= self._last[roi, slot])
        return served, self._totals[users]

    @cached_property
    def _ranks(self) -> Epoch:
        """Ranks, from 1, of users in the queue of a ROI."""
        ends = self.queue.ends
        ranks = 1 + np.arange(ends[-1]) - np.repeat(ends[:-1], np.diff(ends))
        by_roi = sparse.csc_array((ranks, self.queue.users, ends), shape=self.queue.shape)
        return Epoch(by_roi.tocsr())

    @cached_property
    def _last(self) -> np.ndarray | None:
        """Position of the last user assigned outside the queue, (n_rois, n_epochs); -1 for none."""
        over = self.counts - np.diff(self.queue.ends).astype(np.int32)[:, None]
        if not self.queue.fill_up or not (over > 0).any():
            return None
        last = np.full(over.shape, -1, np.int32)
        for roi in np.flatnonzero((over > 0).any(axis=1)).tolist():
            placed = np.sort(self.queue.position[self.queue.of(roi)])
            others_before = placed - np.arange(len(placed))
            nth = over[roi] - 1
            skipped = np.searchsorted(others_before, nth, side="right")
            last[roi] = np.where(nth >= 0, nth + skipped, -1)
        return last

    @cached_property
    def _totals(self) -> np.ndarray:
        """Number of ROIs assigned to each user, (n_users, n_epochs)."""
        n_rois, n_epochs = self.counts.shape
        total = np.zeros((len(self.queue.order), n_epochs), np.int32)
        if self._last is not None:  # as if queues were empty
            for t, last in enumerate(self._last.T):
                ended = np.bincount(last + 1, minlength=len(total) + 1).cumsum()
                total[self.queue.order, t] = n_rois - ended[:-1]
        for roi in np.flatnonzero(self.counts.any(axis=1)).tolist():
            users = self.queue.of(roi)[: self.counts[roi].max()]
            change = (np.arange(len(users))[:, None] < self.counts[roi]).astype(np.int8)
            if self._last is not None:
                change -= self.queue.position[users][:, None] <= self._last[roi]
            total[users] += change
        return total


def _checked(prior: Profile | np.ndarray, aggregate: np.ndarray) -> tuple[Profile, np.ndarray]:
    if not isinstance(prior, Profile):
        prior = from_array(prior)
    counts = np.asarray(aggregate)
    shape = prior.n_rois, prior.n_epochs
    if counts.shape != shape:
        raise ValueError(f"aggregate is {counts.shape}; the prior needs {shape}: ROIs x epochs")
    wrong = ~((counts >= 0) & (counts <= prior.n_users) & (counts == np.floor(counts)))
    if wrong.any():
        s, t = (int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"count {counts[s, t]} at ROI {s}, epoch {t}: a whole number from 0 to "
            f"{prior.n_users}, the users of the prior; round noisy counts with PostProcess()"
        )
    return prior, counts

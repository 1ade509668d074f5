"""Mechanisms on traces, before they are counted: bounded contributions, randomized response."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from lib.mechanisms.base import Mechanism, TraceMechanism, check_change
from lib.traces import Traces
from lib.validation import check_real, format_value


@dataclass(frozen=True)
class BoundContributions(TraceMechanism):
    """Bound on contributions: at most `visits_per_day` visits of each user on each UTC day.

    The visits that are kept are a uniform random choice among those of the day. A user-day then
    changes counts by at most visits_per_day in L1: the sensitivity of `Laplace` for user-day-level
    privacy.

    Parameters
    ----------
    visits_per_day : int
        Largest number of visits of a user on a day, at least 1.

    Raises
    ------
    ValueError
        If visits_per_day is not a whole number from 1.

    References
    ----------
    ZK, Sec. 6.2, which does not say how visits are chosen.

    Examples
    --------
    >>> from lib.datasets import load
    >>> six, rng = load('six-users'), np.random.default_rng(1)
    >>> BoundContributions(1).apply_traces(six, rng).visits().tolist()  # two days
    [2, 2, 2, 2, 2, 2]
    """

    visits_per_day: int

    def __post_init__(self) -> None:
        if not (isinstance(self.visits_per_day, int | np.integer) and self.visits_per_day >= 1):
            raise ValueError(
                f"visits_per_day is {format_value(self.visits_per_day)}; a whole number from 1 "
                "was expected"
            )

    def apply_traces(self, traces: Traces, rng: np.random.Generator) -> Traces:
        """Drop random visits above the bound.

        Parameters
        ----------
        traces : Traces
            Not changed.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        Traces
            Traces of the same users.
        """
        visits = visits_of(traces)
        days, day_of = np.unique(traces.epochs.normalize(), return_inverse=True)
        user_day = visits.user * len(days) + day_of[visits.epoch]
        kept = lowest_of_each(user_day, rng.random(len(user_day)), self.visits_per_day)
        return keep_visits(traces, visits, kept)


class Visits(NamedTuple):
    """Visits of traces, ordered by user and cell. Not in the papers.

    Parameters
    ----------
    user, roi, epoch : ndarray of int, shape (n_visits,)
        Positions.
    """

    user: np.ndarray
    roi: np.ndarray
    epoch: np.ndarray


def visits_of(traces: Traces) -> Visits:
    """List all visits. Not in the papers.

    Parameters
    ----------
    traces : Traces
        Traces of users.

    Returns
    -------
    Visits
        One entry for each visit.
    """
    user = np.repeat(np.arange(traces.n_users), np.diff(traces.matrix.indptr))
    cell = traces.matrix.indices.astype(np.int64)
    return Visits(user, *np.divmod(cell, max(traces.n_epochs, 1)))


def lowest_of_each(key: np.ndarray, rank: np.ndarray, n: int) -> np.ndarray:
    """Find the n entries of lowest rank among those with the same key. Not in the papers.

    With ranks drawn at random, the entries are a uniform choice without replacement.

    Parameters
    ----------
    key : ndarray of int, shape (n_entries,)
        What entries have in common.
    rank : ndarray, shape (n_entries,)
        Their order.
    n : int
        How many to keep of each key.

    Returns
    -------
    ndarray of int
        Positions, ascending.
    """
    order = np.lexsort((rank, key))
    first = np.searchsorted(key[order], key[order])  # position of the first entry of the same key
    return np.sort(order[np.arange(len(order)) - first < n])


def keep_visits(traces: Traces, visits: Visits, kept: np.ndarray) -> Traces:
    """Keep some visits and drop the others. Not in the papers.

    Parameters
    ----------
    traces : Traces
        Traces of users.
    visits : Visits
        All their visits.
    kept : ndarray of int
        Positions of the visits to keep.

    Returns
    -------
    Traces
        Traces of the same users, places and epochs.
    """
    codes = visits.user[kept], visits.roi[kept], visits.epoch[kept]
    return Traces.from_codes(*codes, traces.users, traces.rois, traces.epochs, traces.report)


@dataclass(frozen=True, repr=False)
class RandomizedResponse(TraceMechanism):
    """SpotMe: each user reports every cell; with probability p the report is a forced "yes".

    With probability 1 - p the report is the truth. A user who was there always says yes, and a "no"
    is always true, so the mechanism is not epsilon-DP for any epsilon and p. The exact (epsilon,
    delta) between two traces is `effective_delta`; for one visit added or removed, delta is 1 - p
    at every epsilon. The paper prints ln((S - (S - 1) p) / p)-DP for an epoch, which is the formula
    of another mechanism, S-ary randomized response.

    `release_traces(traces, groups, [RandomizedResponse(p), ...], rng)` counts the reports and gives
    the unbiased estimate of the counts, which can be fractional and negative.

    Parameters
    ----------
    p : float
        Probability of a forced "yes", strictly between 0 and 1.

    Raises
    ------
    ValueError
        If p is not in (0, 1).

    References
    ----------
    Aggregation privacy, Sec. 5.3; Quercia et al. 2011.

    Examples
    --------
    >>> change = np.array([[1, 0], [0, 0]])  # one visit more
    >>> round(RandomizedResponse(0.3).effective_delta(change, epsilon=5.0).item(), 10)
    0.7
    """

    p: float

    def __post_init__(self) -> None:
        if not 0 < check_real("p", self.p) < 1:
            raise ValueError(f"p is {self.p}; a probability strictly between 0 and 1 was expected")

    def __repr__(self) -> str:
        return (
            f"RandomizedResponse(p={self.p:g}): not epsilon-DP for any epsilon; for one report of "
            f"one user (epsilon, {1 - self.p:.3g})-DP, every epsilon"
        )

    def apply_traces(self, traces: Traces, rng: np.random.Generator) -> Traces:
        """Replace traces by reports; at least a share p of all cells is then set.

        Parameters
        ----------
        traces : Traces
            Not changed.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        Traces
            Reports of the same users.
        """
        blocks = []
        for first in range(0, traces.n_users, 64):
            reports = traces.matrix[first : first + 64].toarray().astype(bool)
            reports |= rng.random(reports.shape, np.float32) < self.p
            blocks.append(sparse.csr_array(reports.astype(np.int32)))
        reports = sparse.vstack(blocks, "csr")
        return Traces(reports, traces.users, traces.rois, traces.epochs, traces.report)

    def estimator(self) -> Mechanism:
        """Return the mechanism that debiases counts of reports.

        Returns
        -------
        Mechanism
            Maps counts of "yes" to unbiased estimates of the true counts.
        """
        return _Unbiased(self.p)

    def simulate(self, counts: np.ndarray, rng: np.random.Generator, group_size: int) -> np.ndarray:
        """Sample released estimates from true counts, with the distribution of the protocol.

        Of the group_size - count absent users, a binomial number says yes; reports are independent.

        Parameters
        ----------
        counts : numpy.ndarray of int
            True counts.
        rng : numpy.random.Generator
            Source of randomness.
        group_size : int
            Users in the group.

        Returns
        -------
        numpy.ndarray of float
            Estimated counts, of the same shape.
        """
        yes = counts + rng.binomial(group_size - counts, self.p)
        return self.estimator().apply(yes, rng, np.asarray(group_size))

    def effective_delta(self, change: np.ndarray, epsilon: float) -> np.ndarray:
        """Compute the smallest delta for which two traces are (epsilon, delta)-indistinguishable.

        With a cells only in the first trace and b only in the second, the first's reports hold a
        "no" that is impossible for the second with probability 1 - p^b; all other reports have
        likelihood ratio p^b / p^a. The result is the larger of both directions.

        Parameters
        ----------
        change : array_like of {-1, 0, 1}, shape (..., n_rois, n_epochs)
            One trace minus the other.
        epsilon : float
            Privacy parameter, at least 0.

        Returns
        -------
        numpy.ndarray, shape (...)
            delta of each pair of traces.
        """
        if not 0 <= check_real("epsilon", epsilon) < math.inf:
            raise ValueError(f"epsilon is {epsilon}; a finite number from 0 was expected")
        change = check_change(change)
        gained, lost = ((change == sign).sum(axis=(-2, -1)) for sign in (1, -1))
        return np.maximum(
            self._one_way(gained, lost, epsilon), self._one_way(lost, gained, epsilon)
        )

    def _one_way(self, a: np.ndarray, b: np.ndarray, epsilon: float) -> np.ndarray:
        log_p = math.log(self.p)
        same = np.exp(b * log_p) * -np.expm1(np.minimum(0.0, epsilon + (a - b) * log_p))
        return -np.expm1(b * log_p) + same


@dataclass(frozen=True)
class _Unbiased(Mechanism):
    """Debias counts of n reports: (yes - p n) / (1 - p), aggregation privacy, Sec. 5.3."""

    p: float

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        return (counts - self.p * group_size) / (1 - self.p)

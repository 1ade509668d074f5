"""Joint localization of all users. Not in the paper.

The paper's strategies look at one user (BAYES), one ROI (MAX_ROI) or one user after another
(MAX_USER). The counts constrain all users jointly: in each epoch, the users at a ROI must add up to
its count, and every user is somewhere (null included). Both functions below mix the prior with a
small share of the aggregate profile, (1 - mix) P + mix A^p, because users visit ROIs where they
were never seen before.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import optimize, sparse

from lib.localization.profiles import Epoch, Profile, row_of, with_data
from lib.localization.strategies import _checked
from lib.validation import validated


@validated
def most_likely(prior: Profile | np.ndarray, aggregate: np.ndarray, mix: float = 0.05) -> Profile:
    """Compute the most likely joint assignment under the counts, exactly.

    A transport problem for each epoch: among all 0/1 assignments with the counted number of users
    at each ROI and at least one ROI for each user, one with the largest sum of log probabilities.
    If more visits than users were counted, the rest are second visits. Ties are broken by reports.

    Parameters
    ----------
    prior : Profile or array_like, shape (n_users, n_rois, n_epochs)
        The attacker's prior: a profile, or probabilities.
    aggregate : array_like of int, shape (n_rois, n_epochs)
        Counts, with the row of null if the prior has one.
    mix : float, default=0.05
        Share of the aggregate profile in the prior, in (0, 1).

    Returns
    -------
    Profile
        Zeros and ones.

    Raises
    ------
    ValueError
        As `bayes`, for a mix outside (0, 1), and in an epoch with fewer visits than users.
    """
    prior, counts = _checked(prior, aggregate)
    _check_mix(mix)
    order = np.lexsort((np.arange(prior.n_users), -prior.reports))
    solved = [
        Epoch(_transport(_probabilities(prior, t), counts[:, t], mix, order, t))
        for t in range(prior.n_epochs)
    ]
    return replace(prior, slots=np.arange(prior.n_epochs), of_slot=solved.__getitem__)


@validated
def max_entropy(
    prior: Profile | np.ndarray, aggregate: np.ndarray, mix: float = 0.05, sweeps: int = 200
) -> Profile:
    """Compute approximate marginals under the counts.

    The beliefs nearest to the prior in relative entropy that add up to the counts, found by
    Sinkhorn's scaling of ROIs and users. Approximate, because the counts then hold on average and
    not exactly. If more visits than users were counted, their shares are used.

    Parameters
    ----------
    prior : Profile or array_like, shape (n_users, n_rois, n_epochs)
        The attacker's prior: a profile, or probabilities.
    aggregate : array_like of int, shape (n_rois, n_epochs)
        Counts, with the row of null if the prior has one.
    mix : float, default=0.05
        Share of the aggregate profile in the prior, in (0, 1).
    sweeps : int, default=200
        Largest number of scaling steps.

    Returns
    -------
    Profile
        Probabilities.

    Raises
    ------
    ValueError
        As `bayes`, for a mix outside (0, 1), and in an epoch without a visit.
    """
    prior, counts = _checked(prior, aggregate)
    _check_mix(mix)

    def of_epoch(t: int) -> Epoch:
        if not counts[:, t].any():
            raise ValueError(
                f"epoch {t}: no user was counted; every user is somewhere, null included"
            )
        own, share = _probabilities(prior, t), counts[:, t] / max(counts[:, t].sum(), 1)
        factor = _scaled(own, share, mix, sweeps)
        belief = ((1 - mix) * own.toarray() + mix * share) * factor
        return Epoch(sparse.csr_array(belief / belief.sum(axis=1, keepdims=True)))

    return replace(prior, slots=np.arange(prior.n_epochs), of_slot=of_epoch)


_LEAST_MIX = 1e-12  # below, products with it may be 0, and their logarithms infinite


def _check_mix(mix: float) -> None:
    if not _LEAST_MIX <= mix < 1:
        raise ValueError(f"mix is {mix}; a share strictly between 0 and 1 was expected")


def _probabilities(prior: Profile, t: int) -> sparse.csr_array:
    """One epoch's rows, normalised; (n_users, n_rois)."""
    epoch = prior.epoch(t)
    own = epoch.own
    if epoch.shared is not None:
        own = sparse.csr_array(epoch.toarray(np.arange(prior.n_users)))
    return with_data(own, own.data / own.sum(axis=1)[row_of(own)])


def _scaled(own: sparse.csr_array, share: np.ndarray, mix: float, sweeps: int) -> np.ndarray:
    """(n_rois,): what each ROI's probabilities are multiplied by before users are normalised."""
    factor = np.ones(len(share))
    seen = share > 0
    for _ in range(sweeps):
        users = 1 / ((1 - mix) * (own @ (factor * seen)) + mix * (share @ factor))
        expected = ((1 - mix) * (own.T @ users) + mix * share * users.sum()) / own.shape[0]
        now = np.where(seen, share / np.where(seen, expected, 1), 0.0)
        if np.abs(now - factor).max() < 1e-9 * factor.max():
            break
        factor = now
    return factor


def _transport(
    own: sparse.csr_array, counts: np.ndarray, mix: float, order: np.ndarray, t: int
) -> sparse.csr_array:
    """Assign users to ROIs along their own edges, or through a hub at the cost of any user."""
    n_users = own.shape[0]
    if counts.sum() < n_users:
        raise ValueError(
            f"epoch {t}: {counts.sum():g} visits of {n_users} users; every user is somewhere, so "
            "null must be counted"
        )
    share = counts / counts.sum()
    user, roi = row_of(own), own.indices
    open_ = (own.data > 0) & (counts[roi] > 0)
    user, roi, p = user[open_], roi[open_], own.data[open_]
    with np.errstate(divide="ignore"):
        hub_cost = np.where(counts > 0, -np.log(mix * share), 0.0)
    cost = np.concatenate([-np.log((1 - mix) * p + mix * share[roi]), np.zeros(n_users), hub_cost])
    used, through = _solve(user, roi, cost, counts, n_users)
    return _placed(user[used], roi[used], through, order, own.shape)


def _solve(
    user: np.ndarray, roi: np.ndarray, cost: np.ndarray, counts: np.ndarray, n_users: int
) -> tuple[np.ndarray, np.ndarray]:
    """Solve for the own edges that are used, and the flow through the hub to each ROI."""
    n_own, n_rois = len(user), len(counts)
    edge, people, places = np.arange(n_own), np.arange(n_users), np.arange(n_rois)
    to_hub, from_hub = n_own + people, n_own + n_users + places

    def matrix(row: np.ndarray, column: np.ndarray, n_rows: int) -> sparse.csr_array:
        return sparse.csr_array((np.ones(len(row)), (row, column)), (n_rows, len(cost)))

    somewhere = matrix(np.r_[user, people], np.r_[edge, to_hub], n_users)
    counted = matrix(np.r_[roi, places], np.r_[edge, from_hub], n_rois)
    hub = sparse.csr_array(
        np.r_[np.zeros(n_own), np.ones(n_users), -np.ones(n_rois)].reshape(1, -1)
    )
    bounds = np.c_[np.zeros(len(cost)), np.r_[np.ones(n_own + n_users), counts]]
    result = optimize.linprog(
        cost,
        A_ub=-somewhere,
        b_ub=-np.ones(n_users),
        A_eq=sparse.vstack([counted, hub]),
        b_eq=np.r_[counts, 0],
        bounds=bounds,
        method="highs-ds",  # the dual simplex ends in a corner, and the corners are whole numbers
    )
    if not result.success:
        raise RuntimeError(f"the transport problem was not solved: {result.message}")
    flow = np.rint(result.x).astype(int)
    return flow[:n_own] > 0, flow[from_hub]


def _placed(
    user: np.ndarray, roi: np.ndarray, through: np.ndarray, order: np.ndarray, shape: tuple
) -> sparse.csr_array:
    """Build 0/1 from used edges; the hub serves users without an edge, then any user, in order."""
    taken = sparse.csr_array((np.ones(len(user), np.int8), (user, roi)), shape).tolil()
    placed = np.zeros(shape[0], bool)
    placed[user] = True
    waiting = list(order[~placed[order]][::-1])
    for place in np.repeat(np.arange(shape[1]), through):
        if waiting:
            taken[waiting.pop(), place] = 1
        else:
            taken[next(u for u in order if not taken[u, place]), place] = 1
    return sparse.csr_array(taken.tocsr())

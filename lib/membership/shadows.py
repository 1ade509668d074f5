"""Shadow and test aggregates of the membership game of the threshold paper, restricted to cells.

Only the cells that an attack reads are counted: `visits` is a 0/1 matrix (users of a pool, cells).
What the attacker knows is taken away before: with a known share theta of the others, what is left
of a release is the sum of the (1 - theta) m others she does not know, the target if she is in,
and the noise. Shadow aggregates and test aggregates are drawn alike, from different pools.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lib.aggregation import split_pools
from lib.mechanisms import Mechanism
from lib.mechanisms.traces import keep_visits, lowest_of_each, visits_of
from lib.traces import Traces
from lib.validation import check_finite, check_positions, format_value, validated

_WHOLE = 2**24  # float32 counts to it one by one
_CHUNK = 2_000  # groups counted at once: 32 MB for a pool of 4,000
NEIGHBOURS = ("add", "replace")


@validated
def clip_visits(traces: Traces, most: int, rng: np.random.Generator) -> Traces:
    """Keep at most a number of visits of each user in each epoch, chosen uniformly at random.

    Parameters
    ----------
    traces : Traces
        The population.
    most : int
        Visits per user and epoch to keep, at least 1.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Traces
        Traces of the same users.

    Raises
    ------
    ValueError
        If `most` is not a whole number from 1.

    References
    ----------
    Threshold paper, Sec. 2.2.2 (C = 1).
    """
    if isinstance(most, bool) or not isinstance(most, int | np.integer) or most < 1:
        raise ValueError(
            f"C is {format_value(most)} visits an epoch; a whole number from 1 was expected"
        )
    visits = visits_of(traces)
    user_epoch = visits.user * traces.n_epochs + visits.epoch
    kept = lowest_of_each(user_epoch, rng.random(len(user_epoch)), most)
    return keep_visits(traces, visits, kept)


@validated
def positive_cells(traces: Traces, target: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw cells of the target without repeats.

    Parameters
    ----------
    traces : Traces
        The population.
    target : int
        Position of the target.
    n : int
        Number of cells. Any first k of them are a draw of k.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of int, shape (n,)
        cell = roi * n_epochs + epoch.

    Raises
    ------
    ValueError
        If the target is not a position in the traces or has fewer cells.
    """
    if not 0 <= target < traces.n_users:
        raise ValueError(f"target is {target}; positions are 0 to {traces.n_users - 1}")
    cells = traces.matrix.indices[traces.matrix.indptr[target] : traces.matrix.indptr[target + 1]]
    if not 1 <= n <= len(cells):
        raise ValueError(
            f"{n} positive cells were asked for; target {target} ({traces.users[target]!r}) "
            f"allows 1 to {len(cells)}"
        )
    return rng.permutation(cells)[:n]


class Pools(NamedTuple):
    """Disjoint positions of users.

    Attributes
    ----------
    target : numpy.ndarray of int
        Users of the target's release.
    auxiliary : numpy.ndarray of int
        Users whom the attacker knows: those of `train` and `validation`.
    train : numpy.ndarray of int
        Users of training aggregates.
    validation : numpy.ndarray of int
        Users of validation aggregates.
    """

    target: np.ndarray
    auxiliary: np.ndarray
    train: np.ndarray
    validation: np.ndarray


@validated
def split_users(traces: Traces, target: int, rng: np.random.Generator) -> Pools:
    """Split all users but the target into disjoint pools.

    Half of them are released and half auxiliary; auxiliary users are split again into training and
    validation. Users left over by the divisions are in no pool.

    Parameters
    ----------
    traces : Traces
        The population.
    target : int
        Position of the target.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Pools
        Positions of users.

    References
    ----------
    Threshold paper, Sec. 5.2.
    """
    others = np.setdiff1d(np.arange(traces.n_users), [target])
    quarter = len(others) // 4
    sizes = [len(others) // 2, quarter, len(others) // 2 - quarter]
    released, train, validation = split_pools(others, sizes, rng)
    return Pools(released, np.sort(np.concatenate([train, validation])), train, validation)


@validated
def visits_at(traces: Traces, users: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Return who visits which of some cells.

    Parameters
    ----------
    traces : Traces
        The population.
    users : ndarray of int
        Positions of users.
    cells : ndarray of int
        cell = roi * n_epochs + epoch.

    Returns
    -------
    ndarray of {0, 1}, shape (n_users, n_cells)
        Visits, uint8.
    """
    users = check_positions("users", users, traces.n_users)
    cells = check_positions("cells", cells, traces.matrix.shape[1])
    return traces.matrix[users][:, cells].toarray().astype(np.uint8)


@validated
def sample_counts(
    visits: np.ndarray, n_groups: int, group_size: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw counts of uniform groups of distinct users, independent of one another.

    The draw is exact: the number of users in a group who visit any of the cells is hypergeometric,
    and
    they are a uniform subset of those who do. All other users contribute nothing and are not drawn.

    Parameters
    ----------
    visits : ndarray of {0, 1}, shape (n_pool, n_cells)
        Visits of the pool.
    n_groups : int
        Number of groups.
    group_size : int
        Users in a group.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of float32, shape (n_groups, n_cells)
        Counts, whole numbers.

    Raises
    ------
    ValueError
        If a group is larger than the pool or there is no group.
    """
    _check_visits(visits)
    pool = len(visits)
    if not 0 <= group_size <= pool:
        raise ValueError(f"group_size is {group_size}; the pool allows 0 to {pool}")
    if n_groups < 1:
        raise ValueError(f"n_groups is {n_groups}; at least 1")
    seen = visits[visits.any(axis=1)].astype(np.float32)
    counts = np.zeros((n_groups, visits.shape[1]), np.float32)
    if group_size == 0 or not len(seen):
        return counts
    sizes = rng.hypergeometric(len(seen), pool - len(seen), group_size, n_groups)
    for first in range(0, n_groups, _CHUNK):
        chosen = _subsets(sizes[first : first + _CHUNK], len(seen), rng)
        counts[first : first + _CHUNK] = chosen.astype(np.float32) @ seen
    return counts


def _check_visits(visits: np.ndarray) -> None:
    if visits.ndim != 2 or not ((visits == 0) | (visits == 1)).all():
        raise ValueError(f"visits are {format_value(visits)}; 0 or 1 in (pool, cells) was expected")


def _subsets(sizes: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """A uniform subset of n elements of each size: bool (len(sizes), n).

    Coin flips first: given how many elements they choose, the choice is uniform. Elements drawn
    uniformly are then added or dropped, one at a time, until there are as many as wanted.
    """
    coin = round(256 * sizes.mean() / n)
    flips = np.frombuffer(rng.bytes(len(sizes) * n), np.uint8).reshape(len(sizes), n)
    chosen = flips < coin
    missing = sizes - chosen.sum(axis=1)
    while len(rows := np.flatnonzero(missing)):
        columns = rng.integers(n, size=len(rows))
        wanted = missing[rows] > 0  # more of them, or fewer
        useful = chosen[rows, columns] != wanted
        rows, columns, wanted = rows[useful], columns[useful], wanted[useful]
        chosen[rows, columns] = wanted
        missing[rows] -= np.where(wanted, 1, -1)
    return chosen


@validated
def shadow_aggregates(
    visits: np.ndarray,
    n_shadow: int,
    group_size: int,
    mechanism: Mechanism,
    rng: np.random.Generator,
    theta: float = 0.0,
    trace: np.ndarray | None = None,
    neighbours: str = "add",
) -> tuple[np.ndarray, np.ndarray]:
    """Draw noisy aggregates minus the members whom the attacker knows.

    Parameters
    ----------
    visits : ndarray of {0, 1}, shape (n_pool, n_cells)
        Visits of the pool from which the other users come; the target is not in it.
    n_shadow : int
        Number of aggregates, even.
    group_size : int
        Other users in a group, m.
    mechanism : lib.mechanisms.Mechanism
        What is applied to counts.
    rng : numpy.random.Generator
        Source of randomness.
    theta : float in [0, 1]
        Share of the other users whose traces are known: 1 for the informed attacker, 0 for the
        auxiliary one.
    trace : ndarray of float, shape (n_cells,), optional
        What the target adds; by default 1 everywhere (all cells are positive).
    neighbours : {"add", "replace"}
        "add": members have m other users and the target (Def. 3); "replace": m - 1 and the target,
        if
        any other user is unknown.

    Returns
    -------
    aggregates : ndarray of float32, shape (n_shadow, n_cells)
        Noisy counts.
    members : ndarray of {0, 1}, shape (n_shadow,)
        1 for aggregates with the target, which come first.

    Raises
    ------
    ValueError
        If an argument is out of range, or as `sample_counts`.

    References
    ----------
    Threshold paper, Alg. 1, lines 2-8.
    """
    _check_visits(visits)
    unknown = _unknown(visits, n_shadow, group_size, theta, neighbours)
    half, fewer = n_shadow // 2, int(neighbours == "replace" and unknown > 0)
    added = np.ones(visits.shape[1]) if trace is None else check_finite("trace", trace, 0, _WHOLE)
    if added.shape != (visits.shape[1],):
        raise ValueError(f"trace is {added.shape}; the {visits.shape[1]} cells ask one value each")
    aggregates = np.concatenate(
        [
            sample_counts(visits, half, unknown - fewer, rng) + added.astype(np.float32),
            sample_counts(visits, half, unknown, rng),
        ]
    )
    for first in range(0, n_shadow, _CHUNK):  # noise is drawn in float64, a chunk at a time
        rows = slice(first, first + _CHUNK)
        aggregates[rows] = mechanism.apply(aggregates[rows], rng, np.asarray(group_size))
    return aggregates, np.repeat([1, 0], half)


@validated
def unknown_size(group_size: int, theta: float) -> int:
    """Compute the number of other users whom the attacker does not know.

    Parameters
    ----------
    group_size : int
        Other users in a group, m.
    theta : float in [0, 1]
        Share of them whose traces are known.

    Returns
    -------
    int
        (1 - theta) m, rounded.

    Raises
    ------
    ValueError
        If theta is outside [0, 1].
    """
    if not 0 <= theta <= 1:  # NaN is wrong too
        raise ValueError(f"theta is {theta}; a share from 0 to 1 was expected")
    return round(group_size * (1 - theta))


def _unknown(
    visits: np.ndarray, n_shadow: int, group_size: int, theta: float, neighbours: str
) -> int:
    if neighbours not in NEIGHBOURS:
        raise ValueError(
            f"neighbours is {format_value(neighbours)}; one of {', '.join(NEIGHBOURS)}"
        )
    if n_shadow < 2 or n_shadow % 2:
        raise ValueError(f"n_shadow is {n_shadow}; an even number from 2 was expected")
    if not 1 <= group_size <= len(visits):
        raise ValueError(f"group_size is {group_size}; the pool allows 1 to {len(visits)}")
    return unknown_size(group_size, theta)

"""Which values hidden counts probably have: tables of whole numbers that agree with the totals.

`lib.audit.small_counts` finds the counts that totals *force*. Most totals leave several values
possible, but not equally probable. Here tables are sampled that agree with everything published,
and each hidden count is guessed by the value that it has in most of them.

Given the totals of places and of hours, every way in which people can produce them is taken to be
equally likely. A table x then has a probability proportional to the product of 1 / x!, as in
Fisher's exact test, restricted to the values that hidden counts may have.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize, sparse, special

from lib.audit.linear_bounds import ContradictionError

_LONGER = 0.3  # probability that a cycle goes on to one more row and column
_HIDDEN_FIRST = 0.9  # probability that cycles take columns in which all their counts are hidden


def value_shares(
    low: np.ndarray,
    high: np.ndarray,
    by_row: np.ndarray,
    by_column: np.ndarray,
    sweeps: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Sample tables with given totals, and count how often each cell has each value.

    A Gibbs sampler walks from table to table. In each step it takes a cycle of cells, adds a number
    to every second one and subtracts it from the others, so that all totals remain the same. Cycles
    over all rows and columns occur, so every table that fits can be reached. The first half of the
    sweeps is not counted.

    Parameters
    ----------
    low, high : ndarray of int, shape (n_rows, n_columns)
        Smallest and largest value of each count; equal where the count is published.
    by_row : ndarray of int, shape (n_rows,)
        Totals of the rows.
    by_column : ndarray of int, shape (n_columns,)
        Totals of the columns.
    sweeps : int
        Number of sweeps; each tries to change nearly every cell once.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n_rows, n_columns, 1 + max(high - low))
        Share of the tables in which the count of a cell is low, low + 1, and so on.

    Raises
    ------
    ContradictionError
        If no table of whole numbers fits.
    ValueError
        If there are fewer than two sweeps.

    References
    ----------
    Diaconis and Sturmfels 1998 (sampling tables with given totals); Dick et al. 2023 (ranking what
    most candidates have in common).
    """
    if sweeps < 2:
        raise ValueError(f"sweeps is {sweeps}; at least 2 were expected")
    low, high = np.asarray(low, np.int64), np.asarray(high, np.int64)
    table = _any_table(low, high, np.asarray(by_row), np.asarray(by_column))
    log_weight = -special.gammaln(np.arange(int(high.max()) + 1) + 1.0)
    counted = np.zeros((*low.shape, int((high - low).max()) + 1))
    row, column = np.indices(low.shape)
    for sweep in range(sweeps):
        if sweep % 2:
            _move(table.T, low.T, high.T, log_weight, rng)
        else:
            _move(table, low, high, log_weight, rng)
        if sweep >= sweeps // 2:
            counted[row, column, table - low] += 1
    return counted / (sweeps - sweeps // 2)


def _any_table(
    low: np.ndarray, high: np.ndarray, by_row: np.ndarray, by_column: np.ndarray
) -> np.ndarray:
    """Find one table: a corner of the transportation polytope, which has whole numbers."""
    row, column = np.nonzero(low < high)
    n_rows, n_columns = low.shape
    cell, one = np.arange(len(row)), np.ones(2 * len(row))
    place = np.concatenate([row, n_rows + column]), np.tile(cell, 2)
    matrix = sparse.csr_array((one, place), (n_rows + n_columns, len(row)))
    left = np.concatenate([by_row - low.sum(axis=1), by_column - low.sum(axis=0)])
    table = low.copy()
    if len(row):
        bounds = np.stack([np.zeros(len(row)), (high - low)[row, column]], axis=1)
        cost = np.zeros(len(row))
        found = optimize.linprog(cost, A_eq=matrix, b_eq=left, bounds=bounds, method="highs-ds")
        if found.status == 0:
            table[row, column] += np.rint(found.x).astype(np.int64)
    fits = (table.sum(axis=1) == by_row).all() and (table.sum(axis=0) == by_column).all()
    if not fits:
        raise ContradictionError("the totals contradict the counts: no table of whole numbers fits")
    return table


def _move(
    table: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    log_weight: np.ndarray,
    rng: np.random.Generator,
) -> None:
    """Change the table along cycles that share no cell, with the same number of rows each."""
    n = min(1 + rng.geometric(1 - _LONGER), *table.shape)
    if n < 2:
        return
    rows = rng.permutation(len(table))[: len(table) // n * n].reshape(-1, n)
    order = rng.random((len(rows), table.shape[1]))
    if rng.random() < _HIDDEN_FIRST:
        order -= (low < high)[rows].all(axis=1)
    columns = np.argsort(order, axis=1)[:, : table.shape[1] // n * n]
    row, column = rows[:, None], columns.reshape(len(rows), -1, n)
    up, down = (row, column), (row, np.roll(column, -1, axis=2))
    most = np.minimum((high[up] - table[up]).min(2), (table[down] - low[down]).min(2))
    least = -np.minimum((table[up] - low[up]).min(2), (high[down] - table[down]).min(2))
    free = np.nonzero(least < most)
    if not len(free[0]):
        return
    most, least = most[free], least[free]
    up = rows[free[0]], column[free]
    down = up[0], np.roll(up[1], -1, axis=1)
    step = np.arange(least.min(), most.max() + 1)
    top = len(log_weight) - 1
    raised = np.clip(table[up][..., None] + step, 0, top)
    lowered = np.clip(table[down][..., None] - step, 0, top)
    score = log_weight[raised].sum(axis=1) + log_weight[lowered].sum(axis=1)
    score[(step < least[:, None]) | (step > most[:, None])] = -np.inf
    chosen = step[(score + rng.gumbel(size=score.shape)).argmax(axis=1)]
    table[up] += chosen[:, None]
    table[down] -= chosen[:, None]

"""All tables of whole numbers that have given totals, one after another."""

from itertools import product
from math import factorial, prod

import numpy as np


def value_shares(low, high, by_row, by_column):
    """Return the probability of each value of each count, over all tables that fit.

    A table's weight is 1 divided by the product of the factorials of its counts.
    """
    found = np.zeros((*low.shape, int((high - low).max()) + 1))
    ranges = [range(least, most + 1) for least, most in zip(low.flat, high.flat, strict=True)]
    for cells in product(*ranges):
        table = np.array(cells).reshape(low.shape)
        if (table.sum(axis=1) != by_row).any() or (table.sum(axis=0) != by_column).any():
            continue
        for (row, column), value in np.ndenumerate(table):
            found[row, column, value - low[row, column]] += 1 / prod(map(factorial, cells))
    return found / found[0, 0].sum()

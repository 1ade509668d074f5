"""The correlated likelihood ratio as its definition reads: every group of the pool, one by one."""

from itertools import combinations

import numpy as np


def likelihood(x, visits, chance, density, added):
    """Density of one release x (cells,): averaged over all groups, each user in with `chance`."""
    n_users, total = len(visits), 0.0
    for size in range(n_users + 1):
        for group in combinations(range(n_users), size):
            product = chance**size * (1 - chance) ** (n_users - size)
            for cell in range(len(x)):
                count = added + sum(visits[user][cell] for user in group)
                product *= density(x[cell] - count)
            total += product
    return total


def log_ratio(x, visits, chance, density):
    """log of how much likelier the release is with the target, who adds 1 to each cell."""
    with_her = likelihood(x, visits, chance, density, 1)
    return float(np.log(with_her / likelihood(x, visits, chance, density, 0)))

"""Algorithms 1 to 7 of the threshold paper, cell by cell, with the decisions on its slips.

Aggregates are lists of lists (sites x epochs), traces 0/1 alike; members = 1. n is the number of
others in a group, theta the share of them that the attacker knows.
"""

import numpy as np
from scipy import stats


def zeros(z):
    return [[0 for _ in row] for row in z]


def add(first, second):
    return [
        [first[le][e] + second[le][e] for e in range(len(first[0]))] for le in range(len(first))
    ]


def subtract(first, second):
    return [
        [first[le][e] - second[le][e] for e in range(len(first[0]))] for le in range(len(first))
    ]


def shadow_aggregates(auxiliary, z, n, theta, m, perturb, rng):
    """Alg. 1, lines 1-8: m aggregates, the first half with the target."""
    aggregates = []
    for i in range(m):
        shuffled = rng.permutation(len(auxiliary))
        total = zeros(z)
        for user in shuffled[: round(n * (1 - theta))]:
            total = add(total, auxiliary[user])
        if i < m // 2:
            total = add(total, z)
        aggregates.append([[perturb(value) for value in row] for row in total])
    return aggregates


def score1(aggregate, known, z):
    """Alg. 2."""
    left = subtract(aggregate, known)
    s = 0.0
    for le in range(len(z)):
        for e in range(len(z[0])):
            if z[le][e] == 1:
                s += left[le][e]
    return s


def score2(aggregate, known, z, cell_thresholds):
    """Alg. 4, with the thresholds that Alg. 5 or 7 gives."""
    left = subtract(aggregate, known)
    s = 0
    for le in range(len(z)):
        for e in range(len(z[0])):
            if z[le][e] == 1 and left[le][e] >= cell_thresholds[le][e]:
                s += 1
    return s


def halves(shadow):
    """Members and non-members: the first half was given the target."""
    return shadow[: len(shadow) // 2], shadow[len(shadow) // 2 :]


def threshold(shadow, z, score):
    """Alg. 3 for either score, a function of an aggregate."""
    members, others = halves(shadow)
    mu1 = sum(score(each) for each in members) / len(members)
    mu0 = sum(score(each) for each in others) / len(others)
    return (mu0 + mu1) / 2


def cell_thresholds(shadow, z):
    """Alg. 5."""
    members, others = halves(shadow)
    found = zeros(z)
    for le in range(len(z)):
        for e in range(len(z[0])):
            mu0 = sum(each[le][e] for each in others) / len(others)
            mu1 = sum(each[le][e] for each in members) / len(members)
            found[le][e] = (mu0 + mu1) / 2
    return found


def threshold_at(shadow, z, score, alpha):
    """Alg. 6: N(mu_0, sigma) with the root of the average variance."""
    members, others = halves(shadow)
    inside, outside = [score(each) for each in members], [score(each) for each in others]
    sigma = ((np.var(inside) + np.var(outside)) / 2) ** 0.5
    return stats.norm(np.mean(outside), sigma).ppf(1 - alpha)


def cell_thresholds_at(shadow, z, alpha):
    """Alg. 7, with the empirical distribution joined by lines as the smoothing."""
    _, others = halves(shadow)
    found = zeros(z)
    for le in range(len(z)):
        for e in range(len(z[0])):
            found[le][e] = float(np.quantile([each[le][e] for each in others], 1 - alpha))
    return found


def attack(aggregate, known, score, at):
    """Alg. 1, lines 9-19, with Eq. 10 on ties: 1 if the score reaches the threshold."""
    return int(score(subtract(aggregate, known)) >= at)


def group_counts(visits, n_groups, group_size, rng):
    """Counts of groups drawn one at a time, users added one at a time."""
    counts = np.zeros((n_groups, visits.shape[1]))
    for g in range(n_groups):
        for user in rng.choice(len(visits), group_size, replace=False):
            counts[g] += visits[user]
    return counts


def laplace_ratio(x, b):
    """The informed attacker's log-likelihood ratio of a cell."""
    return (abs(x) - abs(x - 1)) / b


def convolved_ratio(x, counts, density):
    """The auxiliary attacker's: each count's probability times the noise's density at the rest."""
    with_her = sum(p * density(x - 1 - c) for c, p in enumerate(counts))
    without = sum(p * density(x - c) for c, p in enumerate(counts))
    return float(np.log(with_her / without))

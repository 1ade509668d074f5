"""ZK's algorithms as the listings read, one trace and one visit at a time."""

import numpy as np


def border(subgraph, neighbours):
    """The ROIs that are next to the subgraph and not in it. neighbours: a list of sets."""
    return sorted(set().union(*(neighbours[s] for s in subgraph)) - set(subgraph))


def grow(origin, neighbours, size, rng):
    subgraph = [origin]
    while len(subgraph) < size and border(subgraph, neighbours):
        subgraph.append(int(rng.choice(border(subgraph, neighbours))))
    return subgraph


def probability_of_subgraphs(origin, neighbours, size):
    """{frozenset: exact probability} of every subgraph that `grow` can return."""
    found = {}
    paths = [((origin,), 1.0)]
    while paths:
        path, probability = paths.pop()
        beside = border(path, neighbours)
        if len(path) == size or not beside:
            key = frozenset(path)
            found[key] = found.get(key, 0.0) + probability
        else:
            paths += [((*path, s), probability / len(beside)) for s in beside]
    return found


def synthetic_trace(space, time, n_visits, neighbours, size, rng):
    """ZK, Alg. 1: the set of (roi, epoch) pairs of one trace."""
    origin = int(rng.choice(len(space), p=space))
    subgraph = grow(origin, neighbours, size, rng)
    weight = np.array([space[s] for s in subgraph])
    rois = rng.choice(subgraph, n_visits, p=weight / weight.sum())
    epochs = rng.choice(len(time), n_visits, p=time)
    return {(int(rois[i]), int(epochs[i])) for i in range(n_visits)}


def empirical_marginals(release):
    """ZK, Eq. 5 and 6."""
    n_rois, n_epochs = len(release), len(release[0])
    total = sum(sum(row) for row in release)
    space = [sum(release[s][t] for t in range(n_epochs)) / total for s in range(n_rois)]
    time = [sum(release[s][t] for s in range(n_rois)) / total for t in range(n_epochs)]
    return space, time


def select_power(marginal, variance):
    """ZK, Alg. 4, with p returned, ended when the variance is passed, nearest of two."""

    def transformed(p):
        raised = [x**p for x in marginal]
        total = sum(raised)
        probabilities = [x / total for x in raised]
        mean = sum(probabilities) / len(probabilities)
        return sum((x - mean) ** 2 for x in probabilities) / len(probabilities)

    p, before = 1.0, None
    while transformed(p) < variance:
        before = p
        p = round(p + 0.01, 2)
    if before is not None and variance - transformed(before) <= transformed(p) - variance:
        return before
    return p


def estimate_mean(release, space, time, neighbours, size, n_users, apply, rng, max_iter=50):
    """ZK, Alg. 3, stepping from mu_n: visits a user; the mean of the last five iterates.

    apply: a function from counts (n_rois, n_epochs) to what would be released.
    """
    observed = release.sum() / n_users
    tolerance = max(0.01 * observed, 0.05)
    iterates = [observed]
    for _ in range(max_iter):
        mean = iterates[-1]
        counts = np.zeros(release.shape, int)
        for _ in range(n_users):
            n_visits = int(mean) + (rng.random() < mean % 1)
            for roi, epoch in synthetic_trace(space, time, n_visits, neighbours, size, rng):
                counts[roi, epoch] += 1
        iterates.append(max(1.0, mean + observed - apply(counts).sum() / n_users))
        if abs(iterates[-1] - iterates[-2]) < tolerance:
            break
    return float(np.mean(iterates[-5:]))

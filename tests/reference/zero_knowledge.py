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
    visits = set()
    for _ in range(n_visits):
        roi = subgraph[rng.choice(len(subgraph), p=weight / weight.sum())]
        visits.add((roi, int(rng.choice(len(time), p=time))))
    return visits

"""ZK's attack as its text reads: plain loops, no concern for speed. The library's oracle."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from sklearn.linear_model import LogisticRegression


def count(traces: list[np.ndarray], group: list[int]) -> np.ndarray:
    """Eq. 2: the sum of the group's traces."""
    total = np.zeros(traces[0].shape, int)
    for user in group:
        total += traces[user]
    return total


def protect(counts: np.ndarray, noise: np.ndarray | None, k: int, m: int) -> np.ndarray:
    """Sec. 2.2: noise, then 0 at least and m at most and rounded down, then Eq. 4."""
    released = np.zeros(counts.shape)
    for place, value in np.ndenumerate(counts):
        if noise is not None:
            value = math.floor(min(max(value + noise[place], 0), m))
        released[place] = value if value > k else 0
    return released


def pair(
    traces: list[np.ndarray],
    target: np.ndarray,
    shared: list[int],
    other: int,
    noise: np.ndarray | None,
    k: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Sec. 4.4: the target or another user as the last member, the same noise in both."""
    m = len(shared) + 1
    base = count(traces, shared)
    return protect(base + target, noise, k, m), protect(base + traces[other], noise, k, m)


def laplace(scale: float, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """One matrix of noise, a cell at a time."""
    noise = np.zeros(shape)
    for place in np.ndindex(shape):
        noise[place] = rng.laplace(scale=scale)
    return noise


def floored_laplace(scale: float, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """The same rounded down, from sixteen random bits a cell and more where they do not suffice."""
    codes = rng.integers(0, 1 << 16, shape, dtype=np.uint16)
    noise = np.zeros(shape)

    def quantile(p: float) -> float:
        if p in (0, 1):
            return -np.inf if p == 0 else np.inf
        return scale * (np.log(2 * p) if p < 0.5 else -np.log(2 * (1 - p)))

    for place, code in np.ndenumerate(codes):
        low, high = quantile(code / (1 << 16)), quantile((int(code) + 1) / (1 << 16))
        whole_inside = not np.isfinite([low, high]).all() or np.floor(low) != np.ceil(high) - 1
        draw = quantile((code + rng.random()) / (1 << 16)) if whole_inside else low
        noise[place] = np.floor(draw)
    return noise


def contradicts(raw: np.ndarray, target: np.ndarray) -> bool:
    """Sec. 6.1: the target visited a cell in which nobody of the group was."""
    return any(visited and raw[place] == 0 for place, visited in np.ndenumerate(target))


def best_thresholds(members: np.ndarray, scores: np.ndarray) -> tuple[float, list[float]]:
    """Sec. 5.2: the highest validation accuracy, and the thresholds that reach it."""
    ordered = sorted(set(scores))
    between = [(a + b) / 2 for a, b in pairwise(ordered)]
    tried = [ordered[0] - 1, *between, ordered[-1] + 1]
    accuracies = []
    for threshold in tried:
        right = sum((s > threshold) == bool(b) for s, b in zip(scores, members, strict=True))
        accuracies.append(right / len(scores))
    best = max(accuracies)
    return best, [t for t, a in zip(tried, accuracies, strict=True) if a == best]


def fit(aggregates: list[np.ndarray], members: np.ndarray) -> LogisticRegression:
    """Sec. 5.2: L1-penalised logistic regression on flattened aggregates, solved well."""
    rows = [aggregate.ravel() for aggregate in aggregates]
    model = LogisticRegression(l1_ratio=1, solver="liblinear", tol=1e-10, max_iter=100_000)
    return model.fit(np.array(rows), members)


def known_visits(n_visits: int, share: float) -> int:
    """Sec. 6.3: a fraction of the visits, rounded up to the next integer."""
    return math.ceil(share * n_visits)


def greedy(places: list[int], n_rois: int, n_epochs: int) -> np.ndarray:
    """App. D.3: the target visits each known ROI in every epoch."""
    trace = np.zeros((n_rois, n_epochs), int)
    for place in places:
        for epoch in range(n_epochs):
            trace[place, epoch] = 1
    return trace


def bounded_days(trace: np.ndarray, epochs_a_day: int) -> list[int]:
    """Sec. 6.2: the visits of each day."""
    days = []
    for start in range(0, trace.shape[1], epochs_a_day):
        days.append(int(trace[:, start : start + epochs_a_day].sum()))
    return days

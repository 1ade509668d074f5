"""What is done to counts before they are released: noise, suppression, post-processing.

Each mechanism is a small frozen object with one method, `apply(counts, rng, group_size)`; `release`
applies a list of them in order. Counts are arrays (n_groups, n_rois, n_epochs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from lib.aggregation import aggregate
from lib.traces import Traces


class Mechanism(Protocol):
    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray: ...


def _positive(name: str, value: float) -> None:
    if not (np.isfinite(value) and value > 0):
        raise ValueError(f"{name} is {value}; a finite number above 0 was expected")


@dataclass(frozen=True)
class Laplace:
    """Laplace noise of scale sensitivity / epsilon on every cell.

    Privacy: epsilon-DP for neighbouring inputs whose counts differ by at most `sensitivity` in L1.
    sensitivity=1: one visit of one user (event level). sensitivity = the most visits any user can
    have in the release: the whole user (user level). No delta.
    Source: Dwork et al. 2006; LPA of KK, Sec. VII-A. The noise is drawn in floating point, which is
    right for experiments; for a real release take a vetted sampler.
    Raises ValueError if epsilon or sensitivity is not a finite positive number.
    """

    epsilon: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        _positive("epsilon", self.epsilon)
        _positive("sensitivity", self.sensitivity)

    @property
    def scale(self) -> float:
        """Noise scale b in users; the standard deviation is sqrt(2) * b."""
        return self.sensitivity / self.epsilon

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        return counts + rng.laplace(scale=self.scale, size=counts.shape)


@dataclass(frozen=True)
class SuppressSmallCounts:
    """Counts of `threshold` users or fewer are released as 0. No differential privacy.

    Source: ZK, Sec. 3. Raises ValueError if the threshold is negative.
    """

    threshold: int

    def __post_init__(self) -> None:
        if not (np.isfinite(self.threshold) and self.threshold >= 0):
            raise ValueError(f"threshold is {self.threshold}; 0 users or more were expected")

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        return np.where(counts <= self.threshold, 0, counts)


@dataclass(frozen=True)
class PostProcess:
    """Makes noisy counts look like counts: rounded, then clipped to [0, group_size].

    rounding  "nearest", "down" or "none". Costs no privacy: it looks at the release only.
    """

    rounding: str = "nearest"
    clip: bool = True

    def __post_init__(self) -> None:
        if self.rounding not in ("nearest", "down", "none"):
            raise ValueError(f"rounding is {self.rounding!r}; one of nearest, down, none")

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        if self.rounding != "none":
            counts = np.rint(counts) if self.rounding == "nearest" else np.floor(counts)
            counts = counts + 0.0  # no negative zeros
        return np.clip(counts, 0, group_size) if self.clip else counts


def release(source: Traces | np.ndarray, *arguments: Any, **named: Any) -> np.ndarray:
    """Counts after the mechanisms, in order. Two forms:

    release(traces, groups, mechanisms, rng)          aggregates the groups, then protects them
    release(aggregate, mechanisms, rng, group_size)   protects counts that exist already

    groups      as `aggregation.aggregate` takes them
    mechanisms  a list; empty releases the raw counts
    rng         numpy.random.Generator
    group_size  users in each aggregate: one number, or one a group
    returns     (n_groups, n_rois, n_epochs); an aggregate may come without its first axis

    Raises ValueError if a count is negative, not a whole number or above the group's size.
    """
    if isinstance(source, Traces):
        return _release_traces(source, *arguments, **named)
    return _release_counts(source, *arguments, **named)


def _release_traces(
    traces: Traces,
    groups: Sequence[Sequence[int]] | np.ndarray,
    mechanisms: Sequence[Mechanism],
    rng: np.random.Generator,
) -> np.ndarray:
    sizes = np.array([len(group) for group in groups])
    return _release_counts(aggregate(traces, groups), mechanisms, rng, sizes)


def _release_counts(
    counts: np.ndarray,
    mechanisms: Sequence[Mechanism],
    rng: np.random.Generator,
    group_size: int | np.ndarray,
) -> np.ndarray:
    counts = np.asarray(counts)
    size = np.asarray(group_size)
    if size.ndim == 1:
        size = size.reshape(-1, *[1] * (counts.ndim - 1))
    wrong = ~((counts >= 0) & (counts <= size) & (counts == np.floor(counts)))  # NaN is wrong too
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        limit = np.broadcast_to(size, counts.shape)[where]
        raise ValueError(
            f"count {counts[where]} at {where}: a whole number from 0 to {limit}, the group's size"
        )
    for mechanism in mechanisms:
        if not hasattr(mechanism, "apply"):
            raise ValueError(f"{mechanism!r} is not a mechanism on counts")
        counts = mechanism.apply(counts, rng, size)
    return counts

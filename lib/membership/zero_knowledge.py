"""Zero auxiliary knowledge: was she in the crowd, asked by somebody who knows nobody else's trace.

The attacker makes the traces that she lacks from the release itself, counts groups of them with the
target and without her, protects these counts as the release was protected, and learns to tell them
apart. Knock-Knock in the form in which the paper compares with it is the same with real traces.
Source: ZK (Guan et al. 2024), Sec. 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, Self

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.exceptions import NotFittedError

from lib import metrics
from lib.aggregation import sample_member_groups
from lib.datasets import mobility
from lib.mechanisms import Gaussian, Laplace, PostProcess, SuppressSmallCounts, bounded
from lib.membership import marginals, sparse_logistic
from lib.traces import Traces
from lib.validation import check_finite, check_integer, check_positions, format_value, validated

SCORERS = ("logistic", "mean difference", "target's cells")
_BLOCK = 1 << 14  # cells whose counts are made at once


# -- what the attacker knows of the target ---------------------------------------------------------


@validated
def partial_trace(trace: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """A random share of the visits of a trace, rounded up to whole visits, as a trace.

    trace  (n_rois, n_epochs) 0/1. The same `rng` state and a smaller share give a subset.
    Raises ValueError for a share outside (0, 1] or a trace without visits. Source: ZK, Sec. 6.3.
    """
    visits = _visits(trace)
    if not 0 < share <= 1:
        raise ValueError(f"share is {share}; a number above 0 and up to 1 was expected")
    n_known = int(np.ceil(share * len(visits) - 1e-9))  # 0.07 * 100 is 7.000000000000001
    known = np.zeros(trace.size, trace.dtype)
    known[rng.permutation(visits)[:n_known]] = 1
    return known.reshape(trace.shape)


@validated
def top_places(trace: np.ndarray, k: int | None = None) -> np.ndarray:
    """The k ROIs with most visits, the most visited first; all that were visited if k is None.

    Fewer than k if fewer were visited. Ties go to the earlier ROI. Source: ZK, App. D.3.
    """
    _visits(trace)
    visits = trace.sum(axis=1)
    order = np.argsort(-visits, kind="stable")[: np.count_nonzero(visits)]
    return order if k is None else order[:k]


@validated
def greedy_trace(places: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Every epoch at every known ROI: all her visits there, and many that were not.

    shape  (n_rois, n_epochs). Source: ZK, App. D.3.

    places  ROIs, as positions
    """
    trace = np.zeros([check_integer("shape", n, 1) for n in shape], np.int32)
    trace[check_positions("places", places, len(trace))] = 1
    return trace


@validated
def random_trace(
    places: np.ndarray, mean_visits: float, time: np.ndarray, n_rois: int, rng: np.random.Generator
) -> np.ndarray:
    """mean_visits / len(places) visits at each known ROI, their epochs drawn from `time`.

    time  (n_epochs,) the time marginal. Rounded up; repeats collapse. Source: ZK, App. D.3.
    """
    places, time = check_positions("places", places, n_rois), check_finite("time", time, 0)
    if time.ndim != 1 or not abs(time.sum() - 1) < 1e-8:
        raise ValueError(f"time is {format_value(time)}; a row of probabilities that sum to 1")
    if not len(places) or not 0 <= mean_visits <= n_rois * len(time):
        raise ValueError(
            f"{mean_visits:g} visits at {len(places)} places; at least one place and from 0 to "
            f"{n_rois * len(time)} visits, as many as there are cells, were expected"
        )
    trace = np.zeros((n_rois, len(time)), np.int32)
    n_each = int(np.ceil(mean_visits / len(places)))
    for place in places:
        trace[place, rng.choice(len(time), n_each, p=time)] = 1
    return trace


def _visits(trace: np.ndarray) -> np.ndarray:
    """The cells of a trace, or ValueError if it is none or empty."""
    trace = np.asarray(trace)
    if trace.ndim != 2 or not np.isin(trace, (0, 1)).all():
        raise ValueError(f"trace of shape {trace.shape}: 0 or 1 in (n_rois, n_epochs) was expected")
    visits = np.flatnonzero(trace)
    if not len(visits):
        raise ValueError("the target has no visits: with her and without her counts are the same")
    return visits


# -- how counts are protected ----------------------------------------------------------------------


@dataclass(frozen=True)
class _Protection:
    """Mechanisms on counts that treat each cell alone: noise first, or none, then the rest."""

    noise: Laplace | Gaussian | None
    rest: list[Any]
    floored: bool  # whether the noise may come rounded down

    @classmethod
    def of(cls, mechanisms: Sequence[Any]) -> _Protection:
        noise = (
            mechanisms[0] if mechanisms and isinstance(mechanisms[0], Laplace | Gaussian) else None
        )
        rest = list(mechanisms[noise is not None :])
        for mechanism in rest:
            if not isinstance(mechanism, PostProcess | SuppressSmallCounts):
                raise ValueError(
                    f"{mechanism!r}: Laplace or Gaussian noise, then PostProcess and "
                    "SuppressSmallCounts were expected, so that a pair can share its noise"
                )
        floored = isinstance(noise, Laplace) and bool(rest) and rest[0] in _ROUNDING_DOWN
        if floored:
            rest[0] = PostProcess("none", rest[0].clip)
        return cls(noise, rest, floored)

    @property
    def raw(self) -> bool:
        """Whether a count of 0 means that nobody was there."""
        small = (m.threshold for m in self.rest if isinstance(m, SuppressSmallCounts))
        return self.noise is None and not any(small)

    def noisy(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        if self.noise is None:
            return counts
        if self.floored and isinstance(self.noise, Laplace):
            noise = self.noise.floored(counts.shape, rng)
            return np.add(counts, noise, out=noise if counts.dtype == noise.dtype else None)
        return self.noise.apply(counts, rng, np.array(0))

    def noisy_at(self, counts: np.ndarray, cells: np.ndarray, seed: int) -> np.ndarray:
        """Counts (cells, groups) with noise that is the same whatever other cells are asked for."""
        if self.noise is None:
            return counts
        noise = self.noise.quantile(_uniform(seed, cells, counts.shape[1]))
        return counts + (np.floor(noise) if self.floored else noise)

    def finished(self, counts: np.ndarray, group_size: int) -> np.ndarray:
        for mechanism in self.rest:
            counts = mechanism.apply(counts, None, group_size)
        return counts


_ROUNDING_DOWN = (PostProcess("down", True), PostProcess("down", False))


def _uniform(seed: int, cells: np.ndarray, n_groups: int) -> np.ndarray:
    """Numbers in (0, 1), (cells, n_groups), each a function of seed, cell and group: SplitMix64.

    A stream would give a cell other noise when a solver on another machine picks one cell more.
    """
    number = (cells.astype(np.uint64)[:, None] << np.uint64(24)) + np.arange(1, n_groups + 1)
    x = np.uint64(seed) + number.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # modulo 2^64
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return ((x >> np.uint64(12)) + 0.5) / (1 << 52)


# -- learning --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LinearAttack:
    """A linear score of a release, and the threshold above which the attacker says "a member".

    cells      (n,) what the score looks at
    weights    (n,) of these cells
    rule       (r,) cells of the target, where a raw count of 0 proves that she is not in; empty
               where that proves nothing
    gap        relative duality gap of the logistic regression, NaN for other scores
    """

    cells: np.ndarray
    weights: np.ndarray
    intercept: float
    rule: np.ndarray
    threshold: float = 0.0
    gap: float = np.nan

    @property
    def used_cells(self) -> np.ndarray:
        """The cells whose counts `score_counts` takes: cell = roi * n_epochs + epoch."""
        return np.union1d(self.cells, self.rule)

    def only(self, cells: np.ndarray) -> LinearAttack:
        """The same, with every other cell's weight 0; intercept, rule and threshold stay."""
        inside = np.isin(self.cells, cells)
        return replace(self, cells=self.cells[inside], weights=self.weights[inside])

    def score_counts(self, counts: np.ndarray) -> np.ndarray:
        """Scores of released counts (n, len(used_cells)); -inf where the rule of k = 0 says no.

        Source of the rule: ZK, Sec. 6.1.
        """
        at = np.searchsorted(self.used_cells, self.cells)
        scores = counts[:, at].astype(float) @ self.weights + self.intercept
        absent = counts[:, np.searchsorted(self.used_cells, self.rule)] == 0
        scores[absent.any(axis=1)] = -np.inf
        return scores

    def score(self, releases: np.ndarray) -> np.ndarray:
        """Scores of whole releases, (n, n_rois, n_epochs)."""
        releases = np.asarray(releases)
        return self.score_counts(releases.reshape(len(releases), -1)[:, self.used_cells])


class Training:
    """The aggregates that one attacker learns about one target from.

    reference     traces of others, real or synthetic, at least group_size
    target        (n_rois, n_epochs) 0/1, the visits of hers that the attacker knows
    mechanisms    what was done before the release, as `lib.mechanisms.release` takes it
    group_size    users in an aggregate, the target included
    n_train       aggregates to learn from, n_validation: to tune the threshold on; even
    paired        training aggregates come in pairs that share all members but one, and the noise;
                  else each is a group of its own
    certain       whether the known visits are hers for sure; only then may a raw 0 at one speak

    Raises ValueError if the target has no visits or another shape than the reference, for a
    group_size above the reference's users, odd numbers, or mechanisms that cannot be shared.
    Source: ZK, Sec. 4.4 and 5.2.
    """

    @validated
    def __init__(
        self,
        reference: Traces,
        target: np.ndarray,
        mechanisms: Sequence[Any],
        group_size: int,
        rng: np.random.Generator,
        *,
        n_train: int = 400,
        n_validation: int = 100,
        paired: bool = True,
        certain: bool = True,
    ):
        target = np.asarray(target)
        self.visits = _visits(target)
        if target.shape != (reference.n_rois, reference.n_epochs):
            raise ValueError(
                f"the target's trace is {target.shape}, those of the reference are "
                f"{(reference.n_rois, reference.n_epochs)}"
            )
        if not 2 <= group_size <= reference.n_users:
            raise ValueError(
                f"group_size is {group_size}; a reference of {reference.n_users} traces allows "
                f"2 to {reference.n_users}"
            )
        reference, on_counts = bounded(reference, mechanisms, rng)
        self.protection = _Protection.of(on_counts)
        self.group_size, self.paired = group_size, paired
        self.rule = self.visits if certain and self.protection.raw else self.visits[:0]
        self.by_user = reference.matrix.astype(_integer(group_size))
        self.by_cell = sparse.csr_array(self.by_user.T)
        self._draw(n_train, n_validation, rng)
        self._seeds = rng.integers(
            2**63, size=2
        ).tolist()  # of the noise in training, and in validation

    def _draw(self, n_train: int, n_validation: int, rng: np.random.Generator) -> None:
        """Groups by position in the reference; the target is one position more."""
        others, self.target = np.arange(self.by_user.shape[0]), self.by_user.shape[0]
        draw = sample_member_groups
        groups, self.members = draw(
            others, self.target, n_train, self.group_size, rng, paired=self.paired
        )
        order = np.argsort(self.members, kind="stable")  # without her first
        self.groups, self.members = groups[order], self.members[order]
        self.validation, self.validation_members = draw(
            others, self.target, n_validation, self.group_size, rng
        )

    @cached_property
    def rows(self) -> sparse_logistic.Rows | sparse_logistic.Pairs:
        """The protected training aggregates, without the target first."""
        groups, change = self.groups, None
        if self.paired:
            groups = self.groups[: len(self.groups) // 2]
            change = self._change(groups[:, -1])
        base, values = np.empty((0, 0), np.float32), []
        for block, noisy in self._noisy(groups):
            released = self.protection.finished(noisy, self.group_size)
            if not block.start:  # counts that fit are kept as such: half the memory
                kind = np.int16 if released.dtype == np.int16 else np.float32
                base = np.empty((self.by_cell.shape[0], len(groups)), kind)
            base[block] = released
            if change is not None:
                values.append(self._changed(change, block, noisy))
        if change is None:
            return sparse_logistic.Rows(base)
        found = np.concatenate(values)
        difference = sparse.csr_array((found, change.indices, change.indptr), change.shape)
        difference.eliminate_zeros()
        return sparse_logistic.Pairs(base, difference)

    def _changed(self, change: sparse.csr_array, block: slice, noisy: np.ndarray) -> np.ndarray:
        """What a pair's releases differ by where its raw counts do, float32, in these cells."""
        starts = change.indptr[block.start : block.stop + 1]
        entries = slice(starts[0], starts[-1])
        cell = np.repeat(np.arange(block.stop - block.start), np.diff(starts))
        without = noisy[cell, change.indices[entries]]
        with_her = self.protection.finished(without + change.data[entries], self.group_size)
        without = self.protection.finished(without, self.group_size).astype(np.float32)
        return (with_her - without).astype(np.float32)

    def _change(self, others: np.ndarray) -> sparse.csr_array:
        """What a pair's raw counts differ by: her trace less that of whose place she takes."""
        hers = np.zeros((self.by_cell.shape[0], 1), self.by_cell.dtype)
        hers[self.visits] = 1
        ones = sparse.csr_array(np.ones((1, len(others)), self.by_cell.dtype))
        change = sparse.csr_array(hers) @ ones - self.by_user[others].T.tocsr()
        change.sort_indices()
        return change

    def _noisy(self, groups: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
        """Blocks of cells with the groups' counts (cells, groups), with noise if there is some."""
        rng = np.random.default_rng(self._seeds[0])
        indicator = self._indicator(groups)
        hers = np.zeros(self.by_cell.shape[0], indicator.dtype)
        hers[self.visits] = 1
        with_her = (groups == self.target).any(axis=1).astype(indicator.dtype)
        for start in range(0, self.by_cell.shape[0], _BLOCK):
            block = slice(start, min(start + _BLOCK, self.by_cell.shape[0]))
            counts = self.by_cell[block] @ indicator
            if with_her.any():
                counts += hers[block, None] * with_her
            yield block, self.protection.noisy(counts, rng)

    def _indicator(self, groups: np.ndarray) -> np.ndarray:
        indicator = np.zeros((self.target + 1, len(groups)), self.by_cell.dtype)
        indicator[groups, np.arange(len(groups))[:, None]] = 1
        return indicator[:-1]

    @validated
    def attack(self, scorer: str = "logistic", **options: Any) -> LinearAttack:
        """What the attacker learns.

        scorer   "logistic": L1-penalised logistic regression; `options` go to
                 `sparse_logistic.fit`
                 "mean difference": each cell's mean with the target less that without her
                 "target's cells": the sum over her known cells, which needs no training
        The threshold is the best on the validation aggregates, for every scorer.
        """
        if scorer not in SCORERS:
            raise ValueError(f"scorer is {format_value(scorer)}; one of {', '.join(SCORERS)}")
        if scorer == "logistic":
            model = sparse_logistic.fit(self.rows, self.members, **options)
            found = LinearAttack(
                model.columns, model.weights, model.intercept, self.rule, gap=model.gap
            )
        elif scorer == "mean difference":
            mean = self.rows.correlate(2.0 * self.members - 1) / (len(self.members) / 2)
            cells = np.flatnonzero(mean)
            found = LinearAttack(cells, mean[cells], 0.0, self.rule)
        else:
            found = LinearAttack(self.visits, np.ones(len(self.visits)), 0.0, self.rule)
        return self._with_threshold(found)

    def _with_threshold(self, attack: LinearAttack) -> LinearAttack:
        cells = attack.used_cells
        counts = self.by_cell[cells] @ self._indicator(self.validation)
        counts += np.isin(cells, self.visits)[:, None] * self.validation_members.astype(
            counts.dtype
        )
        counts = self.protection.noisy_at(counts, cells, self._seeds[1])
        scores = attack.score_counts(self.protection.finished(counts, self.group_size).T)
        threshold = best_threshold(self.validation_members, scores)
        return replace(attack, threshold=threshold)


@validated
def best_threshold(members: np.ndarray, scores: np.ndarray) -> float:
    """The threshold above which calling a member is right most often; of several, the middle one.

    Halfway between two scores, so that it is in the middle of an interval of equals. Scores of -inf
    are never above. Source: ZK, Sec. 5.2, which does not say how it is tuned.

    members (n,) 0 or 1; scores (n,)
    """
    if scores.shape != np.shape(members) or scores.ndim != 1 or np.isnan(scores).any():
        raise ValueError(
            f"scores are {format_value(scores)}; one for each of {np.size(members)} members was expected"
        )
    known = np.unique(scores[np.isfinite(scores)])
    if not len(known):
        return 0.0
    ends = np.concatenate([[known[0] - 1], known, [known[-1] + 1]])
    middles = (ends[:-1] + ends[1:]) / 2
    right = ((scores > middles[:, None]) == (np.asarray(members) == 1)).sum(axis=1)
    best = np.flatnonzero(right == right.max())
    return float(middles[best[len(best) // 2]])


# -- the two attackers -----------------------------------------------------------------------------


class KnockKnockLR:
    """Knock-Knock as ZK compares with it: logistic regression on flattened counts, real traces.

    reference  traces of others over the same ROIs and epochs; the other arguments as `Training`

    It is another attack than `KnockKnock`, which looks at seven statistics of each ROI.
    Source: ZK, Sec. 5.2.
    """

    @validated
    def __init__(
        self,
        target: np.ndarray,
        reference: Traces,
        mechanisms: Sequence[Any],
        group_size: int,
        rng: np.random.Generator,
        **training: Any,
    ):
        self.training = Training(reference, target, mechanisms, group_size, rng, **training)
        self.learned: LinearAttack | None = None

    @validated
    def attack(self, releases: np.ndarray, scorer: str = "logistic", **options: Any) -> np.ndarray:
        """Scores of releases (n, n_rois, n_epochs): higher says "a member"; see `learned`."""
        self.learned = self.training.attack(scorer, **options)
        return self.learned.score(releases)


class ZeroKnowledge:
    """The attacker who has the release, where the ROIs are, and visits of the target: no more.

    target       (n_rois, n_epochs) 0/1, the visits of hers that the attacker knows
    coordinates  (n_rois, 2) latitude and longitude, or a DataFrame such as `Traces.rois`
    mechanisms   what was done before the release, as `lib.mechanisms.release` takes it
    group_size   users in the release, the target included if she is in it
    n_traces     synthetic traces to make, at least group_size
    epochs       time stamps, for mechanisms that bound a day; by default hours from 1970
    rng          where every fit begins: equal calls give equal scores
    estimator    a function with the arguments of `marginals.estimate`, which is the paper's
    training     goes to `Training`

    Raises ValueError for a target without visits, fewer than four ROIs or all on one line, and a
    group_size above n_traces. Source: ZK, Sec. 4.

    >>> from lib.aggregation import aggregate
    >>> from lib.datasets import load
    >>> six, rng = load('six-users'), np.random.default_rng(1)
    >>> counts = aggregate(six, [[0, 1, 2], [3, 4, 5]])
    >>> attack = ZeroKnowledge(six.trace('Ada'), six.rois, [], 3, rng, n_traces=20, n_train=20,
    ...     n_validation=20)
    >>> with_her, without = attack.fit(counts[0]).decision_function(counts)
    >>> bool(with_her > without)
    True
    """

    @validated
    def __init__(
        self,
        target: np.ndarray,
        coordinates: pd.DataFrame | np.ndarray,
        mechanisms: Sequence[Any],
        group_size: int,
        rng: np.random.Generator,
        *,
        n_traces: int = 5000,
        epochs: pd.DatetimeIndex | None = None,
        estimator: Callable[..., marginals.Marginals] = marginals.estimate,
        **training: Any,
    ):
        _visits(target)
        if not 2 <= group_size <= n_traces:
            raise ValueError(f"group_size is {group_size}; {n_traces} synthetic traces are made")
        self.target, self.coordinates, self.group_size = target, coordinates, group_size
        self.mechanisms, self.rng, self.n_traces, self.epochs = mechanisms, rng, n_traces, epochs
        self.estimator, self.options = estimator, training
        self.neighbours = mobility.triangulate(coordinates)
        self.learned: LinearAttack | None = None

    @validated
    def synthesize(self, release: np.ndarray, rng: np.random.Generator | None = None) -> Traces:
        """Synthetic traces from one release (n_rois, n_epochs).

        rng  draws them; by default the attacker's, as it was given

        Raises `marginals.EmptyRelease` (a ValueError) if it holds nothing, and as its estimator.
        Source: ZK, Alg. 1 and 2.
        """
        rng = deepcopy(self.rng) if rng is None else rng
        release = np.asarray(release)
        if release.shape != np.shape(self.target):
            raise ValueError(
                f"the release is {release.shape}, the target's trace {np.shape(self.target)}"
            )
        found = self.estimator(release, self.mechanisms, self.group_size, self.coordinates, rng)
        return mobility.synthesize(
            found.space,
            found.time,
            found.activity,
            self.coordinates,
            self.n_traces,
            rng,
            epochs=self.epochs,
            neighbours=self.neighbours,
        )

    @validated
    def train(self, release: np.ndarray, rng: np.random.Generator | None = None) -> Training:
        """The training aggregates made from this release; rng as `synthesize` takes it."""
        rng = deepcopy(self.rng) if rng is None else rng
        return Training(
            self.synthesize(release, rng),
            self.target,
            self.mechanisms,
            self.group_size,
            rng,
            **self.options,
        )

    @validated
    def fit(self, release: np.ndarray, scorer: str = "logistic", **options: Any) -> Self:
        """Learns from one release (n_rois, n_epochs); arguments as `Training.attack`."""
        self.learned = self.train(release).attack(scorer, **options)
        return self

    def decision_function(self, releases: np.ndarray) -> np.ndarray:
        """Scores of releases (n, n_rois, n_epochs): higher says "a member"; see `learned`.

        Raises NotFittedError (a ValueError) before `fit`.
        """
        if self.learned is None:
            raise NotFittedError("fit the attacker to a release first: she learns from one")
        return self.learned.score(releases)

    @validated
    def attack(self, releases: np.ndarray, scorer: str = "logistic", **options: Any) -> np.ndarray:
        """Learns from the first of these releases and scores all: `fit`, then `decision_function`.

        The paper does not say whether each release has an attacker of its own; call with one at a
        time for that.
        """
        releases = np.asarray(releases)
        return self.fit(releases[0], scorer, **options).decision_function(releases)


# -- the game --------------------------------------------------------------------------------------


class Challenge:
    """One target's test groups, and what they are released as.

    traces        the whole population
    target        her position in it
    mechanisms    what is done before the release; those on traces are applied to everybody
    group_size    users in an aggregate
    n_reference   others whose traces Knock-Knock's attacker has; the test groups are drawn from the
                  rest and the target
    n_test        test groups, even: half with the target

    trace         the target's, bounded as it is released
    reference     Traces of the n_reference others
    on_counts     the mechanisms that are left for the attackers to imitate
    members       (n_test,) 0 or 1, in random order
    Raises ValueError if there are too few users, or as `Training`. Source: ZK, Sec. 5.3.
    """

    @validated
    def __init__(
        self,
        traces: Traces,
        target: int,
        mechanisms: Sequence[Any],
        group_size: int,
        n_reference: int,
        rng: np.random.Generator,
        n_test: int = 100,
    ):
        traces, self.on_counts = bounded(traces, mechanisms, rng)
        others = np.setdiff1d(np.arange(traces.n_users), [target])
        if n_reference + group_size > len(others):
            raise ValueError(
                f"{n_reference} users of reference and groups of {group_size}: the "
                f"{len(others)} users beside the target do not allow both"
            )
        others = rng.permutation(others)
        self.reference = traces.select(users=traces.users[np.sort(others[:n_reference])])
        self.rois, self.epochs = traces.rois, traces.epochs
        self.trace = traces.trace(traces.users[target])
        groups, members = sample_member_groups(
            others[n_reference:], target, n_test, group_size, rng
        )
        order = rng.permutation(n_test)
        self.members, self.group_size = members[order], group_size
        self.protection = _Protection.of(self.on_counts)
        self.by_cell = sparse.csr_array(traces.matrix.T.astype(_integer(group_size)))
        self._indicator = np.zeros((traces.n_users, n_test), self.by_cell.dtype)
        self._indicator[groups[order], np.arange(n_test)[:, None]] = 1
        self._seed = int(rng.integers(2**63))

    @cached_property
    def release(self) -> np.ndarray:
        """The first test group's whole release, (n_rois, n_epochs): what ZK learns from."""
        return self._released(np.arange(self.trace.size), slice(0, 1)).reshape(self.trace.shape)

    def released(self, cells: np.ndarray) -> np.ndarray:
        """What all test groups are released as at these cells only: (n_test, len(cells))."""
        return self._released(cells, slice(None))

    def _released(self, cells: np.ndarray, groups: slice) -> np.ndarray:
        counts = self.by_cell[cells] @ self._indicator[:, groups]
        counts = self.protection.noisy_at(counts, cells, self._seed)
        return self.protection.finished(counts, self.group_size).T

    def scores(self, attacks: Mapping[Any, LinearAttack]) -> dict[Any, np.ndarray]:
        """Every attack's scores of the same releases, noise included."""
        cells = reduce(np.union1d, [attack.used_cells for attack in attacks.values()])
        counts = self.released(cells.astype(int))
        return {
            name: attack.score_counts(counts[:, np.searchsorted(cells, attack.used_cells)])
            for name, attack in attacks.items()
        }


_GUESS = LinearAttack(np.arange(0), np.zeros(0), 0.0, np.arange(0))  # the same score for all


@validated
def evaluate_attackers(
    challenge: Challenge,
    rng: np.random.Generator,
    *,
    attackers: Sequence[str] = ("KK", "ZK"),
    scorers: Sequence[str] = ("logistic",),
    known: np.ndarray | None = None,
    n_traces: int = 5000,
    estimator: Callable[..., marginals.Marginals] = marginals.estimate,
    solver: Mapping[str, Any] | None = None,
    **training: Any,
) -> list[dict[str, Any]]:
    """How well attackers do on the same test groups: one row an attacker and a scorer.

    attackers  "KK" has the challenge's reference, "ZK" n_traces synthetic ones
    known      the target's visits that they know; by default all
    solver     options of `sparse_logistic.fit`; training: options of `Training`
    returns    rows with attacker, scorer, AUC, accuracy (at the threshold that validation chose),
               the gap of the logistic regression, and the TPR at an FPR of 1%, which needs hundreds
               of test groups. A release that holds nothing teaches ZK nothing: she gives all groups
               the same score
    """
    hers = challenge.trace if known is None else known
    learned: dict[tuple[str, str], LinearAttack] = {}
    for attacker in attackers:
        try:
            reference = challenge.reference
            if attacker == "ZK":
                zero = ZeroKnowledge(
                    hers,
                    challenge.rois,
                    challenge.on_counts,
                    challenge.group_size,
                    rng,
                    n_traces=n_traces,
                    epochs=challenge.epochs,
                    estimator=estimator,
                )
                reference = zero.synthesize(challenge.release, rng)
            made = Training(
                reference, hers, challenge.on_counts, challenge.group_size, rng, **training
            )
        except marginals.EmptyRelease:
            learned |= {(attacker, scorer): _GUESS for scorer in scorers}
            continue
        for scorer in scorers:
            options = dict(solver or {}) if scorer == "logistic" else {}
            learned[attacker, scorer] = made.attack(scorer, **options)
    return [
        {"attacker": attacker, "scorer": scorer}
        | _scored(scores, challenge.members, learned[attacker, scorer])
        for (attacker, scorer), scores in challenge.scores(learned).items()
    ]


def _scored(scores: np.ndarray, members: np.ndarray, attack: LinearAttack) -> dict[str, Any]:
    right = (scores > attack.threshold) == (members == 1)
    return {
        "AUC": metrics.auc(members, scores),
        "accuracy": float(right.mean()),
        "gap": attack.gap,
        "TPR": metrics.tpr_at_fpr(members, scores, 0.01),
    }


def _integer(group_size: int) -> type[np.signedinteger[Any]]:
    """Small integers for counts up to the group's size and the noise that is added to them."""
    return np.int16 if group_size < 1 << 14 else np.int32

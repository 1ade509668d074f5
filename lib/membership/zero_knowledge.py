"""Zero auxiliary knowledge: membership inference without anybody else's trace.

The attacker synthesises traces from the release itself, counts groups of them with and without the
target, protects these counts as the release was protected, and learns to tell them apart.
Knock-Knock, in the form in which the paper compares with it, does the same with real traces.
Source: ZK (Guan et al. 2024), Sec. 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from lib.aggregation import sample_member_groups
from lib.datasets import mobility
from lib.mechanisms import apply_trace_mechanisms
from lib.membership import marginals, sparse_logistic
from lib.membership.inputs import check_aggregates
from lib.membership.protection import CountProtection, count_dtype
from lib.membership.target_knowledge import target_cells
from lib.traces import Traces
from lib.validation import format_value, validate_parameters, validated

SCORERS = ("logistic", "mean difference", "target's cells")
_BLOCK = 1 << 14  # cells whose counts are made at once


# -- learning --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LinearAttack:
    """A linear score of a release, and the threshold above which the target is called a member.

    Parameters
    ----------
    cells : ndarray of int, shape (n,)
        Cells with a weight: cell = roi * n_epochs + epoch.
    weights : ndarray of float, shape (n,)
        Their weights.
    intercept : float
        Added to the weighted sum.
    rule : ndarray of int
        Cells of the target at which a raw count of 0 proves absence; empty if it proves nothing.
    threshold : float
        Scores above it mean "member".
    gap : float
        Relative duality gap of the logistic regression; NaN for other scores.
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

    def restrict(self, cells: np.ndarray) -> LinearAttack:
        """Set the weights of all other cells to 0.

        Parameters
        ----------
        cells : ndarray of int
            Cells that keep their weight.

        Returns
        -------
        LinearAttack
            With the same intercept, rule and threshold.
        """
        inside = np.isin(self.cells, cells)
        return replace(self, cells=self.cells[inside], weights=self.weights[inside])

    def score_counts(self, counts: np.ndarray) -> np.ndarray:
        """Score released counts of the used cells.

        Parameters
        ----------
        counts : ndarray, shape (n, len(used_cells))
            Released counts.

        Returns
        -------
        ndarray of float, shape (n,)
            Scores; -inf where a raw 0 at a cell of `rule` proves that the target is absent.

        References
        ----------
        ZK, Sec. 6.1 (the rule for k = 0).
        """
        at = np.searchsorted(self.used_cells, self.cells)
        scores = counts[:, at].astype(float) @ self.weights + self.intercept
        absent = counts[:, np.searchsorted(self.used_cells, self.rule)] == 0
        scores[absent.any(axis=1)] = -np.inf
        return scores

    def score(self, releases: np.ndarray) -> np.ndarray:
        """Score whole releases.

        Parameters
        ----------
        releases : array_like, shape (n, n_rois, n_epochs)
            Released counts.

        Returns
        -------
        ndarray of float, shape (n,)
            Scores, as `score_counts` gives them.
        """
        releases = np.asarray(releases)
        return self.score_counts(releases.reshape(len(releases), -1)[:, self.used_cells])


def _learn(
    rows: Callable[[], sparse_logistic.Rows | sparse_logistic.Pairs],
    members: np.ndarray,
    scorer: str,
    target: np.ndarray,
    rule: np.ndarray,
    options: Mapping[str, Any],
) -> LinearAttack:
    """One of the three scorers, without a threshold; `target` are the target's known cells."""
    if scorer == "logistic":
        model = sparse_logistic.fit(rows(), members, **options)
        return LinearAttack(model.columns, model.weights, model.intercept, rule, gap=model.gap)
    if scorer == "mean difference":
        mean = rows().correlate(2.0 * members - 1) / (len(members) / 2)
        cells = np.flatnonzero(mean)
        return LinearAttack(cells, mean[cells], 0.0, rule)
    if scorer == "target's cells":
        return LinearAttack(target, np.ones(len(target)), 0.0, rule)
    raise ValueError(f"scorer is {format_value(scorer)}; one of {', '.join(SCORERS)}")


class Training:
    """The labelled aggregates from which one attacker learns about one target.

    Parameters
    ----------
    reference : Traces
        Traces of other users, real or synthetic, at least `group_size` of them.
    target : ndarray of {0, 1}, shape (n_rois, n_epochs)
        The target's visits that the attacker knows.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What was applied before the release, in order.
    group_size : int
        Users in an aggregate, the target included.
    rng : numpy.random.Generator
        Source of randomness.
    n_train, n_validation : int
        Aggregates to learn from, and to choose the threshold on; even numbers.
    paired : bool
        Whether training aggregates come in pairs that share all members but one, and the noise.
    certain : bool
        Whether the known visits are certain; only then can a raw 0 at one prove absence.

    Raises
    ------
    ValueError
        If the target has no visits or another shape than the reference, the group size exceeds the
        reference, a number is odd, or a pair cannot share the mechanisms' noise.

    References
    ----------
    ZK, Sec. 4.4 and 5.2.
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
        self.visits = target_cells(target)
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
        reference, on_counts = apply_trace_mechanisms(reference, mechanisms, rng)
        self.protection = CountProtection.of(on_counts)
        self.group_size, self.paired, self.shape = group_size, paired, target.shape
        self.rule = self.visits if certain and self.protection.raw else self.visits[:0]
        self.by_user = reference.matrix.astype(count_dtype(group_size))
        self.by_cell = sparse.csr_array(self.by_user.T)
        self._draw(n_train, n_validation, rng)
        self._seeds = rng.integers(2**63, size=2).tolist()  # noise of training and validation

    def _draw(self, n_train: int, n_validation: int, rng: np.random.Generator) -> None:
        """Draw groups of positions in the reference; the target is the position after the last."""
        others, self.target = np.arange(self.by_user.shape[0]), self.by_user.shape[0]
        pool = others, self.target
        groups, self.members = sample_member_groups(
            *pool, n_train, self.group_size, rng, paired=self.paired
        )
        order = np.argsort(self.members, kind="stable")  # non-members first
        self.groups, self.members = groups[order], self.members[order]
        self.validation, self.validation_members = sample_member_groups(
            *pool, n_validation, self.group_size, rng
        )

    @cached_property
    def rows(self) -> sparse_logistic.Rows | sparse_logistic.Pairs:
        """The protected training aggregates, non-members first."""
        groups, change = self.groups, None
        if self.paired:
            groups = self.groups[: len(self.groups) // 2]
            change = self._change(groups[:, -1])
        base, values = np.empty((0, 0), np.float32), []
        for block, noisy in self._noisy(groups):
            released = self.protection.finish(noisy, self.group_size)
            if not block.start:  # integer counts need half the memory
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
        """Differences within pairs of releases, float32, at the entries of `change` in a block."""
        starts = change.indptr[block.start : block.stop + 1]
        entries = slice(starts[0], starts[-1])
        cell = np.repeat(np.arange(block.stop - block.start), np.diff(starts))
        without = noisy[cell, change.indices[entries]]
        with_target = self.protection.finish(without + change.data[entries], self.group_size)
        without = self.protection.finish(without, self.group_size).astype(np.float32)
        return (with_target - without).astype(np.float32)

    def _change(self, others: np.ndarray) -> sparse.csr_array:
        """Differences within pairs of raw counts: the target minus the user they replace."""
        target = np.zeros((self.by_cell.shape[0], 1), self.by_cell.dtype)
        target[self.visits] = 1
        ones = sparse.csr_array(np.ones((1, len(others)), self.by_cell.dtype))
        change = sparse.csr_array(target) @ ones - self.by_user[others].T.tocsr()
        change.sort_indices()
        return change

    def _noisy(self, groups: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
        """Blocks of cells and the groups' noisy counts there, (cells, groups)."""
        rng = np.random.default_rng(self._seeds[0])
        indicator = self._indicator(groups)
        target = np.zeros(self.by_cell.shape[0], indicator.dtype)
        target[self.visits] = 1
        has_target = (groups == self.target).any(axis=1).astype(indicator.dtype)
        for start in range(0, self.by_cell.shape[0], _BLOCK):
            block = slice(start, min(start + _BLOCK, self.by_cell.shape[0]))
            counts = self.by_cell[block] @ indicator
            if has_target.any():
                counts += target[block, None] * has_target
            yield block, self.protection.add_noise(counts, rng)

    def _indicator(self, groups: np.ndarray) -> np.ndarray:
        indicator = np.zeros((self.target + 1, len(groups)), self.by_cell.dtype)
        indicator[groups, np.arange(len(groups))[:, None]] = 1
        return indicator[:-1]

    def aggregates(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the training aggregates as a dense array.

        Returns
        -------
        aggregates : ndarray of float, shape (n_train, n_rois, n_epochs)
            Protected counts, non-members first.
        members : ndarray of {0, 1}, shape (n_train,)
            1 for aggregates that contain the target.
        """
        rows = self.rows.columns(np.arange(self.rows.shape[1])).T
        return rows.reshape(-1, *self.shape), self.members

    @validated
    def attack(self, scorer: str = "logistic", **options: Any) -> LinearAttack:
        """Learn an attack, with the threshold of highest accuracy on the validation aggregates.

        Parameters
        ----------
        scorer : {"logistic", "mean difference", "target's cells"}
            L1-penalised logistic regression; each cell's mean with the target minus that without;
            or the sum over the target's known cells, which needs no training.
        **options
            Options of `lib.membership.sparse_logistic.fit`, for the logistic regression.

        Returns
        -------
        LinearAttack
            The learned attack.

        Raises
        ------
        ValueError
            If the scorer is unknown, or as `lib.membership.sparse_logistic.fit`.
        """
        attack = _learn(lambda: self.rows, self.members, scorer, self.visits, self.rule, options)
        return self._with_threshold(attack)

    def _with_threshold(self, attack: LinearAttack) -> LinearAttack:
        cells = attack.used_cells
        counts = self.by_cell[cells] @ self._indicator(self.validation)
        counts += np.isin(cells, self.visits)[:, None] * self.validation_members.astype(
            counts.dtype
        )
        counts = self.protection.add_seeded_noise(counts, cells, self._seeds[1])
        scores = attack.score_counts(self.protection.finish(counts, self.group_size).T)
        threshold = best_threshold(self.validation_members, scores)
        return replace(attack, threshold=threshold)


@validated
def best_threshold(members: np.ndarray, scores: np.ndarray) -> float:
    """Find the threshold of highest accuracy.

    Parameters
    ----------
    members : ndarray of {0, 1}, shape (n,)
        1 for aggregates that contain the target.
    scores : ndarray of float, shape (n,)
        Higher values indicate membership; -inf is never above a threshold.

    Returns
    -------
    float
        Scores above it mean "member". It lies halfway between two scores; of several best
        thresholds, the middle one.

    References
    ----------
    ZK, Sec. 5.2, which does not say how the threshold is tuned.
    """
    if scores.shape != np.shape(members) or scores.ndim != 1 or np.isnan(scores).any():
        raise ValueError(
            f"scores are {format_value(scores)}; one for each of {np.size(members)} members "
            "was expected"
        )
    known = np.unique(scores[np.isfinite(scores)])
    if not len(known):
        return 0.0
    ends = np.concatenate([[known[0] - 1], known, [known[-1] + 1]])
    middles = (ends[:-1] + ends[1:]) / 2
    right = ((scores > middles[:, None]) == (np.asarray(members) == 1)).sum(axis=1)
    best = np.flatnonzero(right == right.max())
    return float(middles[best[len(best) // 2]])


# -- estimators ------------------------------------------------------------------------------------


class _LinearEstimator(ClassifierMixin, BaseEstimator):
    """Scores and decisions of a fitted `attack_`."""

    attack_: LinearAttack

    @validated
    def decision_function(self, aggregates: np.ndarray) -> np.ndarray:
        """Score released aggregates.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of float, shape (n,)
            Higher values indicate membership; members lie above `attack_.threshold`.

        Raises
        ------
        NotFittedError
            Before `fit` (a ValueError).
        ValueError
            If the number of cells is not that of `fit`.
        """
        if not hasattr(self, "attack_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")
        n_cells = int(np.prod(aggregates.shape[1:]))
        if n_cells != self.n_features_in_:
            raise ValueError(f"aggregates have {n_cells} cells; {self.n_features_in_} were fitted")
        return self.attack_.score(aggregates)

    def predict(self, aggregates: np.ndarray) -> np.ndarray:
        """Decide on membership.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of {0, 1}, shape (n,)
            1 where the score is above the threshold.
        """
        return (self.decision_function(aggregates) > self.attack_.threshold).astype(int)

    def _set_attack(self, attack: LinearAttack, n_cells: int) -> Self:
        self.attack_, self.n_features_in_ = attack, n_cells
        self.classes_ = np.array([0, 1])
        return self


class KnockKnockLR(_LinearEstimator):
    """Knock-Knock as ZK compares with it: logistic regression on all counts.

    This is another attack than `KnockKnock`, which looks at seven statistics of each ROI. The
    attacker trains on aggregates of real traces, for example `Training(...).aggregates()`.

    Parameters
    ----------
    target : ndarray of {0, 1}, shape (n_rois, n_epochs), optional
        The target's known visits. Only if counts are raw: a 0 at one of them proves absence.
    cost : float
        Inverse strength of the L1 penalty.
    solver : {"certified", "liblinear", "saga"}
        Solver of `lib.membership.sparse_logistic.fit`.

    Attributes
    ----------
    attack_ : LinearAttack
        Weights and threshold. The threshold is best on the training aggregates.
    n_features_in_ : int
        Number of cells.

    References
    ----------
    ZK, Sec. 5.2.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> members = np.repeat([1, 0], 20)
    >>> aggregates = rng.poisson(3.0, (40, 2, 4)) + 5 * members[:, None, None]
    >>> KnockKnockLR().fit(aggregates, members).score(aggregates, members)
    1.0
    """

    def __init__(
        self, target: np.ndarray | None = None, cost: float = 1.0, solver: str = "certified"
    ):
        self.target = target
        self.cost = cost
        self.solver = solver

    @validated
    def fit(self, aggregates: np.ndarray, members: np.ndarray) -> Self:
        """Learn from labelled aggregates.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.
        members : ndarray of {0, 1}, shape (n,)
            1 for aggregates that contain the target.

        Returns
        -------
        KnockKnockLR
            The fitted attack.

        Raises
        ------
        ValueError
            If shapes disagree, or as `lib.membership.sparse_logistic.fit`.
        """
        validate_parameters(self)
        cells = check_aggregates(aggregates, None, members)
        rows = sparse_logistic.Rows(np.ascontiguousarray(cells.T, np.float32))
        rule = np.arange(0) if self.target is None else target_cells(self.target)
        if self.target is not None and np.size(self.target) != cells.shape[1]:
            raise ValueError(
                f"target is {np.shape(self.target)}, aggregates {aggregates.shape}: the same cells "
                "were expected"
            )
        options = {"cost": self.cost, "solver": self.solver}
        attack = _learn(lambda: rows, members, "logistic", rule, rule, options)
        threshold = best_threshold(members, attack.score(cells))
        return self._set_attack(replace(attack, threshold=threshold), cells.shape[1])


class ZeroKnowledge(_LinearEstimator):
    """The attack of an attacker who has the release, a map and visits of the target, only.

    Fitting needs no labels: the attacker synthesises traces from the release and trains on their
    aggregates.

    Parameters
    ----------
    target : ndarray of {0, 1}, shape (n_rois, n_epochs)
        The target's visits that the attacker knows.
    coordinates : DataFrame or ndarray, shape (n_rois, 2)
        Latitude and longitude of the ROIs, for example `Traces.rois`.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What was applied before the release, in order.
    group_size : int
        Users in the release.
    random_state : int or numpy.random.Generator
        Where every fit begins: equal calls give equal scores. A generator is copied.
    n_traces : int
        Synthetic traces to make, at least `group_size`.
    epochs : DatetimeIndex, optional
        Time stamps, for mechanisms that bound a day; by default hours from 1970.
    estimator : callable
        Estimates the marginals; takes the arguments of `lib.membership.marginals.estimate`, which
        is the paper's.
    scorer : {"logistic", "mean difference", "target's cells"}
        How to learn, as `Training.attack`.
    solver : mapping, optional
        Options of `lib.membership.sparse_logistic.fit`.
    n_train, n_validation : int
        Numbers of groups, as in `Training`.
    paired, certain : bool
        As in `Training`.

    Attributes
    ----------
    attack_ : LinearAttack
        Weights and threshold.
    n_features_in_ : int
        Number of cells.

    Raises
    ------
    ValueError
        When fitting: for a target without visits, fewer than four ROIs or all on one line, and a
        group size above `n_traces`.

    References
    ----------
    ZK, Sec. 4.

    Examples
    --------
    >>> from lib.aggregation import aggregate
    >>> from lib.datasets import load
    >>> six = load('six-users')
    >>> counts = aggregate(six, [[0, 1, 2], [3, 4, 5]])
    >>> attack = ZeroKnowledge(six.trace('Ada'), six.rois, [], 3, np.random.default_rng(1),
    ...     n_traces=20, n_train=20, n_validation=20)
    >>> member, non_member = attack.fit(counts[:1]).decision_function(counts)
    >>> bool(member > non_member)
    True
    """

    def __init__(
        self,
        target: np.ndarray,
        coordinates: pd.DataFrame | np.ndarray,
        mechanisms: Sequence[Any],
        group_size: int,
        random_state: int | np.random.Generator = 0,
        *,
        n_traces: int = 5000,
        epochs: pd.DatetimeIndex | None = None,
        estimator: Callable[..., marginals.Marginals] = marginals.estimate,
        scorer: str = "logistic",
        solver: Mapping[str, Any] | None = None,
        n_train: int = 400,
        n_validation: int = 100,
        paired: bool = True,
        certain: bool = True,
    ):
        self.target = target
        self.coordinates = coordinates
        self.mechanisms = mechanisms
        self.group_size = group_size
        self.random_state = random_state
        self.n_traces = n_traces
        self.epochs = epochs
        self.estimator = estimator
        self.scorer = scorer
        self.solver = solver
        self.n_train = n_train
        self.n_validation = n_validation
        self.paired = paired
        self.certain = certain

    @validated
    def synthesize(self, release: np.ndarray, rng: np.random.Generator | None = None) -> Traces:
        """Synthesise traces from one release.

        Parameters
        ----------
        release : ndarray, shape (n_rois, n_epochs)
            Released counts.
        rng : numpy.random.Generator, optional
            Source of randomness; by default a copy of `random_state`.

        Returns
        -------
        Traces
            `n_traces` synthetic traces.

        Raises
        ------
        lib.membership.marginals.EmptyRelease
            If the release holds no positive count (a ValueError).
        ValueError
            If the shapes of release and target differ, or as the estimator.

        References
        ----------
        ZK, Alg. 1 and 2.
        """
        validate_parameters(self)
        target_cells(self.target)
        if not 2 <= self.group_size <= self.n_traces:
            raise ValueError(
                f"group_size is {self.group_size}; {self.n_traces} synthetic traces are made"
            )
        neighbours = mobility.triangulate(self.coordinates)
        rng = self._rng() if rng is None else rng
        if release.shape != np.shape(self.target):
            raise ValueError(
                f"the release is {release.shape}, the target's trace {np.shape(self.target)}"
            )
        estimate = self.estimator(release, self.mechanisms, self.group_size, self.coordinates, rng)
        return mobility.synthesize(
            estimate.space,
            estimate.time,
            estimate.activity,
            self.coordinates,
            self.n_traces,
            rng,
            epochs=self.epochs,
            neighbours=neighbours,
        )

    @validated
    def train(self, release: np.ndarray, rng: np.random.Generator | None = None) -> Training:
        """Make training aggregates from one release.

        Parameters
        ----------
        release : ndarray, shape (n_rois, n_epochs)
            Released counts.
        rng : numpy.random.Generator, optional
            Source of randomness; by default a copy of `random_state`.

        Returns
        -------
        Training
            Labelled synthetic aggregates.
        """
        rng = self._rng() if rng is None else rng
        return Training(
            self.synthesize(release, rng),
            self.target,
            self.mechanisms,
            self.group_size,
            rng,
            n_train=self.n_train,
            n_validation=self.n_validation,
            paired=self.paired,
            certain=self.certain,
        )

    @validated
    def fit(self, aggregates: np.ndarray, members: np.ndarray | None = None) -> Self:
        """Learn from one release.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n_rois, n_epochs)
            Releases; the attacker learns from the first. The paper does not say whether each
            release has an attacker of its own; fit to one at a time for that.
        members : None
            Ignored, present for consistency with the other attacks.

        Returns
        -------
        ZeroKnowledge
            The fitted attack.

        Raises
        ------
        ValueError
            If there is no release or the shape is another.
        """
        validate_parameters(self)
        aggregates = np.asarray(aggregates)
        if aggregates.ndim not in (2, 3) or not aggregates.size:
            raise ValueError(
                f"aggregates are {aggregates.shape}; (n, n_rois, n_epochs) or (n_rois, n_epochs) "
                "was expected, with at least one release"
            )
        release = aggregates if aggregates.ndim == 2 else aggregates[0]
        options = dict(self.solver or {}) if self.scorer == "logistic" else {}
        attack = self.train(release).attack(self.scorer, **options)
        return self._set_attack(attack, release.size)

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng(deepcopy(self.random_state))

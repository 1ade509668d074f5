"""Attacks by a threshold: sum the target's cells, or count those above thresholds of their own.

Input is the released value less what the attacker knows, one column a cell. `decision_function` is
the score less the threshold: a member if 0 or more. Source: the threshold paper, Sec. 3, App. A.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from lib.validation import check_finite, check_numbers, validate_parameters, validated

_LARGEST = 1e150  # of what is squared
_FEW = 1_000  # shadow aggregates below which thresholds of cells and of scores share none


def checked(
    aggregates: np.ndarray, cells: np.ndarray | None, members: np.ndarray | None = None
) -> np.ndarray:
    """The positive columns, (n, cells). Raises ValueError for what cannot be learnt from.

    That is: not two-dimensional, no or unknown columns, values that are not finite or beyond 1e150,
    and members that are not one 0 or 1 a row, both present.

    aggregates (n, columns), members (n,) 0 or 1.
    """
    aggregates = np.asarray(aggregates)
    if aggregates.dtype.kind not in "iuf":  # truth values and objects
        aggregates = check_numbers("aggregates", aggregates)
    if aggregates.ndim != 2:
        raise ValueError(f"aggregates are {aggregates.shape}; (n, cells) was expected")
    if cells is not None:
        aggregates = aggregates[:, _positions(np.asarray(cells), aggregates.shape[1])]
    if not aggregates.shape[1]:
        raise ValueError("no positive cell: the target visits at least one")
    wrong = ~np.isfinite(aggregates)
    if aggregates.dtype == float:  # others hold less
        wrong |= np.abs(aggregates) > _LARGEST
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"aggregate {row} has {aggregates[row, column]} in column {column}; not finite, or "
            "beyond 1e150"
        )
    if members is not None:
        _check_members(np.asarray(members), len(aggregates))
    return aggregates


def judged(
    attack: BaseEstimator, aggregates: np.ndarray, cells: np.ndarray | None = None
) -> np.ndarray:
    """The positive columns of aggregates that a fitted attack is asked about, (n, cells).

    Raises NotFittedError before fitting, and ValueError for another number of columns than it was
    fitted on and for what `checked` refuses.
    """
    check_is_fitted(attack, "n_features_in_")
    aggregates = np.asarray(aggregates)
    if aggregates.ndim == 2 and aggregates.shape[1] != attack.n_features_in_:
        raise ValueError(
            f"aggregates have {aggregates.shape[1]} columns; {type(attack).__name__} was fitted on "
            f"{attack.n_features_in_}"
        )
    return checked(aggregates, cells)


def _positions(cells: np.ndarray, n_columns: int) -> np.ndarray:
    """Column positions from positions or a mask."""
    if cells.dtype == bool and cells.shape == (n_columns,):
        return np.flatnonzero(cells)
    if cells.ndim != 1 or (cells.size and not np.issubdtype(cells.dtype, np.integer)):
        raise ValueError(
            f"cells are {cells.dtype} {cells.shape}; positions, or a mask of {n_columns} columns"
        )
    outside = (cells < 0) | (cells >= n_columns)
    if outside.any():
        raise ValueError(f"no cell {cells[outside][0]}; there are {n_columns}")
    return cells.astype(np.intp)


def _check_members(members: np.ndarray, n: int) -> None:
    if members.shape != (n,):
        raise ValueError(f"members are {members.shape}; one for each of the {n} aggregates")
    if not np.isin(members, (0, 1)).all():
        wrong = members[~np.isin(members, (0, 1))][0]
        raise ValueError(f"members holds {wrong}; only 0 (out) and 1 (in) were expected")
    if members.all() or not members.any():
        raise ValueError(f"members must hold both classes; got {int(members.sum())} ones in {n}")


def _rate(name: str, value: float | None) -> None:
    if value is not None and not 0 < value < 1:  # NaN is wrong too
        raise ValueError(f"{name} is {value}; a rate strictly between 0 and 1 was expected")


@validated
def midpoint(scores: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Midway between the two classes' means, of a score or of each cell. Alg. 3 and 5, Eq. 6.

    scores (n,) or (n, cells), members (n,) 0 or 1.
    """
    scores = check_finite("scores", scores, -_LARGEST, _LARGEST)
    members = np.asarray(members)
    _check_members(members, len(scores))
    return (scores[members == 1].mean(axis=0) + scores[members == 0].mean(axis=0)) / 2


@validated
def normal_threshold(scores: np.ndarray, members: np.ndarray, fpr: float) -> float:
    """The threshold that normal non-members' scores pass with probability `fpr`. Alg. 6.

    Their standard deviation is the root of the average of both classes' variances.
    """
    _rate("fpr", fpr)
    scores = check_finite("scores", scores, -_LARGEST, _LARGEST)
    members = np.asarray(members)
    _check_members(members, len(scores))
    members = members == 1
    spread = np.sqrt((scores[members].var() + scores[~members].var()) / 2)
    return float(scores[~members].mean() + spread * stats.norm.isf(fpr))


class _Rule(ClassifierMixin, BaseEstimator):
    """What both attacks share: a score, and a threshold for it."""

    cells: np.ndarray | None
    fpr: float | None

    @validated
    def score_aggregates(self, aggregates: np.ndarray) -> np.ndarray:
        """The scores (n,) before any threshold: S1 or S2."""
        return self._score(judged(self, aggregates, self.cells))

    def decision_function(self, aggregates: np.ndarray) -> np.ndarray:
        """Scores less the threshold (n,): a member where 0 or more. Eq. 10."""
        return self.score_aggregates(aggregates) - self.threshold_

    def predict(self, aggregates: np.ndarray) -> np.ndarray:
        return (self.decision_function(aggregates) >= 0).astype(int)

    def _score(self, values: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _set_threshold(self, values: np.ndarray, members: np.ndarray) -> None:
        scores = self._score(values)
        self.threshold_ = (
            float(midpoint(scores, members))
            if self.fpr is None
            else normal_threshold(scores, members, self.fpr)
        )
        self.classes_ = np.array([0, 1])


class OneThreshold(_Rule):
    """The sum of the target's cells, against one threshold.

    cells  columns (positions or a mask) that the target visits; by default all
    fpr    None: the threshold of best accuracy (Alg. 3); a rate: that false positive rate (Alg. 6)
    Source: threshold paper, Alg. 1 and 2, Eq. 4. Fitting raises ValueError for an fpr that is not
    strictly between 0 and 1 and for what `checked` refuses.

    >>> rng = np.random.default_rng(1)
    >>> members = np.repeat([1, 0], 200)
    >>> aggregates = rng.laplace(scale=2.0, size=(400, 30)) + members[:, None]
    >>> attack = OneThreshold().fit(aggregates, members)
    >>> round(attack.threshold_), attack.score(aggregates, members) > 0.8
    (16, True)
    """

    def __init__(self, cells: np.ndarray | None = None, fpr: float | None = None):
        self.cells = cells
        self.fpr = fpr

    @validated
    def fit(self, aggregates: np.ndarray, members: np.ndarray) -> Self:
        """aggregates (n, cells), members (n,) 0 or 1: the shadow aggregates."""
        validate_parameters(self)
        _rate("fpr", self.fpr)
        self._set_threshold(checked(aggregates, self.cells, members), members)
        self.n_features_in_ = np.shape(aggregates)[1]
        return self

    def _score(self, values: np.ndarray) -> np.ndarray:
        return values.sum(axis=1, dtype=float)


class TwoThreshold(_Rule):
    """The number of the target's cells at or above their own thresholds, against another.

    cells     columns (positions or a mask) that the target visits; by default all
    fpr       None: the score's threshold of best accuracy; a rate: that false positive rate
    cell_fpr  None: each cell's threshold midway between its means (Alg. 5); a rate, or one a cell:
              the non-members' quantile at that false positive rate (Alg. 7)
    Below 1,000 shadow aggregates every other one is for the cells, the rest for the score, as the
    same ones would count twice. Fitted: cell_thresholds_, threshold_.
    Source: threshold paper, Alg. 4, 5, 7, Eq. 5. Fitting raises ValueError for a rate that is not
    strictly between 0 and 1 and for what `checked` refuses.

    >>> rng = np.random.default_rng(1)
    >>> members = np.repeat([1, 0], 200)
    >>> aggregates = rng.laplace(scale=2.0, size=(400, 30)) + members[:, None]
    >>> attack = TwoThreshold().fit(aggregates, members)
    >>> attack.cell_thresholds_.shape, attack.score(aggregates, members) > 0.8
    ((30,), True)
    """

    def __init__(
        self,
        cells: np.ndarray | None = None,
        fpr: float | None = None,
        cell_fpr: float | np.ndarray | None = None,
    ):
        self.cells = cells
        self.fpr = fpr
        self.cell_fpr = cell_fpr

    @validated
    def fit(self, aggregates: np.ndarray, members: np.ndarray) -> Self:
        """aggregates (n, cells), members (n,) 0 or 1: the shadow aggregates."""
        validate_parameters(self)
        _rate("fpr", self.fpr)
        values, members = checked(aggregates, self.cells, members), np.asarray(members)
        for_cells = for_score = np.ones(len(values), bool)
        if len(values) < _FEW:
            for_cells = _every_other(members)
            for_score = ~for_cells
            _check_members(members[for_score], int(for_score.sum()))
        self.cell_thresholds_ = self._cell_thresholds(values[for_cells], members[for_cells])
        self._set_threshold(values[for_score], members[for_score])
        self.n_features_in_ = np.shape(aggregates)[1]
        return self

    def _cell_thresholds(self, values: np.ndarray, members: np.ndarray) -> np.ndarray:
        if self.cell_fpr is None:
            return midpoint(values.astype(float), members)
        rates = np.asarray(self.cell_fpr, float)
        if rates.shape not in ((), (1,), values.shape[1:]):
            raise ValueError(
                f"cell_fpr is {rates.shape}; one rate, or one for each of {values.shape[1]} cells"
            )
        rates = np.broadcast_to(rates, values.shape[1])
        for rate in rates:
            _rate("cell_fpr", float(rate))
        outside = np.sort(values[members == 0], axis=0)
        at = (1 - rates) * (len(outside) - 1)
        low = np.floor(at).astype(int)  # the empirical distribution, made continuous by lines
        columns, high = np.arange(len(rates)), np.minimum(low + 1, len(outside) - 1)
        return outside[low, columns] + (at - low) * (outside[high, columns] - outside[low, columns])

    def _score(self, values: np.ndarray) -> np.ndarray:
        return (values >= self.cell_thresholds_).sum(axis=1).astype(float)


def _every_other(members: np.ndarray) -> np.ndarray:
    """A mask of every second row of each class."""
    rank = np.where(members == 1, np.cumsum(members == 1), np.cumsum(members == 0))
    return rank % 2 == 1


class ReferenceAttack(ClassifierMixin, BaseEstimator):
    """How much more a release looks like the target than like somebody else: <z, A> - <r, A>.

    trace       z, the target's trace over the columns, (cells,) 0 or 1
    references  r, traces of others over the same columns, (cells,) or several (n, cells), which are
                averaged
    There is no threshold, and so no `predict`: the scores are for AUC and ROC. Fitting only checks.
    Source: Dwork et al. 2015; threshold paper, App. C. Raises ValueError for a trace without a
    visit, lengths that disagree, and what `checked` refuses.

    >>> shadows, members = np.array([[3, 0], [0, 3]]), np.array([1, 0])
    >>> attack = ReferenceAttack(np.array([1, 0]), np.array([0, 1])).fit(shadows, members)
    >>> attack.decision_function(shadows).tolist()
    [3.0, -3.0]
    """

    def __init__(self, trace: np.ndarray, references: np.ndarray):
        self.trace = trace
        self.references = references

    @validated
    def fit(self, aggregates: np.ndarray, members: np.ndarray) -> Self:
        """aggregates (n, cells), members (n,) 0 or 1."""
        validate_parameters(self)
        values = checked(aggregates, None, members)
        trace = check_finite("trace", self.trace, -_LARGEST, _LARGEST)
        references = np.atleast_2d(check_finite("references", self.references, -_LARGEST, _LARGEST))
        if trace.shape != values.shape[1:]:
            raise ValueError(f"trace is {trace.shape}, aggregates {values.shape}: one value a cell")
        if references.ndim != 2 or not len(references) or references.shape[1:] != trace.shape:
            raise ValueError(
                f"references are {references.shape}; one trace or several of {len(trace)} cells"
            )
        if not trace.any():
            raise ValueError("trace has no visit: nothing tells the target from others")
        self.weights_ = trace - references.mean(axis=0)
        self.n_features_in_ = values.shape[1]
        self.classes_ = np.array([0, 1])
        return self

    @validated
    def decision_function(self, aggregates: np.ndarray) -> np.ndarray:
        """<z, A> - <r, A> of aggregates (n, cells): (n,)."""
        return judged(self, aggregates) @ self.weights_

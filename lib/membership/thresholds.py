"""Attacks by a threshold: sum the target's cells, or count those above thresholds of their own.

Input is the released value less what the attacker knows, one column a cell. `decision_function` is
the score less the threshold: a member if 0 or more. Source: the threshold paper, Sec. 3, App. A.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin

from lib.membership.inputs import (
    LARGEST_VALUE,
    check_aggregates,
    check_fitted_aggregates,
    check_members,
    flatten_aggregates,
)
from lib.validation import check_finite, validate_parameters, validated

_FEW = 1_000  # shadow aggregates below which thresholds of cells and of scores share none


def _rate(name: str, value: float | None) -> None:
    if value is not None and not 0 < value < 1:  # NaN is wrong too
        raise ValueError(f"{name} is {value}; a rate strictly between 0 and 1 was expected")


@validated
def midpoint(scores: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Compute the midpoint between the means of both classes.

    Parameters
    ----------
    scores : ndarray of float, shape (n,) or (n, n_cells)
        Scores, or values of cells.
    members : ndarray of {0, 1}, shape (n,)
        1 for aggregates that contain the target.

    Returns
    -------
    float or ndarray of float, shape (n_cells,)
        Midpoints.

    References
    ----------
    Threshold paper, Alg. 3 and 5, Eq. 6.
    """
    scores = check_finite("scores", scores, -LARGEST_VALUE, LARGEST_VALUE)
    members = np.asarray(members)
    check_members(members, len(scores))
    return (scores[members == 1].mean(axis=0) + scores[members == 0].mean(axis=0)) / 2


@validated
def normal_threshold(scores: np.ndarray, members: np.ndarray, fpr: float) -> float:
    """Compute the threshold that normal non-member scores exceed with a given probability.

    The standard deviation is the root of the average of both classes' variances.

    Parameters
    ----------
    scores : ndarray of float, shape (n,)
        Scores.
    members : ndarray of {0, 1}, shape (n,)
        1 for aggregates that contain the target.
    fpr : float in (0, 1)
        False positive rate.

    Returns
    -------
    float
        The threshold.

    References
    ----------
    Threshold paper, Alg. 6.
    """
    _rate("fpr", fpr)
    scores = check_finite("scores", scores, -LARGEST_VALUE, LARGEST_VALUE)
    members = np.asarray(members)
    check_members(members, len(scores))
    members = members == 1
    spread = np.sqrt((scores[members].var() + scores[~members].var()) / 2)
    return float(scores[~members].mean() + spread * stats.norm.isf(fpr))


class _Rule(ClassifierMixin, BaseEstimator):
    """What both attacks share: a score, and a threshold for it."""

    cells: np.ndarray | None
    fpr: float | None

    @validated
    def score_aggregates(self, aggregates: np.ndarray) -> np.ndarray:
        """Compute the score before subtracting the threshold: S1 or S2.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of float, shape (n,)
            Scores.
        """
        return self._score(check_fitted_aggregates(self, aggregates, self.cells))

    def decision_function(self, aggregates: np.ndarray) -> np.ndarray:
        """Compute the score minus the threshold.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of float, shape (n,)
            0 or more for members (Eq. 10).
        """
        return self.score_aggregates(aggregates) - self.threshold_

    def predict(self, aggregates: np.ndarray) -> np.ndarray:
        """Decide on membership.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of {0, 1}, shape (n,)
            1 where the score reaches the threshold.
        """
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

    Parameters
    ----------
    cells : ndarray of int or bool, optional
        Positions or a mask of the cells that the target visits; by default all.
    fpr : float in (0, 1), optional
        False positive rate of the threshold (Alg. 6); by default the threshold of best accuracy
        (Alg. 3).

    Attributes
    ----------
    threshold_ : float
        The threshold.
    n_features_in_ : int
        Number of cells of the aggregates.

    References
    ----------
    Threshold paper, Alg. 1 and 2, Eq. 4.

    Examples
    --------
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
        """Choose the threshold on shadow aggregates.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Shadow aggregates.
        members : ndarray of {0, 1}, shape (n,)
            1 for aggregates that contain the target.

        Returns
        -------
        OneThreshold
            The fitted attack.

        Raises
        ------
        ValueError
            If `fpr` is not strictly between 0 and 1, or as `inputs.check_aggregates`.
        """
        validate_parameters(self)
        _rate("fpr", self.fpr)
        self._set_threshold(check_aggregates(aggregates, self.cells, members), members)
        self.n_features_in_ = flatten_aggregates(aggregates).shape[1]
        return self

    def _score(self, values: np.ndarray) -> np.ndarray:
        return values.sum(axis=1, dtype=float)


class TwoThreshold(_Rule):
    """The number of the target's cells at or above their own thresholds, against another.

    Below 1,000 shadow aggregates every other one serves the cells' thresholds and the rest the
    score's,
    because using the same ones twice would bias the latter.

    Parameters
    ----------
    cells : ndarray of int or bool, optional
        Positions or a mask of the cells that the target visits; by default all.
    fpr : float in (0, 1), optional
        False positive rate of the score's threshold; by default the threshold of best accuracy.
    cell_fpr : float or ndarray of float in (0, 1), optional
        One rate, or one per cell: thresholds are the non-members' quantiles at that false positive
        rate
        (Alg. 7). By default each lies midway between the means of the cell (Alg. 5).

    Attributes
    ----------
    cell_thresholds_ : ndarray of float, shape (n_target_cells,)
        Thresholds of the cells.
    threshold_ : float
        Threshold of the score.
    n_features_in_ : int
        Number of cells of the aggregates.

    References
    ----------
    Threshold paper, Alg. 4, 5 and 7, Eq. 5.

    Examples
    --------
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
        """Choose the thresholds on shadow aggregates.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Shadow aggregates.
        members : ndarray of {0, 1}, shape (n,)
            1 for aggregates that contain the target.

        Returns
        -------
        TwoThreshold
            The fitted attack.

        Raises
        ------
        ValueError
            If a rate is not strictly between 0 and 1, or as `inputs.check_aggregates`.
        """
        validate_parameters(self)
        _rate("fpr", self.fpr)
        values, members = check_aggregates(aggregates, self.cells, members), np.asarray(members)
        for_cells = for_score = np.ones(len(values), bool)
        if len(values) < _FEW:
            for_cells = _every_other(members)
            for_score = ~for_cells
            check_members(members[for_score], int(for_score.sum()))
        self.cell_thresholds_ = self._cell_thresholds(values[for_cells], members[for_cells])
        self._set_threshold(values[for_score], members[for_score])
        self.n_features_in_ = flatten_aggregates(aggregates).shape[1]
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
    """How much more a release resembles the target than reference users: <z, A> - <r, A>.

    There is no threshold, and so no `predict`: the scores are for AUC and ROC.

    Parameters
    ----------
    trace : ndarray of {0, 1}, shape (n_cells,)
        The target's trace, z.
    references : ndarray of {0, 1}, shape (n_cells,) or (n_users, n_cells)
        Traces of other users, r, which are averaged.

    Attributes
    ----------
    weights_ : ndarray of float, shape (n_cells,)
        z - r.
    n_features_in_ : int
        Number of cells of the aggregates.

    References
    ----------
    Dwork et al. 2015; threshold paper, App. C.

    Examples
    --------
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
        """Validate shadow aggregates, from which nothing is learnt.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Shadow aggregates.
        members : ndarray of {0, 1}, shape (n,)
            1 for aggregates that contain the target.

        Returns
        -------
        ReferenceAttack
            The fitted attack.

        Raises
        ------
        ValueError
            If the trace has no visit, lengths disagree, or as `inputs.check_aggregates`.
        """
        validate_parameters(self)
        values = check_aggregates(aggregates, None, members)
        trace = check_finite("trace", self.trace, -LARGEST_VALUE, LARGEST_VALUE)
        references = np.atleast_2d(
            check_finite("references", self.references, -LARGEST_VALUE, LARGEST_VALUE)
        )
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
        """Compute <z, A> - <r, A>.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of float, shape (n,)
            Scores.
        """
        return check_fitted_aggregates(self, aggregates) @ self.weights_

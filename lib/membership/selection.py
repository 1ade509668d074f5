"""Recursive feature elimination with a logistic regression, in the space of the rows.

With n rows and d features, n below d, the weights of a ridge-penalised model are a combination of
the rows, w = X'a: the model is fitted through the n x n kernel X X', and taking a feature away is a
rank-one change of it.

Source: KK, Sec. V-B.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import linalg, special

from lib.ties import argsort_descending
from lib.validation import validated

_TOLERANCE = 1e-11  # relative error of a at which a fit has converged
_NEAR = 1e-3  # relative error from which Newton's method converges quadratically
_ROUGHLY = 0.1  # relative error of a that is no worse a start than none
_MOST_STEPS = 100  # of Newton's method; a handful is usual
_SHORTEST = 1e-6  # share of a Newton step that is still tried
_ROUNDING = 1e-12  # relative increase of the objective that rounding may feign
_FEW_STEPS = 5  # that may tell which weights are least before all are solved for
_SLOW = 0.01  # share of an error that a step may leave before its system is made anew
_CROWDED = 0.8  # share of columns left at which those that are gone are copied out
_REBUILD = 1e3  # recompute the kernel once this many times what is left of it was subtracted
_TINY = np.finfo(float).tiny


@validated
def eliminate(
    features: np.ndarray, members: np.ndarray, n_selected: int, step: float = 0.1
) -> np.ndarray:
    """Select features by recursive elimination of those with the smallest weights.

    The ranking model is scikit-learn's LogisticRegression(solver="liblinear"), solved to its
    optimum: it minimises ``|w|^2/2 + b^2/2 + sum log(1 + exp(-y (w.x + b)))``. Of equal weights
    the earlier column is dropped first, as by scikit-learn's RFE.

    Parameters
    ----------
    features : ndarray, shape (n, d)
        Features, which are not standardised.
    members : ndarray of {0, 1}, shape (n,)
        Labels, both present.
    n_selected : int
        Number of features to keep.
    step : float
        Share of d (below 1) or number of features to drop in each round.

    Returns
    -------
    ndarray of bool, shape (d,)
        True for the selected features; all if d <= n_selected.

    Raises
    ------
    ValueError
        If sizes, labels, the number of features or the step are invalid, or features are not
        finite.

    Warns
    -----
    RuntimeWarning
        If features above 1e10 (noise of a tiny epsilon, not clipped) leave no digits to reach the
        optimum.

    References
    ----------
    KK, Sec. V-B; Guyon et al. 2002.
    """
    features = np.asarray(features, float)
    signs = _signs(members, features)
    n_features = features.shape[1]
    if n_selected < 1:
        raise ValueError(f"n_selected is {n_selected}; at least 1 feature has to stay")
    if not (0 < step < 1 or (step == np.floor(step) and 1 <= step < np.inf)):
        raise ValueError(f"step is {step}; a share below 1 or a whole number of features")
    per_round = max(1, int(step * n_features)) if step < 1 else int(step)
    model = _KernelLogistic(features, signs)
    while model.n_features > n_selected:
        model.drop(model.least(min(per_round, model.n_features - n_selected)))
    support = np.zeros(n_features, bool)
    support[model.columns] = True
    return support


@validated
def fit_logistic(features: np.ndarray, members: np.ndarray) -> tuple[np.ndarray, float]:
    """Fit the ranking model on all features, to its optimum.

    Parameters
    ----------
    features : ndarray, shape (n, d)
        Features, which are not standardised.
    members : ndarray of {0, 1}, shape (n,)
        Labels, both present.

    Returns
    -------
    weights : ndarray of float, shape (d,)
        Weights of the features.
    intercept : float
        The intercept.

    Raises
    ------
    ValueError
        If sizes or labels are invalid, or features are not finite.
    """
    features = np.asarray(features, float)
    model = _KernelLogistic(features, _signs(members, features))
    weights = model.weights()
    return weights, float(model.dual.sum())


def _signs(members: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Members as -1 and 1, once everything fits together."""
    members = np.asarray(members)
    if features.ndim != 2 or members.shape != features.shape[:1]:
        raise ValueError(
            f"features are {features.shape}, members {members.shape}: one member a row"
        )
    if not np.isfinite(features).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(features))[0])
        raise ValueError(f"feature {column} of row {row} is {features[row, column]}")
    if not np.array_equal(np.unique(members), [0, 1]):
        raise ValueError(f"members holds {np.unique(members)}; both 0 and 1, and nothing else")
    return 2.0 * members - 1


def _twins(means: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """A number for each column, the same for columns that are equal."""
    number: dict[bytes, int] = {}
    rows = zip(means, deviations, strict=True)
    return np.array([number.setdefault(m.tobytes() + d.tobytes(), len(number)) for m, d in rows])


class _KernelLogistic:
    """A ridge-penalised logistic regression from which features are taken away.

    Everything is in a: weights X'a, intercept sum(a), margins K a with K = X X' + 1. Raw features
    are large beside their differences between rows, so they are kept as mean and deviation:
    X = 1 m' + D gives K = D D' + (D m) 1' + 1 (D m)' + (m.m + 1), and nothing large cancels.
    """

    def __init__(self, features: np.ndarray, signs: np.ndarray):
        self.all = np.arange(features.shape[1])  # columns; of those that are gone `left` is False
        self.left = np.ones(features.shape[1], bool)
        self.means = features.mean(axis=0)
        self.deviations = np.ascontiguousarray((features - self.means).T)
        self.signs = signs
        self.dual = np.zeros(len(signs))
        self.factor: tuple[np.ndarray, Any] | None = None  # of a Newton system, perhaps an old one
        self._build()
        self.twin = _twins(self.means, self.deviations)

    @property
    def columns(self) -> np.ndarray:
        return self.all[self.left]

    @property
    def n_features(self) -> int:
        return int(np.count_nonzero(self.left))

    def weights(self) -> np.ndarray:
        """The optimal weights of the features that are left."""
        if not self._fit():
            self._fit_from_zero()
        return self._weights()[self.left]

    def least(self, n: int) -> np.ndarray:
        """Columns of the n smallest weights, which need not be known better than to tell which.

        The objective is strongly convex with modulus 1: no weight is further from its optimum than
        the gradient is long. Where that leaves a doubt, the weights are solved for.
        """
        last = enough = np.inf
        margins, residual, error = self._error()
        for step in range(_FEW_STEPS):
            if error <= enough:
                sizes = np.where(self.left, np.abs(self._weights()), np.inf)
                order = np.argpartition(sizes, (n - 1, n))
                edge, after = sizes[order[n - 1]], sizes[order[n]]
                doubtful = np.flatnonzero(np.abs(sizes - edge) <= 2 * error)
                if (self.twin[doubtful] == self.twin[doubtful[0]]).all():
                    surely = np.flatnonzero(sizes < edge - 2 * error)
                    return np.concatenate([surely, doubtful[: n - len(surely)]])
                enough = (after - edge) / 4
            if (step == 0 or error > _SLOW * last) and not self._factorise(margins):
                break
            if not self._step(margins, self._move(residual)):
                break
            last = error
            margins, residual, error = self._error()
        order = argsort_descending(-np.abs(self.weights()))[:n]
        return np.flatnonzero(self.left)[order]

    def _weights(self) -> np.ndarray:
        return self.deviations @ self.dual + self.means * self.dual.sum()

    def drop(self, positions: np.ndarray) -> None:
        gone, means = self.deviations[positions], self.means[positions]
        self.left[positions] = False
        self.subtracted += (gone**2).sum() + (means**2).sum()
        # each subtraction leaves a rounding error of the size of what was subtracted
        if self.subtracted > _REBUILD * min(np.trace(self.within), self.level):
            self._build()
        else:
            self.within -= gone.T @ gone
            self.across -= gone.T @ means
            self.level -= means @ means
            if self.n_features < _CROWDED * len(self.left):
                self._compact()

    def _compact(self) -> None:
        for name in ("all", "means", "deviations", "twin"):
            setattr(self, name, getattr(self, name)[self.left])
        self.left = self.left[self.left]

    def _build(self) -> None:
        if not self.left.all():
            self._compact()
        self.within = self.deviations.T @ self.deviations
        self.across = self.deviations.T @ self.means
        self.level = self.means @ self.means + 1
        self.subtracted = 0.0

    def _kernel(self) -> np.ndarray:
        return self.within + (self.across + self.level) + self.across[:, None]

    def _margins(self, dual: np.ndarray) -> np.ndarray:
        total = dual.sum()
        return self.within @ dual + self.across * total + (self.across @ dual + self.level * total)

    def _fit_from_zero(self) -> None:
        """The optimum without a good start.

        The penalty is weak beside raw features: from 0 the first Newton system can be singular to
        rounding. So start where the penalty rules, and weaken it tenfold at a time.
        """
        self.dual = np.zeros(len(self.signs))
        for power in range(-int(np.log10(max(1, np.trace(self._kernel())))), 0):
            self._fit(cost=10.0**power, near=_ROUGHLY)
        if not self._fit():
            largest = max(np.abs(self.means).max(), np.abs(self.deviations).max())
            warnings.warn(
                f"features as large as {largest:.1e}: the ranking is not solved to its optimum, "
                "rounding stops it first",
                RuntimeWarning,
                stacklevel=4,
            )

    def _fit(self, cost: float = 1.0, near: float = _TOLERANCE) -> bool:
        """The optimum of |w|^2/2 + b^2/2 + cost * loss, by Newton's method from the last optimum.

        near  relative error at which it is near enough
        False if it is not reached, the start being so far off that no step lowers the objective.
        """
        last, anew = np.inf, True
        for step in range(_MOST_STEPS):
            margins = self._margins(self.dual)
            chance = special.expit(-self.signs * margins)
            residual = cost * self.signs * chance - self.dual  # 0 at the optimum
            error = np.abs(residual).max() / np.abs(self.dual).max(initial=_TINY)
            # near the optimum each step squares the error; once it stalls, only rounding is left,
            # unless the step was that of an old system
            if error <= near or (anew and last < _NEAR and error > last / 2):
                return True
            anew = step == 0 or error > _SLOW * last
            if anew and not self._factorise(margins, cost):
                return False
            last = error
            if not self._step(margins, self._move(residual), cost):
                return False
        return False

    def _step(self, margins: np.ndarray, move: np.ndarray, cost: float = 1.0) -> bool:
        """Moves the dual, by half as much for as long as that raises the objective."""
        moved = self._margins(move)
        length, before = 1.0, self._objective(self.dual, margins, cost)
        while length > _SHORTEST:
            after = self._objective(self.dual + length * move, margins + length * moved, cost)
            if after <= before * (1 + _ROUNDING):
                self.dual = self.dual + length * move
                return True
            length /= 2
        return False

    def _objective(self, dual: np.ndarray, margins: np.ndarray, cost: float) -> float:
        return dual @ margins / 2 + cost * np.logaddexp(0, -self.signs * margins).sum()

    def _factorise(self, margins: np.ndarray, cost: float = 1.0) -> bool:
        """Prepares Newton's steps from there; False if the system is singular to rounding."""
        chance = special.expit(-self.signs * margins)
        root = np.sqrt(cost * chance * (1 - chance))
        system = self._kernel()
        system *= root[:, None] * root
        system.flat[:: len(root) + 1] += 1
        try:
            self.factor = root, linalg.cho_factor(system, overwrite_a=True, check_finite=False)
        except linalg.LinAlgError:
            return False
        return True

    def _move(self, residual: np.ndarray) -> np.ndarray:
        """Solves (1 + S K) move = residual, S = diag(curvature), as a symmetric system.

        The system is that of the last `_factorise`: a little old, it still leads to the optimum.
        """
        assert self.factor is not None
        root, factor = self.factor
        inner = linalg.cho_solve(factor, root * self._margins(residual), check_finite=False)
        return residual - root * inner

    def _error(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Margins, residual, and the length of the gradient in the space of the weights."""
        margins = self._margins(self.dual)
        residual = self.signs * special.expit(-self.signs * margins) - self.dual
        return margins, residual, float(np.sqrt(max(residual @ self._margins(residual), 0.0)))

"""L1-penalised logistic regression with few rows and very many columns, solved to a known gap.

Minimises liblinear's objective, sum |w_j| + |b| + C sum_i log(1 + exp(-y_i (x_i.w + b))), with
y = -1 or 1; the intercept is one more column, of ones, and penalised like the others. Its dual is
max -sum_i h(a_i) over 0 < a < C with |sum_i a_i y_i x_ij| <= 1 for every column j, where
h(a) = a log(a/C) + (C - a) log(1 - a/C). Any w and any such a certify one another: their
objectives enclose the optimum, and the difference is the duality gap.

A working set of columns is solved by a primal-dual interior-point method whose linear systems are
as small as there are rows; then the columns that a comes near to violating are added, until the gap
over all columns is small. Source: Koh, Kim and Boyd 2007, J. Machine Learning Research 8.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg, sparse, special
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from lib.validation import format_value, validated

SOLVERS = ("certified", "liblinear", "saga")
_FIRST = 1000  # columns in the first working set
_MOST_NEW = 500  # columns that join it at once, or as many as it has if that is more
_NEAR = 0.9  # |correlation| from which a column joins; 1 is a violation
_LOOSE = 0.1  # relative gap to which the first working set is solved
_TIGHTER = 0.3  # of the gap over all columns: how far the next working set is solved
_INSIDE = 0.95  # largest |correlation| of new columns where the method starts again
_TO_BOUNDARY = 0.99  # share of the way to the boundary that a step may go
_LEAST_CENTRING = 1e-4
_MOST_STEPS = 100  # of the interior-point method on one working set; 2 to 6 are usual
_MOST_ROUNDS = 100  # of the working set; 4 to 6 are usual
_AT_ONCE = 512  # columns of counts that are floats at once, in the cache; a multiple of four
# columns, which BLAS takes together, gives the same sums as all at once


# -- rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    """Rows of a design matrix, stored with the columns first.

    Parameters
    ----------
    base : ndarray, shape (n_columns, n)
        float32 or, for counts, int16.
    """

    base: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.base.shape[1], self.base.shape[0]

    def correlate(self, rows: np.ndarray) -> np.ndarray:
        """Compute X' r.

        Parameters
        ----------
        rows : ndarray of float, shape (n,)
            A value per row, r.

        Returns
        -------
        ndarray of float, shape (n_columns,)
            The products.
        """
        return _product(self.base, rows)

    def columns(self, chosen: np.ndarray) -> np.ndarray:
        """Return some columns.

        Parameters
        ----------
        chosen : ndarray of int
            Columns.

        Returns
        -------
        ndarray of float, shape (n_chosen, n)
            Their values.
        """
        return self.base[chosen].astype(float)


@dataclass(frozen=True)
class Pairs:
    """Rows in pairs that are almost equal: n rows, then n that differ from them in few columns.

    Parameters
    ----------
    base : ndarray, shape (n_columns, n)
        The first n rows, as in `Rows`.
    difference : csr_array, shape (n_columns, n)
        The second rows minus the first.
    """

    base: np.ndarray
    difference: sparse.csr_array

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, both halves counted."""
        return 2 * self.base.shape[1], self.base.shape[0]

    @cached_property
    def _by_pair(self) -> sparse.csc_array:
        return self.difference.tocsc()

    def correlate(self, rows: np.ndarray) -> np.ndarray:
        """Compute X' r.

        Parameters
        ----------
        rows : ndarray of float, shape (2 * n,)
            A value per row, r.

        Returns
        -------
        ndarray of float, shape (n_columns,)
            The products.
        """
        first, second = np.split(rows, 2)
        product = _product(self.base, first + second)
        product += self._by_pair @ second
        return product

    def columns(self, chosen: np.ndarray) -> np.ndarray:
        """Return some columns.

        Parameters
        ----------
        chosen : ndarray of int
            Columns.

        Returns
        -------
        ndarray of float, shape (n_chosen, 2 * n)
            Their values.
        """
        first = self.base[chosen].astype(float)
        return np.hstack([first, first + self.difference[chosen].toarray()])


def _product(base: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """base @ vector, float64 of float32 sums."""
    if not vector.any():  # pairs whose rows weigh the same, as they do at first
        return np.zeros(len(base))
    vector, found = vector.astype(np.float32), np.empty(len(base), np.float32)
    if base.dtype == np.float32:
        return np.dot(base, vector, out=found).astype(float)
    floats = np.empty((_AT_ONCE, base.shape[1]), np.float32)
    for start in range(0, len(base), _AT_ONCE):
        part = base[start : start + _AT_ONCE]
        floats[: len(part)] = part
        np.dot(floats[: len(part)], vector, out=found[start : start + len(part)])
    return found.astype(float)


# -- the model -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SparseModel:
    """A linear score: intercept plus weighted columns.

    Parameters
    ----------
    columns : ndarray of int
        Columns with a weight.
    weights : ndarray of float
        Their weights.
    intercept : float
        The intercept.
    objective : float
        liblinear's objective at these weights.
    gap : float
        Relative duality gap: (objective - a lower bound of the optimum) / objective.
    """

    columns: np.ndarray
    weights: np.ndarray
    intercept: float
    objective: float
    gap: float


@validated
def fit(
    rows: Rows | Pairs,
    members: np.ndarray,
    cost: float = 1.0,
    solver: str = "certified",
    tolerance: float = 1e-3,
    iterations: int = 1000,
) -> SparseModel:
    """Fit an L1-penalised logistic regression and certify its distance from the optimum.

    Parameters
    ----------
    rows : Rows or Pairs
        The design matrix.
    members : ndarray of {0, 1}, shape (n,)
        Labels, both present.
    cost : float
        C of liblinear's objective, the inverse strength of the penalty.
    solver : {"certified", "liblinear", "saga"}
        This module's solver, or one of scikit-learn's. liblinear has this objective; saga does not
        penalise the intercept, which changes the optimum a little.
    tolerance : float in (0, 1)
        Relative duality gap at which "certified" stops. Rows are float32, so a gap below 1e-6 may
        be out of reach.
    iterations : int
        Most iterations of the other solvers; saga seldom converges within them.

    Returns
    -------
    SparseModel
        The model; its gap is computed for every solver.

    Raises
    ------
    ValueError
        If labels, cost, solver or tolerance are invalid.

    Warns
    -----
    RuntimeWarning
        If "certified" does not reach its tolerance.

    References
    ----------
    ZK, Sec. 5.2 (scikit-learn's L1 penalty; the solver is not stated).
    """
    signs = _signs(rows, members)
    for name, value in (("cost", cost), ("tolerance", tolerance)):
        if not value > 0:
            raise ValueError(f"{name} is {value}; a finite number above 0 was expected")
    if tolerance >= 1:
        raise ValueError(f"tolerance is {tolerance}; a relative gap below 1 was expected")
    if solver not in SOLVERS:
        raise ValueError(f"solver is {format_value(solver)}; one of {', '.join(SOLVERS)}")
    if solver == "certified":
        try:
            model = _certified(rows, signs, cost, tolerance)
        except linalg.LinAlgError:
            model = None
        if model is None or not np.isfinite(model.gap):
            raise ValueError(
                f"cost is {cost:g}: the penalty is too weak beside it for a certified optimum; "
                "take a smaller one"
            )
        return model
    return _scikit_learn(rows, signs, cost, solver, iterations)


def _signs(rows: Rows | Pairs, members: np.ndarray) -> np.ndarray:
    members = np.asarray(members)
    if members.shape != rows.shape[:1] or not np.array_equal(np.unique(members), [0, 1]):
        raise ValueError(
            f"members are {members.shape} with values {np.unique(members)[:5]}; "
            f"{rows.shape[0]} rows ask for one each, 0 or 1, both present"
        )
    return 2.0 * members - 1


def _scikit_learn(
    rows: Rows | Pairs, signs: np.ndarray, cost: float, solver: str, iterations: int
) -> SparseModel:
    model = LogisticRegression(
        C=cost, l1_ratio=1, solver=solver, max_iter=iterations, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the gap says it better
        model.fit(rows.columns(np.arange(rows.shape[1])).T, signs)
    columns = np.flatnonzero(model.coef_[0])
    weights, intercept = model.coef_[0][columns], float(model.intercept_[0])
    margins = signs * (weights @ rows.columns(columns) + intercept)
    value = _objective(margins, np.append(weights, intercept), cost)
    dual = cost * special.expit(-margins)
    largest = max(np.abs(rows.correlate(signs * dual)).max(), abs(signs @ dual))
    lower = _dual_objective(dual / max(1, largest), cost)
    return SparseModel(columns, weights, intercept, value, (value - lower) / value)


def _objective(margins: np.ndarray, weights: np.ndarray, cost: float) -> float:
    return float(np.abs(weights).sum() + cost * np.logaddexp(0, -margins).sum())


def _dual_objective(dual: np.ndarray, cost: float) -> float:
    share = dual / cost
    return float(cost * (special.entr(share) + special.entr(1 - share)).sum())


# -- to a certified optimum ------------------------------------------------------------------------


def _certified(rows: Rows | Pairs, signs: np.ndarray, cost: float, tolerance: float) -> SparseModel:
    dual = np.full(len(signs), cost / 2)
    correlation = np.abs(rows.correlate(signs * dual))
    largest = max(correlation.max(), abs(signs @ dual))
    if largest <= 1:  # then w = 0 is the optimum
        return SparseModel(np.arange(0), np.zeros(0), 0.0, _dual_objective(dual, cost), 0.0)
    chosen, new = np.arange(0), _largest(correlation, _FIRST)
    inner = _InteriorPoint(dual * _INSIDE / largest, cost, signs[None])
    goal = _LOOSE
    for _ in range(_MOST_ROUNDS):
        chosen = np.concatenate([chosen, new])
        inner.add(rows.columns(new) * signs)
        value = inner.solve(max(tolerance / 2, goal))
        correlation = np.abs(rows.correlate(signs * inner.dual))
        lower = _dual_objective(inner.dual / max(1, correlation.max()), cost)
        gap = (value - lower) / value
        if gap <= tolerance:
            return _without_small(chosen, inner, value, lower, tolerance)
        correlation[chosen] = 0
        near = np.flatnonzero(correlation > _NEAR)
        few = max(_MOST_NEW, len(chosen))
        if len(near) <= few:  # while many are missing, an exact solution is worth nothing
            goal = min(goal, _TIGHTER * gap)
        new = near[_largest(correlation[near], few)]
    warnings.warn(
        f"L1 logistic regression stopped at a relative duality gap of {gap:.1e}, not {tolerance}",
        RuntimeWarning,
        stacklevel=3,
    )
    return _without_small(chosen, inner, value, lower, tolerance)


def _largest(values: np.ndarray, n: int) -> np.ndarray:
    """Where the n largest values are, the largest first; of equals the earlier first."""
    able = np.arange(len(values))
    if n < len(values):
        able = np.flatnonzero(values >= np.partition(values, -n)[-n])
    return able[np.argsort(-values[able], kind="stable")][:n]


def _without_small(
    chosen: np.ndarray, inner: _InteriorPoint, value: float, lower: float, tolerance: float
) -> SparseModel:
    """The model without the weights that the method left small instead of 0, if the gap allows."""
    weights = inner.weights
    for power in range(1, 12):
        kept = np.abs(weights) > 10.0**-power * np.abs(weights).max()
        rounded = np.where(kept, weights, 0)
        new = inner.objective(rounded)
        if new <= max(value, lower / (1 - tolerance)):
            weights, value = rounded, new
            break
    used = weights[1:] != 0
    return SparseModel(
        chosen[used], weights[1:][used], float(weights[0]), value, (value - lower) / value
    )


class _InteriorPoint:
    """min |w|_1 + C sum log(1 + exp(-m)), m = w A, over the columns A (columns, rows) so far.

    With w = p - q, p and q above 0, and z = A a: the optimum has h'(a) = -m, p (1 - z) = 0 and
    q (1 + z) = 0. Newton steps on these with the zeros replaced by mu, which falls (Mehrotra's
    predictor and corrector). a stays inside |z| < 1, so that it always gives a lower bound.
    """

    def __init__(self, dual: np.ndarray, cost: float, columns: np.ndarray):
        self.dual, self.cost = dual, cost
        self.matrix = columns
        self.above = self.below = np.ones(len(columns))  # p and q
        self.mu = 1.0

    @property
    def weights(self) -> np.ndarray:
        return self.above - self.below

    def objective(self, weights: np.ndarray) -> float:
        return _objective(weights @ self.matrix, weights, self.cost)

    def add(self, columns: np.ndarray) -> None:
        """More columns; the dual is pulled in until it is inside for them too."""
        self.matrix = np.vstack([self.matrix, columns])
        largest = np.abs(self.matrix @ self.dual).max()
        self.dual = self.dual * min(1, _INSIDE / largest)
        more = np.full(len(columns), self.mu)
        self.above = np.maximum(np.concatenate([self.above, more]), self.mu)
        self.below = np.maximum(np.concatenate([self.below, more]), self.mu)

    def solve(self, tolerance: float) -> float:
        """Steps until the relative gap over these columns is small; returns the objective."""
        for _ in range(_MOST_STEPS):
            value = self.objective(self.weights)
            if value - _dual_objective(self.dual, self.cost) <= tolerance * value:
                break
            self._step()
        return value

    def _step(self) -> None:
        correlation = self.matrix @ self.dual
        room = 1 - correlation, 1 + correlation
        gap = self.above @ room[0] + self.below @ room[1]
        self.mu = gap / (2 * len(correlation))
        solve = self._system(room)
        move = solve(-self.above * room[0], -self.below * room[1])
        length = self._longest(move, room)
        _, above, below, along = move
        predicted = (self.above + length * above) @ (room[0] - length * along)
        predicted += (self.below + length * below) @ (room[1] + length * along)
        target = max((predicted / gap) ** 3, _LEAST_CENTRING) * self.mu
        move = solve(
            target - self.above * room[0] + above * along,
            target - self.below * room[1] - below * along,
        )
        length = self._longest(move, room)
        self.dual = self.dual + length * move[0]
        self.above = self.above + length * move[1]
        self.below = self.below + length * move[2]

    def _system(self, room: tuple[np.ndarray, np.ndarray]):  # type: ignore[no-untyped-def]
        """A function from the two complementarity residuals to the moves of a, p, q and z."""
        above, below = self.above / room[0], self.below / room[1]
        scaled = self.matrix * np.sqrt(above + below)[:, None]
        system = scaled.T @ scaled  # numpy sees the symmetry and does half the work
        system.flat[:: len(system) + 1] += self.cost / (self.dual * (self.cost - self.dual))
        factor = linalg.cho_factor(system, overwrite_a=True, check_finite=False)
        residual = special.logit(self.dual / self.cost) + self.weights @ self.matrix

        def solve(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, ...]:
            right = residual + (first / room[0] - second / room[1]) @ self.matrix
            dual = linalg.cho_solve(factor, -right, check_finite=False)
            along = self.matrix @ dual
            return dual, first / room[0] + above * along, second / room[1] - below * along, along

        return solve

    def _longest(self, move: tuple[np.ndarray, ...], room: tuple[np.ndarray, np.ndarray]) -> float:
        """The longest step, up to 1, that keeps everything positive that has to be."""
        dual, above, below, along = move
        length = 1.0
        for value, change in (
            (self.dual, dual),
            (self.cost - self.dual, -dual),
            (self.above, above),
            (self.below, below),
            (room[0], -along),
            (room[1], along),
        ):
            falling = change < 0
            if falling.any():
                nearest = np.min(value[falling] / -change[falling])
                length = min(length, _TO_BOUNDARY * float(nearest))
        return length

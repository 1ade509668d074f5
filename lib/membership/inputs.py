"""Input validation that the attacks share. Not in the papers."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from lib.validation import check_numbers

LARGEST_VALUE = 1e150  # values are squared


def flatten_aggregates(aggregates: np.ndarray) -> np.ndarray:
    """Reshape aggregates to one row of cells each.

    Parameters
    ----------
    aggregates : array_like, shape (n, n_rois, n_epochs) or (n, n_cells)
        Counts.

    Returns
    -------
    ndarray, shape (n, n_cells)
        cell = roi * n_epochs + epoch.
    """
    aggregates = np.asarray(aggregates)
    if aggregates.ndim == 3:
        return aggregates.reshape(len(aggregates), aggregates.shape[1] * aggregates.shape[2])
    return aggregates


def check_aggregates(
    aggregates: np.ndarray, cells: np.ndarray | None, members: np.ndarray | None = None
) -> np.ndarray:
    """Validate aggregates, and labels if given, and select cells.

    Parameters
    ----------
    aggregates : array_like, shape (n, n_rois, n_epochs) or (n, n_cells)
        Released counts.
    cells : ndarray of int or bool, or None
        Positions or a mask of the cells to select; None selects all.
    members : array_like of {0, 1}, shape (n,), optional
        1 for aggregates that contain the target.

    Returns
    -------
    ndarray, shape (n, len(cells))
        Values at the selected cells.

    Raises
    ------
    ValueError
        If the shape is another, there are no cells or unknown ones, values are not finite or beyond
        1e150, or members are not one 0 or 1 per aggregate, both present.
    """
    aggregates = np.asarray(aggregates)
    if aggregates.dtype.kind not in "iuf":  # truth values and objects
        aggregates = check_numbers("aggregates", aggregates)
    aggregates = flatten_aggregates(aggregates)
    if aggregates.ndim != 2:
        raise ValueError(
            f"aggregates are {aggregates.shape}; (n, cells) or (n, n_rois, n_epochs) was expected"
        )
    if cells is not None:
        aggregates = aggregates[:, _cell_positions(np.asarray(cells), aggregates.shape[1])]
    if not aggregates.shape[1]:
        raise ValueError("no positive cell: the target visits at least one")
    wrong = ~np.isfinite(aggregates)
    if aggregates.dtype == float:  # other types hold smaller values only
        wrong |= np.abs(aggregates) > LARGEST_VALUE
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"aggregate {row} has {aggregates[row, column]} in column {column}; not finite, or "
            "beyond 1e150"
        )
    if members is not None:
        check_members(np.asarray(members), len(aggregates))
    return aggregates


def check_fitted_aggregates(
    attack: BaseEstimator, aggregates: np.ndarray, cells: np.ndarray | None = None
) -> np.ndarray:
    """Validate aggregates for a fitted attack and select cells.

    Parameters
    ----------
    attack : BaseEstimator
        The attack, with `n_features_in_` if fitted.
    aggregates : array_like, shape (n, n_rois, n_epochs) or (n, n_cells)
        Released counts.
    cells : ndarray of int or bool, optional
        Positions or a mask of the cells to select; by default all.

    Returns
    -------
    ndarray, shape (n, len(cells))
        Values at the selected cells.

    Raises
    ------
    NotFittedError
        Before fitting.
    ValueError
        If the number of cells is not that of `fit`, or as `check_aggregates`.
    """
    check_is_fitted(attack, "n_features_in_")
    aggregates = flatten_aggregates(aggregates)
    if aggregates.ndim == 2 and aggregates.shape[1] != attack.n_features_in_:
        raise ValueError(
            f"aggregates have {aggregates.shape[1]} columns; {type(attack).__name__} was fitted on "
            f"{attack.n_features_in_}"
        )
    return check_aggregates(aggregates, cells)


def check_members(members: np.ndarray, n: int) -> None:
    """Validate labels.

    Parameters
    ----------
    members : ndarray
        Labels: 1 for aggregates that contain the target, 0 for others.
    n : int
        Number of aggregates.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        If there is not one 0 or 1 per aggregate, or one class is missing.
    """
    if members.shape != (n,):
        raise ValueError(f"members are {members.shape}; one for each of the {n} aggregates")
    if not np.isin(members, (0, 1)).all():
        wrong = members[~np.isin(members, (0, 1))][0]
        raise ValueError(f"members holds {wrong}; only 0 (out) and 1 (in) were expected")
    if members.all() or not members.any():
        raise ValueError(f"members must hold both classes; got {int(members.sum())} ones in {n}")


def _cell_positions(cells: np.ndarray, n_columns: int) -> np.ndarray:
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

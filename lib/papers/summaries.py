"""From tidy rows to means with intervals, and to paired differences over named units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib import metrics

COLUMNS = ["n", "mean", "95% low", "95% high"]


def mean_and_error(values: Sequence[float] | np.ndarray | pd.Series) -> tuple[float, float]:
    """Compute mean and standard error over independent units.

    Parameters
    ----------
    values : array_like of float
        One value for each unit; NaN are left out.

    Returns
    -------
    tuple of float
        Mean and standard error.

    Raises
    ------
    ValueError
        With fewer than two values.
    """
    kept = _numbers(values)
    if len(kept) < 2:
        raise ValueError(f"{len(kept)} value(s): a standard error needs at least two")
    return float(kept.mean()), float(kept.std(ddof=1) / len(kept) ** 0.5)


def means(rows: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """Compute means with Student's 95% intervals.

    Parameters
    ----------
    rows : pandas.DataFrame
        One row for each unit.
    by : sequence of str
        Columns or index levels that tell groups of rows apart.
    value : str
        Column to average; NaN are left out.

    Returns
    -------
    pandas.DataFrame
        Index `by`, in the order of the rows; columns `COLUMNS`. A single value has no
        interval (NaN).

    Raises
    ------
    ValueError
        If a column does not exist.

    Examples
    --------
    >>> rows = pd.DataFrame({'attack': ['sum'] * 3, 'AUC': [0.79, 0.80, 0.81]})
    >>> means(rows, ['attack'], 'AUC').round(2).iloc[0].tolist()
    [3.0, 0.8, 0.78, 0.82]
    """
    flat = _flat(rows, [*by, value])
    samples = {key: each[value] for key, each in flat.groupby(list(by), sort=False)}
    return _table({key: _described(values) for key, values in samples.items()}, by)


def differences(
    rows: pd.DataFrame,
    by: Sequence[str],
    value: str,
    unit: Sequence[str],
    between: str,
    first: object,
    second: object,
) -> pd.DataFrame:
    """Compute mean differences of pairs, with Student's 95% intervals.

    Parameters
    ----------
    rows : pandas.DataFrame
        One row for each unit.
    by : sequence of str
        Columns or index levels that tell groups of rows apart.
    value : str
        Column to average; NaN are left out.
    unit : sequence of str
        Columns that name what both values were measured on (a target, a run).
    between : str
        Column that contains `first` and `second`.
    first, second : object
        Values of that column; the second is subtracted from the first.

    Returns
    -------
    pandas.DataFrame
        Index `by`; columns `COLUMNS`. Units that lack one of the two are left out, and so
        are groups without a pair.

    Raises
    ------
    ValueError
        If a column does not exist, or a unit has one of the two twice.
    """
    flat = _flat(rows, [*by, *unit, between, value])
    flat = flat[flat[between].isin([first, second])]
    keys = [*by, *unit]
    if flat.duplicated([*keys, between]).any():
        twice = flat.loc[flat.duplicated([*keys, between]), [*keys, between]].iloc[0].to_dict()
        raise ValueError(f"{twice} stands twice; one row a unit was expected")
    wide = flat.set_index([*keys, between])[value].unstack(between)
    if not {first, second} <= set(wide.columns):
        raise ValueError(f"{between} has not both {first!r} and {second!r}")
    change = (wide[first] - wide[second]).dropna().reset_index(name="difference")
    order = flat.drop_duplicates(list(by)).set_index(list(by)).index if by else None
    if order is None:
        return _table({"all": _described(change["difference"])}, ["of"])
    table = means(change, by, "difference")
    return table.loc[[key for key in order if key in table.index]]


def bracketed(table: pd.DataFrame, digits: int = 2) -> pd.DataFrame:
    """Format a table of means or differences: n, and "0.84 [0.80, 0.88]" in one column.

    Parameters
    ----------
    table : pandas.DataFrame
        What `means` or `differences` returned.
    digits : int, default 2
        Decimals.

    Returns
    -------
    pandas.DataFrame
        The table. A value without an interval stands alone; a missing value is empty.

    Examples
    --------
    >>> rows = pd.DataFrame({'attack': ['sum'] * 3, 'AUC': [0.79, 0.80, 0.81]})
    >>> bracketed(means(rows, ['attack'], 'AUC')).iloc[0, 1]
    '0.80 [0.78, 0.82]'
    """
    return pd.DataFrame({"n": table["n"], "mean [95%]": texts(table, digits)}, index=table.index)


def texts(table: pd.DataFrame, digits: int = 2, of: str = "mean") -> pd.Series:
    """Format a column and its interval as "0.84 [0.80, 0.88]".

    Parameters
    ----------
    table : pandas.DataFrame
        What `means` or `differences` returned.
    digits : int, default 2
        Decimals.
    of : str, default 'mean'
        The column.

    Returns
    -------
    pandas.Series
        The texts, as of `in_brackets`.
    """
    values = table[[of, *COLUMNS[2:]]].to_numpy(float).tolist()
    told = [in_brackets(mean, low, high, digits) for mean, low, high in values]
    return pd.Series(told, table.index, name=f"{of} [95%]", dtype=object)


def in_brackets(value: float, low: float, high: float, digits: int = 2) -> str:
    """Format a value and its interval as "0.84 [0.80, 0.88]".

    Parameters
    ----------
    value : float
        The value; NaN gives an empty text.
    low, high : float
        Ends of the interval; NaN if there is none.
    digits : int, default 2
        Decimals.

    Returns
    -------
    str
        The text.
    """
    if np.isnan(value):
        return ""
    alone, *ends = (f"{round(x, digits) + 0.0:.{digits}f}" for x in (value, low, high))
    return alone if np.isnan(low) else f"{alone} [{', '.join(ends)}]"


def scored(members: np.ndarray, scores: Mapping[str, np.ndarray], fpr: float = 0.1) -> pd.DataFrame:
    """Tabulate the success of attacks on the same groups, with 95% intervals over groups.

    Parameters
    ----------
    members : ndarray of {0, 1}, shape (n_groups,)
        1 for groups with the target.
    scores : mapping of str to ndarray, shape (n_groups,)
        Name of an attack to its scores.
    fpr : float, default 0.1
        False positive rate.

    Returns
    -------
    pandas.DataFrame
        A row for each attack. Columns: AUC, privacy loss, TPR at `fpr`, as text.

    Raises
    ------
    ValueError
        As `lib.metrics.auc`.
    """
    found = {}
    for name, each in scores.items():
        auc = metrics.auc(members, each)
        tpr = metrics.tpr_at_fpr(members, each, fpr)
        found[name] = {
            "AUC": in_brackets(auc, *metrics.auc_interval(members, each)),
            "privacy loss": in_brackets(
                float(metrics.privacy_loss(auc)), *metrics.privacy_loss_interval(members, each)
            ),
            f"TPR at {fpr:.0%} FPR": in_brackets(
                tpr, *metrics.tpr_at_fpr_interval(members, each, fpr)
            ),
        }
    return pd.DataFrame.from_dict(found, orient="index").rename_axis("score")


def several(by_name: Mapping[str, pd.DataFrame], name: str = "of") -> pd.DataFrame:
    """Put tables below each other, with their names in a first column.

    Parameters
    ----------
    by_name : mapping of str to DataFrame
        Name to table.
    name : str, default 'of'
        Name of the first column.

    Returns
    -------
    pandas.DataFrame
        The table.
    """
    return pd.concat([table.assign(**{name: key}) for key, table in by_name.items()])[
        [name, *next(iter(by_name.values())).columns]
    ]


def _numbers(values: Sequence[float] | np.ndarray | pd.Series) -> np.ndarray:
    array = np.asarray(values, float)
    return array[~np.isnan(array)]


def _described(values: Sequence[float] | np.ndarray | pd.Series) -> list[float]:
    kept = _numbers(values)
    if not len(kept):
        return [0, np.nan, np.nan, np.nan]
    interval = metrics.mean_interval(kept) if len(kept) > 1 else (np.nan, np.nan)
    return [len(kept), float(kept.mean()), *interval]


def _table(rows: Mapping[object, list[float]], by: Sequence[str]) -> pd.DataFrame:
    table = pd.DataFrame(list(rows.values()), columns=COLUMNS).astype({"n": int})
    keys = [key if isinstance(key, tuple) else (key,) for key in rows]
    if len(by) == 1:
        return table.set_axis(pd.Index([key[0] for key in keys], name=by[0]))
    return table.set_axis(pd.MultiIndex.from_tuples(keys, names=list(by)))


def _flat(rows: pd.DataFrame, wanted: Sequence[str]) -> pd.DataFrame:
    named = [name for name in rows.index.names if name is not None]
    flat = rows.reset_index(named) if named else rows
    missing = [name for name in wanted if name not in flat]
    if missing:
        raise ValueError(f"no column {missing[0]!r}; there are: {', '.join(map(str, flat))}")
    return flat

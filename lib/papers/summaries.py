"""From tidy rows to means with intervals, and to paired differences over named units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib import metrics

COLUMNS = ["n", "mean", "95% low", "95% high"]


def mean_and_error(values: Sequence[float] | np.ndarray | pd.Series) -> tuple[float, float]:
    """Mean and standard error over independent units; NaN are left out.

    Raises ValueError with fewer than two values.
    """
    kept = _numbers(values)
    if len(kept) < 2:
        raise ValueError(f"{len(kept)} value(s): a standard error needs at least two")
    return float(kept.mean()), float(kept.std(ddof=1) / len(kept) ** 0.5)


def means(rows: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """Means with Student's 95% intervals: index `by`, in the rows' order, columns `COLUMNS`.

    rows   one row a unit and whatever `by` tells apart; columns or index levels
    value  the column to average; NaN are left out, a single value has no interval (NaN)

    Raises ValueError for a column that is not there.

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
    """Mean of value[first] - value[second], paired by unit: index `by`, columns `COLUMNS`.

    between        the column in which `first` and `second` stand
    unit           the columns that name what both were measured on (a target, a run)

    Units that lack one of the two are left out, and so is what has no pair at all. Raises
    ValueError for a missing column or a unit that has one of the two twice.
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
    """A table of `means` or `differences` for readers: n, and "0.84 [0.80, 0.88]" in one column.

    What has no interval stands alone; what has no value is empty.

    >>> rows = pd.DataFrame({'attack': ['sum'] * 3, 'AUC': [0.79, 0.80, 0.81]})
    >>> bracketed(means(rows, ['attack'], 'AUC')).iloc[0, 1]
    '0.80 [0.78, 0.82]'
    """
    return pd.DataFrame({"n": table["n"], "mean [95%]": texts(table, digits)}, index=table.index)


def texts(table: pd.DataFrame, digits: int = 2, of: str = "mean") -> pd.Series:
    """ "0.84 [0.80, 0.88]" of the columns `of`, 95% low and 95% high, as `in_brackets` has it."""
    values = table[[of, *COLUMNS[2:]]].to_numpy(float).tolist()
    told = [in_brackets(mean, low, high, digits) for mean, low, high in values]
    return pd.Series(told, table.index, name=f"{of} [95%]", dtype=object)


def in_brackets(value: float, low: float, high: float, digits: int = 2) -> str:
    """ "0.84 [0.80, 0.88]"; without an interval (NaN) the value alone, without a value ""."""
    if np.isnan(value):
        return ""
    alone, *ends = (f"{round(x, digits) + 0.0:.{digits}f}" for x in (value, low, high))
    return alone if np.isnan(low) else f"{alone} [{', '.join(ends)}]"


def scored(members: np.ndarray, scores: Mapping[str, np.ndarray], fpr: float = 0.1) -> pd.DataFrame:
    """What attacks on the same groups reach, with 95% intervals over groups, as text: a row each.

    members  0/1 (n_groups,); scores  name -> (n_groups,)
    Columns: AUC, privacy loss, TPR at an FPR of `fpr`. Raises ValueError as `metrics.auc` does.
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
    """Tables below each other, each with its name in a first column."""
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

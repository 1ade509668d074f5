"""Metrics of attacks and defenses, with confidence intervals.

Members are 1, and higher scores indicate membership.

Source: KK, Sec. IV-C and VII-B for the attack's scores; intervals are not in the papers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

from lib.validation import check_instance, check_numbers, check_real, validated

_MAX_VALUE = 1e150  # of what is squared


class Interval(NamedTuple):
    """A confidence interval.

    Attributes
    ----------
    low : float
        Lower end.
    high : float
        Upper end.
    """

    low: float
    high: float


def _check_scores(members: np.ndarray, *scores: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return members as booleans and scores as floats, or raise ValueError."""
    members = np.asarray(members)
    as_numbers = check_numbers("members", members)
    if not np.isin(as_numbers, (0, 1)).all():
        wrong = members[~np.isin(as_numbers, (0, 1))][0]
        raise ValueError(f"members holds {wrong}; only 0 (out) and 1 (in) were expected")
    if members.ndim != 1 or members.all() or not members.any():
        raise ValueError(
            f"members must hold both classes; got {int(members.sum())} ones in {members.size}"
        )
    checked = [check_numbers("scores", s) for s in scores]
    for s in checked:
        if s.shape != members.shape:
            raise ValueError(f"scores are {s.shape}, members {members.shape}: one score a member")
        if np.isnan(s).any():
            raise ValueError(f"score {int(np.flatnonzero(np.isnan(s))[0])} is NaN")
    return (members.astype(bool), *checked)


def _check_level(level: float) -> float:
    """Return a confidence level, or raise ValueError."""
    if not 0 < check_real("level", level) < 1:
        raise ValueError(f"level is {level}; a probability between 0 and 1 was expected")
    return level


# -- area under the curve ------------------------------------------------------------------------


@validated
def auc(members: np.ndarray, scores: np.ndarray) -> float:
    """Compute the area under the ROC curve.

    Parameters
    ----------
    members : array_like of {0, 1}, shape (n,)
        1 for aggregates that contain the target.
    scores : array_like of float, shape (n,)
        Higher values indicate membership.

    Returns
    -------
    float
        Probability that a random member scores above a random non-member; ties count one half.

    Raises
    ------
    ValueError
        If one class is missing, shapes differ or a score is NaN.

    Examples
    --------
    >>> auc([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1])
    0.75
    """
    is_member, scores = _check_scores(members, scores)
    ranks = stats.rankdata(scores)
    n_in, n_out = int(is_member.sum()), int((~is_member).sum())
    return float((ranks[is_member].sum() - n_in * (n_in + 1) / 2) / (n_in * n_out))


@validated
def auc_interval(members: np.ndarray, scores: np.ndarray, level: float = 0.95) -> Interval:
    """Compute a score-type interval of the AUC, valid at 0 and 1 as well.

    Parameters
    ----------
    members : array_like of {0, 1}, shape (n,)
        1 for aggregates that contain the target.
    scores : array_like of float, shape (n,)
        Higher values indicate membership.
    level : float, default=0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    Interval
        Confidence interval.

    Raises
    ------
    ValueError
        If one class is missing, shapes differ or a score is NaN.

    References
    ----------
    Newcombe 2006, Statistics in Medicine 25, 559-573, method 5.
    """
    value = auc(members, scores)
    is_member = np.asarray(members).astype(bool)
    n_in, n_out = is_member.sum(), (~is_member).sum()
    z = stats.norm.ppf(0.5 + _check_level(level) / 2)

    def distance(a: float) -> float:
        spread = 1 + ((n_in + n_out) / 2 - 1) * ((1 - a) / (2 - a) + a / (1 + a))
        return (value - a) ** 2 - z**2 * a * (1 - a) * spread / (n_in * n_out)

    edge = 1e-12  # at an AUC of 0 or 1 the estimate itself is a root too, but not the one wanted
    low = optimize.brentq(distance, 0, min(value, 1 - edge)) if value > 0 else 0.0
    high = optimize.brentq(distance, max(value, edge), 1) if value < 1 else 1.0
    return Interval(float(low), float(high))


# -- privacy loss and gain -----------------------------------------------------------------------


@validated
def privacy_loss(auc: float | np.ndarray) -> float | np.ndarray:
    """Compute the privacy loss 2 * (AUC - 1/2), 0 for an AUC below the chance level.

    For several targets, average the losses, not the AUCs. For errors instead of AUCs see
    `lib.localization.privacy_loss_from_errors`.

    Parameters
    ----------
    auc : float or array_like
        AUC in [0, 1].

    Returns
    -------
    float or numpy.ndarray
        Privacy loss in [0, 1], of the same shape.

    Raises
    ------
    ValueError
        If a value is outside [0, 1].

    References
    ----------
    KK, Eq. 3.

    Examples
    --------
    >>> float(privacy_loss(0.75)), float(privacy_loss(0.4))
    (0.5, 0.0)
    """
    return np.maximum(0.0, 2 * (_check_probability("auc", auc) - 0.5))[()]


@validated
def privacy_loss_interval(members: np.ndarray, scores: np.ndarray, level: float = 0.95) -> Interval:
    """Compute the interval of the AUC, transformed by `privacy_loss` (which is monotone).

    Parameters
    ----------
    members : array_like of {0, 1}, shape (n,)
        1 for aggregates that contain the target.
    scores : array_like of float, shape (n,)
        Higher values indicate membership.
    level : float, default=0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    Interval
        Confidence interval.

    Raises
    ------
    ValueError
        If one class is missing, shapes differ or a score is NaN.
    """
    low, high = auc_interval(members, scores, level)
    return Interval(float(privacy_loss(low)), float(privacy_loss(high)))


@validated
def privacy_gain(
    auc_raw: float | np.ndarray, auc_released: float | np.ndarray
) -> float | np.ndarray:
    """Compute the share of the attack's advantage that a defense removes.

    (AUC_raw - AUC_released) / (AUC_raw - 1/2) where AUC_raw > AUC_released >= 1/2, else 0. Read
    literally, an attack below 1/2 counts as no gain. For errors instead of AUCs see
    `lib.localization.privacy_gain_from_errors`.

    Parameters
    ----------
    auc_raw : float or array_like
        AUC on raw counts, in [0, 1].
    auc_released : float or array_like
        AUC on released counts, in [0, 1]; broadcast against auc_raw.

    Returns
    -------
    float or numpy.ndarray
        Privacy gain from 0 (none) to 1.

    References
    ----------
    KK, Eq. 6.

    Examples
    --------
    >>> float(privacy_gain(1.0, 0.75))
    0.5
    """
    raw, released = (
        _check_probability("auc_raw", auc_raw),
        _check_probability("auc_released", auc_released),
    )
    helped = (raw > released) & (released >= 0.5)
    advantage = np.where(raw > 0.5, raw - 0.5, 1.0)
    return np.where(helped, (raw - released) / advantage, 0.0)[()]


@validated
def guessing_gain(n_in: int, n_out: int) -> float:
    """Compute the mean privacy gain when scores on released counts are random.

    It is below 1 because of chance. The AUC of random scores is about normal around 1/2 with
    variance sigma^2 = (n_in + n_out + 1) / (12 n_in n_out), so E max(AUC, 1/2) = 1/2 + sigma /
    sqrt(2 pi), and for an attack whose AUC on raw counts is 1 the mean gain is 1 - 2 sigma / sqrt(2
    pi).

    Parameters
    ----------
    n_in : int
        Number of test groups with the target, at least 1.
    n_out : int
        Number of test groups without the target, at least 1.

    Returns
    -------
    float
        Mean privacy gain.

    Raises
    ------
    ValueError
        If there is no group of either kind.
    """
    if min(n_in, n_out) < 1:
        raise ValueError(f"{n_in} groups with the target, {n_out} without: 1 of each at least")
    sigma = ((n_in + n_out + 1) / (12 * n_in * n_out)) ** 0.5
    return float(1 - 2 * sigma / (2 * np.pi) ** 0.5)


def _check_probability(name: str, value: float | np.ndarray) -> np.ndarray:
    """Return numbers from 0 to 1 as an array, or raise ValueError."""
    value = check_numbers(name, value)
    if not ((value >= 0) & (value <= 1)).all():
        wrong = value[~((value >= 0) & (value <= 1))].flat[0]
        raise ValueError(f"{name} is {wrong}; a number from 0 to 1 was expected")
    return value


# -- low false positive rates ----------------------------------------------------------------------


@validated
def tpr_at_fpr(members: np.ndarray, scores: np.ndarray, fpr: float) -> float:
    """Compute the largest true positive rate at a false positive rate of at most `fpr`.

    A threshold flags scores strictly above it. With fewer than 1 / fpr non-members, no false
    positive is allowed.

    Parameters
    ----------
    members : array_like of {0, 1}, shape (n,)
        1 for aggregates that contain the target.
    scores : array_like of float, shape (n,)
        Higher values indicate membership.
    fpr : float
        False positive rate, strictly between 0 and 1.

    Returns
    -------
    float
        True positive rate.

    Raises
    ------
    ValueError
        If fpr is not strictly between 0 and 1, and as `auc`.

    Examples
    --------
    >>> tpr_at_fpr([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1], fpr=0.1)
    0.5
    """
    is_member, scores = _check_scores(members, scores)
    if not 0 < check_real("fpr", fpr) < 1:
        raise ValueError(f"fpr is {fpr}; a rate strictly between 0 and 1 was expected")
    outside = np.sort(scores[~is_member])[::-1]
    allowed = int(np.floor(fpr * len(outside) + 1e-9))  # 0.29 * 100 is 28.999999999999996
    allowed = min(allowed, len(outside) - 1)  # a rate that is 1 but for its last digits
    return float((scores[is_member] > outside[allowed]).mean())


@validated
def tpr_at_fpr_interval(
    members: np.ndarray, scores: np.ndarray, fpr: float, level: float = 0.95
) -> Interval:
    """Compute a distribution-free, conservative interval of the TPR at the true `fpr`.

    Half of 1 - level is spent on the position of the threshold among the non-members' scores (order
    statistics), half on the members above it (Clopper-Pearson). Wide if non-members are few.

    Parameters
    ----------
    members : array_like of {0, 1}, shape (n,)
        1 for aggregates that contain the target.
    scores : array_like of float, shape (n,)
        Higher values indicate membership.
    fpr : float
        False positive rate, strictly between 0 and 1.
    level : float, default=0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    Interval
        Confidence interval.

    Raises
    ------
    ValueError
        As `tpr_at_fpr`.
    """
    tpr_at_fpr(members, scores, fpr)
    is_member = np.asarray(members).astype(bool)
    scores = np.asarray(scores, float)
    inside, outside = scores[is_member], np.sort(scores[~is_member])[::-1]
    share = (1 - _check_level(level)) / 2
    fewest, most = stats.binom.ppf([share / 2, 1 - share / 2], len(outside), fpr).astype(int)
    highest = outside[fewest - 1] if fewest > 0 else np.inf
    lowest = outside[most] if most < len(outside) else -np.inf
    above, reach, n = (inside > highest).sum(), (inside >= lowest).sum(), len(inside)
    low = stats.beta.ppf(share / 2, above, n - above + 1) if above else 0.0
    high = stats.beta.ppf(1 - share / 2, reach + 1, n - reach) if reach < n else 1.0
    return Interval(float(low), float(high))


# -- error of released counts --------------------------------------------------------------------


@validated
def mean_relative_error(
    raw: np.ndarray,
    released: np.ndarray,
    floor: float | None = None,
    sanity_bound: float | None = None,
) -> float:
    """Compute the mean over all cells of ``|released - raw| / max(gamma, raw)``.

    Parameters
    ----------
    raw : array_like, shape (..., n_epochs)
        Raw counts, one series a ROI along the last axis.
    released : array_like, shape (..., n_epochs)
        Released counts.
    floor : float, optional
        gamma as a share of the series' own sum; 0.001 unless sanity_bound is given.
    sanity_bound : float, optional
        gamma in users, the same for every series.

    Returns
    -------
    float
        Mean relative error.

    Raises
    ------
    ValueError
        If both bounds are given or one is not positive, if shapes differ, if a number or the error
        is not finite, or, with a floor, for a series without a visit, which has no scale.

    References
    ----------
    KK, Eq. 7.

    Examples
    --------
    >>> mean_relative_error([[2, 0]], [[3, 1]], sanity_bound=1.0)
    0.75
    """
    if floor is not None and sanity_bound is not None:
        raise ValueError(f"floor={floor} and sanity_bound={sanity_bound}: give one of the two")
    bound = sanity_bound if sanity_bound is not None else 0.001 if floor is None else floor
    name = "floor" if sanity_bound is None else "sanity_bound"
    if not 0 < check_real(name, bound) < np.inf:
        raise ValueError(f"{name} is {bound}; a finite number above 0 was expected")
    raw, released = check_numbers("raw", raw), check_numbers("released", released)
    if raw.shape != released.shape or not raw.size:
        raise ValueError(f"raw is {raw.shape}, released {released.shape}: equal, not empty")
    error = np.abs(released - raw)
    if not np.isfinite(error).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(error))[0])
        raise ValueError(f"raw {raw[where]}, released {released[where]} at {where}: not finite")
    gamma = bound if sanity_bound is not None else _share_of_sum(raw, bound)
    with np.errstate(all="ignore"):
        mean = float((error / np.maximum(gamma, raw)).mean())
    if not np.isfinite(mean):
        raise ValueError(f"{name} is {bound}: relative errors overflow")
    return mean


def _share_of_sum(raw: np.ndarray, floor: float) -> np.ndarray:
    """Compute a share of each series' sum, or raise ValueError for an empty series."""
    total = raw.sum(axis=-1, keepdims=True)
    if not (total > 0).all():
        where = tuple(int(i) for i in np.argwhere(~(total > 0))[0][:-1])
        raise ValueError(
            f"series {where} sums to {total[where][0]:g}, so a share of it cannot bound its error: "
            "leave it out, or give sanity_bound= in users"
        )
    return floor * total


# -- distances between distributions -------------------------------------------------------------


@validated
def js_divergence(p: np.ndarray, q: np.ndarray, base: float = 2) -> np.ndarray | float:
    """Compute the Jensen-Shannon divergence along the last axis.

    Symmetric, at most 1 in base 2.

    Parameters
    ----------
    p : array_like, shape (..., n)
        Probabilities that sum to 1 along the last axis.
    q : array_like, shape (..., n)
        Probabilities, broadcast against p.
    base : float, default=2
        Base of the logarithm, above 1; math.e for nats.

    Returns
    -------
    float or numpy.ndarray, shape (...)
        Divergence.

    Raises
    ------
    ValueError
        For a number that is negative or infinite, a sum that is not 1, or a base of 1 or less.

    References
    ----------
    Aggregation privacy, Sec. 2, Eq. 1-2.

    Examples
    --------
    >>> float(js_divergence([1.0, 0.0], [0.0, 1.0]))
    1.0
    """
    if not 1 < check_real("base", base) < np.inf:
        raise ValueError(f"base is {base}; a number above 1 was expected")
    p, q = _check_distribution("p", p), _check_distribution("q", q)
    middle = (p + q) / 2
    both = special.rel_entr(p, middle) + special.rel_entr(q, middle)
    return np.maximum(0.0, both.sum(axis=-1) / (2 * np.log(base)))[()]


@validated
def js_distance(p: np.ndarray, q: np.ndarray, base: float = 2) -> np.ndarray | float:
    """Compute the square root of `js_divergence`, which is a metric.

    Parameters
    ----------
    p : array_like, shape (..., n)
        Probabilities that sum to 1 along the last axis.
    q : array_like, shape (..., n)
        Probabilities, broadcast against p.
    base : float, default=2
        Base of the logarithm, above 1; math.e for nats.

    Returns
    -------
    float or numpy.ndarray, shape (...)
        Distance.

    Raises
    ------
    ValueError
        As `js_divergence`.

    Examples
    --------
    >>> round(float(js_distance([1.0, 0.0], [0.5, 0.5])), 3)
    0.558
    """
    return np.sqrt(js_divergence(p, q, base))


def _check_distribution(name: str, values: np.ndarray) -> np.ndarray:
    """Return probabilities that sum to 1 along the last axis, or raise ValueError."""
    values = np.atleast_1d(check_numbers(name, values))
    wrong = ~(np.isfinite(values) & (values >= 0))
    if wrong.any():
        raise ValueError(f"{name} holds {values[wrong].flat[0]}; probabilities were expected")
    sums = values.sum(axis=-1)
    if not np.allclose(sums, 1, rtol=0, atol=1e-6):
        first = np.atleast_1d(sums)[np.atleast_1d(np.abs(sums - 1) > 1e-6)][0]
        raise ValueError(f"{name} sums to {first:.6g}; a distribution sums to 1")
    return values


def _without_nan(values: np.ndarray) -> np.ndarray:
    """Drop NaN; raise ValueError for a value whose square no float holds."""
    values = check_numbers("values", values)
    values = values[~np.isnan(values)]
    if (np.abs(values) > _MAX_VALUE).any():
        raise ValueError(f"values hold {values[np.abs(values) > _MAX_VALUE][0]:g}; at most 1e150")
    return values


# -- intervals -----------------------------------------------------------------------------------


@validated
def mean_interval(values: np.ndarray, level: float = 0.95) -> Interval:
    """Compute Student's interval of a mean over independent users, targets or runs.

    Parameters
    ----------
    values : array_like, shape (n,)
        Sample; NaN are left out.
    level : float, default=0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    Interval
        Confidence interval.

    Raises
    ------
    ValueError
        With fewer than two values.
    """
    values = _without_nan(values)
    if len(values) < 2:
        raise ValueError(f"{len(values)} value(s): an interval needs at least two")
    half = stats.t.ppf(0.5 + _check_level(level) / 2, len(values) - 1) * stats.sem(values)
    return Interval(float(values.mean() - half), float(values.mean() + half))


@validated
def difference_interval(first: np.ndarray, second: np.ndarray, level: float = 0.95) -> Interval:
    """Compute Welch's interval of mean(first) - mean(second) of independent samples.

    Parameters
    ----------
    first : array_like, shape (n,)
        Sample; NaN are left out.
    second : array_like, shape (m,)
        Sample; NaN are left out.
    level : float, default=0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    Interval
        Confidence interval.

    Raises
    ------
    ValueError
        With fewer than two values in either sample.
    """
    samples = [_without_nan(values) for values in (first, second)]
    sizes = np.array([len(values) for values in samples])
    if sizes.min() < 2:
        raise ValueError(f"{sizes.min()} value(s): an interval needs at least two in each sample")
    squares = np.array([values.var(ddof=1) for values in samples]) / sizes
    difference = float(samples[0].mean() - samples[1].mean())
    if squares.sum() == 0:  # two constants
        return Interval(difference, difference)
    freedom = squares.sum() ** 2 / (squares**2 / (sizes - 1)).sum()
    half = float(stats.t.ppf(0.5 + _check_level(level) / 2, freedom) * np.sqrt(squares.sum()))
    return Interval(difference - half, difference + half)


@validated
def mean_table(samples: Mapping[Any, Any], names: list[str], level: float = 0.95) -> pd.DataFrame:
    """Tabulate the means of several samples with Student's intervals.

    Parameters
    ----------
    samples : mapping
        Maps a label to values (NaN are left out); a label is a tuple if there are several names.
    names : list of str
        Names of the index levels.
    level : float, default=0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    pandas.DataFrame
        A row for each sample; columns n, mean, low and high.

    Raises
    ------
    ValueError
        As `mean_interval`.
    """
    check_instance("samples", samples, Mapping, "label -> values")
    rows = {}
    for label, values in samples.items():
        kept = check_numbers(f"sample {label!r}", values)
        kept = kept[~np.isnan(kept)]
        rows[label] = [len(kept), kept.mean(), *mean_interval(kept, level)]
    percent = f"{100 * level:g}%"
    columns = ["n", "mean", f"{percent} low", f"{percent} high"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns).astype({"n": int})
    if names and len(names) > 1:
        table.index = pd.MultiIndex.from_tuples(table.index, names=names)
    return table.rename_axis(names)

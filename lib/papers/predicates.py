"""Predicates: what stored results say about a statement in words.

A statement is a set of inequalities, each a number that has to be above 0 with its standard error.
It is tested in both directions, so that a contradiction needs as much evidence as support:

supported
    Every inequality holds at the one-sided 95% level (intersection-union test, Berger 1982).
contradicted
    Some inequality is violated at the one-sided 95% level, shared among all of them (Bonferroni).
undecided
    Neither. The message says how many more runs would decide if the mean stayed where it is.
undefined
    A number does not exist on these data, such as the correlation of a constant.

Quantiles are Student's, with the degrees of freedom of each number. What was not sampled has an
error of 0 and infinitely many degrees of freedom, and is decided by its sign.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from lib.papers.summaries import mean_and_error

CONFIDENCE = 0.95
SUPPORTED, CONTRADICTED, UNDECIDED, UNDEFINED = (
    "supported",
    "contradicted",
    "undecided",
    "undefined",
)
MANY_TIMES = 1000  # more runs than so many times ours are not worth a number


class Estimate(NamedTuple):
    """A number, its standard error (0: nothing was sampled) and the error's degrees of freedom."""

    value: float
    error: float = 0.0
    freedom: float = math.inf


class Part(NamedTuple):
    """One inequality: `slack` is above 0 where it holds.

    shown  the number to show for it, for example a fall for "decreasing"
    guard  whether it is enough that the inequality is not violated
    """

    slack: Estimate
    shown: float
    guard: bool = False


@dataclass(frozen=True)
class Trend:
    """A statement in words as inequalities, tested in both directions.

    Parameters
    ----------
    parts : tuple of Part
        The inequalities.
    either : bool
        Whether one of them is enough. Otherwise all have to hold.
    margin : bool
        Whether a margin of ours decides, because a word such as "close" has no number.
    undefined : str
        Why a number does not exist; empty if all do.
    once : bool
        Whether the numbers come from a single draw, so that they have no interval and decide
        nothing.
    """

    parts: tuple[Part, ...]
    either: bool = False
    margin: bool = False
    undefined: str = ""
    once: bool = False

    @property
    def verdict(self) -> str:
        """One of "supported", "contradicted", "undecided" and "undefined"."""
        if self.undefined:
            return UNDEFINED
        if self.once:
            return UNDECIDED
        for found in (CONTRADICTED, SUPPORTED):
            if getattr(self, f"_is_{found}")():
                return found
        return UNDECIDED

    def _is_supported(self) -> bool:
        needed = [part.slack for part in self.parts if not part.guard]
        if self.either:
            return any(_above(slack, self._shared()) for slack in needed)
        return all(_above(slack, CONFIDENCE) for slack in needed)

    def _is_contradicted(self) -> bool:
        if self.either:
            return all(_violated(part, CONFIDENCE) for part in self.parts)
        return any(_violated(part, self._shared()) for part in self.parts)

    def _shared(self) -> float:
        """The level of one of several sampled numbers, of which any may decide."""
        sampled = sum(part.slack.error > 0 for part in self.parts)
        return 1 - (1 - CONFIDENCE) / max(1, sampled)

    @property
    def deciding(self) -> Part:
        """The inequality that is shown: the one nearest to failing, or to holding if `either`."""
        choose = max if self.either else min
        needed = [part for part in self.parts if not part.guard] or list(self.parts)
        bad = [part for part in self.parts if part.guard and _violated(part, self._shared())]
        return choose(bad or needed, key=lambda part: (_strength(part.slack), part.slack.value))

    @property
    def here(self) -> Estimate:
        """The number that is shown, with its standard error and degrees of freedom."""
        part = self.deciding
        return part.slack._replace(value=part.shown)

    @property
    def runs(self) -> str:
        """How many runs would decide what is undecided."""
        if self.once:
            return "one draw has no interval; at least two are needed"
        return runs_to_decide(self.deciding.slack)


def runs_to_decide(slack: Estimate) -> str:
    """Say how many runs would decide whether a number is above 0, if its mean stayed as it is.

    Parameters
    ----------
    slack : Estimate
        The number.

    Returns
    -------
    str
        A phrase.
    """
    if slack.error == 0:
        return "all runs gave the same value, so the error is not known"
    if slack.value == 0:
        return "no number of runs decides a mean of 0"
    reach = quantile(CONFIDENCE, slack.freedom) * slack.error
    return more_runs((reach / abs(slack.value)) ** 2, slack.freedom)


def more_runs(times: float, freedom: float) -> str:
    """Say how many runs are needed, as a number if the present number of runs is known.

    Parameters
    ----------
    times : float
        How many times the present number of runs is needed.
    freedom : float
        Degrees of freedom of the present estimate.

    Returns
    -------
    str
        A phrase.
    """
    if times > MANY_TIMES:
        return f"more than {MANY_TIMES} times the present number of runs would be needed to decide"
    times = max(times, 1.0)
    known = math.isfinite(freedom) and float(freedom).is_integer()
    if not known:
        return f"about {times:.1f} times the present number of runs would decide"
    n = int(freedom) + 1
    return f"about {max(n + 1, math.ceil(times * n))} runs instead of {n} would decide"


def _above(slack: Estimate, level: float) -> bool:
    return slack.value > quantile(level, slack.freedom) * slack.error


def _violated(part: Part, level: float) -> bool:
    value, error, freedom = part.slack
    if value == 0 and error == 0:  # equal: exactly, or in all of a few runs
        return math.isinf(freedom) and not part.guard
    return -value > quantile(level, freedom) * error


def _strength(slack: Estimate) -> float:
    if slack.error == 0:
        return math.copysign(math.inf, slack.value) if slack.value else 0.0
    return slack.value / slack.error


# -- numbers ---------------------------------------------------------------------------------------


def estimate(values: Sequence[float] | np.ndarray | pd.Series) -> Estimate:
    """Estimate a mean over independent units.

    Parameters
    ----------
    values : sequence of float
        A number for each unit. NaN are left out.

    Returns
    -------
    Estimate
        Mean, standard error, degrees of freedom.

    Raises
    ------
    ValueError
        If fewer than two values are left.
    """
    kept = np.asarray(values, float)
    kept = kept[~np.isnan(kept)]
    return Estimate(*mean_and_error(kept), len(kept) - 1)


def difference(a: Estimate | float, b: Estimate | float) -> Estimate:
    """Subtract independent numbers, with Welch's degrees of freedom.

    Parameters
    ----------
    a, b : Estimate or float
        The numbers.

    Returns
    -------
    Estimate
        a - b.

    Raises
    ------
    ValueError
        If a number is not finite, an error is negative, or there is no degree of freedom.
    """
    one, other = number(a), number(b)
    error = math.hypot(one.error, other.error)
    return Estimate(one.value - other.value, error, _freedom(one, other))


def number(value: Estimate | float) -> Estimate:
    """Return a number as an `Estimate`.

    Parameters
    ----------
    value : Estimate or float
        The number.

    Returns
    -------
    Estimate
        The same number; a float has an error of 0.

    Raises
    ------
    ValueError
        If the value or its error is not finite, or the error is negative.
    """
    found = value if isinstance(value, Estimate) else Estimate(float(value))
    if not math.isfinite(found.value):
        raise ValueError(f"a value is {found.value}; a finite number was expected")
    if not (math.isfinite(found.error) and found.error >= 0):
        raise ValueError(f"a standard error is {found.error}; a finite number from 0 was expected")
    if not found.freedom >= 1:
        raise ValueError(f"degrees of freedom are {found.freedom}; at least 1 was expected")
    return found


def quantile(level: float, freedom: float = math.inf) -> float:
    """Return a quantile of Student's distribution.

    Parameters
    ----------
    level : float in (0, 1)
        Probability.
    freedom : float
        Degrees of freedom; the normal distribution if infinite.

    Returns
    -------
    float
        The quantile.
    """
    return float(special.ndtri(level) if math.isinf(freedom) else special.stdtrit(freedom, level))


def _freedom(a: Estimate, b: Estimate) -> float:
    """Degrees of freedom of a difference (Welch and Satterthwaite)."""
    sampled = [each for each in (a, b) if each.error > 0]
    if len(sampled) < 2:
        return min(each.freedom for each in sampled or (a, b))
    parts = [each.error**4 / each.freedom for each in sampled]
    total = (a.error**2 + b.error**2) ** 2
    return total / sum(parts) if sum(parts) > 0 else math.inf


# -- statements ------------------------------------------------------------------------------------


def greater(a: Estimate | float, b: Estimate | float = 0.0) -> Trend:
    """State that a > b.

    Parameters
    ----------
    a, b : Estimate or float
        Independent numbers. If both come from the same targets, give the `estimate` of their
        differences as `a`.

    Returns
    -------
    Trend
        The number shown is a - b.

    Raises
    ------
    ValueError
        As `difference` does.
    """
    slack = difference(a, b)
    return Trend((Part(slack, slack.value),))


def beyond(a: Estimate | float, limit: float) -> Trend:
    """State that a number is above a limit that this book, not the paper, chose.

    Parameters
    ----------
    a : Estimate or float
        The number.
    limit : float
        The limit.

    Returns
    -------
    Trend
        The trend; it shows a - limit.
    """
    return ours(greater(a, limit))


def below(a: Estimate | float, limit: float) -> Trend:
    """State that a number is below a limit that this book, not the paper, chose.

    Parameters
    ----------
    a : Estimate or float
        The number.
    limit : float
        The limit.

    Returns
    -------
    Trend
        The trend; it shows limit - a.
    """
    return ours(greater(limit, a))


def ours(trend: Trend) -> Trend:
    """Mark a trend as resting on a margin that this book, not the paper, chose.

    Parameters
    ----------
    trend : Trend
        The trend.

    Returns
    -------
    Trend
        The marked trend.
    """
    return replace(trend, margin=True)


def close(a: Estimate | float, b: Estimate | float, within: float) -> Trend:
    """State that a and b are less than `within` apart: two one-sided tests.

    Parameters
    ----------
    a, b : Estimate or float
        The numbers.
    within : float
        Distance in the unit of a, decided beforehand.

    Returns
    -------
    Trend
        The number shown is a - b.

    Raises
    ------
    ValueError
        If `within` is not a positive number, and as `difference` does.
    """
    if not (math.isfinite(within) and within > 0):
        raise ValueError(f"within is {within}; a positive number was expected")
    apart = difference(a, b)
    sides = (apart._replace(value=within - sign * apart.value) for sign in (1, -1))
    return Trend(tuple(Part(side, apart.value) for side in sides), margin=True)


def increasing(values: Sequence[Estimate | float] | pd.DataFrame) -> Trend:
    """State that values grow: the last is above the first, and no earlier value above a later one.

    Parameters
    ----------
    values : sequence of Estimate or float, or pandas.DataFrame
        At least two, in the order of what they grow with, with independent errors; or a table with
        a row for each unit and a column for each value, whose differences are paired.

    Returns
    -------
    Trend
        The number shown is last - first. A flat stretch is no objection, and a fall only if it is
        significant.

    Raises
    ------
    ValueError
        If there are fewer than two values, and as `difference` does.
    """
    count = values.shape[1] if isinstance(values, pd.DataFrame) else len(values)
    if count < 2:
        raise ValueError(f"{count} values make no trend; at least 2 were expected")
    rise = _difference(values, 0, count - 1)
    parts = [Part(rise, rise.value)]
    for i in range(count):
        for j in range(i + 1, count):
            if (i, j) != (0, count - 1):
                step = _difference(values, i, j)
                parts.append(Part(step, step.value, guard=True))
    return Trend(tuple(parts))


def decreasing(values: Sequence[Estimate | float] | pd.DataFrame) -> Trend:
    """State that values decrease.

    Parameters
    ----------
    values : sequence of Estimate or float, or DataFrame
        The values, as `increasing` takes them.

    Returns
    -------
    Trend
        The trend; it shows the last value minus the first.
    """
    if isinstance(values, pd.DataFrame):
        rise = increasing(-values)
    else:
        rise = increasing([number(each)._replace(value=-number(each).value) for each in values])
    return replace(rise, parts=tuple(part._replace(shown=0.0 - part.shown) for part in rise.parts))


def _difference(values: Sequence[Estimate | float] | pd.DataFrame, i: int, j: int) -> Estimate:
    """Value j minus value i."""
    if isinstance(values, pd.DataFrame):
        return number(estimate(values.iloc[:, j] - values.iloc[:, i]))
    return difference(values[j], values[i])


def always(cases: Sequence[bool] | np.ndarray) -> Trend:
    """State that something without sampling error is true in every case.

    Parameters
    ----------
    cases : sequence of bool
        For theorems and bounds that are checked case by case.

    Returns
    -------
    Trend
        The number shown is the share of the cases in which it is true.

    Raises
    ------
    ValueError
        If there are no cases, or cases that are not true or false.
    """
    array = np.asarray(cases)
    if array.size == 0 or array.dtype != bool:
        raise ValueError(f"{array.size} cases of type {array.dtype}: some that are bool expected")
    return Trend((Part(Estimate(1.0 if array.all() else -1.0), float(array.mean())),))


def once(trend: Trend) -> Trend:
    """Mark a trend as resting on a single draw, which decides nothing.

    Parameters
    ----------
    trend : Trend
        The trend.

    Returns
    -------
    Trend
        The marked trend.
    """
    return replace(trend, once=True)


def undefined(why: str) -> Trend:
    """Create a trend about a number that does not exist.

    Parameters
    ----------
    why : str
        The reason.

    Returns
    -------
    Trend
        The trend.
    """
    return Trend((Part(Estimate(0.0), 0.0),), undefined=why)


def every(*trends: Trend) -> Trend:
    """State that all trends hold.

    Parameters
    ----------
    *trends : Trend
        None of which is of the kind "any of several".

    Returns
    -------
    Trend
        The number shown is that of the inequality nearest to failing.

    Raises
    ------
    ValueError
        If there is no trend, or one of another kind.
    """
    if not trends:
        raise ValueError("no trends: at least one was expected")
    if any(trend.either for trend in trends):
        raise ValueError("a trend that any of several numbers decides is no part of another one")
    return Trend(
        tuple(part for trend in trends for part in trend.parts),
        margin=any(trend.margin for trend in trends),
        undefined="; ".join(trend.undefined for trend in trends if trend.undefined),
        once=any(trend.once for trend in trends),
    )


def any_positive(*numbers: Estimate) -> Trend:
    """State that at least one of several numbers is above 0.

    Parameters
    ----------
    *numbers : Estimate
        The numbers.

    Returns
    -------
    Trend
        The trend; it shows the number with the strongest evidence.

    Raises
    ------
    ValueError
        If there is no number.
    """
    if not numbers:
        raise ValueError("no numbers: at least one was expected")
    parts = tuple(Part(each, each.value) for each in map(number, numbers))
    return Trend(parts, either=True)

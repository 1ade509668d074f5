"""Errors of an attacker with priors and aggregates, raw or protected by noise.

Source: Pyrgelis, Troncoso, De Cristofaro, What Does The Crowd Say About You? (PETS 2017). Rows are
means over users with their standard errors (columns `x` and `x se`), so that intervals, and paired
differences from the rows of `pairs`, can be computed without the values of ten thousand users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse, stats

from lib import datasets, metrics
from lib import localization as loc
from lib.execution.results import Row
from lib.localization.profiles import Epoch
from lib.mechanisms import FourierPerturbation, Laplace, PostProcess, RandomizedResponse, release
from lib.papers import experiments as core
from lib.randomness import stream
from lib.traces import Traces

GOALS = ("profiling", "localization")
KINDS = (*loc.PROBABILISTIC, *loc.LAST)
GREEDY = {"MAX_ROI": loc.max_roi, "MAX_USER": loc.max_user}
STRATEGIES = {"BAYES": loc.bayes, **GREEDY}
ATTACK = {"commuters": "MAX_ROI", "flights-by-number": "MAX_ROI"}  # of Sec. 5; others: MAX_USER
ALL_FOUR: dict[str, dict[str, Any]] = {
    name: {} for name in ("cabspotting", "commuters", "flights-by-number", "flights-by-tail")
}
# Hours from UTC in the inferred week; the synthetic commuters' own are local, other data are UTC.
UTC_OFFSET = {"flights-by-number": -4, "flights-by-tail": -4, "cabs": -7, "cabspotting": -7}
EPSILONS, PS = (0.001, 0.01, 0.1, 1.0), (0.1, 0.3, 0.5, 0.7, 0.9)


class ObservedWeek:
    """A population, and its last epochs, which an attacker infers from the epochs before.

    Priors and errors are computed once, because several experiments need the same ones.

    Parameters
    ----------
    traces : lib.traces.Traces
        All epochs, with null as an ROI.
    inference : int
        Number of epochs of the inference period.

    Attributes
    ----------
    truth : lib.traces.Traces
        The inference period.
    counts : numpy.ndarray, shape (n_rois, n_epochs)
        Aggregate of the inference period.
    """

    def __init__(self, traces: Traces, inference: int = 168) -> None:
        self.traces, self.report = traces, traces.report
        self.truth = loc.inference_period(traces, inference)
        self.counts = self.truth.matrix.sum(axis=0).reshape(traces.n_rois, inference)
        self._cache: dict[Any, Any] = {}

    def once(self, make: Callable[..., Any], *arguments: Any) -> Any:
        """Return ``make(self, *arguments)``, computed at the first call only.

        Parameters
        ----------
        make : Callable[..., Any]
            Function of the population and of hashable arguments.
        *arguments : object
            Arguments of the function.

        Returns
        -------
        object
            What the function returns.
        """
        key = make.__name__, *arguments
        if key not in self._cache:
            self._cache[key] = make(self, *arguments)
        return self._cache[key]

    def prior(self, kind: str) -> loc.Profile:
        """Return a prior on where each user is in each epoch of the inference period.

        Parameters
        ----------
        kind : str
            Name of a prior, for example "FREQ_ROI".

        Returns
        -------
        Profile
            Probabilities, or assignments, of places.
        """
        known: loc.Profile = self.once(_prior, kind)
        return known

    def errors(self, goal: str, kind: str, delta: float = 0.5) -> dict[str, np.ndarray]:
        """Compute each user's error under every strategy.

        Parameters
        ----------
        goal : str
            "profiling" or "localization".
        kind : str
            Name of a prior, for example "FREQ_ROI".
        delta : float, default 0.5
            Share of the prior that a place needs to be named (POP).

        Returns
        -------
        mapping of str to numpy.ndarray
            Strategy to errors, shape (n_users,): Jensen-Shannon distance (profiling) or 1 - F1
            (localization).
        """
        found: dict[str, np.ndarray] = self.once(_errors, goal, kind, delta)
        return found


def load_week(
    data: str, n_users: int | None = None, inference: int = 168, path: str = ""
) -> ObservedWeek:
    """Load a dataset with null as a place, split into observed epochs and an inference period.

    Parameters
    ----------
    data : str
        Name of a dataset, or a file.
    n_users : int or None, optional
        Number of users that are loaded; all without it.
    inference : int, default 168
        Hours of the inference period.
    path : str, optional
        File of the cabs; without it the configured one.

    Returns
    -------
    ObservedWeek
        The population.

    Raises
    ------
    ValueError
        If the dataset has no hourly epochs, or fewer than the inference period and a week before
        it.
    """
    options = {"n_users": n_users} if n_users else {}
    file = path or None if data == "cabspotting" else None
    traces = datasets.load(data, file, **options)
    hour, least = pd.Timedelta("1h"), inference + 168
    if traces.n_epochs < least or traces.epochs[1] - traces.epochs[0] != hour:
        raise ValueError(
            f"{data} has {traces.n_epochs} epochs from {traces.epochs[0]}; at least {least} hours "
            f"were expected: {inference} to be inferred (inference), and a week before"
        )
    return ObservedWeek(traces.with_null(), inference)


def without_null(traces: Traces) -> Traces:
    """Select all places but null.

    Parameters
    ----------
    traces : Traces
        Visits of users to ROIs by hour.

    Returns
    -------
    Traces
        The same users and epochs.
    """
    return traces.select(rois=[roi for roi in traces.rois.index if roi != "null"])


def with_interval(rows: pd.DataFrame, value: str) -> pd.DataFrame:
    """Turn means with standard errors into means with 95% Student intervals over users.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows with the columns users, `value` and "<value> se".
    value : str
        Name of a column of means; "<value> se" has its standard error.

    Returns
    -------
    pandas.DataFrame
        Columns `value`, "95% low", "95% high".
    """
    half = stats.t.ppf(0.975, rows["users"] - 1) * rows[f"{value} se"]
    mean = rows[value]
    return pd.DataFrame({value: mean, "95% low": mean - half, "95% high": mean + half})


def _over(values: np.ndarray, name: str) -> dict[str, float]:
    """Mean and standard error over users; the error of one value alone is not known."""
    values = np.asarray(values, float)
    spread = values.std(ddof=1) / len(values) ** 0.5 if len(values) > 1 else np.nan
    return {name: values.mean(), f"{name} se": spread}


def _quantiles(values: np.ndarray, percents: Sequence[float]) -> dict[str, float]:
    found = np.quantile(values, np.array(percents) / 100).round(4)
    return {f"{percent:g}%": value for percent, value in zip(percents, found, strict=True)}


_FIGURES = tuple(f"Fig. {n}" for n in (*range(1, 6), *range(10, 17)))
experiment = partial(core.experiment, paper="crowd", load=load_week)


# -- the data --------------------------------------------------------------------------------------


@experiment("crowd-data", answers=("Sec. 4.1",), at_paper=ALL_FOUR)
def statistics(week: ObservedWeek, unit: Any, *, data: str) -> list[Row]:
    """Compute the published statistics of a dataset (Sec. 4.1).

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        The experiment's unit, as its decorator names it.
    data : str
        Name of the dataset, which names streams of random numbers.

    Returns
    -------
    list of dict
        One row. Columns: mean and std of visits, places and active hours of a user (over the whole
        window, without null), and of visits and active hours of an ROI (inference period); sizes,
        null among the ROIs; sensitivity, the largest number of visits of a user in the inference
        period; visits, null included; checksum, and records and taxis in the files.
    """
    seen, last = without_null(week.traces), without_null(week.truth)
    by_roi = last.matrix.sum(axis=0).reshape(last.n_rois, -1)
    columns = {
        "reports": seen.visits(),
        "unique_rois": (seen.epochs_per_roi() > 0).sum(axis=1),
        "active_slots": (seen.rois_per_epoch() > 0).sum(axis=1),
        "reports_per_roi": by_roi.sum(axis=1),
        "active_slots_per_roi": (by_roi > 0).sum(axis=1),
    }
    row = {f"{k}_mean": np.mean(v) for k, v in columns.items()}
    row |= {f"{k}_std": np.std(v, ddof=1) for k, v in columns.items()}
    row |= {"users": seen.n_users, "rois": week.traces.n_rois, "epochs": seen.n_epochs}
    row |= {"sensitivity": last.visits().max(), "inference_epochs": last.n_epochs}
    row |= {"visits": week.traces.matrix.nnz, "checksum": None, "read": None, "taxis": None}
    if week.report is not None:
        row |= {"checksum": (week.report.checksum or "")[:16], "read": week.report.read}
    if week.report is not None and data == "cabspotting":
        row["taxis"] = int(week.report.notes[-1].split()[0])
    return [row]


# -- errors of every prior and strategy ------------------------------------------------------------


def _prior(week: ObservedWeek, kind: str) -> loc.Profile:
    return loc.prior(week.traces, kind, week.truth.n_epochs)


def _errors(week: ObservedWeek, goal: str, kind: str, delta: float) -> dict[str, np.ndarray]:
    if goal == "profiling":
        known = week.prior(kind)
        beliefs = {"PRIOR": known, "AGGREGATE": loc.aggregate_profile(week.counts, known)}
        beliefs |= {k: strategy(known, week.counts) for k, strategy in STRATEGIES.items()}
        return {k: loc.profiling_error(belief, week.truth) for k, belief in beliefs.items()}
    predicted = _predictions(week.prior(kind), week.counts, kind, delta)
    return {k: loc.localization_error(cells, week.truth) for k, cells in predicted.items()}


def _predictions(
    known: loc.Profile, counts: np.ndarray, kind: str, delta: float
) -> dict[str, loc.Profile]:
    """The cells that each strategy predicts."""
    greedy = {key: strategy(known, counts) for key, strategy in GREEDY.items()}
    if kind in loc.LAST:
        return {"PRIOR": known, **greedy}
    posterior = loc.bayes(known, counts)
    rules = {"ALL": loc.all_rois(known), "BAYES+ALL": loc.all_rois(posterior)}
    rules |= {"POP": loc.popular(known, delta), "BAYES+POP": loc.popular(posterior, delta)}
    return rules | greedy


def baseline(goal: str, kind: str) -> str:
    """Name the strategy against which the paper measures a loss.

    Parameters
    ----------
    goal : str
        "profiling" or "localization".
    kind : str
        Name of a prior, for example "FREQ_ROI".

    Returns
    -------
    str
        "ALL" or "PRIOR".
    """
    return "ALL" if goal == "localization" and kind not in loc.LAST else "PRIOR"


_MEASURES = ("error", "loss", "better", "worse")
_CURVE = tuple(np.arange(0, 101, 2.5))


def _measured(week: ObservedWeek, goal: str, kind: str, delta: float) -> dict[str, np.ndarray]:
    """Strategy -> error, loss, whether it is better or worse than the base: (4, n_users)."""
    found = week.errors(goal, kind, delta)
    base = found[baseline(goal, kind)]
    return {
        key: np.array(
            [own, loc.privacy_loss_from_errors(base, own), own < base - 1e-12, own > base + 1e-12]
        )
        for key, own in found.items()
    }


def _goals(week: ObservedWeek) -> list[tuple[str, str]]:
    return [(goal, kind) for goal in GOALS for kind in KINDS]


@experiment(
    "crowd-errors", answers=_FIGURES, unit=("goal", "prior"), units=_goals, at_paper=ALL_FOUR
)
def errors(week: ObservedWeek, unit: tuple[str, str], *, delta: float = 0.5) -> Iterator[Row]:
    """Measure profiling and localization errors of every strategy with one prior.

    Source: Sec. 4.2, 4.3, Eq. 3 to 6.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week.
    unit : tuple
        The experiment's unit, as its decorator names it.
    delta : float, default 0.5
        Share of the prior that a place needs to be named (POP).

    Returns
    -------
    iterator of dict
        One row a strategy. Columns: users; mean error (Jensen-Shannon distance in natural units, or
        1 - F1); loss and the shares of users better and worse against `baseline`; shares of errors
        at most 0.5 and above 0.25; quantiles of the error. Means have standard errors.
    """
    for strategy, values in _measured(week, *unit, delta).items():
        own = values[0]
        row: Row = {"strategy": strategy, "users": len(own)}
        for name, each in zip(_MEASURES, values, strict=True):
            row |= _over(each, name)
        row |= _over(own <= 0.5, "to 0.5") | _over(own > 0.25, "above 0.25")
        yield row | _quantiles(own, _CURVE)


# -- always answering null ------------------------------------------------------------------------

NULL = "always null"
LIKELIEST = "likeliest place"  # of the prior, without counts
SELECTED_PRIORS = ("FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK")
SELECTED_UNITS = tuple(product(GOALS, SELECTED_PRIORS))


def null_profile(like: loc.Profile) -> loc.Profile:
    """Build the prediction that every user is at null at all hours.

    Parameters
    ----------
    like : Profile
        Profile whose users, ROIs and epochs it has.

    Returns
    -------
    Profile
        Profile without any place.
    """
    nobody_there = Epoch(sparse.csr_array((like.n_users, like.n_rois)))
    return replace(like, slots=np.arange(like.n_epochs), of_slot=lambda t: nobody_there)


@experiment("crowd-null", answers=_FIGURES, unit=("goal", "prior"), units=_goals, at_paper=ALL_FOUR)
def compare_with_null(
    week: ObservedWeek, unit: tuple[str, str], *, delta: float = 0.5
) -> Iterator[Row]:
    """Compare every strategy with two that ignore the counts, which the paper does not do.

    They always answer null or, for profiling, the prior's likeliest place if it has at least delta
    of the prior, and null otherwise (POP).

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        The experiment's unit, as its decorator names it.
    delta : float, default 0.5
        Share of the prior that a place needs to be named (POP).

    Returns
    -------
    iterator of dict
        One row a strategy. Columns: users; mean error; mean difference from the error of null;
        share of users with a lower error than null; for profiling, the mean privacy loss (Eq. 6; 0
        for a user whose error rises), the mean error over the hours in which a user was somewhere
        (out), and the number of users who were.
    """
    goal, kind = unit
    known = week.prior(kind)
    found = week.errors(goal, kind, delta)
    error_of = loc.profiling_error if goal == "profiling" else loc.localization_error
    lazy = error_of(null_profile(known), week.truth)
    ignorant, out = {NULL: lazy}, {}
    if goal == "profiling":
        ignorant[LIKELIEST] = error_of(loc.popular(known, delta), week.truth)
        out = _errors_out(week, kind, delta)
    for strategy, own in (ignorant | found).items():
        row: Row = {"strategy": strategy, "users": len(own)} | _over(own, "error")
        row |= _over(own - lazy, "above null") | _over(own < lazy - 1e-12, "better than null")
        if goal == "profiling" and "PRIOR" in found:
            row |= _over(loc.privacy_loss_from_errors(found["PRIOR"], own), "loss")
        if strategy in out:
            row |= _over(out[strategy], "out") | {"users out": len(out[strategy])}
        yield row


def _errors_out(week: ObservedWeek, kind: str, delta: float) -> dict[str, np.ndarray]:
    """Strategy to `_mean_out` of its profiling errors."""
    known = week.prior(kind)
    beliefs = {NULL: null_profile(known), LIKELIEST: loc.popular(known, delta), "PRIOR": known}
    beliefs["AGGREGATE"] = loc.aggregate_profile(week.counts, known)
    beliefs |= {k: strategy(known, week.counts) for k, strategy in STRATEGIES.items()}
    return {
        k: _mean_out(week, loc.profiling_error_by_epoch(b, week.truth)) for k, b in beliefs.items()
    }


def _mean_out(week: ObservedWeek, errors: np.ndarray) -> np.ndarray:
    """Mean over the hours in which a user was seen, for users who ever were."""
    away = ~week.once(_at_null)
    ever = away.any(axis=1)
    means: np.ndarray = (errors * away)[ever].sum(axis=1) / away[ever].sum(axis=1)
    return means


def _at_null(week: ObservedWeek) -> np.ndarray:
    """Whether each user was nowhere, (n_users, n_epochs)."""
    null = list(week.traces.rois.index).index("null")
    cells = week.truth.matrix.tocsc()[:, null * week.truth.n_epochs :][:, : week.truth.n_epochs]
    return cells.toarray() > 0


@experiment(
    "crowd-out",
    answers=("Sec. 4.2",),
    unit=("prior",),
    units=lambda week: list(SELECTED_PRIORS),
    at_paper={"cabspotting": {}},
)
def compare_out(week: ObservedWeek, unit: str) -> list[Row]:
    """Compare BAYES with the prior and with the counts alone in the hours in which users are out.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : str
        Name of a prior.

    Returns
    -------
    list of dict
        One row. Columns: users who were ever out; means of the profiling error of the prior alone,
        and of the counts alone, minus that of BAYES ("of prior", "of counts").
    """
    out = _errors_out(week, unit, 0.5)
    row: Row = {"users": len(out["BAYES"])}
    for name, without in {"of prior": "PRIOR", "of counts": "AGGREGATE"}.items():
        row |= _over(out[without] - out["BAYES"], name)
    return [row]


_GROUPS = {
    "probabilistic": loc.PROBABILISTIC,
    "assignment": loc.LAST,
    "LAST_WEEK and LAST_DAY": ("LAST_WEEK", "LAST_DAY"),
}


def _two_priors(week: ObservedWeek) -> list[tuple[str, str, str]]:
    two = [
        *combinations_with_replacement(KINDS, 2),
        ("probabilistic", "assignment"),
        ("LAST_WEEK and LAST_DAY",) * 2,
    ]
    return [(goal, first, second) for goal in GOALS for first, second in two]


@experiment(
    "crowd-pairs",
    answers=("Sec. 4.2", "Sec. 4.3"),
    unit=("goal", "prior", "other"),
    units=_two_priors,
    at_paper={"cabspotting": {}, "commuters": {}},
)
def pairs(week: ObservedWeek, unit: tuple[str, str, str], *, delta: float = 0.5) -> Iterator[Row]:
    """Compare two strategies user by user: the first minus the second.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        The experiment's unit, as its decorator names it.
    delta : float, default 0.5
        Share of the prior that a place needs to be named (POP).

    Returns
    -------
    iterator of dict
        One row a pair. Columns: mean differences of what `errors` measures; the second's mean loss
        with the first as baseline; the share of users for whom the first errs less. Every two
        strategies of one prior; of two priors each strategy with itself, and PRIOR with all; of a
        kind of prior, means per user.
    """
    goal, prior, other = unit
    found = []
    for name in (prior, other):
        members = [_measured(week, goal, kind, delta) for kind in _GROUPS.get(name, (name,))]
        found.append({key: np.mean([each[key] for each in members], axis=0) for key in members[0]})
    for (i, a), (j, b) in ((x, y) for x in enumerate(found[0]) for y in enumerate(found[1])):
        if i < j if prior == other else a == b or "PRIOR" in (a, b):
            first, second = found[0][a], found[1][b]
            row: Row = {"first": a, "second": b, "users": first.shape[1]}
            for name, values in zip(_MEASURES, first - second, strict=True):
                row |= _over(values, name)
            row |= _over(loc.privacy_loss_from_errors(first[0], second[0]), "loss of second")
            yield row | _over(first[0] < second[0], "first better")


# -- when, and who ---------------------------------------------------------------------------------

PARTS = {
    "weekday 7-10h": (range(5), range(7, 10)),
    "weekday 12-16h": (range(5), range(12, 16)),
    "weekday 17-20h": (range(5), range(17, 20)),
    "weekend 7-20h": (range(5, 7), range(7, 20)),
    "all nights 0-5h": (range(7), range(5)),
    "7-10h": (range(7), range(7, 10)),
    "12-16h": (range(7), range(12, 16)),
}
CLOCKS = {"San Francisco": -7, "UTC": 0, "London": 1}  # hours from UTC


def _by_epoch(week: ObservedWeek) -> dict[str, np.ndarray]:
    """Strategy -> errors (n_users, n_epochs) with the ROI_DAY prior, and of "nowhere, always"."""
    known = week.prior("ROI_DAY")
    beliefs = {"PRIOR": known, "BAYES": loc.bayes(known, week.counts)}
    beliefs |= {"MAX_USER": loc.max_user(known, week.counts), NULL: null_profile(known)}
    return {k: loc.profiling_error_by_epoch(b, week.truth) for k, b in beliefs.items()}


def _clock(week: ObservedWeek, data: str, city: str = "") -> pd.DatetimeIndex:
    """Local time of each inferred epoch, or that of a city; UTC where no offset is known."""
    offset = CLOCKS[city] if city else UTC_OFFSET.get(data, 0)
    return week.truth.epochs + pd.Timedelta(hours=offset)


def clock_label(data: str) -> str:
    """Name the clock by which figures and tables show a dataset's hours.

    Parameters
    ----------
    data : str
        Name of a dataset.

    Returns
    -------
    str
        For example "UTC-7".
    """
    if data == "commuters":
        return "its own clock"
    offset = UTC_OFFSET.get(data, 0)
    return f"UTC{offset:+d}" if offset else "UTC"


def _hour_of_week(week: ObservedWeek, data: str) -> np.ndarray:
    clock = _clock(week, data)
    return np.asarray(clock.day_of_week * 24 + clock.hour)


def _hours(week: ObservedWeek, data: str) -> list[int]:
    found: list[int] = np.unique(_hour_of_week(week, data)).tolist()
    return found


@experiment("crowd-hours", answers=("Fig. 6",), unit=("hour",), units=_hours, at_paper=ALL_FOUR)
def hours(week: ObservedWeek, hour: int, *, data: str) -> list[Row]:
    """Compute mean profiling errors in one hour of the local week, with ROI_DAY (Fig. 6).

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    hour : int
        Hour of the week; 0 is Monday 0h.
    data : str
        Name of the dataset, which names streams of random numbers.

    Returns
    -------
    list of dict
        One row: the mean error of each strategy over users.
    """
    chosen = _hour_of_week(week, data) == hour
    return [{k: v[:, chosen].mean() for k, v in week.once(_by_epoch).items()}]


def gain_by_day(week: ObservedWeek, data: str, delta: float) -> pd.DataFrame:
    """Decompose by kind of day how much less MAX_ROI errs than the likeliest place, with ROI_DAY.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    data : str
        Name of the dataset, which names streams of random numbers.
    delta : float
        Share of the prior that a place needs to be named (POP).

    Returns
    -------
    pandas.DataFrame
        A row for Mo-Fr, Sa and Su, which add up to the mean over the week. Columns: mean, 95% low,
        95% high, over users.
    """
    known, day = week.prior("ROI_DAY"), _clock(week, data).day_of_week
    answers = loc.popular(known, delta), loc.max_roi(known, week.counts)
    sure, greedy = (loc.profiling_error_by_epoch(each, week.truth) for each in answers)
    kinds = {"Mo-Fr": day < 5, "Sa": day == 5, "Su": day == 6}
    parts = {kind: (sure - greedy)[:, of].sum(axis=1) / len(day) for kind, of in kinds.items()}
    rows = {kind: (part.mean(), *metrics.mean_interval(part)) for kind, part in parts.items()}
    return pd.DataFrame.from_dict(rows, "index", columns=["mean", "95% low", "95% high"])


def _taken_off(week: ObservedWeek, data: str, part: str, clock: str) -> dict[str, np.ndarray]:
    """Each user's mean error over some epochs, and what the counts take off it."""
    time, (days, hours) = _clock(week, data, clock), PARTS[part]
    chosen = np.isin(time.day_of_week, days) & np.isin(time.hour, hours)
    found = week.once(_by_epoch)
    off = {k: found["PRIOR"] - found[k] for k in ("BAYES", "MAX_USER", NULL)}
    return {k: v[:, chosen].mean(axis=1) for k, v in ({"error": found["PRIOR"]} | off).items()}


def _parts(week: ObservedWeek, cities: Sequence[str]) -> list[tuple[str, str, str]]:
    local, spans = list(PARTS)[:5], list(PARTS)[5:]
    two = [(part, "nothing") for part in local] + list(combinations(local, 2))
    return [("local", *each) for each in two] + [
        (city, span, "nothing") for city in cities for span in spans
    ]


@experiment(
    "crowd-parts",
    answers=("Fig. 6",),
    unit=("clock", "part", "less"),
    units=_parts,
    at_paper={**ALL_FOUR, "cabspotting": {"cities": tuple(CLOCKS)}},
)
def parts(
    week: ObservedWeek, unit: tuple[str, str, str], *, data: str, cities: Sequence[str] = ()
) -> list[Row]:
    """Compute ROI_DAY's profiling error in a part of the week, minus that in another, by user.

    A city's clock means that the paper's hours (Fig. 6) are taken as that city's.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        The experiment's unit, as its decorator names it.
    data : str
        Name of the dataset.
    cities : sequence of str, optional
        Cities whose clocks are tried beside the local one.

    Returns
    -------
    list of dict
        One row. Columns: users; the prior's error; by how much BAYES, MAX_USER and always null
        reduce it.
    """
    clock, part, less = unit
    city = "" if clock == "local" else clock
    found = _taken_off(week, data, part, city)
    if less != "nothing":
        found = {k: found[k] - v for k, v in _taken_off(week, data, less, city).items()}
    row: Row = {"users": week.truth.n_users}
    for name, values in found.items():
        row |= _over(values, name)
    return [row]


@experiment("crowd-thirds", answers=("Sec. 4.2",), at_paper=ALL_FOUR)
def thirds(week: ObservedWeek, unit: Any) -> Iterator[Row]:
    """Compute BAYES's loss with FREQ_ROI for thirds of users by weekly recurrence and by visits.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        The experiment's unit, as its decorator names it.

    Returns
    -------
    iterator of dict
        Columns: third by; third; users; mean loss. Users without a recurrence are left out.
    """
    found, seen = week.errors("profiling", "FREQ_ROI"), without_null(week.traces)
    loss = loc.privacy_loss_from_errors(found["PRIOR"], found["BAYES"])
    for by, values in {"recurrence": seen.recurrence("7D"), "visits": seen.visits()}.items():
        rank = values.rank(method="first").to_numpy()
        third = np.floor((rank - 1) / np.isfinite(rank).sum() * 3)
        for i, label in enumerate(("low", "middle", "high")):
            if (third == i).any():
                row = {"third by": by, "third": label, "users": int((third == i).sum())}
                yield row | _over(loss[third == i], "loss")


_ORDERS = ("visits", "squares")


def _greedy_orders(week: ObservedWeek) -> list[tuple[str, str]]:
    return list(product(GREEDY, _ORDERS))


@experiment(
    "crowd-tenths",
    answers=("Sec. 4.2",),
    unit=("strategy", "ordered by"),
    units=_greedy_orders,
    at_paper={"cabspotting": {}},
)
def tenths(week: ObservedWeek, unit: tuple[str, str]) -> Iterator[Row]:
    """Count the places that MAX_ROI and MAX_USER name, for tenths of users, with FREQ_ROI.

    The paper explains the errors of both by the order in which users are served, without numbers.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        Strategy, and what users are ordered by before the inference period, most first: the number
        of visits, or of different places.

    Returns
    -------
    iterator of dict
        One row a tenth. Columns: tenth (1 has the most); users; means of what they are ordered by
        (most); places named in an hour, without null; share of hours with such a place (placed),
        and of hours in which the user was at one (truly); the profiling error of the prior alone
        minus that of the strategy over all hours (less), and over the hours in which a user was
        out, for users who ever were (less out).
    """
    name, by = unit
    known, null = week.prior("FREQ_ROI"), list(week.traces.rois.index).index("null")
    belief = GREEDY[name](known, week.counts)
    of_slot = [belief.of_slot(int(slot)) for slot in belief.slots]
    named = np.transpose([_count_places(each, null) for each in of_slot])
    most = known.reports if by == "visits" else _count_places(known.of_slot(0), null)
    errors = [loc.profiling_error_by_epoch(each, week.truth) for each in (known, belief)]
    out, ever = (~week.once(_at_null)).mean(axis=1), (~week.once(_at_null)).any(axis=1)
    less, less_out = (errors[0] - errors[1]).mean(axis=1), np.full(len(out), np.nan)
    less_out[ever] = _mean_out(week, errors[0]) - _mean_out(week, errors[1])
    for i, part in enumerate(np.array_split(np.argsort(-most, kind="stable"), 10)):
        row: Row = {"tenth": i + 1, "users": len(part), "most": most[part].mean()}
        row |= {"places": named[part].mean(), "placed": (named[part] > 0).mean()}
        row |= {"truly": out[part].mean()} | _over(less[part], "less")
        yield row | _over(less_out[part[ever[part]]], "less out")


def _count_places(epoch: Epoch, null: int) -> np.ndarray:
    """Count the places other than null to which each user has a weight of their own."""
    own = epoch.own > 0
    counted: np.ndarray = own.sum(axis=1) - own[:, [null]].sum(axis=1)
    return counted


# -- under noise -----------------------------------------------------------------------------------

SCM = ("SCM Lap(|S||T|/ε)", "SCM Lap(Δ/ε)", "SCM Lap(|T|/ε)", "SCM Lap(1/ε)")
OUTPUT = (*SCM, "FPA")


def output_mechanism(week: ObservedWeek, name: str, epsilon: float, kappa: int) -> Any:
    """Build one of the paper's five output mechanisms for a dataset.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    name : str
        One of `OUTPUT`.
    epsilon : float
        Privacy budget.
    kappa : int
        Number of Fourier coefficients that FPA keeps.

    Returns
    -------
    Laplace or FourierPerturbation
        The mechanism, without post-processing.
    """
    n_rois, n_epochs = week.counts.shape
    if name == "FPA":
        return FourierPerturbation(epsilon, kappa, n_epochs**0.5)
    visits = float(without_null(week.truth).visits().max())
    scale = dict(zip(SCM, (float(n_rois * n_epochs), visits, float(n_epochs), 1.0), strict=True))
    return Laplace(epsilon, scale[name])


def releases(
    week: ObservedWeek,
    data: str,
    name: str,
    level: float,
    kappa: int,
    n_releases: int,
    seed: int,
    purpose: str = "crowd-noise",
) -> Iterator[np.ndarray]:
    """Draw independent releases of the inference period's counts, rounded and clipped.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    data : str
        Name of the dataset, which names streams of random numbers.
    name : str
        Name of a mechanism.
    level : float
        ε of an output mechanism, or p of SpotMe.
    kappa : int
        Number of Fourier coefficients that FPA keeps.
    n_releases : int
        Number of independent releases.
    seed : int
        Seed of the streams of random numbers.
    purpose : str, default 'crowd-noise'
        What the releases are for, which names their streams.

    Returns
    -------
    iterator of numpy.ndarray
        Counts, shape (n_rois, n_epochs).
    """
    for i in range(n_releases):
        rng = stream(seed, purpose, data, name, float(level), i)
        yield release_once(week, name, level, kappa, rng)


def release_once(
    week: ObservedWeek, name: str, level: float, kappa: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw one release of the inference period's counts, rounded and clipped.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    name : str
        Name of a mechanism.
    level : float
        ε of an output mechanism, or p of SpotMe.
    kappa : int
        Number of Fourier coefficients that FPA keeps.
    rng : numpy.random.Generator
        Source of the noise.

    Returns
    -------
    numpy.ndarray
        Counts, shape (n_rois, n_epochs).
    """
    size = week.truth.n_users
    if name == "SpotMe":
        estimate = RandomizedResponse(level).simulate(week.counts, rng, size)
        return PostProcess().apply(estimate, rng, np.asarray(size))
    chain = [output_mechanism(week, name, level, kappa), PostProcess()]
    return release(week.counts, chain, rng, size)


def _cost_and_gain(
    week: ObservedWeek,
    data: str,
    name: str,
    level: float,
    sanity_bound: float,
    kappa: int,
    n_releases: int,
    seed: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """MRE of each release; each user's mean privacy gain, and mean error minus always null's."""
    raw, null = week.once(_attack_raw, data, "FREQ_ROI"), _ignorant(week, "FREQ_ROI")[NULL]
    costs, gains, above = [], [], []
    for noisy in releases(week, data, name, level, kappa, n_releases, seed):
        error = _attack(week, data, "FREQ_ROI", noisy)
        costs.append(metrics.mean_relative_error(week.counts, noisy, sanity_bound=sanity_bound))
        gains.append(loc.privacy_gain_from_errors(raw, error))
        above.append(error - null)
    return np.array(costs), np.mean(gains, axis=0), np.mean(above, axis=0)


def _noise_units(
    week: ObservedWeek, epsilons: Sequence[float], ps: Sequence[float]
) -> list[tuple[str, float, str]]:
    at = [(name, epsilon, "at") for name in OUTPUT for epsilon in epsilons]
    at += [("SpotMe", p, "at") for p in ps] + [("SpotMe", p, "above the least") for p in ps[1:]]
    at += [("SCM Lap(|T|/ε)", epsilon, "above FPA") for epsilon in epsilons]
    return at + [(name, epsilon, "up to") for name in OUTPUT for epsilon in epsilons[1:]]


@experiment(
    "crowd-noise",
    answers=("Tab. 3", "Tab. 4", "Tab. 5", "Fig. 7", "Fig. 8", "Fig. 9"),
    unit=("mechanism", "level", "what"),
    units=_noise_units,
    at_paper={**ALL_FOUR, "commuters": {"n_users": 1000, "kappa": 25}},
)
def noise(
    week: ObservedWeek,
    unit: tuple[str, float, str],
    *,
    data: str,
    epsilons: Sequence[float] = EPSILONS,
    ps: Sequence[float] = PS,
    kappa: int = 20,
    sanity_bound: float = 5.0,
    n_releases: int = 5,
    n_users: int | None = None,
    seed: int = 2017,
) -> list[Row]:
    """Measure what noise costs in utility, and what it takes from an attacker with FREQ_ROI.

    Source: Sec. 5, Eq. 16, 17. The unit's last part is "at" (this level), "up to" (each user's mean
    over levels up to it), "above FPA" (minus FPA at this level), or "above the least" (minus the
    mechanism at its lowest level).

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        The experiment's unit, as its decorator names it.
    data : str
        Name of the dataset.
    epsilons : sequence of float, default EPSILONS
        Privacy budgets ε of the output mechanisms.
    ps : sequence of float, default PS
        Probabilities p of a forced yes of SpotMe.
    kappa : int, default 20
        Number of Fourier coefficients that FPA keeps.
    sanity_bound : float, default 5.0
        Count, in users, by which an error is divided at least.
    n_releases : int, default 5
        Number of independent releases.
    n_users : int or None, optional
        Number of users that are loaded; all without it.
    seed : int, default 2017
        Seed of the streams of random numbers.

    Returns
    -------
    list of dict
        One row. Columns: users; MRE over releases; privacy gain over users, each user's mean over
        releases, with quantiles; the attacker's error minus that of always null, paired over users.
    """
    name, level, what = unit

    def found(mechanism: tuple[str, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        more = data, *mechanism, sanity_bound, kappa, n_releases, seed
        three: tuple[np.ndarray, np.ndarray, np.ndarray] = week.once(_cost_and_gain, *more)
        return three

    if what == "up to":
        every = [found((name, epsilon)) for epsilon in epsilons if epsilon <= level]
        cost, gain, above = (np.mean(each, axis=0) for each in zip(*every, strict=True))
    else:
        cost, gain, above = found((name, level))
    if what.startswith("above"):
        baseline = found(("FPA", level) if what == "above FPA" else (name, ps[0]))
        cost, gain, above = (a - b for a, b in zip((cost, gain, above), baseline, strict=True))
    row = {"users": len(gain)} | _over(cost, "MRE") | _over(gain, "gain")
    return [row | _quantiles(gain, (5, 25, 50, 75, 95)) | _over(above, "above null")]


def _not_mirrored(
    raw: np.ndarray, epsilon: float, n_coefficients: int, norm: Any, rng: np.random.Generator
) -> np.ndarray:
    """Noise on the first coefficients of the full transform, zeros after them; the real part."""
    scale = (n_coefficients * raw.shape[-1]) ** 0.5 / epsilon
    noise = rng.laplace(scale=scale, size=(*raw.shape[:-1], n_coefficients, 2))
    coefficients = np.zeros(raw.shape, complex)
    coefficients[..., :n_coefficients] = np.fft.fft(raw, norm=norm)[..., :n_coefficients]
    coefficients[..., :n_coefficients] += noise.view(complex)[..., 0]
    return np.fft.ifft(coefficients, norm=norm).real


def _epsilons(week: ObservedWeek, epsilons: Sequence[float]) -> list[float]:
    return list(epsilons)


IGNORED = "counts ignored"


def attack_noisy_releases(
    weeks: Mapping[str, ObservedWeek],
    *,
    priors: Sequence[str] = ("FREQ_ROI",),
    epsilons: Sequence[float] = EPSILONS,
    ps: Sequence[float] = PS,
    own: Mapping[str, Mapping[str, int]] | None = None,
    sanity_bound: float = 5.0,
    n_releases: int = 3,
    seed: int = 2017,
) -> pd.DataFrame:
    """Attack releases of every mechanism at every level; one row a release and prior.

    Parameters
    ----------
    weeks : mapping of str to ObservedWeek
        Dataset to population, as `load_week` gives it.
    priors : sequence of str, default ('FREQ_ROI',)
        Names of priors.
    epsilons : sequence of float, default EPSILONS
        Privacy budgets ε of the output mechanisms.
    ps : sequence of float, default PS
        Probabilities p of a forced yes of SpotMe.
    own : Mapping[str, Mapping[str, int]] or None, optional
        Dataset to its own kappa, 20 where there is none.
    sanity_bound : float, default 5.0
        Count, in users, by which an error is divided at least.
    n_releases : int, default 3
        Number of independent releases.
    seed : int, default 2017
        Seed of the streams of random numbers.

    Returns
    -------
    pandas.DataFrame
        Columns: data, prior, mechanism, level, release; MRE with the sanity bound, and with the
        paper's (0.1% of a ROI's sum, on visited ROIs); error and gain, means over users; unclipped,
        the gain if it could be negative. Rows of `IGNORED` (level 0) are attackers who use no
        counts (`who`), `LIKELIEST` the one who names the prior's likeliest place.
    """
    levels = [(name, epsilon) for name in OUTPUT[1:] for epsilon in epsilons]
    levels += [("SpotMe", p) for p in ps]
    rows: list[Row] = []
    for data, week in weeks.items():
        kappa = (own or {}).get(data, {}).get("kappa", 20)
        for prior in priors:
            start = {"data": data, "prior": prior, "level": 0.0, "release": 0}
            raw = _attack(week, data, prior, week.counts)
            lazy = _ignorant(week, prior)
            lazy[LIKELIEST] = loc.profiling_error(loc.popular(week.prior(prior)), week.truth)
            for who, error in lazy.items():
                rows.append(start | {"mechanism": IGNORED, "who": who} | _against(raw, error))
            rows.append(start | {"mechanism": "raw"} | _against(raw, raw))
        for name, level in levels:
            drawn = releases(week, data, name, level, kappa, n_releases, seed, "crowd-draws")
            for i, noisy in enumerate(drawn):
                cost = metrics.mean_relative_error(week.counts, noisy, sanity_bound=sanity_bound)
                row = {"data": data, "mechanism": name, "level": level, "release": i, "MRE": cost}
                row["literal MRE"] = _literal(week.counts, noisy)
                for prior in priors:
                    raw = _attack(week, data, prior, week.counts)
                    error = _attack(week, data, prior, noisy)
                    rows.append(row | {"prior": prior} | _against(raw, error))
    return pd.DataFrame(rows)


def _attack(week: ObservedWeek, data: str, prior: str, counts: np.ndarray) -> np.ndarray:
    """Each user's profiling error with the strategy of the paper's case study."""
    if counts is week.counts:
        found: np.ndarray = week.once(_attack_raw, data, prior)
        return found
    strategy = STRATEGIES[ATTACK.get(data, "MAX_USER")]
    return loc.profiling_error(strategy(week.prior(prior), counts), week.truth)


def _attack_raw(week: ObservedWeek, data: str, prior: str) -> np.ndarray:
    return _attack(week, data, prior, week.counts.copy())


def _against(raw: np.ndarray, error: np.ndarray) -> Row:
    gain, unclipped = loc.privacy_gain_from_errors(raw, error), (error - raw) / (1 - raw)
    return {"error": error.mean(), "gain": gain.mean(), "unclipped": unclipped.mean()}


def _ignorant(week: ObservedWeek, prior: str) -> dict[str, np.ndarray]:
    """Errors of attackers who use no counts."""
    known = week.prior(prior)
    beliefs = {"the prior alone": known, NULL: null_profile(known)}
    return {who: loc.profiling_error(belief, week.truth) for who, belief in beliefs.items()}


@experiment(
    "crowd-ignored",
    answers=("Fig. 7", "Fig. 8", "Fig. 9"),
    at_paper={**ALL_FOUR, "commuters": {"n_users": 1000}},
)
def ignore_counts(
    week: ObservedWeek, unit: Any, *, data: str, prior: str = "FREQ_ROI", n_users: int | None = None
) -> Iterator[Row]:
    """Measure the error, and the privacy gain over raw counts, of attackers who use no counts.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        The experiment's unit, as its decorator names it.
    data : str
        Name of the dataset, which names streams of random numbers.
    prior : str, default 'FREQ_ROI'
        Name of a prior, for example "FREQ_ROI".
    n_users : int or None, optional
        Number of users that are loaded; all without it.

    Returns
    -------
    iterator of dict
        Columns: who; users; error; gain.
    """
    raw = _attack(week, data, prior, week.counts)
    for who, error in {"raw counts": raw, **_ignorant(week, prior)}.items():
        row: Row = {"who": who, "users": len(error)}
        yield row | _over(error, "error") | _over(loc.privacy_gain_from_errors(raw, error), "gain")


def mechanism_guarantees(week: ObservedWeek, kappa: int) -> pd.DataFrame:
    """Tabulate the guarantee of each mechanism at ε = 1, and the effective ε of users.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    kappa : int
        Number of Fourier coefficients that FPA keeps.

    Returns
    -------
    pandas.DataFrame
        Index: mechanism. Columns: the noise's scale, the unit of privacy, and the effective ε of
        the median user and of the one with the largest, all visits outside null counted.
    """
    last = without_null(week.truth)
    visits = last.visits().to_numpy()
    units = ("a whole user", "one user at one place", "one visit")
    rows = {}
    for name, unit in zip(SCM[1:], units, strict=True):
        scale = output_mechanism(week, name, 1.0, kappa).scale
        rows[name] = [scale, unit, np.median(visits) / scale, visits.max() / scale]
    fpa = output_mechanism(week, "FPA", 1.0, kappa)
    effective = [float(fpa.effective_epsilon(last.trace(user))) for user in last.users]
    rows["FPA"] = [fpa.scale, units[1], np.median(effective), np.max(effective)]
    columns = ["noise scale", "ε = 1 is for", "median user's ε", "largest ε of a user"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("mechanism")


def _literal(raw: np.ndarray, noisy: np.ndarray) -> float:
    """MRE with the paper's sanity bound, 0.1% of a ROI's sum, on the ROIs that were visited."""
    seen = raw.sum(axis=1) > 0
    return float(metrics.mean_relative_error(raw[seen], noisy[seen]))


FPA_INTERPRETATIONS = ("orthonormal", "orthonormal, not mirrored", "plain", "plain, not mirrored")


def release_fpa(
    week: ObservedWeek, interpretation: str, epsilon: float, kappa: int, rng: Any
) -> np.ndarray:
    """Draw one release of the inference period under an interpretation of FPA, rounded and clipped.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    interpretation : str
        One of `FPA_INTERPRETATIONS`; the orthonormal transform is the proven one.
    epsilon : float
        Privacy budget.
    kappa : int
        Number of Fourier coefficients that FPA keeps.
    rng : numpy.random.Generator
        Source of the noise.

    Returns
    -------
    numpy.ndarray
        Counts, shape (n_rois, n_epochs).
    """
    raw, size = week.counts, np.asarray(week.truth.n_users)
    if "not" in interpretation:
        norm = "ortho" if interpretation.startswith("ortho") else "backward"
        noisy = _not_mirrored(raw, epsilon, kappa, norm, rng)
    else:
        sensitivity = raw.shape[-1] ** 0.5 if interpretation == "orthonormal" else 1.0
        noisy = FourierPerturbation(epsilon, kappa, sensitivity).apply(raw, rng, np.asarray(0))
    return PostProcess().apply(noisy, rng, size)


@experiment(
    "crowd-fpa",
    answers=("Tab. 3", "Tab. 4", "Fig. 7", "Fig. 8"),
    unit=("ε",),
    units=_epsilons,
    at_paper={**ALL_FOUR, "commuters": {"n_users": 1000, "kappa": 25, "n_releases": 2}},
)
def fpa_interpretations(
    week: ObservedWeek,
    epsilon: float,
    *,
    data: str,
    epsilons: Sequence[float] = EPSILONS,
    kappa: int = 20,
    sanity_bound: float = 5.0,
    n_releases: int = 5,
    n_users: int | None = None,
    seed: int = 2017,
) -> Iterator[Row]:
    """Measure MRE and privacy gain under four interpretations of FPA.

    The transform is orthonormal or plain; the mirrored half of the coefficients is noisy as well,
    or left out. Plain coefficients are larger by the root of the number of epochs, so that the same
    noise hides less.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    epsilon : float
        Privacy budget.
    data : str
        Name of the dataset, which names streams of random numbers.
    epsilons : sequence of float, default EPSILONS
        Privacy budgets ε of the output mechanisms.
    kappa : int, default 20
        Number of Fourier coefficients that FPA keeps.
    sanity_bound : float, default 5.0
        Count, in users, by which an error is divided at least.
    n_releases : int, default 5
        Number of independent releases.
    n_users : int or None, optional
        Number of users that are loaded; all without it.
    seed : int, default 2017
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        One row an interpretation (column reading). Columns: users; MRE over releases; gain over
        users, each user's mean over releases.
    """
    raw = week.once(_attack_raw, data, "FREQ_ROI")
    for reading in FPA_INTERPRETATIONS:
        costs, gains = [], []
        for i in range(n_releases):
            rng = stream(seed, "crowd-fpa", data, reading, epsilon, i)
            noisy = release_fpa(week, reading, epsilon, kappa, rng)
            costs.append(metrics.mean_relative_error(week.counts, noisy, sanity_bound=sanity_bound))
            gains.append(loc.privacy_gain_from_errors(raw, _attack(week, data, "FREQ_ROI", noisy)))
        row: Row = {"reading": reading, "users": week.truth.n_users}
        yield row | _over(np.array(costs), "MRE") | _over(np.mean(gains, axis=0), "gain")


@experiment(
    "crowd-guarantee", answers=("Sec. 5.2",), at_paper={**ALL_FOUR, "commuters": {"n_users": 1000}}
)
def spotme_guarantees(
    week: ObservedWeek, unit: Any, *, ps: Sequence[float] = PS, n_users: int | None = None
) -> Iterator[Row]:
    """Compute SpotMe's exact δ beside the ε that the paper prints.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        The experiment's unit, as its decorator names it.
    ps : sequence of float, default PS
        Probabilities p of a forced yes of SpotMe.
    n_users : int or None, optional
        Number of users that are loaded; all without it.

    Returns
    -------
    iterator of dict
        One row a p. Columns: printed ε of an epoch; δ of one visit at it; δ at ε = 1 of the week of
        the user with the median number of visits.
    """
    n_rois, last = week.traces.n_rois, without_null(week.truth)
    median = last.visits().sort_values(kind="stable").index[last.n_users // 2]
    for p in ps:
        printed, delta = (
            np.log((n_rois - (n_rois - 1) * p) / p),
            RandomizedResponse(p).effective_delta,
        )
        yield {
            "p": p,
            "printed ε": printed,
            "δ of a visit": float(delta(np.array([[1]]), printed)),
            "δ of a week": float(delta(last.trace(median), 1.0)),
        }


# -- all users at once, and conventions ------------------------------------------------------------


def _kinds(week: ObservedWeek, kinds: Sequence[str]) -> list[str]:
    return list(kinds)


# Not on ten thousand commuters: minutes an epoch, for a surrogate.
@experiment(
    "crowd-joint",
    unit=("prior",),
    units=_kinds,
    at_paper={name: {"every": 7} for name in ALL_FOUR if name != "commuters"},
    paper="",
)
def joint(
    week: ObservedWeek,
    kind: str,
    *,
    kinds: Sequence[str] = ("FREQ_ROI", "ROI_DAY"),
    every: int = 14,
    mix: float = 0.05,
) -> Iterator[Row]:
    """Score strategies and joint inference over all users, in one epoch out of `every`.

    Not in the paper.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    kind : str
        Name of a prior, for example "FREQ_ROI".
    kinds : sequence of str, default ('FREQ_ROI', 'ROI_DAY')
        Names of priors.
    every : int, default 14
        One epoch out of this many is scored.
    mix : float, default 0.05
        Share of the aggregate profile in the prior.

    Returns
    -------
    iterator of dict
        One row an answer. Columns: users; Brier score; JS distance; share of real visits in the
        right place, and of users and epochs with no or two answers, of assignments only (empty
        where nobody was anywhere).
    """
    thinned = np.arange(5, week.truth.n_epochs, every)
    known, seen, truth = week.prior(kind).select(thinned), week.counts[:, thinned], week.truth
    truth = truth.select(epochs=thinned)
    answers = {NULL: null_profile(known), "PRIOR": known, "BAYES": loc.bayes(known, seen)}
    answers["max entropy (approximate)"] = loc.max_entropy(known, seen, mix)
    answers |= {key: strategy(known, seen) for key, strategy in GREEDY.items()}
    answers["transport (exact)"] = loc.most_likely(known, seen, mix)
    for label, belief in answers.items():
        row: Row = {"answer": label, "users": truth.n_users, **_scores(belief, truth)}
        assigns = label.startswith(("MAX", "transport"))
        nothing = {} if assigns else {"visits found": np.nan, "no or two answers": np.nan}
        yield row | nothing


def _scores(belief: loc.Profile, truth: Traces) -> dict[str, float]:
    null, weights = belief.null, belief.toarray()
    visits = truth.matrix.toarray().reshape(weights.shape)
    total = weights.sum(axis=1, keepdims=True)
    weights[:, null] += total[:, 0] == 0
    clash = (weights[:, null] == 1) & (weights[:, :null].sum(axis=1) > 0) | (total[:, 0] == 0)
    apart = weights / np.maximum(total, 1) - visits / visits.sum(axis=1, keepdims=True)
    found = _over((apart**2).sum(axis=1).mean(axis=1), "Brier")
    found["JS distance"] = loc.profiling_error(belief, truth).mean()
    out = visits[:, :null].sum()
    found["visits found"] = (weights * visits)[:, :null].sum() / out if out else np.nan
    return found | {"no or two answers": clash.mean()}


_LAGS = {"LAST_WEEK": 168, "LAST_DAY": 24, "LAST_HOUR": 1}
LAST_INTERPRETATIONS = (
    "as here",
    "base 2",
    "divergence",
    "divergence, base 2",
    "hours out only",
    "one season farther back",
    "the last one before the week, repeated",
)


def _readings(week: ObservedWeek, readings: Sequence[str]) -> list[str]:
    return list(readings)


@experiment(
    "crowd-last",
    answers=("Fig. 13",),
    unit=("reading",),
    units=_readings,
    at_paper={"cabspotting": {}},
)
def last_priors(
    week: ObservedWeek, reading: str, *, readings: Sequence[str] = LAST_INTERPRETATIONS
) -> Iterator[Row]:
    """Measure the profiling error of the LAST priors under other interpretations of the text.

    Source: Fig. 13.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    reading : str
        One of `LAST_INTERPRETATIONS`.
    readings : sequence of str, default LAST_INTERPRETATIONS
        Interpretations that are tried.

    Returns
    -------
    iterator of dict
        One row a prior: users, mean error.
    """
    n_epochs, whole = week.truth.n_epochs, week.traces
    there = whole.matrix.toarray().reshape(whole.n_users, whole.n_rois, whole.n_epochs) > 0
    now = np.arange(whole.n_epochs - n_epochs, whole.n_epochs)
    base = 2 if "base 2" in reading else np.e
    for prior, lag in _LAGS.items():
        before = now - lag * (2 if "farther" in reading else 1)
        if "repeated" in reading:
            before = now[0] - lag + (now - now[0]) % lag
        errors = np.stack(
            [_js(there[:, :, t], there[:, :, u], base) for t, u in zip(now, before, strict=True)], 1
        )
        errors = errors if reading.startswith("divergence") else np.sqrt(errors)
        means = _mean_out(week, errors) if "out" in reading else errors.mean(axis=1)
        yield {"prior": prior, "users": len(means), **_over(means, "error")}


def _js(truth: np.ndarray, guess: np.ndarray, base: float) -> np.ndarray:
    """JS divergence of two sets of places, each uniform: bool (n_users, n_rois) -> (n_users,)."""
    p, q = (each / each.sum(axis=1, keepdims=True) for each in (truth, guess))
    return np.asarray(np.maximum(metrics.js_divergence(p, q, base), 0))


# -- simulated -------------------------------------------------------------------------------------


@experiment("crowd-js", answers=("Sec. 2",), load=None, at_paper={"simulated": {}})
def js_distance(nothing: None, unit: Any, *, draws: int = 2000, seed: int = 2017) -> list[Row]:
    """Check the range of the base-2 JS divergence, and its root's triangle inequality (Sec. 2).

    Parameters
    ----------
    nothing : None
        No data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    draws : int, default 2000
        Number of triples of random distributions.
    seed : int, default 2017
        Seed of the streams of random numbers.

    Returns
    -------
    list of dict
        One row: draws; smallest and largest divergence; share of triangles that hold.
    """
    p, q, r = np.random.default_rng(seed).dirichlet(np.full(5, 0.3), (3, draws))
    divergence = metrics.js_divergence(p, q)
    pq, qr, pr = (metrics.js_distance(a, b) for a, b in ((p, q), (q, r), (p, r)))
    row = {"draws": draws, "smallest": np.min(divergence), "largest": np.max(divergence)}
    return [row | {"triangles": np.mean(pr <= pq + qr + 1e-12)}]


def _repeats(traces: Traces, *, n_repeats: int) -> list[int]:
    return list(range(n_repeats))


@experiment(
    "crowd-bias",
    answers=("Sec. 5.2",),
    unit=("repeat",),
    units=_repeats,
    at_paper={"six-users": {}},
    load=datasets.load,
)
def spotme_bias(
    traces: Traces,
    repeat: int,
    *,
    p: float = 0.5,
    draws: int = 2000,
    n_repeats: int = 10,
    seed: int = 2017,
) -> Iterator[Row]:
    """Measure the bias of SpotMe's estimates of the counts of six users (Sec. 5.2).

    Several repeats, since the twenty cells of one detect a bias of half a standard error only about
    every other time.

    Parameters
    ----------
    traces : Traces
        Visits of users to ROIs by hour.
    repeat : int
        Number of the repeat.
    p : float, default 0.5
        Probability of a forced yes.
    draws : int, default 2000
        Number of estimates that are averaged.
    n_repeats : int, default 10
        Number of repeats.
    seed : int, default 2017
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        One row a cell: its bias in standard errors of the mean.
    """
    last = loc.inference_period(traces.with_null(), 4)
    counts = last.matrix.sum(axis=0).reshape(last.n_rois, 4)
    rng = stream(seed, "crowd-bias", repeat)
    estimates = [RandomizedResponse(p).simulate(counts, rng, 6) for _ in range(draws)]
    spread = np.sqrt((6 - counts) * p / (1 - p) / draws)
    bias = (np.mean(estimates, axis=0) - counts) / np.where(spread > 0, spread, 1)
    yield from ({"cell": i, "bias": each} for i, each in enumerate(bias.ravel()))

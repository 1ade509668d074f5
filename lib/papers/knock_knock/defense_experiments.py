"""Knock-Knock under differential privacy: errors, attacks, and the effective ε of users.

A population is the first week of its traces (`first_week`), which is all that is released. There
are three catalogues of mechanisms: "printed" (as in the paper), "calibrated" (calibrated, where the
printed noise does not give the nominal guarantee) and "guessed" (less noise than is printed).
Source: KK, Sec. VII.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from lib import metrics
from lib.aggregation import aggregate, sample_groups
from lib.datasets import load
from lib.execution.results import Row
from lib.mechanisms import (
    EnhancedFourierPerturbation,
    FourierPerturbation,
    Gaussian,
    Laplace,
    Mechanism,
    PostProcess,
    fourier_reconstruction,
    release,
)
from lib.membership import game
from lib.membership.knock_knock import KnockKnock
from lib.papers.experiments import experiment
from lib.papers.settings import with_settings
from lib.randomness import stream
from lib.ties import argsort_descending
from lib.traces import NULL, Traces

WEEK = range(168)
CATALOGUES = ("printed", "calibrated", "guessed")
BUDGETS = (0.01, 0.1, 1.0, 10.0)
BOUNDS = {"0.1% of the ROI": {"floor": 0.001}, "0.5 users": {"sanity_bound": 0.5}}
SAME = 0.03  # of an AUC: a network's sums end elsewhere on another processor


# -- what is released ------------------------------------------------------------------------------


def first_week(traces: Traces) -> Traces:
    """Select the first 168 hours of the traces.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.

    Returns
    -------
    lib.traces.Traces
        The week, with the report of all traces.
    """
    week = traces.select(epochs=np.asarray(WEEK))
    week.report = traces.report
    return week


def population(data: str) -> Traces:
    """Load the first week of a dataset; all but the flights have the ROI `null`.

    Parameters
    ----------
    data : str
        Name of the dataset.

    Returns
    -------
    lib.traces.Traces
        The week.
    """
    return first_week(load(data, **({} if data.startswith("flights") else {"null": True})))  # type: ignore[arg-type]


def most_rois(week: Traces) -> int:
    """Return the largest number of ROIs that a user visits.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.

    Returns
    -------
    int
        Number of ROIs.
    """
    return int((week.epochs_per_roi() > 0).sum(axis=1).max())


def raw_releases(
    week: Traces, data: str, n_releases: int = 10, group_size: int = 300, seed: int = 2018
) -> np.ndarray:
    """Count random groups.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    data : str
        Name of the dataset; part of the names of the random streams.
    n_releases : int
        Number of groups, each released once.
    group_size : int
        Number of users in a group.
    seed : int
        Seed of the random streams.

    Returns
    -------
    numpy.ndarray of int, shape (n_releases, n_rois, 168)
        Raw counts.
    """
    rng = stream(seed, "kk-defenses-releases", data)
    return aggregate(week, sample_groups(np.arange(week.n_users), n_releases, group_size, rng))


# -- mechanisms ------------------------------------------------------------------------------------


def mechanisms(
    week: Traces, epsilon: float, catalogue: str = "printed", delta: float = 0.1, kappa: int = 20
) -> dict[str, Mechanism]:
    """Return the mechanisms of a catalogue, scaled to the most active user of the week.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    epsilon : float
        Privacy budget.
    catalogue : {"printed", "calibrated", "guessed"}
        "printed": the paper's five (Sec. VII-A). "calibrated": calibrated to (epsilon, delta)-DP
        under add/remove of one user, given the sensitivity and the largest number of ROIs of a
        user. "guessed": what may have been run, chosen after seeing Table III; none of these has
        the printed guarantee.
    delta : float
        The δ of (ε, δ)-differential privacy, for Gaussian noise.
    kappa : int
        Number of Fourier coefficients that FPA uses.

    Returns
    -------
    dict of str to lib.mechanisms.Mechanism
        Mechanisms by name.
    """
    most = float(week.visits().max())
    root = most**0.5
    if catalogue == "printed":
        return {
            "LPA(Δ/ε)": Laplace(epsilon, most),
            "GSM": Gaussian(epsilon, delta, root),
            "FPA": FourierPerturbation(epsilon, kappa, root),
            "EFPAG": EnhancedFourierPerturbation(epsilon, delta, root),
            "LPA(1/ε)": Laplace(epsilon),
        }
    if catalogue == "calibrated":
        spread = most_rois(week) ** 0.5
        shared = 2 * epsilon / (1 + spread)
        return {
            "GSM, calibrated": Gaussian(epsilon, delta, root, "analytic"),
            "FPA, calibrated": FourierPerturbation(epsilon, kappa, root * spread),
            "EFPAG, calibrated": EnhancedFourierPerturbation(shared, delta, root, "analytic"),
        }
    hours = len(WEEK) ** 0.5  # what a transform that is not normalised multiplies by
    return {
        "GSM, Δ2 = 29": Gaussian(epsilon, delta, 29.0),
        "FPA, Δ2 = √n": FourierPerturbation(epsilon, kappa, hours),
        "FPA, Δ2 = 1": FourierPerturbation(epsilon, kappa, 1.0),
        "EFPAG, Δ2 / √n": EnhancedFourierPerturbation(epsilon, delta, root / hours),
    }


class _Defense(NamedTuple):
    catalogue: str
    label: str
    epsilon: float
    mechanism: Mechanism

    def stream(self, seed: int, use: str, *names: str | int) -> np.random.Generator:
        """Return the generator of this defense for one use.

        Parameters
        ----------
        seed : int
            Seed of the random streams.
        use : str
            What the random numbers are for.
        *names : str or int
            Further parts of the stream's name.

        Returns
        -------
        numpy.random.Generator
            The generator.
        """
        catalogue = "promised" if self.catalogue == "calibrated" else self.catalogue
        label = self.label.replace(", calibrated", ", kept")  # both as when results were stored
        return stream(seed, use, *names, catalogue, label, float(self.epsilon))


def _defenses(
    week: Traces, catalogues: Iterable[str], epsilons: Sequence[float], delta: float, kappa: int
) -> Iterator[_Defense]:
    """Every mechanism at every budget; calibrated ones at the largest only."""
    for catalogue in catalogues:
        budgets = [max(epsilons)] if catalogue == "calibrated" else list(epsilons)
        each = [mechanisms(week, epsilon, catalogue, delta, kappa) for epsilon in budgets]
        for label in each[0]:
            for epsilon, found in zip(budgets, each, strict=True):
                yield _Defense(catalogue, label, epsilon, found[label])


# -- effective epsilon -----------------------------------------------------------------------------


def fpa_effective_epsilons(
    week: Traces, mechanism: FourierPerturbation, batch_size: int = 100
) -> np.ndarray:
    """Compute each user's effective epsilon under FPA, for adding or removing that user.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    mechanism : lib.mechanisms.FourierPerturbation
        The mechanism.
    batch_size : int
        Number of users whose traces are in memory at a time.

    Returns
    -------
    numpy.ndarray of float, shape (n_users,)
        Effective epsilons.
    """
    shape = (-1, week.n_rois, week.n_epochs)
    parts = range(0, week.n_users, batch_size)
    traces = (week.matrix[i : i + batch_size].toarray().reshape(shape) for i in parts)
    return np.concatenate([mechanism.effective_epsilon(part) for part in traces])


def _largest_swap(
    week: Traces, mechanism: FourierPerturbation, costs: np.ndarray, n: int = 30
) -> float:
    """The largest epsilon of replacing one user by another, among the n with the largest."""
    top = week.matrix[argsort_descending(costs)[:n]].toarray().astype(float)
    top = top.reshape(-1, week.n_rois, week.n_epochs)
    return float(
        max(mechanism.effective_epsilon(top[i] - top[:i]).max() for i in range(1, len(top)))
    )


@experiment(
    "kk-defenses-spent",
    paper="kk",
    answers=("Sec. VII-A",),
    load=population,
    at_paper={
        "cabspotting": {},
        "commuters": {"kappa": 25},
        "flights-by-number": {},
        "flights-by-tail": {},
    },
)
def effective_epsilons(
    week: Traces, unit: tuple[()], *, kappa: int = 20, delta: float = 0.1
) -> Iterator[Row]:
    """Compute the effective epsilon of the users of a week under FPA and EFPAG with a nominal 1.

    The worst cases are sqrt(k) for FPA and (1 + sqrt(k)) / 2 for EFPAG, where k is the largest
    number of ROIs of a user. Source: KK, Sec. VII-A, Theorems 3 and 4.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    unit : tuple
        Empty: an experiment with one unit.
    kappa : int
        Number of Fourier coefficients that FPA uses.
    delta : float
        The δ of (ε, δ)-differential privacy, for Gaussian noise.

    Returns
    -------
    iterator of dict
        One row. Columns: Δ (sensitivity: visits of the most active user), most ROIs of a user (k),
        median visits; for FPA the largest epsilon of a user under add/remove, the number of users
        above 1, and the largest under replace-one among the thirty users with the largest epsilon;
        for EFPAG the largest epsilon of a user for the choice of kappa, in addition to 0.5 for the
        noise (half the sum of the user's L2 norms in each ROI, over the square root of the
        sensitivity).
    """
    visits = week.visits()
    mechanism = mechanisms(week, 1.0, delta=delta, kappa=kappa)["FPA"]
    assert isinstance(mechanism, FourierPerturbation)
    costs = fpa_effective_epsilons(week, mechanism)
    norms = np.sqrt(week.epochs_per_roi()).sum(axis=1) / visits.max() ** 0.5
    yield {
        "Δ": float(visits.max()),
        "most ROIs of a user": most_rois(week),
        "median visits": float(visits.median()),
        "FPA, largest of a user": costs.max(),
        "FPA, users above 1": int((costs > 1 + 1e-9).sum()),
        "FPA, largest of a swap": _largest_swap(week, mechanism, costs),
        "EFPAG, choices": norms.max() / 2,
    }


SPEEDS = {"all fixes": None, "no faster than 45 m/s": 45.0}


def _speeds(weeks: dict[str, Traces]) -> list[str]:
    return list(SPEEDS)


def fixes(data: str) -> dict[str, Traces]:
    """Load the first week of the cabs with all fixes and without those that are too fast.

    Parameters
    ----------
    data : str
        Name of the dataset.

    Returns
    -------
    dict of str to lib.traces.Traces
        Name in `SPEEDS` to the week.
    """
    return {
        label: first_week(load(data, max_speed=speed, null=True)) for label, speed in SPEEDS.items()
    }


@experiment(
    "kk-defenses-jumps",
    paper="kk",
    answers=("Sec. VII-C",),
    unit=("cabs",),
    units=_speeds,
    load=fixes,
    at_paper={"cabspotting": {}},
)
def jumps(weeks: dict[str, Traces], cabs: str) -> Iterator[Row]:
    """Compare the sensitivity of all GPS fixes with that of fixes that a cab could reach at 45 m/s.

    The paper's sensitivity is 2,685. Source: KK, Sec. VII-C.

    Parameters
    ----------
    weeks : mapping of str to lib.traces.Traces
        Name in `SPEEDS` to the first week of the cabs.
    cabs : str
        Name in `SPEEDS`.

    Returns
    -------
    iterator of dict
        One row. Columns: Δ (visits of the most active cab), second (of the next).
    """
    second, most = sorted(weeks[cabs].visits())[-2:]
    yield {"Δ": int(most), "second": int(second)}


# -- errors ----------------------------------------------------------------------------------------

RELEASES = {
    "cabspotting": {"n_releases": 20, "group_size": 500},
    "commuters": {"n_releases": 20, "group_size": 9500},
    "flights-by-number": {"n_releases": 20},
    "flights-by-tail": {"n_releases": 20},
}


def errors_of(raw: np.ndarray, released: np.ndarray) -> dict[str, float]:
    """Compute the MRE of one release under both interpretations of the sanity bound.

    Parameters
    ----------
    raw, released : numpy.ndarray, shape (n_rois, n_epochs)
        Counts before and after the mechanism; ROIs without any visit are left out.

    Returns
    -------
    dict of str to float
        Name in `BOUNDS` to the MRE.
    """
    seen = raw.sum(axis=-1) > 0
    return {
        label: metrics.mean_relative_error(raw[seen], released[seen], **bound)
        for label, bound in BOUNDS.items()
    }


def empty_errors(
    weeks: Mapping[str, Traces],
    *,
    of: Mapping[str, Mapping[str, int]],
    n_releases: int = 10,
    seed: int = 2018,
) -> pd.DataFrame:
    """Compute the MRE of a release in which every count is 0, for the groups of `errors`.

    Parameters
    ----------
    weeks : mapping of str to lib.traces.Traces
        Name of a dataset to its first week.
    of : mapping of str to mapping
        Name of a dataset to its `group_size`.
    n_releases : int
        Number of groups, each released once.
    seed : int
        Seed of the random streams.

    Returns
    -------
    pandas.DataFrame
        A row for each release. Columns: data, release, the MRE under each interpretation of the
        sanity bound.
    """
    rows = []
    for name, week in weeks.items():
        raw = raw_releases(week, name, n_releases, of[name]["group_size"], seed)
        rows += list(_error_rows(raw, np.zeros_like(raw), data=name))
    return pd.DataFrame(rows)


def busiest_place(week: Traces, data: str, group_size: int, seed: int = 2018) -> np.ndarray:
    """Return the counts of one group at the place that most of its members visit, `null` left out.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    data : str
        Name of the dataset; part of the names of the random streams.
    group_size : int
        Number of users in a group.
    seed : int
        Seed of the random streams.

    Returns
    -------
    numpy.ndarray of int, shape (168,)
        Counts by hour.
    """
    counts = raw_releases(week, data, 1, group_size, seed)[0]
    total = np.where(week.rois.index == NULL, -1, counts.sum(axis=1))
    series: np.ndarray = counts[total.argmax()]
    return series


def _error_rows(raw: np.ndarray, released: np.ndarray, **named: object) -> Iterator[Row]:
    for i, (one_raw, one) in enumerate(zip(raw, released, strict=True)):
        yield named | {"release": i} | errors_of(one_raw, one)


def at_budgets(
    week: Traces, *, catalogues: Sequence[str], epsilons: Sequence[float], delta: float, kappa: int
) -> list[tuple[str, float]]:
    """List every mechanism of the catalogues with every budget at which it is evaluated.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    catalogues : sequence of str
        Names in `CATALOGUES`.
    epsilons : sequence of float
        Privacy budgets.
    delta : float
        The δ of (ε, δ)-differential privacy, for Gaussian noise.
    kappa : int
        Number of Fourier coefficients that FPA uses.

    Returns
    -------
    list of (str, float)
        Label and epsilon.
    """
    return [(d.label, d.epsilon) for d in _defenses(week, catalogues, epsilons, delta, kappa)]


@dataclass(frozen=True)
class NoisyRelease:
    """Releases of random groups by one mechanism at one budget.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    unit : (str, float)
        Label of the mechanism, and epsilon.
    data : str
        Name of the dataset; part of the names of the random streams.
    catalogues : sequence of str
        Names in `CATALOGUES`, one of which has the mechanism.
    epsilons : sequence of float
        Privacy budgets.
    delta : float
        The δ of (ε, δ)-differential privacy, for Gaussian noise.
    kappa : int
        Number of Fourier coefficients that FPA uses.
    n_releases, group_size : int
        Number of groups, each released once, and number of users in each.
    seed : int
        Seed of the random streams.
    """

    week: Traces
    unit: tuple[str, float]
    data: str = ""
    catalogues: Sequence[str] = ("printed", "calibrated")
    epsilons: Sequence[float] = BUDGETS
    delta: float = 0.1
    kappa: int = 20
    n_releases: int = 10
    group_size: int = 300
    seed: int = 2018

    def counts(self) -> tuple[np.ndarray, np.ndarray]:
        """Release the week's counts under the unit's defense.

        Returns
        -------
        raw, noisy : numpy.ndarray, shape (n_releases, n_rois, 168)
            Counts before and after noise, without rounding.
        """
        found = _defenses(self.week, self.catalogues, self.epsilons, self.delta, self.kappa)
        this = next(each for each in found if (each.label, each.epsilon) == self.unit)
        raw = raw_releases(self.week, self.data, self.n_releases, self.group_size, self.seed)
        rng = this.stream(self.seed, "kk-defenses-errors", self.data)
        return raw, release(raw, [this.mechanism], rng, self.group_size)


RELEASE_SETTINGS = "data", "epsilons", "delta", "kappa", "n_releases", "group_size", "seed"


def round_and_clip(noisy: np.ndarray, most: int) -> np.ndarray:
    """Round counts and clip them to the range from 0 to a largest count.

    Parameters
    ----------
    noisy : numpy.ndarray of float
        Noisy counts.
    most : int
        The largest possible count.

    Returns
    -------
    numpy.ndarray of float
        Counts of the same shape.
    """
    whole: np.ndarray = np.clip(np.rint(noisy), 0, most)
    return whole


@experiment(
    "kk-defenses-errors",
    paper="kk",
    answers=("Table II", "Table III"),
    unit=("mechanism", "ε"),
    units=at_budgets,
    load=population,
    at_paper={
        **RELEASES,
        "cabspotting": RELEASES["cabspotting"] | {"catalogues": CATALOGUES},
        "commuters": RELEASES["commuters"] | {"kappa": 25},
    },
)
@with_settings(NoisyRelease, *RELEASE_SETTINGS, "catalogues")
def errors(of: NoisyRelease) -> Iterator[Row]:
    """Compute the mean relative error of a mechanism at a budget, for each release.

    Source: KK, Eq. 7, Tables II and III.

    Parameters
    ----------
    of : NoisyRelease
        The releases.

    Returns
    -------
    iterator of dict
        Columns: counts ("unclipped", or "clipped": rounded and clipped to the group size, with the
        same noise), release, the MRE under each interpretation of the sanity bound.
    """
    raw, noisy = of.counts()
    yield from _error_rows(raw, noisy, counts="unclipped")
    yield from _error_rows(raw, round_and_clip(noisy, of.group_size), counts="clipped")


def _kappas(week: Traces, *, kappa: int) -> list[int]:
    return sorted({1, 5, kappa, 40, 85})


@experiment(
    "kk-defenses-truncation",
    paper="kk",
    answers=("Table II", "Table III"),
    unit=("κ",),
    units=_kappas,
    load=population,
    at_paper={**RELEASES, "commuters": RELEASES["commuters"] | {"kappa": 25}},
)
def truncation(
    week: Traces,
    n_coefficients: int,
    *,
    data: str,
    kappa: int = 20,
    n_releases: int = 10,
    group_size: int = 300,
    seed: int = 2018,
) -> Iterator[Row]:
    """Compute the MRE of FPA without noise: the error of dropping the other coefficients.

    Source: KK, Sec. VII-A.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    n_coefficients : int
        Number of Fourier coefficients from which counts are reconstructed.
    data : str
        Name of the dataset; part of the names of the random streams.
    kappa : int
        Number of Fourier coefficients that FPA uses; it decides which numbers are units.
    n_releases : int
        Number of groups, each released once.
    group_size : int
        Number of users in a group.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each release. Columns: release, the MRE under each interpretation of the sanity
        bound.
    """
    raw = raw_releases(week, data, n_releases, group_size, seed)
    yield from _error_rows(
        raw, round_and_clip(fourier_reconstruction(raw, n_coefficients), group_size)
    )


def _interpretations(counts: np.ndarray) -> dict[str, float]:
    """Mean of 1 / max(gamma, count) in one release, by interpretation of the sanity bound."""
    seen = counts[counts.sum(axis=1) > 0].astype(float)
    printed_bound, whole = 0.001 * seen.sum(axis=1, keepdims=True), 0.001 * seen.sum()
    bounds = {
        "0.1% of the ROI": printed_bound,
        "0.5 users": 0.5,
        "0.1% of the ROI, at least 0.5": np.maximum(printed_bound, 0.5),
        "0.1% of the ROI, at least 1": np.maximum(printed_bound, 1),
        "0.1% of the mean ROI": whole / len(seen),
        "0.1% of all": whole,
    }
    x = {each: (1 / np.maximum(bound, seen)).mean() for each, bound in bounds.items()}
    return x | {"cells above 0 only": (1 / seen[seen > 0]).mean()}


def _with_and_without(week: Traces) -> list[str]:
    return ["all", "without null"] if NULL in week.rois.index else ["all"]


@experiment(
    "kk-defenses-sanity-bounds",
    paper="kk",
    answers=("Table II", "Table III"),
    unit=("ROIs",),
    units=_with_and_without,
    load=population,
    at_paper=RELEASES,
)
def sanity_bounds(
    week: Traces,
    rois: str,
    *,
    data: str,
    n_releases: int = 10,
    group_size: int = 300,
    seed: int = 2018,
) -> Iterator[Row]:
    """Compute the mean of 1 / max(gamma, count) over cells under seven interpretations of gamma.

    If the noise does not depend on the counts, the MRE is this number times the mean absolute
    error. Source: KK, Eq. 7.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    rois : {"all", "without null"}
        Which ROIs count.
    data : str
        Name of the dataset; part of the names of the random streams.
    n_releases : int
        Number of groups, each released once.
    group_size : int
        Number of users in a group.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each release and interpretation. Columns: release, γ (the interpretation), x.
    """
    chosen = np.array(week.rois.index != NULL) | (rois == "all")
    for i, raw in enumerate(raw_releases(week, data, n_releases, group_size, seed)):
        yield from (
            {"release": i, "γ": g, "x": x} for g, x in _interpretations(raw[chosen]).items()
        )


# -- attacks ---------------------------------------------------------------------------------------

_AT_PAPER = {
    "cabspotting": {"group_size": 500, "n_groups": 400, "n_per_third": 50},
    "commuters": {"group_size": 9500, "n_groups": 200, "n_per_third": 10, "kappa": 25},
    "flights-by-number": {"n_groups": 200, "n_per_third": 17},
    "flights-by-tail": {"n_groups": 200, "n_per_third": 17},
}
_WITH_MLP = {name: each | {"classifier": "MLP"} for name, each in _AT_PAPER.items()}


def targets(week: Traces, *, data: str, n_per_third: int = 2, seed: int = 2018) -> list[int]:
    """Draw targets from each third of the users by visits, among users with at least four visits.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    data : str
        Name of the dataset; part of the names of the random streams.
    n_per_third : int
        Number of targets from each third of the users by visits.
    seed : int
        Seed of the random streams.

    Returns
    -------
    list of int
        Positions of the targets, the least active first.
    """
    somewhere = [roi for roi in week.rois.index if roi != NULL]
    visits = week.select(rois=somewhere).visits().to_numpy()
    rng = stream(seed, "kk-defenses-targets", data)
    return game.sample_targets(week, np.flatnonzero(visits >= 4), n_per_third, rng).tolist()


def subset_of_targets(
    week: Traces, *, data: str, n_per_third: int = 2, n_at_most: int = 10, seed: int = 2018
) -> list[int]:
    """Select at most `n_at_most` of the targets, from all thirds.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    data : str
        Name of the dataset; part of the names of the random streams.
    n_per_third : int
        Number of targets from each third of the users by visits.
    n_at_most : int
        Largest number of targets.
    seed : int
        Seed of the random streams.

    Returns
    -------
    list of int
        Positions of the targets.
    """
    chosen = targets(week, data=data, n_per_third=n_per_third, seed=seed)
    return chosen[:: -(-len(chosen) // n_at_most)]


def perfect_task(
    week: Traces,
    data: str,
    target: int,
    n_groups: int = 60,
    group_size: int = 300,
    seed: int = 2018,
) -> game.Task:
    """Draw the game of a target under the perfect prior, before any defense.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    data : str
        Name of the dataset; part of the names of the random streams.
    target : int
        Position of the target among the users.
    n_groups : int
        Number of groups, half of them with the target.
    group_size : int
        Number of users in a group.
    seed : int
        Seed of the random streams.

    Returns
    -------
    lib.membership.game.Task
        Training and test groups, which are the same.
    """
    rng = stream(seed, "kk-defenses-groups", data, target)
    return game.perfect_task(week, target, n_groups, group_size, WEEK, rng)


def fit_attack(
    counts: np.ndarray,
    members: np.ndarray,
    classifier: str,
    seed: int,
    n_features: int | None = None,
) -> KnockKnock:
    """Fit Knock-Knock's attack on counts.

    Parameters
    ----------
    counts : numpy.ndarray, shape (n_groups, n_rois, n_epochs)
        Training aggregates.
    members : numpy.ndarray of {0, 1}, shape (n_groups,)
        1 for groups with the target.
    classifier : str
        The attack's classifier: "LR", "kNN", "RF" or "MLP".
    seed : int
        Seed of the classifier.
    n_features : int, optional
        Number of features that recursive elimination selects; without it, the number of training
        aggregates.

    Returns
    -------
    lib.membership.knock_knock.KnockKnock
        The fitted attack.
    """
    n, n_rois, n_epochs = counts.shape
    attack = KnockKnock(n_rois, n_epochs, classifier, n_features, random_state=seed)
    return attack.fit(counts.reshape(n, -1), members)


def _auc_of(attack: KnockKnock, task: game.Task) -> float:
    """AUC of a fitted attack on the test groups."""
    cells = task.test.reshape(len(task.test), -1)
    return metrics.auc(task.test_members, attack.decision_function(cells))


@dataclass(frozen=True)
class DefendedGame:
    """The game of one target under the perfect prior, and the defenses against it.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    target : int
        Position of the target among the users.
    data : str
        Name of the dataset; part of the names of the random streams.
    catalogues : sequence of str
        Names in `CATALOGUES`.
    epsilons : sequence of float
        Privacy budgets.
    classifier : str
        The attack's classifier: "LR", "kNN", "RF" or "MLP".
    group_size, n_groups : int
        Number of users in a group, and number of groups, half of them with the target.
    n_per_third, n_at_most : int
        Number of targets from each third of the users by visits, and largest number of targets.
    delta : float
        The δ of (ε, δ)-differential privacy, for Gaussian noise.
    kappa : int
        Number of Fourier coefficients that FPA uses.
    seed : int
        Seed of the random streams.
    """

    week: Traces
    target: int
    data: str = ""
    catalogues: Sequence[str] = ("printed",)
    epsilons: Sequence[float] = BUDGETS
    classifier: str = "LR"
    group_size: int = 300
    n_groups: int = 60
    n_per_third: int = 2
    n_at_most: int = 10
    delta: float = 0.1
    kappa: int = 20
    seed: int = 2018

    def task(self) -> game.Task:
        """Draw the groups.

        Returns
        -------
        lib.membership.game.Task
            The game of the target, with the raw counts of the groups.
        """
        numbers = self.n_groups, self.group_size, self.seed
        return perfect_task(self.week, self.data, self.target, *numbers)

    def defenses(self) -> Iterator[_Defense]:
        """List the defenses of the catalogues at their budgets.

        Returns
        -------
        iterator of _Defense
            The defenses.
        """
        return _defenses(self.week, self.catalogues, self.epsilons, self.delta, self.kappa)

    def gsm(self, epsilon: float) -> list[Mechanism]:
        """Choose the mechanisms of a release under GSM.

        Parameters
        ----------
        epsilon : float
            Privacy budget.

        Returns
        -------
        list of lib.mechanisms.Mechanism
            The noise, then rounding.
        """
        found = mechanisms(self.week, epsilon, delta=self.delta, kappa=self.kappa)
        return [found["GSM"], PostProcess()]

    def fit(self, task: game.Task) -> KnockKnock:
        """Fit Knock-Knock's attack on the training groups of a game.

        Parameters
        ----------
        task : lib.membership.game.Task
            The game.

        Returns
        -------
        KnockKnock
            The fitted attack.
        """
        return fit_attack(task.train, task.train_members, self.classifier, self.seed)


_GAME = "data", "group_size", "n_groups", "n_per_third", "delta", "kappa", "seed"


def _games(of: DefendedGame) -> Iterator[Row]:
    """AUC of both attackers under each defense, on the same released counts, and on raw ones."""
    task = of.task()
    raw_attack = of.fit(task)
    raw = _auc_of(raw_attack, task)
    for each in of.defenses():
        rng = each.stream(of.seed, "kk-defenses-games", of.data, of.target)
        met = game.strategic_task(task, [each.mechanism, PostProcess()], rng)
        yield {
            "mechanism": each.label,
            "ε": each.epsilon,
            "passive": _auc_of(raw_attack, met),
            "strategic": _auc_of(of.fit(met), met),
            "raw": raw,
        }


@experiment(
    "kk-defenses-games",
    paper="kk",
    answers=("Fig. 12", "Fig. 13"),
    unit=("target",),
    units=targets,
    load=population,
    at_paper=_WITH_MLP,
    tolerance=SAME,
)
@with_settings(DefendedGame, *_GAME, "epsilons", "classifier")
def games(of: DefendedGame) -> Iterator[Row]:
    """Evaluate the passive and the strategic attacker on a target under the paper's mechanisms.

    `gains` turns the rows into privacy gains. Source: KK, Sec. VII-B and C, Fig. 12 and 13.

    Parameters
    ----------
    of : DefendedGame
        The target's game.

    Returns
    -------
    iterator of dict
        A row for each mechanism and budget. Columns: mechanism, ε, passive, strategic (AUC of each
        attacker on the same released counts), raw (AUC on raw counts).
    """
    yield from _games(of)


@experiment(
    "kk-defenses-variants",
    paper="kk",
    unit=("target",),
    units=subset_of_targets,
    load=population,
    at_paper={
        **_WITH_MLP,
        "cabspotting": _WITH_MLP["cabspotting"] | {"catalogues": CATALOGUES[1:]},
    },
    tolerance=SAME,
)
@with_settings(
    DefendedGame, *_GAME, "epsilons", "classifier", "n_at_most", catalogues=("calibrated",)
)
def variants(of: DefendedGame) -> Iterator[Row]:
    """Evaluate `games` with calibrated mechanisms, and with mechanisms of less noise than printed.

    Only a subset of the targets is attacked; calibrated mechanisms are evaluated at the largest
    budget only.

    Parameters
    ----------
    of : DefendedGame
        The target's game.

    Returns
    -------
    iterator of dict
        The columns of `games`.
    """
    yield from _games(of)


def redrawn(
    week: Traces, data: str, *, epsilon: float = 10.0, n_redrawn: int = 5, **settings: Any
) -> pd.DataFrame:
    """Evaluate the strategic attacker of `games` under GSM several times: same groups, new noise.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    data : str
        Name of the dataset; part of the names of the random streams.
    epsilon : float
        Privacy budget.
    n_redrawn : int
        Number of draws of the noise.
    **settings : object
        Further fields of `DefendedGame`.

    Returns
    -------
    pandas.DataFrame
        A row for each target and draw. Columns: target, draw, AUC.
    """
    rows = []
    first = DefendedGame(week, 0, data, **settings)
    for target in targets(week, data=data, n_per_third=first.n_per_third, seed=first.seed):
        of = replace(first, target=target)
        task, rng = of.task(), stream(of.seed, "redrawn", data, target)
        for draw in range(n_redrawn):
            met = game.strategic_task(task, of.gsm(epsilon), rng)
            auc = _auc_of(of.fit(met), met)
            rows.append({"target": target, "draw": draw, "AUC": auc})
    return pd.DataFrame(rows)


def gains(rows: pd.DataFrame) -> pd.DataFrame:
    """Compute the privacy gains of both attackers.

    The AUC on raw counts is taken to be 1, as the paper states. Source: KK, Eq. 6.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `games` or `variants`.

    Returns
    -------
    pandas.DataFrame
        A row for each attacker and game. Columns: attacker, AUC, PG (an AUC below 1/2 counts as
        1/2), PG as printed.
    """
    attackers = ["passive", "strategic"]
    labels = [column for column in rows if column not in attackers]
    long = rows.melt(labels, attackers, "attacker", "AUC")
    auc = long["AUC"].to_numpy()
    long["PG"] = metrics.privacy_gain(1.0, auc.clip(0.5))
    long["PG as printed"] = metrics.privacy_gain(1.0, auc)
    return long


@experiment(
    "kk-defenses-draws",
    paper="kk",
    unit=("target",),
    units=subset_of_targets,
    load=population,
    at_paper={name: each | {"draws": (1, 3)} for name, each in _WITH_MLP.items()},
    tolerance=SAME,
)
@with_settings(DefendedGame, *_GAME, "classifier", "n_at_most")
def draws(
    of: DefendedGame, *, draws: Sequence[int] = (1, 3, 10), epsilon: float = 10.0
) -> Iterator[Row]:
    """Evaluate a strategic attacker under GSM who adds noise several times to each training group.

    Parameters
    ----------
    of : DefendedGame
        The target's game.
    draws : sequence of int
        Numbers of noisy copies of each training group.
    epsilon : float
        Privacy budget.

    Returns
    -------
    iterator of dict
        A row for each number of copies, all on the same releases. Columns: draws ("passive":
        trained on raw counts), AUC.
    """
    task, defense = of.task(), of.gsm(epsilon)
    rng = stream(of.seed, "kk-defenses-draws", of.data, of.target)
    met = game.passive_task(task, defense, rng)
    noisy = [release(task.train, defense, rng, of.group_size) for _ in range(max(draws))]
    yield {"draws": "passive", "AUC": _auc_of(of.fit(task), met)}
    for n in draws:
        members, counts = np.tile(task.train_members, n), np.concatenate(noisy[:n])
        attack = fit_attack(counts, members, of.classifier, of.seed, len(task.train))
        yield {"draws": str(n), "AUC": _auc_of(attack, met)}


def directions(known: np.ndarray) -> np.ndarray:
    """Compute the direction in which each known group differs from the mean of all known groups.

    Parameters
    ----------
    known : numpy.ndarray, shape (n_known, n_rois, n_epochs)
        Raw counts of the known groups.

    Returns
    -------
    numpy.ndarray, shape (n_known, n_rois * n_epochs)
        Vectors of length 1; 0 for a group that equals the mean.
    """
    own = (known - known.mean(axis=0)).reshape(len(known), -1)
    own /= np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-12)
    return own


def similarities(released: np.ndarray, towards: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Compute how similar releases are to known groups, minus what all groups have in common.

    Parameters
    ----------
    released : numpy.ndarray, shape (n_releases, n_rois, n_epochs)
        The released counts.
    towards : numpy.ndarray, shape (n_known, n_rois * n_epochs)
        `directions` of the known groups.
    centre : numpy.ndarray, shape (n_rois, n_epochs)
        The release that the attacker expects.

    Returns
    -------
    numpy.ndarray, shape (n_releases, n_known)
        Inner products of the differences from the centres.
    """
    similarity: np.ndarray = _along(released, towards) - _along(centre[None], towards)
    return similarity


def _along(counts: np.ndarray, towards: np.ndarray) -> np.ndarray:
    return counts.reshape(len(counts), -1) @ towards.T


def matching_scores(
    released: np.ndarray, known: np.ndarray, members: np.ndarray, centre: np.ndarray
) -> np.ndarray:
    """Score releases by whether they resemble known groups with the target or without.

    Parameters
    ----------
    released : numpy.ndarray, shape (n_releases, n_rois, n_epochs)
        The released counts.
    known : numpy.ndarray, shape (n_known, n_rois, n_epochs)
        Raw counts of the known groups.
    members : numpy.ndarray of {0, 1}, shape (n_known,)
        1 for known groups that contain the target.
    centre : numpy.ndarray, shape (n_rois, n_epochs)
        The release that the attacker expects.

    Returns
    -------
    numpy.ndarray, shape (n_releases,)
        The largest similarity to a group with the target minus the largest to one without.
    """
    return _nearer(similarities(released, directions(known), centre), members)


def _nearer(similarity: np.ndarray, members: np.ndarray) -> np.ndarray:
    inside = members == 1
    scores: np.ndarray = similarity[:, inside].max(axis=1) - similarity[:, ~inside].max(axis=1)
    return scores


CENTRES = ("own releases", "known counts")


@experiment(
    "kk-defenses-matching",
    paper="kk",
    unit=("target",),
    units=subset_of_targets,
    load=population,
    at_paper=_AT_PAPER,
)
@with_settings(DefendedGame, *_GAME, "epsilons", "n_at_most", catalogues=("printed", "calibrated"))
def matching(of: DefendedGame, *, n_own: int = 60) -> Iterator[Row]:
    """Evaluate an attacker who asks which of the known groups a release resembles.

    The releases are those of `games` and `variants`. The attacker estimates the expected release
    from own releases of the known groups, with noise of their own, or from the known counts.

    Parameters
    ----------
    of : DefendedGame
        The target's game.
    n_own : int
        About how many releases of their own the attacker makes.

    Returns
    -------
    iterator of dict
        A row for each mechanism, budget, centre and kind of labels. Columns: mechanism, ε, centre,
        labels ("true"; "random": a random permutation of the groups' labels, for the null
        distribution), AUC.
    """
    task = of.task()
    known, true = task.train, task.train_members
    towards = directions(known)
    permuted = stream(of.seed, "matching", of.data, of.target).permutation(true)
    for each in of.defenses():
        rng = each.stream(of.seed, "kk-defenses-games", of.data, of.target)
        defense = [each.mechanism, PostProcess()]
        released = game.passive_task(task, defense, rng).test
        own = release(known[:: max(1, of.n_groups // n_own)], defense, rng, of.group_size)
        for centre, at in zip(CENTRES, (own.mean(axis=0), known.mean(axis=0)), strict=True):
            similarity = similarities(released, towards, at)
            for label, members in (("true", true), ("random", permuted)):
                yield {
                    "mechanism": each.label,
                    "ε": each.epsilon,
                    "centre": centre,
                    "labels": label,
                    "AUC": metrics.auc(members, _nearer(similarity, members)),
                }


def all_attacks(games: pd.DataFrame, matching: pd.DataFrame) -> pd.DataFrame:
    """Combine the two attackers who train with matching, under true and under random labels.

    Targets that only one of the two tables has are left out.

    Parameters
    ----------
    games : pandas.DataFrame
        Rows of `games` or `variants`.
    matching : pandas.DataFrame
        Rows of `matching`.

    Returns
    -------
    pandas.DataFrame
        A row for each attacker and game. Columns: data, target, mechanism, ε, attacker ("matching,
        random labels": the null distribution), AUC.
    """
    keys = ["data", "target", "mechanism", "ε"]
    own_releases = matching[matching["centre"] == CENTRES[0]]
    named = own_releases["labels"].map({"true": "matching", "random": "matching, random labels"})
    rows = pd.concat([gains(games), own_releases.assign(attacker=named)])
    both = pd.MultiIndex.from_frame(games[keys]).intersection(
        pd.MultiIndex.from_frame(own_releases[keys])
    )
    common = rows[pd.MultiIndex.from_frame(rows[keys]).isin(both)]
    return common[[*keys, "attacker", "AUC"]].reset_index(drop=True)

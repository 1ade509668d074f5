"""Knock-Knock behind noise: the errors of five mechanisms, attacks on what they release, and what
users really spend.

A population is the first week of its traces (`first_week`), which is all that is released. Three
catalogues of mechanisms: "printed" as in the paper, "promised" with those repaired whose promise is
not kept, "guessed" with less noise than is printed. Source: KK, Sec. VII.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

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
from lib.randomness import stream
from lib.ties import argsort_descending
from lib.traces import NULL, Traces

WEEK = range(168)
CATALOGUES = ("printed", "promised", "guessed")
BUDGETS = (0.01, 0.1, 1.0, 10.0)
BOUNDS = {"0.1% of the ROI": {"floor": 0.001}, "0.5 users": {"sanity_bound": 0.5}}
SAME = 0.03  # of an AUC: a network's sums end elsewhere on another processor


# -- what is released ------------------------------------------------------------------------------


def first_week(traces: Traces) -> Traces:
    """The first 168 hours, with the report on the whole."""
    week = traces.select(epochs=np.asarray(WEEK))
    week.report = traces.report
    return week


def population(data: str) -> Traces:
    """The first week of a dataset; all but the flights have the place `null`."""
    return first_week(load(data, **({} if data.startswith("flights") else {"null": True})))  # type: ignore[arg-type]


def most_rois(week: Traces) -> int:
    """The most ROIs in which a user is seen."""
    return int((week.epochs_per_roi() > 0).sum(axis=1).max())


def raw_releases(
    week: Traces, data: str, n_releases: int = 10, group_size: int = 300, seed: int = 2018
) -> np.ndarray:
    """Counts (n_releases, n_rois, 168) of random groups."""
    rng = stream(seed, "kk-defenses-releases", data)
    return aggregate(week, sample_groups(np.arange(week.n_users), n_releases, group_size, rng))


# -- mechanisms ------------------------------------------------------------------------------------


def mechanisms(
    week: Traces, epsilon: float, catalogue: str = "printed", delta: float = 0.1, kappa: int = 20
) -> dict[str, Mechanism]:
    """Return the mechanisms of a catalogue, with the sensitivity of the week's busiest user.

    Parameters
    ----------
    week : Traces
        The week whose counts are released.
    epsilon : float
        The privacy budget.
    catalogue : {"printed", "promised", "guessed"}
        "printed": the paper's five (Sec. VII-A). "promised": calibrated to (epsilon, delta)-DP
        under add/remove of one user, given the sensitivity and the largest number of ROIs of a
        user. "guessed": what may have been run, chosen after seeing Table III; none of these has
        the printed guarantee.
    delta : float
        The δ of Gaussian noise.
    kappa : int
        Number of Fourier coefficients.

    Returns
    -------
    dict of Mechanism
        The mechanisms by name.
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
    if catalogue == "promised":
        spread = most_rois(week) ** 0.5
        shared = 2 * epsilon / (1 + spread)
        return {
            "GSM, kept": Gaussian(epsilon, delta, root, "analytic"),
            "FPA, kept": FourierPerturbation(epsilon, kappa, root * spread),
            "EFPAG, kept": EnhancedFourierPerturbation(shared, delta, root, "analytic"),
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
        """Its own random numbers for a use."""
        return stream(seed, use, *names, self.catalogue, self.label, float(self.epsilon))


def _defenses(
    week: Traces, catalogues: Iterable[str], epsilons: Sequence[float], delta: float, kappa: int
) -> Iterator[_Defense]:
    """Every mechanism at every budget; kept promises at the largest only."""
    for catalogue in catalogues:
        budgets = [max(epsilons)] if catalogue == "promised" else list(epsilons)
        each = [mechanisms(week, epsilon, catalogue, delta, kappa) for epsilon in budgets]
        for label in each[0]:
            for epsilon, found in zip(budgets, each, strict=True):
                yield _Defense(catalogue, label, epsilon, found[label])


# -- what users spend ------------------------------------------------------------------------------


def fpa_effective_epsilons(
    week: Traces, mechanism: FourierPerturbation, batch_size: int = 100
) -> np.ndarray:
    """Every user's epsilon (n_users,) under FPA, when she is added or removed."""
    shape = (-1, week.n_rois, week.n_epochs)
    parts = range(0, week.n_users, batch_size)
    traces = (week.matrix[i : i + batch_size].toarray().reshape(shape) for i in parts)
    return np.concatenate([mechanism.effective_epsilon(part) for part in traces])


def _largest_swap(
    week: Traces, mechanism: FourierPerturbation, costs: np.ndarray, n: int = 30
) -> float:
    """The largest epsilon of a swap, among the n users who spend most."""
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
    """What users of a week spend under FPA and EFPAG of a promised epsilon of 1.

    Columns: the sensitivity (visits of the busiest user), the most ROIs of a user (k), the median
    visits; for FPA the largest epsilon of a user, how many users are above 1, the largest of a swap
    among the thirty who spend most; for EFPAG what the choices of kappa cost a user at most, beside
    0.5 for the noise: half the sum of her L2 norms in each ROI, over the sensitivity's root. The
    worst cases are sqrt(k) and (1 + sqrt(k)) / 2. Source: KK, Sec. VII-A, Theorems 3 and 4.
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
    """The first week of the cabs, with and without jumps."""
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
    """Whose visits are the sensitivity, with all fixes or those a cab could reach at 45 m/s.

    Columns: visits of the busiest cab and of the second. The paper's sensitivity is 2,685. Source:
    KK, Sec. VII-C.
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
    """One release's MRE under both readings of the sanity bound; ROIs nobody visited left out."""
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
    """The MRE of a release in which every count is 0, of the releases of `errors`.

    of  each dataset's group_size. Columns: data, release, the MRE under each reading of the bound.
    """
    rows = []
    for name, week in weeks.items():
        raw = raw_releases(week, name, n_releases, of[name]["group_size"], seed)
        rows += list(_error_rows(raw, np.zeros_like(raw), data=name))
    return pd.DataFrame(rows)


def busiest_place(week: Traces, data: str, group_size: int, seed: int = 2018) -> np.ndarray:
    """The counts (168,) of one group at the place where most of it are seen, `null` left out."""
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
    """Every mechanism of the catalogues at every budget that it is played at: label and epsilon."""
    return [(d.label, d.epsilon) for d in _defenses(week, catalogues, epsilons, delta, kappa)]


def raw_and_noisy_counts(
    week: Traces,
    unit: tuple[str, float],
    data: str,
    catalogues: Sequence[str],
    epsilons: Sequence[float],
    delta: float,
    kappa: int,
    n_releases: int,
    group_size: int,
    seed: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Counts of random groups, and what a mechanism at a budget makes of them, not yet rounded."""
    found = _defenses(week, catalogues, epsilons, delta, kappa)
    this = next(each for each in found if (each.label, each.epsilon) == unit)
    raw = raw_releases(week, data, n_releases, group_size, seed)
    rng = this.stream(seed, "kk-defenses-errors", data)
    return raw, release(raw, [this.mechanism], rng, group_size)


def round_and_clip(noisy: np.ndarray, most: int) -> np.ndarray:
    """Rounded, and kept within 0 and the most."""
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
def errors(
    week: Traces,
    unit: tuple[str, float],
    *,
    data: str,
    catalogues: Sequence[str] = ("printed", "promised"),
    epsilons: Sequence[float] = BUDGETS,
    delta: float = 0.1,
    kappa: int = 20,
    n_releases: int = 10,
    group_size: int = 300,
    seed: int = 2018,
) -> Iterator[Row]:
    """Mean relative error of a mechanism at a budget, of each release.

    Columns: counts (unclipped; clipped: rounded and kept within 0 and the group's size, of the same
    noise), release, the MRE under each reading of the sanity bound. Source: KK, Eq. 7, Tables II
    and III.
    """
    raw, noisy = raw_and_noisy_counts(
        week, unit, data, catalogues, epsilons, delta, kappa, n_releases, group_size, seed
    )
    yield from _error_rows(raw, noisy, counts="unclipped")
    clipped = round_and_clip(noisy, group_size)
    yield from _error_rows(raw, clipped, counts="clipped")


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
    """The MRE of FPA without any noise, of each release: what the dropped coefficients cost.

    Columns: release, the MRE under each reading of the sanity bound. Source: KK, Sec. VII-A.
    """
    raw = raw_releases(week, data, n_releases, group_size, seed)
    yield from _error_rows(
        raw, round_and_clip(fourier_reconstruction(raw, n_coefficients), group_size)
    )


def _interpretations(counts: np.ndarray) -> dict[str, float]:
    """x of one release (ROIs, epochs) under each reading of the sanity bound."""
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
    """The mean of 1 / max(gamma, count) over cells under seven readings of gamma, of each release.

    MRE is that times the mean absolute error, under noise that does not look at the counts.
    Columns: release, γ (the reading), x. Source: KK, Eq. 7.
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
    """As many users of each third by visits, among those with at least four; the least first."""
    somewhere = [roi for roi in week.rois.index if roi != NULL]
    visits = week.select(rois=somewhere).visits().to_numpy()
    rng = stream(seed, "kk-defenses-targets", data)
    return game.sample_targets(week, np.flatnonzero(visits >= 4), n_per_third, rng).tolist()


def subset_of_targets(
    week: Traces, *, data: str, n_per_third: int = 2, n_at_most: int = 10, seed: int = 2018
) -> list[int]:
    """At most so many of the targets, from all thirds."""
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
    """The game of a target under the perfect prior, before any defense."""
    rng = stream(seed, "kk-defenses-groups", data, target)
    return game.perfect_task(week, target, n_groups, group_size, WEEK, rng)


def fit_attack(
    counts: np.ndarray,
    members: np.ndarray,
    classifier: str,
    seed: int,
    n_features: int | None = None,
) -> KnockKnock:
    """Knock-Knock's attack, trained on counts (n, ROIs, epochs); RFE keeps a feature a row."""
    n, n_rois, n_epochs = counts.shape
    attack = KnockKnock(n_rois, n_epochs, classifier, n_features, random_state=seed)
    return attack.fit(counts.reshape(n, -1), members)


def _auc_of(attack: KnockKnock, task: game.Task) -> float:
    """How well a trained attack does on the task's test."""
    cells = task.test.reshape(len(task.test), -1)
    return metrics.auc(task.test_members, attack.decision_function(cells))


def _games(
    week: Traces,
    task: game.Task,
    data: str,
    defenses: Iterable[_Defense],
    classifier: str,
    seed: int,
) -> Iterator[Row]:
    """AUC of both attackers behind each defense, on the same released counts, and on raw ones."""
    raw_attack = fit_attack(task.train, task.train_members, classifier, seed)
    raw = _auc_of(raw_attack, task)
    for each in defenses:
        rng = each.stream(seed, "kk-defenses-games", data, task.target)
        met = game.strategic_task(task, [each.mechanism, PostProcess()], rng)
        adapted = fit_attack(met.train, met.train_members, classifier, seed)
        yield {
            "mechanism": each.label,
            "ε": each.epsilon,
            "passive": _auc_of(raw_attack, met),
            "strategic": _auc_of(adapted, met),
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
def games(
    week: Traces,
    target: int,
    *,
    data: str,
    epsilons: Sequence[float] = BUDGETS,
    classifier: str = "LR",
    group_size: int = 300,
    n_groups: int = 60,
    n_per_third: int = 2,
    delta: float = 0.1,
    kappa: int = 20,
    seed: int = 2018,
) -> Iterator[Row]:
    """AUC of the passive and the strategic attacker on a target behind the paper's mechanisms.

    Columns: mechanism, ε, AUC of each attacker on the same protected counts, and on raw counts.
    `gains` makes privacy gains of them. Source: KK, Sec. VII-B and C, Fig. 12 and 13.
    """
    task = perfect_task(week, data, target, n_groups, group_size, seed)
    defenses = _defenses(week, ["printed"], epsilons, delta, kappa)
    yield from _games(week, task, data, defenses, classifier, seed)


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
def variants(
    week: Traces,
    target: int,
    *,
    data: str,
    catalogues: Sequence[str] = ("promised",),
    epsilons: Sequence[float] = BUDGETS,
    classifier: str = "LR",
    group_size: int = 300,
    n_groups: int = 60,
    n_per_third: int = 2,
    n_at_most: int = 10,
    delta: float = 0.1,
    kappa: int = 20,
    seed: int = 2018,
) -> Iterator[Row]:
    """As `games`, behind mechanisms whose promise is kept, and those with less noise than printed.

    Few of the targets; kept promises at the largest budget only.
    """
    task = perfect_task(week, data, target, n_groups, group_size, seed)
    defenses = _defenses(week, catalogues, epsilons, delta, kappa)
    yield from _games(week, task, data, defenses, classifier, seed)


def redrawn(
    week: Traces,
    data: str,
    *,
    epsilon: float = 10.0,
    n_redrawn: int = 5,
    classifier: str = "LR",
    group_size: int = 300,
    n_groups: int = 60,
    n_per_third: int = 2,
    delta: float = 0.1,
    kappa: int = 20,
    seed: int = 2018,
) -> pd.DataFrame:
    """AUC of the strategic attacker of `games` behind GSM: the same groups, noise drawn anew.

    Columns: target, draw, AUC.
    """
    rows = []
    gsm = mechanisms(week, epsilon, delta=delta, kappa=kappa)["GSM"]
    for target in targets(week, data=data, n_per_third=n_per_third, seed=seed):
        task = perfect_task(week, data, target, n_groups, group_size, seed)
        rng = stream(seed, "redrawn", data, target)
        for draw in range(n_redrawn):
            met = game.strategic_task(task, [gsm, PostProcess()], rng)
            attack = fit_attack(met.train, met.train_members, classifier, seed)
            rows.append({"target": target, "draw": draw, "AUC": _auc_of(attack, met)})
    return pd.DataFrame(rows)


def gains(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of games, one for each attacker: AUC, PG (the AUC held at 1/2) and PG as printed.

    Both take the raw attack's AUC to be 1, as the paper states. Source: KK, Eq. 6.
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
def draws(
    week: Traces,
    target: int,
    *,
    data: str,
    draws: Sequence[int] = (1, 3, 10),
    epsilon: float = 10.0,
    classifier: str = "LR",
    group_size: int = 300,
    n_groups: int = 60,
    n_per_third: int = 2,
    n_at_most: int = 10,
    delta: float = 0.1,
    kappa: int = 20,
    seed: int = 2018,
) -> Iterator[Row]:
    """AUC behind GSM of a strategic attacker who draws her noise several times for each group.

    Columns: draws ("passive": she trains on raw counts), AUC. All on the same releases.
    """
    task = perfect_task(week, data, target, n_groups, group_size, seed)
    defense = [mechanisms(week, epsilon, delta=delta, kappa=kappa)["GSM"], PostProcess()]
    rng = stream(seed, "kk-defenses-draws", data, target)
    met = game.passive_task(task, defense, rng)
    noisy = [release(task.train, defense, rng, group_size) for _ in range(max(draws))]
    raw_attack = fit_attack(task.train, task.train_members, classifier, seed)
    yield {"draws": "passive", "AUC": _auc_of(raw_attack, met)}
    for n in draws:
        members = np.tile(task.train_members, n)
        attack = fit_attack(np.concatenate(noisy[:n]), members, classifier, seed, len(task.train))
        yield {"draws": str(n), "AUC": _auc_of(attack, met)}


def directions(known: np.ndarray) -> np.ndarray:
    """Where each known group lies from the middle of all of them.

    known    raw counts (n_known, ROIs, epochs)
    returns  (n_known, ROIs * epochs), each of length 1; of a group in the middle 0
    """
    own = (known - known.mean(axis=0)).reshape(len(known), -1)
    own /= np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-12)
    return own


def similarities(released: np.ndarray, towards: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """How much each release resembles each known group, apart from what all have in common.

    released  (n_releases, ROIs, epochs), towards  `directions` of the known groups
    centre    what a release is expected to be (ROIs, epochs), from what the attacker knows
    returns   (n_releases, n_known): products of the distances from the centres
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
    released, known, centre : ndarray
        As `similarities` and `directions` take them.
    members : ndarray of {0, 1}, shape (n_known,)
        1 for known groups that contain the target.

    Returns
    -------
    ndarray, shape (n_releases,)
        The largest similarity to a group with the target minus the largest to one without.
    """
    return _nearer(similarities(released, directions(known), centre), members)


def _nearer(similarity: np.ndarray, members: np.ndarray) -> np.ndarray:
    inside = members == 1
    scores: np.ndarray = similarity[:, inside].max(axis=1) - similarity[:, ~inside].max(axis=1)
    return scores


CENTRES = ("her own releases", "the known counts")


@experiment(
    "kk-defenses-matching",
    paper="kk",
    unit=("target",),
    units=subset_of_targets,
    load=population,
    at_paper=_AT_PAPER,
)
def matching(
    week: Traces,
    target: int,
    *,
    data: str,
    catalogues: Sequence[str] = ("printed", "promised"),
    epsilons: Sequence[float] = BUDGETS,
    group_size: int = 300,
    n_groups: int = 60,
    n_own: int = 60,
    n_per_third: int = 2,
    n_at_most: int = 10,
    delta: float = 0.1,
    kappa: int = 20,
    seed: int = 2018,
) -> Iterator[Row]:
    """AUC of one who asks which of the groups she knows a release resembles.

    The very releases of `games` and `variants`. What a release is expected to be she has from about
    `n_own` releases that she makes of her own groups, with her own noise; or from the known counts.
    Columns: mechanism, ε, centre, labels (true; coin: of the groups, which say nothing of anybody),
    AUC.
    """
    task = perfect_task(week, data, target, n_groups, group_size, seed)
    known, true = task.train, task.train_members
    towards = directions(known)
    labels = {"true": true, "coin": stream(seed, "matching", data, target).permutation(true)}
    for each in _defenses(week, catalogues, epsilons, delta, kappa):
        rng = each.stream(seed, "kk-defenses-games", data, target)
        defense = [each.mechanism, PostProcess()]
        released = game.passive_task(task, defense, rng).test
        own = release(known[:: max(1, n_groups // n_own)], defense, rng, group_size)
        for centre, at in zip(CENTRES, (own.mean(axis=0), known.mean(axis=0)), strict=True):
            similarity = similarities(released, towards, at)
            for label, members in labels.items():
                auc = metrics.auc(members, _nearer(similarity, members))
                yield {
                    "mechanism": each.label,
                    "ε": each.epsilon,
                    "centre": centre,
                    "labels": label,
                    "AUC": auc,
                }


def all_attacks(games: pd.DataFrame, matching: pd.DataFrame) -> pd.DataFrame:
    """One row an attacker and game: the two who train, who matches, and who matches coins' labels.

    games, matching  rows of `games` or `variants`, and of `matching`; targets that both have
    Columns: data, target, mechanism, ε, attacker, AUC.
    """
    keys = ["data", "target", "mechanism", "ε"]
    own_releases = matching[matching["centre"] == CENTRES[0]]
    named = own_releases["labels"].map({"true": "matching", "coin": "matching coins"})
    rows = pd.concat([gains(games), own_releases.assign(attacker=named)])
    both = pd.MultiIndex.from_frame(games[keys]).intersection(
        pd.MultiIndex.from_frame(own_releases[keys])
    )
    common = rows[pd.MultiIndex.from_frame(rows[keys]).isin(both)]
    return common[[*keys, "attacker", "AUC"]].reset_index(drop=True)

"""Releases in practice: how counts are made from records before they are published.

A release is read from a mapping (a YAML file): `preset: NAME` or `mechanisms: [{name: ...}, ...]`.
It states its unit of privacy, its contribution bound, and its epsilon and delta in plain words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from lib.aggregation import aggregate
from lib.mechanisms import (
    DiscreteGaussian,
    DiscreteLaplace,
    FourierPerturbation,
    Gaussian,
    Laplace,
    Mechanism,
    PostProcess,
    Round,
    SuppressSmallCounts,
    TraceMechanism,
)
from lib.mechanisms.traces import keep_visits, lowest_of_each, visits_of
from lib.traces import Traces
from lib.validation import (
    check_generator,
    check_instance,
    check_positions,
    check_real,
    format_names,
    format_value,
)

UNITS = {
    "visit": "one visit of one person",
    "user-day": "everything one person does on one day",
    "user": "everything one person does in the whole period",
}
TOTALS = ("none", "before-suppression", "after-suppression")


# -- mechanisms that only releases use -------------------------------------------------------------


@dataclass(frozen=True)
class BoundVisits(TraceMechanism):
    """Keep at most one place per epoch and at most `visits` visits per user or user-day.

    The visits that are kept are a uniform choice, first among the places of an epoch, then among
    the visits of the day or of the period. Days are UTC. One unit then changes counts by at most
    `visits` in L1 and by sqrt(visits) in L2. `lib.mechanisms.BoundContributions` bounds a day
    without the rule of one place per epoch.

    Parameters
    ----------
    visits : int
        Largest number of visits of a unit.
    unit : {"user", "user-day"}
        Unit of privacy.
    """

    visits: int
    unit: str

    def apply_traces(self, traces: Traces, rng: np.random.Generator) -> Traces:
        """Draw the visits that are kept.

        Parameters
        ----------
        traces : Traces
            The records.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        Traces
            The same users, places and epochs with fewer visits.
        """
        visits = visits_of(traces)
        rank = np.argsort(rng.permutation(len(visits.user)))
        user_epoch = visits.user * max(traces.n_epochs, 1) + visits.epoch
        one = lowest_of_each(user_epoch, rank, 1)
        day = np.unique(traces.epochs.normalize(), return_inverse=True)[1]
        key = visits.user
        if self.unit == "user-day":
            key = key * (day.max(initial=0) + 1) + day[visits.epoch]
        kept = one[lowest_of_each(key[one], rank[one], self.visits)]
        return keep_visits(traces, visits, kept)


# -- the mechanisms by name ------------------------------------------------------------------------


class Shape(NamedTuple):
    """What a mechanism needs to know of the records; all of it is public.

    Parameters
    ----------
    n_rois, n_epochs : int
        Size of a release.
    epochs_a_day : int
        Epochs of the fullest day.
    """

    n_rois: int
    n_epochs: int
    epochs_a_day: int


class Parameter(NamedTuple):
    """A parameter of a mechanism, as a release may give it.

    Parameters
    ----------
    kind : {"whole", "number"}
        Whether fractions are allowed.
    least, most : float
        Range, ends included.
    words : str
        What is expected, for messages.
    default : float, optional
        Without a default, the parameter must be given.
    """

    kind: str
    least: float
    most: float
    words: str
    default: float | None = None


def _no_mechanism(parameters: Mapping[str, Any], cap: int) -> None:
    """Leave counts as they are."""


@dataclass(frozen=True)
class MechanismSpec:
    """A mechanism that a release can name.

    Parameters
    ----------
    stage : int
        Noise is 1, rounding 2, suppression 3.
    unit : str or None
        Unit of privacy (a key of `UNITS`); None without differential privacy.
    words : str
        What it does, with the parameters in braces.
    parameters : mapping of str to Parameter
        Its parameters.
    build : callable
        Maps parameters and the largest number of visits of a unit to a mechanism on counts, or
        to None.
    """

    stage: int
    unit: str | None
    words: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    build: Callable[[Mapping[str, Any], int], Mechanism | None] = _no_mechanism


_EPSILON = Parameter("number", 1e-6, 1e6, "a number above 0")
_DELTA = Parameter("number", 1e-15, 0.5, "a probability above 0, at most 0.5", 1e-5)
_KAPPA = Parameter("whole", 1, 1e6, "a whole number of coefficients from 1", 10)
_BASE = Parameter("whole", 2, 1e6, "a whole number from 2")
_THRESHOLD = Parameter("whole", 1, 1e9, "a whole number of people from 1")
_CAP = Parameter("whole", 1, 1e9, "a whole number of visits from 1")


def _laplace(unit: str, whom: str) -> MechanismSpec:
    return MechanismSpec(
        1,
        unit,
        f"Laplace noise on every count, epsilon {{epsilon:g}} for {whom}",
        {"epsilon": _EPSILON},
        lambda p, cap: Laplace(p["epsilon"], cap),
    )


def _gaussian(unit: str, whom: str) -> MechanismSpec:
    return MechanismSpec(
        1,
        unit,
        f"Gaussian noise on every count, epsilon {{epsilon:g}} for {whom}, delta {{delta:g}}",
        {"epsilon": _EPSILON, "delta": _DELTA},
        lambda p, cap: Gaussian(p["epsilon"], p["delta"], math.sqrt(cap), "analytic"),
    )


def _discrete_laplace(unit: str, whom: str) -> MechanismSpec:
    return MechanismSpec(
        1,
        unit,
        f"discrete Laplace noise (whole numbers) on every count, epsilon {{epsilon:g}} for {whom}",
        {"epsilon": _EPSILON},
        lambda p, cap: DiscreteLaplace(p["epsilon"], cap),
    )


def _discrete_gaussian(unit: str, whom: str) -> MechanismSpec:
    return MechanismSpec(
        1,
        unit,
        "discrete Gaussian noise (whole numbers) on every count, epsilon {epsilon:g} for "
        f"{whom}, delta {{delta:g}}",
        {"epsilon": _EPSILON, "delta": _DELTA},
        lambda p, cap: DiscreteGaussian(p["epsilon"], p["delta"], math.sqrt(cap)),
    )


MECHANISMS: dict[str, MechanismSpec] = {
    "raw": MechanismSpec(0, None, "the counts as they are"),
    "event-level-laplace": _laplace("visit", "one visit"),
    "user-day-level-laplace": _laplace("user-day", "one person's day"),
    "user-level-laplace": _laplace("user", "one whole person"),
    "event-level-gaussian": _gaussian("visit", "one visit"),
    "user-day-level-gaussian": _gaussian("user-day", "one person's day"),
    "user-level-gaussian": _gaussian("user", "one whole person"),
    "event-level-discrete-laplace": _discrete_laplace("visit", "one visit"),
    "user-day-level-discrete-laplace": _discrete_laplace("user-day", "one person's day"),
    "user-level-discrete-laplace": _discrete_laplace("user", "one whole person"),
    "event-level-discrete-gaussian": _discrete_gaussian("visit", "one visit"),
    "user-day-level-discrete-gaussian": _discrete_gaussian("user-day", "one person's day"),
    "user-level-discrete-gaussian": _discrete_gaussian("user", "one whole person"),
    "fpa": MechanismSpec(
        1,
        "user",
        "Laplace noise on the first {kappa} Fourier coefficients of each place's series, the "
        "others dropped; its epsilon of {epsilon:g} is for one person at one place",
        {"epsilon": _EPSILON, "kappa": _KAPPA},
        lambda p, cap: FourierPerturbation(p["epsilon"], int(p["kappa"]), math.sqrt(cap)),
    ),
    "whole-numbers": MechanismSpec(
        2,
        None,
        "counts rounded to whole numbers and clipped to the range from 0 to the number of people",
        build=lambda p, cap: PostProcess("nearest", True),
    ),
    "round": MechanismSpec(
        2,
        None,
        "counts rounded to the nearest multiple of {base}",
        {"base": _BASE},
        lambda p, cap: Round(int(p["base"])),
    ),
    "round-up": MechanismSpec(
        2,
        None,
        "counts rounded up to a multiple of {base}, as in Strava Metro; only 0 stays 0",
        {"base": _BASE},
        lambda p, cap: Round(int(p["base"]), "up"),
    ),
    "random-round": MechanismSpec(
        2,
        None,
        "counts rounded at random to one of the two nearest multiples of {base}, without bias, as "
        "by Stats NZ; multiples stay as they are",
        {"base": _BASE},
        lambda p, cap: Round(int(p["base"]), "random"),
    ),
    "suppress": MechanismSpec(
        3,
        None,
        "counts below {threshold} people published as 0",
        {"threshold": _THRESHOLD},
        lambda p, cap: SuppressSmallCounts(int(p["threshold"])),
    ),
}
_PRESETS: list[tuple[str, str, dict[str, Any]]] = [  # name, what it follows, keys of a release
    ("raw", "every count as it is", {"mechanisms": [{"name": "raw"}]}),
    (
        "mds-k10",
        "small counts suppressed as in the Mobility Data Specification's metrics (k = 10)",
        {"mechanisms": [{"name": "suppress", "threshold": 10}]},
    ),
    (
        "flowkit-15",
        "small counts suppressed as in FlowKit (15 or fewer)",
        {"mechanisms": [{"name": "suppress", "threshold": 16}]},
    ),
    (
        "round-5",
        "every count rounded to the nearest 5",
        {"mechanisms": [{"name": "round", "base": 5}]},
    ),
    (
        "suppress-10-round-5",
        "counts below 10 suppressed, the others rounded to the nearest 5",
        {"mechanisms": [{"name": "suppress", "threshold": 10}, {"name": "round", "base": 5}]},
    ),
    (
        "event-epsilon-1",
        "differential privacy for one visit, epsilon 1",
        {"mechanisms": [{"name": "event-level-laplace", "epsilon": 1.0}]},
    ),
    (
        "user-day-epsilon-1",
        "differential privacy for one person's day, epsilon 1",
        {"mechanisms": [{"name": "user-day-level-laplace", "epsilon": 1.0}]},
    ),
    (
        "user-epsilon-1",
        "differential privacy for one whole person, epsilon 1",
        {"mechanisms": [{"name": "user-level-laplace", "epsilon": 1.0}]},
    ),
    (
        "gaussian-user-epsilon-1",
        "the same with Gaussian noise, delta 0.00001",
        {"mechanisms": [{"name": "user-level-gaussian", "epsilon": 1.0, "delta": 1e-5}]},
    ),
    (
        "fpa-epsilon-1",
        "Fourier perturbation, epsilon 1 for one person at one place (as in Knock-Knock)",
        {"mechanisms": [{"name": "fpa", "epsilon": 1.0, "kappa": 10}]},
    ),
    (
        "google-mobility",
        "place counts after Google's mobility reports (arXiv 2004.04145): four visits per person "
        "and day, epsilon 0.44 per day, noisy counts below 100 suppressed; theirs are daily "
        "counts, yours are per epoch",
        {
            "mechanisms": [
                {"name": "user-day-level-laplace", "epsilon": 0.44},
                {"name": "suppress", "threshold": 100},
            ],
            "cap": 4,
        },
    ),
    (
        "bassolas-2019",
        "flows after Google's aggregated trips (Bassolas et al. 2019): Laplace noise of scale "
        "1/0.66, noisy flows below 100 suppressed; epsilon 0.66 is for one trip, and nothing "
        "bounds a person's trips; theirs are people by week and pair of places, so give trips as "
        "pairs and epoch 7D",
        {
            "mechanisms": [
                {"name": "event-level-laplace", "epsilon": 0.66},
                {"name": "suppress", "threshold": 100},
            ]
        },
    ),
]
# The parameters of bassolas-2019 are those of Bassolas et al. 2019 (Nature Communications 10:4817),
# as Houssiau et al. 2022 (13:29) and the reply to them (PMC8748792) print them: epsilon 0.66 and
# delta 2.1e-29 for one person's trip from A to B in a week. Three things are approximated. Delta is
# 0 here: theirs equals exp(-0.66 * 99) / 2, the probability that a flow of one person passes the
# threshold, which matters if empty flows get no noise; here they get it. The reply says, without a
# number, that contributions to a partition are bounded; here they are not. And a trip that a person
# repeats counts once in an epoch, so that weekly flows need epochs of a week.
PRESETS = {name: mapping for name, _, mapping in _PRESETS}
PRESET_WORDS = {name: words for name, words, _ in _PRESETS}


def catalogue() -> list[dict[str, str]]:
    """List the presets and mechanisms that a release can name.

    Returns
    -------
    list of dict
        Each with ``kind`` ("preset" or "mechanism"), ``name`` and ``words``.
    """
    presets = [{"kind": "preset", "name": k, "words": w} for k, w in PRESET_WORDS.items()]
    return presets + [
        {"kind": "mechanism", "name": k, "words": _with_parameters(spec)}
        for k, spec in MECHANISMS.items()
    ]


def _with_parameters(spec: MechanismSpec) -> str:
    parameters = [
        f"{name}: {p.words}" + (f" (default {p.default:g})" if p.default is not None else "")
        for name, p in spec.parameters.items()
    ]
    words = re.sub(r"\{(\w+)(:g)?\}", r"<\1>", spec.words)
    return words + (f" [{'; '.join(parameters)}]" if parameters else "")


# -- a release -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One mechanism of a release.

    Parameters
    ----------
    name : str
        Key of `MECHANISMS`.
    parameters : mapping of str to number
        Values of its parameters.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def spec(self) -> MechanismSpec:
        """The mechanism's specification."""
        return MECHANISMS[self.name]

    @property
    def words(self) -> str:
        """What the step does, in words."""
        return self.spec.words.format(**self.parameters)


class PublishedCounts(NamedTuple):
    """What is published: counts, and totals if the release includes them.

    Parameters
    ----------
    counts : ndarray, shape (n_rois, n_epochs)
        Counts after all mechanisms.
    by_place : ndarray, shape (n_rois,), or None
        Totals over epochs.
    by_hour : ndarray, shape (n_epochs,), or None
        Totals over places.
    """

    counts: np.ndarray
    by_place: np.ndarray | None
    by_hour: np.ndarray | None


@dataclass(frozen=True)
class Release:
    """How counts are published.

    Parameters
    ----------
    name : str
        What to call it.
    steps : tuple of Step
        Mechanisms in order.
    cap : int, optional
        Largest number of visits of a unit that are counted; by default one per epoch.
    totals : {"none", "before-suppression", "after-suppression"}
        Whether sums by place and by epoch are published, and of which counts: those before
        rounding and suppression, or the published ones.
    """

    name: str
    steps: tuple[Step, ...]
    cap: int | None = None
    totals: str = "none"

    @property
    def unit(self) -> str | None:
        """Unit of privacy: "visit", "user-day", "user"; None without differential privacy."""
        return next((s.spec.unit for s in self.steps if s.spec.unit), None)

    def plan(self, traces: Traces) -> Plan:
        """Fit the release to the shape of records.

        Parameters
        ----------
        traces : Traces
            The records.

        Returns
        -------
        Plan
            The calibrated mechanisms.

        Raises
        ------
        ValueError
            If the release does not fit.
        """
        check_instance("traces", traces, Traces)
        days = np.unique(traces.epochs.normalize(), return_counts=True)[1]
        return Plan(self, Shape(traces.n_rois, traces.n_epochs, int(days.max(initial=1))))

    def publish(
        self, traces: Traces, members: Sequence[int] | np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Publish the counts of a group of users.

        Parameters
        ----------
        traces : Traces
            The records.
        members : sequence of int
            Positions of the group's users.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray, shape (n_rois, n_epochs)
            Counts after all mechanisms.

        Raises
        ------
        ValueError
            If the release does not fit, or for a position that does not exist.
        """
        return self.publish_all(traces, members, rng).counts

    def publish_all(
        self, traces: Traces, members: Sequence[int] | np.ndarray, rng: np.random.Generator
    ) -> PublishedCounts:
        """Publish the counts of a group of users with their totals.

        Parameters
        ----------
        traces, members, rng : object
            As in `publish`.

        Returns
        -------
        PublishedCounts
            Counts and totals.
        """
        check_generator(rng)
        plan, members = self.plan(traces), check_positions("members", members, traces.n_users)
        counts = aggregate(plan.bound_traces(traces, rng), members[None], np.int32)[0]
        return plan.publish(counts, rng, len(members))


class Plan:
    """A release calibrated for records of one shape.

    Parameters
    ----------
    release : Release
        The release.
    shape : Shape
        Size of the records.

    Attributes
    ----------
    bound : BoundVisits or None
        What bounds each user's contributions.
    noise : Laplace, Gaussian, FourierPerturbation or None
        Noise on counts.
    after : list of Mechanism
        Rounding and suppression.
    cap : int or None
        Largest number of visits of a unit that are counted; None if nothing is bounded.
    epsilon, delta : float or None
        Guarantee for `unit`; None without differential privacy. For FPA, whose noise is calibrated
        to one place, the guarantee for the whole person by sequential composition.

    Raises
    ------
    ValueError
        If FPA's kappa exceeds the number of Fourier coefficients.
    """

    def __init__(self, release: Release, shape: Shape):
        self.release, self.shape, self.unit = release, shape, release.unit
        most = {"visit": 1, "user-day": shape.epochs_a_day, "user": shape.n_epochs}
        self.cap: int | None = None
        if self.unit in ("user-day", "user"):
            self.cap = min(release.cap or most[self.unit], most[self.unit])
        self.bound = None if self.cap is None else BoundVisits(self.cap, str(self.unit))
        built = [s.spec.build(s.parameters, self.cap or 1) for s in release.steps]
        self.noise = next((m for m in built if _is_noise(m)), None)
        self.after = [m for m in built if m is not None and not _is_noise(m)]
        if isinstance(self.noise, FourierPerturbation):
            n_coefficients = shape.n_epochs // 2 + 1
            if self.noise.kappa > n_coefficients:
                raise ValueError(
                    f"fpa: kappa is {self.noise.kappa}; {shape.n_epochs} epochs have "
                    f"{n_coefficients} coefficients at most: give a smaller kappa"
                )
        self.epsilon, self.delta = self._guarantee()

    def _guarantee(self) -> tuple[float | None, float | None]:
        if isinstance(self.noise, FourierPerturbation):
            places = min(self.shape.n_rois, self.cap or 1)
            return self.noise.epsilon * math.sqrt(places), 0.0
        if isinstance(self.noise, Gaussian):
            return self.noise.epsilon, self.noise.delta
        return (self.noise.epsilon, 0.0) if isinstance(self.noise, Laplace) else (None, None)

    @property
    def threshold(self) -> int:
        """Counts below it are suppressed; 0 if none are."""
        small = [s.parameters["threshold"] for s in self.release.steps if s.name == "suppress"]
        return max(small, default=0)

    @property
    def random_base(self) -> int:
        """Counts are rounded at random to multiples of it; 0 if they are not."""
        bases = [s.parameters["base"] for s in self.release.steps if s.name == "random-round"]
        return max(bases, default=0)

    def bound_traces(self, traces: Traces, rng: np.random.Generator) -> Traces:
        """Bound the contributions of each user.

        Parameters
        ----------
        traces : Traces
            The records.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        Traces
            The records that are counted.
        """
        return traces if self.bound is None else self.bound.apply_traces(traces, rng)

    def apply(self, raw: np.ndarray, rng: np.random.Generator, group_size: int) -> np.ndarray:
        """Apply all mechanisms on counts.

        Parameters
        ----------
        raw : ndarray, shape (..., n_rois, n_epochs)
            Raw counts.
        rng : numpy.random.Generator
            Source of randomness.
        group_size : int
            Number of people in the group.

        Returns
        -------
        ndarray, shape (..., n_rois, n_epochs)
            Published counts.
        """
        if self.noise is not None:
            raw = self.noise.apply(raw, rng, np.asarray(group_size))
        return self._post_process(raw, rng, group_size)

    def _post_process(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: int
    ) -> np.ndarray:
        for mechanism in self.after:
            counts = mechanism.apply(counts, rng, np.asarray(group_size))
        return counts

    def without_noise(self, raw: np.ndarray, group_size: int) -> np.ndarray:
        """Compute what would be published if the noise were 0: rounding and suppression alone.

        Rounding at random counts as noise; its mean is 0.

        Parameters
        ----------
        raw : ndarray, shape (..., n_rois, n_epochs)
            Raw counts.
        group_size : int
            Number of people in the group.

        Returns
        -------
        ndarray, shape (..., n_rois, n_epochs)
            Counts after post-processing.
        """
        for mechanism in self.after:
            if not _is_random(mechanism):
                raw = mechanism.apply(raw, np.random.default_rng(0), np.asarray(group_size))
        return raw

    def publish(
        self, raw: np.ndarray, rng: np.random.Generator, group_size: int
    ) -> PublishedCounts:
        """Apply all mechanisms and add the totals.

        Parameters
        ----------
        raw : ndarray, shape (n_rois, n_epochs)
            Raw counts.
        rng : numpy.random.Generator
            Source of randomness.
        group_size : int
            Number of people in the group.

        Returns
        -------
        PublishedCounts
            Counts and totals.
        """
        noisy = raw
        if self.noise is not None:
            noisy = self.noise.apply(raw, rng, np.asarray(group_size))
        counts = self._post_process(noisy, rng, group_size)
        if self.release.totals == "none":
            return PublishedCounts(counts, None, None)
        source = noisy if self.release.totals == "before-suppression" else counts
        return PublishedCounts(counts, source.sum(axis=1), source.sum(axis=0))

    def describe(self) -> dict[str, Any]:
        """Describe the release for a report.

        Returns
        -------
        dict
            Keys ``name``, ``mechanisms``, ``unit``, ``cap``, ``epsilon``, ``delta``, ``totals``
            and ``words``.
        """
        return {
            "name": self.release.name,
            "mechanisms": [
                {"name": s.name, "parameters": dict(s.parameters), "words": s.words}
                for s in self.release.steps
            ],
            "unit": UNITS[self.unit] if self.unit else "none",
            "cap": self.cap,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "totals": self.release.totals,
            "words": self._words(),
        }

    def _words(self) -> str:
        done = "; ".join(step.words for step in self.release.steps)
        sentences = [f"{done[0].upper()}{done[1:]}."]
        if self.cap is not None:
            whom = "person" if self.unit == "user" else "person and day"
            sentences.append(
                f"Before counting, at most {self.cap} visits per {whom} are kept, at most one "
                "place per epoch; the others are dropped at random."
            )
        if self.epsilon is None:
            sentences.append("There is no noise, so no epsilon: the release guarantees nothing.")
        else:
            delta = f", delta {self.delta:g}" if self.delta else ""
            unit = UNITS[str(self.unit)]
            sentences.append(f"Differential privacy for {unit}: epsilon {self.epsilon:.4g}{delta}.")
        if self.release.totals != "none":
            sentences.append(_TOTALS_WORDS[self.release.totals])
        return " ".join(sentences)


_TOTALS_WORDS = {
    "before-suppression": "Totals by place and by epoch are published too, as they are before "
    "rounding and suppression.",
    "after-suppression": "Totals by place and by epoch of the published counts are published too.",
}


def _is_noise(mechanism: object) -> bool:
    return isinstance(mechanism, Laplace | Gaussian | FourierPerturbation)


def _is_random(mechanism: object) -> bool:
    return isinstance(mechanism, Round) and mechanism.how == "random"


def replace_noise(plan: Plan, noise: Mechanism) -> Plan:
    """Replace the noise of a plan but not its declared guarantee, as a faulty implementation does.

    Parameters
    ----------
    plan : Plan
        The correct plan; it is not changed.
    noise : Mechanism
        The noise that is really added.

    Returns
    -------
    Plan
        A plan with the declared epsilon of `plan`.
    """
    broken = Plan(plan.release, plan.shape)
    broken.noise = noise
    return broken


# -- reading ---------------------------------------------------------------------------------------

_KEYS = ("preset", "mechanisms", "cap", "totals", "name")


def parse(mapping: Mapping[str, Any] | str) -> Release:
    """Read a release from the contents of a YAML file, or from a preset's name.

    Parameters
    ----------
    mapping : mapping or str
        Keys: ``preset``, or else ``mechanisms``: a list of mappings, each with a ``name`` and its
        parameters; ``cap``: largest number of visits of a unit (a person or a person's day) that
        are counted; ``totals``: true or "before-suppression", "after-suppression", or false;
        ``name``: what to call the release.

    Returns
    -------
    Release
        The release.

    Raises
    ------
    ValueError
        Naming the key, its value, the nearest correct name and what was expected.
    """
    if isinstance(mapping, str):
        mapping = {"preset": mapping}
    if not isinstance(mapping, Mapping):
        raise ValueError(
            f"the release is {format_value(mapping)}; `preset: NAME` or `mechanisms: [...]` was "
            "expected"
        )
    for key in mapping:
        if key not in _KEYS:
            raise ValueError(
                f"release: no key {_unknown(key, _KEYS)}; one of {format_names(_KEYS)} was expected"
            )
    if ("preset" in mapping) == ("mechanisms" in mapping):
        both = "both `preset` and" if "preset" in mapping else "neither `preset` nor"
        raise ValueError(f"release: {both} `mechanisms`; one of the two was expected")
    given: dict[str, Any] = dict(mapping)
    if "preset" in given:
        preset = _one_of("preset", given.pop("preset"), PRESETS)
        given = {**PRESETS[preset], "name": preset, **given}
    steps = _read_steps(given["mechanisms"])
    name = given.get("name", " + ".join(step.name for step in steps))
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"name: {format_value(name)}; text was expected")
    return Release(
        name, steps, _read_cap(given.get("cap"), steps), _read_totals(given.get("totals", False))
    )


def _unknown(value: object, names: Iterable[str]) -> str:
    near = get_close_matches(str(value), list(names), 1, 0.4)
    return format_value(value) + (f"; did you mean {near[0]!r}?" if near else "")


def _one_of(where: str, value: Any, names: Mapping[str, Any]) -> str:
    if not isinstance(value, str) or value not in names:
        raise ValueError(
            f"{where}: {_unknown(value, names)}; one of {format_names(names)} was expected"
        )
    return value


def _read_steps(listed: Any) -> tuple[Step, ...]:
    if not isinstance(listed, Sequence) or isinstance(listed, str) or not len(listed):
        raise ValueError(
            f"mechanisms: {format_value(listed)}; a list such as [{{name: suppress, threshold: "
            "10}] was expected"
        )
    steps = tuple(_read_step(f"mechanisms[{i}]", each) for i, each in enumerate(listed))
    stages = [step.spec.stage for step in steps]
    if stages.count(1) > 1:
        raise ValueError("mechanisms: noise is added more than once; one noise was expected")
    if 1 in stages[1:]:
        late, first = steps[stages.index(1)].name, steps[0].name
        raise ValueError(
            f"mechanisms: {late!r} stands after {first!r}; noise has to come first, since its "
            "epsilon is not calibrated to counts that were suppressed or rounded before"
        )
    names = [step.name for step in steps]
    if "random-round" in names[1:]:
        late = names[names.index("random-round", 1) - 1]
        raise ValueError(
            f"mechanisms: 'random-round' stands after {late!r}; put it first and alone with "
            "suppression, since attacks on counts that were changed before are not known"
        )
    return steps


def _read_step(where: str, given: Any) -> Step:
    if isinstance(given, str):
        given = {"name": given}
    if not isinstance(given, Mapping) or "name" not in given:
        raise ValueError(f"{where}: {format_value(given)}; a mapping with a `name` was expected")
    name = _one_of(f"{where}.name", given["name"], MECHANISMS)
    parameters = MECHANISMS[name].parameters
    for key in given:
        if key != "name" and key not in parameters:
            takes = format_names(parameters) or "no parameters"
            raise ValueError(
                f"{where}: {name} has no {_unknown(key, parameters)}; it takes {takes}"
            )
    return Step(name, {k: _read(f"{where}.{k}", given.get(k), p) for k, p in parameters.items()})


def _read(where: str, value: Any, parameter: Parameter) -> float | int:
    if value is None:
        if parameter.default is None:
            raise ValueError(f"{where} is missing; {parameter.words} was expected")
        value = parameter.default
    number = check_real(where, value, parameter.words)
    in_range = math.isfinite(number) and parameter.least <= number <= parameter.most
    if not in_range or (parameter.kind == "whole" and number != int(number)):
        raise ValueError(f"{where} is {format_value(value)}; {parameter.words} was expected")
    return int(number) if parameter.kind == "whole" else float(number)


def _read_cap(value: Any, steps: tuple[Step, ...]) -> int | None:
    if value is None:
        return None
    cap = int(_read("cap", value, _CAP))
    if not any(step.spec.unit in ("user", "user-day") for step in steps):
        raise ValueError(
            f"cap is {cap}, and none of these mechanisms bounds the visits of a person or of a "
            "person's day: leave it out"
        )
    return cap


def _read_totals(value: Any) -> str:
    if isinstance(value, bool):
        return "before-suppression" if value else "none"
    if value not in TOTALS:
        raise ValueError(
            f"totals: {_unknown(value, TOTALS)}; true, false or one of {format_names(TOTALS)} was "
            "expected"
        )
    return str(value)

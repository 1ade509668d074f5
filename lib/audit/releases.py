"""Releases as practised: what is done to the records before counts are published.

A release is read from a mapping (a YAML file), `preset: NAME` or `mechanisms: [{name: ...}, ...]`.
It states its unit of privacy, its public caps, its epsilon and delta in plain words, and publishes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from lib.aggregation import aggregate
from lib.mechanisms import (
    FourierPerturbation,
    Gaussian,
    Laplace,
    Mechanism,
    PostProcess,
    SuppressSmallCounts,
    TraceMechanism,
)
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


# -- what is not in lib.mechanisms -----------------------------------------------------------------


@dataclass(frozen=True)
class RoundTo(Mechanism):
    """Counts rounded to the nearest multiple of `base`, halves upwards. No differential privacy."""

    base: int

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator | None, group_size: np.ndarray
    ) -> np.ndarray:
        """Counts of any shape, each to the nearest multiple."""
        return np.floor(np.asarray(counts, np.float32) / self.base + 0.5) * np.float32(self.base)


@dataclass(frozen=True)
class BoundVisits(TraceMechanism):
    """At most one place an epoch, and at most `visits` visits a user or a user-day.

    What stays is a uniform choice, first among the places of an epoch, then among the visits of
    the day or of the period. Days are UTC. One user, or user-day, then changes counts by at most
    `visits` in L1 and by sqrt(visits) in L2.
    """

    visits: int
    unit: str  # "user" or "user-day"

    def apply_traces(self, traces: Traces, rng: np.random.Generator) -> Traces:
        """The traces with at most so many visits of each user, drawn at random."""
        matrix, n_epochs = traces.matrix, max(traces.n_epochs, 1)
        user = np.repeat(np.arange(traces.n_users), np.diff(matrix.indptr))
        roi, epoch = np.divmod(matrix.indices.astype(np.int64), n_epochs)
        luck = rng.permutation(len(user))
        one = luck[_first((user * n_epochs + epoch)[luck], 1)]
        day = np.unique(traces.epochs.normalize(), return_inverse=True)[1]
        key = user if self.unit == "user" else user * (day.max(initial=0) + 1) + day[epoch]
        kept = one[_first(key[one], self.visits)]
        return Traces.from_codes(
            user[kept],
            roi[kept],
            epoch[kept],
            traces.users,
            traces.rois,
            traces.epochs,
            traces.report,
        )


def _first(key: np.ndarray, n: int) -> np.ndarray:
    """Positions of the first n entries of each key, ascending."""
    order = np.argsort(key, kind="stable")
    ahead = np.arange(len(key)) - np.searchsorted(key[order], key[order])
    return np.sort(order[ahead < n])


# -- the mechanisms by name ------------------------------------------------------------------------


class Shape(NamedTuple):
    """What a mechanism must know of the records: all of it is public."""

    n_rois: int
    n_epochs: int
    epochs_a_day: int


class Parameter(NamedTuple):
    """kind  "whole" or "number"; least and most  inclusive; default  None: it must be given"""

    kind: str
    least: float
    most: float
    words: str
    default: float | None = None


_EPSILON = Parameter("number", 1e-6, 1e6, "a number above 0")
_DELTA = Parameter("number", 1e-15, 0.5, "a probability above 0, at most 0.5", 1e-5)


@dataclass(frozen=True)
class Named:
    """A mechanism that releases are made of, by its name.

    stage  order in which mechanisms must stand: noise 1, rounding 2, suppression 3
    unit   whom its epsilon is for; None: no differential privacy
    build  (parameters, most visits of a unit) -> mechanism on counts, or None
    words  what it does, with {parameters} and {cap}
    """

    stage: int
    unit: str | None
    parameters: Mapping[str, Parameter]
    build: Callable[[Mapping[str, Any], int], Mechanism | None]
    words: str


def _laplace(p: Mapping[str, Any], cap: int) -> Mechanism:
    return Laplace(p["epsilon"], cap)


def _gaussian(p: Mapping[str, Any], cap: int) -> Mechanism:
    return Gaussian(p["epsilon"], p["delta"], math.sqrt(cap), "analytic")


def _noise(unit: str, kind: str) -> Named:
    who = {"visit": "one visit", "user-day": "one person's day", "user": "one whole person"}[unit]
    words = f"{kind} noise on every count, epsilon {{epsilon:g}} for {who}"
    if kind == "Gaussian":
        return Named(
            1, unit, {"epsilon": _EPSILON, "delta": _DELTA}, _gaussian, words + ", delta {delta:g}"
        )
    return Named(1, unit, {"epsilon": _EPSILON}, _laplace, words)


_THRESHOLD = Parameter("whole", 1, 1e9, "a whole number of people from 1")
MECHANISMS: dict[str, Named] = {
    "raw": Named(0, None, {}, lambda p, cap: None, "the counts as they are"),
    "event-level-laplace": _noise("visit", "Laplace"),
    "user-day-level-laplace": _noise("user-day", "Laplace"),
    "user-level-laplace": _noise("user", "Laplace"),
    "event-level-gaussian": _noise("visit", "Gaussian"),
    "user-day-level-gaussian": _noise("user-day", "Gaussian"),
    "user-level-gaussian": _noise("user", "Gaussian"),
    "fpa": Named(
        1,
        "user",
        {
            "epsilon": _EPSILON,
            "kappa": Parameter("whole", 1, 1e6, "a whole number of coefficients from 1", 10),
        },
        lambda p, cap: FourierPerturbation(p["epsilon"], int(p["kappa"]), math.sqrt(cap)),
        "Laplace noise on the first {kappa} Fourier coefficients of each place's series, the "
        "others dropped; its epsilon of {epsilon:g} is for one person at one place",
    ),
    "whole-numbers": Named(
        2,
        None,
        {},
        lambda p, cap: PostProcess("nearest", True),
        "counts rounded to whole numbers, and kept between 0 and the number of people",
    ),
    "round": Named(
        2,
        None,
        {"base": Parameter("whole", 2, 1e6, "a whole number from 2")},
        lambda p, cap: RoundTo(int(p["base"])),
        "counts rounded to the nearest multiple of {base}",
    ),
    "suppress": Named(
        3,
        None,
        {"threshold": _THRESHOLD},
        lambda p, cap: SuppressSmallCounts(int(p["threshold"]) - 1),
        "counts below {threshold} people published as 0",
    ),
}

PRESETS: dict[str, dict[str, Any]] = {
    "raw": {"mechanisms": [{"name": "raw"}]},
    "mds-k10": {"mechanisms": [{"name": "suppress", "threshold": 10}]},
    "flowkit-15": {"mechanisms": [{"name": "suppress", "threshold": 16}]},
    "round-5": {"mechanisms": [{"name": "round", "base": 5}]},
    "suppress-10-round-5": {
        "mechanisms": [{"name": "suppress", "threshold": 10}, {"name": "round", "base": 5}]
    },
    "event-epsilon-1": {"mechanisms": [{"name": "event-level-laplace", "epsilon": 1.0}]},
    "user-day-epsilon-1": {"mechanisms": [{"name": "user-day-level-laplace", "epsilon": 1.0}]},
    "user-epsilon-1": {"mechanisms": [{"name": "user-level-laplace", "epsilon": 1.0}]},
    "gaussian-user-epsilon-1": {
        "mechanisms": [{"name": "user-level-gaussian", "epsilon": 1.0, "delta": 1e-5}]
    },
    "fpa-epsilon-1": {"mechanisms": [{"name": "fpa", "epsilon": 1.0, "kappa": 10}]},
    "google-mobility": {
        "mechanisms": [
            {"name": "user-day-level-laplace", "epsilon": 0.44},
            {"name": "suppress", "threshold": 100},
        ],
        "cap": 4,
    },
}
ABOUT = {  # what a preset follows, for `audit --list`
    "raw": "every count as it is",
    "mds-k10": "small counts as the Mobility Data Specification's metrics hide them (k = 10)",
    "flowkit-15": "small counts as FlowKit hides them (15 or fewer)",
    "round-5": "every count to the nearest 5",
    "suppress-10-round-5": "below 10 hidden, the others to the nearest 5",
    "event-epsilon-1": "differential privacy for one visit, epsilon 1",
    "user-day-epsilon-1": "differential privacy for one person's day, epsilon 1",
    "user-epsilon-1": "differential privacy for one whole person, epsilon 1",
    "gaussian-user-epsilon-1": "the same with Gaussian noise, delta 0.00001",
    "fpa-epsilon-1": "Fourier perturbation, epsilon 1 for one person at one place (Knock-Knock's)",
    "google-mobility": "place counts after Google's mobility reports (arXiv 2004.04145): four "
    "visits a person-day, epsilon 0.44 a day, noisy counts below 100 hidden; theirs are a day's, "
    "yours are your epochs'",
}


def names() -> list[dict[str, str]]:
    """What `audit --list` prints: kind ("preset" or "mechanism"), name, words."""
    presets = [{"kind": "preset", "name": k, "words": ABOUT[k]} for k in PRESETS]
    return presets + [
        {"kind": "mechanism", "name": k, "words": _parameters_in_words(m)}
        for k, m in MECHANISMS.items()
    ]


def _parameters_in_words(mechanism: Named) -> str:
    told = [
        f"{name}: {p.words}" + (f" (default {p.default:g})" if p.default is not None else "")
        for name, p in mechanism.parameters.items()
    ]
    words = re.sub(r"\{(\w+)(:g)?\}", r"<\1>", mechanism.words)
    return words + (f" [{'; '.join(told)}]" if told else "")


# -- a release -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One mechanism of a release: its name, and its parameters."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> Named:
        """What is known of its name: parameters, words."""
        return MECHANISMS[self.name]


class Published(NamedTuple):
    """What everybody can see: counts (n_rois, n_epochs), and totals if they are published too."""

    counts: np.ndarray
    by_place: np.ndarray | None  # (n_rois,)
    by_hour: np.ndarray | None  # (n_epochs,)


@dataclass(frozen=True)
class Release:
    """What is done before counts are published.

    steps   mechanisms in order
    cap     most visits of a unit that count; None: every epoch once
    totals  "none"; "before-suppression": sums by place and by epoch of the counts as they are
            before rounding and suppression; "after-suppression": sums of what is published
    """

    name: str
    steps: tuple[Step, ...]
    cap: int | None = None
    totals: str = "none"

    @property
    def unit(self) -> str | None:
        """Whom epsilon is for: "visit", "user-day", "user"; None without differential privacy."""
        return next((s.kind.unit for s in self.steps if s.kind.unit), None)

    def plan(self, traces: Traces) -> Plan:
        """The release made ready for records of this shape; ValueError where it does not fit."""
        check_instance("traces", traces, Traces)
        return Plan(self, shape_of(traces))

    def publish(
        self, traces: Traces, members: Sequence[int] | np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Counts (n_rois, n_epochs) of these users (positions), after everything. ValueError as
        `plan`, and for a position that is not there."""
        return self.publish_all(traces, members, rng).counts

    def publish_all(
        self, traces: Traces, members: Sequence[int] | np.ndarray, rng: np.random.Generator
    ) -> Published:
        """Counts with the totals that go with them."""
        check_generator(rng)
        plan, members = self.plan(traces), check_positions("members", members, traces.n_users)
        counts = aggregate(plan.bounded(traces, rng), members[None], np.int32)[0]
        return plan.published(counts, rng, len(members))


class Plan:
    """A release for records of one shape: what it does, in order, and what it promises.

    bound   what bounds each user's visits, None where nothing has to
    noise   Laplace, Gaussian, FourierPerturbation or None;  after  rounding and suppression
    cap     most visits of a unit that count, None where nothing is bounded
    epsilon, delta  for `unit`; None without differential privacy. For FPA, whose noise is set for
            one place, that of the whole person
    """

    def __init__(self, release: Release, shape: Shape):
        self.release, self.shape, self.unit = release, shape, release.unit
        most = {"visit": 1, "user-day": shape.epochs_a_day, "user": shape.n_epochs}
        self.cap: int | None = None
        if self.unit in ("user-day", "user"):
            self.cap = min(release.cap or most[self.unit], most[self.unit])
        self.bound = None if self.cap is None else BoundVisits(self.cap, str(self.unit))
        built = [s.kind.build(s.parameters, self.cap or 1) for s in release.steps]
        on_counts = [m for m in built if m is not None]
        self.noise = next((m for m in on_counts if _is_noise(m)), None)
        self.after = [m for m in on_counts if not _is_noise(m)]
        if isinstance(self.noise, FourierPerturbation):
            most_kappa = shape.n_epochs // 2 + 1
            if self.noise.kappa > most_kappa:
                raise ValueError(
                    f"fpa: kappa is {self.noise.kappa}; {shape.n_epochs} epochs have {most_kappa} "
                    "coefficients at most"
                )
        self.epsilon, self.delta = self._promise()

    def _promise(self) -> tuple[float | None, float | None]:
        if isinstance(self.noise, FourierPerturbation):
            places = min(self.shape.n_rois, self.cap or 1)
            return self.noise.epsilon * math.sqrt(places), 0.0
        if isinstance(self.noise, Gaussian):
            return self.noise.epsilon, self.noise.delta
        return (self.noise.epsilon, 0.0) if isinstance(self.noise, Laplace) else (None, None)

    @property
    def mechanisms(self) -> list[Mechanism]:
        """Those on counts, in order."""
        return ([self.noise] if self.noise is not None else []) + self.after

    @property
    def threshold(self) -> int:
        """Counts below it are hidden; 0 where none is."""
        small = [m.threshold + 1 for m in self.after if isinstance(m, SuppressSmallCounts)]
        return max(small, default=0)

    def bounded(self, traces: Traces, rng: np.random.Generator) -> Traces:
        """The records of which the counts are made."""
        return traces if self.bound is None else self.bound.apply_traces(traces, rng)

    def counts(self, raw: np.ndarray, rng: np.random.Generator, group_size: int) -> np.ndarray:
        """Counts (..., n_rois, n_epochs) after the mechanisms on counts."""
        size = np.asarray(group_size)
        for mechanism in self.mechanisms:
            raw = mechanism.apply(raw, rng, size)
        return raw

    def without_noise(self, raw: np.ndarray, group_size: int) -> np.ndarray:
        """What would be published if the noise came out as 0: rounding and suppression alone."""
        for mechanism in self.after:
            raw = mechanism.apply(raw, np.random.default_rng(0), np.asarray(group_size))
        return raw

    def published(self, raw: np.ndarray, rng: np.random.Generator, group_size: int) -> Published:
        """Counts (n_rois, n_epochs) and the totals beside them."""
        size, totals = np.asarray(group_size), self.release.totals
        noisy = raw if self.noise is None else self.noise.apply(raw, rng, size)
        counts = noisy
        for mechanism in self.after:
            counts = mechanism.apply(counts, rng, size)
        if totals == "none":
            return Published(counts, None, None)
        source = noisy if totals == "before-suppression" else counts
        return Published(counts, source.sum(axis=1), source.sum(axis=0))

    # -- words ---------------------------------------------------------------------------------

    def describe(self) -> dict[str, Any]:
        """name, mechanisms, unit, cap, epsilon, delta, totals and words, for the audit's page."""
        steps = [
            {
                "name": s.name,
                "parameters": dict(s.parameters),
                "words": s.kind.words.format(**s.parameters),
            }
            for s in self.release.steps
        ]
        return {
            "name": self.release.name,
            "mechanisms": steps,
            "unit": UNITS[self.unit] if self.unit else "none",
            "cap": self.cap,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "totals": self.release.totals,
            "words": self._words(steps),
        }

    def _words(self, steps: list[dict[str, Any]]) -> str:
        said = "; ".join(str(s["words"]) for s in steps) or "the counts as they are"
        said = f"{said[0].upper()}{said[1:]}. "
        if self.cap is not None:
            whom = "person" if self.unit == "user" else "person and day"
            said += (
                f"Before the count each {whom} keeps at most {self.cap} visits, one place an "
                "epoch; the others are left out at random. "
            )
        if self.epsilon is None:
            said += "This promises nobody anything: there is no noise, so no epsilon."
        else:
            extra = f", delta {self.delta:g}" if self.delta else ""
            said += (
                f"Differential privacy for {UNITS[str(self.unit)]}: epsilon "
                f"{self.epsilon:.4g}{extra}."
            )
        if self.release.totals == "before-suppression":
            said += (
                " Totals by place and by epoch are published too, as they are before rounding "
                "and suppression."
            )
        elif self.release.totals == "after-suppression":
            said += " Totals by place and by epoch of what is published are published too."
        return said


def _is_noise(mechanism: object) -> bool:
    return isinstance(mechanism, Laplace | Gaussian | FourierPerturbation)


def shape_of(traces: Traces) -> Shape:
    """Sizes, and how many epochs the fullest day has."""
    days = np.unique(traces.epochs.normalize(), return_counts=True)[1]
    return Shape(traces.n_rois, traces.n_epochs, int(days.max(initial=1)))


# -- reading ---------------------------------------------------------------------------------------

_KEYS = ("preset", "mechanisms", "cap", "totals", "name")


def parse(mapping: Mapping[str, Any] | str) -> Release:
    """A release from what a YAML file holds, or from a preset's name.

    Keys: `preset`, or else `mechanisms`: a list of mappings, each with a `name` and its parameters;
    `cap`: most visits of a unit that count (a person's, or a person-day's); `totals`: true or
    "before-suppression", "after-suppression", or false; `name`: what to call it.
    Raises ValueError naming the key, what it holds, the nearest right name and what was expected.
    """
    if isinstance(mapping, str):
        mapping = {"preset": mapping}
    if not isinstance(mapping, Mapping):
        raise ValueError(
            f"the release is {format_value(mapping)}; `preset: NAME` or `mechanisms: [...]`"
        )
    for key in mapping:
        if key not in _KEYS:
            raise ValueError(
                f"release: no key {format_value(key)}{_near(key, _KEYS)}; {format_names(_KEYS)}"
            )
    if ("preset" in mapping) == ("mechanisms" in mapping):
        both = "both `preset` and" if "preset" in mapping else "neither `preset` nor"
        raise ValueError(f"release: {both} `mechanisms`; one of the two was expected")
    given: dict[str, Any] = dict(mapping)
    if "preset" in given:
        preset = given.pop("preset")
        if not isinstance(preset, str) or preset not in PRESETS:
            raise ValueError(
                f"preset: {format_value(preset)}{_near(preset, PRESETS)}; one of {format_names(PRESETS)}"
            )
        given = {**PRESETS[preset], "name": preset, **given}
    steps = _steps(given["mechanisms"])
    cap = _cap(given.get("cap"), steps)
    name = given.get("name", " + ".join(step.name for step in steps))
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"name: {format_value(name)}; text was expected")
    return Release(name, steps, cap, _totals(given.get("totals", False)))


def _near(value: object, among: Any) -> str:
    near = get_close_matches(str(value), list(among), 1, 0.4)
    return f"; did you mean {near[0]!r}?" if near else ""


def _steps(listed: Any) -> tuple[Step, ...]:
    if not isinstance(listed, Sequence) or isinstance(listed, str) or not len(listed):
        raise ValueError(
            f"mechanisms: {format_value(listed)}; a list such as [{{name: suppress, threshold: 10}}] was "
            "expected"
        )
    steps = tuple(_step(i, each) for i, each in enumerate(listed))
    stages = [step.kind.stage for step in steps]
    if stages.count(1) > 1:
        raise ValueError("mechanisms: noise is added more than once; one noise was expected")
    if 1 in stages and stages.index(1) > 0:
        late, first = steps[stages.index(1)].name, steps[0].name
        raise ValueError(
            f"mechanisms: {late!r} stands after {first!r}; noise has to come first, since what is "
            "hidden or rounded before it is not what its epsilon is for"
        )
    return steps


def _step(i: int, given: Any) -> Step:
    where = f"mechanisms[{i}]"
    if isinstance(given, str):
        given = {"name": given}
    if not isinstance(given, Mapping) or "name" not in given:
        raise ValueError(f"{where}: {format_value(given)}; a mapping with a `name` was expected")
    name = given["name"]
    if not isinstance(name, str) or name not in MECHANISMS:
        raise ValueError(
            f"{where}.name: {format_value(name)}{_near(name, MECHANISMS)}; one of {format_names(MECHANISMS)}"
        )
    wanted = MECHANISMS[name].parameters
    for key in given:
        if key != "name" and key not in wanted:
            takes = f"it takes {format_names(wanted) or 'no parameters'}"
            raise ValueError(
                f"{where}: {name} has no {format_value(key)}{_near(key, wanted)}; {takes}"
            )
    return Step(name, {k: _value(f"{where}.{k}", given.get(k), p) for k, p in wanted.items()})


def _value(where: str, value: Any, parameter: Parameter) -> float | int:
    if value is None:
        if parameter.default is None:
            raise ValueError(f"{where} is missing; {parameter.words} was expected")
        value = parameter.default
    number = check_real(where, value, parameter.words)
    in_range = math.isfinite(number) and parameter.least <= number <= parameter.most
    if not in_range or (parameter.kind == "whole" and number != int(number)):
        raise ValueError(f"{where} is {format_value(value)}; {parameter.words} was expected")
    return int(number) if parameter.kind == "whole" else float(number)


def _cap(value: Any, steps: tuple[Step, ...]) -> int | None:
    if value is None:
        return None
    number = _value("cap", value, Parameter("whole", 1, 1e9, "a whole number of visits from 1"))
    if not any(step.kind.unit in ("user", "user-day") for step in steps):
        raise ValueError(
            f"cap is {number}, and none of these mechanisms bounds a person or a person-day: "
            "leave it out"
        )
    return int(number)


def _totals(value: Any) -> str:
    if isinstance(value, bool):
        return "before-suppression" if value else "none"
    if value not in TOTALS:
        raise ValueError(
            f"totals: {format_value(value)}{_near(value, TOTALS)}; true, false or one of {format_names(TOTALS)}"
        )
    return str(value)


def with_mechanism(plan: Plan, noise: Mechanism) -> Plan:
    """The same plan with another noise than it promises: what an implementation's bug does."""
    broken = Plan(replace(plan.release), plan.shape)
    broken.noise = noise
    return broken

"""Public functions and estimators, called with one or two arguments that they did not expect."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from scipy import sparse

from lib import accounting, aggregation, metrics, randomness
from lib import localization as loc
from lib import mechanisms as m
from lib import reconstruction as rec
from lib.datasets import load, mobility
from lib.membership import (
    challenges,
    correlated,
    counts_likelihood,
    features,
    game,
    knock_knock,
    likelihood_ratio,
    marginals,
    meta_classifier,
    score_distributions,
    selection,
    shadows,
    sparse_logistic,
    target_knowledge,
    thresholds,
    zero_knowledge,
)
from lib.traces import Grid, Traces
from tests.fuzz import judged, not_finite

# -- what stands in place of an argument -----------------------------------------------------------


class Odd(NamedTuple):
    """A change of an argument, with a name to print."""

    name: str
    change: Callable[[Any], Any]

    def __repr__(self) -> str:
        return self.name


class _Mute:
    """Something that nobody expects, and that says so in words without an address."""

    def __repr__(self) -> str:
        return "<mute>"


THINGS = [
    None,
    True,
    "",
    "text",
    "1",
    b"x",
    1j,
    [],
    (),
    {},
    [1],
    [[1], [2, 3]],
    {"a": 1},
    _Mute(),
    object,
    print,
    range(0),
    slice(None),
    Decimal("0.5"),
    Fraction(1, 3),
    pd.NaT,
    pd.NA,
    ...,
    np.array(1),
    np.array([]),
    np.array([[]]),
    np.array(["a"]),
    np.array([None]),
    np.ma.masked,
    sparse.csr_array((2, 2)),
    {1, 2},
    "x" * 3000,
    10**400,
    [10**400],
    pd.Timestamp("2013-03-04"),
    np.datetime64("2013-03-04"),
]
NUMBERS = [
    math.nan,
    math.inf,
    -math.inf,
    0,
    -0.0,
    -1,
    0.5,
    1,
    2,
    3,
    1.0,
    1e308,
    -1e308,
    5e-324,
    1e-320,
    2**31,
    2**63,
    -(2**63) - 1,
    10**20,
    np.int8(2),
    np.uint64(2),
    np.float32(0.5),
    np.float16(2),
    np.bool_(True),
    1 + 1e-12,
    1 - 1e-12,
    1e-12,
    1e12,
]
ENTRIES = [math.nan, math.inf, -math.inf, -1, 2, 0.5, 1e308, 5e-324, 2**40, None, 1j]
DTYPES = [
    "complex128",
    "object",
    "str",
    "S9",
    "float32",
    "float16",
    "int8",
    "uint8",
    "int64",
    "uint64",
    "bool",
    ">f8",
    "M8[s]",
    "m8[s]",
    "longdouble",
]


def _cast(dtype: str) -> Callable[[Any], Any]:
    return lambda x: (
        np.nan_to_num(x).astype(dtype) if dtype[0] in "mM" else np.asarray(x).astype(dtype)
    )


def _entry(value: Any, at: float) -> Callable[[Any], Any]:
    """An array with one entry changed."""

    def change(array: Any) -> Any:
        changed = np.array(
            array, object if value is None else np.result_type(np.asarray(array), np.asarray(value))
        )
        if changed.size:
            changed.flat[int(at * changed.size) % changed.size] = value
        return changed

    return change


_SHAPES = [
    Odd("first dropped", lambda x: np.asarray(x)[1:]),
    Odd("last dropped", lambda x: np.asarray(x)[..., :-1]),
    Odd("one axis more", lambda x: np.asarray(x)[None]),
    Odd("flat", np.ravel),
    Odd("transposed", np.transpose),
    Odd("twice", lambda x: np.concatenate([x, x])),
    Odd("none of it", lambda x: np.asarray(x)[:0]),
    Odd("no column", lambda x: np.asarray(x)[..., :0]),
    Odd("as a list", lambda x: np.asarray(x).tolist()),
    Odd("as a tuple", lambda x: tuple(np.asarray(x))),
    Odd("as a frame", lambda x: pd.DataFrame(x) if np.ndim(x) == 2 else pd.Series(np.ravel(x))),
    Odd("backwards", lambda x: np.asarray(x)[::-1]),
    Odd("read-only", lambda x: np.broadcast_to(x, np.shape(x))),
    Odd("all the same", np.zeros_like),
    Odd("masked", lambda x: np.ma.array(x, mask=True)),
    Odd("iterator", iter),
]
_NUMBERED = [Odd(repr(n), lambda x, n=n: n) for n in NUMBERS]
_things = st.sampled_from([Odd(repr(t)[:40], lambda x, t=t: t) for t in THINGS])
_scalars = st.one_of(
    st.sampled_from(_NUMBERED),
    st.sampled_from(_NUMBERED),
    st.floats().map(lambda n: Odd(repr(n), lambda x: n)),
    st.integers(-3, 12).map(lambda n: Odd(repr(n), lambda x: n)),
)
_entries = st.builds(
    lambda v, at: Odd(f"{v!r} at {at:g}", _entry(v, at)),
    st.sampled_from(ENTRIES) | st.floats(),
    st.floats(0, 1),
)
_casts = st.sampled_from([Odd(f"as {dtype}", _cast(dtype)) for dtype in DTYPES])


def put(value: Any) -> Odd:
    """A change to this value, whatever stood there."""
    return Odd(repr(value)[:40], lambda _: value)


def fixed(good: Any) -> list[Odd]:
    """The changes of an argument like this one that nobody has to draw."""
    if not isinstance(good, (list, np.ndarray)):
        return [*_NUMBERED, *map(put, THINGS)]
    entries = [Odd(f"{v!r} at {at:g}", _entry(v, at)) for v in ENTRIES for at in (0, 0.5, 0.99)]
    casts = [Odd(f"as {dtype}", _cast(dtype)) for dtype in DTYPES]
    return [*entries, *casts, *_SHAPES, *map(put, THINGS)]


def odd(good: Any) -> st.SearchStrategy[Odd]:
    """Changes of an argument like this one."""
    if isinstance(good, (list, np.ndarray)):
        return st.one_of(_entries, _entries, _casts, st.sampled_from(_SHAPES), _things)
    if isinstance(good, (int, float)) and not isinstance(good, bool):
        return st.one_of(_scalars, _scalars, _things)
    return st.one_of(_things, _scalars)


# -- what is right ---------------------------------------------------------------------------------


def _drawn(n_users: int, n_rois: int, n_hours: int) -> Traces:
    """Every visit with a chance of its own user's."""
    rng = np.random.default_rng(2013)
    often = rng.uniform(0.02, 0.3, n_users)[:, None]
    visits = rng.random((n_users, n_rois * n_hours)) < often
    points = rng.uniform([40.5, -74.1], [40.9, -73.7], (n_rois, 2))
    names = pd.Index([f"place {i}" for i in range(n_rois)], name="roi")
    places = pd.DataFrame(points, names, ["lat", "lon"])
    hours = pd.date_range("2013-03-04", periods=n_hours, freq="1h", tz="UTC", name="epoch")
    return Traces(visits.astype(np.int8), range(n_users), places, hours)


TRACES = load("six-users")
SMALL = _drawn(12, 4, 48)
SPREAD = _drawn(40, 9, 24)
NULLED = SMALL.with_null()
CHAIN = rec.distance_chain(4, 0.5)
RNG = np.random.default_rng(7)
MEMBERS = np.repeat([1, 0], 10)
SHADOWS = RNG.poisson(3, (20, 6)) + MEMBERS[:, None] + RNG.normal(size=(20, 6))
COUNTS = RNG.integers(0, 5, (20, 2, 6))
RELEASE = RNG.integers(0, 9, (9, 24))
TRUTH = RNG.integers(0, 2, (12, 4))
BUSY = int(np.argmax(np.diff(SPREAD.matrix.indptr)))
HERS = SPREAD.trace(SPREAD.users[BUSY])
POINTS = SPREAD.rois[["lat", "lon"]].to_numpy()
TASK = game.Task(0, 9, COUNTS[:, :, :], MEMBERS, np.arange(20), COUNTS + 1, MEMBERS, 8)
PRIOR = loc.prior(NULLED, "ROI_DAY", 24)
COUNTED = aggregation.aggregate(loc.inference_period(NULLED, 24), [np.arange(12)])[0]
GENERATOR = Odd("rng", lambda _: np.random.default_rng(0))
RECORDS = pd.DataFrame(
    {
        "user": ["a", "a", "b"],
        "time": ["2013-03-04T10:00Z", "2013-03-04T11:00Z", "2013-03-04T12:00Z"],
        "roi": ["x", "y", "x"],
        "lat": [45.1, 45.2, 45.3],
        "lon": [9.1, 9.2, 9.3],
    }
)


class Door(NamedTuple):
    """A function with arguments that are right, and what its result has to pass."""

    call: Callable[..., Any]
    good: dict[str, Any]
    sane: Callable[[Any], str] = not_finite


def _within(low: float, high: float) -> Callable[[Any], str]:
    def wrong(found: Any) -> str:
        array = np.asarray(found, float)
        good = ((array >= low - 1e-9) & (array <= high + 1e-9)).all()
        return "" if good else f"the result is {array.ravel()[:5]}; {low} to {high}"

    return wrong


def _counts(most: int) -> Callable[[Any], str]:
    def wrong(found: Any) -> str:
        array = np.asarray(found)
        whole = array.dtype.kind in "iu" and ((array >= 0) & (array <= most)).all()
        return "" if whole else f"counts are {array.dtype} {array.ravel()[:5]}; 0 to {most}"

    return wrong


def _whole_traces(found: Traces) -> str:
    matrix = found.matrix
    if matrix.shape != (found.n_users, found.n_rois * found.n_epochs) or (matrix.data != 1).any():
        return f"traces {found!r} hold {matrix!r}"
    return ""


def _anything(found: Any) -> str:
    return ""


def _no_nan(found: Any) -> str:
    wrong = not_finite(found)
    return wrong if wrong.endswith("nan") else ""


probability = _within(0, 1)


def _fitted(make: Callable[..., Any], *settings: str) -> Callable[..., Any]:
    """Makes, fits and asks an attack: the settings by name, then rows, members and other rows."""

    def call(rows: Any, members: Any, asked: Any, **given: Any) -> Any:
        attack = make(**given).fit(rows, members)
        found = [attack.decision_function(asked)]
        return [*found, attack.predict(asked)] if hasattr(attack, "predict") else found

    return call


def _mechanism(kind: type) -> Callable[..., Any]:
    """Makes a mechanism, prints it and releases something."""

    def call(**given: Any) -> Any:
        made = kind(**given)
        assert repr(made)
        if hasattr(made, "apply_traces"):
            return m.release_traces(TRACES, [[0, 1, 2]], [made], np.random.default_rng(0))
        return m.release(np.ones((1, 2, 8), int), [made], np.random.default_rng(0), 3)

    return call


def _prior_of(**given: Any) -> Any:
    return loc.prior(**given).toarray()


def _dense(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda **given: function(**given).toarray()


def _training(**given: Any) -> Any:
    made = zero_knowledge.Training(**given, rng=np.random.default_rng(0))
    learned = made.attack("mean difference")
    return learned.score(np.zeros((1, SPREAD.n_rois, SPREAD.n_epochs)))


def _zero(release: Any, **given: Any) -> Any:
    attack = zero_knowledge.ZeroKnowledge(n_train=10, n_validation=10, **given)
    return attack.fit(release).decision_function([release])


def _challenge(**given: Any) -> Any:
    made = challenges.Challenge(**given, rng=np.random.default_rng(0))
    return [made.release, made.members]


def _chain(initial: Any, transition: Any) -> Any:
    made = rec.MarkovChain(initial, transition)
    return [made.marginals(3), made.entropy(3), made.sample(2, 3, np.random.default_rng(0))]


def _from_visits(**given: Any) -> Any:
    made = rec.MarkovChain.from_visits(**given)
    return [made.initial, made.transition]


def _sparse(**given: Any) -> Any:
    rows = sparse_logistic.Rows(SHADOWS.T.astype(np.float32))
    return sparse_logistic.fit(rows, **given)


def _stream(**given: Any) -> Any:
    return randomness.stream(given["seed"], given["name"]).random()


def _mechanisms(first: Any) -> Any:
    return m.release_traces(TRACES, [[0, 1, 2]], [first], np.random.default_rng(0))


SCORES = {"members": MEMBERS, "scores": SHADOWS[:, 0]}
SENSED = {"chain": CHAIN, "sensors": np.array([0, 1, 3]), "allowed_errors": 1, "noise_std": 0.7}
PAST = {
    "target": 0,
    "beta": 4,
    "group_size": 3,
    "inference": range(0, 12),
    "observation": [range(12, 24), range(24, 36)],
    "rng": GENERATOR,
}
FIT = {"rows": SHADOWS, "members": MEMBERS, "asked": SHADOWS[:4]}
LAPLACE = m.Laplace(1.0)
RATES = [np.array([0.5, 0.5]), np.array([0.2, 0.8])]
NOISED = [LAPLACE, m.PostProcess("down")]

DOORS: dict[str, Door] = {
    # traces and groups
    "aggregate": Door(
        aggregation.aggregate, {"traces": TRACES, "groups": [[0, 1], [2, 3]]}, _counts(2)
    ),
    "aggregate_cells": Door(
        aggregation.aggregate_cells,
        {"traces": TRACES, "groups": [[0, 1], [2]], "cells": np.arange(4)},
        _counts(2),
    ),
    "split_pools": Door(
        aggregation.split_pools, {"users": np.arange(9), "sizes": [2, 3], "rng": GENERATOR}
    ),
    "sample_groups": Door(
        aggregation.sample_groups,
        {"pool": np.arange(9), "n_groups": 3, "group_size": 4, "rng": GENERATOR},
    ),
    "sample_member_groups": Door(
        aggregation.sample_member_groups,
        {
            "pool": np.arange(9),
            "target": 9,
            "n_groups": 4,
            "group_size": 4,
            "rng": GENERATOR,
            "paired": False,
        },
    ),
    "Traces": Door(
        Traces,
        {
            "matrix": TRACES.matrix.toarray(),
            "users": list(TRACES.users),
            "rois": TRACES.rois,
            "epochs": TRACES.epochs,
        },
        _whole_traces,
    ),
    "Traces.from_codes": Door(
        Traces.from_codes,
        {
            "user": np.array([0, 1]),
            "roi": np.array([0, 1]),
            "epoch": np.array([0, 2]),
            "users": ["a", "b"],
            "rois": TRACES.rois,
            "epochs": TRACES.epochs,
        },
        _whole_traces,
    ),
    "Traces.from_records": Door(
        Traces.from_records,
        {
            "frame": RECORDS,
            "user": "user",
            "time": "time",
            "roi": "roi",
            "lat": "lat",
            "lon": "lon",
            "epoch": "1h",
            "start": "2013-03-04",
            "end": "2013-03-05",
            "timezone": "UTC",
            "time_format": "ISO8601",
            "null": False,
        },
        _whole_traces,
    ),
    "Traces.select": Door(
        lambda **given: TRACES.select(**given),
        {
            "users": list(TRACES.users[:2]),
            "rois": list(TRACES.rois.index[:2]),
            "epochs": np.arange(3),
        },
        _whole_traces,
    ),
    "Traces.between": Door(
        lambda start, end: TRACES.between(start, end),
        {"start": TRACES.epochs[1], "end": TRACES.epochs[-1]},
        _whole_traces,
    ),
    "Traces.trace": Door(lambda user: TRACES.trace(user), {"user": TRACES.users[0]}, _counts(1)),
    "Traces.recurrence": Door(lambda lag: TRACES.recurrence(lag), {"lag": "1h"}, _anything),
    "Grid": Door(
        lambda **given: Grid(**given).rois(),
        {"south": 45.0, "north": 46.0, "west": 9.0, "east": 10.0, "n_rows": 2, "n_columns": 3},
    ),
    "stream": Door(_stream, {"seed": 7, "name": "x"}),
    # mechanisms
    "Laplace": Door(_mechanism(m.Laplace), {"epsilon": 1.0, "sensitivity": 1.0}),
    "Gaussian": Door(
        _mechanism(m.Gaussian),
        {"epsilon": 1.0, "delta": 0.1, "sensitivity": 1.0, "calibration": "printed"},
    ),
    "Gaussian, analytic": Door(
        lambda **given: _mechanism(m.Gaussian)(calibration="analytic", **given),
        {"epsilon": 1.0, "delta": 0.1, "sensitivity": 1.0},
    ),
    "FourierPerturbation": Door(
        _mechanism(m.FourierPerturbation), {"epsilon": 1.0, "kappa": 2, "sensitivity": 1.0}
    ),
    "EnhancedFourierPerturbation": Door(
        _mechanism(m.EnhancedFourierPerturbation),
        {"epsilon": 1.0, "delta": 0.1, "sensitivity": 1.0, "calibration": "printed"},
    ),
    "DiscreteLaplace": Door(
        _mechanism(m.DiscreteLaplace), {"epsilon": 1.0, "sensitivity": 1.0, "backend": "exact"}
    ),
    "DiscreteGaussian": Door(
        _mechanism(m.DiscreteGaussian), {"epsilon": 1.0, "delta": 0.1, "sensitivity": 1.0}
    ),
    "Round": Door(_mechanism(m.Round), {"base": 2, "how": "random"}),
    "SuppressSmallCounts": Door(_mechanism(m.SuppressSmallCounts), {"threshold": 2}, _within(0, 3)),
    "PostProcess": Door(
        _mechanism(m.PostProcess), {"rounding": "nearest", "clip": True}, _within(0, 3)
    ),
    "BoundContributions": Door(
        _mechanism(m.BoundContributions), {"visits_per_day": 1}, _within(0, 3)
    ),
    "RandomizedResponse": Door(_mechanism(m.RandomizedResponse), {"p": 0.5}),
    "gaussian_delta": Door(
        m.gaussian_delta, {"epsilon": 1.0, "noise_multiplier": 1.0}, probability
    ),
    "fourier_reconstruction": Door(m.fourier_reconstruction, {"counts": COUNTS[0], "kappa": 2}),
    "effective_epsilon": Door(
        lambda change: m.FourierPerturbation(1.0, 2).effective_epsilon(change),
        {"change": np.ones((2, 6))},
    ),
    "effective_delta": Door(
        lambda change, epsilon: m.RandomizedResponse(0.5).effective_delta(change, epsilon),
        {"change": np.array([[1, 0, -1]]), "epsilon": 1.0},
        probability,
    ),
    "release of traces": Door(
        m.release_traces,
        {"traces": TRACES, "groups": [[0, 1], [2, 3]], "mechanisms": [LAPLACE], "rng": GENERATOR},
    ),
    "release of counts": Door(
        m.release,
        {"counts": COUNTS, "mechanisms": NOISED, "rng": GENERATOR, "group_size": 5},
        _within(0, 12),
    ),
    "one mechanism": Door(_mechanisms, {"first": m.Laplace(1.0)}),
    # metrics and accounting
    "auc": Door(metrics.auc, SCORES, probability),
    "auc_interval": Door(metrics.auc_interval, {**SCORES, "level": 0.95}, probability),
    "privacy_loss": Door(metrics.privacy_loss, {"auc": np.array([0.5, 0.9])}, probability),
    "privacy_loss_interval": Door(
        metrics.privacy_loss_interval, {**SCORES, "level": 0.9}, probability
    ),
    "privacy_gain": Door(
        metrics.privacy_gain, {"auc_raw": np.array([0.9]), "auc_released": 0.6}, probability
    ),
    "guessing_gain": Door(metrics.guessing_gain, {"n_in": 30, "n_out": 20}, probability),
    "tpr_at_fpr": Door(metrics.tpr_at_fpr, {**SCORES, "fpr": 0.1}, probability),
    "tpr_at_fpr_interval": Door(
        metrics.tpr_at_fpr_interval, {**SCORES, "fpr": 0.1, "level": 0.9}, probability
    ),
    "mean_relative_error": Door(
        metrics.mean_relative_error, {"raw": COUNTS[0] + 1, "released": COUNTS[1], "floor": 0.01}
    ),
    "mean_relative_error, bounded": Door(
        metrics.mean_relative_error, {"raw": COUNTS[0], "released": COUNTS[1], "sanity_bound": 5.0}
    ),
    "js_divergence": Door(
        metrics.js_divergence, {"p": RATES[0], "q": RATES[1], "base": 2.0}, _within(0, 1e13)
    ),
    "js_distance": Door(metrics.js_distance, {"p": RATES[0], "q": RATES[1], "base": math.e}),
    "mean_interval": Door(metrics.mean_interval, {"values": SHADOWS[:, 0], "level": 0.95}),
    "difference_interval": Door(
        metrics.difference_interval,
        {"first": SHADOWS[:, 0], "second": SHADOWS[:, 1], "level": 0.95},
    ),
    "mean_table": Door(
        lambda values, level: metrics.mean_table({"a": values}, ["of"], level),
        {"values": SHADOWS[:, 0], "level": 0.95},
    ),
    "optimal_composition": Door(
        accounting.optimal_composition, {"epsilon": 0.1, "delta": 0.01, "k": 5}
    ),
    "expected_accuracy": Door(
        accounting.expected_accuracy,
        {"epsilon": 0.1, "n_observations": 5, "delta": 0.0},
        probability,
    ),
    "trade_off": Door(
        accounting.trade_off,
        {"epsilon": 0.1, "n_observations": 5, "fpr": np.array([0.1, 0.5]), "delta": 0.0},
        probability,
    ),
    # membership
    "extract": Door(features.extract, {"aggregates": COUNTS}),
    "count_distributions": Door(score_distributions.count_distributions, {"others": COUNTS[:, 0]}),
    "error_rates": Door(
        score_distributions.error_rates,
        {"mechanism": LAPLACE, "counts": RATES, "thresholds": np.array([1.0, 2.0])},
        probability,
    ),
    "laplace_sum_sf": Door(
        score_distributions.laplace_sum_sf, {"x": 1.0, "n": 3, "scale": 2.0}, probability
    ),
    "two_threshold_distribution": Door(
        score_distributions.two_threshold_distribution, {"mechanism": LAPLACE, "counts": RATES}
    ),
    "convolved_distribution": Door(
        lambda **given: score_distributions.convolved_distribution(
            score=score_distributions.identity_score, **given
        ).accuracy(),
        {"mechanism": LAPLACE, "counts": RATES},
        probability,
    ),
    "period": Door(
        game.period, {"traces": SMALL, "start": SMALL.epochs[2], "length": "8h"}, _anything
    ),
    "sample_targets": Door(
        game.sample_targets,
        {"traces": SMALL, "candidates": np.arange(12), "n_per_third": 2, "rng": GENERATOR},
    ),
    "sample_distinct_groups": Door(
        game.sample_distinct_groups,
        {"pool": np.arange(9), "target": 3, "n_groups": 4, "group_size": 3, "rng": GENERATOR},
    ),
    "subset_task": Door(
        game.subset_task,
        {
            "traces": SMALL,
            "target": 0,
            "alpha": 0.5,
            "group_size": 2,
            "inference": range(0, 24),
            "rng": GENERATOR,
            "n_train": 4,
            "n_test": 4,
        },
    ),
    "same_groups_task": Door(game.same_groups_task, {"traces": SMALL, **PAST}),
    "different_groups_task": Door(
        game.different_groups_task, {"traces": SMALL, **PAST, "n_test": 4}
    ),
    "perfect_task": Door(
        game.perfect_task,
        {
            "traces": SMALL,
            "target": 0,
            "n_groups": 4,
            "group_size": 3,
            "inference": range(0, 24),
            "rng": GENERATOR,
        },
    ),
    "passive": Door(
        game.passive_task, {"task": TASK, "mechanisms": NOISED, "rng": GENERATOR}, _anything
    ),
    "strategic": Door(
        game.strategic_task, {"task": TASK, "mechanisms": [], "rng": GENERATOR}, _anything
    ),
    "KnockKnock": Door(
        _fitted(knock_knock.KnockKnock),
        {
            "rows": COUNTS.reshape(20, -1),
            "members": MEMBERS,
            "asked": COUNTS[:3].reshape(3, -1),
            "n_rois": 2,
            "n_epochs": 6,
            "classifier": "LR",
            "n_features": 5,
            "step": 0.1,
            "random_state": 0,
        },
    ),
    "KnockKnock, forest": Door(
        _fitted(knock_knock.KnockKnock),
        {
            "rows": COUNTS.reshape(20, -1),
            "members": MEMBERS,
            "asked": COUNTS[:3].reshape(3, -1),
            "n_rois": 2,
            "n_epochs": 6,
            "classifier": "RF",
            "random_state": 0,
        },
    ),
    "play": Door(
        knock_knock.score_classifiers,
        {"task": TASK, "rng": GENERATOR, "classifiers": ["LR", "kNN"], "step": 0.1},
    ),
    "best": Door(
        lambda members, scores: knock_knock.best_classifier(members, {"LR": scores}),
        SCORES,
        _anything,
    ),
    "permuted_best_aucs": Door(
        lambda members, scores, **given: knock_knock.permuted_best_aucs(
            members, {"LR": scores}, **given
        ),
        {**SCORES, "rng": GENERATOR, "n_permutations": 5},
        probability,
    ),
    "cross_validate_aucs": Door(
        knock_knock.cross_validate_aucs,
        {"task": TASK, "rng": GENERATOR, "classifiers": ["LR"], "step": 0.5, "n_folds": 3},
    ),
    "eliminate": Door(
        selection.eliminate, {"features": SHADOWS, "members": MEMBERS, "n_selected": 2, "step": 0.5}
    ),
    "fit_logistic": Door(selection.fit_logistic, {"features": SHADOWS, "members": MEMBERS}),
    "LikelihoodRatio": Door(
        _fitted(likelihood_ratio.LikelihoodRatio),
        {**FIT, "mechanism": LAPLACE, "others": COUNTS[:, 0], "cells": np.arange(3)},
    ),
    "LikelihoodRatio, Gaussian": Door(
        _fitted(likelihood_ratio.LikelihoodRatio),
        {**FIT, "mechanism": m.Gaussian(1.0, 0.1), "cells": None},
    ),
    "CorrelatedRatio": Door(
        _fitted(correlated.CorrelatedRatio),
        {
            **FIT,
            "mechanism": LAPLACE,
            "visits": (COUNTS[:, 0] > 2).astype(np.int64),
            "group_size": 3,
            "cells": np.arange(3),
            "n_groups": 20,
            "random_state": 0,
        },
    ),
    "CorrelatedRatio, Gaussian": Door(
        _fitted(correlated.CorrelatedRatio),
        {
            **FIT,
            "mechanism": m.Gaussian(1.0, 0.1),
            "visits": np.eye(6, dtype=np.int64),
            "group_size": 2,
        },
    ),
    "OneThreshold": Door(
        _fitted(thresholds.OneThreshold), {**FIT, "cells": np.arange(3), "fpr": 0.1}
    ),
    "TwoThreshold": Door(
        _fitted(thresholds.TwoThreshold),
        {**FIT, "cells": np.arange(3), "fpr": 0.1, "cell_fpr": 0.2},
    ),
    "ReferenceAttack": Door(
        _fitted(thresholds.ReferenceAttack),
        {**FIT, "trace": np.ones(6), "references": np.zeros((2, 6))},
    ),
    "MetaClassifier": Door(
        _fitted(meta_classifier.MetaClassifier),
        {
            **FIT,
            "cells": np.arange(3),
            "hidden": 2,
            "activation": "tanh",
            "max_epochs": 2,
            "patience": 1,
            "random_state": 0,
        },
    ),
    "not fitted": Door(
        lambda asked: thresholds.OneThreshold().decision_function(asked), {"asked": SHADOWS}
    ),
    "midpoint": Door(thresholds.midpoint, {"scores": SHADOWS, "members": MEMBERS}),
    "normal_threshold": Door(
        thresholds.normal_threshold, {"scores": SHADOWS[:, 0], "members": MEMBERS, "fpr": 0.1}
    ),
    "clip_visits": Door(
        shadows.clip_visits, {"traces": SMALL, "most": 1, "rng": GENERATOR}, _whole_traces
    ),
    "positive_cells": Door(
        shadows.positive_cells, {"traces": SPREAD, "target": BUSY, "n": 1, "rng": GENERATOR}
    ),
    "split_users": Door(shadows.split_users, {"traces": SMALL, "target": 0, "rng": GENERATOR}),
    "visits_at": Door(
        shadows.visits_at,
        {"traces": SMALL, "users": np.arange(3), "cells": np.arange(4)},
        _counts(1),
    ),
    "sample_counts": Door(
        shadows.sample_counts,
        {"visits": TRUTH, "n_groups": 3, "group_size": 4, "rng": GENERATOR},
        _within(0, 12),
    ),
    "shadow_aggregates": Door(
        shadows.shadow_aggregates,
        {
            "visits": TRUTH,
            "n_shadow": 4,
            "group_size": 4,
            "mechanism": LAPLACE,
            "rng": GENERATOR,
            "theta": 0.5,
            "trace": np.ones(4),
            "neighbours": "add",
        },
    ),
    "sparse_logistic": Door(
        _sparse,
        {
            "members": MEMBERS,
            "cost": 1.0,
            "solver": "certified",
            "tolerance": 1e-3,
            "iterations": 9,
        },
    ),
    "marginals": Door(
        marginals.estimate,
        {
            "release": RELEASE,
            "mechanisms": [m.SuppressSmallCounts(2)],
            "group_size": 12,
            "coordinates": POINTS,
            "rng": GENERATOR,
            "inner_activity": "constant",
        },
    ),
    "empirical": Door(
        marginals.empirical_marginals, {"release": RELEASE, "group_size": 12}, _anything
    ),
    "log_compress": Door(
        marginals.log_compress, {"marginal": np.array([0.5, 0.3, 0.2])}, probability
    ),
    "exponentiate": Door(
        marginals.exponentiate, {"marginal": np.array([0.5, 0.3, 0.2])}, probability
    ),
    "raise_to_power": Door(
        marginals.raise_to_power, {"marginal": np.array([0.5, 0.3, 0.2]), "power": 2.0}, probability
    ),
    "reference_variance": Door(marginals.reference_variance, {"n": 5, "rng": GENERATOR}),
    "select_power": Door(
        marginals.select_power, {"marginal": np.array([0.5, 0.3, 0.2]), "variance": 0.05}
    ),
    "power_transform": Door(marginals.power_transform, {"marginal": np.array([0.5, 0.3, 0.2])}),
    "expected_counts": Door(
        marginals.expected_counts, {"counts": RELEASE, "scale": 2.0, "rounding": "none"}
    ),
    "limiting_marginals": Door(
        marginals.limiting_marginals, {"counts": RELEASE, "scale": 2.0, "rounding": "down"}
    ),
    "fit_rates": Door(
        counts_likelihood.fit_rates,
        {
            "release": RELEASE,
            "mechanisms": NOISED,
            "group_size": 12,
            "epochs_a_day": 24,
            "max_rounds": 3,
        },
    ),
    "partial_trace": Door(
        target_knowledge.partial_trace, {"trace": HERS, "share": 0.5, "rng": GENERATOR}, probability
    ),
    "top_places": Door(target_knowledge.top_places, {"trace": HERS, "k": 2}),
    "greedy_trace": Door(
        target_knowledge.greedy_trace, {"places": np.array([0, 2]), "shape": (4, 6)}, _counts(1)
    ),
    "random_trace": Door(
        target_knowledge.random_trace,
        {
            "places": np.array([0, 2]),
            "mean_visits": 3.0,
            "time": np.full(6, 1 / 6),
            "n_rois": 4,
            "rng": GENERATOR,
        },
        _counts(1),
    ),
    "Training": Door(
        _training,
        {
            "reference": SPREAD,
            "target": HERS,
            "mechanisms": NOISED,
            "group_size": 5,
            "n_train": 10,
            "n_validation": 10,
        },
        _no_nan,
    ),
    "ZeroKnowledge": Door(
        _zero,
        {
            "target": HERS,
            "coordinates": POINTS,
            "mechanisms": [m.SuppressSmallCounts(2)],
            "group_size": 12,
            "release": RELEASE,
            "n_traces": 30,
            "scorer": "mean difference",
        },
        _no_nan,
    ),
    "Challenge": Door(
        _challenge,
        {
            "traces": SPREAD,
            "target": BUSY,
            "mechanisms": NOISED,
            "group_size": 5,
            "n_reference": 10,
            "n_test": 10,
        },
    ),
    "best_threshold": Door(zero_knowledge.best_threshold, SCORES),
    # mobility
    "triangulate": Door(mobility.triangulate, {"coordinates": POINTS}),
    "synthesize": Door(
        mobility.synthesize,
        {
            "space": np.full(9, 1 / 9),
            "time": np.full(6, 1 / 6),
            "activity": np.full(5, 3.0),
            "coordinates": POINTS,
            "n_traces": 5,
            "rng": GENERATOR,
            "subgraph_size": 3,
        },
        _whole_traces,
    ),
    "grow_subgraphs": Door(
        mobility.grow_subgraphs,
        {
            "origins": np.array([0, 1]),
            "neighbours": mobility.triangulate(POINTS),
            "rng": GENERATOR,
            "size": 3,
        },
        _within(-1, 8),
    ),
    # localization
    "prior": Door(
        _prior_of,
        {"traces": NULLED, "kind": "ROI_DAY", "inference": 24, "of": "FREQ_ROI", "delta": 0.5},
        probability,
    ),
    "prior, popular": Door(
        _prior_of,
        {"traces": NULLED, "kind": "POP", "inference": 24, "of": "FREQ_ROI", "delta": 0.5},
        probability,
    ),
    "inference_period": Door(
        loc.inference_period, {"traces": NULLED, "inference": 24}, _whole_traces
    ),
    "popular": Door(_dense(loc.popular), {"profile": PRIOR, "delta": 0.5}, probability),
    "all_rois": Door(_dense(loc.all_rois), {"profile": PRIOR, "count_null": True}, probability),
    "bayes": Door(_dense(loc.bayes), {"prior": PRIOR, "aggregate": COUNTED}, probability),
    "bayes, array": Door(
        _dense(loc.bayes), {"prior": PRIOR.toarray(), "aggregate": COUNTED}, probability
    ),
    "max_roi": Door(_dense(loc.max_roi), {"prior": PRIOR, "aggregate": COUNTED}, probability),
    "max_user": Door(_dense(loc.max_user), {"prior": PRIOR, "aggregate": COUNTED}, probability),
    "most_likely": Door(
        _dense(loc.most_likely), {"prior": PRIOR, "aggregate": COUNTED, "mix": 0.05}, probability
    ),
    "max_entropy": Door(
        _dense(loc.max_entropy),
        {"prior": PRIOR, "aggregate": COUNTED, "mix": 0.05, "sweeps": 20},
        probability,
    ),
    "count_unupdated": Door(loc.count_unupdated, {"prior": PRIOR, "aggregate": COUNTED}),
    "aggregate_profile": Door(
        _dense(loc.aggregate_profile), {"aggregate": COUNTED, "like": PRIOR}, probability
    ),
    "from_array": Door(
        _dense(loc.from_array),
        {"array": PRIOR.toarray(), "null": 4, "reports": np.arange(12)},
        probability,
    ),
    "Profile.select": Door(
        lambda epochs: PRIOR.select(epochs).toarray(), {"epochs": np.arange(3)}, probability
    ),
    "Profile.toarray": Door(lambda users: PRIOR.toarray(users), {"users": [0, 1]}, probability),
    "profiling_error": Door(
        loc.profiling_error,
        {"profile": PRIOR, "truth": loc.inference_period(NULLED, 24), "base": math.e, "root": True},
    ),
    "localization_error": Door(
        loc.localization_error,
        {"profile": loc.popular(PRIOR), "truth": loc.inference_period(NULLED, 24)},
        probability,
    ),
    "privacy_loss of errors": Door(
        loc.privacy_loss_from_errors,
        {"prior_error": np.array([0.5, 0.2]), "error": np.array([0.4, 0.1])},
    ),
    "privacy_gain of errors": Door(
        loc.privacy_gain_from_errors,
        {"raw_error": np.array([0.5, 0.2]), "released_error": np.array([0.6, 0.1])},
    ),
    # reconstruction
    "MarkovChain": Door(_chain, {"initial": CHAIN.initial, "transition": CHAIN.transition}),
    "MarkovChain.stationary": Door(
        lambda transition: rec.MarkovChain.stationary(transition).initial,
        {"transition": CHAIN.transition},
        probability,
    ),
    "MarkovChain.from_visits": Door(
        _from_visits, {"visits": np.array([0, 1, 0, 2]), "n_locations": 4, "pseudocount": 0.1}
    ),
    "marginals of a chain": Door(CHAIN.marginals, {"n_epochs": 4}, probability),
    "entropy": Door(CHAIN.entropy, {"n_epochs": 4}),
    "sample": Door(CHAIN.sample, {"n_runs": 3, "n_epochs": 4, "rng": GENERATOR}),
    "log_probability": Door(
        CHAIN.log_probability, {"trajectories": np.array([[0, 1, 2]])}, _no_nan
    ),
    "distance_chain": Door(
        lambda **given: rec.distance_chain(**given).transition,
        {"n_locations": 5, "tau": 0.3},
        probability,
    ),
    "observe": Door(
        rec.observe,
        {
            "trajectories": np.array([[0, 1, 2]]),
            "sensors": np.array([0, 1, 1]),
            "noise_std": 0.7,
            "rng": GENERATOR,
        },
    ),
    "viterbi_trajectory": Door(
        rec.viterbi_trajectory,
        {
            "chain": CHAIN,
            "sensors": np.array([0, 1, 3]),
            "counts": np.array([[0.0, 1, 0]]),
            "noise_std": 0.7,
        },
        _within(0, 3),
    ),
    "viterbi_trajectory, raw": Door(
        lambda **given: rec.viterbi_trajectory(noise_std=None, **given),
        {"chain": CHAIN, "sensors": np.array([0, 1, 3]), "counts": np.array([[0, 1, 0]])},
        _within(0, 3),
    ),
    "marginal_trajectory": Door(
        rec.marginal_trajectory,
        {
            "chain": CHAIN,
            "sensors": np.array([0, 1, 3]),
            "counts": np.array([0.0, 1, 0]),
            "noise_std": 0.7,
        },
        _within(0, 3),
    ),
    "prior_trajectory": Door(rec.prior_trajectory, {"chain": CHAIN, "n_epochs": 4}, _within(0, 3)),
    "constant_trajectory": Door(
        rec.constant_trajectory,
        {"chain": CHAIN, "n_epochs": 4, "allowed_errors": 1, "excluded": [0]},
        _within(0, 3),
    ),
    "monte_carlo_loss": Door(
        rec.monte_carlo_loss,
        {**SENSED, "estimator": "viterbi", "n_runs": 5, "rng": GENERATOR},
        _within(0, 12),
    ),
    "exact_loss": Door(
        rec.exact_loss,
        {
            "chain": CHAIN,
            "sensors": np.array([0, 1, 3]),
            "allowed_errors": 1,
            "estimator": "viterbi",
        },
        probability,
    ),
    "guess_loss": Door(
        rec.guess_loss,
        {"chain": CHAIN, "guesses": np.array([[0, 1, 2]]), "allowed_errors": 1},
        probability,
    ),
    "best_loss": Door(
        rec.best_loss,
        {"chain": CHAIN, "sensors": np.array([0, 1, 3]), "allowed_errors": 1},
        probability,
    ),
    "mutual_information": Door(
        rec.mutual_information,
        {
            "chain": CHAIN,
            "sensors": np.array([0, 1, 3]),
            "noise_std": 0.7,
            "information": "pairwise",
        },
    ),
    "monte_carlo_information": Door(
        rec.monte_carlo_information,
        {
            "chain": CHAIN,
            "sensors": np.array([0, 1, 3]),
            "n_runs": 5,
            "rng": GENERATOR,
            "noise_std": 0.7,
        },
    ),
    "loose_bound": Door(rec.loose_bound, {**SENSED, "information": "pairwise"}, probability),
    "tight_bound": Door(
        rec.tight_bound, {**SENSED, "information": "exact", "form": "kl"}, probability
    ),
    "ball_terms": Door(
        rec.ball_terms, {"chain": CHAIN, "n_epochs": 4, "allowed_errors": 1}, _no_nan
    ),
    "dp_epsilon": Door(
        rec.dp_epsilon,
        {"noise_std": 0.7, "n_epochs": 4, "delta": 0.1, "calibration": "printed"},
        _no_nan,
    ),
    "dp_epsilon, exact": Door(
        lambda **given: rec.dp_epsilon(calibration="exact", **given),
        {"noise_std": 0.7, "n_epochs": 4, "delta": 0.1},
        _no_nan,
    ),
    "moment_bound": Door(rec.moment_bound, SENSED, probability),
    "moment_bounds": Door(
        rec.moment_bounds, {"chain": CHAIN, "sensors": np.array([0, 1, 3])}, probability
    ),
    "moment_ball": Door(
        rec.moment_ball, {"chain": CHAIN, "n_epochs": 4, "allowed_errors": 1}, probability
    ),
    "greedy_runs": Door(
        rec.greedy_runs,
        {"chain": CHAIN, "n_epochs": 4, "n_runs": 3, "rng": GENERATOR, "noise_std": 0.7},
    ),
}


LONG = "x" * 3000
_NOTHING, _NO_COLUMN, _ALONE = np.array([]), np.array([[]]), np.array(1)
_BEYOND = Odd("1e308 in it", _entry(1e308, 0))
# What was once let in, or stumbled over: a door, an argument, what came instead.
REFUSED: list[tuple[str, str, Odd]] = [
    *[("Traces.from_records", role, put(None)) for role in ("user", "time")],
    *[("Traces.from_records", role, put(LONG)) for role in ("user", "time", "roi", "lat", "lon")],
    *[
        ("Traces.from_records", argument, put(value))
        for argument in ("lat", "lon", "time_format")
        for value in (pd.NA, _NOTHING, _NO_COLUMN, sparse.csr_array((2, 2)))
    ],
    *[
        (door, "groups", put(value))
        for value in (_ALONE, np.ma.masked)
        for door in ("aggregate", "aggregate_cells", "release of traces")
    ],
    ("aggregate", "groups", put([[[1], [2, 3]]])),
    *[("split_pools", "sizes", put(value)) for value in (_ALONE, np.array([1, 1], "m8[s]"))],
    *[
        (door, argument, put([[1], [2, 3]]))
        for door, argument in (
            ("split_pools", "users"),
            ("sample_groups", "pool"),
            ("sample_member_groups", "pool"),
        )
    ],
    ("sample_groups", "n_groups", put(2**31)),
    ("sample_member_groups", "n_groups", put(2**63)),
    ("sample_member_groups", "target", put(2**63)),
    ("sample_member_groups", "paired", put(pd.NA)),
    ("Traces.trace", "user", put(np.float16(2))),
    ("FourierPerturbation", "kappa", put(10**400)),
    ("release of counts", "group_size", put(_NO_COLUMN)),
    ("mean_relative_error, bounded", "sanity_bound", put(5e-324)),
    ("optimal_composition", "epsilon", put(1e308)),
    ("two_threshold_distribution", "counts", put([])),
    *[(f"{kind}_groups_task", "observation", put(_NOTHING)) for kind in ("same", "different")],
    *[(f"{kind}, Gaussian", "asked", _BEYOND) for kind in ("LikelihoodRatio", "CorrelatedRatio")],
    ("OneThreshold", "rows", _BEYOND),
    ("TwoThreshold", "cell_fpr", put([])),
    ("KnockKnock, forest", "rows", Odd("5e19 in it", _entry(5e19, 0))),
    ("fit_rates", "epochs_a_day", put(-2)),
    ("TwoThreshold", "cell_fpr", put(_NO_COLUMN)),
    ("ReferenceAttack", "references", _BEYOND),
    ("ReferenceAttack", "trace", _BEYOND),
    ("normal_threshold", "scores", _BEYOND),
    ("ReferenceAttack", "trace", Odd("one axis more", lambda x: np.asarray(x)[None])),
    ("EnhancedFourierPerturbation", "epsilon", put(1e-160)),
    ("ReferenceAttack", "references", Odd("none of it", lambda x: np.asarray(x)[:0])),
    ("shadow_aggregates", "visits", Odd("flat", np.ravel)),
    *[("shadow_aggregates", "trace", Odd(f"{x!r}", _entry(x, 0))) for x in (math.nan, 1e308)],
    ("sparse_logistic", "cost", put(1e308)),
    ("log_compress", "marginal", Odd("5e-324 in it", _entry(5e-324, 0))),
    ("limiting_marginals", "scale", put(1e308)),
    ("synthesize", "coordinates", Odd("as a frame", pd.DataFrame)),
    ("synthesize", "subgraph_size", put(2**31)),
    ("grow_subgraphs", "size", put(2**63)),
    ("max_entropy", "aggregate", Odd("all the same", np.zeros_like)),
    ("privacy_gain of errors", "released_error", _BEYOND),
    ("sample", "n_runs", put(-1)),
    ("greedy_runs", "n_runs", put(-1)),
    *[
        (door, argument, put(LONG))
        for door, argument in (
            ("stream", "seed"),
            ("KnockKnock", "classifier"),
            ("MetaClassifier", "activation"),
            ("shadow_aggregates", "neighbours"),
            ("sparse_logistic", "solver"),
            ("marginals", "inner_activity"),
            ("expected_counts", "rounding"),
            ("ZeroKnowledge", "scorer"),
            ("prior", "kind"),
            ("exact_loss", "estimator"),
            ("loose_bound", "information"),
            ("tight_bound", "form"),
            ("dp_epsilon", "calibration"),
        )
    ],
]
# What is right in an unusual type, and was stumbled over.
TAKEN: list[tuple[str, str, Odd]] = [
    ("LikelihoodRatio", "others", Odd("as objects", _cast("object"))),
    ("CorrelatedRatio", "visits", Odd("as objects", _cast("object"))),
    ("TwoThreshold", "rows", Odd("as truth values", lambda x: np.asarray(x) > 3)),
]


@st.composite
def cases(draw: Any, doors: tuple[str, ...] = tuple(DOORS)) -> tuple[str, dict[str, Odd]]:
    """A door, and what is done to one or two of its arguments."""
    name = draw(st.sampled_from(doors))
    good = DOORS[name].good
    chosen = draw(st.lists(st.sampled_from(list(good)), min_size=1, max_size=2, unique=True))
    return name, {each: draw(odd(good[each])) for each in chosen}


def judge(case: tuple[str, dict[str, Odd]], folder: Path | None = None) -> str:
    name, changes = case
    door = DOORS[name]
    given = {}
    for argument, good in door.good.items():
        value = good.change(None) if isinstance(good, Odd) else good
        if argument in changes:
            try:
                value = changes[argument].change(value)
            except (TypeError, ValueError, OverflowError, IndexError):  # makes no sense of this one
                return "refused"
        given[argument] = value
    return judged(lambda: door.call(**given), door.sane)

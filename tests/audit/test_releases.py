"""Releases: read from mappings, named errors, stated guarantees, bounded visits."""

import math

import numpy as np
import pandas as pd
import pytest

from lib import audit
from lib.audit import releases
from lib.mechanisms import Gaussian, Laplace
from lib.traces import Traces


def records(seed=0, n_users=120, n_rois=6, n_epochs=96, places=2):
    """People who are somewhere every third hour, now and then in two places."""
    rng = np.random.default_rng(seed)
    user, epoch = np.nonzero(rng.random((n_users, n_epochs)) < 0.3)
    user, epoch = np.repeat(user, places), np.repeat(epoch, places)
    roi = rng.integers(0, n_rois, len(user))
    rois = pd.DataFrame({"lat": np.arange(n_rois) % 3 * 1.0, "lon": np.arange(n_rois) // 3 * 1.0})
    epochs = pd.date_range("2024-01-01", periods=n_epochs, freq="1h", tz="UTC")
    return Traces.from_codes(user, roi, epoch, range(n_users), rois, epochs)


TRACES = records()


@pytest.mark.parametrize("name", list(releases.PRESETS))
def test_every_preset_publishes_and_says_what_it_promises(name):
    release = audit.parse({"preset": name})
    rng = np.random.default_rng(1)
    counts = release.publish(TRACES, np.arange(60), rng)
    assert counts.shape == (6, 96)
    assert np.isfinite(counts).all()
    said = release.plan(TRACES).describe()
    assert said["name"] == name
    assert (said["epsilon"] is None) == (release.unit is None)
    assert ("epsilon" in said["words"]) and said["words"].endswith(".")
    again = release.publish(TRACES, np.arange(60), np.random.default_rng(1))
    np.testing.assert_array_equal(counts, again)


def test_the_catalogue_lists_every_preset_and_mechanism():
    listed = {(each["kind"], each["name"]) for each in audit.catalogue()}
    assert listed == {("preset", name) for name in releases.PRESETS} | {
        ("mechanism", name) for name in releases.MECHANISMS
    }
    assert all(each["words"] and "{" not in each["words"] for each in audit.catalogue())


def test_suppression_and_rounding_do_what_their_presets_say():
    counts = np.array([[0, 1, 9, 10, 12, 13, 15, 16]])

    def published(name):
        plan = releases.Plan(audit.parse(name), releases.Shape(1, 8, 8))
        return plan.apply(counts, np.random.default_rng(0), 100)[0].tolist()

    assert published("mds-k10") == [0, 0, 0, 10, 12, 13, 15, 16]
    assert published("flowkit-15") == [0, 0, 0, 0, 0, 0, 0, 16]
    assert published("round-5") == [0, 0, 10, 10, 10, 15, 15, 15]
    assert published("suppress-10-round-5") == [0, 0, 0, 10, 10, 15, 15, 15]


def test_noisy_counts_below_the_threshold_are_hidden():
    plan = releases.Plan(audit.parse("google-mobility"), releases.Shape(1, 4, 4))
    assert plan.without_noise(np.array([98.0, 99.5, 100, 100.5]), 200).tolist() == [
        0,
        0,
        100,
        100.5,
    ]


def test_aggregated_trips_have_the_published_noise_and_threshold():
    plan = releases.Plan(audit.parse("bassolas-2019"), releases.Shape(1, 4, 4))
    assert plan.noise.scale == pytest.approx(1 / 0.66)
    assert (plan.epsilon, plan.unit, plan.cap, plan.threshold) == (0.66, "visit", None, 100)
    noise = plan.noise.apply(np.zeros((20_000, 4)), np.random.default_rng(0), np.asarray(10))
    assert np.abs(noise).mean() == pytest.approx(1 / 0.66, rel=0.02)
    # the printed delta: a flow of one person passes the threshold
    assert np.exp(-0.66 * 99) / 2 == pytest.approx(2.1e-29, rel=0.03)


def test_counts_are_rounded_up_and_at_random():
    counts = np.repeat(np.array([[0, 1, 4, 5]]), 3000, axis=0)

    def published(*steps):
        plan = releases.Plan(audit.parse({"mechanisms": list(steps)}), releases.Shape(1, 4, 4))
        return plan.apply(counts, np.random.default_rng(0), 100)

    up = published({"name": "round-up", "base": 5})
    assert (up == [0, 5, 5, 5]).all()
    rounded = published({"name": "random-round", "base": 3})
    assert set(np.unique(rounded)) == {0, 3, 6}
    np.testing.assert_allclose(rounded.mean(axis=0), [0, 1, 4, 5], atol=0.15)
    hidden = published({"name": "random-round", "base": 3}, {"name": "suppress", "threshold": 6})
    assert set(np.unique(hidden)) == {0, 6}


@pytest.mark.parametrize("unit", ["event", "user-day", "user"])
def test_discrete_noise_keeps_the_same_promise_with_whole_numbers(unit):
    for kind, more in (("laplace", {}), ("gaussian", {"delta": 1e-5})):
        step = {"epsilon": 1.0, **more}
        discrete, continuous = (
            audit.parse({"mechanisms": [{"name": f"{unit}-level-{name}", **step}], **cap})
            for name in (f"discrete-{kind}", kind)
            for cap in ({} if unit == "event" else {"cap": 4},)
        )
        one, other = discrete.plan(TRACES), continuous.plan(TRACES)
        assert (one.epsilon, one.delta, one.unit) == (other.epsilon, other.delta, other.unit)
        assert 1 <= one.noise.scale / other.noise.scale < 1.12
        counts = discrete.publish(TRACES, np.arange(60), np.random.default_rng(0))
        assert (counts == np.rint(counts)).all() and (counts < 0).any()


def test_noise_is_scaled_to_the_most_visits_of_its_unit():
    scale = {}
    for unit, cap in (("event", 1), ("user-day", 24), ("user", 96)):
        given = {"mechanisms": [{"name": f"{unit}-level-laplace", "epsilon": 0.5}]}
        plan = audit.parse(given).plan(TRACES)
        assert isinstance(plan.noise, Laplace)
        scale[unit] = plan.noise.scale
        assert plan.noise.scale == pytest.approx(cap / 0.5)
        assert plan.epsilon == 0.5
    capped = audit.parse({"mechanisms": [{"name": "user-level-laplace", "epsilon": 0.5}], "cap": 7})
    assert capped.plan(TRACES).noise.scale == pytest.approx(14)
    gaussian = audit.parse("gaussian-user-epsilon-1").plan(TRACES).noise
    assert isinstance(gaussian, Gaussian)
    assert gaussian.sensitivity == pytest.approx(math.sqrt(96))
    assert gaussian.delivered_delta == pytest.approx(1e-5, rel=1e-3)


@pytest.mark.parametrize(("name", "cap", "per"), [("user", 10, "user"), ("user-day", 4, "day")])
def test_no_unit_has_more_visits_than_its_cap(name, cap, per):
    release = audit.parse(
        {"mechanisms": [{"name": f"{name}-level-laplace", "epsilon": 1}], "cap": cap}
    )
    bounded = release.plan(TRACES).bound_traces(TRACES, np.random.default_rng(0))
    dense = bounded.matrix.toarray().reshape(120, 6, 96)
    assert dense.sum(axis=1).max() == 1  # one place an epoch
    visits = dense.sum(axis=1)
    most = visits.sum(axis=1) if per == "user" else visits.reshape(120, 4, 24).sum(axis=2)
    assert most.max() == cap
    assert (bounded.matrix.toarray() <= TRACES.matrix.toarray()).all()  # nothing is made up


def test_what_stays_of_a_user_is_a_uniform_choice():
    one = TRACES.select(users=[0])
    cells = one.matrix.indices
    bound = releases.BoundVisits(1, "user")
    rng = np.random.default_rng(3)
    kept = [int(bound.apply_traces(one, rng).matrix.indices[0]) for _ in range(4000)]
    epochs = np.unique(cells % 96)
    seen = np.bincount(np.searchsorted(epochs, np.array(kept) % 96), minlength=len(epochs))
    expected = 4000 / len(epochs)
    assert np.abs(seen - expected).max() < 6 * math.sqrt(expected)


def test_totals_are_of_counts_before_or_after_they_are_hidden():
    members = np.arange(60)
    for totals, hidden_too in (("before-suppression", False), ("after-suppression", True)):
        release = audit.parse({"preset": "mds-k10", "totals": totals})
        published = release.publish_all(TRACES, members, np.random.default_rng(0))
        raw = audit.parse("raw").publish(TRACES, members, np.random.default_rng(0))
        source = published.counts if hidden_too else raw
        np.testing.assert_array_equal(published.by_place, source.sum(axis=1))
        np.testing.assert_array_equal(published.by_hour, source.sum(axis=0))
    assert (
        audit.parse({"preset": "raw"})
        .publish_all(TRACES, members, np.random.default_rng(0))
        .by_place
        is None
    )


WRONG = {
    "no key 'presets'; did you mean 'preset'": {"presets": "raw"},
    "preset: 'mds-k11'; did you mean 'mds-k10'": {"preset": "mds-k11"},
    "neither `preset` nor `mechanisms`": {},
    "both `preset` and `mechanisms`": {"preset": "raw", "mechanisms": []},
    "a list such as": {"mechanisms": []},
    r"mechanisms\[0\].name: 'user-level-laplac'; did you mean 'user-level-laplace'": {
        "mechanisms": [{"name": "user-level-laplac"}]
    },
    r"mechanisms\[0\].epsilon is missing; a number above 0": {
        "mechanisms": [{"name": "user-level-laplace"}]
    },
    r"mechanisms\[0\].epsilon is -1; a number above 0": {
        "mechanisms": [{"name": "user-level-laplace", "epsilon": -1}]
    },
    r"mechanisms\[0\].epsilon is 'one'": {
        "mechanisms": [{"name": "user-level-laplace", "epsilon": "one"}]
    },
    r"mechanisms\[0\].epsilon is nan": {
        "mechanisms": [{"name": "user-level-laplace", "epsilon": math.nan}]
    },
    r"mechanisms\[0\]: suppress has no 'treshold'; did you mean 'threshold'": {
        "mechanisms": [{"name": "suppress", "treshold": 10}]
    },
    r"mechanisms\[0\].threshold is 2.5; a whole number": {
        "mechanisms": [{"name": "suppress", "threshold": 2.5}]
    },
    "'event-level-laplace' stands after 'suppress'; noise has to come first": {
        "mechanisms": [
            {"name": "suppress", "threshold": 10},
            {"name": "event-level-laplace", "epsilon": 1},
        ]
    },
    "noise is added more than once": {
        "mechanisms": [
            {"name": "event-level-laplace", "epsilon": 1},
            {"name": "user-level-laplace", "epsilon": 1},
        ]
    },
    "cap is 0; a whole number of visits from 1": {"preset": "user-epsilon-1", "cap": 0},
    "cap is 3, and none of these mechanisms bounds": {"preset": "raw", "cap": 3},
    "totals: 'before'; did you mean": {"preset": "raw", "totals": "before"},
    "a mapping with a `name`": {"mechanisms": [3]},
    "name: ''": {"preset": "raw", "name": ""},
    "'random-round' stands after 'suppress'; put it first": {
        "mechanisms": [{"name": "suppress", "threshold": 3}, {"name": "random-round", "base": 3}]
    },
    "'random-round' stands after 'event-level-laplace'; put it first": {
        "mechanisms": [
            {"name": "event-level-laplace", "epsilon": 1},
            {"name": "random-round", "base": 3},
        ]
    },
}


@pytest.mark.parametrize("message", list(WRONG))
def test_what_is_wrong_is_named_with_what_would_be_right(message):
    with pytest.raises(ValueError, match=message):
        audit.parse(WRONG[message])


def test_a_release_that_does_not_fit_the_records_says_so():
    with pytest.raises(ValueError, match="kappa is 60; 96 epochs have 49 coefficients"):
        audit.parse({"mechanisms": [{"name": "fpa", "epsilon": 1, "kappa": 60}]}).plan(TRACES)
    with pytest.raises(ValueError, match="no position 120"):
        audit.parse("raw").publish(TRACES, [120], np.random.default_rng(0))

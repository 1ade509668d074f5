"""Threat models: material is labelled, shuffled, and fits every attack."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from lib import metrics, threats
from lib.datasets import load
from lib.mechanisms import Laplace, PostProcess
from lib.membership import KnockKnock, KnockKnockLR, LikelihoodRatio, MetaClassifier, OneThreshold
from lib.membership.game import TargetAbsent, target_position
from lib.traces import Traces

SIX = load("six-users")
DAYS = [range(4), range(4, 8)]


@pytest.fixture(scope="module")
def traces():
    """Sixty users over 9 ROIs and 48 epochs; all repeat their day, user 0 has most visits."""
    rng = np.random.default_rng(0)
    visits = rng.random((60, 9, 48)) < 0.05
    visits[0] |= rng.random((9, 48)) < 0.3
    visits[:, :, 24:] = visits[:, :, :24]
    six = SIX.rois.iloc[:1]
    rois = six.loc[six.index.repeat(9)].reset_index(drop=True)
    rois["lat"], rois["lon"] = np.arange(9) // 3 * 0.1, np.arange(9) % 3 * 0.1
    epochs = pd.date_range("2021-06-01", periods=48, freq="1h", tz="UTC")
    return Traces(visits.reshape(60, -1).astype(int), [f"u{i}" for i in range(60)], rois, epochs)


HALVES = {"epochs": range(24, 48), "past": [range(24)]}
THREATS = {
    "1": partial(threats.ReferencePopulation, n_train=40, n_test=40),
    "2a": partial(threats.SameGroups, n_groups=40, **HALVES),
    "2b": partial(threats.DifferentGroups, n_groups=40, n_test=40, **HALVES),
    "perfect": partial(threats.RawCounts, n_groups=40),
    "ZK": partial(threats.ReleaseOnly, n_traces=60, n_train=40, n_test=40),
    "informed": partial(threats.KnownMembers, mechanism=Laplace(1.0), n_train=40, n_test=40),
}
ATTACKS = [
    OneThreshold(),
    LikelihoodRatio(Laplace(1.0)),
    MetaClassifier(hidden=2, max_epochs=3),
    KnockKnockLR(),
]


@pytest.mark.parametrize("name", THREATS)
def test_material_is_shuffled_and_fits_every_attack(traces, name):
    threat = THREATS[name](traces, 0, 10)
    material = threat.sample(np.random.default_rng(1))
    again = threat.sample(np.random.default_rng(1))
    assert all(np.array_equal(one, other) for one, other in zip(material, again, strict=True))
    for aggregates, members in (material[:2], material[2:]):
        assert len(aggregates) == len(members) == 40
        assert members.sum() == 20 and 0 < members[:20].sum() < 20
    attacks = ATTACKS if name == "informed" else [*ATTACKS, KnockKnock(classifier="LR")]
    for attack in map(clone, attacks):
        attack.fit(material.train, material.train_members)
        scores = attack.decision_function(material.test)
        assert scores.shape == (40,)
        assert attack.n_features_in_ == np.prod(material.test.shape[1:])
        assert set(attack.predict(material.test)) <= {0, 1}
    best = KnockKnockLR().fit(material.train, material.train_members)
    assert metrics.auc(material.test_members, best.decision_function(material.test)) > 0.8


def test_one_layout_gives_the_scores_of_the_other(traces):
    material = THREATS["1"](traces, 0, 10).sample(np.random.default_rng(1))
    flat = material.train.reshape(40, -1), material.test.reshape(40, -1)
    for attack in (*ATTACKS, KnockKnock(9, 48, classifier="LR")):
        one = clone(attack).fit(material.train, material.train_members)
        other = clone(attack).fit(flat[0], material.train_members)
        assert np.array_equal(
            one.decision_function(material.test), other.decision_function(flat[1])
        )


def test_who_knows_the_mechanism_trains_on_protected_counts(traces):
    threat = partial(THREATS["1"], traces, 0, 10, [Laplace(0.5), PostProcess()])
    raw = THREATS["1"](traces, 0, 10).sample(np.random.default_rng(1))
    passive = threat(False).sample(np.random.default_rng(1))
    strategic = threat(True).sample(np.random.default_rng(1))
    assert sorted(passive.train.sum(axis=(1, 2))) == sorted(raw.train.sum(axis=(1, 2)))
    assert sorted(strategic.train.sum(axis=(1, 2))) != sorted(raw.train.sum(axis=(1, 2)))


def test_threats_say_what_is_known_and_how_plausible_it_is(traces):
    known = {name: make(traces, 0, 10) for name, make in THREATS.items()}
    assert [name for name, each in known.items() if not each.plausible] == ["perfect", "informed"]
    assert known["ZK"].describe() == (
        "An attacker who knows the target's visits and where the places are asks: was the target "
        "among those who were counted?"
    )
    words = threats.threat("everybody else", "membership")
    assert words.describe() == known["informed"].describe() and not words.plausible
    some = THREATS["informed"](traces, 0, 10, known_share=0.3)
    assert some.knowledge == threats.KNOWLEDGE["some others"]


def test_a_target_is_found_by_id_and_missed_if_absent(traces):
    assert target_position(SIX, "Dan") == 3
    with pytest.raises(ValueError, match="no user 'Gus' among 6 users"):
        target_position(SIX, "Gus")
    later = traces.matrix.toarray() * (np.arange(9 * 48) % 48 >= 24)
    absent = Traces(later, traces.users, traces.rois, traces.epochs)
    threat = threats.ReferencePopulation(absent, 0, 10, epochs=range(24))
    with pytest.raises(TargetAbsent, match="seen nowhere"):
        threat.sample(np.random.default_rng(0))

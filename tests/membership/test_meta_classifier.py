"""Networks built by hand are the rules; a learned one is fast, repeatable and read by a number."""

import numpy as np
import pytest

from lib import membership
from lib.mechanisms import Laplace
from lib.membership import meta_classifier as mc
from lib.membership import shadows

LAPLACE = Laplace(0.5)


def informed(n, cells=8, seed=0, epsilon=0.5):
    nobody = np.zeros((50, cells), np.uint8)
    rng = np.random.default_rng(seed)
    return shadows.shadow_aggregates(nobody, n, 40, Laplace(epsilon), rng, theta=1.0)


def test_theorem_4_is_the_one_threshold_rule():
    values, _ = informed(2000)
    network = mc.one_threshold_network(8, 4.0, a=1e4, b=1e4)
    np.testing.assert_array_equal(network.logit(values) >= 0, values.sum(axis=1) >= 4)
    soft = mc.one_threshold_network(8, 4.0, a=1.0, b=1.0)
    far = abs(values.sum(axis=1) - 4) > 1e-3
    np.testing.assert_array_equal((soft.logit(values) >= 0)[far], (values.sum(1) >= 4)[far])


def test_theorem_5_is_the_two_threshold_rule():
    values, _ = informed(2000)
    at = np.linspace(0, 1, 8)
    for needed in (3, 4, 5):
        network = mc.two_threshold_network(at, needed, a=1e5, b=50.0)
        rule = (values >= at).sum(axis=1) >= needed
        np.testing.assert_array_equal(network.logit(values) >= 0, rule)
        assert abs(network.probability(values) - rule).max() < 1e-6


def test_larger_scales_come_nearer_to_the_step():
    values, _ = informed(4000)
    step = values.sum(axis=1) >= 4
    losses = []
    for scale in (0.1, 1.0, 10.0):
        p = mc.one_threshold_network(8, 4.0, scale, 20 * scale).probability(values)
        losses.append(-np.log(np.where(step, p, 1 - p)).mean())
    assert losses[0] > losses[1] > losses[2]


def test_the_numbers_tell_the_two_rules_apart():
    one = mc.one_threshold_network(8, 4.0, 1.0, 1.0)
    two = mc.two_threshold_network(np.full(8, 0.5), 4, 1.0, 1.0)
    assert mc.concentration(one) == pytest.approx(1 / 8)
    assert mc.concentration(two) == pytest.approx(1)
    assert mc.alignment(one) == pytest.approx(1)
    assert mc.alignment(two) == pytest.approx(1 / np.sqrt(8))
    assert mc.opposite_biases(two) == pytest.approx(1)
    turned = two._replace(weights=two.weights[:, ::-1], biases=two.biases[::-1])
    assert mc.concentration(turned) == pytest.approx(1)
    idle = two._replace(output=np.append(np.ones(7), 0.0))
    assert mc.importance(idle)[-1] == 0 and mc.importance(idle).sum() == pytest.approx(1)


@pytest.mark.parametrize("activation", mc.ACTIVATIONS)
def test_it_learns_and_its_network_is_in_units_of_the_inputs(activation):
    values, members = informed(2000, epsilon=2)
    fresh, fresh_members = informed(4000, seed=1, epsilon=2)
    attack = membership.MetaClassifier(activation=activation, max_epochs=30).fit(values, members)
    one = membership.OneThreshold().fit(values, members)
    reached, rule = ((each.predict(fresh) == fresh_members).mean() for each in (attack, one))
    assert reached > 0.9 and rule > 0.95
    np.testing.assert_array_equal(attack.decision_function(fresh), attack.network_.logit(fresh))
    moved = membership.MetaClassifier(activation=activation, max_epochs=30)
    moved.fit(5 * values + 100, members)
    agree = (moved.predict(5 * fresh + 100) == attack.predict(fresh)).mean()
    assert agree > 0.98  # standardised: up to rounding the same training


def test_it_has_as_many_nodes_as_cells_or_as_asked_for_and_repeats_itself():
    values, members = informed(400)
    first, again = (membership.MetaClassifier(max_epochs=3).fit(values, members) for _ in "ab")
    assert first.network_.weights.shape == (8, 8)
    np.testing.assert_array_equal(first.network_.weights, again.network_.weights)
    wide = membership.MetaClassifier(hidden=100, max_epochs=2).fit(values, members)
    assert wide.network_.weights.shape == (8, 100)
    cut = membership.MetaClassifier(cells=[0, 5], max_epochs=2).fit(values, members)
    assert cut.network_.weights.shape == (2, 2) and len(cut.predict(values)) == 400


def test_it_stops_after_passes_without_progress_and_keeps_the_best():
    values, members = informed(2000)
    attack = membership.MetaClassifier(max_epochs=50, patience=3)
    attack.fit(values, 1 - members, validation=informed(300, seed=2))  # taught the opposite
    assert attack.epochs_ < 50 and len(attack.losses_) == attack.epochs_
    assert np.argmin(attack.losses_) == attack.epochs_ - 4
    held, held_members = informed(300, seed=2)
    sign = np.where(held_members == 1, -1, 1)
    kept = np.logaddexp(0, sign * attack.decision_function(held)).mean()
    assert kept == pytest.approx(min(attack.losses_), rel=1e-5)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"hidden": 0}, "hidden is 0"),
        ({"max_epochs": 0}, "max_epochs is 0"),
        ({"patience": 0}, "patience is 0"),
        ({"activation": "step"}, "activation is 'step'"),
        ({"cells": [9]}, "no cell 9"),
    ],
)
def test_bad_input_is_named(options, named):
    with pytest.raises(ValueError, match=named):
        membership.MetaClassifier(**options).fit(*informed(20))


def test_one_row_of_a_class_cannot_be_learnt_from_and_stopped_by():
    values, _ = informed(4)
    with pytest.raises(ValueError, match="1 row of 1"):
        membership.MetaClassifier().fit(values, np.array([1, 0, 0, 0]))
    with pytest.raises(ValueError, match="not finite"):
        membership.MetaClassifier().fit(np.full((4, 2), np.nan), np.array([1, 1, 0, 0]))


def test_a_network_that_no_memory_holds_is_refused_with_the_two_ways_out():
    aggregates = np.zeros((4, 40_000))
    with pytest.raises(ValueError, match=r"40,000 cells and 40,000 hidden .* cells=.* hidden="):
        membership.MetaClassifier().fit(aggregates, [0, 1, 0, 1])

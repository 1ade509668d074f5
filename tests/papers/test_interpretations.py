"""Readings of what a paper leaves open: judged on all its numbers, and beside luck."""

from dataclasses import replace

import numpy as np
import pytest

from lib import metrics
from lib.datasets import load
from lib.membership.knock_knock import score_classifiers
from lib.papers import claims, interpretations
from lib.papers.claims import Finding
from lib.papers.knock_knock import defense_experiments as defenses
from lib.papers.knock_knock import experiments as kk
from lib.papers.knock_knock import interpretation_experiments
from lib.papers.predicates import Estimate
from lib.randomness import stream

CAB = "cabspotting"
MOVES = "crowd-fig1-sfc-prof-max-roi-freq-roi-err"
STAYS = "crowd-fig1-sfc-prof-prior-freq-roi-err"


def made(name, value):
    return Finding(name, Estimate(value), CAB, "crowd-profiling", claims.unexplained())


@pytest.fixture
def under():
    """Three readings, of which the last meets one number more."""
    published = {name: claims.claim(name).value[0] for name in (MOVES, STAYS)}
    off = published | {MOVES: published[MOVES] + 0.2}
    nearer = published | {MOVES: published[MOVES] + 0.1}
    each = {"literal": off, "nearer": nearer, "right": published}
    return {
        reading: {name: made(name, value) for name, value in values.items()}
        for reading, values in each.items()
    }


def test_the_reading_that_meets_most_is_first_and_then_the_nearest(under):
    table = interpretations.rank_interpretations(under)
    assert table.index.tolist() == ["right", "nearer", "literal"]
    assert table["met"].tolist() == [2, 1, 1]
    assert table.loc["literal", ["met, of those that move", "that move"]].tolist() == [0, 1]
    assert table.loc["literal", "mean difference"] == pytest.approx(0.1)


def test_luck_is_that_of_numbers_dealt_out_anew_among_their_kind(under):
    luck = interpretations.permutation_baseline(under, lambda claim: claim.quantity)
    assert luck["best, mean"] == 1  # one number of its kind is dealt to itself
    assert luck["any, mean"] == pytest.approx(1 / 3)


def test_luck_has_the_error_of_each_reading_not_of_the_literal_one(under):
    wide = {
        name: replace(each, here=Estimate(each.here.value, 1.0))
        for name, each in under["literal"].items()
    }
    dealt = under | {"literal": wide}
    luck = interpretations.permutation_baseline(dealt, lambda claim: claim.quantity)
    assert luck["any, mean"] == pytest.approx(2 / 3)  # the literal one now meets it too


def test_only_findings_of_that_data_alone_get_a_named_interpretation(under):
    literal, named = under["literal"], under["right"]
    both = [literal[MOVES], made(STAYS, 0.1)]
    found = list(interpretations.with_named(both, {MOVES: named[MOVES]}, CAB))
    assert found[0].named is named[MOVES]
    assert found[0].note == "under the best-fitting interpretation it is 0.71"
    assert found[1].named is None
    assert list(interpretations.with_named(both, named, "commuters")) == both


# -- scores of Knock-Knock's classifiers -----------------------------------------------------------


@pytest.fixture(scope="module")
def flights():
    return load("flights-by-tail")


@pytest.fixture(scope="module")
def rows(flights):
    target = kk.targets(flights, 1)[0]
    played = ((kk.PRIORS[0], 20), (kk.PRIORS[0], 100_000))
    return target, interpretation_experiments.readings(
        {"flights-by-tail": flights},
        units={"flights-by-tail": [target]},
        played=played,
        n_train=40,
        n_test=40,
    )


def test_a_margin_is_scored_as_in_the_games_and_sizes_that_cannot_be_are_left_out(flights, rows):
    target, found = rows
    assert found["group size"].unique().tolist() == [20]
    rng = stream(2018, "kk-games", "flights-by-tail", target, kk.PRIORS[0], 20)
    game = kk.task(flights, target, kk.PRIORS[0], 20, rng, n_train=40, n_test=40)
    scores = score_classifiers(game, rng, ["LR", "MLP"])
    margin = found.set_index("score").loc["the margin"]
    assert margin["LR"] == metrics.auc(game.test_members, scores["LR"])
    probability = found.set_index("score").loc["the probability of in"]
    assert probability["MLP"] == pytest.approx(metrics.auc(game.test_members, scores["MLP"]))


def test_scores_tie_where_double_precision_does():
    margins = np.array([-50.0, -40.0, 0.0, 40.0, 50.0])
    ties = {
        name: len(np.unique(read(margins)))
        for name, read in interpretation_experiments.READINGS.items()
    }
    assert ties == {
        "the margin": 5,
        "the probability of in": 4,
        "the probability of out": 3,
        "the probability of in, to 8 digits": 3,
        "the label": 2,
    }
    for read in interpretation_experiments.READINGS.values():
        assert (np.diff(read(margins)) >= 0).all()


# -- errors ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def errors(flights):
    week = {"flights-by-tail": defenses.first_week(flights)}
    sizes = {"n_releases": 2, "group_size": 50, "epsilons": (1.0,)}
    rows = interpretation_experiments.error_readings(week, **sizes)
    return rows, defenses.errors(week, catalogues=("printed",), **sizes)


def test_the_literal_errors_are_those_of_the_kept_experiment(errors):
    found, kept = errors
    literal = found[(found["division"] == "true") & (found["within"] == "the group's size")]
    kept = kept[kept["counts"] == "clipped"]
    for bound in defenses.BOUNDS:
        assert literal[bound].to_numpy() == pytest.approx(kept[bound].to_numpy(), rel=1e-12)


def test_dividing_whole_numbers_makes_errors_smaller_and_more_room_makes_them_larger(errors):
    found = errors[0].set_index(["mechanism", "ε", "release", "within", "division"])
    bounds = found[list(interpretation_experiments.BOUNDS)]
    whole, true = (bounds.xs(each, level="division") for each in ("whole numbers", "true"))
    assert (whole < true).all(axis=None)
    group, everybody = (
        bounds.xs(each, level="within") for each in interpretation_experiments.WITHIN
    )
    assert (group <= everybody).all(axis=None)
    assert (group < everybody).any(axis=None)

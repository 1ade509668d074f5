"""Attacks found by a search: features by their definition, fair searches, and chance level."""

from math import sqrt

import numpy as np
import pandas as pd
import pytest

from lib.audit.games import Game
from lib.audit.releases import parse
from lib.datasets import load
from lib.papers.audit import search_experiments as searching
from lib.papers.audit.search_experiments import FEATURES, Rule, Usual
from lib.randomness import stream

CELLS, N_EPOCHS = np.array([0, 3, 5, 11]), 4  # three zones; first, last and inner epochs


@pytest.fixture(scope="module")
def game():
    """Raw counts of commuters."""
    commuters = load("commuters")
    week = commuters.select(users=commuters.users[:120], epochs=slice(0, 72))
    return Game(week, parse("raw"), 1, quick=True)


def test_features_are_sums_over_cells_of_transformed_and_weighted_counts():
    rng = stream(1, "features")
    published = rng.poisson(3.0, (12, 7)).astype(float)
    mean, var, effect, in_use = rng.random((4, 4)) * 2
    usual = Usual(*(each[:, None] for each in (mean, var, effect, in_use)))
    found = searching.features(published, CELLS, usual, N_EPOCHS)
    assert found.shape == (len(FEATURES), 7)
    for release in range(7):
        sums = {("count", "1"): 0.0, ("count above usual", "1 / variance"): 0.0}
        sums[("count - neighbouring hours", "1 / sd")] = 0.0
        for i, cell in enumerate(CELLS):
            count = published[cell, release]
            before = published[cell - 1 if cell % N_EPOCHS else cell + 1, release]
            after = published[cell + 1 if cell % N_EPOCHS < N_EPOCHS - 1 else cell - 1, release]
            sums[("count", "1")] += count
            sums[("count above usual", "1 / variance")] += (count > mean[i]) / (var[i] + 0.05)
            near = count - (before + after) / 2
            sums[("count - neighbouring hours", "1 / sd")] += near / sqrt(var[i] + 0.05)
        for name, expected in sums.items():
            assert found[FEATURES.index(name), release] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("evolve", [True, False])
def test_each_search_tries_the_same_number_of_rules_and_returns_the_best(evolve):
    tried = []

    def quality(rule: Rule) -> float:
        tried.append(-sum(abs(i - 10) for i, _ in rule.terms) / len(rule.terms))
        return tried[-1]

    rule, value = searching.search(quality, 150, stream(1, "search"), evolve)
    assert len(tried) == 150
    assert value == max(tried) == quality(rule)


def test_evolution_climbs_where_good_rules_are_alike():
    def quality(rule: Rule) -> float:  # four right features, which are rarely drawn together
        return sum({3: 1.0, 17: 1.0, 40: 1.0, 62: 1.0}.get(i, -1.0) for i, _ in rule.terms)

    found = {
        evolve: [searching.search(quality, 1500, stream(n, "climb"), evolve)[1] for n in range(5)]
        for evolve in (True, False)
    }
    assert np.mean(found[True]) > np.mean(found[False]) + 1


def test_children_are_rules():
    rng = stream(1, "children")
    rules = [searching.random_rule(rng) for _ in range(30)]
    for _ in range(300):
        one, other = (rules[int(i)] for i in rng.integers(len(rules), size=2))
        rule = searching.child(one, other, rng)
        numbers = [i for i, _ in rule.terms]
        assert 1 <= len(numbers) == len(set(numbers)) <= searching.MOST_TERMS
        assert rule.compared in searching.COMPARED
        rules[int(rng.integers(len(rules)))] = rule


@pytest.mark.parametrize("knowledge", list(searching.BY_HAND))
def test_members_are_those_whose_counts_are_higher(game, knowledge):
    learnt, attacked = searching.materials(game, game.targets[:20], knowledge)
    plain = FEATURES.index(("count", "1"))
    for each in (learnt, attacked):
        assert each.values.shape[:2] == (len(FEATURES), 20)
        for person in range(20):
            sums, inside = each.values[plain, person], each.members[person]
            assert sums[inside].mean() > sums[~inside].mean()
    published = game.test.published
    cells = game.traces.matrix[[game.targets[0]]].indices
    expected = published[cells].sum(axis=0)
    np.testing.assert_allclose(attacked.values[plain, 0], expected, rtol=1e-5)


def test_a_rule_that_is_found_identifies_nobody_who_was_not_counted(game):
    rows = pd.DataFrame(
        searching.attacks_by_search.function(
            game.traces, ("raw", "everybody's traces"), n_targets=40, n_rules=120, n_searches=1
        )
    )
    found = rows.groupby("attack")[["identified", "control"]].mean()
    assert abs(found.loc["evolution", "control"] - 0.5) < 0.1
    assert found.loc["evolution", "identified"] > found.loc["sum", "identified"]


def test_differences_are_paired_by_target():
    rates = {"evolution": [0.5, 0.7], "random search": [0.4, 0.6], "sum": [0.1, 0.2]}
    rates["likelihood ratio"] = [0.6, 0.8]
    rows = pd.DataFrame(
        {"attack": name, "number": n, "identified": rate}
        for name, each in rates.items()
        for n, rate in enumerate(each)
    ).assign(knowledge="other people's traces", release="raw")
    table = searching.compare(rows).loc[("other people's traces", "raw")]
    assert table["best by hand"] == "likelihood ratio"
    assert table["evolution - best by hand"] == "-0.100 [-0.100, -0.100]"
    assert table["evolution - random search"] == "+0.100 [+0.100, +0.100]"

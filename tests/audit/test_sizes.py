"""The three evaluations by size agree with the audit's own, and only the threshold differs."""

import numpy as np
import pytest

from lib.audit import parse
from lib.audit.attacks import evaluate_members
from lib.audit.games import Game
from lib.audit.membership import likelihood_ratio_other_people
from lib.datasets import load
from lib.papers.audit import size_experiments
from lib.papers.audit.experiments import sample_group


@pytest.fixture(scope="module")
def flights():
    return load("flights-by-number")


@pytest.mark.parametrize("release", size_experiments.RELEASES)
def test_together_and_full_size_are_the_audits(flights, release):
    rows = size_experiments.sizes.function(flights, (release, 0), n_users=150)
    found = {row["evaluation"]: row["identified"] for row in rows}
    assert list(found) == list(size_experiments.EVALUATIONS)
    game = Game(sample_group(flights, 150, 2018), parse(release), 2018, quick=True)
    people = np.concatenate([game.targets, game.controls])
    scores = likelihood_ratio_other_people(game, people)
    measured = evaluate_members(game, scores, slice(len(game.targets)))
    assert found["together"] == pytest.approx(measured["TPR at 1.0% FPR"].value)
    assert found["full size"] == pytest.approx(measured["TPR at 1.0% FPR, full size"].value)
    assert 0 <= found["alone"] <= 1


def test_another_division_has_other_people(flights):
    shares = [
        [row["identified"] for row in size_experiments.sizes.function(flights, unit, n_users=150)]
        for unit in (("event-epsilon-1", 0), ("event-epsilon-1", 1), ("event-epsilon-1", 0))
    ]
    assert shares[0] == shares[2]
    assert shares[0] != shares[1]


def test_a_table_counts_divisions_from_one():
    table = size_experiments.size_table(size_experiments.sizes.stored("flights-by-number"))
    assert list(table.columns) == ["smaller, together", "smaller, each alone", "full size"]
    assert list(table.loc["mds-k10"].index) == [1, 2, 3, 4, 5]

"""What is asked for, fitted to few users: nothing else where all is possible, and a sentence."""

import numpy as np
import pytest

from lib.datasets import load
from lib.membership.game import sample_distinct_groups
from lib.papers import fitting
from lib.papers.threshold_attacks.experiments import Scenario
from tests.data import walkers

KK = {
    "subset_sizes": [10, 5],
    "past_sizes": [10, 50],
    "middle": 10,
    "length_size": 20,
    "n_per_third": 2,
    "n_train": 20,
    "n_test": 20,
    "beta_same": 20,
    "beta_different": 20,
}
NOISE = {"group_size": 50, "n_groups": 20, "n_per_third": 2}


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    return {
        days: walkers(tmp_path_factory.mktemp("days"), n_users=60, days=days) for days in (7, 14)
    }


@pytest.fixture(scope="module")
def people(cards):
    return {"walkers": load(str(cards[14]))}


def test_ones_own_data_are_called_by_their_file_and_a_sentence_says_what_is_not_known(capsys):
    found = fitting.display_names(["flights-by-tail", "../mine/walkers.yml"])
    assert found == {"flights-by-tail": "flights-by-tail", "walkers": "../mine/walkers.yml"}
    said = capsys.readouterr().out
    assert said.startswith("walkers: your own data. No paper has published numbers")
    assert said.count("\n") == 1


@pytest.mark.parametrize(("pool", "n"), [(3, 3), (4, 6), (5, 4), (120, 60)])
def test_groups_are_called_distinct_just_where_they_can_be_drawn(pool, n):
    for size in range(1, pool + 2):
        try:
            sample_distinct_groups(np.arange(pool), pool, 2 * n, size, np.random.default_rng(0))
            drawn = True
        except ValueError:
            drawn = False
        assert fitting.distinct(size, (pool, n)) == drawn


def test_what_is_possible_is_played_as_asked_for_and_nothing_is_said(people, capsys):
    found = fitting.knock_knock(people, alphas={"walkers": 0.5}, **KK)["walkers"]
    assert found == {"alpha": 0.5} | {name: KK[name] for name in list(KK)[:5]}
    found = fitting.defenses(people, **NOISE)["walkers"]
    assert found == {"group_size": 50, "n_per_third": 2}
    assert fitting.foundations(people, [30, 59]) == [30, 59]
    assert fitting.zero_knowledge(people, 5) == {"walkers": 5}
    assert fitting.lasting(people, "7D") == people
    assert capsys.readouterr().out == ""


def test_what_is_not_possible_is_said_and_the_nearest_is_played(people, capsys):
    many = KK | {"subset_sizes": [500, 10], "past_sizes": [300], "middle": 1, "length_size": 999}
    found = fitting.knock_knock(people, alphas={}, **many | {"n_per_third": 50})["walkers"]
    assert found["subset_sizes"] == [10]
    assert found["past_sizes"] == [58]  # of 59 others: in 59 ways
    assert 2 < found["middle"] < found["length_size"] < 60
    assert found["n_per_third"] == 20
    said = capsys.readouterr().out
    for words in (
        "groups of 500 are left out (subset_sizes)",
        "groups of 58 instead of 300",
        "instead of 1 (middle)",
        "20 targets in each third instead of 50",
    ):
        assert words in said
    assert fitting.foundations(people, [100, 10]) == [10]
    assert "walkers: groups of 100 are left out (group_sizes)" in capsys.readouterr().out
    assert fitting.lasting(people, "27D") == {}
    assert "nothing can be said about what its users repeat" in capsys.readouterr().out
    assert fitting.zero_knowledge(people, 100) == {"walkers": 60}
    of = {"walkers": {"n_reference": 30}}
    assert fitting.sizes(people, [100], of)["walkers"]["sizes"] == [29]


def test_scenes_have_groups_no_larger_than_a_pool(people, capsys):
    scenario = Scenario(people["walkers"], "walkers", "walkers", group_size=1999, runs=2)
    assert fitting.scenes({"walkers": scenario})["walkers"].group_size == 14
    assert "14 others in a group instead of 1999" in capsys.readouterr().out
    with pytest.raises(ValueError, match=r"walkers has 60 users; at least 80.*runs is 40"):
        fitting.scenes({"walkers": Scenario(people["walkers"], "walkers", "walkers", runs=40)})


def test_too_few_weeks_users_or_places_are_refused_with_what_is_needed(cards, people):
    week = {"walkers": load(str(cards[7]))}
    with pytest.raises(ValueError, match=r"walkers has 168 hours; Knock-Knock .* needs 336"):
        fitting.knock_knock(week, alphas={}, **KK)
    assert fitting.defenses(week, **NOISE)
    days = {"walkers": load(str(cards[7]), epoch="1D")}
    with pytest.raises(
        ValueError, match=r"walkers has epochs of 1 days .*; a week's release needs"
    ):
        fitting.defenses(days, **NOISE)
    with pytest.raises(
        ValueError, match=r"walkers: subset_sizes .* with so few users, groups of no size"
    ):
        fitting.knock_knock(people, alphas={"walkers": 0.05}, **KK)
    few = {"walkers": people["walkers"].select(users=people["walkers"].users[:5])}
    with pytest.raises(ValueError, match="walkers has 5 users with four visits"):
        fitting.defenses(few, **NOISE | {"group_size": 3, "n_groups": 2})
    line = people["walkers"].select(rois=people["walkers"].rois.index[:2])
    with pytest.raises(ValueError, match="walkers: its places are too few, or in a line"):
        fitting.zero_knowledge({"walkers": line}, 2)

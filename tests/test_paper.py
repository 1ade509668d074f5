"""Kept results of the larger runs: a random handful of their games, replayed, must be the same."""

import numpy as np
import pandas as pd
import pytest
import yaml

from lib import execution
from lib.datasets import load
from lib.membership import game
from lib.membership.trials import attack, trial_rng
from tests.data import FOLDER, needed

KEPT = execution.PAPER / "knock_knock"
PRIORS = ["1 subset", "2a same groups", "2b different groups"]
QUICK = ["LR", "kNN"]  # the exact ones; RF and MLP would take most of the time
SAME = 1e-3  # of an AUC: two of 50 x 50 pairs, which another processor may order otherwise
HANDFUL = 3
PAPER = {"n_train": 400, "beta_same": 150, "beta_different": 300}


def played(traces, name, row, values, classifiers=QUICK):
    """The AUC of each classifier in one game of the chapter."""
    prior, size, target = row["prior"], int(row["group size"]), int(row["target"])
    weeks = [range(start, start + 168) for start in range(0, traces.n_epochs - 167, 168)]
    rng = trial_rng(values["seed"], target, PRIORS.index(prior), size)
    values = values | (PAPER if name in values["paper_scale"] else {})
    if prior == "1 subset":
        alpha = values["alphas"].get(name, 0.3)
        numbers = {"n_train": values["n_train"], "n_test": values["n_test"]}
        task = game.subset_task(traces, target, alpha, size, weeks[0], rng, **numbers)
    elif prior == "2a same groups":
        beta = values["beta_same"]
        task = game.same_groups_task(traces, target, beta, size, weeks[-1], weeks[:-1], rng)
    else:
        beta, n_test = values["beta_different"], values["n_test"]
        task = game.different_groups_task(
            traces, target, beta, size, weeks[-1], weeks[:-1], rng, n_test
        )
    return {each["classifier"]: each["AUC"] for each in attack(task, rng, classifiers)}


VALUES = yaml.safe_load((KEPT / "parameters.yml").read_text())
COUNTS_NULL = ("cabspotting", "commuters", "cabs")
FILES = {"cabspotting": "cabspottingdata.tar.xz"}


def datasets():
    """The kept run's datasets, each skipped where its file is missing."""
    for name in VALUES["datasets"]:
        yield pytest.param(name, marks=needed(FILES[name]) if name in FILES else ())


@pytest.mark.parametrize("name", list(datasets()))
def test_games_of_the_knock_knock_chapter_are_the_same_again(name):
    games = pd.read_csv(KEPT / "tables" / "games.csv")
    games = games[(games["data"] == name) & (games["group size"] <= 100)]
    assert len(games)
    options = {"path": FOLDER / FILES[name]} if name in FILES else {}
    traces = load(name, **options, **({"null": True} if name in COUNTS_NULL else {}))
    for _, row in games.sample(HANDFUL, random_state=np.random.default_rng()).iterrows():
        for classifier, auc in played(traces, name, row, VALUES).items():
            if classifier in QUICK:
                assert auc == pytest.approx(row[classifier], abs=SAME), row.to_dict()


PERIODS = {"Monday": (0, 24), "Saturday": (120, 24), "Saturday 8-16h": (128, 8)}
NETWORK = 0.03  # of an AUC: a network's sums end elsewhere on another processor


@needed(FILES["cabspotting"])
@pytest.mark.parametrize(("table", "behind"), [("length-games", 7), ("length-games-utc", 0)])
def test_shorter_releases_of_the_cabs_are_the_same_again(table, behind):
    games = pd.read_csv(KEPT / "tables" / f"{table}.csv").query("data == 'cabspotting'")
    target = int(np.random.default_rng().choice(games["target"]))
    games = games[games["target"] == target].set_index("period")["AUC"]
    traces = load("cabspotting", path=FOLDER / FILES["cabspotting"], null=True)
    for period, (start, length) in PERIODS.items():  # one alone may agree by chance
        first = [week + start + behind for week in range(0, traces.n_epochs - 167, 168)]
        *past, last = [range(hour, hour + length) for hour in first]
        rng = trial_rng(VALUES["seed"], target, 10, start, length)
        size = VALUES["length_size"]["cabspotting"]
        task = game.same_groups_task(traces, target, PAPER["beta_same"], size, last, past, rng)
        auc = attack(task, rng, ["MLP"])[0]["AUC"]
        assert auc == pytest.approx(games[period], abs=NETWORK), (target, period)

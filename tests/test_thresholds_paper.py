"""Kept results of the larger run of the threshold attacks: a random game again, from its seed."""

import numpy as np
import pandas as pd
import pytest
import yaml

from lib import execution, membership, metrics
from lib.datasets import load
from lib.mechanisms import Laplace
from lib.membership import shadows
from lib.membership.trials import trial_rng

KEPT = execution.PAPER / "thresholds"
VALUES = yaml.safe_load((KEPT / "parameters.yml").read_text())
ATTACKS = {"one-threshold": membership.OneThreshold, "two-threshold": membership.TwoThreshold}
SAME = 1e-4  # five of 50,000 test aggregates


def test_a_game_of_the_informed_attacker_is_the_same_again():
    keys = ["noise", "attacker", "shadows", "cells", "attack", "run"]
    games = pd.read_csv(KEPT / "tables" / "games.csv").set_index(keys).sort_index()
    few, name = min(VALUES["n_shadows"]), VALUES["datasets"][0]
    n, run = max(VALUES["n_positive"]), int(np.random.default_rng().integers(VALUES["runs"]))
    traces = shadows.clip_visits(load(name), VALUES["most_visits"], trial_rng(VALUES["seed"], 2, 0))
    enough = np.flatnonzero(traces.visits().to_numpy() >= n)
    target = int(trial_rng(VALUES["seed"], 3).choice(enough, VALUES["runs"], replace=False)[run])

    rng = trial_rng(VALUES["seed"], 4, 0, 0, 1, run)  # dataset, Laplace, informed
    pools = shadows.split_users(traces, target, rng)
    cells = shadows.positive_cells(traces, target, n, rng)
    other = int(rng.choice(pools.auxiliary))
    columns = np.r_[cells, np.setdiff1d(traces.matrix[[other]].indices, cells)]
    trace = np.repeat([1, 0], [n, len(columns) - n])

    def draw(pool, number):
        visits = shadows.visits_at(traces, pool, columns)
        size, mechanism = VALUES["group_size"], Laplace(VALUES["epsilon"])
        return shadows.shadow_aggregates(visits, number, size, mechanism, rng, 1.0, trace)

    values, members = draw(pools.target, VALUES["n_test"])
    train = draw(pools.auxiliary, few)
    for attack, kind in ATTACKS.items():
        scores = kind(np.arange(n)).fit(*train).decision_function(values)
        row = games.loc[("Laplace", "informed", few, n, attack, run)]
        assert ((scores >= 0) == members).mean() == pytest.approx(row["accuracy"], abs=SAME), run
        assert metrics.auc(members, scores) == pytest.approx(row["AUC"], abs=SAME), run

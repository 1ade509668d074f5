"""Kept results of the larger run of the foundations: a random game of all targets again."""

import numpy as np
import pandas as pd
import pytest
import yaml

from lib import execution, metrics
from lib.aggregation import aggregate_cells, sample_member_groups
from lib.datasets import load
from lib.mechanisms import Laplace, release

KEPT = execution.PAPER / "foundations"
VALUES = yaml.safe_load((KEPT / "parameters.yml").read_text())
SAME = 1e-9


@pytest.mark.parametrize("name", ["flights-by-number", "flights-by-tail"])
def test_the_sum_attack_reaches_the_same_again(name):
    traces, chosen = load(name), np.random.default_rng()
    size, kind = int(chosen.choice(VALUES["group_sizes"])), str(chosen.choice(["raw", "noisy"]))
    middle = sorted(VALUES["epsilons"])[len(VALUES["epsilons"]) // 2]
    mechanisms = [Laplace(middle)] if kind == "noisy" else []
    movers = np.flatnonzero(traces.visits() > 0)
    targets = np.random.default_rng(VALUES["seed"]).choice(
        movers, VALUES["n_targets"], replace=False
    )
    aucs = []
    for target, stream in zip(
        targets, np.random.SeedSequence([VALUES["seed"], 1]).spawn(len(targets)), strict=True
    ):
        rng = np.random.default_rng(stream)
        groups, members = sample_member_groups(
            np.arange(traces.n_users), target, VALUES["n_groups"], size, rng
        )
        counts = aggregate_cells(traces, groups, traces.matrix[[target]].indices)
        scores = release(counts, mechanisms, rng, size).sum(axis=1)
        aucs.append(metrics.auc(members, scores))
    kept = pd.read_csv(KEPT / "tables" / "sum-attack.csv", index_col=[0, 1, 2])
    assert np.mean(aucs) == pytest.approx(kept.loc[(name, kind, size), "mean"], abs=SAME)

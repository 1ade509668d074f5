"""Kept results of the larger run without auxiliary knowledge: a random handful of games again."""

import numpy as np
import pandas as pd
import pytest
import yaml

from lib import execution
from lib.datasets import load
from lib.mechanisms import BoundContributions, Laplace, PostProcess
from lib.membership import zero_knowledge as zk
from lib.membership.trials import trial_rng

KEPT = execution.PAPER / "zero_knowledge"
VALUES = yaml.safe_load((KEPT / "parameters.yml").read_text())
HANDFUL = 2
SAME = 0.01  # of an AUC: another processor may stop the fit elsewhere within its certificate


def population(name):
    traces = load(name)
    return traces.select(epochs=slice(0, 168)) if name.startswith("flights") else traces


@pytest.mark.parametrize("name", ["tweeters-zk", "flights-by-number"])
def test_noisy_games_are_the_same_again(name):
    games = pd.read_csv(KEPT / "tables" / "noise-games.csv").query("data == @name")
    traces, held = population(name), VALUES["n_reference_of"].get(name, VALUES["n_reference"])
    size = VALUES["group_size_of"].get(name, VALUES["group_size"])
    for _, row in games.sample(HANDFUL, random_state=np.random.default_rng()).iterrows():
        target, epsilon, event = int(row["target"]), row["epsilon"], row["unit"] == "event"
        cap = 1 if event else VALUES["caps"].get(name, 10)
        bound = [] if event else [BoundContributions(cap)]
        mechanisms = [*bound, Laplace(epsilon, cap), PostProcess("down")]
        rng = trial_rng(VALUES["seed"], target, size)
        challenge = zk.Challenge(traces, target, mechanisms, size, held, rng, VALUES["n_test"])
        found = zk.trial(
            challenge,
            trial_rng(VALUES["seed"], target, 2, event, round(1000 * epsilon)),
            n_traces=max(held, size),
            scorers=zk.SCORERS,
            n_train=VALUES["n_train"],
            n_validation=VALUES["n_validation"],
        )
        for each in found:
            if each["scorer"] == "logistic":
                kept = row[f"AUC {each['attacker']}"]
                assert each["AUC"] == pytest.approx(kept, abs=SAME), row.to_dict()

"""Knock-Knock at the paper's scale: one cab of 150, times 150, divided by two cores.

On the real cabs where they are at hand, else on the stand-in of the same size.
"""

import resource
import time

import numpy as np
import pandas as pd

from lib.datasets import load
from lib.mechanisms import PostProcess
from lib.membership import game
from lib.membership.knock_knock import CLASSIFIERS, KnockKnock
from lib.membership.trials import trial_rng
from tests import test_defenses_paper as defenses
from tests import test_paper as paper

PART = 150 / 2  # cabs a core


def cabs():
    file = paper.FOLDER / paper.FILES["cabspotting"]
    if file.exists():
        return "cabspotting", load("cabspotting", path=file, null=True)
    return "cabs", load("cabs", null=True)


def all_games(name, traces, target):
    """Every group size of every prior, four classifiers."""
    games = pd.read_csv(paper.KEPT / "tables" / "games.csv").query("data == 'cabspotting'")
    games = games[games["target"] == games["target"].iloc[0]].assign(target=target)
    values = paper.VALUES | {"paper_scale": [name]}
    for _, row in games.iterrows():
        paper.played(traces, name, row, values, CLASSIFIERS)


def all_defenses(traces, target):
    """Five mechanisms at four budgets against a passive and a strategic network."""
    task = game.perfect_task(traces, target, 400, 500, range(168), trial_rng(0, target))
    shape = (traces.n_rois, 168)
    attack = KnockKnock(*shape, "MLP").fit(task.train.reshape(400, -1), task.train_members)
    most = float(traces.select(epochs=np.arange(168)).visits().max())
    for budget in (0.01, 0.1, 1.0, 10.0):
        for mechanism in defenses.printed("cabspotting", most, budget).values():
            noisy = game.strategic(task, [mechanism, PostProcess()], trial_rng(1, target))
            cells = [each.reshape(400, -1) for each in (noisy.train, noisy.test)]
            adapted = KnockKnock(*shape, "MLP").fit(cells[0], noisy.train_members)
            for each in (attack, adapted):
                each.decision_function(cells[1])


def rows():
    name, traces = cabs()
    target = int(np.argsort(traces.visits().to_numpy())[traces.n_users // 2])
    for what, function in (
        ("every game of 150 cabs, two cores", lambda: all_games(name, traces, target)),
        ("every defense on 150 cabs, two cores", lambda: all_defenses(traces, target)),
    ):
        start = time.process_time()
        function()
        yield f"{what} (one timed)", np.nan, (time.process_time() - start) * PART, "3600 s for both"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    yield f"memory of one of two such processes: {peak:.2f} GB", np.nan, np.nan, "3 GB"

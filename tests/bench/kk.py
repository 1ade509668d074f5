"""Knock-Knock at the paper's scale: one cab of 150, times 150, divided by two cores.

On the real cabs where they are at hand, else on the surrogate of the same size.
"""

import resource
import time

import numpy as np

from lib.papers.knock_knock import defense_experiments as defenses
from lib.papers.knock_knock import experiments as kk

PART = 150 / 2  # cabs a core


def cabs():
    try:
        return kk.population("cabspotting")
    except FileNotFoundError:
        return kk.population("cabs")


def all_games(traces, target):
    """Every group size of every prior, four classifiers."""
    kk.games({"cabs": traces}, units={"cabs": [target]}, **kk.games.at_paper["cabspotting"])


def all_defenses(traces, target):
    """Five mechanisms at four budgets against a passive and a strategic network."""
    week = {"cabs": defenses.first_week(traces)}
    defenses.games(week, units={"cabs": [target]}, **defenses.games.at_paper["cabspotting"])


def rows():
    traces = cabs()
    target = int(np.argsort(traces.visits().to_numpy())[traces.n_users // 2])
    for what, function in (
        ("every game of 150 cabs, two cores", lambda: all_games(traces, target)),
        ("every defense on 150 cabs, two cores", lambda: all_defenses(traces, target)),
    ):
        start = time.process_time()
        function()
        yield f"{what} (one timed)", np.nan, (time.process_time() - start) * PART, "3600 s for both"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    yield f"memory of one of two such processes: {peak:.2f} GB", np.nan, np.nan, "3 GB"

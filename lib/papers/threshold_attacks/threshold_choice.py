"""What the auxiliary attacker loses because thresholds come from the wrong half of the users."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from lib.membership import meta_classifier as nets
from lib.membership import shadows
from lib.membership.correlated import CorrelatedRatio
from lib.membership.likelihood_ratio import LikelihoodRatio
from lib.membership.thresholds import OneThreshold, TwoThreshold
from lib.papers.threshold_attacks.experiments import CORRELATED, Scenario, _Trial


def compare_thresholds(of: Scenario, n: int = 2000) -> pd.DataFrame:
    """Measure what each attack loses because its threshold comes from the wrong half of the users.

    An attack is fitted to n shadow aggregates under Laplace noise, and decides on n test aggregates
    of the released half. There are twice as many targets as the scenario's runs.

    Parameters
    ----------
    of : Scenario
        The scenario of an auxiliary attacker.
    n : int, default 2000
        Number of shadow aggregates and of test aggregates of a run.

    Returns
    -------
    pandas.DataFrame
        Columns: run, attack, threshold, accuracy. A threshold is the attack's own; the best on
        further shadow aggregates; or the best on the test aggregates, which no attacker knows.
    """
    rows, of = [], replace(of, runs=min(2 * of.runs, of.traces.n_users))
    for run in range(of.runs):
        game, cells = _Trial(of, "Laplace", run), of.middle
        pool = game.pools.auxiliary
        values, members = game.draw(game.pools.target, n, cells)
        train, further = game.draw(pool, n, cells), game.draw(pool, n, cells)
        visits = shadows.visits_at(of.traces, pool, game.columns[:cells])
        attacks: dict[str, Any] = {
            "one-threshold": OneThreshold(),
            "two-threshold": TwoThreshold(),
            "likelihood ratio": LikelihoodRatio(
                game.mechanism, shadows.sample_counts(visits, n, game.size, game.rng)
            ),
            "network": nets.MetaClassifier(random_state=run),
            CORRELATED: CorrelatedRatio(game.mechanism, visits, game.size),
        }
        for name, attack in attacks.items():
            attack.fit(*train)
            scores = attack.decision_function(values)
            learned = _best_threshold(further[1], attack.decision_function(further[0]))
            found = {"own": 0.0, "shadows": learned, "best": _best_threshold(members, scores)}
            for threshold, at in found.items():
                correct = float(((scores >= at) == members).mean())
                row = {"run": run, "attack": name, "threshold": threshold, "accuracy": correct}
                rows.append(row)
    return pd.DataFrame(rows)


def _best_threshold(members: np.ndarray, scores: np.ndarray) -> float:
    """The threshold with the highest accuracy for these labels; scores that reach it are "in"."""
    order = np.argsort(-scores, kind="stable")
    cuts = np.append(np.diff(scores[order]) != 0, True)  # a threshold separates no equal scores
    gained = np.where(cuts, np.cumsum(2 * members[order] - 1), -len(members))
    return float(scores[order][np.argmax(gained)])

"""What thresholds from the wrong half cost, and when two thresholds are more accurate than one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from lib.membership import meta_classifier as nets
from lib.membership import score_distributions, shadows
from lib.membership.correlated import CorrelatedRatio
from lib.membership.likelihood_ratio import LikelihoodRatio
from lib.membership.thresholds import OneThreshold, TwoThreshold
from lib.papers.threshold_attacks.experiments import CORRELATED, Scenario, _Trial

_TAIL = 1e-12  # probability of counts that are left out


def visits_of_halves(of: Scenario) -> tuple[np.ndarray, np.ndarray]:
    """Find who visits the first target's cells, in each half of the users.

    Target, cells and halves are those of `experiments.one_game`.

    Parameters
    ----------
    of : Scenario
        The scenario of an auxiliary attacker.

    Returns
    -------
    tuple of ndarray of {0, 1}, shape (n_users, n_cells)
        Visits of the released half, then those of the auxiliary half.
    """
    game = _Trial(of, "Laplace", 0)
    halves = (game.pools.target, game.pools.auxiliary)
    released, auxiliary = (
        shadows.visits_at(of.traces, half, game.columns[: of.middle]) for half in halves
    )
    return released, auxiliary


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


def compare_cells(of: Scenario, n: int = 10_000) -> pd.DataFrame:
    """Compare one threshold and two on cells that are alike, that differ, and that are correlated.

    The counts of independent cells are binomial: with the mean count of all the target's cells in
    the auxiliary half, or with the mean of each cell. Their accuracies are exact. Correlated cells
    are those of simulated groups of the auxiliary half under Laplace noise.

    Parameters
    ----------
    of : Scenario
        The scenario of an auxiliary attacker.
    n : int, default 10000
        Number of shadow aggregates and of test aggregates of a run.

    Returns
    -------
    pandas.DataFrame
        Columns: run, cells, one, two (accuracies).
    """
    rows: list[dict[str, Any]] = []
    for run in range(of.runs):
        game = _Trial(of, "Laplace", run)
        pool = game.pools.auxiliary
        shares = shadows.visits_at(of.traces, pool, game.columns[: of.middle]).mean(axis=0)
        independent = {
            "alike, independent": np.full(len(shares), shares.mean()),
            "different, independent": shares,
        }
        for cells, each in independent.items():
            rows.append({"run": run, "cells": cells} | _exact(game.mechanism, each, game.size))
        row: dict[str, Any] = {"run": run, "cells": "different, correlated"}
        train, (values, members) = (game.draw(pool, n, of.middle) for _ in range(2))
        for name, attack in {"one": OneThreshold(), "two": TwoThreshold()}.items():
            row[name] = float((attack.fit(*train).predict(values) == members).mean())
        rows.append(row)
    return pd.DataFrame(rows)


def _exact(mechanism: Any, shares: np.ndarray, size: int) -> dict[str, float]:
    """Accuracies of both rules if cell c has a binomial count of `size` users and shares[c]."""
    counts = np.arange(int(stats.binom.isf(_TAIL, size, shares.max())) + 1)
    pmfs = [pmf / pmf.sum() for pmf in stats.binom.pmf(counts, size, shares[:, None])]
    one = score_distributions.convolved_distribution(
        mechanism, pmfs, score_distributions.identity_score
    )
    two = score_distributions.two_threshold_distribution(mechanism, pmfs)
    return {"one": one.accuracy(), "two": two.accuracy()}


def _best_threshold(members: np.ndarray, scores: np.ndarray) -> float:
    """The threshold with the highest accuracy for these labels; scores that reach it are "in"."""
    order = np.argsort(-scores, kind="stable")
    cuts = np.append(np.diff(scores[order]) != 0, True)  # a threshold separates no equal scores
    gained = np.where(cuts, np.cumsum(2 * members[order] - 1), -len(members))
    return float(scores[order][np.argmax(gained)])

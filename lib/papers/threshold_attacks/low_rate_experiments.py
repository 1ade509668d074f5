"""Why a network can lead the correlated likelihood ratio at low false positive rates.

A likelihood ratio is optimal for releases that have the distribution it assumes. The auxiliary
attacker assumes that released groups are drawn from the auxiliary half; they are drawn from the
other half. The experiment attacks releases of groups of either half: of the auxiliary half, where
the assumption is true, and of the other, where it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from lib import metrics
from lib.execution.results import Row
from lib.membership import CorrelatedRatio, PredictiveRatio, shadows
from lib.membership import meta_classifier as nets
from lib.papers.experiments import experiment
from lib.papers.threshold_attacks.experiments import (
    LEARNED,
    MANY,
    Scenario,
    _every_run,
    _score_measures,
    _Trial,
    load_scenario,
)

DATA = "flights-by-number"
JOINT, PREDICTIVE, NETWORK = "joint ratio", "predictive ratio", "network"
RATE = "TPR 0.01"


@experiment(
    "threshold-low-rates",
    unit=("run",),
    units=_every_run,
    load=load_scenario,
    tolerance=LEARNED,
    at_paper={DATA: {"n_test": 20_000}},
)
def low_rates(
    context: Scenario,
    run: int,
    *,
    n_shadows: int = MANY,
    n_test: int = 10_000,
    max_epochs: int = 100,
) -> Iterator[Row]:
    """Attack releases of both halves by two likelihood ratios and a network. Laplace noise.

    Parameters
    ----------
    context : Scenario
        The scenario.
    run : int
        Number of the run.
    n_shadows : int, default MANY
        Number of shadow aggregates of the network.
    n_test : int, default 10000
        Number of test aggregates of each half.
    max_epochs : int, default 100
        Most passes of the training.

    Returns
    -------
    iterator of dict
        Columns: half ("released" or "auxiliary"), attack, accuracy, AUC, the true positive rate at
        each of `experiments.FPRS`.
    """
    game, n = _Trial(context, "Laplace", run), context.middle
    pool = game.pools.auxiliary
    tests = {
        "released": game.draw(game.pools.target, n_test, n),
        "auxiliary": game.draw(pool, n_test, n),
    }
    train = game.draw(pool, n_shadows, n)
    visits = shadows.visits_at(context.traces, pool, game.columns[:n])
    unknown = shadows.unknown_size(game.size, game.theta)
    attacks: Mapping[str, Any] = {
        JOINT: CorrelatedRatio(game.mechanism, visits, unknown),
        PREDICTIVE: PredictiveRatio(game.mechanism, visits, unknown),
        NETWORK: nets.MetaClassifier(max_epochs=max_epochs, random_state=run),
    }
    for name, attack in attacks.items():
        attack.fit(*train)
        for half, (values, members) in tests.items():
            found = _score_measures(members, attack.decision_function(values), True, True)
            yield {"half": half, "attack": name} | found


def compare(rows: pd.DataFrame, measure: str = RATE) -> pd.DataFrame:
    """Compare the attacks on releases of either half, paired by target.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `low_rates`.
    measure : str, default RATE
        Column of the rows.

    Returns
    -------
    pandas.DataFrame
        Index: half. Columns: the mean of each attack; for each pair of attacks the mean difference
        with its 95% interval, and on how many targets the first is better.
    """
    pairs = [(NETWORK, JOINT), (PREDICTIVE, JOINT), (NETWORK, PREDICTIVE)]
    found = {}
    for half, part in rows.groupby("half", sort=False):
        values = part.pivot(index="run", columns="attack", values=measure)
        found[half] = {name: f"{values[name].mean():.3f}" for name in (JOINT, PREDICTIVE, NETWORK)}
        for one, other in pairs:
            gain = (values[one] - values[other]).to_numpy()
            low, high = metrics.mean_interval(gain)
            found[half][f"{one} - {other}"] = f"{gain.mean():+.3f} [{low:+.3f}, {high:+.3f}]"
            found[half][f"{one} better than {other}"] = f"{(gain > 0).sum()} of {len(gain)}"
    return pd.DataFrame(found).rename_axis("releases of groups of")

"""Which rule several networks of each kind learn: an interval for what one cannot decide.

`experiments.weights` measures the informed attacker's networks of the first run, one of each kind.
Here every run has networks of its own, with its own shadow aggregates and initial weights. Those of
the first run are the same networks as there, because all random numbers are drawn in the same
order. A network that learns from many shadow aggregates takes minutes, so only three are trained.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from lib.execution.results import Row
from lib.membership import meta_classifier as nets
from lib.membership.likelihood_ratio import LikelihoodRatio
from lib.papers.experiments import experiment
from lib.papers.threshold_attacks.experiments import (
    INFORMED,
    ON_DATA,
    Scenario,
    _describe_network,
    _fit_rules,
    _held_out,
    _Trial,
    load_scenario,
)

HUNDRED = 100  # hidden nodes (App. G)


def _shadows_nodes_and_runs(
    context: Scenario, n_shadows: Sequence[int], many_runs: int
) -> list[tuple[int, int, int]]:
    nodes = (context.middle, HUNDRED)
    units = [(min(n_shadows), hidden, run) for hidden, run in product(nodes, range(context.runs))]
    larger = [n for n in n_shadows if n > min(n_shadows)]
    return units + [
        (n, hidden, run) for run in range(many_runs) for n in larger for hidden in nodes
    ]


@experiment(
    "threshold-weight-runs",
    paper="threshold",
    answers=("Fig. 12", "Fig. 15", "Fig. 25", "Fig. 26"),
    unit=("shadows", "hidden nodes", "run"),
    units=_shadows_nodes_and_runs,
    load=load_scenario,
    tolerance=0.05,
    at_paper={INFORMED: ON_DATA},
)
def weight_runs(
    context: Scenario,
    unit: tuple[int, int, int],
    *,
    n_shadows: Sequence[int] = (2000,),
    n_test: int = 10_000,
    max_epochs: int = 100,
    many_runs: int = 3,
) -> Iterator[Row]:
    """Measure which rule the network of a run implements. Laplace noise.

    Source: Sec. 5.3, App. G.

    Parameters
    ----------
    context : Scenario
        The scenario.
    unit : tuple
        Number of shadow aggregates, of hidden nodes, and of the run.
    n_shadows : sequence of int, default (2000,)
        Numbers of shadow aggregates.
    n_test : int, default 10000
        Number of test aggregates.
    max_epochs : int, default 100
        Most passes of the training.
    many_runs : int, default 3
        Number of runs with networks that learn from more than the least of `n_shadows`.

    Returns
    -------
    iterator of dict
        One row. Columns: passes, those of `experiments.weights`, on what share of fresh aggregates
        the network decides as the exact independent likelihood ratio, and how many cells have the
        largest absolute weight of some node.
    """
    (n_shadow, hidden, run), n = unit, context.middle
    game = _Trial(context, "Laplace", run)
    fresh = game.draw(game.pools.target, n_test, n)
    validation = game.draw(game.pools.validation, _held_out(max(n_shadows)), n)
    for each in n_shadows:
        train = game.draw(game.pools.train, each, n)
        if each == n_shadow:
            break
    attack = nets.MetaClassifier(hidden=hidden, max_epochs=max_epochs, random_state=run)
    network = attack.fit(*train, validation).network_
    rules = _fit_rules(train) | {"ratio": LikelihoodRatio(game.mechanism).fit(*train)}
    cells = np.unique(np.abs(network.weights).argmax(axis=0))
    found = _describe_network(network, fresh, rules)
    yield {"passes": attack.epochs_} | found | {"cells read": len(cells)}

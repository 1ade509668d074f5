"""Errors of many noisy releases of the cabs, where five releases do not decide an order.

The attack is left out: it takes nearly all the time of `crowd-noise`, and an error needs none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lib import metrics
from lib.execution.results import Row
from lib.mechanisms import PostProcess, release
from lib.papers.aggregation_privacy.experiments import (
    EPSILONS,
    OUTPUT,
    ObservedWeek,
    experiment,
    output_mechanism,
)
from lib.randomness import stream


def _units(week: ObservedWeek, epsilons: Sequence[float] = EPSILONS) -> list[tuple[str, float]]:
    return [(name, epsilon) for name in OUTPUT for epsilon in epsilons]


@experiment(
    "crowd-release-errors",
    answers=("Tab. 4",),
    unit=("mechanism", "ε"),
    units=_units,
    at_paper={"cabspotting": {}},
)
def release_errors(
    week: ObservedWeek,
    unit: tuple[str, float],
    *,
    data: str,
    epsilons: Sequence[float] = EPSILONS,
    kappa: int = 20,
    sanity_bound: float = 5.0,
    n_releases: int = 1000,
    seed: int = 2017,
) -> list[Row]:
    """Measure the mean relative error of many releases under one mechanism and budget.

    Source: Sec. 5.2, Table 4.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        Mechanism and ε.
    data : str
        Name of the dataset, which names streams of random numbers.
    epsilons : sequence of float, default EPSILONS
        Privacy budgets.
    kappa : int, default 20
        Number of Fourier coefficients that FPA keeps.
    sanity_bound : float, default 5.0
        Count, in users, by which an error is divided at least.
    n_releases : int, default 1000
        Number of independent releases.
    seed : int, default 2017
        Seed of the streams of random numbers.

    Returns
    -------
    list of dict
        One row. Columns: releases, MRE, MRE se (its standard error over releases).
    """
    name, epsilon = unit
    chain, size = [output_mechanism(week, name, epsilon, kappa), PostProcess()], week.truth.n_users
    rng = stream(seed, "crowd-release-errors", data, name, float(epsilon))
    errors = [
        metrics.mean_relative_error(
            week.counts, release(week.counts, chain, rng, size), sanity_bound=sanity_bound
        )
        for _ in range(n_releases)
    ]
    error = float(np.std(errors, ddof=1) / n_releases**0.5)
    return [{"releases": n_releases, "MRE": float(np.mean(errors)), "MRE se": error}]

"""An experiment of ten minutes on a Dask cluster of 1, 2 and 4 workers on loopback: the same rows.

One thread a worker. And what it costs to send a unit there and its rows back: an experiment whose
units
take a millisecond, played by one worker.
"""

import os
import time

from lib.execution import MEMORY_KEPT
from lib.papers import experiments as core

PLAYED = ("kk-lengths", "cabspotting"), ("kk-games", "flights-by-tail")  # without the cabs
WORKERS = 1, 2, 4
SHORT = "fano-habits", "flights-by-tail"
SENT = "a unit sent to a cluster, and its rows brought back"
CLUSTER = "cluster of "  # and how many workers; `tests.bench.cost` tells these rows apart by it


def whole(*known):
    """The first experiment whose data are at hand, its context, and its setting at the paper's
    size."""
    for name, data in known:
        experiment = core.all_experiments()[name]
        setting = experiment.setting(experiment.at_paper[data])
        try:
            return experiment, data, core.context_of(experiment, data, setting), setting
        except FileNotFoundError:
            continue
    raise AssertionError("the flights come with a package")


def played(workers, experiment, data, context, setting):
    """Seconds until all units are played, and their rows by position."""
    from distributed import LocalCluster  # what only reads constants need not wait for it

    units = experiment.units_of(data, context, setting)
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster:
        start = time.perf_counter()
        made = list(
            core._evaluate_units(
                experiment, data, context, setting, units, scheduler=cluster.scheduler_address
            )
        )
        took = time.perf_counter() - start
    return took, {i: rows for i, rows, _ in made}


def rows():
    # Of the workers, which begin with it: Dask's own choice hands memory back at every step, which
    # takes twice the time.
    os.environ |= MEMORY_KEPT
    experiment, data, *rest = whole(*PLAYED)
    first = alone = None
    for workers in WORKERS:
        took, found = played(workers, experiment, data, *rest)
        first, alone = first or found, alone or took
        assert repr(sorted(found.items())) == repr(sorted(first.items())), workers
        what = f"{CLUSTER}{workers}: {experiment.name}, {data}, {len(found)} units"
        yield what, alone, took, 0.9 * min(workers, 2)
    took, found = played(1, *whole(SHORT))
    yield SENT, float("nan"), took / len(found), ""

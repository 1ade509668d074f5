"""Commands for experiments: list them, check whether they are up to date, and run them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pandas as pd

from lib.execution import parallel, results
from lib.execution.durations import duration
from lib.papers import experiments as core
from lib.papers.experiments import ABSENT, FRESH, Experiment


def list_experiments(names: Sequence[str]) -> int:
    """Print every experiment with its data, units, seconds and state.

    Parameters
    ----------
    names : sequence of str
        Experiments or papers; all if empty.

    Returns
    -------
    int
        The exit code.
    """
    chosen = core.select_experiments(*names)
    unstored = [each.name for each in chosen if not each.at_paper]
    if unstored:
        print(f"{', '.join(unstored)}: run only in memory, by a chapter; no results are stored")
        chosen = [each for each in chosen if each.at_paper]
    if not chosen:
        return 0
    with pd.option_context(
        "display.width", None, "display.max_rows", None, "display.max_colwidth", 100
    ):
        print(core.table(chosen).to_string())
    return 0


def list_out_of_date(names: Sequence[str]) -> int:
    """Print the names of experiments that are out of date.

    Parameters
    ----------
    names : sequence of str
        Experiments or papers; all if empty.

    Returns
    -------
    int
        The exit code: 1 if any is out of date.
    """
    todo, absent = _outdated_and_absent(core.select_experiments(*names))
    for name in dict.fromkeys(each.name for each, _ in todo):
        print(name)
    for each, data in absent:
        print(f"not checked: {each.name} on {data}, because the data are missing", file=sys.stderr)
    return 1 if todo else 0


def recheck(names: Sequence[str], n_units: int) -> int:
    """Compute some units of outdated results again, and mark identical results as up to date.

    Parameters
    ----------
    names : sequence of str
        Experiments or papers; all if empty.
    n_units : int
        Number of units of each.

    Returns
    -------
    int
        The exit code: 1 if any result differs.
    """
    failed = 0
    for each, data in _outdated_and_absent(core.select_experiments(*names))[0]:
        label = f"{each.name}, {data}"
        try:
            why = core.recheck(each, data, n_units)
        except results.StoredResultsError as error:
            why = [str(error)]
        failed += bool(why)
        print(f"{label}: {'; '.join(why) if why else 'identical, now up to date'}", flush=True)
    return 1 if failed else 0


def run(names: Sequence[str], processes: int, scheduler: str, dry_run: bool) -> int:
    """Run what is out of date at the size of the papers, and store the rows.

    Parameters
    ----------
    names : sequence of str
        Experiments or papers; all if empty.
    processes : int
        Number of processes.
    scheduler : str
        Address of a Dask scheduler; "" for none.
    dry_run : bool
        Whether to only list what would be run.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    ValueError
        For fewer than one process.
    """
    if processes < 1:
        raise ValueError(f"--processes is {processes}; at least 1 was expected")
    chosen = core.select_experiments(*names)
    todo, absent = _outdated_and_absent(chosen)
    seconds = [_seconds(each, data) for each, data in todo]
    known = [each for each in seconds if each is not None]
    print(f"{len(todo)} of {sum(len(each.at_paper) for each in chosen)} to compute", end="")
    print(f", about {duration(sum(known) / processes)}" if known else "", end="")
    unknown = len(todo) - len(known)
    print(f", not counting {unknown} that never ran" if unknown else "", flush=True)
    with parallel.persistent_workers():
        for (each, data), cost in zip(todo, seconds, strict=True):
            expected = f", about {duration(cost / processes)}" if cost is not None else ""
            print(f"{each.name}, {data}{expected}", flush=True)
            if not dry_run:
                core.run_experiment(each, data, processes, scheduler)
    for each, data in absent:
        print(f"not computed: {each.name} on {data}, because the data are missing", file=sys.stderr)
    return 0


_Pairs = list[tuple[Experiment, str]]


def _outdated_and_absent(chosen: Sequence[Experiment]) -> tuple[_Pairs, _Pairs]:
    """Return what is out of date, and what cannot be checked because the data are missing."""
    states = {(each, data): core.status(each, data) for each in chosen for data in each.at_paper}
    outdated = [pair for pair, state in states.items() if state not in (FRESH, ABSENT)]
    return outdated, [pair for pair, state in states.items() if state == ABSENT]


def _seconds(each: Experiment, data: str) -> float | None:
    if not results.is_stored(each.name, data):
        return None
    return float(results.provenance(each.name, data)["seconds"])

"""Experiments from the command line: which there are, which are stale, and playing them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pandas as pd

from lib.execution import parallel, results
from lib.execution.durations import duration
from lib.papers import experiments as core
from lib.papers.experiments import ABSENT, FRESH, Experiment


def listed(names: Sequence[str]) -> int:
    """Prints every experiment: what it answers, its units, seconds, and whether its rows are
    fresh."""
    chosen = core.select_experiments(*names)
    unkept = [each.name for each in chosen if not each.at_paper]
    if unkept:
        print(f"{', '.join(unkept)}: played in memory only, by a chapter; no rows are kept")
        chosen = [each for each in chosen if each.at_paper]
    if not chosen:
        return 0
    with pd.option_context(
        "display.width", None, "display.max_rows", None, "display.max_colwidth", 100
    ):
        print(core.table(chosen).to_string())
    return 0


def stale(names: Sequence[str]) -> int:
    """Prints the names of stale experiments only; 1 if there are any. Absent data is not stale."""
    todo, absent = _looked_at(core.select_experiments(*names))
    for name in dict.fromkeys(each.name for each, _ in todo):
        print(name)
    for each, data in absent:
        print(f"not looked at: {each.name} on {data}, whose files are not here", file=sys.stderr)
    return 1 if todo else 0


def rechecked(names: Sequence[str], n_units: int) -> int:
    """Plays some units of stale experiments again; 1 if any is not the same."""
    failed = 0
    for each, data in _looked_at(core.select_experiments(*names))[0]:
        label = f"{each.name}, {data}"
        try:
            why = core.recheck(each, data, n_units)
        except results.StoredResultsError as error:
            why = [str(error)]
        failed += bool(why)
        print(
            f"{label}: {'; '.join(why) if why else 'the same again, counts as fresh'}", flush=True
        )
    return 1 if failed else 0


def played(names: Sequence[str], processes: int, scheduler: str, dry_run: bool) -> int:
    """Plays what is stale at the papers' sizes, each experiment on each dataset, and keeps the
    rows."""
    if processes < 1:
        raise ValueError(f"--processes is {processes}; at least 1 was expected")
    chosen = core.select_experiments(*names)
    todo, absent = _looked_at(chosen)
    seconds = [_seconds(each, data) for each, data in todo]
    known = [each for each in seconds if each is not None]
    print(f"{len(todo)} of {sum(len(each.at_paper) for each in chosen)} to play", end="")
    print(f", about {duration(sum(known) / processes)}" if known else "", end="")
    unknown = len(todo) - len(known)
    print(f", without {unknown} that were never played" if unknown else "", flush=True)
    with parallel.persistent_workers():
        for (each, data), cost in zip(todo, seconds, strict=True):
            expected = f", about {duration(cost / processes)}" if cost is not None else ""
            print(f"{each.name}, {data}{expected}", flush=True)
            if not dry_run:
                core.run_experiment(each, data, processes, scheduler)
    for each, data in absent:
        print(f"not played: {each.name} on {data}, whose files are not here", file=sys.stderr)
    return 0


_Pairs = list[tuple[Experiment, str]]


def _looked_at(chosen: Sequence[Experiment]) -> tuple[_Pairs, _Pairs]:
    """What is stale of experiments, each on each dataset; and what nobody can tell without the
    data."""
    said = {(each, data): core.status(each, data) for each in chosen for data in each.at_paper}
    stale = [pair for pair, state in said.items() if state not in (FRESH, ABSENT)]
    return stale, [pair for pair, state in said.items() if state == ABSENT]


def _seconds(each: Experiment, data: str) -> float | None:
    if not results.is_stored(each.name, data):
        return None
    return float(results.provenance(each.name, data)["seconds"])

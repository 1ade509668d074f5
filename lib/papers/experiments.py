"""Experiments: run their units in memory, at the size of the paper, or again.

A unit is what can be computed alone, such as a target, a trial or a run. The function of an
experiment computes one unit and returns its rows. It serves a chapter (a few units, in memory),
`make paper` (all units at the size of the paper, stored) and a test (one unit, compared).
"""

from __future__ import annotations

import inspect
import json
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date as calendar
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from lib import datasets
from lib.datasets import files
from lib.execution import environment, fingerprints, results
from lib.execution.checkpoints import Checkpoints
from lib.execution.parallel import run_parallel
from lib.execution.results import Fingerprint, Row

Unit = Any  # a number, a text, or several of them
_FOUND: dict[str, Experiment] = {}


def _one(context: Any) -> list[Unit]:
    """Return the only unit of an experiment that has one for each dataset."""
    return [()]


@dataclass(frozen=True, eq=False)
class Experiment:
    """An experiment, as the decorator `experiment` makes it; call it to run it in memory.

    Parameters
    ----------
    function : callable
        Computes the rows of one unit.
    name : str
        Name of its stored results.
    paper : str
        The paper whose question it answers: kk, zk, crowd, fano, threshold, or "" for none.
    answers : tuple of str
        Figures, tables and sections of the paper, such as "Fig. 2".
    unit : tuple of str
        The columns that name a unit.
    units : callable
        Returns the units for a context and a setting.
    load : callable or None
        Loads the context of a dataset.
    at_paper : mapping
        For each dataset, the setting at the size of the paper where it is not the default.
    tolerance : float
        Largest difference of a decimal number that is computed again.
    loose_columns : tuple of str
        Columns that may differ by 0.05 (networks on another processor).
    """

    function: Callable[..., Iterable[Row]]
    name: str
    paper: str
    answers: tuple[str, ...]
    unit: tuple[str, ...]
    units: Callable[..., list[Unit]]
    load: Callable[..., Any] | None
    at_paper: Mapping[str, Mapping[str, Any]]
    tolerance: float = 1e-6
    loose_columns: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        arguments = inspect.signature(self.function).parameters.values()
        found = {a.name: a.default for a in arguments if a.kind is a.KEYWORD_ONLY}
        found.pop("data", None)
        missing = [name for name, value in found.items() if value is inspect.Parameter.empty]
        if missing:
            raise TypeError(f"experiment {self.name}: {missing[0]} has no default")
        object.__setattr__(self, "defaults", found)
        object.__setattr__(self, "__doc__", self.function.__doc__)

    def __call__(
        self,
        populations: Mapping[str, Any] | Sequence[str],
        *,
        of: Mapping[str, Mapping[str, Any]] | None = None,
        units: Mapping[str, Sequence[Unit]] | None = None,
        processes: int = 1,
        **setting: Any,
    ) -> pd.DataFrame:
        """Run units in memory and return their rows.

        Parameters
        ----------
        populations : mapping of str to object, or sequence of str
            For each dataset, what the function gets (usually Traces); only names if it needs
            nothing.
        of : mapping of str to mapping, optional
            For each dataset, the part of the setting that only it has.
        units : mapping of str to sequence, optional
            For each dataset, the units to run; by default, all units of the setting.
        processes : int, default 1
            Number of processes.
        **setting
            Arguments of the function.

        Returns
        -------
        pandas.DataFrame
            The column `data`, the unit's columns, and those of the function's rows.

        Raises
        ------
        ValueError
            For an argument that the experiment does not have (the message names the nearest
            one), and for fewer than one process.
        """
        if processes < 1:
            raise ValueError(f"processes is {processes}; at least 1 was expected")
        if not isinstance(populations, Mapping):
            populations = dict.fromkeys(populations)
        frames = []
        for data, context in populations.items():
            chosen = self.setting(setting | dict((of or {}).get(data, {})))
            which = (units or {}).get(data)
            which = self.units_of(data, context, chosen) if which is None else list(which)
            made = _evaluate_units(self, data, context, chosen, which, processes)
            rows = {position: each for position, each, _ in made}
            ordered = [(unit, rows[position]) for position, unit in enumerate(which)]
            frames.append(results.frame(data, self.unit, ordered))
        return self._joined(frames)

    def setting(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in the defaults of a setting.

        Parameters
        ----------
        given : mapping
            Arguments of the function.

        Returns
        -------
        dict
            All keyword arguments of the function, as JSON has them.

        Raises
        ------
        ValueError
            For an argument that the experiment does not have.
        """
        for name in given:
            if name not in self.defaults:
                near = get_close_matches(name, self.defaults, 1, 0)
                raise ValueError(f"{self.name} takes no {name!r}; did you mean {near}?")
        found: dict[str, Any] = results.plain({**self.defaults, **given})
        return found

    def units_of(self, data: str, context: Any, setting: Mapping[str, Any]) -> list[Unit]:
        """List the units on a dataset at a setting.

        Parameters
        ----------
        data : str
            Name of the dataset.
        context : object
            What the function gets for this dataset.
        setting : mapping
            A complete setting.

        Returns
        -------
        list
            The units.
        """
        found = list(self.units(context, **_accepted(self.units, data, setting)))
        return [tuple(each) if isinstance(each, (list, tuple)) else each for each in found]

    # -- stored results ---------------------------------------------------------------------------

    def stored(self, *data: str) -> pd.DataFrame:
        """Read the stored results.

        Parameters
        ----------
        *data : str
            Names of datasets; by default, all of the experiment.

        Returns
        -------
        pandas.DataFrame
            The rows.

        Raises
        ------
        StoredResultsError
            If no results are stored.
        """
        names = data or tuple(self.at_paper)
        return self._joined([results.read(self.name, each) for each in names])

    def _joined(self, frames: Sequence[pd.DataFrame]) -> results.Rows:
        """One table, which names this experiment if a column is missing."""
        full = [each for each in frames if len(each)] or frames[:1]
        found = results.Rows(pd.concat(full, ignore_index=True))
        found.experiment = self.name
        return found

    def is_stored(self, *data: str) -> bool:
        """Check whether results are stored.

        Parameters
        ----------
        *data : str
            Names of datasets; by default, all of the experiment.

        Returns
        -------
        bool
            Whether all of them have stored results.
        """
        return all(results.is_stored(self.name, each) for each in data or self.at_paper)

    def source(self, *data: str) -> str:
        """Describe the stored results, for a caption.

        Parameters
        ----------
        *data : str
            Names of datasets; by default, all of the experiment.

        Returns
        -------
        str
            Data, number of units and date of each.
        """
        said = []
        for name in data or tuple(self.at_paper):
            facts = results.provenance(self.name, name)
            what = self.unit[-1] if self.unit and self.unit[-1].isascii() else "unit"
            of = f", {facts['units']} {what}s" if facts["units"] > 1 else ""
            said.append(f"{name}{of}, computed {facts['date']}")
        return "; ".join(said)

    def replay(self, data: str, unit: Unit) -> pd.DataFrame:
        """Compute one unit again at the stored setting.

        Parameters
        ----------
        data : str
            Name of the dataset.
        unit : object
            The unit.

        Returns
        -------
        pandas.DataFrame
            The rows.

        Raises
        ------
        StoredResultsError
            If no results are stored.
        """
        setting = results.provenance(self.name, data)["setting"]
        rows = _rows(self, data, context_of(self, data, setting), unit, setting)
        return results.frame(data, self.unit, [(unit, rows)])

    def stored_units(self, data: str) -> list[Unit]:
        """List the units that have stored rows.

        Parameters
        ----------
        data : str
            Name of the dataset.

        Returns
        -------
        list
            The units.
        """
        if not self.unit:
            return [()]
        found = results.read(self.name, data)[list(self.unit)].drop_duplicates()
        units = [tuple(map(_as_python, row)) for row in found.itertuples(index=False)]
        return [unit[0] for unit in units] if len(self.unit) == 1 else list(units)

    def contradictions(self, data: str, unit: Unit) -> list[str]:
        """Compute a unit again and list the differences from its stored rows.

        Parameters
        ----------
        data : str
            Name of the dataset.
        unit : object
            The unit.

        Returns
        -------
        list of str
            The differences; empty if the rows are the same.
        """
        kept = results.read(self.name, data)
        values = unit if isinstance(unit, tuple) else (unit,)
        for column, value in zip(self.unit, values, strict=True):
            kept = kept[kept[column].astype(str) == str(value)]
        played = self.replay(data, unit)
        return results.differences(
            kept.reset_index(drop=True).dropna(axis=1, how="all"),
            played.dropna(axis=1, how="all"),
            self.tolerance,
            self.loose_columns,
        )


def experiment(
    name: str,
    *,
    paper: str = "",
    answers: tuple[str, ...] = (),
    unit: tuple[str, ...] = (),
    units: Callable[..., list[Unit]] = _one,
    load: Callable[..., Any] | None = datasets.load,
    at_paper: Mapping[str, Mapping[str, Any]],
    tolerance: float = 1e-6,
    loose_columns: tuple[str, ...] = (),
) -> Callable[[Callable[..., Iterable[Row]]], Experiment]:
    """Make an experiment of a function `(context, unit, *, setting...) -> rows`.

    Parameters
    ----------
    name, paper, answers, unit : object
        See `Experiment`.
    units : callable
        Takes the context and any part of the setting, and returns the units; by default there is
        one, named ().
    load : callable or None
        Takes the dataset and any part of the setting, and returns the context; None if the function
        needs none.
    at_paper, tolerance, loose_columns : object
        See `Experiment`.

    Returns
    -------
    callable
        The decorator.
    """

    def made(function: Callable[..., Iterable[Row]]) -> Experiment:
        new = Experiment(
            function, name, paper, answers, unit, units, load, at_paper, tolerance, loose_columns
        )
        if name in _FOUND and _FOUND[name].function.__module__ != function.__module__:
            raise ValueError(f"two experiments are named {name!r}")
        _FOUND[name] = new
        return new

    return made


PAPERS = (
    "foundations",
    "knock_knock",
    "zero_knowledge",
    "aggregation_privacy",
    "fano_loss",
    "threshold_attacks",
    "audit",
    "riders",
)
_MODULES = (
    "data_cards",
    "experiments",
    "defense_experiments",
    "interpretation_experiments",
    "noise_interpretations",
    "recovery_experiments",
    "ranking_experiments",
    "task_experiments",
    "search_experiments",
    "size_experiments",
    "calibration_experiments",
    "joint_experiments",
    "trip_experiments",
    "low_rate_experiments",
    "network_experiments",
)


def all_experiments() -> dict[str, Experiment]:
    """Import the modules of all papers and return their experiments.

    Returns
    -------
    dict of str to Experiment
        The experiments by name, in the order of their papers and modules.
    """
    modules = [f"lib.papers.{paper}.{module}" for paper in PAPERS for module in _MODULES]
    modules = [module for module in modules if find_spec(module)]
    for module in modules:
        import_module(module)
    order = {module: i for i, module in enumerate(modules)}  # others, of tests, come last
    named = sorted(
        _FOUND.items(), key=lambda item: order.get(item[1].function.__module__, len(order))
    )
    return dict(named)


def select_experiments(*names: str) -> list[Experiment]:
    """Select experiments by their own name or by the name of their paper.

    Parameters
    ----------
    *names : str
        Names of experiments or papers; without any, all experiments are selected.

    Returns
    -------
    list of Experiment
        The experiments, none twice.

    Raises
    ------
    ValueError
        For an unknown name; the message names the nearest one.
    """
    known = all_experiments()
    papers = {each.paper for each in known.values()} - {""}
    found: list[Experiment] = []
    for name in names:
        chosen = [each for each in known.values() if name in (each.name, each.paper)]
        if not chosen:
            near = get_close_matches(name, [*known, *papers], 1, 0)
            raise ValueError(f"no experiment {name!r}; did you mean {near}?")
        found += [each for each in chosen if each not in found]
    return found if names else list(known.values())


# -- running ---------------------------------------------------------------------------------------


def _accepted(
    function: Callable[..., Any], data: str, setting: Mapping[str, Any]
) -> dict[str, Any]:
    """Select what a function asks for: parts of the setting, and the dataset's name."""
    names = inspect.signature(function).parameters
    given = {name: value for name, value in setting.items() if name in names}
    return given | ({"data": data} if "data" in names else {})


def _rows(
    each: Experiment, data: str, context: Any, unit: Unit, setting: Mapping[str, Any]
) -> list[Row]:
    return list(each.function(context, unit, **_accepted(each.function, data, setting)))


def _timed(
    module: str, name: str, data: str, context: Any, unit: Unit, setting: dict[str, Any]
) -> tuple[list[Row], float]:
    """Compute a unit in any process, which imports the experiment; return rows and CPU seconds."""
    import_module(module)
    started = time.process_time()
    rows = _rows(_FOUND[name], data, context, unit, setting)
    return rows, time.process_time() - started


def _evaluate_units(
    each: Experiment,
    data: str,
    context: Any,
    setting: dict[str, Any],
    units: Sequence[Unit],
    processes: int = 1,
    scheduler: str = "",
) -> Iterator[tuple[int, list[Row], float]]:
    """Yield position, rows and CPU seconds of each unit when it is finished."""
    label = f"{each.name}, {data}"
    who = each.function.__module__, each.name, data
    jobs = ((i, *who, context, unit, setting) for i, unit in enumerate(units))
    shared = [context] if context is not None else []
    made = run_parallel(_at, jobs, min(processes, len(units)) or 1, scheduler, shared)
    yield from tqdm(made, total=len(units), desc=label, unit="unit")


def _at(position: int, *arguments: Any) -> tuple[int, list[Row], float]:
    return position, *_timed(*arguments)


# -- storing ---------------------------------------------------------------------------------------


@lru_cache(maxsize=6)
def _context(load: Callable[..., Any], data: str, arguments: str) -> Any:
    given = json.loads(arguments)
    return load(data, **given) if "data" not in given else load(**given)


def context_of(each: Experiment, data: str, setting: Mapping[str, Any]) -> Any:
    """Load what the function of an experiment gets for a dataset; recent ones are cached.

    Parameters
    ----------
    each : Experiment
        The experiment.
    data : str
        Name of the dataset.
    setting : mapping
        A complete setting.

    Returns
    -------
    object
        The context, usually Traces; None if the experiment loads nothing.
    """
    if each.load is None:
        return None
    given = _accepted(each.load, data, setting) if each.load is not datasets.load else {}
    return _context(each.load, data, json.dumps(given, sort_keys=True))


def fingerprint(each: Experiment, data: str) -> Fingerprint:
    """Return everything that results at the size of the paper depend on, as it is now.

    Parameters
    ----------
    each : Experiment
        The experiment.
    data : str
        Name of the dataset.

    Returns
    -------
    Fingerprint
        Setting, code, versions of packages, checksum of the data.

    Raises
    ------
    FileNotFoundError
        If the files of the dataset are missing.
    """
    setting = each.setting(each.at_paper[data])
    return Fingerprint(setting, code_of(each, data), checksum=_checksum(each, data))


def code_of(each: Experiment, data: str) -> dict[str, str]:
    """Hash the modules that an experiment depends on.

    Parameters
    ----------
    each : Experiment
        The experiment.
    data : str
        Name of the dataset.

    Returns
    -------
    dict of str to str
        Module -> hash.
    """
    return fingerprints.of(each.function, *_others(each, data))


def defined_in(modules: Iterable[str]) -> list[Experiment]:
    """Return the experiments that modules define.

    Parameters
    ----------
    modules : iterable of str
        Names of modules.

    Returns
    -------
    list of Experiment
        The experiments.
    """
    wanted = [each for each in modules if each.rpartition(".")[2] in _MODULES]
    for module in wanted:
        import_module(module)
    return [each for each in _FOUND.values() if each.function.__module__ in wanted]


def _others(each: Experiment, data: str) -> list[Callable[..., Any]]:
    """List what an experiment calls beside its function: its units, and what loads the data."""
    others: list[Callable[..., Any]] = [each.units] if each.units is not _one else []
    if each.load is not None and each.load is not datasets.load:
        others.append(each.load)
    users = _USERS_OF.get(data, data)
    if each.load is not None and users in _datasets():
        others.append(datasets.loader(users))
    return [one for one in others if one.__module__.startswith("lib.")]


def _checksum(each: Experiment, data: str) -> str:
    """Compute the checksum of a dataset's files; "" if it has none."""
    return _checksum_of(data) if each.load is not None and data in _datasets() else ""


_USERS_OF = {"noise only": "tweeters-threshold"}  # where everybody else is known (thresholds)


@cache
def _datasets() -> frozenset[str]:
    return frozenset(map(str, datasets.available().index))


@cache
def _checksum_of(data: str) -> str:
    found = datasets.sources(data)
    return files.checksum(found) if found else ""


def reasons_out_of_date(each: Experiment, data: str) -> list[str]:
    """Compare what stored results depend on with what is there now.

    Parameters
    ----------
    each : Experiment
        The experiment.
    data : str
        Name of the dataset.

    Returns
    -------
    list of str
        The reasons why the results are out of date; empty if they are up to date.

    Raises
    ------
    StoredResultsError
        If no results are stored.
    FileNotFoundError
        If the files of the dataset are missing.
    """
    before = results.stored_fingerprint(each.name, data)
    return before.reasons(fingerprint(each, data))


def run_experiment(
    each: Experiment, data: str, processes: int = 1, scheduler: str = ""
) -> pd.DataFrame:
    """Run an experiment at the size of the paper on one dataset, and store the rows.

    Each finished unit is saved at once. After an interruption, the same call continues with the
    missing units. CPU seconds and parts are added up.

    Parameters
    ----------
    each : Experiment
        The experiment.
    data : str
        Name of the dataset.
    processes : int, default 1
        Number of processes on this machine.
    scheduler : str, optional
        Address of a Dask scheduler whose workers run the units instead.

    Returns
    -------
    pandas.DataFrame
        The rows as they were stored.

    Raises
    ------
    FileNotFoundError
        If the files of the dataset are missing.
    KeyError
        If the experiment does not run on this dataset.
    """
    now = fingerprint(each, data)
    context = context_of(each, data, now.setting)
    units = each.units_of(data, context, now.setting)
    name = f"{each.name}-{data.replace(' ', '-')}-{now.digest}"
    finished = Checkpoints(results.UNFINISHED / name)
    with environment.alone(name), results.peak_memory() as peak:
        part = (finished.read("parts") or 0) + 1
        finished.write("parts", part)
        todo = [unit for unit in units if finished.read(unit) is None]
        made = _evaluate_units(each, data, context, now.setting, todo, processes, scheduler)
        for position, rows, seconds in made:
            finished.write(todo[position], {"rows": rows, "seconds": seconds})
        whole = [(unit, finished.read(unit)) for unit in units]
        frame = results.frame(data, each.unit, [(unit, done["rows"]) for unit, done in whole])
        results.store(
            each.name,
            data,
            frame,
            now,
            units=len(units),
            parts=part,
            seconds=round(sum(done["seconds"] for _, done in whole), 1),
            peak_memory_mb=round(max(peak) / 1e6),
            date=str(calendar.today()),
        )
        finished.remove()
    return results.read(each.name, data)


def recheck(each: Experiment, data: str, n_units: int = 2, seed: int = 0) -> list[str]:
    """Compute some stored units again; if all are identical, mark the results as up to date.

    If there are no differences, today's fingerprint, the commit and the units are written beside
    the rows. A changed setting, package or data file changes the meaning and is never accepted.

    Parameters
    ----------
    each : Experiment
        The experiment.
    data : str
        Name of the dataset.
    n_units : int, default 2
        Number of units to compute again.
    seed : int, default 0
        Seed of their choice.

    Returns
    -------
    list of str
        The differences; empty if the results are up to date now.

    Raises
    ------
    StoredResultsError
        If no results are stored.
    FileNotFoundError
        If the files of the dataset are missing.
    """
    before, now = results.stored_fingerprint(each.name, data), fingerprint(each, data)
    if before.setting != now.setting or before.checksum != now.checksum:
        return [why for why in before.reasons(now) if not why.startswith("code")]
    known = each.stored_units(data)
    rng = np.random.default_rng(seed)
    chosen = [known[i] for i in sorted(rng.permutation(len(known))[:n_units])]
    for unit in chosen:
        found = each.contradictions(data, unit)
        if found:
            return [f"unit {unit}: {why}" for why in found]
    facts = results.provenance(each.name, data)
    facts["rechecked"] = {
        "commit": _commit(),
        "units": results.plain(chosen),
        "date": str(calendar.today()),
    }
    results.stamp(each.name, data, now, facts)
    return []


def _commit() -> str:
    command = ["git", "-C", str(environment.ROOT), "rev-parse", "--short=12", "HEAD"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip()


def table(chosen: Sequence[Experiment]) -> pd.DataFrame:
    """List experiments with the cost and the state of their stored results.

    Parameters
    ----------
    chosen : sequence of Experiment
        The experiments.

    Returns
    -------
    pandas.DataFrame
        Index: experiment, data; columns: answers, units, seconds, computed, state.
    """
    rows = []
    for each in chosen:
        for data in each.at_paper:
            fresh = status(each, data)
            facts = (
                results.provenance(each.name, data) if results.is_stored(each.name, data) else {}
            )
            answers = ", ".join(f"{each.paper} {what}".strip() for what in each.answers)
            rows.append(
                {
                    "experiment": each.name,
                    "data": data,
                    "answers": answers,
                    "units": facts.get("units", ""),
                    "seconds": facts.get("seconds", ""),
                    "computed": facts.get("date", ""),
                    "state": fresh,
                }
            )
    return pd.DataFrame(rows).set_index(["experiment", "data"])


FRESH, ABSENT = "up to date", "data missing"


def status(each: Experiment, data: str) -> str:
    """Say whether stored results are up to date.

    Parameters
    ----------
    each : Experiment
        The experiment.
    data : str
        Name of the dataset.

    Returns
    -------
    str
        `FRESH`, `ABSENT` (the data are missing), or "out of date: " with the reasons.
    """
    try:
        why = reasons_out_of_date(each, data)
    except FileNotFoundError:
        return ABSENT
    except results.StoredResultsError:
        return "out of date: no results are stored"
    return f"out of date: {'; '.join(why)}" if why else FRESH


def _as_python(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value

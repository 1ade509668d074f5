"""Adjust what a chapter is asked to run to the users that the data have.

A reader's own data may have few users, few weeks, or days instead of hours; a requested group may
be larger than the population. What cannot be run at all is refused with a ValueError that names the
data and what is needed, before any computation. What can be run with other sizes is run with them,
and a printed sentence says so. If everything is possible, nothing is printed and nothing changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from lib.datasets import is_file, label, load
from lib.papers.knock_knock import experiments as kk
from lib.papers.threshold_attacks import experiments as thresholds
from lib.papers.threshold_attacks.experiments import Scenario
from lib.papers.zero_knowledge import experiments as zk
from lib.traces import NULL, Traces

WEEK = 168  # hours
Own = dict[str, dict[str, Any]]  # dataset -> what of a setting is its own


def display_names(datasets: Iterable[str]) -> dict[str, str]:
    """Return the name of each dataset on a page, and print a caveat for a reader's own data.

    Parameters
    ----------
    datasets : iterable of str
        Names of datasets or paths of files.

    Returns
    -------
    dict of str to str
        Name on the page -> name of the dataset or path of the file.
    """
    found = {label(source): source for source in datasets}
    for name in (name for name, source in found.items() if is_file(source)):
        print(
            f"{name}: your own data. No paper has published numbers about them, and what the "
            "text says of results was written about other data."
        )
    return found


def load_populations(
    datasets: Sequence[str],
    path: str = "",
    records: str = "",
    columns: Mapping[str, str] | None = None,
) -> dict[str, Traces]:
    """Load the datasets of a run of the chapter, or the records of a reader.

    Parameters
    ----------
    datasets : sequence of str
        Names of datasets, or files with a card.
    path : str
        Where Cabspotting lies; empty for the data folder.
    records : str
        A reader's own table of records, which takes the place of the datasets; empty for none.
    columns : mapping of str to str, optional
        Which columns of that table are user, time, and roi or lat and lon.

    Returns
    -------
    dict of str to lib.traces.Traces
        The traces by the name that figures and tables show.
    """
    if records:
        return {"records": load("records", path=records, columns=dict(columns or {}) or None)}
    options: dict[str, dict[str, Any]] = {"cabspotting": {"path": path or None}}
    called = display_names(datasets)
    return {name: load(file, **options.get(name, {})) for name, file in called.items()}


def hourly(name: str, traces: Traces, n_epochs: int, what: str) -> None:
    """Check that the epochs of traces are hours, and that there are enough of them.

    Parameters
    ----------
    name : str
        Name of the data, for the message.
    traces : Traces
        The traces.
    n_epochs : int
        Smallest number of hours.
    what : str
        What needs them, for the message.

    Raises
    ------
    ValueError
        If the epochs are not hours, or too few.
    """
    length = traces.epochs[1] - traces.epochs[0] if traces.n_epochs > 1 else None
    if length is not None and length != pd.Timedelta("1h"):
        raise ValueError(f"{name} has epochs of {length}; {what} needs hours: say epoch: 1h")
    if traces.n_epochs < n_epochs:
        raise ValueError(f"{name} has {traces.n_epochs} hours; {what} needs {n_epochs} at least")


def only(own: Own, *names: str, **renamed: str) -> Own:
    """Select settings by name for every dataset.

    Parameters
    ----------
    own : dict of str to dict
        Settings of each dataset.
    *names : str
        Settings to keep.
    **renamed : str
        Settings to keep under a new name: `new="old"`.

    Returns
    -------
    dict of str to dict
        The selected settings of each dataset.
    """
    chosen = {name: name for name in names} | renamed
    return {data: {new: each[old] for new, old in chosen.items()} for data, each in own.items()}


# -- groups ----------------------------------------------------------------------------------------


def distinct(size: int, *asked: tuple[int, int]) -> bool:
    """Check whether there are enough different groups with and without a target.

    Parameters
    ----------
    size : int
        Size of the groups.
    *asked : (int, int)
        Pairs of the number of users to draw from and the number of groups, at most 100,000.

    Returns
    -------
    bool
        Whether every pair allows that many different groups of each kind.
    """
    return all(
        1 <= size <= pool and n <= min(_ways(pool, size - 1), _ways(pool, size))
        for pool, n in asked
    )


def _ways(pool: int, size: int) -> int:
    """Count subsets; of a large pool a smaller number, but a large one."""
    fewer = min(size, pool - size)
    return math.comb(pool, min(fewer, 3) if pool >= 100 else fewer)


def _nearest(name: str, what: str, wanted: int, fits: Callable[[int], bool], most: int) -> int:
    """Return the possible size nearest to the requested one; ValueError if there is none."""
    start = min(wanted, most)
    outward = (size for far in range(most) for size in (start - far, start + far))
    found = next((size for size in outward if 2 <= size <= most and fits(size)), 0)
    if not found:
        raise ValueError(
            f"{name}: {what} is {wanted}; with so few users, groups of no size give this "
            "number of different groups: ask for fewer groups, or use more users"
        )
    if found != wanted:
        print(f"{name}: groups of {found} instead of {wanted} ({what}), as its users allow.")
    return found


def _those(
    name: str, what: str, wanted: Sequence[int], fits: Callable[[int], bool], most: int
) -> list[int]:
    """Return the possible sizes of a list, or the one nearest to the first if none is possible."""
    found = [size for size in wanted if fits(size)]
    if not found:
        return [_nearest(name, what, wanted[0], fits, most)]
    if len(found) < len(wanted):
        left = ", ".join(str(size) for size in wanted if size not in found)
        print(f"{name}: groups of {left} are left out ({what}): its users do not allow them.")
    return found


def _third(name: str, candidates: int, n_per_third: int, who: str) -> int:
    """Return how many targets each third of the candidates can have."""
    most = candidates // 3
    if most < 2:
        raise ValueError(f"{name} has {candidates} users {who}; 6 were expected, two in each third")
    if n_per_third > most:
        print(f"{name}: {most} targets in each third instead of {n_per_third} (n_per_third).")
    return min(n_per_third, most)


# -- chapters --------------------------------------------------------------------------------------


def foundations(populations: Mapping[str, Traces], group_sizes: Sequence[int]) -> list[int]:
    """Keep the group sizes that all populations allow.

    Parameters
    ----------
    populations : mapping of str to Traces
        The populations.
    group_sizes : sequence of int
        Requested sizes of groups; a group with the target counts it, too.

    Returns
    -------
    list of int
        The possible sizes.

    Raises
    ------
    ValueError
        If a population has fewer than 3 users.
    """
    fewest = min(populations, key=lambda name: populations[name].n_users)
    most = populations[fewest].n_users - 1
    if most < 2:
        raise ValueError(f"{fewest} has {most + 1} users; at least 3 were expected")
    return _those(fewest, "group_sizes", group_sizes, lambda size: size <= most, most)


def lasting(populations: Mapping[str, Traces], lag: str) -> dict[str, Traces]:
    """Keep the populations in which some epoch has another one `lag` later.

    Parameters
    ----------
    populations : mapping of str to Traces
        The populations.
    lag : str
        A length of time.

    Returns
    -------
    dict of str to Traces
        The populations kept.
    """
    found = {}
    for name, traces in populations.items():
        if traces.epochs.isin(traces.epochs + pd.Timedelta(lag)).any():
            found[name] = traces
        else:
            print(
                f"{name}: no epoch has another one {lag} later (lag): nothing can be said about "
                "what its users repeat."
            )
    return found


def knock_knock(
    populations: Mapping[str, Traces], *, alphas: Mapping[str, float], **asked: Any
) -> Own:
    """Adjust the settings of the Knock-Knock games to each dataset.

    Parameters
    ----------
    populations : mapping of str to Traces
        The populations.
    alphas : mapping of str to float
        Share of users that the attacker of the subset prior knows, where the reader sets it.
    **asked
        Requested subset_sizes, past_sizes, middle, length_size, n_per_third, n_train, n_test,
        beta_same and beta_different.

    Returns
    -------
    dict of str to dict
        For each dataset its alpha, subset_sizes, past_sizes, middle, length_size, n_per_third.
    """
    return {
        name: _knock_knock(name, traces, kk.share_known(name, alphas.get(name)), **asked)
        for name, traces in populations.items()
    }


def _knock_knock(
    name: str,
    traces: Traces,
    alpha: float,
    *,
    subset_sizes: Sequence[int],
    past_sizes: Sequence[int],
    middle: int,
    length_size: int,
    n_per_third: int,
    n_train: int,
    n_test: int,
    beta_same: int,
    beta_different: int,
) -> dict[str, Any]:
    hourly(name, traces, 2 * WEEK, "Knock-Knock (a week to learn from, and one released)")
    others = traces.n_users - 1
    known = max(0, math.floor(alpha * traces.n_users + 1e-9) - 1)
    unknown = others - known
    subset = [(known, n_train // 2), (unknown, n_test // 2)]
    same = [(others, beta_same // 2)]
    past = [*same, (others, (beta_different + n_test) // 2)]
    # the learning curve's most training groups; the cautious attacker's 2,000 test groups
    whole = [(known, max(200, n_train) // 2), (unknown, 1000), (others, beta_different // 2 + 1000)]

    def among(*games: tuple[int, int], most: int = others) -> Callable[[int], bool]:
        return lambda size: size <= most and distinct(size, *games)

    smaller = among(*subset, most=min(known, unknown) - 1)
    middling = among(*subset, *whole)
    return {
        "alpha": alpha,
        "subset_sizes": _those(name, "subset_sizes", subset_sizes, smaller, others),
        "past_sizes": _those(name, "past_sizes", past_sizes, among(*past), others),
        "middle": _nearest(name, "middle", middle, middling, others),
        "length_size": _nearest(name, "length_size", length_size, among(*same), others),
        "n_per_third": _third(
            name,
            _candidates(traces),
            n_per_third,
            "with four visits in the first week and one in the last",
        ),
    }


def _candidates(traces: Traces) -> int:
    """Count the users who may be targets of `knock_knock.targets`."""
    somewhere = traces.select(rois=[roi for roi in traces.rois.index if roi != NULL])
    first, *_, last = kk.weeks(traces)
    in_first, in_last = (somewhere.select(epochs=np.asarray(w)).visits() for w in (first, last))
    return int(((in_first >= 4) & (in_last >= 1)).sum())


def largest(own: Own) -> Own:
    """Keep only the largest of each dataset's past_sizes.

    Parameters
    ----------
    own : dict of str to dict
        Settings as `knock_knock` returns them.

    Returns
    -------
    dict of str to dict
        For each dataset its alpha, n_per_third and past_sizes with one size.
    """
    found = only(own, "alpha", "n_per_third", "past_sizes")
    return {name: each | {"past_sizes": [max(each["past_sizes"])]} for name, each in found.items()}


def defenses(
    populations: Mapping[str, Traces], *, group_size: int, n_groups: int, n_per_third: int
) -> Own:
    """Adjust the settings of the games against defenses to each dataset.

    Parameters
    ----------
    populations : mapping of str to Traces
        The populations.
    group_size : int
        Requested size of the groups.
    n_groups : int
        Number of groups of a game.
    n_per_third : int
        Requested number of targets in each third of the users.

    Returns
    -------
    dict of str to dict
        For each dataset its group_size and n_per_third.
    """
    own: Own = {}
    for name, traces in populations.items():
        hourly(name, traces, WEEK, "a week's release")
        others = traces.n_users - 1
        week = traces.select(rois=[roi for roi in traces.rois.index if roi != NULL])
        busy = int((week.select(epochs=np.arange(WEEK)).visits() >= 4).sum())
        games = [(others, n_groups // 2)]
        own[name] = {
            "group_size": _nearest(
                name,
                "group_size",
                group_size,
                lambda m, games=games: distinct(m, *games),  # type: ignore[misc]
                others,
            ),
            "n_per_third": _third(name, busy, n_per_third, "with four visits in the first week"),
        }
    return own


def zero_knowledge(populations: Mapping[str, Traces], n_targets: int) -> dict[str, int]:
    """Return how many targets each population has for the zero-knowledge attack.

    Parameters
    ----------
    populations : mapping of str to Traces
        The populations.
    n_targets : int
        Requested number of targets.

    Returns
    -------
    dict of str to int
        The number of targets of each population.

    Raises
    ------
    ValueError
        If the places cannot be joined by triangles, or fewer than 2 users have enough visits.
    """
    found = {}
    for name, traces in populations.items():
        places = traces.rois[["lat", "lon"]].drop_duplicates().to_numpy()
        if len(places) < 3 or np.linalg.matrix_rank(places - places[0]) < 2:
            raise ValueError(
                f"{name}: its places are too few, or in a line; a synthetic trace "
                "needs places that can be joined by triangles"
            )
        busy = int((traces.visits() >= zk.LEAST_VISITS).sum())
        if busy < 2:
            raise ValueError(f"{name} has {busy} users with {zk.LEAST_VISITS} visits; 2 at least")
        if busy < n_targets:
            print(f"{name}: {busy} targets instead of {n_targets} (n_targets).")
        found[name] = min(n_targets, busy)
    return found


def sizes(populations: Mapping[str, Traces], wanted: Sequence[int], of: Own) -> Own:
    """Keep the group sizes for which each population's pools are large enough.

    Parameters
    ----------
    populations : mapping of str to Traces
        The populations.
    wanted : sequence of int
        Requested group sizes.
    of : dict of str to dict
        For each dataset what `lib.papers.zero_knowledge.experiments.sizes_of` returns.

    Returns
    -------
    dict of str to dict
        For each dataset its n_reference and sizes.
    """
    own: Own = {}
    for name, traces in populations.items():
        known = of[name]["n_reference"]
        most = min(known, traces.n_users - known - 1)
        fits = _those(name, "sizes", wanted, lambda m, most=most: m <= most, most)  # type: ignore[misc]
        own[name] = {"n_reference": known, "sizes": fits}
    return own


def scenes(found: Mapping[str, Scenario]) -> dict[str, Scenario]:
    """Limit the groups of scenarios to a quarter of the users, which is the smallest pool.

    Parameters
    ----------
    found : mapping of str to Scenario
        The scenarios.

    Returns
    -------
    dict of str to Scenario
        The scenarios with possible group sizes.

    Raises
    ------
    ValueError
        If a scenario has too few users.
    """
    fitted = {}
    for name, scenario in found.items():
        most = (scenario.traces.n_users - 1) // 4
        if most < 2 or scenario.traces.n_users < 2 * scenario.runs:
            fewest = max(9, 2 * scenario.runs)
            raise ValueError(
                f"{name} has {scenario.traces.n_users} users; at least {fewest} were "
                f"expected (runs is {scenario.runs})"
            )
        if scenario.group_size > most:
            print(
                f"{name}: {most} others in a group instead of {scenario.group_size} (group_size): "
                "a quarter of its users is a pool."
            )
        fitted[name] = replace(scenario, group_size=min(scenario.group_size, most))
    return fitted


def load_attackers(datasets: Iterable[str], **settings: Any) -> dict[str, Scenario]:
    """Load the informed attacker and, for each dataset, the auxiliary attacker.

    Parameters
    ----------
    datasets : iterable of str
        Names of datasets or paths of files.
    **settings : object
        Arguments of `lib.papers.threshold_attacks.experiments.load_scenarios`.

    Returns
    -------
    dict of str to Scenario
        First the informed attacker, on the targets of the first dataset; then the auxiliary
        attacker on each dataset, with the group sizes that its users allow.
    """
    return thresholds.add_informed(
        scenes(thresholds.load_scenarios(display_names(datasets), **settings))
    )

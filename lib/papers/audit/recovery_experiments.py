"""Recovering everybody's trajectory from counts alone, with a positive and a negative control.

Source: Xu et al., Trajectory Recovery From Ash (WWW 2017). The attack is the audit's
(`lib.audit.trajectories.assignment`). The positive control are made-up people who are always
somewhere, for whom it must work. The negative control are people who were *not* counted: recovered
trajectories have no names, so each true one is compared with the most similar, and what that finds
for people who are not in the counts is no recovery.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from lib import audit
from lib.audit.games import Game
from lib.audit.trajectories import assignment
from lib.datasets import load
from lib.execution.results import Row
from lib.papers.experiments import experiment
from lib.randomness import stream
from lib.traces import Traces

WALKERS = "simulated"
_HOURS = 14 * 24
_WORK = range(9, 17)  # hours of a working day


def walkers(n_people: int, n_zones: int, rng: np.random.Generator) -> Traces:
    """Make up people who are somewhere in every hour of two weeks.

    Each has a home and a place of work, drawn from a square of zones. They work from nine to five
    from Monday to Friday, begin up to an hour early or late, and spend one evening hour in ten in a
    zone beside their home.

    Parameters
    ----------
    n_people : int
        Number of people.
    n_zones : int
        Number of zones, a square number.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Traces
        One zone for each person and hour.

    Raises
    ------
    ValueError
        If the number of zones is not a square.
    """
    side = round(n_zones**0.5)
    if side**2 != n_zones:
        raise ValueError(f"n_zones is {n_zones}; a square number was expected, such as 100")
    home, work = rng.integers(0, n_zones, (2, n_people))
    shift = rng.integers(-1, 2, n_people)
    hour = np.arange(_HOURS) % 24
    working_day = np.arange(_HOURS) // 24 % 7 < 5
    clock = (hour[None] - shift[:, None]) % 24
    at_work = working_day & np.isin(clock, _WORK)
    beside = np.clip(home // side + rng.integers(-1, 2, (_HOURS, n_people)), 0, side - 1) * side
    beside = (beside + home % side).T
    strolls = (hour >= 18) & ~at_work & (rng.random((n_people, _HOURS)) < 0.1)
    place = np.where(at_work, work[:, None], np.where(strolls, beside, home[:, None]))
    row, column = np.divmod(np.arange(n_zones), side)
    rois = pd.DataFrame({"lat": 0.01 * row, "lon": 0.01 * column}, pd.RangeIndex(n_zones))
    epochs = pd.date_range("2024-01-01", periods=_HOURS, freq="1h", tz="UTC")
    who = np.repeat(np.arange(n_people), _HOURS)
    when = np.tile(np.arange(_HOURS), n_people)
    users = pd.RangeIndex(n_people)
    return Traces.from_codes(who, place.ravel(), when, users, rois, epochs)


def populations(data: str, n_people: int = 1200, seed: int = 2018) -> dict[str, Traces]:
    """Load a dataset, or make up people in few and in many zones.

    Parameters
    ----------
    data : str
        Name of the dataset, or "simulated".
    n_people : int
        Number of made-up people.
    seed : int
        Seed of the made-up people.

    Returns
    -------
    dict of str to Traces
        Name of a population to its traces.
    """
    if data != WALKERS:
        return {data: load(data)}
    sizes = (100, 625)
    return {f"walkers, {n} zones": walkers(n_people, n, stream(seed, "walkers", n)) for n in sizes}


@experiment(
    "audit-recovery",
    unit=("population",),
    units=list,
    load=populations,
    at_paper={name: {} for name in (WALKERS, "valleybike", "cabspotting", "flights-by-number")},
)
def recovery(people: dict[str, Traces], population: str, *, seed: int = 2018) -> Iterator[Row]:
    """Recover all trajectories from raw counts, and from counts with event-level noise.

    Source: Xu et al. 2017; the control is ours.

    Parameters
    ----------
    people : mapping of str to Traces
        Populations by name.
    population : str
        Name of the population.
    seed : int
        Seed of the roles, the noise and the ties.

    Returns
    -------
    iterator of dict
        A row for each release. Columns: release, people (who are counted), recovered (mean share of
        the steps of counted people that the matched trajectory has), chance (the same counts,
        assigned at random in each hour), control (people who are not counted), above chance and
        above control (differences of the means); each with its standard error ("se"). There is a
        recovery where both differences are above 0.
    """
    for release in ("raw", "event-epsilon-1"):
        found = assignment(Game(people[population], audit.parse(release), seed, True))
        row: Row = {"release": release, "people": len(found.attack)}
        parts = {
            "recovered": found.attack,
            "chance": found.baseline,
            "control": found.control,
            "above chance": found.attack - found.baseline,
        }
        for name, shares in parts.items():
            row |= {name: shares.mean(), f"{name} se": shares.std(ddof=1) / len(shares) ** 0.5}
        spread = [each.var(ddof=1) / len(each) for each in (found.attack, found.control)]
        yield row | {
            "above control": found.attack.mean() - found.control.mean(),
            "above control se": float(np.sqrt(sum(spread))),
        }

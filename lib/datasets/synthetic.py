"""Synthetic surrogates for the papers' data: commuters ("TFL") and taxis ("SFC").

The TFL data are not public, and not every reader has downloaded SFC. These populations are
calibrated to the papers' published means and standard deviations, and have the papers' contrast
(regular and sparse against irregular and dense); everything else they show is a property of this
model, not of London or San Francisco.

Both are generated alike. Each user first gets three numbers (visits, active epochs and unique
ROIs) from a distribution with the published moments, then a trace with exactly those numbers: the
epochs that score highest, in them the places that score highest, and finally, for each of the
user's places that was left out, the least regular visit to a place that is visited again.

The three numbers come from a shifted lattice, not from independent draws, so that the moments hold
for every seed and already for a few hundred users. User i is the same whatever `n_users` is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from scipy.signal import lfilter

from lib.datasets.cabspotting import SFC_GRID
from lib.randomness import child_generator
from lib.traces import Traces
from lib.validation import check_integer, check_real

_WEEK = 168  # epochs
_N_STATIONS = 582
_CITY = (51.512, -0.125)  # latitude and longitude of the middle of the network
_KM = (1 / 111.2, 1 / 69.2)  # degrees of latitude and longitude in a kilometre there
_BLOCK = 128  # users who share a random generator

# Popularity of stations and of cells: (exponent, floor) of its fall from the first to the last.
# Fitted by trial, like _WEEK_4, to meet the means and standard deviations a station and a cell.
_STATION_FALL = (5.4, 0.003)
_CELL_FALL = (3.2, 0.0015)
_WEEK_4 = 0.39  # additional inclination to travel in week 4, in log odds
# Scale of what differs between weeks, chosen by one printed number (experiment `crowd-calibration`)
_WEEKLY_NOISE = 1.75

# Relative number of touches in the hours of a day.
_WORKING_DAY = "1 .2 .1 .1 .2 10 50 99 99 60 40 40 45 45 45 50 70 99 99 70 50 40 35 20"
_DAY_OFF = "1 .5 .1 .1 .1 .5 4 12 20 35 50 55 55 55 55 50 50 50 45 40 35 30 30 20"
# Share of taxis on the road in the hours of a day, UTC: San Francisco's clocks show seven less.
_ON_THE_ROAD = "75 77 79 79 78 77 75 70 60 48 38 40 47 57 63 67 70 70 72 73 75 76 76 74"


class _Numbers(NamedTuple):
    """Numbers that a trace must have: int arrays, one entry a user."""

    visits: np.ndarray
    active: np.ndarray
    places: np.ndarray


_Visits = tuple[np.ndarray, np.ndarray, np.ndarray]  # aligned codes: user, ROI, epoch


def load_commuters(
    n_users: int = 10_000, seed: int = 2010, null: bool = False, weekly_noise: float = _WEEKLY_NOISE
) -> Traces:
    """Generate synthetic commuters, a surrogate for the papers' TFL data: regular and sparse.

    There are 582 invented stations around London's coordinates, and the 672 hours of the four
    weeks from Monday 1 March 2010, UTC. Each commuter has a timetable for the week (hours, and one
    or two stations for each: home and work at peak hours on working days) and keeps to it, with
    some noise.

    Calibration inputs, so that agreement with them proves nothing (aggregation privacy, Sec. 4.1,
    null left out; KK Sec. V-A is the same with null counted):

    - active epochs 115 +- 21 and visits 171 +- 26, with null hours 728 +- 16: active epochs and the
      visits beyond one in each (56 +- 16) are gamma, their correlation -0.03
    - unique ROIs 19 +- 9 (KK, null counted: 20 +- 9), gamma
    - visits a station in week 4, 818 +- 1,361, and hours with commuters a station, 71 +- 54, for
      10,000 commuters: they set how popularity falls from station to station, and that week 4 has
      28% of all visits, which 818 x 582 of 10,000 x 171 requires
    - the profiling error of last week as a prior, 0.17 (aggregation privacy, Fig. 12): it sets how
      much the weeks of a commuter differ. Weekly recurrence is 0.43 on average, where 0.06 would
      be chance

    Not met: KK's largest and smallest numbers of visits with null hours, 881 and 673 (here about
    800 and 685), and the weekly maxima. Chosen freely: everything else.

    Parameters
    ----------
    n_users : int
        Number of users, at least 1; the papers have 10,000.
    seed : int
        Seed of everything, stations included; at least 0.
    null : bool
        Whether to add the ROI "null" for each epoch in which a commuter is nowhere (KK counts it,
        aggregation privacy does not).
    weekly_noise : float
        Scale of what differs between weeks, on which recurrence depends: habits differ between
        hours by about 1. The default was chosen by one number that the paper prints (see the
        experiment `crowd-calibration`); it was 0.5 in version 0.1.

    Returns
    -------
    Traces
        The surrogate.

    Raises
    ------
    ValueError
        If n_users or seed is not a whole number in range, or weekly_noise is not positive.
    """
    check_integer("n_users", n_users, 1)
    check_integer("seed", seed)
    if not 0 < check_real("weekly_noise", weekly_noise) < np.inf:
        raise ValueError(f"weekly_noise is {weekly_noise}; a finite number above 0 was expected")
    stations, popularity = _stations(child_generator(seed, 0))
    epochs = pd.date_range("2010-03-01", periods=4 * _WEEK, freq="1h", tz="UTC", name="epoch")
    near = _closeness(stations)

    def traces_of(block: _Numbers, rng: np.random.Generator) -> _Visits:
        return _commute(block, rng, popularity, near, weekly_noise)

    numbers = _commuter_numbers(_lattice(n_users, seed))
    visits = _in_blocks(numbers, seed, traces_of)
    traces = Traces.from_codes(*visits, pd.RangeIndex(n_users), stations, epochs)
    return traces.with_null() if null else traces


def load_cabs(n_users: int = 534, seed: int = 2008, null: bool = False) -> Traces:
    """Generate synthetic taxis, a surrogate for the papers' SFC data: irregular and dense.

    The ROIs are the 100 cells of `SFC_GRID`, the epochs the 504 hours of the three weeks from
    Monday 19 May 2008, UTC. Cabs work in shifts and meanwhile roam the cells around a point that
    drifts through the city; weeks do not resemble one another.

    Calibration inputs, so that agreement with them proves nothing (aggregation privacy, Sec. 4.1,
    null left out; KK Sec. V-A, null counted):

    - active epochs 340 +- 94, beta on 80 to 480
    - visits 3,663 +- 1,116, and with null hours 3,827 +- 1,069: together these require a
      correlation of 0.53 between visits and active epochs, so that is what these cabs have. The
      real ones have 0.97, and no data of theirs can meet all three standard deviations
    - unique ROIs 77 +- 6 (KK, null counted: 78 +- 6), normal
    - visits a cell in week 3, 6,714 +- 7,624, and hours with cabs a cell, 135 +- 61, for 534 cabs:
      they set how popularity falls from cell to cell

    Not met: KK's median of visits with null hours, 4,111 (here about 3,700): few cabs are nearly
    idle, and the distribution is less skewed. Chosen freely: everything else, including weekly
    recurrence (a mean of about 0.18, where 0.17 would be chance; the real data have 0.23).

    Parameters
    ----------
    n_users : int
        Number of users, at least 1; the papers have 534.
    seed : int
        Seed of everything, the cells' popularity included; at least 0.
    null : bool
        Whether to add the ROI "null" for each epoch in which a cab is nowhere (KK counts it,
        aggregation privacy does not).

    Returns
    -------
    Traces
        The surrogate.

    Raises
    ------
    ValueError
        If n_users or seed is not a whole number in range.
    """
    check_integer("n_users", n_users, 1)
    check_integer("seed", seed)
    popularity = _cell_popularity(child_generator(seed, 0))
    epochs = pd.date_range("2008-05-19", periods=3 * _WEEK, freq="1h", tz="UTC", name="epoch")

    def traces_of(block: _Numbers, rng: np.random.Generator) -> _Visits:
        return _roam(block, rng, popularity, len(epochs))

    visits = _in_blocks(_cab_numbers(_lattice(n_users, seed)), seed, traces_of)
    traces = Traces.from_codes(*visits, pd.RangeIndex(n_users), SFC_GRID.rois(), epochs)
    return traces.with_null() if null else traces


# -- for both ------------------------------------------------------------------------------------


def _lattice(n_users: int, seed: int) -> np.ndarray:
    """Three uniform numbers in (0, 1) a user, (n_users, 3): Kronecker's sequence, shifted by seed.

    Any first n are spread evenly: their mean and variance err by less than n independent draws'.
    """
    root = 1.2207440846057596  # of x**4 = x + 1: its powers are far from all fractions
    step = 1 / root ** np.arange(1, 4)
    shift = child_generator(seed, 1).random(3)
    points = (shift + np.arange(n_users)[:, None] * step) % 1
    return np.clip(points, 1e-9, 1 - 1e-9)


def _in_blocks(
    numbers: _Numbers, seed: int, traces_of: Callable[[_Numbers, np.random.Generator], _Visits]
) -> _Visits:
    """Call `traces_of` on blocks of users with a generator each; the last block is padded.

    The padding is discarded; it makes user i independent of n_users.
    """
    n_users = len(numbers.visits)
    parts = []
    for number, first in enumerate(range(0, n_users, _BLOCK)):
        padded = np.minimum(np.arange(first, first + _BLOCK), n_users - 1)
        block = _Numbers(*(each[padded] for each in numbers))
        rng = child_generator(seed, 2 + number)
        user, roi, epoch = traces_of(block, rng)
        kept = user < n_users - first
        parts.append((first + user[kept], roi[kept], epoch[kept]))
    user, roi, epoch = (np.concatenate(column) for column in zip(*parts, strict=True))
    return user, roi, epoch


def _largest(score: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Mask (users, n) of each row's `count` largest scores."""
    chosen = np.zeros(score.shape, bool)
    for row, n_smaller in enumerate(score.shape[1] - count):
        if n_smaller < score.shape[1]:
            chosen[row, np.argpartition(score[row], n_smaller)[n_smaller:]] = True
    return chosen


def _cover(
    user: np.ndarray, rank: np.ndarray, regularity: np.ndarray, n_places: np.ndarray
) -> np.ndarray:
    """Change the visits' ranks so that each user visits all places 0 to n_places - 1.

    user, rank, regularity  aligned, one entry a visit; a user needs n_places visits or more

    A missing place takes the least regular of the visits to places that are visited again. It is
    new to the user, so no hour gets the same place twice.
    """
    used = np.zeros((len(n_places), n_places.max()), bool)
    used[user, rank] = True
    missing = ~used & (np.arange(used.shape[1]) < n_places[:, None])

    by_place = np.lexsort((-regularity, user * used.shape[1] + rank))
    again = (np.diff(user[by_place]) == 0) & (np.diff(rank[by_place]) == 0)
    spare = by_place[1:][again]
    spare = spare[np.lexsort((regularity[spare], user[spare]))]
    start = np.searchsorted(user[spare], np.arange(len(n_places)))
    nth = np.arange(len(spare)) - start[user[spare]]
    taken = spare[nth < missing.sum(axis=1)[user[spare]]]

    covered = rank.copy()
    covered[taken] = np.nonzero(missing)[1]
    return covered


def _popularity(wish: np.ndarray, exponent: float, floor: float) -> np.ndarray:
    """Numbers with mean 1 in the order of `wish`: the same for every seed, in another order."""
    order = np.argsort(np.argsort(wish))
    popularity = ((order + 0.5) / len(wish)) ** exponent + floor
    return popularity / popularity.mean()


def _gamma(quantile: np.ndarray, mean: float, sd: float) -> np.ndarray:
    values = stats.gamma.ppf(quantile, (mean / sd) ** 2, scale=sd**2 / mean)
    return np.rint(values).astype(np.int64)


def _shares(percent: str) -> np.ndarray:
    return np.array(percent.split(), float) / 100


# -- commuters -----------------------------------------------------------------------------------


def _commuter_numbers(quantile: np.ndarray) -> _Numbers:
    active = _gamma(quantile[:, 0], 115, 21)
    linked = (26**2 - 21**2 - 16**2) / 2 / 21 / 16  # correlation of the two: -0.03
    normal = stats.norm.ppf(quantile[:, :2]) @ [linked, np.sqrt(1 - linked**2)]
    extra = np.minimum(_gamma(stats.norm.cdf(normal), 56, 16), active)  # two stations an hour
    places = np.clip(_gamma(quantile[:, 2], 19, 9), 2, active + extra)
    return _Numbers(active + extra, active, places)


def _stations(rng: np.random.Generator) -> tuple[pd.DataFrame, np.ndarray]:
    """Stations along lines that leave the city's centre, and their popularity, largest there."""
    n_lines = 26
    line = np.arange(_N_STATIONS) % n_lines
    angle = 2 * np.pi * line / n_lines + rng.normal(0, 0.09, _N_STATIONS)
    distance = 26 * ((np.arange(_N_STATIONS) + rng.random(_N_STATIONS)) / _N_STATIONS) ** 0.8  # km
    places = {
        "lat": _CITY[0] + distance * np.sin(angle) * _KM[0],
        "lon": _CITY[1] + distance * np.cos(angle) * _KM[1],
    }
    ids = pd.Index([f"S{number:03d}" for number in range(_N_STATIONS)], name="roi")
    wish = -distance / 9 + rng.gumbel(size=_N_STATIONS)
    return pd.DataFrame(places, ids), _popularity(wish, *_STATION_FALL)


def _closeness(stations: pd.DataFrame) -> np.ndarray:
    """Minus the distance of b from a or from the centre, the smaller: (stations, stations)."""
    north = (stations["lat"].to_numpy() - _CITY[0]) / _KM[0]
    east = (stations["lon"].to_numpy() - _CITY[1]) / _KM[1]
    apart = np.hypot(north[:, None] - north, east[:, None] - east)
    return -np.minimum(apart, np.hypot(north, east)) / 12  # km for a factor e


def _commute(
    numbers: _Numbers,
    rng: np.random.Generator,
    popularity: np.ndarray,
    near: np.ndarray,
    weekly_noise: float,
) -> _Visits:
    """The visits of a block of commuters."""
    n_users = len(numbers.visits)
    repertoire = _repertoire(rng, n_users, popularity, near)
    habit, pairs = _timetable(rng, numbers.places, weekly_noise)

    score = np.tile(habit, 4) + rng.gumbel(0, weekly_noise, (n_users, 4 * _WEEK))
    score[:, 3 * _WEEK :] += _WEEK_4
    active = _largest(score, numbers.active)
    both = np.where(active, score + rng.gumbel(0, weekly_noise, score.shape), -np.inf)
    second = _largest(both, numbers.visits - numbers.active)

    visited = np.stack([active, second], axis=2)  # users, epochs, first and second station
    user, epoch, which = np.nonzero(visited)
    rank = pairs[user, epoch % _WEEK, which]
    rank = _cover(user, rank, score[user, epoch] - which, numbers.places)
    return user, repertoire[user, rank], epoch


def _repertoire(
    rng: np.random.Generator, n_users: int, popularity: np.ndarray, near: np.ndarray
) -> np.ndarray:
    """Every commuter's stations in order of use, (users, stations): home, work, others.

    Home is drawn by popularity, the others by popularity and closeness to home or the centre.
    """
    wish = np.log(popularity) + rng.gumbel(size=(n_users, len(popularity)))
    home = wish.argmax(axis=1)
    wish = np.log(popularity) + near[home] + rng.gumbel(size=wish.shape)
    wish[np.arange(n_users), home] = np.inf
    return np.argsort(-wish, axis=1)


def _timetable(
    rng: np.random.Generator, n_places: np.ndarray, weekly_noise: float
) -> tuple[np.ndarray, np.ndarray]:
    """Log-frequency of travel by hour of the week, (users, 168), and two stations' ranks."""
    n_users = len(n_places)
    profile = np.concatenate([np.tile(_shares(_WORKING_DAY), 5), np.tile(_shares(_DAY_OFF), 2)])
    contrast = np.hypot(1, weekly_noise)  # busy hours stay busy, however much the weeks differ
    habit = contrast * np.log(profile) + rng.gumbel(size=(n_users, _WEEK))

    # A power of a uniform number: few stations are used often, many occasionally.
    places = n_places[:, None]
    first = (places * rng.random(habit.shape) ** 3).astype(np.int64)
    step = 1 + ((places - 1) * rng.random(habit.shape) ** 3).astype(np.int64)
    pairs = np.stack([first, (first + step) % places], axis=2)

    everyone = np.arange(n_users)[:, None]
    days = 24 * np.arange(5)
    morning = days + rng.choice(np.arange(6, 10), n_users, p=[0.2, 0.4, 0.3, 0.1])[:, None]
    evening = days + rng.choice(np.arange(16, 20), n_users, p=[0.2, 0.4, 0.3, 0.1])[:, None]
    for hours, pair in ((morning, (0, 1)), (evening, (1, 0))):
        habit[everyone, hours] = 4.0  # above nearly all other hours
        pairs[everyone, hours] = pair
    return habit, pairs


# -- cabs ----------------------------------------------------------------------------------------


def _cab_numbers(quantile: np.ndarray) -> _Numbers:
    """Visits rise by 6.3 for each active hour (the covariance over the variance), plus noise.

    The noise is in proportion to the active hours, so that no hour must hold too many cells.
    """
    least, most = 80, 480
    active = least + (most - least) * stats.beta.ppf(quantile[:, 0], *_beta(340, 94, least, most))
    slope = (1116**2 + 94**2 - 1069**2) / 2 / 94**2
    left = np.sqrt((1116**2 - slope**2 * 94**2) / (340**2 + 94**2))
    visits = 3663 + slope * (active - 340) + left * active * stats.norm.ppf(quantile[:, 1])
    places = 77 + 6 * (0.6 * (active - 340) / 94 + 0.8 * stats.norm.ppf(quantile[:, 2]))

    whole = np.rint(active).astype(np.int64)
    n_places = np.clip(np.rint(places), 1, 100).astype(np.int64)
    n_visits = np.clip(np.rint(visits).astype(np.int64), np.maximum(whole, n_places), None)
    return _Numbers(np.minimum(n_visits, whole * n_places // 2), whole, n_places)


def _beta(mean: float, sd: float, least: float, most: float) -> tuple[float, float]:
    """The two parameters of a beta distribution stretched over [least, most]."""
    centre = (mean - least) / (most - least)
    total = centre * (1 - centre) * ((most - least) / sd) ** 2 - 1
    return centre * total, (1 - centre) * total


def _cell_popularity(rng: np.random.Generator) -> np.ndarray:
    """(100,): falls with the distance from downtown; the bay, in the east, has least."""
    row, column = np.divmod(np.arange(100), 10)
    wish = -np.hypot(row - 8, column - 4) / 3 + rng.normal(0, 0.5, 100) - 10 * (column >= 8)
    return _popularity(wish, *_CELL_FALL)


def _roam(
    numbers: _Numbers, rng: np.random.Generator, popularity: np.ndarray, n_epochs: int
) -> _Visits:
    """The visits of a block of cabs."""
    n_users = len(numbers.visits)
    wish = 1.5 * np.log(popularity) + rng.gumbel(size=(n_users, 100))
    repertoire = np.argsort(-wish, axis=1)[:, : numbers.places.max()]
    active = _largest(_shifts(rng, n_users, n_epochs), numbers.active)
    centre = _drift(rng, n_users, n_epochs)

    parts = []
    for cab in range(n_users):
        epochs = np.flatnonzero(active[cab])
        cells = repertoire[cab, : numbers.places[cab]]
        row, column = np.divmod(cells, 10)
        north, east = (centre[each][cab, epochs, None] for each in (0, 1))
        score = np.log(popularity[cells]) - ((row - north) ** 2 + (column - east) ** 2) / 24
        score += rng.gumbel(size=score.shape)
        score[np.arange(len(epochs)), score.argmax(axis=1)] += (
            1e3  # at least one cell in an active hour
        )
        chosen = np.flatnonzero(_largest(score.reshape(1, -1), numbers.visits[[cab]])[0])
        slot, rank = np.divmod(chosen, len(cells))
        parts.append((np.full(len(slot), cab), rank, epochs[slot], score.ravel()[chosen]))
    user, rank, epoch, regularity = (np.concatenate(each) for each in zip(*parts, strict=True))
    return user, repertoire[user, _cover(user, rank, regularity, numbers.places)], epoch


def _shifts(rng: np.random.Generator, n_users: int, n_epochs: int) -> np.ndarray:
    """Readiness to work in each hour, (users, epochs): the city's day, the cab's own, and noise.

    The noise is correlated over some hours, so that work comes in shifts.
    """
    hour = np.arange(n_epochs) % 24
    share = _shares(_ON_THE_ROAD)[hour]
    own = np.cos(2 * np.pi * (hour - 24 * rng.random((n_users, 1))) / 24)
    return np.log(share / (1 - share)) + 0.5 * own + 1.5 * _walk(rng, n_users, n_epochs, 0.85)


def _drift(rng: np.random.Generator, n_users: int, n_epochs: int) -> tuple[np.ndarray, np.ndarray]:
    """Row and column of the point each cab is around, (users, epochs), in cells."""
    north, east = (_walk(rng, n_users, n_epochs, 0.5) for _ in range(2))
    return 5.5 + 2.5 * north, 3.5 + 2.0 * east


def _walk(rng: np.random.Generator, n_users: int, n_epochs: int, memory: float) -> np.ndarray:
    """Gaussian noise, (users, epochs), variance 1; `memory` is its correlation over an hour."""
    burn_in = 48
    steps = rng.normal(0, np.sqrt(1 - memory**2), (n_users, burn_in + n_epochs))
    return lfilter([1], [1, -memory], steps, axis=1)[:, burn_in:]

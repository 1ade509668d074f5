"""Synthetic surrogates for ZK's data: callers ("CDR") and tweeters ("Milan").

CDR is private, and not every reader has downloaded Social Pulse. These populations are calibrated
to the statistics that ZK publishes; everything else they show is a property of this model, not of a
city.

Both are generated alike. Each user first gets a number of visits from a lognormal distribution,
then exactly that many distinct cells: the epoch is drawn from the user's own active days and the
hours of the day, the place from the few the user goes to (home and work at their hours, others near
them), until the number is reached.

The numbers come from a shifted lattice, not from independent draws, so that their moments hold for
every seed and already for a few hundred users. User i is the same whatever `n_users` is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special
from scipy.spatial import ConvexHull

from lib.randomness import child_generator
from lib.traces import Grid, Traces
from lib.validation import check_integer

MILAN_GRID = Grid(45.3925, 45.5364, 9.0830, 9.2878, 10, 10)  # 16 km x 16 km around the cathedral
_MIDDLE = (10.0, -70.0)  # latitude and longitude of the callers' invented city
_KM = 1 / 111.2  # degrees of latitude in a kilometre
_N_ANTENNAS = 500
_AREA = 150.0  # square kilometres within the outermost antennas
_BLOCK = 256  # users who share a random generator
_WEEK = 168  # epochs

# Relative numbers of calls and tweets in the hours of a day.
_CALLS = "12 7 5 4 5 9 22 45 68 82 90 95 99 97 93 92 94 97 99 97 88 70 45 24"
_TWEETS = "35 20 10 6 5 6 15 30 42 46 50 56 66 68 62 58 58 62 70 80 90 99 92 65"


class _Model(NamedTuple):
    """Parameters of one of the two populations."""

    mean: float  # of the lognormal number of visits, before rounding
    spread: float  # standard deviation of its logarithm
    least: int  # visits
    most: int
    hours: str  # of a day, relative numbers
    days: float  # gamma shape of a user's days: small is bursts
    reach: float  # kilometres for a factor e in how often a place near home is visited
    n_places: float  # other places, per square root of the number of visits
    weekly: bool  # at least one visit in each of the four first weeks


_CALLERS = _Model(121.4, 1.0, 4, 1500, _CALLS, 1.2, 1.6, 1.5, True)
_TWEETERS = _Model(5.6, 1.15, 1, 150, _TWEETS, 0.5, 2.5, 1.0, False)
_ANTENNA_SPREAD = 1.0  # of the logarithm of an antenna's popularity
_CELL_SPREAD = 1.0  # the same of a cell's; the largest are near the cathedral


class _City(NamedTuple):
    """ROIs, how popular each is, and how far apart they are, in kilometres."""

    rois: pd.DataFrame
    popularity: np.ndarray
    apart: np.ndarray


def load_callers(n_users: int = 11_000, seed: int = 2021) -> Traces:
    """Generate synthetic callers, a surrogate for ZK's CDR (call records of a Latin American city).

    There are 500 invented antennas within 150 square kilometres, denser in the middle, and the 720
    hours of June 2021, UTC. A visit is a call or message: each caller has a home and a place of
    work, used at their hours, and some more places near them.

    Calibration inputs, so that agreement with them proves nothing (ZK, Sec. 5.1, 6.1, Fig. 6, 15):

    - sizes, the area, and at least one visit in each of the four whole weeks
    - lognormal visits
    - about 99% of the non-zero counts of 1,000 callers are 5 or less: this sets how much popularity
      varies between antennas
    - six times the visits of the Milan targets (`load_tweeters`, users of 10 visits or more)

    Chosen freely: everything else, including the mean of 120 visits and the spread of their
    logarithm (1.0), which the paper does not print.

    Parameters
    ----------
    n_users : int
        Number of users, at least 1; the paper has about 11,000.
    seed : int
        Seed of everything, antennas included; at least 0.

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
    city = _antennas(child_generator(seed, 0))
    epochs = pd.date_range("2021-06-01", periods=720, freq="1h", tz="UTC", name="epoch")
    return _population(_CALLERS, city, epochs, n_users, seed)


def load_tweeters(n_users: int = 4840, seed: int = 2013) -> Traces:
    """Generate synthetic tweeters, a surrogate for ZK's Milan (the first week of Social Pulse).

    The ROIs are a 10 x 10 grid of 256 square kilometres around the cathedral of Milan, the epochs
    168 hours from Friday 1 November 2013, UTC. A visit is one or several tweets within the hour.
    Few users tweet much.

    Calibration inputs, so that agreement with them proves nothing (ZK, Sec. 5.1, 6.1, Fig. 14, 15):

    - sizes, and an area of 256 square kilometres (the paper prints it as that of a cell)
    - users of 10 visits or more, from whom the targets are drawn, have a sixth of the callers' mean
    - about 99% of the non-zero counts of 1,000 tweeters are 5 or less: this sets how much
      popularity varies between cells

    Chosen freely: everything else, including the mean over all users.

    Parameters
    ----------
    n_users : int
        Number of users, at least 1; the paper has 4,840.
    seed : int
        Seed of everything, the cells' popularity included; at least 0.

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
    city = _cells(child_generator(seed, 0))
    epochs = pd.date_range("2013-11-01", periods=_WEEK, freq="1h", tz="UTC", name="epoch")
    return _population(_TWEETERS, city, epochs, n_users, seed)


# -- cities --------------------------------------------------------------------------------------


def _antennas(rng: np.random.Generator) -> _City:
    """Antennas on a sunflower's spiral, shaken, denser in the middle; their hull is the area."""
    number = np.arange(_N_ANTENNAS) + 0.5
    distance = (number / _N_ANTENNAS) ** 0.6
    angle = number * np.pi * (3 - np.sqrt(5))
    points = distance[:, None] * np.column_stack([np.sin(angle), np.cos(angle)])
    points += rng.normal(0, 0.02, points.shape)
    points *= np.sqrt(_AREA / ConvexHull(points).volume)  # kilometres; volume: in 2-D the area
    degrees = {
        "lat": _MIDDLE[0] + points[:, 0] * _KM,
        "lon": _MIDDLE[1] + points[:, 1] * _KM / np.cos(np.radians(_MIDDLE[0])),
    }
    ids = pd.Index([f"A{number:03d}" for number in range(_N_ANTENNAS)], name="roi")
    popularity = _popularity(rng.random(_N_ANTENNAS), _ANTENNA_SPREAD)
    return _City(pd.DataFrame(degrees, ids), popularity, _apart(points))


def _cells(rng: np.random.Generator) -> _City:
    row, column = np.divmod(np.arange(100), 10)
    points = 1.6 * np.column_stack([row, column])  # kilometres
    from_middle = np.hypot(*(points - points.mean(axis=0)).T)
    wish = rng.normal(0, 1.5, 100) - from_middle  # kilometres
    return _City(MILAN_GRID.rois(), _popularity(wish, _CELL_SPREAD), _apart(points))


def _popularity(wish: np.ndarray, spread: float) -> np.ndarray:
    """Lognormal numbers in the order of `wish`: the same for every seed, in another order."""
    rank = np.argsort(np.argsort(wish))
    return np.exp(spread * special.ndtri((rank + 0.5) / len(wish)))


def _apart(points: np.ndarray) -> np.ndarray:
    return np.hypot(*(points[:, None] - points).transpose(2, 0, 1))


# -- users ---------------------------------------------------------------------------------------


def _population(
    model: _Model, city: _City, epochs: pd.DatetimeIndex, n_users: int, seed: int
) -> Traces:
    n_cells = len(city.rois) * len(epochs)
    n_blocks = -(-n_users // _BLOCK)  # whole blocks: user i is the same whatever n_users is
    n_visits = _n_visits(model, n_blocks * _BLOCK, seed).reshape(n_blocks, _BLOCK)
    flat = []
    for number in range(n_blocks):
        rng = child_generator(seed, 2 + number)
        visits = _visits(model, city, epochs, n_visits[number], rng)
        flat.append(visits + number * _BLOCK * n_cells)
    user, cell = np.divmod(np.concatenate(flat), n_cells)
    user, cell = user[user < n_users], cell[user < n_users]
    roi, epoch = np.divmod(cell, len(epochs))
    return Traces.from_codes(user, roi, epoch, pd.RangeIndex(n_users), city.rois, epochs)


def _n_visits(model: _Model, n_users: int, seed: int) -> np.ndarray:
    """Lognormal numbers of visits at the points of a shifted golden lattice."""
    shift = child_generator(seed, 1).random()
    quantile = (shift + np.arange(n_users) * (np.sqrt(5) - 1) / 2) % 1
    normal = special.ndtri(np.clip(quantile, 1e-6, 1 - 1e-6))
    numbers = model.mean * np.exp(model.spread * normal - model.spread**2 / 2)
    return np.clip(np.rint(numbers), model.least, model.most).astype(np.int64)


def _visits(
    model: _Model,
    city: _City,
    epochs: pd.DatetimeIndex,
    n_visits: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """The cells of a block of users, user * n_cells + cell, distinct and sorted."""
    n_users, n_epochs = len(n_visits), len(epochs)
    n_cells = len(city.rois) * n_epochs
    places = _repertoire(model, city, n_users, rng)
    n_others = np.clip(np.rint(model.n_places * np.sqrt(n_visits)), 2, places.shape[1] - 2)
    calendar = _calendar(model, epochs, n_users, rng)

    at_home, at_work = _habits(epochs)

    def draw(user: np.ndarray, calendar: np.ndarray) -> np.ndarray:
        epoch = np.searchsorted(calendar.ravel(), user + rng.random(len(user)), side="right")
        epoch = np.minimum(epoch - user * n_epochs, n_epochs - 1)
        chance = rng.random(len(user))
        rank = 2 + (n_others[user] * rng.random(len(user)) ** 2.5).astype(np.int64)
        rank[chance < at_work[epoch]] = 1
        rank[chance < at_home[epoch]] = 0
        return user * n_cells + places[user, rank] * n_epochs + epoch

    found = np.empty(0, np.int64)
    if model.weekly:
        week = np.arange(n_epochs) // _WEEK
        hourly = np.diff(calendar, prepend=np.arange(n_users)[:, None])
        per_week = [_cumulative(hourly * (week == w)) for w in range(4)]
        found = np.sort(np.concatenate([draw(np.arange(n_users), each) for each in per_week]))
    missing = n_visits - np.bincount(found // n_cells, minlength=n_users)
    while missing.any():
        more = draw(np.repeat(np.arange(n_users), missing), calendar)
        found = np.sort(np.append(found, more), kind="stable")  # fast on what is sorted
        found = found[np.diff(found, prepend=-1) > 0]
        missing = n_visits - np.bincount(found // n_cells, minlength=n_users)
    return found


def _repertoire(model: _Model, city: _City, n_users: int, rng: np.random.Generator) -> np.ndarray:
    """Every user's places, (users, 60): home, work, and others by popularity near either."""
    everyone = np.arange(n_users)
    wish = np.log(city.popularity) + rng.gumbel(size=(n_users, len(city.popularity)))
    first_two = np.argsort(-wish, axis=1)[:, :2]
    away = np.minimum(city.apart[first_two[:, 0]], city.apart[first_two[:, 1]])
    wish = np.log(city.popularity) - away / model.reach + rng.gumbel(size=wish.shape)
    wish[everyone[:, None], first_two] = [np.inf, 1e9]
    return np.argsort(-wish, axis=1)[:, :60]


def _calendar(
    model: _Model, epochs: pd.DatetimeIndex, n_users: int, rng: np.random.Generator
) -> np.ndarray:
    """When each user is active: cumulative, (users, epochs)."""
    hours = np.array(model.hours.split(), float)
    later = rng.normal(0, 1.5, n_users)  # hours; some rise late
    position = (np.asarray(epochs.hour) - later[:, None]) % 24
    profile = np.interp(position, np.arange(25), np.append(hours, hours[0]))
    day = (np.arange(len(epochs)) // 24).astype(int)
    days = rng.gamma(model.days, 1 / model.days, (n_users, day[-1] + 1)) + 0.02
    return _cumulative(profile * days[:, day])


def _cumulative(weight: np.ndarray) -> np.ndarray:
    """Each row's cumulative distribution, row i from i to i + 1: one search serves all rows."""
    total = np.cumsum(weight, axis=1)
    return total / total[:, -1:] + np.arange(len(weight))[:, None]


def _habits(epochs: pd.DatetimeIndex) -> tuple[np.ndarray, np.ndarray]:
    """In each epoch, the chance that a visit is at home, and that it is at home or at work."""
    hour, working_day = np.asarray(epochs.hour), np.asarray(epochs.day_of_week) < 5
    at_home = np.where((hour >= 20) | (hour < 8), 0.65, 0.25)
    at_work = np.where(working_day & (hour >= 8) & (hour < 18), 0.45, 0.08)
    return at_home, at_home + at_work

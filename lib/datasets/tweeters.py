"""A synthetic surrogate for the threshold paper's tweets of Milan.

Users have few visits, far apart; a few users are heavy. The tweets themselves (Social Pulse Milano)
are public, but not every reader has downloaded them. Generated like the other surrogates: each user
gets numbers of visits, active epochs and places first, then a trace with exactly those.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from lib.datasets import synthetic
from lib.randomness import child_generator
from lib.traces import Grid, Traces
from lib.validation import check_integer

_MILAN = Grid(south=45.40, north=45.53, west=9.08, east=9.28, n_rows=8, n_columns=12)
_N_EPOCHS = 800
_END = "2014-01-01"  # UTC; the window is the 800 hours before
_TYPICAL, _SPREAD = 1.4, 1.64  # median of visits before rounding, spread of their logarithm
_MOST = 400  # visits of a user: every other hour
_DOUBLE = 20  # visits, of which one has a second site in the same hour
_SITE_FALL = (3.0, 0.01)
_AWAY = 5.0  # reduction of tweeting outside the stay, in log odds
_STAY = 0.03  # smallest share of the window that a stay lasts

# Relative number of tweets in the hours of a day, UTC.
_DAY = "25 15 8 5 4 5 12 30 45 55 60 65 75 75 65 60 62 68 78 90 95 99 85 50"


def load_tweeters_threshold(n_users: int = 15_793, seed: int = 2024) -> Traces:
    """Generate synthetic tweeters, a surrogate for the threshold paper's Milan.

    There are 12 x 8 sites over Milan, and the last 800 hours of 2013, UTC. Most users tweet a few
    times during a stay of some days; some tweet every day. A user has few sites, most often the
    same one.

    Calibration inputs, so that agreement with them proves nothing:

    - 15,793 users with a tweet, 96 sites, 800 hours (threshold paper, Sec. 5.1, 5.2)
    - at least ten users with 140 visits or more: its figures reach 140 positive observations, in
      ten runs of one target each
    - about 31% of the users are seen in a week (here 32% on average): 4,840 are counted in the
      first week of the same data (ZK, Sec. 5.1), on another grid

    Chosen freely, since nothing is published: everything else. In particular the number of other
    users in a target's cells, on which the auxiliary attacks depend, is a property of this model,
    not Milan's.

    Parameters
    ----------
    n_users : int
        Number of users, at least 1; the paper has 15,793.
    seed : int
        Seed of everything, the sites' popularity included; at least 0.

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
    popularity = _sites(child_generator(seed, 0))
    end = pd.Timestamp(_END, tz="UTC")
    epochs = pd.date_range(end=end, periods=_N_EPOCHS + 1, freq="1h", name="epoch")[:-1]
    profile = synthetic._shares(_DAY)[epochs.hour]

    def traces_of(block: synthetic._Numbers, rng: np.random.Generator) -> synthetic._Visits:
        return _tweet(block, rng, popularity, profile)

    numbers = _numbers(synthetic._lattice(n_users, seed))
    visits = synthetic._in_blocks(numbers, seed, traces_of)
    return Traces.from_codes(*visits, pd.RangeIndex(n_users), _MILAN.rois(), epochs)


def _numbers(quantile: np.ndarray) -> synthetic._Numbers:
    """Hours with a tweet are lognormal and at least 1; sites grow with their root."""
    hours = _TYPICAL * np.exp(_SPREAD * stats.norm.ppf(quantile[:, 0]))
    active = np.clip(np.rint(hours), 1, _MOST).astype(np.int64)
    places = 1 + np.rint(1.5 * quantile[:, 2] * np.sqrt(active - 1)).astype(np.int64)
    doubles = np.where(places > 1, active // _DOUBLE, 0)
    return synthetic._Numbers(active + doubles, active, np.minimum(places, 40))


def _sites(rng: np.random.Generator) -> np.ndarray:
    """(96,): the sites' popularity falls with the distance from the middle of the grid."""
    row, column = np.divmod(np.arange(_MILAN.n_rows * _MILAN.n_columns), _MILAN.n_columns)
    wish = -np.hypot(row - 3.5, column - 5.5) / 2 + rng.gumbel(0, 0.7, len(row))
    return synthetic._popularity(wish, *_SITE_FALL)


def _tweet(
    numbers: synthetic._Numbers,
    rng: np.random.Generator,
    popularity: np.ndarray,
    profile: np.ndarray,
) -> synthetic._Visits:
    """The visits of a block of tweeters."""
    n_users = len(numbers.visits)
    wish = np.log(popularity) + rng.gumbel(size=(n_users, len(popularity)))
    repertoire = np.argsort(-wish, axis=1)
    length = (_STAY + (1 - _STAY) * rng.random(n_users) ** 3) * _N_EPOCHS
    start = rng.random(n_users) * _N_EPOCHS - length / 2  # may begin before or end after
    since = np.arange(_N_EPOCHS) - start[:, None]
    stays = (since >= 0) & (since < length[:, None])

    score = np.log(profile) - _AWAY * ~stays + rng.gumbel(size=stays.shape)
    active = synthetic._largest(score, numbers.active)
    twice = np.where(active, rng.random(active.shape), -np.inf)
    second = synthetic._largest(twice, numbers.visits - numbers.active)
    user, epoch, which = np.nonzero(np.stack([active, second], axis=2))
    places = numbers.places[user]
    rank = (places * rng.random(len(user)) ** 3).astype(np.int64)
    first = np.flatnonzero(which)  # a second site follows the first of its hour: the next in rank
    rank[first] = (rank[first - 1] + 1) % places[first]
    return user, repertoire[user, rank], epoch

"""Reconstruction of a person's trajectory from counts: losses, bounds and examples.

The simulated person moves on a line of places; real users are check-ins or flights, one place a
window of time, whose last steps are attacked. One sensor is on in each step, sensors are drawn
uniformly, and everybody else's places are known. Losses and bounds are probabilities, information
is in nats. Source: Koga, Meehan and Chaudhuri, Measuring Privacy Loss in Distributed
Spatio-Temporal Data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

from lib import metrics
from lib import reconstruction as rec
from lib.datasets import checkins, load
from lib.papers import experiments as core
from lib.papers.settings import with_settings
from lib.randomness import stream
from lib.reconstruction.bounds import log_ball, success_within
from lib.reconstruction.chain import MarkovChain, viterbi_scores
from lib.reconstruction.estimators import success_rate
from lib.reconstruction.moments import _sensed_moments
from lib.traces import Traces

Rows = Iterable[dict[str, Any]]
experiment = partial(core.experiment, paper="fano", load=None)
ATTACKS, BOUNDS = ["MAP", "prior", "constant"], ["loose", "tight"]  # the paper's
HALF, MINUS_2, SHORT = "T, s = T/2", "T, s = T - 2", "T - s, short"  # what Fig. 5 and 6 sweep
CHAINS = {"as decided": 0.0, "one added": 1.0}  # what is added to each transition's count
NEARLY_RAW = 0.05  # noise that MAP allows for on real raw counts: it then never has to give up
MIXED = 1e-5  # no estimated transition is so rare, unless a chain was reducible or periodic
DELTA = 1e-5
SIGMAS = (0.1, 0.3, 1.0, 3.0, 10.0)
_READ = {"gowalla": checkins.read_gowalla, "foursquare": checkins.read_foursquare}
_CHECK_INS = {"window": "20D", "n_users": 450, "n_sequences": 100, "n_attacks": 6}
_PEOPLE = {
    "gowalla": _CHECK_INS,
    "foursquare": _CHECK_INS,
    "flights-by-tail": _CHECK_INS | {"window": "1D"},
}


def _people_with(*names: str) -> dict[str, dict[str, Any]]:
    return {data: {n: v for n, v in own.items() if n in names} for data, own in _PEOPLE.items()}


# -- the simulated person ------------------------------------------------------------------------


def sample_sensors(seed: int, n_locations: int, n_epochs: int, n_sequences: int) -> np.ndarray:
    """Draw sequences of sensors for a map and a time, the same in every experiment.

    Parameters
    ----------
    seed : int
        Seed of the streams of random numbers.
    n_locations : int
        Number of places M.
    n_epochs : int
        Number of steps T.
    n_sequences : int
        Number of sequences of sensors.

    Returns
    -------
    numpy.ndarray
        Places of sensors, shape (n_sequences, n_epochs).
    """
    rng = stream(seed, "fano-sensors", n_locations, n_epochs)
    return rng.integers(0, n_locations, (n_sequences, n_epochs))


def _records(columns: dict[str, Any]) -> Rows:
    rows: Rows = pd.DataFrame(columns).to_dict("records")  # type: ignore[assignment]
    return rows


def _sweep_points(
    _: None, *, n_epochs: int, map_sizes: Sequence[int], times: Sequence[int], short: int
) -> list[tuple[str, int]]:
    """List what is swept, and its values."""
    points = [("M", m) for m in map_sizes]
    points += [("T - s", k) for k in range(n_epochs, 0, -1)]
    points += [(swept, n) for swept in (HALF, MINUS_2) for n in times]
    return points + [(SHORT, k) for k in range(short, 0, -1)]


def _sizes_at(
    point: tuple[str, int], n_locations: int, n_epochs: int, allowed_errors: int, short: int
) -> tuple[int, int, int]:
    """The numbers of places M, of steps T and of allowed errors s at a point of a sweep."""
    swept, value = point
    return {
        "M": (value, n_epochs, allowed_errors),
        "T - s": (n_locations, n_epochs, n_epochs - value),
        HALF: (n_locations, value, value // 2),
        MINUS_2: (n_locations, value, value - 2),
        SHORT: (n_locations, short, short - value),
    }[swept]


@experiment(
    "fano-sweeps",
    answers=("Fig. 5", "Fig. 6"),
    unit=("swept", "value"),
    units=_sweep_points,
    at_paper={"simulated": {"n_sequences": 100, "times": tuple(range(2, 21, 2)), "short": 5}},
)
def sweeps(
    _: None,
    point: tuple[str, int],
    *,
    n_locations: int = 100,
    n_epochs: int = 10,
    allowed_errors: int = 5,
    tau: float = 0.1,
    map_sizes: Sequence[int] = (10, 20, 50, 100, 200),
    times: Sequence[int] = (2, 4, 6, 8, 10, 12, 14),
    short: int = 0,
    n_sequences: int = 20,
    seed: int = 2024,
) -> Rows:
    """Compute exact losses and bounds of the simulated person, a row for each sequence of sensors.

    Source: Sec. 4.2.2, Fig. 5.

    Parameters
    ----------
    _ : None
        No data are needed.
    point : tuple
        What is swept, and its value.
    n_locations : int, default 100
        Number of places M.
    n_epochs : int, default 10
        Number of steps T.
    allowed_errors : int, default 5
        Number s of wrong steps that still count as success.
    tau : float, default 0.1
        Scale of the distance chain of the simulated person.
    map_sizes : sequence of int, default (10, 20, 50, 100, 200)
        Numbers of places M.
    times : sequence of int, default (2, 4, 6, 8, 10, 12, 14)
        Numbers of steps T.
    short : int, default 0
        Number of steps T of real people, swept as well; 0 for none.
    n_sequences : int, default 20
        Number of sequences of sensors.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterable of dict
        Columns: M, T, s, sequence, four attacks, four bounds.
    """
    m, n, s = _sizes_at(point, n_locations, n_epochs, allowed_errors, short)
    chain, rows = rec.distance_chain(m, tau), sample_sensors(seed, m, n, n_sequences)
    sharper = rec.tight_bound(chain, rows, s, information="exact", form="kl")
    table = {
        "M": m,
        "T": n,
        "s": s,
        "sequence": range(n_sequences),
        "MAP": [rec.exact_loss(chain, row, s) for row in rows],
        "marginal": [rec.exact_loss(chain, row, s, "marginal") for row in rows],
        "loose": rec.loose_bound(chain, rows, s),
        "tight": rec.tight_bound(chain, rows, s),
        "tight, exact I and KL": sharper,
        "moments": [rec.moment_bound(chain, row, s) for row in rows],
        "prior": rec.exact_loss(chain, rows[0], s, "prior"),
        "constant": rec.exact_loss(chain, rows[0], s, "constant"),
    }
    return _records(table)


@experiment(
    "fano-sweeps-noisy",
    answers=("Fig. 5", "Fig. 6"),
    unit=("swept", "value"),
    units=_sweep_points,
    at_paper={
        "simulated": {
            "n_sequences": 100,
            "n_runs": 1000,
            "times": tuple(range(2, 21, 2)),
            "short": 5,
        }
    },
)
def noisy_sweeps(
    _: None,
    point: tuple[str, int],
    *,
    noise_std: float = 1.0,
    n_locations: int = 100,
    n_epochs: int = 10,
    allowed_errors: int = 5,
    tau: float = 0.1,
    map_sizes: Sequence[int] = (10, 20, 50, 100, 200),
    times: Sequence[int] = (2, 4, 6, 8, 10, 12, 14),
    short: int = 0,
    n_sequences: int = 20,
    n_runs: int = 400,
    seed: int = 2024,
) -> Rows:
    """Simulate MAP and compute the paper's bounds at the points of `sweeps`, for noisy counts.

    All points with the same M and T share their runs. Source: Sec. 4.1 and 4.2.2, Fig. 5.

    Parameters
    ----------
    _ : None
        No data are needed.
    point : tuple
        What is swept, and its value.
    noise_std : float, default 1.0
        Standard deviation σ of the noise on counts; Sec. 4.1 fixes it at 1.
    n_locations : int, default 100
        Number of places M.
    n_epochs : int, default 10
        Number of steps T.
    allowed_errors : int, default 5
        Number s of wrong steps that still count as success.
    tau : float, default 0.1
        Scale of the distance chain of the simulated person.
    map_sizes : sequence of int, default (10, 20, 50, 100, 200)
        Numbers of places M.
    times : sequence of int, default (2, 4, 6, 8, 10, 12, 14)
        Numbers of steps T.
    short : int, default 0
        Number of steps T of real people, swept as well; 0 for none.
    n_sequences : int, default 20
        Number of sequences of sensors.
    n_runs : int, default 400
        Number of simulated runs.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterable of dict
        Columns: M, T, s, sequence, MAP, runs, two bounds, two guesses without counts.
    """
    m, n, s = _sizes_at(point, n_locations, n_epochs, allowed_errors, short)
    chain, rows = rec.distance_chain(m, tau), sample_sensors(seed, m, n, n_sequences)
    each = n_runs // n_sequences + 1
    rngs = [stream(seed, "fano-sweeps-noisy", m, n, i) for i in range(n_sequences)]
    table = {
        "M": m,
        "T": n,
        "s": s,
        "sequence": range(n_sequences),
        "MAP": _map_success(chain, rows, s, noise_std, each, rngs),
        "runs": each,
        "loose": rec.loose_bound(chain, rows, s, noise_std),
        "tight": rec.tight_bound(chain, rows, s, noise_std),
        "prior": rec.exact_loss(chain, rows[0], s, "prior"),
        "constant": rec.exact_loss(chain, rows[0], s, "constant"),
    }
    return _records(table)


def sweep_means(rows: pd.DataFrame, statistic: str = "mean") -> pd.DataFrame:
    """Average losses and bounds of each swept point over sequences of sensors.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.
    statistic : str, default 'mean'
        "mean" or "sem".

    Returns
    -------
    pandas.DataFrame
        Index: swept, value. A column for each attack and bound.
    """
    numbers = rows.drop(columns=["data", "M", "T", "s", "sequence"])
    return numbers.groupby(["swept", "value"], sort=False).agg(statistic)


def bound_gaps(means: pd.DataFrame) -> pd.DataFrame:
    """Compute the gap from the best attack to each bound, and the share of it that others close.

    Parameters
    ----------
    means : pandas.DataFrame
        Means by what is swept, as `experiments.sweep_means` gives them.

    Returns
    -------
    pandas.DataFrame
        A row for each point of `means`.
    """
    best = means[["MAP", "marginal", "prior", "constant"]].max(axis=1)
    found = pd.DataFrame(
        {
            "best attack": best,
            "paper's gap": means[BOUNDS].min(axis=1) - best,
            "gap of exact I and KL": means["tight, exact I and KL"].clip(upper=means["loose"])
            - best,
            "gap of moments": means["moments"] - best,
        }
    )
    found["closed by I and KL"] = 1 - found["gap of exact I and KL"] / found["paper's gap"]
    found["closed by moments"] = 1 - found["gap of moments"] / found["paper's gap"]
    return found.assign(**{"moments / attack": means["moments"] / best})


def _noise_points(
    _: None, *, sizes: Sequence[int], noise_stds: Sequence[float]
) -> list[tuple[int, float]]:
    """The units of the noise experiment: places and σ."""
    return [(m, float(sigma)) for m in sizes for sigma in (0, *noise_stds)]


@experiment(
    "fano-noise",
    answers=("Fig. 7",),
    unit=("M", "σ"),
    units=_noise_points,
    at_paper={"simulated": {"n_sequences": 100, "n_runs": 1000}},
)
def noise(
    _: None,
    point: tuple[int, float],
    *,
    sizes: Sequence[int] = (10, 100),
    n_epochs: int = 10,
    allowed_errors: int = 5,
    tau: float = 0.1,
    noise_stds: Sequence[float] = SIGMAS,
    n_sequences: int = 20,
    n_runs: int = 400,
    seed: int = 2024,
) -> Rows:
    """Compute bounds and the success of MAP with noise (σ = 0: none), by sequence of sensors.

    Source: Fig. 7.

    Parameters
    ----------
    _ : None
        No data are needed.
    point : tuple
        Number of places, and σ.
    sizes : sequence of int, default (10, 100)
        Numbers of places M.
    n_epochs : int, default 10
        Number of steps T.
    allowed_errors : int, default 5
        Number s of wrong steps that still count as success.
    tau : float, default 0.1
        Scale of the distance chain of the simulated person.
    noise_stds : sequence of float, default SIGMAS
        Standard deviations σ of the noise on counts.
    n_sequences : int, default 20
        Number of sequences of sensors.
    n_runs : int, default 400
        Number of simulated runs.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterable of dict
        Columns: sequence, MAP, runs (0: MAP is exact), bounds, ε for δ = 1e-5.
    """
    m, sigma = point
    noise_std = sigma or None
    chain, rows = rec.distance_chain(m, tau), sample_sensors(seed, m, n_epochs, n_sequences)
    each = n_runs // n_sequences + 1 if sigma else 0
    rngs = [stream(seed, "fano-noise", m, float(sigma), i) for i in range(n_sequences)]
    tight, raw = (rec.tight_bound(chain, rows, allowed_errors, x) for x in (noise_std, None))
    table = {
        "sequence": range(n_sequences),
        "MAP": _map_success(chain, rows, allowed_errors, sigma, each, rngs),
        "runs": each,
        "loose": rec.loose_bound(chain, rows, allowed_errors, noise_std),
        "tight": tight,
        "tight, smaller I": np.minimum(tight, raw),
        "moments": [rec.moment_bound(chain, row, allowed_errors, noise_std) for row in rows],
        "ε, printed": rec.dp_epsilon(noise_std, n_epochs, DELTA),
        "ε, exact": rec.dp_epsilon(noise_std, n_epochs, DELTA, "exact"),
    }
    return _records(table)


def _map_success(
    chain: MarkovChain,
    rows: np.ndarray,
    allowed_errors: int,
    sigma: float,
    n_runs: int,
    rngs: Sequence[np.random.Generator],
) -> list[float]:
    """The success of MAP for each sequence of sensors: exact without noise, else simulated."""
    if not sigma:
        return [rec.exact_loss(chain, row, allowed_errors) for row in rows]
    return [
        rec.monte_carlo_loss(chain, row, allowed_errors, "viterbi", sigma, n_runs, rng=rng).loss
        for row, rng in zip(rows, rngs, strict=True)
    ]


def noise_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Average `noise` over sequences of sensors, with an interval for MAP.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.

    Returns
    -------
    pandas.DataFrame
        Index: M, σ. The interval is Clopper and Pearson's over all runs or, where MAP is exact,
        Student's over sequences.
    """
    means = rows.drop(columns=["data", "sequence"]).groupby(["M", "σ"], sort=False).mean()
    for point, each in rows.groupby(["M", "σ"], sort=False):
        if point[1]:
            hits, n = round((each["MAP"] * each["runs"]).sum()), int(each["runs"].sum())
            interval = stats.binomtest(hits, n).proportion_ci(0.95, "exact")
        else:
            interval = metrics.mean_interval(each["MAP"].to_numpy())
        means.loc[point, ["95% low", "95% high"]] = interval.low, interval.high
    first = ["MAP", "95% low", "95% high"]
    return means[[*first, *means.columns.difference([*first, "runs"], sort=False)]]


def _maps(_: None, *, map_sizes: Sequence[int]) -> list[int]:
    """The units of an experiment over sizes of the map."""
    return list(map_sizes)


@experiment(
    "fano-balls",
    answers=("Eq. 5",),
    unit=("M",),
    units=_maps,
    at_paper={"simulated": {"n_sequences": 100}},
)
def balls(
    _: None,
    m: int,
    *,
    map_sizes: Sequence[int] = (10, 20, 50, 100, 200),
    n_epochs: int = 10,
    allowed_errors: int = 5,
    tau: float = 0.1,
    n_sequences: int = 20,
    seed: int = 2024,
) -> Rows:
    """Compute the tight bound, with exact information and divergence, for other Q than Eq. 5.

    Parameters
    ----------
    _ : None
        No data are needed.
    m : int
        Number of places M.
    map_sizes : sequence of int, default (10, 20, 50, 100, 200)
        Numbers of places M.
    n_epochs : int, default 10
        Number of steps T.
    allowed_errors : int, default 5
        Number s of wrong steps that still count as success.
    tau : float, default 0.1
        Scale of the distance chain of the simulated person.
    n_sequences : int, default 20
        Number of sequences of sensors.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterable of dict
        Columns: sequence, one bound for each Q; the least Q is the success of the prior's guess.
    """
    chain, rows = rec.distance_chain(m, tau), sample_sensors(seed, m, n_epochs, n_sequences)
    known = rec.mutual_information(chain, rows, information="exact")
    logarithms = {
        "Q of Eq. 5": log_ball(chain, n_epochs, allowed_errors),
        "Q by moments": np.log(rec.moment_ball(chain, n_epochs, allowed_errors)),
        "least Q": np.log(rec.exact_loss(chain, rows[0], allowed_errors, "prior")),
    }
    found = {q: success_within(known, min(log, 0.0), "kl") for q, log in logarithms.items()}
    return _records({"sequence": range(n_sequences)} | found)


@experiment(
    "fano-adaptive",
    answers=("Sec. 3.1",),
    unit=("M",),
    units=_maps,
    at_paper={"simulated": {"n_runs": 5000}},
)
def adaptive(
    _: None,
    m: int,
    *,
    map_sizes: Sequence[int] = (10, 20, 50),
    n_epochs: int = 10,
    allowed_errors: int = 5,
    tau: float = 0.1,
    n_runs: int = 1000,
    seed: int = 2024,
) -> Rows:
    """Compare random sensors with greedy ones that follow the counts; beyond the paper (Sec. 3.1).

    Parameters
    ----------
    _ : None
        No data are needed.
    m : int
        Number of places M.
    map_sizes : sequence of int, default (10, 20, 50)
        Numbers of places M.
    n_epochs : int, default 10
        Number of steps T.
    allowed_errors : int, default 5
        Number s of wrong steps that still count as success.
    tau : float, default 0.1
        Scale of the distance chain of the simulated person.
    n_runs : int, default 1000
        Number of simulated runs.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterable of dict
        A row each. Columns: information (nats) and its standard error, MAP's success with Clopper
        and Pearson's interval, the tight bound at the upper end of the information.
    """
    chain, rng = rec.distance_chain(m, tau), stream(seed, "fano-adaptive", m)
    greedy = rec.greedy_runs(chain, n_epochs, n_runs, rng)
    sensors = rng.integers(0, m, greedy.sensors.shape)
    plain = rec.mutual_information(chain, sensors[:200], information="exact")
    counts = rec.observe(greedy.trajectories, sensors)
    ball = log_ball(chain, n_epochs, allowed_errors)
    for name, where, seen, known in (
        ("random", sensors, counts, plain),
        ("greedy", greedy.sensors, greedy.counts, greedy.information),
    ):
        guess = rec.viterbi_trajectory(chain, where, seen)
        found = success_rate(greedy.trajectories, guess, allowed_errors)
        most = success_within(np.array([metrics.mean_interval(known).high]), ball)[0]
        yield {
            "sensors": name,
            "information": known.mean(),
            "its error": stats.sem(known),
            "MAP": found.loss,
            "95% low": found.low,
            "95% high": found.high,
            "tight bound": most,
        }


def greedy_gain(rows: pd.DataFrame) -> pd.DataFrame:
    """Compute what sensors that follow the counts add to the success of MAP, by map.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `adaptive`.

    Returns
    -------
    pandas.DataFrame
        Index: M. Columns: ratio, difference and its standard error.
    """
    wide = rows.assign(error=(rows["95% high"] - rows["95% low"]) / 3.92).pivot(
        index="M", columns="sensors", values=["MAP", "error"]
    )
    random, greedy = (wide["MAP", name] for name in ("random", "greedy"))
    return pd.DataFrame(
        {
            "greedy / random": greedy / random,
            "difference": greedy - random,
            "standard error": np.hypot(wide["error", "random"], wide["error", "greedy"]),
        }
    )


# -- people, one at a time -----------------------------------------------------------------------


class People(NamedTuple):
    """A dataset by its name: as it was read, its users who are active enough, and those drawn.

    Attributes
    ----------
    data : str
        Name of the dataset.
    traces : lib.traces.Traces
        The traces as they were read.
    active : lib.datasets.checkins.Trajectories
        Trajectories of the users who are active enough.
    drawn : lib.datasets.checkins.Trajectories
        Trajectories of the users who were drawn.
    """

    data: str
    traces: Traces
    active: checkins.Trajectories
    drawn: checkins.Trajectories


def load_people(
    data: str,
    *,
    window: str = "1D",
    n_places: int = 100,
    min_active: int = 10,
    n_users: int = 300,
    n_test: int = 5,
    seed: int = 2024,
) -> People:
    """Prepare a dataset as Sec. 4.1 does: one place a window, users with `min_active` of them.

    Parameters
    ----------
    data : str
        Name of the dataset.
    window : str, default '1D'
        Length of a time step, such as 1D; one place counts in each.
    n_places : int, default 100
        Number of separate places; all others are one, elsewhere.
    min_active : int, default 10
        Fewest steps of a user at these places.
    n_users : int, default 300
        Number of users that are drawn at most.
    n_test : int, default 5
        Number of last steps, which are attacked.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    People
        The dataset's users.

    Raises
    ------
    ValueError
        If a window is no length of time, or leaves nothing to learn from.
    """
    length = pd.to_timedelta(window, errors="coerce")
    if not isinstance(length, pd.Timedelta) or length < pd.Timedelta("1h"):
        raise ValueError(f"window of {data} is {window!r}; an hour at least, as 1h or 20D")
    traces = load(data, epoch="1D") if data in _READ else load(data)
    records = _READ[data]() if data in _READ else checkins.to_records(traces)
    active = checkins.to_trajectories(records, window, n_places, min_active)
    if len(active.starts) < n_test + 2:
        raise ValueError(
            f"{data} has {len(active.starts)} windows of {window}; at least {n_test + 2} were "
            "expected, two to learn from and the last to be attacked"
        )
    n = len(active.users)
    drawn = np.sort(stream(seed, "fano-users", data).choice(n, min(n, n_users), replace=False))
    chosen = active._replace(users=active.users[drawn], states=active.states[drawn])
    return People(data, traces, active, chosen)


def _each_user(found: People) -> list[int]:
    return list(range(len(found.drawn.users)))


def _user_chain(found: People, user: int, n_test: int, added: float = 0.0) -> MarkovChain:
    """The chain of one user, estimated without the last steps; `added` to each transition."""
    drawn = found.drawn
    return MarkovChain.from_visits(drawn.states[user, :-n_test], drawn.n_locations, added)


def _sensors_at(found: People, n_sequences: int, n_test: int, seed: int) -> np.ndarray:
    """Sequences of sensors at real places, the same for everybody; at least 20."""
    size = max(n_sequences, 20), n_test
    rng = stream(seed, "fano-people-sensors", found.data, n_test)
    return rng.integers(0, len(found.drawn.places), size)


@dataclass(frozen=True)
class Prepared:
    """A prepared dataset, or one user of it.

    Parameters
    ----------
    found : People
        Users of the dataset.
    unit : int or tuple
        Position of the user among those drawn; empty for all users.
    window : str, default '1D'
        Length of a step, as pandas writes time differences.
    n_places, min_active, n_users : int
        As `load_people` takes them.
    n_test : int, default 5
        As `load_people` takes it.
    real_errors : int, default 1
        Number s of wrong steps that still count as success.
    n_sequences : int, default 20
        Number of sequences of sensors.
    seed : int, default 2024
        Seed of the streams of random numbers.
    """

    found: People
    unit: Any
    window: str = "1D"
    n_places: int = 100
    min_active: int = 10
    n_users: int = 300
    n_test: int = 5
    real_errors: int = 1
    n_sequences: int = 20
    seed: int = 2024

    def chain(self, added: float) -> MarkovChain:
        """Estimate the user's chain from all but the test trajectories.

        Parameters
        ----------
        added : float
            What is added to the number of times each transition was seen.

        Returns
        -------
        MarkovChain
            The user's chain.
        """
        return _user_chain(self.found, self.unit, self.n_test, added)

    def sensors(self) -> np.ndarray:
        """Draw sequences of sensors.

        Returns
        -------
        numpy.ndarray of int, shape (n_sequences, n_steps)
            The place of the sensor at each step; at least 20 sequences.
        """
        return _sensors_at(self.found, self.n_sequences, self.n_test, self.seed)


_LOADED = "window", "n_places", "min_active", "n_users", "n_test", "seed"


@experiment(
    "fano-prepared",
    answers=("Sec. 4.1",),
    load=load_people,
    at_paper=_people_with("window", "n_users"),
)
@with_settings(Prepared, *_LOADED)
def dataset_sizes(of: Prepared) -> Rows:
    """Count users, steps, locations and visits of a dataset at each stage of its preparation.

    Parameters
    ----------
    of : Prepared
        The dataset's users.

    Returns
    -------
    iterable of dict
        A row for the data as read, for the users active enough and for those drawn. Columns: stage,
        users, time steps (epochs as read, then windows), locations, visits; the fewest steps of a
        user at these places; the shares of steps elsewhere, of all and of the last.
    """
    found, traces = of.found, of.found.traces
    yield {
        "stage": "read",
        "users": traces.n_users,
        "time steps": traces.n_epochs,
        "locations": traces.n_rois,
        "visits": traces.matrix.nnz,
    }
    for stage, sample in (("active enough", found.active), ("drawn", found.drawn)):
        elsewhere = sample.states == len(sample.places)
        yield {
            "stage": stage,
            "users": len(sample.users),
            "time steps": sample.states.shape[1],
            "locations": sample.n_locations,
            "visits": int((~elsewhere).sum()),
            "fewest active steps": (~elsewhere).sum(axis=1).min(),
            "somewhere else": elsewhere.mean(),
            "the same, last steps": elsewhere[:, -of.n_test :].mean(),
        }


@experiment(
    "fano-habits",
    answers=("Fig. 3", "Fig. 4"),
    unit=("user",),
    load=load_people,
    units=_each_user,
    at_paper=_people_with("window", "n_users", "n_sequences"),
)
@with_settings(Prepared, *_LOADED, "real_errors", "n_sequences")
def habits(of: Prepared) -> Rows:
    """Compute tight bounds of a user beside visits and speed, for each way of filling the chain.

    Source: Sec. 4.2.1, Fig. 3 and 4.

    Parameters
    ----------
    of : Prepared
        The user.

    Returns
    -------
    iterable of dict
        Columns: chains, training steps, visits (to the most visited place, in training), fixed (the
        bound with a sensor there), random (with random sensors), gap (spectral; NaN where the user
        never leaves), mixed (whether the chain was reducible or periodic).
    """
    rows = of.sensors()
    training = of.found.drawn.states[of.unit, : -of.n_test]
    for label, added in CHAINS.items():
        chain = of.chain(added)
        yield {
            "chains": label,
            "training steps": len(training),
            "visits": int((training == 0).sum()),
            "fixed": rec.tight_bound(chain, np.zeros(of.n_test, int), of.real_errors),
            "random": np.mean(rec.tight_bound(chain, rows, of.real_errors)),
            "gap": chain.spectral_gap,
            "mixed": bool(chain.transition[chain.transition > 0].min() < MIXED),
        }


def bounds_by_visits(rows: pd.DataFrame) -> pd.DataFrame:
    """Group the bounds of Fig. 3 by whether users never, sometimes or often visit the fixed sensor.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `habits`.

    Returns
    -------
    pandas.DataFrame
        Index: data, chains, visits. Often: in at least a quarter of the training steps.
    """
    found = {}
    for label, each in rows.groupby(["data", "chains"], sort=False):
        visits, often = each["visits"], each["visits"] >= each["training steps"] / 4
        groups = {"never": visits == 0, "sometimes": (visits > 0) & ~often, "often": often}
        for group, who in groups.items():
            bound = each.loc[who, "fixed"]
            ends = {"10%": bound.quantile(0.1), "90%": bound.quantile(0.9)}
            numbers = {"count": len(bound), "mean": bound.mean(), "sem": bound.sem()}
            found[*label, group] = numbers | ends
    table = pd.DataFrame.from_dict(found, orient="index").rename_axis(["data", "chains", "visits"])
    return table[table["count"] > 0].astype({"count": int})


def correlations(rows: pd.DataFrame, seed: int = 2024) -> pd.DataFrame:
    """Compute Spearman's correlation of spectral gap and bound (Fig. 4).

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `habits`.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    pandas.DataFrame
        A row for each dataset and kind of chain, with a bootstrap interval; NaN where it is
        undefined. "settled only" leaves out users whose chain was reducible or periodic.
    """
    found = {}
    for (data, chains), each in rows.groupby(["data", "chains"], sort=False):
        found[data, chains] = _correlation(
            each, stream(seed, "fano-correlations", str(data), str(chains))
        )
        if chains == "as decided":
            rng = stream(seed, "fano-correlations", str(data), "settled only")
            found[data, "settled only"] = _correlation(each[~each["mixed"].astype(bool)], rng)
    table = pd.DataFrame(list(found.values()), index=pd.MultiIndex.from_tuples(found))
    return table.rename_axis(["data", "chains"])


def _correlation(
    rows: pd.DataFrame, rng: np.random.Generator, resamples: int = 300
) -> dict[str, float]:
    """Spearman's correlation with a bootstrap interval; users without a gap are counted."""
    known = rows[["gap", "random"]].dropna().to_numpy()
    found = {"users": len(known), "no gap": len(rows) - len(known)}
    names = ["correlation", "95% low", "95% high", "error", "slow, bound < 1/2"]
    if len(known) < 10 or not np.ptp(known, axis=0).min() > 0:
        return found | dict.fromkeys(names, np.nan)
    draws = known[[rng.integers(0, len(known), len(known)) for _ in range(resamples)]]
    several = draws[np.ptp(draws, axis=1).min(axis=1) > 0]
    ranks = stats.zscore(stats.rankdata(several, axis=1), axis=1)
    values = ranks.prod(axis=2).mean(axis=1)  # Spearman's correlations
    slow = known[:, 0] < np.median(known[:, 0])
    numbers = [
        stats.spearmanr(*known.T).statistic,
        *np.quantile(values, [0.025, 0.975]),
        np.std(values, ddof=1),
        (known[slow, 1] < 0.5).sum(),
    ]
    return found | dict(zip(names, map(float, numbers), strict=True))


@experiment(
    "fano-people",
    answers=("Fig. 6", "Fig. 8"),
    unit=("user",),
    load=load_people,
    units=_each_user,
    at_paper=_people_with("window", "n_users", "n_sequences", "n_attacks"),
)
@with_settings(Prepared, *_LOADED, "real_errors", "n_sequences")
def attack_people(
    of: Prepared, *, noise_stds: Sequence[float] = SIGMAS, n_attacks: int = 4
) -> Rows:
    """Compute bounds and attacks on a user's last steps.

    Source: Sec. 4.2.2 and 4.2.3, Fig. 6 and 8.

    Parameters
    ----------
    of : Prepared
        The user.
    noise_stds : sequence of float, default SIGMAS
        Standard deviations σ of the noise on counts.
    n_attacks : int, default 4
        Number of sequences of sensors on which attacks are run.

    Returns
    -------
    iterable of dict
        A row for each s without noise (σ = 0), and for each σ with s = `real_errors`. Columns: σ, T
        - s; bounds, averaged over sequences of sensors; the share of the first `n_attacks`
        sequences in which each guess succeeds ("MAP, places": right steps elsewhere do not count).
    """
    rows, n_test, real_errors = of.sensors(), of.n_test, of.real_errors
    own, added = (of.chain(count) for count in CHAINS.values())
    attacked = rows[:n_attacks]
    moments = np.mean([rec.moment_bounds(own, row) for row in attacked], axis=0)
    right = _right_steps(of, own, attacked, noise_stds)
    for sigma, s in [(0.0, s) for s in range(n_test)] + [(x, real_errors) for x in noise_stds]:
        given = rows, s, sigma or None
        tight = rec.tight_bound(own, *given)
        raw = rec.tight_bound(own, rows, s) if sigma else tight
        yield {
            "σ": sigma,
            "T - s": n_test - s,
            "loose": np.mean(rec.loose_bound(own, *given)),
            "tight": np.mean(tight),
            "tight, smaller I": np.mean(np.minimum(tight, raw)),
            "loose, one added": np.mean(rec.loose_bound(added, *given)),
            "tight, one added": np.mean(rec.tight_bound(added, *given)),
            "moments": np.nan if sigma else moments[s],
            **{name: np.mean(np.array(each) >= n_test - s) for name, each in right[sigma].items()},
        }


@experiment(
    "fano-people-noisy",
    answers=("Fig. 6",),
    unit=("user",),
    load=load_people,
    units=_each_user,
    at_paper=_people_with("window", "n_users", "n_sequences", "n_attacks"),
)
@with_settings(Prepared, *_LOADED, "n_sequences")
def noisy_people(of: Prepared, *, noise_std: float = 1.0, n_attacks: int = 4) -> Rows:
    """Compute bounds and MAP on a user's last steps, for noisy counts and every s.

    The noise and the sequences of sensors are those of `attack_people` at the same σ. Source: Sec.
    4.1 and 4.2.2, Fig. 6.

    Parameters
    ----------
    of : Prepared
        The user.
    noise_std : float, default 1.0
        Standard deviation σ of the noise on counts; Sec. 4.1 fixes it at 1.
    n_attacks : int, default 4
        Number of sequences of sensors on which attacks are run.

    Returns
    -------
    iterable of dict
        A row for each s. Columns: T - s; bounds, averaged over sequences of sensors; the share of
        the first `n_attacks` sequences in which MAP succeeds.
    """
    rows, n_test, own = of.sensors(), of.n_test, of.chain(0.0)
    right = _right_steps(of, own, rows[:n_attacks], (noise_std,))[noise_std]["MAP"]
    for s in range(n_test):
        yield {
            "T - s": n_test - s,
            "loose": np.mean(rec.loose_bound(own, rows, s, noise_std)),
            "tight": np.mean(rec.tight_bound(own, rows, s, noise_std)),
            "MAP": np.mean(np.array(right) >= n_test - s),
        }


def _right_steps(
    of: Prepared, chain: MarkovChain, rows: np.ndarray, noise_stds: Sequence[float]
) -> dict[float, dict[str, list[int]]]:
    """How many steps each guess gets right: by noise, by guess, one a sequence."""
    n_test, drawn = of.n_test, of.found.drawn
    truth = drawn.states[of.unit, -n_test:]
    real = truth < len(drawn.places)
    right: dict[float, dict[str, list[int]]] = {sigma: {"MAP": []} for sigma in (0.0, *noise_stds)}
    right[0.0] |= {
        "marginal": [],
        "MAP, places": [],
        "prior": [(rec.prior_trajectory(chain, n_test) == truth).sum()],
    }
    name = str(drawn.users[of.unit])
    for i, row in enumerate(rows):
        sensed = rec.SensedChain(chain, row)
        for sigma, each in right.items():
            rng = stream(of.seed, "fano-people", of.found.data, name, float(sigma), i)
            counts = rec.observe(truth[None], row, sigma or None, rng)
            same = sensed.viterbi(counts, sigma or NEARLY_RAW)[0] == truth
            each["MAP"].append(same.sum())
            if not sigma:
                mode = sensed.marginal_modes(counts, NEARLY_RAW)[0]
                each["MAP, places"].append((same & real).sum())
                each["marginal"].append((mode == truth).sum())
    return right


@experiment(
    "fano-constants",
    answers=("Fig. 6",),
    load=load_people,
    at_paper=_people_with("window", "n_users"),
)
@with_settings(Prepared, *_LOADED)
def constant_guesses(of: Prepared) -> Rows:
    """Find the most successful constant guess: one place, not elsewhere, for all users.

    Parameters
    ----------
    of : Prepared
        The dataset's users.

    Returns
    -------
    iterable of dict
        Columns: T - s, users, place (its rank by check-ins, from 0), hits (users who are there
        often enough).
    """
    drawn = of.found.drawn
    truth, n = drawn.states[:, -of.n_test :], len(drawn.places)
    for asked in range(of.n_test, 0, -1):
        hits = [((truth == place).sum(axis=1) >= asked).sum() for place in range(n)]
        yield {"T - s": asked, "users": len(truth), "place": np.argmax(hits), "hits": max(hits)}


def step_means(rows: pd.DataFrame, lucky: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Average losses and bounds over users by the steps asked for (Fig. 6).

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `attack_people`.
    lucky : pandas.DataFrame
        Rows of `constant_guesses`.

    Returns
    -------
    tuple[pandas.DataFrame, pandas.DataFrame]
        Means, and standard errors; the constant guess is one for all users.
    """
    by = ["data", "T - s"]
    lines = ["loose", "tight", "moments", "MAP", "marginal", "MAP, places", "prior"]
    lines += ["loose, one added", "tight, one added"]
    each = rows[rows["σ"] == 0].groupby(by, sort=False)[lines]
    means, errors, one = each.mean(), each.sem(), lucky.set_index(by)
    share = one["hits"] / one["users"]
    spread = (share * (1 - share) / (one["users"] - 1)) ** 0.5
    return means.assign(constant=share), errors.assign(constant=spread)


def people_noise_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Average losses and bounds over users by noise (Fig. 8).

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `attack_people`.

    Returns
    -------
    pandas.DataFrame
        Index: data, σ. Also MAP's standard error, and the share of users whose tight bound is
        higher with noise than without.
    """
    of_noise = rows.loc[rows["σ"] > 0, "T - s"].iloc[0]
    rows = rows[rows["T - s"] == of_noise]
    user = ["data", "user"]
    raw = rows[rows["σ"] == 0].set_index(user)["tight"].rename("raw")
    rows = rows.join(raw, on=user)
    rows["above raw"] = rows["tight"] > rows["raw"]
    each = rows.groupby(["data", "σ"], sort=False)
    lines = ["loose", "tight", "tight, smaller I", "MAP", "tight, one added", "above raw"]
    means = each[lines].mean()
    means.insert(4, "MAP error", each["MAP"].sem())
    return means


# -- examples and theorems -----------------------------------------------------------------------


def _random_case(case: int, seed: int) -> tuple[MarkovChain, np.ndarray, int]:
    """A chain of at most five places, sensors and s; some chains are nearly deterministic."""
    rng = np.random.default_rng([seed, case])
    m, n = rng.integers(2, 6), rng.integers(2, 6)
    rows = rng.dirichlet(np.full(m, rng.choice([0.1, 1.0])), size=m + 1)
    return MarkovChain(rows[0], rows[1:]), rng.integers(0, m, n), int(rng.integers(0, n))


def _cases(_: None, *, n_cases: int) -> list[int]:
    """The units of the enumerated chains."""
    return list(range(n_cases))


@experiment(
    "fano-truth",
    answers=("Prop. 1", "Prop. 2", "Theorem 1"),
    unit=("case",),
    units=_cases,
    at_paper={"analytic": {}},
)
def enumerated_chains(_: None, case: int, *, n_cases: int = 200, seed: int = 2024) -> Rows:
    """Compare bounds and estimators with the best possible success on a random chain.

    Parameters
    ----------
    _ : None
        No data are needed.
    case : int
        Number of the chain.
    n_cases : int, default 200
        Number of chains.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterable of dict
        Columns: M, T, s, I (as the bounds use it), H (entropy of the path), Q (the largest
        probability of a ball, by enumeration), best, five bounds, map, marginal; and, up to 300
        trajectories, whether the paper's identities hold (the prior's guess, Theorem 1, Eq. 5 and
        Eq. 3 at s = 0).
    """
    chain, sensors, s = _random_case(case, seed)
    given = chain, sensors, s
    information, largest = rec.mutual_information(chain, sensors), _largest_ball(chain, sensors, s)
    row = {
        "M": chain.n_locations,
        "T": len(sensors),
        "s": s,
        "I": information,
        "H": chain.entropy(len(sensors)),
        "Q": largest,
        "best": rec.best_loss(*given),
        "loose": rec.loose_bound(*given),
        "tight": rec.tight_bound(*given),
        "tight, exact Q": float(success_within(np.array([information]), np.log(largest))[0]),
        "tight, exact I and KL": rec.tight_bound(*given, information="exact", form="kl"),
        "moments": rec.moment_bound(*given),
        "map": rec.exact_loss(*given, "viterbi"),
        "marginal": rec.exact_loss(*given, "marginal"),
    }
    small = chain.n_locations ** len(sensors) <= 300
    yield row | (_identities(chain, sensors, s) if small else {})


def _largest_ball(chain: MarkovChain, sensors: np.ndarray, s: int) -> float:
    """Largest probability of all trajectories within s errors of one, over all trajectories."""
    n = len(sensors)
    ways = np.indices((chain.n_locations,) * n).reshape(n, -1).T
    chance = np.exp(chain.log_probability(ways))
    return max(float(chance[(ways != guess).sum(axis=1) <= s].sum()) for guess in ways)


def _identities(chain: MarkovChain, sensors: np.ndarray, s: int) -> dict[str, bool]:
    n = len(sensors)
    ways = np.indices((chain.n_locations,) * n).reshape(n, -1).T
    chance = np.exp(chain.log_probability(ways))
    own = np.exp(chain.log_probability(rec.prior_trajectory(chain, n)))
    terms = [_largest_term(ways, chance, chain.n_locations, free) for free in range(s + 1)]
    found = {
        "prior is best": np.isclose(own, chance.max(), rtol=1e-9),
        "Theorem 1": np.allclose(np.exp(rec.ball_terms(chain, n, s)), terms, rtol=1e-9),
        "ball at s = 0": np.isclose(np.exp(log_ball(chain, n, 0)), chance.max(), rtol=1e-9),
        "Eq. 3 is Eq. 1": np.isclose(rec.loose_bound(chain, sensors, 0), _eq_1(chain, sensors)),
    }
    return {name: bool(holds) for name, holds in found.items()}


def _largest_term(ways: np.ndarray, chance: np.ndarray, m: int, free: int) -> float:
    """Largest term of Eq. 5 with a number of free epochs, over all trajectories."""
    fixed = ways.shape[1] - free
    codes = [
        ways[:, list(epochs)] @ m ** np.arange(fixed)
        for epochs in combinations(range(ways.shape[1]), fixed)
    ]
    return max(float(np.bincount(code, chance).max()) for code in codes)


def _eq_1(chain: MarkovChain, sensors: np.ndarray) -> float:
    """1 - p_e of Eq. 1 with M^T outcomes."""
    n_outcomes = chain.n_locations ** len(sensors)
    left = chain.entropy(len(sensors)) - float(rec.mutual_information(chain, sensors))
    if left <= 0:
        return 1.0

    def excess(p: float) -> float:
        return float(special.entr(p) + special.entr(1 - p) + p * np.log(n_outcomes - 1) - left)

    return 1 - float(optimize.brentq(excess, 0, 1 - 1 / n_outcomes))


@experiment("fano-eq-4", answers=("Eq. 4",), at_paper={"analytic": {}})
def eq_4(_: None, unit: tuple[()], *, noise_stds: Sequence[float] = SIGMAS) -> Rows:
    """Compute the information of one noisy count on one step, by Eq. 4 and exactly.

    Parameters
    ----------
    _ : None
        No data are needed.
    unit : tuple
        The experiment has one unit.
    noise_stds : sequence of float, default SIGMAS
        Standard deviations σ of the noise on counts.

    Returns
    -------
    iterable of dict
        A row for each p and σ; σ = 0 is h(p).
    """
    where = np.array([1])
    for p in (0.01, 0.1, 0.5):
        bit = MarkovChain(np.array([1 - p, p]), np.full((2, 2), 0.5))
        for sigma in (0.05, *noise_stds, 100.0, 0.0):
            printed, itself = (
                float(rec.mutual_information(bit, where, sigma or None, kind))
                for kind in ("pairwise", "exact")
            )
            yield {"p": p, "σ": sigma, "Eq. 4": printed, "itself": itself}


@experiment("fano-one-count", answers=("Example 1", "Fig. 1"), at_paper={"analytic": {}})
def one_count(_: None, unit: tuple[()]) -> Rows:
    """Compute what one raw count of one person in one step reveals (Example 1).

    Parameters
    ----------
    _ : None
        No data are needed.
    unit : tuple
        The experiment has one unit.

    Returns
    -------
    iterable of dict
        A row for each sensor: information, bound, best success, advantages.
    """
    person = MarkovChain(np.array([0.5, 0.3, 0.1, 0.1]), np.full((4, 4), 0.25))
    p_star = person.initial.max()
    for sensor, place in (("likely to be there", 0), ("unlikely", 3)):
        p, where = person.initial[place], np.array([place])
        found = {
            "loose bound": rec.loose_bound(person, where, 0),
            "best possible": rec.best_loss(person, where, 0),
        }
        gained = {f"advantage, {name}": (x - p_star) / (1 - p_star) for name, x in found.items()}
        yield {
            "sensor": sensor,
            "I": float(rec.mutual_information(person, where)),
            "h(p)": -p * np.log(p) - (1 - p) * np.log(1 - p),
            **found,
            **gained,
        }


@experiment("fano-two-counts", answers=("Example 2", "Fig. 2"), at_paper={"analytic": {}})
def two_counts(_: None, unit: tuple[()]) -> Rows:
    """Compute the success of the best guess of two steps: seen first, then not (Example 2).

    Parameters
    ----------
    _ : None
        No data are needed.
    unit : tuple
        The experiment has one unit.

    Returns
    -------
    iterable of dict
        A row for each person; the second sensor is at one of the five places ("success"), or
        elsewhere, as in the paper.
    """
    for person, stays in (("stays (0.96)", 0.96), ("moves (0.2)", 0.2)):
        rest = (1 - stays) / 4
        chain = MarkovChain.stationary(np.full((5, 5), rest) + np.eye(5) * (stays - rest))
        way = rec.viterbi_trajectory(chain, np.array([0, 4]), np.array([1, 0]))
        seen = chain.initial[0] * (1 - chain.transition[0, 4])
        padded = np.eye(6)
        padded[:5, :5] = chain.transition
        wider = MarkovChain(np.append(chain.initial, 0.0), padded)  # nobody goes to place 5
        away = rec.viterbi_trajectory(wider, np.array([0, 5]), np.array([1, 0]))
        yield {
            "person": person,
            "success": float(np.exp(chain.log_probability(way)) / seen),
            "success, sensor elsewhere": float(
                np.exp(wider.log_probability(away)) / chain.initial[0]
            ),
        }


@experiment("fano-epsilon", answers=("Sec. 2.2.1",), at_paper={"analytic": {}})
def epsilon(_: None, unit: tuple[()], *, times: Sequence[int] = tuple(range(2, 21, 2))) -> Rows:
    """Compute the effective ε of raw counts, and of noisy ones at σ = 1, δ = 1e-5, by T.

    Parameters
    ----------
    _ : None
        No data are needed.
    unit : tuple
        The experiment has one unit.
    times : sequence of int, default tuple(range(2, 21, 2))
        Numbers of steps T.

    Returns
    -------
    iterable of dict
        Columns: T, raw, printed.
    """
    for n_epochs in times:
        yield {
            "T": n_epochs,
            "raw": rec.dp_epsilon(None, n_epochs, DELTA),
            "printed": rec.dp_epsilon(1.0, n_epochs, DELTA),
        }


@experiment("fano-modes", answers=("Sec. 3.2.2",), at_paper={"analytic": {}})
def modes(_: None, unit: tuple[()], *, tau: float = 0.1) -> Rows:
    """Compare MAP, posterior modes and the best guess on four places and four steps; not in the
    paper.

    Parameters
    ----------
    _ : None
        No data are needed.
    unit : tuple
        The experiment has one unit.
    tau : float, default 0.1
        Scale of the distance chain of the simulated person.

    Returns
    -------
    iterable of dict
        A row for each s: means over every fifth sequence of sensors, exact for these.
    """
    chain = rec.distance_chain(4, tau)
    rows = np.stack(np.meshgrid(*[range(4)] * 4), axis=-1).reshape(-1, 4)[::5]
    for s in range(4):
        table = [
            {
                "MAP": rec.exact_loss(chain, row, s),
                "marginal": rec.exact_loss(chain, row, s, "marginal"),
                "best possible": rec.best_loss(chain, row, s),
                "moments": rec.moment_bound(chain, row, s),
                "tight": rec.tight_bound(chain, row, s),
            }
            for row in rows
        ]
        yield {"s": s, **{name: np.mean([each[name] for each in table]) for name in table[0]}}


# -- by hand, for the chapters: in memory, nothing is stored ---------------------------------------


def diary(traces: Traces, user: str) -> np.ndarray:
    """Read where a user was in each epoch.

    Parameters
    ----------
    traces : Traces
        Visits of users to places.
    user : str
        Name of the user.

    Returns
    -------
    numpy.ndarray
        Numbers of places, shape (n_epochs,); n_rois means elsewhere.
    """
    trace = traces.trace(user)
    return np.where(trace.any(axis=0), trace.argmax(axis=0), traces.n_rois)


def diary_chain(traces: Traces, user: str) -> MarkovChain:
    """Estimate the chain of a user's habits from the diary; the last place is elsewhere.

    Parameters
    ----------
    traces : Traces
        Visits of users to places.
    user : str
        Name of the user.

    Returns
    -------
    MarkovChain
        The chain.
    """
    return MarkovChain.from_visits(diary(traces, user), traces.n_rois + 1)


def losses_by_errors(chain: MarkovChain, sensors: np.ndarray) -> pd.DataFrame:
    """Compute attacks, bounds and the best success from raw counts, without sampling error.

    Parameters
    ----------
    chain : MarkovChain
        Markov chain of a person's places.
    sensors : numpy.ndarray
        Place of the sensor in each step, shape (n_epochs,).

    Returns
    -------
    pandas.DataFrame
        A row for each s. Columns: prior, constant, MAP, marginal, best, moments, tight, loose. For
        chains that can be enumerated.
    """
    rows = {}
    for s in range(len(sensors)):
        given = chain, sensors, s
        rows[s] = {
            **{name: rec.exact_loss(*given, name) for name in ("prior", "constant")},
            "MAP": rec.exact_loss(*given),
            "marginal": rec.exact_loss(*given, "marginal"),
            "best": rec.best_loss(*given),
            "moments": rec.moment_bound(*given),
            "tight": rec.tight_bound(*given),
            "loose": rec.loose_bound(*given),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("s")


def losses_by_user(
    traces: Traces, users: Sequence[str], sensors: np.ndarray, s: int = 0
) -> pd.DataFrame:
    """Compute `losses_by_errors` at one s for several users.

    Parameters
    ----------
    traces : Traces
        Visits of users to places.
    users : sequence of str
        Users by name.
    sensors : numpy.ndarray
        Place of the sensor in each step, shape (n_epochs,).
    s : int, default 0
        Number of wrong steps that still count as success.

    Returns
    -------
    pandas.DataFrame
        A row for each user, with the entropy H of the trajectory and the information I of the
        counts, in nats.
    """
    rows = {}
    for user in users:
        chain = diary_chain(traces, user)
        known = float(rec.mutual_information(chain, sensors, information="exact"))
        own = losses_by_errors(chain, sensors).loc[s]
        rows[user] = {"H": chain.entropy(len(sensors)), "I": known, **own}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("user")


def noisy_runs(
    noise_stds: Sequence[float],
    *,
    n_locations: int = 10,
    n_epochs: int = 10,
    allowed_errors: int = 5,
    tau: float = 0.1,
    n_sequences: int = 20,
    n_runs: int = 1000,
    seed: int = 2024,
) -> pd.DataFrame:
    """Run MAP on the same simulated trajectories and noise, scaled by each σ.

    Parameters
    ----------
    noise_stds : sequence of float
        Standard deviations σ of the noise on counts.
    n_locations : int, default 10
        Number of places M.
    n_epochs : int, default 10
        Number of steps T.
    allowed_errors : int, default 5
        Number s of wrong steps that still count as success.
    tau : float, default 0.1
        Scale of the distance chain of the simulated person.
    n_sequences : int, default 20
        Number of sequences of sensors.
    n_runs : int, default 1000
        Number of simulated runs.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    pandas.DataFrame
        A row for each run and σ (0: no noise). Columns: σ, run, MAP (1.0: at most `allowed_errors`
        wrong steps).
    """
    chain = rec.distance_chain(n_locations, tau)
    each, found = -(-n_runs // n_sequences), []
    for i, row in enumerate(sample_sensors(seed, n_locations, n_epochs, n_sequences)):
        rng = stream(seed, "fano-noisy-runs", n_locations, i)
        truth = chain.sample(each, n_epochs, rng)
        raw, normal = rec.observe(truth, row), rng.standard_normal(truth.shape)
        for sigma in (0.0, *noise_stds):
            guess = rec.viterbi_trajectory(chain, row, raw + sigma * normal, sigma or None)
            right = (truth != guess).sum(axis=1) <= allowed_errors
            run = i * each + np.arange(each)
            found.append(pd.DataFrame({"σ": sigma, "run": run, "MAP": right.astype(float)}))
    return pd.concat(found, ignore_index=True)


def noise_bounds(
    noise_stds: Sequence[float],
    *,
    n_locations: int = 10,
    n_epochs: int = 10,
    allowed_errors: int = 5,
    tau: float = 0.1,
    n_sequences: int = 20,
    seed: int = 2024,
) -> pd.DataFrame:
    """Compute what holds for every attacker of `noisy_runs`.

    Parameters
    ----------
    noise_stds : sequence of float
        Standard deviations σ of the noise on counts.
    n_locations : int, default 10
        Number of places M.
    n_epochs : int, default 10
        Number of steps T.
    allowed_errors : int, default 5
        Number s of wrong steps that still count as success.
    tau : float, default 0.1
        Scale of the distance chain of the simulated person.
    n_sequences : int, default 20
        Number of sequences of sensors.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    pandas.DataFrame
        A row for each σ, 0 first. Columns: tight, mean over sequences of sensors; ε of one
        person's counts, exact for δ = 1e-5; prior, the success of the most probable trajectory
        without counts.
    """
    chain = rec.distance_chain(n_locations, tau)
    sensors = sample_sensors(seed, n_locations, n_epochs, n_sequences)
    prior, rows = rec.exact_loss(chain, sensors[0], allowed_errors, "prior"), {}
    for sigma in (0.0, *noise_stds):
        rows[sigma] = {
            "tight": np.mean(rec.tight_bound(chain, sensors, allowed_errors, sigma or None)),
            "ε": rec.dp_epsilon(sigma or None, n_epochs, DELTA, "exact"),
            "prior": prior,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("σ")


def noise_comparison(
    noise_stds: Sequence[float],
    *,
    map_sizes: Sequence[int] = (10, 100),
    n_epochs: int = 10,
    allowed_errors: int = 5,
    tau: float = 0.1,
    n_sequences: int = 20,
    n_runs: int = 1000,
    seed: int = 2024,
) -> pd.DataFrame:
    """Compute four bounds and the success of attacks on noisy counts of the simulated person.

    Parameters
    ----------
    noise_stds : sequence of float
        Standard deviations σ of the noise on counts.
    map_sizes : sequence of int, default (10, 100)
        Numbers of places M.
    n_epochs : int, default 10
        Number of steps T.
    allowed_errors : int, default 5
        Number s of wrong steps that still count as success.
    tau : float, default 0.1
        Scale of the distance chain of the simulated person.
    n_sequences : int, default 20
        Number of sequences of sensors.
    n_runs : int, default 1000
        Number of simulated runs of each attack.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    pandas.DataFrame
        A row for each M, σ and sequence of sensors. Columns: tight, moments; absent and halfway,
        the bounds from hypothesis tests; MAP and marginal, shares of simulated runs; no count, the
        exact success of the better of the maximum a priori and the constant guess; rounded, a lower
        bound on the success of an attacker who rounds each count to 0 or 1 and makes the better
        guess for exact counts: the probability that all roundings are right, times its success.
    """
    s, each, rows = allowed_errors, -(-n_runs // n_sequences), []
    guesses = {"MAP": "viterbi", "marginal": "marginal"}
    for m in map_sizes:
        chain, sensors = rec.distance_chain(m, tau), sample_sensors(seed, m, n_epochs, n_sequences)
        blind = max(rec.exact_loss(chain, sensors[0], s, name) for name in ("prior", "constant"))
        exact = [max(rec.exact_loss(chain, row, s, g) for g in guesses.values()) for row in sensors]
        for sigma, i in product(noise_stds, range(n_sequences)):
            all_bits = stats.norm.cdf(1 / (2 * sigma)) ** n_epochs
            rng = stream(seed, "fano-noise-comparison", m, float(sigma), i)
            row = {"M": m, "σ": sigma, "no count": blind, "rounded": all_bits * exact[i]}
            for name in ("absent", "halfway"):
                row[name] = rec.hypothesis_bound(chain, n_epochs, s, sigma, name)
            row["tight"] = rec.tight_bound(chain, sensors[i], s, sigma)
            row["moments"] = rec.moment_bound(chain, sensors[i], s, sigma)
            for label, name in guesses.items():
                runs = rec.monte_carlo_loss(chain, sensors[i], s, name, sigma, each, rng=rng)
                row[label] = runs.loss
            rows.append(row | {"sequence": i})
    return pd.DataFrame(rows)


def moment_orders(chain: MarkovChain, sensors: np.ndarray) -> pd.DataFrame:
    """Compute the moment bound from sets of k right steps.

    Parameters
    ----------
    chain : MarkovChain
        Markov chain of a person's places.
    sensors : numpy.ndarray
        Place of the sensor in each step, shape (n_epochs,).

    Returns
    -------
    pandas.DataFrame
        A row for each number of right steps asked for, a column for each k.
    """
    n = len(sensors)
    moments = _sensed_moments(rec.SensedChain(chain, sensors), n)
    right, k = np.arange(1, n + 1)[:, None], np.arange(1, n + 1)
    with np.errstate(divide="ignore"):
        bounds = np.where(k <= right, moments[1:] / special.binom(right, k), np.nan)
    index = pd.Index(right[:, 0], name="right steps asked for")
    return pd.DataFrame(np.minimum(bounds, 1.0), index, [f"k = {each}" for each in k])


def map_with_ties(chain: MarkovChain, sensors: np.ndarray) -> pd.DataFrame:
    """Compute the range of MAP's success as ties between most probable trajectories are broken.

    Parameters
    ----------
    chain : MarkovChain
        Markov chain of a person's places.
    sensors : numpy.ndarray
        Place of the sensor in each step, shape (n_epochs,).

    Returns
    -------
    pandas.DataFrame
        A row for each s. Columns: least, largest. By enumeration.
    """
    n = len(sensors)
    paths = np.indices((chain.n_locations,) * n).reshape(n, -1).T
    chance = np.exp(chain.log_probability(paths))
    answers = (paths == sensors) @ (1 << np.arange(n))
    found = np.zeros((n, 2))
    for answer in np.unique(answers[chance > 0]):
        left, posterior = paths[answers == answer], chance[answers == answer]
        tied = left[np.isclose(posterior, posterior.max())]
        wrong = (tied[:, None] != left).sum(axis=2)
        for s in range(n):
            success = (wrong <= s) @ posterior
            found[s] += success.min(), success.max()
    return pd.DataFrame(found, columns=["least", "largest"]).rename_axis("s")


def smoothed_chains(
    people: Mapping[str, People],
    added: Mapping[str, float],
    *,
    n_sequences: int = 20,
    n_test: int = 5,
    real_errors: int = 1,
    seed: int = 2024,
) -> pd.DataFrame:
    """Compute bounds and likelihoods of users' chains with different additive smoothing.

    Parameters
    ----------
    people : mapping of str to People
        Dataset to its users, as `load_people` gives them.
    added : mapping of str to float
        Name to the count added to transitions between visited places.
    n_sequences : int, default 20
        Number of sequences of sensors.
    n_test : int, default 5
        Number of last steps, which are attacked.
    real_errors : int, default 1
        Number s of wrong steps that still count as success.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    pandas.DataFrame
        Columns: data, user, added (the name), tight (mean over sequences of sensors), expected
        (success of the prior's guess under the chain), prior (whether it succeeds on the real
        steps), log-likelihood (of the real steps; -inf for what the chain calls impossible).
    """
    rows = []
    for data, found in people.items():
        sensors = _sensors_at(found, n_sequences, n_test, seed)
        for user in _each_user(found):
            truth = found.drawn.states[user, -n_test:]
            for name, count in added.items():
                chain = _user_chain(found, user, n_test, count)
                guess = rec.prior_trajectory(chain, n_test)
                rows.append(
                    {
                        "data": data,
                        "user": user,
                        "added": name,
                        "tight": np.mean(rec.tight_bound(chain, sensors, real_errors)),
                        "expected": rec.guess_loss(chain, guess, real_errors),
                        "prior": float((guess != truth).sum() <= real_errors),
                        "log-likelihood": float(chain.log_probability(truth)),
                    }
                )
    return pd.DataFrame(rows)


class _Counted(np.ndarray):
    """An array that counts the numbers that numpy's functions compute from it."""

    operations = 0

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [np.asarray(each) if isinstance(each, _Counted) else each for each in inputs]
        _Counted.operations += int(np.broadcast(*map(np.asarray, plain)).size)
        found = getattr(ufunc, method)(*plain, **options)
        return found.view(_Counted) if isinstance(found, np.ndarray) else found


@experiment("fano-costs", answers=("Prop. 1", "Prop. 2"), at_paper={"analytic": {}})
def costs(
    _: None, unit: tuple[()], *, sizes: Sequence[int] = (10, 20, 40, 80), tau: float = 1.0
) -> Rows:
    """Count what the most probable path costs: numbers computed and numbers held.

    Parameters
    ----------
    _ : None
        No data are needed.
    unit : tuple
        The experiment has one unit.
    sizes : sequence of int, default (10, 20, 40, 80)
        Numbers of steps T, and of places M.
    tau : float, default 1
        Scale of the chain's steps.

    Returns
    -------
    iterable of dict
        A row for each T and M. The recursion is that of Prop. 1 and, without counts, of Prop. 2.
    """
    for n_epochs, n_locations in product(sizes, sizes):
        chain = rec.distance_chain(n_locations, tau)
        counts = np.zeros((n_epochs, n_locations)).view(_Counted)
        _Counted.operations = 0
        scores, pointers = viterbi_scores(chain.log_initial, chain.log_transition, counts)
        yield {
            "T": n_epochs,
            "M": n_locations,
            "operations": _Counted.operations,
            "numbers held": scores.size + pointers.size,
        }

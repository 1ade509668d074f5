"""What the zero-auxiliary-knowledge chapter measures: ZK (Guan et al. 2024), Sec. 4 to 6, App. A-D.

In a game, Knock-Knock's attacker (KK: logistic regression on real traces) and ZK's (on synthetic
ones) are scored on the same test groups of one target. A game's rows have the columns `attacker`,
`scorer` (what is fitted), `AUC` and `accuracy` (at the threshold that validation chose).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from scipy.spatial import ConvexHull

from lib import metrics
from lib.aggregation import aggregate, sample_groups
from lib.datasets import load, mobility
from lib.execution.results import Row
from lib.mechanisms import (
    BoundContributions,
    Laplace,
    PostProcess,
    SuppressSmallCounts,
    release,
    release_traces,
)
from lib.membership import challenges, counts_likelihood, marginals, target_knowledge
from lib.membership import zero_knowledge as zk
from lib.papers.experiments import Experiment, experiment
from lib.papers.settings import with_settings
from lib.randomness import stream
from lib.traces import Traces

N_TARGETS = 30  # the paper has fifty
LEAST_VISITS = 10  # of a target
SAME = 0.01  # of an AUC: another processor may stop the fit elsewhere within its certificate
KM = 6371.0  # the earth's radius
SIZES: dict[str, dict[str, Any]] = {  # the paper's; flights are fewer
    "tweeters-zk": {},
    "callers": {"n_reference": 5000},
    "flights-by-number": {"group_size": 250, "n_reference": 500},
}
GROUP_SIZES = (100, 500, 1000, 2000, 3000)
EPSILONS = (0.1, 0.5, 1.0, 5.0, 10.0)
SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)
SURROGATES = {name: SIZES[name] for name in ("tweeters-zk", "callers")}
CAPS: dict[str, dict[str, Any]] = {"callers": {"cap": 20}}  # of visits a user-day
_WITH_CAPS = {name: sizes | CAPS.get(name, {}) for name, sizes in SIZES.items()}
_GROUP_SIZE = {
    name: {"group_size": sizes["group_size"]} if "group_size" in sizes else {}
    for name, sizes in SIZES.items()
}
ESTIMATORS: dict[str, Callable[..., marginals.Marginals]] = {
    "power transform": marginals.estimate,
    "likelihood": counts_likelihood.estimate,
}


def sizes_of(data: str, traces: Traces) -> dict[str, Any]:
    """Return the sizes of a dataset's games: the paper's, or fewer if there are too few users.

    All flights have the sizes of a week of flights.

    Parameters
    ----------
    data : str
        Name of the dataset.
    traces : lib.traces.Traces
        The population.

    Returns
    -------
    dict of str to int
        `group_size` and `n_reference`.
    """
    found = SIZES.get("flights-by-number" if data.startswith("flights") else data, {})
    size = min(found.get("group_size", 1000), (traces.n_users - 1) // 2)
    most = min(found.get("n_reference", 2500), traces.n_users - size - 1)
    return {"group_size": size, "n_reference": most}


def population(data: str, *, path: str = "", callers_users: int = 11_000) -> Traces:
    """Load the population of a dataset; of the flights, the first week.

    Parameters
    ----------
    data : str
        Name of the dataset.
    path : str
        File of the dataset "social-pulse".
    callers_users : int
        Number of callers to synthesize.

    Returns
    -------
    lib.traces.Traces
        The population.
    """
    if data == "callers":
        return load(data, n_users=callers_users)
    if data.startswith("flights"):
        return load(data).select(epochs=slice(0, 168))
    return load(data, **({"path": path or None} if data == "social-pulse" else {}))


def targets(traces: Traces, *, seed: int, n_targets: int = N_TARGETS) -> list[int]:
    """Draw users with at least `LEAST_VISITS` visits.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    seed : int
        Seed of the random streams.
    n_targets : int
        Number of targets.

    Returns
    -------
    list of int
        Positions of the targets.
    """
    busy = np.flatnonzero(traces.visits().to_numpy() >= LEAST_VISITS)
    chosen = np.random.default_rng(seed).choice(busy, n_targets, replace=False)
    return [int(target) for target in chosen]


def to_attack(
    populations: Mapping[str, Traces], able: Mapping[str, int], *, seed: int
) -> tuple[dict[str, list[int]], dict[str, dict[str, Any]]]:
    """Draw the targets of several datasets, and return the sizes of their games.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    able : mapping of str to int
        Name of the dataset to its number of targets.
    seed : int
        Seed of the random streams.

    Returns
    -------
    tuple of dict
        Name of the dataset to its targets, and to its sizes.
    """
    chosen = {
        name: targets(traces, seed=seed, n_targets=able[name])
        for name, traces in populations.items()
    }
    return chosen, {name: sizes_of(name, traces) for name, traces in populations.items()}


def defense(epsilon: float | None = None, k: int = 0, cap: int | None = None) -> list[Any]:
    """Return the mechanisms of a release.

    Noise is event-level without a cap and user-day-level with one. Source: ZK, Sec. 2.2.

    Parameters
    ----------
    epsilon : float, optional
        Privacy budget; without it no noise.
    k : int
        Largest suppressed count; 0 for no suppression.
    cap : int, optional
        Largest number of visits of a user in a day.

    Returns
    -------
    list of lib.mechanisms.Mechanism
        The mechanisms, in their order.
    """
    bound = [BoundContributions(cap)] if cap else []
    noise = [Laplace(epsilon, cap or 1), PostProcess("down")] if epsilon else []
    return [*bound, *noise, *([SuppressSmallCounts(k + 1)] if k else [])]


def user_noise(traces: Traces, epsilon: float) -> list[Any]:
    """Return the mechanisms of a user-level release: noise scaled to the most visits of a user.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    epsilon : float
        Privacy budget.

    Returns
    -------
    list of lib.mechanisms.Mechanism
        Laplace noise, rounded down.
    """
    return [Laplace(epsilon, float(traces.visits().max())), PostProcess("down")]


def distance(one: np.ndarray, other: np.ndarray) -> float:
    """Compute the total variation distance of two distributions.

    Parameters
    ----------
    one, other : numpy.ndarray
        Probabilities, in the same order.

    Returns
    -------
    float
        Half the sum of absolute differences, 0 to 1.
    """
    return float(np.abs(one - other).sum() / 2)


@dataclass(frozen=True)
class Game:
    """The membership games of one target.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    target : int
        Position of the target among the users.
    group_size, n_reference : int
        Users in a group, and users whose traces KK's attacker knows.
    n_train, n_validation, n_test : int
        Groups in each part.
    seed : int
        Seed of all streams.
    """

    traces: Traces
    target: int
    group_size: int = 1000
    n_reference: int = 2500
    n_train: int = 400
    n_validation: int = 100
    n_test: int = 100
    seed: int = 2024

    def challenge(
        self, mechanisms: Sequence[Any], group_size: int | None = None
    ) -> challenges.Challenge:
        """Draw the target's test groups, which are the same for every defense.

        Parameters
        ----------
        mechanisms : sequence of lib.mechanisms.Mechanism
            The defense.
        group_size : int, optional
            Users in a group, if not the game's.

        Returns
        -------
        lib.membership.challenges.Challenge
            Test groups and their release.
        """
        size = group_size or self.group_size
        rng = stream(self.seed, "zk-groups", self.target, size)
        return challenges.Challenge(
            self.traces, self.target, mechanisms, size, self.n_reference, rng, self.n_test
        )

    def evaluate(
        self,
        mechanisms: Sequence[Any],
        key: tuple[str | int | float, ...],
        *,
        columns: Sequence[str] = ("AUC", "accuracy"),
        known: Callable[[np.ndarray], np.ndarray] | None = None,
        n_traces: int | None = None,
        group_size: int | None = None,
        **options: Any,
    ) -> list[dict[str, Any]]:
        """Evaluate both attackers against a defense.

        Parameters
        ----------
        mechanisms : sequence of lib.mechanisms.Mechanism
            The defense.
        key : tuple of str, int or float
            Names of the stream of the attackers' random numbers.
        columns : sequence of str
            Measures to return.
        known : callable, optional
            Maps the target's trace to the part that the attackers know; without it all of it.
        n_traces : int, optional
            Number of synthetic traces.
        group_size : int, optional
            Users in a group, if not the game's.
        **options
            Further arguments of `lib.membership.challenges.evaluate_attackers`.

        Returns
        -------
        list of dict
            A row for each attacker and scorer: these two and the columns.
        """
        challenge = self.challenge(mechanisms, group_size)
        rows = challenges.evaluate_attackers(
            challenge,
            stream(self.seed, "zk-games", self.target, *key),
            known=known(challenge.trace) if known else None,
            n_traces=n_traces or max(self.n_reference, group_size or self.group_size),
            n_train=self.n_train,
            n_validation=self.n_validation,
            **options,
        )
        return [{name: row[name] for name in ("attacker", "scorer", *columns)} for row in rows]

    def possible(self, sizes: Sequence[int]) -> list[int]:
        """Return the group sizes for which there are enough known and enough other users.

        Parameters
        ----------
        sizes : sequence of int
            Numbers of users in a group.

        Returns
        -------
        list of int
            The possible ones.
        """
        largest = min(self.n_reference, self.traces.n_users - self.n_reference - 1)
        return [size for size in sizes if size <= largest]


_SIZES = ("n_reference", "n_train", "n_validation", "n_test", "seed")
_UNTRAINED = ("group_size", "n_reference", "n_test", "seed")
_TARGETS: dict[str, Any] = {  # what experiments on targets have in common
    "paper": "zk",
    "unit": ("target",),
    "units": targets,
    "load": population,
    "tolerance": SAME,
}


# -- games -----------------------------------------------------------------------------------------


@experiment("zk-suppression", answers=("Fig. 7", "Table 3", "Fig. 15"), at_paper=SIZES, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def suppression(
    game: Game, *, ks: Sequence[int] = (0, 1, 2, 3, 4, 5), scorers: Sequence[str] = zk.SCORERS
) -> Iterator[Row]:
    """Evaluate both attackers where counts up to k become 0. Source: ZK, Sec. 6.1, Fig. 7, Table 3.

    Parameters
    ----------
    game : Game
        The target's games.
    ks : sequence of int
        Largest suppressed counts.
    scorers : sequence of str
        Of `lib.membership.zero_knowledge.SCORERS`.

    Returns
    -------
    iterator of dict
        k and the columns of a game.
    """
    for k in ks:
        for row in game.evaluate(defense(k=k), ("suppression", k), scorers=scorers):
            yield {"k": k, **row}


@experiment("zk-noise", answers=("Fig. 8", "Table 4", "Table 5"), at_paper=_WITH_CAPS, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def noise(
    game: Game,
    *,
    epsilons: Sequence[float] = EPSILONS,
    cap: int = 10,
    scorers: Sequence[str] = ("logistic",),
) -> Iterable[Row]:
    """Evaluate both attackers against Laplace noise. Source: ZK, Sec. 6.2, Fig. 8, Tables 4 and 5.

    Parameters
    ----------
    game : Game
        The target's games.
    epsilons : sequence of float
        Privacy budgets.
    cap : int
        Visits of a user in a day, the sensitivity at the user-day level.
    scorers : sequence of str
        Of `lib.membership.zero_knowledge.SCORERS`.

    Returns
    -------
    iterable of dict
        unit ("event": a visit, or "user-day"), epsilon, scale (sensitivity / epsilon) and the
        columns of a game.
    """
    return _noise(game, epsilons, cap, scorers)


def _noise(
    game: Game, epsilons: Sequence[float], cap: int, scorers: Sequence[str]
) -> Iterator[Row]:
    """The rows of `noise` and `scores`."""
    for unit, limit in (("event", None), ("user-day", cap)):
        for epsilon in epsilons:
            key = (unit, float(epsilon))
            for row in game.evaluate(defense(epsilon, cap=limit), key, scorers=scorers):
                yield {"unit": unit, "epsilon": epsilon, "scale": (limit or 1) / epsilon, **row}


@experiment("zk-scores", at_paper=_WITH_CAPS, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def scores(
    game: Game,
    *,
    epsilons: Sequence[float] = EPSILONS,
    cap: int = 10,
    scorers: Sequence[str] = ("mean difference", "target's cells"),
) -> Iterable[Row]:
    """Evaluate scores that are not fitted in the games of `noise`. Not in the paper.

    Parameters
    ----------
    game, epsilons, cap, scorers
        As for `noise`.

    Returns
    -------
    iterable of dict
        The columns of `noise`.
    """
    return _noise(game, epsilons, cap, scorers)


@experiment("zk-user-level", answers=("Sec. 7.2",), at_paper=SIZES, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def user_level(game: Game, *, epsilon: float = 10.0) -> Iterable[Row]:
    """Evaluate both attackers against user-level noise, scaled to the most visits of a user.

    Parameters
    ----------
    game : Game
        The target's games.
    epsilon : float
        Privacy budget.

    Returns
    -------
    iterable of dict
        epsilon and the columns of a game. Not in the paper.
    """
    return _user_level(game, epsilon)


def _user_level(game: Game, epsilon: float) -> Iterator[Row]:
    """The rows of `user_level` and `user_budgets`."""
    for row in game.evaluate(user_noise(game.traces, epsilon), ("user", float(epsilon))):
        yield {"epsilon": epsilon, **row}


@experiment("zk-user-budgets", answers=("Sec. 7.2",), at_paper=SIZES, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def user_budgets(game: Game, *, epsilons: Sequence[float] = (1.0,)) -> Iterator[Row]:
    """Evaluate the games of `user_level` with other budgets. Not in the paper.

    Parameters
    ----------
    game : Game
        The target's games.
    epsilons : sequence of float
        Privacy budgets.

    Returns
    -------
    iterator of dict
        The columns of `user_level`.
    """
    for epsilon in epsilons:
        yield from _user_level(game, epsilon)


@experiment(
    "zk-sums",
    answers=("Sec. 7.2",),
    at_paper=SIZES | {"flights-by-number": SIZES["flights-by-number"] | {"sizes": [100, 250, 500]}},
    **_TARGETS,
)
@with_settings(Game, *_UNTRAINED)
def sums(
    game: Game,
    *,
    epsilons: Sequence[float] = (1.0, 10.0),
    sizes: Sequence[int] = GROUP_SIZES,
    shares: Sequence[float] = SHARES,
) -> Iterator[Row]:
    """Evaluate the untrained sum over the target's known cells in the test groups of other games.

    Parameters
    ----------
    game : Game
        The target's games.
    epsilons : sequence of float
        Budgets of user-level noise.
    sizes : sequence of int
        Users in a group, suppressed with k = 1.
    shares : sequence of float
        Shares of the target's visits that are known; event-level epsilon = 1, then k = 1.

    Returns
    -------
    iterator of dict
        what ("user", at: epsilon; "k = 1", at: users in a group; "known", at: the share), at, AUC.
    """

    for epsilon in epsilons:
        auc = _sum_auc(game, user_noise(game.traces, epsilon))
        yield {"what": "user", "at": epsilon, "AUC": auc}
    for size in game.possible(sizes):
        yield {"what": "k = 1", "at": float(size), "AUC": _sum_auc(game, defense(k=1), size)}
    for share in shares:
        auc = _sum_auc(game, defense(1.0, k=1), share=share)
        yield {"what": "known", "at": share, "AUC": auc}


def _sum_auc(
    game: Game, mechanisms: list[Any], size: int | None = None, share: float = 1.0
) -> float:
    """AUC of the sum over a share of the target's cells."""
    challenge = game.challenge(mechanisms, size)
    rng = stream(game.seed, "zk-known", game.target)
    known = target_knowledge.partial_trace(challenge.trace, share, rng)
    return metrics.auc(challenge.members, challenge.releases_at(np.flatnonzero(known)).sum(axis=1))


@experiment("zk-thresholds", answers=("Table 3",), at_paper=SIZES, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def thresholds(game: Game, *, k: int = 1) -> Iterator[Row]:
    """Compare the attackers' thresholds with the best ones, in the games of `suppression`.

    Parameters
    ----------
    game : Game
        The target's games.
    k : int
        Largest suppressed count.

    Returns
    -------
    iterator of dict
        attacker, scorer, AUC, accuracy; best accuracy: with the threshold that is best in these
        test groups; called in: share of the test groups above the attacker's threshold (1/2 would
        be right); learned, real: mean count in the target's cells, in training and in test groups
        without the target.
    """
    challenge = game.challenge(defense(k=k))
    rng = stream(game.seed, "zk-games", game.target, "suppression", k)
    without = challenge.releases_at(np.flatnonzero(challenge.trace))[challenge.members == 0]
    known = challenge.trace, challenge.on_counts, game.group_size, rng
    for attacker in ("KK", "ZK"):
        reference = challenge.reference
        if attacker == "ZK":
            zero = zk.ZeroKnowledge(
                challenge.trace,
                challenge.rois,
                *known[1:],
                n_traces=max(game.n_reference, game.group_size),
                epochs=challenge.epochs,
            )
            reference = zero.synthesize(challenge.release, rng)
        groups: dict[str, Any] = {"n_train": game.n_train, "n_validation": game.n_validation}
        training = zk.Training(reference, *known, **groups)
        learned = training.rows.columns(training.visits)[:, training.members == 0].mean()
        for scorer in ("logistic", "target's cells"):
            row = _thresholds(challenge, training.attack(scorer), scorer)
            means = {"learned": float(learned), "real": float(without.mean())}
            yield {"attacker": attacker, "scorer": scorer, **row, **means}


def _thresholds(challenge: challenges.Challenge, attack: Any, scorer: str) -> dict[str, float]:
    """AUC and accuracies of one fitted attack."""
    scores, members = challenge.scores({scorer: attack})[scorer], challenge.members
    best = zk.best_threshold(members, scores)
    own, most = (((scores > each) == (members == 1)).mean() for each in (attack.threshold, best))
    return {
        "AUC": metrics.auc(members, scores),
        "accuracy": float(own),
        "best accuracy": float(most),
        "called in": float((scores > attack.threshold).mean()),
    }


@experiment("zk-partial", answers=("Fig. 9",), at_paper=SURROGATES, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def partial(game: Game, *, shares: Sequence[float] = SHARES) -> Iterator[Row]:
    """Evaluate attackers who know a random share of the target's visits; larger shares are nested.

    Event-level epsilon = 1, then k = 1. Source: ZK, Sec. 6.3, Fig. 9.

    Parameters
    ----------
    game : Game
        The target's games.
    shares : sequence of float
        Known shares of the visits.

    Returns
    -------
    iterator of dict
        share, visits (all of the target's) and the columns of a game.
    """
    visits = int(game.traces.visits().iloc[game.target])
    for share in shares:
        rng = stream(game.seed, "zk-known", game.target)
        rows = game.evaluate(
            defense(1.0, k=1),
            ("known", float(share)),
            known=lambda t, s=share, r=rng: target_knowledge.partial_trace(t, s, r),  # type: ignore[misc]
        )
        for row in rows:
            yield {"share": share, "visits": visits, **row}


@experiment("zk-places", answers=("Table 10", "Table 11"), at_paper=SURROGATES, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def places(game: Game, *, tops: Sequence[int] = (1, 2, 3, 0)) -> Iterator[Row]:
    """Evaluate attackers who know the target's most visited places and guess the hours; raw counts.

    Source: ZK, App. D.3, Tables 10 and 11.

    Parameters
    ----------
    game : Game
        The target's games.
    tops : sequence of int
        Numbers of known places; 0 for all of them.

    Returns
    -------
    iterator of dict
        method ("random" spreads an average user's visits over these places, at hours from the time
        marginal; "greedy" takes every hour), places, and the columns of a game.
    """
    time = true_marginals(game.traces)[1]
    for method in ("random", "greedy"):
        for top in tops:
            rows = game.evaluate(
                [],
                ("places", top, method),
                certain=False,
                known=lambda t, m=method, k=top: _guessed_trace(game, t, m, k, time),  # type: ignore[misc]
            )
            for row in rows:
                yield {"method": method, "places": str(top or "all"), **row}


def _guessed_trace(
    game: Game, trace: np.ndarray, method: str, top: int, time: np.ndarray
) -> np.ndarray:
    """The trace that an attacker guesses from the target's `top` places; see `places`."""
    known = target_knowledge.top_places(trace, top or None)
    if method == "greedy":
        return target_knowledge.greedy_trace(known, trace.shape)
    mean, rng = game.traces.visits().mean(), stream(game.seed, "zk-guessed")
    return target_knowledge.random_trace(known, mean, time, len(trace), rng)


@experiment("zk-pairs", answers=("Fig. 10",), at_paper={"tweeters-zk": {}}, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def pairs(
    game: Game,
    *,
    epsilons: Sequence[float] = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0),
    cap: int = 10,
) -> Iterator[Row]:
    """Evaluate attackers trained on pairs of groups, and on the same number of independent ones.

    User-day noise. Source: ZK, Sec. 6.4, Fig. 10.

    Parameters
    ----------
    game : Game
        The target's games.
    epsilons : sequence of float
        Privacy budgets.
    cap : int
        Visits of a user in a day.

    Returns
    -------
    iterator of dict
        epsilon, groups ("pairs" or "independent") and the columns of a game.
    """
    for epsilon in epsilons:
        for paired in (True, False):
            key = ("pairs", float(epsilon), paired)
            for row in game.evaluate(defense(epsilon, cap=cap), key, paired=paired):
                yield {"epsilon": epsilon, "groups": "pairs" if paired else "independent", **row}


@experiment(
    "zk-sizes",
    answers=("Table 6", "Table 7", "Table 8", "Table 9"),
    at_paper=SURROGATES,
    **_TARGETS,
)
@with_settings(Game, *_SIZES)
def sizes(game: Game, *, sizes: Sequence[int] = GROUP_SIZES) -> Iterable[Row]:
    """Evaluate games with groups of m users, raw and suppressed with k = 1.

    Sizes above the pool of test users are left out. Source: ZK, Sec. 6.5, Tables 6 to 9.

    Parameters
    ----------
    game : Game
        The target's games.
    sizes : sequence of int
        Users in a group.

    Returns
    -------
    iterable of dict
        release ("raw" or "k = 1"), m and the columns of a game.
    """
    return _sizes(game, sizes)


def _sizes(game: Game, sizes: Sequence[int]) -> Iterator[Row]:
    """The rows of `sizes` and `flight_sizes`."""
    for size in game.possible(sizes):
        for label, k in {"raw": 0, "k = 1": 1}.items():
            for row in game.evaluate(defense(k=k), ("sizes", size, label), group_size=size):
                yield {"release": label, "m": size, **row}


@experiment("zk-flight-sizes", at_paper={"flights-by-number": {}}, **_TARGETS)
@with_settings(Game, *_SIZES, n_reference=500)
def flight_sizes(game: Game, *, few: Sequence[int] = (100, 250, 500)) -> Iterable[Row]:
    """Evaluate the games of `sizes` on flights, of which there are few. Not in the paper.

    Parameters
    ----------
    game : Game
        The target's games.
    few : sequence of int
        Users in a group.

    Returns
    -------
    iterable of dict
        The columns of `sizes`.
    """
    return _sizes(game, few)


@experiment("zk-noisy-sizes", answers=("Fig. 11",), at_paper=SURROGATES, **_TARGETS)
@with_settings(Game, *_SIZES)
def noisy_sizes(
    game: Game, *, sizes: Sequence[int] = GROUP_SIZES, epsilons: Sequence[float] = (0.1, 0.5, 1.0)
) -> Iterator[Row]:
    """Evaluate games with groups of m users against event-level noise.

    Source: ZK, Sec. 6.5, Fig. 11.

    Parameters
    ----------
    game : Game
        The target's games.
    sizes : sequence of int
        Users in a group.
    epsilons : sequence of float
        Privacy budgets.

    Returns
    -------
    iterator of dict
        release ("epsilon = 1"), m and the columns of a game.
    """
    for size in game.possible(sizes):
        for epsilon in epsilons:
            key = ("sizes", size, float(epsilon))
            for row in game.evaluate(defense(epsilon), key, group_size=size):
                yield {"release": f"epsilon = {epsilon:g}", "m": size, **row}


@experiment("zk-traces", answers=("Fig. 12",), at_paper={"tweeters-zk": {}}, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def traces_made(
    game: Game, *, numbers: Sequence[int] = (1000, 2500, 5000, 10_000)
) -> Iterator[Row]:
    """Evaluate ZK's attacker by the number of synthetic traces; event-level epsilon = 1, k = 1.

    Source: ZK, Sec. 6.6, Fig. 12.

    Parameters
    ----------
    game : Game
        The target's games.
    numbers : sequence of int
        Numbers of synthetic traces.

    Returns
    -------
    iterator of dict
        traces and the columns of a game.
    """
    for n in numbers:
        for row in game.evaluate(defense(1.0, k=1), ("traces", n), n_traces=n, attackers=["ZK"]):
            yield {"traces": n, **row}


@experiment("zk-solvers", answers=("Sec. 5.2",), at_paper={"tweeters-zk": {}}, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def solvers(
    game: Game, *, epsilon: float = 0.1, saga_iterations: Sequence[int] = (10, 100)
) -> Iterator[Row]:
    """Evaluate ZK's attacker with the solvers that the paper may have used; event-level noise.

    Source: ZK, Sec. 5.2, which does not name the solver.

    Parameters
    ----------
    game : Game
        The target's games.
    epsilon : float
        Privacy budget.
    saga_iterations : sequence of int
        Iterations at which the solver SAGA stops.

    Returns
    -------
    iterator of dict
        solver and the columns of a game; gap: the power of ten at or above the relative duality gap
        (digits of a solver that did not converge mean nothing).
    """
    tried: dict[str, Mapping[str, Any]] = {"certified": {}, "liblinear": {"solver": "liblinear"}}
    for n in saga_iterations:
        tried[f"saga, {n} iterations"] = {"solver": "saga", "iterations": n}
    columns = ("AUC", "accuracy", "gap")
    for label, solver in tried.items():
        options: dict[str, Any] = {"attackers": ["ZK"], "solver": solver, "columns": columns}
        for row in game.evaluate(defense(epsilon), ("solvers",), **options):
            power = int(np.ceil(np.log10(max(row["gap"], 1e-12))))
            yield {"solver": label, **row, "gap": power}


@experiment("zk-estimators", at_paper=SIZES, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES)
def estimators(game: Game, *, epsilon: float = 1.0) -> Iterable[Row]:
    """Evaluate ZK's attacker with maximum-likelihood marginals against event-level noise.

    Not in the paper.

    Parameters
    ----------
    game : Game
        The target's games.
    epsilon : float
        Privacy budget.

    Returns
    -------
    iterable of dict
        The columns of a game.
    """
    options: dict[str, Any] = {"attackers": ["ZK"], "estimator": ESTIMATORS["likelihood"]}
    return game.evaluate(defense(epsilon), ("likelihood",), **options)


@experiment("zk-cautious", at_paper=SIZES, **_TARGETS)
@with_settings(Game, "group_size", *_SIZES, n_test=4000)
def cautious(game: Game) -> Iterable[Row]:
    """Evaluate the TPR at an FPR of 1%, event-level epsilon = 1. Not in the paper.

    Parameters
    ----------
    game : Game
        The target's games.

    Returns
    -------
    iterable of dict
        AUC and TPR of each attacker.
    """
    return game.evaluate(defense(1.0), ("cautious",), columns=("AUC", "TPR"))


@experiment("zk-rule", answers=("Sec. 6.1",), at_paper=SIZES, **_TARGETS | {"tolerance": 1e-6})
@with_settings(Game, *_UNTRAINED)
def rule(game: Game) -> Iterator[Row]:
    """Measure how often a raw count of 0 proves that the target is not in a test group.

    Source: ZK, Sec. 6.1.

    Parameters
    ----------
    game : Game
        The target's games.

    Returns
    -------
    iterator of dict
        Columns: member (0, 1), called out (the share of these groups).
    """
    challenge = game.challenge([])
    empty = (challenge.releases_at(np.flatnonzero(challenge.trace)) == 0).any(axis=1)
    for member in (0, 1):
        yield {"member": member, "called out": float(empty[challenge.members == member].mean())}


def place_sums(name: str, *, n_test: int = 100, seed: int = 2024) -> pd.DataFrame:
    """Evaluate the sum over every hour of all places of a target, in the raw groups of `places`.

    The rule of raw counts is off, as in `places`.

    Parameters
    ----------
    name : str
        Name of a dataset.
    n_test : int
        Number of test groups.
    seed : int
        Seed of the groups.

    Returns
    -------
    pandas.DataFrame
        Columns data, target, AUC.
    """
    traces, rows = population(name), []
    sizes = sizes_of(name, traces)
    for target in targets(traces, seed=seed):
        raw = Game(traces, target, **sizes, n_test=n_test, seed=seed).challenge([])
        guess = target_knowledge.greedy_trace(
            target_knowledge.top_places(raw.trace), raw.trace.shape
        )
        scores = raw.releases_at(np.flatnonzero(guess)).sum(axis=1)
        rows.append({"data": name, "target": target, "AUC": metrics.auc(raw.members, scores)})
    return pd.DataFrame(rows)


# -- what one target's attack is made of -----------------------------------------------------------


@experiment(
    "zk-weights",
    paper="zk",
    answers=("Sec. 4.4",),
    load=population,
    at_paper={"tweeters-zk": {}},
    tolerance=SAME,
)
def weights(
    traces: Traces,
    unit: Any,
    *,
    target: int | None = None,
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    seed: int = 2024,
) -> Iterator[Row]:
    """Measure the share of ZK's weight that is on the target's cells.

    The attack is trained on pairs or on independent groups, event-level epsilon = 1. Source: ZK,
    Sec. 4.4.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    unit : tuple
        Empty: an experiment with one unit.
    target : int, optional
        Position of the target; without it the first of the targets.
    group_size : int
        Number of users in a group.
    n_reference : int
        Number of users whose traces KK's attacker knows.
    n_train : int
        Number of training groups.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        Two rows. Columns: groups ("pairs" or "independent"), share on her cells.
    """
    target = targets(traces, seed=seed)[0] if target is None else target
    attacker, challenge, rng = _one_game(traces, target, group_size, n_reference, seed)
    paired = attacker.train(challenge.release, rng)
    again = attacker.synthesize(challenge.release, rng)
    apart = zk.Training(
        again,
        challenge.trace,
        challenge.on_counts,
        group_size,
        stream(seed, "zk-weights"),
        n_train=n_train,
        paired=False,
    )
    for groups, training in (("pairs", paired), ("independent", apart)):
        learned = training.attack()
        size = np.abs(learned.weights)
        on_target = size[np.isin(learned.cells, training.visits)].sum() / size.sum()
        yield {"groups": groups, "share on her cells": float(on_target)}


def _one_game(
    traces: Traces, target: int, group_size: int, n_reference: int, seed: int
) -> tuple[zk.ZeroKnowledge, challenges.Challenge, np.random.Generator]:
    """The attacker, the challenge and the random numbers of one game, event-level epsilon = 1."""
    challenge = challenges.Challenge(
        traces, target, defense(1.0), group_size, n_reference, stream(seed, "zk-one-game")
    )
    rng = stream(seed, "zk-one-attack")
    attacker = zk.ZeroKnowledge(
        challenge.trace, traces.rois, challenge.on_counts, group_size, rng, n_traces=n_reference
    )
    return attacker, challenge, rng


# -- populations and their marginals ---------------------------------------------------------------


def true_marginals(traces: Traces) -> tuple[np.ndarray, np.ndarray]:
    """Compute the space and the time marginal of all users.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.

    Returns
    -------
    tuple of numpy.ndarray, of shapes (n_rois,) and (n_epochs,)
        Shares of visits by place and by hour.
    """
    everybody = aggregate(traces, [np.arange(traces.n_users)])[0]  # type: ignore[list-item]
    return marginals.empirical_marginals(everybody, traces.n_users)


def draw_group(traces: Traces, seed: int, size: int = 1000) -> np.ndarray:
    """Draw one group, of all users if there are fewer.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    seed : int
        Seed of the random streams.
    size : int
        Number of users in the group.

    Returns
    -------
    numpy.ndarray of int, shape (1, size)
        Positions of its members.
    """
    rng = stream(seed, "zk-crowd")
    return sample_groups(np.arange(traces.n_users), 1, min(size, traces.n_users), rng)


@experiment(
    "zk-populations",
    paper="zk",
    answers=("Table 2", "Fig. 14"),
    load=population,
    at_paper={name: {} for name in SIZES},
)
def populations(traces: Traces, unit: Any) -> Iterator[Row]:
    """Measure a population: its size, the visits of possible targets, and the area of its places.

    Source: ZK, Sec. 5.1.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    unit : tuple
        Empty: an experiment with one unit.

    Returns
    -------
    iterator of dict
        One row. Columns: users, ROIs, epochs, visits, area (of the convex hull, in km^2), targets;
        mean, sd, min, median and max of the targets' visits.
    """
    visits = traces.visits()
    able = visits[visits >= LEAST_VISITS].describe()
    hull = ConvexHull(np.radians(traces.rois[["lat", "lon"]]))
    square = KM**2 * np.cos(np.radians(traces.rois["lat"].mean()))
    named = {
        "count": "targets",
        "mean": "mean",
        "std": "sd",
        "min": "min",
        "50%": "median",
        "max": "max",
    }
    yield {
        "users": traces.n_users,
        "ROIs": traces.n_rois,
        "epochs": traces.n_epochs,
        "visits": int(visits.sum()),
        "area": float(hull.volume * square),
        **{name: float(able[of]) for of, name in named.items()},
    }


@experiment(
    "zk-suppressed", paper="zk", answers=("Fig. 15",), load=population, at_paper=_GROUP_SIZE
)
def suppressed(
    traces: Traces, unit: Any, *, group_size: int = 1000, seed: int = 2024
) -> Iterator[Row]:
    """Measure the share of the positive counts of five groups that are at most k.

    Source: ZK, App. C.2.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    unit : tuple
        Empty: an experiment with one unit.
    group_size : int
        Number of users in a group.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        Columns: k, share.
    """
    rng = stream(seed, "zk-suppressed")
    counts = aggregate(traces, sample_groups(np.arange(traces.n_users), 5, group_size, rng))
    for k in range(6):
        yield {"k": k, "share": float((counts[counts > 0] <= k).mean())}


TRANSFORMS = {
    "empirical": lambda x: (x, np.nan),
    "log compression": lambda x: (marginals.log_compress(x), np.nan),
    "power transform": marginals.power_transform,
    "exponential": lambda x: (marginals.exponentiate(x), np.nan),
}
_NOISY = "empirical", "power transform", "exponential"
TRIED: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "raw": ({}, ("empirical",)),
    "k = 1": ({"k": 1}, ("empirical", "log compression")),
    "epsilon = 1": ({"epsilon": 1.0}, _NOISY),
    "epsilon = 0.1": ({"epsilon": 0.1}, _NOISY),
}


def tried(traces: Traces) -> list[str]:
    """List the releases whose marginals are estimated.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.

    Returns
    -------
    list of str
        Names in `TRIED`.
    """
    return list(TRIED)


def released_marginals(traces: Traces, label: str, seed: int) -> dict[str, dict[str, Any]]:
    """Estimate the marginals of one release.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    label : str
        Name of the release in `TRIED`.
    seed : int
        Seed of the random streams.

    Returns
    -------
    dict of str to dict
        Name of the estimate to "space" and "time": the marginal and its power (NaN without one).
    """
    protection, estimates = TRIED[label]
    group = draw_group(traces, seed)
    rng = stream(seed, "zk-marginals", label)
    released = release_traces(traces, group, defense(**protection), rng)[0]
    raw = dict(
        zip(("space", "time"), marginals.empirical_marginals(released, group.size), strict=True)
    )
    return {name: {which: TRANSFORMS[name](x) for which, x in raw.items()} for name in estimates}


@experiment(
    "zk-marginals",
    paper="zk",
    answers=("Fig. 4", "Fig. 5", "Fig. 13"),
    unit=("release",),
    units=tried,
    load=population,
    at_paper={"callers": {}},
)
def marginal_distances(traces: Traces, label: str, *, seed: int = 2024) -> Iterator[Row]:
    """Measure the total variation distance of estimated marginals from the population's.

    Source: ZK, Sec. 4.3, Fig. 4, 5, 13.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    label : str
        Name of the release in `TRIED`.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each estimate. Columns: estimate, space, time, power of space, power of time.
    """
    true = dict(zip(("space", "time"), true_marginals(traces), strict=True))
    for estimate, found in released_marginals(traces, label, seed).items():
        yield {
            "estimate": estimate,
            **{w: distance(found[w][0], true[w]) for w in true},
            **{f"power of {w}": float(found[w][1]) for w in true},
        }


def activity_families(visits: np.ndarray) -> dict[str, Any]:
    """Fit families of distributions to the numbers of visits, by their mean and log spread.

    Parameters
    ----------
    visits : numpy.ndarray of int, shape (n_users,)
        Visits of each user.

    Returns
    -------
    dict of str to scipy.stats distribution
        Name of the family to the fitted distribution.
    """
    mean, log_sd = visits.mean(), np.log(visits).std()
    return {
        "exponential": stats.expon(scale=mean),
        "lognormal": stats.lognorm(log_sd, scale=mean * np.exp(-(log_sd**2) / 2)),
        "constant": stats.uniform(mean - 0.5, 1),
    }


def repeat_releases(
    experiment: Experiment, traces: Traces, *, n_releases: int = 5, seed: int = 2024
) -> pd.DataFrame:
    """Evaluate an experiment on releases, such as `mean_visits`, on several groups.

    Parameters
    ----------
    experiment : lib.papers.experiments.Experiment
        The experiment.
    traces : lib.traces.Traces
        The population.
    n_releases : int
        Number of groups, each released once.
    seed : int
        Seed of the first group; the next ones have the next seeds.

    Returns
    -------
    pandas.DataFrame
        The experiment's rows, with the column `number` for the group.
    """
    rows = [
        experiment({"": traces}, seed=seed + number).assign(number=number)
        for number in range(n_releases)
    ]
    return pd.concat(rows, ignore_index=True)


@experiment(
    "zk-activity", paper="zk", answers=("Fig. 6",), load=population, at_paper={"callers": {}}
)
def activity(traces: Traces, unit: Any) -> Iterator[Row]:
    """Compare the distribution of users' visits with fitted families.

    Source: ZK, Sec. 4.3.2, Fig. 6.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    unit : tuple
        Empty: an experiment with one unit.

    Returns
    -------
    iterator of dict
        A row for each family and one for the population. Columns: family, gap (largest difference
        of the distribution functions), median, 95% at most.
    """
    visits = traces.visits().to_numpy()
    for family, distribution in activity_families(visits).items():
        yield {
            "family": family,
            "gap": float(stats.kstest(visits, distribution.cdf).statistic),
            "median": float(distribution.ppf(0.5)),
            "95% at most": float(distribution.ppf(0.95)),
        }
    yield {
        "family": "population",
        "gap": 0.0,
        "median": float(np.median(visits)),
        "95% at most": float(np.quantile(visits, 0.95)),
    }


MEANS: dict[str, dict[str, Any]] = {
    "raw": {},
    "k = 1": {"k": 1},
    "epsilon = 1": {"epsilon": 1.0},
    "epsilon = 1, k = 1": {"epsilon": 1.0, "k": 1},
}


def means_tried(traces: Traces) -> list[str]:
    """List the releases whose mean number of visits is estimated.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.

    Returns
    -------
    list of str
        Names in `MEANS`.
    """
    return list(MEANS)


@experiment(
    "zk-mean-visits",
    paper="zk",
    answers=("Alg. 3",),
    unit=("release",),
    load=population,
    units=means_tried,
    at_paper={"callers": {}},
    tolerance=SAME,
)
def mean_visits(traces: Traces, label: str, *, seed: int = 2024) -> Iterator[Row]:
    """Measure the visits per user in a release, in ZK's estimate, and in the population.

    Source: ZK, Alg. 3.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    label : str
        Name of the release in `MEANS`.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        One row. Columns: sum / m (of the release), estimated, true.
    """
    group, protected = draw_group(traces, seed), defense(**MEANS[label])
    rng = stream(seed, "zk-mean-visits", label)
    made = release_traces(traces, group, protected, rng)[0]
    found = marginals.estimate(made, protected, group.size, traces.rois, rng)
    yield {
        "sum / m": float(made.sum() / group.size),
        "estimated": float(found.mean_visits),
        "true": float(traces.visits().mean()),
    }


def release_numbers(traces: Traces) -> list[int]:
    """List the numbers of the releases.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.

    Returns
    -------
    list of int
        0 to 4.
    """
    return list(range(5))


@experiment(
    "zk-likelihood",
    paper="zk",
    unit=("number",),
    units=release_numbers,
    load=population,
    tolerance=SAME,
    at_paper={"callers": {}, "tweeters-zk": {}, "flights-by-number": {"group_size": 250}},
)
def likelihood(
    traces: Traces, number: int, *, group_size: int = 1000, seed: int = 2024
) -> Iterator[Row]:
    """Measure the error of the marginals and of the mean of one release, by estimator.

    Event-level epsilon = 1. "raw counts" are those of the same group without noise; "as released"
    applies no correction. Not in the paper.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    number : int
        Number of the release.
    group_size : int
        Number of users in a group.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each estimator. Columns: estimate; space and time (total variation distances);
        mean visits (relative error).
    """
    true, mean = true_marginals(traces), traces.visits().mean()
    rng = stream(seed, "zk-likelihood", number)
    size = min(group_size, traces.n_users)
    group = sample_groups(np.arange(traces.n_users), 1, size, rng)
    raw, made = aggregate(traces, group)[0], release_traces(traces, group, defense(1.0), rng)[0]
    found = {
        label: (*marginals.empirical_marginals(counts, size), counts.sum() / size)
        for label, counts in (("raw counts", raw), ("as released", made))
    }
    for label, estimate in ESTIMATORS.items():
        rng = stream(seed, "zk-likelihood", number, "search")
        each = estimate(made, defense(1.0), size, traces.rois, rng)
        found[label] = each.space, each.time, each.mean_visits
    for label, (space, time, visits) in found.items():
        yield {
            "estimate": label,
            "space": distance(space, true[0]),
            "time": distance(time, true[1]),
            "mean visits": float(visits / mean - 1),
        }


@experiment(
    "zk-synthetic",
    paper="zk",
    answers=("Alg. 1",),
    load=population,
    at_paper={"tweeters-zk": {}},
    tolerance=SAME,
)
def synthetic(traces: Traces, unit: Any, *, seed: int = 2024) -> Iterator[Row]:
    """Compare the population with the same number of synthetic users, made from its true marginals.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    unit : tuple
        Empty: an experiment with one unit.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        Two rows. Columns: of, means of `Traces.summary`, share without any visit, share of visits
        lost to repeats.
    """
    space, time = true_marginals(traces)
    made = mobility.synthesize(
        space,
        time,
        stats.expon(scale=traces.visits().mean()),
        traces.rois,
        traces.n_users,
        stream(seed, "zk-synthetic"),
    )
    lost = made.report.duplicates / made.report.read if made.report else np.nan
    for of, users, repeats in (("population", traces, 0.0), ("synthetic", made, lost)):
        yield {
            "of": of,
            **dict(users.summary()["mean"].items()),  # type: ignore[arg-type]
            "share without any visit": float((users.visits() == 0).mean()),
            "share of visits lost to repeats": repeats,
        }


def protections(
    traces: Traces, *, ks: Sequence[int], epsilons: Sequence[float]
) -> list[tuple[str, float]]:
    """List the protections of `costs`: suppression by k, and each unit of privacy by epsilon.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    ks : sequence of int
        Largest suppressed counts.
    epsilons : sequence of float
        Privacy budgets.

    Returns
    -------
    list of (str, float)
        "suppressed" and k, or the unit and epsilon.
    """
    return [
        *(("suppressed", k) for k in ks),
        *((unit, e) for unit in ("event", "user-day", "user") for e in epsilons),
    ]


@experiment(
    "zk-costs",
    paper="zk",
    answers=("Sec. 7.2",),
    unit=("unit", "level"),
    load=population,
    units=protections,
    at_paper={name: CAPS.get(name, {}) | _GROUP_SIZE[name] for name in SIZES},
)
def costs(
    traces: Traces,
    unit: Any,
    *,
    ks: Sequence[int] = (0, 1, 2, 3, 4, 5),
    epsilons: Sequence[float] = (0.1, 0.5, 1.0, 5.0, 10.0),
    cap: int = 10,
    group_size: int = 1000,
    n_releases: int = 5,
    seed: int = 2024,
) -> Iterator[Row]:
    """Measure the error of releases by unit of privacy and level.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    unit : (str, float)
        "suppressed" and k, or the unit of privacy and epsilon.
    ks : sequence of int
        Largest suppressed counts.
    epsilons : sequence of float
        Privacy budgets.
    cap : int
        Visits of a user in a day, the sensitivity at the user-day level.
    group_size : int
        Number of users in a group.
    n_releases : int
        Number of groups, each released once.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each release. Columns: number; cells moved and places moved (total variation
        distance of the shares of all cells, and of all places); error (mean absolute error of a
        count over the mean raw count).
    """
    what, level = unit
    protected = {
        "suppressed": lambda: defense(k=level),
        "event": lambda: defense(level),
        "user-day": lambda: defense(level, cap=cap),
        "user": lambda: user_noise(traces, level),
    }[what]()
    for number in range(n_releases):
        rng = stream(seed, "zk-costs", number)
        size = min(group_size, traces.n_users)
        group = sample_groups(np.arange(traces.n_users), 1, size, rng)
        released, raw = (
            release_traces(traces, group, protected, rng)[0],
            aggregate(traces, group)[0],
        )
        shares = [c / max(c.sum(), 1) for c in (released, raw)]
        yield {
            "number": number,
            "cells moved": distance(*shares),
            "places moved": distance(*(each.sum(axis=1) for each in shares)),
            "error": float(np.abs(released - raw).sum() / raw.sum()),
        }


def flat_costs(names: Sequence[str], *, n_releases: int = 5, seed: int = 2024) -> dict[str, float]:
    """Compute the `cells moved` of `costs` for a release with the same count in each cell.

    Parameters
    ----------
    names : sequence of str
        Names of datasets.
    n_releases : int
        Number of groups, each released once.
    seed : int
        Seed of the random streams.

    Returns
    -------
    dict of str to float
        Name of the dataset to the mean over releases.
    """
    found = {}
    for name in names:
        traces = population(name)
        size = sizes_of(name, traces)["group_size"]
        far = []
        for number in range(n_releases):
            rng = stream(seed, "zk-costs", number)
            raw = aggregate(traces, sample_groups(np.arange(traces.n_users), 1, size, rng))[0]
            far.append(distance(raw / raw.sum(), np.full(raw.shape, 1 / raw.size)))
        found[name] = float(np.mean(far))
    return found


# -- why noise flattens ----------------------------------------------------------------------------

DRAWS = 400_000  # of noise, for the lemma
SCALES = (0.5, 1.0, 2.0, 10.0)


def scales_drawn(_: None) -> list[float]:
    """List the scales of the lemma's noise.

    Parameters
    ----------
    _ : None
        No data are needed.

    Returns
    -------
    list of float
        Scales.
    """
    return list(SCALES)


@experiment(
    "zk-clipped",
    paper="zk",
    answers=("Lemma A.3",),
    unit=("scale",),
    load=None,
    units=scales_drawn,
    at_paper={"simulated": {}},
)
def clipped(_: None, scale: float, *, seed: int = 2024) -> Iterator[Row]:
    """Compare the exact mean of clipped Laplace noise with the mean of draws.

    Noise is clipped at 0, and then rounded down or not. Source: ZK, Lemma A.3.

    Parameters
    ----------
    _ : None
        No data are needed.
    scale : float
        Scale of the noise.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        One row. Columns: "exact", "drawn" and "error" (standard error) for each kind of rounding.
    """
    rng = stream(seed, "zk-clipped", scale)
    noise = np.maximum(rng.laplace(scale=scale, size=DRAWS), 0)
    found: dict[str, float] = {}
    for rounding, drawn in (("none", noise), ("down", np.floor(noise))):
        (exact,) = marginals.expected_counts(np.zeros(1), scale, rounding)
        found |= {
            f"{rounding}: exact": float(exact),
            f"{rounding}: drawn": float(drawn.mean()),
            f"{rounding}: error": float(stats.sem(drawn)),
        }
    yield found


N_UNIFORM = 20  # trials
REGIMES: dict[str, Callable[[int], float] | None] = {
    "space, sqrt(t) visits": np.sqrt,
    "space, t / 10 visits": lambda t: t / 10,
    "time, 10 visits an hour": None,
}
LIMITS = (100, 1000, 10_000)


def regimes(_: None) -> list[tuple[str, int]]:
    """List the regimes of the theorem, each with numbers of hours or places.

    Parameters
    ----------
    _ : None
        No data are needed.

    Returns
    -------
    list of (str, int)
        Regime and number.
    """
    return [(regime, n) for regime in REGIMES for n in LIMITS]


@experiment(
    "zk-uniform",
    paper="zk",
    answers=("Theorem A.2",),
    unit=("regime", "size"),
    load=None,
    units=regimes,
    at_paper={"simulated": {}},
)
def uniform(_: None, unit: Any, *, seed: int = 2024) -> Iterator[Row]:
    """Measure the total variation distance of a noisy marginal from the uniform one.

    There are ten places, or 24 hours. Source: ZK, Theorem A.2, corrected.

    Parameters
    ----------
    _ : None
        No data are needed.
    unit : (str, int)
        Regime, and its number of hours (space marginal) or places (time marginal).
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each trial. Columns: trial, distance.
    """
    regime, n = unit
    for trial in range(N_UNIFORM):
        rng = stream(seed, "zk-uniform", regime, n, trial)
        yield {"trial": trial, "distance": _from_uniform(REGIMES[regime], n, rng)}


def _from_uniform(rate: Callable[[int], float] | None, n: int, rng: np.random.Generator) -> float:
    """Distance of one noisy marginal from the uniform one.

    `rate` maps n hours to the visits to the most popular of ten places. Without it there are n
    places and 10 visits an hour.
    """
    if rate is None:
        waves = 10 * (1 + np.sin(np.arange(24) / 24 * 2 * np.pi))
        counts = rng.poisson(np.tile(waves / n, (n, 1)))
    else:
        popularity = np.arange(10, 0, -1) / 10
        counts = rng.poisson(popularity[:, None] * rate(n) / n, (10, n))
    noisy = np.maximum(counts + rng.laplace(size=counts.shape), 0).sum(axis=int(rate is not None))
    return distance(noisy / noisy.sum(), np.full(len(noisy), 1 / len(noisy)))


@experiment(
    "zk-flattening", paper="zk", answers=("Fig. 17",), load=population, at_paper={"tweeters-zk": {}}
)
def flattening(
    traces: Traces,
    unit: Any,
    *,
    scales: Sequence[float] = (0.1, 1.0, 10.0, 100.0),
    seed: int = 2024,
) -> Iterator[Row]:
    """Measure the relative standard deviation of the marginals' entries by the scale of the noise.

    Source: ZK, App. A, Fig. 17.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    unit : tuple
        Empty: an experiment with one unit.
    scales : sequence of float
        Scales of the noise.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each scale; in the last one, the largest noise on counts of 0. Columns: noise,
        space, time.
    """
    rng = stream(seed, "zk-flattening")
    group = draw_group(traces, seed)
    made = {"no noise": release_traces(traces, group, [], rng)[0]}
    for scale in scales:
        made[f"scale {scale:g}"] = release_traces(traces, group, defense(1 / scale), rng)[0]
    nobody = np.zeros((1, traces.n_rois, traces.n_epochs), int)
    noise_only = release(nobody, defense(1 / scales[-1]), rng, group.size)[0]
    made[f"scale {scales[-1]:g}, nobody there"] = noise_only
    for label, released in made.items():
        space, time = (
            m.std() * len(m) for m in marginals.empirical_marginals(released, group.size)
        )
        yield {"noise": label, "space": float(space), "time": float(time)}

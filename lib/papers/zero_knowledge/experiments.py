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
from lib.mechanisms import BoundContributions, Laplace, PostProcess, SuppressSmallCounts, release
from lib.membership import counts_likelihood, marginals
from lib.membership import zero_knowledge as zk
from lib.papers.experiments import experiment
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
STAND_INS = {name: SIZES[name] for name in ("tweeters-zk", "callers")}
CAPS: dict[str, dict[str, Any]] = {"callers": {"cap": 20}}  # of visits a user-day
ESTIMATORS: dict[str, Callable[..., marginals.Marginals]] = {
    "power transform": marginals.estimate,
    "likelihood": counts_likelihood.estimate,
}


def sizes_of(data: str, traces: Traces) -> dict[str, Any]:
    """group_size and n_reference: the paper's, or for flights a week's, as far as users reach."""
    found = SIZES.get("flights-by-number" if data.startswith("flights") else data, {})
    size = min(found.get("group_size", 1000), (traces.n_users - 1) // 2)
    most = min(found.get("n_reference", 2500), traces.n_users - size - 1)
    return {"group_size": size, "n_reference": most}


def population(data: str, *, path: str = "", callers_users: int = 11_000) -> Traces:
    """The chapter's population of that name: of the flights one week, of the callers so many."""
    if data == "callers":
        return load(data, n_users=callers_users)
    if data.startswith("flights"):
        return load(data).select(epochs=slice(0, 168))
    return load(data, **({"path": path or None} if data == "social-pulse" else {}))


def targets(traces: Traces, *, seed: int, n_targets: int = N_TARGETS) -> list[int]:
    """Positions of random users with at least `LEAST_VISITS` visits."""
    busy = np.flatnonzero(traces.visits().to_numpy() >= LEAST_VISITS)
    chosen = np.random.default_rng(seed).choice(busy, n_targets, replace=False)
    return [int(target) for target in chosen]


def to_attack(
    populations: Mapping[str, Traces], able: Mapping[str, int], *, seed: int
) -> tuple[dict[str, list[int]], dict[str, dict[str, Any]]]:
    """Of each dataset its targets, `able` many, and its sizes and cap, as experiments take them."""
    chosen = {
        name: targets(traces, seed=seed, n_targets=able[name])
        for name, traces in populations.items()
    }
    return chosen, {name: sizes_of(name, traces) for name, traces in populations.items()}


def defense(epsilon: float | None = None, k: int = 0, cap: int | None = None) -> list[Any]:
    """The mechanisms of a release: event-level without a cap, user-day level with one.

    Source: ZK, Sec. 2.2.
    """
    bound = [BoundContributions(cap)] if cap else []
    noise = [Laplace(epsilon, cap or 1), PostProcess("down")] if epsilon else []
    return [*bound, *noise, *([SuppressSmallCounts(k)] if k else [])]


def distance(one: np.ndarray, other: np.ndarray) -> float:
    """Total variation of two distributions: half the sum of absolute differences, 0 to 1."""
    return float(np.abs(one - other).sum() / 2)


@dataclass(frozen=True)
class _Game:
    """One target's games; sizes as `zk.Challenge` and `zk.Training` take them."""

    traces: Traces
    target: int
    group_size: int
    n_reference: int
    n_train: int
    n_validation: int
    n_test: int
    seed: int

    def challenge(self, mechanisms: Sequence[Any]) -> zk.Challenge:
        """Her test groups: the same for every defense."""
        rng = stream(self.seed, "zk-groups", self.target, self.group_size)
        return zk.Challenge(
            self.traces,
            self.target,
            mechanisms,
            self.group_size,
            self.n_reference,
            rng,
            self.n_test,
        )

    def play(
        self,
        mechanisms: Sequence[Any],
        key: tuple[str | int | float, ...],
        *,
        columns: Sequence[str] = ("AUC", "accuracy"),
        known: Callable[[np.ndarray], np.ndarray] | None = None,
        n_traces: int | None = None,
        **options: Any,
    ) -> list[dict[str, Any]]:
        """Rows of an attacker and a scorer. key: names the stream; known: her trace -> its part."""
        challenge = self.challenge(mechanisms)
        rows = zk.trial(
            challenge,
            stream(self.seed, "zk-games", self.target, *key),
            known=known(challenge.trace) if known else None,
            n_traces=n_traces or max(self.n_reference, self.group_size),
            n_train=self.n_train,
            n_validation=self.n_validation,
            **options,
        )
        return [{name: row[name] for name in ("attacker", "scorer", *columns)} for row in rows]


# -- games -----------------------------------------------------------------------------------------


@experiment(
    "zk-suppression",
    paper="zk",
    answers=("Fig. 7", "Table 3", "Fig. 15"),
    unit=("target",),
    units=targets,
    load=population,
    at_paper=SIZES,
    tolerance=SAME,
)
def suppression(
    traces: Traces,
    target: int,
    *,
    ks: Sequence[int] = (0, 1, 2, 3, 4, 5),
    scorers: Sequence[str] = zk.SCORERS,
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """Games where counts up to k become 0. Source: ZK, Sec. 6.1, Fig. 7, Table 3."""
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    for k in ks:
        for row in game.play(defense(k=k), ("suppression", k), scorers=scorers):
            yield {"k": k, **row}


@experiment(
    "zk-noise",
    paper="zk",
    answers=("Fig. 8", "Table 4", "Table 5"),
    unit=("target",),
    units=targets,
    load=population,
    tolerance=SAME,
    at_paper={name: SIZES[name] | CAPS.get(name, {}) for name in SIZES},
)
def noise(
    traces: Traces,
    target: int,
    *,
    epsilons: Sequence[float] = (0.1, 0.5, 1.0, 5.0, 10.0),
    cap: int = 10,
    scorers: Sequence[str] = ("logistic",),
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """Games behind Laplace noise for a visit ("event") or a user-day of at most `cap` visits.

    Columns besides a game's: unit (what is protected), epsilon, scale (sensitivity / epsilon).
    Source: ZK, Sec. 6.2, Fig. 8, Tables 4 and 5.
    """
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    for unit, limit in (("event", None), ("user-day", cap)):
        for epsilon in epsilons:
            protected = defense(epsilon, cap=limit)
            key = (unit, float(epsilon))
            for row in game.play(protected, key, scorers=scorers):
                yield {"unit": unit, "epsilon": epsilon, "scale": (limit or 1) / epsilon, **row}


@experiment(
    "zk-scores",
    paper="zk",
    unit=("target",),
    units=targets,
    load=population,
    tolerance=SAME,
    at_paper={name: SIZES[name] | CAPS.get(name, {}) for name in SIZES},
)
def scores(
    traces: Traces,
    target: int,
    *,
    epsilons: Sequence[float] = (0.1, 0.5, 1.0, 5.0, 10.0),
    cap: int = 10,
    scorers: Sequence[str] = ("mean difference", "target's cells"),
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterable[Row]:
    """The games of `noise` again, with scores that are not fitted. Not in the paper."""
    return noise.function(
        traces,
        target,
        epsilons=epsilons,
        cap=cap,
        scorers=scorers,
        group_size=group_size,
        n_reference=n_reference,
        n_train=n_train,
        n_validation=n_validation,
        n_test=n_test,
        seed=seed,
    )


@experiment(
    "zk-user-level",
    paper="zk",
    answers=("Sec. 7.2",),
    unit=("target",),
    units=targets,
    load=population,
    at_paper=SIZES,
    tolerance=SAME,
)
def user_level(
    traces: Traces,
    target: int,
    *,
    epsilon: float = 10.0,
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """Games behind noise for all visits of a user, as many as the busiest has: not in the paper."""
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    most = float(traces.visits().max())
    protected = [Laplace(epsilon, most), PostProcess("down")]
    for row in game.play(protected, ("user", float(epsilon))):
        yield {"epsilon": epsilon, **row}


@experiment(
    "zk-user-budgets",
    paper="zk",
    answers=("Sec. 7.2",),
    unit=("target",),
    units=targets,
    load=population,
    at_paper=SIZES,
    tolerance=SAME,
)
def user_budgets(
    traces: Traces,
    target: int,
    *,
    epsilons: Sequence[float] = (1.0,),
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """The games of `user_level` with other budgets. Not in the paper."""
    for epsilon in epsilons:
        yield from user_level.function(
            traces,
            target,
            epsilon=epsilon,
            group_size=group_size,
            n_reference=n_reference,
            n_train=n_train,
            n_validation=n_validation,
            n_test=n_test,
            seed=seed,
        )


@experiment(
    "zk-sums",
    paper="zk",
    answers=("Sec. 7.2",),
    unit=("target",),
    units=targets,
    load=population,
    tolerance=SAME,
    at_paper=SIZES | {"flights-by-number": SIZES["flights-by-number"] | {"sizes": [100, 250, 500]}},
)
def sums(
    traces: Traces,
    target: int,
    *,
    epsilons: Sequence[float] = (1.0, 10.0),
    sizes: Sequence[int] = (100, 500, 1000, 2000, 3000),
    shares: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 1.0),
    group_size: int = 1000,
    n_reference: int = 2500,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """The sum over her known cells, in the test groups of games where others only play a fit.

    what   "user" (noise for all her visits; at: epsilon), "k = 1" (at: users in a group), "known"
           (epsilon = 1 for a visit, then k = 1; at: the share of her visits that is known)
    """

    def auc(what: list[Any], size: int = group_size, share: float = 1.0) -> float:
        game = _Game(traces, target, size, n_reference, 0, 0, n_test, seed).challenge(what)
        hers = zk.partial_trace(game.trace, share, stream(seed, "zk-known", target))
        return metrics.auc(game.members, game.released(np.flatnonzero(hers)).sum(axis=1))

    most = float(traces.visits().max())
    for epsilon in epsilons:
        protected = [Laplace(epsilon, most), PostProcess("down")]
        yield {"what": "user", "at": epsilon, "AUC": auc(protected)}
    for size in _possible(sizes, traces, n_reference):
        yield {"what": "k = 1", "at": float(size), "AUC": auc(defense(k=1), size)}
    for share in shares:
        yield {"what": "known", "at": share, "AUC": auc(defense(1.0, k=1), share=share)}


@experiment(
    "zk-thresholds",
    paper="zk",
    answers=("Table 3",),
    unit=("target",),
    units=targets,
    load=population,
    at_paper=SIZES,
    tolerance=SAME,
)
def thresholds(
    traces: Traces,
    target: int,
    *,
    k: int = 1,
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """The games of `suppression` again: where the threshold falls, and where it should.

    called in      share of the test groups above the attacker's threshold; half would be right
    best accuracy  with the threshold that is best in these very test groups
    learned, real  mean count in her cells, in training and in test groups without her
    """
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    challenge = game.challenge(defense(k=k))
    rng = stream(seed, "zk-games", target, "suppression", k)
    without = challenge.released(np.flatnonzero(challenge.trace))[challenge.members == 0]
    for attacker in ("KK", "ZK"):
        reference = challenge.reference
        if attacker == "ZK":
            zero = zk.ZeroKnowledge(
                challenge.trace,
                challenge.rois,
                challenge.on_counts,
                group_size,
                rng,
                n_traces=max(n_reference, group_size),
                epochs=challenge.epochs,
            )
            reference = zero.synthesize(challenge.release, rng)
        made = zk.Training(
            reference,
            challenge.trace,
            challenge.on_counts,
            group_size,
            rng,
            n_train=n_train,
            n_validation=n_validation,
        )
        learned = made.rows.columns(made.visits)[:, made.members == 0].mean()
        for scorer in ("logistic", "target's cells"):
            attack = made.attack(scorer)
            scores = challenge.scores({scorer: attack})[scorer]
            best = zk.best_threshold(challenge.members, scores)
            right = [
                ((scores > each) == (challenge.members == 1)).mean()
                for each in (attack.threshold, best)
            ]
            yield {
                "attacker": attacker,
                "scorer": scorer,
                "AUC": metrics.auc(challenge.members, scores),
                "accuracy": float(right[0]),
                "best accuracy": float(right[1]),
                "called in": float((scores > attack.threshold).mean()),
                "learned": float(learned),
                "real": float(without.mean()),
            }


@experiment(
    "zk-partial",
    paper="zk",
    answers=("Fig. 9",),
    unit=("target",),
    units=targets,
    load=population,
    at_paper=STAND_INS,
    tolerance=SAME,
)
def partial(
    traces: Traces,
    target: int,
    *,
    shares: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 1.0),
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """Games of attackers who know a random share of her visits; a larger holds the smaller.

    Event-level epsilon = 1, then k = 1. visits: all of hers. Source: ZK, Sec. 6.3, Fig. 9.
    """
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    visits = int(traces.visits().iloc[target])
    for share in shares:
        rng = stream(seed, "zk-known", target)
        found = game.play(
            defense(1.0, k=1),
            ("known", float(share)),
            known=lambda t, s=share, r=rng: zk.partial_trace(t, s, r),  # type: ignore[misc]
        )
        for row in found:
            yield {"share": share, "visits": visits, **row}


@experiment(
    "zk-places",
    paper="zk",
    answers=("Table 10", "Table 11"),
    unit=("target",),
    units=targets,
    load=population,
    at_paper=STAND_INS,
    tolerance=SAME,
)
def places(
    traces: Traces,
    target: int,
    *,
    tops: Sequence[int] = (1, 2, 3, 0),
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """Games of attackers who know her most visited places (0: all of them), and guess the hours.

    Raw counts. method: "random" spreads an average user's visits over these places, at hours from
    the time marginal; "greedy" takes every hour. Source: ZK, App. D.3, Tables 10 and 11.
    """
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    time, mean = true_marginals(traces)[1], traces.visits().mean()

    def guessed(trace: np.ndarray, method: str, top: int) -> np.ndarray:
        known = zk.top_places(trace, top or None)
        if method == "greedy":
            return zk.greedy_trace(known, trace.shape)
        return zk.random_trace(known, mean, time, len(trace), stream(seed, "zk-guessed"))

    for method in ("random", "greedy"):
        for top in tops:
            found = game.play(
                [],
                ("places", top, method),
                certain=False,
                known=lambda t, m=method, k=top: guessed(t, m, k),  # type: ignore[misc]
            )
            for row in found:
                yield {"method": method, "places": str(top or "all"), **row}


@experiment(
    "zk-pairs",
    paper="zk",
    answers=("Fig. 10",),
    unit=("target",),
    units=targets,
    load=population,
    at_paper={"tweeters-zk": {}},
    tolerance=SAME,
)
def pairs(
    traces: Traces,
    target: int,
    *,
    epsilons: Sequence[float] = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0),
    cap: int = 10,
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """Games of attackers trained on pairs of groups, and on as many independent ones.

    User-day noise. Source: ZK, Sec. 6.4, Fig. 10.
    """
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    for epsilon in epsilons:
        for paired in (True, False):
            key = ("pairs", float(epsilon), paired)
            for row in game.play(defense(epsilon, cap=cap), key, paired=paired):
                yield {"epsilon": epsilon, "groups": "pairs" if paired else "independent", **row}


@experiment(
    "zk-sizes",
    paper="zk",
    answers=("Table 6", "Table 7", "Table 8", "Table 9"),
    unit=("target",),
    units=targets,
    load=population,
    at_paper=STAND_INS,
    tolerance=SAME,
)
def sizes(
    traces: Traces,
    target: int,
    *,
    sizes: Sequence[int] = (100, 500, 1000, 2000, 3000),
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """Games with groups of m users, raw and suppressed with k = 1.

    Sizes above the pool of test users are left out. Source: ZK, Sec. 6.5, Tables 6 to 9.
    """
    for size in _possible(sizes, traces, n_reference):
        game = _Game(traces, target, size, n_reference, n_train, n_validation, n_test, seed)
        for label, k in {"raw": 0, "k = 1": 1}.items():
            for row in game.play(defense(k=k), ("sizes", size, label)):
                yield {"release": label, "m": size, **row}


@experiment(
    "zk-flight-sizes",
    paper="zk",
    unit=("target",),
    units=targets,
    load=population,
    at_paper={"flights-by-number": {}},
    tolerance=SAME,
)
def flight_sizes(
    traces: Traces,
    target: int,
    *,
    few: Sequence[int] = (100, 250, 500),
    n_reference: int = 500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterable[Row]:
    """The games of `sizes` on flights, of which there are few. Not in the paper."""
    return sizes.function(
        traces,
        target,
        sizes=few,
        n_reference=n_reference,
        n_train=n_train,
        n_validation=n_validation,
        n_test=n_test,
        seed=seed,
    )


@experiment(
    "zk-noisy-sizes",
    paper="zk",
    answers=("Fig. 11",),
    unit=("target",),
    units=targets,
    load=population,
    at_paper=STAND_INS,
    tolerance=SAME,
)
def noisy_sizes(
    traces: Traces,
    target: int,
    *,
    sizes: Sequence[int] = (100, 500, 1000, 2000, 3000),
    epsilons: Sequence[float] = (0.1, 0.5, 1.0),
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """The same behind event-level noise. Source: ZK, Sec. 6.5, Fig. 11."""
    for size in _possible(sizes, traces, n_reference):
        game = _Game(traces, target, size, n_reference, n_train, n_validation, n_test, seed)
        for epsilon in epsilons:
            for row in game.play(defense(epsilon), ("sizes", size, float(epsilon))):
                yield {"release": f"epsilon = {epsilon:g}", "m": size, **row}


def _possible(sizes: Sequence[int], traces: Traces, n_reference: int) -> list[int]:
    """Those of the sizes that neither pool is too small for."""
    largest = min(n_reference, traces.n_users - n_reference - 1)
    return [size for size in sizes if size <= largest]


@experiment(
    "zk-traces",
    paper="zk",
    answers=("Fig. 12",),
    unit=("target",),
    units=targets,
    load=population,
    at_paper={"tweeters-zk": {}},
    tolerance=SAME,
)
def traces_made(
    traces: Traces,
    target: int,
    *,
    numbers: Sequence[int] = (1000, 2500, 5000, 10_000),
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """ZK's games with so many synthetic traces; event-level epsilon = 1, k = 1.

    Source: ZK, Sec. 6.6, Fig. 12.
    """
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    for n in numbers:
        for row in game.play(defense(1.0, k=1), ("traces", n), n_traces=n, attackers=["ZK"]):
            yield {"traces": n, **row}


@experiment(
    "zk-solvers",
    paper="zk",
    answers=("Sec. 5.2",),
    unit=("target",),
    units=targets,
    load=population,
    at_paper={"tweeters-zk": {}},
    tolerance=SAME,
)
def solvers(
    traces: Traces,
    target: int,
    *,
    epsilon: float = 0.1,
    saga_iterations: Sequence[int] = (10, 100),
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """ZK's games with the solvers that the paper may have used; event-level noise.

    gap: the power of ten at or above the relative duality gap (digits of a solver that did not
    converge mean nothing). Source: ZK, Sec. 5.2, which does not name the solver.
    """
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    tried: dict[str, Mapping[str, Any]] = {"certified": {}, "liblinear": {"solver": "liblinear"}}
    for n in saga_iterations:
        tried[f"saga, {n} iterations"] = {"solver": "saga", "iterations": n}
    for label, solver in tried.items():
        found = game.play(
            defense(epsilon),
            ("solvers",),
            attackers=["ZK"],
            solver=solver,
            columns=("AUC", "accuracy", "gap"),
        )
        for row in found:
            power = int(np.ceil(np.log10(max(row["gap"], 1e-12))))
            yield {"solver": label, **row, "gap": power}


@experiment(
    "zk-estimators",
    paper="zk",
    unit=("target",),
    units=targets,
    load=population,
    at_paper=SIZES,
    tolerance=SAME,
)
def estimators(
    traces: Traces,
    target: int,
    *,
    epsilon: float = 1.0,
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterable[Row]:
    """ZK's games with marginals by their likelihood; event-level noise. Not in the paper."""
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    return game.play(
        defense(epsilon), ("likelihood",), attackers=["ZK"], estimator=ESTIMATORS["likelihood"]
    )


@experiment(
    "zk-cautious",
    paper="zk",
    unit=("target",),
    units=targets,
    load=population,
    at_paper=SIZES,
    tolerance=SAME,
)
def cautious(
    traces: Traces,
    target: int,
    *,
    n_test: int = 4000,
    group_size: int = 1000,
    n_reference: int = 2500,
    n_train: int = 400,
    n_validation: int = 100,
    seed: int = 2024,
) -> Iterable[Row]:
    """TPR at a false positive rate of 1%, event-level epsilon = 1. Not in the paper."""
    game = _Game(traces, target, group_size, n_reference, n_train, n_validation, n_test, seed)
    return game.play(defense(1.0), ("cautious",), columns=("AUC", "TPR"))


@experiment(
    "zk-rule",
    paper="zk",
    answers=("Sec. 6.1",),
    unit=("target",),
    units=targets,
    load=population,
    at_paper=SIZES,
)
def rule(
    traces: Traces,
    target: int,
    *,
    group_size: int = 1000,
    n_reference: int = 2500,
    n_test: int = 100,
    seed: int = 2024,
) -> Iterator[Row]:
    """Share of test groups, without her and with her, that raw counts of 0 say she is not in.

    Source: ZK, Sec. 6.1.
    """
    game = _Game(traces, target, group_size, n_reference, 0, 0, n_test, seed).challenge([])
    empty = (game.released(np.flatnonzero(game.trace)) == 0).any(axis=1)
    for member in (0, 1):
        yield {"member": member, "called out": float(empty[game.members == member].mean())}


def place_sums(name: str, *, n_test: int = 100, seed: int = 2024) -> pd.DataFrame:
    """The sum over every hour of all her places, in the raw test groups of `places`.

    Columns data, target, AUC; the rule of raw counts is off, as it is in `places`.
    """
    traces, rows = population(name), []
    size = sizes_of(name, traces)
    for target in targets(traces, seed=seed):
        game = _Game(traces, target, size["group_size"], size["n_reference"], 0, 0, n_test, seed)
        raw = game.challenge([])
        guessed = zk.greedy_trace(zk.top_places(raw.trace), raw.trace.shape)
        scores = raw.released(np.flatnonzero(guessed)).sum(axis=1)
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
    """Share of ZK's weight that is on the target's cells, trained on pairs or independent groups.

    Event-level epsilon = 1; the first of the targets if none is named. Source: ZK, Sec. 4.4.
    """
    target = targets(traces, seed=seed)[0] if target is None else target
    attacker, challenge, rng = one_game(traces, target, group_size, n_reference, seed)
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
        on_hers = size[np.isin(learned.cells, training.visits)].sum() / size.sum()
        yield {"groups": groups, "share on her cells": float(on_hers)}


def one_game(
    traces: Traces, target: int, group_size: int, n_reference: int, seed: int
) -> tuple[zk.ZeroKnowledge, zk.Challenge, np.random.Generator]:
    """The chapter's single game, event-level epsilon = 1: attacker, challenge, her generator."""
    challenge = zk.Challenge(
        traces, target, defense(1.0), group_size, n_reference, stream(seed, "zk-one-game")
    )
    rng = stream(seed, "zk-one-attack")
    attacker = zk.ZeroKnowledge(
        challenge.trace, traces.rois, challenge.on_counts, group_size, rng, n_traces=n_reference
    )
    return attacker, challenge, rng


# -- populations and their marginals ---------------------------------------------------------------


def true_marginals(traces: Traces) -> tuple[np.ndarray, np.ndarray]:
    """Space and time marginal of everybody."""
    everybody = aggregate(traces, [np.arange(traces.n_users)])[0]  # type: ignore[list-item]
    return marginals.empirical(everybody, traces.n_users)


def crowd(traces: Traces, seed: int, size: int = 1000) -> np.ndarray:
    """One group, (1, size), of everybody if there are fewer."""
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
    """Sizes, visits of users who may be targets, km^2 between the places. Source: ZK, Sec. 5.1."""
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
    "zk-suppressed",
    paper="zk",
    answers=("Fig. 15",),
    load=population,
    at_paper={name: {k: v for k, v in SIZES[name].items() if k == "group_size"} for name in SIZES},
)
def suppressed(
    traces: Traces, unit: Any, *, group_size: int = 1000, seed: int = 2024
) -> Iterator[Row]:
    """Share of the positive counts of five groups that are at most k. Source: ZK, App. C.2."""
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
    """Releases whose marginals are looked at."""
    return list(TRIED)


def released_marginals(traces: Traces, label: str, seed: int) -> dict[str, dict[str, Any]]:
    """Estimate -> the "space" and "time" marginal, with powers, of one release in `TRIED`."""
    protection, estimates = TRIED[label]
    group = crowd(traces, seed)
    rng = stream(seed, "zk-marginals", label)
    released = release(traces, group, defense(**protection), rng)[0]
    raw = dict(zip(("space", "time"), marginals.empirical(released, group.size), strict=True))
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
    """Total variation of estimated marginals of one release to the population's.

    Source: ZK, Sec. 4.3, Fig. 4, 5, 13.
    """
    true = dict(zip(("space", "time"), true_marginals(traces), strict=True))
    for estimate, found in released_marginals(traces, label, seed).items():
        yield {
            "estimate": estimate,
            **{w: distance(found[w][0], true[w]) for w in true},
            **{f"power of {w}": float(found[w][1]) for w in true},
        }


def activity_families(visits: np.ndarray) -> dict[str, Any]:
    """Distributions of the number of visits with the mean (and log spread) of these."""
    mean, log_sd = visits.mean(), np.log(visits).std()
    return {
        "exponential": stats.expon(scale=mean),
        "lognormal": stats.lognorm(log_sd, scale=mean * np.exp(-(log_sd**2) / 2)),
        "constant": stats.uniform(mean - 0.5, 1),
    }


def undone(traces: Traces, *, n_releases: int = 5, seed: int = 2024) -> pd.DataFrame:
    """`marginal_distances` of several releases: a row each release, estimate and `number`."""
    rows = [
        marginal_distances({"": traces}, seed=seed + number).assign(number=number)
        for number in range(n_releases)
    ]
    return pd.concat(rows, ignore_index=True)


@experiment(
    "zk-activity", paper="zk", answers=("Fig. 6",), load=population, at_paper={"callers": {}}
)
def activity(traces: Traces, unit: Any) -> Iterator[Row]:
    """How visits a user are distributed: largest gap of the distribution functions, quantiles.

    Source: ZK, Sec. 4.3.2, Fig. 6.
    """
    visits = traces.visits().to_numpy()
    for family, law in activity_families(visits).items():
        yield {
            "family": family,
            "gap": float(stats.kstest(visits, law.cdf).statistic),
            "median": float(law.ppf(0.5)),
            "95% at most": float(law.ppf(0.95)),
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
    """Releases whose mean is looked for."""
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
    """Visits a user: the release's sum over m, as ZK estimates them, and as they are."""
    group, protected = crowd(traces, seed), defense(**MEANS[label])
    rng = stream(seed, "zk-mean-visits", label)
    made = release(traces, group, protected, rng)[0]
    found = marginals.estimate(made, protected, group.size, traces.rois, rng)
    yield {
        "sum / m": float(made.sum() / group.size),
        "estimated": float(found.mean_visits),
        "true": float(traces.visits().mean()),
    }


def searched(traces: Traces, *, n_releases: int = 5, seed: int = 2024) -> pd.DataFrame:
    """`mean_visits` of several releases, a row each release and `number`."""
    rows = [
        mean_visits({"": traces}, seed=seed + number).assign(number=number)
        for number in range(n_releases)
    ]
    return pd.concat(rows, ignore_index=True)


def five(traces: Traces) -> list[int]:
    """Numbers of releases."""
    return list(range(5))


@experiment(
    "zk-likelihood",
    paper="zk",
    unit=("number",),
    units=five,
    load=population,
    tolerance=SAME,
    at_paper={"callers": {}, "tweeters-zk": {}, "flights-by-number": {"group_size": 250}},
)
def likelihood(
    traces: Traces, number: int, *, group_size: int = 1000, seed: int = 2024
) -> Iterator[Row]:
    """How far marginals and mean of one release are from true, by estimator. Not in the paper.

    Event-level epsilon = 1. "raw counts" are those of the same group without any noise; "as
    released" undoes nothing. space, time: total variation; mean visits: relative.
    """
    true, mean = true_marginals(traces), traces.visits().mean()
    rng = stream(seed, "zk-likelihood", number)
    size = min(group_size, traces.n_users)
    group = sample_groups(np.arange(traces.n_users), 1, size, rng)
    raw, made = aggregate(traces, group)[0], release(traces, group, defense(1.0), rng)[0]
    found = {
        label: (*marginals.empirical(counts, size), counts.sum() / size)
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
    """The population's users beside as many synthetic ones made from its true marginals."""
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


def offers(
    traces: Traces, *, ks: Sequence[int], epsilons: Sequence[float]
) -> list[tuple[str, float]]:
    """What is hidden, and how well: the k of suppression, or an epsilon."""
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
    units=offers,
    at_paper={
        name: CAPS.get(name, {}) | {k: v for k, v in SIZES[name].items() if k == "group_size"}
        for name in SIZES
    },
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
    """How far releases are from raw counts, by what is hidden (`unit`) and how well (`level`).

    cells moved, places moved  total variation of the shares of all cells, and of all places
    error                      mean absolute error of a count, over the mean raw count
    """
    what, level = unit
    protected = {
        "suppressed": lambda: defense(k=level),
        "event": lambda: defense(level),
        "user-day": lambda: defense(level, cap=cap),
        "user": lambda: [Laplace(level, float(traces.visits().max())), PostProcess("down")],
    }[what]()
    for number in range(n_releases):
        rng = stream(seed, "zk-costs", number)
        size = min(group_size, traces.n_users)
        group = sample_groups(np.arange(traces.n_users), 1, size, rng)
        released, raw = release(traces, group, protected, rng)[0], aggregate(traces, group)[0]
        shares = [c / max(c.sum(), 1) for c in (released, raw)]
        yield {
            "number": number,
            "cells moved": distance(*shares),
            "places moved": distance(*(each.sum(axis=1) for each in shares)),
            "error": float(np.abs(released - raw).sum() / raw.sum()),
        }


def flat_costs(names: Sequence[str], *, n_releases: int = 5, seed: int = 2024) -> dict[str, float]:
    """The `cells moved` of `costs` if all cells were released alike: a mean for each dataset."""
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
    """Scales of the lemma's noise."""
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
    """The mean of Laplace noise, clipped at 0, and rounded down as well: exact and drawn.

    Source: ZK, Lemma A.3.
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
    """Regime, and number of hours or places."""
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
    """Total variation of a noisy marginal from the uniform one: ten places, or 24 hours.

    size: hours (space marginal), or places (time marginal). Source: ZK, Theorem A.2, mended.
    """
    regime, n = unit
    for trial in range(N_UNIFORM):
        rng = stream(seed, "zk-uniform", regime, n, trial)
        yield {"trial": trial, "distance": _from_uniform(REGIMES[regime], n, rng)}


def _from_uniform(rate: Callable[[int], float] | None, n: int, rng: np.random.Generator) -> float:
    """rate: visits in all to the most popular place in n hours; None: 10 an hour, n places."""
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
    """Relative standard deviation of the marginals' entries, by scale of the noise.

    The last row: noise of the largest scale, and nobody there. Source: ZK, App. A, Fig. 17.
    """
    rng = stream(seed, "zk-flattening")
    group = crowd(traces, seed)
    made = {"no noise": release(traces, group, [], rng)[0]}
    for scale in scales:
        made[f"scale {scale:g}"] = release(traces, group, defense(1 / scale), rng)[0]
    nobody = np.zeros((1, traces.n_rois, traces.n_epochs), int)
    alone = release(nobody, defense(1 / scales[-1]), rng, group.size)[0]
    made[f"scale {scales[-1]:g}, nobody there"] = alone
    for label, released in made.items():
        space, time = (m.std() * len(m) for m in marginals.empirical(released, group.size))
        yield {"noise": label, "space": float(space), "time": float(time)}

"""Threshold attacks: exact score distributions, attacks on data, and what networks learn.

Data are named by attacker: "noise only" is the informed attacker, for whom nothing but noise is
left (drawn for targets of `Scenario.users`); a dataset is the auxiliary attacker on it. "analytic"
samples nothing; "simulated" are an informed attacker's aggregates of some cells, without a target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.linear_model import LogisticRegression

from lib import accounting, datasets, metrics
from lib.execution.results import Row
from lib.mechanisms import Gaussian, Laplace
from lib.membership import meta_classifier as nets
from lib.membership import score_distributions, shadows
from lib.membership.correlated import CorrelatedRatio
from lib.membership.likelihood_ratio import LikelihoodRatio
from lib.membership.thresholds import OneThreshold, ReferenceAttack, TwoThreshold
from lib.papers import experiments as core
from lib.papers import summaries
from lib.randomness import stream
from lib.traces import Traces

INFORMED, AUXILIARY = "noise only", "tweeters-threshold"
NOISES = ("Laplace", "Gaussian")
FPRS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
CELLS = (5, 20, 60, 100, 140)  # of the target (Fig. 6, 13)
DELTA = 1 / (2 * 1999)
# The others in a group.
SIZES = {AUXILIARY: 1999, "social-pulse": 1999, "flights-by-number": 130, "flights-by-tail": 130}
GRID = np.arange(201)  # counts of others in a cell
FEW, MANY = 2000, 200_000  # shadow aggregates (Sec. 5.3)
LEARNED = 0.03  # of networks' numbers, elsewhere: sums in another order, hundreds of times
ON_DATA = {"n_shadows": (FEW, MANY), "n_test": 50_000}
SCORES = ("one-threshold", "two-threshold")
KEYS = ["data", "noise", "shadows", "cells", "attack"]
Labelled = tuple[np.ndarray, np.ndarray]  # aggregates, members
experiment = partial(core.experiment, paper="threshold", load=None)


def mechanism(noise: str, epsilon: float, delta: float = DELTA) -> Laplace | Gaussian:
    """Build Laplace noise, or Gaussian noise with the textbook's calibration (Sec. 2.2).

    Parameters
    ----------
    noise : str
        "Laplace" or "Gaussian".
    epsilon : float
        ε of an observation.
    delta : float, default DELTA
        δ of Gaussian noise.

    Returns
    -------
    Laplace or Gaussian
        The mechanism.
    """
    if noise == "Laplace":
        return Laplace(epsilon)
    return Gaussian(epsilon, delta, calibration="classical")


# -- exact -----------------------------------------------------------------------------------------


def _noise_and_cells(context: None, cells: Sequence[int]) -> list[tuple[str, int]]:
    return list(product(NOISES, cells))


@experiment(
    "threshold-exact",
    answers=("Fig. 6", "Fig. 9", "Thm. 1"),
    unit=("noise", "cells"),
    units=_noise_and_cells,
    at_paper={"analytic": {"cells": (*range(1, 21), 60, 100, 140)}},
)
def exact(
    context: None,
    unit: tuple[str, int],
    *,
    cells: Sequence[int] = (1, 2, 3, *CELLS),
    epsilon: float = 0.5,
    delta: float = DELTA,
) -> Iterator[Row]:
    """Compute best accuracies of the informed attacker on n cells, and what the guarantee allows.

    Source: Sec. 3.1.2, Fig. 6, 9; the bound is Theorem 1's.

    Parameters
    ----------
    context : None
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    cells : sequence of int, optional
        Numbers of the target's cells.
    epsilon : float, default 0.5
        ε of an observation.
    delta : float, default DELTA
        δ of Gaussian noise.

    Returns
    -------
    iterator of dict
        One row. Columns: one, two (thresholds), each with its normal approximation, ratio
        (likelihood ratio), DP bound; best threshold (for the sum, of 37 from -n to 2 n, by the
        normal distribution); epsilon in all, by sequential composition.
    """
    noise, n = unit
    made = mechanism(noise, epsilon, delta)
    distribution = [score_distributions.NO_OTHERS] * n
    rates, normal = (
        score_distributions.error_rates(made, distribution),
        score_distributions.normal_score_distributions(made, distribution),
    )
    yield {
        "one": score_distributions.convolved_distribution(
            made, distribution, score_distributions.identity_score
        ).accuracy(),
        "one, normal": score_distributions.accuracy(*normal, n / 2),
        "two": score_distributions.two_threshold_distribution(made, distribution).accuracy(),
        "two, normal": score_distributions.accuracy(
            *score_distributions.normal_binomial_score_distributions(*rates), n / 2
        ),
        "ratio": score_distributions.convolved_distribution(
            made, distribution, score_distributions.log_ratio
        ).accuracy(),
        "DP bound": accounting.expected_accuracy(epsilon, n, delta * (noise == "Gaussian")),
        "best threshold": float(
            max(np.linspace(-n, 2 * n, 37), key=lambda t: score_distributions.accuracy(*normal, t))
        ),
        "epsilon in all": float(accounting.optimal_composition(epsilon, 0.0, n).epsilons[0]),
    }


def three_rules(noise: Laplace | Gaussian, distribution: np.ndarray, n: int) -> Row:
    """Compute exact accuracies of one threshold, two thresholds and the likelihood ratio.

    Parameters
    ----------
    noise : Laplace or Gaussian
        The mechanism.
    distribution : numpy.ndarray
        Distribution of the other users' count in a cell.
    n : int
        Number of such cells.

    Returns
    -------
    dict
        Columns: one, two, ratio.
    """
    return {
        "one": score_distributions.convolved_distribution(
            noise, [distribution] * n, score_distributions.identity_score
        ).accuracy(),
        "two": score_distributions.two_threshold_distribution(noise, [distribution] * n).accuracy(),
        "ratio": score_distributions.convolved_distribution(
            noise, [distribution] * n, score_distributions.log_ratio
        ).accuracy(),
    }


@experiment("threshold-rules", answers=("Fig. 10",), at_paper={"analytic": {}})
def rules(
    context: None,
    unit: tuple[()],
    *,
    cells: int = 60,
    others: int = 2000,
    epsilon: float = 0.5,
    shares: Sequence[float] = (0.0001, 0.0003, 0.0005, 0.001, 0.003, 0.01),
    thetas: Sequence[float] = (0.0, 0.5, 0.9, 0.99, 1.0),
) -> Iterator[Row]:
    """Compute the three rules under Laplace noise on the paper's example, and away from it.

    The example is Sec. 3.3, Fig. 7 to 10.

    Parameters
    ----------
    context : None
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    cells : int, default 60
        Number of the target's cells.
    others : int, default 2000
        Number of other users in a group.
    epsilon : float, default 0.5
        ε of an observation.
    shares : sequence of float, optional
        Shares of traces with a one in a cell.
    thetas : sequence of float, optional
        Shares θ of known other users.

    Returns
    -------
    iterator of dict
        Columns: varied (share of ones: no other user is known; θ: a share of 0.01), its value,
        unknown others, mean count (of a cell), one, two, ratio.
    """
    cases = [("share of ones", p, 0.0, p) for p in shares] + [("θ", t, t, 0.01) for t in thetas]
    for varied, value, theta, share in cases:
        unknown = shadows.unknown_size(others, theta)
        row = {
            "varied": varied,
            "value": value,
            "unknown others": unknown,
            "mean count": unknown * share,
        }
        distribution = stats.binom.pmf(GRID, unknown, share)
        yield row | three_rules(Laplace(epsilon), distribution, cells)


@experiment("threshold-map", at_paper={"analytic": {}})
def compare_rules(
    context: None,
    unit: tuple[()],
    *,
    others: int = 2000,
    budgets: Sequence[float] = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0),
    means: Sequence[float] = (0.01, 0.1, 0.3, 1.0, 3.0, 10.0),
) -> Iterator[Row]:
    """Compare one and two thresholds over noise and mean count of other users.

    The number of cells is such that one threshold has an accuracy of about 0.85.

    Parameters
    ----------
    context : None
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    others : int, default 2000
        Number of other users in a group.
    budgets : sequence of float, optional
        Values of ε.
    means : sequence of float, optional
        Mean counts of a cell.

    Returns
    -------
    iterator of dict
        Columns: epsilon, mean count, cells, one, two, two - one (exact accuracies, Laplace noise).
    """
    for budget, mean in product(budgets, means):
        noise = Laplace(budget)
        distribution = stats.binom.pmf(GRID, others, mean / others)
        n = max(3, round(4.3 * (mean + 2 * noise.scale**2)))
        one = score_distributions.convolved_distribution(
            noise, [distribution] * n, score_distributions.identity_score
        ).accuracy()
        two = score_distributions.two_threshold_distribution(noise, [distribution] * n).accuracy()
        yield {
            "epsilon": budget,
            "mean count": mean,
            "cells": n,
            "one": one,
            "two": two,
            "two - one": two - one,
        }


# -- the paper's example, sampled ------------------------------------------------------------------

EXAMPLE = {  # 60 cells; 2,000 of 10,000 traces, 1% of which have a one in the cell (Sec. 3.3)
    "informed": [score_distributions.NO_OTHERS] * 60,
    "auxiliary": [stats.binom.pmf(GRID, 2000, 0.01)] * 60,
}


def _sampled(
    attacker: str, score: str, n: int, epsilon: float, seed: int
) -> Iterator[tuple[str, np.ndarray, Any, Any]]:
    """For each class: n sampled scores, their distribution and its normal approximation."""
    rng, noise = stream(seed, "threshold-example", attacker), Laplace(epsilon)
    clean = np.zeros((2 * n, 60))
    if attacker == "auxiliary":
        clean = rng.hypergeometric(100, 9900, 2000, size=clean.shape).astype(float)
    clean[n:] += 1
    values, distribution = noise.apply(clean, rng, np.asarray(2000)), EXAMPLE[attacker]
    if score == "one-threshold":
        scores, exactly = (
            values.sum(axis=1),
            score_distributions.normal_score_distributions(noise, distribution),
        )
        normal = exactly
    else:
        rates = score_distributions.error_rates(noise, distribution)
        scores = (values >= distribution[0] @ np.arange(len(distribution[0])) + 0.5).sum(axis=1)
        exactly, normal = (
            score_distributions.binomial_score_distributions(*rates),
            score_distributions.normal_binomial_score_distributions(*rates),
        )
    yield from zip(("out", "in"), np.split(scores, 2), exactly, normal, strict=True)


def _distance(values: np.ndarray, distribution: Any) -> float:
    """Largest distance between the empirical and an exact distribution function."""
    at = np.unique(values)
    seen = np.searchsorted(np.sort(values), at, side="right") / len(values)
    return float(np.abs(seen - distribution.cdf(at)).max())


@experiment(
    "threshold-example",
    answers=("Fig. 8", "Fig. 10", "Thm. 2", "Thm. 3"),
    at_paper={"simulated": {}},
)
def example(
    context: None, unit: tuple[()], *, n: int = 5000, epsilon: float = 0.5, seed: int = 2024
) -> Iterator[Row]:
    """Compare sampled scores of the paper's example with their distributions.

    The example has Laplace noise and 60 cells. Source: Fig. 8, 10.

    Parameters
    ----------
    context : None
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    n : int, default 5000
        Number of scores of each class.
    epsilon : float, default 0.5
        ε of an observation.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        Columns: attacker, score, class; mean, ± SE and sd of the n scores, mean and sd of the
        distribution; distance from it, from a normal distribution of the sampled moments (the
        largest between two distribution functions), and of the distribution from its normal
        approximation.
    """
    whole = np.arange(61)
    for attacker, score in product(EXAMPLE, SCORES):
        for name, values, distribution, normal in _sampled(attacker, score, n, epsilon, seed):
            own = stats.norm(values.mean(), values.std())
            apart = np.abs(distribution.cdf(whole) - normal.cdf(whole + 0.5)).max()
            yield {
                "attacker": attacker,
                "score": score,
                "class": name,
                "mean": float(values.mean()),
                "± SE": float(values.std() / np.sqrt(n)),
                "mean, exact": float(distribution.mean()),
                "sd": float(values.std()),
                "sd, exact": float(distribution.std()),
                "from exact": _distance(values, distribution),
                "from normal": _distance(values, own),
                "exact from normal": float(apart) if score == SCORES[1] else 0.0,
            }


@experiment("threshold-histograms", answers=("Fig. 8", "Fig. 10"), at_paper={"simulated": {}})
def histograms(
    context: None, unit: tuple[()], *, n: int = 5000, epsilon: float = 0.5, seed: int = 2024
) -> Iterator[Row]:
    """Compute histograms of the scores of `example` beside their densities.

    Parameters
    ----------
    context : None
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    n : int, default 5000
        Number of scores of each class.
    epsilon : float, default 0.5
        ε of an observation.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        Columns: attacker, score, class, value, density as sampled, density of the distribution.
    """
    for score, attacker in product(SCORES, EXAMPLE):
        found = list(_sampled(attacker, score, n, epsilon, seed))
        edges = np.histogram_bin_edges(np.concatenate([values for _, values, *_ in found]), 40)
        edges = edges if score == "one-threshold" else np.arange(62) - 0.5
        middle = (edges[1:] + edges[:-1]) / 2
        for name, values, distribution, _ in found:
            heights = np.histogram(values, edges, density=True)[0]
            density = (
                distribution.pdf(middle) if score == "one-threshold" else distribution.pmf(middle)
            )
            for at, seen, exactly in zip(middle, heights, density, strict=True):
                yield {
                    "attacker": attacker,
                    "score": score,
                    "class": name,
                    "value": float(at),
                    "sampled": float(seen),
                    "density": float(exactly),
                }


# -- games on data ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scenario:
    """An attacker, the traces, the noise, and the sizes of the experiments.

    Parameters
    ----------
    traces : lib.traces.Traces
        Traces with a bounded number of visits an hour.
    data : str
        INFORMED, or the dataset of the auxiliary attacker.
    users : str
        Dataset of the traces and targets.
    epsilon, delta : float
        Budget of an observation.
    group_size : int
        Other users in an aggregate.
    n_positive : sequence of int
        Numbers of the target's cells.
    n_middle : int
        Number of cells where results are shown for one number only.
    classifier_positive : sequence of int
        Numbers of cells for which networks are trained.
    runs : int
        Number of targets, each with another split of the users.
    seed : int
        Seed of the streams of random numbers.
    """

    traces: Traces
    data: str
    users: str = AUXILIARY
    epsilon: float = 0.5
    delta: float = DELTA
    group_size: int = 1999
    n_positive: Sequence[int] = CELLS
    n_middle: int = 60
    classifier_positive: Sequence[int] = (20, 60)
    runs: int = 10
    seed: int = 2024

    @property
    def report(self) -> Any:
        """Report on the rows of the users' files."""
        return self.traces.report

    def _drawn(self) -> tuple[np.ndarray, int]:
        visits = self.traces.visits().to_numpy()
        enough = np.flatnonzero(visits >= max(self.n_positive))
        if len(enough) < self.runs:
            enough = np.argsort(-visits, kind="stable")[: 2 * self.runs]
        drawn = stream(self.seed, "threshold-targets").choice(enough, self.runs, replace=False)
        return drawn, int(visits[enough].min())

    def target(self, run: int) -> int:
        """Return the run's target, drawn from users with the most cells.

        Parameters
        ----------
        run : int
            Number of the run.

        Returns
        -------
        int
            Position of the user.
        """
        return int(self._drawn()[0][run])

    @property
    def middle(self) -> int:
        """`n_middle`, or the tens of cells that every target has."""
        least = self._drawn()[1]
        return int(min(self.n_middle, least // 10 * 10 or least))

    def cells(self, networks: bool = False) -> list[int]:
        """List the numbers of cells that every target has, the middle one included.

        Parameters
        ----------
        networks : bool, default False
            Whether to list those with networks.

        Returns
        -------
        list of int
            Sorted numbers.
        """
        wanted = (
            self.classifier_positive if networks else (*self.n_positive, *self.classifier_positive)
        )
        return sorted({n for n in wanted if n <= self._drawn()[1]} | {self.middle})


def load_scenario(
    data: str, *, users: str = "", path: str = "", most_visits: int = 1, **sizes: Any
) -> Scenario:
    """Load the scenario of a dataset, or of the informed attacker on the targets of `users`.

    Parameters
    ----------
    data : str
        Dataset, or `INFORMED`.
    users : str, optional
        Dataset of the targets.
    path : str, optional
        File of the data.
    most_visits : int, default 1
        Most visits of a user in an hour.
    **sizes : object
        Fields of `Scenario`.

    Returns
    -------
    Scenario
        The scenario.
    """
    users = users or (AUXILIARY if data == INFORMED else data)
    seed = sizes.get("seed", Scenario.seed)
    given = {"path": path or None, "preset": "threshold"} if users == "social-pulse" else {}
    name = datasets.label(users)
    rng = stream(seed, "threshold-clipped", name)
    traces = shadows.clip_visits(datasets.load(users, **given), most_visits, rng)
    return Scenario(traces, data, name, **{"group_size": SIZES.get(name, SIZES[AUXILIARY])} | sizes)


class _Trial:
    """One target's cells, pools and aggregates; all draws share one stream."""

    def __init__(self, of: Scenario, noise: str, run: int):
        traces, target, informed = of.traces, of.target(run), of.data == INFORMED
        knows = "informed" if informed else "auxiliary"
        self.rng = stream(of.seed, "threshold-games", of.users, noise, knows, run)
        self.mechanism = mechanism(noise, of.epsilon, of.delta)
        self.theta, self.size = float(informed), of.group_size
        self.pools = shadows.split_users(traces, target, self.rng)
        cells = shadows.positive_cells(traces, target, max(of.cells()), self.rng)
        other = int(self.rng.choice(self.pools.auxiliary))
        extra = np.setdiff1d(traces.matrix[[other]].indices, cells)
        self.traces, self.columns = traces, np.concatenate([cells, extra])
        self.trace = np.repeat([1, 0], [len(cells), len(extra)])
        self.other = shadows.visits_at(traces, np.array([other]), self.columns)[0]

    def draw(self, pool: np.ndarray, n: int, cells: int | None = None) -> Labelled:
        """Draw labelled aggregates.

        Parameters
        ----------
        pool : numpy.ndarray of int
            Positions of the users from whom groups are drawn.
        n : int
            Number of aggregates.
        cells : int, optional
            Number of the game's first columns to return; all without it.

        Returns
        -------
        Labelled
            Values, shape (n, n_cells), and members (0 or 1).
        """
        visits = shadows.visits_at(self.traces, pool, self.columns)
        values, members = shadows.shadow_aggregates(
            visits, n, self.size, self.mechanism, self.rng, self.theta, self.trace
        )
        return values[:, :cells], members

    def others(self, n: int) -> np.ndarray | None:
        """Raw counts of unknown others, or None if nobody is unknown."""
        visits = shadows.visits_at(self.traces, self.pools.auxiliary, self.columns)
        unknown = shadows.unknown_size(self.size, self.theta)
        return shadows.sample_counts(visits, n, unknown, self.rng) if unknown else None


def _score_measures(members: np.ndarray, scores: np.ndarray, decides: bool, roc: bool) -> Row:
    """Accuracy (where there is a decision), AUC, and the low end of the ROC curve."""
    row = {"accuracy": float(((scores >= 0) == members).mean()) if decides else np.nan}
    row["AUC"] = metrics.auc(members, scores)
    return row | {
        f"TPR {f:g}": metrics.tpr_at_fpr(members, scores, f) if roc else np.nan for f in FPRS
    }


def _metric_scores(
    game: _Trial, values: np.ndarray, n_shadow: int, cells: Sequence[int]
) -> Iterator[tuple[int, str, np.ndarray]]:
    """Scores of one, two, reference attack and likelihood ratio, at each number of cells."""
    train = game.draw(game.pools.auxiliary, n_shadow)
    ratio = LikelihoodRatio(game.mechanism, game.others(min(n_shadow, 20_000)))
    ratios = np.cumsum(ratio.fit(*train).cell_scores(values), axis=1)
    for n in cells:
        z = game.trace * (np.arange(len(game.trace)) < n)
        attacks: dict[str, Any] = {
            "one-threshold": OneThreshold(np.arange(n)),
            "two-threshold": TwoThreshold(np.arange(n)),
            "reference": ReferenceAttack(z, game.other),
        }
        for name, attack in attacks.items():
            yield n, name, attack.fit(*train).decision_function(values)
        yield n, "likelihood ratio", ratios[:, n - 1]


def _network_scores(
    game: _Trial, values: np.ndarray, n_shadow: int, of: Scenario, max_epochs: int, run: int
) -> Iterator[tuple[int, str, np.ndarray]]:
    """Scores of networks trained on shadow aggregates of the training users."""
    train = game.draw(game.pools.train, n_shadow)
    validation = game.draw(game.pools.validation, max(1000, n_shadow // 10))
    for n in of.cells(networks=True):
        nodes = {"network": None} | ({"network, 100 nodes": 100} if n == of.middle else {})
        for name, hidden in nodes.items():
            attack = nets.MetaClassifier(
                np.arange(n), hidden, max_epochs=max_epochs, random_state=run
            )
            yield n, name, attack.fit(*train, validation).decision_function(values)


def _noise_and_run(context: Scenario) -> list[tuple[str, int]]:
    return [(noise, run) for run in range(context.runs) for noise in NOISES]


@experiment(
    "threshold-games",
    answers=("Fig. 1", *(f"Fig. {i}" for i in (13, 14)), *(f"Fig. {i}" for i in range(17, 22))),
    unit=("noise", "run"),
    units=_noise_and_run,
    load=load_scenario,
    tolerance=LEARNED,
    loose_columns=tuple(f"TPR {f:g}" for f in FPRS),
    at_paper=dict.fromkeys((INFORMED, AUXILIARY, "flights-by-number"), ON_DATA),
)
def games(
    context: Scenario,
    unit: tuple[str, int],
    *,
    n_shadows: Sequence[int] = (FEW,),
    n_test: int = 10_000,
    classifier_runs: int = 3,
    max_epochs: int = 100,
) -> Iterator[Row]:
    """Run all attacks on one target's test aggregates.

    Source: Sec. 5.2 to 5.4, App. C, D.

    Parameters
    ----------
    context : Scenario
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    n_shadows : sequence of int, default (FEW,)
        Numbers of shadow aggregates.
    n_test : int, default 10000
        Number of test aggregates.
    classifier_runs : int, default 3
        Number of runs in which networks are trained.
    max_epochs : int, default 100
        Most passes of the training.

    Returns
    -------
    iterator of dict
        A row for each number of shadow aggregates, of cells, and attack. Columns: shadows, cells,
        attack, mean count (of the others in a cell), accuracy (none for the reference attack), AUC,
        and, at the middle number of cells, the true positive rate at each of `FPRS`. Networks are
        trained in the first `classifier_runs`.
    """
    noise, run = unit
    game = _Trial(context, noise, run)
    values, members = game.draw(game.pools.target, n_test)
    outside = values[members == 0]
    for n_shadow in n_shadows:
        made = list(_metric_scores(game, values, n_shadow, context.cells()))
        if run < classifier_runs:
            made += _network_scores(game, values, n_shadow, context, max_epochs, run)
        for n, attack, scores in made:
            row = {
                "shadows": n_shadow,
                "cells": n,
                "attack": attack,
                "mean count": float(outside[:, :n].mean()),
            }
            decides = attack != "reference"
            yield row | _score_measures(members, scores, decides, n == context.middle)


@experiment("threshold-data", answers=("Sec. 5.2",), load=load_scenario, at_paper={AUXILIARY: {}})
def pool_sizes(context: Scenario, unit: tuple[()]) -> Iterator[Row]:
    """Count sites, epochs and the traces of each pool of the first run (Sec. 5.2).

    Parameters
    ----------
    context : Scenario
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.

    Returns
    -------
    iterator of dict
        One row.
    """
    found = _Trial(context, "Laplace", 0).pools
    sizes = {f"{name} traces": len(pool) for name, pool in found._asdict().items()}
    yield {"sites": context.traces.n_rois, "epochs": context.traces.n_epochs} | sizes


@experiment(
    "threshold-independence", load=load_scenario, at_paper={AUXILIARY: {}, "flights-by-number": {}}
)
def independence(context: Scenario, unit: tuple[()], *, n_groups: int = 4000) -> Iterator[Row]:
    """Compute the likelihood ratio's accuracy and AUC as if cells were independent.

    First run, Laplace noise.

    Parameters
    ----------
    context : Scenario
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    n_groups : int, default 4000
        Number of sampled groups.

    Returns
    -------
    iterator of dict
        Columns: cells, mean count, the same of released users, mean correlation of two cells'
        counts, accuracy and AUC by convolution (those of the attack are in `games`).
    """
    game, n = _Trial(context, "Laplace", 0), context.middle
    drawn = game.others(n_groups)
    assert drawn is not None  # the auxiliary attacker knows nobody
    others = drawn[:, :n]
    distribution = score_distributions.convolved_distribution(
        game.mechanism,
        score_distributions.count_distributions(others),
        score_distributions.log_ratio,
    )
    released = shadows.visits_at(context.traces, game.pools.target, game.columns[:n])
    varying = others[:, others.var(axis=0) > 0].T
    above = np.triu_indices(len(varying), 1)
    pairs = np.corrcoef(varying)[above] if len(varying) > 1 else np.empty(0)
    yield {
        "cells": n,
        "mean count": float(others.mean()),
        "same, released users": float(released.mean() * game.size),
        "mean correlation": float(pairs.mean()) if len(pairs) else np.nan,
        "accuracy if independent": distribution.accuracy(),
        "AUC if independent": distribution.auc(),
    }


def _runs(context: Scenario, classifier_runs: int) -> list[int]:
    return list(range(min(classifier_runs, context.runs)))


@experiment(
    "threshold-pools",
    unit=("run",),
    units=_runs,
    load=load_scenario,
    tolerance=LEARNED,
    at_paper={AUXILIARY: {"n_test": 50_000}, "flights-by-number": {"n_test": 50_000}},
)
def network_of_all_users(
    context: Scenario,
    run: int,
    *,
    n_shadows: int = FEW,
    n_test: int = 10_000,
    classifier_runs: int = 3,
    max_epochs: int = 100,
) -> Iterator[Row]:
    """Train a network on aggregates of all auxiliary users, minus a tenth for early stopping.

    Parameters
    ----------
    context : Scenario
        The scenario, or None where no data are needed.
    run : int
        Number of the run.
    n_shadows : int, default FEW
        Number of shadow aggregates.
    n_test : int, default 10000
        Number of test aggregates.
    classifier_runs : int, default 3
        Number of runs in which networks are trained.
    max_epochs : int, default 100
        Most passes of the training.

    Returns
    -------
    iterator of dict
        Columns: cells, accuracy.
    """
    game, n = _Trial(context, "Laplace", run), context.middle
    values, members = game.draw(game.pools.target, n_test)
    net = nets.MetaClassifier(np.arange(n), max_epochs=max_epochs, random_state=run)
    net.fit(*game.draw(game.pools.auxiliary, n_shadows))
    yield {"cells": n, "accuracy": float((net.predict(values) == members).mean())}


def _every_run(context: Scenario) -> list[int]:
    return list(range(context.runs))


@experiment(
    "threshold-correlated",
    unit=("run",),
    units=_every_run,
    load=load_scenario,
    tolerance=LEARNED,
    at_paper={
        INFORMED: {"n_test": 20_000, "n_networks": (FEW,)},
        AUXILIARY: {"n_test": 20_000, "n_networks": (FEW,)},
        "flights-by-number": {"n_test": 20_000, "n_networks": (FEW, MANY)},
    },
)
def correlated(
    context: Scenario,
    run: int,
    *,
    n_shadows: int = FEW,
    n_test: int = 10_000,
    n_networks: Sequence[int] = (FEW,),
    max_epochs: int = 100,
) -> Iterator[Row]:
    """Run rules, both likelihood ratios and networks on one target, all with the same knowledge.

    Laplace noise. All attacks know the same auxiliary users; networks stop by a tenth of their
    aggregates. This is not the paper's question: its networks know half of these users (`games`).

    Parameters
    ----------
    context : Scenario
        The scenario, or None where no data are needed.
    run : int
        Number of the run.
    n_shadows : int, default FEW
        Number of shadow aggregates of the rules.
    n_test : int, default 10000
        Number of test aggregates.
    n_networks : sequence of int, default (FEW,)
        Numbers of shadow aggregates of the networks.
    max_epochs : int, default 100
        Most passes of the training.

    Returns
    -------
    iterator of dict
        Columns: cells, attack, shadows (of a network; else `n_shadows`), mean count of the others
        in a cell, accuracy, AUC, the true positive rate at each of `FPRS`.
    """
    game, n = _Trial(context, "Laplace", run), context.middle
    values, members = game.draw(game.pools.target, n_test, n)
    pool = game.pools.auxiliary
    train = game.draw(pool, n_shadows, n)
    others = game.others(n_shadows)
    raw = None if others is None else others[:, :n]
    visits = shadows.visits_at(context.traces, pool, game.columns[:n])
    unknown = shadows.unknown_size(game.size, game.theta)
    attacks: list[tuple[str, int, Any]] = [
        ("one-threshold", n_shadows, OneThreshold()),
        ("two-threshold", n_shadows, TwoThreshold()),
        ("likelihood ratio", n_shadows, LikelihoodRatio(game.mechanism, raw)),
        ("correlated ratio", n_shadows, CorrelatedRatio(game.mechanism, visits, unknown)),
    ]
    found = [(name, size, each.fit(*train)) for name, size, each in attacks]
    for size in n_networks:
        net = nets.MetaClassifier(max_epochs=max_epochs, random_state=run)
        found.append(("network", size, net.fit(*game.draw(pool, size, n))))
    mean = float(values[members == 0].mean())
    for name, size, attack in found:
        row = {"cells": n, "attack": name, "shadows": size, "mean count": mean}
        yield row | _score_measures(members, attack.decision_function(values), True, True)


# -- what a network learns -------------------------------------------------------------------------


def informed_aggregates(n: int, cells: int, epsilon: float, seed: int, *use: str | int) -> Labelled:
    """Draw shadow aggregates of an informed attacker.

    They are Laplace noise, plus 1 in each cell for members.

    Parameters
    ----------
    n : int
        Number of aggregates.
    cells : int
        Number of the target's cells.
    epsilon : float
        ε of an observation.
    seed : int
        Seed of the streams of random numbers.
    *use : str or int
        What the aggregates are for, which names their stream.

    Returns
    -------
    tuple of numpy.ndarray
        Aggregates, shape (n, cells), and labels.
    """
    nobody = np.zeros((1, cells), np.uint8)
    rng = stream(seed, "threshold-informed", *use)
    return shadows.shadow_aggregates(nobody, n, 1, Laplace(epsilon), rng, theta=1.0)


def _held_out(n_shadow: int) -> int:
    return max(1000, n_shadow // 10)


def _describe_network(network: nets.Network, fresh: Labelled, rules: dict[str, Any]) -> Row:
    """Numbers that tell which rule a network holds; `rules` are fitted."""
    decided = network.logit(fresh[0]) >= 0
    centred = network.biases + fresh[0].mean(axis=0) @ network.weights
    size = np.linalg.norm(network.weights, axis=0)
    row = {
        "concentration": nets.concentration(network),
        "alignment": nets.alignment(network),
        "opposite biases": nets.opposite_biases(network),
        "centred bias": float(nets.importance(network) @ (np.abs(centred) / size)),
        "accuracy": float((decided == fresh[1]).mean()),
    }
    return row | {
        f"agrees with {name}": float((decided == rule.predict(fresh[0])).mean())
        for name, rule in rules.items()
    }


def _fit_rules(train: Labelled) -> dict[str, Any]:
    """Every rule of the paper, fitted on shadow aggregates."""
    return {"one": OneThreshold().fit(*train), "two": TwoThreshold().fit(*train)}


def _networks(context: Scenario, n_shadows: Sequence[int]) -> list[tuple[int, int]]:
    return [(n, hidden) for n in n_shadows for hidden in (context.middle, 100)]


def _square_networks(context: Scenario, n_shadows: Sequence[int]) -> list[tuple[int, int]]:
    return [(n, context.middle) for n in n_shadows]


def _trained(
    context: Scenario, unit: tuple[int, int], n_shadows: Sequence[int], n_test: int, max_epochs: int
) -> tuple[nets.MetaClassifier, Labelled, Labelled]:
    """The first run's network, Laplace noise: (fresh aggregates, those it was trained on)."""
    (n_shadow, hidden), n = unit, context.middle
    game = _Trial(context, "Laplace", 0)
    fresh = game.draw(game.pools.target, n_test, n)
    validation = game.draw(game.pools.validation, _held_out(max(n_shadows)), n)
    for each in n_shadows:
        train = game.draw(game.pools.train, each, n)
        if each == n_shadow:
            break
    attack = nets.MetaClassifier(hidden=hidden, max_epochs=max_epochs)
    return attack.fit(*train, validation), fresh, train


@experiment(
    "threshold-weights",
    answers=("Fig. 12", "Fig. 15", "Fig. 23", "Fig. 24"),
    unit=("shadows", "hidden nodes"),
    units=_networks,
    load=load_scenario,
    tolerance=0.05,
    at_paper={INFORMED: ON_DATA, AUXILIARY: ON_DATA},
)
def weights(
    context: Scenario,
    unit: tuple[int, int],
    *,
    n_shadows: Sequence[int] = (FEW,),
    n_test: int = 10_000,
    max_epochs: int = 100,
) -> Iterator[Row]:
    """Measure which rule a trained network implements.

    Source: Sec. 5.3, App. F, G; numbers of `lib.membership.meta_classifier`.

    Parameters
    ----------
    context : Scenario
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    n_shadows : sequence of int, default (FEW,)
        Numbers of shadow aggregates.
    n_test : int, default 10000
        Number of test aggregates.
    max_epochs : int, default 100
        Most passes of the training.

    Returns
    -------
    iterator of dict
        One row. Columns: passes, concentration, alignment, opposite biases, centred bias, accuracy,
        and on what share of fresh aggregates it decides as each threshold rule.
    """
    attack, fresh, train = _trained(context, unit, n_shadows, n_test, max_epochs)
    found = _describe_network(attack.network_, fresh, _fit_rules(train))
    yield {"passes": attack.epochs_} | found


@experiment(
    "threshold-weight-maps",
    answers=("Fig. 12", "Fig. 15", "Fig. 23"),
    unit=("shadows", "hidden nodes"),
    units=_square_networks,
    load=load_scenario,
    tolerance=0.05,
    at_paper={INFORMED: ON_DATA, AUXILIARY: ON_DATA},
)
def weight_maps(
    context: Scenario,
    unit: tuple[int, int],
    *,
    n_shadows: Sequence[int] = (FEW,),
    n_test: int = 10_000,
    max_epochs: int = 100,
) -> Iterator[Row]:
    """Compute first-layer weights, over the largest, of networks with one node per cell.

    Source: Fig. 12, 15, 23, 24.

    Parameters
    ----------
    context : Scenario
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    n_shadows : sequence of int, default (FEW,)
        Numbers of shadow aggregates.
    n_test : int, default 10000
        Number of test aggregates.
    max_epochs : int, default 100
        Most passes of the training.

    Returns
    -------
    iterator of dict
        Columns: cell, and each node: in the order of the cells they weigh most, with signs such
        that all vote "in".
    """
    network = _trained(context, unit, n_shadows, n_test, max_epochs)[0].network_
    order = np.argsort(np.abs(network.weights).argmax(axis=0), kind="stable")
    scaled = network.weights * np.sign(network.output)
    for cell, row in enumerate((scaled[:, order] / np.abs(scaled).max()).round(3)):
        yield {"cell": cell} | {f"node {i}": float(value) for i, value in enumerate(row)}


@experiment(
    "threshold-by-hand", answers=("Thm. 4", "Thm. 5"), at_paper={"simulated": {"n_test": 50_000}}
)
def by_hand(
    context: None,
    unit: tuple[()],
    *,
    cells: int = 60,
    n_test: int = 10_000,
    epsilon: float = 0.5,
    seed: int = 2024,
) -> Iterator[Row]:
    """Measure networks that are built by hand, and one that was never trained, as `weights` does.

    Parameters
    ----------
    context : None
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    cells : int, default 60
        Number of the target's cells.
    n_test : int, default 10000
        Number of test aggregates.
    epsilon : float, default 0.5
        ε of an observation.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        Columns: network, and those of `weights`.
    """
    draw = stream(seed, "threshold-by-hand").normal(size=(cells + 2, cells))
    made = {
        "one-threshold": nets.one_threshold_network(cells, cells / 2, 1.0, 1.0),
        "two-threshold": nets.two_threshold_network(np.full(cells, 0.5), cells // 2, 50.0, 50.0),
        "random weights": nets.Network(draw[:-2], draw[-2], draw[-1], 0.0),
    }
    fresh = informed_aggregates(n_test, cells, epsilon, seed, "by hand", "fresh")
    known = _fit_rules(informed_aggregates(20_000, cells, epsilon, seed, "by hand", "train"))
    for name, network in made.items():
        yield {"network": name, "passes": 0} | _describe_network(network, fresh, known)


@experiment("threshold-steps", answers=("Fig. 16", "Thm. 4", "Thm. 5"), at_paper={"simulated": {}})
def steps(
    context: None,
    unit: tuple[()],
    *,
    cells: int = 60,
    n: int = 4000,
    epsilon: float = 0.5,
    seed: int = 2024,
) -> Iterator[Row]:
    """Measure how close networks built by hand are to the step that they stand for.

    Source: Fig. 16, Theorems 4 and 5; the theorems' rows (a from 1,000) are on aggregates of their
    own.

    Parameters
    ----------
    context : None
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    cells : int, default 60
        Number of the target's cells.
    n : int, default 4000
        Number of noisy aggregates.
    epsilon : float, default 0.5
        ε of an observation.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        Columns: rule, a, b (the scales), loss (cross-entropy), accuracy.
    """
    of = ("figure", "theorems")
    values = {each: informed_aggregates(n, cells, epsilon, seed, "steps", each)[0] for each in of}
    cases = [
        ("one-threshold", a, b, of[0]) for a in (0.01, 0.1, 1.0, 10.0) for b in (1.0, 10.0, 100.0)
    ]
    cases += [("one-threshold", 1e3, 1e3, of[1]), ("two-threshold", 1e4, 50.0, of[1])]
    for rule, a, b, key in cases:
        if rule == "one-threshold":
            step = values[key].sum(axis=1) >= cells / 2
            network = nets.one_threshold_network(cells, cells / 2, a, b)
        else:
            step = (values[key] >= 0.5).sum(axis=1) >= cells // 2
            network = nets.two_threshold_network(np.full(cells, 0.5), cells // 2, a, b)
        logit = network.logit(values[key])
        loss = np.logaddexp(0, np.where(step, -logit, logit)).mean()
        yield {
            "rule": rule,
            "a": a,
            "b": b,
            "loss": float(loss),
            "accuracy": float(((logit >= 0) == step).mean()),
        }


def _runs_and_sizes(context: None, runs: int, sizes: Sequence[int]) -> list[tuple[int, int]]:
    return list(product(range(runs), sizes))


def _clip(pair: Labelled) -> Labelled:
    """Aggregates whose cells are cut off at 0 and 1."""
    return np.clip(pair[0], 0, 1), pair[1]


@experiment(
    "threshold-learning",
    answers=("Fig. 22",),
    unit=("run", "shadows"),
    units=_runs_and_sizes,
    tolerance=LEARNED,
    at_paper={"simulated": {"sizes": (500, FEW, 8000, 32_000, MANY), "n_test": 50_000}},
)
def learning(
    context: None,
    unit: tuple[int, int],
    *,
    sizes: Sequence[int] = (500, FEW, 8000),
    cells: int = 60,
    n_test: int = 10_000,
    runs: int = 3,
    max_epochs: int = 100,
    epsilon: float = 0.5,
    seed: int = 2024,
) -> Iterator[Row]:
    """Train informed learners on a number of shadow aggregates, on raw and on clipped cells.

    Source: App. E, Fig. 22; clipped cells are ours.

    Parameters
    ----------
    context : None
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    sizes : sequence of int, default (500, FEW, 8000)
        Numbers of shadow aggregates.
    cells : int, default 60
        Number of the target's cells.
    n_test : int, default 10000
        Number of test aggregates.
    runs : int, default 3
        Number of runs.
    max_epochs : int, default 100
        Most passes of the training.
    epsilon : float, default 0.5
        ε of an observation.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        Columns: learner, accuracy, AUC.
    """
    run, n = unit
    fresh = informed_aggregates(n_test, cells, epsilon, seed, "learning", "fresh", run)
    train = informed_aggregates(n, cells, epsilon, seed, "learning", "train", run, n)
    validation = informed_aggregates(
        _held_out(n), cells, epsilon, seed, "learning", "held out", run, n
    )
    raw, cut = (nets.MetaClassifier(max_epochs=max_epochs, random_state=run) for _ in "ab")
    learners = {
        "one-threshold": (OneThreshold().fit(*train), fresh),
        "two-threshold": (TwoThreshold().fit(*train), fresh),
        "network": (raw.fit(*train, validation), fresh),
        "logistic, clipped": (LogisticRegression().fit(*_clip(train)), _clip(fresh)),
        "network, clipped": (cut.fit(*_clip(train), _clip(validation)), _clip(fresh)),
    }
    for name, (learner, (values, members)) in learners.items():
        found = _score_measures(members, learner.decision_function(values), True, False)
        yield {"learner": name, "accuracy": found["accuracy"], "AUC": found["AUC"]}


def _activations(context: None, activations: Sequence[str]) -> list[str]:
    return list(activations)


@experiment(
    "threshold-activations",
    unit=("activation",),
    units=_activations,
    tolerance=LEARNED,
    at_paper={"simulated": {"n_shadows": MANY, "n_test": 50_000}},
)
def activation(
    context: None,
    unit: str,
    *,
    activations: Sequence[str] = tuple(nets.ACTIVATIONS),
    n_shadows: int = FEW,
    cells: int = 60,
    n_test: int = 10_000,
    max_epochs: int = 100,
    epsilon: float = 0.5,
    seed: int = 2024,
) -> Iterator[Row]:
    """Train an informed network with another activation of its hidden nodes.

    Parameters
    ----------
    context : None
        The scenario, or None where no data are needed.
    unit : tuple
        The experiment's unit, as its decorator names it.
    activations : sequence of str, default tuple(nets.ACTIVATIONS)
        Names of activations.
    n_shadows : int, default FEW
        Number of shadow aggregates.
    cells : int, default 60
        Number of the target's cells.
    n_test : int, default 10000
        Number of test aggregates.
    max_epochs : int, default 100
        Most passes of the training.
    epsilon : float, default 0.5
        ε of an observation.
    seed : int, default 2024
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        Columns: accuracy, SE, passes, concentration.
    """
    train, fresh = (
        informed_aggregates(n, cells, epsilon, seed, "activations", use)
        for n, use in ((n_shadows, "train"), (n_test, "fresh"))
    )
    net = nets.MetaClassifier(activation=unit, max_epochs=max_epochs)
    held_out = _held_out(n_shadows)
    net.fit(*train, informed_aggregates(held_out, cells, epsilon, seed, "activations", "held out"))
    accuracy = float((net.predict(fresh[0]) == fresh[1]).mean())
    yield {
        "accuracy": accuracy,
        "SE": float(np.sqrt(accuracy * (1 - accuracy) / n_test)),
        "passes": net.epochs_,
        "concentration": nets.concentration(net.network_),
    }


# -- tables of a chapter, in memory ----------------------------------------------------------------


def exact_roc(epsilon: float, cells: int, lowest: float = 1e-3) -> pd.DataFrame:
    """Compute exact ROC curves of the informed attacker under Laplace noise.

    Parameters
    ----------
    epsilon : float
        ε of an observation.
    cells : int
        Number of the target's cells.
    lowest : float, default 0.001
        Lowest false positive rate.

    Returns
    -------
    pandas.DataFrame
        Index: false positive rate; a column for each attack and the DP bound.
    """
    rates = np.geomspace(lowest, 1, 61)
    noise, distribution = Laplace(epsilon), [score_distributions.NO_OTHERS] * cells
    curves = {
        "DP bound": 1 - accounting.trade_off(epsilon, cells, rates),
        "likelihood ratio": score_distributions.convolved_distribution(
            noise, distribution, score_distributions.log_ratio
        ).tpr(rates),
        "two-threshold": score_distributions.two_threshold_distribution(noise, distribution).tpr(
            rates
        ),
        "one-threshold": score_distributions.convolved_distribution(
            noise, distribution, score_distributions.identity_score
        ).tpr(rates),
    }
    return pd.DataFrame(curves, index=pd.Index(rates, name="false positive rate"))


def load_scenarios(
    sources: Mapping[str, str], *, group_size: int, n_cells: int, **fields: Any
) -> dict[str, Scenario]:
    """Load a scenario for each dataset.

    Parameters
    ----------
    sources : mapping of str to str
        Name to the file or dataset of the users.
    group_size : int
        Number of other users in a group.
    n_cells : int
        Number of the target's cells.
    **fields : object
        Fields of `Scenario`.

    Returns
    -------
    mapping of str to Scenario
        Name to scenario. Groups of tweeters have `group_size` others; flights are fewer, and have
        what `SIZES` says.
    """
    sizes = {name: SIZES[name] if name.startswith("flights") else group_size for name in sources}
    cells: dict[str, Any] = {
        "n_middle": n_cells,
        "n_positive": (n_cells,),
        "classifier_positive": (n_cells,),
    }
    return {
        name: load_scenario(name, users=users, group_size=sizes[name], **cells, **fields)
        for name, users in sources.items()
    }


def add_informed(scenes: Mapping[str, Scenario]) -> dict[str, Scenario]:
    """Put the informed attacker's scenario, on the first one's targets, before the scenarios.

    Parameters
    ----------
    scenes : mapping of str to Scenario
        Data to scenario.

    Returns
    -------
    mapping of str to Scenario
        Data to scenario.
    """
    return {INFORMED: replace(next(iter(scenes.values())), data=INFORMED)} | dict(scenes)


def limits(scenes: Mapping[str, Scenario]) -> dict[str, dict[str, float]]:
    """Compute exact accuracies for a scenario's cells.

    Parameters
    ----------
    scenes : mapping of str to Scenario
        Data to scenario.

    Returns
    -------
    mapping of str to mapping of str to float
        Data to "DP bound" and "informed" (the exact likelihood ratio).
    """
    found = {}
    for data, each in scenes.items():
        distribution = score_distributions.convolved_distribution(
            Laplace(each.epsilon),
            [score_distributions.NO_OTHERS] * each.middle,
            score_distributions.log_ratio,
        )
        bound = accounting.expected_accuracy(each.epsilon, each.middle)
        found[data] = {"DP bound": bound, "informed": distribution.accuracy()}
    return found


def one_game(of: Scenario, n: int) -> tuple[Labelled, Labelled, np.ndarray]:
    """Draw the first run's shadow aggregates and test aggregates, under Laplace noise.

    Parameters
    ----------
    of : Scenario
        The scenario.
    n : int
        Number of aggregates of each.

    Returns
    -------
    tuple
        Shadow aggregates and test aggregates, each shape (n, cells) with labels; and visits 0/1,
        shape (auxiliary users, cells).
    """
    game = _Trial(of, "Laplace", 0)
    test = game.draw(game.pools.target, n, of.middle)
    train = game.draw(game.pools.auxiliary, n, of.middle)
    cells = game.columns[: of.middle]
    return train, test, shadows.visits_at(of.traces, game.pools.auxiliary, cells)


POPULATIONS = {"assumed": "auxiliary", "true": "target"}  # whose counts give the distribution


def compare_populations(of: Scenario, n: int = 2000) -> pd.DataFrame:
    """Measure what a wrong population and correlated cells cost the likelihood ratio.

    A run's n test aggregates under Laplace noise are judged with the distribution of the auxiliary
    users' counts (assumed) and of the released users' (true); as they are, and with each cell
    permuted among the members' and among the non-members' aggregates, which keeps the cell's
    distribution and makes cells independent. Targets differ much: there are twice as many as the
    scenario's runs.

    Parameters
    ----------
    of : Scenario
        The scenario.
    n : int, default 2000
        Number of test aggregates of a run.

    Returns
    -------
    pandas.DataFrame
        Columns: run, crowd, what, value.
    """
    rows, of = [], replace(of, runs=min(2 * of.runs, of.traces.n_users))
    for run in range(of.runs):
        game, cells = _Trial(of, "Laplace", run), of.middle
        values, members = game.draw(game.pools.target, n, cells)
        rng = stream(of.seed, "crowds", of.data, run)
        alone = [rng.permuted(values[members == member], axis=0) for member in (1, 0)]
        for crowd, pool in POPULATIONS.items():
            visits = shadows.visits_at(of.traces, getattr(game.pools, pool), game.columns[:cells])
            others = shadows.sample_counts(visits, n, game.size, rng)
            ratio = LikelihoodRatio(game.mechanism, others).fit(values, members)
            joint = CorrelatedRatio(game.mechanism, visits, game.size).fit(values, members)
            scores = ratio.decision_function(values)
            apart, together = (
                float(((each >= 0) == members).mean())
                for each in (ratio.decision_function(np.concatenate(alone)), scores)
            )
            found = {
                "mean count of a cell": float(others.mean()),
                "mean correlation of two cells": _mean_correlation(others),
                "ratio, cells shuffled": apart,
                "ratio, as released": together,
                "lost to correlation": apart - together,
                "ratio, best threshold": _best_accuracy(members, scores),
                "correlated ratio": float((joint.predict(values) == members).mean()),
            }
            rows += [{"run": run, "crowd": crowd, "what": w, "value": v} for w, v in found.items()]
    return pd.DataFrame(rows)


def _mean_correlation(counts: np.ndarray) -> float:
    varying = counts[:, counts.var(axis=0) > 0].T
    if len(varying) < 2:
        return np.nan
    return float(np.corrcoef(varying)[np.triu_indices(len(varying), 1)].mean())


def _best_accuracy(members: np.ndarray, scores: np.ndarray) -> float:
    """Accuracy at the threshold that is best for these labels."""
    order = np.argsort(-scores, kind="stable")
    cuts = np.append(np.diff(scores[order]) != 0, True)  # a threshold separates no equal scores
    gained = np.cumsum(2 * members[order] - 1)[cuts]
    return float(((members == 0).sum() + max(0, gained.max())) / len(members))


def best_minus_network(rows: pd.DataFrame) -> pd.DataFrame:
    """Compute the accuracy of the best attack of `correlated` minus its network, paired by run.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of the experiment, stored or in memory.

    Returns
    -------
    pandas.DataFrame
        See `lib.papers.summaries.differences`. Where no other user is unknown the correlated ratio
        is the likelihood ratio.
    """
    return summaries.differences(
        rows, ["data"], "accuracy", ["run"], "attack", CORRELATED, "network"
    )


def name_networks(rows: pd.DataFrame) -> pd.DataFrame:
    """Name networks by their number of shadow aggregates.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `correlated`.

    Returns
    -------
    pandas.DataFrame
        The rows with other names of attacks.
    """
    sized = rows["attack"] + ", " + rows["shadows"].map("{:,}".format) + " shadows"
    return rows.assign(attack=rows["attack"].where(rows["attack"] != "network", sized))


def cell_densities(epsilon: float = 0.5) -> pd.DataFrame:
    """Compute the density of one cell of `EXAMPLE` under Laplace noise (Fig. 7).

    Parameters
    ----------
    epsilon : float, default 0.5
        ε of an observation.

    Returns
    -------
    pandas.DataFrame
        Index: value. Columns: (attacker, out or in).
    """
    x, found = np.linspace(-8, 40, 481), {}
    for attacker, (distribution, *_) in EXAMPLE.items():
        for member, name in enumerate(("out", "in")):
            logs = score_distributions.log_density(x - member, distribution, Laplace(epsilon))
            found[attacker, name] = np.exp(logs) * epsilon / 2
    return pd.DataFrame(found, index=pd.Index(x, name="value"))


def against_threshold(epsilon: float = 0.5) -> pd.DataFrame:
    """Compute accuracy and errors of the informed sum of 60 cells, by its normal distribution.

    Source: Fig. 9.

    Parameters
    ----------
    epsilon : float, default 0.5
        ε of an observation.

    Returns
    -------
    pandas.DataFrame
        Index: threshold, -60 to 120.
    """
    out, into = score_distributions.normal_score_distributions(
        Laplace(epsilon), EXAMPLE["informed"]
    )
    at = np.linspace(-60, 120, 37)
    found = {
        "accuracy": [score_distributions.accuracy(out, into, t) for t in at],
        "false positive rate": out.sf(at),
        "true positive rate": into.sf(at),
    }
    return pd.DataFrame(found, index=pd.Index(at, name="threshold"))


CORRELATED = "correlated ratio"
RIVALS = ("likelihood ratio", f"network, {FEW:,} shadows", f"network, {MANY:,} shadows")

STEPS = {  # of the gap: its cause -> from which attack to which
    "the noise": ("DP bound", "informed"),
    "the other users": ("informed", "correlated ratio"),
    "independence": ("correlated ratio", "likelihood ratio"),
    "two thresholds": ("likelihood ratio", "two-threshold"),
    "one threshold": ("two-threshold", "one-threshold"),
    "the network": ("one-threshold", "network"),
}


def network_source() -> str:
    """Describe data and date of the stored networks, for a caption.

    Returns
    -------
    str
        Text.
    """
    return weights.source(INFORMED).replace("hidden nodess", "networks")


def gap(rows: pd.DataFrame, exact: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """Decompose the gap from the DP bound to the network's accuracy into steps.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `correlated`, one number of shadow aggregates.
    exact : mapping of str to mapping of str to float
        Data to the accuracies "DP bound" and "informed", as `limits` gives them.

    Returns
    -------
    pandas.DataFrame
        Index: data, step. Columns: start (mean accuracy from which the step goes down), and
        `summaries.COLUMNS` of the step, paired by run. The informed attacker has neither other
        users nor dependent cells. What is exact has an interval without width.
    """
    parts = []
    for data, each in rows.groupby("data", sort=False):
        wide = each.pivot(index="run", columns="attack", values="accuracy")
        wide = wide.assign(**exact[str(data)])
        for step, (above, below) in STEPS.items():
            if data == INFORMED and "ratio" in below:
                continue
            if data == INFORMED and "ratio" in above:
                above = "informed"
            lost = pd.DataFrame({"data": data, "step": step, "lost": wide[above] - wide[below]})
            parts.append(lost.assign(start=wide[above].mean()))
    table = pd.concat(parts, ignore_index=True)
    found = summaries.means(table, ["data", "step"], "lost")
    starts = table.groupby(["data", "step"], sort=False)["start"].first()
    return found.assign(start=starts)


# -- summaries of the rows -------------------------------------------------------------------------


def select(rows: pd.DataFrame, **values: Any) -> pd.DataFrame:
    """Select the rows in which columns have given values.

    Parameters
    ----------
    rows : pandas.DataFrame
        A table.
    **values : object
        Column to value.

    Returns
    -------
    pandas.DataFrame
        The rows.
    """
    for column, value in values.items():
        rows = rows[rows[column] == value]
    return rows

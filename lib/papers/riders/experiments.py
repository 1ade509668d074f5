"""Membership and localization on ValleyBike's riders, with cabs and flights at the same settings.

The functions are those of the replications. They are stored under names of their own, because the
papers' tables must not contain a dataset that no paper used. The audit of the riders is stored with
the other audits (`lib.papers.audit.experiments`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lib import audit, metrics
from lib import localization as loc
from lib.aggregation import aggregate_cells, sample_member_groups
from lib.audit import games as audit_games
from lib.audit import measures, membership
from lib.datasets import load
from lib.execution.results import Row
from lib.membership.game import sample_targets
from lib.membership.knock_knock import score_classifiers
from lib.papers.aggregation_privacy import experiments as crowd
from lib.papers.audit.experiments import sample_group
from lib.papers.experiments import experiment
from lib.papers.knock_knock import experiments as kk
from lib.papers.knock_knock.experiments import GAME_SETTINGS, NEAR, PRIORS, Game
from lib.papers.settings import with_settings
from lib.papers.summaries import mean_and_error
from lib.randomness import stream
from lib.traces import Traces

RIDERS = "valleybike"
ALL_FOUR = (RIDERS, "cabspotting", "flights-by-number", "flights-by-tail")
N_USERS = 171  # riders in the four weeks; the same number of cabs and flights is drawn
ATTACKS = ("sum", "LR", "RF")


def population(data: str, n_users: int = N_USERS, seed: int = 2018) -> Traces:
    """Load a dataset and draw the same number of users as there are riders.

    What a group hides depends on how many others there are, so that datasets are compared at one
    size.

    Parameters
    ----------
    data : str
        Name of the dataset.
    n_users : int
        Number of users; all, if there are fewer.
    seed : int
        Seed of the draw.

    Returns
    -------
    lib.traces.Traces
        The users, with the report of all that was read.
    """
    traces = load(data)
    if traces.n_users <= n_users:
        return traces
    drawn = stream(seed, "riders-population", data).choice(traces.n_users, n_users, replace=False)
    return traces.select(users=traces.users[np.sort(drawn)])


@experiment(
    "riders-games",
    unit=("target",),
    units=kk.targets,
    load=population,
    tolerance=NEAR,
    loose_columns=("AUC",),
    at_paper={data: {"n_per_third": 5, "alpha": 0.5} for data in ALL_FOUR},
)
@with_settings(Game, *GAME_SETTINGS)
def games(game: Game, *, sizes: Sequence[int] = (10, 50)) -> Iterator[Row]:
    """Evaluate Knock-Knock's attack and the untrained sum on one target under every prior.

    Source: KK, Sec. IV to VI, on data that the paper does not have.

    Parameters
    ----------
    game : Game
        The target's games.
    sizes : sequence of int
        Group sizes; those that the population does not allow are left out.

    Returns
    -------
    iterator of dict
        A row for each game and attack. Columns: prior, group size, attack ("sum" under prior 1
        only), AUC.
    """
    first = kk.weeks(game.traces)[0]
    cells = game.traces.trace(game.traces.users[game.target])[:, np.asarray(first)]
    for prior, size in kk.possible(game.traces, game.share, sizes, sizes):
        rng = game.stream("riders-games", prior, size)
        found = game.task(prior, size, rng)
        scores = score_classifiers(found, rng, ATTACKS[1:])
        if prior == PRIORS[0]:
            scores = {"sum": (found.test * cells).sum(axis=(1, 2)), **scores}
        for attack, values in scores.items():
            auc = metrics.auc(found.test_members, values)
            yield {"prior": prior, "group size": size, "attack": attack, "AUC": auc}


def seen_in_first_week(traces: Traces, n_per_third: int = 3, seed: int = 2018) -> list[int]:
    """Draw targets from each third of the users by visits, who need not be seen again later.

    Candidates have at least four visits in the first week.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    n_per_third : int
        Number of targets from each third of the users by visits.
    seed : int
        Seed of the draw.

    Returns
    -------
    list of int
        Positions of the targets, the least active first.
    """
    visits = _first_week(traces).visits()
    rng = np.random.default_rng(seed)
    return sample_targets(traces, np.flatnonzero(visits >= 4), n_per_third, rng).tolist()


def _first_week(traces: Traces) -> Traces:
    """Select the first 168 hours."""
    return traces.select(epochs=np.asarray(kk.weeks(traces)[0]))


@experiment(
    "riders-sums",
    unit=("target",),
    units=seen_in_first_week,
    load=population,
    at_paper={data: {"n_per_third": 15} for data in ALL_FOUR},
)
@with_settings(Game, "data", "n_per_third", "seed")
def sums(
    game: Game, *, sizes: Sequence[int] = (10, 50, 100), n_groups: int = 1000
) -> Iterator[Row]:
    """Evaluate the untrained sum in groups of all users, and of a non-member control.

    The control is the sum over the cells of another user, who is in none of the groups: its AUC
    must be near 1/2.

    Parameters
    ----------
    game : Game
        The target's games.
    sizes : sequence of int
        Numbers of users in a group; those that leave nobody out are left out.
    n_groups : int
        Number of groups, half of them with the target.

    Returns
    -------
    iterator of dict
        A row for each size. Columns: group size, AUC, TPR (at an FPR of 1%), control (AUC), alone
        (the share of the target's cells in the first week that nobody else of all users visits);
        cells again (the share of these cells that the target visits in the second week, at the same
        hour), places again (the share of the places, at any hour of the second week).
    """
    week = _first_week(game.traces)
    rng = game.stream("riders-controls")
    movers = np.setdiff1d(np.flatnonzero(week.visits() > 0), [game.target])
    control = int(rng.choice(movers))
    pool = np.setdiff1d(np.arange(week.n_users), [control])
    own, others = (week.matrix[[user]].indices for user in (game.target, control))
    alone = float((aggregate_cells(week, np.arange(week.n_users)[None], own) == 1).mean())
    again = repeated(game.traces, game.target)
    for size in sizes:
        if size < len(pool):
            rng = game.stream("riders-sums", size)
            groups, members = sample_member_groups(pool, game.target, n_groups, size, rng)
            scores, other = (
                aggregate_cells(week, groups, each).sum(axis=1) for each in (own, others)
            )
            yield {
                "group size": size,
                "AUC": metrics.auc(members, scores),
                "TPR": metrics.tpr_at_fpr(members, scores, 0.01),
                "control": metrics.auc(members, other),
                "alone": alone,
                **again,
            }


def audited(data: str, n_users: int = 500, seed: int = 2018) -> Traces:
    """Load a dataset and draw the users whose records the stored audits examine.

    Parameters
    ----------
    data : str
        Name of the dataset.
    n_users : int
        Number of users; all, if there are fewer.
    seed : int
        Seed of the draw.

    Returns
    -------
    lib.traces.Traces
        The users.
    """
    return sample_group(load(data), n_users, seed)


@experiment("riders-thresholds", load=audited, at_paper={RIDERS: {}, "flights-by-number": {}})
def thresholds(people: Traces, unit: Any, *, fpr: float = 0.01, seed: int = 2018) -> Iterator[Row]:
    """Attack a quick audit's raw releases with the sum, and set its threshold in six ways.

    The same sums and the same releases are used each time; the first value is the audit's own.

    Parameters
    ----------
    people : lib.traces.Traces
        The users, as `audited` gives them.
    unit : object
        The experiment has one unit.
    fpr : float
        False positive rate that the attacker accepts.
    seed : int
        Seed of the audit.

    Returns
    -------
    iterator of dict
        A row for each way, and one for the difference between the last two. Columns: threshold,
        identified (mean share of members over targets) and its standard error, targets, FPR (the
        share of non-members that the threshold allows, or takes for members).
    """
    game = audit_games.Game(people, audit.parse("raw"), seed, quick=True)
    sums = membership.sum_of_cells(game, game.targets)
    counted = game.test.members[game.targets]
    for way, (identified, allowed) in _six_ways(game, sums, counted, fpr).items():
        known = identified[~np.isnan(identified)]  # of targets who are in some release
        mean, error = mean_and_error(known)
        row = {"threshold": way, "identified": mean, "identified se": error}
        yield row | {"targets": len(known), "FPR": allowed}


def _six_ways(
    game: audit_games.Game, sums: membership.Scores, counted: np.ndarray, fpr: float
) -> dict[str, tuple[np.ndarray, float]]:
    """Way of setting the threshold to each target's share identified, and the FPR."""
    assert sums.reference is not None  # the sum always has it
    in_shadow = game.shadow.members[game.targets]
    in_reference = np.zeros(sums.reference.shape, bool)  # no target is
    by_others = measures.standardize(sums.test, sums.reference, in_reference)
    by_pool = measures.standardize(sums.test, sums.shadow, in_shadow)
    seen = sums.reference.max(axis=1) > 0  # some reference person visits the target's cells
    highest = np.where(in_shadow, -np.inf, sums.shadow).max(axis=1, keepdims=True)
    above = np.ma.masked_array(sums.test > highest, ~counted)
    own = above.mean(axis=1).filled(np.nan)
    wrong = np.ma.masked_array(above.data, counted).mean(axis=1).filled(np.nan)
    wrongly = float(np.nanmean(wrong))
    rates = measures.detection_rates
    others, without = rates(by_others, counted, fpr), rates(by_others[seen], counted[seen], fpr)
    same, at_this_rate = (rates(by_pool, counted, each) for each in (fpr, wrongly))
    on_attacked = [metrics.tpr_at_fpr(*each, fpr) for each in zip(counted, sums.test, strict=True)]
    n_out = (~counted).sum(axis=1)
    allowed = float((np.floor(fpr * n_out) / n_out).mean())
    each_target = "a threshold for each target, set on"
    return {
        "one threshold, releases of other people": (others, fpr),
        "the same, without unseen targets": (without, fpr),
        "one threshold, releases of the same population": (same, fpr),
        f"{each_target} the attacked releases": (np.array(on_attacked), allowed),
        f"{each_target} shadow releases": (own, wrongly),
        "one threshold at this false positive rate": (at_this_rate, wrongly),
        "difference between the last two": (own - at_this_rate, wrongly),
    }


def repeated(traces: Traces, user: int) -> dict[str, float]:
    """Measure how much of a user's first week is visited again in the second.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    user : int
        Position of a user who is seen in the first week.

    Returns
    -------
    dict of float
        "cells again": the share of the cells, at the same hour a week later. "places again": the
        share of the places, at any hour.
    """
    trace = traces.trace(traces.users[user]) > 0
    one, two = (trace[:, np.asarray(week)] for week in kk.weeks(traces)[:2])
    cells, places = (one & two).sum() / one.sum(), one.any(axis=1) & two.any(axis=1)
    return {
        "cells again": float(cells),
        "places again": float(places.sum() / one.any(axis=1).sum()),
    }


@experiment(
    "riders-localization",
    unit=("goal", "prior"),
    units=lambda week: list(crowd.SELECTED_UNITS),
    load=crowd.load_week,
    at_paper={RIDERS: {}},
)
def localization(
    week: crowd.ObservedWeek, unit: tuple[str, str], *, delta: float = 0.5
) -> Iterator[Row]:
    """Locate the riders in the last week, and compare with always answering null.

    Source: Pyrgelis et al. (PETS 2017), Sec. 4, on data that the paper does not have. The control
    is ours; see `lib.papers.aggregation_privacy.experiments.compare_with_null`.

    Parameters
    ----------
    week : lib.papers.aggregation_privacy.experiments.ObservedWeek
        The riders, with null as a place, and the week that is inferred.
    unit : (str, str)
        Goal ("profiling" or "localization") and prior.
    delta : float, default 0.5
        Share of the prior that a place needs to be named (POP).

    Returns
    -------
    iterator of dict
        Rows of `compare_with_null`.
    """
    yield from crowd.compare_with_null.function(week, unit, delta=delta)


@experiment(
    "riders-out",
    unit=("prior",),
    units=lambda week: list(crowd.SELECTED_PRIORS),
    load=crowd.load_week,
    at_paper={RIDERS: {}},
)
def gains_on_a_bike(week: crowd.ObservedWeek, unit: str) -> Iterator[Row]:
    """Compare strategies that use the counts with the prior, in the hours on a bike.

    Parameters
    ----------
    week : lib.papers.aggregation_privacy.experiments.ObservedWeek
        The riders, with null as a place, and the week that is inferred.
    unit : str
        Name of a prior.

    Returns
    -------
    iterator of dict
        A row for each strategy. Columns: strategy; users who are seen in the week; the mean over
        them of the profiling error minus that of the prior, with its standard error.
    """
    known = week.prior(unit)

    def error_of(belief: loc.Profile) -> np.ndarray:
        return loc.profiling_error_by_epoch(belief, week.truth)

    seen = error_of(crowd.null_profile(known)) > 0
    ever, hours = seen.any(axis=1), seen.sum(axis=1)
    of_prior = error_of(known)
    for name, strategy in crowd.STRATEGIES.items():
        more = ((error_of(strategy(known, week.counts)) - of_prior) * seen).sum(axis=1)
        mean, error = mean_and_error(more[ever] / hours[ever])
        row = {"strategy": name, "users": int(ever.sum())}
        yield row | {"above prior": mean, "above prior se": error}

"""Localization attacks of the audit: where was each person at a given hour?

The attacker has observed everybody in the weeks before, and sees the counts of the last period. The
gain is the reduction of the error by the counts, as a share of the error without them. It is
compared with the gain for non-member controls, who move like the members but are not counted.
Every attack takes the audit's `Game` and returns a `Gain`.

Source: aggregation privacy, Sec. 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from lib import localization as loc
from lib.audit.games import Game
from lib.traces import Traces


class Gain(NamedTuple):
    """Reduction of an error by the counts.

    Parameters
    ----------
    members, controls : ndarray, shape (n_people,)
        Share of the mean error without counts, for each person.
    errors : dict of str to ndarray
        The members' errors without and with the counts.
    error : str
        What the error is, in words.
    """

    members: np.ndarray
    controls: np.ndarray
    errors: dict[str, np.ndarray]
    error: str
    unit: str = "share of the error without counts"
    control: str = "people who are not in the counts, localized in the same way"


_Errors = Callable[[loc.Profile, np.ndarray, Traces], tuple[np.ndarray, np.ndarray]]


def n_inferred_epochs(game: Game) -> int:
    """Choose how many epochs the attacker infers.

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    int
        The last week; the last half if there are fewer than two weeks.
    """
    n, day = game.traces.n_epochs, game.plan.shape.epochs_a_day
    return 7 * day if n >= 14 * day else n // 2


def split_users(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """Split users by membership in the first test release.

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    members, non_members : ndarray of int
        Sorted positions; at most as many non-members as members, drawn at random.
    """
    inside = np.flatnonzero(game.test.inside[:, 0])
    outside = np.flatnonzero(~game.test.inside[:, 0])
    outside = game.rng("outside").permutation(outside)[: len(inside)]
    return inside, np.sort(outside)


def _last_counts(game: Game, n_people: int) -> np.ndarray:
    """The last period's release as whole numbers, (n_rois + 1, n_epochs), with the null place.

    The attacker knows the number of members, and rounds and clips the counts.
    """
    counts = game.test.published[:, 0].reshape(game.shape)[:, -n_inferred_epochs(game) :]
    counts = np.clip(np.rint(counts), 0, n_people).astype(np.int64)
    return np.vstack([counts, np.maximum(n_people - counts.sum(axis=0), 0)])


def _prior(game: Game, people: np.ndarray) -> tuple[loc.Profile, Traces]:
    n = n_inferred_epochs(game)
    watched = game.traces.n_epochs - n
    kind = "ROI_DAY" if watched >= 7 * game.plan.shape.epochs_a_day else "FREQ_ROI"
    traces = game.traces.select(users=game.traces.users[people]).with_null()
    return loc.prior(traces, kind, n), loc.inference_period(traces, n)


def _gain(game: Game, errors: _Errors, words: str) -> Gain:
    """Errors before and after the attack, of members and of controls."""
    inside, outside = split_users(game)
    results = []
    for people in (inside, outside):
        prior, truth = _prior(game, people)
        counts = np.minimum(_last_counts(game, len(inside)), len(people))
        results.append(errors(prior, counts, truth))
    (before, after), (control_before, control_after) = results
    return Gain(
        (before - after) / max(float(before.mean()), 1e-12),
        (control_before - control_after) / max(float(control_before.mean()), 1e-12),
        {"without the counts": before, "with the counts": after},
        words,
    )


def _profiling(game: Game, infer: Callable[[loc.Profile, np.ndarray], loc.Profile]) -> Gain:
    def errors(
        prior: loc.Profile, counts: np.ndarray, truth: Traces
    ) -> tuple[np.ndarray, np.ndarray]:
        posterior = infer(prior, counts)
        return loc.profiling_error(prior, truth), loc.profiling_error(posterior, truth)

    return _gain(game, errors, "Jensen-Shannon distance between the true and the inferred profile")


def _localization(game: Game, infer: Callable[[loc.Profile, np.ndarray], loc.Profile]) -> Gain:
    def errors(
        prior: loc.Profile, counts: np.ndarray, truth: Traces
    ) -> tuple[np.ndarray, np.ndarray]:
        baselines = [
            loc.localization_error(rule, truth)
            for rule in (loc.popular(prior), loc.all_rois(prior))
        ]
        before = min(baselines, key=lambda each: float(each.mean()))
        return before, loc.localization_error(infer(prior, counts), truth)

    return _gain(game, errors, "share of hours and places missed or wrong (1 - F1)")


def bayes(game: Game) -> Gain:
    """Infer profiles by multiplying the prior by the counts (BAYES).

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    Gain
        Reduction of the profiling error.

    References
    ----------
    Aggregation privacy, Alg. 3.1.
    """
    return _profiling(game, loc.bayes)


def joint(game: Game) -> Gain:
    """Infer the profiles of maximum entropy that add up to the counts; not in the paper.

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    Gain
        Reduction of the profiling error.
    """
    return _profiling(game, lambda prior, counts: loc.max_entropy(prior, counts, sweeps=50))


def max_roi(game: Game) -> Gain:
    """Assign to each place its most probable users (MAX_ROI).

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    Gain
        Reduction of the localization error.

    References
    ----------
    Aggregation privacy, Alg. 3.2.
    """
    return _localization(game, loc.max_roi)


def max_user(game: Game) -> Gain:
    """Assign to each user, in order of activity, their most probable free places (MAX_USER).

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    Gain
        Reduction of the localization error.

    References
    ----------
    Aggregation privacy, Alg. 3.3.
    """
    return _localization(game, loc.max_user)

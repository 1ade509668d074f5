"""Where was she at a given hour? The crowd paper's strategies on one release of an audit.

The attacker has watched everybody in the weeks before, and sees the counts of the last one. Gain is
how much less she is off than without the counts, as a share of that error; beside it, the gain for
people who are not in the counts, who move like the crowd but did not make it.
Source: crowd, Sec. 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from lib import localization as loc
from lib.audit.games import Games
from lib.traces import Traces


class Gain(NamedTuple):
    """Shares of the error without counts, one a person; errors are the members', by name."""

    members: np.ndarray
    controls: np.ndarray
    errors: dict[str, np.ndarray]
    error: str  # what the error is, in words
    unit: str = "share of the error without counts"
    control: str = "people who are not in the counts, guessed in the same way"


def inferred_epochs(games: Games) -> int:
    """The last week (quick: two days); the last half where there are fewer than two weeks."""
    n, day = games.traces.n_epochs, games.plan.shape.epochs_a_day
    return games.sizes.days * day if n >= 14 * day else n // 2


def groups(games: Games) -> tuple[np.ndarray, np.ndarray]:
    """Who is in the first test release, and others, as many at most."""
    inside = np.flatnonzero(games.test.inside[:, 0])
    outside = np.flatnonzero(~games.test.inside[:, 0])
    outside = games.rng("outside").permutation(outside)[: len(inside)]
    return inside, np.sort(outside)


def last_counts(games: Games, n_people: int) -> np.ndarray:
    """The release of the last period as whole numbers, with null: those who were counted nowhere.

    (n_rois + 1, n_epochs). The attacker knows how many are in, and rounds and clips by herself.
    """
    shape = games.traces.n_rois, games.traces.n_epochs
    counts = games.test.published[:, 0].reshape(shape)[:, -inferred_epochs(games) :]
    counts = np.clip(np.rint(counts), 0, n_people).astype(np.int64)
    return np.vstack([counts, np.maximum(n_people - counts.sum(axis=0), 0)])


Guess = Callable[[loc.Profile, np.ndarray], loc.Profile]


def _prior(games: Games, people: np.ndarray) -> tuple[loc.Profile, Traces]:
    inference = inferred_epochs(games)
    watched = games.traces.n_epochs - inference
    kind = "ROI_DAY" if watched >= 7 * games.plan.shape.epochs_a_day else "FREQ_ROI"
    traces = games.traces.select(users=games.traces.users[people]).with_null()
    return loc.prior(traces, kind, inference), loc.inferred(traces, inference)


def _profiling(games: Games, guess: Guess) -> Gain:
    def errors(people: np.ndarray, n_members: int) -> tuple[np.ndarray, np.ndarray]:
        prior, truth = _prior(games, people)
        counts = np.minimum(last_counts(games, n_members), len(people))
        believed = guess(prior, counts)
        return loc.profiling_error(prior, truth), loc.profiling_error(believed, truth)

    return _gain(games, errors, "distance (Jensen-Shannon) between where she is and is believed")


def _localization(games: Games, guess: Guess) -> Gain:
    def errors(people: np.ndarray, n_members: int) -> tuple[np.ndarray, np.ndarray]:
        prior, truth = _prior(games, people)
        counts = np.minimum(last_counts(games, n_members), len(people))
        without = [
            loc.localization_error(rule, truth)
            for rule in (loc.popular(prior), loc.all_rois(prior))
        ]
        before = min(without, key=lambda each: float(each.mean()))
        return before, loc.localization_error(guess(prior, counts), truth)

    return _gain(games, errors, "share of her hours and places missed or wrong (1 - F1)")


def _gain(
    games: Games, errors: Callable[[np.ndarray, int], tuple[np.ndarray, np.ndarray]], words: str
) -> Gain:
    inside, outside = groups(games)
    before, after = errors(inside, len(inside))
    others_before, others_after = errors(outside, len(inside))
    scale = max(float(before.mean()), 1e-12)
    return Gain(
        (before - after) / scale,
        (others_before - others_after) / max(float(others_before.mean()), 1e-12),
        {"without the counts": before, "with the counts": after},
        words,
    )


def bayes(games: Games) -> Gain:
    """The prior times the counts. Source: crowd, Alg. 3.1"""
    return _profiling(games, loc.bayes)


def joint(games: Games) -> Gain:
    """Beliefs about everybody that add up to the counts; not in the paper."""
    return _profiling(games, lambda prior, counts: loc.max_entropy(prior, counts, sweeps=50))


def max_roi(games: Games) -> Gain:
    """Each place takes its most probable people. Source: crowd, Alg. 3.2"""
    return _localization(games, loc.max_roi)


def max_user(games: Games) -> Gain:
    """Each person, the most reported first, takes the places she may be in. Source: crowd, 3.3"""
    return _localization(games, loc.max_user)

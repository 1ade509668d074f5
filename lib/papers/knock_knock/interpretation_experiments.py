"""Interpretations of what the Knock-Knock paper leaves open: the score of an AUC, and the MRE.

Every declared interpretation is evaluated on all of the paper's numbers that it can change.

Scores: scikit-learn offers a margin, two columns of probabilities and a label. In double precision
probabilities tie where margins do not, and those of "out" do so at both ends.
Errors: Python 2 rounds the quotient of two whole numbers down. A release may be clipped to the
group size or to the number of all users. There are four sanity bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.special import expit

from lib import metrics
from lib.execution.results import Row
from lib.membership import features
from lib.membership.game import Task
from lib.membership.knock_knock import make_classifier
from lib.membership.selection import eliminate
from lib.papers.experiments import experiment
from lib.papers.knock_knock.defense_experiments import (
    RELEASE_SETTINGS,
    RELEASES,
    NoisyRelease,
    at_budgets,
    round_and_clip,
)
from lib.papers.knock_knock.defense_experiments import population as first_week
from lib.papers.knock_knock.experiments import (
    GAME_SETTINGS,
    NEAR,
    PAPER,
    PRIORS,
    Game,
    population,
    possible,
    targets,
)
from lib.papers.settings import with_settings

# What a margin, log(p / (1 - p)), becomes; larger for a member.
READINGS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "the margin": lambda margin: margin,
    "the probability of in": expit,
    "the probability of out": lambda margin: -(1 - expit(margin)),
    "the probability of in, to 8 digits": lambda margin: expit(margin).round(8),
    "the label": lambda margin: (margin > 0).astype(float),
}
PUBLISHED = (  # the games of which the paper prints a number on the cabs
    *((PRIORS[0], size) for size in (10, 50, 100)),
    *((PRIORS[1], size) for size in (5, 10, 500)),
    *((PRIORS[2], size) for size in (5, 300, 500)),
)


@experiment(
    "kk-readings",
    paper="kk",
    answers=("Fig. 4", "Fig. 7", "Fig. 10"),
    unit=("target",),
    units=targets,
    load=population,
    tolerance=NEAR,
    loose_columns=("MLP",),
    at_paper={"cabspotting": {"n_per_third": 50, **PAPER}},
)
@with_settings(Game, *GAME_SETTINGS)
def readings(game: Game, *, played: Sequence[tuple[str, int]] = PUBLISHED) -> Iterator[Row]:
    """Score logistic regression and the network of `games` under every interpretation of the score.

    Random forest and nearest neighbours have few distinct scores, whose ties are the same under
    all.

    Parameters
    ----------
    game : lib.papers.knock_knock.experiments.Game
        The target's games.
    played : sequence of (str, int)
        Prior and group size; those that the population does not allow are left out.

    Returns
    -------
    iterator of dict
        A row for each game and score. Columns: prior, group size, score, LR and MLP (their AUC).
    """
    sizes = sorted({size for _, size in played})
    allowed = possible(game.traces, game.share, sizes, sizes)
    for prior, size in [(each[0], each[1]) for each in played]:
        if (prior, size) not in allowed:
            continue
        rng = game.stream("kk-games", prior, size)
        found = game.task(prior, size, rng)
        margins = _margins(found, int(rng.integers(2**31)))
        for score, read in READINGS.items():
            each = {name: metrics.auc(found.test_members, read(m)) for name, m in margins.items()}
            yield {"prior": prior, "group size": size, "score": score, **each}


def _margins(found: Task, seed: int) -> dict[str, np.ndarray]:
    """The margins of LR and of the network, as `knock_knock.score_classifiers` fits them."""
    train, test = features.extract(found.train), features.extract(found.test)
    kept = eliminate(train, found.train_members, found.n_samples, 0.1)
    train, test = train[:, kept], test[:, kept]
    margins = {"LR": make_classifier("LR", seed).fit(train, found.train_members)}
    scores = {name: model.decision_function(test) for name, model in margins.items()}
    network = make_classifier("MLP", seed).fit(train, found.train_members)
    return scores | {"MLP": _before_the_last(network, test)}


def _before_the_last(network: object, rows: np.ndarray) -> np.ndarray:
    """Input of the network's last node, before it becomes a probability."""
    scale, layers = network[:-1], network[-1]  # type: ignore[index]
    rows = scale.transform(rows)
    hidden = np.maximum(rows @ layers.coefs_[0] + layers.intercepts_[0], 0.0)
    return (hidden @ layers.coefs_[1] + layers.intercepts_[1]).ravel()


# -- errors ----------------------------------------------------------------------------------------

DIVISIONS = "true", "whole numbers"
WITHIN = "the group's size", "everybody"
BOUNDS = ("0.1% of the ROI", "0.5 users", "1 user", "0.1% of the mean ROI")


def relative_errors(raw: np.ndarray, released: np.ndarray, division: str) -> dict[str, float]:
    """Compute the MRE (KK, Eq. 7) under each of `BOUNDS`, leaving out ROIs that nobody visited.

    Parameters
    ----------
    raw, released : ndarray of int, shape (n_rois, n_epochs)
        Counts.
    division : {"true", "whole numbers"}
        "whole numbers" rounds down where the count is at least the bound, as Python 2 divides.

    Returns
    -------
    dict of float
        The MRE by the name of the bound.

    Examples
    --------
    >>> relative_errors(np.array([[2, 0]]), np.array([[5, 1]]), "true")["1 user"]
    1.25
    >>> relative_errors(np.array([[2, 0]]), np.array([[5, 1]]), "whole numbers")["1 user"]
    1.0
    """
    seen = raw.sum(axis=1) > 0
    raw, error = raw[seen], np.abs(released - raw)[seen]
    own = 0.001 * raw.sum(axis=1, keepdims=True)
    found = {}
    for name, bound in zip(BOUNDS, (own, 0.5, 1.0, own.mean()), strict=True):
        ratio = error / np.maximum(bound, raw)
        if division == "whole numbers":
            ratio = np.where(raw >= bound, np.floor(ratio), ratio)
        found[name] = float(ratio.mean())
    return found


@experiment(
    "kk-errors-readings",
    paper="kk",
    answers=("Table III",),
    unit=("mechanism", "ε"),
    units=at_budgets,
    load=first_week,
    at_paper={"cabspotting": RELEASES["cabspotting"]},
)
@with_settings(NoisyRelease, *RELEASE_SETTINGS, catalogues=("printed",))
def error_readings(of: NoisyRelease) -> Iterator[Row]:
    """Compute the errors of the releases of `errors` under every interpretation of the MRE.

    Source: KK, Eq. 7, Table III.

    Parameters
    ----------
    of : NoisyRelease
        The releases.

    Returns
    -------
    iterator of dict
        A row for each release and interpretation. Columns: division, within (the upper limit of
        counts), release, the MRE under each of `BOUNDS`.
    """
    raw, noisy = of.counts()
    for within, most in zip(WITHIN, (of.group_size, of.week.n_users), strict=True):
        whole = round_and_clip(noisy, most)
        for division in DIVISIONS:
            for i, (one, other) in enumerate(zip(raw, whole, strict=True)):
                yield {
                    "division": division,
                    "within": within,
                    "release": i,
                    **relative_errors(one, other, division),
                }

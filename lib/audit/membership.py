"""Membership inference attacks of the audit, vectorised over people.

Each attack scores people in the test releases and in the shadow releases, which show what is usual
without them. `lib.membership` has the attacks as their papers define them, for one target each.
The *normal* likelihood ratios approximate the distribution of a count by a normal one; for additive
noise the exact ratios are `lib.membership.LikelihoodRatio` and `lib.membership.CorrelatedRatio`.
Every attack takes ``(game, people)``: the audit's `Game` and positions of people, int (n_people,).
It returns `Scores`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, sparse

from lib.audit.games import Game, SimulatedReleases
from lib.mechanisms import FourierPerturbation, Gaussian, PostProcess
from lib.membership.features import extract
from lib.membership.knock_knock import make_classifier
from lib.membership.marginals import EmptyRelease
from lib.membership.meta_classifier import MetaClassifier
from lib.membership.selection import eliminate
from lib.membership.zero_knowledge import ZeroKnowledge
from lib.validation import MAX_CELLS

_OWN = 0.25  # variance of a count from one person's random label
_LEAST = 0.02  # variance of a count that only the target could change
_DIGITS = 2  # of the informed attacker's scores; published counts have single precision
_ZK_TRAIN = 100  # releases that a zero-knowledge attacker synthesises for training
_MAX_CELLS = 1_000  # cells of a person that the correlated ratio uses, at most


class Scores(NamedTuple):
    """Scores of people in all releases; higher values indicate membership.

    Parameters
    ----------
    people : ndarray of int, shape (n_people,)
        Positions.
    test, shadow : ndarray, shape (n_people, n_releases)
        Scores in the test and in the shadow releases.
    """

    people: np.ndarray
    test: np.ndarray
    shadow: np.ndarray


Attack = Callable[[Game, np.ndarray], Scores]
_View = Callable[[SimulatedReleases], np.ndarray]


def _sum(game: Game, people: np.ndarray, view: _View) -> Scores:
    """Sums of a view of the releases over each person's visits, whether counted or not."""
    visits = sparse.csr_array(game.traces.matrix[people].astype(np.float32))
    test, shadow = (visits @ view(releases) for releases in (game.test, game.shadow))
    return Scores(people, test, shadow)


# -- the target's cells ----------------------------------------------------------------------------


def sum_of_cells(game: Game, people: np.ndarray) -> Scores:
    """Sum the counts of the target's cells.

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        The sums.

    References
    ----------
    Threshold paper, Eq. 4.
    """
    return _sum(game, people, lambda releases: releases.published)


def one_threshold(game: Game, people: np.ndarray) -> Scores:
    """Sum the counts of the target's cells after subtracting the known users.

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        The sums.

    References
    ----------
    Threshold paper, Alg. 2.
    """
    return _sum(game, people, lambda releases: releases.remainder)


def two_threshold(game: Game, people: np.ndarray) -> Scores:
    """Count the target's cells whose counts, known users subtracted, are above their mean.

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        Numbers of cells.

    References
    ----------
    Threshold paper, Alg. 4-5.
    """
    mean = game.shadow.remainder.mean(axis=1, keepdims=True)
    return _sum(game, people, lambda releases: (releases.remainder >= mean).astype(np.float32))


def _normal_ratio(game: Game, people: np.ndarray, view: _View) -> Scores:
    """Excess of each count over its mean, divided by its variance, summed over the visits."""
    shadow = view(game.shadow)
    mean = shadow.mean(axis=1, keepdims=True)
    variance = np.maximum(shadow.var(axis=1, keepdims=True) - _OWN, _LEAST)
    return _sum(game, people, lambda releases: (view(releases) - mean) / variance)


def normal_likelihood_ratio(game: Game, people: np.ndarray) -> Scores:
    """Compute the log-likelihood ratio of the target's cells in a normal approximation.

    Counts are taken to be normal and independent.

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        Log-likelihood ratios.

    References
    ----------
    Threshold paper, Eq. 8-9, with a normal distribution in place of the exact one.
    """
    return _normal_ratio(game, people, lambda releases: releases.published)


def normal_likelihood_ratio_known_users(game: Game, people: np.ndarray) -> Scores:
    """Compute the normal likelihood ratio after subtracting the known users.

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        Log-likelihood ratios.
    """
    return _normal_ratio(game, people, lambda releases: releases.remainder)


def correlated_normal_ratio(game: Game, people: np.ndarray) -> Scores:
    """Compute the log-likelihood ratio for normal counts that are correlated between cells.

    The covariance is that of the other users' random labels, plus noise; so users who share several
    of the target's cells count once. `lib.membership.CorrelatedRatio` is the exact mixture, for
    additive noise and few cells.

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        Log-likelihood ratios.
    """
    by_user = sparse.csr_array(game.traces.matrix.astype(np.float32))
    pool = sparse.csc_array(by_user[game.pool])
    shadow, test = game.shadow.published, game.test.published
    inside = np.isin(np.arange(game.traces.n_users), game.pool)
    scores = [np.empty((len(people), game.n_releases), np.float32) for _ in range(2)]
    for row, person in enumerate(people):
        cells = by_user[[person]].indices
        cells = cells[:: math.ceil(max(len(cells), 1) / _MAX_CELLS)]
        visits = pool[:, cells]
        covariance = _OWN * np.asarray((visits.T @ visits).todense(), float)
        if inside[person]:  # the target is not one of the other users
            covariance -= _OWN
        weights = _weights(covariance, shadow[cells])
        mean = shadow[cells].mean(axis=1)
        for out, published in zip(scores, (test, shadow), strict=True):
            out[row] = weights @ published[cells] - weights @ mean
    return Scores(people, *scores)


def _weights(covariance: np.ndarray, published: np.ndarray) -> np.ndarray:
    """Weights of the best linear test; variance beyond the other users' is taken as noise."""
    if not len(covariance):
        return np.zeros(0)
    noise = published.var(axis=1) - _OWN - covariance.diagonal()
    covariance = covariance + np.diag(np.maximum(noise, 0.0) + _LEAST)
    return linalg.solve(covariance, np.ones(len(covariance)), assume_a="pos")


def informed_likelihood_ratio(game: Game, people: np.ndarray) -> Scores:
    """Compute the log-likelihood ratio for an attacker who knows every other member.

    The score tells whether the release is nearer to the counts with the target or without: absolute
    distance for Laplace noise, squared for Gaussian noise, which is the log-likelihood ratio up to
    a factor. Without noise the attack is certain wherever the target changes the release.

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        Scaled log-likelihood ratios.

    References
    ----------
    Threshold paper, Sec. 3.2 (the informed attacker).
    """
    by_user = game.bounded.matrix
    scores = [np.zeros((len(people), game.n_releases)) for _ in range(2)]
    for row, person in enumerate(people):
        cells = by_user[[person]].indices
        for out, releases in zip(scores, (game.test, game.shadow), strict=True):
            out[row] = _nearer(game, releases, person, cells)
    return Scores(people, *scores)


def _nearer(game: Game, releases: SimulatedReleases, person: int, cells: np.ndarray) -> np.ndarray:
    others = releases.raw[cells].astype(np.int32) - releases.inside[person]
    published = releases.published[cells].astype(float)
    without, with_target = (
        published - game.plan.without_noise(each, game.group_size) for each in (others, others + 1)
    )
    power = 2 if isinstance(game.plan.noise, Gaussian | FourierPerturbation) else 1
    nearer = (np.abs(without) ** power - np.abs(with_target) ** power).sum(axis=0)
    return nearer.round(_DIGITS)  # the last digits of floating-point noise are not attacked


# -- learned attacks -------------------------------------------------------------------------------


def _periods(game: Game) -> list[slice]:
    """The weeks of the period, the last first; halves if there are fewer than two weeks."""
    n, day = game.traces.n_epochs, game.plan.shape.epochs_a_day
    length = 7 * day if n >= 14 * day else n // 2
    return [slice(n - (i + 1) * length, n - i * length) for i in range(n // length)]


def _features(game: Game, releases: SimulatedReleases, period: slice) -> np.ndarray:
    counts = releases.published.reshape(*game.shape, -1)[:, period].transpose(2, 0, 1)
    return extract(np.ascontiguousarray(counts))


def _train_and_score(
    people: np.ndarray, train: np.ndarray, labels: np.ndarray, tests: list[np.ndarray]
) -> Scores:
    """Logistic regression of each person on the features that elimination keeps."""
    scores = [np.zeros((len(people), len(test))) for test in tests]
    for row, person in enumerate(people):
        members = labels[person].astype(int)
        if not 0 < members.sum() < len(members):
            continue
        kept = eliminate(train, members, len(train))
        model = make_classifier("LR", 0).fit(train[:, kept], members)
        for out, test in zip(scores, tests, strict=True):
            out[row] = model.decision_function(test[:, kept])
    return Scores(people, *scores)


def knock_knock_prior_1(game: Game, people: np.ndarray) -> Scores:
    """Train Knock-Knock on groups of the same period (prior 1, traces of a subset of users).

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        Scores of logistic regression.

    References
    ----------
    KK, Sec. IV.
    """
    half = game.shadow.members.shape[1] // 2
    whole = slice(0, game.traces.n_epochs)
    train, test = _features(game, game.shadow, whole), _features(game, game.test, whole)
    return _train_and_score(people, train[:half], game.shadow.members[:, :half], [test, train])


def _from_past(game: Game, people: np.ndarray, past: SimulatedReleases) -> Scores:
    last, before = _periods(game)[:2]
    train = _features(game, past, before)
    tests = [_features(game, releases, last) for releases in (game.test, game.shadow)]
    return _train_and_score(people, train, past.members, tests)


def knock_knock_prior_2a(game: Game, people: np.ndarray) -> Scores:
    """Train Knock-Knock on the same groups a week earlier (prior 2a).

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        Scores of logistic regression.

    References
    ----------
    KK, Sec. IV.
    """
    return _from_past(game, people, game.test)


def knock_knock_prior_2b(game: Game, people: np.ndarray) -> Scores:
    """Train Knock-Knock on other groups a week earlier (prior 2b).

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        Scores of logistic regression.

    References
    ----------
    KK, Sec. IV.
    """
    return _from_past(game, people, game.shadow)


def meta_classifier(game: Game, people: np.ndarray) -> Scores:
    """Train a small neural network on the target's cells after subtracting the known users.

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        Scores of the network.

    References
    ----------
    Threshold paper, Sec. 2.3.3.
    """
    scores = [np.zeros((len(people), game.n_releases)) for _ in range(2)]
    for row, person in enumerate(people):
        cells = game.traces.matrix[[person]].indices
        labels = game.shadow.members[person].astype(int)
        if not len(cells) or not 2 < labels.sum() < len(labels) - 2:
            continue
        model = MetaClassifier(hidden=min(len(cells), 32), max_epochs=40, patience=4)
        model.fit(game.shadow.remainder[cells].T, labels)
        for out, releases in zip(scores, (game.test, game.shadow), strict=True):
            out[row] = model.decision_function(releases.remainder[cells].T)
    return Scores(people, *scores)


def zero_knowledge(game: Game, people: np.ndarray) -> Scores:
    """Train on traces that are synthesised from the release itself.

    Parameters
    ----------
    game, people
        See the module.

    Returns
    -------
    Scores
        Scores of the attack; 0 if the release is empty.

    References
    ----------
    ZK (zero auxiliary knowledge).
    """
    plan = game.plan
    tidy = PostProcess("nearest", True)
    bound = [] if plan.bound is None else [plan.bound]
    noise = [] if plan.noise is None else [plan.noise]
    mechanisms: list[Any] = [*bound, *noise, tidy, *(m for m in plan.after if m != tidy)]
    size = max(2, len(game.pool) // 2)
    published = [
        np.clip(np.rint(np.ascontiguousarray(releases.published.T)), 0, size)
        for releases in (game.test, game.shadow)
    ]
    releases = [each.reshape(-1, *game.shape) for each in published]
    scores = [np.zeros((len(people), game.n_releases)) for _ in range(2)]
    for row, person in enumerate(people):
        attack = ZeroKnowledge(
            game.traces.trace(game.traces.users[person]),
            game.traces.rois,
            mechanisms,
            size,
            game.rng("zero-knowledge", int(person)),
            n_traces=max(2 * size, 500),
            epochs=game.traces.epochs,
            n_train=_ZK_TRAIN,
            n_validation=_ZK_TRAIN // 2,
        )
        try:
            attack.fit(releases[0][0])
        except EmptyRelease:  # nothing to learn from: the same score for everybody
            continue
        for out, each in zip(scores, releases, strict=True):
            # -inf, for a count of 0 that excludes the target, is made finite
            out[row] = np.maximum(attack.decision_function(each), -MAX_CELLS)
    return Scores(people, *scores)

"""Was she among those who were counted? Every membership attack of the book on the same releases.

Each attack gives scores of people in releases, (people, releases), for the test releases and for
the shadow releases, which say what is usual without her. See `lib.membership` for the attacks as
their papers define them; here those that can be are computed for all people at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, sparse

from lib.audit.games import Games, Played
from lib.mechanisms import FourierPerturbation, Gaussian, PostProcess
from lib.membership.features import extract
from lib.membership.knock_knock import make_classifier
from lib.membership.marginals import EmptyRelease
from lib.membership.meta_classifier import MetaClassifier
from lib.membership.selection import eliminate
from lib.membership.zero_knowledge import ZeroKnowledge
from lib.validation import MAX_CELLS

_OWN = 0.25  # variance that one person's own coin adds to a count
_LEAST = 0.02  # variance of a count that only she could change
_DIGITS = 2  # of the informed attacker's scores; published counts have single precision
_ZK_TRAIN = 100  # releases that each zero-knowledge attacker makes herself to learn from
_COMPANIONS = 1_000  # cells of a person that the correlated ratio looks at, at most


class Scores(NamedTuple):
    """people (positions), and their scores in the test and in the shadow releases."""

    people: np.ndarray
    test: np.ndarray
    shadow: np.ndarray


Attack = Callable[[Games, np.ndarray], Scores]  # of these people


def _visits(games: Games, people: np.ndarray) -> sparse.csr_array:
    """What is known of these people: all they did, whether it was counted or not; float32."""
    return sparse.csr_array(games.traces.matrix[people].astype(np.float32))


def _both(games: Games, people: np.ndarray, of: Callable[[Played], np.ndarray]) -> Scores:
    visits = _visits(games, people)
    test, shadow = (visits @ of(played) for played in (games.test, games.shadow))
    return Scores(people, test, shadow)


# -- her cells -------------------------------------------------------------------------------------


def sum_of_cells(games: Games, people: np.ndarray) -> Scores:
    """The sum of the counts where and when she was. Source: threshold paper, Eq. 4"""
    return _both(games, people, lambda played: played.published)


def one_threshold(games: Games, people: np.ndarray) -> Scores:
    """The same sum, less the known others. Source: threshold paper, Alg. 2"""
    return _both(games, people, lambda played: played.remainder)


def two_threshold(games: Games, people: np.ndarray) -> Scores:
    """How many of her counts are above their usual height. Source: threshold paper, Alg. 4-5"""
    usual = games.shadow.remainder.mean(axis=1, keepdims=True)
    return _both(games, people, lambda played: (played.remainder >= usual).astype(np.float32))


def _normal_evidence(games: Games, of: Callable[[Played], np.ndarray]) -> Callable[..., np.ndarray]:
    """Each count's distance from the usual one, over its variance: a normal count's log ratio."""
    shadow = of(games.shadow)
    usual = shadow.mean(axis=1, keepdims=True)
    spread = np.maximum(shadow.var(axis=1, keepdims=True) - _OWN, _LEAST)
    return lambda played: (of(played) - usual) / spread


def ratio_of_crowd(games: Games, people: np.ndarray) -> Scores:
    """The log-likelihood ratio of her cells as if counts were normal and independent.

    Source: threshold paper, Eq. 8-9, with a normal law in place of the exact one.
    """
    return _both(games, people, _normal_evidence(games, lambda played: played.published))


def ratio_of_some(games: Games, people: np.ndarray) -> Scores:
    """The same of what is left when the known others are taken away."""
    return _both(games, people, _normal_evidence(games, lambda played: played.remainder))


def correlated_ratio(games: Games, people: np.ndarray) -> Scores:
    """The log-likelihood ratio of her cells together: people who share several of them count once.

    Normal counts with the covariance that coins for everybody else give, and the noise.
    `lib.membership.CorrelatedRatio` is the exact mixture, for additive noise and few cells.
    """
    by_user = sparse.csr_array(games.traces.matrix.astype(np.float32))
    pool = sparse.csc_array(by_user[games.pool])
    shadow, test = games.shadow.published, games.test.published
    inside = np.isin(np.arange(games.traces.n_users), games.pool)
    scores = [np.empty((len(people), games.n_releases), np.float32) for _ in range(2)]
    for row, person in enumerate(people):
        cells = by_user[[person]].indices
        cells = cells[:: math.ceil(max(len(cells), 1) / _COMPANIONS)]
        mates = pool[:, cells]
        together = _OWN * np.asarray((mates.T @ mates).todense(), float)
        if inside[person]:  # she is not one of the others
            together -= _OWN
        weights = _weights(together, shadow[cells])
        usual = shadow[cells].mean(axis=1)
        for out, released in zip(scores, (test, shadow), strict=True):
            out[row] = weights @ released[cells] - weights @ usual
    return Scores(people, *scores)


def _weights(others: np.ndarray, released: np.ndarray) -> np.ndarray:
    """What the best linear test weighs her cells by: the inverse covariance times her visits.

    others  (cells, cells) covariance that everybody else's coins give; what a count varies beyond
    it is noise
    """
    if not len(others):
        return np.zeros(0)
    beyond = released.var(axis=1) - _OWN - others.diagonal()
    covariance = others + np.diag(np.maximum(beyond, 0.0) + _LEAST)
    return linalg.solve(covariance, np.ones(len(covariance)), assume_a="pos")


# -- everybody else known --------------------------------------------------------------------------


def informed_ratio(games: Games, people: np.ndarray) -> Scores:
    """Is what was published nearer to the counts with her, or without? The worst case.

    For Laplace noise the distance is absolute, for Gaussian noise squared: the exact log ratio up
    to a factor; without noise it is certain wherever she changes anything.
    Source: threshold paper, Sec. 3.2 (the informed attacker).
    """
    by_user = games.bounded.matrix
    scores = [np.zeros((len(people), games.n_releases)) for _ in range(2)]
    for row, person in enumerate(people):
        cells = by_user[[person]].indices
        for out, played in zip(scores, (games.test, games.shadow), strict=True):
            out[row] = _nearer(games, played, person, cells)
    return Scores(people, *scores)


def _nearer(games: Games, played: Played, person: int, cells: np.ndarray) -> np.ndarray:
    others = played.raw[cells].astype(np.int32) - played.inside[person]
    released = played.published[cells].astype(float)
    without, with_her = (
        released - games.plan.without_noise(each, games.group_size) for each in (others, others + 1)
    )
    power = 2 if isinstance(games.plan.noise, Gaussian | FourierPerturbation) else 1
    nearer = (np.abs(without) ** power - np.abs(with_her) ** power).sum(axis=0)
    return nearer.round(_DIGITS)  # the last digits of floating-point noise are not attacked


# -- learned attacks -------------------------------------------------------------------------------


def _periods(games: Games) -> list[slice]:
    """The weeks of the period, the last first; halves where there are fewer than two weeks."""
    n, day = games.traces.n_epochs, games.plan.shape.epochs_a_day
    length = 7 * day if n >= 14 * day else n // 2
    return [slice(n - (i + 1) * length, n - i * length) for i in range(n // length)]


def _features(games: Games, played: Played, part: slice) -> np.ndarray:
    shape = games.traces.n_rois, games.traces.n_epochs
    counts = played.published.reshape(*shape, -1)[:, part].transpose(2, 0, 1)
    return extract(np.ascontiguousarray(counts))


def _learned(
    people: np.ndarray, train: np.ndarray, labels: np.ndarray, tests: list[np.ndarray]
) -> list[np.ndarray]:
    """Each person's logistic regression on the features that elimination leaves: their scores."""
    found = [np.zeros((len(people), len(test))) for test in tests]
    for row, person in enumerate(people):
        members = labels[person].astype(int)
        if not 0 < members.sum() < len(members):
            continue
        kept = eliminate(train, members, len(train))
        model = make_classifier("LR", 0).fit(train[:, kept], members)
        for out, test in zip(found, tests, strict=True):
            out[row] = model.decision_function(test[:, kept])
    return found


def _knock_knock(
    games: Games, people: np.ndarray, learn: Played, before: slice, judged: slice
) -> Scores:
    train = _features(games, learn, before)
    tests = [_features(games, played, judged) for played in (games.test, games.shadow)]
    return Scores(people, *_learned(people, train, learn.members, tests))


def knock_knock_subset(games: Games, people: np.ndarray) -> Scores:
    """Knock-Knock, prior 1: groups of people like these, of the same period. Source: KK, Sec. IV"""
    shadow = games.shadow
    half = shadow.members.shape[1] // 2
    whole = slice(0, games.traces.n_epochs)
    train, test = _features(games, shadow, whole), _features(games, games.test, whole)
    scores = _learned(people, train[:half], shadow.members[:, :half], [test, train])
    return Scores(people, *scores)


def knock_knock_same(games: Games, people: np.ndarray) -> Scores:
    """Knock-Knock, prior 2: the same groups a week earlier. Source: KK, Sec. IV"""
    last, before = _periods(games)[:2]
    return _knock_knock(games, people, games.test, before, last)


def knock_knock_different(games: Games, people: np.ndarray) -> Scores:
    """Knock-Knock, prior 3: other groups a week earlier. Source: KK, Sec. IV"""
    last, before = _periods(games)[:2]
    return _knock_knock(games, people, games.shadow, before, last)


def meta_classifier(games: Games, people: np.ndarray) -> Scores:
    """A small neural network on her cells, less the known others. Source: threshold paper, 2.3.3"""
    found = [np.zeros((len(people), games.n_releases)) for _ in range(2)]
    for row, person in enumerate(people):
        cells = games.traces.matrix[[person]].indices
        labels = games.shadow.members[person].astype(int)
        if not len(cells) or not 2 < labels.sum() < len(labels) - 2:
            continue
        model = MetaClassifier(hidden=min(len(cells), 32), max_epochs=40, patience=4)
        model.fit(games.shadow.remainder[cells].T, labels)
        for out, played in zip(found, (games.test, games.shadow), strict=True):
            out[row] = model.decision_function(played.remainder[cells].T)
    return Scores(people, *found)


def zero_knowledge(games: Games, people: np.ndarray) -> Scores:
    """Zero auxiliary knowledge: it learns from traces made of the release itself. Source: ZK"""
    plan, shape = games.plan, (games.traces.n_rois, games.traces.n_epochs)
    tidy = PostProcess("nearest", True)
    noise = [] if plan.noise is None else [plan.noise]
    after = [m for m in plan.after if m != tidy]
    bound = [] if plan.bound is None else [plan.bound]
    mechanisms: list[Any] = [*bound, *noise, tidy, *after]
    size = max(2, len(games.pool) // 2)
    releases = [
        np.clip(np.rint(np.ascontiguousarray(played.published.T)), 0, size).reshape(-1, *shape)
        for played in (games.test, games.shadow)
    ]
    found = [np.zeros((len(people), games.n_releases)) for _ in range(2)]
    for row, person in enumerate(people):
        attacker = ZeroKnowledge(
            games.traces.trace(games.traces.users[person]),
            games.traces.rois,
            mechanisms,
            size,
            games.rng("zero-knowledge", int(person)),
            n_traces=max(2 * size, 500),
            epochs=games.traces.epochs,
            n_train=_ZK_TRAIN,
            n_validation=_ZK_TRAIN // 2,
        )
        try:
            attacker.fit(releases[0][0])
        except EmptyRelease:  # it teaches nothing: she gives everybody the same score
            continue
        for out, each in zip(found, releases, strict=True):
            scores = attacker.decision_function(each)
            out[row] = np.maximum(scores, -MAX_CELLS)  # a raw 0 says no for sure
    return Scores(people, *found)

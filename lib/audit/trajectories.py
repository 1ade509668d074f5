"""Trajectory attacks of the audit: with everybody else known, and from the counts alone.

If everybody else is known, each count carries evidence about one person, and a Markov chain
combines it (the attacker of the Fano paper, with a sensor in every place). Without any other
knowledge, all trajectories are drawn at once: people are assigned to the next hour's counts so that
their total movement is smallest, and days are joined by similarity (Xu et al. 2017).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import optimize, sparse

from lib.audit.games import Game, count_groups
from lib.audit.likelihood import CountLikelihood
from lib.audit.localization import n_inferred_epochs, split_users
from lib.mechanisms import FourierPerturbation
from lib.ties import argmax, argmax_log

MAX_PEOPLE = 500  # of recovery by assignment
_NOISELESS = 0.1  # scale of the evidence of a count without noise
_PSEUDO = 1.0  # weight of the population's transitions beside the target's own
_FAINT = 1e-6


class RecoveredSteps(NamedTuple):
    """Shares of steps that an attack and its baseline recover.

    Parameters
    ----------
    attack, baseline : ndarray, shape (n_people,)
        Shares for members.
    control, control_baseline : ndarray, shape (n_people,)
        Shares for non-member controls.
    baseline_words, control_words : str
        What they are, in words.
    """

    attack: np.ndarray
    baseline: np.ndarray
    control: np.ndarray
    control_baseline: np.ndarray
    baseline_words: str
    control_words: str


def to_trajectories(game: Game, people: np.ndarray) -> np.ndarray:
    """Convert traces to trajectories with one place per epoch.

    Parameters
    ----------
    game : Game
        The audit's game.
    people : ndarray of int, shape (n_people,)
        Positions.

    Returns
    -------
    ndarray of int32, shape (n_people, n_epochs)
        The first of several places; n_rois is nowhere.
    """
    n_rois, n_epochs = game.shape
    part = game.traces.matrix[people]
    trajectories = np.full((len(people), n_epochs), n_rois, np.int32)
    row = np.repeat(np.arange(len(people)), np.diff(part.indptr))
    roi, epoch = np.divmod(part.indices, n_epochs)
    order = np.argsort(-roi, kind="stable")
    trajectories[row[order], epoch[order]] = roi[order]
    return trajectories


# -- everybody else known --------------------------------------------------------------------------


def most_probable(game: Game) -> RecoveredSteps:
    """Decode the most probable trajectory (Viterbi).

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    RecoveredSteps
        F1 score of each person.

    References
    ----------
    Fano paper, Prop. 1.
    """
    return _decode_all(game, _viterbi)


def most_probable_steps(game: Game) -> RecoveredSteps:
    """Decode the most probable place of each hour (forward-backward).

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    RecoveredSteps
        F1 score of each person.
    """
    return _decode_all(game, _posterior_modes)


def _decode_all(
    game: Game, decode: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> RecoveredSteps:
    inside, outside = split_users(game)
    n = n_inferred_epochs(game)
    n_people = 8 * game.sizes.slow_targets
    members, controls = game.sample(n_people, inside), game.sample(n_people, outside)
    population = _population_transitions(game, n)
    shares = []
    for people in (members, controls):
        own = to_trajectories(game, people)
        history, truth = own[:, :-n], own[:, -n:]
        decoded = [
            decode(_log_transitions(h, population), _evidence(game, person, n))
            for person, h in zip(people, history, strict=True)
        ]
        baseline = _habit_baseline(history, truth, game)
        shares.append((_f1(np.array(decoded), truth, game), baseline))
    return RecoveredSteps(
        *shares[0],
        *shares[1],
        "the usual place at that hour, without counts, recovers",
        "people who are not in the counts, decoded as if they were",
    )


def _population_transitions(game: Game, n: int) -> np.ndarray:
    """Transitions of the pool before the last n epochs: rows of (n_rois + 1, n_rois + 1)."""
    m = game.traces.n_rois + 1
    before = to_trajectories(game, game.sample(500, game.pool))[:, :-n]
    codes = before[:, :-1].astype(np.int64) * m + before[:, 1:]
    seen = np.bincount(codes.ravel(), minlength=m * m).reshape(m, m) + _FAINT
    return seen / seen.sum(axis=1, keepdims=True)


def _log_transitions(history: np.ndarray, population: np.ndarray) -> np.ndarray:
    """Log transitions of one person, with the population's as a prior."""
    own = np.zeros_like(population)
    np.add.at(own, (history[:-1], history[1:]), 1.0)
    own += _PSEUDO * population
    return np.log(own / own.sum(axis=1, keepdims=True))


def _evidence(game: Game, person: int, n: int) -> np.ndarray:
    """Log-likelihood ratio of each count with the person there: (n, n_rois + 1)."""
    raw = game.test.raw[:, 0].astype(np.int32)
    if game.test.inside[person, 0]:
        raw[game.bounded.matrix[[person]].indices] -= 1
    published = game.test.published[:, 0].astype(float).reshape(game.shape)[:, -n:]
    others = raw.reshape(game.shape)
    others = others[:, -n:]
    if isinstance(game.plan.noise, FourierPerturbation):  # as if noise were normal, independent
        scale = _observed_scale(game)
        ratio = ((published - others) ** 2 - (published - others - 1) ** 2) / (2 * scale**2)
    else:
        likelihood = CountLikelihood(game.plan, game.group_size)
        evidence = likelihood.evidence(published)
        more, none = (likelihood.log_likelihood(evidence, others + k) for k in (1, 0))
        ratio = more - none
    return np.column_stack([ratio.T, np.zeros(n)])


def _observed_scale(game: Game) -> float:
    """Standard deviation of the mechanism's change of a count in shadow releases."""
    change = game.shadow.published[:, :20] - game.shadow.raw[:, :20]
    return max(float(change.std()), _NOISELESS)


def _viterbi(log_transition: np.ndarray, evidence: np.ndarray) -> np.ndarray:
    n, m = evidence.shape
    into = np.ascontiguousarray(log_transition.T)
    before = np.empty((n, m), np.int32)
    score = evidence[0].copy()
    for t in range(1, n):
        reach = into + score
        before[t] = argmax_log(reach)
        score = reach.max(axis=1) + evidence[t]
    path = np.empty(n, np.int32)
    path[-1] = int(argmax_log(score))
    for t in range(n - 1, 0, -1):
        path[t - 1] = before[t, path[t]]
    return path


def _posterior_modes(log_transition: np.ndarray, evidence: np.ndarray) -> np.ndarray:
    n, m = evidence.shape
    transition = np.exp(log_transition)
    likelihood = np.exp(evidence - evidence.max(axis=1, keepdims=True))
    forward, backward = np.empty((n, m)), np.ones(m)
    now = np.full(m, 1 / m)
    for t in range(n):
        now = (now @ transition if t else now) * likelihood[t]
        now = now / max(now.sum(), 1e-300)
        forward[t] = now
    path = np.empty(n, np.int32)
    for t in range(n - 1, -1, -1):
        path[t] = int(argmax(forward[t] * backward))
        backward = transition @ (likelihood[t] * backward)
        backward = backward / max(backward.sum(), 1e-300)
    return path


def _f1(decoded: np.ndarray, truth: np.ndarray, game: Game) -> np.ndarray:
    """Correct hours over the mean of decoded and true hours somewhere; 0 if there are none."""
    nowhere = game.traces.n_rois
    right = ((decoded == truth) & (truth != nowhere)).sum(axis=1)
    both = (decoded != nowhere).sum(axis=1) + (truth != nowhere).sum(axis=1)
    return 2 * right / np.maximum(both, 1)


def _habit_baseline(history: np.ndarray, truth: np.ndarray, game: Game) -> np.ndarray:
    """The better of two guesses without counts: the most frequent state at that hour of the day,
    and the most frequent place at it, if the person was seen at all at that hour."""
    day = game.plan.shape.epochs_a_day
    n_states, n = game.traces.n_rois + 1, truth.shape[1]
    guesses = np.full((2, *truth.shape), n_states - 1, np.int32)
    slot = np.arange(history.shape[1]) % day
    ahead = (history.shape[1] + np.arange(n)) % day
    for person, path in enumerate(history):
        seen = np.zeros((day, n_states))
        np.add.at(seen, (slot, path), 1.0)
        guesses[0, person] = seen.argmax(axis=1)[ahead]
        out = seen[:, :-1]
        place = np.where(out.sum(axis=1) > 0, out.argmax(axis=1), n_states - 1)
        guesses[1, person] = place[ahead]
    return max((_f1(each, truth, game) for each in guesses), key=lambda each: float(each.mean()))


# -- nothing known ---------------------------------------------------------------------------------


def assignment(game: Game) -> RecoveredSteps:
    """Recover all trajectories at once from the counts of one release.

    Recovered trajectories have no names, so they are matched with the true ones as well as
    possible, both for the attack and for its baseline: the same counts, assigned at random in every
    hour.

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    RecoveredSteps
        Share of each person's steps that the matched trajectory has.

    References
    ----------
    Xu et al. 2017, Sec. 3.
    """
    rng = game.rng("assignment")
    n_people = min(MAX_PEOPLE, len(game.pool) // 2)
    order = rng.permutation(game.pool)
    inside, outside = np.sort(order[:n_people]), np.sort(order[n_people:][:n_people])
    n = min(game.traces.n_epochs, 14 * game.plan.shape.epochs_a_day)
    slots = _slots(game, inside, n, rng)
    tracks = _tracks(game, slots, rng)
    random = rng.permuted(slots, axis=0)
    truth, others = (to_trajectories(game, people)[:, :n] for people in (inside, outside))
    return RecoveredSteps(
        _matched(truth, tracks, game),
        _matched(truth, random, game),
        _matched(others, tracks, game),
        _matched(others, random, game),
        "assigning the same counts at random in every hour recovers",
        "trajectories of people who are not in the counts, matched in the same way",
    )


def _slots(game: Game, inside: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """The release as people without names: (n_people, n), each column as the counts say."""
    members = np.zeros((game.traces.n_users, 1), bool)
    members[inside] = True
    raw = count_groups(game.bounded, members).reshape(1, *game.shape).astype(np.int32)
    counts = game.plan.apply(raw, rng, len(inside))[0][:, :n]
    counts = np.clip(np.rint(counts), 0, len(inside)).astype(np.int64)
    slots = np.full((len(inside), n), game.shape[0], np.int32)
    for t in range(n):
        here = np.repeat(np.arange(game.shape[0]), counts[:, t])
        if len(here) > len(inside):
            here = np.sort(rng.choice(here, len(inside), replace=False))
        slots[: len(here), t] = here
    return slots


def _distances(game: Game) -> np.ndarray:
    """Distances between places, scaled to a median of 1; nowhere is at distance 1."""
    n = game.traces.n_rois
    far = np.ones((n + 1, n + 1))
    points = game.traces.rois[["lat", "lon"]].to_numpy(float)
    if np.isfinite(points).all() and n > 1:
        points = points * [1.0, np.cos(np.radians(points[:, 0].mean()))]
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        median = np.median(apart[apart > 0]) if (apart > 0).any() else 1.0
        far[:n, :n] = apart / median
    np.fill_diagonal(far, 0.0)
    return far


def _tracks(game: Game, slots: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Trajectories through the counts: shortest moves within a day, similarity between days."""
    far, day = _distances(game), game.plan.shape.epochs_a_day
    tracks = np.empty_like(slots)
    seen = np.zeros((len(slots), game.traces.n_rois + 1))  # visits of each track to each place
    for first in range(0, slots.shape[1], day):
        today = slots[:, first : first + day].copy()
        for t in range(1, today.shape[1]):
            today[:, t] = _next(today[:, t - 1], today[:, t], far, rng)
        here = np.zeros_like(seen)
        np.add.at(here, (np.arange(len(today)).repeat(today.shape[1]), today.ravel()), 1.0)
        here[:, -1] = 0  # being nowhere is no similarity
        if first:
            past = seen / np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), 1)
            now = here / np.maximum(np.linalg.norm(here, axis=1, keepdims=True), 1)
            _, order = optimize.linear_sum_assignment(past @ now.T, maximize=True)
            today, here = today[order], here[order]
        tracks[:, first : first + today.shape[1]] = today
        seen += here
    return tracks


def _next(
    now: np.ndarray, then: np.ndarray, far: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Next places: the largest possible number stays, the others move as little as possible."""
    m = len(far)
    arriving = np.bincount(then, minlength=m)
    order = rng.permutation(len(now))
    ranked = order[np.argsort(now[order], kind="stable")]  # of each place, in random order
    rank = np.arange(len(now)) - np.searchsorted(now[ranked], now[ranked])
    stays = np.zeros(len(now), bool)
    stays[ranked] = rank < arriving[now[ranked]]
    following = now.copy()
    free = np.repeat(np.arange(m), arriving - np.bincount(now[stays], minlength=m))
    movers = np.flatnonzero(~stays)
    if len(movers):
        _, column = optimize.linear_sum_assignment(far[now[movers]][:, free])
        following[movers] = free[column]
    return following


def _matched(truth: np.ndarray, tracks: np.ndarray, game: Game) -> np.ndarray:
    """Share of each true trajectory's steps that its track has, after the best matching."""
    nowhere, n = game.traces.n_rois, truth.shape[1]

    def cells(paths: np.ndarray) -> sparse.csr_array:
        row, epoch = np.nonzero(paths != nowhere)
        column = paths[row, epoch].astype(np.int64) * n + epoch
        ones = np.ones(len(row), np.float32)
        return sparse.csr_array((ones, (row, column)), (len(paths), (nowhere + 1) * n))

    common = np.asarray((cells(truth) @ cells(tracks).T).todense())
    row, column = optimize.linear_sum_assignment(common, maximize=True)
    steps = np.zeros(len(truth))
    steps[row] = common[row, column]
    return steps / np.maximum((truth != nowhere).sum(axis=1), 1)

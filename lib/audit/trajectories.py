"""What was her way? From counts with everybody else known, and from the counts alone.

With everybody else known each count says a little about her alone, and a Markov chain joins them
(the Fano paper's attacker, with a sensor in every place). Without any knowledge, all ways are drawn
at once: from hour to hour people are assigned to the next counts so that they move as little as can
be, and days are joined where they look alike (Xu et al. 2017).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import optimize, sparse

from lib.audit.games import Games, count
from lib.audit.localization import groups, inferred_epochs
from lib.mechanisms import Gaussian, Laplace
from lib.ties import argmax, argmax_log

MOST_PEOPLE = 500  # of recovery by assignment
_SURE = 0.1  # scale of what a count without noise tells
_PSEUDO = 1.0  # weight of the crowd's transitions beside her own
_FAINT = 1e-6


class Recovered(NamedTuple):
    """Shares of steps recovered, one a person, by the attack and its baseline; of controls too."""

    attack: np.ndarray
    baseline: np.ndarray
    control: np.ndarray
    control_baseline: np.ndarray
    baseline_words: str
    control_words: str


def ways(games: Games, people: np.ndarray) -> np.ndarray:
    """Where each is in each epoch, the first place where there are several; n_rois is nowhere.

    int32 (people, n_epochs)
    """
    n_rois, n_epochs = games.traces.n_rois, games.traces.n_epochs
    part = games.traces.matrix[people]
    found = np.full((len(people), n_epochs), n_rois, np.int32)
    row = np.repeat(np.arange(len(people)), np.diff(part.indptr))
    roi, epoch = np.divmod(part.indices, n_epochs)
    order = np.argsort(-roi, kind="stable")
    found[row[order], epoch[order]] = roi[order]
    return found


# -- everybody else known --------------------------------------------------------------------------


def most_probable(games: Games) -> Recovered:
    """The most probable way of all (Viterbi). Source: Fano paper, Prop. 1"""
    return _decoded(games, _viterbi)


def modes(games: Games) -> Recovered:
    """The most probable place of each hour (forward and backward)."""
    return _decoded(games, _posterior_modes)


def _decoded(games: Games, decode) -> Recovered:  # type: ignore[no-untyped-def]
    inside, outside = groups(games)
    people = games.few(8 * games.sizes.few_targets, inside)
    others = games.few(8 * games.sizes.few_targets, outside)
    n = inferred_epochs(games)
    crowd = _crowd_transitions(games, n)
    results = []
    for chosen in (people, others):
        own = ways(games, chosen)
        history, truth = own[:, :-n], own[:, -n:]
        told = [
            decode(_chain(h, crowd), _evidence(games, person, n))
            for person, h in zip(chosen, history, strict=True)
        ]
        results.append((_f1(np.array(told), truth, games), _usual(history, truth, games)))
    (attack, base), (control, control_base) = results
    return Recovered(
        attack,
        base,
        control,
        control_base,
        "her usual place at that hour, without counts,",
        "people who are not in the counts, decoded as if they were",
    )


def _crowd_transitions(games: Games, n: int) -> np.ndarray:
    """How everybody went on in the weeks before: row-normalised (n_rois + 1, n_rois + 1)."""
    m = games.traces.n_rois + 1
    people = games.few(500, games.pool)
    way = ways(games, people)[:, :-n]
    codes = way[:, :-1].astype(np.int64) * m + way[:, 1:]
    seen = np.bincount(codes.ravel(), minlength=m * m).reshape(m, m) + _FAINT
    return seen / seen.sum(axis=1, keepdims=True)


def _chain(history: np.ndarray, crowd: np.ndarray) -> np.ndarray:
    """Log transitions: hers, with the crowd's as a prior."""
    own = np.zeros_like(crowd)
    np.add.at(own, (history[:-1], history[1:]), 1.0)
    own += _PSEUDO * crowd
    return np.log(own / own.sum(axis=1, keepdims=True))


def _evidence(games: Games, person: int, n: int) -> np.ndarray:
    """Log-likelihood of each count if she is there, less if she is not: (n, n_rois + 1)."""
    shape = games.traces.n_rois, games.traces.n_epochs
    raw = games.test.raw[:, 0].astype(np.int32)
    hers = games.bounded.matrix[[person]].indices
    if games.test.inside[person, 0]:
        raw[hers] -= 1
    released = games.test.published[:, 0].astype(float).reshape(shape)[:, -n:]
    others = raw.reshape(shape)
    away, there = (
        np.abs(released - games.plan.without_noise(each, games.group_size)[:, -n:])
        for each in (others, others + 1)
    )
    noise = games.plan.noise
    if noise is None:
        told = (away - there) / _SURE
    elif isinstance(noise, Laplace):
        told = (away - there) / noise.scale
    else:
        spread = noise.scale if isinstance(noise, Gaussian) else _spread(games)
        told = (away**2 - there**2) / (2 * spread**2)
    return np.column_stack([told.T, np.zeros(n)])


def _spread(games: Games) -> float:
    """The standard deviation of what the mechanism does to a count, seen in shadow releases."""
    change = games.shadow.published[:, :20] - games.shadow.raw[:, :20]
    return max(float(change.std()), _SURE)


def _viterbi(log_transition: np.ndarray, evidence: np.ndarray) -> np.ndarray:
    n, m = evidence.shape
    into = np.ascontiguousarray(log_transition.T)
    before = np.empty((n, m), np.int32)
    score = evidence[0].copy()
    for t in range(1, n):
        reach = into + score
        before[t] = argmax_log(reach)
        score = reach.max(axis=1) + evidence[t]
    way = np.empty(n, np.int32)
    way[-1] = int(argmax_log(score))
    for t in range(n - 1, 0, -1):
        way[t - 1] = before[t, way[t]]
    return way


def _posterior_modes(log_transition: np.ndarray, evidence: np.ndarray) -> np.ndarray:
    n, m = evidence.shape
    transition = np.exp(log_transition)
    likely = np.exp(evidence - evidence.max(axis=1, keepdims=True))
    forward, onward = np.empty((n, m)), np.ones(m)
    now = np.full(m, 1 / m)
    for t in range(n):
        now = (now @ transition if t else now) * likely[t]
        now = now / max(now.sum(), 1e-300)
        forward[t] = now
    way = np.empty(n, np.int32)
    for t in range(n - 1, -1, -1):
        way[t] = int(argmax(forward[t] * onward))
        onward = transition @ (likely[t] * onward)
        onward = onward / max(onward.sum(), 1e-300)
    return way


def _f1(told: np.ndarray, truth: np.ndarray, games: Games) -> np.ndarray:
    """Hours with the right place, over the mean of hours told and true; 0 for nobody anywhere."""
    nowhere = games.traces.n_rois
    right = ((told == truth) & (truth != nowhere)).sum(axis=1)
    both = (told != nowhere).sum(axis=1) + (truth != nowhere).sum(axis=1)
    return 2 * right / np.maximum(both, 1)


def _usual(history: np.ndarray, truth: np.ndarray, games: Games) -> np.ndarray:
    """The better of two guesses without counts: her commonest state at that hour of the day, and
    her commonest place at it wherever she was seen at that hour."""
    day = games.plan.shape.epochs_a_day
    n_states, n = games.traces.n_rois + 1, truth.shape[1]
    told = np.full((2, *truth.shape), n_states - 1, np.int32)
    slot = np.arange(history.shape[1]) % day
    ahead = (history.shape[1] + np.arange(n)) % day
    for person, way in enumerate(history):
        seen = np.zeros((day, n_states))
        np.add.at(seen, (slot, way), 1.0)
        told[0, person] = seen.argmax(axis=1)[ahead]
        out = seen[:, :-1]
        place = np.where(out.sum(axis=1) > 0, out.argmax(axis=1), n_states - 1)
        told[1, person] = place[ahead]
    scores = [_f1(each, truth, games) for each in told]
    return max(scores, key=lambda each: float(each.mean()))


# -- nothing known ---------------------------------------------------------------------------------


def assignment(games: Games) -> Recovered:
    """Everybody's way at once from the counts of one release. Source: Xu et al. 2017, Sec. 3

    Tracks have no names, so they are matched with the true ways as well as can be, for the attack
    and for its baseline: the same counts, handed out anew by chance every hour.
    """
    rng = games.rng("assignment")
    n_people = min(MOST_PEOPLE, len(games.pool) // 2)
    order = rng.permutation(games.pool)
    inside, outside = np.sort(order[:n_people]), np.sort(order[n_people:][:n_people])
    n = min(games.traces.n_epochs, 14 * games.plan.shape.epochs_a_day)
    slots = _slots(games, inside, n, rng)
    tracks = _tracks(games, slots, rng)
    luck = rng.permuted(slots, axis=0)
    truth, others = (ways(games, people)[:, :n] for people in (inside, outside))
    found = [_matched(t, w, games) for t in (truth, others) for w in (tracks, luck)]
    return Recovered(
        found[0],
        found[1],
        found[2],
        found[3],
        "handing the same counts out by chance every hour recovers",
        "ways of people who are not in the counts, matched in the same way",
    )


def _slots(games: Games, inside: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """The release as people without names: (people, n), each column holds as many as counted."""
    members = np.zeros((games.traces.n_users, 1), bool)
    members[inside] = True
    shape = games.traces.n_rois, games.traces.n_epochs
    raw = count(games.bounded, members).reshape(1, *shape).astype(np.int32)
    counts = games.plan.counts(raw, rng, len(inside))[0][:, :n]
    counts = np.clip(np.rint(counts), 0, len(inside)).astype(np.int64)
    slots = np.full((len(inside), n), shape[0], np.int32)
    for t in range(n):
        here = np.repeat(np.arange(shape[0]), counts[:, t])
        if len(here) > len(inside):
            here = np.sort(rng.choice(here, len(inside), replace=False))
        slots[: len(here), t] = here
    return slots


def _distances(games: Games) -> np.ndarray:
    """Between places in degrees, and nowhere as far as a middling one: scaled to a median of 1."""
    n = games.traces.n_rois
    far = np.ones((n + 1, n + 1))
    points = games.traces.rois[["lat", "lon"]].to_numpy(float)
    if np.isfinite(points).all() and n > 1:
        points = points * [1.0, np.cos(np.radians(points[:, 0].mean()))]
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        middle = np.median(apart[apart > 0]) if (apart > 0).any() else 1.0
        far[:n, :n] = apart / middle
    np.fill_diagonal(far, 0.0)
    return far


def _tracks(games: Games, slots: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Ways through the counts, (people, n): shortest moves within a day, likeness between days."""
    far, day = _distances(games), games.plan.shape.epochs_a_day
    tracks = np.empty_like(slots)
    seen = np.zeros((len(slots), games.traces.n_rois + 1))  # how often each track was where
    for first in range(0, slots.shape[1], day):
        today = slots[:, first : first + day].copy()
        for t in range(1, today.shape[1]):
            today[:, t] = _next(today[:, t - 1], today[:, t], far, rng)
        here = np.zeros_like(seen)
        np.add.at(here, (np.arange(len(today)).repeat(today.shape[1]), today.ravel()), 1.0)
        here[:, -1] = 0  # being nowhere is no likeness
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
    """Who goes where: as many stay as can, the others as near as all together can."""
    m = len(far)
    arriving = np.bincount(then, minlength=m)
    order = rng.permutation(len(now))
    ranked = order[np.argsort(now[order], kind="stable")]  # of each place, in random order
    rank = np.arange(len(now)) - np.searchsorted(now[ranked], now[ranked])
    stays = np.zeros(len(now), bool)
    stays[ranked] = rank < arriving[now[ranked]]
    found = now.copy()
    free = np.repeat(np.arange(m), arriving - np.bincount(now[stays], minlength=m))
    movers = np.flatnonzero(~stays)
    if len(movers):
        _, column = optimize.linear_sum_assignment(far[now[movers]][:, free])
        found[movers] = free[column]
    return found


def _matched(truth: np.ndarray, tracks: np.ndarray, games: Games) -> np.ndarray:
    """Of each true way, the share of steps somewhere that its track has, after the best match."""
    nowhere, n = games.traces.n_rois, truth.shape[1]

    def cells(way: np.ndarray) -> sparse.csr_array:
        row, epoch = np.nonzero(way != nowhere)
        column = way[row, epoch].astype(np.int64) * n + epoch
        ones = np.ones(len(row), np.float32)
        return sparse.csr_array((ones, (row, column)), (len(way), (nowhere + 1) * n))

    common = np.asarray((cells(truth) @ cells(tracks).T).todense())
    row, column = optimize.linear_sum_assignment(common, maximize=True)
    found = np.zeros(len(truth))
    found[row] = common[row, column]
    return found / np.maximum((truth != nowhere).sum(axis=1), 1)

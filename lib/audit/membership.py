"""Membership inference attacks of the audit, vectorised over people.

Each attack scores people in the test releases, in shadow releases of the same pool, and, if it is
one that somebody may well be able to run, in reference releases of other people, which show what is
usual without the target. `lib.membership` has the attacks as their papers define them, for one
target each. Likelihood ratios take the likelihood of each count from `lib.audit.likelihood`.
Every attack takes ``(game, people)``: the audit's `Game` and positions of people, int (n_people,).
It returns `Scores`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse, special, stats

from lib.audit.games import Game, SimulatedReleases
from lib.audit.likelihood import CountLikelihood, Evidence, fourier_log_ratio
from lib.mechanisms import FourierPerturbation, PostProcess
from lib.membership.features import extract
from lib.membership.knock_knock import make_classifier
from lib.membership.marginals import EmptyRelease
from lib.membership.meta_classifier import MetaClassifier
from lib.membership.selection import eliminate
from lib.membership.zero_knowledge import ZeroKnowledge
from lib.traces import Traces
from lib.validation import MAX_CELLS

_ZK_TRAIN = 100  # releases that a zero-knowledge attacker synthesises for training
_DRAWS = 10  # of the noise, for each person at the full size
_SAMPLES = 50  # crowds that stand for the distribution of Fourier coefficients
_DIGITS = 6  # of a score: the last digits of floating-point noise are not attacked
_GROUPS = 4096  # of companions that are listed; beyond, groups are drawn
_BURN_IN, _SWEEPS = 40, 40  # of Gibbs sampling
_COLD = 0.03  # factor of the log-likelihood in the first sweep
_HARD = 4.0  # nats for each person by which a count without noise is missed, in Gibbs sampling
_TAIL = 1e-12  # probability of counts beyond those that are tabulated


class FullSize(NamedTuple):
    """Scores in the release at its full size, published again for each person.

    Parameters
    ----------
    without, with_target : ndarray, shape (n_people, n_draws)
        Scores where the target is not counted, and where they are.
    reference : ndarray, shape (n_people, n_reference), or None
        Scores in reference releases of that size.
    """

    without: np.ndarray
    with_target: np.ndarray
    reference: np.ndarray | None


class Scores(NamedTuple):
    """Scores of people in all releases; higher values indicate membership.

    Parameters
    ----------
    people : ndarray of int, shape (n_people,)
        Positions.
    test, shadow : ndarray, shape (n_people, n_releases)
        Scores in the test and in the shadow releases.
    reference : ndarray, shape (n_people, n_reference), or None
        Scores in releases of other people, by which a plausible attacker calibrates each person.
    full : FullSize or None
        Scores at the full size; None if the attack was not run on it.
    calibrated : bool
        Whether one threshold serves everybody as scores are: those of exact ratios.
    """

    people: np.ndarray
    test: np.ndarray
    shadow: np.ndarray
    reference: np.ndarray | None = None
    full: FullSize | None = None
    calibrated: bool = False


Attack = Callable[[Game, np.ndarray], Scores]
_View = Callable[[SimulatedReleases], np.ndarray]


def _sum(game: Game, people: np.ndarray, view: _View) -> Scores:
    """Sums of a view of the releases over each person's visits, whether counted or not."""
    visits = sparse.csr_array(game.traces.matrix[people].astype(np.float32))
    return Scores(people, *(visits @ view(each) for each in (game.test, game.shadow, game.others)))


# -- the target's cells ----------------------------------------------------------------------------


def sum_of_cells(game: Game, people: np.ndarray) -> Scores:
    """Sum the counts of the target's cells.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

    Returns
    -------
    Scores
        The sums.

    References
    ----------
    Threshold paper, Eq. 4.
    """

    def at_full_size(published: np.ndarray, of: _Pairs, known: np.ndarray) -> np.ndarray:
        return of.sums(published)

    subsampled = _sum(game, people, lambda releases: releases.published)
    return subsampled._replace(full=_at_full_size(game, people, at_full_size))


def one_threshold(game: Game, people: np.ndarray) -> Scores:
    """Sum the counts of the target's cells after subtracting the known users.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

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

    The mean is that of the reference releases, which are without the target.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

    Returns
    -------
    Scores
        Numbers of cells.

    References
    ----------
    Threshold paper, Alg. 4-5.
    """
    mean = game.others.remainder.mean(axis=1, keepdims=True)
    return _sum(game, people, lambda releases: (releases.remainder > mean).astype(np.float32))


# -- likelihood ratios -----------------------------------------------------------------------------


class _Pairs(NamedTuple):
    """All pairs of a person and a cell that the person visits, person by person.

    people     (n_people,)
    starts     (n_people + 1,) of each person's pairs
    cells      (n_pairs,)
    kept       (n_pairs,) probability that contribution bounding keeps the visit
    """

    people: np.ndarray
    starts: np.ndarray
    cells: np.ndarray
    kept: np.ndarray

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Values of pairs, (n_pairs, n), added up for each person."""
        total = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
        return (total[self.starts[1:]] - total[self.starts[:-1]]).round(_DIGITS)

    def ratios(self, ratios: np.ndarray) -> np.ndarray:
        """Log ratios of visits, each counted with its own probability, for each person."""
        if (self.kept < 1).any():
            kept = self.kept[:, None]
            ratios = np.logaddexp(np.log(kept) + ratios, np.log1p(-np.minimum(kept, 1 - 1e-12)))
        return self.sums(ratios)


def _pairs(game: Game, people: np.ndarray, traces: Traces) -> _Pairs:
    part = traces.matrix[people]
    kept = np.ones(part.nnz)
    if traces is not game.bounded and game.plan.cap is not None:
        kept = _kept(game, part)
    return _Pairs(people, part.indptr, part.indices, kept)


def _kept(game: Game, part: Any) -> np.ndarray:
    """Probability that contribution bounding keeps each visit, by `BoundVisits`."""
    assert game.plan.cap is not None
    n_epochs = game.traces.n_epochs
    person = np.repeat(np.arange(part.shape[0]), np.diff(part.indptr))
    epoch = part.indices % n_epochs
    places = np.bincount(person * n_epochs + epoch, minlength=part.shape[0] * n_epochs)
    period = np.zeros(n_epochs, int)
    if game.plan.unit == "user-day":
        period = np.unique(game.traces.epochs.normalize(), return_inverse=True)[1]
    n_periods = period.max() + 1
    seen = np.flatnonzero(places)
    visits = np.bincount(
        seen // n_epochs * n_periods + period[seen % n_epochs], minlength=part.shape[0] * n_periods
    )
    of_unit = visits[person * n_periods + period[epoch]]
    return np.minimum(1, game.plan.cap / of_unit) / places[person * n_epochs + epoch]


class _Crowd(NamedTuple):
    """What an attacker expects of the other users: a distribution of counts for each key.

    keys  (n_cells,) int
    distribution   probabilities of 0, 1, 2, ... users for a key
    """

    keys: np.ndarray
    distribution: Callable[[int], np.ndarray]

    def ratios(
        self, likelihood: CountLikelihood, evidence: Evidence, cells: np.ndarray
    ) -> np.ndarray:
        """Log ratios of one more user in each of these cells; evidence has a row for each."""
        keys, ratios = self.keys[cells], np.empty(evidence.low.shape)
        order = np.argsort(keys, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
            if len(rows):
                distribution = self.distribution(int(keys[rows[0]]))
                ratios[rows] = likelihood.log_ratio(evidence.of(rows), distribution)
        return ratios


def _same_people(game: Game, own: int) -> _Crowd:
    """Everybody who may be counted is known, each counted with probability one half."""
    visitors = np.asarray(game.bounded.matrix[game.pool].sum(axis=0)).ravel().astype(np.int64)
    keys = np.maximum(visitors - own, 0)
    return _Crowd(keys, lambda n: stats.binom.pmf(np.arange(n + 1), n, 0.5))


def _other_people(game: Game, n_people: float) -> _Crowd:
    """Rates are estimated from the reference people: negative binomial counts of `n_people`.

    The rate of a cell has a gamma distribution around the mean of its place, and the width of that
    distribution is fitted to all cells by moments.
    """
    seen = np.asarray(game.bounded.matrix[game.reference].sum(axis=0)).ravel().astype(np.int64)
    by_place = np.maximum(seen.reshape(game.shape).mean(axis=1), 1e-3)
    mean = np.repeat(by_place, game.traces.n_epochs)
    excess = float(((seen - mean) ** 2 - mean).sum())
    shape = float(np.clip((mean**2).sum() / max(excess, 1e-9), 0.02, 100))
    n_reference = len(game.reference)
    place_of = np.repeat(np.arange(game.traces.n_rois), game.traces.n_epochs)
    keys, which = np.unique(seen * game.traces.n_rois + place_of, return_inverse=True)
    count, place = np.divmod(keys, game.traces.n_rois)
    rate = shape * n_reference / by_place[place] + n_reference  # of the gamma distribution
    share = rate / (rate + n_people)
    most = stats.nbinom.isf(_TAIL, shape + count, share).astype(int)  # slow for one at a time

    def distribution(key: int) -> np.ndarray:
        probabilities = stats.nbinom.pmf(np.arange(most[key] + 1), shape + count[key], share[key])
        return np.asarray(probabilities / probabilities.sum())

    return _Crowd(which, distribution)


def _ratio(
    game: Game, of: _Pairs, releases: SimulatedReleases, crowd: _Crowd, known: bool
) -> np.ndarray:
    """Log-likelihood ratio of each person, cells taken as independent: (n_people, n_releases)."""
    if isinstance(game.plan.noise, FourierPerturbation):
        return _fourier_ratio(game, of, releases, known)
    likelihood = CountLikelihood(game.plan, releases.size)
    cells, which = np.unique(of.cells, return_inverse=True)
    evidence = likelihood.evidence(releases.published[cells])
    if known:
        evidence = evidence.minus(releases.known_counts[cells])
    return of.ratios(crowd.ratios(likelihood, evidence, cells)[which])


def _fourier_ratio(game: Game, of: _Pairs, releases: SimulatedReleases, known: bool) -> np.ndarray:
    """The same in Fourier coefficients, where other users' have the distribution of samples."""
    source = game.shadow if releases is not game.others and not known else game.others
    samples = source.raw[:, :_SAMPLES].T.reshape(-1, *game.shape).astype(float)
    shown = releases.published.T.reshape(-1, *game.shape)
    if known:
        shown = shown - releases.known_counts.T.reshape(-1, *game.shape)
        samples = samples - source.known_counts[:, :_SAMPLES].T.reshape(-1, *game.shape)
    scores = np.zeros((len(of.people), shown.shape[0]))
    for row, person in enumerate(of.people):
        change = game.bounded.trace(game.traces.users[person])
        rois = np.flatnonzero(change.any(axis=1))
        assert isinstance(game.plan.noise, FourierPerturbation)
        scores[row] = fourier_log_ratio(
            game.plan.noise, shown[:, rois], samples[:, rois], change[rois]
        )
    return scores.round(_DIGITS)


def likelihood_ratio_same_people(game: Game, people: np.ndarray) -> Scores:
    """Compute the log-likelihood ratio of the target's cells, with everybody's traces known.

    The likelihood of each cell is exact: the other users' count is binomial, each of them being
    counted with probability one half. Cells are taken as independent.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

    Returns
    -------
    Scores
        Log-likelihood ratios.

    References
    ----------
    Threshold paper, Eq. 8-9.
    """
    scores = [np.empty((len(people), n)) for n in (game.n_releases, game.n_shadow)]
    inside = np.isin(people, game.pool)
    for own, part in ((1, inside), (0, ~inside)):  # the target is none of the other users
        of = _pairs(game, people[part], game.bounded)
        for out, releases in zip(scores, (game.test, game.shadow), strict=True):
            out[part] = _ratio(game, of, releases, _same_people(game, own), False)
    return Scores(people, scores[0], scores[1])


def likelihood_ratio_other_people(game: Game, people: np.ndarray) -> Scores:
    """Compute the log-likelihood ratio, with the counts of others known from other people.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

    Returns
    -------
    Scores
        Log-likelihood ratios.

    References
    ----------
    Threshold paper, Eq. 8-9; calibrated for each person as in Carlini et al. 2022.
    """
    return _from_other_people(game, people, known=False)


def likelihood_ratio_known_users(game: Game, people: np.ndarray) -> Scores:
    """Compute the same log-likelihood ratio after subtracting the known users.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

    Returns
    -------
    Scores
        Log-likelihood ratios.
    """
    return _from_other_people(game, people, known=True)


def _from_other_people(game: Game, people: np.ndarray, known: bool) -> Scores:
    of = _pairs(game, people, game.traces)
    n_known = len(game.known) if known else 0
    crowd = _other_people(game, (len(game.pool) - n_known) / 2)
    test, shadow, reference = (
        _ratio(game, of, releases, crowd, known)
        for releases in (game.test, game.shadow, game.others)
    )
    full = None
    if not isinstance(game.plan.noise, FourierPerturbation):
        likelihood = CountLikelihood(game.plan, game.full_size)
        larger = _other_people(game, game.full_size - n_known)

        def at_full_size(published: np.ndarray, of: _Pairs, counts: np.ndarray) -> np.ndarray:
            evidence = likelihood.evidence(published)
            if known:
                evidence = evidence.minus(counts)
            return of.ratios(larger.ratios(likelihood, evidence, of.cells))

        full = _at_full_size(game, people, at_full_size)
    return Scores(people, test, shadow, reference, full, True)


def _at_full_size(
    game: Game, people: np.ndarray, score: Callable[[np.ndarray, _Pairs, np.ndarray], np.ndarray]
) -> FullSize | None:
    """Scores in the release of everybody but the reference people, with and without each person.

    `score` maps published counts and known users' counts of all pairs to (n_people, n) scores.
    """
    if isinstance(game.plan.noise, FourierPerturbation):
        return None
    of, larger = _pairs(game, people, game.traces), game.others_at_full_size
    n_draws = 1 if game.plan.noise is None else _DRAWS
    known = np.asarray(game.bounded.matrix[game.known].sum(axis=0)).ravel()[of.cells]
    known = np.repeat(known[:, None], n_draws, axis=1)
    without, with_target = (score(each, of, known) for each in _published_at_full_size(game, of))
    reference = score(larger.published[of.cells], of, larger.known_counts[of.cells])
    return FullSize(without, with_target, reference)


def _published_at_full_size(game: Game, of: _Pairs) -> list[np.ndarray]:
    """Published counts of all pairs without the person and with them: (n_pairs, n_draws)."""
    rows = np.repeat(np.arange(len(of.people)), np.diff(of.starts))
    own = np.asarray(game.bounded.matrix[of.people][rows, of.cells]).ravel().astype(np.int64)
    shown = []
    for raw, name in (
        (game.full_counts[of.cells] - own, "without"),
        (game.full_counts[of.cells], "with"),
    ):
        n_draws = 1 if game.plan.noise is None else _DRAWS
        counts = np.repeat(raw[None, None], n_draws, axis=0)
        rng = game.rng("noise", "full size", name)
        shown.append(game.plan.apply(counts, rng, game.full_size)[:, 0].T)
    return shown


def informed_likelihood_ratio(game: Game, people: np.ndarray) -> Scores:
    """Compute the exact log-likelihood ratio for an attacker who knows every other member.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

    Returns
    -------
    Scores
        Log-likelihood ratios; with Fourier perturbation, exact up to post-processing.

    References
    ----------
    Threshold paper, Sec. 3.2 (the informed attacker).
    """
    of = _pairs(game, people, game.bounded)
    if isinstance(game.plan.noise, FourierPerturbation):
        test, shadow = (_informed_fourier(game, of, each) for each in (game.test, game.shadow))
        return Scores(people, test, shadow, calibrated=True)
    own = np.repeat(np.arange(len(people)), np.diff(of.starts))

    def step(published: np.ndarray, others: np.ndarray, size: int) -> np.ndarray:
        likelihood = CountLikelihood(game.plan, size)
        evidence = likelihood.evidence(published)
        more, none = (likelihood.log_likelihood(evidence, others + k) for k in (1, 0))
        return of.sums(more - none)

    test, shadow = (
        step(each.published[of.cells], each.raw[of.cells] - each.inside[people][own], each.size)
        for each in (game.test, game.shadow)
    )
    others = (game.full_counts[of.cells] - 1)[:, None]
    full = [step(each, others, game.full_size) for each in _published_at_full_size(game, of)]
    return Scores(people, test, shadow, None, FullSize(full[0], full[1], None), True)


def _informed_fourier(game: Game, of: _Pairs, releases: SimulatedReleases) -> np.ndarray:
    assert isinstance(game.plan.noise, FourierPerturbation)
    shown = releases.published.T.reshape(-1, *game.shape)
    raw = releases.raw.T.reshape(-1, *game.shape)
    scores = np.zeros((len(of.people), len(shown)))
    for row, person in enumerate(of.people):
        change = game.bounded.trace(game.traces.users[person])
        rois = np.flatnonzero(change.any(axis=1))
        own = releases.inside[person][:, None, None] * change[rois]
        others = raw[:, rois] - own
        scores[row] = fourier_log_ratio(game.plan.noise, shown[:, rois], others[None], change[rois])
    return scores.round(_DIGITS)


# -- cells together --------------------------------------------------------------------------------


def joint_likelihood_ratio(game: Game, people: np.ndarray) -> Scores:
    """Compute the log-likelihood ratio of all cells together, with everybody's traces known.

    Who else is counted is unknown, and makes cells dependent. The ratio is averaged over all groups
    of those who share the target's cells, where they are few. Otherwise it is averaged over groups
    that Gibbs sampling draws from their distribution given the release. With Fourier perturbation,
    coefficients are taken as independent.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

    Returns
    -------
    Scores
        Log-likelihood ratios, approximate.

    References
    ----------
    Geman and Geman 1984; `lib.membership.CorrelatedRatio` is the mixture for few cells.
    """
    if isinstance(game.plan.noise, FourierPerturbation):
        return likelihood_ratio_same_people(game, people)
    few = [_all_groups(game, int(person)) for person in people]
    many = np.array([groups is None for groups in few], bool)
    scores = []
    for releases in (game.test, game.shadow):
        found = np.zeros((len(people), releases.members.shape[1]))
        for row in np.flatnonzero(~many):
            found[row] = few[row].log_ratio(game, releases)  # type: ignore[union-attr]
        if many.any():
            found[many] = _gibbs(game, people[many], releases)
        scores.append(found)
    return Scores(people, scores[0], scores[1], calibrated=True)


class _Groups(NamedTuple):
    """All groups of those who share several of a target's cells.

    cells    (n_cells,) of the target
    counts   (n_groups, n_cells) that each group leaves there
    weights  (n_groups,) log probabilities
    alone    (n_cells,) number of others who visit this cell and no other of them
    """

    cells: np.ndarray
    counts: np.ndarray
    weights: np.ndarray
    alone: np.ndarray

    def log_ratio(self, game: Game, releases: SimulatedReleases) -> np.ndarray:
        """Log-likelihood ratio of the target: (n_releases,)."""
        likelihood = CountLikelihood(game.plan, releases.size)
        evidence = likelihood.evidence(releases.published[self.cells])
        total = np.zeros((2, len(self.counts), releases.members.shape[1]))
        for cell, (counts, n_alone) in enumerate(zip(self.counts.T, self.alone, strict=True)):
            possible = np.arange(n_alone + counts.max(initial=0) + 2)
            logs = likelihood.log_likelihood(evidence.of(np.array([cell])), possible[:, None])
            distribution = stats.binom.logpmf(np.arange(n_alone + 1), n_alone, 0.5)[:, None]
            mixed = np.array(
                [
                    special.logsumexp(logs[n : n + n_alone + 1] + distribution, axis=0)
                    for n in range(counts.max(initial=0) + 2)
                ]
            )
            total += mixed[np.stack([counts, counts + 1])]
        without, with_target = special.logsumexp(total + self.weights[:, None], axis=1)
        ratio: np.ndarray = (with_target - without).round(_DIGITS)
        return ratio


def _all_groups(game: Game, person: int) -> _Groups | None:
    """All groups of a target's companions; None if there are too many."""
    cells = game.bounded.matrix[[person]].indices
    visits = game.bounded.matrix[game.pool[game.pool != person]][:, cells].toarray()
    several = visits[visits.sum(axis=1) > 1].astype(np.int64)
    alone = visits[visits.sum(axis=1) == 1].sum(axis=0).astype(np.int64)
    profiles, times = np.unique(several, axis=0, return_counts=True)
    if np.log(times + 1.0).sum() > np.log(_GROUPS):
        return None
    drawn = np.indices((*(times + 1), 1)).reshape(len(times) + 1, -1)[:-1].T  # 1: there is a group
    weights = stats.binom.logpmf(drawn, times, 0.5).sum(axis=1)
    return _Groups(cells, drawn @ profiles, weights, alone)


class _Chains:
    """Groups that may be counted, one for each release, and the counts that they have.

    cells     (n_users,) positions of each user's cells among those of the pool
    counts    (n_cells, n_releases)
    """

    def __init__(self, game: Game, releases: SimulatedReleases):
        self.likelihood = CountLikelihood(game.plan, releases.size)
        matrix = game.bounded.matrix
        used = np.unique(matrix.indices)
        self.cells = [
            np.searchsorted(used, matrix[[user]].indices) for user in range(matrix.shape[0])
        ]
        self.evidence = self.likelihood.evidence(releases.published[used])
        self.counts = np.zeros(self.evidence.low.shape, np.int64)
        self.inside = np.zeros(releases.members.shape, bool)
        self.heat = 1.0

    def log_odds(self, user: int) -> np.ndarray:
        """Log-likelihood ratio of one user, given everybody else of each group."""
        cells = self.cells[user]
        others = self.counts[cells] - self.inside[user]
        return self._gain(cells, others, others + 1)

    def swap_odds(self, user: int, other: int) -> np.ndarray:
        """Log-likelihood ratio of `user` in place of `other` in groups with `other` alone."""
        mine = np.setdiff1d(self.cells[user], self.cells[other], assume_unique=True)
        theirs = np.setdiff1d(self.cells[other], self.cells[user], assume_unique=True)
        more, fewer = self.counts[mine], self.counts[theirs]
        return self._gain(mine, more, more + 1) + self._gain(theirs, fewer, fewer - 1)

    def _gain(self, cells: np.ndarray, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """Log-likelihood of new counts, minus that of the present ones."""
        evidence = self.evidence.of(cells)
        hard = self.likelihood.noise is None and not self.likelihood.plan.random_base
        if hard:  # softened: by how much a count misses its interval
            missed = [
                np.maximum(np.maximum(evidence.low + 0.5 - n, n - evidence.high + 0.5), 0)
                for n in (before, after)
            ]
            return _HARD * self.heat * (missed[0] - missed[1]).sum(axis=0)
        old, new = (self.likelihood.log_likelihood(evidence, n) for n in (before, after))
        return self.heat * (new - old).sum(axis=0)

    def move(self, user: int, inside: Any) -> None:
        """Set in which groups a user is."""
        change = inside.astype(np.int64) - self.inside[user]
        self.counts[self.cells[user]] += change
        self.inside[user] = inside

    def swap(self, user: int, other: int, rng: np.random.Generator) -> None:
        """Exchange two users in groups that hold one of them, with Metropolis' probability."""
        sign = self.inside[other].astype(int) - self.inside[user]  # 1: the user comes in
        odds = self.swap_odds(user, other), self.swap_odds(other, user)
        gain = np.where(sign > 0, odds[0], odds[1])
        swapped = (sign != 0) & (np.log(rng.random(len(sign))) < gain)
        mine, theirs = self.inside[user] ^ swapped, self.inside[other] ^ swapped
        self.move(user, mine)
        self.move(other, theirs)


def _gibbs(game: Game, people: np.ndarray, releases: SimulatedReleases) -> np.ndarray:
    """Log odds of each person, from the mean of their probabilities over all sweeps.

    Groups are cooled from any group to probable ones. After each draw a user may be exchanged with
    one who shares some of the cells, since two people who are alike rarely change places otherwise.
    """
    chains, rng = _Chains(game, releases), game.rng("gibbs", releases.name)
    n_releases, pool = releases.members.shape[1], game.pool
    for user in pool:
        chains.move(int(user), rng.random(n_releases) < 0.5)
    visits = game.bounded.matrix[pool].astype(np.int64)
    shared = sparse.csr_array(visits @ visits.T)
    rows = {int(person): row for row, person in enumerate(people)}
    outside = [int(person) for person in people if person not in set(pool.tolist())]
    sums = np.zeros((2, len(people), n_releases))

    def add(user: int, odds: np.ndarray) -> None:
        if sweep >= _BURN_IN and user in rows:
            sums[:, rows[user]] += special.expit([odds, -odds])

    for sweep in range(_BURN_IN + _SWEEPS):
        chains.heat = min(1.0, _COLD ** (1 - (sweep + 1) / _BURN_IN))
        for at in rng.permutation(len(pool)):
            user, like = int(pool[at]), shared[[at]]
            odds = chains.log_odds(user)
            add(user, odds)
            chains.move(user, rng.random(n_releases) < special.expit(odds))
            weights = like.data * (like.indices != at)
            if weights.any():
                other = int(pool[rng.choice(like.indices, p=weights / weights.sum())])
                chains.swap(user, other, rng)
        for person in outside:
            add(person, chains.log_odds(person))
    logs = np.log(np.maximum(sums / _SWEEPS, 1e-300))
    return (logs[0] - logs[1]).round(_DIGITS)


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
    return Scores(people, scores[0], scores[1], scores[2] if len(scores) > 2 else None)


def knock_knock_prior_1(game: Game, people: np.ndarray) -> Scores:
    """Train Knock-Knock on groups of the same period (prior 1, traces of a subset of users).

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

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
    tests = [_features(game, each, last) for each in (game.test, game.shadow, game.others)]
    n = game.n_shadow  # as many as in a quick audit
    return _train_and_score(people, train[:n], past.members[:, :n], tests)


def knock_knock_prior_2a(game: Game, people: np.ndarray) -> Scores:
    """Train Knock-Knock on the same groups a week earlier (prior 2a).

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

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
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

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

    It is trained on reference releases, to a random half of which the target is added.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

    Returns
    -------
    Scores
        Scores of the network.

    References
    ----------
    Threshold paper, Sec. 2.3.3.
    """
    releases = (game.test, game.shadow, game.others)
    scores = [np.zeros((len(people), each.members.shape[1])) for each in releases]
    for row, person in enumerate(people):
        cells = game.traces.matrix[[person]].indices
        labels = game.rng("labels", int(person)).permutation(np.arange(game.n_shadow) % 2)
        if not len(cells):
            continue
        train = game.others.publish_with(int(person), labels) - game.others.known_counts[cells]
        model = MetaClassifier(hidden=min(len(cells), 32), max_epochs=40, patience=4)
        model.fit(train.T, labels)
        for out, each in zip(scores, releases, strict=True):
            out[row] = model.decision_function((each.published - each.known_counts)[cells].T)
    return Scores(people, scores[0], scores[1], scores[2] if len(scores) > 2 else None)


def zero_knowledge(game: Game, people: np.ndarray) -> Scores:
    """Train on traces that are synthesised from the release itself.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.
    people : sequence of int
        Positions of the targets.

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
        for releases in (game.test, game.shadow, game.others)
    ]
    releases = [each.reshape(-1, *game.shape) for each in published]
    scores = [np.zeros((len(people), len(each))) for each in releases]
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
    return Scores(people, scores[0], scores[1], scores[2] if len(scores) > 2 else None)

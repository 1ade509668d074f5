"""The membership game of an audit: simulated releases, and who is in each of them.

Each user of the pool is in a release with probability one half, independently. Attacks are
evaluated on the test releases. There are two kinds of training material. Shadow releases count
groups of the very same pool: their owner has the traces of everybody who may be counted (reference
*same*, the worst case). Reference releases count other people of the same kind, who are in no other
release (reference *others*, a plausible attacker). Controls are users who are never in any release
(non-members): an attack that identifies them does not recognise members.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse

from lib.audit.releases import Plan, Release
from lib.mechanisms import FourierPerturbation
from lib.randomness import stream
from lib.threats import KNOWN_SHARE
from lib.traces import Traces

FEWEST_USERS = 50
MAX_COUNTS = 1_000_000  # counts of a release (zones x epochs)
_MAX_VALUES = 32_000_000  # counts of all shadow, or of all test, releases together
_CONTROLS = (20, 500)  # a tenth of the users, within these limits
_REFERENCE = 0.2  # share of users whose traces the attacker has, and who are in no other release
N_SHADOW = 100  # shadow and reference releases; the same number in a quick audit
_BLOCK = 1 << 22  # values whose noise is drawn in one call


class Sizes(NamedTuple):
    """Sizes of an audit's simulation.

    Parameters
    ----------
    releases : int
        Number of test releases.
    targets : int
        Largest number of targets.
    slow_targets : int
        Targets of attacks that train one model per target.
    synthesis_targets : int
        Targets of attacks that synthesise a population per target; 0 leaves them out.
    trials : int
        Runs of the mechanism for empirical epsilon.
    """

    releases: int
    targets: int
    slow_targets: int
    synthesis_targets: int
    trials: int


# attacks are the same in both; a full audit has narrower intervals, and attacks that take long
QUICK = Sizes(100, 300, 12, 0, 200_000)
FULL = Sizes(200, 1000, 40, 6, 1_000_000)


def check_auditable(traces: Traces) -> None:
    """Check that an audit of these records is possible and meaningful.

    Parameters
    ----------
    traces : Traces
        The records.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        If there are fewer than 50 users, one zone, one epoch, more than `MAX_COUNTS` counts, or if
        all users have identical visits.
    """
    if traces.n_users < FEWEST_USERS:
        raise ValueError(
            f"the records hold {traces.n_users} {'users' if traces.n_users > 1 else 'user'}; an "
            f"audit needs at least {FEWEST_USERS}: with fewer, every interval covers everything, "
            "and counts of so few people should not be published"
        )
    if traces.n_rois < 2:
        raise ValueError(
            f"the records hold {traces.n_rois} zone; at least 2 zones were expected: give smaller "
            "zones, or another column of zones"
        )
    if traces.n_epochs < 2:
        raise ValueError(
            f"the records hold {traces.n_epochs} epoch; at least 2 epochs were expected: give a "
            "shorter epoch or a longer period"
        )
    n_cells = traces.n_rois * traces.n_epochs
    if n_cells > MAX_COUNTS:
        raise ValueError(
            f"{traces.n_rois} zones x {traces.n_epochs} epochs are {n_cells} counts; an audit "
            f"takes at most {MAX_COUNTS}: choose a shorter period, longer epochs or fewer zones"
        )
    starts, cells = traces.matrix.indptr, traces.matrix.indices
    first = cells[: starts[1]]
    sizes = np.diff(starts)
    alike = (sizes == sizes[0]).all() and (cells.reshape(-1, max(sizes[0], 1)) == first).all()
    if not len(cells) or alike:
        raise ValueError(
            f"all {traces.n_users} users have the same {sizes[0]} visits, so no attack can "
            "distinguish them and no audit is possible; are the user ids right?"
        )


class Game:
    """Simulated releases of one audit, drawn when first used; every draw has its own stream.

    Parameters
    ----------
    traces : Traces
        The records.
    release : Release
        How counts are published.
    seed : int
        Seed of all random draws.
    quick : bool
        Whether to use the smaller sizes.

    Attributes
    ----------
    plan : Plan
        The release fitted to the records' shape.
    pool, controls : ndarray of int
        Positions of users who may be in a release, and of those who never are.
    reference : ndarray of int
        Users whose traces the attacker has; they are in reference releases only.
    targets : ndarray of int
        Users of the pool who are attacked.
    known : ndarray of int
        Users of the pool, none of them a target, whose visits and membership some attackers know.
    group_size : int
        Upper bound on any count.

    Raises
    ------
    ValueError
        As `check_auditable`, or if the release does not fit the records.
    """

    def __init__(self, traces: Traces, release: Release, seed: int, quick: bool):
        check_auditable(traces)
        self.traces, self.release, self.seed = traces, release, seed
        self.plan: Plan = release.plan(traces)
        self.sizes = QUICK if quick else FULL
        n_cells = traces.n_rois * traces.n_epochs
        self.n_releases = max(20, min(self.sizes.releases, _MAX_VALUES // n_cells))
        self.n_shadow = max(20, min(N_SHADOW, _MAX_VALUES // n_cells))
        order = self.rng("roles").permutation(traces.n_users)
        n_controls = int(np.clip(traces.n_users // 10, *_CONTROLS))
        n_outside = n_controls + int(_REFERENCE * traces.n_users)
        self.controls = np.sort(order[:n_controls])
        self.reference = np.sort(order[n_controls:n_outside])
        self.pool = np.sort(order[n_outside:])
        n_known = int(KNOWN_SHARE * len(self.pool))
        self.known = np.sort(order[n_outside:][:n_known])
        self.targets = np.sort(order[n_outside:][n_known:][: self.sizes.targets])
        self.group_size = len(self.pool)

    @property
    def shape(self) -> tuple[int, int]:
        """(n_rois, n_epochs) of a release."""
        return self.traces.n_rois, self.traces.n_epochs

    def rng(self, *names: str | int) -> np.random.Generator:
        """Return the audit's random stream of that name.

        Parameters
        ----------
        *names : str or int
            Parts of the stream's name.

        Returns
        -------
        numpy.random.Generator
            The same for the same seed and names.
        """
        return stream(self.seed, "audit", *names)

    @cached_property
    def bounded(self) -> Traces:
        """The records that are counted, after each user's contributions were bounded once."""
        return self.plan.bound_traces(self.traces, self.rng("bound"))

    @cached_property
    def shadow(self) -> SimulatedReleases:
        """Releases of groups of the pool for training; their owner has everybody's traces."""
        return self._of_pool("shadow", self.n_shadow)

    @cached_property
    def test(self) -> SimulatedReleases:
        """The releases that attacks are evaluated on."""
        return self._of_pool("test", self.n_releases)

    def _of_pool(self, name: str, n_releases: int) -> SimulatedReleases:
        members = self.draw_members(name, n_releases)
        inside = _only(members, self.pool)
        return SimulatedReleases(self, name, members, inside, _only(inside, self.known))

    @cached_property
    def others(self) -> SimulatedReleases:
        """Reference releases, of as many people as the test releases, without any target."""
        return self._of_reference("others", len(self.pool) // 2, len(self.known) // 2)

    @cached_property
    def others_at_full_size(self) -> SimulatedReleases:
        """Reference releases of as many people as the release at its full size."""
        return self._of_reference("others at full size", self.full_size - 1, len(self.known))

    def _of_reference(self, name: str, n_people: int, n_known: int) -> SimulatedReleases:
        """Crowds drawn from the reference people with replacement; some of each count as known."""
        rng, share = self.rng("groups", name), np.full(len(self.reference), 1 / len(self.reference))
        kind = np.int16 if n_people < np.iinfo(np.int16).max else np.int32
        known, inside = (np.zeros((self.traces.n_users, self.n_shadow), kind) for _ in range(2))
        known[self.reference] = rng.multinomial(n_known, share, self.n_shadow).T
        inside[self.reference] = rng.multinomial(n_people - n_known, share, self.n_shadow).T
        members = np.zeros(inside.shape, bool)
        return SimulatedReleases(self, name, members, inside + known, known, n_people)

    @property
    def full_size(self) -> int:
        """People in the release at its full size: all users but the reference people."""
        return self.traces.n_users - len(self.reference)

    @cached_property
    def full_counts(self) -> np.ndarray:
        """Raw counts of the release at its full size: shape (n_cells,)."""
        inside = np.ones((self.traces.n_users, 1), bool)
        inside[self.reference] = False
        return count_groups(self.bounded, inside)[:, 0].astype(np.int64)

    def draw_members(self, name: str, n_releases: int) -> np.ndarray:
        """Draw random membership labels for all users.

        Parameters
        ----------
        name : str
            Part of the stream's name.
        n_releases : int
            Number of releases.

        Returns
        -------
        ndarray of bool, shape (n_users, n_releases)
            Who is in each release; for controls and reference people a label without meaning,
            since they are in none.
        """
        return self.rng("groups", name).random((self.traces.n_users, n_releases)) < 0.5

    def sample(self, n: int, users: np.ndarray | None = None) -> np.ndarray:
        """Draw users without replacement.

        Parameters
        ----------
        n : int
            How many; all if there are fewer.
        users : ndarray of int, optional
            Positions to draw from; by default the targets.

        Returns
        -------
        ndarray of int
            Sorted positions.
        """
        users = self.targets if users is None else users
        return np.sort(self.rng("few", n).permutation(users)[:n])

    def pool_counts(self) -> np.ndarray:
        """Count the visits of the whole pool.

        Returns
        -------
        ndarray of int32, shape (n_rois, n_epochs)
            Raw counts after contribution bounding.
        """
        members = np.zeros((self.traces.n_users, 1), bool)
        members[self.pool] = True
        return count_groups(self.bounded, members).reshape(self.shape).astype(np.int32)


def _only(inside: np.ndarray, users: np.ndarray) -> np.ndarray:
    """Nobody but these users."""
    kept = np.zeros_like(inside)
    kept[users] = inside[users]
    return kept


class SimulatedReleases:
    """Releases of groups of users.

    Parameters
    ----------
    game : Game
        The game they belong to.
    name : str
        Part of the name of their random stream.
    members : ndarray of bool, shape (n_users, n_releases)
        Membership labels.
    inside : ndarray of bool or int, shape (n_users, n_releases)
        How often each user is counted.
    known : ndarray of bool or int, shape (n_users, n_releases)
        How often each is counted as somebody whom some attackers know.
    size : int, optional
        Upper bound on any count; by default the game's.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        members: np.ndarray,
        inside: np.ndarray,
        known: np.ndarray,
        size: int | None = None,
    ):
        self.game, self.name, self.members = game, name, members
        self.inside, self.known = inside, known
        self.size = game.group_size if size is None else size

    @cached_property
    def raw(self) -> np.ndarray:
        """Counts before any noise: int16 or int32, shape (n_cells, n_releases)."""
        return count_groups(self.game.bounded, self.inside)

    @cached_property
    def published(self) -> np.ndarray:
        """Counts after all mechanisms: float32, shape (n_cells, n_releases)."""
        game = self.game
        rng = game.rng("noise", self.name)
        published = np.empty(self.raw.shape, np.float32)
        width = max(1, _BLOCK // len(self.raw))
        for first in range(0, self.raw.shape[1], width):
            part = slice(first, first + width)
            raw = np.ascontiguousarray(self.raw[:, part].T).reshape(-1, *game.shape)
            counts = game.plan.apply(raw, rng, self.size)
            published[:, part] = counts.reshape(len(counts), -1).T
        return published

    @cached_property
    def remainder(self) -> np.ndarray:
        """Published counts minus the known users: shape (n_cells, n_releases).

        A suppressed count stays 0, since nobody can be subtracted from it.
        """
        remainder = self.published - self.known_counts
        if self.game.plan.threshold:
            remainder[self.published == 0] = 0
        return remainder

    @cached_property
    def known_counts(self) -> np.ndarray:
        """Visits of the known users: integers, shape (n_cells, n_releases)."""
        return count_groups(self.game.bounded, self.known)

    def publish_with(self, person: int, labels: np.ndarray) -> np.ndarray:
        """Publish the target's cells again, with the target in some of the releases.

        Parameters
        ----------
        person : int
            Position of the target, who is in none of these releases.
        labels : ndarray of bool, shape (n_releases,)
            In which of them the target is now counted.

        Returns
        -------
        ndarray, shape (n_cells of the target, n_releases)
            Published counts.
        """
        game = self.game
        cells = game.traces.matrix[[person]].indices
        counted = np.isin(cells, game.bounded.matrix[[person]].indices)
        more = np.outer(labels, counted)
        rng = game.rng("noise of one", self.name, int(person))
        if not isinstance(game.plan.noise, FourierPerturbation):
            counts = self.raw[cells].T + more
            return game.plan.apply(counts[:, None], rng, self.size)[:, 0].T
        rois, row = np.unique(cells // game.traces.n_epochs, return_inverse=True)
        epoch = cells % game.traces.n_epochs  # the noise joins all epochs of a place
        series = self.raw.reshape(*game.shape, -1)[rois].transpose(2, 0, 1).astype(np.int64)
        series[:, row, epoch] += more
        return game.plan.apply(series, rng, self.size)[:, row, epoch].T


def count_groups(traces: Traces, inside: np.ndarray) -> np.ndarray:
    """Count the visits of groups of users in every cell.

    Parameters
    ----------
    traces : Traces
        The records.
    inside : ndarray of bool, shape (n_users, n_groups)
        Who is in each group.

    Returns
    -------
    ndarray of int16 or int32, shape (n_cells, n_groups)
        Raw counts.
    """
    kind = np.int16 if traces.n_users < np.iinfo(np.int16).max else np.int32
    ones = np.ones(traces.matrix.nnz, kind)
    by_user = sparse.csr_array(
        (ones, traces.matrix.indices, traces.matrix.indptr), traces.matrix.shape
    )
    return by_user.T.tocsr() @ inside.astype(kind)

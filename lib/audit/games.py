"""The membership game of an audit: simulated releases, and who is in each of them.

Each user of the pool is in a release with probability one half, independently. Shadow releases are
the attacker's own: they draw groups of users and publish them themselves. Attacks are evaluated on
the test releases. Controls are users who are never in any release (non-members): an attack that
identifies them does not recognise members.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse

from lib.audit.releases import Plan, Release
from lib.randomness import stream
from lib.threats import KNOWN_SHARE
from lib.traces import Traces

FEWEST_USERS = 50
MAX_COUNTS = 1_000_000  # counts of a release (zones x epochs)
_MAX_VALUES = 32_000_000  # counts of all shadow, or of all test, releases together
_CONTROLS = (20, 500)  # a tenth of the users, within these limits
_BLOCK = 1 << 22  # values whose noise is drawn in one call


class Sizes(NamedTuple):
    """Sizes of an audit's simulation.

    Parameters
    ----------
    releases : int
        Number of shadow releases, and of test releases.
    targets : int
        Largest number of targets.
    slow_targets : int
        Targets of attacks that train one model per target.
    synthesis_targets : int
        Targets of attacks that synthesise a population per target; 0 leaves them out.
    trials : int
        Runs of the mechanism for empirical epsilon.
    days : int
        Days inferred from the days before them.
    """

    releases: int
    targets: int
    slow_targets: int
    synthesis_targets: int
    trials: int
    days: int


QUICK = Sizes(100, 300, 12, 0, 200_000, 2)
FULL = Sizes(200, 1000, 40, 6, 1_000_000, 7)


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
            f"{traces.n_users} users; an audit needs at least {FEWEST_USERS}: with fewer, every "
            "interval covers everything, and counts of so few people should not be published"
        )
    if traces.n_rois < 2:
        raise ValueError(f"{traces.n_rois} zone; at least 2 zones were expected")
    if traces.n_epochs < 2:
        raise ValueError(f"{traces.n_epochs} epoch; at least 2 epochs were expected")
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
        order = self.rng("roles").permutation(traces.n_users)
        n_controls = int(np.clip(traces.n_users // 10, *_CONTROLS))
        self.controls = np.sort(order[:n_controls])
        self.pool = np.sort(order[n_controls:])
        n_known = int(KNOWN_SHARE * len(self.pool))
        self.known = np.sort(order[n_controls:][:n_known])
        self.targets = np.sort(order[n_controls:][n_known:][: self.sizes.targets])
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
        """The attacker's own releases."""
        return SimulatedReleases(self, "shadow")

    @cached_property
    def test(self) -> SimulatedReleases:
        """The releases that attacks are evaluated on."""
        return SimulatedReleases(self, "test")

    def draw_members(self, name: str) -> np.ndarray:
        """Draw random membership labels for all users.

        Parameters
        ----------
        name : str
            Part of the stream's name.

        Returns
        -------
        ndarray of bool, shape (n_users, n_releases)
            Who is in each release; for controls a label without meaning, since they are in none.
        """
        return self.rng("groups", name).random((self.traces.n_users, self.n_releases)) < 0.5

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


class SimulatedReleases:
    """Releases of random groups of users.

    Parameters
    ----------
    game : Game
        The game they belong to.
    name : {"shadow", "test"}
        Part of the names of their random streams.

    Attributes
    ----------
    members : ndarray of bool, shape (n_users, n_releases)
        Membership labels.
    """

    def __init__(self, game: Game, name: str):
        self.game, self.name = game, name
        self.members = game.draw_members(name)

    @cached_property
    def inside(self) -> np.ndarray:
        """Who is counted: `members` without the controls."""
        inside = self.members.copy()
        inside[self.game.controls] = False
        return inside

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
            counts = game.plan.apply(raw, rng, game.group_size)
            published[:, part] = counts.reshape(len(counts), -1).T
        return published

    @cached_property
    def remainder(self) -> np.ndarray:
        """Published counts minus the known users: shape (n_cells, n_releases).

        A suppressed count stays 0, since nobody can be subtracted from it.
        """
        inside = np.zeros_like(self.inside)
        inside[self.game.known] = self.inside[self.game.known]
        remainder = self.published - count_groups(self.game.traces, inside)
        if self.game.plan.threshold:
            remainder[self.published == 0] = 0
        return remainder


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

"""The games that all attacks of an audit play: releases drawn from the records, and who is in each.

Each person of the pool is in a release with chance one half, independently. Shadow releases are
the attacker's own: she draws groups of people and publishes them herself. Test releases are those
she is judged on. Controls are people who are never in: who finds them finds nothing real.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse

from lib.audit.releases import Plan, Release
from lib.audit.threats import KNOWN_SHARE
from lib.randomness import stream
from lib.traces import Traces

FEWEST_USERS = 50
MOST_CELLS = 1_000_000
_MOST_VALUES = 32_000_000  # counts of all shadow, or all test, releases together
_CONTROLS = (20, 500)  # at least, and at most: a tenth of the users between
_BLOCK = 1 << 22  # values whose noise is drawn at once


class Sizes(NamedTuple):
    """How much is played."""

    releases: int  # shadow releases, and as many test releases
    targets: int
    few_targets: int  # for attacks that learn one model a target
    rare_targets: int  # for attacks that synthesize a population a target; 0: not tried
    trials: int  # of the mechanism, for empirical epsilon
    days: int  # that are inferred from the days before


QUICK = Sizes(100, 300, 12, 0, 200_000, 2)
FULL = Sizes(200, 1000, 40, 6, 1_000_000, 7)


def check(traces: Traces) -> None:
    """ValueError for records about which an audit could say nothing, or that are too many."""
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
    if n_cells > MOST_CELLS:
        raise ValueError(
            f"{traces.n_rois} zones x {traces.n_epochs} epochs are {n_cells} counts; an audit "
            f"takes {MOST_CELLS}: choose a shorter period, longer epochs or fewer zones"
        )
    starts, cells = traces.matrix.indptr, traces.matrix.indices
    first = cells[: starts[1]]
    sizes = np.diff(starts)
    alike = (sizes == sizes[0]).all() and (cells.reshape(-1, max(sizes[0], 1)) == first).all()
    if not len(cells) or alike:
        raise ValueError(
            f"all {traces.n_users} users have the same {sizes[0]} visits: no attack can tell them "
            "apart, and no audit can say anything; are the user ids right?"
        )


class Games:
    """Releases of one audit, drawn when they are first asked for; every draw has its own stream.

    pool, controls  who may be in a release, and who never is;  targets  of the pool, asked about
    known           others of the pool, whose visits, and whether they are in, some attackers know
    """

    def __init__(self, traces: Traces, release: Release, seed: int, quick: bool):
        check(traces)
        self.traces, self.release, self.seed = traces, release, seed
        self.plan: Plan = release.plan(traces)
        self.sizes = QUICK if quick else FULL
        n_cells = traces.n_rois * traces.n_epochs
        self.n_releases = max(20, min(self.sizes.releases, _MOST_VALUES // n_cells))
        order = self.rng("roles").permutation(traces.n_users)
        n_controls = int(np.clip(traces.n_users // 10, *_CONTROLS))
        self.controls = np.sort(order[:n_controls])
        self.pool = np.sort(order[n_controls:])
        # nobody is both asked about and known
        n_known = int(KNOWN_SHARE * len(self.pool))
        self.known = np.sort(order[n_controls:][:n_known])
        self.targets = np.sort(order[n_controls:][n_known:][: self.sizes.targets])
        self.group_size = len(self.pool)  # nobody's count can be larger

    def rng(self, *names: str | int) -> np.random.Generator:
        """The audit's stream of that name."""
        return stream(self.seed, "audit", *names)

    @cached_property
    def bounded(self) -> Traces:
        """The records of which counts are made: each person's choice of visits is made once."""
        return self.plan.bounded(self.traces, self.rng("bound"))

    def draw(self, name: str) -> np.ndarray:
        """Who is in each release: bool (n_users, n_releases); for controls a label that says
        nothing, since they are in none."""
        return self.rng("groups", name).random((self.traces.n_users, self.n_releases)) < 0.5

    @cached_property
    def shadow(self) -> Played:
        return Played(self, "shadow")

    @cached_property
    def test(self) -> Played:
        return Played(self, "test")

    def few(self, n: int, among: np.ndarray | None = None) -> np.ndarray:
        """n targets at random; with fewer, all."""
        among = self.targets if among is None else among
        return np.sort(self.rng("few", n).permutation(among)[:n])


class Played:
    """Releases: `members` bool (n_users, n_releases), raw counts, and what was published."""

    def __init__(self, games: Games, name: str):
        self.games, self.name = games, name
        self.members = games.draw(name)

    @cached_property
    def inside(self) -> np.ndarray:
        """Who is counted: as `members`, and no control ever."""
        inside = self.members.copy()
        inside[self.games.controls] = False
        return inside

    @cached_property
    def raw(self) -> np.ndarray:
        """(n_cells, n_releases) counts before any noise, int16 or int32."""
        return count(self.games.bounded, self.inside)

    @cached_property
    def published(self) -> np.ndarray:
        """(n_cells, n_releases) float32, as everybody sees them."""
        games = self.games
        shape = games.traces.n_rois, games.traces.n_epochs
        rng = games.rng("noise", self.name)
        found = np.empty(self.raw.shape, np.float32)
        width = max(1, _BLOCK // len(self.raw))
        for first in range(0, self.raw.shape[1], width):
            part = slice(first, first + width)
            raw = np.ascontiguousarray(self.raw[:, part].T).reshape(-1, *shape)
            done = games.plan.counts(raw, rng, games.group_size)
            found[:, part] = done.reshape(len(done), -1).T
        return found

    @cached_property
    def remainder(self) -> np.ndarray:
        """(n_cells, n_releases): what is published less those whom the attacker knows.

        A count that is hidden stays 0: from nothing nobody can be subtracted.
        """
        inside = np.zeros_like(self.inside)
        inside[self.games.known] = self.inside[self.games.known]
        known = count(self.games.traces, inside)
        left = self.published - known
        if self.games.plan.threshold:
            left[self.published == 0] = 0
        return left


def count(traces: Traces, inside: np.ndarray) -> np.ndarray:
    """(n_cells, n_groups) counts of groups given as bool (n_users, n_groups)."""
    kind = np.int16 if traces.n_users < np.iinfo(np.int16).max else np.int32
    ones = np.ones(traces.matrix.nnz, kind)
    by_user = sparse.csr_array(
        (ones, traces.matrix.indices, traces.matrix.indptr), traces.matrix.shape
    )
    return by_user.T.tocsr() @ inside.astype(kind)

"""Threat models: what an attacker knows, times what they want.

The threat models of membership inference draw training and test material, so that any attack with
`fit` and `decision_function` can be evaluated under each of them in the same few lines.

References
----------
F. Houssiau et al., TAPAS: a toolbox for adversarial privacy auditing of synthetic data (2022).

Examples
--------
>>> from lib import metrics
>>> from lib.datasets import load
>>> from lib.mechanisms import Laplace
>>> from lib.membership import OneThreshold
>>> six = load('six-users')
>>> threat = KnownMembers(six, target=0, group_size=2, mechanism=Laplace(1.0))
>>> threat.knowledge.words, threat.goal.words
('the records of everybody else', 'was the target among those who were counted?')
>>> material = threat.sample(np.random.default_rng(1))
>>> attack = OneThreshold().fit(material.train, material.train_members)
>>> metrics.auc(material.test_members, attack.decision_function(material.test)) > 0.9
True
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lib.mechanisms import Mechanism, TraceMechanism
from lib.membership import game, shadows
from lib.membership.challenges import Challenge
from lib.membership.zero_knowledge import ZeroKnowledge
from lib.traces import Traces

KNOWN_SHARE = 0.3  # share of the other users whom an attacker with partial knowledge knows


@dataclass(frozen=True)
class Knowledge:
    """What an attacker has besides the release.

    Parameters
    ----------
    name : str
        Key of `KNOWLEDGE`.
    words : str
        Completes "an attacker who knows ...".
    plausible : bool
        Whether somebody may well have this knowledge.
    """

    name: str
    words: str
    plausible: bool


@dataclass(frozen=True)
class Goal:
    """What an attacker wants to find out.

    Parameters
    ----------
    name : str
        Key of `GOALS`.
    words : str
        The attacker's question.
    """

    name: str
    words: str


GOALS = {
    name: Goal(name, words)
    for name, words in {
        "membership": "was the target among those who were counted?",
        "place": "where was the target at a given hour?",
        "trajectory": "what was the target's trajectory through the whole period?",
        "re-identification": "how few sightings single the target out?",
        "disclosure": "what were the counts that the release hides?",
    }.items()
}
KNOWLEDGE = {
    name: Knowledge(name, words, plausible)
    for name, words, plausible in (
        ("release", "nothing but the release", True),
        ("her visits", "the target's visits", True),
        ("her visits and the map", "the target's visits and where the places are", True),
        ("some others", f"the target's visits and those of {KNOWN_SHARE:.0%} of the others", True),
        (
            "other people",
            "the target's visits and the traces of other people of the same kind",
            True,
        ),
        ("crowd", "the traces of everybody who may be counted, though not who is counted", False),
        ("past releases", "the target's visits and who was in earlier releases", True),
        ("history", "where everybody was in the weeks before, and who is counted", True),
        ("raw counts", "the raw counts of the very groups that are released", False),
        ("everybody else", "the records of everybody else", False),
        ("two releases", "a second release that the target left or joined", False),
        ("records", "the records themselves, which are not published", False),
    )
}


class _Described:
    """Words for a pair of knowledge and goal."""

    knowledge: Any
    goal: Any

    @property
    def plausible(self) -> bool:
        """Whether somebody may well have the knowledge."""
        return self.knowledge.plausible

    def describe(self) -> str:
        """Describe the threat model in one sentence.

        Returns
        -------
        str
            "An attacker who knows ... asks: ...?"
        """
        return f"An attacker who knows {self.knowledge.words} asks: {self.goal.words}"


@dataclass(frozen=True)
class Threat(_Described):
    """A threat model in words only.

    Parameters
    ----------
    knowledge : Knowledge
        What the attacker has.
    goal : Goal
        What the attacker wants.
    """

    knowledge: Knowledge
    goal: Goal


def threat(knowledge: str, goal: str) -> Threat:
    """Look up a threat model by the names of its two parts.

    Parameters
    ----------
    knowledge : str
        Key of `KNOWLEDGE`.
    goal : str
        Key of `GOALS`.

    Returns
    -------
    Threat
        The threat model.

    Raises
    ------
    KeyError
        If either name is unknown.
    """
    return Threat(KNOWLEDGE[knowledge], GOALS[goal])


# -- membership ------------------------------------------------------------------------------------


class Material(NamedTuple):
    """Labelled aggregates, in random order.

    Parameters
    ----------
    train : ndarray, shape (n_train, n_rois, n_epochs) or (n_train, n_cells)
        Aggregates that the attacker can label.
    train_members : ndarray of {0, 1}, shape (n_train,)
        1 for aggregates that contain the target.
    test : ndarray, shape (n_test, n_rois, n_epochs) or (n_test, n_cells)
        Released aggregates.
    test_members : ndarray of {0, 1}, shape (n_test,)
        The truth about them.
    """

    train: np.ndarray
    train_members: np.ndarray
    test: np.ndarray
    test_members: np.ndarray


@dataclass(frozen=True, eq=False)
class ThreatModel(_Described, ABC):
    """A threat model of membership inference on one target.

    Parameters
    ----------
    traces : Traces
        The whole population.
    target : int
        Position of the target in `traces`; `lib.membership.game.target_position` finds it by id.
    group_size : int
        Users in an aggregate.
    """

    traces: Traces
    target: int
    group_size: int

    goal = GOALS["membership"]

    @property
    @abstractmethod
    def knowledge(self) -> Knowledge:
        """What the attacker has besides the release."""

    @abstractmethod
    def _draw(self, rng: np.random.Generator) -> Material:
        """Material in any order."""

    def sample(self, rng: np.random.Generator) -> Material:
        """Draw training and test aggregates.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        Material
            Aggregates with labels, in random order.

        Raises
        ------
        lib.membership.game.TargetAbsent
            If the target is seen nowhere in the periods of the game (a ValueError).
        ValueError
            If sizes, shares or periods do not fit the traces.
        """
        train, train_members, test, test_members = self._draw(rng)
        first, second = rng.permutation(len(train)), rng.permutation(len(test))
        return Material(train[first], train_members[first], test[second], test_members[second])


@dataclass(frozen=True, eq=False)
class _ProtectedGroups(ThreatModel):
    """A task of KK, with protected aggregates."""

    mechanisms: Sequence[Mechanism] = ()
    knows_mechanisms: bool = True

    @abstractmethod
    def _task(self, rng: np.random.Generator) -> game.Task:
        """The task with raw counts."""

    def _draw(self, rng: np.random.Generator) -> Material:
        protect = game.strategic_task if self.knows_mechanisms else game.passive_task
        task = protect(self._task(rng), self.mechanisms, rng)
        return Material(task.train, task.train_members, task.test, task.test_members)


@dataclass(frozen=True, eq=False)
class ReferencePopulation(_ProtectedGroups):
    """The attacker has the traces of a share of the population, the target's among them.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population, as in `ThreatModel`.
    target : int
        Position of the target, as in `ThreatModel`.
    group_size : int
        Users in a group, as in `ThreatModel`.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What is applied to counts before the release.
    knows_mechanisms : bool
        Whether the attacker protects the training aggregates alike (KK's strategic attacker) or
        trains on raw counts (passive).
    known_share : float in (0, 1)
        Share of the users whose traces are known.
    epochs : range, optional
        Positions of the released epochs; by default all.
    n_train, n_test : int
        Numbers of groups, even.

    References
    ----------
    KK, Sec. IV-A (prior 1).
    """

    known_share: float = 0.5
    epochs: range | None = None
    n_train: int = 400
    n_test: int = 100

    @property
    def knowledge(self) -> Knowledge:
        """The target's visits and the traces of other people."""
        return KNOWLEDGE["other people"]

    def _task(self, rng: np.random.Generator) -> game.Task:
        epochs = range(self.traces.n_epochs) if self.epochs is None else self.epochs
        sizes = {"n_train": self.n_train, "n_test": self.n_test}
        return game.subset_task(
            self.traces, self.target, self.known_share, self.group_size, epochs, rng, **sizes
        )


@dataclass(frozen=True, eq=False)
class SameGroups(_ProtectedGroups):
    """The attacker knows who was in earlier releases of the very groups that are released again.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population, as in `ThreatModel`.
    target : int
        Position of the target, as in `ThreatModel`.
    group_size : int
        Users in a group, as in `ThreatModel`.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What is applied to counts before the release.
    knows_mechanisms : bool
        As in `ReferencePopulation`.
    epochs : range
        Positions of the released epochs.
    past : sequence of range
        Positions of the epochs of earlier releases, each of the same length as `epochs`.
    n_groups : int
        Number of groups, even.

    References
    ----------
    KK, Sec. IV-A (prior 2a).
    """

    epochs: range = range(0)
    past: Sequence[range] = ()
    n_groups: int = 100

    @property
    def knowledge(self) -> Knowledge:
        """The target's visits and who was in earlier releases."""
        return KNOWLEDGE["past releases"]

    def _task(self, rng: np.random.Generator) -> game.Task:
        return game.same_groups_task(
            self.traces, self.target, self.n_groups, self.group_size, self.epochs, self.past, rng
        )


@dataclass(frozen=True, eq=False)
class DifferentGroups(SameGroups):
    """The attacker knows who was in earlier releases of other groups.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population, as in `ThreatModel`.
    target : int
        Position of the target, as in `ThreatModel`.
    group_size : int
        Users in a group, as in `ThreatModel`.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What is applied to counts before the release.
    knows_mechanisms : bool
        As in `ReferencePopulation`.
    epochs : range
        Positions of the released epochs.
    past : sequence of range
        Positions of the epochs of earlier releases, each of the same length as `epochs`.
    n_groups : int
        Number of groups to learn from, even.
    n_test : int
        Number of released groups, even.

    References
    ----------
    KK, Sec. IV-A (prior 2b).
    """

    n_test: int = 100

    def _task(self, rng: np.random.Generator) -> game.Task:
        return game.different_groups_task(
            self.traces,
            self.target,
            self.n_groups,
            self.group_size,
            self.epochs,
            self.past,
            rng,
            self.n_test,
        )


@dataclass(frozen=True, eq=False)
class RawCounts(_ProtectedGroups):
    """The attacker knows the released groups and their raw counts: the worst case for a defense.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population, as in `ThreatModel`.
    target : int
        Position of the target, as in `ThreatModel`.
    group_size : int
        Users in a group, as in `ThreatModel`.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What is applied to counts before the release.
    knows_mechanisms : bool
        As in `ReferencePopulation`.
    epochs : range, optional
        Positions of the released epochs; by default all.
    n_groups : int
        Number of groups, even.

    References
    ----------
    KK, Sec. VII-B (perfect prior).
    """

    epochs: range | None = None
    n_groups: int = 100

    @property
    def knowledge(self) -> Knowledge:
        """The raw counts of the very groups that are released."""
        return KNOWLEDGE["raw counts"]

    def _task(self, rng: np.random.Generator) -> game.Task:
        epochs = range(self.traces.n_epochs) if self.epochs is None else self.epochs
        return game.perfect_task(
            self.traces, self.target, self.n_groups, self.group_size, epochs, rng
        )


@dataclass(frozen=True, eq=False)
class KnownMembers(ThreatModel):
    """The attacker knows the traces of a share of the other members and subtracts them.

    With a share of 1 this is the informed attacker, with 0 the auxiliary attacker. Material is
    restricted to cells of the target: what is left of each count after subtraction.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population, as in `ThreatModel`.
    target : int
        Position of the target, as in `ThreatModel`.
    group_size : int
        Other users in an aggregate; training and test groups come from disjoint halves of the
        population.
    mechanism : lib.mechanisms.Mechanism
        What is applied to counts before the release.
    known_share : float in [0, 1]
        Share of the other members whose traces are known.
    n_cells : int, optional
        Number of the target's cells, drawn at random; by default all.
    n_train, n_test : int
        Numbers of aggregates, even.

    References
    ----------
    Threshold paper, Alg. 1 and Sec. 5.2.
    """

    mechanism: Mechanism
    known_share: float = 1.0
    n_cells: int | None = None
    n_train: int = 1000
    n_test: int = 1000

    @property
    def knowledge(self) -> Knowledge:
        """The records of everybody else, of some others, or of other people of the same kind."""
        name = {1.0: "everybody else", 0.0: "other people"}.get(self.known_share)
        if name is not None:
            return KNOWLEDGE[name]
        words = f"the target's visits and those of {self.known_share:.0%} of the others"
        return Knowledge("some others", words, plausible=self.known_share <= KNOWN_SHARE)

    def _draw(self, rng: np.random.Generator) -> Material:
        n_visited = int(self.traces.visits().iloc[self.target])
        n_cells = n_visited if self.n_cells is None else self.n_cells
        cells = shadows.positive_cells(self.traces, self.target, n_cells, rng)
        pools = shadows.split_users(self.traces, self.target, rng)

        def draw(pool: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
            visits = shadows.visits_at(self.traces, pool, cells)
            return shadows.shadow_aggregates(
                visits, n, self.group_size, self.mechanism, rng, self.known_share
            )

        return Material(*draw(pools.auxiliary, self.n_train), *draw(pools.target, self.n_test))


@dataclass(frozen=True, eq=False)
class ReleaseOnly(ThreatModel):
    """The attacker knows the target's visits and a map; training aggregates are synthetic.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population, as in `ThreatModel`.
    target : int
        Position of the target, as in `ThreatModel`.
    group_size : int
        Users in a group, as in `ThreatModel`.
    mechanisms : sequence of lib.mechanisms.Mechanism or TraceMechanism
        What is applied before the release; the attacker knows it.
    n_traces : int
        Synthetic traces to make from the first release, at least `group_size`.
    n_train, n_test : int
        Numbers of aggregates, even.

    References
    ----------
    ZK, Sec. 4 and 5.3.
    """

    mechanisms: Sequence[Mechanism | TraceMechanism] = ()
    n_traces: int = 5000
    n_train: int = 400
    n_test: int = 100

    @property
    def knowledge(self) -> Knowledge:
        """The target's visits and where the places are."""
        return KNOWLEDGE["her visits and the map"]

    def _draw(self, rng: np.random.Generator) -> Material:
        challenge = Challenge(
            self.traces, self.target, self.mechanisms, self.group_size, 0, rng, self.n_test
        )
        attack = ZeroKnowledge(
            challenge.trace,
            challenge.rois,
            challenge.on_counts,
            self.group_size,
            n_traces=self.n_traces,
            epochs=challenge.epochs,
            n_train=self.n_train,
            n_validation=2,
        )
        train = attack.train(challenge.release, rng).aggregates()
        return Material(*train, challenge.releases, challenge.members)

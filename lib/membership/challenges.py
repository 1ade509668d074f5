"""Test groups of one target, and both attackers of ZK evaluated on them.

Source: ZK, Sec. 5.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, reduce
from typing import Any

import numpy as np
from scipy import sparse

from lib import metrics
from lib.aggregation import sample_member_groups
from lib.mechanisms import apply_trace_mechanisms
from lib.membership import marginals
from lib.membership.protection import CountProtection, count_dtype
from lib.membership.zero_knowledge import LinearAttack, Training, ZeroKnowledge
from lib.traces import Traces
from lib.validation import validated


class Challenge:
    """Test groups of one target, half of them with the target, and their releases.

    Parameters
    ----------
    traces : Traces
        The whole population.
    target : int
        Position of the target in `traces`.
    mechanisms : sequence of lib.mechanisms.Mechanism
        What is applied before the release; mechanisms on traces are applied to all users.
    group_size : int
        Users in an aggregate.
    n_reference : int
        Other users whose traces Knock-Knock's attacker has. Test groups are drawn from the rest
        and the target.
    rng : numpy.random.Generator
        Source of randomness.
    n_test : int
        Number of test groups, even.

    Attributes
    ----------
    trace : ndarray of {0, 1}, shape (n_rois, n_epochs)
        The target's trace, bounded as it is released.
    reference : Traces
        Traces of the `n_reference` other users.
    on_counts : list
        Mechanisms on counts, which the attackers imitate.
    members : ndarray of {0, 1}, shape (n_test,)
        1 for groups with the target, in random order.

    Raises
    ------
    ValueError
        If there are too few users, or as `Training`.

    References
    ----------
    ZK, Sec. 5.3.
    """

    @validated
    def __init__(
        self,
        traces: Traces,
        target: int,
        mechanisms: Sequence[Any],
        group_size: int,
        n_reference: int,
        rng: np.random.Generator,
        n_test: int = 100,
    ):
        traces, self.on_counts = apply_trace_mechanisms(traces, mechanisms, rng)
        others = np.setdiff1d(np.arange(traces.n_users), [target])
        if n_reference + group_size > len(others):
            raise ValueError(
                f"{n_reference} users of reference and groups of {group_size}: the "
                f"{len(others)} users beside the target do not allow both"
            )
        others = rng.permutation(others)
        self.reference = traces.select(users=traces.users[np.sort(others[:n_reference])])
        self.rois, self.epochs = traces.rois, traces.epochs
        self.trace = traces.trace(traces.users[target])
        groups, members = sample_member_groups(
            others[n_reference:], target, n_test, group_size, rng
        )
        order = rng.permutation(n_test)
        self.members, self.group_size = members[order], group_size
        self.protection = CountProtection.of(self.on_counts)
        self.by_cell = sparse.csr_array(traces.matrix.T.astype(count_dtype(group_size)))
        self._indicator = np.zeros((traces.n_users, n_test), self.by_cell.dtype)
        self._indicator[groups[order], np.arange(n_test)[:, None]] = 1
        self._seed = int(rng.integers(2**63))

    @cached_property
    def release(self) -> np.ndarray:
        """The whole release of the first test group, (n_rois, n_epochs), from which ZK learns."""
        return self._released(np.arange(self.trace.size), slice(0, 1)).reshape(self.trace.shape)

    @property
    def releases(self) -> np.ndarray:
        """The whole releases of all test groups, (n_test, n_rois, n_epochs)."""
        cells = np.arange(self.trace.size)
        return self.releases_at(cells).reshape(-1, *self.trace.shape)

    def releases_at(self, cells: np.ndarray) -> np.ndarray:
        """Return the releases of all test groups at some cells.

        Parameters
        ----------
        cells : ndarray of int
            cell = roi * n_epochs + epoch.

        Returns
        -------
        ndarray, shape (n_test, len(cells))
            Released counts; the same whatever other cells are asked for.
        """
        return self._released(cells, slice(None))

    def _released(self, cells: np.ndarray, groups: slice) -> np.ndarray:
        counts = self.by_cell[cells] @ self._indicator[:, groups]
        counts = self.protection.add_seeded_noise(counts, cells, self._seed)
        return self.protection.finish(counts, self.group_size).T

    def scores(self, attacks: Mapping[Any, LinearAttack]) -> dict[Any, np.ndarray]:
        """Score the same releases, noise included, with several attacks.

        Parameters
        ----------
        attacks : mapping of name to LinearAttack
            Learned attacks.

        Returns
        -------
        dict of name to ndarray, shape (n_test,)
            Scores of the test groups.
        """
        cells = reduce(np.union1d, [attack.used_cells for attack in attacks.values()])
        counts = self.releases_at(cells.astype(int))
        return {
            name: attack.score_counts(counts[:, np.searchsorted(cells, attack.used_cells)])
            for name, attack in attacks.items()
        }


_GUESS = LinearAttack(np.arange(0), np.zeros(0), 0.0, np.arange(0))  # the same score for all


@validated
def evaluate_attackers(
    challenge: Challenge,
    rng: np.random.Generator,
    *,
    attackers: Sequence[str] = ("KK", "ZK"),
    scorers: Sequence[str] = ("logistic",),
    known: np.ndarray | None = None,
    n_traces: int = 5000,
    estimator: Callable[..., marginals.Marginals] = marginals.estimate,
    solver: Mapping[str, Any] | None = None,
    **training: Any,
) -> list[dict[str, Any]]:
    """Evaluate attackers on the same test groups.

    Parameters
    ----------
    challenge : Challenge
        Test groups of one target.
    rng : numpy.random.Generator
        Source of randomness.
    attackers : sequence of {"KK", "ZK"}
        "KK" has the challenge's reference traces, "ZK" synthetic ones.
    scorers : sequence of str
        How to learn, as `Training.attack`.
    known : ndarray of {0, 1}, shape (n_rois, n_epochs), optional
        The target's visits that the attackers know; by default all.
    n_traces : int
        Synthetic traces of "ZK".
    estimator : callable
        Estimates the marginals, as for `ZeroKnowledge`.
    solver : mapping, optional
        Options of `lib.membership.sparse_logistic.fit`.
    **training
        Options of `Training`.

    Returns
    -------
    list of dict
        One row per attacker and scorer: attacker, scorer, AUC, accuracy (at the threshold chosen on
        the validation aggregates), relative duality gap of the logistic regression, and TPR at an
        FPR of 1%, which needs hundreds of test groups. "ZK" learns nothing from a release without
        counts and gives all groups the same score.
    """
    visits = challenge.trace if known is None else known
    learned: dict[tuple[str, str], LinearAttack] = {}
    synthetic = {"n_traces": n_traces, "estimator": estimator}
    for attacker in attackers:
        try:
            train = _training(challenge, attacker, visits, rng, synthetic, training)
        except marginals.EmptyRelease:
            learned |= {(attacker, scorer): _GUESS for scorer in scorers}
            continue
        for scorer in scorers:
            options = dict(solver or {}) if scorer == "logistic" else {}
            learned[attacker, scorer] = train.attack(scorer, **options)
    return [
        {"attacker": attacker, "scorer": scorer}
        | _scored(scores, challenge.members, learned[attacker, scorer])
        for (attacker, scorer), scores in challenge.scores(learned).items()
    ]


def _training(
    challenge: Challenge,
    attacker: str,
    visits: np.ndarray,
    rng: np.random.Generator,
    synthetic: Mapping[str, Any],
    training: Mapping[str, Any],
) -> Training:
    """Draw the training aggregates of an attacker, from reference or from synthetic traces."""
    mechanisms, size = challenge.on_counts, challenge.group_size
    reference = challenge.reference
    if attacker == "ZK":
        attack = ZeroKnowledge(
            visits, challenge.rois, mechanisms, size, rng, epochs=challenge.epochs, **synthetic
        )
        reference = attack.synthesize(challenge.release, rng)
    return Training(reference, visits, mechanisms, size, rng, **training)


def _scored(scores: np.ndarray, members: np.ndarray, attack: LinearAttack) -> dict[str, Any]:
    right = (scores > attack.threshold) == (members == 1)
    return {
        "AUC": metrics.auc(members, scores),
        "accuracy": float(right.mean()),
        "gap": attack.gap,
        "TPR": metrics.tpr_at_fpr(members, scores, 0.01),
    }

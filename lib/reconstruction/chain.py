"""A person as a Markov chain over locations.

Source: Koga et al., Sec. 3.1.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import sparse, special
from scipy.sparse import csgraph

from lib.ties import argmax_log
from lib.validation import check_integer, validated

_SUM_TOLERANCE = 1e-8  # of a row of probabilities from 1
_STATIONARY_TOLERANCE = 1e-9
_FAINTEST = 1e-150  # noise whose square a float holds
_SMOOTHING = 1e-6  # of estimated chains that would have no unique stationary limit


class MarkovChain:
    """The law of a trajectory: where it begins, and how it goes on.

    initial     (n_locations,) probabilities of the first location
    transition  (n_locations, n_locations); row i: probabilities of the next location from i

    Raises ValueError for shapes that do not fit, for what is no probability, and for a row that
    does not sum to one, naming it. Source: Koga et al., Sec. 3.1 (pi and P).

    >>> chain = MarkovChain([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> chain.n_locations, chain.is_stationary
    (2, True)
    >>> round(chain.entropy(n_epochs=1), 3)  # log 2, nats
    0.693
    """

    @validated
    def __init__(self, initial: np.ndarray, transition: np.ndarray):
        self.transition = _probabilities("transition", transition, 2)
        self.initial = _probabilities("initial", initial, 1)
        n = len(self.transition)
        if self.transition.shape != (n, n) or self.initial.shape != (n,) or n == 0:
            raise ValueError(
                f"initial is {self.initial.shape} and transition {self.transition.shape}; "
                "(n,) and (n, n) with n >= 1 were expected"
            )

    @classmethod
    @validated
    def stationary(cls, transition: np.ndarray) -> MarkovChain:
        """The chain that begins in its stationary law.

        Raises ValueError for a reducible or a periodic chain, naming locations: then the law to
        which the chain settles is not unique, or there is none.
        """
        transition = _probabilities("transition", transition, 2)
        if len(transition) != transition.shape[1] or not len(transition):
            raise ValueError(f"transition is {transition.shape}; (n, n) with n >= 1 was expected")
        if not _settles(transition):
            raise ValueError(f"no stationary distribution: {_unsettled(transition)}")
        return cls(_stationary_distribution(transition), transition)

    @classmethod
    @validated
    def from_visits(
        cls, visits: np.ndarray, n_locations: int, pseudocount: float = 0.0
    ) -> MarkovChain:
        """A user's chain, estimated from where she was in each training epoch.

        visits       (n_epochs,) locations, 0-based
        pseudocount  added to the count of each transition between visited locations

        Rows are relative frequencies; a location that was never left, or never visited, keeps the
        user for ever. The chain begins in its stationary law, on the visited locations only. Where
        that is not unique or not settled to (a reducible or periodic chain), each transition
        between visited locations is first mixed with a share of 1e-6 of the uniform one.
        Raises ValueError for fewer than two visits, a location outside 0..n_locations - 1 or a
        negative pseudocount. Source: Koga et al., Sec. 4.1; the paper leaves these cases open.
        """
        visits = check_locations("visits", visits, n_locations)
        if visits.ndim != 1 or len(visits) < 2:
            raise ValueError(f"visits has shape {visits.shape}; two visits in a row at least")
        if not (np.isfinite(pseudocount) and pseudocount >= 0):
            raise ValueError(f"pseudocount is {pseudocount}; a number from 0 was expected")
        seen, state = np.unique(visits, return_inverse=True)
        counts = np.full((len(seen), len(seen)), float(pseudocount))
        np.add.at(counts, (state[:-1], state[1:]), 1.0)
        left = counts.sum(axis=1)
        counts[left == 0, left == 0] = 1.0  # only the last location can have no way out
        inner = counts / counts.sum(axis=1, keepdims=True)
        if not _settles(inner):
            inner = (1 - _SMOOTHING) * inner + _SMOOTHING / len(seen)
        initial, transition = np.zeros(n_locations), np.eye(n_locations)
        initial[seen] = _stationary_distribution(inner)
        transition[np.ix_(seen, seen)] = inner
        return cls(initial, transition)

    @property
    def n_locations(self) -> int:
        """How many locations there are (M)."""
        return len(self.initial)

    def __repr__(self) -> str:
        return f"MarkovChain({self.n_locations} locations)"

    @cached_property
    def is_stationary(self) -> bool:
        """Whether one step leaves the initial law as it is, to 1e-9."""
        moved = self.initial @ self.transition
        return bool(np.abs(moved - self.initial).max() < _STATIONARY_TOLERANCE)

    @cached_property
    def support(self) -> np.ndarray:
        """The locations that can ever be visited, ascending."""
        reached = self.initial > 0
        while True:
            further = reached | (self.transition[reached] > 0).any(axis=0)
            if (further == reached).all():
                return np.flatnonzero(reached)
            reached = further

    @cached_property
    def log_initial(self) -> np.ndarray:
        return _log(self.initial)

    @cached_property
    def log_transition(self) -> np.ndarray:
        return _log(self.transition)

    def restricted(self) -> MarkovChain:
        """The same chain on its support alone: locations are renumbered in their order."""
        return self if len(self.support) == self.n_locations else self._inner

    @cached_property
    def _inner(self) -> MarkovChain:
        """The chain on its support."""
        s = self.support
        return MarkovChain(self.initial[s], self.transition[np.ix_(s, s)])

    @cached_property
    def _row_entropies(self) -> np.ndarray:
        """Entropy of each row of the transition matrix, in nats."""
        return special.entr(self.transition).sum(axis=1)

    @property
    def spectral_gap(self) -> float:
        """One less the second largest modulus of the eigenvalues, on the support.

        Small: slow to mix, reducible or periodic. NaN for a chain with a single location.
        """
        s = self.support
        moduli = np.sort(np.abs(np.linalg.eigvals(self.transition[np.ix_(s, s)])))
        return max(0.0, float(1 - moduli[-2])) if len(s) > 1 else float("nan")

    @validated
    def marginals(self, n_epochs: int) -> np.ndarray:
        """The law of the location in each epoch: (n_epochs, n_locations)."""
        marginals = np.empty((check_epochs(n_epochs), self.n_locations))
        marginals[0] = self.initial
        for t in range(1, n_epochs):
            marginals[t] = marginals[t - 1] @ self.transition
        return marginals

    @validated
    def entropy(self, n_epochs: int) -> float:
        """Entropy of a whole trajectory in nats: H(X_1) + sum of H(X_t | X_{t-1}) (Sec. 3.3.1)."""
        inner = self.restricted()
        before = inner.marginals(n_epochs)[:-1].sum(axis=0)
        return float(special.entr(inner.initial).sum() + before @ inner._row_entropies)

    @validated
    def sample(self, n_runs: int, n_epochs: int, rng: np.random.Generator) -> np.ndarray:
        """Trajectories, int (n_runs, n_epochs)."""
        check_integer("n_runs", n_runs)
        cumulative = np.cumsum(np.vstack([self.initial, self.transition]), axis=1)
        cumulative[:, -1] = 1.0  # rounding must not lead out of the map
        found = np.empty((n_runs, check_epochs(n_epochs)), np.int64)
        row = np.zeros(n_runs, np.int64)
        for t in range(n_epochs):
            drawn = rng.random(n_runs)
            for chunk in np.array_split(np.arange(n_runs), max(1, n_runs * len(row) // 10**7)):
                found[chunk, t] = (cumulative[row[chunk]] <= drawn[chunk, None]).sum(axis=1)
            row = found[:, t] + 1
        return found

    @validated
    def log_probability(self, trajectories: np.ndarray) -> np.ndarray:
        """Log-probability of each trajectory (..., n_epochs); -inf for one that cannot be.

        trajectories  (..., n_epochs) locations, from 0
        """
        x = check_locations("trajectories", trajectories, self.n_locations)
        if not x.ndim or not x.shape[-1]:
            raise ValueError(f"trajectories are {x.shape}; (..., n_epochs) was expected")
        steps = self.log_transition[x[..., :-1], x[..., 1:]].sum(axis=-1)
        return self.log_initial[x[..., 0]] + steps


@validated
def distance_chain(n_locations: int, tau: float) -> MarkovChain:
    """Locations on a line; from i to j in proportion to exp(-|j - i| / (tau n_locations)).

    A larger tau moves faster. Begins in the stationary law. Source: Koga et al., Sec. 4.1.
    Raises ValueError if tau is not a positive number, or without a location.
    """
    if not (np.isfinite(tau) and tau > 0):
        raise ValueError(f"tau is {tau}; a finite number above 0 was expected")
    if n_locations < 1:
        raise ValueError(f"n_locations is {n_locations}; at least 1")
    line = np.arange(n_locations)
    weight = np.exp(-np.abs(line[:, None] - line) / (tau * n_locations))
    return MarkovChain.stationary(weight / weight.sum(axis=1, keepdims=True))


# -- Viterbi -------------------------------------------------------------------------------------


def viterbi_scores(
    log_initial: np.ndarray, log_transition: np.ndarray, log_emissions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """PLACEHOLDER"""
    n_epochs, n_locations = log_emissions.shape
    into = np.ascontiguousarray(log_transition.T)
    scores = np.empty((n_epochs, n_locations))
    pointers = np.zeros((n_epochs, n_locations), np.int32)
    scores[0] = log_initial
    for t in range(1, n_epochs):
        reach = into + (scores[t - 1] + log_emissions[t - 1])
        pointers[t], scores[t] = argmax_log(reach), reach.max(axis=1)
    return scores, pointers


def backtrack(pointers: np.ndarray, last: int) -> np.ndarray:
    """PLACEHOLDER"""
    path = np.empty(len(pointers), np.int64)
    path[-1] = last
    for t in range(len(pointers) - 1, 0, -1):
        path[t - 1] = pointers[t, path[t]]
    return path


# -- checks --------------------------------------------------------------------------------------


def check_epochs(n_epochs: int) -> int:
    """The number of epochs, or ValueError: a whole number from 1."""
    if n_epochs < 1:
        raise ValueError(f"n_epochs is {n_epochs}; at least 1")
    return n_epochs


def check_locations(name: str, values: np.ndarray, n_locations: int) -> np.ndarray:
    """The values as whole numbers, or ValueError naming the first that is off the map."""
    array = np.asarray(values)
    wrong = ~((array >= 0) & (array < n_locations) & (array == np.floor(array)))
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"{name}[{', '.join(map(str, place))}] is {array[place]}; "
            f"a location from 0 to {n_locations - 1} was expected"
        )
    return array.astype(np.int64)


def check_allowed_errors(allowed_errors: int, n_epochs: int) -> int:
    """s, or ValueError: with s >= T every guess would succeed."""
    if not (0 <= allowed_errors < n_epochs and allowed_errors == int(allowed_errors)):
        raise ValueError(
            f"allowed_errors is {allowed_errors}; a whole number from 0 to {n_epochs - 1}, "
            f"fewer than the {n_epochs} epochs, was expected"
        )
    return int(allowed_errors)


def check_noise(noise_std: float | None) -> float | None:
    """Raises ValueError for noise that is neither None nor above 0."""
    if noise_std is not None and not _FAINTEST < noise_std < 1 / _FAINTEST:
        raise ValueError(
            f"noise_std is {noise_std}; a finite number above 0 (and above {_FAINTEST:g}, below "
            f"{1 / _FAINTEST:g}), or None for raw counts, expected"
        )
    return noise_std


def _probabilities(name: str, values: np.ndarray, ndim: int) -> np.ndarray:
    """Return probabilities that sum to 1 along the last axis, or raise ValueError."""
    array = np.asarray(values, float)
    if array.ndim != ndim:
        raise ValueError(f"{name} has {array.ndim} dimensions; {ndim} were expected")
    wrong = ~(array >= 0)  # NaN is wrong too
    if wrong.any():
        place = ", ".join(str(i) for i in np.argwhere(wrong)[0])
        raise ValueError(f"{name}[{place}] is {array[wrong][0]}; a probability was expected")
    totals = np.atleast_1d(array.sum(axis=-1))
    off = np.flatnonzero(~(np.abs(totals - 1) <= _SUM_TOLERANCE))
    if len(off):
        which = f"{name}[{off[0]}]" if ndim == 2 else name
        total = totals[off[0]]
        raise ValueError(f"{which} sums to {total:.10g}; probabilities that sum to 1 expected")
    return array


def _log(probabilities: np.ndarray) -> np.ndarray:
    """Compute logarithms, -inf for 0."""
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def _settles(transition: np.ndarray) -> bool:
    """Tell whether a chain has a unique limiting distribution.

    It does if some power up to (n - 1)^2 + 1 has no zero (Wielandt); later powers have none either.
    """
    possible, steps = (transition > 0).astype(float), 1
    while not possible.all():
        if steps > (len(transition) - 1) ** 2:
            return False
        possible, steps = (possible @ possible > 0).astype(float), 2 * steps
    return True


def _unsettled(transition: np.ndarray) -> str:
    """Explain why a chain has no unique limiting distribution."""
    graph = sparse.csr_array(transition > 0)
    n_classes, label = csgraph.connected_components(graph, connection="strong")
    if n_classes > 1:
        other = int(np.flatnonzero(label != label[0])[0])
        return f"the chain is reducible: no way both to and from between locations 0 and {other}"
    depth = csgraph.shortest_path(graph, unweighted=True, indices=0)
    row, column = np.nonzero(transition)
    period = int(np.gcd.reduce((depth[row] + 1 - depth[column]).astype(np.int64)))
    return f"the chain is periodic: it returns only every {period} steps"


def _stationary_distribution(transition: np.ndarray) -> np.ndarray:
    """Solve for the stationary distribution of an irreducible chain."""
    n = len(transition)
    weights = np.linalg.solve(np.eye(n) - transition.T + 1.0, np.ones(n))
    weights = np.maximum(weights, 0.0)
    return weights / weights.sum()

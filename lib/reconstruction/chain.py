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
    """A Markov chain over locations: the distribution of a trajectory.

    Parameters
    ----------
    initial : array_like, shape (n_locations,)
        Probabilities of the first location (pi).
    transition : array_like, shape (n_locations, n_locations)
        Row i: probabilities of the next location from i (P).

    Raises
    ------
    ValueError
        If shapes do not fit, a value is not a probability, or a row does not sum to 1; the message
        names it.

    References
    ----------
    Koga et al., Sec. 3.1.

    Examples
    --------
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
        """Create the chain that begins in its stationary distribution.

        Parameters
        ----------
        transition : array_like, shape (n_locations, n_locations)
            Row i: probabilities of the next location from i.

        Returns
        -------
        MarkovChain
            The stationary chain.

        Raises
        ------
        ValueError
            For a reducible or a periodic chain, naming locations: its limiting distribution is not
            unique or does not exist.
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
        """Estimate a user's chain from the locations in each training epoch.

        Rows are relative frequencies; a location that was never left, or never visited, keeps the
        user for ever. The chain begins in its stationary distribution, on the visited locations
        only. If that is not unique or not a limit (a reducible or periodic chain), each transition
        between visited locations is first mixed with a share of 1e-6 of the uniform one.

        Parameters
        ----------
        visits : array_like of int, shape (n_epochs,)
            Locations, from 0.
        n_locations : int
            Number of locations, at least 1.
        pseudocount : float, default=0.0
            Added to the count of each transition between visited locations.

        Returns
        -------
        MarkovChain
            The estimated chain.

        Raises
        ------
        ValueError
            For fewer than two visits, a location outside 0..n_locations - 1 or a negative
            pseudocount.

        References
        ----------
        Koga et al., Sec. 4.1; the paper leaves these cases open.
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
        """Whether one step leaves the initial distribution unchanged, to 1e-9."""
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
        """Restrict the chain to its support; locations are renumbered in their order.

        Returns
        -------
        MarkovChain
            The same chain without locations that are never reached.
        """
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
        """Compute the distribution of the location in each epoch.

        Parameters
        ----------
        n_epochs : int
            Number of epochs, at least 1.

        Returns
        -------
        numpy.ndarray, shape (n_epochs, n_locations)
            Probabilities.
        """
        marginals = np.empty((check_epochs(n_epochs), self.n_locations))
        marginals[0] = self.initial
        for t in range(1, n_epochs):
            marginals[t] = marginals[t - 1] @ self.transition
        return marginals

    @validated
    def entropy(self, n_epochs: int) -> float:
        """Compute the entropy of a trajectory: H(X_1) + sum of H(X_t | X_{t-1}).

        Parameters
        ----------
        n_epochs : int
            Number of epochs, at least 1.

        Returns
        -------
        float
            Entropy in nats.

        References
        ----------
        Koga et al., Sec. 3.3.1.
        """
        inner = self.restricted()
        before = inner.marginals(n_epochs)[:-1].sum(axis=0)
        return float(special.entr(inner.initial).sum() + before @ inner._row_entropies)

    @validated
    def sample(self, n_runs: int, n_epochs: int, rng: np.random.Generator) -> np.ndarray:
        """Sample trajectories.

        Parameters
        ----------
        n_runs : int
            Number of trajectories.
        n_epochs : int
            Number of epochs, at least 1.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        numpy.ndarray of int, shape (n_runs, n_epochs)
            Locations.
        """
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
        """Compute the log-probability of trajectories.

        Parameters
        ----------
        trajectories : array_like of int, shape (..., n_epochs)
            Locations, from 0.

        Returns
        -------
        numpy.ndarray, shape (...)
            Log-probabilities; -inf for an impossible trajectory.
        """
        x = check_locations("trajectories", trajectories, self.n_locations)
        if not x.ndim or not x.shape[-1]:
            raise ValueError(f"trajectories are {x.shape}; (..., n_epochs) was expected")
        steps = self.log_transition[x[..., :-1], x[..., 1:]].sum(axis=-1)
        return self.log_initial[x[..., 0]] + steps


@validated
def distance_chain(n_locations: int, tau: float) -> MarkovChain:
    """Create a chain on a line whose steps become less likely with distance.

    The probability of a step from i to j is proportional to exp(-|j - i| / (tau n_locations)). The
    chain begins in its stationary distribution.

    Parameters
    ----------
    n_locations : int
        Number of locations, at least 1.
    tau : float
        Above 0; a larger value moves faster.

    Returns
    -------
    MarkovChain
        The chain.

    Raises
    ------
    ValueError
        If tau is not a positive number, or without a location.

    References
    ----------
    Koga et al., Sec. 4.1.
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
    """Compute the forward pass of the Viterbi algorithm, in logarithms.

    Ties go to the smallest location.

    Parameters
    ----------
    log_initial : numpy.ndarray, shape (n_locations,)
        Log-probabilities of the first location.
    log_transition : numpy.ndarray, shape (n_locations, n_locations)
        Log-probabilities of the next location.
    log_emissions : numpy.ndarray, shape (n_epochs, n_locations)
        Log-likelihood of what is observed in each epoch at each location.

    Returns
    -------
    numpy.ndarray, shape (n_epochs, n_locations)
        Log-probability of the best path to each location, before its own emission.
    numpy.ndarray of int, shape (n_epochs, n_locations)
        Previous location on that path.
    """
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
    """Follow the pointers of `viterbi_scores` back from the last location.

    Parameters
    ----------
    pointers : numpy.ndarray of int, shape (n_epochs, n_locations)
        Previous location on the best path.
    last : int
        Last location of the path.

    Returns
    -------
    numpy.ndarray of int, shape (n_epochs,)
        The path.
    """
    path = np.empty(len(pointers), np.int64)
    path[-1] = last
    for t in range(len(pointers) - 1, 0, -1):
        path[t - 1] = pointers[t, path[t]]
    return path


# -- checks --------------------------------------------------------------------------------------


def check_epochs(n_epochs: int) -> int:
    """Check a number of epochs.

    Parameters
    ----------
    n_epochs : int
        Value to check.

    Returns
    -------
    int
        The value.

    Raises
    ------
    ValueError
        If it is below 1.
    """
    if n_epochs < 1:
        raise ValueError(f"n_epochs is {n_epochs}; at least 1")
    return n_epochs


def check_locations(name: str, values: np.ndarray, n_locations: int) -> np.ndarray:
    """Check locations.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    values : array_like
        Locations, from 0.
    n_locations : int
        Number of locations, at least 1.

    Returns
    -------
    numpy.ndarray of int64
        The values, of the same shape.

    Raises
    ------
    ValueError
        If a value is not a whole number from 0 to n_locations - 1; the message names the first.
    """
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
    """Check the number of allowed errors: with s >= T every guess would succeed.

    Parameters
    ----------
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.
    n_epochs : int
        Number of epochs, at least 1.

    Returns
    -------
    int
        The value.

    Raises
    ------
    ValueError
        If it is not a whole number from 0 to n_epochs - 1.
    """
    if not (0 <= allowed_errors < n_epochs and allowed_errors == int(allowed_errors)):
        raise ValueError(
            f"allowed_errors is {allowed_errors}; a whole number from 0 to {n_epochs - 1}, "
            f"fewer than the {n_epochs} epochs, was expected"
        )
    return int(allowed_errors)


def check_noise(noise_std: float | None) -> float | None:
    """Check the standard deviation of noise.

    Parameters
    ----------
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.

    Returns
    -------
    float or None
        The value.

    Raises
    ------
    ValueError
        If it is neither None nor a finite number above 0.
    """
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

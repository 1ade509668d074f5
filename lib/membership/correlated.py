"""The likelihood ratio that knows that cells are correlated: a mixture over who else is counted.

One person of the crowd may visit several of the target's cells, so that their counts rise and fall
together; the sum of the cells' own ratios then counts one piece of evidence several times. Given
*who* is counted, cells are noise and independent again: the likelihood of a release is the average,
over all groups, of the product over cells of the noise's density at what that group leaves over.

The threshold paper quotes the Neyman-Pearson lemma (Sec. 3.2). Its Eq. 8 and 9 give the
distribution of one cell, which is that of the others convolved with noise. It adds up the cells as
if they were independent (Theorems 2 and 3). The joint distribution of the cells, and this attack,
are ours.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from scipy import sparse, stats
from sklearn.base import BaseEstimator, ClassifierMixin

from lib.mechanisms import Laplace, Mechanism
from lib.membership.inputs import check_aggregates, check_fitted_aggregates, flatten_aggregates
from lib.membership.score_distributions import NO_OTHERS, log_density, noise_distribution
from lib.validation import check_integer, format_value, validate_parameters, validated

_CHUNK = 2_000  # aggregates at once
_NEVER = 1e-15  # chance of a group below which it is left out


class CorrelatedRatio(ClassifierMixin, BaseEstimator):
    """The likelihood ratio of all cells together, which accounts for their correlation.

    Groups of other users who visit several of the target's cells form a mixture. Users who visit
    only
    one of the cells leave cells independent: their binomial distribution is convolved with the
    noise,
    exactly. Without users of the first kind the score is the sum of the cells' ratios. Nothing is
    learnt
    from shadow aggregates: fitting validates them and builds the mixture. Time and memory grow with
    aggregates x groups x cells.

    Parameters
    ----------
    mechanism : Laplace or Gaussian
        Noise of the release.
    visits : ndarray of {0, 1}, shape (n_pool, n_cells)
        Traces of users like the unknown members, without the target.
    group_size : int
        Number of unknown members. Each user of the pool is one with probability group_size /
        n_pool,
        independently, so this is their number on average.
    cells : ndarray of int or bool, optional
        Positions or a mask of the cells that the target visits; by default all.
    n_groups : int
        Largest number of groups in the mixture.
    random_state : int
        Seed of their draw.

    Raises
    ------
    ValueError
        When fitting: for a mechanism that is not additive noise, visits that are not 0 or 1 in the
        cells of the aggregates, a group larger than the pool, and as `inputs.check_aggregates`.

    References
    ----------
    The Neyman-Pearson lemma is quoted in the threshold paper, Sec. 3.2. The attack is not in the
    paper.

    Examples
    --------
    >>> from lib.mechanisms import Laplace
    >>> shadows, members = np.array([[2.0, 2.0], [0.0, 0.0]]), np.array([1, 0])
    >>> attack = CorrelatedRatio(Laplace(0.5), np.eye(2, dtype=int), group_size=1)
    >>> attack.fit(shadows, members).predict(shadows).tolist()
    [1, 0]
    """

    def __init__(
        self,
        mechanism: Mechanism,
        visits: np.ndarray,
        group_size: int,
        cells: np.ndarray | None = None,
        n_groups: int = 4096,
        random_state: int = 0,
    ):
        self.mechanism = mechanism
        self.visits = visits
        self.group_size = group_size
        self.cells = cells
        self.n_groups = n_groups
        self.random_state = random_state

    @validated
    def fit(self, aggregates: np.ndarray, members: np.ndarray) -> Self:
        """Validate shadow aggregates and build the mixture.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Shadow aggregates.
        members : ndarray of {0, 1}, shape (n,)
            1 for aggregates that contain the target.

        Returns
        -------
        CorrelatedRatio
            The fitted attack.
        """
        validate_parameters(self)
        noise_distribution(self.mechanism)
        check_aggregates(aggregates, self.cells, members)
        n_columns = flatten_aggregates(aggregates).shape[1]
        visits, chance = self._pool(n_columns)
        several = visits.sum(axis=1) > 1
        self.pmfs_ = [_thinned(int(n), chance) for n in visits[~several].sum(axis=0)]
        self.counts_, self.chances_, self.exact_ = _groups(
            visits[several], chance, self.n_groups, np.random.default_rng(self.random_state)
        )
        self.n_features_in_ = n_columns
        self.classes_ = np.array([0, 1])
        return self

    def _pool(self, n_columns: int) -> tuple[np.ndarray, float]:
        """Who visits which of her cells, (pool, cells), and each one's chance to be counted."""
        visits = np.asarray(self.visits)
        if visits.ndim != 2 or visits.shape[1] != n_columns or not len(visits):
            raise ValueError(
                f"visits are {visits.shape}, aggregates have {n_columns} columns: 0 or 1 in "
                "(pool, columns) was expected"
            )
        visits = check_aggregates(visits, self.cells)
        if not ((visits == 0) | (visits == 1)).all():
            raise ValueError(
                f"visits are {format_value(visits)}; 0 or 1 in (pool, columns) was expected"
            )
        size, pool = check_integer("group_size", self.group_size), len(visits)
        if size > pool:
            raise ValueError(f"group_size is {size}; the pool allows 0 to {pool}")
        check_integer("n_groups", self.n_groups, 1)
        check_integer("random_state", self.random_state)
        return visits.astype(np.int64), size / pool

    @validated
    def decision_function(self, aggregates: np.ndarray) -> np.ndarray:
        """Compute the log-likelihood ratio.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of float, shape (n,)
            log p(x | member) - log p(x | non-member), in nats.
        """
        values = check_fitted_aggregates(self, aggregates, self.cells)
        if isinstance(self.mechanism, Laplace):  # beyond all counts its ratio is constant
            highest = self.counts_.max(axis=0) + np.array([len(pmf) for pmf in self.pmfs_])
            values = np.clip(values, -1, highest + 1)
        chunks = [values[i : i + _CHUNK].astype(float) for i in range(0, len(values), _CHUNK)]
        return np.concatenate([self._ratio(chunk) for chunk in chunks] or [np.empty(0)])

    def predict(self, aggregates: np.ndarray) -> np.ndarray:
        """Decide on membership.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of {0, 1}, shape (n,)
            1 where the log ratio is 0 or more.
        """
        return (self.decision_function(aggregates) >= 0).astype(int)

    def _ratio(self, values: np.ndarray) -> np.ndarray:
        """Each mixture's sum over cells is a product of a table and of which entry a group reads.

        table  (entries, n): log density of each cell where companions leave 0, 1, 2, ... there
        reads  (groups, entries): 1 where a group's companions leave that many in that cell
        """
        least, most = self.counts_.min(axis=0), self.counts_.max(axis=0)
        out, into = [], []
        for cell, pmf in enumerate(self.pmfs_):
            logs = np.array(
                [
                    log_density(values[:, cell] - count, pmf, self.mechanism)
                    for count in range(least[cell], most[cell] + 2)  # one more for a member
                ]
            )
            out.append(logs[:-1])
            into.append(logs[1:])
        widths = most - least + 1
        columns = self.counts_ - least + np.cumsum(widths) - widths
        rows = np.arange(len(columns) + 1) * columns.shape[1]
        reads = sparse.csr_array(
            (np.ones(columns.size), columns.ravel(), rows), shape=(len(columns), widths.sum())
        )
        with_her, without = (
            _log_mean_exp(reads @ np.concatenate(each), self.chances_) for each in (into, out)
        )
        return with_her - without


def _thinned(n: int, chance: float) -> np.ndarray:
    """Return the distribution of how many of n people are counted."""
    if not n or not chance:
        return NO_OTHERS
    pmf = stats.binom.pmf(np.arange(n + 1), n, chance)
    return pmf / pmf.sum()


def _groups(
    companions: np.ndarray, chance: float, most: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, bool]:
    """What groups of companions leave in the cells (groups, cells), their chances, whether all."""
    if not len(companions):
        return np.zeros((1, companions.shape[1]), np.int64), np.ones(1), True
    profiles, times = np.unique(companions, axis=0, return_counts=True)
    exact = bool(np.prod(times + 1.0) <= most)
    if exact:
        drawn = np.indices(tuple(times + 1)).reshape(len(times), -1).T
        chances = stats.binom.pmf(drawn, times, chance).prod(axis=1)
    else:
        drawn = rng.binomial(times, chance, (most, len(times)))
        chances = np.full(most, 1 / most)
    counts, which = np.unique(drawn @ profiles, axis=0, return_inverse=True)
    total = np.bincount(which.ravel(), chances)
    likely = total > _NEVER
    return counts[likely], total[likely] / total[likely].sum(), exact


def _log_mean_exp(logs: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """log of the mixture of exp(logs) (groups, n), safe where all of them are tiny."""
    highest = logs.max(axis=0)
    return highest + np.log(chances @ np.exp(logs - highest))

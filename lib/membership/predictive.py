"""The correlated likelihood ratio of an attacker who knows people *like* those who are counted.

`CorrelatedRatio` takes its pool for the people from whom groups are drawn. If the pool is only a
sample of such people, its numbers of visitors are uncertain: a cell that nobody of the pool visits
may be visited by somebody else. Here each number is a Poisson variable whose rate has the posterior
distribution given the pool. Averaging over it gives the posterior predictive distribution of the
counts (Gelman et al., Bayesian Data Analysis, Sec. 2.6), which has heavier tails.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from scipy import stats

from lib.membership.correlated import CorrelatedRatio
from lib.validation import validated

_PRIOR = 0.5  # shape of the gamma prior of a rate (Jeffreys)
_TAIL = 1e-9  # probability of counts that are left out


class PredictiveRatio(CorrelatedRatio):
    """The correlated likelihood ratio with uncertain numbers of visitors.

    The number of people who visit only one of the cells, and are counted, has a negative binomial
    distribution: a Poisson distribution whose rate is gamma distributed with shape n + 1/2, where n
    people of the pool do so. People who visit several cells are drawn in the same way, without the
    1/2, as most combinations of cells have nobody.

    Parameters are those of `CorrelatedRatio`, and so are the errors.

    References
    ----------
    Ours. It answers why a network can lead at low false positive rates (threshold paper, Sec. 5).

    Examples
    --------
    >>> from lib.mechanisms import Laplace
    >>> nobody, shadows = np.zeros((4, 1), int), np.array([[1.0], [0.0]])
    >>> attack = PredictiveRatio(Laplace(10), nobody, group_size=2).fit(shadows, [1, 0])
    >>> attack.decision_function([[1.0]]).round(1).tolist()  # 10.0 if nobody else can be there
    [1.8]
    """

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
        PredictiveRatio
            The fitted attack.
        """
        super().fit(aggregates, members)
        visits, chance = self._pool(self.n_features_in_)
        several = visits.sum(axis=1) > 1
        self.pmfs_ = [predictive(int(n), chance) for n in visits[~several].sum(axis=0)]
        profiles, times = np.unique(visits[several], axis=0, return_counts=True)
        if len(profiles):
            rng = np.random.default_rng(self.random_state)
            rates = chance * rng.gamma(times, size=(self.n_groups, len(times)))
            drawn = rng.poisson(rates) @ profiles
            self.counts_, times_drawn = np.unique(drawn, axis=0, return_counts=True)
            self.chances_, self.exact_ = times_drawn / self.n_groups, False
        return self


def predictive(n: int, chance: float) -> np.ndarray:
    """Compute the distribution of how many people are counted, if n of the pool could be.

    Parameters
    ----------
    n : int
        Number of people of the pool who visit the cell.
    chance : float
        Probability that one of them is counted, 0 to 1.

    Returns
    -------
    ndarray, shape (n_counts,)
        Probability of each number from 0 on.
    """
    of_count = stats.nbinom(n + _PRIOR, 1 / (1 + chance))
    pmf = of_count.pmf(np.arange(int(of_count.isf(_TAIL)) + 1))
    return np.asarray(pmf / pmf.sum())

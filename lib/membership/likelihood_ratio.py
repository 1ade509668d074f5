"""The likelihood-ratio attack: the best test there is, where cells are independent.

By the Neyman-Pearson lemma no attack has a higher true positive rate at the same false positive
rate than a threshold on the likelihood ratio of everything seen. The threshold paper quotes the
lemma for the sum of the cells, but that is the ratio for Gaussian noise only. For Laplace noise
the log ratio of a cell is a line that is cut off at both ends: for a small epsilon, nearly a step.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from lib.mechanisms import Mechanism
from lib.membership.inputs import check_aggregates, check_fitted_aggregates, flatten_aggregates
from lib.membership.score_distributions import (
    NO_OTHERS,
    ScoreDistribution,
    convolved_distribution,
    count_distributions,
    log_ratio,
    noise_distribution,
)
from lib.validation import validate_parameters, validated

_CHUNK = 20_000  # aggregates at once


class LikelihoodRatio(ClassifierMixin, BaseEstimator):
    """The sum over the target's cells of the exact log-likelihood ratio of each.

    Nothing is learnt from shadow aggregates; fitting validates them and tabulates `others`. Sums
    are
    exact if cells are independent, as they always are for the informed attacker.

    Parameters
    ----------
    mechanism : Laplace or Gaussian
        Noise of the release.
    others : ndarray of int, shape (n_samples, n_cells), optional
        Raw counts sampled from the unknown members (the auxiliary attacker): their distribution in
        each
        cell is convolved with the noise. By default nobody is unknown (the informed attacker).
    cells : ndarray of int or bool, optional
        Positions or a mask of the cells that the target visits; by default all.

    Raises
    ------
    ValueError
        When fitting: for a mechanism that is not additive noise, others with other cells than the
        aggregates or that are not counts, and as `inputs.check_aggregates`.

    References
    ----------
    Threshold paper, Sec. 3.2, for Gaussian noise.

    Examples
    --------
    >>> from lib.mechanisms import Laplace
    >>> shadows, members = np.array([[1.0], [0.0]]), np.array([1, 0])
    >>> attack = LikelihoodRatio(Laplace(0.5)).fit(shadows, members)
    >>> attack.decision_function(shadows).tolist()  # epsilon and -epsilon
    [0.5, -0.5]
    """

    def __init__(
        self,
        mechanism: Mechanism,
        others: np.ndarray | None = None,
        cells: np.ndarray | None = None,
    ):
        self.mechanism = mechanism
        self.others = others
        self.cells = cells

    @validated
    def fit(self, aggregates: np.ndarray, members: np.ndarray) -> Self:
        """Validate shadow aggregates and tabulate the unknown members' counts.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Shadow aggregates.
        members : ndarray of {0, 1}, shape (n,)
            1 for aggregates that contain the target.

        Returns
        -------
        LikelihoodRatio
            The fitted attack.
        """
        validate_parameters(self)
        noise_distribution(self.mechanism)
        values = check_aggregates(aggregates, self.cells, members)
        if self.others is None:
            self.counts_ = [NO_OTHERS] * values.shape[1]
        else:
            others = flatten_aggregates(self.others)
            if others.ndim != 2 or others.shape[1] != flatten_aggregates(aggregates).shape[1]:
                raise ValueError(
                    f"others are {others.shape}, aggregates {np.shape(aggregates)}: the same "
                    "columns were expected"
                )
            self.counts_ = count_distributions(check_aggregates(others, self.cells))
        self.n_features_in_ = flatten_aggregates(aggregates).shape[1]
        self.classes_ = np.array([0, 1])
        return self

    @validated
    def cell_scores(self, aggregates: np.ndarray) -> np.ndarray:
        """Compute the log-likelihood ratio of each cell.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of float, shape (n, n_target_cells)
            Log ratios in nats.
        """
        values = check_fitted_aggregates(self, aggregates, self.cells)
        ratios = np.empty(values.shape)
        for first in range(0, len(values), _CHUNK):
            part = values[first : first + _CHUNK].astype(float)
            for cell, pmf in enumerate(self.counts_):
                ratios[first : first + _CHUNK, cell] = log_ratio(part[:, cell], pmf, self.mechanism)
        return ratios

    def decision_function(self, aggregates: np.ndarray) -> np.ndarray:
        """Compute the log-likelihood ratio of all cells.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of float, shape (n,)
            Log ratios in nats.
        """
        return self.cell_scores(aggregates).sum(axis=1)

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

    def score_distribution(self) -> ScoreDistribution:
        """Compute the exact distribution of the score for independent cells, by convolution.

        Returns
        -------
        ScoreDistribution
            From which accuracy, AUC and ROC follow.
        """
        return convolved_distribution(self.mechanism, self.counts_, log_ratio)

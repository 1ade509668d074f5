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

    mechanism  Laplace or Gaussian, as released with
    others     None: nobody unknown is left (the informed attacker), cells are noise, plus 1 for a
               member. Else raw counts (n, columns) sampled from the unknown others (the auxiliary
               attacker): their law in each cell is convolved with the noise
    cells      columns (positions or a mask) that the target visits; by default all

    Nothing is learnt from shadow aggregates; fitting checks them and tabulates `others`. Sums of
    cells are exact where cells are independent, so always for the informed attacker.
    `decision_function` is the log ratio: a member where 0 or more.
    Raises ValueError at fitting for a mechanism that is not additive noise, others whose columns
    are not those of the aggregates or that are not counts, and what `check_aggregates` refuses.

    >>> from lib.mechanisms import Laplace
    >>> shadows, members = np.array([[1.0], [0.0]]), np.array([1, 0])
    >>> attack = LikelihoodRatio(Laplace(0.5)).fit(shadows, members)
    >>> attack.decision_function(shadows).tolist()  # epsilon, and its opposite
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
        """aggregates (n, columns), members (n,) 0 or 1."""
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
        """The log-likelihood ratio of each cell, (n, cells)."""
        values = check_fitted_aggregates(self, aggregates, self.cells)
        ratios = np.empty(values.shape)
        for first in range(0, len(values), _CHUNK):
            part = values[first : first + _CHUNK].astype(float)
            for cell, law in enumerate(self.counts_):
                ratios[first : first + _CHUNK, cell] = log_ratio(part[:, cell], law, self.mechanism)
        return ratios

    def decision_function(self, aggregates: np.ndarray) -> np.ndarray:
        """The log-likelihood ratio, (n,): a member where 0 or more."""
        return self.cell_scores(aggregates).sum(axis=1)

    def predict(self, aggregates: np.ndarray) -> np.ndarray:
        """0 or 1 (n,): a member where the log ratio is 0 or more."""
        return (self.decision_function(aggregates) >= 0).astype(int)

    def score_distribution(self) -> ScoreDistribution:
        """The score's exact law for independent cells, by convolution: accuracy, AUC and ROC."""
        return convolved_distribution(self.mechanism, self.counts_, log_ratio)

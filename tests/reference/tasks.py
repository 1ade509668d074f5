"""Measures of tasks, by loops and by all orders of equal values."""

from itertools import permutations

import numpy as np


def common_share(raw, published, n_top):
    """Mean over all orders of equal values of the share of the largest that both have."""

    def tops(values):
        found = []
        for order in permutations(range(len(values))):
            ordered = sorted(order, key=lambda each: -values[each])  # stable: equal ones as drawn
            found.append(set(ordered[:n_top]))
        return found

    first, second = tops(raw), tops(published)
    return np.mean([len(one & other) / n_top for one in first for other in second])


def forecasting_skill(raw, published, hour_of_week, last):
    """1 - squared error / squared error of zeros, of a forecast by means of the same hour."""
    error = nothing = 0.0
    for roi in range(len(raw)):
        for epoch in np.flatnonzero(last):
            same = [
                published[roi, other]
                for other in np.flatnonzero(~last)
                if hour_of_week[other] == hour_of_week[epoch]
            ]
            error += (raw[roi, epoch] - sum(same) / len(same)) ** 2
            nothing += raw[roi, epoch] ** 2
    return 1 - error / nothing


def lead(members, scores):
    """2 AUC - 1 over all pairs of a release with the target and one without."""
    pairs = [
        np.sign(inside - outside) for inside in scores[members] for outside in scores[~members]
    ]
    return np.mean(pairs)


def discriminant_scores(training, labels, test):
    """Fisher's linear discriminant of independent counts, count by count."""
    scores = np.zeros(len(test))
    for column in range(training.shape[1]):
        inside, outside = training[labels, column], training[~labels, column]
        variance = (inside.var() + outside.var()) / 2
        scores += (inside.mean() - outside.mean()) / (variance + 1 / len(labels)) * test[:, column]
    return scores

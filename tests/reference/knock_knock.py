"""Knock-Knock as its text reads: plain loops, no concern for speed. The library's oracle."""

from __future__ import annotations

import math

import numpy as np
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression


def statistics(aggregates: np.ndarray) -> np.ndarray:
    """Sec. V-B: variance, min, max, median, mean, std and sum of each location's time-series."""
    rows = []
    for aggregate in aggregates:
        row: list[float] = []
        for series in aggregate:
            row += [
                np.var(series),
                np.min(series),
                np.max(series),
                np.median(series),
                np.mean(series),
                np.std(series),
                np.sum(series),
            ]
        rows.append(row)
    return np.array(rows, float)


def eliminate(
    features: np.ndarray, members: np.ndarray, n_selected: int, step: float
) -> np.ndarray:
    """Sec. V-B: recursive feature elimination, as scikit-learn does it."""
    ranking = LogisticRegression(solver="liblinear", tol=1e-10, max_iter=10_000)
    return RFE(ranking, n_features_to_select=n_selected, step=step).fit(features, members).support_


def mean_relative_error(raw: np.ndarray, released: np.ndarray, share: float) -> float:
    """Eq. 7 for each location's time-series, then the mean; gamma is a share of its sum."""
    errors = []
    for series, noisy in zip(raw, released, strict=True):
        gamma = share * sum(series)
        terms = [abs(b - a) / max(gamma, a) for a, b in zip(series, noisy, strict=True)]
        errors.append(sum(terms) / len(terms))
    return sum(errors) / len(errors)


def fourier_coefficients(series: np.ndarray, kappa: int) -> list[complex]:
    """Sec. VII-A: the first kappa coefficients of the (orthonormal) discrete Fourier transform."""
    n = len(series)
    return [
        sum(x * np.exp(-2j * math.pi * k * t / n) for t, x in enumerate(series)) / math.sqrt(n)
        for k in range(kappa)
    ]


def inverse_fourier(coefficients: list[complex], n: int) -> np.ndarray:
    """The series of length n whose other coefficients are zero, save the conjugates of these."""
    series = []
    for t in range(n):
        value = coefficients[0].real
        for k in range(1, len(coefficients)):
            wave = coefficients[k] * np.exp(2j * math.pi * k * t / n)
            value += wave.real if 2 * k == n else 2 * wave.real
        series.append(value / math.sqrt(n))
    return np.array(series)


def cosine_coefficients(series: np.ndarray) -> list[float]:
    """The orthonormal discrete cosine transform, type II."""
    n = len(series)
    found = []
    for k in range(n):
        total = sum(x * math.cos(math.pi * k * (2 * t + 1) / (2 * n)) for t, x in enumerate(series))
        found.append(total * math.sqrt((1 if k == 0 else 2) / n))
    return found


def inverse_cosine(coefficients: list[float]) -> np.ndarray:
    """The series of these orthonormal DCT-II coefficients."""
    n = len(coefficients)
    series = []
    for t in range(n):
        value = coefficients[0] / math.sqrt(n)
        for k in range(1, n):
            angle = math.pi * k * (2 * t + 1) / (2 * n)
            value += math.sqrt(2 / n) * coefficients[k] * math.cos(angle)
        series.append(value)
    return np.array(series)


def choice_of_kappa(series: np.ndarray, epsilon: float, delta: float, sensitivity: float) -> list:
    """Sec. VII-A, EFPAG: P(kappa) by the exponential mechanism, half of epsilon for the choice."""
    coefficients = cosine_coefficients(series)
    sigma = math.sqrt(2 * math.log(2 / delta)) * sensitivity / (epsilon / 2)
    weights = []
    for kappa in range(1, len(series) + 1):
        dropped = sum(c**2 for c in coefficients[kappa:])
        error = math.sqrt(dropped + kappa * sigma**2)
        weights.append(math.exp(-(epsilon / 2) * error / (2 * sensitivity)))
    return [w / sum(weights) for w in weights]


def aggregate(locations: np.ndarray, group: list[int]) -> np.ndarray:
    """Table I: A[s, t] is the number of users j of the group with L_j[s, t] = 1."""
    total = np.zeros(locations.shape[1:], int)
    for user in group:
        total += locations[user]
    return total


def attack(train: np.ndarray, members: np.ndarray, test: np.ndarray, n_samples: int) -> np.ndarray:
    """Sec. V-B: statistics, RFE down to the samples of D, logistic regression's margins."""
    train, test = statistics(train), statistics(test)
    support = eliminate(train, members, n_samples, 0.1)
    model = LogisticRegression(solver="liblinear", tol=1e-10, max_iter=10_000)
    return model.fit(train[:, support], members).decision_function(test[:, support])


def best_of_shuffled(members: np.ndarray, scores: dict, shuffled: list) -> list[float]:
    """Sec. VI-A, BEST: the highest area under the curve of the classifiers, for shuffled labels."""
    found = []
    for labels in shuffled:
        areas = []
        for values in scores.values():
            inside = [v for v, label in zip(values, labels, strict=True) if label]
            outside = [v for v, label in zip(values, labels, strict=True) if not label]
            wins = sum((a > b) + (a == b) / 2 for a in inside for b in outside)
            areas.append(wins / (len(inside) * len(outside)))
        found.append(max(areas))
    return found

"""The crowd paper's priors, strategies and errors, one cell at a time.

Traces are 0/1 arrays (users, ROIs, epochs) with every user somewhere in every epoch; the last ROI
is null. Priors are arrays (users, ROIs, inferred epochs). Ties: more reports first, then position.
"""

import math

import numpy as np


def freq_roi(observed, n_epochs):
    """Eq. 7."""
    n_users, n_rois, _ = observed.shape
    p = np.zeros((n_users, n_rois, n_epochs))
    for u in range(n_users):
        total = sum(observed[u, s, t] for s in range(n_rois) for t in range(observed.shape[2]))
        for s in range(n_rois):
            for t in range(n_epochs):
                p[u, s, t] = sum(observed[u, s]) / total
    return p


def roi_season(observed, cycle, n_epochs):
    """Eq. 8-9; the observation starts with slot 0 and lasts whole cycles."""
    n_users, n_rois, n_observed = observed.shape
    p = np.zeros((n_users, n_rois, n_epochs))
    for u in range(n_users):
        for t in range(n_epochs):
            counts = [
                sum(observed[u, s, k] for k in range(t % cycle, n_observed, cycle))
                for s in range(n_rois)
            ]
            for s in range(n_rois):
                p[u, s, t] = counts[s] / sum(counts)
    return p


def time_season(observed, cycle, n_epochs):
    """Eq. 10-11; an inactive slot is null's."""
    n_users, n_rois, n_observed = observed.shape
    p = np.zeros((n_users, n_rois, n_epochs))
    for u in range(n_users):
        for t in range(n_epochs):
            active = sum(
                observed[u, s, k]
                for s in range(n_rois - 1)
                for k in range(t % cycle, n_observed, cycle)
            )
            for s in range(n_rois):
                if active:
                    p[u, s, t] = 1 / n_rois
            if not active:
                p[u, n_rois - 1, t] = 1
    return p


def last_season(everything, cycle, n_epochs):
    """Eq. 14."""
    n_users, n_rois, total = everything.shape
    p = np.zeros((n_users, n_rois, n_epochs))
    for u in range(n_users):
        for s in range(n_rois):
            for t in range(n_epochs):
                p[u, s, t] = everything[u, s, total - n_epochs + t - cycle]
    return p


def popular(p, delta=0.5):
    """Eq. 12, but for rounding; an empty column is null's."""
    return filled((p >= delta - 1e-9).astype(float))


def all_rois(p):
    """Eq. 13, of real ROIs; an empty column is null's."""
    predicted = np.ceil(p)
    predicted[:, -1] = 0
    return filled(predicted)


def filled(assigned):
    """Users and epochs without a ROI are at null."""
    assigned = assigned.copy()
    for u in range(assigned.shape[0]):
        for t in range(assigned.shape[2]):
            if assigned[u, :, t].sum() == 0:
                assigned[u, -1, t] = 1
    return assigned


def normalised(p):
    p = filled(p)
    return p / p.sum(axis=1, keepdims=True)


def bayes(p, counts):
    """Algorithm 3.1; where prior and counts do not meet, the prior is kept."""
    p = normalised(p)
    posterior = p.copy()
    for u in range(p.shape[0]):
        for t in range(p.shape[2]):
            product = [p[u, s, t] * counts[s, t] for s in range(p.shape[1])]
            if sum(product) > 0:
                for s in range(p.shape[1]):
                    posterior[u, s, t] = product[s] / sum(product)
    return posterior


def max_roi(p, counts, reports):
    """Algorithm 3.2."""
    n_users, n_rois, n_epochs = p.shape
    assigned = np.zeros(p.shape)
    for s in range(n_rois):
        for t in range(n_epochs):
            if counts[s, t] == 0:
                continue
            ranked = sorted(range(n_users), key=lambda u: (-p[u, s, t], -reports[u], u))
            for u in ranked[: int(counts[s, t])]:
                assigned[u, s, t] = 1
    return assigned


def max_user(p, counts, reports):
    """Algorithm 3.3."""
    n_users, n_rois, n_epochs = p.shape
    assigned = np.zeros(p.shape)
    ranked = sorted(range(n_users), key=lambda u: (-reports[u], u))
    for t in range(n_epochs):
        for u in ranked:
            for s in range(n_rois):
                if p[u, s, t] > 0 and assigned[:, s, t].sum() < counts[s, t]:
                    assigned[u, s, t] = 1
            if assigned[:, :, t].sum() == counts[:, t].sum():
                break
    return assigned


def js(p, q, base):
    """Eq. 1-2."""
    total = 0.0
    for a, b in zip(p, q, strict=True):
        middle = (a + b) / 2
        for x in (a, b):
            if x > 0:
                total += 0.5 * x * math.log(x / middle, base)
    return max(total, 0.0)


def profiling_error(p, truth, base=math.e):
    """Eq. 4, as a distance; (users, epochs)."""
    p, true = normalised(p), normalised(truth)
    n_users, _, n_epochs = p.shape
    return np.array(
        [
            [math.sqrt(js(true[u, :, t], p[u, :, t], base)) for t in range(n_epochs)]
            for u in range(n_users)
        ]
    )


def localization_error(assigned, truth):
    """Eq. 3, 5."""
    assigned = filled(assigned)
    errors = []
    for u in range(truth.shape[0]):
        tp = fp = fn = 0
        for s in range(truth.shape[1]):
            for t in range(truth.shape[2]):
                tp += assigned[u, s, t] == 1 and truth[u, s, t] == 1
                fp += assigned[u, s, t] == 1 and truth[u, s, t] == 0
                fn += assigned[u, s, t] == 0 and truth[u, s, t] == 1
        errors.append(1 - 2 * tp / (2 * tp + fp + fn))
    return np.array(errors)

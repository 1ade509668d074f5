"""Traces, aggregates and recurrence, one visit at a time."""

import numpy as np


def traces(records, users, rois, epochs):
    """records: (user, roi, epoch) triples -> {user: 0/1 matrix (rois, epochs)}."""
    result = {user: np.zeros((len(rois), len(epochs)), int) for user in users}
    for user, roi, epoch in records:
        result[user][rois.index(roi), epochs.index(epoch)] = 1
    return result


def aggregate(matrices, group):
    """How many of the group's users were in each ROI in each epoch."""
    total = np.zeros_like(matrices[0])
    for user in group:
        for roi in range(total.shape[0]):
            for epoch in range(total.shape[1]):
                total[roi, epoch] += matrices[user][roi, epoch]
    return total


def recurrence(matrix, lag):
    """Share of the visits that are repeated `lag` epochs later, among those that could be."""
    visits = repeated = 0
    for roi in range(matrix.shape[0]):
        for epoch in range(matrix.shape[1] - lag):
            if matrix[roi, epoch]:
                visits += 1
                repeated += matrix[roi, epoch + lag]
    return repeated / visits if visits else float("nan")


def suppress(counts, threshold):
    """ZK, Sec. 2.2.2: counts of `threshold` or less become 0."""
    return [0 if count <= threshold else count for count in counts]

"""`make bench`: fast code against the plain loops, in one run on one thread.

Seconds drift from machine to machine, so the first line is a calibration kernel and what is asked
for are ratios. A reference that would take too long runs on a part and is scaled up.
"""

import time

import numpy as np
import pandas as pd
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression

from lib import metrics
from lib.aggregation import aggregate, sample_groups
from lib.datasets import load
from lib.membership import features, selection
from lib.traces import Traces
from tests.reference import counting, knock_knock, scoring


def seconds(function):
    """The shortest of three calls."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def calibrate():
    matrix = np.random.default_rng(0).normal(size=(1200, 1200))
    return seconds(lambda: np.linalg.inv(matrix))


def aggregating(traces):
    groups = sample_groups(np.arange(traces.n_users), 200, 100, np.random.default_rng(0))
    matrices = [traces.trace(user)[:4] for user in traces.users[:10]]
    part = 200 * 100 / 10 * traces.n_rois / 4  # what ten users at four ROIs are of the whole
    reference = seconds(lambda: counting.aggregate(matrices, range(10))) * part
    return reference, seconds(lambda: aggregate(traces, groups))


def reading(traces):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "user": rng.integers(0, 1000, 100_000),
            "roi": rng.integers(0, 100, 100_000),
            "time": pd.Timestamp("2013-03-04", tz="UTC")
            + pd.to_timedelta(rng.integers(0, 168, 100_000), unit="h"),
        }
    )
    few = list(frame.head(2000).itertuples(index=False))
    users, rois, epochs = (sorted(set(column)) for column in zip(*few, strict=True))
    few = [tuple(record) for record in few]
    reference = seconds(lambda: counting.traces(few, users, rois, epochs)) * 50
    return reference, seconds(lambda: Traces.from_records(frame, roi="roi"))


def recurring(traces):
    matrix = traces.trace(traces.users[0])
    reference = seconds(lambda: counting.recurrence(matrix, 168)) * traces.n_users
    return reference, seconds(lambda: traces.recurrence("7D"))


def scoring_auc(traces):
    rng = np.random.default_rng(0)
    members, scores = np.repeat([1, 0], 400), rng.normal(size=800)
    return seconds(lambda: scoring.auc(members, scores)), seconds(
        lambda: metrics.auc(members, scores)
    )


def extracting(traces):
    counts = np.random.default_rng(0).poisson(0.3, (400, 583, 168)).astype(np.int32)
    reference = seconds(lambda: knock_knock.statistics(counts[:2])) * 200
    return reference, seconds(lambda: features.extract(counts))


def eliminating(traces):
    """4,081 features to 400, one at a time; the reference is scikit-learn, timed on a tenth."""
    rng = np.random.default_rng(0)
    rows = features.extract(rng.poisson(0.3, (400, 583, 168)).astype(np.int32))
    members = np.repeat([1, 0], 200)
    start = time.perf_counter()
    selection.eliminate(rows, members, 400, step=1)
    here = time.perf_counter() - start
    model = LogisticRegression(solver="liblinear", tol=1e-8, max_iter=10_000)
    rounds = 40
    start = time.perf_counter()
    RFE(model, n_features_to_select=rows.shape[1] - rounds, step=1).fit(rows, members)
    return (time.perf_counter() - start) / rounds * (rows.shape[1] - 400), here


KERNELS = {
    "200 aggregates of 100 users, 107 x 672": (aggregating, 30),
    "100,000 records to traces": (reading, None),
    "weekly recurrence of 1,054 users": (recurring, 30),
    "AUC of 800 scores": (scoring_auc, 30),
    "seven statistics, 400 x 583 x 168": (extracting, 30),
    "RFE, 4,081 to 400 features by one": (eliminating, None),
}


def main():
    print(f"calibration (inverse of 1200 x 1200): {calibrate():.3f} s")
    traces = load("flights-by-number")
    print(f"{'what':42}{'reference':>12}{'here':>12}{'ratio':>10}{'asked':>8}")
    for what, (kernel, asked) in KERNELS.items():
        reference, here = kernel(traces)
        least = "-" if asked is None else f"{asked}"
        print(f"{what:42}{reference:10.3f} s{here:10.4f} s{reference / here:10.0f}{least:>8}")


if __name__ == "__main__":
    main()

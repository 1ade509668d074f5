"""Kernels of the library against the plain loops of `tests/reference`."""

import time
from functools import partial

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression

from lib import metrics
from lib.aggregation import aggregate, sample_groups
from lib.datasets import load
from lib.mechanisms import Laplace, PostProcess, release
from lib.membership import features, selection
from lib.membership.knock_knock import RidgeLogistic
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


def releasing(traces):
    """21.6 million noisy counts; the reference draws, rounds and clips one after the other."""
    counts = RNG.poisson(0.3, (300, 107, 672)).astype(np.int32)
    noise, tidy, size = Laplace(1.0), PostProcess(), np.asarray(1000)
    reference = seconds(lambda: tidy.apply(noise.apply(counts, RNG, size), RNG, size))
    return reference, seconds(lambda: release(counts, [noise, tidy], RNG, group_size=1000))


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
    "release of 300 x 107 x 672, rounded and clipped": (releasing, "0.17 s, 8 ns a cell"),
    "RFE, 4,081 to 400 features by one": (eliminating, "30 s"),
}


BASE = {"users": 1000, "ROIs": 100, "epochs": 168, "groups": 200}
FACTORS = (0.25, 0.5, 1, 2, 4)
SIZED = {  # kernel -> what it is given, what it does with that, what grows
    "counting groups of 100": (
        lambda n: (random_traces(n), sample_groups(np.arange(n["users"]), n["groups"], 100, RNG)),
        aggregate,
        ["users", "ROIs", "epochs", "groups"],
    ),
    "seven statistics": (
        lambda n: (RNG.poisson(1.0, (n["groups"], n["ROIs"], n["epochs"])).astype(np.int32),),
        features.extract,
        ["ROIs", "epochs", "groups"],
    ),
    "logistic regression on them": (
        lambda n: (RNG.normal(size=(n["groups"], 7 * n["ROIs"])), np.arange(n["groups"]) % 2),
        lambda rows, members: RidgeLogistic().fit(rows, members),
        ["ROIs", "groups"],
    ),
    "Laplace noise": (
        lambda n: (RNG.poisson(1.0, (n["groups"], n["ROIs"], n["epochs"])),),
        lambda counts: release(counts, [Laplace(1.0)], RNG, group_size=100),
        ["ROIs", "epochs", "groups"],
    ),
    "daily recurrence": (
        lambda n: (random_traces(n),),
        lambda traces: traces.recurrence("1D"),
        ["users", "ROIs", "epochs"],
    ),
}
RNG = np.random.default_rng(0)


def random_traces(numbers, density=0.02):
    """Users, ROIs and epochs of these numbers, every cell visited with the same probability."""
    n, rois, epochs = (numbers[each] for each in ("users", "ROIs", "epochs"))
    visits = sparse.random_array((n, rois * epochs), density=density, format="csr", rng=RNG)
    visits.data = np.ones_like(visits.data, dtype=np.int8)
    places = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=range(rois))
    hours = pd.date_range("2013-03-04", periods=epochs, freq="h", tz="UTC")
    return Traces(visits, range(n), places, hours)


def rows():
    traces = load("flights-by-number")
    yield "calibration: inverse of 1200 x 1200", np.nan, calibrate(), ""
    for what, (kernel, asked) in KERNELS.items():
        yield what, *kernel(traces), asked


def sizes():
    for kernel, (given, function, grows) in SIZED.items():
        for what in grows:
            for factor in FACTORS:
                numbers = BASE | {what: round(BASE[what] * factor)}
                call = partial(function, *given(numbers))
                yield kernel, what, numbers[what], seconds(call)

"""ZK's mobility model and marginals against the plain listings, at the CDR's scale."""

import time

import numpy as np
from scipy import stats

from lib.datasets import load, mobility
from lib.mechanisms import Laplace, PostProcess, release_traces
from lib.membership import counts_likelihood, marginals
from tests.reference import zero_knowledge as reference

N_TRACES, MEAN = 5000, 120
GROUP = 1000
NOISE = [Laplace(1), PostProcess("down")]


def seconds(function, times=3):
    """The shortest of some calls."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        found.append(time.perf_counter() - start)
    return min(found)


def sets(neighbours):
    return [set(row) for row in np.split(neighbours.indices, neighbours.indptr[1:-1])]


def sampling(traces, space, hours):
    """5,000 traces; the listing samples 100 of them."""
    rng = np.random.default_rng(0)
    activity = stats.expon(scale=MEAN)
    neighbours = sets(mobility.triangulate(traces.rois))
    n_visits = np.rint(activity.rvs(size=100, random_state=rng)).astype(int)

    def listing():
        for n in n_visits:
            reference.synthetic_trace(space, hours, n, neighbours, 10, rng)

    here = seconds(
        lambda: mobility.synthesize(space, hours, activity, traces.rois, N_TRACES, rng), 5
    )
    return seconds(listing) * N_TRACES / 100, here


def powers(space):
    noisy = (space + 4 / len(space)) / 5
    variance = marginals.reference_variance(len(space))
    return (
        seconds(lambda: reference.select_power(noisy.tolist(), variance)),
        seconds(lambda: marginals.select_power(noisy, variance)),
    )


def rows():
    """Tuples: what, the reference's seconds, seconds here, what is asked (a ratio, or words)."""
    start = time.perf_counter()
    traces = load("callers")
    loading = time.perf_counter() - start
    rng = np.random.default_rng(0)
    group = [rng.choice(traces.n_users, GROUP, replace=False)]
    counts = release_traces(traces, group, NOISE, rng)[0]
    space, hours = marginals.empirical_marginals(release_traces(traces, group, [], rng)[0], GROUP)
    yield "5,000 synthetic traces, 500 x 720", *sampling(traces, space, hours), 10
    yield "power of a marginal of 500 ROIs", *powers(space), "-"
    fitting = seconds(lambda: counts_likelihood.fit_rates(counts, NOISE, GROUP))
    yield "marginals by likelihood, 500 x 720", float("nan"), fitting, "no loop"
    yield "11,000 callers, 500 x 720", float("nan"), loading, "no loop"


if __name__ == "__main__":
    for what, reference_seconds, here, asked in rows():
        print(f"{what:42}{reference_seconds:10.3f} s{here:10.4f} s  asked {asked}")

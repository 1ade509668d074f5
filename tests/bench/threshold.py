"""Benchmark rows of the threshold chapter, for `make bench`: what, reference, here, what is asked.

References that would take too long run on a part and are scaled up.
"""

import time

import numpy as np

from lib import membership
from lib.mechanisms import Laplace
from lib.membership import score_distributions, shadows
from tests.reference import thresholds as listing

LAPLACE = Laplace(0.5)


def timed(function):
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def naive_shadows(visits, n, rng):
    """A loop over aggregates, as the listing reads, with numpy inside."""
    made = np.empty((n, visits.shape[1]))
    for i in range(n):
        group = rng.permutation(len(visits))[:1999]
        made[i] = visits[group].sum(axis=0) + (i < n // 2) + rng.laplace(scale=2, size=60)
    return made


def rows():
    """Tuples (what, reference seconds, seconds here, what is asked)."""
    rng = np.random.default_rng(0)
    visits = (rng.random((3948, 60)) < 0.1).astype(np.uint8)
    slow, _ = timed(lambda: naive_shadows(visits, 1000, rng))
    here, (values, members) = timed(
        lambda: shadows.shadow_aggregates(visits, 200_000, 1999, LAPLACE, rng)
    )
    yield "200,000 shadow aggregates x 60 cells", slow * 200, here, "25 s"
    informed, labels = shadows.shadow_aggregates(visits, 200_000, 1999, LAPLACE, rng, theta=1.0)
    here, _ = timed(lambda: membership.MetaClassifier().fit(informed, labels))
    yield "network of 60 nodes, 200,000 x 60", float("nan"), here, "180 s"
    ratio = membership.LikelihoodRatio(LAPLACE, shadows.sample_counts(visits, 2000, 1999, rng))
    ratio.fit(values, members)
    part = values[:20].tolist()
    density = score_distributions.noise_distribution(LAPLACE).pdf
    slow, _ = timed(
        lambda: [
            [
                listing.convolved_ratio(x, law, density)
                for x, law in zip(row, ratio.counts_, strict=True)
            ]
            for row in part
        ]
    )
    here, _ = timed(lambda: ratio.decision_function(values[:2000]))
    yield "log ratios of 2,000 x 60 dense cells", slow * 100, here, 30
    few, few_members = values[:2000].tolist(), np.repeat([1, 0], 1000)
    few = few[:1000] + values[100_000:101_000].tolist()
    maps = [[row] for row in few]
    z, nothing = [[1] * 60], [[0] * 60]

    def reference():
        at = listing.cell_thresholds(maps, z)
        listing.threshold(maps, z, lambda each: listing.score2(each, nothing, z, at))

    slow, _ = timed(reference)
    here, _ = timed(lambda: membership.TwoThreshold().fit(np.array(few), few_members))
    yield "two-threshold attack, 2,000 x 60", slow, here, ""


if __name__ == "__main__":
    for what, slow, here, asked in rows():
        print(f"{what:42}{slow:10.2f} s{here:10.4f} s{slow / here:10.0f}{asked:>8}")

"""Reconstruction loss against the plain listings; `rows()` is for `make bench`.

A reference that would take too long runs on a part and is scaled up.
"""

import resource
import time
from functools import partial
from math import comb

import numpy as np

from lib import reconstruction as rec
from tests.reference import reconstruction as reference


def once(function):
    """Seconds of processor time: one call, one thread."""
    start = time.process_time()
    function()
    return time.process_time() - start


def simulated_runs():
    """1,000 Monte Carlo runs at M = 1000, T = 10; the reference decodes two of them."""
    rng = np.random.default_rng(0)
    chain, sensors = rec.distance_chain(1000, 0.1), rng.integers(0, 1000, 10)
    here = once(lambda: rec.monte_carlo_loss(chain, sensors, 5, n_runs=1000, rng=rng))
    counts = rec.observe(chain.sample(2, 10, rng), sensors)

    def plain():
        for seen in counts:
            reference.viterbi_arrays(chain.initial, chain.transition, sensors, seen)

    return once(plain) * 500, here


def theorem_1():
    """M = 100, T = 50, every s up to 25; the listing runs at T = 12 and is scaled by its steps."""
    chain, part = rec.distance_chain(100, 0.1), 12
    here = once(lambda: rec.ball_terms(rec.distance_chain(100, 0.1), 50, 25))
    powers = [None]
    for _ in range(1, part):
        powers.append(np.log(np.linalg.matrix_power(chain.transition, len(powers))))
    listing = once(lambda: reference.theorem1(chain.initial, powers, part))
    return listing * comb(50, 3) / comb(part, 3), here


def all_users(n_users=200, of=9760):
    """Chains and the three bounds of 9,760 users, on raw counts and with noise; 200 are timed.

    10 are timed with the listing of Theorem 1 alone, which knows no noise. One user's arrays are
    gone before the next.
    """
    rng = np.random.default_rng(0)
    visits = rng.choice([3, 14, 59, 100], size=(n_users, 22))
    sensors = rng.integers(0, 100, 5)

    def here(noise_std, visits=visits):
        for each in visits:
            chain = rec.MarkovChain.from_visits(each, 101)
            rec.loose_bound(chain, sensors, 1, noise_std)
            rec.tight_bound(chain, sensors, 1, noise_std)
            rec.moment_bound(chain, sensors, 1, noise_std)

    def plain():
        for each in visits[:10]:
            chain = rec.MarkovChain.from_visits(each, 101)
            powers = [None]
            for _ in range(1, 5):
                powers.append(np.linalg.matrix_power(chain.transition, len(powers)))
            with np.errstate(divide="ignore"):
                logs = [None, *(np.log(power) for power in powers[1:])]
            reference.theorem1(chain.initial, logs, 5)

    here(1.0, visits[:1])  # scipy imports on first use
    raw, noisy = (once(partial(here, noise_std)) for noise_std in (None, 1.0))
    return once(plain) * of / 10, raw * of / n_users, noisy * of / n_users


def rows():
    yield "1,000 MAP runs, M = 1000, T = 10", *simulated_runs(), "3 s"
    yield "Theorem 1, M = 100, T = 50, s <= 25", *theorem_1(), 20
    plain, raw, noisy = all_users()
    yield "chain and 3 bounds of 9,760 users, M = 101", plain, raw, "60 s"
    yield "the same with noise, σ = 1", plain, noisy, "40 s"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    yield f"largest memory so far: {peak:.2f} GB", float("nan"), float("nan"), "1.5 GB"


if __name__ == "__main__":
    for what, plain, here, asked in rows():
        print(f"{what:42}{plain:10.2f} s{here:10.3f} s{plain / here:10.0f}{asked!s:>8}")

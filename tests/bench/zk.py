"""Benchmarks of the attack without auxiliary traces, at the size of ZK's call records."""

import resource
import time
from functools import cache

import numpy as np

from lib import metrics
from lib.datasets import load
from lib.mechanisms import Laplace, PostProcess
from lib.membership import challenges, sparse_logistic, zero_knowledge
from tests.reference import zero_knowledge_attack as reference

SIZE, KNOWN = 1000, 5000


def timed(function):
    """Seconds of the processor, which other processes do not stretch; everything is one thread."""
    start = time.process_time()
    value = function()
    return time.process_time() - start, value


@cache
def game(scale):
    """One target of the callers: the game, the attack on it, and the seconds that it took."""
    traces = load("callers")
    mechanisms = [Laplace(1 / scale), PostProcess("down")]
    rng = np.random.default_rng(0)
    challenge = challenges.Challenge(traces, 0, mechanisms, SIZE, KNOWN, rng)
    release = challenge.release

    def attack():
        attacker = zero_knowledge.ZeroKnowledge(
            challenge.trace, traces.rois, mechanisms, SIZE, rng, n_traces=KNOWN
        )
        training = attacker.train(release)
        attack = training.attack()
        challenge.scores({"ZK": attack})
        return training, attack

    seconds, (training, attack) = timed(attack)
    return challenge, training, attack, seconds


def solving(scale):
    """liblinear and the certified solver on the same rows, with the AUC of each."""
    challenge, training, attack, _ = game(scale)
    here, _ = timed(lambda: sparse_logistic.fit(training.rows, training.members))
    theirs, peer = timed(lambda: training.attack(solver="liblinear"))
    scores = challenge.scores({"liblinear": peer, "here": attack})
    aucs = [metrics.auc(challenge.members, each) for each in scores.values()]
    return theirs, here, f"AUC {aucs[0]:.3f} and {aucs[1]:.3f}"


def counting():
    """600 aggregates; the reference adds ten dense traces and is scaled up."""
    _, training, _, _ = game(1)
    groups = np.vstack([training.groups, training.validation, training.validation])
    few = [training.by_user[[user]].toarray().reshape(500, 720) for user in range(10)]
    slow, _ = timed(lambda: reference.count(few, list(range(10))))
    fast, _ = timed(lambda: training.by_cell @ training._indicator(groups))
    return slow / 10 * groups.size, fast


def noise():
    """72 million floored draws; the reference draws 20,000 one at a time and is scaled up."""
    shape = (360_000, 200)
    slow, _ = timed(lambda: reference.laplace(1.0, (100, 200), np.random.default_rng(0)))
    fast, _ = timed(lambda: Laplace(1.0).sample_floor(shape, np.random.default_rng(0)))
    return slow / 20_000 * 72e6, fast


def rows():
    """(what, seconds of the reference, seconds here, what is asked)."""
    game(20)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # before liblinear, kB on Linux
    yield f"one target, noise 20: peak memory {peak:.2f} GB", np.nan, game(20)[3], "1.3 GB"
    for scale in (20, 1):
        slow, fast, aucs = solving(scale)
        yield f"L1, 400 x 360,000, noise {scale}: {aucs}", slow, fast, 10
        limit = "3 s" if scale < 10 else "6 s"
        yield f"one target, noise {scale}, everything", slow, game(scale)[3], limit
    yield "600 aggregates of 1,000 users, 500 x 720", *counting(), 10
    yield "noise on 200 x 360,000 counts", *noise(), 10


if __name__ == "__main__":
    for what, slow, fast, asked in rows():
        print(f"{what:60}{slow:10.2f} s{fast:10.3f} s{slow / fast:10.0f}{asked:>8}", flush=True)

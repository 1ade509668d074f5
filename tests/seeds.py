"""The seed of everything that tests draw: `TEST_SEED` in the environment, 0 if it is not set.

`TEST_SEED=random` draws a seed once. The first process that asks writes it into the environment, so
that the processes it starts agree. Set `TEST_SEED` to the printed number to repeat a run.
"""

import os
import random
import secrets

VARIABLE = "TEST_SEED"


def _chosen() -> int:
    if os.environ.get(VARIABLE) == "random":
        os.environ[VARIABLE] = str(1 + secrets.randbelow(2**31 - 1))
    return int(os.environ.get(VARIABLE, "0"))


SEED = _chosen()


def generator(*names: object, seed: int = SEED) -> random.Random:
    """A generator of its own for each use, named by what it is for."""
    return random.Random(" ".join(map(str, (seed, *names))))

"""What the made-up populations share: checked sizes, and a seed's children."""

from __future__ import annotations

import numpy as np


def check(n_users: int, seed: int) -> None:
    """Raises ValueError, naming the value, unless n_users is whole and from 1, seed from 0."""
    for name, value, least in (("n_users", n_users, 1), ("seed", seed, 0)):
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not whole or value < least:
            raise ValueError(f"{name} is {value!r}; a whole number of at least {least} is needed")


def child(seed: int, which: int) -> np.random.SeedSequence:
    """The seed's child of that number, as `SeedSequence.spawn` numbers them."""
    return np.random.SeedSequence(seed, spawn_key=(which,))

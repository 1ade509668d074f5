"""Streams of random numbers that are named by what they are for.

A stream depends on the seed and on its names alone: not on its place in a list, nor on what else is
drawn, nor on the number of processes. So any one unit of an experiment can be played alone.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np

from lib.validation import format_value


def stream(seed: int, *names: str | int | float | bool) -> np.random.Generator:
    """The stream of that name: `stream(2018, "kk-group-sizes", "cabspotting", 17, 100)`.

    seed   whole number from 0
    names  what the numbers are for; 1, 1.0, True and "1" are four different names

    Raises ValueError for a seed that is not such a number, no name, or a name of another type.

    >>> first, again = (stream(2018, 'kk-games', 17).random() for _ in range(2))
    >>> first == again
    True
    """
    _check(seed)
    if not names:
        raise ValueError("a stream needs at least one name that says what it is for")
    plain = [name.item() if isinstance(name, np.generic) else name for name in names]
    for name in plain:
        if not isinstance(name, (str, int, float)):
            raise ValueError(
                f"name {format_value(name)}: text, a number or a truth value was expected"
            )
    digest = hashlib.sha256(json.dumps(plain).encode()).digest()
    words = np.frombuffer(digest, "<u4").tolist()
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(words)))


def _check(seed: int) -> None:
    whole = isinstance(seed, (int, np.integer)) and not isinstance(seed, bool)
    if not whole or seed < 0:
        raise ValueError(f"seed is {format_value(seed)}; a whole number of at least 0 was expected")

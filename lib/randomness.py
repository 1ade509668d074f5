"""Random number generators that are identified by their purpose.

A stream depends on the seed and on its names alone: not on its place in a list, nor on what else is
drawn, nor on the number of processes. Any one unit of an experiment can therefore be run alone.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np

from lib.validation import check_integer, format_value


def stream(seed: int, *names: str | int | float | bool) -> np.random.Generator:
    """Create the random generator that belongs to a seed and a sequence of names.

    Parameters
    ----------
    seed : int
        Whole number from 0.
    *names : str, int, float or bool
        What the random numbers are for, such as "kk-group-sizes", "cabspotting", 17, 100. The names
        1, 1.0, True and "1" are all different.

    Returns
    -------
    numpy.random.Generator
        The same generator, in its initial state, for the same arguments.

    Raises
    ------
    ValueError
        If the seed is not a whole number from 0, there is no name, or a name has another type.

    Examples
    --------
    >>> first, again = (stream(2018, 'kk-games', 17).random() for _ in range(2))
    >>> first == again
    True
    """
    check_integer("seed", seed)
    if not names:
        raise ValueError("a stream needs at least one name that says what it is for")
    plain = [name.item() if isinstance(name, np.generic) else name for name in names]
    for name in plain:
        if not isinstance(name, (str, int, float)):
            raise ValueError(f"name {format_value(name)}: text, a number or a boolean was expected")
    digest = hashlib.sha256(json.dumps(plain).encode()).digest()
    words = np.frombuffer(digest, "<u4").tolist()
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(words)))


def child_generator(seed: int, number: int) -> np.random.Generator:
    """Create the generator of a seed's numbered child, as `SeedSequence.spawn` numbers them.

    Parameters
    ----------
    seed : int
        Whole number from 0.
    number : int
        Number of the child, from 0.

    Returns
    -------
    numpy.random.Generator
        The child's generator, in its initial state.
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))

"""Limits on memory, in place of limits on time: what is written out in full needs both."""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def at_most(size: int) -> Iterator[None]:
    """AssertionError if Python objects that are made inside take more bytes than this at once."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= size, f"{peak:,} bytes; at most {size:,} were expected"

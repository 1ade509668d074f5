"""Streams are named; names that differ give other numbers, the same name the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.randomness import stream

NAMES = st.lists(st.text() | st.integers(-5, 5) | st.booleans(), min_size=1, max_size=3)


@given(NAMES, NAMES)
def test_a_stream_is_its_name(one, other):
    same = [repr(each) for each in one] == [repr(each) for each in other]
    first, second = (stream(7, *names).integers(2**63, size=2) for names in (one, other))
    assert (first == second).all() == same


def test_names_of_other_types_are_other_names():
    drawn = {stream(1, name).integers(2**63) for name in (1, 1.0, True, "1")}
    assert len(drawn) == 4
    assert stream(1, np.int64(3)).integers(2**63) == stream(1, 3).integers(2**63)
    assert stream(1, "a", "b").integers(2**63) != stream(1, "a,b").integers(2**63)
    assert stream(1, "a").integers(2**63) != stream(2, "a").integers(2**63)


def test_streams_stay_what_they_are():
    """Kept rows depend on them."""
    assert stream(2018, "kk-group-sizes", "cabs", 17).integers(10**6, size=3).tolist() == PINNED


PINNED = [767764, 535586, 178059]


@pytest.mark.parametrize(
    ("seed", "names", "message"),
    [
        (-1, ("a",), "seed is -1"),
        (1.5, ("a",), "seed is 1.5"),
        (True, ("a",), "seed is True"),
        (1, (), "at least one name"),
        (1, (None,), "name None"),
        (1, (["a"],), "name \\['a'\\]"),
    ],
)
def test_what_names_nothing_is_refused(seed, names, message):
    with pytest.raises(ValueError, match=message):
        stream(seed, *names)


def test_zero_is_a_seed():
    assert stream(0, "a").random() == stream(0, "a").random() != stream(1, "a").random()

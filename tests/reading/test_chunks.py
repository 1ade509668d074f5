"""What is gathered from chunks equals what the whole says, whatever the chunks."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.reading import chunks as gathering
from lib.reading.chunks import Ids, Medians, Visits

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 12)), max_size=60)
LIMITS = ({}, {"_PENDING": 7}, {"_PENDING": 7, "_BATCH": 3})


def limited(monkeypatch, limits):
    for name, value in limits.items():
        monkeypatch.setattr(gathering, name, value)


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.integers(1, 9), st.sampled_from(LIMITS), st.randoms())
def test_visits_are_each_pair_once_in_the_order_of_users_asked(pairs, size, limits, random):
    with pytest.MonkeyPatch.context() as monkeypatch:
        limited(monkeypatch, limits)
        user, cell = np.array(pairs, np.int64).reshape(-1, 2).T
        visits = Visits(13)
        for first in range(0, len(user), size):
            visits.add(user[first : first + size], cell[first : first + size])
        assert visits.users.tolist() == sorted(set(user))
        order = np.array(random.sample(range(12), 12))  # users 10 and 11 are nowhere
        matrix = visits.matrix(order)
    expected = np.zeros((12, 13), int)
    expected[user, cell] = 1
    assert np.array_equal(matrix.toarray(), expected[order])
    assert matrix.has_canonical_format
    assert (matrix.data.dtype, matrix.indices.dtype) == (np.int32, np.int32)


def test_repeats_are_not_kept(monkeypatch):
    limited(monkeypatch, {"_PENDING": 100})
    visits, rng, most = Visits(50), np.random.default_rng(0), 0
    for _ in range(200):
        visits.add(rng.integers(0, 4, 50), rng.integers(0, 50, 50))
        most = max(most, sum(len(piece.cell) for piece in (*visits._old, *visits._new)))
    assert most < 700  # of 10,000, of which 200 are distinct


def test_too_many_visits_are_refused(monkeypatch):
    monkeypatch.setattr(gathering, "MAX_CELLS", 3)
    visits = Visits(5)
    visits.add(np.array([0, 0, 1]), np.array([1, 2, 2]))
    with pytest.raises(ValueError, match=r"3 visits; traces hold fewer than 2\^31"):
        visits.matrix(np.arange(2))


VALUE = st.one_of(st.floats(-180, 180), st.sampled_from([0.0, -0.0, 9.19, 45.5]))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), VALUE), min_size=1, max_size=60),
    st.integers(1, 9),
    st.sampled_from([5, 20, 1 << 20]),
)
def test_medians_are_those_of_the_whole(values, size, points):
    place = np.unique([place for place, _ in values], return_inverse=True)[1]
    value = np.array([value for _, value in values])
    with pytest.MonkeyPatch.context() as monkeypatch:
        limited(monkeypatch, {"_POINTS": points})
        medians = Medians()
        chunks = [slice(first, first + size) for first in range(0, len(value), size)]
        for chunk in chunks:
            medians.add(place[chunk], value[chunk])
        for chunk in chunks if medians.dropped_bits else ():
            medians.refine(place[chunk], value[chunk])
    expected = pd.Series(value).groupby(place).median().to_numpy()
    assert np.array_equal(medians.medians(), expected)


def test_ids_are_numbered_through_all_chunks():
    ids = Ids("who")
    chunks = [pd.Series(list(text), dtype=object) for text in ("bab", "", "cb", "ad")]
    found = [ids.number(chunk).tolist() for chunk in chunks]
    assert found == [[0, 1, 0], [], [2, 0], [1, 3]]
    assert ids.in_order().tolist() == ["b", "a", "c", "d"]
    index, order = ids.sorted()
    assert (index.tolist(), order.tolist()) == (["a", "b", "c", "d"], [1, 0, 2, 3])
    index, order = ids.sorted(np.array([2, 0]))
    assert (index.tolist(), order.tolist()) == (["b", "c"], [0, 2])


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        ([["a"], [1]], "column 'who' mixes int and str"),
        ([[1], [1.5]], "column 'who' mixes float and int"),
        ([[0.5], [2.0**53]], "floats merge ids"),
        ([["a"], [["a"]]], "holds lists"),
    ],
)
def test_ids_of_several_types_are_refused_even_in_chunks(chunks, message):
    with pytest.raises(ValueError, match=message):
        ids = Ids("who")
        for chunk in chunks:
            ids.number(pd.Series(chunk))
        ids.sorted()

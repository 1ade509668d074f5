"""What the first chapter measures, on the six users and on small made-up traces."""

import numpy as np
import pandas as pd
import pytest

from lib import datasets
from lib.studies import foundations
from lib.traces import Traces


@pytest.fixture(scope="module")
def two_weeks():
    """Two users, one place, fifteen days: the first comes daily at 8, the second only at first."""
    epochs = pd.date_range("2013-03-04", periods=15 * 24, freq="1h", tz="UTC")
    first = [(0, 24 * day + 8) for day in range(15)]
    visits = np.array([*first, (1, 5), (1, 6)])
    rois = pd.DataFrame({"lat": [40.0], "lon": [-74.0]}, index=["station"])
    none = np.zeros(len(visits), int)
    return Traces.from_codes(visits[:, 0], none, visits[:, 1], ["a", "b"], rois, epochs)


def test_weekly_recurrence_is_from_one_week_to_the_next(two_weeks):
    rows = foundations.weekly_recurrence({"made": two_weeks})
    assert rows["weeks"].unique().tolist() == ["1 to 2", "2 to 3"]
    first = rows[rows["weeks"] == "1 to 2"]["recurrence"].tolist()
    assert first == [1.0, 0.0]
    nobody = foundations.weekly_recurrence({"six": datasets.load("six-users")})
    assert nobody.empty and list(nobody.columns) == ["data", "weeks", "recurrence"]


def test_only_flights_have_two_clocks():
    six = {"six-users": datasets.load("six-users")}
    assert foundations.recurrence_by_clock(six, "1D").empty


def test_a_stranger_is_in_none_of_the_groups():
    six = datasets.load("six-users")
    groups = np.array([[0, 1, 2], [1, 2, 3]])  # Eve or Fay
    found = foundations.strangers_cells(six, groups, seed=1).tolist()
    assert found in [six.matrix[[user]].indices.tolist() for user in (4, 5)]
    assert foundations.strangers_cells(six, groups, seed=1).tolist() == found
    everybody = np.array([range(6)])
    assert len(foundations.strangers_cells(six, everybody, seed=1))


def test_gains_are_paired_by_target():
    rows = [
        {"data": "d", "group size": 10, "draw": draw, "release": kind, "AUC": auc}
        for draw, aucs in enumerate([(0.9, 0.7), (0.8, 0.8)])
        for kind, auc in zip(("raw", "noisy"), aucs, strict=True)
    ]
    found = foundations.gains(pd.DataFrame(rows))
    assert found["gain"].tolist() == pytest.approx([0.5, 0.0])


def test_datasets_are_described_in_words():
    six = datasets.load("six-users")
    table = datasets.described({"six-users": six})
    assert table.loc["users", "six-users"] == "6"
    assert table.loc["visits of a user: median, most", "six-users"] == "8, 8"
    empty = 1 - (six.matrix.sum(axis=0) > 0).mean()
    assert table.loc["cells that nobody visits", "six-users"] == f"{empty:.0%}"
    assert datasets.accounts({"six-users": six}).empty  # nothing was read

"""Where the tests find files that are not part of the project, and people whom nobody knows."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

_FOLDER = os.environ.get("AGGREGATE_LOCATION_DATA")
FOLDER = Path(_FOLDER) if _FOLDER else Path(__file__).parents[2] / "shared" / "data"

_CARD = """what: GPS of {n} walkers, {days} days in spring, invented
path: walkers.csv
columns: {{user: id, time: when, lat: y, lon: x}}
timezone: UTC
start: 2013-03-04
end: {end}
grid: {{south: 45.40, north: 45.53, west: 9.08, east: 9.28, rows: 6, columns: 8}}
"""


def needed(name):
    """A mark that skips a test, saying why, where the file is not there."""
    return pytest.mark.skipif(
        not (FOLDER / name).exists(),
        reason=f"{name} is neither in AGGREGATE_LOCATION_DATA nor in ../shared/data",
    )


def walkers(folder, n_users=120, days=21, seed=5):
    """A card, and the table beside it, of people with a home, a work place and whims.

    Each is seen in six hours of a day on average; the weekday's hours are the same each week, but
    for one in four.
    """
    rng = np.random.default_rng(seed)
    places = rng.uniform((45.41, 9.09), (45.52, 9.27), (n_users, 4, 2))
    habit = rng.random((n_users, 7, 24)) < 0.25
    which = rng.integers(0, 3, (n_users, 7, 24))
    rows = []
    for user in range(n_users):
        for hour in range(24 * days):
            day, clock = hour // 24 % 7, hour % 24
            there = habit[user, day, clock] ^ (rng.random() < 0.05)
            if there and clock > 5:
                place = which[user, day, clock] if rng.random() > 0.25 else 3
                minute = int(rng.integers(60))
                rows.append((f"w{user:03d}", hour * 60 + minute, *places[user, place]))
    table = pd.DataFrame(rows, columns=["id", "when", "y", "x"])
    table["when"] = pd.Timestamp("2013-03-04") + pd.to_timedelta(table["when"], unit="min")
    table.to_csv(folder / "walkers.csv", index=False, float_format="%.5f")
    end = (pd.Timestamp("2013-03-04") + pd.Timedelta(days=days)).date()
    card = folder / "walkers.yml"
    card.write_text(_CARD.format(n=n_users, days=days, end=end))
    return card

"""Six users small enough to see at once; every chapter's first example."""

from __future__ import annotations

import pandas as pd

from lib.traces import Traces

_PLACES = pd.DataFrame(
    {"lat": [40.74, 40.75, 40.76, 40.77], "lon": [-74.00, -73.98, -73.99, -73.97]},
    index=pd.Index(["home", "station", "office", "park"], name="roi"),
)
_HOURS = pd.DatetimeIndex(
    [f"2013-03-0{day} {hour:02d}:00" for day in (4, 5) for hour in (8, 9, 12, 18)],
    tz="UTC",
    name="epoch",
)
# One letter an hour: the first of the place's name, a point for nowhere. Two days of four hours.
_DIARY = {
    "Ada": "hsoh hsoh",
    "Ben": "hsoh hsoh",
    "Cleo": "hoos hoos",
    "Dan": "p.sh os.p",
    "Eve": "sho. .pho",
    "Fay": "opsh hosp",
}


def load_six_users() -> Traces:
    """Return six invented people, four places, and four hours of each of two days.

    Ada, Ben and Cleo do on Tuesday what they did on Monday; Dan, Eve and Fay do not.

    Returns
    -------
    Traces
        The traces, (6 users, 4 ROIs, 8 epochs).
    """
    place = {roi[0]: i for i, roi in enumerate(_PLACES.index)}
    visits = [
        (user, place[letter], epoch)
        for user, diary in enumerate(_DIARY.values())
        for epoch, letter in enumerate(diary.replace(" ", ""))
        if letter != "."
    ]
    user, roi, epoch = (pd.Series(column).to_numpy() for column in zip(*visits, strict=True))
    return Traces.from_codes(user, roi, epoch, list(_DIARY), _PLACES, _HOURS)

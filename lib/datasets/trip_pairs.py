"""Trips as cells of their own: the zone "A → B" counts the people who travel from A to B."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from lib.traces import NULL

ARROW = " → "


def join(origin: str, destination: str) -> str:
    """Name the zone of trips from one place to another.

    Parameters
    ----------
    origin, destination : str
        The places.

    Returns
    -------
    str
        Its name.

    Examples
    --------
    >>> join("home", "work")
    'home → work'
    """
    return f"{origin}{ARROW}{destination}"


def split(zones: Iterable[str]) -> pd.DataFrame | None:
    """Find origin and destination of each zone, if all zones are pairs of places.

    Parameters
    ----------
    zones : iterable of str
        Names of zones. The zone "null" may be among them.

    Returns
    -------
    DataFrame or None
        Columns origin and destination, with one row for each zone, missing for "null"; None if
        some other zone is not a pair, or if there is none.
    """
    names = pd.Series([str(zone) for zone in zones], dtype=object)
    places = names != NULL
    if not places.any() or not (names[places].str.count(ARROW) == 1).all():
        return None
    sides = names[places].str.split(ARROW, expand=True, regex=False)
    return sides.set_axis(["origin", "destination"], axis=1).reindex(names.index)

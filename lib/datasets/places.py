"""Places as files write them: points in text, projections, cells of H3 and geohash, polygons."""

from __future__ import annotations

import json
import re
import struct
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from lib.datasets.tables import check_installed
from lib.validation import RecordError, format_value

_NUMBER = r"([+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)"
_WKT = rf"(?i)^\s*(?:SRID=(\d+);)?\s*POINT\s*(?:ZM|Z|M)?\s*\(\s*{_NUMBER}\s+{_NUMBER}[^()]*\)\s*$"
_JSON = rf"\"coordinates\"\s*:\s*\[\s*{_NUMBER}\s*,\s*{_NUMBER}"
_H3 = re.compile("8[0-9a-fA-F]{14}")
_GEOHASH = "0123456789bcdefghjkmnpqrstuvwxyz"
_IS_GEOHASH = re.compile(f"[{_GEOHASH}]{{4,12}}")
_DEGREES = {"", "EPSG:4326", "OGC:CRS84", "4326", "CRS84", "WGS84"}


# -- points ----------------------------------------------------------------------------------------


def points(values: pd.Series, row: int) -> tuple[np.ndarray, np.ndarray, str]:
    """Read points that are written as WKT, GeoJSON or WKB.

    Parameters
    ----------
    values : Series
        Text or bytes; missing where there is no point.
    row : int
        Row of the first, for messages.

    Returns
    -------
    x, y : ndarray of float
        Coordinates; NaN where there is no point.
    crs : str
        Their system, such as "EPSG:27700", if the values say so; empty if they do not.

    Raises
    ------
    RecordError
        For the first value that is no point.
    """
    empty = [isinstance(each, str) and "EMPTY" in each[:40].upper() for each in values]
    present = values.notna().to_numpy() & (values != "").to_numpy() & ~np.array(empty, bool)
    found = np.full((2, len(values)), np.nan)
    text = values[present]
    crs = ""
    first = text.iloc[0] if len(text) else ""
    if isinstance(first, bytes) or re.fullmatch("0[01][0-9a-fA-F]{40,}", str(first)):
        pairs = [
            _wkb(each, row + int(at))
            for at, each in zip(np.flatnonzero(present), text, strict=True)
        ]
        found[:, present] = np.array([pair[:2] for pair in pairs], float).T
        crs = next((f"EPSG:{srid}" for _, _, srid in pairs if srid), "")
    elif str(first).lstrip().startswith("{"):
        parts = text.str.extract(_JSON)
        found[:, present] = parts.to_numpy(float).T
    else:
        parts = text.str.extract(_WKT)
        found[:, present] = parts[[1, 2]].to_numpy(float).T
        srid = parts[0].dropna()
        crs = f"EPSG:{srid.iloc[0]}" if len(srid) else ""
    wrong = present & np.isnan(found).any(axis=0)
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise RecordError(
            row + at,
            f"{values.name} is {format_value(str(values.iloc[at])[:60])}, which is not a point; "
            "POINT (9.19 45.46), longitude first, or a GeoJSON point was expected",
        )
    return found[0], found[1], crs


def _wkb(value: Any, row: int) -> tuple[float, float, int]:
    """x, y and the SRID (0 if none) of a point in WKB."""
    try:
        raw = value if isinstance(value, bytes) else bytes.fromhex(str(value))
        order = "<" if raw[0] == 1 else ">"
        (kind,) = struct.unpack_from(f"{order}I", raw, 1)
        srid = struct.unpack_from(f"{order}I", raw, 5)[0] if kind & 0x20000000 else 0
        if kind & 0xFF not in (1,) and kind % 1000 != 1:
            raise ValueError
        x, y = struct.unpack_from(f"{order}2d", raw, 9 if srid else 5)
    except (ValueError, struct.error, IndexError):
        raise RecordError(
            row,
            f"geometry is {format_value(value)}, which is not a point in WKB; write points as "
            "POINT (9.19 45.46), longitude first",
        ) from None
    return x, y, srid


def to_degrees(
    x: np.ndarray, y: np.ndarray, crs: str, scale: float | None, file: Path, row: int
) -> tuple[np.ndarray, np.ndarray]:
    """Convert coordinates to degrees.

    Parameters
    ----------
    x, y : ndarray of float
        Coordinates; NaN where there are none.
    crs : str
        Their system, as pyproj names it; empty for degrees.
    scale : float, optional
        What degrees were multiplied by.
    file : Path
        The file, for messages.
    row : int
        Row of the first, for messages.

    Returns
    -------
    lat, lon : ndarray of float
        Degrees.

    Raises
    ------
    ValueError
        If the system is unknown, or pyproj is not installed.
    RecordError
        For the first coordinate outside the system.
    """
    if scale is not None:
        return y / scale, x / scale
    if str(crs).upper() in _DEGREES:
        return y, x
    check_installed("pyproj", file, "coordinates of a projection are read")
    pyproj = import_module("pyproj")
    try:
        change = pyproj.Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    except pyproj.exceptions.CRSError:
        raise ValueError(
            f"crs is {format_value(crs)}; a system that pyproj knows, such as EPSG:27700 or "
            "EPSG:3857, was expected"
        ) from None
    lon, lat = (np.asarray(each) for each in change.transform(x, y))
    _check_inside(change.source_crs, crs, (x, y), (lat, lon), row)
    return np.where(np.isnan(x), np.nan, lat), np.where(np.isnan(x), np.nan, lon)


def _check_inside(
    system: Any,
    crs: str,
    given: tuple[np.ndarray, np.ndarray],
    found: tuple[np.ndarray, np.ndarray],
    row: int,
) -> None:
    """Refuse coordinates that a projection cannot have, or that are mostly outside its area."""
    (x, y), (lat, lon) = given, found
    present = ~np.isnan(x)
    wrong = present & ~(np.isfinite(lat) & np.isfinite(lon))
    remedy = "if they are exchanged, exchange lat and lon in columns="
    area = system.area_of_use
    if area is not None and not wrong.any():
        margin = 2  # degrees
        inside = (lat > area.south - margin) & (lat < area.north + margin)
        if area.west < area.east:
            inside &= (lon > area.west - margin) & (lon < area.east + margin)
        wrong = present & ~inside if 2 * (present & inside).sum() < present.sum() else wrong
        remedy += ", or give the crs= they are in"
    if system.is_projected and present.any() and (np.abs(x[present]) <= 180).all():
        wrong = present & (np.abs(y) <= 90)
        remedy = "they look like degrees, which need no crs="
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        where = ""
        if area is not None:
            where = (
                f" (latitude {area.south:g} to {area.north:g}, longitude {area.west:g} to "
                f"{area.east:g})"
            )
        raise RecordError(
            row + at, f"x is {x[at]:g} and y is {y[at]:g}, which is outside {crs}{where}; {remedy}"
        )


# -- cells -----------------------------------------------------------------------------------------


def cell_centres(ids: pd.Index) -> tuple[pd.DataFrame | None, str]:
    """Find the centres of places whose ids are cells of H3 or geohash.

    Parameters
    ----------
    ids : Index
        Ids of places, with the name of their column.

    Returns
    -------
    rois : DataFrame or None
        Indexed by id, columns lat and lon; None if the ids are no cells, or h3 is not installed.
    note : str
        How they were found; empty if the ids are no cells.
    """
    texts = [str(each) for each in ids]
    if texts and all(_H3.fullmatch(text) for text in texts):
        if find_spec("h3") is None:
            note = "places are H3 cells; their centres are known where h3 is installed"
            return None, f"{note} (pip install h3)"
        h3 = import_module("h3")
        wrong = [text for text in texts if not h3.is_valid_cell(text)]
        if wrong:
            return None, ""
        centres = [h3.cell_to_latlng(text) for text in texts]
        note = "places are H3 cells, each at its centre"
    elif _are_geohash(texts, str(ids.name)):
        centres = [_geohash(text) for text in texts]
        note = "places are read as geohash cells, each at its centre"
    else:
        return None, ""
    return pd.DataFrame(centres, index=ids, columns=["lat", "lon"], dtype=float), note


def _are_geohash(texts: list[str], column: str) -> bool:
    """Whether ids are cells: by the column's name, or because nothing else is written so."""
    if not texts or not all(_IS_GEOHASH.fullmatch(text) for text in texts):
        return False
    if "geohash" in column.lower():
        return True
    mixed = all(re.search("[0-9]", text) and re.search("[b-z]", text) for text in texts)
    numbered = all(re.fullmatch("[b-z]+[0-9]+", text) for text in texts)  # such as bus001
    return mixed and not numbered and len({len(text) for text in texts}) == 1 <= len(texts[0]) - 4


def _geohash(text: str) -> tuple[float, float]:
    """Latitude and longitude of a cell's centre: its bits halve longitude and latitude in turn."""
    box = [[-180.0, 180.0], [-90.0, 90.0]]
    side = 0
    for letter in text:
        for bit in f"{_GEOHASH.index(letter):05b}":
            low, high = box[side]
            box[side][bit == "0"] = (low + high) / 2
            side = 1 - side
    return sum(box[1]) / 2, sum(box[0]) / 2


# -- polygons --------------------------------------------------------------------------------------


class Polygons:
    """Zones that are areas: a point belongs to the first that covers it.

    Parameters
    ----------
    file : Path
        A GeoJSON file of polygons in degrees. The id of an area is its feature's "id", or the one
        of its properties whose values differ and whose name is usual (zone, id, name, code, ...).

    Raises
    ------
    ValueError
        If the file does not hold such areas, or shapely is not installed.
    """

    def __init__(self, file: Path):
        self.file = file
        check_installed("shapely", file, "points are put into polygons")
        shapely = import_module("shapely")
        content = _geojson(file)
        features = [each for each in content["features"] if each.get("geometry")]
        kinds = sorted({each["geometry"]["type"] for each in features})
        if not features or not set(kinds) <= {"Polygon", "MultiPolygon"}:
            raise ValueError(
                f"{file.name} holds {', '.join(kinds) or 'no shape'}; polygons were expected"
            )
        self.ids, self.note = _area_ids(features, file)
        shapes = shapely.from_geojson([json.dumps(each["geometry"]) for each in features])
        west, south, east, north = shapely.total_bounds(shapes)
        if max(-west, east) > 180 or max(-south, north) > 90:
            raise ValueError(
                f"{file.name} has coordinates from {west:g} to {east:g}, which are not degrees: "
                f"ogr2ogr -t_srs EPSG:4326 out.geojson {file.name} converts them"
            )
        self._points, self._tree = shapely.points, shapely.STRtree(shapes)
        inner = shapely.get_coordinates(shapely.point_on_surface(shapes))
        self._centres = inner[:, ::-1]

    def locate(self, lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
        """Find the area of each point.

        Parameters
        ----------
        lat, lon : ndarray of float, shape (n,)
            Points in degrees.

        Returns
        -------
        ndarray of int64, shape (n,)
            Positions among the areas; -1 outside all of them.
        """
        point, area = self._tree.query(self._points(lon, lat), predicate="intersects")
        found = np.full(len(lat), len(self.ids), np.int64)
        np.minimum.at(found, point, area)
        return np.where(found < len(self.ids), found, -1)

    def rois(self) -> pd.DataFrame:
        """Return the areas as ROIs.

        Returns
        -------
        DataFrame
            Indexed by id: columns lat and lon of a point inside.
        """
        return pd.DataFrame(self._centres, pd.Index(self.ids, name="roi"), ["lat", "lon"])


def _geojson(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{file.name} is not GeoJSON: {error}") from None
    if not isinstance(content, dict) or not isinstance(content.get("features"), list):
        raise ValueError(f"{file.name} is not GeoJSON: an object with features was expected")
    return content


_AREA_NAMES = ("roi", "zone", "zoneid", "id", "locationid", "code", "geoid", "name", "zonename")


def _area_ids(features: list[dict[str, Any]], file: Path) -> tuple[list[str], str]:
    """The id of each area, and where it is from."""
    own = [str(each["id"]) for each in features if each.get("id") is not None]
    if len(own) == len(features) == len(set(own)):
        return own, "zones are areas, named by the id of each feature"
    properties = [each.get("properties") or {} for each in features]
    names = list(dict.fromkeys(name for each in properties for name in each))
    unique = [
        name
        for name in names
        if len({str(each.get(name)) for each in properties}) == len(features)
        and all(each.get(name) is not None for each in properties)
    ]
    plain = {re.sub(r"[\W_]", "", name).lower(): name for name in reversed(unique)}
    chosen = next((plain[name] for name in _AREA_NAMES if name in plain), None)
    if not names:
        numbers = [str(i) for i in range(1, len(features) + 1)]
        return numbers, "zones are areas, which the file does not name: they are numbered from 1"
    if chosen is None and len(unique) == 1:
        chosen = unique[0]
    if chosen is None:
        raise ValueError(
            f"{file.name}: no property names each area ({', '.join(names)}); "
            "give every feature a property zone of its own"
        )
    note = f"zones are areas, named by the property {chosen!r}"
    return [str(each[chosen]) for each in properties], note

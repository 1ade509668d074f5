"""The same 500 made-up sightings, written in many ways, are the same traces."""

import bz2
import gzip
import json
import lzma
import struct
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pytest
import zstandard

from lib.datasets import load
from lib.traces import Grid

N = 500
GRID = Grid(45.40, 45.60, 9.00, 9.30, 6, 7)
ROME = {"timezone": "Europe/Rome"}


@pytest.fixture(scope="module")
def sightings():
    """500 sightings of 40 people in a fortnight of March: user, time (UTC), lat, lon."""
    rng = np.random.default_rng(500)
    minutes = rng.integers(0, 14 * 24 * 60, N)
    time = pd.Timestamp("2013-03-04 00:00", tz="UTC") + pd.to_timedelta(minutes, unit="min")
    user = [f"p{i:02d}" for i in rng.integers(0, 40, N)]
    lat, lon = rng.uniform(45.41, 45.59, N).round(5), rng.uniform(9.01, 9.29, N).round(5)
    return pd.DataFrame({"user": user, "time": time, "lat": lat, "lon": lon})


def written(form, zone="UTC"):
    """A function that writes the times of a table in one format, on the clocks of a zone."""
    return lambda t: t.assign(time=t.time.dt.tz_convert(zone).dt.strftime(form))


ISO = written("%Y-%m-%dT%H:%M:%SZ")


def text(prepare=ISO, name="s.csv", encoding="utf-8", before="", end="\n", **options):
    """A function that writes a table as text into a folder and names the file."""

    def write(table, folder):
        lines = prepare(table).to_csv(index=False, lineterminator=end, **options)
        file = folder / name
        file.write_bytes((before + lines).encode(encoding))
        return file

    return write


def packed(name, pack):
    def write(table, folder):
        file = folder / name
        file.write_bytes(pack(ISO(table).to_csv(index=False).encode()))
        return file

    return write


def zipped(table, folder):
    file = folder / "s.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("s.csv", ISO(table).to_csv(index=False))
    return file


def folder_of_people(table, folder):
    for user, rows in ISO(table).groupby("user"):
        rows.drop(columns="user").to_csv(folder / f"{user}.csv", index=False)
    return folder


def folders_of_people(table, folder):
    for user, rows in ISO(table).groupby("user"):
        (folder / user).mkdir()
        for i, half in enumerate((rows[::2], rows[1::2])):
            half.drop(columns="user").to_csv(folder / user / f"{i}.txt", index=False, sep=";")
    return folder


def pattern(table, folder):
    folder_of_people(table, folder)
    (folder / "notes.txt").write_text("no table\n")
    return f"{folder}/p*.csv"


def geolife(table, folder):
    for user, rows in table.groupby("user"):
        trajectory = folder / "Data" / user / "Trajectory"
        trajectory.mkdir(parents=True)
        lines = [
            f"{r.lat},{r.lon},0,492,40097.5,{r.time:%Y-%m-%d},{r.time:%H:%M:%S}"
            for r in rows.itertuples()
        ]
        head = (
            "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0\n0\n"
        )
        (trajectory / "1.plt").write_text(head + "\r\n".join(lines) + "\r\n")
    return folder / "Data"


def geojson(table, folder):
    features = [
        {
            "type": "Feature",
            "properties": {"user": r.user, "time": f"{r.time:%Y-%m-%dT%H:%MZ}"},
            "geometry": {"type": "Point", "coordinates": [r.lon, r.lat]},
        }
        for r in table.itertuples()
    ]
    file = folder / "s.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return file


def excel(table, folder):
    file = folder / "s.xlsx"
    book = openpyxl.Workbook()
    book.active.append(table.columns.tolist())
    for row in table.assign(time=table.time.dt.tz_localize(None)).itertuples(index=False):
        book.active.append([x.to_pydatetime() if x is row.time else x for x in row])
    book.save(file)
    return file


def card(yaml, **options):
    """A function that writes a table and a card beside it."""

    def write(table, folder):
        text(**options)(table, folder)
        file = folder / "card.yml"
        file.write_text(yaml)
        return file

    return write


def points(form):
    """A column of points instead of coordinates."""
    return lambda t: ISO(t).drop(columns=["lat", "lon"]).assign(geometry=form(t))


def wkt(t):
    return [f"POINT ({x} {y})" for x, y in zip(t.lon, t.lat, strict=True)]


def ewkt(t):
    return [f"SRID=4326;POINT Z ({x} {y} 12.5)" for x, y in zip(t.lon, t.lat, strict=True)]


def geojson_text(t):
    pairs = zip(t.lon, t.lat, strict=True)
    return [json.dumps({"type": "Point", "coordinates": pair}) for pair in pairs]


def wkb(t):
    pairs = zip(t.lon, t.lat, strict=True)
    return [struct.pack("<BIIdd", 1, 0x20000001, 4326, *pair).hex() for pair in pairs]


def scaled(factor, names=("lat", "lon")):
    def prepare(t):
        whole = {
            n: (t[side] * factor).round().astype(int)
            for n, side in zip(names, ("lat", "lon"), strict=True)
        }
        return ISO(t).drop(columns=["lat", "lon"]).assign(**whole)

    return prepare


def renamed(**names):
    return lambda t: ISO(t).rename(columns=names)


def split(date, clock, zone="UTC"):
    """The date and the time of day in columns of their own."""

    def prepare(t):
        local = t.time.dt.tz_convert(zone)
        parts = {"date": local.dt.strftime(date), "clock": local.dt.strftime(clock)}
        return t.drop(columns="time").assign(**parts)

    return prepare


def hours(t):
    return t.drop(columns="time").assign(date=t.time.dt.strftime("%Y%m%d"), hour=t.time.dt.hour)


def calendar(t):
    parts = {name: getattr(t.time.dt, name) for name in ("year", "month", "day", "hour")}
    return t.drop(columns="time").assign(**parts)


def numbers(unit):
    return lambda t: t.assign(time=(t.time.dt.as_unit("ns").astype("int64") // unit))


LIST = {"columns": ["user", "time", "lat", "lon"]}
DIALECTS = {
    "commas": (text(), {}),
    "semicolons": (text(sep=";"), {}),
    "tabs": (text(sep="\t", name="s.txt"), {}),
    "bars": (text(sep="|", name="s.dat"), {}),
    "spaces": (text(written("%Y-%m-%dT%H:%MZ"), sep=" ", name="s.dat"), {}),
    "no ending": (text(name="sightings"), {}),
    "semicolons and decimal commas": (text(sep=";", decimal=","), {}),
    "tabs and decimal commas": (text(sep="\t", decimal=",", name="s.tsv"), {}),
    "quoted decimal commas": (text(decimal=",", quoting=1), {}),
    "all quoted": (text(quoting=1), {}),
    "a byte order mark": (text(encoding="utf-8-sig"), {}),
    "UTF-16": (text(encoding="utf-16", sep="\t", name="s.txt"), {}),
    "lines of Windows": (text(end="\r\n"), {}),
    "a blank first line": (text(before="\n"), {}),
    "a first line of commas": (text(before=",,,\n"), {}),
    "a title": (text(before="Sightings of March\n\n", sep=";"), {}),
    "comments": (text(before="# made up\n# in 2013\n"), {}),
    "no names": (text(header=False), LIST),
    "no names, semicolons and decimal commas": (text(header=False, sep=";", decimal=","), LIST),
    "names by position": (text(renamed(user="a", time="b", lat="c", lon="d")), LIST),
    "usual names": (text(renamed(user="User ID", time="Timestamp", lat="Latitude", lon="lng")), {}),
    "gzip": (packed("s.csv.gz", gzip.compress), {}),
    "gzip of text": (packed("s.txt.gz", gzip.compress), {}),
    "bzip2": (packed("s.csv.bz2", bz2.compress), {}),
    "xz": (packed("s.csv.xz", lzma.compress), {}),
    "zstd": (packed("s.csv.zst", zstandard.compress), {}),
    "zip": (zipped, {}),
    "Rome without offsets": (text(written("%Y-%m-%d %H:%M", "Europe/Rome")), ROME),
    "Rome's offsets": (text(written("%Y-%m-%d %H:%M%z", "Europe/Rome")), {}),
    "day first": (text(written("%d/%m/%Y %H:%M")), {}),
    "month first": (text(written("%m/%d/%Y %H:%M")), {}),
    "day.month": (text(written("%d.%m.%Y %H:%M:%S"), sep=";", decimal=","), {}),
    "morning and afternoon": (
        text(written("%d/%m/%Y %I:%M %p")),
        {"time_format": "%d/%m/%Y %I:%M %p"},
    ),
    "names of zones": (
        text(written("%d/%m/%Y %H:%M %Z", "Europe/Rome")),
        ROME | {"time_format": "%d/%m/%Y %H:%M %Z"},
    ),
    "seconds": (text(numbers(10**9)), {}),
    "milliseconds": (text(numbers(10**6)), {"time_format": "milliseconds"}),
    "date and time": (text(split("%Y-%m-%d", "%H:%M:%S")), {}),
    "date and time of Rome": (text(split("%d/%m/%Y", "%H:%M", "Europe/Rome")), ROME),
    "date and hour": (text(hours), {}),
    "year, month, day, hour": (text(calendar), {}),
    "WKT": (text(points(wkt)), {}),
    "EWKT": (text(points(ewkt), sep=";"), {}),
    "GeoJSON in a column": (text(points(geojson_text)), {}),
    "WKB": (text(points(wkb)), {}),
    "GeoJSON": (geojson, {}),
    "degrees times 1e5": (text(scaled(1e5)), {"scale": 1e5}),
    "degrees times 1e7": (text(scaled(1e7, ("latitudeE7", "longitudeE7"))), {}),
    "Excel": (excel, {}),
    "a file a person": (folder_of_people, {}),
    "a folder a person": (folders_of_people, {}),
    "a pattern": (pattern, {}),
    "GeoLife": (geolife, {}),
    "a card": (
        card(
            "path: s.dat\nseparator: '|'\ndecimal: ','\ncolumns: [user, time, lat, lon]\n",
            name="s.dat",
            sep="|",
            decimal=",",
            header=False,
        ),
        {},
    ),
}


@pytest.fixture(scope="module")
def expected(sightings):
    """The visits, counted here: user, cell of the grid, hour since the first."""
    hour = sightings.time.dt.floor("h")
    first = hour.min()
    row = np.floor((sightings.lat - GRID.south) / (GRID.north - GRID.south) * GRID.n_rows)
    column = np.floor((sightings.lon - GRID.west) / (GRID.east - GRID.west) * GRID.n_columns)
    cell = (row * GRID.n_columns + column).astype(int)
    since = ((hour - first) / pd.Timedelta("1h")).astype(int)
    return first, set(zip(sightings.user, cell, since, strict=True))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_same_sightings_are_the_same_traces(dialect, sightings, expected, tmp_path):
    write, options = DIALECTS[dialect]
    traces = load(str(write(sightings, tmp_path)), grid=GRID, **options)
    first, visits = expected
    user, at = traces.matrix.nonzero()
    cell, hour = np.divmod(at, traces.n_epochs)
    assert traces.epochs[0] == first
    assert set(zip(traces.users[user], cell.tolist(), hour.tolist(), strict=True)) == visits
    assert traces.report.read == traces.report.kept == N
    assert len(traces.report.checksum) == 64


def test_there_are_as_many_dialects_as_promised():
    assert len(DIALECTS) >= 40

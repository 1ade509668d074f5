"""Files in the shapes in which people have them: what is found, and what is refused in which words.

The tables are made up; their shapes are those of files that were published or asked about.
"""

import json
import struct

import h3
import numpy as np
import openpyxl
import pandas as pd
import pyproj
import pytest
import shapely

from lib.chapters import parameters
from lib.datasets import files, load, places, tables
from lib.traces import Grid

PEOPLE = [f"v{i}" for i in range(4)]


def rows(n=24):
    """Rows of four people: a number, a person, a time, a zone."""
    return [(i, PEOPLE[i % 4], f"2013-03-05 {i % 20:02d}:15", f"z{i % 5}") for i in range(n)]


def write(folder, text, name="t.csv"):
    file = folder / name
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_text(text)
    return str(file)


def table(folder, header, lines, name="t.csv", separator=","):
    body = [separator.join(map(str, line)) for line in lines]
    return write(folder, "\n".join([header, *body]) + "\n", name)


# -- who -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["id,user_id,time,zone", "uid,device,timestamp,place"])
def test_what_columns_names_is_settled(tmp_path, header):
    number, person, time, zone = header.split(",")
    file = table(tmp_path, header, rows())
    for columns in ({"user": person, "time": time, "roi": zone}, {"user": person}):
        assert load(file, columns=columns).users.tolist() == PEOPLE
    assert load(file, columns={"user": number}).n_users == 24


def test_of_two_columns_of_users_the_one_that_comes_again_is_taken_and_named(tmp_path):
    found = load(table(tmp_path, "id,user_id,time,zone", rows()))
    assert found.users.tolist() == PEOPLE
    assert "user is column 'user_id'" in " ".join(found.report.notes)
    twice = [(person, *row[1:]) for row, person in zip(rows(), PEOPLE * 6, strict=True)]
    with pytest.raises(ValueError, match="'id' and 'user_id' may each be user: say which"):
        load(table(tmp_path, "id,user_id,time,zone", twice))


@pytest.mark.parametrize(
    "header",
    [
        "id,card_id,timestamp,station",
        "id,vehicle_id,time,zone",
        "user,plate,time,zone",
        "uid,IMSI,time,zone",
        "ID,Bike,Date,Zone",
    ],
)
def test_a_row_number_is_not_taken_for_the_person_in_silence(tmp_path, header):
    number, person = header.split(",")[:2]
    file = table(tmp_path, header, rows())
    with pytest.raises(ValueError, match=rf"'{number}' was .* 24 rows have 24 .*'{person}' looks"):
        load(file)
    assert load(file, columns={"user": person}).users.tolist() == PEOPLE
    alone = load(file, columns={"user": number})
    assert alone.n_users == 24
    assert "nearly every row has its own" in alone.report.notes[-1]


def test_many_people_with_few_rows_are_people(tmp_path):
    lines = [(f"p{i // 2}", i % 3, f"2013-03-05 {i % 20:02d}:15", f"z{i % 5}") for i in range(40)]
    assert load(table(tmp_path, "user,age_group,time,zone", lines)).n_users == 20


def test_a_table_without_people_says_so(tmp_path):
    header = "VendorID,tpep_pickup_datetime,tpep_dropoff_datetime,PULocationID,DOLocationID"
    file = table(tmp_path, header, [(1, "2023-01-01 00:32:10", "2023-01-01 00:40:36", 161, 141)])
    with pytest.raises(
        ValueError, match=r"is user; the file has VendorID.*not about people.*--counts"
    ):
        load(file)


# -- when ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "line", "time"),
    [
        ("user,date,hour,zone", "a,20130306,4,z", "04:00"),
        ("user,Date,Hour,zone", "a,2013-03-06,04,z", "04:00"),
        ("user,date,time,zone", "a,2013-03-06,6:33,z", "06:00"),
        ("user,day,clock,zone", "a,26/03/2013,06:33:33,z", "06:00"),
        ("user,date,time_of_day,zone", "a,2013-03-06,8h30,z", "08:00"),
        ("user,fecha,periodo,zone", "a,20130306,15,z", "15:00"),
    ],
)
def test_a_date_and_a_time_of_day_in_two_columns_are_joined(tmp_path, header, line, time):
    found = load(write(tmp_path, f"{header}\n{line}\n"))
    date, clock = header.split(",")[1:3]
    assert found.epochs[0].strftime("%H:%M") == time
    assert f"time is columns '{date}' and '{clock}' joined" in " ".join(found.report.notes)
    columns = {"user": "user", "time": [date, clock], "roi": "zone"}
    said = load(str(tmp_path / "t.csv"), columns=columns)
    assert said.epochs.equals(found.epochs)


def test_an_hour_that_does_not_fit_is_refused_with_the_option_that_joins(tmp_path):
    file = write(tmp_path, "user,date,hour,zone\na,2013-03-06,evening,z\n")
    with pytest.raises(ValueError, match=r"'date' holds days.*columns=\{time: \[date, hour\]\}"):
        load(file)
    found = load(file, columns={"time": "date"})
    assert "date holds days, so everybody is at midnight" in found.report.notes
    hours = write(tmp_path, "user,date,hour,zone\na,2013-03-06,17,z\n")
    notes = " ".join(load(hours, columns={"time": "date"}).report.notes)
    assert "columns={time: [date, hour]} joins the two" in notes


def test_a_broken_hour_is_named_with_its_line(tmp_path):
    lines = [("a", "2013-03-06", hour, "z") for hour in [*range(1, 24)] * 50 + ["late"]]
    file = table(tmp_path, "user,date,hour,zone", lines)
    with pytest.raises(ValueError, match=r"line 1152 \(row 1150\): hour is 'late'; an hour"):
        load(file)


def test_times_at_a_clock_change_outside_the_window_do_not_matter(tmp_path):
    file = write(tmp_path, "bikeid,starttime,station\n1,11/5/2017 1:01,a\n2,11/13/2017 8:00,b\n")
    columns = {"user": "bikeid", "time": "starttime", "roi": "station"}
    options = {"columns": columns, "timezone": "America/New_York", "start": "2017-11-06"}
    assert load(file, **options).users.tolist() == ["2"]


# -- stays and trips -------------------------------------------------------------------------------

STAYS = "user_id,started_at,finished_at,location_id\nu,2013-03-05 19:43,2013-03-05 23:00,z4\n"


def test_a_stay_counts_in_every_hour_between(tmp_path):
    found = load(write(tmp_path, STAYS))
    assert found.epochs.hour.tolist()[:4] == [19, 20, 21, 22]
    assert found.visits().tolist() == [4]
    assert "which counts in every epoch that it overlaps" in found.report.notes[-1]
    start = {"user": "user_id", "time": "started_at", "roi": "location_id"}
    assert load(str(tmp_path / "t.csv"), columns=start).visits().tolist() == [1]
    wrong = STAYS.replace("2013-03-05 23:00", "2013-03-05 09:00")
    with pytest.raises(ValueError, match=r"t\.csv, line 2 .*finished_at is before started_at"):
        load(write(tmp_path, wrong))


TRIPS = {
    "NYC TLC": "taxi_id,pickup_datetime,dropoff_datetime,PULocationID,DOLocationID",
    "TLC, yellow": "medallion,tpep_pickup_datetime,tpep_dropoff_datetime,PULocationID,DOLocationID",
    "Citi Bike": "bikeid,starttime,stoptime,start station id,end station id",
    "Divvy": "bikeid,start_time,end_time,from_station_id,to_station_id",
    "of one's own": "user,departure,arrival,origin,destination",
}


@pytest.mark.parametrize("system", TRIPS)
def test_a_trip_counts_at_its_origin_and_at_its_destination(tmp_path, system):
    header = TRIPS[system]
    file = write(tmp_path, f"{header}\nb,2013-03-10 08:09:15,2013-03-10 09:29:15,3,0\n")
    found = load(file)
    assert found.matrix.toarray().tolist() == [[0, 1, 1, 0]]  # 0 at 9, 3 at 8
    assert "each row is a trip, which counts twice" in found.report.notes[-1]
    broken = write(tmp_path, f"{header}\nb,2013-03-10 08:09,2013-03-10 09:29,3,0\nb,x,y,1,2\n")
    with pytest.raises(ValueError, match=r"t\.csv, line 3 \(row 1\): .* is 'x'"):
        load(broken)


@pytest.mark.parametrize("system", TRIPS)
def test_trips_as_pairs_count_once_between_their_places(tmp_path, system):
    rows = ("b,2013-03-10 08:09,2013-03-10 09:29:15,3,0", "b,2013-03-10 09:40,2013-03-10 10:05,0,3")
    found = load(write(tmp_path, "\n".join([TRIPS[system], *rows])), trips="pairs")
    assert found.rois.index.tolist() == ["0 → 3", "3 → 0"]
    assert found.matrix.toarray().tolist() == [[0, 1, 1, 0]]
    assert "each row is a trip, which counts once" in found.report.notes[-1]
    assert found.report.read == 2
    card = tmp_path / "card.yml"
    card.write_text("path: t.csv\ntrips: pairs\nepoch: 7D\n", encoding="utf-8")
    assert load(str(card)).matrix.toarray().tolist() == [[1, 1]]


def test_pairs_without_trips_and_with_a_grid_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no columns of the origin and the destination"):
        load(write(tmp_path, STAYS), trips="pairs")
    trip = f"{TRIPS['NYC TLC']}\nb,2013-03-10 08:09,2013-03-10 09:29,3,0\n"
    with pytest.raises(ValueError, match="trips is 'pair'; 'ends' or 'pairs' was expected"):
        load(write(tmp_path, trip), trips="pair")
    with pytest.raises(ValueError, match="give no grid, zones or rois"):
        load(write(tmp_path, trip), trips="pairs", grid=(2, 2))
    arrow = write(tmp_path, trip + "b,2013-03-10 08:09,2013-03-10 09:29,3 → 1,0\n")
    with pytest.raises(ValueError, match=r"t\.csv, line 3 .*a place without ' → ' was expected"):
        load(arrow, trips="pairs")


def test_trips_with_coordinates_are_put_on_a_grid(tmp_path):
    header = "bike_id,started_at,ended_at,start_lat,start_lng,end_lat,end_lng"
    line = "b,2013-03-10 08:09,2013-03-10 09:29,40.1,-74.9,40.9,-74.1"
    found = load(write(tmp_path, f"{header}\n{line}\n"), grid=(2, 2))
    assert found.matrix.toarray().reshape(4, 2).tolist() == [[1, 0], [0, 0], [0, 0], [0, 1]]
    part = {"user": "bike_id", "time": "started_at", "origin_lat": "start_lat"}
    assert np.array_equal(
        load(str(tmp_path / "t.csv"), grid=(2, 2), columns=part).matrix.toarray(),
        found.matrix.toarray(),
    )
    write(tmp_path, f"bike_id,started_at,until_when,start_lat,a,b,c\n{line}\n")
    with pytest.raises(ValueError, match="is destination_lat, origin_lon, destination_lon, until"):
        load(str(tmp_path / "t.csv"), columns=part)


# -- where -----------------------------------------------------------------------------------------


def test_british_grid_and_mercator_are_converted(tmp_path):
    lat, lon = np.array([51.5, 51.6]), np.array([-0.1, -0.2])
    for crs in ("EPSG:27700", "EPSG:3857"):
        x, y = pyproj.Transformer.from_crs("EPSG:4326", crs, always_xy=True).transform(lon, lat)
        lines = [("a", "2013-03-04", *pair) for pair in zip(x, y, strict=True)]
        file = table(tmp_path, "user,time,easting,northing", lines)
        found = load(file, crs=crs, grid=Grid(51.45, 51.65, -0.25, -0.05, 2, 2))
        assert np.flatnonzero(found.matrix.toarray()).tolist() == [1, 2]
        with pytest.raises(ValueError, match=r"easting and northing .*crs=EPSG:27700.*pyproj"):
            load(file)
    with pytest.raises(ValueError, match="crs is 'EPSG:1'; a system that pyproj knows"):
        load(file, crs="EPSG:1")
    with pytest.raises(ValueError, match=r"line 2 .* outside EPSG:27700 .*; if they are exchanged"):
        wrong = table(tmp_path, "user,time,x,y", [("a", "2013-03-04", "1e300", "5")])
        load(wrong, crs="EPSG:27700")


@pytest.mark.parametrize(
    ("lat", "lon", "reason"),
    [
        (116.4, 39.9, "swapped, exchange lat and lon in columns="),
        (5690454, 1020092, "metres, give crs="),
        (45403160, 9113130, "give scale= .such as scale=1e6 or"),
        ("45,1", 9.1, "write a decimal point, or give decimal=','"),
    ],
)
def test_a_latitude_beyond_90_names_the_likely_reasons(tmp_path, lat, lon, reason):
    lines = [("a", "2013-03-04", 45, 9)] * 1000 + [("b", "2013-03-04", f'"{lat}"', lon)]
    file = table(tmp_path, "user,time,lat,lon", lines)
    with pytest.raises(ValueError, match=rf"line 1002 .*lat is {lat}; degrees from.*{reason}"):
        load(file)


def test_bad_values_of_options_are_refused_by_name(tmp_path):
    file = table(tmp_path, "user,time,lat,lon", [("a", "2013-03-04", 45, 9)])
    for option, value in (("scale", "big"), ("scale", 1), ("decimal", ";"), ("separator", "x")):
        with pytest.raises(ValueError, match=f"{option} is "):
            load(file, **{option: value})
    with pytest.raises(ValueError, match="lat is 'north'; a number was expected"):
        load(table(tmp_path, "user,time,lat,lon", [("a", "2013", "north", 9)]), scale=10)


@pytest.mark.parametrize("role", ["point", "roi", None])
def test_points_as_text_are_points_and_never_zones(tmp_path, role):
    lines = [("a", "2013-03-04", "POINT (9.1 45.1)"), ("b", "2013-03-04", "POINT(9.2 45.2)")]
    columns = {"user": "user", "time": "time", role: "where"} if role else None
    header = "user,time,where"
    assert load(table(tmp_path, header, lines), columns=columns).n_rois == 100
    bad = [*lines * 600, ("c", "2013-03-04", "POINT (9.1)")]
    with pytest.raises(ValueError, match=r"line 1202 .*'POINT \(9.1\)', which is not a point"):
        load(table(tmp_path, header, bad), columns=columns)


def test_lines_and_other_shapes_are_refused(tmp_path):
    file = table(tmp_path, "user,time,geom", [("a", "2013-03-04", '"LINESTRING (9 45, 9 46)"')])
    with pytest.raises(ValueError, match=r"'geom' holds 'LINESTRING.*points were expected"):
        load(file)


def test_wkb_of_another_shape_is_refused_with_its_line(tmp_path):
    point, line = struct.pack("<BIdd", 1, 1, 9, 45).hex(), struct.pack("<BIdd", 1, 2, 9, 45).hex()
    file = table(tmp_path, "user,time,wkb", [("a", "2013-03-04", x) for x in (point, line)])
    with pytest.raises(ValueError, match=r"line 3 .*not a point in WKB"):
        load(file)


def test_h3_cells_are_zones_at_their_centres(tmp_path, monkeypatch):
    cells = sorted(h3.latlng_to_cell(45.4 + i / 10, 9.1, 8) for i in range(3))
    file = table(tmp_path, "user,time,h3", [("a", "2013-03-04", cell) for cell in cells])
    found = load(file)
    assert found.rois.index.tolist() == cells
    assert found.rois.loc[cells[0]].tolist() == pytest.approx(h3.cell_to_latlng(cells[0]))
    assert load(file, grid=(3, 1)).matrix.nnz == 3
    monkeypatch.setattr(places, "find_spec", lambda name: None)
    without = load(file)
    assert without.rois["lat"].isna().all()
    assert "known where h3 is installed (pip install h3)" in " ".join(without.report.notes)


@pytest.mark.parametrize(
    ("header", "ids", "lat", "lon"),
    [
        ("geohash", ["ezs42", "ezs43"], 42.605, -5.603),
        ("zone", ["u4pruydq", "u4pruyd3", "u4pru9dq"], 57.649, 10.407),
        ("zone", ["bus001", "bus002"], None, None),
        ("zone", ["z24", "z3"], None, None),
        ("zone", ["10115", "10117"], None, None),
    ],
)
def test_geohash_cells_are_zones_at_their_centres(tmp_path, header, ids, lat, lon):
    file = table(tmp_path, f"user,time,{header}", [("a", "2013-03-04", cell) for cell in ids])
    found = load(file).rois
    assert found.index.tolist() == sorted(ids)
    if lat is None:
        assert found["lat"].isna().all()
    else:
        assert found.loc[ids[0]].tolist() == pytest.approx([lat, lon], abs=0.02)


def area(west, south, **properties):
    ring = [[west, south], [west + 1, south], [west + 1, south + 1], [west, south + 1]]
    shape = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
    return {"type": "Feature", "properties": properties, "geometry": shape}


def areas(folder, *features):
    content = {"type": "FeatureCollection", "features": features}
    return write(folder, json.dumps(content), "areas.geojson")


def test_points_are_put_into_areas(tmp_path):
    lines = [("a", "2013-03-04", 45.5, 9.5), ("b", "2013-03-04", 45.5, 10.2), ("c", "2013", 50, 9)]
    lines[2] = ("c", "2013-03-04", 50, 9)
    file = table(tmp_path, "user,time,lat,lon", lines)
    zones = areas(tmp_path, area(9, 45, name="west"), area(10, 45, name="east"))
    found = load(file, zones=zones)
    assert found.rois.index.tolist() == ["west", "east"]
    assert found.users.tolist() == ["a", "b"]
    assert found.report.set_aside == {"outside all zones": 1}
    assert "zones are areas, named by the property 'name'" in found.report.notes
    inside = shapely.box(9, 45, 10, 46)
    assert inside.covers(shapely.Point(found.rois["lon"].iloc[0], found.rois["lat"].iloc[0]))
    card = write(tmp_path, "path: t.csv\nzones: areas.geojson\n", "card.yml")
    assert (load(card).matrix != found.matrix).nnz == 0
    with pytest.raises(ValueError, match="areas and a grid were given: give one"):
        load(file, zones=zones, grid=(2, 2))
    named = table(tmp_path, "user,time,zone", [("a", "2013-03-04", "west")])
    with pytest.raises(ValueError, match=r"holds areas, and t\.csv has no points"):
        load(named, zones=zones)


def test_areas_that_cannot_be_right_are_refused(tmp_path):
    file = table(tmp_path, "user,time,lat,lon", [("a", "2013-03-04", 45.5, 9.5)])
    for features, message in (
        ([area(9, 45, kind="x"), area(10, 45, kind="x")], r"no property names each area \(kind\)"),
        ([area(500_000, 45, name="x")], "not degrees: ogr2ogr -t_srs EPSG:4326"),
        ([area(9, 45) | {"geometry": {"type": "Point", "coordinates": [9, 45]}}], "holds Point"),
    ):
        with pytest.raises(ValueError, match=message):
            load(file, zones=areas(tmp_path, *features))
    with pytest.raises(ValueError, match=r"areas\.geojson is not GeoJSON"):
        load(file, zones=write(tmp_path, "{", "areas.geojson"))


# -- a grid over places ----------------------------------------------------------------------------


def test_a_grid_over_places_without_coordinates_is_refused(tmp_path):
    file = table(tmp_path, "user,time,zone", [row[1:] for row in rows()])
    with pytest.raises(ValueError, match="a grid needs coordinates, and 5 of 5 places have none"):
        load(file, grid=(2, 2))


def test_a_grid_holds_the_places_of_a_card(tmp_path):
    table(tmp_path, "user,time,zone", [row[1:] for row in rows()])
    zones = ", ".join(f"z{i}: [{45 + i}, {9 + i}]" for i in range(5))
    card = write(tmp_path, f"path: t.csv\nzones: {{{zones}}}\n", "card.yml")
    whole, coarse = load(card), load(card, grid=(2, 2), null=True)
    assert coarse.n_rois == 5  # and null
    cell = np.array([0, 0, 0, 3, 3])  # the box is a little larger than that of the places
    user, at = whole.matrix.nonzero()
    roi, epoch = np.divmod(at, whole.n_epochs)
    expected = set(zip(user, cell[roi] * whole.n_epochs + epoch, strict=True))
    found = coarse.select(rois=range(4)).matrix
    assert set(zip(*found.nonzero(), strict=True)) == expected
    assert coarse.trace("v0").sum(axis=0).min() >= 1  # null fills what is empty


def test_a_grid_takes_each_rows_own_point_where_there_is_one(tmp_path):
    lines = [("a", "2013-03-04", "bar", 45, 9), ("b", "2013-03-04", "bar", 46, 10)]
    file = table(tmp_path, "user,time,place,latitude,longitude", lines)
    assert load(file).n_rois == 1
    found = load(file, grid=(2, 2))
    assert np.flatnonzero(found.matrix.toarray().sum(axis=0)).tolist() == [0, 3]
    assert "'place' is not used: points are put into zones" in found.report.notes


def test_named_datasets_take_a_grid_and_answer_in_words():
    assert load("flights-by-number", grid=(2, 2)).n_rois == 4
    assert load("cabs", grid=(2, 3)).n_rois == 6
    with pytest.raises(ValueError, match="six-users: there is no option 'epoch'; its options are"):
        load("six-users", epoch="1D")
    with pytest.raises(ValueError, match="gowalla: there is no option 'columns'; its options are"):
        load("gowalla", columns={})


# -- how files are written -------------------------------------------------------------------------


def test_a_file_without_names_is_refused_with_its_first_line_and_the_remedy(tmp_path):
    file = write(tmp_path, "0\t2049\t1287503727.0\n0\t0\t1287411463.0\n", "checkins.txt")
    with pytest.raises(ValueError, match=r"'0, 2049, 1287503727.0', looks like data.*columns=\["):
        load(file)
    assert load(file, columns=["user", "roi", "time"]).n_rois == 2
    for columns, message in (
        (["user", "roi"], "names 2 columns; checkins.txt has 3, such as '0, 2049"),
        (["user", "who", "time"], "'who' is no role"),
        (["user", "user", "time"], "user is listed twice"),
    ):
        with pytest.raises(ValueError, match=message):
            load(file, columns=columns)
    assert load(file, columns=["roi", "user", "time"]).n_users == 2
    with pytest.raises(ValueError, match="which column is user"):
        load(file, columns=["-", "roi", "time"])
    bad = write(tmp_path, "0\t1\t1287503727\n0\t2\tnever\n", "bad.txt")
    with pytest.raises(ValueError, match=r"bad\.txt, line 2 \(row 1\): time is 'never'"):
        load(bad, columns=["user", "roi", "time"])


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("a.npy", "numpy.load"),
        ("a.shp", "ogr2ogr"),
        ("a.gpkg", "ogr2ogr"),
        ("a.json", "read_json"),
        ("a.xls", "save the sheet as CSV or .xlsx"),
        ("a.sqlite", "sqlite3 -csv"),
        ("a.rds", "write.csv"),
        ("a.7z", "unpack it"),
    ],
)
def test_a_file_that_is_not_read_is_refused_with_the_way_to_convert_it(tmp_path, name, how):
    file = tmp_path / name
    file.write_bytes(b"\x93NUMPY\x00\x01")
    with pytest.raises(ValueError, match=rf"{name}: files ending in .* are not read.*{how}"):
        load(str(file))


def test_a_file_that_exists_is_never_taken_for_an_unknown_dataset(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visits").write_bytes(b"\x00\x01\x02")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF")
    (tmp_path / "empty").mkdir()
    for name, message in (
        (
            "visits",
            "visits cannot be read as a table: it is not text. Convert it to one of these: CSV",
        ),
        ("photo.jpg", "it is not text"),
        ("empty", "folder 'empty' holds no table; files that end in one of .csv"),
        ("nothing.txt", "no file or folder 'nothing.txt'"),
        ("*.csv", r"no file matches '\*.csv'"),
    ):
        with pytest.raises((ValueError, FileNotFoundError), match=message):
            load(name)


def test_packing_that_the_name_hides_is_named(tmp_path):
    for content, ending in (
        (b"\x1f\x8b\x08", ".gz"),
        (b"PK\x03\x04", ".zip"),
        (b"PAR1", ".parquet"),
    ):
        file = tmp_path / "t.csv"
        file.write_bytes(content + b"....")
        with pytest.raises(
            ValueError, match=rf"cannot be read as a table: it is .*end its name.*{ending}"
        ):
            load(str(file))


def test_text_in_another_encoding_is_refused_with_the_command_that_converts(tmp_path):
    file = tmp_path / "latin.csv"
    file.write_bytes("user,time,zone\nZoë,2013-03-04,p\n".encode("latin-1"))
    with pytest.raises(ValueError, match="Save it as UTF-8: iconv"):
        load(str(file))


def test_an_excel_file_with_several_sheets_asks_for_one(tmp_path, monkeypatch):
    book = openpyxl.Workbook()
    book.active.title = "notes"
    sheet = book.create_sheet("visits")
    for row in (["user", "time", "zone"], [7, "2013-03-04 10:00", 1.0], ["07", "2013-03-04", "p"]):
        sheet.append(row)
    file = tmp_path / "t.xlsx"
    book.save(file)
    with pytest.raises(ValueError, match="has the sheets notes, visits: say which with sheet="):
        load(str(file))
    found = load(str(file), sheet="visits")
    assert (found.users.tolist(), found.rois.index.tolist()) == (["07", "7"], ["1", "p"])
    sheet["B2"] = "never"
    book.save(file)
    with pytest.raises(ValueError, match=r"t\.xlsx, row 2 of the sheet \(row 0\): time is 'never'"):
        load(str(file), sheet="visits")
    monkeypatch.setattr(tables, "find_spec", lambda name: None)
    with pytest.raises(
        ValueError, match=r"only where openpyxl is installed \(pip install openpyxl"
    ):
        load(str(file), sheet="visits")


@pytest.mark.parametrize(
    ("package", "options"), [("pyproj", {"crs": "EPSG:27700"}), ("shapely", {"zones": "areas"})]
)
def test_a_missing_package_is_named(tmp_path, monkeypatch, package, options):
    file = table(tmp_path, "user,time,lat,lon", [("a", "2013-03-04", 45, 9)])
    if "zones" in options:
        options = {"zones": areas(tmp_path, area(9, 45))}
    monkeypatch.setattr(tables, "find_spec", lambda name: None)
    with pytest.raises(
        ValueError, match=rf"only where {package} is installed \(pip install {package}"
    ):
        load(file, **options)


def test_geoparquet_points_are_read(tmp_path):
    pytest.importorskip("pyarrow", reason="Parquet is read only where pyarrow is installed")
    points = [struct.pack("<BIdd", 1, 1, 9 + i / 10, 45) for i in range(3)]
    frame = pd.DataFrame({"user": ["a", "b", "c"], "time": "2013-03-04", "geometry": points})
    frame.set_index("time").to_parquet(tmp_path / "t.parquet")
    assert load(str(tmp_path / "t.parquet"), grid=(1, 3)).visits().tolist() == [1, 1, 1]


def test_options_that_would_be_ignored_are_refused(tmp_path):
    zones = table(tmp_path, "user,time,zone", [("a", "2013-03-04", "POINT Nord")])
    assert load(zones).rois.index.tolist() == ["POINT Nord"]  # a name, not a point
    points = table(tmp_path, "user,time,lat,lon", [("a", "2013-03-04", 45, 9)], "points.csv")
    listed = pd.DataFrame({"lat": [45.0], "lon": [9.0]}, index=["x"])
    for file, options, message in (
        (zones, {"crs": "EPSG:27700"}, r"crs: t\.csv has no columns of coordinates"),
        (zones, {"scale": 10}, r"scale: t\.csv has no columns of coordinates"),
        (zones, {"sheet": "visits"}, r"sheet is 'visits', but t\.csv is no Excel file"),
        (points, {"scale": 10, "crs": "EPSG:27700"}, "crs and scale were given: give one"),
        (points, {"rois": listed}, r"zones: points\.csv has points, and no column of places"),
    ):
        with pytest.raises(ValueError, match=message):
            load(file, **options)


# -- folders ---------------------------------------------------------------------------------------


def test_files_of_one_person_each_are_people_by_their_names(tmp_path):
    for name in ("walks/ada.csv", "walks/bob.csv"):
        table(tmp_path, "time,zone", [("2013-03-04 10:00", "p")], name)
    write(tmp_path, "", "walks/cleo.csv")
    found = load(str(tmp_path / "walks"))
    assert found.users.tolist() == ["ada", "bob"]
    assert "each file is a person, such as 'ada' for ada.csv" in found.report.notes
    assert "1 empty files, such as cleo.csv, are passed over" in found.report.notes
    card = write(tmp_path, "path: walks/*.csv\n", "card.yml")
    assert load(card).users.tolist() == ["ada", "bob"]
    with pytest.raises(ValueError, match="is user"):
        load(str(tmp_path / "walks" / "ada.csv"))


def test_geolife_and_t_drive_are_read_from_their_folders(tmp_path):
    head = "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0\n0\n"
    line = "39.9,116.4,0,492,40097.58,2009-10-11,14:04:30\n"
    for user in ("000", "001"):
        write(tmp_path, head + line, f"Geolife Trajectories 1.3/Data/{user}/Trajectory/1.plt")
    found = load("geolife", path=tmp_path / "Geolife Trajectories 1.3")
    assert found.users.tolist() == ["000", "001"]
    assert found.epochs[0] == pd.Timestamp("2009-10-11 14:00", tz="UTC")
    assert found.n_rois == 100
    write(tmp_path, "1,2008-02-02 15:36:08,116.41,39.92\n", "taxi/1.txt")
    write(tmp_path, "", "taxi/2.txt")
    found = load("t-drive", path=tmp_path / "taxi")
    assert found.epochs[0] == pd.Timestamp("2008-02-02 07:00", tz="UTC")  # 15 in Beijing
    assert found.matrix.nnz == 1


# -- check-ins -------------------------------------------------------------------------------------


def test_gowalla_in_three_columns_and_its_places(tmp_path):
    file = write(tmp_path, "0\t2049\t1287503727.0\n0\t7\t1287411463.0\n", "Gowalla_checkins.txt")
    found = load("gowalla", path=file)
    assert found.epochs[-1] == pd.Timestamp("2010-10-19 15:00", tz="UTC")
    assert found.rois["lat"].isna().all()
    with pytest.raises(ValueError, match=r"a grid needs coordinates.*Gowalla_poi_coos.txt"):
        load("gowalla", path=file, grid=(2, 2))
    write(tmp_path, "2049\t30.2\t-97.7\n7\t30.4\t-97.6\n", "Gowalla_poi_coos.txt")
    assert load("gowalla", path=file).rois.loc[7].tolist() == [30.4, -97.6]
    coarse = load("gowalla", path=file, grid=(2, 2))
    assert np.flatnonzero(coarse.matrix.toarray()) // coarse.n_epochs == pytest.approx([0, 3])
    with pytest.raises(ValueError, match="a grid and n_places or rois were given"):
        load("gowalla", path=file, grid=(2, 2), n_places=1)


def test_unpacked_foursquare_check_ins_are_found(tmp_path, monkeypatch):
    write(tmp_path, "5\t7\t1333447208.0\n", "Foursquare_checkins.txt")
    write(tmp_path, "7\t40.7\t-73.9\n", "Foursquare_poi_coos.txt")
    monkeypatch.setenv(files.DATA_VARIABLE, str(tmp_path))
    assert load("foursquare").users.tolist() == [5]


def test_a_run_depends_on_every_file_of_a_folder(tmp_path):
    for user in ("ada", "ben"):
        table(tmp_path, "time,zone", [("2013-03-04 10:00", "p")], f"walks/{user}/1.csv")
    card = write(tmp_path, "path: walks\n", "walks.yml")
    values = parameters.book_values("foundations") | {"datasets": [card]}
    assert set(parameters.paths("foundations", values).values()) >= set(tmp_path.rglob("1.csv"))


# -- kinds of faults that were found in variants of public files ----------------------------------

PORTO = '"TRIP_ID","TAXI_ID","TIMESTAMP","POLYLINE"\n'


def test_paths_of_porto_have_a_point_every_15_seconds(tmp_path):
    along = str([[-8.6, 41.1 + i / 1000] for i in range(500)])
    lines = [f'"1","20","1372636800","{along}"', '"2","21","1372636800","[]"']
    found = load(write(tmp_path, PORTO + "\n".join(lines) + "\n"), grid=(1, 1))
    assert found.users.tolist() == ["20"]
    assert found.n_epochs == 3  # 499 x 15 s after midnight it is five past two
    assert found.visits().tolist() == [3]
    assert found.report.read == 501
    assert found.report.set_aside == {"missing value": 1}
    assert "whose points are 15 seconds apart" in " ".join(found.report.notes)


@pytest.mark.parametrize(
    ("time", "path", "message"),
    [
        ("1372636858", "[[-8.6,x]]", r"line 3 \(row 1\): '\[\[-8.6,x\]\]' was found; a path"),
        ("1372636858", "[[41.1,-98.6]]", r"line 3 .* longitude first"),
        ("2013-07-01 10:00", "[[-8.6,41.1]]", "line 3 .* in seconds since 1970 was expected"),
    ],
)
def test_paths_that_cannot_be_right_are_refused(tmp_path, time, path, message):
    good = '"1","20","1372636858","[[-8.6,41.1]]"\n'
    with pytest.raises(ValueError, match=message):
        columns = {"polyline": "POLYLINE", "time": "TIMESTAMP", "user": "TAXI_ID"}
        load(write(tmp_path, f'{PORTO}{good}"2","21","{time}","{path}"\n'), columns=columns)


@pytest.mark.parametrize(
    "name", ["time_slot", "interval", "slot", "clock_time", "pickup_hour", "minute_of_day", "start"]
)
def test_a_slot_beside_a_date_is_never_ignored(tmp_path, name):
    file = write(tmp_path, f"user,date,{name},zone\na,2013-03-04,10,m\nb,2013-03-05,11,s\n")
    if name == "start":  # not a name of a clock, but its values are
        file = write(tmp_path, "user,date,start,zone\na,2013-03-04,10:15,m\n")
    with pytest.raises(
        ValueError, match=rf"'{name}' may hold .*columns={{time: \[date, {name}\]}}"
    ):
        load(file)
    midnight = load(file, columns={"time": "date"})
    assert (midnight.epochs[[0]].hour == 0).all()
    assert "everybody is at midnight" in " ".join(midnight.report.notes)


@pytest.mark.parametrize(
    ("clock", "hour"), [("7", 7), ("7.30", 7), ("7h", 7), ("7 PM", 19), ("12:05 AM", 0)]
)
def test_hours_are_read_as_they_are_written(tmp_path, clock, hour):
    found = load(write(tmp_path, f"user,date,hour,zone\na,2013-03-04,{clock},m\n"))
    assert found.epochs[0].hour == hour


def test_an_interval_is_not_taken_for_an_hour_and_an_offset(tmp_path):
    file = write(tmp_path, "user,date,hour,zone\na,2013-03-04,10:00-11:00,m\n")
    with pytest.raises(ValueError, match=r"line 2 .*hour is '10:00-11:00'; an hour from 0 to 23"):
        load(file, columns={"time": ["date", "hour"]})


@pytest.mark.parametrize("value", ["45.1, 9.1", "(45.1, 9.1)", "[9.1, 45.1]", "geo:45.1,9.1"])
def test_pairs_of_coordinates_are_never_zones(tmp_path, value):
    file = write(tmp_path, f'user,time,location\na,2013-03-04 10:00,"{value}"\n')
    for columns in (None, {"roi": "location"}):
        with pytest.raises(ValueError, match=r"'location' holds .*in two columns, or points as"):
            load(file, columns=columns)


def test_a_row_number_of_trips_is_not_taken_for_the_rider(tmp_path):
    header = "id,driver,pickup_datetime,dropoff_datetime,PULocationID,DOLocationID"
    lines = [
        (i, f"d{i % 4}", f"2013-03-05 {i:02d}:15", f"2013-03-05 {i:02d}:45", 1, 2)
        for i in range(20)
    ]
    with pytest.raises(ValueError, match="20 rows have 20 different ones, and 'driver' looks"):
        load(table(tmp_path, header, lines))


@pytest.mark.parametrize("person", ["vessel", "who", "Fahrzeug", "pid", "employee"])
def test_beside_a_row_number_any_column_of_words_may_be_the_person(tmp_path, person):
    file = table(tmp_path, f"id,{person},timestamp,station", rows())
    with pytest.raises(ValueError, match=f"'{person}' looks like an id"):
        load(file)


def test_a_year_month_day_and_hour_are_not_seconds(tmp_path):
    file = write(tmp_path, "user,time,zone\na,2013030410,m\nb,2013030511,s\n")
    with pytest.raises(ValueError, match="time_format='seconds' or time_format='%Y%m%d%H'"):
        load(file)
    assert load(file, time_format="%Y%m%d%H").epochs[0] == pd.Timestamp("2013-03-04 10:00Z")


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("10/03/2013 17:18 UTC", "'%d/%m/%Y %H:%M %Z' or time_format='%m/%d/%Y %H:%M %Z'"),
        ("11/25/2017 01:05:00 PM", "'%m/%d/%Y %I:%M:%S %p'"),
        ("20130304101500", "'%Y%m%d%H%M%S'"),
        ("1362391800000", "'milliseconds'"),
        ("March 4, 2013 17:18", "'%B %d, %Y %H:%M'"),
    ],
)
def test_a_refused_time_names_the_format_that_reads_it(tmp_path, value, form):
    file = write(tmp_path, f'user,time,zone\na,"{value}",m\n')
    with pytest.raises(ValueError, match=f"give time_format={form.replace('*', '.')}") as refusal:
        load(file)
    for found in str(refusal.value).split("time_format='")[1:]:
        assert load(file, time_format=found.split("'")[0]).n_users == 1


def test_degrees_in_a_projection_and_the_wrong_projection_are_refused(tmp_path):
    degrees = write(tmp_path, "user,time,x,y\na,2013-03-04 10:00,9.1,45.1\n")
    with pytest.raises(ValueError, match=r"line 2 .*outside EPSG:27700 .* look like degrees"):
        load(degrees, crs="EPSG:27700")
    metres = write(tmp_path, "user,time,x,y\na,2013-03-04 10:00,531225,183586\n")
    with pytest.raises(ValueError, match=r"line 2 .*outside EPSG:28992 .*exchange lat and lon"):
        load(metres, crs="EPSG:28992")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("user:time:lat:lon\na:1:2:3\n", "one column only, so its separator was not found"),
        ("user,time,lat,lon\na,2013-03-04,45,1,9,1\n", "line 2: 6 values in a table of 4 columns"),
        ('user,time,lat,lon\na,"2013-03-04,45.1,9.1\n', "quotation mark .* is never closed"),
    ],
)
def test_a_broken_table_is_refused_in_words(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        load(write(tmp_path, text))


def test_excels_line_of_the_separator_and_a_tsv_of_commas_are_read(tmp_path):
    line = "user;time;zone\na;2013-03-04 10:00;m\n"
    assert load(write(tmp_path, f"sep=;\n{line}")).users.tolist() == ["a"]
    assert load(write(tmp_path, line.replace(";", ","), "t.tsv")).users.tolist() == ["a"]


def test_rarer_names_are_found_and_noted(tmp_path):
    header = "vehicle_id,event_time,gps_lat,gps_lon"
    found = load(write(tmp_path, f"{header}\nv,1362391800,45.1,9.1\nw,1362391800,45.2,9.2\n"))
    assert found.users.tolist() == ["v", "w"]
    notes = " ".join(found.report.notes)
    for name in header.split(","):
        assert f"'{name}'" in notes


def test_what_columns_leaves_open_is_found(tmp_path):
    file = write(tmp_path, "user,time,y,lon\na,2013-03-04 10:00,45.1,9.1\n")
    assert load(file, columns={"lat": "y"}).n_users == 1


def test_an_instant_that_clocks_show_twice_is_refused_in_words(tmp_path):
    file = write(tmp_path, "user,time,zone\na,2017-11-06 12:40,s\n")
    with pytest.raises(ValueError, match=r"start is .* show twice or never; give it with its UTC"):
        load(file, timezone="America/New_York", start="2017-11-05 01:30", end="2017-11-07")


def test_tables_that_a_folder_holds_beside_are_noted(tmp_path):
    for name in ("ada.csv", "ben.csv", "notes.txt"):
        write(tmp_path / "people", "time,lat,lon\n2013-03-04 10:00,45.1,9.1\n", name)
    notes = load(str(tmp_path / "people")).report.notes
    assert "tables of other kinds are not read: notes.txt" in notes


def test_weeks_begin_on_mondays(tmp_path):
    file = write(tmp_path, "user,time,zone\na,2013-03-06 10:00,m\nb,2013-03-20 10:00,m\n")
    for epoch, n in (("7D", 3), ("1W", 3), ("14D", 2)):
        found = load(file, epoch=epoch, timezone="Europe/Rome")
        local = found.epochs.tz_convert("Europe/Rome")
        assert (local.dayofweek == 0).all()
        assert len(found.epochs) == n

"""Check-ins: every distribution by a hand-made sample, the preparation by hand, real files where
they are."""

import gzip
import re

import numpy as np
import pandas as pd
import pytest

from lib.datasets import checkins, load
from tests.data import FOLDER, needed

GOWALLA = [
    "0\t2010-10-12T00:21:28Z\t40.64\t-73.78\t23261",
    "0\t2010-10-11T20:21:20Z\t40.74\t-73.98\t16907",
    "0\t2010-10-11T20:21:20Z\t40.74\t-73.98\t16907",
    "1\t2010-10-11T20:20:42Z\t40.76\t-73.98\t16907",
]
TSMC = [
    "470\t49bbd6c0f964a520f4531fe3\t4bf58dd8\tArts & Crafts Store\t40.719\t-74.002\t-240"
    "\tTue Apr 03 18:00:09 +0000 2012",
    "979\t4a43c0aef964a520c6a61fe3\t4bf58dd8\tCaf\xe9\t40.606\t-74.044\t-240"
    "\tTue Apr 03 18:00:25 +0000 2012",
]
TIST = [
    "50756\t4f5e3a72e4b053fd6a4313f6\tTue Apr 03 18:00:06 +0000 2012\t240",
    "190571\t4b4b87b5f964a5204a9f26e3\tTue Apr 03 18:00:07 +0000 2012\t180",
]
TIST_PLACES = [
    "4f5e3a72e4b053fd6a4313f6\t55.696\t37.569\tTrain Station\tRU",
    "4b4b87b5f964a5204a9f26e3\t41.029\t28.974\tCaf\xe9\tTR",
]
CUT, CUT_PLACES = (
    ["0\t0\t1333447208.0", "3\t20\t1333447209.0"],
    ["0\t40.7\t-73.9", "20\t40.8\t-74.0"],
)


def write(place, name, lines, end="\n"):
    file = place / name
    text = ("\n".join(lines) + end).encode("latin-1")
    file.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return file


def test_gowalla_as_snap_distributes_it(tmp_path):
    traces = load("gowalla", path=write(tmp_path, "checkins.txt", GOWALLA))
    assert traces.users.tolist() == [0, 1]
    assert traces.rois.index.tolist() == [16907, 23261]
    assert traces.rois.lat[16907] == 40.74  # the median of three
    assert traces.report.read == 4
    assert traces.report.duplicates == 1
    assert traces.epochs[0] == pd.Timestamp("2010-10-11 20:00", tz="UTC")
    top = load("gowalla", path=tmp_path / "checkins.txt", n_places=1, epoch="1D")
    assert top.rois.index.tolist() == [16907]
    assert top.report.set_aside == {"place not listed": 1}


def test_all_three_foursquare_distributions(tmp_path):
    tsmc = checkins.read_foursquare(write(tmp_path, "dataset_TSMC2014_NYC.txt", TSMC))
    assert tsmc["time"][0] == pd.Timestamp("2012-04-03 18:00:09", tz="UTC")
    assert tsmc.loc[1, ["lat", "lon"]].tolist() == [40.606, -74.044]
    folder = tmp_path / "tist"
    folder.mkdir()
    write(folder, "dataset_TIST2015_POIs.txt", TIST_PLACES)
    file = write(folder, "dataset_TIST2015_Checkins.txt", TIST)
    for path in (file, folder):
        tist = load("foursquare", path=path)
        assert tist.users.tolist() == [50756, 190571]
        assert tist.rois.lat["4b4b87b5f964a5204a9f26e3"] == 41.029
        assert tist.epochs[0] == pd.Timestamp("2012-04-03 18:00", tz="UTC")
    cut = tmp_path / "cut"
    cut.mkdir()
    write(cut, "Foursquare_poi_coos.txt.gz", CUT_PLACES, end="")
    write(cut, "Foursquare_checkins.txt.gz", CUT, end="")
    found = checkins.read_foursquare(cut)
    assert found["time"][0] == pd.Timestamp("2012-04-03 18:00:08", tz="UTC")  # eight hours later
    assert found["roi"].tolist() == [0, 20]
    assert found["lat"].tolist() == [40.7, 40.8]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0\t2010-10-12T00:21:28Z\t95.0\t-73.78\t2", "line 2: lat is '95.0'"),
        ("0\t2010-10-12T00:21:28Z\tinf\t-73.78\t2", "line 2: lat is 'inf'"),
        ("0\t2010-10-12T00:21:28Z\t40\tnan\t2", "line 2: lon is 'nan'"),
        ("0\tyesterday\t40\t-73.78\t2", "line 2: time is 'yesterday'"),
        ("x\t2010-10-12T00:21:28Z\t40\t-73.78\t2", "line 2: user is 'x'"),
        ("0\t2010-10-12T00:21:28Z\t40\t-73.78\t2\t7", "cannot be read|line 2"),
    ],
)
def test_what_cannot_be_right_is_named_with_its_line(tmp_path, line, said):
    file = write(tmp_path, "checkins.txt", [GOWALLA[0], line, *GOWALLA[1:]])
    with pytest.raises(ValueError, match=said):
        load("gowalla", path=file)


def test_a_missing_value_is_set_aside_and_counted(tmp_path):
    file = write(tmp_path, "checkins.txt", [*GOWALLA, "1\t2010-10-11T20:20:42Z\t\t-73.98\t16907"])
    report = load("gowalla", path=file).report
    assert report.set_aside == {"missing value": 1}
    assert report.read == report.kept + 1 == 5


def test_files_that_are_cut_alone_or_of_another_kind_are_refused(tmp_path):
    whole = gzip.compress("\n".join(GOWALLA * 500).encode())
    (tmp_path / "cut.txt.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"cut.txt.gz cannot be read as a table"):
        load("gowalla", path=tmp_path / "cut.txt.gz")
    with pytest.raises(FileNotFoundError, match="must lie beside it"):
        load("foursquare", path=write(tmp_path, "dataset_TIST2015_Checkins.txt", TIST))
    with pytest.raises(ValueError, match=r"has 5 columns; 8 \(TSMC2014\)"):
        load("foursquare", path=write(tmp_path, "other.txt", GOWALLA))
    write(tmp_path, "dataset_TIST2015_POIs.txt", TIST_PLACES[:1])
    with pytest.raises(ValueError, match="line 2: place '4b4b87b5f964a5204a9f26e3' is not in"):
        load("foursquare", path=tmp_path / "dataset_TIST2015_Checkins.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="empty holds no file named"):
        load("foursquare", path=tmp_path / "empty")
    with pytest.raises(FileNotFoundError, match="no file or folder"):
        load("gowalla", path=tmp_path / "nothing")


def test_more_cells_than_traces_can_hold_are_refused(tmp_path):
    lines = [f"{i}\t20{10 + i % 2}-10-11T20:21:20Z\t40.7\t-73.9\t{i}" for i in range(5)]
    with pytest.raises(ValueError, match="too many cells; choose n_places="):
        load("gowalla", path=write(tmp_path, "many.txt", lines), epoch="1ms")


# -- one place a window ----------------------------------------------------------------------------


def records(*rows):
    frame = pd.DataFrame(rows, columns=["user", "time", "roi"])
    frame["time"] = pd.to_datetime(frame["time"], utc=True)
    return frame


DIARY = records(
    ("ada", "2012-01-01 09:00", "a"),
    ("ada", "2012-01-02 08:00", "b"),  # two of a, one of b: a
    ("ada", "2012-01-02 09:00", "a"),
    ("ada", "2012-01-03 09:00", "a"),  # one each: the later
    ("ada", "2012-01-04 09:00", "b"),
    ("ada", "2012-01-07 09:00", "a"),  # the window before is empty
    ("bob", "2012-01-01 10:00", "c"),  # not among the two most visited
    ("bob", "2012-01-07 10:00", "b"),
)


def test_one_place_a_window_by_hand():
    found = checkins.to_trajectories(DIARY, "2D", n_places=2, min_active=1)
    assert found.places.tolist() == ["a", "b"]
    assert found.users.tolist() == ["ada", "bob"]
    assert found.states.tolist() == [[0, 1, 2, 0], [2, 2, 2, 1]]
    assert found.n_locations == 3
    assert found.starts[0] == pd.Timestamp("2012-01-01", tz="UTC")
    assert checkins.to_trajectories(DIARY, "2D", 2, min_active=2).users.tolist() == ["ada"]


def test_a_preparation_that_leaves_nobody_is_refused():
    with pytest.raises(ValueError, match="min_active is 4; no user is at the 2 places"):
        checkins.to_trajectories(DIARY, "2D", 2, 4)
    with pytest.raises(ValueError, match="lack a user, time or roi"):
        checkins.to_trajectories(DIARY.assign(user=None), "2D", 2, 1)


def test_traces_as_records_and_back():
    traces = load("six-users")
    frame = checkins.to_records(traces)
    assert len(frame) == traces.matrix.nnz
    again = type(traces).from_records(frame, roi="roi", rois=traces.rois)
    assert again.users.tolist() == sorted(traces.users)
    days = checkins.to_trajectories(frame, "1D", 4, 1)
    assert days.states.shape == (6, 2)


# -- the real files --------------------------------------------------------------------------------


@needed("gowalla-nyc")
def test_gowalla_of_new_york_is_read_whole():
    frame = checkins.read_gowalla(FOLDER / "gowalla-nyc/loc-gowalla_totalCheckins_nyc.txt.gz")
    assert frame.shape == (138_957, 5)
    assert frame["user"].nunique() == 7115
    assert frame["roi"].nunique() == 21_509
    assert frame.duplicated().sum() == 6
    points = frame[["roi", "lat", "lon"]].drop_duplicates()
    assert points.loc[points["roi"].duplicated(), "roi"].unique().size == 127


@needed("foursquare-us")
def test_the_foursquare_cut_is_read_whole_and_has_the_papers_windows():
    frame = checkins.read_foursquare(FOLDER / "foursquare-us")
    assert frame.shape == (185_984, 5)
    assert frame["user"].nunique() == 4969
    found = checkins.to_trajectories(frame)
    assert found.states.shape[1] == 27
    assert found.n_locations == 101
    assert ((found.states < 100).sum(axis=1) >= 10).all()
    assert np.isin(found.states, range(101)).all()


# -- ids and doors ---------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["00", "1e0", "1.0", "+1", " 1", "0x1", "1" * 30, "NA"])
def test_an_id_has_one_spelling(tmp_path, written):
    for column in (0, 4):
        fields = GOWALLA[1].split("\t")
        fields[column] = written
        file = write(tmp_path, "checkins.txt", [GOWALLA[0], "\t".join(fields)])
        with pytest.raises(ValueError, match=rf"line 2: (user|roi) is '{re.escape(written)}'"):
            load("gowalla", path=file)


def test_large_ids_stay_apart_or_are_refused(tmp_path):
    large = [line.replace("0\t", f"{2**53 + i}\t", 1) for i, line in enumerate(GOWALLA[:2])]
    assert load("gowalla", path=write(tmp_path, "a.txt", large)).n_users == 2
    blank = large[0].replace(str(2**53), "", 1)
    with pytest.raises(ValueError, match=r"users of 2\^53 and more"):
        load("gowalla", path=write(tmp_path, "b.txt", [*large, blank]))


@pytest.mark.parametrize("junk", ["text", 1.5, [1], {}, -1, object()])
def test_what_makes_no_sense_is_a_value_error(tmp_path, junk):
    file = write(tmp_path, "checkins.txt", GOWALLA)
    for call in (
        lambda: load("gowalla", path=file, n_places=junk),
        lambda: load("gowalla", path=file, epoch=junk),
        lambda: load("gowalla", path=file, start=junk),
        lambda: checkins.to_trajectories(junk),
        lambda: checkins.to_trajectories(DIARY, junk),
        lambda: checkins.to_trajectories(DIARY, "2D", junk),
        lambda: checkins.to_trajectories(DIARY, "2D", 2, junk),
    ):
        with pytest.raises(ValueError, match=r"."):
            call()


@pytest.mark.parametrize("ending", [".xz", ".zip", ".tar", ".zst"])
def test_a_damaged_file_is_refused_whatever_packs_it(tmp_path, ending):
    file = tmp_path / f"checkins.txt{ending}"
    file.write_bytes(b"\xfd7zXZ\x00 and then nothing")
    with pytest.raises(ValueError, match="cannot be read as a table"):
        load("gowalla", path=file)

import shutil
import tarfile

import numpy as np
import pytest

from lib.datasets import cabspotting, files, load
from lib.traces import Grid
from tests.data import FOLDER, needed

MONDAY = 1211155200  # 19 May 2008, 00:00 UTC
BOX = Grid(37.7, 37.8, -122.5, -122.4, 2, 2)
TOLERANCE = 0.01  # of the mean of published statistics that this box is known to meet


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv(files.CACHE_VARIABLE, str(tmp_path / "cache"))


def line(seconds, lat=37.72, lon=-122.48, occupied=0):
    return f"{lat:.5f} {lon:.5f} {occupied} {MONDAY + seconds}"


FIXES = {
    "ab": [line(0), line(60), line(3600, occupied=1), line(7200, lat=37.79), line(9000, lat=38.5)],
    "cd": [line(100, lon=-122.41), line(-999_999)],
    "ef": [line(30_000_000)],  # not in the window: not a user
    "gh": [],
}


def folder(tmp_path, fixes=FIXES, name="cabs"):
    place = tmp_path / name
    place.mkdir()
    (place / "_cabs.txt").write_text('<cab id="ab" updates="5"/>\n')
    for cab, lines in fixes.items():
        (place / f"new_{cab}.txt").write_text("".join(f"{text}\n" for text in lines))
    return place


def packed(tmp_path, place):
    archive = tmp_path / "cabs.tar.xz"
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(place, arcname="cabspottingdata")
    return archive


def test_a_small_fleet_by_hand(tmp_path):
    traces = load("cabspotting", path=folder(tmp_path), grid=BOX)
    assert traces.users.tolist() == ["ab", "cd"]
    assert (traces.n_rois, traces.n_epochs) == (4, 504)
    assert np.argwhere(traces.trace("ab")).tolist() == [[0, 0], [0, 1], [2, 2]]
    assert np.argwhere(traces.trace("cd")).tolist() == [[1, 0]]
    report = traces.report
    assert report.read == 8 == report.kept + sum(report.set_aside.values())
    assert report.set_aside == {"outside the window": 2, "outside the grid": 1}
    assert report.duplicates == 1


def test_order_of_times_archive_or_folder_make_no_difference(tmp_path):
    expected = load("cabspotting", path=folder(tmp_path), grid=BOX)
    backwards = folder(tmp_path, {cab: f[::-1] for cab, f in FIXES.items()}, "backwards")
    for path in (backwards, packed(tmp_path, backwards)):
        traces = load("cabspotting", path=path, grid=BOX)
        assert (traces.matrix != expected.matrix).nnz == 0
        assert traces.users.equals(expected.users)


def test_every_part_of_the_preparation_is_an_option(tmp_path):
    place = folder(tmp_path)
    busy = load("cabspotting", path=place, grid=BOX, occupied=True)
    assert busy.matrix.nnz == 1
    slow = load("cabspotting", path=place, grid=BOX, max_speed=1.0)
    assert slow.report.set_aside["faster than 1 m/s"] == 2
    null = load("cabspotting", path=place, grid=BOX, null=True)
    assert null.visits()["ab"] == 3 + (504 - 3)
    days = load("cabspotting", path=place, grid=BOX, epoch="1D", end="2008-05-21")
    assert days.n_epochs == 2
    with pytest.raises(ValueError, match="max_speed is -1"):
        load("cabspotting", path=place, max_speed=-1)
    with pytest.raises(ValueError, match="no fix of cabs is in the window"):
        load("cabspotting", path=place, start="2009-01-01", end="2009-01-02")
    with pytest.raises(ValueError, match="window is empty"):
        load("cabspotting", path=place, start="2009-01-02", end="2009-01-01")


def test_interpolation_adds_a_point_a_minute_in_short_gaps_only(tmp_path):
    fixes = {"ab": [line(0, lat=37.721), line(180, lat=37.781), line(9000, lat=37.721)]}
    place = folder(tmp_path, fixes)
    parsed = cabspotting._fixes(place)[1]
    more, n_added = cabspotting._interpolated(parsed, 180)
    assert n_added == 2
    assert (more["time"][-2:] - MONDAY).tolist() == [60, 120]
    assert more["lat"][-2:].tolist() == pytest.approx([37.741e6, 37.761e6])
    assert cabspotting._interpolated(parsed, 179)[1] == 0
    fine = Grid(37.7, 37.8, -122.5, -122.4, 5, 1)
    plain = load("cabspotting", path=place, grid=fine)
    filled = load("cabspotting", path=place, grid=fine, interpolate=180)
    assert np.flatnonzero(plain.trace("ab")[:, 0]).tolist() == [1, 4]
    assert np.flatnonzero(filled.trace("ab")[:, 0]).tolist() == [1, 2, 3, 4]
    assert filled.report.read == plain.report.read + 2
    assert filled.report.read == filled.report.kept + sum(filled.report.set_aside.values())
    with pytest.raises(ValueError, match="interpolate is 0"):
        load("cabspotting", path=place, interpolate=0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("37.7 -122.4 0", "has 3 values"),
        ("37.7 -122.4 0 121115", "time is 121115"),
        ("37.7 -122.4 2 1211155200", "occupied is 2"),
        ("97.7 -122.4 0 1211155200", "latitude is 97.7"),
        ("37.7 west 0 1211155200", "longitude is 'west', not a number"),
        ("nan -122.4 0 1211155200", "latitude is nan"),
        ("37.7 -122.4 0 1211155200 7", "has 5 values"),
    ],
)
def test_a_broken_line_is_named(tmp_path, text, message):
    place = folder(tmp_path, FIXES | {"xy": [line(0), line(1), text]})
    with pytest.raises(ValueError, match=rf"new_xy\.txt, line 3.*{message}"):
        load("cabspotting", path=place, grid=BOX)


@pytest.mark.parametrize("option", ["start", "end", "grid", "epoch", "occupied", "max_speed"])
@pytest.mark.parametrize("junk", ["text", [1], {}, object(), 1j])
def test_an_option_that_makes_no_sense_is_refused_by_name(tmp_path, option, junk):
    with pytest.raises(ValueError, match=rf"^{option} is"):
        load("cabspotting", path=folder(tmp_path), **{option: junk})


def test_words_for_today_and_too_many_epochs_are_refused(tmp_path):
    cabs = folder(tmp_path)
    for word in ("now", "today", "10:00"):
        with pytest.raises(ValueError, match=f"start is '{word}'"):
            load("cabspotting", path=cabs, start=word)
    with pytest.raises(ValueError, match="epoch is 1us: too many"):
        load("cabspotting", path=cabs, epoch="1us")


def test_a_file_cut_short_is_named(tmp_path):
    place = folder(tmp_path)
    file = place / "new_ab.txt"
    file.write_text(file.read_text()[:-20])
    with pytest.raises(ValueError, match=r"new_ab\.txt, line 5"):
        load("cabspotting", path=place, grid=BOX)


def test_an_archive_cut_short_or_of_something_else_is_refused(tmp_path):
    archive = packed(tmp_path, folder(tmp_path))
    whole = archive.read_bytes()
    for content in (whole[: len(whole) // 2], whole[:-8], b"not an archive", b""):
        archive.write_bytes(content)
        with pytest.raises(ValueError, match=r"cabs\.tar\.xz"):
            load("cabspotting", path=archive, grid=BOX)
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0xFF
    archive.write_bytes(flipped)
    with pytest.raises(ValueError, match=r"cabs\.tar\.xz"):
        load("cabspotting", path=archive, grid=BOX)
    (tmp_path / "nothing").mkdir()
    with pytest.raises(ValueError, match="no file named new_"):
        load("cabspotting", path=tmp_path / "nothing")


def test_an_archive_cut_within_a_large_file_is_refused(tmp_path):
    rng = np.random.default_rng(0)
    many = [line(60 * i, lat=37.7 + rng.random() / 10) for i in range(30_000)]
    archive = packed(tmp_path, folder(tmp_path, {"ab": many[:10], "cd": many}))
    archive.write_bytes(archive.read_bytes()[:-20_000])
    with pytest.raises(ValueError, match=r"cabs\.tar\.xz is not a whole archive"):
        load("cabspotting", path=archive, grid=BOX)


def test_a_cab_twice_is_refused(tmp_path):
    place = folder(tmp_path)
    (place / "more").mkdir()
    shutil.copy(place / "new_ab.txt", place / "more" / "new_ab.txt")
    with pytest.raises(ValueError, match="cab 'ab' twice"):
        load("cabspotting", path=place)


# -- the cache -------------------------------------------------------------------------------------


def cached(tmp_path):
    return list((tmp_path / "cache").glob("*"))


def test_the_cache_is_used_and_gives_the_same(tmp_path, monkeypatch):
    place = folder(tmp_path)
    first = load("cabspotting", path=place, grid=BOX)
    assert len(cached(tmp_path)) == 1
    monkeypatch.setattr(cabspotting, "_parse", lambda *_: pytest.fail("parsed again"))
    second = load("cabspotting", path=place, grid=BOX)
    assert (first.matrix != second.matrix).nnz == 0
    assert first.report == second.report


def test_a_changed_file_is_read_again(tmp_path):
    place = folder(tmp_path)
    load("cabspotting", path=place, grid=BOX)
    (place / "new_gh.txt").write_text(line(5) + "\n")
    assert "gh" in load("cabspotting", path=place, grid=BOX).users


def test_a_damaged_cache_is_made_anew(tmp_path):
    place = folder(tmp_path)
    expected = load("cabspotting", path=place, grid=BOX)
    (file,) = cached(tmp_path)
    for content in (file.read_bytes()[:100], b"", b"nonsense"):
        file.write_bytes(content)
        assert (load("cabspotting", path=place, grid=BOX).matrix != expected.matrix).nnz == 0


def test_a_folder_that_cannot_be_written_costs_a_warning_only(tmp_path, monkeypatch):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    monkeypatch.setenv(files.CACHE_VARIABLE, str(in_the_way / "cache"))
    with pytest.warns(UserWarning, match=files.CACHE_VARIABLE):
        traces = load("cabspotting", path=folder(tmp_path), grid=BOX)
    assert traces.n_users == 2


def test_without_the_data_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv(files.DATA_VARIABLE, str(tmp_path))
    with pytest.raises(FileNotFoundError, match=files.DATA_VARIABLE):
        load("cabspotting")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        load("cabspotting", path=tmp_path / "nowhere")


# -- the real files --------------------------------------------------------------------------------


@pytest.mark.slow
@needed("cabspottingdata.tar.xz")
def test_the_real_cabs_have_the_published_statistics():
    traces = load("cabspotting", path=FOLDER / "cabspottingdata.tar.xz")
    assert traces.report.read == 11_220_058
    assert traces.n_users == 534  # KK and crowd
    visits, places, active = traces.summary()["mean"]
    assert visits == pytest.approx(3663, rel=TOLERANCE)  # crowd, Sec. 4.1
    assert active == pytest.approx(340, rel=TOLERANCE)  # KK, Sec. V-A
    assert places + 1 == pytest.approx(78, rel=2 * TOLERANCE)  # KK counts null
    null = traces.with_null().visits()
    assert null.mean() == pytest.approx(3827, rel=TOLERANCE)
    assert null.median() == pytest.approx(4111, rel=TOLERANCE)
    assert null.min() == 504
    again = load("cabspotting", path=FOLDER / "cabspottingdata.tar.xz")  # from the cache
    assert (again.matrix != traces.matrix).nnz == 0

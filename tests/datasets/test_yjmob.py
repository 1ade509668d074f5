"""YJMob100K's published layout, on a table made by hand."""

import gzip

import numpy as np
import pandas as pd
import pytest

from lib.datasets import load, yjmob
from lib.traces import Grid

TABLE = """uid,d,t,x,y
0,0,13,133,103
0,0,12,134,104
0,0,14,200,200
7,74,47,1,1
7,74,46,11,1
9,60,0,999,999
"""


def write(folder, text=TABLE, name="yjmob100k-dataset1.csv.gz"):
    file = folder / name
    file.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    return file


def test_cells_days_and_half_hours(tmp_path):
    traces = load("yjmob100k", path=write(tmp_path))
    assert traces.users.tolist() == [0, 7]  # 9 is seen in hidden places only
    assert (traces.n_rois, traces.n_epochs) == (400, 75 * 24)
    south, east = (103 - 1) // 10, (133 - 1) // 10
    assert np.argwhere(traces.trace(0)).tolist() == [[20 * south + east, 6], [399, 7]]
    assert np.argwhere(traces.trace(7)).tolist() == [[0, 1799], [1, 1799]]
    assert traces.epochs[0] == pd.Timestamp("2000-01-03", tz="UTC")
    report = traces.report
    assert (report.read, report.kept, report.duplicates) == (6, 5, 1)
    assert report.set_aside == {"outside the grid": 1}


def test_every_published_cell_can_be_a_place_of_its_own(tmp_path):
    rng = np.random.default_rng(0)
    high = {"uid": 30, "d": 75, "t": 48, "x": 200, "y": 200}
    frame = pd.DataFrame({name: rng.integers(0, n, 5000) for name, n in high.items()})
    frame[["x", "y"]] += 1
    file = write(tmp_path, frame.to_csv(index=False), "yjmob100k-dataset2.csv")
    fine = load("yjmob100k", path=file, grid=Grid(0, 0.9, 0, 0.9, 200, 200), epoch="30min")
    user, cell = fine.matrix.nonzero()
    place, slot = np.divmod(cell, fine.n_epochs)
    found = set(zip(fine.users[user], place, slot, strict=True))
    roi = 200 * (frame["y"] - 1) + frame["x"] - 1
    assert found == set(zip(frame["uid"], roi, 48 * frame["d"] + frame["t"], strict=True))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0,0,13,", "0,75,13,", "line 2: d is .*75.*from 0 to 74"),
        ("0,0,14,", "0,0,48,", "line 4: t is .*48.*from 0 to 47"),
        ("200,200", "201,200", "line 4: x is .*201.*from 1 to 200"),
        ("74,47,1,1", "74,47,1,0", "line 5: y is .*0.*from 1 to 200"),
        ("0,0,12", "a,0,12", "line 3: uid is 'a'"),
        ("9,60,0", "9,,0", "line 7: d is"),
        ("7,74,46,11", "7,74,46,1.5", "line 6: x is"),
        ("uid,d", "uid,day", "cannot be read as YJMob100K's table"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, old, new, said):
    file = write(tmp_path, TABLE.replace(old, new, 1))
    with pytest.raises(ValueError, match=rf"dataset1\.csv\.gz.*{said}"):
        load("yjmob100k", path=file)


def test_lines_are_counted_through_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr(yjmob, "_ROWS", 2)
    assert load("yjmob100k", path=write(tmp_path)).matrix.nnz == 4
    with pytest.raises(ValueError, match="line 6: x is"):
        load("yjmob100k", path=write(tmp_path, TABLE.replace("46,11", "46,0")))


def test_a_folder_without_the_file_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="folder without yjmob100k-dataset1"):
        load("yjmob100k", path=tmp_path)

import gzip

import pytest

from lib.datasets import load
from lib.traces import Grid

ROWS = [
    f"u{i % 4},2013-03-0{4 + i % 3} {i % 24:02d}:10,40.{i % 9}1,-73.{i % 7}2" for i in range(30)
]
COLUMNS = {"user": "id", "time": "when", "lat": "y", "lon": "x"}


def write(tmp_path, rows, name="mine.csv", header="id,when,y,x"):
    file = tmp_path / name
    file.write_text("\n".join([header, *rows]) + "\n")
    return file


def test_a_readers_file_becomes_traces_on_a_grid_around_its_points(tmp_path):
    traces = load("records", path=write(tmp_path, ROWS), columns=COLUMNS)
    assert traces.n_users == 4
    assert traces.n_rois == 100
    assert traces.report.kept == 30
    assert len(traces.report.checksum) == 64


def test_packed_and_tab_separated_files_give_the_same(tmp_path):
    plain = load("records", path=write(tmp_path, ROWS), columns=COLUMNS)
    tabs = write(tmp_path, [r.replace(",", "\t") for r in ROWS], "mine.tsv", "id\twhen\ty\tx")
    packed = tmp_path / "mine.csv.gz"
    packed.write_bytes(gzip.compress((tmp_path / "mine.csv").read_bytes()))
    for file in (tabs, packed):
        other = load("records", path=file, columns=COLUMNS)
        assert (other.matrix != plain.matrix).nnz == 0


def test_places_need_no_coordinates_and_default_names_no_columns(tmp_path):
    file = write(tmp_path, ["a,2013-03-04 01:00,p", "b,2013-03-04 03:00,q"], header="user,time,roi")
    assert load("records", path=file).n_rois == 2


def test_a_grid_of_ones_own(tmp_path):
    box = Grid(40, 40.5, -74, -73, 2, 3)
    traces = load("records", path=write(tmp_path, ROWS), columns=COLUMNS, grid=box)
    assert traces.n_rois == 6
    assert traces.report.set_aside["outside the grid"] > 0


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("u1,2013-03-04 25:00,40.1,-73.2", r"line 19 \(row 17\).*25:00.*not a time"),
        ("u1,2013-03-04 05:00,95,-73.2", r"line 19 \(row 17\).*95"),
        ("u1,2013-03-04 05:00,40.1,west", r"line 19 \(row 17\).*west"),
    ],
)
def test_a_broken_row_is_named_by_file_and_line(tmp_path, row, message):
    rows = [*ROWS[:17], row, *ROWS[18:]]
    with pytest.raises(ValueError, match=rf"mine\.csv, {message}"):
        load("records", path=write(tmp_path, rows), columns=COLUMNS)


def test_blank_lines_are_counted_and_do_not_move_the_others(tmp_path):
    rows = [*ROWS[:5], ",,,", *ROWS[5:16], "u1,never,40.1,-73.2"]
    with pytest.raises(ValueError, match="line 19"):
        load("records", path=write(tmp_path, rows), columns=COLUMNS)
    traces = load("records", path=write(tmp_path, rows[:-1]), columns=COLUMNS)
    assert traces.report.set_aside == {"missing value": 1}


def test_files_that_are_no_tables_are_refused(tmp_path):
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    for file in (empty, write(tmp_path, [], "header.csv")):
        with pytest.raises(ValueError, match=rf"{file.name}.*(empty|No columns)"):
            load("records", path=file, columns=COLUMNS)
    damaged = tmp_path / "damaged.csv.gz"
    damaged.write_bytes(gzip.compress("\n".join(ROWS * 99).encode())[:200])
    with pytest.raises(ValueError, match=r"damaged\.csv\.gz cannot be read"):
        load("records", path=damaged)
    ragged = write(tmp_path, [*ROWS, "u1,2013-03-04 05:00,1,2,3,4"], "ragged.csv")
    with pytest.raises(ValueError, match="line 32"):
        load("records", path=ragged, columns=COLUMNS)
    latin = tmp_path / "latin.csv"
    latin.write_bytes(b"user,time,roi\nZo\xeb,2013-03-04,p\n")
    with pytest.raises(ValueError, match=r"latin\.csv cannot be read"):
        load("records", path=latin)


def test_roles_and_columns_are_named(tmp_path):
    file = write(tmp_path, ROWS)
    with pytest.raises(ValueError, match=r"which column is user, time.*id, when, y, x"):
        load("records", path=file)
    with pytest.raises(ValueError, match="no role 'who'"):
        load("records", path=file, columns={"who": "id"})
    with pytest.raises(ValueError, match="no column 'name'"):
        load("records", path=file, columns=COLUMNS | {"user": "name"})
    with pytest.raises(ValueError, match="path= is needed"):
        load("records")
    with pytest.raises(FileNotFoundError, match=r"nothing\.csv"):
        load("records", path=tmp_path / "nothing.csv")

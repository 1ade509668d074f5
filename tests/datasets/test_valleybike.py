"""ValleyBike: the reduced table and R's files, each against counts by hand."""

import importlib.util

import numpy as np
import pandas as pd
import pytest

from lib.datasets import load
from lib.datasets.valleybike import VALLEY
from lib.traces import Grid

TABLE = """user,time,lat,lon
r0001,2020-12-01T08:10:00Z,42.31,-72.63
r0001,2020-12-01T08:15:00Z,42.31,-72.63
r0001,2020-12-01T09:00:00Z,42.33,-72.63
r0002,2020-12-01T08:59:59Z,42.31,-72.63
r0002,2020-10-03T08:10:00Z,42.31,-72.63
r0003,2020-12-02T12:00:00Z,41.00,-72.63
"""
SMALL = Grid(42.30, 42.34, -72.64, -72.62, 2, 1)  # the first two rows of riders' cells


def in_r(table=TABLE):
    """The same records as the package valleybikeData stores them."""
    frame = pd.read_csv(pd.io.common.StringIO(table))
    seconds = (pd.to_datetime(frame["time"]) - pd.Timestamp(0, tz="UTC")).dt.total_seconds()
    return pd.DataFrame(
        {
            "route_id": "route",
            "user_id": frame["user"],
            "bike": "bike",
            "time": seconds,
            "longitude": frame["lon"],
            "latitude": frame["lat"],
        }
    )


def check_december(traces):
    assert traces.users.tolist() == ["r0001", "r0002"]
    assert (traces.n_rois, traces.n_epochs) == (2, 4 * 168)
    eight = 24 + 8  # hours from Monday 30 November
    assert np.argwhere(traces.trace("r0001")).tolist() == [[0, eight], [1, eight + 1]]
    assert np.argwhere(traces.trace("r0002")).tolist() == [[0, eight]]
    report = traces.report
    assert (report.read, report.kept, report.duplicates) == (6, 4, 1)
    assert report.set_aside == {"outside the window": 1, "outside the grid": 1}


def test_riders_visit_the_cells_of_their_rides(tmp_path):
    file = tmp_path / "valleybike.csv"
    file.write_text(TABLE)
    check_december(load("valleybike", path=file, grid=SMALL))
    check_december(load("valleybike", path=tmp_path, grid=SMALL))
    everything = load("valleybike", path=file, start="2020-10-01", end="2020-12-28")
    assert everything.visits().to_dict() == {"r0001": 2, "r0002": 2}
    assert everything.n_rois == VALLEY.n_rows * VALLEY.n_columns == 240


def test_a_wrong_line_is_named(tmp_path):
    file = tmp_path / "valleybike.csv"
    file.write_text(TABLE.replace("42.33", "142.33"))
    with pytest.raises(ValueError, match=r"valleybike\.csv, line 4 .*142"):
        load("valleybike", path=file)
    with pytest.raises(ValueError, match="no option 'month'"):
        load("valleybike", path=file, month="december")


def test_a_folder_without_months_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"neither valleybike\.csv\.gz nor a monthly"):
        load("valleybike", path=tmp_path)


def test_files_of_r_hold_the_same_riders(tmp_path):
    rdata = pytest.importorskip("rdata")
    both = in_r()
    for name, part in (("october2020", both[4:5]), ("december2020", both.drop(4))):
        rdata.write_rda(tmp_path / f"{name}.rda", {name: part.reset_index(drop=True)})
    rdata.write_rda(tmp_path / "stations.rda", {"stations": pd.DataFrame({"name": ["a"]})})
    check_december(load("valleybike", path=tmp_path, grid=SMALL))
    one = load("valleybike", path=tmp_path / "december2020.rda", grid=SMALL)
    assert one.report.read == 5 and one.report.checksum
    with pytest.raises(ValueError, match=r"stations\.rda holds no table with columns user_id"):
        load("valleybike", path=tmp_path / "stations.rda")


def test_a_broken_file_of_r_is_named(tmp_path):
    pytest.importorskip("rdata")
    (tmp_path / "june2020.rda").write_bytes(b"no R")
    with pytest.raises(ValueError, match=r"june2020\.rda cannot be read as R's data"):
        load("valleybike", path=tmp_path / "june2020.rda")


def test_without_rdata_the_message_says_what_to_install(tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "lib.datasets.tables.find_spec", lambda name: None if name == "rdata" else find(name)
    )
    (tmp_path / "june2020.rda").write_bytes(b"RDX3")
    with pytest.raises(ValueError, match="pip install rdata"):
        load("valleybike", path=tmp_path / "june2020.rda")

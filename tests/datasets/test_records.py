"""A reader's own files: text ids, whole columns of times, usual names, cards, and what is refused.

The walkers are generated: 120 people, a week, one sighting in most hours of a few of their days.
"""

import gzip
import tracemalloc
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.datasets import files, load, loader, records, tables
from lib.reading import chunks as gathering
from lib.reading import rows as sightings
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


@pytest.mark.parametrize("name", ["r.csv", "r.csv.gz"])
def test_the_line_of_a_row_counts_lines_within_quotes(tmp_path, name):
    text = (
        'user,time,zone\n"A\nlice",2013-03-04 08:00,park\n\n"Bob",2013-03-04 09:00,"p\n\nk"\n'
        "Cleo,nonsense,park\n"
    )
    opened = gzip.open if name.endswith("gz") else open
    with opened(tmp_path / name, "wt") as file:
        file.write(text)
    with pytest.raises(ValueError, match=r"line 8 \(row 3\): time is 'nonsense'"):
        load("records", tmp_path / name, columns={"user": "user", "time": "time", "roi": "zone"})


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
    with pytest.raises(ValueError, match=r"which column is roi.*id, when, y, x"):
        load("records", path=file)
    with pytest.raises(ValueError, match="no role 'who'"):
        load("records", path=file, columns={"who": "id"})
    with pytest.raises(ValueError, match="no column 'name'"):
        load("records", path=file, columns=COLUMNS | {"user": "name"})
    with pytest.raises(ValueError, match="give path=, a table"):
        load("records")
    with pytest.raises(FileNotFoundError, match=r"nothing\.csv"):
        load("records", path=tmp_path / "nothing.csv")


# -- chunks and folders ----------------------------------------------------------------------------


def chunked(monkeypatch, kept):
    """Chunks of 4 rows; what was read of them is kept for the second time, or not."""
    monkeypatch.setattr(tables, "_ROWS", 4)
    monkeypatch.setattr(sightings, "_MAX_CACHED", 1 << 20 if kept else 0)
    for name, value in {"_PENDING": 10, "_BATCH": 5, "_POINTS": 6}.items():
        monkeypatch.setattr(gathering, name, value)


def same(one, other):
    assert one.users.equals(other.users)
    assert one.epochs.equals(other.epochs)
    pd.testing.assert_frame_equal(one.rois, other.rois)
    for part in ("indptr", "indices", "data"):
        first, second = getattr(one.matrix, part), getattr(other.matrix, part)
        assert first.dtype == second.dtype
        assert np.array_equal(first, second)
    assert one.report == other.report


MANY = [
    f"{'ba'[i % 2]}{i % 7},{'13' if i == 29 else '0' + str(1 + i % 9)}/03/2013 {i % 24:02d}:10,"
    f"{40 + i * i % 17 / 100},-73.{i % 7}2,z{i * i % 5}"
    for i in range(30)
]
PLACED = "id,when,y,x,zone"


@pytest.mark.parametrize(
    "options",
    [
        {"columns": COLUMNS},
        {"columns": COLUMNS, "null": True, "start": "2013-03-03", "epoch": "1D"},
        {"columns": COLUMNS | {"roi": "zone"}},
        {"columns": {"user": "id", "time": "when", "roi": "zone"}, "end": "2013-03-06"},
        {
            "columns": COLUMNS | {"roi": "zone"},
            "rois": pd.DataFrame({"lat": 0.0, "lon": 0.0}, index=["z4", "z1", "no"]),
        },
    ],
)
@pytest.mark.parametrize("kept", [True, False])
def test_chunks_and_folders_read_as_the_whole_does(tmp_path, monkeypatch, kept, options):
    rows = [*MANY[:7], "", ",,,,", *MANY[7:], *MANY[:3]]
    file = write(tmp_path, rows, header=PLACED)
    whole = load("records", path=file, **options)
    assert whole.report.read == whole.report.kept + sum(whole.report.set_aside.values()) == 35
    assert whole.report.notes[1] == "when: read as day/month/year"  # only row 29 tells
    chunked(monkeypatch, kept)
    same(load("records", path=file, **options), whole)
    folder = tmp_path / "parts"
    folder.mkdir()
    write(folder, rows[:11], "1.csv", PLACED)
    write(folder, [row.replace(",", "\t") for row in rows[11:]], "2.tsv", PLACED.replace(",", "\t"))
    (folder / "readme.txt").write_text("no table")
    parts = load("records", path=folder, **options)
    assert len(parts.report.checksum) == 64 != parts.report.checksum != whole.report.checksum
    parts.report = whole.report
    same(parts, whole)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("u1,2013-03-04 25:00,40.1,-73.2", r"line 19 \(row 17\).*25:00.*not a time"),
        ("u1,2013-03-04 05:00,95,-73.2", r"line 19 \(row 17\).*95"),
        ("u1,1362406800,40.1,-73.2", r"line 19 \(row 17\).*other rows are ISO 8601"),
        ("u1,2013-03-04 05:00,40.1,-73.2,5", r"line 19: 5 values in a table of 4 columns"),
    ],
)
def test_a_broken_row_in_a_later_chunk_or_file_is_named(tmp_path, monkeypatch, row, message):
    chunked(monkeypatch, kept=False)
    rows = [*ROWS[:17], row, *ROWS[18:]]
    with pytest.raises(ValueError, match=rf"^mine\.csv,? {message}"):
        load("records", path=write(tmp_path, rows), columns=COLUMNS)
    folder = tmp_path / "parts"
    folder.mkdir()
    write(folder, ROWS * 2, "1.csv")
    write(folder, rows, "2.csv")
    with pytest.raises(ValueError, match=rf"^2\.csv,? {message}"):
        load("records", path=folder, columns=COLUMNS)


def test_a_folder_holds_tables_with_the_same_columns(tmp_path):
    with pytest.raises(ValueError, match=r"folder .* holds no table; .*\.csv"):
        load("records", path=tmp_path)
    write(tmp_path, ROWS, "1.csv")
    write(tmp_path, ROWS, "2.csv", header="id,then,y,x")
    with pytest.raises(ValueError, match=r"2\.csv: no column 'when', which 1\.csv has"):
        load("records", path=tmp_path, columns=COLUMNS)
    write(tmp_path, ROWS, "2.csv")
    card_of = tmp_path / "card.yml"
    card_of.write_text("path: .\ncolumns: {user: id, time: when, lat: y, lon: x}\n")
    assert load(card_of).report.read == 60


def test_memory_is_the_traces_and_a_chunk_whatever_the_file(tmp_path, monkeypatch):
    """60,000 rows that were 20 MB as a table; all are of the same few visits."""
    monkeypatch.setattr(tables, "_ROWS", 2000)
    monkeypatch.setattr(sightings, "_MAX_CACHED", 2000)
    monkeypatch.setattr(gathering, "_PENDING", 5000)
    file = write(tmp_path, MANY * 2000, header=PLACED)
    chunks = []
    monkeypatch.setattr(sightings._Reading, "_again", _kept_then(chunks))
    tracemalloc.start()
    traces = load("records", path=file, columns=COLUMNS | {"roi": "zone"})
    assert tracemalloc.get_traced_memory()[1] < 5e6
    tracemalloc.stop()
    assert traces.report.read == 60_000
    assert set(chunks) == {None}  # none of them was kept for the second time


@pytest.mark.parametrize("kept", [True, False])
def test_a_table_is_read_again_only_if_what_was_read_is_too_large(tmp_path, monkeypatch, kept):
    chunked(monkeypatch, kept)
    read, chunks = [], records._Table.chunks
    monkeypatch.setattr(records._Table, "chunks", lambda table: read.append(0) or chunks(table))
    known, late = (ROWS, "id,when,y,x", 1), (MANY, PLACED, 2)  # row 29 tells day from month
    for rows, header, again in (known, late):
        read.clear()
        load("records", path=write(tmp_path, rows, header=header), columns=COLUMNS)
        assert len(read) == (1 if kept else 1 + again)


def _kept_then(seen):
    again = sightings._Reading._again

    def told(reading):
        seen.append(reading.cached)
        return again(reading)

    return told


# -- ids -------------------------------------------------------------------------------------------

ODD_IDS = [
    "1",
    "01",
    "001",
    "1e3",
    "1000",
    "007",
    "7",
    "NA",
    "null",
    "None",
    "nan",
    "true",
    str(2**53),
    str(2**53 + 1),
    " 1",
    "1.0",
]


def test_ids_stay_as_they_are_written_and_distinct(tmp_path):
    for place in ("p", None):  # as users, then as places
        lines = [
            f"{i},2013-03-04 01:00,{place}" if place else f"u,2013-03-04 01:00,{i}" for i in ODD_IDS
        ]
        traces = load(
            "records", path=write(tmp_path, [*lines, ",2013-03-04 01:00,"], header="user,time,roi")
        )
        assert sorted(traces.users if place else traces.rois.index) == sorted(ODD_IDS)
        assert traces.report.set_aside == {"missing value": 1}


ID = st.text(
    st.characters(codec="ascii", exclude_categories=["Cc"], exclude_characters='",'),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(st.lists(ID, min_size=1, max_size=8, unique=True))
def test_whatever_is_written_is_the_id(tmp_path_factory, ids):
    file = tmp_path_factory.mktemp("ids") / "mine.csv"
    lines = ["user,time,roi", *(f"{i},2013-03-04 01:00,p" for i in ids)]
    file.write_text("\n".join(lines) + "\n", newline="\n")
    assert load(str(file)).users.tolist() == sorted(ids)


def test_given_places_match_what_the_file_writes(tmp_path):
    places = pd.DataFrame({"lat": [1.0, 2.0], "lon": [1.0, 2.0]}, index=[7, 8])
    file = write(tmp_path, ["a,2013-03-04 01:00,7"], header="user,time,roi")
    assert load("records", path=file, rois=places).rois.index.tolist() == ["7", "8"]


# -- columns ---------------------------------------------------------------------------------------


def test_duplicate_headers_and_columns_in_two_roles_are_refused(tmp_path):
    file = write(tmp_path, ["a,2013-03-04 01:00,1,2,3"], header="user,time,lat,lat,lon")
    with pytest.raises(ValueError, match=r"mine\.csv, line 1: 2 columns are named 'lat'"):
        load("records", path=file)
    with pytest.raises(ValueError, match="column 'id' has two roles"):
        load("records", path=write(tmp_path, ROWS), columns=COLUMNS | {"roi": "id"})
    longer = write(tmp_path, ["a,2013-03-04 01:00,p,q"] * 3, header="user,time,roi")
    with pytest.raises(ValueError, match=r"mine\.csv, line 2: 4 values in a table of 3"):
        load("records", path=longer)  # pandas would take the first column for an index
    trailing = write(tmp_path, ["a,2013-03-04 01:00,p,"] * 3, header="user,time,roi")
    assert load("records", path=trailing).users.tolist() == ["a"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grid": (10,)}, "grid is"),
        ({"grid": "10x10"}, "grid is"),
        ({"grid": (0, 5)}, "grid: rows is 0"),
        ({"grid": (2.5, 3)}, "grid: rows is 2.5"),
        ({"timezone": "Mars/Olympus"}, "timezone is 'Mars/Olympus'"),
        ({"timezone": 5}, "timezone is 5"),
        ({"epoch": "1 banana"}, "epoch is '1 banana'"),
        ({"epoch": 3600}, "epoch is 3600"),
        ({"start": "now"}, "start is 'now'"),
        ({"end": "2024-13-45"}, "end is '2024-13-45'"),
        ({"time_format": "%H:%M"}, "time_format is '%H:%M'"),
        ({"null": "no"}, "null is 'no'"),
        ({"columns": ["id"]}, "columns is"),
        ({"rois": "p"}, "rois is 'p'"),
        ({"colums": {}}, "no option 'colums'; one of columns"),
    ],
)
def test_options_that_cannot_be_right_are_refused_by_name(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        load("records", **{"path": write(tmp_path, ROWS), "columns": COLUMNS} | options)


@pytest.mark.parametrize("ending", [".gz", ".xz", ".bz2", ".zip", ".tar", ".tar.gz", ".zst"])
def test_damaged_files_are_refused_whatever_packs_them(tmp_path, ending):
    for content in (b"", b"\xfd7zXZ\x00 and then nothing", b"PK\x03\x04 and then nothing"):
        file = tmp_path / f"damaged.csv{ending}"
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"damaged\.csv.*cannot be read as a table"):
            load("records", path=file)


@pytest.mark.parametrize("path", [5, ["a.csv"], "a\0b.csv", "~nobody-here/a.csv", "x" * 5000])
def test_paths_that_are_none_are_refused(path):
    with pytest.raises((ValueError, FileNotFoundError), match=r"path is|no file"):
        load("records", path=path)


# -- one's own data everywhere ---------------------------------------------------------------------

MILAN = {"a": (45.46, 9.19), "b": (45.47, 9.20), "01": (45.48, 9.21), "NA": (45.49, 9.22)}


@pytest.fixture(scope="module")
def walkers():
    """A table of 120 walkers: id, when (Rome's clocks), zone, latitude, longitude."""
    rng = np.random.default_rng(120)
    user = np.repeat([f"{i:03d}" for i in range(120)], 30)
    hours = pd.to_timedelta(rng.integers(0, 7 * 24, len(user)), unit="h")
    when = pd.Timestamp("2013-06-03") + hours
    zone = rng.choice(list(MILAN), len(user))
    lat, lon = (np.array([MILAN[z][i] for z in zone]) for i in (0, 1))
    return pd.DataFrame(
        {
            "id": user,
            "when": when.strftime("%d/%m/%Y %H:%M"),
            "zone": zone,
            "latitude": lat,
            "Longitude": lon,
        }
    )


def test_a_file_is_a_dataset_by_its_name(tmp_path, walkers):
    columns = {"id": "user_id", "when": "Timestamp"}
    table = walkers.assign(when=lambda t: "2013-06-0" + t.when.str[1:2] + "T" + t.when.str[11:])
    table.rename(columns=columns).to_csv(tmp_path / "w.csv", index=False)
    table.rename(columns=columns).to_csv(tmp_path / "w.TSV", index=False, sep="\t")
    first = load(str(tmp_path / "w.csv"))
    assert first.n_users == 120
    assert first.rois.index.tolist() == sorted(MILAN)
    assert first.rois.loc["NA"].tolist() == list(MILAN["NA"])
    assert "user is column 'user_id'" in first.report.notes[-1]
    assert len(first.report.checksum) == 64
    for other in (
        load(tmp_path / "w.TSV"),
        load("records", path=tmp_path / "w.csv"),
        loader(str(tmp_path / "w.csv"))(),
    ):
        assert (other.matrix != first.matrix).nnz == 0


def test_names_that_fit_one_role_twice_are_refused(tmp_path):
    file = write(tmp_path, ["a,b,2013-03-04,p"], header="uid,device,time,zone")
    with pytest.raises(ValueError, match="'uid' and 'device' may each be user"):
        load(str(file))


def test_a_names_own_columns_go_before_usual_ones(tmp_path):
    file = write(tmp_path, ["a,1,2013-03-04,bar,4,5"], header="user,id,time,place,lat,lon")
    traces = load(str(file))
    assert traces.users.tolist() == ["a"]
    assert traces.n_rois == 100  # lat and lon are there, so a place is not looked for


def card(folder, text, name="card.yml"):
    file = folder / name
    file.write_text(text)
    return file


CARD = """\
what: 120 walkers
path: walkers.csv
columns: {user: id, time: when, roi: zone}
timezone: Europe/Rome
time_format: "%d/%m/%Y %H:%M"
zones: {a: [45.46, 9.19], b: [45.47, 9.20], 01: [45.48, 9.21], NA: [45.49, 9.22], no: [45.5, 9.2]}
null: true
start: 2013-06-03
end: 2013-06-10
"""


def test_a_card_says_how_to_read_a_table(tmp_path, walkers):
    walkers.to_csv(tmp_path / "walkers.csv", index=False)
    traces = load(str(card(tmp_path, CARD)))
    assert traces.rois.index.tolist() == ["a", "b", "01", "NA", "no", "null"]
    assert traces.n_epochs == 168
    assert traces.epochs[0] == pd.Timestamp("2013-06-02 22:00", tz="UTC")
    assert "120 walkers" in traces.report.notes
    assert any("%d/%m/%Y" in note for note in traces.report.notes)
    truth = walkers.drop_duplicates(["id", "when", "zone"])
    assert traces.select(rois=["01"]).matrix.nnz == (truth.zone == "01").sum()
    days = load("records", path=tmp_path / "card.yml", epoch="1D")  # goes before the card
    assert days.n_epochs == 7
    (tmp_path / "zones.tsv").write_text("id\tlat\tlon\na\t45.46\t9.19\nNA\t45.49\t9.22\n")
    lines = [line for line in CARD.splitlines() if not line.startswith("zones")]
    listed = load(card(tmp_path, "\n".join([*lines, "zones: zones.tsv"])))
    assert listed.rois.index.tolist() == ["a", "NA", "null"]
    assert listed.report.set_aside["place not listed"] > 0
    box = "columns: {user: id, time: when, lat: latitude, lon: Longitude}\npath: walkers.csv\n"
    box += "grid: {south: 45.4, north: 45.6, west: 9.1, east: 9.3, rows: 2, columns: 3}\n"
    with pytest.raises(ValueError, match=r"when is .* in which the day or the month may"):
        load(card(tmp_path, box))  # the third to the ninth of June
    assert load(card(tmp_path, box + 'time_format: "%d/%m/%Y %H:%M"')).n_rois == 6


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("what:", "waht:", "line 1: no key 'waht'; one of path"),
        ("walkers.csv", "runners.csv", "line 2: path: no file or folder"),
        ("walkers.csv", "card.yml", "line 2: path: card.yml is a card too"),
        ("{user: id", "{who: id", "line 3: columns: no role 'who'"),
        ("time: when", "time: then", "line 3: columns: no column 'then'"),
        ("{user: id, time: when, roi: zone}", "7", "line 3: columns: '7' was found"),
        ("Europe/Rome", "Europe/Atlantis", "line 4: walkers.csv: timezone is 'Europe/Atlantis'"),
        ('"%d/%m/%Y %H:%M"', "dd/mm", "line 5: walkers.csv: time_format is 'dd/mm'"),
        ("[45.46, 9.19]", "[45.46, east]", "line 6: zones: 'east' was found where degrees"),
        ("[45.46, 9.19]", "[95, 9.19]", "line 6|lat is 95"),
        ("{a:", "{b:", "line 6: key 'b' is not text, or appears twice"),
        ("null: true", "null: maybe", "line 7: null: 'maybe' was found; true or false"),
        ("start: 2013-06-03", "start: tomorrow", "line 8: walkers.csv: start is 'tomorrow'"),
        ("end: 2013", "grid: [2, 3]\nend: 2013", "line 6: grid and zones: give one of the two"),
        ("null: true", "null: [[[[[[[[[[1]]]]]]]]]]", "line 7: lists this deep"),
        ("null: true", "null: &a true", "line 7: tags, anchors and aliases"),
        ("what: 120", "what: !!python/name:os.system 120", "line 1: tags, anchors and aliases"),
        ("null: true", "null: [1", "line 8: this is not YAML"),
        ("path: walkers.csv\n", "", "`path` is missing"),
        (CARD, "", "card.yml is empty"),
        (CARD, "- path", "line 1: lines such as"),
        ("120 walkers", "x" * 300_000, "card.yml has 300"),
    ],
)
def test_a_card_that_cannot_be_right_is_refused_with_its_line(tmp_path, walkers, old, new, message):
    walkers.to_csv(tmp_path / "walkers.csv", index=False)
    assert old in CARD
    with pytest.raises((ValueError, FileNotFoundError), match=rf"card\.yml.*{message}|{message}"):
        load(str(card(tmp_path, CARD.replace(old, new))))


def test_an_alias_bomb_costs_nothing(tmp_path):
    bomb = "a: &a [x, x]\n"
    for a, b in pairwise("abcdefghi"):
        bomb += f"{b}: &{b} [{', '.join(['*' + a] * 9)}]\n"
    with pytest.raises(ValueError, match="line 1: tags, anchors and aliases") as caught:
        load(card(tmp_path, bomb))
    assert len(str(caught.value)) < 200


def test_parquet_says_what_it_needs(tmp_path, walkers, monkeypatch):
    file = tmp_path / "w.parquet"
    file.write_bytes(b"PAR1")
    monkeypatch.setattr(tables, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"w\.parquet: Parquet is read only where pyarrow"):
        load(str(file))
    table = walkers.assign(id=walkers.id.astype(int), time=pd.Timestamp("2013-06-03", tz="UTC"))
    monkeypatch.setattr(tables, "find_spec", lambda name: object())
    monkeypatch.setattr(pd, "read_parquet", lambda file, **options: table.convert_dtypes())
    assert load(str(file)).users.tolist() == sorted(str(i) for i in range(120))
    monkeypatch.setattr(pd, "read_parquet", lambda file, **options: table.assign(id=1.5))
    with pytest.raises(ValueError, match="column 'id' holds floats"):
        load(str(file))


@pytest.mark.parametrize("name", [None, 3, ["cabs"], {}, "", "cab", b"cabs"])
def test_names_that_are_none_are_refused_with_the_nearest(name):
    with pytest.raises(ValueError, match=r"did you mean .* or a file: CSV"):
        load(name)


def test_unknown_options_and_a_file_given_twice_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"six-users: .*'n_users'; its options are: grid"):
        load("six-users", n_users=5)
    with pytest.raises(ValueError, match=r"mine\.csv is a file already"):
        load(str(write(tmp_path, ROWS)), path="other.csv")


def test_a_path_that_is_too_long_is_not_repeated():
    with pytest.raises(ValueError, match="File name too long") as refused:
        files.find("x" * 3000)
    assert len(str(refused.value)) < 200

"""Tables of records, and cards of them, as they come from strangers' programs."""

from __future__ import annotations

import csv
import gzip
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from lib.datasets import load
from lib.traces import Traces
from tests.fuzz import judged

# -- what is written -------------------------------------------------------------------------------

IDS = [
    "1",
    "01",
    "001",
    "1.0",
    "1e3",
    "1000",
    "+7",
    "-7",
    "7",
    " 7",
    "7 ",
    "007",
    "NA",
    "null",
    "None",
    "nan",
    "NaN",
    "N/A",
    "",
    "inf",
    "true",
    "False",
    "9007199254740993",
    "#N/A",
    "9007199254740992",
    "1" * 400,
    "x" * 5000,
    "a,b",
    'q"q',
    "a\tb",
    "é",
    "İstanbul",
    "😀",
    "\u202e",
    "\ufeff",
    "=1+1",
    "<script>",
    "0x1F",
    "1_000",
    "2013-03-04",
    "a\nb",
    "a\rb",
    "\x00",
    "a\x00b",
    "'",
    "\\",
    "\x1a",
    "\u2028",
    "-",
    "~",
    "${x}",
    "%s",
    "{0}",
]
ids = st.one_of(st.sampled_from(["u1", "u2", "7", "07"]), st.sampled_from(IDS), st.text(max_size=8))
BEGIN = datetime(2013, 3, 4, tzinfo=UTC)
instants = st.integers(0, 72 * 60).map(lambda m: BEGIN + timedelta(minutes=m))
FORMS = {  # how to write an instant, so that there is one way to read it
    "iso": lambda t: t.strftime("%Y-%m-%dT%H:%M:%SZ"),
    "offset": lambda t: (t + timedelta(hours=5)).strftime("%Y-%m-%d %H:%M:%S+05"),
    "GMT": lambda t: t.strftime("%Y-%m-%d %H:%M GMT"),
    "naive": lambda t: t.strftime("%Y-%m-%d %H:%M"),
    "seconds": lambda t: str(int(t.timestamp())),
    "words": lambda t: t.strftime("%d %b %Y %H:%M:%S"),
    "twitter": lambda t: t.strftime("%a %b %d %H:%M:%S +0000 %Y"),
}
TIMES = [
    "10:00",
    "now",
    "today",
    "March",
    "-5",
    "20130304",
    "true",
    "12/03/2013",
    "13/03/2013",
    "03/13/2013 10:00",
    "2013-03-04T24:00",
    "2013-02-30",
    "2013-03-04T10:00+05:99",
    "NaT",
    "0",
    "1362355200000",
    "1e9",
    "1362355200.5",
    "-1",
    "inf",
    "nan",
    "9" * 400,
    "0001-01-01",
    "9999-12-31T23:59",
    "2013-03-04T10:00:60",
    "2013-W10-1",
    "2013-063",
    "4 March 2013",
    "",
    "2013-03-31 02:30",
    "1970-01-01",
    "2013-3-4",
    "２０１３-03-04",
    "2262-04-12",
    "P1D",
    "2013-03-04T10:00:00.1234567891",
    "Mon Mar 04 10:00:00 CET 2013",
    "1/1/1",
]
DEGREES = [
    "91",
    "-91",
    "181",
    "-181",
    "inf",
    "-inf",
    "nan",
    "NaN",
    "",
    "abc",
    "1e400",
    "1,5",
    "90",
    "-90",
    "180",
    "5e-324",
    "45°",
    "0x10",
    "1_0",
    "True",
    "--1",
    "12.5.1",
]
degrees = st.one_of(st.floats(45, 46).map(str), st.sampled_from(DEGREES))
HEADERS = [
    "user",
    "User",
    "user_id",
    "id",
    "time",
    "timestamp",
    "roi",
    "zone",
    "place",
    "lat",
    "latitude",
    "lon",
    "lng",
    "",
    " user",
    "user ",
    "x",
    "Unnamed: 0",
    "user.1",
    "\ufeffuser",
    "é",
    "a" * 3000,
    "0",
    "nan",
    'us"er',
    "us,er",
    "roi: ",
    "path",
]
ENDINGS = [".csv", ".tsv", ".csv.gz", ".CSV"]
ENCODINGS = ["utf-8", "utf-8", "utf-8", "utf-8-sig", "latin-1", "utf-16", "cp1252"]


@st.composite
def rows(draw: Any) -> dict[str, Any]:
    """A table that is right in everything, before anything is done to it."""
    form = draw(st.sampled_from(list(FORMS)))
    n = draw(st.integers(1, 6))
    table = [
        (draw(ids), draw(instants), draw(ids), draw(st.floats(45, 46)), draw(st.floats(9, 10)))
        for _ in range(n)
    ]
    return {"form": form, "table": table, "roi": draw(st.booleans())}


@st.composite
def cases(draw: Any) -> dict[str, Any]:
    made = draw(rows())
    clean = draw(st.integers(0, 2)) == 0
    write = FORMS[made["form"]]
    columns = ["user", "time"] + (["roi"] if made["roi"] else ["lat", "lon"])
    order = draw(st.permutations(columns))
    cells = [
        {"user": user, "time": write(when), "roi": roi, "lat": str(lat), "lon": str(lon)}
        for user, when, roi, lat, lon in made["table"]
    ]
    header = list(order)
    if not clean:
        for _ in range(draw(st.integers(0, 3))):
            cell = draw(st.sampled_from(cells))
            what = draw(st.sampled_from(order))
            pool = {"user": ids, "roi": ids, "time": st.sampled_from(TIMES) | st.text(max_size=9)}
            cell[what] = draw(pool.get(what, degrees))
        if draw(st.integers(0, 4)) == 0:
            header[draw(st.integers(0, len(header) - 1))] = draw(st.sampled_from(HEADERS))
    body = [[cell[name] for name in order] for cell in cells]
    if not clean and draw(st.integers(0, 5)) == 0:  # longer or shorter lines, extra columns
        line = draw(st.sampled_from(body))
        line.append("x") if draw(st.booleans()) else line.pop()
    return {
        "clean": clean,
        "roi": made["roi"],
        "header": header,
        "order": list(order),
        "body": body,
        "instants": [when.isoformat() for _, when, *_ in made["table"]],
        "ending": draw(st.sampled_from(ENDINGS)),
        "encoding": "utf-8" if clean else draw(st.sampled_from(ENCODINGS)),
        "lines": draw(st.sampled_from(["\n", "\r\n"] if clean else ["\n", "\r\n", "\r"])),
        "broken": b"" if clean else draw(_breaks),
        "options": {} if clean else draw(options),
        "card": None if draw(st.integers(0, 3)) else draw(cards),
    }


_breaks = st.one_of(
    st.just(b""),
    st.just(b""),
    st.binary(max_size=6),
    st.sampled_from([b"\x00", b'"', b"\n\n", b"\xff\xfe", b"\x1f\x8b", b",,,,,", b"\r", b"PK\x03"]),
)
_odd = st.sampled_from(
    [
        None,
        0,
        -1,
        1.5,
        float("nan"),
        True,
        "",
        "x",
        "1h",
        "0h",
        "-1h",
        "7",
        [],
        {},
        [1, 2],
        (3, 4),
        "2013-03-04",
        "2013-03-05T00:00Z",
        "now",
        "UTC",
        "Europe/Rome",
        "Mars/Base",
        "../UTC",
        "a\x00b",
        "%d/%m/%Y %H:%M",
        "%H:%M",
        "%Q%Y",
        "%Y%",
        "ISO8601",
        "seconds",
        10**400,
        b"x",
        (10**6, 10**6),
        (2, 2),
        (0, 1),
        ("2", 2),
        (2.0, 2),
        {"user": "user"},
        {"user": "nobody"},
        {"usr": "user"},
        {"user": "user", "time": "user"},
        {1: 2},
        {"user": None},
        "1e400h",
        "1ns",
        "10000000D",
        "é" * 5000,
        object,
        {"user": ["user"]},
        {"lat": "lon", "lon": "lat"},
    ]
)
options = st.dictionaries(
    st.sampled_from(
        [
            "columns",
            "grid",
            "epoch",
            "start",
            "end",
            "timezone",
            "time_format",
            "null",
            "rois",
            "colour",
        ]
    ),
    _odd,
    max_size=2,
)
_card_values = st.sampled_from(
    [
        "",
        "x",
        "1h",
        "[2, 2]",
        "[2, 0]",
        "[x, 2]",
        "[999999999, 999999999]",
        "{}",
        "[]",
        "~",
        "null",
        "true",
        "yes",
        "2013-03-04",
        "2024-13-45",
        "{user: user}",
        "{user: [1]}",
        "{user: user, user: x}",
        "!!python/object/apply:os.system [ls]",
        "!foo x",
        "&a x",
        "*a",
        "UTC",
        "Europe/Rome",
        "1" * 400,
        "{south: 45, north: 46, west: 9, east: 10, rows: 2, columns: 2}",
        "'%d/%m/%Y'",
        "\t",
        ": :",
        "{south: 46, north: 45, west: 9, east: 10, rows: 2, columns: 2}",
        "[" * 700,
        "{a: [45, 9]}",
        "{south: nan, north: 46, west: 9, east: 10, rows: 2, columns: 2}",
        "{a: [inf, 9]}",
        "{a: 1}",
        "/etc/passwd",
        "/",
        "card.yml",
        "../../../../etc/passwd",
        "|\n  text\n  more",
        "'\x00'",
        "\x85",
        "{a: [45, 9], b: [91, 9]}",
        "{a: [45, 9, 1]}",
        "é" * 4000,
        "? [a, b]",
        "%YAML 9",
        "---",
        "...",
    ]
)
cards = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "what",
                "columns",
                "timezone",
                "time_format",
                "epoch",
                "start",
                "end",
                "grid",
                "zones",
                "null",
                "path",
                "colour",
                "<<",
                "",
            ]
        ),
        _card_values,
    ),
    max_size=3,
)


# -- what becomes of it ----------------------------------------------------------------------------


def judge(case: dict[str, Any], folder: Path) -> str:
    """Loads a case from a file in the folder."""
    file = folder / f"case{case['ending']}"
    written = _text(case)
    try:
        content = written.encode(case["encoding"]) + case["broken"]
    except UnicodeEncodeError:
        content = written.encode("utf-8", errors="surrogatepass") + case["broken"]
    file.write_bytes(gzip.compress(content) if case["ending"].endswith("gz") else content)
    name, options = file, case["options"]
    if case["card"] is not None:
        name = folder / "card.yml"
        lines = [f"path: {file.name}", *(f"{key}: {value}" for key, value in case["card"])]
        name.write_text("\n".join(lines), encoding="utf-8", errors="surrogatepass")
    try:
        return judged(
            lambda: load(name, **options),
            lambda traces: _wrong(traces, case),
            "case",
            "card",
            *map(str, options),
        )
    finally:
        file.unlink()


def _text(case: dict[str, Any]) -> str:
    stream = io.StringIO()
    separator = "\t" if ".tsv" in case["ending"] else ","
    writer = csv.writer(stream, delimiter=separator, lineterminator=case["lines"])
    writer.writerows([case["header"], *case["body"]])
    return stream.getvalue()


def _wrong(traces: Traces, case: dict[str, Any]) -> str:
    """What of loaded traces cannot be, seen from what was written."""
    report, matrix = traces.report, traces.matrix
    if report is None or report.read != report.kept + sum(report.set_aside.values()):
        return f"the report does not add up: {report}"
    if report.kept != matrix.nnz + report.duplicates or (matrix.data != 1).any():
        return (
            f"{report.kept} rows kept are not {matrix.nnz} visits and {report.duplicates} repeats"
        )
    if not traces.users.is_unique or not traces.rois.index.is_unique:
        return "ids repeat"
    if case["encoding"] != "utf-8" or case["broken"] or case["lines"] == "\r":
        return ""
    known = set(map(str, {cell for row in case["body"] for cell in row}))
    for user in traces.users:
        if user not in known:
            return f"user {user!r} was never written"
    plain = case["clean"] and case["card"] is None and case["roi"]
    return _not_as_written(traces, case) if plain else ""


def _not_as_written(traces: Traces, case: dict[str, Any]) -> str:
    """Clean tables: every visit that was written, and no other."""
    at = {name: position for position, name in enumerate(case["order"])}
    expected = set()
    for row, instant in zip(case["body"], case["instants"], strict=True):
        user, roi = row[at["user"]], row[at["roi"]]
        if user and roi:  # a blank is missing
            expected.add((user, roi, datetime.fromisoformat(instant).replace(minute=0)))
    user, cell = traces.matrix.nonzero()
    roi, epoch = np.divmod(cell, traces.n_epochs)
    found = {
        (traces.users[u], traces.rois.index[r], traces.epochs[e].to_pydatetime())
        for u, r, e in zip(user, roi, epoch, strict=True)
    }
    return "" if found == expected else f"{found} was read for {expected}"

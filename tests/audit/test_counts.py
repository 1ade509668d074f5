"""Published counts alone: what totals and small counts give away, and tables that are refused."""

import itertools
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lib.audit import command, count_tables, linear_bounds, published, small_counts
from lib.audit.linear_bounds import ContradictionError

HEAD = "zone,time,count\n"
CASES = Path(__file__).parents[2] / ".." / "shared" / "cases"


def table(folder, text, name="counts.csv"):
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def read(folder, text, columns=None):
    return count_tables.read_table(table(folder, text), columns)


def known(counts, **options):
    """The counts that totals give away: their codes and values."""
    found = small_counts.suppressed_intervals(counts, **options)
    exact = np.flatnonzero(counts.hidden & found.exact)
    return {tuple(counts.codes[i].tolist()): float(found.low[i]) for i in exact}


# -- totals ----------------------------------------------------------------------------------------

X = np.nan


def test_one_hidden_count_in_a_sum_follows_from_its_total():
    grid = [[20, X], [30, 40]]
    assert known(small_counts.from_grid(grid, by_zone=[23, 70])) == {(0, 1): 3}
    assert known(small_counts.from_grid(grid, by_epoch=[50, 43])) == {(0, 1): 3}
    assert known(small_counts.from_grid(grid, everything=93)) == {(0, 1): 3}
    assert known(small_counts.from_grid(grid, by_zone=[X, 70])) == {}
    assert known(small_counts.from_grid(grid)) == {}


def test_two_hidden_counts_need_a_second_sum():
    hidden = [[X, X], [30, 40]]
    one = small_counts.from_grid(hidden, by_zone=[5, 70])
    assert known(one) == {}
    found = small_counts.suppressed_intervals(one, width=9)
    assert found.low[:2].tolist() == [0, 0] and found.high[:2].tolist() == [5, 5]
    both = small_counts.from_grid(hidden, by_zone=[5, 70], by_epoch=[32, 43])
    assert known(both) == {(0, 0): 2, (0, 1): 3}


def test_a_hidden_total_follows_like_a_count():
    hidden = small_counts.from_grid([[1, 2], [3, 4]], by_zone=[X, 7], everything=10)
    assert known(hidden) == {(0, small_counts.TOTAL): 3}


def test_what_all_hidden_counts_must_be_is_seen_from_their_bounds():
    hidden = [[X, X]]
    assert known(small_counts.from_grid(hidden, by_zone=[18], high=9)) == {(0, 0): 9, (0, 1): 9}
    assert known(small_counts.from_grid(hidden, by_zone=[0])) == {(0, 0): 0, (0, 1): 0}
    assert known(small_counts.from_grid(hidden, by_zone=[2], low=1)) == {(0, 0): 1, (0, 1): 1}
    assert known(small_counts.from_grid(hidden, by_zone=[17], high=9)) == {}


def test_totals_that_cannot_be_right_are_refused():
    for cells, total in (([[20, X]], 10), ([[20, 3]], 24)):
        with pytest.raises(ContradictionError):
            small_counts.suppressed_intervals(small_counts.from_grid(cells, by_zone=[total]))


@pytest.mark.parametrize("seed", range(20))
def test_a_release_is_recovered_as_by_solving_for_every_table(seed):
    """Against all tables of 2 x 3 counts below 3 with the same totals."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 5, (2, 3))
    hidden = true < 3
    shown = np.where(hidden, 0, true)
    fits = [
        filled
        for values in itertools.product(range(3), repeat=int(hidden.sum()))
        for filled in [_filled(shown, hidden, values)]
        if (filled.sum(0) == true.sum(0)).all() and (filled.sum(1) == true.sum(1)).all()
    ]
    same = hidden & (np.ptp(np.array(fits), axis=0) == 0)
    found = small_counts.recover(shown, true.sum(1), true.sum(0), 3)
    np.testing.assert_array_equal(found, np.where(same, true, -1))


def _filled(shown, hidden, values):
    filled = shown.copy()
    filled[hidden] = values
    return filled


def test_small_counts_and_differences():
    one = small_counts.from_grid([[0, 1, 9, 10, X]])
    other = small_counts.from_grid([[0, 3, 9, 30, 4]])
    assert small_counts.small(one).tolist() == [False, True, True, False, False]
    pair = small_counts.match(one, other)
    assert small_counts.differences(pair).tolist() == [False, True, False, False, False]
    assert small_counts.merge(pair) is None
    with pytest.raises(ValueError, match="the same were expected"):
        small_counts.match(one, small_counts.Counts([["a"]], *[np.zeros(0)] * 4))


# -- tables ----------------------------------------------------------------------------------------


def cells(found):
    """Label of each axis, smallest and largest value of each count."""
    labels = [
        tuple("total" if c < 0 else found.counts.labels[axis][c] for axis, c in enumerate(code))
        for code in found.counts.codes.tolist()
    ]
    bounds = zip(found.counts.low.tolist(), found.counts.high.tolist(), strict=True)
    return dict(zip(labels, bounds, strict=True))


def test_a_table_is_read_with_its_totals_and_what_it_hides(tmp_path):
    text = "Place,hour,n\na,1,20\na,2,\na,total,25\nb,1,<10\nb,2,40\nTotal,1,*\ntotal,Total,90\n"
    found = read(tmp_path, text)
    assert found.axes == ("zone", "time") and found.counts.labels == [["a", "b"], ["1", "2"]]
    assert cells(found) == {
        ("a", "1"): (20, 20),
        ("a", "2"): (0, np.inf),
        ("a", "total"): (25, 25),
        ("b", "1"): (0, 9),
        ("b", "2"): (40, 40),
        ("total", "1"): (0, np.inf),
        ("total", "total"): (90, 90),
    }
    assert found.counts.hidden.sum() == 3


def test_a_cell_without_a_line_is_not_one_that_is_hidden(tmp_path):
    assert read(tmp_path, HEAD + "a,1,20\nb,2,30\n").counts.hidden.sum() == 0


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("1,234", (1234, 1234)),
        ("1 234", (1234, 1234)),
        ("12.0", (12, 12)),
        ("2.5", (2.5, 2.5)),
        ("2,5", (2.5, 2.5)),
        ("1.234,5", (1234.5, 1234.5)),
        ("NA", (0, np.inf)),
        ("-", (0, np.inf)),
        ("..", (0, np.inf)),
        ("c", (0, np.inf)),
        ("Suppressed", (0, np.inf)),
        ("< 10", (0, 9)),
        ("<=5", (0, 5)),
        ("1-9", (1, 9)),
        ("10\u201350", (10, 50)),
        ("1,000+", (1000, np.inf)),
        (">100", (101, np.inf)),
    ],
)
def test_counts_are_read_as_offices_write_them(tmp_path, text, bounds):
    found = read(tmp_path, f'{HEAD}a,1,"{text}"\n')
    assert cells(found)["a", "1"] == bounds
    assert found.counts.hidden.tolist() == [bounds[0] < bounds[1]]


LONG = "station;date;hour;riders\na;2024-01-01;1;20\na;2024-01-01;2;<10\nb;2024-01-01;1;7\n"


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (LONG, "{count: riders}"),
        (LONG, "{zone: station, time: [date, hour], count: riders}"),
        ("\n" + LONG.replace(";", "\t"), "{count: riders}"),
        (LONG.replace("station", "x").replace(";", "|"), "{zone: x, count: riders}"),
        ("date,hour,a,b\n2024-01-01,1,20,7\n2024-01-01,2,<10,\n", None),
        ("zone,2024-01-01 1,2024-01-01 2\na,20,<10\nb,7,\n", None),
    ],
)
def test_long_and_wide_tables_are_the_same(tmp_path, text, columns):
    found = cells(read(tmp_path, text, columns))
    first, second = "2024-01-01 1", "2024-01-01 2"
    assert found.pop(("b", second), (0, np.inf)) == (0, np.inf)
    assert found == {("a", first): (20, 20), ("a", second): (0, 9), ("b", first): (7, 7)}


@pytest.mark.parametrize("name", ["total", "All", "Overall", "Grand total", "TOTALS", "all zones"])
def test_totals_have_many_names(tmp_path, name):
    found = read(tmp_path, f"{HEAD}a,1,*\nb,1,31\n{name},1,35\n")
    assert known(found.counts) == {(0, 0): 4}


def test_trips_are_counted_by_origin_and_destination(tmp_path):
    text = "origin,destination,start,end,trips\na,b,8,9,*\na,c,8,9,30\na,total,8,9,34\n"
    found = read(tmp_path, text)
    assert found.axes == ("origin", "destination", "time")
    assert known(found.counts) == {(0, 0, 0): 4}


def test_cells_without_a_line_are_hidden_where_totals_say_so(tmp_path):
    found = verdict(tmp_path, "a,1,20\na,total,23\nb,1,30\nb,2,4\nb,total,34\n")
    assert "a suppressed count" in found["settings"]["assumed"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cannot be read as a table"),
        (HEAD, "holds no count"),
        (HEAD + "total,total,9\n", "holds no count of a zone at a time"),
        (HEAD + "a,1,-3\n", "line 2: count '-3'; a number from 0"),
        (HEAD + "a,1,3\na,2,9-1\n", "line 3: count '9-1'; a number from 0"),
        (HEAD + "a,1,1e3\n", "line 2: count '1e3'"),
        (HEAD + "a,1,<0\n", "line 2: count '<0'"),
        (HEAD + f"a,1,{'9' * 400}\n", "line 2: count '999"),
        (HEAD + "a,1,3\na,1,4\n", "line 3: zone 'a' at '1' was given already"),
        (HEAD + ",1,3\n", "line 2: zone is blank"),
        (HEAD + "a,,3\n", "line 2: time is blank"),
        ("zone,time\na,1\n", "no column for count"),
        ("user_id,time,zone\na,1,z\n", "user_id looks like one line for each visit"),
        ("zone,place,time,count\na,a,1,1\n", "several columns for zone: zone, place; say which"),
        ("zone,time,count,persons\na,1,1,2\n", "several columns for count: count, persons"),
        ("date,a,b\n1,2,3\n2,4,low\n", "line 3, column b: count 'low'"),
        ('zone,time,count\n"a,1,3\n', "cannot be read as a table"),
    ],
)
def test_tables_that_cannot_be_right_are_refused(tmp_path, text, words):
    with pytest.raises(ValueError) as found:
        read(tmp_path, text)
    assert words in str(found.value)
    assert "counts.csv" in str(found.value)


@pytest.mark.parametrize(
    "total", ["Gesamt", "Totale", "Tous", "City total", "Total (all)", "Grand Total:", "All zones"]
)
def test_totals_are_known_by_many_names_and_noted(tmp_path, total):
    found = read(tmp_path, f"zone,time,count\nA,1,*\nB,1,31\n{total},1,35\n")
    assert known(found.counts) == {(0, 0): 4}
    assert f"zone {total} is read as the total" in found.notes


@pytest.mark.parametrize(
    "zone", ["Total Energies", "Allen", "Summer Hill", "Tousley", "All Saints"]
)
def test_zones_whose_names_begin_like_a_total_are_zones(tmp_path, zone):
    assert not read(tmp_path, f"zone,time,count\n{zone},1,3\nB,1,31\n").counts.is_total.any()


@pytest.mark.parametrize(
    ("mark", "most"),
    [
        *((mark, np.inf) for mark in ("n.a.", "[c]", "..C", "masked", ".")),
        *((mark, 9) for mark in ("up to 9", "LT10", "<10*", "<10 people", "at most 9")),
    ],
)
def test_marks_of_suppressed_counts(tmp_path, mark, most):
    found = read(tmp_path, f"zone,time,count\nA,1,{mark}\nB,1,31\n")
    assert cells(found)["A", "1"] == (0, most)
    assert found.counts.hidden.tolist() == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        "Counts of April\n\nzone,time,count\nA,1,3\n",
        "# counts\nzone,time,count\nA,1,3\n",
        "sep=;\nzone;time;count\nA;1;3\n",
        "zone,time,count\nA,1,3\nSource: the operator,,\n",
        "zone,time,Total\nA,1,3\n",
        "Date,Time,Grid_ID,Total\n2014-01-01,00:00,A,3\n",
    ],
)
def test_titles_footnotes_and_one_unnamed_count_are_read_and_noted(tmp_path, text):
    found = read(tmp_path, text)
    assert found.counts.low.tolist() == [3]
    assert found.notes


def test_a_sheet_of_an_excel_file_is_read(tmp_path):
    file = tmp_path / "counts.xlsx"
    with pd.ExcelWriter(file) as book:
        for name in ("one", "two"):
            pd.DataFrame({"zone": ["A"], "time": [1], "count": [3]}).to_excel(book, sheet_name=name)
    with pytest.raises(ValueError, match="has the sheets one, two: say which with --sheet"):
        command.audit_tables([str(file)])
    assert command.audit_tables([str(file)], sheet="two")[0]["data"]["zones"] == 1


def test_columns_that_are_not_there_are_refused(tmp_path):
    with pytest.raises(ValueError, match="--columns names 'm' as count; the file has zone"):
        read(tmp_path, HEAD + "a,1,3\n", "{count: m}")
    with pytest.raises(ValueError, match="with zone, origin, destination, time, count"):
        read(tmp_path, HEAD + "a,1,3\n", "{user: zone}")
    assert cells(read(tmp_path, "zone,time,count,n\na,1,3,4\n", "{count: n}"))["a", "1"][0] == 4


def test_a_table_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no file or folder"):
        count_tables.read_table(str(tmp_path / "none.csv"))
    with pytest.raises(ValueError, match="is a folder"):
        count_tables.read_table(str(tmp_path))


# -- verdicts --------------------------------------------------------------------------------------


def verdict(folder, *texts, **assumed):
    names = [table(folder, HEAD + text, f"{i}.csv") for i, text in enumerate(texts)]
    tables = [count_tables.read_table(each) for each in names]
    return published.document(tables, names, published.Assumed(**assumed))


def check(found, key):
    (result,) = (each for each in found["attacks"] if each["id"] == key)
    return result


# three hidden counts of r2; t3 follows only from all totals together: 16 - 11
BRIDGE = """r1,t1,*\nr1,t2,*\nr1,t3,54\nr1,t4,28\nr1,total,89
r2,t1,*\nr2,t2,*\nr2,t3,*\nr2,t4,57\nr2,total,73
r3,t1,24\nr3,t2,58\nr3,t3,*\nr3,t4,*\nr3,total,91
r4,t1,36\nr4,t2,55\nr4,t3,*\nr4,t4,*\nr4,total,103
total,t1,68\ntotal,t2,123\ntotal,t3,70\ntotal,t4,95\n"""


def test_a_count_that_follows_from_several_totals_is_a_failure(tmp_path):
    found = verdict(tmp_path, BRIDGE)
    assert found["verdict"] == "fail" and found["disclosure"]["recovered"] == 1
    assert "1 of 9 suppressed counts" in found["reasons"][0]
    assert "r2 at t3 is 5." in found["reasons"][0]
    assert "zeros may be suppressed" in found["settings"]["assumed"]


@pytest.mark.skipif(not CASES.exists(), reason="the collected cases are not here")
@pytest.mark.parametrize(
    ("names", "columns", "recovered"),
    [
        (["counts-bridge"], None, 1),
        (["counts-total-called-all"], None, 1),
        (["counts-ranges"], None, 0),
        (["counts-two-columns"], "{count: persons}", 0),
        (["counts-wide"], None, 0),
        (["counts-mitma"], None, 0),
        (["flowkit-home", "flowkit-active"], None, 0),
    ],
)
def test_collected_tables_are_audited(names, columns, recovered):
    files = [str(CASES / f"{name}.csv") for name in names]
    found = command.audit_tables(files, columns, 15)[0]
    assert found["disclosure"]["recovered"] == recovered
    assert found["verdict"] == ("fail" if recovered else "review")


def test_hidden_counts_that_totals_give_away_are_a_failure(tmp_path):
    found = verdict(tmp_path, "a,1,20\na,2,*\na,total,23\n")
    assert found["verdict"] == "fail"
    assert found["reasons"][0].startswith("Suppressed counts that follow from totals: 1 of 1")


def test_hidden_counts_that_do_not_follow_are_said_to_be_tested(tmp_path):
    text = "a,1,*\na,2,*\na,total,23\nb,1,*\nb,2,*\nb,total,30\ntotal,1,25\ntotal,2,28\n"
    found = check(verdict(tmp_path, text), "totals")
    assert found["statement"] == "No suppressed count (4) can be recovered from the totals."
    assert found["severity"] == "none"
    narrow = check(verdict(tmp_path, text.replace("25", "51").replace("28", "2")), "totals")
    assert "4 lie in an interval narrower than the protection level" in narrow["statement"]
    assert narrow["severity"] == "review"


def test_what_exceeds_the_limit_of_work_is_said_to_be_undecided(tmp_path, monkeypatch):
    """Totals over each of three axes are no network, so integer programs are needed."""
    rng, lines = np.random.default_rng(2), ["origin,destination,time,count"]
    names, true = [*"abc", "total"], rng.integers(0, 3, (3, 3, 3))
    whole = np.pad(true, [(0, 1)] * 3)
    for axis in range(3):
        whole[(slice(None),) * axis + (-1,)] = whole.sum(axis)
    for index in np.ndindex(4, 4, 4):
        shown = "*" if max(index) < 3 else whole[index]
        lines.append(",".join([*(names[i] for i in index), str(shown)]))
    name = table(tmp_path, "\n".join(lines))
    tables = [count_tables.read_table(name)]
    decided = published.document(tables, [name], published.Assumed(3))
    assert decided["disclosure"]["undecided"] == 0
    monkeypatch.setattr(small_counts, "intervals", partial(linear_bounds.intervals, work=0))
    found = published.document(tables, [name], published.Assumed(3))
    n = found["disclosure"]["undecided"]
    assert n > 0 and found["verdict"] == "review"
    totals = check(found, "totals")
    assert f"undecided whether {n} of them follow" in totals["statement"]
    assert totals["severity"] == ("fail" if found["disclosure"]["recovered"] else "review")


def test_without_totals_nothing_is_said_to_be_safe(tmp_path):
    found = check(verdict(tmp_path, "a,1,20\na,2,*\n"), "totals")
    assert found["statement"].startswith("No totals were found") and found["severity"] == "review"


def test_whether_zeros_are_hidden_is_an_assumption(tmp_path):
    text = "a,1,*\na,2,*\na,3,0\na,total,2\n"
    both = check(verdict(tmp_path, text), "totals")
    assert "at least 1, and 2 can be recovered (--hidden-from 1)" in both["statement"]
    assert (both["severity"], both["measures"]["suppressed counts recovered"]["value"]) == (
        "review",
        0,
    )
    one = verdict(tmp_path, text, least=1)
    assert one["verdict"] == "fail" and "zeros are always" in one["settings"]["assumed"]
    zero = check(verdict(tmp_path, text, least=0), "totals")
    assert "can be recovered (--hidden-from" not in zero["statement"]


def test_what_hidden_counts_are_below_is_an_option(tmp_path):
    text = "a,1,*\na,2,*\na,total,18\n"
    assert verdict(tmp_path, text)["verdict"] == "review"
    assert verdict(tmp_path, text, below=10)["verdict"] == "fail"
    with pytest.raises(ValueError, match="a at 1 would be from 20 to 9"):
        verdict(tmp_path, "a,1,>19\n", below=10)


def test_a_table_without_faults_is_not_called_clean(tmp_path):
    found = verdict(tmp_path, "a,1,20\na,2,30\n")
    assert (found["verdict"], found["complete"]) == ("review", False)
    assert found["reasons"] == [published._NO_RECORDS]


def test_small_counts_and_small_differences_are_a_warning(tmp_path):
    small = verdict(tmp_path, "a,1,3\n")
    assert small["verdict"] == "review" and small["reasons"][0].startswith("Small counts: 1 of 1")
    two = verdict(tmp_path, "a,1,20\na,2,50\n", "a,2,50\na,1,21\n")
    assert two["reasons"][0].startswith("Subtracting one release from another: 1 counts")
    far = verdict(tmp_path, "a,1,50\n", "a,1,38\n")
    assert check(far, "differencing")["severity"] == "none"
    near = verdict(tmp_path, "a,1,50\n", "a,1,38\n", below=15)
    assert check(near, "differencing")["severity"] == "review"
    with pytest.raises(ValueError, match="no zone and time in common"):
        verdict(tmp_path, "a,1,20\n", "b,1,20\n")


def test_two_tables_of_the_same_counts_are_used_together(tmp_path):
    first, second = "a,1,*\na,2,*\na,total,23\n", "a,2,11\na,total,23\n"
    assert verdict(tmp_path, first)["verdict"] == verdict(tmp_path, second)["verdict"] == "review"
    found = verdict(tmp_path, first, second)
    assert found["verdict"] == "fail" and found["disclosure"]["recovered"] == 2
    other = verdict(tmp_path, first, second.replace("23", "60"))
    assert other["disclosure"]["recovered"] == 0
    assert "1 counts that one table suppresses" in check(other, "differencing")["statement"]


SEXES = "{zone: [zone, sex]}"


def linked(folder, *texts, columns=SEXES, **assumed):
    names = [table(folder, text, f"{i}.csv") for i, text in enumerate(texts)]
    tables = [count_tables.read_table(each, columns, fewer=i > 0) for i, each in enumerate(names)]
    return published.document(tables, names, published.Assumed(**assumed))


def test_a_table_over_fewer_axes_gives_totals_of_the_other(tmp_path):
    detail = "zone,sex,count\na,f,*\na,m,20\nb,f,*\nb,m,*\n"
    zones = "zone,count\na,23\nb,50\n"
    found = linked(tmp_path, detail, zones)
    assert found["disclosure"]["recovered"] == 1 and "a at f is 3" in found["reasons"][0]
    assert "totals of the other table's counts" in check(found, "differencing")["statement"]
    times = "zone,time,count\na,1,*\na,2,20\n"
    assert linked(tmp_path, zones, times, columns=None)["disclosure"]["recovered"] == 1
    sexes = "sex,count\nf,10\nm,63\n"
    found = linked(tmp_path, detail, zones, sexes)
    assert found["disclosure"]["recovered"] == 3  # 23 - 20, 10 - 3, 50 - 7
    assert check(found, "differencing-3")["name"].endswith("2.csv")


def test_totals_of_other_counts_are_not_combined(tmp_path):
    detail = "zone,sex,count\na,f,*\na,m,20\n"
    found = linked(tmp_path, detail, "zone,count\na,12\n")
    assert found["disclosure"]["recovered"] == 0
    assert "were not combined" in check(found, "differencing")["statement"]
    found = linked(tmp_path, detail, "zone,count\na,23\nc,40\n")
    assert found["disclosure"]["recovered"] == 1
    assert "1 counts have labels" in check(found, "differencing")["statement"]
    with pytest.raises(ValueError, match=r"is over zone and .*1.csv over time"):
        linked(tmp_path, "zone,count\na,12\n", "time,count\n1,12\n", columns=None)


@pytest.mark.parametrize("seed", range(20))
def test_totals_in_a_table_of_their_own_reveal_the_same(tmp_path, seed):
    rng = np.random.default_rng(seed)
    counts, shown = rng.poisson(6, (3, 4)), rng.random((3, 4)) < 0.5
    cells = "".join(
        f"z{i},s{j},{counts[i, j] if shown[i, j] else '*'}\n" for i in range(3) for j in range(4)
    )
    zones = [(f"z{i}", total) for i, total in enumerate(counts.sum(axis=1))]
    sexes = [(f"s{j}", total) for j, total in enumerate(counts.sum(axis=0))]
    inside = "".join(f"{zone},total,{n}\n" for zone, n in zones)
    inside += "".join(f"total,{sex},{n}\n" for sex, n in sexes)
    head = "zone,sex,count\n"
    whole = linked(tmp_path, head + cells + inside)
    parts = [
        f"{axis},count\n" + "".join(f"{label},{n}\n" for label, n in totals)
        for axis, totals in (("zone", zones), ("sex", sexes))
    ]
    apart = linked(tmp_path, head + cells, *parts)
    assert apart["disclosure"]["recovered"] == whole["disclosure"]["recovered"]
    assert apart["disclosure"]["suppressed"] == (~shown).sum()


def test_totals_that_were_rounded_are_said_not_to_add_up(tmp_path):
    found = verdict(tmp_path, "a,1,20\na,2,31\na,total,50\n")
    totals = check(found, "totals")
    assert totals["status"] == "not tested" and found["verdict"] == "review"

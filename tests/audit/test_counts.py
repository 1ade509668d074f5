"""Published counts alone: what totals and small counts give away, and tables that are refused."""

import numpy as np
import pytest

from lib.audit import published, small_counts

HEAD = "zone,time,count\n"


def table(folder, text, name="counts.csv"):
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def counts(cells, by_zone=None, by_epoch=None, everything=np.nan, below=np.inf):
    cells = np.array(cells, float)
    return small_counts.Counts(
        cells,
        np.full(len(cells), np.nan) if by_zone is None else np.array(by_zone, float),
        np.full(cells.shape[1], np.nan) if by_epoch is None else np.array(by_epoch, float),
        everything,
        np.ones(cells.shape, bool),
        below,
    )


# -- totals ----------------------------------------------------------------------------------------


def test_one_hidden_count_in_a_sum_follows_from_its_total():
    found = small_counts.determined(counts([[20, np.nan], [30, 40]], by_zone=[23, 70]))
    assert found.tolist() == [[False, True], [False, False]]
    none = small_counts.determined(counts([[20, np.nan], [30, 40]], by_zone=[np.nan, 70]))
    assert not none.any()


def test_two_hidden_counts_need_a_second_sum():
    hidden = [[np.nan, np.nan], [30, 40]]
    assert not small_counts.determined(counts(hidden, by_zone=[5, 70])).any()
    found = small_counts.ranges(counts(hidden, by_zone=[5, 70]))
    assert found.low[0].tolist() == [0, 0] and found.high[0].tolist() == [5, 5]
    both = small_counts.determined(counts(hidden, by_zone=[5, 70], by_epoch=[32, 43]))
    assert both[0].all()


def test_what_all_hidden_counts_must_be_is_seen_from_their_bound():
    assert small_counts.determined(counts([[np.nan, np.nan]], by_zone=[18], below=10)).all()
    assert small_counts.determined(counts([[np.nan, np.nan]], by_zone=[0])).all()
    assert not small_counts.determined(counts([[np.nan, np.nan]], by_zone=[17], below=10)).any()


def test_only_the_total_of_everything_may_be_enough():
    assert small_counts.determined(counts([[20, np.nan]], everything=24)).tolist() == [
        [False, True]
    ]


@pytest.mark.parametrize("seed", range(20))
def test_ranges_hold_the_true_counts(seed):
    """Against all totals of random tables with hidden counts."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 30, (4, 5)).astype(float)
    shown = np.where(true < 10, np.nan, true)
    found = small_counts.ranges(counts(shown, true.sum(1), true.sum(0), true.sum(), 10))
    assert (found.low <= true).all() and (true <= found.high).all()
    exact = small_counts.determined(counts(shown, true.sum(1), true.sum(0), true.sum(), 10))
    assert (found.low[exact] == true[exact]).all()


def test_totals_that_cannot_be_right_are_refused():
    with pytest.raises(ValueError, match="totals contradict the counts, first in zone 0"):
        small_counts.ranges(counts([[20, np.nan]], by_zone=[10]))


def test_small_counts_zeros_and_differences():
    one, other = counts([[0, 1, 9, 10, np.nan]]), counts([[0, 3, 9, 30, 4]])
    assert small_counts.small(one).tolist() == [[False, True, True, False, False]]
    assert (one.cells == 0).tolist() == [[True, False, False, False, False]]
    assert small_counts.differences(one, other).tolist() == [[False, True, False, False, False]]
    with pytest.raises(ValueError, match="same zones and times"):
        small_counts.differences(one, counts([[1]]))


# -- tables ----------------------------------------------------------------------------------------


def test_a_table_is_read_with_its_totals_and_what_it_hides(tmp_path):
    text = "Place,hour,n\na,1,20\na,2,\na,total,25\nb,1,<10\nb,2,40\nTotal,1,*\ntotal,Total,90\n"
    found = published.read_table(table(tmp_path, text))
    assert (found.zones, found.times) == (["a", "b"], ["1", "2"])
    np.testing.assert_array_equal(found.counts.cells, [[20, np.nan], [np.nan, 40]])
    np.testing.assert_array_equal(found.counts.by_zone, [25, np.nan])
    assert found.counts.everything == 90 and found.counts.below == 10
    assert found.counts.suppressed.sum() == 2


def test_a_cell_without_a_line_is_not_one_that_is_hidden(tmp_path):
    found = published.read_table(table(tmp_path, HEAD + "a,1,20\nb,2,30\n"))
    assert found.counts.suppressed.sum() == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cannot be read as a table"),
        (HEAD, "holds no count"),
        (HEAD + "total,total,9\n", "holds no count of a zone at a time"),
        (HEAD + "a,1,-3\n", "line 2: count '-3'; whole numbers from 0"),
        (HEAD + "a,1,3\na,2,2.5\n", "line 3: count '2.5'; whole numbers from 0"),
        (HEAD + "a,1,nan\n", "line 2: count 'nan'"),
        (HEAD + "a,1,1e3\n", "line 2: count '1e3'"),
        (HEAD + f"a,1,{'9' * 400}\n", "line 2: count '999"),
        (HEAD + "a,1,3\na,1,4\n", "line 3: zone 'a' at '1' was given already"),
        (HEAD + ",1,3\n", "line 2: zone is blank"),
        (HEAD + "a,,3\n", "line 2: time is blank"),
        ("zone,time\na,1\n", "no column for count"),
        ("zone,place,time,count\na,a,1,1\n", "several columns for zone"),
        ('zone,time,count\n"a,1,3\n', "cannot be read as a table"),
    ],
)
def test_tables_that_cannot_be_right_are_refused(tmp_path, text, words):
    with pytest.raises(ValueError) as found:
        published.read_table(table(tmp_path, text))
    assert words in str(found.value)
    assert "counts.csv" in str(found.value)


def test_a_table_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no file or folder"):
        published.read_table(str(tmp_path / "none.csv"))
    with pytest.raises(ValueError, match="is no file"):
        published.read_table(str(tmp_path))


# -- verdicts --------------------------------------------------------------------------------------


def verdict(folder, *texts):
    names = [table(folder, HEAD + text, f"{i}.csv") for i, text in enumerate(texts)]
    return published.document([published.read_table(each) for each in names], names)


def test_hidden_counts_that_totals_give_away_are_a_failure(tmp_path):
    found = verdict(tmp_path, "a,1,20\na,2,*\na,total,23\n")
    assert found["verdict"] == "fail"
    assert found["reasons"][0].startswith("Suppressed counts that follow from totals: 1 of 1")


def test_a_table_without_faults_is_not_called_clean(tmp_path):
    found = verdict(tmp_path, "a,1,20\na,2,30\n")
    assert (found["verdict"], found["complete"]) == ("review", False)
    assert found["reasons"] == [published._NO_RECORDS]


def test_small_counts_and_small_differences_are_a_warning(tmp_path):
    small = verdict(tmp_path, "a,1,3\n")
    assert small["verdict"] == "review" and small["reasons"][0].startswith("Small counts: 1 of 1")
    two = verdict(tmp_path, "a,1,20\na,2,50\n", "a,1,21\na,2,50\n")
    assert two["reasons"][0].startswith("Subtracting one release from another: 1 counts")
    with pytest.raises(ValueError, match="differ in zones or times"):
        verdict(tmp_path, "a,1,20\n", "b,1,20\n")


def test_totals_that_were_rounded_are_said_not_to_add_up(tmp_path):
    found = verdict(tmp_path, "a,1,20\na,2,31\na,total,50\n")
    (totals,) = [each for each in found["attacks"] if each["id"] == "totals"]
    assert totals["status"] == "not tested" and found["verdict"] == "review"

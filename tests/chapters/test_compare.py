"""Comparing two runs: what changed, beyond the intervals or not, and what cannot be compared."""

import json

import pandas as pd
import pytest

from lib.chapters import compare
from lib.execution import environment

COLUMNS = ["data", "m", "n", "mean", "95% low", "95% high"]


def run(folder, rows, chapter="foundations", brackets=None, **values):
    (folder / "tables").mkdir(parents=True)
    frame = pd.DataFrame(rows, columns=COLUMNS)
    frame.to_csv(folder / "tables" / "attack.csv", index=False)
    if brackets:
        pd.DataFrame(brackets).to_csv(folder / "tables" / "brackets.csv", index=False)
    text = json.dumps({"chapter": chapter, "parameters": {"seed": 1, **values}})
    (folder / "provenance.json").write_text(text)
    return folder


ONE = [["a", 5, 20, 0.8, 0.7, 0.9], ["a", 9, 20, 0.6, 0.5, 0.7], ["b", 5, 20, 0.5, "", ""]]


def test_what_changed_is_told_with_whether_the_intervals_are_apart(tmp_path):
    other = [["a", 5, 20, 0.4, 0.3, 0.5], ["a", 9, 20, 0.65, 0.5, 0.75], ["b", 5, 20, 0.6, "", ""]]
    found = compare.compare(run(tmp_path / "1", ONE), run(tmp_path / "2", other, seed=2, lag="7D"))
    assert found.values.to_dict("index") == {
        "seed": {"first": "1", "second": "2"},
        "lag": {"first": compare.ABSENT, "second": "7D"},
    }
    assert found.tables.to_numpy().tolist() == [
        ["attack", "a, 5", "mean", "0.8", "0.4", compare.BEYOND],
        ["attack", "a, 9", "mean", "0.6", "0.65", compare.WITHIN],
        ["attack", "b, 5", "mean", "0.5", "0.6", compare.PLAIN],
    ]
    assert found.same == 3  # n
    text = compare.words(found)
    assert "the same: 3; changed: 3" in text
    assert "1 beyond the intervals" in text


def test_numbers_with_their_interval_in_brackets_are_compared_too(tmp_path):
    one = [{"data": "a", "AUC": "0.84 [0.80, 0.88]"}, {"data": "b", "AUC": "0.50 [0.40, 0.60]"}]
    two = [{"data": "a", "AUC": "0.70 [0.66, 0.74]"}, {"data": "b", "AUC": "0.55 [0.45, 0.65]"}]
    first = run(tmp_path / "1", ONE, brackets=one)
    found = compare.compare(first, run(tmp_path / "2", ONE, brackets=two))
    assert list(found.tables["change"]) == [compare.BEYOND, compare.WITHIN]


def test_rows_and_tables_that_one_of_them_lacks_are_named(tmp_path):
    second = run(tmp_path / "2", [*ONE[:2], ["c", 5, 20, 0.5, "", ""]])
    first = run(tmp_path / "1", ONE, brackets=[{"data": "a", "AUC": "1"}])
    found = compare.compare(first, second)
    assert found.tables[["table", "row", "change"]].to_numpy().tolist() == [
        ["attack", "b, 5", compare.ONLY_FIRST],
        ["attack", "c, 5", compare.ONLY_SECOND],
        ["brackets", "", compare.ONLY_FIRST],
    ]
    turned = compare.compare(second, first).tables
    assert turned["change"].iloc[-1] == compare.ONLY_SECOND


def test_equal_runs_say_so(tmp_path):
    found = compare.compare(run(tmp_path / "1", ONE), run(tmp_path / "2", ONE))
    assert found.tables.empty
    assert "values:\n  the same" in compare.words(found)


def test_rows_that_nothing_tells_apart_are_all_compared(tmp_path):
    twice = [ONE[0], ONE[0]]
    other = [ONE[0], ["a", 5, 20, 0.8, 0.7, 0.95]]
    found = compare.compare(run(tmp_path / "1", twice), run(tmp_path / "2", other))
    assert list(found.tables["change"]) == [compare.ONLY_FIRST, compare.ONLY_SECOND]


def test_what_is_no_run_or_another_chapters_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(environment, "runs", lambda: tmp_path)
    run(tmp_path / "foundations-12", ONE)
    run(tmp_path / "crowd-34", ONE, chapter="crowd")
    assert compare.folder("foundations-12") == tmp_path / "foundations-12"
    with pytest.raises(ValueError, match="'foundation-12'; did you mean 'foundations-12'"):
        compare.folder("foundation-12")
    with pytest.raises(ValueError, match="a run of foundations, crowd-34 of crowd"):
        compare.compare(compare.folder("foundations-12"), compare.folder("crowd-34"))

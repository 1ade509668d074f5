"""Means, intervals and paired differences against scipy, and what they refuse."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib.papers import summaries

ROWS = pd.DataFrame(
    {
        "data": ["b"] * 6 + ["a"] * 4 + ["c"],
        "target": [1, 2, 3, 1, 2, 3, 7, 8, 7, 8, 1],
        "attack": ["LR"] * 3 + ["NN"] * 3 + ["LR"] * 2 + ["NN"] * 2 + ["LR"],
        "AUC": [0.5, 0.7, 0.9, 0.6, 0.7, 0.5, 0.8, 0.9, 0.7, np.nan, 0.6],
    }
)


def test_means_are_students_in_the_rows_order():
    table = summaries.means(ROWS, ["data", "attack"], "AUC")
    assert [key for key in table.index] == [
        ("b", "LR"),
        ("b", "NN"),
        ("a", "LR"),
        ("a", "NN"),
        ("c", "LR"),
    ]
    values = [0.5, 0.7, 0.9]
    interval = stats.ttest_1samp(values, 0).confidence_interval()
    assert table.loc[("b", "LR")].tolist() == pytest.approx([3, np.mean(values), *interval])
    assert table.loc[("a", "NN"), "n"] == 1 and np.isnan(table.loc[("a", "NN"), "95% low"])
    assert summaries.means(ROWS.set_index(["data", "target"]), ["data"], "AUC").index.name == "data"


def test_differences_are_paired_by_unit():
    table = summaries.differences(ROWS, ["data"], "AUC", ["target"], "attack", "LR", "NN")
    pairs = [-0.1, 0.0, 0.4]
    interval = stats.ttest_1samp(pairs, 0).confidence_interval()
    assert table.loc["b"].tolist() == pytest.approx([3, np.mean(pairs), *interval])
    assert table.index.tolist() == ["b", "a"]  # c has no pair
    assert table.loc["a", "n"] == 1
    whole = summaries.differences(ROWS, [], "AUC", ["data", "target"], "attack", "LR", "NN")
    assert whole["n"].tolist() == [4]


def test_mean_and_error():
    assert summaries.mean_and_error([1.0, 2.0, np.nan, 3.0]) == pytest.approx((2.0, 3**-0.5))
    with pytest.raises(ValueError, match="1 value"):
        summaries.mean_and_error([1.0])


def test_what_cannot_be_paired_is_refused():
    with pytest.raises(ValueError, match="stands twice"):
        summaries.differences(ROWS, [], "AUC", ["target"], "attack", "LR", "NN")
    with pytest.raises(ValueError, match="not both 'LR' and 'RF'"):
        summaries.differences(ROWS, ["data"], "AUC", ["target"], "attack", "LR", "RF")
    with pytest.raises(ValueError, match="no column 'auc'"):
        summaries.means(ROWS, ["data"], "auc")


def test_an_interval_stands_in_brackets():
    table = summaries.bracketed(summaries.means(ROWS, ["data", "attack"], "AUC"))
    assert list(table.columns) == ["n", "mean [95%]"]
    assert table.loc[("b", "LR"), "mean [95%]"] == "0.70 [0.20, 1.20]"
    assert table.loc[("c", "LR"), "mean [95%]"] == "0.60"  # one value has no interval
    assert summaries.in_brackets(np.nan, np.nan, np.nan) == ""
    assert summaries.in_brackets(-0.001, -0.2, 0.2, 1) == "0.0 [-0.2, 0.2]"


def test_scores_are_told_as_numbers_with_intervals():
    members, scores = np.array([0, 0, 1, 1]), np.array([1.0, 2.0, 3.0, 4.0])
    table = summaries.scored(members, {"right": scores, "reversed": -scores}, fpr=0.5)
    assert list(table.columns) == ["AUC", "privacy loss", "TPR at 50% FPR"]
    assert table.loc["right", "AUC"].startswith("1.00 [")
    assert table.loc["reversed", "AUC"].startswith("0.00 [0.00")
    assert table.loc["reversed", "privacy loss"].startswith("0.00 [0.00")
    with pytest.raises(ValueError, match="both classes"):
        summaries.scored(np.ones(4, int), {"all in": scores})

"""Joint inference with the count of null kept: the library's where nothing is rescaled."""

import numpy as np
import pytest

from lib import localization as loc
from lib.papers.aggregation_privacy import joint_experiments as joint
from lib.papers.aggregation_privacy.experiments import load_week


def test_rescaled_counts_keep_null_and_add_up_to_the_users():
    counts = np.array([[6, 0], [2, 0], [1, 5]])  # two places and null, of five users
    kept = joint.keep_null(counts, 5)
    assert kept[:, 0] == pytest.approx([3, 1, 1])
    assert kept[:, 1] == pytest.approx([0, 0, 5])


def test_with_counts_that_add_up_it_is_the_librarys_max_entropy():
    rng = np.random.default_rng(1)
    prior = rng.random((6, 4, 1))
    prior /= prior.sum(axis=1, keepdims=True)
    counts = np.array([[2], [3], [0], [1]])
    expected = loc.max_entropy(prior, counts, 0.05).toarray()[:, :, 0]
    found = joint.nearest(prior[:, :, 0], counts[:, 0], 0.05)
    assert found == pytest.approx(expected, abs=1e-6)
    assert found.sum(axis=0) == pytest.approx(counts[:, 0], abs=1e-6)


def test_rows_agree_with_hand_computed_scores():
    week = load_week("flights-by-tail")
    rows = list(joint.joint_with_null.function(week, "ROI_DAY", every=40))
    by_answer = {row["answer"]: row for row in rows}
    assert list(by_answer)[-1] == "truth"
    assert by_answer[joint.BEST]["minus best"] == 0
    gap = by_answer["BAYES"]["Brier"] - by_answer[joint.BEST]["Brier"]
    assert by_answer["BAYES"]["minus best"] == pytest.approx(gap)
    assert by_answer[joint.BEST]["null"] == pytest.approx(by_answer["truth"]["null"], abs=1e-3)

"""Joint inference with the count of null kept: the library's where nothing is rescaled."""

import numpy as np
import pytest

from lib import localization as loc
from lib.papers.aggregation_privacy import joint_experiments as joint
from lib.papers.aggregation_privacy.experiments import load_week

SHARE = 1e-3  # what is left after the last round of fitting


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


@pytest.mark.parametrize("kind", ["FREQ_ROI", "ROI_DAY"])
def test_the_prior_by_hours_gives_null_its_share_of_observed_hours(kind):
    week = load_week("flights-by-tail")
    observed = week.traces.n_epochs - week.truth.n_epochs
    epochs = np.array([15, 45])  # of the inferred week: at 15, and at 21 of the next day
    prior = np.full((week.traces.n_users, week.traces.n_rois, 2), 1 / week.traces.n_rois)
    found = joint._null_by_hours(week, prior, epochs, kind)
    n_rois = week.traces.n_rois
    out = np.asarray((week.traces.matrix[:, : (n_rois - 1) * week.traces.n_epochs]).sum(axis=1))
    for user in np.argsort(-out.ravel())[:3]:  # the busiest
        trace = week.traces.select(users=[week.traces.users[user]]).matrix.toarray()
        at_null = trace.reshape(week.traces.n_rois, -1)[-1, :observed] > 0
        for column, epoch in enumerate(epochs):
            first = (observed + epoch) % 24 if kind == "ROI_DAY" else 0
            every = 24 if kind == "ROI_DAY" else 1
            assert found[user, -1, column] == pytest.approx(at_null[first::every].mean())
    assert found.sum(axis=1) == pytest.approx(1)


def test_scores_are_paired_and_null_has_its_true_share():
    week = load_week("flights-by-tail")
    rows = list(joint.joint_with_null.function(week, "ROI_DAY", every=40))
    by_answer = {row["answer"]: row for row in rows}
    assert list(by_answer)[-1] == "truth"
    assert by_answer[joint.BEST]["minus best"] == 0
    gap = by_answer["BAYES"]["Brier"] - by_answer[joint.BEST]["Brier"]
    assert by_answer["BAYES"]["minus best"] == pytest.approx(gap)
    assert by_answer[joint.BEST]["null"] == pytest.approx(by_answer["truth"]["null"], abs=SHARE)

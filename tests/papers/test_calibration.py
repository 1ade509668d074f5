"""The commuters' constant: what is printed, and how predictions are judged."""

import itertools

import numpy as np
import pandas as pd
import pytest

from lib.datasets.synthetic import load_commuters
from lib.papers import claims
from lib.papers.aggregation_privacy import calibration_experiments as calibration
from lib.papers.aggregation_privacy import experiments as crowd


def test_the_surrogate_has_the_constant_that_the_printed_number_chooses():
    chosen = calibration.chosen(calibration.calibration.stored())
    default, same = load_commuters(40), load_commuters(40, weekly_noise=chosen)
    assert (default.matrix != same.matrix).nnz == 0
    before = load_commuters(40, weekly_noise=calibration.BEFORE)
    assert before.matrix.nnz == default.matrix.nnz  # numbers of visits are calibrated otherwise
    assert before.recurrence("7D").mean() > default.recurrence("7D").mean() + 0.1


@pytest.mark.parametrize("wrong", [0, -1.0, float("nan"), float("inf")])
def test_a_scale_is_a_positive_number(wrong):
    with pytest.raises(ValueError, match="weekly_noise is"):
        load_commuters(2, weekly_noise=wrong)


def test_every_printed_mean_of_london_is_predicted():
    table = calibration.printed()
    assert calibration.USED in table.index
    assert set(table["measure"]) == {"error", "loss"}
    for name, row in table.iterrows():
        claim = claims.claim(name)
        assert claim.value == (row["value"],) and claim.setting["prior"] == row["prior"]
        assert claim.quantity.startswith("mean")
    assert not table["value"].isna().any() and len(table) == 58


def made_up(away):
    """Rows of two constants: one is `away` from every printed number, and the other right."""
    value = calibration.printed()["value"]
    rows = [
        {"weekly noise": constant, "claim": name, "here": value[name] + add}
        for constant, add in ((calibration.BEFORE, away), (1.5, 0.0))
        for name in value.index
    ]
    return pd.DataFrame(rows)


def test_a_constant_is_chosen_by_one_number_and_judged_on_the_others():
    rows = made_up(0.2)
    assert calibration.chosen(rows) == 1.5
    table = calibration.judged(rows)
    assert table["within 0.05"].tolist() == [0, 57] and set(table["others"]) == {57}
    assert table["mean distance"].tolist() == pytest.approx([0.2, 0.0])
    assert table.loc[1.5, "within 0.05 by chance"] < 40
    assert len(calibration.moved(rows)) == 57
    assert calibration.moved(made_up(0.01)).empty


def test_permuted_numbers_stay_within_their_kind():
    values, kinds = np.arange(7.0), np.array(list("aabbbab"))
    seen = {
        tuple(calibration._permuted(values, kinds, np.random.default_rng(i))) for i in range(900)
    }
    a, b = values[kinds == "a"], values[kinds == "b"]
    assert len(seen) == len(list(itertools.permutations(a))) * len(list(itertools.permutations(b)))
    for each in seen:
        assert set(np.array(each)[kinds == "a"]) == set(a)


def test_rows_are_the_errors_of_the_replication():
    rows = pd.DataFrame(calibration.calibration.function(None, 1.0, n_users=20))
    week = crowd.ObservedWeek(load_commuters(20, weekly_noise=1.0).with_null())
    table = calibration.printed()
    assert rows["claim"].tolist() != [] and set(rows["claim"]) == set(table.index)
    name = "crowd-fig2-tfl-prof-max-user-roi-day-week-pl"
    unit = "profiling", "ROI_DAY_WEEK"
    found = {row["strategy"]: row for row in crowd.errors.function(week, unit)}
    assert rows.set_index("claim")["here"][name] == found["MAX_USER"]["loss"]

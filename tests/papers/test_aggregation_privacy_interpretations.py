"""Readings of what the crowd paper leaves open: played on few users, judged on made-up rows."""

from dataclasses import replace

import numpy as np
import pytest

from lib import localization as loc
from lib import metrics
from lib.papers.aggregation_privacy import experiments as crowd
from lib.papers.aggregation_privacy import interpretation_experiments as experiments
from lib.papers.aggregation_privacy import interpretations as findings

PRIOR = "FREQ_ROI"


@pytest.fixture(scope="module")
def week():
    return crowd.load_week("cabs", 20)


@pytest.fixture(scope="module")
def rows(week):
    return experiments.interpretations({"cabs": week}, kinds=[PRIOR])


def of(rows, null, ties, goal):
    found = rows[(rows["null"] == null) & (rows["ties"] == ties) & (rows["goal"] == goal)]
    return found.reset_index(drop=True)


@pytest.mark.slow
def test_as_printed_it_is_what_the_experiment_of_errors_measures(week, rows):
    for goal in crowd.GOALS:
        printed = crowd.errors({"cabs": week}, units={"cabs": [(goal, PRIOR)]})
        expected = printed.set_index("strategy").loc["MAX_ROI"]
        (row,) = of(rows, *experiments.AS_PRINTED, goal).to_dict("records")
        for column in ("error", "loss", "better", "worse", "to 0.5", "above 0.25"):
            assert row[column] == pytest.approx(expected[column]), (goal, column)


@pytest.mark.slow
def test_drawn_orders_are_drawn_and_others_are_not(rows):
    assert rows.groupby("ties")["draw"].nunique().to_dict() == {
        "by reports": 1,
        "in the file's order": 1,
        "drawn each epoch": 2,
        "drawn each epoch and ROI": 2,
    }


@pytest.fixture
def equals():
    """Two epochs and two places in which three users are equally likely; each place counts one."""
    same = loc.from_array(np.full((3, 2, 2), 0.5))
    return same, np.ones((2, 2), int)


def first(known, counts, ties, seed):
    rng = np.random.default_rng(seed)
    return experiments._assigned(known, counts, ties, rng).toarray().argmax(axis=0)  # ROIs x epochs


def test_one_order_an_epoch_is_that_of_all_its_places(equals):
    each = np.array([first(*equals, "drawn each epoch", seed) for seed in range(40)])
    assert (each[:, 0] == each[:, 1]).all()
    assert (each[:, 0, 0] != each[:, 0, 1]).any()
    apart = np.array([first(*equals, "drawn each epoch and ROI", seed) for seed in range(40)])
    assert (apart[:, 0] != apart[:, 1]).any()


def test_the_first_of_a_file_or_the_most_seen_comes_first(equals):
    known, counts = equals
    known = replace(known, reports=np.array([1, 5, 2]))
    assert (first(known, counts, "by reports", 0) == 1).all()
    assert (first(known, counts, "in the file's order", 0) == 0).all()


def test_shares_are_over_those_who_were_seen(week):
    rows = experiments.shares_of_observed({"cabs": week}, kinds=[PRIOR]).set_index(
        ["goal", "strategy"]
    )
    away = crowd.without_null(week.truth).visits().to_numpy() > 0
    errors = week.errors("profiling", PRIOR)
    better = (errors["BAYES"] < errors["PRIOR"] - 1e-12)[away]
    assert rows.loc[("profiling", "BAYES"), "users"] == away.sum()
    assert rows.loc[("profiling", "BAYES"), "better"] == pytest.approx(better.mean())


def test_a_constant_bounds_the_error_as_the_metric_does(week):
    unit = (crowd.SCM[2], 1.0)
    rows = experiments.sanity_bounds(
        {"cabs": week}, units={"cabs": [unit]}, n_releases=2, constants=[2.5]
    )
    found = rows.set_index("bound")["MRE"]
    streams = [experiments.stream(2017, "crowd-bounds", "cabs", *unit, i) for i in range(2)]
    made = [experiments._release(week, *unit, 20, rng) for rng in streams]
    expected = [metrics.mean_relative_error(week.counts, each, sanity_bound=2.5) for each in made]
    assert found.iloc[0] == pytest.approx(np.mean(expected))
    seen = week.counts.sum(axis=1) > 0
    printed = [metrics.mean_relative_error(week.counts[seen], each[seen]) for each in made]
    assert found[experiments.RULES[0]] == pytest.approx(np.mean(printed))


# -- judging ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_rows_under_a_reading_replace_those_of_max_roi_and_no_others(monkeypatch, week, rows):
    kept = rows.assign(data=findings.CAB)
    monkeypatch.setattr(type(experiments.interpretations), "stored", lambda self, *data: kept)
    base = {"error": 0.5, "loss": 0.1, "better": 0.5, "worse": 0.5}
    errors = {
        (findings.CAB, goal, PRIOR, strategy): base
        for goal in crowd.GOALS
        for strategy in ("PRIOR", "MAX_ROI", "MAX_USER", "POP")
    }
    pair = (findings.CAB, "profiling", PRIOR, "PRIOR", PRIOR, "MAX_ROI")
    other = (findings.CAB, "profiling", PRIOR, "PRIOR", PRIOR, "BAYES")
    reading = findings.Interpretation(
        "null is left out", "in the file's order", experiments.ALL_USERS
    )
    found, two = findings.rows_under(reading, errors, {pair: base, other: base})
    expected = of(rows, reading.null, reading.ties, "profiling")["error"][0]
    assert found[findings.CAB, "profiling", PRIOR, "MAX_ROI"]["error"] == expected
    assert found[findings.CAB, "profiling", PRIOR, "PRIOR"] == base
    assert pair not in two
    assert two[other] == base
    key = (findings.CAB, "profiling", PRIOR, "MAX_ROI", PRIOR, "MAX_USER")
    assert two[key]["error"] == pytest.approx(expected - 0.5)

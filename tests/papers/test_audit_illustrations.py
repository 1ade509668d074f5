"""What the audit's chapter counts beside its tables, and its figure at full size."""

import pandas as pd
import pytest

from lib.audit import localization, parse
from lib.audit.games import Game
from lib.datasets import load
from lib.papers.audit import experiments, explorer, illustrations, size_experiments, verdict_rules


@pytest.fixture(scope="module")
def people():
    return experiments.sample_group(load("flights-by-number"), 150, 2018)


def test_shares_by_size_are_those_of_the_experiment(people):
    game = Game(people, parse("event-epsilon-1"), 2018, quick=True)
    table = illustrations.shares_by_size({"noise": game})
    rows = size_experiments.sizes.function(people, ("event-epsilon-1", 0), n_users=150)
    shares = {row["evaluation"]: row["identified"] for row in rows}
    assert table["smaller, one threshold"].item() == pytest.approx(shares["together"], abs=5e-4)
    assert table["smaller, own thresholds"].item() == pytest.approx(shares["alone"], abs=5e-4)
    assert table["full size"].item() == pytest.approx(shares["full size"], abs=5e-4)


def test_more_real_visits_are_named_with_the_counts_than_without(people):
    game = Game(people, parse("raw"), 2018, quick=True)
    table = illustrations.named_visits(game)
    errors = localization.max_roi(game).errors
    assert table.loc["prior", "error"] == pytest.approx(errors["without the counts"].mean())
    assert table.loc["MAX_ROI", "error"] == pytest.approx(errors["with the counts"].mean())
    assert table["visits named"].is_monotonic_increasing
    assert table["visits named"].iloc[0] == 0


def test_the_movable_figure_opens_at_full_size_and_marks_what_was_not_run():
    rows = experiments.audit_releases.stored("flights-by-number")
    full = explorer.points(rows, explorer.DATA, list(explorer.RISKS.values())[-1])
    assert any(None in points for points in full)
    assert all(points[experiments.RELEASES.index("fpa-epsilon-1")] is None for points in full)


def test_more_releases_fail_if_more_knowledge_is_plausible():
    rows = experiments.audit_releases.stored("flights-by-number")
    failing = verdict_rules.failing_releases(rows)
    assert verdict_rules.failing_releases(rows, also_plausible=["crowd"]) == failing
    assert verdict_rules.failing_releases(rows, also_plausible=["everybody else"]) > failing


def test_thresholds_that_are_used_change_no_verdict():
    data = ["flights-by-number", "cabspotting"]
    rows = pd.concat([experiments.audit_releases.stored(each) for each in data])
    lines = illustrations.changed_verdicts(rows, [0.1]).splitlines()
    assert lines[0] == "10% identified, lower end: 0 of 22 change"


def test_lower_thresholds_of_the_auc_fail_more_releases_and_none_fails_fewer():
    rows = experiments.audit_releases.stored()
    found = illustrations.failing_by_auc(rows, (0.7, 0.75, 0.85))
    assert found["releases that fail"].is_monotonic_decreasing
    assert found.loc["0.75", ["also", "no longer"]].tolist() == ["", ""]
    assert "D: rounded to 5, flights-by-number" in found.loc["0.70", "also"]
    assert "F: event-level noise, flights-by-number" in found.loc["AUC not used", "no longer"]

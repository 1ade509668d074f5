"""Threshold attacks: units, pairing, gaps, claims and the explorer."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from lib.membership import score_distributions
from lib.papers import summaries, verdicts
from lib.papers.threshold_attacks import (
    experiments,
    explorer,
    figures,
    network_experiments,
    threshold_choice,
)

OTHER_PROCESSOR = 1e-3  # by how much a network may differ that is trained again with the same seed
SMALL = {"n_shadows": [200], "n_test": 1000, "classifier_runs": 1, "max_epochs": 1}


@pytest.fixture(scope="module")
def flights():
    """Flights have fewer cells than the chapter's middle."""
    return experiments.load_scenario(
        "flights-by-number", runs=2, n_positive=(5, 20), classifier_positive=(7,)
    )


@pytest.fixture(scope="module")
def games(flights):
    scenes = {
        experiments.INFORMED: replace(flights, data=experiments.INFORMED),
        flights.data: flights,
    }
    return experiments.games(scenes, **SMALL)


@pytest.mark.slow
def test_a_unit_alone_is_the_same_as_among_others(flights, games):
    data, unit = flights.data, ("Gaussian", 1)
    alone = experiments.games({data: flights}, units={data: [unit]}, **SMALL)
    among = experiments.select(games, data=data, noise=unit[0], run=unit[1])
    pd.testing.assert_frame_equal(alone, among.reset_index(drop=True), check_exact=True)


def test_one_dataset_is_enough_and_networks_have_the_cells_they_were_asked_for(flights, games):
    assert flights.middle in flights.cells() and {5, 7, 20} <= set(flights.cells())
    networks = games[games["attack"] == "network"]
    assert set(networks["cells"]) == {7, flights.middle} and set(networks["run"]) == {0}


def test_the_gap_is_its_steps_and_its_steps_are_paired_by_run(flights):
    scenes = {
        experiments.INFORMED: replace(flights, data=experiments.INFORMED),
        flights.data: flights,
    }
    rows = experiments.correlated(
        scenes, n_test=1000, n_shadows=400, n_networks=[400], max_epochs=1
    )
    limits = experiments.limits(scenes)
    gap = experiments.gap(rows, limits)
    assert list(gap.loc[flights.data].index) == list(experiments.STEPS)
    for data, steps in gap.groupby(level="data", sort=False):
        reached = experiments.select(rows, data=data, attack="network")["accuracy"].mean()
        assert steps["mean"].sum() == pytest.approx(limits[data]["DP bound"] - reached)
        assert (steps["n"] == 2).all()
    table = figures.gap_table(gap, experiments.best_minus_network(rows))
    assert list(table.index[:-1]) == list(experiments.STEPS) and table.iloc[1, 0] == ""
    assert table.iloc[0].str.endswith("exact").all()


def test_a_mistaken_crowd_and_correlated_cells_are_told_apart(flights):
    rows = experiments.compare_populations(replace(flights, runs=1), n=1000)
    found = rows.pivot_table(index="what", columns="crowd", values="value")["true"]
    assert set(rows["run"]) == {0, 1}
    assert found["lost to correlation"] == pytest.approx(
        found["ratio, cells shuffled"] - found["ratio, as released"]
    )
    assert found["ratio, best threshold"] >= found["ratio, as released"]
    assert found["ratio, cells shuffled"] > found["ratio, best threshold"]
    assert figures.crowds_table(rows).shape == (7, 3)


def test_the_visits_of_both_halves_belong_to_the_cells_of_one_game(flights):
    released, auxiliary = threshold_choice.visits_of_halves(flights)
    assert (auxiliary == experiments.one_game(flights, 2)[2]).all()
    assert released.shape[1] == auxiliary.shape[1] == flights.middle
    assert not np.array_equal(released, auxiliary)
    assert len(released) == len(auxiliary) == (flights.traces.n_users - 1) // 2


def test_no_threshold_is_more_accurate_than_the_best_one(flights):
    rows = threshold_choice.compare_thresholds(replace(flights, runs=1), n=500)
    wide = rows.pivot(index=["run", "attack"], columns="threshold", values="accuracy")
    assert (wide["best"] >= wide[["own", "shadows"]].max(axis=1)).all()
    assert figures.thresholds_in_words(rows).shape == (5, 4)


def test_two_thresholds_gain_where_cells_differ(flights):
    rows = threshold_choice.compare_cells(replace(flights, n_middle=20), n=1000)
    lead = (rows["two"] - rows["one"]).groupby([rows["cells"], rows["run"]]).mean().unstack("cells")
    assert (lead["different, independent"] > lead["alike, independent"]).all()
    assert rows.groupby("cells").size().eq(2).all() and len(lead.columns) == 3


def test_where_nobody_is_unknown_both_ratios_are_one(flights):
    informed = {experiments.INFORMED: replace(flights, data=experiments.INFORMED)}
    rows = experiments.correlated(informed, n_test=1000, n_shadows=400, n_networks=[])
    wide = rows.pivot(index="run", columns="attack", values="AUC")
    np.testing.assert_allclose(wide["correlated ratio"], wide["likelihood ratio"])


def test_the_correlated_ratio_judges_the_aggregates_of_the_papers_games(flights, games):
    rows = experiments.correlated(
        {flights.data: flights}, n_test=1000, n_shadows=200, n_networks=[]
    )
    rules = ["one-threshold", "two-threshold", "likelihood ratio"]
    both = [
        each[each["attack"].isin(rules)].set_index(["run", "attack"])["AUC"].sort_index()
        for each in (
            rows,
            experiments.select(games, data=flights.data, noise="Laplace", cells=flights.middle),
        )
    ]
    np.testing.assert_allclose(*both)


def test_kept_rows_show_it_ahead_of_the_independent_ratio_and_of_networks():
    rows = experiments.name_networks(experiments.correlated.stored("flights-by-number"))
    for rival in experiments.RIVALS:
        both = rows[rows["attack"].isin([experiments.CORRELATED, rival])]
        apart = summaries.differences(
            both, ["data"], "AUC", ["run"], "attack", experiments.CORRELATED, rival
        )
        assert apart["95% low"].item() > 0


@pytest.mark.parametrize(("wanted", "middle"), [(60, 50), (50, 50), (12, 12)])
def test_the_middle_is_what_was_asked_for_or_the_tens_that_all_targets_have(
    flights, wanted, middle
):
    found = replace(flights, n_middle=wanted, runs=10, n_positive=experiments.CELLS)
    assert found.middle == middle and middle in found.cells()


def test_only_the_reference_attack_decides_nothing_and_rocs_are_the_middles(flights, games):
    undecided = games[games["accuracy"].isna()]
    assert set(undecided["attack"]) == {"reference"} and games["AUC"].notna().all()
    assert set(games.loc[games["TPR 0.1"].notna(), "cells"]) == {flights.middle}


def test_one_cell_is_the_same_for_every_rule_and_misses_by_the_cells_error_rate():
    row = experiments.exact(["analytic"], cells=[1]).set_index("noise").loc["Laplace"]
    missed = score_distributions.error_rates(
        experiments.mechanism("Laplace", 0.5), [score_distributions.NO_OTHERS]
    )[0][0]
    np.testing.assert_allclose(row[["one", "two", "ratio"]].astype(float), 1 - missed, atol=1e-8)
    assert row["best threshold"] == 0.5


def test_learning_units_share_the_test_and_not_the_training():
    given = {"n_test": 400, "runs": 1, "max_epochs": 1, "cells": 5}
    both = experiments.learning(["simulated"], sizes=[200, 300], **given)
    alone = experiments.learning(["simulated"], sizes=[300], **given)
    pd.testing.assert_frame_equal(
        experiments.select(both, shadows=300).reset_index(drop=True), alone, check_exact=True
    )


def test_every_claim_of_the_paper_is_judged_from_kept_rows():
    table = verdicts.judged("threshold")
    assert len(table) == 56 and table["cell"].str.startswith("threshold-replicated-").all()
    assert (table.loc[table["verdict"] == "differs", "reason"] != "").all()


def test_the_figure_that_readers_move_holds_exact_accuracies_and_asks_nobody():
    text = explorer.FILE.read_text(encoding="utf-8")
    given = json.loads(re.search(r"const given = (.*);\n", text).group(1))
    assert given["cells"] == list(explorer.CELLS)
    assert len(given["grid"]) == len(explorer.EPSILONS)
    for i, epsilon in ((0, 0.1), (4, 0.5)):
        for noise, again in enumerate(explorer.accuracies(epsilon, [5, 60]).values()):
            for name, line in again.items():
                shown = [given["grid"][i][noise][name][given["cells"].index(n)] for n in (5, 60)]
                assert shown == pytest.approx(line, abs=2e-4), (epsilon, noise, name)
    shown = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]|src=|@import|url\(", shown)
    again = explorer.page([0.5], [5, 60])
    script = re.sub(r"const (given|places) = .*;\n", "", text).split("<script>")[1]
    assert script == re.sub(r"const (given|places) = .*;\n", "", again).split("<script>")[1]


def test_the_first_of_several_networks_is_the_one_whose_weights_are_drawn():
    several = network_experiments.weight_runs.stored("noise only")
    keys = ["shadows", "hidden nodes"]
    first = several[several["run"] == 0].set_index(keys).sort_index()
    one = experiments.weights.stored("noise only").set_index(keys).sort_index()
    columns = ["concentration", "alignment", "accuracy", "agrees with one", "agrees with two"]
    np.testing.assert_allclose(first[columns], one[columns], atol=OTHER_PROCESSOR)
    counts = several.groupby(keys)["run"].nunique()
    assert counts.loc[2000].eq(10).all() and counts.loc[200_000].eq(3).all()

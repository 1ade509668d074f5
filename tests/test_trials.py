from itertools import count

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from lib import FINISHED_VARIABLE
from lib.membership import game, trials
from lib.membership.knock_knock import RidgeLogistic, best, permuted_best, play
from lib.membership.trials import attack, over_targets, trial_rng

LIBLINEAR = 1e-5  # relative: how close liblinear comes to the optimum at tol=1e-10 on small data


def task(seed=0):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(2.0, (30, 4, 8))
    members = np.tile([1, 0], 15)
    counts[members == 1, 0] += 2
    return game.Task(0, 9, counts[:20], members[:20], np.arange(20), counts[20:], members[20:], 30)


def draws(target):
    return [{"target": target, "draw": trial_rng(5, target, k).random()} for k in range(3)]


def test_rows_do_not_depend_on_processes_and_keep_the_targets_order():
    alone = over_targets(draws, [4, 1, 3], "test")
    together = over_targets(draws, np.array([4, 1, 3]), "test", processes=2)
    pd.testing.assert_frame_equal(alone, together)
    assert alone["target"].tolist() == [4] * 3 + [1] * 3 + [3] * 3
    by_hand = np.random.default_rng(np.random.SeedSequence(5, spawn_key=(1, 2))).random()
    assert alone["draw"].iloc[5] == by_hand
    assert alone["draw"].nunique() == 9
    with pytest.raises(ValueError, match="processes is 0"):
        over_targets(draws, [1], "test", processes=0)


def test_a_stopped_run_goes_on_where_it_was(tmp_path, monkeypatch):
    played = []

    def rows_of(target):
        if target in stops:
            raise KeyboardInterrupt
        played.append(target)
        return draws(target)

    whole = over_targets(draws, [4, 1, 3], "test")
    monkeypatch.setenv(FINISHED_VARIABLE, str(tmp_path))
    stops = {1}
    for _ in range(2):
        monkeypatch.setattr(trials, "_call", count())
        try:
            resumed = over_targets(rows_of, [4, 1, 3], "test")
            second = over_targets(rows_of, [4], "test")  # another call: its rows are its own
        except KeyboardInterrupt:
            assert [file.name for file in tmp_path.rglob("*.json")] == ["4.json"]
            stops.clear()
    assert played == [4, 1, 3, 4]
    pd.testing.assert_frame_equal(resumed, whole)
    assert len(second) == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["000-test", "001-test"]
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and file.suffix != ".json"]


def test_an_attack_has_a_row_a_classifier_and_best_with_its_floor():
    rows = {r["classifier"]: r["AUC"] for r in attack(task(), trial_rng(1, 0), ["LR", "kNN"])}
    assert list(rows) == ["LR", "kNN", "BEST", "BEST, labels shuffled"]
    assert rows["BEST"] == max(rows["LR"], rows["kNN"])
    rng = trial_rng(1, 0)
    scores = play(task(), rng, ["LR", "kNN"])
    assert best(task().test_members, scores)[1] == rows["BEST"]
    floor = permuted_best(task().test_members, scores, rng, 200).mean()
    assert floor == rows["BEST, labels shuffled"]
    assert [r["classifier"] for r in attack(task(), trial_rng(1, 0), ["LR"])] == ["LR"]


def test_logistic_regression_is_liblinears_at_its_optimum():
    rng = np.random.default_rng(2)
    features = rng.poisson(3.0, (40, 12)).astype(float)
    members = (features[:, 0] + rng.normal(size=40) > 3).astype(int)
    ours = RidgeLogistic().fit(features, members)
    theirs = LogisticRegression(solver="liblinear", tol=1e-10, max_iter=10_000)
    theirs.fit(features, members)
    expected = theirs.decision_function(features)
    scale = np.abs(expected).max()
    assert np.abs(ours.decision_function(features) - expected).max() < LIBLINEAR * scale
    assert np.array_equal(ours.predict(features), theirs.predict(features))
    unpenalised = LogisticRegression(solver="lbfgs", tol=1e-10, max_iter=10_000)
    other = unpenalised.fit(features, members).decision_function(features)
    assert np.abs(other - expected).max() > LIBLINEAR * scale  # it penalises no intercept

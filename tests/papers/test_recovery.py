"""Recovering everybody from counts: the made-up people, and the attack against a search by hand."""

import itertools

import numpy as np
import pytest

from lib import audit
from lib.audit import trajectories
from lib.audit.games import Game
from lib.audit.trajectories import assignment
from lib.papers.audit import recovery_experiments as recovery


def paths(traces):
    """The zone of each person in each hour."""
    dense = traces.matrix.toarray().reshape(traces.n_users, traces.n_rois, traces.n_epochs)
    assert (dense.sum(axis=1) == 1).all()  # always somewhere, and in one place
    return dense.argmax(axis=1)


def test_walkers_are_at_home_by_night_and_at_work_by_day():
    found = paths(recovery.walkers(60, 25, np.random.default_rng(0)))
    days = found.reshape(60, 14, 24)
    home = days[:, :, 3]
    assert (home == home[:, :1]).all()
    noon = days[:, [0, 1, 2, 3, 4, 7, 8, 9, 10, 11], 12]
    assert (noon == noon[:, :1]).all()
    assert (days[:, [5, 6, 12, 13], 12] == home[:, [5, 6, 12, 13]]).all()  # week-ends
    away = (days[:, :, 19] != home).mean()
    assert 0.03 < away < 0.12  # a tenth of the evenings, of which one in nine ends at home
    side = 5
    row, column = np.divmod(days, side)
    stroll = (days != home[:, :, None]) & (days != noon[:, :1, None])
    at_home = np.broadcast_to(home[:, :, None], days.shape)
    assert (np.abs(row - at_home // side)[stroll] <= 1).all()
    assert (column == at_home % side)[stroll].all()


def test_zones_must_be_a_square():
    with pytest.raises(ValueError, match="n_zones is 24; a square number"):
        recovery.walkers(3, 24, np.random.default_rng(0))


def test_matching_is_the_best_of_all_permutations():
    traces = recovery.walkers(1200, 4, np.random.default_rng(3)).select(epochs=np.arange(48))
    traces = traces.select(users=traces.users[:50])
    game = Game(traces, audit.parse("raw"), 1, True)
    found = assignment(game)
    rng = game.rng("assignment")
    n_people = len(game.pool) // 2
    inside = np.sort(rng.permutation(game.pool)[:n_people])
    slots = trajectories._slots(game, inside, 48, rng)
    tracks = trajectories._tracks(game, slots, rng)
    truth = paths(traces)[inside]
    few = 6  # of the people: all 720 matchings of six rows with six tracks
    same = (truth[:few, None] == tracks[None, :few]).mean(axis=2)
    by_hand = max(same[range(few), list(p)].sum() for p in itertools.permutations(range(few)))
    shares = trajectories._matched(truth[:few].astype(np.int32), tracks[:few], game)
    assert shares.sum() == pytest.approx(by_hand)
    assert found.attack.shape == (n_people,)


def test_rows_are_means_of_the_attack_and_its_controls():
    people = {"few": recovery.walkers(120, 16, np.random.default_rng(1))}
    raw, noisy = recovery.recovery.function(people, "few", seed=5)
    found = assignment(Game(people["few"], audit.parse("raw"), 5, True))
    assert raw["recovered"] == found.attack.mean()
    assert raw["above chance"] == pytest.approx(raw["recovered"] - raw["chance"])
    assert raw["above control"] == pytest.approx(raw["recovered"] - raw["control"])
    assert raw["control"] == found.control.mean() and raw["people"] == len(found.attack)
    assert raw["recovered"] > 0.5 > raw["chance"]  # the positive control
    assert noisy["recovered"] < raw["recovered"]

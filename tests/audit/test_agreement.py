"""Quick and full audits agree, and audits at the full size agree with a simulation of their own."""

import numpy as np
import pandas as pd
import pytest

from lib import audit
from lib.audit import membership
from lib.audit.attacks import ATTACKS, evaluate
from lib.audit.games import Game
from lib.audit.measures import aucs
from lib.traces import Traces
from tests.audit.test_audit import commuters

COMPARED = ("sum-of-cells", "two-threshold", "likelihood-ratio-others", "likelihood-ratio-crowd")
NAMES = ("AUC", "TPR at 1.0% FPR", "AUC, full size")


def riders(n_users, n_stations, seed, n_days=7):
    """Like bicycle riders: popular stations, rush hours, and most people have few rides."""
    rng = np.random.default_rng(seed)
    rides = np.minimum(1 + rng.negative_binomial(0.6, 0.08, n_users), 60)
    user = np.repeat(np.arange(n_users), rides)
    popular = rng.dirichlet(np.full(n_stations, 0.6))
    own = rng.choice(n_stations, (n_users, 3), p=popular)
    roi = np.where(
        rng.random(len(user)) < 0.7,
        own[user, rng.integers(0, 3, len(user))],
        rng.choice(n_stations, len(user), p=popular),
    )
    hours = np.exp(-0.5 * ((np.arange(24)[:, None] - [8, 18]) / 2) ** 2).sum(axis=1) + 0.1
    hour = rng.choice(24, len(user), p=hours / hours.sum())
    epoch = 24 * rng.integers(0, n_days, len(user)) + hour
    rois = pd.DataFrame(
        {"lat": 40.7 + 0.01 * rng.random(n_stations), "lon": rng.random(n_stations)}
    )
    epochs = pd.date_range("2024-01-01", periods=24 * n_days, freq="1h", tz="UTC")
    return Traces.from_codes(user, roi, epoch, range(n_users), rois, epochs)


CASES = [
    (preset, seed, kind)
    for seed, (preset, kind) in enumerate(
        [
            ("raw", "commuters"),
            ("mds-k10", "riders"),
            ("round-5", "commuters"),
            ("suppress-10-round-5", "riders"),
            ("event-epsilon-1", "commuters"),
            ("user-day-epsilon-1", "riders"),
            ("user-epsilon-1", "commuters"),
            ("gaussian-user-epsilon-1", "riders"),
            ("flowkit-15", "commuters"),
            ("raw", "riders"),
        ]
    )
]


@pytest.mark.slow
def test_intervals_of_quick_and_full_audits_are_compatible():
    """All intervals of an audit hold together with 95%, so ten pairs hardly contain a gap."""
    apart, compared = [], 0
    for preset, seed, kind in CASES:
        make = commuters if kind == "commuters" else lambda n_users, seed: riders(n_users, 12, seed)
        traces = make(n_users=300, seed=seed)
        found = {}
        for quick in (True, False):
            game = Game(traces, audit.parse(preset), seed, quick)
            for attack in ATTACKS:
                if attack.id in COMPARED:
                    found[quick, attack.id] = evaluate(attack, game)["measures"]
        for attack in COMPARED:
            for name in NAMES:
                one, other = (found[quick, attack].get(name) for quick in (True, False))
                if one is None or one["low"] is None or other["low"] is None:
                    continue
                compared += 1
                if one["low"] > other["high"] or other["low"] > one["high"]:
                    apart.append((preset, attack, name, one, other))
    assert compared > 80
    assert not apart


def simulated_auc(traces, game, people, threshold):
    """AUC of the sum at the real size, written again without the audit's games.

    Each person is left out of the release or counted, the counts below the threshold become 0, and
    the sum over the person's cells is compared with those of all others. Each person's sums are
    standardised by crowds of the reference people.
    """
    rng = np.random.default_rng(5)
    counted = np.setdiff1d(np.arange(traces.n_users), game.reference)
    full = np.asarray(traces.matrix[counted].sum(axis=0)).ravel()
    reference = np.array(
        [
            np.asarray(
                traces.matrix[rng.choice(game.reference, len(counted) - 1)].sum(axis=0)
            ).ravel()
            for _ in range(100)
        ]
    )
    reference[reference < threshold] = 0
    out, within = [], []
    for person in people:
        cells = traces.matrix[[person]].indices
        usual = reference[:, cells].sum(axis=1)
        scale = usual.std() or 1.0
        for scores, own in ((out, 1), (within, 0)):
            counts = full[cells] - own
            total = np.where(counts < threshold, 0, counts).sum()
            scores.append((total - usual.mean()) / scale)
    higher = np.subtract.outer(within, out)
    return (higher > 0).mean() + (higher == 0).mean() / 2


@pytest.mark.parametrize("seed", [0, 1])
def test_riders_under_mds_k10_are_found_as_in_a_simulation_at_the_real_size(seed):
    traces = riders(1500, 8, seed)
    game = Game(traces, audit.parse("mds-k10"), seed, quick=True)
    full = game.full_counts
    shown = full[full >= 10].sum() / full.sum()
    assert 0.02 < shown < 0.9  # some counts are hidden, and some are not
    (attack,) = (each for each in ATTACKS if each.id == "sum-of-cells")
    found = evaluate(attack, game)["measures"]["AUC, full size"]
    expected = simulated_auc(traces, game, game.targets, 10)
    assert found["value"] == pytest.approx(expected, abs=0.005)
    assert found["low"] <= expected <= found["high"]
    games = evaluate(attack, game)["measures"]["AUC"]["value"]
    assert (
        abs(games - expected) > 0.02
    )  # the size matters: in games of half the people it is another


def test_games_of_half_the_people_do_not_show_the_real_size():
    """Where more counts reach the threshold, a person is better seen in the whole release."""
    traces = riders(1500, 8, 0)
    game = Game(traces, audit.parse("mds-k10"), 0, quick=True)
    hidden = [(counts < 10)[counts > 0].mean() for counts in (game.test.raw, game.full_counts)]
    assert hidden[0] > hidden[1]
    scores = membership.sum_of_cells(game, game.targets)
    assert np.nanmean(aucs(scores.test, game.test.members[game.targets])) > 0.5

"""Kept results of the larger run on reconstruction loss: some again, from seed and settings."""

import numpy as np
import pandas as pd
import pytest
import yaml

from lib import execution
from lib import reconstruction as rec
from lib.membership.trials import trial_rng

KEPT = execution.PAPER / "fano"
VALUES = yaml.safe_load((KEPT / "parameters.yml").read_text())
SAME = 1e-9


def kept(name, n_labels=2):
    return pd.read_csv(KEPT / "tables" / f"{name}.csv", index_col=list(range(n_labels)))


@pytest.mark.parametrize("n_locations", [10, 20])
def test_settings_of_the_sweep_are_the_same_again(n_locations):
    n, s = VALUES["n_epochs"], VALUES["allowed_errors"]
    rng = trial_rng(VALUES["seed"], 1, n_locations, n)
    sensors = rng.integers(0, n_locations, (VALUES["n_sequences"], n))
    chain = rec.distance_chain(n_locations, VALUES["tau"])
    row = kept("sweeps").loc[("M", n_locations)]
    assert rec.tight_bound(chain, sensors, s).mean() == pytest.approx(row["tight"], abs=SAME)
    assert rec.loose_bound(chain, sensors, s).mean() == pytest.approx(row["loose"], abs=SAME)
    moments = np.mean([rec.moment_bound(chain, each, s) for each in sensors])
    assert moments == pytest.approx(row["moments"], abs=SAME)
    prior = rec.exact_loss(chain, sensors[0], s, "prior")
    assert prior == pytest.approx(row["prior"], abs=SAME)


def test_the_kept_bounds_are_above_the_kept_attacks():
    sweeps = kept("sweeps")
    attacks = sweeps[["MAP", "marginal", "prior", "constant"]].max(axis=1)
    for bound in ("loose", "tight", "tight, exact I and KL", "moments"):
        assert (sweeps[bound] >= attacks - SAME).all(), bound


def test_the_kept_check_ins_have_the_papers_steps_where_the_cut_allows():
    prepared = kept("prepared", 1)
    assert prepared.loc["foursquare", "time steps"] == 27
    assert (prepared["fewest active steps"] >= VALUES["min_active"]).all()

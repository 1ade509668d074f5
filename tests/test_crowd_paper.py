"""Kept results of the larger run on aggregation privacy: a random handful again."""

import numpy as np
import pandas as pd
import pytest
import yaml

from lib import execution
from lib import localization as loc
from lib.datasets import load
from tests.data import FOLDER, needed

KEPT = execution.PAPER / "crowd"
VALUES = yaml.safe_load((KEPT / "parameters.yml").read_text())
FILE = "cabspottingdata.tar.xz"
STRATEGIES = {"BAYES": loc.bayes, "MAX_ROI": loc.max_roi, "MAX_USER": loc.max_user}
NAMES = [
    "flights-by-number",
    "flights-by-tail",
    pytest.param("cabspotting", marks=needed(FILE)),
]
SAME = 1e-9


def kept(table, name, strategy):
    frame = pd.read_csv(KEPT / "tables" / f"{table}.csv", index_col=[0, 1])
    return frame.loc[(name, strategy), "error"]


@pytest.mark.parametrize("name", NAMES)
def test_errors_of_a_prior_and_a_strategy_are_the_same_again(name):
    rng = np.random.default_rng()
    kind = rng.choice(["FREQ_ROI", "ROI_DAY_WEEK", "TIME_DAY_WEEK"])
    strategy = rng.choice(list(STRATEGIES))
    traces = load(name, **({"path": FOLDER / FILE} if name == "cabspotting" else {})).with_null()
    truth = loc.inferred(traces, VALUES["inference"])
    counts = truth.matrix.sum(axis=0).reshape(truth.n_rois, truth.n_epochs)
    known = loc.prior(traces, kind, VALUES["inference"])
    belief = STRATEGIES[strategy](known, counts)
    profiling = loc.profiling_error(belief, truth).mean()
    said = f"{name}, {kind}, {strategy}"
    assert profiling == pytest.approx(kept(f"profiling-{kind}", name, strategy), abs=SAME), said
    predicted = loc.popular(belief, VALUES["delta"]) if strategy == "BAYES" else belief
    strategy = "BAYES+POP" if strategy == "BAYES" else strategy
    localization = loc.localization_error(predicted, truth).mean()
    assert localization == pytest.approx(kept(f"localization-{kind}", name, strategy), abs=SAME), (
        said
    )

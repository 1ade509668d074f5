"""The quickest unit of each family of experiments; `make test-experiments` takes them all."""

import pytest

from lib import datasets
from lib.execution import results
from lib.papers import experiments as core

ABOUT = 1.0  # seconds that a unit took when it was stored: the longest below, or else the shortest
LONG = 10.0  # seconds from which on a family's quickest unit is left to `make test-experiments`


def _quick():
    """Module of experiments -> seconds, experiment and data of one such unit that needs no file."""
    needed = datasets.available()["file needed"]
    found = {}
    for name, each in core.all_experiments().items():
        for data in each.at_paper:
            if needed.get(data, "none") == "none":
                facts = results.provenance(name, data)
                seconds = facts["seconds"] / max(facts["units"], 1)
                distance = seconds - ABOUT if seconds > ABOUT else (ABOUT - seconds) / 1e6
                family = each.function.__module__.removeprefix("lib.papers.")
                this = distance, seconds, name, data
                found[family] = min(found.get(family, (1e9, 0.0, "", "")), this)
    return {family: rest for family, (_, *rest) in sorted(found.items())}


QUICK = _quick()
CASES = [
    pytest.param(name, data, id=family, marks=[pytest.mark.slow] if seconds > LONG else [])
    for family, (seconds, name, data) in QUICK.items()
]


@pytest.mark.parametrize(("name", "data"), CASES)
def test_a_unit_gives_its_stored_results_again(name, data):
    each = core.all_experiments()[name]
    units = each.stored_units(data)
    unit = units[len(units) // 2]
    assert each.contradictions(data, unit) == [], (name, data, unit)


def test_every_family_has_such_a_unit():
    modules = {
        each.function.__module__ for each in core.all_experiments().values() if each.at_paper
    }
    families = {module.removeprefix("lib.papers.") for module in modules}
    alone = {  # their data are the cabs' and the riders' files alone
        "knock_knock.interpretation_experiments",
        "knock_knock.noise_interpretations",
        "aggregation_privacy.defense_experiments",
        "riders.trip_experiments",
    }
    assert families - set(QUICK) == alone

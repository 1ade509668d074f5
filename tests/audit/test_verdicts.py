"""Both sides of a verdict: what attackers achieve, and what is guaranteed whatever they know."""

import math

import numpy as np
import pytest
from scipy import stats

from lib import audit
from lib.audit import verdicts
from lib.audit.epsilon import person_epsilon
from lib.audit.releases import Plan, Shape

SHAPE = Shape(20, 672, 24)
NOTHING = {"person": {"epsilon": None}, "delta": None, "exceeded": False}


def declared(epsilon, delta=0.0, exceeded=False):
    worst = {"attack": "neighbours", "lower": 2.0, "comparable": True, "declared": epsilon}
    found = {"declared": epsilon, "delta": delta, "unit": "a person", "exceeded": exceeded}
    return found | {"person": {"epsilon": epsilon}, "empirical": [worst]}


def attack(severity="none", share=0.02, realistic=True, at_chance=True, name="TPR at 1.0% FPR"):
    measure = {"value": share, "low": share / 2, "high": 2 * share, "baseline": 0.01}
    return {
        "id": name,
        "name": "an attack",
        "status": "tested",
        "severity": severity,
        "realistic": realistic,
        "knowledge_words": "something",
        "control": {"at_chance": at_chance},
        "measures": {name: measure},
        "statement": "it does something.",
    }


def test_nothing_found_and_nothing_guaranteed_is_worse_than_a_guarantee():
    nothing, _ = verdicts.verdict([attack()], NOTHING, True)
    person, reasons = verdicts.verdict([attack()], declared(1.0), True)
    assert (nothing, person) == ("none-succeeded", "guaranteed")
    order = verdicts.VERDICTS.index
    assert order("fail") < order("review") < order(nothing) < order(person)
    assert "no attacker identifies more than 2.7 of 100 members" in reasons[0]


@pytest.mark.parametrize(
    "epsilon", [declared(10.3), declared(1.0, 1e-3), declared(71_904.0), NOTHING]
)
def test_a_large_epsilon_or_delta_is_no_guarantee(epsilon):
    assert verdicts.verdict([attack()], epsilon, True)[0] == "none-succeeded"
    assert verdicts.verdict([attack("review")], epsilon, True)[0] == "review"


def test_a_guarantee_stands_whatever_an_attack_seems_to_gain_but_not_against_a_failure():
    assert verdicts.verdict([attack("review")], declared(0.5), True)[0] == "guaranteed"
    assert verdicts.verdict([attack("fail")], declared(0.5), True)[0] == "fail"
    assert verdicts.verdict([attack()], declared(0.5, exceeded=True), True)[0] == "fail"
    assert verdicts.verdict([attack()], declared(0.5), False)[0] == "review"


def test_the_assessment_tells_plausible_attackers_from_the_worst_case():
    owner = attack(share=0.9, realistic=False)
    blind = attack(share=0.8, at_chance=False)
    full = attack(share=0.4, name="TPR at 1.0% FPR, full size")
    found = verdicts.assess([attack(), owner, blind, full], NOTHING)
    assert found["plausible"]["value"] == 0.4
    assert found["plausible"]["measure"].endswith("full size")
    assert found["worst"]["value"] == 0.9
    assert not found["guarantee"]["holds"]
    assert verdicts.assess([], NOTHING)["plausible"] is None


def test_base_rates_are_those_of_a_simulated_search():
    found = verdicts.assess([attack(share=0.4)], NOTHING)["base_rates"]
    rng = np.random.default_rng(0)
    for each in found:
        member = rng.random(2_000_000) < each["prior"]
        flagged = rng.random(len(member)) < np.where(member, 0.4, 0.01)
        assert each["never_counted"] == pytest.approx((~member[flagged]).mean(), abs=0.01)
    assert [each["prior"] for each in found] == [0.5, 0.1, 0.01]


GUARANTEES = {
    "raw": None,
    "mds-k10": None,
    "event-epsilon-1": 672 * 20.0,
    "user-day-epsilon-1": 28.0,
    "user-epsilon-1": 1.0,
    "gaussian-user-epsilon-1": 1.0,
    "fpa-epsilon-1": math.sqrt(20),
    "google-mobility": 0.44 * 28,
    "bassolas-2019": 0.66 * 672 * 20,
}


@pytest.mark.parametrize("name", GUARANTEES)
def test_what_a_person_is_guaranteed_over_the_whole_release(name):
    found = person_epsilon(Plan(audit.parse(name), SHAPE))["epsilon"]
    assert found == (None if GUARANTEES[name] is None else pytest.approx(GUARANTEES[name]))


def test_gaussian_noise_for_a_day_is_composed_exactly():
    given = {"mechanisms": [{"name": "user-day-level-gaussian", "epsilon": 1.0, "delta": 1e-5}]}
    plan = Plan(audit.parse(given), SHAPE)
    epsilon = person_epsilon(plan)["epsilon"]
    shift = math.sqrt(672) / plan.noise.scale  # standard deviations between neighbours
    delta = stats.norm.cdf(shift / 2 - epsilon / shift) - math.exp(epsilon) * stats.norm.cdf(
        -shift / 2 - epsilon / shift
    )
    assert delta == pytest.approx(1e-5, rel=1e-4)
    assert epsilon < 28  # of sequential composition

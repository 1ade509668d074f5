"""Tasks of an analyst and the attack beside them: against loops, and what must hold for any."""

import numpy as np
import pandas as pd
import pytest

from lib.audit import tasks
from lib.datasets import load
from lib.papers.audit import task_experiments, task_verdicts
from lib.papers.audit.task_experiments import DEFENSES, Releases
from lib.randomness import stream
from lib.traces import Traces
from tests.reference import tasks as reference

EPOCHS = pd.date_range("2018-01-01", periods=3 * 168, freq="h")


@pytest.fixture(scope="module")
def counts():
    """Counts of 20 zones with habits: busy by day, and busier zones."""
    rng = stream(1, "tasks")
    of_hour = 1 + np.sin((EPOCHS.hour - 6) / 24 * 2 * np.pi)
    phase = np.where(np.arange(20)[:, None] % 3 == 0, of_hour, 2 - of_hour)
    return rng.poisson(np.linspace(0.1, 12, 20)[:, None] * phase)


def test_true_counts_leave_every_task(counts):
    found = tasks.measure_tasks(counts, counts, EPOCHS)
    assert list(found) == list(tasks.TASKS)
    assert found == pytest.approx(dict.fromkeys(found, 1.0))


def test_zeros_leave_nothing(counts):
    found = tasks.measure_tasks(counts, 0 * counts, EPOCHS)
    assert max(found.values()) < 1e-9


def test_noise_without_counts_leaves_next_to_nothing(counts):
    draws = [stream(1, "noise", n).normal(size=counts.shape) for n in range(40)]
    found = pd.DataFrame([tasks.measure_tasks(counts, each, EPOCHS) for each in draws]).mean()
    assert found.abs().max() < 0.15


@pytest.mark.parametrize("n_top", [1, 2, 4])
def test_equal_values_are_ordered_at_random(n_top):
    rng = stream(1, "ties", n_top)
    for _ in range(5):
        raw, published = rng.integers(0, 3, (2, 5))
        found = tasks._common(raw, published, n_top)
        assert found == pytest.approx(reference.common_share(raw, published, n_top))


def test_forecast_is_that_of_loops(counts):
    few = counts[:3]
    published = few + stream(1, "forecast").laplace(size=few.shape)
    hour_of_week = np.asarray(EPOCHS.day_of_week * 24 + EPOCHS.hour)
    last = np.arange(len(EPOCHS)) >= 2 * 168
    skill = [
        reference.forecasting_skill(few, each, hour_of_week, last) for each in (few, published)
    ]
    found = tasks._forecasting(few.astype(float), published, hour_of_week, last)
    assert found == pytest.approx(skill[1] / skill[0])


def test_map_is_that_of_all_thresholds(counts):
    rng = stream(1, "map")
    raw, published = rng.integers(0, 3, (4, 10)), rng.integers(0, 5, (4, 10))
    f1 = [
        2
        * ((raw > 0) & (published >= least)).sum()
        / ((raw > 0).sum() + (published >= least).sum())
        for least in range(5)
    ]
    found = tasks._map_inference(raw, published)
    assert found == pytest.approx((max(f1) - f1[0]) / (1 - f1[0]))  # from 0 on: all


def test_a_task_that_true_counts_do_not_allow_has_no_value():
    sparse = np.zeros((20, len(EPOCHS)))
    sparse[np.arange(20), 25 * np.arange(20)] = 1  # nothing recurs
    found = tasks.measure_tasks(sparse, sparse, EPOCHS)
    assert np.isnan(found["forecasting"])


def test_an_unusual_day_is_found_only_if_it_is_published(counts):
    changed = counts.copy()
    changed[:, 24 * 9 : 24 * 10] *= 5
    hidden = np.where(np.arange(len(EPOCHS)) // 24 == 9, counts, changed)
    assert tasks.measure_tasks(changed, hidden, EPOCHS)["anomaly detection"] < 0.5


def test_shapes_and_short_periods_are_refused(counts):
    with pytest.raises(ValueError, match=r"true counts have shape \(20, 504\)"):
        tasks.measure_tasks(counts, counts[:, :7], EPOCHS)
    with pytest.raises(ValueError, match="two weeks"):
        tasks.measure_tasks(counts[:, :200], counts[:, :200], EPOCHS[:200])


@pytest.fixture(scope="module")
def week():
    """One week of commuters."""
    commuters = load("commuters")
    return commuters.select(users=commuters.users[:60], epochs=slice(0, 168))


def _releases(week: Traces, name: str, n: int, part: str) -> Releases:
    rng = stream(1, "tasks", part)
    return task_experiments._releases(week, DEFENSES[name], n, rng, rng)


@pytest.mark.parametrize("name", ["raw", "hours-6", "laplace-1"])
def test_attack_is_fishers_discriminant(week, name):
    training, test = (_releases(week, name, 40, part) for part in ("training", "test"))
    hours = DEFENSES[name].hours
    cells = sorted({cell // hours * hours for cell in week.matrix[[0]].indices})
    scores = reference.discriminant_scores(
        training.published[:, cells], training.members[0], test.published[:, cells]
    )
    found = task_experiments.attack_lead(week, 0, hours, training, test)
    assert found == pytest.approx(reference.lead(test.members[0], scores.round(9)), abs=1e-3)


def test_attack_uses_a_visit_where_nobody_else_is(week):
    alone = Traces.from_codes([0, 1], [0, 1], [0, 1], ["Ada", "Dan"], week.rois, week.epochs)
    training, test = (_releases(alone, "raw", 40, part) for part in ("training", "test"))
    assert task_experiments.attack_lead(alone, 0, 1, training, test) == 1


@pytest.mark.slow
def test_no_defense_helps_the_attack(week):
    lead = {}
    for name in DEFENSES:
        training, test = (_releases(week, name, 400, part) for part in ("training", "test"))
        hours = DEFENSES[name].hours
        each = [task_experiments.attack_lead(week, t, hours, training, test) for t in range(60)]
        lead[name] = np.mean(each)
    assert max(lead.values()) == lead["raw"]


def test_attack_finds_nobody_where_labels_say_nothing(week):
    training, test = (_releases(week, "raw", 400, part) for part in ("training", "test"))
    wrong = test._replace(members=np.roll(test.members, 1, axis=1))
    found = [task_experiments.attack_lead(week, t, 1, training, wrong) for t in range(60)]
    real = [task_experiments.attack_lead(week, t, 1, training, test) for t in range(60)]
    assert abs(np.mean(found)) < 0.05 < 0.3 < np.mean(real)


@pytest.mark.parametrize("name", [n for n, d in DEFENSES.items() if d.words.startswith("one")])
def test_longer_periods_keep_their_sums(name):
    counts = stream(1, "join").poisson(3.0, (2, 5, 168))
    found = DEFENSES[name].apply(counts, stream(1, "none"))
    days = [each.reshape(2, 5, 7, 24).sum(axis=-1) for each in (counts, found)]
    assert np.allclose(*days)


@pytest.mark.parametrize("name", [n for n, d in DEFENSES.items() if d.words.startswith("one")])
def test_longer_periods_keep_the_order_of_equal_daily_sums(name):
    counts = stream(1, "ties").poisson(0.7, (40, len(EPOCHS))).astype(float)  # many equal sums
    published = DEFENSES[name].apply(counts, stream(1, "none"))
    found = tasks.measure_tasks(counts, published, EPOCHS)
    assert found["hotspot ranking"] == pytest.approx(1)
    assert found["hotspot discovery"] == pytest.approx(1)


def test_sampling_is_without_bias():
    counts = np.full((1, 1, 20_000), 4)
    for name in ("sample-80", "sample-50", "sample-20"):
        found = DEFENSES[name].apply(counts, stream(1, name))
        assert found.mean() == pytest.approx(4, abs=6 * found.std() / 20_000**0.5)


def _rows(kept: dict[str, float], lead: dict[str, float]) -> pd.DataFrame:
    """Rows of one dataset and one task; leads vary a little from target to target."""
    rows = [
        {"data": "cabspotting", "defense": name, "measure": "forecasting", "number": n, "value": v}
        for name, v in kept.items()
        for n in range(2)
    ]
    return pd.DataFrame(
        rows
        + [
            {"defense": name, "measure": "attack", "number": n, "value": v + 0.01 * (n % 3)}
            | {"data": "cabspotting"}
            for name, v in lead.items()
            for n in range(30)
        ]
    )


def test_a_family_works_if_one_defense_protects_and_keeps():
    kept = {"raw": 1.0, "hours-3": 0.9, "hours-6": 0.85, "hours-24": 0.5, "suppress-5": 0.7}
    lead = {"raw": 0.8, "hours-3": 0.6, "hours-6": 0.3, "hours-24": 0.0, "suppress-5": 0.0}
    summary = task_verdicts.summarize(_rows(kept, lead))
    found = [
        task_verdicts.works(summary, family, "forecasting", "cabspotting")
        for family in ("generalization", "suppression")
    ]
    assert found == [("yes", "hours-6"), ("no", "")]
    table = task_verdicts.families_that_work(summary)
    assert table.loc["forecasting"].to_dict() == {
        "generalization": "cabspotting",
        "suppression": "none",
    }


def test_statements_are_judged_in_words():
    rows = _rows({"raw": 1.0, "hours-6": 0.85}, {"raw": 0.8, "hours-6": 0.3})
    summary = pd.concat(
        task_verdicts.summarize(
            pd.concat([rows, rows[rows["measure"] != "attack"].assign(measure=task)])
        ).assign(data=data)
        for data in task_experiments.DATA
        for task in [t for _, t, _ in task_verdicts.STATEMENTS if t != "forecasting"]
    ).drop_duplicates()
    nothing = summary[summary["defense"] == "hours-6"].assign(mean=0.0, decided="no")
    others = [
        nothing.assign(family=family, defense=name)
        for family, name in (("suppression", "suppress-5"), ("sampling", "sample-20"))
    ]
    table = task_verdicts.judged(pd.concat([summary, *others]))
    assert (table.loc["suppression"] == "no").all(axis=None)
    assert (
        table.loc[("generalization", "forecasting"), "valleybike"] == "yes: one count for 6 hours"
    )
    assert table.loc[("sampling", "anomaly detection")].tolist() == ["no", "", "no"]


def test_half_of_the_lead_does_not_decide():
    summary = task_verdicts.summarize(
        _rows({"raw": 1.0, "hours-6": 0.85}, {"raw": 0.8, "hours-6": 0.3})
    )
    noisy = _rows({"raw": 1.0, "hours-6": 0.85}, {"raw": 0.8, "hours-6": 0.4})
    rng, attack = stream(1, "lead"), noisy["measure"] == "attack"
    noisy.loc[attack, "value"] += rng.normal(0, 0.2, attack.sum())
    undecided = task_verdicts.summarize(noisy)
    find = task_verdicts.works
    assert find(undecided, "generalization", "forecasting", "cabspotting")[0] == "inconclusive"
    assert find(summary, "generalization", "forecasting", "cabspotting")[0] == "yes"

"""Every experiment's stored rows can be computed again; and how experiments are run, resumed and
spread."""

import pandas as pd
import pytest
import yaml

from lib import datasets
from lib.datasets import files
from lib.execution import fingerprints, results
from lib.papers import command
from lib.papers import experiments as core
from tests.datasets import (
    test_cabspotting,
    test_checkins,
    test_social_pulse,
    test_valleybike,
    test_yjmob,
)
from tests.seeds import SEED, generator

LONGEST = 12.0  # seconds of a unit that is drawn here; longer ones are rechecked by hand
KNOWN = core.all_experiments()


def _seconds(name, data):
    facts = results.provenance(name, data)
    return facts["seconds"] / max(facts["units"], 1)


def _drawn(name, seed=SEED):
    """One dataset of an experiment at random, among those whose units were quick to play; or
    None."""
    held = [data for data in KNOWN[name].at_paper if results.is_stored(name, data)]
    quick = [data for data in held if _seconds(name, data) < LONGEST]
    return generator("data of", name, seed=seed).choice(quick) if quick else None


def _alike(name):
    """Experiments that load the same one after another, with the usual seed: it is loaded once."""
    return str(getattr(KNOWN[name].load, "__module__", "")), str(_drawn(name, seed=0))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(KNOWN, key=_alike))
def test_stored_units_are_the_same_again(name):
    """One dataset and unit of every experiment."""
    data = _drawn(name)
    if data is None:
        pytest.skip(f"a unit of {name} takes longer than {LONGEST:.0f} s")
    each = KNOWN[name]
    unit = generator("unit of", name).choice(each.stored_units(data))
    try:
        found = each.contradictions(data, unit)
    except FileNotFoundError as error:
        pytest.skip(str(error))
    assert not found, f"seed {SEED}, {name} on {data}, unit {unit}: {found[:5]}"


def test_every_experiment_has_rows_of_all_its_data_with_their_provenance():
    for name, each in KNOWN.items():
        assert each.function.__doc__, name
        for data in each.at_paper:
            rows, facts = results.read(name, data), results.provenance(name, data)
            assert list(rows.columns[: 1 + len(each.unit)]) == ["data", *each.unit], name
            assert len(rows) == facts["rows"] and set(rows["data"]) <= {data}, name
            assert facts["setting"] == each.setting(each.at_paper[data]), (name, data)


def test_no_stored_results_are_out_of_date():
    said = {
        (name, data): core.status(each, data)
        for name, each in KNOWN.items()
        for data in each.at_paper
    }
    stale = {key: why for key, why in said.items() if why not in (core.FRESH, core.ABSENT)}
    assert not stale, f"`python -m lib experiments --recheck` or `python -m lib paper`: {stale}"


def test_no_experiment_depends_on_drawings():
    """Else a change of a figure would put its stored results out of date."""
    for name, each in KNOWN.items():
        for module in fingerprints.of(each.function):
            assert not module.endswith("figures"), f"{name} imports {module}"


def test_no_rows_are_kept_of_what_is_no_experiment():
    for folder in (each for each in results.RESULTS.iterdir() if each.is_dir()):
        assert folder.name in KNOWN, folder
        known = {data.replace(" ", "-") for data in KNOWN[folder.name].at_paper}
        assert {file.stem for file in folder.iterdir()} <= known, folder


def test_the_columns_of_every_experiment_are_declared_and_stored():
    declared = yaml.safe_load((results.RESULTS / "columns.yml").read_text())
    stored = {}
    for name, each in KNOWN.items():
        for data in each.at_paper:
            stored.setdefault(name, set()).update(results.read(name, data).columns[1:])
    assert {name: set(columns) for name, columns in declared.items()} == stored


def samples(folder):
    """A small file, or folder of files, of every dataset that needs one."""
    test_checkins.write(folder, "loc-gowalla_totalCheckins.txt", test_checkins.GOWALLA)
    test_checkins.write(folder, "dataset_TSMC2014_NYC.txt", test_checkins.TSMC)
    test_social_pulse.write(folder, test_social_pulse.two_months())
    cab = test_cabspotting.line(0, 37.75, -122.40)
    test_cabspotting.folder(folder, {"ab": [cab], "cd": []}, "cabspottingdata")
    head = "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0\n0\n"
    track = folder / "Geolife Trajectories 1.3" / "Data" / "000" / "Trajectory" / "1.plt"
    taxi = folder / "taxi_log_2008_by_id" / "1.txt"
    for file in (track, taxi):
        file.parent.mkdir(parents=True)
    track.write_text(head + "39.9,116.4,0,492,39744.12,2008-10-23,02:53:04\n")
    taxi.write_text("1,2008-02-02 15:36:08,116.41,39.92\n")
    (folder / "valleybike.csv").write_text(test_valleybike.TABLE)
    test_yjmob.write(folder)


def test_the_checksum_of_data_is_the_one_that_loading_reports(tmp_path, monkeypatch):
    """By the content of the files, which need not be parsed for it."""
    monkeypatch.setenv(files.DATA_VARIABLE, str(tmp_path))
    monkeypatch.setenv(files.CACHE_VARIABLE, str(tmp_path / "cache"))
    samples(tmp_path)
    now = core._checksum_of.__wrapped__
    needed = datasets.available()["file needed"] != "none"
    for data in [*needed[needed].index.drop("records"), "flights-by-number", "six-users"]:
        report = datasets.load(data).report
        checksum = now(data)
        assert checksum == ((report.checksum if report else None) or ""), data
        assert bool(checksum) == (data != "six-users")
    before, cab = now("cabspotting"), tmp_path / "cabspottingdata" / "new_ab.txt"
    cab.write_text(cab.read_text().replace("37.75", "37.76"))  # of the same size
    assert now("cabspotting") != before
    (tmp_path / "loc-gowalla_totalCheckins.txt").unlink()
    with pytest.raises(FileNotFoundError, match="this dataset needs"):
        now("gowalla")
    with pytest.raises(ValueError, match="no dataset 'cab'"):
        now("cab")


def test_a_difference_beyond_the_tolerance_is_found_and_no_smaller_one():
    stored = pd.DataFrame({"value": [0.5, 2000.0]})
    for factor, found in ((1 + 3e-5, 2), (1 + 1e-7, 0)):
        assert len(results.differences(stored, stored * factor, 1e-6)) == found


# -- how experiments are run -----------------------------------------------------------------------

QUICK = "foundations-sum-attack"
DATA = "flights-by-number"


@pytest.fixture
def quick():
    return KNOWN[QUICK]


def test_a_wrong_seed_is_caught(quick, monkeypatch):
    unit = quick.stored_units(DATA)[0]
    assert quick.contradictions(DATA, unit) == []
    before = results.provenance

    def other(experiment, data):
        facts = before(experiment, data)
        return facts | {"setting": facts["setting"] | {"seed": facts["setting"]["seed"] + 1}}

    monkeypatch.setattr(results, "provenance", other)
    assert quick.contradictions(DATA, unit)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Stored results and unfinished units in a folder of the test's own."""
    (tmp_path / "stored").mkdir()
    (tmp_path / "stored" / "columns.yml").write_text("small: [target, value, share]\n")
    monkeypatch.setattr(results, "RESULTS", tmp_path / "stored")
    monkeypatch.setattr(results, "UNFINISHED", tmp_path / "unfinished")
    return tmp_path


LOG = []


def three(context, *, n):
    return list(range(n))


def counted(context, unit, *, n=3, seed=0, fail=False):
    """Rows that say when they were played."""
    LOG.append(unit)
    if fail and unit == 2:
        raise RuntimeError("stopped")
    return [{"value": 10 * unit + seed, "share": unit / 3}]


@pytest.fixture
def small(monkeypatch):
    LOG.clear()
    monkeypatch.setattr(core, "code_of", lambda each, data: {"lib.a": "1"})
    made = core.Experiment(
        counted,
        "small",
        "kk",
        ("Fig. 2",),
        ("target",),
        three,
        None,
        {"simulated": {"n": 3}, "analytic": {"n": 2}},
    )
    monkeypatch.setitem(core._FOUND, "small", made)
    return made


def test_a_experiment_goes_on_unit_by_unit_where_it_was_stopped(small, elsewhere, monkeypatch):
    monkeypatch.setitem(small.defaults, "fail", True)
    with pytest.raises(RuntimeError, match="stopped"):
        core.run_experiment(small, "simulated")
    assert not results.is_stored("small", "simulated")
    assert LOG == [0, 1, 2]
    whole = small(["simulated"], fail=False)
    LOG.clear()
    monkeypatch.setattr(core, "_timed", _forgiving(core._timed))
    rows = core.run_experiment(small, "simulated")
    assert LOG == [2]
    pd.testing.assert_frame_equal(rows, whole)
    facts = results.provenance("small", "simulated")
    assert (facts["parts"], facts["units"], facts["rows"]) == (2, 3, 3)
    assert not list((elsewhere / "unfinished").glob("small-*/*.json"))


def _forgiving(timed):
    """As `_timed`, but what stopped the experiment is over."""
    return lambda *who: timed(*who[:5], who[5] | {"fail": False})


def test_kept_rows_become_stale_by_name_and_fresh_by_recheck(small, elsewhere, monkeypatch):
    assert core.status(small, "analytic").startswith("out of date: no results")
    core.run_experiment(small, "analytic")
    assert core.status(small, "analytic") == core.FRESH
    monkeypatch.setattr(core, "code_of", lambda each, data: {"lib.a": "2"})
    assert core.status(small, "analytic") == "out of date: code of lib.a"
    assert core.recheck(small, "analytic") == []
    assert core.status(small, "analytic") == core.FRESH
    assert results.provenance("small", "analytic")["rechecked"]["units"] == [0, 1]


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("small: [target, values, share]", "a column 'value', .* did you mean 'values'"),
        ("other: [target]", r"no entry for the rows: small: \[target, value, share\]"),
    ],
)
def test_rows_with_a_column_that_is_not_declared_are_neither_stored_nor_read(
    small, elsewhere, declared, message
):
    core.run_experiment(small, "analytic")
    (results.RESULTS / "columns.yml").write_text(declared)
    results._declared.cache_clear()
    with pytest.raises(results.StoredResultsError, match=message):
        small.stored("analytic")
    with pytest.raises(results.StoredResultsError, match=message):
        core.run_experiment(small, "simulated")
    assert not results.is_stored("small", "simulated")


def test_a_missing_column_is_named_with_the_experiment(small, elsewhere):
    core.run_experiment(small, "analytic")
    message = "'AUC' is no column of the rows of small; they have: data, target, value, share"
    for rows in (small(["analytic"]), small.stored("analytic"), small.stored("analytic")[1:]):
        with pytest.raises(KeyError, match=message):
            rows["AUC"]


def test_a_recheck_that_finds_other_rows_stamps_nothing(small, elsewhere, monkeypatch):
    core.run_experiment(small, "analytic")
    monkeypatch.setattr(core, "code_of", lambda each, data: {"lib.a": "2"})
    file = results.RESULTS / "small" / "analytic.csv"
    file.write_text(file.read_text().replace("10,", "11,"))
    (why,) = core.recheck(small, "analytic")
    assert "value of row 0: 11 stored, 10 computed" in why
    assert core.status(small, "analytic") == "out of date: code of lib.a"


def test_a_changed_setting_is_never_stamped(small, elsewhere, monkeypatch):
    core.run_experiment(small, "analytic")
    monkeypatch.setitem(small.at_paper, "analytic", {"n": 3})
    assert core.recheck(small, "analytic") == ["setting n: 2 -> 3"]


def test_one_dataset_gives_the_same_rows_alone(small):
    both = small(["simulated", "analytic"], n=3)
    alone = small(["analytic"], n=3)
    other = both[both["data"] == "analytic"].reset_index(drop=True)
    pd.testing.assert_frame_equal(other, alone)
    own = small(["simulated", "analytic"], of={"analytic": {"n": 1}}, units={"simulated": [2]})
    assert own[["data", "target"]].to_numpy().tolist() == [["simulated", 2], ["analytic", 0]]


def test_what_a_experiment_does_not_take_is_refused(small):
    with pytest.raises(ValueError, match=r"small takes no 'sed'; did you mean \['seed'\]"):
        small(["simulated"], sed=3)
    with pytest.raises(ValueError, match="processes is 0"):
        small(["simulated"], processes=0)
    with pytest.raises(ValueError, match=r"no experiment 'kk-gamse'; did you mean \['kk-games'\]"):
        core.select_experiments("kk-gamse")
    with pytest.raises(results.StoredResultsError, match="no stored results of small on nothing"):
        small.stored("nothing")


@pytest.mark.slow
def test_one_process_two_and_a_cluster_give_the_same_rows(quick):
    from distributed import LocalCluster

    population = datasets.load(DATA)
    setting = quick.setting({"n_groups": 50, "n_targets": 3})
    units = quick.units_of(DATA, population, setting)
    rows = {}
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        there = {"scheduler": cluster.scheduler_address}
        for way, options in {"one": {}, "two": {"processes": 2}, "cluster": there}.items():
            made = core._evaluate_units(quick, DATA, population, setting, units, **options)
            rows[way] = sorted((position, each) for position, each, _ in made)
    assert rows["one"] == rows["two"] == rows["cluster"]
    assert len(rows["one"]) == len(units) > 1


def test_the_list_says_what_each_answers():
    table = core.table(core.select_experiments("kk-games"))
    assert {"answers", "units", "seconds", "state"} <= set(table.columns)
    assert table.loc[("kk-games", "cabspotting"), "answers"].startswith("kk Fig. 2")


def test_a_experiment_that_keeps_no_rows_is_listed_as_such(capsys):
    unkept = next(name for name, each in KNOWN.items() if not each.at_paper)
    assert command.list_experiments([unkept]) == 0
    assert capsys.readouterr().out == (
        f"{unkept}: run only in memory, by a chapter; no results are stored\n"
    )


def test_experiments_come_in_the_order_of_their_modules_however_they_were_imported():
    papers = [
        each.function.__module__.split(".")[2]
        for each in core.all_experiments().values()
        if each.function.__module__.startswith("lib.papers.")
    ]
    assert list(dict.fromkeys(papers)) == list(core.PAPERS)

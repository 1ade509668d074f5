"""Fingerprints: what puts results out of date, and what does not."""

import json
import shutil
import sys
import types

import pytest

from lib import datasets
from lib.chapters import notebooks
from lib.execution import fingerprints, results
from lib.papers import experiments as core
from lib.papers.claims import PAPERS


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A small package `lib`, whose files a test can rewrite; gives the hashes of `a.first`."""
    (tmp_path / "lib" / "inner").mkdir(parents=True)
    files = {
        "__init__.py": "",
        "a.py": (
            "from lib import b, c, inner\nfrom lib.inner import handed, Lazy\n"
            "from lib.papers.experiments import experiment\n\n\n"
            "@experiment('one', at_paper={'x': 1})\n"
            "def first(x, *, size=3):\n    '''Says.'''\n    return b.used(x) + handed(x)\n\n\n"
            "def other():\n    from lib.d import far\n\n    return far, inner.other, Lazy\n"
        ),
        "b.py": (
            "'''A module.'''\nimport math\n\nLIMIT = 4\n\n\ndef used(x: int) -> int:\n"
            "    # why\n    return min(x, LIMIT)\n"
        ),
        "c.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from lib import e\n",
        "d.py": "def far(x):\n    return x\n",
        "e.py": "",
        "inner/__init__.py": (
            "from lib.inner.deep import handed\nfrom lib.inner.unused import nothing\n"
            "from lib.inner.attribute import other\n_HOME = {'Lazy': 'lazy', 'Far': 'unused'}\n"
        ),
        "inner/deep.py": "def handed(x):\n    return x\n",
        "inner/attribute.py": "other = 3\n",
        "inner/lazy.py": "class Lazy:\n    pass\n",
        "inner/unused.py": "nothing = 0\n",
    }
    for name, text in files.items():
        (tmp_path / "lib" / name).write_text(text)
    monkeypatch.setattr(fingerprints, "ROOT", tmp_path)
    first = types.SimpleNamespace(__module__="lib.a", __qualname__="first")

    def hashes(name=None, old=None, new=None):
        if name:
            file = tmp_path / "lib" / name
            assert old in file.read_text()
            file.write_text(file.read_text().replace(old, new))
        fingerprints.forget()
        return fingerprints.of(first)

    yield hashes
    fingerprints.forget()


FOLLOWED = {"lib.a", "lib.b", "lib.c", "lib.d", *(f"lib.inner.{m}" for m in ("deep", "attribute"))}
FOLLOWED |= {"lib.inner.lazy"}


def test_imports_are_followed_at_the_top_inside_functions_and_through_packages(small):
    assert set(small()) == FOLLOWED


def test_a_package_used_as_an_object_counts_whole(small):
    after = small("d.py", "def far", "from lib import inner\n\nprint(inner)\n\n\ndef far")
    assert set(after) == FOLLOWED | {"lib.inner", "lib.inner.unused"}


def test_a_module_outside_of_lib_is_refused():
    with pytest.raises(ValueError, match=r"numpy\.random is not a module of lib"):
        fingerprints.of("numpy.random")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("b.py", "# why", "# why not"),
        ("b.py", "'''A module.'''", "'''Another sentence.'''"),
        ("a.py", "'''Says.'''", "'''Says something else,\n\n    at length.'''"),
        ("a.py", "    '''Says.'''\n", ""),
        ("a.py", "'x': 1", "'x': 2"),  # the setting is compared by itself
        ("b.py", "x: int) -> int", "x: float) -> float"),
        ("b.py", "min(x, LIMIT)", "min(\n        x,\n        LIMIT,\n    )"),
        ("e.py", "", "size = 3"),
        ("b.py", "LIMIT = 4", "LIMIT = 4\n__version__ = '2'"),
        ("inner/__init__.py", "_HOME", "size = 3\n_HOME"),
        ("inner/unused.py", "0", "1"),
    ],
)
def test_what_cannot_change_a_result_puts_nothing_out_of_date(small, name, old, new):
    before = small()
    assert small(name, old, new) == before


@pytest.mark.parametrize(
    ("name", "old", "new", "module"),
    [
        ("b.py", "min(x, LIMIT)", "max(x, LIMIT)", "lib.b"),
        ("b.py", "LIMIT = 4", "LIMIT = 5", "lib.b"),
        ("d.py", "return x", "return x + 1", "lib.d"),
        ("a.py", "b.used(x) +", "b.used(x) -", "lib.a"),
        ("inner/lazy.py", "pass", "size = 3", "lib.inner.lazy"),
    ],
)
def test_a_changed_line_puts_results_out_of_date_and_its_module_is_named(
    small, name, old, new, module
):
    before = small()
    after = small(name, old, new)
    assert {each for each in before if before[each] != after[each]} == {module}
    stamps = [results.Fingerprint({"size": 3}, code, {}, "") for code in (before, after)]
    assert stamps[0].reasons(stamps[1]) == [f"code of {module}"]
    assert stamps[0].digest != stamps[1].digest


def test_settings_packages_and_files_are_named_when_they_change():
    one = results.Fingerprint({"m": 5, "seed": 1}, {}, {"numpy": "2.4.6"}, "abc")
    other = results.Fingerprint({"m": 50, "seed": 1}, {}, {"numpy": "2.5.0"}, "abd")
    assert one.reasons(other) == [
        "setting m: 5 -> 50",
        'package numpy: "2.4.6" -> "2.5.0"',
        "the data's files",
    ]


def test_a_page_is_its_code_and_the_modules_that_it_imports(small):
    small()
    cells = ["from lib import a\n", "# a comment\na.first(3)", "%matplotlib inline\n"]
    found = fingerprints.of_cells(cells)
    assert set(found) == {"page"} | FOLLOWED
    assert fingerprints.of_cells([cells[0], "'''Text.'''\na.first(3)  # other"]) == found
    assert fingerprints.of_cells([cells[0], "a.first(4)"])["page"] != found["page"]


# -- the real library ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the library in which a test changes lines, and the experiments as they are."""
    root = tmp_path_factory.mktemp("library")
    shutil.copytree(
        fingerprints.ROOT / "lib", root / "lib", ignore=shutil.ignore_patterns("__pycache__")
    )
    return root


@pytest.fixture(scope="module")
def before():
    return codes()


def codes():
    fingerprints.forget()
    return {
        (name, data): core.code_of(each, data)
        for name, each in core.all_experiments().items()
        for data in each.at_paper
    }


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("file", "old", "new", "papers"),
    [
        slow("membership/sparse_logistic.py", "\ndef ", "\n# a comment\ndef ", set()),
        ("reconstruction/chain.py", "return ", "return 0 or ", {"fano"}),
        slow("localization/strategies.py", '"""\n', ' At length."""\n', set()),
        slow("localization/profiles.py", "return ", "return 0 or ", {"crowd", "riders"}),
        slow("membership/thresholds.py", "return ", "return 0 or ", {"threshold"}),
        slow("membership/features.py", "return ", "return 0 or ", {"kk", "riders"}),
    ],
)
def test_a_changed_line_puts_the_experiments_that_import_it_out_of_date(
    copied, before, monkeypatch, file, old, new, papers
):
    text = (fingerprints.ROOT / "lib" / file).read_text()
    assert old in text
    monkeypatch.setattr(fingerprints, "ROOT", copied)
    (copied / "lib" / file).write_text(text.replace(old, new))
    try:
        after = codes()
    finally:
        (copied / "lib" / file).write_text(text)
    voided = {name for name, data in before if before[name, data] != after[name, data]}
    assert {name.partition("-")[0] for name in voided} - {"audit"} == papers  # that reaches most
    fingerprints.forget()


BY_NAME = "__getattr__"  # of a package: finds a name in its table, which is followed
MOST_SECONDS = 0.3  # of a unit, so that tracing it, many times slower, stays short


def traced():
    """Experiments and a unit that is quick to play, one dataset each that needs no file."""
    for name, each in core.all_experiments().items():
        for data in each.at_paper:
            quick = datasets.available()["file needed"].get(data, "none") == "none"
            if quick and results.is_stored(name, data):
                facts = results.provenance(name, data)
                if facts["seconds"] / max(facts["units"], 1) < MOST_SECONDS:
                    yield pytest.param(each, data, id=name)
                    break


def trace(function, *arguments):
    """What a function gives, and every function of the library that it calls."""
    called = set()

    def profile(frame, event, argument):
        if event == "call" and "/lib/" in frame.f_code.co_filename:
            module = frame.f_globals.get("__name__", "")
            name = frame.f_code.co_qualname.split(".")[0]
            if module.startswith("lib.") and not name.startswith("<"):
                called.add((module, name))

    sys.setprofile(profile)
    try:
        found = function(*arguments)
    finally:
        sys.setprofile(None)
    return found, called


@pytest.fixture(scope="module")
def load():
    """What an experiment gets, and what was called to load it: once for experiments that load the
    same."""
    core._context.cache_clear()
    known = {}

    def traced_load(each, data, setting):
        given = core._accepted(each.load, data, setting) if each.load else {}
        called = known.setdefault((each.load, data, json.dumps(given, sort_keys=True)), set())
        context, now = trace(core.context_of, each, data, setting)
        called |= now  # nothing, where it was loaded before
        return context, called

    return traced_load


@pytest.mark.slow
@pytest.mark.parametrize(("each", "data"), list(traced()))
def test_what_really_runs_is_within_what_is_followed(load, each, data):
    """Every function of the library that a unit calls is in a module that is followed."""
    setting = results.provenance(each.name, data)["setting"]
    context, loading = load(each, data, setting)
    _, called = trace(core._rows, each, data, context, each.stored_units(data)[0], setting)
    called |= loading
    modules = {module for module, name in called if name != BY_NAME}
    modules = {one for one in modules if not one.startswith(fingerprints.NOT_FOLLOWED)}
    assert modules
    assert not modules - {"lib.datasets"} - set(core.code_of(each, data))  # finds loaders, no more


def test_a_page_that_loads_data_depends_on_every_loader():
    loaders = {f"lib.datasets.{name}" for name in ("flights", "synthetic", "callers", "records")}
    reached = notebooks._reached(["from lib.datasets import load", "load('flights-by-tail')"])
    assert loaders <= set(reached)
    assert not loaders & set(notebooks._reached(["from lib import metrics", "metrics.auc"]))


@pytest.mark.parametrize("paper", PAPERS)
def test_a_page_that_shows_verdicts_depends_on_what_judges_them(paper):
    reached = fingerprints.of_cells(
        ["from lib.papers import verdicts", f"verdicts.judged_with_pages({paper!r})"]
    )
    folder = {"kk": "knock_knock", "zk": "zero_knowledge", "crowd": "aggregation_privacy"}
    folder |= {"fano": "fano_loss", "threshold": "threshold_attacks"}
    assert f"lib.papers.{folder[paper]}.claims" in reached

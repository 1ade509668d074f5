"""Fingerprints void what they must and nothing more."""

import json
import shutil
import sys
import types

import pytest

from lib import datasets
from lib.chapters import notebooks
from lib.execution import fingerprints, results
from lib.execution.fingerprints import Definition
from lib.papers import experiments as core
from lib.papers.claims import PAPERS


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A small package `lib`, whose files a test can rewrite; gives the hashes of `a.first`."""
    (tmp_path / "lib" / "inner").mkdir(parents=True)
    files = {
        "__init__.py": "",
        "a.py": (
            "from lib import b, c\nfrom lib.inner import handed\n\n\n"
            "def first(x, *, size=3):\n    '''Says.'''\n    return b.used(x) + handed(x)\n"
        ),
        "b.py": (
            "'''A module.'''\nimport math\n\nLIMIT = 4\n\n\ndef used(x: int) -> int:\n"
            "    # why\n    return min(x, LIMIT)\n\n\ndef unused(x):\n    return -x\n"
        ),
        "c.py": "def far(x):\n    return x\n",
        "inner/__init__.py": "from lib.inner.deep import handed\n",
        "inner/deep.py": (
            "def handed(x):\n    from lib.c import far\n\n    return far(x)\n\n\n"
            "class Other:\n    pass\n"
        ),
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


def test_imports_are_followed_at_the_top_inside_functions_and_through_packages(house):
    assert set(house()) == {"lib.a", "lib.b", "lib.c", "lib.inner.deep"}
    reached = fingerprints.reach([Definition("lib.a", "first")])
    assert Definition("lib.b", "LIMIT") in reached
    assert Definition("lib.b", "unused") not in reached
    assert Definition("lib.inner.deep", "Other") not in reached


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("b.py", "# why", "# why not"),
        ("b.py", "'''A module.'''", "'''Another sentence.'''"),
        ("a.py", "'''Says.'''", "'''Says something else,\n\n    at length.'''"),
        ("a.py", "    '''Says.'''\n", ""),
        ("b.py", "x: int) -> int", "x: float) -> float"),
        ("b.py", "min(x, LIMIT)", "min(\n        x,\n        LIMIT,\n    )"),
        ("b.py", "return -x", "return x"),
        ("inner/deep.py", "pass", "size = 3"),
        ("a.py", "size=3", "size=4"),  # an experiment's setting is hashed by itself
        ("b.py", "import math", "import math, os"),
    ],
)
def test_what_cannot_change_a_result_voids_nothing(house, name, old, new):
    before = house()
    assert house(name, old, new) == before


@pytest.mark.parametrize(
    ("name", "old", "new", "voided"),
    [
        ("b.py", "min(x, LIMIT)", "max(x, LIMIT)", "lib.b"),
        ("b.py", "LIMIT = 4", "LIMIT = 5", "lib.b"),
        ("c.py", "return x", "return x + 1", "lib.c"),
        ("a.py", "b.used(x) +", "b.used(x) -", "lib.a"),
    ],
)
def test_a_changed_line_voids_what_reaches_it_and_says_where(house, name, old, new, voided):
    before = house()
    after = house(name, old, new)
    assert {module for module in before if before[module] != after[module]} == {voided}
    stamps = [results.Fingerprint({"size": 3}, code, {}, "") for code in (before, after)]
    assert stamps[0].reasons(stamps[1]) == [f"code of {voided}"]
    assert stamps[0].digest != stamps[1].digest


def test_a_call_at_the_top_of_a_module_counts(house):
    before = house()
    assert house("c.py", "def far", "print('loaded')\n\n\ndef far") != before


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("unused = x\n    return unused", False),
        ("return [unused for unused in x]", False),
        ("return (lambda unused: unused)(x)", False),
        ("def inner(unused):\n        return unused\n    return inner(x)", False),
        ("for unused in x:\n        pass\n    return unused", False),
        ("return [unused(each) for each in x]", True),
        ("return (lambda x=unused: x)()", True),
        ("def inner():\n        unused = 1\n        return unused\n    return unused(x)", True),
        ("[(unused := each) for each in x]\n    return unused", False),
        ("global unused\n    unused = x\n    return unused", True),
    ],
)
def test_a_local_name_is_not_the_modules(house, body, seen):
    house("b.py", "return min(x, LIMIT)", body)
    reached = fingerprints.reach([Definition("lib.a", "first")])
    assert (Definition("lib.b", "unused") in reached) is seen


def test_what_a_comprehension_calls_its_items_is_not_bound_at_the_top(house):
    house("b.py", "LIMIT = 4", "LIMIT = max(far for far in range(4))\nOTHER = [LIMIT, (y := 2)]")
    bound = fingerprints._bound("lib.b")
    assert "far" not in bound
    assert {"LIMIT", "OTHER", "y", "used"} <= set(bound)


def test_settings_packages_and_files_are_named_when_they_change():
    one = results.Fingerprint({"m": 5, "seed": 1}, {}, {"numpy": "2.4.6"}, "abc")
    other = results.Fingerprint({"m": 50, "seed": 1}, {}, {"numpy": "2.5.0"}, "abd")
    assert one.reasons(other) == [
        "setting m: 5 -> 50",
        'package numpy: "2.4.6" -> "2.5.0"',
        "the data's files",
    ]


def test_a_page_is_its_code_and_what_that_reaches(house):
    house()
    cells = ["from lib import a\n", "# a comment\na.first(3)", "%matplotlib inline\n"]
    found = fingerprints.of_cells(cells)
    assert set(found) == {"page", "lib.a", "lib.b", "lib.c", "lib.inner.deep"}
    assert fingerprints.of_cells([cells[0], "'''Text.'''\na.first(3)  # other"]) == found
    assert fingerprints.of_cells([cells[0], "a.first(4)"])["page"] != found["page"]


# -- the real house --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the library in which a test changes lines, and the experiments as they are."""
    root = tmp_path_factory.mktemp("house")
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
        slow("localization/profiles.py", "return ", "return 0 or ", {"crowd"}),
        slow("membership/thresholds.py", "return ", "return 0 or ", {"threshold"}),
        slow("membership/features.py", "return ", "return 0 or ", {"kk"}),
    ],
)
def test_a_changed_line_voids_exactly_the_experiments_that_can_reach_it(
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


# They find a dataset's own loader, no more.
TO_LOAD = ("load", "loader", "available", "_is_table", "_module")
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
                called.add(Definition(module, name))

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
    """Every function of the library that a unit calls is among the definitions followed."""
    setting = results.provenance(each.name, data)["setting"]
    context, loading = load(each, data, setting)
    _, called = trace(core._rows, each, data, context, each.stored_units(data)[0], setting)
    called |= loading
    called -= {Definition("lib.datasets", name) for name in TO_LOAD}
    called = {
        one
        for one in called
        if one.name != BY_NAME and not one.module.startswith(fingerprints.NOT_FOLLOWED)
    }
    assert called
    assert not called - core.reached(each, data)


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

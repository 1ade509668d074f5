"""The reference: every public name documented, formulas, boxes, data and threats tied to code."""

import doctest
import inspect
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import yaml

from book._ext import glossary, reference, tables, usage
from lib import datasets
from lib.metrics import auc
from lib.papers import claims
from lib.papers.foundations.data_cards import MEASURED, NOT_AT_HAND, cards
from lib.threats import GOALS, KNOWLEDGE

ROOT = Path(__file__).parents[2]
PAPERS = list(tables.PAPERS)

# Rooms that implement papers: what stands there names its source, in its own docstring or in that
# of its class or module, or says that it is not in the papers
FROM_PAPERS = (
    "aggregation",
    "mechanisms",
    "accounting",
    "metrics",
    "membership",
    "localization",
    "reconstruction",
)
SOURCE = re.compile(
    r"Source|Eq\. |Sec\. |Alg\. |Theorem|Prop\. |App\. |Fig\. |[Nn]ot in the\s+papers?|ours\b"
    r"|paper|KK|ZK|et al\.|[A-Z]\w+ (and [A-Z]\w+ )?(19|20)\d\d"
)
# The doors of DESIGN and the main functions: each has an example that runs
DOORS = {
    "traces": ["Traces", "Traces.from_records"],
    "datasets": ["load", "available"],
    "aggregation": ["aggregate", "sample_member_groups"],
    "mechanisms": [
        "Laplace",
        "Gaussian",
        "FourierPerturbation",
        "EnhancedFourierPerturbation",
        "SuppressSmallCounts",
        "PostProcess",
        "BoundContributions",
        "RandomizedResponse",
        "release",
    ],
    "membership": [
        "KnockKnock",
        "OneThreshold",
        "TwoThreshold",
        "ReferenceAttack",
        "MetaClassifier",
        "LikelihoodRatio",
        "CorrelatedRatio",
        "ZeroKnowledge",
    ],
    "localization": [
        "prior",
        "bayes",
        "max_roi",
        "max_user",
        "profiling_error",
        "localization_error",
    ],
    "reconstruction": [
        "MarkovChain",
        "viterbi_trajectory",
        "prior_trajectory",
        "constant_trajectory",
        "monte_carlo_loss",
        "loose_bound",
        "tight_bound",
        "moment_bound",
    ],
    "accounting": ["expected_accuracy", "optimal_composition"],
    "metrics": [
        "auc",
        "privacy_loss",
        "privacy_gain",
        "mean_relative_error",
        "js_divergence",
        "js_distance",
        "tpr_at_fpr",
    ],
    "randomness": ["stream"],
    "papers.summaries": ["means", "bracketed"],
}


def everything():
    return {
        name: thing
        for module in reference.modules()
        for name, thing in reference.public(module).items()
    }


def source_text(name, thing):
    """A docstring, and those around it that may give the source for it."""
    module = next(
        m for m in sorted(reference.modules(), key=len, reverse=True) if name.startswith(f"{m}.")
    )
    around = [usage.resolved(module).__doc__]
    if name.count(".") > module.count(".") + 1:
        around.append(usage.resolved(name.rpartition(".")[0]).__doc__)
    return "\n".join(text or "" for text in [thing.__doc__, *around])


def test_every_module_of_the_library_has_a_place():
    modules = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for file in (ROOT / "lib").rglob("*.py")
    }
    # packages that only pass names on, what only draws or judges, and what is being run
    packages = {m for m in modules if (ROOT / m.replace(".", "/")).is_dir()}
    apart = {
        m
        for m in modules
        if re.search(
            r"\.(\w*figures|\w*claims|\w*explorer|\w*interpretations|\w*_tables|front_page)$", m
        )
    }
    apart |= {"lib.__main__"}
    assert modules - set(reference.modules()) - packages - apart == set()


def test_every_public_name_says_what_it_is():
    silent = [name for name, thing in everything().items() if not thing.__doc__]
    assert silent == []


def test_what_implements_papers_names_its_source():
    rooms = tuple(f"lib.{room}." for room in FROM_PAPERS)
    without = [
        name
        for name, thing in everything().items()
        if name.startswith(rooms) and not SOURCE.search(source_text(name, thing))
    ]
    assert without == []


def test_arrays_are_described():
    """Every array that a public function of the library takes is named in its docstring, unless
    another's is referred to."""
    rooms = tuple(f"lib.{room}." for room in (*FROM_PAPERS, "summaries", "datasets"))
    bare = []
    for name, thing in everything().items():
        if not name.startswith(rooms) or not inspect.isroutine(thing):
            continue
        text = source_text(name, thing)  # an attribute's shape may stand with its class
        referred = re.search(r"\bas\s+(of\s+)?`|[Aa]rguments", thing.__doc__ or "")
        for argument in inspect.signature(thing).parameters.values():
            array, words = "ndarray" in str(argument.annotation), argument.name.replace("_", "[_ ]")
            if array and not referred and not re.search(rf"\b{words}\b", text):
                bare.append(f"{name}({argument.name})")
    assert bare == []


# -- examples --------------------------------------------------------------------------------------


def test_every_door_has_an_example():
    doors = [f"lib.{room}.{name}" for room, names in DOORS.items() for name in names]
    assert [name for name in doors if ">>>" not in (usage.resolved(name).__doc__ or "")] == []


@pytest.mark.parametrize("module", sorted(reference.modules()))
def test_examples_run(module):
    tested = doctest.testmod(usage.resolved(module), optionflags=doctest.ELLIPSIS)
    assert tested.failed == 0


# -- docstrings ------------------------------------------------------------------------------------


def test_names_in_backticks_become_links_or_literals():
    lines = ["Score as `auc` does; `members` and `nothing`s stay.", ">>> `x`"]
    reference._link_names(None, "function", "lib.metrics.tpr_at_fpr", auc, None, lines)
    assert lines == [
        "Score as :py:obj:`auc <lib.metrics.auc>` does; ``members`` and ``nothing``\\ s stay.",
        ">>> `x`",
    ]


# -- from formula to code --------------------------------------------------------------------------


def test_each_paper_has_its_tables():
    assert list(claims.PAPERS) == PAPERS


@pytest.mark.parametrize("paper", PAPERS)
def test_every_artefact_of_a_paper_is_in_the_table_once(paper):
    labels = [each["label"] for each in tables.read("artefacts")[paper]]
    assert len(labels) == len(set(labels))
    assert sorted(labels) == sorted(tables.read("code")["formulas"][paper])
    published = (ROOT / "book" / "claims" / "published" / f"{paper}.yml").read_text()
    numbered = set(re.findall(r"(?:Eq\.|Algorithm|Theorem) [A-Z]?\.?\d+(?:\.\d+)?", published))
    known = {label for label in labels if re.match(r"Eq\.|Algorithm|Theorem", label)}
    elsewhere = {"Eq. 1", "Theorem 3"} if paper == "crowd" else set()
    assert {each.rstrip(".") for each in numbered} - known <= elsewhere


@pytest.mark.parametrize("paper", PAPERS)
def test_what_the_table_names_is_there(paper):
    file = ROOT / "book" / "claims" / "published" / f"{paper}.yml"
    decided = {each["id"] for each in yaml.safe_load(file.read_text())["ambiguities"]}
    for label, known in tables.read("code")["formulas"][paper].items():
        for name in known["code"]:
            assert usage.home(f"lib.{name}") in reference.documented(), (label, name)
        assert known["test"], label
        for each in known["test"]:
            name, function = each.split("::")
            assert f"\ndef {function}(" in (ROOT / "tests" / name).read_text(), (label, each)
        assert set(known.get("decided", [])) <= decided, label
        assert known["where"] in labels() | pages(), (label, known["where"])


def texts():
    """Sources of pages, as Markdown."""
    for file in [*(ROOT / "notebooks").rglob("*.py"), *(ROOT / "book").glob("*.md")]:
        text = file.read_text()
        yield re.sub(r"^# ?", "", text, flags=re.M) if file.suffix == ".py" else text


def all_labels():
    """Places that pages can link to: boxes, and labels before headings."""
    found = [re.findall(r"^:label: ([\w-]+)$|^\(([\w-]+)\)=$", text, re.M) for text in texts()]
    return [box or place for each in found for box, place in each]


def labels():
    return set(all_labels())


def test_no_two_places_have_the_same_label():
    times = Counter(all_labels())
    assert not [label for label, found in times.items() if found > 1]


def pages():
    notebooks, book = ROOT / "notebooks", ROOT / "book"
    return {file.stem for file in [*notebooks.glob("*.py"), *book.glob("*.md")]}


def test_every_definition_box_leads_to_its_code():
    found = {label for text in texts() for label in reference.boxes(text)}
    boxes = {label for label in found if re.match("def|alg|thm|lem", label)}
    assert boxes == set(tables.read("code")["boxes"])
    for label, code in tables.read("code")["boxes"].items():
        for name in code:
            assert usage.home(f"lib.{name}") in reference.documented(), (label, name)


def test_a_box_gets_its_code_inside_its_fence():
    text = "Before.\n````{prf:definition} Trace\n:label: def-trace\nA matrix.\n````\nAfter."
    found = reference.with_code(text)
    assert found.splitlines()[5] == "<small>In code: {py:obj}`Traces <lib.traces.Traces>`</small>"
    assert found.splitlines()[6:] == ["````", "After."]
    other = text.replace("def-trace", "no-such-box")
    assert reference.with_code(other) == other


def test_a_function_is_used_where_it_is_named(tmp_path):
    file = tmp_path / "page.py"
    file.write_text(
        "from lib import metrics\nfrom lib.membership import OneThreshold as O\n"
        "metrics.auc(1, 2); O()\n"
    )
    assert {"lib.metrics.auc", "lib.membership.thresholds.OneThreshold"} <= usage.named(file)
    assert "lib.metrics.privacy_loss" not in usage.named(file)
    users = usage.users("lib.metrics.auc")
    assert "foundations" in users.pages and "test_metrics.py" in users.tests
    line = "\n".join(reference.used("lib.metrics.auc"))
    assert ":prf:ref:`def-auc`" in line and ":doc:`/book/foundations`" in line


# -- data and threats ------------------------------------------------------------------------------


def test_every_dataset_has_a_whole_card():
    names = set(datasets.available().index) - {"records"}  # a reader's own
    known = tables.read("data")
    assert set(known) == names
    for name, card in known.items():
        assert list(card) == ["people", "origin", "licence", "preparation", "not for"], name
        assert all(text.strip() for text in card.values()), name
    assert set(MEASURED) == names - set(NOT_AT_HAND)


@pytest.mark.parametrize("name", ["six-users", "flights-by-tail"])
def test_numbers_on_a_card_are_the_datasets(name):
    traces, row = datasets.load(name), cards.stored(name).iloc[0]
    dense = traces.matrix.toarray()
    assert (row["users"], row["visits"]) == (len(dense), dense.sum())
    assert row["median visits"] == np.median(dense.sum(axis=1))
    assert row["visited cells"] == pytest.approx((dense.sum(axis=0) > 0).mean(), rel=1e-12)
    shown = tables.data()
    assert f"| {int(row['visits']):,} |" in shown


def test_every_threat_is_tied_to_code_and_chapters():
    found, words = tables.read("threats")["threats"], tables.read("threats")["knows"]
    assert len({each["id"] for each in found}) == len(found)
    assert {each["knows"] for each in found} == set(words)
    for each in found:
        assert each["wants"] in GOALS
        assert set(each["chapters"]) <= pages(), each["id"]
        for name in (*each["attack"], *each["bound"]):
            assert usage.home(f"lib.{name}") in reference.documented(), (each["id"], name)
    taught = {chapter for each in found for chapter in each["chapters"]}
    assert taught == {file.stem for file in (ROOT / "notebooks").glob("*.py")}


def test_the_words_are_the_audits():
    known = set(KNOWLEDGE) | {"raw counts"}  # of which an auditor has no use
    assert set(tables.read("threats")["knows"]) <= known


# -- glossary --------------------------------------------------------------------------------------


def test_a_term_is_linked_once_with_its_definition():
    left = {"ROI": ("term-ROI", "A place."), "group size": ("term-group-size", "How many.")}
    parts = glossary.with_links("Two ROIs, one ROI; a Group size; a groupsize.", left, "g.html")
    links = [each for each in parts if each.tagname == "reference"]
    assert [each.astext() for each in links] == ["ROIs", "Group size"]
    assert links[0]["refuri"] == "g.html#term-ROI" and links[0]["reftitle"] == "A place."
    assert "".join(each.astext() for each in parts).startswith("Two ROIs, one ROI; a Group size")
    assert left == {}


def test_map_services_are_no_estimator():
    left = {"MAP": ("term-MAP", "The most probable.")}
    parts = glossary.with_links("map services, and the MAP path", left, "g.html")
    assert [each.astext() for each in parts if each.tagname == "reference"] == ["MAP"]


def test_the_glossary_is_in_order_and_every_term_in_it_defined():
    text = (ROOT / "book" / "glossary.md").read_text()
    terms = re.findall(r"^(\S.*)\n  \S", text.split("{glossary}")[1], re.M)
    assert len(terms) > 40
    assert terms == sorted(terms, key=str.lower)
    assert "[](" not in text.split("{glossary}")[1]  # would leave a gap where a definition pops up
    used = re.findall(r"\{term\}`(?:[^`<]*<)?([^`>]+)>?`", text)
    assert set(used) <= set(terms)

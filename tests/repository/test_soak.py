"""Any valid choice finishes: parameters drawn from what each chapter declares, and one's own data.

`make test-soak` runs two draws of each chapter; SOAK=20 runs twenty, and a card of walkers. The
draws are the same every time, unless `TEST_SEED` asks for others. A chapter is executed as one
script, which is quicker than a kernel; sizes are kept small.
"""

import os
import warnings

import jupytext
import matplotlib.pyplot as plt
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lib.chapters import notebooks, parameters
from lib.datasets import available
from lib.execution import environment
from lib.papers import figures
from tests.data import walkers

DRAWS = int(os.environ.get("SOAK", "2"))
NO_FILE = {name for name, row in available().iterrows() if row["file needed"] == "none"}
MANY = {"commuters", "cabs"}  # whose users take long where they cannot be fewer
LONGEST = 3  # values of a list; of datasets, each of which takes its time, fewer in `make test`
DATASETS = 3 if "SOAK" in os.environ else 2
# The largest numbers that are drawn, where more would only take longer; and few of others.
LARGEST = {
    "foundations": {"n_groups": 60, "n_targets": 4, "group_sizes": 800},
    "knock_knock": {
        "n_train": 20,
        "n_test": 20,
        "beta_same": 20,
        "beta_different": 20,
        "n_per_third": 2,
        "n_choosing": 2,
        "past_sizes": 800,
        "subset_sizes": 800,
        "middle": 800,
        "length_size": 800,
    },
    "guarantees": {"group_size": 800},
    "knock_knock_defenses": {"n_groups": 24, "n_per_third": 2, "group_size": 800},
    "zero_knowledge": {"callers_users": 1200, "n_targets": 2, "n_train": 10, "n_test": 10},
    "crowd": {"users_of": 60},
    "crowd_defenses": {"users_of": 60, "n_releases": 2},
    "fano": {"n_locations": 30, "noise_places": 30, "n_sequences": 4, "n_runs": 30, "n_epochs": 10},
    "fano_bounds": {
        "map_sizes": 60,
        "n_sequences": 4,
        "n_adaptive": 30,
        "n_users": 30,
        "n_epochs": 10,
    },
    "audit": {"n_users": 150},
    "audit_further": {"n_users": 150},
    "thresholds": {"n_cells": 70, "n_shadows": 400, "n_test": 1200, "runs": 2, "group_size": 3000},
}
TAKES_DATA = [
    chapter
    for chapter in parameters.chapters()
    if "datasets" in {p.name for p in parameters.parameters(chapter)}
]
SMALLEST = {  # numbers of which even the smallest allowed take long
    "crowd": {"joint_every": 30}
}


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    return str(walkers(tmp_path_factory.mktemp("walkers")))


# -- values ----------------------------------------------------------------------------------------


def numbers(p, chapter):
    """Numbers that a parameter accepts, its ends among them."""
    low = p.min if p.above is None else p.above + 1e-3
    low = SMALLEST.get(chapter, {}).get(p.name, low)
    high = LARGEST[chapter].get(p.name, 30 if p.max is None else p.max)
    if "float" in p.type:
        digits = st.floats(low, high).map(lambda x: min(max(float(f"{x:.3g}"), low), high))
        return st.one_of(st.sampled_from([low, high]), digits)
    step = 2 if p.even else 1
    whole = st.integers(-(-low // step), high // step).map(lambda x: x * step)
    return st.one_of(st.sampled_from([low, high]), whole)


def choices(p, chapter, own):
    """Names that a parameter accepts and for which no file is needed, and one's own."""
    known = [name for name in p.choices if name in NO_FILE or p.name != "datasets"]
    if p.name == "datasets":
        known = [name for name in known if chapter.startswith("crowd") or name not in MANY] + [own]
    return st.sampled_from(known)


def values_of(p, chapter, own):
    """Values of one parameter."""
    if p.path or p.name == "columns":
        return st.just(p.default)
    if p.duration:
        each = st.sampled_from(["12h", "1D", "36h"])
    elif p.choices:
        each = choices(p, chapter, own)
    else:
        each = st.just(1) if p.name == "processes" else numbers(p, chapter)
    if p.type.startswith("dict"):
        names = st.sampled_from(sorted(NO_FILE.intersection(p.keys)))
        return st.dictionaries(names, each, max_size=2)
    if p.type.startswith("list"):
        most = DATASETS if p.name == "datasets" else LONGEST
        several = st.lists(each, min_size=1, max_size=most, unique=True)
        return several.map(sorted) if p.ascending else several
    return each


def drawn(data, chapter, own):
    """Values of all of a chapter's parameters, those that hang on others put within them."""
    known = parameters.parameters(chapter)
    values = {p.name: data.draw(values_of(p, chapter, own), p.name) for p in known}
    for p in known:
        if p.below:
            values[p.name] = min(values[p.name], values[p.below] - 1)
        if p.up_to:
            values[p.name] = min(values[p.name], values[p.up_to])
    return values


# -- playing ---------------------------------------------------------------------------------------


def play(chapter, values):
    """Executes a chapter's code as one script, and returns its tables by name."""
    tables = {}

    def keep(frame, metadata=None):
        name = metadata["table"]["name"] if metadata else f"unnamed {len(tables)}"
        assert name not in tables, f"two tables are named {name}"
        assert len(frame) and frame.notna().any(axis=None), f"table {name} is empty"
        tables[name] = frame

    chosen, namespace = parameters.over_book(chapter, values), {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("error", UserWarning)
        patch.setattr(figures, "display_table", keep)
        patch.setattr(plt, "show", lambda: plt.close("all"))
        patch.chdir(environment.book())
        for number, cell in enumerate(notebooks.code(jupytext.read(notebooks.source(chapter)))):
            exec(compile(cell.source, f"{chapter}, code cell {number}", "exec"), namespace)
            if "parameters" in cell.metadata.get("tags", []):
                namespace.update(chosen)
    plt.close("all")
    return tables


@pytest.mark.slow
@pytest.mark.parametrize("chapter", parameters.chapters())
def test_any_valid_choice_finishes(chapter, card):
    @settings(max_examples=DRAWS, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(st.data())
    def finishes(data):
        assert play(chapter, drawn(data, chapter, card))

    finishes()


@pytest.mark.slow
@pytest.mark.skipif("SOAK" not in os.environ, reason="SOAK=20 make test-soak runs it")
@pytest.mark.parametrize("chapter", TAKES_DATA)
def test_ones_own_data_go_through_every_chapter(chapter, card, capsys):
    small = {name: high for name, high in LARGEST[chapter].items() if isinstance(high, int)}
    known = {p.name: p for p in parameters.parameters(chapter)}
    small = {n: v for n, v in small.items() if known[n].type == "int"}
    assert play(chapter, small | {"datasets": [card]})
    assert "walkers: your own data" in capsys.readouterr().out

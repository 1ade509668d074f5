"""Everything that a chapter declares of its parameters is checked before anything runs."""

import pytest

from lib.chapters import parameters
from lib.chapters.parameters import Parameter, ParameterError
from lib.datasets import label
from tests.data import walkers

CHAPTERS = parameters.chapters()
ALL = [(chapter, p) for chapter in CHAPTERS for p in parameters.parameters(chapter)]


def named(pairs):
    return [pytest.param(*pair, id=f"{pair[0]}-{pair[1].name}") for pair in pairs]


def wrapped(p, value):
    """One number or text, as the parameter would have it."""
    if p.type.startswith("list"):
        return [value]
    if p.type.startswith("dict"):
        return {p.keys[0]: value}
    return value


def refused(chapter, name, value, words=None):
    with pytest.raises(ParameterError, match=words) as error:
        parameters.over_book(chapter, {name: value})
    assert str(error.value).startswith(f"{name} is ")
    assert len(str(error.value)) < 700


@pytest.mark.parametrize(("chapter", "p"), named(ALL))
def test_other_types_are_refused(chapter, p):
    for value in (None, [[1]], {1: 2}, {"a": {}}, float("nan"), float("inf"), 10**400, "\0"):
        if isinstance(value, str) and p.name == "columns":
            continue
        refused(chapter, p.name, value)
        if "[" in p.type:
            refused(chapter, p.name, wrapped(p, value))


@pytest.mark.parametrize(
    ("chapter", "p"), named((c, p) for c, p in ALL if "int" in p.type or "float" in p.type)
)
def test_every_number_has_ends_and_what_is_beyond_them_is_refused(chapter, p):
    below = p.above if p.above is not None else p.min - 1
    refused(chapter, p.name, wrapped(p, below), "at least|above")
    assert p.max is not None or p.below or p.up_to
    refused(chapter, p.name, wrapped(p, 10**12), "at most|below")
    refused(chapter, p.name, wrapped(p, True))
    refused(chapter, p.name, wrapped(p, "many"))


@pytest.mark.parametrize(("chapter", "p"), named((c, p) for c, p in ALL if p.even))
def test_odd_numbers_are_refused(chapter, p):
    refused(chapter, p.name, wrapped(p, p.min + 1), "even")


@pytest.mark.parametrize(
    ("chapter", "p"), named((c, p) for c, p in ALL if p.type.startswith("list"))
)
def test_empty_lists_and_values_twice_are_refused(chapter, p):
    refused(chapter, p.name, [], "at least one value")
    refused(chapter, p.name, [p.default[0]] * 2)
    if p.most is not None:
        several = list(range(p.most + 1))
        refused(chapter, p.name, [p.default[0] + 2 * i for i in several], f"at most|{p.most}")
    if p.ascending and len(p.default) > 1:
        refused(chapter, p.name, p.default[::-1], "above the one before")


@pytest.mark.parametrize(("chapter", "p"), named((c, p) for c, p in ALL if p.keys))
def test_unknown_keys_of_mappings_are_refused_with_the_nearest(chapter, p):
    value = next(iter(p.default.values()), p.min if p.min is not None else "x")
    refused(chapter, p.name, {p.keys[0] + "s": value}, f"did you mean '{p.keys[0]}'")


@pytest.mark.parametrize("value", ["", "7", "soon", "-7D", "0h", "90min", "28D", "NaT"])
def test_a_lag_is_a_length_of_time(value):
    refused("foundations", "lag", value)


@pytest.mark.parametrize(
    ("chapter", "values", "words"),
    [
        ("fano", {"allowed_errors": 10}, "below n_epochs, which is 10"),
        ("fano", {"n_epochs": 5}, "allowed_errors is 5; below n_epochs"),
        ("fano_bounds", {"n_epochs": 5}, "allowed_errors is 5; below n_epochs"),
        ("fano_bounds", {"windows": {"flights": "1D"}}, "did you mean"),
    ],
)
def test_what_hangs_on_another_parameter_is_checked_with_it(chapter, values, words):
    with pytest.raises(ParameterError, match=words):
        parameters.over_book(chapter, values)


def test_values_of_others_are_checked_with_them():
    p = Parameter("chosen", "list[int]", [1], "some of all", among=("every", "one"))
    p.check_beside([2, 5], {"every": [1, 2], "one": 5})
    with pytest.raises(
        ParameterError, match=r"chosen is \[3\]; nothing but values of every or one"
    ):
        p.check_beside([3], {"every": [1, 2], "one": 5})


@pytest.mark.parametrize(
    ("chapter", "of"), [pytest.param(c, p.of, id=c) for c, p in ALL if p.name == "path"]
)
def test_a_path_is_refused_if_no_dataset_is_read_from_it(chapter, of, tmp_path):
    assert of
    refused(chapter, "path", str(tmp_path), f"{of} among datasets, which are")
    values = {"path": str(tmp_path), "datasets": ["flights-by-number", of]}
    assert parameters.over_book(chapter, values)["path"]


# -- one's own data --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    return walkers(tmp_path_factory.mktemp("walkers"), n_users=9, days=2)


@pytest.mark.parametrize("chapter", [c for c, p in ALL if p.name == "datasets"])
def test_a_card_is_a_dataset_by_a_path_from_the_book(chapter, card, monkeypatch):
    monkeypatch.chdir(card.parent)
    values = parameters.over_book(chapter, {"datasets": ["walkers.yml", "flights-by-number"]})
    mine, other = values["datasets"]
    assert other == "flights-by-number"
    assert mine.startswith("..")
    assert label(mine) == "walkers"
    named = parameters.paths(chapter, values)
    assert {"walkers.yml", "walkers.csv"} <= set(named)
    assert named["walkers.csv"].read_text() == (card.parent / "walkers.csv").read_text()


def test_a_card_that_is_not_there_or_has_a_datasets_name_is_refused(card):
    refused("crowd", "datasets", ["none.yml"], "a file that is there")
    (card.parent / "cabs.csv").write_text("user,time,roi\n")
    refused("crowd", "datasets", [str(card.parent / "cabs.csv")], "another name")
    refused("crowd", "datasets", [str(card), str(card.parent / "walkers.csv")], "no value twice")


def test_a_column_that_a_file_lacks_is_named(tmp_path):
    def looked_for(chapter, values):
        parameters.check_headers(chapter, [parameters.over_book(chapter, values)])

    table = tmp_path / "mine.csv"
    table.write_text("id,time,roi\n1,2020-01-01 10:00,here\n")
    looked_for("foundations", {"records": str(table), "columns": {"user": "id"}})
    missing = "columns: no column 'who'; one of those of mine.csv was expected: id, time, roi"
    with pytest.raises(ParameterError, match=missing):
        looked_for("foundations", {"records": str(table), "columns": {"user": "who"}})
    card = tmp_path / "mine.yml"
    card.write_text("path: mine.csv\ncolumns: {user: who}\n")
    with pytest.raises(ParameterError, match=f"mine.yml, line 2: {missing}"):
        looked_for("crowd", {"datasets": [str(card)]})
    table.write_text("id,span\n")
    with pytest.raises(
        ParameterError, match=r"mine.csv: columns does not say which column is time"
    ):
        looked_for("crowd", {"datasets": [str(table)]})


def test_mappings_may_name_ones_own_data_if_they_are_chosen(card):
    both = {"datasets": [str(card)], "kappas": {"walkers": 5}}
    assert parameters.over_book("crowd_defenses", both)["kappas"] == {"walkers": 5}
    refused("crowd_defenses", "kappas", {"walkers": 5}, "names among")


@pytest.mark.parametrize(
    ("name", "called"),
    [("cabs", "cabs"), ("a/b/my.walk.csv.gz", "my.walk"), ("../walkers.yml", "walkers")],
)
def test_files_are_called_by_their_names_alone(name, called):
    assert label(name) == called

"""The 31 ways in which the house broke when it was first attacked: none of them breaks it again.

A number stands for a finding. Those in COVERED are held by the tests named there, the others here.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lib import accounting, aggregation, localization, mechanisms, metrics
from lib.__main__ import main
from lib.chapters import parameters
from lib.chapters.parameters import ParameterError
from lib.datasets import load, loader
from lib.membership import (
    LikelihoodRatio,
    MetaClassifier,
    OneThreshold,
    TwoThreshold,
    sparse_logistic,
)
from lib.papers import figures
from lib.traces import Traces
from tests import memory
from tests.fuzz.parameters import BOMB

TESTS = Path(__file__).parents[1]
FEW_BYTES = 2_000_000  # for refusing a value
WRITTEN = "".join(file.read_text() for file in TESTS.rglob("test_*.py"))
COVERED = {
    "A1": ["test_cells_that_32_bits_cannot_number_are_refused_with_what_to_choose"],
    "A3": ["test_codes_are_whole_in_range_and_aligned"],
    "A4": [
        "test_a_matrix_holds_each_visit_once_and_inside",
        "test_users_places_and_epochs_are_what_they_should_be",
    ],
    "A7": ["test_duplicate_headers_and_columns_in_two_roles_are_refused"],
    "A8": ["test_errors_refuse_other_users_places_or_days_of_the_same_shape"],
    "B10": ["test_every_figure_takes_one_dataset_alone"],
    "B11": ["test_one_dataset_is_enough_and_networks_have_the_cells_they_were_asked_for"],
    "B12": ["test_the_middle_is_what_was_asked_for_or_the_tens_that_all_targets_have"],
    "B16": ["test_a_window_that_is_no_length_is_refused_by_name"],
    "C19": ["test_one_dataset_gives_the_same_rows_alone"],
    "D22": ["test_a_value_or_a_sweep_file_that_is_no_such_yaml_is_named"],
    "D23": ["test_values_of_another_kind_are_refused_shortly"],
    "D24": ["test_arguments_that_mean_nothing_are_refused_by_name"],
    "D25": [
        "test_killed_at_random_moments_it_goes_on_to_the_same_table",
        "test_more_than_ten_thousand_runs_are_counted_and_not_looked_at",
        "test_a_folder_with_everything_in_it_is_not_read",
    ],
    "D26": ["test_damaged_files_are_refused_whatever_packs_them"],
    "D27": ["test_cases_are_refused_with_advice_or_right", "test_bad_input_is_named"],
    "D28": ["test_ctrl_c_while_modules_are_imported_is_one_line"],
    "D29": ["test_the_notebook_of_a_sweep_is_a_chapters_name"],
}
SIX = load("six-users")
ROWS, MEMBERS = np.arange(40.0).reshape(20, 2), np.repeat([1, 0], 10)


def records(tmp_path, *lines):
    file = tmp_path / "mine.csv"
    file.write_text("\n".join(["user,time,roi", *lines]))
    return file


@pytest.mark.parametrize("number", COVERED)
def test_a_finding_has_its_test(number):
    for test in COVERED[number]:
        assert f"\ndef {test}(" in WRITTEN, test


def test_every_finding_is_here_or_there():
    here = set(re.findall(r'id="([A-D]\d+)"', Path(__file__).read_text()))
    numbers = [int(number[1:]) for number in here | COVERED.keys()]
    assert sorted(numbers) == list(range(1, 32))


# -- refused by name -------------------------------------------------------------------------------

LAPLACE = mechanisms.Laplace(1.0)


def released(epsilon):
    return mechanisms.release_traces(
        SIX, [[0, 1]], [mechanisms.Laplace(epsilon)], np.random.default_rng(0)
    )


def asked_for_more(kind):
    return kind.fit(ROWS, MEMBERS).decision_function(ROWS[:, [0, 1, 1]])


REFUSED = [
    pytest.param(
        lambda: aggregation.aggregate_cells(SIX, [[0]], np.array([np.nan])), "nan", id="A2"
    ),
    pytest.param(lambda: aggregation.aggregate_cells(SIX, [[0]], np.array([0.5])), "0.5", id="A2"),
    pytest.param(lambda: released(1e-320), "epsilon is", id="A9"),
    pytest.param(lambda: asked_for_more(OneThreshold()), "3 columns", id="A9"),
    pytest.param(lambda: asked_for_more(TwoThreshold()), "3 columns", id="A9"),
    pytest.param(lambda: asked_for_more(LikelihoodRatio(LAPLACE)), "3 columns", id="A9"),
    pytest.param(lambda: asked_for_more(MetaClassifier(max_epochs=1)), "3 columns", id="A9"),
    pytest.param(lambda: OneThreshold().fit(ROWS * 1j, MEMBERS), "real numbers", id="A9"),
    pytest.param(lambda: metrics.auc(MEMBERS, ROWS[:, 0] * 1j), "real numbers", id="A9"),
    pytest.param(
        lambda: parameters.over_book("crowd", {"inference": 24}), "inference is 24", id="B15"
    ),
    pytest.param(
        lambda: parameters.over_book("knock_knock", {"alphas": {"nobody": 0.1}}),
        "alphas is",
        id="B13",
    ),
    pytest.param(
        lambda: parameters.over_book("crowd_defenses", {"epsilons": []}), "epsilons is", id="B18"
    ),
    pytest.param(
        lambda: parameters.over_book("crowd_defenses", {"ps": [0.5, 0.1]}), "ps is", id="B18"
    ),
    pytest.param(
        lambda: parameters.over_book("crowd_defenses", {"ps": [0.5, 0.5]}), "ps is", id="B18"
    ),
    pytest.param(
        lambda: parameters.over_book("knock_knock", {"n_train": 21}), "n_train is 21", id="B18"
    ),
    pytest.param(lambda: parameters.over_book("foundations", {"lag": "soon"}), "lag is", id="B18"),
    pytest.param(
        lambda: parameters.over_book("crowd_defenses", {"kappas": {"flights-by-tail": "x"}}),
        "kappas is",
        id="B18",
    ),
    pytest.param(lambda: accounting.expected_accuracy(0.1, 10**7), "30,?000", id="D27"),
    pytest.param(lambda: metrics.auc(None, None), "members is None", id="D27"),
    pytest.param(lambda: localization.bayes(None, None), "prior is None", id="D27"),
    pytest.param(lambda: loader(None), "None", id="D27"),
    pytest.param(lambda: OneThreshold().predict(ROWS), "not fitted", id="D27"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_it_is_refused_by_name(call, words):
    with pytest.raises(ValueError, match=words) as refused:
        call()
    assert len(str(refused.value)) < 2000


@pytest.mark.parametrize(
    "times",
    [
        pytest.param(["12/03/2013", "11/03/2013"], id="A6"),
        pytest.param(["13/03/2013", "03/13/2013"], id="A6"),
        *(
            pytest.param([text], id="A6")
            for text in ("10:00", "now", "March", "-5", "20130304", "true")
        ),
    ],
)
def test_a_time_that_would_be_guessed_is_refused(tmp_path, times):
    either = "|".join(re.escape(text[:8]) for text in times)
    with pytest.raises(ValueError, match=rf"mine\.csv, line \d.*({either})"):
        load(records(tmp_path, *(f"a,{text},x" for text in times)))


@pytest.fixture(scope="module")
def imported():
    """All modules that the command needs, which take memory themselves."""
    assert main(["run", "foundations", "-p", "seed", "x"]) == 2


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("9" * 400, id="D20"),
        pytest.param(BOMB, id="D21"),
        pytest.param("!a b", id="D22"),
    ],
)
@pytest.mark.usefixtures("imported")
def test_a_value_costs_no_more_than_one_line(capsys, value):
    with memory.at_most(FEW_BYTES):
        assert main(["run", "foundations", "-p", "seed", value]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and len(said) < 2000


@pytest.mark.parametrize("iterations", [pytest.param(1, id="B17")])
def test_a_solver_that_was_stopped_at_once_has_a_gap(iterations):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rows = sparse_logistic.Rows((1000 * rng.random((30, 20))).astype(np.float32))
        found = sparse_logistic.fit(rows, MEMBERS, solver="saga", iterations=iterations)
        assert 0 <= found.gap <= 1


# -- right -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ids",
    [
        pytest.param(["1", "01", "001", "1e3", "1000", "007", "7"], id="A5"),
        pytest.param(["9007199254740993", "9007199254740992", "NA", "null", "None"], id="A5"),
    ],
)
def test_ids_are_never_merged_or_dropped(tmp_path, ids):
    found = load(records(tmp_path, *(f"{i},2013-03-04T1{n}:00,{i}" for n, i in enumerate(ids))))
    assert sorted(found.users) == sorted(found.rois.index) == sorted(ids)


def test_a_line_is_not_cut_where_other_lines_are_not(tmp_path):
    file = records(tmp_path, "a,2013-03-04T10:00,x", "b\rc,2013-03-04T10:00,x")
    with pytest.raises(ValueError, match=r"mine\.csv, line 3: a carriage return"):
        load(file)
    file.write_bytes(b'user,time,roi\r\n"b\rc",2013-03-04T10:00,x\r\n')
    assert list(load(file).users) == ["b\rc"]
    file.write_bytes(b"user,time,roi\rb,2013-03-04T10:00,x\rc,2013-03-04T10:00,x\r")
    assert list(load(file).users) == ["b", "c"]


@pytest.mark.parametrize(
    ("chapter", "values"),
    [
        pytest.param("fano_bounds", {"map_sizes": [10]}, id="B14"),
        pytest.param("knock_knock", {"alphas": {"cabs": 0.1}}, id="B13"),
    ],
)
def test_lists_of_one_and_single_datasets_are_taken_or_refused_beforehand(chapter, values):
    try:
        taken = parameters.over_book(chapter, values)
    except ParameterError as error:
        assert str(error).startswith(f"{next(iter(values))} is ")
    else:
        assert values.items() <= taken.items()


@pytest.mark.parametrize("number", [pytest.param(30, id="D30")])
def test_the_how_to_says_whom_a_scheduler_trusts(number):
    text = " ".join((TESTS.parent / "book" / "reference" / "commands.md").read_text().split())
    assert "dask scheduler --host 127.0.0.1 --dashboard-address 127.0.0.1:" in text
    assert "Anyone who can reach a Dask scheduler or worker can run code on that machine" in text


@pytest.mark.parametrize("number", [pytest.param(31, id="D31")])
def test_ids_are_escaped_where_pages_show_them(number, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda what, **_: shown.append(what))
    hostile = "<script>alert(1)</script>"
    frame = pd.DataFrame({hostile: [hostile]}, index=pd.Index([hostile], name=hostile))
    figures.display_table(frame)
    figures.display_table(frame.map(lambda text: text * 20))
    for html in (shown[0].to_html(), shown[1]["text/html"]):
        assert "<script" not in html
        assert html.count("&lt;script&gt;") >= 4


def test_traces_of_hostile_ids_are_selected_by_them():
    ids = ["<b>", "nan", "", "a\nb"]
    matrix = np.eye(4, 4, dtype=int)
    rois = pd.DataFrame({"lat": [1.0], "lon": [1.0]}, index=["x"])
    epochs = pd.date_range("2013-03-04", periods=4, freq="1h", tz="UTC")
    traces = Traces(matrix, ids, rois, epochs)
    assert [traces.trace(user).sum() for user in ids] == [1, 1, 1, 1]

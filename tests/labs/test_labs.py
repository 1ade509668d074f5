"""Labs as they are written: steps, points, minutes, wrong answers, links; and what reads them."""

import re
from typing import NamedTuple

import jupytext
import pytest
import yaml

from lib.chapters import labs
from tests.labs import proof

ROOT = labs.ROOT
NAMES = labs.names()


def links(text):
    """Where the Markdown links of a text lead, those without a scheme, less fragments."""
    return re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)


def pinned(lock):
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / lock).read_text(), re.M))


def test_labs_are_numbered_from_one_in_the_order_of_the_course():
    titles = [labs.read(name).text.strip().splitlines()[0] for name in NAMES]
    assert [title.split(":")[0] for title in titles] == [
        f"# Lab {i}" for i in range(1, len(NAMES) + 1)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_lab_has_six_to_ten_steps_with_points_and_hints(name):
    steps = labs.read(name).steps
    assert 6 <= len(steps) <= 10
    assert len({step.name for step in steps}) == len(steps)
    for i, step in enumerate(steps, 1):
        assert step.points > 0
        assert step.text.startswith(f"## Step {i}: "), step.name
        assert set(step.hidden) == {False, True}, f"{step.name}: visible and hidden tests"
        assert all("failure_message: " in test for test in step.tests), step.name
        assert re.search(r"# (BEGIN )?SOLUTION", step.answer), step.name


@pytest.mark.parametrize("name", NAMES)
def test_a_labs_minutes_are_those_of_its_steps(name):
    lab = labs.read(name)
    minutes = [int(found) for found in re.findall(r"^## Step .* \((\d+) minutes\)", lab.text, re.M)]
    (said,) = re.findall(r"^\*(\d+) minutes, ", lab.text, re.M)
    assert len(minutes) == len(lab.steps)
    assert sum(minutes) == int(said)
    assert 60 <= sum(minutes) <= 90
    assert "*Stretch.*" in lab.text


@pytest.mark.parametrize("name", NAMES)
def test_each_step_has_two_wrong_answers_that_are_no_solution(name):
    lab, wrong = labs.read(name), proof.wrong_answers(name)
    assert list(wrong) == [step.name for step in lab.steps]
    for step in lab.steps:
        assert len(wrong[step.name]) >= 2, step.name
        assert len({each.code for each in wrong[step.name]}) == len(wrong[step.name])
        for each in wrong[step.name]:
            compile(each.code, step.name, "exec")
            assert each.code.strip() != step.answer.strip()
            assert proof._bound(each.code) >= proof._bound(step.answer), f"{step.name}: {each.why}"


@pytest.mark.parametrize("name", NAMES)
def test_links_of_a_student_copy_lead_to_files(name):
    found = links(labs.read(name).text)
    assert any(link.startswith("../../book/") for link in found), "a lab names its chapter"
    for link in found:
        assert (ROOT / "labs" / "student" / link).resolve().is_file(), link


def test_a_question_without_an_end_is_refused(tmp_path, monkeypatch):
    source = (labs.SOURCES / f"{NAMES[0]}.py").read_text()
    broken = source.replace("# # END SOLUTION\n", "# # END TESTS\n", 1)
    assert broken != source
    (tmp_path / f"{NAMES[0]}.py").write_text(broken)
    monkeypatch.setattr(labs, "SOURCES", tmp_path)
    with pytest.raises(ValueError, match="END TESTS stands inside SOLUTION"):
        labs.read(NAMES[0])


def test_a_lab_that_is_not_there_is_refused_with_the_nearest_name():
    with pytest.raises(ValueError, match="did you mean foundations"):
        labs.find_lab("foundation")


def test_without_the_sources_a_student_copy_is_opened_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(labs, "SOURCES", tmp_path / "none")
    monkeypatch.setattr(labs, "MADE", tmp_path)
    (tmp_path / "student").mkdir()
    (tmp_path / "student" / "fano.ipynb").write_text("handed out")
    assert labs.student_copy("fano").read_text() == "handed out"
    with pytest.raises(ValueError, match=r"no lab 'crowd'; it has fano$"):
        labs.student_copy("crowd")


def test_a_leak_is_found(tmp_path):
    lab, wrong = labs.read("foundations"), proof.wrong_answers("foundations")
    source = jupytext.read(labs.SOURCES / "foundations.py")
    whole = jupytext.writes(source, fmt="ipynb")
    found = proof.leaks(lab, wrong, whole)
    assert any("'SOLUTION'" in each for each in found)
    assert any("hidden test" in each for each in found)
    assert any(each.startswith("auc: the student copy has the solution's") for each in found)
    source.cells = [cell for cell in source.cells if cell.cell_type == "markdown"]
    assert proof.leaks(lab, wrong, jupytext.writes(source, fmt="ipynb")) == []


def test_the_course_lock_has_the_versions_of_the_lock():
    course, lock = pinned("requirements-course.lock"), pinned("requirements.lock")
    differing = {name for name in course.keys() & lock.keys() if course[name] != lock[name]}
    assert differing == {"wrapt"}  # otter-grader wants an older one
    assert course["otter-grader"] == "7.0.0"
    direct = re.findall(r"^([\w-]+)", (ROOT / "requirements-course.in").read_text(), re.M)
    assert set(direct) <= set(course)
    assert "://" not in (ROOT / "requirements-course.lock").read_text()


def test_wrong_answers_are_plain_yaml():
    for name in NAMES:
        text = (labs.SOURCES / "wrong" / f"{name}.yml").read_text()
        assert all(
            {"why", "code"} == set(each)
            for those in yaml.safe_load(text).values()
            for each in those
        )


class Condition:
    """What a step's tests are to the player: here a condition on the names that are there."""

    def __init__(self, condition):
        self.source, self.test_case_results = f"assert {condition}", []

    def run(self, space):
        passed = bool(eval(self.source.removeprefix("assert "), space))
        self.test_case_results = [Case(passed, self.source)]


class Case(NamedTuple):
    passed: bool
    message: str


def played(second, wrong):
    """A lab of two steps, played with one wrong answer to the first: what is found wrong."""
    first = labs.Step("first", 1, "", "", "a = 1  # SOLUTION", [], [])
    later = labs.Step("second", 1, "", "", second, [], [])
    lab = labs.Lab("two", ["start = 0", first, later], "")
    tests = {"first": Condition("a == 1"), "second": Condition("b == 2")}
    return proof._Run(lab, {"first": [proof.Wrong("typical", wrong)]}, tests).problems


def test_a_wrong_answer_must_lose_its_own_step_and_no_other():
    assert played("b = 2", "a = 3") == []
    assert played("b = 2", "a = 1.0") == ["first: 'typical' loses nothing"]
    assert played("b = 2 * a", "a = 3") == ["first: 'typical' loses ['first', 'second']"]
    both = ["first: 'typical' loses ['first', 'second']"]
    assert played("b = 2 + start", "a = 3\nstart = 5") == both


def test_an_answer_that_kills_the_process_is_told():
    assert played("b = 2", "import os\nos._exit(3)") == [
        "first: 'typical' loses ['everything: the process died']"
    ]


def test_a_solution_that_fails_is_told():
    assert played("b = 3", "a = 3") == ["second: the solution fails: assert b == 2"]


def test_feedback_has_the_hints_of_what_was_lost_only():
    graded = {"a": labs.Graded(1, 1, ["well done"]), "b": labs.Graded(0, 3, ["look again"])}
    assert labs._feedback(graded) == "25% of all points\na: 1 of 1\nb: 0 of 3\n  look again\n"


def test_a_copy_with_work_in_it_is_kept(tmp_path, capsys):
    new, to = tmp_path / "new.ipynb", tmp_path / "student" / "lab.ipynb"
    new.write_text("first")
    labs._hand_out(new, to)
    new.write_text("second")
    labs._hand_out(new, to)  # nobody worked on it: renewed
    assert to.read_text() == "second"
    to.write_text("my work")
    new.write_text("third")
    labs._hand_out(new, to)
    assert to.read_text() == "my work"
    assert "which has your work" in capsys.readouterr().out


def test_memory_that_was_held_before_is_not_the_labs(monkeypatch):
    peaks = iter([3 << 30, 3 << 30, 3 << 30, 4 << 30])
    monkeypatch.setattr(proof, "_peak", lambda: next(peaks))
    lab = labs.Lab("small", ["x = 1"], "")
    assert proof._Run(lab, {}, {}).problems == []
    assert proof._Run(lab, {}, {}).problems == ["the lab takes 4.0 GB"]


@pytest.mark.parametrize(
    ("errors", "runs"),
    [
        (["Address already in use", ""], 2),
        (["no such notebook", ""], 1),
        (["Address already in use"] * 5, 3),
    ],
)
def test_otter_runs_again_only_if_a_port_was_taken(monkeypatch, errors, runs):
    left = iter(errors)
    started = []

    def run(command, **_):
        started.append(command)
        text = next(left)
        return labs.subprocess.CompletedProcess(command, int(bool(text)), "", text)

    monkeypatch.setattr(labs.subprocess, "run", run)
    if errors[runs - 1]:
        with pytest.raises(RuntimeError, match=errors[runs - 1]):
            labs._otter("run")
    else:
        labs._otter("run")
    assert len(started) == runs

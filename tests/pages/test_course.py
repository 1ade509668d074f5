"""Quizzes, slides, syllabus and projects: whole, true to the pages, and their commands accepted."""

import copy
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from book._ext import executed, quizzes, slides
from lib.__main__ import _parser, _values
from lib.chapters import parameters
from lib.execution import environment
from lib.papers import command

CHAPTERS = parameters.chapters()
TEACH = Path(environment.book()) / "teach"
PAGES = ["syllabus", "projects", "lecturer"]
SLIDES, MINUTES = range(10, 15), range(35, 61)  # of a deck
IN_ORDER = list(yaml.safe_load((TEACH.parent / "chapters.yml").read_text(encoding="utf-8")))
PARTS = ["Goals", "Reading", "Demonstration", "Quiz", "Lab", "Homework", "Common mistakes"]


def page(name):
    return (TEACH / f"{name}.md").read_text(encoding="utf-8")


# -- quizzes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_quiz_has_five_questions_with_one_right_answer_and_feedback_on_all(chapter):
    found = quizzes.quiz(chapter)
    assert len(found) == quizzes.QUESTIONS
    for question in found:
        assert [answer.right for answer in question.answers].count(True) == 1
        assert len(question.answers) > quizzes.LEAST_WRONG
        assert all(len(answer.feedback) > 20 for answer in question.answers)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_what_a_quiz_asks_and_says_stands_on_the_page(chapter):
    for question in quizzes.quiz(chapter):
        assert executed.heading_of(chapter, question.fact), question.fact
        said = [question.ask, *(answer.feedback for answer in question.answers)]
        said += [answer.says for answer in question.answers if answer.right]
        assert executed.unknown_numbers(chapter, " ".join(said)) == set()


def test_a_fact_or_number_that_is_not_on_the_page_is_noticed():
    assert executed.heading_of("foundations", "a count hides nobody from anybody") == ""
    assert executed.unknown_numbers("foundations", "0.53, 1,054; then 0.5301 and 9,999") == {
        "0.5301",
        "9,999",
    }


def test_the_right_answer_has_no_place_of_its_own():
    places = [
        [answer.right for answer in question.answers].index(True)
        for chapter in CHAPTERS
        for question in quizzes.quiz(chapter)
    ]
    assert max(map(places.count, set(places))) < 0.5 * len(places)


def without(key):
    return lambda listed: listed[2].pop(key)


SPOILT = {
    "no fact": without("fact"),
    "no right answer": without("right"),
    "four questions": lambda listed: listed.pop(),
    "one wrong answer": lambda listed: listed[2].update(wrong=listed[2]["wrong"][:1]),
    "two right answers": lambda listed: listed[2].update(right=[listed[2]["right"]] * 2),
    "no feedback": lambda listed: listed[2]["wrong"][0].pop("why"),
    "empty feedback": lambda listed: listed[2]["wrong"][0].update(why=" "),
    "answers alike": lambda listed: listed[2]["wrong"][0].update(say=listed[2]["right"]["say"]),
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_quiz_is_refused_by_file_and_question(how, tmp_path, monkeypatch):
    file = environment.book() / "quizzes" / "foundations.yml"
    listed = copy.deepcopy(yaml.safe_load(file.read_text(encoding="utf-8")))
    SPOILT[how](listed)
    (tmp_path / "book" / "quizzes").mkdir(parents=True)
    (tmp_path / "book" / "quizzes" / "foundations.yml").write_text(yaml.safe_dump(listed))
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    where = "foundations.yml: " if how == "four questions" else "foundations.yml, question 3: "
    with pytest.raises(ValueError, match=where):
        quizzes.quiz("foundations")


def test_a_quiz_stands_before_the_exercises_and_is_safe_html():
    cells = [{"cell_type": "markdown", "source": "End.\n\n## Exercises\n\nOne."}]
    text = quizzes.with_quiz("foundations", {"cells": cells})["cells"][0]["source"]
    assert text.index("End.") < text.index("## Quiz") < text.index("## Exercises")
    assert text.count('<details class="answer right">') == quizzes.QUESTIONS
    answers = [quizzes.Answer("`a<b`", "*so* <i>", True)]
    shown = quizzes.rendered("foundations", [quizzes.Question("1 < 2?", "Dan", answers)])
    assert "<code>a&lt;b</code>" in shown
    assert "<em>so</em> &lt;i&gt;" in shown
    with pytest.raises(ValueError, match="no heading"):
        quizzes.with_quiz("foundations", {"cells": []})


# -- slides ----------------------------------------------------------------------------------------


def test_every_chapter_has_a_deck():
    assert slides.decks() == CHAPTERS


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_deck_has_notes_to_every_slide_and_only_what_the_page_has(chapter):
    text = slides.source(chapter).read_text(encoding="utf-8")
    each = re.split(r"(?m)^(?=##? )", text)[1:]
    assert len(each) in SLIDES
    assert all(slide.count("```{notes} ") == 1 for slide in each)
    assert sum(slides.minutes(chapter)) in MINUTES
    assert executed.unknown_numbers(chapter, text) == set()
    figures = re.findall(r"```\{figure-of\} (\S+)", text)
    assert len(figures) >= 2
    assert all(executed.figure(chapter, name).alt for name in figures)
    for name in re.findall(r"```\{table-of\} (\S+)", text):
        assert executed.table(chapter, name).count("<tr") > 1
    assert "](" not in text  # a picture or a link would lead out of the deck
    assert "<img" not in text


def test_a_figure_or_table_that_a_chapter_has_not_is_refused_with_those_it_has():
    with pytest.raises(ValueError, match=r"no figure 'fig-weak'; it has: .*fig-week"):
        executed.figure("foundations", "fig-weak")
    with pytest.raises(ValueError, match=r"no table 'prices'; it has: .*price"):
        executed.table("foundations", "prices")


# -- syllabus, projects, commands ------------------------------------------------------------------


def sessions():
    text = page("syllabus").partition("(syllabus-short)=")[0]
    return re.split(r"(?m)^### Session ", text)[1:]


def test_thirteen_sessions_have_all_their_parts_and_ninety_minutes():
    assert len(sessions()) == 13
    for n, session in enumerate(sessions(), 1):
        assert session.startswith(f"{n}. ")
        assert [part for part in PARTS if f"**{part}.**" not in session] == [], n
        assert sum(map(int, re.findall(r"(?m)^\| (\d+) \|", session))) == 90, n
        assert "`python -m lib " in session.partition("**Demonstration.**")[2], n


def slides_and_minutes(session):
    """For each line of a plan that shows slides: its minutes, and those of the slides' notes."""
    chapter = ""
    for planned, what in re.findall(r"(?m)^\| (\d+) \| (slides? .*)\|$", session):
        if named := re.search(r" of chapter (\d+)", what):
            chapter = IN_ORDER[int(named[1]) - 1]
        minutes = slides.minutes(chapter)
        listed = re.match(r"slides? ((?:\d+|to|and|[ ,])*)", what)[1]
        ranges = re.findall(r"(\d+)(?: to (\d+))?", listed) or [("1", len(minutes))]
        shown = [minutes[int(first) - 1 : int(last or first)] for first, last in ranges]
        yield int(planned), sum(map(sum, shown))


def test_slides_fit_the_minutes_of_the_plan():
    found = [pair for session in sessions() for pair in slides_and_minutes(session)]
    assert len(found) >= 14
    assert [(planned, shown) for planned, shown in found if shown > planned + 2] == []
    assert [(planned, shown) for planned, shown in found if shown < planned - 3] == []
    too_many = "| 10 | slides 1 to 3 and 5 of chapter 3 |\n| 5 | slides 12 to 14: errors |"
    assert list(slides_and_minutes(too_many)) == [(10, 17), (5, 10)]


def test_four_half_days_have_three_and_a_half_hours_and_their_slides_fit():
    text = page("syllabus").partition("(syllabus-short)=")[2].partition("(syllabus-reading)=")[0]
    days = text.split("| minutes | what |")[1:]
    assert [sum(map(int, re.findall(r"(?m)^\| (\d+) \|", day))) for day in days] == [210] * 4
    found = [pair for day in days for pair in slides_and_minutes(day)]
    assert len(found) == 6
    assert [(planned, shown) for planned, shown in found if abs(planned - shown) > 2] == []


def test_the_syllabus_reads_every_chapter_and_every_quiz():
    text = page("syllabus")
    for chapter in CHAPTERS:
        assert f"[](../{chapter}.ipynb)" in text
    lines = re.findall(r"(?m)^\*\*Quiz\.\*\* .*$", text)
    asked = [number for line in lines for number in re.findall(r"\b[Cc]hapter (\d+)", line)]
    assert {str(n) for n in range(1, len(CHAPTERS) + 1)} == set(asked)


def test_ten_projects_have_data_a_command_and_a_rubric_of_fifty_points():
    found = re.split(r"(?m)^## (?=\d+\. )", page("projects"))[1:]
    assert len(found) == 10
    for n, project in enumerate(found, 1):
        assert project.startswith(f"{n}. ")
        for part in (
            "Question.",
            "Data.",
            "First command.",
            "Baseline and control.",
            "A good result shows",
            "Where students get stuck.",
            "Rubric.",
        ):
            assert f"**{part}**" in project, (n, part)
        rubric = project.partition("**Rubric.** ")[2]
        assert sum(map(int, re.findall(r"(?:^|; )(\d+) ", rubric))) == 50, n


@pytest.mark.skipif(not (environment.ROOT / ".git").exists(), reason="a folder without history")
def test_the_folder_for_a_graded_class_has_no_solution(tmp_path):
    (line,) = re.findall(r"(?m)^git archive .* \| tar x -C \.\.$", page("lecturer"))
    line = line.removesuffix("..") + shlex.quote(str(tmp_path))
    subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=environment.ROOT, check=True)
    assert (tmp_path / "course" / "lib" / "chapters" / "labs.py").is_file()
    assert not (tmp_path / "course" / "notebooks" / "labs").exists()
    texts = (tmp_path / "course").rglob("*.[pmiy]*")  # .py, .md, .ipynb, .yml
    assert [file for file in texts if b"# END " + b"SOLUTION" in file.read_bytes()] == []


def commands():
    """Every command that a page names, in a block or in a line."""
    for name in PAGES:
        text = page(name)
        blocks = re.findall(r"(?ms)^```\n(.*?)^```$", text)
        lines = [line for block in blocks for line in block.splitlines()]
        for line in [*lines, *re.findall(r"`([^`\n]+)`", text)]:
            if line.startswith(("python -m lib ", "make ")):
                yield name, line


COMMANDS = sorted(set(commands()))


def accepted(line):
    """Whether `python -m lib` or `make` would do what a line says; an exception where not."""
    words = shlex.split(line)
    if words[0] == "make":
        makefile = (environment.ROOT / "Makefile").read_text()
        for word in words[1:]:
            if word.startswith("LAB="):
                assert (environment.notebooks() / "labs" / f"{word[4:]}.py").exists(), word
        (target, *_) = [word for word in words[1:] if "=" not in word]
        return bool(re.search(rf"(?m)^{re.escape(target)}:", makefile))
    options = _parser().parse_args(words[3:])
    if words[3] == "run":
        parameters.over_book(options.notebook, _values(options))
    if words[3] == "experiments":
        assert command.list_experiments(options.names) == 0
    return True


@pytest.mark.parametrize(("where", "line"), COMMANDS)
def test_a_command_that_a_page_names_is_accepted(where, line):
    assert accepted(line), (where, line)


def test_a_command_that_is_wrong_is_noticed():
    assert len(COMMANDS) > 20
    assert not accepted("make slide")
    with pytest.raises(SystemExit):
        accepted("python -m lib walk foundations")
    with pytest.raises(ValueError, match="n_target"):
        accepted("python -m lib run foundations -p n_target 5")
    with pytest.raises(ValueError, match="kkk"):
        accepted("python -m lib experiments kkk")


def test_the_printed_worksheet_has_the_numbers_of_the_page():
    html = (TEACH.parent / "static" / "threshold-worksheet.html").read_text(encoding="utf-8")
    sheet = re.sub(r"<style.*?</style>|<[^>]+>", " ", html, flags=re.DOTALL)
    shown = (TEACH.parent / "replication" / "threshold.ipynb").read_text(encoding="utf-8")
    on_sheet, on_page = (set(map(float, re.findall(r"\d+\.\d{3,}", t))) for t in (sheet, shown))
    assert len(on_sheet) >= 10
    assert on_sheet - on_page == set()

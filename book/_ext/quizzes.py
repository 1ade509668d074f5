"""The quiz of each chapter: `book/quizzes/<chapter>.yml`, put before the exercises in every build.

An answer is a `<details>`: a click or a key opens what is to be said of it, without any script, and
a screen reader knows what it is. On paper the answers stand below, under their own heading.
"""

from __future__ import annotations

import html
import re
from hashlib import sha256
from typing import Any, NamedTuple

import yaml
from docutils.nodes import make_id

from book._ext import executed
from lib.execution import environment

QUESTIONS = 5
LEAST_WRONG = 2  # wrong answers of a question
_BEFORE = "## Exercises"
_KEYS = {"ask", "fact", "right", "wrong"}


class Answer(NamedTuple):
    """One answer and the feedback that readers get when they choose it."""

    says: str
    feedback: str
    right: bool


class Question(NamedTuple):
    """A question, its answers in the order shown, and the page's sentence or number behind it."""

    ask: str
    fact: str
    answers: list[Answer]


def quiz(chapter: str) -> list[Question]:
    """Return the questions of a chapter.

    Raises ValueError, naming file and question, where there are not five, where one does not have a
    fact, one right answer and at least two wrong ones, each with its feedback, or where two answers
    read alike.
    """
    file = environment.book() / "quizzes" / f"{chapter}.yml"
    if not file.exists():
        raise ValueError(f"{chapter} has no quiz: {file.parent.name}/{file.name} was expected")
    listed = yaml.safe_load(file.read_text(encoding="utf-8"))
    if not isinstance(listed, list) or len(listed) != QUESTIONS:
        raise ValueError(f"{file.name}: a list of {QUESTIONS} questions was expected")
    return [_question(f"{file.name}, question {n}", each) for n, each in enumerate(listed, 1)]


def _question(place: str, found: Any) -> Question:
    if not isinstance(found, dict) or set(found) != _KEYS:
        raise ValueError(f"{place}: {', '.join(sorted(_KEYS))} were expected, and nothing else")
    wrong = found["wrong"]
    if not isinstance(wrong, list) or len(wrong) < LEAST_WRONG:
        raise ValueError(f"{place}: at least {LEAST_WRONG} wrong answers were expected")
    answers = [_answer(place, found["right"], True)]
    answers += [_answer(place, each, False) for each in wrong]
    said = [each.says for each in answers]
    if len(set(said)) < len(said):
        raise ValueError(f"{place}: two answers read alike")
    ask, fact = _text(place, found, "ask"), _text(place, found, "fact")
    answers.sort(key=lambda answer: sha256(f"{ask}{answer.says}".encode()).hexdigest())
    return Question(ask, fact, answers)


def _answer(place: str, found: Any, right: bool) -> Answer:
    if not isinstance(found, dict) or set(found) != {"say", "why"}:
        raise ValueError(f"{place}: an answer is given as `say` and `why`")
    return Answer(_text(place, found, "say"), _text(place, found, "why"), right)


def _text(place: str, found: dict[str, Any], key: str) -> str:
    text = str(found[key] if found[key] is not None else "")
    if not text.strip():
        raise ValueError(f"{place}: `{key}` is empty")
    return " ".join(text.split())


def with_quiz(chapter: str, notebook: dict[str, Any]) -> dict[str, Any]:
    """Insert the quiz of a chapter before its exercises.

    Raises ValueError for a chapter without exercises.
    """
    cells = notebook["cells"]
    for i, cell in enumerate(cells):
        before, found, after = "".join(cell["source"]).partition(_BEFORE)
        if cell["cell_type"] == "markdown" and found:
            shown = f"## Quiz\n\n````{{raw}} html\n{rendered(chapter, quiz(chapter))}\n````\n\n"
            cells[i] = cell | {"source": f"{before}{shown}{found}{after}"}
            return notebook
    raise ValueError(f"{chapter} has no heading {_BEFORE!r} before which its quiz could stand")


def rendered(chapter: str, questions: list[Question]) -> str:
    """Return a quiz as HTML."""
    parts = ['<div class="quiz">', f"<p>{_HOW}</p>"]
    for n, question in enumerate(questions, 1):
        parts.append(f'<div class="question" role="group" aria-labelledby="quiz-{n}">')
        parts.append(f'<p id="quiz-{n}"><strong>{n}.</strong> {_marked(question.ask)}</p>')
        for letter, answer in zip("abcdef", question.answers, strict=False):
            kind, word = ("right", "Right.") if answer.right else ("wrong", "No.")
            parts.append(
                f'<details class="answer {kind}"><summary>{letter}. {_marked(answer.says)}'
                f"</summary><p><strong>{word}</strong> {_marked(answer.feedback)}</p></details>"
            )
        parts.append("</div>")
    parts += ['<details class="key"><summary>All answers</summary><ol>']
    parts += [f"<li>{_key(chapter, question)}</li>" for question in questions]
    return "\n".join([*parts, "</ol></details>", "</div>"])


_HOW = "Choose an answer: it opens, and says why. Try to answer before you look."


def _key(chapter: str, question: Question) -> str:
    letter, right = next(
        (letter, answer)
        for letter, answer in zip("abcdef", question.answers, strict=False)
        if answer.right
    )
    heading = executed.heading_of(chapter, question.fact)
    place = make_id(heading.replace("'", ""))  # an apostrophe is curled before Sphinx does this
    link = f'<a href="#{place}">{html.escape(heading)}</a>'
    return f"<strong>{letter}.</strong> {_marked(right.feedback)} Read again: {link}."


def _marked(text: str) -> str:
    """Plain text as HTML; `code` and *emphasis* as in Markdown."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(r"(?<!\w)\*([^*]+)\*(?!\w)", r"<em>\1</em>", text)

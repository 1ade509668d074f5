"""Labs: student copies, autograders and solutions from one source each, and the proof of all.

A lab is `notebooks/labs/<lab>.py`, in Otter Assign's format (v1): raw cells mark questions,
solutions and tests. `notebooks/labs/wrong/<lab>.yml` has typical wrong answers to each question.
Otter-Grader and JupyterLab live in an environment of their own (`requirements-course.lock`), where
this runs: `python -m lib.chapters.labs open|make|check|grade|board`.
"""

from __future__ import annotations

from lib.execution import ONE_THREAD

if __name__ == "__main__":
    import os

    # before numpy is loaded; labs are silent, and draw into files
    os.environ |= ONE_THREAD | {"TQDM_DISABLE": "1", "MPLBACKEND": "Agg"}

import argparse
import ast
import contextlib
import io
import json
import linecache
import multiprocessing
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import jupytext
import nbformat
import yaml

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "notebooks" / "labs"
MADE = ROOT / "labs"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
CONFIG = """# ASSIGNMENT CONFIG
name: {name}
check_all_cell: true
export_cell: false
show_question_points: true
run_tests: false
tests:
    ok_format: false
"""
MOST_BYTES = 2 << 30
_SHORTEST = 12  # characters of a line that tells something of a solution


class Step(NamedTuple):
    """A question: its name and points, what a student reads, and code that answers it.

    given   code of the question that the student gets, before the answer
    answer  the solution, as one piece of code, with its marks
    tests   source of each test; `hidden` says of each whether the student copy is without it
    """

    name: str
    points: float
    text: str
    given: str
    answer: str
    tests: list[str]
    hidden: list[bool]


class Lab(NamedTuple):
    """A lab as it is played: code that is given, or a step, in order; and all its text."""

    name: str
    parts: list[str | Step]
    text: str

    @property
    def steps(self) -> list[Step]:
        """The graded parts, in order."""
        return [part for part in self.parts if isinstance(part, Step)]


class Wrong(NamedTuple):
    """A typical wrong answer, and why somebody gives it."""

    why: str
    code: str


# -- reading ---------------------------------------------------------------------------------------


def names() -> list[str]:
    """The labs there are, in the order of the course (the number in each title)."""
    texts = {file.stem: file.read_text(encoding="utf-8") for file in SOURCES.glob("*.py")}
    return sorted(texts, key=lambda name: int(re.findall(r"# # Lab (\d+)", texts[name])[0]))


def called(name: str) -> str:
    """The name itself; ValueError if there is no such lab."""
    if name in names():
        return name
    near = get_close_matches(name, names(), 1)
    hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(names())}"
    raise ValueError(f"no lab is called {name!r}{hint}")


def read(name: str) -> Lab:
    """A lab's source, taken apart. ValueError if marks are missing or in a wrong place."""
    parts: list[str | Step] = []
    text, inside, question = [], "", _Question()
    for cell in _notebook(name).cells:
        mark = re.match(r"# (BEGIN|END) (QUESTION|SOLUTION|TESTS)\b", cell.source)
        if cell.cell_type == "raw" and not mark:
            raise ValueError(f"{name}: a raw cell is no mark: {cell.source!r}")
        if cell.cell_type == "raw" and mark:
            inside = _passed(name, inside, *mark.groups())
            if mark.groups() == ("BEGIN", "QUESTION"):
                question = _Question(yaml.safe_load(cell.source.split("\n", 1)[1]))
            elif mark.groups() == ("END", "QUESTION"):
                parts.append(question.step())
        elif cell.cell_type == "code" and not inside:
            parts.append(cell.source)
        elif inside:
            question.add(inside, cell)
        text.append(cell.source if cell.cell_type == "markdown" else "")
    return Lab(name, parts, "\n".join(text))


def wrong_answers(name: str) -> dict[str, list[Wrong]]:
    """Typical wrong answers of a lab: those of each step."""
    read_in = yaml.safe_load((SOURCES / "wrong" / f"{name}.yml").read_text())
    return {step: [Wrong(**each) for each in those] for step, those in read_in.items()}


class _Question:
    """What is gathered of a question, cell by cell."""

    def __init__(self, config: dict[str, Any] | None = None):
        self.config = config or {}
        self.code: dict[str, list[str]] = {"QUESTION": [], "SOLUTION": []}
        self.text: list[str] = []
        self.tests: list[str] = []

    def add(self, block: str, cell: nbformat.NotebookNode) -> None:
        if cell.cell_type == "markdown":
            self.text.append(cell.source)
        elif block == "TESTS":
            self.tests.append(cell.source)
        else:
            self.code[block].append(cell.source)

    def step(self) -> Step:
        hidden = []
        for test in self.tests:
            said = re.match(r'""" # BEGIN TEST CONFIG\n(.*?)\n""" +# END', test, re.DOTALL)
            hidden.append(bool(said and yaml.safe_load(said[1]).get("hidden")))
        given, answer = ("\n".join(self.code[block]) for block in ("QUESTION", "SOLUTION"))
        return Step(
            self.config["name"],
            self.config["points"],
            "\n".join(self.text),
            given,
            answer,
            self.tests,
            hidden,
        )


_INSIDE = {"": "QUESTION", "QUESTION": "SOLUTION TESTS"}  # which block may begin in which


def _passed(name: str, inside: str, what: str, block: str) -> str:
    """The block that one is in after a mark."""
    if what == "BEGIN" and block in _INSIDE.get(inside, ""):
        return block
    if what == "END" and block == inside:
        return "" if block == "QUESTION" else "QUESTION"
    raise ValueError(f"{name}: {what} {block} stands inside {inside or 'no question'}")


def _notebook(name: str) -> nbformat.NotebookNode:
    return jupytext.read(SOURCES / f"{name}.py")


# -- making ----------------------------------------------------------------------------------------


def make(name: str, folder: Path = MADE) -> None:
    """Writes student/<lab>.ipynb, autograder/<lab>.zip and solutions/<lab>.ipynb into a folder.

    A student copy that somebody has worked on is kept: delete it to start afresh.
    """
    notebook = _notebook(name)
    notebook.metadata["kernelspec"] = KERNEL
    notebook.cells.insert(0, nbformat.v4.new_raw_cell(CONFIG.format(name=name)))
    with tempfile.TemporaryDirectory() as temporary:
        source, made = Path(temporary, f"{name}.ipynb"), Path(temporary, "made")
        nbformat.write(notebook, source)
        _otter("assign", "--no-pdfs", source, made)
        (zipped,) = (made / "autograder").glob("*.zip")
        _put(zipped, folder / "autograder" / f"{name}.zip")
        _put(made / "autograder" / source.name, folder / "solutions" / source.name)
        _hand_out(made / "student" / source.name, folder / "student" / source.name)


def _hand_out(new: Path, to: Path) -> None:
    """Puts a student copy where it belongs, unless there is one with somebody's work in it."""
    kept = to.with_name(f".{to.stem}.as-given")  # to tell whether the copy is as it was given
    fresh = not to.exists() or (kept.exists() and to.read_bytes() == kept.read_bytes())
    if fresh:
        _put(new, to)
        _put(new, kept)
    else:
        print(f"kept {_shown(to)}, which has your work; delete it to start afresh")


def _put(file: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def _otter(*arguments: str | Path) -> None:
    """Runs Otter's command; what it said is shown if it fails."""
    command = [sys.executable, "-m", "otter", *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise RuntimeError(f"otter {arguments[0]} failed:\n{done.stdout}{done.stderr}")


class Graded(NamedTuple):
    """A step of a notebook that was handed in: points, possible points, hints for what failed."""

    got: float
    most: float
    hints: list[str]


def grade(name: str, submission: Path, autograder: Path) -> dict[str, Graded]:
    """Each step of a notebook that was handed in, hidden tests included, by Otter's own run."""
    with tempfile.TemporaryDirectory() as out:
        copy = Path(out, f"{name}.ipynb")  # Otter wants the name that it gave
        shutil.copyfile(submission, copy)
        _otter("run", "--no-logo", "-a", autograder.resolve(), "-o", out, copy)
        tests = json.loads(Path(out, "results.json").read_text())["tests"]
    steps = [each for each in tests if "score" in each]
    return {
        each["name"]: Graded(
            each["score"], each["max_score"], re.findall(r" message: (.+)", each["output"])
        )
        for each in steps
    } or {"nothing could be graded": Graded(0.0, 1.0, [])}


def share(steps: dict[str, Graded]) -> float:
    """Points of all possible points, from 0 to 1."""
    return sum(each.got for each in steps.values()) / sum(each.most for each in steps.values())


# -- checking --------------------------------------------------------------------------------------


class Checked(NamedTuple):
    """What a lab's check found: what is wrong with it, and a line that says what was tried."""

    problems: list[str]
    line: str


def check(name: str) -> Checked:
    """Proves a lab: solution 100%, empty copy 0, no leak, each wrong answer loses its own step."""
    start, lab, wrong = time.monotonic(), read(name), wrong_answers(name)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make(name, folder)
        autograder = folder / "autograder" / f"{name}.zip"
        student, solution = (folder / of / f"{name}.ipynb" for of in ("student", "solutions"))
        problems = leaks(lab, wrong, student.read_text())
        for copy, wanted in ((solution, 1.0), (student, 0.0)):
            points = grade(name, copy, autograder)
            if share(points) != wanted:
                what = f"{copy.parent.name} copy scores {share(points):.0%}, not {wanted:.0%}"
                lost = [step for step, each in points.items() if each.got != wanted * each.most]
                problems.append(f"{what}: {', '.join(lost)}")
        with contextlib.chdir(folder):  # where a lab may write
            play = _Play(lab, wrong, _test_files(autograder))
        problems += play.problems
    seconds = play.seconds
    line = (
        f"{name}: {len(lab.steps)} steps; solution and empty copy graded; "
        f"{sum(map(len, wrong.values()))} wrong answers; slowest step {max(seconds):.1f} s "
        f"of processor, lab {sum(seconds):.0f} s, {play.bytes / (1 << 30):.1f} GB; checked in "
        f"{time.monotonic() - start:.0f} s"
    )
    return Checked(problems, line)


def leaks(lab: Lab, wrong: dict[str, list[Wrong]], student: str) -> list[str]:
    """What a student copy (its JSON) tells of solutions, hidden tests and wrong answers."""
    notebook = nbformat.reads(student, as_version=4)
    shown = [line.strip() for cell in notebook.cells for line in cell.source.splitlines()]
    told = json.dumps(notebook.metadata) + "\n".join(shown)
    found = [
        f"the student copy has {mark!r}"
        for mark in ("SOLUTION", "HIDDEN", "hidden: true")
        if mark in told
    ]
    given = {line.strip() for part in lab.parts for line in _given(part).splitlines()}
    for step in lab.steps:
        secret = set(map(str.strip, step.answer.splitlines())) - set(_student(step.answer))
        for line in secret - given:
            if len(line) >= _SHORTEST and "SOLUTION" not in line and line in shown:
                found.append(f"{step.name}: the student copy has the solution's {line!r}")
        for test, hidden in zip(step.tests, step.hidden, strict=True):
            (name,) = re.findall(r"^def (\w+)", test, re.MULTILINE)
            if hidden and f"def {name}(" in told:
                found.append(f"{step.name}: the student copy has the hidden test {name}")
        for each in wrong.get(step.name, []):
            if each.why in told:
                found.append(f"{step.name}: the student copy has {each.why!r}")
    return found


def _given(part: str | Step) -> str:
    """Code that is nobody's secret."""
    return part.given if isinstance(part, Step) else part


def _student(answer: str) -> Iterator[str]:
    """The lines of an answer that a student gets: those without a mark, outside of blocks."""
    secret = False
    for line in map(str.strip, answer.splitlines()):
        secret = line.startswith("# BEGIN SOLUTION") or secret
        if not secret and not re.search(r"# ?SOLUTION", line):
            yield line
        secret = secret and not line.startswith("# END SOLUTION")


def _test_files(autograder: Path) -> dict[str, Any]:
    """Otter's tests of each step, hidden ones included, from an autograder."""
    from otter.test_files.exception_test import ExceptionTestFile

    with zipfile.ZipFile(autograder) as archive:
        texts = {
            Path(file).stem: archive.read(file).decode()
            for file in archive.namelist()
            if re.fullmatch(r"tests/[\w-]+\.py", file)
        }
    return {step: ExceptionTestFile.from_string(text, step) for step, text in texts.items()}


def _peak() -> int:
    """Bytes: the most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


class _Play:
    """Plays a lab's solution in this process; at each step, wrong answers in forks of it.

    Each wrong answer starts from the solution's state before its step, and must lose that step.
    Where what follows uses a name that the two answers bind, all that follows is played on, too,
    with the solution's own answers: nothing but the step may be lost.
    """

    def __init__(self, lab: Lab, wrong: dict[str, list[Wrong]], tests: dict[str, Any]):
        self.tests, self.problems, self.seconds = tests, list[str](), list[float]()
        self.space: dict[str, Any] = {"__name__": "__main__"}
        before = _peak()
        for i, part in enumerate(lab.parts):
            start = time.process_time()
            if isinstance(part, Step):
                _execute(part.given, self.space)
                pause = time.process_time()
                for each in wrong.get(part.name, []):
                    self._try(part, each, lab.parts[i + 1 :])
                start += time.process_time() - pause
            self._follow(part)
            self.seconds.append(time.process_time() - start)
        peak = _peak()
        self.bytes = peak if peak > before else 0  # an older peak is not the lab's
        self._measure()

    def _follow(self, part: str | Step) -> None:
        """Plays the solution's way."""
        if not isinstance(part, Step):
            _execute(part, self.space)
            return
        _execute(part.answer, self.space)
        if failed := self._failed(part.name):
            self.problems.append(f"{part.name}: the solution fails: {failed}")

    def _failed(self, step: str) -> str:
        """What the tests of a step say against what is there; empty if they pass."""
        tests = self.tests[step]
        with contextlib.redirect_stdout(io.StringIO()):
            tests.run(self.space)
        return "; ".join(each.message for each in tests.test_case_results if not each.passed)

    def _try(self, step: Step, wrong: Wrong, later: list[str | Step]) -> None:
        lost = _in_a_fork(lambda: self._lost(step, wrong, later))
        if lost != [step.name]:
            self.problems.append(f"{step.name}: {wrong.why!r} loses {lost or 'nothing'}")

    def _lost(self, step: Step, wrong: Wrong, later: list[str | Step]) -> list[str]:
        """The steps that a wrong answer loses."""
        with contextlib.suppress(Exception):  # a notebook goes on after an error
            _execute(wrong.code, self.space)
        lost = [step.name] if self._failed(step.name) else []
        if not (_bound(step.answer) | _bound(wrong.code)) & _used(self.tests, later):
            return lost
        for part in later:
            with contextlib.suppress(Exception):
                _execute(
                    part.given + "\n" + part.answer if isinstance(part, Step) else part, self.space
                )
            if isinstance(part, Step) and self._failed(part.name):
                lost.append(part.name)
        return lost

    def _measure(self) -> None:
        if self.bytes > MOST_BYTES:
            self.problems.append(f"the lab takes {self.bytes / (1 << 30):.1f} GB")


def _execute(code: str, space: dict[str, Any]) -> None:
    file = f"<lab {len(linecache.cache)}>"  # for inspect.getsource, as in a notebook
    linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, file, "exec"), space)


def _in_a_fork(what: Callable[[], list[str]]) -> list[str]:
    """What a function gives in a copy of this process, which leaves nothing behind here."""
    fork = multiprocessing.get_context("fork")
    answers, answer = fork.Pipe(duplex=False)
    child = fork.Process(target=lambda: answer.send(what()))
    child.start()
    answer.close()
    try:
        return answers.recv()
    except EOFError:
        return ["everything: the process died"]
    finally:
        child.join()


def _bound(code: str) -> set[str]:
    """Names that code binds at its top."""
    found = set()
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        else:
            names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
            found |= {each.id for each in names if isinstance(each.ctx, ast.Store)}
    return found


def _used(tests: dict[str, Any], later: Iterable[str | Step]) -> set[str]:
    """Names that later code or its tests use; what a test takes is among its arguments."""
    found = set()
    for part in later:
        code = part
        if isinstance(part, Step):
            code = "\n".join([part.given, part.answer, tests[part.name].source])
        for node in ast.walk(ast.parse(str(code))):
            if isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
    return found


# -- the command line ------------------------------------------------------------------------------


def _open(options: argparse.Namespace) -> int:
    """JupyterLab on one lab's student copy, or on the chapters."""
    if options.lab:
        make(called(options.lab))
        page = MADE / "student" / f"{options.lab}.ipynb"
        print(f"your copy: {_shown(page)}", flush=True)
    else:
        page = ROOT / "notebooks" / "foundations.py"
        print("the chapters, as notebooks: notebooks/*.py", flush=True)
    lab = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={ROOT}",
        f"--LabApp.default_url=/lab/tree/{_shown(page)}",
    ]
    _set_up_lab()
    shown = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    os.execve(sys.executable, lab, shown | {"JUPYTER_PREFER_ENV_PATH": "1"})


def _set_up_lab() -> None:
    """In this environment only: a click on a chapter opens it as a notebook; no news is fetched."""
    folder = Path(sys.prefix, "share", "jupyter", "lab", "settings")
    folder.mkdir(parents=True, exist_ok=True)
    viewers = {"defaultViewers": {"python": "Jupytext Notebook"}}
    silent = {"fetchNews": "false", "checkForUpdates": False}
    told = {
        "@jupyterlab/docmanager-extension:plugin": viewers,
        "@jupyterlab/apputils-extension:notification": silent,
    }
    (folder / "overrides.json").write_text(json.dumps(told, indent=2) + "\n")


def _make(options: argparse.Namespace) -> int:
    for name in _chosen(options):
        make(name)
        print(f"{name}: {_shown(MADE)}/student, autograder, solutions", flush=True)
    return 0


def _check(options: argparse.Namespace) -> int:
    start, chosen = time.monotonic(), _chosen(options)
    print(f"{len(chosen)} labs, about {len(chosen) // 4 + 1} minutes on two cores", flush=True)
    found = {}
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(2, len(chosen)), mp_context=spawn) as pool:
        for name, checked in zip(chosen, pool.map(check, chosen), strict=True):
            found[name] = checked.problems
            print(checked.line, flush=True)
    for name, problems in found.items():
        for problem in problems:
            print(f"{name}: {problem}", file=sys.stderr)
    n = sum(map(len, found.values()))
    print(f"{len(found)} labs checked in {time.monotonic() - start:.0f} s, {n or 'no'} problems")
    return 1 if n else 0


def _grade(options: argparse.Namespace) -> int:
    """Grades every notebook of a folder: points as CSV; hints into <notebook>.feedback.txt."""
    name, files = called(options.lab), _files(options.folder, "*.ipynb")
    with tempfile.TemporaryDirectory() as temporary:
        make(name, Path(temporary))
        autograder = Path(temporary, "autograder", f"{name}.zip")
        steps = [step.name for step in read(name).steps]
        print("notebook", *steps, "share", sep=",")
        for file in files:
            graded = grade(name, file, autograder)
            got = [graded[step].got if step in graded else 0 for step in steps]
            line = *map("{:g}".format, got), f"{share(graded):.2f}"
            print(file.name, *line, sep=",", flush=True)
            file.with_suffix(".feedback.txt").write_text(_feedback(graded))
    return 0


def _feedback(graded: dict[str, Graded]) -> str:
    lines = [f"{share(graded):.0%} of all points"]
    for step, each in graded.items():
        lines.append(f"{step}: {each.got:g} of {each.most:g}")
        lines += [f"  {hint}" for hint in each.hints if each.got < each.most]
    return "\n".join(lines) + "\n"


def _board(options: argparse.Namespace) -> int:
    """The leaderboard of a folder of releases."""
    from lib.chapters import leaderboard

    print(leaderboard.board(options.folder, leaderboard.population(), options.seed).to_string())
    return 0


def _files(folder: Path, pattern: str) -> list[Path]:
    if not (found := sorted(folder.glob(pattern))):
        raise ValueError(f"{folder} holds no {pattern}; a folder with what was handed in is needed")
    return found


def _chosen(options: argparse.Namespace) -> list[str]:
    return [called(options.lab)] if options.lab else names()


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def main(arguments: list[str] | None = None) -> int:
    """`python -m lib.chapters.labs`: opens, checks or grades labs; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lib.chapters.labs", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for action, text in (
        (_open, "JupyterLab on a lab, or on the chapters"),
        (_make, "student copies, autograders and solutions, into labs/"),
        (_check, "prove labs"),
    ):
        command = commands.add_parser(action.__name__.strip("_"), help=text)
        command.add_argument("lab", nargs="?", metavar="LAB")
        command.set_defaults(action=action)
    command = commands.add_parser("grade", help="grade the notebooks of a folder")
    command.add_argument("lab", metavar="LAB")
    command.add_argument("folder", metavar="FOLDER", type=Path)
    command.set_defaults(action=_grade)
    command = commands.add_parser("board", help="the leaderboard of a folder of releases")
    command.add_argument("folder", metavar="FOLDER", type=Path)
    command.add_argument("--seed", type=int, default=1, help="other groups and targets; 1")
    command.set_defaults(action=_board)
    options = parser.parse_args(arguments)
    try:
        return options.action(options)
    except ValueError as error:
        print(f"refused: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

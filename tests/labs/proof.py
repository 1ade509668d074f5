"""Prove the labs: `.venv-course/bin/python -m tests.labs.proof [LAB]`, or `make test-labs`.

The solution scores 100%, the empty student copy 0, the student copy reveals no solution and no
hidden test, and each typical wrong answer (`notebooks/labs/wrong/<lab>.yml`) loses its own step and
no other.
"""

from __future__ import annotations

from lib.execution import ONE_THREAD

if __name__ == "__main__":
    import os

    # before numpy is loaded; labs are silent, and draw into files
    os.environ |= ONE_THREAD | {"TQDM_DISABLE": "1", "MPLBACKEND": "Agg"}

import ast
import contextlib
import io
import json
import linecache
import multiprocessing
import re
import resource
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import yaml

from lib.chapters.labs import SOURCES, Lab, Step, find_lab, grade, make, names, read, share

MOST_BYTES = 2 << 30
_SHORTEST = 12  # characters of a line that reveals something of a solution


class Wrong(NamedTuple):
    """A typical wrong answer, and why somebody gives it."""

    why: str
    code: str


def wrong_answers(name: str) -> dict[str, list[Wrong]]:
    """Typical wrong answers of a lab: those of each step."""
    read_in = yaml.safe_load((SOURCES / "wrong" / f"{name}.yml").read_text())
    return {step: [Wrong(**each) for each in those] for step, those in read_in.items()}


class Checked(NamedTuple):
    """What a lab's check found: what is wrong with it, and a line that says what was tried."""

    problems: list[str]
    line: str


def check(name: str) -> Checked:
    """Prove a lab and say what was tried."""
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
            found = _Run(lab, wrong, _test_files(autograder))
        problems += found.problems
    seconds = found.seconds
    line = (
        f"{name}: {len(lab.steps)} steps; solution and empty copy graded; "
        f"{sum(map(len, wrong.values()))} wrong answers; slowest step {max(seconds):.1f} s "
        f"of processor, lab {sum(seconds):.0f} s, {found.bytes / (1 << 30):.1f} GB; checked in "
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


class _Run:
    """Run a lab's solution in this process and, at each step, wrong answers in forks of it.

    Each wrong answer starts from the solution's state before its step, and must lose that step.
    If later code uses a name that the two answers bind, everything after the step runs too, with
    the solution's own answers: nothing but the step may be lost.
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
        """Run a part as in the solution."""
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


def main(arguments: list[str]) -> int:
    """Prove the labs named, or all, two at a time; return 1 if there are problems."""
    start, chosen = time.monotonic(), [find_lab(each) for each in arguments] or names()
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

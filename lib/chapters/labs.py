"""Labs: student copies, autograders and solutions, all made from one source each.

A lab is `notebooks/labs/<lab>.py`, in the format of Otter Assign (v1): raw cells mark questions,
solutions and tests. Otter-Grader and JupyterLab are installed in an environment of their own
(`requirements-course.lock`), where `python -m lib.chapters.labs open|make|grade|board` runs.
"""

from __future__ import annotations

from lib.execution import ONE_THREAD

if __name__ == "__main__":
    import os

    # before numpy is loaded; labs are silent, and draw into files
    os.environ |= ONE_THREAD | {"TQDM_DISABLE": "1", "MPLBACKEND": "Agg"}

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
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


class Step(NamedTuple):
    """A question of a lab.

    Parameters
    ----------
    name, points : str and float
        Its name and its points.
    text : str
        What a student reads.
    given : str
        Code that the student gets before the answer.
    answer : str
        The solution as one piece of code, with its marks.
    tests : list of str
        Source of each test.
    hidden : list of bool
        For each test, whether the student copy lacks it.
    """

    name: str
    points: float
    text: str
    given: str
    answer: str
    tests: list[str]
    hidden: list[bool]


class Lab(NamedTuple):
    """A lab in the order in which it runs.

    Parameters
    ----------
    name : str
        Its name.
    parts : list of str or Step
        Given code, or a step.
    text : str
        All its prose.
    """

    name: str
    parts: list[str | Step]
    text: str

    @property
    def steps(self) -> list[Step]:
        """The graded parts, in order."""
        return [part for part in self.parts if isinstance(part, Step)]


# -- reading ---------------------------------------------------------------------------------------


def names() -> list[str]:
    """List the labs in the order of the course, which is the number in their titles.

    Returns
    -------
    list of str
        Their names.
    """
    texts = {file.stem: file.read_text(encoding="utf-8") for file in SOURCES.glob("*.py")}
    return sorted(texts, key=lambda name: int(re.findall(r"# # Lab (\d+)", texts[name])[0]))


def find_lab(name: str) -> str:
    """Check that a lab exists.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    str
        The name.

    Raises
    ------
    ValueError
        If there is no such lab; the message names the nearest one.
    """
    if name in names():
        return name
    near = get_close_matches(name, names(), 1)
    hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(names())}"
    raise ValueError(f"no lab is called {name!r}{hint}")


def read(name: str) -> Lab:
    """Read the source of a lab.

    Parameters
    ----------
    name : str
        Name of the lab.

    Returns
    -------
    Lab
        Its parts.

    Raises
    ------
    ValueError
        If a mark is missing or misplaced.
    """
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
    """Return the block that begins or continues after a mark."""
    if what == "BEGIN" and block in _INSIDE.get(inside, ""):
        return block
    if what == "END" and block == inside:
        return "" if block == "QUESTION" else "QUESTION"
    raise ValueError(f"{name}: {what} {block} stands inside {inside or 'no question'}")


def _notebook(name: str) -> nbformat.NotebookNode:
    return jupytext.read(SOURCES / f"{name}.py")


# -- making ----------------------------------------------------------------------------------------


def make(name: str, folder: Path = MADE) -> None:
    """Write student/<lab>.ipynb, autograder/<lab>.zip and solutions/<lab>.ipynb into a folder.

    A student copy that somebody has worked on is kept; delete it to start afresh.

    Parameters
    ----------
    name : str
        Name of the lab.
    folder : pathlib.Path, default `MADE`
        The folder.
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
    """Put a student copy in its place, unless one with somebody's work is there."""
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
    """Run Otter's command, again if another kernel took its port; show its output if it fails."""
    command = [sys.executable, "-m", "otter", *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    for _ in range(3):
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if not done.returncode or "Address already in use" not in done.stderr:
            break
    if done.returncode:
        raise RuntimeError(f"otter {arguments[0]} failed:\n{done.stdout}{done.stderr}")


class Graded(NamedTuple):
    """A graded step of a notebook that was handed in.

    Parameters
    ----------
    got, most : float
        Points, and possible points.
    hints : list of str
        Hints of the tests that failed.
    """

    got: float
    most: float
    hints: list[str]


def grade(name: str, submission: Path, autograder: Path) -> dict[str, Graded]:
    """Grade a notebook with Otter, hidden tests included.

    Parameters
    ----------
    name : str
        Name of the lab.
    submission : pathlib.Path
        The notebook.
    autograder : pathlib.Path
        The lab's autograder.

    Returns
    -------
    dict of str to Graded
        The result of each step.
    """
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
    """Return the points as a share of all possible points.

    Parameters
    ----------
    steps : dict of str to Graded
        The graded steps.

    Returns
    -------
    float
        From 0 to 1.
    """
    return sum(each.got for each in steps.values()) / sum(each.most for each in steps.values())


# -- the command line ------------------------------------------------------------------------------


def student_copy(name: str) -> Path:
    """Find the student copy of a lab; make it first where the source of the lab is at hand.

    A folder for a class may have the student copies without the sources, which hold the solutions.

    Parameters
    ----------
    name : str
        Name of the lab.

    Returns
    -------
    pathlib.Path
        The student copy.

    Raises
    ------
    ValueError
        If there is no such lab.
    """
    page = MADE / "student" / f"{name}.ipynb"
    if SOURCES.is_dir():
        make(find_lab(name))
    elif not page.is_file():
        given = ", ".join(sorted(file.stem for file in page.parent.glob("*.ipynb")))
        raise ValueError(f"labs/student has no lab {name!r}; it has {given or 'none'}")
    return page


def _open(options: argparse.Namespace) -> int:
    """JupyterLab on one lab's student copy, or on the chapters."""
    if options.lab:
        page = student_copy(options.lab)
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


def _grade(options: argparse.Namespace) -> int:
    """Grade every notebook of a folder: points as CSV, hints into <notebook>.feedback.txt."""
    name, files = find_lab(options.lab), _files(options.folder, "*.ipynb")
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
    return [find_lab(options.lab)] if options.lab else names()


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def main(arguments: list[str] | None = None) -> int:
    """Open, make or grade labs, or rank the releases of a class.

    Parameters
    ----------
    arguments : list of str, optional
        Arguments of the command; by default, those of this process.

    Returns
    -------
    int
        The exit code.
    """
    parser = argparse.ArgumentParser(prog="python -m lib.chapters.labs", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for action, text in (
        (_open, "JupyterLab on a lab, or on the chapters"),
        (_make, "student copies, autograders and solutions, into labs/"),
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

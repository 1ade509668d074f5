"""The software paper: `paper/paper.md` from its template, every number counted."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from book._ext import frame
from lib.chapters import pages
from lib.execution import environment, results
from lib.papers import claims
from lib.papers import experiments as core
from lib.papers import verdicts as findings

CITED = {
    "kk": "pyrgelis2018knock",
    "zk": "guan2024zero",
    "crowd": "pyrgelis2017crowd",
    "fano": "fanoloss",
    "threshold": "threshold2024",
}  # a paper -> its key in paper.bib


def folder() -> Path:
    """Return the folder of the software paper."""
    return environment.ROOT / "paper"


def write() -> Path:
    """Write the software paper and return its file."""
    file = folder() / "paper.md"
    file.write_text(text(), encoding="utf-8", newline="\n")
    return file


def text() -> str:
    """Return the text of the paper: the template with its numbers filled in.

    Raises KeyError for a placeholder that no number is given for.
    """
    template = (folder() / "paper.md.in").read_text(encoding="utf-8")
    return template.format_map(numbers())


def numbers() -> dict[str, Any]:
    """Return the value of each placeholder of the template.

    Lines are counted in thousands and tests in hundreds, so that few changes of the code change the
    paper.
    """
    kept = [
        json.loads(file.read_text(encoding="utf-8")) for file in results.RESULTS.glob("*/*.json")
    ]
    library = _python("lib")
    return {
        **frame.substitutions(),
        "papers": len(claims.PAPERS),
        "chapters": sum("/" not in page for page in pages.pages()),
        "experiments": len(core.all_experiments()),
        "kept_files": len(kept),
        "hours": round(sum(float(each["seconds"]) for each in kept) / 3600),
        "date": max(str(each["date"])[:10] for each in kept),
        "lines": _rounded(_lines(library), 1000),
        "test_lines": _rounded(_lines(_python("tests")), 1000),
        "tests": _rounded(_tests(_python("tests")), 100),
        "verdicts": verdicts(),
    }


def verdicts() -> str:
    """Return a table of claims with one row a paper and one column a verdict."""
    tables = findings.committed()
    lines = ["| paper | " + " | ".join(claims.VERDICTS) + " | all |"]
    lines.append("|---|" + "---:|" * (len(claims.VERDICTS) + 1))
    for paper, table in tables.items():
        found = list(table["verdict"])
        counts = [str(found.count(each)) for each in claims.VERDICTS]
        lines.append(f"| [@{CITED[paper]}] | " + " | ".join([*counts, str(len(found))]) + " |")
    return "\n".join(lines)


def _python(name: str) -> list[Path]:
    return sorted((environment.ROOT / name).rglob("*.py"))


def _lines(files: Iterable[Path]) -> int:
    """Lines that are not empty."""
    return sum(
        bool(line.strip())
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
    )


def _tests(files: Iterable[Path]) -> int:
    """Functions that pytest calls; one with several parameters counts once."""
    return sum(
        isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    )


def _rounded(number: int, to: int) -> str:
    return f"{round(number / to) * to:,}"

"""`make bench`: fast code against the plain loops, in one run on one thread, kept in `bench.csv`.

Seconds drift from machine to machine, so the first line is a calibration kernel and what is asked
for are ratios. A reference that would take too long runs on a part and is scaled up.

Every module of `tests/bench` adds its own, in a process of its own (some measure memory):
rows()   tuples (what, seconds of the reference, seconds here, the ratio asked for, or other words)
sizes()  tuples (kernel, what grows, how large it is, seconds here), from which `book/cost.md` draws
"""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from lib.execution import MEMORY_KEPT
from tests.bench import cost


def measure(module):
    """Prints the rows of one module, each as JSON behind a mark, as they are found."""
    found = importlib.import_module(f"tests.bench.{module}")
    for what, reference, here, asked in found.rows():
        print(
            MARK, json.dumps([what, None, None, reference, here, asked], default=float), flush=True
        )
    for kernel, by, size, here in getattr(found, "sizes", list)():
        print(MARK, json.dumps([kernel, by, size, np.nan, here, ""], default=float), flush=True)


MARK = "bench-row"
NOT_MEASURED = {"__init__", "__main__", "cost"}
FILE = Path(__file__).parents[2] / "bench.csv"
COLUMNS = ["what", "by", "size", "reference", "here", "ratio", "asked"]


def shown(what, by, size, reference, here, asked):
    """A row as the table prints it and as the file keeps it: 4 digits, nothing for no number."""
    numbers = [digits(each) for each in (reference, here, reference / here)]
    return [
        what,
        by or "",
        "" if size is None else f"{size}",
        *numbers,
        "" if asked is None else f"{asked}",
    ]


def digits(number):
    if not np.isfinite(number):
        return ""
    return f"{number:.4g}" if number < 9999.5 else f"{number:.0f}"


def printed(row):
    what, by, size, reference, here, ratio, asked = row
    name = f"{what}, {size} {by}" if by else what
    return f"{name:56}{reference:>10}{here:>10}{ratio:>9}  {asked}"


def main():
    folder = Path(__file__).parent
    others = {file.stem for file in folder.glob("*.py")} - {
        "__init__",
        "__main__",
        "cost",
        "kernels",
    }
    modules = ["kernels", *sorted(others)]
    table = []
    print(printed(["seconds", "", "", "reference", "here", "ratio", "asked"]))
    for module in modules:
        command = [sys.executable, "-m", "tests.bench", module]
        given = {"cwd": FILE.parent, "env": os.environ | MEMORY_KEPT}  # as `python -m lib` does
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **given) as child:
            for line in child.stdout:
                mark, _, row = line.partition(" ")
                if mark == MARK:
                    table.append(shown(*json.loads(row)))
                    print(printed(table[-1]), flush=True)
        if child.returncode:
            sys.exit(f"tests/bench/{module}.py stopped; {FILE.name} is as it was")
    whole = FILE.with_suffix(f".{os.getpid()}")
    pd.DataFrame(table, columns=COLUMNS).to_csv(whole, index=False, lineterminator="\n")
    whole.replace(FILE)
    cost.write()


if __name__ == "__main__":
    measure(sys.argv[1]) if len(sys.argv) > 1 else main()

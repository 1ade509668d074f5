"""How long each page of the book takes to execute, at the values of the book, kernel included."""

import tempfile
import time
from pathlib import Path

from lib.chapters import notebooks, pages
from lib.execution import environment

EXECUTING = "executing "  # and the page; `tests.bench.cost` tells them apart by it
MOST = 90  # seconds that a chapter may take


def executed(page):
    with tempfile.TemporaryDirectory(dir=environment.ROOT, prefix=".executing-") as folder:
        start = time.perf_counter()
        notebooks.execute(page, pages.values_of(page), Path(folder, "page.ipynb"), "")
        return time.perf_counter() - start


def rows():
    for page in pages.pages():
        yield EXECUTING + page, float("nan"), executed(page), f"{MOST} s"

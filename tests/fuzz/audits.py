"""Releases as `audit --release` reads them, and tables of published counts, whole and broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from lib.audit import count_tables, inputs, page, published, releases
from lib.datasets import load
from tests.fuzz import judged
from tests.fuzz.parameters import TEXTS

SIX = load("six-users")
NAMES = [each["name"] for each in releases.catalogue() if each["kind"] == "mechanism"]
PRESETS = [each["name"] for each in releases.catalogue() if each["kind"] == "preset"]
GOOD = {
    "epsilon": ["1", "0.05", "1e-1"],
    "delta": ["1e-5"],
    "kappa": ["2"],
    "threshold": ["10"],
    "base": ["5"],
    "cap": ["1", "3"],
    "totals": ["true", "before-suppression"],
    "name": ["mine"],
    "epoch": ["1h"],
    "period": ["[2013-03-04, 2013-03-11]"],
    "zones": ["{a: b}", "[2, 3]"],
}
ODD = [
    *TEXTS,
    "-1e-300",
    "1e308",
    "9e999",
    "{name: x}",
    "[{name: raw}]",
    "raw",
    "Raw",
    " raw",
    "[1, 2]",
    "[2013-03-11, 2013-03-04]",
    "{south: 1}",
    "before",
    "-0",
    "0.0",
    "10.5",
    "{}",
    "é: è",
]
COUNTS = [
    "0",
    "1",
    "9",
    "10",
    "12",
    "250",
    "",
    "*",
    "x",
    "<10",
    "< 5",
    "total",
    "-1",
    "2.5",
    "nan",
    "1e3",
    "007",
    " 7 ",
    "<0",
    "<",
    "9" * 20,
    "1,5",
    "\x00",
    "=1+1",
    "∞",
]


@st.composite
def _mechanism(draw: Any, worse: int) -> str:
    name = draw(st.sampled_from(NAMES if not worse else [*NAMES, *ODD]))
    known = releases.MECHANISMS[name].parameters if name in releases.MECHANISMS else {}
    given = {key: draw(st.sampled_from(GOOD[key])) for key in known}
    if worse:
        for key in draw(st.lists(st.sampled_from([*GOOD, "x"]), max_size=2)):
            given[key] = draw(st.sampled_from(ODD))
    given.pop("name", None)
    parts = [f"{key}: {value}" for key, value in given.items()]
    return f"{{{', '.join([f'name: {name}', *parts])}}}"


@st.composite
def _release(draw: Any) -> str:
    """The text of a release: right, with values that are not, or broken anywhere."""
    worse = draw(st.integers(0, 2))
    if draw(st.booleans()):
        lines = [f"preset: {draw(st.sampled_from(PRESETS if not worse else [*PRESETS, *ODD]))}"]
    else:
        several = draw(st.lists(_mechanism(worse), min_size=1, max_size=3))
        lines = ["mechanisms:", *(f"  - {each}" for each in several)]
    for key in draw(st.lists(st.sampled_from(list(GOOD)), max_size=2, unique=True)):
        pool = GOOD[key] if not worse else ODD
        lines.append(f"{key}: {draw(st.sampled_from(pool))}")
    text = "\n".join(lines)
    if worse == 2:
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(ODD) | st.text(max_size=4)) + text[at:]
    return text


@st.composite
def _table(draw: Any) -> str:
    """A table of counts with totals: right, or with lines that are not."""
    worse = draw(st.booleans())
    pool = COUNTS if worse else COUNTS[:11]
    zones, times = (["a", "b", "total"], ["1", "2", "total"])
    lines = [
        f"{zone},{time},{draw(st.sampled_from(pool))}"
        for zone in zones
        for time in times
        if zone != "total" or draw(st.booleans())
    ]
    if worse and draw(st.booleans()):
        odd = st.sampled_from(["", "a", "a,1,1,1", ",,", '"', "a,1,3"])
        lines.insert(draw(st.integers(0, len(lines))), draw(odd))
    return "\n".join(["zone,time,count", *lines]) + "\n"


def cases() -> st.SearchStrategy[tuple[str, str]]:
    return st.tuples(st.just("release"), _release()) | st.tuples(st.just("counts"), _table())


def judge(case: tuple[str, str], folder: Path) -> str:
    kind, text = case
    if kind == "release":
        file = folder / "release.yml"
        file.write_bytes(text.encode("utf-8", errors="surrogatepass"))
        return judged(
            lambda: inputs.read_release(str(file)), _wrong_release, "release.yml", "no file"
        )
    file = folder / "counts.csv"
    file.write_bytes(text.encode("utf-8", errors="surrogatepass"))
    return judged(lambda: _audited(file), _wrong_audit, "counts.csv", "totals")


def _wrong_release(request: inputs.ReleaseRequest) -> str:
    """What an accepted release cannot be: one that publishes nothing, or no finite counts."""
    try:
        counts = request.release.publish(SIX, range(6), np.random.default_rng(1))
    except ValueError as error:  # more coefficients than these few hours have
        return "" if "kappa" in str(error) else f"it cannot publish: {error}"
    if counts.shape != (SIX.n_rois, SIX.n_epochs) or not np.isfinite(counts).all():
        return f"it publishes {counts}"
    epsilon = request.release.plan(SIX).describe()["epsilon"]
    return "" if epsilon is None or 0 < epsilon < np.inf else f"its epsilon is {epsilon}"


def _audited(file: Path) -> dict[str, Any]:
    return published.document([count_tables.read_table(str(file))], [str(file)])


def _wrong_audit(found: dict[str, Any]) -> str:
    if found["verdict"] == "none-succeeded" or found["complete"]:
        return "an audit of counts alone looks clean"
    json.dumps(found, allow_nan=False)
    return "" if "</html>" in page.render(found) else "its page has no end"

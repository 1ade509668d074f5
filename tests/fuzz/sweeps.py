"""Sweep files, whole and broken."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from lib.chapters import sweeps
from lib.execution import environment
from tests.fuzz import WrongError
from tests.fuzz.parameters import TEXTS, check_one_line, outcome

PARAMETERS = """\
parameters:
  seed: {type: int, default: 1, min: 0, max: 9, help: of the draws}
  share: {type: float, default: 0.5, above: 0, max: 1, help: of the users}
  kind: {type: str, default: LR, choices: [LR, kNN], help: of the attack}
  loud: {type: bool, default: false, help: whether it speaks}
  sizes: {type: "list[int]", default: [1], min: 1, ascending: true, help: rows}
  shares: {type: "dict[str, float]", default: {}, keys: [a, b], min: 0, max: 1, help: of each}
  lag: {type: str, default: 7D, help: how much later}
  file: {type: str, default: "", path: true, help: to read}
book: {seed: 2}
"""
NOTEBOOK = """\
# %% tags=["parameters"]
seed = 1
share = 0.5
kind = "LR"
loud = False
sizes = [1]
shares = {}
lag = "7D"
file = ""

# %%
seed
"""
GOOD = {
    "seed": ["1", "2", "9"],
    "share": ["0.1", "1", "5e-1"],
    "kind": ["LR", "kNN"],
    "loud": ["true", "false"],
    "sizes": ["[1]", "[1, 2]"],
    "shares": ["{}", "{a: 1}"],
    "lag": ["7D", "1h"],
    "file": ["''"],
}


def house(folder: Path) -> Path:
    """A checkout with one small chapter of every kind of parameter, which is never executed."""
    for name in ("notebooks/params", "book"):
        (folder / name).mkdir(parents=True)
    (folder / "requirements.lock").write_text("")
    (folder / "notebooks" / "tiny.py").write_text(NOTEBOOK)
    (folder / "notebooks" / "params" / "tiny.yml").write_text(PARAMETERS)
    return folder


@st.composite
def cases(draw: Any) -> str:
    """The text of a sweep file: right, with values that are not, or broken anywhere."""
    crossed = draw(st.lists(st.sampled_from(list(GOOD)), min_size=1, max_size=3))
    fixed = draw(st.lists(st.sampled_from(list(GOOD)), max_size=2))
    odd = st.sampled_from(TEXTS) | st.text(max_size=6)
    worse = draw(st.integers(0, 2))

    def value(name: str) -> str:
        return draw(odd if worse and draw(st.integers(0, 3)) == 0 else st.sampled_from(GOOD[name]))

    lines = ["notebook: tiny"] + ["parameters:"] * bool(fixed)
    lines += [f"  {name}: {value(name)}" for name in fixed]
    lines += ["cross:"]
    for name in crossed:
        values = [value(name) for _ in range(draw(st.integers(1, 3)))]
        lines.append(
            f"  {name}: [{', '.join(values)}]"
            if draw(st.booleans())
            else "\n".join([f"  {name}:", *(f"    - {each}" for each in values)])
        )
    text = "\n".join(lines) + "\n"
    if worse == 2:
        for _ in range(draw(st.integers(1, 2))):
            at, end = (draw(st.integers(0, len(text))) for _ in range(2))
            text = (
                text[: min(at, end)]
                + draw(odd)
                + text[max(at, end) if draw(st.booleans()) else min(at, end) :]
            )
    return text


BIG = "cross:\n" + "".join(
    f"  {name}: {values}\n"
    for name, values in (
        ("seed", list(range(10))),
        ("share", [i / 100 for i in range(1, 101)]),
        ("lag", [f"{i}h" for i in range(1, 100)]),
        ("kind", ["LR", "kNN"]),
    )
)
EXAMPLES = ["notebook: tiny\n" + BIG, "", "\x00", "- 1", "a" * 10**5, "notebook: tiny\n<<: {}\n"]


def judge(case: str, folder: Path) -> str:
    """Asks what a sweep would do; the folder is a `house`."""
    file = folder / "sweep.yml"
    file.write_bytes(case.encode("utf-8", errors="surrogatepass"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(environment, "ROOT", folder)
        code, said = outcome(["sweep", str(file), "--dry-run", "--processes", "1"])
        if code == 0:
            _check_runs(sweeps.read(file).runs)
            return "accepted"
    check_one_line(code, said)
    if str(file) not in said:
        raise WrongError(f"the file is not named: {said[:300]}")
    return "refused"


def _check_runs(runs: list[sweeps.Run]) -> None:
    crossed = {name: {repr(run.crossed[name]) for run in runs} for name in runs[0].crossed}
    if len(runs) != prod(map(len, crossed.values())) or len({r.folder for r in runs}) != len(runs):
        raise WrongError(f"{len(runs)} runs of {crossed}")
    for run in runs:
        if set(run.values) != set(GOOD):
            raise WrongError(f"values of {set(run.values)}")

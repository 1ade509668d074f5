"""The executed notebook of an audit, in which a statistician can check it and go on.

It repeats the calls of the command, shows the tables and a figure of `audit.json`, runs some steps
again and compares them with what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
import papermill

from lib.chapters import kernels
from lib.datasets import files

NAME = "audit.ipynb"
_PATIENCE = 120  # seconds until a kernel has started
_SHOWN = (  # heading, what the cell shows, code
    (
        "What was found, and what is guaranteed",
        "The verdict with its reasons, and the two sides of the assessment.",
        """print(found["verdict"])
for reason in found["reasons"]:
    print("-", reason)
print(found["assessment"]["guarantee"]["sentence"])
pd.DataFrame({side: found["assessment"][side] or {} for side in ("plausible", "worst")}).T""",
    ),
    (
        "Ways to publish, side by side",
        "The audited release and its alternatives, best first under the floor of usefulness.",
        """pd.json_normalize(page.ways(found))""",
    ),
    (
        "All attacks",
        "One row for each measure of each attack. Intervals hold simultaneously.",
        """attacks = pd.DataFrame(
    [
        {"attack": each["name"], "plausible": each["realistic"], "severity": each["severity"],
         "measure": name} | measure
        for each in found["attacks"]
        for name, measure in each["measures"].items()
    ]
)
attacks""",
    ),
    (
        "Who is identified",
        "Members identified at 1% false positives, with intervals. Filled: a plausible attacker. "
        "The dashed line is a guess.",
        """shown = attacks[attacks["measure"].str.fullmatch(r"TPR at 1.0% FPR(, full size)?")]
shown = shown.dropna(subset=["low"]).reset_index(drop=True)
figure, axes = plt.subplots(figsize=(7, 1 + 0.3 * len(shown)))
for row, each in shown.iterrows():
    axes.plot([each["low"], each["high"]], [row, row], color="C0")
    face = "C0" if each["plausible"] else "white"
    axes.plot(each["value"], row, "o", color="C0", markerfacecolor=face)
axes.axvline(0.01, color="grey", linestyle="--")
names = [f"{a}: {m}" for a, m in zip(shown["attack"], shown["measure"])]
axes.set_yticks(range(len(shown)), names, fontsize=7)
axes.set_xlabel("share of members identified")
plt.show()""",
    ),
    (
        "Declared and empirical epsilon",
        "Lower bounds beside what is declared for the same unit.",
        """pd.DataFrame(found["epsilon"]["empirical"])""",
    ),
    (
        "How useful the counts remain",
        "Means over draws of the noise, with 95% intervals; no interval where nothing is drawn.",
        """pd.DataFrame(found["usefulness"]).T[["value", "low", "high", "words"]]""",
    ),
)
_CHECK = (
    "The check",
    "Each step depends on the records, the release and the seed alone. These steps are run again "
    "and must give what is stored; `audit.steps(...)` runs any other.",
    """steps = {step.name: step for step in given.steps}
stored = {f"attack {each['id']}": each for each in found["attacks"]}
stored |= {"usefulness": found["usefulness"], "disclosure": found["disclosure"]}
for name in ["disclosure", "usefulness", "attack sum-of-cells", "attack likelihood-ratio-others"]:
    again = json.loads(json.dumps(steps[name].run(), default=results.as_plain))
    again.get("more", {}).pop("exposed", None)  # positions of people are not in the report
    assert again == stored[name], name
    print(f"equal: {name}")""",
)
_GO_ON = (
    "To go on",
    "The simulated releases themselves: here the sum over the target's cells, person by person. "
    "Half of the people are in each release; an AUC of 0.5 is a guess.",
    """game = Game(given.traces, given.request.release, given.seed, given.quick)
scores = membership.sum_of_cells(game, game.targets)
own = measures.aucs(scores.test, game.test.members[game.targets])
controls = membership.sum_of_cells(game, game.controls)
others = measures.aucs(controls.test, game.test.members[game.controls])
for values, label in ((own, "targets"), (others, "never in a release")):
    plt.hist(values, bins=30, density=True, alpha=0.6, label=label)
plt.axvline(0.5, color="grey", linestyle="--")
plt.xlabel("AUC of a person")
plt.legend()
plt.show()
print(f"mean AUC {own.mean():.4f}; of people in no release {others.mean():.4f}")""",
)
_IMPORTS = """import json
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from lib.audit import command, measures, membership, page
from lib.audit.games import Game
from lib.execution import results

found = json.loads(Path("audit.json").read_text(encoding="utf-8"))
"""


def write(
    folder: Path,
    records: str,
    release: str,
    options: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> Path:
    """Write and execute the notebook of an audit of records.

    Parameters
    ----------
    folder : Path
        Where `audit.json` is.
    records, release : str
        As `lib.audit.command.prepare` takes them.
    options : mapping
        Options of the loader.
    settings : mapping
        Further arguments of `prepare`.

    Returns
    -------
    Path
        The notebook.
    """
    given = {name: value for name, value in options.items() if value is not None}
    call = (
        f"given = command.prepare(\n    {_place(records)!r},\n    {_place(release)!r},\n"
        f"    {given!r},\n    **{dict(settings)!r},\n)\nprint(command.plan(given, 1))"
    )
    return _execute(folder, call, (*_SHOWN, _CHECK, _GO_ON))


def write_for_tables(
    folder: Path, names: Sequence[str], columns: str | None, bounds: tuple[int | None, int | None]
) -> Path:
    """Write and execute the notebook of an audit of published counts.

    Parameters
    ----------
    folder : Path
        Where `audit.json` is.
    names : sequence of str
        Files of the tables.
    columns : str or None
        As `lib.audit.command.audit_tables` takes them.
    bounds : (int or None, int or None)
        What is known of suppressed counts: `hidden_below` and `hidden_from`.

    Returns
    -------
    Path
        The notebook.
    """
    places = [_place(name) for name in names]
    call = (
        f"again, _ = command.audit_tables({places!r}, {columns!r}, *{bounds!r})\n"
        "assert json.loads(json.dumps(again, default=results.as_plain)) == found"
    )
    checks = (
        "What the table reveals",
        "The checks with their statements, and the table in numbers.",
        """for each in found["attacks"]:
    print(f"{each['name']}: {each['statement']}")
pd.Series(found["disclosure"] | found["settings"])""",
    )
    tables = (
        "To go on",
        "The table as it was read, and the interval that is left of each suppressed count.",
        f"""from lib.audit import count_tables, small_counts

counts = count_tables.read_table({places[0]!r}, {columns!r}).counts
bounded = counts.bounded({bounds[1]!r}, {bounds[0]!r})
intervals = small_counts.suppressed_intervals(bounded, width=small_counts.PROTECTION)
rows = counts.hidden.nonzero()[0]
pd.DataFrame({{
    "code": [tuple(counts.codes[row].tolist()) for row in rows],
    "from": intervals.low[rows], "to": intervals.high[rows],
    "exact": intervals.exact[rows], "decided": intervals.decided[rows],
}})""",
    )
    return _execute(folder, call, (checks, tables))


def _place(name: str) -> str:
    """A file's absolute path, because the notebook runs elsewhere; any other name as it is."""
    try:
        return str(files.find(name).resolve())
    except (FileNotFoundError, ValueError):
        return name


def _execute(folder: Path, call: str, parts: Sequence[tuple[str, str, str]]) -> Path:
    cells = [
        nbformat.v4.new_markdown_cell(
            "# Audit\n\nThis notebook repeats the audit's calls and shows its tables. The numbers "
            "are those of `audit.json` in the same folder."
        ),
        nbformat.v4.new_code_cell(_IMPORTS + call),
    ]
    for heading, words, code in parts:
        cells.append(nbformat.v4.new_markdown_cell(f"## {heading}\n\n{words}"))
        cells.append(nbformat.v4.new_code_cell(code))
    for number, cell in enumerate(cells):
        cell["id"] = f"audit-{number}"  # random otherwise
    notebook, file = nbformat.v4.new_notebook(cells=cells), folder / NAME
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(notebook, file)
    with kernels.kernels() as manager:
        papermill.execute_notebook(
            str(file),
            str(file),
            cwd=str(folder),
            kernel_name="python3",
            kernel_manager_class=manager,
            start_timeout=_PATIENCE,
            extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
            progress_bar=False,
        )
    return file

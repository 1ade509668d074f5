"""The executed notebook of an audit: it runs, shows what is stored, and notices what differs."""

import json

import nbformat
import papermill
import pytest

from lib import audit
from lib.audit import command
from lib.chapters import audit_notebook
from tests.audit.test_alternatives import PEOPLE
from tests.audit.test_counts import BRIDGE, HEAD

CHECKED = ["disclosure", "usefulness", "attack sum-of-cells", "attack likelihood-ratio-others"]


def records(folder):
    lines = ["user,zone,time"]
    for user in PEOPLE.users[:60]:
        roi, epoch = PEOPLE.trace(user)[:, :72].nonzero()
        times = PEOPLE.epochs[epoch].strftime("%Y-%m-%dT%H:%M")
        lines += [f"p{user},z{r},{t}" for r, t in zip(roi, times, strict=True)]
    file = folder / "records.csv"
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def outputs(file):
    notebook = nbformat.read(file, as_version=4)
    text = json.dumps([cell.get("outputs", []) for cell in notebook.cells])
    return notebook, text


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """An audit of a few steps, as the command writes it."""
    folder = tmp_path_factory.mktemp("audited")
    given = command.prepare(records(folder), "event-epsilon-1", {}, quick=True, seed=3)
    kept = {s.name: s.run() for s in given.steps if s.name in (*CHECKED, "data", "epsilon")}
    found = audit.document(given.traces, given.request.release, kept, quick=True, seed=3)
    found["data"] |= {"label": given.label, "loader": None}
    command._name_people(found, None)
    command.write_report(folder, found)
    return folder


def write(folder):
    settings = {"quick": True, "seed": 3, "largest_error": 0.1}
    return audit_notebook.write(
        folder, str(folder / "records.csv"), "event-epsilon-1", {"grid": None}, settings
    )


def test_the_notebook_of_an_audit_runs_and_shows_what_is_stored(audited):
    notebook, text = outputs(write(audited))
    assert not any(
        "ename" in output for cell in notebook.cells for output in cell.get("outputs", [])
    )
    for name in CHECKED:
        assert f"equal: {name}" in text
    assert text.count("image/png") == 2
    for heading in ("All attacks", "Declared and empirical epsilon", "Ways to publish"):
        assert any(f"## {heading}" in cell.source for cell in notebook.cells)
    nbformat.validate(notebook)


def test_the_notebook_stops_where_the_report_was_changed(audited):
    file = audited / "audit.json"
    before = file.read_text()
    changed = json.loads(before)
    changed["usefulness"]["MRE"]["value"] += 0.01
    file.write_text(json.dumps(changed))
    try:
        with pytest.raises(papermill.PapermillExecutionError, match="usefulness"):
            write(audited)
    finally:
        file.write_text(before)


@pytest.mark.slow
def test_the_notebook_of_a_table_runs(tmp_path):
    table = tmp_path / "counts.csv"
    table.write_text(HEAD + BRIDGE)
    found, _ = command.audit_tables([str(table)])
    command.write_report(tmp_path, found)
    file = audit_notebook.write_for_tables(tmp_path, [str(table)], None, (None, None))
    _, text = outputs(file)
    assert "r2 at t3 is 5." in text and "undecided" in text

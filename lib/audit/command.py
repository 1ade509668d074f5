"""`python -m lib audit`: may these counts be published? Steps that survive being killed, a report.

Each finished step is kept in the folder of the audit, under the hash of all that it depends on: the
records, the release, the seed, the code and the packages. So going on after a kill is nothing but
starting again; and where anything changed, what was kept is gone before anything runs.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tqdm import tqdm

from lib import datasets
from lib.audit import AuditStep, counts, document, names, page, steps
from lib.audit import inputs as audit_given
from lib.execution import environment, fingerprints
from lib.execution import results as store
from lib.execution.durations import duration
from lib.execution.parallel import at_once
from lib.traces import Traces
from lib.validation import check_integer, format_value

EXAMPLE = "flights-by-number", "mds-k10"
FILES = ("audit.html", "audit.json")
_STEPS = ".steps"
_TOLD = 3  # reasons that the command prints
_LEAST = 1.0  # seconds of a step that a bar counts with
_CODE = "from lib.audit import document, steps\nsteps, document"


@dataclass(frozen=True)
class Audit:
    """Checked records and a checked release, ready to be played."""

    label: str
    traces: Traces
    asked: audit_given.Asked
    quick: bool
    seed: int

    @cached_property
    def steps(self) -> list[AuditStep]:
        return steps(self.traces, self.asked.release, self.quick, self.seed)

    def __getstate__(self) -> dict[str, Any]:  # steps are made again where they are run
        return {name: value for name, value in vars(self).items() if name != "steps"}

    @cached_property
    def inputs(self) -> str:
        """The hash of all that the result depends on."""
        said = {
            "label": self.label,
            "traces": audit_given.digest(self.traces),
            "report": audit_given.account(self.traces),
            "release": self.asked.mapping,
            "quick": self.quick,
            "seed": self.seed,
            "code": fingerprints.of_cells([_CODE]),
            "packages": store.packages(),
        }
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def prepare(
    name: str, release: str, options: Mapping[str, Any], quick: bool = False, seed: int = 0
) -> Audit:
    """An audit of records (a file, a card or a dataset's name) under a release.

    Raises ValueError for whatever cannot be right in either, before anything runs.
    """
    check_integer("--seed", seed)
    asked = audit_given.asked(release)
    traces = audit_given.records(name, asked.cut, options)
    return Audit(_label(name), traces, asked, quick, seed)


def _label(name: str) -> str:
    """What the data are called: no folder, and nothing that cannot be written."""
    return datasets.label(name).encode("utf-8", "replace").decode()


def folder_for(out: str | None, inputs: str) -> Path:
    """Where an audit goes. Raises ValueError for what is no folder."""
    folder = environment.runs() / f"audit-{inputs[:10]}" if out is None else Path(out).expanduser()
    if out is not None and (not out.strip() or (folder.exists() and not folder.is_dir())):
        raise ValueError(f"--out is {format_value(out)}; a folder, there or not yet, was expected")
    return folder


# -- what it will cost -----------------------------------------------------------------------------


def plan(audit: Audit, processes: int) -> str:
    """What will be done, in words, with time and memory."""
    lines = [
        f"{audit.label}: {audit.traces.n_users:,} people, {audit.traces.n_rois:,} zones, "
        f"{audit.traces.n_epochs:,} epochs; release: {audit.asked.release.name}"
    ]
    wide = max(len(step.words) for step in audit.steps)
    lines += [f"  {step.words:<{wide}}  {_time(step)}" for step in audit.steps]
    return "\n".join([*lines, _in_all(audit, processes)])


def _time(step: AuditStep) -> str:
    return f"about {duration(max(step.seconds, 1))}" if step.seconds else "not possible here"


def _in_all(audit: Audit, processes: int) -> str:
    """Each process draws what all steps share, and holds it."""
    seconds = [step.seconds for step in audit.steps]
    longest = max(sum(seconds) / processes, *seconds)
    memory = processes * max(step.bytes for step in audit.steps) / 1e6
    return (
        f"in all about {duration(max(longest, 1))} with {processes} at once, at most "
        f"{memory:,.0f} MB beside the records"
    )


def listed() -> str:
    """Presets and mechanisms, as `audit --list` prints them."""
    lines = []
    for kind in ("preset", "mechanism"):
        found = [each for each in names() if each["kind"] == kind]
        wide = max(len(each["name"]) for each in found)
        lines += [f"{kind}s:", *(f"  {e['name']:<{wide}}  {e['words']}" for e in found), ""]
    return "\n".join(lines).rstrip()


# -- playing ---------------------------------------------------------------------------------------


def play(audit: Audit, folder: Path, processes: int, show_ids: bool = False) -> dict[str, Any]:
    """Plays what is not kept yet, writes the report, returns the document."""
    kept = _prepared(folder, audit.inputs)
    files = {step.name: kept / f"{step.name.replace(' ', '-')}.json" for step in audit.steps}
    todo = [step.name for step in audit.steps if not files[step.name].exists()]
    for name, result in _done(audit, todo, processes):
        _write(files[name], json.dumps(result, default=store.as_plain))
    results = {name: json.loads(file.read_text(encoding="utf-8")) for name, file in files.items()}
    found = document(audit.traces, audit.asked.release, results, audit.quick, audit.seed)
    found["data"] |= {"label": audit.label, "loader": audit_given.account(audit.traces)}
    _name(found, [str(each) for each in audit.traces.users] if show_ids else None)
    return write(folder, found)


def _name(found: dict[str, Any], ids: Sequence[str] | None) -> None:
    """Puts ranks in the place of people's positions, and with `ids` their ids beside them."""
    at_risk = found["at_risk"]
    for attack in found["attacks"]:
        people = attack.get("more", {}).pop("exposed", [])
        if at_risk and attack["id"] == at_risk["attack"]:
            at_risk["people"] = [
                {"rank": rank, "AUC": each["AUC"]} | ({"id": ids[each["position"]]} if ids else {})
                for rank, each in enumerate(people, 1)
            ]


def play_counts(files: Sequence[str]) -> tuple[dict[str, Any], str]:
    """The audit of published counts alone, and the hash of what it depends on.

    Raises ValueError for tables that cannot be right.
    """
    if len(files) > 2:
        raise ValueError(f"--counts names {len(files)} tables; one, or two versions, was expected")
    tables = [counts.read(each) for each in files]
    digest = hashlib.sha256(json.dumps([each.checksum for each in tables]).encode()).hexdigest()
    return counts.document(tables, [_label(each) for each in files]), digest


def _prepared(folder: Path, inputs: str) -> Path:
    """The folder of kept steps, without what belongs to other inputs, the report included."""
    kept = folder / _STEPS / inputs[:16]
    if not kept.exists():
        for name in FILES:
            (folder / name).unlink(missing_ok=True)
        shutil.rmtree(folder / _STEPS, ignore_errors=True)
    kept.mkdir(parents=True, exist_ok=True)
    return kept


def _write(file: Path, text: str) -> None:
    """All or nothing."""
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(file)


def _done(
    audit: Audit, names: Sequence[str], processes: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and result of each step as it ends, with a bar of the time that was told."""
    if not names:
        return
    seconds = {step.name: max(step.seconds, _LEAST) for step in audit.steps if step.name in names}
    made: Iterator[tuple[str, dict[str, Any]]]
    if processes == 1:
        made = ((name, _step(audit, name).run()) for name in names)
    else:
        first = sorted(names, key=lambda name: -seconds[name])  # so that none is alone at the end
        made = at_once(_at_work, ((audit, name) for name in first), processes)
    started, done = time.monotonic(), 0
    form = "{percentage:3.0f}%|{bar}| {desc}"
    with tqdm(total=sum(seconds.values()), bar_format=form) as bar:
        bar.set_description_str(f"0 of {len(names)} steps")
        for name, result in _quietly(made):
            yield name, result
            done += 1
            gone = duration(time.monotonic() - started)
            bar.set_description_str(f"{done} of {len(names)} steps, {gone} gone, last: {name}")
            bar.update(min(seconds[name], bar.total - bar.n))  # sums of seconds round


def _quietly(made: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Without joblib's word on a worker that it renews because it holds much: draws are held."""
    while True:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "A worker stopped")
            each = next(made, None)
        if each is None:
            return
        yield each


def _step(audit: Audit, name: str) -> AuditStep:
    return next(step for step in audit.steps if step.name == name)


_AT_WORK: dict[str, Audit] = {}  # of a worker: the audit whose draws it holds


def _at_work(audit: Audit, name: str) -> tuple[str, dict[str, Any]]:
    """A step in a worker process."""
    held = _AT_WORK.setdefault(audit.inputs, audit)  # whose steps share their draws
    return name, _step(held, name).run()


# -- the report ------------------------------------------------------------------------------------


def write(folder: Path, found: dict[str, Any]) -> dict[str, Any]:
    """Writes `audit.json` and `audit.html`; returns the document as it was written."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(found, indent=1, default=store.as_plain, allow_nan=False)
    read: dict[str, Any] = json.loads(text)
    _write(folder / "audit.html", page.page(read))
    _write(folder / "audit.json", text + "\n")
    return read


def said(found: Mapping[str, Any]) -> str:
    """The verdict and its reasons, as the command prints them."""
    lines = [f"verdict: {found['verdict']}: {page.VERDICTS[found['verdict']].headline}"]
    first, more = found["reasons"][:_TOLD], len(found["reasons"]) - _TOLD
    lines += [f"  - {reason}" for reason in first]
    return "\n".join(lines + ([f"  and {more} more reasons, on the page"] if more > 0 else []))

"""`python -m lib audit`: may these counts be published? Resumable steps, and a report.

Each finished step is stored in the audit's folder under the hash of everything it depends on: the
records, the release, the seed, the code and the packages. Running the same command again resumes an
interrupted audit; if anything changed, stored steps are deleted before anything runs.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tqdm import tqdm

from lib import datasets
from lib.audit import AuditStep, catalogue, count_tables, document, inputs, page, published, steps
from lib.audit.alternatives import LARGEST_ERROR
from lib.execution import environment, fingerprints
from lib.execution import results as store
from lib.execution.checkpoints import Checkpoints
from lib.execution.durations import duration
from lib.execution.parallel import run_parallel
from lib.traces import Traces
from lib.validation import check_integer, format_value

EXAMPLE = "flights-by-number", "mds-k10"
FILES = ("audit.html", "audit.json")
_STEPS = ".steps"
_N_REASONS = 3  # that the command prints
_LEAST = 1.0  # seconds of a step in the progress bar


@dataclass(frozen=True)
class Audit:
    """Checked records and a checked release, ready to be audited.

    Parameters
    ----------
    label : str
        What to call the data in the report.
    traces : Traces
        The records.
    request : ReleaseRequest
        The release.
    quick : bool
        Whether to simulate fewer releases and targets.
    seed : int
        Seed of all random draws.
    largest_error : float
        Largest error of totals by zone and day with which counts are useful.
    """

    label: str
    traces: Traces
    request: inputs.ReleaseRequest
    quick: bool
    seed: int
    largest_error: float = LARGEST_ERROR

    @cached_property
    def steps(self) -> list[AuditStep]:
        """The steps of the audit."""
        return steps(self.traces, self.request.release, self.quick, self.seed)

    def __getstate__(self) -> dict[str, Any]:  # steps are created again in each process
        return {name: value for name, value in vars(self).items() if name != "steps"}

    @cached_property
    def digest(self) -> str:
        """The hash of everything that the result depends on."""
        parts = {
            "label": self.label,
            "traces": inputs.digest(self.traces),
            "report": inputs.loading_report(self.traces),
            "release": self.request.mapping,
            "quick": self.quick,
            "seed": self.seed,
            "code": fingerprints.of("lib.audit.run"),
            "packages": store.packages(),
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def prepare(
    name: str,
    release: str,
    options: Mapping[str, Any],
    quick: bool = False,
    seed: int = 0,
    largest_error: float = LARGEST_ERROR,
) -> Audit:
    """Check and load the inputs of an audit.

    Parameters
    ----------
    name : str
        A file, a YAML card, or a dataset's name.
    release : str
        A YAML file or a preset's name.
    options : mapping of str to str or None
        Options of the loader.
    quick : bool
        Whether to simulate fewer releases and targets.
    seed : int
        Seed of all random draws.
    largest_error : float
        Largest error of totals by zone and day with which counts are useful.

    Returns
    -------
    Audit
        The audit.

    Raises
    ------
    ValueError
        If either input cannot be right.
    """
    check_integer("--seed", seed)
    if not 0 <= largest_error <= 1e6:  # NaN is wrong too
        raise ValueError(
            f"--largest-error is {largest_error}; a relative error from 0 was expected, such as 0.1"
        )
    request = inputs.read_release(release)
    traces = inputs.load_records(name, request.cut, options)
    return Audit(_label(name), traces, request, quick, seed, largest_error)


def _label(name: str) -> str:
    """The data's name without a folder and without characters that cannot be written."""
    return datasets.label(name).encode("utf-8", "replace").decode()


def output_folder(out: str | None, digest: str) -> Path:
    """Choose the folder of an audit.

    Parameters
    ----------
    out : str or None
        The folder that was asked for; by default one in ``runs/``.
    digest : str
        Hash of the inputs.

    Returns
    -------
    Path
        The folder; it may not exist yet.

    Raises
    ------
    ValueError
        If `out` cannot be a folder.
    """
    folder = environment.runs() / f"audit-{digest[:10]}" if out is None else Path(out).expanduser()
    if out is not None and (not out.strip() or (folder.exists() and not folder.is_dir())):
        raise ValueError(f"--out is {format_value(out)}; a folder, existing or new, was expected")
    return folder


# -- the plan --------------------------------------------------------------------------------------


def plan(audit: Audit, processes: int) -> str:
    """Describe what will be run, with estimates of time and memory.

    Parameters
    ----------
    audit : Audit
        The audit.
    processes : int
        Number of processes.

    Returns
    -------
    str
        Several lines.
    """
    lines = [
        f"{audit.label}: {audit.traces.n_users:,} people, {audit.traces.n_rois:,} zones, "
        f"{audit.traces.n_epochs:,} epochs; release: {audit.request.release.name}"
    ]
    reading = _reading(audit.traces)
    try:
        lines += reading * bool(audit.steps)
    except ValueError as error:
        how = "; ".join(line.strip() for line in reading)
        raise ValueError(f"{error} (how they were read: {how})" if how else str(error)) from error
    width = max(len(step.words) for step in audit.steps)
    lines += [f"  {step.words:<{width}}  {_time(step)}" for step in audit.steps]
    seconds = [step.seconds for step in audit.steps]
    longest = max(sum(seconds) / processes, *seconds)
    memory = processes * max(step.bytes for step in audit.steps) / 1e6  # each holds all draws
    lines.append(
        f"in all about {duration(max(longest, 1))} with {processes} at once, at most "
        f"{memory:,.0f} MB beside the records"
    )
    return "\n".join(lines)


def _reading(traces: Traces) -> list[str]:
    """How the records were read: what was found rather than given, and rows that were set aside."""
    report = inputs.loading_report(traces)
    if report is None:
        return []
    aside = [f"{n:,} set aside: {why}" for why, n in report["set_aside"].items()]
    first = f"{report['read']:,} rows read, {report['kept']:,} kept"
    return [f"  {line}" for line in (first, *aside, *report["notes"])]


def _time(step: AuditStep) -> str:
    return f"about {duration(max(step.seconds, 1))}" if step.seconds else "not possible here"


def catalogue_text() -> str:
    """List presets and mechanisms, as `audit --list` prints them.

    Returns
    -------
    str
        Several lines.
    """
    lines = []
    for kind in ("preset", "mechanism"):
        entries = [each for each in catalogue() if each["kind"] == kind]
        width = max(len(each["name"]) for each in entries)
        lines += [f"{kind}s:", *(f"  {e['name']:<{width}}  {e['words']}" for e in entries), ""]
    return "\n".join(lines).rstrip()


# -- running ---------------------------------------------------------------------------------------


def run(audit: Audit, folder: Path, processes: int, show_ids: bool = False) -> dict[str, Any]:
    """Run the steps that are not stored yet and write the report.

    Parameters
    ----------
    audit : Audit
        The audit.
    folder : Path
        Where the report and the steps are written.
    processes : int
        Number of processes.
    show_ids : bool
        Whether the report names the most exposed people.

    Returns
    -------
    dict
        The document.
    """
    finished = _finished_steps(folder, audit.digest)
    todo = [step.name for step in audit.steps if finished.read(step.name) is None]
    for name, result in _results(audit, todo, processes):
        finished.write(name, result)
    results = {step.name: finished.read(step.name) for step in audit.steps}
    release = audit.request.release
    found = document(audit.traces, release, results, audit.quick, audit.seed, audit.largest_error)
    found["data"] |= {"label": audit.label, "loader": inputs.loading_report(audit.traces)}
    _name_people(found, [str(each) for each in audit.traces.users] if show_ids else None)
    return write_report(folder, found)


def _name_people(found: dict[str, Any], ids: Sequence[str] | None) -> None:
    """Replace positions of people by ranks, and add their ids if given."""
    at_risk = found["at_risk"]
    for attack in found["attacks"]:
        people = attack.get("more", {}).pop("exposed", [])
        if at_risk and attack["id"] == at_risk["attack"]:
            at_risk["people"] = [
                {"rank": rank, "AUC": each["AUC"]} | ({"id": ids[each["position"]]} if ids else {})
                for rank, each in enumerate(people, 1)
            ]


def audit_tables(
    names: Sequence[str],
    columns: str | None = None,
    hidden_below: int | None = None,
    hidden_from: int | None = None,
    sheet: str | None = None,
) -> tuple[dict[str, Any], str]:
    """Audit published counts alone.

    Parameters
    ----------
    names : sequence of str
        One file, or several: versions of the same table, or its totals over fewer axes.
    columns : str, optional
        Columns of zones, times and counts, as `lib.audit.count_tables.read_table` takes them.
    hidden_below, hidden_from : int, optional
        What is known of suppressed counts.
    sheet : str, optional
        Name of the sheet of an Excel file.

    Returns
    -------
    document : dict
        The audit's document.
    digest : str
        Hash of the files and options.

    Raises
    ------
    ValueError
        If the tables cannot be right.
    """
    for option, value in (("--hidden-below", hidden_below), ("--hidden-from", hidden_from)):
        if value is not None:
            check_integer(option, value, 1 if option == "--hidden-below" else 0)
    try:
        tables = [
            count_tables.read_table(each, columns, sheet, i > 0) for i, each in enumerate(names)
        ]
    except ValueError as error:
        raise ValueError(inputs.as_options(str(error), ("sheet", "columns"))) from error
    parts = [[each.checksum for each in tables], columns, hidden_below, hidden_from, sheet]
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    assumed = published.Assumed(hidden_below, hidden_from)
    return published.document(tables, [_label(each) for each in names], assumed), digest


def _finished_steps(folder: Path, digest: str) -> Checkpoints:
    """The stored steps; steps and reports of other inputs are deleted."""
    stored = folder / _STEPS / digest[:16]
    if not stored.exists():
        for name in (*FILES, "audit.ipynb"):
            (folder / name).unlink(missing_ok=True)
        shutil.rmtree(folder / _STEPS, ignore_errors=True)
    stored.mkdir(parents=True, exist_ok=True)
    return Checkpoints(stored)


def _results(
    audit: Audit, names: Sequence[str], processes: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and result of each step when it ends, with a bar of the estimated time."""
    if not names:
        return
    seconds = {step.name: max(step.seconds, _LEAST) for step in audit.steps if step.name in names}
    order = sorted(names, key=lambda name: -seconds[name]) if processes > 1 else names
    finished = run_parallel(_run_in_worker, ((audit, name) for name in order), processes)
    started, done = time.monotonic(), 0
    form = "{percentage:3.0f}%|{bar}| {desc}"
    with tqdm(total=sum(seconds.values()), bar_format=form) as bar:
        bar.set_description_str(f"0 of {len(names)} steps")
        for name, result in finished:
            yield name, result
            done += 1
            elapsed = duration(time.monotonic() - started)
            bar.set_description_str(
                f"{done} of {len(names)} steps, {elapsed} elapsed, last: {name}"
            )
            bar.update(min(seconds[name], bar.total - bar.n))  # sums of seconds round


def _step(audit: Audit, name: str) -> AuditStep:
    return next(step for step in audit.steps if step.name == name)


_HELD: dict[str, Audit] = {}  # in a worker process: the audit whose draws it holds


def _run_in_worker(audit: Audit, name: str) -> tuple[str, dict[str, Any]]:
    """Run a step in a worker process; steps of the same audit share their draws."""
    held = _HELD.setdefault(audit.digest, audit)
    return name, _step(held, name).run()


# -- the report ------------------------------------------------------------------------------------


def write_report(folder: Path, found: dict[str, Any]) -> dict[str, Any]:
    """Write `audit.json` and `audit.html`.

    Parameters
    ----------
    folder : Path
        Where to write them.
    found : dict
        The document.

    Returns
    -------
    dict
        The document as it was written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(found, indent=1, default=store.as_plain, allow_nan=False)
    read: dict[str, Any] = json.loads(text)
    environment.write(folder / "audit.html", page.render(read))
    environment.write(folder / "audit.json", text + "\n")
    return read


def summary(found: Mapping[str, Any]) -> str:
    """Summarise the verdict and its reasons, as the command prints them.

    Parameters
    ----------
    found : mapping
        The document.

    Returns
    -------
    str
        Several lines.
    """
    reasons = found["reasons"]
    how = found["settings"].get("how the table was read")
    lines = [f"how the table was read: {how}"] if how else []
    lines += [f"verdict: {found['verdict']}: {page.VERDICTS[found['verdict']].headline}"]
    lines += [f"  - {reason}" for reason in reasons[:_N_REASONS]]
    if len(reasons) > _N_REASONS:
        lines.append(f"  and {len(reasons) - _N_REASONS} more reasons, on the page")
    return "\n".join(lines)

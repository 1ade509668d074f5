"""`python -m lib`: run chapters, one or many; build the book; list data, parameters and claims."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import yaml

from lib import datasets

if TYPE_CHECKING:
    from lib.sweep import Run


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    from lib import execution  # papermill takes a second to import

    try:
        return options.action(options)
    except execution.ChapterError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command goes on where it was", file=sys.stderr)
        return 130
    except ValueError as error:
        print(f"refused: {error}", file=sys.stderr)
        return 2
    except OSError as error:  # a folder that cannot be written, a full disk
        print(f"error: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m lib", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, action, text in (
        ("run", _run, "execute a chapter with new parameters, into runs/"),
        ("paper", _run, "execute a chapter at the paper's size, into book/paper/"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        text = "a chapter, such as foundations" + ("; without it, all" if name == "paper" else "")
        optional = "?" if name == "paper" else None
        command.add_argument("notebook", metavar="NOTEBOOK", nargs=optional, default="", help=text)
        command.add_argument("-p", nargs=2, action="append", default=[], dest="pairs",
                             metavar=("NAME", "VALUE"), help="a parameter")  # fmt: skip
        command.add_argument("--params", default="", help="'NAME=VALUE NAME=VALUE ...'")
        command.set_defaults(action=action, into=name)
        if name == "paper":
            _add_runs(command, 1)
    text = "run a notebook with every combination of some parameters, into runs/"
    command = commands.add_parser("sweep", help=text, description=text)
    command.add_argument("file", metavar="FILE.yml", help="notebook, parameters, cross")
    _add_runs(command, os.cpu_count() or 1)
    command.set_defaults(action=_sweep)
    command = commands.add_parser("parameters", help="what a chapter accepts")
    command.add_argument("notebook", metavar="NOTEBOOK")
    command.set_defaults(action=_parameters)
    commands.add_parser("datasets", help="what there is").set_defaults(action=_datasets)
    commands.add_parser(
        "claims", help="gather what chapters found for the papers' claims; write their pages"
    ).set_defaults(action=_claims)
    commands.add_parser("book", help="run changed chapters, build the book").set_defaults(
        action=_book
    )
    return parser


def _add_runs(command: argparse.ArgumentParser, processes: int) -> None:
    """What commands with many runs have in common."""
    text = "only list the runs, with expected time and memory"
    command.add_argument("--dry-run", action="store_true", help=text)
    where = command.add_mutually_exclusive_group()
    text = f"how many runs at once on this machine; if not given, {processes}"
    where.add_argument("--processes", type=int, default=processes, metavar="N", help=text)
    text = "of a Dask scheduler, such as tcp://127.0.0.1:8786, whose workers do the runs"
    where.add_argument("--scheduler", default="", metavar="ADDRESS", help=text)


def _values(options: argparse.Namespace) -> dict[str, Any]:
    """All parameters given, read as YAML: 3, [1, 2], {user: id}, text."""
    pairs = [tuple(pair) for pair in options.pairs]
    for word in shlex.split(options.params):
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{word!r}: NAME=VALUE was expected")
        pairs.append((name, value))
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise ValueError(f"parameter {name!r} is given twice")
        try:
            values[name] = yaml.safe_load(value) if value else value
        except yaml.YAMLError as error:
            raise ValueError(f"parameter {name!r} is {value!r}, which is not YAML") from error
    return values


def _run(options: argparse.Namespace) -> int:
    from lib import execution

    if not options.notebook:
        return _paper(options)
    if options.into == "paper" and (options.dry_run or options.scheduler):
        raise ValueError("--dry-run and --scheduler are for all chapters: leave NOTEBOOK out")
    execute = execution.run if options.into == "run" else execution.paper
    folder = execute(options.notebook, _values(options))
    tables = sorted(file.name for file in (folder / "tables").iterdir())
    print(f"notebook: {_shown(folder / options.notebook)}.ipynb")
    print(f"tables:   {_shown(folder / 'tables')}/ ({', '.join(tables)})")
    print(f"settings: {_shown(folder / 'parameters.yml')}")
    return 0


def _paper(options: argparse.Namespace) -> int:
    """All chapters at the papers' size."""
    from lib import sweep

    if _values(options):
        raise ValueError("parameters are a chapter's: say which, such as paper foundations")
    runs = sweep.paper_runs()
    if options.dry_run:
        return _planned(runs, options.processes)
    kept = [run.finished for run in runs]
    failed = sweep.perform(runs, options.processes, options.scheduler)
    with pd.option_context("display.width", None):
        print(sweep.summary(runs, kept).to_string())
    return _outcome(runs, kept, failed)


def _sweep(options: argparse.Namespace) -> int:
    from lib import sweep

    found = sweep.read(options.file)
    if options.dry_run:
        return _planned(found.runs, options.processes)
    kept = [run.finished for run in found.runs]
    sweep.prepare(found)
    failed = sweep.perform(found.runs, options.processes, options.scheduler)
    code = _outcome(found.runs, kept, failed)
    if len(failed) < len(found.runs):
        print(f"table: {_shown(sweep.write_table(found))}")
    return code


def _planned(runs: list[Run], processes: int) -> int:
    from lib import sweep

    with pd.option_context("display.width", None, "display.max_rows", None):
        print(sweep.plan(runs).to_string())
    print(sweep.in_all(runs, processes))
    return 0


def _outcome(runs: list[Run], kept: list[bool], failed: dict[int, str]) -> int:
    print(f"finished: {len(runs) - len(failed)} of {len(runs)}, {sum(kept)} of them before")
    for position, error in failed.items():
        print(f"failed: {runs[position]}: {error}", file=sys.stderr)
    return 1 if failed else 0


def _shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _parameters(options: argparse.Namespace) -> int:
    from lib import execution

    for p in execution.parameters(options.notebook):
        print(f"{p.name}: {p.type} = {p.default!r}\n    {p.help}")
    return 0


def _datasets(options: argparse.Namespace) -> int:
    with pd.option_context("display.width", None, "display.max_colwidth", None):
        print(datasets.available().to_string())
    return 0


def _claims(options: argparse.Namespace) -> int:
    from lib import claims, scoreboard

    for file in [*claims.write(), scoreboard.write()]:
        print(f"written: {_shown(file)}")
    gathered = claims.gather()
    for paper in claims.PAPERS:
        total = len(claims.published(paper))
        verdicts = gathered[paper]["verdict"].tolist() if paper in gathered else []
        counts = [f"{verdicts.count(v)} {v}" for v in claims.VERDICTS if v in verdicts]
        print(f"{paper}: {', '.join([*counts, f'{total - len(verdicts)} without a result'])}")
    return 0


def _book(options: argparse.Namespace) -> int:
    from lib import execution

    executed = execution.update_book()
    print(f"chapters executed: {', '.join(executed) or 'none, nothing changed'}", flush=True)
    page = execution.build_book()
    print(f"the book is built: {page.as_uri()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

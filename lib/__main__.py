"""`python -m lib`: run chapters, one or many; build the book; list data, parameters and claims."""

from __future__ import annotations

from lib.execution import MEMORY_KEPT, ONE_THREAD, interrupts

if __name__ == "__main__":
    interrupts.at_once()  # on Ctrl-C, while the rest is imported

import argparse
import os
from collections.abc import Callable

os.environ |= ONE_THREAD | MEMORY_KEPT  # before numpy is loaded, and for all that is started

import math
import shlex
import sys
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from lib.chapters import unchanged  # only what is quick to import: --help should not wait
from lib.execution.errors import ChapterError

if TYPE_CHECKING:
    from lib.chapters.sweeps import Run

_MOST_AT_ONCE = 1024  # runs, on one machine
_EXECUTED, _NONE_EXECUTED = "pages executed: {}", "none, nothing changed"
_BUILT = "the book is built: {}"
_TO_CHECK, _NONE_TO_CHECK = "pages to check: {}", "none, all as they were last found good"
PUBLISHED = ("article", "pdf", "zip", "wheelhouse", "release")
_MOST_FAILED = 20  # runs that are named one by one
_READING = {  # option of the loader -> how it is given, and what it says
    "columns": (
        "MAPPING",
        "'{user: id, time: when, roi: zone}', or lat: and lon: for roi:; "
        "for a table without names '[user, time, lat, lon]'",
    ),
    "grid": ("ROWS,COLUMNS", "around all points, such as '[8, 12]'"),
    "timezone": ("ZONE", "of times without an offset, such as Europe/Rome"),
    "time-format": ("FORMAT", "where the column does not tell, such as '%%d/%%m/%%Y'"),
    "ambiguous": ("WHICH", "of a time that occurs twice: earlier, later or drop"),
    "epoch": ("LENGTH", "of an epoch, such as 1h"),
    "start": ("DATE", "the first moment of the window"),
    "end": ("DATE", "the first moment after it"),
    "trips": ("HOW", "ends: at the origin and at the destination; pairs: once, in a zone 'A → B'"),
    "zones": ("FILE", "of the places (zone, lat, lon), or of areas (GeoJSON)"),
    "crs": ("SYSTEM", "of coordinates that are not degrees, such as EPSG:27700"),
    "scale": ("NUMBER", "that degrees were multiplied by, such as 1e6"),
    "separator": ("MARK", "between columns, where it is not found"),
    "decimal": ("MARK", "of coordinates, '.' or ',', where it is not found"),
    "sheet": ("NAME", "of an Excel file, if it has several"),
}


def main(arguments: list[str] | None = None) -> int:
    """Run a command of `python -m lib`.

    Parameters
    ----------
    arguments : list of str, optional
        The arguments; by default, those of this process.

    Returns
    -------
    int
        The exit code: 0, 1 for an error, 2 for arguments that are refused, 130 after Ctrl-C.
    """
    options = _parser().parse_args(_renamed(sys.argv[1:] if arguments is None else arguments))
    if _is_done(options):
        return 0
    import_module(options.needs)
    try:
        interrupts.tidily()
        _check(options)
        return options.action(options)
    except (Exception, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt) or interrupts.asked():  # an import may reword it
            print(interrupts.SAID, file=sys.stderr)
            return interrupts.CODE
        known = (ChapterError, "error", 1), (ValueError, "refused", 2), (OSError, "error", 1)
        for kind, word, code in known:
            if isinstance(error, kind):
                print(f"{word}: {_brief(error)}", file=sys.stderr)
                return code
        raise


def _renamed(arguments: list[str]) -> list[str]:
    """Replace a verb that had another name before version 0.2, and say so."""
    if arguments[:1] == ["studies"]:
        print("`studies` is now called `experiments`", file=sys.stderr)
        return ["experiments", *arguments[1:]]
    return arguments


def _is_done(options: argparse.Namespace) -> bool:
    """Answer at once if a command on all pages finds everything as it left it."""
    if options.action is _book and not options.pages and unchanged.book_is_built():
        print(_EXECUTED.format(_NONE_EXECUTED))
        print(_BUILT.format(unchanged.home().as_uri()))
        return True
    checks = options.action is _check_pages and not (options.all or options.pages)
    if checks and unchanged.pages_are_checked():
        print(_TO_CHECK.format(_NONE_TO_CHECK))
        return True
    return False


def _brief(message: object) -> str:
    """Shorten a message that is longer than a screen."""
    text = str(message)
    return text if len(text) <= 2000 else f"{text[:1200]} ... {text[-500:]}"


# -- what there is to say --------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"refused: {_brief(message)} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m lib", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (action, needs, adders) in _COMMANDS.items():
        text = str(action.__doc__).removesuffix(".")
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(action=action, needs=f"lib.{needs}")
        for add in adders:
            add(command)
    return parser


_Action = Callable[[argparse.Namespace], int]
_Adder = Callable[[argparse.ArgumentParser], Any]
_COMMANDS: dict[str, tuple[_Action, str, tuple[_Adder, ...]]] = {}


def _command(name: str, needs: str, *adders: _Adder) -> Callable[[_Action], _Action]:
    """Decorate a command, whose docstring is its help; the module `needs` does the work."""

    def added(action: _Action) -> _Action:
        _COMMANDS[name] = action, needs, adders
        return action

    return added


def _argument(*names: str, **how: Any) -> _Adder:
    return lambda command: command.add_argument(*names, **how)


_NOTEBOOK = _argument("notebook", metavar="NOTEBOOK", help="a chapter, such as foundations")
_NAMES = _argument("names", metavar="NAME", nargs="*", help="of an experiment or a paper")
_PAGES = _argument(
    "pages", metavar="PAGE", nargs="*", help="only these, such as fano or replication/fano"
)


def _add_audit(command: argparse.ArgumentParser) -> None:
    what = "a table, a folder of tables, a YAML card, or a dataset's name"
    command.add_argument("records", metavar="RECORDS", nargs="?", help=what)
    text = "how the counts are published: a YAML file, or a preset's name"
    command.add_argument("--release", metavar="RELEASE", help=text)
    text = "published counts instead of records: examine what the table alone reveals"
    command.add_argument("--counts", metavar="FILE", action="append", help=text)
    text = "with --counts: every suppressed count is below N, and counts below N are small"
    command.add_argument("--hidden-below", type=int, metavar="N", help=text)
    text = "with --counts: the least suppressed count; 1 if zeros are published, otherwise 0"
    command.add_argument("--hidden-from", type=int, metavar="N", help=text)
    command.add_argument(
        "--example", action="store_true", help="the flights, small counts hidden as mds-k10 has it"
    )
    command.add_argument("--list", action="store_true", help="presets and mechanisms")
    command.add_argument("--out", metavar="FOLDER", help="for the report; if not given, in runs/")
    command.add_argument(
        "--quick", action="store_true", help="fewer simulated releases and targets; a minute or two"
    )
    text = "only check, and tell time and memory"
    command.add_argument("--dry-run", action="store_true", help=text)
    command.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of all draws; if not given, 0"
    )
    text = (
        "floor of usefulness: alternatives whose totals by zone and day have at most this relative "
        "error come first; if not given, 0.1"
    )
    command.add_argument("--largest-error", type=float, default=0.1, metavar="ERROR", help=text)
    text = "write the audit's executed notebook, too: its calls, tables and figures"
    command.add_argument("--notebook", action="store_true", help=text)
    text = "name the most exposed people in the report, instead of their ranks alone"
    command.add_argument("--show-ids", action="store_true", help=text)
    here = os.cpu_count() or 1
    text = f"how many steps at once; if not given, {here}"
    command.add_argument("--processes", type=int, default=here, metavar="N", help=text)
    reading = command.add_argument_group("how records are read, as a card says it")
    for name, (form, text) in _READING.items():
        reading.add_argument(f"--{name}", metavar=form, help=text)


def _add_values(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-p",
        nargs=2,
        action="append",
        default=[],
        dest="pairs",
        metavar=("NAME", "VALUE"),
        help="a parameter",
    )
    command.add_argument("--params", default="", help="'NAME=VALUE NAME=VALUE ...'")


def _add_experiments(command: argparse.ArgumentParser) -> None:
    how = command.add_mutually_exclusive_group()
    how.add_argument(
        "--outdated", action="store_true", help="only the names of those out of date; exit 1 if any"
    )
    how.add_argument(
        "--recheck", action="store_true", help="compute some units of outdated ones again"
    )
    command.add_argument("--units", type=int, default=2, metavar="N", help="units to recheck, 2")


def _add_runs(command: argparse.ArgumentParser) -> None:
    """Add what commands with many runs have in common."""
    text = "only list the runs, with expected time and memory"
    command.add_argument("--dry-run", action="store_true", help=text)
    where = command.add_mutually_exclusive_group()
    here = os.cpu_count() or 1
    text = f"how many runs at once on this machine; if not given, {here}"
    where.add_argument("--processes", type=int, default=here, metavar="N", help=text)
    text = "of a Dask scheduler, such as tcp://127.0.0.1:8786, whose workers do the runs"
    where.add_argument("--scheduler", metavar="ADDRESS", help=text)


def _check(options: argparse.Namespace) -> None:
    """Refuse numbers and names that no command accepts."""
    from lib.validation import check_integer, format_value

    if "processes" in options:
        n = check_integer("--processes", options.processes, 1)
        if n > _MOST_AT_ONCE:
            raise ValueError(
                f"--processes is {format_value(n)}; at most {_MOST_AT_ONCE} were expected"
            )
        if getattr(options, "scheduler", None) is not None and not options.scheduler.strip():
            raise ValueError("--scheduler is empty; an address was expected: tcp://127.0.0.1:8786")
    if "units" in options:
        check_integer("--units", options.units, 1)
    for name in getattr(options, "names", ()):
        if not name.strip():
            raise ValueError(f"{name!r} is no experiment or paper; without any name, all are meant")


def _values(options: argparse.Namespace) -> dict[str, Any]:
    """Read all given parameters as YAML: 3, [1, 2], {user: id}, text."""
    from lib.execution import yaml_text
    from lib.validation import format_value

    pairs = [tuple(pair) for pair in options.pairs]
    try:
        words = shlex.split(options.params)
    except ValueError as error:
        raise ValueError(f"--params is {format_value(options.params)}: {error}") from None
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{format_value(word)}: NAME=VALUE was expected")
        pairs.append((name, value))
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise ValueError(f"parameter {format_value(name)} is given twice")
        try:
            values[name] = yaml_text.read(value) if value else value
        except yaml_text.YamlError as error:
            problem = f"parameter {format_value(name)} is {format_value(value)}: {error.problem}"
            raise ValueError(problem) from None
    return values


@_command("run", "chapters.runs", _NOTEBOOK, _add_values)
def _run(options: argparse.Namespace) -> int:
    """Execute a chapter with new parameters, into runs/."""
    from lib.chapters import run_page, runs

    folder = runs.run(options.notebook, _values(options))
    tables = sorted(file.name for file in (folder / "tables").iterdir())
    print(f"notebook: {_shown(folder / options.notebook)}.ipynb")
    print(f"tables:   {_shown(folder / 'tables')}/ ({', '.join(tables)})")
    print(f"settings: {_shown(folder / 'parameters.yml')}", flush=True)  # the page takes seconds
    print(f"page:     {run_page.write(folder).as_uri()}")
    return 0


@_command(
    "compare",
    "chapters.compare",
    _argument("first", metavar="RUN", help="a folder, or its name in runs/"),
    _argument("second", metavar="RUN", help="another run of the same chapter"),
)
def _compare(options: argparse.Namespace) -> int:
    """Put the tables of two runs side by side: what changed, beyond the intervals or not."""
    from lib.chapters import compare

    found = compare.compare(compare.folder(options.first), compare.folder(options.second))
    print(compare.words(found))
    return 0


@_command("experiments", "papers.command", _NAMES, _add_experiments)
def _experiments(options: argparse.Namespace) -> int:
    """List experiments, and whether their stored results are up to date."""
    from lib.papers import command

    if options.outdated:
        return command.list_out_of_date(options.names)
    if options.recheck:
        return command.recheck(options.names, options.units)
    return command.list_experiments(options.names)


@_command("paper", "papers.command", _NAMES, _add_runs)
def _paper(options: argparse.Namespace) -> int:
    """Run what is out of date, at the size of the papers; continues where it was stopped."""
    from lib.papers import command

    return command.run(options.names, options.processes, options.scheduler or "", options.dry_run)


@_command(
    "sweep",
    "chapters.sweeps",
    _argument("file", metavar="FILE.yml", help="notebook, parameters, cross"),
    _add_runs,
    _argument("--yes", action="store_true", help="do, or list, more than 10,000 runs"),
)
def _sweep(options: argparse.Namespace) -> int:
    """Run a notebook with every combination of some parameters, into runs/."""
    from lib.chapters import sweeps

    found = sweeps.read(options.file, math.inf if options.yes else sweeps.MOST)
    if options.dry_run:
        return _planned(found.runs, options.processes)
    kept = [run.finished for run in found.runs]
    sweeps.prepare(found)
    failed = sweeps.perform(found.runs, options.processes, options.scheduler or "")
    _say_failed(found.runs, failed)
    done = sum(run.finished for run in found.runs)
    print(f"finished: {done} of {len(found.runs)} runs, {sum(kept)} of them before")
    if done:
        part = "" if done == len(found.runs) else f" of {done} of {len(found.runs)} runs, partial"
        print(f"table{part}: {_shown(sweeps.write_table(found))}")
    return 0 if done == len(found.runs) else 1


def _planned(runs: list[Run], processes: int) -> int:
    import pandas as pd

    from lib.chapters import sweeps

    with pd.option_context("display.width", None, "display.max_rows", None):
        print(sweeps.plan(runs).to_string())
    print(sweeps.in_all(runs, processes))
    return 0


def _say_failed(runs: list[Run], failed: dict[int, str]) -> None:
    for position, error in list(failed.items())[:_MOST_FAILED]:
        print(f"failed: {_brief(f'{runs[position]}: {error}')}", file=sys.stderr)
    if len(failed) > _MOST_FAILED:
        print(f"failed: {len(failed) - _MOST_FAILED:,} more", file=sys.stderr)


def _shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


@_command("parameters", "chapters.parameters", _NOTEBOOK)
def _parameters(options: argparse.Namespace) -> int:
    """Show what a chapter accepts."""
    from lib.chapters import parameters

    for p in parameters.parameters(options.notebook):
        print(f"{p.name} = {p.default!r}\n    {p}")
    return 0


@_command("datasets", "datasets")
def _datasets(options: argparse.Namespace) -> int:
    """List the datasets."""
    import pandas as pd

    from lib import datasets

    with pd.option_context("display.width", None, "display.max_colwidth", None):
        print(datasets.available().to_string())
    return 0


@_command("claims", "papers.scoreboard")
def _claims(options: argparse.Namespace) -> int:
    """Judge the papers' claims from stored results; write their pages."""
    from lib.papers import claims, scoreboard
    from lib.papers import verdicts as findings

    gathered = findings.gather()
    for file in [*findings.write(gathered), scoreboard.write(gathered)]:
        print(f"written: {_shown(file)}")
    for paper, found in gathered.items():
        verdicts = found["verdict"].tolist()
        counts = [f"{verdicts.count(v)} {v}" for v in claims.VERDICTS if v in verdicts]
        without = len(claims.published(paper)) - len(verdicts)
        print(f"{paper}: {', '.join([*counts, f'{without} without a result'])}")
    return 0


def _refuse_unknown_pages(names: list[str]) -> None:
    """Raise ValueError for a page that does not exist, with the most similar name."""
    from lib.chapters import pages
    from lib.validation import format_value

    known = pages.pages()
    for page in names:
        if page not in known:
            near = get_close_matches(page, known, 1)
            meant = f"; did you mean {near[0]!r}?" if near else ";"
            raise ValueError(f"no page {format_value(page)}{meant} There are: {', '.join(known)}")


@_command("book", "chapters.pages", _PAGES)
def _book(options: argparse.Namespace) -> int:
    """Bring changed pages up to date; without PAGE, build the book, too."""
    from lib.chapters import pages

    _refuse_unknown_pages(options.pages)
    before = unchanged.digest()
    done = pages.update(options.pages)
    executed = [page for page, before in done.items() if before == "outdated"]
    prose = [page for page in done if page not in executed]
    print(_EXECUTED.format(", ".join(executed) or _NONE_EXECUTED))
    if prose:
        print(f"only prose renewed: {', '.join(prose)}")
    sys.stdout.flush()  # before what is built prints
    if not options.pages:
        print(_BUILT.format(pages.make("" if done else before).as_uri()))
    return 0


@_command("slides", "execution.environment")
def _slides(options: argparse.Namespace) -> int:
    """Build the slides of every chapter from its executed page."""
    from book._ext import slides

    print(f"the slides are built: {slides.build().as_uri()}")
    return 0


@_command(
    "check", "chapters.pages", _argument("--all", action="store_true", help="of all pages"), _PAGES
)
def _check_pages(options: argparse.Namespace) -> int:
    """Compare every number of pages that changed since they were last found good."""
    from lib.chapters import pages

    _refuse_unknown_pages(options.pages)
    chosen = options.pages or (pages.pages() if options.all else pages.unchecked())
    print(_TO_CHECK.format(", ".join(chosen) or _NONE_TO_CHECK), flush=True)
    return pages.check(chosen)


@_command("audit", "audit.command", _add_audit)
def _audit(options: argparse.Namespace) -> int:
    """Run every attack against a release of your own records and write a report."""
    from lib.audit import command as audit

    if options.list:
        print(audit.catalogue_text())
        return 0
    _check_audit(options)
    if options.counts:
        bounds = options.hidden_below, options.hidden_from
        found, digest = audit.audit_tables(options.counts, options.columns, *bounds, options.sheet)
        folder = audit.output_folder(options.out, digest)
        if options.dry_run:
            print("examining the table takes seconds; nothing is written")
            return 0
        found = audit.write_report(folder, found)
        if options.notebook:
            _print_notebook(folder, "write_for_tables", options.counts, options.columns, bounds)
    else:
        records, release = audit.EXAMPLE if options.example else (options.records, "")
        reading = {
            name.replace("-", "_"): getattr(options, name.replace("-", "_")) for name in _READING
        }
        settings = {name: getattr(options, name) for name in ("quick", "seed", "largest_error")}
        given = audit.prepare(records, options.release or release, reading, **settings)
        folder = audit.output_folder(options.out, given.digest)
        print(audit.plan(given, options.processes), flush=True)
        if options.dry_run:
            return 0
        found = audit.run(given, folder, options.processes, options.show_ids)
        if options.notebook:
            release = options.release or release
            _print_notebook(folder, "write", records, release, reading, settings)
    print(audit.summary(found))
    print(f"page:    {(folder / 'audit.html').resolve().as_uri()}")
    print(f"numbers: {_shown((folder / 'audit.json').resolve())}")
    return 0


def _print_notebook(folder: Path, writer: str, *arguments: Any) -> None:
    """Write the notebook of an audit and say where it is."""
    from lib.chapters import audit_notebook

    file = getattr(audit_notebook, writer)(folder, *arguments)
    print(f"notebook: {_shown(file.resolve())}")


def _check_audit(options: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    sources = {
        "RECORDS": options.records is not None,
        "--counts": bool(options.counts),
        "--example": options.example,
    }
    given = [name for name, there in sources.items() if there]
    if len(given) != 1:
        came = f"{' and '.join(given)} were given" if given else "nothing to audit was given"
        hint = " (two versions of a table: --counts A --counts B)" * ("--counts" in given)
        raise ValueError(f"{came}; one of {', '.join(sources)} was expected{hint}")
    if options.counts and options.release is not None:
        raise ValueError("--release goes with records; with --counts only the table is examined")
    ignored = [
        f"--{name}"
        for name in _READING
        if name not in ("columns", "sheet") and getattr(options, name.replace("-", "_")) is not None
    ]
    if options.counts and ignored:
        raise ValueError(f"{ignored[0]} is for records; with --counts it has no effect")
    bounds = options.hidden_below, options.hidden_from
    if not options.counts and bounds != (None, None):
        raise ValueError("--hidden-below and --hidden-from are for tables given by --counts")
    if options.records is not None and options.release is None:
        raise ValueError(
            "no --release was given; a YAML file such as `preset: mds-k10`, or a preset's name, "
            "was expected (audit --list names them)"
        )


@_command(
    "publish",
    "execution.environment",
    _argument("what", choices=PUBLISHED, help="release is all of it, with checksums"),
)
def _publish(options: argparse.Namespace) -> int:
    """Make what is published of the built book, into _build."""
    from book._ext import article, pdf, release

    make = {
        "article": article.write,
        "pdf": pdf.write,
        "zip": release.notebooks,
        "wheelhouse": release.wheelhouse,
        "release": release.release,
    }[options.what]
    made = make()
    print(f"written: {_shown(made)}")
    return 0


if __name__ == "__main__":
    interrupts.leave(main())

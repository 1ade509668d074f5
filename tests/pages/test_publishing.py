"""What is published: the book on paper, the zip without git, the release, the software paper."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml
from nbclient import NotebookClient
from pypdf import PdfReader

import lib
from book._ext import article, pdf, release
from lib.chapters import pages, unchanged
from lib.execution.errors import ChapterError
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]

# -- the book on paper -----------------------------------------------------------------------------

ONE = """<article><section id="one"><h1>1. One</h1>
<p><a href="two.html#far">to two</a> <a href="https://example.org/">away</a>
<a href="lost.csv">lost</a> <a href="#low">down</a></p><div style="height: 1500px"></div>
<section id="low"><h2>1.1. Low</h2></section></section></article>"""
TWO = """<article><section id="two"><h1>2. Two</h1><div style="height: 2500px"></div>
<p id="far">here</p><table><tr>%s</tr></table>%s</section></article>"""


@pytest.fixture
def small_book(tmp_path, monkeypatch):
    """A built book of two pages; gives the function that writes the second with more in it."""
    html = tmp_path / "html"
    (html / "book").mkdir(parents=True)
    (html / "book" / "one.html").write_text(ONE, encoding="utf-8")
    monkeypatch.setattr(unchanged, "home", lambda: html / "book" / "one.html")
    monkeypatch.setattr(pdf, "toc", lambda: [("", ["book/one"]), ("Rest", ["book/two"])])
    if not any(map(pdf.shutil.which, pdf._BROWSERS)):
        if os.environ.get("CI"):
            pytest.fail("no chromium: .ci/run must install it")
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")

    def write(cells=2, more=""):
        text = TWO % ("<td>word</td>" * cells, more)
        (html / "book" / "two.html").write_text(text, encoding="utf-8")

    write()
    return write


@pytest.mark.slow
def test_pages_become_one_file_with_a_cover_contents_numbers_and_links(small_book, tmp_path):
    found = PdfReader(pdf.write(tmp_path / "book.pdf"))
    assert found.page_labels == ["i", "ii", "1", "2", "3", "4", "5"]
    texts = [sheet.extract_text() for sheet in found.pages]
    assert "Privacy of Aggregate" in texts[0]
    assert texts[1].splitlines() == ["Contents", "1. One 1", "Rest", "2. Two 3"]
    for number, text in enumerate(texts[2:], 1):
        assert str(number) in text.splitlines(), text
    links = [entry.get_object() for entry in found.pages[2]["/Annots"]]
    to_sheets = [
        found.get_page_number(each["/Dest"][0].get_object()) for each in links if "/Dest" in each
    ]
    assert sorted(to_sheets) == [3, 6]  # down on the next sheet; far, on the last
    away = [each["/A"]["/URI"] for each in links if "/A" in each]
    assert away == ["https://example.org/"]  # and none to the file that is no page
    one, below, two = found.outline
    assert (one["/Title"], below[0]["/Title"], two["/Title"]) == ("1. One", "1.1. Low", "2. Two")
    assert found.get_destination_page_number(below[0]) == 3
    contents = [each.get_object()["/Dest"][0] for each in found.pages[1]["/Annots"]]
    assert [found.get_page_number(each.get_object()) for each in contents] == [2, 4]


@pytest.mark.slow
def test_what_does_not_fit_the_sheet_is_refused_by_name(small_book, tmp_path):
    small_book(cells=18)  # is shrunk
    pdf.write(tmp_path / "fits.pdf")
    small_book(cells=90)
    with pytest.raises(ChapterError, match=r"two\.html does not fit the sheet: .*shrunk to \d+%"):
        pdf.write(tmp_path / "book.pdf")
    small_book(more='<div style="overflow: hidden"><p style="width: 900px">long</p></div>')
    with pytest.raises(ChapterError, match=r"two\.html does not fit the sheet: .*long"):
        pdf.write(tmp_path / "book.pdf")


def test_a_book_that_is_not_built_cannot_be_printed(tmp_path, monkeypatch):
    monkeypatch.setattr(unchanged, "home", lambda: tmp_path / "none.html")
    with pytest.raises(ChapterError, match="make book"):
        pdf.write()
    with pytest.raises(ChapterError, match="make book"):
        release.release()


def test_without_chromium_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr(pdf.shutil, "which", lambda _: None)
    with pytest.raises(ChapterError, match="apt-get install chromium"):
        pdf.browser_file()


def test_the_parts_of_the_book_are_those_of_its_contents():
    names = [name for _, part in pdf.toc() for name in part]
    assert names[0] == "book/index"
    assert "book/foundations" in names
    text = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    listed = re.findall(r"(?:root|file): (\S+)", text)
    assert sorted(names) == sorted(each for each in listed if "/reference/api" not in each)
    assert len(names) < len(listed)


# -- zips and sums ---------------------------------------------------------------------------------


def test_equal_content_gives_equal_bytes_and_sums_that_hold(tmp_path):
    file = tmp_path / "b.txt"
    file.write_text("two")
    content = {"b": file, "a": b"one"}
    first = release.pack(tmp_path / "1.zip", content).read_bytes()
    os.utime(file, (1, 1))
    assert release.pack(tmp_path / "2.zip", dict(reversed(content.items()))).read_bytes() == first
    lines = release.sums(content).decode().splitlines()
    assert lines == [
        f"{hashlib.sha256(b'one').hexdigest()}  a",
        f"{hashlib.sha256(b'two').hexdigest()}  b",
    ]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The folder that a reader of the zip has."""
    folder = tmp_path_factory.mktemp("zip")
    archive = release.notebooks(folder / "notebooks.zip")
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(folder)
    return folder / f"aggregate-location-{lib.__version__}-notebooks"


def test_links_of_the_zip_s_notebooks_lead_to_files_in_it(unpacked):
    links = 0
    for file in unpacked.glob("*.ipynb"):
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                for target in re.findall(r"\]\(([\w/.-]+\.ipynb)", "".join(cell["source"])):
                    assert (unpacked / target).exists(), (file.name, target)
                    links += 1
    assert links > 20


@pytest.mark.slow
def test_a_chapter_of_the_zip_runs_where_nothing_else_is(unpacked, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    notebook = nbformat.read(unpacked / "fano.ipynb", 4)
    where = "import lib; print(lib.__file__)"
    notebook.cells.append(nbformat.v4.new_code_cell(where))
    client = NotebookClient(
        notebook,
        resources={"metadata": {"path": str(unpacked)}},
        timeout=None,
        startup_timeout=PATIENCE,
        iopub_timeout=PATIENCE,
    )
    client.execute()
    assert notebook.cells[-1].outputs[0].text.strip() == str(unpacked / "lib" / "__init__.py")


def summed(text):
    """File -> its checksum, as listed."""
    return dict(line.split("  ")[::-1] for line in text.splitlines())


def test_a_release_has_all_parts_and_sums_of_each(tmp_path, monkeypatch):
    home = tmp_path / "html" / "book" / "index.html"
    home.parent.mkdir(parents=True)
    home.write_text("the book")
    wheels = tmp_path / "wheelhouse"
    wheels.mkdir()
    (wheels / "a.whl").write_text("wheel")
    monkeypatch.setattr(unchanged, "home", lambda: home)
    monkeypatch.setattr(release, "_built", lambda name: tmp_path / name)
    monkeypatch.setattr(release, "wheelhouse", lambda: wheels)
    monkeypatch.setattr(pdf, "write", lambda file: file.write_text("paper"))
    folder = release.release()
    listed = summed((folder / "SHA256SUMS").read_text())
    kinds = {
        re.sub(rf"aggregate-location-{re.escape(lib.__version__)}[.-]", "", name) for name in listed
    }
    system = f"py{sys.version_info.major}{sys.version_info.minor}-{sys.platform}"
    assert kinds == {
        "html.zip",
        "notebooks.zip",
        "kept-rows.zip",
        "pdf",
        f"wheelhouse-{system}.zip",
    }
    for name, total in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == total
    with zipfile.ZipFile(next(folder.glob("*kept-rows.zip"))) as zipped:
        inside = summed(zipped.read("SHA256SUMS").decode())
        assert set(inside) == set(zipped.namelist()) - {"SHA256SUMS"}
        assert any(name.startswith("results/") for name in inside)
        assert hashlib.sha256(zipped.read("claims/kk.csv")).hexdigest() == inside["claims/kk.csv"]


def test_publishing_refuses_files_that_are_not_the_summed_ones(tmp_path):
    """`make publish` with a `gh` that only says what it was asked."""
    folder = tmp_path / "_build" / "release"
    folder.mkdir(parents=True)
    (folder / "book.pdf").write_text("paper")
    (folder / "SHA256SUMS").write_bytes(release.sums({"book.pdf": folder / "book.pdf"}))
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    tool = tmp_path / "bin" / "gh"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\necho "gh $@"\n')
    tool.chmod(0o755)
    places = {"PATH": f"{tool.parent}:{os.environ['PATH']}"}

    def publish(*words):
        return subprocess.run(
            ["make", "publish", *words],
            cwd=tmp_path,
            env=places,
            capture_output=True,
            text=True,
            check=False,
        )

    done = publish("TAG=v0.1.0")
    assert done.returncode == 0
    assert "gh release create v0.1.0 --verify-tag" in done.stdout
    assert publish().returncode != 0
    (folder / "book.pdf").write_text("another")
    done = publish("TAG=v0.1.0")
    assert done.returncode != 0
    assert "gh release create v0.1.0 --verify-tag --title v0.1.0" not in done.stdout.split("\n")[-2]


# -- the software paper and the citation -----------------------------------------------------------


def test_the_software_paper_is_what_is_counted():
    committed = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    assert committed == article.text(), "run `make article` and commit paper/paper.md"


def test_the_software_paper_has_no_number_of_its_own():
    """Beside years, versions, levels and the grid of its own template."""
    template = (ROOT / "paper" / "paper.md.in").read_text(encoding="utf-8")
    body = template.split("# Summary")[1]
    body = re.sub(r"@\w+|\{[^}]*\}\]?", "", body)
    assert set(re.findall(r"\d[\d.,%]*", body)) == {"95%", "3.11", "3.13"}


def test_a_place_without_a_number_is_refused(tmp_path, monkeypatch):
    (tmp_path / "paper.md.in").write_text("{stuides}")
    monkeypatch.setattr(article, "folder", lambda: tmp_path)
    with pytest.raises(KeyError, match="stuides"):
        article.text()


def entries(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    return {m[1]: m[0] for m in re.finditer(r"^@\w+\{(\w+),.*?^\}", text, re.M | re.S)}


def test_what_the_software_paper_cites_is_in_its_bibliography_and_as_in_the_book():
    ours, books = entries("paper/paper.bib"), entries("book/references.bib")
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    assert set(re.findall(r"@(\w+)", text)) == set(ours)
    shared = set(ours) & set(books)
    assert len(shared) >= 6
    assert {key: ours[key] for key in shared} == {key: books[key] for key in shared}


def test_the_citation_names_this_version_and_the_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["version"] == lib.__version__ == project["version"]
    assert {"cff-version", "message", "title", "authors", "abstract", "keywords"} <= set(citation)
    titles = {reference["title"].lower() for reference in citation["references"]}
    assert titles == {lib.papers.claims.title(paper).lower() for paper in lib.papers.claims.PAPERS}
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[{re.escape(lib.__version__)}\]", changes, re.M)


def test_without_the_packages_of_the_tests_it_is_said_what_to_run(monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(ChapterError, match="run `make test-env`"):
        pdf.write()
    monkeypatch.setattr(pages.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ChapterError, match="run `make test-env`"):
        pages.check(["fano"])

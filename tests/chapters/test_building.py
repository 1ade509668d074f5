"""A book that is built again after a change is the book that is built from nothing, file by file.

Nothing is ignored in the comparison. Most tests build a small book, with one notebook that is
executed once, by the same command and with the same extensions as the whole book.
"""

import filecmp
import os
import re
import shutil
import signal
import subprocess
import sys
from types import SimpleNamespace

import psutil
import pytest

from book._ext import slides
from lib.chapters import building, pages, unchanged
from lib.execution import environment
from tests.waiting import until, until_ended

ROOT = environment.ROOT
COPIED = (
    "_config.yml",
    "book/_ext",
    "book/static",
    "book/references.bib",
    "book/reference/code.yml",
    "book/slides/conf.py",
    "book/slides/static",
)
MADE = {
    "_toc.yml": """\
format: jb-book
root: book/index
parts:
  - caption: Chapters
    numbered: 2
    chapters:
      - file: book/first
      - file: book/run
  - caption: Reference
    chapters:
      - file: book/glossary
      - file: book/bibliography
      - file: book/teach/syllabus
      - file: book/reference/api/inside
""",
    "notebooks/first.py": """\
# %% [markdown]
# # A first chapter
#
# A trace says where somebody was {cite:p}`fanoloss`. Nothing else is said here.
#
# ```{prf:definition} Trace
# :label: def-trace-first
# Where somebody was.
# ```
#
# (a-place)=
# ## A place

# %% tags=["parameters"]
seed = 1

# %% mystnb={"figure": {"name": "fig-first", "caption": "A line."}, "image": {"alt": "a line"}}
import matplotlib.pyplot as plt

plt.plot([seed, 2])
plt.show()

# %% [markdown]
# ## Exercises
#
# ```{exercise} Counting (★, 1 minute)
# :label: ex-first
# Count to two.
# ```
#
# ```{exercise}
# :label: ex-second
# Count to three.
# ```
""",
    "notebooks/params/first.yml": """\
parameters:
  seed: {type: int, default: 1, min: 0, max: 9, help: where the line begins}
book: {}
""",
    "book/chapters.yml": "first: {difficulty: 1, needs: nothing, lab: matching}\n",
    "book/quizzes/first.yml": """\
- ask: What is number {n}?
  fact: Where somebody was.
  right: {{say: a trace, why: it is defined so}}
  wrong: [{{say: a map, why: it is not}}, {{say: a count, why: it is not}}]
""",
    "book/index.md": """\
# A small book

It takes {{ minutes["first"] }} minutes.
""",
    "book/slides/index.md": """\
# Slides

```{decks}
```

```{toctree}
:hidden:
:glob:

*
```
""",
    "book/slides/first.md": """\
# A first deck

```{notes} 2
Say what a trace is.
```
""",
    "book/teach/syllabus.md": """\
# A syllabus

(syllabus-labs)=
## Labs

One.

(session-1)=
## Session 1

**Reading.** [](../first.ipynb)
""",
    "book/run.md": """\
# Another page

{prf:ref}`def-trace-first` is in {doc}`first`, as is [](#a-place),
{numref}`fig-first` and {ref}`ex-first`. An attacker is there too, in {cite:t}`fanoloss`.

```{figure} static/favicon.svg
:name: fig-sign
A sign.
```
""",
    "book/glossary.md": """\
# Glossary

```{glossary}
attacker
  Who wants to know.

trace
  Where somebody was.
```
""",
    "book/bibliography.md": """\
# Bibliography

```{bibliography}
:filter: cited
```
""",
    "book/reference/api/inside.md": """\
# Inside

```{eval-rst}
.. automodule:: lib.execution.durations
```
""",
}


SENTENCE = "Nothing else is said here."
FIGURE = "\n\n```{figure} static/favicon.svg\n:name: fig-%s\nA sign.\n```"


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def change(checkout, name, old, new):
    """Changes a file's text, but not the time that Sphinx goes by."""
    file = checkout / name
    text, time = file.read_text(), file.stat().st_mtime_ns
    assert old in text
    file.write_text(text.replace(old, new))
    os.utime(file, ns=(time, time))


def started(checkout):
    return subprocess.Popen(
        [sys.executable, "-m", "lib", "book"],
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(checkout)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def book(checkout):
    """Exit code of the command, and what it printed, without colours."""
    process = started(checkout)
    said, _ = process.communicate()
    return process.returncode, re.sub(r"\x1b\[[\d;]*m", "", said)


def pages_in(said, step):
    """The pages that Sphinx read or wrote."""
    return set(re.findall(rf"^{step}\.\.\. \[ *\d+%\] (\S+)", said, re.M))


def page(checkout, name):
    text = (checkout / "_build" / "html" / "book" / f"{name}.html").read_text()
    return re.sub(r"<[^>]+>", "", text)


def files(folder):
    return {each.relative_to(folder) for each in folder.rglob("*") if each.is_file()}


def assert_as_from_nothing(checkout):
    """The built book has the same files as one without anything to reuse, byte for byte."""
    reused = checkout / "reused"
    (checkout / "_build").rename(reused)
    code, said = book(checkout)
    assert code == 0, said
    fresh = checkout / "_build" / "html"
    assert files(reused / "html") == files(fresh)
    same, _, _ = filecmp.cmpfiles(reused / "html", fresh, files(fresh), shallow=False)
    assert set(same) == files(fresh)


def checkout_of(folder, copied):
    """A checkout in a folder, with the library of this one."""
    (folder / "lib").symlink_to(ROOT / "lib")
    for name in copied:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A checkout with a small book that is built, and a copy of it."""
    checkout = tmp_path_factory.mktemp("small") / "checkout"
    checkout.mkdir()
    checkout_of(checkout, COPIED)
    quiz = "".join(MADE["book/quizzes/first.yml"].format(n=n) for n in range(5))
    write(checkout, MADE | {"book/quizzes/first.yml": quiz})
    code, said = book(checkout)
    assert code == 0, said
    return checkout, shutil.copytree(checkout, checkout.with_name("copy"), symlinks=True)


@pytest.fixture
def checkout(built):
    """The checkout as it was when its book was just built; Sphinx wants it at the same place."""
    checkout, copy = built
    shutil.rmtree(checkout)
    return shutil.copytree(copy, checkout, symlinks=True)


# -- only what changed, and all that changed -------------------------------------------------------


@pytest.mark.slow
def test_a_changed_sentence_is_built_alone(checkout):
    change(checkout, "notebooks/first.py", SENTENCE, "Zebras are said to be here.")
    code, said = book(checkout)
    assert code == 0, said
    assert "only prose renewed: first" in said
    assert pages_in(said, "reading sources") == {"book/first"}
    assert pages_in(said, "writing output") == {"book/first", "book/index"}  # Sphinx's custom
    assert "Zebras are said" in page(checkout, "first")
    change(checkout, "notebooks/first.py", "Zebras are said to be here.", SENTENCE)
    change(checkout, "book/run.md", "too, in", "too, and lions, in")
    code, said = book(checkout)
    assert pages_in(said, "reading sources") == {"book/first", "book/run"}
    assert "and lions" in page(checkout, "run")
    assert "zebra" not in (checkout / "_build" / "html" / "searchindex.js").read_text()
    assert_as_from_nothing(checkout)


# name of a change -> file, old text, new text, page on which it shows, and what it shows there
CHANGES = {
    "title": ("notebooks/first.py", "A first chapter", "A zebra", "run", "is in A zebra, as"),
    "figure": ("notebooks/first.py", SENTENCE, FIGURE % "new", "run", "Fig. 1.2"),
    "place": ("notebooks/first.py", "## A place", "## A zoo", "run", "as is A zoo"),
    "term": ("book/glossary.md", "Who wants", "Zebra who wants", "glossary", "Zebra who wants"),
    "cited": ("book/run.md", "too,", "too {cite:t}`acs2014`,", "bibliography", "Paris"),
    "length": ("notebooks/first.py", SENTENCE, "It is long. " * 500, "index", "10 minutes"),
    "lost figure": ("book/run.md", FIGURE % "sign", "", "run", "Fig. 1.1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_what_pages_share_changes_on_all_of_them(checkout, name):
    file, old, new, seen_on, seen = CHANGES[name]
    change(checkout, file, old, new.replace("\n", "\n# ") if file.endswith(".py") else new)
    code, said = book(checkout)
    assert code == 0, said
    assert seen in page(checkout, seen_on)
    assert_as_from_nothing(checkout)


@pytest.mark.slow
def test_titles_are_not_in_brackets(built):
    text = page(built[1], "first")
    assert re.search(r"Definition 1\.1\s+– Trace\s", text)
    assert re.search(r"Exercise 1\.1\s+– Counting \(★, 1 minute\)\s", text)
    assert re.search(r"Exercise 1\.2\s+Count to three", text)


# -- warnings --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_lost_label_fails_until_nobody_refers_to_it(checkout):
    change(checkout, "notebooks/first.py", "# (a-place)=\n", "")
    for sentence in ("It takes", "Zebras: it takes"):
        change(checkout, "book/index.md", "It takes", sentence)
        code, said = book(checkout)
        assert code == 1
        assert "book/run.md:3: WARNING: 'myst' cross-reference target not found" in said
    change(checkout, "book/run.md", "[](#a-place)", "a place")
    code, said = book(checkout)
    assert code == 0, said


@pytest.mark.slow
def test_a_warning_is_not_forgotten_when_another_page_changes(checkout):
    change(checkout, "notebooks/first.py", SENTENCE, "There is [](#no-place).")
    assert book(checkout)[0] == 1
    change(checkout, "book/run.md", "too, in", "too, and lions, in")
    code, said = book(checkout)
    assert code == 1
    assert "no-place" in said


# -- interruptions ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before reading", "after reading"])
def test_a_killed_build_ends_and_is_followed_by_a_right_one(checkout, moment):
    doctree = checkout / "_build" / ".doctrees" / "book" / "run.doctree"
    read = doctree.stat().st_mtime_ns
    change(checkout, "book/run.md", "A sign.", "A sign of lions.")
    process = started(checkout)
    until(lambda: not doctree.exists(), process)
    if moment == "after reading":
        until(lambda: doctree.exists() and doctree.stat().st_mtime_ns > read, process)
    below = psutil.Process(process.pid).children(recursive=True)
    assert below
    process.send_signal(signal.SIGKILL)
    process.communicate()
    until_ended(below)
    if moment == "before reading":  # ended at once
        assert "lions" not in page(checkout, "run")
    change(checkout, "book/run.md", "A sign of lions.", "A sign.")
    change(checkout, "book/index.md", "It takes", "Zebras: it takes")
    code, said = book(checkout)
    assert code == 0, said
    assert "lions" not in page(checkout, "run")
    assert_as_from_nothing(checkout)


# -- what can be reused ----------------------------------------------------------------------------

SMALL = {
    "_config.yml": "title: t\n",
    "lib/a.py": "A = 1\n",
    "tests/test_a.py": "a = 1\n",
    "notebooks/first.py": "# %% [markdown]\n# Words.\n\n# %%\na = 1\n",
    "book/first.ipynb": "{}",
    "book/other.md": "# Other\n",
    "book/glossary.md": "# Glossary\n",
    "book/slides/first.md": "# Slides\n",
    "book/results/first.csv": "a\n",
    "_build/html/_static/a.css": "a",
    "_build/html/book/first.html": "first",
    "_build/html/book/other.html": "other",
    "_build/.doctrees/book/first.doctree": "first",
    "_build/.doctrees/book/other.doctree": "other",
    "_build/jupyter_execute/a.png": "a",
}
PAGES = ("book/first.ipynb", "book/other.md")


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """A checkout with a record of its build, made of a few files of one line."""
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    write(tmp_path, SMALL)
    building.keep(tmp_path / "_build", building.sources())
    write(tmp_path, {"_build/release/old.zip": "old"})
    return tmp_path


def prepared(checkout):
    """Whether there is something to build, and the files that are left in the build folder."""
    found = building.prepare(checkout / "_build", building.sources())
    return found, {each.as_posix() for each in files(checkout / "_build")}


def test_nothing_is_built_where_nothing_changed(recorded):
    before = {each.as_posix() for each in files(recorded / "_build")}
    assert prepared(recorded) == (False, before)
    change(recorded, "notebooks/first.py", "Words.", "Other words.")  # executed page as it was
    assert prepared(recorded) == (False, before)


@pytest.mark.parametrize("name", PAGES)
def test_the_doctree_of_a_changed_page_goes_and_all_others_stay(recorded, name):
    change(recorded, name, SMALL[name], "new")
    found, left = prepared(recorded)
    doctrees = {".doctrees/book/first.doctree", ".doctrees/book/other.doctree"}
    assert found
    doctrees -= {f".doctrees/{name.split('.')[0]}.doctree"}
    kept = {"html/book/first.html", "html/book/other.html", "jupyter_execute/a.png"}
    assert left == doctrees | kept
    assert prepared(recorded) == (True, set())  # the record is gone


@pytest.mark.parametrize("name", [name for name in SMALL if name not in PAGES])
def test_nothing_is_reused_if_anything_else_changed(recorded, name):
    change(recorded, "book/other.md", "Other", "New")
    change(recorded, name, SMALL[name], f"b = {SMALL[name]!r}")
    assert prepared(recorded) == (True, set())


@pytest.mark.parametrize("name", ["book/new.md", "lib/new.py", "_build/html/book/new.html"])
def test_nothing_is_reused_if_a_file_is_new(recorded, name):
    write(recorded, {name: "new"})
    assert prepared(recorded) == (True, set())


def test_nothing_is_reused_with_other_packages_or_half_a_record(recorded, monkeypatch):
    record = recorded / "_build" / "sources.json"
    text = record.read_text()
    with monkeypatch.context() as other:
        other.setattr(unchanged, "packages", lambda: ["numpy-0.0.1.dist-info"])
        assert prepared(recorded) == (True, set())
    write(recorded, SMALL)
    record.write_text(text[: len(text) // 2])
    assert prepared(recorded) == (True, set())


def test_a_build_during_which_a_file_changed_is_not_recorded(recorded, monkeypatch):
    def building_while_changing(*_, **__):
        change(recorded, "book/other.md", "New", "Newer")
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(pages.subprocess, "run", building_while_changing)
    monkeypatch.setattr(slides, "build_into", lambda _: None)
    change(recorded, "book/other.md", "Other", "New")
    pages.build()
    assert not (recorded / "_build" / "sources.json").exists()


# -- the whole book --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_whole_book_with_changed_sentences_is_as_from_nothing(tmp_path):
    checkout_of(tmp_path, ("_config.yml", "_toc.yml", "book", "notebooks"))
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    assert book(tmp_path)[0] == 0
    change(tmp_path, "notebooks/fano.py", "## Exercises", "Zebras.\n#\n# ## Exercises")
    change(tmp_path, "book/cost.md", "\n## ", "\nZebras.\n\n## ")
    code, said = book(tmp_path)
    assert code == 0, said
    written = {"book/cost", "book/fano", "book/index"}
    assert pages_in(said, "writing output") == written
    assert_as_from_nothing(tmp_path)

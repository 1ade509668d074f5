"""The front page says what verdicts say; heads of chapters are whole; entries have links."""

import re

import jupytext
import nbformat
import pytest
import yaml
from pybtex.database import parse_file

from book._ext import frame
from lib.chapters import head, parameters
from lib.execution import environment
from lib.papers import claims, verdicts
from lib.papers.foundations import front_page

BOOK = environment.book()


def test_sentences_rest_on_the_verdicts_that_were_judged():
    tables = verdicts.committed()
    verdict = {name: v for table in tables.values() for name, v in table["verdict"].items()}
    text = (BOOK / "index.md").read_text(encoding="utf-8")
    lines = re.findall(r"(?m)^% rests on (.+)$", text)
    rests = dict(pair.split(" ", 1) for line in lines for pair in line.split(", "))
    assert rests == {name: verdict[name] for name in rests}
    named = set(re.findall(r"#claim-([\w.-]+)\"", text)) | set(re.findall(r'here\["([^"]+)"', text))
    assert named <= set(rests)
    assert {claims.claim(name).id.split("-")[0] for name in named} == set(claims.PAPERS)


def test_numbers_in_prose_have_the_digits_that_the_paper_prints():
    found = frame.substitutions()
    name = "kk-fig3b-pl-m10"
    committed = verdicts.committed()["kk"].loc[name]
    assert found["here"][name] == f"{float(committed['here']):.2f}"
    assert found["published"][name] == committed["published"]
    assert int(found["counts"]["all"]["all"]) == sum(map(len, verdicts.committed().values()))


def test_the_picture_is_that_of_the_six():
    assert front_page.FILE.read_text(encoding="utf-8") == front_page.picture()
    assert len(front_page.picture()) < 100_000
    assert front_page.picture().count('class="dan"') > 6


def test_every_chapter_has_a_head_and_a_line_on_the_front_page():
    chapters = parameters.chapters()
    known = yaml.safe_load((BOOK / "chapters.yml").read_text(encoding="utf-8"))
    assert sorted(known) == chapters
    index = (BOOK / "index.md").read_text(encoding="utf-8")
    for chapter in chapters:
        assert head.described(chapter).minutes >= 5
        assert f"({chapter}.ipynb) |" in index
    with pytest.raises(ValueError, match="no chapter 'bible'"):
        head.described("bible")


def test_the_page_on_running_names_every_chapter_and_which_take_own_records():
    text = (BOOK / "run.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| (\d+)\. \[\]\((\w+)\.ipynb\) \| `(\w+)` \| (yes|no)", text)
    assert [int(number) for number, *_ in rows] == list(range(1, len(rows) + 1))
    said = {name: word == "yes" for _, page, name, word in rows if page == name}
    takes = {
        chapter: "datasets" in {each.name for each in parameters.parameters(chapter)}
        for chapter in parameters.chapters()
    }
    assert said == takes


def test_a_head_tells_minutes_command_parameters_and_versions():
    notebook = nbformat.read(BOOK / "foundations.ipynb", as_version=4)
    notebook.metadata["aggregate_location"] |= {"date": "2026-11-22", "versions": "numpy 2"}
    before = "".join(notebook.cells[0].source)
    found = head.with_head("foundations", notebook)["cells"][0]["source"]
    assert re.search(r"^# .*\n\n\*About \d+ minutes of reading; easy\. Before it: ", found)
    assert before.split("\n")[-1] in found
    assert "python -m lib run foundations -p seed 2014" in found
    for p in parameters.parameters("foundations"):
        assert f"| `{p.name}` |" in found
    assert "Executed on 2026-11-22 with numpy 2." in found


def test_a_replication_says_only_when_it_was_executed():
    notebook = nbformat.read(BOOK / "replication" / "fano.ipynb", as_version=4)
    notebook.metadata["aggregate_location"] |= {"date": "2026-11-22", "versions": "numpy 2"}
    found = head.with_head("replication/fano", notebook)["cells"][0]["source"]
    assert "Executed on 2026-11-22" in found
    assert "minutes" not in found


def test_only_a_run_with_other_values_has_a_banner():
    values = parameters.book_values("foundations")
    assert head.banner("foundations", values) == ""
    told = head.banner("foundations", values | {"seed": 7, "group_sizes": [5]})
    assert head.NOT_THE_BOOKS in told
    assert "`seed` is `7`, in the book `2013`" in told
    assert "`group_sizes` is `[5]`" in told
    assert "lag" not in told


def test_minutes_count_words_formulas_cells_and_figures():
    markdown = {"cell_type": "markdown", "metadata": {}, "source": ["word " * 1800]}
    assert head.minutes([markdown]) == 10
    formulas = markdown | {"source": ["word " * 1800, "\n\n", "$$\na b c\n$$ (label)\n\n" * 20]}
    assert head.minutes([formulas]) == 10 + 10
    code = {"cell_type": "code", "metadata": {}, "source": "x\n" * 75}
    outputs = [{"data": {"image/png": ""}}, {"data": {"text/html": ""}}]
    shown = [code | {"outputs": outputs}] * 10
    assert head.minutes([markdown, *shown]) == 10 + 5 + 5
    hidden = code | {"metadata": {"tags": ["hide-input"]}}
    assert head.minutes([markdown, *[hidden] * 10]) == 10


def test_the_head_of_a_chapter_leads_to_what_is_taught_with_it():
    labs = {file.stem for file in (environment.notebooks() / "labs").glob("*.py")}
    assert {head.described(chapter).lab for chapter in parameters.chapters()} == labs
    for chapter in parameters.chapters():
        material = frame._material(chapter)
        assert f'href="../slides/{chapter}.html"' in material
        assert "<session-" in material and "#quiz" in material
    assert "<session-3>" in frame._material("knock_knock")
    assert "<session-3>" not in frame._material("fano")


def test_every_entry_of_the_bibliography_can_be_reached():
    entries = parse_file(str(BOOK / "references.bib")).entries
    for name, entry in entries.items():
        assert {"doi", "url", "eprint"} & set(entry.fields), name
    labels = dict(
        zip(entries, frame.AuthorYearLabels().format_labels(entries.values()), strict=True)
    )
    assert labels["hanverdu1994"] == "Han and Verdú, 1994"
    assert labels["guan2024zero"] == "Guan et al., 2024"
    assert len(set(labels.values())) == len(labels)
    twice = [entries["guan2024zero"], entries["guan2024zero"]]
    assert list(frame.AuthorYearLabels().format_labels(twice)) == [
        "Guan et al., 2024a",
        "Guan et al., 2024b",
    ]


def test_a_figures_name_and_caption_survive_jupytext():
    text = '# %% mystnb={"figure": {"name": "fig-x", "caption": "See that it falls."}}\n1\n'
    cell = jupytext.reads(text, fmt="py:percent").cells[0]
    assert cell.metadata["mystnb"]["figure"] == {"name": "fig-x", "caption": "See that it falls."}

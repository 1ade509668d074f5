"""The scoreboard: no claim missing or blank, each in its place, and the committed page is fresh."""

import re

import pandas as pd
import pytest

from lib import claims, scoreboard

SFC = "kk-fig4-lr-auc-m10"  # 0.9 on Cabspotting
TREND = "kk-fig13b-high-eps-le-1"


def gathered(**changes):
    row = {"published": "0.9", "here": "0.91", "standard_error": "0.012", "data": "cabspotting",
           "verdict": "reproduced", "reason": "", "chapter": "games", "cell": "here"}  # fmt: skip
    other = row | {"here": "0.2", "standard_error": "0", "verdict": "differs", "reason": "a | <b>"}
    return {"kk": pd.DataFrame.from_dict({SFC: row | changes, TREND: other}, orient="index")}


def lines(text):
    """Claim -> the cells of its line."""
    rows = [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in text.splitlines()]
    return {row[1].split("`")[1]: row for row in rows if len(row) > 1 and row[1].startswith("`")}


def test_every_claim_of_every_paper_has_one_line_and_a_verdict():
    text = scoreboard.page(gathered())
    ids = re.findall(r"(?m)^\| [^|]+ \| `([^`]+)`", text)
    published = [name for paper in claims.PAPERS for name in claims.published(paper).index]
    assert len(ids) == len(published) == 804
    assert set(ids) == set(published)
    for cells in lines(text).values():
        assert len(cells) == 6
        assert cells[0] and cells[2]
        assert re.match(rf"\*\*({'|'.join([*claims.VERDICTS, scoreboard.NONE])})\*\*", cells[5])
    assert text.count(f"**{scoreboard.NONE}**:") == 1  # explained
    assert text.count(f"**{scoreboard.NONE}** |") == 802


def test_a_line_has_all_that_was_found_and_where():
    found = lines(scoreboard.page(gathered()))
    assert found[SFC] == [
        "Fig. 4 / Sec. VI-A", f"`{SFC}` mean AUC (sfc)", "0.9", "0.910 ± 0.012", "cabspotting",
        "**reproduced**, {ref}`games <here>`",
    ]  # fmt: skip
    assert found[TREND][3] == "0.2"
    assert found[TREND][5].endswith(r"<details><summary>why</summary>a \| \<b\></details>")
    assert found["kk-fig2-lr-auc-m10"][3:] == ["", "", "**no result yet**"]


def test_what_nothing_here_measures_has_a_line_without_data():
    found = lines(scoreboard.page(gathered(here="none", standard_error="0", data="none")))
    assert found[SFC][3:5] == ["none", ""]


def test_counts_stand_on_top():
    text = scoreboard.page(gathered())
    assert "| {ref}`Knock-Knock <scoreboard-kk>` | 1 | 0 | 1 | 0 | 0 | 209 | 211 |" in text
    assert "| **all** | 1 | 0 | 1 | 0 | 0 | 802 | 804 |" in text


@pytest.mark.parametrize("paper", claims.PAPERS)
def test_lines_stand_by_figure(paper):
    section = scoreboard.page({}).partition(f"(scoreboard-{paper})=")[2].partition("\n(")[0]
    places = re.findall(r"(?m)^\| ([^|]+?)(?: / [^|]+)? \| `", section)
    figures = [int(re.search(r"\d+", p).group()) for p in places if re.match(r"Fig\. \d", p)]
    assert figures == sorted(figures)
    kinds = [re.match(r"[A-Z][a-z]+", place).group().removesuffix("s") for place in places]
    assert kinds.index("Fig") == 0
    changes = [kind for kind, before in zip(kinds, ["", *kinds], strict=False) if kind != before]
    assert len(changes) == len(set(changes))  # each kind of place in one piece


def test_the_committed_page_is_what_the_chapters_kept():
    file = claims.BOOK / "scoreboard.md"
    assert file.read_text(encoding="utf-8") == scoreboard.page(claims.gather())

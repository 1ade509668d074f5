"""The scoreboard: no claim missing or blank, each in its place, and the committed page is fresh."""

import re

import numpy as np
import pandas as pd
import pytest

from lib.papers import claims, predicates, scoreboard, verdicts

SFC = "kk-fig4-lr-auc-m10"  # 0.9 on Cabspotting
TREND = "kk-fig13b-high-eps-le-1"


def gathered(**changes):
    row = {
        "published": "0.9",
        "here": "0.91",
        "standard_error": "0.012",
        "data": "cabspotting",
        "freedom": "149",
        "verdict": "reproduced",
        "reason": "0.01 away",
        "substitute": "",
        "elsewhere": "",
        "note": "",
        "grade": "",
        "named_verdict": "",
        "within_paper": "",
        "chapter": "replication/kk",
        "cell": "here",
    }
    other = row | {"here": "0.2", "standard_error": "0", "verdict": "contradicted"}
    other |= {"note": "a | <b>"}
    return {"kk": pd.DataFrame.from_dict({SFC: row | changes, TREND: other}, orient="index")}


NAME = re.compile(r'^(?:`|<a href="[^"]+">)([^`<]+)')


def lines(text):
    """Claim -> the cells of its line."""
    rows = [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in text.splitlines()]
    names = [len(row) > 1 and NAME.match(row[1]) for row in rows]
    return {name.group(1): row for name, row in zip(names, rows, strict=True) if name}


def test_every_claim_of_every_paper_has_one_line_and_a_verdict():
    text = scoreboard.page(gathered())
    found = lines(text)
    published = [name for paper in claims.PAPERS for name in claims.published(paper).index]
    assert len(re.findall(r"(?m)^\| [^|]+ \| (?:`|<a )", text)) == len(published) == 804
    assert set(found) == set(published)
    verdicts = "|".join([*claims.VERDICTS, scoreboard.NONE])
    for cells in found.values():
        assert len(cells) == 6
        assert all(cells)
        assert re.match(rf'<span class="verdict [a-z-]+">({verdicts})</span>', cells[5])
    assert text.count(f"**{scoreboard.NONE}**:") == 1  # explained
    assert text.count(f">{scoreboard.NONE}</span> |") == 802


def test_a_line_has_all_that_was_found_and_leads_to_its_place():
    found = lines(scoreboard.page(gathered()))
    assert found[SFC] == [
        "Fig. 4 / Sec. VI-A",
        f'<a href="replication/kk.html#claim-{SFC}">{SFC}</a> mean AUC (sfc)',
        "0.9",
        "0.910 ± 0.012",
        "cabspotting",
        '<span class="verdict reproduced">reproduced</span>'
        " <details><summary>why</summary>0.01 away</details>",
    ]
    assert found[TREND][3] == "0.2"
    assert found[TREND][5].endswith(r"0.01 away; a \| \<b\></details>")
    without = '<span class="verdict none">no result yet</span>'
    assert found["kk-fig2-lr-auc-m10"][3:] == ["none", "none", without]


def test_a_margin_and_a_reading_that_decide_are_told():
    beside = {"substitute": "consistent", "elsewhere": "flights-by-tail: undecided"}
    found = lines(scoreboard.page(gathered(grade="margin", named_verdict="supported", **beside)))
    assert (
        "</span>; substitute consistent by a margin of ours; elsewhere flights-by-tail: undecided"
        "; supported under an interpretation chosen after seeing it"
    ) in found[SFC][5]


def test_a_section_says_beside_a_number_what_it_measures_and_gives_reasons_as_sentences():
    note = "tested: every k; shown: the largest <gap>; k = 5 fails; a line may fall"
    judged = gathered(note=note, elsewhere="flights-by-tail: undecided")["kk"]
    html = scoreboard.section(judged, [judged.loc[SFC, "cell"]])
    row = next(line for line in html.splitlines() if f'id="claim-{SFC}"' in line)
    assert "<td><b>0.910 ± 0.012</b><br>the largest &lt;gap&gt;<br>on cabspotting</td>" in row
    assert "reproduced</span><br>elsewhere flights-by-tail: undecided</td>" in row
    assert row.endswith("<td>0.01 away. Tested: every k. k = 5 fails. A line may fall.</td></tr>")


def test_a_conclusion_has_the_verdicts_of_its_claims():
    judged = gathered()["kk"]
    one = scoreboard.conclusions_table(judged, {"AUCs are as printed.": [SFC]})
    assert '<td><span class="verdict reproduced">reproduced</span></td>' in one
    assert f'<td><a href="#claim-{SFC}">{SFC}</a>: <em>reproduced</em></td>' in one
    both = scoreboard.conclusions_table(judged, {"Both.": [SFC, TREND]})
    other = '<span class="verdict contradicted">contradicted</span>'
    first = '<span class="verdict reproduced">reproduced</span>'
    assert f"<td>{first}<br>other evidence: 1 {other}</td>" in both
    for names in ([], ["kk-x"]):
        with pytest.raises(ValueError, match=r"'Both\.' rests on"):
            scoreboard.conclusions_table(judged, {"Both.": names})


def test_claims_that_agree_stand_apart_in_a_folded_table(monkeypatch):
    shown = []
    monkeypatch.setattr(scoreboard, "_display", lambda html, text: shown.append((html, text)))
    scoreboard.show_apart(gathered(substitute="consistent")["kk"], "here")
    first, second = shown[0][0].split("</details>")[:2]
    assert " open>" in first and TREND in first and SFC not in first
    assert " open>" not in second and SFC in second and TREND not in second
    assert shown[0][1].count("1 of 2") == 2
    scoreboard.show_apart(gathered()["kk"], "here")  # none agree by a substitute
    assert shown[1][0].count("<details") == 1 and " open>" in shown[1][0]


def test_the_summary_counts_what_was_tested_and_how_it_ended():
    told = scoreboard.summary(gathered()["kk"])
    assert "Of 2 claims, 2 could be tested" in told
    assert "The verdict is reproduced for 1 and contradicted for 1." in told
    closed = scoreboard.summary(gathered(verdict="not tested")["kk"])
    assert "Of 2 claims, 1 could be tested" in closed
    assert "The verdict is contradicted for all of them." in closed
    assert "0 are inputs, which prove nothing, and 1 were not tested." in closed
    assert told in scoreboard.page(gathered()).partition("## The rule")[0]


def test_the_example_shows_the_three_verdicts_that_its_text_explains():
    text = scoreboard.page(verdicts.committed())
    table = text.partition("(scoreboard-example)=")[2].partition("### ")[2].partition("###")[0]
    told = re.findall(r">(\w+)</span>", table)
    assert told == ["reproduced", "undecided", "contradicted"]
    for line in (line.strip("| ") for line in table.splitlines() if "<a " in line):
        v, x, s, away, r, most = map(float, re.split(r" \| ", line)[1:7])
        assert away == pytest.approx(abs(x - v), abs=1e-4)
        assert r == pytest.approx(1.976 * 2**0.5 * s, abs=2e-4)
        assert most == pytest.approx(r + 0.005, abs=1e-4)


def test_the_rule_as_code_gives_the_verdicts_on_the_page():
    code = scoreboard.page({}).partition("```python\n")[2].partition("```")[0]
    given = {"np": np}
    exec(code, given)
    tables = verdicts.committed()
    points = scoreboard.agreement(tables["kk"])
    names = [name for name in points.index if not claims.claim(name).within]
    assert len(names) > 50
    for name in names:
        row, claim = tables["kk"].loc[name], claims.claim(name)
        t = predicates.quantile(0.975, float(row["freedom"]))
        x, s = float(row["here"]), float(row["standard_error"])
        found = given["verdict"](claim.value[0], claims.half_digit(claim), x, s, t)
        assert found == row["verdict"], name


def test_a_bar_has_a_part_for_each_verdict():
    bars = scoreboard.page(gathered()).partition("<figure")[2].partition("</figure>")[0]
    assert bars.count('class="bar"') == len(claims.PAPERS)
    assert '<span class="reproduced" style="flex-grow: 1" title="reproduced: 1">' in bars


def test_means_stand_beside_printed_ones_and_bounds_and_shares_do_not():
    tables = verdicts.committed()
    own, others = scoreboard.agreement(tables["kk"]), scoreboard.agreement(tables["zk"], True)
    assert set(own["told"]) == {"reproduced", "undecided", "contradicted"}
    assert set(others["told"]) == {"consistent", "undecided", "inconsistent"}
    row = own.loc["kk-fig4-rf-auc-m10"]
    assert (row["measure"], row["published"], row["here"]) == ("AUC", 0.84, 0.8441)
    assert row["half"] == pytest.approx(0.0188, abs=1e-4)
    assert own.loc["kk-tab3-gsm-eps1", "measure"] == "mean relative error"
    for name in ("kk-fig5-all-auc-m5", "kk-fig7-best-half-gt-0.6"):
        assert name in tables["kk"].index
        assert name not in own.index


def test_a_published_standard_error_is_shown():
    name = "zk-tab3-milan-zk-acc-k0"
    assert claims.claim(name).stderr == 0.003
    assert lines(scoreboard.page({}))[name][2] == "0.990 ± 0.003"


def test_verdicts_are_counted_by_the_papers_data_and_ours():
    table = scoreboard.by_data(gathered()["kk"])
    assert table.loc[("San Francisco cabs", "cabspotting")].to_dict() == {
        "reproduced": 1,
        "contradicted": 1,
    }
    closed = gathered(verdict="not tested", substitute="consistent")["kk"]
    assert "not tested, consistent" in scoreboard.by_data(closed)


def test_a_section_of_a_replication_gives_each_of_its_claims_an_address():
    html = scoreboard.section(gathered()["kk"], ["here"])
    assert re.findall('<tr id="([^"]+)">', html) == [f"claim-{SFC}", f"claim-{TREND}"]
    assert f'<a href="#claim-{SFC}">' in html
    assert "0.910 ± 0.012" in html
    assert "A | &lt;b&gt;." in html
    assert "The paper's claims, 2: 1 reproduced, 1 contradicted" in html
    assert '<details class="claims" open>' in html
    with pytest.raises(ValueError, match=r"'there'.*here"):
        scoreboard.section(gathered()["kk"], ["there"])


@pytest.mark.parametrize("paper", claims.PAPERS)
def test_every_address_on_the_scoreboard_stands_on_its_page(paper):
    page = (claims.BOOK / "replication" / f"{paper}.ipynb").read_text(encoding="utf-8")
    there = re.findall(r'<tr id=\\"claim-([^\\"]+)', page)
    assert sorted(there) == sorted(claims.published(paper).index)


def test_what_nothing_here_measures_has_a_line_without_data():
    found = lines(scoreboard.page(gathered(here="none", standard_error="0", data="none")))
    assert found[SFC][3:5] == ["none", "none"]


def test_counts_stand_on_top():
    text = scoreboard.page(gathered())
    assert "| {ref}`Knock-Knock <scoreboard-kk>` | 1 | 0 | 1 | 0 | 0 | 0 | 209 | 211 |" in text
    assert "| **all** | 1 | 0 | 1 | 0 | 0 | 0 | 802 | 804 |" in text
    assert "of 2 claims, 1 agree, 1 are contradicted" in text


def test_substitutes_are_counted_over_the_claims_that_were_not_tested():
    text = scoreboard.page(gathered(verdict="not tested", substitute="consistent"))
    assert "| {ref}`Knock-Knock <scoreboard-kk>` | 1 | 0 | 0 | 1 |" in text


@pytest.mark.parametrize("paper", claims.PAPERS)
def test_lines_stand_by_figure(paper):
    section = scoreboard.page({}).partition(f"(scoreboard-{paper})=")[2].partition("\n(")[0]
    places = re.findall(r"(?m)^\| ([^|]+?)(?: / [^|]+)? \| (?:`|<a )", section)
    figures = [int(re.search(r"\d+", p).group()) for p in places if re.match(r"Fig\. \d", p)]
    assert figures == sorted(figures)
    kinds = [re.match(r"[A-Z][a-z]+", place).group().removesuffix("s") for place in places]
    assert kinds.index("Fig") == 0
    changes = [kind for kind, before in zip(kinds, ["", *kinds], strict=False) if kind != before]
    assert len(changes) == len(set(changes))  # each kind of place in one piece


@pytest.mark.parametrize(
    ("here", "error", "shown"),
    [
        ("0.9123", "0.00312", "0.9123 ± 0.0031"),
        ("0.9123", "0.05", "0.912 ± 0.050"),
        ("0.6401..0.7612", "0.0123", "0.640..0.761 ± 0.012"),
        ("1234", "56.78", "1234 ± 57"),
        ("0.5", "0", "0.5"),
        ("0.5", "2e-09", "0.5 ± 2e-09"),
        ("none", "0", "none"),
    ],
)
def test_a_number_has_as_many_decimals_as_its_error(here, error, shown):
    assert scoreboard.with_error(here, error) == shown

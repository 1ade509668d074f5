import math
import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib import claims, plots, scoreboard
from lib.__main__ import main
from lib.claims import Claim, Finding, Trend

COUNTS = {"kk": (174, 37), "zk": (193, 29), "crowd": (232, 36), "fano": (11, 36),
          "threshold": (17, 39)}  # fmt: skip  # numbers, trends
HAIR = 1e-9  # just inside and just outside
Z = 1.6448536269514722  # of one-sided 95%, from a printed table
SFC = "kk-fig4-lr-auc-m10"  # 0.9 on Cabspotting
TFL = "kk-fig2-lr-auc-m10"  # 0.97, private
TREND = "kk-fig13b-high-eps-le-1"
YES, NO = Trend(True, 0.4, 0.1), Trend(False, 0.1, 0.1)


def made(op="=", value=(0.97,), digits=2, **others):
    fields = {"id": SFC, "source": "", "dataset": "sfc", "quantity": "", "kind": "number",
              "needs": "open", "setting": {}, "stderr": 0.0, "claim": "", "note": "",
              "published": "0.97"}  # fmt: skip
    return Claim(op=op, value=value, digits=digits, **(fields | others))


def found(name=SFC, here=0.9, data="cabspotting", cell="here", **others):
    return Finding(name, here, data, cell, **others)


def verdict(finding):
    return claims.judge(claims.claim(finding.id), finding)


# -- what the papers say ---------------------------------------------------------------------------


@pytest.mark.parametrize("paper", claims.PAPERS)
def test_every_paper_is_read_whole(paper):
    table = claims.published(paper)
    assert table.index.is_unique
    assert table.index.str.match(rf"{paper}-[A-Za-z0-9.-]+$").all()
    assert table["kind"].value_counts().reindex(["number", "trend"]).tolist() == [*COUNTS[paper]]
    numbers, trends = table[table["kind"] == "number"], table[table["kind"] == "trend"]
    assert numbers["op"].isin(claims.OPERATORS).all()
    assert numbers["value"].map(len).isin([1, 2]).all()
    assert numbers["value"].map(lambda v: all(map(math.isfinite, v))).all()
    assert (trends["claim"].str.len() > 10).all()
    assert (trends["value"].map(len) == 0).all()
    assert (table["published"].str.len() > 0).all()


@pytest.mark.parametrize(
    ("name", "digits", "published"),
    [
        ("zk-tab3-cdr-kk-acc-k0", 3, "0.980"),  # as printed, not as a float
        ("kk-fig13b-gsm-pgdrop-eps10", 2, "0.20"),  # printed as 20%
        (SFC, 1, "0.9"),
        ("kk-tab2-lpa-delta-eps0.01", 1, "3056.1"),
        ("kk-data-tfl-users", 0, "10000"),
        ("kk-data-tfl-trips", -7, "~ 60000000"),  # "60M"
        ("kk-data-sfc-gps", -6, "~ 11000000"),
        ("kk-data-rois-ratio", 0, "~ 6"),
        ("kk-data-sfc-reports-total", 0, "> 2000000"),
        ("kk-fig7-auc-range-m5-10", 2, "0.64..0.76"),
        ("threshold-fig13-informed-one-vs-mlp", 2, "~ 0.01..0.02"),
        ("threshold-kk-zk-observations", 0, "~ 168"),
    ],
)
def test_the_last_digit_is_the_printed_one(name, digits, published):
    assert (claims.claim(name).digits, claims.claim(name).published) == (digits, published)


def test_zks_tables_of_scores_keep_three_decimals():
    table = claims.published("zk")
    scores = table[table["source"].str.fullmatch(r"Table ([3-9]|1[01])")]
    scores = scores[scores["quantity"].isin(["mean AUC", "mean accuracy"])]
    assert len(scores) > 100
    assert (scores["digits"] == 3).all()


ENTRY = """claims:
- {id: kk-a, source: s, dataset: sfc, setting: {}, quantity: q, value: 1, op: '=', kind: number,
   needs: open}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kind: number", "kind: guess", "kk-a.*'guess'"),
        ("needs: open", "needs: luck", "kk-a.*'luck'"),
        ("op: '='", "op: '!'", "kk-a.*'!'"),
        ("value: 1,", "", "kk-a.*neither a number nor a range"),
        ("value: 1", "value: [1, 2, 3]", "kk-a.*neither a number nor a range"),
        ("kind: number", "kind: trend", "kk-a.*in words"),
        ("claims:\n", ENTRY, "kk-a is published twice"),
    ],
)
def test_files_that_cannot_be_understood_are_refused(old, new, message):
    assert claims._parsed(ENTRY)["kk-a"].value == (1.0,)
    with pytest.raises(ValueError, match=message):
        claims._parsed(ENTRY.replace(old, new))


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(ValueError, match=r"kk-fig4-lr-auc-m11.*did you mean 'kk-fig4-lr-auc-m10'"):
        claims.claim("kk-fig4-lr-auc-m11")
    with pytest.raises(ValueError, match=r"no claim 'nn-x'.*did you mean"):
        claims.claim("nn-x")
    with pytest.raises(ValueError, match=r"'zz'.*kk, zk"):
        claims.published("zz")


# -- trends ----------------------------------------------------------------------------------------


def test_greater_is_one_sided_at_95_percent():
    error = math.hypot(0.03, 0.04)
    assert claims.greater(1 + (Z + HAIR) * error, 0.03, 1, 0.04).holds
    assert not claims.greater(1 + (Z - HAIR) * error, 0.03, 1, 0.04).holds
    assert not claims.greater(1, 0.03, 1 + 9 * error, 0.04).holds
    assert claims.greater(2, 0.3, 1, 0.4)[1:] == (1, 0.5)
    assert claims.greater(1 + HAIR, 0, 1, 0).holds
    assert not claims.greater(1, 0, 1, 0).holds


def test_close_needs_evidence():
    assert claims.close(1, 0.1, 1, 0, within=(Z + HAIR) * 0.1).holds
    assert not claims.close(1, 0.1, 1, 0, within=(Z - HAIR) * 0.1).holds
    assert not claims.close(1.2, 0, 1, 0, within=0.1).holds
    assert not claims.close(1, 0, 1.2, 0, within=0.1).holds
    for within in (0, -1, math.nan):
        with pytest.raises(ValueError, match="within"):
            claims.close(1, 0, 1, 0, within)


def test_increasing_wants_the_ends_apart_and_no_fall_between():
    assert claims.increasing([0, 1, 1, 2], 0).holds
    assert claims.increasing([0, 1, 1, 2], 0)[1:] == (2, 0)
    assert not claims.increasing([1, 1], 0).holds
    assert not claims.increasing([0, 3, 2.999, 4], 0).holds
    assert claims.increasing([0, 3, 2.999, 4], 0.01).holds  # a fall that may be chance
    assert not claims.increasing(
        [0, 3, 2.999, 2.9, 2.8, 2.7, 4], [0.05] * 7
    ).holds  # in small steps
    assert not claims.increasing([0, 0.1], 0.1).holds
    fall = 2.1280 * math.sqrt(2)  # quantile at 1 - 0.05 / 3: three pairs
    assert claims.increasing([0, fall - 1e-3, 0], 1).holds is False  # the ends are not apart
    assert claims.increasing([-99, fall - 1e-3, 0], 1).holds
    assert not claims.increasing([-99, fall + 1e-3, 0], 1).holds


@given(st.lists(st.floats(-9, 9), min_size=2, max_size=6), st.floats(0, 2))
def test_what_rises_does_not_fall(values, error):
    rise, fall = claims.increasing(values, error), claims.decreasing(values, error)
    assert not (rise.holds and fall.holds)
    mirrored = claims.decreasing([-v for v in values], error)
    assert (mirrored.holds, mirrored.here) == (rise.holds, -rise.here)
    assert fall.here == rise.here
    assert claims.greater(values[0], error, values[1], error).holds == (
        claims.increasing(values[1::-1], error).holds
    )


def test_all_parts_must_hold_and_the_weakest_is_shown():
    assert claims.every(YES, NO) == NO
    strong = Trend(True, 9.0, 0.1)
    exact = Trend(True, 0.01, 0.0)
    assert claims.every(exact, strong, YES) == YES
    assert claims.always([True, True]) == (True, 1, 0)
    assert claims.always([True, False]) == (False, 0.5, 0)


def test_trends_refuse_what_is_no_sample():
    for bad in ([math.nan, 1], [math.inf, 1]):
        with pytest.raises(ValueError, match="finite"):
            claims.increasing(bad, 0.1)
    for bad in (-0.1, math.nan, math.inf):
        with pytest.raises(ValueError, match="standard errors"):
            claims.greater(1, bad, 0, 0)
    with pytest.raises(ValueError, match="3 standard errors for 2 values"):
        claims.increasing([1, 2], [0, 0, 0])
    with pytest.raises(ValueError, match="1 values make no trend"):
        claims.increasing([1], 0)
    for bad in ([], [1, 0], [0.5]):
        with pytest.raises(ValueError, match="bool"):
            claims.always(bad)
    with pytest.raises(ValueError, match="no trends"):
        claims.every()


# -- agreement -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("op", "value", "here", "same"),
    [
        ("=", 0.97, [0.975], True),
        ("=", 0.97, [0.975 + HAIR], False),
        ("=", 0.97, [0.965], True),
        ("=", 0.97, [0.965 - HAIR], False),
        ("~", 0.97, [0.975], True),
        ("~", 0.97, [0.975 + HAIR], False),
        (">", 0.97, [0.965], True),
        (">", 0.97, [0.965 - HAIR], False),
        (">", 0.97, [99], True),
        (">=", 0.97, [0.965 - HAIR], False),
        (">=", 0.97, [99], True),
        ("<", 0.97, [0.975], True),
        ("<", 0.97, [0.975 + HAIR], False),
        ("<", 0.97, [-99], True),
        ("<=", 0.97, [0.975 + HAIR], False),
        ("<=", 0.97, [-99], True),
    ],
)
def test_a_number_agrees_within_half_of_its_last_digit(op, value, here, same):
    assert claims.agrees(made(op, (value,)), here, 0) is same


@pytest.mark.parametrize(
    ("op", "here", "same"),
    [
        ("=", [0.645, 0.755], True),
        ("=", [0.755, 0.645], True),
        ("=", [0.645 + HAIR, 0.755], False),
        ("=", [0.645, 0.755 - HAIR], False),
        ("~", [0.7], True),
        ("~", [0.635], True),
        ("~", [0.635 - HAIR], False),
        ("~", [0.765 + HAIR], False),
        ("~", [0.65, 0.75], True),
        ("~", [0.65, 0.765 + HAIR], False),
    ],
)
def test_a_range_is_two_ends_or_all_in_between(op, here, same):
    assert claims.agrees(made(op, (0.64, 0.76)), here, 0) is same


def test_a_range_with_two_ends_wants_two_numbers():
    with pytest.raises(ValueError, match="2 numbers were expected, not 1"):
        claims.agrees(made("=", (0.64, 0.76)), [0.64], 0)
    with pytest.raises(ValueError, match="1 numbers were expected, not 2"):
        claims.agrees(made("~", (0.64,)), [0.64, 0.64], 0)


def test_three_standard_errors_in_quadrature_and_half_a_digit():
    claim = made(stderr=0.03)
    allowed = 3 * 0.05 + 0.005
    assert claims.tolerance(claim, 0.04) == pytest.approx(allowed)
    assert claims.agrees(claim, [0.97 - allowed + HAIR], 0.04)
    assert not claims.agrees(claim, [0.97 - allowed - HAIR], 0.04)
    assert not claims.agrees(made(), [0.97 - allowed + HAIR], 0.04)  # none published
    assert claims.tolerance(made("~", (6e7,), -7), 0) == 5e6
    assert claims.claim("zk-tab3-cdr-kk-acc-k0").stderr == 0.012


@given(
    st.sampled_from(claims.OPERATORS),
    st.floats(-1e3, 1e3),
    st.integers(-2, 4),
    st.floats(0, 5),
    st.floats(-30, 30),
)
def test_agreement_has_no_gaps(op, value, digits, error, away):
    claim = made(op, (value,), digits)
    assert claims.agrees(claim, [value], error)
    slack = claims.tolerance(claim, error)
    inside = abs(away) <= slack * (1 - 1e-6)
    outside = abs(away) >= slack * (1 + 1e-6)
    wrong_way = {"=": True, "~": True, ">": away < 0, ">=": away < 0}.get(op, away > 0)
    if inside or not wrong_way:
        assert claims.agrees(claim, [value + away], error)
        assert claims.agrees(claim, [value + away], error + 1)  # more error never disagrees
    elif outside:
        assert not claims.agrees(claim, [value + away], error)


# -- verdicts --------------------------------------------------------------------------------------

WHY = {"reason": "clipped"}


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (found(here=0.95), "reproduced"),
        (found(here=0.95 + HAIR, **WHY), "differs"),
        (found(here=0.95 + HAIR, standard_error=0.001), "reproduced"),
        (found(here=0.953 + HAIR, standard_error=0.001, **WHY), "differs"),
        (found(data="cabs", **WHY), "differs"),  # equal, but not on the data we hold
        (found("kk-data-sfc-users", 534), "reproduced"),
        (found("kk-data-sfc-users", 535, **WHY), "differs"),
        (found("kk-data-sfc-reports-mean", 3827, "cabs"), "input"),
        (found("kk-data-sfc-reports-median", 4111, "cabs", **WHY), "differs"),  # no input of theirs
        (found("kk-data-tfl-reports-mean", 728, "commuters"), "input"),
        (found("kk-data-tfl-reports-mean", 99, "commuters"), "input"),
        (found("kk-data-tfl-reports-mean", 728, "cabs"), "not comparable"),
        (found("kk-data-tfl-reports-median", 727, "commuters"), "not comparable"),
        (found(TFL, 0.97, "commuters"), "not comparable"),
        (found(TFL, 0.97, "cabspotting"), "not comparable"),
        (found("zk-tab3-milan-kk-acc-k0", 0.99, "commuters"), "not comparable"),  # open, not held
        (found("zk-lemma-a3", 0.5, "simulated"), "reproduced"),
        (found("zk-lemma-a3", 0.5, "cabs", **WHY), "differs"),
        (found("kk-fig7-auc-range-m5-10", (0.64, 0.76)), "reproduced"),
        (found(TREND, YES), "holds"),
        (found(TREND, NO, **WHY), "differs"),
        (found("kk-fig13a-eps-le-1", YES, "commuters"), "holds"),  # private, but a trend
        (found(TREND, YES, "flights-by-number, flights-by-tail"), "holds"),
    ],
)
def test_verdicts(finding, expected):
    assert verdict(finding) == expected


def test_what_nothing_here_measures_says_why():
    trips = "kk-data-tfl-trips"
    nobody = found(trips, None, "none", reason="raw trips are not modelled")
    table = claims.table([nobody])
    assert table.loc[trips, ["here", "verdict"]].tolist() == ["none", "not comparable"]
    assert "**Not comparable**. raw trips are not modelled. {ref}" in claims.page(
        "kk", table.assign(chapter="games")
    )
    with pytest.raises(ValueError, match=f"{trips}: nothing here measures it; a reason is needed"):
        claims.table([found(trips, None, "none")])


def test_a_difference_asks_for_a_reason_when_chapters_are_gathered(book, monkeypatch):
    for reason in ("", "  "):
        keep(book.parent, "games", [found(here=0.5, reason=reason)], monkeypatch)
        with pytest.raises(ValueError, match=rf"{SFC} differs.*'0.9'.*0\.5 .* a reason is needed"):
            claims.gather(book)
        keep(book.parent, "games", [found(TREND, NO, reason=reason)], monkeypatch)
        with pytest.raises(ValueError, match=f"{TREND} differs"):
            claims.gather(book)


@pytest.mark.parametrize(
    ("finding", "message"),
    [
        (found(here=math.nan), "here is nan"),
        (found(here=math.inf), "here is inf"),
        (found("kk-fig7-auc-range-m5-10", (0.64, math.nan)), "here is nan"),
        (found(here=True), "here is True"),
        (found(here="0.9"), "here is '0.9'"),
        (found(TREND, Trend(True, math.nan, 0)), "here is nan"),
        (found(standard_error=-0.1), "standard error is -0.1"),
        (found(standard_error=math.nan), "standard error is nan"),
        (found(TREND, YES, standard_error=0.1), "one more"),
        (found(TREND, True), "a Trend was expected, not True"),  # typed by hand
        (found(here=YES), "a number was expected"),
        (found(data="cabspoting"), "'cabspoting'; did you mean 'cabspotting'"),
        (found(data=""), "no data ''"),
        (found(cell=""), "cell ''"),
        (found(cell="Same Groups"), "cell 'Same Groups'"),
    ],
)
def test_findings_that_cannot_be_right_are_refused_by_id(finding, message):
    with pytest.raises(ValueError, match=rf"claim {finding.id}.*{re.escape(message)}"):
        claims.table([finding])


def test_a_finding_is_judged_against_its_own_claim():
    with pytest.raises(ValueError, match=f"{SFC}: judged against {TFL}"):
        claims.judge(claims.claim(TFL), found())


# -- tables ----------------------------------------------------------------------------------------

FOUND = [
    found(TREND, YES, cell="defense"),
    found(SFC, 0.912345, standard_error=0.00123456),
    found("kk-data-sfc-reports-max", 9123.4, reason="one  cab's\nglitches | <b>, $x$"),
    found("crowd-data-sfc-users", 534),
    found(TFL, 0.5, "commuters"),
]


def test_a_table_stands_in_the_papers_order_with_four_digits():
    table = claims.table(FOUND)
    assert table.index.tolist() == [
        "kk-data-sfc-reports-max", TFL, SFC, TREND, "crowd-data-sfc-users",
    ]  # fmt: skip
    assert table.columns.tolist() == [c for c in claims.COLUMNS if c not in ("id", "chapter")]
    assert table.loc[SFC].tolist() == ["0.9", "0.9123", "0.001235", "cabspotting", "reproduced",
                                       "", "here"]  # fmt: skip
    assert table.loc["kk-data-sfc-reports-max", "here"] == "9123"
    assert table.loc["kk-data-sfc-reports-max", "reason"] == "one cab's glitches | <b>, $x$"
    assert claims.table(FOUND[::-1]).equals(table)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (-0.0, "0"),
        (9999.4, "9999"),
        (9999.6, "10000"),
        (123456.7, "123457"),
        (1.23456e-7, "1.235e-07"),
    ],
)
def test_numbers_are_shown_with_four_digits(number, text):
    assert claims._shown([number]) == text


def test_tables_refuse_claims_given_twice_unknown_or_none():
    with pytest.raises(ValueError, match=f"{SFC} is given twice"):
        claims.table([found(), found()])
    with pytest.raises(ValueError, match=f"did you mean '{SFC}'"):
        claims.table([found(SFC + "x")])
    with pytest.raises(ValueError, match="no findings"):
        claims.table([])


def test_top_shows_what_was_asked_for_in_that_order():
    table = claims.table([*FOUND, found("kk-tab2-lpa-delta-eps0.01", 9.0, "commuters")])
    shown = claims.top(table, [TREND, "kk-tab2-lpa-delta-eps0.01", SFC])
    assert shown.index.tolist() == [TREND, "kk-tab2-lpa-delta-eps0.01", SFC]
    assert shown.columns.tolist() == ["source", "published", "here", "data", "verdict"]
    assert shown["published"].tolist()[1:] == ["3056", "0.9"]
    assert "Fig. 4" in shown.loc[SFC, "source"]
    with pytest.raises(ValueError, match="given twice"):
        claims.top(table, [SFC, SFC])
    with pytest.raises(ValueError, match=f"not in the table; did you mean .*{SFC}"):
        claims.top(table, [SFC + "0"])


# -- gathering -------------------------------------------------------------------------------------


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A book of its own, in which the chapter `games` has kept FOUND as its paper run does."""
    keep(tmp_path, "games", FOUND, monkeypatch)
    return tmp_path / "book"


def keep(root, chapter, findings, monkeypatch):
    tables = root / "book" / "paper" / chapter / "tables"
    tables.mkdir(parents=True, exist_ok=True)
    (root / "notebooks").mkdir(exist_ok=True)
    source = "# %% [markdown]\n# (here)=\n# ## Here\n#\n# (defense)=\n# ## Defense\n"
    (root / "notebooks" / f"{chapter}.py").write_text(source)
    monkeypatch.setenv(plots.TABLES_VARIABLE, str(tables))
    plots.show_table(claims.table(findings), "claims")
    return tables / "claims.csv"


def test_what_chapters_kept_is_gathered_by_paper(book, monkeypatch):
    keep(book.parent, "more", [found("kk-fig4-mlp-auc-m10", 0.9)], monkeypatch)
    gathered = claims.gather(book)
    assert list(gathered) == ["kk", "crowd"]
    kk = gathered["kk"]
    assert kk.index.tolist() == ["kk-data-sfc-reports-max", TFL, SFC, "kk-fig4-mlp-auc-m10", TREND]
    assert kk.loc["kk-fig4-mlp-auc-m10", "chapter"] == "more"
    assert kk.loc[TREND, ["chapter", "cell"]].tolist() == ["games", "defense"]
    assert set(claims.missing("kk", book)) == set(claims.published("kk").index) - set(kk.index)
    assert len(claims.missing("zk", book)) == 222


def test_gathering_twice_writes_the_same_bytes_and_updates_rows(book, monkeypatch):
    files = claims.write(book)
    assert [f.relative_to(book).as_posix() for f in files] == [
        "claims/kk.csv", "claims-kk.md", "claims/crowd.csv", "claims-crowd.md",
    ]  # fmt: skip
    first = [f.read_bytes() for f in files]
    assert first[0].startswith(
        ",".join(claims.COLUMNS).encode() + b"\nkk-data-sfc-reports-max,8136,"
    )
    assert b"\r" not in first[0]
    claims.write(book)
    assert [f.read_bytes() for f in files] == first
    keep(book.parent, "games", [found(SFC, 0.94), *FOUND[2:]], monkeypatch)
    claims.write(book)
    table = claims.read(files[0])
    assert table.loc[SFC, "here"] == "0.94"
    assert TREND not in table.index


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (",0.9,", ",0.90,", f"games, claim {SFC}: '0.90' was published.*now it is '0.9'"),
        (",reproduced,,here", ",splendid,,here", "no verdict 'splendid'"),
        (",defense", ",defence", rf"{TREND}: the chapter has no label \(defence\)="),
        (SFC, "kk-nothing", "no claim 'kk-nothing'"),
        ("verdict", "opinion", r"claims\.csv: columns .*opinion"),
    ],
)
def test_kept_tables_that_do_not_fit_are_refused_and_nothing_is_written(book, old, new, message):
    file = book / "paper" / "games" / "tables" / "claims.csv"
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        claims.write(book)
    assert not (book / "claims").exists()


def test_a_claim_has_one_chapter(book, monkeypatch):
    keep(book.parent, "more", [found()], monkeypatch)
    with pytest.raises(ValueError, match=f"{SFC} is given by games and more"):
        claims.gather(book)


def test_the_command_writes_and_counts(book, monkeypatch, capsys):
    gather, write = claims.gather, claims.write
    monkeypatch.setattr(claims, "gather", lambda folder=book: gather(folder))
    monkeypatch.setattr(claims, "write", lambda: write(book))
    monkeypatch.setattr(scoreboard, "write", lambda: book / "scoreboard.md")
    assert main(["claims"]) == 0
    printed = capsys.readouterr().out
    assert f"written: {book / 'claims-kk.md'}\n" in printed
    assert "kk: 1 reproduced, 1 holds, 1 differs, 1 not comparable, 207 without a result" in printed
    assert "\nzk: 222 without a result\n" in printed
    keep(book.parent, "more", [found()], monkeypatch)
    assert main(["claims"]) == 2
    assert capsys.readouterr().err.startswith(f"refused: claim {SFC} is given by")


def test_what_is_committed_is_what_the_chapters_kept():
    for paper, found in claims.gather().items():
        csv = claims.BOOK / "claims" / f"{paper}.csv"
        assert csv.read_text(encoding="utf-8") == found.to_csv(lineterminator="\n"), csv.name
        page = claims.BOOK / f"claims-{paper}.md"
        assert page.read_text(encoding="utf-8") == claims.page(paper, found), page.name


# -- the appendix ----------------------------------------------------------------------------------


def test_a_page_has_a_line_for_each_claim_and_counts_on_top(book):
    text = claims.page("kk", claims.gather(book)["kk"])
    ids = re.findall(r"(?m)^- `([^`]+)`", text)
    assert ids == claims.published("kk").index.tolist()
    assert "| reproduced | 1 |\n| holds | 1 |\n| differs | 1 |\n| not comparable | 1 |\n" in text
    assert "| no result yet | 207 |\n| all | 211 |" in text
    (line,) = [line for line in text.splitlines() if f"`{SFC}`" in line]
    assert line == (
        f"- `{SFC}` (Fig. 4 / Sec. VI-A): mean AUC 0.9. **Reproduced**: 0.9123 ± 0.0012 "
        "on cabspotting. {ref}`games <here>`"
    )
    (line,) = [line for line in text.splitlines() if "reports-max`" in line and "sfc" in line]
    assert r"**Differs**: 9123 on cabspotting. one cab's glitches \| \<b\>, \$x\$. {ref}" in line


def test_pages_build_strictly_and_show_what_was_written(book):
    for paper in claims.PAPERS:
        found = claims.gather(book).get(paper, pd.DataFrame(columns=[*claims.COLUMNS[1:]]))
        (book / f"claims-{paper}.md").write_text(claims.page(paper, found))
    toc = "\n".join(f"claims-{paper}" for paper in claims.PAPERS)
    (book / "index.md").write_text(
        f"# Book\n\n```{{toctree}}\n{toc}\n```\n\n(here)=\n## Here\n\n(defense)=\n## Defense\n"
    )
    (book / "conf.py").write_text(
        "extensions = ['myst_parser']\n"
        "myst_enable_extensions = ['amsmath', 'colon_fence', 'deflist', 'dollarmath', 'fieldlist',"
        " 'smartquotes', 'substitution', 'tasklist']\n"
    )
    shutil.rmtree(book / "paper")
    command = [sys.executable, "-m", "sphinx", "-W", "-n", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, ".", "html"], cwd=book, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    shown = (book / "html" / "claims-kk.html").read_text()
    assert "| &lt;b&gt;, $x$" in shown
    assert "math" not in shown.partition("<ul")[2]
    assert shown.count("<li><p><code") == 211


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
    assert claims.with_error(here, error) == shown

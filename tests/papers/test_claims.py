import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.papers import claims, predicates
from lib.papers.claims import Claim, Finding, because, unexplained
from lib.papers.predicates import Estimate

COUNTS = {"kk": (174, 37), "zk": (193, 29), "crowd": (232, 36), "fano": (11, 36),
          "threshold": (17, 39)}  # fmt: skip  # numbers, trends
HAIR = 1e-9  # just inside and just outside
SFC = "kk-fig4-rf-auc-m10"  # 0.84 on Cabspotting
TFL = "kk-fig2-lr-auc-m10"  # 0.97, private
BOUND = "kk-fig5-all-auc-m5"  # > 0.9, private
TREND = "kk-fig13b-high-eps-le-1"
YES = predicates.greater(Estimate(0.4, 0.1))
NO = predicates.greater(Estimate(-0.4, 0.1))
MAYBE = predicates.greater(Estimate(0.1, 0.1))
NOTHING = predicates.undefined("all values are equal")


def made(op="=", value=(0.97,), digits=2, **others):
    fields = {
        "id": SFC,
        "source": "",
        "dataset": "sfc",
        "quantity": "",
        "kind": "number",
        "needs": "open",
        "setting": {},
        "stderr": 0.0,
        "within": 0.0,
        "claim": "",
        "note": "",
        "published": "0.97",
    }
    return Claim(op=op, value=value, digits=digits, **(fields | others))


def found(name=SFC, here=0.84, data="cabspotting", cell="here", **others):
    return Finding(name, here, data, cell, **others)


def near(value, error, runs=math.inf):
    return Estimate(value, error, runs - 1)


def verdict(finding):
    return claims.judge(claims.claim(finding.id), finding).verdict


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
        (SFC, 2, "0.84"),
        ("kk-fig4-lr-auc-m10", 2, "0.9"),  # beside 0.84: prose drops a last 0
        ("crowd-fig3-sfc-prof-max-roi-time-day-week-pl", 2, "0.1"),
        ("crowd-tab4-scm-1-eps1", 1, "0.1"),  # as all of its row in the table
        ("kk-fig7-rf-auc-m100", 1, "~ 0.5"),
        ("kk-fig12b-gsm-pg-eps10", 1, "~ 1.0"),  # "almost 1"
        ("crowd-fig4-sfc-improved-max-user", 2, "0.50"),
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


@pytest.mark.parametrize("text", ["- id: kk-a", "claims: none", ""])
def test_a_file_without_its_two_keys_is_refused(text):
    with pytest.raises(ValueError, match="two keys, paper: and claims:"):
        claims._parsed(text)


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(ValueError, match=r"kk-fig4-lr-auc-m11.*did you mean 'kk-fig4-lr-auc-m10'"):
        claims.claim("kk-fig4-lr-auc-m11")
    with pytest.raises(ValueError, match=r"no claim 'nn-x'.*did you mean"):
        claims.claim("nn-x")
    with pytest.raises(ValueError, match=r"'zz'.*kk, zk"):
        claims.published("zz")


# -- agreement -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("op", "value", "here", "same"),
    [
        ("=", 0.97, [0.975], True),
        ("=", 0.97, [0.975 + HAIR], False),
        ("=", 0.97, [0.965], True),
        ("~", 0.97, [0.965 - HAIR], False),
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


def test_the_interval_of_the_difference_and_half_a_digit():
    """The published error counts too; where none is printed it is taken to be ours."""
    assert claims.tolerance(made(stderr=0.03), 0.04) == pytest.approx(1.95996 * 0.05 + 0.005, 1e-4)
    assert claims.tolerance(made(), 0.04) == pytest.approx(1.95996 * 0.04 * 2**0.5 + 0.005, 1e-4)
    # Student's quantile with 4 degrees of freedom, from a printed table
    assert claims.tolerance(made(), 0.04, 4) == pytest.approx(2.776 * 0.04 * 2**0.5 + 0.005, 1e-3)
    assert claims.tolerance(made(), 0) == 0.005
    assert claims.tolerance(made("~", (6e7,), -7), 0) == 5e6
    assert claims.tolerance(made("~", (0.5,), 2, within=0.1), 0) == 0.1
    assert claims.claim("zk-tab3-cdr-kk-acc-k0").stderr == 0.012


def test_five_releases_do_not_reproduce_a_number_that_is_six_errors_away():
    """5.1 is printed; five releases gave 4.819 +- 0.038."""
    claim = made("=", (5.1,), 1, id="kk-fig4-lr-auc-m10")
    finding = found(claim.id, near(4.819, 0.038, runs=5))
    assert claims.judge(claim, finding).verdict == "contradicted"
    wide = found(claim.id, near(4.819, 0.1, runs=5))
    assert claims.judge(claim, wide).verdict == "undecided"


@given(st.floats(0, 0.5), st.integers(3, 300), st.floats(-0.5, 0.5))
def test_a_wide_interval_never_reproduces(error, runs, away):
    claim = made(id=SFC)
    finding = found(here=near(0.97 + away, error, runs), why=because("x", "kk-games"))
    verdict = claims.judge(claim, finding).verdict
    far = claims.reach(claim, error, runs - 1)
    apart = abs(away) > 0.005 + far + 1e-9
    assert (verdict == "contradicted") >= apart
    if verdict == "reproduced":
        assert far <= 0.02 * (1 + 1e-6) and abs(away) <= 0.005 + far + 1e-9
    if far > 0.0201 and not apart:
        assert verdict in ("undecided", "contradicted")


# -- verdicts --------------------------------------------------------------------------------------

WHY = {"why": because("clipped", "kk-games")}


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (found(here=0.845), "reproduced"),
        (found(here=0.845 + HAIR, **WHY), "contradicted"),
        (found(here=near(0.845 + HAIR, 0.001)), "reproduced"),
        (found(here=near(0.849, 0.001), **WHY), "contradicted"),
        (found(here=near(0.849, 0.02), **WHY), "undecided"),
        (found("kk-data-sfc-users", 534), "reproduced"),
        (found("kk-data-sfc-users", 535, **WHY), "contradicted"),
        (found("kk-data-sfc-rois", 101, given="set"), "input"),
        (found("kk-data-sfc-rois", 99, given="set"), "input"),
        (found(TREND, NO, given="made from it"), "input"),
        (found("kk-data-sfc-reports-mean", 3827, "cabs"), "input"),
        (found("kk-data-tfl-reports-mean", 99, "commuters"), "input"),
        (found("zk-lemma-a3", 0.5, "simulated"), "reproduced"),
        (found("kk-fig7-auc-range-m5-10", (0.64, 0.76)), "reproduced"),
        (found(TREND, YES), "supported"),
        (found(TREND, NO, **WHY), "contradicted"),
        (found(TREND, MAYBE), "undecided"),
        (found(TREND, NOTHING), "not tested"),
        # the informed attacker sees noise alone, wherever the targets are from
        (found("threshold-fig13-informed-one-vs-mlp", 0.012, "simulated"), "reproduced"),
        (found("threshold-fig13-informed-one-vs-mlp", 0.03, "simulated", **WHY), "contradicted"),
    ],
)
def test_verdicts_on_the_papers_own_data(finding, expected):
    assert verdict(finding) == expected
    row = claims.table([finding]).iloc[0]
    assert (row["verdict"], row["substitute"]) == (expected, "")
    assert row["reason"]


@pytest.mark.parametrize(
    ("finding", "reason", "expected"),
    [
        (found(TFL, 0.97, "commuters"), claims.CLOSED, "consistent"),
        (found(TFL, 0.8, "commuters"), claims.CLOSED, "inconsistent"),
        (found(TFL, near(0.97, 0.1), "commuters"), claims.CLOSED, "undecided"),
        (found("kk-fig13a-eps-le-1", YES, "commuters"), claims.CLOSED, "consistent"),
        (found("kk-fig13a-eps-le-1", NO, "commuters"), claims.CLOSED, "inconsistent"),
        (found("kk-fig13a-eps-le-1", MAYBE, "commuters"), claims.CLOSED, "undecided"),
        (found("zk-tab3-milan-kk-acc-k0", 0.99, "tweeters-zk"), claims.PUBLIC, "consistent"),
        (found("zk-lemma-a3", 0.9, "cabs", **WHY), "", ""),  # a lemma is about all data
        (found("fano-fig3-gowalla", MAYBE, "gowalla"), claims.CUT, "undecided"),
        (found("fano-fig3-gowalla", NOTHING, "gowalla"), claims.UNDEFINED, ""),
        (found(BOUND, near(0.95, 0.01), "commuters"), claims.CLOSED, "consistent"),
        (found(BOUND, near(0.95, 0.04), "commuters"), claims.CLOSED, "undecided"),
        (
            found(BOUND, (near(0.95, 0.01), near(0.8, 0.01)), "commuters"),
            claims.CLOSED,
            "inconsistent",
        ),
        (found(BOUND, 0.9, "commuters"), claims.CLOSED, "inconsistent"),
        (found("zk-fig7-cdr-kk-auc-k0", 0.99, "callers"), claims.CLOSED, "consistent"),  # ">="
        (
            found("threshold-fig13-auxiliary-one-vs-mlp", 0.03, "tweeters-threshold"),
            claims.PUBLIC,
            "inconsistent",
        ),
    ],
)
def test_substitutes_have_a_verdict_of_their_own(finding, reason, expected):
    found = claims.judge(claims.claim(finding.id), finding)
    assert found.substitute == expected
    assert found.verdict == ("not tested" if reason else "contradicted")
    assert found.reason == reason or not reason


def test_a_verdict_that_depends_on_a_setting_that_is_not_printed_is_undecided():
    claim = claims.claim(SFC)
    for others, expected in (((0.86, 0.88), "contradicted"), ((0.83, 0.88), "undecided")):
        finding = found(here=0.87, unprinted=others)
        assert claims.judge(claim, finding).verdict == expected
    for others, expected in (((0.9,), "undecided"), ((0.839, 0.841), "reproduced")):
        finding = found(here=0.84, unprinted=others)
        assert claims.judge(claim, finding).verdict == expected


def test_further_data_stand_beside():
    row = claims.table([found(TREND, YES, elsewhere={"flights-by-tail": NO})]).loc[TREND]
    assert (row["verdict"], row["elsewhere"]) == ("supported", "flights-by-tail: inconsistent")


def test_a_bound_shows_the_worst_number():
    here = (near(0.95, 0.01), near(0.8, 0.01))
    assert claims.table([found(BOUND, here, "commuters")]).loc[BOUND, "here"] == "0.8"


def test_what_nothing_here_measures_says_why():
    trips = "kk-data-tfl-trips"
    nobody = found(trips, None, "none", note="raw trips are not modelled")
    row = claims.table([nobody]).loc[trips]
    assert row[["here", "verdict", "reason"]].tolist() == ["none", "not tested", claims.CLOSED]
    with pytest.raises(ValueError, match=f"{trips}: nothing here measures it; a note"):
        claims.table([found(trips, None, "none")])


def test_a_contradiction_asks_for_a_reason():
    for why in (None, unexplained()):
        with pytest.raises(ValueError, match=f"claim {SFC} is contradicted: published '0.84'.*"):
            claims.table([found(here=0.7, why=why)])
    why = unexplained(nothing="the paper does not say how")
    note = claims.table([found(here=0.7, why=why)]).loc[SFC, "note"]
    assert note == "unexplained; nothing tried: the paper does not say how"


def test_an_explanation_is_of_a_contradiction_alone():
    both = {"note": "read so", "why": unexplained(("colder", "kk-games"))}
    against, same = (claims.table([found(here=x, **both)]).loc[SFC] for x in (0.7, 0.84))
    assert against["note"] == "read so; unexplained; tried: colder (rows: kk-games)"
    assert (same["verdict"], same["note"]) == ("reproduced", "read so")
    assert claims.named(against["note"]) == ["kk-games"]
    assert claims.named(because("cold", "kk-games", "kk-data").text) == ["kk-games", "kk-data"]
    with pytest.raises(ValueError, match="names the experiment"):
        because("surely the cold")


@pytest.mark.parametrize(
    "said",
    [
        "At 95% not as said",
        "no convention was found",
        "Unexplained",
        "not so here",
        "we tried it",
        "no fall at 95%",
        "so (rows: kk-games)",
        "it differs",
    ],
)
def test_a_note_that_denies_its_verdict_is_refused(said):
    for finding in (found(note=said), found(TREND, YES, note=said), found(note=said, given="set")):
        with pytest.raises(ValueError, match=f"claim {finding.id}: .*but its note says"):
            claims.table([finding])
    assert claims.table([found(here=0.7, note=said, **WHY)]).loc[SFC, "note"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "differs"}, "'differs' is none of"),
        ({"verdict": "not tested", "reason": "no time"}, "its reason is 'no time'"),
        ({"reason": claims.CLOSED}, "its reason is 'data closed'"),
        ({"substitute": "consistent"}, "with substitute 'consistent'"),
        ({"grade": "strong"}, "its grade is 'strong'"),
    ],
)
def test_words_come_from_closed_lists(change, message):
    row = {"verdict": "undecided", "reason": "x", "substitute": "", "note": "", "grade": ""}
    claims.check_row(SFC, row)
    with pytest.raises(ValueError, match=message):
        claims.check_row(SFC, row | change)


def test_only_support_has_a_grade():
    strong, margin = (found(TREND, trend) for trend in (YES, predicates.ours(YES)))
    assert claims.table([strong])["grade"].tolist() == ["strong"]
    assert claims.table([margin])["grade"].tolist() == ["margin"]
    assert claims.table([found()])["grade"].tolist() == [""]


def test_a_named_reading_has_a_verdict_of_its_own_where_it_is_another_one():
    other = found(here=0.84)
    named = claims.table([found(here=0.7, named=other, **WHY)]).loc[SFC]
    assert (named["verdict"], named["named_verdict"]) == ("contradicted", "reproduced")
    assert claims.table([found(named=other)]).loc[SFC, "named_verdict"] == ""


def test_a_substitute_contradicts_nothing_under_a_named_reading_either():
    other = found(TFL, 0.3, data="commuters")
    here = found(TFL, 0.97, data="commuters", named=other)
    row = claims.table([here]).loc[TFL]
    assert (row["verdict"], row["substitute"]) == ("not tested", "consistent")
    assert row["named_verdict"] == "inconsistent"
    same = found(TFL, 0.3, data="commuters", named=other)
    assert claims.table([same]).loc[TFL, "named_verdict"] == ""


@pytest.mark.parametrize(
    ("finding", "message"),
    [
        (found(here=math.nan), "here is nan"),
        (found(here=math.inf), "here is inf"),
        (found("kk-fig7-auc-range-m5-10", (0.64, math.nan)), "here is nan"),
        (found(here=True), "here is True"),
        (found(here="0.9"), "here is '0.9'"),
        (found(here=near(0.9, -0.1)), "a standard error is -0.1"),
        (found(here=near(0.9, math.nan)), "a standard error is nan"),
        (found(here=(0.9, 0.8)), "1 numbers were expected, not 2"),
        (found(TREND, True), "a Trend was expected, not True"),  # typed by hand
        (found(here=YES), "a number was expected"),
        (found(data="cabspoting"), "'cabspoting'; did you mean 'cabspotting'"),
        (found(data=""), "no data ''"),
        (found(elsewhere={"flight": 0.8}), "no data 'flight'"),
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
    found(SFC, Estimate(0.842345, 0.00123456)),
    found("kk-data-sfc-reports-max", 9123.4, given="one  cab's\nglitches | <b>, $x$"),
    found("crowd-data-sfc-users", 534),
    found(TFL, 0.5, "commuters"),
]


def test_a_table_stands_in_the_papers_order_with_four_digits():
    table = claims.table(FOUND)
    assert table.index.tolist() == [
        "kk-data-sfc-reports-max",
        TFL,
        SFC,
        TREND,
        "crowd-data-sfc-users",
    ]
    assert table.columns.tolist() == [
        c for c in claims.COLUMNS if c not in ("id", "chapter", "within_paper")
    ]
    assert table.loc[SFC].tolist() == [
        "0.84",
        "0.8423",
        "0.001235",
        "",
        "cabspotting",
        "reproduced",
        "0.0023 away, 0.0084 allowed (normal)",
        "",
        "",
        "",
        "here",
        "",
        "",
    ]
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

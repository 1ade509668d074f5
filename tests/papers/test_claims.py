import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.papers import claims
from lib.papers.claims import Claim, Estimate, Finding, Trend, because, unexplained

COUNTS = {"kk": (174, 37), "zk": (193, 29), "crowd": (232, 36), "fano": (11, 36),
          "threshold": (17, 39)}  # fmt: skip  # numbers, trends
HAIR = 1e-9  # just inside and just outside
Z = 1.6448536269514722  # of one-sided 95%, from a printed table
T_2 = 2.919985580353725  # the same of Student's law with 2 degrees of freedom
SFC = "kk-fig4-rf-auc-m10"  # 0.84 on Cabspotting
TFL = "kk-fig2-lr-auc-m10"  # 0.97, private
BOUND = "kk-fig5-all-auc-m5"  # > 0.9, private
TREND = "kk-fig13b-high-eps-le-1"
YES, NO = Trend(True, 0.4, 0.1), Trend(False, 0.1, 0.1)


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
        (SFC, 2, "0.84"),
        ("kk-fig4-lr-auc-m10", 2, "0.9"),  # beside 0.84: prose drops a last 0
        ("crowd-fig3-sfc-prof-max-roi-time-day-week-pl", 2, "0.1"),
        ("crowd-tab4-scm-1-eps1", 1, "0.1"),  # as all of its row in the table
        ("kk-fig7-rf-auc-m100", 2, "~ 0.5"),  # the baseline, exactly
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


# -- trends ----------------------------------------------------------------------------------------


def test_greater_is_one_sided_at_95_percent():
    error = math.hypot(0.03, 0.04)
    assert claims.greater(near(1 + (Z + HAIR) * error, 0.03), near(1, 0.04)).holds
    assert not claims.greater(near(1 + (Z - HAIR) * error, 0.03), near(1, 0.04)).holds
    assert not claims.greater(near(1, 0.03), near(1 + 9 * error, 0.04)).holds
    assert claims.greater(near(2, 0.3), near(1, 0.4))[1:3] == (1, 0.5)
    assert claims.greater(1 + HAIR, 1).holds
    assert not claims.greater(1, 1).holds


def test_few_runs_ask_for_more():
    """Three runs have two degrees of freedom, and a quantile almost twice the normal one."""
    assert claims.greater(near((T_2 + 1e-6) * 0.1, 0.1, runs=3)).holds
    assert not claims.greater(near((T_2 - 1e-6) * 0.1, 0.1, runs=3)).holds
    assert claims.close(near(0, 0.1, runs=3), 0, within=(T_2 + 1e-6) * 0.1).holds
    assert not claims.close(near(0, 0.1, runs=3), 0, within=(T_2 - 1e-6) * 0.1).holds
    rise = [near(0, 0.1, runs=3), near(0.28, 0.1, runs=3)]
    assert claims.increasing([each._replace(freedom=math.inf) for each in rise]).holds
    assert not claims.increasing(rise).holds
    both = claims.difference(near(2, 0.3, runs=5), near(1, 0.3, runs=5))
    assert both == pytest.approx((1, 0.3 * math.sqrt(2), 8))  # Welch: equal errors add up
    assert claims.difference(near(2, 0.3, runs=5), near(1, 0.0)).freedom == pytest.approx(4)


def test_an_estimate_is_a_mean_with_its_error():
    assert claims.estimate([1, 2, 3, np.nan]) == pytest.approx((2, 1 / math.sqrt(3), 2))
    with pytest.raises(ValueError, match="at least two"):
        claims.estimate([1])


def test_close_needs_evidence():
    assert claims.close(near(1, 0.1), 1, within=(Z + HAIR) * 0.1).holds
    assert not claims.close(near(1, 0.1), 1, within=(Z - HAIR) * 0.1).holds
    assert not claims.close(1.2, 1, within=0.1).holds
    assert not claims.close(1, 1.2, within=0.1).holds
    for within in (0, -1, math.nan):
        with pytest.raises(ValueError, match="within"):
            claims.close(1, 1, within)


def test_what_rests_on_a_margin_says_so():
    assert not claims.greater(2, 1).margin
    assert claims.close(1, 1, 0.1).margin
    assert claims.beyond(2, 1) == (True, 1, 0, True)
    assert claims.below(2, 1) == (False, -1, 0, True)
    assert claims.every(claims.greater(2, 1), claims.beyond(2, 1)).margin
    assert not claims.every(claims.greater(2, 1), claims.greater(3, 1)).margin


def test_increasing_wants_the_ends_apart_and_no_fall_between():
    assert claims.increasing([0, 1, 1, 2]).holds
    assert claims.increasing([0, 1, 1, 2])[1:3] == (2, 0)
    assert not claims.increasing([1, 1]).holds
    assert not claims.increasing([0, 3, 2.999, 4]).holds
    assert claims.increasing([near(v, 0.01) for v in (0, 3, 2.999, 4)]).holds  # may be chance
    small_steps = [near(v, 0.05) for v in (0, 3, 2.999, 2.9, 2.8, 2.7, 4)]
    assert not claims.increasing(small_steps).holds
    assert not claims.increasing([near(0, 0.1), near(0.1, 0.1)]).holds
    fall = 2.1280 * math.sqrt(2)  # quantile at 1 - 0.05 / 3: three pairs
    for ends, middle, holds in (
        (0, fall - 1e-3, False),
        (-99, fall - 1e-3, True),
        (-99, fall + 1e-3, False),
    ):
        assert claims.increasing([near(v, 1) for v in (ends, middle, 0)]).holds is holds


def test_the_same_units_are_compared_with_themselves():
    """Each target rises a little; between targets lies much more."""
    table = pd.DataFrame({10: [0.0, 5.0, 9.0, 2.0], 100: [0.1, 5.2, 9.1, 2.2]})
    assert claims.increasing(table).holds
    assert not claims.decreasing(table).holds
    assert claims.increasing(table).here == pytest.approx(0.15)
    assert not claims.increasing([claims.estimate(table[size]) for size in table]).holds
    assert claims.decreasing(table[[100, 10]]).holds


@given(st.lists(st.floats(-9, 9), min_size=2, max_size=6), st.floats(0, 2))
def test_what_rises_does_not_fall(values, error):
    numbers = [near(v, error) for v in values]
    rise, fall = claims.increasing(numbers), claims.decreasing(numbers)
    assert not (rise.holds and fall.holds)
    mirrored = claims.decreasing([near(-v, error) for v in values])
    assert (mirrored.holds, mirrored.here) == (rise.holds, -rise.here)
    assert fall.here == rise.here
    assert claims.greater(numbers[0], numbers[1]).holds == claims.increasing(numbers[1::-1]).holds


def test_all_parts_must_hold_and_the_weakest_is_shown():
    assert claims.every(YES, NO) == NO
    other = NO._replace(here=NO.here - 1)
    assert claims.every(YES, NO, other) == NO and claims.every(other, YES, NO) == other
    strong = Trend(True, 9.0, 0.1)
    exact = Trend(True, 0.01, 0.0)
    assert claims.every(exact, strong, YES) == YES
    assert claims.always([True, True])[:3] == (True, 1, 0)
    assert claims.always([True, False])[:3] == (False, 0.5, 0)


def test_any_of_several_shares_the_five_percent():
    fall = 2.1280  # quantile at 1 - 0.05 / 3
    assert claims.any_positive(near(0, 1), near(fall + 1e-3, 1), near(-9, 1)).holds
    assert not claims.any_positive(near(0, 1), near(fall - 1e-3, 1), near(-9, 1)).holds
    assert claims.any_positive(near(fall - 1e-3, 1)).holds
    with pytest.raises(ValueError, match="no numbers"):
        claims.any_positive()


def test_a_trend_on_several_data_says_where_it_is_so():
    trend, why = claims.on_each({"cabs": YES, "flights": NO}, "kk-games")
    assert trend == NO
    assert why.text == "so on cabs, not on flights (rows: kk-games)"
    assert claims.on_each({"cabs": NO}, "kk-games")[1] == unexplained()


def test_trends_refuse_what_is_no_sample():
    for bad in (math.nan, math.inf):
        with pytest.raises(ValueError, match="finite"):
            claims.increasing([bad, 1])
    for bad in (-0.1, math.nan, math.inf):
        with pytest.raises(ValueError, match="standard error"):
            claims.greater(near(1, bad))
    with pytest.raises(ValueError, match="degrees of freedom are 0"):
        claims.greater(near(1, 0.1, runs=1))
    with pytest.raises(ValueError, match="1 values make no trend"):
        claims.increasing([1])
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
    # with 5 releases Student's quantile of 3 standard errors' level
    assert claims.tolerance(made(), 0.04, 4) == pytest.approx(6.6202 * 0.04 + 0.005, abs=1e-4)
    assert claims.tolerance(made(), 0.04, 29) == pytest.approx(3 * 0.04 + 0.005)
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

WHY = {"why": because("clipped", "kk-games")}


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (found(here=0.845), "reproduced"),
        (found(here=0.845 + HAIR, **WHY), "differs"),
        (found(here=near(0.845 + HAIR, 0.001)), "reproduced"),
        (found(here=near(0.848 + HAIR, 0.001), **WHY), "differs"),
        (found(here=near(0.848 + HAIR, 0.001, runs=3)), "reproduced"),
        (found(data="cabs", **WHY), "differs"),  # equal, but not on the data we hold
        (found("kk-data-sfc-users", 534), "reproduced"),
        (found("kk-data-sfc-users", 535, **WHY), "differs"),
        (found("kk-data-sfc-rois", 101, given="set"), "input"),
        (found("kk-data-sfc-rois", 99, given="set"), "input"),
        (found(TREND, NO, given="made from it"), "input"),
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
        # a bound can be kept, or broken, on any data
        (found(BOUND, near(0.95, 0.01), "commuters"), "holds"),
        (found(BOUND, near(0.95, 0.04), "commuters", **WHY), "differs"),
        (found(BOUND, (near(0.95, 0.01), near(0.8, 0.01)), "commuters", **WHY), "differs"),
        (found(BOUND, 0.9, "commuters", **WHY), "differs"),
        (found("zk-fig7-cdr-kk-auc-k0", 0.99, "callers"), "holds"),  # ">=" and no error
        # the informed attacker sees noise alone, wherever the targets are from
        (found("threshold-fig13-informed-one-vs-mlp", 0.012, "simulated"), "reproduced"),
        (found("threshold-fig13-informed-one-vs-mlp", 0.03, "simulated", **WHY), "differs"),
        (found("threshold-fig13-auxiliary-one-vs-mlp", 0.03, "simulated"), "not comparable"),
    ],
)
def test_verdicts(finding, expected):
    assert verdict(finding) == expected
    assert claims.table([finding])["verdict"].tolist() == [expected]


@pytest.mark.parametrize(
    ("here", "shown", "said"),
    [
        ((near(0.95, 0.01), near(0.8, 0.01)), "0.8", "broken at 95%"),
        (near(0.95, 0.04), "0.95", "kept by the mean, not surely at 95%"),
        (near(0.89, 0.04), "0.89", "broken, not surely at 95%"),
    ],
)
def test_a_bound_shows_the_worst_number_and_how_surely_it_is_broken(here, shown, said):
    row = claims.table([found(BOUND, here, "commuters", why=unexplained())]).loc[BOUND]
    assert (row["here"], row["reason"]) == (shown, f"{said}; unexplained; nothing tried")


def test_what_nothing_here_measures_says_why():
    trips = "kk-data-tfl-trips"
    nobody = found(trips, None, "none", note="raw trips are not modelled")
    table = claims.table([nobody])
    assert table.loc[trips, ["here", "verdict"]].tolist() == ["none", "not comparable"]
    with pytest.raises(ValueError, match=f"{trips}: nothing here measures it; a note"):
        claims.table([found(trips, None, "none")])


def test_a_difference_asks_for_a_reason():
    with pytest.raises(
        ValueError, match=f"claim {SFC} differs: published '0.84', here 0.7 .*reason"
    ):
        claims.table([claims.Finding(SFC, 0.7, "cabspotting", "here")])


def test_a_reason_belongs_to_its_verdict():
    """Why it differs is said of nothing else; a note of anything."""
    both = {"note": "read so", "why": unexplained(("colder", "kk-games"))}
    differs, same = (claims.table([found(here=x, **both)]).loc[SFC] for x in (0.7, 0.84))
    assert differs["reason"] == "read so; unexplained; tried: colder (rows: kk-games)"
    assert (same["verdict"], same["reason"]) == ("reproduced", "read so")
    assert claims.named(differs["reason"]) == ["kk-games"]
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
def test_a_reason_that_denies_its_verdict_is_refused(said):
    for finding in (found(note=said), found(TREND, YES, note=said), found(note=said, given="set")):
        with pytest.raises(ValueError, match=f"claim {finding.id}: .*but its reason says"):
            claims.table([finding])
    assert claims.table([found(here=0.7, note=said, why=unexplained())]).loc[SFC, "reason"]


def test_only_what_holds_has_a_grade():
    strong, margin = (found(TREND, trend) for trend in (YES, claims.ours(YES)))
    assert claims.table([strong])["grade"].tolist() == ["strong"]
    assert claims.table([margin])["grade"].tolist() == ["margin"]
    assert claims.table([found(BOUND, 0.95, "commuters")])["grade"].tolist() == ["strong"]
    assert claims.table([found()])["grade"].tolist() == [""]
    with pytest.raises(ValueError, match="differs, but its grade is 'strong'"):
        claims.check_reason(SFC, "differs", "", "strong")


def test_a_named_reading_has_a_verdict_of_its_own_where_it_differs():
    other = found(here=0.84)
    named = claims.table([found(here=0.7, why=unexplained(), named=other)]).loc[SFC]
    assert (named["verdict"], named["named_verdict"]) == ("differs", "reproduced")
    assert claims.table([found(named=other)]).loc[SFC, "named_verdict"] == ""


@pytest.mark.parametrize(
    ("finding", "message"),
    [
        (found(here=math.nan), "here is nan"),
        (found(here=math.inf), "here is inf"),
        (found("kk-fig7-auc-range-m5-10", (0.64, math.nan)), "here is nan"),
        (found(here=True), "here is True"),
        (found(here="0.9"), "here is '0.9'"),
        (found(TREND, Trend(True, math.nan, 0)), "here is nan"),
        (found(here=near(0.9, -0.1)), "a standard error is -0.1"),
        (found(here=near(0.9, math.nan)), "a standard error is nan"),
        (found(here=(0.9, 0.8)), "1 numbers were expected, not 2"),
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
    assert table.columns.tolist() == [c for c in claims.COLUMNS if c not in ("id", "chapter")]
    assert table.loc[SFC].tolist() == [
        "0.84",
        "0.8423",
        "0.001235",
        "cabspotting",
        "reproduced",
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


def test_top_shows_what_was_asked_for_in_that_order():
    table = claims.table([*FOUND, found("kk-tab2-lpa-delta-eps0.01", 9.0, "commuters")])
    shown = claims.top(table, [TREND, "kk-tab2-lpa-delta-eps0.01", SFC])
    assert shown.index.tolist() == [TREND, "kk-tab2-lpa-delta-eps0.01", SFC]
    assert shown.columns.tolist() == ["source", "published", "here", "data", "verdict"]
    assert shown["published"].tolist()[1:] == ["3056", "0.84"]
    assert "Fig. 4" in shown.loc[SFC, "source"]
    with pytest.raises(ValueError, match="given twice"):
        claims.top(table, [SFC, SFC])
    with pytest.raises(ValueError, match=f"not in the table; did you mean .*{SFC}"):
        claims.top(table, [SFC + "0"])

"""The page of an audit: what it says first, nothing from the records run, nothing asked for."""

import functools
import http.server
import json
import os
import re
import threading
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

from lib.audit import page as audit_page
from tests.audit import audits
from tests.pages.test_browser import (
    BROWSER,
    STICKING_OUT,
    WIDTHS,
    chromium,
    new_context,
    opened,
    serious,
)

SCHEMA = json.loads((audit_page.FOLDER / "schema.json").read_text())
ALL = {
    "fail": audits.document(),
    "review": audits.document(verdict="review", complete=False, alternatives=[], at_risk=None),
    "none-succeeded": audits.document(
        verdict="none-succeeded", epsilon=audits.epsilon(), reasons=["No attack succeeded."]
    ),
    "guaranteed": audits.document(verdict="guaranteed", epsilon=audits.epsilon()),
    "exceeded": audits.document(epsilon=audits.epsilon(0.5, 0.8, True)),
    "hostile": audits.hostile(),
}


def plain(html):
    """What a page says, in one line."""
    text = re.sub(r"</?(b|a|code|span)\b[^>]*>", "", html.partition("</style>")[2])
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


@pytest.mark.parametrize("name", ALL)
def test_the_documents_these_tests_look_at_are_such_as_an_audit_writes(name):
    jsonschema.validate(ALL[name], SCHEMA)


def test_the_schema_refuses_what_is_no_verdict_and_what_is_missing():
    for wrong in (
        audits.document(verdict="safe"),
        audits.document(schema_version=1),
        audits.document(reasons=[]),
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)
    for part in SCHEMA["required"]:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({k: v for k, v in ALL["fail"].items() if k != part}, SCHEMA)


# -- what it says ----------------------------------------------------------------------------------


def test_it_begins_with_the_verdict_who_is_at_risk_and_what_to_change():
    said = plain(audit_page.render(ALL["fail"]))
    order = [
        "Do not publish these counts",
        "62 could be told",
        "between 55% and 69%",
        "Knock-Knock: a third",
        "Add noise for a person",
        "identifies 8% [4%, 13%] of the most exposed people, instead of 62% [55%, 69%]",
        "then 190% of its value, instead of 31% of its value",
        "zeros everywhere would give 48% of its value",
        "Risk against usefulness",
        "What was audited",
        "What an attacker could do",
        "What was not tested",
        "What became of every row",
        "References",
    ]
    places = [said.index(each) for each in order]
    assert places == sorted(places)


@pytest.mark.parametrize("name", ["fail", "review", "none-succeeded", "guaranteed"])
def test_no_verdict_says_safe_and_an_unfinished_audit_says_so(name):
    said = plain(audit_page.render(ALL[name])).lower()
    assert audit_page.VERDICTS[name].headline.lower() in said
    assert "safe" not in said
    assert ("not everything was tested" in said) is not ALL[name]["complete"]


def test_what_is_written_for_nobody_at_risk_is_left_out():
    said = plain(audit_page.render(ALL["review"]))
    assert "Who is at risk" not in said and "Risk against usefulness" not in said


def test_attacks_stand_with_intervals_baselines_and_controls():
    said = plain(audit_page.render(ALL["fail"]))
    assert "AUC 0.61 [0.58, 0.64] 0.50" in said
    assert "TPR at 1.0% FPR 31% [27%, 35%] 1%" in said
    assert "Control: people who were never in; people 12; AUC 0.50 [0.47, 0.53]." in said
    assert "NOT at chance" not in said
    assert "Zero auxiliary knowledge: zones have no coordinates" in said


def test_a_promise_stands_beside_what_was_seen():
    right, wrong = (plain(audit_page.render(ALL[name])) for name in ("none-succeeded", "exceeded"))
    assert "declares differential privacy with epsilon 1.00" in right
    assert "a crowd in one cell Clopper-Pearson 0.80 98% 4.20" in right
    assert "The declared epsilon is wrong" not in right
    assert "The declared epsilon is wrong" in wrong


def test_both_sides_of_the_verdict_stand_together_with_base_rates():
    said = plain(audit_page.render(ALL["fail"]))
    assert "a plausible attacker identifies, at 1% false positives 31% [27%, 35%]" in said
    assert "guaranteed, whatever an attacker knows Nothing is guaranteed." in said
    assert "3 of 100 where 50% of the people whom the attacker considers are in the data" in said
    assert "76 of 100 where 1% are in the data" in said
    nothing = plain(audit_page.render(audits.document(assessment=None)))
    assert "whatever an attacker knows" not in nothing


def test_no_row_is_dropped_in_silence():
    said = plain(audit_page.render(ALL["fail"]))
    assert "rows read 16,000 set aside: outside the grid 200 rows kept 15,800" in said


def test_ids_stand_there_only_where_they_were_asked_for():
    found = audits.document()
    found["at_risk"]["people"] = [{"rank": 1, "AUC": 0.9}, {"rank": 2, "AUC": 0.8}]
    assert "1 0.90 2 0.80" in plain(audit_page.render(found))
    for person, name in zip(found["at_risk"]["people"], ("Bob", "Ada <b>"), strict=True):
        person["id"] = name
    jsonschema.validate(found, SCHEMA)
    assert "1 Bob 0.90 2 Ada &lt;b&gt; 0.80" in plain(audit_page.render(found))


def test_numbers_are_written_as_people_read_them():
    numbers = {
        12345: "12,345",
        12345.6: "12,346",
        0.8449: "0.84",
        0.00123: "0.0012",
        3.0: "3.00",
        0.0: "0",
        True: "yes",
        None: "unknown",
        33.333: "33.3",
        "x": "x",
    }
    assert {each: audit_page.format_number(each) for each in numbers} == numbers
    assert audit_page.format_measure(audits.measure(None)) == "could not be measured"
    assert audit_page.format_measure(
        audits.measure(0.004, 0.001, 0.01, unit="share of members")
    ) == ("0.4% [0.1%, 1%]")
    assert audit_page.format_measure(audits.measure(-0.5142, unit="share of it")) == "-51%"
    assert [audit_page._hours(each) for each in (1, 24, 48, 0.25, 6, 36)] == [
        "one hour",
        "one day",
        "2 days",
        "15 minutes",
        "6 hours",
        "36 hours",
    ]


def test_what_lowers_no_risk_is_not_called_the_first_change():
    found = audits.document()
    lower, near = audits.measure(0.4, 0.3, 0.5), audits.measure(0.5, 0.44, 0.56)
    for each, risk in zip(found["alternatives"], (near, lower), strict=True):
        each["risk"] |= risk
    said = plain(audit_page.render(found))
    assert said.index("Round to 5 as well. The attack then") < said.index(
        "No significant improvement"
    )
    found["alternatives"][1]["risk"] |= near  # below 62% [55%, 69%], but their intervals meet
    said = plain(audit_page.render(found))
    assert "What to change first" not in said and "Other ways to publish" in said


def test_a_change_that_guarantees_more_says_so_even_without_an_improvement_in_attacks():
    found = audits.document()
    worst = found["assessment"]["plausible"] | audits.measure(1.0, 0.84, 1.0)
    found["assessment"]["worst"] = worst
    first = found["alternatives"][0]
    first["worst"] = worst | audits.measure(0.016, 0.011, 0.022)
    first["guarantee"] = first["guarantee"] | {"epsilon": 1.0, "delta": 1e-5}
    said = plain(audit_page.render(found))
    assert "In the worst case, 1.6% [1.1%, 2.2%] of all members are identified, instead" in said
    assert "The guarantee for a person is epsilon 1.00, delta 1e-05, instead of none." in said
    assert said.count("The guarantee for a person is") == 1  # not for the other, which has none


def test_ways_of_which_none_is_useful_enough_are_not_offered_without_a_word():
    found = audits.document()
    sentence = "None of the ways that were tried is useful enough. They all miss the floor"
    assert sentence in plain(audit_page.render(found))
    found["alternatives"][1]["useful_enough"] = True
    assert sentence not in plain(audit_page.render(found))


def test_what_publishes_nothing_is_no_change():
    found = audits.document()
    for each in found["alternatives"]:
        each["usefulness"]["visits published"] = {"value": 0.4, "words": ""}
    found["alternatives"][0]["usefulness"]["visits published"]["value"] = 0
    shown = audit_page._changes(found)
    assert [each["change"] for each in shown] == ["Round to 5 as well"]


def test_a_risk_that_is_a_guess_is_called_one():
    found = audits.document()
    assert "A guess identifies 1%" not in plain(audit_page.render(found))
    found["at_risk"]["clear"] = False
    assert "A guess identifies 1%, which this interval includes." in plain(audit_page.render(found))


def test_the_picture_has_every_release_and_no_name_over_another():
    drawn = audit_page.picture(ALL["fail"])
    assert [row["name"] for row in drawn["rows"]] == ["mds-k10", "user-day-epsilon-1", "round-5"]
    risks = ["62% [55%, 69%]", "8% [4%, 13%]", "50% [44%, 56%]"]
    assert [row["risk"] for row in drawn["rows"]] == risks
    heights = audit_page._label_heights([(0, 50, y) for y in (100, 101, 50, 102)], 101)
    assert min(abs(a - b) for i, a in enumerate(heights) for b in heights[:i]) >= 17
    assert heights[2] == 50 and max(heights) == 101
    assert audit_page._label_heights([(0, 50, 100), (60, 90, 100)], 101) == [100, 100]
    assert audit_page._round_ticks(1.9) == [0, 0.5, 1.0, 1.5, 2.0]
    for most in (0.1, 0.72, 1.0, 3.3, 99, 1e6):
        ticks = audit_page._round_ticks(most)
        assert ticks[-1] >= most > ticks[-2] and 3 <= len(ticks) <= 7


# -- nothing from the records runs -----------------------------------------------------------------


def attributes(html):
    """Element and name of every attribute, as a browser would find them."""
    found = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.extend((tag, name) for name, _ in attrs)

    Parser().feed(html)
    return found


def test_texts_from_the_records_are_text():
    html = audit_page.render(ALL["hostile"])
    assert html.count("<script") == 0
    assert html.count("<img") == 0
    assert html.count("</style>") == 1
    assert "{{ 7*7 }}" in html and "49" not in plain(html)
    assert not [name for _, name in attributes(html) if name.startswith("on") or name == "style"]


def test_the_same_document_gives_the_same_bytes_and_no_address():
    html = audit_page.render(ALL["fail"])
    assert html == audit_page.render(ALL["fail"])
    assert "http" not in html.replace("http-equiv", "")
    assert str(Path.home()) not in html


# -- in a browser ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of a folder with a page of each document, and the folder."""
    if BROWSER is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium: .ci/run must install it")
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    folder = tmp_path_factory.mktemp("audits")
    for name, document in ALL.items():
        text = audit_page.render(document)
        (folder / f"{name}.html").write_text(text, encoding="utf-8")

    asked = []

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            asked.append(self.path)

    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", folder, asked
    server.shutdown()


@pytest.fixture(scope="module")
def browser(site):
    with chromium() as started:
        yield started


@pytest.mark.slow
@pytest.mark.parametrize("how", ["http", "file"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_asks_for_nothing_complains_of_nothing_and_fits(site, browser, width, how):
    base, folder, asked = site
    context = new_context(browser, WIDTHS[width])
    for name in ALL:
        asked.clear()
        address = base + f"{name}.html" if how == "http" else (folder / f"{name}.html").as_uri()
        page, trouble = opened(context, address)
        assert trouble == [], name
        assert asked == ([f"/{name}.html"] if how == "http" else [])
        fits = "document.documentElement.scrollWidth <= window.innerWidth"
        assert page.evaluate(fits), name
        assert page.evaluate(STICKING_OUT) == [], name
        assert page.locator("script, img, iframe, object, link[href^=http]").count() == 0
        page.close()
    context.close()


@pytest.mark.slow
def test_the_first_screen_has_verdict_risk_and_change(site, browser):
    context = new_context(browser, WIDTHS["wide"])
    page, _ = opened(context, site[0] + "fail.html")
    for words in ("Do not publish", "62 could be told", "What to change first", "Round to 5"):
        box = page.get_by_text(words).first.bounding_box()
        assert box["y"] + box["height"] < 900, words
    context.close()


@pytest.mark.slow
def test_one_of_two_pictures_is_seen(site, browser):
    for width, seen in (("wide", ".wide-picture"), ("phone", ".narrow")):
        context = new_context(browser, WIDTHS[width])
        page, _ = opened(context, site[0] + "fail.html")
        assert page.locator("figure svg:visible").count() == 1
        assert page.locator(f"figure {seen}").is_visible()
        context.close()


@pytest.mark.slow
def test_paper_loses_nothing(site, browser):
    context = browser.new_context(viewport={"width": 816, "height": 1056})
    page = context.new_page()
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(site[0] + "fail.html")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    cut = "[...document.querySelectorAll('table')].filter(e => e.scrollWidth > e.clientWidth + 1)"
    assert page.evaluate(f"{cut}.length") == 0
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_serious(site, browser, width, scheme):
    context = new_context(browser, WIDTHS[width], scheme)
    for name in ALL:
        page, _ = opened(context, site[0] + f"{name}.html")
        assert serious(page) == [], name
        page.close()
    context.close()

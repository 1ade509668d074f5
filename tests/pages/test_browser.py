"""The built book, served on loopback to a browser: it asks nobody else, and fits a phone."""

import http.server
import importlib.util
import os
import re
import shutil
import threading
from collections import deque
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

import lib.chapters.pages as book
from lib.chapters import parameters

pytestmark = pytest.mark.slow
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
WIDTHS = {"wide": 1400, "phone": 390}  # pixels
HEIGHT = 900
AT_ONCE = 4  # pages that load while one of them is looked at

# Elements that stick out of the window, unless something around them scrolls or hides them.
STICKING_OUT = """() => {
  const inside = e => {
    for (let p = e; p && p !== document.body; p = p.parentElement) {
      const s = getComputedStyle(p);
      if (s.overflowX !== 'visible' || s.position === 'fixed') return true;
    }
    return false;
  };
  return [...document.body.querySelectorAll('*')]
    .filter(e => e.getBoundingClientRect().width > 0)
    .filter(e => e.getBoundingClientRect().right > window.innerWidth + 1 && !inside(e))
    .map(e => e.tagName + '.' + e.className);
}"""


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The address of the freshly and strictly built book."""
    if BROWSER is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium: .ci/run must install it")
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    html = book.build(tmp_path_factory.mktemp("book") / "_build").parents[1]

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments, **named):
            super().__init__(*arguments, directory=str(html), **named)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", html
    server.shutdown()


@contextmanager
def chromium():
    """A browser whose pages wait as long as it takes, instead of Playwright's 30 seconds."""
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        started = playwright.chromium.launch(executable_path=BROWSER, args=flags, timeout=0)
        for name in ("new_context", "new_page"):
            setattr(started, name, partial(_patient, getattr(started, name)))
        yield started
        started.close()


def _patient(create, **options):
    found = create(**options)
    found.set_default_timeout(0)
    found.set_default_navigation_timeout(0)
    return found


@pytest.fixture(scope="module")
def browser(site):
    with chromium() as started:
        yield started


def new_context(browser, width, scheme="light"):
    return browser.new_context(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)


def begun(context, address):
    """A page that begins to load, and all that it will complain of or ask another host for."""
    own = ("/".join(address.split("/")[:3]), "data:")
    page, trouble = context.new_page(), []
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on(
        "request", lambda r: None if r.url.startswith(own) else trouble.append(f"asked {r.url}")
    )
    page.on("requestfailed", lambda r: trouble.append(f"failed {r.url}"))
    page.goto(address, wait_until="commit")
    return page, trouble


def opened(context, address):
    """The page, loaded, and everything it complained of or asked another host for."""
    page, trouble = begun(context, address)
    page.wait_for_load_state("networkidle")
    return page, trouble


def several(context, addresses):
    """The same for each of many, of which some load while one is looked at; each is closed then."""
    loading = deque()
    for address in addresses:
        loading.append((address, *begun(context, address)))
        if len(loading) == AT_ONCE:
            yield from _loaded(loading)
    while loading:
        yield from _loaded(loading)


def _loaded(loading):
    address, page, trouble = loading.popleft()
    page.wait_for_load_state("networkidle")
    yield address, page, trouble
    page.close()


@pytest.fixture(scope="module")
def wide(browser):
    """A window of a reader who likes it light."""
    context = new_context(browser, WIDTHS["wide"])
    yield context
    context.close()


def pages(html):
    """The book's pages; tests/pages/test_slides.py looks at the slides."""
    files = [file.relative_to(html) for file in html.rglob("*.html")]
    return sorted(str(file) for file in files if not {"_static", "slides"} & set(file.parts))


def test_the_head_of_a_chapter_leads_to_its_slides_sessions_lab_and_quiz(site, wide):
    base, html = site
    for chapter in parameters.chapters():
        page, trouble = opened(wide, f"{base}book/{chapter}.html")
        head = page.locator("small", has_text="For teaching:")
        links = [link.get_attribute("href") for link in head.locator("a").all()]
        slides, *others = links
        assert len(others) >= 3, chapter
        for link in others:
            file, _, place = link.partition("#")
            text = (html / "book" / (file or f"{chapter}.html")).read_text(encoding="utf-8")
            assert f'id="{place}"' in text, link
        head.locator(f'a[href="{slides}"]').click()
        page.wait_for_function("window.Reveal && Reveal.isReady()")
        assert page.evaluate("Reveal.getTotalSlides()") > 5, chapter
        assert trouble == []
        page.close()


def test_every_page_is_whole_quiet_and_fits(site, wide):
    """Loaded once, wide, and then made narrow."""
    base, html = site
    names = pages(html)
    assert "book/foundations.html" in names
    for name, page, trouble in several(wide, [base + each for each in names]):
        assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth)"), name
        assert page.evaluate("[...document.images].every(i => i.alt.length > 0)"), name
        formulas = page.locator("span.math, div.math").count()
        assert page.locator("mjx-container").count() == formulas, name
        assert page.locator("mjx-merror").count() == 0, name
        for width in WIDTHS.values():
            page.set_viewport_size({"width": width, "height": HEIGHT})
            assert page.evaluate(STICKING_OUT) == [], (name, width)
            fits = "document.documentElement.scrollWidth <= window.innerWidth"
            assert page.evaluate(fits), (name, width)
        assert trouble == [], name


def test_a_page_that_a_phone_loads_is_as_quiet_and_fits(site, browser):
    context = new_context(browser, WIDTHS["phone"])
    page, trouble = opened(context, site[0] + "book/foundations.html")
    assert page.evaluate(STICKING_OUT) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert trouble == []
    context.close()


def test_formulas_and_figures_are_really_there(site, wide):
    page, _ = opened(wide, site[0] + "book/foundations.html")
    assert page.locator("mjx-container").count() > 20
    assert page.locator("img").count() >= 4
    assert page.locator("details, .toggle, .dropdown").count() >= 5
    page.close()


def axe():
    """The text of axe, where it is installed."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        if os.environ.get("CI"):
            pytest.fail("axe-playwright-python is in the lock and not installed")
        pytest.skip("axe-playwright-python is not installed: make env")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def serious(page):
    """What axe finds on a page that keeps somebody from using it, with the first place of each."""
    page.evaluate(axe())
    found = page.evaluate("axe.run().then(each => each.violations)")
    return [
        (each["id"], each["nodes"][0]["html"])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


def test_axe_finds_nothing_serious(site, browser):
    for width in WIDTHS.values():
        context = new_context(browser, width)
        names = ("index", "foundations", "bibliography", "reference/threats")
        for name, page, _ in several(context, [f"{site[0]}book/{each}.html" for each in names]):
            assert serious(page) == [], (name, width)
        context.close()


def test_searching_works_without_a_network(site, wide):
    page, trouble = opened(wide, site[0] + "search.html?q=recurrence")
    page.wait_for_selector("#search-results li a")
    assert "foundations" in page.inner_html("#search-results")
    assert trouble == []
    page.close()


def luminance(page, selector):
    color = page.evaluate(
        "s => getComputedStyle(document.querySelector(s)).backgroundColor", selector
    )
    red, green, blue = map(int, re.findall(r"\d+", color)[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_pages_and_figures_follow_the_readers_light_or_dark(site, browser):
    address = site[0] + "book/foundations.html"
    for scheme, dark in (("light", False), ("dark", True)):
        context = new_context(browser, WIDTHS["wide"], scheme)
        page, trouble = opened(context, address)
        assert (luminance(page, "body") < 60) is dark
        turned = "getComputedStyle(document.querySelector('.cell_output img')).filter"
        assert page.evaluate(turned).startswith("invert") is dark
        assert trouble == []
        context.close()


def test_a_search_hit_is_marked_and_reached(site, wide):
    page, _ = opened(wide, site[0] + "search.html?q=recurrence")
    page.locator("#search-results li a", has_text="From records").first.click()
    page.wait_for_selector("article .highlighted")
    page.wait_for_function("scrollY > 0")
    page.close()


def test_a_figure_is_enlarged_at_a_click_and_closed_by_a_key(site, wide):
    page, _ = opened(wide, site[0] + "book/foundations.html")
    page.locator(".enlarge-button").first.click()
    box = page.locator("dialog.enlarged img").bounding_box()
    assert box["width"] > 1000
    page.keyboard.press("Escape")
    assert not page.locator("dialog.enlarged").is_visible()
    page.close()


def test_chapters_are_numbered_and_say_how_to_run_them(site, wide):
    page, _ = opened(wide, site[0] + "book/foundations.html")
    assert page.locator("article h1").inner_text().startswith("1. ")
    assert "Definition 1.1" in page.locator(".proof").first.inner_text()
    told = page.locator(".run-it").evaluate("box => box.textContent")
    assert "python -m lib run foundations" in told
    assert page.locator(".run-it tbody tr").count() >= 5
    page.close()


def test_paper_loses_no_column_and_no_code(site, browser):
    context = browser.new_context(viewport={"width": 816, "height": 1056})  # letter, 96 a inch
    page = context.new_page()
    page.emulate_media(media="print")
    for name in ("foundations", "replication/crowd", "scoreboard"):
        page.goto(site[0] + f"book/{name}.html", wait_until="networkidle")
        cut = """[...document.querySelectorAll("article table, article pre")]
            .filter(e => e.getBoundingClientRect().right > innerWidth + 1
                         || e.scrollWidth > e.clientWidth + 1).length"""
        assert page.locator("article table, article pre").count() > 5, name
        assert page.evaluate(cut) == 0, name
    context.close()


def test_the_scoreboard_filters_and_is_whole_without_scripts(site, browser):
    _, html = site
    address = (html / "book" / "scoreboard.html").as_uri()
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(address)
    every = plain.locator(".scoreboard tbody tr").count()
    assert every > 800
    assert plain.locator(".scoreboard tbody tr").first.is_visible()
    assert plain.locator(".scoreboard-filters select").count() == 0
    plain.context.close()
    page = browser.new_page()
    page.goto(address)
    said, shown = page.locator(".scoreboard-filters p"), ".scoreboard tbody tr:visible"
    assert said.inner_text() == f"{every} of {every} claims"
    page.get_by_label("paper").select_option("Fano loss")
    fano = page.locator(shown).count()
    assert 0 < fano < every
    assert page.locator("h2:visible").count() == 3  # the rule, the counts, and this paper
    assert said.inner_text() == f"{fano} of {every} claims"
    page.get_by_label("figure").select_option("Fig. 8")
    page.get_by_label("words").fill("fig8-foursquare MAP-flat")
    assert page.locator(shown).all_inner_texts()[0].count("fano-fig8-foursquare-map-flat") == 1
    assert page.locator(shown).count() == 1
    page.get_by_label("words").fill("no such words")
    assert said.inner_text() == f"0 of {every} claims"
    page.close()


def test_what_the_scoreboard_shows_stands_in_its_address(site, wide):
    page, _ = opened(wide, site[0] + "book/scoreboard.html?paper=Fano+loss&verdict=supported")
    shown, said = ".scoreboard tbody tr:visible", page.locator(".scoreboard-filters p")
    assert set(page.locator(f"{shown} .verdict").all_inner_texts()) == {"supported"}
    page.get_by_label("verdict").select_option("input")
    assert page.url.endswith("?paper=Fano+loss&verdict=input")
    page.evaluate("location.hash = 'scoreboard-kk'")  # a section that is filtered out
    page.wait_for_function("!document.querySelector('.scoreboard tr[hidden]')")
    page.get_by_label("paper").select_option("Fano loss")
    page.get_by_role("button", name="reset").click()
    every = page.locator(shown).count()
    assert said.inner_text() == f"{every} of {every} claims"
    page.locator(".scoreboard th button", has_text="published").first.click()
    assert page.locator(".scoreboard th[aria-sort=ascending]").count() > 0
    page.evaluate("scrollTo(0, 9000)")
    assert page.locator(".scoreboard-filters").bounding_box()["y"] >= 0
    page.close()


def test_the_pages_open_as_files_too(site, browser):
    _, html = site
    page = browser.new_page()
    page.goto((html / "book" / "index.html").as_uri())
    assert (
        page.locator("article h1")
        .first.inner_text()
        .startswith("Privacy of aggregate location data")
    )
    page.close()


def test_quizzes_are_answered_by_keyboard_without_scripts_and_whole_on_paper(site, browser):
    _, html = site
    names = sorted(file.stem for file in (html / "book").glob("*.html"))
    plain = browser.new_context(java_script_enabled=False)
    asked = []
    for name in names:
        page = plain.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto((html / "book" / f"{name}.html").as_uri())
        if name not in parameters.chapters():
            assert page.locator(".quiz").count() == 0, name
            page.close()
            continue
        assert page.locator(".quiz .question").count() == 5, name
        for answer in page.locator(".quiz .answer").all():
            assert not answer.locator("p").is_visible()
            answer.locator("summary").press("Enter")
            assert answer.locator("p").is_visible()
        for link in page.locator(".quiz .key a").all():
            target = link.get_attribute("href").removeprefix("#")
            assert page.locator(f'section[id="{target}"]').count() == 1, (name, target)
        page.reload()
        page.emulate_media(media="print")
        assert page.locator(".quiz .key li").last.is_visible(), name
        assert not page.locator(".quiz .answer p").first.is_visible(), name
        page.close()
    assert not [address for address in asked if not address.startswith(("file:", "data:"))]
    plain.close()

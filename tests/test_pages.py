"""The built book, served on loopback to a browser: it asks nobody else, and fits a phone."""

import http.server
import os
import re
import shutil
import threading

import pytest
from playwright.sync_api import sync_playwright

from lib import execution

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
WIDTHS = {"wide": 1400, "phone": 390}  # pixels

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
    html = execution.build_book(tmp_path_factory.mktemp("book") / "_build").parents[1]

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments, **named):
            super().__init__(*arguments, directory=str(html), **named)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", html
    server.shutdown()


@pytest.fixture(scope="session")
def browser(site):
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=BROWSER, args=flags)
        yield browser
        browser.close()


def opened(browser, address, width, scheme="light"):
    """The page, and everything it complained of or asked another host for."""
    own = ("/".join(address.split("/")[:3]), "data:")
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, trouble = context.new_page(), []
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on(
        "request", lambda r: None if r.url.startswith(own) else trouble.append(f"asked {r.url}")
    )
    page.on("requestfailed", lambda r: trouble.append(f"failed {r.url}"))
    page.goto(address, wait_until="networkidle")
    return page, trouble


def pages(html):
    return sorted(
        str(file.relative_to(html)) for file in html.rglob("*.html") if "_static" not in file.parts
    )


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS.keys())
def test_every_page_is_whole_quiet_and_fits(site, browser, width):
    base, html = site
    names = pages(html)
    assert "book/foundations.html" in names
    for name in names:
        page, trouble = opened(browser, base + name, width)
        assert trouble == [], name
        assert page.evaluate(STICKING_OUT) == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth)"), name
        assert page.evaluate("[...document.images].every(i => i.alt.length > 0)"), name
        formulas = page.locator("span.math, div.math").count()
        assert page.locator("mjx-container").count() == formulas, name
        assert page.locator("mjx-merror").count() == 0, name
        page.context.close()


def test_formulas_and_figures_are_really_there(site, browser):
    page, _ = opened(browser, site[0] + "book/foundations.html", 1400)
    assert page.locator("mjx-container").count() > 20
    assert page.locator("img").count() >= 4
    assert page.locator("details, .toggle, .dropdown").count() >= 5
    page.context.close()


def test_searching_works_without_a_network(site, browser):
    page, trouble = opened(browser, site[0] + "search.html?q=recurrence", 1400)
    page.wait_for_selector("#search-results li a")
    assert "foundations" in page.inner_html("#search-results")
    assert trouble == []
    page.context.close()


def luminance(page, selector):
    color = page.evaluate(
        "s => getComputedStyle(document.querySelector(s)).backgroundColor", selector
    )
    red, green, blue = map(int, re.findall(r"\d+", color)[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_pages_follow_the_readers_light_or_dark_and_figures_stay_light(site, browser):
    address = site[0] + "book/foundations.html"
    for scheme, dark in (("light", False), ("dark", True)):
        page, trouble = opened(browser, address, 1400, scheme)
        assert (luminance(page, "body") < 60) is dark
        if dark:
            assert luminance(page, ".cell_output img") > 200
        assert trouble == []
        page.context.close()


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
    assert page.locator("h2:visible").count() == 1
    assert said.inner_text() == f"{fano} of {every} claims"
    page.get_by_label("figure").select_option("Fig. 8")
    page.get_by_label("words").fill("fig8-foursquare MAP-flat")
    assert page.locator(shown).all_inner_texts()[0].count("fano-fig8-foursquare-map-flat") == 1
    assert page.locator(shown).count() == 1
    page.get_by_label("words").fill("no such words")
    assert said.inner_text() == f"0 of {every} claims"
    page.close()


def test_the_pages_open_as_files_too(site, browser):
    _, html = site
    page = browser.new_page()
    page.goto((html / "book" / "index.html").as_uri())
    assert page.locator("h1").first.inner_text().startswith("Privacy of aggregate location data")
    page.close()

"""The built decks in a browser, as files: they ask nobody, show every figure, and print."""

import re

import pytest

from book._ext import slides
from lib.execution.errors import ChapterError
from tests.pages.test_browser import BROWSER, chromium, opened

pytestmark = pytest.mark.slow
WIDE, HIGH = 1280, 720  # 16:9

# What is cut off at a slide's edge, speaker's notes and what only screen readers read left out.
CUT_OFF = """() => [...Reveal.getCurrentSlide().querySelectorAll('*')]
  .filter(e => !e.closest('aside, mjx-assistive-mml'))
  .filter(e => {
    const r = e.getBoundingClientRect();
    return r.width && (r.bottom > innerHeight + 1 || r.right > innerWidth + 1 || r.left < -1);
  }).map(e => e.tagName)"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    if BROWSER is None:
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    return slides.build(tmp_path_factory.mktemp("slides") / "decks").parent


@pytest.fixture(scope="module")
def window(built):
    with chromium() as browser:
        yield browser.new_context(viewport={"width": WIDE, "height": HIGH})


@pytest.mark.parametrize("chapter", slides.decks())
def test_a_deck_is_whole_quiet_fits_and_prints(built, window, chapter):
    text = slides.source(chapter).read_text(encoding="utf-8")
    n, n_figures = len(slides.minutes(chapter)), text.count("```{figure-of} ")
    address = (built / f"{chapter}.html").as_uri()
    page, trouble = opened(window, address)
    assert page.evaluate("Reveal.getTotalSlides()") == n
    assert page.locator(".slides img").count() == n_figures
    whole = "[...document.images].every(i => i.complete && i.naturalWidth && i.alt.length > 30)"
    assert page.evaluate(whole)
    assert page.locator("span.math, div.math").count() == page.locator("mjx-container").count()
    assert page.locator("mjx-merror").count() == 0
    for position in range(n):
        page.evaluate(f"Reveal.slide({position})")
        assert page.evaluate(CUT_OFF) == [], position + 1
        for figure in page.locator("section.present img").all():
            assert figure.bounding_box()["height"] > HIGH / 3, position + 1
    assert trouble == []
    page.close()
    page, trouble = opened(window, f"{address}?print-pdf")
    page.wait_for_selector(".pdf-page")
    assert page.locator(".pdf-page").count() == n
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == n
    assert trouble == []
    page.close()


def test_the_list_of_decks_leads_to_each(built, window):
    page, trouble = opened(window, (built / "index.html").as_uri())
    links = page.locator(".slides ol a")
    assert links.first.get_attribute("href") == "foundations.html"
    assert links.count() == len(slides.decks())
    assert all((built / link.get_attribute("href")).exists() for link in links.all())
    assert trouble == []
    page.close()


def test_a_deck_that_names_no_figure_of_its_chapter_is_not_built(tmp_path, monkeypatch, capfd):
    text = slides.source("fano").read_text(encoding="utf-8")
    folder = tmp_path / "book" / "slides"
    folder.mkdir(parents=True)
    for name in ("conf.py", "index.md"):
        (folder / name).write_text((slides.source("fano").parent / name).read_text())
    (folder / "static").mkdir()
    (folder / "static" / "slides.css").write_text("")
    (folder / "fano.md").write_text(text.replace("fig-fano-bit", "fig-fano-bits"))
    monkeypatch.setattr(slides, "source", lambda chapter: folder / f"{chapter}.md")
    with pytest.raises(ChapterError):
        slides.build(tmp_path / "decks")
    assert "no figure 'fig-fano-bits'; it has: fig-fano-bit" in capfd.readouterr().err

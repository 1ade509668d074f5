"""The book as one PDF: each built page printed by Chromium, then put together.

What a screen scrolls is made to fit the sheet; links from page to page lead to their place in the
file; pages are numbered through, behind a cover and a table of contents that says on which each
begins.
"""

from __future__ import annotations

import html
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urldefrag

import yaml
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.constants import PageLabelStyle
from pypdf.generic import ArrayObject, Fit, FloatObject, NameObject, NullObject
from tqdm import tqdm

import lib
from lib.chapters import unchanged
from lib.execution import environment
from lib.execution.errors import ChapterError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STYLE = Path(__file__).with_suffix(".css")
SMALLEST = 0.6  # of its size that anything may be shrunk to so that it fits the sheet
_API = "book/reference/api"
_SHEET = {"width": 657, "height": 980}  # CSS pixels between the margins of an A4 sheet
_TOP = 842.0  # points, of an A4 sheet
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

# Waits until formulas are set and fonts are there.
_SET = """async () => {
  if (window.MathJax && MathJax.startup) await MathJax.startup.promise;
  await document.fonts.ready;
}"""

# Opens what is folded, but for code that a page hides behind its figure; then makes what is wider
# than the sheet break its words, or else smaller. Links to every place make Chromium keep them all.
_PREPARE = """() => {
  const article = document.querySelector('article');
  for (const details of article.querySelectorAll('details')) {
    const cell = details.closest('div.cell');
    const hidden = details.matches('.above-input') && cell && !cell.matches('.tag_hide-output');
    if (hidden) details.classList.add('code-is-hidden'); else details.open = true;
  }
  article.querySelectorAll('.toggle-hidden').forEach(e => e.classList.remove('toggle-hidden'));
  article.querySelectorAll('[hidden]').forEach(e => e.hidden = false);
  const wide = e => Math.max(e.scrollWidth, e.getBoundingClientRect().width) / room(e);
  const room = e => e.parentElement.getBoundingClientRect().width;
  const blocks = [...article.querySelectorAll('table, pre, mjx-container[display], svg, img')];
  blocks.filter(e => wide(e) > 1.001).forEach(e => e.classList.add('too-wide'));
  const shrunk = blocks.filter(e => wide(e) > 1.001).map(e => {
    const ratio = 1 / wide(e);
    e.style.zoom = ratio * 0.995;
    return ratio;
  });
  const places = document.createElement('div');
  places.style.display = 'none';
  for (const e of article.querySelectorAll('[id]')) {
    const link = document.createElement('a');
    link.href = '#' + encodeURIComponent(e.id);
    places.append(link);
  }
  document.body.append(places);
  return Math.min(1, ...shrunk);
}"""

# What sticks out of the sheet, or out of a box that cuts it.
_CUT = """() => {
  const right = document.querySelector('article').getBoundingClientRect().right + 1;
  const cuts = e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0
    && getComputedStyle(e).overflowX !== 'visible' && !e.matches('span.math');
  return [...document.querySelectorAll('article *')]
    .filter(e => e.getClientRects().length && !e.matches('mjx-container *'))
    .filter(e => e.getBoundingClientRect().right > right || cuts(e))
    .map(e => `${e.tagName.toLowerCase()}.${e.className}: ${e.textContent.trim().slice(0, 40)}`);
}"""

_HEADINGS = """() => [...document.querySelectorAll('article section > :is(h1, h2)')].map(e => [
  e.tagName, e.parentElement.id,
  [...e.childNodes].filter(c => !(c.matches && c.matches('a.headerlink')))
    .map(c => c.querySelector && c.querySelector('mjx-container')
      ? c.textContent.trim() : c.textContent).join('').replace(/\\s+/g, ' ').trim()])"""


class Heading(NamedTuple):
    level: str  # h1, h2
    place: str  # its section's id
    words: str


@dataclass(frozen=True)
class Printed:
    """A page of the book on paper."""

    address: str  # of the HTML file
    reader: PdfReader
    headings: list[Heading]
    first: int  # its first sheet's number, from 1

    def places(self) -> dict[str, tuple[int, float]]:
        """Return, for each id, its sheet (from 0 in this page) and its height on it in points."""
        found = {}
        for name, place in self.reader.named_destinations.items():
            sheet = self.reader.get_destination_page_number(place)
            if sheet is not None:
                found[name.removeprefix("/")] = sheet, float(place.top or 0)
        return found


# -- the pages -------------------------------------------------------------------------------------


def toc() -> list[tuple[str, list[str]]]:
    """Return caption and pages of each part of the book, in order, the front page first.

    The pages of the API are left out: they are looked up, and longer than all others together.
    """
    listed = yaml.safe_load((environment.ROOT / "_toc.yml").read_text(encoding="utf-8"))
    parts = [("", [listed["root"]])]
    for part in listed["parts"]:
        files = [each["file"] for each in part["chapters"]]
        parts.append((part["caption"], [file for file in files if not file.startswith(_API)]))
    return parts


def browser_file() -> str:
    """Return the path of Chromium. Raises ChapterError, saying what to install, without one."""
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        raise ChapterError(
            f"the PDF is printed by Chromium; none of {', '.join(_BROWSERS)} is on the path "
            "(Debian: apt-get install chromium)"
        )
    return found


def shown(browser: Browser, address: str) -> Page:
    """Print a built page; raises ChapterError if something does not fit the sheet."""
    page = browser.new_page(viewport=_SHEET, color_scheme="light")  # type: ignore[arg-type]
    page.emulate_media(media="print")
    page.goto(address, wait_until="networkidle")
    page.add_style_tag(content=STYLE.read_text(encoding="utf-8"))
    page.evaluate(_SET)
    smallest = page.evaluate(_PREPARE)
    cut = page.evaluate(_CUT)
    if cut or smallest < SMALLEST:
        what = "; ".join(cut[:5]) or f"something would be shrunk to {smallest:.0%} of its size"
        raise ChapterError(f"{address} does not fit the sheet: {what}")
    return page


def _printed(page: Page, folder: Path, first: int, headings: list[Heading]) -> Printed:
    page.add_style_tag(content=f"html {{ counter-reset: page {first - 1}; }}")
    file = folder / f"{first}-{len(list(folder.iterdir()))}.pdf"
    page.pdf(path=file, prefer_css_page_size=True, print_background=True)
    return Printed(page.url, PdfReader(file), headings, first)


def write(output: Path | None = None) -> Path:
    """Print the built book to one file and return it.

    Raises ChapterError without a built book, Chromium or Playwright, or if a page does not fit.
    """
    try:  # one of the packages of the tests, which few readers install
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing = "Playwright, which prints the book, is missing: run `make test-env`"
        raise ChapterError(missing) from None
    home = unchanged.home()
    if not home.exists():
        raise ChapterError("there is no built book to print: run `make book`")
    output = output or environment.ROOT / "_build" / "book.pdf"
    executable, root = browser_file(), home.parents[1]
    names = [name for _, part in toc() for name in part]
    with tempfile.TemporaryDirectory(prefix="pdf-") as name, sync_playwright() as playwright:
        folder, first = Path(name), 1
        done: dict[str, Printed] = {}
        browser = playwright.chromium.launch(executable_path=executable, args=_FLAGS)
        for page_name in tqdm(names, desc="printing, about 5 s a page", unit="page"):
            page = shown(browser, (root / f"{page_name}.html").as_uri())
            headings = [Heading(*each) for each in page.evaluate(_HEADINGS)]
            done[page_name] = _printed(page, folder, first, headings)
            first += len(done[page_name].reader.pages)
            page.close()
        front = browser.new_page(viewport=_SHEET)  # type: ignore[arg-type]
        front.set_content(_front(done))
        cover = _printed(front, folder, 1, [])
        _together([cover, *done.values()]).write(output)
        browser.close()
    return output


# -- cover and contents ----------------------------------------------------------------------------


def config() -> dict[str, Any]:
    """Return the book's configuration."""
    return yaml.safe_load((environment.ROOT / "_config.yml").read_text(encoding="utf-8"))


def _front(done: Mapping[str, Printed]) -> str:
    about = config()
    lines = [
        f"<style>{STYLE.read_text(encoding='utf-8')}",
        "@page { @bottom-center { content: none; } }",
        "body { font: 11pt/1.5 sans-serif; } h1 { font-size: 30pt; margin-top: 70mm; }",
        "h2 { break-before: page; } h3 { margin: 1em 0 0.2em; }",
        "p.line { display: flex; margin: 0; } p.line i { flex: 1; }",
        "a { color: inherit; text-decoration: none; }</style>",
        f"<h1>{html.escape(about['title'])}</h1><p>An executable companion, version "
        f"{lib.__version__}</p><p>{html.escape(about['author'])}</p><p>Text under CC BY 4.0, code "
        "under the MIT licence.</p><p>Code that a page hides behind a figure is left out here; it "
        "is in the notebooks.</p><h2>Contents</h2>",
    ]
    for caption, names in toc():
        lines.append(f"<h3>{html.escape(caption)}</h3>")
        for name in names:
            each = done[name]
            words = f"{html.escape(each.headings[0].words)}</a><i></i>{each.first}"
            lines.append(f'<p class="line"><a href="{each.address}">{words}</p>')
    return "\n".join(lines)


# -- together --------------------------------------------------------------------------------------


def _together(parts: list[Printed]) -> PdfWriter:
    """All sheets in one file, with links, outline, page labels and a title."""
    writer = PdfWriter()
    where: dict[tuple[str, str], tuple[int, float]] = {}
    starts = []
    for part in parts:
        start = len(writer.pages)
        starts.append(start)
        where[part.address, ""] = start, _TOP
        where |= {(part.address, name): (start + n, y) for name, (n, y) in part.places().items()}
        for sheet in part.reader.pages:
            writer.add_page(sheet)
    for part, start in zip(parts, starts, strict=True):
        for number in range(start, start + len(part.reader.pages)):
            _relink(writer, writer.pages[number], part.address, where)
        chapter: Any = None
        for level, place, words in part.headings:
            number, y = where.get((part.address, place), (start, _TOP))
            above = None if level == "H1" else chapter
            item = writer.add_outline_item(
                title=words, page_number=number, parent=above, fit=Fit.xyz(top=y)
            )
            chapter = item if level == "H1" else chapter
    n_front = starts[1]
    writer.set_page_label(0, n_front - 1, style=PageLabelStyle.LOWERCASE_ROMAN)
    writer.set_page_label(n_front, len(writer.pages) - 1, style=PageLabelStyle.DECIMAL, start=1)
    about = config()
    writer.add_metadata({"/Title": about["title"], "/Author": about["author"]})
    writer.compress_identical_objects()
    return writer


def _relink(
    writer: PdfWriter,
    sheet: PageObject,
    address: str,
    where: Mapping[tuple[str, str], tuple[int, float]],
) -> None:
    """Turns links to places of the book into links to sheets; those to other files here go."""
    kept = ArrayObject()
    for entry in sheet.get("/Annots", ()):
        link = entry.get_object()
        target = _target(link, address)
        if target is not None:
            at = where.get(target) or where.get((target[0], ""))
            if at is None:
                continue
            link.pop("/A", None)
            place = [writer.pages[at[0]].indirect_reference, NameObject("/XYZ"), NullObject()]
            link[NameObject("/Dest")] = ArrayObject([*place, FloatObject(at[1]), NullObject()])
        kept.append(entry)
    if kept:
        sheet[NameObject("/Annots")] = kept
    else:
        sheet.pop("/Annots", None)


def _target(link: Mapping[str, Any], address: str) -> tuple[str, str] | None:
    """The page and the place that a link leads to; None for one into the world."""
    if "/Dest" in link:
        return address, str(link["/Dest"]).removeprefix("/")
    uri = str(link.get("/A", {}).get("/URI", ""))
    if not uri.startswith("file:"):
        return None
    page, place = urldefrag(uri)
    return page, unquote(place)

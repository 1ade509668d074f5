"""The three audits of the page on publishing: `python -m tests.audit.how_to_audits` writes them
again."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lib.audit import command
from lib.audit import page as audit_page
from tests.pages.test_browser import BROWSER

FILE = Path(__file__).parents[2] / "book" / "publish.md"
DATA = "flights-by-number"
RELEASES = ("raw", "mds-k10", "user-day-epsilon-1")
SHOWN = "mds-k10"  # the one of which readers may see the page
PROPOSED = "by-day-bounded-user-level"  # what its report proposes first
_PROPOSAL = "the report's proposal"
PAGE = FILE.parent / "static" / f"audit-{SHOWN}.html"
PICTURE = FILE.parent / "static" / "audit-report.png"  # the top of that page
_PLACE = re.compile(r"(<!-- audits: .*? -->\n)(.*?)(<!-- end of audits -->)", re.S)
_USES = re.compile(r"( *<!-- purposes: .*? -->\n)(.*?)( *<!-- end of purposes -->)", re.S)
_PURPOSES = (  # what the counts are for, the measure, its name in the document, and of zeros
    ("which zones are visited most?", "ranking of zones", "rank correlation of places", "0"),
    ("which ten zones are visited most?", "busiest 10 found", "busiest zones found", "10/107"),
    ("when is each zone busiest?", "zones with the right peak hour", "peak hour found", "1/24"),
    (
        "how many people on a day?",
        "error of totals by zone and day (median)",
        "error of totals by zone and day",
        "1.00",
    ),
)
_HEAD = (
    "| `--release` | verdict | guarantee for a person | plausible attacker: identified of all | "
    "plausible attacker: identified of the most exposed tenth | worst case: identified of all | "
    "visits published | ranking of zones | error of a count |"
)


def results() -> dict[str, dict[str, Any]]:
    """What each audit finds."""
    return {release: _run(release) for release in RELEASES}


def table(found: dict[str, dict[str, Any]]) -> str:
    """The table of what was `results`."""
    rows = [_row(f"`{release}`", each) for release, each in found.items()]
    rows.append(_row(f"{_PROPOSAL} (three attacks)", _proposal(found)))
    nothing = audit_page.format_error(found["raw"]["usefulness"]["MRE"]["nothing"])
    last = f"| *zeros everywhere* | | | | | | 0% | | {nothing} |"
    return "\n".join([_HEAD, "|" + 9 * "---|", *rows, last]) + "\n"


def purposes(found: dict[str, dict[str, Any]]) -> str:
    """The table of what each release can be used for."""
    releases = [*(f"`{release}`" for release in found), _PROPOSAL]
    head = ["purpose", "measure", *releases, "zeros everywhere"]
    useful = [each["usefulness"] for each in (*found.values(), _proposal(found))]
    rows = [
        [what, measure, *(_use(each[name]) for each in useful), zeros]
        for what, measure, name, zeros in _PURPOSES
    ]
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    lines.insert(1, "|" + len(head) * "---|")
    return "".join(f"   {line}\n" for line in lines)


def _proposal(found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What the report that is shown says about its first proposal, with the keys of an audit."""
    (entry,) = (e for e in found[SHOWN]["alternatives"] if e["release"] == PROPOSED)
    assessed = {key: entry[key] for key in ("plausible", "worst", "guarantee")}
    return entry | {"assessment": assessed, "at_risk": entry["risk"]}


def _use(measure: dict[str, Any]) -> str:
    return "–" if measure["value"] is None else audit_page.format_measure(measure)


def page(found: dict[str, dict[str, Any]]) -> str:
    """The page of the one that is shown."""
    with tempfile.TemporaryDirectory() as folder:
        command.write_report(Path(folder), found[SHOWN])
        return (Path(folder) / "audit.html").read_text(encoding="utf-8")


def take_picture() -> None:
    """Photograph the top of the page that is shown."""
    assert BROWSER is not None, "no chromium on this machine (Debian: apt-get install chromium)"
    window = ["--window-size=820,950", "--hide-scrollbars", "--force-device-scale-factor=1.5"]
    where = [f"--screenshot={PICTURE}", PAGE.as_uri()]
    command_line = [BROWSER, "--headless", "--no-sandbox", *window, *where]
    subprocess.run(command_line, check=True, capture_output=True)


def _run(release: str) -> dict[str, Any]:
    given = command.prepare(DATA, release, {}, quick=True)
    with tempfile.TemporaryDirectory() as folder:
        return command.run(given, Path(folder), processes=2)


def _size(measured: dict[str, Any]) -> str:
    return ", full size" if "full size" in measured.get("measure", "") else ""


def _row(name: str, found: dict[str, Any]) -> str:
    assessed = found["assessment"]
    all_members, risk, worst = (
        audit_page.format_measure(each | {"unit": "share"}) + _size(each)
        for each in (assessed["plausible"], found["at_risk"], assessed["worst"])
    )
    guarantee = audit_page.format_guarantee(assessed["guarantee"])
    visits, order, error = (
        found["usefulness"][measure]["value"]
        for measure in ("visits published", "rank correlation of places", "MRE")
    )
    use = f"{visits:.0%} | {order:.2f} | {audit_page.format_error(error)}"
    nothing = found["usefulness"]["MRE"]["nothing"]
    if found.get("release") == PROPOSED:  # its counts are daily, so zeros err otherwise
        use += f" (zeros: {audit_page.format_error(nothing)})"
    who = f"{all_members} | {risk} | {worst}"
    return f"| {name} | **{found['verdict']}** | {guarantee} | {who} | {use} |"


def stored_table() -> str:
    """The table on the page on publishing."""
    found = _PLACE.search(FILE.read_text(encoding="utf-8"))
    assert found is not None
    return found[2]


def stored_purposes() -> str:
    """The table of purposes on the page on publishing."""
    found = _USES.search(FILE.read_text(encoding="utf-8"))
    assert found is not None
    return found[2]


def main() -> int:
    found = results()
    text = FILE.read_text(encoding="utf-8")
    for place, new in ((_PLACE, table(found)), (_USES, purposes(found))):
        text = place.sub(lambda of, new=new: of[1] + new + of[3], text)
    FILE.write_text(text, encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")
    take_picture()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The interactive figure of the audit: knowledge, release, risk and usefulness.

`python -m lib.papers.audit.explorer` writes `book/static/audit.html`, from stored results.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from lib.papers import explorer
from lib.papers.audit import experiments, figures

FILE = Path(__file__).parents[3] / "book" / "static" / "audit.html"
DATA = "flights-by-number"
RISKS = {  # whose share is drawn, and in which releases
    "all members, releases of about 175 people": experiments.FOUND,
    "most exposed tenth, releases of about 175 people": experiments.EXPOSED,
    "all members, release of 400 people": f"{experiments.FOUND}, full size",
}
_WHOM = ["members", "members in the most exposed tenth", "members"]
_KNOWLEDGE = [name for name in figures.KNOWN if name != "her visits and the map"]
_DIGITS = 4


def points(rows: pd.DataFrame, data: str, measure: str) -> list[list[list[Any] | None]]:
    """Collect the risks that are drawn, by knowledge and release.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    data : str
        Name of the dataset.
    measure : str
        Measure of an attack or of usefulness.

    Returns
    -------
    list
        Value, low, high and the attack's name of each; None where no such attack was run.
    """
    found = experiments.by_knowledge(rows[rows["data"] == data], measure)
    at = {(row["knowledge"], row["release"]): row for row in found.to_dict("records")}
    return [
        [_point(at.get((knows, release))) for release in experiments.RELEASES]
        for knows in _KNOWLEDGE
    ]


def _point(row: Mapping[Hashable, Any] | None) -> list[Any] | None:
    if row is None:
        return None
    ends = [round(float(row[name]), _DIGITS) for name in ("value", "low", "high")]
    return [*ends, figures.NAMES[str(row["attack"])]]


def useful(rows: pd.DataFrame, data: str, measure: str) -> list[float]:
    """Collect a measure of each release's usefulness, to three significant digits.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.audit_releases`.
    data : str
        Name of the dataset.
    measure : str
        Measure of an attack or of usefulness.

    Returns
    -------
    list of float
        One number a release.
    """
    use = rows[(rows["data"] == data) & (rows["measure"] == measure)].set_index("release")["value"]
    return [float(f"{use[release]:.3g}") for release in experiments.RELEASES]


def page() -> str:
    """Build the figure with all its numbers.

    Returns
    -------
    str
        HTML.
    """
    rows = experiments.audit_releases.stored(DATA)
    inks = [figures.KINDS[figures.release_kind(each)][0] for each in experiments.RELEASES]
    named = [figures.RELEASES[each] for each in experiments.RELEASES]
    given = {
        "points": [points(rows, DATA, measure) for measure in RISKS.values()],
        "order": useful(rows, DATA, experiments.ORDER),
        "errors": useful(rows, DATA, "MRE"),
        "colors": ["currentColor" if ink == "#000000" else ink for ink in inks],
        "releases": named,
        "whom": _WHOM,
    }
    controls = {
        "identified of": list(RISKS),
        "the attacker knows": [figures.KNOWN[name] for name in _KNOWLEDGE],
        "release": named,
    }
    knows, release = _KNOWLEDGE.index("other people"), experiments.RELEASES.index("mds-k10")
    start = [len(RISKS) - 1, knows, release]
    title = "Share of members identified against the rank correlation of places"
    return explorer.page(controls, start, title, _NOTE, given, _SCRIPT)


_NOTE = """500 flight numbers; stored results. Vertical: share of members identified
at a false positive rate of 1% (dotted: chance level), by the best attack with that knowledge.
Across: rank correlation of places by published and by true visits, in a release of all 500. Bars:
the audit's intervals, which all hold together at 95%. At full size, in the release of 400 people,
Fourier perturbation was not run, nor were the attacks with past releases or everybody's traces."""

_SCRIPT = """\
  const top = 14, bottom = 280, least = -.25;
  const x = order => left + (right - left - 12) * (order - least) / (1 - least);
  const y = share => bottom - (bottom - top) * share;
  const show = () => {
    const [risk, knows, release] = controls.map(c => Number(c.value));
    const points = given.points[risk][knows], order = given.order;
    for (const share of [0, .25, .5, .75, 1]) grid(y(share), Math.round(100 * share) + "%");
    for (const kept of [-.2, 0, .2, .4, .6, .8, 1]) under(x(kept), bottom + 18, kept);
    under((left + right) / 2, bottom + 40, "rank correlation of places");
    draw("line", {x1: left, x2: right, y1: y(.01), y2: y(.01), stroke: "currentColor",
                  "stroke-dasharray": "2 3"});
    const last = points.map((_, i) => i).filter(i => i !== release).concat(release)
      .filter(i => points[i]);
    for (const i of last) {
      const ink = {stroke: given.colors[i], fill: given.colors[i]}, here = x(order[i]);
      draw("line", {x1: here, x2: here, y1: y(points[i][1]), y2: y(points[i][2]), ...ink,
                    "stroke-width": 2, "stroke-opacity": i === release ? 1 : .4});
      draw("circle", {cx: here, cy: y(points[i][0]), r: i === release ? 9 : 5, ...ink,
                      "fill-opacity": i === release ? 1 : .6});
    }
    const hundred = v => Math.round(100 * v), name = given.releases[release];
    if (!points[release]) output.append(name + ": no attack with this knowledge was run. ");
    else {
      const [share, low, high, attack] = points[release];
      output.append(name + ": " + hundred(share) + " [" + hundred(low) + ", " + hundred(high)
        + "] of 100 " + given.whom[risk] + " are identified (" + attack + "). ");
    }
    output.append("The mean relative error "
      + "of a count, empty ones included, is " + given.errors[release] + "; the rank "
      + "correlation of places is " + given.order[release] + ".");
  };
"""


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8", newline="\n")

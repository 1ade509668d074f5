"""The interactive figure of threshold attacks: cells, epsilon, noise and four rules.

`python -m lib.papers.threshold_attacks.explorer` writes `book/static/thresholds.html`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lib.papers import explorer
from lib.papers.threshold_attacks import experiments
from lib.papers.threshold_attacks.figures import EXACT

FILE = Path(__file__).parents[3] / "book" / "static" / "thresholds.html"
CELLS = (1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 140)
EPSILONS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.95)  # the textbook's Gaussian: below 1
_DIGITS = 5  # shown with three: 0.97248 is 0.972


def accuracies(epsilon: float, cells: Sequence[int] = CELLS) -> dict[str, dict[str, list[float]]]:
    """Compute the best accuracy of the informed attacker by each rule, and of any attacker; exact.

    Parameters
    ----------
    epsilon : float
        Privacy budget of a cell.
    cells : sequence of int
        Numbers of the target's cells.

    Returns
    -------
    dict of str to dict of str to list of float
        Name of the noise to name of the rule to an accuracy for each number of cells.
    """
    rows = experiments.exact(["analytic"], cells=cells, epsilon=epsilon)
    return {
        noise: {
            name: rows[rows["noise"] == noise][column].round(_DIGITS).tolist()
            for name, column in EXACT.items()
        }
        for noise in experiments.NOISES
    }


def page(epsilons: Sequence[float] = EPSILONS, cells: Sequence[int] = CELLS) -> str:
    """Build the figure with all its numbers.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy budgets of a cell.
    cells : sequence of int
        Numbers of the target's cells.

    Returns
    -------
    str
        HTML.
    """
    given = {
        "cells": list(cells),
        "lines": explorer.line_styles({name: name for name in EXACT}),
        "grid": [list(accuracies(epsilon, cells).values()) for epsilon in epsilons],
    }
    controls = {
        "noise": list(experiments.NOISES),
        "positive cells n =": [str(n) for n in cells],
        "budget of one count, ε =": [f"{epsilon:g}" for epsilon in epsilons],
    }
    start = [
        0,
        len(cells) // 2 if 60 not in cells else list(cells).index(60),
        list(epsilons).index(0.5) if 0.5 in epsilons else 0,
    ]
    return explorer.page(
        controls, start, "Accuracy of four rules against positive cells", _NOTE, given, _SCRIPT
    )


_NOTE = """The best accuracy of the informed attacker with each rule, computed exactly, and the
bound that the guarantee implies; 0.5 is guessing. Gaussian noise has the textbook's &sigma; and
&delta; = 1/3998."""

_SCRIPT = """\
  const show = () => {
    const [noise, n, epsilon] = controls.map(c => Number(c.value));
    const rows = given.grid[epsilon][noise], top = 14, bottom = 280;
    const most = given.cells[given.cells.length - 1];
    const x = cells => left + (right - left) * cells / most;
    const y = share => bottom - (bottom - top) * (share - .5) / .5;
    for (const share of [.5, .6, .7, .8, .9, 1]) grid(y(share), share.toFixed(1));
    for (let cells = 0; cells <= most; cells += 20) under(x(cells), bottom + 18, cells);
    under((left + right) / 2, bottom + 40, "positive cells");
    const here = x(given.cells[n]);
    draw("line", {x1: here, x2: here, y1: top, y2: bottom, stroke: "currentColor",
                  "stroke-dasharray": "2 3"});
    output.append("Accuracy: ");
    const names = Object.keys(rows);
    names.forEach((name, i) => {
      const look = given.lines[name];
      line(rows[name].map((share, j) => [x(given.cells[j]), y(share)]), look);
      draw("circle", {cx: here, cy: y(rows[name][n]), r: 4.5, fill: look.color});
      value(look, rows[name][n].toFixed(3) + (i < names.length - 1 ? ", " : "."));
    });
  };
"""


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8", newline="\n")

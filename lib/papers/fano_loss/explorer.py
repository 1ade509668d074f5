"""The interactive figure of Fano loss: bounds and attacks by places, steps and wrong steps.

`python -m lib.papers.fano_loss.explorer` writes `book/static/fano.html`: numbers, drawing and
script in one page, which requests nothing else. In print, the chapter's figures replace it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lib import reconstruction as rec
from lib.papers import explorer
from lib.papers.fano_loss.experiments import sample_sensors

FILE = Path(__file__).parents[3] / "book" / "static" / "fano.html"
MAPS, STEPS = (10, 20, 50, 100, 200), (2, 4, 6, 8, 10, 12)
TAU, N_SEQUENCES, SEED = 0.1, 20, 2024
LINES = {
    "loose": "loose bound",
    "tight": "tight bound",
    "moments": "moment bound",
    "MAP": "MAP",
    "prior": "maximum a priori",
}
_DASHES = {"loose": "", "tight": "7 4", "moments": "9 3 2 3 2 3", "MAP": "8 3 2 3", "prior": "2 3"}
_DIGITS = 4  # of a logarithm to the base 10


def values(m: int, n_epochs: int, n_sequences: int = N_SEQUENCES) -> dict[str, np.ndarray]:
    """Compute each bound and the success of each attack by the number s of wrong steps.

    Parameters
    ----------
    m : int
        Number of places.
    n_epochs : int
        Number of steps.
    n_sequences : int
        Number of sequences of sensors.

    Returns
    -------
    dict of str to numpy.ndarray of shape (n_sequences, n_epochs)
        Name of the line to its values for s = 0 to n_epochs - 1; one row for the prior.
    """
    chain, rows = rec.distance_chain(m, TAU), sample_sensors(SEED, m, n_epochs, n_sequences)
    each = range(n_epochs)
    return {
        "loose": np.stack([rec.loose_bound(chain, rows, s) for s in each], axis=1),
        "tight": np.stack([rec.tight_bound(chain, rows, s) for s in each], axis=1),
        "moments": np.stack([rec.moment_bounds(chain, row) for row in rows]),
        "MAP": np.array([[rec.exact_loss(chain, row, s) for s in each] for row in rows]),
        "prior": np.array([[rec.exact_loss(chain, rows[0], s, "prior") for s in each]]),
    }


def logarithms(found: dict[str, np.ndarray]) -> dict[str, list[float]]:
    """Average over sequences and take logarithms to the base 10.

    Parameters
    ----------
    found : dict of str to numpy.ndarray
        As `values` returns it.

    Returns
    -------
    dict of str to list of float
        Name of the line to a value for each s.
    """
    return {
        name: np.round(np.log10(rows.mean(axis=0)), _DIGITS).tolist()
        for name, rows in found.items()
    }


def page(maps: Sequence[int] = MAPS, steps: Sequence[int] = STEPS) -> str:
    """Build the figure with all its numbers.

    Parameters
    ----------
    maps : sequence of int
        Numbers of places.
    steps : sequence of int
        Numbers of steps.

    Returns
    -------
    str
        HTML.
    """
    grid, worst = {}, 0.0
    for m in maps:
        for n_epochs in steps:
            found = values(m, n_epochs)
            grid[f"{m},{n_epochs}"] = logarithms(found)
            several = np.stack([rows for rows in found.values() if len(rows) > 1])
            error = several.std(axis=1, ddof=1) / several.shape[1] ** 0.5
            worst = max(worst, float((error / several.mean(axis=1)).max()))
    given = {
        "maps": list(maps),
        "steps": list(steps),
        "lines": explorer.line_styles(LINES, _DASHES),
        "grid": grid,
    }
    controls = {
        "places M =": [str(m) for m in maps],
        "steps T =": [str(n) for n in steps],
        "wrong steps s =": [str(s) for s in range(max(max(steps), 3))],
    }
    start = [
        list(maps).index(100) if 100 in maps else 0,
        list(steps).index(10) if 10 in steps else 0,
        5,
    ]
    note = _NOTE.format(n=N_SEQUENCES, error=f"{np.ceil(100 * worst):.0f}%")
    label = "Bounds and attacks by right steps asked for"
    return explorer.page(controls, start, label, note, given, _SCRIPT)


_NOTE = """Simulated person, &tau; = 0.1, exact counts; means over {n} sequences of sensors, with
standard errors of at most {error} of their value. Logarithmic axis."""

_SCRIPT = """\
  const top = 14, bottom = 280;
  const power = x => x > -3 ? (10 ** x).toPrecision(2)
    : (10 ** (x - Math.floor(x))).toFixed(1) + "e" + Math.floor(x);
  const show = () => {
    const M = given.maps[controls[0].value], T = given.steps[controls[1].value];
    controls[2].max = T - 1;
    const S = Number(controls[2].value), rows = given.grid[M + "," + T];
    const low = Math.min(-1, Math.floor(Math.min(...Object.values(rows).flat())));
    const x = k => left + (right - left) * (T > 1 ? (k - 1) / (T - 1) : 0);
    const y = v => top + (bottom - top) * v / low;
    const every = Math.ceil(-low / 6);
    for (let v = 0; v >= low; v -= every) grid(y(v), v ? "1e" + v : "1");
    for (let k = 1; k <= T; k++) under(x(k), bottom + 18, k);
    under((left + right) / 2, bottom + 40, "right steps asked for, T - s");
    draw("line", {x1: x(T - S), x2: x(T - S), y1: top, y2: bottom, stroke: "currentColor",
                  "stroke-dasharray": "2 3"});
    output.textContent = (T - S) + " of " + T + " steps right: ";
    for (const [name, look] of Object.entries(given.lines)) {
      line(rows[name].map((v, i) => [x(T - i), y(v)]), look);
      draw("circle", {cx: x(T - S), cy: y(rows[name][S]), r: 4.5, fill: look.color});
      value(look, power(rows[name][S]) + (name === "prior" ? "." : ", "));
    }
  };
"""


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8", newline="\n")

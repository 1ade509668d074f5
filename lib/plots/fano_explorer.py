"""The figure of Fano loss that readers move: bounds and attacks by places, steps and wrong steps.

`python -m lib.plots.fano_explorer` writes `book/static/fano.html`: numbers, drawing and script in
the page itself, which asks nobody else. The chapter's own figures stand for it in print.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lib import plots
from lib import reconstruction as rec
from lib.studies.fano import drawn_sensors

FILE = Path(__file__).parents[2] / "book" / "static" / "fano.html"
MAPS, STEPS = (10, 20, 50, 100, 200), (2, 4, 6, 8, 10, 12)
TAU, N_SEQUENCES, SEED = 0.1, 20, 2024
LINES = {"loose": "loose bound", "tight": "tight bound", "moments": "moment bound", "MAP": "MAP",
         "prior": "prior"}  # fmt: skip
_DASHES = {"loose": "", "tight": "7 4", "moments": "9 3 2 3 2 3", "MAP": "8 3 2 3", "prior": "2 3"}
_DIGITS = 4  # of a logarithm to the base 10


def values(m: int, n_epochs: int, n_sequences: int = N_SEQUENCES) -> dict[str, np.ndarray]:
    """Each line for s = 0..n_epochs - 1: one a sequence of sensors, (n_sequences, n_epochs)."""
    chain, rows = rec.distance_chain(m, TAU), drawn_sensors(SEED, m, n_epochs, n_sequences)
    each = range(n_epochs)
    return {
        "loose": np.stack([rec.loose_bound(chain, rows, s) for s in each], axis=1),
        "tight": np.stack([rec.tight_bound(chain, rows, s) for s in each], axis=1),
        "moments": np.stack([rec.moment_bounds(chain, row) for row in rows]),
        "MAP": np.array([[rec.exact_loss(chain, row, s) for s in each] for row in rows]),
        "prior": np.array([[rec.exact_loss(chain, rows[0], s, "prior") for s in each]]),
    }


def logarithms(found: dict[str, np.ndarray]) -> dict[str, list[float]]:
    """Logarithms to the base 10 of means over sequences, by s."""
    return {
        name: np.round(np.log10(rows.mean(axis=0)), _DIGITS).tolist()
        for name, rows in found.items()
    }


def page(maps: Sequence[int] = MAPS, steps: Sequence[int] = STEPS) -> str:
    """The figure (HTML) with all its numbers."""
    grid, worst = {}, 0.0
    for m in maps:
        for n_epochs in steps:
            found = values(m, n_epochs)
            grid[f"{m},{n_epochs}"] = logarithms(found)
            several = np.stack([rows for rows in found.values() if len(rows) > 1])
            error = several.std(axis=1, ddof=1) / several.shape[1] ** 0.5
            worst = max(worst, float((error / several.mean(axis=1)).max()))
    looks = {name: {"label": label, "color": plots.color(name), "dash": _DASHES[name]}
             for name, label in LINES.items()}  # fmt: skip
    given = {"maps": list(maps), "steps": list(steps), "lines": looks, "grid": grid}
    text = _PAGE.replace("@GIVEN@", json.dumps(given, separators=(",", ":")))
    return text.replace("@ERROR@", f"{np.ceil(100 * worst):.0f}%").replace("@N@", str(N_SEQUENCES))


_PAGE = """\
<div class="fano-explorer" hidden>
<style>
.fano-explorer{border:1px solid currentColor;border-radius:6px;padding:.8rem;margin:1rem 0}
.fano-explorer label{display:flex;gap:.6rem;align-items:center;min-height:32px}
.fano-explorer label span{min-width:9.5rem}
.fano-explorer input{flex:1;min-width:6rem}
.fano-explorer svg{width:100%;height:auto}
.fano-explorer svg text{fill:currentColor;font-size:13px}
.fano-explorer small{display:block}
@media (max-width:500px){.fano-explorer svg text{font-size:19px}}
@media print{.fano-explorer{display:none}}
</style>
<label><span>places M = <b></b></span><input type="range" min="0" step="1"></label>
<label><span>steps T = <b></b></span><input type="range" min="0" step="1"></label>
<label><span>wrong steps s = <b></b></span><input type="range" min="0" step="1"></label>
<svg viewBox="0 0 560 330" role="img"
 aria-label="Bounds and attacks by right steps asked for"></svg>
<p aria-live="polite"></p>
<small>Simulated person, &tau; = 0.1, exact counts; means over @N@ sequences of sensors, with
standard errors of at most @ERROR@ of their value. Logarithmic axis.</small>
<script>
(() => {
  const given = @GIVEN@;
  const box = document.currentScript.parentElement, svg = box.querySelector("svg");
  const [m, n, s] = box.querySelectorAll("input"), told = box.querySelector("p");
  const left = 66, right = 550, top = 14, bottom = 280;
  const draw = (kind, at, inside) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(at)) e.setAttribute(name, value);
    if (inside !== undefined) e.textContent = inside;
    svg.append(e);
  };
  const power = x => x > -3 ? (10 ** x).toPrecision(2)
    : (10 ** (x - Math.floor(x))).toFixed(1) + "e" + Math.floor(x);
  const show = () => {
    const M = given.maps[m.value], T = given.steps[n.value];
    s.max = T - 1;
    const S = Number(s.value), rows = given.grid[M + "," + T];
    [M, T, S].forEach((x, i) => { box.querySelectorAll("b")[i].textContent = x; });
    const low = Math.min(-1, Math.floor(Math.min(...Object.values(rows).flat())));
    const x = k => left + (right - left) * (T > 1 ? (k - 1) / (T - 1) : 0);
    const y = v => top + (bottom - top) * v / low;
    svg.replaceChildren();
    const every = Math.ceil(-low / 6);
    for (let v = 0; v >= low; v -= every) {
      draw("line", {x1: left, x2: right, y1: y(v), y2: y(v), stroke: "currentColor",
                    "stroke-opacity": .2});
      draw("text", {x: left - 6, y: y(v) + 4, "text-anchor": "end"}, v ? "1e" + v : "1");
    }
    for (let k = 1; k <= T; k++)
      draw("text", {x: x(k), y: bottom + 18, "text-anchor": "middle"}, k);
    draw("text", {x: (left + right) / 2, y: bottom + 40, "text-anchor": "middle"},
         "right steps asked for, T - s");
    draw("line", {x1: x(T - S), x2: x(T - S), y1: top, y2: bottom, stroke: "currentColor",
                  "stroke-dasharray": "2 3"});
    told.textContent = (T - S) + " of " + T + " steps right: ";
    for (const [name, look] of Object.entries(given.lines)) {
      const points = rows[name].map((v, i) => x(T - i) + "," + y(v)).join(" ");
      draw("polyline", {points, fill: "none", stroke: look.color, "stroke-width": 2.5,
                        "stroke-dasharray": look.dash});
      draw("circle", {cx: x(T - S), cy: y(rows[name][S]), r: 4.5, fill: look.color});
      const word = document.createElement("span");
      word.textContent = look.label;
      word.style.borderBottom = "3px solid " + look.color;
      const value = power(rows[name][S]).replace("-", "\u2011");
      told.append(word, " " + value + (name === "prior" ? "." : ", "));
    }
  };
  m.max = given.maps.length - 1; m.value = given.maps.indexOf(100);
  n.max = given.steps.length - 1; n.value = given.steps.indexOf(10);
  s.max = 9; s.value = 5;
  for (const each of [m, n, s]) each.addEventListener("input", show);
  box.hidden = false;
  show();
})();
</script>
</div>
"""


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8", newline="\n")

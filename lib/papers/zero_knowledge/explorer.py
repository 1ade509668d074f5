"""The interactive figure of zero auxiliary knowledge: k, epsilon and the marginals.

`python -m lib.papers.zero_knowledge.explorer` writes `book/static/marginals.html`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from lib.aggregation import aggregate
from lib.datasets import load
from lib.papers import explorer
from lib.papers.zero_knowledge import experiments

FILE = Path(__file__).parents[3] / "book" / "static" / "marginals.html"
TOWN, SEED, SIZE = "tweeters-zk", 2024, 1000
THRESHOLDS, EPSILONS = (0, 1, 2, 3, 4, 5), (None, 10.0, 5.0, 2.0, 1.0, 0.5, 0.2, 0.1)
PLACES, HOURS = 40, 48  # drawn: the most visited places, the first two days
_DIGITS = 5
_TAIL = 40  # noise scales beyond which less than 1e-16 lies


def mean_release(counts: np.ndarray, epsilon: float | None, k: int) -> np.ndarray:
    """Compute the exact expectation of each released count.

    Counts get Laplace noise for a visit, are clipped at 0 and rounded down; then counts up to `k`
    become 0. Clipping at the group size is ignored.

    Parameters
    ----------
    counts : numpy.ndarray of int
        Raw counts.
    epsilon : float or None
        Budget of the Laplace noise for a visit; None for no noise.
    k : int
        Largest suppressed count.

    Returns
    -------
    numpy.ndarray of float
        Expected counts, in the shape of `counts`.
    """
    if epsilon is None:
        return np.where(counts > k, counts, 0).astype(float)
    values, where = np.unique(counts, return_inverse=True)
    at = np.arange(k + 1, int(values.max() + _TAIL / epsilon) + 2)
    chance = stats.laplace(scale=1 / epsilon).sf(at - values[:, None])  # P(released count >= at)
    return (chance.sum(axis=1) + k * chance[:, 0])[where.reshape(counts.shape)]


def marginals(counts: np.ndarray, epsilon: float | None, k: int) -> dict[str, Any]:
    """Compute the exact marginals of the expected release.

    Parameters
    ----------
    counts : numpy.ndarray of int, shape (n_rois, n_epochs)
        Raw counts.
    epsilon : float or None
        Budget of the Laplace noise for a visit; None for no noise.
    k : int
        Largest suppressed count.

    Returns
    -------
    dict
        "space" and "time": shares by place and by hour, empty if nothing is released; "visits":
        visits per user.
    """
    mean = mean_release(counts, epsilon, k)
    total = float(mean.sum())
    shares = [mean.sum(axis=1) / total, mean.sum(axis=0) / total] if total else [[], []]
    return {"space": shares[0], "time": shares[1], "visits": total / SIZE}


def page(
    thresholds: Sequence[int] = THRESHOLDS, epsilons: Sequence[float | None] = EPSILONS
) -> str:
    """Build the figure with all its numbers.

    Parameters
    ----------
    thresholds : sequence of int
        Largest suppressed counts.
    epsilons : sequence of float or None
        Privacy budgets; None for no noise.

    Returns
    -------
    str
        HTML.
    """
    town = load(TOWN)
    space, time = experiments.true_marginals(town)
    (counts,) = aggregate(town, experiments.draw_group(town, SEED, SIZE))
    order = np.argsort(-space, kind="stable")[:PLACES]
    grid = []
    for k in thresholds:
        for epsilon in epsilons:
            found = marginals(counts, epsilon, k)
            row: dict[str, Any] = {"visits": round(found["visits"], 1), "space": [], "time": []}
            if len(found["space"]):
                row["space"] = np.round(found["space"][order], _DIGITS).tolist()
                row["time"] = np.round(found["time"][:HOURS], _DIGITS).tolist()
                row["moved"] = [
                    round(experiments.distance(found[which], true), 3)
                    for which, true in (("space", space), ("time", time))
                ]
            grid.append(row)
    given = {
        "n": len(epsilons),
        "visits": round(float(town.visits().mean()), 1),
        "space": np.round(space[order], _DIGITS).tolist(),
        "time": np.round(time[:HOURS], _DIGITS).tolist(),
        "grid": grid,
    }
    controls = {
        "suppression k =": [f"{k}" if k else "0 (none)" for k in thresholds],
        "event-level noise, ε =": ["none" if e is None else f"{e:g}" for e in epsilons],
    }
    label = "Shares of visits by place and by hour: everybody's, and as read from a release"
    return explorer.page(
        controls, [min(1, len(thresholds) - 1), 0], label, _NOTE, given, _SCRIPT, 430
    )


_NOTE = """A thousand surrogate tweeters in one week; noise is added first, then counts are
suppressed. The curves show the average effect of the noise, computed exactly; a single release
varies around them, as in the figure above. Above: the 40 most visited places; below: the first two
days. The vertical axes change with the settings."""

_SCRIPT = """\
  const everybody = {label: "everybody", color: "currentColor", dash: ""};
  const released = {label: "as released", color: "#D55E00", dash: "7 4"};
  const panel = (top, bottom, true_, found, title, xlabel) => {
    const most = Math.max(...true_, ...found), step = [.005, .01, .02, .05, .1, .2, .5].find(
      s => most / s <= 5);
    const y = share => bottom - (bottom - top) * share / most;
    const x = i => left + (right - left) * i / (true_.length - 1);
    for (let i = 0; i * step <= most; i++) grid(y(i * step), Number((i * step).toFixed(3)));
    const every = true_.length > 40 ? 6 : 10;
    for (let i = 0; i < true_.length; i += every) under(x(i), bottom + 18, i);
    under((left + right) / 2, bottom + 38, xlabel);
    draw("text", {x: left, y: top - 8, "font-weight": "bold"}, title);
    line(true_.map((share, i) => [x(i), y(share)]), everybody);
    if (found.length) line(found.map((share, i) => [x(i), y(share)]), released);
  };
  const show = () => {
    const [k, epsilon] = controls.map(c => Number(c.value));
    const row = given.grid[k * given.n + epsilon];
    panel(24, 170, given.space, row.space, "where: share of visits",
          "places, most visited first");
    panel(244, 386, given.time, row.time, "when: share of visits", "hour of the first two days");
    value(everybody, given.visits.toFixed(1) + " visits per user; ");
    value(released, row.visits.toFixed(1) + ". ");
    output.append(row.moved
      ? "Share of visits to move to turn one into the other: " + (100 * row.moved[0]).toFixed(0)
        + "% between places, " + (100 * row.moved[1]).toFixed(0) + "% between hours."
      : "No visit is left.");
  };
"""


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8", newline="\n")

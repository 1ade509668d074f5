"""Figures and tables of Fano loss: the success of guessed paths, its bounds, people's habits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from scipy import special, stats

from lib import metrics
from lib.papers import figures, summaries
from lib.papers.fano_loss.experiments import _random_case
from lib.papers.figures import COLORS
from lib.reconstruction.chain import MarkovChain

WORDS = {
    "loose": "loose bound",
    "tight": "tight bound",
    "moments": "moment bound",
    "counting": "counting bound",
    "absent": "hypothesis test, absent",
    "halfway": "hypothesis test, halfway",
    "marginal": "posterior modes",
    "prior": "maximum a priori",
}
CUTS = ("gowalla", "foursquare")  # a part of each service only
DATASETS = {"gowalla": "Gowalla", "foursquare": "Foursquare", "flights-by-tail": "flights"}
CHAINS = {False: "irreducible and aperiodic", True: "all others"}  # by "mixed"
SUCCESS = "success, or bound on it"  # of an axis
THIN = {"color": "black", "linestyle": "-", "linewidth": 1.0, "marker": ""}  # the counting bound
FAINTEST = 1e-30  # the lower end of a logarithmic axis, where an interval reaches 0


def line_style(name: str) -> dict[str, Any]:
    """Return the style of an attack or a bound, with the word that the chapters use for it.

    Parameters
    ----------
    name : str
        Name or word of the attack or bound.

    Returns
    -------
    dict
        Options of matplotlib.
    """
    known = {word: each for each, word in WORDS.items()}
    own = known.get(name, name)
    drawn = THIN if own == "counting" else figures.line_style(own)
    return drawn | {"label": WORDS.get(name, name)}


def titled(name: str) -> str:
    """Return a dataset's name in titles; a part of the paper's data is marked as one.

    Parameters
    ----------
    name : str
        Name of the dataset.

    Returns
    -------
    str
        The name.
    """
    word = DATASETS.get(name, figures.label(name))
    return f"{word} (part of the data)" if name in CUTS else word


# -- by hand ---------------------------------------------------------------------------------------


def moves(chain: MarkovChain, places: Sequence[str]) -> pd.DataFrame:
    """Describe a Markov chain in words.

    Parameters
    ----------
    chain : lib.reconstruction.chain.MarkovChain
        The chain.
    places : sequence of str
        Names of the places.

    Returns
    -------
    pandas.DataFrame
        A row for each place: the initial probability, and the transitions.
    """
    rows = {}
    for x in map(int, chain.support):
        onward = [
            f"{places[y]} {chain.transition[x, y]:.2g}"
            for y in map(int, np.flatnonzero(chain.transition[x]))
        ]
        rows[places[x]] = {"is there": chain.initial[x], "goes on to": ", ".join(onward)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("from")


def show_bit(p: np.ndarray, h: np.ndarray, marked: Mapping[str, float]) -> None:
    """Draw the binary entropy, and mark the probability of some people to be at the sensor.

    Parameters
    ----------
    p, h : numpy.ndarray
        Probabilities and their binary entropy, in nats.
    marked : mapping of str to float
        Name of the person to the probability.

    Returns
    -------
    None
    """
    ax = plt.subplots(figsize=(6, 3.2))[1]
    ax.plot(p, h, color="black", marker="", linestyle="-")
    for (name, x), color, shape in zip(marked.items(), COLORS, figures.MARKERS, strict=False):
        height = float(special.entr(x) + special.entr(1 - x))
        ax.plot([x], [height], marker=shape, color=color, linestyle="")
        side, offset = "center", (0, -22)  # below the top of the arch, or inside its flanks
        if abs(x - 0.5) > 0.2:
            side, offset = ("left", (12, -6)) if x < 0.5 else ("right", (-12, -6))
        ax.annotate(name, (x, height), offset, textcoords="offset points", ha=side)
    ax.set(
        xlabel="p, the probability that the person is at the sensor",
        ylabel="h(p), nats",
        ylim=(0, 0.76),
    )
    plt.show()


def _show_node(ax: Axes, step: int, place: int, value: float, thick: bool) -> None:
    """One step and place of a trellis, with its f; grey where no path is possible."""
    ax.text(
        step,
        place,
        f"{value:.3f}" if value > 0 else "0",
        ha="center",
        va="center",
        fontsize=9,
        color="black" if value > 0 else "0.6",
        fontweight="bold" if thick else "normal",
        bbox={
            "boxstyle": "round,pad=0.35",
            "facecolor": "white",
            "edgecolor": "black" if value > 0 else "0.8",
            "linewidth": 2 if thick else 1,
        },
    )


def show_trellis(f: pd.DataFrame, transition: np.ndarray, path: Sequence[int]) -> None:
    """Draw the Viterbi algorithm: f of each step and place, and the remembered places as arrows.

    Parameters
    ----------
    f : pandas.DataFrame
        A row for each step, a column for each place: the largest probability of a path that ends
        there and agrees with the counts.
    transition : numpy.ndarray, shape (n_places, n_places)
        Transition probabilities.
    path : sequence of int
        Positions of the places of the path that the algorithm returns; it is drawn thick.

    Returns
    -------
    None
    """
    ax = plt.subplots(figsize=(6, 3.6))[1]
    chosen = set(zip(range(len(path)), map(int, path), strict=True))
    values = f.to_numpy()
    for (step, place), value in np.ndenumerate(values):
        thick = (step, place) in chosen
        _show_node(ax, step, place, value, thick)
        if step == 0 or value == 0:
            continue
        reach = values[step - 1] * transition[:, place]
        before = np.flatnonzero(np.isclose(reach, reach.max()))  # more than one: a tie
        for origin in map(int, before):
            on_path = thick and (step - 1, origin) in chosen
            ax.annotate(
                "",
                (step - 0.2, place),
                (step - 0.8, origin),
                arrowprops={
                    "arrowstyle": "-|>",
                    "color": figures.color("MAP") if on_path else "0.4",
                    "linewidth": 2.5 if on_path else 1.2,
                    "linestyle": "--" if len(before) > 1 else "-",
                },
            )
    ax.set(xlim=(-0.4, len(f) - 0.6), ylim=(f.shape[1] - 0.5, -0.5))
    ax.set_xticks(range(len(f)), [f"hour {hour}" for hour in f.index])
    ax.set_yticks(range(f.shape[1]), list(f.columns))
    ax.grid(False)
    plt.show()


def show_both_sides(
    p_e: np.ndarray, right: Mapping[int, np.ndarray], left: float, true: float
) -> None:
    """Draw both sides of Fano's inequality, their crossings, and the best attacker's p_e.

    Parameters
    ----------
    p_e : numpy.ndarray
        Probabilities of failure.
    right : mapping of int to numpy.ndarray
        The right side at `p_e`, in nats, by the number n of paths that are counted; the largest n
        first.
    left : float
        The left side, in nats.
    true : float
        Probability of failure of the best attacker.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6, 4.3))
    top = max(float(each.max()) for each in right.values())
    thin: dict[str, Any] = {"linewidth": 1.2, "color": "black", "linestyle": "-"}
    at: dict[str, Any] = {"textcoords": "offset points"}
    at["arrowprops"] = {"arrowstyle": "-", "color": "black", "linewidth": 0.8}
    beside = ((-28, 75), (12, -16))  # above the curves, and below the level line
    for (n, each), style, offset in zip(
        right.items(), ({"linewidth": 2.5}, thin), beside, strict=False
    ):
        words = {"label": f"right side, n = {n}: the most that a guess can leave"}
        ax.plot(p_e, each, **figures.line_style("loose", markers=False) | style | words)
        crossing = float(p_e[each >= left].min())
        ax.plot([crossing], [left], marker="o", color="black", linestyle="", zorder=5)
        ax.annotate(f"$p_e^*$ = {crossing:.3f}", (crossing, left), offset, **at)
    label = "left side: the uncertainty that the counts leave"
    ax.axhline(left, color="black", linewidth=1.5, linestyle="--", marker="", label=label)
    ax.axvspan(0, crossing, alpha=0.12, color="black", linewidth=0)
    ax.axvline(true, color=figures.color("MAP"), linestyle=":", marker="")
    text = f"best attacker\n{true:.3f}"
    ax.annotate(text, (true, 0.42 * top), (8, 0), textcoords="offset points", va="center")
    ax.set(xlabel="probability of failure $p_e$ (shaded: impossible)", ylabel="nats")
    ax.set(xlim=(0, 1), ylim=(0, top))
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=1)
    plt.show()


def show_refinements(bounds: Mapping[str, float], best: float) -> None:
    """Draw bounds on one success, a row each, and the success of the best attack as a line.

    Parameters
    ----------
    bounds : mapping of str to float
        Description of the bound to its value, in the order of the rows from the top.
    best : float
        Success of the best attack.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6, 0.6 * len(bounds) + 1.1))
    values = list(bounds.values())
    rows = range(len(values))
    ax.plot(values, rows, **line_style("loose") | {"linestyle": "", "label": "bound"})
    for row, value in zip(rows, values, strict=True):
        at: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
        ax.annotate(f"{value:.3f}", (value, row), (9, 0), **at)
    style: dict[str, Any] = {"color": figures.color("MAP"), "linestyle": ":", "marker": ""}
    ax.axvline(best, **style, label=f"best attack, {best:.3f}")
    ax.set(xlabel="probability of success", xlim=(0.5, 1.02), ylim=(len(values) - 0.5, -0.5))
    ax.set_yticks(rows, list(bounds))
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    plt.show()


def show_people(people: pd.DataFrame) -> None:
    """Draw the best success, without and with counts, and two bounds on it, a row for each person.

    Parameters
    ----------
    people : pandas.DataFrame
        Index names; columns Q, best, loose bound and tight bound.

    Returns
    -------
    None
    """
    plain = {"color": "black", "linestyle": ""}
    marks = {
        "Q": plain | {"marker": "o", "fillstyle": "none", "markersize": 13},
        "best": plain | {"marker": "*", "markersize": 9},
        "tight bound": line_style("tight") | {"linestyle": ""},
        "loose bound": line_style("loose") | {"linestyle": ""},
    }
    words = {"Q": "best without counts (Q)", "best": "best with counts"}
    figure, ax = plt.subplots(figsize=(6, 2.6))
    rows = range(len(people))
    for name, style in marks.items():
        ax.plot(people[name], rows, **style | {"label": words.get(name, name)})
    ax.set(xlabel=SUCCESS, xlim=(0, 1.03), ylim=(len(people) - 0.5, -0.5))
    ax.set_yticks(rows, list(people.index))
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper left", ncols=2)
    plt.show()


def show_stretches(n_steps: int, sightings: Sequence[int]) -> None:
    """Draw the steps of a path as boxes, the sightings dark, and the stretches between them.

    Parameters
    ----------
    n_steps : int
        Number of steps.
    sightings : sequence of int
        Steps in which the sensor sees the target, counted from 1 and in order.

    Returns
    -------
    None
    """
    ax = plt.subplots(figsize=(6, 1.9))[1]
    for step in range(1, n_steps + 1):
        seen = step in sightings
        box = {"boxstyle": "round,pad=0.45", "facecolor": "black" if seen else "white"}
        color = "white" if seen else "black"
        ax.text(step, 0, f"{step:2d}", ha="center", va="center", color=color, bbox=box)
        if seen:
            ax.text(step, 0.75, "seen", ha="center")
    edges = [0, *sightings, n_steps + 1]
    for before, after in pairwise(edges):
        if after - before > 1:
            ax.plot([before + 0.7, after - 0.7], [-0.8, -0.8], "-", color=COLORS[0], marker="|")
            ax.text((before + after) / 2, -1.5, "stretch", ha="center", color=COLORS[0])
    ax.set(xlim=(0.3, n_steps + 0.7), ylim=(-1.8, 1.3))
    ax.axis("off")
    plt.show()


def show_polynomials(parts: Sequence[tuple[str, str, str]], product: str, note: str) -> None:
    """Draw a path as sightings and stretches, the polynomial of each, and their product.

    Parameters
    ----------
    parts : sequence of (str, str, str)
        Each part of the path in order: "sighting" or "stretch", the initials of its places, and
        its polynomial as a formula without dollar signs.
    product : str
        The product of the polynomials, as a formula.
    note : str
        What is written below the product: the unit of the coefficients.

    Returns
    -------
    None
    """
    ax = plt.subplots(figsize=(6, 2.9))[1]
    centred: dict[str, Any] = {"ha": "center", "va": "center"}
    first = 1
    for word, initials, polynomial in parts:
        seen, last = word == "sighting", first + len(initials) - 1
        color = "black" if seen else COLORS[0]
        for step, place in enumerate(initials, start=first):
            box = {"boxstyle": "round,pad=0.45", "facecolor": "black" if seen else "white"}
            ax.text(step, 0, place, color="white" if seen else "black", bbox=box, **centred)
            ax.text(step, 0.85, f"step {step}", **centred)
        ax.plot([first - 0.3, last + 0.3], [-0.75] * 2, "-", color=color, marker="|")
        middle = (first + last) / 2
        ax.text(middle, -1.2, word, color=color, **centred)
        ax.text(middle, -1.95, f"${polynomial}$", color=color, **centred)
        if first > 1:
            ax.text(first - 0.5, -1.95, r"$\times$", **centred)
        first = last + 1
    ax.text(first / 2, -2.8, f"$= {product}$", **centred)
    ax.text(first / 2, -3.45, note, fontsize=10, **centred)
    ax.set(xlim=(0.4, first - 0.4), ylim=(-3.75, 1.2))
    ax.axis("off")
    plt.show()


def show_pairs(pairs: Mapping[tuple[int, int], tuple[str, int, int]], guess: str) -> None:
    """Draw the places that the recursion chooses for each pair of steps, beside a real guess.

    Parameters
    ----------
    pairs : mapping of (int, int) to (str, int, int)
        Two steps, counted from 1, to the initials of the two places that the recursion chooses,
        their contribution to the mean number of right pairs, and that of the guess, in 28ths.
    guess : str
        Initials of the guess, one for each step.

    Returns
    -------
    None
    """
    ax = plt.subplots(figsize=(6, 0.42 * len(pairs) + 1.4))[1]
    centred: dict[str, Any] = {"ha": "center", "va": "center"}
    colors = dict(zip(sorted({x for row in pairs.values() for x in row[0]}), COLORS, strict=False))
    recursion, own = len(guess) + 1.2, len(guess) + 2.5
    titles = [f"step {t + 1}" for t in range(len(guess))]
    columns = [*range(1, len(guess) + 1), recursion, own]
    for x, word in zip(columns, [*titles, "recursion", f"guess {guess}"], strict=True):
        ax.text(x, 1, word, **centred)
    ax.text(0, 1, "steps", **centred)
    ax.text((recursion + own) / 2, 1.65, "right pairs, in 28ths", **centred)
    for height, (steps, (chosen, bound, mean)) in enumerate(pairs.items()):
        ax.text(0, -height, f"{steps[0]} and {steps[1]}", **centred)
        for step, place in zip(steps, chosen, strict=True):
            box = {"boxstyle": "round,pad=0.3", "facecolor": colors[place], "linewidth": 0}
            ax.text(step, -height, place, color="white", weight="bold", bbox=box, **centred)
        ax.text(recursion, -height, str(bound), **centred)
        own_places = "".join(guess[step - 1] for step in steps)
        weight = "bold" if mean < bound else "normal"
        ax.text(own - 0.3, -height, own_places, weight=weight, **centred)
        ax.text(own + 0.35, -height, str(mean), weight=weight, **centred)
    line: dict[str, Any] = {"color": "black", "linewidth": 1, "marker": ""}
    ax.plot([recursion - 0.5, own + 0.6], [0.5 - len(pairs)] * 2, **line)
    bounds, means = (sum(each) for each in zip(*(row[1:] for row in pairs.values()), strict=True))
    for x, total in ((0, "sum"), (recursion, bounds), (own + 0.35, means)):
        ax.text(x, -len(pairs), str(total), **centred)
    ax.set(xlim=(-0.5, own + 0.8), ylim=(-len(pairs) - 0.5, 2.1))
    ax.axis("off")
    plt.show()


def show_posterior(
    posterior: np.ndarray, places: Sequence[str], path: Sequence[int], modes: Sequence[int]
) -> None:
    """Draw the posterior of each step as shades, with MAP as a line and the modes as frames.

    Parameters
    ----------
    posterior : numpy.ndarray, shape (n_steps, n_places)
        Probability of each place at each step.
    places : sequence of str
        Names of the places.
    path : sequence of int
        Positions of the places of one most probable path.
    modes : sequence of int
        Position of the most probable place of each step.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6, 3.8))
    ax.imshow(posterior.T, cmap="Blues", vmin=0, vmax=2 * posterior.max(), aspect="auto")
    for (step, place), chance in np.ndenumerate(posterior):
        if chance > 0:
            shift = 0.0  # beside the mark of the path, and not on its line
            if step and place == path[step]:
                shift = -0.22 if path[step - 1] > place else 0.22
            ax.text(
                step - 0.41,
                place + shift,
                f"{chance:.2f}",
                ha="left",
                va="center",
                fontsize=10,
                zorder=5,
                bbox={"facecolor": "white", "alpha": 0.7, "pad": 1, "linewidth": 0},
            )
    frame: dict[str, Any] = {"fill": False, "edgecolor": figures.color("marginal"), "linewidth": 3}
    for step, place in enumerate(modes):
        label = None if step else "posterior modes: the most probable place of each step"
        corner = step - 0.46, place - 0.46
        ax.add_patch(plt.Rectangle(corner, 0.92, 0.92, label=label, zorder=3, **frame))
    line = line_style("MAP") | {"label": "MAP: one of the most probable paths"}
    ax.plot(range(len(path)), np.asarray(path) - 0.12, zorder=4, **line)
    ax.set_xticks(range(len(posterior)), [f"step {t + 1}" for t in range(len(posterior))])
    ax.set_yticks(range(len(places)), list(places))
    ax.grid(False)
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper left", ncols=1)
    plt.show()


# -- the best possible success ---------------------------------------------------------------------

CHECKED = ("loose", "tight", "moments", "MAP")


def show_cases(cases: pd.DataFrame, lines: Sequence[str]) -> None:
    """Draw bounds and MAP against the best possible success, a point for each random chain.

    Parameters
    ----------
    cases : pandas.DataFrame
        A row for each chain, with `s`, `best` and a column for each line.
    lines : sequence of str
        Names of attacks and bounds, a panel each.

    Returns
    -------
    None
    """
    size = (7, 7 / len(lines) + 0.7)
    axes = plt.subplots(1, len(lines), figsize=size, sharex=True, sharey=True)[1]
    for ax, name in zip(axes, lines, strict=True):
        drawn = line_style(name) | {"linestyle": "", "alpha": 0.5, "markersize": 6}
        for whole, mark, label in ((True, "x", "s = 0"), (False, "o", "s > 0")):
            of = cases[(cases["s"] == 0) == whole]
            style = drawn | {"marker": mark, "label": label, "fillstyle": "none"}
            ax.plot(of["best"], of[_column(name)], **style)
        ax.plot([0, 1], [0, 1], color="black", linewidth=1, linestyle=":", marker="")
        ax.set(title=WORDS.get(name, name), xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
        ax.set_xlabel("best possible")
    axes[0].set_ylabel("bound, or success")
    axes[0].legend(loc="lower right")
    plt.show()


def case_table(cases: pd.DataFrame, lines: Sequence[str] = CHECKED) -> pd.DataFrame:
    """Make a table of each bound and of MAP minus the best possible success.

    Parameters
    ----------
    cases : pandas.DataFrame
        A row for each chain, with `best` and a column for each line.
    lines : sequence of str
        Names of attacks and bounds, a row each.

    Returns
    -------
    pandas.DataFrame
        Columns least, median, largest.
    """
    of = {WORDS.get(name, name): cases[_column(name)] - cases["best"] for name in lines}
    found = pd.DataFrame(of).agg(["min", "median", "max"]).T.round(9) + 0.0
    return found.set_axis(["least", "median", "largest"], axis=1).rename_axis("minus the best")


def _column(name: str) -> str:
    return "map" if name == "MAP" else name


def path_entropies(cases: pd.DataFrame, seed: int) -> pd.Series:
    """Compute H(X) of the random chains of `experiments.enumerated_chains`.

    Parameters
    ----------
    cases : pandas.DataFrame
        A row for each chain, with its number `case`.
    seed : int
        Seed with which the chains were drawn.

    Returns
    -------
    pandas.Series
        Entropies of whole trajectories in nats, indexed as `cases`.
    """
    drawn = (_random_case(int(case), seed) for case in cases["case"])
    return pd.Series([chain.entropy(len(sensors)) for chain, sensors, _ in drawn], cases.index)


# -- the simulated person --------------------------------------------------------------------------


def show_swept(
    rows: pd.DataFrame, lines: Sequence[str], xlabel: str, gap: tuple[str, str] | None = None
) -> None:
    """Draw attacks and bounds on a logarithmic axis, with 95% intervals over sequences of sensors.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.sweeps` for one swept quantity.
    lines : sequence of str
        Names of attacks and bounds.
    xlabel : str
        Label of the horizontal axis.
    gap : tuple of str, optional
        Upper and lower line whose ratio at the last value a double arrow states.

    Returns
    -------
    None
    """
    figure, ax = plt.subplots(figsize=(6, 4.4))
    for name in lines:
        found = summaries.means(rows, ["value"], name)
        found = found[found["mean"] > FAINTEST]
        sampled = rows.groupby("value")[name].nunique().max() > 1  # else there is no interval
        style = line_style(name) | ({"yerr": _spread(found), "capsize": 3} if sampled else {})
        if name == "marginal":  # around the marks of MAP, which may lie at the same place
            style |= {"markersize": 13, "markerfacecolor": "none", "zorder": 1}
        ax.errorbar(found.index, found["mean"], **style)
    ax.set(xlabel=xlabel, ylabel="probability of success", yscale="log")
    if gap:
        last = rows[rows["value"] == rows["value"].max()]
        _show_ratio(ax, last["value"].iloc[0], *(float(last[name].mean()) for name in gap))
    _legend_above(figure, ax)
    plt.show()


def _spread(found: pd.DataFrame) -> list[pd.Series]:
    """Lengths of 95% intervals below and above means, none where there is no interval.

    On a logarithmic axis an interval ends at a thousandth of its mean.
    """
    mean = found["mean"]
    low = np.maximum(found["95% low"].fillna(mean), mean / 1000)
    return [mean - low, found["95% high"].fillna(mean) - mean]


def show_map_sizes(rows: pd.DataFrame) -> None:
    """Draw two bounds and the better attack by the size of the map, and write their ratios.

    The ratio of the moment bound and the attack stands at each map, that of the tight bound and the
    attack at the largest map.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.sweeps` for the number of places.

    Returns
    -------
    None
    """
    ax = plt.subplots(figsize=(6, 4.6))[1]
    better = rows.groupby("value")[["MAP", "marginal"]].mean().idxmax(axis=1)
    is_map = rows["value"].map(better) == "MAP"
    rows = rows.assign(attack=rows["MAP"].where(is_map, rows["marginal"]))
    attack: dict[str, Any] = {"color": "black", "marker": "D", "linestyle": "-", "markersize": 5}
    styles = {"tight": line_style("tight"), "moments": line_style("moments"), "attack": attack}
    means = rows.groupby("value")[list(styles)].mean()
    for name, style in styles.items():
        found = summaries.means(rows, ["value"], name)
        ax.errorbar(found.index, found["mean"], yerr=_spread(found), capsize=3, **style)
    at: dict[str, Any] = {"textcoords": "offset points"}
    middle, last = means.index[len(means) // 2], means.index[-1]
    orange, brown = figures.color("tight"), figures.color("moments")
    for m, upper, lower in zip(means.index, means["moments"], means["attack"], strict=True):
        ratio = _times(upper / lower)
        if m == means.index[0]:  # the right side belongs to the tight bound
            ax.annotate(ratio, (m, np.sqrt(upper * lower)), (-8, 0), ha="right", color=brown, **at)
        elif m < last:
            ax.annotate(ratio, (m, upper), (6, 1), color=brown, va="bottom", **at)
        else:  # the right side belongs to the arrow
            ax.annotate(ratio, (m, lower), (0, -7), ha="center", va="top", color=brown, **at)
    point = middle, means.loc[middle, "tight"]
    ax.annotate("tight bound", point, (8, 10), color=orange, va="bottom", **at)
    point = middle, means.loc[middle, "moments"]
    ax.annotate("moment bound", point, (14, 18), color=brown, va="bottom", **at)
    words = "black: the better attack\nbrown ×: moment bound\n    divided by it"
    ax.text(0.03, 0.05, words, transform=ax.transAxes, va="bottom")
    top, bottom = means.loc[last, "tight"], means.loc[last, "attack"]
    ends = {"arrowstyle": "<->", "color": orange, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (1.15 * last, top), (1.15 * last, bottom), arrowprops=ends)
    between = np.sqrt(top * bottom)
    ax.text(1.25 * last, between, _times(top / bottom), color=orange, va="center")
    ax.set(xlabel="places M", ylabel="probability of success", yscale="log")
    _at_each(ax, list(means.index))
    ax.set(xlim=(0.6 * means.index[0], 2.4 * last), ylim=(bottom / 6, 2.5))
    plt.show()


def _times(ratio: float) -> str:
    """A ratio with one decimal below 100, else with three digits."""
    return f"× {ratio:.1f}" if ratio < 100 else f"× {float(f'{ratio:.3g}'):,.0f}"


def _show_ratio(ax: Axes, x: float, upper: float, lower: float) -> None:
    """A double arrow beside the last value of two lines, with their ratio in powers of ten."""
    beside = x + 0.35
    ends = {"arrowstyle": "<->", "color": "black", "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (beside, upper), (beside, lower), arrowprops=ends)
    words = f"{np.floor(np.log10(upper / lower)):.0f} powers\nof ten"
    middle = upper**0.7 * lower**0.3  # above the lines that fall between the two
    ax.annotate(
        words, (beside, middle), (-6, 0), textcoords="offset points", ha="right", va="center"
    )


def swept_table(rows: pd.DataFrame, lines: Sequence[str], name: str, most: int = 6) -> pd.DataFrame:
    """Make a table of means with intervals over sequences of sensors.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `experiments.sweeps` for one swept quantity.
    lines : sequence of str
        Names of attacks and bounds.
    name : str
        Title of the swept quantity.
    most : int
        Largest number of swept values to show.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each value, a column for each line.
    """
    values = sorted(rows["value"].unique())
    if len(values) > most:
        values = [values[i] for i in np.linspace(0, len(values) - 1, most).round().astype(int)]
    chosen = rows[rows["value"].isin(values)].sort_values("value", kind="stable")
    found = {
        WORDS.get(line, line): _in_powers(summaries.means(chosen, ["value"], line))
        for line in lines
    }
    return pd.DataFrame(found).rename_axis(name)


def gain_table(sweep: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the success of modes minus that of MAP on the same sensors.

    Parameters
    ----------
    sweep : pandas.DataFrame
        Rows of `experiments.sweeps` for the number of places.

    Returns
    -------
    pandas.DataFrame
        Text; one column.
    """
    gain = sweep.assign(gain=sweep["marginal"] - sweep["MAP"])
    texts = _in_powers(summaries.means(gain, ["value"], "gain"), least=-np.inf)
    return pd.DataFrame({"posterior modes minus MAP [95%]": texts}).rename_axis("places M")


def required_table(quotients: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the success of posterior modes divided by that of MAP.

    Parameters
    ----------
    quotients : pandas.DataFrame
        Columns M, required, ratio, 95% low, 95% high; a row for each map and number of steps.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each number of required steps, a column for each map.
    """
    texts = {
        (row["required"], f"{row['M']:g} places [95%]"): summaries.in_brackets(
            row["ratio"], row["95% low"], row["95% high"]
        )
        for row in quotients.to_dict("records")
    }
    return pd.Series(texts).unstack(sort=False).rename_axis("required steps r")


def show_required(quotients: pd.DataFrame, n_steps: int) -> None:
    """Draw the success of posterior modes divided by that of MAP, a line for each map.

    Parameters
    ----------
    quotients : pandas.DataFrame
        As `required_table` takes them.
    n_steps : int
        Number of steps of the path.

    Returns
    -------
    None
    """
    ax = plt.subplots(figsize=(6, 3.6))[1]
    ax.axhline(1, color="black", linewidth=1, linestyle="-", marker="")
    shifts = (-0.06, 0.06)  # so that no interval hides another
    maps = quotients.groupby("M")
    for (m, of_map), color, mark, shift in zip(maps, COLORS, figures.MARKERS, shifts, strict=False):
        ratio = of_map["ratio"]
        spread = [ratio - of_map["95% low"], of_map["95% high"] - ratio]
        style: dict[str, Any] = {"color": color, "marker": mark, "linestyle": "-", "capsize": 4}
        ax.errorbar(of_map["required"] + shift, ratio, yerr=spread, label=f"{m} places", **style)
    at: dict[str, Any] = {"ha": "right", "transform": ax.get_yaxis_transform()}
    ax.text(0.98, 1.13, "↑ posterior modes are better", **at)
    ax.text(0.98, 0.58, "↓ MAP is better", **at)
    ax.set(xlabel=f"required steps r, of {n_steps}", ylim=(0, None))
    ax.set_ylabel("success of the modes,\ndivided by that of MAP")
    ax.set_xticks(sorted(quotients["required"].unique()))
    ax.legend(loc="lower left")
    plt.show()


def _in_powers(table: pd.DataFrame, least: float = 0.0, significant: int = 2) -> pd.Series:
    """Means with intervals: two digits of the mean, below 0.01 as "4.8 [4.5, 5.1]·10⁻⁵"; what does
    not depend on the sensors stands alone. Intervals begin at `least` at the least."""
    decimals = significant - 1

    def format_row(row: pd.Series) -> str:
        mean, low, high = row["mean"], row["95% low"], row["95% high"]
        alone = not high - low > 1e-9 * abs(mean)  # NaN: a single value
        if mean == 0:
            return "0"
        power = int(np.floor(np.log10(abs(mean))))
        small = power < -2
        scale, digits = (10.0**power, decimals) if small else (1.0, max(decimals - power, 0))
        low, high = (np.nan, np.nan) if alone else (max(low, least) / scale, high / scale)
        text = summaries.in_brackets(mean / scale, low, high, digits)
        return text + f"·10{str(power).translate(_SUPERSCRIPTS)}" * (scale < 1)

    return table.apply(format_row, axis=1)


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def noise_table(runs: pd.DataFrame, bounds: pd.DataFrame) -> pd.DataFrame:
    """Make a table of MAP and bounds by noise.

    Parameters
    ----------
    runs : pandas.DataFrame
        A row for each run and σ, with MAP (0 or 1).
    bounds : pandas.DataFrame
        Index σ; columns tight, ε, prior, and optionally "bound on I".

    Returns
    -------
    pandas.DataFrame
        Text; MAP with its interval over runs, what noise takes from it on the same runs, the mean
        bound on I if there is one, the tight bound, and ε. The last row needs no count.
    """
    rows: dict[str, dict[str, Any]] = {}
    for sigma in runs["σ"].unique().tolist():
        each = runs[runs["σ"] == sigma]
        row: dict[str, Any] = {"MAP [95%]": summaries.in_brackets(*_success(each["MAP"]))}
        lost = summaries.differences(runs, [], "MAP", ["run"], "σ", 0.0, sigma) if sigma else None
        taken = "" if lost is None else summaries.bracketed(lost)["mean [95%]"].iloc[0]
        row["taken by noise [95%]"] = taken
        own = bounds.loc[sigma]
        if "bound on I" in own:
            row["bound on I"] = f"{own['bound on I']:.2f}"
        row["tight bound"] = f"{own['tight']:.2f}"
        row["ε"] = f"{own['ε']:#.3g}".rstrip(".") if np.isfinite(own["ε"]) else "∞"
        rows[f"{sigma:g}" if sigma else "exact"] = row
    rows["no count"] = {"MAP [95%]": f"{bounds['prior'].iloc[0]:.3f} (maximum a priori, exact)"}
    table = pd.DataFrame.from_dict(rows, orient="index").astype(object)
    return table.fillna("").rename_axis("σ")


def _success(right: pd.Series) -> tuple[float, float, float]:
    """Share of runs that are right (1) and its exact 95% interval."""
    found = stats.binomtest(int(right.sum()), len(right)).proportion_ci(0.95, "exact")
    return float(right.mean()), found.low, found.high


def show_noise(runs: pd.DataFrame, bounds: pd.DataFrame, within: pd.DataFrame) -> None:
    """Draw MAP against the noise, with what the tight bound is and could be.

    Parameters
    ----------
    runs : pandas.DataFrame
        A row for each run and σ (0 for exact counts), with MAP (0 or 1).
    bounds : pandas.DataFrame
        Index σ; columns tight and prior.
    within : pandas.DataFrame
        Index σ; columns least and largest: the tight bound for the least and the largest Q.

    Returns
    -------
    None
    """
    noisy = [sigma for sigma in bounds.index if sigma]
    x = [sigma or min(noisy) / 3 for sigma in bounds.index]  # exact counts at the left end
    hits = [_success(runs.loc[runs["σ"] == sigma, "MAP"]) for sigma in bounds.index]
    mean, low, high = np.array(hits).T
    figure, ax = plt.subplots(figsize=(6, 4.6))
    words = {"label": "tight bound as used, with Q from Eq. 5"}
    ax.plot(x, bounds["tight"], **line_style("tight") | words)
    band: dict[str, Any] = {"color": figures.color("tight"), "alpha": 0.2, "linewidth": 0}
    label = "tight bound with the exact Q: in this band"
    ax.fill_between(x, within["least"], within["largest"], **band, label=label)
    label = "MAP, with 95% intervals"
    spread = [mean - low, high - mean]
    ax.errorbar(x, mean, yerr=spread, capsize=3, **line_style("MAP") | {"label": label})
    level = line_style("prior") | {"label": "maximum a priori, without any count", "marker": ""}
    ax.axhline(bounds["prior"].iloc[0], **level)
    ax.set(xlabel="standard deviation σ of the noise", ylabel=SUCCESS, xscale="log")
    ax.set(ylim=(0, 1.05))
    ax.set_xticks(x, [f"{sigma:g}" if sigma else "exact" for sigma in bounds.index])
    ax.minorticks_off()
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper left", ncols=1)
    plt.show()


# -- better bounds and guesses ---------------------------------------------------------------------


def show_worlds(q: float, distances: Mapping[str, float]) -> None:
    """Draw a test between the reference world and the real one, a panel for each reference.

    Parameters
    ----------
    q : float
        False positive rate of the test.
    distances : mapping of str to float
        Name of the reference to the distance μ between the means of the two worlds, in standard
        deviations.

    Returns
    -------
    None
    """
    ends = -3.2, 4.2
    threshold = stats.norm.isf(q)
    x, tail = np.linspace(*ends, 400), np.linspace(threshold, ends[1], 200)
    axes = _panels(len(distances), height=2.6)[1]
    for ax, (name, mu) in zip(axes, distances.items(), strict=True):
        reference, real = stats.norm.pdf(tail), stats.norm.pdf(tail - mu)
        ax.fill_between(tail, 0, real, color=COLORS[0], alpha=0.3, linewidth=0)
        hatched = {"facecolor": "none", "edgecolor": "black", "hatch": "////", "linewidth": 0}
        ax.fill_between(tail, 0, reference, **hatched)
        style = {"marker": "", "linewidth": 2}
        ax.plot(x, stats.norm.pdf(x), color="black", linestyle="--", **style)
        ax.plot(x, stats.norm.pdf(x - mu), color=COLORS[0], linestyle="-", **style)
        ax.plot([threshold] * 2, [0, 0.46], color="black", linestyle=":", marker="")
        ax.set(title=f"{name} reference", xlim=ends, ylim=(0, 0.5), yticks=[])
        ax.grid(False)
        ax.spines["left"].set_visible(False)
        _name_worlds(ax, threshold, q, mu)
        _show_bits(ax, 0.5 if name == "halfway" else 0.0)
    axes[-1].set_xlabel("position of the counts along the line between the two means, in σ")
    plt.show()


def _name_worlds(ax: Axes, threshold: float, q: float, mu: float) -> None:
    """Write on a panel of `show_worlds` what its curves, areas and distance are."""
    blue: dict[str, Any] = {"color": COLORS[0]}
    ax.text(-1.33, 0.19, "reference world", ha="right")
    ax.text(mu + 1.0, 0.29, "real world", **blue)
    ax.text(threshold + 0.08, 0.44, "threshold")
    ends: dict[str, Any] = {"arrowstyle": "<->", "shrinkA": 0, "shrinkB": 0, "linewidth": 1.5}
    ax.annotate("", (mu, 0.42), (0, 0.42), arrowprops=ends)
    ax.text(-0.08, 0.42, f"μ = {mu:.2f}", ha="right", va="center")
    power = stats.norm.sf(threshold - mu)
    leader: dict[str, Any] = {"arrowstyle": "-", "linewidth": 1, "shrinkB": 0}
    for words, inside, up, own in (
        (f"G = {power:.3f}", (threshold + 0.55, 0.18), 0.22, blue),
        (f"q = {q:.3f}", (threshold + 0.35, 0.05), 0.12, {"color": "black"}),
    ):
        at: dict[str, Any] = {"va": "center", "arrowprops": leader | own, **own}
        ax.annotate(words, inside, (2.85, up), **at)


def _show_bits(ax: Axes, reference: float) -> None:
    """In the free corner at the upper left of a panel: the reference, and arrows to the bits."""
    bits = ax.inset_axes((0.03, 0.62, 0.24, 0.3))
    bits.plot([0, 1], [0, 0], color="0.6", linestyle="-", linewidth=1, marker="")
    for bit in {0.0, 1.0} - {reference}:
        arrow: dict[str, Any] = {"arrowstyle": "->", "color": COLORS[0], "linewidth": 1.5}
        arrow |= {"shrinkA": 4, "shrinkB": 0}
        bits.annotate("", (bit, 0), (reference, 0), arrowprops=arrow)
    hollow: dict[str, Any] = {"marker": "o", "markerfacecolor": "white", "color": "black"}
    bits.plot([reference], [0], linestyle="", markersize=6, zorder=5, **hollow)
    for bit, words in ((0.0, "0"), (0.5, "½"), (1.0, "1")):
        bits.text(bit, -0.35, words, ha="center", va="top")
    bits.set(xlim=(-0.1, 1.1), ylim=(-1, 0.6))
    bits.axis("off")


def show_adaptive(rows: pd.DataFrame, setting: str, runs: int) -> None:
    """Draw the success of MAP with random and with greedy sensors, with intervals, by map.

    Each map has a panel, whose axis begins at 0. It states the factor by which greedy sensors raise
    the success, or the numbers of successes if they are few.

    Parameters
    ----------
    rows : pandas.DataFrame
        Columns sensors, M, MAP, 95% low, 95% high.
    setting : str
        What the label of the axis adds.
    runs : int
        Number of simulated runs with either kind of sensor.

    Returns
    -------
    None
    """
    sizes = rows["M"].unique()
    axes = plt.subplots(1, len(sizes), figsize=(6.4, 3.2))[1]
    for ax, m in zip(axes, sizes, strict=True):
        table = rows[rows["M"] == m].set_index("sensors").loc[["random", "greedy"]]
        spread = [table["MAP"] - table["95% low"], table["95% high"] - table["MAP"]]
        for place, color in enumerate(COLORS[:2]):
            ends = [[side.iloc[place]] for side in spread]
            dot: dict[str, Any] = {"marker": "os"[place], "color": color, "markersize": 5}
            ax.errorbar(place, table["MAP"].iloc[place], yerr=ends, capsize=6, **dot)
        more = table.loc["greedy", "MAP"] / table.loc["random", "MAP"]
        top = 1.5 * table["95% high"].max()
        hits = (table["MAP"] * runs).round().astype(int)
        few = f"{hits['random']} and {hits['greedy']}\nof {runs:,} runs"
        words = f"× {more:.1f}" if hits.min() >= 20 else few
        ax.annotate(words, (0.5, 0.92), xycoords="axes fraction", ha="center", va="top")
        ax.set(title=f"M = {m}", xlim=(-0.5, 1.5), ylim=(0, top))
        ax.set_xticks(range(2), table.index)
        ax.locator_params(axis="y", nbins=5)
    axes[0].set_ylabel(f"success of MAP,\n{setting}")
    axes[1].set_xlabel("sensors")
    plt.show()


COMPARED = ("moments", "improved", "halfway", "absent", "tight")
TEST = "#7B3FA0"  # purple: no attack or other bound of the chapter has it
SMALLEST: dict[str, Any] = {
    "color": "#F0E442",
    "linewidth": 11,
    "linestyle": "-",
    "marker": "",
    "label": "smallest bound",
    "zorder": 1,
    "solid_capstyle": "round",
}


DRAWN = {  # the bounds that can be the smallest
    "moments": "moment bound",
    "improved": "improved tight",
    "halfway": "halfway test",
}
_LABELS = {  # the number of the σ at which a line is named, and points to the right and upwards
    "small": {  # the map
        "moments": (5, 12, 0),
        "halfway": (3, 12, 12),
        "improved": (5, 12, 16),
        "Q": (5, 12, -4),
        "attack": (5, 12, 0),
    },
    "large": {
        "moments": (5, 12, 10),
        "halfway": (2, -105, -22),
        "improved": (3, 10, 8),
        "Q": (5, 12, 5),
        "attack": (5, 12, -4),
    },
}


def _best_attack(rows: pd.DataFrame) -> pd.DataFrame:
    """Add columns with the best attack at each map and noise, and with what it uses.

    A simulated attack counts only if its interval is above every success that is computed without
    simulation.
    """
    parts = []
    for _, each in rows.groupby(["M", "σ"], sort=False):
        uses = max(("no count", "rounded"), key=lambda name: each[name].mean())
        best = each[uses].to_numpy()
        computed = best.mean()
        for name in ("MAP", "marginal"):
            own = each[name].to_numpy()
            if metrics.mean_interval(own).low > computed and own.mean() > best.mean():
                best, uses = own, "noisy counts"
        words = {"no count": "no counts", "rounded": "rounded counts"}.get(uses, uses)
        parts.append(each.assign(attack=best, uses=words))
    return pd.concat(parts)


def comparison_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the best attack and of five bounds by map and noise.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `experiments.noise_comparison` returns them, with two more columns: improved, the tight
        bound with better ingredients, and Q, a bound on the best success without counts.

    Returns
    -------
    pandas.DataFrame
        Text; index map, σ; means over sequences of sensors with 95% intervals, to three
        digits, a star at the smallest bound, what the best attack uses, and the smallest bound
        divided by its success. The last row of each map is without counts: the best guess, and Q
        in the columns of the bounds that approach it.
    """
    rows = _best_attack(rows)

    def formatted(of: pd.DataFrame, by: list[str], name: str) -> pd.Series:
        found = summaries.means(of, by, name)
        texts = _in_powers(found, significant=3)
        texts = texts.mask(found["mean"] >= 0.9995, "> 0.999")  # rounded, it would read 1.00
        return texts.mask(found["mean"] >= 1, "1")

    words = ["best attack", "moment", "improved tight", "test, halfway", "test, absent", "tight"]
    names = dict(zip(["attack", *COMPARED], words, strict=True))
    table = pd.DataFrame({names[name]: formatted(rows, ["M", "σ"], name) for name in names})
    means = rows.groupby(["M", "σ"])[[*COMPARED, "attack", "Q", "no count"]].mean()
    smallest = means[list(COMPARED)].idxmin(axis=1)
    for name in COMPARED:
        own = table[names[name]]
        table[names[name]] = own.where(smallest != name, own + " *")
    table.insert(1, "attack uses", rows.groupby(["M", "σ"])["uses"].first())
    quotient = means[list(COMPARED)].min(axis=1) / means["attack"]
    table["smallest / attack"] = quotient.map("{:.1f}".format)
    parts = {}
    for m, of_map in rows.groupby("M"):
        blind = formatted(of_map, ["M"], "no count").iloc[0]
        ball = formatted(of_map, ["M"], "Q").iloc[0]
        least = means.loc[m].iloc[0]
        quotient_of_Q = f"{least['Q'] / least['no count']:.1f}"
        cells = [blind, "no counts", "–", *[ball] * 3, "–", quotient_of_Q]
        last = pd.DataFrame([cells], ["no counts"], table.columns)
        own_map: Any = table.loc[m]  # to check the overloads of `concat` would take minutes
        parts[f"{m} places"] = pd.concat([own_map.rename("{:g}".format), last])
    return pd.concat(parts).rename_axis(["map", "σ"])


def show_comparison(rows: pd.DataFrame) -> None:
    """Draw three bounds and the best attack against the noise, a panel for each map.

    The tight bound and the bound with the absent reference are left out, because neither can be
    smaller than all others.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `comparison_table` takes them.

    Returns
    -------
    None
    """
    rows, sizes = _best_attack(rows), rows["M"].unique()
    columns = [*DRAWN, "attack", "Q"]
    by_map = {m: rows[rows["M"] == m].groupby("σ")[columns].mean() for m in sizes}
    ends = {m: (0.16 * means.min().min(), 1.6) for m, means in by_map.items()}
    powers = [max(2.6, float(np.log10(high / low))) for low, high in ends.values()]
    size = 6, 0.8 * sum(powers) + 0.5 * len(powers) + 1.2
    shape: dict[str, Any] = {"height_ratios": powers, "sharex": True, "squeeze": False}
    figure, axes = plt.subplots(len(powers), 1, figsize=size, **shape)
    for ax, (m, means) in zip(axes[:, 0], by_map.items(), strict=True):
        _show_one_map(ax, means)
        ax.set(title=f"{m} places", ylabel="success", yscale="log", ylim=ends[m])
        _label_success(ax, ends[m][0])
        ax.tick_params(axis="both", which="minor", left=False, bottom=False)
        ax.tick_params(axis="x", labelbottom=True)
        _name_lines(ax, means, _LABELS["small" if means.min().min() > 0.01 else "large"])
    axes[-1, 0].set_xticks(means.index, [f"{sigma:g}" for sigma in means.index])
    axes[-1, 0].set_xlabel("standard deviation σ of the noise")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=1)
    plt.show()


def _show_one_map(ax: Axes, means: pd.DataFrame) -> None:
    """The bounds, the attack and the quotients of one panel of `show_comparison`."""
    smallest = means[list(DRAWN)].min(axis=1)
    ax.set(xscale="log", xlim=(0.065, 300))
    ax.plot(means.index, smallest, **SMALLEST)
    for name in DRAWN:
        ax.plot(means.index, means[name], **_compared_style(name))
    unknown: dict[str, Any] = {"color": SMALLEST["color"], "alpha": 0.3, "linewidth": 0}
    words = "unknown: above this attack, below this bound"
    ax.fill_between(means.index, means["attack"], smallest, label=words, zorder=0, **unknown)
    shade: dict[str, Any] = {"alpha": 0.25, "color": "black", "linewidth": 0}
    ax.fill_between(means.index, 0, means["attack"], label="reached by an attack", **shade)
    plain: dict[str, Any] = {"color": "black", "marker": ""}
    ax.plot(means.index, means["attack"], linestyle="-", **plain)
    ax.plot(means.index, means["Q"], linestyle=":", linewidth=1, **plain)
    at: dict[str, Any] = {"transform": ax.get_xaxis_transform(), "va": "bottom"}
    for sigma, quotient in zip(means.index, smallest / means["attack"], strict=True):
        ax.text(sigma, 0.02, f"{quotient:.1f}", ha="center", **at)
    right: dict[str, Any] = {"textcoords": "offset points", "va": "bottom", "fontsize": 11}
    end = means.index[-1], 0.02
    ax.annotate("smallest bound\n/ best attack", end, (16, 0), xycoords=at["transform"], **right)


def _label_success(ax: Axes, low: float) -> None:
    """Label the logarithmic axis of `show_comparison`: plain numbers, and powers below 0.01."""
    ticks = [0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
    if low < 0.001:  # powers of ten suffice
        ticks = [10.0**power for power in range(int(np.ceil(np.log10(low))), 1)]
    small = [f"10{f'{np.log10(tick):.0f}'.translate(_SUPERSCRIPTS)}" for tick in ticks]
    words = [f"{x:g}" if x > 0.009 else power for x, power in zip(ticks, small, strict=True)]
    ax.set_yticks(ticks, words)


def _name_lines(ax: Axes, means: pd.DataFrame, labels: Mapping[str, tuple[int, int, int]]) -> None:
    """Write the name of each line of `show_comparison` beside a point, far ones with a leader."""
    words = DRAWN | {"attack": "best attack", "Q": "bound on Q"}
    for name, (i, right, up) in labels.items():
        color = _compared_style(name)["color"] if name in DRAWN else "black"
        style: dict[str, Any] = {"textcoords": "offset points", "color": color, "va": "center"}
        if abs(up) > 12:
            style["arrowprops"] = {"arrowstyle": "-", "color": color, "linewidth": 0.8}
        point = means.index[i], means[name].iloc[i]
        ax.annotate(words[name], point, (right, up), **style)


def _compared_style(name: str) -> dict[str, Any]:
    """The style of a bound of `show_comparison`, without a label."""
    if name == "halfway":
        return {"color": TEST, "marker": "D", "markersize": 5, "linestyle": "-"}
    if name == "improved":
        return {"color": figures.color("tight"), "marker": "o", "linestyle": (0, (1, 1))}
    return line_style(name) | {"label": None}


def show_days(rows: pd.DataFrame, truth: float, best: float) -> None:
    """Draw bounds from estimated chains, a panel for each number of days, a dot for each walk.

    Parameters
    ----------
    rows : pandas.DataFrame
        Columns days, added, bound; a row for each walk.
    truth : float
        The bound of the true chain.
    best : float
        The best possible success against the true chain.

    Returns
    -------
    None
    """
    days, added = sorted(rows["days"].unique()), sorted(rows["added"].unique())
    figure, axes = plt.subplots(1, len(days), figsize=(6.4, 4.8), sharey=True, squeeze=False)
    for ax, each in zip(axes[0], days, strict=True):
        ax.axhspan(0, best, color="0.5", alpha=0.25, linewidth=0, label="false bounds")
        dotted: dict[str, Any] = {"color": "black", "linestyle": ":", "marker": ""}
        ax.axhline(truth, **dotted, label="true model's bound")
        names: list[str] = []
        for i, pseudocount in enumerate(added):
            own = rows[(rows["days"] == each) & (rows["added"] == pseudocount)]["bound"].to_numpy()
            mean, (low, high) = own.mean(), metrics.mean_interval(own)
            told = ("mean", "95% interval of the mean") if i == 0 else (None, None)
            ends, dark = [i - 0.42, i + 0.42], {"color": "black", "linewidth": 2.2, "marker": ""}
            shade: dict[str, Any] = {"color": COLORS[i], "alpha": 0.25, "linewidth": 0}
            ax.fill_between(ends, low, high, label=told[1], **shade)
            ax.plot(ends, [mean] * 2, linestyle="-", label=told[0], zorder=4, **dark)
            place = i + _spread_out(own, height=0.025, width=0.8)
            dots = {"color": COLORS[i], "marker": figures.MARKERS[i], "markersize": 4.5}
            ax.plot(place, own, linestyle="", markeredgecolor="white", markeredgewidth=0.5, **dots)
            names.append(f"{pseudocount:g}\n{(own < best).sum()} false")
        ax.set(title=f"{each:,} days", xlim=(-0.6, len(added) - 0.4), ylim=(0, 1.04))
        ax.set_xticks(range(len(added)), names, fontsize=10)
        ax.grid(False, axis="x")
    axes[0, 0].set_ylabel("bound on success")
    words = "pseudocount a, and number of false bounds"
    figure.supxlabel(words, fontsize=plt.rcParams["axes.labelsize"])
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper left", ncols=2)
    plt.show()


def _spread_out(values: np.ndarray, height: float, width: float) -> np.ndarray:
    """Compute horizontal shifts with which dots of nearly equal values stand side by side.

    Parameters
    ----------
    values : numpy.ndarray, shape (n,)
        Vertical positions of the dots.
    height : float
        Height of the bins; the dots of a bin stand side by side.
    width : float
        Largest distance between the first and the last dot of a bin.

    Returns
    -------
    numpy.ndarray, shape (n,)
        The shifts; those of each bin are centred on 0.
    """
    shifts = np.zeros(len(values))
    bins = np.round(values / height)
    for each in np.unique(bins):
        inside = np.flatnonzero(bins == each)
        inside = inside[np.argsort(values[inside])]
        half = min(0.05 * (len(inside) - 1), width / 2)
        shifts[inside] = np.linspace(-half, half, len(inside)) if half else 0.0
    return shifts


def days_table(rows: pd.DataFrame, truth: float, best: float) -> pd.DataFrame:
    """Make a table of bounds from estimated chains by days observed and pseudocount.

    Parameters
    ----------
    rows : pandas.DataFrame
        Columns days, added, bound; a row for each walk.
    truth : float
        The bound of the true chain.
    best : float
        The best possible success against the true chain.

    Returns
    -------
    pandas.DataFrame
        Text; the mean over walks with its interval, and how many walks have a bound below the one
        of the true chain, and below the best success.
    """
    by = ["days", "added"]
    table = summaries.bracketed(summaries.means(rows, by, "bound"))[["mean [95%]"]]
    for limit, words in ((truth, "true model's bound"), (best, "best success")):
        below = (rows["bound"] < limit).groupby([rows[name] for name in by])
        told = below.sum().astype(str) + " of " + below.size().astype(str)
        table[f"walks below the {words}"] = told
    return one_level(table.rename_axis(["days", "a"]))


def maps_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of bounds from estimated chains by map and days observed.

    Parameters
    ----------
    rows : pandas.DataFrame
        Columns places, days, added, bound, and true, the bound of the true chain; a row for each
        walk.

    Returns
    -------
    pandas.DataFrame
        Text; a column for the true bound, and one for each pseudocount with means over walks and
        their intervals.
    """
    by = ["places", "days"]
    texts = summaries.texts(summaries.means(rows, [*by, "added"], "bound"), 3)
    table = texts.unstack("added").add_prefix("a = ")
    table.insert(0, "true model", rows.groupby(by)["true"].first().map("{:.3f}".format))
    return one_level(table)


def ball_table(balls: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the tight bound with other values of Q, by map.

    Parameters
    ----------
    balls : pandas.DataFrame
        A row for each map M and sequence of sensors.

    Returns
    -------
    pandas.DataFrame
        Text; means over sequences with intervals.
    """
    rows = balls.rename(columns={"M": "value"})
    names = [name for name in ("Q of Eq. 5", "Q by moments", "least Q") if name in rows]
    return swept_table(rows, names, "places M")


def adaptive_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of what random and greedy sensors learn, and of MAP's success.

    Parameters
    ----------
    rows : pandas.DataFrame
        Columns M, sensors, information, its error, MAP, 95% low, 95% high, tight bound.

    Returns
    -------
    pandas.DataFrame
        Text; a row for each map and kind of sensors.
    """
    found = {}
    for _, row in rows.iterrows():
        half = 1.96 * row["its error"]
        known = summaries.in_brackets(
            row["information"], row["information"] - half, row["information"] + half
        )
        share = summaries.in_brackets(row["MAP"], row["95% low"], row["95% high"], 3)
        found[row["M"], row["sensors"]] = {
            "information, nats [95%]": known,
            "MAP [95%]": share,
            "tight bound": row["tight bound"],
        }
    index = pd.MultiIndex.from_tuples(found, names=["places M", "sensors"])
    return pd.DataFrame(list(found.values()), index)


FILLED = {"as decided": "only what was seen", "one added": "one added to each transition"}


def filled_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Make a table of bounds and attacks by what is added to each transition.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `experiments.smoothed_chains` returns them, with two optional columns: moments, the
        moment bound, and possible, whether the model allows the real steps. Without the latter, a
        finite log-likelihood decides.

    Returns
    -------
    pandas.DataFrame
        Text; means over users with intervals.
    """
    if "possible" not in rows:
        rows = rows.assign(possible=np.isfinite(rows["log-likelihood"]))
    columns = {
        "tight": "tight bound",
        "moments": "moment bound",
        "expected": "guess, expected",
        "prior": "guess, real days",
        "possible": "real days possible",
    }
    table = pd.DataFrame(
        {
            words: _formatted(rows.astype({column: float}), column)
            for column, words in columns.items()
            if column in rows
        }
    )
    return one_level(table)


def _formatted(rows: pd.DataFrame, column: str, digits: int = 2) -> pd.Series:
    found = summaries.means(rows, ["data", "added"], column)
    return summaries.bracketed(found, digits)["mean [95%]"]


def one_level(table: pd.DataFrame) -> pd.DataFrame:
    """Join the levels of a table's index; a level with a single value is left out.

    Parameters
    ----------
    table : pandas.DataFrame
        A table for readers.

    Returns
    -------
    pandas.DataFrame
        The same table with one column of row names.
    """
    flat = table.index.to_frame()
    levels = [name for name in flat if len(flat[name].unique()) > 1] or [flat.columns[-1]]
    names = [", ".join(map(str, key)) for key in flat[levels].itertuples(index=False)]
    return table.set_axis(pd.Index(names, name=", ".join(map(str, levels))))


def correlation_table(found: pd.DataFrame) -> pd.DataFrame:
    """Make a table of Spearman's rank correlations with bootstrap intervals.

    Parameters
    ----------
    found : pandas.DataFrame
        As `experiments.correlations` returns it.

    Returns
    -------
    pandas.DataFrame
        Number of users, and text.
    """
    rows: dict[Any, dict[str, Any]] = {
        key: {
            "users": row["users"],
            "correlation [95%]": summaries.in_brackets(
                row["correlation"], row["95% low"], row["95% high"]
            ),
        }
        for key, row in found.iterrows()
    }
    table = pd.DataFrame(
        list(rows.values()), pd.MultiIndex.from_tuples(rows, names=found.index.names)
    )
    return table.astype({"users": int}).rename(
        FILLED | {"settled only": "irreducible and aperiodic"}
    )


def people_table(rows: pd.DataFrame, lines: Mapping[str, str]) -> pd.DataFrame:
    """Make a table of means over users with 95% intervals.

    Parameters
    ----------
    rows : pandas.DataFrame
        A row for each user.
    lines : mapping of str to str
        Column to its description, a row each.

    Returns
    -------
    pandas.DataFrame
        Text; a column for each dataset.
    """
    return figures.table(rows, ["data"], lines).T.rename_axis(index="mean over users", columns=None)


def visits_table(found: pd.DataFrame) -> pd.DataFrame:
    """Make a table of the bound by groups of users with similar numbers of visits (Fig. 3).

    Parameters
    ----------
    found : pandas.DataFrame
        As `experiments.bounds_by_visits` returns it.

    Returns
    -------
    pandas.DataFrame
        Text; the mean with its interval over users, and the middle 80%.
    """
    half = found["sem"].fillna(0.0) * stats.t.ppf(0.975, np.maximum(found["count"] - 1, 1))
    texts = [
        summaries.in_brackets(mean, mean - spread, min(mean + spread, 1.0))
        for mean, spread in zip(found["mean"], half, strict=True)
    ]
    ends = [f"{low:.2f} to {high:.2f}" for low, high in found[["10%", "90%"]].to_numpy()]
    columns = {"users": found["count"], "mean tight bound [95%]": texts, "80% of users": ends}
    return pd.DataFrame(columns, found.index)


def map_table(by_noise: pd.DataFrame) -> pd.DataFrame:
    """Make a table of MAP and of the bounds by map and noise (Fig. 7).

    Parameters
    ----------
    by_noise : pandas.DataFrame
        Index M, σ; MAP with its interval, and bounds.

    Returns
    -------
    pandas.DataFrame
        Text.
    """
    table = with_raw(by_noise)
    texts = table[["MAP", "95% low", "95% high"]].apply(
        lambda row: f"{row['MAP']:.2g} [{row['95% low']:.2g}, {row['95% high']:.2g}]", axis=1
    )
    return (
        table[["tight", "tight, smaller I", "moments"]]
        .assign(**{"MAP [95%]": texts})
        .rename(columns=WORDS)
    )


# -- the paper's figures ---------------------------------------------------------------------------


TITLES = {  # of the panels of Fig. 5, by swept quantity
    "M": "by number of places",
    "T - s": "by right steps required",
    "T, s = T/2": "half of the steps must be right",
    "T, s = T - 2": "two steps must be right",
}


def sweeps(means: pd.DataFrame, panels: Mapping[str, str]) -> None:
    """Draw the lines of Fig. 5, a row for each swept quantity, on two vertical axes.

    Left: the paper's axis from 0 to 1. Right: a logarithmic axis.

    Parameters
    ----------
    means : pandas.DataFrame
        Means by swept quantity and its value.
    panels : mapping of str to str
        Swept quantity, one of `TITLES`, to the label of its axis.

    Returns
    -------
    None
    """
    figure, axes = plt.subplots(len(panels), 2, figsize=(6.4, 7.2), sharex="row")
    for row, (swept, label) in zip(axes, panels.items(), strict=True):
        table: Any = means.loc[swept]
        for ax in row:
            for name in ("loose", "tight", "prior", "MAP", "constant"):
                ax.plot(table.index, table[name], **_style_of_five(name))
            ax.set(xlabel=label)
            if swept == "M":
                _at_each(ax, table.index)
            else:
                ax.set_xticks(table.index[::2])
        row[0].set(ylabel=SUCCESS, ylim=(-0.03, 1.06))
        row[0].set_title(TITLES[swept], loc="left")
        row[1].set(yscale="log")
        row[1].set_ylim(top=2)
    _legend_above(figure, axes[0, 0])
    plt.show()


def _style_of_five(name: str) -> dict[str, Any]:
    """The style of a line of Fig. 5; the two guesses without counts often coincide."""
    own: dict[str, dict[str, Any]] = {
        "prior": {"marker": "o", "markersize": 10, "markerfacecolor": "none"},
        "constant": {"markersize": 5},
    }
    return line_style(name) | {"markersize": 6} | own.get(name, {})


def noisy_sweeps(raw: pd.DataFrame, noisy: pd.DataFrame, panels: Mapping[str, str]) -> None:
    """Draw the bounds and MAP of Fig. 5 for counts with noise, and thin lines for raw counts.

    MAP has no point where no simulated run succeeded.

    Parameters
    ----------
    raw, noisy : pandas.DataFrame
        Means by swept quantity and its value.
    panels : mapping of str to str
        The four swept quantities, and the labels of their axes.

    Returns
    -------
    None
    """
    figure, axes = plt.subplots(2, 2, figsize=(6.4, 6.4))
    for ax, (swept, label) in zip(axes.flat, panels.items(), strict=True):
        without: Any = raw.loc[swept]
        with_noise: Any = noisy.loc[swept]
        for name in ("loose", "tight", "MAP"):
            style = line_style(name) | {"markersize": 6}
            seen = with_noise[with_noise[name] > 0]
            ax.plot(seen.index, seen[name], **style)
            thin = {"color": style["color"], "linewidth": 1.0, "linestyle": "-", "marker": ""}
            ax.plot(without.index, without[name], **thin)
        ax.set(xlabel=label, yscale="log", ylim=(3e-5, 2))
        if swept == "M":
            _at_each(ax, without.index)
        else:
            ax.set_xticks(without.index[::2])
    for ax in axes[:, 0]:
        ax.set_ylabel(SUCCESS)
    axes[0, 0].plot([], [], color="black", linewidth=1.0, marker="", label="thin: raw counts")
    _legend_above(figure, axes[0, 0])
    plt.show()


def two_axes(means: pd.DataFrame, margin: float) -> None:
    """Draw losses by the number of right steps twice: on the paper's axis and on a logarithmic one.

    Parameters
    ----------
    means : pandas.DataFrame
        Means by the number of steps that must be right.
    margin : float
        Two values that differ by less count as equal; a bar of this length shows it on the upper
        axis, where it is the same at every height.

    Returns
    -------
    None
    """
    figure, axes = plt.subplots(2, 1, figsize=(6, 6.6), sharex=True)
    for ax in axes:
        for name in ("tight", "prior", "MAP", "constant"):
            ax.plot(means.index, means[name], **_style_of_five(name))
        ax.set(ylabel=SUCCESS, xticks=means.index)
    bar: dict[str, Any] = {"color": "black", "linewidth": 5, "marker": "", "linestyle": "-"}
    axes[0].plot([7.5] * 2, [0.4, 0.4 + margin], solid_capstyle="butt", **bar)
    axes[0].annotate(f"length of the margin, {margin}", (7.5, 0.47), ha="center")
    axes[0].set(ylim=(-0.03, 1.03), title="axis from 0 to 1")
    axes[1].set(yscale="log", ylim=(3e-13, 2), title="logarithmic axis")
    axes[1].set_xlabel("right steps required, T − s")
    _legend_above(figure, axes[0])
    plt.show()


def bounds_by_information(known: pd.DataFrame) -> None:
    """Draw the loose and the tight bound against the information in the counts, a panel for each M.

    A circle marks where the bounds are equal, ticks mark the information at which a bound reaches
    1, and a vertical line marks the information in raw counts.

    Parameters
    ----------
    known : pandas.DataFrame
        Index M; "I", "H(X)", "log 1/Q", "log N" and "log outside" (of the number of paths outside
        a ball), all in nats.

    Returns
    -------
    None
    """
    b = np.linspace(1e-4, 1, 5_000)
    h = special.entr(b) + special.entr(1 - b)
    figure, axes = _panels(len(known), height=2.9)
    for ax, (m, row) in zip(axes, known.iterrows(), strict=True):
        extra = row["log outside"] - row["H(X)"]
        factors = {"loose": row["log outside"] - row["log N"], "tight": row["log 1/Q"]}
        for name, level, side in (("loose", extra, "left"), ("tight", 0.0, "right")):
            needed = b * factors[name] - h - level  # convex: a bound is on the rising part
            drawn = (np.arange(len(b)) >= needed.argmin()) & (needed >= 0)
            x, y = np.append(needed[drawn], 8), np.append(b[drawn], 1.0)
            ax.plot(x, y, **(line_style(name) | {"marker": ""}))
            _mark_threshold(ax, needed[-1], figures.color(name), side)
        equal = extra / (factors["loose"] - factors["tight"])
        at = equal * factors["tight"] - special.entr(equal) - special.entr(1 - equal)
        ax.plot([at], [equal], "o", color="black", markerfacecolor="none", markersize=11)
        ax.annotate("b*", (at, equal), (11, -15), textcoords="offset points")
        ax.axvline(row["I"], color="0.4", linestyle=":", marker="", label="raw counts")
        ax.set(title=f"M = {m}", ylabel="bound", xlim=(-0.7, 8), ylim=(-0.03, 1.24))
    axes[-1].set_xlabel("information in the counts I, nats")
    _legend_above(figure, axes[0])
    plt.show()


def _mark_threshold(ax: Axes, information: float, color: str, side: str) -> None:
    """A tick where a bound reaches 1, with a word at its left or right."""
    ax.plot([information] * 2, [0.95, 1.05], "-", color=color, linewidth=3, marker="")
    shift = {"left": 4, "right": -4}[side]
    style: dict[str, Any] = {"color": color, "ha": side, "fontsize": 11}
    ax.annotate("threshold", (information, 1.09), (shift, 0), textcoords="offset points", **style)


def show_distances(distances: pd.DataFrame) -> None:
    """Draw the differences and the ratios between each bound and MAP, a column for each sweep.

    Parameters
    ----------
    distances : pandas.DataFrame
        Index: label of the horizontal axis, and value; columns "loose - MAP", "tight - MAP",
        "loose / MAP" and "tight / MAP".

    Returns
    -------
    None
    """
    labels = distances.index.get_level_values(0).unique()
    figure, axes = plt.subplots(2, len(labels), figsize=(6.4, 5.6), sharex="col", sharey="row")
    for column, label in enumerate(labels):
        table = distances.loc[label]
        for ax, sign in zip(axes[:, column], "-/", strict=True):
            for name in ("loose", "tight"):
                ax.plot(table.index, table[f"{name} {sign} MAP"], **line_style(name))
        axes[1, column].set(xlabel=label, yscale="log")
        if label == labels[0]:
            _at_each(axes[1, column], table.index)
    axes[0, 0].set(ylabel="bound minus MAP", ylim=(0, 1.05))
    axes[1, 0].set(ylabel="bound divided by MAP")
    _legend_above(figure, axes[0, 0])
    plt.show()


def show_closed(gaps: pd.DataFrame, panels: Mapping[str, str]) -> None:
    """Draw which share of the gap between bounds and attacks two improvements close.

    Parameters
    ----------
    gaps : pandas.DataFrame
        As `experiments.bound_gaps` returns it.
    panels : mapping of str to str
        The four swept quantities, and the labels of their axes.

    Returns
    -------
    None
    """
    figure, axes = plt.subplots(2, 2, figsize=(6.4, 5.4), sharey=True)
    improved = {"label": "I and KL", "color": TEST, "marker": "P", "linestyle": ":"}
    styles: dict[str, dict[str, Any]] = {
        "closed by moments": line_style("moments"),
        "closed by I and KL": improved,
    }
    for ax, (swept, label) in zip(axes.flat, panels.items(), strict=True):
        table = gaps.loc[swept]
        for name, style in styles.items():
            ax.plot(table.index, table[name], **style)
        ax.set(xlabel=label, ylim=(-0.04, 1.06))
        if swept == "M":
            _at_each(ax, table.index)
    for ax in axes[:, 0]:
        ax.set_ylabel("share of the gap")
    _legend_above(figure, axes[0, 0])
    plt.show()


def noise(means: pd.DataFrame, lines: Sequence[str], prior: pd.Series, power: int) -> None:
    """Draw bounds and MAP against σ (Fig. 7), a panel for each map.

    Thin level lines show the values without noise, a dotted one the guess without counts. MAP has
    95% intervals; on the map where it never succeeded, a band from 0 to the moment bound shows
    where its success lies.

    Parameters
    ----------
    means : pandas.DataFrame
        As `experiments.noise_means` returns it.
    lines : sequence of str
        Names of attacks and bounds.
    prior : pandas.Series
        Success of the guess without counts, by number of places.
    power : int
        Number of places of the panel with a logarithmic axis.

    Returns
    -------
    None
    """
    names = means.index.get_level_values(0).unique()
    figure, axes = _panels(len(names), height=3.5)
    for ax, m in zip(axes, names, strict=True):
        table = means.loc[m]
        noisy = table.drop(0.0)
        for line in lines:
            drawn = line_style(line) | {"markersize": {"loose": 10, "MAP": 4}.get(line, 7)}
            shown = noisy.loc[noisy[line] > 0, line]
            ax.plot(shown.index, shown, **drawn)
            ax.axhline(table.loc[0.0, line], color=drawn["color"], linewidth=0.8, marker="")
        ax.axhline(prior[m], **(line_style("prior") | {"linestyle": ":", "marker": ""}))
        ax.set(ylabel=SUCCESS, xscale="log", ylim=(-0.03, 1.06))
        _show_intervals(ax, noisy)
        if m == power:
            ax.set(yscale="log", ylim=(6e-6, 2))
        ax.set_title(f"M = {m}, {'logarithmic' if m == power else 'linear'} vertical axis")
    axes[-1].set_xlabel("standard deviation σ of the noise (thin lines: no noise)")
    _legend_above(figure, axes[-1])
    plt.show()


def _show_intervals(ax: Axes, noisy: pd.DataFrame) -> None:
    """The intervals of MAP; if it never succeeded, a band from 0 to the moment bound."""
    style: dict[str, Any] = {"color": figures.color("MAP"), "linestyle": "", "marker": ""}
    seen = noisy[noisy["MAP"] > 0]
    spread = [seen["MAP"] - seen["95% low"], seen["95% high"] - seen["MAP"]]
    ax.errorbar(seen.index, seen["MAP"], yerr=spread, capsize=5, **style)
    if not len(seen):
        shade: dict[str, Any] = {"color": figures.color("MAP"), "alpha": 0.2, "linewidth": 0}
        ax.fill_between(noisy.index, FAINTEST, noisy["moments"], **shade, hatch="//")
        ax.text(1.0, 2.3e-5, "MAP with noise lies here", ha="center", fontsize=12)


def noise_changes(rows: pd.DataFrame, added: pd.Series) -> None:
    """Draw bounds and MAP by noise (Fig. 8), a row for each dataset: levels, and changes.

    Left: means over users on the paper's axis, with hollow marks at the left for raw counts. Right:
    for each user the value with noise minus that without, averaged, with 95% intervals.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `attack_people` with the same number of right steps.
    added : pandas.Series
        What the counts without noise add to the success of MAP, by data.

    Returns
    -------
    None
    """
    names = rows["data"].unique()
    shape: dict[str, Any] = {"sharex": "col", "sharey": "col", "width_ratios": (1, 1.5)}
    figure, axes = plt.subplots(len(names), 2, figsize=(6.4, 2.5 * len(names)), **shape)
    for (left, right), name in zip(axes, names, strict=True):
        own = rows[rows["data"] == name]
        right.axhline(0, color="black", linewidth=0.8, marker="", linestyle="-")
        for line, shift in (("loose", 0.85), ("tight", 1.0), ("MAP", 1.18)):
            wide = own.pivot(index="user", columns="σ", values=line)
            noisy, style = wide.drop(columns=0.0), line_style(line) | {"markersize": 6}
            left.plot(noisy.columns, noisy.mean(), **style)
            hollow = style | {"linestyle": "", "markerfacecolor": "none", "label": "_raw"}
            left.plot([0.02], [wide[0.0].mean()], **hollow)
            change = noisy.sub(wide[0.0], axis=0)
            half = 1.96 * change.sem()
            drawn = style | {"linestyle": "" if line == "loose" else style["linestyle"]}
            right.errorbar(shift * noisy.columns, change.mean(), half, capsize=4, **drawn)
        label = "all that the counts\nhad added to MAP"
        right.axhline(-added[name], color="0.4", linestyle=":", marker="", label=label)
        left.set(xscale="log", ylim=(-0.03, 1.06), ylabel=f"{DATASETS.get(name, name)}\nlevel")
        right.set(xscale="log", ylabel="change", ylim=(-0.031, 0.012))
        left.set_xticks([0.02, 0.1, 1, 10], ["raw", "0.1", "1", "10"])
        right.set_xticks([0.1, 1, 10], ["0.1", "1", "10"])
        left.minorticks_off()
        right.minorticks_off()
    for ax in axes[-1]:
        ax.set_xlabel("noise σ")
    handles = axes[0, 1].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2)
    plt.show()


def show_visits(rows: pd.DataFrame, half: float) -> None:
    """Draw the bounds of Fig. 3 against the visits to the sensor's place, by dataset.

    Each dot is a user. Users who were never there stand in a band, side by side. To the left of the
    band, a bar shows the middle 80% of their bounds, beside a bar of the length that the test asks
    for.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `habits`.
    half : float
        Length of the bar for comparison.

    Returns
    -------
    None
    """
    figure, panels = _user_panels(rows, "training steps at the sensor's place")
    for ax, table in panels:
        never = table["visits"] == 0
        beside = np.linspace(-1.2, 0.6, int(never.sum()))
        at = table["visits"].to_numpy(float, copy=True)
        at[never.to_numpy()] = np.random.default_rng(1).permutation(beside)
        ax.plot(at, table["fixed"], "o", color=COLORS[0], alpha=0.3, markersize=5)
        _show_middle(ax, table.loc[never, "fixed"], half)
        ax.set(xlim=(-3.6, 22.8), xticks=(0, 5, 10, 15, 20))
    panels[-1][0].set_xticks([0, 5, 10, 15, 20], ["never", "5", "10", "15", "20"])
    _name_users(figure, panels[0][0])


def _show_middle(ax: Axes, bounds: pd.Series, half: float) -> None:
    """A bar for the middle 80% of bounds, and one of another length beside it."""
    bar: dict[str, Any] = {"marker": "", "linestyle": "-", "solid_capstyle": "butt"}
    words = f"the length that “spread” requires, {half:g}"
    ax.plot([-3.0] * 2, [1 - half, 1], color="0.6", label=words, linewidth=8, **bar)
    low, high = bounds.quantile([0.1, 0.9])
    style: dict[str, Any] = {"color": COLORS[1], "capsize": 5, "linewidth": 3, "capthick": 3}
    apart = [[0.0], [high - low]]
    words = "middle 80% of the users never there"
    ax.errorbar([-2.0], [low], yerr=apart, linestyle="", marker="", label=words, **style)


def show_gaps(rows: pd.DataFrame) -> None:
    """Draw each user's bound against the spectral gap of the user's chain (Fig. 4), by dataset.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `habits`; circles and triangles tell the kinds of `CHAINS` apart, and a line of text
        for each kind gives the number of users and Spearman's correlation.

    Returns
    -------
    None
    """
    figure, panels = _user_panels(rows, "spectral gap of the user's chain")
    for ax, table in panels:
        for (mixed, word), color, mark in zip(CHAINS.items(), COLORS, "o^", strict=False):
            part = table[table["mixed"].astype(bool) == mixed].dropna(subset=["gap"])
            style: dict[str, Any] = {"color": color, "alpha": 0.4, "markersize": 5}
            ax.plot(part["gap"], part["random"], mark, label=word, **style)
            rho: Any = part[["gap", "random"]].corr("spearman").iloc[0, 1]
            name = "triangles" if mixed else "circles"
            said = "all bounds are 1" if np.isnan(rho) else f"ρ = {rho:.2f}".replace("-", "−")
            at, text = (0.02, 0.05 if mixed else 0.17), f"{name}: {len(part)} users, {said}"
            ax.text(*at, text, color=color, transform=ax.transAxes, fontsize=12)
        ax.set_ylim(-0.03, 1.04)
    _name_users(figure, panels[0][0])


def _user_panels(rows: pd.DataFrame, xlabel: str) -> tuple[Any, list[tuple[Axes, pd.DataFrame]]]:
    """A figure with a panel for each dataset, and its users."""
    own = rows[rows["chains"] == "as decided"]
    figure, axes = _panels(own["data"].nunique(), height=2.6)
    panels = []
    for ax, (name, table) in zip(axes, own.groupby("data", sort=False), strict=True):
        ax.set(title=titled(str(name)), ylabel="tight bound", ylim=(-0.03, 1.03))
        panels.append((ax, table))
    axes[-1].set_xlabel(xlabel)
    return figure, panels


def _name_users(figure: Any, ax: Axes) -> None:
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper left", ncols=1)
    plt.show()


def steps(means: pd.DataFrame, names: Sequence[str]) -> None:
    """Draw means over users against the number of right steps asked for, by dataset (Fig. 6).

    Parameters
    ----------
    means : pandas.DataFrame
        Means by dataset and number of steps.
    names : sequence of str
        Names of datasets.

    Returns
    -------
    None
    """
    figure, axes = _panels(len(names))
    for ax, name in zip(axes, names, strict=True):
        table = means.loc[name]
        for line in ("loose", "tight", "moments", "prior", "MAP", "marginal", "constant"):
            style = line_style(line) | {"markersize": 7}
            if line == "prior":
                style |= {"marker": "^", "markersize": 13, "markerfacecolor": "none"}
            ax.plot(table.index, table[line], **style)
        of_map = line_style("MAP") | {"linestyle": ":", "marker": "x"}
        of_map["label"] = "MAP, right at real places only"
        ax.plot(table.index, table["MAP, places"], **of_map)
        ax.set(title=titled(name), ylabel=SUCCESS, ylim=(-0.03, 1.03), xticks=table.index)
    axes[-1].set_xlabel("right steps required, T − s")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    plt.show()


def with_raw(table: pd.DataFrame) -> pd.DataFrame:
    """Format the level σ of a table, with "raw" for no noise.

    Parameters
    ----------
    table : pandas.DataFrame
        A table with an index level σ.

    Returns
    -------
    pandas.DataFrame
        The same table for readers.
    """
    flat = table.reset_index()
    words = flat["σ"].map(lambda sigma: f"{sigma:g}" if sigma else "raw")
    return flat.assign(σ=words).set_index(list(table.index.names))


def _panels(n: int, height: float = 3.2) -> tuple[Any, Any]:
    figure, axes = plt.subplots(n, 1, figsize=(6, height * n), sharex=True, squeeze=False)
    return figure, axes[:, 0]


def _at_each(ax: Any, sizes: Any) -> None:
    """A logarithmic axis with a tick at each size."""
    ax.set_xscale("log")
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.minorticks_off()


def _legend_above(figure: Any, ax: Any) -> None:
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=3)

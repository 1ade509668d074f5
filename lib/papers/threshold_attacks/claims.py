"""Verdicts on the threshold paper's claims, from stored rows.

Nearly all of its results are figures without printed values, so its claims are orders of attacks.
Orders are paired: mean differences over the same test aggregates of ten runs, or of three where a
network is trained. The informed attacker sees noise alone, as in the paper, and is judged first.
The auxiliary attacker is judged on a surrogate, beside flights by number. Margins of ours: "level"
means within 0.01, "close" within 0.02, "slightly" within 0.03, "clearly" and "much" beyond 0.02
(the paper calls 0.01 to 0.02 small); weights are "near 0" if four fifths are elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from lib.papers import claims, predicates
from lib.papers.claims import Finding, Why, unexplained
from lib.papers.predicates import Estimate, Trend, estimate
from lib.papers.threshold_attacks import experiments
from lib.papers.threshold_attacks.experiments import (
    AUXILIARY,
    CELLS,
    FEW,
    FPRS,
    INFORMED,
    MANY,
    select,
)

N = 60  # cells of the target where only one number of them is meant
LEVEL = 0.01  # accuracy or AUC within which two attacks are called level
SLIGHT = 0.03  # AUC within which the reference attack is "slightly" below
MUCH = 0.02  # accuracy beyond which an advantage is "much", a gap "clear"
APART = 0.8  # of a node's weight on one cell, where the others are "near 0"
DRAWN = 0.03  # that 5,000 samples differ from their distribution at most, almost always
FLIGHTS, ON_FLIGHTS = "flights-by-number", 50  # and the number of cells there
SIDES = {"informed": {INFORMED: N}, "auxiliary": {AUXILIARY: N, FLIGHTS: ON_FLIGHTS}}
ON = {INFORMED: "simulated", AUXILIARY: AUXILIARY}
BOTH = f"simulated, {AUXILIARY}"
ATTACKS = ("one-threshold", "two-threshold", "network")
NOTES = {
    "fig6-laplace": "tested at the cells of Fig. 13; equal at 1 cell, reversed at 2",
    "fig6-gaussian": "tested at the cells of Fig. 13; equal at 1 cell",
    "fig12-one-rule": "biases for cells measured from their means; in raw units they centre"
    " the sum",
    "fig14-auxiliary-mlp": f'"level" means within {LEVEL} of two thresholds',
    "fig14-informed-mlp": f'"level" means within {LEVEL} of two thresholds',
    "fig6-clt-close": f'"close" means within {MUCH} from 5 cells on',
}
Told = tuple[str, Trend, str, str]  # id, trend, data, figure
Trends = Iterator[Told]


def findings() -> Iterator[Finding]:
    """Judge the paper's claims from stored results."""
    for who in SIDES:
        yield from [*_order(who), *_gaussian(who)]
    yield from _both()
    for part in (_exact, _sampled, _by_hand, _learned, _learning):
        yield from map(_finding, part())
    yield from _numbers()


def _finding(found: Told, why: Why | None = None) -> Finding:
    name, trend, data, cell = found
    return _beside(name, {data: trend}, cell, why)


def _beside(name: str, parts: dict[str, Trend], cell: str, why: Why | None = None) -> Finding:
    """A finding that the first data decide; the others stand beside."""
    return Finding(
        id=f"threshold-{name}",
        cell=f"threshold-replicated-{cell}",
        why=why,
        note=NOTES.get(name, ""),
        **claims.beside(parts),
    )


# -- games -----------------------------------------------------------------------------------------


@cache
def _games(data: str, noise: str, shadows: int, cells: int = N) -> pd.DataFrame:
    """The games' rows at one number of shadow aggregates and cells."""
    return select(experiments.games.stored(data), noise=noise, shadows=shadows, cells=cells)


def _apart(rows: pd.DataFrame, better: str, worse: str, measure: str = "accuracy") -> Estimate:
    """Mean over runs of better minus worse, on the same test aggregates."""
    wide = rows.pivot_table(index="run", columns="attack", values=measure)
    return estimate(wide[better] - wide[worse])


def _gain(rows: pd.DataFrame, better: str, worse: str, measure: str = "accuracy") -> Trend:
    """Whether one attack is above another on the same games, at 95%."""
    return predicates.greater(_apart(rows, better, worse, measure))


def _level(
    rows: pd.DataFrame, one: str, other: str, within: float = LEVEL, measure: str = "accuracy"
) -> Trend:
    """Whether two attacks are within some distance on the same games, at 95%."""
    return predicates.close(_apart(rows, one, other, measure), 0.0, within)


def _mean_of(rows: pd.DataFrame, attack: str) -> Estimate:
    """An attack's mean accuracy over runs."""
    return estimate(select(rows, attack=attack)["accuracy"])


def _stable(data: str, cells: int, attack: str) -> Trend:
    """Whether an attack's accuracy is level between the two numbers of shadow aggregates."""
    few, many = (
        select(_games(data, "Laplace", n, cells), attack=attack).set_index("run")["accuracy"]
        for n in (FEW, MANY)
    )
    return predicates.close(estimate(many - few), 0.0, LEVEL)


def _ordered(data: str, cells: int) -> dict[str, list[Trend]]:
    """The order of attacks under Laplace noise."""
    few, many = (_games(data, "Laplace", n, cells) for n in (FEW, MANY))
    one, two, *_ = ATTACKS
    aucs = [_gain(few, *pair, "AUC") for pair in ((two, one), (one, "network"), (one, "reference"))]
    shown = FPRS[:3] if cells == N else [0.01]
    return {
        "fig13-{}-order": [_gain(few, two, one), _gain(few, one, "network")],
        "fig14-{}-mlp": [_level(many, "network", two)],
        "fig14-{}-metric-stable": [_stable(data, cells, attack) for attack in (one, two)],
        "fig17-{}-auc": [*aucs, _level(few, one, "reference", SLIGHT, "AUC")],
        "fig18-{}-roc": [_gain(few, two, one, f"TPR {f:g}") for f in shown],
    }


def _ordered_gaussian(data: str, cells: int) -> dict[str, list[Trend]]:
    """The order of attacks under Gaussian noise."""
    one, two = "one-threshold", "two-threshold"
    few, many = (_games(data, "Gaussian", n, cells) for n in (FEW, MANY))
    near = _level(few, "network", one, 2 * LEVEL)
    return {
        "fig19-{}-order": [_gain(few, one, two), _gain(many, one, two), near],
        "fig20-{}-auc": [_gain(rows, one, two, "AUC") for rows in (few, many)],
        "fig21-{}-roc": [_gain(many, one, two, f"TPR {f:g}") for f in FPRS[2:5]],
    }


def _order(who: str) -> Iterator[Finding]:
    """The order of attacks under Laplace noise, for one of the two attackers."""
    on = {data: _ordered(data, cells) for data, cells in SIDES[who].items()}
    for name in next(iter(on.values())):
        cell = "roc" if name.startswith("fig18") else "accuracy"
        yield _on_each(name.format(who), {d: of[name] for d, of in on.items()}, cell)


def _gaussian(who: str) -> Iterator[Finding]:
    """The order of attacks under Gaussian noise."""
    on = {data: _ordered_gaussian(data, cells) for data, cells in SIDES[who].items()}
    for name in next(iter(on.values())):
        yield _on_each(name.format(who), {d: of[name] for d, of in on.items()}, "gaussian")


def _on_each(name: str, parts: dict[str, list[Trend]], cell: str) -> Finding:
    each = {ON.get(data, data): predicates.every(*trends) for data, trends in parts.items()}
    return _beside(name, each, cell)


def _both() -> Iterator[Finding]:
    """Claims that compare attackers, or hold for both."""
    few = {data: _games(data, "Laplace", FEW) for data in ON}
    over = [_much(_mean_of(few[INFORMED], a), _mean_of(few[AUXILIARY], a)) for a in ATTACKS]
    yield _finding(("fig13-informed-over-aux", predicates.every(*over), BOTH, "accuracy"))
    bound = float(_anchors("Laplace")["DP bound"][N])
    below = {d: [_much(Estimate(bound), _mean_of(few[d], "network, 100 nodes"))] for d in ON}
    yield _on_each("fig1-gap", below, "gap")
    grow = {}
    for data, most in {name: n for side in SIDES.values() for name, n in side.items()}.items():
        shown = CELLS if most == N else (5, 20, most)
        curves = [
            [
                _mean_of(_games(data, "Laplace", FEW, n), attack)
                for n in ((20, most) if attack == "network" else shown)
            ]
            for attack in ATTACKS
        ]
        grow[data] = [predicates.increasing(curve) for curve in curves]
    yield _on_each("fig13-increasing", grow, "accuracy")
    two: dict[str, list[Trend]] = {}
    for data, n in SIDES["informed"].items() | SIDES["auxiliary"].items():
        rows = _games(data, "Laplace", MANY, n)
        two[data] = [
            _level(rows, "network", "two-threshold", measure="AUC"),
            _gain(rows, "network", "one-threshold", "TPR 0.01"),
        ]
    yield _on_each("fig17-18-mlp-200k", {name: two[name] for name in grow}, "roc")


def _much(a: Estimate, b: Estimate) -> Trend:
    """Whether a is much above b, of other runs."""
    return predicates.beyond(predicates.difference(a, b), MUCH)


# -- formulas and samples of them ------------------------------------------------------------------


@cache
def _anchors(noise: str) -> Any:
    """Exact accuracies of the informed attacker, by cells."""
    return select(experiments.exact.stored(), noise=noise).set_index("cells")


def _yes(*cases: object) -> Trend:
    return predicates.always([bool(case) for case in cases])


def _exact() -> Trends:
    """Claims on formulas: no sampling error."""
    shown = list(CELLS)
    laplace, gaussian = (_anchors(noise) for noise in experiments.NOISES)
    near = (laplace["two, normal"] - laplace["two"]).abs().loc[5:] < MUCH
    best = [t["ratio"] >= t[c] - 1e-4 for t in (laplace, gaussian) for c in ("one", "two")]
    rising = [
        predicates.increasing(list(t.loc[shown, c]))
        for t in (laplace, gaussian)
        for c in ("one", "two")
    ]
    allowed = [
        predicates.increasing(list(laplace.loc[shown, c])) for c in ("epsilon in all", "DP bound")
    ]
    # what addition allows: the composition is optimal if it is tighter and still above every test
    added = 1 / (1 + np.exp(-laplace["epsilon in all"]))
    tight = [*(laplace["DP bound"] >= laplace["ratio"]), *(laplace["DP bound"] < added).loc[2:]]
    trends = {
        "fig6-laplace": _yes(*(laplace["two"] > laplace["one"]).loc[shown]),
        "fig6-gaussian": _yes(*(gaussian["one"] > gaussian["two"]).loc[shown]),
        "fig6-clt-close": predicates.ours(_yes(*near)),
        "fig6-increasing": predicates.every(*rising),
        "neyman-pearson": predicates.always(np.concatenate(best)),
        "fig9-peak": _yes(laplace.loc[N, "best threshold"] == N / 2),
        "thm1": predicates.every(*allowed, _yes(*tight)),
    }
    for name, trend in trends.items():
        yield name, trend, "analytic", "exact"
    scales = experiments.steps.stored().query("a < 1000")
    loss = scales.pivot(index="a", columns="b", values="loss").to_numpy()
    falls = [(np.diff(loss, axis=axis) < 0).all() for axis in (0, 1)]
    yield "fig16-scale", _yes(*falls, scales["accuracy"].min() > 0.999), "analytic", "steps"


def _sampled() -> Trends:
    """Claims on the shapes of scores."""
    rows: Any = experiments.example.stored().set_index(["score", "attacker", "class"])
    own, exact, rule = (
        rows[c].unstack("class") < DRAWN for c in ("from normal", "from exact", "exact from normal")
    )
    mean, spread = (rows[c].unstack("class").loc["one-threshold"] for c in ("mean", "sd"))
    wider = (spread.loc["auxiliary"] > spread.loc["informed"])["out"]
    apart = (mean["in"] - mean["out"] - N).abs() < 3
    normal, binomial = (
        exact.loc["one-threshold", "informed"],
        exact.loc["two-threshold", "informed"],
    )
    poisson = rule.loc["two-threshold", "auxiliary"]
    exactly = select(experiments.rules.stored(), varied="θ").set_index("value")["two"]
    trends = {
        "fig8-normal": _yes(*own.loc["one-threshold"].to_numpy().ravel(), wider, *apart),
        "fig10-binomial": _yes(*binomial, *poisson, exactly[1.0] > exactly[0.0]),
        "thm2": _yes(*normal, apart["informed"]),
        "thm3": _yes(*binomial),
    }
    for name, trend in trends.items():
        yield name, trend, "simulated", "example"


# -- networks --------------------------------------------------------------------------------------


def _by_hand() -> Trends:
    """Networks that are built to be a rule."""
    near = experiments.steps.stored().query("a >= 1000").set_index("rule")["accuracy"] > 0.999
    yield "thm4", _yes(near["one-threshold"]), "simulated", "steps"
    yield "thm5", _yes(near["two-threshold"]), "simulated", "steps"


def _learned() -> Trends:
    """Which rule the trained networks hold."""
    rows: Any = experiments.weights.stored().set_index(["data", "shadows", "hidden nodes"])

    def sums(data: str, hidden: int = N) -> list[bool]:
        """Weights alike: none stands out, and the score is the sum."""
        row = rows.loc[(data, FEW, hidden)]
        return [row["concentration"] < 0.15, row["alignment"] > 0.5]

    def per_cell(data: str, hidden: int = N) -> list[bool]:
        """A node a cell. Biases of opposite sign have networks of either rule: weights decide."""
        row = rows.loc[(data, MANY, hidden)]
        two = row["agrees with two"] > row["agrees with one"]
        return [row["concentration"] > APART, row["opposite biases"] > 0.9, two]

    small = rows.loc[(INFORMED, FEW, N), "centred bias"] < 0.5
    accuracy = rows.loc[INFORMED, "accuracy"].unstack("hidden nodes")
    alike = (accuracy[N] - accuracy[100]).abs() < LEVEL
    hundred = sums(INFORMED, 100) + per_cell(INFORMED, 100)
    auxiliary = sums(AUXILIARY) + per_cell(AUXILIARY)
    found = {
        "fig12-one-rule": (_yes(*sums(INFORMED), small), "simulated"),
        "fig15-two-rule": (_yes(*per_cell(INFORMED)), "simulated"),
        "fig23-24-aux": (_yes(*auxiliary), AUXILIARY),
        "fig25-27-100-nodes": (_yes(*alike, *hundred), "simulated"),
    }
    for name, (trend, data) in found.items():
        yield name, predicates.ours(trend), data, "weights"


def _curve(learner: str, measure: str = "accuracy") -> pd.DataFrame:
    """A learner's accuracy or AUC, run by number of shadow aggregates."""
    rows = select(experiments.learning.stored(), learner=learner)
    return rows.pivot(index="run", columns="shadows", values=measure)


def _learning() -> Trends:
    """The number of shadow aggregates that learning needs."""
    parts = []
    for measure in ("accuracy", "AUC"):
        parts.append(predicates.increasing(_curve("network", measure)))
        for rule in ATTACKS[:2]:
            curve = _curve(rule, measure)
            change = curve[curve.columns.max()] - curve[curve.columns.min()]
            parts.append(predicates.close(estimate(change), 0.0, MUCH))
    yield "fig22-increasing", predicates.every(*parts), "simulated", "learning"


# -- numbers ---------------------------------------------------------------------------------------


STATED = "set: the value that the earlier papers state"
CHOSEN = "set: the paper's value"


def _numbers() -> Iterator[Finding]:
    """Yield the claims that are numbers."""
    yield from _sizes()
    yield from _gaps()
    yield from _needed()
    yield _fewest_cells()
    yield _number("kk-zk-shadow", 400, "analytic", "learning", given=STATED)
    how = (
        "KK has 200 nodes on seven statistics of each place; ZK has a logistic regression on counts"
    )
    yield _number("kk-zk-nodes", 200, "analytic", "weights", how, given=STATED)
    yield _number(
        "kk-zk-observations", 168, "analytic", "data", "the hours of a week", given=STATED
    )


def _sizes() -> Iterator[Finding]:
    (sizes,) = experiments.pool_sizes.stored(AUXILIARY).to_dict("records")
    pools = (f"{pool} traces" for pool in ("target", "auxiliary", "train", "validation"))
    for what in ("sites", "epochs", *pools):
        yield _number(f"data-milan-{what.replace(' ', '-')}", sizes[what], AUXILIARY, "data")
    nodes = int(experiments.weights.stored(INFORMED)["hidden nodes"].min())
    yield _number("fig13-data-size", FEW * N, "simulated", "weights", given=CHOSEN)
    yield _number("fig13-param-size", N * nodes, "simulated", "weights", given=CHOSEN)


def _gaps() -> Iterator[Finding]:
    # With one cell both error rates are what is missing from its accuracy.
    yield _number("alpha-prime", 1 - _anchors("Laplace").loc[1, "two"], "analytic", "exact")
    tried = unexplained(
        ("other activations", "threshold-activations"),
        ("other numbers of shadow aggregates", "threshold-learning"),
    )
    for who, data in (("informed", INFORMED), ("auxiliary", AUXILIARY)):
        found = _apart(_games(data, "Laplace", FEW), "one-threshold", "network")
        yield _number(f"fig13-{who}-one-vs-mlp", found, ON[data], "accuracy", why=tried)


def _needed() -> Iterator[Finding]:
    """How many shadow aggregates a network needs to reach two thresholds."""
    mean = _curve("network").mean()
    needed = mean.index[mean >= _anchors("Laplace").loc[N, "two"] - LEVEL]
    if len(needed):
        how = (
            f"the smallest of {', '.join(map(str, mean.index))} with an accuracy within {LEVEL} of"
            " two thresholds"
        )
        yield _number("fig22-min-shadow", needed[0], "simulated", "learning", how)
        how = "the smallest number that reaches two thresholds, divided by 2,000"
        yield _number("data-ratio-mlp", needed[0] / 2000, "simulated", "learning", how)


def _fewest_cells() -> Finding:
    """Find the least number of cells with a close normal approximation; it depends on a margin."""
    few = _anchors("Laplace").loc[:20]
    off = (few["two, normal"] - few["two"]).abs()
    least = off.index[off >= LEVEL].max() + 1
    given = (
        f"depends on a margin of ours: within {LEVEL} it is {least}, and from 5 cells on the"
        f" difference is at most {off.loc[5:].max():.4g}"
    )
    return _number("clt-min-n", least, "analytic", "exact", given=given)


def _number(
    name: str,
    here: float | Estimate,
    data: str,
    cell: str,
    note: str = "",
    why: Why | None = None,
    given: str = "",
) -> Finding:
    found = here if isinstance(here, Estimate) else float(here)
    return Finding(
        f"threshold-{name}", found, data, f"threshold-replicated-{cell}", why, note, given
    )

"""Verdicts on the threshold paper's claims, from stored rows.

Nearly all of its results are figures without printed values, so its claims are orders of attacks.
Orders are paired: mean differences over the same test aggregates of ten runs, or of three where a
network is trained. They are tested at 60 cells, on the flights at 50. The informed attacker sees
noise alone, as in the paper, and is judged first. The auxiliary attacker is judged on a surrogate,
beside flights by number. A claim about both attackers needs both, so it cannot be tested without
the paper's data. What rests on a single trained network decides nothing.

Margins of ours (`WORDS`): "level" and "hardly change" mean within 0.01, "close" within 0.02,
"slightly" within 0.03, "clearly" and "much" beyond 0.02 (the paper calls 0.01 to 0.02 small);
weights are "near 0" if four fifths are elsewhere. Limits for what networks learn (`ALIKE` and those
beside it) were set when one network of each kind was known; later networks were then judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from lib.mechanisms import Laplace
from lib.membership import score_distributions as scores
from lib.papers import claims, predicates
from lib.papers.claims import Finding, Why, unexplained
from lib.papers.predicates import Estimate, Trend, estimate
from lib.papers.threshold_attacks import experiments, network_experiments
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
MUCH = 0.02  # accuracy beyond which an advantage is "much", a gap "clear"; within it is "close"
APART = 0.8  # of a node's weight on one cell, where the others are "near 0"
ALIKE, SAME_WAY = 0.15, 0.5  # concentration and alignment where weights are "roughly equal"
CENTRED = 0.5  # of a node's bias, in units of its weights' length, where it is "near 0"
OPPOSITE = 0.9  # of the nodes whose bias has the opposite sign, for "each"
DRAWN = 0.03  # that 5,000 samples differ from their distribution at most, almost always
FLIGHTS, ON_FLIGHTS = "flights-by-number", 50  # and the number of cells there
SIDES = {"informed": {INFORMED: N}, "auxiliary": {AUXILIARY: N, FLIGHTS: ON_FLIGHTS}}
ON = {INFORMED: "simulated", AUXILIARY: AUXILIARY}
BOTH = f"simulated, {AUXILIARY}"
ATTACKS = ("one-threshold", "two-threshold", "network")
NAMED = dict(zip(ATTACKS, ("one threshold", "two thresholds", "the network"), strict=True))
SHARE = "the share of the cases in which it is true"
SAMPLED = f"decided by formula; 5,000 samples of the informed score are at most {DRAWN} away"
# Words of the paper without a number, and the margin that we chose for each.
WORDS = {
    "fig1-gap": ("clearly below", "beyond", MUCH),
    "fig6-clt-close": ("close", "within", MUCH),
    "fig8-normal": ("close to normal", "within", MUCH),
    "fig10-binomial": ("approximated by a normal", "within", MUCH),
    "fig13-informed-over-aux": ("much more accurate", "beyond", MUCH),
    "fig14-informed-mlp": ("the level", "within", LEVEL),
    "fig14-auxiliary-mlp": ("the level", "within", LEVEL),
    "fig14-informed-metric-stable": ("hardly change", "within", LEVEL),
    "fig14-auxiliary-metric-stable": ("hardly change", "within", LEVEL),
    "fig17-informed-auc": ("slightly below", "within", SLIGHT),
    "fig17-auxiliary-auc": ("slightly below", "within", SLIGHT),
    "fig17-18-mlp-200k": ("learns the two-threshold rule", "within", LEVEL),
    "fig19-informed-order": ("close", "within", MUCH),
    "fig19-auxiliary-order": ("close", "within", MUCH),
    "fig22-increasing": ("stay flat", "within", LEVEL),
}
# Margins that were chosen after the result was known: agreement with these proves nothing.
GIVEN = {
    "fig6-clt-close": f"the margin was {LEVEL}, which the largest distance just exceeded; it was"
    f" then widened to {MUCH}"
}
NOTES = {
    "fig6-laplace": "tested at the cells of Fig. 13; equal at 1 cell, reversed at 2",
    "fig6-gaussian": "tested at the cells of Fig. 13; equal at 1 cell",
    "fig6-clt-close": "from 5 cells on",
    "fig8-normal": f"decided by formula; 5,000 samples of each score are at most {DRAWN} from a"
    " normal distribution of their own mean and spread",
    "fig10-binomial": SAMPLED,
    "neyman-pearson": "the ratio is compared with one and two thresholds: in accuracy, under both"
    " kinds of noise, at each tabulated number of cells; in power at 61 false positive rates from"
    " 0.001 to 1, under Laplace noise, at 60 cells; under Gaussian noise it has the accuracy of"
    " the threshold on the sum",
    "thm1": "optimal for accuracy: randomized response reaches the bound, at each tabulated number"
    " of cells, without δ",
    "fig9-peak": "the best of 37 thresholds, by the normal distribution",
    "fig12-one-rule": "ten networks; the bias is what remains of a node's input for an average"
    " aggregate, in units of the length of its weights; raw biases are far from 0, because they"
    " centre the sum",
    "fig15-two-rule": "three networks",
    "fig23-24-aux": "one network for each number of shadow aggregates",
    "fig25-27-100-nodes": "ten networks with 2,000 shadow aggregates and three with 200,000",
    "fig16-scale": "checked on 4,000 noisy aggregates, the same ones for every scale",
    "fig22-increasing": "tested for the informed attacker",
    "thm2": f"the distance to the normal distribution falls with the number of cells; {SAMPLED}",
    "thm3": SAMPLED,
    "thm4": "checked on 4,000 noisy aggregates",
    "thm5": "checked on 4,000 noisy aggregates, at one pair of scales",
}
Parts = dict[str, Trend]  # what an inequality compares, and the inequality


class Said(NamedTuple):
    """A statement as inequalities, by data; the first data decide, or the first two if `both`."""

    name: str
    parts: dict[str, Parts]
    cell: str
    both: bool = False


Told = tuple[str, Parts, str, str]  # id, inequalities, data, figure
Trends = Iterator[Told]


def findings() -> Iterator[Finding]:
    """Judge the paper's claims from stored results."""
    yield from map(_judged, _statements())
    yield from _numbers()


def margins() -> pd.DataFrame:
    """Tabulate what is compared with a margin of ours, beside the margin.

    Returns
    -------
    pandas.DataFrame
        A row for each inequality. Columns: claim, data, compared, word (of the paper), side
        (whether the difference has to be "beyond" the margin or "within" it), margin, difference,
        SE and freedom (of the difference; an SE of 0 is a formula).
    """
    rows = []
    for said in _statements():
        if said.name not in WORDS:
            continue
        word, side, margin = WORDS[said.name]
        for data, parts in said.parts.items():
            for compared, trend in parts.items():
                if trend.margin:
                    value, error, freedom = trend.here
                    about = (f"threshold-{said.name}", data, compared, word, side, margin)
                    rows.append((*about, value, error, freedom))
    columns = ["claim", "data", "compared", "word", "side", "margin", "difference", "SE", "freedom"]
    return pd.DataFrame(rows, columns=columns)


def _statements() -> Iterator[Said]:
    """All claims in words."""
    for who in SIDES:
        yield from [*_order(who), *_gaussian(who)]
    yield from _both()
    for part in (_exact, _sampled, _by_hand, _learned, _learning):
        for name, parts, data, cell in part():
            yield Said(name, {data: parts}, cell)


def _judged(said: Said) -> Finding:
    """The finding of a statement; its note says how words were read, and what is shown."""
    each = {ON.get(d, d): predicates.every(*of.values()) for d, of in said.parts.items()}
    deciding = list(said.parts.values())[: 1 + said.both]
    notes = [NOTES.get(said.name, ""), _reading(said.name)]
    if said.both:
        (_, informed), (_, auxiliary), *others = each.items()
        alone = informed.here
        notes.append(
            f"of the informed attacker alone: {informed.verdict} ({alone.value:.2g} ±"
            f" {alone.error:.2g})"
        )
        each = {BOTH: predicates.every(informed, auxiliary)} | dict(others)
    found = next(iter(each.values())).deciding
    shown = (name for of in deciding for name, trend in of.items() if found in trend.parts)
    notes.append(f"shown: {next(shown)}")
    return Finding(
        id=f"threshold-{said.name}",
        cell=f"threshold-replicated-{said.cell}",
        note="; ".join(filter(None, notes)),
        given=GIVEN.get(said.name, ""),
        **claims.beside(each),
    )


def _reading(name: str) -> str:
    if name not in WORDS:
        return ""
    word, side, margin = WORDS[name]
    return f'"{word}" means {"by more than" if side == "beyond" else "within"} {margin}'


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


def _ordered(data: str, cells: int) -> dict[str, Parts]:
    """The order of attacks under Laplace noise."""
    few, many = (_games(data, "Laplace", n, cells) for n in (FEW, MANY))
    one, two, net = ATTACKS
    shown = FPRS[:3] if cells == N else [0.01]
    more = f"{MANY:,} shadow aggregates minus {FEW:,}"
    return {
        "fig13-{}-order": {
            "two thresholds minus one": _gain(few, two, one),
            "one threshold minus the network": _gain(few, one, net),
        },
        "fig14-{}-mlp": {"the network minus two thresholds": _level(many, net, two)},
        "fig14-{}-metric-stable": {
            f"{NAMED[attack]}, {more}": _stable(data, cells, attack) for attack in (one, two)
        },
        "fig17-{}-auc": {
            "AUC of two thresholds minus one": _gain(few, two, one, "AUC"),
            "AUC of one threshold minus the network": _gain(few, one, net, "AUC"),
            "AUC of one threshold minus the reference attack, which has to be above 0": _gain(
                few, one, "reference", "AUC"
            ),
            "AUC of one threshold minus the reference attack": _level(
                few, one, "reference", SLIGHT, "AUC"
            ),
        },
        "fig18-{}-roc": {
            f"true positive rate of two thresholds minus one, at a false positive rate of {f:g}": (
                _gain(few, two, one, f"TPR {f:g}")
            )
            for f in shown
        },
    }


def _ordered_gaussian(data: str, cells: int) -> dict[str, Parts]:
    """The order of attacks under Gaussian noise."""
    one, two, net = ATTACKS
    rows = {n: _games(data, "Gaussian", n, cells) for n in (FEW, MANY)}
    near = _level(rows[FEW], net, one, MUCH)
    return {
        "fig19-{}-order": {
            f"one threshold minus two, {n:,} shadow aggregates": _gain(of, one, two)
            for n, of in rows.items()
        }
        | {f"the network minus one threshold, {FEW:,} shadow aggregates": near},
        "fig20-{}-auc": {
            f"AUC of one threshold minus two, {n:,} shadow aggregates": _gain(of, one, two, "AUC")
            for n, of in rows.items()
        },
        "fig21-{}-roc": {
            f"true positive rate of one threshold minus two, at a false positive rate of {f:g}": (
                _gain(rows[MANY], one, two, f"TPR {f:g}")
            )
            for f in FPRS[2:5]
        },
    }


def _order(who: str) -> Iterator[Said]:
    """The order of attacks under Laplace noise, for one of the two attackers."""
    on = {data: _ordered(data, cells) for data, cells in SIDES[who].items()}
    for name in next(iter(on.values())):
        cell = "roc" if name.startswith("fig18") else "accuracy"
        yield Said(name.format(who), {data: of[name] for data, of in on.items()}, cell)


def _gaussian(who: str) -> Iterator[Said]:
    """The order of attacks under Gaussian noise."""
    on = {data: _ordered_gaussian(data, cells) for data, cells in SIDES[who].items()}
    for name in next(iter(on.values())):
        yield Said(name.format(who), {data: of[name] for data, of in on.items()}, "gaussian")


def _both() -> Iterator[Said]:
    """Claims that compare attackers, or hold for both."""
    few = {data: _games(data, "Laplace", FEW) for data in ON}
    over = {
        f"{NAMED[a]}, informed minus auxiliary": _much(
            _mean_of(few[INFORMED], a), _mean_of(few[AUXILIARY], a)
        )
        for a in ATTACKS
    }
    yield Said("fig13-informed-over-aux", {BOTH: over}, "accuracy")
    bound = Estimate(float(_anchors("Laplace")["DP bound"][N]))
    below = {
        data: {
            f"DP bound minus the network, {_who(data)}": _much(
                bound, _mean_of(few[data], "network, 100 nodes")
            )
        }
        for data in ON
    }
    yield Said("fig1-gap", below, "gap", both=True)
    most = {name: n for side in SIDES.values() for name, n in side.items()}
    yield Said("fig13-increasing", {d: _growing(d, n) for d, n in most.items()}, "accuracy", True)
    two: dict[str, Parts] = {}
    for data, n in most.items():
        rows = _games(data, "Laplace", MANY, n)
        two[data] = {
            f"AUC of the network minus two thresholds, {_who(data)}": _level(
                rows, "network", "two-threshold", measure="AUC"
            ),
            f"true positive rate of the network minus one threshold, {_who(data)}, at a false"
            " positive rate of 0.01": _gain(rows, "network", "one-threshold", "TPR 0.01"),
        }
    yield Said("fig17-18-mlp-200k", two, "roc", both=True)


def _who(data: str) -> str:
    return {INFORMED: "informed", AUXILIARY: "auxiliary"}.get(data, data)


def _growing(data: str, most: int) -> Parts:
    """Whether the accuracy of each attack grows with the number of cells."""
    shown = CELLS if most == N else (5, 20, most)
    parts = {}
    for attack in ATTACKS:
        at = (20, most) if attack == "network" else shown
        curve = [_mean_of(_games(data, "Laplace", FEW, n), attack) for n in at]
        name = f"{NAMED[attack]}, {_who(data)}, {at[-1]} cells minus {at[0]}"
        parts[name] = predicates.increasing(curve)
    return parts


def _much(a: Estimate, b: Estimate) -> Trend:
    """Whether a is much above b, of other runs; it shows the difference."""
    trend = predicates.beyond(predicates.difference(a, b), MUCH)
    shown = (part._replace(shown=part.slack.value + MUCH) for part in trend.parts)
    return replace(trend, parts=tuple(shown))


# -- formulas and samples of them ------------------------------------------------------------------


@cache
def _anchors(noise: str) -> Any:
    """Exact accuracies of the informed attacker, by cells."""
    return select(experiments.exact.stored(), noise=noise).set_index("cells")


def _yes(*cases: object) -> Trend:
    return predicates.always([bool(case) for case in cases])


def _is_true(*cases: object) -> Parts:
    return {SHARE: _yes(*cases)}


def _near(what: str, *distances: float) -> Parts:
    """Whether exact distances are within the margin of "close"; it shows the largest."""
    return {f"largest distance of {what}": predicates.close(max(distances), 0.0, MUCH)}


def _exact() -> Trends:
    """Claims on formulas: no sampling error."""
    shown = list(CELLS)
    tables: dict[str, Any] = {noise: _anchors(noise) for noise in experiments.NOISES}
    laplace, gaussian = tables.values()
    off = (laplace["two, normal"] - laplace["two"]).abs().loc[5:]
    best = [t["ratio"] >= t[c] - 1e-4 for t in (laplace, gaussian) for c in ("one", "two")]
    best += [(gaussian["ratio"] - gaussian["one"]).abs() < 1e-4, *_most_powerful()]
    ends = f"{shown[-1]} cells minus {shown[0]}"
    rising = {
        f"accuracy of {c} threshold{'s' * (c == 'two')}, {noise} noise, {ends}": (
            predicates.increasing(list(t.loc[shown, c]))
        )
        for noise, t in tables.items()
        for c in ("one", "two")
    }
    allowed = {f"DP bound, {ends}": predicates.increasing(list(laplace.loc[shown, "DP bound"]))}
    # The bound is above every attack, below what addition allows, and a mechanism reaches it.
    added = 1 / (1 + np.exp(-laplace["epsilon in all"]))
    tight = [*(laplace["DP bound"] >= laplace["ratio"]), *(laplace["DP bound"] < added).loc[2:]]
    tight += [*((laplace["DP bound"] - _majority(laplace.index)).abs() < 1e-6)]
    found = {
        "fig6-laplace": _is_true(*(laplace["two"] > laplace["one"]).loc[shown]),
        "fig6-gaussian": _is_true(*(gaussian["one"] > gaussian["two"]).loc[shown]),
        "fig6-clt-close": _near("the normal from the exact accuracy", *off),
        "fig6-increasing": rising,
        "neyman-pearson": _is_true(*np.concatenate(best)),
        "fig9-peak": _is_true(laplace.loc[N, "best threshold"] == N / 2),
        "thm1": allowed | _is_true(*tight),
    }
    for name, parts in found.items():
        yield name, parts, "analytic", "exact"
    scales = experiments.steps.stored().query("a < 1000")
    loss = scales.pivot(index="a", columns="b", values="loss").to_numpy()
    falls = [(np.diff(loss, axis=axis) < 0).all() for axis in (0, 1)]
    yield "fig16-scale", _is_true(*falls, scales["accuracy"].min() > 0.999), "analytic", "steps"


def _majority(cells: Any) -> np.ndarray:
    """Accuracy of a majority of votes by randomized response, with a guess if they are tied."""
    n = np.asarray(cells)
    votes = stats.binom(n, 1 / (1 + np.exp(-0.5)))
    return np.asarray(votes.sf(n / 2) + np.where(n % 2, 0, votes.pmf(n // 2)) / 2)


def _most_powerful() -> list[pd.Series]:
    """Whether no rule finds more members than the ratio at the same false positive rate."""
    curves = experiments.exact_roc(0.5, N)
    ratio = curves["likelihood ratio"]
    return [ratio >= curves[rule] - 1e-4 for rule in ATTACKS[:2]]


_NOISE = Laplace(0.5)
_OTHERS = {  # of the paper's example: nobody, or 2,000 of 10,000 traces of which 1% have a one
    "informed": scores.NO_OTHERS,
    "auxiliary": stats.hypergeom.pmf(np.arange(101), 10_000, 100, 2000),
    "auxiliary, independent draws": stats.binom.pmf(np.arange(101), 2000, 0.01),
}


@cache
def _sum(who: str, cells: int) -> tuple[Any, Any, float]:
    """Means and sd of the exact sum of cells without and with the target; distance from normal."""
    exact = scores.convolved_distribution(_NOISE, [_OTHERS[who]] * cells, scores.identity_score)
    step, moments, far = exact.values[1] - exact.values[0], [], []
    for mass in (exact.non_members, exact.members):
        mean = mass @ exact.values
        spread = np.sqrt(mass @ (exact.values - mean) ** 2)
        normal = stats.norm(mean, spread).cdf(exact.values + step / 2)
        moments.append((mean, spread))
        far.append(np.abs(np.cumsum(mass) - normal).max())
    (mean_out, sd_out), (mean_in, sd_in) = moments
    return (mean_out, mean_in), (sd_out, sd_in), float(max(far))


def _far(exact: Any, approximation: Any, cells: int = N, shift: float = 0.0) -> float:
    """The largest distance between two distribution functions of a whole number."""
    at = np.arange(cells + 1)
    return float(np.abs(exact.cdf(at) - approximation.cdf(at + shift)).max())


def _counted(cells: int = N) -> float:
    """Distance of the informed number of cells from 1/2 on, by convolution, from the binomial."""

    def step(values: np.ndarray, counts: np.ndarray, mechanism: Any) -> np.ndarray:
        return (values >= 0.5).astype(float)

    exact = scores.convolved_distribution(_NOISE, [scores.NO_OTHERS] * cells, step)
    false_positive = float(stats.laplace(scale=_NOISE.scale).sf(0.5))
    far = []
    for mass, p in ((exact.non_members, false_positive), (exact.members, 1 - false_positive)):
        between = np.interp(np.arange(cells) + 0.5, exact.values, np.cumsum(mass))
        far.append(np.abs(between - stats.binom(cells, p).cdf(np.arange(cells))).max())
    return float(max(far))


def _counted_normal() -> list[float]:
    """How far the number of large counts is from a normal variable, for groups with others."""
    far = []
    for of in list(_OTHERS.values())[1:]:
        rates = scores.error_rates(_NOISE, [of] * N)
        counted = scores.binomial_score_distributions(*rates)
        normal = scores.normal_binomial_score_distributions(*rates)
        far += [_far(*both, shift=0.5) for both in zip(counted, normal, strict=True)]
    return far


def _sampled() -> Trends:
    """Claims on the shapes of scores: by formula, and samples must not be far from them."""
    rows: Any = experiments.example.stored().set_index(["score", "attacker", "class"])
    own, drawn = (rows[c].unstack("class") < DRAWN for c in ("from normal", "from exact"))
    mean, spread = (rows[c].unstack("class").loc["one-threshold"] for c in ("mean", "sd"))
    apart = (mean["in"] - mean["out"] - N).abs() < 3
    sums = {who: {n: _sum(who, n) for n in CELLS} for who in _OTHERS}
    means = [abs(m[1] - m[0] - n) < 0.01 for of in sums.values() for n, (m, *_) in of.items()]
    common = [abs(s[1] / s[0] - 1) < 0.001 for of in sums.values() for _, s, _ in of.values()]
    falls = [np.all(np.diff([far for *_, far in of.values()]) < 0) for of in sums.values()]
    least, *wider = [of[N][1][0] for of in sums.values()]
    shaped = [*own.loc["one-threshold"].to_numpy().ravel(), *apart]
    shaped += [min(wider) > least, (spread.loc["auxiliary"] > spread.loc["informed"])["out"]]
    binomial = [_counted() < 0.001, *drawn.loc["two-threshold", "informed"]]
    known = select(experiments.rules.stored(), varied="θ").set_index("value")["two"]
    found = {
        "fig8-normal": _near(
            "the distribution function of the sum from a normal one",
            *(of[N][2] for of in sums.values()),
        )
        | _is_true(*shaped),
        "fig10-binomial": _near(
            "the distribution function of the number of cells from a normal one", *_counted_normal()
        )
        | _is_true(*binomial, known[1.0] > known[0.0]),
        "thm2": _is_true(
            *means, *common, *falls, *drawn.loc["one-threshold", "informed"], apart["informed"]
        ),
        "thm3": _is_true(*binomial),
    }
    for name, parts in found.items():
        yield name, parts, "analytic", "example"


# -- networks --------------------------------------------------------------------------------------


def _by_hand() -> Trends:
    """Networks that are built to be a rule."""
    near = experiments.steps.stored().query("a >= 1000").set_index("rule")["accuracy"] > 0.999
    yield "thm4", _is_true(near["one-threshold"]), "simulated", "steps"
    yield "thm5", _is_true(near["two-threshold"]), "simulated", "steps"


def _learned() -> Trends:
    """Which rule the trained networks hold: several of each kind, or one, which decides nothing."""
    runs = network_experiments.weight_runs.stored(INFORMED)
    parts = {hidden: [_adds_up(runs, hidden), _reads_cells(runs, hidden)] for hidden in (N, 100)}
    centred = _over_runs(runs, FEW, N)["centred bias"]
    biases = {f"{CENTRED} minus the bias, {FEW:,} shadow aggregates": _below(centred, CENTRED)}
    alike = {}
    for shadows in (FEW, MANY):
        of_60, of_100 = (_over_runs(runs, shadows, hidden)["accuracy"] for hidden in (N, 100))
        alike[f"accuracy of 100 nodes minus 60, {shadows:,} shadow aggregates"] = predicates.close(
            estimate(of_100 - of_60), 0.0, LEVEL
        )
    yield "fig12-one-rule", parts[N][0] | biases, "simulated", "weights"
    yield "fig15-two-rule", parts[N][1], "simulated", "weights"
    yield "fig25-27-100-nodes", alike | parts[100][0] | parts[100][1], "simulated", "weights"
    one = select(experiments.weights.stored(AUXILIARY), **{"hidden nodes": N}).assign(run=0)
    few, many = (_over_runs(one, shadows, N).iloc[0] for shadows in (FEW, MANY))
    cases = [few["concentration"] < ALIKE, few["alignment"] > SAME_WAY]
    cases += [many["concentration"] > APART, many["opposite biases"] > OPPOSITE]
    cases += [many["agrees with two"] > many["agrees with one"]]
    auxiliary = {SHARE: predicates.once(predicates.ours(_yes(*cases)))}
    yield "fig23-24-aux", auxiliary, AUXILIARY, "weights"


def _over_runs(rows: pd.DataFrame, shadows: int, hidden: int) -> pd.DataFrame:
    """Measures of networks, a row for each run."""
    return select(rows, shadows=shadows, **{"hidden nodes": hidden}).set_index("run")


def _below(values: pd.Series, limit: float) -> Trend:
    return predicates.beyond(estimate(limit - values), 0.0)


def _adds_up(runs: pd.DataFrame, hidden: int) -> Parts:
    """Weights alike: none stands out, and the score is the sum."""
    of = _over_runs(runs, FEW, hidden)
    about = f"{hidden} nodes, {FEW:,} shadow aggregates"
    return {
        f"{ALIKE} minus the concentration, {about}": _below(of["concentration"], ALIKE),
        f"alignment minus {SAME_WAY}, {about}": _below(-of["alignment"], -SAME_WAY),
    }


def _reads_cells(runs: pd.DataFrame, hidden: int) -> Parts:
    """A node a cell. Biases of opposite sign have networks of either rule: weights decide."""
    of = _over_runs(runs, MANY, hidden)
    about = f"{hidden} nodes, {MANY:,} shadow aggregates"
    more = of["agrees with two"] - of["agrees with one"]
    return {
        f"concentration minus {APART}, {about}": _below(-of["concentration"], -APART),
        f"opposite biases minus {OPPOSITE}, {about}": _below(-of["opposite biases"], -OPPOSITE),
        f"agreement with two thresholds minus one, {about}": predicates.greater(estimate(more)),
    }


def _curve(learner: str, measure: str = "accuracy") -> pd.DataFrame:
    """A learner's accuracy or AUC, run by number of shadow aggregates."""
    rows = select(experiments.learning.stored(), learner=learner)
    return rows.pivot(index="run", columns="shadows", values=measure)


def _learning() -> Trends:
    """The number of shadow aggregates that learning needs."""
    parts: Parts = {}
    for measure in ("accuracy", "AUC"):
        curve = _curve("network", measure)
        least, most = curve.columns.min(), curve.columns.max()
        more = f"{most:,} shadow aggregates minus {least:,}"
        parts[f"{measure} of the network, {more}"] = predicates.increasing(curve)
        for rule in ATTACKS[:2]:
            curve = _curve(rule, measure)
            change = predicates.close(estimate(curve[most] - curve[least]), 0.0, LEVEL)
            parts[f"{measure} of {NAMED[rule]}, {more}"] = change
    yield "fig22-increasing", parts, "simulated", "learning"


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
        "KK has 200 nodes on seven statistics of each place; ZK has a logistic regression on"
        " counts: an error in the paper's description, which the rule of verdicts does not judge"
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
    yield _number(
        "alpha-prime",
        1 - _anchors("Laplace").loc[1, "two"],
        "analytic",
        "exact",
        given="the paper prints an expression without its value, and we evaluated it",
    )
    tried = unexplained(
        ("other activations", "threshold-activations"),
        ("other numbers of shadow aggregates", "threshold-learning"),
    )
    for who, data in (("informed", INFORMED), ("auxiliary", AUXILIARY)):
        found = _apart(_games(data, "Laplace", FEW), "one-threshold", "network")
        how = (
            f"{found.freedom + 1:.0f} runs; the paper prints no standard error, so ours counts as"
            " its error, too, which makes the tolerance wider; shown: one threshold minus the"
            " network"
        )
        yield _number(f"fig13-{who}-one-vs-mlp", found, ON[data], "accuracy", how, why=tried)


def _needed() -> Iterator[Finding]:
    """How many shadow aggregates a network needs to reach two thresholds: only bounds of it."""
    two = float(_anchors("Laplace").loc[N, "two"])
    curves: dict[int, Any] = dict(_curve("network").items())  # type: ignore[arg-type]
    reached = {n: predicates.greater(estimate(of - two), -LEVEL) for n, of in curves.items()}
    short, enough = (
        choose((n for n, trend in reached.items() if trend.verdict == verdict), default=0)
        for choose, verdict in ((max, predicates.CONTRADICTED), (min, predicates.SUPPORTED))
    )
    how = (
        f"{short:,} are not enough for an accuracy within {LEVEL} of two thresholds, and {enough:,}"
        " are; no number in between was run, so the smallest that is enough is not known"
    )
    for name in ("fig22-min-shadow", "data-ratio-mlp"):
        more = "" if name == "fig22-min-shadow" else "; divided by 2,000 these are "
        more += f"{short / FEW:g} and {enough / FEW:g}" if more else ""
        yield Finding(
            f"threshold-{name}", None, "simulated", "threshold-replicated-learning", note=how + more
        )


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

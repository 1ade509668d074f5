"""Compare conventions of noise by how many numbers of Table III they meet, beside chance.

A number is met within 5%, or within half a unit in its last printed digit if that is more. One
convention, one sensitivity and one way to compute an error hold for the whole table.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from lib import metrics
from lib.papers import claims, summaries
from lib.papers.knock_knock.defense_claims import NAMED, published_gains
from lib.papers.knock_knock.interpretation_experiments import BOUNDS, DIVISIONS, WITHIN
from lib.papers.knock_knock.noise_interpretations import (
    BUDGETS,
    CHOICES,
    CONCERNS,
    LITERAL,
    NO_CHOICE,
    PRINTED,
    SENSITIVITIES,
    name_of,
    noise_errors,
    noise_games,
)

CLOSE = 0.05
SHUFFLES = 2000
CABS = "cabspotting"
_MEASURES = ("division", "within", "bound")


class Search(NamedTuple):
    """All combinations and their tables.

    Attributes
    ----------
    combinations : DataFrame
        A row for each: division, within, bound, the choices, Δ.
    here : ndarray, shape (n_combinations, 5, 4)
        The MRE by mechanism and budget.
    published : ndarray, shape (5, 4)
        Table III.
    slack : ndarray, shape (5, 4)
        How far off a number may be.
    """

    combinations: pd.DataFrame
    here: np.ndarray
    published: np.ndarray
    slack: np.ndarray

    def met(self) -> np.ndarray:
        """Tell which numbers each combination meets.

        Returns
        -------
        ndarray of bool, shape (n_combinations, 5, 4)
            Whether the number is met.
        """
        return np.asarray(np.abs(self.here - self.published) <= self.slack)


@cache
def search() -> Search:
    """Collect the tables of all combinations from stored rows.

    Returns
    -------
    Search
        The combinations and their tables.
    """
    rows = noise_errors.stored(CABS)
    long = rows.melt(
        ["mechanism", "ε", "convention", "Δ", "division", "within"], list(BOUNDS), "bound", "MRE"
    )
    value = long.set_index(["mechanism", "convention", "Δ", *_MEASURES, "ε"])["MRE"].unstack("ε")
    axes = [DIVISIONS, WITHIN, BOUNDS, *CHOICES.values(), SENSITIVITIES]
    names = [*_MEASURES, *CHOICES, "Δ"]
    combinations = pd.DataFrame(list(product(*axes)), columns=names)
    here = np.stack([_tables(value, combinations, mechanism) for mechanism in CONCERNS], axis=1)
    published, digit = _published()
    return Search(combinations, here, published, np.maximum(CLOSE * published, digit))


def _tables(value: pd.DataFrame, combinations: pd.DataFrame, mechanism: str) -> np.ndarray:
    """The MRE of one mechanism by combination and budget."""
    convention = [name_of(mechanism, each) or NO_CHOICE for each in _conventions(combinations)]
    swept = combinations["Δ"] if mechanism != "LPA(1/ε)" else SENSITIVITIES[0]
    keys = combinations[list(_MEASURES)].assign(
        mechanism=mechanism, convention=convention, swept=swept
    )
    index = pd.MultiIndex.from_frame(keys[["mechanism", "convention", "swept", *_MEASURES]])
    return value.loc[index, list(BUDGETS)].to_numpy()


def _conventions(combinations: pd.DataFrame) -> list[dict[str, Any]]:
    found: Any = combinations[list(CHOICES)].to_dict("records")
    return list(found)


def _published() -> tuple[np.ndarray, np.ndarray]:
    """Table III by mechanism and budget, and half a unit in each last printed digit."""
    numbers = claims.published("kk").query("kind == 'number' and source == 'Table III'").index
    value, digit = np.full((2, len(CONCERNS), len(BUDGETS)), np.nan)
    for claim in map(claims.claim, numbers):
        (mechanism,) = NAMED.get(claim.setting["mechanism"], [claim.setting["mechanism"]])
        at = list(CONCERNS).index(mechanism), BUDGETS.index(claim.setting["epsilon"])
        value[at], digit[at] = claim.value[0], claims.half_digit(claim)
    return value, digit


def literal(found: Search) -> int:
    """Find the combination that is printed.

    Parameters
    ----------
    found : Search
        The combinations.

    Returns
    -------
    int
        Its position.
    """
    printed = LITERAL | {
        "division": DIVISIONS[0],
        "within": WITHIN[0],
        "bound": BOUNDS[0],
        "Δ": PRINTED,
    }
    same = (found.combinations[list(printed)] == pd.Series(printed)).all(axis=1)
    return int(np.flatnonzero(same)[0])


def distance(found: Search) -> np.ndarray:
    """Measure how far each combination's table is from the published one.

    Parameters
    ----------
    found : Search
        The combinations.

    Returns
    -------
    ndarray of float, shape (n_combinations,)
        Mean absolute log ratio of the twenty numbers.
    """
    return np.asarray(_log_ratios(found).mean(axis=(1, 2)))


def _log_ratios(found: Search) -> np.ndarray:
    """Absolute log ratio of each number; 0.0001, which the paper prints as 0, is added to both."""
    return np.abs(np.log((found.here + 1e-4) / (found.published + 1e-4)))


def rank(found: Search) -> np.ndarray:
    """Rank the combinations: the most numbers met first, ties by `distance`.

    Parameters
    ----------
    found : Search
        The combinations.

    Returns
    -------
    ndarray of int
        Positions.
    """
    return np.lexsort((distance(found), -found.met().sum(axis=(1, 2))))


def best_by_chance(found: Search, kind: str, seed: int = 2018) -> np.ndarray:
    """Count what the best combination meets of tables that no code has made.

    Parameters
    ----------
    found : Search
        The combinations.
    kind : {"permuted", "displaced"}
        "permuted": the five published numbers of each budget change places. "displaced": each
        published number is multiplied by a factor between 1/2 and 2, uniform in its logarithm.
    seed : int
        Seed of the `SHUFFLES` draws.

    Returns
    -------
    ndarray of int, shape (SHUFFLES,)
        Numbers that the best combination meets.
    """
    rng = np.random.default_rng(seed)
    flat = found.here.reshape(len(found.here), -1)
    relative = (found.slack / found.published).ravel()
    best = np.empty(SHUFFLES, int)
    for i in range(SHUFFLES):
        if kind == "permuted":
            order = rng.permuted(np.tile(np.arange(len(CONCERNS))[:, None], len(BUDGETS)), axis=0)
            table = np.take_along_axis(found.published, order, 0).ravel()
            slack = np.take_along_axis(found.slack, order, 0).ravel()
        else:
            table = found.published.ravel() * 2 ** rng.uniform(-1, 1, relative.size)
            slack = table * relative
        best[i] = (np.abs(flat - table) <= slack).sum(axis=1).max()
    return best


def restricted(found: Search, **fixed: Sequence[Any]) -> Search:
    """Select the combinations with some choices only.

    Parameters
    ----------
    found : Search
        The combinations.
    **fixed : sequence
        Name of a choice to the values that are allowed.

    Returns
    -------
    Search
        The others are left out.
    """
    allowed = np.ones(len(found.combinations), bool)
    for name, values in fixed.items():
        allowed &= found.combinations[name].isin(values).to_numpy()
    return found._replace(
        combinations=found.combinations[allowed].reset_index(drop=True), here=found.here[allowed]
    )


# -- tables ----------------------------------------------------------------------------------------

_AS_PRINTED = {name: [value] for name, value in LITERAL.items()}
STEPS: dict[
    str, dict[str, list[Any]]
] = {  # what may differ from the paper's text, more at each step
    "nothing": _AS_PRINTED
    | {"division": [DIVISIONS[0]], "within": [WITHIN[0]], "bound": [BOUNDS[0]], "Δ": [PRINTED]},
    "how an error is computed": _AS_PRINTED | {"Δ": [PRINTED]},
    "and the sensitivity": _AS_PRINTED,
    "and the root": {name: value for name, value in _AS_PRINTED.items() if name != "root"},
    "and all about Fourier noise": {},
}


def steps_table(found: Search) -> pd.DataFrame:
    """Show the best combination as more and more may differ from what is printed.

    Parameters
    ----------
    found : Search
        The combinations.

    Returns
    -------
    DataFrame
        A row for each of `STEPS`: combinations tried, numbers met in all and by mechanism, and Δ of
        the best.
    """
    rows = {}
    for step, fixed in STEPS.items():
        part = restricted(found, **fixed)
        best = rank(part)[0]
        met = part.met()[best].sum(axis=1)
        row = {"tried": len(part.here), "met of 20": int(met.sum())}
        row |= dict(zip(CONCERNS, met.tolist(), strict=True))
        rows[step] = row | {"Δ": part.combinations["Δ"].iloc[best]}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("may differ from the text")


def chance_table(found: Search) -> pd.DataFrame:
    """Compare what the best combination meets with what it meets of tables without a code.

    Parameters
    ----------
    found : Search
        The combinations.

    Returns
    -------
    DataFrame
        A row for the published table, the permuted and the displaced ones: mean, 95% quantile and
        maximum of the numbers met, over `SHUFFLES` tables.
    """
    rows = {"published": [float(found.met().sum(axis=(1, 2)).max())] * 3}
    for kind in ("permuted", "displaced"):
        best = best_by_chance(found, kind)
        rows[kind] = [best.mean(), np.quantile(best, 0.95), best.max()]
    columns = ["met by the best, mean", "95% at most", "most"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("table")


def beside(found: Search, position: int) -> pd.DataFrame:
    """Put the table of one combination beside the published one.

    Parameters
    ----------
    found : Search
        The combinations.
    position : int
        The combination.

    Returns
    -------
    DataFrame
        A row for each mechanism and a column for each budget: "here (published)", with an asterisk
        where the number is met.
    """
    met = found.met()[position]
    cells = [
        [
            f"{here:.3g} ({published:g}){'*' if is_met else ''}"
            for here, published, is_met in zip(*of_mechanism, strict=True)
        ]
        for of_mechanism in zip(found.here[position], found.published, met, strict=True)
    ]
    columns = [f"ε = {epsilon:g}" for epsilon in BUDGETS]
    return pd.DataFrame(cells, list(CONCERNS), columns).rename_axis("here (published)")


def by_sensitivity(found: Search, position: int, mechanisms: Sequence[str]) -> pd.DataFrame:
    """Show how the errors of a combination change if only its sensitivity does.

    Parameters
    ----------
    found : Search
        The combinations.
    position : int
        The combination.
    mechanisms : sequence of str
        Some of `CONCERNS`.

    Returns
    -------
    DataFrame
        Text; index mechanism and Δ, with the published errors first; a column for each budget. An
        asterisk marks a number that is met.
    """
    chosen = found.combinations.iloc[position].drop("Δ")
    part = restricted(found, **{str(name): [value] for name, value in chosen.items()})
    met, rows = part.met(), {}
    for mechanism in mechanisms:
        at = list(CONCERNS).index(mechanism)
        rows[mechanism, "published"] = [f"{value:g}" for value in found.published[at]]
        for i, sensitivity in enumerate(part.combinations["Δ"]):
            here = zip(part.here[i, at], met[i, at], strict=True)
            rows[mechanism, f"{sensitivity}"] = [
                f"{x:.3g}{'*' if near else ''}" for x, near in here
            ]
    columns = [f"ε = {epsilon:g}" for epsilon in BUDGETS]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    table.index = pd.MultiIndex.from_tuples(rows, names=["mechanism", "Δ"])
    return table


def gains_table() -> pd.DataFrame:
    """Compute both attackers' privacy gains under each convention, with the published ones.

    Returns
    -------
    DataFrame
        A row for each mechanism and convention: the mean gain of each attacker with a 95% interval
        over targets, and the published gains.
    """
    rows = noise_games.stored(CABS)
    long = rows.melt(
        ["mechanism", "convention", "target"], ["passive", "strategic"], "attacker", "AUC"
    )
    long["gain"] = metrics.privacy_gain(1.0, long["AUC"].to_numpy().clip(0.5))
    means = summaries.means(long, ["mechanism", "convention", "attacker"], "gain")
    table = summaries.texts(means).unstack("attacker", sort=False)
    printed = published_gains()
    for who in ("passive", "strategic"):
        table[f"{who}, published"] = [printed.get((who, name)) for name, _ in table.index]
    return table

"""What there is to say of the claims of the paper on Fano loss.

The paper prints almost no numbers: its results are figures, with an axis from 0 to 1. Each
statement of its text is a predicate that is tested in both directions. Words about curves are read
on that axis, with one margin for all of them: what is within 0.05 cannot be told apart there, so
that a curve is constant, or almost coincides with another one, within 0.05. In ratio such curves
may be powers of ten apart; notes say so. Foursquare and Gowalla are cuts of the data; the flights
by tail stand beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from lib.papers import claims, predicates
from lib.papers.claims import Finding
from lib.papers.fano_loss import experiments as fano
from lib.papers.fano_loss.experiments import ATTACKS, BOUNDS, HALF, MINUS_2, SHORT
from lib.papers.predicates import Estimate, Trend, estimate

SEEN = 0.05  # a distance that can be seen on the axis of a figure, from 0 to 1
FLIGHTS = "flights-by-tail"
CHECK_INS = ("gowalla", "foursquare")
_SWEPT, _PEOPLE = fano.sweeps.defaults, fano.attack_people.defaults
M, T = _SWEPT["n_locations"], _SWEPT["n_epochs"]


def findings() -> Iterator[Finding]:
    """A finding for every claim of the paper."""
    swept = fano.sweeps.stored()
    yield from _sweeps(swept)
    yield from _times(swept)
    yield from _noise(swept, fano.noise_means(fano.noise.stored()))
    yield from _theorems(fano.enumerated_chains.stored())
    yield from _examples()
    for data in CHECK_INS:
        yield from _sizes(data)
        yield from _habits(data)
        yield from _steps(data, swept)
        yield from _people_noise(data)


def _said(
    claim: str, here: Trend, cell: str, note: str = "", data: str = "simulated", given: str = ""
) -> Finding:
    return Finding(f"fano-{claim}", here, data, f"fano-replicated-{cell}", note=note, given=given)


def _on_both(claim: str, parts: dict[str, Trend], cell: str, note: str = "") -> Finding:
    """What is said of check-ins: a cut of them decides, the flights stand beside."""
    cut = next(iter(parts))
    return Finding(
        id=f"fano-{claim.format(cut)}",
        cell=f"fano-replicated-{cell}",
        note=note,
        **claims.beside(parts),
    )


# -- the simulated person ------------------------------------------------------------------------


def _sweeps(rows: pd.DataFrame) -> Iterator[Finding]:
    """Fig. 5."""
    means, errors = (fano.sweep_means(rows, statistic) for statistic in ("mean", "sem"))
    yield from _places(rows, means.loc["M"], errors.loc["M"])
    yield from _steps_asked_for(rows, means.loc["T - s"].sort_index())


def _places(rows: pd.DataFrame, by_m: Any, m_error: Any) -> Iterator[Finding]:
    """Fig. 5, against the number of places."""
    small, large = by_m.index.min(), by_m.index.max()
    given = "we chose 10 places because MAP is near 0.3 there; the paper prints no smallest M"
    yield Finding(
        "fano-fig5-map-small-m",
        estimate(_point(rows, "M", small)["MAP"]),
        "simulated",
        "fano-replicated-fig5",
        given=given,
    )
    note = (
        "tested: each line falls or stays level between neighbours; the tight bound is 1 on the"
        " smallest maps"
    )
    yield _said("fig5-m-decreasing", _falling(by_m[ATTACKS + BOUNDS], m_error), "fig5", note)
    nearer = [
        predicates.greater(_gap(rows, "M", small, bound), _gap(rows, "M", large, bound))
        for bound in BOUNDS
    ]
    note = (
        "tested: each bound minus MAP, at the smallest and the largest M; in between the distance"
        " of the tight bound first rises"
    )
    yield _said("fig5-m-tightness", predicates.every(*nearer), "fig5", note)


def _steps_asked_for(rows: pd.DataFrame, by_s: Any) -> Iterator[Finding]:
    """Fig. 5, against the number of right steps that are asked for."""
    same = "all s use the same sequences, so the order has no sampling error"
    yield _said("fig5-steps-decreasing", _falling(by_s[ATTACKS + BOUNDS]), "fig5", same)
    informative = bool(((by_s["loose"] == 1) & (by_s["tight"] < 1)).any())
    below = [*(by_s["tight"] <= by_s["loose"]), informative]
    note = "tested over s; on the smallest maps the tight bound is above the loose one"
    yield _said("fig5-tight-below-loose", predicates.always(below), "fig5", note)
    at_0 = _point(rows, "T - s", T)
    apart = estimate(at_0["tight"] - at_0[ATTACKS].max(axis=1))
    note = (
        f"within {SEEN}, on the figure's axis; the loss is {at_0['MAP'].mean():.2g} and the bound"
        f" {at_0['tight'].mean():.2g}"
    )
    yield _said("fig5-tight-at-small-s", predicates.close(apart, 0.0, SEEN), "fig5", note)
    constant = predicates.beyond(float(by_s["constant"].loc[1]), SEEN)
    note = f'"non-negligible" means above {SEEN}; the number is the loss minus this margin'
    yield _said("fig5-constant-one-step", constant, "fig5", note)


def _times(rows: pd.DataFrame) -> Iterator[Finding]:
    """Fig. 5, below."""
    means, errors = (fano.sweep_means(rows, statistic) for statistic in ("mean", "sem"))
    half, half_error = means.loc[HALF], errors.loc[HALF]
    flat = predicates.every(*(_level(_estimates(half[n], half_error[n])) for n in ATTACKS))
    first, last = half["MAP"].iloc[0], half["MAP"].iloc[-1]
    note = f"within {SEEN}, on the figure's axis; MAP falls from {first:.2g} to {last:.2g}"
    yield _said("fig5-T-half", flat, "fig5", note)
    two, two_error = means.loc[MINUS_2], errors.loc[MINUS_2]
    first, *others = two.index
    wider = [
        predicates.greater(_gap(rows, MINUS_2, other, bound), _gap(rows, MINUS_2, first, bound))
        for other in others
        for bound in BOUNDS
    ]
    above = (predicates.increasing(_estimates(two[n], two_error[n])) for n in ATTACKS)
    yield _said(
        "fig5-T-minus-2",
        predicates.every(*above, *wider),
        "fig5",
        "the gap is each bound minus MAP, at the smallest T and at every other T",
    )


def _estimates(means: pd.Series, errors: pd.Series) -> list[Estimate]:
    freedom = _SWEPT["n_sequences"] - 1
    return [Estimate(*each, freedom) for each in zip(means, errors, strict=True)]


def _falling(lines: Any, errors: Any = None) -> Trend:
    """Whether every column of a table falls; exact without a table of errors."""
    return predicates.every(
        *(
            predicates.decreasing(
                lines[n].tolist() if errors is None else _estimates(lines[n], errors[n])
            )
            for n in lines
        )
    )


def _point(rows: pd.DataFrame, swept: str, value: int) -> pd.DataFrame:
    return rows[(rows["swept"] == swept) & (rows["value"] == value)]


def _gap(rows: pd.DataFrame, swept: str, value: int, bound: str) -> Estimate:
    """A bound less MAP, over sequences."""
    point = _point(rows, swept, value)
    return estimate(point[bound] - point["MAP"])


def _level(values: list[Estimate]) -> Trend:
    """State that the largest and the smallest cannot be told apart on the figure's axis."""
    return predicates.close(max(values), min(values), SEEN)


def _noise(rows: pd.DataFrame, by_noise: pd.DataFrame) -> Iterator[Finding]:
    """Fig. 7, and what it shares with Fig. 5."""
    large, small = by_noise.loc[M], by_noise.loc[by_noise.index.get_level_values("M").min()]
    below = _falling(large.drop(0.0)[BOUNDS])
    yield _said("fig7-bounds", below, "fig7", "all sigma use the same sequences")
    errors = (large["95% high"] - large["95% low"]) / 3.92
    flat = _level([Estimate(*each) for each in zip(large["MAP"], errors, strict=True)])
    raw, (first, last) = large["MAP"].iloc[0], small["MAP"].iloc[[0, -1]]
    note = (
        f"within {SEEN}, on the figure's axis; at M = {M} MAP succeeds with {raw:.2g} without"
        f" noise, so it cannot fall; on the smallest maps it falls from {first:.2f} to {last:.2f}"
    )
    yield _said("fig7-map-flat", flat, "fig7", note)
    under = [bool((rows[b] >= rows[a] - 1e-12).all()) for b in BOUNDS for a in ATTACKS]
    under += [bool((by_noise[bound] >= by_noise["95% low"]).all()) for bound in BOUNDS]
    note = "checked on exact losses of every sequence; with noise, on the interval of MAP"
    yield _said("bounds-above-estimators", predicates.always(under), "fig5", note)


# -- theorems and examples -----------------------------------------------------------------------


EXPONENT = 0.05  # within which a cost grows with a power
_COST = "we did not count the cost of Eq. 5; its recursion finds what enumeration finds"


def _theorems(rows: pd.DataFrame) -> Iterator[Finding]:
    """Identities, on the enumerated chains, and what the recursions cost."""
    for claim in ("prop1", "prop2"):  # the recursion of the second has no counts, else the same
        note = f"numbers computed and held, at the largest sizes; exponents within {EXPONENT}"
        yield _said(claim, _costs(), "truth", note, "analytic")
    yield Finding("fano-thm1", None, "analytic", "fano-replicated-truth", note=_COST)
    at_zero = rows[rows["s"] == 0]
    best = np.isclose(at_zero["map"], at_zero["best"], rtol=0, atol=1e-9)
    for claim, holds in (
        ("map-optimal-s0", best),
        ("eq3-reduces", "Eq. 3 is Eq. 1"),
        ("ball-s0", "ball at s = 0"),
    ):
        known = rows[holds].dropna().to_numpy(bool) if isinstance(holds, str) else holds
        yield _said(claim, predicates.always(known), "truth", "", "analytic")


def _costs() -> Trend:
    """State that operations grow with T and M squared, and the numbers held with T and M."""
    table = fano.costs.stored().set_index(["T", "M"])
    large = table.index.max()
    half = {"T": (large[0] // 2, large[1]), "M": (large[0], large[1] // 2)}
    powers = {("operations", "T"): 1, ("operations", "M"): 2}
    powers |= {("numbers held", "T"): 1, ("numbers held", "M"): 1}
    steps = []
    for (what, size), power in powers.items():
        ratio = table.loc[large, what] / table.loc[half[size], what]
        steps.append(predicates.close(float(np.log2(ratio)), power, EXPONENT))
    return predicates.every(*steps)


def _examples() -> Iterator[Finding]:
    """Example 1 and 2, Eq. 4 and the formula of differential privacy."""
    one, two = fano.one_count.stored(), fano.two_counts.stored().set_index("person")["success"]
    as_said = [
        bool(np.allclose(one["I"], one["h(p)"])),
        bool(one["advantage, loose bound"].is_monotonic_decreasing),
    ]
    yield _said(
        "ex1", predicates.always(as_said), "examples", "computed by closed forms", "analytic"
    )
    more = predicates.always([bool(two["stays (0.96)"] > two["moves (0.2)"])])
    how = "computed by MAP and the chain's own probabilities"
    yield _said("ex2", more, "examples", how, "analytic")
    how = "checked for one step by quadrature; several steps follow by summing"
    yield _said("eq4-bound", predicates.always(_eq_4()), "eq4", how, "analytic")
    loss, given = (
        fano.epsilon.stored(),
        "the paper's own formula was evaluated, so it cannot disagree",
    )
    infinite = predicates.always((loss["raw"] == np.inf).to_numpy())
    yield _said("dp-uniform", infinite, "fig7", "the formula contains no chain", "analytic", given)
    grows = predicates.increasing(loss["printed"].tolist())
    yield _said(
        "dp-eps",
        grows,
        "fig7",
        "evaluated as printed; it is proven only below 1",
        "analytic",
        given,
    )


def _eq_4() -> list[bool]:
    """Whether the closed form is an upper bound that falls from the entropies to 0."""
    table = fano.eq_4.stored().set_index(["p", "σ"])
    printed, itself = (table[name].unstack("p") for name in ("Eq. 4", "itself"))
    raw, printed, itself = printed.loc[0.0], printed.drop(0.0), itself.drop(0.0)
    return [
        bool((printed >= itself - 1e-9).all(axis=None)),
        bool((printed.diff().iloc[1:] <= 1e-12).all(axis=None)),
        bool(np.allclose(printed.iloc[0], raw)),
        bool((printed.iloc[-1] < 1e-4).all()),
    ]


# -- check-ins -----------------------------------------------------------------------------------


_SET = {
    "timesteps": "set: the window that gives the paper's number",
    "locations": "set: a hundred places and elsewhere",
    "t": "set: the last steps are attacked",
    "min-active": "set: users who are active in fewer steps are left out",
}


def _sizes(data: str) -> Iterator[Finding]:
    """What Sec. 4.1 counts; what was set is no finding."""
    size = fano.dataset_sizes.stored(data).set_index("stage").loc["active enough"]
    here = {
        "users": size["users"],
        "timesteps": size["time steps"],
        "locations": size["locations"],
        "t": _PEOPLE["n_test"],
        "min-active": size["fewest active steps"],
    }
    for what, value in here.items():
        name = f"fano-data-{data}-{what}"
        given = _SET.get(what, "") if value == claims.claim(name).value[0] else ""
        yield Finding(
            name,
            float(value) if given else None,
            data,
            "fano-replicated-data",
            note="" if given else f"our part of the data has {value:g}",
            given=given,
        )


def _habits(data: str) -> Iterator[Finding]:
    """Fig. 3 and 4."""
    rows = {each: fano.habits.stored(each) for each in (data, FLIGHTS)}
    (spread, _), (wider, _) = (_fig_3(rows[data], chains) for chains in fano.CHAINS)
    parts = {each: _fig_3(found, "as decided")[1] for each, found in rows.items()}
    note = (
        '"often" means in a quarter of the training steps, or once if nobody has so many visits;'
        " tested: 80% of the users who were never seen spread over half of the axis; they spread"
        f" over {spread:.2f} of it, and with one added to each transition over {wider:.2f}"
    )
    yield _on_both("fig3-{}", parts, "fig3", note)
    each: dict[str, Any] = {n: fano.correlations(found).loc[n] for n, found in rows.items()}
    parts = {name: _fig_4(found.loc["settled only"]) for name, found in each.items()}
    mine = each[data]["correlation"]
    note = (
        "without users whose chain has no unique stationary distribution; Spearman's correlation"
        f" over all users is {mine['as decided']:.2f}, and with one added to each transition"
        f" {mine['one added']:.2f}"
    )
    yield _on_both("fig4-{}", parts, "fig4", note)


def _fig_3(rows: pd.DataFrame, chains: str) -> tuple[float, Trend]:
    """Fig. 3: the often seen above the never seen, who fill half of the axis."""
    table = rows[rows["chains"] == chains]
    never = fano.bounds_by_visits(table).xs("never", level="visits").iloc[0]
    quarter = table["training steps"].iloc[0] / 4
    enough = quarter if (table["visits"] >= quarter).sum() > 1 else 1
    often, rest = (
        estimate(table.loc[who, "fixed"])
        for who in (table["visits"] >= enough, table["visits"] == 0)
    )
    spread = never["90%"] - never["10%"]
    return spread, predicates.every(predicates.greater(often, rest), predicates.beyond(spread, 0.5))


def _fig_4(found: pd.Series) -> Trend:
    """Fig. 4: a negative correlation, and slow movers with small bounds."""
    if np.isnan(found["correlation"]):
        return predicates.undefined("every bound is the same, so there is no correlation")
    correlation = Estimate(found["correlation"], found["error"], found["users"] - 1)
    return predicates.every(
        predicates.greater(0.0, correlation), predicates.greater(found["slow, bound < 1/2"], 0.5)
    )


def _steps(data: str, swept: pd.DataFrame) -> Iterator[Finding]:
    """Fig. 6: falling with T - s, and above the simulated person."""
    yield _on_both("fig6-{}", {each: _fewer_steps(each) for each in (data, FLIGHTS)}, "fig6")
    parts = {each: _above_simulated(each, swept) for each in (data, FLIGHTS)}
    s, asked = _PEOPLE["real_errors"], _PEOPLE["n_test"] - _PEOPLE["real_errors"]
    note = f"tested at s = {s}, with {asked} right steps, for MAP and the constant guess"
    yield _on_both("fig6-{}-above-simulated", parts, "fig6", note)


def _fewer_steps(data: str) -> Trend:
    """Whether every line falls with the number of right steps that are asked for."""
    rows, lucky = fano.attack_people.stored(data), fano.constant_guesses.stored(data)
    here, error = (table.loc[data].sort_index() for table in fano.step_means(rows, lucky))
    users = rows["user"].nunique()
    return predicates.every(
        *(
            predicates.decreasing(
                [Estimate(*each, users - 1) for each in zip(here[n], error[n], strict=True)]
            )
            for n in ("loose", "tight", "MAP", "prior", "constant")
        )
    )


def _above_simulated(data: str, swept: pd.DataFrame) -> Trend:
    """Whether MAP and the constant do better than on the simulated person, at the same T and s."""
    asked = _PEOPLE["n_test"] - _PEOPLE["real_errors"]
    beside = _point(swept, SHORT, asked)
    rows = fano.attack_people.stored(data)
    mine = rows[(rows["σ"] == 0) & (rows["T - s"] == asked)]["MAP"]
    more = predicates.greater(estimate(mine), estimate(beside["MAP"]))
    hits, n = fano.constant_guesses.stored(data).set_index("T - s").loc[asked, ["hits", "users"]]
    # the luckiest of n_places is looked at, and hits are few: exact, and times the places
    by_luck = min(1.0, _PEOPLE["n_places"] * stats.binom.sf(hits - 1, n, beside["constant"].mean()))
    return predicates.every(more, predicates.always([bool(by_luck < 0.05)]))


def _people_noise(data: str) -> Iterator[Finding]:
    """Fig. 8."""
    both = {each: _by_sigma(each) for each in (data, FLIGHTS)}
    means: Any = fano.people_noise_means(fano.attack_people.stored(data))
    added = means.loc[data, "tight, one added"]
    falls = {name: _bounds_fall(table) for name, table in both.items()}
    note = (
        "a bound that is always 1 does not fall; with one added to each transition the tight bound"
        f" falls from {added.iloc[1]:.4g} to {added.iloc[-1]:.4g}"
    )
    yield _on_both("fig8-{}-bounds", falls, "fig8", note)
    flat = {name: _map_is_flat(table) for name, table in both.items()}
    note = f"within {SEEN}; raw counts minus each noise, paired over users"
    yield _on_both("fig8-{}-map-flat", flat, "fig8", note)
    above = {name: _crosses(table["tight"]) for name, table in both.items()}
    note = "tested: the tight bound at any of the noises, paired over users"
    yield _on_both("fig8-{}-crossing", above, "fig8", note)


def _bounds_fall(table: Any) -> Trend:
    falls = (predicates.decreasing(table[bound].drop(columns=0.0)) for bound in BOUNDS)
    return predicates.every(*falls)


def _map_is_flat(table: Any) -> Trend:
    raw, noisy = table["MAP"][0.0], table["MAP"].drop(columns=0.0)
    near = (predicates.close(estimate(raw - noisy[sigma]), 0.0, SEEN) for sigma in noisy)
    return predicates.every(*near)


def _crosses(tight: Any) -> Trend:
    """State that the bound of noisy counts is above that of raw ones for some noise."""
    rises = (estimate(tight[sigma] - tight[0.0]) for sigma in tight.columns.drop(0.0))
    return predicates.any_positive(*rises)


def _by_sigma(data: str) -> Any:
    """Bounds and MAP, a row a user, a column each and noise, at the steps asked for with noise."""
    rows, asked = fano.attack_people.stored(data), _PEOPLE["n_test"] - _PEOPLE["real_errors"]
    wide = rows[rows["T - s"] == asked].pivot(index="user", columns="σ", values=[*BOUNDS, "MAP"])
    return wide.sort_index(axis=1, level="σ", sort_remaining=False)

"""What there is to say of the claims of the paper on Fano loss.

The paper prints almost no numbers: its results are figures. Each statement of its text is a
predicate that is true or false at 95%. Losses span ten powers of ten, so that margins of ours are
relative: a curve is level, or constant, where it stays within a quarter of its value, and a bound
almost coincides with a loss where it is below its double. Foursquare and Gowalla are cuts of the
data; what is said of them is judged on the flights by tail too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from lib.papers import claims, predicates
from lib.papers.claims import Finding, Why, because, unexplained
from lib.papers.fano_loss import experiments as fano
from lib.papers.fano_loss.experiments import ATTACKS, BOUNDS, HALF, MINUS_2, SHORT
from lib.papers.predicates import Estimate, Trend, estimate

SEEN = 0.05  # a loss that can be seen on the axis: "non-negligible"
FLAT, TWICE = 0.25, 2.0
FLIGHTS = "flights-by-tail"
CHECK_INS = ("gowalla", "foursquare")
OURS = "on a cut of the data"
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
    claim: str,
    here: Trend,
    cell: str,
    note: str = "",
    data: str = "simulated",
    why: Why | None = None,
    given: str = "",
) -> Finding:
    return Finding(
        f"fano-{claim}", here, data, f"fano-replicated-{cell}", why or unexplained(), note, given
    )


def _on_both(
    claim: str,
    data: str,
    parts: dict[str, Trend],
    cell: str,
    *rows: str,
    note: str = "",
    added: str = "",
    enough: bool = False,
) -> Finding:
    """What is said of check-ins, judged on them and on the flights.

    added   what one added to each transition changes on the check-ins, as kept in the first rows
    enough  whether what is said holds on them then
    """
    here, why = claims.on_each(parts, *rows)
    if added and enough:
        why = because(f"with one added to each transition it is so: {added}", rows[0])
    elif added and not any(part.holds for part in parts.values()):
        why = unexplained((f"one added to each transition: {added}", rows[0]))
    note = "; ".join(filter(None, [OURS, note]))
    return _said(claim.format(data), here, cell, note, ", ".join(parts), why)


# -- the simulated person ------------------------------------------------------------------------


def _sweeps(rows: pd.DataFrame) -> Iterator[Finding]:
    """Fig. 5."""
    means, errors = (fano.sweep_means(rows, statistic) for statistic in ("mean", "sem"))
    by_m, m_error, by_s = means.loc["M"], errors.loc["M"], means.loc["T - s"].sort_index()
    small, large = by_m.index.min(), by_m.index.max()
    lines = ATTACKS + BOUNDS
    map_loss = estimate(_point(rows, "M", small)["MAP"])
    yield Finding(
        "fano-fig5-map-small-m",
        map_loss,
        "simulated",
        "fano-replicated-fig5",
        given="the paper does not print the smallest M: 10 was chosen because MAP is near"
        " 0.3 there",
    )
    below = _falling(by_m[lines], m_error)
    yield _said(
        "fig5-m-decreasing",
        below,
        "fig5",
        "each line falls, or is level, between any "
        "two neighbours; the tight bound is 1 in the smallest maps",
    )
    nearer = [
        predicates.greater(_gap(rows, "M", small, bound), _gap(rows, "M", large, bound))
        for bound in BOUNDS
    ]
    yield _said(
        "fig5-m-tightness",
        predicates.every(*nearer),
        "fig5",
        "each bound less MAP, at the "
        "smallest and the largest M; in between the tight one first rises",
    )
    below = _falling(by_s[lines])
    yield _said(
        "fig5-steps-decreasing",
        below,
        "fig5",
        "the same sequences for every s, so the order has no sampling error",
    )
    informative = bool(((by_s["loose"] == 1) & (by_s["tight"] < 1)).any())
    below = predicates.always((by_s["tight"] <= by_s["loose"]).to_numpy())
    below = predicates.every(below, predicates.always([informative]))
    yield _said(
        "fig5-tight-below-loose",
        below,
        "fig5",
        "in the sweep of s; in the smallest maps the tight bound is above the loose one",
    )
    at_0 = _point(rows, "T - s", T)
    same = predicates.ours(
        predicates.greater(estimate(TWICE * at_0[ATTACKS].max(axis=1) - at_0["tight"]))
    )
    yield _said(
        "fig5-tight-at-small-s",
        same,
        "fig5",
        why=because(
            f"near on the axis of the figure, where the loss is {at_0['MAP'].mean():.2g} and the "
            f"bound {at_0['tight'].mean():.2g}",
            "fano-sweeps",
        ),
    )
    constant = Estimate(float(by_s["constant"].loc[1]))
    yield _said(
        "fig5-constant-one-step",
        predicates.beyond(constant, SEEN),
        "fig5",
        f"non-negligible is read as above {SEEN}; here is what the loss has beyond it",
    )


def _times(rows: pd.DataFrame) -> Iterator[Finding]:
    """Fig. 5, below."""
    means, errors = (fano.sweep_means(rows, statistic) for statistic in ("mean", "sem"))
    half, half_error = means.loc[HALF], errors.loc[HALF]
    flat = predicates.every(*(_level(_estimates(half[n], half_error[n])) for n in ATTACKS))
    yield _said(
        "fig5-T-half",
        flat,
        "fig5",
        why=because(
            f"level on the axis of the figure; MAP falls from {half['MAP'].iloc[0]:.2g} to "
            f"{half['MAP'].iloc[-1]:.2g}",
            "fano-sweeps",
        ),
    )
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
        "the gap: each bound less MAP, at the smallest T and at every other",
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
    """Whether the largest and the smallest are within a quarter of the first."""
    high, low = max(values), min(values)
    return predicates.close(high, low, FLAT * values[0].value)


def _noise(rows: pd.DataFrame, by_noise: pd.DataFrame) -> Iterator[Finding]:
    """Fig. 7, and what it shares with Fig. 5."""
    large, small = by_noise.loc[M], by_noise.loc[by_noise.index.get_level_values("M").min()]
    below = _falling(large.drop(0.0)[BOUNDS])
    yield _said("fig7-bounds", below, "fig7", "the same sequences for every sigma")
    errors = (large["95% high"] - large["95% low"]) / 3.92
    flat = _level([Estimate(*each) for each in zip(large["MAP"], errors, strict=True)])
    yield _said(
        "fig7-map-flat",
        flat,
        "fig7",
        why=because(
            f"at M = {M} MAP has {large['MAP'].iloc[0]:.2g} without noise, hits are too few to "
            f"tell; in the smallest maps it falls from {small['MAP'].iloc[0]:.2f} to "
            f"{small['MAP'].iloc[-1]:.2f}",
            "fano-noise",
        ),
    )
    under = [bool((rows[b] >= rows[a] - 1e-12).all()) for b in BOUNDS for a in ATTACKS]
    under += [bool((by_noise[bound] >= by_noise["95% low"]).all()) for bound in BOUNDS]
    yield _said(
        "bounds-above-estimators",
        predicates.always(under),
        "fig5",
        "exact losses, every sequence of every sweep; with noise, the interval of MAP",
    )


# -- theorems and examples -----------------------------------------------------------------------


_COST = "costs are not measured here; that the recursion finds what enumeration finds is shown"


def _theorems(rows: pd.DataFrame) -> Iterator[Finding]:
    """Identities, on the enumerated chains; what is said of costs is not measured."""
    for claim in ("prop1", "prop2", "thm1"):
        yield Finding(f"fano-{claim}", None, "analytic", "fano-replicated-truth", note=_COST)
    at_zero = rows[rows["s"] == 0]
    best = np.isclose(at_zero["map"], at_zero["best"], rtol=0, atol=1e-9)
    for claim, holds in (
        ("map-optimal-s0", best),
        ("eq3-reduces", "Eq. 3 is Eq. 1"),
        ("ball-s0", "ball at s = 0"),
    ):
        known = rows[holds].dropna().to_numpy(bool) if isinstance(holds, str) else holds
        yield _said(claim, predicates.always(known), "truth", "", "analytic")


def _examples() -> Iterator[Finding]:
    """Example 1 and 2, Eq. 4 and the formula of differential privacy."""
    one, two = fano.one_count.stored(), fano.two_counts.stored().set_index("person")["success"]
    as_said = [
        bool(np.allclose(one["I"], one["h(p)"])),
        bool(one["advantage, loose bound"].is_monotonic_decreasing),
    ]
    yield _said("ex1", predicates.always(as_said), "examples", "by closed forms", "analytic")
    yield _said(
        "ex2",
        predicates.always([bool(two["stays (0.96)"] > two["moves (0.2)"])]),
        "examples",
        "by MAP and the chain's own probabilities",
        "analytic",
    )
    table = fano.eq_4.stored().set_index(["p", "σ"])
    printed, itself = (table[name].unstack("p") for name in ("Eq. 4", "itself"))
    raw, printed, itself = printed.loc[0.0], printed.drop(0.0), itself.drop(0.0)
    as_said = [
        bool((printed >= itself - 1e-9).all(axis=None)),
        bool((printed.diff().iloc[1:] <= 1e-12).all(axis=None)),
        bool(np.allclose(printed.iloc[0], raw)),
        bool((printed.iloc[-1] < 1e-4).all()),
    ]
    yield _said(
        "eq4-bound",
        predicates.always(as_said),
        "eq4",
        "one step, by quadrature; more steps follow by summing",
        "analytic",
    )
    loss, formula = fano.epsilon.stored(), "a formula of the paper, evaluated: it cannot disagree"
    yield _said(
        "dp-uniform",
        predicates.always((loss["raw"] == np.inf).to_numpy()),
        "fig7",
        "no chain enters it",
        "analytic",
        given=formula,
    )
    grows = predicates.increasing(loss["printed"].tolist())
    yield _said(
        "dp-eps", grows, "fig7", "as printed; proven below 1 only", "analytic", given=formula
    )


# -- check-ins -----------------------------------------------------------------------------------


_SET = {
    "timesteps": "set: the window that gives the paper's number",
    "locations": "set: a hundred places and elsewhere",
    "t": "set: the last steps are attacked",
    "min-active": "set: who is active in fewer steps is left out",
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
        same = value == claims.claim(name).value[0]
        given = _SET.get(what, "") if same else ""
        yield Finding(
            name,
            float(value),
            data,
            "fano-replicated-data",
            note=f"{OURS}: the whole of it is not at hand",
            given=given,
        )


def _habits(data: str) -> Iterator[Finding]:
    """Fig. 3 and 4."""
    rows = {each: fano.habits.stored(each) for each in (data, FLIGHTS)}
    (spread, _), (wider, other) = (_fig_3(rows[data], chains) for chains in fano.CHAINS)
    parts = {each: _fig_3(found, "as decided")[1] for each, found in rows.items()}
    yield _on_both(
        "fig3-{}",
        data,
        parts,
        "fig3",
        "fano-habits",
        note="often: a quarter of the "
        "training steps, or any visit if nobody has so many; half of the axis is asked "
        f"of 80% of the never seen, who fill {spread:.2f} of it",
        added=f"they fill {wider:.2f}",
        enough=other.holds,
    )
    each: dict[str, Any] = {n: fano.correlations(found).loc[n] for n, found in rows.items()}
    parts = {name: _fig_4(found.loc["settled only"]) for name, found in each.items()}
    mine = each[data]["correlation"]
    yield _on_both(
        "fig4-{}",
        data,
        parts,
        "fig4",
        "fano-habits",
        note="without the users whose "
        "chain has no unique law; Spearman's correlation with all of them is "
        f"{mine['as decided']:.2f}",
        added=f"{mine['one added']:.2f}",
        enough=_fig_4(each[data].loc["one added"]).holds,
    )


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
    if np.isnan(found["correlation"]):  # every bound is the same
        return predicates.always([False])
    correlation = Estimate(found["correlation"], found["error"], found["users"] - 1)
    return predicates.every(
        predicates.greater(0.0, correlation), predicates.greater(found["slow, bound < 1/2"], 0.5)
    )


def _steps(data: str, swept: pd.DataFrame) -> Iterator[Finding]:
    """Fig. 6: falling with T - s, and above the simulated person."""
    yield _on_both(
        "fig6-{}",
        data,
        {each: _fewer_steps(each) for each in (data, FLIGHTS)},
        "fig6",
        "fano-people",
    )
    parts = {each: _above_simulated(each, swept) for each in (data, FLIGHTS)}
    s, asked = _PEOPLE["real_errors"], _PEOPLE["n_test"] - _PEOPLE["real_errors"]
    yield _on_both(
        "fig6-{}-above-simulated",
        data,
        parts,
        "fig6",
        "fano-people",
        "fano-constants",
        note=f"at s = {s}: {asked} right steps, MAP and constant",
    )


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
    added: Any = fano.people_noise_means(fano.attack_people.stored(data)).loc[
        data, "tight, one added"
    ]
    parts = {}
    for name, table in both.items():
        falls = [predicates.decreasing(table[bound].drop(columns=0.0)) for bound in BOUNDS]
        parts[name] = predicates.every(*falls)
    yield _on_both(
        "fig8-{}-bounds",
        data,
        parts,
        "fig8",
        "fano-people",
        note="a bound that is 1 throughout does not fall",
        added=f"tight falls from {added.iloc[1]:.4g} to {added.iloc[-1]:.4g}",
    )
    flat = {}
    for name, table in both.items():
        raw, noisy = table["MAP"][0.0], table["MAP"].drop(columns=0.0)
        within = FLAT * raw.mean()
        near = [predicates.close(estimate(raw - noisy[sigma]), 0.0, within) for sigma in noisy]
        flat[name] = predicates.every(*near)
    yield _on_both(
        "fig8-{}-map-flat",
        data,
        flat,
        "fig8",
        "fano-people",
        note="raw counts less every noise, paired over users",
    )
    above = {
        name: predicates.any_positive(
            *(
                estimate(table["tight"][sigma] - table["tight"][0.0])
                for sigma in table["tight"].columns.drop(0.0)
            )
        )
        for name, table in both.items()
    }
    yield _on_both(
        "fig8-{}-crossing",
        data,
        above,
        "fig8",
        "fano-people",
        note="tight bound at any of the noises, paired over users",
    )


def _by_sigma(data: str) -> Any:
    """Bounds and MAP, a row a user, a column each and noise, at the steps asked for with noise."""
    rows, asked = fano.attack_people.stored(data), _PEOPLE["n_test"] - _PEOPLE["real_errors"]
    wide = rows[rows["T - s"] == asked].pivot(index="user", columns="σ", values=[*BOUNDS, "MAP"])
    return wide.sort_index(axis=1, level="σ", sort_remaining=False)

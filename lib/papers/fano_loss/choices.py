"""Verdicts on claims of the paper on Fano loss under our choices and under alternatives.

Where the paper prints a word, such as "almost" or "tight", a choice of ours decides. Each line of
the table gives the verdict with our choice and with another one. All of these choices were made
after the results were known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from lib.papers import predicates
from lib.papers.fano_loss import experiments as fano
from lib.papers.fano_loss.experiments import ATTACKS, BOUNDS, HALF, MINUS_2, SHORT
from lib.papers.predicates import Estimate, Trend, estimate

AGAIN = "(as above)"
COLUMNS = ("sentence", "our choice", "verdict", "alternative", "verdict under it", "at σ = 1")
DASH = "–"  # no other setting, or MAP succeeded in no run at σ = 1, so that no ratio is known
SUBSTITUTE = {"supported": "consistent", "contradicted": "inconsistent"}
FOURSQUARE, GOWALLA = "foursquare", "gowalla"
MARGIN, STRICT = 0.05, 0.001
M, T = fano.sweeps.defaults["n_locations"], fano.sweeps.defaults["n_epochs"]
DECIDED, ADDED = fano.CHAINS  # ways to estimate a user's chain
SETTLED = "settled only"
IN_PART, EACH_STEP = "lines may be level in part", "lines fall at every step"
BY_DIFFERENCE, BY_RATIO = "we compare differences", "we compare ratios"
ANY_FALL, VISIBLE_FALL = "a fall of any size", f"a fall of more than {MARGIN}"


class Line(NamedTuple):
    """The verdict on a claim under our choice and under another one.

    `claim` is the name in the table of claims, without the paper's short name. `at_sigma` is the
    verdict under the other choice for counts with σ = 1, not raw; it is a dash for claims that are
    not about Fig. 5.
    """

    claim: str
    sentence: str
    choice: str
    verdict: str
    alternative: str
    verdict_under_it: str
    at_sigma: str = DASH


def table() -> pd.DataFrame:
    """Judge the claims that a choice of ours could decide, with alternatives.

    Returns
    -------
    pandas.DataFrame
        A row for each claim and alternative; columns `COLUMNS`, the first as index.
    """
    judged = pd.DataFrame(lines()).drop(columns="claim")
    return judged.set_axis(list(COLUMNS), axis=1).set_index(COLUMNS[0])


def lines() -> list[Line]:
    """Judge the claims that a choice of ours decides, and keep their names.

    Returns
    -------
    list of Line
        The simulated person and the costs first, then people.
    """
    return [*_of_both_settings(), *_of_noise(), *_of_costs(), *_of_habits(), *_of_attacked()]


def _line(claim: str, sentence: str, ours: str, mine: Trend, other: str, theirs: Trend) -> Line:
    return Line(claim, sentence, ours, mine.verdict, other, theirs.verdict)


def _substitute(
    claim: str, sentence: str, ours: str, mine: Trend, other: str, theirs: Trend
) -> Line:
    """A line about substitutes for the paper's data, which support nothing."""
    said = [SUBSTITUTE.get(each.verdict, each.verdict) for each in (mine, theirs)]
    return Line(claim, sentence, ours, said[0], other, said[1])


# -- the simulated person ------------------------------------------------------------------------


def _of_both_settings() -> Iterator[Line]:
    """Lines about Fig. 5, judged for raw counts and for counts with σ = 1."""
    settings = fano.sweeps.stored(), fano.noisy_sweeps.stored()
    for raw, noisy in zip(*map(_of_simulated, settings), strict=True):
        ours = raw.verdict if raw.verdict == noisy.verdict else predicates.UNDECIDED
        known = noisy.verdict_under_it != predicates.UNDEFINED
        yield raw._replace(verdict=ours, at_sigma=noisy.verdict_under_it if known else DASH)


def _of_simulated(rows: pd.DataFrame) -> Iterator[Line]:
    return chain(_of_places(rows), _of_required(rows), _of_steps(rows))


def _of_places(rows: pd.DataFrame) -> Iterator[Line]:
    """Lines on the panel of Fig. 5 whose axis is M."""
    title, claim = "loss falls with M", "fig5-m-decreasing"
    strict = _falls(rows, "M", strictly=True)
    yield _line(claim, title, IN_PART, _falls(rows, "M"), EACH_STEP, strict)
    title, claim = "bounds come closer for large M", "fig5-m-tightness"
    yield _line(claim, title, BY_DIFFERENCE, _closer(rows), BY_RATIO, _closer(rows, ratio=True))
    ends, all_maps = "only the smallest and the largest M", "no rise between any two M"
    yield _line(claim, AGAIN, ends, _closer(rows), all_maps, _closer(rows, everywhere=True))


def _of_required(rows: pd.DataFrame) -> Iterator[Line]:
    """Lines on the panel of Fig. 5 whose axis is T - s."""
    title, claim = "loss falls with T - s", "fig5-steps-decreasing"
    strict = _falls(rows, "T - s", strictly=True)
    yield _line(claim, title, IN_PART, _falls(rows, "T - s"), EACH_STEP, strict)
    visible = _falls_visibly(_ends(rows, "T - s"))
    yield _line(claim, AGAIN, ANY_FALL, _falls(rows, "T - s"), VISIBLE_FALL, visible)
    title, claim = "tight bound below loose bound", "fig5-tight-below-loose"
    ours, other = f"M = {M} and every s", "s = 5 and every M"
    yield _line(claim, title, ours, _below(rows, "T - s"), other, _below(rows, "M"))
    title, claim = "tight bound almost matches at small s", "fig5-tight-at-small-s"
    yield _line(claim, title, "s = 0", _near(rows, 0), "s = 3", _near(rows, 3))
    by_ratio = _near(rows, 0, ratio=True)
    yield _line(claim, AGAIN, "within 0.05", _near(rows, 0), "within a factor of 2", by_ratio)
    title, claim = "constant guess not negligible", "fig5-constant-one-step"
    yield _line(
        claim, title, "above 0.05", _constant(rows, MARGIN), "above 0.1", _constant(rows, 0.1)
    )


def _of_steps(rows: pd.DataFrame) -> Iterator[Line]:
    """Lines on the panels of Fig. 5 whose axis is T."""
    title, claim = "attacks almost constant in T", "fig5-T-half"
    yield _line(
        claim, title, "within 0.05", _level(rows), "within a factor of 2", _level(rows, ratio=True)
    )
    ours, other = "attacks only", "both bounds, too"
    yield _line(claim, AGAIN, ours, _level(rows), other, _level(rows, [*ATTACKS, *BOUNDS]))
    title, claim = "bounds tightest at T = 2", "fig5-T-minus-2"
    yield _line(claim, title, BY_DIFFERENCE, _tightest(rows), BY_RATIO, _tightest(rows, ratio=True))
    # a line that grows falls if its ends are exchanged
    reversed_ends = ([last, first] for first, last in _ends(rows, MINUS_2)[: len(ATTACKS)])
    visible = predicates.every(_tightest(rows), _falls_visibly(reversed_ends))
    ours, other = "attacks grow by any amount", f"attacks grow by more than {MARGIN}"
    yield _line(claim, AGAIN, ours, _tightest(rows), other, visible)


def _point(rows: pd.DataFrame, swept: str, value: int) -> pd.DataFrame:
    return rows[(rows["swept"] == swept) & (rows["value"] == value)]


def _unknown(rows: pd.DataFrame, ratio: bool) -> bool:
    """Whether ratios to MAP are asked for, and MAP succeeded in none of some simulated runs."""
    return ratio and bool((rows["MAP"] == 0).any())


_NEVER = predicates.undefined("MAP succeeded in no run")


def _values(rows: pd.DataFrame, swept: str) -> list[int]:
    return sorted(rows.loc[rows["swept"] == swept, "value"].unique())


def _falls(rows: pd.DataFrame, swept: str, strictly: bool = False) -> Trend:
    """Whether all attacks and both bounds fall; over T - s all points share their sequences."""
    kept: dict[str, list[Any]] = {}
    for name in (*ATTACKS, *BOUNDS):
        found = [estimate(_point(rows, swept, value)[name]) for value in _values(rows, swept)]
        kept[name] = [each.value for each in found] if swept == "T - s" else found
    if not strictly:
        return predicates.every(*map(predicates.decreasing, kept.values()))
    # where every sequence gives the same value, such as a bound of 1, there is nothing to estimate
    exact = (
        [each.value if isinstance(each, Estimate) and each.error == 0 else each for each in found]
        for found in kept.values()
    )
    steps = (pairwise(each) for each in exact)
    return predicates.every(*(predicates.greater(*pair) for each in steps for pair in each))


def _ends(rows: pd.DataFrame, swept: str) -> list[list[float]]:
    """The first and the last mean of all attacks and both bounds."""
    means = [_point(rows, swept, value).mean(numeric_only=True) for value in _values(rows, swept)]
    return [[float(means[i][name]) for i in (0, -1)] for name in (*ATTACKS, *BOUNDS)]


def _falls_visibly(lines: Iterable[Sequence[float]]) -> Trend:
    """Whether the last mean of every line is below the first by more than the margin.

    As in `_falls` over T - s, sampling errors are left out: all points of a line share their
    sequences.
    """
    return predicates.every(*(predicates.beyond(first - last, MARGIN) for first, last in lines))


def _distance(rows: pd.DataFrame, swept: str, value: int, bound: str, ratio: bool) -> Estimate:
    """How far a bound is from MAP: their difference, or the logarithm of their ratio."""
    point = _point(rows, swept, value)
    if ratio:
        return estimate(np.log2(point[bound] / point["MAP"]))
    return estimate(point[bound] - point["MAP"])


def _closer(rows: pd.DataFrame, ratio: bool = False, everywhere: bool = False) -> Trend:
    """Whether both bounds are closer to MAP on the largest map than on the smallest.

    With `everywhere`, the distance also may not rise significantly between any two maps.
    """
    if _unknown(rows, ratio):
        return _NEVER
    if everywhere:
        found = (
            [_distance(rows, "M", m, bound, ratio) for m in _values(rows, "M")] for bound in BOUNDS
        )
        return predicates.every(*map(predicates.decreasing, found))
    first, *_, last = _values(rows, "M")
    pairs = ([_distance(rows, "M", m, bound, ratio) for m in (first, last)] for bound in BOUNDS)
    return predicates.every(*(predicates.greater(*pair) for pair in pairs))


def _below(rows: pd.DataFrame, swept: str) -> Trend:
    """Whether the tight bound is nowhere above the loose one, and informative where it is not."""
    means = fano.sweep_means(rows).loc[swept]
    informative = bool(((means["loose"] == 1) & (means["tight"] < 1)).any())
    return predicates.always([*(means["tight"] <= means["loose"]), informative])


def _near(rows: pd.DataFrame, s: int, ratio: bool = False) -> Trend:
    """Whether the tight bound is near the best attack."""
    if _unknown(rows, ratio):
        return _NEVER
    at = _point(rows, "T - s", T - s)
    bound, best = at["tight"], at[ATTACKS].max(axis=1)
    if ratio:
        return predicates.close(estimate(np.log2(bound / best)), 0.0, 1.0)
    return predicates.close(estimate(bound - best), 0.0, MARGIN)


def _constant(rows: pd.DataFrame, limit: float) -> Trend:
    """Whether the constant guess succeeds if a single step must be right."""
    return predicates.beyond(float(_point(rows, "T - s", 1)["constant"].mean()), limit)


def _level(rows: pd.DataFrame, names: Sequence[str] = ATTACKS, ratio: bool = False) -> Trend:
    """Whether attacks, or other lines, are level in T if half of the steps may be wrong."""
    if _unknown(rows, ratio):
        return _NEVER
    level = []
    for name in names:
        points = [_point(rows, HALF, t)[name] for t in _values(rows, HALF)]
        found = [estimate(np.log2(each) if ratio else each) for each in points]
        level.append(predicates.close(max(found), min(found), 1.0 if ratio else MARGIN))
    return predicates.every(*level)


def _tightest(rows: pd.DataFrame, ratio: bool = False) -> Trend:
    """Whether attacks grow with T and bounds are closest to MAP at the smallest T."""
    if _unknown(rows, ratio):
        return _NEVER
    first, *others = _values(rows, MINUS_2)
    grow = (
        predicates.increasing([estimate(_point(rows, MINUS_2, t)[name]) for t in (first, *others)])
        for name in ATTACKS
    )
    wider = (
        predicates.greater(*(_distance(rows, MINUS_2, t, bound, ratio) for t in (other, first)))
        for other in others
        for bound in BOUNDS
    )
    return predicates.every(*grow, *wider)


def _of_noise() -> Iterator[Line]:
    title, claim = "bounds fall with noise", "fig7-bounds"
    yield _line(claim, title, "M = 100", _bounds_fall(100), "M = 10", _bounds_fall(10))
    noisy, with_raw = _bounds_fall(100), _bounds_fall(100, raw=True)
    ours, other = "only noisy counts are compared", "raw counts are compared, too"
    yield _line(claim, AGAIN, ours, noisy, other, with_raw)
    ends = _by_noise(100).drop(0.0)[list(BOUNDS)].iloc[[0, -1]]
    visible = _falls_visibly(pair.tolist() for _, pair in ends.items())
    yield _line(claim, AGAIN, ANY_FALL, noisy, VISIBLE_FALL, visible)
    title, claim = "noise hardly changes MAP", "fig7-map-flat"
    yield _line(claim, title, "M = 100", _map_level(100), "M = 10", _map_level(10))
    for within, said in ((STRICT, "within 0.001"), (1e-5, "within 0.00001")):
        strict = _map_level(100, within)
        yield _line(claim, AGAIN, "within 0.05", _map_level(100), said, strict)


def _by_noise(m: int) -> pd.DataFrame:
    means: Any = fano.noise_means(fano.noise.stored()).loc[m]
    return means


def _bounds_fall(m: int, raw: bool = False) -> Trend:
    """Whether both bounds fall with the noise; all noises share their sequences of sensors."""
    means = _by_noise(m) if raw else _by_noise(m).drop(0.0)
    return predicates.every(*(predicates.decreasing(means[bound].tolist()) for bound in BOUNDS))


def _map_level(m: int, within: float = MARGIN) -> Trend:
    """Whether the success of MAP is level in the noise.

    No attack exceeds the moment bound, so two successes differ by less than its largest value.
    Where this does not decide, the runs are tested.
    """
    means = _by_noise(m)
    if float(means["moments"].max()) < within:
        return predicates.always([True])
    errors = (means["95% high"] - means["95% low"]) / 3.92  # of a 95% interval
    found = [Estimate(*each) for each in zip(means["MAP"], errors, strict=True)]
    return predicates.close(max(found), min(found), within)


def _of_costs() -> Iterator[Line]:
    for claim, title in (("prop1", "cost of MAP"), ("prop2", "cost of maximum a priori")):
        given = "exponent within 0.05", _powers(MARGIN), "exponent within 0.01", _powers(0.01)
        yield _line(claim, title, *given)


def _powers(within: float) -> Trend:
    """Whether operations grow with T and the square of M, and the numbers held with T and M."""
    costs = fano.costs.stored().set_index(["T", "M"])
    largest = costs.index.max()
    half = {"T": (largest[0] // 2, largest[1]), "M": (largest[0], largest[1] // 2)}
    steps = []
    for what, powers in (("operations", {"T": 1, "M": 2}), ("numbers held", {"T": 1, "M": 1})):
        for size, power in powers.items():
            ratio = float(costs.loc[largest, what] / costs.loc[half[size], what])
            steps.append(predicates.close(float(np.log2(ratio)), power, within))
    return predicates.every(*steps)


# -- people --------------------------------------------------------------------------------------


def _of_habits() -> Iterator[Line]:
    claim, title = (
        "fig3-foursquare",
        "Foursquare: bounds high for frequent visitors, spread for others",
    )
    half, less = "they cover more than 0.5 of the axis", "they cover more than 0.4 of it"
    yield _substitute(claim, title, half, _spread(), less, _spread(0.4))
    middle, whole = "middle 80% of these users", "smallest bound to largest"
    yield _substitute(claim, AGAIN, middle, _spread(), whole, _spread(share=1.0))
    frequencies, added = "relative frequencies", "one added"
    yield _substitute(claim, AGAIN, frequencies, _spread(), added, _spread(chains=ADDED))
    claim, title = "fig4-foursquare", "Foursquare: slow users have high bounds, some small ones"
    settled = _slow(SETTLED)
    regular = "users whose chain is irreducible and aperiodic"
    yield _substitute(claim, title, "all users", _slow(), regular, settled)
    yield _substitute(claim, AGAIN, frequencies, _slow(), added, _slow(ADDED))
    small, smaller = "small means below 0.5", "small means below 0.4"
    yield _substitute(claim, AGAIN, small, _slow(), smaller, _slow(small=0.4))
    claim, title = "fig3-gowalla", "Gowalla: bounds high for frequent visitors, spread for others"
    mine, theirs = _spread(data=GOWALLA), _spread(chains=ADDED, data=GOWALLA)
    yield _substitute(claim, title, frequencies, mine, added, theirs)
    claim, title = "fig4-gowalla", "Gowalla: slow users have high bounds, some small ones"
    mine, theirs = _slow(data=GOWALLA), _slow(ADDED, data=GOWALLA)
    yield _substitute(claim, title, frequencies, mine, added, theirs)
    ours, other = f"both statements, {frequencies}", f"high bounds only, {added}"
    first = _slow(ADDED, data=GOWALLA, high_only=True)
    yield _substitute(claim, AGAIN, ours, mine, other, first)


def _users(chains: str, data: str) -> pd.DataFrame:
    rows = fano.habits.stored(data)
    own = rows[rows["chains"] == (DECIDED if chains == SETTLED else chains)]
    return own[~own["mixed"].astype(bool)] if chains == SETTLED else own


def _spread(
    limit: float = 0.5, chains: str = DECIDED, data: str = FOURSQUARE, share: float = 0.8
) -> Trend:
    """Whether users counted often have higher bounds, and the others' cover a part of the axis.

    `share` of the users who were never counted have to cover more than `limit`. From the smallest
    of their bounds to the largest there is no sampling error: further users can only add to it.
    """
    users = _users(chains, data)
    quarter = users["training steps"].iloc[0] / 4
    enough = quarter if (users["visits"] >= quarter).sum() > 1 else 1
    often = users.loc[users["visits"] >= enough, "fixed"]
    never = users.loc[users["visits"] == 0, "fixed"]
    ends = [(1 - share) / 2, (1 + share) / 2]
    width = float(np.diff(never.quantile(ends)).item())
    if share < 1:
        errors = np.asarray(stats.mstats.mjci(never.to_numpy(), ends))
        wide = predicates.beyond(Estimate(width, float(np.hypot(*errors)), len(never) - 1), limit)
    else:
        wide = predicates.always([width > limit])
    return predicates.every(predicates.greater(estimate(often), estimate(never)), wide)


def _slow(
    chains: str = DECIDED, small: float = 0.5, data: str = FOURSQUARE, high_only: bool = False
) -> Trend:
    """Whether slow users have higher bounds and, unless `high_only`, some of them a small one."""
    own: Any = _correlations(data).loc[chains]
    below = predicates.greater(
        0.0, Estimate(own["correlation"], own["error"], float(own["users"] - 1))
    )
    if high_only:
        return below
    known = _users(chains, data).dropna(subset=["gap"])
    low = (known.loc[known["gap"] < known["gap"].median(), "random"] < small).astype(float)
    some = predicates.always([True]) if low.any() else predicates.greater(estimate(low))
    return predicates.ours(predicates.every(below, some))


@cache
def _correlations(data: str) -> pd.DataFrame:
    found: Any = fano.correlations(fano.habits.stored(data)).loc[data]
    return found


def _of_attacked() -> Iterator[Line]:
    claim, title = "fig6-gowalla-above-simulated", "Gowalla: attacks above the simulated person"
    yield _substitute(claim, title, "s = 1", _above_simulated(4), "s = 2", _above_simulated(3))
    for data, name in ((FOURSQUARE, "Foursquare"), (GOWALLA, "Gowalla")):
        claim, title = f"fig8-{data}-bounds", f"{name}: bounds fall with noise"
        both, tight = _mean_bounds(data, BOUNDS), _mean_bounds(data, ["tight"])
        yield _substitute(claim, title, "both bounds", both, "the tight bound alone", tight)
    for data, name in ((FOURSQUARE, "Foursquare"), (GOWALLA, "Gowalla")):
        claim, title = f"fig8-{data}-map-flat", f"{name}: noise hardly changes MAP"
        ours, strict = _map_of_people(data, MARGIN), _map_of_people(data, STRICT)
        yield _substitute(claim, title, "within 0.05", ours, "within 0.001", strict)


def _above_simulated(asked: int) -> Trend:
    """Whether MAP and the luckiest constant guess succeed more often on Gowalla."""
    simulated = _point(fano.sweeps.stored(), SHORT, asked)
    people = fano.attack_people.stored(GOWALLA)
    own = people[(people["σ"] == 0) & (people["T - s"] == asked)]["MAP"]
    more = predicates.greater(estimate(own), estimate(simulated["MAP"]))
    found: Any = fano.constant_guesses.stored(GOWALLA).set_index("T - s").loc[asked]
    hits, users, chance = int(found["hits"]), int(found["users"]), simulated["constant"].mean()
    luck = min(1.0, 100 * float(stats.binom.sf(hits - 1, users, chance)))
    fewer = float(stats.binom.cdf(hits, users, chance))
    apart = hits / users - chance
    error = abs(apart) / max(float(stats.norm.isf(min(luck, fewer))), 1e-9)
    return predicates.every(more, predicates.greater(Estimate(apart, error)))


def _of_noises(data: str, name: str) -> pd.DataFrame:
    """A row for each user, a column for each noise; four of five steps must be right."""
    rows = fano.attack_people.stored(data)
    return rows[rows["T - s"] == 4].pivot(index="user", columns="σ", values=name)


def _mean_bounds(data: str, bounds: list[str]) -> Trend:
    """Whether mean bounds fall with the noise, paired over users."""
    noisy = (_of_noises(data, bound).drop(columns=0.0) for bound in bounds)
    return predicates.every(*map(predicates.decreasing, noisy))


def _map_of_people(data: str, within: float) -> Trend:
    """Whether MAP on raw counts is near MAP at each noise, paired over users."""
    every = _of_noises(data, "MAP")
    noisy = every.drop(columns=0.0)
    near = (predicates.close(estimate(every[0.0] - noisy[each]), 0.0, within) for each in noisy)
    return predicates.every(*near)

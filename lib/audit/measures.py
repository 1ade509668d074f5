"""How well attacks did, over people; and lower bounds on epsilon that hold with confidence.

All intervals of an audit hold together: each is at 1 - 0.05 / (how many measures decide), so that
the chance of one false alarm among all of them is at most 5% (Bonferroni).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, special, stats

from lib import metrics
from lib.validation import validated

CONFIDENCE = 0.95  # of all intervals together, and of each lower bound on epsilon
DECIDING = 100  # measures that decide, at most: attacks times measures
LEVEL = 1 - (1 - CONFIDENCE) / DECIDING  # of each interval
FPRS = (0.01, 0.001)
WORST = 0.1  # share of people who are the most exposed


class Measure(NamedTuple):
    """A value with its interval, and what an attacker without the release reaches."""

    value: float
    low: float | None = None
    high: float | None = None
    baseline: float | None = None
    unit: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As it stands in the audit's document, numbers rounded."""
        return {key: _rounded(each) for key, each in self._asdict().items()}


def _rounded(value: Any) -> Any:
    """Six significant digits, so that the same bytes come twice; None for what is no number."""
    if not isinstance(value, float | np.floating):
        return value
    return float(f"{value:.6g}") if math.isfinite(value) else None


def mean_measure(
    values: np.ndarray,
    baseline: float | None,
    unit: str,
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> Measure:
    """The mean over people with Student's interval, kept within limits; NaN are left out.

    Where all people are equal, the interval says what so few could have missed: it ends where a
    share that nobody shows may be (Clopper-Pearson), in units of the limits' width, or of 1.
    """
    kept = np.asarray(values, float)
    kept = kept[np.isfinite(kept)]
    if len(kept) < 2:
        return Measure(float(kept.mean()) if len(kept) else math.nan, None, None, baseline, unit)
    low, high = metrics.mean_interval(kept, LEVEL)
    if np.ptp(kept) == 0:
        width = limits[1] - limits[0] if math.isfinite(limits[1] - limits[0]) else 1.0
        spare = _rule_of_three(len(kept)) * width
        low, high = low - spare, high + spare
    return Measure(float(kept.mean()), max(low, limits[0]), min(high, limits[1]), baseline, unit)


def beyond_controls(members: np.ndarray, controls: np.ndarray, unit: str) -> Measure:
    """The mean gain of people who are in, less that of people who are not where that is above 0.

    So what the release says of anybody is not counted, and a loss of the others is no gain.
    """
    if len(controls) < 2 or len(members) < 2 or controls.mean() <= 0:
        return mean_measure(members, 0.0, unit)
    low, high = metrics.difference_interval(members, controls, LEVEL)
    return Measure(float(members.mean() - controls.mean()), low, high, 0.0, unit)


def _rule_of_three(n: int) -> float:
    """How large a share may be of which n people show nothing: Clopper-Pearson."""
    return float(1 - ((1 - LEVEL) / 2) ** (1 / n))


# -- scores of many people over many releases ------------------------------------------------------


def aucs(scores: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Each person's AUC over releases: scores and members (people, releases) -> (people,).

    NaN for a person who is in all releases or in none. Ties count half.
    """
    ranks = stats.rankdata(scores, axis=1)
    inside = members.sum(axis=1)
    outside = members.shape[1] - inside
    above = (ranks * members).sum(axis=1) - inside * (inside + 1) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((inside > 0) & (outside > 0), above / (inside * outside), np.nan)


def standardised(scores: np.ndarray, shadow: np.ndarray, shadow_members: np.ndarray) -> np.ndarray:
    """Scores in standard deviations above what shadow releases without that person show.

    All (people, releases). So one threshold serves everybody.
    """
    out = ~shadow_members.astype(bool)
    n = np.maximum(out.sum(axis=1), 1)[:, None]
    middle = (shadow * out).sum(axis=1, keepdims=True) / n
    spread = np.sqrt((((shadow - middle) * out) ** 2).sum(axis=1, keepdims=True) / n)
    return (scores - middle) / np.where(spread > 0, spread, 1.0)


def flagged(scores: np.ndarray, members: np.ndarray, fpr: float) -> np.ndarray:
    """Each person's share of releases with her in which she is flagged, at one threshold for all.

    The threshold is the lowest whose false positives, over everybody's releases without them, are
    at most the share `fpr`; scores strictly above it are flagged. (people,), NaN for one never in.
    """
    inside = members.astype(bool)
    outside = np.sort(scores[~inside])[::-1]
    allowed = min(int(np.floor(fpr * len(outside) + 1e-9)), len(outside) - 1)
    hits = ((scores > outside[allowed]) & inside).sum(axis=1)
    n_in = inside.sum(axis=1)
    return np.where(n_in > 0, hits / np.maximum(n_in, 1), np.nan)


def exposed(shadow_aucs: np.ndarray) -> np.ndarray:
    """Positions of the tenth of people whom shadow releases show to be the most exposed.

    They are chosen on other releases than those they are judged on: else luck would choose them.
    """
    n = max(2, math.ceil(WORST * len(shadow_aucs)))
    return np.argsort(-np.nan_to_num(shadow_aucs, nan=0.0), kind="stable")[:n]


def membership_measures(
    scores: np.ndarray, members: np.ndarray, shadow: np.ndarray, shadow_members: np.ndarray
) -> dict[str, Measure]:
    """AUC, TPR at 1% and 0.1% FPR, and both for the most exposed tenth; all (people, releases)."""
    z = standardised(scores, shadow, shadow_members)
    own = aucs(scores, members)
    worst = exposed(aucs(shadow, shadow_members))
    unit = "chance that a member scores higher"
    found = {"AUC": mean_measure(own, 0.5, unit, (0, 1))}
    found["AUC, most exposed tenth"] = mean_measure(own[worst], 0.5, unit, (0, 1))
    for fpr in FPRS:
        hits = flagged(z, members, fpr)
        unit = f"share of members found, {fpr:.1%} of others taken for members"
        found[f"TPR at {fpr:.1%} FPR"] = mean_measure(hits, fpr, unit, (0, 1))
        name = f"TPR at {fpr:.1%} FPR, most exposed tenth"
        found[name] = mean_measure(hits[worst], fpr, unit, (0, 1))
    return found


# -- lower bounds on epsilon -----------------------------------------------------------------------


class Bound(NamedTuple):
    """A lower bound on epsilon that holds with `confidence`, and the most it could have shown."""

    lower: float
    ceiling: float
    confidence: float


@validated
def clopper_pearson_epsilon(
    without: np.ndarray, with_her: np.ndarray, delta: float = 0.0, confidence: float = CONFIDENCE
) -> Bound:
    """Epsilon is at least this, with confidence: a test's rates on trials of two neighbours.

    without, with_her  scores of independent trials of either input, higher for "with her"; the
                       first half of each chooses the threshold and the side, the second is judged
    (epsilon, delta)-DP promises TPR <= e^epsilon FPR + delta, and the same of the other side:
    so epsilon >= log((TPR - delta) / FPR), with the limits of Clopper and Pearson in their place,
    each at half of 1 - confidence. Source: Jagielski et al. 2020; Nasr et al. 2021.
    Raises ValueError with fewer than 4 trials of either.
    """
    if min(len(without), len(with_her)) < 4:
        raise ValueError(f"{min(len(without), len(with_her))} trials; 4 of either input at least")
    risk = (1 - confidence) / 2
    chosen = _best_test(without[::2], with_her[::2], delta, risk)
    n_out, n_in = len(without[1::2]), len(with_her[1::2])
    ceiling = _log_ratio(n_in, n_in, 0, n_out, delta, risk)
    if chosen is None:
        return Bound(0.0, float(ceiling), confidence)
    threshold, above = chosen
    hits = [(each > threshold) == above for each in (without[1::2], with_her[1::2])]
    k_out, k_in = (int(each.sum()) for each in hits)
    if above:  # P(flag | with her) <= e^eps P(flag | without) + delta
        lower = _log_ratio(k_in, n_in, k_out, n_out, delta, risk)
    else:
        lower = _log_ratio(k_out, n_out, k_in, n_in, delta, risk)
    return Bound(max(0.0, float(lower)), float(ceiling), confidence)


def _log_ratio(k_high: Any, n_high: int, k_low: Any, n_low: int, delta: float, risk: float) -> Any:
    """log((lower limit of k_high/n_high - delta) / upper limit of k_low/n_low); -inf below 0."""
    k_high, k_low = np.asarray(k_high, float), np.asarray(k_low, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        high = np.where(
            k_high > 0, stats.beta.ppf(risk, np.maximum(k_high, 1), n_high - k_high + 1), 0.0
        )
        low = np.where(
            k_low < n_low, stats.beta.ppf(1 - risk, k_low + 1, np.maximum(n_low - k_low, 1)), 1.0
        )
        return np.where(high > delta, np.log(np.maximum(high - delta, 1e-300) / low), -np.inf)


def _best_test(
    without: np.ndarray, with_her: np.ndarray, delta: float, risk: float
) -> tuple[float, bool] | None:
    """The threshold, and whether above it, whose bound is largest on these trials."""
    both = np.concatenate([without, with_her])
    cuts = np.unique(np.quantile(both, np.linspace(0, 1, 201)[1:-1], method="lower"))
    n_out, n_in = len(without), len(with_her)
    below_out = np.searchsorted(np.sort(without), cuts, side="right")
    below_in = np.searchsorted(np.sort(with_her), cuts, side="right")
    above = _log_ratio(n_in - below_in, n_in, n_out - below_out, n_out, delta, risk)
    below = _log_ratio(below_out, n_out, below_in, n_in, delta, risk)
    best_above, best_below = float(above.max()), float(below.max())
    if max(best_above, best_below) == -np.inf:
        return None
    if best_above >= best_below:
        return float(cuts[int(above.argmax())]), True
    return float(cuts[int(below.argmax())]), False


@validated
def one_run_epsilon(
    n_people: int, n_guesses: int, n_right: int, delta: float = 0.0, confidence: float = CONFIDENCE
) -> Bound:
    """Epsilon is at least this, with confidence, from one release and guesses about many people.

    n_people   each was in with chance one half, independently
    n_guesses  guesses that were fixed beforehand, the others abstained from; n_right of them right
    The ceiling is what all guesses right would show. Source: Steinke, Nasr and Jagielski 2023,
    Theorem 5.2 and Algorithm 3 (delta = 0: the guesses are at best randomized response's).
    Raises ValueError unless 0 <= n_right <= n_guesses <= n_people.
    """
    if not 0 <= n_right <= n_guesses <= n_people:
        raise ValueError(f"{n_right} right of {n_guesses} guesses about {n_people} people")
    risk = 1 - confidence
    lower, ceiling = (
        _one_run_limit(n_people, n_guesses, right, delta, risk) for right in (n_right, n_guesses)
    )
    return Bound(lower, ceiling, confidence)


def _one_run_p(n_people: int, n: int, right: int, epsilon: float, delta: float) -> float:
    """How likely so many right guesses are at most, if (epsilon, delta) holds."""
    q = special.expit(epsilon)
    tail = float(stats.binom.sf(right - 1, n, q))
    if delta == 0 or right == 0:
        return tail
    i = np.arange(1, right + 1)
    more = stats.binom.sf(right - i - 1, n, q) - tail
    return min(1.0, tail + 2 * n_people * delta * float((more / i).max(initial=0.0)))


def _one_run_limit(n_people: int, n: int, right: int, delta: float, risk: float) -> float:
    def beyond(epsilon: float) -> float:
        return _one_run_p(n_people, n, right, epsilon, delta) - risk

    if n == 0 or beyond(0.0) > 0:
        return 0.0
    high = 1.0
    while beyond(high) <= 0 and high < 64:
        high *= 2
    return float(optimize.brentq(beyond, 0.0, high, xtol=1e-9)) if beyond(high) > 0 else high

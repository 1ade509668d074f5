"""How well attacks perform over people, and lower confidence bounds on epsilon.

All intervals of an audit hold simultaneously: each has the level 1 - 0.05 / (number of deciding
measures), so that the probability of any false alarm is at most 5% (Bonferroni).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, special, stats

from lib import metrics
from lib.mechanisms import gaussian_delta
from lib.validation import validated

CONFIDENCE = 0.95  # of all intervals together, and of each lower bound on epsilon
DECIDING = 120  # largest number of measures that decide: attacks times measures
LEVEL = 1 - (1 - CONFIDENCE) / DECIDING  # of each interval
FPRS = (0.01, 0.001)
WORST = 0.1  # share of people who are the most exposed
FULL_SIZE = "full size"  # names measures of the release of all people


class Measure(NamedTuple):
    """A value with its interval and its baseline.

    Parameters
    ----------
    value : float
        Estimate.
    low, high : float, optional
        Simultaneous confidence interval.
    baseline : float, optional
        What an attacker without the release reaches.
    unit : str
        Unit, in words.
    """

    value: float
    low: float | None = None
    high: float | None = None
    baseline: float | None = None
    unit: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Convert the measure for the audit's document.

        Returns
        -------
        dict
            The fields, numbers rounded to six significant digits.
        """
        return {key: round_significant(each) for key, each in self._asdict().items()}


def round_significant(value: Any) -> Any:
    """Round a float to six significant digits, so that reports are reproducible.

    Parameters
    ----------
    value : object
        A value of any type.

    Returns
    -------
    object
        The rounded float; None if it is not finite; any other type unchanged.
    """
    if not isinstance(value, float | np.floating):
        return value
    return float(f"{value:.6g}") if math.isfinite(value) else None


def mean_measure(
    values: np.ndarray,
    baseline: float | None,
    unit: str,
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> Measure:
    """Compute the mean over people with Student's interval.

    If all values are equal, the interval is widened by the largest share that so few people could
    all have missed (Clopper-Pearson), in units of the limits' width, or of 1.

    Parameters
    ----------
    values : ndarray of float, shape (n_people,)
        One value per person; NaN are left out.
    baseline : float or None
        What an attacker without the release reaches.
    unit : str
        Unit, in words.
    limits : (float, float)
        Range of possible values; the interval is clipped to it.

    Returns
    -------
    Measure
        The mean; without an interval if there are fewer than two values.
    """
    kept = np.asarray(values, float)
    kept = kept[np.isfinite(kept)]
    if len(kept) < 2:
        return Measure(float(kept.mean()) if len(kept) else math.nan, None, None, baseline, unit)
    low, high = metrics.mean_interval(kept, LEVEL)
    if np.ptp(kept) == 0:
        width = limits[1] - limits[0] if math.isfinite(limits[1] - limits[0]) else 1.0
        unseen = float(1 - ((1 - LEVEL) / 2) ** (1 / len(kept))) * width
        low, high = low - unseen, high + unseen
    return Measure(float(kept.mean()), max(low, limits[0]), min(high, limits[1]), baseline, unit)


def excess_over_controls(members: np.ndarray, controls: np.ndarray, unit: str) -> Measure:
    """Compute the members' mean gain, minus that of non-member controls if it is positive.

    What the release reveals about anybody is thus not counted, and a loss of the controls is no
    gain.

    Parameters
    ----------
    members, controls : ndarray of float, shape (n_people,)
        Gain of each person.
    unit : str
        Unit, in words.

    Returns
    -------
    Measure
        The difference, with baseline 0.
    """
    if len(controls) < 2 or len(members) < 2 or controls.mean() <= 0:
        return mean_measure(members, 0.0, unit)
    low, high = metrics.difference_interval(members, controls, LEVEL)
    return Measure(float(members.mean() - controls.mean()), low, high, 0.0, unit)


# -- scores of many people over many releases ------------------------------------------------------


def aucs(scores: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Compute each person's AUC over releases.

    Parameters
    ----------
    scores : ndarray, shape (n_people, n_releases)
        Higher values indicate membership.
    members : ndarray of bool, shape (n_people, n_releases)
        Who is in which release.

    Returns
    -------
    ndarray, shape (n_people,)
        AUC; ties count one half. NaN for a person who is in all releases or in none.
    """
    ranks = stats.rankdata(scores, axis=1)
    inside = members.sum(axis=1)
    outside = members.shape[1] - inside
    above = (ranks * members).sum(axis=1) - inside * (inside + 1) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((inside > 0) & (outside > 0), above / (inside * outside), np.nan)


def standardize(scores: np.ndarray, usual: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Standardise scores by each person's scores in releases without them.

    One threshold can then serve everybody.

    Parameters
    ----------
    scores : ndarray, shape (n_people, n_releases)
        Scores in the test releases.
    usual : ndarray, shape (n_people, n_reference)
        Scores in the shadow or in the reference releases.
    members : ndarray of bool, shape (n_people, n_reference)
        Who is in which of these releases.

    Returns
    -------
    ndarray, shape (n_people, n_releases)
        Scores in standard deviations above the mean.
    """
    out = ~members.astype(bool)
    n = np.maximum(out.sum(axis=1), 1)[:, None]
    mean = (usual * out).sum(axis=1, keepdims=True) / n
    deviation = np.sqrt((((usual - mean) * out) ** 2).sum(axis=1, keepdims=True) / n)
    return (scores - mean) / np.where(deviation > 0, deviation, 1.0)


def detection_rates(scores: np.ndarray, members: np.ndarray, fpr: float) -> np.ndarray:
    """Compute each person's true positive rate at one threshold for everybody.

    The threshold is the lowest whose share of false positives, over the releases of everybody
    that are without them, is at most `fpr`; scores strictly above it are positive.

    Parameters
    ----------
    scores : ndarray, shape (n_people, n_releases)
        Standardised scores.
    members : ndarray of bool, shape (n_people, n_releases)
        Who is in which release.
    fpr : float
        Largest false positive rate.

    Returns
    -------
    ndarray, shape (n_people,)
        True positive rate; NaN for a person who is in no release.
    """
    inside = members.astype(bool)
    outside = np.sort(scores[~inside])[::-1]
    allowed = min(int(np.floor(fpr * len(outside) + 1e-9)), len(outside) - 1)
    hits = ((scores > outside[allowed]) & inside).sum(axis=1)
    n_in = inside.sum(axis=1)
    return np.where(n_in > 0, hits / np.maximum(n_in, 1), np.nan)


def most_exposed(shadow_aucs: np.ndarray) -> np.ndarray:
    """Select the tenth of people who are the most exposed in shadow releases.

    They are evaluated on other releases; selecting them on the same ones would bias the result.

    Parameters
    ----------
    shadow_aucs : ndarray, shape (n_people,)
        AUC in the shadow releases.

    Returns
    -------
    ndarray of int
        Positions, the most exposed first; two at least.
    """
    n = max(2, math.ceil(WORST * len(shadow_aucs)))
    return np.argsort(-np.nan_to_num(shadow_aucs, nan=0.0), kind="stable")[:n]


def standardizing_helps(shadow: np.ndarray, members: np.ndarray, reference: np.ndarray) -> bool:
    """Decide on shadow releases whether one threshold serves standardised scores better.

    Likelihood ratios serve one threshold as they are, unless cells are far from independent.
    Because other releases decide, the result on the test releases is not biased.

    Parameters
    ----------
    shadow : ndarray, shape (n_people, n_releases)
        Scores in the shadow releases.
    members : ndarray of bool, shape (n_people, n_releases)
        Who is in which of them.
    reference : ndarray, shape (n_people, n_reference)
        Scores in releases of other people.

    Returns
    -------
    bool
        Whether they identify more people at 1% false positives.
    """
    z = standardize(shadow, reference, np.zeros(reference.shape, bool))
    as_is, scaled = (np.nanmean(detection_rates(s, members, FPRS[0])) for s in (shadow, z))
    return bool(scaled > as_is)


def membership_measures(
    scores: np.ndarray,
    members: np.ndarray,
    shadow: np.ndarray,
    shadow_members: np.ndarray,
    reference: np.ndarray | None = None,
    calibrated: bool = False,
) -> dict[str, Measure]:
    """Compute AUC and TPR at 1% and 0.1% FPR, for all people and for the most exposed tenth.

    Parameters
    ----------
    scores : ndarray, shape (n_people, n_releases)
        Scores in the test releases.
    members : ndarray of bool, shape (n_people, n_releases)
        Who is in which test release.
    shadow : ndarray, shape (n_people, n_releases)
        Scores in the shadow releases.
    shadow_members : ndarray of bool, shape (n_people, n_releases)
        Who is in which shadow release.
    reference : ndarray, shape (n_people, n_reference), optional
        Scores in releases of other people, which calibrate each person; by default those in shadow
        releases without the person.
    calibrated : bool
        Whether one threshold serves everybody as scores are.

    Returns
    -------
    dict of str to Measure
        Six measures by name.
    """
    if calibrated:
        z = scores
    elif reference is None:
        z = standardize(scores, shadow, shadow_members)
    else:
        z = standardize(scores, reference, np.zeros(reference.shape, bool))
    own = aucs(scores, members)
    worst = most_exposed(aucs(shadow, shadow_members))
    unit = "probability that a member scores higher"
    results = {"AUC": mean_measure(own, 0.5, unit, (0, 1))}
    results["AUC, most exposed tenth"] = mean_measure(own[worst], 0.5, unit, (0, 1))
    for fpr in FPRS:
        rates = detection_rates(z, members, fpr)
        unit = f"share of members identified at {fpr:.1%} false positives"
        name = f"TPR at {fpr:.1%} FPR"
        results[name] = mean_measure(rates, fpr, unit, (0, 1))
        results[f"{name}, most exposed tenth"] = mean_measure(rates[worst], fpr, unit, (0, 1))
    return results


def full_size_measures(
    without: np.ndarray, with_target: np.ndarray, reference: np.ndarray | None
) -> dict[str, Measure]:
    """Compute AUC and TPR at 1% FPR over people, where each is added to the same full release.

    The scores of one person with and without them are compared with those of all others: there is
    one release, so an attacker has no other release of the same crowd to compare with.

    Parameters
    ----------
    without, with_target : ndarray, shape (n_people, n_draws)
        Scores without the target and with the target.
    reference : ndarray, shape (n_people, n_reference), or None
        Scores in reference releases, which calibrate each person; None for exact ratios.

    Returns
    -------
    dict of str to Measure
        Two measures by name.
    """
    if reference is not None:
        nobody = np.zeros(reference.shape, bool)
        without, with_target = (
            standardize(each, reference, nobody) for each in (without, with_target)
        )
    n = without.size
    ranks = stats.rankdata(np.concatenate([without, with_target], axis=None))
    placed = [
        ranks[n:] - stats.rankdata(with_target, axis=None),  # members above non-members
        n - (ranks[:n] - stats.rankdata(without, axis=None)),
    ]
    member, non_member = (each.reshape(without.shape).mean(axis=1) / n for each in placed)
    own = member + non_member - member.mean()  # its mean is the AUC, its spread DeLong's
    both = np.concatenate([without, with_target], axis=1)
    labels = np.repeat([False, True], without.shape[1])
    rates = detection_rates(both, np.tile(labels, (len(both), 1)), FPRS[0])
    unit = "probability that a member scores higher than another person who is none"
    shares = f"share of members identified at {FPRS[0]:.1%} false positives"
    return {
        f"AUC, {FULL_SIZE}": mean_measure(own, 0.5, unit, (0, 1)),
        f"TPR at {FPRS[0]:.1%} FPR, {FULL_SIZE}": mean_measure(rates, FPRS[0], shares, (0, 1)),
    }


# -- lower bounds on epsilon -----------------------------------------------------------------------


class Bound(NamedTuple):
    """A lower confidence bound on epsilon.

    Parameters
    ----------
    lower : float
        The bound.
    ceiling : float
        The largest bound that the same number of trials could have shown.
    confidence : float
        Its confidence level.
    """

    lower: float
    ceiling: float
    confidence: float


@validated
def clopper_pearson_epsilon(
    without: np.ndarray, with_target: np.ndarray, delta: float = 0.0, confidence: float = CONFIDENCE
) -> Bound:
    """Compute a lower confidence bound on epsilon from repeated trials on two neighbours.

    (epsilon, delta)-DP implies TPR <= e^epsilon FPR + delta, and the same with both classes
    exchanged. So epsilon >= log((TPR - delta) / FPR), where the limits of Clopper and Pearson take
    the place of both rates, each at half of 1 - confidence. The first half of the trials selects
    the threshold and the side, the second half is evaluated.

    Parameters
    ----------
    without, with_target : ndarray, shape (n_trials,)
        Scores of independent trials on either input, higher for `with_target`.
    delta : float
        Declared delta.
    confidence : float
        Confidence level.

    Returns
    -------
    Bound
        The bound and its ceiling.

    Raises
    ------
    ValueError
        With fewer than 4 trials of either input.

    References
    ----------
    Jagielski et al. 2020; Nasr et al. 2021.
    """
    if min(len(without), len(with_target)) < 4:
        raise ValueError(
            f"{min(len(without), len(with_target))} trials; 4 of either input at least"
        )
    risk = (1 - confidence) / 2
    chosen = _best_test(without[::2], with_target[::2], delta, risk)
    n_out, n_in = len(without[1::2]), len(with_target[1::2])
    ceiling = _log_ratio(n_in, n_in, 0, n_out, delta, risk)
    if chosen is None:
        return Bound(0.0, float(ceiling), confidence)
    threshold, above = chosen
    hits = [(each > threshold) == above for each in (without[1::2], with_target[1::2])]
    k_out, k_in = (int(each.sum()) for each in hits)
    if above:  # P(positive | with) <= e^eps P(positive | without) + delta
        lower = _log_ratio(k_in, n_in, k_out, n_out, delta, risk)
    else:
        lower = _log_ratio(k_out, n_out, k_in, n_in, delta, risk)
    return Bound(max(0.0, float(lower)), float(ceiling), confidence)


@validated
def gaussian_epsilon(
    without: np.ndarray,
    with_target: np.ndarray,
    delta: float,
    units: float = 1.0,
    confidence: float = CONFIDENCE,
) -> Bound:
    """Compute a lower confidence bound on epsilon for Gaussian noise, by its trade-off curve.

    Gaussian noise is mu-GDP: of all tests, none has ``z(TPR) - z(FPR)`` above mu, where z is the
    standard normal quantile. The limits of Clopper and Pearson bound mu from below, and mu gives
    epsilon at `delta`. For any other noise the result has no meaning.

    Parameters
    ----------
    without, with_target : ndarray, shape (n_trials,)
        Scores of independent trials on either input, higher for `with_target`.
    delta : float
        Declared delta.
    units : float
        The inputs differ by this many units in L2; mu of one unit is mu / units.
    confidence : float
        Confidence level.

    Returns
    -------
    Bound
        The bound and its ceiling.

    References
    ----------
    Dong, Roth and Su 2022; Nasr et al. 2023, Section 4.
    """
    risk = (1 - confidence) / 2
    cuts = _cuts(without[::2], with_target[::2])
    threshold = cuts[np.argmax(_mu(without[::2], with_target[::2], cuts, risk))]
    mu = float(_mu(without[1::2], with_target[1::2], np.array([threshold]), risk)[0])
    most = -2 * float(special.ndtri(1 - risk ** (1 / len(without[1::2]))))
    lower, ceiling = (epsilon_of_mu(max(0.0, each) / units, delta) for each in (mu, most))
    return Bound(lower, ceiling, confidence)


def _mu(without: np.ndarray, with_target: np.ndarray, cuts: np.ndarray, risk: float) -> Any:
    """Lower limit of mu for tests that call scores above each threshold positive."""
    rates = []
    for scores, sign in ((with_target, 1), (without, -1)):  # -1: the rate of correct rejections
        right = np.searchsorted(np.sort(scores), cuts, side="right")
        hits = len(scores) - right if sign > 0 else right
        low = stats.beta.ppf(risk, np.maximum(hits, 1), len(scores) - hits + 1)
        rates.append(special.ndtri(np.where(hits > 0, low, 0.0)))
    return rates[0] + rates[1]


def epsilon_of_mu(mu: float, delta: float) -> float:
    """Compute the epsilon of a mu-GDP mechanism at a given delta.

    Parameters
    ----------
    mu : float
        L2 sensitivity divided by the standard deviation of the noise; at least 0.
    delta : float
        Probability, above 0.

    Returns
    -------
    float
        The smallest epsilon for which the mechanism is (epsilon, delta)-DP; 0 if 0 is enough.
    """
    if mu <= 0 or gaussian_delta(1e-9, 1 / mu) <= delta:
        return 0.0
    high = 1.0
    while gaussian_delta(high, 1 / mu) > delta:
        high *= 2
    return float(optimize.brentq(lambda e: gaussian_delta(e, 1 / mu) - delta, 1e-9, high))


def _log_ratio(k_high: Any, n_high: int, k_low: Any, n_low: int, delta: float, risk: float) -> Any:
    """log((lower limit of k_high/n_high - delta) / upper limit of k_low/n_low); -inf below 0."""
    k_high, k_low = np.asarray(k_high, float), np.asarray(k_low, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        high = stats.beta.ppf(risk, np.maximum(k_high, 1), n_high - k_high + 1)
        high = np.where(k_high > 0, high, 0.0)
        low = stats.beta.ppf(1 - risk, k_low + 1, np.maximum(n_low - k_low, 1))
        low = np.where(k_low < n_low, low, 1.0)
        return np.where(high > delta, np.log(np.maximum(high - delta, 1e-300) / low), -np.inf)


def _cuts(without: np.ndarray, with_target: np.ndarray) -> np.ndarray:
    """Thresholds to choose from: 199 quantiles of all scores."""
    both = np.concatenate([without, with_target])
    return np.asarray(np.unique(np.quantile(both, np.linspace(0, 1, 201)[1:-1], method="lower")))


def _best_test(
    without: np.ndarray, with_target: np.ndarray, delta: float, risk: float
) -> tuple[float, bool] | None:
    """The threshold, and whether scores above it are positive, with the largest bound."""
    cuts = _cuts(without, with_target)
    n_out, n_in = len(without), len(with_target)
    below_out = np.searchsorted(np.sort(without), cuts, side="right")
    below_in = np.searchsorted(np.sort(with_target), cuts, side="right")
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
    """Compute a lower confidence bound on epsilon from one release and guesses about many people.

    For delta = 0 the guesses are at best those of randomized response. The ceiling is what only
    correct guesses would show.

    Parameters
    ----------
    n_people : int
        People who were each in with probability one half, independently.
    n_guesses : int
        Number of guesses, fixed beforehand; the attacker abstains from the others.
    n_right : int
        Number of correct guesses.
    delta : float
        Declared delta.
    confidence : float
        Confidence level.

    Returns
    -------
    Bound
        The bound and its ceiling.

    Raises
    ------
    ValueError
        Unless 0 <= n_right <= n_guesses <= n_people.

    References
    ----------
    Steinke, Nasr and Jagielski 2023, Theorem 5.2 and Algorithm 3.
    """
    if not 0 <= n_right <= n_guesses <= n_people:
        raise ValueError(f"{n_right} right of {n_guesses} guesses about {n_people} people")
    risk = 1 - confidence
    lower, ceiling = (
        _one_run_limit(n_people, n_guesses, right, delta, risk) for right in (n_right, n_guesses)
    )
    return Bound(lower, ceiling, confidence)


def _one_run_p_value(n_people: int, n: int, right: int, epsilon: float, delta: float) -> float:
    """Upper bound on P(at least `right` of n guesses correct) under (epsilon, delta)-DP."""
    q = special.expit(epsilon)
    tail = float(stats.binom.sf(right - 1, n, q))
    if delta == 0 or right == 0:
        return tail
    i = np.arange(1, right + 1)
    more = stats.binom.sf(right - i - 1, n, q) - tail
    return min(1.0, tail + 2 * n_people * delta * float((more / i).max(initial=0.0)))


def _one_run_limit(n_people: int, n: int, right: int, delta: float, risk: float) -> float:
    def excess(epsilon: float) -> float:
        return _one_run_p_value(n_people, n, right, epsilon, delta) - risk

    if n == 0 or excess(0.0) > 0:
        return 0.0
    high = 1.0
    while excess(high) <= 0 and high < 64:
        high *= 2
    return float(optimize.brentq(excess, 0.0, high, xtol=1e-9)) if excess(high) > 0 else high

"""Upper bounds on the success of any estimator, from Fano-type inequalities; log space."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from lib.reconstruction.chain import (
    MarkovChain,
    _log,
    check_allowed_errors,
    check_epochs,
    check_noise,
)
from lib.reconstruction.information import mutual_information, sensor_rows
from lib.validation import format_value, validated

FORMS = ("printed", "kl")
CALIBRATIONS = ("printed", "exact")
_STEPS = 60  # of Newton's method at most: six or so, but where a root is a double one
_LAST_BIT = 1e-15


@validated
def loose_bound(
    chain: MarkovChain,
    sensors: np.ndarray,
    allowed_errors: int,
    noise_std: float | None = None,
    information: str = "pairwise",
) -> float | np.ndarray:
    """Compute the Fano-type bound on Pr[at most `allowed_errors` wrong steps].

    The largest success probability that H(X) - I <= h(p_e) + p_e log((M^T - N) / N) + log N allows,
    where N trajectories are within `allowed_errors` of any one ("Loose UB" in the paper).

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,) or (n_sequences, n_epochs)
        Sensors; one row for each sequence.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.
    information : {"pairwise", "exact"}, default="pairwise"
        As `mutual_information` takes it.

    Returns
    -------
    float or numpy.ndarray, shape (n_sequences,)
        Upper bound on the probability; a float for one sequence of sensors.

    Raises
    ------
    ValueError
        If allowed_errors is outside 0..n_epochs - 1, a sensor is not a location, or the noise is
        not above 0.

    References
    ----------
    Koga et al., Eq. 3.

    Examples
    --------
    >>> from lib.reconstruction import MarkovChain
    >>> chain = MarkovChain([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> round(loose_bound(chain, [0, 0, 0], allowed_errors=0, noise_std=5.0), 3)
    0.656
    """
    rows, single = sensor_rows(chain, sensors)
    n_epochs = rows.shape[1]
    s = check_allowed_errors(allowed_errors, n_epochs)
    known = chain.entropy(n_epochs) - mutual_information(chain, rows, noise_std, information)
    found = _fano(known, chain.n_locations, n_epochs, s)
    return float(found[0]) if single else found


def _fano(known: np.ndarray, n_locations: int, n_epochs: int, s: int) -> np.ndarray:
    """1 - the smallest p_e in Eq. 3."""
    if n_locations == 1:
        return np.ones(len(known))
    errors = np.arange(n_epochs + 1)
    log_count = _log_binomial(n_epochs, errors) + errors * math.log(n_locations - 1)
    near, far = np.logaddexp.reduce(log_count[: s + 1]), np.logaddexp.reduce(log_count[s + 1 :])
    return 1 - _least_error(far - near, near - known)


@validated
def tight_bound(
    chain: MarkovChain,
    sensors: np.ndarray,
    allowed_errors: int,
    noise_std: float | None = None,
    information: str = "pairwise",
    form: str = "printed",
) -> float | np.ndarray:
    """Compute the bound for non-uniform priors on Pr[at most `allowed_errors` wrong steps].

    "Tight UB" in the paper.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    sensors : array_like of int, shape (n_epochs,) or (n_sequences, n_epochs)
        Sensors; one row for each sequence.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.
    information : {"pairwise", "exact"}, default="pairwise"
        As `mutual_information` takes it.
    form : {"printed", "kl"}, default="printed"
        "printed": -I <= h(p_s) + p_s log P. "kl": d(p_s || P) <= I, from which the printed form
        drops a term. P bounds the prior probability of all trajectories near any one (Eq. 5).

    Returns
    -------
    float or numpy.ndarray, shape (n_sequences,)
        Upper bound on the probability; a float for one sequence of sensors.

    Raises
    ------
    ValueError
        As `loose_bound`, and for another form.

    References
    ----------
    Koga et al., Sec. 3.3.2; Han and Verdu.

    Examples
    --------
    >>> from lib.reconstruction import MarkovChain
    >>> chain = MarkovChain([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> round(tight_bound(chain, [0, 0, 0], allowed_errors=0, noise_std=5.0), 3)
    0.705
    """
    rows, single = sensor_rows(chain, sensors)
    known = mutual_information(chain, rows, noise_std, information)
    found = success_within(known, log_ball(chain, rows.shape[1], allowed_errors), form)
    return float(found[0]) if single else found


def success_within(information: np.ndarray, log_ball: float, form: str = "printed") -> np.ndarray:
    """Compute the largest success probability that an information and log P allow.

    Parameters
    ----------
    information : array_like of float, shape (n,)
        Mutual information in nats.
    log_ball : float
        Log of the bound on the prior probability of all trajectories near any one.
    form : {"printed", "kl"}, default="printed"
        As `tight_bound` takes it.

    Returns
    -------
    numpy.ndarray, shape (n,)
        Upper bounds on the success probability.

    Raises
    ------
    ValueError
        If the form is unknown.

    References
    ----------
    Koga et al., Sec. 3.3.2.
    """
    if form not in FORMS:
        raise ValueError(f"form is {format_value(form)}; one of {', '.join(FORMS)}")
    known = np.atleast_1d(np.asarray(information, float))
    if log_ball >= 0:
        return np.ones(len(known))
    if np.isneginf(log_ball):
        return np.zeros(len(known))
    dropped = 0.0 if form == "printed" else math.log1p(-math.exp(log_ball))
    return 1 - _least_error(dropped - log_ball, known + log_ball)


def _least_error(slope: float, offset: np.ndarray) -> np.ndarray:
    """The least p with h(p) + slope p + offset >= 0; where there is none, p of the largest value.

    Newton's method from below: the sum is concave, so no step goes beyond the root, and 1 - p is a
    bound wherever it stops.
    """
    peak, missing = special.expit(slope), np.maximum(-offset, 0.0)
    p = (missing / (1 + np.sqrt(1 + max(slope, 0.0) * missing))) ** 2  # as h(p) <= 2 sqrt(p)
    p = np.minimum(p, peak)
    for _ in range(_STEPS):
        value = special.entr(p) + special.entr(1 - p) + slope * p + offset
        with np.errstate(divide="ignore", invalid="ignore"):
            step = value / (np.log(p) - np.log1p(-p) - slope)
        after = np.minimum(p + np.fmax(step, 0.0), peak)
        if (after <= p * (1 + _LAST_BIT)).all():
            return after
        p = after
    return p


@validated
def log_ball(chain: MarkovChain, n_epochs: int, allowed_errors: int) -> float:
    """Compute the log of the right side of Eq. 5.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    n_epochs : int
        Number of epochs, at least 1.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.

    Returns
    -------
    float
        At most 0; exact for allowed_errors = 0.

    Raises
    ------
    ValueError
        As `loose_bound`.
    """
    terms = ball_terms(chain, n_epochs, allowed_errors)
    choices = _log_binomial(n_epochs, np.arange(len(terms)))
    return min(0.0, float(np.logaddexp.reduce(choices + terms)))


@validated
def ball_terms(chain: MarkovChain, n_epochs: int, allowed_errors: int) -> np.ndarray:
    """Compute the largest log-probability of n_epochs - l locations at fixed epochs (Theorem 1).

    For l = 0..allowed_errors: the terms of Eq. 5 without their binomial coefficients. The free
    epochs before a fixed one (its slack) are at most allowed_errors: T (s + 1)^2 M^2 steps instead
    of the paper's T^3 M^2. The slack of the first fixed epoch moves it from the start, so the chain
    need not be stationary.

    Parameters
    ----------
    chain : MarkovChain
        The target's Markov chain.
    n_epochs : int
        Number of epochs, at least 1.
    allowed_errors : int
        Number s of wrong steps with which a guess still succeeds, 0 to n_epochs - 1.

    Returns
    -------
    numpy.ndarray, shape (allowed_errors + 1,)
        Log-probabilities.

    Raises
    ------
    ValueError
        As `loose_bound`.

    References
    ----------
    Koga et al., App. D.
    """
    s = check_allowed_errors(allowed_errors, check_epochs(n_epochs))
    chain = chain.restricted()
    into, power = [], np.eye(chain.n_locations)
    for _ in range(s + 1):
        power = power @ chain.transition
        into.append(np.ascontiguousarray(_log(power).T))
    best = _log(chain.marginals(s + 1))  # by slack and last location
    found = np.empty(s + 1)
    reach = np.empty_like(into[0])
    for fixed in range(1, n_epochs + 1):
        if fixed > 1:
            best = _one_more(best, into, min(s, n_epochs - fixed), reach)
        if fixed >= n_epochs - s:
            found[n_epochs - fixed] = best[: n_epochs - fixed + 1].max()
    return found


def _one_more(best: np.ndarray, into: list[np.ndarray], most: int, reach: np.ndarray) -> np.ndarray:
    """One more fixed epoch, for each total slack up to `most`; `reach` is room to compute in."""
    after = np.full((most + 1, best.shape[1]), -np.inf)
    for slack in range(most + 1):
        for skipped in range(slack + 1):
            np.add(into[skipped], best[slack - skipped], out=reach)
            np.maximum(after[slack], reach.max(axis=1), out=after[slack])
    return after


@validated
def dp_epsilon(
    noise_std: float | None, n_epochs: int, delta: float, calibration: str = "printed"
) -> float:
    """Compute the epsilon of differential privacy of n_epochs noisy counts.

    One user changes each count by at most one: the L2 sensitivity is sqrt(n_epochs).

    Parameters
    ----------
    noise_std : float, optional
        Standard deviation of the Gaussian noise on each count; None for raw counts.
    n_epochs : int
        Number of epochs, at least 1.
    delta : float
        Probability strictly between 0 and 1.
    calibration : {"printed", "exact"}, default="printed"
        "printed": sqrt(2 ln(1.25 / delta) n_epochs) / noise_std (Sec. 2.2.1), proven for results
        below 1 only. "exact": the smallest epsilon (Balle and Wang 2018).

    Returns
    -------
    float
        Epsilon; infinite for raw counts.

    Raises
    ------
    ValueError
        If delta, the noise or the calibration is invalid.
    """
    if calibration not in CALIBRATIONS:
        raise ValueError(
            f"calibration is {format_value(calibration)}; one of {', '.join(CALIBRATIONS)}"
        )
    if not 0 < delta < 1:
        raise ValueError(f"delta is {delta}; a probability strictly between 0 and 1 was expected")
    if check_noise(noise_std) is None:
        return math.inf
    assert noise_std is not None
    if calibration == "printed":
        return math.sqrt(2 * math.log(1.25 / delta) * check_epochs(n_epochs)) / noise_std
    from dp_accounting import get_epsilon_gaussian  # a second to import: only where it is used

    return float(get_epsilon_gaussian(noise_std / math.sqrt(check_epochs(n_epochs)), delta))


def _log_binomial(n: int, k: np.ndarray) -> np.ndarray:
    return special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)

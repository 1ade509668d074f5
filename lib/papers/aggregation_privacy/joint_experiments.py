"""Joint inference on dense counts, with the count of null kept. Not in the paper.

A cab is counted in every square that it visits in an hour, and at null only once. If only the
shares of all counts are used, null gets too small a share. Here null keeps its count, and the
counts of all other places are rescaled so that everything adds up to the number of users.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lib import localization as loc
from lib.execution.results import Row
from lib.papers.aggregation_privacy.experiments import ObservedWeek, experiment

BEST = "max entropy, null kept"  # whose scores are subtracted from those of the others
HOURS = "PRIOR, null as its share of hours"  # uses no counts
_SWEEPS = 200


def _kinds(week: ObservedWeek, kinds: Sequence[str]) -> list[str]:
    return list(kinds)


def keep_null(counts: np.ndarray, n_users: int) -> np.ndarray:
    """Rescale the counts of all places but null so that each epoch adds up to the number of users.

    Parameters
    ----------
    counts : ndarray of int, shape (n_rois, n_epochs)
        Counts; null is the last place.
    n_users : int
        Number of users.

    Returns
    -------
    ndarray, shape (n_rois, n_epochs)
        Rescaled counts.
    """
    places, null = counts[:-1], counts[-1]
    kept = places * ((n_users - null) / np.maximum(places.sum(axis=0), 1))
    return np.vstack([kept, null])


def nearest(prior: np.ndarray, counts: np.ndarray, mix: float) -> np.ndarray:
    """Compute the beliefs nearest to the prior that add up to the counts of one epoch.

    Iterative proportional fitting; with counts that add up to the users this is what
    `lib.localization.max_entropy` computes.

    Parameters
    ----------
    prior : ndarray, shape (n_users, n_rois)
        Probabilities; rows sum to 1.
    counts : ndarray, shape (n_rois,)
        Counts, whose shares are used.
    mix : float
        Share of the aggregate profile in the prior.

    Returns
    -------
    ndarray, shape (n_users, n_rois)
        Probabilities.
    """
    share = counts / counts.sum()
    belief = (1 - mix) * prior + mix * share
    for _ in range(_SWEEPS):
        mean = belief.mean(axis=0)
        belief = belief * np.divide(share, mean, out=np.zeros(len(share)), where=mean > 0)
        belief = belief / belief.sum(axis=1, keepdims=True)
    return belief


@experiment(
    "crowd-joint-null",
    unit=("prior",),
    units=_kinds,
    at_paper={"cabspotting": {}, "flights-by-number": {}},
    paper="",
)
def joint_with_null(
    week: ObservedWeek,
    kind: str,
    *,
    kinds: Sequence[str] = ("FREQ_ROI", "ROI_DAY"),
    every: int = 7,
    mix: float = 0.05,
) -> Iterator[Row]:
    """Score BAYES and maximum entropy with the counts as they are and with the count of null kept.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    kind : str
        Name of a prior, for example "FREQ_ROI".
    kinds : sequence of str, default ('FREQ_ROI', 'ROI_DAY')
        Names of priors.
    every : int, default 7
        One epoch out of this many is scored.
    mix : float, default 0.05
        Share of the aggregate profile in the prior.

    Returns
    -------
    iterator of dict
        One row an answer. Columns: users; null (mean probability of null); Brier and Brier se (mean
        over users); out and at null (the mean over these hours alone); minus best and minus best
        se (the user's Brier score minus that of `BEST`). The answer "truth" has only null.
    """
    thinned = np.arange(5, week.truth.n_epochs, every)
    known, counts = week.prior(kind).select(thinned), week.counts[:, thinned]
    kept = keep_null(counts, week.truth.n_users)
    prior = _probabilities(known)
    times_kept = prior * kept
    beliefs = {
        "PRIOR": prior,
        HOURS: _null_by_hours(week, prior, thinned, kind),
        "BAYES": _probabilities(loc.bayes(known, counts)),
        "BAYES, null kept": times_kept / times_kept.sum(axis=1, keepdims=True),
        "max entropy": _probabilities(loc.max_entropy(known, counts, mix)),
        BEST: np.stack(
            [nearest(prior[:, :, t], kept[:, t], mix) for t in range(len(thinned))], axis=-1
        ),
    }
    truth = week.truth.select(epochs=thinned).matrix.toarray().reshape(beliefs["PRIOR"].shape)
    truth = truth / truth.sum(axis=1, keepdims=True)
    at_null = truth[:, -1] > 0  # null and nothing else
    squares = {name: ((each - truth) ** 2).sum(axis=1) for name, each in beliefs.items()}
    for name, each in squares.items():
        gap = (each - squares[BEST]).mean(axis=1)
        yield {
            "answer": name,
            "users": week.truth.n_users,
            "null": beliefs[name][:, -1].mean(),
            **_over(each.mean(axis=1), "Brier"),
            "out": each[~at_null].mean(),
            "at null": each[at_null].mean(),
            **_over(gap, "minus best"),
        }
    yield {"answer": "truth", "users": week.truth.n_users, "null": truth[:, -1].mean()}


def _null_by_hours(
    week: ObservedWeek, prior: np.ndarray, epochs: np.ndarray, kind: str
) -> np.ndarray:
    """The prior with null's probability replaced by the share of observed hours at null.

    Visits to other places keep their proportions. An hour with many visits counts once here. With
    a prior of the hour of the day, only observed hours at the same hour of the day are counted.
    """
    n_observed = week.traces.n_epochs - week.truth.n_epochs
    seen = week.traces.select(epochs=slice(0, n_observed)).matrix
    at_null = seen[:, -n_observed:].toarray() > 0  # null is the last place
    hours = (np.arange(n_observed) - n_observed) % 24  # 0 is the first hour that is inferred
    same = [(hours == t % 24) | (kind != "ROI_DAY") for t in epochs]
    share = np.stack([at_null[:, each].mean(axis=1) for each in same], axis=-1)
    found, rest = prior.copy(), prior[:, :-1].sum(axis=1)
    scale = np.divide(1 - share, rest, out=np.zeros_like(rest), where=rest > 0)
    found[:, :-1] *= scale[:, None]
    found[:, -1] = share
    return found / found.sum(axis=1, keepdims=True)


def _over(values: np.ndarray, name: str) -> dict[str, float]:
    """Mean and standard error over users."""
    return {name: values.mean(), f"{name} se": values.std(ddof=1) / len(values) ** 0.5}


def _probabilities(belief: loc.Profile) -> np.ndarray:
    """(n_users, n_rois, n_epochs), null last; who is nowhere is at null."""
    weights = belief.toarray()
    weights[:, belief.null] += weights.sum(axis=1) == 0
    return weights / weights.sum(axis=1, keepdims=True)

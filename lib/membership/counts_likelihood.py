"""Marginals by the likelihood of the released counts, in place of ZK's transforms.

ZK bends a distorted marginal until its variance looks right. Yet the distortion is known: the
mechanisms are public. Here a count is Poisson with mean a(roi) * b(epoch), then noise is added and
the sum rounded, clipped and suppressed; a and b are those under which the release is most likely.
Where the release says little, a is drawn towards a lognormal distribution, and b towards one around
the hours of the day (any day is like the others), both as wide as the data suggest.

Not in the paper, which does "not argue that our choice of method and parameter is optimal" (ZK,
Sec. 4.3.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from lib.mechanisms import Gaussian, Laplace, PostProcess, SuppressSmallCounts
from lib.membership import marginals
from lib.validation import check_integer, validated

_STAGE = {Laplace: 1, Gaussian: 1, PostProcess: 2, SuppressSmallCounts: 3}
_LEAST_RATE = 1e-4  # users a cell: smaller rates count as this one
_N_RATES = 512
_SETTLED = 0.01  # of a logarithm of a or b


@validated
def estimate(
    release: np.ndarray,
    mechanisms: Sequence[Any],
    group_size: int,
    coordinates: pd.DataFrame | np.ndarray,
    rng: np.random.Generator,
    *,
    epochs_a_day: int = 24,
) -> marginals.Marginals:
    """Estimate the marginals by likelihood.

    The mean is `marginals.estimate_mean`'s on these marginals, with Exp(mean) synthetic users as in
    the attack.

    Parameters
    ----------
    release : ndarray, shape (n_rois, n_epochs)
        Counts from 0 to `group_size`.
    mechanisms : sequence of lib.mechanisms.Mechanism
        At most one of each, in this order: noise (Laplace or Gaussian), PostProcess,
        SuppressSmallCounts. Mechanisms on traces, such as bounded contributions, are ignored.
    group_size : int
        Users in the release.
    coordinates : DataFrame or ndarray, shape (n_rois, 2)
        Latitude and longitude of the ROIs.
    rng : numpy.random.Generator
        Source of randomness.
    epochs_a_day : int
        Distance between epochs of the same hour.

    Returns
    -------
    lib.membership.marginals.Marginals
        The estimates.

    Raises
    ------
    EmptyRelease
        If all counts are 0 (a ValueError).
    ValueError
        If mechanisms are of another kind or order, or as `marginals.estimate`.
    """
    rates = fit_rates(release, mechanisms, group_size, epochs_a_day=epochs_a_day)
    space, time = rates.sum(axis=1) / rates.sum(), rates.sum(axis=0) / rates.sum()
    mean = marginals.estimate_mean(
        release, space, time, mechanisms, group_size, coordinates, rng, inner_activity="exponential"
    )
    return marginals.Marginals(space, time, mean)


@validated
def fit_rates(
    release: np.ndarray,
    mechanisms: Sequence[Any],
    group_size: int,
    *,
    epochs_a_day: int = 24,
    max_rounds: int = 60,
) -> np.ndarray:
    """Fit expected raw counts of rank one.

    Parameters
    ----------
    release : ndarray, shape (n_rois, n_epochs)
        Counts from 0 to `group_size`.
    mechanisms : sequence of lib.mechanisms.Mechanism
        As for `estimate`.
    group_size : int
        Users in the release.
    epochs_a_day : int
        Distance between epochs of the same hour.
    max_rounds : int
        Most rounds of Fisher scoring on the logarithms of a and b in turn.

    Returns
    -------
    ndarray of float, shape (n_rois, n_epochs)
        Expected counts.

    Raises
    ------
    ValueError
        As `estimate`.
    """
    check_integer("epochs_a_day", epochs_a_day)
    marginals.empirical_marginals(release, group_size)  # refuses what cannot be a release
    released = np.floor(release).astype(np.int64)  # what is not rounded yet, the attacker rounds
    table = _Table(_channel(mechanisms), int(released.max()), group_size)
    n_rois, n_epochs = released.shape
    hour = np.arange(n_epochs) % epochs_a_day
    if n_epochs < 2 * epochs_a_day:
        hour = np.zeros(n_epochs, int)
    start = max(released.mean() - table.empty, 1e-3)
    a = _Factor(np.full(n_rois, np.log(start)), np.zeros(n_rois, int))
    b = _Factor(np.zeros(n_epochs), hour)
    for _ in range(max_rounds):
        steps = a.improve(*table.sums(a.log[:, None] + b.log, released, 1))
        steps += b.improve(*table.sums(a.log[:, None] + b.log, released, 0))
        if max(steps) < _SETTLED:
            break
    return np.exp(a.log[:, None] + b.log)


# -- inside --------------------------------------------------------------------------------------


class _Factor:
    """The logarithms of a or of b, normal around the mean of their class."""

    def __init__(self, log: np.ndarray, classes: np.ndarray):
        self.log = log
        self.classes = classes
        self.variance = 0.1  # the first guess; from far above it would take many rounds to shrink

    def improve(self, score: np.ndarray, information: np.ndarray) -> list[float]:
        """One step of penalised Fisher scoring, then of the prior's variance; the largest step."""
        uncertainty = 1 / (information + 1 / self.variance)
        step = (score - (self.log - self._middle()) / self.variance) * uncertainty
        step = np.clip(step, -1, 1)
        self.log = self.log + step
        squares = (self.log - self._middle()) ** 2 + uncertainty
        free = max(len(self.log) - len(np.unique(self.classes)), 1)
        self.variance = max(squares.sum() / free, 1e-4)
        return [float(np.abs(step).max())]

    def _middle(self) -> np.ndarray:
        means = np.bincount(self.classes, self.log) / np.bincount(self.classes)
        return means[self.classes]


class _Channel(NamedTuple):
    """From a raw count to the released one: noise, rounding, suppression."""

    below: Callable[[np.ndarray], np.ndarray]  # P(noise < x)
    reach: float  # a sum below y + reach is released as y at most: 1 rounds down, 0.5 to nearest
    threshold: int  # largest count that is released as 0


def _no_noise(x: np.ndarray) -> np.ndarray:
    return (x > 0).astype(float)


def _channel(mechanisms: Sequence[Any]) -> _Channel:
    channel, stage = _Channel(_no_noise, 1.0, 0), 0
    for mechanism in mechanisms:
        if not hasattr(mechanism, "apply"):
            continue  # on traces, before the count
        if _STAGE.get(type(mechanism), 0) <= stage:  # type: ignore[call-overload]
            raise ValueError(
                f"{mechanism!r} is not expected here: noise (Laplace or Gaussian), then "
                "PostProcess, then SuppressSmallCounts, each at most once"
            )
        stage = _STAGE[type(mechanism)]  # type: ignore[index]
        if isinstance(mechanism, Laplace):
            channel = channel._replace(below=stats.laplace(scale=mechanism.scale).cdf)
        elif isinstance(mechanism, Gaussian):
            channel = channel._replace(below=stats.norm(scale=mechanism.scale).cdf)
        elif isinstance(mechanism, PostProcess):
            channel = channel._replace(reach=0.5 if mechanism.rounding == "nearest" else 1.0)
        else:
            channel = channel._replace(threshold=max(0, math.ceil(mechanism.threshold) - 1))
    return channel


class _Table:
    """Score and information of a cell's log rate, for any rate and any released count.

    probability  (n_rates, group_size + 1) of each released count
    score        the same shape, d log probability / d log rate = E[raw | released] - rate
    information  (n_rates,) the score's variance
    empty        the expected released count where nobody ever is
    """

    def __init__(self, channel: _Channel, largest: int, group_size: int):
        top = 1.5 * largest + 5  # users: no cell's rate is above
        self.first, self.last = np.log(_LEAST_RATE), np.log(top)
        rate = np.exp(np.linspace(self.first, self.last, _N_RATES))[:, None]
        raw = np.arange(int(top + 10 * np.sqrt(top)))
        released = np.arange(group_size + 1)

        at_most = channel.below(released + channel.reach - raw[:, None])
        at_most[:, : channel.threshold] = at_most[:, [min(channel.threshold, group_size)]]
        at_most[:, -1] = 1.0
        kernel = np.diff(at_most, axis=1, prepend=0.0)
        poisson = stats.poisson(rate).pmf(raw)
        self.probability = poisson @ kernel
        expected = np.tile(released.astype(float), (_N_RATES, 1))  # of what cannot be at this rate
        possible = self.probability > 1e-280
        np.divide((poisson * raw) @ kernel, self.probability, out=expected, where=possible)
        self.score = expected - rate
        self.information = (self.probability * self.score**2).sum(axis=1)
        self.empty = float(self.probability[0] @ released)

    def sums(
        self, log_rate: np.ndarray, released: np.ndarray, axis: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Score and information of the cells, (n_rois, n_epochs), summed along an axis."""
        scale = (_N_RATES - 1) / (self.last - self.first)
        node = np.rint((np.clip(log_rate, self.first, self.last) - self.first) * scale)
        node = node.astype(np.int64)
        score = self.score.ravel().take(node * self.score.shape[1] + released)
        return score.sum(axis=axis), self.information.take(node).sum(axis=axis)

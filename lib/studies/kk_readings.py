"""Which score of a classifier the Knock-Knock paper took its AUCs of, read in every declared way.

The paper does not say. scikit-learn offers a margin, two columns of probabilities and a label; in
double precision probabilities tie where margins do not, and those of "out" on both sides. Readings
are judged on all AUCs of the paper on the cabs (`lib.findings.kk_readings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.special import expit

from lib import metrics
from lib.membership import features
from lib.membership.game import Task
from lib.membership.knock_knock import make_classifier
from lib.membership.selection import eliminate
from lib.randomness import numbered
from lib.store import Row
from lib.studies.core import study
from lib.studies.knock_knock import (
    NEAR,
    PAPER,
    PRIORS,
    population,
    possible,
    share_known,
    targets,
    task,
)
from lib.traces import Traces

# What a margin, log(p / (1 - p)), becomes; larger for a member.
READINGS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "the margin": lambda margin: margin,
    "the probability of in": expit,
    "the probability of out": lambda margin: -(1 - expit(margin)),
    "the probability of in, to 8 digits": lambda margin: expit(margin).round(8),
    "the label": lambda margin: (margin > 0).astype(float),
}
PUBLISHED = (  # the games of which the paper prints a number on the cabs
    *((PRIORS[0], size) for size in (10, 50, 100)),
    *((PRIORS[1], size) for size in (5, 10, 500)),
    *((PRIORS[2], size) for size in (5, 300, 500)),
)


@study("kk-readings", paper="kk", answers=("Fig. 4", "Fig. 7", "Fig. 10"), unit=("target",),
       units=targets, load=population, tolerance=NEAR, loose=("MLP",),
       at_paper={"cabspotting": {"n_per_third": 50, **PAPER}})  # fmt: skip
def readings(
    traces: Traces, target: int, *, data: str, played: Sequence[tuple[str, int]] = PUBLISHED,
    alpha: float | None = None, n_train: int = 200, n_test: int = 100, beta_same: int = 100,
    beta_different: int = 200, n_per_third: int = 3, seed: int = 2018,
) -> Iterator[Row]:  # fmt: skip
    """The very games of `games`, their logistic regression and network scored in every way.

    played  (prior, group size); those that the population does not allow are left out
    Columns: prior; group size; score; the AUC of LR and of MLP under it. Random forest and nearest
    neighbours have few values, whose ties are the same under all.
    """
    alpha = share_known(data, alpha)
    numbers = {"n_train": n_train, "n_test": n_test, "beta_same": beta_same,
               "beta_different": beta_different}  # fmt: skip
    sizes = sorted({size for _, size in played})
    allowed = possible(traces, alpha, sizes, sizes)
    for prior, size in [(each[0], each[1]) for each in played]:
        if (prior, size) not in allowed:
            continue
        rng = numbered(seed, target, PRIORS.index(prior), size)
        found = task(traces, target, prior, size, rng, alpha=alpha, **numbers)
        margins = _margins(found, int(rng.integers(2**31)))
        for score, read in READINGS.items():
            each = {name: metrics.auc(found.test_members, read(m)) for name, m in margins.items()}
            yield {"prior": prior, "group size": size, "score": score, **each}


def _margins(found: Task, seed: int) -> dict[str, np.ndarray]:
    """The margins of logistic regression and of the network, as `knock_knock.play` fits them."""
    train, test = features.extract(found.train), features.extract(found.test)
    kept = eliminate(train, found.train_members, found.n_samples, 0.1)
    train, test = train[:, kept], test[:, kept]
    margins = {"LR": make_classifier("LR", seed).fit(train, found.train_members)}
    scores = {name: model.decision_function(test) for name, model in margins.items()}
    network = make_classifier("MLP", seed).fit(train, found.train_members)
    return scores | {"MLP": _before_the_last(network, test)}


def _before_the_last(network: object, rows: np.ndarray) -> np.ndarray:
    """What the network's last node gets, before it becomes a probability."""
    scale, layers = network[:-1], network[-1]  # type: ignore[index]
    rows = scale.transform(rows)
    hidden = np.maximum(rows @ layers.coefs_[0] + layers.intercepts_[0], 0.0)
    return (hidden @ layers.coefs_[1] + layers.intercepts_[1]).ravel()

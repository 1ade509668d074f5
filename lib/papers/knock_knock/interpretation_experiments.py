"""Interpretations of what the Knock-Knock paper leaves open: the score of an AUC, and the MRE.

Every declared interpretation is evaluated on all of the paper's numbers that it can change.

Scores: scikit-learn offers a margin, two columns of probabilities and a label. In double precision
probabilities tie where margins do not, and those of "out" do so at both ends.
Errors: Python 2 rounds the quotient of two whole numbers down. A release may be clipped to the
group size or to the number of all users. There are four sanity bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
from scipy.special import expit

from lib import metrics
from lib.execution.results import Row
from lib.mechanisms import EnhancedFourierPerturbation
from lib.membership import features
from lib.membership.game import Task
from lib.membership.knock_knock import make_classifier
from lib.membership.selection import eliminate
from lib.papers.experiments import experiment
from lib.papers.knock_knock.defense_experiments import (
    BUDGETS,
    RELEASE_SETTINGS,
    RELEASES,
    NoisyRelease,
    at_budgets,
    raw_releases,
    round_and_clip,
)
from lib.papers.knock_knock.defense_experiments import population as first_week
from lib.papers.knock_knock.experiments import (
    GAME_SETTINGS,
    NEAR,
    PAPER,
    PRIORS,
    Game,
    population,
    possible,
    targets,
)
from lib.papers.settings import with_settings
from lib.papers.summaries import mean_and_error
from lib.randomness import stream
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


@experiment(
    "kk-readings",
    paper="kk",
    answers=("Fig. 4", "Fig. 7", "Fig. 10"),
    unit=("target",),
    units=targets,
    load=population,
    tolerance=NEAR,
    loose_columns=("MLP",),
    at_paper={"cabspotting": {"n_per_third": 50, **PAPER}},
)
@with_settings(Game, *GAME_SETTINGS)
def readings(game: Game, *, played: Sequence[tuple[str, int]] = PUBLISHED) -> Iterator[Row]:
    """Score logistic regression and the network of `games` under every interpretation of the score.

    Random forest and nearest neighbours have few distinct scores, whose ties are the same under
    all.

    Parameters
    ----------
    game : lib.papers.knock_knock.experiments.Game
        The target's games.
    played : sequence of (str, int)
        Prior and group size; those that the population does not allow are left out.

    Returns
    -------
    iterator of dict
        A row for each game and score. Columns: prior, group size, score, LR and MLP (their AUC).
    """
    sizes = sorted({size for _, size in played})
    allowed = possible(game.traces, game.share, sizes, sizes)
    for prior, size in [(each[0], each[1]) for each in played]:
        if (prior, size) not in allowed:
            continue
        rng = game.stream("kk-games", prior, size)
        found = game.task(prior, size, rng)
        margins = _margins(found, int(rng.integers(2**31)))
        for score, read in READINGS.items():
            each = {name: metrics.auc(found.test_members, read(m)) for name, m in margins.items()}
            yield {"prior": prior, "group size": size, "score": score, **each}


def _margins(found: Task, seed: int) -> dict[str, np.ndarray]:
    """The margins of LR and of the network, as `knock_knock.score_classifiers` fits them."""
    train, test = features.extract(found.train), features.extract(found.test)
    kept = eliminate(train, found.train_members, found.n_samples, 0.1)
    train, test = train[:, kept], test[:, kept]
    margins = {"LR": make_classifier("LR", seed).fit(train, found.train_members)}
    scores = {name: model.decision_function(test) for name, model in margins.items()}
    network = make_classifier("MLP", seed).fit(train, found.train_members)
    return scores | {"MLP": _before_the_last(network, test)}


def _before_the_last(network: object, rows: np.ndarray) -> np.ndarray:
    """Input of the network's last node, before it becomes a probability."""
    scale, layers = network[:-1], network[-1]  # type: ignore[index]
    rows = scale.transform(rows)
    hidden = np.maximum(rows @ layers.coefs_[0] + layers.intercepts_[0], 0.0)
    return (hidden @ layers.coefs_[1] + layers.intercepts_[1]).ravel()


# -- errors ----------------------------------------------------------------------------------------

DIVISIONS = "true", "whole numbers"
WITHIN = "the group's size", "everybody"
BOUNDS = ("0.1% of the ROI", "0.5 users", "1 user", "0.1% of the mean ROI")


def relative_errors(raw: np.ndarray, released: np.ndarray, division: str) -> dict[str, float]:
    """Compute the MRE (KK, Eq. 7) under each of `BOUNDS`, leaving out ROIs that nobody visited.

    Parameters
    ----------
    raw, released : ndarray of int, shape (n_rois, n_epochs)
        Counts.
    division : {"true", "whole numbers"}
        "whole numbers" rounds down where the count is at least the bound, as Python 2 divides.

    Returns
    -------
    dict of float
        The MRE by the name of the bound.

    Examples
    --------
    >>> relative_errors(np.array([[2, 0]]), np.array([[5, 1]]), "true")["1 user"]
    1.25
    >>> relative_errors(np.array([[2, 0]]), np.array([[5, 1]]), "whole numbers")["1 user"]
    1.0
    """
    seen = raw.sum(axis=1) > 0
    raw, error = raw[seen], np.abs(released - raw)[seen]
    own = 0.001 * raw.sum(axis=1, keepdims=True)
    found = {}
    for name, bound in zip(BOUNDS, (own, 0.5, 1.0, own.mean()), strict=True):
        ratio = error / np.maximum(bound, raw)
        if division == "whole numbers":
            ratio = np.where(raw >= bound, np.floor(ratio), ratio)
        found[name] = float(ratio.mean())
    return found


@experiment(
    "kk-errors-readings",
    paper="kk",
    answers=("Table III",),
    unit=("mechanism", "ε"),
    units=at_budgets,
    load=first_week,
    at_paper={"cabspotting": RELEASES["cabspotting"]},
)
@with_settings(NoisyRelease, *RELEASE_SETTINGS, catalogues=("printed",))
def error_readings(of: NoisyRelease) -> Iterator[Row]:
    """Compute the errors of the releases of `errors` under every interpretation of the MRE.

    Source: KK, Eq. 7, Table III.

    Parameters
    ----------
    of : NoisyRelease
        The releases.

    Returns
    -------
    iterator of dict
        A row for each release and interpretation. Columns: division, within (the upper limit of
        counts), release, the MRE under each of `BOUNDS`.
    """
    raw, noisy = of.counts()
    for within, most in zip(WITHIN, (of.group_size, of.week.n_users), strict=True):
        whole = round_and_clip(noisy, most)
        for division in DIVISIONS:
            for i, (one, other) in enumerate(zip(raw, whole, strict=True)):
                yield {
                    "division": division,
                    "within": within,
                    "release": i,
                    **relative_errors(one, other, division),
                }


# -- noise of the errors ---------------------------------------------------------------------------

ROOTS = (2, 1)  # of the constant under GSM's root: sqrt(2 ln(2/δ)), as printed, or sqrt(ln(2/δ))
NORMS = ("normalised", "not normalised")
PARTS = ("complex noise", "real noise")
HALVES = ("both halves", "one half")
DROPPED = ("dropped coefficients count", "they do not count")
SENSITIVITIES = (2685, *range(1000, 3501, 100))  # the printed one first
_MECHANISMS = ("LPA(Δ/ε)", "GSM", "FPA", "EFPAG", "LPA(1/ε)")


def _noise_units(week: Traces, epsilons: Sequence[float] = BUDGETS) -> list[tuple[str, float]]:
    return [(name, epsilon) for name in _MECHANISMS for epsilon in epsilons]


_ANY = {"Δ": 0, "root": "any", "norm": "any", "part": "any", "half": "any", "dropped": "any"}
Noisy = Iterator[tuple[Row, np.ndarray]]


def _noisy(
    name: str, epsilon: float, raw: np.ndarray, delta: float, kappa: int, rng: np.random.Generator
) -> Noisy:
    """Noisy counts under every interpretation that matters to a mechanism; its draws are shared."""
    if name == "LPA(1/ε)":
        yield dict(_ANY), raw + rng.laplace(size=raw.shape) / epsilon
    elif name == "LPA(Δ/ε)":
        noise = rng.laplace(size=raw.shape)
        for most in SENSITIVITIES:
            yield _ANY | {"Δ": most}, raw + noise * most / epsilon
    elif name == "GSM":
        noise = rng.standard_normal(raw.shape)
        for most, root in product(SENSITIVITIES, ROOTS):
            scale = (root * np.log(2 / delta) * most) ** 0.5 / epsilon
            yield _ANY | {"Δ": most, "root": f"{root}"}, raw + noise * scale
    elif name == "FPA":
        yield from _noisy_fpa(epsilon, raw, kappa, rng)
    else:
        for most, norm in product(SENSITIVITIES, NORMS):
            spread = most**0.5 / _gain(norm, raw.shape[-1])
            mechanism = EnhancedFourierPerturbation(epsilon, delta, spread)
            yield _ANY | {"Δ": most, "norm": norm}, mechanism.apply(raw, rng, np.asarray(0))


def _gain(norm: str, n_epochs: int) -> float:
    """By what a transform multiplies coefficients, beside an orthonormal one."""
    return 1.0 if norm == NORMS[0] else n_epochs**0.5


def _noisy_fpa(epsilon: float, raw: np.ndarray, kappa: int, rng: np.random.Generator) -> Noisy:
    """FPA: Laplace noise of scale sqrt(κ Δ) / ε on the first κ coefficients of each ROI."""
    n_epochs = raw.shape[-1]
    draws = rng.laplace(size=(*raw.shape[:-1], kappa, 2))
    for part, half in product(PARTS, HALVES):
        noise = draws[..., 0] + 1j * draws[..., 1] * (part == PARTS[0])
        unit_noise = _from_coefficients(noise, n_epochs, half)
        kept = _from_coefficients(np.fft.fft(raw, norm="ortho")[..., :kappa], n_epochs, half)
        for most, norm, dropped in product(SENSITIVITIES, NORMS, DROPPED):
            scale = (kappa * most) ** 0.5 / epsilon / _gain(norm, n_epochs)
            start = kept if dropped == DROPPED[0] else raw
            reading = {"Δ": most, "norm": norm, "part": part, "half": half, "dropped": dropped}
            yield _ANY | reading, start + scale * unit_noise


def _from_coefficients(kept: np.ndarray, n_epochs: int, half: str) -> np.ndarray:
    """Series of the first coefficients, with their mirror images or with zeros instead."""
    if half == HALVES[0]:
        return np.fft.irfft(kept, n_epochs, norm="ortho")
    whole = np.zeros((*kept.shape[:-1], n_epochs), complex)
    whole[..., : kept.shape[-1]] = kept
    return np.fft.ifft(whole, norm="ortho").real


@experiment(
    "kk-errors-noise",
    paper="kk",
    answers=("Table III",),
    unit=("mechanism", "ε"),
    units=_noise_units,
    load=first_week,
    at_paper={"cabspotting": RELEASES["cabspotting"]},
)
def noise_readings(
    week: Traces,
    unit: tuple[str, float],
    *,
    data: str = "",
    epsilons: Sequence[float] = BUDGETS,
    delta: float = 0.1,
    kappa: int = 20,
    n_releases: int = 20,
    group_size: int = 500,
    seed: int = 2018,
) -> Iterator[Row]:
    """Compute the errors of a mechanism under every interpretation of its noise.

    Errors are read as the division of LPA(1/ε) tells: quotients are rounded down, counts are
    clipped to the number of all users, and the bound is 0.5 users. Source: KK, Sec. VII, Table III.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    unit : tuple
        Mechanism and ε.
    data : str
        Name of the dataset; part of the names of the random streams.
    epsilons : sequence of float
        Privacy budgets.
    delta : float
        The δ of (ε, δ)-differential privacy.
    kappa : int
        Number of Fourier coefficients that FPA uses.
    n_releases, group_size : int
        Number of groups, each released once, and number of users in each.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each interpretation that the mechanism depends on. Columns: Δ (0 if the noise does
        not depend on it), root, norm, part, half, dropped ("any" likewise), MRE, MRE se.
    """
    name, epsilon = unit
    raw = raw_releases(week, data, n_releases, group_size, seed)
    rng = stream(seed, "kk-errors-noise", data, name, float(epsilon))
    for reading, noisy in _noisy(name, epsilon, raw, delta, kappa, rng):
        whole = round_and_clip(noisy, week.n_users)
        each = [
            relative_errors(before, after, DIVISIONS[1])[BOUNDS[1]]
            for before, after in zip(raw, whole, strict=True)
        ]
        mean, error = mean_and_error(np.array(each))
        yield reading | {"MRE": mean, "MRE se": error}

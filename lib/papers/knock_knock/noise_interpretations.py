"""Interpretations of the noise behind the Knock-Knock paper's Table III, and the gains under them.

The paper prints formulas and numbers that do not fit together. What its code may have done instead
is declared here, one choice of two for each question, before any number is compared:

- the root: sqrt(2 ln(2/δ)) as printed, or sqrt(ln(2/δ)) (GSM, EFPAG);
- the transform: orthonormal, or plain as `numpy.fft.fft` computes it, whose coefficients are
  sqrt(n) times larger under the same noise (FPA, EFPAG);
- the noise on a Fourier coefficient: complex, or real only (FPA);
- the coefficients: with the mirrored half that makes a series real, or one-sided, that is, noise on
  the first coefficients of the full transform, and the real part of the inverse (FPA);
- the other coefficients: dropped, or left as they were, so that truncation causes no error (FPA,
  EFPAG);
- the sensitivity: one number Δ for the whole table, the printed 2,685 or another.

Together with the interpretations of the MRE (`interpretation_experiments`) each combination is
judged on all twenty numbers of the table. This was written after numbers were seen: the baselines
in `noise_search` say what such a search meets by chance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from scipy import fft

from lib import metrics
from lib.execution.results import Row
from lib.mechanisms import EnhancedFourierPerturbation, Gaussian, PostProcess
from lib.membership import game
from lib.papers.experiments import experiment
from lib.papers.knock_knock.defense_experiments import (
    RELEASES,
    SAME,
    DefendedGame,
    raw_releases,
    round_and_clip,
    targets,
)
from lib.papers.knock_knock.defense_experiments import population as first_week
from lib.papers.knock_knock.interpretation_experiments import DIVISIONS, WITHIN, relative_errors
from lib.papers.settings import with_settings
from lib.randomness import stream
from lib.traces import Traces

BUDGETS = (0.01, 0.1, 1.0, 10.0)
PRINTED = 2685.0  # the paper's sensitivity on the cabs
SENSITIVITIES = tuple(round(PRINTED * 2 ** (step / 8)) for step in range(-10, 3))
CHOICES = {  # the first of each is the printed one
    "root": ("2", "1"),
    "transform": ("orthonormal", "plain"),
    "noise": ("complex", "real"),
    "half": ("mirrored", "one-sided"),
    "others": ("dropped", "left"),
}
CONCERNS = {  # mechanism -> the choices on which its noise depends
    "LPA(Δ/ε)": (),
    "GSM": ("root",),
    "FPA": ("transform", "noise", "half", "others"),
    "EFPAG": ("root", "transform", "others"),
    "LPA(1/ε)": (),
}
NO_CHOICE = "none"  # in stored rows: the convention of a mechanism that none of them concerns
Convention = Mapping[str, str]  # a choice for each key of CHOICES
LITERAL = {name: values[0] for name, values in CHOICES.items()}


def variants(mechanism: str) -> list[dict[str, str]]:
    """List the conventions that make a difference to a mechanism.

    Parameters
    ----------
    mechanism : str
        One of `CONCERNS`.

    Returns
    -------
    list of dict
        Conventions, the printed one first; what does not concern the mechanism is as printed.
    """
    names = CONCERNS[mechanism]
    return [
        LITERAL | dict(zip(names, each, strict=True))
        for each in product(*(CHOICES[name] for name in names))
    ]


def name_of(mechanism: str, convention: Convention) -> str:
    """Name a convention by the choices that concern a mechanism.

    Parameters
    ----------
    mechanism : str
        One of `CONCERNS`.
    convention : mapping of str to str
        A choice for each key of `CHOICES`.

    Returns
    -------
    str
        The choices, such as "root 1"; empty if none concerns it.

    Examples
    --------
    >>> name_of("FPA", LITERAL)
    'orthonormal complex mirrored dropped'
    """
    found = [convention[name] for name in CONCERNS[mechanism]]
    return " ".join(f"root {each}" if each in "12" else each for each in found)


@dataclass(frozen=True)
class _WithRoot(EnhancedFourierPerturbation):
    """EFPAG whose noise has a constant of 1 under the root."""

    def noise(self) -> Gaussian:
        """Return the noise of each kept coefficient, smaller by the root of 2."""
        return Gaussian(self.epsilon / 2, self.delta, self.sensitivity / 2**0.5)


@dataclass(frozen=True)
class NoiseReading:
    """A mechanism of Table III under a convention.

    Parameters
    ----------
    mechanism : str
        One of `CONCERNS`.
    epsilon : float
        Privacy budget.
    sensitivity : float
        Visits of the most active user, Δ; mechanisms with an L2 sensitivity use its root.
    convention : mapping of str to str
        A choice for each key of `CHOICES`.
    delta : float
        The δ of (ε, δ)-differential privacy, for Gaussian noise.
    kappa : int
        Number of Fourier coefficients with noise.
    """

    mechanism: str
    epsilon: float
    sensitivity: float
    convention: Convention = field(default_factory=lambda: LITERAL)
    delta: float = 0.1
    kappa: int = 20

    def apply(
        self, counts: np.ndarray, rng: np.random.Generator, group_size: np.ndarray
    ) -> np.ndarray:
        """Add the noise.

        Parameters
        ----------
        counts : numpy.ndarray, shape (n_groups, n_rois, n_epochs)
            Counts of users.
        rng : numpy.random.Generator
            Source of randomness.
        group_size : numpy.ndarray
            Users in each group; not used.

        Returns
        -------
        numpy.ndarray
            Noisy counts, neither rounded nor clipped.
        """
        if self.mechanism == "FPA":
            return self._fourier(counts, rng)
        if self.mechanism == "EFPAG":
            return self._enhanced(counts, rng)
        if self.mechanism == "GSM":
            constant = float(self.convention["root"])
            scale = math.sqrt(constant * math.log(2 / self.delta) * self.sensitivity) / self.epsilon
            return counts + rng.normal(scale=scale, size=counts.shape)
        most = self.sensitivity if self.mechanism == "LPA(Δ/ε)" else 1.0
        return counts + rng.laplace(scale=most / self.epsilon, size=counts.shape)

    def _fourier(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        n = counts.shape[-1]
        norm = "ortho" if self.convention["transform"] == "orthonormal" else "backward"
        mirrored = self.convention["half"] == "mirrored"
        forward, back = (fft.rfft, fft.irfft) if mirrored else (fft.fft, fft.ifft)
        scale = math.sqrt(self.kappa * self.sensitivity) / self.epsilon
        parts = rng.laplace(scale=scale, size=(*counts.shape[:-1], self.kappa, 2))
        is_real = self.convention["noise"] == "real"
        noise = parts[..., 0] if is_real else parts.view(complex)[..., 0]
        signal = counts
        if self.convention["others"] == "dropped":
            signal = back(forward(counts, norm=norm)[..., : self.kappa], n, norm=norm).real
        noisy: np.ndarray = signal + back(noise, n, norm=norm).real
        return noisy

    def _enhanced(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        n = counts.shape[-1]
        plain = self.convention["transform"] == "plain"  # coefficients sqrt(n) times larger
        sensitivity = math.sqrt(self.sensitivity / (n if plain else 1))
        kind = _WithRoot if self.convention["root"] == "1" else EnhancedFourierPerturbation
        efpag = kind(self.epsilon, self.delta, sensitivity)
        coefficients = fft.dct(counts, norm="ortho")
        up_to = np.cumsum(efpag._probabilities(coefficients), -1)
        draw = rng.random((*counts.shape[:-1], 1)) * up_to[..., -1:]
        kept = np.concatenate([np.ones_like(draw, bool), up_to[..., :-1] <= draw], -1)
        noise = np.where(kept, rng.normal(scale=efpag.scale, size=counts.shape), 0.0)
        if self.convention["others"] == "dropped":
            coefficients = np.where(kept, coefficients, 0.0)
        noisy: np.ndarray = fft.idct(coefficients + noise, norm="ortho")
        return noisy


# -- errors ----------------------------------------------------------------------------------------


def _each(week: Traces, *, epsilons: Sequence[float]) -> list[tuple[str, float]]:
    return [(mechanism, epsilon) for mechanism in CONCERNS for epsilon in epsilons]


@experiment(
    "kk-noise-errors",
    paper="kk",
    answers=("Table III",),
    unit=("mechanism", "ε"),
    units=_each,
    load=first_week,
    at_paper={"cabspotting": RELEASES["cabspotting"] | {"n_releases": 10}},
)
def noise_errors(
    week: Traces,
    unit: tuple[str, float],
    *,
    data: str,
    epsilons: Sequence[float] = BUDGETS,
    sensitivities: Sequence[float] = SENSITIVITIES,
    n_releases: int = 2,
    group_size: int = 300,
    seed: int = 2018,
) -> Iterator[Row]:
    """Compute the errors of one mechanism under every convention, Δ and interpretation of the MRE.

    Source: KK, Eq. 7, Table III. All conventions draw the same random numbers.

    Parameters
    ----------
    week : lib.traces.Traces
        First week of the population.
    unit : (str, float)
        Mechanism and budget.
    data : str
        Name of the dataset; part of the names of the random streams.
    epsilons : sequence of float
        Privacy budgets.
    sensitivities : sequence of float
        Values of Δ.
    n_releases, group_size : int
        Number of groups, each released once, and number of users in each.
    seed : int
        Seed of the random streams.

    Returns
    -------
    iterator of dict
        A row for each convention, Δ, way to divide and upper limit of counts. Columns: convention,
        Δ, division, within, the mean MRE over releases under each sanity bound, to four digits.
    """
    mechanism, epsilon = unit
    raw = raw_releases(week, data, n_releases, group_size, seed)
    swept = sensitivities if mechanism != "LPA(1/ε)" else sensitivities[:1]
    for convention, sensitivity in product(variants(mechanism), swept):
        rng = stream(seed, "kk-noise-errors", data, mechanism, float(epsilon))
        reading = NoiseReading(mechanism, epsilon, float(sensitivity), convention)
        noisy = reading.apply(raw, rng, np.asarray(group_size))
        for within, most in zip(WITHIN, (group_size, week.n_users), strict=True):
            whole = round_and_clip(noisy, most)
            for division in DIVISIONS:
                yield {
                    "convention": name_of(mechanism, convention) or NO_CHOICE,
                    "Δ": sensitivity,
                    "division": division,
                    "within": within,
                    **_mean_errors(raw, whole, division),
                }


def _mean_errors(raw: np.ndarray, whole: np.ndarray, division: str) -> dict[str, float]:
    each = [relative_errors(a, b, division) for a, b in zip(raw, whole, strict=True)]
    return {bound: float(f"{np.mean([one[bound] for one in each]):.4g}") for bound in each[0]}


# -- gains -----------------------------------------------------------------------------------------


@cache
def _played() -> list[tuple[str, dict[str, str]]]:
    """Mechanisms and conventions whose gains are computed; those of FPA are all with plain noise.

    The printed noise has its gains in `kk-defenses-games`.
    """
    plain_fpa = [each for each in variants("FPA") if each["transform"] == "plain"]
    plain_efpag = [each for each in variants("EFPAG") if each["transform"] == "plain"]
    return [
        ("LPA(Δ/ε)", LITERAL),
        *(("GSM", each) for each in variants("GSM")),
        *(("FPA", each) for each in plain_fpa),
        *(("EFPAG", each) for each in plain_efpag),
    ]


@experiment(
    "kk-noise-games",
    paper="kk",
    answers=("Fig. 12", "Fig. 13"),
    unit=("target",),
    units=targets,
    load=first_week,
    at_paper={
        "cabspotting": {
            "group_size": 500,
            "n_groups": 400,
            "n_per_third": 8,
            "classifier": "MLP",
            "sensitivity": 1741.0,
        }
    },
    tolerance=SAME,
)
@with_settings(DefendedGame, "data", "group_size", "n_groups", "n_per_third", "classifier", "seed")
def noise_games(
    of: DefendedGame, *, sensitivity: float = PRINTED, epsilon: float = 10.0
) -> Iterator[Row]:
    """Evaluate both attackers of one target under the conventions of the search, at one budget.

    Source: KK, Sec. VII-C, Fig. 12 and 13.

    Parameters
    ----------
    of : DefendedGame
        The target's game.
    sensitivity : float
        The table's Δ.
    epsilon : float
        Privacy budget.

    Returns
    -------
    iterator of dict
        A row for each mechanism and convention. Columns: mechanism, convention, passive and
        strategic (AUC of each attacker on the same released counts).
    """
    task = of.task()
    raw_attack = of.fit(task)
    for mechanism, convention in _played():
        name = name_of(mechanism, convention)
        rng = stream(of.seed, "kk-noise-games", of.data, of.target, mechanism, name)
        noise: Any = NoiseReading(mechanism, epsilon, sensitivity, convention)
        met = game.strategic_task(task, [noise, PostProcess()], rng)
        cells = met.test.reshape(len(met.test), -1)
        attackers = {"passive": raw_attack, "strategic": of.fit(met)}
        aucs = {
            who: metrics.auc(met.test_members, attack.decision_function(cells))
            for who, attack in attackers.items()
        }
        yield {"mechanism": mechanism, "convention": name or NO_CHOICE, **aucs}

"""Other ways to publish the same records, audited beside the release: what should be changed?

Each alternative is audited with three attacks and the same sizes: one of a plausible attacker who
knows some users, one of a plausible attacker who knows other people, and the worst case. Its
usefulness is that of the counts that it publishes itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from lib.audit import verdicts
from lib.audit.attacks import ATTACKS, evaluate
from lib.audit.epsilon import person_epsilon
from lib.audit.games import Game
from lib.audit.releases import Release, parse
from lib.traces import Traces

LARGEST_ERROR = 0.1  # of totals by zone and day, unless the reader sets another
FLOOR = "error of totals by zone and day"  # the measure of usefulness that the floor is about
RISK_ATTACK = "likelihood-ratio-some-others"
_TRIED = (RISK_ATTACK, "likelihood-ratio-others", "likelihood-ratio-informed")
_RISK = "TPR at 1.0% FPR, most exposed tenth"
_PRESETS = ("user-day-epsilon-1", "suppress-10-round-5", "user-epsilon-1")
_N_PRESETS = 2
_CAP = 20  # a public contribution bound must not depend on the records
_BOUNDED = {"mechanisms": [{"name": "user-level-gaussian", "epsilon": 1.0}], "cap": _CAP}
_DAY = pd.Timedelta("1D")
_ZONES = 4  # zones that one coarser zone joins
_FEWEST_ZONES = 8  # of a release, to join some
_FEWEST_EPOCHS = 2


@dataclass(frozen=True)
class Alternative:
    """Another way to publish.

    Parameters
    ----------
    name : str
        Identifier.
    words : str
        What to change.
    release : Release
        How counts are published.
    coarsen : callable, optional
        Maps the records to coarser ones.
    """

    name: str
    words: str
    release: Release
    coarsen: Callable[[Traces], Traces] | None = None

    def traces(self, traces: Traces) -> Traces:
        """Cut the records as the alternative publishes them.

        Parameters
        ----------
        traces : Traces
            The records.

        Returns
        -------
        Traces
            The same, or coarser ones.
        """
        return traces if self.coarsen is None else self.coarsen(traces)


def propose(traces: Traces, release: Release) -> list[Alternative]:
    """List alternatives to a release that fit the records.

    Parameters
    ----------
    traces : Traces
        The records.
    release : Release
        The audited release.

    Returns
    -------
    list of Alternative
        At most five.
    """
    parsed = [parse(name) for name in _PRESETS]
    others = [r for r in parsed if (r.steps, r.cap) != (release.steps, release.cap)]
    found = [
        Alternative(r.name, "; ".join(step.words for step in r.steps), r)
        for r in others[:_N_PRESETS]
    ]
    by_day = _days(traces).max() + 1
    daily = _FEWEST_EPOCHS <= by_day < traces.n_epochs
    if daily and _fits(release, by_day):
        found.append(
            Alternative(
                "by-day", "publish one count a day, otherwise as now", release, coarsen_time
            )
        )
    if traces.n_rois >= _FEWEST_ZONES and not traces.rois[["lat", "lon"]].isna().to_numpy().any():
        words = f"join {_ZONES} neighbouring zones each, otherwise as now"
        found.append(Alternative("coarser-zones", words, release, coarsen_zones))
    words = (
        f"count at most {_CAP} visits of each person, and add Gaussian noise for a whole person "
        "with epsilon 1"
    )
    bounded = replace(parse(_BOUNDED), name="bounded-user-level")
    if daily:
        words, coarsen = f"publish one count a day, {words}", coarsen_time
        found.append(Alternative("by-day-bounded-user-level", words, bounded, coarsen))
    else:
        found.append(Alternative("bounded-user-level", words, bounded))
    return found


def _fits(release: Release, n_epochs: int) -> bool:
    """Whether Fourier perturbation keeps no more coefficients than so many epochs have."""
    kappa = [step.parameters["kappa"] for step in release.steps if step.name == "fpa"]
    return max(kappa, default=1) <= n_epochs // 2 + 1


def coarsen_time(traces: Traces) -> Traces:
    """Join the epochs of each day.

    Parameters
    ----------
    traces : Traces
        The records.

    Returns
    -------
    Traces
        The same people and zones; a person is counted once a day in each zone.
    """
    day = _days(traces)
    start = traces.epochs[0].normalize()
    epochs = pd.date_range(start, periods=day.max() + 1, freq=_DAY)
    user, roi, epoch = _visits(traces)
    return Traces.from_codes(user, roi, day[epoch], traces.users, traces.rois, epochs)


def _days(traces: Traces) -> np.ndarray:
    """Number of the day of each epoch, from 0."""
    normal = traces.epochs.normalize()
    return np.asarray((normal - normal[0]) // _DAY)


def coarsen_zones(traces: Traces) -> Traces:
    """Join neighbouring zones, four at a time, by halving the map again and again.

    Parameters
    ----------
    traces : Traces
        The records; zones have coordinates.

    Returns
    -------
    Traces
        The same people and epochs; a person is counted once an epoch in each coarser zone.
    """
    point = traces.rois[["lat", "lon"]].to_numpy(float)
    zone = np.empty(traces.n_rois, int)
    for number, group in enumerate(_halves(point, np.arange(len(point)))):
        zone[group] = number
    rois = traces.rois[["lat", "lon"]].groupby(zone).mean()
    user, roi, epoch = _visits(traces)
    return Traces.from_codes(user, zone[roi], epoch, traces.users, rois, traces.epochs)


def _halves(point: np.ndarray, group: np.ndarray) -> Iterator[np.ndarray]:
    """Groups of at most four positions, halved where they are farthest apart."""
    if len(group) <= _ZONES:
        yield group
        return
    axis = int(np.ptp(point[group], axis=0).argmax())
    order = group[np.argsort(point[group, axis], kind="stable")]
    for half in (order[: len(order) // 2], order[len(order) // 2 :]):
        yield from _halves(point, half)


def _visits(traces: Traces) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    user = np.repeat(np.arange(traces.n_users), np.diff(traces.matrix.indptr))
    roi, epoch = np.divmod(traces.matrix.indices, traces.n_epochs)
    return user, roi, epoch


# -- their audit -----------------------------------------------------------------------------------


def try_out(
    game: Game, alternative: Alternative, usefulness: Callable[[Game], dict[str, Any]]
) -> dict[str, Any]:
    """Audit an alternative with three attacks.

    Parameters
    ----------
    game : Game
        The game of the audited release.
    alternative : Alternative
        The alternative.
    usefulness : callable
        Measures the usefulness of a game's release.

    Returns
    -------
    dict
        One entry of the document's ``alternatives``.
    """
    traces = alternative.traces(game.traces)
    other = Game(traces, alternative.release, game.seed, game.sizes.targets < 1000)
    attacks = [evaluate(attack, other) for attack in ATTACKS if attack.id in _TRIED]
    epsilon: dict[str, Any] = {
        "person": person_epsilon(other.plan),
        "delta": other.plan.delta,
        "empirical": [],
    }
    verdict, _ = verdicts.verdict(attacks, epsilon, True)
    assessed, useful = verdicts.assess(attacks, epsilon), usefulness(other)
    (risk,) = (each["measures"][_RISK] for each in attacks if each["id"] == RISK_ATTACK)
    return {
        "release": alternative.name,
        "change_first": alternative.words,
        "risk": {"attack": RISK_ATTACK} | risk,
        "usefulness": useful,
        "words": f"{other.plan.describe()['words']} {_cost_in_words(useful)}",
        "zones": traces.n_rois,
        "epochs": traces.n_epochs,
        "guarantee": assessed["guarantee"],
        "plausible": assessed["plausible"],
        "worst": assessed["worst"],
        "verdict": verdict,
    }


def _cost_in_words(useful: Mapping[str, Any]) -> str:
    if useful["visits published"]["value"] == 0:
        return "Then nothing is left: all counts are published as 0."
    error = useful["MRE"]
    return (
        f"Over all counts, including empty ones, the mean relative error is {error['value']:.2g} "
        f"(zeros everywhere: {error['nothing']:.2g})."
    )


def useful_enough(useful: Mapping[str, Any], largest_error: float) -> bool:
    """Decide whether counts are above the floor of usefulness.

    Parameters
    ----------
    useful : mapping
        Usefulness of a release.
    largest_error : float
        Largest error of totals by zone and day.

    Returns
    -------
    bool
        Whether the upper end of the error's interval is at most `largest_error`.
    """
    error = useful.get(FLOOR)
    if error is None or error["value"] is None:
        return False
    high = error.get("high")
    return bool((error["value"] if high is None else high) <= largest_error)


def best_first(entries: Sequence[dict[str, Any]], largest_error: float) -> list[dict[str, Any]]:
    """Sort alternatives: those that are useful enough first, then by verdict, then by risk.

    Parameters
    ----------
    entries : sequence of dict
        Results of `try_out`.
    largest_error : float
        As in `useful_enough`.

    Returns
    -------
    list of dict
        The same entries, each with ``useful_enough``.
    """
    marked = [e | {"useful_enough": useful_enough(e["usefulness"], largest_error)} for e in entries]

    def rank(entry: Mapping[str, Any]) -> tuple[bool, int, float, float]:
        found = entry["plausible"]
        risk = (1.0, 1.0) if found is None else (found["high"], found["value"])
        return not entry["useful_enough"], -verdicts.VERDICTS.index(entry["verdict"]), *risk

    return sorted(marked, key=rank)

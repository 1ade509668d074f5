"""Interpretations of what the paper on aggregation privacy leaves open.

MAX_ROI leaves two things open: how ties are broken, and whether users can be assigned to null. The
MRE leaves one open: the sanity bound below which a count is not divided by.
The cabs' grid is not printed either: its box, moved a little, shows what depends on it.
Interpretations are judged on all numbers that depend on them, and none is used anywhere else: see
`lib.papers.aggregation_privacy.interpretations`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from scipy import sparse

from lib import datasets
from lib import localization as loc
from lib.datasets.cabspotting import SFC_GRID
from lib.execution.results import Row
from lib.localization.profiles import Epoch
from lib.papers.aggregation_privacy.experiments import (
    EPSILONS,
    FPA_INTERPRETATIONS,
    KINDS,
    PS,
    SCM,
    ObservedWeek,
    baseline,
    experiment,
    release_fpa,
    release_once,
)
from lib.randomness import stream
from lib.reading.rows import Grid

TIES = ("by reports", "in the file's order", "drawn each epoch", "drawn each epoch and ROI")
NULL_ROW = ("null is a row", "null is left out")
DRAWN = TIES[2:]
AS_PRINTED = NULL_ROW[0], TIES[0]
ALL_USERS, OBSERVED = "all", "seen in the week"  # over whom the shares are taken


# -- who is first among equals, and null -----------------------------------------------------------


def _kinds(week: ObservedWeek, kinds: Sequence[str] = KINDS) -> list[str]:
    return list(kinds)


@experiment(
    "crowd-readings",
    answers=tuple(f"Fig. {n}" for n in (1, 3, 4, 5, 11, 16)),
    unit=("prior",),
    units=_kinds,
    at_paper={"cabspotting": {}},
)
def interpretations(
    week: ObservedWeek,
    kind: str,
    *,
    data: str,
    kinds: Sequence[str] = KINDS,
    n_draws: int = 2,
    delta: float = 0.5,
    seed: int = 2017,
) -> Iterator[Row]:
    """Measure MAX_ROI under every interpretation of its ties and of null; drawn ties several times.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    kind : str
        Name of a prior, for example "FREQ_ROI".
    data : str
        Name of the dataset.
    kinds : sequence of str, default KINDS
        Names of priors.
    n_draws : int, default 2
        Number of draws where ties are drawn.
    delta : float, default 0.5
        Share of the prior that a place needs to be named (POP).
    seed : int, default 2017
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        Columns: null; ties; draw; goal; users; means over users as of `experiments.errors`; the
        loss against POP (localization); the share of users for whom MAX_ROI errs less than
        MAX_USER; shares over the users observed in the week.
    """
    known = week.prior(kind)
    seen = _seen(week)
    for null, ties in product(NULL_ROW, TIES):
        counts = week.counts
        if null == NULL_ROW[1]:
            counts = counts.copy()
            counts[-1] = 0
        for draw in range(n_draws if ties in DRAWN else 1):
            rng = stream(seed, "crowd-readings", data, kind, null, ties, draw)
            belief = _assigned(known, counts, ties, rng)
            for goal, error_of in _ERRORS.items():
                found = week.errors(goal, kind, delta)
                yield {"null": null, "ties": ties, "draw": draw, "goal": goal} | _measured(
                    error_of(belief, week.truth), found, baseline(goal, kind), seen
                )


_ERRORS: dict[str, Callable[..., np.ndarray]] = {
    "profiling": loc.profiling_error,
    "localization": loc.localization_error,
}


def _seen(week: ObservedWeek) -> np.ndarray:
    """Whether each user was anywhere in the inferred week, (n_users,)."""
    n_cells = (week.truth.n_rois - 1) * week.truth.n_epochs
    return np.asarray(week.truth.matrix[:, :n_cells].sum(axis=1)).ravel() > 0


def _assigned(
    known: loc.Profile, counts: np.ndarray, ties: str, rng: np.random.Generator
) -> loc.Profile:
    """MAX_ROI's profile; ties go to the users whom an interpretation ranks first."""
    if ties == TIES[0]:
        return loc.max_roi(known, counts)
    if ties == TIES[1]:
        return loc.max_roi(replace(known, reports=0 * known.reports), counts)
    each_roi = ties == TIES[3]
    epochs = [_drawn(known, counts, t, each_roi, rng) for t in range(known.n_epochs)]
    return replace(known, slots=np.arange(known.n_epochs), of_slot=epochs.__getitem__)


def _drawn(
    known: loc.Profile, counts: np.ndarray, t: int, each_roi: bool, rng: np.random.Generator
) -> Epoch:
    """One epoch, with one order of the users that is drawn for it, or one for each of its ROIs."""
    now, parts = known.select(np.array([t])), []
    there = np.flatnonzero(counts[:, t])
    for rois in [[roi] for roi in there] if each_roi else [there]:
        only = np.zeros((len(counts), 1), counts.dtype)
        only[rois, 0] = counts[rois, t]
        order = replace(now, reports=rng.permutation(known.n_users))
        parts.append(loc.max_roi(order, only).epoch(0).own)
    total = sum(parts, sparse.csr_array((known.n_users, known.n_rois)))
    return Epoch(sparse.csr_array(total))


def _means(own: np.ndarray, base: np.ndarray) -> Row:
    return {
        "users": len(own),
        "error": own.mean(),
        "loss": loc.privacy_loss_from_errors(base, own).mean(),
        "better": (own < base - 1e-12).mean(),
        "worse": (own > base + 1e-12).mean(),
        "to 0.5": (own <= 0.5).mean(),
        "above 0.25": (own > 0.25).mean(),
    }


def _measured(own: np.ndarray, found: dict[str, np.ndarray], base: str, seen: np.ndarray) -> Row:
    loss = loc.privacy_loss_from_errors
    better, worse = own < found[base] - 1e-12, own > found[base] + 1e-12
    return _means(own, found[base]) | {
        "loss of POP": loss(found["POP"], own).mean() if "POP" in found else np.nan,
        "over MAX_USER": (own < found["MAX_USER"]).mean(),
        "better, seen": better[seen].mean(),
        "worse, seen": worse[seen].mean(),
        "over MAX_USER, seen": (own < found["MAX_USER"])[seen].mean(),
    }


@experiment(
    "crowd-seen",
    answers=("Sec. 4.2", "Sec. 4.3"),
    unit=("prior",),
    units=_kinds,
    at_paper={"cabspotting": {}},
)
def shares_of_observed(
    week: ObservedWeek, kind: str, *, kinds: Sequence[str] = KINDS, delta: float = 0.5
) -> Iterator[Row]:
    """Compute shares of users over those who were observed in the inference week.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    kind : str
        Name of a prior, for example "FREQ_ROI".
    kinds : sequence of str, default KINDS
        Names of priors.
    delta : float, default 0.5
        Share of the prior that a place needs to be named (POP).

    Returns
    -------
    iterator of dict
        Columns: goal; strategy; users (observed); better, worse (as of `experiments.errors`).
    """
    seen = _seen(week)
    for goal in _ERRORS:
        found = week.errors(goal, kind, delta)
        base = found[baseline(goal, kind)][seen]
        for strategy, errors in found.items():
            own = errors[seen]
            yield {
                "goal": goal,
                "strategy": strategy,
                "users": len(own),
                "better": (own < base - 1e-12).mean(),
                "worse": (own > base + 1e-12).mean(),
            }


# -- the cabs' box ---------------------------------------------------------------------------------

MOVE = 0.05  # of the box's height or width
SIDES = {"south": -1, "north": 1, "west": -1, "east": 1}  # and where "out" is
OURS = "ours"


def box_names(week: ObservedWeek) -> list[str]:
    """List the box of `SFC_GRID`, and those of which one side, or all, are moved out or in.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.

    Returns
    -------
    list of str
        Names of boxes.
    """
    return [OURS, *(f"{side} {way}" for side in (*SIDES, "all") for way in ("out", "in"))]


def grid_of_box(name: str) -> Grid:
    """Build the grid of a box, with the same number of cells.

    Parameters
    ----------
    name : str
        One of `box_names`.

    Returns
    -------
    Grid
        The grid.

    Examples
    --------
    >>> round(grid_of_box("north out").north - SFC_GRID.north, 5)
    0.00366
    """
    if name == OURS:
        return SFC_GRID
    moved, way = name.split()
    far = {"south": SFC_GRID.north - SFC_GRID.south, "west": SFC_GRID.east - SFC_GRID.west}
    far |= {"north": far["south"], "east": far["west"]}
    step = MOVE if way == "out" else -MOVE
    return replace(
        SFC_GRID,
        **{
            side: getattr(SFC_GRID, side) + out * step * far[side]
            for side, out in SIDES.items()
            if moved in (side, "all")
        },
    )


@experiment(
    "crowd-boxes",
    answers=tuple(f"Fig. {n}" for n in (1, 2, 3, 4, 5, 10, 11, 13, 15, 16)),
    unit=("box",),
    units=box_names,
    at_paper={"cabspotting": {}},
)
def errors_in_boxes(week: ObservedWeek, name: str, *, delta: float = 0.5) -> Iterator[Row]:
    """Measure what `experiments.errors` measures on the cabs, in boxes near the book's.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    name : str
        One of `box_names`.
    delta : float, default 0.5
        Share of the prior that a place needs to be named (POP).

    Returns
    -------
    iterator of dict
        Columns: goal, prior, strategy; users; means over users of error, loss, better and worse,
        and of errors at most 0.5 and above 0.25.
    """
    if name != OURS:
        week = ObservedWeek(datasets.load("cabspotting", grid=grid_of_box(name)).with_null())
    for goal, kind in product(_ERRORS, KINDS):
        found = week.errors(goal, kind, delta)
        for strategy, own in found.items():
            row = _means(own, found[baseline(goal, kind)])
            yield {"goal": goal, "prior": kind, "strategy": strategy} | row


# -- the sanity bound ------------------------------------------------------------------------------

CONSTANTS = tuple(round(0.1 * i, 1) for i in range(1, 201))  # users
FINER = (4.45, 4.55, 4.65)
N_RELEASES = 5
RULES = (
    "0.1% of a place's sum",
    "0.1% of an hour's sum",
    "0.1% of the median place's sum",
    "0.1% of the mean place's sum",
)


def _levels(week: ObservedWeek) -> list[tuple[str, float]]:
    chosen = [
        (name, e)
        for name in (*SCM, *(f"FPA, {each}" for each in FPA_INTERPRETATIONS))
        for e in EPSILONS
    ]
    return chosen + [("SpotMe", p) for p in PS]


@experiment(
    "crowd-bounds",
    answers=("Tab. 3", "Tab. 4", "Tab. 5"),
    unit=("mechanism", "level"),
    units=_levels,
    at_paper={"cabspotting": {}, "commuters": {"kappa": 25}},
)
def sanity_bounds(
    week: ObservedWeek,
    unit: tuple[str, float],
    *,
    data: str,
    n_releases: int = N_RELEASES,
    kappa: int = 20,
    constants: Sequence[float] = (*CONSTANTS, *FINER),
    seed: int = 2017,
) -> Iterator[Row]:
    """Compute the MRE of releases under every sanity bound: constants, and rules.

    Parameters
    ----------
    week : ObservedWeek
        Population with the inference week, as `load_week` gives it.
    unit : tuple
        The experiment's unit, as its decorator names it.
    data : str
        Name of the dataset.
    n_releases : int, default N_RELEASES
        Number of independent releases.
    kappa : int, default 20
        Number of Fourier coefficients that FPA keeps.
    constants : sequence of float, optional
        Sanity bounds in users.
    seed : int, default 2017
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        Columns: bound (users, or a rule); MRE, its mean over releases; its standard error.
    """
    mechanism, level = unit
    noisy = []
    for i in range(n_releases):
        rng = stream(seed, "crowd-bounds", data, mechanism, float(level), i)
        noisy.append(_release(week, mechanism, level, kappa, rng))
    raw = week.counts.astype(float)
    for bound, value in _bounds(raw, constants).items():
        found = [float(_mre(raw, each, value)) for each in noisy]
        error = np.std(found, ddof=1) / n_releases**0.5 if n_releases > 1 else np.nan
        yield {"bound": bound, "MRE": np.mean(found), "MRE se": error}


def _release(
    week: ObservedWeek, mechanism: str, level: float, kappa: int, rng: np.random.Generator
) -> np.ndarray:
    """One release, clipped and rounded."""
    if mechanism.startswith("FPA"):
        return release_fpa(week, mechanism.removeprefix("FPA, "), level, kappa, rng)
    return release_once(week, mechanism, level, kappa, rng)


def _bounds(raw: np.ndarray, constants: Sequence[float]) -> dict[float | str, np.ndarray]:
    """Name of a bound -> smallest denominator, (n_rois or 1, n_epochs or 1)."""
    places = raw.sum(axis=1, keepdims=True)
    middle, mean = (np.full((1, 1), f(places)) for f in (np.median, np.mean))
    rules = places, raw.sum(axis=0, keepdims=True), middle, mean
    found: dict[float | str, np.ndarray] = {c: np.full((1, 1), c) for c in constants}
    return found | {rule: 0.001 * each for rule, each in zip(RULES, rules, strict=True)}


def _mre(raw: np.ndarray, noisy: np.ndarray, bound: np.ndarray) -> np.ndarray:
    """Mean over cells of the absolute error divided by the count or by the bound.

    Cells where both are 0 are left out: places without any visit.
    """
    below = np.broadcast_to(np.maximum(raw, bound), raw.shape)
    known = below > 0
    off: np.ndarray = np.abs(raw - noisy)[known] / below[known]
    return off.mean()

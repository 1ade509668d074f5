"""Attacks on counts rather than on people: unicity, differencing, totals beside hidden counts.

Every attack takes the audit's `Game` and returns a `Disclosure`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lib.audit.games import Game
from lib.audit.measures import Measure, mean_measure
from lib.audit.small_counts import recover

_SIGHTINGS = (1, 2, 4)


class Disclosure(NamedTuple):
    """What an attack on counts reveals.

    Parameters
    ----------
    measures : dict of str to Measure
        Results by name.
    control : dict
        The control.
    statement : str
        The result in a sentence.
    more : dict
        Further numbers.
    """

    measures: dict[str, Measure]
    control: dict[str, Any]
    statement: str
    more: dict[str, Any]


def unicity(game: Game) -> Disclosure:
    """Measure how many people are unique given a few of their own sightings, drawn at random.

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    Disclosure
        Shares of people; they describe the records, whatever is published.
    """
    rng, by_user = game.rng("unicity"), game.traces.matrix
    by_cell = by_user.T.tocsr()
    shares = {}
    for n in _SIGHTINGS:
        unique = []
        for person in game.targets:
            cells = by_user[[person]].indices
            if len(cells) < n:
                continue
            seen = rng.choice(cells, n, replace=False)
            together = by_cell[seen].sum(axis=0)
            unique.append(float((np.asarray(together).ravel() == n).sum() == 1))
        if len(unique) > 1:
            name = f"singled out by {n} sightings"
            shares[name] = mean_measure(np.array(unique), None, "share of people", (0, 1))
    listed = "; ".join(f"{name}: {100 * m.value:.0f} of 100" for name, m in shares.items())
    return Disclosure(
        shares,
        {"words": "none: this is about the records, which are not published", "at_chance": True},
        f"people {listed}. This tells how few sightings identify a person in the records; the "
        "release does not change it.",
        {},
    )


def two_releases(game: Game) -> Disclosure:
    """Subtract a release without the target from one with the target.

    The attacker guesses visits where counts fell, the largest changes first, as many guesses as
    the target has visits. The control compares two releases of the same people.

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    Disclosure
        Share of visits found beyond chance.
    """
    raw = game.pool_counts().ravel()
    rng, hits, base, control_hits = game.rng("two-releases"), [], [], []
    for person in game.sample(4 * game.sizes.slow_targets):
        cells = game.bounded.matrix[[person]].indices
        if not len(cells):
            continue
        without = raw.copy()
        without[cells] -= 1
        first, second, repeated = (
            game.plan.apply(each.reshape(1, *game.shape), rng, game.group_size).ravel()
            for each in (raw, without, raw)
        )
        true = np.zeros(len(raw), bool)
        true[cells] = True
        hits.append(_hit_share(first - second, true, rng))
        control_hits.append(_hit_share(repeated - first, true, rng))
        base.append(true.mean())
    share, unit = float(np.mean(base)), "share of the target's visits"
    gain = mean_measure(np.array(hits) - share, 0.0, unit)
    control = mean_measure(np.array(control_hits) - share, 0.0, unit)
    return Disclosure(
        {"visits found beyond chance": gain},
        {
            "words": "two releases of the same people",
            "people": len(control_hits),
            "gain": control.to_dict(),
            "at_chance": (0.0 if control.low is None else control.low) <= 0,
        },
        "if the same counts are published again after one person has left, the difference reveals "
        f"{100 * float(np.mean(hits)):.0f} of 100 of that person's visits.",
        {"people": len(hits)},
    )


def _hit_share(change: np.ndarray, true: np.ndarray, rng: np.random.Generator) -> float:
    """Share of the visits among the same number of largest changes above 0; ties at random."""
    rising = np.flatnonzero(change > 0)
    order = np.lexsort((rng.random(len(rising)), -change[rising]))
    n = int(true.sum())
    return float(true[rising[order[:n]]].sum() / n)


def totals(game: Game) -> Disclosure:
    """Recover suppressed counts from published totals.

    Parameters
    ----------
    game : Game
        The audit's game.

    Returns
    -------
    Disclosure
        Share of hidden counts that are recovered exactly, and share of totals that are small.
    """
    raw, threshold = game.pool_counts(), game.plan.threshold
    published = game.plan.publish(raw, game.rng("totals"), game.group_size)
    assert published.by_place is not None and published.by_hour is not None
    values = recover(published.counts, published.by_place, published.by_hour, threshold)
    hidden = (published.counts == 0) & (raw > 0)
    right = int(((values == raw) & hidden & (values > 0)).sum())
    share = right / max(int(hidden.sum()), 1)
    both = np.concatenate([published.by_place, published.by_hour])
    small = (both > 0) & (both < threshold) & (game.plan.noise is None)
    small_share = float(small.sum() / max((both > 0).sum(), 1))
    unit = "share of totals above 0"
    return Disclosure(
        {
            "hidden counts recovered": Measure(share, share, share, 0.0, "share of hidden counts"),
            "small totals published": Measure(small_share, small_share, small_share, 0.0, unit),
        },
        {"words": "counts that are not hidden cannot be recovered", "at_chance": True},
        f"of {int(hidden.sum())} counts that are hidden because they are small, {right} follow "
        f"exactly from the totals; {int(small.sum())} totals are below the suppression threshold "
        "themselves.",
        {"hidden": int(hidden.sum()), "recovered": right, "small_totals": int(small.sum())},
    )

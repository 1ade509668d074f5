"""Attacks on counts rather than on people: unicity, two releases, totals beside hidden counts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lib.audit import measures
from lib.audit.games import Games, count
from lib.audit.measures import Measure
from lib.audit.small_counts import recovered

_SIGHTINGS = (1, 2, 4)


class Disclosed(NamedTuple):
    measures: dict[str, Measure]
    control: dict[str, Any]
    statement: str
    more: dict[str, Any]


def unicity(games: Games) -> Disclosed:
    """How many people are the only ones seen at a few of their own sightings, drawn at random.

    It says how little singles a person out of the records, whatever is published of them.
    """
    rng, by_user = games.rng("unicity"), games.traces.matrix
    by_cell = by_user.T.tocsr()
    shares = {}
    for n in _SIGHTINGS:
        unique = []
        for person in games.targets:
            cells = by_user[[person]].indices
            if len(cells) < n:
                continue
            seen = rng.choice(cells, n, replace=False)
            together = by_cell[seen].sum(axis=0)
            unique.append(float((np.asarray(together).ravel() == n).sum() == 1))
        if len(unique) > 1:
            shares[f"singled out by {n} sightings"] = measures.mean_measure(
                np.array(unique), None, "share of people", (0, 1)
            )
    said = "; ".join(f"{name}: {100 * m.value:.0f} of 100" for name, m in shares.items())
    return Disclosed(
        shares,
        {"words": "none: this is about the records, which are not published", "at_chance": True},
        f"people {said}. It says how little a person has to give away to be recognised in the "
        "records; the release does not change it.",
        {},
    )


def two_releases(games: Games) -> Disclosed:
    """The release with her and the release without her, compared count by count.

    Her visits are guessed at the counts that went up; as many guesses as she has visits, the
    largest changes first. The control compares two releases between which nobody changed.
    """
    people = games.few(4 * games.sizes.few_targets)
    shape = games.traces.n_rois, games.traces.n_epochs
    everybody = np.zeros((games.traces.n_users, 1), bool)
    everybody[games.pool] = True
    raw = count(games.bounded, everybody)[:, 0].astype(np.int32)
    rng, hits, base, luck = games.rng("two-releases"), [], [], []
    for person in people:
        hers = games.bounded.matrix[[person]].indices
        if not len(hers):
            continue
        without = raw.copy()
        without[hers] -= 1
        first, second, again = (
            games.plan.counts(each.reshape(1, *shape), rng, games.group_size).ravel()
            for each in (raw, without, raw)
        )
        true = np.zeros(len(raw), bool)
        true[hers] = True
        hits.append(_found(first - second, true, rng))
        luck.append(_found(again - first, true, rng))
        base.append(true.mean())
    share = float(np.mean(base))
    gained = measures.mean_measure(np.array(hits) - share, 0.0, "share of her visits")
    control = measures.mean_measure(np.array(luck) - share, 0.0, "share of her visits")
    low = control.low if control.low is not None else 0.0
    return Disclosed(
        {"visits found beyond chance": gained},
        {
            "words": "two releases of the same people",
            "people": len(luck),
            "gain": control.to_dict(),
            "at_chance": low <= 0,
        },
        f"if the same counts are published again after one person left, the difference shows "
        f"{100 * float(np.mean(hits)):.0f} of 100 of her visits.",
        {"people": len(hits)},
    )


def _found(change: np.ndarray, true: np.ndarray, rng: np.random.Generator) -> float:
    """The share of her visits among as many of the largest changes above 0; ties by chance."""
    rising = np.flatnonzero(change > 0)
    order = np.lexsort((rng.random(len(rising)), -change[rising]))
    n = int(true.sum())
    return float(true[rising[order[:n]]].sum() / n)


def totals(games: Games) -> Disclosed:
    """Counts that the release hides, and that its totals give away exactly."""
    whole = np.zeros((games.traces.n_users, 1), bool)
    whole[games.pool] = True
    raw = count(games.bounded, whole).reshape(games.traces.n_rois, games.traces.n_epochs)
    raw = raw.astype(np.int32)
    published = games.plan.published(raw, games.rng("totals"), games.group_size)
    assert published.by_place is not None and published.by_hour is not None
    values = recovered(
        published.counts, published.by_place, published.by_hour, games.plan.threshold
    )
    hidden = (published.counts == 0) & (raw > 0)
    right = int(((values == raw) & hidden & (values > 0)).sum())
    share = right / max(int(hidden.sum()), 1)
    both = np.concatenate([published.by_place, published.by_hour])
    small = (both > 0) & (both < games.plan.threshold) & (games.plan.noise is None)
    small_share = float(small.sum() / max((both > 0).sum(), 1))
    return Disclosed(
        {
            "hidden counts recovered": Measure(share, share, share, 0.0, "share of hidden counts"),
            "small totals published": Measure(
                small_share, small_share, small_share, 0.0, "share of totals above 0"
            ),
        },
        {"words": "counts that are not hidden cannot be recovered", "at_chance": True},
        f"of {int(hidden.sum())} counts that are hidden because they are small, the totals give "
        f"{right} away exactly; {int(small.sum())} totals are themselves as small as what is "
        "hidden.",
        {"hidden": int(hidden.sum()), "recovered": right, "small_totals": int(small.sum())},
    )

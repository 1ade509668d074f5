"""Compare declared interpretations of a paper by how many of its numbers they reproduce.

An interpretation is chosen after the published numbers were seen. Therefore each one is judged on
all numbers that depend on it, and beside a baseline in which the published numbers are permuted.
The best interpretation decides a claim's `named_verdict`, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pandas as pd

from lib.papers import claims
from lib.papers.claims import Claim, Finding
from lib.papers.predicates import Estimate

MET = ("reproduced", "supported")
SHUFFLES = 2000
Found = Mapping[str, Finding]  # a claim's id -> what was found under a reading
Reading = TypeVar("Reading", bound=Hashable)


def rank_interpretations(found: Mapping[Reading, Found]) -> pd.DataFrame:
    """Rank interpretations by how many published numbers they reproduce.

    Parameters
    ----------
    found : mapping of object to mapping
        For each interpretation, its findings by claim id. The first one is the literal one.

    Returns
    -------
    pandas.DataFrame
        One row each, the best first: numbers reproduced, numbers, those within 0.01; numbers
        reproduced of those that depend on the interpretation; statements that hold, trends; the
        mean difference of numbers.
    """
    numbers, trends, moving = _numbers(found), _trends(found), _moving(found)
    rows = {}
    for reading, each in found.items():
        apart = [abs(_value(each[name]) - claims.claim(name).value[0]) for name in numbers]
        rows[reading] = {
            "met": _count(each, numbers),
            "numbers": len(numbers),
            "within 0.01": int(sum(a <= 0.01 + 1e-12 for a in apart)),
            "met, of those that move": _count(each, moving),
            "that move": len(moving),
            "statements that hold": _count(each, trends),
            "trends": len(trends),
            "mean difference": float(np.mean(apart)),
        }
    table = pd.DataFrame.from_dict(rows, orient="index")
    return table.sort_values(["met", "mean difference"], ascending=[False, True])


def permutation_baseline(
    found: Mapping[Reading, Found], kind: Callable[[Claim], str], seed: int = 2017
) -> dict[str, float]:
    """Count how many published numbers are reproduced if they are permuted within their group.

    Only numbers that depend on the interpretation count.

    Parameters
    ----------
    found : mapping of object to mapping
        For each interpretation, its findings by claim id.
    kind : callable
        The group of a claim within which published numbers are permuted.
    seed : int, default 2017
        Seed of the `SHUFFLES` permutations.

    Returns
    -------
    dict of str to float
        How many numbers are within the tolerance, however wide their intervals: for the best
        interpretation, without permuting ("best, observed"), and over the permutations the mean,
        the 95% quantile, and the share with at least as many as observed; and the mean of a
        random interpretation over the permutations.
    """
    moving = _moving(found)
    here = np.array([[_value(each[name]) for name in moving] for each in found.values()])
    published = [claims.claim(name) for name in moving]
    kinds = np.array([kind(claim) for claim in published])
    values = np.array([claim.value[0] for claim in published])
    slack = [
        [claims.tolerance(claim, _error(each[claim.id])) + 1e-12 for claim in published]
        for each in found.values()
    ]
    within, rng = np.array(slack), np.random.default_rng(seed)
    met = np.empty((SHUFFLES, len(found)))
    for i in range(SHUFFLES):
        permuted = values.copy()
        for each in sorted(set(kinds)):
            of = np.flatnonzero(kinds == each)
            permuted[of] = values[rng.permutation(of)]
        met[i] = (np.abs(here - permuted) <= within).sum(axis=1)
    top, observed = met.max(axis=1), (np.abs(here - values) <= within).sum(axis=1).max()
    return {
        "best, observed": float(observed),
        "best, mean": top.mean(),
        "best, 95%": np.quantile(top, 0.95),
        "best, as many": (top >= observed).mean(),
        "any, mean": met.mean(),
    }


def literal(found: Mapping[Reading, Found]) -> Found:
    """Return the findings of the literal interpretation, which comes first.

    Parameters
    ----------
    found : mapping of object to mapping
        For each interpretation, its findings by claim id.

    Returns
    -------
    mapping of str to Finding
        The findings by claim id.
    """
    return next(iter(found.values()))


def with_named(
    findings: Iterable[Finding],
    named: Mapping[str, Finding],
    data: str,
    words: str = "the best-fitting interpretation",
) -> Iterator[Finding]:
    """Attach to the findings of one dataset what they are under another interpretation.

    If a number is different under it, the note of the finding says so.

    Parameters
    ----------
    findings : iterable of Finding
        The findings of the literal interpretation.
    named : mapping of str to Finding
        Findings of the other interpretation by claim id.
    data : str
        The dataset that has them.
    words : str
        What notes call the other interpretation.

    Yields
    ------
    Finding
        Each finding.
    """
    for each in findings:
        other = named.get(each.id)
        if other is None or each.data != data:
            yield each
            continue
        said = [each.note] if each.note else []
        if len(claims.claim(each.id).value) == 1 and abs(_value(other) - _value(each)) > 1e-9:
            said.append(f"under {words} it is {_value(other):.4g}")
        yield replace(each, named=other, note="; ".join(said))


def _numbers(found: Mapping[Reading, Found]) -> list[str]:
    """List claims of one number, not of a range whose ends are both claimed."""
    return [name for name in literal(found) if len(claims.claim(name).value) == 1]


def _trends(found: Mapping[Reading, Found]) -> list[str]:
    return [name for name in literal(found) if claims.claim(name).kind == "trend"]


def _moving(found: Mapping[Reading, Found]) -> list[str]:
    """List numbers that differ between interpretations."""
    return [
        name
        for name in _numbers(found)
        if len({round(_value(each[name]), 9) for each in found.values()}) > 1
    ]


def _value(finding: Finding) -> float:
    return float(getattr(finding.here, "value", finding.here))  # type: ignore[arg-type]


def _error(finding: Finding) -> float:
    return finding.here.error if isinstance(finding.here, Estimate) else 0.0


def _count(found: Found, names: Iterable[str]) -> int:
    return sum(claims.judge(claims.claim(name), found[name]).verdict in MET for name in names)

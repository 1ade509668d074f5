"""One release, every attack: what releases as practised let through, and what use they leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from lib import audit
from lib.store import Row
from lib.studies.core import study
from lib.traces import Traces

RELEASES = (
    "raw",
    "round-5",
    "mds-k10",
    "flowkit-15",
    "suppress-10-round-5",
    "event-epsilon-1",
    "user-day-epsilon-1",
    "google-mobility",
    "fpa-epsilon-1",
    "gaussian-user-epsilon-1",
    "user-epsilon-1",
)


def released(
    traces: Traces, *, releases: Sequence[str] = RELEASES, draws: int = 1, **_: Any
) -> list[tuple[str, int]]:
    """Units: a release, and a draw of who is in, who is asked about and who is a control."""
    return list(product(releases, range(draws)))


@study("audit-releases", unit=("release", "draw"), units=released, at_paper={})
def audited(
    traces: Traces,
    unit: tuple[str, int],
    *,
    releases: Sequence[str] = RELEASES,
    draws: int = 1,
    quick: bool = True,
    seed: int = 2018,
) -> Iterator[Row]:
    """Every attack on one release, with about half of the people in it.

    A row a measure. Columns: about ("attack", "epsilon", "usefulness" or "verdict"), of (the
    attack, the bound), goal, knowledge, measure, value, low, high, baseline; severity and whether
    controls were at chance, of attacks. An attack that was not tested has one row, without value.
    """
    name, draw = unit
    found = audit.audit(traces, audit.parse(name), quick, seed + draw)
    yield _row("verdict", "audit", "verdict") | {"severity": found["verdict"]}
    for attack in found["attacks"]:
        yield from _attacked(attack)
    promised = found["epsilon"]
    for bound in promised["empirical"]:
        yield _row("epsilon", bound["attack"], bound["method"]) | {
            "value": bound["lower"],
            "high": bound["ceiling"],
            "baseline": promised["declared"] if bound["comparable"] else None,
            "knowledge": promised["unit"],
        }
    for measure, use in found["usefulness"].items():
        yield _row("usefulness", "counts", measure) | {"value": use["value"]}


def _attacked(attack: dict[str, Any]) -> Iterator[Row]:
    whose = {"goal": attack["goal"], "knowledge": attack["knowledge"]}
    if attack["status"] != "tested":
        yield _row("attack", attack["id"], "not tested") | whose | {"severity": attack["why"]}
    for measure, each in attack["measures"].items():
        numbers = {name: each[name] for name in ("value", "low", "high", "baseline")}
        yield (
            _row("attack", attack["id"], measure)
            | whose
            | numbers
            | {
                "severity": attack["severity"],
                "controls at chance": bool(attack["control"].get("at_chance", True)),
            }
        )


def _row(about: str, of: str, measure: str) -> Row:
    return {"about": about, "of": of, "goal": "", "knowledge": "", "measure": measure,
            "value": None, "low": None, "high": None, "baseline": None, "severity": "",
            "controls at chance": None}  # fmt: skip

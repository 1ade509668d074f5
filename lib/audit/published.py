"""An audit of published counts alone, without the records that were counted.

It reports small counts, suppressed counts that follow from all published totals together, and
small differences between versions of a table. Tables of the same counts are used together, also if
one of them has fewer axes, so that its counts are totals of the other's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from lib import datasets
from lib.audit import small_counts
from lib.audit.count_tables import Table
from lib.audit.linear_bounds import ContradictionError, Intervals
from lib.audit.small_counts import PROTECTION, SMALL, TOTAL, Counts, Pair

_N_NAMED = 5  # recovered counts that the report names


class Assumed(NamedTuple):
    """What is known of suppressed counts beside what the table says.

    Parameters
    ----------
    below : int or None
        Every suppressed count is below it, and counts below it are small.
    least : int or None
        Smallest value of a suppressed count: 0 if zeros are suppressed too, 1 if they are always
        published. None: 0, and a warning if more would follow from 1.
    """

    below: int | None = None
    least: int | None = None

    @property
    def small(self) -> int:
        """Counts from 1 to below it are small."""
        return SMALL if self.below is None else self.below

    def apply(self, counts: Counts, least: int | None = None) -> Counts:
        """Narrow what is known of suppressed counts.

        Parameters
        ----------
        counts : Counts
            The table.
        least : int, optional
            In place of the own `least`.

        Returns
        -------
        Counts
            The same table.
        """
        return counts.bounded(self.least if least is None else least, self.below)


# -- the document ----------------------------------------------------------------------------------

_NO_RECORDS = (
    "No attack on people was run, because only the table was examined. Such attacks need the "
    "records that were counted."
)
_CONSTANT: dict[str, Any] = {  # parts of the document that do not depend on the table
    "schema_version": 3,
    "assessment": None,
    "complete": False,
    "at_risk": None,
    "release": {
        "name": "published counts",
        "mechanisms": [],
        "unit": None,
        "cap": None,
        "epsilon": None,
        "delta": None,
        "words": "a table of counts, audited without its records",
    },
    "epsilon": None,
    "usefulness": {},
    "floor": None,
    "alternatives": [],
    "not_tested": [
        {
            "name": "Attacks on people",
            "why": "who is in the data, and where somebody was: this needs the records",
        },
        {"name": "Guarantees", "why": "whether the noise gives a guarantee of privacy"},
    ],
    "limits": [],
    "missing": [],
    "cite": [],
}


def document(
    tables: list[Table], names: list[str], assumed: Assumed | None = None
) -> dict[str, Any]:
    """Audit one table, versions of it, and tables whose counts are totals of the others'.

    Parameters
    ----------
    tables : list of Table
        One or more tables.
    names : list of str
        Their files.
    assumed : Assumed, optional
        What is known of suppressed counts.

    Returns
    -------
    dict
        As `lib.audit.document`, without attacks on people.

    Raises
    ------
    ValueError
        If two tables have no count in common, or bounds of suppressed counts are contradictory.
    """
    assumed = assumed or Assumed()
    for table, name in zip(tables, names, strict=True):
        _check_bounds(assumed.apply(table.counts), name)
    order = sorted(range(len(tables)), key=lambda i: -len(tables[i].axes))
    tables, names = [tables[i] for i in order], [names[i] for i in order]
    first, joined = tables[0], _Joined(tables, names, assumed)
    counts, recovery = joined.counts, joined.recovery
    checks = [_small([each.counts for each in tables], assumed), _totals(recovery), *joined.checks]
    shown = ~first.counts.is_total
    return _CONSTANT | {
        **_verdict(checks),
        "data": _data(first, names[0]),
        "settings": {
            "what was looked at": "counts only",
            "how the table was read": "; ".join(first.notes) or "one line for each count",
            "small": f"1 to {assumed.small - 1}",
            "assumed": recovery.assumption(),
            "protection level": f"an interval of {PROTECTION} or more, or all that was possible "
            "before the totals, if that is less",
            "sha256": first.checksum[:16],
        },
        "attacks": [*checks, _UNTESTED],
        "disclosure": {
            "cells": int(shown.sum()),
            "small_cells": int(small_counts.small(first.counts, assumed.small).sum()),
            "zeros": int((shown & ~first.counts.hidden & (first.counts.low == 0)).sum()),
            "suppressed": int(counts.hidden.sum()),
            "recovered": recovery.n_exact,
            "undecided": None if recovery.found is None else recovery.n_undecided(),
        },
    }


def _check_bounds(counts: Counts, name: str) -> None:
    wrong = np.flatnonzero(counts.low > counts.high)
    if len(wrong):
        where = _place(counts, int(wrong[0]))
        raise ValueError(
            f"{name}: the suppressed count of {where} would be from {counts.low[wrong[0]]:g} to "
            f"{counts.high[wrong[0]]:g}; --hidden-from and --hidden-below have to agree with the "
            "table"
        )


def _place(counts: Counts, row: int) -> str:
    """The labels of a count, in words."""
    code = counts.codes[row]
    return " at ".join(
        "all" if number == TOTAL else labels[number]
        for number, labels in zip(code, counts.labels, strict=True)
    )


def _data(table: Table, name: str) -> dict[str, Any]:
    labels = dict(zip(table.axes, table.counts.labels, strict=True))
    times = list(labels.pop("time", ["all"]))
    return {
        "label": datasets.label(name),
        "users": None,
        "zones": int(np.prod([len(each) for each in labels.values()])) or 1,
        "epochs": len(times),
        "start": times[0],
        "end": times[-1],
        "epoch_hours": None,
        "visits": None,
        "has_coordinates": False,
        "loader": None,
    }


_CHECK: dict[str, Any] = {
    "goal": "disclosure",
    "knowledge": "release",
    "realistic": True,
    "paper": None,
    "status": "tested",
    "why": None,
    "measures": {},
    "control": None,
    "succeeded": False,
    "severity": "none",
    "statement": "",
}
_UNTESTED = _CHECK | {
    "id": "people",
    "name": "Attacks on people",
    "goal": "membership",
    "goal_words": "who is in the data?",
    "knowledge": "any",
    "knowledge_words": "anything",
    "status": "not tested",
    "why": "the records that were counted were not given",
}


def _result(what: str, n: int, severity: str, statement: str) -> dict[str, Any]:
    measure = {"value": n, "low": None, "high": None, "baseline": None, "unit": "cells"}
    found = severity if n else "none"
    return {
        "measures": {what: measure},
        "succeeded": n > 0,
        "severity": found,
        "statement": statement,
    }


def _small(tables: list[Counts], assumed: Assumed) -> dict[str, Any]:
    n = sum(int(small_counts.small(each, assumed.small).sum()) for each in tables)
    n_counts, most = sum(len(each.low) for each in tables), assumed.small - 1
    statement = f"No published count is from 1 to {most}."
    if n:
        statement = (
            f"{n:,} of {n_counts:,} counts are from 1 to {most}: somebody who "
            "knows most of these people learns about the others."
        )
    words = {
        "id": "small-cells",
        "name": "Small counts",
        "goal_words": "whom is a count about?",
        "knowledge_words": "the table",
    }
    return _CHECK | words | _result("small counts", n, "review", statement)


# -- suppressed counts -----------------------------------------------------------------------------

_TOTALS = "Suppressed counts that follow from totals"


class _Recovery:
    """What totals reveal of the suppressed counts of a table.

    Parameters
    ----------
    counts : Counts
        The table.
    assumed : Assumed
        What is known of suppressed counts.

    Attributes
    ----------
    unlisted : str
        "zero", or "hidden" where totals only add up if cells without a line are suppressed.
    found : Intervals or None
        None if the totals contradict the counts.
    """

    def __init__(self, counts: Counts, assumed: Assumed):
        self.given, self.assumed = counts, assumed
        self.counts = assumed.apply(counts, assumed.least or 0)
        self.unlisted = "zero"
        self.found = _intervals(self.counts, "zero")
        if self.found is None:
            self.found, self.unlisted = _intervals(self.counts, "hidden"), "hidden"

    @property
    def n_hidden(self) -> int:
        """Number of suppressed counts."""
        return int(self.counts.hidden.sum())

    @property
    def exact(self) -> np.ndarray:
        """Which suppressed counts are known exactly."""
        return _exact(self.counts, self.found)

    @property
    def n_exact(self) -> int | None:
        """Number of suppressed counts known exactly; None if totals contradict the counts."""
        return None if self.found is None else int(self.exact.sum())

    def n_narrow(self) -> tuple[int, int]:
        """Number of intervals below the protection level, and of those that were not computed."""
        assert self.found is not None
        level = np.minimum(PROTECTION, self.counts.high - self.counts.low)
        open_ = self.counts.hidden & ~self.exact
        narrow = open_ & (self.found.high - self.found.low < level)
        unknown = open_ & ~narrow & (self.found.seen_high - self.found.seen_low < level)
        return int(narrow.sum()), int(unknown.sum())

    def n_undecided(self) -> int:
        """Number of suppressed counts of which it is not known whether they follow."""
        assert self.found is not None
        return int((self.counts.hidden & ~self.found.decided).sum())

    def n_exact_without_zeros(self) -> int:
        """How many counts would be known if zeros were never suppressed; 0 if no more."""
        zeros = ~self.given.hidden & (self.given.low == 0)
        if self.assumed.least is not None or not zeros.any():
            return 0
        counts = self.assumed.apply(self.given, 1)
        if (counts.low > counts.high).any():
            return 0
        n = int(_exact(counts, _intervals(counts, self.unlisted, 0)).sum())
        return n if n > (self.n_exact or 0) else 0

    def assumption(self) -> str:
        """What is assumed of suppressed counts, in words."""
        kind = "whole numbers" if self.counts.whole else "numbers"
        least = self.assumed.least or 0
        below = "" if self.assumed.below is None else f" and below {self.assumed.below}"
        zero = "zeros may be suppressed" if not least else "zeros are always published"
        unlisted = "0" if self.unlisted == "zero" else "a suppressed count"
        return (
            f"suppressed counts are {kind} from {least} on{below} ({zero}), within what the "
            f"table says of them; a cell without a line is {unlisted}"
        )


def _intervals(counts: Counts, unlisted: str, width: int = PROTECTION) -> Intervals | None:
    try:
        return small_counts.suppressed_intervals(counts, unlisted, width)
    except ContradictionError:
        return None


def _verdict(checks: list[dict[str, Any]]) -> dict[str, Any]:
    """The verdict and its reasons, the gravest first."""
    reasons = [
        f"{check['name']}: {check['statement']}"
        for severity in ("fail", "review")
        for check in checks
        if check["severity"] == severity
    ]
    failed = any(check["severity"] == "fail" for check in checks)
    return {"verdict": "fail" if failed else "review", "reasons": [*reasons, _NO_RECORDS]}


def _exact(counts: Counts, found: Intervals | None) -> np.ndarray:
    return counts.hidden & (found.exact if found else False)


def _totals(recovery: _Recovery) -> dict[str, Any]:
    check = _CHECK | {
        "id": "totals",
        "name": _TOTALS,
        "goal_words": "what were the hidden counts?",
        "knowledge_words": "the table with its totals",
    }
    counts, n_hidden = recovery.counts, recovery.n_hidden
    if recovery.found is None:
        return check | _contradictory(n_hidden)
    if not n_hidden:
        return check | _result("suppressed counts recovered", 0, "fail", "No count is suppressed.")
    if not counts.is_total.any() and not recovery.exact.any():
        statement = (
            f"No totals were found, so nothing can be said of the {n_hidden:,} suppressed counts. "
            "If the table has totals under another name, or if totals are published elsewhere, "
            "write them as lines with the zone or the time `total`."
        )
        result = _result("suppressed counts recovered", 0, "fail", statement)
        return check | result | {"severity": "review"}
    n, (narrow, unknown) = int(recovery.exact.sum()), recovery.n_narrow()
    result = _result("suppressed counts recovered", n, "fail", _recovered(recovery))
    result["measures"] |= _result("intervals below the protection level", narrow, "", "")[
        "measures"
    ]
    beside = _beside(recovery, narrow, unknown)
    if beside:
        result["statement"] = " ".join([result["statement"], *beside])
        result["severity"] = "fail" if n else "review"
    return check | result


def _contradictory(n_hidden: int) -> dict[str, Any]:
    """What is said of totals that do not add up."""
    then = "correct the table first, or leave its totals out. No count is suppressed."
    if n_hidden:
        then = f"nothing is known of the {n_hidden:,} suppressed counts."
    return {
        "status": "not tested",
        "why": "the totals do not add up with the counts, for example because both were rounded",
        "severity": "review",
        "statement": f"The totals do not add up with the counts, so {then}",
    }


def _recovered(recovery: _Recovery) -> str:
    """The sentence on counts that are known exactly."""
    n, n_hidden = int(recovery.exact.sum()), recovery.n_hidden
    if not n and recovery.n_undecided():
        return f"No suppressed count ({n_hidden:,}) was recovered from the totals."
    if not n:
        return f"No suppressed count ({n_hidden:,}) can be recovered from the totals."
    rows = np.flatnonzero(recovery.exact)[:_N_NAMED].tolist()
    assert recovery.found is not None
    named = [f"{_place(recovery.counts, row)} is {recovery.found.low[row]:,g}" for row in rows]
    return (
        f"{n:,} of {n_hidden:,} suppressed counts can be recovered exactly from what is published: "
        f"{', '.join(named)}{', and others' if n > len(rows) else ''}."
    )


def _beside(recovery: _Recovery, narrow: int, unknown: int) -> list[str]:
    """Sentences on counts that are nearly known, not decided, or known under another assumption."""
    sentences = []
    if narrow:
        more = " more" if recovery.exact.any() else ""
        sentences.append(
            f"{narrow:,}{more} lie in an interval narrower than the protection level of "
            f"{PROTECTION}."
        )
    if unknown:
        sentences.append(f"The intervals of {unknown:,} were not computed.")
    if recovery.n_undecided():
        sentences.append(
            f"It remains undecided whether {recovery.n_undecided():,} of them follow: the integer "
            "programs that decide it exceed the limit of work. Audit a part of the table, such as "
            "fewer times, to decide it."
        )
    without = recovery.n_exact_without_zeros()
    if without:
        sentences.append(
            f"The table publishes zeros. If it publishes all of them, suppressed counts are at "
            f"least 1, and {without:,} can be recovered (--hidden-from 1)."
        )
    return sentences


# -- several tables --------------------------------------------------------------------------------


class _Joined:
    """Several tables: those of the same counts as one table, and the others beside it.

    Parameters
    ----------
    tables : list of Table
        The one with the most axes first.
    names : list of str
        Their files.
    assumed : Assumed
        What is known of suppressed counts.

    Attributes
    ----------
    counts : Counts
        All tables that agree with the first one, merged.
    recovery : _Recovery
        What they reveal together.
    checks : list of dict
        One or two for each table after the first.
    """

    def __init__(self, tables: list[Table], names: list[str], assumed: Assumed):
        self.axes, self.assumed = tables[0].axes, assumed
        self.counts = tables[0].counts
        self.recovery = _Recovery(self.counts, assumed)
        self.checks: list[dict[str, Any]] = []
        for i in range(1, len(tables)):
            self._add(tables[i], names[0], names[i], "" if len(tables) == 2 else f"-{i + 1}")

    def _add(self, table: Table, first: str, name: str, suffix: str) -> None:
        pair, unknown = _matched(self.axes, self.counts, first, table, name)
        merged = small_counts.merge(pair)
        together = None if merged is None else _Recovery(merged, self.assumed)
        linked = len(table.axes) < len(self.axes)
        if linked and together and together.found is None and self.recovery.found is not None:
            together = None
        if together:
            self.counts, self.recovery = together.given, together
        else:
            other = _totals(_Recovery(table.counts, self.assumed))
            self.checks.append(other | {"id": f"totals-2{suffix}", "name": f"{_TOTALS}, {name}"})
        found = _between(pair, together is not None, linked, unknown, self.assumed)
        more = {"id": found["id"] + suffix, "name": found["name"] + (f": {name}" * bool(suffix))}
        self.checks.append(found | more)


def _matched(
    axes: tuple[str, ...], counts: Counts, first: str, table: Table, name: str
) -> tuple[Pair, int]:
    """Match a table with another one, and count its counts whose labels the other lacks."""
    if not set(table.axes) <= set(axes):
        raise ValueError(
            f"{first} is over {', '.join(axes)} and {name} over {', '.join(table.axes)}; versions "
            "of the same table, or totals of it over fewer axes, were expected"
        )
    other, unknown = table.counts, 0
    if len(table.axes) < len(axes):
        other, unknown = _as_totals(axes, counts, table)
    pair = small_counts.match(counts, other)
    if not (len(other.low) if len(table.axes) < len(axes) else len(pair.common)):
        raise ValueError(
            f"{first} and {name} have no {' and '.join(table.axes)} in common; versions of the "
            "same table were expected"
        )
    return pair, unknown


def _as_totals(axes: tuple[str, ...], counts: Counts, table: Table) -> tuple[Counts, int]:
    """Write the counts of a table as totals over the axes it lacks; how many have other labels."""
    own, codes, labels = table.counts, [], []
    known = np.ones(len(own.low), bool)
    for axis, names in zip(axes, counts.labels, strict=True):
        if axis not in table.axes:
            codes.append(np.full(len(own.low), TOTAL))
            labels.append(list(names))
            continue
        i = table.axes.index(axis)
        codes.append(own.codes[:, i])
        labels.append(list(own.labels[i]))
        listed = np.array([*(label in set(names) for label in own.labels[i]), True])
        known &= listed[own.codes[:, i]]
    parts = {name: getattr(own, name)[known] for name in ("low", "high", "hidden")}
    whole = replace(own, labels=labels, codes=np.stack(codes, axis=1)[known], **parts)
    return whole, int((~known).sum())


def _between(
    pair: Pair, same: bool, linked: bool, unknown: int, assumed: Assumed
) -> dict[str, Any]:
    n = int(small_counts.differences(pair, assumed.small).sum())
    i, j = pair.common.T
    hidden = int((pair.one.hidden[i] != pair.other.hidden[j]).sum())
    statement = f"{n:,} counts differ by 1 to {assumed.small - 1} between the two tables"
    statement += ": each difference is a small count of people." if n else "."
    if same:
        statement = (
            "All counts that both tables publish are the same, so both were used together to "
            "recover what is suppressed."
        )
        if linked:
            statement = (
                "The counts of the table with fewer axes are totals of the other table's counts, "
                "so both were used together to recover what is suppressed."
            )
    elif linked:
        statement += " The totals do not add up with the counts, so the tables were not combined."
    elif hidden:
        statement += f" {hidden:,} counts that one table suppresses are published in the other."
    alone = len(pair.one.low) + len(pair.other.low) - 2 * len(pair.common)
    if alone and not linked:
        statement += f" {alone:,} counts are in one table only and were not compared."
    if unknown:
        statement += (
            f" {unknown:,} counts have labels that the other table lacks; they were left out."
        )
    words = {
        "id": "differencing",
        "name": "Subtracting one release from another",
        "goal_words": "who came or left?",
        "knowledge_words": "both tables",
    }
    found = n if same else n + hidden
    return _CHECK | words | _result("small differences", found, "review", statement)

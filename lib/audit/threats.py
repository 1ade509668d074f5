"""Threat models: what an attacker knows, times what she wants.

An attack is judged under its threat model: one that succeeds with knowledge that people have is a
failure of the release; one that needs everybody else's records is a warning.
"""

from __future__ import annotations

from dataclasses import dataclass

KNOWN_SHARE = 0.3  # of the others, where an attacker knows some of them


@dataclass(frozen=True)
class Knowledge:
    """What an attacker has besides the release. realistic: whether somebody may well have it."""

    name: str
    words: str
    realistic: bool


@dataclass(frozen=True)
class Goal:
    """What an attacker wants to find out."""

    name: str
    words: str


@dataclass(frozen=True)
class Threat:
    """A threat model: knowledge x goal."""

    knowledge: Knowledge
    goal: Goal


GOALS = {
    goal.name: goal
    for goal in (
        Goal("membership", "was she among those who were counted?"),
        Goal("place", "where was she at a given hour?"),
        Goal("trajectory", "what was her way through the whole period?"),
        Goal("re-identification", "how few sightings single her out?"),
        Goal("disclosure", "what were the counts that the release hides?"),
    )
}
KNOWLEDGE = {  # words: "somebody who knew ..."
    each.name: each
    for each in (
        Knowledge("release", "nothing but the release", True),
        Knowledge("her visits", "the person's visits", True),
        Knowledge("her visits and the map", "the person's visits and where the places are", True),
        Knowledge("some others", f"the person's visits and {KNOWN_SHARE:.0%} of the others", True),
        Knowledge(
            "crowd", "the person's visits and how the crowd moves, though not who is in it", True
        ),
        Knowledge("past releases", "the person's visits and who was in earlier releases", True),
        Knowledge("history", "where everybody was in the weeks before, and who is counted", True),
        Knowledge("everybody else", "the records of everybody else", False),
        Knowledge("two releases", "a second release that the person left, or joined", False),
        Knowledge("records", "the records themselves, which are not published", False),
    )
}


def threat(knowledge: str, goal: str) -> Threat:
    """The threat model of these names; KeyError for one that is not there."""
    return Threat(KNOWLEDGE[knowledge], GOALS[goal])

"""Threat models of the audit: what an attacker knows, times what they want.

An attack is judged under its threat model. If it succeeds with realistic knowledge, the release
fails; if it needs the records of everybody else, it is a warning.
"""

from __future__ import annotations

from dataclasses import dataclass

KNOWN_SHARE = 0.3  # share of the other users whom an attacker with partial knowledge knows


@dataclass(frozen=True)
class Knowledge:
    """What an attacker has besides the release.

    Parameters
    ----------
    name : str
        Key of `KNOWLEDGE`.
    words : str
        Completes "somebody who knew ...".
    realistic : bool
        Whether somebody may well have this knowledge.
    """

    name: str
    words: str
    realistic: bool


@dataclass(frozen=True)
class Goal:
    """What an attacker wants to find out.

    Parameters
    ----------
    name : str
        Key of `GOALS`.
    words : str
        The attacker's question.
    """

    name: str
    words: str


@dataclass(frozen=True)
class Threat:
    """A threat model: knowledge times goal.

    Parameters
    ----------
    knowledge : Knowledge
        What the attacker has.
    goal : Goal
        What the attacker wants.
    """

    knowledge: Knowledge
    goal: Goal


GOALS = {
    name: Goal(name, words)
    for name, words in {
        "membership": "was the target among those who were counted?",
        "place": "where was the target at a given hour?",
        "trajectory": "what was the target's trajectory through the whole period?",
        "re-identification": "how few sightings single the target out?",
        "disclosure": "what were the counts that the release hides?",
    }.items()
}
KNOWLEDGE = {
    name: Knowledge(name, words, realistic)
    for name, words, realistic in (
        ("release", "nothing but the release", True),
        ("her visits", "the target's visits", True),
        ("her visits and the map", "the target's visits and where the places are", True),
        ("some others", f"the target's visits and those of {KNOWN_SHARE:.0%} of the others", True),
        (
            "crowd",
            "the target's visits and how the population moves, though not who is counted",
            True,
        ),
        ("past releases", "the target's visits and who was in earlier releases", True),
        ("history", "where everybody was in the weeks before, and who is counted", True),
        ("everybody else", "the records of everybody else", False),
        ("two releases", "a second release that the target left or joined", False),
        ("records", "the records themselves, which are not published", False),
    )
}


def threat(knowledge: str, goal: str) -> Threat:
    """Look up a threat model by the names of its two parts.

    Parameters
    ----------
    knowledge : str
        Key of `KNOWLEDGE`.
    goal : str
        Key of `GOALS`.

    Returns
    -------
    Threat
        The threat model.

    Raises
    ------
    KeyError
        If either name is unknown.
    """
    return Threat(KNOWLEDGE[knowledge], GOALS[goal])

"""Attacks found by a search, beside attacks made by hand.

The idea is that of QuerySnout (Creţu et al. 2022) and QueryCheetah (Stevanoski et al. 2024):
nobody thinks of a rule; a search tries many, and keeps what works on releases that the attacker
makes themselves. Here a rule is a weighted sum of a few *features*. A feature transforms each
published count of the target's cells, weights it, and adds up. The attacker knows the target's
visits and has the traces of other people, of whom they make releases with and without the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from lib import metrics
from lib.audit import membership
from lib.audit.games import Game, SimulatedReleases
from lib.audit.measures import aucs, detection_rates, standardize, standardizing_helps
from lib.audit.releases import parse
from lib.execution.results import Row
from lib.papers.audit.experiments import sample_group
from lib.papers.experiments import Unit, experiment
from lib.randomness import stream
from lib.traces import Traces

DATA = ("flights-by-number", "valleybike")
RELEASES = ("raw", "event-epsilon-1", "mds-k10", "round-5", "user-day-epsilon-1")
BY_HAND: dict[str, dict[str, membership.Attack]] = {  # whose traces are known -> attacks
    "other people's traces": {
        "sum": membership.sum_of_cells,
        "likelihood ratio": membership.likelihood_ratio_other_people,
    },
    "everybody's traces": {
        "sum": membership.sum_of_cells,
        "likelihood ratio": membership.likelihood_ratio_same_people,
        "correlated ratio": membership.joint_likelihood_ratio,
    },
}
ORDER = ("sum", "likelihood ratio", "correlated ratio", "random search", "evolution")
SLOW = {"correlated ratio": 48}  # targets
FPR = 0.01
MOST_TERMS = 4
COEFFICIENTS = (-4.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 4.0)
POPULATION, TOURNAMENT = (
    40,
    3,
)  # rules that evolve together, and rules of which the best is a parent
COMPARED = ("as it is", "minus its mean", "minus its mean, divided by its spread")
_FLOOR = 0.05  # added to each variance: counts that never vary


class Usual(NamedTuple):
    """What the attacker knows of the target's cells, each an ndarray of shape (n_cells, 1).

    mean, var   Of the published counts of releases of other people.
    effect      What the target adds to the mean.
    in_use      Share of these releases in which the count is above 0.
    """

    mean: np.ndarray
    var: np.ndarray
    effect: np.ndarray
    in_use: np.ndarray


Transform = Callable[[np.ndarray, np.ndarray, Usual], np.ndarray]
TRANSFORMS: dict[str, Transform] = {  # of counts c (n_cells, n_releases) and of their neighbours
    "count": lambda c, near, usual: c,
    "count above 0": lambda c, near, usual: c > 0.5,
    "count above usual": lambda c, near, usual: c > usual.mean,
    "count clipped to [0, 1]": lambda c, near, usual: np.clip(c, 0, 1),
    "count clipped at usual + 1": lambda c, near, usual: np.clip(c, 0, usual.mean + 1),
    "log(1 + count)": lambda c, near, usual: np.log1p(np.maximum(c, 0)),
    "count - usual, squared": lambda c, near, usual: (c - usual.mean) ** 2,
    "odd multiple of 5": lambda c, near, usual: np.round(c / 5) % 2,
    "count - neighbouring hours": lambda c, near, usual: c - near,
    "count above neighbouring hours": lambda c, near, usual: c > near,
}
WEIGHTS: dict[str, Callable[[Usual], np.ndarray]] = {
    "1": lambda usual: np.ones_like(usual.mean),
    "1 / sd": lambda usual: 1 / np.sqrt(usual.var + _FLOOR),
    "1 / variance": lambda usual: 1 / (usual.var + _FLOOR),
    "effect / variance": lambda usual: usual.effect / (usual.var + _FLOOR),
    "1 / (1 + usual)": lambda usual: 1 / (1 + np.maximum(usual.mean, 0)),
    "empty cells": lambda usual: (np.abs(usual.mean) < 0.1).astype(float),
    "1 / cells": lambda usual: np.full_like(usual.mean, 1 / len(usual.mean)),
    "surprise": lambda usual: -np.log(np.clip(usual.in_use, 0.01, 1)),
}
FEATURES = tuple(product(TRANSFORMS, WEIGHTS))


class Rule(NamedTuple):
    """A weighted sum of features, compared with what is usual for each target.

    terms      (feature, coefficient), at most `MOST_TERMS`; features are numbers of `FEATURES`.
    compared   How the sum is compared with what is usual for the target; one of `COMPARED`.
    """

    terms: tuple[tuple[int, float], ...]
    compared: str

    def __str__(self) -> str:
        terms = " ".join(
            f"{coefficient:+g} × {FEATURES[number][0]} × {FEATURES[number][1]}"
            for number, coefficient in self.terms
        )
        return f"{terms}, {self.compared}"


class Material(NamedTuple):
    """Features of people in releases, and who is in them.

    values          (n_features, n_people, n_releases)
    members         (n_people, n_releases)
    usual, counted  The same for releases that show what is usual without a person.
    """

    values: np.ndarray
    members: np.ndarray
    usual: np.ndarray
    counted: np.ndarray

    def divided_by(self, unit: np.ndarray) -> Material:
        """Divide features by their units.

        Parameters
        ----------
        unit : ndarray, shape (n_features, 1, 1)
            A positive number for each feature.

        Returns
        -------
        Material
            With the same members.
        """
        return self._replace(values=self.values / unit, usual=self.usual / unit)

    def scores(self, rule: Rule) -> np.ndarray:
        """Score the people by a rule.

        Parameters
        ----------
        rule : Rule
            The rule.

        Returns
        -------
        ndarray, shape (n_people, n_releases)
            Scores, of which one threshold serves everybody.
        """
        score = sum(a * self.values[i] for i, a in rule.terms)
        if rule.compared != COMPARED[0]:
            usual = sum(a * self.usual[i] for i, a in rule.terms)
            if rule.compared == COMPARED[1]:
                score = score - usual.mean(axis=1, keepdims=True, where=~self.counted)
            else:
                score = standardize(score, usual, self.counted)
        return np.asarray(score).round(6)

    def rates(self, rule: Rule) -> np.ndarray:
        """Compute the share of releases in which each person is identified.

        Parameters
        ----------
        rule : Rule
            The rule.

        Returns
        -------
        ndarray, shape (n_people,)
            True positive rates at a false positive rate of 1%.
        """
        return detection_rates(self.scores(rule), self.members, FPR)


def features(published: np.ndarray, cells: np.ndarray, usual: Usual, n_epochs: int) -> np.ndarray:
    """Compute all features of one target.

    Parameters
    ----------
    published : ndarray, shape (n_all_cells, n_releases)
        Published counts.
    cells : ndarray of int
        The target's cells.
    usual : Usual
        About these cells.
    n_epochs : int
        Number of epochs of a zone, which are neighbouring cells.

    Returns
    -------
    ndarray of float32, shape (n_features, n_releases)
        Sums over the target's cells.
    """
    epoch = cells % n_epochs
    before = published[np.where(epoch > 0, cells - 1, cells + 1)]
    after = published[np.where(epoch < n_epochs - 1, cells + 1, cells - 1)]
    counts, near = published[cells], (before + after) / 2
    transformed = [np.asarray(t(counts, near, usual), np.float32) for t in TRANSFORMS.values()]
    weights = [w(usual)[:, 0].astype(np.float32) for w in WEIGHTS.values()]
    return np.array([w @ t for t, w in product(transformed, weights)], np.float32)


class Releases(NamedTuple):
    """Releases as each person is counted in them or not.

    of       Number and position of a person -> published counts (n_all_cells, n_releases).
    members  (n_people, n_releases)
    """

    of: Callable[[int, int], np.ndarray]
    members: np.ndarray


def _simulated(
    releases: SimulatedReleases, people: np.ndarray, part: slice = slice(None)
) -> Releases:
    published, members = releases.published[:, part], releases.members[people, part]
    return Releases(lambda number, person: published, members)


def _of_reference(game: Game, users: np.ndarray, people: np.ndarray) -> Releases:
    """Releases of reference people, to which each person is added with probability one half."""
    n_people, name = len(game.pool) // 2, f"search {users[0]}"
    rng, share = game.rng("search", "groups", name), np.full(len(users), 1 / len(users))
    inside = np.zeros((game.traces.n_users, game.n_shadow), np.int16)
    inside[users] = rng.multinomial(n_people, share, game.n_shadow).T
    nobody = np.zeros(inside.shape, bool)
    releases = SimulatedReleases(game, name, nobody, inside, nobody, n_people)
    labels = rng.random((len(people), game.n_shadow)) < 0.5

    def of(number: int, person: int) -> np.ndarray:
        published = releases.published.copy()
        cells = game.traces.matrix[[person]].indices
        published[cells] = releases.publish_with(person, labels[number])
        return published

    return Releases(of, labels)


def _usual(published: np.ndarray, counted: np.ndarray) -> Usual:
    without = published[:, ~counted]
    mean, var = without.mean(axis=1, keepdims=True), without.var(axis=1, keepdims=True)
    effect = published[:, counted].mean(axis=1, keepdims=True) - mean
    return Usual(mean, var, effect, (without > 0.5).mean(axis=1, keepdims=True))


def _material(traces: Traces, people: np.ndarray, shown: Releases, releases: Releases) -> Material:
    """Features of people in releases; others show what is usual."""
    values: list[np.ndarray] = []
    usual: list[np.ndarray] = []
    for number, person in enumerate(map(int, people)):
        cells, known = traces.matrix[[person]].indices, shown.of(number, person)
        cell_facts = _usual(known[cells], shown.members[number])
        for published, found in ((releases.of(number, person), values), (known, usual)):
            found.append(features(published, cells, cell_facts, traces.n_epochs))
    stacked = np.stack(values, axis=1), releases.members, np.stack(usual, axis=1), shown.members
    return Material(*stacked)


def materials(game: Game, people: np.ndarray, knowledge: str) -> tuple[Material, Material]:
    """Compute what an attacker learns from, and what they attack.

    An attacker with everybody's traces makes releases of the people who may be counted: half of
    these releases show what is usual, and rules are tried on the others. An attacker with other
    people's traces divides these people in the same way. So the search sees cells with visitors of
    whom the attacker has no traces, as there are in the releases to be attacked.

    Parameters
    ----------
    game : Game
        The audit's game.
    people : ndarray of int
        Positions of the targets, or of non-members.
    knowledge : str
        One of `BY_HAND`.

    Returns
    -------
    tuple of Material
        The attacker's own releases, and those to be attacked.
    """
    if knowledge == "everybody's traces":
        middle = game.n_shadow // 2
        shown, own = (
            _simulated(game.shadow, people, part) for part in (slice(middle), slice(middle, None))
        )
    else:
        halves = game.rng("search", "halves").permutation(game.reference)
        middle = len(halves) // 2
        shown, own = (
            _of_reference(game, each, people) for each in (halves[:middle], halves[middle:])
        )
    attacked = _simulated(game.test, people)
    learnt, judged = (_material(game.traces, people, shown, each) for each in (own, attacked))
    return learnt, judged


# -- the search ------------------------------------------------------------------------------------


def random_rule(rng: np.random.Generator) -> Rule:
    """Draw a rule.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Rule
        One to `MOST_TERMS` different features with random coefficients.
    """
    n_terms = int(rng.integers(1, MOST_TERMS + 1))
    chosen = rng.choice(len(FEATURES), n_terms, replace=False)
    return Rule(tuple((int(i), _coefficient(rng)) for i in chosen), str(rng.choice(COMPARED)))


def _coefficient(rng: np.random.Generator) -> float:
    return float(rng.choice(COEFFICIENTS))


def child(one: Rule, other: Rule, rng: np.random.Generator) -> Rule:
    """Combine two rules and change one thing.

    Parameters
    ----------
    one, other : Rule
        The parents.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Rule
        Terms of both, one of which is new, has another coefficient, or is left out.
    """
    terms = {i: a for i, a in (*one.terms, *other.terms) if rng.random() < 0.5} or dict(one.terms)
    kept = list(terms.items())[:MOST_TERMS]
    what, where = rng.random(), int(rng.integers(len(kept)))
    if what < 0.3:
        kept[where] = (kept[where][0], _coefficient(rng))
    elif what < 0.6 and len(kept) > 1:
        kept.pop(where)
    else:
        new = (int(rng.integers(len(FEATURES))), _coefficient(rng))
        kept = [*[each for each in kept if each[0] != new[0]][: MOST_TERMS - 1], new]
    compared = (one if rng.random() < 0.5 else other).compared
    return Rule(tuple(kept), compared if rng.random() < 0.9 else str(rng.choice(COMPARED)))


def search(
    quality: Callable[[Rule], float], n_rules: int, rng: np.random.Generator, evolve: bool
) -> tuple[Rule, float]:
    """Try rules and keep the best.

    Parameters
    ----------
    quality : callable
        What is to be large.
    n_rules : int
        Number of rules to try.
    rng : numpy.random.Generator
        Source of randomness.
    evolve : bool
        Whether new rules are children of good ones; otherwise all are random.

    Returns
    -------
    tuple of (Rule, float)
        The best rule and its quality.
    """
    rules = [random_rule(rng) for _ in range(POPULATION if evolve else n_rules)]
    values = [quality(rule) for rule in rules]
    for _ in range(n_rules - len(rules)):
        contests = rng.integers(len(rules), size=(2, TOURNAMENT))
        one, other = (rules[max(each, key=lambda i: values[i])] for each in contests)
        rule = child(one, other, rng)
        worst = min(range(len(rules)), key=lambda i: values[i])
        value = quality(rule)
        if value >= values[worst] and rule not in rules:
            rules[worst], values[worst] = rule, value
    best = max(range(len(rules)), key=lambda i: values[i])
    return rules[best], values[best]


# -- the experiment --------------------------------------------------------------------------------


def _units(traces: Traces) -> list[Unit]:
    return list(product(RELEASES, BY_HAND))


@experiment(
    "audit-search",
    unit=("release", "knowledge"),
    units=_units,
    at_paper={name: {} for name in DATA},
)
def attacks_by_search(
    traces: Traces,
    release_and_knowledge: Unit,
    *,
    n_users: int = 500,
    n_targets: int = 200,
    n_rules: int = 2000,
    n_searches: int = 3,
    seed: int = 2018,
) -> Iterator[Row]:
    """Search for an attack on one release, at random and by evolution, beside attacks made by hand.

    Parameters
    ----------
    traces : Traces
        Visits of users.
    release_and_knowledge : tuple of (str, str)
        Name of a preset, and whose traces the attacker has.
    n_users : int, default 500
        Number of users.
    n_targets : int, default 200
        Number of targets; all that the audit has, if these are fewer.
    n_rules : int, default 2000
        Number of rules that each search tries.
    n_searches : int, default 3
        Number of searches of each kind. The rule that is best on own releases counts.
    seed : int, default 2018
        Seed of the streams of random numbers.

    Returns
    -------
    iterator of dict
        Columns: attack ("evolution", "random search", or one of `BY_HAND`), number (of the
        target), identified (share of the releases with the target, at 1% false positives),
        control (AUC on one non-member, by the same number; empty if there are fewer, and for
        slow attacks, whose controls the audit has), trained
        (quality on the attacker's own releases), rule (for the first target).
    """
    release, knowledge = map(str, release_and_knowledge)
    game = Game(sample_group(traces, n_users, seed), parse(release), seed, quick=True)
    people = game.sample(n_targets)
    learnt, attacked = materials(game, people, knowledge)
    controls = materials(game, game.controls, knowledge)[1]
    spread = learnt.values.std(axis=(1, 2), keepdims=True)
    unit = np.where(spread > 0, spread, 1)  # of each feature, so that coefficients are comparable
    learnt, attacked, controls = (each.divided_by(unit) for each in (learnt, attacked, controls))

    def quality(rule: Rule) -> float:
        return float(np.nanmean(learnt.rates(rule)))

    for name, evolve in (("evolution", True), ("random search", False)):
        draws = [
            stream(seed, "audit-search", release, knowledge, name, i) for i in range(n_searches)
        ]
        found = [search(quality, n_rules, rng, evolve) for rng in draws]
        rule, trained = max(found, key=lambda each: each[1])
        of_control = aucs(controls.scores(rule), controls.members)
        yield from _rows(name, attacked.rates(rule), of_control, trained, str(rule))
    for name, attack in BY_HAND[knowledge].items():
        of_control = np.zeros(0)
        if name not in SLOW:
            scores = attack(game, game.controls).test
            of_control = aucs(scores, game.test.members[game.controls])
        rates = _rates(game, attack(game, people[: SLOW.get(name, n_targets)]))
        yield from _rows(name, rates, of_control)


def _rates(game: Game, scores: membership.Scores) -> np.ndarray:
    """As in the audit: standardised, unless the shadow releases say that this does not help."""
    counted = game.shadow.members[scores.people]
    if scores.reference is None:
        usual, inside = scores.shadow, counted
    else:
        usual, inside = scores.reference, np.zeros(scores.reference.shape, bool)
    as_is = scores.calibrated and (
        scores.reference is None or not standardizing_helps(scores.shadow, counted, usual)
    )
    test = scores.test if as_is else standardize(scores.test, usual, inside)
    return detection_rates(test, game.test.members[scores.people], FPR)


def _rows(
    attack: str, rates: np.ndarray, of_control: np.ndarray, trained: float = np.nan, rule: str = ""
) -> Iterator[Row]:
    for number, rate in enumerate(rates):
        control = of_control[number] if number < len(of_control) else np.nan
        row = {"attack": attack, "number": number, "identified": rate.round(6), "control": control}
        yield row | {"trained": trained, "rule": "" if number else rule}


# -- what the rows say -----------------------------------------------------------------------------


def compare(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare the attacks that were found with those made by hand.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `attacks_by_search` for one dataset.

    Returns
    -------
    pandas.DataFrame
        Index: knowledge, release. Columns: the share of members identified by each attack (empty
        if an attack needs more knowledge); "evolution - best by hand" and "evolution - random
        search", paired by target with 95% intervals. Best by hand is the attack with the largest
        share on the same targets and releases, a choice that favours it.
    """
    found = {}
    for key, part in rows.groupby(["knowledge", "release"], sort=False):
        of = part.pivot(index="number", columns="attack", values="identified")
        by_hand = [each for each in BY_HAND[str(key[0])] if each in of]
        best = max(by_hand, key=lambda each: of[each].mean())
        found[key] = {each: f"{of[each].mean():.3f}" for each in ORDER if each in of} | {
            "best by hand": best,
            "evolution - best by hand": _difference(of["evolution"] - of[best]),
            "evolution - random search": _difference(of["evolution"] - of["random search"]),
        }
    table = pd.DataFrame.from_dict(found, orient="index").fillna("")
    return table.rename_axis(["knowledge", "release"])


def _difference(values: pd.Series) -> str:
    low, high = metrics.mean_interval(values.to_numpy())
    return f"{values.mean():+.3f} [{low:+.3f}, {high:+.3f}]"

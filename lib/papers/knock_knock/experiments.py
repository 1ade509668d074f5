"""Knock-Knock's games without a defense: prior, group size, length of a release, details left open.

A unit is a target. Its stream is named by its position, the prior and the group size. A chapter can
run the defaults in a minute; `PAPER` has the settings of Sec. V-B and VI.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lib import datasets, metrics
from lib.aggregation import aggregate_cells, sample_member_groups
from lib.execution import results
from lib.execution.results import Row
from lib.membership import features, game
from lib.membership.game import TargetAbsent, Task
from lib.membership.knock_knock import (
    best_classifier,
    classifier_aucs,
    cross_validate_aucs,
    make_classifier,
    score_classifiers,
)
from lib.membership.selection import eliminate
from lib.papers.experiments import Experiment, experiment
from lib.papers.settings import with_settings
from lib.randomness import stream
from lib.traces import NULL, Traces

PRIORS = ("1 subset", "2a same groups", "2b different groups")
WITH_NULL = ("cabspotting", "commuters", "cabs")  # "seen nowhere" is a ROI of these
SHARES = {"cabspotting": 0.2, "cabs": 0.2, "commuters": 0.11}  # of users known (Sec. VI-A)
BEHIND = {"cabspotting": 7}  # hours that the clocks of a place are behind UTC
PERIODS = {  # first hour of the week, number of hours (Sec. VI-C)
    "week": (0, 168),
    "Monday": (0, 24),
    "Saturday": (120, 24),
    "Monday 8-16h": (8, 8),
    "Saturday 8-16h": (128, 8),
}
GAME = ["data", "target", "prior", "group size"]
FLOOR = "BEST, labels shuffled"
FOUR = ("LR", "kNN", "RF", "MLP")
NEAR = 1e-3  # of an AUC: a few pairs of groups that another processor orders otherwise

PAPER = {"n_train": 400, "beta_same": 150, "beta_different": 300}
SIZES = {
    "subset_sizes": (5, 10, 50, 100, 500, 1000),
    "past_sizes": (5, 10, 50, 100, 300, 500, 1000, 9500),
}
TARGETS = {  # a third of the users: the paper has 50
    "cabspotting": 50,
    "commuters": 10,
    "flights-by-number": 17,
    "flights-by-tail": 17,
    "cabs": 4,
}


def at_paper(
    *names: str, of: dict[str, dict[str, Any]] | None = None, **more: Any
) -> dict[str, dict[str, Any]]:
    """Return each dataset's setting at the size of the paper.

    Parameters
    ----------
    *names : str
        Names in `PAPER` and `SIZES` that datasets of the paper's size take from there.
    of : mapping of str to mapping, optional
        Name of a dataset to settings of its own.
    **more : object
        Settings of all datasets.

    Returns
    -------
    dict of str to dict
        Name of the dataset to its setting.
    """
    own = {name: (PAPER | SIZES)[name] for name in names}
    as_printed = dict.fromkeys(("cabspotting", "commuters"), own)
    return {
        data: {"n_per_third": n} | as_printed.get(data, {}) | more | (of or {}).get(data, {})
        for data, n in TARGETS.items()
    }


# -- populations, targets, games -------------------------------------------------------------------


def population(data: str, path: str | None = None) -> Traces:
    """Load the traces of a dataset, with the ROI `null` where the paper counts it.

    Parameters
    ----------
    data : str
        Name of the dataset.
    path : str, optional
        Folder or file of the cabs.

    Returns
    -------
    lib.traces.Traces
        The population.
    """
    options: dict[str, Any] = {"null": True} if data in WITH_NULL else {}
    return datasets.load(data, path if path and data == "cabspotting" else None, **options)


def weeks(traces: Traces) -> list[range]:
    """Return the whole weeks of the traces.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.

    Returns
    -------
    list of range
        Epochs of each week.
    """
    return [range(start, start + 168) for start in range(0, traces.n_epochs - 167, 168)]


def targets(traces: Traces, n_per_third: int = 3, seed: int = 2018) -> list[int]:
    """Draw targets from each third of the users by visits.

    Candidates have at least four visits in the first week and one in the last, `null` left out.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    n_per_third : int
        Number of targets from each third of the users by visits.
    seed : int
        Seed of the random streams.

    Returns
    -------
    list of int
        Positions of the targets, the least active first.
    """
    somewhere = traces.select(rois=[roi for roi in traces.rois.index if roi != NULL])
    first, *_, last = weeks(traces)
    in_first, in_last = (somewhere.select(epochs=np.asarray(w)).visits() for w in (first, last))
    candidates = np.flatnonzero((in_first >= 4) & (in_last >= 1))
    rng = np.random.default_rng(seed)
    return game.sample_targets(traces, candidates, n_per_third, rng).tolist()


def thinned_targets(traces: Traces, n_per_third: int = 3, seed: int = 2018) -> list[int]:
    """Thin the targets evenly so that at most 60 are left.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    n_per_third : int
        Number of targets from each third of the users by visits.
    seed : int
        Seed of the random streams.

    Returns
    -------
    list of int
        Positions of the targets.
    """
    chosen = targets(traces, n_per_third, seed)
    return chosen[:: -(-len(chosen) // 60)]


def subset_of_targets(
    traces: Traces, n_per_third: int = 3, n_choosing: int = 6, seed: int = 2018
) -> list[int]:
    """Select about `n_choosing` of the targets, from all thirds.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    n_per_third : int
        Number of targets from each third of the users by visits.
    n_choosing : int
        About how many targets are selected.
    seed : int
        Seed of the random streams.

    Returns
    -------
    list of int
        Positions of the targets.
    """
    chosen = targets(traces, n_per_third, seed)
    return chosen[:: max(1, len(chosen) // n_choosing)]


def share_known(data: str, alpha: float | None) -> float:
    """Return the share of users that the attacker knows.

    Parameters
    ----------
    data : str
        Name of the dataset.
    alpha : float or None
        The share; None for the paper's.

    Returns
    -------
    float
        The share.
    """
    return SHARES.get(data, 0.3) if alpha is None else alpha


def possible(
    traces: Traces, alpha: float, subset_sizes: Sequence[int], past_sizes: Sequence[int]
) -> list[tuple[str, int]]:
    """List the games for which there are enough users to draw distinct groups.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    alpha : float
        Share of users that the attacker knows.
    subset_sizes : sequence of int
        Group sizes under prior 1.
    past_sizes : sequence of int
        Group sizes under the priors on the past.

    Returns
    -------
    list of (str, int)
        Prior and group size.
    """
    known = int(alpha * traces.n_users)
    fewest = {PRIORS[0]: min(known, traces.n_users - known)}
    sizes = {PRIORS[0]: subset_sizes}
    return [
        (prior, size)
        for prior in PRIORS
        for size in sizes.get(prior, past_sizes)
        if size < fewest.get(prior, traces.n_users)
    ]


def task(
    traces: Traces,
    target: int,
    prior: str,
    size: int,
    rng: np.random.Generator,
    *,
    alpha: float = 0.3,
    n_train: int = 200,
    n_test: int = 100,
    beta_same: int = 100,
    beta_different: int = 200,
) -> Task:
    """Draw one target's game under one of `PRIORS`.

    Under prior 1 the first week is attacked, under the priors on the past the last one. Source: KK,
    Sec. VI.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    target : int
        Position of the target among the users.
    prior : str
        One of `PRIORS`.
    size : int
        Number of users in a group.
    rng : numpy.random.Generator
        Source of randomness.
    alpha : float
        Share of users that the attacker knows.
    n_train, n_test : int
        Groups to learn from and groups attacked under prior 1; `n_test` also under prior 2b.
    beta_same, beta_different : int
        Groups whose past is known under priors 2a and 2b.

    Returns
    -------
    lib.membership.game.Task
        Training and test groups.
    """
    *past, last = weeks(traces)
    if prior == PRIORS[0]:
        return game.subset_task(traces, target, alpha, size, past[0], rng, n_train, n_test)
    if prior == PRIORS[1]:
        return game.same_groups_task(traces, target, beta_same, size, last, past, rng)
    return game.different_groups_task(traces, target, beta_different, size, last, past, rng, n_test)


@dataclass(frozen=True)
class Game:
    """The membership games of one target, without a defense.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    target : int
        Position of the target among the users.
    data : str
        Name of the dataset, part of the streams' names.
    alpha : float, optional
        Share of users that the attacker knows; without it the paper's.
    n_train, n_test, beta_same, beta_different : int
        Groups to learn from and groups attacked, under priors 1, 2a and 2b: see `task`.
    n_per_third, seed : int
        Targets from each third of the users, and the seed of all streams.
    """

    traces: Traces
    target: int
    data: str = ""
    alpha: float | None = None
    n_train: int = 200
    n_test: int = 100
    beta_same: int = 100
    beta_different: int = 200
    n_per_third: int = 3
    seed: int = 2018

    @property
    def share(self) -> float:
        """Share of users that the attacker knows."""
        return share_known(self.data, self.alpha)

    def stream(self, name: str, *keys: str | int) -> np.random.Generator:
        """Return the generator with this name for this target.

        Parameters
        ----------
        name : str
            Name of the stream.
        *keys : str or int
            Further parts of the name.

        Returns
        -------
        numpy.random.Generator
            The generator.
        """
        return stream(self.seed, name, self.data, self.target, *keys)

    def task(self, prior: str, size: int, rng: np.random.Generator) -> Task:
        """Draw the game under one of `PRIORS`; see `task`.

        Parameters
        ----------
        prior : str
            One of `PRIORS`.
        size : int
            Number of users in a group.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        lib.membership.game.Task
            Training and test groups.
        """
        names = "n_train", "n_test", "beta_same", "beta_different"
        numbers = {name: getattr(self, name) for name in names}
        return task(self.traces, self.target, prior, size, rng, alpha=self.share, **numbers)

    def past_task(self, size: int, rng: np.random.Generator, epochs: list[range]) -> Task:
        """Draw the game under prior 2a in which the last epochs are attacked.

        Parameters
        ----------
        size : int
            Number of users in a group.
        rng : numpy.random.Generator
            Source of randomness.
        epochs : list of range
            The known epochs of each week, then the attacked ones.

        Returns
        -------
        lib.membership.game.Task
            Training and test groups.
        """
        *past, last = epochs
        groups = self.beta_same, size, last, past
        return game.same_groups_task(self.traces, self.target, *groups, rng)


_TARGETS: dict[str, Any] = {  # what experiments on targets have in common
    "paper": "kk",
    "unit": ("target",),
    "units": targets,
    "load": population,
    "tolerance": NEAR,
}
_NUMBERS = ("n_train", "n_test", "beta_same", "beta_different")
_ALWAYS = ("n_per_third", "seed")
GAME_SETTINGS = "data", "alpha", *_NUMBERS, *_ALWAYS


# -- experiments -----------------------------------------------------------------------------------


@experiment(
    "kk-data",
    paper="kk",
    answers=("Sec. V-A",),
    load=population,
    at_paper={data: {} for data in TARGETS},
)
def dataset(traces: Traces, unit: tuple[()]) -> Iterator[Row]:
    """Measure what the paper prints about its data.

    Reports are visits, `null` included; active slots leave `null` out; the sensitivity is the
    largest number of visits of a user in the first week. Source: KK, Sec. V-A.

    Parameters
    ----------
    traces : lib.traces.Traces
        The population.
    unit : tuple
        Empty: an experiment with one unit.

    Returns
    -------
    iterator of dict
        A row for each statistic. Columns: statistic, value.
    """
    places = [roi for roi in traces.rois.index if roi != NULL]
    report = traces.report
    active = traces.select(rois=places).summary().loc["active epochs"]
    unique, visits = traces.summary().loc["unique ROIs"], traces.visits()
    found: Row = {"users": traces.n_users, "rois": traces.n_rois, "epochs": traces.n_epochs}
    if report:
        found["rows read"] = report.read
    for note in report.notes if report else ():
        if "cab files" in note:  # "537 cab files, 3 without a fix in the window"
            found["cab files"] = int(note.split()[0])
    found |= {f"unique_rois_{each}": unique[each] for each in ("mean", "std")}
    found |= {f"active_slots_{each}": active[each] for each in ("mean", "std")}
    found |= {
        f"reports_{each}": float(visits.agg(each))
        for each in ("mean", "std", "median", "max", "min")
    }
    found["features"] = len(features.STATISTICS) * traces.n_rois
    found["sensitivity"] = float(traces.select(epochs=np.asarray(weeks(traces)[0])).visits().max())
    for statistic, value in found.items():
        yield {"statistic": statistic, "value": value}


@experiment(
    "kk-games",
    answers=tuple(f"Fig. {i}" for i in range(2, 11)),
    loose_columns=("RF", "MLP", "BEST", FLOOR),
    at_paper=at_paper(*SIZES, *PAPER, classifiers=FOUR),
    **_TARGETS,
)
@with_settings(Game, "data", "alpha", *_NUMBERS, *_ALWAYS)
def games(
    game: Game,
    *,
    classifiers: Sequence[str] = ("LR", "kNN"),
    subset_sizes: Sequence[int] = (10, 50, 100),
    past_sizes: Sequence[int] = (10, 100, 500),
) -> Iterator[Row]:
    """Evaluate all games of one target: every prior and group size that the population allows.

    Source: KK, Sec. VI-A and VI-B, Fig. 2-10.

    Parameters
    ----------
    game : Game
        The target's games.
    classifiers : sequence of str
        The attack's classifiers: "LR", "kNN", "RF", "MLP".
    subset_sizes : sequence of int
        Group sizes under prior 1.
    past_sizes : sequence of int
        Group sizes under the priors on the past.

    Returns
    -------
    iterator of dict
        A row for each game. Columns: prior, group size, the AUC of each classifier; with several
        classifiers also BEST's, and that of BEST under permuted labels
        (`lib.membership.knock_knock.classifier_aucs`).
    """
    for prior, size in possible(game.traces, game.share, subset_sizes, past_sizes):
        rng = game.stream("kk-games", prior, size)
        found = game.task(prior, size, rng)
        yield {"prior": prior, "group size": size} | classifier_aucs(found, rng, classifiers)


@experiment("kk-sums", at_paper={}, **_TARGETS | {"tolerance": 1e-6})
@with_settings(Game, "data", "alpha", "n_train", "n_test", *_ALWAYS)
def sums(game: Game, *, subset_sizes: Sequence[int] = (10, 50, 100)) -> Iterator[Row]:
    """Evaluate the untrained sum over the target's cells on the test groups of `games`, prior 1.

    Parameters
    ----------
    game : Game
        The target's games.
    subset_sizes : sequence of int
        Group sizes under prior 1.

    Returns
    -------
    iterator of dict
        A row for each group size. Columns: prior, group size, sum (its AUC).
    """
    first = np.asarray(weeks(game.traces)[0])
    cells = game.traces.trace(game.traces.users[game.target])[:, first]
    for prior, size in possible(game.traces, game.share, subset_sizes, ()):
        rng = game.stream("kk-games", prior, size)
        found = game.task(prior, size, rng)
        scores = (found.test * cells).sum(axis=(1, 2))
        yield {"prior": prior, "group size": size, "sum": metrics.auc(found.test_members, scores)}


@experiment("kk-sum-sizes", at_paper={}, **_TARGETS | {"tolerance": 1e-6})
@with_settings(Game, "data", *_ALWAYS)
def sum_sizes(
    game: Game, *, sizes: Sequence[int] = (10, 50, 100, 300, 500), n_groups: int = 1000
) -> Iterator[Row]:
    """Evaluate the untrained sum on groups of all users, which may be larger than under prior 1.

    The attacker knows the target's trace and no other. Not in the paper.

    Parameters
    ----------
    game : Game
        The target's games.
    sizes : sequence of int
        Numbers of users in a group; those above the number of users are left out.
    n_groups : int
        Number of groups, half of them with the target.

    Returns
    -------
    iterator of dict
        A row for each size. Columns: group size, AUC, TPR (at an FPR of 1%).
    """
    first = game.traces.select(epochs=np.asarray(weeks(game.traces)[0]))
    everybody, cells = np.arange(first.n_users), first.matrix[[game.target]].indices
    for size in sizes:
        if size < first.n_users:
            rng = game.stream("kk-sum-sizes", size)
            groups, members = sample_member_groups(everybody, game.target, n_groups, size, rng)
            scores = aggregate_cells(first, groups, cells).sum(axis=1)
            auc, tpr = metrics.auc(members, scores), metrics.tpr_at_fpr(members, scores, 0.01)
            yield {"group size": size, "AUC": auc, "TPR": tpr}


def stored_or_run(
    populations: Mapping[str, Traces],
    of: Mapping[str, Mapping[str, Any]],
    given: Experiment,
    **settings: Any,
) -> pd.DataFrame:
    """Read the stored rows of a dataset if they have these settings, and run the others.

    Parameters
    ----------
    populations, of, given, **settings : object
        As for `run_in_memory`.

    Returns
    -------
    pandas.DataFrame
        The experiment's rows, which are the same either way.
    """
    frames = []
    for data, traces in populations.items():
        asked = _setting(given, data, settings | dict(of[data]))
        if given.is_stored(data) and asked == _setting(
            given, data, results.provenance(given.name, data)["setting"]
        ):
            frames.append(given.stored(data))
        else:
            own = {data: of[data]}
            frames.append(run_in_memory({data: traces}, own, given, **settings))
    return pd.concat(frames, ignore_index=True)


def _setting(given: Experiment, data: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an experiment takes of these settings, with a missing alpha filled in."""
    taken = {name: value for name, value in settings.items() if name in given.defaults}
    found = given.setting(taken)
    if "alpha" in found:
        found["alpha"] = share_known(data, found["alpha"])
    return found


def run_in_memory(
    populations: Mapping[str, Traces],
    of: Mapping[str, Mapping[str, Any]],
    given: Experiment,
    *,
    processes: int = 1,
    **settings: Any,
) -> pd.DataFrame:
    """Run an experiment in memory; settings that it does not take are ignored.

    Parameters
    ----------
    populations : mapping of str to lib.traces.Traces
        Name of a dataset to its traces.
    of : mapping of str to mapping
        Name of a dataset to settings of its own.
    given : lib.papers.experiments.Experiment
        The experiment.
    processes : int
        Number of parallel processes.
    **settings : object
        Settings of all datasets.

    Returns
    -------
    pandas.DataFrame
        The experiment's rows.
    """
    takes = {
        data: {n: value for n, value in (settings | dict(each)).items() if n in given.defaults}
        for data, each in of.items()
    }
    return given(populations, of=takes, processes=processes)


def _hours(week: range, period: str, behind: int) -> range:
    """The epochs of one period of a week."""
    start, length = PERIODS[period]
    first = week.start + start + (behind if length < 168 else 0)
    return range(first, first + length)


@experiment(
    "kk-lengths",
    answers=("Fig. 11",),
    at_paper=at_paper(
        "beta_same",
        classifier="RF",
        of={
            "cabspotting": {"classifier": "MLP", "clocks": ("local", "UTC")},
            "commuters": {"group_size": 1000},
            "cabs": {"classifier": "MLP"},
        },
    ),
    **_TARGETS | {"tolerance": 0.03},
)
@with_settings(Game, "data", "beta_same", *_ALWAYS)
def lengths(
    game: Game, *, classifier: str = "LR", group_size: int = 100, clocks: Sequence[str] = ("local",)
) -> Iterator[Row]:
    """Evaluate prior 2a on the same hours of each week.

    Source: KK, Sec. VI-C, Fig. 11.

    Parameters
    ----------
    game : Game
        The target's games.
    classifier : str
        The attack's classifier: "LR", "kNN", "RF" or "MLP".
    group_size : int
        Number of users in a group.
    clocks : sequence of str
        "local", whose hours are `BEHIND` UTC, or "UTC".

    Returns
    -------
    iterator of dict
        A row for each clock and period; none for a period in which the target has no visit.
        Columns: clock, period, classifier, AUC.
    """
    for clock in clocks:
        behind = BEHIND.get(game.data, 0) if clock == "local" else 0
        for period in PERIODS:
            epochs = [_hours(week, period, behind) for week in weeks(game.traces)]
            rng = game.stream("kk-lengths", period)
            try:
                found = game.past_task(group_size, rng, epochs)
            except TargetAbsent:
                continue
            auc = classifier_aucs(found, rng, [classifier])[classifier]
            yield {"clock": clock, "period": period, "classifier": classifier, "AUC": auc}


@experiment(
    "kk-recognition",
    at_paper={data: {"n_per_third": 17} for data in ("flights-by-number", "flights-by-tail")},
    **_TARGETS,
)
@with_settings(Game, "data", "beta_same", *_ALWAYS)
def recognition(game: Game, *, classifier: str = "LR", group_size: int = 100) -> Iterator[Row]:
    """Evaluate prior 2a with the target's labels and with random labels.

    Random labels contain no information about any user: half of the groups get 1, the same in each
    week. If their AUC is above chance level, the attack recognises groups rather than the target.
    Not in the paper.

    Parameters
    ----------
    game : Game
        The target's games.
    classifier : str
        The attack's classifier: "LR", "kNN", "RF" or "MLP".
    group_size : int
        Number of users in a group.

    Returns
    -------
    iterator of dict
        Two rows. Columns: labels ("the target's", "a coin's": random), AUC.
    """
    rng, epochs = game.stream("kk-recognition"), weeks(game.traces)
    found = game.past_task(group_size, rng, epochs)
    labels = rng.permutation(found.test_members)
    random = replace(found, train_members=np.tile(labels, len(epochs) - 1), test_members=labels)
    for name, each in (("the target's", found), ("a coin's", random)):
        yield {"labels": name, "AUC": classifier_aucs(each, rng, [classifier])[classifier]}


# -- what the paper did not do ---------------------------------------------------------------------


@experiment(
    "kk-choices",
    answers=("BEST",),
    at_paper=at_paper("n_train", classifiers=FOUR),
    **_TARGETS | {"units": subset_of_targets, "tolerance": 0.05},
)
@with_settings(Game, "data", "alpha", "n_train", "n_test", *_ALWAYS)
def choices(
    game: Game, *, classifiers: Sequence[str] = ("LR", "kNN"), middle: int = 50, n_choosing: int = 6
) -> Iterator[Row]:
    """Compare classifiers chosen by test AUC, by cross-validation, or at random, under prior 1.

    BEST is the paper's choice (Sec. VI-A); an attacker can only cross-validate.

    Parameters
    ----------
    game : Game
        The target's games.
    classifiers : sequence of str
        The attack's classifiers: "LR", "kNN", "RF", "MLP".
    middle : int
        Number of users in a group.
    n_choosing : int
        About how many targets are attacked.

    Returns
    -------
    iterator of dict
        Three rows. Columns: choice ("BEST", "cross-validated", "blindly": the mean over
        classifiers), AUC.
    """
    rng = game.stream("kk-choices")
    found = game.task(PRIORS[0], middle, rng)
    inside = cross_validate_aucs(found, rng, classifiers)
    scores = score_classifiers(found, rng, classifiers)
    each = {name: metrics.auc(found.test_members, values) for name, values in scores.items()}
    yield {"choice": "BEST", "AUC": best_classifier(found.test_members, scores)[1]}
    yield {"choice": "cross-validated", "AUC": each[max(inside, key=lambda name: inside[name])]}
    yield {"choice": "blindly", "AUC": float(np.mean(list(each.values())))}


@experiment(
    "kk-learning",
    at_paper=at_paper(
        of={
            data: {"training_groups": (20, 50, 100, 200, 400)}
            for data in ("cabspotting", "commuters")
        }
    ),
    **_TARGETS | {"units": thinned_targets},
)
@with_settings(Game, "data", "alpha", "n_test", *_ALWAYS)
def learning(
    game: Game, *, training_groups: Sequence[int] = (20, 50, 100, 200), middle: int = 50
) -> Iterator[Row]:
    """Evaluate logistic regression by the number of training groups, prior 1, with new test groups.

    Parameters
    ----------
    game : Game
        The target's games.
    training_groups : sequence of int
        Numbers of training groups.
    middle : int
        Number of users in a group.

    Returns
    -------
    iterator of dict
        Columns: training groups, AUC.
    """
    rng = game.stream("kk-learning")
    for n in training_groups:
        found = replace(game, n_train=n).task(PRIORS[0], middle, rng)
        yield {"training groups": n, "AUC": classifier_aucs(found, rng, ["LR"])["LR"]}


@experiment("kk-statistics", at_paper=at_paper("n_train"), **_TARGETS | {"units": thinned_targets})
@with_settings(Game, "data", "alpha", "n_train", "n_test", *_ALWAYS)
def statistics(game: Game, *, middle: int = 50) -> Iterator[Row]:
    """Evaluate logistic regression with each of the seven statistics, and the attack, prior 1.

    Parameters
    ----------
    game : Game
        The target's games.
    middle : int
        Number of users in a group.

    Returns
    -------
    iterator of dict
        Columns: statistic ("all seven": with feature elimination), AUC.
    """
    rng = game.stream("kk-statistics")
    found = game.task(PRIORS[0], middle, rng)
    train, test = features.extract(found.train), features.extract(found.test)
    for i, statistic in enumerate(features.STATISTICS):
        model = make_classifier("LR", 0).fit(train[:, i::7], found.train_members)
        auc = metrics.auc(found.test_members, model.decision_function(test[:, i::7]))
        yield {"statistic": statistic, "AUC": auc}
    yield {"statistic": "all seven", "AUC": classifier_aucs(found, rng, ["LR"])["LR"]}


@experiment(
    "kk-cautious",
    at_paper=at_paper("n_train", "beta_different"),
    **_TARGETS | {"units": thinned_targets, "tolerance": 0.01},
)
@with_settings(Game, "data", "alpha", "n_train", "beta_different", *_ALWAYS, n_test=2000)
def cautious(game: Game, *, middle: int = 50, fpr: float = 0.01) -> Iterator[Row]:
    """Evaluate the TPR of logistic regression at a low false positive rate.

    Parameters
    ----------
    game : Game
        The target's games.
    middle : int
        Number of users in a group.
    fpr : float
        The false positive rate.

    Returns
    -------
    iterator of dict
        Columns: prior (1 and 2b; 2a has too few test groups), TPR.
    """
    for prior in (PRIORS[0], PRIORS[2]):
        rng = game.stream("kk-cautious", prior)
        found = game.task(prior, middle, rng)
        scores = score_classifiers(found, rng, ["LR"])["LR"]
        yield {"prior": prior, "TPR": metrics.tpr_at_fpr(found.test_members, scores, fpr)}


@experiment(
    "kk-cautious-sums", at_paper={}, **_TARGETS | {"units": thinned_targets, "tolerance": 1e-6}
)
@with_settings(Game, "data", "alpha", "n_train", *_ALWAYS, n_test=2000)
def cautious_sums(game: Game, *, middle: int = 50, fpr: float = 0.01) -> Iterator[Row]:
    """Evaluate the untrained sum on the released groups of `cautious` under prior 1.

    Not in the paper.

    Parameters
    ----------
    game : Game
        The target's games.
    middle : int
        Number of users in a group.
    fpr : float
        The false positive rate.

    Returns
    -------
    iterator of dict
        One row. Columns: prior, TPR.
    """
    found = game.task(PRIORS[0], middle, game.stream("kk-cautious", PRIORS[0]))
    first = np.asarray(weeks(game.traces)[0])
    cells = game.traces.trace(game.traces.users[game.target])[:, first]
    scores = (found.test * cells).sum(axis=(1, 2))
    yield {"prior": PRIORS[0], "TPR": metrics.tpr_at_fpr(found.test_members, scores, fpr)}


TRIED = ((PRIORS[0], 100), (PRIORS[1], 500), (PRIORS[2], 300), (PRIORS[2], 500))


@experiment(
    "kk-variants",
    answers=("Sec. V-B",),
    loose_columns=(
        "MLP",
        "MLP, 200 iterations",
        "MLP, double precision",
        "MLP, all features",
        "MLP, without null",
    ),
    at_paper=at_paper(*PAPER, "past_sizes", networks=True, of={"cabspotting": {"tried": TRIED}}),
    **_TARGETS | {"units": thinned_targets},
)
@with_settings(Game, "data", "alpha", *_NUMBERS, *_ALWAYS)
def variants(
    game: Game,
    *,
    tried: Sequence[tuple[str, int]] = (),
    past_sizes: Sequence[int] = (10, 100, 500),
    networks: bool = False,
) -> Iterator[Row]:
    """Evaluate games of `games` again with versions of logistic regression and of the network.

    The versions differ in details that the paper leaves open (Sec. V-B).

    Parameters
    ----------
    game : Game
        The target's games.
    tried : sequence of (str, int)
        Prior and group size; without any, prior 2a with the largest possible of `past_sizes`.
    past_sizes : sequence of int
        Group sizes under the priors on the past.
    networks : bool
        Whether to evaluate the network too, under prior 2a and for every other target.

    Returns
    -------
    iterator of dict
        A row for each game. Columns: prior, group size, the AUC of each version.
    """
    thinned = thinned_targets(game.traces, game.n_per_third, game.seed)
    has_network = networks and game.target in thinned[::2]
    largest = [
        each for each in possible(game.traces, game.share, (), past_sizes) if each[0] == PRIORS[1]
    ][-1]
    for prior, size in tried or [largest]:
        rng = game.stream("kk-games", prior, size)
        found = game.task(prior, size, rng)
        has_null = game.traces.rois.index[-1] == NULL
        versions = _versions(found, has_null, has_network and prior == PRIORS[1])
        yield {"prior": prior, "group size": size} | versions


def _versions(found: Task, has_null: bool, networks: bool) -> dict[str, float]:
    """The AUC of each version of logistic regression, and of the network."""
    plain, bare = _features(found), None
    if has_null:  # it is the last place
        bare = _features(replace(found, train=found.train[:, :-1], test=found.test[:, :-1]))
    scaled = make_pipeline(StandardScaler(), make_classifier("LR", 0))
    liblinear = LogisticRegression(solver="liblinear", random_state=0)
    models = {
        "LR": (make_classifier("LR", 0), plain),
        "LR, standardised": (scaled, plain),
        "LR, liblinear": (liblinear, plain),
        "LR, without null": (make_classifier("LR", 0), bare),
    }
    if networks:
        ours, every = make_classifier("MLP", 0), _features(found, eliminated=False)
        models |= {
            "MLP": (ours, plain),
            "MLP, 200 iterations": (_network(), plain),
            "MLP, double precision": (_network(max_iter=2000), plain),
            "MLP, all features": (ours, every),
            "MLP, without null": (ours, bare),
        }
    scores = {version: _scores(model, found, on) for version, (model, on) in models.items() if on}
    scores["LR, probability"] = expit(scores["LR"])
    return {each: metrics.auc(found.test_members, scores[each]) for each in sorted(scores)}


def _features(found: Task, eliminated: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Training and test features, after the same elimination."""
    train, test = features.extract(found.train), features.extract(found.test)
    if not eliminated:
        return train, test
    kept = eliminate(train, found.train_members, found.n_samples, 0.1)
    return train[:, kept], test[:, kept]


def _network(**settings: Any) -> Any:
    return make_pipeline(StandardScaler(), MLPClassifier((200,), random_state=0, **settings))


def _scores(model: Any, found: Task, on: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """A model's scores of the test groups."""
    with warnings.catch_warnings():  # some do not converge: the point
        warnings.simplefilter("ignore")
        model.fit(on[0], found.train_members)
    if hasattr(model, "decision_function"):
        return model.decision_function(on[1])
    return model.predict_proba(on[1])[:, 1]

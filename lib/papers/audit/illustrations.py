"""What the audit's chapter counts beside its tables: visits named, shares by size, verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib import localization, metrics
from lib.audit import localization as audit_localization
from lib.audit.games import Game
from lib.audit.measures import detection_rates
from lib.audit.membership import likelihood_ratio_other_people
from lib.papers.audit.figures import RELEASES
from lib.papers.audit.verdict_rules import failing_releases

_FPR = 0.01


def named_visits(game: Game) -> pd.DataFrame:
    """Tabulate the error and the visits named of three guesses at where members were.

    The guesses are "nowhere" in all hours, the attacker's prior, and MAX_ROI, as in
    `lib.audit.localization.max_roi`.

    Parameters
    ----------
    game : lib.audit.games.Game
        The release and what attacks are evaluated on.

    Returns
    -------
    pandas.DataFrame
        A row for each guess. Columns: mean error 1 - F1 over the members, where "nowhere" counts
        as a place; share of their visits that are named.
    """
    members, _ = audit_localization.split_users(game)
    n_hours = audit_localization.n_inferred_epochs(game)
    traces = game.traces.select(users=game.traces.users[members]).with_null()
    prior = localization.prior(traces, "ROI_DAY", n_hours)
    truth = localization.inference_period(traces, n_hours)
    counts = game.test.published[:, 0].reshape(game.shape)[:, -n_hours:].astype(int)
    counts = np.vstack([counts, len(members) - counts.sum(axis=0)])
    guesses = {"prior": localization.popular(prior), "MAX_ROI": localization.max_roi(prior, counts)}
    shape = (truth.n_users, truth.n_rois, truth.n_epochs)
    visits = truth.matrix.toarray().reshape(shape)[:, :-1] > 0  # without the place "nowhere"
    rows = {'"nowhere" in every hour': [float(visits.sum(axis=(1, 2)).mean() / n_hours), 0.0]}
    for name, guess in guesses.items():
        named = guess.toarray()[:, :-1] > 0
        error = float(localization.localization_error(guess, truth).mean())
        rows[name] = [error, float((named & visits).sum() / visits.sum())]
    return pd.DataFrame.from_dict(rows, orient="index", columns=["error", "visits named"])


def shares_by_size(games: Mapping[str, Game]) -> pd.DataFrame:
    """Tabulate the members identified with other people's traces, in three evaluations.

    Parameters
    ----------
    games : mapping of str to lib.audit.games.Game
        Name of a release -> what attacks on it are evaluated on.

    Returns
    -------
    pandas.DataFrame
        A row for each release. Columns: the share in the smaller releases under one threshold; the
        mean share if each has its own threshold, and the range of the middle 95 of the 100
        releases; the share at full size; the difference of the first and the last with its 95%
        interval over targets.
    """
    rows = {}
    for name, game in games.items():
        together, alone, full = _three_evaluations(game)
        change = together - full
        low, high = metrics.mean_interval(change)
        least, most = np.quantile(alone, [0.025, 0.975])
        rows[name] = {
            "smaller, one threshold": round(float(together.mean()), 3),
            "smaller, own thresholds": round(float(alone.mean()), 3),
            "middle 95 of the 100 releases": f"{least:.3f} to {most:.3f}",
            "full size": round(float(full.mean()), 3),
            "one threshold minus full size": f"{change.mean():.3f} [{low:.3f}, {high:.3f}]",
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("release")


def _three_evaluations(game: Game) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shares by target with one threshold, by release with its own, and by target at full size."""
    n, members = len(game.targets), game.test.members[game.targets]
    people = np.concatenate([game.targets, game.controls])  # as in the audit
    found = likelihood_ratio_other_people(game, people)
    assert found.full is not None
    scores = found.test[:n]
    alone = [
        np.nanmean(detection_rates(scores[:, [each]], members[:, [each]], _FPR))
        for each in range(scores.shape[1])
    ]
    without, within = found.full.without[:n], found.full.with_target[:n]
    counted = np.tile(np.repeat([False, True], without.shape[1]), (n, 1))
    full = detection_rates(np.hstack([without, within]), counted, _FPR)
    return detection_rates(scores, members, _FPR), np.array(alone), full


def changed_verdicts(rows: pd.DataFrame, shares: Sequence[float]) -> str:
    """Name the releases that other thresholds of the share identified fail or no longer fail.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `lib.papers.audit.experiments.audit_releases` for several datasets.
    shares : sequence of float
        Thresholds; each is tried with the lower end of the interval and with the estimate.

    Returns
    -------
    str
        A line for each threshold, and one for each release that changes.
    """
    failing, n_audits = failing_releases(rows), (rows["part"] == "verdict").sum()
    lines = []
    for share in shares:
        for end, words in (("low", "lower end"), ("value", "estimate")):
            changed = failing_releases(rows, identified=share, end=end) ^ failing
            lines.append(f"{share:.0%} identified, {words}: {len(changed)} of {n_audits} change")
            lines += _named(changed)
    return "\n".join(lines)


def failing_by_auc(rows: pd.DataFrame, thresholds: Sequence[float]) -> pd.DataFrame:
    """Tabulate which releases fail under other thresholds of the AUC, and without this measure.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `lib.papers.audit.experiments.audit_releases` for several datasets.
    thresholds : sequence of float
        Thresholds of the AUC, in simulated releases and at full size. The other thresholds are the
        audit's.

    Returns
    -------
    pandas.DataFrame
        A row for each threshold, and one without the AUC. Columns: number of failing releases;
        those that fail only here; those that fail under the audit's rule but not here.
    """
    usual, told = failing_releases(rows), {}
    for limit in (*thresholds, np.inf):
        found = failing_releases(rows, auc=limit)
        words = f"{limit:.2f}" if np.isfinite(limit) else "AUC not used"
        more, fewer = (
            "; ".join(map(str.strip, _named(each))) for each in (found - usual, usual - found)
        )
        told[words] = {"releases that fail": len(found), "also": more, "no longer": fewer}
    return pd.DataFrame.from_dict(told, orient="index").rename_axis("threshold of the AUC")


def _named(releases: set[tuple[str, str]]) -> list[str]:
    """Names of data and releases, indented."""
    return sorted(f"  {RELEASES[release]}, {data}" for data, release in releases)

"""Verdicts on claims about the cabs under our choices and under alternatives.

Where the paper prints a word, such as "slightly" or "clearly", a number of ours decides. Each line
of the table gives the verdict with our number and with another one. All of these numbers were
written down after the results were known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pandas as pd

from lib import metrics
from lib.papers import claims, predicates
from lib.papers.knock_knock import claims as kk_claims
from lib.papers.knock_knock import defense_claims, defense_experiments, noise_search
from lib.papers.knock_knock import experiments as kk
from lib.papers.knock_knock.noise_interpretations import BUDGETS, CONCERNS
from lib.papers.predicates import Trend, estimate

CABS = "cabspotting"
FIRST, SAME, OTHER = kk.PRIORS
LAPLACE, USER_LEVEL = "LPA(1/ε)", ("LPA(Δ/ε)", "GSM", "FPA", "EFPAG")
COUNTED, EQ_6, PRINTED = "AUC below 1/2 is 1/2", "Eq. 6 as printed", "PG as printed"
AGAIN = "(as above)"
OF_FALL = "of the fall from a week to a day"
COLUMNS = ("claim", "our choice", "verdict", "alternative", "verdict under it")
GAINS = {
    "gain, LPA(Δ/ε), passive": "kk-fig12b-lpa-delta-pg-eps10",
    "gain, GSM, passive": "kk-fig12b-gsm-pg-eps10",
    "gain, FPA, passive": "kk-fig12b-fpa-pg-eps10",
    "gain, EFPAG, passive": "kk-fig12b-efpag-pg-eps10",
    "gain, GSM, strategic": "kk-fig13b-gsm-pg-eps10",
    "gain, FPA, strategic": "kk-fig13b-fpa-pg-eps10",
    "gain, EFPAG, strategic": "kk-fig13b-efpag-pg-eps10",
    "share of the gain lost, GSM": "kk-fig13b-gsm-pgdrop-eps10",
    "share of the gain lost, FPA": "kk-fig13b-fpa-pgdrop-eps10",
    "share of the gain lost, EFPAG": "kk-fig13b-efpag-pgdrop-eps10",
}


class Line(NamedTuple):
    """The verdict on a claim under our choice and under another one."""

    claim: str
    choice: str
    verdict: str
    alternative: str
    verdict_under_it: str


def table() -> pd.DataFrame:
    """Judge the claims about the cabs that a choice of ours decides, with alternatives.

    Returns
    -------
    pandas.DataFrame
        A row for each claim and alternative; columns `COLUMNS`, the first as index.
    """
    lines = [*_of_raw_counts(), *_of_lengths(), *_of_words(), *_of_gains(), *_of_digits()]
    return pd.DataFrame(lines, columns=list(COLUMNS)).set_index(COLUMNS[0])


def errors_as_printed(transform: str) -> pd.DataFrame:
    """Give the mean errors of Table III's mechanisms with everything as printed but the transform.

    Parameters
    ----------
    transform : {"orthonormal", "plain"}
        How the transforms of FPA and EFPAG are normalised.

    Returns
    -------
    pandas.DataFrame
        The mean relative errors on the cabs; a row for each mechanism, a column for each budget.
    """
    nothing_else = noise_search.STEPS["nothing"] | {"transform": [transform]}
    (errors,) = noise_search.restricted(noise_search.search(), **nothing_else).here
    return pd.DataFrame(errors, list(CONCERNS), list(BUDGETS))


# -- computations that the paper leaves open -------------------------------------------------------


def left_open_table(of_cabs: pd.Series, means: pd.DataFrame) -> pd.DataFrame:
    """Make a table of five choices that decide how a number is computed or judged.

    Parameters
    ----------
    of_cabs : pandas.Series
        Verdicts on the claims about the cabs; index: id of the claim.
    means : pandas.DataFrame
        The means of Fig. 4; columns "verdict" and "verdict, corrected".

    Returns
    -------
    pandas.DataFrame
        Text; a row for each choice: ours, the result, an alternative, the result under it.
    """
    columns = ["left open", "our choice", "result", "alternative", "result under it"]
    return pd.DataFrame(_left_open(of_cabs, means), columns=columns).set_index(columns[0])


def _left_open(of_cabs: pd.Series, means: pd.DataFrame) -> Iterator[tuple[str, ...]]:
    """The rows of `left_open_table`."""
    title = "clipping: error of LPA(Δ/ε), ε = 0.01, printed 131.9"
    ours, other = (_error_at_smallest_budget(each) for each in ("clipped", "unclipped"))
    yield title, "to the group size, 500", ours, "none", other
    scores = kk_claims.under_readings()
    ours = _n_reproduced(of_cabs[_numbers(scores["the margin"])])
    other = _n_reproduced_of(scores["the probability of out"])
    mixed = "LR: margin; MLP: probability of the class in"
    yield "score of LR and MLP: numbers on raw counts", mixed, ours, "first-column score", other
    bounds = defense_claims.under_readings()
    ours, other = (_n_reproduced_of(bounds[each]) for each in (_AS_PRINTED, _BEST_BY_RULE))
    exact, whole = "0.1% of the ROI, exact division", "0.5 users, integer division"
    yield "bound and division: errors of Table III", exact, ours, whole, other
    ours, other = (_n_in_order(each) for each in ("orthonormal", "plain"))
    title = "normalisation of the transform: order of Table III"
    yield title, "orthonormal", ours, "plain", other
    ours, other = (_n_reproduced(means[each]) for each in ("verdict", "verdict, corrected"))
    title = "standard error of a mean: nine means of Fig. 4"
    yield title, "simple random sample", ours, "finite population", other


_AS_PRINTED = ("true", "the group's size", "0.1% of the ROI")
_BEST_BY_RULE = ("whole numbers", "the group's size", "0.5 users")


def _error_at_smallest_budget(counts: str) -> str:
    """Our error of LPA(Δ/ε) at ε = 0.01 with a bound of 0.5 users, clipped or unclipped."""
    rows = defense_experiments.errors.stored(CABS).query("mechanism == 'LPA(Δ/ε)' and ε == 0.01")
    return f"{rows[rows['counts'] == counts]['0.5 users'].mean():,.0f}"


def _n_reproduced(verdicts: Iterable[str]) -> str:
    found = list(verdicts)
    return f"{found.count('reproduced')} of {len(found)} reproduced"


def _numbers(found: Mapping[str, Any]) -> list[str]:
    """The claims about a single number."""
    names = [each for each in found if claims.claim(each).kind == "number"]
    return [each for each in names if len(claims.claim(each).value) == 1]


def _n_reproduced_of(found: Mapping[str, Any]) -> str:
    """How many single numbers an interpretation reproduces."""
    names = _numbers(found)
    return _n_reproduced(claims.judge(claims.claim(each), found[each]).verdict for each in names)


def _n_in_order(transform: str) -> str:
    """How many of the inequalities between the errors of Table III hold for our mean errors."""
    errors = errors_as_printed(transform)
    pairs = (("LPA(Δ/ε)", "GSM"), ("GSM", "FPA"), ("GSM", "EFPAG"), ("FPA", "EFPAG"))
    holds = pd.DataFrame({pair: errors.loc[pair[0]] > errors.loc[pair[1]] for pair in pairs})
    return f"{int(holds.to_numpy().sum())} of {holds.size} in order"


# -- raw counts ------------------------------------------------------------------------------------


def _of_raw_counts() -> Iterator[Line]:
    yield _line("1: loss very large", "above 0.8", _very_large(0.8), "above 0.9", _very_large(0.9))
    yield _line(
        "1: LR about equal to MLP", "within 0.05", _order(0.05), "within 0.02", _order(0.02)
    )
    falls = _fall(SAME, 300), _fall(SAME, 500)
    yield _line("2a: AUCs fall", "up to 300 users", falls[0], "up to 500", falls[1])
    ours, title = _converge(300, 0.1), "2b: AUCs converge to 1/2"
    yield _line(title, "fall up to 300", ours, "fall up to 500", _converge(500, 0.1))
    yield _line(AGAIN, "within 0.1", ours, "within 0.15", _converge(300, 0.15))
    rises = _rises_slightly(0.1), _rises_slightly(0.05)
    yield _line(
        "2b: loss rises slightly", "by less than 0.1", rises[0], "by less than 0.05", rises[1]
    )


def _very_large(limit: float) -> Trend:
    """The loss under prior 1 falls, is large up to 10 users, and at 100 above that of chance."""
    rows = _game(FIRST)
    loss = rows["BEST"].map(metrics.privacy_loss).unstack("group size")
    at_100 = rows.xs(100, level="group size")
    above = predicates.greater(estimate(at_100["BEST"] - at_100[kk.FLOOR]))
    large = (predicates.beyond(estimate(loss[size]), limit) for size in (5, 10))
    return predicates.every(predicates.decreasing(loss), *large, above)


def _order(within: float) -> Trend:
    """In groups of ten LR is about equal to MLP, then come RF and kNN."""
    aucs = _game(FIRST).xs(10, level="group size")
    pairs = (("LR", "RF"), ("MLP", "RF"), ("RF", "kNN"))
    above = (predicates.greater(estimate(aucs[a] - aucs[b])) for a, b in pairs)
    alike = predicates.close(estimate(aucs["LR"] - aucs["MLP"]), 0.0, within)
    return predicates.every(alike, *above)


def _fall(prior: str, most: int) -> Trend:
    """The AUC of every classifier falls up to a group size."""
    tables = (_game(prior)[each].unstack("group size").loc[:, :most] for each in kk.FOUR)
    return predicates.every(*map(predicates.decreasing, tables))


def _converge(most: int, within: float) -> Trend:
    """Under prior 2b AUCs fall up to a group size, and at 500 users are near 1/2."""
    at_500 = _game(OTHER).xs(500, level="group size")
    near = (predicates.close(estimate(at_500[each]), 0.5, within) for each in kk.FOUR)
    better = at_500["LR"] + at_500["MLP"] - at_500["RF"] - at_500["kNN"]
    return predicates.every(_fall(OTHER, most), *near, predicates.greater(estimate(better)))


def _rises_slightly(most: float) -> Trend:
    """The loss under prior 2b rises from 300 to 500 users, by less than a margin."""
    loss = _game(OTHER)["BEST"].map(metrics.privacy_loss).unstack("group size")
    rise = estimate(loss[500] - loss[300])
    return predicates.every(predicates.greater(rise), predicates.below(rise, most))


# -- lengths, and numbers in words -----------------------------------------------------------------


def _of_lengths() -> Iterator[Line]:
    for title, compare in (
        ("a day and eight hours hardly differ", _days_and_hours),
        ("Monday and Saturday do not differ", _weekdays),
    ):
        verdicts = compare(0.2), compare(0.3)
        ours, other = (f"less than {share} {OF_FALL}" for share in (0.2, 0.3))
        yield _line(title, ours, verdicts[0], other, verdicts[1])


def _days_and_hours(share: float) -> Trend:
    """A day and eight hours differ by less than a share of the fall from a week to a day."""
    week, day, hours = _lengths()
    fall = week - day.mean(axis=1)
    change = day.mean(axis=1) - hours.mean(axis=1)
    return predicates.every(predicates.greater(estimate(fall)), *_small(change, share * fall))


def _weekdays(share: float) -> Trend:
    """Neither the two days differ, nor their eight hours, nor a day and eight hours."""
    week, day, hours = _lengths()
    most = share * (week - day.mean(axis=1))
    changes = (
        day["Monday"] - day["Saturday"],
        hours["Monday 8-16h"] - hours["Saturday 8-16h"],
        day.mean(axis=1) - hours.mean(axis=1),
    )
    return predicates.every(*(side for each in changes for side in _small(each, most)))


def _small(change: pd.Series, most: pd.Series) -> list[Trend]:
    """State that a change, of either sign, is less than a margin."""
    return [predicates.greater(estimate(most - sign * change)) for sign in (1, -1)]


def _of_words() -> Iterator[Line]:
    name = "kk-fig7-best-half-gt-0.6"
    share = (_game(SAME)["BEST"] > 0.6).astype(float).unstack("group size")
    verdicts = [_judged(claims.claim(name), share[size]) for size in (500, 300)]
    yield Line(
        "2a: half the cabs above 0.6", "groups of 500", verdicts[0], "groups of 300", verdicts[1]
    )
    for classifier, name in (("RF", "kk-fig7-rf-auc-m100"), ("kNN", "kk-fig7-knn-auc-m100")):
        claim, title = claims.claim(name), f"2a: {classifier} at 100 similar to guessing"
        aucs = _game(SAME).xs(100, level="group size")[classifier]
        verdicts = [_judged(replace(claim, within=margin), aucs) for margin in (0.1, 0.05)]
        yield Line(title, "within 0.1", verdicts[0], "within 0.05", verdicts[1])


def _judged(claim: claims.Claim, values: pd.Series) -> str:
    found = claims.Finding(claim.id, estimate(values), CABS, "kk-games")
    return claims.judge(claim, found).verdict


# -- gains -----------------------------------------------------------------------------------------


def _of_gains() -> Iterator[Line]:
    passive = (
        _high("passive", (*USER_LEVEL, LAPLACE)),
        _high("passive", (*USER_LEVEL, LAPLACE), 0.7),
    )
    yield _line("gains stay high, passive", "above 0.8", passive[0], "above 0.7", passive[1])
    ours, title = _high("strategic", USER_LEVEL), "gains stay high, strategic"
    yield _line(title, "above 0.8", ours, "above 0.9", _high("strategic", USER_LEVEL, 0.9))
    yield _line(AGAIN, COUNTED, ours, EQ_6, _high("strategic", USER_LEVEL, measure=PRINTED))
    ours, title = _lowered(0.1), "training on noise lowers gains clearly"
    yield _line(title, "by 0.1", ours, "by 0.2", _lowered(0.2))
    yield _line(AGAIN, "by 0.1", ours, "by 0.02", _lowered(0.02))
    yield _line(AGAIN, "by 0.1", ours, "by more than 0", _lowered(0.0))
    yield _line(AGAIN, COUNTED, ours, EQ_6, _lowered(0.1, PRINTED))
    for title, name in GAINS.items():
        yield Line(title, COUNTED, _of_gain(name), EQ_6, _of_gain(name, printed=True))


def _high(
    attacker: str, mechanisms: tuple[str, ...], limit: float = 0.8, measure: str = "PG"
) -> Trend:
    """Gains are above a limit up to ε = 1."""
    gains = (
        defense_claims.gain_of(CABS, attacker, mechanism, epsilon, measure)
        for mechanism in mechanisms
        for epsilon in (0.01, 0.1, 1.0)
    )
    return predicates.every(*(predicates.beyond(estimate(gain), limit) for gain in gains))


def _lowered(margin: float, measure: str = "PG") -> Trend:
    """Training on noisy counts lowers the gain at ε = 10 by more than a margin."""
    tests = []
    for mechanism in ("GSM", "FPA", "EFPAG"):
        passive, strategic = (
            defense_claims.gain_of(CABS, who, mechanism, 10.0, measure)
            for who in ("passive", "strategic")
        )
        tests.append(predicates.beyond(estimate(passive - strategic), margin))
    return predicates.every(*tests)


def _of_gain(name: str, printed: bool = False) -> str:
    """The verdict on a published gain."""
    claim = claims.claim(name)
    number = defense_claims.as_printed if printed else defense_claims.number
    found = claims.Finding(name, number(claim), CABS, "kk-defenses-gains")
    return claims.judge(claim, found).verdict


def _of_digits() -> Iterator[Line]:
    """The 0.2 of Table III, which is judged as a number with one decimal."""
    name, interpretation = "kk-tab3-lpa-1-eps1", ("whole numbers", "the group's size", "0.5 users")
    claim, found = claims.claim(name), defense_claims.under_readings()[interpretation][name]
    verdicts = [claims.judge(each, found).verdict for each in (claim, replace(claim, within=0.005))]
    title = "error, LPA(1/ε) at ε = 1, integer division"
    yield Line(title, "0.2 is 0.15 to 0.25", verdicts[0], "0.195 to 0.205", verdicts[1])


# -- stored results --------------------------------------------------------------------------------


def _line(title: str, choice: str, ours: Trend, alternative: str, other: Trend) -> Line:
    return Line(title, choice, ours.verdict, alternative, other.verdict)


@cache
def _game(prior: str) -> pd.DataFrame:
    """AUCs by target and group size; a column for each classifier."""
    rows = kk.games.stored(CABS)
    return rows[rows["prior"] == prior].set_index(["target", "group size"])


def _lengths() -> tuple[pd.Series, pd.DataFrame, pd.DataFrame]:
    """AUCs of the targets who are seen in all periods: a week, two days, eight hours of each."""
    rows = kk.lengths.stored(CABS).query("clock == 'local'")
    aucs = rows.pivot(index="target", columns="period", values="AUC").dropna()
    days = ["Monday", "Saturday"]
    return aucs["week"], aucs[days], aucs[[f"{day} 8-16h" for day in days]]

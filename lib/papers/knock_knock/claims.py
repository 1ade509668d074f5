"""Verdicts on Knock-Knock's claims about its data and about the attack on raw counts.

Statements are tested on the targets that both sides share. What the words leave open is a margin of
ours: "very high" is above 0.9, "very large" a loss above 0.8, "about equal" within 0.05, "close to
0.5" within 0.1, "slightly" a loss by less than 0.1 (the paper calls 0.05 slight), and lengths that
"hardly differ" do so by less than a fifth of what the same sentence calls a drop.

A statement about group sizes is tested on the sizes that its sentence names. Sec. VI-B names the
panels 7c to 7e for the fall of the AUC under prior 2a, which end at 300 users, and says that the
mean loss falls up to 500. Under prior 2b it reports a rise from 300 to 500. So the AUCs have to
fall up to 300 under both priors, and the loss under prior 2a up to 500.

A release of a day or of eight hours has a loss on each of two days. The paper prints one number for
both; ours is the mean of the two losses of each target.

Cabs are the paper's own and decide alone. London's cards are closed; the surrogate stands in for
them, and flights by number, which are as regular, stand beside where a statement is a direction (an
order, a fall) and not a level. Commuters against cabs have flights by number against flights by
tail beside them. Hours and weekdays do not: flights are no people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from lib import metrics
from lib.datasets.cabspotting import SFC_GRID
from lib.papers import claims, interpretations, predicates
from lib.papers.claims import Claim, Finding, Why, unexplained
from lib.papers.knock_knock import defense_claims, interpretation_experiments
from lib.papers.knock_knock import experiments as kk
from lib.papers.knock_knock.defense_claims import Named, explained, falling, shown, together
from lib.papers.predicates import Estimate, Trend, estimate
from lib.papers.summaries import mean_and_error
from lib.traces import Grid

CABS, COMMUTERS = "cabspotting", "commuters"
REGULAR, IRREGULAR = "flights-by-number", "flights-by-tail"
BOTH = f"{CABS}, {COMMUTERS}"
ALL_FOUR = f"{BOTH}, {REGULAR}, {IRREGULAR}"
HOLDS = {"sfc": CABS, "tfl": COMMUTERS}
PRIOR = dict(zip(("subset", "same-groups", "different-groups"), kk.PRIORS, strict=True))
FIRST, SAME, OTHER = kk.PRIORS
SINGLE = list(kk.FOUR)
SEVERAL = {"k-NN": ["kNN"], "MLP or BEST": ["MLP"], "MLP or LR": ["LR", "MLP"]}
WITHIN = 0.05  # of an AUC: "about equal"
HIGH, LARGE, SLIGHT = 0.9, 0.8, 0.1
HARDLY = 0.2  # of a drop
_HARDLY = f"less than {HARDLY} times the fall from a week to a day"
WORDS = {  # how words of statements are read, where the claim's line says no more than that
    "kk-fig2-trend-m": '"approaches" means within 0.1 of 0.5',
    "kk-fig2-small-groups-all-high": f'"very high" means an AUC above {HIGH}',
    "kk-fig3b-trend": (
        f'"very large" means above {LARGE} up to 10 users; "significant" means above the loss with'
        " shuffled labels"
    ),
    "kk-fig4-order-m10": f'"about equal" means within {WITHIN}',
    "kk-fig6a-flat": f'"very high" means above {HIGH}',
    "kk-fig8-upturn-m9500": f'"slightly" means by less than {SLIGHT / 2}',
    "kk-fig7-trend-m": (
        "tested up to 300 users, because the sentence is about Fig. 7c to 7e; elsewhere:"
        " whether they fall more than those of the commuters"
    ),
    "kk-fig6b-trend": (
        "tested up to 500 users, for which the sentence prints 0.2; elsewhere: whether they"
        ' fall more than those of the commuters; "strongly" has no number and is not tested'
    ),
    "kk-fig10-trend": (
        '"converge to 0.5" means within 0.1 of it at 500 users; the fall is tested up to 300,'
        " because the paper reports a rise from there to 500"
    ),
    "kk-fig11b-length": f'"hardly" means by {_HARDLY}',
    "kk-fig11b-no-weekday-effect": f'"no clear difference" means {_HARDLY}',
    "kk-priors-order-tfl": "each target's loss, averaged over the group sizes of both priors",
    "kk-raw-tfl-over-sfc": "each target's loss, averaged over priors and common group sizes",
}
FIRST_COLUMN = "the first-column score"  # chosen after seeing the AUCs
UP_TO = 300  # users: the largest group before the rise that the paper reports
EARTH = 3958.8  # radius in miles


def findings() -> Iterator[Finding]:
    """Everything there is to say of the paper's claims."""
    for name, here in facts().items():
        given = "" if name in COUNTED else SET.get(name, _made_from(name))
        why = _why(name) if name in COUNTED else None
        data = HOLDS.get(claims.claim(name).dataset, BOTH)
        yield Finding(name, here, data, "kk-data", why, given=given)
    yield Finding("kk-data-sparser", denser(), BOTH, "kk-data", given=SPARSER, note=_DENSER)
    for name, note in UNMEASURED.items():
        yield Finding(name, None, "none", "kk-data", note=note)
    under = under_readings()
    named = under[interpretations.rank_interpretations(under).index[0]]
    for found in interpretations.with_named(_numbers(), named, CABS, FIRST_COLUMN):
        if found.named is None or found.why is None:
            yield found
        else:
            yield replace(found, why=explained(found.why, found.named, FIRST_COLUMN))
    for trends in (of_subsets, of_same_groups, of_other_groups, of_priors, of_lengths):
        for told in trends():
            where, parts = _cell(told.id), claims.beside(told.parts)
            yield Finding(id=told.id, cell=where, why=_why(told.id), note=told.note, **parts)
    yield from defense_claims.findings()


def _numbers() -> Iterator[Finding]:
    for name in claims.published("kk").query("kind == 'number'").index:
        claim = claims.claim(name)
        if claim.setting.get("prior") in PRIOR:
            note = _BOTH_DAYS if len(_periods(claim)) > 1 else ""
            data = HOLDS[claim.dataset]
            yield Finding(name, number(claim), data, _cell(name), _why(name), note)


_BOTH_DAYS = "each target's mean over Monday and Saturday"


def under_readings() -> dict[str, interpretations.Found]:
    """Find the numbers on the cabs under every way to score a classifier.

    Returns
    -------
    dict of str to mapping
        Way to score to findings by claim; the literal way comes first. Shorter releases are
        left out, because their rows have one way only.
    """
    wanted = [each for each in _numbers() if each.data == CABS and "fig11" not in each.id]
    return {
        score: {
            each.id: replace(each, here=number(claims.claim(each.id), _scored(score)))
            for each in wanted
        }
        for score in interpretation_experiments.READINGS
    }


def kind(claim: Claim) -> str:
    """Name the numbers among which a published one is permuted for a baseline.

    Parameters
    ----------
    claim : Claim
        The published claim.

    Returns
    -------
    str
        Its quantity.
    """
    return claim.quantity


Game = Callable[[str, str, int], pd.DataFrame]


def _scored(score: str) -> Game:
    """`_game`, with LR and the network scored in one way, and BEST with them."""
    rows = (
        interpretation_experiments.readings.stored(CABS)
        .query("score == @score")
        .set_index("target")
    )

    def game(data: str, prior: str, size: int) -> pd.DataFrame:
        found = _game(data, prior, size).copy()
        same = rows[(rows["prior"] == prior) & (rows["group size"] == size)]
        if len(same):
            found[["LR", "MLP"]] = same.loc[found.index, ["LR", "MLP"]]
            found["BEST"] = found[SINGLE].max(axis=1)
        return found

    return game


def _cell(name: str) -> str:
    return "kk-lengths" if "fig11" in name else "kk-games"


def _why(name: str) -> Why:
    return reasons().get(name, unexplained())


# -- kept rows -------------------------------------------------------------------------------------


@cache
def _data() -> pd.DataFrame:
    """Statistics of the data: a column a dataset."""
    return kk.dataset.stored().set_index(["statistic", "data"])["value"].unstack(sort=False)


@cache
def _games() -> pd.DataFrame:
    return kk.games.stored(*ALL_FOUR.split(", ")).set_index("target").sort_index()


def _game(data: str, prior: str, size: int) -> pd.DataFrame:
    """AUCs of one game: a row a target, a column a classifier."""
    rows = _games()
    same = (rows["data"] == data) & (rows["prior"] == prior) & (rows["group size"] == size)
    return rows[same].drop(columns=["data", "prior", "group size"])


@cache
def _versions(prior: str, size: int) -> pd.DataFrame:
    """AUCs of one game of the cabs: a row a target, a column a version."""
    rows = kk.variants.stored(CABS).set_index("target").sort_index()
    rows = rows[(rows["prior"] == prior) & (rows["group size"] == size)]
    return rows.drop(columns=["data", "prior", "group size"]).rename(columns=str)


@cache
def _lengths(data: str, clock: str = "local") -> pd.DataFrame:
    """AUCs: a row a target, a column a period."""
    rows = kk.lengths.stored(data).query("clock == @clock")
    return rows.pivot(index="target", columns="period", values="AUC")[list(kk.PERIODS)]


def _at(data: str, prior: str, *classifiers: str) -> pd.DataFrame:
    """AUCs, a row a target, a column a group size, of one classifier or the mean of several."""
    rows = _games().query("data == @data and prior == @prior")
    aucs = rows[list(classifiers)].mean(axis=1).rename("AUC")
    return aucs.to_frame().assign(m=rows["group size"]).pivot(columns="m", values="AUC")


def _losses(aucs: pd.Series) -> pd.Series:
    return pd.Series(metrics.privacy_loss(aucs.to_numpy()), aucs.index)


def _loss(data: str, prior: str) -> pd.DataFrame:
    """Privacy losses under BEST: a row a target, a column a group size."""
    return _at(data, prior, "BEST").apply(_losses)


# -- predicates ------------------------------------------------------------------------------------


class Told(NamedTuple):
    """A claim's id and what became of it, by data: the first decides, others stand beside."""

    id: str
    parts: dict[str, Trend]
    note: str


def _told(name: str, parts: Mapping[str, Named]) -> Told:
    """A statement whose inequalities have names; its note says which number is shown."""
    note = "; ".join(filter(None, (WORDS.get(name, ""), shown(parts))))
    return Told(name, together(parts), note)


def _above(first: pd.Series, second: pd.Series | float = 0.0) -> Trend:
    """Whether the first is larger, by the mean of the targets' differences."""
    return predicates.greater(estimate(first - second))


def _beyond(values: pd.Series, limit: float) -> Trend:
    return predicates.beyond(estimate(values), limit)


def _alike(first: pd.Series, second: pd.Series | float, within: float = WITHIN) -> Trend:
    return predicates.close(estimate(first - second), 0.0, within)


def _larger(what: str, first: pd.DataFrame, second: pd.DataFrame) -> Named:
    """Whether the first's mean is larger, of other targets, at every column that both have."""
    return {
        f"{what} at {column}": predicates.greater(estimate(first[column]), estimate(second[column]))
        for column in first.columns.intersection(second.columns)
    }


def _all_fall(aucs: dict[str, pd.DataFrame]) -> dict[str, Trend]:
    """Whether the AUC of every classifier falls with the group size."""
    falls: dict[str, Trend] = {}
    for name, table in aucs.items():
        falls |= falling(f"the AUC of {name}", table)
    return falls


def _fall(table: pd.DataFrame, last: int) -> Estimate:
    """By how much the first column is above the one of a group size, of the same targets."""
    return estimate(table.iloc[:, 0] - table[last])


# -- data (Sec. V-A) -------------------------------------------------------------------------------


def facts() -> dict[str, float]:
    """Collect what the paper prints about its data and about the attacker's knowledge of them.

    Returns
    -------
    dict of str to float
        Claim to our number.
    """
    there = _data().to_dict()
    cabs, commuters = there[CABS], there[COMMUTERS]
    found = {name: there[data][statistic] for name, (statistic, data) in _printed().items()}
    return found | {
        "kk-data-sfc-cell-area": cell_area(SFC_GRID),
        "kk-data-tfl-stations": commuters["rois"] - 1,  # but for null
        "kk-data-rois-ratio": commuters["rois"] / cabs["rois"],
        "kk-data-sfc-reports-total": cabs["users"] * cabs["reports_mean"],
        "kk-data-sfc-prior-cabs": int(kk.SHARES[CABS] * cabs["users"]),
        "kk-data-tfl-prior-cards": int(kk.SHARES[COMMUTERS] * commuters["users"]),
    }


def _printed() -> dict[str, tuple[str, str]]:
    """Claim -> the statistic of `kk.dataset`, and the data, that it is about."""
    found = {"kk-data-sfc-gps": ("rows read", CABS), "kk-data-sfc-taxis-raw": ("cab files", CABS)}
    for name in map(str, claims.published("kk").index):
        claim = claims.claim(name)
        statistic = claim.setting.get("statistic", "")
        statistic = "sensitivity" if not statistic and "week" in claim.setting else statistic
        statistic = "features" if "features_per_roi" in claim.setting else statistic
        if name.startswith("kk-data") and statistic in _data().index:
            found[name] = statistic, HOLDS[claim.dataset]
    return found


def data_beside() -> pd.DataFrame:
    """Tabulate statistics of our cabs and of the two surrogates beside the published ones.

    Returns
    -------
    pandas.DataFrame
        The table.
    """
    columns = {CABS: "SFC, published", COMMUTERS: "TFL, published"}
    table = _data()[[CABS, "cabs", COMMUTERS]].copy()
    for name, (statistic, data) in _printed().items():
        table.loc[statistic, columns[data]] = claims.claim(name).value[0]
    return table[["SFC, published", CABS, "cabs", "TFL, published", COMMUTERS]]


def cell_area(grid: Grid) -> float:
    """Compute the area of a cell in the middle of a grid.

    Parameters
    ----------
    grid : Grid
        The grid.

    Returns
    -------
    float
        Square miles.
    """
    high = np.radians(grid.north - grid.south) / grid.n_rows
    wide = np.radians(grid.east - grid.west) / grid.n_columns
    middle = np.radians((grid.north + grid.south) / 2)
    return float(high * wide * np.cos(middle) * EARTH**2)


def denser() -> Trend:
    """State that cabs are active in a larger share of slots than commuters, and report more.

    Returns
    -------
    Trend
        The trend.
    """
    cabs, commuters = (_data()[data].to_dict() for data in (CABS, COMMUTERS))
    statistics = ("active_slots_mean", "reports_mean")
    shares = [[of[each] / of["epochs"] for of in (cabs, commuters)] for each in statistics]
    return predicates.every(*(predicates.greater(first, second) for first, second in shares))


# Counted in the archive; all else of the data was set, fitted, or follows from what was.
COUNTED = ("kk-data-sfc-users", "kk-data-sfc-gps", "kk-data-sfc-taxis-raw")
_DENSER = "shown: the share of hours in which a cab is active minus that of a commuter"
SPARSER = "the surrogate was calibrated to both statistics of the commuters"
BOX = "the paper prints no bounding box; ours was fitted to its statistics"
SET = {
    "kk-data-sfc-rois": "set: ten by ten cells and null",
    "kk-data-sfc-epochs": "set: the paper's three weeks",
    "kk-data-sfc-features": "set: seven statistics of each ROI",
    "kk-data-tfl-features": "set: seven statistics of each ROI",
    "kk-data-sfc-prior-cabs": "set: a fifth of the cabs",
    "kk-data-tfl-prior-cards": "set: 0.11 of the cards",
    "kk-data-rois-ratio": "both numbers of ROIs were set",
}


def _made_from(name: str) -> str:
    """What a fact was fitted to; nothing where the surrogate was left free."""
    return BOX if claims.claim(name).dataset == "sfc" else ""


UNMEASURED = {
    "kk-data-tfl-trips": "the surrogate models visits of the selected cards only, not all trips",
    "kk-data-tfl-cards": "the surrogate models the selected cards only",
    "kk-data-tfl-trips-selected": "the surrogate does not model trips, and 6 million trips do not"
    " agree with the paper's own counts of reports",
}


# -- numbers (Fig. 2 to 11) ------------------------------------------------------------------------


def number(claim: Claim, game: Game | None = None) -> Estimate | tuple[Estimate, ...]:
    """Find our result for a number about raw counts.

    Parameters
    ----------
    claim : Claim
        The published claim.
    game : callable, optional
        Returns the AUCs of a dataset, prior and group size; the stored ones by default.

    Returns
    -------
    Estimate or tuple of Estimate
        Of several classifiers or group sizes: all for a bound, both ends for a range, otherwise the
        farthest from what is printed.
    """
    each = [estimate(values) for values in _about(claim, game or _game)]
    if len(claim.value) == 2:
        return min(each), max(each)
    if claim.op in (">", ">="):
        return tuple(each)
    return max(each, key=lambda found: abs(found.value - claim.value[0]))


def _measured(quantity: str, aucs: pd.Series) -> pd.Series:
    """What a claim is about, for each target."""
    if quantity == "mean PL":
        return _losses(aucs)
    return (aucs > 0.6).astype(float) if quantity.startswith("fraction") else aucs


def _about(claim: Claim, game: Game) -> list[pd.Series]:
    """What a claim is about, for each target: a series for each thing that it is about."""
    setting, data = claim.setting, HOLDS[claim.dataset]
    if claim.id.startswith("kk-fig11"):
        aucs = _lengths(data)[_periods(claim)]
        each = [_measured(claim.quantity, aucs[period].dropna()) for period in aucs]
        return [pd.concat(each, axis=1).mean(axis=1)]
    wanted = setting["classifier"]
    chosen = SINGLE if wanted.startswith("each") else SEVERAL.get(wanted, [wanted])
    sizes = np.atleast_1d(setting["m"]).tolist()
    games = [game(data, PRIOR[setting["prior"]], size)[chosen] for size in sizes]
    return [_measured(claim.quantity, aucs) for _, aucs in pd.concat(games, axis=1).items()]


def _periods(claim: Claim) -> list[str]:
    """The periods of Fig. 11 that a number is about: both days if it names none."""
    if not claim.id.startswith("kk-fig11"):
        return []
    day = claim.setting.get("day", "").split(" ")[0]
    days = [day] if day in ("Monday", "Saturday") else ["Monday", "Saturday"]
    return {168: ["week"], 24: days, 8: [f"{each} 8-16h" for each in days]}[
        claim.setting["n_epochs"]
    ]


# -- trends (Fig. 2 to 11) -------------------------------------------------------------------------

Trends = Iterator[Told]


def of_subsets() -> Trends:
    """Yield trends of Fig. 2 to 4: prior 1."""
    yield from _subsets_of_commuters()
    yield from _subsets_of_cabs()


def _by_classifier(data: str) -> dict[str, pd.DataFrame]:
    return {each: _at(data, FIRST, each) for each in SINGLE}


def _rf_best(of: dict[str, pd.DataFrame]) -> Named:
    return {
        f"the AUC of RF minus that of {each} at {size}": _above(of["RF"][size], of[each][size])
        for each in ("LR", "kNN", "MLP")
        for size in (50, 100)
    }


def _subsets_of_commuters() -> Trends:
    commuters = _by_classifier(COMMUTERS)
    near = {
        f"the AUC of {name} minus 0.5 at {size}": _alike(aucs[size], 0.5, 0.1)
        for name, aucs in commuters.items()
        for size in (500, 1000)
    }
    yield _told("kk-fig2-trend-m", {COMMUTERS: _all_fall(commuters) | near})
    best = {data: _rf_best(_by_classifier(data)) for data in (COMMUTERS, REGULAR)}
    yield _told("kk-fig2-rf-best-m50-100", best)
    high = {
        f"the AUC of {each} at {size}, minus {HIGH}": _beyond(commuters[each][size], HIGH)
        for each in SINGLE
        for size in (5, 10)
    }
    yield _told("kk-fig2-small-groups-all-high", {COMMUTERS: high})
    falls = {data: falling("the loss", _loss(data, FIRST)) for data in (COMMUTERS, REGULAR)}
    yield _told("kk-fig3a-trend", falls)
    small = [_loss(data, FIRST)[[5, 10, 50, 100]] for data in (COMMUTERS, CABS)]
    more = _larger("the loss of the commuters minus that of the cabs", *small)
    yield _told("kk-fig3-tfl-over-sfc", {BOTH: more})


def _subsets_of_cabs() -> Trends:
    cabs, loss = _by_classifier(CABS), _loss(CABS, FIRST)
    yield _told("kk-fig4-trend-m", {CABS: _all_fall(cabs)})
    lr, knn, rf, mlp = (each[10] for each in cabs.values())
    order = {
        "the AUC of LR minus that of MLP": _alike(lr, mlp),
        "the AUC of LR minus that of RF": _above(lr, rf),
        "the AUC of MLP minus that of RF": _above(mlp, rf),
        "the AUC of RF minus that of kNN": _above(rf, knn),
    }
    yield _told("kk-fig4-order-m10", {CABS: order})
    best, floor = (_at(CABS, FIRST, which)[100] for which in ("BEST", kk.FLOOR))
    large = {f"the loss at {size}, minus {LARGE}": _beyond(loss[size], LARGE) for size in (5, 10)}
    above = {"the AUC of BEST at 100 minus that with shuffled labels": _above(best, floor)}
    yield _told("kk-fig3b-trend", {CABS: falling("the loss", loss) | large | above})


def of_same_groups() -> Trends:
    """Yield trends of Fig. 5 to 7: prior 2a."""
    loss, theirs = (_loss(data, SAME) for data in (CABS, COMMUTERS))
    flat = {
        data: {
            f"the loss at {size}, minus {HIGH}": _beyond(losses, HIGH)
            for size, losses in table.items()
        }
        for data, table in ((COMMUTERS, theirs), (REGULAR, _loss(REGULAR, SAME)))
    }
    yield _told("kk-fig6a-flat", flat)
    network = _at(CABS, SAME, "MLP")
    best = {
        f"the AUC of MLP minus that of {each} at {size}": _above(
            network[size], _at(CABS, SAME, each)[size]
        )
        for each in ("LR", "kNN", "RF")
        for size in (5, 10)
    }
    yield _told("kk-fig7-mlp-best", {CABS: best})
    falls = _all_fall({each: _at(CABS, SAME, each).loc[:, :UP_TO] for each in SINGLE})
    cabs, commuters = (_fall(_at(data, SAME, *SINGLE), UP_TO) for data in (CABS, COMMUTERS))
    more = {"the fall on the cabs minus that of the commuters": predicates.greater(cabs, commuters)}
    yield _told("kk-fig7-trend-m", {CABS: falls, BOTH: more})
    more = {
        "the fall on the cabs minus that of the commuters": predicates.greater(
            _fall(loss, 500), _fall(theirs, 500)
        )
    }
    yield _told("kk-fig6b-trend", {CABS: falling("the loss", loss), BOTH: more})
    rises = _rises(_game(CABS, SAME, 300), _game(CABS, SAME, 500))
    yield Told(
        "kk-fig6b-upturn-m500",
        {CABS: predicates.any_positive(*rises)},
        f"{(loss[500] > loss[300]).mean():.0%} of the targets lose more; the test asks for one"
        " whose rise exceeds the sampling error of its AUCs, with a Bonferroni correction; shown:"
        " the loss at 500 minus that at 300, of the target with the strongest evidence",
    )


def _rises(before: pd.DataFrame, after: pd.DataFrame) -> list[Estimate]:
    """Return by how much each target's loss under BEST rises, with the error of its own AUCs."""
    aucs = pd.concat([before["BEST"], after["BEST"]], axis=1, keys=["before", "after"]).dropna()
    losses = aucs.apply(_losses)
    errors = 2 * np.hypot(*(_auc_error(aucs[each].to_numpy()) for each in aucs))
    rises = (losses["after"] - losses["before"]).to_numpy()
    return [Estimate(float(rise), float(error)) for rise, error in zip(rises, errors, strict=True)]


def _auc_error(aucs: np.ndarray) -> np.ndarray:
    """Compute the standard error of AUCs over the released groups of prior 2a.

    An AUC of 1 has the error of the largest AUC below it (Hanley and McNeil 1982).
    """
    n = kk.games.setting(kk.games.at_paper[CABS])["beta_same"] / 2
    auc = np.clip(aucs, 1 / n**2, 1 - 1 / n**2)
    others = auc / (2 - auc) + 2 * auc**2 / (1 + auc) - 2 * auc**2
    return np.sqrt((auc * (1 - auc) + (n - 1) * others) / n**2)


def of_other_groups() -> Trends:
    """Yield trends of Fig. 8 to 10: prior 2b."""
    far = _at(COMMUTERS, OTHER, *SINGLE)
    what = "the AUC at 9500 minus that at 1000, mean of four classifiers"
    rise = _slightly(what, far[9500] - far[1000], SLIGHT / 2)
    yield _told("kk-fig8-upturn-m9500", {COMMUTERS: rise})
    cabs = {each: _at(CABS, OTHER, each) for each in SINGLE}
    lr, knn, rf, mlp = (each[500] for each in cabs.values())
    fall = _all_fall({name: each.loc[:, :UP_TO] for name, each in cabs.items()})
    near = {
        f"the AUC of {name} at 500 minus 0.5": _alike(each[500], 0.5, 0.1)
        for name, each in cabs.items()
    }
    better = {"LR and MLP minus RF and kNN at 500, sums of AUCs": _above(lr + mlp, rf + knn)}
    yield _told("kk-fig10-trend", {CABS: fall | near | better})
    loss = _loss(CABS, OTHER)
    more = loss[500] - loss[300]
    found = _told(
        "kk-fig9b-upturn-m500", {CABS: _slightly("the loss at 500 minus that at 300", more, SLIGHT)}
    )
    said = f'it rises by {more.mean():.3f}; "slightly" means by less than {SLIGHT}'
    yield found._replace(note=f"{said}; {found.note}")


def _slightly(what: str, rise: pd.Series, most: float) -> Named:
    """State that there is a rise, and a slight one."""
    return {what: _above(rise), f"{most} minus ({what})": predicates.below(estimate(rise), most)}


PAIRS = {BOTH: (COMMUTERS, CABS), f"{REGULAR}, {IRREGULAR}": (REGULAR, IRREGULAR)}
SIDES = "the loss of the regular users minus that of the others"


def of_priors() -> Trends:
    """Yield trends of Fig. 6 against Fig. 9, and of one city against the other."""
    same, other = _loss(CABS, SAME), _loss(CABS, OTHER)
    below = {
        f"the loss under prior 2a minus that under 2b at {m}": _above(same[m], other[m])
        for m in same
    }
    yield _told("kk-fig9-below-fig6", {CABS: below})
    overall = {
        data: {
            "the loss under prior 2a minus that under 2b": _above(
                _over_sizes(data, SAME) - _over_sizes(data, OTHER)
            )
        }
        for data in (COMMUTERS, REGULAR)
    }
    yield _told("kk-priors-order-tfl", overall)
    in_general = {
        data: {
            SIDES: predicates.greater(estimate(_over_all(*pair)), estimate(_over_all(*pair[::-1])))
        }
        for data, pair in PAIRS.items()
    }
    yield _told("kk-raw-tfl-over-sfc", in_general)


def _over_sizes(data: str, prior: str) -> pd.Series:
    """Each target's loss, averaged over the group sizes that both past priors have."""
    both = _loss(data, SAME).columns.intersection(_loss(data, OTHER).columns)
    return _loss(data, prior)[both].mean(axis=1)


def _over_all(data: str, like: str) -> pd.Series:
    """Each target's loss, averaged over the priors and the group sizes that both data have."""
    tables = []
    for prior in kk.PRIORS:
        mine = _loss(data, prior)
        tables.append(mine[mine.columns.intersection(_loss(like, prior).columns)].mean(axis=1))
    return pd.concat(tables, axis=1).mean(axis=1)


def of_lengths() -> Trends:
    """Yield trends of Fig. 11: how long the release is; targets who are seen in all periods."""
    commuter = _lengths(COMMUTERS).dropna()
    days, hours = ["Monday", "Saturday"], ["Monday 8-16h", "Saturday 8-16h"]
    easier = {
        f"the AUC of {first} minus that of {second}": _above(commuter[first], commuter[second])
        for first, second in (days, hours)
    }
    yield _told("kk-fig11a-weekday-over-weekend", {COMMUTERS: easier})
    falls: dict[str, Trend] = {}
    for day in days:
        falls |= falling("the AUC", commuter[["week", day, f"{day} 8-16h"]])
    yield _told("kk-fig11a-length", {COMMUTERS: falls})
    yield from _lengths_of_cabs(days, hours)
    larger = {
        data: _larger(SIDES, *(_lengths(d).dropna().apply(_losses) for d in pair))
        for data, pair in PAIRS.items()
    }
    yield _told("kk-fig11-tfl-over-sfc", larger)


def _lengths_of_cabs(days: list[str], hours: list[str]) -> Trends:
    cab = _lengths(CABS).dropna()
    day, eight = cab[days].mean(axis=1), cab[hours].mean(axis=1)
    drop = cab["week"] - day

    def hardly(what: str, change: pd.Series) -> dict[str, Trend]:
        """State that a change, of either sign, is a small part of the drop from week to day."""
        return {
            f"{HARDLY} times the drop {word} the difference of {what}": predicates.ours(
                _above(HARDLY * drop, sign * change)
            )
            for word, sign in (("minus", 1), ("plus", -1))
        }

    shorter = hardly("a day and eight hours", day - eight)
    longer = {"the AUC of the week minus that of a day": _above(drop)}
    yield _told("kk-fig11b-length", {CABS: longer | shorter})
    weekdays: dict[str, Trend] = {}
    for first, second in (days, hours):
        weekdays |= hardly(f"{first} and {second}", cab[first] - cab[second])
    yield _told("kk-fig11b-no-weekday-effect", {CABS: weekdays | shorter})


# -- reasons ---------------------------------------------------------------------------------------


def _aucs(aucs: pd.Series) -> pd.Series:
    return aucs


def _moved(prior: str, size: int, version: str, measure: Callable = _aucs) -> tuple[int, str]:
    """For how many of the targets a version moves a number, and by how much, in words."""
    plain = version.split(",")[0]
    both = _versions(prior, size)[[plain, version]].dropna()
    mean, error = mean_and_error(measure(both[version]) - measure(both[plain]))
    return len(both), f"{mean:+.3f} ± {error:.3f}"


def _share_above(aucs: pd.Series) -> pd.Series:
    return (aucs > 0.6).astype(float)


_OF_LR_ALONE = {  # what a version of LR changes
    _aucs: "the mean AUC of LR",
    _losses: "the mean loss under LR alone",
    _share_above: "the share of targets above 0.6 under LR alone",
}


def _without_lr(prior: str, size: int) -> pd.Series:
    """The best of the other three classifiers, for each target."""
    return _game(CABS, prior, size)[["kNN", "RF", "MLP"]].max(axis=1)


def _mean_loss(aucs: pd.Series) -> str:
    mean, error = mean_and_error(_losses(aucs))
    return f"{mean:.3f} ± {error:.3f}"


@cache
def reasons() -> dict[str, Why]:
    """Explain results of classifiers, or say what was tried: other versions, other classifiers."""
    return _reasons_of_losses() | _reasons_of_scores() | _reasons_of_lengths()


def _reasons_of_losses() -> dict[str, Why]:
    """What was tried for losses: LR's scores, and the best of the other three classifiers."""
    others, scored = _without_lr(SAME, 500), _probability(SAME, 500, _losses)
    best = (
        f"without LR the best of the other three has a mean loss of {_mean_loss(others)}",
        "kk-games",
    )
    share = f"{_share_above(others).mean():.2f} of the targets"
    above = (f"the best of the other three is above 0.6 for {share}", "kk-games")
    near, far = (_mean_loss(_without_lr(OTHER, size)) for size in (300, 500))
    less = (f"without LR the mean loss is {near} at 300 and {far} at 500", "kk-games")
    return {
        "kk-fig7-best-half-gt-0.6": unexplained(_probability(SAME, 500, _share_above), above),
        "kk-fig6b-pl-m500": unexplained(scored, best),
        "kk-fig6b-trend": unexplained(scored, best),
        "kk-fig9b-pl-m300": unexplained(_probability(OTHER, 300, _losses), less),
        "kk-fig9b-upturn-m500": unexplained(_probability(OTHER, 500, _losses), less),
    }


def _reasons_of_scores() -> dict[str, Why]:
    """What was tried for AUCs: other scores of LR and of the network."""
    alone = _share_above(_game(CABS, OTHER, 500)["MLP"]).mean()
    share = (f"for MLP alone it is {alone:.2f}", "kk-games")
    never = f"without cabs that send nothing in the three weeks it is {int(_data()[CABS]['users'])}"
    return {
        "kk-fig4-lr-auc-m100": unexplained(_probability(FIRST, 100)),
        "kk-fig7-lr-auc-m500": unexplained(_probability(SAME, 500)),
        "kk-fig7-mlp-auc-m500": unexplained((_networks_tried(), "kk-variants")),
        "kk-fig10-share-gt-0.6-m500": unexplained(_probability(OTHER, 500, _share_above), share),
        "kk-fig10-trend": unexplained(_probability(OTHER, 500)),
        "kk-fig4-mlp-auc-m50": unexplained(_scores_of_the_network(FIRST, 50)),
        "kk-data-sfc-taxis-raw": unexplained((never, "kk-data")),
    }


def _reasons_of_lengths() -> dict[str, Why]:
    return {
        "kk-fig11b-length": unexplained(_in_utc()),
        "kk-fig11b-no-weekday-effect": unexplained(_in_utc()),
    }


def _probability(prior: str, size: int, measure: Callable = _aucs) -> tuple[str, str]:
    """What scoring LR by its probabilities moves, as something that was tried."""
    n, moved = _moved(prior, size, "LR, probability", measure)
    text = (
        "scoring LR by its probabilities, which have ties, changes"
        f" {_OF_LR_ALONE[measure]} by {moved} ({n} targets)"
    )
    return text, "kk-variants"


def _networks_tried() -> str:
    versions = _versions(SAME, 500)
    tried = [each for each in map(str, versions) if each.startswith("MLP,")]
    effects = [f"{each.removeprefix('MLP, ')} {_moved(SAME, 500, each)[1]}" for each in tried]
    return f"versions of the network ({versions['MLP'].count()} targets): {', '.join(effects)}"


def _scores_of_the_network(prior: str, size: int) -> tuple[str, str]:
    rows = interpretation_experiments.readings.stored(CABS).query(
        "prior == @prior and `group size` == @size"
    )
    means = rows.groupby("score")["MLP"].mean()
    text = f"{len(means)} scores of the network, which give"
    return f"{text} {means.min():.3f} to {means.max():.3f}", "kk-readings"


def _in_utc() -> tuple[str, str]:
    """How the AUC falls from a week to a day, and to eight hours, by another clock; as tried."""
    found = _lengths(CABS, "UTC").dropna()
    days = found[["Monday", "Saturday"]].mean(axis=1)
    eight = found[["Monday 8-16h", "Saturday 8-16h"]].mean(axis=1)
    falls = [
        "{:.3f} ± {:.3f}".format(*mean_and_error(each))
        for each in (found["week"] - days, days - eight)
    ]
    return (
        f"days and hours in UTC, where the AUC falls by {' and then '.join(falls)}",
        "kk-lengths",
    )

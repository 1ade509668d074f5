"""Figures and readers' tables of the zero-auxiliary-knowledge chapter and its replication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from lib.datasets import mobility
from lib.papers import figures, summaries
from lib.papers.experiments import Experiment
from lib.papers.figures import COLORS, look
from lib.papers.zero_knowledge import experiments
from lib.traces import Traces

ATTACKS = ("KK", "ZK", "sum")
SCORERS = ("logistic", "target's cells")  # what these attacks are made of
HIDDEN = {"k = 1": COLORS[1], "epsilon = 1": COLORS[2], "epsilon = 0.1": COLORS[3]}
OFFERS = (
    ("suppressed", 1.0),
    ("suppressed", 5.0),
    ("event", 1.0),
    ("event", 0.1),
    ("user-day", 10.0),
    ("user-day", 1.0),
    ("user", 10.0),
    ("user", 1.0),
)
BESIDE = {
    ("suppressed", 1.0): (6, 4),
    ("suppressed", 5.0): (6, 4),
    ("event", 1.0): (-7, -4),
    ("event", 0.1): (-7, -5),
    ("user-day", 10.0): (7, 3),
    ("user-day", 1.0): (7, 4),
    ("user", 10.0): (-7, -15),
    ("user", 1.0): (7, -10),
}  # labels in points


# -- rows: one attack's AUC each -------------------------------------------------------------------


def attacks(*games: pd.DataFrame) -> pd.DataFrame:
    """Rows of games with a column `attack`: KK and ZK (logistic regression), sum (her cells).

    The sum learns nothing, so that of two attackers' equal rows one is left.
    """
    rows = pd.concat(games, ignore_index=True)
    fitted = rows[rows["scorer"] == "logistic"].assign(attack=lambda each: each["attacker"])
    alone = (rows["scorer"] == "target's cells") & (rows["attacker"] == "ZK")
    return pd.concat([fitted, rows[alone].assign(attack="sum")], ignore_index=True)


def with_sums(
    played: Sequence[Experiment], what: str, by: str, where: str = "target >= 0"
) -> pd.DataFrame:
    """Kept games of KK and ZK beside the sum's rows of the same test groups; `by` is what differs.

    what   in the column of that name of `experiments.sums`
    where  which of the games, as `DataFrame.query` reads it
    """
    games = pd.concat([each.stored().query(where) for each in played], ignore_index=True)
    sums = experiments.sums.stored()
    same = sums[(sums["what"] == what) & sums["at"].isin(games[by])]
    same = same[same["data"].isin(games["data"])]
    alone = same.rename(columns={"at": by}).assign(attack="sum")
    both = pd.concat([games.assign(attack=games["attacker"]), alone], ignore_index=True)
    return both.astype({by: games[by].dtype})


_WORDS = {
    "suppressed": "k = {:g}",
    "event": "visit, ε = {:g}",
    "user-day": "day, ε = {:g}",
    "user": "user, ε = {:g}",
}


def kept(experiment: Experiment, *data: str) -> str:
    """A line below a figure or table: "kept rows, each: 30 targets, played 2026-11-22"."""
    said = dict.fromkeys(each.split(", ", 1)[1] for each in experiment.source(*data).split("; "))
    return "\n(kept rows, each: " + "; ".join(said) + ")"


def called(unit: str, level: float) -> str:
    """A defense in words: "visit, ε = 1"."""
    return _WORDS[unit].format(level)


# -- tables ----------------------------------------------------------------------------------------


def table(rows: pd.DataFrame, by: Sequence[str], value: str = "AUC") -> pd.DataFrame:
    """Means of the attacks, and two differences over the same targets, with 95% intervals."""
    of_each = _clipped(summaries.means(rows, [*by, "attack"], value))
    found = summaries.bracketed(of_each)["mean [95%]"].unstack("attack", sort=False)
    found = found[[each for each in ATTACKS if each in found]]
    for first, second in (("ZK", "KK"), ("sum", "ZK")):
        if first in found and second in found:
            gap = summaries.differences(rows, by, value, ["target"], "attack", first, second)
            found[f"{first} - {second}"] = summaries.bracketed(gap)["mean [95%]"]
    found.columns.name = None
    return _named(found.fillna(""), rows) if by[0] == "data" else found.fillna("")


def beside_kk(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """KK's mean AUC, and how far ZK and the sum are from it over the same targets, at 95%."""
    of_kk = rows[rows["attack"] == "KK"]
    found = {"KK": _clipped(summaries.means(of_kk, by, "AUC"))}
    for other in ("ZK", "sum"):
        found[f"{other} - KK"] = summaries.differences(
            rows, by, "AUC", ["target"], "attack", other, "KK"
        )
    texts = {name: summaries.bracketed(each)["mean [95%]"] for name, each in found.items()}
    return _named(pd.DataFrame(texts), rows)


def _clipped(found: pd.DataFrame) -> pd.DataFrame:
    """Intervals of a share or an AUC end at 0 and 1."""
    return found.assign(**{end: found[end].clip(0, 1) for end in ("95% low", "95% high")})


def chosen(rows: pd.DataFrame, offers: Sequence[tuple[str, float]]) -> pd.DataFrame:
    """Rows of these units and levels, in this order, with their words in the column `defense`."""
    found = [
        rows[(rows["data"] == name) & (rows["unit"] == unit) & (rows["level"] == level)].assign(
            defense=called(unit, level)
        )
        for name in rows["data"].unique()
        for unit, level in offers
    ]
    return pd.concat(found, ignore_index=True)


def worded(rows: pd.DataFrame) -> pd.DataFrame:
    """All rows with their words in the column `defense`."""
    pairs = zip(rows["unit"], rows["level"], strict=True)
    return rows.assign(defense=[called(unit, level) for unit, level in pairs])


def offered(suppressed: pd.DataFrame, noisy: pd.DataFrame, *users: pd.DataFrame) -> pd.DataFrame:
    """All games with the columns unit and level, as `experiments.costs` has them."""
    return pd.concat(
        [
            suppressed.rename(columns={"k": "level"}).assign(unit="suppressed"),
            noisy.rename(columns={"epsilon": "level"}),
            *(each.rename(columns={"epsilon": "level"}).assign(unit="user") for each in users),
        ],
        ignore_index=True,
    ).astype({"level": float})


def best_attacks(games: pd.DataFrame) -> pd.DataFrame:
    """Of each dataset, unit and level the attack with the highest mean AUC, with its interval.

    Best by these very means: among three, over thirty targets, that flatters little.
    """
    by = ["data", "unit", "level"]
    found = _clipped(summaries.means(games, [*by, "attack"], "AUC")).reset_index("attack")
    top = found.groupby(level=by, sort=False)["mean"].transform("max")
    return found[found["mean"] == top].groupby(level=by, sort=False).head(1)


def prices(games: pd.DataFrame, costs: pd.DataFrame) -> pd.DataFrame:
    """The best attack's AUC and what the release cost, by data, unit and level."""
    paid = costs.groupby(["data", "unit", "level"], sort=False)[
        ["cells moved", "places moved", "error"]
    ].mean()
    return best_attacks(games).join(paid).sort_index()


def price_table(
    found: Any, names: Sequence[str], offers: Sequence[tuple[str, float]] = OFFERS
) -> pd.DataFrame:
    """A row a defense; of each dataset the best attack, and the cells moved."""
    columns: dict[str, list[Any]] = {}
    for name in names:
        of = [found.loc[(name, *offer)] for offer in offers]
        texts = [summaries.in_brackets(*row[["mean", "95% low", "95% high"]]) for row in of]
        label = "flights" if name.startswith("flights") else figures.label(name)
        columns[f"{label}: AUC"] = [
            f"{text}, {row['attack']}" for text, row in zip(texts, of, strict=True)
        ]
        columns[f"{label}: moved"] = [f"{row['cells moved']:.0%}" for row in of]
    index = pd.Index([called(*offer) for offer in offers], name="hidden")
    return pd.DataFrame(columns, index)


def undone_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Distances of `experiments.undone`, a row each release and estimate that the paper proposes."""
    names = {"empirical": "as released"}
    kept = rows[rows["estimate"] != "exponential"].replace({"estimate": names})
    return _both_marginals(kept, ["release", "estimate"])


def mean_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Visits a user, of `experiments.searched`: a row a release."""
    columns = {"sum / m": "sum / m", "estimated": "searched for"}
    found = {
        title: summaries.bracketed(summaries.means(rows, ["release"], name))["mean [95%]"]
        for name, title in columns.items()
    }
    return pd.DataFrame(found).assign(everybody=rows.groupby("release")["true"].mean())


def pair_table(games: pd.DataFrame, budgets: Sequence[float]) -> pd.DataFrame:
    """Mean AUC on pairs and on independent groups, and the gain, a row each attacker, budget."""
    rows = games[games["epsilon"].isin(budgets)]
    by = ["attacker", "epsilon"]
    found = summaries.bracketed(summaries.means(rows, [*by, "groups"], "AUC"))["mean [95%]"]
    gain = summaries.differences(rows, by, "AUC", ["target"], "groups", "pairs", "independent")
    wide = found.unstack("groups").assign(gain=summaries.bracketed(gain)["mean [95%]"])
    wide.columns.name = None
    return wide


def place_table(places: pd.DataFrame, sums: pd.DataFrame) -> pd.DataFrame:
    """What every hour of all her places is worth: a row each dataset.

    sums  of the sum over the same cells, `experiments.place_sums`
    """
    alone = places[(places["places"].astype(str) == "all") & (places["method"] == "greedy")]
    rows = pd.concat([alone.assign(attack=alone["attacker"]), sums.assign(attack="sum")])
    return table(rows, ["data"])[list(ATTACKS)]


def _both_marginals(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    found = {
        what: summaries.bracketed(summaries.means(rows, by, what))["mean [95%]"]
        for what in ("space", "time")
    }
    return pd.DataFrame(found)


def likelihood_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Distances of estimated marginals, a row each dataset and marginal, a column an estimate."""
    long = rows.melt(["data", "number", "estimate"], ["space", "time"], "marginal", "distance")
    found = summaries.bracketed(summaries.means(long, ["data", "marginal", "estimate"], "distance"))
    wide = found["mean [95%]"].unstack("estimate", sort=False)
    wide.columns.name = None
    return _named(wide, rows)


def threshold_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Of logistic regression, a row each: accuracies, the share called in, her cells' counts."""
    fitted = rows[rows["scorer"] == "logistic"]
    fitted = fitted.assign(less=fitted["learned"] - fitted["real"])
    by, found = ["data", "attacker"], {}
    for name, title in (
        ("accuracy", "accuracy"),
        ("best accuracy", "best accuracy"),
        ("called in", "called in"),
        ("less", "learned - real"),
    ):
        found[title] = summaries.bracketed(summaries.means(fitted, by, name))["mean [95%]"]
    return _named(pd.DataFrame(found), rows).T


def _named(found: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """A table whose first level is the dataset: in the rows' order, stand-ins named as such."""
    parts = [found.loc[[name]] for name in rows["data"].unique() if name in found.index]
    return pd.concat(parts).rename(index=figures.label, level="data")


# -- figures ---------------------------------------------------------------------------------------


def show_releases(releases: Mapping[str, np.ndarray], traces: Traces) -> None:
    """Releases of the same group below each other, (n_rois, n_epochs) each."""
    hours = [stamp.strftime("%Hh") for stamp in traces.epochs]
    _, axes = plt.subplots(len(releases), 1, figsize=(4.5, 4.8), sharex=True)
    for ax, (label, counts) in zip(axes, releases.items(), strict=True):
        figures.show_counts(ax, counts, list(traces.rois.index), hours)
        ax.set_title(label)
    plt.show()


def show_visits(visits: Mapping[str, Sequence[int]]) -> None:
    """A histogram a population of its users' visits."""
    size = (6, 1.6 * len(visits) + 0.6)
    _, axes = plt.subplots(len(visits), 1, figsize=size, sharex=True, squeeze=False)
    for ax, (name, values) in zip(axes[:, 0], visits.items(), strict=True):
        ax.hist(values, bins=np.geomspace(10, 1500, 30))
        ax.set(title=figures.label(name), xscale="log", ylabel="users")
    axes[-1, 0].set_xlabel("visits")
    plt.show()


def show_marginals(
    true: tuple[np.ndarray, np.ndarray], released: Mapping[str, Any], name: str
) -> None:
    """Space marginals by popularity, time marginals over two days: everybody's, and releases'.

    true      (space, time)
    released  name in `HIDDEN` -> what `experiments.released_marginals` gives of it
    """
    _, axes = plt.subplots(2, 1, figsize=(6, 4.6))
    order = np.argsort(-true[0], kind="stable")[:40]
    two_days = np.arange(min(48, len(true[1])))
    for i, (ax, which, at) in enumerate(
        zip(axes, ("space", "time"), (order, two_days), strict=True)
    ):
        ax.plot(true[i][at], color="black", marker="", label="everybody")
        for line, (label, found) in zip(("--", "-."), released.items(), strict=False):
            ax.plot(
                found["empirical"][which][0][at],
                color=HIDDEN[label],
                marker="",
                linestyle=line,
                label=label.replace("epsilon", "ε"),
            )
        ax.set(ylabel="share of visits", ylim=(0, None))
    axes[0].set(xlabel="places, most visited first", title=f"where, {figures.label(name)}")
    axes[1].set(xlabel="hour of the first two days", title="when")
    axes[0].legend(fontsize=10)
    plt.show()


def show_activity(visits: np.ndarray, families: Mapping[str, Any]) -> None:
    """Distribution functions of the number of visits: the population's and some families'."""
    _, ax = plt.subplots(figsize=(6, 3.2))
    at = np.geomspace(1, 1500, 200)
    share = [(visits <= x).mean() for x in at]
    ax.plot(at, share, color="black", marker="", label="callers (stand-in)")
    for name in ("lognormal", "exponential"):
        ax.plot(at, families[name].cdf(at), marker="", label=name)
    ax.set(xlabel="visits", ylabel="share of users", xscale="log")
    ax.legend()
    plt.show()


def show_lines(
    lines: Mapping[str, np.ndarray], xlabel: str, name: str, ylabel: str = "share of visits"
) -> None:
    """Marginals of one kind over each other; "everybody" is black."""
    figure, ax = plt.subplots(figsize=(6, 3.0))
    for label, each in lines.items():
        black: dict[str, Any] = {"color": "black", "zorder": 3} if label == "everybody" else {}
        ax.plot(each, marker="", linewidth=1.3, label=label.replace("epsilon", "ε"), **black)
    ax.set(xlabel=xlabel, ylabel=ylabel, ylim=(0, None), title=figures.label(name))
    handles = ax.get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, fontsize=10)
    plt.show()


def show_suppressed(shares: pd.DataFrame) -> None:
    """The share of positive counts that is suppressed, against k: a panel a dataset."""
    names = shares["data"].unique()
    figure, axes = plt.subplots(1, len(names), figsize=(6.2, 2.6), sharey=True)
    for ax, name in zip(axes, names, strict=True):
        rows = shares[shares["data"] == name]
        ax.plot(rows["k"], rows["share"], **look(str(name)))
        ax.set_title(figures.label(name).replace(" (", "\n("), fontsize=10)
        ax.set(ylim=(0, 1.03), xticks=rows["k"])
    figure.supxlabel("counts up to k become 0", fontsize=12)
    axes[0].set_ylabel("share of counts above 0")
    plt.show()


def show_inputs(traces: Traces, space: np.ndarray, time: np.ndarray, name: str) -> None:
    """What synthetic traces are made of: three marginals and a triangulation."""
    _, axes = plt.subplots(2, 2, figsize=(6.2, 5.2))
    axes[0, 0].plot(np.sort(space)[::-1], marker="", color="black")
    axes[0, 0].set(xlabel="places, by visits", ylabel="share of visits", title="space")
    axes[0, 1].plot(time[:48], marker="", color="black")
    axes[0, 1].set(xlabel="hour of two days", title="time")
    visits = traces.visits().to_numpy()
    axes[1, 0].hist(visits, bins=np.geomspace(1, max(visits.max(), 2), 30).tolist())
    axes[1, 0].set(xlabel="visits", ylabel="users", xscale="log", title="activity")
    _edges(axes[1, 1], traces)
    axes[1, 1].set(xlabel="longitude", ylabel="latitude", title=figures.label(name))
    plt.show()


def _edges(ax: Any, traces: Traces) -> None:
    lat, lon = traces.rois["lat"].to_numpy(), traces.rois["lon"].to_numpy()
    first, second = np.nonzero(np.triu(mobility.triangulate(traces.rois).toarray()))
    edges = [lon[first], lon[second]], [lat[first], lat[second]]
    ax.plot(*edges, color="#999999", linewidth=0.6, linestyle="-", marker="")


def show_trace(
    traces: Traces, space: np.ndarray, patch: np.ndarray, visits: np.ndarray, name: str
) -> None:
    """The map, and a synthetic user on it.

    space   (n_rois,) drawn as the size of a place; patch: ROI positions, the origin first
    visits  (n,) ROI positions of her visits
    """
    lat, lon = traces.rois["lat"].to_numpy(), traces.rois["lon"].to_numpy()
    _, ax = plt.subplots(figsize=(5, 4.6))
    _edges(ax, traces)
    ax.set_aspect(1 / np.cos(np.radians(lat.mean())))
    ax.scatter(lon, lat, s=2500 * space, color=COLORS[0], alpha=0.35, label="places, by visits")
    ax.scatter(
        lon[patch],
        lat[patch],
        s=90,
        facecolors="none",
        edgecolors=COLORS[1],
        linewidths=2,
        label="her ten places",
    )
    ax.scatter(
        lon[patch[:1]], lat[patch[:1]], marker="X", s=60, color="black", label="origin", zorder=3
    )
    for place, n in zip(*np.unique(visits, return_counts=True), strict=True):
        ax.annotate(
            f"{n}", (lon[place], lat[place]), (7, 7), textcoords="offset points", fontweight="bold"
        )
    ax.set(title=figures.label(name), xticks=[], yticks=[])
    ax.grid(False)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), fontsize=10, ncols=3)
    plt.show()


def show_against(
    rows: pd.DataFrame, x: str, xlabel: str, scale: str = "linear", what: str = "AUC"
) -> None:
    """A panel a dataset: the mean of each attack against `x`, with 95% intervals over targets.

    Where rows have a unit of privacy, noise for a user's day has hollow markers and no line.
    """
    units = "unit" in rows
    names = list(rows["data"].unique())
    size = (6.2, 1.8 * len(names) + 1.1)
    figure, axes = plt.subplots(len(names), 1, figsize=size, sharex=True, squeeze=False)
    for ax, name in zip(axes[:, 0], names, strict=True):
        own = rows[rows["data"] == name]
        for unit, part in own.groupby("unit", sort=False) if units else [("", own)]:
            found = summaries.means(part, ["attack", x], what)
            for attack in ATTACKS:
                if attack in found.index.get_level_values("attack"):
                    _line(ax, found.loc[attack], attack, str(unit))
        _guess(ax)
        ax.set(title=figures.label(name), ylabel=f"mean {what}", xscale=scale, ylim=(0.42, 1.03))
    at = sorted(rows[x].unique())
    if scale == "linear" or len(at) < 8:
        axes[-1, 0].set_xticks(at, [f"{each:g}" for each in at])
    axes[-1, 0].minorticks_off()
    axes[-1, 0].set_xlabel(xlabel)
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, fontsize=10)
    plt.show()


def _line(ax: Any, found: Any, attack: str, unit: str) -> None:
    found = found.sort_index()
    spread = [found["mean"] - found["95% low"], found["95% high"] - found["mean"]]
    drawn = look(attack) | {"capsize": 3}
    if unit:
        drawn["label"] = f"{attack}, {'visit' if unit == 'event' else 'day'}"
    if unit == "user-day":
        drawn |= {"markerfacecolor": "white", "linestyle": ""}
    ax.errorbar(found.index.astype(float), found["mean"], yerr=spread, **drawn)


def show_pairs(games: pd.DataFrame, note: str = "") -> None:
    """AUC against the budget, of both attackers, trained on pairs and on independent groups."""
    figure, ax = plt.subplots(figsize=(6, 3.6))
    found = summaries.means(games, ["attacker", "groups", "epsilon"], "AUC")
    for (attacker, groups), rows in found.groupby(level=["attacker", "groups"], sort=False):
        at = rows.index.get_level_values("epsilon")
        spread = [rows["mean"] - rows["95% low"], rows["95% high"] - rows["mean"]]
        drawn = look(str(attacker)) | {"label": f"{attacker}, {groups}", "capsize": 3}
        if groups == "independent":
            drawn |= {"linestyle": ":", "markerfacecolor": "white"}
        ax.errorbar(at, rows["mean"], yerr=spread, **drawn)
    _guess(ax)
    ax.set(
        xlabel="ε of a user's day" + note,
        ylabel="mean AUC",
        title=figures.label(games["data"].iloc[0]),
    )
    handles = ax.get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2, fontsize=10)
    plt.show()


def show_sizes(games: pd.DataFrame, attack: str = "ZK") -> None:
    """Mean AUC of an attack against the size of the group: a line a release, a panel a dataset."""
    names = list(games["data"].unique())
    size = (6, 2.4 * len(names) + 0.6)
    figure, axes = plt.subplots(len(names), 1, figsize=size, sharex=True, squeeze=False)
    for ax, name in zip(axes[:, 0], names, strict=True):
        own = games[(games["data"] == name) & (games["attacker"] == attack)]
        for release, rows in own.groupby("release", sort=False):
            found = summaries.means(rows, ["m"], "AUC")
            spread = [found["mean"] - found["95% low"], found["95% high"] - found["mean"]]
            ax.errorbar(
                found.index,
                found["mean"],
                yerr=spread,
                capsize=3,
                label=str(release).replace("epsilon", "ε"),
            )
        _guess(ax)
        ax.set(ylabel=f"mean AUC of {attack}", xscale="log", title=figures.label(name))
    at = sorted(games["m"].unique())
    axes[-1, 0].set_xticks(at, [str(each) for each in at], rotation=45)
    axes[-1, 0].minorticks_off()
    axes[-1, 0].set_xlabel("users in a group")
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, fontsize=10)
    plt.show()


def show_prices(
    found: Any, names: Sequence[str], note: str = "", flat: Mapping[str, float] | None = None
) -> None:
    """The best attack's mean AUC against the share of counts moved: a panel a dataset.

    flat  dataset -> the share that is moved if all cells are released alike
    """
    drawn = {
        "suppressed": ("suppressed", "o", COLORS[1]),
        "event": ("noise: visit", "s", COLORS[2]),
        "user-day": ("day", "^", COLORS[0]),
        "user": ("whole user", "D", COLORS[3]),
    }
    size = (6.2, 2.4 * len(names) + 0.9)
    figure, axes = plt.subplots(len(names), 1, figsize=size, sharex=True, squeeze=False)
    for ax, name in zip(axes[:, 0], names, strict=True):
        for unit, (label, marker, color) in drawn.items():
            rows = found.loc[(name, unit)]
            spread = [rows["mean"] - rows["95% low"], rows["95% high"] - rows["mean"]]
            ax.errorbar(
                rows["cells moved"],
                rows["mean"],
                yerr=spread,
                marker=marker,
                color=color,
                capsize=3,
                linestyle="",
                label=label,
            )
        for offer, (right, up) in _beside(found.loc[name]["cells moved"]).items():
            row = found.loc[(name, *offer)]
            ax.annotate(
                called(*offer).replace(", ε =", ""),
                (row["cells moved"], row["mean"]),
                (right, up),
                textcoords="offset points",
                fontsize=9,
                color=drawn[offer[0]][2],
                ha="left" if right > 0 else "right",
            )
        if flat:
            ax.axvline(
                flat[name],
                color="#777777",
                linewidth=1,
                linestyle="--",
                marker="",
                zorder=0,
                label="all cells alike",
            )
        _guess(ax)
        ax.set(
            title=figures.label(name),
            ylabel="AUC of the best",
            ylim=(0.42, 1.03),
            xlim=(-0.05, 1.08),
        )
    axes[-1, 0].set_xlabel("share of the counts that is in the wrong cell" + note)
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, fontsize=10)
    plt.show()


def _beside(moved: Any) -> dict[tuple[str, float], tuple[int, int]]:
    """Where a word stands beside its point; of the two for a user, the left one's to the left."""
    two = sorted((offer for offer in BESIDE if offer[0] == "user"), key=lambda o: moved.loc[o])
    sides = sorted(BESIDE[offer] for offer in two)
    return BESIDE | dict(zip(two, sides, strict=True))


def _guess(ax: Any) -> None:
    ax.axhline(0.5, color="black", linewidth=1, linestyle=":", marker="")

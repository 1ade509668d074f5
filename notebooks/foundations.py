# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # From records to releases
#
# Phones, fare cards and taxis leave records: who, where, when. Published statistics seldom contain
# them; they contain *counts*, how many people were in each place in each hour. This chapter builds
# such counts step by step, first from six invented people, then from real flights, and shows that a
# count is not yet a protection.
#
# After it you can
#
# - turn a table of records into traces, groups, aggregates and releases, and say what each one is;
# - tell what an attacker who holds the counts knows, and what else she might know;
# - measure how *regular* a population is, and say why the five papers of this book care;
# - read AUC, privacy loss and privacy gain, each with an interval.

# %% tags=["parameters", "remove-cell"]
# fmt: off
datasets: list[str] = ["flights-by-number", "flights-by-tail"]  # one of flights-by-number|flights-by-tail|cabspotting|commuters|cabs|six-users
path: str = ""  # file or folder with Cabspotting; if empty, looked for in the data folder
records: str = ""  # file of your own records (CSV or TSV); takes the place of the datasets
columns: dict[str, str] = {}  # which of your columns is user, time, and roi or lat and lon
lag: str = "7D"  # how much later the same place and hour counts as a repeat, such as 1D or 7D
group_sizes: list[int] = [10, 30, 100]  # users in an aggregate; 2..pool
n_groups: int = 200  # aggregates for each target, half with her, an even number; 20..100000
n_targets: int = 20  # users attacked, drawn at random; 2..pool
epsilons: list[float] = [0.1, 1.0, 10.0]  # privacy budget of one visit; 0.001..1000
seed: int = 2013  # seed of everything random here; 0..
# fmt: on

# %% [markdown]
# ## The question, and who knows what
#
# A **data holder** has everybody's records and publishes counts. An **attacker** reads the counts.
# The five papers differ in what she knows besides, and in what she wants:
#
# | paper | she also knows | she wants to learn |
# |---|---|---|
# | Knock-Knock {cite:p}`pyrgelis2018knock` | other people's traces, or past groups | is this person in the counts? |
# | Zero Auxiliary Knowledge {cite:p}`guan2024zero` | only (part of) her target's trace | is this person in the counts? |
# | Aggregation privacy {cite:p}`pyrgelis2017crowd` | the target's habits; that she is counted | where was she, when? |
# | Fano loss {cite:p}`fanoloss` | how people move in general | as much of a path as possible |
# | Threshold attacks {cite:p}`threshold2024` | the target's trace; all or some of the others' | is this person in the counts? |
#
# The words are the same in every chapter: see [](notation.md).

# %% [markdown]
# ## Six users
#
# The smallest example that shows everything: six invented people, four places, four hours on each
# of two days. The same six return in every chapter.

# %%
from lib.datasets import load

six = load("six-users")
six

# %% [markdown]
# Here is one of them. Rows are places, columns are hours; 1 means that she was there. This 0/1
# matrix is her **trace**.

# %%
import pandas as pd

hours = [f"{epoch:%a %H}h" for epoch in six.epochs]
ada = pd.DataFrame(six.trace("Ada"), index=list(six.rois.index), columns=hours)
ada

# %% [markdown]
# And here are all six, with the sum over them. Look at Monday against Tuesday: three people did the
# same on both days, three did not.

# %% mystnb={"image": {"alt": "Seven small grids of places by hours: the traces of Ada, Ben, Cleo, Dan, Eve and Fay, and their sum. Ada, Ben and Cleo repeat Monday on Tuesday; the sum holds counts from 0 to 4."}} tags=["hide-input"]
import matplotlib.pyplot as plt
from lib import plots
from lib.aggregation import aggregate

plots.use_style()
counts = aggregate(six, [range(6)])[0]
names = list(six.users)
layout = [names[0:2], names[2:4], names[4:6], ["sum", "sum"]]
figure, axes = plt.subplot_mosaic(layout, figsize=(6, 8))
for user in names:
    plots.show_counts(axes[user], six.trace(user), list(six.rois.index), hours)
    axes[user].set_title(user)
    axes[user].set_xticks(range(len(hours)), [])
plots.show_counts(axes["sum"], counts, list(six.rois.index), hours)
axes["sum"].set_title("all six: the aggregate")
plt.show()

# %%
plots.show_table(
    pd.DataFrame(counts, index=six.rois.index, columns=hours), "six-aggregate"
)

# %% [markdown]
# ### Is a sum a protection?
#
# Suppose that the attacker knows the traces of everybody but Ada, and reads the sum. She subtracts.

# %%
import numpy as np

others = aggregate(six, [[1, 2, 3, 4, 5]])[0]
difference = counts - others
print("what is left is Ada's trace:", np.array_equal(difference, six.trace("Ada")))

# %% [markdown]
# So a raw count hides a person only from those who do not know the others. Most attacks in this
# book work with less: not everybody's trace, but a few, or only the target's own, or only habits.
#
# ### Noise
#
# The usual defense adds noise to every count. The published **release** below has Laplace noise with
# a budget of $\varepsilon = 1$ for each visit, rounded and kept between 0 and six.

# %%
from lib.mechanisms import Laplace, PostProcess, release

rng = np.random.default_rng(seed)
noisy = release(six, [range(6)], [Laplace(epsilon=1.0), PostProcess()], rng)[0]
plots.show_table(
    pd.DataFrame(noisy, index=six.rois.index, columns=hours), "six-release"
)

# %% [markdown]
# Subtracting no longer gives Ada's trace. But it does not give nothing: on average over all noise, the
# difference in a cell that she visited is higher by almost one (clipping takes the rest). One cell says
# little; a person with many visits gives the attacker many cells to add up. How much that is worth is
# what the book is about. In this one release:

# %%
score_of_ada = (noisy - others)[six.trace("Ada") == 1].mean()
score_elsewhere = (noisy - others)[six.trace("Ada") == 0].mean()
print(
    f"mean difference in Ada's cells: {score_of_ada:.3f}, in the others: {score_elsewhere:.3f}"
)

# %% [markdown]
# ## Definitions
#
# ````{prf:definition} Trace
# :label: def-trace
# Let $S$ be a set of regions of interest (ROIs) and $T$ a set of epochs, usually hours. The trace of
# user $u$ is the matrix $L^u \in \{0, 1\}^{S \times T}$ with $L^u_{s,t} = 1$ if $u$ was in $s$ at some
# time during $t$. A pair $(s, t)$ is a *cell*; the cells where $L^u$ is 1 are the user's *visits*.
# ````
#
# In code, `Traces` keeps all users in one sparse matrix, a row a user, a column a cell, and never
# stores the zeros.

# %%
print(type(six.matrix).__name__, six.matrix.shape, "with", six.matrix.nnz, "visits")
cell = list(six.rois.index).index("office") * six.n_epochs + 2
print(
    "users in the office on Monday at 12:",
    list(six.users[six.matrix[:, [cell]].toarray()[:, 0] == 1]),
)

# %% [markdown]
# ````{prf:definition} Aggregate
# :label: def-aggregate
# The aggregate of a group $U$ of $m$ users is $A^U = \sum_{u \in U} L^u$: in each cell, the number of
# users of $U$ who visited it, a whole number from 0 to $m$.
# ````
#
# A group is a list of positions, and `aggregate` counts any number of groups at once.

# %%
aggregate(six, [[0, 1, 2], [3, 4, 5]])[:, :, :2]

# %% [markdown]
# ````{prf:definition} Release, and its privacy unit
# :label: def-release
# A release $\bar A = M(A)$ is what a randomized mechanism $M$ makes of an aggregate. $M$ is
# $\varepsilon$-*differentially private* if for all neighbouring inputs $A, A'$ and all sets $R$ of
# releases $\Pr[M(A) \in R] \le e^{\varepsilon} \Pr[M(A') \in R]$. Which inputs are *neighbours* is the
# **privacy unit**: at the *event* level they differ in one visit, at the *user* level in one whole trace.
# ````
#
# Laplace noise of scale $\Delta / \varepsilon$ is $\varepsilon$-DP if neighbours differ by at most
# $\Delta$ in the sum of absolute differences. An event has $\Delta = 1$. A user has as many as she has
# visits, so the same $\varepsilon$ costs far more noise, or the same noise is worth far less:

# %%
most = int(six.visits().max())
event_level, user_level = Laplace(epsilon=1.0), Laplace(epsilon=1.0, sensitivity=most)
print(
    "noise scale for one visit:",
    event_level.scale,
    "- for a whole trace:",
    user_level.scale,
)

# %% [markdown]
# ## Real traces: flights
#
# Data on people cannot be shipped with a book. Flights can: every flight out of New York City in 2013
# is public. A flight visits its origin in its departure hour and its destination in its arrival hour.
# Whom we call a user makes one package two datasets over the same airports and the same four weeks:
#
# - **by flight number**, a line of the timetable, such as UA1545: it returns every week, like a commuter;
# - **by tail number**, an aircraft, such as N14228: it goes where it is needed, like a cab.
#
# The "users" are flights and aircraft, not people; the attacks do not know the difference.

# %%
if records:
    populations = {"records": load("records", path=records, columns=columns or None)}
else:
    options = {"cabspotting": {"path": path or None}}
    populations = {name: load(name, **options.get(name, {})) for name in datasets}

# %%
from lib.datasets import overview

plots.show_table(overview(populations), "data")

# %% [markdown]
# Nothing is dropped in silence: a loader says what became of every row. Flights have two sightings
# each, and both datasets have been cut to the same number of users, drawn at random.

# %%
reports = {
    name: traces.report.to_frame()["rows"]
    for name, traces in populations.items()
    if traces.report
}
plots.show_table(pd.DataFrame(reports).fillna(0).astype(int), "rows")

# %% [markdown]
# The papers describe their datasets by a few statistics of their users. Here are ours.

# %%
summary = pd.concat(
    {name: traces.summary() for name, traces in populations.items()}, names=["data"]
)
plots.show_table(summary, "summary")

# %% [markdown]
# Both are *sparse*: almost all counts of an aggregate are zero, even when everybody is in it.

# %%
density = pd.DataFrame(
    {
        "cells": {name: t.n_rois * t.n_epochs for name, t in populations.items()},
        "visited by a user (share)": {
            name: t.visits().mean() / (t.n_rois * t.n_epochs)
            for name, t in populations.items()
        },
        "visited by anybody (share)": {
            name: float((t.matrix.sum(axis=0) > 0).mean())
            for name, t in populations.items()
        },
    }
)
plots.show_table(density, "density")

# %% [markdown]
# ### A week of counts
#
# What a statistics office would publish: visits in each hour, over all users and places.

# %% mystnb={"image": {"alt": "Line chart of visits per hour over the first week of each dataset: a daily rhythm with quiet nights."}} tags=["hide-input"]
figure, ax = plt.subplots()
first_week = {}
for name, traces in populations.items():
    hourly = pd.Series(traces.active().sum(axis=0), traces.epochs)
    first_week[name] = hourly[hourly.index < hourly.index[0] + pd.Timedelta("7D")]
    days = (first_week[name].index - first_week[name].index[0]) / pd.Timedelta("1D")
    ax.plot(days, first_week[name], label=name, marker="")
ax.set(xlabel="days since the first epoch", ylabel="visits in an hour", ylim=(0, None))
ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.17), ncols=2)
plt.show()

# %%
by_day = pd.DataFrame(
    {
        n: hourly.groupby((hourly.index - hourly.index[0]).days + 1).sum()
        for n, hourly in first_week.items()
    }
)
plots.show_table(by_day.rename_axis("day"), "visits-by-day")

# %% [markdown]
# ## Regular and irregular, measured
#
# The papers say that commuters are *regular* and cabs are not, and that this decides how much an
# attacker learns. They argue with the word; we put the plainest number on it, for each user:
#
# ````{prf:definition} Recurrence
# :label: def-recurrence
# The recurrence of a user at lag $\ell$ is the share of her visits $(s, t)$, among those with
# $t + \ell$ still in the window, for which she visits $(s, t + \ell)$ too.
# ````
#
# 1 is a timetable; 0 is never twice the same place at the same hour. The six users first, at a lag
# of one day:

# %%
plots.show_table(six.recurrence("1D").to_frame(), "six-recurrence")

# %% [markdown]
# Then the data, a week apart, with 95% intervals over users.

# %%
from lib.metrics import mean_table

recurrence = {name: traces.recurrence(lag) for name, traces in populations.items()}
plots.show_table(mean_table(recurrence, ["data"]), "recurrence")

# %% mystnb={"image": {"alt": "Cumulative distribution of per-user recurrence. Flight numbers lie mostly between 0.6 and 0.8, tail numbers almost all near 0."}} tags=["hide-input"]
figure, ax = plt.subplots()
for name, r in recurrence.items():
    ax.step(
        np.sort(r.dropna()),
        np.linspace(0, 1, r.notna().sum()),
        where="post",
        label=name,
        marker="",
    )
ax.set(
    xlabel=f"recurrence at lag {lag}",
    ylabel="share of users at or below",
    xlim=(-0.02, 1.02),
)
ax.legend(loc="lower right")
plt.show()

# %%
quantiles = pd.DataFrame(
    {name: r.quantile([0.1, 0.25, 0.5, 0.75, 0.9]) for name, r in recurrence.items()}
)
plots.show_table(quantiles.rename_axis("quantile of users"), "recurrence-quantiles")

# %% [markdown]
# ### Why a timetable does not score 1
#
# The mean hides a small story. Epochs are hours UTC; a timetable is written in local time, and on
# Sunday 10 March 2013 New York's clocks went forward. Whoever leaves at 8 every Monday leaves at 13
# UTC in the first week and at 12 UTC in the others. Week by week:


# %%
def week_to_week(traces):
    """Each user's recurrence from each week of the window to the next."""
    starts = pd.date_range(traces.epochs[0], traces.epochs[-1], freq="7D")[:-1]
    return {
        f"{week} to {week + 1}": traces.between(
            start, start + pd.Timedelta("14D")
        ).recurrence("7D")
        for week, start in enumerate(starts, start=1)
    }


# %%
weekly = {
    (name, weeks): values
    for name, traces in populations.items()
    for weeks, values in week_to_week(traces).items()
}
if weekly:
    plots.show_table(mean_table(weekly, ["data", "weeks"]), "recurrence-weeks")

# %% [markdown]
# An attacker who trained on the first week would meet a shifted world in the second. That is no
# artefact to be cleaned away: any release that counts in UTC has it. And delays blur what is left; with
# actual instead of scheduled hours the same flights are much less regular (unless the data are your own):

# %%
delays = {}
for name in recurrence:
    if name.startswith("flights"):
        delays[name, "scheduled"] = recurrence[name]
        delays[name, "actual"] = load(name, times="actual").recurrence(lag)
if delays:
    plots.show_table(mean_table(delays, ["data", "hours"]), "recurrence-delays")

# %% [markdown]
# ## What a release costs
#
# Noise of scale $1 / \varepsilon$ protects one visit; noise of scale $\Delta / \varepsilon$, with $\Delta$ the
# most visits any user has, protects a whole user. The error below is the mean absolute difference between
# release and count over the cells that somebody visited, for groups of the largest size, noise rounded
# and clipped. Compare it with the mean count of those cells. Intervals are over 20 groups.

# %%
from lib.aggregation import sample_groups


def release_errors(raw, epsilon, sensitivity, group_size, rng):
    """Each group's mean absolute error over its visited cells, in users."""
    released = release(
        raw, [Laplace(epsilon, sensitivity), PostProcess()], rng, group_size
    )
    return [np.abs(r - a)[a > 0].mean() for r, a in zip(released, raw, strict=True)]


# %%
rows = {}
streams = np.random.SeedSequence(seed).spawn(len(populations))
for (name, traces), stream in zip(populations.items(), streams, strict=True):
    rng = np.random.default_rng(stream)
    size = min(max(group_sizes), traces.n_users)
    raw = aggregate(traces, sample_groups(np.arange(traces.n_users), 20, size, rng))
    rows[name, "mean count", ""] = [a[a > 0].mean() for a in raw]
    for epsilon in epsilons:
        rows[name, "error, a visit protected", epsilon] = release_errors(
            raw, epsilon, 1.0, size, rng
        )
    for epsilon in epsilons:
        most = float(traces.visits().max())
        rows[name, "error, a user protected", epsilon] = release_errors(
            raw, epsilon, most, size, rng
        )

# %%
plots.show_table(mean_table(rows, ["data", "", "epsilon"]), "release-error")

# %% [markdown]
# Protecting a user costs an error of many times the count, unless $\varepsilon$ is so large that it
# promises little. That is the tension every paper of this book works in: what is affordable protects
# little, and what protects is unaffordable.

# %% [markdown]
# ## A first attack, and how attacks are scored
#
# The membership game: a coin decides whether the target $u^*$ is in a group of $m$ users; the attacker
# sees the release, knows the target's trace, and says how likely it is that she is in. The simplest
# score needs no training at all: **add the released counts over the target's cells**.

# %%
from lib.aggregation import aggregate_cells, sample_member_groups


def play(traces, target, group_size, mechanisms, rng):
    """Members (0/1) and scores of the sum attack on fresh groups, half of them with the target."""
    groups, members = sample_member_groups(
        np.arange(traces.n_users), target, n_groups, group_size, rng
    )
    counts = aggregate_cells(traces, groups, traces.matrix[[target]].indices)
    return members, release(counts, mechanisms, rng, group_size).sum(axis=1)


# %% [markdown]
# One target, one group size. `auc` is the chance that a group with her scores above a group without
# her: 1/2 is guessing. The privacy loss rescales it, $2\,(\mathrm{AUC} - 1/2)$ and never below 0. The last
# row asks what a *cautious* attacker gets who may accuse wrongly one time in ten.

# %%
from lib import metrics

name, traces = next(iter(populations.items()))
rng = np.random.default_rng(seed)
target = int(rng.choice(np.flatnonzero(traces.visits() > 0)))
size = max(group_sizes)
members, scores = play(traces, target, size, [], rng)
value = metrics.auc(members, scores)
one = {
    "AUC": [value, *metrics.auc_interval(members, scores)],
    "privacy loss": [
        metrics.privacy_loss(value),
        *metrics.privacy_loss_interval(members, scores),
    ],
    "TPR at 10% FPR": [
        metrics.tpr_at_fpr(members, scores, 0.1),
        *metrics.tpr_at_fpr_interval(members, scores, 0.1),
    ],
}
one = pd.DataFrame(one, index=["value", "95% low", "95% high"]).T
print(f"user {traces.users[target]} of {name}, groups of {size}, {n_groups} groups")
plots.show_table(one, "one-target")

# %% [markdown]
# Now many targets and all group sizes, raw counts and noisy ones (event level, the middle
# $\varepsilon$). Each target has her own random stream, so that any one of them can be re-run alone.
# Intervals are over targets.

# %%
from tqdm import tqdm

releases = {"raw": [], "noisy": [Laplace(sorted(epsilons)[len(epsilons) // 2])]}
aucs = {}
for name, traces in populations.items():
    movers = np.flatnonzero(traces.visits() > 0)
    targets = np.random.default_rng(seed).choice(
        movers, min(n_targets, len(movers)), replace=False
    )
    streams = np.random.SeedSequence([seed, 1]).spawn(len(targets))
    for target, stream in zip(tqdm(targets, desc=name), streams, strict=True):
        for size in group_sizes:
            for kind, mechanisms in releases.items():
                game = play(
                    traces, target, size, mechanisms, np.random.default_rng(stream)
                )
                aucs.setdefault((name, kind, size), []).append(metrics.auc(*game))

# %%
attack = mean_table(aucs, ["data", "release", "group size"])
attack["mean privacy loss"] = [
    metrics.privacy_loss(each).mean() for each in aucs.values()
]
plots.show_table(attack, "sum-attack")

# %% mystnb={"image": {"alt": "Mean AUC of the sum attack against group size for each dataset, raw and noisy, with intervals: it falls with group size and with noise."}} tags=["hide-input"]
figure, ax = plt.subplots()
for (name, kind), rows in attack.groupby(level=[0, 1], sort=False):
    sizes = rows.index.get_level_values("group size")
    spread = [rows["mean"] - rows["95% low"], rows["95% high"] - rows["mean"]]
    ax.errorbar(sizes, rows["mean"], yerr=spread, capsize=4, label=f"{name}, {kind}")
ax.axhline(0.5, color="black", linewidth=1, linestyle=":", marker="")
ax.set(xlabel="users in the group", ylabel="mean AUC over targets", xscale="log")
ax.set_xticks(group_sizes, [str(size) for size in group_sizes])
ax.legend(
    loc="upper center", bbox_to_anchor=(0.5, 1.35), ncols=1 + (len(populations) > 1)
)
plt.show()

# %% [markdown]
# Without any training, and knowing nobody but her target, this attacker does far better than guessing.
# Larger groups help, and so does noise. The privacy *gain* says how much of the attack's advantage
# the noise took away, target by target (0 nothing, 1 all of it):

# %%
gains = {
    (name, size): metrics.privacy_gain(
        aucs[name, "raw", size], aucs[name, "noisy", size]
    )
    for name in populations
    for size in group_sizes
}
plots.show_table(mean_table(gains, ["data", "group size"]), "privacy-gain")

# %% [markdown]
# ## With the real cabs
#
# Where a reader has the papers' taxi data (Cabspotting, 534 cabs, three weeks), `make paper` runs this chapter
# on them too, with more targets and groups. These tables were kept from such a run.

# %% tags=["hide-input"]
from pathlib import Path

kept = Path("paper/foundations/tables")
if kept.exists():
    plots.display_table(pd.read_csv(kept / "summary.csv", index_col=[0, 1]))
    plots.display_table(pd.read_csv(kept / "recurrence.csv", index_col=0))
    plots.display_table(pd.read_csv(kept / "sum-attack.csv", index_col=[0, 1, 2]))

# %% [markdown]
# Cabs recur more often than aircraft although they follow no timetable: a cab that is in most downtown cells
# in most of its hours repeats cells by chance. Recurrence therefore means little without density beside it.
# And the counts in dense data are large, so that noise meant for one visit hardly shows in them.

# %% [markdown]
# ## Take-aways
#
# - Records become **traces** (who was where, when: 0 or 1), traces become **aggregates** (counts over a
#   group), aggregates become **releases** (what is published).
# - A raw count hides nobody from an attacker who knows the others, and even an attacker who knows only
#   her target's trace does well against small groups.
# - Noise that protects one visit is cheap; noise that protects a person costs as much more as she has visits.
# - **Regularity** is a number here: the share of visits that repeat a week later. Flight numbers and tail
#   numbers give the same airports, hours and number of users with very different values of it, so that the
#   next chapters can ask what regularity alone does to privacy.
# - Hours need a time zone. A one-hour shift of the clocks is enough to make one week look unlike the next.
#
# ## Exercises
#
# ```{exercise} Who is left out?
# :label: foundations-left-out
# The attacker reads the six users' aggregate, and she knows that one of the six was left out of it:
# `aggregate(six, [[0, 1, 2, 3, 5]])`. She knows all six traces. Who was left out?
# ```

# %% [markdown]
# ````{solution-start} foundations-left-out
# :class: dropdown
# ````

# %%
published = aggregate(six, [[0, 1, 2, 3, 5]])[0]
for user in six.users:
    without = sum(six.trace(other) for other in six.users if other != user)
    if np.array_equal(published, without):
        print("left out:", user)

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Indistinguishable users
# :label: foundations-twins
# Which pairs of the six users could never be told apart from any aggregate, and why?
# ```

# %% [markdown]
# ````{solution-start} foundations-twins
# :class: dropdown
# ````

# %%
from itertools import combinations

for first, second in combinations(six.users, 2):
    if np.array_equal(six.trace(first), six.trace(second)):
        print(first, "and", second, "have the same trace")

# %% [markdown]
# Aggregates are sums of traces, so users with equal traces can be exchanged without changing any.
# In large data such twins are rare: a handful of places and hours singles a person out.
#
# ````{solution-end}
# ````
#
# ```{exercise} The price of a person
# :label: foundations-price
# By how much must $\varepsilon$ grow so that user-level noise is as small as event-level noise at
# $\varepsilon = 1$? Compute it for the first dataset of this chapter. What is such a promise worth?
# ```

# %% [markdown]
# ````{solution-start} foundations-price
# :class: dropdown
# ````

# %%
name, traces = next(iter(populations.items()))
most = int(traces.visits().max())
print(
    f"{name}: epsilon = {most}, a likelihood ratio of up to e^{most} = {np.exp(float(most)):.3g}"
)

# %% [markdown]
# As many times as the busiest user has visits. A likelihood ratio of that size promises nothing
# about the busiest user; users with fewer visits are protected better, each by her own number.
#
# ````{solution-end}
# ````
#
# ```{exercise} Suppression instead of noise
# :label: foundations-suppression
# Some offices publish no noise but replace small counts with 0. Replay the sum attack on the first
# dataset, smallest group, with `SuppressSmallCounts(1)`. Does it help? Explain with the density table.
# ```

# %% [markdown]
# ````{solution-start} foundations-suppression
# :class: dropdown
# ````

# %%
from lib.mechanisms import SuppressSmallCounts

rng = np.random.default_rng(seed)
target = int(rng.choice(np.flatnonzero(traces.visits() > 0)))
for label, mechanisms in (
    ("raw", []),
    ("counts of 0 and 1 hidden", [SuppressSmallCounts(1)]),
):
    members, scores = play(
        traces, target, min(group_sizes), mechanisms, np.random.default_rng(seed)
    )
    low, high = metrics.auc_interval(members, scores)
    print(
        f"{label}: AUC {metrics.auc(members, scores):.3f}, 95% from {low:.3f} to {high:.3f}"
    )

# %% [markdown]
# In sparse data most of the target's cells hold only her, so hiding ones hides most of what she
# adds; what remains are the cells she shares. Larger groups and denser data leave more.
#
# ````{solution-end}
# ````
#
# ```{exercise} Half a trace
# :label: foundations-half
# The attacker knows only half of her target's visits, chosen at random. How much worse is the sum
# attack, for the same target and groups?
# ```

# %% [markdown]
# ````{solution-start} foundations-half
# :class: dropdown
# ````

# %%
rng = np.random.default_rng(seed)
groups, members = sample_member_groups(
    np.arange(traces.n_users), target, n_groups, min(group_sizes), rng
)
counts = aggregate(traces, groups)
known = np.argwhere(traces.trace(traces.users[target]))
for share in (1.0, 0.5, 0.1):
    some = rng.permutation(known)[: max(1, round(share * len(known)))]
    scores = counts[:, some[:, 0], some[:, 1]].sum(axis=1)
    low, high = metrics.auc_interval(members, scores)
    print(
        f"{len(some)} of {len(known)} visits known: AUC {metrics.auc(members, scores):.3f}, 95% from {low:.3f} to {high:.3f}"
    )

# %% [markdown]
# With raw counts and small groups, a few visits already decide; noise makes the others matter.
#
# ````{solution-end}
# ````
#
# ```{exercise} Daylight saving
# :label: foundations-daylight
# Show that the drop in recurrence from the first to the second week is the clocks' doing: compare the
# first week, moved by one hour, with the second. (Flights by number, whatever the chapter ran on.)
# ```

# %% [markdown]
# ````{solution-start} foundations-daylight
# :class: dropdown
# ````

# %%
by_number = load("flights-by-number")
two_weeks = by_number.between(
    "2013-03-04", "2013-03-17"
)  # Sunday the 10th has the new time already
for lag_hours in (168, 167):
    r = two_weeks.recurrence(f"{lag_hours}h")
    low, high = metrics.mean_interval(r)
    print(
        f"{lag_hours} hours later: recurrence {r.mean():.3f}, 95% from {low:.3f} to {high:.3f}"
    )

# %% [markdown]
# A week later by the clock is 167 hours later in UTC. (Not quite 1 even so: flights are cancelled,
# timetables change, and some destinations keep their clocks as they are.)
#
# ````{solution-end}
# ````

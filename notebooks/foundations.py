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
# A city publishes how many people were at the station on Monday at eight: *four*. No name, no number plate, just
# a four. Is anybody in danger from it? The five papers of this book say: sometimes, and they can say how much. This
# chapter has what all of them start from. First by hand, with six invented people; then with thousands of real
# flights. After it you can
#
# - make a trace, an aggregate and a release, and say what each one still tells about a person;
# - say what noise protects, one visit or a whole person, and what that costs;
# - run an attack, and read its histogram, its ROC curve, its AUC and what a cautious attacker gets.

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-number", "flights-by-tail"]
path = ""
records = ""
columns = {}
lag = "7D"
group_sizes = [10, 30, 100]
n_groups = 200
n_targets = 20
epsilons = [0.1, 1.0, 10.0]
seed = 2013

# %% [markdown]
# ## Who knows what, and wants what
#
# Somebody, the **data holder**, has everybody's records and publishes counts. Somebody else, the **attacker**,
# reads the counts. The five papers differ in what she knows besides, and in what she wants:
#
# | paper | she also knows | she asks |
# |---|---|---|
# | Knock-Knock {cite:p}`pyrgelis2018knock` | other people's traces, or past counts | is Dan in these counts? |
# | Zero Auxiliary Knowledge {cite:p}`guan2024zero` | only Dan's trace, or a part of it | is Dan in these counts? |
# | Aggregation privacy {cite:p}`pyrgelis2017crowd` | Dan's habits, and that he is counted | where was Dan, and when? |
# | Fano loss {cite:p}`fanoloss` | how people move, and all the others' traces | which way did Dan go? |
# | Threshold attacks {cite:p}`threshold2024` | Dan's trace; all or some of the others' | is Dan in these counts? |

# %% [markdown]
# ## Six people
#
# Ada, Ben, Cleo, Dan, Eve and Fay move between four places, in four hours of each of two days. They will return in
# every chapter.

# %%
from lib.datasets import load

six = load("six-users")
six

# %% [markdown]
# Here is where Ada was. A row is a place, a column is an hour, and 1 means that she was there.

# %%
import pandas as pd

hours = [f"{epoch:%a %H}h" for epoch in six.epochs]
pd.DataFrame(six.trace("Ada"), list(six.rois.index), hours)

# %% [markdown]
# ````{prf:definition} Trace
# :label: def-trace
# Let $S$ be a set of places (*regions of interest*, ROIs) and $T$ a set of *epochs*, usually hours. The **trace** of
# user $u$ is the matrix $L^u \in \{0, 1\}^{S \times T}$ with $L^u_{s,t} = 1$ if $u$ was in $s$ during $t$. A pair
# $(s, t)$ is a *cell*. The cells where $L^u$ is 1 are the user's *visits*.
# ````
#
# A count is a sum of traces. That is all that is ever published in this book:
#
# ````{prf:definition} Aggregate
# :label: def-aggregate
# The **aggregate** of a group $U$ of $m$ users is $A^U = \sum_{u \in U} L^u$. In each cell stands how many of the
# group were there, a whole number from 0 to $m$.
# ````

# %%
from lib import plots
from lib.aggregation import aggregate

counts = aggregate(six, [range(6)])[0]
plots.show_table(pd.DataFrame(counts, list(six.rois.index), hours), "six-aggregate")

# %% mystnb={"figure": {"name": "fig-six", "caption": "The traces of six people, and their sum. See that Ada, Ben and Cleo do the same on both days and the other three do not, and that the sum does not say who is who."}, "image": {"alt": "Seven small grids of places by hours: the traces of Ada, Ben, Cleo, Dan, Eve and Fay, and their sum. Ada, Ben and Cleo repeat Monday on Tuesday; the sum holds counts from 0 to 4."}} tags=["hide-input"]
from lib.plots import foundations as figures

plots.use_style()
figures.show_six(six, hours)

# %% [markdown]
# ## Is a sum a protection?
#
# Suppose that the attacker knows where everybody but Dan was. She reads the sum, and subtracts:

# %%
others = aggregate(six, [[0, 1, 2, 4, 5]])[0]
counts - others

# %%
print("This is Dan's trace:", (counts - others == six.trace("Dan")).all())

# %% [markdown]
# So a count hides Dan only from people who do not know the others. Most attackers in this book know less: a few of the
# others, or Dan's own trace, or only his habits. How little is enough?
#
# ## Noise, and what it protects
#
# The usual defense is to add random noise to every count before it is published, and to round the result and
# keep it between 0 and the group's size:

# %%
import numpy as np
from lib.mechanisms import Laplace, PostProcess, release

rng = np.random.default_rng(seed)
noisy = release(six, [range(6)], [Laplace(epsilon=1.0), PostProcess()], rng)[0]
noisy - others

# %% [markdown]
# Now the subtraction no longer gives Dan's trace. It does not give nothing, either: over many draws of the noise, what is
# left is higher by almost one in each of Dan's cells (rounding and clipping take the rest). One cell tells little; with many
# cells, the attacker can add up. Of this one draw:

# %%
left, dan = noisy - others, six.trace("Dan")
print(
    f"mean of what is left in Dan's cells {left[dan == 1].mean():.3f}, in all others",
    end=" ",
)
print(f"{left[dan == 0].mean():.3f}")

# %% [markdown]
#
# What is promised, then? *Differential privacy* promises that one change of the input changes the chances of every
# release little. Which change is meant must be said:
#
# ````{prf:definition} Release, and its unit of privacy
# :label: def-release
# A **release** $\bar A = M(A)$ is what a randomized *mechanism* $M$ makes of an aggregate. $M$ is $\varepsilon$-*differentially
# private* if for all *neighbouring* inputs $A, A'$ and all sets $R$ of releases
# $\Pr[M(A) \in R] \le e^{\varepsilon} \Pr[M(A') \in R]$. Which inputs are neighbours is the **unit of privacy**: inputs
# that differ in one visit (*event level*), or in one person's whole trace (*user level*).
# ````
#
# Laplace noise of scale $\Delta / \varepsilon$ keeps the promise if neighbours differ by at most $\Delta$, added up over all cells.
# One visit changes one count by 1, so $\Delta = 1$. A person changes as many counts as she has visits:

# %%
most = int(six.visits().max())
print("scale for one visit:     ", Laplace(epsilon=1.0).scale)
print("scale for a whole person:", Laplace(epsilon=1.0, sensitivity=most).scale)

# %% [markdown]
# The same $\varepsilon$ thus names two very different promises. Whenever you read "$\varepsilon = 1$", ask: for one *what*?
#
# ## Real traces: flights
#
# Traces of people cannot be shipped with a book. Flights can: every flight out of New York in 2013 is public. A flight
# visits its origin in the hour of departure and its destination in the hour of arrival. It depends on whom we call
# a user what we get, over the same airports and the same four weeks:
#
# - **by flight number**, a line of the timetable, such as UA1545: it comes back every week, like a commuter;
# - **by tail number**, an aircraft, such as N14228: it goes where it is needed, like a cab.
#
# The "users" are flights and aircraft, not people. The attacks do not know the difference.

# %%
from lib.datasets import accounts, described
from lib.studies import fitting

if records:
    populations = {"records": load("records", path=records, columns=columns or None)}
else:
    options = {"cabspotting": {"path": path or None}}
    called = fitting.called(datasets)
    populations = {
        name: load(file, **options.get(name, {})) for name, file in called.items()
    }
group_sizes = fitting.foundations(populations, group_sizes)

# %%
plots.show_table(described(populations), "data")

# %% [markdown]
# The data are *sparse*: a user visits hardly any of the cells, and most cells stay empty even when everybody is counted.
# Nothing was dropped in silence: a loader keeps account of every row that it read.

# %% tags=["hide-input", "hide-output"]
plots.show_if_any(accounts(populations), "rows", "Nothing was read from files.")

# %% [markdown]
# This is what a statistics office would publish of it:

# %% mystnb={"figure": {"name": "fig-week", "caption": "Visits in each hour of a week, everybody and all places together. See the rhythm of the day, nearly the same in both. Who comes back next week cannot be seen in it."}, "image": {"alt": "Line chart of visits per hour over the first week of each dataset: a daily rhythm with quiet nights."}} tags=["hide-input"]
figures.show_week(populations)

# %% [markdown]
# ## Regular or not?
#
# The papers say that commuters are *regular* and cabs are not, and that this decides how much an attacker can learn.
# Let us put a number on the word.
#
# ````{prf:definition} Recurrence
# :label: def-recurrence
# The **recurrence** of a user at lag $\ell$ is the share of her visits $(s, t)$, among those with $t + \ell$ still in the
# data, for which she visits $(s, t + \ell)$ too.
# ````
#
# 1 is a perfect timetable; 0 is never twice the same place at the same hour. Of our six, three repeat Monday on Tuesday:

# %%
six.recurrence("1D").round(2).to_dict()

# %% [markdown]
# And the flights, a week apart:

# %%
from lib.studies import foundations
from lib.summaries import bracketed, means

lasting = fitting.lasting(populations, lag)
if lasting:
    users = foundations.users(lasting, lag=lag)
    plots.show_table(bracketed(means(users, ["data"], "recurrence")), "recurrence")

# %% mystnb={"figure": {"name": "fig-recurrence", "caption": "How regular each user is. See that flight numbers and aircraft hardly overlap: the same airports, the same hours, as many users, and opposite habits."}, "image": {"alt": "Cumulative distribution of per-user recurrence. Flight numbers lie mostly between 0.6 and 0.8, tail numbers almost all near 0."}} tags=["hide-input"]
if lasting:
    figures.show_recurrence(users, lag)

# %% [markdown]
# ````{admonition} Why a timetable does not score 1
# :class: note
# Hours here are UTC; a timetable is written in local time, and on Sunday 10 March 2013 New York's clocks went forward. Who leaves
# every Monday at eight leaves at 13 UTC in the first week and at 12 UTC afterwards. An attacker who trained on the first week meets a
# shifted world in the second; the chapter on Knock-Knock will have to reckon with it. The table has the recurrence from each week to the next.
# ````

# %%
weekly = foundations.weekly_recurrence(populations)
if len(weekly):
    of_weeks = bracketed(means(weekly, ["data", "weeks"], "recurrence"))["mean [95%]"]
    plots.show_table(of_weeks.unstack("data", sort=False), "recurrence-weeks")

# %% [markdown]
# Delays blur timetables too: with actual instead of scheduled hours the same flight numbers recur much less often.

# %% tags=["hide-input", "hide-output"]
clocks = foundations.recurrence_by_clock(populations, lag)
if len(clocks):
    of_clocks = bracketed(means(clocks, ["data", "hours"], "recurrence"))
    plots.show_table(of_clocks, "recurrence-delays")

# %% [markdown]
# (foundations-attack)=
# ## A first attack
#
# Now a game. A coin decides whether one user, the *target*, is in a group of $m$. The attacker sees the group's
# counts. She knows the target's trace and nobody else's. She says how sure she is that the target is in, as a number, the *score*.
#
# The simplest score needs no training at all: **add the counts over the target's cells**. If the target is in, each of them
# is higher by one.

# %%
from lib.aggregation import aggregate_cells, sample_member_groups

name, traces = next(iter(populations.items()))
everybody, size = np.arange(traces.n_users), max(group_sizes)
target = int(foundations.targets_of(traces, 1, seed)[0])
groups, members = sample_member_groups(everybody, target, n_groups, size, rng)
cells = traces.matrix[[target]].indices
scores = aggregate_cells(traces, groups, cells).sum(axis=1)
print(f"{traces.users[target]} has {len(cells)} visits; {n_groups} groups of {size}")

# %% mystnb={"figure": {"name": "fig-scores", "caption": "The scores of groups with and without one target. See that the two heaps lie apart by about the number of the target's visits, and how far they overlap."}, "image": {"alt": "Two overlapping histograms of scores: groups without the target to the left, groups with the target to the right."}} tags=["hide-input"]
figures.show_scores(members, scores)

# %% [markdown]
# The attacker must say yes or no in the end. Wherever she puts her threshold, some groups without the target are called in (*false
# positives*) and some groups with the target are missed. Every threshold is one point of the *ROC curve*: the share of wrong
# accusations, the *false positive rate* (FPR), against the share of groups with the target that she finds, the *true positive rate* (TPR).

# %% mystnb={"figure": {"name": "fig-roc", "caption": "All thresholds at once. See that the curve runs above the diagonal, which is guessing. The shaded area is the AUC; the dot is an attacker who may be wrong in one of ten groups without the target."}, "image": {"alt": "ROC curve of the attack above the diagonal of guessing, the area below it shaded, a dot at a false positive rate of 0.1."}} tags=["hide-input"]
figures.show_roc(members, scores)

# %% [markdown]
# ````{prf:definition} AUC, privacy loss, and TPR at a low FPR
# :label: def-auc
# The **AUC** is the area under the ROC curve. It is the chance that a group with the target scores above a group without;
# 1/2 is guessing. The **privacy loss** is $\max(0,\ 2\,\mathrm{AUC} - 1)$. The **TPR at an FPR of 10%** is what a cautious attacker gets:
# the share of groups with the target that she finds when she is wrong in at most one of ten groups without.
# ````
#
# As a control, the same sum over the cells of somebody who is in none of the groups: that must be guessing.

# %%
from lib.summaries import scored

elsewhere = foundations.strangers_cells(traces, groups, seed)
control = aggregate_cells(traces, groups, elsewhere).sum(axis=1)
plots.show_table(
    scored(members, {"her cells": scores, "a stranger's": control}), "one-target"
)

# %% [markdown]
# ## Many targets
#
# One target is an anecdote. Here are more of them, in groups of several sizes, with raw counts and with noise that protects one visit.
# Intervals are over targets.

# %%
games = foundations.sum_attack(
    populations, group_sizes=group_sizes, n_groups=n_groups, n_targets=n_targets,
    epsilon=sorted(epsilons)[len(epsilons) // 2], seed=seed,
)  # fmt: skip
attack = means(games, ["data", "release", "group size"], "AUC")

# %% mystnb={"figure": {"name": "fig-sum-attack", "caption": "Mean AUC of the sum over targets, with 95% intervals; dotted: guessing. See that it falls as groups grow, and with noise, and that noise for one visit does not bring it down to guessing."}, "image": {"alt": "Mean AUC of the sum attack against group size for each dataset, raw and noisy, with intervals: it falls with group size and with noise."}} tags=["hide-input"]
figures.show_attack(attack)

# %%
plots.show_table(bracketed(attack)["mean [95%]"].unstack("group size"), "sum-attack")

# %% [markdown]
# Without training, and knowing nobody but the target, this attacker does far better than guessing. How much of her advantage does the noise
# take away? The **privacy gain** says it, target by target: 0 is nothing, 1 is everything.

# %%
gains = means(foundations.gains(games), ["data", "group size"], "gain")
plots.show_table(bracketed(gains)["mean [95%]"].unstack("group size"), "privacy-gain")

# %% [markdown]
# ## What does noise cost?
#
# The table has the mean count in the cells that somebody visited, in groups of the largest size, and beside it the mean absolute error of
# a release there. Noise of scale $1 / \varepsilon$ protects one visit; noise of scale $\Delta / \varepsilon$, with $\Delta$ the most
# visits of any user, protects a whole person.

# %%
costs = foundations.release_error(
    populations, group_size=max(group_sizes), epsilons=epsilons, seed=seed
)
plots.show_table(figures.error_table(costs), "release-error")

# %% [markdown]
# Even noise for one visit, at $\varepsilon = 1$, is more than half as large as the counts; at 0.1 it is several times as large. Noise for
# a person drowns them, unless $\varepsilon$ is so large that it promises little. This is what every paper of this book works on:
# the noise that one can afford protects little, and the noise that protects cannot be afforded.
#
# ## People's cabs
#
# Three of the papers use San Francisco's cabs: 534 of them, for three weeks. Where a reader has these data, `make paper NAME=foundations` plays
# the same on them. This table comes from rows that were kept from such a run:

# %% tags=["hide-input"]
kept = foundations.sum_attack.kept()
print(foundations.sum_attack.source())
by_size = bracketed(means(kept, ["data", "release", "group size"], "AUC"))
plots.show_table(by_size["mean [95%]"].unstack("group size"), "sum-attack-kept")

# %% tags=["hide-input"]
of_users = foundations.users.kept()
quantities = ["visits", "unique ROIs", "active epochs", "recurrence"]
each = {q: bracketed(means(of_users, ["data"], q))["mean [95%]"] for q in quantities}
plots.show_table(pd.DataFrame(each), "users-kept")

# %% [markdown]
# Cabs are dense: a cab is somewhere in town in most hours, so the counts are large, and noise that is meant for one visit hardly shows in
# them. They also repeat more cells than aircraft do, and follow no timetable: in dense data one meets the same cell again
# by chance. Recurrence means little without density beside it.

# %% [markdown]
# ## Take-aways
#
# - Records become **traces**, traces are summed to **aggregates**, aggregates are made into **releases**.
# - A count hides Dan only from those who do not know the others. Even an attacker who knows nobody but her target does well against small groups.
# - "$\varepsilon = 1$" means nothing before it is said for what: noise for one visit leaves an attack that adds up many visits; noise for a
#   person costs as many times more as the busiest person has visits.
# - An attack is a score. Look at its histogram first, then at the AUC, then at what a cautious attacker gets; and at a control.
# - **Regularity** is a number here, and flights come with a lot of it and with almost none, over the same airports and hours.

# %% [markdown]
# ## Exercises
#
# One star: a few lines. Two: half an hour. Three: an evening.
#
# ```{exercise} Who is left out? (★, 5 minutes)
# :label: foundations-left-out
# One of the six was left out of `aggregate(six, [[0, 1, 2, 3, 5]])`. The attacker knows all six traces. Who is it?
# ```

# %% [markdown]
# ````{solution-start} foundations-left-out
# :class: dropdown
# ````

# %%
published = aggregate(six, [[0, 1, 2, 3, 5]])[0]
for i, user in enumerate(six.users):
    without = aggregate(six, [[j for j in range(6) if j != i]])[0]
    if np.array_equal(published, without):
        print("left out:", user)

# %% [markdown]
# *Learned:* an attacker does not need to subtract; she can try every possibility and compare.
#
# ````{solution-end}
# ````
#
# ```{exercise} Twins (★, 5 minutes)
# :label: foundations-twins
# Which two of the six can never be told apart from any count, and why?
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
# *Learned:* counts are sums of traces, so equal traces can be exchanged without a change. In large data twins are rare: a handful of places
# and hours singles a person out.
#
# ````{solution-end}
# ````
#
# ```{exercise} The price of a person (★, 10 minutes)
# :label: foundations-price
# How large must $\varepsilon$ be, so that noise for a person is as small as noise for one visit at $\varepsilon = 1$? Compute it for the
# chapter's first dataset. What is such a promise worth?
# ```

# %% [markdown]
# ````{solution-start} foundations-price
# :class: dropdown
# ````

# %%
from decimal import Decimal

most = int(traces.visits().max())
print(f"epsilon = {most}: chances may differ by a factor of {Decimal(most).exp():.3g}")

# %% [markdown]
# *Learned:* as many times as the busiest user has visits; a promise of that size is none, for the busiest. Users with fewer visits are protected
# better, each by her own number.
#
# ````{solution-end}
# ````
#
# ```{exercise} Suppression instead of noise (★★, 15 minutes)
# :label: foundations-suppression
# Many offices add no noise, but publish 0 for small counts. Play the game on the first dataset in its smallest groups with
# `SuppressSmallCounts(1)`. Does it help? Explain with the first table on the flights.
# ```

# %% [markdown]
# ````{solution-start} foundations-suppression
# :class: dropdown
# ````

# %%
from lib.mechanisms import SuppressSmallCounts

for label, hidden in (("raw", []), ("0 and 1 hidden", [SuppressSmallCounts(1)])):
    again = np.random.default_rng(seed)
    game = foundations.play(traces, target, min(group_sizes), n_groups, hidden, again)
    plots.show_table(scored(game[0], {label: game[1]}), f"hidden-{len(hidden)}")

# %% [markdown]
# *Learned:* in sparse data most of the target's cells hold nobody else, so hiding ones hides most of what she adds. What is left are the cells that
# she shares; larger groups and denser data leave more of them.
#
# ````{solution-end}
# ````
#
# ```{exercise} Half a trace (★★, 15 minutes)
# :label: foundations-half
# The attacker knows only half of the target's visits, drawn at random; then only a tenth. How much worse is the sum, for the same groups?
# ```

# %% [markdown]
# ````{solution-start} foundations-half
# :class: dropdown
# ````

# %%
some = {}
for share in (1.0, 0.5, 0.1):
    known = rng.permutation(cells)[: max(1, round(share * len(cells)))]
    some[f"{len(known)} cells known"] = aggregate_cells(traces, groups, known).sum(
        axis=1
    )
plots.show_table(scored(members, some), "half")

# %% [markdown]
# *Learned:* each cell that is known moves the two heaps apart by one, and adds its crowd to their width. So more cells are not always better: a busy airport's
# hour adds more crowd than evidence, and a few lucky cells can beat them all. The exercise on a better attack puts this right.
#
# ````{solution-end}
# ````
#
# ```{exercise} The clocks (★★, 20 minutes)
# :label: foundations-daylight
# Show that the drop of recurrence from the first to the second week is the clocks' doing: compare the first week, moved by one hour, with
# the second. (Flights by number, whatever the chapter ran on.)
# ```

# %% [markdown]
# ````{solution-start} foundations-daylight
# :class: dropdown
# ````

# %%
two_weeks = load("flights-by-number").between("2013-03-04", "2013-03-17")
for hours_later in (168, 167):  # the second week has the new time
    r = two_weeks.recurrence(f"{hours_later}h")
    print(f"{hours_later} hours later: {r.mean():.3f}")

# %% [markdown]
# *Learned:* "the same hour" needs a time zone. (Not quite 1 even so: flights are cancelled, timetables change, some destinations keep their clocks.)
#
# ````{solution-end}
# ````
#
# ```{exercise} How far apart are the heaps? (★★, proof, 20 minutes)
# :label: foundations-proof
# The target has $n$ visits. Let $X$ be the sum over the target's cells of a group without the target, and let the sum of a group with the target be
# distributed as $X + n$. If $X$ is normal with standard deviation $\sigma$, show that the AUC is $\Phi\bigl(n / (\sigma \sqrt 2)\bigr)$. By how much
# does independent Laplace noise for one visit change $\sigma$? Compare with the chapter's target.
# ```

# %% [markdown]
# ````{solution-start} foundations-proof
# :class: dropdown
# ````
#
# The AUC is the chance that $X + n > X'$ with $X, X'$ independent, that is $X' - X < n$. The difference is normal with mean 0 and variance $2 \sigma^2$,
# so the chance is $\Phi(n / \sqrt{2 \sigma^2})$. Laplace noise of scale $1/\varepsilon$ has variance $2/\varepsilon^2$ in each cell, so
# $\sigma^2$ grows by $2 n / \varepsilon^2$: with $n$ visits the heaps move apart by $n$, and the noise widens them by $\sqrt{2n}/\varepsilon$ only.

# %%
from lib import metrics
from scipy.stats import norm

without = scores[members == 0]
predicted = norm.cdf(len(cells) / (without.std(ddof=1) * 2**0.5))
print(f"predicted {predicted:.3f}, seen {metrics.auc(members, scores):.3f}")

# %% [markdown]
# *Learned:* many visits beat the noise for one, because sums grow faster than their spread.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write a better attack (★★, 30 minutes)
# :label: foundations-rare
# A count of 1 in a cell where hardly anybody ever is says more than a count of 60 at the airport in the morning. Write a score that gives rare cells more
# weight, for an attacker who knows the mean counts $\lambda_c$ of groups without the target. (Hint: if counts are Poisson, what is the logarithm of the
# likelihood ratio of $\lambda_c + 1$ against $\lambda_c$?) Is it better than the sum?
# ```

# %% [markdown]
# ````{solution-start} foundations-rare
# :class: dropdown
# ````
#
# The ratio is $\bigl(\frac{\lambda_c + 1}{\lambda_c}\bigr)^{A_c} e^{-1}$, so the score is $\sum_c A_c \log(1 + 1 / \lambda_c)$. A cell that is
# otherwise empty would have infinite weight: a little is added to $\lambda_c$.

# %%
fresh, is_member = sample_member_groups(everybody, target, 2 * n_groups, size, rng)
mean_counts = aggregate_cells(traces, fresh[is_member == 0], cells).mean(axis=0)
weights = np.log1p(1 / (mean_counts + 1 / n_groups))
weighted = aggregate_cells(traces, groups, cells) @ weights
plots.show_table(scored(members, {"sum": scores, "weighted": weighted}), "rare")

# %% [markdown]
# *Learned:* the best weight of a cell is its evidence. This is a likelihood ratio, and the chapter on threshold attacks shows what can be better.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own month (★★★, an evening)
# :label: foundations-project
# Export your own calendar, bicycle or check-in data (or take any table with a user, a time and a place), and run this chapter on it:
# `make run NOTEBOOK=foundations PARAMS="records=my.csv"`. How regular is each user? In groups of what size does the sum stop working? Write a page on
# what you would publish of it, and with what noise. *A good answer* states the unit of privacy, shows a control beside the attack, and says what an attacker who
# knows more could do.
# ```

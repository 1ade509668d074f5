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
# A city publishes how many people were at home on Monday at six in the evening: *four*. No name, no number plate, just
# a four. Is anybody in danger from it? The five papers of this book say: sometimes, and they can say how much. This
# chapter has what all of them start from. First by hand, with six invented people; then with thousands of real
# flights. After it you can
#
# - make a trace, an aggregate and a release, and say what each one still tells about a person;
# - say what noise protects, one visit or a whole person, and what that costs;
# - run an attack, and read its histogram, its ROC curve, its AUC and its TPR.
#
# *For discussion:* {numref}`fig-sum-attack`. *For discussion:* which two of the six can nobody tell apart; and "$\varepsilon = 1$" for one *what*?

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-number", "flights-by-tail"]
path = ""
records = ""
columns = {}
lag = "7D"
group_sizes = [10, 30, 100, 300]
n_groups = 200
n_targets = 20
epsilons = [0.1, 1.0, 10.0]
seed = 2013

# %% [markdown]
# ## Who knows what, and wants what
#
# Somebody, the **data holder**, has everybody's records and publishes counts. Somebody else, the **attacker**,
# reads the counts; she is after one person, say Dan. The five papers differ in what she knows besides, and in what she wants:
#
# | paper | she also knows | she asks |
# |---|---|---|
# | Knock-Knock {cite:p}`pyrgelis2018knock` | traces, Dan's and others'; or past counts, and whether Dan was in them | is Dan in these counts? |
# | Zero Auxiliary Knowledge {cite:p}`guan2024zero` | only Dan's trace, or a part of it | is Dan in these counts? |
# | Aggregation privacy {cite:p}`pyrgelis2017crowd` | everybody's habits, Dan's too, and that they are counted | where was Dan, and when? |
# | Fano loss {cite:p}`fanoloss` | how people move, and all the others' traces | which way did Dan go? |
# | Threshold attacks {cite:p}`threshold2024` | Dan's trace; and either all the others', or traces of people who are not counted | is Dan in these counts? |

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
# Here is where Ada was: a row is a place, a column an hour, and 1 means that she was there.

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
from lib.aggregation import aggregate
from lib.papers import figures as plots

counts = aggregate(six, [range(6)])[0]
plots.show_table(pd.DataFrame(counts, list(six.rois.index), hours), "six-aggregate")

# %% mystnb={"figure": {"name": "fig-six", "caption": "The traces of six people, and their sum. Ada, Ben and Cleo do the same on both days and the other three do not, and the sum does not say who is who."}, "image": {"alt": "Seven small grids of places by hours: the traces of Ada, Ben, Cleo, Dan, Eve and Fay, and their sum. Ada, Ben and Cleo repeat Monday on Tuesday; the sum holds counts from 0 to 4."}} tags=["hide-input"]
from lib.papers.foundations import figures

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
# others, or Dan's own trace, or only his habits. How little is enough? Suppose that she knows Dan's trace and nobody else's. She adds up
# the six cells where he would be. Here are his cells with him in the sum, and without:

# %%
dan = six.trace("Dan")
print("with Dan:   ", counts[dan == 1], "add up to", counts[dan == 1].sum())
print("without Dan:", others[dan == 1], "add up to", others[dan == 1].sum())

# %% [markdown]
# Thirteen or seven: his six visits. This sum is our first attack; below we play it on thousands of traces.
#
# ## Noise, and what it protects
#
# The usual defense is to add random noise to every count before it is published, to round the result and to
# *clip* it, that is, to keep it between 0 and the group's size. *Laplace noise* of scale 1 is above or below 0 at equal chances, and its size is 1 on average:

# %%
import numpy as np
from lib.mechanisms import Laplace, PostProcess, release_traces

rng, noise = np.random.default_rng(seed), [Laplace(epsilon=1.0), PostProcess()]
noisy = release_traces(six, [range(6)], noise, rng)[0]
noisy - others

# %% [markdown]
# The subtraction no longer gives Dan's trace. But something is left. The attacker sees one release; *we* can draw the noise ten thousand times, with Dan and without:

# %%
with_dan = release_traces(six, [range(6)] * 10_000, noise, rng).mean(axis=0)
without = release_traces(six, [[0, 1, 2, 4, 5]] * 10_000, noise, rng).mean(axis=0)
print(f"more in Dan's cells, with him: {(with_dan - without)[dan == 1].mean():.3f}")
print(f"published where nobody is:     {with_dan[counts == 0].mean():.3f}")

# %% [markdown]
# On average, most of each visit of Dan is still there. And visits are invented: in empty cells noise below 0 is cut off, and noise above 0 stays. One noisy
# cell tells little; with many, the attacker can add up.
#
# What is promised, then? *Differential privacy* promises that one change of the input changes the chances of every
# release little. Which change is meant must be said:
#
# ````{prf:definition} Release, and its unit of privacy
# :label: def-release
# A **release** $\bar A = M(A)$ is what a randomized *mechanism* $M$ makes of an aggregate. $M$ is $\varepsilon$-*differentially
# private* if for all *neighbouring* inputs $A, A'$ and all sets $R$ of releases
# $\Pr[M(A) \in R] \le e^{\varepsilon} \Pr[M(A') \in R]$. Which inputs are neighbours is the **unit of privacy**: inputs
# that differ in one visit (*event level*), or in whether one person's whole trace is there (*user level*).
# ````
#
# Laplace noise of scale $\Delta / \varepsilon$ keeps the promise if neighbours differ by at most $\Delta$, added up over all cells. One visit changes one
# count by 1, so $\Delta = 1$. A person changes as many counts as she has visits:

# %%
most = int(six.visits().max())
print("scale for one visit:     ", Laplace(epsilon=1.0).scale)
print("scale for a whole person:", Laplace(epsilon=1.0, sensitivity=most).scale)

# %% [markdown]
# The same $\varepsilon$ thus names two very different promises. Whenever you read "$\varepsilon = 1$", ask: for one *what*? And $\Delta$
# must be fixed beforehand, or enforced by cutting traces. The most visits *in the data*, which we take as Knock-Knock does, tells something itself.
#
# Rounding costs no privacy, as it looks at nothing but the noisy count. Nor does clipping at the group's size, if that is public and the same with Dan and without, as it will
# be in our game. Above it was not: five others never give a 6.
#
# ## Real traces: flights
#
# Traces of people cannot be shipped with a book. Flights can: every flight out of New York in 2013 is public. A flight
# visits its origin in the hour of departure and its destination in the hour of arrival. Over the same airports and the same four weeks, we can call two
# things a user:
#
# - **by flight number**, a line of the timetable, such as UA1545: it comes back every week, like a commuter;
# - **by tail number**, an aircraft, such as N14228: it goes where it is needed, like a cab.
#
# The "users" are flights and aircraft, not people. Whoever has fewer than 16 visits is
# left out. 1,054 flight numbers remain, and as many aircraft are drawn from 1,181.

# %% tags=["hide-input"]
from lib.datasets import describe, row_counts
from lib.papers import fitting
from lib.papers.foundations import experiments as foundations

if records:
    populations = {"records": load("records", path=records, columns=columns or None)}
else:
    options = {"cabspotting": {"path": path or None}}
    called = fitting.display_names(datasets)
    populations = {
        name: load(file, **options.get(name, {})) for name, file in called.items()
    }
group_sizes = fitting.foundations(populations, group_sizes)

# %%
plots.show_table(describe(populations), "data")

# %% [markdown]
# The data are *sparse*: a user visits hardly any of the cells, and most cells stay empty even when everybody is counted.
# The loader keeps account of every row (two a flight):

# %% tags=["hide-input", "hide-output"]
plots.show_if_any(row_counts(populations), "rows", "Nothing was read from files.")

# %% [markdown]
# Summed over everybody and all places, a week looks like this:

# %% mystnb={"figure": {"name": "fig-week", "caption": "Visits in each hour of a week, everybody and all places together. See the rhythm of the day in both. Who comes back next week cannot be seen in it."}, "image": {"alt": "Line chart of visits per hour over the first week of each dataset: a daily rhythm with quiet nights."}} tags=["hide-input"]
figures.show_week(populations)

# %% [markdown]
# ## Regular or not?
#
# The papers say that commuters are *regular* and cabs are not, and Knock-Knock finds that regularity and sparse data help its attackers. Let us put
# a number on the word.
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
# And the flights, a week apart; in the last column, a user's visits against those that *another* user makes a week later:

# %%
repeated = foundations.recurrences(fitting.lasting(populations, lag), lag)
table = figures.recurrence_table(repeated)
plots.show_if_any(table, "recurrence", "No recurrence without a later epoch.")

# %% mystnb={"figure": {"name": "fig-recurrence", "caption": "How regular each user is, after the first week. Flight numbers and aircraft hardly overlap: the same airports, the same hours, as many users, and opposite habits."}, "image": {"alt": "Cumulative distribution of per-user recurrence after the first week. Flight numbers lie almost all near 1, tail numbers almost all near 0."}} tags=["hide-input"]
figures.show_recurrence(repeated, lag)

# %% [markdown]
# Timetables repeat; aircraft do so rarely, though more often than another user would. (Brackets hold 95% intervals: of a mean, over users or targets (Student's); of one
# AUC, over its groups (Newcombe's); those of a TPR are conservative and wide.)
#
# ````{admonition} Why all weeks together score less
# :class: note
# Hours here are UTC; a timetable is written in local time, and on Sunday 10 March 2013 New York's clocks went forward. Who leaves
# every Monday at eight leaves at 13 UTC in the first week and at 12 UTC afterwards. {numref}`foundations-daylight` takes it apart.
# ````

# %% [markdown]
# (foundations-attack)=
# ## A first attack
#
# Now a game. A coin decides whether one user, the *target*, is in a group of $m$. The attacker sees the group's
# counts. She knows the target's trace and nobody else's. She says how sure she is that the target is in, as a number, the *score*.
#
# Her score is the sum that found Dan: **add the counts over the target's cells**. If the target is in, each of them
# is higher by one minus what one other user would have brought, whose place the target takes.

# %%
from lib.aggregation import aggregate_cells, sample_member_groups

name, traces = next(iter(populations.items()))
everybody, size = np.arange(traces.n_users), max(group_sizes)
target = int(foundations.targets_of(traces, 1, seed)[0])
groups, members = sample_member_groups(everybody, target, n_groups, size, rng)
cells = np.flatnonzero(traces.trace(traces.users[target]))
scores = aggregate_cells(traces, groups, cells).sum(axis=1)
print(f"{traces.users[target]} has {len(cells)} visits; {n_groups} groups of {size}")

# %% mystnb={"figure": {"name": "fig-scores", "caption": "The scores of groups with and without one target. The two distributions overlap and lie apart by the number of the target's visits if there are many groups (here by a little less)."}, "image": {"alt": "Two overlapping histograms of scores: groups without the target to the left, groups with the target to the right."}} tags=["hide-input"]
figures.show_scores(members, scores)

# %% [markdown]
# The attacker must say yes or no in the end. Wherever she puts her threshold, some groups without the target are called in (*false
# positives*) and some groups with the target are missed. Every threshold is one point of the *ROC curve*: the share of wrong
# accusations, the *false positive rate* (FPR), against the share of groups with the target that she finds, the *true positive rate* (TPR).

# %% mystnb={"figure": {"name": "fig-roc", "caption": "All thresholds at once. The curve runs above the diagonal, which is guessing. The shaded area is the AUC; the dot is an attacker who is wrong in one of ten groups without the target."}, "image": {"alt": "ROC curve of the attack above the diagonal of guessing, the area below it shaded, a dot at a false positive rate of 0.1."}} tags=["hide-input"]
figures.show_roc(members, scores)

# %% [markdown]
# ````{prf:definition} AUC, privacy loss, and TPR at a low FPR
# :label: def-auc
# The **AUC** is the area under the ROC curve. It is the chance that a group with the target scores above a group without;
# 1/2 is guessing. The **privacy loss** is $\max(0,\ 2\,\mathrm{AUC} - 1)$. The **TPR at an FPR of 10%** is
# the share of groups with the target that she finds when she is wrong in at most one of ten groups without.
# ````
#
# The score needs no training, but the threshold does: we set it on the labelled groups themselves. To place the dot, an attacker must know the scores of groups
# without the target; [](knock_knock.ipynb) and [](zero_knowledge.ipynb) differ in how she learns them.
#
# As a control, the same sum over the cells of twenty *non-member controls*, who are in none of the groups: that must be guessing.

# %%
from lib.papers.summaries import bracketed, means, scored

plots.show_table(scored(members, {"her cells": scores}), "one-target")
strangers = foundations.controls(
    traces, target, group_size=size, n_groups=n_groups, n_controls=20, seed=seed
)
control = bracketed(means(strangers.assign(cells="strangers'"), ["cells"], "AUC"))
plots.show_if_any(control, "strangers", "Such groups leave no stranger out.")

# %% [markdown]
# ## Many targets
#
# One target is an anecdote. Here are more, in groups of several sizes: raw counts, noise that protects one visit, and noise that protects a whole
# person, rounded and clipped; $\Delta$ is the most visits of any user.

# %%
epsilon, played = sorted(epsilons)[len(epsilons) // 2], dict(n_groups=n_groups)
played |= {"n_targets": n_targets, "seed": seed}
games = foundations.games(
    populations, epsilons=[epsilon], group_sizes=group_sizes, **played
)
attack = means(games, ["data", "release", "group size"], "AUC")
print(f"{n_targets} targets of each dataset, noise at ε = {epsilon:g}")

# %% mystnb={"figure": {"name": "fig-sum-attack", "caption": "Mean AUC of the sum over targets, with 95% intervals; dotted: guessing. Event-level noise leaves nearly all of the attack, and user-level noise nearly nothing."}, "image": {"alt": "Mean AUC of the sum attack against group size for each dataset, raw, with event-level noise and with user-level noise, with intervals. The first two stay close together and fall with group size for the flight numbers; the third lies at guessing."}} tags=["hide-input"]
figures.show_attack(attack)

# %% tags=["hide-input", "hide-output"]
by_size = bracketed(attack)["mean [95%]"].unstack("group size", sort=False)
plots.show_table(by_size, "sum-attack")

# %% [markdown]
# Knowing nobody but the target, this attacker does far better than guessing at every size. On raw counts a 0 in one of these cells proves absence ({ref}`an exercise <zk-rule>`). That the target is regular is no use to her; what matters is who else is in the target's cells. Where few others are, she gains most
# ({numref}`foundations-half`).
#
# ## What does noise buy, and what does it cost?
#
# ````{prf:definition} Privacy gain
# :label: def-gain
# With $\mathrm{AUC}_A$ on raw and $\mathrm{AUC}_{A'}$ on released counts, the **privacy gain** is $\frac{\mathrm{AUC}_A - \mathrm{AUC}_{A'}}{\mathrm{AUC}_A - 1/2}$, and
# 0 if $\mathrm{AUC}_{A'} \ge \mathrm{AUC}_A$ (Eq. 6 of Knock-Knock). 0 is nothing, 1 is everything. The paper has it 0 for $\mathrm{AUC}_{A'} < 1/2$ too, which punishes good
# noise; here such an AUC counts as 1/2 ({prf:ref}`def-kkd-pg` compares).
# ````
#
# It is taken target by target. Negative gains are cut off, so a mean near 0 is a little too high; an attacker who guesses is sometimes lucky, so a mean near 1 is a little too low. Beside it stands what the counts of a release are worth, in groups of the largest
# size. One such group has

# %%
one = aggregate(traces, groups[:1])[0]
print(f"{one.sum():,} visits in {(one > 0).sum():,} cells, nobody in", end=" ")
print(f"{(one == 0).sum():,}; mean count where somebody was {one[one > 0].mean():.2f}")

# %%
budgets = foundations.games(
    populations, epsilons=epsilons, group_sizes=[size], **played
)
costs = foundations.errors(populations, epsilons=epsilons, group_size=size, seed=seed)
plots.show_table(figures.price_table(foundations.gains(budgets), costs, name), "price")

# %% mystnb={"figure": {"name": "fig-price", "caption": "The attack against the error, a marker for each ε. No release is both low, where the attack guesses, and left of the line, where the error is below the mean count (that of the first dataset)."}, "image": {"alt": "Mean AUC against mean error on a logarithmic axis, a line for each dataset and unit of privacy. Lines fall from high AUC at small errors to guessing at errors far above the mean count, which is marked."}} tags=["hide-input"]
figures.show_price(budgets, costs)

# %% [markdown]
# The table is of the first dataset, flights by number; the figure has all. Event-level noise at $\varepsilon = 1$ is almost half as large as the counts, and takes away little of the attack. User-level noise drowns the counts at
# every $\varepsilon$ in the table, even 10. At $\varepsilon = 0.1$ for a person the scale is 570 in groups of 300: most counts are
# published as 0 or as 300, and only the clip keeps the error at 117. Here the noise that keeps a count readable takes little from this attack, and the noise that stops it makes the counts unreadable.
# *For discussion:* which row of the table would you publish?
#
# All this is one attack's. The promise is about every attack: where a person's presence is protected, no attacker has a TPR above $e^{\varepsilon}$ times
# her FPR (in our game $e^{2 \varepsilon}$: another user takes the target's place, which is two changes).
#
# ## People's cabs
#
# Knock-Knock and Aggregation privacy use San Francisco's cabs: 534 of them, for three weeks. Who has these data plays the same on them with
# `python -m lib paper foundations-users foundations-release-error foundations-sum-attack`. These rows are kept from such a run: means over users; and, for groups of 100, the counts and the sum attack
# on 150 targets (its "draws"), "noisy" for a visit at $\varepsilon = 1$, neither rounded nor clipped. The last column is what the two papers print.

# %% tags=["hide-input"]
print(foundations.sum_attack.source())
experiments = foundations.users, foundations.release_error, foundations.sum_attack
plots.show_table(figures.stored_table(*(each.stored() for each in experiments)), "kept")

# %% [markdown]
# Cabs are *dense*: the counts are seven to eight times those of the flights, and event-level noise
# takes next to nothing off the attack. Density also feeds recurrence. A cab makes 3,659 visits in $100 \times 504$ cells, 7% of them: spread evenly, they would have a
# recurrence of 0.07 by chance. At least that much of the 0.23 is no habit.

# %% [markdown]
# ## Take-aways
#
# - Records become **traces**, traces are summed to **aggregates**, aggregates are made into **releases**.
# - A count hides Dan only from those who do not know the others. Who knows nobody but her target still did far better than guessing, in groups of 10 to 300.
# - "$\varepsilon = 1$" means nothing before it is said for what: event-level noise leaves an attack that adds up many visits; noise for a
#   person is as many times larger as the busiest person has visits, and drowned the counts.
# - An attack is a score. Look at its histogram first, then at the AUC, then at the TPR where she may seldom be wrong; and at a control.
# - **Regularity** is a number; flights have a lot of it or almost none. Whether it helps an attacker who must
#   predict, [](knock_knock.ipynb) and [](crowd.ipynb) test. One who knows the trace gains from cells where few others are.

# %% [markdown]
# ## Exercises
#
# ```{exercise} Who is left out? (★, 5 minutes)
# :label: foundations-left-out
# One of the six was left out of the counts below (home, station, office, park, in the hours above). The attacker knows all six traces. Who is it?
#
#     3 0 0 4 4 0 0 2
#     0 2 2 1 0 3 1 1
#     1 1 3 0 1 2 3 0
#     1 1 0 0 0 0 0 2
# ```

# %% [markdown]
# ````{solution-start} foundations-left-out
# :class: dropdown
# ````

# %%
text = "3 0 0 4 4 0 0 2  0 2 2 1 0 3 1 1  1 1 3 0 1 2 3 0  1 1 0 0 0 0 0 2"
published = np.array(text.split(), int).reshape(counts.shape)
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
for data, each in populations.items():
    print(f"{data}: {foundations.n_twins(each)} of {each.n_users} have a twin")

# %% [markdown]
# *Learned:* counts are sums of traces, so equal traces can be exchanged without a change. In the flights twins are rare.
#
# ````{solution-end}
# ````
#
# ```{exercise} Suppression instead of noise (★★, 15 minutes)
# :label: foundations-suppression
# Many offices add no noise, but publish 0 for small counts. Play the game on the first dataset with
# `SuppressSmallCounts(2)`, in groups of every size. Does it help? How many of the target's cells hold nobody else?
# ```

# %% [markdown]
# ````{solution-start} foundations-suppression
# :class: dropdown
# ````

# %%
from lib.mechanisms import SuppressSmallCounts

first = {name: traces}
hiding = {"raw": [], "1 hidden": [SuppressSmallCounts(2)]}
hidden = foundations.games(first, releases=hiding, group_sizes=group_sizes, **played)
of_hidden = bracketed(means(hidden, ["release", "group size"], "AUC"))["mean [95%]"]
plots.show_table(of_hidden.unstack("group size", sort=False), "hidden")
for m in sorted({min(group_sizes), size}):
    drawn, with_her = sample_member_groups(everybody, target, n_groups, m, rng)
    alone = (aggregate_cells(traces, drawn[with_her == 0], cells) == 0).mean()
    print(f"her cells that hold nobody else in groups of {m}: {alone:.3f}")

# %% [markdown]
# *Learned:* in small groups most of this target's cells hold nobody else, so hiding ones hides most of what the target adds; larger groups leave more. In groups of up to 100 suppression
# takes away more of this attack than event-level noise does. But it promises nothing: [](zero_knowledge.ipynb) has an attack that expects it.
#
# ````{solution-end}
# ````
#
# ```{exercise} Nearly everybody (★, 10 minutes)
# :label: foundations-nearly
# The AUC against flight numbers fell with the group's size. Play groups of all but one in twenty. What happens, and why?
# ```

# %% [markdown]
# ````{solution-start} foundations-nearly
# :class: dropdown
# ````

# %%
nearly = traces.n_users - max(1, traces.n_users // 20)
last = foundations.games(
    first, releases={"raw": []}, group_sizes=sorted({size, nearly}), **played
)
plots.show_table(bracketed(means(last, ["group size"], "AUC")), "nearly")

# %% [markdown]
# *Learned:* what hides the target is not the crowd, but how much it varies. If nearly everybody is in, two groups differ in few users, and each of them shows.
#
# ````{solution-end}
# ````
#
# ```{exercise} Half a trace (★★, 15 minutes)
# :label: foundations-half
# The attacker knows only half of the target's visits, drawn at random; then a quarter, then a tenth. How much worse is the sum? Average over draws and
# targets, for each dataset. Then give her the half of the target's cells where most people are, or fewest.
# ```

# %% [markdown]
# ````{solution-start} foundations-half
# :class: dropdown
# ````

# %%
some = dict(shares=[0.5, 0.25, 0.1], group_size=size, n_subsets=50) | played
known = [
    foundations.parts(those, **some).assign(data=data)
    for data, those in populations.items()
]
of_parts = bracketed(means(pd.concat(known), ["data", "cells"], "AUC"))
plots.show_table(of_parts["mean [95%]"].unstack("data", sort=False), "parts")

# %% [markdown]
# *Learned:* fewer cells weaken the attack gradually against aircraft, as [](zero_knowledge.ipynb) finds with its attack. Against timetables they hardly do. A likely reason, not tested
# here (how would you?): the same crowd is there every week, so what the next week adds is as much crowd as evidence. And cells are not worth the same: the empty half is better than all of them. The exercise on
# a better attack puts that right.
#
# ````{solution-end}
# ````
#
# ```{exercise} The clocks (★★, 20 minutes)
# :label: foundations-daylight
# Show that the low recurrence from the first to the second week is the clocks' doing: compare the first week, moved by one hour, with
# the second. What do delays do, if actual hours are taken? (Flights by number, whatever the chapter ran on.)
# ```

# %% [markdown]
# ````{solution-start} foundations-daylight
# :class: dropdown
# ````

# %%
by_number = {"flights-by-number": load("flights-by-number")}
weekly = foundations.weekly_recurrence(by_number)
of_weeks = bracketed(means(weekly, ["weeks"], "recurrence"))["mean [95%]"]
plots.show_table(of_weeks.to_frame(), "recurrence-weeks")
two_weeks = by_number["flights-by-number"].between("2013-03-04", "2013-03-18")
for hours_later in (168, 167):  # the second week has the new time
    r = two_weeks.recurrence(f"{hours_later}h")
    print(f"{hours_later} hours later: {r.mean():.3f}")
clocks = foundations.recurrence_by_clock(by_number, "7D")
of_clocks = bracketed(means(clocks, ["hours"], "recurrence"))
plots.show_table(of_clocks, "recurrence-delays")

# %% [markdown]
# *Learned:* "the same hour" needs a time zone. (The first Sunday has the new time already, so neither lag fits the whole week.) Delays blur a timetable as well.
#
# ````{solution-end}
# ````
#
# ```{exercise} How far apart are the distributions? (★★, proof, 20 minutes)
# :label: foundations-proof
# The target has $n$ visits. Let $X$ be the sum over the target's cells of a group without the target, and let the sum of a group with the target be
# distributed as $X + n$. If $X$ is normal with standard deviation $\sigma$, show that the AUC is $\Phi\bigl(n / (\sigma \sqrt 2)\bigr)$. By how much
# does independent Laplace event-level noise change $\sigma$? Compare with the chapter's target.
# ```

# %% [markdown]
# ````{solution-start} foundations-proof
# :class: dropdown
# ````
#
# The AUC is the chance that $X + n > X'$ with $X, X'$ independent, that is $X' - X < n$. The difference is normal with mean 0 and variance $2 \sigma^2$,
# so the chance is $\Phi(n / \sqrt{2 \sigma^2})$. Laplace noise of scale $1/\varepsilon$ has variance $2/\varepsilon^2$ in each cell, so
# $\sigma^2$ grows by $2 n / \varepsilon^2$: with $n$ visits the distributions move apart by $n$, and the noise widens them from $\sigma$ to $\sqrt{\sigma^2 + 2n / \varepsilon^2}$ only.

# %%
from lib import metrics
from scipy.stats import norm

spread = max(scores[members == 0].std(ddof=1), 1e-9)  # 0 if groups are alike
n = len(cells)
print(f"raw: predicted {norm.cdf(n / (spread * 2**0.5)):.3f}", end=", ")
print(f"seen {metrics.auc(members, scores):.3f}")
noisy_spread = (spread**2 + 2 * n / epsilon**2) ** 0.5
again = scores + rng.laplace(scale=1 / epsilon, size=(n_groups, n)).sum(axis=1)
print(f"noisy: predicted {norm.cdf(n / (noisy_spread * 2**0.5)):.3f}", end=", ")
print(f"seen {metrics.auc(members, again):.3f}")
own_rng = np.random.default_rng(seed)
many, of_many = sample_member_groups(everybody, target, 2000, size, own_rng)
sums = aggregate_cells(traces, many, cells).sum(axis=1)
chance = norm.cdf(n / (max(sums[of_many == 0].std(ddof=1), 1e-9) * 2**0.5))
print(f"2,000 groups: predicted {chance:.3f}, seen {metrics.auc(of_many, sums):.3f}")

# %% [markdown]
# *Learned:* the target's visits add up like $n$, the noise's spread only like $\sqrt n$. With 200 groups the prediction is above what is seen, by luck: with 2,000 it fits. (Who leaves when the target comes takes less than half a visit along. The noise here is neither rounded nor clipped.)
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
# *Learned:* weighting cells by their evidence was far better for this target. This is a likelihood ratio, and the chapter on threshold attacks shows what can be better.
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

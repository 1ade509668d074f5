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
# A city publishes a table of counts. One entry says how many people were at home on Monday at eight in the morning:
# *four*. There is no name in the table, no phone number and no licence plate. Can such a number harm anybody?
#
# The papers behind this book show that it can, and they measure how much. From counts, an attacker may infer
# *whether* a certain person was counted. This is called **membership inference**. It is harmful whenever the people
# who are counted share something private. If a hospital publishes where its patients were, then to be counted is to be
# a patient. An attacker may also infer *where* a person was. If the question is about a single hour, this is called
# **localization**. If it is about a whole path, it is called **reconstruction**.
#
# This chapter introduces the objects that all five papers use, and a first membership inference attack. We begin with
# six invented people, whose data you can check by hand. Then we repeat every step on thousands of real flights.
# After this chapter you can
#
# - turn records into a trace, an aggregate and a release, and say what each of them reveals about a person;
# - add Laplace noise to counts, and state which change of the data the noise hides;
# - run a membership inference attack and read its histogram, ROC curve, AUC and true positive rate;
# - weigh what a release protects against what it costs, and compare both with publishing nothing.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figure to remember:* {numref}`fig-sum-attack`. *Questions for a class:* Which two of the six people can no attacker tell
# apart? A release has "$\varepsilon = 1$". What exactly does it protect?
#
# *If you have 90 minutes:* take the parts in this table. The minutes are our estimates.
#
# | part | what to take | minutes |
# |---|---|---|
# | from the beginning to the formula at the end of *What does random noise change?* | everything | 22 |
# | [rounding and clipping](foundations-rounding) | the first paragraph and its table | 2 |
# | [differential privacy](foundations-dp) | the definition, the neighbours and the unit | 12 |
# | [sensitivity](foundations-sensitivity) | the definition of $\Delta$ and the example with eight visits | 5 |
# | *Post-processing* | the first paragraph | 2 |
# | *Real traces: flights* | everything | 5 |
# | [how one target is recognised](foundations-attack) | everything | 17 |
# | [many targets](foundations-many) | the rule of no zeros, and {numref}`fig-sum-attack` | 7 |
# | [why quiet cells reveal most](foundations-quiet) | up to {numref}`fig-crowding` | 8 |
# | [what noise costs](foundations-price) | up to the first table, then the two paragraphs below {numref}`fig-price` that compare the errors in visited cells and in all cells with those of zeros | 10 |
#
# These parts answer the five questions of the quiz, which stands before the exercises. They leave out the proof that Laplace noise is enough, the section on [regularity](foundations-regularity), the cabs, and most exercises. {numref}`foundations-regular-target` and {numref}`foundations-daylight` need the section on regularity.
# ````

# %% [markdown]
# ## Who attacks, and what do they know?
#
# The **data holder** has the records of many people and publishes counts. The **attacker** reads the counts and wants
# to learn something about one person, the **target**. In our examples the target is Dan, and sometimes Ada. What the attacker
# knows in advance is called their **prior knowledge** or auxiliary information. Together with the goal it forms the
# **threat model**. The five papers consider five threat models:
#
# | paper | the attacker also knows | the attacker asks |
# |---|---|---|
# | Knock-Knock {cite:p}`pyrgelis2018knock` | traces of Dan and of others; or earlier counts, and whether Dan was included in them | Was Dan counted? |
# | Zero Auxiliary Knowledge {cite:p}`guan2024zero` | Dan's trace or a part of it, and nothing about other people | Was Dan counted? |
# | Aggregation privacy {cite:p}`pyrgelis2017crowd` | the habits of everybody including Dan, and that all of them were counted | Where was Dan, and when? |
# | Fano loss {cite:p}`fanoloss` | how people usually move, and the traces of everybody except Dan | Which path did Dan take? |
# | Threshold attacks {cite:p}`threshold2024` | Dan's trace; and either the traces of everybody else who was counted, or traces of people who were not | Was Dan counted? |
#
# How much an attack can achieve depends largely on this prior knowledge. Whenever you read that an attack succeeds or
# fails, ask first what its attacker was assumed to know.

# %% [markdown]
# ## Six people and their counts
#
# Ada, Ben, Cleo, Dan, Eve and Fay move between four places. We observe them during four hours on a Monday and the
# same four hours on the following Tuesday. They will return in nearly every chapter.

# %%
from lib.datasets import load

six = load("six-users")
six

# %% [markdown]
# Here is where Ada was. Each row is a place and each column an hour. A 1 means that she was there.

# %%
import pandas as pd

hours = [f"{epoch:%a %H}" for epoch in six.epochs]
places = list(six.rois.index)
pd.DataFrame(six.trace("Ada"), places, hours)

# %% [markdown]
# ````{prf:definition} Trace
# :label: def-trace
# Let $\Omega$ be a set of users, $S$ a set of places (*regions of interest*, ROIs) and $T$ a set of *epochs*, usually
# hours. The **trace** of user $u \in \Omega$ is the matrix $L^u \in \{0, 1\}^{S \times T}$ with $L^u_{s,t} = 1$ if $u$
# was in $s$ during $t$. A pair $(s, t)$ is a *cell*. The cells in which $L^u$ is 1 are the user's *visits*.
# ````
#
# In plain words, a trace is a list of the places and hours at which one person was seen. Every published count in this
# book is a sum of traces:
#
# ````{prf:definition} Aggregate
# :label: def-aggregate
# The **aggregate** of a group $W \subseteq \Omega$ of $m$ users is $A^W = \sum_{u \in W} L^u$. Each cell holds the number of
# members of the group who were there, a whole number from 0 to $m$.
# ````

# %%
import numpy as np
from lib.papers import figures as plots
from lib.papers.foundations import figures

plots.use_style()
counts = sum(six.trace(user) for user in six.users)
plots.show_table(pd.DataFrame(counts, places, hours), "six-aggregate")

# %% mystnb={"figure": {"name": "fig-six", "caption": "The traces of the six people, and their sum. Ada, Ben and Cleo each repeat on Tuesday what they did on Monday; Dan, Eve and Fay do not. The sum does not show who is who."}, "image": {"alt": "Seven small grids of places by hours: the traces of Ada, Ben, Cleo, Dan, Eve and Fay, and their sum. Ada, Ben and Cleo repeat Monday on Tuesday; the sum holds counts from 0 to 4."}} tags=["hide-input"]
figures.show_six(six, hours)

# %% [markdown]
# ## Does adding up protect anybody?
#
# A sum hides who contributed what. Is that enough? We look at two attackers.
#
# **The first attacker knows where everybody except Dan was.** The literature on differential privacy calls this the *informed* attacker. They compute the counts of the other five people and subtract them from the published
# counts. Subtracting two tables that differ in one person is called a **differencing attack**.

# %%
others = counts - six.trace("Dan")  # the attacker computes this from five known traces
pd.DataFrame(counts - others, places, hours)

# %% [markdown]
# What remains is Dan's complete trace. A sum therefore hides Dan only from people who do not know everybody else.
#
# **The second attacker knows only Dan's trace.** They have no information about the other five, and they want to know
# whether Dan was counted. They look at the six cells in which Dan would be, and add up the published counts in them:

# %%
dan = six.trace("Dan")
print("Dan was counted:    ", counts[dan == 1], "add up to", counts[dan == 1].sum())
print("Dan was not counted:", others[dan == 1], "add up to", others[dan == 1].sum())

# %% [markdown]
# The sum is 13 if Dan was counted and 7 if he was not. The difference is 6, the number of his visits. It does not
# depend on what the other people did. This sum is our first **membership inference attack**, and we call it the **sum
# attack**. Written as a formula, the attacker computes the score
#
# $$ \text{score}(A) = \sum_{(s,t) \,:\, L^{\text{Dan}}_{s,t} = 1} A_{s,t}. $$
#
# How well does this work? The attacker sees a single sum, such as 13, and must judge whether it is large. To judge this,
# they need to know how the sum varies from one group of people to another. One group of six people cannot show that.
# We return to this question with [many groups](foundations-attack), first of people and then of flights.

# %% [markdown]
# ## What does random noise change?
#
# The most common defense adds random noise to every count before publication. *Laplace noise* of scale $b$ has the
# density $\frac{1}{2b} e^{-|x|/b}$. It is positive or negative with equal probability, large values are rare, and its
# absolute value is $b$ on average. We choose the scale $1/\varepsilon$, where $\varepsilon$ is a parameter set by the data
# holder: the smaller $\varepsilon$ is, the more noise is added. The [next section](foundations-dp) explains what
# $\varepsilon$ guarantees. The whole defense is one line:

# %%
rng = np.random.default_rng(2013)
epsilon = 1.0
noisy = counts + rng.laplace(scale=1 / epsilon, size=counts.shape)
pd.DataFrame(noisy, places, hours).round(1)

# %% [markdown]
# The informed attacker subtracts the counts of the other five people again:

# %%
pd.DataFrame(noisy - others, places, hours).round(1)

# %% [markdown]
# Dan's trace can no longer be read off. Most of the six cells with a visit cannot be distinguished from the 26 cells
# without one, because a single visit is no larger than the typical noise.
#
# The sum attack survives much better. It adds up several noisy cells, and noise that is positive in one cell and negative
# in another partly cancels. To see this, we repeat the release 10,000 times with Dan and 10,000 times without him. Only
# six noisy cells matter for the attack, so we draw the noise of these six only. A real attacker sees a single release.
# The repetitions show how much this release may vary.

# %%
in_six_cells = rng.laplace(scale=1 / epsilon, size=(20_000, 6))
noise = in_six_cells.sum(axis=1)
is_dan_in = np.repeat([1, 0], 10_000)
sums = np.where(is_dan_in == 1, 13, 7) + noise
with_dan, without_dan = sums[is_dan_in == 1], sums[is_dan_in == 0]
print(f"mean with Dan {with_dan.mean():.1f}, without {without_dan.mean():.1f}")
print(f"standard deviation of the noise in the sum: {noise.std():.1f}")
print(f"sum above 10: {(with_dan > 10).mean():.0%} of the releases with Dan", end=", ")
print(f"{(without_dan > 10).mean():.0%} of those without")

# %% mystnb={"figure": {"name": "fig-six-noise", "caption": "The sum over Dan's six cells in 10,000 noisy releases with Dan and in 10,000 without (ε = 1). The two distributions overlap, but their means (dashed) are six visits apart: noise in several cells partly cancels, Dan's visits do not."}, "image": {"alt": "Two overlapping histograms of the noisy sum over Dan's cells, one centred at 7 without Dan, one at 13 with Dan."}} tags=["hide-input"]
figures.show_scores(
    is_dan_in, sums, "sum of noisy counts over Dan's six cells", "releases"
)

# %% [markdown]
# Consider an attacker who says "Dan was counted" whenever the sum is above 10. They are right in 82% of the releases, whether or not Dan was counted. But this threshold lies halfway between 7 and 13.
# To choose it, the attacker must know that the other five people add 7 to the sum. The second attacker above does not know this. For them, the sum also varies because they do not know which other people were counted.
# We measure this variation [below](foundations-attack). Here we look at the noise alone.
#
# The noise hides Dan's six visits badly, and there is a simple reason. If the target has $n$ visits, membership shifts the sum by $n$. The variance of Laplace noise
# of scale $1/\varepsilon$ is $2/\varepsilon^2$, so the noise in a sum of $n$ cells has standard deviation
# $\sqrt{2n}/\varepsilon$. The shift divided by this standard deviation is
#
# $$ \frac{n}{\sqrt{2n}/\varepsilon} = \varepsilon \sqrt{n/2}. $$
#
# This ratio grows with the number of visits. For Dan's six visits at $\varepsilon = 1$ it is 1.7. For a person with 50 visits it
# is 5, and the noise alone hardly hides them.
#
# (foundations-rounding)=
# ### Rounding and clipping
#
# Most publishers round noisy counts and *clip* them, so that nobody reads "-1.3 people". Clipping replaces values below 0 by
# 0 and values above the group's size by that size.

# %%
published = noisy.round().clip(0, 6)
pd.DataFrame(published.astype(int), places, hours)

# %% [markdown]
# Clipping has two side effects. In a cell where nobody was, negative noise is cut off and positive noise remains. The release
# then reports people who were never there. We add the same noise to a count of 0 and to a count of 1:

# %%
noise_of_cell = rng.laplace(scale=1 / epsilon, size=100_000)
means_published = [(n + noise_of_cell).round().clip(0, 6).mean() for n in (0, 1)]
print(f"mean published count of an empty cell: {means_published[0]:.2f}")
print(f"of a cell with one person: {means_published[1]:.2f}", end=", ")
print(f"difference: {means_published[1] - means_published[0]:.2f}")

# %% [markdown]
# An empty cell is published with about half a person on average at $\varepsilon = 1$. The second side effect concerns the attack. A visit to a cell where nobody else is raises the mean
# published count by only 0.69 instead of 1. Clipping therefore removes part of what the attack adds up, and it does so precisely in the cells where the target is alone.

# %% [markdown]
# (foundations-dp)=
# ## What does differential privacy guarantee?
#
# We have seen that noise hides a single visit well and a sum of many visits badly. {term}`Differential privacy <differential privacy>` turns
# this observation into a precise statement. It limits how much *one change of the data* can change the probability of
# *any* statement about the release.
#
# ````{prf:definition} Release and differential privacy
# :label: def-release
# A **release** $\bar A = \mathcal M(D)$ is the output of a randomized **mechanism** $\mathcal M$ on a dataset $D$ of traces. Let
# $D \sim D'$ denote that $D$ and $D'$ are **neighbours**. The mechanism is **$\varepsilon$-differentially private** if
# for all neighbours $D \sim D'$ and all sets $R$ of possible releases
#
# $$ \Pr[\mathcal M(D) \in R] \le e^{\varepsilon} \Pr[\mathcal M(D') \in R]. $$
#
# What two neighbours differ in is the **unit of privacy**.
# ````
#
# Imagine that Dan's data are in $D$ and not in $D'$, and that you may choose any statement about the release, for
# example "the sum over Dan's cells is above 10". The statement is then at most $e^{\varepsilon}$ times as probable with Dan as
# without, and the other way round. If $\varepsilon$ is 0.1, this factor is 1.1, and an observer learns hardly anything. If
# $\varepsilon$ is 10, the factor exceeds twenty thousand, and the inequality excludes almost nothing. The number $\varepsilon$ is also called the
# **privacy budget**.
#
# To use the definition, a data holder must answer three questions: which datasets are neighbours, what is the unit in which
# they differ, and how much noise does this require? Each question gets a section. A fourth section says what may be done with
# the noisy counts afterwards.
#
# ### Neighbours: which change must stay hidden?
#
# Two conventions are common.
#
# - **Add/remove** neighbours (also called *unbounded* differential privacy) differ in the presence of one unit. Example: the
#   traces of all six people, and those of the five people other than Dan.
# - **Replace-one** neighbours (also called *bounded*) have the same number of units, and one of them is exchanged. Example:
#   a group of five with Dan, and the same group with Eve in his place.
#
# Replacing Dan by Eve is one removal and one addition. A mechanism that is $\varepsilon$-differentially private for add/remove
# neighbours is therefore $2\varepsilon$-differentially private for replace-one neighbours. The membership game below exchanges the target for
# another user, so it concerns replace-one neighbours.
#
# *Counterexample.* Two datasets that look similar need not be neighbours. If Ada and Ben both join, 16 visits are added.
# One very busy person could add the same number of visits, but here two people have joined. We can add them one after the
# other. Each step changes the probability of a statement by a factor of at most $e^{\varepsilon}$, so both together change
# it by at most $e^{2\varepsilon}$. In general, $k$ units are protected with $k\varepsilon$ instead of $\varepsilon$. This rule is called
# **group privacy**.
#
# ### The unit: a visit, a day or a person?
#
# The neighbours differ in one *unit*, and the unit can be small or large:
#
# | unit of privacy | neighbours differ in | example of what is protected |
# |---|---|---|
# | **event level** | one visit: one place in one hour of one user | whether Dan was at the station on Tuesday at 9 |
# | **user-day level** | all visits of one user on one day | what Dan did on Tuesday |
# | **user level** | the complete trace of one user | whether Dan was counted at all |
#
# *Example.* Suppose that a release is event-level private with $\varepsilon = 1$. An observer knows every other visit of
# everybody, including Dan's other five. They wonder only whether Dan was at the station on Tuesday at 9. Whatever they believed before,
# the release changes their odds of this by a factor of at most 2.7.
#
# *Counterexample.* The same release does not hide that Dan was counted. An observer who knows his trace, and wonders whether
# he was counted at all, asks about six visits at once: either all six are in the counts, or none is. By group
# privacy they are protected with $6\varepsilon$ only. The probability of a statement may then change by a factor of
# 403 instead of 2.7. We can compare this with the 10,000 noisy releases from above:

# %%
print(f"largest factor for one visit: {np.exp(1):.1f}, for six visits: {np.exp(6):.0f}")
ratio = (with_dan > 10).mean() / (without_dan > 10).mean()
print(f'factor of "the sum over Dan\'s cells is above 10": {ratio:.1f}')

# %% [markdown]
# For this one statement, the presence of Dan changes the probability by a factor of 4.5. That is more than 2.7, and
# event-level privacy allows it, because all six of Dan's visits are at stake.
#
# A value of $\varepsilon$ therefore means nothing until its unit is stated. When you read "$\varepsilon = 1$", ask for which
# unit.
#
# (foundations-sensitivity)=
# ### Sensitivity: how much noise is needed?
#
# The {term}`sensitivity` $\Delta$ of the counts is the largest total change that exchanging a dataset for a neighbour can
# cause, added up over all cells:
#
# $$ \Delta = \max_{D \sim D'} \sum_{s,t} \bigl| A_{s,t} - A'_{s,t} \bigr|, $$
#
# where $A$ and $A'$ are the aggregates of $D$ and $D'$. Laplace noise of scale $\Delta/\varepsilon$ in every cell is
# $\varepsilon$-differentially private. This is called the **Laplace mechanism**.
#
# *Why is this enough noise?* Take a possible release $r$. It comes from the counts $A$ if the noise in each cell is
# $r_{s,t} - A_{s,t}$, and from $A'$ if the noise is $r_{s,t} - A'_{s,t}$. The noise is drawn independently in each cell, so
# the densities of the cells are multiplied. The ratio of the two densities of $r$ is
#
# $$ \prod_{s,t} \frac{e^{-|r_{s,t} - A_{s,t}|/b}}{e^{-|r_{s,t} - A'_{s,t}|/b}}
# = \exp\Bigl(\tfrac1b \sum_{s,t} \bigl( |r_{s,t} - A'_{s,t}| - |r_{s,t} - A_{s,t}| \bigr)\Bigr)
# \le \exp\Bigl(\tfrac1b \sum_{s,t} |A_{s,t} - A'_{s,t}|\Bigr) \le e^{\Delta/b}. $$
#
# The first inequality is the triangle inequality in each cell. With $b = \Delta/\varepsilon$ the bound is $e^{\varepsilon}$. If it
# holds for the density of every release, it holds for the probability of every set of releases, too.
#
# *Example in one cell.* At the station on Monday at 12 the count is 2 with Dan and 1 without him. How probable is a noisy count
# above 2? With Dan the noise must be positive, and without him it must exceed 1:

# %%
from scipy.stats import laplace

above_2 = {n: laplace(loc=n, scale=1 / epsilon).sf(2) for n in (2, 1)}
print(f"count 2: {above_2[2]:.3f}, count 1: {above_2[1]:.3f}", end=", ")
print(f"ratio {above_2[2] / above_2[1]:.3f}")

# %% [markdown]
# The ratio is $e = 2.718$, exactly the largest that is allowed at $\varepsilon = 1$.
#
# *Example.* Take add/remove neighbours. One visit changes one count by 1, so $\Delta = 1$ at the event level. Adding or
# removing a person changes as many counts as that person has visits. If nobody can have more than eight visits, then $\Delta = 8$ at the user
# level. At $\varepsilon = 1$ the noise then has scale 1 at the event level and scale 8 at the user level.
#
# For replace-one neighbours the sensitivity is twice as large, because exchanging a person takes away up to eight visits
# and adds up to eight others. The same noise then guarantees $2\varepsilon$, as we have seen. In this book, the noise is
# calibrated to add/remove neighbours unless a page says otherwise.
#
# *Counterexample.* Sensitivity is a property of all possible data and not of the data at hand. The busiest of
# our six people has eight visits. If a seventh person with 20 visits can join, noise of scale 8 is not enough for them. A
# data holder must fix $\Delta$ in advance, or enforce it by dropping visits of busier people. Like Knock-Knock, we will set
# $\Delta$ to the largest number of visits in the data. Strictly speaking, this already reveals something about one person.
#
# *A common misunderstanding.* Large counts do not need more noise than small ones. Sensitivity depends on how much one unit can change the counts, and not on how large the counts are. A count of four and a count of four million need
# the same noise. This is why noise hurts small counts most.
#
# ### Post-processing: what may be done afterwards?
#
# Any computation on a release that does not look at the original data again is called {term}`post-processing`. It keeps the
# guarantee, and the reason takes one line. Let $f$ be the computation. The result lies in a set $R$ if the release lies in $f^{-1}(R)$, the set of all releases that $f$ maps into $R$. So
#
# $$ \Pr[f(\mathcal M(D)) \in R] = \Pr[\mathcal M(D) \in f^{-1}(R)] . $$
#
# The definition holds for every set of releases, and so also for $f^{-1}(R)$. If $f$ itself draws random numbers, the argument holds for each of its draws, and then for their mean.
#
# *Example.* Rounding and clipping need only the noisy count itself and the size of the group. If the group's size is public and
# the same for all neighbours, rounding and clipping are post-processing. This condition holds in the membership game below.
#
# *Counterexample.* Suppose that the publisher adds noise only to counts above 0, and publishes every 0 exactly. To
# do so they must look at the true counts. If the noisy counts are neither rounded nor clipped, they are practically never exactly 0.
# A published 0 in one of Dan's cells then proves that Dan was not counted, which no $\varepsilon$ allows.
#
# ````{admonition} Clipping at the size of the six
# :class: note
# When we clipped at 6 above, the noise was calibrated to the event level. There nothing is lost, because neighbours differ in one visit
# and the group keeps its size. At the user level we would have to be careful. Without Dan the group has five members, and a
# count of 6 would be clipped to 5. A published 6 would then prove that Dan was counted. At the user level the size of the group
# is the same for all neighbours only in the replace-one setting.
# ````

# %% [markdown]
# ## Real traces: flights
#
# Few data holders permit a book to distribute the traces of their users. We use flights instead: the records of all flights that left New York in 2013 are public. A
# flight visits its origin in the hour of departure and its destination in the hour of arrival. For the same airports and the
# same four weeks, there are two ways to define a user:
#
# - **by flight number**, a line of the timetable such as UA1545. It returns every week, like a commuter;
# - **by tail number**, one aircraft such as N14228. It goes where it is needed, like a cab.
#
# These users are flights and aircraft, not people. What we learn from them is how the attacks depend on the structure of the data.
#
# The following values can be changed when the page is run again:

# %% tags=["parameters"]
datasets = ["flights-by-number", "flights-by-tail"]
path = ""
records = ""
columns = {}
lag = "7D"
group_sizes = [10, 30, 100, 300]
n_groups = 200
n_targets = 20
epsilons = [0.1, 0.3, 1.0, 10.0]
seed = 2013

# %%
from lib.datasets import describe
from lib.papers import fitting
from lib.papers.foundations import experiments as foundations

populations = fitting.load_populations(datasets, path, records, columns)
group_sizes = fitting.foundations(populations, group_sizes)
plots.show_table(describe(populations), "data")

# %% [markdown]
# Users with fewer than 16 visits are left out. This leaves 1,054 flight numbers, and we draw the same number of aircraft at
# random. The data are *sparse*: on average, a user visits fewer than one cell in a thousand. About four cells in five stay empty even when
# everybody is counted. Summed over all users and places, a week looks like this:

# %% mystnb={"figure": {"name": "fig-week", "caption": "Visits in each hour of a week, over all users and places. Both populations follow the same daily rhythm. The total does not show which of them returns next week."}, "image": {"alt": "Line chart of visits per hour over the first week of each dataset: a daily rhythm with quiet nights."}} tags=["hide-input"]
figures.show_week(populations)

# %% [markdown]
# The loader accounts for every row that it read (two rows for each flight). Open the next cell to see how many were set aside and why.

# %% tags=["hide-input", "hide-output"]
from lib.datasets import row_counts

plots.show_if_any(row_counts(populations), "rows", "No dataset was read from a file.")

# %% [markdown]
# (foundations-regularity)=
# ## How regular are these users?
#
# The papers say that commuters are *regular* and that cabs are not. Knock-Knock concludes that regularity and sparseness make its attack easier. To discuss
# this, we need a number.
#
# ````{prf:definition} Recurrence
# :label: def-recurrence
# The **recurrence** of a user at lag $\ell$ is the share of the user's visits $(s, t)$ that are repeated in $(s, t + \ell)$. Visits for which
# $t + \ell$ is after the end of the data do not count.
# ````
#
# At a lag of one week this is a weekly return rate to the same place at the same hour. A perfect timetable has a recurrence
# of 1. Someone who never returns to a place at the same hour has a recurrence of 0. For our six people we use a lag of one day.
# Fay, for example, makes four visits on Monday. We multiply her two days cell by cell to count those that she repeats on Tuesday:

# %%
monday, tuesday = np.split(six.trace("Fay"), 2, axis=1)
print(f"Fay: {(monday * tuesday).sum()} of {monday.sum()} visits are repeated")
six.recurrence("1D").round(2).to_dict()  # the library, for all six

# %% [markdown]
# Ada, Ben and Cleo repeat Monday on Tuesday. Dan and Eve repeat nothing, and Fay one of her four Monday visits. For the flights we use a lag
# of one week. The last column is a baseline: how many of a user's visits does *another* user make a week later?

# %%
repeated = foundations.recurrences(fitting.lasting(populations, lag), lag)
table = figures.recurrence_table(repeated)
plots.show_if_any(table, "recurrence", "No recurrence without a later epoch.")

# %% mystnb={"figure": {"name": "fig-recurrence", "caption": "Distribution of recurrence over users, after the first week. The curve at x gives the share of users whose recurrence is at most x. Nearly all flight numbers repeat nearly all visits, and nearly all aircraft repeat almost none, although both use the same airports in the same hours."}, "image": {"alt": "Cumulative distribution of per-user recurrence after the first week. Flight numbers lie almost all near 1, tail numbers almost all near 0."}} tags=["hide-input"]
figures.show_recurrence(repeated, lag)

# %% [markdown]
# The flight numbers have a recurrence of 0.96 after the first week, and the aircraft 0.04. Over all weeks, even the aircraft repeat more of their visits (0.03) than another
# user would (0.01).
#
# ````{admonition} How to read this table
# :class: note
# - Brackets in this chapter are 95% confidence intervals. Intervals of a mean over users or targets use Student's $t$ distribution.
# - Over all weeks the recurrence of flight numbers is only 0.70. Hours on this page are UTC, and New York's clocks went forward on Sunday, 10 March
#   2013. A flight that leaves every Monday at eight leaves at 13 UTC in the first week and at 12 UTC afterwards. {numref}`foundations-daylight` examines this.
# ````

# %% [markdown]
# (foundations-attack)=
# ## How well can one target be recognised?
#
# To measure the attack we need an experiment with many groups. It is called the **membership game**:
#
# 1. A challenger draws $m - 1$ users at random. With probability 1/2 the target completes the group, and otherwise another random user does.
# 2. The challenger shows the counts of the group to the attacker, who knows the target's trace and nobody else's.
# 3. The attacker answers with a number, the **score**. A higher score means a stronger belief that the target is in the group.
#
# The score is the sum attack from above: the attacker adds up the counts in the target's cells. The target adds 1 to the count of each of these cells. The user who takes
# the target's place adds 1 only to those cells that both of them visit.
#
# Here is the game among the six people, with Dan as the target and groups of three. There are ten groups with Dan and ten without him, so we can list them all
# instead of drawing them:

# %%
from itertools import combinations

threes = list(combinations(six.users, 3))
has_dan = np.array(["Dan" in group for group in threes])
counts_of_threes = np.array(
    [sum(six.trace(user) for user in group) for group in threes]
)
score_of_three = counts_of_threes[:, dan == 1].sum(axis=1)
print("with Dan:   ", np.sort(score_of_three[has_dan]))
print("without Dan:", np.sort(score_of_three[~has_dan]))

# %% [markdown]
# The scores with Dan are nearly all higher than those without. A group with Dan scores at least 6, because of his own visits. The score of a group without
# him comes only from members who happen to be in Dan's cells, and it is 7 at most.
#
# For the flights we run the game 2,000 times for one target, in groups of the largest size. Instead of listing all groups, the library draws 1,000 with the target and
# 1,000 without. The attack is the line that computes `scores`:

# %%
from lib.aggregation import aggregate, aggregate_cells, sample_member_groups

name, traces = next(iter(populations.items()))
everybody, size = np.arange(traces.n_users), max(group_sizes)
target = int(foundations.targets_of(traces, 1, seed)[0])
cells = np.flatnonzero(traces.trace(traces.users[target]))

groups, members = sample_member_groups(everybody, target, 2000, size, rng)
in_cells = aggregate_cells(traces, groups, cells)  # counts in the target's cells only
scores = in_cells.sum(axis=1)
print(f"{traces.users[target]} has {len(cells)} visits; groups of {size}:", end=" ")
print(f"{(members == 1).sum():,} with it, {(members == 0).sum():,} without")
print(f"mean score with the target {scores[members == 1].mean():.1f}", end=", ")
print(f"without {scores[members == 0].mean():.1f}")

# %% mystnb={"figure": {"name": "fig-scores", "caption": "Scores of 1,000 groups with one target and of 1,000 groups without. The means (dashed) differ by almost the number of the target's visits, but the scores also vary with the other members of the group, so that the distributions overlap."}, "image": {"alt": "Two overlapping histograms of scores: groups without the target to the left, groups with the target to the right."}} tags=["hide-input"]
figures.show_scores(members, scores)

# %% [markdown]
# ### From scores to decisions
#
# In the end the attacker must say yes or no. They choose a threshold and say "member" if the score is above it. Every threshold leads to two
# kinds of errors. If the attacker says "member" for a group without the target, this is a **false positive**. Failing to say "member" for a group with the target is
# a **false negative**. The **false positive rate** (FPR) is the share of the groups without the target for which the attacker says "member". The **true positive rate** (TPR)
# is the same share among the groups with the target. As the threshold falls, both rates rise. If we plot the TPR against the FPR for all thresholds, we get the **ROC curve**.

# %%
rows = []
for threshold in np.quantile(scores[members == 0], [0.99, 0.9, 0.5]):
    said_member = scores > threshold
    fpr, tpr = said_member[members == 0].mean(), said_member[members == 1].mean()
    rows.append({"threshold": f"{threshold:.0f}", "FPR": fpr, "TPR": tpr})
plots.show_table(pd.DataFrame(rows).set_index("threshold").round(3), "thresholds")

# %% mystnb={"figure": {"name": "fig-roc", "caption": "The ROC curve of the sum attack on one target runs above the diagonal, which is where an attacker who guesses lies. The shaded area is the AUC. The dot marks an attacker who says \"member\" for one in ten groups without the target."}, "image": {"alt": "ROC curve of the attack above the diagonal of guessing, the area below it shaded, a dot at a false positive rate of 0.1."}} tags=["hide-input"]
figures.show_roc(members, scores)

# %% [markdown]
# ### The AUC: compare pairs
#
# The area under the ROC curve, the **AUC**, summarises all thresholds in one number. It can also be read as a probability, which is easier to compute: draw one group with the target and one without,
# and ask how often the first has the higher score. A tie counts half.
#
# Look at the scores of the six people again. Ten groups with Dan and ten without make 100 pairs. In how many of them does the group without Dan have the higher score?

# %%
gap = score_of_three[has_dan][:, None] - score_of_three[~has_dan][None, :]
print(f"Dan's group is higher in {(gap > 0).sum()} pairs", end=", ")
print(f"equal in {(gap == 0).sum()}, lower in {(gap < 0).sum()}")
print(f"AUC: {(gap > 0).mean() + (gap == 0).mean() / 2:.2f}")

# %% [markdown]
# Only the pair with scores 6 and 7 is in the wrong order. The 1,000 groups with the flight from above and the 1,000 without it make a million pairs. The function `metrics.auc` compares them for us:

# %%
from lib import metrics

print(f"AUC for the flight: {metrics.auc(members, scores):.2f}")

# %% [markdown]
# ````{prf:definition} AUC, privacy loss, and TPR at a low FPR
# :label: def-auc
# The **AUC** is the area under the ROC curve. It is the probability that a random group with the target scores higher than a random group without;
# 1/2 is guessing. Knock-Knock's **privacy loss** is $\max(0,\ 2\,\mathrm{AUC} - 1)$. The **TPR at an FPR of 10%** is the
# share of groups with the target that the attacker identifies, if they may say "member" for at most one in ten of the groups without the target.
# ````
#
# Do not confuse this privacy loss with others of the same name. In the literature on differential privacy, the privacy loss is the logarithm of the ratio of the two probabilities in {prf:ref}`def-release`. Aggregation privacy uses the term for a reduction of the attacker's error. Knock-Knock's privacy loss is only the AUC on another scale, on which 0 is guessing and 1 is certainty.
#
# The AUC averages over all thresholds, including those that nobody would use. An attacker who can afford few false positives needs a high TPR at a low FPR. We therefore report both, for this target and below for many targets.

# %%
# `means` averages and adds 95% intervals, and `bracketed` writes both as text
from lib.papers.summaries import bracketed, means, scored

plots.show_table(scored(members, {"sum": scores}), "one-target")

# %% [markdown]
# *Brackets are 95% intervals for this one target. The interval of the AUC describes the variation between groups and uses Newcombe's method. The interval of the TPR is conservative, and therefore wide.*
#
# ### Is it really the target?
#
# An attack can succeed for the wrong reason. As a control, we compute the same sum over the cells of another user, who is in *none* of the groups. We call such a user a
# **non-member control**. If the control shares few cells with the target, the control's sum cannot tell groups with the target from groups without, and the AUC must be near 1/2. Any user may be in one of the groups above. We therefore draw new groups, from which
# the control is left out. Here is one control:

# %%
control = int(foundations.targets_of(traces, 2, seed)[1])  # drawn after the target
without_control = np.setdiff1d(everybody, [control])
its_cells = np.flatnonzero(traces.trace(traces.users[control]))

control_rng = np.random.default_rng(seed)
new_groups, new_members = sample_member_groups(
    without_control, target, 2000, min(size, len(without_control) - 1), control_rng
)
new_scores = aggregate_cells(traces, new_groups, its_cells).sum(axis=1)
n_shared = len(np.intersect1d(its_cells, cells))
print(
    f"{traces.users[control]} shares {n_shared} of its {len(its_cells)} cells", end=", "
)
print("AUC over its cells:", end=" ")
print(f"{metrics.auc(new_members, new_scores):.2f}")

# %% [markdown]
# This control shares no cell with the target. One control may come out near 1/2 by luck. The library does the same with 20 controls, and the table shows their mean:

# %%
controls = foundations.controls(
    traces, target, group_size=size, n_groups=n_groups, n_controls=20, seed=seed
)
shared = [traces.trace(each).ravel()[cells].sum() for each in controls["control"]]
print(
    f"{shared.count(0)} of {len(shared)} controls share no cell with the target",
    end=", ",
)
print(f"no control shares more than {max(shared, default=0)}")
mean_control = bracketed(means(controls.assign(cells="of a control"), ["cells"], "AUC"))
plots.show_if_any(mean_control, "controls", "Groups of this size leave nobody out.")

# %% [markdown]
# Nineteen of the 20 controls share no cell with the target, and the other one shares four. The interval of the mean AUC contains 1/2. So we find no sign that the attack recognises anything but the target.
#
# ````{admonition} What this game leaves out
# :class: note
# Computing the score requires no training. Choosing a threshold does. For the ROC curve we used the labelled groups themselves, which a real attacker would
# not have. [](knock_knock.ipynb) and [](zero_knowledge.ipynb) differ in how their attackers learn what scores to expect.
# ````

# %% [markdown]
# (foundations-many)=
# ## Does it work for many targets?
#
# One target is an anecdote. We now attack 20 targets of each dataset, in groups of several sizes. Each group has three releases: the raw counts, counts with event-level
# noise, and counts with user-level noise. Noisy counts are rounded and clipped, and $\varepsilon$ is 1. For the user level, $\Delta$ is the largest number of visits of any user. For the single target used above, the whole experiment fits into a few lines. They print what the target adds to the mean score, and the AUC, before and after rounding and clipping:

# %%
epsilon = sorted(epsilons)[len(epsilons) // 2]
busiest = traces.visits().max()  # the sensitivity at the user level
scales = {"raw": 0, "event level": 1 / epsilon, "user level": busiest / epsilon}
noise_rng = np.random.default_rng(seed)
for unit, scale in scales.items():
    noisy = in_cells + noise_rng.laplace(scale=scale, size=in_cells.shape)
    published = noisy.round().clip(0, size)  # post-processing
    print(f"{unit}, noise of scale {scale:.0f}")
    for kind, table in (("not clipped", noisy), ("rounded and clipped", published)):
        sums = table.sum(axis=1)
        added = sums[members == 1].mean() - sums[members == 0].mean()
        auc = metrics.auc(members, sums)
        print(f"    {kind:20} the target adds {added:5.1f}, AUC {auc:.2f}")

# %% [markdown]
# For this target, most of the loss at the event level comes from rounding and clipping. The noise alone lowers the AUC from 0.84 to 0.83. Rounding and clipping lower it further to 0.80. The reason is the second [side effect](foundations-rounding) of clipping. In the cells where nobody else is, a visit counts for less, and the target adds only 39.5 to the score instead of 46.2.
# At the user level, the noise is so large that even the means over 1,000 groups are imprecise.
#
# ### Is there a better attack on raw counts?
#
# Yes. If the target is in the group, then every one of the target's cells contains at least one person. A count of 0 in one of these cells therefore *proves* that the target is absent. The **rule of no zeros** says "member" if none
# of the target's cells is 0. Its attacker knows no more than before. They never miss a group with the target, so all their errors are false positives. The rule has only two scores, so ties between two groups are common. Because its true positive rate is 1, its AUC is 1 minus half the false positive rate. For the single target used above, the rule is the first line of this code:

# %%
no_zero = (in_cells > 0).all(axis=1)
print(f"AUC of the rule {metrics.auc(members, no_zero):.2f}", end=", ")
print(f"false positive rate {no_zero[members == 0].mean():.2f}")

# %% [markdown]
# The rule needs raw counts. On noisy counts a published 0 no longer proves anything, because the noise may have turned a 1 into a 0. {ref}`An exercise <zk-rule>` of a later chapter asks how well the rule works if the attacker knows only a few visits.
#
# ### How do both attacks do in larger groups?
#
# The library plays the game above with 20 targets of each dataset, in groups of every size. The sum is evaluated on the three releases, and the rule on the raw counts of the same groups:

# %%
from lib.papers.foundations import live

game = dict(n_groups=n_groups, n_targets=n_targets, seed=seed)
games = foundations.games(
    populations, epsilons=[epsilon], group_sizes=group_sizes, **game
)
of_rule = live.no_zero_games(populations, group_sizes=group_sizes, **game)
both_attacks = pd.concat(
    [
        games.assign(release="sum, " + games["release"]),
        of_rule.assign(release="rule of no zeros, raw"),
    ]
)
attack = means(both_attacks, ["data", "release", "group size"], "AUC")
attack = attack.reindex(list(populations), level="data")

# %% mystnb={"figure": {"name": "fig-sum-attack", "caption": "Mean AUC over 20 targets, with 95% intervals, in groups of several sizes; the dotted line is guessing. Three lines show the sum attack, on raw counts and with event-level and user-level noise at ε = 1. The fourth line shows the rule of no zeros on the same raw counts. Event-level noise hardly lowers the AUC of the sum, and user-level noise nearly stops the sum. Groups of 300 protect flight numbers (left) from the sum much better than from the rule, and they hardly protect aircraft (right) from either."}, "image": {"alt": "Two panels, flight numbers and aircraft, with the mean AUC against group size: the sum on raw counts, with event-level noise and with user-level noise, and the rule of no zeros on raw counts, with intervals. For the flight numbers the sum falls with group size on raw counts and with event-level noise, and the rule stays higher; user-level noise lies at guessing."}} tags=["hide-input"]
figures.show_attack(attack)

# %% tags=["hide-input"]
by_size = bracketed(attack)["mean [95%]"].unstack("group size", sort=False)
plots.show_table(by_size, "sum-attack")

# %% [markdown]
# *Mean AUC, with 95% intervals over targets. The next table shows the mean TPR of the sum at an FPR of 10% in the same games. An attacker who guesses has a TPR of 0.1.*

# %%
tprs = means(games, ["data", "release", "group size"], "TPR at 10% FPR")
tpr_by_size = bracketed(tprs)["mean [95%]"].unstack("group size", sort=False)
plots.show_table(tpr_by_size, "sum-attack-tpr")

# %% [markdown]
# *The rule of no zeros has a TPR of 1. The next table has its mean FPR.*

# %%
fprs = means(of_rule, ["data", "group size"], "FPR")
fpr_by_size = bracketed(fprs)["mean [95%]"].unstack("group size", sort=False)
plots.show_table(fpr_by_size, "no-zeros-fpr")

# %% [markdown]
# How much of the loss at the event level is due to the noise alone? We repeat the game with the same groups and the same noise, but without rounding and clipping, and print the largest losses over datasets and group sizes:

# %%
from lib.mechanisms import Laplace

unclipped = foundations.games(
    populations, releases={"alone": [Laplace(epsilon)]}, group_sizes=group_sizes, **game
)
clipped_noise = f"event-level, ε = {epsilon:g}"
for measure in ("AUC", "TPR at 10% FPR"):
    every_game = pd.concat([games, unclipped])
    mean_of = every_game.groupby(["data", "group size", "release"])[measure].mean()
    by_release = mean_of.unstack("release")
    loss = by_release["raw"] - by_release[clipped_noise]
    of_noise = by_release["raw"] - by_release["alone"]
    print(f"{measure}: largest loss {loss.max():.2f}, of which", end=" ")
    print(f"{of_noise[loss.idxmax()]:.2f} by the noise alone", end=" ")
    print("({}, groups of {})".format(*loss.idxmax()))

# %% [markdown]
# The attackers know nobody but the target. Still, on raw counts the sum does much better than guessing in groups of up to 300. In groups of ten it makes almost no
# mistake. Event-level noise does not stop the attack, because it is calibrated to a single visit and the attack adds up dozens of them. Rounded and clipped, it lowers the mean AUC by at most 0.04. At a low FPR it costs the attacker more: the mean TPR falls by up to 0.15. In groups of 30, for example, the attacker missed hardly any flight number, and now misses 15% of them. The noise alone is responsible for 0.02 of the first loss and 0.11 of the second. The rest is due to rounding and clipping. User-level noise reduces the AUC almost to 1/2.
#
# *Does a larger group protect its members?* Against the sum, it protects flight numbers. As groups grow from 10 to 300 users, their AUC falls from 1.00 to 0.80, and their TPR from 1.00 to 0.48. It hardly protects aircraft: in groups of 300 their AUC and their TPR are both still 0.99.
#
# Against the rule of no zeros, a group of 300 protects flight numbers much less. The mean AUC of the rule is 0.93 there, and that of the sum 0.80. The rule wrongly says "member" for 15% of the groups without the target. So the size of a group alone does not tell how well its members are protected. The [next section](foundations-quiet) explains the differences.
# The figure shows what two attacks achieve. It does not show what the best attack achieves.
#
# ````{admonition} What this does not show
# :class: note
# - Twenty targets were drawn at random from all users. The most exposed user may be at greater risk than these averages suggest.
# - The non-member control above was evaluated for one target and on raw counts only.
# ````

# %% [markdown]
# (foundations-quiet)=
# ## Cells with few other users reveal most
#
# Look at Dan's six cells again. With Dan, their counts are 4, 2, 3, 1, 1 and 2. In the two cells with a count of 1 there is nobody but Dan. If he were absent, these two cells would be 0. The count of 4, in contrast, would
# be 3, and an attacker who does not know the others cannot say which of the two is normal.
#
# The same holds in large groups. In a cell $c$, let the number of other users have mean $\lambda_c$. If this number follows a Poisson distribution, its variance
# is also $\lambda_c$. If the target is in the group, a sum over a set $C$ of its cells is $|C|$ higher, and its variance is $\sum_{c \in C} \lambda_c$. Every cell shifts the sum by 1, but
# a busy cell adds much more to the variance than a quiet one. Adding up fewer but quieter cells can therefore be *better*. The variances may be added only if the counts of different cells are uncorrelated. We return to this condition below.
#
# We test this with the single target used above. We rank the target's cells by how many users visit them in total, and add up only the quieter half:

# %%
visitors = aggregate_cells(traces, [everybody], cells)[0]
half = len(cells) // 2
quiet, busy = np.argsort(visitors)[:half], np.argsort(visitors)[-half:]
for which, chosen in (("all", slice(None)), ("quiet half", quiet), ("busy half", busy)):
    auc = metrics.auc(members, in_cells[:, chosen].sum(axis=1))
    print(f"{which:10}: {visitors[chosen].mean():5.1f} visitors a cell, AUC {auc:.2f}")

# %% [markdown]
# We repeat this for all 20 targets of each dataset, in newly drawn groups. We also try shares of the cells other than one half:

# %%
shares = [0.1, 0.25, 0.5, 1.0]
crowding = foundations.by_crowding(populations, shares=shares, group_size=size, **game)
by_share = bracketed(means(crowding, ["data", "order", "share"], "AUC"))["mean [95%]"]
plots.show_table(by_share.unstack("share", sort=False), "crowding")

# %% mystnb={"figure": {"name": "fig-crowding", "caption": "Mean AUC if only a share of the target's cells is added up, in groups of 300. For flight numbers the quietest half of the cells is a better attack than all cells, and the busiest half a worse one. For aircraft, every share of the quietest cells is enough, and busy cells become more useful the more of them are added up."}, "image": {"alt": "Mean AUC against the share of cells that are added up, quietest first and busiest first, for both datasets. For flight numbers the curve that starts with quiet cells lies above the value for all cells, the other below."}} tags=["hide-input"]
figures.show_crowding(crowding)

# %% [markdown]
# Cells with few other users reveal most. For flight numbers, the quietest half of the cells reaches a mean AUC of 0.95, and all cells only 0.81.
#
# ### What if nobody else ever visits a cell?
#
# Some cells are visited by the target and by nobody else in the data. We call them the target's *own* cells. On raw counts, the count in an own cell is 1 if the target is in the group, and 0 if not. A single own cell thus gives the target away, whoever the other members are.
# We compare the targets that have an own cell with those that have none:

# %%
own_cell = live.own_cells(populations, n_targets=n_targets, seed=seed)
quietest = crowding[crowding["order"] == "quietest first"]
quietest = quietest.join(own_cell, on=["data", "draw"])
rule_at_size = of_rule[of_rule["group size"] == size]
rule_at_size = rule_at_size.join(own_cell, on=["data", "draw"])
split = means(quietest, ["data", "own cell", "share"], "AUC")
by_own_cell = bracketed(split)["mean [95%]"].unstack("share", sort=False)
by_own_cell.insert(0, "targets", split["n"].xs(1.0, level="share"))
rule_split = means(rule_at_size, ["data", "own cell"], "AUC")
by_own_cell["rule of no zeros"] = bracketed(rule_split)["mean [95%]"]
plots.show_table(by_own_cell, "crowding-own")

# %% [markdown]
# *Mean AUC of the sum over the quietest share of the cells, and of the rule of no zeros, which was evaluated in the groups of the section before.*
#
# All 20 aircraft and 12 of the 20 flight numbers have an own cell. The rule of no zeros makes no error on them, and the quietest tenth of their cells already reaches 1.00. Eight flight numbers have no own cell. For them, too, the quietest half of the cells is better than all cells: the mean AUC is 0.87 instead of 0.79. The mean of 0.95 above averages over these eight targets and the twelve that are recognised without error. The same is true of the rule: its mean AUC of 0.93 averages over 1.00 for the twelve targets with an own cell and 0.82 for the eight without.
#
# Why do quiet cells help even if each of them has another visitor? That visitor need not be in the group. A group of 300 contains fewer than a third of the users. We count how often the cells of the targets without an own cell are 0 in groups without the target:

# %% tags=["hide-input"]
empty_rng = np.random.default_rng(seed)
empty = []
for data, draw in own_cell[own_cell == "no"].index:
    those = populations[data]
    users = np.arange(those.n_users)
    user = foundations.targets_of(those, n_targets, seed)[draw]
    its_visits = np.flatnonzero(those.trace(those.users[user]))
    its_visitors = aggregate_cells(those, [users], its_visits)[0]
    quiet_half = np.argsort(its_visitors)[: max(1, len(its_visits) // 2)]
    drawn, is_in = sample_member_groups(users, user, n_groups, size, empty_rng)
    without = aggregate_cells(those, drawn[is_in == 0], its_visits)
    empty.append((without[:, quiet_half] == 0).mean())
false_positive = rule_at_size.loc[rule_at_size["own cell"] == "no", "FPR"]
print("targets without an own cell, groups without the target:")
print(f"counts of 0 in the quietest half of the cells: {pd.Series(empty).mean():.0%}")
print(f"groups with a 0 in one of the cells: {1 - false_positive.mean():.0%}")

# %% [markdown]
# About half of the counts in these quiet cells are 0, although every cell has another visitor in the population. In 64% of these groups, at least one of the target's cells is 0. This is why the rule of no zeros reaches 0.82 even here. Cells with few other users thus reveal more because they are often empty of others in a single group.
#
# ### Why do more cells not always help?
#
# Two rows of the earlier table are surprising. For flight numbers, the quietest tenth does as well as the quietest half, and the busiest tenth nearly as well as the busiest half. For the twelve targets with an own cell, the quietest tenth leaves nothing to gain. But for the eight other targets, too, adding more of the quiet cells does not improve the attack.
# We look at who else is in these cells. *Visitors* is the number of users in the whole population, including the target, who visit a cell. *Different others* is the number of distinct other users who visit at least one of the cells:

# %%
who_columns = ["cells", "visitors", "different others"]
who_else = crowding.groupby(["data", "order", "share"])[who_columns].mean()
quietest_on_top = who_else.sort_index(ascending=[True, False, True])
plots.show_table(quietest_on_top.map("{:.1f}".format), "crowding-others")

# %% [markdown]
# *Means over the same 20 targets of each dataset. The next table shows the same means over the targets without an own cell, for the order "quietest first".*

# %%
without_own = quietest[quietest["own cell"] == "no"]
who_without = without_own.groupby(["data", "share"])[who_columns].mean()
who_without = who_without.map("{:.1f}".format)
plots.show_if_any(who_without, "crowding-no-own", "Every target has an own cell.")

# %% [markdown]
# For the eight flight numbers without an own cell, the quietest tenth of the cells is hardly quieter than the quietest half: a cell has 2.9 visitors in one and 3.3 in the other. The last column gives the reason why more of these cells do not help: 2.2 other flight numbers visit at least one cell of the tenth, and only 2.5 visit at least one of the half. They are mostly the same flights.
# The same is true of the busy cells. The busiest tenth consists of about four cells, and on average 23.3 other flight numbers
# visit at least one of them. All 44 cells together are visited by only 31.5 other flight numbers on average. Every flight number follows a timetable, the target as well as the others. The target meets the same few flights again and again, so its cells repeat each other. Whether we add up four busy cells or twenty-two, the sum depends mainly on how many
# of the same flights are in the group. The step from the busiest half to all cells raises the AUC from 0.68 to 0.81, but hardly any new flights appear in this step. It helps because the added half is quiet.
#
# An aircraft meets new users in every further cell. On average, 43.4 other aircraft visit at least one cell of its busiest tenth, and 157.8 visit at least one of all its cells. Each of these cells therefore adds new evidence. The further cells are quieter, too: the mean number of visitors falls from 19.4 to 7.8. Together, the two changes raise the AUC from 0.70 for the busiest tenth to 0.99 for all cells.
#
# {numref}`foundations-half` separates the two. It draws the cells at random, so that a tenth of the cells is on average as quiet as all of them. The AUC for aircraft still rises, from 0.85 for a tenth to 0.99 for all cells. For flight numbers it stays nearly the same.
# (foundations-deviations)=
# ### Why do large groups protect flight numbers better from the sum?
#
# The cells of a flight number are busier. They have 10.4 visitors on average, and those of an aircraft 7.8. Is this the reason? To find out, we compare two numbers. The first is the standard deviation of the sum over all cells, in groups without the target. The second is
# what it would be if the counts of different cells were uncorrelated, so that only their variances added up. The target adds its visits to the sum, so the attack depends on the number of visits divided by the standard deviation. The last two columns of the table divide the visits by each of the two deviations. A formula turns such a ratio into an AUC. If the sum is approximately normal, then $\mathrm{AUC} = \Phi(\text{ratio} / \sqrt 2)$, where $\Phi$ is the distribution function of the standard normal distribution. {numref}`foundations-proof` derives it:

# %%
from scipy.stats import norm

all_cells = crowding[(crowding["share"] == 1) & (crowding["order"] == "quietest first")]
both_deviations = ["deviation", "if uncorrelated"]
of_sums = all_cells.groupby("data", sort=False)[["cells", *both_deviations]].mean()
of_sums = of_sums.rename(columns={"cells": "visits"})
for column in both_deviations:
    of_sums[f"visits / {column}"] = of_sums["visits"] / of_sums[column]
of_sums["AUC by the formula"] = norm.cdf(of_sums["visits / deviation"] / 2**0.5)
texts = of_sums.map("{:.1f}".format)
texts["AUC by the formula"] = of_sums["AUC by the formula"].map("{:.2f}".format)
plots.show_table(texts, "deviations")

# %% [markdown]
# With uncorrelated cells, the standard deviation would be 8.8 for flight numbers and 6.0 for aircraft, but flight numbers also make more visits. The ratio would be about 5 for both, so the busier cells explain hardly anything. For aircraft, the sum varies about as much as if its cells were uncorrelated (6.7). For flight numbers it varies four times as much (37.2). Their ratio is therefore only 1.2. By the formula this gives an AUC of 0.80, close to the mean of 0.81 that we measured.
# We explain this with the timetable. A flight that shares one cell with the target usually shares many. If it is in the group, it raises the count in all of these cells at once. A few members who each add a lot make the sum vary more than many members who each add a little.
# The next chapter counts these [overlaps](kk-overlaps). {numref}`foundations-regular-target` tests the explanation: it removes the repetition from week to week, and then also the repetition from day to day. This accounts for the whole factor of four.
#
# For a data holder the lesson is that the size of the group alone says little about protection. A group of 300 does not hide a person in a place where hardly anybody else goes, and a place where nobody else goes reveals them at once on raw counts.
#
# ````{admonition} What this does not show
# :class: note
# - To rank the cells, the attacker must know roughly where people usually are. Here we used the counts of all users.
# - Flight numbers are also more regular than aircraft, but the regularity of the target does not help this attacker, who already knows the trace. {numref}`foundations-regular-target` tests this: among flight numbers, both the sum and the rule of no zeros find a regular target *harder* to recognise than an irregular one. The reasons differ. The sum of a regular target varies more from group to group, and a regular target is less likely to have an own cell. Whether regularity helps attackers who must *predict* the trace is a question for [](knock_knock.ipynb) and [](crowd.ipynb).
# ````

# %% [markdown]
# (foundations-price)=
# ## What does noise buy, and what does it cost?
#
# Protection has to be compared with its price. We measure what a release takes away from the attack, and how wrong its counts are.
#
# ````{prf:definition} Privacy gain (Knock-Knock's)
# :label: def-gain
# Let $\mathrm{AUC}_A$ be the AUC on raw counts and $\mathrm{AUC}_{\bar A}$ the AUC on the release. The **privacy gain** is
#
# $$ \frac{\mathrm{AUC}_A - \mathrm{AUC}_{\bar A}}{\mathrm{AUC}_A - 1/2}, $$
#
# and 0 if $\mathrm{AUC}_{\bar A} \ge \mathrm{AUC}_A$. An $\mathrm{AUC}_{\bar A}$ below 1/2 is counted as 1/2. A gain of 0 means that the attack does at least as well as before, and a gain of 1 that it is
# reduced to guessing.
# ````
#
# Eq. 6 of Knock-Knock differs from this definition if $\mathrm{AUC}_{\bar A}$ is below 1/2. It then sets the gain to 0. The text after {prf:ref}`def-kkd-pg` compares the two.
#
# The error is the mean absolute difference between published and true counts. We measure it in the cells where somebody was, and over all cells of the table. In a cell where nobody was, the error is the count that the release invents.
#
# Every error needs a baseline. The simplest release publishes 0 in every cell. It reveals nothing at all. In the visited cells its error is the mean count itself, and in the empty cells it makes no error. A noisy release
# whose error is larger than that of zeros is worse than publishing nothing.

# %%
one = aggregate(traces, groups[:1])[0]
print(f"one group of {size}: {one.sum():,} visits in {(one > 0).sum():,} cells")
print(f"mean count in these cells, and error of zeros: {one[one > 0].mean():.2f}")
print(f"share of these cells with one or two users: {(one[one > 0] <= 2).mean():.0%}")
print(f"cells without a visit: {(one == 0).sum():,}")

# %% [markdown]
# We add event-level noise to the counts of this one group, and add up its errors:

# %%
price_rng = np.random.default_rng(seed)
noisy_table = one + price_rng.laplace(scale=1 / epsilon, size=one.shape)
published_table = noisy_table.round().clip(0, size)
wrong = np.abs(published_table - one)
print(f"total error in visited cells: {wrong[one > 0].sum():6,.0f}")
print(f"visits invented in empty cells: {wrong[one == 0].sum():,.0f}")
print(f"total error over all cells: {wrong.sum():,.0f}, of zeros: {one.sum():,}")
print(f"error per cell: {wrong.mean():.2f}, of zeros: {one.mean():.2f}")

# %% [markdown]
# This release invents 30,501 visits in cells where nobody was. That is more than twice the 13,296 visits that were made. In the visited cells its error is less than half that of zeros. Over all cells it is almost three times that of zeros.
#
# The next table shows the mean over 20 groups, for all noise scales. Its last row is the release of zeros.

# %%
budgets = foundations.games(populations, epsilons=epsilons, group_sizes=[size], **game)
costs = foundations.errors(populations, epsilons=epsilons, group_size=size, seed=seed)
costs = live.over_all_cells(costs, populations, group_size=size, seed=seed)
privacy = foundations.gains(budgets)
plots.show_table(figures.price_table(privacy, costs, name), "price")

# %% [markdown]
# *The first dataset (here flight numbers), groups of 300. The next table shows the same for the other dataset (here aircraft). The noise scale is 0 for raw counts.*

# %%
for number, other in enumerate(list(populations)[1:], start=2):
    plots.show_table(figures.price_table(privacy, costs, other), f"price-{number}")

# %% mystnb={"figure": {"name": "fig-price", "caption": "Mean AUC against mean error in the visited cells; the number at each marker is ε. The grey line connects all releases of a dataset, whatever their unit of privacy, because they differ only in the scale of the noise. The dashed line is the error of publishing zeros in these cells, and the dotted line is guessing. No release lies both at the bottom (the attack guesses) and left of the dashed line (the counts of visited cells are better than zeros)."}, "image": {"alt": "Two panels, flight numbers and aircraft, with the mean AUC against the mean error on a logarithmic axis, a marker for each unit of privacy, the value of ε beside it, and one line through all of them. The lines fall from high AUC at small errors to guessing at errors far above the error of zeros, which is marked."}} tags=["hide-input"]
figures.show_price(budgets, costs)

# %% [markdown]
# The rows of the tables are sorted by the scale of the noise, because the scale is all that distinguishes these releases. Event-level and user-level noise are the same Laplace noise. The busiest flight number has 57 visits, so user-level noise at $\varepsilon = 1$ has a scale of 57.
# It is the same as event-level noise at $\varepsilon = 1/57$. In {numref}`fig-price`, all noisy releases of a dataset therefore lie along one line.
#
# No release in the figure both stops the attack and keeps the counts useful. In the visited cells of flight numbers, publishing zeros has an error of 1.88. Two of the eight noisy releases have a smaller error there. The noisier of the two is event-level noise at $\varepsilon = 1$, with an error of 0.83, and its gain is only 0.11.
#
# The visited cells make up a tenth of the table, and they are where publishing zeros does worst. Over all cells the error of zeros is only 0.19, and only event-level noise at $\varepsilon = 10$ has a smaller one. At $\varepsilon = 1$ the error over all cells is 0.52, because the release invents visits in empty cells.
#
# With more noise, the gain rises, but the counts become worse than zeros even in the visited cells. At $\varepsilon = 0.3$, event-level noise has an error of 2.26 there and a gain of 0.26. Only user-level noise with $\varepsilon \le 1$ nearly stops the attack; at $\varepsilon = 1$ the gain is 0.88 and the error is 29.
#
# For aircraft, event-level noise with $\varepsilon = 0.3$ or less achieves more. The gain at $\varepsilon = 0.3$ is 0.46. But this error, too, is larger than that of zeros.
#
# *Why is it so hard to do better than zeros?* The error of a noisy count depends mainly on the scale of the noise, and the error of zeros depends on the counts. At the event level the sensitivity is 1. This is a lot only because the data are sparse: in the group of flight numbers above, 84% of the visited cells hold only one or two users, and nine tenths of all cells are empty.
# At the user level the reason is different. The sensitivity is the number of visits of the busiest user, which is 57 for flight numbers and 125 for aircraft.
#
# Denser data have larger counts, so they help at the event level. They need not help at the user level, because in denser data a user has more visits, too. The [next section](foundations-dense) compares the two units of privacy for cabs.
#
# *Question for a class:* Which row of the table would you publish, and for whom?
#
# ````{admonition} What this does not show
# :class: note
# - All these numbers are about one attack. The guarantee is about every attack. If user-level noise is calibrated to $\varepsilon$ for add/remove neighbours, then no attack in our game, in which
#   another user replaces the target, has a TPR above $e^{2\varepsilon}$ times its FPR.
# - The gain is computed for each target and then averaged. Negative gains count as 0, so a mean near 0 is slightly too high. An attacker who guesses is sometimes lucky, so a mean near 1 is slightly too low.
# - A data holder may publish 0 in place of every small noisy count. This is post-processing, so it keeps the guarantee, and it removes many invented visits. We did not evaluate it here.
# - The scale of user-level noise at $\varepsilon = 0.1$ is 570. Only clipping at 0 and 300 keeps the error as low as 117.
# ````

# %% [markdown]
# (foundations-dense)=
# ## Does the sum attack work on dense data?
#
# Flights are sparse. Knock-Knock and Aggregation privacy study the cabs of San Francisco: 534 cabs on a map of 100 squares for three weeks. Their data are *dense*, because a
# cab is seen somewhere in most hours. We may not distribute these data, so the following numbers are stored results of an earlier run. If you have the cab data, you can rerun this analysis with
# `python -m lib paper foundations-users foundations-release-error foundations-sum-attack`.
#
# The first column of the table says what a row describes:
#
# - rows about *traces* are means over all users;
# - rows about counts and their error are means over groups of 100 users;
# - rows about the AUC are means over 150 targets, each of them attacked in groups of 100 users.
#
# There are two noisy releases, both with event-level noise at $\varepsilon = 1$: one is rounded and clipped, the other is not. The last two columns are the numbers that Knock-Knock (KK) and Aggregation privacy (AP) print for the cabs.

# %%
stored = foundations.users, foundations.release_error, foundations.sum_attack
plots.show_table(figures.stored_table(*(each.stored() for each in stored)), "kept")
print(foundations.sum_attack.source())

# %% [markdown]
# For the cabs, event-level noise is small compared with the counts, and it does not stop this attack. The mean count of the cabs is 10.4, seven to eight times that of the flights, so an error of 0.93 matters much less. The attack has the
# same AUC with and without noise, 0.85.
#
# *Why does the noise not matter?* Two things make the sum vary: the noise, and the members of the group other than the target. We know how much the noise varies. How much the sum varies between groups is not among the stored results. We infer it from the AUC on raw counts, with the [formula above](foundations-deviations): if the target has $n$ visits, the standard deviation between groups is about $n / (\sqrt 2\, \Phi^{-1}(\mathrm{AUC}))$. From both standard deviations the same formula predicts the AUC with noise, which we compare with the stored one:

# %%
cabs = foundations.users.stored("cabspotting")
in_hundreds = foundations.sum_attack.stored("cabspotting").query("`group size` == 100")
aucs = in_hundreds.pivot(index="user", columns="release", values="AUC")
visits_of_target = cabs.set_index("user")["visits"].loc[aucs.index]
between_groups = visits_of_target / (2**0.5 * norm.ppf(aucs["raw"]))
noise_in_sum = (2 * visits_of_target) ** 0.5  # event-level noise, ε = 1
print(f"visits of a target, mean:           {visits_of_target.mean():,.0f}")
print(f"standard deviation, of the noise:   {noise_in_sum.mean():,.0f}")
print(f"standard deviation, between groups: {between_groups.mean():,.0f}")
together = (between_groups**2 + noise_in_sum**2) ** 0.5
predicted = norm.cdf(visits_of_target / (2**0.5 * together)).mean()
print(f"mean AUC on raw counts: {aucs['raw'].mean():.4f}")
print(f"mean AUC with noise: predicted {predicted:.4f}", end=", ")
print(f"measured {aucs['noisy'].mean():.4f}")

# %% [markdown]
# The noise in the sum has a standard deviation of 85. The variation between groups is about thirty times as large (2,491). So the noise adds almost nothing. The formula predicts that it lowers the mean AUC from 0.8531 to 0.8529, and the measured AUC with noise is 0.8528.
#
# *Why is the AUC 0.85 and not 1?* The 2,491 cannot answer this, because we inferred it from the AUC. It says the same in other units. We did not measure the variation, and we have not tested where it comes from. A possible reason is that two cabs that both drive a lot share many cells, while a cab that drives little shares few with anybody.
# The true variation is somewhat smaller than 2,491, because the formula ignores that the user whom the target replaces also visits some of the target's cells.
#
# *Can dense data afford user-level noise, too?* The stored results include the error of both kinds of noise at $\varepsilon = 1$, again for groups of 100, in the visited cells, and after rounding and clipping. We compare it with the error of zeros, which is the mean count in these cells:

# %%
stored_errors = foundations.release_error.stored()
at_one = stored_errors["epsilon"].isna() | (stored_errors["epsilon"] == 1)
of_quantity = stored_errors[at_one].groupby(["data", "quantity"], sort=False)["users"]
errors_by_unit = of_quantity.mean().unstack("quantity", sort=False)
errors_by_unit.columns = ["error of zeros", "event-level noise", "user-level noise"]
most_visits = foundations.users.stored().groupby("data")["visits"].max()
errors_by_unit = errors_by_unit.map("{:.2f}".format)
errors_by_unit.insert(0, "most visits of a user", most_visits.map("{:,}".format))
plots.show_table(errors_by_unit, "errors-by-unit")

# %% [markdown]
# At the event level, dense data help. The error for cabs is 0.93, and zeros would have an error of 10.36. At the user level they do not help. The busiest cab has 8,117 visits, so the noise has a scale of 8,117. Nearly every noisy count lies far outside the range from 0 to 100, and clipping turns it into 0 or 100 with about equal probability. If the true count is $c$, the error is then $c$ or $100 - c$, which is 50 on average. The measured error is 49.80, almost five times that of zeros.
#
# These are errors in visited cells only. For the flights we saw that empty cells can decide the comparison. The errors of the cabs over all cells are not stored, but they can be estimated. Zeros have an error of 0 in an empty cell. Event-level noise at $\varepsilon = 1$, rounded and clipped, has an error of about half a person there, [as measured above](foundations-rounding):

# %%
n_cells = 100 * 504
zeros_of_all = 100 * cabs["visits"].mean() / n_cells
zeros_of_visited = of_quantity.mean()["cabspotting", "mean count"]
at_a_visit = of_quantity.mean()["cabspotting", "error, a visit protected"]
visited = zeros_of_all / zeros_of_visited
event_level = visited * at_a_visit + (1 - visited) * means_published[0]
print(f"visited cells of a group of 100 cabs: about {visited:.0%}")
print(f"error over all cells: event-level about {event_level:.1f}", end=", ")
print(f"zeros {zeros_of_all:.1f}")

# %% [markdown]
# So for the cabs, event-level noise is better than zeros over all cells, too: its error is about 0.8, and that of zeros is 7.3. For the flights it was worse, because nine tenths of their cells are empty.
#
# *Where do the papers' numbers come from?* Our cabs have 3,659 visits on average. Aggregation privacy prints 3,663 and Knock-Knock 3,827. Knock-Knock counts an hour in which a cab is seen nowhere as
# one visit to a special place called *null*. Three weeks have 504 hours, so we add the hours in which a cab was not seen:

# %%
visits, null_hours = cabs["visits"].mean(), 504 - cabs["active epochs"].mean()
print(
    f"{visits:,.2f} visits + {null_hours:.2f} null hours = {visits + null_hours:,.2f}"
)

# %% [markdown]
# With null hours our mean is 3,824.6, close to the 3,827 of the paper.
#
# ````{admonition} Recurrence in dense data
# :class: note
# The cabs' recurrence of 0.23 is not due to habit alone. A cab visits 3,659 of $100 \times 504$ cells, which is 7%. If its visits were spread evenly, it would repeat 7% of them by chance.
# ````

# %% [markdown]
# ## Take-aways
#
# - Records become **traces**, traces are added up to **aggregates**, and aggregates are made into **releases**.
# - A sum hides a person only from attackers who do not know everybody else. An attacker who knows nobody but the target still did far better than guessing on raw counts, and under event-level noise with $\varepsilon = 1$, in groups of 10 to 300.
# - Cells with few other users reveal most. On raw counts, a cell that nobody else visits gives the target away. Group size alone says little about protection.
# - A value of $\varepsilon$ means nothing until the unit of privacy is stated. At $\varepsilon = 1$, event-level noise, rounded and clipped, did not stop an attack that adds up many visits: the mean AUC fell by at most 0.04, and the mean TPR at an FPR of 10% by at most 0.15. User-level noise nearly stopped the attack, but its counts were further from the truth than zeros would have been.
# - Compare the error of a release with that of publishing zeros, and compute both over all cells. For the flights, even event-level noise at $\varepsilon = 1$ is then worse than zeros, because it invents visits in empty cells. For the dense cab data it is better than zeros.
# - An attack is judged by its scores. Look at their distribution first, then at the AUC, then at the TPR at a low FPR. Evaluate a control as well.
# - A result about one attack is not a result about all attacks. On raw counts, the rule that looks for a 0 did at least as well as the sum on average, and much better for flight numbers in groups of 300 (0.93 against 0.80).

# %% [markdown]
# ## Exercises
#
# ```{exercise} The sum attack by hand (★, 10 minutes)
# :label: foundations-by-hand
# Use a pencil. Take the table of the six people's counts and Ada's trace from {numref}`fig-six`. What is the sum over Ada's cells? What would it be without her? How many people are
# in her cells besides herself, on average, and how many in Eve's? For which of the two is one more person in a cell easier to notice?
# ```

# %% [markdown]
# ````{solution-start} foundations-by-hand
# :class: dropdown
# ````

# %%
for user in six.users:
    own = six.trace(user) == 1
    total, visits = counts[own].sum(), own.sum()
    others_per_cell = (total - visits) / visits
    print(f"{user}: sum {total}, without {total - visits}", end=", ")
    print(f"{others_per_cell:.2f} others in a cell")

# %% [markdown]
# Ada has company in her cells, 2.12 other people on average, and Eve only 0.50. One more person is easier to notice in Eve's cells.
#
# *Learned:* the gap is the target's number of visits, whoever else is there. What differs between targets is the number of other people in their cells. The fewer there are, the more the gap stands out.
#
# ````{solution-end}
# ````
#
# ```{exercise} Who is left out? (★, 5 minutes)
# :label: foundations-left-out
# One of the six was left out of the counts below. The rows are home, station, office and park, and the columns are the hours used above. The attacker knows all six traces. Who is missing?
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
given = np.array(text.split(), int).reshape(counts.shape)
for user in six.users:
    if np.array_equal(given, counts - six.trace(user)):
        print("left out:", user)

# %% [markdown]
# *Learned:* an attacker does not need to invert anything. They can try every possibility and compare.
#
# ````{solution-end}
# ````
#
# ```{exercise} Twins (★, 5 minutes)
# :label: foundations-twins
# Which two of the six can never be told apart, whatever counts are published, and why? Are there such pairs among the flights?
# ```

# %% [markdown]
# ````{solution-start} foundations-twins
# :class: dropdown
# ````

# %%
for first, second in combinations(six.users, 2):
    if np.array_equal(six.trace(first), six.trace(second)):
        print(first, "and", second, "have the same trace")
for data, each in populations.items():
    print(f"{data}: {foundations.n_twins(each)} of {each.n_users} have a twin")

# %% [markdown]
# *Learned:* counts are sums of traces. Two users with equal traces can be exchanged without changing any count. In the flights such twins are rare.
#
# ````{solution-end}
# ````
#
# ```{exercise} What may the attacker believe afterwards? (★, 10 minutes)
# :label: foundations-odds
# Use a pencil. An attacker knows every other visit, including Dan's other five. Before the release they believe with probability 1/2 that Dan was at the station on Tuesday at 9. The release is event-level private with $\varepsilon = 1$. After the release, what is the largest probability
# that the attacker can assign to this visit? What if they started from 1%? And what if another attacker knows Dan's trace, and the question is whether Dan, with his six visits, was counted at all? (Work with *odds*: a probability $p$ has the odds
# $p / (1 - p)$, and Bayes' rule multiplies the odds by the ratio of the probabilities of what was seen.)
# ```

# %% [markdown]
# ````{solution-start} foundations-odds
# :class: dropdown
# ````

# %%
for before in (0.5, 0.01):
    for n_visits in (1, 6):
        odds = before / (1 - before) * np.exp(n_visits * 1.0)
        print(f"before {before:.0%}, visits: {n_visits}", end=", ")
        print(f"afterwards at most {odds / (1 + odds):.1%}")

# %% [markdown]
# *Learned:* differential privacy bounds the change of a belief, and not the belief itself. At $\varepsilon = 1$ a single visit stays uncertain. For six visits together, the same guarantee allows near certainty.
#
# ````{solution-end}
# ````
#
# ```{exercise} Suppression instead of noise (★★, 15 minutes)
# :label: foundations-suppression
# Many statistical offices add no noise. They publish 0 instead of every count below a threshold (*small-count suppression*). Evaluate the sum attack on the first dataset with
# `SuppressSmallCounts(2)`, which suppresses counts of 1, in groups of every size. In the library, a defense is an object called a *mechanism*, and a release is a list of them. The argument `releases` of `foundations.games` takes such a list for each release.
# Does suppression help? Does it take away more of the attack than event-level noise does? In what share of the target's cells is there nobody else?
# ```

# %% [markdown]
# ````{solution-start} foundations-suppression
# :class: dropdown
# ````

# %%
from lib.mechanisms import PostProcess, SuppressSmallCounts
from lib.papers.summaries import differences

first = {name: traces}
defenses = {
    "raw": [],
    "event-level noise": [Laplace(epsilon), PostProcess()],
    "ones suppressed": [SuppressSmallCounts(2)],
}
defended = foundations.games(first, releases=defenses, group_sizes=group_sizes, **game)
by_defense = bracketed(means(defended, ["release", "group size"], "AUC"))["mean [95%]"]
plots.show_table(by_defense.unstack("group size", sort=False), "suppressed")
noise_and_suppression = "event-level noise", "ones suppressed"
per_target = differences(
    defended, ["group size"], "AUC", ["draw"], "release", *noise_and_suppression
)
plots.show_table(bracketed(per_target), "suppressed-differences")
for m in sorted({min(group_sizes), size}):
    drawn, is_in = sample_member_groups(everybody, target, n_groups, m, rng)
    alone = (aggregate_cells(traces, drawn[is_in == 0], cells) == 0).mean()
    print(f"share of the target's cells with nobody else, groups of {m}: {alone:.2f}")

# %% [markdown]
# *The second table has the mean difference per target: the AUC with event-level noise minus the AUC with ones suppressed.*
#
# *Learned:* in small groups, most of this target's cells hold nobody else. Suppressing the counts of 1 then removes most of what the target adds. In larger groups more of the target's visits remain, but the sum is a weaker attack there, even on raw counts. These two effects act in opposite directions. This may be why the AUC with suppression hardly changes between groups of 30 and of 300 (0.72, 0.73 and 0.72).
#
# In groups of every size, suppression takes away more of *this* attack than event-level noise does. In groups of ten the difference is large (0.38), and in groups of 300 it is small (0.05). But it guarantees nothing against other attacks: [](zero_knowledge.ipynb) describes one that anticipates suppression.
#
# ````{solution-end}
# ````
#
# ```{exercise} Nearly everybody (★, 10 minutes)
# :label: foundations-nearly
# The AUC for flight numbers fell as groups grew. Evaluate groups that contain 95% of the users. What happens, and why?
# ```

# %% [markdown]
# ````{solution-start} foundations-nearly
# :class: dropdown
# ````

# %%
nearly = traces.n_users - max(1, traces.n_users // 20)
last = foundations.games(
    first, releases={"raw": []}, group_sizes=sorted({size, nearly}), **game
)
plots.show_table(bracketed(means(last, ["group size"], "AUC")), "nearly")

# %% [markdown]
# *Learned:* the target is hidden by the *variation* of the other members, not by their number. If nearly everybody is in the group, any two groups differ in few users, and each of these users becomes visible.
#
# ````{solution-end}
# ````
#
# ```{exercise} Half a trace (★★, 15 minutes)
# :label: foundations-half
# The attacker knows only half of the target's visits, drawn at random; then a quarter, then a tenth. How much weaker does the sum attack become? Average over draws and targets, for each dataset. Use `foundations.parts`, or take `in_cells` and draw its columns with `rng.choice`.
# ```

# %% [markdown]
# ````{solution-start} foundations-half
# :class: dropdown
# ````

# %%
some = dict(shares=[0.5, 0.25, 0.1], group_size=size, n_subsets=50) | game
known = [
    foundations.parts(those, **some).assign(data=data)
    for data, those in populations.items()
]
of_parts = bracketed(means(pd.concat(known), ["data", "cells"], "AUC"))
plots.show_table(of_parts["mean [95%]"].unstack("data", sort=False), "parts")

# %% [markdown]
# Why does knowing fewer cells weaken the attack on aircraft only? The attack depends on the number of cells divided by the standard deviation of the sum in groups without the target. We compute this ratio for the same shares of the cells:

# %%
share_rng = np.random.default_rng(seed)
rows = []
for data, those in populations.items():
    users = np.arange(those.n_users)
    for user in foundations.targets_of(those, n_targets, seed):
        its_visits = np.flatnonzero(those.trace(those.users[user]))
        drawn, is_in = sample_member_groups(users, user, n_groups, size, share_rng)
        without = aggregate_cells(those, drawn[is_in == 0], its_visits)
        for share in (1.0, 0.5, 0.25, 0.1):
            n_known = max(1, round(share * len(its_visits)))
            for _ in range(50):
                known_cells = share_rng.choice(len(its_visits), n_known, replace=False)
                deviation = without[:, known_cells].sum(axis=1).std()
                row = {"data": data, "share": share, "cells": n_known}
                rows.append(row | {"deviation": deviation})
of_share = pd.DataFrame(rows).groupby(["data", "share"], sort=False).mean()
of_share["cells / deviation"] = of_share["cells"] / of_share["deviation"]
plots.show_table(of_share.map("{:.1f}".format), "parts-deviations")

# %% [markdown]
# *Learned:* against aircraft, the attack weakens gradually as the attacker knows fewer cells. The attack of the [chapter on zero auxiliary knowledge](zero_knowledge.ipynb) weakens in a similar way. Against flight numbers, the sum attack hardly weakens at all.
#
# The last table shows why. For aircraft, the ratio falls from 4.3 for all cells to 1.6 for a tenth of them. It would fall in proportion to the square root of the number of cells if the cells were uncorrelated, and it falls only a little less. For flight numbers, the standard deviation falls almost in proportion to the number of cells, so the ratio hardly changes: it is 1.2 for all cells and 1.1 for a tenth.
#
# A likely reason is that a flight number meets the same other flights every week, and often on several days of the week. Each further cell then raises the contribution of these flights by about the same factor as the contribution of the target. The next exercise tests whether such repetition causes the large standard deviation.
#
# ````{solution-end}
# ````
#
# ```{exercise} Is a regular target easier to recognise? (★★, 40 minutes)
# :label: foundations-regular-target
# For each of the 20 targets, invent two less regular ones. The first copies the target's visits in the first *week* only. In every later week it copies the visits of a different user, who is drawn at random. The second does the same with days: it copies the target on the first *day*, and a different user on every later day. Their cells hold about the same number of other users as before. But the first does not repeat itself from week to week, and the second does not even repeat itself from day to day.
# Play the same game with the real and with the invented targets. Compare the AUC of the sum and of the rule of no zeros, the standard deviation of the sum without the target, and the number of own cells. First predict the result: by what factor does the standard deviation change, if the same other users return every week?
#
# Use `traces.trace` and `traces.epochs` to build a trace, `sample_groups` of `lib.aggregation` to draw groups from the users who lent no visits, and `aggregate_cells` for their counts. In every other group, the target takes the place of one user.
# ```

# %% [markdown]
# ````{solution-start} foundations-regular-target
# :class: dropdown
# ````
#
# We first invent one target whose weeks come from different users. A trace is a matrix of 0 and 1, so we can multiply each user's trace by a 1 in the hours of one week and by a 0 in all others:

# %%
week = (traces.epochs - traces.epochs[0]) // pd.Timedelta("7D")  # of each hour
lending_rng = np.random.default_rng(seed)
lenders = lending_rng.permutation(np.setdiff1d(everybody, [target]))[: week.max()]
real = traces.trace(traces.users[target])
invented = real * (week == 0)
for number, lender in enumerate(lenders, start=1):
    invented = invented + traces.trace(traces.users[lender]) * (week == number)
for kind, trace in (("real", real), ("invented", invented)):
    again = (trace[:, :-168] * trace[:, 168:]).sum()  # a week has 168 hours
    earlier = (trace[:, :-168] * trace[:, 167:-1]).sum()  # after the clock change
    print(f"{kind}: {trace.sum()} visits, {trace[:, :-168].sum()} before the last week")
    print(
        f"    repeated a week later: {again}, a week later but an hour earlier: {earlier}"
    )

# %% [markdown]
# Visits of the last week cannot be repeated, because the data end there. The real target repeats all its other 36 visits. Ten of the repetitions are an hour earlier in UTC, because the clocks were changed between them.
#
# The function `live.less_regular_targets` does this for all targets, with weeks (*other weeks*) and with days (*other days*), and plays the game. The users who lend their visits to an invented target are left out of all groups, as the target is. The column *if uncorrelated* has the standard deviation that the sum would have if the counts of different cells were uncorrelated.
# The column *predicted AUC of the sum* has what the formula of {numref}`foundations-proof` predicts from the visits and the standard deviation of each target. An own cell is here a cell that no user who may be in the groups visits.

# %%
regular = live.less_regular_targets(populations, group_size=size, **game)
titles = {
    "visits": "visits",
    "mean without": "mean score without the target",
    "deviation without": "standard deviation without",
    "if uncorrelated": "if uncorrelated",
}
of_targets = plots.table(regular, ["data", "target"], titles, digits=1)
plots.show_table(of_targets, "regular-target")

# %%
ratios = regular["visits"] / regular["deviation without"]
regular["predicted AUC of the sum"] = norm.cdf(ratios / 2**0.5)
of_attacks = "AUC of the sum", "predicted AUC of the sum", "AUC of the rule"
attacks = {each: each for each in of_attacks}
recognised = plots.table(regular, ["data", "target"], attacks, within=(0, 1))
plots.show_table(recognised, "regular-target-auc")

# %%
regular["has an own cell"] = regular["own cells"] > 0
of_kind = regular.groupby(["data", "target"], sort=False)
of_own_cells = of_kind["has an own cell"].agg(["size", "sum"])
of_own_cells.columns = ["targets", "with an own cell"]
mean_own = of_kind["own cells"].mean()
of_own_cells["own cells, mean"] = mean_own.map("{:.1f}".format)
with_one = mean_own * of_own_cells["targets"] / of_own_cells["with an own cell"]
of_own_cells["mean of those with one"] = with_one.map("{:.1f}".format)
plots.show_table(of_own_cells, "regular-target-own")
with_own = of_kind["has an own cell"].mean().iloc[0]
print(f"{name}, real targets with an own cell: {with_own:.2f}", end=", ")
print(f"at least one of four such users: {1 - (1 - with_own) ** 4:.2f}")

# %% [markdown]
# *Learned:* for flight numbers, the sum attack has a mean AUC of 0.81 on the real targets, 0.94 on targets whose weeks come from different users, and 1.00 on targets whose days do. The rule, too, does worst on the real targets, with 0.93. So these two attacks find regular targets *harder* to recognise.
#
# *The sum.* Neither the number of visits nor the mean score without the target explains why the sum does worse on real targets: the real and the invented targets
# have similar values, and the intervals overlap. The standard deviation does explain it: the formula, which knows nothing but the visits and the standard deviation, predicts 0.80, 0.94 and 1.00.
#
# A regular target meets the same other users every week. Over four weeks they contribute four times as much to the sum as in one week, and the standard deviation of their contribution is four times as large, too. The first invented target meets mostly different users every week. Four independent weeks have a standard deviation of only $\sqrt 4 = 2$ times that of one.
# We therefore predict that the standard deviation falls to a half. It falls from 36.9 to 18.7, which is nearly exactly a half.
#
# This is still about twice the 8.8 of uncorrelated cells, because the first invented target still repeats its days within each week. The second repeats no day. Its standard deviation is 9.1, as for uncorrelated cells (9.2). Repetition from week to week thus accounts for one factor of about two, and repetition from day to day for the other.
#
# Aircraft do not repeat their weeks, so the standard deviation hardly changes: it is 6.7, 6.7 and 6.5. Their AUC could hardly show a difference anyway, because it is at least 0.99 for all three targets.
#
# *The rule.* It needs a different explanation, because a standard deviation says nothing about a 0. All invented targets have an own cell, and only 12 of the 20 real flight numbers do. Yet the mean number of own cells is similar: 7.3 for the real targets, and 8.9 and 8.7 for the invented ones. The own cells of a real flight number come together. If nobody else visits its cell in one week, then usually nobody does in the other weeks. So 12 targets have 12.2 own cells on average, and the other eight have none.
#
# An invented target takes its cells from at least four users. If each of them has an own cell with probability 12/20, at least one of four has one with probability $1 - 0.4^4 = 0.97$. A single own cell is enough for the rule to make no error. All aircraft have an own cell anyway.
#
# ````{solution-end}
# ````
#
# ```{exercise} The clocks (★★, 20 minutes)
# :label: foundations-daylight
# Show that the clock change explains the low recurrence from the first to the second week. Compare the first week, moved by one hour, with the second. How does the recurrence change
# if the actual hours are used instead of the scheduled ones? Use `traces.recurrence("167h")` for a lag of 167 hours, and `foundations.weekly_recurrence` and `foundations.recurrence_by_clock` for the two comparisons. (Take flights by number, whatever data this page was run on.)
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
# *Learned:* "the same hour" needs a time zone. The Sunday of the first week already has the new time, so neither lag fits the whole week. Suppose that a week has the same number of visits each day, and that a share of 0.96 is repeated at the right lag. Then the lag of 167 hours fits six days of seven, which gives $\tfrac67 \cdot 0.96 \approx 0.82$, and the lag of 168 hours fits only the Sunday, which gives $\tfrac17 \cdot 0.96 \approx 0.14$. Both are close to the printed values. Delays, too, lower the recurrence: with actual hours it is 0.47 instead of 0.70.
#
# ````{solution-end}
# ````
#
# ```{exercise} How far apart are the distributions? (★★, proof, 20 minutes)
# :label: foundations-proof
# The target has $n$ visits. Let $X$ be the sum over the target's cells of a random group without the target, and let the sum of a group with the target be distributed as $X + n$. Assume that $X$ is
# normal with standard deviation $\sigma_X$. Show that the AUC is $\Phi\bigl(n / (\sigma_X \sqrt 2)\bigr)$, where $\Phi$ is the distribution function of the standard normal distribution. By how much does independent event-level Laplace noise
# change $\sigma_X$? Compare both predictions with what you measure for the target of this chapter.
# ```

# %% [markdown]
# ````{solution-start} foundations-proof
# :class: dropdown
# ````
#
# Let $X'$ be an independent copy of $X$. The AUC is the probability that $X + n > X'$, that is, $X' - X < n$. The difference $X' - X$ is normal with mean 0 and variance $2 \sigma_X^2$, so this probability is
# $\Phi(n / \sqrt{2 \sigma_X^2})$. Laplace noise of scale $1/\varepsilon$ has variance $2/\varepsilon^2$ in each cell. In the sum of $n$ cells, $\sigma_X^2$ grows by $2 n / \varepsilon^2$.

# %%
spread = max(scores[members == 0].std(ddof=1), 1e-9)  # 0 if all groups are alike
n = len(cells)
print(f"raw: predicted {norm.cdf(n / (spread * 2**0.5)):.3f}", end=", ")
print(f"measured {metrics.auc(members, scores):.3f}")
noisy_spread = (spread**2 + 2 * n / epsilon**2) ** 0.5
noise = rng.laplace(scale=1 / epsilon, size=(len(scores), n))
noisy_scores = scores + noise.sum(axis=1)
print(f"noisy: predicted {norm.cdf(n / (noisy_spread * 2**0.5)):.3f}", end=", ")
print(f"measured {metrics.auc(members, noisy_scores):.3f}")

# %% [markdown]
# *Learned:* the target's contribution grows in proportion to $n$, and the standard deviation of the noise only in proportion to $\sqrt n$. For this target, the simple formula predicts an AUC of 0.841 on raw counts, and we measured 0.842. With noise it predicts 0.832, and we measured 0.834. Here the noisy counts are neither rounded nor clipped. The formula ignores that the user who is replaced by the target
# would have contributed a little to the target's cells.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write a better attack (★★, 40 minutes)
# :label: foundations-rare
# A count of 1 in a cell that is nearly always empty says more than a count of 60 at an airport in the morning. Write two scores that use this. For both, assume that the number of other users in cell $c$ is Poisson with mean $\lambda_c$, and that the cells are independent.
#
# 1. The target adds exactly 1 to every count. What is the likelihood ratio of the count $A_c$ with the target against without? What does it say about a count of 0? Does the attacker need to know $\lambda_c$ to rank groups?
# 2. Now replace the count with the target by a Poisson count of mean $\lambda_c + 1$. What is the logarithm of the likelihood ratio? What does it say about a count of 0?
#
# Compare both with the sum and with the rule of no zeros, for the 20 targets of the first dataset. Treat targets with an own cell and those without separately. Which score needs no own cell, and which one contains the rule?
# ```

# %% [markdown]
# ````{solution-start} foundations-rare
# :class: dropdown
# ````
#
# *The exact ratio.* With the target, a count of $A_c$ means that $A_c - 1$ others are there. Without the target it means $A_c$ others. The likelihood ratio is
#
# $$ \frac{\lambda_c^{A_c - 1} e^{-\lambda_c} / (A_c - 1)!}{\lambda_c^{A_c} e^{-\lambda_c} / A_c!} = \frac{A_c}{\lambda_c} $$
#
# for $A_c \ge 1$. It is 0 for $A_c = 0$, because a 0 excludes the target. The logarithm of the product over all cells is $\sum_c \log A_c$ minus $\sum_c \log \lambda_c$. The second sum is the same for all groups. The attacker can therefore rank groups by the *product of the counts*, without knowing any $\lambda_c$.
#
# *The weighted sum.* If the count with the target is replaced by a Poisson count of mean $\lambda_c + 1$, the likelihood ratio is $\bigl(\frac{\lambda_c + 1}{\lambda_c}\bigr)^{A_c} e^{-1}$. Up to a constant the score is $\sum_c A_c \log(1 + 1 / \lambda_c)$. This is a sum in which quiet cells have a larger weight. A count of 0 adds nothing to it, but does not exclude the target.
# A cell in which nobody else is ever seen would have infinite weight, so we add a little to $\lambda_c$. The means are estimated from fresh groups.
#
# We also combine the weighted sum with the rule of no zeros. All scores that contain the rule give a group with a 0 the lowest score of all:

# %%
rare_rng = np.random.default_rng(seed)
rows = []
for draw, user in enumerate(foundations.targets_of(traces, n_targets, seed)):
    its_visits = np.flatnonzero(traces.trace(traces.users[user]))
    drawn, is_in = sample_member_groups(everybody, user, n_groups, size, rare_rng)
    fresh, is_fresh_in = sample_member_groups(
        everybody, user, 2 * n_groups, size, rare_rng
    )
    table = aggregate_cells(traces, drawn, its_visits)
    fresh_table = aggregate_cells(traces, fresh[is_fresh_in == 0], its_visits)
    weights = np.log1p(1 / (fresh_table.mean(axis=0) + 1 / n_groups))
    without_zeros = (table > 0).all(axis=1)
    log_product = np.log(np.maximum(table, 1)).sum(axis=1)
    by_score = {
        "sum": table.sum(axis=1),
        "rule of no zeros": without_zeros,
        "weighted": table @ weights,
        "weighted and rule": np.where(without_zeros, table @ weights, -np.inf),
        "exact ratio": np.where(without_zeros, log_product, -np.inf),
    }
    for kind, score in by_score.items():
        row = {"own cell": own_cell[name, draw], "score": kind}
        rows.append(row | {"draw": draw, "AUC": metrics.auc(is_in, score)})
of_scores = pd.DataFrame(rows)
rare = means(of_scores, ["own cell", "score"], "AUC")
plots.show_table(bracketed(rare)["mean [95%]"].unstack("score", sort=False), "rare")
exact_and_weighted = "exact ratio", "weighted"
gained = differences(
    of_scores, ["own cell"], "AUC", ["draw"], "score", *exact_and_weighted
)
plots.show_table(bracketed(gained, digits=3), "rare-differences")

# %% [markdown]
# *The second table has the AUC of the exact ratio minus that of the weighted sum, averaged over the same targets.*
#
# *Learned:* for the twelve targets with an own cell, the rule and the exact ratio make no error. The count in an own cell is 0 without the target and 1 with it. The weighted sum makes very few errors. These targets cannot show whether a score helps elsewhere.
#
# The eight other targets can. The sum has a mean AUC of 0.78 there, the rule 0.83, the weighted sum 0.88 and the exact ratio 0.90. So it helps to give quiet cells more weight, even without an own cell. The exact ratio is at least as good as the weighted sum, although its attacker knows less. The difference of 0.024 [0.000, 0.047] is so small that eight targets hardly suffice to show it. It probably comes from the counts of 0, which exclude the target in the exact ratio and not in the weighted sum. If we add the rule to the weighted sum, its AUC is 0.90, too.
#
# If the counts of others were Poisson and different cells independent, no score could have a higher AUC than the exact ratio. [](thresholds.ipynb) shows when no other test can beat a likelihood ratio. Here the cells are not independent, as the [section on quiet cells](foundations-quiet) showed, so there may be a better score.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own month (★★★, an evening)
# :label: foundations-project
# Export your own calendar, bicycle or check-in data, or take any table with a user, a time and a place. Run this chapter on it:
# `make run NOTEBOOK=foundations PARAMS="records=my.csv"`. How regular is each user? Up to what group size does the sum attack work? Write a page on what you would
# publish, and with what noise. *A good answer* states the unit of privacy, compares errors with those of zeros, shows a control beside the attack, and says what an attacker with more prior knowledge could do.
# ```

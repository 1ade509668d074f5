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
# A city publishes a table of counts. One entry says that *four* people were at home on Tuesday at eight in the morning. The table contains no names, phone numbers or licence plates. Can such a number harm anybody?
#
# The five papers on which this book is based show that it can, and they measure how much an attacker can learn. From counts, an attacker may infer *whether* a certain person was counted. This is called **membership inference**. Membership inference is harmful whenever the people who are counted share something private. If a hospital publishes counts of its patients in each place, for example, anybody who is known to have been counted is known to be a patient. An attacker may also infer *where* a person was. Inferring where the person was in a single hour is called **localization**, and inferring the person's whole path is called **reconstruction**.
#
# This chapter introduces the objects that all five papers use, and a first membership inference attack. We begin with six invented people, whose data you can check by hand. Then we repeat the main steps on real flights. A user is then a flight number or an aircraft, and we study 1,054 users of each kind. After reading this chapter, you can
#
# - turn records into traces, aggregates and releases, and say what each of them reveals about a person;
# - add Laplace noise to counts, and state which change in the data the noise hides;
# - run a membership inference attack, and interpret the histogram of its scores, its ROC curve, its AUC and its true positive rate;
# - weigh the protection that a release offers against its loss of accuracy, and compare both with publishing nothing.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figures to remember:* {numref}`fig-six-sum` shows the idea of the chapter, and {numref}`fig-sum-attack` shows its main result.
#
# *Questions for a class, with short answers:*
#
# - *Which two of the six people can no attacker tell apart?* Ada and Ben, because they have the same trace ({ref}`foundations-twins`).
# - *A release is announced with "$\varepsilon = 1$". What exactly does this protect?* We cannot say until the unit of privacy is stated. If the unit is a visit, the release changes the odds of any one visit by a factor of at most 2.7. Dan's six visits together are much less well protected: the odds of all six can change by a factor of up to 403.
# - *Which of the releases in {numref}`fig-price` would you publish, and for whom?* Probably none as a table of single cells. User-level noise at $\varepsilon \le 1$ nearly stops the attack, but its counts are worse than a table of zeros. Event-level noise at $\varepsilon = 10$ keeps the counts, but it has no measurable effect on the attack. A good answer asks first whether the readers need single cells at all, or only coarser counts.
#
# *Where students go wrong,* and where the page answers:
#
# - *"Noise hides people."* It hides what the unit of privacy covers. Event-level noise hides one visit, and Dan's presence involves six ([differential privacy](foundations-dp)).
# - *"Large counts need more noise."* The noise depends on how much one unit can change, and not on how large the counts are (the end of [sensitivity](foundations-sensitivity)).
# - *"An AUC of 0.84 means that the attacker is right in 84% of the cases."* The AUC compares pairs of groups. The attacker's decisions depend on a threshold ([how one target is recognised](foundations-attack)).
# - *"A larger group is safer."* This holds for flight numbers under the sum attack. It hardly holds for aircraft ([many targets](foundations-many)), and it is wrong for groups that contain nearly everybody ({ref}`foundations-nearly`).
# - *"A count of 1 in a private cell proves that the target was counted."* It proves this only to an attacker who knows that the cell is private. A count of 0 needs no such knowledge ([quiet cells](foundations-quiet)).
# - *"The $\varepsilon$ of the release is the $\varepsilon$ of the membership game."* The game replaces one user by another, so the guarantee in the game is $2\varepsilon$ (the table of neighbours in the section on [differential privacy](foundations-dp)).
#
# *Material:* the slides for this chapter, with speaker notes, are linked at the top of the page. The tables below name the slides of each part. Both plans skip slide 12 (cabs). The lab is *Foundations and the sum attack* (`make lab LAB=foundations`). Sessions [1](session-1) and [2](session-2) of the syllabus spread the chapter, the lab and the quiz over two meetings.
#
# **In 90 minutes.** The minutes in both plans are our estimates.
#
# | minutes | part | show | slides |
# |---|---|---|---|
# | 12 | from the beginning to the end of the sum attack on the six people | {numref}`fig-six`, {numref}`fig-six-sum` | 1 to 4 |
# | 6 | *students work:* {ref}`foundations-by-hand`, on paper, in pairs of which one student takes Ada and the other Eve | {numref}`fig-six` | 3 |
# | 9 | *What does random noise change?*, up to the formula at its end | {numref}`fig-six-noise` | 5 |
# | 10 | [differential privacy](foundations-dp): the definition, the neighbours and the unit | the table of three units | 6 |
# | 6 | *students work:* {ref}`foundations-odds`, on paper; half of the class takes the first attacker and the other half the second | | 6 |
# | 5 | [sensitivity](foundations-sensitivity): the definition of $\Delta$, and the example with eight visits | | 6 |
# | 3 | *Real traces: flights*, with one sentence on regularity | {numref}`fig-recurrence` | 7 |
# | 13 | [how one target is recognised](foundations-attack): the game and its scores (4 minutes), thresholds and the ROC curve (5), the AUC by pairs (4); if you are late, show only the 100 pairs, and leave out why the area is a probability | {numref}`fig-scores`, {numref}`fig-roc` | 8 |
# | 7 | [many targets](foundations-many): the rule of no zeros, and the results | {numref}`fig-sum-attack` | 9 |
# | 5 | [quiet cells](foundations-quiet): Dan's two cells with a count of 1, private cells, and one sentence on users who share many cells with the target | {numref}`fig-crowding` | 10 |
# | 8 | [what noise costs](foundations-price): compare the errors with those of a table of zeros, first over the visited cells and then over all cells | {numref}`fig-price` | 11 |
# | 6 | questions for a class, and slack | | 13 |
#
# **In 75 minutes.** This plan also leaves out sensitivity and the second exercise.
#
# | minutes | part | show | slides |
# |---|---|---|---|
# | 12 | from the beginning to the end of the sum attack on the six people | {numref}`fig-six`, {numref}`fig-six-sum` | 1 to 4 |
# | 6 | *students work:* {ref}`foundations-by-hand`, on paper, in pairs of which one student takes Ada and the other Eve | {numref}`fig-six` | 3 |
# | 9 | *What does random noise change?*, up to the formula at its end | {numref}`fig-six-noise` | 5 |
# | 9 | [differential privacy](foundations-dp): the definition for add/remove neighbours, and the unit; say in one sentence that more noise is needed if one unit can change more counts | the table of three units | 6 |
# | 3 | *Real traces: flights*, with one sentence on regularity | {numref}`fig-recurrence` | 7 |
# | 12 | [how one target is recognised](foundations-attack), up to the AUC | {numref}`fig-roc` | 8 |
# | 7 | [many targets](foundations-many) | {numref}`fig-sum-attack` | 9 |
# | 4 | [quiet cells](foundations-quiet): Dan's two cells with a count of 1, and private cells | {numref}`fig-crowding` | 10 |
# | 7 | [what noise costs](foundations-price) | {numref}`fig-price` | 11 |
# | 6 | questions for a class, and slack | | 13 |
#
# The parts on many targets and on the cost of noise use noisy counts that are rounded and clipped. Say in one sentence that clipping removes only the negative noise of an empty cell, so that under event-level noise at $\varepsilon = 1$ an empty cell shows about half a person on average.
#
# {ref}`foundations-by-hand` leads students to the idea of quiet cells, and the part on quiet cells gives the measured answer. Quiet cells return in the chapters on [Knock-Knock](knock_knock.ipynb) and on [zero auxiliary knowledge](zero_knowledge.ipynb). Both plans cover everything that the first four quiz questions ask. (The quiz comes before the exercises.) Students answer the fifth question with the subsection *Is it really the target?* open in front of them.
#
# *Other exercises with pencil and paper:* {ref}`foundations-left-out` and {ref}`foundations-twins` go with the six people, {ref}`foundations-day-sensitivity` and {ref}`foundations-questions` with differential privacy, and {ref}`foundations-threshold` with the ROC curve. In the 75-minute plan, {ref}`foundations-odds` is homework.
#
# *Reading at home:* the non-member controls, the rest of the section on [quiet cells](foundations-quiet), [rounding and clipping](foundations-rounding), the proof for the Laplace mechanism, post-processing, and the sections on [regularity](foundations-regularity) and on [cabs](foundations-dense). Students need the section on regularity for {numref}`foundations-regular-target`, {numref}`foundations-daylight` and {numref}`foundations-project`, and for the recurrence of the cabs.
# ````

# %% [markdown]
# ## Who attacks, and what do they know?
#
# The **data holder** has the records of many people and publishes counts. The **attacker** reads the counts and wants
# to learn something about one person, the **target**. In our examples the target is usually Dan, and sometimes Ada. What the attacker knows in advance is called their **prior knowledge** or auxiliary information. The attacker's prior knowledge and goal together form the **threat model**. Each of the five papers has a different threat model:
#
# | paper | besides the counts, the attacker knows | the attacker asks |
# |---|---|---|
# | Knock-Knock {cite:p}`pyrgelis2018knock` | either traces of Dan and of other people, or earlier counts and whether Dan was included in them | Was Dan counted? |
# | Zero Auxiliary Knowledge {cite:p}`guan2024zero` | Dan's trace or a part of it, and where the places are, but nothing about other people | Was Dan counted? |
# | Aggregation privacy {cite:p}`pyrgelis2017crowd` | the habits of everybody, including Dan, and the fact that all of them were counted | Where was Dan, and when? |
# | Fano loss {cite:p}`fanoloss` | how people usually move, and the traces of everybody except Dan | Which path did Dan take? |
# | Threshold attacks {cite:p}`threshold2024` | Dan's trace, and either the traces of everybody else who was counted or the traces of people who were not counted | Was Dan counted? |
#
# How much an attack can achieve depends largely on the attacker's prior knowledge. Whenever you read that an attack succeeds or fails, ask first what the attacker was assumed to know.

# %% [markdown]
# ## Six people and their counts
#
# Ada, Ben, Cleo, Dan, Eve and Fay move between four places. We observe them during four hours of a Monday and the same four hours of the next day, a Tuesday. These six people return in nearly every chapter. We load their data and let Python describe them. In the output, ROIs are the places and epochs are the hours. We define these words, and *visits*, below.

# %%
from lib.datasets import load

six = load("six-users")
six

# %% [markdown]
# The next table shows where Ada was. Each row is a place and each column is an hour. A 1 means that she was in that place in that hour.

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
# was in $s$ during $t$. A pair $(s, t)$ is a *cell*. The cells in which $L^u$ is 1 are the *visits* of the user.
# ````
#
# In plain words, a trace says in which places and hours one person was seen. A person who is seen in several places in the same hour makes several visits in that hour. Adding up the traces of several people gives the counts:
#
# ````{prf:definition} Aggregate
# :label: def-aggregate
# The **aggregate** of a group $W \subseteq \Omega$ of $m$ users is $A^W = \sum_{u \in W} L^u$. Each cell holds the number of group members who were in that place in that hour, which is a whole number from 0 to $m$.
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
# A sum of traces does not show who contributed what to the counts. Is this enough to protect the people who were counted? We consider two attackers.
#
# **The first attacker knows where everybody except Dan was.** The literature on differential privacy calls such a person an *informed* attacker {cite:p}`dwork2006`. The informed attacker computes the counts of the other five people and subtracts them from the published counts. An attack that subtracts two tables of counts that differ in one person is called a **differencing attack**.

# %%
others = counts - six.trace("Dan")  # the attacker computes this from five known traces
pd.DataFrame(counts - others, places, hours)

# %% [markdown]
# What remains is Dan's complete trace. A sum therefore hides Dan only from people who do not know the traces of everybody else.
#
# **The second attacker knows only Dan's trace.** They have no information about the other five, and they want to know
# whether Dan was counted. They look at the six cells of Dan's visits, and add up the published counts in these cells:

# %%
dan = six.trace("Dan")
print("Dan was counted:    ", counts[dan == 1], "add up to", counts[dan == 1].sum())
print("Dan was not counted:", others[dan == 1], "add up to", others[dan == 1].sum())

# %% mystnb={"figure": {"name": "fig-six-sum", "caption": "The sum attack on Dan: his six cells add up to 13 if he was counted (above) and to 7 if he was not (below). The numbers are the published counts, and the thick frames mark Dan's cells. Every framed count is higher by 1 if he was counted. Two of the framed cells hold nobody else: without Dan, their counts are 0."}, "image": {"alt": "The table of counts of the six people, with Dan above and without him below. Frames mark the six cells of Dan: 4, 2, 3, 1, 1 and 2 with him, 3, 1, 2, 0, 0 and 1 without him."}} tags=["hide-input"]
figures.show_sum_attack(six, "Dan", hours)

# %% [markdown]
# The sum is 13 if Dan was counted and 7 if he was not. The difference is 6, the number of Dan's visits, and it does not depend on what the other people did. Adding up the counts in the target's cells is our first **membership inference attack**. We call it the **sum attack**. As a formula, the attacker computes the score
#
# $$ \text{score}(A) = \sum_{(s,t) \,:\, L^{\text{Dan}}_{s,t} = 1} A_{s,t}. $$
#
# How well does the sum attack work? The attacker sees a single sum, such as 13, and must judge whether it is so large that Dan was probably counted. To judge this, they need to know how the sum varies from one group of people to another. A single group of six people cannot show this variation. We return to this question below with [many groups](foundations-attack), first of people and then of flights.

# %% [markdown]
# ## What does random noise change?
#
# A common defense adds random noise to every count before publication. *Laplace noise* of scale $b$ has the
# density $\frac{1}{2b} e^{-|x|/b}$. The noise is positive or negative with equal probability, large values are rare, and its absolute value is $b$ on average. We choose the scale $1/\varepsilon$, where $\varepsilon$ is a parameter set by the data holder. The smaller $\varepsilon$ is, the more noise is added. We take $\varepsilon = 1$, for which the noise is about as large as one visit. The [next section](foundations-dp) explains what $\varepsilon$ guarantees. The whole defense is one line of code, the line that computes `noisy`:

# %%
rng = np.random.default_rng(2013)
epsilon = 1.0
noisy = counts + rng.laplace(scale=1 / epsilon, size=counts.shape)
pd.DataFrame(noisy, places, hours).round(1)

# %% [markdown]
# The informed attacker again subtracts the counts of the other five people:

# %%
pd.DataFrame(noisy - others, places, hours).round(1)

# %% [markdown]
# Dan's trace can no longer be read off from the difference. Most of the six cells that he visited cannot be distinguished from the 26 cells that he did not visit, because a single visit is no larger than the typical noise.
#
# The noise weakens the sum attack much less. This attack adds up several noisy counts, and noise that is positive in one cell and negative in another partly cancels. To see this, we repeat the release 10,000 times with Dan and 10,000 times without him. Only Dan's six cells matter for the attack, so we draw noise for these six cells only. A real attacker sees a single release. The repetitions show how much the sum varies from one release to another.

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

# %% mystnb={"figure": {"name": "fig-six-noise", "caption": "The sum over Dan's six cells in 10,000 noisy releases with Dan and in 10,000 without (ε = 1). The two distributions overlap, but their means (dashed) are six visits apart: noise in several cells partly cancels, but Dan's visits do not. An attacker who says \"Dan was counted\" for all sums to the right of the solid line, at 10, is right in 82% of the releases with Dan and wrong in 18% of those without him. The figure shows these two shares; they are called the true positive rate (TPR) and the false positive rate (FPR)."}, "image": {"alt": "Two overlapping histograms of the noisy sum over Dan's cells, one centred at 7 without Dan, one at 13 with Dan. A solid line marks the threshold of 10; the bars to its right are darker, and two labels give their shares."}} tags=["hide-input"]
figures.show_scores(
    is_dan_in,
    sums,
    "sum of noisy counts over Dan's six cells",
    "releases",
    threshold=10,
    target="Dan",
)

# %% [markdown]
# Consider an attacker who says "Dan was counted" whenever the sum is above 10. They are right in 82% of the releases with Dan, and also in 82% of the releases without him. This success depends on a well-chosen threshold: 10 lies halfway between 7 and 13. To choose it, the attacker must know that the other five people add 7 to the sum. The second attacker above does not know this. For that attacker, the sum is uncertain for two reasons: the noise is random, and it is unknown which other people were counted. We measure the effect of the other people [below](foundations-attack). For now, we consider the noise alone.
#
# The noise hides Dan's six visits poorly, for a simple reason. If the target has $n$ visits, the presence of the target increases the sum by $n$. The variance of Laplace noise
# of scale $1/\varepsilon$ is $2/\varepsilon^2$, so the noise in a sum of $n$ cells has standard deviation
# $\sqrt{2n}/\varepsilon$. The increase $n$ divided by this standard deviation is
#
# $$ \frac{n}{\sqrt{2n}/\varepsilon} = \varepsilon \sqrt{n/2}. $$
#
# This ratio grows with the number of visits. For Dan's six visits at $\varepsilon = 1$ it is 1.7. For a person with 50 visits it is 5, so the noise alone hardly hides that person.
#
# (foundations-rounding)=
# ### Rounding and clipping
#
# A publisher can round noisy counts and *clip* them, so that no table reports "−1.3 people". Clipping replaces values below 0 by 0, and values above the size of the group by that size.

# %%
published = noisy.round().clip(0, 6)
pd.DataFrame(published.astype(int), places, hours)

# %% [markdown]
# Clipping has two side effects. The first occurs in cells where nobody was. Clipping removes the negative noise in these cells but not the positive noise, so the release reports people who were never there. The second side effect weakens the sum attack. To see both effects, we add the same noise to a count of 0, to a count of 1 and to a count of 2:

# %%
noise_of_cell = rng.laplace(scale=1 / epsilon, size=100_000)
means_published = [(n + noise_of_cell).round().clip(0, 6).mean() for n in (0, 1, 2)]
for n, mean in enumerate(means_published):
    print(f"true count {n}: mean published count {mean:.2f}")
from_0_to_1, from_1_to_2 = np.diff(means_published)
print(f"a visit adds {from_0_to_1:.2f} if nobody else is there", end=", ")
print(f"{from_1_to_2:.2f} if one other person is")

# %% [markdown]
# At $\varepsilon = 1$, the published count of an empty cell is about half a person on average. This is the first side effect. The second is that a visit raises the mean published count by less than 1: by only 0.69 in a cell where nobody else is, and by 0.88 in a cell with one other person. Clipping therefore removes part of what the target adds to the sum, and it removes most in the cells where the target is alone.

# %% [markdown]
# (foundations-dp)=
# ## What does differential privacy guarantee?
#
# We have seen that noise hides a single visit better than a sum of many visits. {term}`Differential privacy <differential privacy>` turns this observation into a precise statement. It limits how much *one change in the data* can change the probability of *any* statement about the release.
#
# ````{prf:definition} Release and differential privacy
# :label: def-release
# A **release** $\bar A = \mathcal M(D)$ is the output of a randomized **mechanism** $\mathcal M$ on a dataset $D$ of traces. Let
# $D \sim D'$ denote that $D$ and $D'$ are **neighbours**. The mechanism is **$\varepsilon$-differentially private** if
# for all neighbours $D \sim D'$ and all sets $R$ of possible releases
#
# $$ \Pr[\mathcal M(D) \in R] \le e^{\varepsilon} \Pr[\mathcal M(D') \in R]. $$
#
# The part of the data in which two neighbours differ is the **unit of privacy**.
# ````
#
# For the moment, suppose that two datasets are neighbours if they differ in one person. Imagine that Dan's data are in $D$ and not in $D'$, and that you may choose any statement about the release, for
# example "the sum over Dan's cells is above 10". The statement is then at most $e^{\varepsilon}$ times as probable with Dan as without him, and at most $e^{\varepsilon}$ times as probable without him as with him. If $\varepsilon$ is 0.1, the factor $e^{\varepsilon}$ is 1.1, and an observer learns hardly anything about whether Dan's data are included. If $\varepsilon$ is 10, the factor exceeds twenty thousand, and the inequality excludes almost nothing. The number $\varepsilon$ is also called the
# **privacy budget**. If the same data are released twice, the two values of $\varepsilon$ add up, as if each release spent a part of a budget.
#
# To use the definition, a data holder must answer three questions. Which datasets are neighbours? In what unit do they differ? How much noise is needed? The next three subsections answer these questions. A fourth subsection says what may be done with the noisy counts afterwards, and a fifth summarises which neighbours each step of this chapter uses.
#
# ### Neighbours: which change must stay hidden?
#
# Two conventions are common.
#
# - **Add/remove** neighbours differ in the presence of one unit (for now: one person). The guarantee is then also called *unbounded* differential privacy. For example, one dataset has the traces of all six people, and the other has the traces of the five people other than Dan.
# - **Replace-one** neighbours have the same number of units, and one unit is exchanged for another. The guarantee is then also called *bounded* differential privacy. For example, one dataset is a group of five people with Dan, and the other is the same group with Eve in his place.
#
# Replacing Dan by Eve amounts to one removal and one addition. A mechanism that is $\varepsilon$-differentially private for add/remove
# neighbours is therefore $2\varepsilon$-differentially private for replace-one neighbours. Later in this chapter, the [membership game](foundations-attack) exchanges the target for another user, so it concerns replace-one neighbours.
#
# *Counterexample.* Two datasets that look similar need not be neighbours. Suppose that the unit is a person, and that Ada and Ben both join the data. Together they add 16 visits. One very busy person could add the same number of visits, but the data without Ada and Ben and the data with both are not neighbours, because two people have joined. We can, however, add these two people one after the other. Each step changes the probability of a statement by a factor of at most $e^{\varepsilon}$, so the two steps together change it by a factor of at most $e^{2\varepsilon}$. In general, a mechanism that protects one unit with $\varepsilon$ protects $k$ units together with $k\varepsilon$. This rule is called **group privacy**.
#
# ### The unit: a visit, a day or a person?
#
# Neighbours differ in one *unit*, and this unit can be small or large:
#
# | unit of privacy | neighbours differ in | example of what is protected |
# |---|---|---|
# | **event level** | one visit of one user: one place in one hour | whether Dan was at the station on Tuesday at 9 |
# | **user-day level** | all visits of one user on one day | what Dan did on Tuesday |
# | **user level** | the complete trace of one user | whether Dan was counted at all |
#
# *Example.* Suppose that a release is event-level private with $\varepsilon = 1$. An observer wonders whether Dan was at the station on Tuesday at 9. They already know all other visits of everybody, including Dan's other five visits. Whatever this observer believed before, the release changes the odds that they give to this one visit by a factor of at most 2.7.
#
# *Counterexample.* The same release does not hide whether Dan was counted. Suppose that an observer knows Dan's trace and wonders whether he was counted at all. This observer asks about six visits at once, because either all six are in the counts or none are. By group privacy, the six visits together are protected with $6\varepsilon$ only. Dan's presence may therefore change the probability of a statement by a factor of up to 403 instead of 2.7. We compare this bound with the noisy releases from above:

# %%
print(f"largest factor for one visit: {np.exp(1):.1f}, for six visits: {np.exp(6):.0f}")
ratio = (with_dan > 10).mean() / (without_dan > 10).mean()
print(f'factor of "the sum over Dan\'s cells is above 10": {ratio:.1f}')

# %% [markdown]
# Dan's presence changes the probability that the sum is above 10 by a factor of 4.5. This is more than 2.7, but event-level privacy allows it, because Dan's presence involves six visits.
#
# A value of $\varepsilon$ therefore means nothing until its unit is stated. When you read "$\varepsilon = 1$", ask which unit of privacy it refers to.
#
# (foundations-sensitivity)=
# ### Sensitivity: how much noise is needed?
#
# The {term}`sensitivity` $\Delta$ of the counts says how much the counts of two neighbouring datasets can differ. We add up the absolute differences over all cells, and take the largest value that this sum can have:
#
# $$ \Delta = \max_{D \sim D'} \sum_{s,t} \bigl| A_{s,t} - A'_{s,t} \bigr|, $$
#
# where $A$ and $A'$ are the aggregates of $D$ and $D'$. Adding independent Laplace noise of scale $\Delta/\varepsilon$ to every cell is $\varepsilon$-differentially private. This mechanism is called the **Laplace mechanism**.
#
# *Why is this enough noise?* Consider a possible release $r$, and let $b$ be the scale of the noise. If the true counts are $A$, the noise in each cell must have been $r_{s,t} - A_{s,t}$. If they are $A'$, it must have been $r_{s,t} - A'_{s,t}$. The noise is drawn independently in each cell, so the density of the whole release is the product of the densities in the cells. The density of $r$ under $A$, divided by its density under $A'$, is
#
# $$ \prod_{s,t} \frac{e^{-|r_{s,t} - A_{s,t}|/b}}{e^{-|r_{s,t} - A'_{s,t}|/b}}
# = \exp\Bigl(\tfrac1b \sum_{s,t} \bigl( |r_{s,t} - A'_{s,t}| - |r_{s,t} - A_{s,t}| \bigr)\Bigr)
# \le \exp\Bigl(\tfrac1b \sum_{s,t} |A_{s,t} - A'_{s,t}|\Bigr) \le e^{\Delta/b}. $$
#
# The first inequality is the triangle inequality in each cell, and the second is the definition of $\Delta$. If $b = \Delta/\varepsilon$, the bound is $e^{\varepsilon}$. Because the bound holds for the density of every release, it also holds for the probability of every set of releases.
#
# *Example in one cell.* At the station on Monday at 12 the count is 2 with Dan and 1 without him. How probable is a noisy count
# above 2? With Dan the noise must be positive, and without him it must exceed 1:

# %%
from scipy.stats import laplace

above_2 = {n: laplace(loc=n, scale=1 / epsilon).sf(2) for n in (2, 1)}
print(f"count 2: {above_2[2]:.3f}, count 1: {above_2[1]:.3f}", end=", ")
print(f"ratio {above_2[2] / above_2[1]:.3f}")

# %% [markdown]
# The ratio is $e = 2.718$, which is exactly the largest ratio that is allowed at $\varepsilon = 1$.
#
# *Example for two units of privacy.* Consider add/remove neighbours. One visit changes one count by 1, so $\Delta = 1$ at the event level. Adding or removing a person changes one count for each visit of that person. If nobody can have more than eight visits (for example because each person is in only one place in each of the eight hours), then $\Delta = 8$ at the user
# level. At $\varepsilon = 1$ the noise then has scale 1 at the event level and scale 8 at the user level.
#
# For replace-one neighbours the sensitivity is at most twice as large. In the two examples above it is exactly twice as large. At the user level, for example, exchanging one person for another can remove as many as eight visits and add as many as eight others. Noise that guarantees $\varepsilon$ for add/remove neighbours therefore guarantees only $2\varepsilon$ for replace-one neighbours, as we have seen. In this book, the noise is
# calibrated to add/remove neighbours unless a page says otherwise.
#
# *A caution.* Sensitivity depends on all possible datasets, and not only on the data at hand. The busiest of our six people have eight visits. If a seventh person with 20 visits can join (because a person may be seen in several places in one hour), noise of scale 8 is not enough to protect that person with $\varepsilon = 1$. A data holder must therefore know a limit on the number of visits in advance, or enforce one by dropping visits of busier people. We set $\Delta$ to the largest number of visits of a user in the data. Knock-Knock does the same for the week that is released. Strictly speaking, this number already reveals something about the busiest person.
#
# *A common misunderstanding.* Large counts do not need more noise than small ones. Sensitivity depends on how much one unit can change the counts, and not on how large the counts are. A count of four and a count of four million therefore need the same amount of noise, provided that one unit can change each of them by at most the same amount. Relative to its size, a small count is distorted much more.
#
# ### Post-processing: what may be done afterwards?
#
# Any computation on a release that does not look at the original data again is called {term}`post-processing`. Post-processing preserves the guarantee, and the proof takes one line. Let $f$ be the computation. Its result lies in a set $R$ if and only if the release lies in $f^{-1}(R)$, the set of all releases that $f$ maps into $R$. Therefore
#
# $$ \Pr[f(\mathcal M(D)) \in R] = \Pr[\mathcal M(D) \in f^{-1}(R)] . $$
#
# The inequality in the definition holds for every set of releases, and so also for $f^{-1}(R)$. If $f$ itself draws random numbers, the argument holds for each possible draw, and therefore also for the average over all draws.
#
# *Example.* Rounding and clipping need only the noisy count itself and the size of the group. If the size of the group is public and the same in any two neighbouring datasets, rounding and clipping are post-processing. This condition holds in the membership game below, where all groups have the same size.
#
# *Counterexample.* Suppose that the publisher adds noise only to counts above 0, and publishes every 0 exactly. To do so, the publisher must look at the true counts again. If the noisy counts are neither rounded nor clipped, they are practically never exactly 0. A published 0 in one of Dan's cells then proves that Dan was not counted, and no value of $\varepsilon$ allows such a proof.
#
# ### Which neighbours does each step use?
#
# Three steps of this chapter use different neighbours:
#
# | step | neighbours | what follows |
# |---|---|---|
# | the noise is calibrated | add/remove | the scale is $1/\varepsilon$ at the event level, and the largest number of visits of a user divided by $\varepsilon$ at the user level |
# | the membership game exchanges the target for another user | replace-one, at the user level | user-level noise guarantees $2\varepsilon$ in the game |
# | counts are clipped at the size of the group | any two datasets with the same number of people: event-level neighbours, and replace-one neighbours at the user level | clipping is post-processing for these neighbours |
#
# When we clipped at 6 above, the noise was calibrated to the event level, so the guarantee holds. For add/remove neighbours at the user level, clipping at the size of the group is *not* post-processing. Suppose that we clip the counts of the six people at 6. Without Dan the group has five members, and a count of 6 would be clipped to 5. A published 6 would then prove that Dan was counted.

# %% [markdown]
# ## Real traces: flights
#
# Few data holders permit a book to distribute the traces of their users. We therefore use the public records of all domestic flights that left the three airports of New York in 2013 {cite:p}`nycflights13`. Flights *to* New York are not among them, so the data lack an aircraft's return flights. A flight visits its origin in the scheduled hour of departure and its destination in the scheduled hour of arrival. For the same airports and the same four weeks, we define a user in two ways:
#
# - **by flight number:** a user is a line of the timetable, such as UA1545. Such a user returns every week, like a commuter.
# - **by tail number:** a user is one aircraft, such as N14228. Such a user goes where it is needed, like a cab.
#
# These users are flights and aircraft rather than people. They show how the attacks depend on the structure of the data.
#
# In the tables, the two datasets are called `flights-by-number` and `flights-by-tail`. The text and the figures call their users *flight numbers* and *aircraft*.
#
# You can change the following values and run the page again:

# %% tags=["parameters"]
datasets = ["flights-by-number", "flights-by-tail"]
path = ""  # folder of a dataset that cannot be distributed, such as the cabs
records = ""  # your own records, as a CSV file
columns = {}  # which columns of that file have the user, the time and the place
lag = "7D"  # one week: how much later a visit must be repeated to count as regular
group_sizes = [10, 30, 100, 300]
n_groups = 200  # for each target and size: half of the groups contain the target
n_targets = 20
epsilons = [0.1, 0.3, 1.0, 10.0]  # in the section on cost; elsewhere ε is 1
seed = 2013

# %%
from lib.datasets import describe
from lib.papers import fitting
from lib.papers.foundations import experiments as foundations

populations = fitting.load_populations(datasets, path, records, columns)
# keep only the group sizes that all populations allow
group_sizes = fitting.foundations(populations, group_sizes)
plots.show_table(describe(populations), "data")

# %% [markdown]
# Users with fewer than 16 visits are left out. This leaves 1,054 flight numbers, and we draw the same number of aircraft at
# random. The data are *sparse*: on average, a user visits fewer than one cell in a thousand. About four cells in five are empty even when everybody is counted. Both kinds of users follow the same daily rhythm, with few visits between one and six in the morning. Unfold the following two cells for a figure of this rhythm, and for a table of how many rows the loader read (two rows for each flight) and why it set some of them aside:

# %% mystnb={"figure": {"name": "fig-week", "caption": "Both populations follow the same daily rhythm, with few visits between 1 and 6 o'clock in the morning, New York time (shaded). The lines show the visits in each hour of the first week, over all users and places. These totals do not show which users return a week later."}, "image": {"alt": "Line chart of visits per hour over the first week of each dataset: a daily rhythm in which the number of visits falls in the late evening and is close to zero between 1 and 6 o'clock, which is shaded."}} tags=["hide-input", "hide-output"]
only_flights = set(populations) <= {"flights-by-number", "flights-by-tail"}
figures.show_week(populations, "America/New_York" if only_flights else None)

# %% tags=["hide-input", "hide-output"]
from lib.datasets import row_counts

plots.show_if_any(row_counts(populations), "rows", "No dataset was read from a file.")

# %% [markdown]
# (foundations-regularity)=
# ## How regular are these users?
#
# *You may skip this section at a first reading. Later you need it for {numref}`foundations-regular-target`, {numref}`foundations-daylight` and {numref}`foundations-project`, and for the recurrence of the [cabs](foundations-dense).*
#
# Knock-Knock {cite:p}`pyrgelis2018knock` compares commuters with cabs, and regards the commuters' movements as more *regular*. It concludes that regularity and sparseness make its attack easier. To examine this conclusion, we need a measure of regularity.
#
# ````{prf:definition} Recurrence
# :label: def-recurrence
# The **recurrence** of a user at lag $\ell$ is the share of the user's visits $(s, t)$ for which the user also visits $(s, t + \ell)$. Visits for which $t + \ell$ is after the end of the data are left out.
# ````
#
# At a lag of one week, the recurrence is the share of visits after which the user returns to the same place at the same hour one week later. A user with a perfect weekly timetable has a recurrence of 1, and a user who never returns in this way has a recurrence of 0. For our six people we use a lag of one day. Fay, for example, makes four visits on Monday. To count how many of them she repeats on Tuesday, we multiply her two days cell by cell:

# %%
monday, tuesday = np.split(six.trace("Fay"), 2, axis=1)
print(f"Fay: {(monday * tuesday).sum()} of {monday.sum()} visits are repeated")
six.recurrence("1D").round(2).to_dict()  # the library, for all six

# %% [markdown]
# Ada, Ben and Cleo repeat all their Monday visits on Tuesday. Fay repeats one of four, and Dan and Eve repeat none. For the flights we use a lag of one week. The last column of the next table is a baseline. It shows what share of a user's visits *another* user makes a week later, averaged over all other users:

# %% tags=["hide-input"]
repeated = foundations.recurrences(fitting.lasting(populations, lag), lag)
table = figures.recurrence_table(repeated)
plots.show_if_any(table, "recurrence", "No recurrence without a later epoch.")

# %% mystnb={"figure": {"name": "fig-recurrence", "caption": "Distribution of recurrence over users, after the first week. The curve at x gives the share of users whose recurrence is at most x. Most flight numbers repeat every visit, and most aircraft repeat none, although both use the same airports in the same hours."}, "image": {"alt": "Cumulative distribution of per-user recurrence after the first week. Flight numbers lie almost all near 1, aircraft almost all near 0."}} tags=["hide-input"]
figures.show_recurrence(repeated, lag)

# %% [markdown]
# Flight numbers are regular and aircraft are not. After the first week, the mean recurrence is 0.96 for flight numbers and 0.04 for aircraft. Even the aircraft repeat more of their visits than another user would: over all weeks, the two shares are 0.03 and 0.01.
#
# ````{admonition} How to read this table
# :class: note
# - Brackets in this chapter contain 95% {term}`confidence intervals <confidence interval>`. Here they describe the variation between users. In the tables for many targets they describe the variation between targets. Both are intervals of a mean and use Student's $t$ distribution. A note below a table says so if its brackets mean anything else.
# - Over all weeks, the recurrence of flight numbers is only 0.70, because the clocks in New York went forward on Sunday, 10 March 2013, and hours on this page are in UTC. A flight that leaves every Monday at eight, New York time, leaves at 13 UTC in the first week and at 12 UTC afterwards. {numref}`foundations-daylight` examines this effect.
# - The hours are scheduled hours, which makes a flight number regular unless its timetable changes. With actual hours the recurrence is lower, as the same exercise shows.
# ````

# %% [markdown]
# (foundations-attack)=
# ## How well can one target be recognised?
#
# To measure how well the sum attack recognises a target, we need an experiment with many groups. The experiment is called the **membership game**:
#
# 1. A challenger draws $m - 1$ users other than the target at random. The last member is the target with probability 1/2, and otherwise another user drawn at random.
# 2. The challenger shows the counts of the group to the attacker, who knows the target's trace and nobody else's.
# 3. The attacker answers with a number, the **score**. A higher score means a stronger belief that the target is in the group.
#
# In the sum attack, the score is the sum of the counts in the target's cells. A target who is in the group adds 1 to the count in each of these cells. A user who is in the group in place of the target adds 1 only in the cells that both of them visit.
#
# We begin with the six people. Dan is the target, and the groups have three members. There are only ten groups with Dan and ten without him, so we can list them all instead of drawing them at random:

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
# Nearly all groups with Dan have higher scores than all groups without him. A group with Dan scores at least 6, because of his own six visits. The score of a group without him comes only from members who happen to be in Dan's cells, and it is at most 7.
#
# There are too many groups of flights to list, so we draw them at random. The target is one flight number, and the groups have the largest of our sizes. The matrix `visits_in_cells` says which user visits which of the target's cells:

# %%
name, traces = next(iter(populations.items()))
first_data = {name: traces}  # the first dataset alone
everybody, size = np.arange(traces.n_users), max(group_sizes)
target = int(foundations.targets_of(traces, 1, seed)[0])  # one user, at random
all_others = np.delete(everybody, target)

cells = np.flatnonzero(traces.trace(traces.users[target]))
visits_in_cells = traces.matrix[:, cells].toarray()  # a row for each user, 0 or 1
print(f"{traces.users[target]} has {len(cells)} visits; groups have {size} members")

# %% [markdown]
# The game itself takes a few lines. Step 1 draws the members without replacement. Instead of including the target with probability 1/2, we include it in exactly half of the groups. Step 2 adds up the members' visits in the target's cells, and step 3 adds up these counts:

# %%
game_rng = np.random.default_rng(seed)


def draw_group(pool, with_target):
    """Draw members from the pool; the target may take the place of the last one."""
    group = game_rng.permutation(pool)[:size]
    if with_target:
        group[-1] = target
    return group


has_target = np.repeat([True, False], 100)
some_groups = np.array([draw_group(all_others, each) for each in has_target])  # step 1
some_counts = np.array([visits_in_cells[group].sum(axis=0) for group in some_groups])
some_scores = some_counts.sum(axis=1)  # step 3: the sum attack
print(f"mean score with the target {some_scores[has_target].mean():.1f}", end=", ")
print(f"without {some_scores[~has_target].mean():.1f}")

# %% [markdown]
# The library does the same, faster. We check that it computes the same counts for our 200 groups. Then we let it draw 2,000 new groups, again half of them with the target, and use these groups from now on. The array `has_target` is replaced by one that holds a 1 for each group with the target and a 0 for each group without it:

# %%
from lib.aggregation import aggregate, aggregate_cells, sample_member_groups

same_counts = np.array_equal(aggregate_cells(traces, some_groups, cells), some_counts)
print("the library's counts are the same:", same_counts)

groups, has_target = sample_member_groups(everybody, target, 2000, size, rng)
# counts in the target's cells only
target_counts = aggregate_cells(traces, groups, cells)
scores = target_counts.sum(axis=1)
print(f"{(has_target == 1).sum():,} groups with the target", end=", ")
print(f"{(has_target == 0).sum():,} without it")
print(f"mean score with the target {scores[has_target == 1].mean():.1f}", end=", ")
print(f"without {scores[has_target == 0].mean():.1f}")

# %% [markdown]
# The two outputs differ a little, because a mean over only 100 groups is imprecise. For the same reason, the first two means are further apart than the target's 48 visits.

# %% mystnb={"figure": {"name": "fig-scores", "caption": "Scores of 1,000 groups with one target and of 1,000 groups without. The means (dashed) differ by almost the number of the target's visits, but the scores also vary with the other members of the group, so that the distributions overlap. An attacker who says \"member\" for all groups to the right of the solid line gives the right answer for about half of the groups with the target (TPR), and the wrong answer for a tenth of the groups without it (FPR)."}, "image": {"alt": "Two overlapping histograms of scores: groups without the target to the left, groups with the target to the right. A solid line marks a threshold; the bars to its right are darker, and two labels give their shares, FPR and TPR."}} tags=["hide-input"]
figures.show_scores(
    has_target, scores, threshold=np.quantile(scores[has_target == 0], 0.9)
)

# %% [markdown]
# ### From scores to decisions
#
# In the end the attacker must decide whether the target is in the group. They choose a threshold, and say "member" if the score is above it. Two kinds of error are possible. Saying "member" for a group without the target is a **false positive**. Failing to say "member" for a group with the target is a **false negative**. The **false positive rate** (FPR) is the share of the groups without the target for which the attacker says "member". The **true positive rate** (TPR)
# is the same share among the groups with the target. As the threshold falls, both rates rise. If we plot the TPR against the FPR for all thresholds, we get the **ROC curve**. The next table shows both rates for three thresholds, and {numref}`fig-roc` marks them by dots on the curve. The second threshold is the solid line in {numref}`fig-scores`:

# %%
three_thresholds = np.quantile(scores[has_target == 0], [0.99, 0.9, 0.5])
rows = []
for threshold in three_thresholds:
    said_member = scores > threshold
    fpr, tpr = said_member[has_target == 0].mean(), said_member[has_target == 1].mean()
    rows.append({"threshold": f"{threshold:.0f}", "FPR": fpr, "TPR": tpr})
plots.show_table(pd.DataFrame(rows).set_index("threshold").round(3), "thresholds")

# %% mystnb={"figure": {"name": "fig-roc", "caption": "The ROC curve of the sum attack on one target runs well above the diagonal (dotted), which is the curve of an attacker who guesses. The shaded area is the AUC. The dots mark the three thresholds of the table: an attacker who lowers the threshold identifies more groups with the target, but gives the wrong answer for more groups without it."}, "image": {"alt": "ROC curve of the attack above the diagonal of guessing, the area below it shaded. Three dots mark thresholds at false positive rates of about 0.01, 0.1 and 0.5."}} tags=["hide-input"]
figures.show_roc(has_target, scores, three_thresholds)

# %% [markdown]
# ### The AUC: compare pairs
#
# The area under the ROC curve, the **AUC**, summarises all thresholds in one number. The AUC is also a probability, which is easier to compute. If we draw one group with the target and one without, the AUC is the probability that the first has the higher score. A tie counts half.
#
# Why is the area a probability? Take the twenty groups of three people, sort them by score, and let the threshold fall. Each group with Dan moves the ROC curve up by 1/10, and each group without him moves it to the right by 1/10. A step to the right adds a strip to the area below the curve. The height of this strip is the share of the groups with Dan that score higher than the group without him. The area is therefore the share of all pairs that are in the right order. If groups of both kinds have the same score, the curve rises diagonally, and such a pair adds half.
#
# The ten groups with Dan and the ten without him make 100 pairs. In how many of these pairs does the group without Dan have the higher score?


# %%
def compare_pairs(with_target, without):
    """Compare every group with the target to every group without it."""
    gap = with_target[:, None] - without[None, :]
    higher, equal, lower = (gap > 0).sum(), (gap == 0).sum(), (gap < 0).sum()
    auc = (higher + equal / 2) / gap.size
    print(
        f"higher in {higher:,} pairs, equal in {equal:,}, lower in {lower:,}", end=": "
    )
    print(f"AUC {auc:.2f}")


compare_pairs(score_of_three[has_dan], score_of_three[~has_dan])

# %% [markdown]
# Only one pair is in the wrong order: the group with Dan scores 6 and the group without him scores 7. For the flight that we attacked above, the 1,000 groups with it and the 1,000 groups without make a million pairs. We compare them with the same function, and check the result against the function `metrics.auc` of the library:

# %%
from lib import metrics

compare_pairs(scores[has_target == 1], scores[has_target == 0])
print(f"the library: AUC {metrics.auc(has_target, scores):.2f}")

# %% [markdown]
# ````{prf:definition} AUC, privacy loss, and TPR at a low FPR
# :label: def-auc
# The **AUC** is the area under the ROC curve. It is the probability that a random group with the target scores higher than a random group without the target, where a tie counts half. An attacker who guesses has an AUC of 1/2. Knock-Knock's **privacy loss** is $\max(0,\ 2\,\mathrm{AUC} - 1)$. The **TPR at an FPR of 10%** is the share of groups with the target for which the attacker says "member", if they may say so for at most one in ten of the groups without the target.
# ````
#
# Do not confuse Knock-Knock's privacy loss with other quantities of the same name. In the literature on differential privacy, the privacy loss is the logarithm of the ratio of the two probabilities in {prf:ref}`def-release`. The paper on Aggregation privacy uses the term for a reduction of the attacker's error. Knock-Knock's privacy loss is only the AUC on another scale, on which 0 is guessing and 1 is certainty.
#
# An AUC of 0.84 does not mean that the attacker is right in 84% of the cases. How often they are right depends on the threshold. With a threshold of 174, for example, the attacker gives the right answer for 52% of the groups with the target and for 90% of the groups without it.
#
# The AUC averages over all thresholds, including thresholds that nobody would use. An attacker who can afford few false positives needs a high TPR at a low FPR. We therefore report both the AUC and the TPR at an FPR of 10%. The next table shows them for this target:

# %%
# `means` averages and adds 95% intervals, and `bracketed` writes both as text
from lib.papers.summaries import bracketed, means, scored

plots.show_table(scored(has_target, {"sum": scores}), "one-target")

# %% [markdown]
# *The 95% intervals are for this one target. The interval of the AUC describes the variation between groups and uses a formula of Newcombe {cite:p}`newcombe2006`. The interval of the TPR is conservative: it covers the true value in at least 95% of repetitions. It is wide because two things are uncertain: the threshold, which is estimated from the groups without the target, and the rate itself. In the tables for many targets below, the brackets describe the variation between targets instead.*
#
# ### Is it really the target?
#
# A high AUC may have a cause other than the presence of the target. For example, if an error in the program gave one more member to every group with the target, all sums would be larger in these groups, and the AUC would be high for any user's cells. To check this, we compute the same sum over the cells of another user, who is in *none* of the groups. We call such a user a **non-member control**. If the control shares few cells with the target, the control's sum says little about whether the target is in the group, so the AUC should be near 1/2. The groups above may contain any user, so we draw new groups without the control. The following code does this for one control:

# %%
candidates = foundations.targets_of(traces, 2, seed)
control = int(candidates[candidates != target][0])  # a user other than the target
its_cells = np.flatnonzero(traces.trace(traces.users[control]))
visits_in_its_cells = traces.matrix[:, its_cells].toarray()

without_control = np.setdiff1d(everybody, [target, control])
is_target_in = np.repeat([True, False], 1000)
new_groups = [draw_group(without_control, each) for each in is_target_in]
new_scores = np.array([visits_in_its_cells[group].sum() for group in new_groups])

print(f"control: {traces.users[control]}, which shares", end=" ")
print(f"{len(np.intersect1d(its_cells, cells))} of its {len(its_cells)} cells")
print(f"AUC over its cells: {metrics.auc(is_target_in, new_scores):.2f}")

# %% [markdown]
# This control shares no cell with the target, and the AUC over its cells is near 1/2. A single control may come out near 1/2 by chance. The library therefore repeats the experiment with 20 controls, and the table shows their mean AUC, with a 95% interval that describes the variation between controls:

# %% tags=["hide-input"]
controls = foundations.controls(
    traces, target, group_size=size, n_groups=n_groups, n_controls=20, seed=seed
)
shared = [traces.trace(each).ravel()[cells].sum() for each in controls["control"]]
print(f"{shared.count(0)} of {len(shared)} controls share no cell with the target")
print(f"no control shares more than {max(shared, default=0)}")
mean_control = bracketed(means(controls.assign(cells="of a control"), ["cells"], "AUC"))
plots.show_if_any(mean_control, "controls", "Groups of this size leave nobody out.")

# %% [markdown]
# Nineteen of the 20 controls share no cell with the target, and the other one shares four. The interval of the mean AUC contains 1/2. We therefore find no evidence that the attack recognises anything other than the target.
#
# ````{admonition} What this game leaves out
# :class: note
# Computing the score requires no training, but choosing a threshold does. For the ROC curve we used the labels of the groups, which a real attacker would not have. The attackers in [](knock_knock.ipynb) and [](zero_knowledge.ipynb) learn in different ways what scores to expect.
# ````

# %% [markdown]
# (foundations-many)=
# ## Does it work for many targets?
#
# A single target may be an exception, so we now attack 20 targets of each dataset, in groups of several sizes. For each group we consider three releases: the raw counts, counts with event-level noise, and counts with user-level noise. For both kinds of noise, $\varepsilon$ is 1, and the noisy counts are rounded and clipped. For user-level noise, $\Delta$ is the number of visits of the busiest user.
#
# For the single target used above, the whole experiment fits into a few lines of code. They compute how much the target adds to the mean score, the standard deviation of the scores without the target, and the AUC, each before and after rounding and clipping:

# %%
most_visits = traces.visits().max()  # the sensitivity at the user level
scales = {"raw": 0, "event level": 1 / epsilon, "user level": most_visits / epsilon}
noise_rng = np.random.default_rng(seed)


def in_numbers(table):
    """What the target adds to the mean, the standard deviation without it, the AUC."""
    sums = table.sum(axis=1)
    present, absent = sums[has_target == 1], sums[has_target == 0]
    increase = present.mean() - absent.mean()
    return increase, absent.std(), metrics.auc(has_target, sums)


numbers = {}
for release, scale in scales.items():
    noisy_in_cells = target_counts + noise_rng.laplace(
        scale=scale, size=target_counts.shape
    )
    numbers[release, f"{scale:.0f}", "no"] = in_numbers(noisy_in_cells)
    published_in_cells = noisy_in_cells.round().clip(0, size)  # post-processing
    numbers[release, f"{scale:.0f}", "yes"] = in_numbers(published_in_cells)

# %% tags=["hide-input"]
decimals = {
    "the target adds": "{:.1f}",
    "standard deviation": "{:.1f}",
    "AUC": "{:.2f}",
}
of_releases = pd.DataFrame(numbers, index=list(decimals)).T
of_releases.index.names = ["release", "noise scale", "rounded and clipped"]
for column, text in decimals.items():
    of_releases[column] = of_releases[column].map(text.format)
plots.show_table(of_releases, "one-target-releases")

# %% [markdown]
# For this target, event-level noise lowers the AUC mainly because of rounding and clipping. The noise alone lowers the AUC from 0.84 to 0.83, and rounding and clipping lower it further to 0.80. The reason is the second [side effect](foundations-rounding) of clipping. In cells where nobody else is, a visit raises the mean published count by less than 1, so the target adds only 39.5 to the mean score instead of 46.2. The standard deviation of the scores changes much less, from 35.1 to 34.5, so the target stands out less. With user-level noise, the attack hardly does better than guessing. This noise is so large that even the mean scores over 1,000 groups are imprecise: without clipping, the target seems to add more than its 48 visits, but the standard error of this difference is about 26.
#
# ### Is there a better attack on raw counts?
#
# Yes. If the target is in the group, then the count in every one of the target's cells is at least 1. A count of 0 in one of these cells therefore *proves* that the target is absent. The **rule of no zeros** says "member" if none
# of the target's cells is 0. The rule even requires *less* knowledge than the sum attack, because it comes with a threshold, whereas an attacker who uses the sum must know which sums to expect. It never misses a group with the target, so all its errors are false positives. What is its AUC? The rule gives only two different scores. If a group without the target has a 0 in one of the target's cells, every pair that includes this group is in the right order and counts 1. If it has no such 0, every pair that includes it is a tie and counts 1/2. The AUC is therefore $(1 - \mathrm{FPR}) + \mathrm{FPR}/2$, which is 1 minus half the FPR. In the following code, the first line applies the rule to the single target used above:

# %%
no_zero = (target_counts > 0).all(axis=1)
print(f"AUC of the rule {metrics.auc(has_target, no_zero):.2f}", end=", ")
print(f"false positive rate {no_zero[has_target == 0].mean():.2f}")

# %% [markdown]
# For this target the rule makes no error. The [next section](foundations-quiet) shows why: some of the target's cells are never visited by anybody else. Such a cell holds a 0 whenever the target is absent.
#
# The rule is not always better than the sum: {ref}`foundations-threshold` has a counterexample. It also requires raw counts. In noisy counts, a published 0 no longer proves anything, because the noise may have turned a 1 into a 0. {ref}`An exercise <zk-rule>` in a later chapter asks how well the rule works if the attacker knows only a few of the target's visits.
#
# ### How do both attacks do in larger groups?
#
# We now run the membership game with 20 targets of each dataset and with groups of every size. For each target and size, we draw 100 groups with the target and 100 without. We evaluate the sum attack on all three releases, and the rule of no zeros on the raw counts of the same groups. To separate the effect of the noise from that of rounding and clipping, we also evaluate the sum attack on counts with the same event-level noise that are neither rounded nor clipped:

# %%
from lib.mechanisms import Laplace
from lib.papers.foundations import live

game = dict(n_groups=n_groups, n_targets=n_targets, seed=seed)
# for each dataset, target and size: draw groups, add noise, add up the target's cells, AUC
games = foundations.games(
    populations, epsilons=[epsilon], group_sizes=group_sizes, **game
)
noise_alone = {"noise alone": [Laplace(epsilon)]}
games_unclipped = foundations.games(
    populations, releases=noise_alone, group_sizes=group_sizes, **game
)
games_of_rule = live.no_zero_games(populations, group_sizes=group_sizes, **game)

# %% [markdown]
# The function `games` does nothing that we have not done above. To check this, the folded code takes the groups that the library drew for the first of the 20 targets, and computes the AUC on raw counts as we did above:

# %% tags=["hide-input"]
from lib.randomness import stream

first_target = int(foundations.targets_of(traces, n_targets, seed)[0])
its_stream = stream(seed, "foundations-game", name, 0, size)  # the library's seed
drawn, is_in = sample_member_groups(everybody, first_target, n_groups, size, its_stream)
in_its_cells = traces.matrix[:, traces.matrix[[first_target]].indices].toarray()
own_scores = np.array([in_its_cells[group].sum() for group in drawn])
of_game = games.query("data == @name and draw == 0 and `group size` == @size")
of_library = of_game.set_index("release").loc["raw", "AUC"]
print(f"AUC, our lines: {metrics.auc(is_in, own_scores):.4f}", end=", ")
print(f"the library: {of_library:.4f}")

# %% tags=["hide-input"]
label_noise = f"noise at ε = {epsilon:g}, rounded and clipped"
attacks_by_release = {
    "raw": "sum attack, raw counts",
    f"event-level, ε = {epsilon:g}": f"sum attack, event-level {label_noise}",
    f"user-level, ε = {epsilon:g}": f"sum attack, user-level {label_noise}",
}
both_attacks = pd.concat(
    [
        games.replace({"release": attacks_by_release}),
        games_of_rule.assign(release="rule of no zeros, raw counts"),
    ]
)
attack = means(both_attacks, ["data", "release", "group size"], "AUC")
attack = attack.reindex(list(populations), level="data")

# %% mystnb={"figure": {"name": "fig-sum-attack", "caption": "Event-level noise hardly lowers the AUC of the sum attack, and user-level noise nearly stops it. Groups of 300 protect flight numbers (above) from the sum attack much better than from the rule of no zeros, and they hardly protect aircraft (below) from either. Three lines show the sum attack: on raw counts, and on noisy counts that are rounded and clipped. The fourth line shows the rule of no zeros on the same raw counts. All values are mean AUCs over 20 targets, with 95% intervals; the dotted line is guessing. Marks are shifted sideways a little, so that they do not hide each other."}, "image": {"alt": "Two panels, flight numbers and aircraft, with the mean AUC against group size: the sum on raw counts, with event-level noise and with user-level noise, and the rule of no zeros on raw counts, with intervals. For the flight numbers the sum falls with group size on raw counts and with event-level noise, and the rule stays higher; user-level noise lies at or slightly above guessing."}} tags=["hide-input"]
figures.show_attack(attack)

# %% [markdown]
# The first of the following tables shows the same mean AUCs, and beside them the mean AUC under noise alone. The second shows the mean TPR of the sum attack at an FPR of 10%, where an attacker who guesses has a TPR of 0.1. Its last column is the mean FPR of the rule of no zeros, whose TPR is always 1.

# %% tags=["hide-input"]
event_level, user_level = (
    f"event-level, ε = {epsilon:g}",
    f"user-level, ε = {epsilon:g}",
)
titles = {
    "raw": "raw counts",
    "noise alone": "event-level noise alone",
    event_level: "event-level, rounded and clipped",
    user_level: "user-level, rounded and clipped",
}
every_game = pd.concat([games, games_unclipped])
mean_of = {}
for measure in ("AUC", "TPR at 10% FPR"):
    keys = ["data", "group size", "release"]
    values = every_game.groupby(keys, sort=False)[measure].mean().unstack("release")
    mean_of[measure] = values.loc[list(populations), list(titles)].rename(
        columns=titles
    )
of_rule = games_of_rule.groupby(["data", "group size"], sort=False)[
    ["AUC", "FPR"]
].mean()
aucs_by_size = mean_of["AUC"].assign(**{"rule of no zeros": of_rule["AUC"]})
tprs_by_size = mean_of["TPR at 10% FPR"].assign(**{"FPR of the rule": of_rule["FPR"]})
plots.show_table(aucs_by_size.map("{:.2f}".format), "noise-auc")
plots.show_table(tprs_by_size.map("{:.2f}".format), "noise-tpr")
for measure, values in mean_of.items():
    lost = values[titles["raw"]] - values[titles[event_level]]
    print(f"{measure}: event-level noise, rounded and clipped, lowers it", end=" ")
    print("by at most {:.2f} ({}, groups of {})".format(lost.max(), *lost.idxmax()))

# %% [markdown]
# *Means over the targets of each dataset. Unfold the following code for the 95% intervals over targets. Intervals [1.00, 1.00] are left out there and in the tables of the [next section](foundations-quiet).*

# %% tags=["hide-input", "hide-output"]
of_intervals = {
    "sum-attack": attack,
    "sum-attack-tpr": means(games, ["data", "release", "group size"], "TPR at 10% FPR"),
    "no-zeros-fpr": means(games_of_rule, ["data", "group size"], "FPR"),
}
for title, values in of_intervals.items():
    by_size = bracketed(values)["mean [95%]"].unstack("group size", sort=False)
    plots.show_table(by_size.replace("1.00 [1.00, 1.00]", "1.00"), title)

# %% [markdown]
# Although the attacker knows only the target's trace, the sum attack on raw counts does much better than guessing in groups of up to 300. In groups of ten it puts almost every pair of groups in the right order.
#
# *Does noise stop the sum attack?* Event-level noise does not, because it is calibrated to a single visit and the attack adds up dozens of visits. With rounding and clipping, it lowers the mean AUC by at most 0.04 and the mean TPR at an FPR of 10% by at most 0.15. The largest loss of TPR occurs for flight numbers in groups of 30: the noise alone lowers the TPR from 1.00 to 0.89, and rounding and clipping lower it further to 0.85. User-level noise reduces the AUC almost to 1/2.
#
# *Does a larger group protect its members?* Against the sum attack on raw counts, a larger group protects flight numbers. As groups grow from 10 to 300 users, the mean AUC falls from 1.00 to 0.80, and the mean TPR from 1.00 to 0.48. A larger group hardly protects aircraft: in groups of 300 their mean AUC and their mean TPR are both still 0.99.
#
# Against the rule of no zeros, a group of 300 protects flight numbers much less. In these groups the mean AUC is 0.93 for the rule and 0.80 for the sum. The rule wrongly says "member" for 15% of the groups without the target. The [next section](foundations-quiet) explains the differences between the two datasets and between the two attacks.
#
# ````{admonition} What this does not show
# :class: note
# - The figure shows what two attacks achieve. It does not show what the best attack achieves.
# - Twenty targets were drawn at random from all users. The most exposed user may be at greater risk than these averages suggest.
# - The non-member control above was evaluated for one target and on raw counts only.
# ````

# %% [markdown]
# (foundations-quiet)=
# ## Cells with few other users reveal most
#
# Which of the target's cells help the attacker most? We shall see that three properties of a cell matter: whether few other users visit it, whether nobody else visits it at all, and whether the same users also visit many of the target's other cells. We examine the properties in this order.
#
# Consider Dan's six cells again. If Dan is counted, the counts in these cells are 4, 2, 3, 1, 1 and 2. In the two cells with a count of 1 there is nobody but Dan. If he were absent, these two counts would be 0. The count of 4 would be 3. An attacker who knows nothing about the other people cannot say whether 3 or 4 is the usual count. A 0, in contrast, can be interpreted without any such knowledge, because with Dan the count would be at least 1.
#
# The same holds in large groups. Suppose that the number of other users in cell $c$ follows a Poisson distribution with mean $\lambda_c$. Its variance is then also $\lambda_c$. Now consider the sum of the counts in a set $C$ of the target's cells. The presence of the target raises this sum by $|C|$, the number of cells. If the counts of different cells are uncorrelated, the variance of the sum is $\sum_{c \in C} \lambda_c$. How well the target stands out depends on the increase divided by the standard deviation, $|C| / \sqrt{\sum_{c \in C} \lambda_c}$. We compute this ratio for two quiet cells with one other user each on average, and then add a busy cell with 16 others:

# %%
for others_in_cells in ([1, 1], [1, 1, 16]):
    increase, deviation = len(others_in_cells), sum(others_in_cells) ** 0.5
    print(f"others {others_in_cells}: the target adds {increase}", end=", ")
    print(f"standard deviation {deviation:.1f}, ratio {increase / deviation:.1f}")

# %% [markdown]
# The busy cell raises the increase only from 2 to 3, but it triples the standard deviation. The ratio falls from 1.4 to 0.7, so the attacker does better without the busy cell. Adding up fewer but quieter cells can therefore be *better*. We return [below](foundations-deviations) to the condition that the counts are uncorrelated.
#
# We test this with the single target used above. We rank the target's cells by the number of users in the whole dataset who visit them. Then we compare the sum over all cells with the sums over the quieter half and over the busier half:

# %%
visitors = aggregate_cells(traces, [everybody], cells)[0]
half = len(cells) // 2
quiet, busy = np.argsort(visitors)[:half], np.argsort(visitors)[-half:]
for which, chosen in (("all", slice(None)), ("quiet half", quiet), ("busy half", busy)):
    auc = metrics.auc(has_target, target_counts[:, chosen].sum(axis=1))
    print(f"{which:10}: {visitors[chosen].mean():5.1f} visitors a cell, AUC {auc:.2f}")

# %% [markdown]
# For this target, adding up only the quieter half of the cells is a better attack than adding up all cells, and adding up only the busier half is a worse one. We repeat the comparison for all 20 targets of each dataset, in newly drawn groups. We also try shares of the cells other than one half:

# %%
shares = [0.1, 0.25, 0.5, 1.0]
crowding = foundations.by_crowding(populations, shares=shares, group_size=size, **game)
by_share = bracketed(means(crowding, ["data", "order", "share"], "AUC"))["mean [95%]"]
by_share = by_share.replace("1.00 [1.00, 1.00]", "1.00")
plots.show_table(by_share.unstack("share", sort=False), "crowding")

# %% mystnb={"figure": {"name": "fig-crowding", "caption": "Mean AUC if only a share of the target's cells is added up, in groups of 300. For flight numbers, adding up the quietest half of the cells is a better attack than adding up all cells, and adding up the busiest half a worse one. For aircraft, the sum over any share of the quietest cells has a mean AUC of at least 0.99, and the sum over the busiest cells improves as more of them are added."}, "image": {"alt": "Mean AUC against the share of cells that are added up, quietest first and busiest first, for both datasets. For flight numbers the curve that starts with quiet cells lies above the value for all cells, the other below."}} tags=["hide-input"]
figures.show_crowding(crowding)

# %% [markdown]
# Cells with few other users reveal most. For flight numbers, the sum over the quietest half of the cells has a mean AUC of 0.95, and the sum over all cells only 0.81.
#
# ### What if nobody else ever visits a cell?
#
# Some cells are visited by the target and by nobody else in the data. We call them the target's **private cells**. The raw count in a private cell is 1 if the target is in the group, and 0 if not. The target alone determines this count, whoever the other members are. How many of the cells of the single target used above are private? And what do the counts in one of them look like?

# %%
print(f"private cells: {(visitors == 1).sum()} of {len(cells)}")
is_one_of_them = target in foundations.targets_of(traces, n_targets, seed)
print(f"one of the {n_targets} targets of the tables: {is_one_of_them}")
in_quietest = target_counts[:, np.argmin(visitors)]
for is_in, which in ((1, "with"), (0, "without")):
    print(
        f"counts in groups {which} the target:",
        np.unique(in_quietest[has_target == is_in]),
    )

# %% [markdown]
# In a group with the target, the count in a private cell is always 1, and without the target it is always 0. This is why the rule of no zeros made no error for this target.
#
# How sure can the attacker be? This depends on which of the two counts they see. A 0 in one of the target's cells proves that the target is absent, and the attacker needs only the target's trace to know this. A 1 proves that the target is present only if the attacker also knows that nobody else ever visits the cell. The attacker of this chapter does not know this. Of all counts of 1 in a table, how many are in cells that only one user ever visits? We take the first of the groups drawn above:

# %%
visitors_of_all = aggregate(traces, everybody[None, :])[0]  # of each cell
is_one = aggregate(traces, groups[:1])[0] == 1
print(f"counts of 1 in one group of {size}: {is_one.sum():,}", end=", ")
print(f"in cells with a single visitor: {(visitors_of_all[is_one] == 1).mean():.0%}")

# %% [markdown]
# Only about half of the counts of 1 are in such cells. The attacker cannot tell whether a given 1 is among them, so for the attacker a 1 is evidence and not proof. If the target has a private cell, the rule of no zeros is still right about every group. But an attacker can trust the answer "member" only if they know that the cell is private.
#
# Are private cells the whole reason why quiet cells reveal most? The single target above was drawn separately, and it is not one of the 20 that we attack in each dataset. We divide those 20 into targets that have a private cell and targets that have none, and compare them:

# %%
# "yes" for each target with a cell that no other user of the dataset visits
has_private_cell = live.own_cells(populations, n_targets=n_targets, seed=seed)
quietest = crowding[crowding["order"] == "quietest first"]
quietest = quietest.join(has_private_cell, on=["data", "draw"])

# %% tags=["hide-input"]
rule_at_size = games_of_rule[games_of_rule["group size"] == size]
rule_at_size = rule_at_size.join(has_private_cell, on=["data", "draw"])
split = means(quietest, ["data", "private cell", "share"], "AUC")
by_own_cell = bracketed(split)["mean [95%]"].unstack("share", sort=False)
by_own_cell = by_own_cell.drop(columns=0.25, errors="ignore")
by_own_cell.insert(0, "targets", split["n"].xs(1.0, level="share"))
rule_split = means(rule_at_size, ["data", "private cell"], "AUC")
by_own_cell["rule of no zeros"] = bracketed(rule_split)["mean [95%]"]
by_own_cell = by_own_cell.replace("1.00 [1.00, 1.00]", "1.00")
plots.show_table(by_own_cell, "crowding-own")

# %% [markdown]
# *All AUCs are means over targets. The columns 0.1, 0.5 and 1.0 give the AUC of the sum over the quietest tenth, over the quietest half and over all of the target's cells. The last column is for the rule of no zeros, in the groups of the previous section.*
#
# All 20 aircraft and 12 of the 20 flight numbers have a private cell. The rule of no zeros makes no error on these targets, and the sum over the quietest tenth of their cells already has a mean AUC of 1.00. The other eight flight numbers have no private cell. For them, too, the sum over the quietest half of the cells is better than the sum over all cells: the mean AUC is 0.87 instead of 0.79.
#
# The means over all 20 flight numbers combine these two kinds of targets. The mean AUC of 0.95 for the quietest half is an average over twelve targets that are recognised without error and eight that are not. Likewise, the mean AUC of 0.93 for the rule is an average of 1.00 for the twelve targets that have a private cell and 0.82 for the eight that have none.
#
# Why do quiet cells help even if every cell has a visitor besides the target? This visitor need not be in the group, because a group of 300 contains fewer than a third of the users. We consider the targets without a private cell, and count how often their cells are 0 in groups without the target:

# %% tags=["hide-input"]
empty_rng = np.random.default_rng(seed)
empty = []
for data, draw in has_private_cell[has_private_cell == "no"].index:
    population = populations[data]
    users = np.arange(population.n_users)
    user = foundations.targets_of(population, n_targets, seed)[draw]
    its_visits = np.flatnonzero(population.trace(population.users[user]))
    its_visitors = aggregate_cells(population, [users], its_visits)[0]
    quiet_half = np.argsort(its_visitors)[: max(1, len(its_visits) // 2)]
    drawn, is_in = sample_member_groups(users, user, n_groups, size, empty_rng)
    without = aggregate_cells(population, drawn[is_in == 0], its_visits)
    empty.append((without[:, quiet_half] == 0).mean())
false_positive = rule_at_size.loc[rule_at_size["private cell"] == "no", "FPR"]
print("targets without a private cell, groups without the target:")
print(f"counts of 0 in the quietest half of the cells: {pd.Series(empty).mean():.0%}")
print(f"groups with a 0 in one of the cells: {1 - false_positive.mean():.0%}")

# %% [markdown]
# In the quietest half of the cells, about half of the counts are 0, although every cell has a visitor besides the target in the population. In 64% of the groups without the target, at least one of the target's cells is 0. The rule is therefore wrong about the other 36% of the groups without the target. By the formula above, its AUC is 1 minus half of this share, which is the 0.82 of the table. Quiet cells help the sum attack, too. If the target is present, each quiet cell adds 1 to the sum, like any other cell. Unlike a busy cell, it adds little variation, as in the small example above.
#
# Do quiet cells still help once the private cells are left out? We begin with the single target. We remove its private cells, rank the remaining cells, and add up the counts of the quietest half and of all of them, in the groups drawn above:

# %%
not_private = np.flatnonzero(visitors > 1)  # positions among the target's cells
ranked = not_private[np.argsort(visitors[not_private])]
for which, chosen in (("quietest half", ranked[: len(ranked) // 2]), ("all", ranked)):
    auc = metrics.auc(has_target, target_counts[:, chosen].sum(axis=1))
    print(f"{len(chosen)} cells that are not private, {which}: AUC {auc:.2f}")

# %% [markdown]
# For this target, the quietest half is hardly better than all remaining cells. We repeat the comparison for all 20 targets of each dataset, in new groups. Now all of them can show whether quiet cells help. The last column of the table is the paired difference between the AUCs of the quietest half and of all remaining cells:

# %% tags=["hide-input"]
remaining_rng = np.random.default_rng(seed)
rows_remaining = []
for data, population in populations.items():
    users = np.arange(population.n_users)
    for draw, user in enumerate(foundations.targets_of(population, n_targets, seed)):
        visited_cells = np.flatnonzero(population.trace(population.users[user]))
        n_visitors = aggregate_cells(population, [users], visited_cells)[0]
        remaining_cells = visited_cells[n_visitors > 1]
        ranked_cells = remaining_cells[np.argsort(n_visitors[n_visitors > 1])]
        drawn, is_in = sample_member_groups(users, user, n_groups, size, remaining_rng)
        counts_in_ranked = aggregate_cells(population, drawn, ranked_cells)
        n_half = len(ranked_cells) // 2
        parts = {
            "quietest half": counts_in_ranked[:, :n_half],
            "busiest half": counts_in_ranked[:, n_half:],
            "all": counts_in_ranked,
        }
        for which, part in parts.items():
            row = {"data": data, "draw": draw, "cells": which}
            row["AUC"] = metrics.auc(is_in, part.sum(axis=1))
            rows_remaining.append(row)

# %% tags=["hide-input"]
from lib.papers.summaries import differences

remaining = pd.DataFrame(rows_remaining)
of_parts = bracketed(means(remaining, ["data", "cells"], "AUC"))["mean [95%]"]
of_parts = of_parts.unstack("cells", sort=False)
paired = differences(
    remaining, ["data"], "AUC", ["draw"], "cells", "quietest half", "all"
)
of_parts["quietest half − all"] = bracketed(paired)["mean [95%]"]
plots.show_table(of_parts, "crowding-without-own")

# %% [markdown]
# *Mean AUCs over 20 targets of each dataset, in groups of the largest size. Brackets are 95% intervals over targets. If the number of cells is odd, the middle one belongs to the busiest half.*
#
# Quiet cells help without private cells, too. For flight numbers, the quietest half of the remaining cells has a mean AUC of 0.84, and all remaining cells have only 0.76. The interval of the paired difference lies above 0. For aircraft, the two values are 0.99 and 0.98, so hardly anything is left to gain.
#
# For a data holder, the lesson is that group size alone says little about protection. Users who visit places where hardly anybody else goes are badly protected in raw counts, even in a group of 300. For the flight numbers without a private cell, the sum over the quietest tenth of the cells still has a mean AUC of 0.88. Users who visit a place where nobody else goes at all are protected even less. A 0 there reveals that the user was absent, and a 1 reveals the user's presence to anybody who knows that nobody else goes there.
#
# In short, three properties of a cell matter:
#
# - In a *quiet* cell there are few other users, so the target is easy to notice.
# - A *private* cell is visited by nobody but the target. On raw counts, the rule of no zeros makes no error for a target with such a cell.
# - If the target shares *many cells with the same users*, these cells add little evidence, because each of these users raises the counts of many cells at once.
#
# The rest of this section is about the third property. *You may skip the rest of this section at a first reading.* The exercises {numref}`foundations-nearly`, {numref}`foundations-half`, {numref}`foundations-regular-target` and {numref}`foundations-proof` build on it, and so does the explanation of the AUC of the [cabs](foundations-dense).
#
# ### What if the same users appear in many cells?
#
# Suppose that the same few users appear in many of the target's cells. Does this help the attacker or the target? A small example shows the effect. In the first population, 120 other users share one cell each with the target. In the second population, 10 other users share twelve cells each. Each of these users is in the group with probability 0.3, independently of the others. The number of these users in the group is binomial, so we can compute the distribution of the sum exactly. The target has twelve visits and adds 12 to the sum. For the AUC we compare a sum with the target and an independent sum without it, and add up the probabilities of all pairs:

# %%
from scipy.stats import binom

distribution_of, auc_of = {}, {}
for who, n_others, n_shared in (
    ("120 others share one cell each", 120, 1),
    ("10 others share 12 cells each", 10, 12),
):
    n_in_group = np.arange(n_others + 1)
    probability = binom.pmf(n_in_group, n_others, 0.3)
    sum_without = n_shared * n_in_group
    mean = (probability * sum_without).sum()
    deviation = (probability * (sum_without - mean) ** 2).sum() ** 0.5

    gap = (sum_without + 12)[:, None] - sum_without[None, :]
    of_pair = probability[:, None] * probability[None, :]
    auc = of_pair[gap > 0].sum() + of_pair[gap == 0].sum() / 2
    print(f"{who}: mean {mean:.0f}", end=", ")
    print(f"standard deviation {deviation:.1f}, AUC {auc:.2f}")
    distribution_of[who] = pd.Series(probability, sum_without)
    auc_of[who] = auc

# %% mystnb={"figure": {"name": "fig-clumps", "caption": "A few users who share many cells with the target hide the target better than many users who share one cell each. The bars show the probability of each sum (its share of all groups) without the target and with the target (hatched), and the dashed lines show the two means. The means are 12 apart in both panels. In the upper panel the two distributions overlap little. In the lower panel the sums vary much more, and the two distributions largely overlap. (The vertical axes differ.)"}, "image": {"alt": "Two panels with the distributions of the sum without and with the target, with means 36 and 48. With 120 others who share one cell each, the two distributions are narrow bells that overlap little; the AUC is 0.95. With ten others who share twelve cells each, both have few bars, twelve apart, that reach from 0 to about 96 and largely coincide; the AUC is 0.68."}} tags=["hide-input"]
figures.show_clumps(distribution_of, auc_of, 12)

# %% [markdown]
# A few users who each add a lot make the sum vary more than many users who each add a little. In the second population, the standard deviation is $\sqrt{12} \approx 3.5$ times as large. A target with twelve visits is therefore easy to notice in the first population and hard to notice in the second: the AUC is 0.95 in the first and 0.68 in the second.
#
# ### Why do more cells not always help?
#
# The values for flight numbers in {numref}`fig-crowding` are surprising. The sum over the quietest tenth of the cells is as good an attack as the sum over the quietest half (both have a mean AUC of 0.95). Likewise, the sum over the busiest tenth is nearly as good as the sum over the busiest half (0.66 and 0.68). For the quiet cells, the twelve targets with a private cell cannot show a change, because the quietest tenth of their cells already identifies them without error. But for the eight other targets, too, adding up more of the quiet cells does not improve the attack.
#
# To find the reason, we look at who else visits these cells. *Other visitors* is the number of other users in the whole population who visit a cell. *Different others* is the number of distinct other users who visit at least one of the cells. How many of the cells does each of these other users share with the target, on average? For the single target used above, this takes three lines:

# %%
visits_of_others = np.delete(visits_in_cells, target, axis=0)  # users x its cells
shared_with = visits_of_others.sum(axis=1)  # cells that each other user shares with it
meets_it = shared_with > 0
print(f"{meets_it.sum()} others share a cell with the target", end=", ")
print(f"on average {shared_with[meets_it].mean():.1f} of its {len(cells)} cells")

# %% [markdown]
# The following tables show the same averages for the 20 targets of each dataset. The folded code divides the sum of the other visitors of all the cells by the number of different others.


# %% tags=["hide-input"]
def who_else(rows):
    """Average over targets, by dataset and share of the cells."""
    rows = rows.assign(**{"other visitors": rows["visitors"] - 1})  # not the target
    rows["shared"] = rows["cells"] * rows["other visitors"]  # of all of them together
    columns = ["cells", "other visitors", "different others", "shared"]
    average = rows.groupby(["data", "share"])[columns].mean()
    average["cells shared, per other user"] = (
        average["shared"] / average["different others"]
    )
    return average.drop(columns="shared")


in_busiest = who_else(crowding[crowding["order"] == "busiest first"])
in_quietest_cells = who_else(quietest[quietest["private cell"] == "no"])

# %% tags=["hide-input"]
tables = {"crowding-others": in_busiest, "crowding-no-own": in_quietest_cells}
for title, averages in tables.items():
    few_shares = averages.drop(index=0.25, level="share", errors="ignore")
    texts = few_shares.map("{:.1f}".format)
    plots.show_if_any(texts, title, "Every target has a private cell.")

# %% [markdown]
# *Means over targets. First table: the busiest cells of all 20 targets of each dataset. Second table: the quietest cells of the targets without a private cell. The last column cannot be computed exactly from the others: the shared cells are added up for each target first, and averaged over targets afterwards.*
#
# The last column of the first table gives the reason. A flight number that shares a cell with the target shares 13.1 cells with it on average, and an aircraft shares only 1.2. We say that another user *meets* the target if the two share at least one cell. A flight number meets the same few others again and again. An aircraft meets mostly different users in different cells.
#
# For flight numbers, additional cells therefore bring little that is new. Of the eight targets without a private cell, the quietest tenth of the cells is visited by 2.2 other flight numbers on average, and the quietest half by only 2.5. Averaged over all 20 targets, the busiest tenth of a target's cells is visited by 23.3 others, and all 44 of its cells together by only 31.5. Whether we add up four busy cells or twenty-two, the sum depends mainly on how many of the same flights are in the group. The step from the busiest half to all cells does raise the AUC, from 0.68 to 0.81, but only because the added half is quiet. (A half drawn at random already has an AUC of 0.80, see {numref}`foundations-half`.)
#
# For aircraft, additional cells bring new users and therefore new evidence. The busiest tenth of the cells is visited by 43.4 others, and the busiest half by 147.8. The other half adds few new users, but its cells are quiet. Together, new users and quieter cells raise the AUC from 0.70 for the busiest tenth to 0.99 for all cells. {numref}`foundations-half` separates these two causes. There, the known cells are drawn at random, so a tenth of them is, on average, neither quieter nor busier than the whole trace. For aircraft, the AUC still rises from 0.85 for a tenth of the cells to 0.99 for all cells. For flight numbers, it stays nearly the same.
#
# (foundations-deviations)=
# ### Why do large groups protect flight numbers better than aircraft?
#
# This question is about the sum attack. The short answer is that the same flights share many cells with the target, so the counts of these cells rise and fall together. For flight numbers, the sum therefore has about four times the standard deviation that it would have if the counts were uncorrelated. We show this in two steps: a measurement and an exact formula.
#
# Flight numbers resemble the second population of the small example, and aircraft the first. Is this the reason, or are the cells of flight numbers simply busier? In the whole population, a cell of a flight number has 9.4 other visitors on average, and a cell of an aircraft has 6.8. To compare the two explanations, we compute two standard deviations of the sum over all cells. The first, *deviation*, is measured in groups without the target. The second, *if uncorrelated*, is the standard deviation that the sum would have if the counts of different cells were uncorrelated, so that only their variances added up. It is larger if the cells are busier, but it ignores that the same users visit several cells.
#
# The target increases the sum by its number of visits, so the success of the attack depends on the ratio of this number to the standard deviation. The table shows the ratio for each of the two standard deviations. Its last column turns the first ratio into an AUC. If the sum is approximately normal, then $\mathrm{AUC} = \Phi(\text{ratio} / \sqrt 2)$, where $\Phi$ is the distribution function of the standard normal distribution. The $\sqrt 2$ appears because the AUC compares two independent sums, and their difference has $\sqrt 2$ times the standard deviation of one sum. {numref}`foundations-proof` derives this formula:

# %%
from scipy.stats import norm

all_cells = crowding[(crowding["share"] == 1) & (crowding["order"] == "quietest first")]
both_deviations = ["deviation", "if uncorrelated"]
of_sums = all_cells.groupby("data", sort=False)[["cells", *both_deviations]].mean()
of_sums = of_sums.rename(columns={"cells": "visits"})
of_sums["visits ÷ deviation"] = of_sums["visits"] / of_sums["deviation"]
ratio_if_uncorrelated = of_sums["visits"] / of_sums["if uncorrelated"]
of_sums["visits ÷ deviation if uncorrelated"] = ratio_if_uncorrelated
of_sums["AUC by the formula"] = norm.cdf(of_sums["visits ÷ deviation"] / 2**0.5)

# %% tags=["hide-input"]
texts = of_sums.map("{:.1f}".format)
texts["AUC by the formula"] = of_sums["AUC by the formula"].map("{:.2f}".format)
plots.show_table(texts, "deviations")

# %% [markdown]
# Flight numbers visit busier cells than aircraft do, but this explains hardly any of the difference. If the counts of different cells were uncorrelated, the standard deviation would be 8.8 for flight numbers and 6.0 for aircraft. Flight numbers also make more visits, so the ratio would be about 5 for both.
#
# The measured standard deviations are very different. For aircraft it is 6.7, about as large as if the counts were uncorrelated. For flight numbers it is 37.2, four times as large, so the ratio is only 1.2. By the formula, this ratio gives an AUC of 0.80, close to the mean of 0.81 that we measured. For aircraft, the formula gives 1.00, and we measured 0.99. The formula was applied here to means over the targets. {numref}`foundations-regular-target` applies it to each target separately, and the mean of these predictions for aircraft is 0.99.
#
# Do shared cells account for this factor of four? Let $k_v$, the *overlap* of user $v$, be the number of cells that user $v$ shares with the target. A group without the target is a random sample of $m$ of the $N$ other users, and the sum over the target's cells is the sum of $k_v$ over its members. The variance of such a sum is known exactly: it is $m (1 - m/N)$ times the variance of $k_v$ over all $N$ users, computed with divisor $N - 1$. We can therefore predict the standard deviation from the numbers of shared cells alone, without drawing any group. For the single target, the overlaps are the array `shared_with` from above:

# %%
from lib.aggregation import sample_groups


def predict_deviation(overlaps):
    """Standard deviation of the sum over the target's cells, without the target."""
    n_others = len(overlaps)
    return (size * (1 - size / n_others) * overlaps.var(ddof=1)) ** 0.5


overlap_rng = np.random.default_rng(seed)
more_groups = sample_groups(all_others, 10_000, size, overlap_rng)  # without the target
more_scores = aggregate_cells(traces, more_groups, cells).sum(axis=1)
print(f"predicted: {predict_deviation(shared_with):.1f}")
print(f"in the groups above: {scores[has_target == 0].std(ddof=1):.1f}")
print(f"in {len(more_groups):,} new groups: {more_scores.std(ddof=1):.1f}")

# %% [markdown]
# The prediction is close to the value for 10,000 new groups. The 1,000 groups drawn earlier happen to vary a little more. For the 20 targets of each dataset we compare the means. We also compute how many of the users who meet the target share at least two cells with it:

# %%
rows = []
for data, population in populations.items():
    for user in foundations.targets_of(population, n_targets, seed):
        cells_of_user = population.matrix[[user]].indices
        visits_of_all = population.matrix[:, cells_of_user].toarray()
        overlaps = np.delete(visits_of_all.sum(axis=1), user)  # of the other users
        row = {"data": data, "predicted deviation": predict_deviation(overlaps)}
        of_those_who_meet = pd.Series(overlaps[overlaps >= 1])
        row["share at least two cells"] = (of_those_who_meet >= 2).mean()
        rows.append(row)
of_shared = pd.DataFrame(rows).groupby("data", sort=False).mean()
of_shared.insert(0, "deviation", of_sums["deviation"])
of_shared.round(2)

# %% [markdown]
# *The last column is a share of the users who meet the target.*
#
# The prediction agrees with the measurement: 37.4 against 37.2 for flight numbers, and 6.8 against 6.7 for aircraft. Differences of this size are to be expected, because we measured with only 100 groups for each target. Because the formula is exact, this comparison is a check of our measurement, and the measurement passes it. The formula also explains the result: the sum varies a lot if a few users share many cells with the target and most users share none. Of the flights that share at least one cell with the target, 91% share at least two. Of the aircraft, only 16% do.
#
# Why do flights share so many cells? We explain this with the timetable: two flights that meet once usually meet again, in other weeks and on other days. We say that another user meets the target in a given week, or on a given weekday, if the two share at least one cell of that week or weekday. Among the users who meet the target at all, how many meet it in at least two weeks, or on at least two weekdays?

# %% tags=["hide-input"]
rows = []
for data, population in populations.items():
    for user in foundations.targets_of(population, n_targets, seed):
        cells_of_user = population.matrix[[user]].indices
        visits_of_all = population.matrix[:, cells_of_user].toarray()
        of_others = np.delete(visits_of_all, user, axis=0)
        meets_at_all = of_others.any(axis=1)
        row = {"data": data}
        hour = cells_of_user % len(population.epochs)
        for period, number in (("weeks", hour // 168), ("weekdays", hour // 24 % 7)):
            meets = [of_others[:, number == each].any(axis=1) for each in set(number)]
            n_met = pd.Series(np.sum(meets, axis=0)[meets_at_all])
            row[f"at least two {period}"] = (n_met >= 2).mean()
        rows.append(row)
meetings = pd.DataFrame(rows).groupby("data", sort=False).mean()
plots.show_table(meetings.map("{:.2f}".format), "meetings")

# %% [markdown]
# Of the flights that meet the target at all, 88% meet it in at least two weeks, and 82% on at least two weekdays. Of the aircraft, only 10% and 13% do. {numref}`foundations-regular-target` tests this explanation. It replaces the visits of the later weeks, and then those of the later days, by visits of other users, so that the repetition disappears. This removes the whole factor of four. (The invented targets also mix the airports of several users, so the result supports the explanation but does not prove it.) The next chapter counts the [overlaps](kk-overlaps) of flights with the target.
#
# ````{admonition} What this does not show
# :class: note
# - To rank the cells, the attacker must know roughly where people usually are. We ranked them by the counts of all users.
# - Flight numbers are also more regular than aircraft, but the regularity of the target does not help these two attacks, which already know the trace. {numref}`foundations-regular-target` tests this. Among flight numbers, the real targets are *harder* to recognise than invented targets that repeat less, both for the sum attack and for the rule of no zeros. The sum over the cells of a regular target varies more from group to group, and this weakens the sum attack. The rule does better on the invented targets because all of them have a private cell, and only 12 of the 20 real targets do. The reason may be that an invented target takes its cells from at least four users. [](knock_knock.ipynb) and [](crowd.ipynb) examine whether regularity helps attackers who must *predict* the trace.
# ````

# %% [markdown]
# (foundations-price)=
# ## What does noise buy, and what does it cost?
#
# How much does noise weaken the attack, and how much accuracy does it cost? We measure both for releases with different amounts of noise.
#
# ````{prf:definition} Privacy gain (Knock-Knock's)
# :label: def-gain
# Let $\mathrm{AUC}_A$ be the AUC on raw counts and $\mathrm{AUC}_{\bar A}$ the AUC on the release. The **privacy gain** is
#
# $$ \frac{\mathrm{AUC}_A - \mathrm{AUC}_{\bar A}}{\mathrm{AUC}_A - 1/2}, $$
#
# and it is 0 if $\mathrm{AUC}_{\bar A} \ge \mathrm{AUC}_A$. An $\mathrm{AUC}_{\bar A}$ below 1/2 is counted as 1/2. A gain of 0 means that the attack does at least as well on the release as on raw counts. A gain of 1 means that the attack is reduced to guessing.
# ````
#
# For example, an attack that has an AUC of 0.9 on raw counts and of 0.7 on the release has lost half of its lead over guessing:

# %%
auc_raw, auc_release = 0.9, 0.7
print(f"gain: {(auc_raw - auc_release) / (auc_raw - 0.5):.2f}")

# %% [markdown]
# Eq. 6 of Knock-Knock differs from this definition if $\mathrm{AUC}_{\bar A}$ is below 1/2, because it then sets the gain to 0. The text after {prf:ref}`def-kkd-pg` compares the two definitions.
#
# The *error* of a release is the mean absolute difference between published and true counts. We measure it twice: over the *visited cells*, that is, the cells with a true count above 0, and over all cells of the table. In an empty cell, the error equals the published count.
#
# To judge an error, we need a baseline. The simplest release publishes 0 in every cell and reveals nothing at all. We call it a *table of zeros*, or *zeros* for short. The error of zeros over the visited cells is the mean count of these cells. In the empty cells, zeros make no error. By this measure, a noisy release whose error is larger than that of zeros is worse than publishing nothing.

# %%
true_counts = aggregate(traces, groups[:1])[0]
visited = true_counts > 0
in_visited = true_counts[visited]
print(f"one group of {size}: {true_counts.sum():,} visits in {visited.sum():,} cells")
print(f"mean count in these cells, and error of zeros: {in_visited.mean():.2f}")
print(f"share of these cells with one or two users: {(in_visited <= 2).mean():.0%}")
print(f"cells without a visit: {(~visited).sum():,}")

# %% [markdown]
# We add event-level noise to the counts of this one group, and add up the errors of all published counts:

# %%
price_rng = np.random.default_rng(seed)
noise_of_table = price_rng.laplace(scale=1 / epsilon, size=true_counts.shape)
published_table = (true_counts + noise_of_table).round().clip(0, size)
wrong = np.abs(published_table - true_counts)
print(f"total error in visited cells: {wrong[visited].sum():,.0f}")
print(f"visits invented in empty cells: {wrong[~visited].sum():,.0f}")
print(f"total error over all cells: {wrong.sum():,.0f}, of zeros {true_counts.sum():,}")
print(f"error per cell: {wrong.mean():.2f}, of zeros {true_counts.mean():.2f}")

# %% [markdown]
# This release invents 30,501 visits in cells where nobody was. That is more than twice the 13,296 visits that were actually made. Over the visited cells, the error of the release is less than half that of a table of zeros. Over all cells, it is almost three times as large as that of a table of zeros.
#
# These errors are about single cells. The total of many cells may still be useful, because the noise in different cells partly cancels. For example, we add up the visits to each of the ten busiest airports in each week. We use the same noise, but the counts are neither rounded nor clipped, because clipping would remove only negative noise. The second line of the output is for all other airports:

# %%
by_visits = np.argsort(true_counts.sum(axis=1))[::-1]  # the airports, busiest first
first_hours = range(0, true_counts.shape[1], 168)  # of each week
true_totals = np.add.reduceat(true_counts[by_visits], first_hours, axis=1)
noise_in_totals = np.add.reduceat(noise_of_table[by_visits], first_hours, axis=1)
for which, airports in (("ten busiest", slice(10)), ("all others", slice(10, None))):
    print(
        f"{which}: error of a weekly total {true_totals[airports].mean():.0f}", end=" "
    )
    print(f"with zeros, {np.abs(noise_in_totals[airports]).mean():.0f} with noise")

# %% [markdown]
# For the ten busiest airports, the error of a weekly total is 17 on average, and zeros have an error of 218. A reader who needs only the totals of busy airports can therefore use the noisy counts, provided that they are not clipped. For the other airports, noise makes larger errors than zeros do, because most of them have few visits. We chose the ten airports by their true counts, so the example only illustrates the effect. The attacker, however, still sees the single cells. A data holder who publishes only the totals needs much less noise: one visit changes one total by 1, so noise of scale 1 in each total is enough at the event level.
#
# The next table shows mean errors over 20 groups, beside the mean AUC and the mean gain over 20 targets, for all noise scales. Its last row is the release that publishes only zeros.

# %%
budgets = foundations.games(populations, epsilons=epsilons, group_sizes=[size], **game)
costs = foundations.errors(populations, epsilons=epsilons, group_size=size, seed=seed)
costs = live.over_all_cells(costs, populations, group_size=size, seed=seed)
privacy = foundations.gains(budgets)
plots.show_table(figures.brief_price_table(privacy, costs, name), "price")

# %% [markdown]
# *This table is for the first dataset (here flight numbers) and groups of 300. The noise scale is 0 for raw counts. Brackets are 95% intervals over targets. The errors are means over 20 groups and are shown without intervals. They therefore differ slightly from the errors of the single group above. The next table shows the same for the other dataset (here aircraft).*

# %% tags=["hide-input"]
for number, other in enumerate(list(populations)[1:], start=2):
    rows_of_other = figures.brief_price_table(privacy, costs, other)
    plots.show_table(rows_of_other, f"price-{number}")

# %% mystnb={"figure": {"name": "fig-price", "caption": "The lower left corner of every panel is empty: no noisy release lies both at the bottom, where the attack guesses, and in the shaded area, where the counts are better than a table of zeros. Over all cells (below), only event-level noise at ε = 10 is better than zeros; over the visited cells (above), event-level noise at ε = 1 is better, too. The number beside a triangle (event level) or a diamond (user level) is ε. The cross is a release of zeros, the dashed line its error, and the dotted line guessing. User-level noise at ε below 1 is left out: it lies farther to the right, close to guessing."}, "image": {"alt": "Four panels, for flight numbers and aircraft, over visited cells above and over all cells below, with the mean AUC against the mean error on a logarithmic axis, a marker for each unit of privacy, and one line through all of them. The lines fall from high AUC at small errors to guessing at errors far above the error of zeros, which is marked by a cross on the line of guessing. The area of errors smaller than that of zeros is shaded, and its lower part is empty."}} tags=["hide-input"]
figures.show_price(budgets, costs)

# %% [markdown]
# *Each panel plots the mean AUC of the noisy releases against their mean error. One line connects the noisy releases of a dataset. The horizontal grey line is the AUC on raw counts. The tables also contain user-level noise with ε below 1.*
#
# The rows of the tables are sorted by the scale of the noise, because nothing else distinguishes these releases. Event-level and user-level noise are both Laplace noise, with different scales. For example, the busiest flight number has 57 visits, so user-level noise at $\varepsilon = 1$ has a scale of 57. It is the same as event-level noise at $\varepsilon = 1/57$. In {numref}`fig-price`, the noisy releases of a dataset therefore lie along one line.
#
# No release in the figure both stops the attack and keeps the counts useful. We begin with flight numbers and with the errors over the visited cells. Publishing zeros has an error of 1.88, and only two of the eight noisy releases have a smaller error. The noisier of the two, event-level noise at $\varepsilon = 1$, has an error of 0.83 but a gain of only 0.11.
#
# The visited cells make up only a tenth of the table, and they are the cells in which publishing zeros does worst. Over all cells, the error of zeros is only 0.19, and the only noisy release with a smaller error is event-level noise at $\varepsilon = 10$. Event-level noise at $\varepsilon = 1$ has an error of 0.52 over all cells, because it invents visits in empty cells.
#
# With more noise, the gain rises, but the counts become worse than zeros even in the visited cells: at the event level with $\varepsilon = 0.3$ the error is already 2.26, for a gain of 0.26. Only user-level noise with $\varepsilon \le 1$ nearly stops the attack. At $\varepsilon = 1$ its gain is 0.88, and its error over the visited cells is 29.
#
# For aircraft, event-level noise with $\varepsilon = 0.3$ or less has a larger gain than for flight numbers: at $\varepsilon = 0.3$ the gain is 0.46. But the error of these releases, too, exceeds that of a table of zeros.
#
# *Why is it so hard to do better than zeros?* The error of a noisy count depends mainly on the scale of the noise, and the error of zeros depends on the true counts. At the event level the sensitivity is only 1, but this is large compared with the counts of sparse data. In the group of flight numbers above, 84% of the visited cells hold only one or two users, and nine tenths of all cells are empty. At the user level, the sensitivity itself is large. It is the number of visits of the busiest user, which is 57 for flight numbers and 125 for aircraft.
#
# Denser data have larger counts, and this helps at the event level. It need not help at the user level, because users in denser data also have more visits. The [next section](foundations-dense) compares the two units of privacy for cabs.
#
# ````{admonition} What this does not show
# :class: note
# - All these numbers describe one attack, whereas the guarantee of differential privacy holds for every attack. In our game, another user replaces the target. If user-level noise is calibrated to $\varepsilon$ for add/remove neighbours, then no attack in this game has a TPR above $e^{2\varepsilon}$ times its FPR.
# - The attack on the noisy counts is the sum over all of the target's cells. On raw counts, the sum over the quietest half was a better attack on flight numbers. This chapter does not evaluate it on noisy counts.
# - The gain is computed for each target and then averaged. Negative gains count as 0, so a mean gain near 0 is slightly too high. An attack that merely guesses still has, by chance, an AUC above 1/2 for some targets, so a mean gain near 1 is slightly too low.
# - A data holder may publish 0 in place of every small noisy count. This is post-processing, so it preserves the guarantee, and it removes many invented visits. It is not in the figure. {numref}`foundations-small-noisy` evaluates it.
# - For flight numbers, the scale of user-level noise at $\varepsilon = 0.1$ is 570. The error is as low as 117 only because the noisy counts are clipped at 0 and 300.
# ````

# %% [markdown]
# (foundations-dense)=
# ## Does the sum attack work on dense data?
#
# *You may skip this section at a first reading. It shows how the comparison with a table of zeros changes if counts are larger.*
#
# The flight data are sparse. Knock-Knock and Aggregation privacy study 534 cabs in San Francisco, on a grid of 10 × 10 regions, for three weeks. The cab data are *dense*, because a cab is seen somewhere in most hours. We may not distribute the cab data, so the following numbers are stored results of an earlier run. If you have the cab data, you can rerun this analysis with
# `python -m lib paper foundations-users foundations-release-error foundations-sum-attack`.
#
# The first two columns of the table say what a row describes:
#
# - rows about *traces* show means over all users;
# - rows about counts and their errors show means over groups of 100 users;
# - rows about the AUC show means over 150 targets, each of which is attacked in groups of 100 users.
#
# There are two noisy releases, both with event-level noise at $\varepsilon = 1$: one is rounded and clipped, and the other is not. The last two columns contain the numbers that Knock-Knock (KK) and Aggregation privacy (AP) report for the cabs.

# %% tags=["hide-input"]
stored = foundations.users, foundations.release_error, foundations.sum_attack
plots.show_table(figures.stored_table(*(each.stored() for each in stored)), "kept")
print(foundations.sum_attack.source())

# %% [markdown]
# The sum attack also works on the cabs, and event-level noise does not stop it: the mean AUC is 0.85 both with and without noise. Nor does event-level noise distort the counts of the cabs much. Their mean count in visited cells is 10.4, seven to eight times that of the flights, so an error of 0.93 matters much less.
#
# *Why does the noise not weaken the attack?* The sum varies for two reasons: the noise is random, and the other members differ from group to group. We know the standard deviation of the noise. The standard deviation of the sum between groups is not among the stored results. We therefore use one of the two measured AUCs, the one on raw counts, to infer it, and compute how much the noise should change it. By the [formula above](foundations-deviations), it is about $n / (\sqrt 2\, \Phi^{-1}(\mathrm{AUC}))$ for a target with $n$ visits. From both standard deviations, the same formula predicts the AUC with noise:

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
# The noise in the sum has a standard deviation of 85. The standard deviation between groups is 2,491, about thirty times as large, so the noise adds almost nothing to the variation of the sum. The formula predicts that the noise lowers the mean AUC from 0.8531 to 0.8529. The measured mean AUC with noise is 0.8528.
#
# *Why is the AUC 0.85 and not 1?* The standard deviation of 2,491 cannot answer this question, because we inferred it from the AUC. It only restates the AUC in other units. Where the variation between groups comes from, we have not tested. Perhaps two cabs that both drive a lot share many cells, and a cab that drives little shares few.
#
# The true standard deviation is somewhat smaller than 2,491, because the formula ignores that the user whom the target replaces also visits some of the target's cells. An average cab visits 3,659 of the 100 × 504 cells (100 regions in 504 hours), which is 7%. If cabs visited cells at random, the cab that the target replaces would therefore also visit 7% of the target's cells. The target would raise the sum by only 93% of its visits, and the standard deviation would be 7% smaller than 2,491. In fact, cabs prefer the same busy regions, so the difference may be larger.
#
# *Are dense data still useful with user-level noise?* The stored results include the errors of event-level and of user-level noise at $\varepsilon = 1$. These errors are again for groups of 100, over the visited cells, and after rounding and clipping. We compare them with the error of zeros, which is the mean count in the visited cells:

# %%
stored_errors = foundations.release_error.stored()
at_one = stored_errors["epsilon"].isna() | (stored_errors["epsilon"] == 1)
of_quantity = stored_errors[at_one].groupby(["data", "quantity"], sort=False)["users"]
delta_of_one_week = 2_685  # of the cabs, as Knock-Knock reports it
print(f"three weeks: {cabs['visits'].max():,}, one week: {delta_of_one_week:,}")

# %% tags=["hide-input"]
errors_by_unit = of_quantity.mean().unstack("quantity", sort=False)
errors_by_unit.columns = ["error of zeros", "event-level noise", "user-level noise"]
busiest_users = foundations.users.stored().groupby("data")["visits"].max()
errors_by_unit = errors_by_unit.map("{:.2f}".format)
errors_by_unit.insert(0, "most visits of a user", busiest_users.map("{:,}".format))
plots.show_table(errors_by_unit, "errors-by-unit")

# %% [markdown]
# At the event level, dense data help: the error for the cabs is 0.93, and zeros have an error of 10.36. At the user level, they do not help: the error is 49.80, almost five times that of zeros. The reason is that the busiest cab has 8,117 visits, so user-level noise has a scale of 8,117. Nearly every noisy count then lies far outside the range from 0 to 100, and clipping turns it into 0 or 100 with about equal probability. If the true count is $c$, the error is then $c$ or $100 - c$, which is 50 on average. Knock-Knock releases a single week, for which it reports a $\Delta$ of 2,685. This is a third of ours, but still far above every count.
#
# So far, we have compared errors over visited cells only. For the flights, the comparison came out differently when the empty cells were included. The errors of the cabs over all cells are not stored, but we can estimate them. In an empty cell, the release of zeros makes no error. Event-level noise at $\varepsilon = 1$, rounded and clipped, has an error of about half a person in an empty cell, [as measured above](foundations-rounding):

# %%
n_cells = 100 * 504
zeros_of_all = 100 * cabs["visits"].mean() / n_cells
zeros_of_visited = of_quantity.mean()["cabspotting", "mean count"]
at_a_visit = of_quantity.mean()["cabspotting", "error, a visit protected"]
share_visited = zeros_of_all / zeros_of_visited
in_empty = (1 - share_visited) * means_published[0]
print(f"visited cells of a group of 100 cabs: about {share_visited:.0%}")
error_event_level = share_visited * at_a_visit + in_empty
print(f"error over all cells: event-level about {error_event_level:.1f}", end=", ")
print(f"zeros {zeros_of_all:.1f}")

# %% [markdown]
# For the cabs, event-level noise is thus better than zeros over all cells, too: its error is about 0.8, and that of zeros is 7.3. For the flights, event-level noise was worse than zeros over all cells, because nine tenths of the cells are empty.
#
# *Why do the papers report different numbers of visits?* In our data, a cab has 3,659 visits on average. Aggregation privacy reports 3,663 visits and Knock-Knock 3,827. Knock-Knock assigns an hour in which a cab reports no location to a special place called *null*. We infer that such hours are counted as visits. The paper supports this: the smallest number of visits that it reports for a cab is 504, which is the number of hours in three weeks. We therefore add the hours in which a cab was not seen:

# %%
visits, null_hours = cabs["visits"].mean(), 504 - cabs["active epochs"].mean()
print(
    f"{visits:,.2f} visits + {null_hours:.2f} null hours = {visits + null_hours:,.2f}"
)

# %% [markdown]
# With these null hours, our mean is 3,824.6 visits, close to the 3,827 of Knock-Knock.
#
# ````{admonition} Recurrence in dense data
# :class: note
# The cabs' recurrence of 0.23 is not due to habit alone. A cab visits 3,659 of $100 \times 504$ cells, which is 7%. If its visits fell into cells at random, the cab would repeat 7% of them by chance.
# ````

# %% [markdown]
# ## Take-aways
#
# - Records are turned into **traces**, traces are summed into **aggregates**, and aggregates, usually with noise added, are published as **releases**.
# - A sum hides a person only from attackers who do not know the traces of everybody else. Even the sum attack, whose score requires only the target's trace, did far better than guessing for groups of 10 to 300 users, both on raw counts and under event-level noise with $\varepsilon = 1$.
# - Cells with few other users reveal most. In raw counts, a 0 in one of the target's cells proves that the target was not counted. A 1 in a cell that nobody else visits proves that the target was counted, to anybody who knows that the cell is private. Group size alone says little about protection.
# - A value of $\varepsilon$ means nothing until the unit of privacy is stated. At $\varepsilon = 1$, event-level noise did not stop an attack that adds up many visits. With rounding and clipping, the mean AUC fell by at most 0.04, and the mean TPR at an FPR of 10% by at most 0.15. User-level noise nearly stopped the attack, but its counts were further from the truth than a table of zeros.
# - Compare the error of a release with that of publishing zeros, and compute both over the visited cells and over all cells. For the flights, event-level noise at $\varepsilon = 1$, rounded and clipped, is better than zeros over the visited cells. Over all cells it is worse, because it invents visits in empty cells. (Publishing 0 in place of small noisy counts removes many of these visits.) For the dense cab data, we estimate that event-level noise is better than zeros over all cells, too.
# - To judge an attack, look first at the distribution of its scores, then at the AUC, and then at the TPR at a low FPR. Evaluate a non-member control as well.
# - A result about one attack is not a result about all attacks. On raw counts, the mean AUC of the rule of no zeros was at least as high as that of the sum attack. For flight numbers in groups of 300 it was much higher (0.93 against 0.80).

# %% [markdown]
# ## Exercises
#
# ```{exercise} The sum attack by hand (★, 10 minutes)
# :label: foundations-by-hand
# Solve this exercise with pencil and paper. Take the counts of the six people and the traces of Ada and Eve from {numref}`fig-six`. What is the sum over Ada's cells? What would it be without her? On average, how many other people are in each of Ada's cells, and how many in each of Eve's? In whose cells is one more person easier to notice?
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
    print(f"{others_per_cell:.3f} others in a cell")

# %% [markdown]
# On average, 2.125 other people are in each of Ada's cells, and only 0.5 in each of Eve's. One more person is therefore easier to notice in Eve's cells.
#
# *Learned:* a target raises the sum by the number of their visits, whoever else was counted. But targets differ in the number of other people in their cells. The fewer other people there are, the easier it is to notice the target.
#
# ````{solution-end}
# ````
#
# ```{exercise} Choose a threshold (★, 15 minutes)
# :label: foundations-threshold
# Now the target is Ada. Use only the scores that are printed below: those of the ten groups of three people with Ada, and those of the ten groups without her. The attacker's answer is "Ada was counted" if the score is above a threshold. Which threshold gives the highest TPR if the FPR may be at most 10%? Why can the FPR not be exactly 10%? How many of the 100 pairs of groups are in the wrong order, how many are ties, and what is the AUC? Why is it lower than Dan's 0.99? (Compare the traces in {numref}`fig-six`.)
#
# Now use the *rule of no zeros* instead of the sum. Which of the ten groups without Ada does it take for groups with her? What is its AUC, and is the rule better than the sum for Ada? And for Dan?
# ```

# %%
ada = six.trace("Ada")
has_ada = np.array(["Ada" in group for group in threes])
score_for_ada = counts_of_threes[:, ada == 1].sum(axis=1)
print("scores with Ada:   ", *np.sort(score_for_ada[has_ada]))
print("scores without Ada:", *np.sort(score_for_ada[~has_ada]))

# %% [markdown]
# ````{solution-start} foundations-threshold
# :class: dropdown
# ````

# %%
for limit in (11, 12, 13, 14):
    share_with = (score_for_ada[has_ada] > limit).mean()
    share_without = (score_for_ada[~has_ada] > limit).mean()
    print(f"above {limit}: TPR {share_with:.1f}, FPR {share_without:.1f}")

compare_pairs(score_for_ada[has_ada], score_for_ada[~has_ada])
for group, score in zip(threes, score_for_ada, strict=True):
    if "Ada" not in group and score == score_for_ada[~has_ada].max():
        print("highest score without Ada:", *group)

no_ben = np.array(["Ben" not in group for group in threes])
auc_without_ben = metrics.auc(has_ada[no_ben], score_for_ada[no_ben])
print(f"AUC if Ben is left out of the population: {auc_without_ben:.2f}")

for who, trace, is_in in (("Ada", ada, has_ada), ("Dan", dan, has_dan)):
    no_zero_in_it = (counts_of_threes[:, trace == 1] > 0).all(axis=1)
    print(f"rule of no zeros, {who}: FPR {no_zero_in_it[~is_in].mean():.1f}", end=", ")
    print(f"AUC {metrics.auc(is_in, no_zero_in_it):.2f}")

# %% [markdown]
# With the threshold 14, the answer is "Ada was counted" for four of the ten groups with Ada and for no group without Ada. The TPR is 0.4 and the FPR is 0. At the next lower threshold, 13, there are *two* false positives, because two groups without Ada score 14, and the FPR is 0.2. An FPR of exactly 0.1 would need a threshold that separates these two groups, and there is none.
#
# To count the pairs, take each group with Ada and count the groups without her that score higher and those that score the same. The two groups that score 11 are below four groups each and tie with two each. The group that scores 12 is below three and ties with one, the group that scores 13 is below two and ties with one, and the two groups that score 14 tie with two each. This makes $4 + 4 + 3 + 2 = 13$ pairs in the wrong order and $2 + 2 + 1 + 1 + 2 + 2 = 10$ ties. The other 77 pairs are in the right order, so the AUC is $(77 + 10/2) / 100 = 0.82$.
#
# Ada is harder to recognise than Dan although she has more visits. The reason is Ben, who has the same trace: he adds as much to the sum over her cells as she does. If Ben is left out of the population, the AUC rises from 0.82 to 1.00. Cleo visits half of these cells, too, and both groups without Ada that score 14 contain Ben and Cleo.
#
# The rule of no zeros says "member" for the six groups with Ben, because he visits all of Ada's cells. Groups without both Ada and Ben have a 0 at the station on Monday at 9, where only these two people are. The FPR is therefore 0.6 and the AUC 0.70, so for Ada the rule is *worse* than the sum. For Dan it makes no error, because nobody else is in the park on Monday at 8.
#
# *Learned:* one ranking allows many decisions. The AUC describes the ranking. The threshold decides how often the attacker makes each of two errors: missing Ada although she was counted, and naming her although she was not. Other people, such as a twin, hide a target by making the sum over the target's cells vary.
#
# ````{solution-end}
# ````
#
# ```{exercise} Who is left out? (★, 5 minutes)
# :label: foundations-left-out
# One of the six people was left out of the counts below. The rows are home, station, office and park, and the columns are the same eight hours as above. Suppose that you know all six traces. Who is missing?
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
# *Learned:* an attacker who knows all traces does not need to invert anything. For six people there are only 64 possible groups, so they can try every group and compare its counts with the published counts. On paper, one cell is enough: the count at home on Monday at 9 fell from 1 to 0, and only Eve was there. For thousands of users, trying every group is not feasible.
#
# ````{solution-end}
# ````
#
# ```{exercise} Twins (★, 5 minutes)
# :label: foundations-twins
# Which two of the six people can never be told apart, whatever counts are published, and why? Are there such pairs among the flights?
# ```

# %% [markdown]
# ````{solution-start} foundations-twins
# :class: dropdown
# ````

# %%
for one_user, other_user in combinations(six.users, 2):
    if np.array_equal(six.trace(one_user), six.trace(other_user)):
        print(one_user, "and", other_user, "have the same trace")
for data, each in populations.items():
    print(f"{data}: {foundations.n_twins(each)} of {each.n_users} have a twin")

# %% [markdown]
# *Learned:* counts are sums of traces, so two users with equal traces can be exchanged without changing any count. Such twins are rare among the flights.
#
# ````{solution-end}
# ````
#
# ```{exercise} What may the attacker believe afterwards? (★, 10 minutes)
# :label: foundations-odds
# Solve this exercise with pencil and paper. The release is event-level private with $\varepsilon = 1$. An attacker wonders whether Dan was at the station on Tuesday at 9, and knows all other visits, including Dan's other five. Before the release, the attacker believes with probability 1/2 that Dan was there. What is the largest probability that they can assign to this visit after the release? What is it if they started from 1%?
#
# A second attacker knows Dan's trace, and wonders whether Dan, with his six visits, was counted at all. What are the two answers for this attacker? (Work with *odds*: a probability $p$ has the odds $p / (1 - p)$. Bayes' rule multiplies the odds by the probability of what was observed if the claim is true, divided by its probability if the claim is false.)
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
# On paper: the odds of 1/2 are 1. For one visit they become at most $e$, and for six visits at most $e^6$. Odds of $e$ are a probability of $e / (1 + e)$, which is 73.1%. The odds of 1% are 1/99, so they become at most $e/99$ or $e^6/99$.
#
# *Learned:* differential privacy bounds the change of a belief, and not the belief itself. At $\varepsilon = 1$, the attacker remains uncertain about a single visit. For six visits together, the same guarantee allows near certainty.
#
# ````{solution-end}
# ````
#
# ```{exercise} Sensitivity of a day (★, 10 minutes)
# :label: foundations-day-sensitivity
# Solve this exercise with pencil and paper. The unit of privacy is a user-day, and each of the six people can make at most four visits a day, one in each hour. What is $\Delta$ for add/remove neighbours, and what is it for replace-one neighbours? What scale must Laplace noise have in both cases for $\varepsilon = 1$?
#
# Suppose that the noise guarantees $\varepsilon = 1$ at the user-day level for add/remove neighbours. What does it guarantee for Dan's whole trace, which covers two days? Compare this with the guarantee of event-level noise at $\varepsilon = 1$ for his six visits.
# ```

# %% [markdown]
# ````{solution-start} foundations-day-sensitivity
# :class: dropdown
# ````
#
# One user-day has at most four visits, so adding or removing it changes at most four counts by 1. If one user-day replaces another, up to four visits disappear and up to four appear elsewhere. We check whether changes this large actually occur among the twelve user-days of our six people:

# %%
days = [day for user in six.users for day in np.split(six.trace(user), 2, axis=1)]
added = max(day.sum() for day in days)
replaced = max(
    np.abs(one_day - other).sum() for one_day, other in combinations(days, 2)
)
print(f"largest change, a day is added: {added}, a day is replaced: {replaced}")
for kind, sensitivity in (("add/remove", 4), ("replace-one", 8)):
    print(f"{kind}: noise of scale {sensitivity} for ε = 1")
print(
    f"factor for Dan's two days: {np.exp(2):.1f}, for his six visits: {np.exp(6):.0f}"
)

# %% [markdown]
# By group privacy, the two days of Dan's trace are protected with $2\varepsilon = 2$, so his presence changes the probability of a statement by a factor of at most 7.4. Event-level noise with $\varepsilon = 1$ only guarantees a factor of 403. The stronger guarantee has a price, because the noise is four times as large.
#
# *Learned:* protecting a larger unit with the same $\varepsilon$ takes more noise, and it gives each person a stronger guarantee. To compare two releases, convert their guarantees to the same unit first.
#
# ````{solution-end}
# ````
#
# ```{exercise} What would you ask? (★, 10 minutes)
# :label: foundations-questions
# Solve this exercise with pencil and paper. A statistical office shows you a table of hourly counts and says: "We added Laplace noise with $\varepsilon = 1$. Counts of 0 are published as they are. Each count is clipped at the number of people in the data." Write down three questions that you must ask before you can say what is protected. For each question, say what the possible answers would change.
# ```
#
# ````{solution-start} foundations-questions
# :class: dropdown
# ````
#
# 1. *What is the unit of privacy?* If it is a visit, the presence of a person with many visits is hardly protected. If it is a person, every person's presence is protected. But then you must ask how the office limits the visits of a person. Without such a limit, no scale of noise is enough.
# 2. *Who decided which counts are 0?* If the office published a 0 wherever the *true* count was 0, it looked at the true counts again. The release is then not differentially private for any $\varepsilon$, because a 0 in one of Dan's cells proves that Dan was absent. If only noisy counts were set to 0, this was post-processing, and the guarantee holds.
# 3. *Is the number of people public, and is it the same in all neighbouring datasets?* If yes, clipping at this number is post-processing. If neighbours differ in the presence of a person, it is not: one published count may then reveal how many people there are, and with it whether Dan is among them.
#
# A fourth question is also good: *Which other releases contain the same people?* The values of $\varepsilon$ of all these releases add up.
#
# *Learned:* an announced $\varepsilon$ is only the beginning. Before you can judge a release, you need its unit, its neighbours, and every step at which the true counts were used.
#
# ````{solution-end}
# ````
#
# ```{exercise} Suppression instead of noise (★★, 15 minutes)
# :label: foundations-suppression
# Many statistical offices add no noise. Instead, they publish 0 in place of every count below a threshold (*small-count suppression*). Evaluate the sum attack under `SuppressSmallCounts(2)`, which suppresses counts of 1. Use the first dataset and groups of every size. In the library, a defense is an object called a *mechanism*, and a release is described by a list of mechanisms. The argument `releases` of `foundations.games` takes one such list for each release: use `foundations.games(first_data, releases={"raw": [], "suppressed": [...]}, group_sizes=group_sizes, **game)`.
#
# Before you run anything, write down a guess: for which group size will suppression lower the AUC most, and why? Then answer these questions. Does suppression weaken the attack? Does it weaken the attack more than event-level noise does? In what share of the target's cells is there nobody else?
# ```

# %% [markdown]
# ````{solution-start} foundations-suppression
# :class: dropdown
# ````

# %%
from lib.mechanisms import PostProcess, SuppressSmallCounts
from lib.papers.summaries import differences

defenses = {
    "raw": [],
    "event-level noise": [Laplace(epsilon), PostProcess()],
    "ones suppressed": [SuppressSmallCounts(2)],
}
defended = foundations.games(
    first_data, releases=defenses, group_sizes=group_sizes, **game
)
by_defense = bracketed(means(defended, ["release", "group size"], "AUC"))["mean [95%]"]
plots.show_table(by_defense.unstack("group size", sort=False), "suppressed")
noise_and_suppression = "event-level noise", "ones suppressed"
per_target = differences(
    defended, ["group size"], "AUC", ["draw"], "release", *noise_and_suppression
)
plots.show_table(bracketed(per_target), "suppressed-differences")
for m in sorted({min(group_sizes), size}):
    suppression_rng = np.random.default_rng(seed)
    drawn, is_in = sample_member_groups(everybody, target, n_groups, m, suppression_rng)
    alone = (aggregate_cells(traces, drawn[is_in == 0], cells) == 0).mean()
    print(f"share of the target's cells with nobody else, groups of {m}: {alone:.2f}")

# %% [markdown]
# *The second table shows the AUC with event-level noise minus the AUC with counts of 1 suppressed, averaged over targets.*
#
# *Learned:* for flight numbers, and in groups of every size, suppression weakens *this* attack more than event-level noise does. The difference in AUC is large in groups of ten (0.38) and small in groups of 300 (0.05). But suppression guarantees nothing against other attacks: [](zero_knowledge.ipynb) describes an attack that anticipates suppression.
#
# In groups of ten, most cells of the target used above hold nobody else. Suppressing the counts of 1 then removes most of what the target adds to the sum. In larger groups, more of the target's visits remain in the counts, but the sum is a weaker attack even on raw counts. These two effects act in opposite directions. This may be why the AUC with suppression hardly changes between groups of 30, 100 and 300 (0.72, 0.73 and 0.72).
#
# ````{solution-end}
# ````
#
# ```{exercise} What if small noisy counts are not published? (★★, 15 minutes)
# :label: foundations-small-noisy
# Event-level noise at $\varepsilon = 1$ invents visits in empty cells. Most of the invented counts are small. A data holder therefore publishes 0 in place of every noisy count below a threshold $t$.
#
# Does this change the guarantee? Take the group and the release `published_table` of the [section on cost](foundations-price), and let $t$ be 1 (no threshold) to 6. From which $t$ is the error over all cells smaller than that of zeros? What happens to the error over the visited cells, and why? What happens to the AUC of the sum attack? Before you compute, guess: which true counts does the threshold remove? (For the AUC, append `SuppressSmallCounts(t)` after the noise in the list of mechanisms.)
# ```

# %% [markdown]
# ````{solution-start} foundations-small-noisy
# :class: dropdown
# ````
#
# The threshold looks only at the noisy counts, so it is post-processing. The release is still event-level private with $\varepsilon = 1$.

# %%
thresholds = range(1, 7)
rows = []
for t in thresholds:
    kept = np.where(published_table < t, 0, published_table)
    wrong = np.abs(kept - true_counts)
    row = {"t": t, "error, all cells": wrong.mean()}
    row["error, visited cells"] = wrong[visited].mean()
    row["visits in empty cells"] = wrong[~visited].sum()
    row["visited cells shown as 0"] = (kept[visited] == 0).mean()
    rows.append(row)
of_thresholds = pd.DataFrame(rows).set_index("t")
print(f"zeros: error {true_counts.mean():.2f} over all cells", end=", ")
print(f"{in_visited.mean():.2f} over visited cells")
large = true_counts >= 5
kept_at_5 = np.where(published_table < 5, 0, published_table)
for cells_with, which in (("5 or more", large), ("1 to 4", visited & ~large)):
    error_at_5 = pd.Series(np.abs(kept_at_5 - true_counts)[which]).mean()
    error_of_zeros = pd.Series(true_counts[which]).mean()
    print(f"true count {cells_with}, t = 5: error {error_at_5:.2f}", end=", ")
    print(f"of zeros {error_of_zeros:.2f}")
lifted = laplace(scale=1 / epsilon).sf(3.5)  # a 1 is rounded to 5 from 4.5 on
print(f"a count of 1 is published as 5 or more with probability {lifted:.3f}")

# %% [markdown]
# For the AUC, suppression follows the noise in the list of mechanisms:

# %%
noisy_counts = [Laplace(epsilon), PostProcess()]
thresholded = {t: [*noisy_counts, SuppressSmallCounts(t)] for t in thresholds}
of_sum = foundations.games(first_data, releases=thresholded, group_sizes=[size], **game)
of_thresholds["AUC"] = bracketed(means(of_sum, ["release"], "AUC"))["mean [95%]"]

# %% tags=["hide-input"]
decimals = dict.fromkeys(of_thresholds.columns, "{:.2f}")
decimals |= {"visits in empty cells": "{:,.0f}", "AUC": "{}"}
for column, text in decimals.items():
    of_thresholds[column] = of_thresholds[column].map(text.format)
plots.show_table(of_thresholds, "small-noisy")

# %% [markdown]
# *Errors are for one group of 300, and AUCs are means over 20 targets.*
#
# Over all cells, the release is better than zeros from $t = 5$ on: its error is 0.16, and that of zeros is 0.18. With $t = 1$ the noise invents 30,501 visits in empty cells, and with $t = 5$ only 1,998.
#
# The price is paid in the visited cells, where the error grows from 0.85 to 1.34. Most visited cells hold only one or two users, so the threshold cannot tell them from empty cells. For example, a count of 1 reaches the threshold of 5 with a probability of only 0.015. At $t = 5$, 88% of the visited cells are published as 0. The release is then close to a release of zeros, and it is correct mainly where zeros are correct. Yet it is better than zeros in the visited cells, too, because it keeps many large counts. Where the true count is 5 or more, its error is 1.36 and that of zeros 6.85. Where the true count is 1 to 4, it is slightly worse than zeros.
#
# The AUC of the sum attack falls from 0.77 to 0.66. The threshold removes the counts of quiet cells, which [reveal most](foundations-quiet). Post-processing can only remove information, so no attack can do better on the new release than the best attack on the noisy counts does.
#
# One caution: we compared the thresholds by errors that we computed from the true counts. A data holder who chooses $t$ in this way looks at the original data again, and the choice is no longer post-processing. The threshold must be chosen without the true counts.
#
# *Learned:* post-processing costs no privacy, and it can lower the error. Which error falls depends on the cells that are judged: a threshold helps in empty cells and harms in cells with few visitors. A data holder must decide which error matters more to the readers of the table: the error over all cells or the error over the visited cells.
#
# ````{solution-end}
# ````
#
# ```{exercise} Nearly everybody (★★, 15 minutes)
# :label: foundations-nearly
# The AUC of the sum attack for flight numbers fell as groups grew. Does it keep falling until the group is the whole population? The variance of the sum in groups of $m$ without the target is $m (1 - m/N)$ times the variance of $k_v$ over the $N$ other users, as we saw [above](foundations-deviations). For which $m$ is it largest? From the predicted standard deviation for the largest of our group sizes, predict the standard deviation and the AUC for groups that contain a half, three quarters and 95% of the users. Then measure the AUC for these sizes. Use `foundations.games(first_data, releases={"raw": []}, group_sizes=[...], **game)`.
# ```

# %% [markdown]
# ````{solution-start} foundations-nearly
# :class: dropdown
# ````

# %%
nearly = traces.n_users - max(1, traces.n_users // 20)
half_of_all, most = traces.n_users // 2, 3 * traces.n_users // 4
large_sizes = sorted({size, half_of_all, most, nearly})
last = foundations.games(
    first_data, releases={"raw": []}, group_sizes=large_sizes, **game
)
of_last = bracketed(means(last, ["group size"], "AUC"))
plots.show_table(of_last.rename(columns={"n": "targets"}), "nearly")

n_others = traces.n_users - 1
factor = pd.Series({m: m * (1 - m / n_others) for m in large_sizes})
of_sizes = pd.DataFrame({"m (1 - m/N)": factor})
spread = of_shared.loc[name, "predicted deviation"] * (factor / factor[size]) ** 0.5
of_sizes["predicted deviation"] = spread
of_sizes["visits ÷ deviation"] = of_sums.loc[name, "visits"] / spread
of_sizes["predicted AUC"] = norm.cdf(of_sizes["visits ÷ deviation"] / 2**0.5)
one_decimal = dict.fromkeys(["m (1 - m/N)", "predicted deviation"], 1)
of_sizes.rename_axis("m").round(2).round(one_decimal)

# %% [markdown]
# The factor $m (1 - m/N)$ is a parabola in $m$ with its largest value at $m = N/2$. Among all group sizes, half of the population therefore protects the target best against the sum attack. The measured AUCs agree with the predictions. They are 0.80, 0.78 and 0.81 for the three smaller sizes, and their intervals overlap, so the measurement alone would not show where the minimum lies.
#
# *Learned:* in groups that contain nearly everybody, the AUC is high again, as the formula predicts: it gives 0.96, and we measured 0.95. The target is hidden by the *variation* of the other members, and not by their number. If nearly everybody is in the group, two groups differ in at most 52 of their 1,002 members. The sum then varies little, and the target's visits stand out.
#
# ````{solution-end}
# ````
#
# ```{exercise} Half a trace (★★, 15 minutes)
# :label: foundations-half
# Suppose that the attacker knows only half of the target's visits, drawn at random. How much weaker does the sum attack become? What if the attacker knows only a quarter of the visits, or only a tenth? For each dataset, average over draws and targets. Use `foundations.parts(traces, shares=[0.5, 0.25, 0.1], group_size=size, n_subsets=50, **game)`. For the single target of this chapter alone, you can also draw columns of `target_counts` with `rng.choice`.
# ```

# %% [markdown]
# ````{solution-start} foundations-half
# :class: dropdown
# ````

# %%
some = dict(shares=[0.5, 0.25, 0.1], group_size=size, n_subsets=50) | game
known = [
    foundations.parts(population, **some).assign(data=data)
    for data, population in populations.items()
]
of_parts = bracketed(means(pd.concat(known), ["data", "cells"], "AUC"))
plots.show_table(of_parts["mean [95%]"].unstack("data", sort=False), "parts")

# %% [markdown]
# Why does knowing fewer cells weaken the attack on aircraft only? The success of the attack depends on the number of known cells divided by the standard deviation of the sum in groups without the target. We compute this ratio for the same shares of the cells:

# %%
share_rng = np.random.default_rng(seed)
rows = []
for data, population in populations.items():
    users = np.arange(population.n_users)
    for user in foundations.targets_of(population, n_targets, seed):
        its_visits = np.flatnonzero(population.trace(population.users[user]))
        drawn, is_in = sample_member_groups(users, user, n_groups, size, share_rng)
        without = aggregate_cells(population, drawn[is_in == 0], its_visits)
        for share in (1.0, 0.5, 0.25, 0.1):
            n_known = max(1, round(share * len(its_visits)))
            for _ in range(50):
                known_cells = share_rng.choice(len(its_visits), n_known, replace=False)
                deviation = without[:, known_cells].sum(axis=1).std()
                row = {"data": data, "share": share, "cells": n_known}
                rows.append(row | {"deviation": deviation})
of_share = pd.DataFrame(rows).groupby(["data", "share"], sort=False).mean()
of_share["cells ÷ deviation"] = of_share["cells"] / of_share["deviation"]
plots.show_table(of_share.map("{:.1f}".format), "parts-deviations")

# %% [markdown]
# *Learned:* against aircraft, the sum attack weakens gradually as the attacker knows fewer cells. Against flight numbers, it hardly weakens at all. The chapter on zero auxiliary knowledge [asks the same question](zk-must-know) for the sum attack and for two other attacks, on two synthetic populations.
#
# The last table shows why. For aircraft, the ratio falls from 4.3 for all cells to 1.6 for a tenth of them. If the counts of different cells were uncorrelated, the ratio would fall in proportion to the square root of the number of cells. It falls only a little less than that. For flight numbers, the standard deviation falls almost in proportion to the number of cells, so the ratio hardly changes. It is 1.2 for all cells and 1.1 for a tenth of them.
#
# A likely reason is that a flight number meets the same other flights every week, and often on several days of the week. Adding up more cells then raises the contribution of these flights to the sum by about the same factor as the contribution of the target. The next exercise tests whether such repetition causes the large standard deviation.
#
# ````{solution-end}
# ````
#
# ```{exercise} Is a regular target easier to recognise? (★★, 40 minutes)
# :label: foundations-regular-target
# For each of the 20 targets, invent two less regular ones. The first copies the target's visits in the first *week* only. In every later week it copies the visits of a different user, who is drawn at random. The second does the same with days: it copies the target on the first *day*, and a different user on every later day. The cells of an invented target hold about the same number of other users as those of the real target. But the first invented target does not repeat itself from week to week, and the second does not even repeat itself from day to day.
#
# Run the same game with the real and with the invented targets. Compare the AUC of the sum and of the rule of no zeros, the standard deviation of the sum without the target, and the number of private cells. Write down two predictions before you run anything. Assume that a real target meets the same other users every week. By what factor should the standard deviation then differ between the real target and the first invented one? And will the second invented target have a smaller or a larger standard deviation than the first?
#
# Use `traces.trace` and `traces.epochs` to build a trace, and draw the users whose visits are copied (`lenders`). The following lines draw 2,000 groups from the other users, and let the target take the place of the last member in every second group. They give the counts in the cells `own`:
#
#     pool = np.setdiff1d(everybody, [target, *lenders])
#     members = sample_groups(pool, 2000, size, lending_rng)
#     joins = np.tile([False, True], 1000)
#     own = np.flatnonzero(trace)
#     table = aggregate_cells(traces, members, own)
#     table[joins] += 1 - aggregate_cells(traces, members[:, -1:], own)[joins]
#
# Begin with the single target of this chapter. For all 20 targets of both datasets, use `live.less_regular_targets(populations, group_size=size, **game)`.
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
# Visits of the last week cannot be repeated, because the data end there. The real target repeats all its other 36 visits. Ten of the repetitions are an hour earlier in UTC, because the clocks were changed in between. Now we run the game with both targets, in the same groups:

# %%
pool = np.setdiff1d(everybody, [target, *lenders])
members = sample_groups(pool, 2000, size, lending_rng)
joins = np.tile([False, True], 1000)  # the target joins every second group
for kind, trace in (("real", real), ("invented", invented)):
    own = np.flatnonzero(trace)
    table = aggregate_cells(traces, members, own)
    leaving = aggregate_cells(traces, members[:, -1:], own)  # the last member's visits
    table[joins] += 1 - leaving[joins]  # the target takes the last member's place
    sum_of_own = table.sum(axis=1)
    print(
        f"{kind}: {len(own)} visits, AUC {metrics.auc(joins, sum_of_own):.2f}", end=", "
    )
    print(f"standard deviation without {sum_of_own[~joins].std():.1f}")

# %% [markdown]
# If the weeks of this target come from different users, the standard deviation falls and the AUC rises. Is this so for other targets, too?
#
# The function `live.less_regular_targets` invents such targets for all real targets, whose weeks (*other weeks*) or days (*other days*) come from different users, and runs the game. The real target and the users whose visits an invented target copies are left out when the groups are drawn. The column *if uncorrelated* has the standard deviation that the sum would have if the counts of different cells were uncorrelated. For each target, the formula of {numref}`foundations-proof` predicts an AUC from the number of visits and from the standard deviation of the sum over the target's cells. The column *predicted AUC of the sum* gives the mean of these predictions. In these tables, a private cell is a cell that is visited by none of the users from whom the groups are drawn.

# %%
regular = live.less_regular_targets(populations, group_size=size, **game)
ratios = regular["visits"] / regular["deviation without"]
regular["predicted AUC of the sum"] = norm.cdf(ratios / 2**0.5)
regular["has a private cell"] = regular["private cells"] > 0

# %% tags=["hide-input"]
titles = {
    "visits": "visits",
    "mean without": "mean score without the target",
    "deviation without": "standard deviation without",
    "if uncorrelated": "if uncorrelated",
}
of_targets = plots.table(regular, ["data", "target"], titles, digits=1)
plots.show_table(of_targets, "regular-target")

# %% tags=["hide-input"]
of_attacks = "AUC of the sum", "predicted AUC of the sum", "AUC of the rule"
attacks = {each: each for each in of_attacks}
recognised = plots.table(regular, ["data", "target"], attacks, within=(0, 1))
plots.show_table(recognised, "regular-target-auc")

# %% tags=["hide-input"]
of_kind = regular.groupby(["data", "target"], sort=False)
of_own_cells = of_kind["has a private cell"].agg(["size", "sum"])
of_own_cells.columns = ["targets", "with a private cell"]
mean_own = of_kind["private cells"].mean()
of_own_cells["private cells, mean"] = mean_own.map("{:.1f}".format)
with_one = mean_own * of_own_cells["targets"] / of_own_cells["with a private cell"]
of_own_cells["mean of those with one"] = with_one.map("{:.1f}".format)
plots.show_table(of_own_cells, "regular-target-own")

# %%
private_visits = traces.matrix.multiply(visitors_of_all.ravel() == 1).tocsr()
week_of_cell = np.arange(private_visits.shape[1]) % len(traces.epochs) // 168
with_private = [
    (private_visits[:, week_of_cell == number].sum(axis=1) > 0).mean()
    for number in sorted(set(week_of_cell))
]
print("users with a private cell in one week:", *np.round(with_private, 2))
none_of_four = np.prod([1 - each for each in with_private])
print(f"at least one of four different users, one a week: {1 - none_of_four:.2f}")

# %% [markdown]
# *Learned:* for flight numbers, the mean AUC of the sum attack is 0.81 on the real targets. It is 0.94 on targets whose weeks come from different users, and 1.00 on targets whose days come from different users. The rule of no zeros also does worst on the real targets, with a mean AUC of 0.93. For both attacks, the regular targets are thus *harder* to recognise than the invented ones.
#
# *The sum.* Why does the sum attack do worse on real targets? The number of visits does not explain this: the targets of the first kind make fewer visits than the real ones, and are still easier to recognise. Nor does the mean score without the target, because adding a constant to all scores leaves the AUC unchanged. The standard deviation does explain it. The formula uses only the number of visits and the standard deviation, and it predicts AUCs of 0.80, 0.94 and 1.00.
#
# A regular target meets the same other users every week. Over four weeks, these users contribute four times as much to the sum as in one week, and the standard deviation of their contribution is four times as large, too. The first invented target meets mostly different users every week. The standard deviation over four independent weeks is only $\sqrt 4 = 2$ times that of one week. We therefore predict that the standard deviation for the first invented target is half that for the real one. It is 18.7 instead of 36.9, which is nearly exactly half.
#
# A standard deviation of 18.7 is still about twice the 8.8 that the sum would have if the counts were uncorrelated. The reason is that the first invented target still repeats its days within each week. The second invented target repeats no day. Its standard deviation is 9.1, about as large as if the counts were uncorrelated (9.2). Borrowing the weeks from different users thus removes one factor of about two, and borrowing the days removes another. The invented targets also mix the airports and hours of several users. The result therefore supports the claim that repetition is the cause, but does not prove it.
#
# Aircraft do not repeat their weeks, so their standard deviation hardly differs between the three kinds of targets. Their AUC would hardly show a difference anyway, because it is at least 0.99 for all three kinds.
#
# *The rule.* The result for the rule of no zeros needs a different explanation, because the rule does not use the sum. All invented targets have a private cell, but only 12 of the 20 real flight numbers have one. Yet the mean number of private cells is similar: 7.3 for the real targets, and 8.9 and 8.7 for the invented ones. The private cells of a real flight number tend to occur together. The timetable is a likely reason: if nobody else visits one of the flight's cells in one week, usually nobody else visits the corresponding cell in the other weeks. So 12 targets have 12.2 private cells on average, and the other eight have none.
#
# An invented target takes its cells from at least four users. In each single week, about half of all flight numbers have a private cell: the share is between 0.50 and 0.54. At least one of four independent users then has one in the borrowed week with a probability of 0.95. We would therefore expect about 19 of the 20 invented targets to have a private cell, and all 20 do. A single private cell is enough for the rule to make no error. All aircraft targets, real and invented, have one anyway.
#
# ````{solution-end}
# ````
#
# ```{exercise} The clocks (★★, 20 minutes)
# :label: foundations-daylight
# Show that the clock change explains the low recurrence from the first to the second week. Compare the first week, shifted by one hour, with the second week. How does the recurrence change if the actual hours are used instead of the scheduled hours? Use `traces.recurrence("167h")` for a lag of 167 hours, `foundations.weekly_recurrence` for the recurrence from each week to the next, and `foundations.recurrence_by_clock` for scheduled and actual hours. (Use the flights by number, whatever data this page was run on.)
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
# *Learned:* "the same hour" means nothing without a time zone. The clocks had already been changed on the Sunday of the first week, so neither lag fits the whole week. Suppose that there is the same number of visits on each day, and that a share of 0.96 is repeated at the right lag. The lag of 167 hours fits six of the seven days, which gives $\tfrac67 \cdot 0.96 \approx 0.82$. The lag of 168 hours fits only the Sunday, which gives $\tfrac17 \cdot 0.96 \approx 0.14$. Both values are close to the printed ones. Delays also lower the recurrence: it is 0.70 with scheduled hours and 0.47 with actual hours.
#
# ````{solution-end}
# ````
#
# ```{exercise} How far apart are the distributions? (★★, proof, 20 minutes)
# :label: foundations-proof
# The target has $n$ visits. Let $X$ be the sum over the target's cells in a random group without the target, and assume that the sum in a group with the target is distributed as $X + n$. Assume further that $X$ is normal with standard deviation $\sigma_X$. Show that the AUC is $\Phi\bigl(n / (\sigma_X \sqrt 2)\bigr)$, where $\Phi$ is the distribution function of the standard normal distribution. By how much does independent event-level Laplace noise in each cell increase the variance $\sigma_X^2$? Use the formula to predict the AUC with and without noise, and compare the predictions with the AUCs that you measure for the single target of this chapter.
# ```

# %% [markdown]
# ````{solution-start} foundations-proof
# :class: dropdown
# ````
#
# Let $X'$ be an independent copy of $X$. The AUC is the probability that $X + n > X'$, that is, $X' - X < n$. The difference $X' - X$ is normal with mean 0 and variance $2 \sigma_X^2$, so this probability is
# $\Phi(n / \sqrt{2 \sigma_X^2})$. Laplace noise of scale $1/\varepsilon$ has variance $2/\varepsilon^2$ in each cell. In the sum over $n$ cells, the noise therefore increases $\sigma_X^2$ by $2 n / \varepsilon^2$.

# %%
n, deviation_raw = len(cells), scores[has_target == 0].std(ddof=1)
deviation_noisy = (deviation_raw**2 + 2 * n / epsilon**2) ** 0.5
deviations = pd.Series([deviation_raw, deviation_noisy], ["raw", "noisy"])
predicted = norm.cdf(n / (2**0.5 * deviations))

proof_rng = np.random.default_rng(seed)
noise_in_cells = proof_rng.laplace(scale=1 / epsilon, size=(len(scores), n))
noisy_scores = scores + noise_in_cells.sum(axis=1)
measured = [metrics.auc(has_target, each) for each in (scores, noisy_scores)]
for release, of_formula, of_groups in zip(
    deviations.index, predicted, measured, strict=True
):
    print(f"{release}: predicted {of_formula:.3f}, measured {of_groups:.3f}")

# %% [markdown]
# *Learned:* the target's contribution grows in proportion to $n$, and the standard deviation of the noise only in proportion to $\sqrt n$. For this target, the formula predicts an AUC of 0.841 on raw counts, and we measured 0.842. With noise that is neither rounded nor clipped, it predicts 0.832, and we measured 0.837. The formula ignores that the user whom the target replaces would have contributed a little to the target's cells.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write a better attack (★★, 60 minutes)
# :label: foundations-rare
# A count of 1 in a cell that is nearly always empty says more about the target than a count of 15 at a busy airport. Design two scores that exploit this difference. For both scores, assume that the number of other users in cell $c$ is Poisson with mean $\lambda_c$, and that the counts of different cells are independent.
#
# 1. For the first score, use the fact that the target adds exactly 1 to the count of each of their cells. What is the probability of the count $A_c$ with the target, divided by its probability without the target? What is this likelihood ratio for a count of 0? Does the attacker need to know $\lambda_c$ to rank groups?
# 2. For the second score, assume instead that the count with the target is Poisson with mean $\lambda_c + 1$. What is the logarithm of the likelihood ratio? What does it say about a count of 0?
#
# Compare both scores with the sum and with the rule of no zeros, for the 20 targets of the first dataset. Evaluate targets with a private cell and targets without one separately. Which scores do better than the sum even if the target has no private cell? Which of the two new scores contains the rule?
# ```

# %% [markdown]
# ````{solution-start} foundations-rare
# :class: dropdown
# ````
#
# *The exact ratio.* With the target, a count of $A_c$ means that $A_c - 1$ other users are in the cell. Without the target, it means that $A_c$ other users are in the cell. The likelihood ratio is
#
# $$ \frac{\lambda_c^{A_c - 1} e^{-\lambda_c} / (A_c - 1)!}{\lambda_c^{A_c} e^{-\lambda_c} / A_c!} = \frac{A_c}{\lambda_c} $$
#
# for $A_c \ge 1$. The ratio is 0 for $A_c = 0$, because a count of 0 excludes the target. The logarithm of the product of these ratios over all cells is $\sum_c \log A_c$ minus $\sum_c \log \lambda_c$. The second sum is the same for all groups. The attacker can therefore rank groups by the *product of the counts*, without knowing any $\lambda_c$.
#
# *The weighted sum.* If the count with the target is Poisson with mean $\lambda_c + 1$, the likelihood ratio is $\bigl(\frac{\lambda_c + 1}{\lambda_c}\bigr)^{A_c} e^{-1}$. Up to a constant, the logarithm of the product over all cells is $\sum_c A_c \log(1 + 1 / \lambda_c)$. This score is a weighted sum of the counts, in which quiet cells have larger weights. A count of 0 adds nothing to the score, but it does not exclude the target. A cell in which nobody else is ever seen would have infinite weight, so we add a small constant to $\lambda_c$. We estimate the means $\lambda_c$ from newly drawn groups.
#
# We also combine the weighted sum with the rule of no zeros. All scores that contain the rule give the lowest possible score to a group with a 0 in one of the target's cells:

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
        row = {"private cell": has_private_cell[name, draw], "score": kind}
        rows.append(row | {"draw": draw, "AUC": metrics.auc(is_in, score)})
of_scores = pd.DataFrame(rows)

# %% tags=["hide-input"]
rare = means(of_scores, ["private cell", "score"], "AUC")
plots.show_table(
    bracketed(rare)["mean [95%]"]
    .unstack("score", sort=False)
    .replace("1.00 [1.00, 1.00]", "1.00"),
    "rare",
)
exact_and_weighted = "exact ratio", "weighted"
gained = differences(
    of_scores, ["private cell"], "AUC", ["draw"], "score", *exact_and_weighted
)
plots.show_table(bracketed(gained, digits=3), "rare-differences")

# %% [markdown]
# *The groups are newly drawn, so the first two columns differ slightly from the [table of private cells](foundations-quiet). The second table shows the AUC of the exact ratio minus that of the weighted sum, averaged over the same targets.*
#
# *Learned:* for the twelve targets with a private cell, the rule and the exact ratio make no error, because the count in a private cell is 0 without the target and 1 with the target. The weighted sum makes very few errors. These targets therefore cannot show whether a score also helps if there is no private cell.
#
# The eight other targets can show this. On these targets, the mean AUC is 0.78 for the sum, 0.83 for the rule, 0.88 for the weighted sum and 0.90 for the exact ratio. Giving quiet cells more weight thus helps even if the target has no private cell.
#
# The exact ratio does at least as well as the weighted sum, although its attacker need not know any $\lambda_c$. The difference of 0.024 [0.000, 0.047] for the eight targets is so small that eight targets hardly suffice to show it. The difference probably comes from counts of 0, which exclude the target under the exact ratio but not under the weighted sum. On the same eight targets, the weighted sum combined with the rule also has a mean AUC of 0.90. The exact ratio contains the rule, because a count of 0 excludes the target; the weighted sum alone does not.
#
# If the number of other users in each cell were Poisson, and independent of the numbers in all other cells, no score could have a higher AUC than the exact ratio. [](thresholds.ipynb) explains when no other test can beat a likelihood ratio. In the flight data the counts of different cells are not independent, as the [section on quiet cells](foundations-quiet) showed, so there may be a better score.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own month (★★★, an evening)
# :label: foundations-project
# Export your own calendar, bicycle or check-in data, or take any table with a user, a time and a place. Run this chapter on it:
# `make run NOTEBOOK=foundations PARAMS="records=my.csv"`. How regular is each user? Up to what group size does the sum attack work? Write a page on what you would publish, and with how much noise. *A good answer* states the unit of privacy, compares errors with those of zeros, evaluates a non-member control beside the attack, and says what an attacker with more prior knowledge could do.
# ```

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
# # One release, every attack
#
# Each of the five papers in this book attacks one kind of release. Somebody who has counts to publish asks a different question: *may I publish them?* This chapter therefore starts from the release. It takes one table of counts, publishes it in eleven common ways, and runs the same 20 attacks against each version. These are most of the attacks in this book. We leave out the attack of [Zero knowledge](zero_knowledge.ipynb), because it is slow, and a few variants of attacks from earlier chapters. There are also other ways to publish counts, and other attacks on them. The findings of this chapter therefore hold only for the releases and attacks that were tested.
#
# The records show when, and at which airport, each of 500 flight numbers landed or departed during four weeks. They are open data, so every reader can run the attacks on them. In this chapter a flight number stands for a *person*, and a landing or departure is a *visit*. Flight numbers are more regular than people, so the percentages do not carry over to people. The chapter teaches how to compare attacks and releases. A [later section](audit-other-data) repeats the comparison on aircraft, cabs, riders of shared bikes and synthetic commuters, for all eleven releases. It shows the results of two attackers, and verdicts that take all attackers into account.
#
# After this chapter you can
#
# - state what an attacker knows and wants before you report how well the attack works, and compare an attack with its baseline and its control;
# - bound $\varepsilon$ from below by running a mechanism many times, and say what such a bound can never show;
# - weigh the risk of a release against its usefulness, and explain what "no attack succeeded" does not mean;
# - report to a decision-maker what could be learned about whom, how often an attacker would be wrong, and which release you recommend.
#
# *Two lectures of 45 minutes.* Most rows of the plan link to the one figure, table, cell or section to be shown. To prepare, it is enough to read these and the paragraphs beside them. All other figures and tables support a sentence of the text for a reader who wants to check it.
#
# **First lecture**
#
# | minutes | show | say | skip |
# |---|---|---|---|
# | 3 | the question to the class below, and a vote | Whether these counts may be published depends on who attacks them, and with which knowledge. | |
# | 2 | [three harms](audit-harm) | A table without names can harm a person. | the regulators |
# | 3 | the table of [threat models](audit-threats-table) | An attack that decides whether a person was counted is a membership inference attack. | *two releases* |
# | 5 | {numref}`fig-audit-six` | Totals can undo the hiding of small counts. | the ninth hidden count |
# | 3 | the table of [noisy releases](audit-releases-table) | The unit of a guarantee matters more than its $\varepsilon$. | how each $\varepsilon$ of a person is computed |
# | 4 | the cell with [the sum](audit-sum) | A counted target adds 1 to each of their cells. | |
# | 3 | the cell with [the AUC](audit-auc) | The AUC compares the scores of one target. | |
# | 4 | the definition of *identified*, then the cells with [the threshold](audit-threshold) (leave out the cells third) | One threshold compares different targets. | which targets set the threshold |
# | 2 | [one count](audit-count) (leave it out second) | A rare visit is strong evidence. | the attacks that need no training |
# | 3 | the table [from the sum to the ratio](audit-ratio-table) (leave it out first) | A 0 excludes the target, and rare cells weigh more. | the shared and the uncertain rate |
# | 4 | *a question to stop at:* the [base-rate table](audit-base-rate-table). How many of 100 flagged people were never counted? | The attacker is wrong least often about those who were probably counted. | |
# | 3 | *a question to stop at:* the [row that is misleading](audit-misleading). Which one is it? | An attack counts only together with its control. | places and trajectories |
# | 4 | {numref}`fig-audit-map` | More knowledge usually makes attacks stronger, and a small $\varepsilon$ for a person limits what any attack can learn from the fact that this person was counted. Ask: why is a 5 framed and a 64 not? | how a verdict is reached, and the list of verdicts below the figure |
# | 2 | slack | | |
#
# **Second lecture**
#
# | minutes | show | say | skip |
# |---|---|---|---|
# | 4 | a [bound from many trials](audit-trials) | Trials can bound $\varepsilon$ from below, and never from above. | the bound from one run |
# | 4 | the [first table of bounds](audit-epsilon-table) | A bound says nothing above its ceiling. | the second table, with all bounds, and Fourier perturbation |
# | 5 | the code in which [noise is used twice](audit-missed) | A test finds only the errors that it looks for. | the six bugs |
# | 3 | [the four verdicts](audit-verdict) | An attack makes a release fail only if its attacker is plausible. | when the rules were fixed |
# | 4 | the cell that [applies the rule](audit-rule) to one release | The lower end of an interval decides, so a small audit favours the publisher. | |
# | 4 | the table of [purposes](audit-purposes) | A release can serve one purpose and not another. | the usefulness at 400 people |
# | 4 | {numref}`fig-audit-use` | No release lies in the shaded area for both attackers. F does for the first attacker, but fails because of this attacker's AUC. | |
# | 4 | the table of [people needed](audit-needed) | Counts must be large compared with the noise. | how counts grow |
# | 5 | the table of [lengths of the period](audit-less-often) | Longer periods allow a better comparison of places under the same guarantee. | the derivation of the attack |
# | 5 | the question to the class, and a second vote | | |
# | 3 | slack | | |
#
# If questions take up time in the first lecture, leave out the three parts that are marked, in the order given. Keep the definitions of the AUC and of *identified*, because the base-rate table and {numref}`fig-audit-map` need them. This frees 7 of the 45 minutes, so you can turn to {numref}`fig-audit-map` after 32 minutes. Students read the parts that were left out at home.
#
# Between the lectures, students can read the rest of the comparison: [the most exposed people](audit-exposed), [the size of the release](audit-full-size) and [other data](audit-other-data). The exercises {ref}`audit-ex-interval` (5 minutes) and {ref}`audit-ex-rule` (10 minutes), both on paper, prepare for the second lecture. The second of them needs the rules of [the four verdicts](audit-verdict), which students read first. The [debate](audit-debate) takes another half hour. The [next chapter](audit_further.ipynb) has a lecture of its own. It covers the riders of shared bikes, attacks that a machine finds, and the tasks that an analyst can still do under each defense. *For discussion:* {numref}`fig-audit-map`. *A question for the class:* would you publish the hourly counts of 500 people if all counts below 10 were hidden? Ask this question at the beginning and again at the end, before the debate.
#
# ```{admonition} For the lecturer: expected answers and usual mistakes
# :class: dropdown
# *Would you publish?* There is no single right answer, but a good answer at the end of the lectures has four parts.
#
# - Hiding small counts guarantees nothing. Such a release can be judged only by the attacks that were run.
# - At full size, in a release of 400 people, a plausible attacker identifies 7 of 100 members (95% interval [1, 12]; between 2 and 9 of 100 if the people are divided into groups in five different ways). Members are the people who were counted, and a guess identifies 1 of 100. An attacker who knows everybody else's records identifies 50 of 100 [22, 78]. The verdict is therefore *review*, and a person must decide. [Our review](audit-our-review) ends in *no*. In the cab data, the same kind of release fails.
# - The release publishes little, so an analyst gains little. It shows 15% of the visits if 400 people are counted, and 25% if all 500 are counted.
# - The recommendation is *no*, because this release serves none of the three purposes that we tested. A student may also answer "not without a stated purpose". The alternative is to publish fewer and larger counts, with noise for a whole person.
#
# *Three common mistakes, and two questions*, with answers:
#
# - "An AUC of 0.90 means that 90 of 100 members are identified." The AUC compares pairs of releases: one that counts the target and one that does not. An AUC of 0.90 means that the first release has the higher score in 90 of 100 such pairs (two equal scores count as half a pair). The attack with this AUC adds up the counts at the target's places and hours. At a false positive rate of 1%, it identifies only 7 of 100 members (5 after the comparison with reference people, as in the tables).
# - "No attack succeeded, so the release is safe." The audit shows only that the attacks that were run did not succeed. Another attack might.
# - "$\varepsilon = 1$ for a visit and $\varepsilon = 1$ for a day make 2 together." Values of $\varepsilon$ can be added only if they hold for the same unit. Convert both to the $\varepsilon$ of a person first.
# - "Is F in {numref}`fig-audit-use` not both safe and useful?" It lies in the shaded area of the upper panel only. As for the risk, the area takes only the share identified at full size into account. But the attacker of the upper panel has an AUC that makes F fail, and identifies 13 of 100 members in the smaller releases. An attacker who knows everybody else's records identifies practically all members.
# - "Why does an AUC make F fail, if only 6 of 100 members are identified at full size?" An AUC above 0.75 shows that the scores with a target and without it differ clearly, so an attacker who sets the threshold better, or accepts more false alarms, may identify more. But the AUC says nothing about identification at a false positive rate of 1%. [Which attack decides?](audit-deciding) shows that F would not fail without the AUC. If you care only about identification, read this verdict as *review*.
# ```

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-number"]
path = ""
n_users = 500
releases = ["raw", "mds-k10", "event-epsilon-1", "user-day-epsilon-1", "user-epsilon-1"]
epsilon = 1.0
processes = 1
seed = 2018

# %% [markdown]
# (audit-brief)=
# ## The answer in brief
#
# *May hourly counts of these 500 "people" be published?* The chapter tests eleven releases.
#
# - **Raw counts, and noise for single visits: no.** We call the people who were counted *members*. From raw counts, an attacker who knows the target's visits and has the traces of other people identifies 42 of 100 members, and wrongly identifies 1 of 100 people who were not counted. (Random flagging with the same rate of false alarms identifies 1 of 100 members.) With noise for single visits, this attacker identifies 13 of 100 members. An attacker who knows everybody else's records identifies practically all members in both cases. From raw counts this is certain, because one subtraction is enough.
# - **Counts below 10 hidden (with or without rounding), counts rounded to 5, or noise for a day: only after a review.** *Review* means that the release does not fail, but that an attack does better than a guess, or that the stated guarantee is weaker than it looks. Here some attacks are significantly better than a guess. A person must then decide, by asking [four questions](audit-review). Our own review of the release that hides counts below 10 [ends in *no*](audit-our-review). The verdict also depends on the data. In the cab data, all releases that hide or round counts fail. Counts rounded to 5 also fail in the data of the aircraft and of the synthetic commuters. Noise for a day fails in none of the five data sets.
# - **Fourier perturbation: only after a review.** This method adds noise to the Fourier coefficients of each place's counts. The $\varepsilon$ of 1 that it states (its *nominal* $\varepsilon$) holds for what a person does at one place, and not for a whole person.
# - **Counts of 15 or less hidden, or Google's process: no attack was [significantly better than its baseline](audit-measures).** Google used its process for its mobility reports. It adds noise for a person's day, and then hides small counts. With these flights, both releases publish next to nothing (3% and 0.3% of the visits). Even so, some people are exposed. When counts of 15 or less were hidden in a release of 400 people, an attacker who knows everybody else's records identified 2 of 48 targets, and with certainty. In the cab data, the release that hides counts of 15 or less fails.
# - **Noise for a whole person: guaranteed, but hourly counts become practically useless.** Some attacks on Gaussian noise are significantly better than a guess, but not by more than the guarantee allows. The mean relative error of a count (counts of 0 are taken as 1) is about 75 with Gaussian noise and 650 with Laplace noise. Most of the true counts are 0, so on average a published count is off by about as many visits. With these flights, the order of places by their visits is almost entirely lost, so the hourly counts serve none of our three purposes.
# - **Our recommendation:** publish fewer and larger counts, with noise for a whole person. We require the scale of the noise to be at most a tenth of the count of a typical cell. (Typical means that half of all visits are in cells with counts at least as large.) If each place has one count for the whole period, about four hundred people are enough to meet this condition. Such counts allow a comparison of large places, but the total of a single place remains imprecise. For hourly counts, about eighty thousand people would be needed if counts grew in proportion to the number of people. These data do not show whether hourly counts grow in this way. The section on [what would have to be true](audit-safe) computes both numbers.
#
# *How to read a number on this page.* In *42 [31, 53]*, the estimate is 42 of 100 members, and the brackets are its 95% interval. The *baseline* is what a guess achieves: 1 of 100 members, or an AUC of 0.5. A *control* is a person who was never counted, on whom an attack on membership must find nothing. An attack is *significantly better* than its baseline if the interval lies above the baseline. A *plausible* attacker is one who might really exist.
#
# The failure of an attack never proves that a release is safe. Only a guarantee limits attacks that nobody has tried, and it limits them only for its unit of privacy. Even if $\varepsilon$ is small for a single visit, it can be large for a person who makes many visits. So only a small $\varepsilon$ for a whole person limits what any attacker can learn about that person from the fact that the person was counted.
#
# | if you want to | read | minutes |
# |---|---|---|
# | decide about a release | [what harm counts can do](audit-harm), [common releases](audit-releases), [how a verdict is reached](audit-verdict), [risk against usefulness](audit-use), [which attack decides](audit-deciding), [what would have to be true](audit-safe) | 45 |
# | understand the attacks | [who knows what](audit-threats), [six users](audit-six), [every attack on one release](audit-one) | 45 |
# | compare releases and data | [which release withstands which attacker](audit-all), with [other data](audit-other-data) | 45 |
# | test a guarantee | [what epsilon guarantees, and what trials show](audit-epsilon) | 25 |
#
# The four paths together take 160 minutes. The reading time under the title also includes the exercises and their solutions.

# %% [markdown]
# (audit-harm)=
# ## What harm can a table of counts do?
#
# A table of counts contains no names. Nevertheless, it can harm a person. Here are three examples.
#
# - **A clinic's stop.** A tram stop serves nothing but a clinic. For Monday at 8, the table shows a count of 1 at this stop. A colleague who saw Ada board the empty tram now knows where she went.
# - **A night tram.** Dan is usually the only passenger of the tram at 3 in the morning. On Friday its count is 0. Somebody who knows his habit learns that he did something else that night.
# - **A study.** The counts cover the participants in a study of an illness. The names of the participants are secret. An employer knows where Ada was, and when. If the counts at these places and hours show that Ada was counted, the employer learns about her illness.
#
# In the third example no single count needs to be small, and the employer already knows Ada's movements. The table reveals that she was *counted*. An attack that tries to decide whether a person was counted is a **membership inference attack**. Such attacks are the main subject of this chapter, and they matter even where membership itself is harmless. If the counts look the same with and without the target, they reveal no more about the target than they would if the target had stayed out. This is the idea behind [differential privacy](guarantees.ipynb).
#
# Those who decide about a publication use the terms of the regulators. The European data protection authorities, whose common body is now the European Data Protection Board (EDPB), have published an opinion on anonymisation {cite:p}`wp216`. It names three risks by which anonymisation is judged. The guidance of the British Information Commissioner's Office (ICO) uses the same three {cite:p}`ico2025`. The right column of the table is our interpretation of these risks, and is not legal advice.
#
# | risk | what it means | in this chapter |
# |---|---|---|
# | **singling out** | one person's records can be told apart from everybody else's | a count of 1; *unicity*: how many sightings of a person are enough to single out that person's records |
# | **linkability** | two sets of data about the same person can be connected | what the attacker knows about the target can be connected with the release (membership); one release can be connected with another (differencing) |
# | **inference** | something can be deduced about a person, with high probability | the attacker deduces that the target was counted, where the target was, or a hidden count |
#
# Both documents ask which means of identifying a person are *reasonably likely* to be used, and by whom. As a starting point, the ICO suggests asking whether a **motivated intruder** would succeed. This is somebody who is determined and reasonably competent, has access to public sources, and starts without any knowledge of the target. A motivated intruder can often find out a target's home, workplace and hours. In the table of the next section, a motivated intruder corresponds to the first row: somebody who knows the target's visits, and roughly how crowded the target's places usually are. The rows below it describe other attackers, most of them stronger.
#
# (audit-threats)=
# ## Who knows what, and wants what?
#
# ````{prf:definition} Threat model
# :label: def-threat
# What an attacker *knows* besides the release, together with what they *want* to find out.
# ````
#
# (audit-threats-table)=
# The less an attacker needs to know for the same success, the more serious the attack. The first goal that we consider is **membership**: *whether* the target was counted. The table lists what an attacker with this goal might know, and which attacks this knowledge allows. The names in the last column are explained where the attacks are run. For now, read the first two columns.

# %% tags=["hide-input"]
from lib.papers import figures as plots
from lib.papers.audit import experiments, figures

plots.use_style()
membership = experiments.threat_table("membership")
plots.show_table(figures.threats_table(membership), "threats-membership")

# %% [markdown]
# An attacker may also want to know where the target was at a given hour, what the target's whole trajectory was, how few sightings are enough to single the target out, or which counts the release hides. The folded table lists these goals. (Our attacks on trajectories recover only a part of the period. The section on [places and trajectories](audit-places) says which part.)

# %% tags=["hide-input", "hide-output"]
wanted = ["place", "trajectory", "re-identification", "disclosure"]
plots.show_table(
    figures.threats_table(experiments.threat_table(*wanted)), "threats-more"
)

# %% [markdown]
# It is a matter of judgement which knowledge is plausible, and this judgement is ours. For each kind of knowledge, we name somebody who might have it:
#
# - *The target's visits, and usual sums*: a colleague, or somebody who reads what the target posts. Either of them also has an idea of how crowded these places usually are, and so of the usual sum of their counts. In our tables, we compute the usual sums from other people's traces, which favours the attacker.
# - *The traces of other people of the same kind*: a telephone operator, or the owner of an app. From these traces the attacker learns how crowded each place is at each hour. In the audit, the traces are from the very weeks that are published, which is generous to the attacker.
# - *The visits of 30% of the others, and the traces of other people*: a company that contributed its customers' records to a table of several companies. It knows which of its customers were counted.
# - *Who was in earlier releases*: somebody who has seen the lists of participants of earlier studies.
# - *Where everybody was in the weeks before, and who is counted*: a service provider who held the records until last month and still has the list of customers. This assumption is generous to the attacker, who lacks only the records of the published weeks.
#
# Two further kinds of knowledge are available to anybody: *nothing but the release*, and *where the places are*, which a map shows. (Only the attack *zero knowledge* uses the map, and this page does not run it.) We call an attacker **plausible** if their knowledge is of one of these seven kinds: the five in the list and the two just named. Readers may regard the last three kinds in the list as worst cases instead. The section on [the deciding attacks](audit-deciding) examines whether this would change a verdict.
#
# Two **worst cases** are about membership. In the first, the attacker has the traces of *everybody who may be counted*, for the very weeks that are published, but does not know who is counted. In the second, the attacker has the records of *everybody else* who is counted. If a release is differentially private for everything that a person does, and $\varepsilon$ is small, it protects even against these two attackers. If only a worst-case attack succeeds, we treat its success as a warning. If a plausible attack reaches one of the [thresholds](audit-verdict), the release fails.
#
# ```{note}
# The folded table counts *two releases* among the worst cases, because the attack assumes two tables of the same hours that differ by exactly one person, the target. Such pairs are rare in general, but some publishers produce them as a matter of course. For example, a table is corrected after one customer has withdrawn consent. The same week appears in two reports, one for the customers of 1 May and one for those of 1 June. A table for "all" stands beside a table for "all but one group". A series of monthly tables is a weaker case of the same kind. Each month contains different visits, so subtracting two months does not isolate one person. But an attacker who knows when the target joined or left can compare the months before and after, which is a membership inference attack with past releases. If you publish regularly, treat *two releases* as plausible.
# ```
#
# (audit-six)=
# ## Six people, three releases
#
# How much do hidden counts and noise conceal? And how much of it is revealed again if totals are published? We publish the same counts of six people in three ways:
#
# - unchanged;
# - with counts below 2 hidden, and with the totals of each place and each hour published beside them;
# - with Laplace noise, rounded to whole numbers; results below 0 are set to 0, and results above 6, the number of people, are set to 6.
#
# The code on this page uses a few settings from a hidden first cell. The number `seed` fixes all random draws, so that every run gives the same results, and `epsilon` is 1. Later, `datasets` and `path` say which records are loaded, `n_users` is the number of people, 500, `releases` lists the presets that are audited, and `processes` is the number of processor cores that an audit uses.

# %%
import numpy as np
import pandas as pd
from lib.audit import parse, small_counts
from lib.datasets import load
from lib.randomness import stream

six = load("six-users")
hours = [f"{epoch:%a %H}h" for epoch in six.epochs]
hide = {"mechanisms": [{"name": "suppress", "threshold": 2}], "totals": True}
noise = {"name": "event-level-laplace", "epsilon": 1.0}
noisy = {"mechanisms": [noise, {"name": "whole-numbers"}]}
three = {"raw": "raw", "below 2 hidden": hide, "noise": noisy}
published = {
    name: parse(each).publish_all(six, np.arange(6), stream(seed, "six", name))
    for name, each in three.items()
}

# %% [markdown]
# Hidden counts can sometimes be recovered from the totals. For each hour and each place, we subtract the published counts from the total. The difference is the number of people who are *missing* from this hour or place in the table.

# %%
hidden = published["below 2 hidden"]
missing_by_hour = hidden.by_hour - hidden.counts.sum(axis=0)
missing_by_place = hidden.by_place - hidden.counts.sum(axis=1)
print("missing by hour: ", missing_by_hour)
print("missing by place:", missing_by_place)

# %% mystnb={"figure": {"name": "fig-audit-six", "caption": "One set of counts, published in three ways. A number is a published count; in the middle panel, a hatched cell is blank in what is published: its count is 0, or it is hidden. In the lower panel, negative noisy counts are set to 0. Hiding small counts (middle) empties more than half of the cells that were not empty, but the totals tell how many people are missing from each row and column (orange). Where the number of missing people equals the number of blank cells, every blank hides one person. Noise (bottom) puts people where nobody was and hides some who were there."}, "image": {"alt": "Three grids of four places by eight hours with counts written in the cells: raw, below 2 hidden with hatched blanks, and noisy. Beside the middle grid, in orange, are the people missing from each place, 2, 4, 4 and 3, and from each hour, 3, 3, 0, 1, 1, 1, 2 and 2."}} tags=["hide-input"]
shown = {name: each.counts for name, each in published.items()}
figures.show_releases_with_totals(
    shown,
    list(six.rois.index),
    hours,
    {"below 2 hidden": (missing_by_place, missing_by_hour)},
)

# %% tags=["hide-input", "hide-output"]
blank_cells = (hidden.counts == 0).sum(axis=0)
of_hours = {"missing people": missing_by_hour, "blank cells": blank_cells}
plots.show_table(pd.DataFrame(of_hours, index=hours).rename_axis("hour"), "missing")

# %% [markdown]
# Take Monday at 8 in the middle panel. Three cells of this column are blank, and three people are missing. Each blank can hide one person at most, so each of them hides exactly one. The same argument works for Monday at 9, and for Tuesday at 18, where two blanks hide two people. It recovers 8 hidden counts in all. If nobody is missing from an hour or a place, all blanks there are zeros.
#
# The totals of the places determine a ninth count. Four people are missing from the row of the office, and the argument above has found three of them. The fourth is in the cell of Monday 18h or of Tuesday 08h, because these are the only blanks left in that row. Only one person is missing from each of these two hours. So one of these two missing people is at the office. This leaves at most one person who can be at the station in these two hours. Four people are missing from the row of the station, too, and two of them have been found. Of the other two, at most one is in the hours of Monday 18h and Tuesday 08h. The other must be in the cell of Tuesday 12h, which is the only other blank in the row of the station. The library applies all totals together, so it finds every count that they determine.

# %%
# The value of each hidden count; -1 where it is not determined
recovered = small_counts.recover(
    hidden.counts, hidden.by_place, hidden.by_hour, threshold=2
)
raw = published["raw"].counts
one_person = (hidden.counts == 0) & (raw > 0)
print(f"hidden counts of one person: {one_person.sum()}")
print(f"recovered from the totals:   {((recovered == raw) & one_person).sum()}")

# %% [markdown]
# Now suppose that Ada asks not to be counted, and that the raw table of the same two days is published again without her. One subtraction is then enough to recover her whole trace:

# %%
without_ada = parse("raw").publish_all(six, np.arange(1, 6), stream(seed, "six", "raw"))
only_with_ada = raw - without_ada.counts
places, times = np.nonzero(only_with_ada)
print([f"{six.rois.index[i]} {hours[j]}" for i, j in zip(places, times, strict=True)])

# %% [markdown]
# (audit-releases)=
# ## Common releases, and what each guarantees
#
# What does a release guarantee, and to whom? We audit eleven releases, A to K. Each has a name in words, and in brackets the name of its preset, which the command line uses. Five of them guarantee nothing:
#
# - **A: raw counts** (`raw`), the counts as they are;
# - **B: below 10 suppressed** (`mds-k10`), where counts below 10 are hidden, as in the Mobility Data Specification;
# - **C: up to 15 suppressed** (`flowkit-15`), where counts up to 15 are hidden, as in FlowKit;
# - **D: rounded to 5** (`round-5`), where counts are rounded to the nearest multiple of 5;
# - **E: below 10 suppressed, rounded** (`suppress-10-round-5`), where counts below 10 are hidden and the others are rounded.
#
# (audit-releases-table)=
# A count that is *suppressed* or *hidden* is left blank. The other six releases, F to K, add noise and are **differentially private**. What does this mean? A release is $\varepsilon$-differentially private for a unit if every test for this unit obeys two rules. The test says "in" at most $e^\varepsilon$ times as often with the unit in the data as without it, and at most $e^\varepsilon$ times as often without the unit as with it. (The second rule matters, too. Without it, a release could reveal with certainty that somebody was *not* counted.) For example, let $\varepsilon = 1$ for a person, and let an attacker be wrong about 1 of 100 people who were not counted. This attacker is then right about at most $e$ of 100 members. (On this page we round $e$ to 2.7.) Some guarantees add a small probability $\delta$ to this limit. **Sequential composition** means that the $\varepsilon$ of several publications add up. The unit can be a visit, a person's day, or a person:

# %%
from lib.papers import figures as plots
from lib.papers import fitting
from lib.papers.audit import experiments, figures

populations = fitting.load_populations(datasets, path)
people = experiments.sample_populations(populations, n_users, seed)
name, group = next(iter(people.items()))
guarantees = experiments.guarantees(group).dropna(subset="epsilon")
plots.show_table(figures.in_words(figures.guarantees_table(guarantees)), "releases")

# %% [markdown]
# Their presets are `event-epsilon-1`, `user-day-epsilon-1`, `user-epsilon-1`, `gaussian-user-epsilon-1`, `fpa-epsilon-1` and `google-mobility`. Each of these six guarantees an $\varepsilon$ *for a unit of privacy*. The unit matters more than the number. The last column states the $\varepsilon$ of a whole person. For Laplace noise on counts, it follows from sequential composition: the $\varepsilon$ of a person is the sum of the $\varepsilon$ of all their visits, or of all their days.
#
# - Event-level noise guarantees next to nothing to a whole person. Each visit costs $\varepsilon = 1$, so the $\varepsilon$ of a person with $v$ visits is $v$. A guarantee must hold for every possible person, and this release does not limit the number of visits of a person. A person who was at each of 107 places in each of 672 hours would have 71,904 visits. The $\varepsilon$ that the release guarantees to a person is therefore 71,904.
# - If the unit is a day or a person, the release needs a *public cap* on visits. Visits above the cap are dropped at random before counting. Here the cap is one visit per hour, which makes 24 visits in a day and 672 in the whole period. In Google's process {cite:p}`aktay2020` the cap is four visits a day.
# - Fourier perturbation gives an $\varepsilon$ of 1 to a person who spends all 672 hours at one place. Adding up this $\varepsilon$ over 107 places would give 107. But the release counts at most 672 visits of a person, so nobody can spend all 672 hours at every place. The noise is added to Fourier coefficients, and its $\varepsilon$ for a place grows with the square root of the hours that the person spends there. (The noise is scaled to the Euclidean length of a person's counts at the place, and $v$ counts of 1 have the length $\sqrt v$.) A person with $v_i$ hours at place $i$ therefore has an $\varepsilon$ of at most $\sum_i \sqrt{v_i / 672}$. Because of the cap, the hours $v_i$ add up to at most 672. Because the square root is concave, the sum of the roots is then largest if the hours are spread evenly over all places, and its value is $\sqrt{107}$, or about 10.3.
#
# (audit-one)=
# ## Every attack on one release
#
# ### How is an attack evaluated?
#
# The audit simulates many releases and attacks them. For this purpose, it splits the people into three groups:
#
# - A tenth are **non-member controls**. No simulated release counts them. They are counted only in the [release at full size](audit-full-size).
# - A fifth are **reference people**, whose traces a plausible attacker has. They are never counted in a release that is attacked.
# - All others form the **pool**. Each of them is in a simulated release with probability one half. Some attackers know the visits of 30% of the pool. The other people of the pool are the targets.
#
# A plausible attacker can simulate *reference releases* from the traces of the reference people. A simulated release counts about 175 people of the pool, but there are only 100 reference people. The audit therefore draws the 175 people of a reference release from these 100 at random with replacement. Some people are then counted twice or more, and others not at all. All reference releases are thus made from the same 100 traces. If none of the 100 people visits a place in some hour, this count is 0 in every reference release.
#
# Attackers differ in the releases from which they learn. A plausible attacker who needs training releases uses reference releases. Those who know past releases or past weeks learn from these. Worst-case attackers learn from **shadow releases**, which count people of the pool. All attacks are evaluated on new releases, which also count people of the pool.
#
# (audit-sum)=
# ### The sum of the target's cells
#
# A **cell** of the table is a place and an hour, and the *target's cells* are the places and hours of the target's visits. The simplest attack adds up the counts of these cells. If the target was counted, the target adds 1 to each of these counts. The code below runs the whole attack on raw counts. The object `games` holds three sets of simulated releases: those that are attacked (`games.test`), the reference releases (`games.others`), and the shadow releases (`games.shadow`). Each set has a matrix `published` with one row per cell and one column per release, and a matrix `members` with one row per person and one column per release. The matrix `group.matrix` has one row per person and one column per cell.

# %%
from lib.audit.games import Game

games = Game(group, parse("raw"), seed, quick=True)
print(f"{len(games.controls)} controls, {len(games.reference)} reference people")
print(
    f"pool of {len(games.pool)}: {len(games.known)} known, {len(games.targets)} targets"
)
visits = group.matrix[games.targets].astype(float)  # a row of 0s and 1s per target
# Was the target in the release? A row per target, a column per release
inside = games.test.members[games.targets]
sums = visits @ games.test.published

print(
    f"mean size of a release: {games.test.members[games.pool].sum(axis=0).mean():.0f}"
)

first = 0  # the first target
print("the first target's cells:", int(visits[first].sum()))
print(f"mean sum with the target:    {sums[first, inside[first]].mean():.1f}")
print(f"mean sum without the target: {sums[first, ~inside[first]].mean():.1f}")

# %% [markdown]
# The two means differ by a little more than the number of the target's cells, because the other people in these releases differ at random.
#
# (audit-auc)=
# How well does this attack work? We use two measures. The first is the **AUC**, the probability that a release with the target has a higher score than a release without the target; a tie counts as one half. To compute it for one target, we compare every release that counts the target with every release that does not. Random guessing gives an AUC of 0.5.

# %%
from lib.audit.measures import aucs

# Every sum with the target minus every sum without
gaps = sums[first, inside[first]][:, None] - sums[first, ~inside[first]]
pairs = (gaps > 0).mean() + (gaps == 0).mean() / 2
print(f"AUC of the first target:     {pairs:.3f}")
print(f"the library's function:      {aucs(sums, inside)[first]:.3f}")
print(f"mean over {len(sums)} targets:       {aucs(sums, inside).mean():.3f}")

# %% [markdown]
# The second measure is the share of members who are **identified**. A target is identified if the score exceeds a threshold. The threshold is set so that at most one in a hundred of those who are not in the release is wrongly identified. (The measure is the true positive rate at a false positive rate of 1%.)
#
# (audit-threshold)=
# There is one threshold for all targets. Why does this matter? Suppose that Ada and Dan are the only two targets. Each of them is counted in two releases and left out of a third. In these releases, the sums of their cells are:
#
# | target | sums with the target | sum without | AUC | sums with the target above 10 |
# |---|---|---|---|---|
# | Ada | 12 and 13 | 10 | 1 | both |
# | Dan | 3 and 4 | 1 | 1 | neither |
#
# For both targets, every release with the person has a higher sum than the release without, so each AUC is 1. But a common threshold must be at least 10 if Ada is not to be wrongly identified. With a threshold of 10, she is identified in both releases that count her, and Dan in none. So only half of the members are identified, although each AUC is perfect.
#
# In our data, too, targets with many cells, or with crowded cells, have large sums whether they are members or not. The audit therefore compares each sum with the sums of the same cells in the reference releases: it subtracts their mean and divides by their standard deviation. An attacker who makes this comparison needs the traces of other people as well. We evaluate the sums both before and after the comparison, so the code prints two thresholds. The second looks absurd: it is more than a hundred, although scores are meant to be in standard deviations. The two steps after this code show why.

# %%
usual = visits @ games.others.published  # the target's cells in releases of others
spread = usual.std(axis=1, keepdims=True)
unseen = usual.max(axis=1) == 0  # targets whose cells no reference person visits
spread[unseen] = 1
score = (sums - usual.mean(axis=1, keepdims=True)) / spread

thresholds = {}
for words, values in (("sums as they are", sums), ("sums after the comparison", score)):
    thresholds[words] = np.quantile(values[~inside], 0.99)
    above = values > thresholds[words]
    rate = ((above & inside).sum(axis=1) / inside.sum(axis=1)).mean()
    print(f"{words}: threshold {thresholds[words]:.0f}")
    print(f"  wrongly identified {above[~inside].mean():.3f}, identified {rate:.3f}")

# %% [markdown]
# Which targets are identified after the comparison? We call a target *unseen* if no reference person visits any of the target's cells. A score is *flagged* if it exceeds the threshold. It is flagged rightly if the release counts the target, and wrongly if the release does not. The table counts the flagged scores of unseen and of seen targets:

# %%
common_threshold = thresholds["sums after the comparison"]
flagged = score > common_threshold
rightly_flagged, wrongly_flagged = flagged & inside, flagged & ~inside

# %% tags=["hide-input"]
groups_of_targets = {"unseen": unseen, "seen": ~unseen}
who_is_flagged = {
    words: {
        "targets": each.sum(),
        "rightly flagged": rightly_flagged[each].sum(),
        "wrongly flagged": wrongly_flagged[each].sum(),
        "targets ever wrongly flagged": wrongly_flagged[each].any(axis=1).sum(),
    }
    for words, each in groups_of_targets.items()
}
plots.show_table(pd.DataFrame(who_is_flagged).T, "flagged")

# %% [markdown]
# We set the threshold again without the unseen targets:

# %%
seen = ~unseen | unseen.all()  # all targets, if no cell of any target is seen
outside = ~inside & seen[:, None]
lower_threshold = np.quantile(score[outside], 0.99)
above_lower = score > lower_threshold
rates = (above_lower & inside).sum(axis=1) / inside.sum(axis=1)  # of each target
still_wrong = (above_lower & outside).any(axis=1)
print(f"threshold {lower_threshold:.0f}, identified {rates[seen].mean():.3f}")
print(f"wrongly identified at this threshold: {still_wrong.sum()} targets")

# %% tags=["hide-input"]
reference_visits = (visits @ group.matrix[games.reference].sum(axis=0)).astype(int)
of_wrong = {
    "reference visits": reference_visits[still_wrong],
    "sd in reference releases": spread[still_wrong, 0].round(1),
    "sd in attacked releases": [
        round(sums[i, ~inside[i]].std()) for i in np.flatnonzero(still_wrong)
    ],
}
of_wrong = pd.DataFrame(of_wrong, index=np.flatnonzero(still_wrong))
if len(of_wrong):
    plots.show_table(of_wrong.rename_axis("target"), "wrongly-identified")

# %% [markdown]
# The mean AUC is 0.90, but few members are identified: 7 of 100 with the sums as they are, and only 5 of 100 after the comparison. The two measures answer different questions. The AUC compares the scores of *one target*, in releases that count this target and in releases that do not. For that comparison the sum works well. The threshold compares *different targets*, and for this the attacker must know what is usual for each target's cells. The next figure shows the scores of six targets. Three are unseen and three are seen. Within each of the two groups, we take the targets at the lower quartile, the median and the upper quartile of the number of cells. For target 5, almost every score with the target exceeds every score without it, but none of them comes near the common threshold.

# %% mystnb={"figure": {"name": "fig-audit-targets", "caption": "Scores of six targets, in the releases that count them (filled bars, above the line of a row) and in those that do not (hatched bars, below the line). A longer bar stands for more releases; the longest bar of every row is drawn with the same length. Solid line: the threshold for all targets (105). Dashed line: the threshold without the unseen targets (30). In each row the filled bars lie mostly to the right of the hatched ones, so each AUC is high. But the rows lie at different places. The scores of unseen targets are whole sums, and the common threshold falls among them. The scores of seen targets are in standard deviations, and none comes near it. *Identified*: how many of 100 releases with the target exceed the threshold of 105."}, "image": {"alt": "Six rows of small histograms on an axis from -3 to 300. The three unseen targets have scores around 100 with the target and mostly lower scores without, AUCs from 0.872 to 0.973, and 22 to 91 of 100 identified. The three seen targets have scores between -3 and 5, AUCs from 0.894 to 0.999, and 0 identified."}} tags=["hide-input"]
n_cells = visits.sum(axis=1).astype(int)
six_targets, blocks = {}, {}
for words, which in (("unseen: whole sum", unseen), ("seen: standardised", ~unseen)):
    by_cells = np.flatnonzero(which)[n_cells[which].argsort(kind="stable")]
    if not which.any():
        continue
    for part in (0.25, 0.5, 0.75):
        i = by_cells[int(part * (len(by_cells) - 1))]
        six_targets[f"target {1 + len(six_targets)}, {n_cells[i]} cells"] = i
    blocks[words] = dict(list(six_targets.items())[-3:])
both_thresholds = {
    f"{common_threshold:.0f}: all targets": common_threshold,
    f"without unseen: {lower_threshold:.0f}": lower_threshold,
}
what_is_scored = "score: the sum (unseen) or standard deviations (seen)"
figures.show_targets(score, inside, blocks, both_thresholds, what_is_scored)

# %% tags=["hide-input", "hide-output"]
the_six = list(six_targets.values())
mean_scores = {
    "cells": n_cells[the_six],
    "mean score with": [score[i, inside[i]].mean().round(2) for i in the_six],
    "mean score without": [score[i, ~inside[i]].mean().round(2) for i in the_six],
    "AUC": aucs(score, inside)[the_six].round(3),
}
plots.show_table(pd.DataFrame(mean_scores, index=list(six_targets)), "six-targets")

# %% [markdown]
# The reference people are a poor guide to what is usual, because they have only 100 different traces. Of the 245 targets, 27 have no cell that a reference person visits. For these targets the comparison subtracts nothing and divides by 1, so the score is the whole sum. The scores of the other targets are in units of a standard deviation.
#
# These 27 targets therefore set the threshold, which is 105. Twelve of them exceed it at least once in a release that does not count them, but only one of the other targets does. The same 27 targets also account for nearly all correct identifications: 549, compared with 50 for all other targets. If we leave them out, the threshold falls to 30. Even then, the comparison identifies only 2 of 100 members among the other targets, so these 27 targets are not the only problem. At the lower threshold, only three targets are ever wrongly identified. For each of these three, the reference people have only one or two visits to the target's cells. The standard deviation (*sd*) of the sums in the reference releases, which are drawn from 100 traces, is therefore at most 1.7. In the attacked releases that do not count the target, it is at least 15. On this scale, ordinary crowds look extraordinary. An [exercise](audit-ex-own) shows how many more members the attacker identifies with a better guide to what is usual.
#
# Because the AUC and the share identified can differ so much, this chapter reports both.
#
# The code sets the threshold with labels that an attacker does not have: it uses the true non-members of the attacked releases. We grant this threshold to every attack, so that all attacks are compared at the same false positive rate. A real attacker would have to set the threshold on releases of their own, and the false positive rate could then differ from 1%.
#
# The tables below have two more columns. The first describes the **most exposed** targets, which are the tenth of the targets with the highest AUC in the shadow releases. They are chosen on the shadow releases and evaluated on other releases, which avoids selection bias. They are always chosen by AUC, even where the table reports the share of them that is identified.
#
# (audit-controls)=
# The second column is the AUC of the **controls**. A control is in no simulated release, so no release is really "with" this person. The audit nevertheless gives each control random labels: each release is labelled "with" or "without" this person, with probability one half each. The AUC of a control compares the scores of the two groups of releases.

# %%
# Random labels: the controls are in no simulated release
labels = games.test.members[games.controls]
control_sums = group.matrix[games.controls].astype(float) @ games.test.published
print(f"mean AUC of {len(labels)} controls: {aucs(control_sums, labels).mean():.3f}")

# %% [markdown]
# Nothing in a release depends on these labels. An attack that detects membership cannot guess them, so its AUC on the controls is 0.5 up to chance. If the AUC on the controls is not 0.5, the attack has learned the labels in another way, and its success on members is no evidence of membership inference. The controls of an attack are **at chance level** if the interval of their AUC contains 0.5.
#
# (audit-measures)=
# ### Which five measures does the chapter use?
#
# Attacks on membership are judged by five measures. (The audit records three more, which can only give a warning. On this page, no verdict depends on them.) Three of the five are evaluated on the simulated releases, for all attacks. The other two are computed for only four of the attacks: the sum, and the ratios with other people known, with 30% known and with all others known. They are evaluated **at full size**, on one release of everybody except the reference people, who are 400 people here. For each target, this release is computed with the target and again without.
#
# | measure | what is compared with what | who sets the threshold | scores, on raw counts | fails at |
# |---|---|---|---|---|
# | **AUC** | for each target, the releases with this target and those without; then the mean over all targets | no threshold is needed | 100 releases for each of 245 targets | 0.75 |
# | **share identified** | each score with one threshold for all targets and releases | the scores of all targets in releases without them; at most 1 in 100 exceeds it | the same | 0.1 |
# | **share identified of the most exposed** | the same, for the tenth of the targets with the highest AUC in the shadow releases | as in the row above | 100 releases for each of 25 targets | 0.5 |
# | **AUC at full size** | the score of one target, computed with this target counted, with the score of another target, computed with that one left out | no threshold is needed | 1 release for each of 245 targets, with the target and without | 0.75 |
# | **share identified at full size** | each score with one threshold for all targets | the scores without the targets; at most 1 in 100 exceeds it | the same | 0.1 |
#
# What is a measure compared with? The **baseline** of an attack on membership is a guess: an AUC of 0.5, or 1 of 100 members identified. An attack is **significantly better** than its baseline if, for at least one of its measures, the lower end of the 95% interval lies above the baseline. The baseline is the same at both sizes of a release.
#
# The last column belongs to the [verdict](audit-verdict): if the attacker is plausible and the controls are at chance level, the release fails as soon as the lower end of the 95% interval reaches this number. These numbers are our choice: an attack should be clearly better than a guess before a release fails. The section on [the deciding attacks](audit-deciding) shows what other numbers would change. The AUC compares only scores of the same target, whereas the other four measures depend on what is usual for each target's cells.
#
# (audit-count)=
# ### What does one count reveal?
#
# The sum treats all cells alike. Should it? Suppose that the number of other people in one of the target's cells has a Poisson distribution with mean $\lambda$, and that the attacker sees a count of $k$ there. The likelihood ratio divides the probability of this count if the target was counted by its probability if the target was not counted:
#
# $$\frac{\Pr[k \mid \text{with}]}{\Pr[k \mid \text{without}]} = \frac{\lambda^{k-1} / (k-1)!}{\lambda^{k} / k!} = \frac{k}{\lambda} .$$

# %%
from scipy import stats

for usually, count in ((0.1, 1), (20, 21)):
    ratio = stats.poisson.pmf(count - 1, usually) / stats.poisson.pmf(count, usually)
    print(
        f"usually {usually:4}, now {count:2}: {ratio:5.2f} times as probable with the target"
    )

# %% [markdown]
# One person in a cell that is usually empty is strong evidence for the target. The twenty-first person in a crowded cell is almost no evidence. A **likelihood-ratio attack** multiplies such ratios over the target's cells. ([](thresholds.ipynb) derives this attack.)
#
# The formula $k / \lambda$ holds for raw counts only. For other releases, the attack uses the probability of what is *published*: it adds up the probabilities of all counts that could have led to the published value. (Under noise, each of these probabilities is first multiplied by the probability density of the noise that turns this count into the published value.) We do this for one of the target's cells, which contains 9 other people on average, or only 0.5. There are three cases. First, counts below 10 are hidden and the cell is blank. Second, the cell shows a 10. Third, Laplace noise with $\varepsilon = 1$ is added, and the published value is 9.4.

# %%
other_counts = np.arange(100)  # how many other people may be in the cell
for usually in (9, 0.5):
    chance = stats.poisson.pmf(other_counts, usually)
    hidden_ratio = chance[:9].sum() / chance[:10].sum()
    shown_ratio = chance[9] / chance[10]
    # The probability of the noise from each count to 9.4, up to a factor
    noise_to = np.exp(-np.abs(9.4 - other_counts))
    noise_with = np.exp(-np.abs(9.4 - (other_counts + 1)))
    noise_ratio = (chance @ noise_with) / (chance @ noise_to)
    print(
        f"mean {usually}, hidden: {hidden_ratio:.2f}, shown as 10: {shown_ratio:.2f},",
        f"9.4 with noise: {noise_ratio:.2f}",
    )

# %% [markdown]
# A hidden count is weak evidence *against* the target if the cell usually has about 9 people, because one more person would often have made the count visible. In a cell with few people, a hidden count is practically no evidence: the count is almost always hidden, with and without the target. So if counts below 10 are hidden, only cells whose counts come close to 10 or exceed it can reveal anything. Under Laplace noise with $\varepsilon = 1$, the ratio of a published value is never larger than $e$ and never smaller than $1/e$.
#
# ### The attacks that need no training
#
# | attack | how it scores a target |
# |---|---|
# | *sum of the target's cells* | the sum, as above; for the share identified, the sum is compared with the sums in the reference releases |
# | *one threshold* | the same sum, after subtracting the visits of the members whom the attacker knows (30%) |
# | *two thresholds* | the number of the target's cells whose count exceeds its usual value; a first threshold decides about each cell, and a second one about this number |
# | *ratio, other people known* | likelihood ratio; the usual counts are estimated from the reference people |
# | *ratio, 30% known* | the same, after subtracting the visits of the known members |
# | *independent ratio* | likelihood ratio; the usual counts are computed from the traces of everybody who may be counted, and cells are treated as independent |
# | *joint ratio* | as the independent ratio, but all cells are weighed together, because the counts of two cells are not independent if the same other person visits both |
# | *ratio, all others known* | likelihood ratio, after subtracting the true records of all others |
#
# The attackers who know 30% of the others also have the traces of the reference people.
#
# In the [previous chapter](thresholds.ipynb), some of these names have another meaning. There, the independent and the joint ratio belong to an attacker who has traces of other people of the same kind. Here, both use the traces of everybody who may be counted. For an attacker with other people's traces, the audit runs only the independent version, called *ratio, other people known*.
#
# All audits of this chapter are *quick* audits. They simulate up to 100 releases of each kind and attack at most 300 people. The second limit does not matter here, because there are only 245 targets. They run all attacks of a full audit except *zero knowledge*, which draws synthetic traces from a map.
#
# The intervals hold at 95% for *all measures of a release together* (a Bonferroni correction over 120 measures). Without this correction, the largest of so many measures would often look significant by chance alone. The correction makes the intervals wide, and so do small numbers of targets. Most attacks are run on all 245 targets. Slow attacks are run on fewer targets: the *joint ratio* and *all others known* on 48 targets, and attacks that train a classifier on 12. The most exposed tenth of 48 targets is five people, so an interval can reach from 0.18 to 1. The most exposed tenth of 12 targets is two people (a tenth is rounded up), so its interval says nothing. Wide intervals also have a price. The lower end of a wider interval is lower, so a release passes more easily if more attacks are run. The section on [the deciding attacks](audit-deciding) therefore also applies the rule to the estimates. If a share of a tenth remains the threshold, one of 55 verdicts changes.
#
# Each interval is Student's interval for a mean over targets. It treats the targets as independent, although they share the same releases and the same threshold, and it takes the division into controls, reference people and pool as given. Five divisions of the [cabs](audit-other-data) show that results can vary from one division to another by more than such an interval allows for. If all targets have the same value, Student's interval has no width. In this case the audit asks: if all people in the sample have the same value, how large a share of all people could still have a different one? It takes the largest share that is still plausible (by the method of Clopper and Pearson), and widens the interval by this share. For this reason, an interval from identical values can be wide, such as 1.00 [0.84, 1.00], while one from slightly different values is narrow, such as 1.00 [1.00, 1.00]. Near 0 and 1, and for 12 targets, Student's intervals can be too narrow, so read an interval such as [0.00, 0.01] from 12 targets with care.

# %%
rows = experiments.stored_or_run(
    people, releases=releases, n_users=n_users, seed=seed, processes=processes
)
one = rows[(rows["data"] == name) & (rows["release"] == releases[0])]
plots.show_table(figures.members_table(one, figures.RULES), "rules")

# %% [markdown]
# The first row repeats what we computed by hand. The column *identified* shows how much an attacker gains from more knowledge, and how much from a better use of the same knowledge. The sum after the comparison and the ratio with *other people known* use the traces of the same reference people. The sum identifies 5 of 100 members, and the ratio identifies 42.
#
# (audit-zero-rule)=
# ### Why is the ratio so much better than the sum?
#
# The two attacks differ in three ways.
#
# 1. *A count of 0 excludes the target.* In raw counts, a 0 in one of the target's cells proves that the target was not counted. The ratio uses this: it multiplies the values $k / \lambda$ of all cells, and a single factor of 0 makes the product 0. The sum does not use it.
# 2. *Rare cells weigh more.* The ratio divides each count by the usual count of its cell.
# 3. *For cells with few reference visitors, the ratio also uses the mean of the place.* With few visitors, the estimate of $\lambda$ is poor, and with none it would be 0, which would make $k / \lambda$ infinite. The ratio estimates the rate of a cell from two sources, the reference people's visits to this cell and the mean of its place, and it allows for the uncertainty of the estimate.
#
# (audit-ratio-table)=
# How much does each difference contribute? We begin with the first two, and compute four attacks from the raw counts and the traces of the reference people. Let $s$ be the number of reference people who visit the cell, $n$ the number of reference people, and $m$ the mean number of people of the pool in a release. The *own rate* of a cell comes from the reference people who visit this cell: $\lambda = m\,(s + \tfrac12) / (n + 1)$. The half that is added to $s$ prevents a rate of 0. The denominator is larger than $n$ by 1, because a half is added both to the visitors and to the non-visitors.

# %%
k = games.test.published  # a row per cell, a column per release
visitors = group.matrix[games.reference].sum(axis=0)[:, None]  # s, for each cell
n, m = len(games.reference), len(games.pool) / 2
own_rate = m * (visitors + 0.5) / (n + 1)
no_zero = (visits @ (k == 0)) == 0  # no count of the target's cells is 0

by_hand = {
    "sum": sums,
    "sum, a 0 excludes": np.where(no_zero, sums, -1),
    "own rate, a 0 counts as 1": visits @ np.log(np.maximum(k, 1) / own_rate),
    "own rate, a 0 excludes": visits @ np.log((k / own_rate).clip(1e-6)),
}


def auc_and_identified(evidence):
    above = evidence > np.quantile(evidence[~inside], 0.99)
    identified = ((above & inside).sum(axis=1) / inside.sum(axis=1)).mean()
    return {"AUC": aucs(evidence, inside).mean(), "identified": identified}


first_steps = {words: auc_and_identified(each) for words, each in by_hand.items()}
plots.show_table(pd.DataFrame(first_steps).T.round(3), "steps-by-hand")

# %%
print(f"no zero in the target's cells, with the target: {no_zero[inside].mean():.2f}")
print(f"no zero, without the target: {no_zero[~inside].mean():.3f}")

# %% tags=["hide-input"]
own = by_hand["own rate, a 0 excludes"]
lowest_with = np.where(inside, own, np.inf).min(axis=1, keepdims=True)
below_all = (own < lowest_with)[~inside & ~no_zero]
print(
    f"own rate: {below_all.mean():.2f} of the releases with a 0 score below",
    "all releases with the target",
)

# %% [markdown]
# The ratio with own rates improves on the sum for two reasons. The rule alone, that a 0 excludes the target, raises the share identified from 7 to 14 of 100 members. The weights then raise it to 18. If a 0 is scored like a 1, the weights are of no help, and the ratio identifies only 4 of 100. The row *own rate, a 0 counts as 1* says little about weights alone, because scoring a 0 like a 1 also discards the difference between nobody and one person in a rare cell. An [exercise](audit-ex-own) tests weights without the rule.
#
# The rule also explains why the AUC rises so much. Without the target, only 7% of the releases have no 0 in the target's cells. In the row *sum, a 0 excludes*, all other releases without the target score below every release with the target, because they have the score $-1$. In the row *own rate, a 0 excludes*, a factor of 0 is replaced by a millionth, and 98% of these releases score below every release with the target. The AUC is therefore near 1 for every version with the rule. But 7% is seven times the false positive rate that we allow, so the rule alone is not yet enough to identify most members.
#
# The third difference is the treatment of cells that few or no reference people visit. We improve the rates in two steps.
#
# 1. *Shared rate.* Our prior for the rate of a cell is a gamma distribution whose mean is the mean rate of its place. The shape $a$ of this distribution says how much the cells of a place differ, and it is estimated from all cells. Let $\bar s$ be the mean of the place. A Poisson count with a gamma rate has the variance $\bar s + \bar s^2 / a$. We set the squared deviations of all cells equal to these variances, add both sides over all cells and solve for $a$, as the code does. The posterior mean is $\lambda = m\,(a + s) / r$, where $r = a n / \bar s + n$.
# 2. *Uncertain rate.* The rate is not known exactly. If its posterior gamma distribution is taken into account, the counts have a negative binomial distribution of size $a + s$ and mean $m\,(a + s) / r$. With $\theta = m / (r + m)$, each further person multiplies its probability by $\Pr[k] / \Pr[k-1] = \theta\,(a + s + k - 1) / k$. The inverse of this factor takes the place of $k / \lambda$:
#
# $$\frac{\Pr[k \mid \text{with}]}{\Pr[k \mid \text{without}]} = \frac{\Pr[k-1]}{\Pr[k]} = \frac{k}{a + s + k - 1} \cdot \frac{r + m}{m} .$$

# %%
place_means = visitors.reshape(group.n_rois, -1).mean(axis=1).clip(1e-3)
place = np.repeat(place_means, group.n_epochs)[:, None]
# The method of moments
a = (place**2).sum() / ((visitors - place) ** 2 - place).sum()
r = a * n / place + n

ratios = {
    "own rate": k / own_rate,
    "shared rate": k / (m * (a + visitors) / r),
    "uncertain rate": k / (a + visitors + k - 1).clip(1e-9) * (r + m) / m,
}
better_rates = {
    words: auc_and_identified(visits @ np.log(each.clip(1e-6)))
    for words, each in ratios.items()
}
plots.show_table(pd.DataFrame(better_rates).T.round(3), "ratios-by-hand")

# %% [markdown]
# With the shared rate, the attack identifies twice as many members: 37 of 100 instead of 18. Allowing for the uncertainty of the rate adds three more. (We computed no intervals for these differences, so small ones such as this may be due to chance.) The attack of the library identifies 42. It uses the same distribution. It also standardises each score by the scores of the reference releases, but only if this identifies more members in the shadow releases. (The decision is made on the shadow releases, which a plausible attacker does not have. We let the attacker make this decision, just as we give every attacker the threshold. Our version above does not standardise the scores, and identifies 40 of 100.)
#
# With better knowledge, the ratio identifies still more members: 87 of 100 with the traces of everybody who may be counted, and all of them with the records of everybody else. The controls are at chance level for all these attacks.
#
# (audit-base-rate)=
# ### How often is the attacker wrong?
#
# An attacker who identifies 42 of 100 members seems to have learned something that they can act on. Whether this is so depends on the **base rate**: the share of counted people among all those whom the attacker considers. Suppose that the attacker runs this attack on a thousand people and *flags* those whom it identifies. How many of the flagged people were counted?

# %%
for counted in (500, 10):
    members_flagged, others_flagged = 0.42 * counted, 0.01 * (1000 - counted)
    print(
        f"{counted} of 1000 counted:",
        f"{members_flagged:.0f} members and {others_flagged:.0f} others flagged",
    )

# %% [markdown]
# (audit-base-rate-table)=
# If half of the thousand people were counted, nearly all of those flagged are members. If only 10 were counted, most of those flagged are not members. Non-members are then so numerous that even one in a hundred of them outnumbers the flagged members. The next table adds attacks that identify fewer members and are therefore wrong more often. Each entry is the number of people, out of 100 flagged, who were never counted.

# %%
found_of_members, never_counted = np.array([0.42, 0.07, 0.05, 0.02]), {}
for base_rate in (0.5, 0.1, 0.01):
    false_flags, true_flags = 0.01 * (1 - base_rate), found_of_members * base_rate
    never = 100 * false_flags / (false_flags + true_flags)
    never_counted[f"if {base_rate:.0%} were counted"] = (never + 0.5).astype(int)
index = pd.Index([f"{100 * each:.0f} of 100" for each in found_of_members])
never_counted = pd.DataFrame(never_counted, index.rename("identified"))
plots.show_table(never_counted, "base-rates")

# %% [markdown]
# These numbers describe the attacker's error. They do not mean that the target is protected. An attacker who already suspects that the target was counted has a short list of candidates. The employer in the example of the study is such an attacker, and if about half of the staff take part, the column for 50% comes closest to this case. An attacker who searches a whole city considers many people who were not counted. If fewer than 1% were counted, this attacker is wrong even more often than the last column says. A person who is flagged by mistake may be harmed as much as one who is flagged correctly.
#
# (audit-misleading)=
# ### The attacks that learn from examples
#
# The next attacks train a classifier on labelled releases. Training is slow, so these attacks are run on 12 targets only. [Knock-Knock](knock_knock.ipynb) is run in three versions, which differ in the labelled releases from which they learn:
#
# - *like groups*: releases of other groups of the same pool;
# - *same groups*: earlier releases of the very groups that are attacked;
# - *past groups*: earlier releases of other groups.
#
# The other attack trains a separate [neural network](thresholds.ipynb) for each target. One row of the table is misleading. Which one?

# %% tags=["hide-input"]
plots.show_table(figures.members_table(one, figures.LEARNED, exposed=False), "learned")
print(figures.not_tested(one))

# %% [markdown]
# *Knock-Knock, same groups* has an AUC of 1 for members, but also an AUC of 1 for the controls, who were never counted. In this attack the same groups are published in two periods, and each group keeps its labels, including the random labels of the controls. So the classifier recognises the *group*, and recalls which people were labelled as its members in the earlier period. Without the controls, the AUC of this row would make the attack look like one of the most successful on the page. The audit therefore never counts this attack as a success. It only records a warning, because the controls are not at chance level. No verdict on a release of the flights rests on this warning alone, as a [table](audit-deciding) below shows.
#
# Why does the same row have an AUC of 1, but identify only 11 of 100 members [0, 52]? An AUC of 1 means that, for each target, nearly all releases with this target score above nearly all releases without. If few members are nevertheless identified, one threshold does not fit all targets. Each target has a classifier of its own. The audit standardises the scores of each target, but presumably this does not bring the scores of different classifiers to the same scale. The same may hold for the neural network, whose AUC is 0.97. With 12 targets, we did not examine this further.
#
# (audit-places)=
# ### Attacks on places and trajectories
#
# Other attackers want to know where people were. We run eight attacks of this kind. [](crowd.ipynb) explains the first four of the next table, and [](fano.ipynb) explains the fifth and the sixth.
#
# - *BAYES* starts from the attacker's prior belief about where a person is, and multiplies the probability of each place by the count there.
# - *MAX_ROI* takes one place and hour after another, and fills it with as many people as were counted there, the likeliest first. *MAX_USER* takes one person after another, the most active first. It assigns this person to all places and hours that the person usually visits, unless the count there is already used up.
# - *Joint profiles* fit the probabilities of all people at once, so that the probabilities add up to the counts.
# - An attacker who knows everybody else's records, and the target's own first three weeks, looks for the *most probable trajectory* of the last week, or for the most probable place of each of its hours separately (*place of each hour*).
# - *Joint trajectories* try to recover everybody's trajectories of the first two weeks at once, from counts alone {cite:p}`xu2017ash`.
# - *Two releases* subtracts a release without the target from one with the target (a differencing attack).
#
# The **gain** is what the counts add to what the attacker knew before. For the first four attacks, it is the share by which the counts reduce the error of the prior. For *two releases*, it is the share of visits that the attack finds, minus that of a guess. For the two attacks on the trajectory of one target, the gain is the F1 score of the attack minus that of the baseline, which names the usual place of each hour. (The F1 score, defined below the table, compares the places and hours that an attacker names with the true ones.) A *step* is a person's place in one hour.
#
# For *joint trajectories*, the gain is the share of steps that the attack recovers, minus the share recovered by its own baseline, which assigns the same counts at random in every hour. Recovered trajectories have no names. The audit therefore matches them with the true trajectories as well as possible, for the attack and for its baseline, and this raises both shares.
#
# The **controls** in this table are people or steps that are not in the release. A gain on the controls is not due to being counted, so it is subtracted from the gain on the members. A *negative gain* means that the counts make the attacker's guesses worse: with a gain of $-2.00$, the error is three times that of the prior alone. A negative gain on the controls is ignored. It shows only that the counts mislead the attacker about people who were not counted, and this does not make the release safer. The column *severity* states what the result means for the [verdict](audit-verdict), whose rules open the next section. If the entry is *review*, the attack gives a warning but does not make the release fail. The interval of a gain is not cut off at 1, although no gain can exceed 1.

# %% tags=["hide-input"]
plots.show_table(figures.gains_table(one), "gains")
print(figures.trajectories_and_unicity(one))

# %% [markdown]
# Of these attacks, only MAX_ROI makes the release fail. From which errors is its gain computed? The attacker knows where everybody was in the first three weeks, and wants to know where they were in each hour of the last week. The error is 1 minus the F1 score of the places and hours that the attacker names. The **F1 score** is the harmonic mean of two shares: the share of what the attacker names that is true, and the share of what is true that the attacker names. It is 1 if the attacker names exactly the truth.
#
# An hour in which a person is nowhere also counts here, as a visit to an extra place called "nowhere". How much does this matter? We count the real visits of the members in the 168 hours of the last week, and suppose that the attacker names "nowhere" in every hour:

# %%
from lib.audit import localization

located, _ = localization.split_users(games)  # the members of the attacked release
hours_of_week = 168
hour_of_cell = np.arange(group.matrix.shape[1]) % group.n_epochs
in_last_week = hour_of_cell >= group.n_epochs - hours_of_week
real_visits = group.matrix[located][:, in_last_week].sum(axis=1).mean()
print(f"real visits of a member in the last week: {real_visits:.1f} on average")

# One place is named per hour, so both shares of the F1 score are equal, and the error
# is the share of hours in which "nowhere" is wrong
print(f"error of naming nowhere in every hour: {real_visits / hours_of_week:.3f}")

# %% [markdown]
# This error is small although no real visit is named. The next table therefore shows two numbers for all members: the error, and the share of the real visits that are named. The last line repeats the gain of the audit.

# %%
from lib.papers.audit import illustrations

plots.show_table(illustrations.named_visits(games).round(4), "named-visits")

localized = localization.max_roi(games)
of_members, of_controls = localized.members.mean(), localized.controls.mean()
print(f"gain of members {of_members:.2f}, of controls {of_controls:.2f}")

# %% [markdown]
# MAX_ROI reduces the error of the prior from 0.018 to 0.008. The gain of 0.56 is this reduction as a share of the prior's error. Both errors are small mainly because people are nowhere in most hours, and "nowhere" is easy to name. In terms of real visits, the prior names 82 of 100, presumably because flight numbers repeat every week, and MAX_ROI names 95. So the counts reveal most of the visits that habits alone do not reveal. On the controls the gain is $-2.00$, because the attack treats the controls as if they had been counted, and assigns them to places where other people were counted. For the controls, a guess from their habits alone would be better.
#
# The counts do not help BAYES significantly. With MAX_USER and joint profiles, the counts make the attacker's error larger than that of the prior alone. Presumably these two attacks rely too much on the counts where the prior is already good. We did not test this.
#
# An attacker who knows everybody else's records recovers nearly all steps: the F1 score is 0.98. Two releases that differ by one person even reveal all visits of that person, as in the [example](audit-six) of Ada.
#
# The gain of the attacker who knows everybody else's records is nevertheless only 0.26, because the F1 score of the baseline, the usual place of each hour, is already high: about $0.98 - 0.26 = 0.72$. On the controls, the gain is $-0.64$. The controls were not counted, so no visits are left after the records of everybody else are subtracted. The attack therefore misses visits that a guess from habits would have named. Joint trajectories have no significant gain.
#
# The last line of the output is about *unicity*. Unicity is not an attack on the counts. It is measured on the records from which the counts were made, and these records are not published. It states how many people are unique in the records if one, two or four of their visits are known.
#
# (audit-all)=
# ## Which release withstands which attacker?
#
# (audit-verdict)=
# ### How is a verdict reached?
#
# The tables of the following sections state a **verdict** on each release. There are four verdicts.
#
# - *Fail*: there is an attack with plausible knowledge for which the lower end of the interval of some measure reaches the threshold of this measure. The thresholds of attacks on membership are in the last column of the [table of measures](audit-measures). An attack on membership is considered only if its controls are at chance level. For other attacks, the threshold is a gain of a tenth, which is also our choice. A positive gain of the controls is subtracted from the gain of the members, and a negative one is ignored. A release also fails if hidden counts above 0 are recovered exactly from totals, or if a [lower bound](audit-epsilon) on $\varepsilon$ exceeds the value that is declared for the same unit. (Fourier perturbation declares an $\varepsilon$ of 1 for a person at one place. A bound for a whole person is compared with $\sqrt{107}$, or about 10.3, the largest $\varepsilon$ of a person that this allows.)
# - *Guaranteed*: the release does not fail, and it guarantees an $\varepsilon$ of at most 1, with $\delta$ at most 0.00001, for everything that a person does in the whole period.
# - *Review*: the release neither fails nor is guaranteed, but at least one of four conditions holds. First, some attack is significantly better than its baseline. Second, the controls of an attack are not at chance level. Third, the nominal $\varepsilon$ is for one person at one place, as in Fourier perturbation, and a bound shows that the $\varepsilon$ of the whole person is larger. (A reader may mistake such an $\varepsilon$ for that of the whole person. A guarantee for a visit or for a day, in contrast, makes it clear that its unit is smaller than a person.) Fourth, the audit is not complete, which does not happen on this page.
# - *None succeeded*: no attack that was run was significantly better than its baseline, but no such guarantee is given. This verdict never means "safe". It can even be given where an attack is certain about a few people, because the rule compares the share of all members who are identified with the share that a guess identifies. [One release](audit-up-to-15) is such a case.
#
# These rules use the *lower end* of an interval, and intervals are wide if there are few targets. A small audit therefore favours the publisher. Each verdict on this page is computed in a single division of the people into controls, reference people and pool, and the intervals do not account for this choice. The use of the lower end is a choice, and so is the threshold of one in ten. The section on [the deciding attacks](audit-deciding) shows how the verdicts change with both choices.
#
# (audit-rule)=
# We apply the rule for attacks on membership to one release by hand: counts with event-level noise (F). The audits of all eleven releases were computed once and saved. These *stored results* have one row for each attack and measure. In them, "TPR at 1.0% FPR" is the share identified.

# %%
from lib.audit.attacks import ATTACKS

stored = experiments.audit_releases.stored("flights-by-number")
noisy_rows = stored[
    (stored["release"] == "event-epsilon-1") & (stored["part"] == "attack")
]
limits = {
    "AUC": 0.75,
    "AUC, full size": 0.75,
    "TPR at 1.0% FPR": 0.1,
    "TPR at 1.0% FPR, full size": 0.1,
    "TPR at 1.0% FPR, most exposed tenth": 0.5,
}
plausible = [attack.id for attack in ATTACKS if attack.threat.plausible]


def makes_it_fail(row, limits, plausible=plausible):  # the three conditions of the rule
    is_plausible = row["attack"] in plausible
    at_chance = row["control low"] <= 0.5 <= row["control high"]
    return is_plausible and at_chance and row["low"] >= limits[row["measure"]]


judged = noisy_rows[noisy_rows["measure"].isin(limits)]
fails = [makes_it_fail(row, limits) for row in judged.to_dict("records")]
print(f"{sum(fails)} of {len(fails)} measures make the release fail")

# %% [markdown]
# One measure that reaches its threshold is enough, so the release fails. The table shows the measures of three of the attacks.

# %% tags=["hide-input"]
three_attacks = [
    "sum-of-cells",
    "likelihood-ratio-others",
    "likelihood-ratio-some-others",
]
thresholds_of = judged["measure"].map(limits)
with_thresholds = judged.assign(threshold=thresholds_of, reached=fails)
plots.show_table(figures.judged_table(with_thresholds, three_attacks), "judged")

# %% [markdown]
# The sum reaches one threshold, that of the AUC in the simulated releases. The ratio with other people known reaches the thresholds of both AUCs. Its share identified is 0.132, but the lower end of the interval is 0.088, so this measure alone would not make the release fail. The ratio with 30% known reaches only the threshold of the AUC in the simulated releases.
#
# ```{admonition} Were the rules fixed before the results were known?
# Some of them were, and some were not. The dates below come from the version history of this project, which cannot show what we had tried before a rule was recorded.
#
# The thresholds for the simulated releases were recorded on 22 November 2026, and so were the rules about controls, recovered counts and lower bounds on $\varepsilon$. The first audits were stored later on the same day. These thresholds have not been changed since. Four changes were made on 25 November, after these first audits:
#
# - *The traces of everybody who may be counted* became a worst case. Until then, this knowledge was regarded as plausible. With the earlier rule, no further release would fail today.
# - *The thresholds at full size* were added. They are the same numbers as for the simulated releases. Three verdicts, all in the cab data, depend on them: without these thresholds, the three releases that hide small counts would not fail there.
# - *The verdict guaranteed* was added. Under the earlier rules, the two flight releases with noise for a whole person received other verdicts: *none succeeded* with Laplace noise, and *review* with Gaussian noise.
# - *The condition on a nominal $\varepsilon$* was added to *review*. It was written for Fourier perturbation, whose verdict would otherwise be *none succeeded*, because no attack on Fourier perturbation is significantly better than its baseline.
#
# The section on [the deciding attacks](audit-deciding) shows which verdicts the first two changes affect.
# ```
#
# (audit-review)=
# ### What does a review ask?
#
# *Review* is a warning, and does not say whether to publish. The rules cannot decide this. The person who is responsible for the publication must decide, together with the data protection officer. Four questions help them.
#
# 1. *Does the release serve its purpose?* If not, there is nothing to weigh against the risk, and the answer is no.
# 2. *Who could be the attacker behind the warning?* The reviewers ask whether somebody has the knowledge that the attack requires, or could get it. In the worst case, this knowledge is the records of nearly everybody. A company that supplied most of the records would have them.
# 3. *What else is published?* Totals, corrections and the next month's table can add to the risk.
# 4. *How large might the risk be?* The reviewers look at the upper end of the interval, and at how much the share identified varies with the choice of the people who are counted.
#
# The answer is yes only under three conditions. First, the release serves a stated purpose. Second, either nobody is likely to have the knowledge behind the warnings, or the risk at the upper end of the interval is acceptable. Third, nothing else is published that adds to the risk. Otherwise the release is changed and audited again, or it is not published. We [review](audit-our-review) the five flight releases with this verdict below, after their usefulness has been measured.
#
# (audit-identified)=
# ### How many members does each attacker identify?
#
# For five releases and each kind of knowledge, the next table shows how many of 100 members the best attack identifies. *Best* means the attack whose interval has the highest lower end, among those whose controls are at chance level. The folded table below it has the intervals and the other releases. An attack on few targets can have a higher estimate than the entry. For counts rounded to 5 (D), for example, the entry is the 13 [9, 17] of the independent ratio. The joint ratio identifies 15 in {numref}`fig-audit-map`, but it is run on only 48 targets, so its interval is wider and begins at a lower value. In all such tables, *42 [31, 53]* means that 42 of 100 members are identified, with the 95% interval from 31 to 53.

# %% tags=["hide-input"]
of_100 = figures.identified_table(rows, intervals=False)
plots.show_table(figures.in_words(of_100), "knowledge")

# %% tags=["hide-input", "hide-output"]
plots.show_table(figures.in_words(figures.identified_table(stored)), "knowledge-kept")

# %% [markdown]
# First compare the columns, for raw counts. The sum and the ratio use the same traces of other people, but the sum identifies 5 of 100 members and the ratio 42. So it matters a lot how an attacker uses these traces. With the traces of everybody who may be counted, the best attack is the *joint ratio*, which weighs all cells together. It identifies 97. Hardly anybody has these traces, so this attacker is a worst case and does not decide the verdict.
#
# Then compare the rows. An attacker with other people's traces identifies 42 of 100 members from raw counts, and 13 from counts with event-level noise of $\varepsilon = 1$. An attacker with everybody's traces still identifies 91 from counts with this noise, presumably because a flight number has many visits and each of them reveals a little.
#
# ```{note}
# Each column shows the best attack *that we ran* with this knowledge. In these tables, an attacker with more knowledge may therefore identify fewer people than an attacker with less. For example, only Knock-Knock makes use of past releases, and it is a weaker attack than the likelihood ratio. The same can happen with two versions of one attack. On event-level noise (F), the ratio with 30% known has an AUC of 0.78 at full size, and the ratio with other people known has an AUC of 0.87, although the first attacker knows everything that the second knows. So on this release at full size, our attack does not make good use of the additional knowledge.
# ```
#
# The figure shows the share identified for all eleven releases, attack by attack.

# %% mystnb={"figure": {"name": "fig-audit-map", "caption": "Members identified of 100, by attack (row) and release (column), at a false positive rate of 1%, where a guess identifies 1. From raw counts, the likelihood ratios identify many members: 42 and 45 with plausible knowledge, and most of them in the worst cases. In the worst cases, they also identify most members from counts with event-level noise. From rounded counts, only the attacker who knows everybody else does. Under noise for a day or a person, hardly any members are identified. The words above the columns name the unit for which a release declares its ε (*place*: a person at one place). The list below the columns names the releases and their verdicts. From C, at full size (not shown here), an attacker who knows everybody else identifies two people with certainty, although the verdict is *none succeeded*. Frames mark the attacks that make a release fail: solid if the lower end of the share's interval reaches 10 of 100, dashed if only an AUC, which is not shown here, reaches its threshold. × above a number: the controls are not at chance level, so the attack can only give a warning. Data: stored results of quick audits of 500 flights by number, 100 releases of about 175 people, 245 targets (48 for the joint ratio and for all others known, 12 where marked with *)."}, "image": {"alt": "A table of 12 attacks (rows) against eleven releases (columns) with the members identified of 100 written in each coloured cell, and a list of the releases and their verdicts below. The cells of six plausible attacks are framed for raw counts, two of them solid, and for event-level noise, all dashed. Eight rows of plausible attacks stand above four worst cases. Among the plausible attacks, only the two likelihood ratios on raw counts have a strong colour, 42 and 45. In the worst cases, the likelihood ratios have 55 to 100 on raw counts and on event-level noise, and the attacker who knows everybody else has 64 on rounded counts. All other cells are pale and hold 15 or less, most of them 0 to 3."}} tags=["hide-input"]
print("Stored results:", experiments.audit_releases.source("flights-by-number"))
figures.show_risks(stored)

# %% [markdown]
# Why is a small number framed, such as the 5 of 100 that the sum identifies from raw counts? The AUC of this attack, which is not in the figure, reaches its threshold. In the same way, event-level noise (F) fails because of AUCs, although no plausible attack identifies more than 13 of 100 members. Rounded counts (D) do not fail, although the attacker who knows everybody else's records identifies 64, because this attacker is a worst case.
#
# Why does this attacker succeed so often against rounded counts? The target's visit is visible wherever it moves a count to the next multiple of 5. An attacker with other people's traces identifies only 5 of 100 members.
#
# (audit-exposed)=
# ### Who is most exposed?
#
# A mean over all members can hide a few people who are at a much higher risk. The figure therefore compares all members with the most exposed tenth. This tenth is chosen by AUC, so it need not be the tenth that is identified most often.

# %% mystnb={"figure": {"name": "fig-audit-exposed", "caption": "Members identified of 100: all members (circles) and the most exposed tenth (squares), with 95% intervals. Where counts below 10 are hidden (B, E), the most exposed are identified several times as often as the average member. Elsewhere the two intervals overlap, so the comparison is inconclusive. The attacker of the upper panel also knows the usual sums of other people. The most exposed tenth is chosen by AUC, so it need not be the tenth that is identified most often (under F its estimate is lower than that of all members, but the intervals overlap). Where the lower end of the interval of the most exposed tenth reaches the dotted line, at 50 of 100, a release fails. No interval of the upper panel reaches it. The axis shows square roots, which spreads small numbers. Data: stored results of flights by number, releases of about 175 people."}, "image": {"alt": "Two panels with eleven releases each and two points for every release. For the target's visits, the most exposed tenth is at 13 of 100 in the two releases that hide counts below 10, against 2 for all members. For other people's traces, the same releases have 13 against 2, raw counts have 52 against 42 with a very wide interval, and event-level noise has 5 against 13. All other points are below 6."}} tags=["hide-input"]
figures.show_two_measures(
    stored,
    {experiments.FOUND: "all members", experiments.EXPOSED: "most exposed tenth"},
    {"her visits": 0.5, "other people": 0.5},
)

# %% tags=["hide-input", "hide-output"]
exposed_rates = figures.identified_table(stored, figures.EXPOSED)
plots.show_table(figures.in_words(exposed_rates), "exposed")

# %% [markdown]
# In several cases the estimate for the most exposed is *lower* than that for all targets, but the intervals overlap. The table shows four of these cases. How can it be lower?

# %% tags=["hide-input"]
chosen = [
    ("raw", "sum-of-cells"),
    ("round-5", "sum-of-cells"),
    ("event-epsilon-1", "sum-of-cells"),
    ("event-epsilon-1", "likelihood-ratio-others"),
]
plots.show_table(figures.exposed_table(stored, chosen), "exposed-auc")

# %% [markdown]
# We look at the scores of the sum on raw counts:

# %%
from lib.audit.measures import most_exposed  # the tenth with the highest AUC


def most_exposed_by_sum(games):
    shadow_sums = visits @ games.shadow.published
    return most_exposed(aucs(shadow_sums, games.shadow.members[games.targets]))


exposed = most_exposed_by_sum(games)
print(f"raw, sum, median score of the {len(exposed)} most exposed:")
for words, releases_of in (("without", ~inside), ("with", inside)):
    print(f"  {words} the target {np.median(score[exposed][releases_of[exposed]]):.1f}")
print(f"threshold {common_threshold:.0f}")

# %% [markdown]
# The most exposed are chosen by AUC, and their AUC is indeed higher than average. The share identified depends on something else: the scores of all targets are compared with one threshold. On raw counts, the scores of the most exposed are clearly higher in releases that count them than in releases that do not. But hardly any of these scores reaches the threshold of 105, which is set by the targets whose cells no reference person visits. The AUC and the share identified can therefore name different people as most at risk.
#
# For both attacks of the figure, the interval of the most exposed lies above that of all members only where counts below 10 are hidden (B and E). There, the sum identifies 2 of 100 members overall, and 13 of 100 [4, 22] among the most exposed tenth. Does this attacker need other people's traces? We repeat the attack with the sums as they are:

# %%
hiding_games = Game(group, parse("mds-k10"), seed, quick=True)
here = hiding_games.test.members[hiding_games.targets]
plain = visits @ hiding_games.test.published
at_risk = most_exposed_by_sum(hiding_games)
plain_threshold = np.quantile(plain[~here], 0.99)
rightly = (plain > plain_threshold) & here
of_each = rightly.sum(axis=1) / here.sum(axis=1)  # share identified of each target
print(
    f"sums as they are: threshold {plain_threshold:.0f},",
    f"identified {of_each.mean():.3f}",
)
print(f"identified of the most exposed tenth: {of_each[at_risk].mean():.3f}")

# %% [markdown]
# These shares, 2 and 13 of 100, are the same as in the figure. So this attacker needs nothing but the target's visits and a threshold, which we grant to every attack. In releases that do not count the target, at least 99 of 100 sums are 0, and the threshold is therefore 0. Any published count in a target's cells exceeds it.
#
# Who are the most exposed? In a cell whose count is always hidden, a visit cannot be seen. The code below shows that no cell is published in all of the shadow releases. A visit can therefore be seen only in a cell whose count is published in some releases and hidden in others. We count the targets with a visit in a cell that is published now and then, that is, in more than 5% and less than 95% of the shadow releases.

# %%
often = (games.shadow.raw >= 10).mean(axis=1)  # how often each cell would be published
now_and_then = visits @ ((often > 0.05) & (often < 0.95))
near = now_and_then > 0
print(f"cells published in all shadow releases: {(often == 1).sum()}")
print(
    "targets with a visit in a cell published now and then:",
    f"{near.sum()} of {len(near)}",
)
print(f"correct identifications: {rightly[near].sum()} of {rightly.sum()} are of them")
print(f"most exposed targets among them: {near[at_risk].sum()} of {len(at_risk)}")

# %% [markdown]
# Hiding small counts protects most people by not publishing their visits at all. In releases of this size, the few people with visits in counts near the threshold of 10 carry most of the risk. Of the 245 targets, 22 have such visits. They account for 167 of the 203 correct identifications, and 21 of the 25 most exposed are among them.
#
# (audit-full-size)=
# ### Does the size of the release matter?
#
# Does a larger release conceal its members better? It depends on how counts are published. The next table shows how many of 100 members an attacker with other people's traces identifies, in releases of about 175 people and in one of 400. Here each of the smaller releases has its own threshold, as the larger one does. For this reason the shares differ from those above, where one threshold serves 100 releases: for event-level noise (F) they are larger than the 13 of 100 in {numref}`fig-audit-map`. We divided the people into controls, reference people and pool in five ways. Each entry shows the smallest and the largest share in these divisions. The cab data are among the [other data](audit-other-data) of the next section.

# %% tags=["hide-input"]
from lib.papers.audit import size_experiments as by_size

by_division, cabs_by_division = (
    by_size.size_table(by_size.sizes.stored(data))
    for data in ("flights-by-number", "cabspotting")
)
two_sizes = {"flights-by-number": by_division, "cabspotting": cabs_by_division}
plots.show_table(figures.sizes_table(two_sizes), "size-summary")

# %% [markdown]
# In three of the four rows, fewer members are identified at full size, in every division. The exception is the release of flights that hides counts below 10. There, the smaller releases publish next to nothing, so there is little to attack. The rest of this section first examines an attacker who knows everybody else's records, and then shows how the table comes about. On a first reading, you can skip to the [other data](audit-other-data).
#
# A simulated release counts only half of the pool. We therefore also measure some attacks *at full size*, with the two measures of the [table above](audit-measures).
#
# The release at full size counts 400 people, namely the pool and the controls. Since this release counts the controls as well, nobody is left to serve as a control. Two checks replace the controls. First, the threshold is set from the scores *without* the target, which are scores of true non-members. Second, the rules of the [verdict](audit-verdict) also require here that the controls of the same attack are at chance level in the simulated releases.
#
# Raw, hidden or rounded counts give one score without the target for each of the 245 targets, or for each of 48 if the attacker knows everybody else. One per cent of 245 is less than three, so at most 2 of 245 scores may exceed the threshold. Of 48 scores, none may. With noise there are ten times as many scores, because noise is drawn ten times for each target. So the false positive rate of 1% is only an approximation at full size. The scores belong to targets of one and the same group, and are not independent.
#
# Are 48 scores enough to set such a threshold? For raw, hidden and rounded counts, an attacker who knows everybody else's records does not need to estimate a threshold. Nothing in these releases is random, so this attacker can compute the table that would be published *without* the target. If the target was not counted, the published table is equal to this one. If the two tables differ, the target must have been counted. This attacker therefore never identifies a non-member, as long as what they know about the others is exact. The whole attack is one comparison of two tables. We run it on counts below 10 hidden. If the published table changes when a target is left out, this target is identified:

# %%
few = hiding_games.sample(48)  # the targets on which the audit runs this attack
counts_of_400 = hiding_games.full_counts


def suppress(counts, smallest_published):  # what is published
    return np.where(counts >= smallest_published, counts, 0)


def are_revealed(smallest_published):  # leave out one target after the other
    with_all = suppress(counts_of_400, smallest_published)
    return [
        (with_all != suppress(counts_of_400 - trace, smallest_published)).any()
        for trace in group.matrix[few].toarray()
    ]


below_10 = are_revealed(smallest_published=10)
print(f"below 10 hidden: {sum(below_10)} of {len(below_10)} targets are identified")

# %% [markdown]
# In the library, the same attack takes the form of a likelihood ratio. Its score can exceed 0 only if the target was counted. We compare its results in the smaller releases with those at full size, for five divisions of the 500 people into controls, reference people and pool. The first division is the one used in the code above.

# %% tags=["hide-input"]
from lib.audit.membership import informed_likelihood_ratio

informed = informed_likelihood_ratio(hiding_games, few)
are_members = hiding_games.test.members[few]
false_scores = informed.test[~are_members]
above_0 = ((informed.test > 0) & are_members).sum(axis=1) / are_members.sum(axis=1)
print(f"smaller releases: {above_0.mean():.3f} of the members identified,", end=" ")
print(f"{(false_scores > 0).sum()} of {false_scores.size:,} false identifications")
print("full size, five divisions of the 500 people:")
for division in range(5):  # who is a control, a reference person or a target
    divided = Game(group, parse("mds-k10"), seed + division, quick=True)
    at_once = informed_likelihood_ratio(divided, divided.sample(48)).full
    share = (at_once.with_target > 0).mean()
    print(f"  {share:.3f}, {(at_once.without > 0).sum()} false identifications")

# %% [markdown]
# No non-member is identified in the smaller releases or at full size, so the two shares may be compared. In the five divisions, each with 48 targets of its own, the share at full size lies between 44 and 60 of 100. Samples of 48 can vary that much by chance. (Here and below, all divisions are of the same 500 people or cabs. They are not independent repetitions.)
#
# The next figure compares the two sizes for all releases, with the people divided as in the audit (division 1).

# %% mystnb={"figure": {"name": "fig-audit-size", "caption": "Members identified of 100 in the simulated releases of about 175 people (circles) and in the release of 400 (squares), with 95% intervals. With other people's traces (upper panel), the estimate at full size is lower for counts with event-level noise (F), and higher for the releases that hide counts below 10 (B, E), but the intervals drawn here overlap. An attacker who knows everybody else (lower panel) identifies 1 of 100 from B and E in the smaller releases, and about half at full size. Where the lower end of an interval of the upper panel reaches the dotted line, at 10 of 100, a release fails. The axis shows square roots, which spreads small numbers. Fourier perturbation (J) was not evaluated at full size (*not run*)."}, "image": {"alt": "Two panels with eleven releases each and two points for every release. Upper panel: raw counts 42 and 36, event-level noise 13 and 6, counts below 10 hidden 2 and 7, all others at most 6. Lower panel: raw counts and event-level noise 100 at both sizes, counts below 10 hidden 1 and 50, the same with rounding 1 and 48, rounding alone 64 and 67, counts up to 15 hidden 0 and 4, all others at most 4."}} tags=["hide-input"]
full_found = f"{experiments.FOUND}, full size"
by_size_words = {experiments.FOUND: "about 175 people", full_found: "400 people"}
figures.show_two_measures(
    stored, by_size_words, {"other people": 0.1, "everybody else": None}
)

# %% tags=["hide-input", "hide-output"]
full = figures.identified_table(stored, full_found)
plots.show_table(figures.in_words(full), "full-size")

# %% [markdown]
# (audit-up-to-15)=
# An attack that is not significantly better than its baseline may still identify somebody. When counts of 15 or less are hidden (C), the attacker who knows everybody else identifies 4 of 100 members [0, 15] at full size. The interval contains the 1 of 100 of a guess, so by our rules the attack gives no warning. But by the argument above, this attacker is certain about every target whom they identify. How many are there?

# %%
up_to_15 = are_revealed(smallest_published=16)
print(f"up to 15 hidden: {sum(up_to_15)} of {len(up_to_15)} targets are identified")

# %% [markdown]
# For these two people, the published table reveals that they were counted. The verdict on this release is nevertheless *none succeeded*. Our rule compares the interval with the success of a guess, and this is the wrong test for an attack that never errs. We found this result after the rule had been fixed, and left the rule as it was. A reader should treat this release as if its verdict were *review*.
#
# Fourier perturbation was not evaluated at full size. For that evaluation, the audit redraws only the target's own cells for each target. Fourier noise is drawn jointly for all hours of a place, so this method cannot be used.
#
# A larger release may lower or raise the risk. The larger a count usually is, the less one more person changes its probability, as the ratio $k / \lambda$ showed. Larger counts should therefore conceal a person better. But where small counts are hidden, a larger release hides less, because fewer of its counts fall below the threshold of 10:

# %%
smaller = hiding_games.test
print(f"smaller: {smaller.published.sum() / smaller.raw.sum():.3f} of the visits")
visits_at_10_or_more = counts_of_400[counts_of_400 >= 10].sum()
print(f"full size: {visits_at_10_or_more / counts_of_400.sum():.3f} of the visits")

# %% [markdown]
# {numref}`fig-audit-size` agrees with both expectations. With event-level noise, where larger counts should conceal the target better, an attacker with other people's traces identifies fewer members at full size: 6 of 100 [1, 11] instead of 13 of 100 [9, 18] in the smaller releases. If counts below 10 are hidden, the larger release publishes more of the visits, and this attacker identifies more members: 7 of 100 [1, 12] instead of 2 of 100 [0, 3]. (These intervals are for one division of the people; in five divisions, the share at full size with counts below 10 hidden varies between 2 and 9 of 100.)
#
# The intervals that we just quoted overlap, and the comparison is not yet fair. In the smaller releases one threshold serves 100 different groups, whereas at full size there is only one group, and the threshold is computed from that group's own scores. A third evaluation, *own thresholds*, therefore takes each of the smaller releases by itself, and sets its threshold from the scores of the targets who are not in it. There is also only one group at full size, so we repeat all three evaluations in five divisions of the people. The next figure shows stored results; *own thresholds* is a mean over 100 releases.

# %% mystnb={"figure": {"name": "fig-audit-divisions", "caption": "Members identified of 100 with the traces of other people, on flight numbers, if 500 people are divided in five ways into controls, reference people and pool. With event-level noise (F), fewer members are identified at full size than in the smaller releases, in every division. With counts below 10 hidden (B), more are identified at full size in four of five divisions, but fewer than 10 of 100 in each. Each line is one division. Division 1, on which the audit was run, and division 5 are named, with their shares at full size; the others are grey. The lines only connect the results of one division. Left: all smaller releases share one threshold. Middle: each smaller release has its own threshold (mean over 100 releases); no verdict uses this evaluation. On the left and on the right, a release fails if the lower end of an interval reaches 10 of 100 (dotted line). Intervals are not drawn."}, "image": {"alt": "Two panels, event-level noise and counts below 10 hidden, with five lines each over three evaluations: smaller releases with one threshold, smaller releases with their own thresholds, and full size. In the first panel all lines peak in the middle and are lowest at full size. In the second panel all lines stay below the dotted line at 10 of 100."}} tags=["hide-input"]
evaluations = {
    "smaller, together": "175 people, one threshold",
    "smaller, each alone": "175 people, own thresholds",
    "full size": "400 people, full size",
}
by_division = by_division.rename(columns=evaluations)
figures.show_divisions(by_division, limit=0.1)

# %% tags=["hide-cell"]
plots.show_table(figures.in_words(by_division.round(3)), "size-divisions")

# %% tags=["hide-cell"]
# The first division, with 95% intervals of a difference over targets. They take the
# groups as given, and are not corrected for multiple comparisons.
noisy_games = Game(group, parse("event-epsilon-1"), seed, quick=True)
both_games = {"event-epsilon-1": noisy_games, "mds-k10": hiding_games}
plots.show_table(
    figures.in_words(illustrations.shares_by_size(both_games)), "size-first-division"
)

# %% [markdown]
# With event-level noise, the attacker identifies *more* members on average if each smaller release has its own threshold than if all share one. The choice of the threshold therefore cannot explain why fewer members are identified at full size, in all five divisions. There are two possible reasons, which we did not separate. Larger counts may conceal a person better. Or the same 100 reference people may be a poorer guide to the counts of 400 people than to those of 175. The attacker who knows everybody else needs no such guide, and identifies practically all members in the smaller releases, and all 48 targets at full size.
#
# If counts below 10 are hidden, the share is higher at full size in four of the five divisions. (For the first division, the second folded table has intervals of the difference between the two sizes. Neither contains 0, but they take the groups as given and are not corrected for multiple comparisons.) The likely reason is the share of visits that is published: next to nothing in the smaller releases, and 15% at full size. The effect is clearer for an attacker who knows everybody else. This attacker identifies 1 of 100 members [0, 3] in the smaller releases, but 50 of 100 [22, 78] at full size, and between 44 and 60 in the five divisions.
#
# The attacker with *other people's traces*, who is plausible, identifies 7 of 100 members [1, 12] at full size if counts below 10 are hidden. The lower end of the interval does not reach 10, so the release does not fail. This interval accounts for the choice of targets within one division of the people. It does not account for the differences between divisions: in the five divisions of {numref}`fig-audit-divisions`, the share ranges from 2 to 9 of 100.
#
# (audit-other-data)=
# ### Aircraft, cabs and riders
#
# How much a release protects depends on the data. We compare flight numbers with four other data sets: aircraft (flights by tail number), 500 cabs of San Francisco, the 171 [riders of shared bikes](kk-riders), who are people, and synthetic commuters (called *surrogate*). These results, too, were computed once and stored. Like all audits of this chapter, they are quick audits. Each audit uses 500 people, or all 171 in the case of the riders. The cabs are the only dense data set: counts of 10 or more contain nearly all of their visits.

# %%
other_data = ["flights-by-tail", "cabspotting", "valleybike", "commuters"]
elsewhere = [experiments.audit_releases.stored(each) for each in other_data]
all_data = pd.concat([stored, *elsewhere], ignore_index=True)
cab_rows = all_data[all_data["data"] == "cabspotting"]
print(*map(experiments.audit_releases.source, other_data), sep="\n")

# %% mystnb={"figure": {"name": "fig-audit-data", "caption": "Members identified of 100, by release (row) and data (column), in releases of about half of the pool. With other people's traces (upper panel), raw counts expose people in all five data sets. Under event-level noise, with one threshold for all releases, fewer flight numbers, cabs and riders are identified than aircraft and synthetic commuters (surrogate). For cabs this is an effect of that threshold ({numref}`fig-audit-divisions-cabs`). An attacker who knows everybody else (lower panel) identifies all attacked cabs even from the releases that hide small counts (B, C, E). On the other data, this attacker identifies at most 1 of 100 from these releases, with intervals that reach up to 16. Under noise for a day or a person, at most 8 of 100 are identified. Frames in the upper panel mark the releases that fail: a dashed frame if only measures at full size make the release fail (B, C and E for the cabs), and a solid frame otherwise. In a dashed frame, the number after the arrow is the share at full size. The rules use the lower ends of intervals and AUCs, which are not drawn: 13 of 100 (D, cabs) reaches the threshold with its lower end, 12 (D, riders) does not. F fails for the flights and for the riders because of AUCs alone. Raw counts of the riders fail because of AUCs and of the share that an attacker who also knows 30% of the others identifies."}, "image": {"alt": "Two tables of eleven releases against five data sets with the members identified of 100 in coloured cells. Upper table: raw counts 42, 100, 83, 27 and 100 for flight numbers, aircraft, cabs, riders and commuters; event-level noise 13, 81, 14, 15 and 100; rounding to 5 has 5, 26, 13, 12 and 27; hiding below 10 has 2, 1, 8 (35 at full size), 0 and 0. Lower table: raw counts 100 everywhere, event-level noise 100, 97, 100, 43 and 100, rounding 64, 97, 100, 25 and 100, and hiding 100 for the cabs and at most 1 elsewhere. Solid frames in the upper table: raw counts and event-level noise on all data, and rounding on aircraft, cabs and commuters. Dashed frames: the three releases that hide small counts, on the cabs."}} tags=["hide-input"]
figures.show_data(all_data, ["other people", "everybody else"])

# %% tags=["hide-input", "hide-output"]
plots.show_table(figures.in_words(figures.data_table(all_data, "other people")), "data")

# %% tags=["hide-input", "hide-output"]
worst = figures.data_table(all_data, "everybody else")
plots.show_table(figures.in_words(worst), "worst")

# %% [markdown]
# What remains useful? A planner may ask which places are visited most. We measure this by the Spearman rank correlation between the published and the true visits of the places. It is 1 if the order of the places is preserved, and 0 if nothing of it is left. The output below the table states the share of visits that remain if counts below 10 are hidden (B).

# %% tags=["hide-input"]
plots.show_table(figures.in_words(figures.order_table(all_data)), "data-order")
print(figures.visits_published(all_data[all_data["release"] == "mds-k10"]))
of_b = all_data[
    (all_data["release"] == "mds-k10") & (all_data["measure"] == "visits published")
]
riders_left = of_b.set_index("data").loc["valleybike", "value"]
print(f"Riders: {'no visit' if riders_left == 0 else 'some visits'} published.")

# %% [markdown]
# In the sparse data, noise for a day or for a person preserves little of the order of places. In the dense cab data it preserves more: the rank correlation is 0.85 with noise for a day. With Gaussian noise, which guarantees an $\varepsilon$ for a whole person, it is 0.64. So a guarantee for a whole person need not destroy the order of places if counts are large and the noise is Gaussian. With Laplace noise for the same $\varepsilon$, little of the order is left even there.
#
# Aircraft are much more exposed than flight numbers: from counts with event-level noise, an attacker with other people's traces identifies 81 of 100 aircraft, but only 13 of 100 flight numbers. The output below the table shows one difference between the two data sets. Counts of 10 or more contain only 8% of the aircraft's visits, but 25% of the flight numbers'. If counts are small, there may be too few other people to conceal the target.
#
# The size of the counts is not the whole explanation. Counts of 10 or more contain 98% of the cabs' visits, which should conceal a cab, and yet the attacker with other cabs' traces identifies 83 of 100 cabs from raw counts. Conversely, no count of the riders reaches 10, but only 27 of 100 riders [9, 44] are identified from raw counts. The number of visits of a person may matter as well, because each visit adds a little evidence. We tested none of these explanations.
#
# Whether hiding small counts helps depends on the size of the counts. In the riders' data, hiding counts below 10 leaves nothing. In the cab data, the same rule hides next to nothing if all 500 cabs are counted. From the simulated releases with counts below 10 hidden, an attacker with the traces of other cabs identifies only 8 of 100 cabs [7, 9]. The lower end would have to reach 10 of 100 for the release to fail. (This is with one threshold for all releases. With a threshold for each release, the attacker identifies at least 35 of 100 cabs, as {numref}`fig-audit-divisions-cabs` shows.) An attacker who knows everybody else's records identifies all cabs, but this attacker is a worst case and only gives a warning.
#
# The release at full size, which counts 400 of the cabs, decides the verdict. (The next two figures make the same comparison of sizes as the section above. On a first reading, you can skip to the [table of verdicts](audit-data-verdicts).)

# %% mystnb={"figure": {"name": "fig-audit-size-cabs", "caption": "Cabs identified of 100 with other cabs' traces, in releases of about 175 cabs (circles) and in the release of 400 (squares), with 95% intervals. At full size the share rises for the four releases that hide or round counts (B to E) and for event-level noise (F), and all five intervals lie to the right of the dotted line at 10 of 100, beyond which a plausible attack makes a release fail."}, "image": {"alt": "Eleven releases with two points each. At about 175 cabs: raw counts 83, and between 7 and 14 for the releases B to F. At 400 cabs: raw counts 71, and between 32 and 44 for B to F. The releases with noise for a day or a person are at 2 or less at both sizes."}} tags=["hide-input"]
figures.show_two_measures(cab_rows, by_size_words, {"other people": 0.1})

# %% tags=["hide-input", "hide-output"]
full_cabs = figures.identified_table(cab_rows, full_found)
plots.show_table(figures.in_words(full_cabs), "full-size-cabs")

# %% [markdown]
# With counts below 10 hidden, an attacker with the traces of other cabs identifies 35 of 100 cabs [24, 46] at full size. This attacker is plausible, and the lower end of the interval exceeds 10 of 100, so the release fails. An [exercise](audit-ex-deciding) lists the other attacks and measures that make it fail. The release that hides counts of 15 or less fails in the same way. Counts rounded to 5 already fail in the simulated releases, where this attacker identifies 13 of 100 cabs [11, 15].
#
# In five releases of the cabs (B to F), the share identified is clearly *higher* at full size than in the simulated releases with one threshold for all of them. One of them has event-level noise, which hides nothing, so hiding cannot be the whole reason. As with the flights, the two evaluations also differ in how the threshold is set, and so far we have looked only at one division of the 500 cabs. We repeat the three evaluations on the cabs, in five divisions:

# %% mystnb={"figure": {"name": "fig-audit-divisions-cabs", "caption": "Cabs identified of 100 with the traces of other cabs, if 500 cabs are divided in five ways. (In the titles and labels of this figure, *people* are cabs.) Every line peaks in the middle: one threshold for all smaller releases (left) hides most of what an attacker learns from a single dense release (middle). At full size (right) fewer cabs are identified than in the middle, and how many depends strongly on the division: with counts below 10 hidden (B), between 2 and 53 of 100. Lines, names and the dotted line are as in {numref}`fig-audit-divisions`, but the axis reaches further."}, "image": {"alt": "Two panels, event-level noise and counts below 10 hidden, with five lines each over three evaluations. All lines rise from below 16 of 100 on the left to between 35 and 91 in the middle, and fall to between 2 and 53 on the right; all but one point on the right are above the dotted line at 10 of 100."}} tags=["hide-input"]
cabs_by_division = cabs_by_division.rename(columns=evaluations)
figures.show_divisions(cabs_by_division, limit=0.1)

# %% tags=["hide-cell"]
plots.show_table(figures.in_words(cabs_by_division.round(3)), "size-divisions-cabs")

# %% [markdown]
# In the middle and at the right end of the figure, each release has its own threshold. There, the attacker with other cabs' traces identifies fewer cabs if 400 are counted. This holds in all five divisions, both with event-level noise and with small counts hidden. The possible reasons are the two that we named for the flights. An attacker who knows everybody else identifies all cabs from these two releases, whether 175 or 400 cabs are counted.
#
# A single threshold for all smaller releases (left) understates what an attacker learns from one release of dense counts. The scores are the same as in the middle, but one threshold serves 100 groups. When counts are dense, everybody's scores presumably shift together from one group to the next. A single threshold then has to accommodate the groups with the highest scores. An attacker who sees only one release does not have to allow for other groups. So three numbers for event-level noise in the first division do not contradict each other: 14 of 100 cabs are identified with one threshold, 87 with a threshold for each release, and 42 at full size. The last two numbers describe an attacker who sees only one release. The difference between the left and the right end of the figure therefore combines two effects: a separate threshold helps the attacker, and a larger release makes the attack harder. In the first four divisions the first effect is larger, and in the fifth the second is larger.
#
# The share at full size depends on the division. With counts below 10 hidden, it lies between 2 and 53 of 100. The interval 35 [24, 46] reflects only the choice of targets within one division. In the fifth division, the share identified at full size would not make the release fail. Yet if each smaller release has its own threshold, the same attacker identifies at least 35 of 100 cabs in every division. But the verdict does not rest on this attack alone: two other plausible attacks reach the threshold as well, and the AUC at full size of all three is above 0.75. We ran these two attacks, and measured the AUC, only in the first division.

# %% [markdown]
# (audit-data-verdicts)=
# Which verdicts depend on the data? Six releases have the same verdict on all five data sets, as the table below shows. Raw counts and event-level noise always fail, noise for a whole person is always guaranteed, and Fourier perturbation always has the verdict *review*. Against Google's process, no attack was significantly better than its baseline on any of the data sets. For the other five releases, which hide small counts, round, do both, or add noise for a day, the verdict depends on the data. In the riders' data, where no count reaches 10, no attack succeeded against the release that hides counts below 10. The same release fails in the cab data, where counts of 10 or more contain most visits.

# %% tags=["hide-input"]
verdict_rows = all_data[all_data["part"] == "verdict"]
by_data = verdict_rows.pivot(index="release", columns="data", values="measure")
by_data = by_data[["flights-by-number", *other_data]].replace("-", " ", regex=True)
plots.show_table(
    figures.in_words(by_data.loc[list(experiments.RELEASES)]), "data-verdicts"
)

# %% [markdown]
# (audit-forced)=
# ### How many hidden counts do totals force?
#
# If totals are published beside hidden counts, they can determine, or *force*, some of these counts, as in the example of the [six users](audit-six). How many do they force in a large table? We publish the counts of the 500 flight numbers for all four weeks, with the totals of places and hours beside them. Counts below 10 are hidden. We do this twice: once with zeros hidden as well, as in release B, and once with zeros published.

# %%
from lib.aggregation import aggregate
from lib.papers.audit import ranking_experiments as guessing

true_counts = aggregate(group, [np.arange(group.n_users)])[0].astype(int)
for zeros, smallest_hidden in guessing.LEAST.items():
    with_totals = guessing.publish(true_counts, smallest_hidden)
    follows = guessing.forced(with_totals)
    above_0 = with_totals.hidden & (true_counts > 0)
    print(f"{zeros}: {follows.sum():,} of {with_totals.hidden.sum():,} are forced;")
    print(f"  of those above 0, {(follows & above_0).sum():,} of {above_0.sum():,}")

# %% [markdown]
# If zeros are hidden, about a quarter of the hidden counts are forced, and all of them are zeros. None of the forced counts reveals a visit. They reveal that nobody was there, which can matter, as the example of the night tram shows. In the table of the six users, a hidden count could be at most 1, so three blanks that hide three people in all must each be 1. Here a hidden count can be as large as 9, and the same argument needs a total of 27.
#
# If zeros are published, the result is different, because an attacker knows that each hidden count is at least 1. The totals then force 2,308 of 9,768 hidden counts, which is nearly a quarter. By the rules of the [verdict](audit-verdict), a release fails if hidden counts above 0 are recovered. (None of the eleven releases publishes totals, so this rule decides no verdict on this page.) So zeros and totals must not both be published beside hidden counts.
#
# An attacker can also *guess* the counts that the totals do not force. The next chapter tests [how good such guesses are](audit-ranking), and how good guesses are without the release. It also lets [a machine search for attacks](audit-search), and asks what the attacks reveal about [real riders](audit-riders).

# %% [markdown]
# (audit-epsilon)=
# ## What epsilon guarantees, and what trials show
#
# (audit-trials)=
# ### A bound from many trials
#
# Does a mechanism give the guarantee that it declares? By the [definition](audit-releases-table), no test may say "in" more than $e^\varepsilon$ times as often when the unit is in the data as when it is not. This can be tested. We run the mechanism many times with the unit and many times without it, and count how often a test says "in".
#
# Consider one cell that contains either nobody or only the target. Laplace noise is added to its count. The test is fixed beforehand: it says "in" if the published count is at least 1. The two rates at which it says "in" are known only up to sampling error. We therefore use the lower confidence limit of the rate with the target, and the upper confidence limit of the rate without the target.

# %%
n, rng = 20_000, stream(seed, "clopper-pearson")
cell = rng.laplace(scale=1 / epsilon, size=(2, n))
without, with_target = (cell[0] >= 1).sum(), (cell[1] + 1 >= 1).sum()
high = stats.beta.ppf(0.975, without + 1, n - without)  # Clopper and Pearson
low = stats.beta.ppf(0.025, with_target, n - with_target + 1)
print(f"guaranteed: {epsilon:.3f}; epsilon is at least {np.log(low / high):.3f}")

perfect = stats.beta.ppf(0.025, n, 1) / stats.beta.ppf(0.975, 1, n)
print(f"a test that never errs would have shown {np.log(perfect):.3f}")

# %% [markdown]
# ````{prf:definition} Empirical epsilon
# :label: def-empirical
# A lower confidence bound on the true $\varepsilon$, computed from outputs of the mechanism. If it is computed from repeated trials, the empirical epsilon is the logarithm of a ratio: the lower limit of the true positive rate divided by the upper limit of the false positive rate. If it is computed from one run with guesses about many people, it is the smallest $\varepsilon$ under which the probability of at least this many correct guesses exceeds the allowed error probability. The **ceiling** of an empirical epsilon is the bound that a test without any error would give. The same number of trials, or of guesses, cannot show more than the ceiling.
# ````
#
# ### A bound from one run
#
# A single cell can be simulated thousands of times, but a whole release rarely can. {cite:t}`steinke2023` need only *one* run of the release. They include each of many people at random with probability one half, publish once, and guess who was included. If the release is $\varepsilon$-DP for a person, each guess is correct with probability at most $p = e^\varepsilon/(1 + e^\varepsilon)$.
#
# This does not make the number of correct guesses binomial, because all guesses concern the same release and depend on each other. A theorem of the same paper shows that a comparison with a binomial distribution is nevertheless valid. Consider $r$ guesses. The number of correct ones is stochastically dominated by the number of successes in $r$ independent trials with probability $p$. This means that the number of correct guesses is at most as likely as the number of successes to exceed any given value.
#
# Suppose we decide beforehand to make 90 guesses. What does the number of correct guesses say about $\varepsilon$? Under a given $\varepsilon$, we call a number of correct guesses *surprising* if the probability of at least that many is at most 5%. We list every $\varepsilon$ under which the number is not surprising, and take the smallest.

# %%
grid = np.arange(0, 8, 0.005)
chance = np.exp(grid) / (1 + np.exp(grid))
for right in (50, 60, 75, 88, 90):
    possible = stats.binom.sf(right - 1, 90, chance) > 0.05
    print(f"{right} of 90 right: epsilon is at least {grid[possible].min():.2f}")

# %% [markdown]
# One run with 90 guesses can never show more than 3.39. This is the ceiling of the run.
#
# ### What do trials show about the six noisy releases?
#
# The first two tables of this section compare the declared $\varepsilon$ with four lower bounds from trials. A third is about Fourier perturbation. These are stored results. The number in brackets after each bound is its ceiling. With 95% confidence, all bounds of a release hold at the same time. The four bounds are:
#
# - *With and without the unit*: the bound from many trials, as above. One input has all records, and the other lacks all visits of one unit. We choose the unit with the most visits in the records: a single visit, the busiest day of a person, or the person with the most visits.
# - *Many people in one cell*: either $k$ people are all in one cell, or none of them is. Their joint effect on that count is $k$ times that of one visit. An [exercise](audit-ex-proof) shows how the bound for $k$ people is converted to one for the unit, if the noise is independent from cell to cell. The ceiling is converted in the same way and can therefore be large.
# - *Difference of two hours*: again, either all $k$ people are in one cell or none of them is. The test looks at the difference between this count and the count of the same place at another hour. We include this test because it can detect an error that the other tests [can miss](audit-missed).
# - *One run*: the one-run bound above, with a person as the unit. The audit guesses the membership of about a fifth of its 245 targets. The 24 with the highest scores of the *independent ratio* are guessed to be members, and the 24 with the lowest scores to be non-members. Each of the four bounds may be wrong with a quarter of the error probability of 5%. The ceiling of 48 guesses is therefore lower than that of the 90 guesses in the example:

# %%
# The smallest p for which 48 correct guesses of 48 are not surprising
p_least = (0.05 / 4) ** (1 / 48)
print(f"ceiling of 48 guesses: {np.log(p_least / (1 - p_least)):.2f}")

# %% [markdown]
# The ceilings of the other tests depend on the number of trials. An audit runs 20,000 trials of the first test, with the unit and without it, and 200,000 of the second and of the third. (Fourier perturbation has fewer, because each of its trials takes longer.) Half of the trials choose the threshold of the test, and the other half give the bound. How large can a bound then be, if the test never errs?

# %%
for n_trials in (20_000, 200_000):
    half, error = n_trials // 2, 0.05 / 4 / 2  # of four bounds, at each of two ends
    ceiling = stats.beta.ppf(error, half, 1) / stats.beta.ppf(1 - error, 1, half)
    print(f"ceiling of {n_trials:,} trials: {np.log(ceiling):.2f}")
converted = np.log(ceiling) * 672 / 250
print(f"the second for a cap of 672, with 250 people in one cell: {converted:.1f}")

# %% [markdown]
# (audit-epsilon-table)=
# The tables show these ceilings wherever a bound rests on 20,000 or 200,000 trials and is not converted. (The bound of Fourier perturbation has fewer trials. The one-run bounds have the ceiling of their guesses, which is 2.33 instead of 2.35 for Gaussian noise, because the theorem then also allows for $\delta$.) We begin with the first two bounds of three releases:

# %% tags=["hide-input"]
bounds = figures.epsilon_table(stored)
with_laplace = ["event-epsilon-1", "user-day-epsilon-1", "user-epsilon-1"]
first_two = [
    "for",
    "ε declared",
    "with and without the unit",
    "many people in one cell",
]
plots.show_table(figures.in_words(bounds.loc[with_laplace, first_two]), "epsilon-first")

# %% [markdown]
# Each of these three releases declares an $\varepsilon$ of 1, and no bound exceeds it. The bound from *many people in one cell* comes close to the declared value. On this input, these releases therefore have hardly more noise than their guarantees need. The bound *with and without the unit* is close to 0 if the unit is a day or a person. This does not prove that less noise would be enough. The unit with the most visits in these records has far fewer visits than the cap allows. Its own $\varepsilon$ is therefore far below the declared one, but the guarantee has to hold for every possible unit.
#
# The second table has all four bounds of all six noisy releases:

# %% tags=["hide-input"]
plots.show_table(figures.in_words(bounds), "epsilon")

# %% [markdown]
# The dashes stand for bounds that do not exist. The noise of Fourier perturbation is not drawn cell by cell, so two of the tests do not apply to it. No bound exceeds the value that is declared for its unit. The one-run bound, in the last column, limits the $\varepsilon$ of a *person* from below, whatever the unit of the release. Compare it with 71,904 for F, with 28 for G and with 12.3 for K. Both bounds of J are for a person, so compare them with about 10.3.
#
# (audit-gaussian-bounds)=
# The ceilings of the first three tests that are not 7.59, 9.89 or 7.29 result from a conversion. Two of them, 26.6 and 48.9, are much higher than the number of trials alone would allow. The first is $9.89 \cdot 672 / 250 \approx 26.6$, because 250 people are put into the cell and the cap is 672. The second is converted through the curve of Gaussian noise. Both conversions assume something about the noise.
#
# ```{admonition} How are bounds for Gaussian noise converted?
# :class: dropdown
# For Gaussian noise, the audit converts the two error rates of a test to $\varepsilon$ through the trade-off curve of the normal distribution {cite:p}`nasr2023`. A trade-off curve gives, for each false positive rate, the smallest false negative rate that any test can have. Here the test must tell apart two normal distributions with the same variance and different means. Let $\mu$ be the difference of the means in standard deviations, and $\Phi$ the distribution function of the standard normal distribution. For every test, $\Phi^{-1}(\mathrm{TPR}) - \Phi^{-1}(\mathrm{FPR}) \le \mu$. The confidence limits of the two rates therefore bound $\mu$ from below, and $\varepsilon$ follows from $\mu$ and $\delta$. This conversion gives a higher bound than the definition of $(\varepsilon, \delta)$-DP alone.
# ```
#
# From one run of event-level noise, we learn that the $\varepsilon$ of a person is at least 2.35. This is the ceiling, so the run could not show more. The bound does not contradict the declared 1, which is for one visit, because a person has many visits.
#
# Fourier perturbation is different, because its $\varepsilon$ of 1 is declared for one person at one place. What is the $\varepsilon$ of a whole person? A guarantee for a whole person must hold for every possible person, and not only for those in the records. We therefore construct a person who visits many places. This person stays 7 hours at each of 96 places, one place after the other, for all 672 hours. The library tries every number of places for a person who stays equally long at each. It chooses 96, the number at which the exact $\varepsilon$ of this person is largest. We compare two inputs: one that contains this person, and one that does not. For these two inputs, the $\varepsilon$ need not be estimated from trials. It is computed exactly from the distribution of the noise, so the ceiling is the value itself.

# %% tags=["hide-input"]
plots.show_table(figures.fourier_table(stored), "epsilon-fourier")

# %% [markdown]
# The $\varepsilon$ of a whole person is therefore at least 3.93, which is more than the nominal 1. It is at most $\sqrt{107}$, or about 10.3, by the bound [above](audit-releases). For the person with the most visits in the records, the same computation gives an $\varepsilon$ of only 0.031. But the guarantee has to hold for the possible person as well. The largest bound from trials is 0.253. This bound is for a different constructed person, who stays at one place.
#
# ### Does the audit detect too little noise?
#
# A bound above the declared value is an alarm, because it shows that the noise is not what was declared. We test whether the alarm works on a release whose noise protects a whole person, with the right scale of noise, with half of it and with a quarter. The release counts at most 672 visits of a person, so the right scale is $672 / \varepsilon$. With so much noise, a single person has hardly any effect on one cell. We therefore put 672 people into it.

# %%
cap = parse("user-epsilon-1").plan(group).cap  # visits of one person that are counted
n, rng = 200_000, stream(seed, "weak noise")
for factor in (1, 0.5, 0.25):
    without, with_crowd = rng.laplace(scale=factor * cap / epsilon, size=(2, n))
    above = (without >= cap).sum(), (with_crowd + cap >= cap).sum()
    high = stats.beta.ppf(0.975, above[0] + 1, n - above[0])
    low = stats.beta.ppf(0.025, above[1], n - above[1] + 1)
    print(f"{factor:4} of the scale: epsilon is at least {np.log(low / high):.2f}")

# %% [markdown]
# At half and at a quarter of the scale, the bound exceeds the declared 1. The audit runs a similar test with at most half of the people in one cell. It chooses the best threshold of the test from the first half of the trials. The last column shows that it detects both wrong scales and accepts the right one:

# %% tags=["hide-input"]
weakened = experiments.weakened_noise(group, epsilon, [1, 0.5, 0.25], 200_000, seed)
plots.show_table(weakened, "weakened")

# %% [markdown]
# (audit-missed)=
# ### Can a test miss an error?
#
# The scale is only one of many things that can be wrong. Suppose that noise is drawn once for a place and used for all its hours. Each count then has the right noise, so a test of one hour finds nothing wrong. A test can instead look at the difference between the counts of two hours. What does it show if the target is in the first of them? (The counts are rounded to six digits; an [exercise](audit-ex-digits) explains why.)

# %%
from lib.audit.measures import clopper_pearson_epsilon

n, rng = 50_000, stream(seed, "reused noise")


def publish(counts, n_drawn):  # 2: noise for each hour; 1: the same noise for both
    noise = rng.laplace(scale=1 / epsilon, size=(n, n_drawn))
    # Digits beyond the sixth could leak the count
    return (np.array(counts) + noise).round(6)


for words, n_drawn in (("one for each hour", 2), ("one for both hours", 1)):
    without, with_target = publish([0, 0], n_drawn), publish([1, 0], n_drawn)
    one_hour = clopper_pearson_epsilon(without[:, 0], with_target[:, 0])
    both = clopper_pearson_epsilon(without @ [1, -1], with_target @ [1, -1])
    print(
        f"{words}: one hour at least {one_hour.lower:.2f}, two hours {both.lower:.2f}"
    )

# %% [markdown]
# Noise that is used twice cancels in the difference, and the target is identified with certainty. With correct noise, the bound from the difference of two hours is smaller than the bound from one hour (0.68 and 0.94), because the difference contains the noise of two counts. So neither test replaces the other: only the difference detects noise that is used twice, and the single hour gives the higher bound if the noise is correct. A test reveals only the errors that it looks for, and the audit therefore runs several tests. We planted six bugs. Each of them is detected by one of the bounds in the next table, and correct noise raises no alarm (`tests/audit/test_planted_bugs.py`). Two bugs are detected by a bound that needs no trials. It takes the unit with the most visits in the records, and computes its $\varepsilon$ from the distribution of the noise, as in the table for Fourier perturbation.
#
# | bug | the bound that detects it |
# |---|---|
# | noise with half the scale | many people in one cell |
# | noise reused for several hours | difference of two hours |
# | one random seed for all releases | many people in one cell |
# | forgotten cap on visits | largest unit in the records, computed exactly |
# | two noises, each with the whole $\delta$ instead of half of it | largest unit in the records, computed exactly |
# | Fourier coefficients that are not normalised | one person at one place |

# %% [markdown]
# (audit-use)=
# ## Risk against usefulness
#
# Which of these releases are useful, and at what risk? The quality of counts is often measured by their mean relative error (counts of 0 are taken as 1). What is this error if you publish 0 everywhere? Guess before you look.

# %%
from lib.audit import usefulness

day = (group.epochs - group.epochs[0]).days.to_numpy()
nothing = usefulness.measure_usefulness(
    true_counts, 0 * true_counts, group.epochs.hour, day
)
print(f"counts of 0:                             {(true_counts == 0).mean():.3f}")
print(f"mean relative error of zeros everywhere: {nothing['MRE']['value']:.3f}")

# %% [markdown]
# Most counts are 0, so publishing zeros is nearly right. By this measure, hiding counts below 10 is hardly better than publishing nothing, and user-day-level noise is far worse. Because most counts are 0, the mean relative error under strong noise is nearly the mean *absolute* error of a count. We therefore use the rank correlation of places as well. The next table shows both measures and the [verdict](audit-verdict). It also shows the published visits as a share of the true visits; noise can make this share larger than 1 or even negative.
#
# The usefulness in this table is measured on releases of all 500 people. The attacks behind the verdicts were run on smaller releases: most on releases of about 175 people, and some on the release of 400.

# %% tags=["hide-input"]
compared = ["other people", "everybody else"]
use = figures.risk_and_use_table(stored, compared)
share_published = stored[stored["measure"] == "visits published"]["value"].to_numpy()
use.insert(3, "visits published", share_published.round(3))
plots.show_table(figures.in_words(use.iloc[:, :4]), "use")

# %% [markdown]
# Does the difference between 400 and 500 people matter? It may matter for releases that hide or round counts. We therefore measure the usefulness of the releases B to E on 400 people as well. The order of places is preserved if the places with more visits also have more published visits:

# %% tags=["hide-input"]
table_of_400 = hiding_games.full_counts.reshape(true_counts.shape)
nearest_5 = 5 * np.rint(table_of_400 / 5)
published_of_400 = {
    "mds-k10": np.where(table_of_400 >= 10, table_of_400, 0),
    "flowkit-15": np.where(table_of_400 > 15, table_of_400, 0),
    "round-5": nearest_5,
    "suppress-10-round-5": np.where(table_of_400 >= 10, nearest_5, 0),
}
visits_of_places = table_of_400.sum(axis=1)
use_of_400 = {}
for preset, counts_shown in published_of_400.items():
    visits_shown = counts_shown.sum(axis=1)
    order = 0.0  # where all places have as many visits, there is no order
    if min(np.ptp(visits_of_places), np.ptp(visits_shown)) > 0:
        order = stats.spearmanr(visits_of_places, visits_shown).statistic
    share = visits_shown.sum() / visits_of_places.sum()
    use_of_400[preset] = order
    print(f"400 people, {figures.RELEASES[preset]}: ", end="")
    print(f"rank correlation {order:.3f}, visits published {share:.3f}")

# %% [markdown]
# With counts below 10 suppressed (B), the order of places is preserved equally badly at both sizes. With counts of 15 or less suppressed (C), less of the order is preserved for 400 people: the rank correlation is 0.165 instead of 0.29. The share of visits that is published depends strongly on the size: release B publishes 0.2% of the visits in releases of about 175 people, 15% for 400 people, and 25% for 500. If we compared the risks of the small releases with the usefulness of the large one, hiding small counts would look better than it is. For this reason the figure below shows the risks at full size, for 400 people, and the usefulness of B to E at the same size. We could not attack a release of all 500, because the reference people must not be counted in a release that is attacked. The risk of such a release may be larger.

# %% [markdown]
# (audit-purposes)=
# Counts are published for a purpose, and a release can serve one purpose and not another. We consider three. A *planner* wants to know the busiest places. A *timetable* needs the busiest hour of each place. An *operator* wants the total of each place on each day. The first two columns of the next table give the shares of the busiest places and of the busiest hours that are found. The last column is the median relative error of a daily total, over all totals that are not 0. The last row shows what zeros everywhere would achieve.

# %% tags=["hide-input"]
purposes = figures.in_words(figures.purposes_table(stored, nothing))
daily = {"error of a daily total": "median error of a daily total"}
plots.show_table(purposes.rename(columns=daily), "purposes")

# %% [markdown]
# Event-level noise preserves the busiest places (0.97) and most of the busiest hours (0.63), but the median error of a daily total is larger than the total itself. In counts rounded to 5, a planner finds 8 of the 10 busiest places, but the other two purposes are hardly served. Hiding small counts loses at least half of the daily totals that are not 0, because their median error is 1, the error of publishing zeros. No release except the raw counts serves the operator. (For releases with noise, the values are means over 20 draws.)

# %% mystnb={"figure": {"name": "fig-audit-use", "caption": "Share of members identified by the best attack with each knowledge, against the rank correlation of places by visits. No release lies in the shaded corner (order at least 0.8, at most 0.1 identified) of both panels. F lies in it in the upper panel only, with an interval that reaches slightly beyond it, and F fails because of AUCs, which are not drawn. Rings mark the two releases whose verdict is *fail*. Event-level noise (F) preserves the order of places and gives some protection from an attacker with other people's traces, but none from one who knows everybody else. Suppressing counts below 10 (B, E) preserves little of the order, and an attacker who knows everybody else still identifies half of the members. Bars are 95% intervals; the dotted line is chance level, 0.01. The vertical axis is logarithmic, and anything below 0.005 is drawn at 0.005, with an arrow. B and E have the same rank correlation, and are drawn side by side. The shift of a mark is at most 0.02. Data: stored results of flights by number; the share identified is that at full size, from a release of 400 people (for J, whose mark is hollow, from releases of about 175). The rank correlation is that of the release of 400 people for B to E, and that of a release of all 500 people for the others."}, "image": {"alt": "Two panels, for an attacker who knows other people's traces and one who knows everybody else: share identified against rank correlation of places. Raw counts are highest and to the right in both panels. Event-level noise is low in the first panel and at the top of the second. In the first panel rounding is low and in the middle. In the second panel rounding and the two releases that hide counts below 10 are high as well, at 0.48 to 0.67. Everything else is at the lower left."}} tags=["hide-input"]
only_smaller = stored["release"] == "fpa-epsilon-1"  # was not run at full size
at_full_size = stored[(stored["measure"] != experiments.FOUND) | only_smaller]
at_full_size = at_full_size.replace({"measure": {full_found: experiments.FOUND}})
order_rows = at_full_size["measure"] == experiments.ORDER
for preset, order in use_of_400.items():
    its_order = order_rows & (at_full_size["release"] == preset)
    at_full_size.loc[its_order, "value"] = order
figures.show_risk_and_use(at_full_size, compared, smaller=["fpa-epsilon-1"])

# %% [markdown]
# Event-level noise (F) lies in the shaded corner of the upper panel. Is it both safe and useful? It is not. It fails because the AUC of an attacker with other people's traces reaches the threshold, as the section on [the rule](audit-rule) showed. In the smaller releases, the same attacker identifies 13 of 100 members. In the lower panel, an attacker who knows everybody else's records identifies practically all members. The corner shows the estimate of one measure at one size, whereas a verdict considers all measures. The intervals of the figure are those of {numref}`fig-audit-size`.
#
# In the interactive figure you choose what the attacker knows, whether all members or the most exposed tenth are shown, and the size of the attacked releases. It opens with the release of 400 people, like the figure above. The usefulness is always that of releases of all 500 people. If you choose releases of about 175 people, hiding small counts looks too favourable, because in such small releases this rule hides nearly everything. In its menu, *the target's visits* means the attack that compares the sum of the target's cells with the sums of reference people.
#
# ```{raw} html
# :file: static/audit.html
# ```
#
# A defense that makes one task impossible may leave another possible. The next chapter asks [which defense leaves which task](audit-tasks) to an analyst.
#
# (audit-deciding)=
# ### Which attack or bound decides?
#
# For each release, the table lists the verdict, the number of attacks that make it fail, and the number that give a warning. It also names the strongest plausible and the strongest worst-case attack on membership, and the share of members that each of them identifies. The strongest attack is the one whose share identified has the highest lower end, at either size. (For raw counts, the attacker who knows everybody else's records identifies all 48 targets on which the attack is run. All 48 values are identical, so the interval is [widened](audit-measures) and begins at 84. The *joint ratio* is run on 48 targets as well. It identifies fewer members, but its interval begins at 91.) We consider only attacks that are significantly better than their baseline in at least one measure, and leave out attacks that also succeed on the controls. The last column is the AUC of the simplest attack, the sum.

# %% tags=["hide-input"]
plots.show_table(figures.in_words(figures.verdicts_table(stored)), "verdicts")

# %% [markdown]
# Shares are given as the number identified of 100 members. Warnings do not change the verdict *guaranteed*, because an $\varepsilon$ of 1 allows an attack to be a little better than a guess: five attacks on Gaussian noise (I) give a warning. We go through the four verdicts.
#
# *Fail*: raw counts and event-level noise have this verdict. For both of them, the AUC of the simple sum is above 0.75. Seven attacks make raw counts fail, and six make event-level noise fail. The output below names them. MAX_ROI is one of the seven. Raw counts would also fail without it.

# %% tags=["hide-input"]
print(figures.deciding_attacks(stored, "raw"))
print(figures.deciding_attacks(stored, "event-epsilon-1"))

# %% [markdown]
# *Review*: five releases have this verdict. Four of them have it because some attacks are significantly better than a guess: counts below 10 hidden, counts rounded to 5, both together, and noise for a day. Fourier perturbation has it for another reason. No attack on it succeeds, but its nominal $\varepsilon$ of 1 is for one place, and for a possible person who visits many places the $\varepsilon$ is at least 3.93, as the table in [the section on trials](audit-epsilon) shows.
#
# *Guaranteed*: the two releases with user-level noise have this verdict. What does their $\varepsilon$ of 1 allow? At a given false positive rate, the true positive rate is at most $e$ times as large. The largest AUC is $e / (1 + e)$, the area under the highest curve with $\mathrm{TPR} \le e\, \mathrm{FPR}$ and $1 - \mathrm{FPR} \le e\, (1 - \mathrm{TPR})$, which follow from the two rules of the [definition](audit-releases-table). (The $\delta$ of 0.00001 of Gaussian noise hardly changes it.)

# %%
for fpr in (0.01, 0.1):
    print(
        f"{fpr:.0%} false positives: at most {100 * fpr * np.exp(1):.1f} of 100 identified"
    )
print(f"largest AUC: {np.exp(1) / (1 + np.exp(1)):.3f}")

on_gaussian = stored[stored["release"] == "gaussian-user-epsilon-1"]
its_sum = on_gaussian.query("attack == 'sum-of-cells' and measure == 'AUC'").iloc[0]
print(
    f"AUC of the sum on Gaussian noise: {its_sum['value']:.3f}",
    f"[{its_sum['low']:.3f}, {its_sum['high']:.3f}]",
)

# %% [markdown]
# An attacker who wrongly identifies at most 1 of 100 others can identify at most about 2.7 of 100 members, and one who accepts 10 wrong identifications of 100 at most about 27. Against Gaussian noise, the sum has an AUC of 0.515 [0.503, 0.527]. This is significantly above 0.5, but far below 0.731, the largest AUC that the guarantee allows.
#
# The limit of 0.731 holds for every mechanism with an $\varepsilon$ of 1. For this release we also know the distribution of the noise, which gives a tighter upper limit. The standard deviation of the noise is about 97, and one person changes the counts by at most $\sqrt{672}$ in Euclidean length. Even an attacker who knows everybody else's records must therefore tell apart two normal distributions whose means differ by at most $\mu = \sqrt{672} / 97$ standard deviations. By the [trade-off curve](audit-gaussian-bounds) of the normal distribution, no AUC can exceed $\Phi(\mu / \sqrt 2)$. So no attack on this release can rank more than 58 of 100 pairs correctly, or identify more than 2 of 100 members at a false positive rate of 1%.
#
# Gaussian noise is also more accurate. At the same $\varepsilon$, and with a small $\delta$, the error of a count is about a ninth of that under Laplace noise. The error of a daily total is about a tenth.
#
# *None succeeded*: two releases have this verdict, counts of 15 or less hidden and Google's process. (From the first of them, at full size, an attacker who knows everybody else's records nevertheless identifies [two people with certainty](audit-up-to-15).) Both publish next to nothing here: 3% and 0.3% of the visits. Google's process is made for regions of many thousands of people, and not for hourly counts of 500 flight numbers.
#
# Do the verdicts depend on what we call plausible? We look at every release that fails, on all five data sets. Suppose that three kinds of knowledge are worst cases instead: the visits of 30% of the others, earlier releases, and where everybody was in the weeks before. Which releases still fail?

# %%
from lib.papers.audit.verdict_rules import failing_releases

n_verdicts = (all_data["part"] == "verdict").sum()
print(f"{len(failing_releases(all_data))} of {n_verdicts} releases fail")
for attack in ("sum-of-cells", "likelihood-ratio-others", "place-max-roi"):
    failing_by_it = failing_releases(all_data, attacks=[attack])
    print(f"  {len(failing_by_it)} of them because of {figures.NAMES[attack]}")

# %% [markdown]
# The ratio with *other people known* would by itself make all 16 of these releases fail. It needs the target's visits and the traces of other people. So no verdict *fail* would change if the other three kinds of knowledge became worst cases. MAX_ROI makes two releases fail, and both fail without it, too.
#
# Does the attacker need the traces of other people at all? The sum, which needs the target's visits and the usual sums of other people, would also make all 16 releases fail by itself. By which of its measures? We apply `makes_it_fail` from [above](audit-rule) to the rows of the sum, with one measure at a time.


# %%
def releases_that_fail(rows, limits, plausible=plausible):
    judged_rows = rows[rows["measure"].isin(limits)].to_dict("records")
    failing_rows = [row for row in judged_rows if makes_it_fail(row, limits, plausible)]
    return {(row["data"], row["release"]) for row in failing_rows}


of_sum = all_data[all_data["attack"] == "sum-of-cells"]
by_its_auc = releases_that_fail(of_sum, {"AUC": 0.75})
print("by the AUC of the sum at about 175 people:", *sorted(by_its_auc), sep="\n  ")
by_any_measure = releases_that_fail(of_sum, limits)
print("by other measures of the sum:", *sorted(by_any_measure - by_its_auc), sep="\n  ")
of_sum_on_cabs = of_sum[of_sum["data"] == "cabspotting"]
for measure, limit in (("AUC, full size", 0.81), ("TPR at 1.0% FPR, full size", 0.1)):
    on_cabs = releases_that_fail(of_sum_on_cabs, {measure: limit})
    print(f"cabs, {measure}, lower end at least {limit}: {len(on_cabs)}")

# %% [markdown]
# For ten releases, the AUC of the sum in the simulated releases is enough for the verdict *fail*. The comparison with reference people does not change this AUC, so these ten releases would fail even if the attacker used the plain sums. But the AUC only says that the sums with and without the target differ. To decide about a single release, an attacker must know roughly which sum is usual. The other six are the failing releases of the cabs. The sum makes them fail by its share identified and by its AUC, both at full size. The lower ends of these AUCs are all at least 0.81. Both measures compare different targets, so the attacker must know what is usual for the cells of each. We did not test an attacker without this knowledge.
#
# Which verdicts depend on the first two changes to the [rules](audit-rule)? We apply the rule without the thresholds at full size, and then with everybody's traces as plausible knowledge:

# %%
before = releases_that_fail(all_data, limits)
simulated = {words: limits[words] for words in limits if "full size" not in words}
by_simulated = releases_that_fail(all_data, simulated)
print("fail only at full size:", *sorted(before - by_simulated), sep="\n  ")

with_all_traces = [
    attack.id for attack in ATTACKS if attack.threat.knowledge.name == "crowd"
]
now = releases_that_fail(all_data, limits, plausible + with_all_traces)
print("fail if everybody's traces are plausible:", len(now - before), "more")

of_library = (
    failing_releases(all_data),
    failing_releases(all_data, also_plausible=["crowd"]),
)
print("the library's rule finds the same releases:", of_library == (before, now))

# %% [markdown]
# Three releases of the cabs fail only because thresholds at full size were added. If everybody's traces were still plausible knowledge, no further release would fail.
#
# Do the verdicts depend on the threshold, or on the use of the lower end? Consider counts below 10 hidden: at full size, the plausible attacker identifies 7 of 100 members [1, 12], and the verdict is *review*. We apply the rule again with three thresholds of the share identified: 5%, 10% and 20%. Each time, we first use the lower end of the interval and then the estimate. The other thresholds, such as the AUC of 0.75, stay as they are for the moment. An attack must still be significantly better than its baseline in at least one measure.

# %% tags=["hide-input"]
print(illustrations.changed_verdicts(all_data, (0.05, 0.1, 0.2)))

# %% [markdown]
# With the lower end, the choice of the threshold for the *share* hardly matters. At 5% one more release fails, and at 20% the same releases fail as at 10%. For the flights, event-level noise still fails at 20%, because the AUC of several attacks is above 0.75. So for this release the threshold of the *AUC* decides. We vary it as well. The rule still uses the lower end, and the other thresholds keep their values. The code does this for the attacks on membership and two thresholds. The table has more thresholds, and considers all attacks.

# %%
for auc in (0.75, 0.7):  # other values can be tried here
    now = releases_that_fail(all_data, limits | {"AUC": auc, "AUC, full size": auc})
    print(f"threshold {auc:.2f}: {len(now)} releases fail, new: {sorted(now - before)}")

# %% tags=["hide-input"]
of_aucs = illustrations.failing_by_auc(all_data, (0.6, 0.65, 0.7, 0.75, 0.8, 0.85))
plots.show_table(of_aucs, "auc-thresholds")

# %% [markdown]
# Two choices matter. With a threshold of 0.70, counts rounded to 5 fail for the flights as well. This would rule out the only release with the verdict *review* that serves a planner. Without the AUC, event-level noise would fail neither for the flights nor for the riders. A high AUC says that scores with a target tend to exceed scores without. It does not say that an attacker identifies many members and is rarely wrong. Readers who care only about identification may therefore read the verdict on event-level noise as *review*.
#
# The use of the lower end matters most if the threshold of the share is low. With the estimate, rounding to 5 fails for the riders at every share, even at 20%. At 5% and at 10%, the estimated share identified is enough: an attacker with other people's traces identifies 12 of 100 riders. At 20%, two other measures decide. Both are measures of the attacker who knows 30% of the other people:

# %% tags=["hide-input"]
some_known = all_data.query(
    "data == 'valleybike' and release == 'round-5'"
    " and attack == 'likelihood-ratio-some-others'"
).set_index("measure")["value"]
print(f"AUC at full size {some_known['AUC, full size']:.3f}")
print(f"identified of the most exposed tenth {some_known[experiments.EXPOSED]:.3f}")

# %% [markdown]
# The AUC at full size is above its threshold of 0.75, and the share of the most exposed is just above one half. If a release failed as soon as the estimated share identified reached 5%, six verdicts would change from *review* to *fail*. One of them is the verdict on hiding counts below 10 for the flights. So a publisher who regards 5 of 100 as too many should not rely on the verdict *review* of an audit of this size.
#
# (audit-our-review)=
# ### How does our review end?
#
# Five releases of the flights have the verdict *review*. We ask the [four questions](audit-review), first about release B, with counts below 10 suppressed.
#
# 1. *Purpose.* In this release, 4 of the 10 busiest places and 8% of the busiest hours can be found. At least half of the daily totals above 0 are lost. So the release serves none of our three purposes.
# 2. *Attacker.* An attacker who knows everybody else's records causes the strongest warning. Whether such a person exists depends on who supplied the records.
# 3. *What else is published.* In the [debate](audit-debate) below, the transport office wants only these counts, whereas a journalist asks for last year's as well. The office of the [memo](audit-ex-memo) also asks for totals. If zeros are published as well, these totals make the release fail.
# 4. *Size of the risk.* At full size, the plausible attacker identifies 7 of 100 members [1, 12], and between 2 and 9 in five divisions. The attacker who knows everybody else identifies 50 of 100 [22, 78], and between 44 and 60 in five divisions. We do not know the risk of a release of all 500 people.
#
# The first question decides. Our review of release B ends in *no*. An office with another purpose would have to answer the second and the fourth question itself.
#
# Of the other four releases, three are no better than release B for our purposes: noise for a day, Fourier perturbation, and counts below 10 hidden with the others rounded. They show no more of the busiest places than release B, and the busiest hours and the daily totals are lost as well. For our three purposes, their reviews end in *no*, too. Only counts rounded to 5 serve a planner, who finds 8 of the 10 busiest places in them. For this release the second question decides: an attacker who knows everybody else's records identifies 67 of 100 members [41, 93] at full size. We would publish these counts only if nobody could have such knowledge and nothing else were published beside them. On three of the other four data sets, this release fails.
#
# (audit-safe)=
# ## What would have to be true for these counts to be safe?
#
# We call counts both safe and useful only if they meet four conditions:
#
# - a guarantee for a *whole person*, with a public cap on visits;
# - noise that is drawn in whole numbers, so that no [digits reveal the count](audit-ex-digits), and an implementation that is checked;
# - a rule that everything else that is published (totals, corrections, next month's counts) is either computed from the noisy counts or counted towards the same total $\varepsilon$ (the *privacy budget*);
# - counts that are large compared with the noise.
#
# (audit-needed)=
# How many people does the last condition require? Give each visit the count of its cell, sort these numbers, and take the middle one. This is the *count at the median visit*: half of all visits belong to counts at least as large. We require the scale of the noise, which is the cap divided by $\varepsilon$, to be at most a tenth of this count. The tenth is a convention. At the median visit, the typical noise is then about 10% of the count, and for half of all visits it is 10% or less.
#
# We count each person at most once per place and period, and set the cap to the number of such visits that the median person has. (In a real release the cap must not depend on the records.) Noise is added to the counts that are left after the cap. We therefore first drop the visits above the cap, at random, and then take the count at the median visit:


# %%
def count_at_median_visit(people, cap, rng):
    capped = experiments.limit_visits(people, cap, rng)  # drop visits above the cap
    counts = aggregate(capped, [np.arange(people.n_users)])[0].ravel().astype(int)
    return np.median(np.repeat(counts, counts))  # a visit has the count of its cell


def median_counts(people, period, n_draws=20):
    joined = experiments.join_epochs(people, period)  # once per place and period
    cap = round(np.median(joined.visits()))
    draws = [stream(seed, "needed", period, draw) for draw in range(n_draws)]
    return cap, [count_at_median_visit(joined, cap, rng) for rng in draws]


# %% [markdown]
# Which visits are dropped is random, so we draw them 20 times. The table shows the smallest and the largest result:


# %%
def between(values):
    ends = sorted({round(min(values)), round(max(values))})
    return " to ".join(str(end) for end in ends)


in_hours = {"epoch": "hour"}
caps, needed = {}, {}
for period in ("epoch", "day", "week", "whole period"):
    caps[period], drawn = median_counts(group, period)
    wanted = 10 * caps[period] / epsilon  # ten times the scale of the noise
    needed[in_hours.get(period, period)] = {
        "cap": caps[period],
        "count that is wanted": round(wanted),
        "count at the median visit": between(drawn),
        "people needed": between([n_users * wanted / count for count in drawn]),
    }
needed = pd.DataFrame(needed).T.rename_axis("counted for each")
plots.show_table(needed, "needed")

# %% [markdown]
# We have 500 people. For hourly counts, more than 160 times this number would be needed, because a count of 490 is wanted and the count at the median visit is 3. For one count of the whole period, 500 people are enough. The numbers are rough. The hourly count is a small whole number: if it were 4, a quarter fewer people would be needed. The daily count depends strongly on which visits the cap drops, presumably because few visits have a daily count between 22 and 73. A small change then moves the median across this gap.
#
# The numbers of people assume that counts grow in proportion to people: twice as many people give counts twice as large. But if new people also visit other places and other hours, counts grow more slowly. To see how far the assumption holds, we take fewer flight numbers, and then all 1,054 in the data. The cap of each set is again that of its median person. The table shows the caps in brackets. They hardly differ between the four sets, so the growth is not due to different caps.

# %%
everybody = populations[name]
growth = {}
for n_people in (n_users // 4, n_users // 2, n_users, everybody.n_users):
    sample = experiments.sample_group(everybody, n_people, seed)
    counts_of_periods = {}
    for period in caps:
        its_cap, drawn = median_counts(sample, period)
        in_words = in_hours.get(period, period)
        counts_of_periods[in_words] = f"{between(drawn)} (cap {its_cap})"
    growth[sample.n_users] = counts_of_periods
plots.show_table(pd.DataFrame(growth).T.rename_axis("people"), "growth")

# %% [markdown]
# Weekly and whole-period counts grow roughly in proportion to people, up to all 1,054 flight numbers: they double from 500 to 1,054. Hourly counts grow from 3 to 5; growth in proportion would have given 6. But the count includes the visitor, it is a small whole number, and we drew each set of flight numbers only once. So the data neither confirm nor refute that hourly counts grow in proportion to people. The 81,667 people of the table are therefore an extrapolation.
#
# There is a further limit. The smaller sets are random samples of the 1,054 flight numbers, so every set, whatever its size, contains flights of the same kind. The check cannot show how counts grow if people of another kind are added.
#
# (audit-weekly)=
# ### Does publishing less often help?
#
# Counts for a week or for the whole period look like a solution. But the eleven releases above are all hourly, so nothing is known yet about attacks on counts of longer periods. We therefore attack such counts here.
#
# We publish one count per place and week. Each person counts at most once per place and week, and at most 8 times in total. (In a real release this cap would have to be public and must not be derived from the records.)

# %%
cap, rng = 8, stream(seed, "weekly")
weeks = experiments.join_epochs(group, "week")  # once per person, place and week
capped = experiments.limit_visits(weeks, cap, rng)  # at most 8 visits, drawn at random
weekly = aggregate(capped, [np.arange(group.n_users)])[0]
published_weekly = weekly + rng.laplace(scale=cap / epsilon, size=weekly.shape)

ascending = weekly.sum(axis=1).argsort()  # places, from the fewest visits to the most
middle = ascending[len(ascending) // 2]
for words, place in (("busiest", ascending[-1]), ("median", middle)):
    with_noise = published_weekly[place].round()
    print(f"{words} place: {weekly[place]}, published {with_noise}")

# %% [markdown]
# The strongest attacker knows everybody else's records, and even which visits are left after the cap, and subtracts them. For a target with 8 visits, eight noisy values are left. Each of them is noise plus 1 if the target was counted, and noise alone if not. The attacker adds up the log-likelihood ratios of these eight values:


# %%
def strongest_attack(cap, epsilon, rng, n_trials=200_000):
    evidence = []
    for counted in (0, 1):  # without the target, then with it
        left = counted + rng.laplace(scale=cap / epsilon, size=(n_trials, cap))
        log_ratios = (np.abs(left) - np.abs(left - 1)) * epsilon / cap
        ties = 1e-7 * rng.random(n_trials)  # equal scores are ordered at random
        evidence.append(log_ratios.sum(axis=1).round(6) + ties)
    without, with_target = evidence
    return (with_target > np.quantile(without, 0.99)).mean()


print(f"weekly counts, cap {cap}: {strongest_attack(cap, epsilon, rng):.3f} identified")
print(f"at most, by the guarantee: {0.01 * np.exp(epsilon):.3f}")

# %% [markdown]
# No attacker can do better than this one. By the Neyman-Pearson lemma, of all tests with a given false positive rate, the one that compares the likelihood ratio with a threshold has the highest true positive rate. An attacker who knows less cannot do better than one who knows more. Targets with fewer than 8 visits reveal less.
#
# (audit-less-often)=
# How does the success of this attack depend on the length of the period? The attack depends only on the cap, so we call the function with the four caps from above. Predict before you look: is the attack stronger with 49 hourly counts or with two counts of the whole period?

# %%
for period, most in zip(needed.index, caps.values(), strict=True):
    identified = strongest_attack(most, epsilon, rng)
    print(f"{period}, cap {most}: {identified:.3f} identified")

# %% [markdown]
# For the next table, we repeat the attack with new random numbers, add intervals, and measure what the counts are good for. The column *order of places* is the Spearman rank correlation of the places, as above. The last column is the relative error of a place's total, at the median place.

# %%
less_often = experiments.publish_less_often(group, caps, epsilon, seed)
error_column = {"error of a place's total": "median error of a place's total"}
less_often = less_often.rename(index=in_hours, columns=error_column)
plots.show_table(less_often, "less-often")

# %% [markdown]
# The result is consistent with the guarantee. At a false positive rate of 1%, an $\varepsilon$ of 1 allows an attack to identify about 2.7 of 100 members, and in no row does the attack identify significantly more. But the attack comes closer to this bound as periods get longer. The share of members that it identifies is 0.014 [0.012, 0.015] with daily counts, and 0.026 [0.024, 0.028] with counts of the whole period. Why?
#
# The guarantee adds up the strongest evidence that each single count can give. Under Laplace noise, each count contributes at most $\varepsilon$ divided by the cap, so each of 8 weekly counts contributes at most $\varepsilon / 8$. It contributes this maximum if the noisy count, minus the number of other people, is at least 1. The total evidence reaches $\varepsilon$ only if this holds for all counts of the target at once. If the target was counted, each of these noisy counts, minus the number of other people, is at least 1 with probability one half.

# %%
print("share of the releases in which all counts of the target are at least 1")
for period, most in zip(needed.index, caps.values(), strict=True):
    all_above = 0.5**most
    without_target = all_above * np.exp(-epsilon)
    print(
        f"{period}, {most} counts: {all_above:.4f} with the target,",
        f"{without_target:.4f} without",
    )

# %% [markdown]
# With two counts, the strongest evidence is common. Even without the target, it occurs in more than 1% of the releases. An attacker at a false positive rate of 1% can therefore rely on it alone, and identifies the full 2.7 of 100 members that the guarantee allows. The bound from sequential composition is then attained. With eight counts, the strongest evidence occurs in fewer than 1% of the releases without the target. The attacker must then also accept weaker evidence. With 48 counts, the strongest evidence practically never occurs, and the bound from composition is far above what the attack achieves. So with the same $\varepsilon$, the strongest attack identifies more members, not fewer, when fewer counts are published. It still stays within the limit that the guarantee sets.
#
# Counts of longer periods are more useful. With hourly or daily counts, publishing zeros would give more accurate totals for most places. With weekly counts, 7 of the 10 busiest places are found, but the totals of half of the places are off by at least 0.72 of their value. With counts of the whole period, about 8 of the 10 are found, and half of the totals are off by at least 0.31 of their value. So publishing less often helps to compare large places, but does not give a precise total for each place. This does not contradict the condition above, which is about the count at the median *visit*, because most visits are at a few large places:

# %%
by_place = np.sort(weekly.sum(axis=1))  # weekly visits of each place, as above
at_busiest = by_place[-10:].sum() / by_place.sum()
print(f"visits at the 10 busiest of {len(by_place)} places: {at_busiest:.2f}")
print(f"weekly count of the median place: {np.median(weekly.mean(axis=1)):.0f}")

# %% [markdown]
# The 10 busiest places have 63 of 100 of these weekly visits, whereas the median *place* is small.
#
# ```{note}
# What this does not show. The caps in the table are those of the median person, so they depend on the records. The caps of a real release must not. The intervals account for two sources of chance: the trials of the attack and the draws of the noise. They do not account for the random choice of the visits that the cap keeps, which we drew only once. Weekly counts cannot replace hourly ones, because they cannot answer any question about hours or days. And 2.7 of 100 is a bound at a false positive rate of 1%, for one publication of these weeks. If the next month is published as well, its $\varepsilon$ is added to that of this month.
# ```
#
# ## How do I audit my own records?
#
# `python -m lib audit RECORDS.csv --release RELEASE.yml` runs the attacks of this chapter on a file of `user,time,zone` or `user,time,lat,lon`, and writes a report. `RELEASE.yml` contains either the line `preset: mds-k10` or a list of mechanisms, written as in the example of the six users. The command `python -m lib audit --list` prints the names of all presets and mechanisms. The report is one page in plain words, followed by all numbers: <a href="../_static/audit-mds-k10.html">here is the report on `mds-k10`</a>, for all flight numbers. [](publish.md) explains how to decide with it. The numbers in this report are larger than those in this chapter: 47% of the visits are published, instead of 25%. The report counts all flight numbers and the chapter only 500 of them, so fewer counts fall below 10 in the report.
#
# An audit tests only the attacks that it runs. It does not test attacks that nobody has thought of, or attackers with other data. It does not consider people who travel together, or what is published next.
#
# ## Take-aways
#
# - The result of an attack is a finding only together with its threat model, its baseline and its control. The AUC of 1 of *Knock-Knock, same groups* came from recognising groups, as its controls show. The AUC of 1 of *ratio, all others known* cannot be explained in this way, because its controls are at chance level.
# - A value of $\varepsilon$ means nothing until its unit is stated. If $\varepsilon$ is 1 for a visit, an attacker with other people's traces identifies 13 of 100 members, and an attacker who knows everybody else's records identifies practically all of them. If $\varepsilon$ is 1 for a person's day, each of these attackers identifies 2 of 100. If it is 1 for a person, each identifies 1 of 100, which is about the success of a guess. (These numbers are for the simulated releases.)
# - Hiding small counts guarantees nothing, and published totals can undo the hiding. If counts below 10 are hidden, only 25% of the visits are still published if all 500 flight numbers are counted, and 15% if 400 are counted. An attacker who knows everybody else still identifies 24 of 48 targets at full size, and never identifies a non-member as long as this knowledge is exact. The larger the counts, the less is hidden.
# - An empirical bound can detect noise whose scale is half of what it should be. No empirical bound proves that a guarantee holds.
# - None of the eleven hourly releases of the flights is both safe from these attacks and useful. Event-level noise comes closest in {numref}`fig-audit-use`: it preserves most of the order of places, and at full size an attacker with other people's traces identifies only 6 of 100 members. But this attacker's AUC makes the release fail, and an attacker who knows everybody else identifies practically all members.
# - For eight of the releases (all except raw counts, event-level noise and rounding to 5), no attack that we ran on the simulated releases identifies more than 3 of 100 members on average. For attacks on 12 targets the intervals are wide and reach up to 51 of 100. Of the most exposed tenth, up to 13 of 100 are identified.
# - At full size, some of these eight releases carry a larger risk. With counts below 10 hidden, a plausible attacker identifies 7 of 100 members [1, 12], and between 2 and 9 in five divisions of the people. An attacker who knows everybody else identifies 50 of 100 [22, 78], and between 44 and 60 in five divisions.
# - None of the eight is useful. None preserves the order of places: the rank correlation is 0.29 at most. None of them shows more than 4 of the 10 busiest places, and for daily totals each has a median error at least as large as that of publishing zeros everywhere. And the guarantee of user-day-level noise is for one day: its $\varepsilon$ is spent again every day.
# - If we publish less often, with a public cap and noise for a whole person, the strongest attack stays within the guarantee of 2.7 of 100 members. With counts of the whole period it comes close to this bound. Such a release allows a comparison of large places, because about 8 of the 10 busiest can be found. But it loses all information about hours.
# - The verdict *review* is a warning, and does not say whether to publish. A person decides, and asks first what the counts are for.
# - How often an attacker is wrong depends on the base rate. An attacker whose suspects were mostly counted is wrong least often.
#
# (audit-debate)=
# ## A debate for class
#
# The debate takes half an hour and has four roles. It is about a transport office that wants to publish hourly counts and nothing else, and to hide all counts below 10.
#
# - **The office** says that everybody publishes in this way, and that riders gain from it.
# - **A rider** takes the first train every day, and is alone at the stop.
# - **A planner** needs the counts of rarely used stops, which would be hidden.
# - **A journalist** asks for last year's counts as well.
#
# Each role has five minutes to prepare, with nothing but this page, and two minutes to speak. Then the class votes. The choices are raw counts, counts below 10 hidden, user-day-level noise, weekly counts with a cap of 8 and noise for a whole person, or no publication. Before the vote, each role names *one number* on this page that could change their mind if it were different.

# %% [markdown]
# ## Exercises
#
# ```{exercise} When is half of a list wrong? (★, 5 minutes, on paper)
# :label: audit-ex-base
# An attack wrongly identifies 1 of 100 people who were not counted. It identifies 42, 7 or 2 of 100 members. For each of the three, find the base rate at which half of the flagged people were never counted. Which attacker would work with a list like that?
# ```
#
# ````{solution-start} audit-ex-base
# :class: dropdown
# ````

# %%
for identified in (0.42, 0.07, 0.02):
    base = 0.01 / (0.01 + identified)
    print(f"{identified:.0%} identified: half are wrong at a base rate of {base:.1%}")

# %% [markdown]
# Let $b$ be the base rate and $t$ the share identified. Of all people considered, a share of $b\,t$ is rightly flagged, and a share of $0.01\,(1 - b)$ is wrongly flagged. The two are equal if $b = 0.01 / (0.01 + t)$.
#
# *Learned:* the weaker the attack, the shorter the list of candidates has to be. An attack that identifies 2 of 100 members needs a list of which a third was counted, such as an employer might have. The attack that identifies 42 can search a crowd of which only one in 43 was counted.
#
# ````{solution-end}
# ````
#
# ```{exercise} Read an interval (★, 5 minutes, on paper)
# :label: audit-ex-interval
# The folded table below {numref}`fig-audit-exposed` has two entries for past releases: 15 [0, 100] for raw counts, and 5 [0, 100] for counts rounded to 5. Each entry says how many of 100 members are identified, for the most exposed tenth of the targets. Knock-Knock, the attack of this column, is run on 12 targets. How many people are the most exposed tenth? What may you say about them? A colleague writes: "People at high risk are identified three times as often from raw counts (15 of 100) as from counts rounded to 5 (5 of 100)." Answer in one sentence, without code.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-interval
# :class: dropdown
# ````

# %%
print(f"a tenth of 12 targets, rounded up: {np.ceil(12 / 10):.0f} people")
past_groups = "knock-knock-different-groups"  # the id of Knock-Knock, past groups
for release in ("raw", "round-5"):
    entry = stored[
        (stored["release"] == release) & (stored["measure"] == experiments.EXPOSED)
    ]
    entry = entry.set_index("attack").loc[past_groups, ["value", "low", "high"]]
    entry = 100 * entry.astype(float)
    print(f"{release}: {entry['value']:.0f} [{entry['low']:.0f}, {entry['high']:.0f}]")

# %% [markdown]
# The most exposed tenth is two people. So 15 of 100 is the mean of two shares. Each of them belongs to one of the two people: among the releases that count this person, it is the share in which the person was identified. It says nothing about other people, and the interval reaches from 0 to 100. An answer to the colleague: "Each of the two numbers is about two people, and both intervals reach from 0 to 100, so the comparison is inconclusive."
#
# *Learned:* before you read a percentage, ask how many people it is about. An interval that contains every possible value means that the audit has not measured this risk.
#
# ````{solution-end}
# ````
#
# ```{exercise} What do the controls say? (★, 10 minutes, first on paper)
# :label: audit-ex-controls
# An attack has a mean AUC of 0.8 on the members. On 50 controls, who are in no release, its mean AUC is 0.78, with the interval from 0.74 to 0.82. What may be reported? Then take the sum. The code [above](audit-controls) gives each control the random labels of `games.test`, the releases that are attacked. Which AUC do you expect if the labels are taken from `games.shadow` instead, and `control_sums` stay the same? Compute it.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-controls
# :class: dropdown
# ````

# %%
invented_aucs = {"members": 0.80, "controls": 0.78, "ends": (0.74, 0.82)}
low_end, high_end = invented_aucs["ends"]
print("invented controls at chance level:", low_end <= 0.5 <= high_end)
for words, labelled in (("attacked", games.test), ("shadow", games.shadow)):
    random_labels = labelled.members[games.controls]
    mean_auc = np.nanmean(aucs(control_sums, random_labels))
    print(f"controls, labels of the {words} releases: mean AUC {mean_auc:.3f}")

# %% [markdown]
# The interval of the controls does not contain 0.5. So the attack learned the labels in a way that has nothing to do with being counted, and its AUC on the members is no evidence of membership inference. The difference of the two AUCs must not be reported as its success either, because we do not know how much of both has the same cause. We must find out how the attack learned the labels, as with *Knock-Knock, same groups*.
#
# With the labels of the shadow releases, the AUC of the sum is again 0.5 up to chance, because neither set of labels had any influence on the attacked releases. An AUC far from 0.5 would show an error in the audit.
#
# *Learned:* an attack on membership must fail on people who were never counted. If it does not, its success on members says nothing about who was counted.
#
# ````{solution-end}
# ````
#
# ```{exercise} Two by two (★, 15 minutes, first on paper)
# :label: audit-ex-totals
# A table has two places and two hours. All four counts are below 3 and are hidden, but the totals are published. Let $x$ be the count of the first place in the first hour. Express the other three counts in terms of $x$ and the totals. For which values of $x$ are all four counts between 0 and 2? Predict: which of the following two tables can be recovered, and what are its counts? (1) The totals are 2 and 2 by place, and 1 and 3 by hour. (2) They are 1 and 3 in both directions. Then turn your argument into a rule for any totals, and compare it with `small_counts.recover` on all 81 tables.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-totals
# :class: dropdown
# ````
#
# Let $p_1, p_2$ be the totals of the places and $h_1, h_2$ those of the hours. The other counts are $p_1 - x$, $h_1 - x$ and $p_2 - h_1 + x$. All four lie between 0 and 2 exactly if $x$ is at least the largest of $0$, $p_1 - 2$, $h_1 - 2$ and $h_1 - p_2$, and at most the smallest of $2$, $p_1$, $h_1$ and $2 - p_2 + h_1$. The code checks whether this range contains more than one whole number.

# %%
from itertools import product

agree, open_tables = 0, 0
for table in product(range(3), repeat=4):
    counts = np.array(table).reshape(2, 2)
    (p1, p2), (h1, h2) = counts.sum(axis=1), counts.sum(axis=0)
    least, most = max(0, p1 - 2, h1 - 2, h1 - p2), min(2, p1, h1, 2 - p2 + h1)
    recovered = small_counts.recover(np.zeros((2, 2)), [p1, p2], [h1, h2], 3)
    unknown = recovered < 0
    agree += unknown.all() if most > least else not unknown.any()
    open_tables += most > least
print(f"the rule agrees with the library on {agree} of 81 tables")
print(f"tables with more than one possible x: {open_tables}")

# %% [markdown]
# With totals of 2 and 2 by place and 1 and 3 by hour, $x$ can be 0 or 1, so nothing is recovered. With 1 and 3 in both directions, $x$ can only be 0, and the table is $0, 1, 1, 2$.
#
# *Learned:* the totals leave one unknown, and if it changes by 1, each of the four counts changes by 1. Therefore either all four counts are recovered or none is. The totals reveal a table if the limits 0 and 2 leave a single value of $x$. A total of 0 or of 4 always does so.
#
# ````{solution-end}
# ````
#
# ```{exercise} Apply the rule (★, 10 minutes, on paper)
# :label: audit-ex-rule
# An audit of an invented release without noise has four rows. Which verdict does it give, and which row decides? What would the verdict be without this row?
#
# | attack | knowledge | measure | value and interval | AUC of the controls |
# |---|---|---|---|---|
# | 1 | the target's visits | AUC | 0.78 [0.72, 0.84] | 0.49 [0.46, 0.52] |
# | 2 | other people's traces | share identified | 0.14 [0.11, 0.18] | 0.51 [0.48, 0.54] |
# | 3 | everybody else's records | share identified | 0.90 [0.75, 1.00] | 0.50 [0.45, 0.55] |
# | 4 | earlier releases | AUC | 0.99 [0.97, 1.00] | 0.97 [0.95, 0.99] |
# ```

# %% [markdown]
# ````{solution-start} audit-ex-rule
# :class: dropdown
# ````

# %%
invented = {  # plausible, lower end, threshold, ends of the AUC of the controls
    1: (True, 0.72, 0.75, 0.46, 0.52),
    2: (True, 0.11, 0.10, 0.48, 0.54),
    3: (False, 0.75, 0.10, 0.45, 0.55),
    4: (True, 0.97, 0.75, 0.95, 0.99),
}
for number, (plausibly, low, threshold, first_end, last_end) in invented.items():
    chance_level = first_end <= 0.5 <= last_end
    fails = plausibly and chance_level and low >= threshold
    print(
        f"attack {number}: plausible {plausibly}, controls at chance {chance_level},",
        f"{low:.2f} reaches {threshold:.2f} {low >= threshold}: makes it fail {fails}",
    )

# %% [markdown]
# The release fails, and row 2 alone decides. In row 1, the value reaches 0.75, but the lower end does not. Row 3 belongs to a worst case, which can only give a warning. In row 4 the controls are not at chance level, so the attack recognises something other than membership.
#
# Without row 2, the verdict is *review*: attacks 1 and 3 are significantly better than their baselines, and the controls of attack 4 are not at chance level. Any one of these three warnings would be enough.
#
# *Learned:* the largest number in an audit need not decide. Look first at the knowledge, then at the controls, and then at the lower end.
#
# ````{solution-end}
# ````
#
# ```{exercise} Move the threshold (★, 10 minutes, first on paper)
# :label: audit-ex-auc
# From the flight counts rounded to 5 (D), the sum has an AUC of 0.725 [0.708, 0.743]. Its controls are at chance level, and its knowledge is plausible. The verdict is *review*. Would the sum make the release fail with a threshold of 0.72 for the AUC, or with one of 0.70? Is the verdict then settled for both thresholds? Predict, and then list the AUCs of all plausible attacks on this release (use `stored` and `plausible` from [above](audit-rule), and check the controls as `makes_it_fail` does). What would you ask a publisher who proposes 0.72?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-auc
# :class: dropdown
# ````

# %%
of_rounded = stored.query("release == 'round-5' and measure == 'AUC'")
of_rounded = of_rounded[of_rounded["attack"].isin(plausible)]
for row in of_rounded.to_dict("records"):
    chance_level = row["control low"] <= 0.5 <= row["control high"]
    print(
        f"{figures.NAMES[row['attack']]}: {row['value']:.3f}",
        f"[{row['low']:.3f}, {row['high']:.3f}], controls at chance {chance_level}",
    )

# %% [markdown]
# The lower end of the interval decides. For the sum it is above 0.70 and below 0.72, so the sum makes the release fail only with a threshold of 0.70. But the verdict needs only one attack. For the ratio with 30% known, the interval of the AUC begins at 0.726, so the release fails with a threshold of 0.72 as well. With 0.75, no plausible attack reaches the threshold. Ask the publisher when the 0.72 was chosen: before or after the intervals were known? Ask for the verdict under several thresholds, too.
#
# *Learned:* a verdict near a threshold says as much about the threshold as about the release. And it can rest on an attack that you were not shown.
#
# ````{solution-end}
# ````
#
# ```{exercise} Two cells by hand (★, 10 minutes, first on paper)
# :label: audit-ex-two-cells
# A target has two cells. Other people's counts in them have independent Poisson distributions with means 0.5 and 8, and the published counts are 1 and 9. Compute the likelihood ratio of each cell, and of both together. Which cell contributes more? Now counts below 10 are hidden, so both cells are blank. Predict whether each ratio is larger than 1, smaller than 1 or practically 1. Then write the ratio of a blank as a quotient of two probabilities, and compute it with `stats.poisson.cdf`.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-two-cells
# :class: dropdown
# ````

# %%
for usually, count in ((0.5, 1), (8, 9)):
    blank = stats.poisson.cdf(8, usually) / stats.poisson.cdf(9, usually)
    print(f"mean {usually}: published {count / usually:.3f}, blank {blank:.3f}")
print(f"both published: {1 / 0.5 * 9 / 8:.2f}")

# %% [markdown]
# For raw counts, each ratio is $k / \lambda$, which gives 2 and 1.125; their product is 2.25. The nearly empty cell contributes more, although its count is only 1. If a cell is blank, there are at most 9 other people without the target, and at most 8 with the target. The ratio is therefore $\Pr[\text{at most } 8] / \Pr[\text{at most } 9]$. It is 1.000 for the nearly empty cell and 0.827 for the other.
#
# *Learned:* hiding removes the evidence of the rare visit, which was the strongest. A blank is evidence only where the count is usually near the limit, and it speaks against the target.
#
# ````{solution-end}
# ````
#
# ```{exercise} What decides a verdict? (★★, 15 minutes)
# :label: audit-ex-deciding
# In the cab data, the release that hides counts below 10 (B) fails. Which plausible attacks make it fail, by which measures, and in which release: the simulated ones, or the one at full size? The rows of `cab_rows` with `part == "attack"` and `severity == "fail"` have all measures of the failing attacks. A measure makes a release fail if the lower end of its interval is at least 0.75 for an AUC and at least 0.1 for a share. {numref}`fig-audit-divisions-cabs` repeats one of these measures in other divisions of the people. Which one is it, and would it still make the release fail in the fifth division? What else would you have to compute before you say that the verdict changes there?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-deciding
# :class: dropdown
# ````

# %%
of_failing = cab_rows.query(
    "release == 'mds-k10' and severity == 'fail' and part == 'attack'"
)
threshold = of_failing["measure"].map(limits)  # as above
# The lower end of the interval decides
reaching = of_failing[of_failing["low"] >= threshold]
for row in reaching.itertuples():
    print(
        f"{figures.NAMES[row.attack]}; {row.measure}: {row.value:.2f}",
        f"[{row.low:.2f}, {row.high:.2f}]",
    )

# %% [markdown]
# Three plausible attacks make the release fail, all of them only at full size: the sum, the ratio with other people known, and the ratio with 30% known. Each does so by two measures, the AUC and the share identified. The figure repeats one of the six, the share identified with other people's traces at full size. In the fifth division it is 2 of 100, far below the threshold, so this measure alone would not make the release fail. The other five were computed in the first division only. A single measure that reaches its threshold is enough for the verdict *fail*. So at least these five must be computed in the fifth division before anybody says that the verdict changes.
#
# *Learned:* ask of every verdict what it rests on, and whether the evidence could have come out otherwise with other people.
#
# ````{solution-end}
# ````
#
# ```{exercise} What a guarantee forbids (★★, proof, 15 minutes)
# :label: audit-ex-proof
# 1. A release is $(\varepsilon, \delta)$-DP for a unit. Show that every test for this unit has a true positive rate (TPR) of at most $e^\varepsilon\, \mathrm{FPR} + \delta$, where FPR is its false positive rate.
# 2. Let $\delta = 0$. A test decides whether a group of $k$ units is in the data (either all of them are, or none is). Show that its TPR is at most $e^{k\varepsilon}\, \mathrm{FPR}$.
# 3. Suppose that noise is added to each count, and that the distribution of the noise does not depend on the count. Trials with $k$ people in one cell, one visit each, give a lower bound $b$ on their joint $\varepsilon$. Which bound follows for one visit? Which bound follows for a unit of $c$ visits to $c$ cells with independent noise?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-proof
# :class: dropdown
# ````
#
# 1. A test says "in" if the release is in a set $R$. Its rates are $\Pr[R \mid \text{with}]$ and $\Pr[R \mid \text{without}]$. The definition of differential privacy holds for every set, and therefore for $R$. A randomized test chooses among such sets at random, so its two rates are averages of the rates of these sets, and the same inequality holds.
# 2. Remove the $k$ units one after the other. Each step changes the probability of $R$ by a factor of at most $e^\varepsilon$, so all $k$ steps together change it by a factor of at most $e^{k\varepsilon}$.
# 3. By part 2, $b \le k \varepsilon$, so one visit has an $\varepsilon$ of at least $b/k$. For the unit we need a lower bound, but sequential composition gives only an upper bound. Instead, we construct an event that is a product over the cells. The noise is additive, and its distribution is the same at every count. One visit therefore changes the distribution of a noisy count in the same way, whatever the other people's count is. So for any $x < b/k$ there is a set $R$ of values of one noisy count that is at least $e^x$ times as probable with the visit as without it. (There may be such a set only for the opposite comparison, without the visit against with it. In this case, exchange "with" and "without" in the rest of the argument.) The noise is drawn independently for each cell. The event that all $c$ noisy counts fall into their sets is therefore at least $e^{cx}$ times as probable with the unit as without. So the $\varepsilon$ of the unit is at least $c\, b / k$.
#
# *Learned:* one cell with many people in it can be used to test a small $\varepsilon$. If $\varepsilon$ per visit is $1/k$, then $k$ people have a joint $\varepsilon$ of 1, and trials can show a value of this size.
#
# ````{solution-end}
# ````
#
# ```{exercise} How high is the ceiling? (★★, 15 minutes)
# :label: audit-ex-ceiling
# We run the same number of trials with the unit and without it. How many trials of each kind does it take before a Clopper-Pearson bound could show $\varepsilon = 3$, 5 or 8 at all? Why does nobody audit $\varepsilon = 20$ in this way? Finally, suppose that a mechanism declares $\varepsilon = 1$, and that a test with a ceiling of 0.5 gives a bound of 0.4. Does the guarantee hold?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-ceiling
# :class: dropdown
# ````

# %%
for target in (3, 5, 8):
    n = 4
    while stats.beta.ppf(0.025, n, 1) / stats.beta.ppf(0.975, 1, n) < np.exp(target):
        n = int(n * 1.01) + 1
    print(f"epsilon {target}: about {n} trials of each kind, all of them right")
print(f"upper limit of a rate that was 0 in n trials: {-np.log(0.025):.1f} / n")

# %% [markdown]
# *Learned:* the number of trials grows as $e^\varepsilon$. If a test never errs in $n$ trials, the upper limit of its false positive rate is about $3.7 / n$. A bound of 20 would need $3.7\,e^{20}$ trials, nearly two billion. A large $\varepsilon$ therefore cannot be tested in this way. Nor does a large $\varepsilon$ rule out many attacks.
#
# The [table of the chapter](audit-epsilon) has ceilings of 26.6 and 48.9, although its trials are far fewer than two billion. This is possible because these two ceilings assume something about the noise.
#
# The test cannot answer the last question. Its bound could not have exceeded 0.5, so a bound of 0.4 tells us nothing about whether the declared $\varepsilon$ of 1 holds.
#
# ````{solution-end}
# ````
#
# ```{exercise} Give rare cells more weight (★★, 30 minutes)
# :label: audit-ex-own
# The sum of the target's cells gives every cell the same weight. Write an attack that gives a cell more weight if fewer people are usually there. Take what is usual from `games.shadow`, the releases of the same pool. (`games.shadow.published` and `games.shadow.members` have the same form as those of `games.test` [above](audit-one).) This is a worst case, because the attacker knows what is usual among the very people who may be counted. Evaluate the attack with `lib.audit.measures.membership_measures`. The sum in the first table identifies 5 of 100 members, and the *independent ratio* 87. There are four cases: the sum with or without the weight, compared with releases of other people or of the same pool. Before you run the code, predict which case identifies the most members, and which the fewest. Which part of the difference is due to the comparison with releases of the same pool, and which part to the weight?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-own
# :class: dropdown
# ````

# %%
from lib.audit.measures import membership_measures

mean_counts = games.shadow.published.mean(axis=1, keepdims=True)
for words, weight in (("sum", mean_counts * 0 + 1), ("rare", 1 / (mean_counts + 0.1))):
    scored = [
        (visits @ (weight * each.published), each.members[games.targets])
        for each in (games.test, games.shadow)
    ]
    of_others = visits @ (weight * games.others.published)  # reference releases
    for compared_with, reference in (("other people", of_others), ("same pool", None)):
        measured = membership_measures(*scored[0], *scored[1], reference=reference)
        auc, identified = measured["AUC"].value, measured[experiments.FOUND].value
        print(
            f"{words}, compared with {compared_with}:",
            f"AUC {auc:.3f}, identified {identified:.3f}",
        )

# %% [markdown]
# *Learned:* the attack changes in two ways, the comparison and the weight, so there are four cases. The plain sum identifies 5 of 100 members if it is compared with releases of other people, and 34 if it is compared with shadow releases of the same pool. The weighted sum identifies 12 and 83.
#
# We cannot say which part of the difference is due to which change, because the answer depends on the order of the two changes. If the comparison is changed first, this adds about 29 of 100 members, and the weight then adds about 49. If the weight is changed first, this adds about 7, and the comparison then adds between 71 and 72. Each change is worth much more together with the other: a count of 1 at a place that is usually empty reveals nearly everything, but only to an attacker who knows what is usual. With both changes, the attack comes close to the 87 of the independent ratio, and both attacks need the traces of everybody who may be counted.
#
# The AUC behaves differently. The weight raises it from 0.897 to 0.975, and the comparison leaves it unchanged. The AUC is computed for each target separately. The comparison subtracts a mean from the scores of a target and divides them by a positive number, and neither changes the order of these scores.
#
# ````{solution-end}
# ````
#
# ```{exercise} Published again (★★, 20 minutes)
# :label: audit-ex-again
# The same counts are published ten times, each time with fresh noise of $\varepsilon = 1$ for a person's day. What is the $\varepsilon$ of all ten publications together for a person's day? Predict first: by which factor is the standard deviation of the noise smaller in the average of the ten? Would a single publication with $\varepsilon = 10$ have more noise than this average, or less? Then average the ten noisy counts of each cell (use `games` as above, and ignore the cap), and attack the average with the sum.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-again
# :class: dropdown
# ````

# %%
some = games.targets[:40]
plan = parse("user-day-epsilon-1").plan(group)
for times in (1, 10, 100):
    rng, scores = stream(seed, "again", times), []
    for person in some:
        counts = games.test.raw[group.matrix[[person]].indices].astype(float)
        noise = rng.laplace(scale=plan.noise.scale, size=(times, *counts.shape))
        scores.append((counts + noise.mean(axis=0)).sum(axis=0))
    auc = aucs(np.array(scores), games.test.members[some]).mean()
    print(f"{times:3} times, epsilon {times} for a day: AUC {auc:.2f}")

# %% [markdown]
# *Learned:* privacy budgets add up, and noise averages out. After ten publications, $\varepsilon$ is 10 for a day. The standard deviation of the noise in the average of the ten is $1/\sqrt{10}$, or about a third, of that in one publication. In a single publication with $\varepsilon = 10$, it would be only a tenth. So for the same total $\varepsilon$, publishing once is more accurate. With more publications, the AUC of the sum rises towards its value on raw counts. (For all 245 targets, the value on raw counts is 0.90. The exercise uses only 40 targets.)
#
# ````{solution-end}
# ````
#
# ```{exercise} The last digits (★★, 20 minutes)
# :label: audit-ex-digits
# A cell contains either nobody or one person. Draw Laplace noise with $\varepsilon = 1$ around 0 and around 1, and give each value $x$ the score $|x| - |x - 1|$. Outside the interval [0, 1] this score is $-1$ or $+1$. Predict first: can a bound exceed 1, except by chance? Then bound $\varepsilon$ with the scores as they are, and again with the scores rounded to six digits. Why do the two bounds differ?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-digits
# :class: dropdown
# ````

# %%
rng, both = stream(seed, "digits"), []
for count in (0, 1):
    drawn = count + rng.laplace(size=20_000)
    both.append(np.abs(drawn) - np.abs(drawn - 1))
exact = clopper_pearson_epsilon(*both).lower
rounded = clopper_pearson_epsilon(*(each.round(6) for each in both)).lower
print(f"as they are: epsilon at least {exact:.2f}; rounded: {rounded:.2f}")

# %% [markdown]
# *Learned:* mathematically, no bound can exceed 1 except by chance, because this noise guarantees an $\varepsilon$ of 1. Every value outside [0, 1] has a score of exactly $+1$ or $-1$. On a computer, such a score can differ from $\pm 1$ in its last digit. This digit depends on how the computer rounded the sum of the count and the noise, and so it reveals the count {cite:p}`mironov2012`. The guarantee was proved for real numbers. It was not proved for floating-point numbers. Before you publish real data, draw the noise exactly, as whole numbers. Rounding the noisy counts removes the leak of this exercise, but does not restore the proof.
#
# ````{solution-end}
# ````
#
# ```{exercise} A memo to the person who decides (★★, 40 minutes)
# :label: audit-ex-memo
# A transport office wants to publish hourly counts for four weeks, with counts below 10 hidden (`mds-k10`) and with totals by stop and hour. It has been given the audit in this chapter: treat the 500 flight numbers as the riders who were counted. The data protection officer has read no chapter of this book and has five minutes. Write a memo of at most 400 words that answers these questions. (1) What do you recommend? (2) Who could learn what about whom? (3) How often would they be wrong? (4) Which purposes would the counts serve? (5) What was not tested? (6) What would change your mind? State each identification rate with its interval and with the attacker's knowledge.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-memo
# :class: dropdown
# ````
#
# > **Recommendation.** Do not publish this table. The verdict is *review*: no plausible attack reaches the threshold, but several warn. We answer *no*: the table serves none of the tested purposes. To compare stops, publish one count per stop for the whole period, with a public cap on visits and noise for a whole person ($\varepsilon = 1$). Then an attacker who wrongly identifies at most 1 of 100 others identifies at most about 2.7 of 100 riders, whatever they know. About 8 of the 10 busiest stops can be found. Otherwise publish nothing.
# >
# > **Who could learn what.** Somebody who knows a rider's movements could learn that the rider was counted. Guessing identifies 1 of 100 riders. In releases of 175 people, an attacker who knows little more than these movements identifies 2 of 100 [0, 3], and 13 of 100 [4, 22] of the most exposed tenth. In the release of 400, an attacker with the traces of similar riders identifies 7 of 100 [1, 12] (2 to 9 in five divisions). An insider who knows everybody else's records identifies 50 of 100 [22, 78] (44 to 60 in the divisions). This attacker, tested on 48 riders, is never wrong if the records are exact. A release of all 500 could not be attacked; in four of five divisions the risk grew from 175 to 400 people. Nothing is guaranteed against other attackers.
# >
# > **The totals.** Do not publish the totals. The numbers above do not include them. If zeros are hidden, the totals reveal 18,369 of the 71,442 hidden counts. All are zeros, which show when nobody was at a stop. If zeros are published, they reveal 2,308 of the 9,768 hidden counts above 0, and the release fails.
# >
# > **Errors.** The first two attackers wrongly identify 1 of 100 others. Suppose one in ten of those considered was counted. Then 82 of 100 people named by the first were not counted, and 56 named by the second. If half were counted, 33 named by the first were not.
# >
# > **Use.** A quarter of all visits are published, 4 of the 10 busiest stops can be found, and at least half of the daily totals above 0 are lost.
# >
# > **Not tested.** Further months, corrected tables, families travelling together, other data, and attacks on membership that use the totals.
# >
# > **What would change this.** Much larger counts with noise for a whole person.
#
# *Learned:* no single number decides whether to publish. The memo begins with the attacker who needs to know the least, because this attack is the easiest to carry out. The plausible attackers alone might let the table pass, but the worst case, the totals and the poor usefulness together do not. A good memo gives the reader a recommendation first, separates plausible attackers from the worst case, does not call anything "anonymous" or "safe", and names what is missing. Compare it with yours: which of your identification rates has no interval, and which has no attacker?
#
# The error rates need the same care as the identification rates. A memo that gave only the first figure, 82 of 100, would overstate how often the attacker is wrong about the release of 400. For that release, the share of flagged people who were never counted is $0.9 \cdot 0.01 / (0.9 \cdot 0.01 + 0.1 \cdot 0.07) = 0.56$. The share identified, 7 of 100, has the interval [1, 12]. If its ends, 0.01 and 0.12, replace 0.07, the same formula gives 0.90 and 0.43. For the smaller releases, at the same base rate of one in ten, the interval [0, 3] means that at least 75 of 100 flagged people, and possibly all of them, were never counted.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own release (★★★, an evening)
# :label: audit-ex-project
# Take records of your own, or those of the cabs, and write down the release that you would defend: its mechanisms, its cap, and what else is published. Audit it with `python -m lib audit`. Then make *one* change for a better verdict, and another for more useful counts. *A good answer* names the threat model of the best attack, shows its control, states what each change cost, and says what was not tested. Grade your answer with the table below.
# ```
#
# ```{admonition} How to grade the answer to the last exercise
# :class: dropdown
# | part of the answer | two points | one point | no point |
# |---|---|---|---|
# | threat model | says what the strongest attacker knows, and who could know it | says only what the attacker knows | only names the attack |
# | evidence | estimate, interval and control of the strongest attack, at both sizes | an estimate with its interval | an estimate alone, or only the verdict |
# | change for a better verdict | says which measure decided before and after, and what the change cost in usefulness | reports both verdicts | changes several things at once |
# | change for more useful counts | names a purpose, and measures it before and after | reports a general error | says only that the counts look better |
# | limits | names attackers, purposes and further publications that were not tested | says that other attacks exist | calls the release safe |
#
# For example, take the cabs with counts below 10 hidden. On this page, plausible attackers make this release fail only at full size. One of them, an attacker with the traces of other cabs, identifies 35 of 100 cabs [24, 46]. This belongs to the evidence. In five divisions, this share lies between 2 and 53 of 100, which belongs to the limits. With noise for a day in place of hiding, the release no longer fails, and the rank correlation of places falls from 0.99 to 0.85. This is a change that improves the verdict, stated together with what it costs. The $\varepsilon$ of this noise is for a day, and a cab that drives every day is protected much less. An answer that says all this, and fills in the other parts of the table as well, would earn eight to ten points.
#
# *Learned:* to defend a release, you need a purpose, an attacker, a measurement and a list of what is unknown.
# ```

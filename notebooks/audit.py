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
# Each of the five papers attacks its own kind of release. If you have counts to publish, you ask another question: *may I publish these?* This chapter therefore starts from the release and not from the attack. It takes one table of counts, publishes it in eleven common ways, and runs the same 20 attacks against each of them. These are most of the attacks of this book. [Zero knowledge](zero_knowledge.ipynb), which takes long, and a few variants from earlier chapters are missing. There are other ways to publish, too, and other attacks. The findings of this chapter hold only for the releases and attacks that were tested.
#
# The records show, for four weeks, when each of 500 flight numbers was at which airport. They are open data, and every reader can run the attacks on them. For this chapter a flight number plays the role of a *person*, and a landing or departure is a *visit*. Flight numbers are more regular than people, so the percentages do not carry over to people. This chapter teaches how attacks and releases compare. A [later section](audit-other-data) repeats the comparison for all eleven releases and two attackers with aircraft, cabs, riders of shared bikes and synthetic commuters.
#
# After this chapter you can
#
# - state what an attacker knows and wants before you say how well they do, and read an attack beside its baseline and its control;
# - bound $\varepsilon$ from below by running a mechanism many times, and say what such a bound can never show;
# - read risk against usefulness, and explain what "no attack succeeded" does not mean;
# - tell the person who decides what could be learned about whom, how often an attacker would be wrong, and which release you recommend.
#
# *Two lectures of 45 minutes.* The numbers are minutes.
#
# | first lecture | | second lecture | |
# |---|---|---|---|
# | [harm](audit-harm) and [threat models](audit-threats) | 10 | [what ε guarantees](audit-epsilon) | 15 |
# | [six users](audit-six) and [common releases](audit-releases) | 10 | [risk against usefulness](audit-use) and [the verdict](audit-verdict) | 15 |
# | [every attack on one release](audit-one) | 15 | [what would have to be true](audit-safe) and [publishing less often](audit-weekly) | 15 |
# | [the comparison of all releases](audit-all), up to the most exposed people | 10 | | |
#
# From "every attack on one release", show four things in class: the sum of the target's cells, the example of $k / \lambda$, the table of base rates, and the row of Knock-Knock whose controls have an AUC of 1. The subsection on attacks on places and trajectories is for reading at home. From "what $\varepsilon$ guarantees", show the bound from many trials in one cell, the table of the six releases, and the cell with the noise that is reused; the rest is for reading.
#
# The rest of the comparison is reading for the time between the lectures: [the size of the release](audit-full-size) and [other data](audit-other-data). The [debate](audit-debate) takes half an hour more. The [next chapter](audit_further.ipynb) has a lecture of its own. It covers the riders of shared bikes, attacks that a machine finds, and the tasks that an analyst can still do under each defense. *For discussion:* {numref}`fig-audit-map`. *A question for the class:* would you publish the hourly counts of 500 people if all counts below 10 were hidden? Ask it at the beginning and again at the end, before the [debate](audit-debate).
#
# ```{admonition} For the lecturer: expected answers and usual mistakes
# :class: dropdown
# *Would you publish?* There is no single right answer, but a good answer at the end of the lectures has four parts.
#
# - Hiding small counts guarantees nothing. It is judged by the attacks that were run.
# - At full size, in a release of 400 people, a plausible attacker identifies 7 [1, 12] of 100 members, and an attacker who knows everybody else identifies 50 [22, 78]. The verdict is therefore *review*, and a person must decide. [Our review](audit-our-review) ends in *no*. On the cabs the same release fails.
# - The release publishes little. It shows 15% of the visits if 400 people are counted, and 25% if all 500 are counted. So an analyst gains little.
# - The recommendation: no, because this release serves none of the three purposes that we tested. A student may also answer "not without a stated purpose". The alternative is to publish fewer and larger counts, with noise for a whole person.
#
# *Three common mistakes*, and how to answer them:
#
# - "An AUC of 0.90 means that 90 of 100 members are identified." It means this: if we compare a release that counts the target with one that does not, the first has the higher score in 90 of 100 pairs. At a false positive rate of 1%, the same sums identify 7 of 100.
# - "No attack succeeded, so the release is safe." Only the attacks that were run did not succeed.
# - "$\varepsilon = 1$ for a visit and $\varepsilon = 1$ for a day make 2." Values of $\varepsilon$ add up only if they are for the same unit. Convert both to a person first.
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
# *May hourly counts of these 500 "people" be published?* The chapter tests eleven releases. In short:
#
# - **Raw counts, and noise for single visits: no.** From raw counts, an attacker with other people's traces identifies 42 of 100 members, and wrongly identifies 1 of 100 others. An attacker who knows everybody else identifies all members.
# - **Counts below 10 hidden, counts rounded to 5, or noise for a day: only after a review.** *Review* means that the release does not fail, but that its attacks or its guarantee give a warning. Here, some attacks are significantly better than a guess. A person must then decide, with [four questions](audit-review). For counts below 10 hidden, our own review [ends in *no*](audit-our-review). The verdict also depends on the data: on cabs, hiding and rounding fail, and noise for a day stays in review.
# - **Fourier perturbation: only after a review.** It adds noise to the Fourier coefficients of each place's counts. Its $\varepsilon$ of 1 is for one place and not for a whole person.
# - **Counts up to 15 hidden, and Google's process: no attack succeeded.** Google's process is the one behind its mobility reports: it adds noise for a day, and then hides small counts. Both releases publish next to nothing here. On cabs, hiding counts up to 15 fails, too.
# - **Noise for a whole person: yes, but hourly counts then become practically useless.** The typical error of a count is many times the count. Next to nothing is left of the order of places.
# - **Our recommendation:** publish fewer and larger counts, with noise for a whole person. We ask that the scale of the noise be at most a tenth of the count of a typical visit. A typical visit is one for which half of all visits lie in counts at least as large. For one count per place in the whole period, a few hundred people are then enough to compare places, but not to know the total of each place. For hourly counts, about sixty thousand people would be needed if counts grew in proportion to people. These data do not show whether hourly counts grow in this way. The section on [what would have to be true](audit-safe) computes both.
#
# That an attack fails never proves that a release is safe. Only a guarantee limits attacks that nobody has tried, and it limits them only for its unit. Even if $\varepsilon$ is small for a single visit, it can be large for a person who makes many visits. So only a small $\varepsilon$ for a whole person limits what any attacker can learn about that person.
#
# | you want to | read | minutes |
# |---|---|---|
# | decide about a release | [what harm counts can do](audit-harm), [common releases](audit-releases), [how a verdict is reached](audit-verdict), [risk against usefulness](audit-use), [which attack decides](audit-deciding), [what would have to be true](audit-safe) | 30 |
# | understand the attacks | [who knows what](audit-threats), [six users](audit-six), [every attack on one release](audit-one) | 25 |
# | compare releases and data | [which release withstands which attacker](audit-all), with [other data](audit-other-data) | 20 |
# | test a guarantee | [what epsilon guarantees, and what trials show](audit-epsilon) | 10 |
#
# The paths add up to 85 minutes. The reading time under the title also counts the text of the exercises and solutions.

# %% [markdown]
# (audit-harm)=
# ## What harm can a table of counts do?
#
# A table of counts contains no names. It can harm a person all the same. Here are three examples.
#
# - **A clinic's stop.** A tram stop serves nothing but a clinic. On Monday at 8 the table has a count of 1 there. A colleague who saw Ada board the empty tram now knows where she went.
# - **A night tram.** Dan is usually the only passenger of the tram at 3 in the morning. On Friday its count is 0. Somebody who knows his habit learns that he did something else that night.
# - **A study.** The counts cover the participants in a study of an illness, whose names are secret. An employer knows when Ada comes and goes. If the counts at her places and hours show that she was among those who were counted, the employer learns about the illness.
#
# In the third case no single count is small, and Ada's movements are no secret. What leaks is the fact that she was *counted*. An attack that decides this is a **membership inference attack**, and it is the main subject of this chapter. It matters also where membership itself is harmless. If the counts look the same with the target and without, then they reveal nothing about the target that they would not reveal if the target had stayed out. This is the idea behind [differential privacy](guarantees.ipynb).
#
# Those who decide about a publication use the terms of the regulators. An opinion of the European data protection authorities, whose common body is now the European Data Protection Board (EDPB), names three risks by which anonymisation is judged {cite:p}`wp216`. The guidance of the British Information Commissioner's Office (ICO) uses the same three {cite:p}`ico2025`. The right column is our interpretation of the risks. It is not legal advice.
#
# | risk | what it means | in this chapter |
# |---|---|---|
# | **singling out** | one person's records can be told apart from everybody else's | a count of 1; *unicity*: how many sightings are enough to be unique |
# | **linkability** | two sets of data about the same person can be connected | what the attacker knows about the target is connected with the release (membership), or one release with another (differencing) |
# | **inference** | something can be deduced about a person, with high probability | that the target was counted; where the target was; a hidden count |
#
# Both ask which means are *reasonably likely* to be used, and by whom. As a starting point the ICO suggests a test: would a **motivated intruder** succeed, somebody who is determined and reasonably competent, has access to public sources, and starts without knowledge of the target? Such a person can often find out a target's home, workplace and hours, and is then the attacker who "knows the target's visits" in the next table. That table holds stronger attackers as well.
#
# (audit-threats)=
# ## Who knows what, and wants what?
#
# ````{prf:definition} Threat model
# :label: def-threat
# What an attacker *knows* besides the release, together with what they *want* to find out.
# ````
#
# The less an attacker needs to know for the same success, the more serious the attack. The first goal is **membership**: *whether* the target was counted. The table lists what an attacker with this goal might know, and the attacks that this knowledge allows. The names in the last column are explained where the attacks are run; for now, read the first two columns.

# %% tags=["hide-input"]
from lib.papers import figures as plots
from lib.papers.audit import experiments, figures

plots.use_style()
membership = experiments.threat_table("membership")
plots.show_table(figures.threats_table(membership), "threats-membership")

# %% [markdown]
# An attacker may have other goals: to find out where the target was at a given hour, the target's whole trajectory, how few sightings single the target out, or what the release hides. The folded table lists them.

# %% tags=["hide-input", "hide-output"]
wanted = ["place", "trajectory", "re-identification", "disclosure"]
plots.show_table(
    figures.threats_table(experiments.threat_table(*wanted)), "threats-more"
)

# %% [markdown]
# Which knowledge is plausible is our judgement. Here is who might have it:
#
# - *The target's visits*: a colleague, or whoever reads what the target posts.
# - *The traces of other people of the same kind*: a telephone operator, or the owner of an app. They learn from these traces how crowded each place usually is, and what sum is usual for the target's cells.
# - *The visits of 30% of the others, and the traces of other people*: a company that contributed its own customers to a table of several companies. It knows which of them were counted.
# - *Who was in earlier releases*: somebody who has seen the lists of participants of earlier studies.
# - *Where everybody was in the weeks before, and who is counted*: a service provider who held the records until last month and still has the list of customers. This is generous, because this attacker knows everybody. Only the records of the published weeks are missing from their knowledge.
#
# Two further kinds need no reason: everybody has *nothing but the release*, and a map shows *where the places are*. We call all these attackers **plausible**. Would a verdict change if we judged the last three of the list to be worst cases? A cell in the section on [the deciding attacks](audit-deciding) answers this.
#
# There are two **worst cases**: an attacker who has the traces of *everybody who may be counted*, for the very weeks that are published, and one who has the records of everybody else who is counted. Differential privacy for everything that a person does, with a small $\varepsilon$, protects even against them. If only a worst-case attack succeeds, we read it as a warning. If a plausible attack reaches one of the [thresholds](audit-verdict), the release fails.
#
# ```{note}
# The folded table counts *two releases* among the worst cases, because the attack assumes two tables of the same hours that differ by exactly one person, the target. This is rare in general, but some publishers produce such pairs as a matter of course: a table is corrected after one customer has withdrawn consent; the same week appears in two reports, for the customers of 1 May and for those of 1 June; a table for "all" stands beside a table for "all but one group". A series of monthly tables is a weaker case of the same kind. Each month contains different visits, so subtracting two months does not isolate one person. But an attacker who knows when the target joined or left can compare the months before and after, which is a membership inference attack with past releases. If you publish regularly, treat *two releases* as plausible.
# ```
#
# (audit-six)=
# ## Six people, three releases
#
# We publish the same counts of six users in three ways:
#
# - unchanged;
# - with counts below 2 hidden, but with the totals of each place and each hour beside them;
# - with Laplace noise, rounded to whole numbers.

# %%
import numpy as np
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

# %% mystnb={"figure": {"name": "fig-audit-six", "caption": "One set of counts, published in three ways. A number is a published count; a blank cell is a count of 0, a hidden count, or a noisy count below 0 that was set to 0. The totals that are published with the middle panel are not drawn; the next cell prints what they say about the hidden counts. Hiding small counts empties more than half of the cells that were not empty. Noise puts people where nobody was and hides some who were there."}, "image": {"alt": "Three grids of four places by eight hours with counts written in the cells: raw, below 2 hidden, and noisy."}} tags=["hide-input"]
shown = {name: each.counts for name, each in published.items()}
plots.show_releases(shown, list(six.rois.index), hours)

# %% [markdown]
# Hidden counts can sometimes be recovered from the totals. We subtract the published counts of an hour or a place from its total. The difference is the number of people *missing* from the table.

# %%
hidden = published["below 2 hidden"]
missing = hidden.by_hour - hidden.counts.sum(axis=0)
blanks = (hidden.counts == 0).sum(axis=0)
for hour, people, cells in zip(hours, missing, blanks, strict=True):
    print(f"{hour}: {people} missing, {cells} blank cells")
missing = hidden.by_place - hidden.counts.sum(axis=1)
print("missing from", dict(zip(six.rois.index, missing.tolist(), strict=True)))

# %% [markdown]
# Take Monday at 8 in the middle panel. Three cells are blank, and three people are missing. Each blank can hide one person at most, so each of them hides exactly one. The same holds for Monday at 9 and for Tuesday at 18, where two blanks hide two people. This gives 8 hidden counts. If nobody is missing from an hour or a place, all blanks there are zeros.
#
# The totals of the places give a ninth count. Four people are missing from the row of office, and the rule has found three of them. The fourth is in the cell of Monday 18h or of Tuesday 08h, because these are the only blanks left in that row. One person is missing from each of these two hours. So office takes the missing person of one of them, and at most one is left for station. Four people are missing from the row of station, too. The rule has found two of them, so two are left. At most one of these two is in the hours of Monday 18h and Tuesday 08h. The other must be in the cell of Tuesday 12h, the only further blank in station's row. The library applies all totals together, so it finds every count that they determine.

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
# Now suppose that Ada asks not to be counted, and the raw table of the same two days is published again without her. One subtraction is enough to recover her whole trace:

# %%
without_ada = parse("raw").publish_all(six, np.arange(1, 6), stream(seed, "six", "raw"))
difference = raw - without_ada.counts
places, times = np.nonzero(difference)
print([f"{six.rois.index[i]} {hours[j]}" for i, j in zip(places, times, strict=True)])

# %% [markdown]
# (audit-releases)=
# ## Common releases, and what each guarantees
#
# We audit eleven releases. Five of them guarantee nothing:
#
# - `raw`: counts as they are;
# - `mds-k10`: counts below 10 hidden, as in the Mobility Data Specification;
# - `flowkit-15`: counts up to 15 hidden, as in FlowKit;
# - `round-5`: counts rounded to the nearest multiple of 5;
# - `suppress-10-round-5`: counts below 10 hidden, and the others rounded.
#
# Six add noise:

# %%
from lib.papers import figures as plots
from lib.papers import fitting
from lib.papers.audit import experiments, figures

people = experiments.load_groups(fitting.display_names(datasets), n_users, seed, path)
name, group = next(iter(people.items()))
guarantees = experiments.guarantees(group).dropna(subset="epsilon")
plots.show_table(figures.guarantees_table(guarantees), "releases")

# %% [markdown]
# Each of the six guarantees an $\varepsilon$ *for a unit of privacy*: a visit, a person's day, or a person. The unit matters more than the number. The last column states the $\varepsilon$ of a whole person. For Laplace noise on counts it follows from sequential composition: the $\varepsilon$ of all visits, or of all days, of a person add up.
#
# - Event-level noise guarantees next to nothing to a whole person. Each visit costs $\varepsilon = 1$, so the $\varepsilon$ of a person with $v$ visits is $v$. A guarantee must hold for every possible person, and nothing limits the number of visits. A person who was at each of 107 places in each of 672 hours would have 71,904 visits, and this is the $\varepsilon$ that the release guarantees.
# - If the unit is a day or a person, the release needs a *public cap* on visits. Visits above the cap are dropped at random before counting. Here the cap is one visit per hour: 24 for a day, and 672 for the whole period. In Google's process {cite:p}`aktay2020` it is four visits a day.
# - Fourier perturbation is calibrated to a person who spends all 672 hours at one place. Adding up an $\varepsilon$ of 1 for each of 107 places would give 107. But the release counts at most 672 visits of a person, and nobody can use all of them at every place. The noise is added to Fourier coefficients, and its $\varepsilon$ for a place grows with the square root of the hours spent there. A person with $v_i$ hours at place $i$ therefore has an $\varepsilon$ of at most $\sum_i \sqrt{v_i / 672}$. Because of the cap, the hours add up to at most 672. The sum of the roots is then largest if the hours are spread evenly over all places, and its value is $\sqrt{107} \approx 10.3$.
#
# (audit-one)=
# ## Every attack on one release
#
# ### How is an attack evaluated?
#
# The audit simulates releases. It splits the people into three groups:
#
# - A tenth are **non-member controls**. They are in no simulated release. Only the [release at full size](audit-full-size) counts them.
# - A fifth are **reference people**, whose traces a plausible attacker has. They are never counted in a release that is attacked.
# - All others form the **pool**. Each of them is in a simulated release with probability one half. Of the pool, 30% are the people whom some attackers know; the rest are the targets.
#
# A release of the pool counts about 175 people, but there are only 100 reference people. The audit therefore draws the 175 people of a *reference release* from these 100 at random with replacement. Some people are then counted twice or more, and others not at all. So all reference releases are made of the same 100 traces. A cell that none of these 100 people visits is empty in every reference release.
#
# A plausible attacker who needs training releases makes them from the traces of the reference people. Plausible attackers who know past releases or past weeks use these. Worst-case attackers learn from **shadow releases**, which count people of the pool. All attacks are evaluated on new releases of the pool.
#
# The simplest attack adds up the counts of the target's **cells**, the places and hours that the target visits. If the target was counted, the target adds 1 to each of these counts. Here is the whole attack on raw counts. The object `games` holds the simulated releases: those that are attacked (`games.test`), those of reference people (`games.others`), and the shadow releases (`games.shadow`). In each of them, `published` has a row per cell and a column per release.

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
# We measure in two ways how well this works. The first measure is the **AUC**, the probability that a release with the target scores higher than a release without. To compute it for one target, we compare every release that counts the target with every release that does not. Random guessing gives an AUC of 0.5.

# %%
from lib.audit.measures import aucs

difference = sums[first, inside[first]][:, None] - sums[first, ~inside[first]]
pairs = (difference > 0).mean() + (difference == 0).mean() / 2
print(f"AUC of the first target:     {pairs:.3f}")
print(f"the library's function:      {aucs(sums, inside)[first]:.3f}")
print(f"mean over {len(sums)} targets:       {aucs(sums, inside).mean():.3f}")

# %% [markdown]
# The second measure is the share of members who are **identified** if at most one in a hundred of those who are not in the release is wrongly identified (the true positive rate at a false positive rate of 1%). It requires one threshold that serves all targets. Targets with many cells, or with crowded cells, have large sums whether they are members or not. The audit therefore compares each sum with the sums of the same cells in releases of the reference people. An attacker who makes this comparison needs the traces of other people as well. We evaluate both, the sums as they are and the sums after the comparison.

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
# Which targets are identified after the comparison? We separate those whose cells no reference person visits.

# %%
from lib.papers.audit import illustrations

compared = thresholds["sums after the comparison"]
print(illustrations.split_by_unseen(score, inside, unseen, compared))

# %% [markdown]
# The AUC is 0.90, but the sums as they are identify only 7 of 100 members, and the sums after the comparison only 5. The two measures answer different questions. The AUC compares the scores of *one target*, in releases that count this target and in releases that do not. For that comparison the sum works well. The threshold compares *different targets*, and for this the attacker must know what is usual for each target's cells.
#
# With only 100 different traces, the reference people are a poor guide to what is usual. No reference person visits the cells of 27 of the 245 targets. For these targets the comparison subtracts nothing and divides by 1, so the score is the whole sum. For 12 of them the score exceeds the threshold of 105 at least once in a release that does not count them. The scores of the other targets are in units of a standard deviation, and only one of these targets ever exceeds the threshold without being counted. So the 27 set the threshold, and they also account for 549 of the 599 right identifications. If we leave them out, the threshold falls to 30. But of the other targets the comparison then identifies only 2 of 100, so the threshold is not the only problem. An [exercise](audit-ex-own) shows how many more members the attacker identifies with a better guide to what is usual. Because the two measures can differ so much, this chapter reports both.
#
# The code sets the threshold with labels that an attacker does not have: it uses the true non-members of the attacked releases. We grant every attack this threshold, so that all attacks are compared at the same false positive rate. A real attacker would have to set it on releases of their own, and the false positive rate could then differ from 1%.
#
# Two more columns appear in the tables below. The **most exposed** are the tenth of the targets for whom the attack has the highest AUC in the shadow releases. They are chosen there and evaluated on other releases, which avoids selection bias. They are always chosen by their AUC, even where a table then states the share of them that is identified.
#
# The second column is the AUC of the **controls**. A control is in no simulated release, so no release is "with" this person. The audit nevertheless gives each control random labels: for each release a fair coin decides whether it counts as "with" or "without". The AUC of a control compares the scores of these two groups of releases.

# %%
# Random labels: the controls are in no simulated release
labels = games.test.members[games.controls]
control_sums = group.matrix[games.controls].astype(float) @ games.test.published
print(f"mean AUC of {len(labels)} controls: {aucs(control_sums, labels).mean():.3f}")

# %% [markdown]
# Nothing in a release depends on these labels. An attack on membership cannot guess them, and its AUC on the controls is 0.5 up to chance. If its AUC on the controls is not 0.5, the attack has learned the labels in another way. Its success on members is then no evidence of membership inference.
#
# ### What does one count reveal?
#
# The sum treats all cells alike. Should it? Suppose that the number of other people in a cell has a Poisson distribution with mean $\lambda$. The attacker sees a count of $k$ there. The likelihood ratio compares two probabilities of this count: the probability if the target was counted, and the probability if not:
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
# One person in a cell that is usually empty is strong evidence for the target. The twenty-first person in a crowded cell is almost no evidence. A **likelihood-ratio attack** multiplies such ratios over the target's cells. It uses the exact probability of each published value, which takes into account the noise, the rounding and the hiding. ([](thresholds.ipynb) derives it.)
#
# ### The attacks that need no training
#
# | attack | how it scores a target |
# |---|---|
# | *sum of the target's cells* | as above; its share identified is after the comparison with reference people |
# | *one threshold* | the same sum, after subtracting the 30% of members whom the attacker knows |
# | *two thresholds* | the number of the target's cells whose count exceeds its usual value |
# | *ratio, other people known* | likelihood ratio; the usual counts come from the reference people |
# | *ratio, 30% known* | the same, after subtracting the known members |
# | *independent ratio* | likelihood ratio; the usual counts come from the traces of everybody who may be counted, and cells are treated as independent |
# | *joint ratio* | the same, but all cells are weighed together: if two of the target's cells are also visited by one and the same other person, they are not independent |
# | *ratio, all others known* | the attacker subtracts the true records of all others |
#
# The attackers who know 30% of the others also have the traces of the reference people.
#
# The [last chapter](thresholds.ipynb) gives the independent and the joint ratio to an attacker who has traces of other people of the same kind. Here these two have the traces of everybody who may be counted. With the traces of other people, the audit runs only the ratio that treats cells as independent, and calls it *ratio, other people known*.
#
# All audits of this chapter are *quick* ones: they simulate up to 100 releases of each kind and attack at most 300 people. Here there are 245 targets, so this limit does not matter. They run the attacks of a full audit, except that ZK, the attack with synthetic traces, is left out. The intervals hold at 95% for *all measures of a release together* (a Bonferroni correction over 120 measures). Without this correction, the largest of so many measures would often look significant by chance alone. This correction makes the intervals wide. Small numbers of targets also make them wide. Most attacks are run on all 245 targets. Slow attacks are run on fewer: the *joint ratio* and *all others known* on 48 targets, and attacks that train a classifier on 12. The most exposed tenth of 48 targets is five people, so an interval can reach from 0.18 to 1.
#
# Each interval is Student's interval of a mean over targets. If all targets have the same value, Student's interval would have no width. It is then widened by the largest share of people whom so small a sample could have missed altogether (Clopper and Pearson). This is why 1.00 [0.84, 1.00] and 1.00 [1.00, 1.00] can stand side by side. Near 0 and 1, and for 12 targets, Student's intervals can be too narrow, so read an interval such as [0.00, 0.01] from 12 targets with care.

# %%
rows = experiments.stored_or_run(
    people, releases=releases, n_users=n_users, seed=seed, processes=processes
)
one = rows[(rows["data"] == name) & (rows["release"] == releases[0])]
plots.show_table(figures.members_table(one, figures.RULES), "rules")

# %% [markdown]
# The first row repeats what we computed by hand. The column *identified* shows what more knowledge is worth, and what a better use of it is worth. The sum after the comparison and the ratio with *other people known* use the traces of the same reference people. The sum identifies 5 of 100 members, and the ratio identifies 42. Two things are different.
#
# - The ratio weights each cell by its usual count.
# - The ratio treats the cells that no reference person visits in another way. For such a cell an estimate of $\lambda = 0$ would make $k / \lambda$ infinite. The attack does not take 0. It estimates each rate from the reference people's visits to the cell together with the mean of its place, and it allows for the uncertainty of the estimate. The rate has a gamma distribution, so the counts have a negative binomial distribution and not a Poisson distribution. So the attack does not conclude that a cell is always empty because 100 people did not visit it.
#
# We did not separate the two effects. With the traces of everybody who may be counted, the same kind of ratio identifies 87. An attacker who knows everybody else identifies all members. The controls are at chance level throughout.
#
# (audit-base-rate)=
# ### How often is the attacker wrong?
#
# An attacker who identifies 42 of 100 members seems to have learned something that they can act on. Whether they have depends on the **base rate**: how many of the people they consider were counted at all. Suppose that the attacker runs this attack on a thousand people. Who is flagged?

# %%
for counted in (500, 10):
    members, others = 0.42 * counted, 0.01 * (1000 - counted)
    print(
        f"{counted} of 1000 counted: {members:.0f} members and {others:.0f} others flagged"
    )

# %% [markdown]
# If half of the people were counted, nearly all of those flagged are members. If 10 were counted, most of those flagged were not: there are so many others that one in a hundred of them is more than all flagged members. The table also has attacks that identify fewer members; these are wrong more often. Each entry is the number of people, out of 100 flagged, who were never counted.

# %%
import pandas as pd

shares, flagged = (0.42, 0.07, 0.05, 0.02), {}  # of the members
for base_rate in (0.5, 0.1, 0.01):
    wrong = (1 - base_rate) * 0.01
    errors = [round(100 * wrong / (wrong + base_rate * share)) for share in shares]
    flagged[f"if {base_rate:.0%} were counted"] = errors
never_counted = pd.DataFrame(flagged, index=[f"{100 * s:.0f} of 100" for s in shares])
never_counted = never_counted.rename_axis("identified")
plots.show_table(never_counted, "base-rates")

# %% [markdown]
# Read these numbers as the attacker's error, not as the target's protection. An attacker who already suspects that the target was counted, such as the employer of the study, considers few people and is near the first column. An attacker who searches a whole city considers many people who were not counted. This attacker errs as often as the last column says, or more often. And a person who is flagged by mistake may be harmed as much as one who is flagged rightly.
#
#
# ### The attacks that learn from examples
#
# The next attacks train a classifier on labelled releases. Training takes long, so these attacks are run on 12 targets only. [Knock-Knock](knock_knock.ipynb) learns from one of three sources: releases of other groups of the same pool (*like groups*), earlier releases of the very groups that are attacked (*same groups*), or earlier releases of other groups (*past groups*). A [neural network](thresholds.ipynb) is trained for each target. One row of the table is not what it seems. Which one?

# %%
plots.show_table(figures.members_table(one, figures.LEARNED, exposed=False), "learned")
print(figures.not_tested(one))

# %% [markdown]
# *Knock-Knock, same groups* has an AUC of 1 for members, and also an AUC of 1 for the controls, who were never counted. The same groups are published in two periods, and each group keeps its labels, including the random labels of the controls. So the classifier recognises the *group*, and recalls the label that this group had in the earlier period. Without the controls, this row would look, by its AUC, like one of the most successful attacks on the page. The audit does not count it.
#
# (audit-places)=
# ### Attacks on places and trajectories
#
# Some attackers know who was counted, and want to know where these people were. We run eight attacks of this kind. [](crowd.ipynb) explains the first four of the next table, and [](fano.ipynb) explains the fifth and the sixth.
#
# - *BAYES* starts from the attacker's prior belief about where a person is, and multiplies the probability of each place by the count there.
# - *MAX_ROI* fills each place and hour with as many people as were counted, the likeliest first. *MAX_USER* takes one person after another, the most active first, and assigns each to every place that is among this person's habits and whose count is not yet used up.
# - *Joint profiles* fit the probabilities of all people at once, so that they add up to the counts.
# - An attacker who knows everybody else looks for the *most probable trajectory* or, hour by hour, for the *most probable place*.
# - *Joint trajectories* try to recover everybody's trajectories at once, from counts alone {cite:p}`xu2017ash`.
# - *Two releases* subtracts a release without the target from one with the target (a differencing attack).
#
# The **gain** is what the counts add to what the attacker knew before. For the first four attacks it is the share by which the counts reduce the prior's error. For the other attacks, it is the share of steps, or of visits, that the attack finds and its baseline does not. A *step* is a person's place in one hour. The **controls** are people or steps that this release does not hold. If the attack has a gain on the controls, too, that gain is not due to being counted, and it is subtracted. A negative gain on the controls is ignored: it shows that the counts mislead the attacker about people who are not in them, and this does not excuse the release. *Severity* says what the result means for the [verdict](audit-verdict), whose rules open the next section. An attack that is at *review* only gives a warning.

# %%
plots.show_table(figures.gains_table(one), "gains")
print(figures.trajectories_and_unicity(one))

# %% [markdown]
# Of these attacks, only MAX_ROI makes the release fail. What are the errors from which this gain is computed? The error is 1 minus the F1 score of the places and hours that the attacker names. The **F1 score** is the harmonic mean of two shares: the share of the named visits that are true, and the share of the true visits that are named. It is 1 if the attacker names exactly the true visits.

# %%
from lib.audit import localization

localized = localization.max_roi(games)
for words, each in localized.errors.items():
    print(f"mean error of members {words}: {each.mean():.4f}")
print(f"gain of members {localized.members.mean():.2f}, ", end="")
print(f"of controls {localized.controls.mean():.2f}")

# %% [markdown]
# MAX_ROI more than halves the error of the prior. But the prior is nearly perfect, because flight numbers repeat every week: its error is only 0.018, and the counts reduce it to 0.008. On the controls the gain is $-2.00$, which means that the counts triple their error. The attack treats the controls as if they had been counted, and puts them where other people were counted. For the controls, a guess from their habits alone would be better.
#
# The counts do not help BAYES significantly. MAX_USER and joint profiles do worse than the prior alone. Presumably they rely too much on the counts where the prior is already good. We did not test this.
#
# An attacker who knows everybody else recovers nearly all steps. The gain is only 0.26, because the baseline, the usual place of each hour, is already right so often. Two releases that differ by one person reveal all visits of that person, as they did for Ada. Joint trajectories gain nothing.
#
# The last line is about *unicity*. Unicity does not measure an attack on the counts. It measures the records behind them, which are not published: how many people are unique in these records if one, two or four of their visits are known?
#
# (audit-all)=
# ## Which release withstands which attacker?
#
# (audit-verdict)=
# ### How is a verdict reached?
#
# The tables from here on state a **verdict** on each release. It has four values.
#
# - *Fail*: for some attack with plausible knowledge, the lower end of the interval reaches a threshold. The thresholds are one member in ten identified or an AUC of 0.75, in the simulated releases or [at full size](audit-full-size); half of the most exposed tenth identified; or a gain of a tenth. An attack on membership counts only if its controls are at chance level. From a gain, a positive gain of the controls is subtracted first, and a negative one is ignored. A release also fails if hidden counts above 0 are recovered exactly from totals, or if a [lower bound](audit-epsilon) on $\varepsilon$ exceeds the declared value.
# - *Guaranteed*: nothing fails, and the release guarantees an $\varepsilon$ of at most 1, with $\delta$ at most 0.00001, for everything that a person does in the whole period.
# - *Review*: the release neither fails nor is guaranteed, but one of four things is true. Some attack is significantly better than its baseline. Or the controls of an attack are not at chance level. Or the nominal $\varepsilon$ is for one person at one place, as in Fourier perturbation, and a bound shows that the $\varepsilon$ of the whole person is larger. (A reader may take such an $\varepsilon$ to be the person's. Noise for a visit or for a day states its smaller unit openly.) Or the audit is not complete, which does not happen on this page.
# - *None succeeded*: no attack that was run succeeded, but no such guarantee is given. It never means "safe".
#
# A release fails only if the *lower end* of an interval reaches a threshold. Intervals are wide if there are few targets, so a small audit favours the publisher. The threshold of one in ten is a choice, too. The section on [the deciding attacks](audit-deciding) shows how the verdicts change with both choices.
#
# ```{admonition} Were the rules fixed before the results were known?
# Some of them were, and some were not. The dates come from the version history of this project. It cannot show what we had tried before a rule was recorded.
#
# The thresholds for the simulated releases were recorded on 22 November 2026, and so were the rules about controls, recovered counts and lower bounds on $\varepsilon$. The first audits were stored later on the same day. These thresholds have not been changed since. Four changes were made on 25 November, after these first audits:
#
# - *The traces of everybody who may be counted* became a worst case. Before, they were plausible. With the earlier rule, no further release would fail today.
# - *The thresholds at full size* were added. They are the same numbers. They decide three verdicts, all of them on the cabs: without these thresholds, the three releases that hide small counts would not fail there.
# - *The verdict guaranteed* was added. Before, noise for a whole person was *none succeeded* with Laplace noise and *review* with Gaussian noise, on these flights.
# - *The condition on a nominal $\varepsilon$* was added to *review*. It was written for Fourier perturbation, which was *none succeeded* before. Without this condition it would be so again, because no attack on it is significantly better than its baseline.
#
# The section on [the deciding attacks](audit-deciding) prints the effect of the first two changes.
# ```
#
# (audit-review)=
# ### What does a review ask?
#
# *Review* is a warning, and no answer. The rules cannot decide, so a person must: whoever is responsible for the publication, together with the data protection officer. Four questions help.
#
# 1. *Does the release serve its purpose?* If not, there is nothing to weigh against the risk, and the answer is no.
# 2. *Who could be the attacker behind the warning?* The reviewers ask whether somebody has this knowledge, or could get it. In the worst case it is nearly everybody's records, for example those of a company that supplied most of them.
# 3. *What else is published?* Totals, corrections and the table of the next month can add to the risk.
# 4. *How large might the risk be?* The reviewers look at the upper end of the interval, and at how much the share varies with the people who are counted.
#
# The answer is yes only if the release serves a stated purpose, if nobody is likely to have the knowledge behind the warnings or the upper ends would be acceptable, and if nothing else is published that adds to the risk. Otherwise the release is changed and audited again, or it is not published. We [review](audit-our-review) the five flight releases below, when their usefulness is known.
#
# ### How many members does each attacker identify?
#
# For each release and each kind of knowledge, the next table shows the share of members whom the best attack identifies.

# %%
plots.show_table(figures.identified_table(rows), "knowledge")

# %% [markdown]
# The first column is the sum after the comparison with the reference people. The attacker of this column therefore also needs the traces of other people.
#
# First compare columns. On raw counts the sum identifies 5 of 100 members, and the ratio with the same traces identifies 42. So it matters a lot how an attacker uses these traces. With the traces of everybody who may be counted, the same kind of ratio identifies 87, as the table of the attacks without training shows. The *joint ratio*, which weighs all cells together, raises this to 97. Hardly anybody has these traces, so this attacker is a worst case and does not decide the verdict.
#
# Then compare rows. Take the attacker with other people's traces. From raw counts they identify 42 of 100 members, and from counts with event-level noise of $\varepsilon = 1$ they identify 13. An attacker with everybody's traces still identifies 91, because a flight number has many visits and each of them reveals a little.
#
# ```{note}
# Each column holds the best attack *that we have*. In these tables, an attacker with more knowledge may therefore identify fewer people than an attacker with less. For example, only Knock-Knock makes use of past releases, and it is a weaker attack than the likelihood ratio.
# ```
#
# The figure shows the same for all eleven releases, attack by attack. These are *stored results*: they were computed once.

# %% mystnb={"figure": {"name": "fig-audit-map", "caption": "Members identified of 100, by attack (row) and release (column), at a false positive rate of 1%. The more are identified, the more a cell's colour stands out from the page. Attacks above the horizontal line have plausible knowledge, and can make a release fail; attacks below it are worst cases, and only give a warning. The columns are in three blocks, by what the release guarantees: nothing, an ε for a visit or a day, or an ε for a person (1; for fpa, whose ε of 1 is for one place, at most 10.3). 500 flights by number, stored results of quick audits with 100 releases of about 175 people and 245 targets (48 for the joint ratio and for all others known). *: 12 targets only. KK: Knock-Knock. A guess identifies 1. ×: the controls are not at chance level, so the attack does not count. From raw counts, the likelihood ratios of attackers with plausible knowledge identify 42 and 45 of 100 members, and those of the worst cases identify most members. In the worst cases they also identify most members from counts with event-level noise. From rounded counts, only the attacker who knows everybody else identifies most members. Noise for a day or a person leaves next to nothing."}, "image": {"alt": "A table of 12 attacks (rows) against eleven releases (columns) with the members identified of 100 written in each coloured cell. Eight rows of plausible attacks stand above a line, four worst cases below it. Above the line, only the two likelihood ratios on raw counts have a strong colour, 42 and 45. Below it, the likelihood ratios have 55 to 100 on raw counts and on event-level noise, and the attacker who knows everybody else has 64 on rounded counts. All other cells are pale and hold 15 or less, most of them 0 to 3."}} tags=["hide-input"]
print("Stored results:", experiments.audit_releases.source("flights-by-number"))
kept = experiments.audit_releases.stored("flights-by-number")
figures.show_risks(kept)

# %% [markdown]
# From counts rounded to 5, an attacker who knows everybody else identifies 64 of 100 members: the target's visit is visible wherever it moves a count to the next multiple of 5. An attacker with other people's traces identifies 5. The intervals of all releases are in the folded table.

# %% tags=["hide-input", "hide-output"]
more = figures.identified_table(kept).drop(releases, errors="ignore").head(8)
plots.show_if_any(more, "knowledge-kept", "All releases of the figure were above.")

# %% [markdown]
# A mean over all members can hide a few people who are at a much higher risk. The next table shows the same for the most exposed tenth, for five releases. The folded table below it has the other six.

# %%
kept = experiments.audit_releases.stored("flights-by-number")
exposed_rates = figures.identified_table(kept, figures.EXPOSED)
discussed = ["raw", "mds-k10", "suppress-10-round-5", "round-5", "event-epsilon-1"]
plots.show_table(exposed_rates.loc[discussed], "exposed")

# %% tags=["hide-input", "hide-output"]
plots.show_table(exposed_rates.drop(discussed), "exposed-kept")

# %% [markdown]
# In some lines the most exposed are identified *less* often than the average. How is this possible?

# %%
chosen = [
    ("raw", "sum-of-cells"),
    ("round-5", "sum-of-cells"),
    ("event-epsilon-1", "likelihood-ratio-others"),
]
plots.show_table(figures.exposed_table(kept, chosen), "exposed-auc")

exposed = illustrations.most_exposed_by_sum(games)  # a tenth of the targets
print(f"raw, sum, median score of the {len(exposed)} most exposed:")
for words, releases_of in (("without", ~inside), ("with", inside)):
    print(f"  {words} the target {np.median(score[exposed][releases_of[exposed]]):.1f}")
print(f"threshold {compared:.0f}")

# %% [markdown]
# The most exposed are chosen by their AUC, and it is indeed higher for them. An AUC compares one target's scores in releases that contain this target with the same target's scores in releases that do not. Identification compares the scores of all targets with one threshold. On raw counts, the scores of the most exposed are clearly higher in releases that count them than in the others. But the threshold of 105 is set by the targets whose cells no reference person visits, and hardly any score of the most exposed reaches it. The AUC and the share identified can therefore name different people as most at risk.
#
# Hiding counts below 10 is the release for which the most exposed matter most. The sum identifies 2 of 100 members, and 13 [4, 22] of the most exposed tenth. Does this attacker need other people's traces? We repeat the attack with the sums as they are:

# %%
hiding_games = Game(group, parse("mds-k10"), seed, quick=True)
here = hiding_games.test.members[hiding_games.targets]
plain = visits @ hiding_games.test.published
at_risk = illustrations.most_exposed_by_sum(hiding_games)
plain_threshold = np.quantile(plain[~here], 0.99)
above = plain > plain_threshold
shares = (above & here).sum(axis=1) / here.sum(axis=1)
print(
    f"sums as they are: threshold {plain_threshold:.0f}, identified {shares.mean():.3f}"
)
print(f"identified of the most exposed tenth: {shares[at_risk].mean():.3f}")

# %% [markdown]
# These shares, 2 and 13 of 100, are those of the tables above. So the attacker needs nothing but the target's visits. The threshold is 0, because at least 99 of 100 sums are 0 in releases that do not count the target. Any published count in a target's cells therefore exceeds it.
#
# Who are the most exposed? In a cell whose count is always hidden, a visit cannot be seen. The next lines show that no cell is published in all of the shadow releases. So a visit shows mainly in a cell whose count is published in some releases and hidden in others. We count the targets who have such a visit.

# %%
often = (games.shadow.raw >= 10).mean(axis=1)  # how often each cell would be published
now_and_then = visits @ ((often > 0.05) & (often < 0.95))
near = now_and_then > 0
found = above & here
print(f"cells published in all shadow releases: {(often == 1).sum()}")
print(
    f"targets with a visit in a cell published now and then: {near.sum()} of {len(near)}"
)
print(f"right identifications: {found[near].sum()} of {found.sum()} are of them")
print(f"most exposed targets among them: {near[at_risk].sum()} of {len(at_risk)}")

# %% [markdown]
# Hiding small counts protects most people by not publishing their visits at all. In releases of this size, the few who have visits in counts near the threshold carry most of the risk. These 22 of 245 targets account for 167 of the 203 right identifications. Nearly all of the most exposed are among them.
#
# (audit-full-size)=
# ### Does the size of the release matter?
#
# A simulated release holds only half of the pool. We therefore also measure some attacks *at full size*, on one release of everybody except the reference people. For each target in turn, the attack is run twice: on this release with the target and on the same release without the target.
#
# The release at full size counts 400 people, the pool and the controls. So it has no controls of its own. Two things take their place. The scores *without* the target are scores of true non-members, and the threshold is set on them. And the rules of the [verdict](audit-verdict) require, at full size too, that the controls of the same attack are at chance level in the simulated releases.
#
# There are 245 targets, or 48 if the attacker knows everybody else. We set the threshold so that it lets through at most 1% of the scores from releases without the target. Raw, hidden or rounded counts give one such score per target. If there are 245 scores without the target, at most 2 of them may exceed the threshold, because 1% of 245 is less than three. If there are 48 scores, none may exceed it, because 1% of 48 is less than one. Noise is drawn ten times for each target, so noisy releases give ten times as many scores.
#
# Are 48 scores enough to set such a threshold? For raw, hidden and rounded counts, an attacker who knows everybody else does not need an estimate. Nothing in these releases is random, so this attacker can compute the table that would be published *without* the target. If the target was not counted, this is the published table. If the published table is another one, the target was counted. In terms of the likelihood ratio, a score above 0 is possible only if the target was counted. So this attacker never identifies a non-member, as long as what they know about the others is exact. We check this for counts below 10 hidden:

# %%
from lib.audit.membership import informed_likelihood_ratio

few = hiding_games.sample(48)  # the targets on which the audit runs this attack
informed = informed_likelihood_ratio(hiding_games, few)
at_full = np.hstack([informed.full.without, informed.full.with_target])
few_cases = {
    "smaller releases": (informed.test, hiding_games.test.members[few]),
    "full size": (at_full, np.repeat([[False, True]], len(few), axis=0)),
}
for words, (few_scores, counted) in few_cases.items():
    false_scores = few_scores[~counted]
    print(f"{words}: {(false_scores > 0).sum()} of {false_scores.size:,} ", end="")
    print("scores without the target are above 0;")
    true_rates = ((few_scores > 0) & counted).sum(axis=1) / counted.sum(axis=1)
    print(f"  share of members with a score above 0: {true_rates.mean():.3f}")

print("full size, five divisions of the 500 people:")
for division in range(5):  # who is a control, a reference person or a target
    divided = Game(group, parse("mds-k10"), seed + division, quick=True)
    at_once = informed_likelihood_ratio(divided, divided.sample(48)).full
    share = (at_once.with_target > 0).mean()
    print(f"  {share:.3f}, {(at_once.without > 0).sum()} false identifications")

# %% [markdown]
# No score without the target is above 0, whatever the size. For these two sizes the shares may therefore be compared: both hold at a false positive rate of 0. The share at full size hardly depends on how the 500 people are divided. In five divisions, each with 48 targets of its own, it lies between 44 and 60 of 100. For attackers who know less, the threshold is an estimate. At full size it rests on the scores of 245 targets in one and the same group, so these scores are not independent, and 1% is an approximation.

# %%
full = figures.identified_table(kept, f"{experiments.FOUND}, full size")
plots.show_table(full, "full-size")

# %% [markdown]
# Fourier perturbation is missing from the tables at full size, here and for the cabs below, because it was not run there. At full size, the audit redraws only the target's own cells for each target, whereas Fourier noise is drawn jointly for all hours of a place.
#
# Size may work in both directions. The larger a count usually is, the less one more person changes its probability, as the ratio $k / \lambda$ showed. So larger counts should conceal a person better. But where small counts are hidden, a larger release hides less, because fewer of its counts fall below the threshold of 10. The tables agree with both. With other people's traces, an attacker identifies fewer members at full size under event-level noise (6 [1, 11] of 100, and 13 [9, 18] in the smaller releases). With `mds-k10` they identify more at full size: 7 [1, 12] of 100, against 2 [0, 3] in the smaller releases.
#
# These comparisons are not yet fair, because the two evaluations differ in more than size. The smaller releases count 100 different groups, and one threshold serves all of them. At full size there is only one group, and the threshold is set on it. We therefore add a third evaluation. It takes each of the smaller releases alone and sets the threshold on the targets who are not in it:

# %%
noisy_games = Game(group, parse("event-epsilon-1"), seed, quick=True)
both_games = {"event-epsilon-1": noisy_games, "mds-k10": hiding_games}
plots.show_table(illustrations.shares_by_size(both_games), "size-first-division")

# %% [markdown]
# How much of the table is published with counts below 10 hidden, in the smaller releases and at full size?

# %%
smaller = hiding_games.test
print(f"smaller: {smaller.published.sum() / smaller.raw.sum():.3f} of the visits")
counts_of_400 = hiding_games.full_counts
kept_visits = counts_of_400[counts_of_400 >= 10].sum()
print(f"full size: {kept_visits / counts_of_400.sum():.3f} of the visits")

# %% [markdown]
# The last column of the table has plain 95% intervals of a mean over the 245 targets, who are attacked both times. These two intervals are not corrected for many measures, as those of the audit are. They also take the groups as given, and this matters: under event-level noise, the share identified differs widely from one group to the next. At full size there is only one group. Is it a lucky one? We divide the 500 people four more times into controls, reference people and pool, and repeat the three evaluations. These are stored results. The first division is that of the audit. The middle column is a mean over 100 releases that are evaluated one by one.

# %%
from lib.papers.audit import size_experiments as by_size

by_division = by_size.size_table(by_size.sizes.stored("flights-by-number"))
by_division = by_division.rename(
    columns={"smaller, each alone": "smaller, mean of each alone"}
)
plots.show_table(by_division.round(3), "size-divisions")

# %% [markdown]
# Under event-level noise, the attacker identifies *more* members, on average, if each smaller release is evaluated on its own than if all of them share one threshold. The design of the evaluation therefore cannot explain why the share is lower at full size. It is lower in all five divisions, so this attacker identifies fewer members of the larger release. There are two possible reasons. Larger counts may conceal a person better. Or the same 100 reference people may be a poorer guide to the counts of 400 people than to those of 175. We did not separate the two. The attacker who knows everybody else needs no guide, and identifies all members at both sizes.
#
# With `mds-k10` the design hardly matters, and the share is higher at full size in four of the five divisions. The reason is in the shares of visits that are published. The smaller releases publish next to nothing, and the release at full size publishes 15% of the visits. The effect is clearer for an attacker who knows everybody else. They identify 1 [0, 3] of 100 members of the small releases. At full size they identify 24 of the 48 targets, which is 50 [22, 78] of 100, and between 44 and 60 of 100 in the five divisions. As shown above, this attacker makes no false identification at either size.
#
# The plausible attacker with *other people's traces* identifies 7 [1, 12] of 100 members of this release. The interval is wide. It contains 1 of 100, the rate of random guessing, and it also reaches beyond 10 of 100. The lower end does not reach 10, so the release does not fail. The interval is about the choice of targets within one division of the people. In the five divisions of the table, the share lies between 2 and 9 of 100, and the interval does not cover this. The section on [the deciding attacks](audit-deciding) returns to this.
#
# (audit-other-data)=
# ### Aircraft, cabs and riders
#
# Do these results hold for other data? We compare flight numbers with aircraft (flights by tail number), with cabs of San Francisco, of which we take 500, with the 171 [riders of shared bikes](kk-riders), who are people, and with synthetic commuters (called *surrogate* in the tables). The table shows what an attacker with the traces of other people identifies. These, too, are stored results of quick audits, of 500 people or, for the riders, of all of them. The cabs are the one dense set: these 500 made nearly two million visits in three weeks, thousands each.

# %%
others = ["flights-by-tail", "cabspotting", "valleybike", "commuters"]
elsewhere = [experiments.audit_releases.stored(each) for each in others]
all_data = pd.concat([kept, *elsewhere], ignore_index=True)
plots.show_table(figures.data_table(all_data, "other people"), "data")
print(*map(experiments.audit_releases.source, others), sep="\n")

# %% [markdown]
# What remains useful? A planner may ask which places are visited most. We measure this by the Spearman rank correlation between the published and the true visits of the places: 1 if their order is preserved, 0 if nothing of it is left. The lines below the table state the share of visits that is published.

# %%
plots.show_table(figures.order_table(all_data), "data-order")
print(figures.visits_published(all_data[all_data["release"] == "mds-k10"]))

# %% [markdown]
# On the sparse data, noise for a day or for a person leaves little of the order of places. On the dense counts of the cabs it leaves more: 0.85 with noise for a day, and 0.64 with Gaussian noise for a whole person, whose $\varepsilon$ is guaranteed. So a guarantee does not make hourly counts useless by itself. It does so where counts are small.
#
# Aircraft are much more exposed than flight numbers. Under event-level noise, this attacker identifies 81 of 100 aircraft and 13 of 100 flight numbers. The lines below the table show one difference between the two. Only 8% of the visits of aircraft are in counts of 10 or more, but 25% of the visits of flight numbers are. The counts of aircraft are smaller, so presumably the other users conceal a target less.
#
# The size of the counts is not the whole explanation. Of the visits of cabs, 98% are in counts of 10 or more, and yet this attacker identifies 83 of 100 cabs from raw counts. No visit of the riders is in such a count, and yet only 27 of 100 riders are identified. Presumably the number of visits of a person matters as well. Each visit adds a little evidence, a cab makes thousands of visits, and a rider makes few.
#
# For riders, hiding counts below 10 leaves nothing, because no count is that large. On the cabs, the same threshold hides next to nothing. From the simulated releases with counts below 10 hidden, an attacker with the traces of other cabs identifies 8 [7, 9] of 100 cabs. The lower end would have to reach 10 of 100 for the release to fail. An attacker who knows everybody else identifies all of them, as the next table shows, but this attacker is a worst case and only gives a warning.

# %%
worst = figures.data_table(all_data, "everybody else")
discussed_here = ["raw", "mds-k10", "round-5", "event-epsilon-1"]
plots.show_table(worst.loc[discussed_here], "worst")

# %% tags=["hide-input", "hide-output"]
plots.show_table(worst.drop(discussed_here), "data-worst")  # the other releases

# %% [markdown]
# The verdict on the cabs is decided by the release at full size, in which 400 of them are counted:

# %%
cab_rows = all_data[all_data["data"] == "cabspotting"]
full_cabs = figures.identified_table(cab_rows, f"{experiments.FOUND}, full size")
plots.show_table(full_cabs, "full-size-cabs")

# %% [markdown]
# With counts below 10 hidden, an attacker with the traces of other cabs identifies 35 [24, 46] of 100 cabs at full size. This attacker is plausible, and the lower end of the interval exceeds 10 of 100. The release therefore fails. Hiding counts up to 15 fails in the same way. Rounding to 5 already fails in the simulated releases, where 13 [11, 15] of 100 are identified, as the first table of this section shows.
#
# On the cabs the shares *rise* at full size in the division of the audit, for every release without noise for a day or a person except the raw counts. With event-level noise this attacker identifies 14 [12, 16] of 100 in the simulated releases and 42 [31, 52] at full size. With counts below 10 hidden it is 8 [7, 9] and 35 [24, 46]. Hiding cannot be the whole reason: event-level noise hides nothing, and the share rises there, too. The two evaluations also differ in another respect. At full size there is one group of people, and the threshold is set on it. We repeat the three evaluations on the cabs:

# %%
cabs_by_division = by_size.size_table(by_size.sizes.stored("cabspotting"))
cabs_by_division = cabs_by_division.rename(
    columns={"smaller, each alone": "smaller, mean of each alone"}
)
plots.show_table(cabs_by_division.round(3), "size-divisions-cabs")

# %% [markdown]
# Compare the second column with the last. In both, each release has its own threshold. For both releases and in all five divisions, this attacker identifies fewer cabs at full size than in the smaller releases. As with the flights, there are two possible reasons: the larger counts may conceal a cab better, or the 100 reference cabs may be a poorer guide to 400 cabs than to 175. We did not separate the two. An attacker who knows everybody else needs no such guide, and identifies all cabs from these two releases at both sizes.
#
# Now compare the first column with the second. Both use the same scores, and only the threshold differs. A threshold for each release helps the attacker much. At full size the attacker therefore gains from the threshold and loses from the size. From the first column to the last, the shares rise in the first four divisions, where the gain is larger, and fall in the fifth. On dense counts, the scores of everybody shift from group to group, and one threshold for 100 groups has to allow for the groups with the highest scores. An attacker of one release does not have to. The first column therefore understates what an attacker learns from one release of dense counts.
#
# The table also shows that the share at full size depends on the division: with counts below 10 hidden it lies between 0.020 and 0.531. The verdict rests on the interval 35 [24, 46]. This interval reflects only the choice of targets within one division, and not the differences between divisions. In the fifth division, the share identified at full size would not make the release fail. Evaluated one by one, the smaller releases give 0.354 or more on average in every division. So the release does not withstand this attacker. How many members they identify depends strongly on who is counted.

# %% [markdown]
# What does this mean for the decision? The table below states the verdict of each release on each data set. Raw counts and event-level noise fail on all five data sets. Noise for a whole person is guaranteed on all five, Fourier perturbation is in review on all five, and no attack succeeds against Google's process on any. For the other five releases, the verdict depends on the data. These five hide small counts, round, do both, or add noise for a day. On the riders' data, where no count reaches 10, no attack succeeded against the release that hides counts below 10. The same release fails on the cabs, where most visits are in larger counts.

# %%
verdict_rows = all_data[all_data["part"] == "verdict"]
by_data = verdict_rows.pivot(index="release", columns="data", values="measure")
plots.show_table(by_data.loc[list(experiments.RELEASES)], "data-verdicts")

# %% [markdown]
# (audit-forced)=
# ### How many hidden counts do totals force?
#
# Totals that are published beside hidden counts force some of these counts, as in the example of the [six users](audit-six). How many do they force in a large table? We publish the totals of places and hours beside the counts of the 500 flight numbers, for all four weeks. Counts below 10 are hidden. We do this once as `mds-k10` does, which hides zeros as well, and once with zeros published.

# %%
from lib.aggregation import aggregate
from lib.papers.audit import ranking_experiments as guessing

true_counts = aggregate(group, [np.arange(group.n_users)])[0].astype(int)
for zeros, smallest in guessing.LEAST.items():  # the smallest count that is hidden
    with_totals = guessing.publish(true_counts, smallest)
    follows = guessing.forced(with_totals)
    above_0 = with_totals.hidden & (true_counts > 0)
    print(f"{zeros}: {follows.sum():,} of {with_totals.hidden.sum():,} are forced;")
    print(f"  of those above 0, {(follows & above_0).sum():,} of {above_0.sum():,}")

# %% [markdown]
# If zeros are hidden, about a quarter of the hidden counts are forced, and all of them are zeros. They reveal that nobody was there. This can matter, as the night tram shows. None of the forced counts reveals a visit. The table of the six users was different: there a hidden count was at most 1, so a total of three blanks that is 3 forces three ones. Here a hidden count can be as large as 9, and the same rule needs a total of 27. If zeros are published, an attacker knows that each hidden count is at least 1, and this changes the result: the totals force 2,308 of 9,768 hidden counts, which is nearly a quarter. By the rules of the [verdict](audit-verdict), a release fails if hidden counts above 0 are recovered. So zeros and totals must not both be published beside hidden counts.
#
# An attacker can also *guess* the counts that the totals do not force. The next chapter tests [how good such guesses are](audit-ranking), and how good they are without the release. It also lets [a machine search for attacks](audit-search), and asks what the attacks reveal about [real riders](audit-riders).

# %% [markdown]
# (audit-epsilon)=
# ## What epsilon guarantees, and what trials show
#
# ### A bound from many trials
#
# A guarantee can be tested. If a mechanism is $\varepsilon$-differentially private for a unit, then any test says "in" at most $e^\varepsilon$ times as often when the unit is in the data as when it is not. So we run the mechanism many times with the unit and many times without it, and count how often a test says "in".
#
# Consider one cell that holds either nobody or only the target. Laplace noise is added to its count. The test is fixed beforehand: is the published count at least 1? Both rates are known only up to sampling error, so we use the lower confidence limit of one and the upper limit of the other.

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
# A lower confidence bound on the true $\varepsilon$, computed from outputs of the mechanism. From repeated trials it is the logarithm of the lower limit of the true positive rate divided by the upper limit of the false positive rate. From one run with guesses about many people, it is the smallest $\varepsilon$ under which the number of right guesses is not surprising. The **ceiling** of an empirical epsilon is the bound that a test without any error would give. The same trials, or the same number of guesses, cannot show more than the ceiling.
# ````
#
# ### A bound from one run
#
# A mechanism can be run thousands of times. To repeat a whole release thousands of times is rarely possible. {cite:t}`steinke2023` need *one* run. They include each of many people at random with probability one half, publish once, and guess who was included. If the release is $\varepsilon$-DP for a person, each guess is right with probability at most $p = e^\varepsilon/(1 + e^\varepsilon)$. A bound on each single guess does not by itself make the total binomial, because all guesses concern the same release and depend on each other. A theorem of the same paper replaces this missing step. It shows that the number of right guesses among $r$ is stochastically dominated by the number of heads in $r$ independent tosses of a coin with probability $p$: it exceeds any value at most as often. We may therefore compare this number with a binomial distribution. Suppose we decide beforehand to make 90 guesses. What does the number of right guesses say about $\varepsilon$? We list every $\varepsilon$ under which so many right guesses are not surprising, and take the smallest.

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
# The table compares the declared $\varepsilon$ with four lower bounds from trials. These are stored results. The number in brackets after each bound is its ceiling. All bounds of a release hold together with 95% confidence.
#
# - *With and without the unit*: the bound from many trials above. One of the two inputs lacks all visits of one unit. This unit is the one with the most visits in the records: a visit, the busiest day of a person, or the person with the most visits.
# - *Many users in one cell*: either $k$ people are all in one cell, or none is. Their joint effect on that count is $k$ times that of one visit, and an [exercise](audit-ex-proof) shows how the bound for $k$ people becomes one for the unit. It assumes that noise is independent from cell to cell. The ceiling is scaled in the same way and can therefore be large.
# - *Difference of two hours*: again, either all $k$ people are in one cell or none of them is. The test looks at the difference between this count and the count of the same place at another hour. It is included because it can detect an error that the other tests [can miss](audit-missed).
# - *One run*: the one-run bound above, with a person as the unit. The audit guesses about a fifth of its targets: of 245, the 24 with the highest scores of the *independent ratio* are guessed to be members, and the 24 with the lowest to be non-members. Each of the four bounds is given a quarter of the error of 5%. The ceiling is therefore lower than that of the example:

# %%
# The smallest p for which 48 right guesses of 48 are not surprising
p_least = (0.05 / 4) ** (1 / 48)
print(f"ceiling of 48 guesses: {np.log(p_least / (1 - p_least)):.2f}")
plots.show_table(figures.epsilon_table(kept), "epsilon")

# %% [markdown]
# The dashes stand for bounds that do not exist: the noise of Fourier perturbation is not drawn cell by cell, so two of the tests do not apply to it. No bound exceeds the declared value of its unit. The bound from *many users in one cell* comes close to the declared value. There is therefore hardly more noise than the guarantee needs. Two ceilings, 26.6 and 48.9, are much higher than so few trials could reach by counting errors alone. The first is scaled from many people in one cell to a unit, and the second is converted through the curve of Gaussian noise. Both conversions assume something about the noise. The bound *with and without the unit* is close to 0 if the unit is a day or a person. This does not prove that less noise would do: the guarantee has to hold for the worst data, and these data are typical.
#
# From one run of event-level noise, we learn that the $\varepsilon$ of a person is at least 2.35. This is the ceiling, so the run could not show more. It does not contradict the declared 1, which is for one visit: a person has many visits.
#
# Fourier perturbation is different. It is given an $\varepsilon$ of 1 for one person at one place. A guarantee for a whole person must hold for every possible person, and not only for those in the records. We therefore construct a person who visits many places. This person stays 7 hours at each of 96 places, one place after the other, for all 672 hours. The number of 96 places is the one with the largest $\varepsilon$, if the person stays equally long at each. For such a pair of inputs the $\varepsilon$ need not be estimated from trials. It is computed exactly from the distribution of the noise, and its ceiling is the value itself.

# %%
plots.show_table(figures.fourier_table(kept), "epsilon-fourier")

# %% [markdown]
# The $\varepsilon$ of a whole person is therefore at least 3.93, more than the nominal 1. It is at most 10.3, by the bound [above](audit-releases). The guarantee has to hold for this possible person, too. If we take the person with the most visits in the records instead, the same computation gives an $\varepsilon$ of only 0.031. The largest bound from trials is 0.253. It is for another person whom we constructed, who stays at one place.
#
# ### Does the alarm ring?
#
# A bound above the declared value is an alarm: the noise is not what was declared. We test the alarm on a release for a whole person, with the right scale of noise, with half of it and with a quarter. The release counts at most 672 visits of a person, so the scale is $672 / \varepsilon$. In order to see an effect in one cell, we put 672 people into it.

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
# The audit does the same with at most half of the people in one cell, and chooses the best threshold of the test from the first half of the trials:

# %%
wrong = experiments.weakened_noise(group, epsilon, [1, 0.5, 0.25], 200_000, seed)
plots.show_table(wrong, "weakened")

# %% [markdown]
# (audit-missed)=
# ### Can a test miss an error?
#
# The scale is one of many things that can be wrong. Suppose that noise is drawn once for a place and used for all its hours. Each count then has the right noise, so a test of one hour finds nothing wrong. What does the difference of two hours show, if the target is in the first of them?

# %%
from lib.audit.measures import clopper_pearson_epsilon

n, rng = 50_000, stream(seed, "reused noise")
visit = np.array([1, 0])
for words, n_drawn in (("one for each hour", 2), ("one for both hours", 1)):
    noise = rng.laplace(scale=1 / epsilon, size=(2, n, n_drawn))
    without, with_target = (noise[0] + 0 * visit).round(6), (noise[1] + visit).round(6)
    one_hour = clopper_pearson_epsilon(without[:, 0], with_target[:, 0])
    both = clopper_pearson_epsilon(without @ [1, -1], with_target @ [1, -1])
    print(
        f"{words}: one hour at least {one_hour.lower:.2f}, two hours {both.lower:.2f}"
    )

# %% [markdown]
# Noise that is used twice cancels in the difference, and the target is identified with certainty. With correct noise, the difference shows less than one hour does (0.68 and 0.94), because it contains the noise of two counts. Neither test replaces the other. A bound finds only the errors that its test looks for, so the audit runs several tests. We planted six bugs. Each of them is detected by one of the tests, and correct noise raises no alarm (`tests/audit/test_planted_bugs.py`).
#
# | bug | the bound that detects it |
# |---|---|
# | half the scale | many users in one cell |
# | noise reused over hours | difference of two hours |
# | one seed for all releases | many users in one cell |
# | forgotten cap on visits | largest unit in the records, computed exactly |
# | $\delta$ used for two noises | largest unit in the records, computed exactly |
# | Fourier coefficients that are not normalised | one person at one place |
#
# For Gaussian noise, the audit converts the two error rates of a test to $\varepsilon$ through the trade-off curve of the normal distribution {cite:p}`nasr2023`. A trade-off curve gives, for each false positive rate, the smallest false negative rate that any test can have; here the test must tell apart two normal distributions with the same variance and different means. This gives a higher bound than the definition of $(\varepsilon, \delta)$-DP alone.

# %% [markdown]
# (audit-use)=
# ## Risk against usefulness
#
# The quality of counts is often measured by their mean relative error (counts of 0 are taken as 1). What is this error if you publish 0 everywhere? Guess before you look.

# %%
from lib.audit import usefulness

day = (group.epochs - group.epochs[0]).days.to_numpy()
nothing = usefulness.measure_usefulness(
    true_counts, 0 * true_counts, group.epochs.hour, day
)
print(f"counts of 0:                             {(true_counts == 0).mean():.3f}")
print(f"mean relative error of zeros everywhere: {nothing['MRE']['value']:.3f}")

# %% [markdown]
# Most counts are 0, so zeros are nearly right. By this measure, hiding counts below 10 is hardly better than publishing nothing, and user-day-level noise is far worse. We therefore use the rank correlation of places as well. The next table puts both measures, and the published visits as a share of the true ones, beside the [verdict](audit-verdict). Noise can make the share larger than 1 or even negative. Usefulness is measured on releases of all 500 people. Risk is not: most attacks were run on releases of about 175 people, and some on the release of 400.

# %%
compared = ["other people", "everybody else"]
use = figures.risk_and_use_table(kept, compared)
visits_kept = kept[kept["measure"] == "visits published"]["value"].to_numpy()
use.insert(3, "visits published", visits_kept.round(3))
plots.show_table(use.iloc[:, :4], "use")

# %% [markdown]
# Does the difference between 400 and 500 people matter? Where small counts are hidden, it might matter, so we measure the usefulness of `mds-k10` and `flowkit-15` on the release of 400 as well.

# %%
table_of_400 = hiding_games.full_counts.reshape(true_counts.shape)
for preset, smallest in (("mds-k10", 10), ("flowkit-15", 16)):
    shown_of_400 = np.where(table_of_400 >= smallest, table_of_400, 0)
    of_400 = usefulness.measure_usefulness(
        table_of_400, shown_of_400, group.epochs.hour, day
    )
    for measure in (experiments.ORDER, "visits published"):
        print(f"400 people, {preset}, {measure}: {of_400[measure]['value']:.3f}")

# %% [markdown]
# The order of places is preserved equally badly by `mds-k10` at both sizes, and worse by `flowkit-15` at 400: the rank correlation is 0.165 instead of 0.29. The share of visits that is published depends strongly on the size. `mds-k10` publishes 0.2% of the visits in releases of about 175 people, 15% for 400 people, and 25% for 500. Risks from the small releases would therefore look too favourable beside the usefulness of a release of 500. For this reason the figure below shows the risks at full size, for 400 people. We could not attack a release of all 500, because the reference people must not be counted in a release that is attacked. The risk may be larger there.

# %% [markdown]
# Counts are published for a purpose, and a release can serve one purpose and not another. We look at three. A *planner* wants to know the busiest places. A *timetable* needs the busiest hour of each place. An *operator* wants the total of each place on each day. The first two columns give the shares of the busiest places and of the busiest hours that are found. The last column is the relative error of a daily total, at the median of the totals that are not 0. The last line shows what is achievable without any counts.

# %%
plots.show_table(figures.purposes_table(kept, nothing), "purposes")

# %% [markdown]
# A release may be useful for one purpose and useless for another. Event-level noise preserves the busiest places (0.97) and most of the busiest hours (0.63), but a daily total is off by more than itself. Rounding to 5 finds 8 of the 10 busiest places, and little else. Hiding small counts loses at least half of the daily totals that are not 0: their error is 1, the error of publishing zeros. No release but the raw counts serves the operator. (With noise, values are means over 20 draws.)

# %% mystnb={"figure": {"name": "fig-audit-use", "caption": "Share of members identified by the best attack with each knowledge, against the rank correlation of places by visits. Flights by number, stored results, targets as in {numref}`fig-audit-map`. The share identified is that at full size, from a release of 400 people. The rank correlation is that of a release of all 500. Fourier perturbation (J) was not run at full size; its shares are those from releases of about 175 people. The vertical axis is logarithmic; shares and ends of intervals below 0.005 are drawn at 0.005. Releases that would cover each other are drawn side by side, at most 0.04 away from their true rank correlation. Bars: 95% intervals. Dotted: chance level, 0.01. The letters are those of the table above. Google's process (K) counts as noise for a day. The noise of Fourier perturbation is for a person at one place, and not for the whole person. No release is low in both panels and far to the right. Event-level noise (F) preserves the order of places and protects to a degree from an attacker with other people's traces, but not at all from one who knows everybody else. Hiding counts below 10 (B, E) preserves little of the order, and an attacker who knows everybody else still identifies half of the members."}, "image": {"alt": "Two panels, for an attacker who knows other people's traces and one who knows everybody else: share identified against rank correlation of places. Raw counts are highest and to the right in both panels. Event-level noise is low in the first panel and at the top of the second. In the first panel rounding is low and in the middle. In the second panel rounding and the two releases that hide counts below 10 are high as well, at 0.48 to 0.67. Everything else is at the lower left."}} tags=["hide-input"]
full_found = f"{experiments.FOUND}, full size"
only_smaller = kept["release"] == "fpa-epsilon-1"  # was not run at full size
at_full_size = kept[(kept["measure"] != experiments.FOUND) | only_smaller]
at_full_size = at_full_size.replace({"measure": {full_found: experiments.FOUND}})
figures.show_risk_and_use(at_full_size, compared)

# %% [markdown]
# The intervals of the figure are those of the table [at full size](audit-full-size). Fourier perturbation was not run there, for the reason given at that table.
#
# In the interactive figure you choose what the attacker knows, whose share is drawn, and the size of the attacked releases. It opens with the release of 400 people, like the figure above. The usefulness is always that of releases of all 500 people. If you choose releases of about 175 people, hidden small counts look too favourable, because such small releases hide nearly everything. *The target's visits* stands for the sum after the comparison with reference people:
#
# ```{raw} html
# :file: static/audit.html
# ```
#
# A defense that ruins one task may leave another untouched. The next chapter asks [which defense leaves which task](audit-tasks) to an analyst.
#
# (audit-deciding)=
# ### Which attack or bound decides?
#
# For each release, the table lists the verdict, the number of attacks that make it fail, and the number that give a warning. It names the strongest plausible attack on membership and the strongest worst case, with the share of members that each identifies. The strongest attack is the one whose share identified has the highest lower end, in the simulated releases or at full size. Only attacks that are significantly better than their baseline in at least one measure are considered, and attacks that also succeed on the controls are left out. The last column is the AUC of the simplest attack, the sum.

# %%
plots.show_table(figures.verdicts_table(kept), "verdicts")

fourier = kept[(kept["release"] == "fpa-epsilon-1") & (kept["part"] == "epsilon")]
bound = fourier.set_index("attack")["value"]
print(f"Fourier perturbation, epsilon of a person: {bound['declared']:.1f} declared,")
in_turn = bound["one person in turn, 96 places"]
print(f"at least {in_turn:.1f}, computed for a possible person (nominal: 1)")
sums_on = kept[(kept["attack"] == "sum-of-cells") & (kept["measure"] == "AUC")]
on_gaussian = sums_on.set_index("release").loc["gaussian-user-epsilon-1"]
print(f"Gaussian noise, AUC of the sum: {on_gaussian['value']:.3f} ", end="")
print(f"[{on_gaussian['low']:.3f}, {on_gaussian['high']:.3f}], ", end="")
print(f"at most {np.exp(1) / (1 + np.exp(1)):.3f} by an epsilon of 1")
print(
    f"User-level epsilon 1, 1% false positives: at most {np.exp(1):.1f} of 100 are identified"
)

# %% [markdown]
# - *Fail*: raw counts and event-level noise. The AUC of the simple sum is above 0.75 for both of them. For raw counts, one of the seven attacks is MAX_ROI. Raw counts would fail without this attack, too.
# - *Review*: hiding below 10, rounding, and both together, because some attacks are significantly better than a guess. The same holds for user-day-level noise. Fourier perturbation is in review for another reason: no attack succeeds, but its nominal $\varepsilon$ of 1 is for one place, and for a possible person who visits many places the $\varepsilon$ is at least 3.9.
# - *Guaranteed*: the two releases with user-level noise. With Laplace noise, an attacker who wrongly identifies at most 1 of 100 others can identify at most $e^1 \approx 2.7$ of 100 members. This bound depends on the false positive rate: an attacker who accepts 10 wrong identifications of 100 may identify up to 27. Gaussian noise has about a ninth of the error of Laplace noise for the same $\varepsilon$. Against the release with Gaussian noise, the sum has an AUC of 0.515 [0.503, 0.527]. This is significantly above 0.5, but far below 0.731, the largest AUC that an $\varepsilon$ of 1 allows. (This is $e / (1 + e)$, the area under the highest curve with $\mathrm{TPR} \le e\, \mathrm{FPR}$ and $1 - \mathrm{FPR} \le e\, (1 - \mathrm{TPR})$. The $\delta$ of 0.00001 hardly changes it.)
# - *None succeeded*: hiding counts up to 15, and Google's process. Both publish next to nothing here: hiding publishes 3% of the visits, and Google's process 0.3%. Google's process is made for regions of many thousands of people, not for hourly counts of 500 flight numbers.
#
# Do the verdicts depend on what we call plausible? We look at every release that fails, on all five data sets. Suppose that three kinds of knowledge become worst cases: 30% of the others, earlier releases, and everybody's weeks before. Which releases still fail?

# %%
from lib.papers.audit import verdict_rules

failing = verdict_rules.failing_releases(all_data)  # by any plausible attack
print(f"{len(failing)} of {by_data.size} releases fail")
for attack in ("sum-of-cells", "likelihood-ratio-others", "place-max-roi"):
    found = verdict_rules.failing_releases(all_data, attacks=[attack])
    print(f"  {figures.NAMES[attack]}: {len(found)} of them")
of_sum = (all_data["attack"] == "sum-of-cells") & (all_data["measure"] == "AUC")
by_auc_of_sum = all_data[of_sum & (all_data["low"] >= 0.75)]
print(f"  by the AUC of the sum alone: {len(by_auc_of_sum)} of them")

at_175 = all_data[~all_data["measure"].str.contains("full size", na=False)]
only_full = sorted(failing - verdict_rules.failing_releases(at_175))
print("fail only by a threshold at full size:")
print("".join(f"  {release} on {data}\n" for data, release in only_full), end="")
if_plausible = verdict_rules.failing_releases(all_data, also_plausible=["crowd"])
print(f"everybody's traces plausible: {len(if_plausible - failing)} more releases fail")

# %% [markdown]
# All 16 releases that fail do so by the ratio with *other people known*, which needs the target's visits and the traces of other people. So no verdict *fail* would change if the other three kinds of knowledge became worst cases. MAX_ROI makes two releases fail, and both fail without it, too. All 16 also fail by the sum, which needs the target's visits and the usual sums of other people. Ten of them fail by the AUC of the sum alone. The comparison with reference people does not change this AUC, so these ten fail against somebody who knows nothing but the target's visits. The other six are the failing releases of the cabs. They fail by the share identified, for which we did not test an attacker without any knowledge of other people.
#
# The last lines belong to the changes of the rules [above](audit-verdict). Three releases of the cabs fail only because thresholds at full size were added. If everybody's traces were still plausible knowledge, no further release would fail.
#
# Do the verdicts depend on the threshold, or on the use of the lower end? Take counts below 10 hidden: at full size, the plausible attacker identifies 7 [1, 12] of 100 members, and the verdict is *review*. We apply the rule again with one member in twenty, in ten and in five, and with the estimate in place of the lower end. The other thresholds, such as the AUC of 0.75, stay as they are, and an attack must still be significantly better than its baseline in at least one measure.

# %%
for share in (0.05, 0.1, 0.2):
    for end, words in (("low", "lower end"), ("value", "estimate")):
        found = verdict_rules.failing_releases(all_data, identified=share, end=end)
        changed = sorted(f"{release} on {data}" for data, release in found ^ failing)
        print(
            f"{share:.0%} identified, {words}: {len(changed)} of {by_data.size} change"
        )
        print("".join(f"  {each}\n" for each in changed), end="")

rounded = all_data[
    (all_data["data"] == "valleybike") & (all_data["release"] == "round-5")
]
some_known = rounded[rounded["attack"] == "likelihood-ratio-some-others"]
some_known = some_known.set_index("measure")["value"]
print("round-5 on valleybike, ratio, 30% known:")
print(f"  AUC at full size {some_known['AUC, full size']:.3f}")
print(f"  identified of the most exposed tenth {some_known[experiments.EXPOSED]:.3f}")

# %% [markdown]
# With the lower end, the choice of the threshold hardly matters: at 5%, one release more fails, and at 20% none fewer. Event-level noise on the flights still fails at 20%, because the AUC of several attacks is above 0.75. The use of the lower end matters more. With the estimate, rounding to 5 on the riders fails at every share. At 20% it fails by two other measures of the attacker who knows 30% of the others. The AUC at full size is 0.765, above its threshold of 0.75, and 0.501 of the most exposed tenth are identified, above the threshold of one half. If a release failed as soon as the estimate reached 5%, six verdicts would change from *review* to *fail*, among them the one on hiding counts below 10 on the flights. So a publisher who regards 5 of 100 as too many should not rely on the verdict *review* of an audit of this size.
#
# (audit-our-review)=
# ### How does our review end?
#
# Five releases of the flights are in review. We ask the [four questions](audit-review), first about counts below 10 hidden (`mds-k10`).
#
# 1. *Purpose.* The release finds 4 of the 10 busiest places and 8% of the busiest hours. At least half of the daily totals above 0 are lost. So it serves none of our three purposes.
# 2. *Attacker.* An attacker who knows everybody else causes the strongest warning. Whether there is such a person depends on who supplied the records.
# 3. *What else is published.* The office of the [debate](audit-debate) has not asked for anything else. The office of the [memo](audit-ex-memo) also asks for totals. If zeros are published as well, these totals make the release fail.
# 4. *Size of the risk.* The plausible attacker identifies 7 [1, 12] of 100 members at full size, and between 2 and 9 in five divisions. The attacker who knows everybody else identifies 50 [22, 78], and between 44 and 60. For a release of all 500 people we do not know the risk.
#
# The first question decides. Our review of `mds-k10` ends in *no*. An office with another purpose would have to answer the second and the fourth question itself.
#
# Three of the other four releases find no more of the busiest places, and lose the busiest hours and the daily totals as well. They are noise for a day, Fourier perturbation, and counts below 10 hidden with the others rounded. For our three purposes, their reviews end in *no*, too. Only counts rounded to 5 serve a planner, who finds 8 of the 10 busiest places in them. Here the second question decides: an attacker who knows everybody else identifies 67 [41, 93] of 100 members at full size. We would publish these counts only if nobody can have such knowledge, and if nothing else is published beside them.
#
# (audit-safe)=
# ## What would have to be true for these counts to be safe?
#
# Four things are needed together:
#
# - a guarantee for a *whole person*, with a public cap on visits;
# - noise that is drawn exactly, and checked;
# - everything else that is published (totals, corrections, next month's counts) is either computed from the noisy counts or paid for from the same budget;
# - counts that are large compared with the noise.
#
# How many people does the last condition require? Give each visit the count of its cell, sort these numbers, and take the middle one. This is the *count at the median visit*: half of all visits lie in counts at least as large. We require that the scale of the noise is at most a tenth of this count. The scale of the noise is the cap divided by $\varepsilon$. We count each person at most once per place and period, and set the cap to what the median person has. (In a real release the cap must not depend on the records.)

# %%
needed = experiments.people_needed(group, epsilon)
plots.show_table(needed, "needed")

hourly = needed.loc["epoch"]
wanted_count = 10 * hourly["noise of a count"]
times = wanted_count / hourly["count at the median visit"]
print(
    f"hourly: a count of {wanted_count:.0f} instead of {hourly.iloc[2]:.0f} is wanted,"
)
print(f"so {times:.1f} times {group.n_users} people: {times * group.n_users:.0f}")

# %% [markdown]
# There are 500 people. For hourly counts that is more than a hundred times too few; for one count of the whole period it is enough.
#
# The last column assumes that counts grow in proportion to people: that twice as many people give counts twice as large. New people may also visit other places and other hours, and then counts grow more slowly. We can check how far the assumption carries by taking fewer flight numbers, and by taking all that the data have.

# %%
everybody = load(fitting.display_names(datasets)[name], path or None)
sizes = [n_users // 4, n_users // 2, n_users, everybody.n_users]
counts_of_size = {
    each.n_users: experiments.people_needed(each, epsilon)["count at the median visit"]
    for each in (experiments.sample_group(everybody, n, seed) for n in sizes)
}
growth = pd.DataFrame(counts_of_size).T.rename_axis("people")
plots.show_table(growth, "growth")

# %% [markdown]
# Weekly and whole-period counts grow roughly in proportion to people, up to all 1,054 flight numbers. With 500 flight numbers, both counts are 27. With 1,054, the weekly count is 56 and the count of the whole period is 62. Hourly counts do not show this growth. The count at the median visit grows only from 4 to 5. But this count includes the visitor, it is a small whole number, and we drew each size only once. So the data neither confirm nor refute that hourly counts grow in proportion. The 61,250 people of the table are therefore an extrapolation. There is a further limit. The 500 flight numbers are a random sample of the 1,054, so all sizes have people of the same kind. The check cannot show how counts grow if people of another kind are added.
#
# (audit-weekly)=
# ### Does publishing less often help?
#
# Counts of a week or of the whole period look like the way out. But nothing has been said about attacks on them yet, and the eleven releases above are all hourly. We therefore attack them here.
#
# We publish one count per place and week. Each person counts at most once per place and week, and at most 8 times in total. This cap would have to be public and must not be derived from the records. The strongest attacker knows everybody else's records and subtracts them. Of the counts of a target with 8 visits, this leaves 0 or 1 eight times, plus noise. The attacker adds up the log-likelihood ratios of these eight values:

# %%
cap, n, rng = 8, 200_000, stream(seed, "weekly")
weeks = experiments.join_epochs(group, "week")  # once per person, place and week
capped = experiments.limit_visits(weeks, cap, rng)  # at most 8 visits, drawn at random
weekly = aggregate(capped, [np.arange(group.n_users)])[0]
published_weekly = weekly + rng.laplace(scale=cap / epsilon, size=weekly.shape)

ascending = weekly.sum(axis=1).argsort()  # places, from the fewest visits to the most
middle = ascending[len(ascending) // 2]
for words, place in (("busiest", ascending[-1]), ("median", middle)):
    print(
        f"{words} place: {weekly[place]}, published {published_weekly[place].round()}"
    )

evidence = {}
for inside_now in (0, 1):
    rest = inside_now + rng.laplace(scale=cap / epsilon, size=(n, cap))
    ratios = ((np.abs(rest) - np.abs(rest - 1)) * epsilon / cap).sum(axis=1)  # logs
    evidence[inside_now] = ratios.round(6) + 1e-7 * rng.random(n)  # random ties
identified_weekly = (evidence[1] > np.quantile(evidence[0], 0.99)).mean()
print(f"identified by the strongest attacker: {identified_weekly:.3f}")
print(f"at most, by the guarantee:            {0.01 * np.exp(epsilon):.3f}")

# %% [markdown]
# No attacker can do better than this one. Of all tests with a given false positive rate, the one that compares the likelihood ratio with a threshold has the highest true positive rate. This is the Neyman-Pearson lemma. An attacker who knows less cannot do better than one who knows more. Targets with fewer than 8 visits reveal less. The next table repeats the attack for all four lengths, with the caps from above, and measures what the counts are good for. The column *order of places* is the Spearman rank correlation of the places, as above.

# %%
less_often = experiments.publish_less_often(group, needed["cap"], epsilon, seed)
plots.show_table(less_often, "less-often")

# %% [markdown]
# The result is consistent with the guarantee: in no line does the attack identify significantly more than 2.7 of 100 members, which is what $\varepsilon = 1$ allows at a false positive rate of 1%. But the attack comes closer to this bound as periods get longer. It identifies 0.014 [0.012, 0.015] of the members from daily counts, and 0.026 [0.024, 0.028] from counts of the whole period. Why?
#
# The guarantee adds up the strongest evidence that each single count can give. Under Laplace noise, a count gives the strongest evidence for the target if the noisy count, minus the other users, is above 1. For the total to reach $\varepsilon$, all counts of the target must be above 1 at once. If the target was counted, each of these noisy counts, minus the other users, is above 1 with probability one half.

# %%
print("share of the releases in which all counts of the target are above 1")
for period, most in needed["cap"].items():
    all_above = 0.5**most
    print(f"{period}, {most} counts: {all_above:.4f} with the target, ", end="")
    print(f"{all_above * np.exp(-epsilon):.4f} without")

# %% [markdown]
# With two counts, the strongest evidence is common. It occurs in more than 1% of the releases without the target, so an attacker at a false positive rate of 1% can rely on it alone, and identifies the full 2.7 of 100 that the guarantee allows. Composition is then tight. With eight counts this evidence is rarer than 1%, and the attacker must also accept weaker evidence. With 48 counts it practically never occurs, and composition is loose. So the risk does not fall when fewer counts are published. It stays below the limit that the guarantee sets.
#
# What improves with the length of the period is the usefulness. With hourly or daily counts, the totals of most places are worse than zeros. Weekly counts find 7 of the 10 busiest places, but half of the places have a total that is off by at least 0.72 of its value. Counts of the whole period find about 8, and half of the totals are off by at least 0.31. So publishing less often helps to compare places; it does not give a precise total for each of them. The condition above was about the count at the median *visit*. Most visits are at large places, and the median *place* is small.
#
# ```{note}
# What this does not show. The caps in the table are those of the median person, so they depend on the records, which a real release must not allow. The intervals account for two sources of chance: the trials of the attack and the draws of the noise. They do not account for the choice of the visits that the cap keeps, because we drew it only once. Nor can weekly counts replace hourly ones: they cannot answer any question about hours or days. And 2.7 of 100 is a bound at a false positive rate of 1%, for one publication of these weeks. If the next month is published as well, its $\varepsilon$ is added to that of this month.
# ```
#
# ## How do I audit my own records?
#
# `python -m lib audit RECORDS.csv --release RELEASE.yml` runs the attacks of this chapter on a file of `user,time,zone` or `user,time,lat,lon`, and writes a report. `RELEASE.yml` contains either the line `preset: mds-k10` or a list of mechanisms, written as for the six users. The command `python -m lib audit --list` prints the names of all presets and mechanisms. The report is one page in plain words, with all numbers below it: <a href="../_static/audit-mds-k10.html">here is the report on `mds-k10`</a>, for all flight numbers. [](publish.md) explains how to decide with it. The report on `mds-k10` has larger numbers than this chapter: it publishes 47% of the visits, and the release of this chapter 25%. It counts all flight numbers, so fewer counts fall below 10; the chapter counts 500 of them. The audit tests only the attacks that it runs. It tests no attack that nobody has thought of and no attacker with other data. It does not consider people who travel together, or what is published next.
#
# ## Take-aways
#
# - An attack without its threat model, its baseline and its control is no finding. One AUC of 1 on this page is about groups, not members.
# - A value of $\varepsilon$ means nothing until its unit is stated. If $\varepsilon$ is 1 for a visit, an attacker with other people's traces identifies 13 of 100 members, and an attacker who knows everybody else identifies all of them. If $\varepsilon$ is 1 for a person's day, either attacker identifies 2 of 100. If it is 1 for a person, either identifies 1 of 100, which is no more than a guess identifies.
# - Hiding small counts guarantees nothing, and totals can undo it. If counts below 10 are hidden, only 25% of the visits are still published if all 500 flight numbers are counted, and 15% if 400 are counted. An attacker who knows everybody else still identifies 24 of 48 targets at full size, and never identifies a non-member. The larger the counts, the less is hidden.
# - An empirical bound can detect noise whose scale is half of what it should be. No empirical bound proves that a guarantee holds.
# - None of the eleven hourly releases of the flights is both safe from these attacks and useful. From eight of them, no attack that we ran on the simulated releases identifies more than 3 of 100 members on average. For attacks on 12 targets the intervals are wide and reach up to 51 of 100. Of the most exposed tenth, up to 13 of 100 are identified. At full size the risk is larger for some of them. With counts below 10 hidden, a plausible attacker identifies 7 [1, 12] of 100 members, and between 2 and 9 in five divisions of the people. An attacker who knows everybody else identifies 50 [22, 78], and between 44 and 60 in five divisions. None of these eight preserves the order of places: the rank correlation is 0.29 at most. None finds more than 4 of the 10 busiest places, and none gives daily totals that are closer to the truth than zeros would be. And the guarantee of user-day-level noise is for one day: its $\varepsilon$ is spent again every day.
# - If we publish less often, with a public cap and noise for a whole person, the strongest attack stays within the guarantee of 2.7 of 100 members. From counts of the whole period it comes close to this bound. Such a release preserves comparisons between places but loses all information about hours.
# - The verdict *review* is a warning, and no answer. A person decides, and asks first what the counts are for.
# - How often an attacker is wrong depends on the base rate. The attacker who already suspects the target is the dangerous one.
#
# (audit-debate)=
# ## A debate for class
#
# The debate takes half an hour and has four roles. A transport office wants to publish hourly counts, and to hide all counts below 10.
#
# - **The office**: everybody publishes in this way, and riders gain from it.
# - **A rider** takes the first train, alone at their stop, every day.
# - **A planner** needs the rarely used stops, whose counts would be hidden.
# - **A journalist** asks for last year's counts, too.
#
# Each role has five minutes to prepare, with nothing but this page, and two minutes to speak. Then the class votes. The choices are raw counts, counts below 10 hidden, user-day-level noise, weekly counts, or no publication. Before the vote each role names *one number* of this page that would change their mind.

# %% [markdown]
# ## Exercises
#
# ```{exercise} One in a hundred (★, 5 minutes)
# :label: audit-ex-base
# An attack identifies 90 of 100 members, and wrongly identifies 1 of 100 others. In a city of a million people, 500 were counted. An attacker runs the attack on everybody in the city and flags those whom it identifies. How many of the flagged people are members?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-base
# :class: dropdown
# ````

# %%
members, rest = 0.9 * 500, 0.01 * (1_000_000 - 500)
print(f"{members:.0f} members of {members + rest:.0f} flagged")

# %% [markdown]
# *Learned:* a false positive rate is a share of those who are *not* in the release. In this city so many people are not in the release that 96 of 100 flagged people were never counted. An attacker who considers fewer people makes fewer errors of this kind.
#
# ````{solution-end}
# ````
#
# ```{exercise} Two by two (★, 10 minutes)
# :label: audit-ex-totals
# A table has two places and two hours. All four counts are below 3 and are hidden, and the totals are published. For which totals do all four counts follow? Guess, then try all tables with `small_counts.recover`.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-totals
# :class: dropdown
# ````

# %%
from itertools import product

secret, n_tables = set(), 0
for table in product(range(3), repeat=4):
    counts = np.array(table).reshape(2, 2)
    totals = counts.sum(axis=1), counts.sum(axis=0)
    recovered = small_counts.recover(np.zeros((2, 2)), *totals, 3)
    if (recovered < 0).any():
        n_tables += 1
        secret.add(tuple(tuple(map(int, each)) for each in totals))
print(f"{n_tables} of 81 tables are not determined. Totals by place, by hour:")
for by_place, by_hour in sorted(secret):
    print(by_place, by_hour)

# %% [markdown]
# *Learned:* a total of 0 or of 4 leaves only one possibility for its row or column, and then the other counts follow, too. Totals of 1 and 3 in one direction also determine the table if they are 1 and 3 in the other direction. A count stays hidden only if the other hidden counts leave more than one possibility.
#
# ````{solution-end}
# ````
#
# ```{exercise} What a guarantee forbids (★★, proof, 15 minutes)
# :label: audit-ex-proof
# 1. A release is $(\varepsilon, \delta)$-DP for a unit. Show that every test has a true positive rate (TPR) of at most $e^\varepsilon\, \mathrm{FPR} + \delta$, where FPR is its false positive rate.
# 2. Let $\delta = 0$. A test decides whether a group of $k$ units is in the data (either all of them are, or none is). Show that its TPR is at most $e^{k\varepsilon}\, \mathrm{FPR}$.
# 3. Suppose that noise is added to each count, and that its distribution does not depend on the count. Trials with $k$ people in one cell, one visit each, give a lower bound $b$ on their joint $\varepsilon$. Which bound follows for one visit? Which bound follows for a unit of $c$ visits to $c$ cells with independent noise?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-proof
# :class: dropdown
# ````
#
# 1. A test says "in" on a set $R$ of releases. Its rates are $\Pr[R \mid \text{with}]$ and $\Pr[R \mid \text{without}]$. The definition of differential privacy holds for every set, and therefore for $R$. A randomized test chooses among such sets at random, so its two rates are averages of theirs, and the same inequality holds.
# 2. Remove the $k$ units one after the other. Each step changes the probability of $R$ by a factor of at most $e^\varepsilon$, and all $k$ steps by a factor of at most $e^{k\varepsilon}$.
# 3. By part 2, $b \le k \varepsilon$, so one visit has an $\varepsilon$ of at least $b/k$. For the unit we need a lower bound, but sequential composition gives only an upper bound. Instead, we construct an event that is a product over the cells. The noise is additive, and its distribution is the same at every count. So one visit changes the distribution of a noisy count in the same way whatever the other people's count is. For any $x < b/k$ there is therefore a set $R$ of values of one noisy count that is at least $e^x$ times as probable with the visit as without. (If it is the other way round, exchange "with" and "without".) The noise of the cells is independent, so the event that all $c$ noisy counts fall into their sets is at least $e^{cx}$ times as probable with the unit. The $\varepsilon$ of the unit is therefore at least $c\, b / k$.
#
# *Learned:* one cell with many people in it can test a small $\varepsilon$. If $\varepsilon$ per visit is $1/k$, then $k$ people have a joint $\varepsilon$ of 1, and trials can show a value of this size.
#
# ````{solution-end}
# ````
#
# ```{exercise} How high is the ceiling? (★★, 15 minutes)
# :label: audit-ex-ceiling
# How many trials with the unit, and the same number without it, does it take before a Clopper-Pearson bound could show $\varepsilon = 3$, 5 or 8 at all? Why does nobody audit $\varepsilon = 20$ in this way? And suppose that a mechanism declares $\varepsilon = 1$, and a test with a ceiling of 0.5 gives a bound of 0.4. Does the guarantee hold?
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
# *Learned:* the number of trials grows as $e^\varepsilon$. If a test never errs in $n$ trials, the upper limit of its false positive rate is about $3.7 / n$. A bound of 20 would need $3.7\,e^{20}$ trials, nearly two billion. A large $\varepsilon$ therefore cannot be tested in this way. Nor does it rule out many attacks. The [table of the chapter](audit-epsilon) has ceilings of 26.6 and 48.9, although its trials are far fewer than two billion, because these two ceilings assume something about the noise. The last question has no answer from this test. Its bound could not have exceeded 0.5, so a bound of 0.4 tells us nothing about whether the declared $\varepsilon$ of 1 holds.
#
# ````{solution-end}
# ````
#
# ```{exercise} Give rare cells more weight (★★, 30 minutes)
# :label: audit-ex-own
# The sum of the target's cells gives every cell the same weight. Write an attack that gives a cell more weight if fewer people are usually there. Take what is usual from `games.shadow`, the releases of the same pool; `games.shadow.published` and `games.shadow.members` are like those of `games.test` [above](audit-one). Evaluate with `lib.audit.measures.membership_measures`. This is the worst case: the attacker knows what is usual among the very people who may be counted. The sum of the first table identifies 5 of 100 members, and the *likelihood ratio* 87. Which part of the difference is due to the comparison with releases of the same pool, and which part to the weight?
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
        print(f"{words}, compared with {compared_with}: ", end="")
        print(f"AUC {measured['AUC'].value:.3f}, ", end="")
        print(f"identified {measured[experiments.FOUND].value:.3f}")

# %% [markdown]
# *Learned:* the attack changes in two ways, the comparison and the weight, so there are four cases. The plain sum identifies 5 of 100 members if it is compared with releases of other people, and 34 if it is compared with shadow releases of the same pool. The weighted sum identifies 12 and 83. We cannot say which part of the difference is due to which change, because it depends on the order. If the comparison comes first, it adds 29 of 100 members, and the weight then adds 49. If the weight comes first, it adds 7, and the comparison then adds 71. Each change is worth much more together with the other: a count of 1 at a place that is usually empty reveals nearly everything, but only to an attacker who knows what is usual. Both changes together come close to the 87 of the likelihood ratio, and both need the traces of everybody who may be counted. The AUC shows another picture. The weight raises it from 0.897 to 0.975, and the comparison leaves it unchanged.
#
# ````{solution-end}
# ````
#
# ```{exercise} Published again (★★, 20 minutes)
# :label: audit-ex-again
# The same counts are published ten times, each time with fresh noise of $\varepsilon = 1$ for a person's day. What is the $\varepsilon$ of all ten publications for a person's day? Average the ten noisy counts of each cell (`games` as above; ignore the cap), and attack the average with the sum.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-again
# :class: dropdown
# ````

# %%
some = games.targets[:40]
plan = parse("user-day-epsilon-1").plan(group)
for times in (1, 10, 100):
    rng, found = stream(seed, "again", times), []
    for person in some:
        cells = group.matrix[[person]].indices
        counts = games.test.raw[cells].astype(float)
        for _ in range(times):
            counts += rng.laplace(scale=plan.noise.scale, size=counts.shape) / times
        isin = games.test.members[person]
        above = np.greater.outer(*(counts.sum(axis=0)[k] for k in (isin, ~isin)))
        found.append(above.mean())
    print(f"{times:3} times, epsilon {times} for a day: AUC {np.mean(found):.2f}")

# %% [markdown]
# *Learned:* privacy budgets add up, and noise averages out. After ten publications, $\varepsilon$ is 10 for a day. With more publications, the AUC of the sum climbs towards its value on raw counts. (For all 245 targets, this value is 0.90; the exercise takes 40 of them.)
#
# ````{solution-end}
# ````
#
# ```{exercise} The last digits (★★, 20 minutes)
# :label: audit-ex-digits
# A cell holds nobody or one person. Draw Laplace noise with $\varepsilon = 1$ around 0 and around 1, and score each value $x$ by $|x| - |x - 1|$. Outside the interval [0, 1] this score is $-1$ or $+1$. Bound $\varepsilon$ with the scores as they are, and again with the scores rounded to six digits. Why do the two bounds differ?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-digits
# :class: dropdown
# ````

# %%
from lib.audit.measures import clopper_pearson_epsilon

rng, both = stream(seed, "digits"), []
for count in (0, 1):
    drawn = count + rng.laplace(size=20_000)
    both.append(np.abs(drawn) - np.abs(drawn - 1))
exact = clopper_pearson_epsilon(*both).lower
rounded = clopper_pearson_epsilon(*(each.round(6) for each in both)).lower
print(f"as they are: epsilon at least {exact:.2f}; rounded: {rounded:.2f}")

# %% [markdown]
# *Learned:* mathematically, every score outside [0, 1] is exactly $+1$ or $-1$. On a computer, such a score differs from $\pm 1$ in its last digit. This digit depends on how the computer rounded the sum of the count and the noise, and so it reveals the count {cite:p}`mironov2012`. The guarantee was proved for real numbers, not for floating-point numbers. Before you publish real data, draw the noise as whole numbers, or round the noisy counts.
#
# ````{solution-end}
# ````
#
# ```{exercise} A memo to the person who decides (★★, 40 minutes)
# :label: audit-ex-memo
# A transport office wants to publish hourly counts with those below 10 hidden (`mds-k10`), for four weeks, with totals by stop and hour. It has the audit of this chapter: treat the 500 flight numbers as the riders who were counted. The data protection officer has read no chapter of this book and has five minutes. Write at most 400 words that answer these questions. State each identification rate with its interval and with the attacker's knowledge. (1) What do you recommend? (2) Who could learn what about whom? (3) How often would they be wrong? (4) Which purposes would the counts serve? (5) What was not tested? (6) What would change your mind?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-memo
# :class: dropdown
# ````
#
# > **Recommendation.** Do not publish this table. The audit's verdict is *review*: no plausible attack reaches the threshold, but several give a warning. Our review ends in *no*, because the table does not serve its purpose. If a comparison of stops is enough, publish one count per stop for the whole period, with a public cap on visits and noise for a whole person. Then an attacker who wrongly identifies at most 1 of 100 others identifies at most 2.7 of 100 riders, whatever they know. About 8 of the 10 busiest stops are found. Otherwise publish nothing.
# >
# > **Who could learn what.** The table has no names. The risk is that somebody who knows a rider's movements learns that this rider was counted (inference). With the traces of similar riders, a plausible attacker identifies 2 of 100 riders [0 to 3] in releases of about 175 people, and 7 [1 to 12] in the release of 400 (between 2 and 9 in five tests with other groups of these riders). Guessing identifies 1. The most exposed tenth are worse off: 13 of 100 [4 to 22]. Somebody who knows everybody else's records, an insider for example, identifies 50 of 100 [22 to 78] of the release of 400. This test covers only 48 riders, but its attacker is never wrong. In five tests with other groups, the share lies between 44 and 60. We could not attack a release of all 500; the risk grew from 175 to 400 people. Nothing is guaranteed against other attackers.
# >
# > **The totals.** The numbers above are without totals. If zeros are hidden, the totals reveal 18,369 of the 71,442 hidden counts to every reader. All are zeros, and they show when nobody was at a stop. If zeros are marked, totals reveal 2,308 of the 9,768 hidden counts above 0. By the audit's own rules, the release then fails. Refuse the totals.
# >
# > **Errors.** Take the plausible attacker who identifies 2 of 100 riders and wrongly identifies 1 of 100 others. If one in ten of the people considered was counted, 82 of 100 flagged people were not. If half were, 33. Against the release of 400 the attacker is wrong less often, because 7 of 100 are identified: if one in ten was counted, 56 of 100 flagged people were not.
# >
# > **Use.** In the office's table, a quarter of all visits are published, 4 of the 10 busiest stops are found, and at least half of the daily totals above 0 are lost.
# >
# > **Not tested.** Publication for further months, a corrected table, families who travel together, other outside data, and attacks on membership that use the totals.
# >
# > **What would change this.** Much larger counts, together with noise for a whole person. A purpose for which the busiest stops suffice.
#
# *Learned:* no single number decides whether to publish. The plausible attacker alone might let the table pass; the worst case, the totals and the poor usefulness together do not. The error rates need the same care as the identification rates. A memo that stated 82 alone would overstate how often the attacker is wrong about the release of 400. For that release, the share of flagged people who were never counted is $0.9 \cdot 0.01 / (0.9 \cdot 0.01 + 0.1 \cdot 0.07) = 0.56$. The share of 7 of 100 has the interval [1, 12]. With its ends, 0.01 and 0.12, in place of 0.07, the same formula gives 0.90 and 0.43. A good memo gives the reader a recommendation first, separates plausible attackers from the worst case, does not call anything "anonymous" or "safe", and names what is missing. Compare it with yours: which of your identification rates has no interval, and which has no attacker?
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own release (★★★, an evening)
# :label: audit-ex-project
# Take records of your own, or those of the cabs, and write the release that you would defend: its mechanisms, its cap, and what else is published. Audit it with `python -m lib audit`. Then change *one* thing for a better verdict, and one for more useful counts. *A good answer* names the threat model of the best attack, shows its control, states what each change cost, and says what was not tested.
# ```

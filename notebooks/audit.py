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
# Each of the five papers attacks its own release. If you have counts to publish, you ask another question: *may I publish these?* So this chapter runs every attack on every usual way to publish counts. After this chapter you can
#
# - state what an attacker knows and wants before you say how well they do, and read an attack beside its baseline and its control;
# - bound $\varepsilon$ from below by running a mechanism many times, and say what such a bound can never show;
# - read risk against usefulness, and explain what "no attack succeeded" does not mean.
#
# *For discussion:* {numref}`fig-audit-map`. *For discussion:* the [debate](audit-debate) at the end takes half an hour.

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-number"]
path = ""
n_users = 500
releases = ["raw", "mds-k10", "event-epsilon-1", "user-day-epsilon-1", "user-epsilon-1"]
epsilon = 1.0
processes = 1
seed = 2018

# %% [markdown]
# (audit-threats)=
# ## Who knows what, and wants what?
#
# ````{prf:definition} Threat model
# :label: def-threat
# What an attacker *knows* besides the release, together with what they *want* to find out. The more an attacker has to know, the less the same success says about the release.
# ````
#
# The first goal is **membership**: *whether* the target was counted. Each attack is explained where it is run.

# %% tags=["hide-input"]
from lib.papers import figures as plots
from lib.papers.audit import experiments, figures

plots.use_style()
membership = experiments.threat_table("membership")
plots.show_table(figures.threats_table(membership), "threats-membership")

# %% [markdown]
# The folded table lists the other goals: where the target was at a given hour, their whole trajectory, how few sightings single them out, and what the release hides.

# %% tags=["hide-input", "hide-output"]
wanted = ["place", "trajectory", "re-identification", "disclosure"]
plots.show_table(
    figures.threats_table(experiments.threat_table(*wanted)), "threats-more"
)

# %% [markdown]
# "Realistic" is our judgement. A colleague may know your visits. A telephone operator or the owner of an app has the traces of *other people of the same kind*, and can learn from them how crowded each place usually is. These attackers are **plausible**. An attacker who has the traces of *everybody who may be counted*, or the records of everybody else who is counted, is the **worst case**; differential privacy protects even against them. If only a worst-case attack succeeds, that is a warning. If a plausible attack succeeds, the release fails.
#
# (audit-six)=
# ## Six users, three releases
#
# We publish the same counts in three ways: as they are; with counts below 2 hidden, but with totals beside them; and with Laplace noise, rounded.

# %%
import numpy as np
from lib.audit import parse, small_counts
from lib.datasets import load
from lib.randomness import stream

six = load("six-users")
hide = {"mechanisms": [{"name": "suppress", "threshold": 2}], "totals": True}
noise = {"name": "event-level-laplace", "epsilon": 1.0}
noisy = {"mechanisms": [noise, {"name": "whole-numbers"}]}
three = {"raw": "raw", "below 2 hidden": hide, "noise": noisy}
published = {
    name: parse(each).publish_all(six, np.arange(6), stream(seed, "six", name))
    for name, each in three.items()
}

# %% mystnb={"figure": {"name": "fig-audit-six", "caption": "One set of counts, published in three ways; blank is 0, hidden, or drawn below 0 and cut. Hiding small counts takes more than half of the table away, and noise invents people where nobody was and hides some who were there."}, "image": {"alt": "Three grids of four places by eight hours with counts written in the cells: raw, below 2 hidden, and noisy."}} tags=["hide-input"]
hours = [f"{epoch:%a %H}h" for epoch in six.epochs]
shown = {name: each.counts for name, each in published.items()}
plots.show_releases(shown, list(six.rois.index), hours)

# %% [markdown]
# Hidden counts can sometimes be recovered. If the total of an hour is 3 above the sum of its published counts, and three counts are blank, each blank hides one person. If the total equals the sum, the blanks hide nobody. To apply such rules by hour and by place until nothing changes is an attack:

# %%
hidden = published["below 2 hidden"]
print("by hour, total less published:", hidden.by_hour - hidden.counts.sum(axis=0))
print("by hour, blanks:              ", (hidden.counts == 0).sum(axis=0))
values = small_counts.recover(*hidden, 2)  # hidden: 1 at most; -1 if not known
raw = published["raw"].counts
small = (hidden.counts == 0) & (raw > 0)
print(f"{small.sum()} counts of one person are hidden;")
print(f"the totals give {((values == raw) & small).sum()} of them away")

# %% [markdown]
# (audit-releases)=
# ## Common releases, and what each guarantees
#
# Five of the eleven releases guarantee nothing: counts as they are (`raw`), counts below 10 hidden as in the Mobility Data Specification (`mds-k10`), counts up to 15 hidden as in FlowKit, counts rounded to 5, and counts both hidden and rounded. Six add noise:

# %% tags=["hide-input"]
from lib.papers import fitting

people = experiments.load_groups(fitting.display_names(datasets), n_users, seed, path)
name, group = next(iter(people.items()))
guarantees = experiments.guarantees(group).dropna(subset="epsilon")
plots.show_table(figures.guarantees_table(guarantees), "releases")

# %% [markdown]
# Each of the six guarantees an $\varepsilon$ *for a unit of privacy*: a visit, a person's day, or a person. The unit matters more than the number. The last column adds the guarantee up for a whole person (here a "person" is one of 500 flight numbers): event-level noise guarantees next to nothing to a whole person. Because nothing limits the number of visits, the 71,904 is 1 for each of 107 places in 672 hours; a person with $v$ visits has a guarantee of $v$.
# If the unit is a day or a person, the release needs a *public cap* on visits. Visits above the cap are dropped at random before counting. Here the cap is one visit for every hour of the unit; in Google's process {cite:p}`aktay2020` it is four a day.
#
# (audit-one)=
# ## Every attack on one release
#
# The audit simulates releases. It splits the people into three groups. A tenth are **non-member controls**, who are in no release at all. A fifth are **reference people**, whose traces a plausible attacker has; they are in no release that is attacked. All others form the pool, and each is in a release with probability one half. The plausible attackers of the next table learn from releases of reference people only. Worst-case attackers learn from **shadow releases**, which count people of the same pool. All are evaluated on new releases.
#
# An attack may wrongly identify at most one in a hundred of those who are not in the release. **Identified** is the share of members whom it then identifies; a guess identifies 0.01. The **most vulnerable** tenth are those whom the attack ranks best in the shadow releases. The AUC is the probability that a release with the target scores higher than one without; a guess has 0.5. Controls should have an AUC of 0.5: an attack that "recognises" people who were never counted does not recognise members.
#
# The *sum* adds the counts of the target's cells (a place and hour that they visit). *One threshold* first subtracts the 30% of members whom the attacker knows; *two thresholds* count how many of the target's cells exceed their usual count. A *likelihood ratio* compares how probable the published count of each cell is with and without the target. It uses the exact probabilities of the release: of its noise, its rounding, and what it hides. What the attacker expects of all others comes from reference people (*other people known*, and *30% known*), from everybody who may be counted (*likelihood ratio*), or from the true records (*all others known*). The *correlated* ratio weighs all cells together, because one other person may share several of them.
#
# All audits of this chapter are *quick* ones: they simulate up to 100 releases of each kind and attack at most 300 people. Their attacks are those of a full audit, except that zero knowledge is left out. Intervals are wide because they hold at 95% for *all measures of a release together* (Bonferroni over 120 measures): the luckiest of a hundred numbers must not count as a failure.

# %%
rows = experiments.stored_or_run(
    people, releases=releases, n_users=n_users, seed=seed, processes=processes
)
one = rows[(rows["data"] == name) & (rows["release"] == releases[0])]
plots.show_table(figures.members_table(one, figures.RULES), "rules")

# %% [markdown]
# An attacker who knows only the target's visits identifies 5 of 100 members, although the AUC is 0.90. With the traces of other people they identify 42, and 45 if they also know 30% of the members. In the worst case it is 87 with everybody's traces, 97 if cells are weighed together, and all if the attacker knows everybody else. The controls are at chance level throughout.
#
# The next attacks learn from examples, and are tried on few targets: [Knock-Knock](knock_knock.ipynb) learns from groups of the same pool, from earlier releases of the same groups, or from those of other groups; a [neural network](thresholds.ipynb) is trained for each target. One row is not what it seems; which?

# %% tags=["hide-input"]
plots.show_table(figures.members_table(one, figures.LEARNED, exposed=False), "learned")
print(figures.not_tested(one))

# %% [markdown]
# *Knock-Knock, same groups* has an AUC of 1, and also for people who were never counted. The same groups are published in two periods, and the classifier recognises the *group*. Without its control it would be the alarm of the page; the audit does not count it.
#
# Some attacks have other goals. *BAYES* multiplies what the attacker believed about a person by the counts. *MAX_ROI* fills each place and hour with as many people as were counted, the likeliest first. *MAX_USER* places one person after another. ([](crowd.ipynb) explains them, and joint profiles.) An attacker who knows everybody else looks for the most probable trajectory, or for the most probable place of each hour ([](fano.ipynb)).
#
# A *gain* is what the counts add to what the attacker knew before: as a share of the prior's error for the first four attacks, otherwise as a difference between shares. The gain about *controls* (people, or steps, that this release does not hold) is subtracted if it is positive. *Severity* is explained [below](audit-use):

# %% tags=["hide-input"]
plots.show_table(figures.gains_table(one), "gains")
print(figures.trajectories_and_unicity(one))

# %% [markdown]
# *Unicity*, below the table, is no attack on counts: it says how many people the records themselves would single out.
#
# MAX_ROI reduces the error about where members are by more than half. BAYES gains nothing significant. MAX_USER and joint profiles lose: where the prior is good, they trust the counts too much. An attacker who knows everybody else recovers nearly all steps. Their gain is smaller, because the prior, the usual place at each hour, is right so often. Two releases that differ by one person reveal all visits of that person. Recovering *everybody's* trajectories at once {cite:p}`xu2017ash`, from counts alone, gains nothing.
#
# (audit-all)=
# ## The same over releases: what is knowledge worth?
#
# The share of members identified, by the best attack with each knowledge:

# %% tags=["hide-input"]
plots.show_table(figures.knowledge_table(rows), "knowledge")

# %% [markdown]
# Compare columns. On raw counts of flight numbers, *how crowded places usually are* is worth most: other people's traces raise the share from 5 to 42 of 100. To know the exact people who may be counted raises it to nearly all. That is much to know, so this attacker is a worst case and does not decide the verdict.
#
# Compare rows. Event-level noise ($\varepsilon = 1$) reduces 42 to 13 for the plausible attacker. In the worst case it leaves 91, because a flight has many visits and each reveals a little.
#
# Each column holds the best attack *that we have*. More knowledge may therefore identify fewer people here: earlier releases, for example, are used by Knock-Knock only.
#
# The figure shows all eleven releases, also from quick audits. These are *stored results*: they were computed once.

# %% mystnb={"figure": {"name": "fig-audit-map", "caption": "Flights by number, stored results of quick audits: members identified of 100, while one in a hundred others is wrongly identified (a guess identifies 1). A cross: the controls are not at chance level, so the attack does not count. Grey: not tested. Likelihood ratios identify most members from raw counts, and with everybody's traces under event-level noise, too; rounding protects only from attackers who know less than everybody else, and noise for a day or a person leaves next to nothing."}, "image": {"alt": "A map of attacks (rows) against eleven releases (columns) with the per cent of members identified written in each cell: bright for likelihood ratios on raw counts and event-level noise, and for one on rounded counts; dark elsewhere."}} tags=["hide-input"]
print("Stored results:", experiments.audit_releases.source("flights-by-number"))
kept = experiments.audit_releases.stored("flights-by-number")
figures.show_risks(kept)

# %% tags=["hide-input", "hide-output"]
more = figures.knowledge_table(kept).drop(releases, errors="ignore").head(8)
plots.show_if_any(more, "knowledge-kept", "All releases of the figure were above.")
print(figures.trajectories_and_unicity(kept[kept["release"] == "raw"]))
plots.show_table(figures.knowledge_table(kept, figures.EXPOSED).head(8), "exposed-kept")

# %% [markdown]
# Intervals are in the folded tables. Rounding to 5 leaves 64 [52, 75] of 100 members to an attacker who knows everybody else: they identify the target wherever the target's visit moves a count to the next multiple. For plausible attackers it leaves 5 [2, 8].
#
# ### At full size
#
# A simulated release holds only half of the pool. We therefore also measure some attacks *at full size*: the release of all people but the reference people, to which each target in turn is added.

# %% tags=["hide-input"]
full = figures.knowledge_table(kept, f"{experiments.FOUND}, full size")
plots.show_table(full, "full-size")

# %% [markdown]
# Larger counts hide a person better, but fewer of them fall below the threshold of 10. With counts below 10 hidden, an attacker who knows everybody else identifies 1 of 100 members of the small releases, and 50 [22, 78] at full size. With the traces of other people it is 7 [1, 12].
#
# ### Aircraft
#
# How does this change with other data? The table is about an attacker with the traces of other people, on aircraft (flights by tail number). These, too, are quick audits, of five of the releases. Denser data take much longer: an audit of the San Francisco cabs, with two million visits, has not been run with these attacks.

# %% tags=["hide-input"]
print("Stored results:", experiments.audit_releases.source("flights-by-tail"))
elsewhere = experiments.audit_releases.stored("flights-by-tail")
plots.show_table(figures.data_table(elsewhere, "other people"), "data")

# %% [markdown]
# How much of the order of places by their visits is kept (1: all of it, 0: nothing):

# %% tags=["hide-input"]
plots.show_table(figures.order_table(elsewhere), "data-order")

# %% [markdown]
# Event-level noise leaves 81 [77, 85] of 100 aircraft to this attacker, against 13 of the flight numbers. Aircraft have smaller counts: only 8% of their visits are in counts of 10 or more, against 25% of the flights' visits. So the other users hide a target less.
#
# For the worst case, call `figures.data_table(elsewhere, "everybody else")`.
#
# (audit-epsilon)=
# ## What epsilon guarantees, and what trials show
#
# A guarantee can be tested. $\varepsilon$-differential privacy for a unit says: whatever the test, it says "in" at most $e^\varepsilon$ times as often with the unit as without it. So publish many times, with and without, and count. Take one cell with nobody or with the target alone, Laplace noise, and a test fixed beforehand: is the count at least 1?

# %%
from scipy import stats

n, rng = 20_000, stream(seed, "clopper-pearson")
cell = rng.laplace(scale=1 / epsilon, size=(2, n))
without, with_target = (cell[0] >= 1).sum(), (cell[1] + 1 >= 1).sum()
high = stats.beta.ppf(0.975, without + 1, n - without)  # Clopper and Pearson
low = stats.beta.ppf(0.025, with_target, n - with_target + 1)
most = stats.beta.ppf(0.025, n, 1) / stats.beta.ppf(0.975, 1, n)
print(f"guaranteed {epsilon:.3f}, at least {np.log(low / high):.3f}", end="")
print(f" (95%); at most {np.log(most):.3f} could have been shown")

# %% [markdown]
# ````{prf:definition} Empirical epsilon
# :label: def-empirical
# A lower confidence bound on the true $\varepsilon$, computed from repeated trials: the logarithm of the lower limit of the true positive rate over the upper limit of the false positive rate. Its **ceiling** is what it would be if the test never erred: these trials cannot show more.
# ````
#
# A mechanism can be run thousands of times, a whole release hardly. {cite:t}`steinke2023` need *one* run: include each of many people at random with probability one half, publish once, and guess who was included. If $\varepsilon$-DP holds for a person, each guess is right with probability $e^\varepsilon/(1 + e^\varepsilon)$ at most. If the number of guesses is fixed beforehand at 90, what does the number of right guesses say about $\varepsilon$?

# %%
grid = np.arange(0, 8, 0.005)
chance = np.exp(grid) / (1 + np.exp(grid))
for right in (50, 60, 75, 88, 90):
    possible = stats.binom.sf(right - 1, 90, chance) > 0.05
    print(f"{right} of 90 right: epsilon is at least {grid[possible].min():.2f}")

# %% [markdown]
# One run with 90 guesses can never show more than 3.4. The table compares what is declared with what trials show, from stored results. Ceilings are in brackets. The 95% hold for all bounds of a release together.

# %% tags=["hide-input"]
plots.show_table(figures.epsilon_table(kept), "epsilon")

# %% [markdown]
# *Many users in one cell* (an exercise explains it; it assumes that noise is independent from cell to cell) shows nearly all of what Laplace noise guarantees, so there is hardly more noise than the guarantee needs. No bound exceeds what is declared. *With and without the unit* shows next to nothing for a day or a person. That does not prove that less noise would do: the guarantee holds for the worst data, and these are typical. In *one run*, event-level noise has an $\varepsilon$ of at least 2.4 for a person, the most that this run could show; its 1 is for one visit.
#
# A bound above the declared value is an alarm: the noise is not what was declared. Does the alarm ring? We test a release for a whole person with the right scale of noise, half of it and a quarter:

# %%
wrong = experiments.weakened_noise(group, epsilon, [1, 0.5, 0.25], 200_000, seed)
plots.show_table(wrong, "weakened")

# %% [markdown]
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
# Noise that is used twice cancels in the difference, and the target is seen with certainty. A bound finds only the errors that its test looks for, so the audit runs several tests. We planted six bugs, and each is seen by one of them; correct noise raises no alarm (`tests/audit/test_planted_bugs.py`).
#
# | bug | the bound that sees it |
# |---|---|
# | half the scale | a crowd in one cell |
# | noise reused over hours | difference of two hours |
# | one seed for all releases | a crowd in one cell |
# | forgotten bound on visits | largest unit in the records, computed exactly |
# | $\delta$ used for two noises | largest unit in the records, computed exactly |
# | Fourier coefficients that are not normalised | one person at one place |
#
# For Gaussian noise, rates of one test are turned into $\varepsilon$ by the trade-off curve of the normal distribution {cite:p}`nasr2023`, which wastes less than the definition of $(\varepsilon, \delta)$ does.

# %% [markdown]
# (audit-use)=
# ## Risk against usefulness
#
# The quality of counts is usually measured by their mean relative error. What is it if you publish 0 everywhere? Guess before you look.

# %% tags=["hide-input"]
from lib.aggregation import aggregate
from lib.audit import usefulness

counts = aggregate(group, [np.arange(group.n_users)])[0]
nothing = usefulness.measure_usefulness(counts, 0 * counts)
print(f"mean relative error of zeros everywhere: {nothing['MRE']['value']:.3f}")

# %% [markdown]
# Most counts are 0, so zeros are nearly right. Hiding counts below 10 is hardly better (0.136), and user-day-level noise is far worse (23). A planner asks which places are visited most. We therefore use the rank correlation of places by visits: 1 if their order is kept, 0 if nothing of it is.

# %% mystnb={"figure": {"name": "fig-audit-use", "caption": "Flights by number, stored results: share of members identified by the best attack with each knowledge, against the rank correlation of places by visits. Dotted: chance level. Bars: intervals. A raw, B mds-k10, C flowkit-15, D round-5, E suppress-10-round-5, F event, G user-day, H user, I gaussian-user, J fpa, K google-mobility. Event-level noise keeps the order of places and much reduces what an attacker with other people's traces identifies, but not what one who knows everybody else does; no release is low in both panels and far to the right."}, "image": {"alt": "Two panels, for an attacker who knows other people's traces and one who knows everybody else: share identified against rank correlation of places. Raw counts are highest and to the right; event-level noise is low in the first panel and at the top of the second; rounding is in the middle; everything else is at the lower left."}} tags=["hide-input"]
compared = ["other people", "everybody else"]
figures.show_risk_and_use(kept, compared)

# %% tags=["hide-input", "hide-output"]
use = figures.risk_and_use_table(kept, compared)
plots.show_table(use.iloc[:6], "use")
plots.show_table(use.iloc[6:], "use-noise")
print(*map(figures.visits_published, (kept, elsewhere)), sep="\n")

# %% [markdown]
# Errors and intervals are in the folded table. In the interactive figure you choose what the attacker knows:
#
# ```{raw} html
# :file: static/audit.html
# ```
#
# The **verdict** has four values.
#
# - *Fail*: an attack with plausible knowledge reaches a threshold fixed beforehand with the lower end of its interval (one member in ten identified, half of the most vulnerable tenth, an AUC of 0.75, or a gain of a tenth), while its controls are at chance level; or hidden counts are recovered; or a bound exceeds the declared $\varepsilon$.
# - *Guaranteed*: nothing fails, and an $\varepsilon$ of at most 1 (with $\delta$ at most 0.00001) is guaranteed for everything that a person does in the whole period.
# - *Review*: neither, but some attack is significantly better than its baseline, or controls are not at chance level.
# - *None succeeded*: no attack that was run succeeded, and nothing that small is guaranteed. It never means "safe".
#
# The eleven releases of the flights by number:
#
# - *Fail*: raw counts and event-level noise. On both, even the AUC of the sum is above 0.75.
# - *Review*: hiding below 10, rounding, both; user-day-level noise.
# - *Guaranteed*: user-level noise. With Laplace noise nobody can identify more than $e^1 = 2.7$ of 100 members. Gaussian noise has a ninth of the error of Laplace noise for the same $\varepsilon$; attacks on it have an AUC of 0.51, significantly above 0.5 but within what its $\varepsilon$ and $\delta$ allow.
# - *None succeeded*, for two reasons. Fourier perturbation guarantees little to a person (10.3), but its mean relative error is 21 (with 10 coefficients; Knock-Knock tuned them to its counts). Hiding up to 15, and Google's process (made for regions of many thousands, not for hourly counts of 500 flights), publish next to nothing: 3.2% of visits, and none.
#
# (audit-safe)=
# ## What would have to be true for these counts to be safe?
#
# A guarantee for a *whole person*, with noise that is drawn exactly and checked; everything else that is published (totals, corrections, next month) computed from the noisy counts or paid for from the same budget; a public cap; and counts that are large compared with the noise.
#
# How many people are needed so that the noise is a tenth of the count that the median visit is in? We count each person once per place and period. The cap is what the median person has (though it would have to be public):

# %% tags=["hide-input"]
needed = experiments.people_needed(group, epsilon)
plots.show_table(needed, "needed")

# %% [markdown]
# There are 500 people. By the hour that is a hundred times too few; for the whole period it is enough. By this calculation, publishing less often achieves what hourly noise cannot. It is also another product, and was not attacked here.
#
# ## On your own records
#
# `python -m lib audit RECORDS.csv --release RELEASE.yml` runs the attacks of this chapter on a file of `user,time,zone` or `user,time,lat,lon`, and writes a report in plain words. `RELEASE.yml` holds `preset: mds-k10`, or mechanisms as for the six users (`python -m lib audit --list` names all). The audit cannot see attacks that nobody has thought of, attackers with other data, people who travel together, or what is published next.
#
# ## Take-aways
#
# - An attack without its threat model, its baseline and its control is no finding: one AUC of 1 on this page is about groups, not members.
# - $\varepsilon$ without its unit is no guarantee. With 1 for a visit, an attacker with other people's traces identifies 13 of 100 members, and the worst case nearly all. With 1 for a day both identify 2; with 1 for a person 1, which is guessing.
# - Hiding small counts guarantees nothing and can be undone by totals. Of the flights it publishes a quarter of the visits, and still leaves 13 [4, 22] of 100 of the most vulnerable tenth to an attacker who knows only their visits. The larger the counts, the less is hidden.
# - Empirical bounds detect noise of half the right scale. They never prove that a guarantee holds.
# - None of the eleven hourly releases of the flights is both safe from these attacks and useful. Where the best attack, worst case included, identifies at most 2 in 100 members of the simulated releases, the order of places is lost as well (a rank correlation of 0.29 at most). A person spends the $\varepsilon$ of this noise again every day.
#
# (audit-debate)=
# ## A debate for class
#
# *Half an hour, four roles.* A transport office wants to publish hourly counts, with those below 10 hidden. **The office**: everybody does it this way, and riders gain. **A rider** takes the first train, alone at their stop, every day. **A planner** needs the rarely used stops, which would be hidden. **A journalist** asks for last year's counts, too.
# Five minutes to prepare, with this page only, and two each to speak; then the class votes: as they are, below 10 hidden, user-day-level noise, weekly counts, nothing. Before the vote each role names *one number* of this page that would change their mind.

# %% [markdown]
# ## Exercises
#
# ```{exercise} One in a hundred (★, 5 minutes)
# :label: audit-ex-base
# An attack identifies 90 of 100 members, and wrongly identifies 1 of 100 others. In a city of a million, 500 people were counted. An attacker flags everybody whom the attack identifies. How many of those are members?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-base
# :class: dropdown
# ````

# %%
members, rest = 0.9 * 500, 0.01 * (1_000_000 - 500)
print(f"{members:.0f} members of {members + rest:.0f} flagged")

# %% [markdown]
# *Learned:* a false positive rate is a share of those who are *not* in. Of those flagged, 96 in 100 were never counted. An attacker who considers fewer people errs less.
#
# ````{solution-end}
# ````
#
# ```{exercise} Two by two (★, 10 minutes)
# :label: audit-ex-totals
# Two places, two hours, all four counts below 3 and hidden, totals published. Which totals give everything away? Guess, then try all tables with `small_counts.recover`.
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
    found = small_counts.recover(np.zeros((2, 2)), *totals, 3)
    if (found < 0).any():
        n_tables += 1
        secret.add(tuple(tuple(map(int, each)) for each in totals))
print(f"{n_tables} of 81 tables keep a secret. Totals by place, by hour:")
for by_place, by_hour in sorted(secret):
    print(by_place, by_hour)

# %% [markdown]
# *Learned:* wherever a total is as small or as large as it can be, the rest follows; and also where totals of 1 and 3 meet totals of 1 and 3. A count stays hidden only if the other hidden counts leave more than one possibility.
#
# ````{solution-end}
# ````
#
# ```{exercise} What a guarantee forbids (★★, proof, 15 minutes)
# :label: audit-ex-proof
# Show: if a release is $(\varepsilon, \delta)$-DP for a unit, every test has TPR $\le e^\varepsilon$ FPR $+\ \delta$, and TPR for $k$ units at once, $\delta = 0$, is at most $e^{k\varepsilon}$ FPR. Why does a bound $b$ for $k$ people in one cell give $b / k$ for one visit, and $b c / k$ for a unit of $c$ visits?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-proof
# :class: dropdown
# ````
#
# A test says "in" on a set $R$ of releases. Its rates are $\Pr[R \mid \text{with}]$ and $\Pr[R \mid \text{without}]$, and the definition of differential privacy holds for every set, so for $R$. A randomised test is an average of such sets. For $k$ units change one after the other: each step costs a factor $e^\varepsilon$ at most, so that together it is $e^{k\varepsilon}$.
# If trials show that TPR / FPR is at least $e^b$ for $k$ people, then $b \le k \varepsilon$ for one visit each. Noise that is independent from cell to cell spends as much in each of a unit's $c$ cells, together $c$ times that.
#
# *Learned:* one cell with many people in it can test a small $\varepsilon$: with $k = 1/\varepsilon$ people the guarantee is 1, which trials show well.
#
# ````{solution-end}
# ````
#
# ```{exercise} How high is the ceiling? (★★, 15 minutes)
# :label: audit-ex-ceiling
# How many trials of either kind does it take before Clopper and Pearson could show $\varepsilon = 3$, 5, 8 at all? Why does nobody audit $\varepsilon = 20$ in this way? A bound of 0.4 has a ceiling of 0.5, and 1 is declared: does the guarantee hold?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-ceiling
# :class: dropdown
# ````

# %%
for wanted in (3, 5, 8):
    n = 4
    while stats.beta.ppf(0.025, n, 1) / stats.beta.ppf(0.975, 1, n) < np.exp(wanted):
        n = int(n * 1.01) + 1
    print(f"epsilon {wanted}: about {n} trials of either, all of them right")

# %% [markdown]
# *Learned:* trials grow as $e^\varepsilon$ (the upper limit of "never" is $3.7 / n$, so 20 takes $3.7\,e^{20}$, nearly two billion). A large $\varepsilon$ cannot be tested, and hardly means anything. The bound of 0.4 says nothing about 1: its test could not have shown more than 0.5.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write this attack yourself (★★, 30 minutes)
# :label: audit-ex-own
# The sum over the target's cells weighs all cells alike. Write an attack that gives a cell more weight if fewer people are usually there. `games = lib.audit.games.Game(group, parse("raw"), seed, quick=True)` has shadow releases of the same pool in `games.shadow` and those to attack in `games.test`, each with `published` and `members`; `games.targets` are the people; `lib.audit.measures.membership_measures` evaluates the scores. This is the worst case: the attacker knows what is usual among the very people who may be counted. How far does one weight go from the sum to the *likelihood ratio* of the first table?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-own
# :class: dropdown
# ````

# %%
from lib.audit.games import Game
from lib.audit.measures import membership_measures

games = Game(group, parse("raw"), seed, quick=True)
visits = group.matrix[games.targets].astype(float)
usual = games.shadow.published.mean(axis=1, keepdims=True)
for words, weight in (("sum", usual * 0 + 1), ("rare cells", 1 / (usual + 0.1))):
    scored = [
        (visits @ (weight * each.published), each.members[games.targets])
        for each in (games.test, games.shadow)
    ]
    found = membership_measures(*scored[0], *scored[1])
    print(f"{words:10} AUC {found['AUC'].value:.3f}, ", end="")
    print(f"identified {found[experiments.FOUND].value:.3f}")

# %% [markdown]
# *Learned:* most of what the likelihood ratio gains over the sum is this weight. A count where usually nobody is reveals nearly everything. The sum identifies more members here than in the table, because its scores are compared with shadow releases of the same pool.
#
# ````{solution-end}
# ````
#
# ```{exercise} Published again (★★, 20 minutes)
# :label: audit-ex-again
# The same counts are published ten times, each time with fresh noise of $\varepsilon = 1$ for a person's day. What is that for a person's day in all? Average the ten (`games` as above; without the cap), and attack the average with the sum.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-again
# :class: dropdown
# ````

# %%
some = games.targets[:40]
plan = parse("user-day-epsilon-1").plan(group)
for times in (1, 10, 100):
    rng, aucs = stream(seed, "again", times), []
    for person in some:
        cells = group.matrix[[person]].indices
        counts = games.test.raw[cells].astype(float)
        for _ in range(times):
            counts += rng.laplace(scale=plan.noise.scale, size=counts.shape) / times
        inside = games.test.members[person]
        above = np.greater.outer(*(counts.sum(axis=0)[k] for k in (inside, ~inside)))
        aucs.append(above.mean())
    print(f"{times:3} times, epsilon {times} for a day: AUC {np.mean(aucs):.2f}")

# %% [markdown]
# *Learned:* budgets add up, and noise averages out. The AUC of the sum over the target's cells climbs towards its 0.90 on raw counts.
#
# ````{solution-end}
# ````
#
# ```{exercise} The last digits (★★, 20 minutes)
# :label: audit-ex-digits
# Draw Laplace noise around 0 and around 1, nobody and one person, with $\varepsilon = 1$, and score each value by $|x| - |x - 1|$. Outside of [0, 1] the score is $\pm 1$. Bound $\varepsilon$ with the scores as they are, and rounded to six digits. What happened?
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
# *Learned:* all these scores are $\pm 1$ but for the last digit, which tells from which sum of a whole number and noise the computer rounded {cite:p}`mironov2012`. The guarantee was for real numbers. Draw whole-number noise, or round, before you publish in earnest.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own release (★★★, an evening)
# :label: audit-ex-project
# Take records of your own, or the cabs, and write the release that you would defend: mechanisms, cap, what else is published. Audit it with `python -m lib audit`. Then change *one* thing for a better verdict, and one for more useful counts. *A good answer* names the threat model of the best attack, shows its control, tells what each change cost, and says what was not tested.
# ```

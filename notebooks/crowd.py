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
# # Where was she?
#
# A transport company publishes how many people were at each station in each hour. Nobody doubts that Ada was counted; she travels every day. What you want to
# know is *where* she was. You know a little about her: where she goes often, or at which hours. Do the counts help? {cite:t}`pyrgelis2017crowd` ask this
# for a whole population at once. After this chapter you can
#
# - combine what an attacker knows with counts, by BAYES and MAX_ROI;
# - compute her error and the privacy loss, by hand and for thousands of users;
# - compare every attacker with those who know nothing, and say which attacks survive that;
# - solve the problem that these attacks approximate: the counts bind all users at once.

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-number", "flights-by-tail"]
path = ""
users_of = {}
inference = 168
delta = 0.5
joint_every = 14
mix = 0.05

# %% [markdown]
# (crowd-bet)=
# ## A bet
#
# Here are six people again ([first chapter](foundations.ipynb)). The attacker watched Dan on Monday: once at the station, once at home, once in the park, once
# nowhere. On Tuesday she sees only the counts of all six. **In which hour do they betray Dan?** Choose one before you read on.

# %%
import numpy as np
import pandas as pd
from lib import localization as loc
from lib import plots
from lib.datasets import load
from lib.plots import crowd as figures

plots.use_style()
six = load("six-users").with_null()
tuesday = loc.inferred(six, 4)
counts = tuesday.matrix.sum(axis=0).reshape(six.n_rois, 4)
known = loc.prior(six, "FREQ_ROI", inference=4)
prior = known.toarray()[:, :, 0]  # one row a user, the same in every hour

# %% mystnb={"figure": {"name": "fig-crowd-bet", "caption": "What the attacker has: Tuesday's counts of six people, and how often Dan was where on Monday. See that at nine three were at the station, a place of Dan's, and that at eighteen two were in the park."}, "image": {"alt": "Counts of six people at five places in four hours, and a column with Dan's share of Monday in each place: a quarter each at home, station, park and nowhere."}} tags=["hide-input"]
hours = [f"{epoch:%H}h" for epoch in tuesday.epochs]
dan = list(six.users).index("Dan")
figures.show_bet(counts, prior[dan], list(six.rois.index), hours)

# %% [markdown]
# Somebody who is at none of the four places is at a place of its own, **null**. It is counted, predicted and scored like any other: to know that somebody
# was *not* out is knowledge.
#
# ### Who knows what
#
# | sign | what it is | here |
# |---|---|---|
# | $u$, $s$, $t$ | a user, a place (region of interest), an hour | `users`, `rois`, `epochs` |
# | $\tilde T$, $T'$ | the weeks in which the attacker has watched, and the week she asks about | all but the last week, the last |
# | $A_{s,t}$ | counts of everybody in the last week | `counts` |
# | $P_{s,t}$ | her **prior**: how likely she thinks it, before the counts, that $u$ is at $s$ | `loc.prior(traces, kind)` |
# | $\hat P_{s,t}$ | what she believes after | `loc.bayes`, `loc.max_roi`, `loc.max_user` |
#
#
# ## Three attackers without an idea
#
# Before any attack, its baselines. One says *null*, always. One looks at the *counts alone* and believes of everybody what is true of the crowd: at nine,
# three of six were at the station, so Dan was there with 1/2. One has the *prior alone*, which for Dan is 1/4 in every hour.
#
# ## BAYES and MAX_ROI
#
# BAYES multiplies the prior by the counts and makes the sum 1 again. For Dan at nine:

# %%
p = prior[dan] * counts[:, 1]
at_nine = {"prior": prior[dan], "count": counts[:, 1], "BAYES": p / p.sum()}
plots.show_table(pd.DataFrame(at_nine, six.rois.index).T, "at-nine")

# %% [markdown]
# MAX_ROI goes from place to place. Two were counted in the park at eighteen: the two users with the largest prior there must be they.

# %%
park, evening = 3, 3
likeliest = np.argsort(-prior[:, park], kind="stable")[: counts[park, evening]]
list(six.users[likeliest])

# %% [markdown]
# ````{prf:algorithm} BAYES, MAX_ROI, MAX_USER (Algorithms 3.1 to 3.3 of the paper)
# :label: alg-crowd
# **BAYES** (Eq. 15): $\hat P_{s,t} = P_{s,t} A_{s,t} / \sum_j P_{j,t} A_{j,t}$ for each user and hour.
#
# **MAX_ROI**: for each place and hour, the $A_{s,t}$ users with the largest prior are there; among equals, those with more visits.
#
# **MAX_USER**: in each hour, users in the order of their visits take every place with a positive prior whose count is not used up.
# ````
#
# How much does each attacker believe in the place where Dan really was?

# %%
where = tuesday.trace("Dan").argmax(axis=0)  # his place in each hour
nothing = np.zeros((5, 4))
nothing[-1] = 1
alone = np.repeat(prior[[dan]].T, 4, axis=1)
said = {
    "always null": nothing,
    "the counts alone": counts / 6,
    "the prior alone": alone,
}
said["BAYES"] = alone * counts / (alone * counts).sum(axis=0)
truth = {name: belief[where, range(4)] for name, belief in said.items()}
plots.show_table(pd.DataFrame(truth, index=hours).T, "dan")

# %% [markdown]
# If you bet on nine, BAYES agrees: 3/4. At eight it is certain of the wrong thing, since Dan was never seen in the office, and zero times anything is zero. Keep your
# bet; at the end of the chapter somebody does better.
#
# ````{admonition} Decisions of ours, not of the paper
# :class: note
# Who is assigned nowhere is at null; who is assigned to several places is spread evenly over them; if prior and counts have no place in common, BAYES keeps the prior;
# null is scored like a place. The paper says *distance* in base 2, but its numbers fit the natural logarithm, which we use. The order by visits is the paper's; what is equal
# in that too is ordered by position. All decisions and what hangs on them: [the replication](crowd-ambiguities).
# ````
#
# ## How wrong is she?
#
# ````{prf:definition} Profiling error and privacy loss (Eq. 4 and 6)
# :label: def-crowd-profiling
# The error in one hour is the *Jensen-Shannon distance* between the attacker's distribution and the user's true one: 0 if she is certain and right, $\sqrt{\ln 2} \approx 0.83$ if
# she gives the truth no chance. A user's **error** $e$ is the mean over hours. Her **privacy loss** is $\max(0, (e_P - e_{P,A}) / e_P)$: the share of the
# error with the prior alone that the counts take away.
# ````
#
# When the user is in one place, to which the attacker gives probability $p$, the distance is the root of $\ln 2 - \tfrac12 (1+p) \ln (1+p) + \tfrac12 p \ln p$
# ({ref}`an exercise <crowd-proof>`). By hand for Dan at nine, and in one line for everybody and all hours:

# %%
p = 3 / 4
js = np.log(2) - (1 + p) / 2 * np.log(1 + p) + p / 2 * np.log(p)
print(f"Dan at nine, by hand: {np.sqrt(js):.3f}")
before = loc.profiling_error(known, tuesday)[dan]
after = loc.profiling_error(loc.bayes(known, counts), tuesday)[dan]
print(f"Dan's day: prior {before:.3f}, with counts {after:.3f}", end=", ")
print(f"loss {(before - after) / before:.2f}")

# %% [markdown]
# ## A week of flights
#
# The users are now flights out of New York: by number they repeat weekly, like commuters; by tail (the aircraft) they do not, like cabs. The attacker has watched three weeks
# and asks about the fourth. Two kinds of prior, of the paper's eight:
#
# ````{prf:definition} Frequent places, and day and week (Eq. 7 to 9)
# :label: def-crowd-freq-roi
# *Frequent places* (FREQ_ROI): the share of her watched hours that the user spent at each place, null included; the same for every hour.
# *Day and week* (ROI_DAY_WEEK): the same share, counted apart for each of the 168 hours of the week.
# ````

# %%
from lib.datasets import overview
from lib.studies import crowd, fitting

sources, sizes = fitting.called(datasets), {"commuters": 300, "cabs": 120} | users_of
weeks = {
    name: crowd.watched(file, sizes.get(name), inference, path)
    for name, file in sources.items()
}
plots.show_table(overview({name: week.traces for name, week in weeks.items()}), "data")

# %% [markdown]
# %%
units = dict.fromkeys(weeks, crowd.SHOWN)
rows = crowd.beside_null(weeks, units=units, delta=delta)

# %% mystnb={"figure": {"name": "fig-crowd-profiling", "caption": "Mean profiling error with 95% intervals over users; the dotted line is the attacker who always says null. See that with frequent places nobody beats her. Only who knows the day and the week of regular flights does, and MAX_ROI by far."}, "image": {"alt": "Dots for six attackers and two priors, a panel for each dataset, with a dotted line at the error of always null. With frequent places all dots lie right of the line. With day and week, by number, the prior, BAYES, MAX_ROI and MAX_USER lie left of it; by tail none."}} tags=["hide-input"]
figures.show_profiling(rows)

# %%
plots.show_table(figures.profiling_table(rows), "profiling")

# %% [markdown]
# With frequent places the counts help a lot, if we ask as the paper does: BAYES has a third of the prior's error. But an attacker who knows nothing, and says that nobody is ever
# anywhere, does better still. A flight is in the air or at its gate in few hours; what the counts gave was *when everybody is away*.
#
# By number, with day and week, all who have the prior beat null. There the prior alone is nearly the answer, and MAX_ROI removes most of what is left. BAYES makes
# it worse than the prior: it multiplies a belief that was right by the popularity of places.
#
# ### In the hours when she was out
#
# Null wins by being right about the empty hours. So look only at the hours in which a user was somewhere. (The attacker does not know which these are. This
# is a question about her beliefs, not another attack.)

# %%
plots.show_table(figures.out_table(rows), "out")

# %% [markdown]
# Now always null is wrong each time, 0.83. And BAYES after frequent places is *worse than the prior alone*: counts moved its belief towards null.
# A small mean error may hide that nobody was found. MAX_ROI with day and week finds the regular flights.
#
# ### The cabs
#
# On the paper's own 534 cabs of San Francisco, with frequent places; from kept rows, over all cabs there are, so that nothing was sampled:

# %% tags=["hide-input"]
print(crowd.beside_null.source("cabspotting"))
kept = crowd.beside_null.kept("cabspotting")
plots.show_table(figures.census_table(kept, "FREQ_ROI"), "cabs")

# %% [markdown]
# Here a cab is out in most hours, and still MAX_USER, the paper's best, is only 0.009 better than always null. In the hours out it is worse than
# the prior alone. The paper's Fig. 1 has no such line. But an error is a choice: by the Brier score, of the last section, always null is the worst on the cabs and BAYES the best ([replication](crowd-all-at-once)).
#
# (crowd-where)=
# ## Yes or no: localization
#
# Now the attacker must name places. From a distribution she takes all places with a positive probability (ALL), or those with a probability of at least a half (POP);
# MAX_ROI and MAX_USER name places anyway.
#
# ````{prf:definition} Localization error (Eq. 3 and 5)
# :label: def-crowd-localization
# $1 - F_1$, where $F_1 = 2\,\mathrm{hits} / (\mathrm{named} + \mathrm{true})$ counts (place, hour) pairs over the whole week, null among them.
# ````
#
# (ALL names null only where there is nothing else: a decision; the paper's numbers ask for it.)

# %%
plots.show_table(figures.localization_table(rows), "localization")

# %% [markdown]
# The paper measures losses against ALL, with frequent places the worst of these. There POP looks clever, but its error is that of always null, which it *is* for nearly everybody.
# By number, with day and week, POP and MAX_ROI name nearly all places rightly; by tail none beats null.
#
# (crowd-when)=
# ## When?
#
# The prior is now the hour of the day (ROI_DAY), as in the paper's Fig. 6: Mondays and Sundays are mixed. Hours are New York's, UTC-4 in that week; a reader's own
# data are shown in UTC. The attacker's slots are hours of UTC, so for her the change of the clocks after the first week ({prf:ref}`def-recurrence`) moved the flights by one hour.

# %% mystnb={"figure": {"name": "fig-crowd-hours", "caption": "Mean profiling error in each hour of the week, on one scale: the prior of the hour of the day, BAYES, and always null. See that BAYES runs along always null, above the prior on working days by number."}, "image": {"alt": "A panel for each dataset on one scale: three curves over the hours of the week, near zero at night. By number BAYES and always null are above the prior on working days and below it on Saturday; by tail they are below it all week."}} tags=["hide-input"]
figures.show_hours(crowd.hours(weeks))

# %% [markdown]
# What BAYES takes off the prior's error, and what always null takes off it. Negative: worse than the prior.

# %%
plots.show_table(figures.parts_short(crowd.parts(weeks)), "hours")

# %% [markdown]
# By number, counts do harm in these parts of a working day, and help at weekends, where the prior expects a working day. The paper says that commuters lose more at mid-day, in the evening and at weekends
# than in the morning; of this only the weekend comes out here. By tail BAYES helps at all hours, and always null helps more.
#
# (crowd-joint)=
# ## All users at once
#
# Back to the bet. BAYES treats each user as if she were alone. But somebody must be *each* of the two people in the park at eighteen. The question for all users together, in one hour:
#
# $$\max_x \sum_{u,s} x_{u,s} \ln P^u_s \quad\text{subject to}\quad \sum_s x_{u,s} = 1 \text{ for each user}, \quad \sum_u x_{u,s} = A_s \text{ for each place}, \quad x_{u,s} \in \{0, 1\}.$$
#
# For three of them it can be done by hand. Of Dan, Eve and Fay at eighteen, two were in the park and one in the office. Eve had never been seen in the park, so $\ln P$ is $-\infty$ there. The conditions
#
# $$x_{\text{Dan,park}} + x_{\text{Eve,park}} + x_{\text{Fay,park}} = 2, \qquad x_{\text{Dan,office}} + x_{\text{Eve,office}} + x_{\text{Fay,office}} = 1$$
#
# have one solution of finite value: Eve in the office, Dan and Fay in the park. The counts alone, with habits, betray Dan *completely*, and at eighteen.
#
# For all six, and beliefs instead of one answer: give six seats (a place has as many as it was counted) to six people in all ways, and weigh each way by its probability.

# %%
from itertools import permutations

seats = np.repeat(range(5), counts[:, evening])
exact = np.zeros((6, 5))
for order in permutations(seats):
    exact[range(6), order] += prior[range(6), order].prod()
exact /= exact[0].sum()
pd.Series(exact[dan], six.rois.index).round(3).to_dict()

# %% [markdown]
# ```{raw} html
# :file: static/dan.html
# ```
#
# Six people have 720 orders, a thousand have too many. The **maximum-entropy marginals** approximate the exact beliefs: of all beliefs that add up to the counts, the nearest to the
# prior. The most likely single assignment is a *transport problem*, which linear programming solves exactly.
# People go where they were never seen, so both mix the prior with a little of the crowd's own profile.

# %%
beliefs = {
    "BAYES": loc.bayes(known, counts),
    "max entropy": loc.max_entropy(known, counts, mix),
    "most likely": loc.most_likely(known, counts, mix),
}
table = {k: v.toarray([dan])[0][where, range(4)] for k, v in beliefs.items()}
plots.show_table(pd.DataFrame(table, index=hours).T.round(3), "dan-joint")

# %% [markdown]
# Who binds all users is surer of the park at eighteen than BAYES. At nine it is less sure of the station: three people there and one in the park make Dan a good
# guess for the park. (It was Eve, where she had never been.) The exact answer is exact for a prior, and the prior may be wrong.
#
# ### On the flights
#
# With the hour of the day as prior, in an hour out of every fourteen. The *Brier score* is the squared difference between belief and truth, summed over places: it rewards honest probabilities. *Visits found* is the share of
# visits that an assignment has in the right place.

# %%
few = {name: week for name, week in weeks.items() if week.truth.n_users <= 2000}
kinds, said = ["ROI_DAY"], "Only up to 2,000 users: more would take minutes."
joint = crowd.joint(few, kinds=kinds, every=joint_every, mix=mix) if few else None
answer = pd.DataFrame() if joint is None else figures.joint_wide(joint, *kinds)
plots.show_if_any(answer, "joint", said)

# %% [markdown]
# By number MAX_ROI and the most likely assignment find nine visits in ten; MAX_USER, which looks at the order of users only, finds little more than half.
# BAYES is far behind the prior alone, which the maximum-entropy beliefs are ahead of: counts were used twice ({ref}`an exercise <crowd-twice>`). By tail nobody finds anything: all do about as always null does, or worse.
#
# (crowd-found)=
# ## What the paper found, and what we found
#
# The paper's cabs are judged on the cabs, its London commuters on a synthetic stand-in and, where a trend is concerned, on flights. Eight findings; [the replication](replication/crowd.ipynb) has all.

# %% tags=["hide-input"]
from lib import claims, findings

TELLING = [
    "crowd-fig1-sfc-prof-prior-freq-roi-err", "crowd-fig1-sfc-prof-bayes-freq-roi-err",
    "crowd-fig1-sfc-prof-max-user-freq-roi-err", "crowd-fig1-maxroi-hurts-sfc",
    "crowd-fig1-tfl-over-sfc", "crowd-fig4-sfc-loc-all-freq-roi-err",
    "crowd-fig6-tfl-morning", "crowd-takeaway-profiling",
]  # fmt: skip
plots.display_table(claims.top(findings.known("crowd"), TELLING))

# %% [markdown]
# ## Take-aways
#
# - Put the laziest attacker beside every loss: always null beats all who know frequent places, on both kinds of flights.
# - Counts tell mainly *when* people are out. That alone makes errors small and finds nobody.
# - Who knows the day and the week of a regular user has nearly the answer; MAX_ROI with counts takes most of the rest. Irregular users are found by no attack here.
# - Counts bind everybody: a small count betrays those with a rare habit. The exact problem can be solved, and is only as good as the prior.
# - Next: [noise](crowd_defenses.ipynb). Beside it: [was she counted at all?](knock_knock.ipynb), and [how much can *any* attacker learn?](fano.ipynb)
#
# ## Exercises
#
# One star: a few lines. Two: half an hour. Three: an evening.
#
# ```{exercise} Fay's evening (★, 5 minutes)
# :label: crowd-fay
# What does BAYES believe of Fay at eighteen, and what do all orders of the seats say? Predict both before you run them.
# ```

# %% [markdown]
# ````{solution-start} crowd-fay
# :class: dropdown
# ````

# %%
fay = list(six.users).index("Fay")
p = prior[fay] * counts[:, evening]
both = pd.DataFrame({"BAYES": p / p.sum(), "exact": exact[fay]}, index=six.rois.index)
plots.show_table(both.round(3), "fay")

# %% [markdown]
# *Learned:* a count is evidence about whoever else could be in it.
#
# ````{solution-end}
# ````
#
# ```{exercise} The base of the logarithm (★, 10 minutes)
# :label: crowd-base
# Compute the mean profiling error of the first dataset's prior of frequent places with natural and base-2 logarithms, with and without the root. Which ratio does not depend on the data?
# ```

# %% [markdown]
# ````{solution-start} crowd-base
# :class: dropdown
# ````

# %%
first = next(iter(weeks.values()))
habits = first.prior("FREQ_ROI")
for base, root in ((np.e, True), (2, True), (np.e, False), (2, False)):
    error = loc.profiling_error(habits, first.truth, base, root)
    print(
        f"base {base:.3g}, {'distance' if root else 'divergence'}: {error.mean():.4f}"
    )
print(f"ratio of the distances: {1 / np.sqrt(np.log(2)):.4f}")

# %% [markdown]
# *Learned:* distances differ by $1/\sqrt{\ln 2}$, divergences by $1/\ln 2$, whatever the data. With or without the root is another matter: a mean of roots is not the root of a mean.
#
# ````{solution-end}
# ````
#
# ```{exercise} What null costs (★, 10 minutes)
# :label: crowd-nothing
# Show that the profiling error of always null is $\sqrt{\ln 2}$ times the share of hours in which the user was out. Check it on the first dataset.
# ```

# %% [markdown]
# ````{solution-start} crowd-nothing
# :class: dropdown
# ````
#
# In an hour at null she is certain and right: 0. In any other she gives the truth no chance: $\sqrt{\ln 2}$. The mean over hours is the share of the second kind, times that.

# %%
out = (crowd.real(first.truth).active() > 0).mean(axis=1)
lazy = loc.profiling_error(crowd.nowhere(habits), first.truth)
print("largest difference:", f"{np.abs(lazy - np.sqrt(np.log(2)) * out).max():.1e}")

# %% [markdown]
# *Learned:* the baseline of an error is a statistic of the data. A paper that prints one lets you compute the other: 340 of 504 hours out give the cabs about 0.56.
#
# ````{solution-end}
# ````
#
# ```{exercise} Why BAYES counts twice (★, 10 minutes)
# :label: crowd-twice
# A hundred users have the same prior, 0.6 null and 0.4 station, and the counts are 60 and 40, just as expected. Nothing was learned. What do BAYES and the maximum-entropy beliefs say?
# ```

# %% [markdown]
# ````{solution-start} crowd-twice
# :class: dropdown
# ````

# %%
same = np.tile(np.array([0.6, 0.4])[None, :, None], (100, 1, 1))
expected = np.array([[60], [40]])
print("BAYES:", loc.bayes(same, expected).toarray([0]).ravel().round(3))
print("max entropy:", loc.max_entropy(same, expected).toarray([0]).ravel().round(3))

# %% [markdown]
# *Learned:* counts that confirm the prior should change nothing. BAYES multiplies the two as if the counts were a second, independent witness about *this* user.
#
# ````{solution-end}
# ````
#
# ```{exercise} The distance of a belief (★★, proof, 15 minutes)
# :label: crowd-proof
# The user is at one place, and the attacker's distribution gives it probability $p$. Show that the Jensen-Shannon divergence is $\ln 2 - \tfrac12 (1+p) \ln (1+p) + \tfrac12 p \ln p$,
# whatever she believes of the other places. Where is it 0, and what is it at $p = 0$?
# ```

# %% [markdown]
# ````{solution-start} crowd-proof
# :class: dropdown
# ````
#
# Let $L$ be the truth, $Z = (L + \hat P)/2$. At her place $Z = (1+p)/2$, so $D(L \| Z) = \ln \frac{2}{1+p}$. Elsewhere $Z = \hat P / 2$, so each $\hat P_s$ adds $\hat P_s \ln 2$, in all
# $(1-p) \ln 2$, and $D(\hat P \| Z) = p \ln \frac{2p}{1+p} + (1-p) \ln 2$. Half of the sum is what was claimed. At $p = 1$ it is $\ln 2 - \ln 2 = 0$; at $p = 0$, with $0 \ln 0 = 0$, it is $\ln 2$.
#
# *Learned:* this error does not reward being nearly right. Wrong places are all equally wrong, next door or in another town.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write the attacker who knows when (★★, 20 minutes)
# :label: crowd-gate
# Always null wins in empty hours, MAX_ROI in the others. Write an attacker who says null where the prior of day and week gives null more than a half, and takes MAX_ROI's answer elsewhere. Compare
# errors on all datasets. (Hint: `loc.profiling_error_by_epoch` gives each user's error in each hour.)
# ```

# %% [markdown]
# ````{solution-start} crowd-gate
# :class: dropdown
# ````

# %%
for name, week in weeks.items():
    expects = week.prior("ROI_DAY_WEEK")
    everybody = np.arange(week.truth.n_users)
    null = np.full(len(everybody), expects.null)
    chance = [expects.epoch(t).at(everybody, null) for t in range(expects.n_epochs)]
    answers = loc.max_roi(expects, week.counts), crowd.nowhere(expects)
    greedy, lazy = (loc.profiling_error_by_epoch(x, week.truth) for x in answers)
    gated = np.where(np.stack(chance, axis=1) > 0.5, lazy, greedy)
    print(f"{name}: MAX_ROI {greedy.mean():.4f}, with null {gated.mean():.4f}")

# %% [markdown]
# *Learned:* baselines are good ingredients.
#
# ````{solution-end}
# ````
#
# ```{exercise} One rare habit (★★, 20 minutes)
# :label: crowd-rare
# $n$ users are at home with probability $1 - \varepsilon$ and at the clinic with $\varepsilon$; one more, Gil, is at the clinic with 1/2. The count of the clinic is 1. What do BAYES and all orders of the seats believe of
# Gil, for $n = 5$ and $\varepsilon = 0.01$? What happens as $n$ grows?
# ```

# %% [markdown]
# ````{solution-start} crowd-rare
# :class: dropdown
# ````

# %%
for n in (5, 50, 500):
    rare = 0.01
    gil = 0.5 * (1 - rare) ** n
    other = n * 0.5 * rare * (1 - rare) ** (n - 1)
    print(
        f"n = {n}: exact {gil / (gil + other):.3f}, BAYES {0.5 / (0.5 + 0.5 * n):.3f}"
    )

# %% [markdown]
# *Learned:* BAYES asks how popular a place is; the exact answer asks who else would go there. A small place betrays those who have a habit there, until the crowd has enough occasional visitors.
#
# ````{solution-end}
# ````
#
# ```{exercise} Why the greedy is not exact (★★, 20 minutes)
# :label: crowd-greedy
# Give two users, two places and null, and a prior for which MAX_ROI assigns one user twice and the other never. What does the most likely assignment do? Why does it take the third place?
# ```

# %% [markdown]
# ````{solution-start} crowd-greedy
# :class: dropdown
# ````

# %%
beliefs = np.array([[0.5, 0.5, 0.0], [0.3, 0.3, 0.4]])[:, :, None]
once = np.array([[1], [1], [0]])  # one at each place, nobody at null
print("MAX_ROI:", loc.max_roi(beliefs, once).toarray()[:, :, 0].tolist())
print("most likely:", loc.most_likely(beliefs, once).toarray()[:, :, 0].tolist())

# %% [markdown]
# With two places alone, one user's larger share of the first is the other's larger share of the second. *Learned:* MAX_ROI is the transport problem without the condition that everybody is somewhere.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own counts (★★★, an evening)
# :label: crowd-project
# Run this chapter on your own records (`make run NOTEBOOK=crowd PARAMS="datasets=[my.yml]"`). For which users does any attacker beat always null in the hours when they were out? What do they have in common? *A good answer* shows the baselines beside
# every attack, intervals over users, and one hour of one person as a story.
# ```

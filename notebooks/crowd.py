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
# # Where was Dan? Locating people from counts
#
# A transport company publishes how many people were at each station in each hour. Everybody knows that Dan was counted,
# because he travels every day. An attacker wants to know *where* he was. The attacker already knows something about Dan:
# the places he visits often, or his usual hours. Do the counts tell them more? {cite:t}`pyrgelis2017crowd` ask this
# question for a whole population. After this chapter you can
#
# - combine prior knowledge with counts by the paper's attacks BAYES, MAX_ROI and MAX_USER;
# - compute the attacker's error and the privacy loss, by hand for one person and by code for thousands;
# - compare an attack with attackers who ignore the counts, and say which attacks beat them;
# - solve the problem that these attacks approximate, in which the counts constrain all users at once.
#
# *The figure to remember:* {numref}`fig-crowd-bet`. *Question for a class:* the bet below.

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
# ## In which hour do the counts reveal Dan?
#
# Here are the six people of the [first chapter](foundations.ipynb) again. The attacker watched Dan on Monday. He was once at
# the station, once at home, once in the park, and once at none of the four places. On Tuesday the attacker sees only the
# counts of all six people. **In which hour do the counts reveal Dan's place?** Choose one before you read on.

# %%
import numpy as np
import pandas as pd
from lib import localization as loc
from lib.datasets import load
from lib.papers import figures as plots
from lib.papers.aggregation_privacy import figures

plots.use_style()
six = load("six-users").with_null()
tuesday = loc.inference_period(six, 4)
counts = tuesday.matrix.sum(axis=0).reshape(six.n_rois, 4)
known = loc.prior(six, "FREQ_ROI", inference=4)
prior = known.toarray()[:, :, 0]  # one row a user, the same in every hour

# %% mystnb={"figure": {"name": "fig-crowd-bet", "caption": "What the attacker has: Tuesday's counts of six people, and how often Dan was where on Monday. At nine three were at the station, a place of Dan's, and at eighteen two were in the park."}, "image": {"alt": "Counts of six people at five places in four hours, and a column with Dan's share of Monday in each place: a quarter each at home, station, park and nowhere."}} tags=["hide-input"]
hours = [f"{epoch:%H}h" for epoch in tuesday.epochs]
dan = list(six.users).index("Dan")
figures.show_bet(counts, prior[dan], list(six.rois.index), hours)

# %% [markdown]
# A person who is at none of the four places is assigned to an extra place, called **null**. It is counted, predicted and
# scored like any other place, because it is also informative to learn that somebody was *not* out. Publishing a count for
# null is an assumption. It requires knowing the total number of users and that each is in one place per hour.
#
# The chapter uses these symbols:
#
# | symbol | meaning | in code |
# |---|---|---|
# | $u$, $s$, $t$ | a user, a place (region of interest), an hour | `users`, `rois`, `epochs` |
# | $\tilde T$, $T'$ | the weeks that the attacker has observed; the week that they ask about | all weeks but the last; the last |
# | $A_{s,t}$ | the counts of all users in the last week | `counts` |
# | $P^u_{s,t}$ | the **prior**: the attacker's probability, before the counts, that $u$ is at $s$ | `loc.prior(traces, kind)` |
# | $\hat P^u_{s,t}$ | the attacker's probability after seeing the counts | `loc.bayes`, `loc.max_roi`, `loc.max_user` |
#
# ## What can an attacker do without an attack?
#
# An attack is only worth something if it beats simpler rules. We compare every attack with four of them:
#
# - **Always null** answers that everybody is at null in every hour.
# - **The counts alone** gives every user the distribution of the whole population. At nine, three of six people were at
#   the station, so this rule gives Dan a probability of 1/2 there.
# - **The prior alone** ignores the counts. For Dan it says 1/4 for each of his four places, in every hour.
# - **Likeliest place, no counts** names the place that has at least half of the prior (`delta`), and null if no place has.
#   The paper calls this rule POP. For Dan it answers null.
#
# ## How do the attacks combine prior and counts?
#
# BAYES multiplies the prior by the counts and rescales the product to sum to 1. For Dan at nine:

# %%
p = prior[dan] * counts[:, 1]
at_nine = {"prior": prior[dan], "count": counts[:, 1], "BAYES": p / p.sum()}
plots.show_table(pd.DataFrame(at_nine, six.rois.index).T, "at-nine")

# %% [markdown]
# MAX_ROI considers one place at a time. Two people were counted in the park at eighteen. MAX_ROI assigns the two users
# with the largest prior there:

# %%
park, evening = 3, 3
likeliest = np.argsort(-prior[:, park], kind="stable")[: counts[park, evening]]
list(six.users[likeliest])

# %% [markdown]
# ````{prf:algorithm} BAYES, MAX_ROI, MAX_USER (Algorithms 3.1 to 3.3 of the paper)
# :label: alg-crowd
# **BAYES** (Eq. 15): $\hat P^u_{s,t} = P^u_{s,t} A_{s,t} / \sum_j P^u_{j,t} A_{j,t}$ for each user and hour.
#
# **MAX_ROI**: for each place and hour, assign the $A_{s,t}$ users with the largest prior. Ties go to the users with more visits.
#
# **MAX_USER**: in each hour, go through the users, those with most visits first. Assign each user to every place at which
# their prior is positive and the count is not yet used up.
# ````
#
# On Tuesday Dan was in the office, at the station, at null, and in the park. How much probability does each attacker give to
# his true place?

# %%
where = tuesday.trace("Dan").argmax(axis=0)  # his place in each hour
alone = np.repeat(prior[[dan]].T, 4, axis=1)
said = {"always null": np.eye(5)[:, [4] * 4], "the counts alone": counts / 6}
said |= {"the prior alone": alone}
said["BAYES"] = alone * counts / (alone * counts).sum(axis=0)
for name, attack in {"MAX_ROI": loc.max_roi, "MAX_USER": loc.max_user}.items():
    said[name] = attack(known, counts).toarray([dan])[0]
    said[name][-1] += said[name].sum(axis=0) == 0  # assigned nowhere: null
truth = {name: belief[where, range(4)] for name, belief in said.items()}
plots.show_table(pd.DataFrame(truth, index=hours).T, "dan")

# %% [markdown]
# If you bet on nine, BAYES supports you with 3/4. If you bet on eighteen, MAX_ROI and MAX_USER support you, and both are
# certain. At noon they are just as certain, but only by luck: the count of null is 1, Dan and Eve have equal priors, and
# Dan comes first in the list. At eight no attack that uses the prior can be right. Dan had never been seen in the office, so
# his prior there is 0, and a product with 0 stays 0.
#
# ````{admonition} Decisions of ours that the paper leaves open
# :class: note
# - A user whom an attack assigns to no place is at null. A user assigned to several places is spread evenly over them.
# - If prior and counts have no place in common, BAYES keeps the prior.
# - Null is scored like a place and counts among the observations of Eq. 7.
# - Remaining ties are broken by position in the list.
# - The distance below uses the natural logarithm. The paper says base 2, but its printed errors fit the natural logarithm.
#
# [The replication](crowd-ambiguities) lists all such decisions.
# ````
#
# ## How do we measure the attacker's error?
#
# ````{prf:definition} Profiling error and privacy loss (Eq. 4 and 6)
# :label: def-crowd-profiling
# Let $\hat P$ be the attacker's distribution in one hour and $L$ the true one, spread evenly over the places where the user
# was. The attacker's **profiling error** in this hour is the *Jensen-Shannon distance*
# $\sqrt{\tfrac12 D(L \| Z) + \tfrac12 D(\hat P \| Z)}$ with $Z = (L + \hat P)/2$ and $D(a \| b) = \sum_s a_s \ln (a_s / b_s)$.
# Let $e_P$ be its mean over the week for the prior alone, and $e_{P,A}$ for an attacker who also uses the counts. The user's
# **privacy loss** is $\max(0, (e_P - e_{P,A}) / e_P)$.
# ````
#
# In plain words, the error is 0 if the attacker is certain and right. It is $\sqrt{\ln 2} \approx 0.83$ if they give the truth
# no probability. The privacy loss is the share of the prior's error that the counts remove.
#
# If the user is in one place, to which the attacker gives probability $p$, the distance is the square root of
# $\ln 2 - \tfrac12 (1+p) \ln (1+p) + \tfrac12 p \ln p$ ({ref}`an exercise <crowd-proof>`). We compute it by hand for Dan at
# nine, and with the library for his whole day:

# %%
p = 3 / 4
js = np.log(2) - (1 + p) / 2 * np.log(1 + p) + p / 2 * np.log(p)
print(f"Dan at nine, by hand: {np.sqrt(js):.3f}")
before = loc.profiling_error(known, tuesday)[dan]
after = loc.profiling_error(loc.bayes(known, counts), tuesday)[dan]
print(f"Dan's day: prior {before:.3f}, with counts {after:.3f}", end=", ")
print(f"loss {(before - after) / before:.2f}")

# %% [markdown]
# ## How much do counts reveal about taxis?
#
# The paper's own example is 534 taxis of San Francisco, and they are out in most hours. A taxi that is out reports from about
# eleven cells of the map per hour, so its true distribution is spread over several places. We read the stored results for
# all taxis and three kinds of prior, of the paper's eight:
#
# ````{prf:definition} Frequent places, hour of the day, hour of the week (Eq. 7 to 9)
# :label: def-crowd-freq-roi
# **Frequent places** (FREQ_ROI): the share of the user's observations that fell on each place, the same in every hour. Visits
# are observations, and so are empty hours, which count for null. **Hour of day** (ROI_DAY) and **hour of week** (ROI_DAY_WEEK):
# the same share, computed separately for each of the 24 hours of the day or the 168 hours of the week.
# ````

# %%
from lib.papers.aggregation_privacy import experiments as crowd

print(crowd.compare_with_null.source("cabspotting"))
stored = crowd.compare_with_null.stored("cabspotting")
losses = crowd.errors.stored("cabspotting")
keys = ["goal", "prior", "strategy"]
cabs = stored.merge(losses[[*keys, "loss"]], on=keys, how="left")
cabs = cabs[cabs["goal"] == "profiling"].set_index(["prior", "strategy"])
columns = {"error": "mean error", "loss": "privacy loss", "out": "error in hours out"}
shown = cabs.loc[list(crowd.SELECTED_PRIORS), list(columns)].rename(columns=columns)
plots.show_table(shown.rename(index=figures.WORDS).round(3), "cabs")

# %% [markdown]
# With frequent places, BAYES lowers the mean error from 0.657 to 0.622, a mean privacy loss of 0.055. MAX_USER, the paper's best
# attack, has a loss of 0.150. **But always null has almost the same error as MAX_USER, 0.576 against 0.566, and it uses no counts.**
#
# The last column shows why. It averages only over the hours in which a taxi was out. In these hours MAX_USER is worse than
# the prior alone, because it too often answers null. BAYES is a little better than the prior alone.
#
# The same 534 taxis face every attacker, so differences must be tested in pairs. For each taxi we subtract the attack's error
# from that of the prior alone:

# %%
pairs = crowd.pairs.stored("cabspotting")
pairs = pairs[(pairs["goal"] == "profiling") & (pairs["prior"] == pairs["other"])]
pairs = pairs[(pairs["first"] == "PRIOR") & pairs["prior"].isin(crowd.SELECTED_PRIORS)]
paired = crowd.with_interval(pairs.set_index(["prior", "second"]), "error")
paired = paired.rename(columns={"error": "prior minus attack"}).rename(
    index=figures.WORDS
)
plots.show_table(paired.round(3), "cabs-paired")

# %% [markdown]
# BAYES and MAX_USER reduce the error significantly with every prior. MAX_ROI and the counts alone increase it.
#
# ```{note}
# The intervals treat the taxis as independent, although one table of counts couples all of them, and there is only one week.
# No place except null has half of any taxi's prior, so the rule of the likeliest place equals always null.
# ```
#
# ## Do sparse data look different?
#
# The users are now flights out of New York, and the places are airports. A flight visits its origin in the hour in which it
# leaves and its destination in the hour in which it lands. In all other hours, more than nine of ten, it is at null. Flight
# numbers repeat weekly, like commuters. Aircraft (by tail number) do not, like taxis. The attacker has observed three weeks
# and asks about the fourth. Their hours are UTC. New York's clocks changed after the first week, so regular flights then
# moved by one hour on the attacker's clock.

# %% tags=["hide-input"]
from lib.datasets import overview
from lib.papers import fitting

sources, sizes = (
    fitting.display_names(datasets),
    {"commuters": 300, "cabs": 120} | users_of,
)
weeks = {
    name: crowd.load_week(file, sizes.get(name), inference, path)
    for name, file in sources.items()
}
shown = {name: crowd.without_null(week.traces) for name, week in weeks.items()}
plots.show_table(overview(shown), "data")

# %% [markdown]
# Null is left out here. Both are read from one file, and as many users are drawn of each. Three numbers of what follows, each in one line: the first dataset, with the hour of the week.

# %%
week = next(iter(weeks.values()))
knows = week.prior("ROI_DAY_WEEK")
committed, attack = loc.popular(knows, delta), loc.max_roi(knows, week.counts)
named = {"the prior alone": knows, "likeliest place": committed, "MAX_ROI": attack}
for name, belief in named.items():
    print(f"{name}: {loc.profiling_error(belief, week.truth).mean():.4f}")

# %%
rows = crowd.compare_with_null(
    weeks, units=dict.fromkeys(weeks, crowd.SELECTED_UNITS), delta=delta
)
rows = pd.concat([rows, crowd.likeliest_place_errors(weeks, delta=delta)])

# %% mystnb={"figure": {"name": "fig-crowd-profiling", "caption": "Mean profiling error with 95% intervals over users; the dotted line is the attacker who always says null. With frequent places nobody beats her, with the hour of the week MAX_ROI is no better than the likeliest place without counts, and by number, with the hour of the day, it is."}, "image": {"alt": "Dots for seven attackers and three priors, a panel for each dataset, with a dotted line at the error of always null. By number, likeliest place and MAX_ROI lie near zero with the hour of the day and of the week; by tail nobody lies left of the line."}} tags=["hide-input"]
figures.show_profiling(rows)

# %%
plots.show_table(figures.attacker_table(rows), "profiling")

# %% [markdown]
# With *frequent places* the counts help a lot, if we ask as the paper does: BAYES has about a third of the prior's error ({numref}`fig-crowd-profiling`). But who looks at no count, and says that nobody is ever
# anywhere, does better still. What BAYES got out of the counts is *when everybody is away*, as the hours out will show.
#
# By number, with the *hour of the week*, MAX_ROI leaves a seventh of the prior's error. Is that the counts? No: committing to the likeliest place leaves no more, and needs no count. The prior alone was nearly the answer, and lost by its doubts. **Here who knows
# the hour of the week nearly has the answer already; MAX_ROI adds nothing that committing does not.** (An attacker who forgets the week before the clocks changed gets a little out of MAX_ROI: an eighth of the small error that is left, in {ref}`an exercise <crowd-clocks>`.) BAYES is worse than the prior: it multiplies a belief that was right by the popularity of places.
#
# With the *hour of the day* they do add something:
# MAX_ROI has about half of the error that committing leaves. Of the six pairs of data and prior it is the only one in which an attack beats all who know less. What do the counts tell her? Mostly that the clocks have changed: five sixths of it is won on working days, when a flight of
# working days alone was seen at its new hour on 10 of the 21 days, too few to commit to. Where she forgets the week before the change, there is less to win, and most of that on Saturdays, when the counts tell that it is no working day (the same exercise).
#
# ### In the hours when the user was out
#
# Always null is good because it is right about the empty hours. We therefore look only at the hours in which a user was somewhere. (The attacker does not know which hours these are.)

# %%
plots.show_table(
    figures.attacker_table(rows, "out", ("PRIOR", *figures.SELECTED)), "out"
)

# %% [markdown]
# In these hours always null is wrong every time, with an error of 0.83. On both kinds of flights, BAYES is *worse than the prior alone* with every prior, because the counts move its probabilities towards null. A small mean error can therefore hide that nobody was located.
# By number MAX_ROI with the hour of the day leaves half of what committing leaves; with the hour of the week, no less than committing does. By tail MAX_ROI is a little below committing (0.81 to 0.82 against 0.83), and with no prior clearly below the prior alone (0.80 to 0.82).
#
# (crowd-where)=
# ## Yes or no: localization (optional)
#
# Now the attacker must name places. They may name all places with a positive probability (ALL), or only the likeliest one, as above (POP). MAX_ROI and MAX_USER name places anyway.
#
# ````{prf:definition} Localization error (Eq. 3 and 5)
# :label: def-crowd-localization
# $1 - F_1$, where $F_1 = 2\,\mathrm{hits} / (\mathrm{named} + \mathrm{true})$ counts (place, hour) pairs over the whole week, null among them.
# ````

# %% tags=["hide-output"]
plots.show_table(
    figures.attacker_table(
        rows, attackers=("ALL", "POP", "MAX_ROI"), goal="localization"
    ),
    "localization",
)

# %% [markdown]
# The paper measures losses mostly against ALL, with frequent places the worst of these. POP looks clever there, but its error is that of always null, which it *is* for nearly everybody. The paper says so itself (Sec. 4.3.1): the small error on London "occurs due to the fact
# that the TFL dataset is relatively sparse". Who names one place an hour, of a user who is in one, errs 0.83 times as much in profiling as here. So the rest repeats {numref}`fig-crowd-profiling`: by number MAX_ROI beats POP with the hour of the day only, by tail never.
#
# (crowd-when)=
# ## When? (optional)
#
# The prior is the hour of the day, as in the paper's Fig. 6. The axis has New York's hours, UTC-4 in that week; the attacker's own are UTC.

# %% mystnb={"figure": {"name": "fig-crowd-hours", "caption": "Mean profiling error in each hour of the week, on one scale, without intervals (the table has some): the prior of the hour of the day, BAYES, and always null. By number BAYES can hardly be told from always null, and is above the prior on working days; by tail it is below the prior, and always null is lower still."}, "image": {"alt": "A panel for each dataset on one scale: three curves over the hours of the week, near zero at night. By number BAYES and always null are above the prior on working days and below it on Saturday; by tail they are below it all week."}} tags=["hide-input"]
figures.show_hours(crowd.hours(weeks))

# %% [markdown]
# What BAYES takes off the prior's error, and what always null takes off it. Negative: worse than the prior.

# %% tags=["hide-output"]
plots.show_table(figures.hours_table(crowd.parts(weeks)), "hours")

# %% [markdown]
# By number BAYES does harm in these parts of a working day, and helps at weekends, where the prior expects a working day. The paper says that commuters lose more at mid-day, in the evening and at weekends
# than in the morning; of this only the weekend comes out here. By tail BAYES helps at all hours, and always null helps more.
#
# (crowd-joint)=
# ## All users at once
#
# We return to the bet. BAYES treats each user separately. But somebody must be *each* of the two people in the park at eighteen. The joint problem for one hour is to find the most likely assignment of all users to places that reproduces the counts:
#
# $$\max_x \sum_{u,s} x_{u,s} \ln P^u_s \quad\text{subject to}\quad \sum_s x_{u,s} = 1 \text{ for each user}, \quad \sum_u x_{u,s} = A_s \text{ for each place}, \quad x_{u,s} \in \{0, 1\}.$$
#
# At eighteen the park can be solved by looking at all priors:

# %%
plots.show_table(pd.DataFrame(prior, six.users, six.rois.index), "priors")

# %% [markdown]
# Of all six only Dan and Fay had ever been in the park. Put anybody else there, and $\ln P$ is $-\infty$. So both seats are theirs: Dan is betrayed by a habit that four others do not share.
#
# For beliefs instead of one answer, give six seats (a place has as many as it was counted) to six people in all ways, and weigh each way by its probability: the product of the priors, as if before the counts nobody travelled with anybody. In all four hours:

# %%
from itertools import permutations

exact = np.zeros((6, 5, 4))
for hour in range(4):
    for order in permutations(np.repeat(range(5), counts[:, hour])):
        exact[range(6), order, hour] += prior[range(6), order].prod()
exact /= exact.sum(axis=1, keepdims=True)

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
table = {k: v.toarray([dan])[0] for k, v in beliefs.items()} | {"exact": exact[dan]}
table = {k: belief[where, range(4)] for k, belief in table.items()}
plots.show_table(pd.DataFrame(table, index=hours).T.round(3), "dan-joint")

# %% [markdown]
# At eighteen the exact belief is certain, and right. But that is hindsight. At nine it prefers the park, which it gives to Dan or Fay, and it was Eve, where she had never been; at eight it gives the truth no chance. The most likely assignment is right in one hour of
# four. Nothing tells the attacker beforehand which hour to trust: the exact answer is exact for a prior, and the prior may be wrong.
#
# ### On the flights
#
# With the hour of the day as prior, in twelve hours of the week (one in fourteen); brackets are over users. The *Brier score* is the squared difference between belief and truth, summed over places. *Visits found* is the share of
# visits that an answer with one place an hour has in the right one.

# %% tags=["hide-input"]
few = {name: week for name, week in weeks.items() if week.truth.n_users <= 2000}
kinds, said = ["ROI_DAY"], "Only up to 2,000 users: more would take minutes."
answer = pd.DataFrame()
if few:
    joint = crowd.joint(few, kinds=kinds, every=joint_every, mix=mix)
    alone = crowd.likeliest_place_scores(
        few, prior=kinds[0], every=joint_every, delta=delta
    )
    answer = figures.joint_scores_table(pd.concat([joint, alone]), *kinds)
plots.show_if_any(answer, "joint", said)

# %% [markdown]
# By number MAX_ROI finds nine visits in ten, the likeliest place without counts eight: here the counts tell something. **But solving the problem exactly buys nothing to speak of over the greedy MAX_ROI**: by number one visit in a hundred more (no interval), and the Brier scores' intervals overlap. By number BAYES is far behind the prior alone: it takes the counts for a
# second, independent witness ({ref}`an exercise <crowd-twice>`). By tail at most one visit in twenty is found, and the most likely assignment is the worst of all: it gives every counted visit to somebody, nearly always to the wrong one.
#
# The Brier score rewards honest probabilities: the *true* ones would win on average. That by number hard answers win says that there the soft ones are too cautious. A likely reason is their prior: where the counts have settled which timetable holds, some of its doubt stays.
#
# (crowd-found)=
# ## What the paper found
#
# The paper finds that counts help to profile a cab whose frequent places are known, but only a little, and on its own cabs this is *supported*. That commuters lose more than cabs is *not tested*, because London's fare cards are closed; a synthetic surrogate is consistent with a larger loss for commuters.
# What it prints for last week's and last day's places is *contradicted*, and [the replication](replication/crowd.ipynb) gives every number with its verdict.
#
# ## Take-aways
#
# - Compare every attack with attackers who ignore the counts. On the taxis, always null has nearly the error of the paper's
#   best attack. On flights, no attack with frequent places beats always null.
# - A small mean error need not mean that anybody was located. On flights with frequent places, BAYES mainly learns *when* users are out.
# - Counts help where they answer a question that the prior leaves open. On flights, they tell which timetable applies.
# - Counts constrain all users at once, so a small count reveals people with a rare habit. The joint problem can be solved
#   exactly, but its answer is only as good as the prior.
# - Next: [noise as a defense](crowd_defenses.ipynb). Related: [was Dan counted at all?](knock_knock.ipynb), and
#   [how much can *any* attacker learn?](fano.ipynb)
#
# ## Exercises
#
# ```{exercise} Fay's evening (★, 5 minutes)
# :label: crowd-fay
# What does BAYES believe of Fay at eighteen, and what do all orders of the seats say?
# ```

# %% [markdown]
# ````{solution-start} crowd-fay
# :class: dropdown
# ````

# %%
fay = list(six.users).index("Fay")
p = prior[fay] * counts[:, evening]
both = pd.DataFrame(
    {"BAYES": p / p.sum(), "exact": exact[fay][:, evening]}, six.rois.index
)
plots.show_table(both.round(3), "fay")

# %% [markdown]
# *Learned:* a count is evidence about whoever else could be in it.
#
# ````{solution-end}
# ````
#
# ```{exercise} Who forgets the first week (★, 10 minutes)
# :label: crowd-clocks
# The attacker's hours are UTC, and the clocks changed after the first week. Let her forget that week. How much do the counts still add to the hour of the day, and to the hour of the week?
# ```

# %% [markdown]
# ````{solution-start} crowd-clocks
# :class: dropdown
# ````

# %%
from lib import metrics

name, first = next(iter(weeks.items()))
forgotten = min(168, first.traces.n_epochs - inference - 168)
later = first.traces.select(epochs=slice(forgotten, None))
later = crowd.ObservedWeek(later, inference)
for kind in crowd.SELECTED_PRIORS[1:]:
    expects = later.prior(kind)
    answers = loc.popular(expects, delta), loc.max_roi(expects, later.counts)
    sure, greedy = (loc.profiling_error(each, later.truth) for each in answers)
    low, high = metrics.mean_interval(greedy - sure)
    print(f"{kind}: likeliest place {sure.mean():.4f}", end=", MAX_ROI less that: ")
    print(f"{(greedy - sure).mean():.4f} [{low:.4f}, {high:.4f}]")
whole, without = (crowd.gain_by_day(each, name, delta) for each in (first, later))
pd.concat({"all weeks": whole, "without the first": without}, axis=1).round(4)

# %% [markdown]
# *Learned:* to the hour of the day less than before, 0.005 instead of 0.007. With all weeks, 0.0062 of the 0.0073 are won on working days: that the clocks had changed, which she could have known. Ask of an attack what else would have told the same. Without the first week most is Saturday's: that it is no working day. To the hour of the week, known from two weeks only, they now add 0.0006, an eighth of what is left.
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
out = (crowd.without_null(first.truth).rois_per_epoch() > 0).mean(axis=1)
lazy = loc.profiling_error(crowd.null_profile(first.prior("FREQ_ROI")), first.truth)
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
# Always null wins in empty hours, MAX_ROI in the others. Write an attacker who says null where the prior of the hour of the week gives null more than a half, and takes MAX_ROI's answer elsewhere. Compare
# errors on all datasets, with MAX_ROI's and with those of two who look at no count. (Hint: `loc.profiling_error_by_epoch` gives each user's error in each hour.)
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
    answers = loc.max_roi(expects, week.counts), crowd.null_profile(expects)
    greedy, lazy = (loc.profiling_error_by_epoch(x, week.truth) for x in answers)
    gated = np.where(np.stack(chance, axis=1) > 0.5, lazy, greedy).mean()
    sure = loc.profiling_error(loc.popular(expects), week.truth).mean()
    print(f"{name}: MAX_ROI {greedy.mean():.4f}, gated {gated:.4f}", end=", ")
    print(f"likeliest place {sure:.4f}, always null {lazy.mean():.4f}")

# %% [markdown]
# *Learned:* the gate betters MAX_ROI, and still is no better than the best of those who look at no count. What it added to MAX_ROI was the prior.
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
# With two places alone, one user's larger share of the first is the other's larger share of the second. *Learned:* MAX_ROI is the transport problem without the condition that everybody is in exactly one place.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own counts (★★★, an evening)
# :label: crowd-project
# Run this chapter on your own records (`make run NOTEBOOK=crowd PARAMS="datasets=[my.yml]"`). For which users does any attacker beat always null in the hours when they were out? *A good answer* shows the baselines beside
# every attack, intervals over users, and one hour of one person as a story.
# ```

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
# A transport company publishes how many people were at each station in each hour. Everybody knows that Dan was counted, because he travels every day. An attacker wants to know *where* he was, and already knows something about him: the places that he visits often, or his usual hours. Do the counts tell the attacker more? {cite:t}`pyrgelis2017crowd` ask this question for a whole population. After this chapter you can
#
# - combine prior knowledge with counts, using the paper's attacks BAYES, MAX_ROI and MAX_USER;
# - compute the attacker's error and the privacy loss, by hand for one person and in code for a thousand;
# - compare each attack with simple rules, most of which ignore the counts, and say which attacks beat these rules;
# - solve the problem that these attacks approximate, in which the users' places, taken together, must reproduce the counts.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figure to remember:* {numref}`fig-crowd-cabs`.
#
# *Questions for a class, with short answers:*
#
# - *In which hour do the counts reveal where Dan is ({numref}`fig-crowd-bet`)?* At 18:00, if the priors are right. The decisive fact is that, of the other five, only Fay has a positive prior for the park. Nine is the trap: BAYES is fairly confident of the station, and by luck it is right, but with the same priors the exact answer prefers the park. Expect many students to answer nine, because three of the six were at the station. Reply: which of the six could these three have been? If a student asks about Eve: she had been in the park at nine on Tuesday, but the priors come from Monday and do not reflect this. The answer at 18:00 is right because she had left.
# - *An attack on sparse data has a privacy loss of 0.7. Is the release dangerous?* We cannot say before we know the loss of always null ({ref}`crowd-critique`).
# - *Why is MAX_USER the strongest attack on the cabs, although it gives nearly half of the map to some cabs and nothing to others?* It leaves many cabs without a square. We interpret this as the answer null, which is right whenever the cab is resting.
# - *Which attack has the smallest error on the cabs?* MAX_USER, with an error of 0.566 if the prior is that of frequent places. (Always null has 0.576.) Expect many students to answer MAX_ROI, because it respects every count. Reply: the counts say how many cabs were in a square, but not which ones, and MAX_ROI finds fewer than three of the eleven squares of a cab.
#
# *Three common mistakes:* students read a large privacy loss as proof that the counts helped; they judge an attack by its mean error over all hours, most of which may be empty; and they mistake an exact probability for a correct one, although it depends on the priors.
#
# *Material:* this chapter has slides with speaker's notes, which are linked at its head. [Session 8](session-8) of the syllabus combines them with a lab.
#
# **If you have only one lecture.** The minutes are our estimates. The words *run live* mark the cells that are worth running in class.
#
# | minutes | part | show |
# |---|---|---|
# | 15 | [the bet](crowd-bet), in writing, and the four rules, with the answer of each for Dan at nine | {numref}`fig-crowd-bet` |
# | 15 | [the three attacks](crowd-attacks): BAYES for Dan at nine on the board, then MAX_ROI at 18:00, and MAX_USER in words (the most active users come first, each at several places) | the table of all priors, and the probability of Dan's true place |
# | 10 | [the error](crowd-error): Dan at nine by hand. *On the board:* $Z$ is 7/8 and 1/8, the two divergences are 0.134 and 0.058, and the error is the root of half their sum, 0.309 | the errors for five probabilities |
# | 20 | [the cabs](crowd-real-taxis), with frequent places only (the filled circles): what an hour out is; predictions in writing (5 minutes): "Which of the three attacks has a smaller error over all hours than always null?" (only MAX_USER, and only by 0.01); then the figure, first its upper panel and then its lower one; stop before [the split of the gains](crowd-gains) | {numref}`fig-crowd-cabs` |
# | 15 | [the joint problem](crowd-joint) and [the exact probabilities](crowd-exact): Dan at nine on the board, 14 to 9; *run live:* `exact_probabilities` | the interactive figure |
# | 5 | exit question, on the slip below; the flights need not have been shown | the model answer: always null has a loss of about 0.75 without any counts, so the reported 0.717 is no evidence that the counts helped |
# | 10 | settle the bet; questions and slack | |
#
# *Slip for the exit question* ({ref}`crowd-critique`): "A paper reports a mean privacy loss of 0.717 for an attack. The prior alone has a mean error of 0.157. The users are at null in 95.2% of the hours, and always null has an error of 0.833 in every hour out. What is the approximate loss of always null? Does the paper show that the counts helped?"
#
# *Skip* four tables:
#
# - the table for noon with Eve first (its code is folded);
# - the table that compares the cabs with the flights;
# - the table of errors for eleven squares (say instead: "an attacker who names a single one of the eleven squares, and is right, still has an error of 0.733");
# - the table of [the share of null](crowd-null-share) (say instead: "the priors count visits, so they give null too little probability").
#
# {ref}`crowd-fay` is for reading at home. If there is time to spare, *run live* the loop of MAX_USER.
#
# *On the board:* keep the priors of the six people on the left and the counts at nine and at 18:00 on the right during the whole lecture, because every calculation by hand uses these two. This plan skips the flights, on which half of the take-aways rest. If there is time at the end, show {numref}`fig-crowd-paired`: only one of its marks lies clearly to the right of the dotted line.
#
# **In a second lecture**
#
# | minutes | part | show |
# |---|---|---|
# | 10 | [the share of null](crowd-null-share) and [the split of the gains](crowd-gains) | {numref}`fig-crowd-split` |
# | 10 | [the comparison cab by cab](crowd-this-cab) | the lower panel of {numref}`fig-crowd-cabs` |
# | 15 | [which cabs MAX_USER places](crowd-who) | {numref}`fig-crowd-tenths` |
# | 5 | [the differences in pairs](crowd-significant) | {numref}`fig-crowd-cabs-paired` |
# | 25 | [the flights](crowd-sparse), with {ref}`crowd-critique` (if it was not the exit question) after {numref}`fig-crowd-profiling`; *run live:* the cell that builds the table | {numref}`fig-crowd-profiling`, {numref}`fig-crowd-paired` |
# | 15 | [proportional fitting](crowd-fitting): the first round on the board; *run live:* the thousand rounds | the table of the two steps |
# | 5 | [the visits that each attacker finds](crowd-visits) | the table of shares |
# | 5 | questions and slack | |
#
# *What a sceptical colleague will attack:* one attacked week for each dataset, intervals that treat users as independent, and flights in place of people. [One section](crowd-limits) collects these limits.
#
# Leave out the parts marked optional. [The Brier scores](crowd-brier) and what follows from them are for reading at home.
# ````

# %% [markdown]
# (crowd-bet)=
# ## In which hour do the counts reveal where Dan is?
#
# Here are the six people of the [first chapter](foundations.ipynb) again. On Monday the attacker watched all of them for four hours. Dan spent one hour at the station, one at home, one in the park, and one at none of the four places, which the figure calls *null*. On Tuesday the attacker sees only the counts of all six people. **In which hour do the counts reveal Dan's place?** Choose an hour before you read on. If you would need to know something about the other five people to decide, write down what it is. We reveal Dan's own places when we score the first attacks, and those of the other five only after [the exact answer](crowd-exact), so that you can check both parts of your answer.
#
# In this first example the attacker remembers how often each person was at each place on Monday, but not in which hour. The attacker's **prior** for a person and a place is therefore the share of Monday's four hours that the person spent there. The code calls it `prior`.

# %%
import numpy as np
import pandas as pd
from lib import localization as loc
from lib.datasets import load
from lib.papers import figures as plots
from lib.papers.aggregation_privacy import figures

plots.use_style()
six = load("six-users").with_null()  # null: at none of the four places
# the last four hours are Tuesday; `matrix` has a row for each user and a column for
# each pair of a place and an hour
monday, tuesday = six.select(epochs=slice(0, 4)), six.select(epochs=slice(4, 8))
counts = tuesday.matrix.sum(axis=0).reshape(six.n_rois, 4)  # places x hours
visits = monday.matrix.toarray().reshape(6, six.n_rois, 4)  # users x places x hours
prior = visits.mean(axis=2)  # share of Monday's hours, of each user at each place
hours = [f"{epoch:%H}h" for epoch in tuesday.epochs]
dan = list(six.users).index("Dan")

# %% mystnb={"figure": {"name": "fig-crowd-bet", "caption": "What the attacker has: Tuesday's counts of six people, and the share of Monday's hours that Dan spent at each place. The row of null counts the people who were at none of the four places. The frames enclose the places where Dan was seen on Monday. At nine, three people were at the station, one of Dan's places, and at 18:00 two were in the park."}, "image": {"alt": "Counts of six people at five places in four hours, and a column with Dan's share of Monday in each place: a quarter each at home, station, park and null. Frames in both panels enclose these four rows, and leave out the office."}} tags=["hide-input"]
figures.show_bet(counts, prior[dan], list(six.rois.index), hours)

# %% [markdown]
# A person who is at none of the four places is assigned to an extra place, called **null**. Null is counted, predicted and scored like any other place, because learning that somebody was *not* out is also informative. We assume that the count of null is published, too. If each user is in exactly one place per hour, as the six people are, an attacker who knows the total number of users can also compute it from the other counts. In [a later section](crowd-real-taxis), however, a cab that is out is counted in about eleven squares in the same hour. The number of cabs at null then does not follow from the other counts, so our results for the cabs hold only if the count of null is published separately.
#
# The chapter uses these symbols:
#
# | symbol | meaning | in code |
# |---|---|---|
# | $u$, $s$, $t$ | a user, a place (region of interest), an hour | `users`, `rois`, `epochs` |
# | $A_{s,t}$ | the count: how many users were at $s$ in hour $t$ of the attacked period | `counts` |
# | $P^u_{s,t}$ | the prior: the attacker's probability, before seeing the counts, that $u$ is at $s$ in hour $t$ | `loc.prior(traces, kind)` |
# | $\hat P^u_{s,t}$ | the same probability after seeing the counts | `loc.bayes`, `loc.max_roi`, `loc.max_user` |

# %% [markdown]
# ## Which rules must an attack beat?
#
# An attack is useful only if it beats simple rules that anyone could apply. We compare every attack with four such rules. One of the four uses the counts, but no prior. The other three use no counts, and we call them the *rules without counts*. (A fifth rule is added later, when we score [the answers to the joint problem](crowd-brier). It corrects the probability that the prior gives to null, and uses no counts.)
#
# - **Always null** places everybody at null in every hour.
# - **The counts alone** gives every user the same probabilities: each place gets its share of all counts in the hour. If everybody is counted exactly once, as here, this is the share of the population that was at the place. At nine, three of six people were at the station, so this rule gives Dan a probability of 1/2 of being there.
# - **The prior alone** ignores the counts. For Dan it gives home, the station, the park and null a probability of 1/4 each, in every hour.
# - **Likeliest place, no counts** names every place whose prior is at least one half. If there is no such place, it names null. If two places have a prior of exactly one half, it gives each of them a probability of 1/2. The paper calls this rule POP, and the code calls the threshold `delta`. For Dan, whose prior is nowhere above 1/4, it answers null.
#
# This page shows the attacks on six people and on three datasets. As you read, write down a short answer for each row. [The take-aways](crowd-takeaways) give our answers. (Each score is defined where it is first used.)
#
# | data | what is dense or sparse | question | score |
# |---|---|---|---|
# | six people | always at one of five places | In which hour do the counts reveal where Dan is? | probability of the true place |
# | [cabs](crowd-real-taxis) | dense: out in two of three hours, in eleven squares | Do the attacks help in the hours out? | profiling error, then Brier score |
# | [flights by number](crowd-sparse) | sparse: at null in nine of ten hours; regular | Do the counts add to a good prior? | profiling error, Brier score, visits found |
# | [aircraft](crowd-sparse) | even sparser, and irregular | Does anything beat always null? | the same |
#
# *For a first reading*, read everything up to [the split of the gains](crowd-gains), then [the flights](crowd-sparse) up to {numref}`fig-crowd-paired`, [the joint problem](crowd-joint) up to the function `fit`, and [the take-aways](crowd-takeaways). The other parts explain the results or test the explanations. You can always leave out the parts marked optional.
#
# (crowd-attacks)=
# ## How do the attacks combine prior and counts?
#
# BAYES multiplies the prior of each place by its count, and rescales the products so that they sum to 1. For Dan at nine the products are $\tfrac14 \cdot 3$ at the station and $\tfrac14 \cdot 1$ in the park, and 0 elsewhere. Their ratio is 3 to 1, so BAYES gives the station 3/4 and the park 1/4. The code does the same in two lines:

# %%
product = prior[dan] * counts[:, 1]  # column 1: nine o'clock
by_bayes = product / product.sum()
at_nine = {"prior": prior[dan], "count": counts[:, 1], "BAYES": by_bayes}
plots.show_table(pd.DataFrame(at_nine, six.rois.index).T, "at-nine")

# %% [markdown]
# Why a product? Bayes' theorem says that a posterior is proportional to the prior times the **likelihood**, the probability of what was observed. The paper takes as the likelihood the count of the place, divided by the sum of all counts in this hour (Eq. 15). A place where many people were counted therefore gains weight. We multiply by the count itself, without dividing. This gives the same probabilities, because only the ratios of the products matter when they are rescaled at the end.
#
# The count is only an approximation of the likelihood. For the station, the exact likelihood is the probability that *all six* people together produce these counts if Dan is at the station. It depends on the priors of the other five. BAYES ignores these priors, because it looks at one user at a time, so it would give the same answer for the same counts if the other five were different people. [A later section](crowd-joint) computes the exact posterior.
#
# The other two attacks compare users with each other, so they need the priors of all six:

# %%
plots.show_table(pd.DataFrame(prior, six.users, six.rois.index), "priors")

# %% [markdown]
# MAX_ROI considers one place at a time. Two people were counted in the park at 18:00, so MAX_ROI assigns to the park the two users with the largest priors for it. Only Dan and Fay have a positive prior for the park, so no tie has to be broken:

# %%
park, evening = 3, 3
likeliest = np.argsort(-prior[:, park], kind="stable")[: counts[park, evening]]
list(six.users[likeliest])

# %% [markdown]
# MAX_USER considers one user at a time, those with the most visits on Monday first. An hour at null is not a visit, so Dan and Eve have three visits and the others have four. (In all other respects null is a place like the others.) Each user is assigned to every place for which their prior is positive and whose count is not yet used up. At 18:00 the result is:

# %%
left = counts[:, evening].copy()
assigned = {place: [] for place in six.rois.index}
n_visits = visits[:, :-1].sum(axis=(1, 2))  # null is the last place
order = np.argsort(-n_visits, kind="stable")  # most visits first
print("order:", *six.users[order])
for user in order:
    for s, place in enumerate(six.rois.index):
        if prior[user, s] > 0 and left[s] > 0:
            assigned[place].append(six.users[user])
            left[s] -= 1
assigned

# %% [markdown]
# Ada, who is first in the list, is assigned to three places at once, and Cleo and Eve to none. The paper does not say what it means if a user is assigned to no place. We interpret it as null. Under this reading the attack states that Cleo and Eve are at null, although the count of null is 0, because it does not check its answers against the counts. In general, MAX_USER places the most active users several times and others not at all, which will matter for the taxis of a later section. ({ref}`An exercise <crowd-repair>` repairs the attack.)
#
# ````{prf:algorithm} BAYES, MAX_ROI, MAX_USER (Algorithms 3.1 to 3.3 of the paper)
# :label: alg-crowd
# **BAYES** (Eq. 15): $\hat P^u_{s,t} = P^u_{s,t} A_{s,t} / \sum_j P^u_{j,t} A_{j,t}$ for each user and hour.
#
# **MAX_ROI**: for each place and hour, assign the $A_{s,t}$ users with the largest priors to the place. If priors are equal, users with more visits come first. If fewer users have a positive prior than were counted, users with a prior of 0 are assigned as well.
#
# **MAX_USER**: in each hour, go through the users in decreasing order of their number of visits. Assign each user to every place for which their prior is positive and whose count is not yet used up.
# ````
#
# On Tuesday Dan was in the office at eight, at the station at nine, at null at noon, and in the park at 18:00. How much probability does each attacker give to his true place? From now on we use the library. It calls the prior of this example `FREQ_ROI` (frequent places, {prf:ref}`def-crowd-freq-roi`). The folded cell compares the library's prior and its three attacks with our calculations by hand:

# %%
known = loc.prior(six, "FREQ_ROI", inference=4)  # users x places x hours

# %% tags=["hide-input"]
by_hand = prior[:, :, None] * counts
by_hand = by_hand / by_hand.sum(axis=1, keepdims=True)
print("prior by hand is the same:", np.allclose(known.toarray()[:, :, 0], prior))
by_library = loc.bayes(known, counts).toarray()
print("BAYES by hand is the same:", np.allclose(by_hand, by_library))

roi = loc.max_roi(known, counts).toarray()[:, :, evening]  # users x places
in_the_park = set(six.users[roi[:, park] > 0]) == set(six.users[likeliest])
print("MAX_ROI by hand is the same:", in_the_park)

by_user = loc.max_user(known, counts).toarray()[:, :, evening]
by_place = [set(six.users[by_user[:, s] > 0]) for s in range(six.n_rois)]
print("MAX_USER by hand is the same:", by_place == [set(x) for x in assigned.values()])

# %% [markdown]
# MAX_ROI and MAX_USER may assign a user to no place or to several places. We turn such answers into probabilities. As above, a user without a place is taken to be at null. A user with several places gets the same probability for each of them.


# %%
def spread(answer):
    """Each user's probabilities in each hour: users x places x hours."""
    stated = answer.toarray()
    stated[:, -1] += stated.sum(axis=1) == 0  # assigned to no place: null
    return stated / stated.sum(axis=1, keepdims=True)  # to several: equal shares


# %% [markdown]
# The next cell has the settings of the whole page. At this point we need only `delta`, the threshold of the likeliest place. The other settings are used in later sections:

# %% tags=["parameters"]
delta = 0.5  # the rule of the likeliest place names places with at least this prior
datasets = ["flights-by-number", "flights-by-tail"]
inference = 168  # hours of the attacked week of the flights
joint_every = 14  # the joint problem of the flights is solved in every 14th hour
mix = 0.05  # share of the counts that the joint problem mixes into a prior
path = ""  # only for runs with other data, like users_of
users_of = {}

# %% [markdown]
# What does each of the four rules and the three attacks answer for Dan? Every answer is a table of probabilities, with a row for each place and a column for each hour:

# %%
always_null = np.zeros((5, 4))  # places x hours
always_null[-1] = 1
prior_alone = np.repeat(prior[[dan]].T, 4, axis=1)  # the same in every hour
beliefs = {
    "always null": always_null,
    "the counts alone": counts / counts.sum(axis=0),  # places x hours
    "the prior alone": prior_alone,
}
attacks = {
    "likeliest place, no counts": loc.popular(known, delta),
    "BAYES": loc.bayes(known, counts),
    "MAX_ROI": loc.max_roi(known, counts),
    "MAX_USER": loc.max_user(known, counts),
}
beliefs |= {name: spread(answer)[dan] for name, answer in attacks.items()}

# %% [markdown]
# From each of these tables we read the probability of the place where Dan really was. The head of each column names the hour and this place:

# %%
where_dan = tuesday.trace("Dan").argmax(axis=0)  # his true place in each hour
for_true_place = {name: b[where_dan, range(4)] for name, b in beliefs.items()}

# %% tags=["hide-input"]
places_of_dan = six.rois.index[where_dan]
his_hours = [f"{hour}, {at}" for hour, at in zip(hours, places_of_dan, strict=True)]
plots.show_table(pd.DataFrame(for_true_place, index=his_hours).T, "dan")

# %% [markdown]
# If you bet on nine, BAYES agrees with you: it gives the station a probability of 3/4. If you bet on 18:00, MAX_ROI and MAX_USER agree with you, and both are certain. Both are certain and right at noon as well. Is this only because Dan comes before Eve in the list? One person was counted at null, and Dan and Eve have the same prior for null and the same number of visits. To test this, we run both attacks twice, with the original list and with Eve at its head. The table names the people whom each attack assigns to each place at noon. MAX_ROI, like MAX_USER, may assign one user to several places, because it fills each place separately:

# %% tags=["hide-input"]
eve_first = six.select(users=["Eve", "Ada", "Ben", "Cleo", "Dan", "Fay"])
at_noon = {}
for list_order, people in {"Dan before Eve": six, "Eve first": eve_first}.items():
    known_here = loc.prior(people, "FREQ_ROI", inference=4)
    for name, attack in {"MAX_ROI": loc.max_roi, "MAX_USER": loc.max_user}.items():
        answer = attack(known_here, counts).toarray()[:, :, 2]  # users x places, noon
        named = [", ".join(people.users[given > 0]) for given in answer.T]  # by place
        at_noon[f"{name}, {list_order}"] = named
at_noon["count"] = counts[:, 2].astype(str)
at_noon = pd.DataFrame(at_noon, six.rois.index).T
plots.show_table(at_noon, "noon")

# %% [markdown]
# In the original order both attacks assign Dan to null. With Eve first, both assign Eve to null, and Dan to no place. An answer without a place is interpreted as null, so both attacks still answer null for Dan. They are right because no other place is left for him. The one person counted at home and the one counted at the station are both taken to be Ada. Nobody was counted in the park, and Dan had never been seen in the office.
#
# At nine, both attacks leave Dan without a place, too, and here the answer null is wrong. One person was counted in the park. Dan and Fay have the same prior for it, but Fay has more visits, so both attacks put her there. The three people counted at the station are taken to be Ada, Ben and Cleo, who come before Dan.
#
# At eight Dan was in the office for the first time, and none of the three attacks is right. BAYES and MAX_USER cannot put him there, because his prior for the office is 0. MAX_ROI would do so only if more people were counted in the office than have a positive prior for it, but only one was counted.
#
# Which hour wins the bet? The three attacks cannot settle it, because they disagree. [A later section](crowd-joint) takes into account that all six people together must produce the counts. Then Dan's place is certain in one of the four hours, provided that the priors are right.
#
# ````{admonition} Choices that the paper leaves open
# :class: note
# - As described above, a user without a place is taken to be at null, and a user with several places gets the same probability for each.
# - If all places with a positive prior have a count of 0, BAYES returns the prior unchanged.
# - Null is scored like a place. When the prior is computed, each hour at null counts as one observation.
# - The paper's text says that MAX_USER assigns users to their "most likely" places, and its Algorithm 3.3 assigns them to all places with a positive prior. We follow the algorithm.
# - The rule ALL, which appears in [an optional section](crowd-where), leaves out null unless there is no other place.
# - In MAX_ROI and MAX_USER, ties that remain are broken by the order of the users in the list.
# - The distance in the next section uses the natural logarithm. The paper mentions base 2, but does not say which base its numbers use. Of the errors that the paper prints for the prior alone on the cabs, half agree with ours if we use the natural logarithm, and none agrees in base 2, as {ref}`the replication <crowd-profiling>` shows.
#
# [The replication](crowd-ambiguities) lists all choices of this kind.
# ````
#
# (crowd-error)=
# ## How do we measure the attacker's error?
#
# At nine BAYES gives the station 3/4 and the park 1/4, and Dan was at the station. How wrong is this answer, expressed as one number? We need a distance between what the attacker states and what is true, and both are distributions over the places.
#
# ````{prf:definition} Profiling error, and privacy loss of aggregation privacy (Eq. 4 and 6)
# :label: def-crowd-profiling
# Let $\hat P$ be the attacker's distribution over the places in one hour. Let $L$ be the true distribution, which is spread evenly over the places where the user was in this hour. The attacker's **profiling error** in this hour is the *Jensen-Shannon distance*
# $\sqrt{\tfrac12 D(L \| Z) + \tfrac12 D(\hat P \| Z)}$ with $Z = (L + \hat P)/2$ and $D(a \| b) = \sum_s a_s \ln (a_s / b_s)$, where $0 \ln 0 = 0$.
# Let $e_P$ be the profiling error of the prior alone, averaged over the attacked period, and $e_{P,A}$ that of an attacker who also uses the counts. The user's **privacy loss** is $\max(0, (e_P - e_{P,A}) / e_P)$, and 0 if $e_P = 0$. (We compute the same number for rules that use no counts.)
# ````
#
# In plain words, the error is 0 if the attacker's distribution equals the true one. For a user at one place this means that the attacker is certain and right. The error is largest, $\sqrt{\ln 2} \approx 0.83$, if the attacker gives the true places no probability. The privacy loss is the relative reduction of the error, compared with the prior alone. It is 0 if the error is not reduced.
#
# Why this distance? The attacker's answer is a distribution, and so is the truth if a user visits several places in one hour. The Kullback-Leibler divergence $D(L \| \hat P)$ would be infinite if the attacker gave no probability to a place where the user was. The Jensen-Shannon distance is always finite, because it compares both distributions with their average $Z$.
#
# For Dan at nine, the average $Z$ gives the station $(1 + 3/4)/2 = 7/8$ and the park $(0 + 1/4)/2 = 1/8$. The two divergences from it are $D(L \| Z) = \ln (8/7)$ and $D(\hat P \| Z) = \tfrac34 \ln (6/7) + \tfrac14 \ln 2$. The code follows the definition line by line, and prints the two divergences and the error:

# %%
from scipy.special import xlogy  # x ln y, and 0 if x is 0

stated, actual = np.array([3 / 4, 1 / 4]), np.array([1, 0])  # station, park
average = (stated + actual) / 2
d_actual = xlogy(actual, actual / average).sum()
d_stated = xlogy(stated, stated / average).sum()
error_at_nine = np.sqrt((d_actual + d_stated) / 2)
print(d_actual.round(3), d_stated.round(3), error_at_nine.round(3))

# %% [markdown]
# If the user is at one place, and the attacker gives this place the probability $p$, the distance is the square root of $\ln 2 - \tfrac12 (1+p) \ln (1+p) + \tfrac12 p \ln p$ ({ref}`an exercise <crowd-proof>`). The table gives this distance for five values of $p$, one in each column:


# %%
def error_at_one_place(p):
    """Error if the user is at one place, to which the attacker gives probability p."""
    return np.sqrt(np.log(2) - xlogy(1 + p, 1 + p) / 2 + xlogy(p, p) / 2)


chances = np.array([0, 1 / 4, 1 / 2, 3 / 4, 1])
scale = pd.DataFrame([error_at_one_place(chances)], ["error"], chances)
scale = scale.rename_axis(columns="probability of the true place")
plots.show_table(figures.with_decimals(scale), "scale")

# %% [markdown]
# BAYES gives Dan's place at nine a probability of 3/4, so its error in this hour is 0.309, as computed above. Conversely, an error of 0.617 in one hour means that the attacker gave the true place a probability of 1/4. The table applies only to a single hour in which the user is at one place. The [taxis of the next section](crowd-real-taxis) visit many squares of the map in the same hour, so we compute another table for them.
#
# We can now compute the mean error for Dan over the whole day by hand. The prior alone gives his true place a probability of 0 at eight and of 1/4 in the other three hours. Its mean error is $(0.833 + 3 \cdot 0.617) / 4 = 0.671$. BAYES gives his true place the probabilities 0, 3/4, 1/3 and 2/5, as its row in [the table for Dan](crowd-attacks) shows. The code applies the formula to these four numbers, and checks both means with the library:

# %%
dans_errors = error_at_one_place(for_true_place["BAYES"])  # in each of the four hours
print(
    "BAYES, hour by hour:", *dans_errors.round(3), "mean", dans_errors.mean().round(3)
)

before = loc.profiling_error(known, tuesday)[dan]
after = loc.profiling_error(loc.bayes(known, counts), tuesday)[dan]
loss = (before - after) / before
print(f"Dan's day: prior {before:.3f}, with counts {after:.3f}, loss {loss:.2f}")

# %% [markdown]
# For Dan on Tuesday, the counts reduce the mean error from 0.671 to 0.557, so his privacy loss under BAYES is 0.17.
#
# (crowd-real-taxis)=
# ## How much do counts reveal about cabs?
#
# One of the paper's two datasets, Cabspotting, records the positions of 534 taxis in San Francisco, which we call *cabs*. The places are the hundred squares of a map. The dataset is dense: a cab is on the road in two thirds of all hours, and in each of these hours it visits about eleven squares. Its true distribution in such an hour is spread evenly over these squares. An **hour out** is an hour in which a user is at some place other than null. The table compares the cabs with the flights of a later section. Its column *hours out* gives the mean number of such hours per user.

# %%
from lib.papers.aggregation_privacy import experiments as crowd

compared = ("cabspotting", "flights-by-number", "flights-by-tail")
facts = crowd.statistics.stored(*compared).set_index("data")
density = facts[["users"]].assign(places=facts["rois"] - 1, hours=facts["epochs"])
density["hours out"] = facts["active_slots_mean"]
density["places per hour out"] = facts["reports_mean"] / density["hours out"]

# %% tags=["hide-input"]
decimals = ["hours out", "places per hour out"]
in_words = density.assign(**figures.with_decimals(density[decimals], 1))
plots.show_table(in_words.rename(index=figures.plain_name), "density")

# %% [markdown]
# How large is the error if the truth is spread over eleven squares? The table gives it for five possible answers of the attacker:

# %%
from lib import metrics

true_squares = (np.arange(100) < 11) / 11  # the cab is in the first 11 squares


def spread_over(n_right, n_wrong):
    """Probabilities of an attacker who names so many right and wrong squares."""
    named = np.zeros(100)
    named[:n_right] = 1
    named[11 : 11 + n_wrong] = 1
    return named / named.sum()


guesses = {
    "one square, right": spread_over(1, 0),
    "eight squares, all right": spread_over(8, 0),
    "eight squares, three right": spread_over(3, 5),
    "eight squares, none right": spread_over(0, 8),
    "all hundred squares": spread_over(11, 89),
}
of_eleven = {
    who: metrics.js_distance(true_squares, guess, base=np.e)
    for who, guess in guesses.items()
}
plots.show_table(pd.DataFrame({"error": of_eleven}).round(3), "eleven")

# %% [markdown]
# An attacker who names a single square, and is right, still has an error of 0.733, because the ten other squares are missing. A large error on a cab therefore does not mean that the attacker knows nothing. Apart from one rough check below, we compare errors on the cabs only with each other.
#
# The attacker has observed the cabs for two weeks and wants to know where each of them was in the third week, the **attacked week**. In this section the attacker states probabilities, which the paper calls *profiling*. ([An optional section](crowd-where) treats the paper's other goal, *localization*.) Running the attacks on all cabs takes a while, so we read stored results. We use three of the paper's eight kinds of prior:
#
# ````{prf:definition} Frequent places, hour of the day, hour of the week (Eq. 7 to 9)
# :label: def-crowd-freq-roi
# **Frequent places** (FREQ_ROI): for each place, the share of the user's past observations that fell on it. This prior is the same in every hour. Each visit is one observation, and each hour without a visit (an *empty hour* or *hour at null*) is one observation of null. **Hour of day** (ROI_DAY) and **hour of week** (ROI_DAY_WEEK): the same share, computed separately for each of the 24 hours of the day or each of the 168 hours of the week.
# ````
#
# (crowd-null-share)=
# These priors count visits rather than hours, so on the cabs they give null too small a probability. Take a cab that was observed for ten hours: it was in eleven squares in each of seven hours, and at null in the other three. It has $7 \cdot 11 + 3 = 80$ observations, of which only three are of null. The published counts treat null in the same way, because a cab in eleven squares is counted eleven times:

# %%
n_out, n_null, n_squares = 7, 3, 11  # hours out, hours at null, squares in an hour out
null_share = {
    "hours of this cab": n_null / (n_out + n_null),
    "observations of this cab (its prior)": n_null / (n_out * n_squares + n_null),
    "all counts of an hour in which 7 of 10 cabs are out": 3 / (7 * n_squares + 3),
}
null_share = pd.DataFrame({"share of null": null_share})
plots.show_table(figures.with_decimals(null_share), "share-of-null")

# %% [markdown]
# Remember the first two rows, because several results below depend on the difference between them: a cab that rests in three hours of ten has a prior of null below 4%.
#
# We call ROI_DAY the *hour-of-day prior* and ROI_DAY_WEEK the *hour-of-week prior*. The hour-of-day prior does not distinguish working days from weekends, and neither does the prior of frequent places.
#
# Before you look at the results, make a prediction. A cab is on the road in two thirds of all hours. Which of the three attacks will have a smaller error than an attacker who always answers null? The code reads the stored results. (For the flights we compute the same table [step by step](crowd-sparse).) The table gives the results with frequent places as the prior, and the figure those with all three priors. The last column of the table averages the error only over the hours in which a cab was out:

# %%
cabs = crowd.compare_with_null.stored("cabspotting")
cabs = cabs[cabs["prior"].isin(crowd.SELECTED_PRIORS)]
profiled = cabs[cabs["goal"] == "profiling"].set_index(["prior", "strategy"])
over_all, over_out = profiled["error"], profiled["out"]  # all hours, hours out

# %% tags=["hide-input"]
computed = crowd.compare_with_null.source("cabspotting").split(", ")[-1]
print("cabs: eight priors, two goals,", computed)
cab_errors = figures.with_decimals(figures.loss_table(cabs))
plots.show_table(cab_errors.loc[figures.WORDS["FREQ_ROI"]], "cabs")

# %% [markdown]
# The privacy loss is computed cab by cab, and the table gives the mean over the cabs. It therefore cannot be computed from the two mean errors: for MAX_USER, $(0.657 - 0.566)/0.657$ is 14%, whereas the mean privacy loss is 15%. MAX_ROI has a larger mean error than the prior alone, and yet a positive privacy loss, 0.016. The loss of each cab is cut off at 0, so cabs on which MAX_ROI has a smaller error than the prior alone contribute to the mean, and cabs on which it has a larger error do not.

# %% mystnb={"figure": {"name": "fig-crowd-cabs", "caption": "The three attackers with the smallest errors over all hours (top) have the largest errors in the hours in which a cab was out (bottom): MAX_USER, always null and the likeliest place. In the hours out, BAYES is hardly better than the counts alone (solid line) with two of the three priors, and worse with the third. Mean profiling error of the attacks on 534 cabs, with 95% intervals computed from the variation between cabs (called *intervals over cabs* below); both panels have the same scale. Diamonds: attackers who use no prior. The dotted line marks the error of always null. The shaded rows are the three attacks. A ring marks an attack that has a smaller error over all hours than all four rules have with the same prior."}, "image": {"alt": "Two panels, one above the other, with one row for each of seven attackers and a mark for each of three priors; the rows of the three attacks are shaded. Top, all hours: MAX_USER, always null and the likeliest place have the smallest errors, and two marks of MAX_USER have a ring. Bottom, hours out: always null and the likeliest place have the largest errors, MAX_USER the next largest, and the counts alone and two of the three marks of BAYES the smallest. A solid line at the counts alone passes close to two of the three marks of BAYES."}} tags=["hide-input"]
figures.show_profiling(cabs, counts_line=True)

# %% [markdown]
# Only MAX_USER has a smaller error than always null: by about 0.01, with two of the three priors. With the third its error is slightly larger. BAYES and MAX_ROI have a larger error than always null with every prior. ([A table below](crowd-significant) shows which of these differences are significant.)
#
# The following sections explain the rows of the three attacks in {numref}`fig-crowd-cabs`:
#
# - *BAYES* has a slightly smaller profiling error than the prior alone in [both kinds of hours](crowd-gains), but in the hours out it is [hardly better than the counts alone](crowd-this-cab).
# - *MAX_USER* is nearly the rule always null [for the less active half of the cabs](crowd-who), and this explains its small error.
# - *MAX_ROI* finds [only a few](crowd-few-hits) of the squares in which a cab was.
#
# **On the cabs, the error of BAYES is smaller than that of the prior alone by 0.02 to 0.04, and that of MAX_USER by 0.03 to 0.09. But MAX_USER gains only in the hours in which the cabs rest. Under two of the three priors, by our estimate, BAYES also gains more in these hours than in the hours out.** With frequent places, the prior alone has a mean error of 0.657 and BAYES one of 0.622. Averaged over all cabs, the privacy loss is 0.055 under BAYES and 0.150 under MAX_USER, the strongest of the three attacks.
#
# However, the rule *always null*, which uses no counts, has almost the same error as MAX_USER: 0.576 against 0.566. The last column of the table, and the lower panel of {numref}`fig-crowd-cabs`, show why. In the hours in which a cab was out, MAX_USER has a larger error than the prior alone, and BAYES has only a slightly smaller one.
#
# (crowd-gains)=
# ### In which hours do the attacks gain?
#
# How much of each attacker's gain over the prior alone comes from the hours out, and how much from the hours at null, in which the cab rests? Always null has an error of 0.833 in every hour out and of 0 in every hour at null, as the first and the last number of [the table for five probabilities](crowd-error) show. Its mean error, divided by 0.833, is therefore the share of hours out, $\pi = 0.576/0.833 = 0.69$. The error of any attacker consists of two parts,
#
# $$e = \pi\, e_\text{out} + (1 - \pi)\, e_\text{null}.$$
#
# This is exact for one cab. For means over the cabs it is approximate, because we multiply two means. It would be exact if the share of hours out and the error in these hours were uncorrelated across the cabs. [Below](crowd-who) we repeat the calculation for MAX_USER within ten groups of cabs, and the result differs by only 0.003.
#
# The gain over the prior alone is therefore $\pi$ times the gain in the hours out, plus $1 - \pi$ times the gain in the hours at null. We compute the first part. What remains of the total gain is the second part:

# %%
share_of_out = over_all["FREQ_ROI", crowd.NULL] / np.sqrt(np.log(2))


def split_of_gain(kind, who):
    """Gain over the prior alone: in total, from hours out, and from hours at null."""
    total = over_all[kind, "PRIOR"] - over_all[kind, who]
    from_out = share_of_out * (over_out[kind, "PRIOR"] - over_out[kind, who])
    return total, from_out, total - from_out


of_bayes = {
    figures.WORDS[kind]: split_of_gain(kind, "BAYES") for kind in crowd.SELECTED_PRIORS
}
columns = ["gain of BAYES", "from hours out", "from hours at null"]
of_bayes = pd.DataFrame.from_dict(of_bayes, orient="index", columns=columns)
of_bayes["share from hours at null"] = of_bayes.iloc[:, 2] / of_bayes.iloc[:, 0]
plots.show_table(figures.with_decimals(of_bayes), "split")

# %% [markdown]
# With frequent places, for example, only 0.013 of the total gain of 0.036 comes from the hours out. Under the three priors, 63%, 72% and 57% of the gain of BAYES come from the hours at null. Under the hour-of-week prior the two parts are too close to be ordered without an interval, which we did not compute. The figure compares BAYES with MAX_USER and with always null:

# %% mystnb={"figure": {"name": "fig-crowd-split", "caption": "Gain over the prior alone on the cabs (profiling error of the prior alone minus that of the attacker), split into the part from the hours out and the part from the hours at null. The two parts add up to the gain in the mean error. The number beside each bar is its value; bars to the left of the line are losses. MAX_USER and always null have the same pattern, although only MAX_USER uses the counts: they gain in the hours at null and lose in the hours out. BAYES gains in both kinds of hours, but little."}, "image": {"alt": "Three panels, one below the other, one for each prior, with two bars for each of three attackers and the length of each bar as a number. For MAX_USER and always null the bar of the hours out points to the left and the bar of the hours at null points further to the right. For BAYES both bars are short and point to the right."}} tags=["hide-input"]
split = {
    (kind, who): split_of_gain(kind, who)[1:]  # from hours out, from hours at null
    for kind in crowd.SELECTED_PRIORS
    for who in ("BAYES", "MAX_USER", crowd.NULL)
}
figures.show_split(split)

# %% [markdown]
# In terms of the profiling error, BAYES gains in both kinds of hours, whereas the bars of MAX_USER resemble those of always null, a rule that knows nothing about any cab. (The small gain of BAYES in the hours out may depend on the score. In [a later section](crowd-brier) the mean Brier score of BAYES in these hours is worse than that of the prior alone, but we have no interval for this difference.)
#
# Part of what BAYES gains in the hours at null could be gained without any counts. The hour-of-day prior gives null too little probability, because it [counts visits rather than hours](crowd-null-share). [The section on the Brier score](crowd-brier) shows that an attacker can correct this with data from the weeks before the attack.
#
# The privacy loss counts every reduction of the error, whatever its cause. Therefore always null, which uses no counts, also has a "loss": 0.151, as large as that of MAX_USER. A large privacy loss does not show that the counts helped if a rule without counts has the same loss.
#
# (crowd-this-cab)=
# ### Does BAYES know where this cab is?
#
# In the hours out, does BAYES know where *this* cab is, or only where cabs are in general? The rule *the counts alone* knows only where cabs are in general, because it gives every cab the same distribution. We compare BAYES with the prior alone and with *the counts alone*, cab by cab, over the hours in which the cab was out. A positive difference means that BAYES has the smaller error:

# %% tags=["hide-input"]
out_paired = figures.out_table(crowd.compare_out.stored("cabspotting"))
plots.show_table(out_paired, "out-paired")

# %% [markdown]
# BAYES has a smaller error than the prior alone with every prior. Compared with *the counts alone*, its error is smaller by 0.007 and 0.006 on average under the first two priors, and under the hour-of-week prior it is larger by 0.046. **In the hours out, the error of BAYES is hardly smaller than that of an attacker who gives every cab the same distribution, and under the hour-of-week prior it is larger.**
#
# The probability that BAYES gives to null may explain part of this result. In an hour out, whatever probability an attacker gives to null is wasted, and *the counts alone* wastes [only a few percent](crowd-null-share) in this way. The table does not show how large this effect is.
#
# Why is BAYES worse than *the counts alone* under the hour-of-week prior? The tables give the errors of all attackers under the two priors that depend on time:

# %% tags=["hide-input"]
plots.show_parts(cab_errors.drop(index=figures.WORDS["FREQ_ROI"]), "cabs-by-time")

# %% [markdown]
# A likely reason is that in two weeks each hour of the week was observed only twice. A square that the cab did not visit in these two hours has a prior of 0, and BAYES must leave it at 0. In the hours out (last column), the prior alone therefore has a large error, 0.692, whereas *the counts alone* has an error of only 0.634. Multiplying the prior by the counts reduces its error by only 0.011. A second reason may be that BAYES wastes probability on null, which *the counts alone* hardly does; the table does not show how much this contributes.
#
# (crowd-who)=
# ### Which cabs does MAX_USER place?
#
# MAX_USER owes its small error to the way in which it assigns places. It goes through the cabs in decreasing order of their number of visits. Each cab is placed in every square that it has ever visited and whose count is not yet used up. Cabs near the end of the order therefore find no counts left. How early in this order must a cab come to be placed at all? We order the cabs by their number of visits before the attacked week and divide them into tenths, the most active cabs first. All tables of this section have frequent places as the prior:

# %%
tenths = crowd.tenths.stored("cabspotting")
by_visits = tenths[tenths["ordered by"] == "visits"]
of_max_user = by_visits[by_visits["strategy"] == "MAX_USER"]

# %% tags=["hide-input"]
plots.show_table(figures.placed_table(of_max_user), "tenths")

# %% [markdown]
# In an average hour MAX_USER places a cab of the most active tenth in 47 squares at once, nearly half of the map. (This is a mean over the cabs of the tenth.) The next tenths get fewer and fewer squares, and the less active half of the cabs is hardly ever placed in a square. A cab that is not placed in any square is taken to be at null, which is right in the hours at null and wrong in the hours out. This is [our reading](crowd-attacks), which the paper does not state, and the small error of MAX_USER rests on it. The paper's results suggest the same reading, however. For London the paper notes that the error of MAX_USER is larger for the users who are selected to cover the counts, and "gets smaller for those users that were not (because the aggregates were consumed)" (Sec. 4.3.1, localization). And the profiling error that it prints for MAX_USER on the cabs with frequent places, 0.56, is close to ours, 0.566. This is weak evidence, however. The replication leaves this number *<a href="replication/crowd.html#claim-crowd-fig1-sfc-prof-max-user-freq-roi-err">undecided</a>*, and we did not run the other reading on the cabs.
#
# Which of these cabs lose privacy? {numref}`fig-crowd-tenths` and the table below it show, for each tenth, the error of the prior alone minus that of MAX_USER. A positive number means that MAX_USER has the smaller error.

# %% mystnb={"figure": {"name": "fig-crowd-tenths", "caption": "Over all hours (filled circles), MAX_USER gains most from the least active cabs. In the hours out (hollow squares), it has a larger error than the prior alone in every tenth. Error of the prior alone minus that of MAX_USER, for each tenth of the cabs, with 95% intervals over cabs. In the hours out, most of these intervals are narrower than the mark. Above the dotted line MAX_USER has the smaller error."}, "image": {"alt": "Two lines over ten tenths of the cabs, ordered by visits. Over all hours the line rises from slightly below zero for the busiest tenth to more than 0.2 for the two least active tenths. In hours out the line is below zero everywhere, and lowest in the sixth to ninth tenths."}} tags=["hide-input"]
figures.show_tenths(of_max_user)

# %% tags=["hide-input"]
plots.show_table(figures.tenths_error_table(of_max_user), "tenths-error")

# %% [markdown]
# **Over all hours MAX_USER gains most from the least active cabs, and on the most active tenth its error is larger than that of the prior alone.** For the three least active tenths its error is smaller by 0.18 to 0.24, because these cabs rest often and MAX_USER nearly always answers null for them. In the hours out, MAX_USER has a larger error than the prior alone in every tenth. In these hours the increase in the error is smallest on the three most active tenths.
#
# In Sec. 4.2.1 the paper nevertheless concludes from the success of MAX_USER that the most active cabs are regular and lose more privacy. For the errors over all hours, we find the opposite. The errors in the hours out mostly point in the paper's direction, so the answer depends on whether the empty hours count. In the hours out, however, MAX_USER gains nothing on any tenth, and it increases the error less on the least active tenth than on the five tenths before it (tenths 5 to 9). Our comparison of the tenths has two limitations: it rests on a single attacked week in our copy of the cab data, and we made it only after we had seen the errors above. Still, the difference between the first and the last tenth is large. Over all hours we can give it an interval, because the two tenths consist of different cabs:

# %%
first, last = of_max_user.iloc[0], of_max_user.iloc[-1]  # tenths 1 and 10
gap = last["less"] - first["less"]
half = 1.96 * np.hypot(first["less se"], last["less se"])  # 95%, independent cabs
print(f"tenth 10 minus tenth 1: {gap:.2f} [{gap - half:.2f}, {gap + half:.2f}]")

# %% [markdown]
# So MAX_USER gains far more from the least active cabs than from the most active ones.
#
# We can also use the tenths to check the approximation in [the split of the gains](crowd-gains), in which we multiplied two means over all cabs. We now multiply the share of hours out by the gain in these hours within each tenth, and average the products:

# %%
of_tenths = of_max_user["truly"] * of_max_user["less out"]  # share out x gain in it
by_tenths = np.average(of_tenths, weights=of_max_user["users"])
at_once = split_of_gain("FREQ_ROI", "MAX_USER")[1]
print(
    f"MAX_USER, gain from hours out: by tenths {by_tenths:.3f}, at once {at_once:.3f}"
)

# %% [markdown]
# The two results differ by 0.003. Within each tenth we still multiply means, but the cabs of a tenth resemble each other more than all cabs do. For MAX_USER with frequent places, the approximation therefore hardly changes the split.
#
# (crowd-few-hits)=
# ### Which cabs does MAX_ROI place in many squares? (optional)
#
# Why does MAX_ROI have a larger error than the prior alone? The paper attributes this to cabs that visit few squares. Such a cab has a large prior for each of its squares, so MAX_ROI prefers it to cabs that visit many squares. If this explanation is right, MAX_ROI must give such cabs more squares than their hours out justify.
#
# To check this, we order the cabs by the number of different squares that they visited before the attacked week, most squares first. A cab that is out more often should be given more squares. We therefore divide the number of squares that MAX_ROI names in an average hour by the share of hours out. The last column of the table is the error of the prior alone minus that of MAX_ROI, in the hours out:

# %% tags=["hide-input"]
by_squares = tenths[
    (tenths["ordered by"] == "squares") & (tenths["strategy"] == "MAX_ROI")
]
placed = figures.placed_table(by_squares).drop(columns="share of hours with a square")
per_hour_out = by_squares["places"] / by_squares["truly"]
placed["squares named / share of hours out"] = [f"{each:.1f}" for each in per_hour_out]
worse = figures.tenths_error_table(by_squares)["MAX_ROI, hours out"]
plots.show_table(
    placed.assign(**{"prior minus MAX_ROI, hours out": worse}), "tenths-squares"
)

# %% [markdown]
# **The number of squares named per hour out mostly follows the paper's explanation; the errors do not.** The number of squares named, divided by the share of hours out, rises from 9.0 in the first tenth to 14.5 in the ninth, with small exceptions. So MAX_ROI does name more squares for cabs that visited fewer, *relative to the time they are out*. (The last tenth, whose cabs are by far the least active, is an exception.)
#
# The error, however, does not increase most for the cabs with the largest quotient. In the hours out, MAX_ROI increases it by 0.07 to 0.09 in the first six tenths, whose cabs visited many squares. In the ninth tenth the increase is only 0.051.
#
# This does not refute the paper's explanation. Each unit of a count that MAX_ROI assigns to one cab is lost to the others, so the errors of the cabs that visit many squares may be large because these cabs are given too few squares. The table cannot distinguish this explanation from others, because the stored results do not say how many squares the cabs of each tenth truly visited in an hour out.
#
# One possible reason for the large error of MAX_ROI can be checked with the stored results: perhaps only a few of the squares that it names are right. How many are right?

# %% tags=["hide-input"]
every_seventh = crowd.joint.stored("cabspotting").set_index(["prior", "answer"])
hit = every_seventh.loc[("FREQ_ROI", "MAX_ROI"), "visits found"]
print(f"MAX_ROI finds {hit:.0%} of the visits in every seventh hour,", end=" ")
print(f"so {hit * 11:.1f} of 11 squares")

# %% [markdown]
# Averaged over all cabs and hours, MAX_ROI names between seven and eight squares in an hour. Of the eleven squares that a cab visits in an hour out, MAX_ROI finds fewer than three. According to [our table for eleven squares](crowd-real-taxis), an attacker who names eight squares, three of them right, has an error of 0.688. In the hours out the prior alone has an error of only 0.647, because it gives some probability to every square that the cab has visited before, and more to those that it visits often. So an attacker who names eight squares, only three of them right, has a larger error than the prior alone. For MAX_ROI this comparison is rough, because its hits vary from hour to hour and it may name more squares in the hours out than in the others.
#
# (crowd-significant)=
# ### Are the differences significant?
#
# All attackers are scored on the same 534 cabs, so we can compare their errors in pairs. For each cab we subtract the attack's error from that of the prior alone or of always null. The code gives the mean errors of four attackers with their own 95% intervals, with frequent places as the prior. The figure and the table give the differences, and also treat *the counts alone* as an attack:

# %%
for who in ("PRIOR", "BAYES", "AGGREGATE", crowd.NULL):
    mean, se = profiled.loc[("FREQ_ROI", who), ["error", "error se"]]
    low, high = mean - 1.96 * se, mean + 1.96 * se  # se: standard error over cabs
    print(f"{figures.WORDS[who]}: {mean:.3f} [{low:.3f}, {high:.3f}]")

# %% mystnb={"figure": {"name": "fig-crowd-cabs-paired", "caption": "Error of the prior alone (left) and of always null (right) minus that of each attack on the cabs, with 95% intervals over cabs, some of them narrower than the mark. To the right of the dotted line the attack has the smaller error. Every mark of BAYES and MAX_USER lies to the right in the left panel. In the right panel only MAX_USER has marks there, and they lie close to the line."}, "image": {"alt": "Two panels with four rows, the counts alone, BAYES, MAX_ROI and MAX_USER, and a mark for each of three priors. Left, all marks of BAYES and MAX_USER lie right of zero and all others left. Right, two marks of MAX_USER lie just right of zero, its third mark just left of it, and all other marks further left."}} tags=["hide-input"]
cab_pairs = crowd.pairs.stored("cabspotting")
figures.show_paired(cabs, cab_pairs)

# %% tags=["hide-input"]
plots.show_table(figures.paired_table(cabs, cab_pairs), "cabs-paired")

# %% [markdown]
# With frequent places, the 95% interval of the mean error is [0.651, 0.664] for the prior alone and [0.615, 0.628] for BAYES. The interval of their difference is far narrower, [0.035, 0.037]. If two attackers find the same cabs hard, as the prior alone and BAYES do, the difference varies much less from cab to cab than either error does. If they find different cabs hard, the difference varies as much as either error, or more. All of the error of always null arises in the hours out, whereas the error of *the counts alone* is largest in the hours at null. So these two rules find different cabs hard. The interval of their difference, [-0.111, -0.077], is wider than that of either error. The interval computed from the paired differences is valid in both cases.
#
# With every prior, BAYES and MAX_USER have a significantly smaller error than the prior alone. MAX_ROI and *the counts alone* have a larger error.
#
# The advantage of MAX_USER over always null is significant under two of the priors, frequent places and hour of day, and amounts to 0.009 in both cases. Under the hour-of-week prior the comparison is inconclusive, because the interval of the difference includes 0.
#
# ```{note}
# The intervals treat the cabs as independent, although a single table of counts links them all and only one week was attacked.
#
# The privacy loss of a cab is set to 0 if the attacker's error on this cab is larger than that of the prior alone. The mean privacy loss is therefore positive even for *the counts alone* (0.015), although its mean error is larger than that of the prior alone. Mean errors can be compared without this effect.
#
# The results hold for cabs, which are not commuters. The paper's other dataset, from London's fare cards, is not public.
#
# With frequent places, the rule of the likeliest place gives the same answers as always null, because no square ever has a prior of one half. Under the hour-of-day prior, its answers differ from always null so rarely that the errors agree to three decimals.
# ```
#
# (crowd-sparse)=
# ## Do sparse data look different?
#
# The cabs are out most of the time. What changes if users are almost always at null? To find out, we now take flights out of New York as users and airports as places. A flight visits its origin in the hour in which it leaves and its destination in the hour in which it lands, and in all other hours, more than nine out of ten, it is at null.
#
# We make two datasets from the record of all flights out of New York in four weeks. In the first, *flights by number*, each user is a flight number. Many flight numbers are scheduled at the same hours every week, so we expect them to resemble commuters. In the second, *aircraft*, each user is an aircraft, identified by its tail number, and we expect aircraft to change their routes, as cabs do. By *the flights* we mean both datasets.
#
# Each dataset contains only users with at least 16 visits. More aircraft than flight numbers have 16 visits, so we kept all such flight numbers and drew equally many of the aircraft at random. Both datasets therefore have the same number of users, but not the same flights. The attacker has observed three weeks and wants to know where each user was in the fourth. (In the code, `inference` is the number of hours of the attacked week, 168.)

# %% tags=["hide-input"]
users_of = {"commuters": 300, "cabs": 120} | users_of  # only for runs with other data

# %%
from lib.papers import fitting

weeks = {
    name: crowd.load_week(file, users_of.get(name), inference, path)
    for name, file in fitting.display_names(datasets).items()
}

# %% tags=["hide-input"]
size_of = {}
for name, week in weeks.items():
    real = crowd.without_null(week.traces)  # real places only
    size_of[figures.plain_name(name)] = {
        "users": real.n_users,
        "visits per user and hour": real.matrix.nnz / (real.n_users * real.n_epochs),
        "fewest visits of a user": real.visits().min(),
    }
size_of = pd.DataFrame.from_dict(size_of, orient="index")
per_hour = figures.with_decimals(size_of[["visits per user and hour"]])
size_of = size_of.assign(**per_hour)
plots.show_table(size_of.rename_axis("data"), "data")

# %% [markdown]
# The table does not count null as a place. There are fewer than 0.1 visits per user and hour, so users are at null more than nine hours out of ten. The results for the cabs were stored, whereas the attacks on the flights run when the page is executed. The first function below lists the answers of the four rules and the three attacks. The second computes each user's error under each of them.


# %%
def every_answer(week, kind):
    """What each attacker answers: the four rules first, then the three attacks."""
    known, counts = week.prior(kind), week.counts
    return {
        crowd.NULL: crowd.null_profile(known),
        "AGGREGATE": loc.aggregate_profile(counts, known),  # the counts alone
        "PRIOR": known,
        crowd.LIKELIEST: loc.popular(known, delta),
        "BAYES": loc.bayes(known, counts),
        "MAX_ROI": loc.max_roi(known, counts),
        "MAX_USER": loc.max_user(known, counts),
    }


def every_error(week, kind):
    """Each user's mean profiling error over the week, for every attacker."""
    answers = every_answer(week, kind)
    return {who: loc.profiling_error(x, week.truth) for who, x in answers.items()}


errors = {
    (name, kind): every_error(week, kind)
    for name, week in weeks.items()
    for kind in crowd.SELECTED_PRIORS
}

# %% [markdown]
# We now build the table of results for the first dataset, with frequent places as the prior. Each of its three numbers is a mean over the users, and each user's number takes one line of code: the error averaged over all hours, the privacy loss that follows from it, and the error averaged over the user's hours out. A user who is never out in the attacked week is left out of the last column, and no user's prior has an error of 0, so nothing is divided by 0.

# %%
numbered, numbered_week = next(iter(weeks.items()))  # the first dataset
is_out = crowd.without_null(numbered_week.truth).rois_per_epoch() > 0  # users x hours
hours_out = is_out.sum(axis=1)  # of each user
some = hours_out > 0
e_prior = errors[numbered, "FREQ_ROI"]["PRIOR"]  # one number a user
means_of = {}
for who, answer in every_answer(numbered_week, "FREQ_ROI").items():
    by_hour = loc.profiling_error_by_epoch(answer, numbered_week.truth)  # users x hours
    e_attack = by_hour.mean(axis=1)
    loss = np.maximum(0, (e_prior - e_attack) / e_prior)
    in_out = (by_hour * is_out).sum(axis=1)[some] / hours_out[some]
    means_of[figures.WORDS[who]] = e_attack.mean(), loss.mean(), in_out.mean()
heads = ["mean error", "privacy loss", "error in hours out"]
with_frequent = pd.DataFrame.from_dict(means_of, orient="index", columns=heads)
plots.show_table(figures.with_decimals(with_frequent), "flights-frequent")

# %% [markdown]
# The first four rows are the simple rules, and the last three are the attacks. We say that an attack *beats the rules* if its mean error is smaller than those of all four rules. An attack that does not may still help in the hours out, which [we look at separately](crowd-hours-out). The library computes the same table. We use it for the hour-of-day prior:

# %% tags=["hide-input"]
units = dict.fromkeys(weeks, crowd.SELECTED_UNITS)  # both kinds of error, three priors
rows = crowd.compare_with_null(weeks, units=units, delta=delta)
tables = {
    figures.plain_name(name): figures.loss_table(rows[rows["data"] == name])
    for name in weeks
}
of_first = next(iter(tables.values()))
frequent_rows = of_first.loc[figures.WORDS["FREQ_ROI"]]  # rounded to three decimals
agrees = np.allclose(with_frequent, frequent_rows.loc[with_frequent.index], atol=6e-4)
print("frequent places, same as the library:", agrees)
of_day_rows = of_first.loc[figures.WORDS["ROI_DAY"]].rename_axis(
    "hour of day: attacker"
)
plots.show_table(figures.with_decimals(of_day_rows), "profiling-first")

# %% [markdown]
# (crowd-all-flights)=
# The folded cell contains the full table, with the aircraft and the third prior. The figure below it shows all these errors, and {numref}`fig-crowd-paired` will show the paired differences between each attack and the likeliest place.

# %% tags=["hide-cell"]
plots.show_table(figures.with_decimals(pd.concat(tables, axis=1)), "profiling")

# %% mystnb={"figure": {"name": "fig-crowd-profiling", "caption": "Mean profiling error of the attacks on flights, with 95% intervals over users, most of them narrower than the mark. The shaded rows are the three attacks. The dotted line is always null; diamonds are attackers who use no prior. The ring marks the only attack that has a smaller error over all hours than all four rules have with the same prior: MAX_ROI, for flights by number under the hour-of-day prior. In the hours out (right), all errors for the aircraft are close to the largest possible one, 0.833: hardly any aircraft is located. Over all hours (left) the scale is logarithmic, and panels in the same column have the same scale."}, "image": {"alt": "Two rows of panels, flights by number and aircraft, each over all hours and over hours out, with seven attackers and three priors; the rows of the three attacks are shaded. For flights by number, likeliest place and MAX_ROI lie far to the left under the hour-of-day and the hour-of-week prior, and the mark of MAX_ROI under the hour-of-day prior has a ring. On aircraft no mark lies clearly left of the dotted line of always null over all hours, and in hours out all marks crowd at the line of always null, from 0.802 to 0.833, at the right end of a scale on which those of flights by number are spread from 0.05 to 0.83."}} tags=["hide-input"]
figures.show_profiling(rows)

# %% [markdown]
# **With frequent places as the prior, no attack on the flights beats the rule *always null*.** For the flights by number, BAYES has an error of 0.067 and a privacy loss of 0.664. This looks like a serious loss. But always null, which uses no counts, has a smaller error and a "loss" of 0.714.
#
# Did the counts at least teach BAYES when a user is out? If they did, it would give null a smaller probability in the hours out than in the empty hours. The table gives the mean probability of null in each of these two kinds of hours. Its last column, the AUC, says how well this probability separates them. Draw one hour out and one empty hour at random. The AUC is the probability that the attacker finds null less likely in the hour out, counting a tie as one half. An AUC of 0.5 means that the attacker cannot tell the two kinds of hours apart. The AUC uses only the order of the probabilities, so a tiny difference counts as much as a large one. Above the table we print, for each dataset, the smallest share of users that are counted at null in any hour:

# %% tags=["hide-input"]
null_given = {}
for name, week in weeks.items():
    is_out = crowd.without_null(week.truth).rois_per_epoch() > 0  # users x hours
    frequent = week.prior("FREQ_ROI")
    for who, profile in {
        "the prior alone": frequent,
        "BAYES": loc.bayes(frequent, week.counts),
    }.items():
        weights = profile.toarray()  # users x places x hours; null is the last place
        null_mass = weights[:, -1] / weights.sum(axis=1)
        means_of_null = null_mass[is_out].mean(), null_mass[~is_out].mean()
        auc = round(metrics.auc(~is_out.ravel(), null_mass.ravel()), 3)
        null_given[figures.plain_name(name), who] = *means_of_null, auc
    fewest = week.counts[-1].min() / week.truth.n_users  # in any hour of the week
    print(f"{figures.plain_name(name)}: at least {fewest:.1%} are counted at null")
null_given = pd.DataFrame(null_given, ["hours out", "empty hours", "AUC"]).T
plots.show_table(null_given.rename_axis(["data", "attacker"]), "null-given")

# %% [markdown]
# BAYES did learn something about the hours in which a user is out. For the flights by number its AUC is 0.698, and that of the prior alone is 0.568. The AUC of the prior alone is above 0.5 because the two hours that we draw may belong to different users, and busy users have both a smaller prior of null and more hours out. For each user this prior is the same in every hour, so the difference must come from the counts. The counts can act in two ways. They show in which hours many users are out, and they change how the users rank by their probability of null, because a user whose airports are busy gets a smaller one. The table does not separate these two effects.
#
# But the probabilities that BAYES states hardly reflect what it learned. In every hour at least 87.6% of the flights by number are counted at null, so the counts push every user towards null in every hour. BAYES gives null a mean probability of 0.9993 in the hours out and of 0.9995 in the empty hours. BAYES has almost turned into the rule *always null*, and this explains its privacy loss. The aircraft show the same pattern.
#
# Always null is hard to beat for an attacker whose prior contains no information about time, if users are at null in nine hours out of ten. The privacy loss cannot show this, because it compares an attack only with the prior alone. With frequent places, the prior alone is a poor attacker on sparse data.
#
# ### Does any attack beat the best rule without counts?
#
# On the flights, the likeliest place is the best rule without counts, or nearly the best. We subtract each attack's error from the error of this rule, user by user. A positive difference means that the attack has the smaller error:

# %%
for kind in ("ROI_DAY", "ROI_DAY_WEEK"):
    of_rule = errors[numbered, kind][crowd.LIKELIEST]  # one number a flight
    gain = of_rule - errors[numbered, kind]["MAX_ROI"]
    low, high = metrics.mean_interval(gain)
    print(f"{figures.WORDS[kind]}: rule {of_rule.mean():.4f}, minus MAX_ROI", end=" ")
    print(f"{gain.mean():.4f} [{low:.4f}, {high:.4f}]", end=", ")
    print(f"{gain.mean() / of_rule.mean():.0%} of the rule's error")

# %% [markdown]
# The figure repeats this for both datasets, all three priors and all three attacks. The folded cell has the same numbers as a table, in which the first row for each prior gives the mean error of the rule itself:

# %% tags=["hide-cell"]
paired, drawn = {}, []
for (name, kind), by_attacker in errors.items():
    of_rule = by_attacker[crowd.LIKELIEST]  # one number a flight
    first = figures.WORDS[kind], "error of the rule", figures.plain_name(name)
    paired[first] = f"{of_rule.mean():.4f}"
    for attack in ("BAYES", "MAX_ROI", "MAX_USER"):
        gain = of_rule - by_attacker[attack]
        low, high = metrics.mean_interval(gain)
        text = f"{gain.mean():.4f} [{low:.4f}, {high:.4f}]"
        row = f"rule minus {attack}"
        paired[figures.WORDS[kind], row, figures.plain_name(name)] = text
        drawn.append((name, kind, attack, gain.mean(), low, high))
paired = pd.Series(paired).unstack(sort=False)
plots.show_table(paired.rename_axis(["prior", ""]), "flights-paired")

# %% mystnb={"figure": {"name": "fig-crowd-paired", "caption": "Error of the likeliest place minus that of each attack, with 95% intervals over users, some of them narrower than the mark. To the right of the dotted line the attack is better than this rule, which uses no counts. Only one mark lies clearly to the right: MAX_ROI on the flights by number, under the hour-of-day prior."}, "image": {"alt": "Two panels, flights by number and aircraft, with three attacks and a mark for each of three priors. All marks lie on or left of the zero line except that of MAX_ROI on flights by number under the hour-of-day prior, which lies to the right, at 0.007."}} tags=["hide-input"]
columns = ["data", "prior", "strategy", "mean", "95% low", "95% high"]
figures.show_differences(
    pd.DataFrame(drawn, columns=columns),
    "error of the likeliest place minus that of the attack\n(right of 0: the attack is better)",
)

# %% [markdown]
# **Of the six combinations of dataset and prior, only one has an attack that beats the rules: flights by number, under the hour-of-day prior.** There MAX_ROI has a smaller mean error than all four rules. It reduces the error of the likeliest place by 0.0073 [0.0064, 0.0082], which is 44% of that error. In {numref}`fig-crowd-paired` this is the only mark that lies clearly to the right of the dotted line.
#
# Under the hour-of-week prior, MAX_ROI is slightly but significantly *worse* than the likeliest place, by 0.0007. With this prior the likeliest place has an error of only 0.006 without any counts, so there is little left for the counts to add.
#
# What do the counts tell an attacker who uses the hour-of-day prior? They reveal, for one thing, which timetable applies. New York's clocks changed on the last day of the first week, a Sunday. The attacker's hours are in UTC. A flight that kept its local departure time therefore moved by one hour on the attacker's clock. Consider a flight that operates only on working days. The attacker has seen it at its new hour on 10 of the 21 observed days, five in the second week and five in the third. (All working days of the first week came before the change.) This is less than half, so the rule of the likeliest place answers null, although the counts show that flights leave at the new hour. MAX_ROI needs no threshold. It gives the visits counted at the airport to the flights that have the largest priors there, so a prior of 10/21 can suffice.
#
# We can test this explanation with an attacker who does not use the first week ({ref}`an exercise <crowd-clocks>`). For this attacker hardly any gain is left on working days. The gain over the whole week falls from 0.0073 to 0.0046. Most of what remains is on Saturday, when the counts show that it is not a working day.
#
# For the aircraft, no attack beats the rule of the likeliest place with any prior. Aircraft do not repeat their week, so the attacker probably cannot tell which of many aircraft was counted.
#
# ```{note}
# All flights share the same change of clocks, but the intervals treat the flights as independent and therefore understate the uncertainty. In a week without such a change the gain may be quite different. For the attacker without the first week, the gain on Sunday is smaller (0.0012) than on Saturday (0.0027). We did not examine why.
# ```
#
# #### How much of the gain depends on the threshold? (optional)
#
# The rule of the likeliest place requires a prior of at least `delta`, which is 0.5. The flights described above have a prior of 10/21 or 0.476 at their new hour, which narrowly misses this threshold. Would the gain of MAX_ROI disappear with a smaller threshold? We repeat the comparison with three smaller thresholds. We also add a bolder rule, *likeliest airport*. It names the airport with the largest prior if this prior is at least `delta`, even if the prior of null is larger:


# %%
def likeliest_airport(probability, least):
    """Name the likeliest place other than null if its prior is at least `least`."""
    n_places = probability.shape[1]  # users x places x hours; null is the last place
    airports = probability[:, :-1]
    bold = airports.max(axis=1) >= least
    named = np.where(bold, airports.argmax(axis=1), n_places - 1)
    return loc.from_array(np.eye(n_places)[named].transpose(0, 2, 1))


day_prior = numbered_week.prior("ROI_DAY")

# %% tags=["hide-input"]
with_counts = errors[numbered, "ROI_DAY"]["MAX_ROI"]
print(f"10 of 21 days: {10 / 21:.3f}")
thresholds = {}
for smaller in (0.3, 0.4, 0.45, 0.5):
    rules = {
        "likeliest place": loc.popular(day_prior, smaller),
        "likeliest airport": likeliest_airport(day_prior.toarray(), smaller),
    }
    for rule, answer in rules.items():
        without_counts = loc.profiling_error(answer, numbered_week.truth)
        gain = without_counts - with_counts  # one number a flight
        low, high = metrics.mean_interval(gain)
        thresholds[smaller, f"{rule}: error"] = f"{without_counts.mean():.4f}"
        text = f"{gain.mean():.4f} [{low:.4f}, {high:.4f}]"
        thresholds[smaller, f"{rule} minus MAX_ROI"] = text
thresholds = pd.Series(thresholds).unstack(sort=False)
plots.show_table(thresholds.rename_axis("delta"), "thresholds")

# %% [markdown]
# With a threshold of 0.45 the likeliest place has only a slightly smaller error than with 0.5 (0.0166 against 0.0167), and with the two smaller thresholds it has a larger one. Why does lowering the threshold to 0.45 hardly help? The smaller threshold changes an answer only where the prior of an airport or of null lies between 0.45 and 0.5. We compare the errors under the two thresholds, separately for these two cases:

# %%
probability = day_prior.toarray()  # users x places x hours; null is the last place
below = (probability >= 0.45) & (probability < 0.5)  # just below one half
airport_below = below[:, :-1].any(axis=1)  # users x hours
airport_named = (probability[:, :-1] >= 0.5).any(axis=1)  # with either threshold
cases = {
    "an airport just below 0.5": airport_below,
    "only null just below 0.5": below[:, -1] & airport_named & ~airport_below,
}
at_half, at_less = (  # errors under the two thresholds
    loc.profiling_error_by_epoch(loc.popular(day_prior, least), numbered_week.truth)
    for least in (0.5, 0.45)
)
change = (at_less - at_half) / at_half.size  # of the mean error

# %% tags=["hide-input"]
by_case = {
    what: (chosen.sum(), at_half[chosen].mean(), at_less[chosen].mean())
    for what, chosen in cases.items()
    if chosen.any()
}
heads = ["answers", "error at 0.5", "error at 0.45"]
by_case = pd.DataFrame.from_dict(by_case, orient="index", columns=heads)
by_case["change of the mean error"] = [
    change[cases[what]].sum() for what in by_case.index
]
plots.show_table(by_case.round(4).astype({"answers": int}), "changed")

# %% [markdown]
# In the first case an airport has a prior of 10/21, for example, as for the flights described above. With the threshold of 0.5 the rule named null there, and the error was 0.833 if the flight operated and 0 if it did not. With the smaller threshold the rule names the airport, usually together with null, and the mean error of these answers falls from 0.590 to 0.443. In the other 658 cases the prior of null lies just below one half (for example 10/21), and that of an airport is at least one half (for example 11/21). There the rule named the airport alone and was mostly right. With the smaller threshold it names null, too, so the error rises from 0.190 to 0.465. The two changes almost cancel.
#
# The bolder rule does help. At a threshold of 0.4 its error is only 0.0135, and MAX_ROI is then better by 0.0041 [0.0036, 0.0047] instead of 0.0073. So the counts still help, but more than 40% of the gain arose only because the original rule was too cautious.
#
# An attacker who switches to the hour-of-week prior does better without counts than MAX_ROI does with them under the hour-of-day prior. The likeliest place then has an error of only 0.006, whereas that of MAX_ROI is 0.009.
#
# We chose the thresholds of this section after seeing the results, and the attacker could not know the best one.
#
# (crowd-hours-out)=
# ### What happens in the hours out?
#
# Always null has a small mean error because it is right in the empty hours, but in the hours out it is always wrong, with the largest possible error, 0.833. How large are the errors of the other attackers in the hours out? (The attackers do not know which hours these are.) The right panels of {numref}`fig-crowd-profiling` show them, and [the full table](crowd-all-flights) has the numbers in its columns *error in hours out*.
#
# In the hours out BAYES is *worse than the prior alone*, on both datasets and with every prior. The reason is the same as above: most users are counted at null in every hour, so multiplying by the counts moves the probabilities towards null wherever the prior of null is positive, even in the hours in which the user is out. The cabs, in contrast, are out most of the time, and on them the error of BAYES in the hours out is slightly smaller than that of the prior alone.
#
# **A small mean error can hide that nobody was located.** On the flights, the rule *always null* shows this. On the cabs its error, 0.576, is not small, and yet it is smaller than that of BAYES and of MAX_ROI.
#
# For the flights by number, under the hour-of-day prior, MAX_ROI has half the error of the likeliest place in the hours out: 0.131 against 0.259. This agrees with the conclusion that the counts do help to locate flights in this case. Better evidence comes [in a later section](crowd-visits), where we count the visits that each attacker finds.
#
# (crowd-where)=
# ## What if the attacker must name places? (optional)
#
# So far the attacker has stated probabilities. In **localization** the attacker names places, one or several for each hour. The score depends on how many of the named places are right:
#
# ````{prf:definition} Localization error (Eq. 3 and 5)
# :label: def-crowd-localization
# The localization error is $1 - F_1$ with $F_1 = 2\,\mathrm{hits} / (\mathrm{named} + \mathrm{true})$. All three numbers count pairs of a place and an hour over the whole week: *named* the pairs that the attacker names, *true* the pairs in which the user was at the place, and *hits* the pairs that are both. Null counts as a place.
# ````
#
# For example, suppose that there is only one hour, and that a user was at the station. An attacker who names the station and the park has named two places, of which one is a hit, and there is one true place. Then $F_1 = 2 \cdot 1/(2+1) = 2/3$, and the error is 1/3.
#
# Dan's Tuesday is a longer example. MAX_ROI puts Dan in the park at 18:00 and at null in the other three hours, so it names four places, one for each hour. There are also four true places. Two of the four answers are hits, null at noon and the park at 18:00, so the error is 1/2:

# %%
for n_hits, n_named, n_true in [(1, 2, 1), (2, 4, 4)]:
    f1 = 2 * n_hits / (n_named + n_true)
    print(f"{n_hits} hit(s), {n_named} named, {n_true} true: error {1 - f1:.3f}")
of_dan = loc.localization_error(attacks["MAX_ROI"], tuesday)[dan]
print(f"Dan's day with the library: {of_dan:.3f}")

# %% [markdown]
# Which of the rules that ignore the counts name places? Always null does. The rule ALL names every place other than null that has a positive prior, and null only if there is no such place. (The paper's numbers for London require that null is left out.) POP is the rule of the likeliest place: it names every place that has at least half of the prior, and null if there is no such place. The tables give the mean localization error of these three rules and of MAX_ROI and MAX_USER, which also name places. The results for the cabs are stored:

# %% tags=["hide-input"]
localized = figures.attacker_table(
    figures.beside_stored(cabs, rows),
    attackers=(crowd.NULL, "ALL", "POP", "MAX_ROI", "MAX_USER"),
    goal="localization",
)
plots.show_parts(localized, "localization")

# %% [markdown]
# **With frequent places, naming every known place is better than naming null on dense data, and far worse on sparse data.** In an hour out a cab visits about eleven squares. ALL names every square in which the cab was ever seen, so it has many hits. On the cabs its error is therefore smaller than that of always null, which has no hits while a cab is out. With this prior it is still larger than the errors of MAX_ROI and MAX_USER. On the flights, ALL also names airports in the hours in which the flight is at null. With frequent places it names the same airports in every hour, and null almost never, so it misses nearly all hours at null. It therefore has the largest error of all: 0.956 for flights by number and 0.989 for aircraft.
#
# If the prior depends on the time, fewer places have a positive prior in each hour, so ALL names fewer wrong places. It also answers null in every hour in which the prior has no airport. Under the hour-of-week prior, ALL has a smaller error than always null on the flights by number, 0.058 against 0.068.
#
# In Sec. 4.3.1 the paper gives a similar reason for the small error of POP on London's fare cards (the TFL dataset): this "occurs due to the fact that the TFL dataset is relatively sparse". With the three priors of this chapter, the paper measures the loss of MAX_ROI and MAX_USER relative to ALL. The one exception is the cabs with the hour-of-week prior, for which its baseline is POP. (It compares BAYES followed by POP with POP. With the paper's priors that simply copy a past week, day or hour, the baseline is the prior itself.) Does MAX_ROI improve on ALL? For the cabs we read the paired comparison from the stored results. A positive difference means that MAX_ROI has the smaller error:

# %% tags=["hide-input"]
where = cab_pairs.query("goal == 'localization' and prior == other")
where = where.query("first == 'ALL' and second == 'MAX_ROI'")
where = where.set_index("prior").loc[list(crowd.SELECTED_PRIORS)]
where = crowd.with_interval(where, "error").rename(index=figures.WORDS)
where = where.rename(columns={"error": "ALL minus MAX_ROI"})
plots.show_table(figures.with_decimals(where), "localization-paired")

# %% [markdown]
# On the cabs, MAX_ROI improves on ALL only with frequent places, a prior that contains no information about time. Under the hour-of-day prior the comparison is inconclusive, and under the hour-of-week prior MAX_ROI is worse. The paper reports the same for the hour-of-week prior, with which "ALL proves to be the best strategy" on the cabs (Sec. 4.3.1). It also notes that, with frequent places, POP takes all cabs to be "outside the network" and commuters to be "out of the transportation system". In our terms POP is then the rule *always null*. On both datasets of flights, MAX_ROI has a smaller error than ALL with every prior, as the tables above show. We did not compare these errors in pairs.
#
# (crowd-when)=
# ## At which hours do the counts help? (optional)
#
# A mean over the week hides when the counts help. The paper's Fig. 6 therefore follows the error through the week. We repeat this analysis with the prior that the paper uses there, the hour-of-day prior. To make the figure readable, we average over the five working days and, separately, over Saturday and Sunday. The axis shows local time in the attacked week: UTC-7 in San Francisco, UTC-4 in New York. Because San Francisco's clocks did not change in the weeks of the data, an hour on the attacker's clock corresponds to the same local hour in every week of the cab data.

# %% mystnb={"figure": {"name": "fig-crowd-hours", "caption": "Error of the prior alone minus that of three attackers in each hour of an average working day (left) and of an average day of the weekend (right), by local time, without intervals (the tables have some). Above the dotted line an attacker has a smaller error than the prior alone. On the cabs, BAYES gains in every hour, most in the early morning, when always null gains even more. Always null loses in every hour from eleven in the morning to midnight on working days, most from six to nine in the evening, and at weekends from ten in the evening to two at night. For the flights by number, BAYES nearly coincides with always null: in the daytime it mostly loses on working days and gains at weekends. For the aircraft, all three gain in every hour, and BAYES never more than always null. Only every fourth hour of a curve has a mark. Each dataset has its own scale."}, "image": {"alt": "Three rows of two panels, Monday to Friday on the left and Saturday and Sunday on the right, with a line each for always null, MAX_USER and BAYES over the 24 hours of a day. Cabs: BAYES just above zero all day, with a peak in the early morning; always null and MAX_USER with peaks about twice as high, and on working days near or below zero from noon on. Flights by number: three similar lines, mostly below zero in the daytime on the left and above zero on the right. Aircraft: three lines above zero, nearly alike on both sides, always null the highest."}} tags=["hide-input"]
hourly = figures.beside_stored(crowd.hours.stored("cabspotting"), crowd.hours(weeks))
shaded = {"weekday 12-16h": "noon to four, working days"}
shaded |= {"all nights 0-5h": "midnight to five"}
figures.show_hour_gains(hourly, shaded)

# %% [markdown]
# For parts of the week, the tables give the error of the prior alone minus the attacker's error, with 95% intervals. A negative number means that the attacker is worse than the prior alone.

# %% tags=["hide-input"]
parts = figures.beside_stored(crowd.parts.stored("cabspotting"), crowd.parts(weeks))
plots.show_parts(figures.hours_table(parts), "hours")

# %% [markdown]
# **In the afternoon and the early evening of a working day, when about four in five cabs are out, BAYES helps only a little.** It reduces the error of the prior alone by 0.017 [0.016, 0.018] from noon to four, and by 0.020 [0.019, 0.022] from five to eight. In both periods always null has a larger error than the prior alone. How many cabs are out? The error of always null is 0.833 times the share of hours out, [as explained above](crowd-gains):

# %%
cab_hours = crowd.hours.stored("cabspotting")
working_days = cab_hours[cab_hours["hour"] < 5 * 24]
hour_of_day = working_days["hour"].mod(24)
for period, its_hours in {"noon to four": (12, 16), "five to eight": (17, 20)}.items():
    in_period = hour_of_day.isin(range(*its_hours))
    null_error = working_days.loc[in_period, crowd.NULL].mean()
    print(f"always null, working days, {period}: error {null_error:.2f}", end=", ")
    print(f"share out {null_error / np.sqrt(np.log(2)):.0%}")

# %% [markdown]
# About 79% of the cabs are out from noon to four, and 81% from five to eight. In the hours out of the whole week, BAYES reduces the error of this prior by 0.015, as [the comparison cab by cab](crowd-this-cab) has shown. We did not compute this number separately for these two periods. For the morning the table does not decide whether BAYES or always null is better. At night always null is better: it reduces the error of the prior alone by 0.185, and BAYES reduces it by 0.079.
#
# For the flights by number, BAYES is worse than the prior alone in the daytime of working days, and better in the daytime of weekends and at night. Why does the day of the week matter? The hour-of-day prior does not distinguish working days from weekends. For the hours from 7 to 20, local time, the table compares the share of flights that were at an airport (*truly*) with the probability that the prior alone and BAYES give to all airports together:

# %% tags=["hide-input"]
at_airport = {}
for name, week in weeks.items():
    local = week.truth.epochs + pd.Timedelta(hours=crowd.UTC_OFFSET.get(name, 0))
    daytime, weekend = local.hour.isin(range(7, 20)), local.day_of_week >= 5
    of_day = week.prior("ROI_DAY")
    stated_by = {"the prior alone": of_day, "BAYES": loc.bayes(of_day, week.counts)}
    for part, when in {"working days": ~weekend, "weekend": weekend}.items():
        share = {"truly": crowd.without_null(week.truth).rois_per_epoch() > 0}
        for who, profile in stated_by.items():
            given = profile.toarray()  # users x places x hours; null is the last place
            share[who] = 1 - given[:, -1] / given.sum(axis=1)
        means_of_part = {who: x[:, daytime & when].mean() for who, x in share.items()}
        at_airport[figures.plain_name(name), f"{part}, 7-20h"] = means_of_part
at_airport = pd.DataFrame(at_airport).T.rename_axis(["data", "part"])
plots.show_table(at_airport.round(3), "at-airport")

# %% [markdown]
# BAYES gives the airports almost no probability, so on the flights by number it is nearly the rule *always null*. On working days it thereby loses what the prior knows about the airports. At weekends fewer flights operate: the share of flights at an airport is 0.076, against 0.102 on working days. But this prior does not distinguish the days, and it was learned mostly on working days, so it expects 0.091 at weekends, too. That is too much. This agrees with the tables above, where always null has a smaller error than the prior alone at weekends. The total alone does not settle the matter, however. For the aircraft the prior gives the airports slightly too little probability on working days, and yet always null has a smaller error than the prior alone, probably because the prior does not know which aircraft are out.
#
# For the aircraft, BAYES has a smaller error than the prior alone in all parts of the week. The error of always null is smaller still, except at night, when the two reductions agree to three decimals.
#
# What does the paper say? For the cabs it says that the counts harm privacy "more during mid-day time slots", in which BAYES and MAX_USER reduce the error significantly. We read this as "more from noon to four than in the morning", the two periods that the paper compares just before. To check this, we compare the two periods cab by cab, on working days. For each cab we take the gain over the prior alone from seven to ten in the morning, and subtract the gain from noon to four. A positive difference means that the attacker gains more in the morning:

# %% tags=["hide-input"]
morning_minus_noon = crowd.parts.stored("cabspotting").query(
    "clock == 'local' and part == 'weekday 7-10h' and less == 'weekday 12-16h'"
)
for who in ("BAYES", "MAX_USER", crowd.NULL):
    ((mean, low, high),) = crowd.with_interval(morning_minus_noon, who).to_numpy()
    print(f"{figures.WORDS[who]}: {mean:.3f} [{low:.3f}, {high:.3f}]")

# %% [markdown]
# By San Francisco's clock, the opposite of the paper's statement is true of both attacks: both gain significantly more in the morning, BAYES by 0.006 [0.004, 0.008] and MAX_USER by 0.030 [0.018, 0.042]. Always null, which uses no counts, also gains more in the morning, by 0.031 [0.016, 0.047].
#
# The paper does not state its time zone, so the replication tried several, and {ref}`a table <crowd-hours>` shows them. With London's clock, both attacks do gain more at mid-day than in the morning, MAX_USER only slightly. So the verdict on this statement is *<a href="replication/crowd.html#claim-crowd-fig6-sfc-peak">undecided</a>*. The error of the prior alone that the paper prints for mid-day is *<a href="replication/crowd.html#claim-crowd-fig6-sfc-midday-prior">contradicted</a>*. With London's clock our error is closer to the printed one than with San Francisco's clock, but it is still too far from it.
#
# The paper also says that MAX_USER gives the attacker a remarkable advantage at weekends. In our table MAX_USER reduces the error of the prior alone by 0.090 in the daytime of weekends. But always null, which uses no counts, reduces it by nearly as much: 0.086.
#
# The paper says that London's commuters lose more privacy at mid-day and in the evening than in the morning, and more at weekends than on weekdays. We cannot check this statement, because we do not have the commuters' data, and flights are not commuters.
#
# (crowd-joint)=
# ## What if all users must fit the counts together?
#
# We return to the bet. BAYES treats each user separately. But the counts constrain all users at once: if two people were counted in the park at 18:00, exactly two of the six must be placed there. Who were these two? The table repeats the priors for the park from the [table of all priors](crowd-attacks):

# %%
plots.show_table(pd.DataFrame({"park": prior[:, park]}, six.users).T, "park")

# %% [markdown]
# On Monday only Dan and Fay were seen in the park, so their priors are the only positive ones, and any other assignment of two people to the park has a probability of 0. If the priors are right, the two people were Dan and Fay. Dan is revealed by a habit that he shares only with Fay.
#
# In general, the **joint problem** asks for the assignment of all users to places that reproduces the counts and has the largest probability. Let $x_{u,s}$ be 1 if user $u$ is assigned to place $s$, and 0 otherwise. For one hour the joint problem is
#
# $$\max_x \sum_{u,s} x_{u,s} \ln P^u_s \quad\text{subject to}\quad \sum_s x_{u,s} = 1 \text{ for each } u, \quad \sum_u x_{u,s} = A_s \text{ for each } s.$$
#
# The objective is the logarithm of the probability of the whole assignment, because we assume that users are independent before the counts are seen. We set $\ln 0 = -\infty$, so nobody is ever assigned to a place with a prior of 0. (The library first mixes each prior with a small share of the counts, so that a prior of 0 becomes positive wherever somebody was counted, [as described below](crowd-fitting).) The two conditions can hold together only if the counts add up to the number of users. For the six people they do, because everybody is in exactly one place in each hour.
#
# (crowd-exact)=
# ### The exact probabilities, by enumeration
#
# Solving the joint problem yields a single assignment. The attacker may also want the probability of each place. For Dan at nine we can compute it by hand. The counts at nine are 3 at the station, 2 in the office and 1 in the park. Dan's prior for the office is 0, so he was in the park or at the station, and both have a prior of 1/4.
#
# - *Suppose that Dan is in the park.* The other five fill the station (3) and the office (2). There are 10 ways to choose the two in the office. Every prior in question is 1/4, except Cleo's for the office, which is 1/2. So the 4 ways with Cleo in the office weigh twice as much as the other 6, and the total weight is $4 \cdot 2 + 6 = 14$.
# - *Suppose that Dan is at the station.* Then Fay must be in the park, because nobody else can be. Ada, Ben, Cleo and Eve are then the other two people at the station and the two in the office. There are 6 ways, 3 of them with Cleo in the office, and the total weight is $3 \cdot 2 + 3 = 9$.
#
# All other factors are the same in both cases, so the park has the probability $14/(14+9)$, which is above one half. BAYES prefers the station, to which it gives a probability of $3/4$. It takes into account that three people were at the station, but not who else may have been among them.
#
# For all places and hours we let the computer count. Imagine six seats: each place has one seat for each person who was counted there. The six people can sit down in $6! = 720$ orders. The probability of an order is the product of the six people's priors for the places where they sit, if the six people choose their places independently.
#
# If two people at the same place swap their seats, the order changes but the assignment does not. Each assignment therefore occurs in the same number of orders, and this number cancels when we divide. The probability that Dan was in the park is the total probability of the orders that put him there, divided by the total of all orders. The function below goes through all orders, and we call it for each of the four hours:

# %%
from itertools import permutations


def exact_probabilities(priors, now):
    """Probabilities (users x places), given the counts of one hour."""
    weight, users = np.zeros(priors.shape), range(len(priors))
    seats = np.repeat(range(len(now)), now)  # the place of each seat
    for places in permutations(seats):  # user i sits in places[i]
        weight[users, places] += priors[users, places].prod()
    return weight / weight.sum(axis=1, keepdims=True)


exact = [exact_probabilities(prior, counts[:, hour]) for hour in range(4)]
exact = np.stack(exact, axis=-1)  # users x places x hours

# %% [markdown]
# In the interactive figure you can choose an hour and change its counts. The figure then shows the probabilities that BAYES and the exact answer give to Dan's places. At 18:00, for example, take one person out of the park and add one at home. Both probabilities that Dan was in the park fall. Which falls by more percentage points, that of BAYES or the exact one?
#
# ```{raw} html
# :file: static/dan.html
# ```
#
# The code answers this question with the functions of this page:

# %%
as_counted, moved = counts[:, evening], counts[:, evening].copy()
moved[park] -= 1
moved[six.rois.index.get_loc("home")] += 1
for which, now in {"as counted": as_counted, "one person moved": moved}.items():
    by_bayes = prior[dan, park] * now[park] / (prior[dan] * now).sum()
    by_enumeration = exact_probabilities(prior, now)[dan, park]
    print(f"{which}: BAYES {by_bayes:.3f}, exact {by_enumeration:.3f}")

# %% [markdown]
# In percentage points the exact probability falls by more, by 45 (from 1 to 0.554), whereas that of BAYES falls by 20 (from 0.400 to 0.200). More important, the exact answer is no longer certain. If two people were in the park, they must have been Dan and Fay, but if one person was there, it may have been either of them. BAYES does not use this reasoning, because it never looks at the other five people.
#
# The table gives the exact probabilities of Dan's places in the four hours of Tuesday:

# %%
exact_of_dan = pd.DataFrame(exact[dan], six.rois.index, hours)
plots.show_table(exact_of_dan.round(3), "dan-exact")

# %% [markdown]
# The attacker cannot see where the six people really were. We can:

# %%
presence = tuesday.matrix.toarray().reshape(6, six.n_rois, 4)  # users x places x hours
true_places = six.rois.index.to_numpy()[presence.argmax(axis=1)]
plots.show_table(pd.DataFrame(true_places, six.users, hours), "tuesday")

# %% [markdown]
# At 18:00 Dan was in the park, and the exact answer is certain and right. So 18:00 wins the bet. The fact that you needed was that, of the other five, only Fay has a positive prior for the park. (Eve had been there at nine, but her prior does not reflect this. The answer was right because she had left.)
#
# Nine was the trap. There the exact answer gives the park a probability of 0.609, which is the $14/23$ of our calculation by hand, and the station only 0.391. But Dan was at the station, to which BAYES gives 0.75. Only Dan and Fay had been seen in the park before, yet the person who was counted there at nine was Eve, on her first visit. BAYES was closer to the truth although it ignores the other five. In this hour ignoring them was an advantage, because Eve did something that her prior excludes.
#
# At eight Dan was in the office for the first time, and the exact answer gives the office a probability of 0.
#
# **An exact answer is exact only for a given prior, and that prior may be wrong.** Neither the counts nor the prior tells the attacker when somebody will go to a place where they have never been seen.
#
# (crowd-fitting)=
# ### An approximation for many users: iterative proportional fitting
#
# For six people there are 720 orders. For a thousand people there are far too many to enumerate, so we ask for less. We look for a table of probabilities $q^u_s$ in which each user's probabilities add up to 1, and the probabilities of each place add up to its count. The exact probabilities have these two properties, but so do many other tables. Of all these tables we take the one nearest to the prior in relative entropy, $\sum_{u,s} q^u_s \ln (q^u_s / P^u_s)$. The relative entropy is the $D$ of {prf:ref}`def-crowd-profiling`, summed over the users. The nearest table is called the **maximum-entropy solution**, because if all priors are uniform, the table with the smallest relative entropy is the one with the largest entropy.
#
# The maximum-entropy solution treats users as independent and requires only that the expected counts match. The exact answer admits only assignments that reproduce the counts. So the two can differ, even for the same prior.
#
# We find the maximum-entropy solution by rescaling columns and rows in turn. This algorithm is known as *iterative proportional fitting*. The idea is simple. If the count of a place is larger than the sum of its priors, the place was fuller than expected, so we raise everybody's probability of being there by the same factor. Afterwards the probabilities of a person no longer add up to 1, so we rescale them. This disturbs the sums of the places again, so we repeat both steps.
#
# You can compute the first round by hand for Dan at 18:00, when the counts were 2 at home, 1 at the station, 1 in the office, 2 in the park, and 0 at null.
#
# 1. *Columns.* Sum the [priors of all six people](crowd-attacks) for each place. The sums are 2 for home, 3/2 for the station, 3/2 for the office, 1/2 for the park and 1/2 for null. Multiply each column by its count and divide it by its sum. For the four places where Dan was seen (home, the station, the park and null), the factors are 1, 2/3, 4 and 0. Dan's priors of 1/4 become 1/4 for home, 1/6 for the station, 1 for the park, and 0 for null.
# 2. *Rows.* Dan's four numbers add up to 17/12. Divide each of them by this sum, so that they add up to 1 again. The park gets $12/17 \approx 0.71$.
#
# The code performs both steps:

# %%
now = counts[:, evening]
factors = now / prior.sum(axis=0)  # of each column
step_1 = prior * factors  # the columns add up to the counts
step_2 = step_1 / step_1.sum(axis=1, keepdims=True)  # the rows add up to 1

fay = list(six.users).index("Fay")
print(f"park: Dan {step_2[dan, park]:.2f}, Fay {step_2[fay, park]:.2f}")

# %% [markdown]
# The table gives Dan's row after each of the two steps:

# %% tags=["hide-input"]
steps = {"sum of the priors": prior.sum(axis=0), "count": now, "factor": factors}
steps |= {"Dan's prior": prior[dan], "after step 1": step_1[dan]}
steps["after step 2"] = step_2[dan]
plots.show_table(pd.DataFrame(steps, six.rois.index).T, "first-round")

# %% [markdown]
# One round has raised the probability that Dan was in the park from 0.25 to 0.71. The same two steps give Fay a probability of $12/19 \approx 0.63$ for the park. Together the two probabilities are less than 2, the count of the park, so we repeat both steps:

# %%
q, after_rounds = prior[:, :-1], {}  # without null, where nobody was counted
for n_rounds in range(1, 1001):
    q = q * now[:-1] / q.sum(axis=0)  # columns
    q = q / q.sum(axis=1, keepdims=True)  # rows
    if n_rounds in (1, 10, 100, 1000):
        after_rounds[n_rounds] = q[dan, park], q[fay, park], q[dan, 0]
heads = ["Dan in the park", "Fay in the park", "Dan at home"]
after_rounds = pd.DataFrame.from_dict(after_rounds, orient="index", columns=heads)
plots.show_table(after_rounds.rename_axis("rounds").round(4), "rounds")

# %% [markdown]
# In the limit Dan and Fay each have a probability of 1 for the park, because nobody else has a positive prior for it. Although Dan's prior for home is positive, his probability for home must therefore shrink to 0, and it does so slowly.
#
# Why does rescaling find the nearest table? Leave out the places with a count of 0, where nobody can be. Suppose first that all other priors are positive, as they will be after the mixing described below. Give the sum of each user a multiplier $\alpha_u$ and the sum of each place a multiplier $\beta_s$. Setting the derivative of the relative entropy with respect to $q^u_s$ equal to the multipliers gives $\ln (q^u_s / P^u_s) + 1 = \alpha_u + \beta_s$. So the nearest table has the form $q^u_s = P^u_s a_u b_s$, with one factor $a_u = e^{\alpha_u - 1}$ for each user and one factor $b_s = e^{\beta_s}$ for each place.
#
# Conversely, once all rows and columns of a table of this form have the required sums, the table is the nearest one ({ref}`an exercise <crowd-nearest>` has a proof). Rescaling rows and columns never leaves this form. In general the rows and columns have the required sums only in the limit of many rounds. {cite:t}`csiszar1975` proves that the rounds converge to a table of this form. The limit is therefore the nearest table.
#
# If some priors are 0, the limit may lose this form, because some probabilities whose prior is positive may shrink to 0, as Dan's probability for home did above. If some table with the required sums has a finite relative entropy, the rounds still converge to the nearest table, by the same theorem.
#
# People also go to places where they were never seen. Before the first round we therefore replace a small share of each prior (`mix`, 5%) by the distribution of the whole population in the attacked hour, taken from the counts. With this *mixed prior* the other four people may have been in the park, too, and Dan's probability stays below 1. At eight, when one of the six people was counted in the office, Dan's prior for it rises from 0 to $0.05 \cdot 1/6 = 1/120$. The mixed prior uses the counts a second time, in addition to the condition on the sums, but only with a weight of 5%. The function `fit` forms the mixed prior and then runs the rounds. It treats null like any other place. If nobody was counted at null, the factor of null is 0.


# %%
def fit(priors, now, rounds=200):
    """Probabilities (users x places) whose columns nearly add up to an hour's counts.

    They add up exactly only in the limit of many rounds, because the last step of a
    round makes the rows add up to 1.
    """
    q = (1 - mix) * priors + mix * now / now.sum()
    for _ in range(rounds):
        total = q.sum(axis=0)
        q = q * np.divide(now, total, out=np.zeros(len(now)), where=total > 0)
        q = q / q.sum(axis=1, keepdims=True)  # each user is in one place
    return q


fitted = np.stack([fit(prior, counts[:, hour]) for hour in range(4)], axis=-1)
by_library = loc.max_entropy(known, counts, mix).toarray()
print("same as the library:", np.allclose(fitted, by_library))

# %% [markdown]
# The joint problem itself, finding the most likely assignment, is an **assignment problem**. It is also a *transportation problem* of linear programming: each user is one unit of a good, each place receives one unit for each user who was counted there, and the cost of sending user $u$ to place $s$ is $-\ln P^u_s$. The library solves this problem exactly, even for a thousand users.
#
# Both library functions use the mixed prior, but the enumeration above used the prior without mixing. We therefore repeat the enumeration with the mixed prior. How much probability does each method give to Dan's true place?

# %%
profiles = {
    "BAYES": loc.bayes(known, counts),
    "max entropy": loc.max_entropy(known, counts, mix),
    "most likely": loc.most_likely(known, counts, mix),
}
mixed = (1 - mix) * prior[:, :, None] + mix * counts / counts.sum(axis=0)
exact_mixed = [exact_probabilities(mixed[:, :, h], counts[:, h]) for h in range(4)]
of_methods = {name: profile.toarray([dan])[0] for name, profile in profiles.items()}
of_methods["exact, mixed prior"] = np.stack(exact_mixed, axis=-1)[dan]
of_methods["exact"] = exact[dan]
joint_for_true_place = {name: b[where_dan, range(4)] for name, b in of_methods.items()}

# %% tags=["hide-input"]
joint_for_true_place = pd.DataFrame(joint_for_true_place, index=his_hours).T
plots.show_table(joint_for_true_place.round(3), "dan-joint")

# %% [markdown]
# Three rows of the table use the mixed prior: *max entropy*, *most likely* and *exact, mixed prior*. At 18:00 the mixing alone lowers the exact probability from 1 to 0.877. The maximum-entropy solution gives only 0.782, because it requires only that the expected counts match.
#
# **Without mixing, the exact probability of Dan's true place is 1 at 18:00 and 0 at eight.** Both numbers are exact, and both follow from the same prior. Yet the first answer is right, and the second could not be more wrong. The mixed prior allows for a first visit, but even with it the exact probability of Dan's true place at eight is only 0.004.
#
# The row *most likely* contains only zeros and ones, because the library returns a single assignment. But is this assignment the only one with the largest probability? We count the assignments that share the largest probability, and those among them that put Dan at his true place:


# %%
def most_likely_assignments(priors, now):
    """All assignments (a place for each user) that have the largest probability."""
    seats = np.repeat(range(len(now)), now).tolist()
    users = range(len(priors))
    chance = {a: priors[users, a].prod() for a in set(permutations(seats))}
    return [a for a in chance if np.isclose(chance[a], max(chance.values()))]


ties = {}
for h, hour in enumerate(hours):
    for name, its_prior in {"prior": prior, "mixed prior": mixed[:, :, h]}.items():
        best = most_likely_assignments(its_prior, counts[:, h])
        ties[f"most likely assignments, {name}", hour] = len(best)
        is_right = [each[dan] == where_dan[h] for each in best]
        ties[f"Dan at his true place, {name}", hour] = sum(is_right)
plots.show_table(pd.Series(ties).unstack(sort=False), "dan-ties")

# %% [markdown]
# The prior and the mixed prior give the same numbers. **Only at 18:00 is the most likely assignment unique.** At eight there are two, and neither puts Dan in the office. At nine o'clock, seven assignments share the largest probability, and three of them put Dan at his true place. At noon six of eight do. In both hours the library returns an assignment that puts him elsewhere, so the zeros at nine and at noon depend on which assignment the library happens to return, and say little about the method.
#
# (crowd-brier)=
# ### Cabs: what if the joint problem has no solution?
#
# For the cabs the joint problem has no solution, because a cab is counted in several squares. Its conditions must therefore be weakened, or *relaxed*. The choice of the relaxation decides whether the maximum-entropy solution has the best score of all or a worse score than the prior alone. We score the answers of all attackers in every seventh hour of the attacked week, with the hour-of-day prior. The **Brier score** is the squared difference between the attacker's probability and the truth, summed over places. On average it is smallest for an attacker who states the true probabilities. If a cab is in eleven squares in an hour, its true distribution gives each of them 1/11, as in the definition of the profiling error. An attacker who knows the eleven squares has the score 0 in this hour. The rule *always null* has the score $1 + 11 \cdot (1/11)^2 = 12/11$ in such an hour.
#
# Dan at nine, who was at the station, is an example. BAYES gives a probability of 3/4 to the station and 1/4 to the park, so its Brier score is $(1 - 3/4)^2 + (0 - 1/4)^2 = 1/8$. The prior alone, with 1/4 for each of four places, has the score $(3/4)^2 + 3 \cdot (1/4)^2 = 3/4$. The assignment that the library returns is one of seven equally likely ones, and it puts Dan in the park. Its score is $1 + 1 = 2$, the largest possible one. The Brier score is one line of code:


# %%
def brier(stated, true):
    """Brier score; the places are on the last axis but one."""
    return ((stated - true) ** 2).sum(axis=-2)


true = tuesday.trace("Dan")  # places x hours, 0 or 1
compared_at_nine = {
    "BAYES": of_methods["BAYES"],
    "the prior alone": prior_alone,
    "most likely": of_methods["most likely"],
}
for who, belief in compared_at_nine.items():
    print(f"{who}, at nine: {brier(belief, true)[1]:.3f}")

# %% [markdown]
# Why exactly does the joint problem have no solution for the cabs? It requires that each user is in exactly *one* place, so the counts must add up to the number of users. But a cab is counted in every square that it visits in the hour. How much larger is the sum of the counts than the number of cabs? We estimate the ratio from two numbers given above, the share of hours out (in the attacked week) and the mean number of squares in an hour out (over all three weeks):

# %%
squares = density.loc["cabspotting", "places per hour out"]
share_at_null = 1 - share_of_out
per_cab = share_at_null + share_of_out * squares  # at null a cab is counted once
print(f"counts divided by cabs: about {per_cab:.1f}")
of_counts = share_at_null / per_cab
print(f"null: {share_at_null:.0%} of the hours, {of_counts:.0%} of all counts")

# %% [markdown]
# The counts add up to nearly eight times the number of cabs, so no assignment with one place for each cab reproduces them. The library therefore solves two *relaxed* problems:
#
# - **Max entropy** replaces each count by its share of all counts. The probability of each place, averaged over the cabs, must equal this share. What does this do to the probability of null? The two percentages printed above are a clue.
# - **Most likely** gives each cab *at least* one place. It still maximizes the sum of $x_{u,s} \ln P^u_s$ and reproduces the counts, now with $\sum_s x_{u,s} \ge 1$. On average a cab is assigned nearly eight squares, and, as for MAX_USER, we give each of them the same probability.
#
# The table gives the mean Brier score of each answer, with 95% intervals over cabs. Smaller scores are better:

# %% tags=["hide-input"]
computed = crowd.joint.source("cabspotting").split(", ")[-1]
print("cabs: every seventh hour,", computed)
dense = figures.joint_scores_table(crowd.joint.stored("cabspotting"), "ROI_DAY")
plots.show_table(dense, "joint-cabs")

# %% [markdown]
# The score of always null is larger than 12/11 times the share of hours out. The reason is that its score in an hour with $n$ squares is $1 + 1/n$, and many hours have fewer than eleven squares.
#
# BAYES has the best score, and the maximum-entropy solution scores worse than the prior alone. The most likely assignment has nearly the same score as MAX_ROI, which also names places.
#
# Why does the maximum-entropy solution score so badly? We suspect the relaxation. A cab that is out is counted in many squares, and a cab at null is counted only once. So null has only about 4% of all counts ([as in the small example](crowd-null-share)), although a cab is at null in 31% of the hours. The relaxed condition forces the average probability of null down to these few percent. But the attacker knows better. A cab at null is nowhere else, so the count of null, divided by the number of cabs, is the exact share of the cabs at null.
#
# To test this explanation, we keep the count of null and rescale the counts of all squares so that all counts together add up to the number of cabs. With $n$ cabs, the count $c_s$ of a square becomes $c_s\, (n - c_\text{null}) / \sum_{s'} c_{s'}$, where the sum is over all squares.
#
# A small example shows the counts before and after this rescaling. Of four cabs, two are at null, and each of the other two visits the same three squares. The counts are therefore 2 in each of the three squares and 2 at null:

# %%
n_cabs, of_squares, n_at_null = 4, np.array([2, 2, 2]), 2
share_of_counts = n_at_null / (of_squares.sum() + n_at_null)
share_of_cabs = n_at_null / n_cabs
print(f"null: {share_of_counts:.2f} of the counts, {share_of_cabs:.2f} of the cabs")
rescaled = of_squares * (n_cabs - n_at_null) / of_squares.sum()
print("squares:", *rescaled.round(2), f"and null {n_at_null}", end=", ")
print(f"together {rescaled.sum() + n_at_null:.0f}")

# %% [markdown]
# Half of the cabs are at null, but null has only a quarter of the counts. After the rescaling the counts add up to 4, the number of cabs, and half of them are at null, as they should be.
#
# For the real cabs we rescale the counts in this way and fit the maximum-entropy solution to them again. For a fairer comparison we also give BAYES the rescaled counts. In the table of stored results, *null kept* marks the two answers that use the rescaled counts. The second row is a rule without counts, which we explain in [the next part](crowd-null-by-hours):

# %% tags=["hide-input"]
from lib.papers.aggregation_privacy import joint_experiments

kept_null = joint_experiments.joint_with_null.stored("cabspotting")
kept = figures.null_kept_table(kept_null, "ROI_DAY")
by_hours = ["in hours out", "in hours at null"]
plots.show_table(kept.drop(columns=by_hours), "joint-null-kept")

# %% [markdown]
# *The score is the mean Brier score over the hours, with 95% intervals computed from the variation between cabs. The last column is the answer's score minus that of *max entropy, null kept*, compared cab by cab. It was computed before rounding. The last line gives the true share of the cabs at null.*
#
# The row *max entropy* shows the fault. The library's maximum-entropy solution gives null a mean probability of only 0.050, although the true share of the cabs at null is 0.305. If we use the true number of cabs at null, the mean probability of null is right. **With the count of null kept, the maximum-entropy solution has the best score in the table, and it is better than BAYES with the same counts.** So its bad score in the previous table comes mainly from the small probability that this relaxation gives null.
#
# BAYES with the same counts gives null too much probability, 0.420. This may be because a product favours one large place, null, over many small squares. {ref}`An exercise <crowd-twice>` shows how multiplying by the counts can give a place too much probability.
#
# In which hours does the maximum-entropy solution gain from keeping the count of null? The table splits the scores:

# %% tags=["hide-input"]
plots.show_table(kept.drop(index="truth")[by_hours], "joint-null-hours")

# %% [markdown]
# Keeping the count of null improves the score of max entropy in the hours at null from 0.858 to 0.346. In the hours out it makes the score worse, 0.214 instead of 0.138. This is also worse than the score of the prior alone, 0.157. In the hours out only one answer in the table has a better score than the prior alone: the library's maximum-entropy solution, which gives null too little probability.
#
# **In the hours out, BAYES has a slightly smaller profiling error than the prior alone, but a worse mean Brier score.** The first result, [shown above](crowd-this-cab), uses all hours out, three priors and paired intervals. The second uses only every seventh hour: the score of BAYES is 0.181, and that of the prior alone 0.157. With frequent places, too, BAYES has the worse score in these hours, as the last table of [the next part](crowd-null-by-hours) shows.
#
# Why do the two scores disagree? A likely reason is that the Brier score adds up *squared* probabilities. A large probability for one wrong place then costs much more than the same probability divided among many wrong places. BAYES gives null a larger probability than the prior alone does (0.185 against 0.121, averaged over all hours), and in an hour out null is wrong. So whether BAYES helps in the hours out seems to depend on the score.
#
# ```{note}
# We looked for the reason only after we had seen the scores, and we did not try another relaxation of the problem of the most likely assignment. Not all answers use the same prior: max entropy and the most likely assignment use the mixed prior, and BAYES the prior itself.
#
# For three comparisons we have no paired interval: the differences in the hours out and in the hours at null, the difference between the most likely assignment and MAX_ROI on the cabs, and the differences between BAYES and the rule without counts. So we cannot say whether they are significant. For the hour-of-week prior we have no Brier scores on the cabs.
#
# The mean probability of null under max entropy, 0.050, is larger than the share of 4% that null has of all counts. The reason is probably that it is a mean of the shares of single hours: a quiet hour, in which null has a larger share, weighs as much as a busy one.
# ```
#
# (crowd-null-by-hours)=
# #### How much of this gain needs no counts? (optional)
#
# Could the attacker have corrected the probability of null without any counts of the attacked week? The prior gives null only 0.121, because it [counts visits rather than hours](crowd-null-share). The rule in the second row of the [table of scores](crowd-brier), *the prior, null by hours*, makes this correction with data from the weeks before. It gives null its share of the observed *hours* (at the same hour of the day), and divides the rest among the squares as the prior does. **This rule uses no counts, and with the hour-of-day prior it has a better score than BAYES.**
#
# The maximum-entropy solution with null kept is still better than this rule, but only by 0.009 [0.006, 0.011]. Its advantage comes from the hours out, and in the hours at null the rule without counts is better. This is small compared with its gain over the prior alone, which is 0.062. An attacker could therefore have had most of this gain without counts, by repairing the prior.
#
# The stored results also have frequent places as the prior:

# %% tags=["hide-input"]
kept_frequent = figures.null_kept_table(kept_null, "FREQ_ROI").drop(index="truth")
plots.show_table(kept_frequent.drop(columns=by_hours), "joint-null-kept-frequent")
plots.show_table(kept_frequent[by_hours], "joint-null-hours-frequent")

# %% [markdown]
# With this prior, too, the maximum-entropy solution with null kept has the best score, but the rule without counts is farther behind, by 0.027, and achieves only about 70% of the gain over the prior alone. Its mean score, 0.290, lies between those of BAYES with the original counts, 0.315, and of BAYES with null kept, 0.285. The rule without counts and BAYES with null kept are so close that we cannot order them without a paired interval.
#
# (crowd-joint-flights)=
# ### Flights: does the joint problem beat MAX_ROI?
#
# The most likely assignment solves the joint problem exactly, whereas MAX_ROI is a *greedy* rule that fills each place separately. On the flights the exact solution nevertheless has no measurable advantage over MAX_ROI, and for the aircraft its score is worse. The maximum-entropy solution does improve on the prior alone. No condition needs to be relaxed here. We score the answers in every fourteenth hour (`joint_every`), which gives twelve hours of the week. In these hours no flight is at two airports, so the counts add up to the number of flights. The code computes all answers and the truth, and checks these sums:

# %%
scored = np.arange(5, inference, joint_every)  # hours
small = {name: week for name, week in weeks.items() if week.truth.n_users <= 2000}
answers, truths = {}, {}
for name, week in small.items():  # more users would take minutes
    of_hours, seen = week.prior("ROI_DAY").select(scored), week.counts[:, scored]
    answers[name] = {
        "always null": crowd.null_profile(of_hours),
        "the prior alone": of_hours,
        "likeliest place": loc.popular(of_hours, delta),
        "BAYES": loc.bayes(of_hours, seen),
        "MAX_ROI": loc.max_roi(of_hours, seen),
        "MAX_USER": loc.max_user(of_hours, seen),
        "max entropy": loc.max_entropy(of_hours, seen, mix),
        "most likely": loc.most_likely(of_hours, seen, mix),
    }
    places = week.truth.select(epochs=scored).matrix.toarray()
    places = places.reshape(week.truth.n_users, -1, len(scored))
    truths[name] = places / places.sum(axis=1, keepdims=True)
    add_up = (seen.sum(axis=0) == week.truth.n_users).all()
    print(f"{figures.plain_name(name)}: in every hour the counts add up:", add_up)

# %% [markdown]
# For each flight we average the Brier score over the twelve hours. The table gives the means over the flights, with 95% intervals:


# %%
def mean_and_interval(values, digits):
    """The mean over users and its 95% interval, as text."""
    mean, (low, high) = values.mean(), metrics.mean_interval(values)
    return f"{mean:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


scores, means = {}, {}
for name, by_attacker in answers.items():
    for who, answer in by_attacker.items():
        score = brier(spread(answer), truths[name]).mean(axis=1)  # one number a flight
        scores[name, who] = score
        means[who, figures.plain_name(name)] = mean_and_interval(score, 3)
figures.show_joint(means, "joint")

# %% [markdown]
# All answers concern the same flights in the same hours, so we can compare them in pairs. For each flight the code subtracts the second attacker's score from the first one's. A positive number means that the second attacker is better:

# %%
comparisons = [
    ("the prior alone", "BAYES"),
    ("the prior alone", "max entropy"),
    ("likeliest place", "max entropy"),
    ("likeliest place", "MAX_ROI"),
    ("most likely", "MAX_ROI"),
]
gaps = {
    (name, f"{first} minus {second}"): scores[name, first] - scores[name, second]
    for name in small
    for first, second in comparisons
}  # one number a flight

# %% mystnb={"figure": {"name": "fig-crowd-joint-paired", "caption": "Differences of Brier scores on the flights, with 95% intervals over flights and the values at the right; both panels have the same scale. To the right of the dotted line the second attacker of the pair has the better score. For the flights by number, BAYES scores far worse than the prior alone, and fitting all users together (max entropy) scores better. The comparison of the most likely assignment with MAX_ROI (the last pair) is inconclusive, because its interval includes 0. For the aircraft the first three differences are almost 0, and MAX_ROI is worse than the likeliest place, but better than the most likely assignment."}, "image": {"alt": "Two panels with five pairs of attackers and the value of each difference at the right. Flights by number: the prior alone minus BAYES is at minus 0.08, the next two differences lie right of zero at about 0.006, likeliest place minus MAX_ROI is at 0.018, and most likely minus MAX_ROI is so close to zero that its interval touches the line. Aircraft: the first three are at zero, the fourth is at minus 0.04, the fifth at 0.03."}} tags=["hide-input"]
figures.show_gaps(
    gaps, "difference of Brier scores (right of 0: the second attacker is better)"
)

# %% tags=["hide-input"]
differences = {
    (pair, figures.plain_name(name)): mean_and_interval(gap, 4)
    for (name, pair), gap in gaps.items()
}
figures.show_joint(differences, "joint-paired")

# %% [markdown]
# **For the flights by number, fitting all users together improves on the prior alone, but the most likely assignment is not measurably better than MAX_ROI.** There the maximum-entropy solution has a smaller score than the prior alone and than the likeliest place. (For the aircraft its advantage over the prior alone is also significant, but tiny: 0.0004 [0.0001, 0.0007].) BAYES scores worse than the prior alone for the flights by number, by 0.0795 [0.0732, 0.0858], probably because it treats the counts as independent evidence about each user ({ref}`an exercise <crowd-twice>`). For the aircraft the comparison of BAYES with the prior alone is inconclusive: the difference is 0.0001 [-0.0010, 0.0012].
#
# On the flights by number the comparison of MAX_ROI with the most likely assignment is inconclusive: the difference is 0.0017 [-0.0001, 0.0036]. Compared with the likeliest place, MAX_ROI has a better score for the flights by number, by 0.0176 [0.0134, 0.0217], but a worse one for the aircraft, by 0.0402. In some hours MAX_ROI names both an airport and null for the same user. On the whole this improves its score. [An optional part](crowd-double) studies these answers.
#
# #### Why do MAX_ROI and the most likely assignment score better than max entropy? (optional)
#
# For the flights by number, MAX_ROI and the most likely assignment have better scores than the maximum-entropy solution. Both name places, whereas it states probabilities. (Naming places is not in itself an advantage: the likeliest place and MAX_USER, which also name places, have worse scores than max entropy.) Is the maximum-entropy solution too cautious? The Brier score rewards stated probabilities that agree with the truth, so we check whether they do. A case is a flight, an hour and an airport. We collect all cases in which an attacker's probability lies in a given range, and compute the share of these cases in which the flight was at the airport:

# %% tags=["hide-input"]
calibration = {}
for name in list(small)[:1]:  # the first dataset
    for who in ("the prior alone", "max entropy"):
        given, true_shares = spread(answers[name][who]), truths[name]
        for low, high in [(0.25, 0.5), (0.5, 0.75), (0.75, 1)]:
            here = (given[:, :-1] > low) & (given[:, :-1] <= high)  # null is last
            if here.any():
                share_right = true_shares[:, :-1][here].mean()
                mean_given = given[:, :-1][here].mean()
                row = here.sum(), f"{mean_given:.3f}", f"{share_right:.3f}"
                calibration[who, f"{low} to {high}"] = row
measured = ["cases", "mean probability", "share right"]
figures.show_joint(calibration, "joint-calibration", measured)

# %% [markdown]
# If an attacker's probabilities were right, the last two columns would agree. Consider the cases in which the maximum-entropy solution gives the airport a probability between 0.5 and 0.75. In 94% of these cases the flight was there. For probabilities between 0.25 and 0.5, with a mean of 0.341, the flight was there in only 25% of the cases. So the solution's probabilities are too cautious: too small for likely airports, and too large for unlikely ones. Those of the prior alone are too cautious as well.
#
# How much of the Brier score is due to this caution? We divide the interval from 0 to 1 into ten ranges. We replace each stated probability by the share of cases in its range in which the flight was at the place. Here a case is a flight, an hour and a *place*, null included:


# %%
def corrected(given, true):
    """Replace each probability by the share of cases in its tenth that were right."""
    tenth, result = np.minimum(np.floor(10 * given), 9), given.copy()
    for each in np.unique(tenth):
        result[tenth == each] = true[tenth == each].mean()
    return result


for name in list(small)[:1]:  # the first dataset
    for who in ("the prior alone", "max entropy"):
        given, true_shares = spread(answers[name][who]), truths[name]
        better = brier(corrected(given, true_shares), true_shares).mean()
        print(f"{who}: {scores[name, who].mean():.4f}, corrected {better:.4f}")

# %% [markdown]
# The score of the maximum-entropy solution falls from 0.0323 to 0.0236, close to that of the most likely assignment. Probabilities that are too cautious can account for most of the difference between the maximum-entropy solution and these two attackers. No attacker could make this correction, because it uses the truth of the same week.
#
# The caution may come from the prior, which was learned from one week that lies almost entirely before the change of clocks, and from two weeks after it. Even if the counts show which timetable applies, the maximum-entropy solution still assigns some probability to the old hour.
#
# (crowd-visits)=
# ### How many visits does each attacker find?
#
# A Brier score does not say how many people were located. We return to the flights in every fourteenth hour of the attacked week, twelve hours in all, with the hour-of-day prior. (In the code, `answers` has what each attacker says, and `truths` has where the flights were.) Four attackers name places instead of stating probabilities: the likeliest place, MAX_ROI, MAX_USER and the most likely assignment. For these attackers we count the *hits*, the visits that they assign to the right place. If an attacker names the right airport and null as well, this counts as a hit. The table gives the share of all visits that are hits; hours at null do not count as visits.
#
# The last two rows of the table compare two attacks with the likeliest place: they give the hits of the attack minus those of the likeliest place, divided by all visits.


# %%
def hits_and_visits(profile, true):
    """Each user's visits that are assigned to the right place, and all visits."""
    real, assigned = true[:, :-1] > 0, profile.toarray()[:, :-1]  # null is last
    return (real * assigned).sum(axis=(1, 2)), real.sum(axis=(1, 2))


def share_with_interval(hits, visits):
    """Share of all visits that are hits, with a 95% interval."""
    if not visits.any():
        return "no visit in these hours"
    share = hits.mean() / visits.mean()
    d = (hits - share * visits) / visits.mean()  # one number a flight
    low, high = metrics.mean_interval(share + d)
    return f"{share:.2f} [{low:.2f}, {high:.2f}]"


shares = {}
for name, by_attacker in answers.items():
    data, hits = figures.plain_name(name), {}
    for who in ("likeliest place", "MAX_ROI", "MAX_USER", "most likely"):
        hits[who], n_true = hits_and_visits(by_attacker[who], truths[name])
        shares[who, data] = share_with_interval(hits[who], n_true)
    for who in ("MAX_ROI", "most likely"):
        more = hits[who] - hits["likeliest place"]
        key = f"{who} minus likeliest place", data
        shares[key] = share_with_interval(more, n_true)
figures.show_joint(shares, "joint-found")

# %% [markdown]
# **For the flights by number, MAX_ROI and the most likely assignment both find about nine visits in ten, in the twelve hours that we scored. But the likeliest place, which uses no counts, already finds 79% of them. Of the visits of the aircraft, MAX_ROI, MAX_USER and the most likely assignment each find only about one in twenty.**
#
# For the flights by number, the counts add about one visit in eight. For MAX_ROI the difference from the likeliest place is 0.12 [0.09, 0.14]. MAX_USER finds fewer visits than the likeliest place. All four attackers use the hour-of-day prior. Part of the gain may therefore come from the change of clocks, which the attacker could have known without counts.
#
# ````{admonition} How the intervals of the shares are computed
# :class: dropdown
# Let $h_u$ be the number of hits and $v_u$ the number of visits of flight $u$, and let $\bar h$ and $\bar v$ be their means. The share is $\hat\rho = \bar h / \bar v$. Because it is a ratio of two means, we use the interval of a *ratio estimate*. For each flight, let $d_u = (h_u - \hat\rho\, v_u) / \bar v$. These numbers have mean 0. We compute the usual 95% interval for the mean of $\hat\rho + d_u$ over the flights. For example, suppose that two flights have 2 and 0 hits in 2 and 1 visits. Then $\hat\rho = 2/3$ and $\bar v = 3/2$, so $d_u$ is $(2 - 4/3)/(3/2) = 4/9$ for the first flight and $-4/9$ for the second. In the last two rows of the table, $h_u$ is the number of hits of the attack minus that of the likeliest place.
# ````
#
# ```{note}
# The intervals treat flights as independent, although one assignment couples all of them. For the aircraft, the shares found by MAX_ROI, MAX_USER and the most likely assignment are 0.04 to 0.05. The interval of MAX_USER is the widest and extends from 0.02 to 0.07. All differences were computed before rounding.
# ```
#
# (crowd-double)=
# #### Why does MAX_ROI score better than the most likely assignment? (optional)
#
# For the aircraft the most likely assignment has the worst Brier score of all, and MAX_ROI the second worst. Both must give each counted visit to some aircraft, and both nearly always choose the wrong one. Why does MAX_ROI score better? It treats null like any other place, so it may assign the same user to an airport and to null in the same hour. We count these *double answers*. Then we delete null from them and compute the score again. The code prints the mean difference between the new score of MAX_ROI and the score of the most likely assignment, flight by flight, with 95% intervals:


# %%
def without_second_answer(stated):
    """Drop null wherever an airport is named, and rescale to a sum of 1."""
    one_answer = stated.copy()  # users x places x hours; null is the last place
    airport_named = one_answer[:, :-1].any(axis=1)
    one_answer[:, -1][airport_named] = 0
    return one_answer / one_answer.sum(axis=1, keepdims=True)


single = {}  # Brier score of each flight without the second answer
for name in small:
    for who in ("MAX_ROI", "most likely"):
        one_answer = without_second_answer(spread(answers[name][who]))
        single[name, who] = brier(one_answer, truths[name]).mean(axis=1)
    gap = single[name, "MAX_ROI"] - scores[name, "most likely"]
    print(f"{figures.plain_name(name)}: without the second answer", end=", ")
    print(f"MAX_ROI minus most likely is {mean_and_interval(gap, 4)}")

# %% [markdown]
# The table counts the double answers, and gives the scores with and without the second answer:

# %% tags=["hide-input"]
placed_by = {}
measures = ["placed", "placed, but truly at null", "of these, null was named too"]
measures += ["Brier score", "without the second answer"]
for name in small:
    at_null = truths[name][:, -1] == 1
    for who in ("MAX_ROI", "most likely"):
        given = answers[name][who].toarray()
        at_some = given[:, :-1].any(axis=1)  # an airport is named
        wrongly = at_some & at_null
        also_null = wrongly & (given[:, -1] > 0)
        counted = [at_some.sum(), wrongly.sum(), also_null.sum()]
        counted.append(scores[name, who].mean().round(4))
        counted.append(single[name, who].mean().round(4))
        placed_by[figures.plain_name(name), who] = counted
figures.show_joint(placed_by, "joint-placed", measures)

# %% [markdown]
# In 455 cases MAX_ROI places an aircraft at an airport although it was truly at null. The most likely assignment does so slightly more often, in 483 cases, because MAX_ROI may give several visits to the same aircraft. More importantly, in half of these 455 cases it names null as well, and thus gives a double answer. If it names one airport and null while the aircraft is at null, each gets a probability of 1/2, and the score is 1/2. If it named the airport alone, the score would be 2.
#
# If MAX_ROI did not name null wherever it names an airport, its score would be 0.1531, nearly that of the most likely assignment. It would still be smaller, by 0.0052 [0.0005, 0.0098].
#
# For the flights by number, too, MAX_ROI benefits from naming null in addition to an airport. Without these second answers its score would be 0.0241, against 0.0223 for the most likely assignment. The difference is 0.0018 [-0.0002, 0.0037], so this comparison is inconclusive, too. Neither rule is measurably better on these flights, with or without the double answers.
#
# We looked for the double answers only after we had seen the scores, so this explanation was not tested on other data.
#
# (crowd-limits)=
# ## What do these results not show?
#
# - *One week.* We attacked a single week of each dataset. The clocks changed during the weeks in which the attacker observed the flights, and part of the largest gain rests on this change.
# - *Dependent users.* All intervals treat users as independent, although one table of counts links them. They may therefore understate the uncertainty.
# - *No commuters.* The records are those of cabs, flights and aircraft. London's fare cards are not public, and nothing here was measured on commuters.
# - *Explanations after the fact.* We looked at the tenths of the cabs, at other thresholds, at the count of null in the relaxed problem and at double answers only after we had seen the results. None of these explanations was tested on other data.
# - *A published count of null.* On the cabs it does not follow from the other counts. We did not run the attacks without it.
# - *Answers without a place.* The paper does not say what they mean, and we interpret them as null. MAX_USER often assigns a cab to no square, so our results for MAX_USER on the cabs rest on this reading. We try another one only on the flights ({ref}`an exercise <crowd-unplaced>`).
# - *Few hours for the Brier scores.* The Brier scores of the cabs use every seventh hour, and those of the flights only twelve hours of the week, like the shares of visits found. We have no intervals for the differences of Brier scores in the hours out.
#
# (crowd-found)=
# ## What the paper found
#
# [The replication](replication/crowd.ipynb) compares every number and statement of the paper with ours and gives each of them a verdict, which we print in italics. [The scoreboard](scoreboard.md) defines the verdicts.
#
# - The paper attacks the cabs with frequent places as the prior. It finds that BAYES has a smaller error than the prior alone, that MAX_USER has the smallest error, and that MAX_ROI has a larger error than the prior alone. The replication treats these three findings as one claim. With our attacks on the paper's own cab data it is *<a href="replication/crowd.html#claim-crowd-fig1-maxroi-hurts-sfc">supported</a>*.
# - The mean error that the paper prints for MAX_ROI with frequent places, 0.71, is *<a href="replication/crowd.html#claim-crowd-fig1-sfc-prof-max-roi-freq-roi-err">contradicted</a>*: ours is 0.689. The paper does not say whether MAX_ROI may assign a cab to null, and the printed number fits an attack that never does. {ref}`The replication <crowd-conventions>` tries both versions.
# - The paper also finds that commuters lose more privacy than cabs. This is *<a href="replication/crowd.html#claim-crowd-fig1-tfl-over-sfc">not tested</a>*, because London's fare cards are not public. On a synthetic surrogate of the fare cards, calibrated to the published statistics, our results agree with this finding, as the row of the same claim in the replication shows. We also use flights by number in place of commuters, and aircraft in place of cabs. Then the answer depends on the prior and the attack. With frequent places as prior and BAYES as attack, the aircraft lose more. With the hour-of-day prior and MAX_ROI as attack, the flights by number lose more. [The full table of the flights](crowd-all-flights) and {ref}`the replication <crowd-regularity>` have the numbers.
# - This chapter uses three of the paper's eight priors. Of the others, one predicts that each user repeats the places of the preceding week, and another that each user repeats those of the preceding day. For most days the preceding day lies within the attacked week, so the latter prior uses places that the attacker wants to infer. The profiling errors that the paper prints for these two priors on cabs are *<a href="replication/crowd.html#claim-crowd-fig13-sfc-prof-prior-last-week-err">contradicted</a>*.
#
# (crowd-takeaways)=
# ## Take-aways
#
# | data | question | our answer |
# |---|---|---|
# | six people | In which hour do the counts reveal where Dan is? | at 18:00, if the priors are right |
# | cabs | Do the attacks help in the hours out? | BAYES has a slightly smaller profiling error than the prior alone, but a larger mean Brier score (in every seventh hour, without an interval); MAX_ROI and MAX_USER have larger profiling errors |
# | flights by number | Do the counts add to a good prior? | to the hour-of-day prior, yes; to the hour-of-week prior, no |
# | aircraft | Does anything beat always null? | no attack has a smaller mean profiling error; MAX_ROI, MAX_USER and the most likely assignment find about one visit in twenty, and always null finds none |
#
# The bet of the first section is won by 18:00. Two people were counted in the park, and on Monday only Dan and Fay had been seen there. To know this, you need the priors of the other five. The counts do not contain these priors, and BAYES does not use them. At eight and at nine even the exact answer prefers a wrong place, because Dan and Eve went to places where they had never been seen.
#
# - Compare every attack with rules that ignore the counts. On the cabs, always null has almost the same error as the strongest attack. On the flights, no attack with frequent places as prior beats always null.
# - The privacy loss compares an attack with the prior alone. If the prior alone is a poor attacker, a large loss proves little.
# - Look at the hours in which people are out. On the flights, with frequent places as the prior, BAYES gives null nearly the same probability in a user's hours out as in the empty hours, because the counts push every user towards null in every hour. On the cabs, the profiling error of BAYES in the hours out is slightly smaller than that of the prior alone, but its mean Brier score is worse, a difference for which we have no interval. Compared with *the counts alone*, its profiling error is hardly smaller, and under one of the three priors it is larger. Check whether a conclusion survives a change of the score.
# - Compare the errors of two attackers in pairs, user by user.
# - In our one clear case the counts helped because they answered a question that the prior left open: which timetable applies to the flights by number. How much they helped depends on the rule without counts that we compare with. A better prior may be worth more than the counts. On the cabs, the hour-of-day prior has a better Brier score than BAYES once its probability of null is set to the share of past days on which the cab was at null in the same hour. The maximum-entropy solution, which uses the counts, is then better by only 0.009.
# - Counts constrain all users at once, so a small count can reveal people with a rare habit. The joint problem can be solved exactly, but its answer is only as good as the prior. If users are counted in several places at once, the problem must be relaxed, and the choice of the relaxation matters.
# - Next: [noise as a defense](crowd_defenses.ipynb). Related: [was Dan counted at all?](knock_knock.ipynb), and
#   [how much can *any* attacker learn?](fano.ipynb)
#
# ## Exercises
#
# ```{exercise} Fay's evening (★, 5 minutes)
# :label: crowd-fay
# What probabilities does BAYES give to Fay's places at 18:00, and what are the exact ones? Now suppose that on Monday Eve had been in the park in the hour in which she was at null. How probable is it then that Dan was in the park at 18:00: 1, 2/3, or something else? Predict the answer first, and then check it with `exact_probabilities`.
# ```

# %% [markdown]
# ````{solution-start} crowd-fay
# :class: dropdown
# ````

# %%
fays = prior[fay] * counts[:, evening]
of_fay = {"BAYES": fays / fays.sum(), "exact": exact[fay][:, evening]}
plots.show_table(pd.DataFrame(of_fay, six.rois.index).round(3), "fay")

changed = prior.copy()
changed[list(six.users).index("Eve")] = [0.25, 0.25, 0.25, 0.25, 0]  # the park for null
in_park = exact_probabilities(changed, counts[:, evening])[:, park]
plots.show_table(pd.DataFrame({"park": in_park}, six.users).T.round(3), "fay-eve")

# %% [markdown]
# *Learned:* what a count says about one person depends on who else could have been counted. With three candidates for two visits, the attacker is no longer certain of anybody. The three probabilities add up to 2, but they are not equal. Dan's is above 2/3, and those of Eve and Fay are below. Eve and Fay might have been in the office at that hour, but Dan had never been there, so the park is more likely for him.
#
# ````{solution-end}
# ````
#
# ```{exercise} A tie at noon (★, on paper, 10 minutes)
# :label: crowd-tie
# The counts at noon are 1 at home, 1 at the station, 3 in the office, 0 in the park and 1 at null. Use the [priors of all six people](crowd-attacks) to list the assignments with the largest probability. In how many of them is Dan at null?
# ```

# %% [markdown]
# ````{solution-start} crowd-tie
# :class: dropdown
# ````
#
# Every positive prior is 1/4 or 1/2, so the most likely assignments use a prior of 1/2 for the largest possible number of people. Cleo has a prior of 1/2 for the office. Ada and Ben each have 1/2 for home, but only one person was counted there. So Cleo is in the office, and either Ada or Ben is at home. The four others have 1/4 each, and the probability of the assignment is $(1/2)^2 (1/4)^4 = 1/1024$.
#
# Suppose that Ada is at home. Ben, Dan, Eve and Fay must fill the station, two places in the office, and null. Only Dan and Eve have a positive prior for null, and Dan has none for the office.
#
# - If Dan is at null, one of Ben, Eve and Fay is at the station, and the other two are in the office. These are three assignments.
# - If Eve is at null, Dan must be at the station, and Ben and Fay are in the office. This is one assignment.
#
# By symmetry there are four more assignments with Ben at home. Of the eight assignments, six put Dan at null.

# %%
tied = most_likely_assignments(prior, counts[:, 2])
null_place = list(six.rois.index).index("null")
n_dan = sum(each[dan] == null_place for each in tied)
print(f"{len(tied)} assignments, Dan at null in {n_dan}")

# %% [markdown]
# *Learned:* a most likely assignment may be one of many. If several are equally likely, a program that returns only one of them hides the others.
#
# ````{solution-end}
# ````
#
# ```{exercise} Where null breaks even (★, 10 minutes)
# :label: crowd-nothing
# On Tuesday Dan was out at eight, at nine and at 18:00, and at null at noon. The prior alone, with 1/4 for home, the station, the park and null, has a mean error of 0.671 for his day. Predict first whether always null has a smaller one, and then compute it. Now suppose that Dan is observed for many hours, and that he is always at one of the four places where he was on Monday (home, the station, the park or null). For which share of hours out do the two rules have the same error? Does this agree with your result for Tuesday?
#
# On the cabs, BAYES has a mean error of 0.622 with frequent places, and 0.627 in the hours out. Always null has a mean error of 0.576. The cabs are out in 69% of the hours. Suppose that they were out more often, and that the errors of BAYES in the two kinds of hours stayed the same. In which share of the hours would the cabs have to be out before BAYES had a smaller error than always null? Predict this share, and then compute it.
# (Hint: the two parts of the error are in [the split of the gains](crowd-gains).)
# ```

# %% [markdown]
# ````{solution-start} crowd-nothing
# :class: dropdown
# ````
#
# On Tuesday always null has the errors 0.833 at eight, nine and 18:00, and 0 at noon. The mean is $\tfrac34 \sqrt{\ln 2} \approx 0.624$, which is smaller than 0.671.
#
# If Dan is always at one of his four places, the prior alone gives the true place a probability of 1/4 in every hour, so its error is 0.617 in every hour. Always null has the error $0.833\, \pi$ if he is out in a share $\pi$ of the hours. The two are equal for $\pi = 0.617/0.833 = 0.74$. On Tuesday he was out in 75% of the hours, slightly more than that, and yet always null is better. The reason is his first visit to the office at eight. In this hour the prior alone has the error 0.833 instead of 0.617. If he had been at home instead, the prior alone would have been slightly better.
#
# For the cabs we first compute the error of BAYES in the hours at null, $e_\text{null} = (e - \pi\, e_\text{out})/(1 - \pi)$. Then we solve $0.833\, \pi = \pi\, e_\text{out} + (1 - \pi)\, e_\text{null}$ for $\pi$:

# %%
largest = np.sqrt(np.log(2))  # error of always null in an hour out
print(f"Dan: Tuesday {3 / 4 * largest:.3f}", end=", ")
print(f"break-even {error_at_one_place(1 / 4) / largest:.2f}")
e_all, e_out = over_all["FREQ_ROI", "BAYES"], over_out["FREQ_ROI", "BAYES"]
e_null = (e_all - share_of_out * e_out) / (1 - share_of_out)
print(f"BAYES on the cabs: hours out {e_out:.3f}, hours at null {e_null:.3f}", end=", ")
print(f"break-even {e_null / (largest - e_out + e_null):.2f}")

# %% [markdown]
# The cabs would have to be out in 75% of the hours instead of 69%. The error of BAYES in the hours at null (0.608) is nearly as large as in the hours out, whereas always null makes no error in the hours at null. (This is approximate, because it multiplies means.)
#
# *Learned:* the error of always null depends only on how often users are out. If a paper states this number, you can compute what always null would have achieved, and how far an attack is from breaking even with this rule.
#
# ````{solution-end}
# ````
#
# ```{exercise} Where does MAX_ROI lose? (★, on paper, 5 minutes)
# :label: crowd-split
# On the cabs, with frequent places, the prior alone has a mean error of 0.657 over all hours and 0.647 over the hours out. For MAX_ROI the two errors are 0.689 and 0.712. The cabs are out in 69% of the hours. Split the difference between the prior alone and MAX_ROI into the part from the hours out and the part from the hours at null. Does the second part show that MAX_ROI learned from the counts which cabs rest?
# ```

# %% [markdown]
# ````{solution-start} crowd-split
# :class: dropdown
# ````
#
# The total is $0.657 - 0.689$. The part from the hours out is $0.69 \cdot (0.647 - 0.712)$, and the rest comes from the hours at null:

# %%
total, from_out, from_null = split_of_gain("FREQ_ROI", "MAX_ROI")
print(f"total {total:.3f} = {from_out:.3f} from hours out", end=" ")
print(f"+ {from_null:.3f} from hours at null")

# %% [markdown]
# MAX_ROI loses 0.045 in the hours out and gains 0.014 in the hours at null. (The parts were rounded after the subtraction.) The gain does not show that it learned which cabs rest. An attacker who answers null more often, for whichever cabs and without any counts, has the same pattern: in {numref}`fig-crowd-split`, always null gains far more in the hours at null.
#
# *Learned:* a difference of two mean errors can hide two parts with opposite signs. Before you explain a gain or a loss, find out in which hours it arises.
#
# ````{solution-end}
# ````
#
# ```{exercise} A loss in the abstract of a paper (★, 5 minutes)
# :label: crowd-critique
# A paper reports a mean privacy loss of 0.717 for an attack. It also says that the prior alone has a mean error of 0.157, and that the users are at null in 95.2% of the hours. It does not report the error of any rule that ignores the counts. What is the approximate loss of always null? What do you conclude about the attack, and what would you ask the authors for?
# (Hint: always null has an error of 0.833 in every hour out, and of 0 in every hour at null.)
# ```

# %% [markdown]
# ````{solution-start} crowd-critique
# :class: dropdown
# ````
#
# Always null has the error $\sqrt{\ln 2}$ in the hours out, which are 4.8% of all hours, and 0 in the others:

# %%
null_hours, of_prior = 0.952, 0.157
null_error = np.sqrt(np.log(2)) * (1 - null_hours)
print(f"{null_hours:.1%} at null, {1 - null_hours:.1%} out")
print(
    f"always null: error {null_error:.3f}, loss about {1 - null_error / of_prior:.2f}"
)

# %% [markdown]
# Always null, which uses no counts, has a loss of about 0.75, which is larger than that of the attack. The reported loss is therefore no evidence that the counts helped, and it may only show that the prior alone is a poor attacker. (The result is approximate, because it divides two means, whereas the definition averages the losses of the users. The numbers are those of BAYES for the aircraft, with frequent places as the prior. [The full table](crowd-all-flights) has the mean of the users' losses under always null, which is slightly larger than our estimate.) We would ask the authors for the error of always null and of the likeliest place, and for the errors in the hours out.
#
# *Learned:* the error of the prior alone and the share of hours at null are enough to estimate the loss of always null. Compute it before you judge any reported loss.
#
# ````{solution-end}
# ````
#
# ```{exercise} What BAYES counts twice (★, 10 minutes)
# :label: crowd-twice
# A hundred users have the same prior, 0.6 for null and 0.4 for the station. The counts are 60 at null and 40 at the station, exactly as expected, so the attacker has learned nothing. What probabilities do BAYES and the maximum-entropy solution give?
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
# *Learned:* counts that confirm the prior should change nothing. The maximum-entropy solution leaves the prior as it is, but BAYES raises the probability of null. BAYES multiplies the prior by the counts, as if the counts were independent evidence about *this* user. But the priors already predict these counts, so BAYES uses the same information twice.
#
# ````{solution-end}
# ````
#
# ```{exercise} One round for noon (★, on paper, 10 minutes)
# :label: crowd-round
# At noon one person was counted at null, and Dan and Eve are the only two with a positive prior for it, 1/4 each. Dan has the same prior for home, the station and the park. Eve has the same prior for home, the station and the office. The counts at noon are 1 at home, 1 at the station, 3 in the office and 0 in the park. To which of the two will iterative proportional fitting give the larger probability of null, and why? Predict first, and then compute the first round by hand. (The sums of the priors are the same as [at 18:00](crowd-fitting): 2 for home, 3/2 for the station, 3/2 for the office, 1/2 for the park and 1/2 for null.) Compare your result with the assignments of {ref}`crowd-tie`.
# ```

# %% [markdown]
# ````{solution-start} crowd-round
# :class: dropdown
# ````
#
# The factors of the columns are 1/2 for home, 2/3 for the station, 2 for the office, 0 for the park and 2 for null. Dan's four priors of 1/4 become 1/8, 1/6, 0 and 1/2, with the sum 19/24. Eve's become 1/8, 1/6, 1/2 and 1/2, with the sum 31/24. After the rows are rescaled, null has the probability 12/19 for Dan and 12/31 for Eve:

# %%
columns_fit = prior * counts[:, 2] / prior.sum(axis=0)  # the counts at noon
rows_fit = columns_fit / columns_fit.sum(axis=1, keepdims=True)
eve = list(six.users).index("Eve")
for name, user in {"Dan": dan, "Eve": eve}.items():
    print(f"{name} at null after one round: {rows_fit[user, -1]:.3f}")
print(f"exact: Dan {exact[dan, -1, 2]:.3f}, Eve {exact[eve, -1, 2]:.3f}")

# %% [markdown]
# *Learned:* equal priors for a place do not imply equal probabilities once the counts are known. What matters is which alternatives are left. The park, one of Dan's places, is empty, whereas the office, one of Eve's, is full. So the one person at null is more probably Dan. This agrees with {ref}`crowd-tie`, where Dan is at null in six of the eight most likely assignments. One round of rescaling leads to the same conclusion, although it does not consider whole assignments.
#
# ````{solution-end}
# ````
#
# ```{exercise} A repair of MAX_USER (★★, 15 minutes)
# :label: crowd-repair
# Change MAX_USER so that it gives each user at most one place: the one with the largest prior among the places whose count is not yet used up. What does the new attack answer for the six people at 18:00? On the first dataset of flights, under the hour-of-day prior, does it have a smaller error than MAX_USER and than the likeliest place? How much of its gain over MAX_USER needs no counts?
# (Hints: for `known = next(iter(weeks.values())).prior("ROI_DAY")`, `known.reports` is the number of visits of each user, and `known.select([t]).toarray()[:, :, 0]` has the prior of hour `t`, users by places. `loc.from_array` turns an array of users, places and hours into an answer that `loc.profiling_error` accepts.)
# ```

# %% [markdown]
# ````{solution-start} crowd-repair
# :class: dropdown
# ````


# %%
def one_place_each(priors, now, order):
    """MAX_USER with at most one place for each user: users x places, 0 or 1."""
    left, named = now.copy(), np.zeros(priors.shape)
    for user in order:
        free = np.where(left > 0, priors[user], 0)  # the count is not yet used up
        place = free.argmax()
        if free[place] > 0:
            named[user, place] = 1
            left[place] -= 1
    named[:, -1] += named.sum(axis=1) == 0  # without a place: null
    return named


repaired = one_place_each(prior, counts[:, evening], order).argmax(axis=1)
print(dict(zip(six.users.tolist(), six.rois.index[repaired], strict=True)))

# %% [markdown]
# For the flights we repeat this in each hour, beside a rule without counts that names the place with the largest prior:

# %%
most_first = np.argsort(-day_prior.reports, kind="stable")
one_place, largest = [], []
for t in range(inference):
    its_prior = day_prior.select([t]).toarray()[:, :, 0]  # users x places
    one_place.append(one_place_each(its_prior, numbered_week.counts[:, t], most_first))
    largest.append(np.eye(its_prior.shape[1])[its_prior.argmax(axis=1)])
one_place, largest = np.stack(one_place, axis=-1), np.stack(largest, axis=-1)
e_repaired, e_largest = (
    loc.profiling_error(loc.from_array(named), numbered_week.truth)
    for named in (one_place, largest)
)

with_day = errors[numbered, "ROI_DAY"]
compared_with = {
    figures.WORDS["MAX_USER"]: with_day["MAX_USER"],
    "repaired": e_repaired,
    "largest prior, no counts": e_largest,
    figures.WORDS[crowd.LIKELIEST]: with_day[crowd.LIKELIEST],
}
minus = {"error minus repaired": e_repaired, "error minus largest prior": e_largest}
in_pairs = {
    who: {"error": f"{error.mean():.4f}"}
    | {head: mean_and_interval(error - base, 4) for head, base in minus.items()}
    for who, error in compared_with.items()
}
plots.show_table(pd.DataFrame(in_pairs).T, "repaired")
agree = (one_place == largest).all(axis=1).mean()
print(f"repaired and largest prior give the same answer in {agree:.1%} of the cases")

# %% [markdown]
# At 18:00 the repaired attack puts Dan in the park, and Ada only at home. But it puts Fay at the station, the first of her places whose count is not yet used up, so only one of the two people in the park is found. None of the places for which Eve has a positive prior is left, so she is taken to be at null, where nobody was counted.
#
# *Learned:* the repair removes most of the error of MAX_USER on the flights, 0.0395 of 0.0549. The error of the repaired attack is even smaller than that of the likeliest place, by 0.0012 [0.0006, 0.0019]. But hardly any of the gain over MAX_USER is due to the counts. A rule that simply names the place with the largest prior, and uses no counts, gives the same answer in 99.4% of all cases. The rule achieves nearly all of this gain, 0.0386, and its error is larger than that of the repaired attack by only 0.0008 [0.0002, 0.0015]. An attack that becomes much better may still owe its success to the prior.
#
# ````{solution-end}
# ````
#
# ```{exercise} A user without a place (★★, 10 minutes)
# :label: crowd-unplaced
# We interpret an answer without a place as null. Another reading is possible: the attacker learns nothing about this user and keeps the prior. Score MAX_USER on the first dataset of flights under this reading, with frequent places and with the hour-of-day prior. How much of its advantage over the prior alone is left? Predict first for which of the two priors the reading matters more.
# (Hints: `loc.max_user(known, week.counts).toarray()` is 0 at all places for a user without a place, and `loc.from_array` turns probabilities of users, places and hours into an answer that `loc.profiling_error` accepts.)
# ```

# %% [markdown]
# ````{solution-start} crowd-unplaced
# :class: dropdown
# ````

# %%
by_reading = {}
for kind in ("FREQ_ROI", "ROI_DAY"):
    known_before = numbered_week.prior(kind)
    assigned_to = loc.max_user(known_before, numbered_week.counts).toarray()
    unplaced = assigned_to.sum(axis=1, keepdims=True) == 0  # users x 1 x hours
    prior_kept = np.where(unplaced, known_before.toarray(), assigned_to)
    prior_kept = loc.from_array(prior_kept / prior_kept.sum(axis=1, keepdims=True))
    of_prior = errors[numbered, kind]["PRIOR"]
    by_reading[figures.WORDS[kind]] = {
        "without a place": f"{unplaced.mean():.1%}",
        "prior minus MAX_USER, read as null": mean_and_interval(
            of_prior - errors[numbered, kind]["MAX_USER"], 4
        ),
        "prior minus MAX_USER, prior kept": mean_and_interval(
            of_prior - loc.profiling_error(prior_kept, numbered_week.truth), 4
        ),
    }
plots.show_table(pd.DataFrame(by_reading).T, "unplaced")

# %% [markdown]
# With frequent places nearly all of the advantage is left, 0.1103 of 0.1166. With the hour-of-day prior most of it disappears: 0.0010 of 0.0033 is left, and the interval of the rest includes 0. On the flights MAX_USER assigns most users to null by the count of null itself, and only about 7% of the answers have no place. On the cabs the less active half is hardly ever placed in a square, so there the reading may matter far more. The stored results cannot show how much.
#
# *Learned:* a detail that a paper leaves open may decide whether an attack succeeds. Score an attack under each plausible reading before you rely on its success.
#
# ````{solution-end}
# ````
#
# ```{exercise} An attacker who forgets the first week (★★, 15 minutes)
# :label: crowd-clocks
# New York's clocks changed on the last day of the first week. Suppose that the attacker does not use that week. On the first dataset, by how much does MAX_ROI then reduce the error of the likeliest place, under the hour-of-day prior and under the hour-of-week prior? On which days does it reduce this error? Predict first whether the gain on working days will grow or shrink.
# (Hints: `name, week = next(iter(weeks.items()))` gives the first dataset. `week.traces.select(epochs=slice(168, None))` drops its first week. `crowd.ObservedWeek(traces, inference)` makes a new week from the rest. `crowd.gain_by_day(week, name, delta)` gives the amount by which MAX_ROI improves on the likeliest place under the hour-of-day prior, split by kind of day. The parts add up to the gain over the whole week.)
# ```

# %% [markdown]
# ````{solution-start} crowd-clocks
# :class: dropdown
# ````

# %%
name, week = next(iter(weeks.items()))
forgotten = min(168, week.traces.n_epochs - inference - 168)
later = week.traces.select(epochs=slice(forgotten, None))
later = crowd.ObservedWeek(later, inference)
for kind in crowd.SELECTED_PRIORS[1:]:
    by_attacker = every_error(later, kind)
    gain = by_attacker[crowd.LIKELIEST] - by_attacker["MAX_ROI"]
    low, high = metrics.mean_interval(gain)
    rule = by_attacker[crowd.LIKELIEST].mean()
    print(f"{figures.WORDS[kind]}: likeliest place {rule:.4f}", end=", minus MAX_ROI ")
    print(f"{gain.mean():.4f} [{low:.4f}, {high:.4f}]", end=", ")
    print(f"which is {low / rule:.0%} to {high / rule:.0%} of the first number")
whole, without = (crowd.gain_by_day(each, name, delta) for each in (week, later))
pd.concat({"all weeks": whole, "without the first": without}, axis=1).round(4)

# %% [markdown]
# *Learned:* under the hour-of-day prior the counts add less than before, 0.0046 instead of 0.0073. If all weeks are used, working days contribute 0.0062 of the gain of 0.0073. On these days the counts show that the clocks have changed, which the attacker could have known without them. Without the first week, most of the gain comes on Saturday: this single day contributes 0.0027, and the five working days together 0.0007. On Saturday the counts reveal that it is not a working day. Always ask where else the attacker could have learned the same thing.
#
# This attacker has observed each hour of the week only twice. Under the hour-of-week prior, the counts now reduce the error by 0.0006 [0.0001, 0.0011]. This is between 3% and 22% of the mean error of the likeliest place, which is small already. (These percentages treat that mean error as known, although it was estimated as well.)
#
# ````{solution-end}
# ````
#
# ```{exercise} The distance of a distribution (★★, proof, 15 minutes)
# :label: crowd-proof
# The user is at one place, and the attacker's distribution gives this place the probability $p$. Show that the Jensen-Shannon divergence, the square of the distance, is $\ln 2 - \tfrac12 (1+p) \ln (1+p) + \tfrac12 p \ln p$, however the attacker distributes the rest. For which $p$ is it 0, and what is it at $p = 0$?
# ```

# %% [markdown]
# ````{solution-start} crowd-proof
# :class: dropdown
# ````
#
# Let $L$ be the truth and $Z = (L + \hat P)/2$. At the user's place $Z = (1+p)/2$, so $D(L \| Z) = \ln \frac{2}{1+p}$. Elsewhere $Z = \hat P / 2$, so each place contributes $\hat P_s \ln 2$ to $D(\hat P \| Z)$. Together these
# places contribute $(1-p) \ln 2$, and $D(\hat P \| Z) = p \ln \frac{2p}{1+p} + (1-p) \ln 2$. Half of the sum of the two divergences is the expression above. At $p = 1$ it is $\ln 2 - \ln 2 = 0$; at $p = 0$, with $0 \ln 0 = 0$, it is $\ln 2$. Its derivative, $\tfrac12 \ln \frac{p}{1+p}$, is negative for $0 < p \le 1$. So the divergence decreases, and it is 0 only at $p = 1$.
#
# *Learned:* the profiling error does not reward being nearly right. A wrong place in the next street gives the same error as one in another town.
#
# ````{solution-end}
# ````
#
# ```{exercise} The nearest table (★★, proof, 20 minutes)
# :label: crowd-nearest
# Leave out the places with a count of 0, where nobody can be. Suppose that a table $q$ has the form $q^u_s = P^u_s a_u b_s$ with positive factors $a_u$ and $b_s$, that the probabilities of each user add up to 1, and that those of each place add up to its count. Let $r$ be any other table with the same sums. Show that $r$ is farther from the prior than $q$ in relative entropy. Why does the nearest table of the [six people](crowd-attacks) at 18:00, without mixing, not have this form?
# ```

# %% [markdown]
# ````{solution-start} crowd-nearest
# :class: dropdown
# ````
#
# If $r$ is positive where the prior is 0, its relative entropy to the prior is infinite. Otherwise
#
# $$\sum_{u,s} r^u_s \ln \frac{r^u_s}{P^u_s} = \sum_{u,s} r^u_s \ln \frac{r^u_s}{q^u_s} + \sum_{u,s} r^u_s (\ln a_u + \ln b_s).$$
#
# The last sum is $\sum_u \ln a_u + \sum_s A_s \ln b_s$, because the rows of $r$ add up to 1 and its columns to the counts. It has the same value for $q$, and the relative entropy of $q$ to the prior is exactly this value. The first sum on the right is the relative entropy of $r$ to $q$, which is positive if $r \ne q$. So $r$ is farther from the prior than $q$.
#
# At 18:00 two people were in the park, and only Dan and Fay have a positive prior for it. So every table with finite relative entropy gives each of them a probability of 1 for the park, and Dan a probability of 0 for home. But Dan's prior for home is 1/4, and with positive factors $\tfrac14 a_u b_s$ cannot be 0.
#
# *Learned:* the term that contains the factors is the same for all tables with the required row and column sums. This is why it suffices to rescale rows and columns until the sums are right: no other table with these sums is nearer to the prior.
#
# ````{solution-end}
# ````
#
# ```{exercise} An attacker who knows when (★★, 20 minutes)
# :label: crowd-gate
# *Always null* is best in empty hours, and MAX_ROI is better in the hours out. Write an attacker who chooses between the two answers. Such a rule is called a *gate*. The attacker answers null wherever the hour-of-week prior gives null a probability above one half, and uses MAX_ROI's answer elsewhere. On all datasets, compare the error of this attacker with the errors of MAX_ROI, the likeliest place and always null. Give a paired interval for the difference from MAX_ROI and from the likeliest place.
# (Hints: `loc.profiling_error_by_epoch(profile, week.truth)` is each user's error in each hour, and `known.select([t]).toarray()` has the prior of hour `t` for all users and places; null is the last place.)
# ```

# %% [markdown]
# ````{solution-start} crowd-gate
# :class: dropdown
# ````

# %%
for name, week in weeks.items():
    expects = week.prior("ROI_DAY_WEEK")
    at_null = [expects.select([t]).toarray()[:, -1, 0] for t in range(inference)]
    both_rules = loc.max_roi(expects, week.counts), crowd.null_profile(expects)
    greedy, lazy = (loc.profiling_error_by_epoch(x, week.truth) for x in both_rules)
    gated = np.where(np.stack(at_null, axis=1) > 0.5, lazy, greedy).mean(axis=1)
    rule = errors[name, "ROI_DAY_WEEK"][crowd.LIKELIEST]  # one number a flight
    print(f"{figures.plain_name(name)}: MAX_ROI {greedy.mean():.4f}", end=", ")
    print(f"gated {gated.mean():.4f}, likeliest place {rule.mean():.4f}", end=", ")
    print(f"always null {lazy.mean():.4f}")
    print(f"  likeliest place minus gated: {mean_and_interval(rule - gated, 4)}")
    print(f"  MAX_ROI minus gated: {mean_and_interval(greedy.mean(axis=1) - gated, 4)}")

# %% [markdown]
# For the flights by number the likeliest place and the gated attacker have the same error to four decimals, 0.0056. (The difference of -0.0001 was computed before rounding.) The paired comparison is inconclusive, because the interval of the difference includes 0. For the aircraft the gated attacker is significantly worse than the likeliest place.
#
# *Learned:* if MAX_ROI answers null wherever the prior expects null, it improves significantly, but on neither dataset is it measurably better than the likeliest place. For the aircraft it is worse. The improvement comes from the prior and not from the counts. Two rounded means that agree do not show whether one attacker is better. Their paired difference does.
#
# ````{solution-end}
# ````
#
# ```{exercise} One rare habit (★★, 20 minutes)
# :label: crowd-rare
# Each of $n$ users is at home with probability $1 - r$ and at the clinic with probability $r$. One more user, Gil, is at the clinic with probability 1/2, and otherwise at home. One person is counted at the clinic. For $n = 5$ and $r = 0.01$, how probable is it that this person is Gil, according to BAYES and according to the exact answer? What happens as $n$ grows?
# ```

# %% [markdown]
# ````{solution-start} crowd-rare
# :class: dropdown
# ````

# %%
for n in (5, 50, 500):
    r = 0.01
    gil = 0.5 * (1 - r) ** n
    other = n * 0.5 * r * (1 - r) ** (n - 1)
    by_bayes = 0.5 * 1 / (0.5 * 1 + 0.5 * n)
    print(f"n = {n}: exact {gil / (gil + other):.3f}, BAYES {by_bayes:.3f}")

# %% [markdown]
# The exact probability is $\frac{1-r}{1-r+nr}$. It is above 1/2 as long as $nr < 1 - r$, that is, as long as the expected number of other users at the clinic is below about one. It tends to 0 as $n$ grows. BAYES gives $\frac{1}{1+n}$, whatever $r$ is, so it ignores how rare the visits of the others are.
#
# *Learned:* all that BAYES uses about the other users is how many were counted at each place. The exact answer also takes into account which of them are likely to go there. A count of 1 at a small place reveals a person who goes there often, as long as there are not too many others who might go there once.
#
# ````{solution-end}
# ````
#
# ```{exercise} Why the greedy rule is not exact (★★, 20 minutes)
# :label: crowd-greedy
# Consider two users with different priors, and two places with one person counted at each. Try to find priors such that MAX_ROI assigns one user twice and the other never. Each user's two probabilities must add up to 1. Why is this impossible? Now add null, where nobody was counted, and find such priors. Which assignments are the most likely ones?
# ```

# %% [markdown]
# ````{solution-start} crowd-greedy
# :class: dropdown
# ````
#
# Without null this is impossible, because each user's two probabilities add up to 1. The user who is more likely to be at the first place is then less likely to be at the second, so MAX_ROI assigns each user once. With null, the second user can have the smaller prior for both places:

# %%
two = np.array([[0.5, 0.5, 0.0], [0.3, 0.3, 0.4]])[:, :, None]
once = np.array([[1], [1], [0]])  # one at each place, nobody at null
print("MAX_ROI:", loc.max_roi(two, once).toarray()[:, :, 0].tolist())
print("most likely:", loc.most_likely(two, once).toarray()[:, :, 0].tolist())
print("its probability:", two[0, 1, 0] * two[1, 0, 0])
print("the users exchanged:", two[0, 0, 0] * two[1, 1, 0])

# %% [markdown]
# Two assignments are equally likely here, with a probability of 0.15 each. They differ in which user is at which place. The library returns one of them.
#
# If the two users have the same prior, two places without null are enough, because the tie rule prefers the same user at both places:

# %%
equal = np.full((2, 2, 1), 0.5)
print("MAX_ROI:", loc.max_roi(equal, once[:2]).toarray()[:, :, 0].tolist())

# %% [markdown]
# *Learned:* MAX_ROI solves the assignment problem without the condition that each user is in exactly one place.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own counts (★★★, an evening)
# :label: crowd-project
# Run this chapter on your own records (`make run NOTEBOOK=crowd PARAMS="datasets=[my.yml]"`). The file `my.yml` describes your records. [The page on running the book](run.md) shows such a file, which is called `walkers.yml` there. For which users does an attack beat both the prior alone and the counts alone in the hours when they were out? *A good answer* meets three criteria: it shows the rules without counts beside every attack, it compares errors in pairs with intervals over users, and it explains one hour of one person from the priors and the counts.
# ```

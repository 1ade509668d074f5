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
# # Zero auxiliary knowledge: an attacker with no traces but the target's
#
# The attacker of [Knock-Knock](knock_knock.ipynb) learns from the traces of many other people. Data holders often reply that nobody outside their organisation has such traces. Guan and co-authors {cite:p}`guan2024zero` answer with an attacker who needs no other person's records, because this attacker generates synthetic traces *from the published counts themselves*.
#
# Three characters appear in this chapter. The **data holder** counts a group of people and publishes the counts. The **target** is one person, who may or may not be in that group; in the small examples she is called Ada. The **attacker** sees the published counts, knows when and where the target was, and wants to find out whether the target was counted. An attempt to find this out is called a **membership inference attack**.
#
# Our main result concerns a simpler attack than that of Guan and co-authors. A cell is one place in one hour, and *the target's cells* are the cells that the target visited. The attacker simply adds up the published counts of the target's cells. This sum needs no training and no trace except the target's. We measure success by the AUC, a number between 0 and 1 that is defined [below](zk-question); the better the attack, the higher the AUC. In nearly every setting that we tried, the AUC of the sum is higher than that of the attack with synthetic traces (ZK), or at most 0.01 lower. All of our targets are active users, with ten or more visits.
#
# The only exception is the data on real flights, released with weak noise: there the AUC of the sum is 0.09 below that of ZK. In this setting [another score that needs no training](zk-quiet) has a higher AUC than both. This score is the number of the target's **occupied cells**, the cells whose released count is positive. We compare it with three other attacks: the sum, ZK, and KK (the attack of Knock-Knock). Under every kind of noise that we tried in this comparison, the number of occupied cells has the highest AUC, or an AUC that is not significantly below the highest ([the comparison](zk-strongest)).
#
# After this chapter you will be able to
#
# - estimate from a protected release where, when and how much people move, and say how suppression and noise distort the estimate;
# - turn a release into synthetic traces, and use these traces to train an attack;
# - compare attacks on the same groups, including a baseline that involves no training;
# - judge a defense by the strongest attack against it and by how much it distorts the data.
#
# On a first reading you can skip [the protected marginals](zk-marginals-of-a-town), [ranking and deciding](zk-decides), [partial knowledge](zk-must-know), [small groups](zk-not-enough) and the [optional section](zk-corrections).
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figure to remember:* {numref}`fig-zk-prices`. *Questions for a class:* Which of these releases would you publish? What would you tell a person who was counted?
#
# *Material:* this chapter has slides with speaker's notes, which are linked at its head, and a quiz, which comes before the exercises. The lab is *Marginals, and a synthetic trace* (`make lab LAB=zero_knowledge`).
#
# *To prepare the plan below, read only* [the question](zk-question), [the six people](zk-six), [the two pairs](zk-pair-by-hand), {numref}`fig-zk-scheme`, {prf:ref}`alg-zk-trace` with {numref}`fig-zk-trace`, {prf:ref}`alg-zk-attack`, {numref}`fig-zk-decisions` with the table below it, {numref}`fig-zk-leads` with the two paragraphs in bold below it, [the section on counting occupied cells](zk-quiet) as far as the formula for [$d$](zk-d), {numref}`fig-zk-strongest`, {numref}`fig-zk-noise`, {numref}`fig-zk-prices`, and the exercises {ref}`zk-ada-or-ben`, {ref}`zk-loudest` and {ref}`zk-choose`.
#
# *Handout:* print {numref}`fig-zk-six`, {numref}`fig-zk-scheme`, {numref}`fig-zk-leads` and {numref}`fig-zk-prices` on one sheet. The two pairs go on the board.
#
# **In ninety minutes.** At the end of each part the class should be able to say the sentence in the third column. Our targets are active users, with ten or more visits, and the sentences hold for them.
#
# | minutes | topic | what the class should be able to say | where students go wrong |
# |---|---|---|---|
# | 5 | [the question](zk-question) | ZK needs no trace of any other person. | They think that ZK needs nothing at all, but it needs the target's visits. |
# | 15 | [the six people](zk-six), with {ref}`zk-ada-or-ben` on paper | Ada's visits raise the counts of her own cells, and noise hides this only in part. | They read a 0 in a protected release as proof that the target is absent. |
# | 15 | [the attack](zk-attack): 2 minutes for {numref}`fig-zk-scheme`, 1 for {numref}`fig-zk-trace`, 7 for the gradient of [two pairs](zk-pair-by-hand) on the board (not the penalty), 5 for {numref}`fig-zk-decisions` | Synthetic people come from the release itself; whatever the two groups of a pair share cancels; and a good ranking can decide badly. | They mistake the first step for the final weights, and a high AUC for a high accuracy. |
# | 15 | [the main result](zk-headline): {numref}`fig-zk-leads` | For active targets, adding up their cells is as good as ZK or better, except on the flights under weak noise. | They check whether the intervals of two AUCs overlap, instead of looking at the interval of the difference. |
# | 15 | [counting occupied cells](zk-quiet): 5 minutes for the station in {ref}`zk-loudest`, which shows why a 1 in a quiet cell is strong evidence; 5 for the table of the section; 5 for {numref}`fig-zk-strongest`. State the formula for [$d$](zk-d) and leave its derivation for home. | A score is good if the target adds much compared with its standard deviation. | They think that a cell that is not occupied proves absence. |
# | 10 | [the unit of privacy and the noise](zk-against-noise): {numref}`fig-zk-noise` | If a limit removes few of the target's visits, what conceals the target is the scale of the noise. | They compare two values of $\varepsilon$ whose units of privacy differ. |
# | 10 | [the cost of a defense](zk-defenses): {numref}`fig-zk-prices` and one of the three uses in {ref}`zk-choose`; the other two are homework | On the tweeters and the flights, a release that protects well is about as far from the true counts as a flat one, or farther, with one exception. | If a release costs as much as a flat one, they conclude that it contains no information. |
# | 5 | reserve for questions | | |
#
# *Three objections to expect.* "Everything is synthetic or follows a timetable." That is true, and no result is about real people ([data](zk-question)). "With 400 training groups a regression with thousands of weights must lose." We follow the paper, and we did not test more groups (note after the [main result](zk-headline)). "Counting occupied cells was chosen after seeing the results." For the flights under event-level noise it was confirmed on [thirty other flights](zk-quiet).
#
# Leave out [the protected marginals](zk-marginals-of-a-town), [suppression](zk-against-suppression), [ranking and deciding](zk-decides), [partial knowledge](zk-must-know), [small groups](zk-not-enough) and the section that is marked as [optional](zk-corrections). Do not run steps 1 to 5 of the attack in class. The 15 minutes for the attack assume that the class knows logistic regression. State the factor $\sqrt 3$ [of the occupied cells](zk-strongest) without deriving it.
# ````

# %% [markdown]
# (zk-question)=
# ## Who knows what?
#
# We evaluate attacks with the [membership game](kk-game). The data holder draws a group of $m$ users, which either contains the target $u^*$ or does not, and publishes the group's counts, either raw or protected. The attacker computes a score from these counts. The score should be higher if the target is in the group. We measure success by the AUC ({prf:ref}`def-auc`), the probability that a group with the target gets a higher score than a group without the target. Guessing achieves an AUC of 1/2.
#
# We compare four attacks. Two of them are trained and two are not. **KK** is the attack of Knock-Knock in the form that Guan and co-authors use in their article (from here on, *the paper*). KK is a logistic regression on the counts themselves, trained on groups of real people whose traces the attacker has. **ZK** (zero auxiliary knowledge) is the same regression, trained on groups of synthetic people. **The sum** adds up the released counts in the target's cells; it comes from [our first chapter](foundations-attack) and is not in the paper. **Occupied cells** is the number of the target's cells whose released count is positive. We explain [later](zk-quiet) why one would count them; until then we work with the other three.
#
# | what the attack uses | KK | ZK | the sum | occupied cells |
# |---|---|---|---|---|
# | the release and the target's visits | yes | yes | yes | yes |
# | the group size $m$, the defense and its parameters | yes | yes | no | no |
# | a map of the places | no | yes | no | no |
# | real traces of other people, in the same places and hours | yes | **no** | **no** | **no** |
#
# The paper assumes that every attacker *knows* the map. Only ZK *uses* it.
#
# The data on which an attack is tested matter as much as the attacker's knowledge. The paper's call records are private, and we do not have its tweets. We therefore replace both by **synthetic surrogates**, populations that were generated to reproduce statistics printed in the paper. Results on these surrogates are results about synthetic people.
#
# | name on this page | who is counted | group size |
# |---|---|---|
# | `tweeters-zk` | synthetic people, calibrated to the paper's tweets of Milan | 1,000 |
# | `callers` | synthetic people, calibrated to the paper's call records | 1,000 |
# | `flights-by-number` | real flights; each flight number counts as one user | 250 |
#
# No result of this chapter is therefore about real people. The flights, however, are real records, which no model generated. This makes them a stricter test of an attack that relies on a model, such as ZK. For ZK it is perhaps too strict a test: ZK's model describes people who move among neighbouring places, whereas a flight number links airports that may be far apart and follows a timetable.
#
# Most of the results below are stored: they were computed in advance, with 30 targets and 400 training groups. The page also computes some results while it runs, with the parameters in the next cell. You can change them and run the page again. They matter mainly in the section [*The same on your data*](zk-your-data), near the end.

# %% tags=["parameters"]
datasets = ["tweeters-zk", "flights-by-number"]  # attacked in "The same on your data"
path = ""  # of Social Pulse, if it is among these datasets
callers_users = 3000  # synthetic callers, if they are among these datasets
n_targets = 5
n_train = 200  # groups to train an attack
n_test = 100  # groups to test it, half of them with the target
ks = [1]  # largest suppressed counts in "The same on your data"
epsilons = [1.0]  # privacy budgets there
processes = 1  # targets that run at the same time
seed = 2024  # of all random numbers

# %% [markdown]
# (zk-six)=
# ## What do six people's counts give away?
#
# Ada, Ben, Cleo, Dan, Eve and Fay are counted on one Monday, in four hours and at four places. The data holder can publish the counts as they are, replace every count of 1 by 0, or add random noise:

# %%
import numpy as np
import pandas as pd
from lib.aggregation import aggregate
from lib.datasets import load
from lib.papers import figures as plots
from lib.papers.zero_knowledge import experiments, figures

plots.use_style()
six = load("six-users").select(epochs=slice(0, 4))
rng = np.random.default_rng(seed)

raw = aggregate(six, [range(6)])[0]
suppressed = np.where(raw > 1, raw, 0)
noisy = np.floor(np.clip(raw + rng.laplace(scale=1.0, size=raw.shape), 0, 6))

releases = {"raw": raw, "ones suppressed": suppressed, "noise": noisy.astype(int)}

# %% [markdown]
# The first table shows where each person was in each hour. The figure below it shows the three releases.

# %% tags=["hide-input"]
hours = [f"{stamp:%H}h" for stamp in six.epochs]
places = np.append(six.rois.index, "–")  # the last one: nowhere
traces_of_six = {}
for person in six.users:
    trace = six.trace(person)
    at = np.where(trace.any(axis=0), trace.argmax(axis=0), len(places) - 1)
    traces_of_six[person] = places[at]
traces_of_six = pd.DataFrame.from_dict(traces_of_six, "index", columns=hours)
plots.show_table(traces_of_six.rename_axis("person"), "six-traces")

# %% mystnb={"figure": {"name": "fig-zk-six", "caption": "One Monday of six people, released in three ways. Suppression empties every cell with a single visit. Noise (Laplace, of scale 1; clipped and rounded down) changes eight of the twelve cells that are not empty: it empties seven of them and turns a 1 into a 5. In this draw the empty cells stay empty. Cells without a number are 0. The colour repeats the number, on the same scale in all three panels."}, "image": {"alt": "Three matrices of counts of the six invented users, places by hours: raw, with counts of one suppressed, and with noise. Suppression empties many cells; noise empties seven and changes another."}} tags=["hide-input"]
plots.show_releases(releases, list(six.rois.index), hours)

# %% [markdown]
# ````{prf:definition} Releases (Section 2 of the paper)
# :label: def-zk-releases
# Let $A$ be the matrix of counts, with a row for each place and a column for each hour.
#
# - A *raw* release is $A$.
# - A *suppressed* release replaces every count up to $k$ by 0 (**small-count suppression**). The smallest positive count in the release is then at least $k + 1$.
# - A *noisy* release is $A + \mathrm{Lap}(\Delta/\varepsilon)$, clipped to $[0, m]$ and rounded down. Here $\mathrm{Lap}(b)$ stands for independent Laplace noise in every cell, with mean 0 and *scale* $b$: its density is $e^{-|x|/b} / (2b)$.
#
# $\Delta$ is the **sensitivity**: the largest total change in the counts that adding or removing one unit can cause. It depends on the **unit of privacy** ({prf:ref}`def-release`). For **event-level** privacy the unit is one visit, so $\Delta = 1$. For **user-day-level** privacy the unit is one user's day. The data holder first limits each user to a fixed number of visits a day, and $\Delta$ is this limit. For **user-level** privacy the unit is all of a user's visits, and $\Delta$ is the largest number of visits of any user. The number $\varepsilon$ is also called the **privacy budget**, or *budget* for short.
# ````
#
# Tables and figures call these three units `visit`, `day` and `user`. For example, `visit, ε = 1` means event-level noise with $\varepsilon = 1$. (In the rows of results, the library calls the first two `event` and `user-day`.)
#
# Clipping and rounding are **post-processing**: they use only the noisy counts, so they do not weaken the guarantee.
#
# Can an attacker tell from such a release whether Ada was counted? We form two groups of four people, which have three members in common. The fourth member is Ada in one group and Fay in the other. Then we look at the four cells that Ada visited:

# %%
ada_cells = six.trace("Ada") > 0  # home 8h and 18h, station 9h, office 12h
members = {"with Ada": [0, 2, 3, 4], "with Fay instead": [5, 2, 3, 4]}
in_ada_cells = {
    name: aggregate(six, [group])[0][ada_cells] for name, group in members.items()
}

labels = [f"{six.rois.index[s]} {six.epochs[t]:%H}h" for s, t in np.argwhere(ada_cells)]
table = pd.DataFrame.from_dict(in_ada_cells, "index", columns=labels)
of_all, above_one = table.sum(axis=1), table[table > 1].sum(axis=1).astype(int)
table["sum"], table["sum if ones are suppressed"] = of_all, above_one
plots.show_table(table.rename_axis("group"), "six-ada")

# %% [markdown]
# The sum is larger with Ada, and it remains larger if ones are suppressed. From raw counts the attacker can even be certain that Ada is absent: without her the count of her third cell (the station at 9h) is 0, which would be impossible if she had been counted. Noise conceals the difference between the groups, but not completely. We draw the noise a million times for each group and compute the AUC as defined above: the share of pairs of releases in which the group with Ada has the larger sum (a tie counts half). The code compares the first release with Ada with the first release without her, the second with the second, and so on:

# %%
draws = np.random.default_rng(seed)


def noisy_sums(true_counts, n_draws=1_000_000):
    noise = draws.laplace(scale=1.0, size=(n_draws, len(true_counts)))
    return np.floor(np.clip(true_counts + noise, 0, 4)).sum(axis=1)


with_ada = noisy_sums(in_ada_cells["with Ada"])
with_fay = noisy_sums(in_ada_cells["with Fay instead"])
wins, ties = (with_ada > with_fay).mean(), (with_ada == with_fay).mean()
print(f"AUC of the sum under noise of scale 1: {wins + ties / 2:.2f}")

# %% [markdown]
# So even under noise, a single day with four visits leaves some evidence. The target of a real attack has more visits, and the evidence adds up over them.
#
# The sum needs only the release and the target's visits. The paper's attack also needs synthetic people. It builds them from three properties of the population, which can be read from a release without knowing any individual: where people are, when they are there, and how much they move.
#
# ````{prf:definition} Three marginals (Eq. 5, 6 and 10)
# :label: def-zk-marginals
# Let $\bar A$ be the released counts of $m$ users. The **space marginal** is each place's share of all visits, $P_S(s) = \sum_t \bar A_{s,t} / \sum_{s,t} \bar A_{s,t}$. The **time marginal** $P_T(t)$ is each hour's share of all visits. The **activity marginal** $P_A$ is the distribution of the number of visits per user. Raw counts reveal only its mean, $\mu = \sum_{s,t} A_{s,t} / m$. Protected counts do not reveal even the mean, because suppression and noise change the total.
# ````
#
# From the raw counts of the six people we compute:

# %%
print("space marginal:", (raw.sum(axis=1) / raw.sum()).round(2))
print("time marginal: ", (raw.sum(axis=0) / raw.sum()).round(2))
print(f"mean number of visits: {raw.sum() / 6:.2f}")

# %% [markdown]
# Here are the space marginals of all three releases, as fractions. The last column is the released total divided by the six users. You can check each entry by adding up a row of {numref}`fig-zk-six`.

# %% tags=["hide-input"]
fractions = {}
for name, release in releases.items():
    of_places = [f"{of_place}/{release.sum()}" for of_place in release.sum(axis=1)]
    fractions[name] = [*of_places, f"{release.sum()}/6"]
titles = [*six.rois.index, "visits per user"]
plots.show_table(pd.DataFrame.from_dict(fractions, "index", columns=titles), "six")

# %% [markdown]
# Suppression removes the park from the map, because no two people were ever there at the same hour. Noise changes every share. In this draw the noise also lowers the total from 22 to 17: seven cells lose 9 visits in total, and one cell gains 4. Rounding down contributes to the loss, because on average it removes about half a visit from each count that clipping does not change.
#
# (zk-marginals-of-a-town)=
# ## What can still be read from a protected release?
#
# In the example of six people, most cells contain visits. In a town most cells are empty, and this changes the effect of suppression and noise. We now count a thousand synthetic tweeters over one week:

# %%
town = load("tweeters-zk")
by_place, by_hour = experiments.true_marginals(town)  # of the whole population

thousand = experiments.draw_group(town, seed)  # the positions of 1,000 users
of_thousand = aggregate(town, thousand)[0]
town_suppressed = np.where(of_thousand > 1, of_thousand, 0)  # k = 1
town_noise = rng.laplace(scale=1 / 0.1, size=of_thousand.shape)  # ε = 0.1
town_noisy = np.floor(np.clip(of_thousand + town_noise, 0, 1000))
print(f"{(of_thousand == 0).mean():.0%} of the cells are empty")

# %% tags=["hide-input"]
names = ["k = 1", "epsilon = 0.1"]
released = {name: experiments.released_marginals(town, name, seed) for name in names}

# %% mystnb={"figure": {"name": "fig-zk-marginals", "caption": "Suppression (k = 1) exaggerates the difference between popular and unpopular places and hours; noise (ε = 0.1, event-level) nearly removes it. Space and time marginals of the synthetic tweeters: the whole population (full line), two protected releases of a thousand users (a different draw of the noise from that in the code), and the flat marginal (dotted). The 40 most visited of the 100 places and the first two days are shown. The table below shows where the visits went."}, "image": {"alt": "Synthetic surrogate tweeters. Above, places by popularity: the suppressed release starts higher than the true curve and falls to zero, the noisy one is nearly flat, close to a dotted line at one hundredth. Below, two days: the suppressed release swings more than the true curve, the noisy one less."}} tags=["hide-input"]
figures.show_marginals((by_place, by_hour), released, "tweeters-zk", town.epochs)

# %% tags=["hide-input"]
order = np.argsort(-by_place, kind="stable")
curves = {"true": by_place, "flat": np.full(len(by_place), 1 / len(by_place))}
curves |= {name: each["empirical"]["space"][0] for name, each in released.items()}
parts = {"10 most visited": order[:10], "next 30": order[10:40], "other 60": order[40:]}
shares = {
    name.replace("epsilon", "ε"): {
        part: f"{each[at].sum():.0%}" for part, at in parts.items()
    }
    for name, each in curves.items()
}
shares = pd.DataFrame.from_dict(shares, orient="index").rename_axis("share of visits")
plots.show_table(shares, "places")

# %% [markdown]
# Suppression exaggerates the differences between popular and unpopular places, and between popular and unpopular hours, because it deletes small counts, and unpopular places and hours have hardly any large ones. (The 60 least visited places lie outside the figure, but they are in the table.) Strong noise has the opposite effect, because of the clipping at 0. In an empty cell negative noise becomes 0, whereas positive noise stays (rounded down). So on average the cell gains visits that nobody made. All empty cells gain the same on average, and this makes popular and unpopular places look alike ({ref}`zk-nobody`).
#
# The attacker knows which defense was applied and can try to correct for its effect. If counts were suppressed, the paper transforms each share $x$ by **log compression**, $x \mapsto \log(1 + x/x_{\min})$, where $x_{\min}$ is the smallest positive share (Eq. 7 and 8). This flattens an exaggerated marginal. If noise was added, the paper applies a **power transform**, $x \mapsto x^p$ (Algorithm 4). This sharpens a marginal that noise has flattened. In both cases the transformed shares are divided by their sum, so that they add up to 1 again.


# %%
def log_compress(shares):
    compressed = np.log(1 + shares / shares[shares > 0].min())
    return compressed / compressed.sum()


space = log_compress(town_suppressed.sum(axis=1) / town_suppressed.sum())
time = log_compress(town_suppressed.sum(axis=0) / town_suppressed.sum())

# %% [markdown]
# The mean number of visits per user is hidden, too, because suppression removes visits and noise adds some. The paper [searches for it](zk-algorithm-3). The search tries several values of the mean. For each value it generates synthetic users, protects their counts in the same way as the release, and compares their total with the released total. Here is the search by hand for suppression with $k = 1$. The next section shows how synthetic users are made; `mobility.synthesize` makes a thousand of them:

# %%
from lib.datasets import mobility

for mean in (3, 4, 5, 6):
    users = mobility.synthesize(space, time, [mean] * 1000, town.rois, 1000, rng)
    their_counts = aggregate(users, [range(1000)])[0]
    left = np.where(their_counts > 1, their_counts, 0).sum() / 1000
    print(f"{mean} visits per synthetic user leave {left:.1f} after suppression")

# %% [markdown]
# The library does all of this in one call. Note its convention: `SuppressSmallCounts` takes the smallest count that is *kept*, so $k = 1$ is a threshold of 2.

# %%
from lib.mechanisms import SuppressSmallCounts
from lib.membership import marginals

hiding = [SuppressSmallCounts(threshold=2)]  # k = 1
guess = marginals.estimate(town_suppressed, hiding, 1000, town.rois, rng)
assert np.allclose(guess.space, space)  # our log compression
print(f"released {town_suppressed.sum() / 1000:.1f} visits per user", end=", ")
print(f"estimated {guess.mean_visits:.1f}, true {town.visits().mean():.1f}")

# %% [markdown]
# The release shows 3.2 visits per user. Of the four means that we tried by hand, 6 leaves the closest number. The library searches more finely and finds 5.9, which is close to the true mean. So ZK now has estimates of the space and the time marginal, and of the mean of the activity marginal. An [optional section](zk-corrections) tests the corrections on five releases of this population. For suppression with $k = 1$ they bring the marginals closer to the truth; under noise the power transform does not help.
#
# (zk-trace)=
# ## How does a release become a trace?
#
# The attacker now knows roughly where, when and how much people move. The paper turns this knowledge into synthetic traces with a simple mobility model. Each synthetic user visits only a few places that lie close together, because real people mostly move between the same few nearby places, such as home and work. To define which places are neighbours, the paper connects the places by a **Delaunay triangulation**. This triangulation divides the map into triangles whose corners are the places, and it avoids thin triangles: no place lies inside the circle through the corners of a triangle. Two places are neighbours if they are corners of the same triangle. (The places of the synthetic tweeters form a square grid. There the triangulation is not unique, so the diagonals in {numref}`fig-zk-trace` are arbitrary.)
#
# ````{prf:algorithm} A synthetic trace (Algorithm 1)
# :label: alg-zk-trace
# 1. Draw an origin from the space marginal.
# 2. Grow a connected set of ten places around the origin. Add one place at a time, chosen uniformly among the places that are neighbours of the set. (The paper does not say how the next place is chosen; the uniform choice is ours.)
# 3. Draw the number of visits from the activity marginal. The attacker can estimate only its mean, so the paper uses the exponential distribution, which has no parameter except the mean.
# 4. For each visit, draw a place from the set, with probabilities proportional to the space marginal. Draw an hour from the time marginal.
# ````
#
# Each step is one or two lines:

# %%
neighbours = mobility.triangulate(town.rois)

origin = rng.choice(town.n_rois, p=guess.space)
patch = mobility.grow_subgraphs(np.array([origin]), neighbours, rng)[0]
n_visits = round(rng.exponential(guess.mean_visits))
n_visits = max(n_visits, 6)  # only here, to have something to draw
share = guess.space[patch] / guess.space[patch].sum()
where = rng.choice(patch, n_visits, p=share)
when = rng.choice(town.n_epochs, n_visits, p=guess.time)

for i in np.argsort(when):
    print(f"place {town.rois.index[where[i]]}, {town.epochs[when[i]]:%A, %H}h")

# %% mystnb={"figure": {"name": "fig-zk-trace", "caption": "The synthetic user of the cell above on the map of the synthetic tweeters. Blue dots are sized by the estimated space marginal. The orange circles and the orange square are the user's ten places; the square is the origin. The bold number at the upper right counts the user's visits (none: no visit), and the number below is the place, as in the output above. Places without a dot have an estimated share of 0 or nearly 0. All visits lie close together."}, "image": {"alt": "A ten by ten grid of places joined by a triangulation, dots sized by their share of visits; ten connected places are circled and numbered, one of them is a square that marks the origin, and bold numbers beside them count the visits."}} tags=["hide-input"]
figures.show_trace(town, guess.space, patch, where, "tweeters-zk")

# %% [markdown]
# A synthetic user has no home, no office and no habits. The place and the hour of a visit are independent, which is not true of real people. The [replication page](zk-synthetic-users) compares synthetic users with the population in detail. For this chapter only one question matters: can an attack that is trained on groups of such users recognise the target in the data holder's groups?

# %% [markdown]
# (zk-attack)=
# ## How does the attack work?
#
# This section builds ZK step by step. If you want only the result, look at {numref}`fig-zk-scheme` and go on to [the main result](zk-headline).
#
# We build ZK for one target among the synthetic tweeters, under event-level noise with $\varepsilon = 1$. As in the paper, the population is split into two parts. The data holder's groups are drawn from one part, the **pool**. The other part provides the real traces that KK may use. Targets are drawn from the **active** users, those with ten or more visits, as in the paper's experiments on Milan. From here on, every AUC refers to such targets.

# %%
people_of = {"tweeters-zk": town}
for name in ("callers", "flights-by-number"):  # 11,000 callers; a week of flights
    people_of[name] = experiments.population(name)

# %% tags=["hide-input"]
from lib.datasets import describe
from lib.papers import fitting

load_one = {"path": path, "callers_users": callers_users}
called = fitting.display_names(datasets).items()
populations = {name: experiments.population(file, **load_one) for name, file in called}
able = fitting.zero_knowledge(populations, n_targets)  # fewer where data are small
live_targets, live_sizes = experiments.to_attack(populations, able, seed=seed)
described = describe(people_of | populations)
for name, people in (people_of | populations).items():
    of_game = experiments.sizes_of(name, people)
    in_pool = people.n_users - of_game["n_reference"] - 1  # without the target
    described.loc["users in the data holder's pool", name] = f"{in_pool:,}"
    shared = of_game["group_size"] / in_pool
    described.loc["members that two groups share, on average", name] = f"{shared:.0%}"
plots.show_table(described, "data")

# %% [markdown]
# The last row shows that the pools are small: on average, two groups of tweeters or of flights have more than two fifths of their members in common. Such groups resemble one another, so their counts vary less than those of groups from a large town. For groups of $m$ users from a pool of $N$, the variance of a count is multiplied by about $1 - m/N$. Our AUCs can therefore be higher than they would be in a large town, and [a later calculation](zk-d) shows by how much in one case.
#
# The next figure shows the steps of all four attacks. ZK and KK differ only in where the traces come from: ZK generates them from the release, and KK has real ones. From there on, both do the same. They form pairs of groups, with and without the target, and a regression learns a weight for every cell. The two attacks at the right need no such training and use a fixed rule.

# %% mystnb={"figure": {"name": "fig-zk-scheme", "caption": "Four attacks, from what the attacker has (top) to a decision (bottom); arrows show what each step uses. All four attacks need the release and the target's visits. ZK (left) and KK (middle) differ only in the origin of the traces from which they learn: only KK needs real traces of other people (coloured box with a thick frame). The two attacks without training (right) need no traces of other people and no regression. All four end with a score of the release and a threshold."}, "image": {"alt": "A diagram with two boxes at the top, the release and the target's visits, and three columns below them. ZK: from the release to where, when and how much people move, then synthetic traces. KK: real traces of other people, in a coloured box. Both lead to pairs of groups, which also use the target's visits, then to a regression with a weight for every cell. Third column, no training: the target's visits lead to a fixed rule that adds up the target's cells or counts the occupied ones. The regression, the fixed rule and the release itself lead to the last box, a score of the release and a threshold."}} tags=["hide-input"]
figures.show_scheme()

# %% [markdown]
# We draw a target and run the membership game: the data holder draws a hundred groups, half of them with the target, and publishes the counts of each.

# %%
from lib.mechanisms import Laplace, PostProcess
from lib.membership import challenges

m, n_traces = 1000, 2500  # users in a group; other people whose traces KK has
active = np.flatnonzero(town.visits() >= 10)
target = np.random.default_rng(seed).choice(active, n_targets, replace=False)[0]

# event-level noise of scale 1 / ε, then clipped and rounded down
defense = [Laplace(epsilon=1.0), PostProcess("down")]
game = challenges.Challenge(
    town, target, defense, group_size=m, n_reference=n_traces, rng=rng, n_test=n_test
)
# game.members: 1 for a group with the target, 0 for one without
cells = np.flatnonzero(game.trace)  # where and when the target was
counts = game.releases_at(cells)  # released counts there, a row for each group
print(f"{len(counts)} groups of {m}, half with the target; {len(cells)} target cells;")
print(f"{len(active) / town.n_users:.0%} of the users are active")

# %% [markdown]
# ### The baseline: add up the target's cells
#
# The target raises the true count of each of the target's cells by one, compared with the same group without the target. The released counts are noisy, clipped and rounded down, but on average they, too, are larger with the target. So the simplest score is the sum of the released counts in these cells:

# %%
sums = counts.sum(axis=1)
with_target, without_target = sums[game.members == 1], sums[game.members == 0]
print(f"mean sum {with_target.mean():.1f} with the target", end=", ")
print(f"{without_target.mean():.1f} without")

# %% [markdown]
# The two means differ by only 11, although the target visited 16 cells. The main reason is clipping. Suppose that a cell has the true count $c$ without the target. If $c$ plus the noise is below 0, the target's visit is lost: even with this visit, the noisy value is below 1, so the cell is released as 0 in both cases. (In an empty cell, noise of $-0.4$ gives $-0.4$ without the visit and $0.6$ with it, so the cell is released as 0 both times. Noise of $0.4$ gives $0.4$ and $1.4$, which are released as 0 and 1.) The probability of this is $\tfrac12 e^{-c}$ for noise of scale 1. In an empty cell the visit is therefore lost half of the time. From the true counts of groups without the target, which the attacker does not see, we can compute how many of the 16 visits survive on average:

# %%
new_rng = np.random.default_rng(seed)
unprotected = challenges.Challenge(  # no defense: []
    town, target, [], group_size=m, n_reference=n_traces, rng=new_rng, n_test=n_test
)
true_counts = unprotected.releases_at(cells)[unprotected.members == 0]
not_lost = 1 - np.exp(-true_counts) / 2  # probability for each of the 16 visits
print(f"visits of the target that survive clipping: {not_lost.sum(axis=1).mean():.1f}")

# %% [markdown]
# The computed number is close to the observed difference of 11. Chance can account for the remaining difference: the groups with the target and the groups without it also differ in their other members and in their noise, and we computed the true counts on a new split of the population.
#
# The sum *ranks* groups, and a ranking is all that an AUC measures. To decide whether the target is in a given group, the attacker must also estimate what the sum would be without the target ({ref}`zk-sum-decides`).
#
# (zk-pair-by-hand)=
# ### Why pairs? Two users, two cells, by hand
#
# A regression can do more than add up counts. It can give different weights to the target's cells, and it can use other cells as well. But it has to learn these weights from groups whose counts differ for many reasons, of which the target is only one.
#
# The paper's idea is to train on **pairs** of groups. The two groups of a pair share $m - 1$ members and the random noise. The last member is the target in one group and somebody else in the other. Consider an example with two cells. Ada, the target, visited only the first cell. Ben, who takes her place in the group without her, visited only the second cell. We form two pairs. Within a pair, the other members and the noise contribute the same amounts to both groups:

# %%
ada, ben = np.array([1, 0]), np.array([0, 1])
common = np.array([[3, 5], [1, 2]])  # other members and noise: a row for each pair
ada_in, ben_in = common + ada, common + ben
print("with Ada:", ada_in.tolist(), " with Ben:", ben_in.tolist())

# %% [markdown]
# Logistic regression gives a group with counts $x$ the probability $p(x) = 1 / (1 + e^{-(w \cdot x + b)})$ of containing the target. It chooses the weights $w$ by maximising the likelihood of the labels $y$ (1 for a group with the target, 0 for a group without). The gradient of the log-likelihood with respect to $w$ is $\sum_i (y_i - p(x_i))\,x_i$. Suppose that we maximise by gradient ascent. At the start $w = 0$ and $b = 0$, so every $p(x_i)$ is 1/2, and the first step goes in the direction
#
# $$ \sum_i \bigl(y_i - \tfrac12\bigr)\, x_i = \tfrac12 \sum_{\text{pairs}} (x_{\text{with}} - x_{\text{without}}) . $$
#
# In each pair, everything that the two groups share cancels. With the numbers above, $\tfrac12 \bigl[(4,5) - (3,6) + (2,2) - (1,3)\bigr] = (1, -1)$: Ada's cell gets a positive weight and Ben's cell a negative one. Now suppose that the two groups without Ada are *independent* of the groups with Ada. We chose their counts to show what can go wrong:

# %%
independent = np.array([[5, 4], [4, 7]])  # other members, other noise
print("step on pairs:", (ada_in - ben_in).sum(axis=0) / 2)
print("step on independent groups:", (ada_in - independent).sum(axis=0) / 2)

# %% [markdown]
# With independent groups Ada's cell gets a *negative* weight, because the two groups without her happen to have larger counts in this cell. With many groups such accidents average out, and the attacker can draw more groups from the same traces. The paper uses four hundred groups.
#
# The first step does not give the final weights. The attack does not stop after one step: it continues until the weights no longer change. This fit maximises the log-likelihood minus a penalty, and the penalty is the sum of the absolute weights (step 4 below). So each unit by which a weight differs from 0 costs 1. For our two pairs the gradient at the start is $(1, -1)$. The log-likelihood is concave, so its slope only decreases on the way. If a weight moves away from 0, the log-likelihood therefore grows by at most 1 for each unit, which is no more than the penalty costs, and both weights remain 0. With a hundred copies of the two pairs the gradient is a hundred times larger. Then the penalty matters little. In this example the weights have the signs of the first step. (In general even the sign of a weight can differ from that of the first step, and the sizes of the weights depend on the penalty and on the counts in both cells.)

# %%
from sklearn.linear_model import LogisticRegression

# l1_ratio=1: the penalty is the sum of the absolute weights (scikit-learn 1.8 or newer)
fit = LogisticRegression(l1_ratio=1, solver="liblinear", random_state=seed)
for n_copies in (1, 100):
    copies = np.repeat(np.concatenate([ada_in, ben_in]), n_copies, axis=0)
    fit.fit(copies, np.repeat([1, 0], 2 * n_copies))
    print(f"copies of the two pairs: {n_copies}, weights:", fit.coef_[0].round(1))

# %% [markdown]
# Ben's cell gets a weight only because Ben is the last member of the group without Ada in both pairs. In the real attack this last member is drawn at random for each pair, so it is usually another person. Then, in the first step, no pair pushes the weight of a target's cell down. A pair pushes it up unless the two groups have the same count in this cell, for example because the last member visited it, too. The weight of any other cell is pushed only by the few pairs whose last member visited that cell, and it remains small ({ref}`zk-cancels`).
#
# ### The algorithm, step by step
#
# ````{prf:algorithm} Zero auxiliary knowledge (Sec. 4 and 5)
# :label: alg-zk-attack
# 1. Make synthetic traces from the release.
# 2. Make pairs of groups. In each pair, one group consists of $m - 1$ synthetic users and the target, and the other consists of the same $m - 1$ users and another synthetic user.
# 3. Count the visits of each group. Protect these counts in the same way as the release, with *the same noise* in both groups of a pair.
# 4. Fit a logistic regression with an $L_1$ penalty and one weight for each cell.
# 5. Choose the threshold that gives the right answer most often on additional groups, which are drawn independently.
# 6. If counts are raw and a cell that the target visited holds 0, decide that the target is not in the group.
# ````
#
# KK is the same algorithm with real traces in step 1. The paper trains on 400 groups, chooses the threshold on 100 groups, and otherwise uses the default settings of scikit-learn. We do the same, with two exceptions. First, the code on this page trains on `n_train` groups, which is set to 200. Second, the default solver of scikit-learn cannot fit an $L_1$ penalty, so we chose the solver `liblinear`.
#
# The next cell carries out steps 1 to 3, restricted to the target's cells. The paper's attacker learns from the release that is under attack. Here ZK instead learns from a single release, that of the first group, and uses what it learned for all hundred groups. The stored results below are computed in the same way. The first group is one of the hundred, and it may contain the target. The target's visits are only a small part of the release, so we expect little effect on the AUC of ZK. To test this, one would train ZK twice for each target, on a first group with the target and on one without. We did not run this test.
#
# ZK makes the same number of synthetic traces as KK has real ones (`n_traces`), so that the comparison is fair. The paper uses 5,000 traces for the call records and 2,500 for Milan, and remarks that the attacker is free to make more. With more traces ZK can do slightly better ([replication](zk-more-traces)).
#
# Note two conventions in the code. The library's `Laplace` takes $\varepsilon$ and computes the scale from it, whereas numpy's `laplace` takes the scale. For event-level noise with $\varepsilon = 1$ both numbers are 1.

# %%
from lib.aggregation import aggregate_cells, sample_groups
from lib.membership import zero_knowledge as zk


def protect(true_counts, drawn_noise):
    return np.floor(np.clip(true_counts + drawn_noise, 0, m))


attacker = zk.ZeroKnowledge(game.trace, game.rois, defense, m, rng, n_traces=n_traces)
synthetic = attacker.synthesize(game.release)  # step 1

groups = sample_groups(range(n_traces), n_train // 2, m, rng)  # step 2, target last
group_without = aggregate_cells(synthetic, groups, cells)
group_with = aggregate_cells(synthetic, groups[:, :-1], cells) + 1

same_noise = rng.laplace(scale=1.0, size=group_without.shape)  # step 3
pairs = [protect(group_without, same_noise), protect(group_with, same_noise)]
print("one pair:", *(each[0].astype(int) for each in pairs), sep="\n")

# %% [markdown]
# The first row shows the released counts of the group without the target, and the second row those of the group with the target. In most cells the second count is larger by one. The two counts of a cell can be equal for two reasons. First, the noisy value without the target may be below 0, so that the target's visit is lost in clipping, as described above. Second, the user whom the target replaces may have visited the same cell.
#
# Step 4 fits the regression. With thousands of weights and only hundreds of groups, maximising the likelihood alone would favour weights that fit chance features of the training groups. An **$L_1$ penalty** counteracts this overfitting. The fit maximises the log-likelihood minus $\sum_c |w_c|$, so a weight differs from 0 only if it raises the log-likelihood by more than it costs. In scikit-learn the fit is one call. (The solver also penalises the intercept $b$.)

# %%
# l1_ratio=1: a pure L1 penalty, the sum of the absolute weights
by_hand = LogisticRegression(l1_ratio=1, solver="liblinear", random_state=seed)
by_hand.fit(np.concatenate(pairs), np.repeat([0, 1], n_train // 2))
print("weights:", by_hand.coef_[0].round(1))

# %% [markdown]
# In this fit we include only the 16 cells of the target, and no weight is 0. The penalty matters once all cells of the release are included: of the 16,800 weights in [the library's fit](zk-one-game), fewer than a hundred are nonzero.
#
# Step 5 chooses the threshold. The attacker makes a hundred additional synthetic groups, each independent of the others, scores them, and takes the threshold that is right most often. The library's `best_threshold` returns a value halfway between two neighbouring scores; if several such values are equally good, it returns the middle one:


# %%
def score_synthetic(n_groups, draws):  # the second half with the target
    drawn = sample_groups(range(n_traces), n_groups, m, draws)
    half = n_groups // 2
    out_counts = aggregate_cells(synthetic, drawn[:half], cells)
    in_counts = aggregate_cells(synthetic, drawn[half:, :-1], cells) + 1
    both_counts = np.concatenate([out_counts, in_counts])
    drawn_noise = draws.laplace(size=both_counts.shape)
    return by_hand.decision_function(protect(both_counts, drawn_noise))


own_scores, truth = score_synthetic(100, rng), np.repeat([0, 1], 50)
accuracy = [((own_scores > t) == truth).mean() for t in np.sort(own_scores)]
threshold = zk.best_threshold(truth, own_scores)  # halfway between two scores
assert np.isclose(((own_scores > threshold) == truth).mean(), max(accuracy))
print(f"right on {max(accuracy):.2f} of the groups that chose the threshold")

# %% [markdown]
# Is this accuracy too high, because the threshold was chosen on the same groups? We test the threshold on two thousand further synthetic groups:

# %%
fresh_scores = score_synthetic(2000, np.random.default_rng(seed + 1))
fresh_right = (fresh_scores > threshold) == np.repeat([0, 1], 1000)
print(f"right on {fresh_right.mean():.2f} of two thousand further synthetic groups")

# %% [markdown]
# Now the attack is complete, and we apply it to the data holder's groups. (In this game their members are synthetic, too. They are drawn from the surrogate population and not generated by ZK.)

# %%
from lib import metrics

scores = {"ZK by hand": by_hand.decision_function(counts), "sum": sums}
decided = scores["ZK by hand"] > threshold
print(f"right on {(decided == game.members).mean():.2f} of the data holder's groups")
print("groups without the target that score above the threshold:")
print(f"{(fresh_scores[:1000] > threshold).mean():.0%} of the synthetic", end=", ")
print(f"{decided[game.members == 0].mean():.0%} of the data holder's groups")

# %% [markdown]
# The threshold is right for 81% of the synthetic groups on which it was chosen, and for about the same share (82%) of the further synthetic groups. It is right less often on the data holder's groups, because more than half of those without the target score above it. The histograms show how this happens:

# %% mystnb={"figure": {"name": "fig-zk-decisions", "caption": "Scores of the attack by hand, for the attacker's own synthetic groups (above) and for the data holder's groups (below); one target, synthetic tweeters. The full line is the threshold that the attacker chose on the groups above; the dashed line is the threshold that would be best for the groups below. Where the colours overlap, the histograms overlap. Below, both histograms lie further to the right, so that many groups without the target exceed the attacker's threshold."}, "image": {"alt": "Two panels of histograms of scores, without and with the target. In the lower panel, the data holder's groups, both histograms are shifted to the right; the attacker's threshold cuts through the groups without the target, the best threshold lies to its right."}} tags=["hide-input"]
best = zk.best_threshold(game.members, scores["ZK by hand"])
panels = {
    "the attacker's own synthetic groups": (own_scores, truth),
    "the data holder's groups": (scores["ZK by hand"], game.members),
}
figures.show_decisions(panels, threshold, best)

# %% tags=["hide-input"]
made_up, of_holder = pairs[0].mean(axis=1), counts[game.members == 0].mean(axis=1)
decisions = {}
for name, (score, label), level, each in (
    ("synthetic", (own_scores, truth), threshold, made_up),
    ("data holder's", (scores["ZK by hand"], game.members), best, of_holder),
):
    decisions[name] = {
        "AUC": metrics.auc(label, score),
        "right, attacker's threshold": ((score > threshold) == label).mean(),
        "right, best threshold": ((score > level) == label).mean(),
        "count of a target cell, without the target": each.mean(),
    }
decisions = pd.DataFrame.from_dict(decisions, "index").map("{:.2f}".format)
plots.show_table(decisions.rename_axis("groups"), "decisions")
low, high = metrics.difference_interval(made_up, of_holder)
print(f"counts, synthetic minus data holder's: [{low:.2f}, {high:.2f}]")

# %% [markdown]
# In the lower panel the histograms with and without the target overlap about as much as in the upper panel, and the two AUCs agree. So the scores still *rank* the data holder's groups well. But both histograms in the lower panel lie further to the right, and the threshold is the same. With the threshold that is best for these groups, which only somebody who knows the answers could choose, the attack would be right on 0.82 of them. (This value may be slightly too high, because the threshold is chosen on the very groups on which it is evaluated.) For this target, the last column of the table shows why the histograms are shifted: the target's cells have larger released counts in the data holder's groups than in the synthetic ones, and the interval of the difference does not contain 0. [A later section](zk-decides) compares these counts for thirty targets.
#
# Step 6 needs no training at all. It applies only to raw counts, so we run the game again without a defense:

# %%
raw_game = challenges.Challenge(
    town, target, [], group_size=m, n_reference=n_traces, rng=rng, n_test=n_test
)
raw_counts = raw_game.releases_at(cells)
says_out = (raw_counts == 0).any(axis=1)
print("share of groups in which the rule says out:")
print(f"{says_out[raw_game.members == 0].mean():.2f} without the target", end=", ")
print(f"{says_out[raw_game.members == 1].mean():.2f} with the target")

# %% [markdown]
# For this target the rule of step 6 alone gives the right answer for all hundred raw releases. Because the rule decides so often, results on raw counts do not show whether an attack has learned anything. ({ref}`zk-rule` asks how often it decides.) The rest of the chapter is therefore about protected releases.
#
# (zk-one-game)=
# ### One game, all attacks
#
# The library's attacks differ from our version by hand in one respect: their regression has a weight for *every* cell, not only for the target's cells. In the next table, the row `ZK, other weights 0` is the library's ZK after the weights of all cells but the target's have been set to 0.

# %%
from lib.papers.summaries import scored

learned = {}
for name, people in {"KK": game.reference, "ZK": synthetic}.items():
    made = zk.Training(people, game.trace, defense, m, rng, n_train=n_train)
    learned[name] = made.attack()
learned["ZK, other weights 0"] = learned["ZK"].restrict(cells)
for name, attack in learned.items():
    on_target = np.isin(attack.cells, cells).sum()
    print(f"{name}: {len(attack.cells)} nonzero weights, {on_target} on target cells")
scores = game.scores(learned) | scores
plots.show_table(scored(game.members, scores)[["AUC"]], "one-game")

# %% [markdown]
# In this game the sum has the highest AUC, and the two attacks that also use other cells have the lowest. Most of the cells to which these two attacks give a nonzero weight are not the target's, so the target's presence adds nothing to their counts. In this game, setting these weights to 0 changes the AUC of ZK only from 0.88 to 0.89.
#
# Can a hundred groups tell the sum and ZK apart? The intervals of the two AUCs do not answer this question, because both attacks score the same groups. We need an interval of the difference. We draw groups with replacement, two thousand times, and compute the difference of the two AUCs each time (a bootstrap):


# %%
def bootstrap_difference(first, second, in_group, n_draws=2000):
    """Compute a 95% interval of the AUC of the first score minus that of the second."""
    resampling, differences = np.random.default_rng(seed), []
    halves_of = [np.flatnonzero(in_group == 1), np.flatnonzero(in_group == 0)]
    for _ in range(n_draws):
        rows = [resampling.choice(half, len(half)) for half in halves_of]
        rows = np.concatenate(rows)
        one, other = (metrics.auc(in_group[rows], s[rows]) for s in (first, second))
        differences.append(one - other)
    return np.quantile(differences, [0.025, 0.975])


low, high = bootstrap_difference(sums, scores["ZK"], game.members)
print(f"AUC of the sum minus AUC of ZK: [{low:.2f}, {high:.2f}]")

# %% [markdown]
# The interval contains 0, so a hundred groups of this target do not show which of the two attacks is better.
#
# The intervals in the table are for one AUC of one target: they treat the hundred groups as a random sample of all groups for this target (method 5 of {cite:t}`newcombe2006`). From here on, in contrast, most intervals are about the *mean* AUC of many targets. They treat the targets as a random sample of the active users, and are computed with Student's $t$ distribution.
#
# Even with more groups, one target could not settle which attack is best, because the order may be different for another target. We need means over many targets. We compare two attacks by their **paired difference**: the difference of their AUCs for the same target and the same groups, averaged over the targets. The interval of a paired difference is narrower, because a target who is hard to find is hard for both attacks ({ref}`zk-paired`).
#
# ### Do pairs help?
#
# The next figure compares training on pairs with training on independent groups, under user-day-level noise.

# %% mystnb={"figure": {"name": "fig-zk-pairs", "caption": "Mean AUC over targets with 95% intervals, synthetic tweeters; the dotted line is guessing. Both attackers do better with pairs than with independent groups at every ε, and on pairs KK and ZK nearly coincide. The horizontal axis is the ε of user-day-level noise, whose scale is 10/ε."}, "image": {"alt": "Synthetic surrogate tweeters: mean AUC against the budget of a user's day for KK and ZK, trained on pairs and on independent groups, with intervals; pairs lie above at every budget, and KK and ZK nearly coincide."}} tags=["hide-input"]
figures.show_pairs(experiments.pairs.stored(), figures.source_note(experiments.pairs))

# %% tags=["hide-input"]
budgets = [1.0, 4.0, 10.0]
of_training = experiments.pairs.stored()
plots.show_table(figures.pair_table(of_training, budgets), "pairs")

of_training = of_training[of_training["epsilon"].isin(budgets)]
by = ["epsilon", "attacker", "target"]
auc = of_training.pivot_table("AUC", by, "groups")
gains = (auc["pairs"] - auc["independent"]).rename("gain").reset_index()
gains = plots.table(gains, ["epsilon"], "gain", "attacker", pairs=[("ZK", "KK")])
gains = gains.rename(columns={"ZK - KK": "gain of ZK minus gain of KK"})
plots.show_table(gains[["gain of ZK minus gain of KK"]], "pair-gains")

# %% [markdown]
# On the synthetic tweeters both attacks gain from pairs, and by similar amounts. (Gains are computed before rounding.) The gains of KK and ZK do not differ significantly at any of the three values of $\varepsilon$ in the table. In the paper ZK gains more than KK ([comparison](zk-pairs)), and our intervals do not exclude a slightly larger gain of ZK.
#
# (zk-corrections)=
# ## Optional: how well are the marginals recovered?
#
# You can skip this section. The rest of the chapter does not need it. Among our four attacks, only ZK uses the marginals.
#
# ZK corrects the marginals of a protected release [by two transforms](zk-marginals-of-a-town). We measure their success by the **total variation distance** between the corrected and the true marginal: the share of visits that would have to be moved to turn one marginal into the other.
#
# How large should the power $p$ of the power transform be? The paper increases $p$ from 1 until the shares have the variance that purely random shares would have (Eq. 9). This variance can be computed as follows. Suppose that $n$ numbers are drawn uniformly from $[0, 1]$. Each has variance $1/12$, and their sum is about $n/2$. After division by the sum, the shares have a variance of about $\tfrac{1}{12} / (n/2)^2 = 1/(3n^2)$. This desired variance has nothing to do with the true marginal. The paper chooses it because the attacker has no better information, so the corrected marginal may well be far from the true one.


# %%
def power_transform(shares):
    wanted = 1 / (3 * len(shares) ** 2)
    raised = shares ** np.arange(1, 50, 0.01)[:, None]  # a row for each power
    raised /= raised.sum(axis=1, keepdims=True)
    return raised[np.abs(raised.var(axis=1) - wanted).argmin()]


def distance(one, other):
    return np.abs(one - other).sum() / 2


undo = {"k = 1": log_compress, "visit, ε = 0.1": power_transform}
for name, protected in {"k = 1": town_suppressed, "visit, ε = 0.1": town_noisy}.items():
    shares = protected.sum(axis=1) / protected.sum()
    before, after = distance(shares, by_place), distance(undo[name](shares), by_place)
    print(f"{name}: distance {before:.2f} as released, {after:.2f} corrected")

# %% [markdown]
# A single release proves little, so the next table shows mean distances over five releases, with 95% intervals. The label `visit` stands for event-level noise. Even for raw counts the distance is not 0, because a thousand users are only a sample of the population.

# %% tags=["hide-input"]
event_level_names = {
    "epsilon = 1": "visit, ε = 1",
    "epsilon = 0.1": "visit, ε = 0.1",
    "epsilon = 1, k = 1": "visit, ε = 1, then k = 1",
}
repeated = experiments.repeat_releases(experiments.marginal_distances, town, seed=seed)
repeated = repeated.replace({"release": event_level_names})
plots.show_table(figures.undone_table(repeated), "undone")

# %% [markdown]
# For each noisy release we can compare the distances with and without the correction. The output below shows the mean change of the distance. A positive change means that the correction moves the marginal away from the truth. The output also shows the mean power, and the ratio of the desired variance to the variance of the true marginal:

# %% tags=["hide-input"]
of_noise = repeated[repeated["release"].isin(["visit, ε = 1", "visit, ε = 0.1"])]
for marginal, true_shares in {"space": by_place, "time": by_hour}.items():
    desired = 1 / (3 * len(true_shares) ** 2)
    print(f"{marginal}: desired variance / true = {desired / true_shares.var():.1f}")
    change = plots.table(
        of_noise,
        ["release"],
        marginal,
        "estimate",
        pairs=[("power transform", "empirical")],
        unit=["number"],
    )
    powers = of_noise.groupby("release", sort=False)[f"power of {marginal}"].mean()
    for release, change_of_distance in change.iloc[:, -1].items():
        print(f"  {release}: mean power {powers[release]:.2f}", end=", ")
        print(f"change of the distance {change_of_distance}")

# %% [markdown]
# On the synthetic tweeters the correction for suppression works: log compression brings both marginals closer to the truth. The correction for noise, the power transform, does not work.
#
# - *Space, $\varepsilon = 1$.* The search stops at the power 1, so nothing changes. The desired variance is only a fifth of the true variance, and even the flattened marginal has a variance that is no smaller than the desired one.
# - *Space, $\varepsilon = 0.1$.* The mean power is about 4, but on average the distance hardly changes.
# - *Time.* The mean power is 2 or more, and the correction moves the time marginal away from the truth at both values of $\varepsilon$. One reason is that the desired variance is larger than the true variance, so after the correction the hours differ too much. Another reason is that a power magnifies the noise in the shares. We did not test how much each of the two contributes.
#
# The paper reports that at $\varepsilon = 1$ the correction improves the space marginal of its call records. On the synthetic tweeters we do not see this improvement. The replication page has [a correction that uses the exact distribution of the noise](zk-likelihood-attack).
#
# If you read this page on a screen, you can change $k$ and $\varepsilon$ below and see how the marginals respond. (The counts are those of one group of a thousand users. For noise, the curves show the exact average over all possible draws.)
#
# ```{raw} html
# :file: static/marginals.html
# ```
#
# How well is the mean recovered? The search was close for [one suppressed release](zk-marginals-of-a-town), but this could be a coincidence. The next table shows means over five groups, each released in four ways:

# %% tags=["hide-input"]
searched = experiments.repeat_releases(experiments.mean_visits, town, seed=seed)
searched = searched.replace({"release": event_level_names})
titles = {"sum / m": "released", "searched for": "estimated", "everybody": "true"}
searched = figures.mean_table(searched).rename(columns=titles).round(2)
plots.show_table(searched, "mean-visits")

# %% [markdown]
# After suppression alone or noise alone, the estimates are close to the true mean, although suppression nearly halves the released number of visits per user and noise raises it. If noise and suppression are combined, as in [a later experiment](zk-must-know), their effects nearly cancel. Then the released number of visits per user, 5.78, is already close to the true mean of 5.66, and the search makes it slightly worse: it gives 5.98 [5.80, 6.16].
#
# The search can work because the attacker can apply the same defense as the data holder. But it needs synthetic people who share cells with each other about as often as real people do. We tested the search on one synthetic population only.
#
# ### A limit theorem (optional)
#
# For very sparse counts we can prove that noise flattens the marginals.
#
# ````{prf:theorem} Noisy marginals tend to the uniform one (Theorem A.2, corrected)
# :label: thm-zk-uniform
# Let the counts be *strongly sparse*: each place's mean count over the hours tends to 0 as hours are added. Then the space marginal of counts with Laplace noise, clipped at 0, tends almost surely to $1/|S|$ for every place. If the number of visits in an hour stays bounded (Lemma A.1), the time marginal tends to $1/|T|$ as places are divided more and more finely.
# ````
#
# Real counts are not that sparse. Without rounding, their noisy marginals tend to a limit that is flatter than the true marginals, but not uniform. The appendix gives [the proof, our corrections to it](appendix-noise.md), and the effect of rounding.
#
# (zk-headline)=
# ## Does learning beat adding up?
#
# Does a trained attack do better than one that only adds up the target's cells? The chapter's main experiment uses 30 targets, where the paper uses 50. There are 100 groups for each target, and all attacks face the same groups. For each defense, the table shows the mean AUC of ZK and three mean paired differences of AUCs. The figure shows these differences with their 95% intervals over targets. If an interval lies entirely to the right of 0, the first attack in the difference is significantly better than the second. These are Student's intervals over the 30 targets.
#
# The defenses have short names. In `k = 1`, `k` is the largest count that is suppressed; `visit` and `day` are [event-level and user-day-level noise](zk-six). (In the code, the value of $k$ or of $\varepsilon$ is called `level`.) The names contain $\varepsilon$, but what conceals the target is the scale $\Delta/\varepsilon$ of the noise. Here are the sensitivities, and then the scales of all defenses with noise in this chapter. (User-level noise, `user`, appears only in [the comparison of all four attacks](zk-strongest) and in [the last part](zk-defenses). Its sensitivity is the largest number of visits of any user.)

# %%
daily_limit = {"tweeters-zk": 10, "callers": 20, "flights-by-number": 10}
sensitivity = {
    name: {"visit": 1, "day": daily_limit[name], "user": people.visits().max()}
    for name, people in people_of.items()
}
sensitivity = pd.DataFrame(sensitivity)
plots.show_table(sensitivity.rename_axis("sensitivity Δ"), "sensitivities")

# %%
epsilons_of = {"visit": (10, 1, 0.1), "day": (10, 1), "user": (10, 1)}
scales = {}
for unit, epsilons_of_unit in epsilons_of.items():
    for epsilon in epsilons_of_unit:
        scales[f"{unit}, ε = {epsilon:g}"] = sensitivity.loc[unit] / epsilon
scales = pd.DataFrame(scales).T
plots.show_table(scales.map("{:g}".format).rename_axis("scale of the noise"), "scales")

# %% [markdown]
# No flight makes more than 10 visits in a day ([below](zk-against-noise)), so on the flights the daily limit removes nothing. There `visit, ε = 1` and `day, ε = 10` are two runs of one experiment with different random numbers, so they count as one setting.
#
# The next cell reads *stored* results, which were computed in advance. Each result comes from a game like the one in [the section before](zk-attack), played for one of the thirty targets, with 400 groups to train, 100 to choose the threshold and 100 to test. In the stored results the callers are a population of 11,000, and KK has the traces of 5,000 of them.

# %%
under_suppression = figures.attacks(experiments.suppression.stored())
under_noise = figures.attacks(experiments.noise.stored(), experiments.scores.stored())
every = figures.by_defense(under_suppression, under_noise)

# %% tags=["hide-input"]
shown = [("suppressed", 1.0), ("suppressed", 3.0), ("suppressed", 5.0)]
shown += [("event", 10.0), ("event", 1.0), ("user-day", 10.0)]
main = figures.select_defenses(every, shown)
plots.show_table(figures.lead_table(main), "leads")

# %% mystnb={"figure": {"name": "fig-zk-leads", "caption": "Paired differences of AUCs over 30 targets with 95% intervals: the sum minus ZK (left), the sum minus KK (middle) and ZK minus KK (right). The dotted line is 0; below the panels, each arrow names the attack that has the higher AUC on its side. On the two synthetic populations, the AUC of the sum is higher than those of ZK and KK, or lower by at most 0.01. On the flights it is higher than that of ZK under suppression, higher by less than 0.01 under noise of scale 1, and clearly lower under the weakest noise; under noise it is lower than that of KK."}, "image": {"alt": "Three rows of three panels, synthetic tweeters, synthetic callers and flights, with six defenses in each: differences of AUCs with intervals. The sum minus ZK is near or right of zero everywhere except on the flights under event-level noise with a budget of 10, where it is far to the left. The sum minus KK looks alike on the synthetic populations, and is left of zero on the flights under noise. ZK minus KK is mostly near zero or slightly left of it."}} tags=["hide-input"]
figures.show_leads(main, shown, figures.source_note(experiments.suppression))

# %% [markdown]
# The folded tables have all differences with their intervals. Here and in the later tables, an asterisk marks a significant difference, one whose 95% interval does not contain 0. If two decimals would print an end of such an interval as 0.00, there are more decimals.

# %% tags=["hide-cell"]
all_pairs = [("sum", "ZK"), ("sum", "KK"), ("ZK", "KK")]
headline = figures.paired_table(main, ["data", "defense"], all_pairs, fine=True)
plots.show_parts(headline[["sum - ZK", "sum - KK", "ZK - KK"]], "headline")

# %% [markdown]
# **On the synthetic populations the sum is significantly better than ZK in ten of the twelve settings, and its AUC is never more than 0.01 lower.** Yet it uses no map, no synthetic people, no training and no knowledge of the defense.
#
# **On the real flights the answer depends on the defense.** Under suppression the sum is significantly better than ZK. Under noise of scale 1 its AUC is higher than that of ZK, but by less than 0.01, and KK, which is trained on real traces, is significantly ahead of the sum, by 0.04. Under the weakest noise (`visit, ε = 10`, scale 0.1) both trained attacks beat the sum, ZK by 0.09. So at both scales an attack on the flights that is trained on real traces does better than adding up. The [next subsection](zk-quiet) asks whether an attacker needs training for this.
#
# Why is it so hard for ZK to beat the sum? The reason depends on the defense.
#
# - *Suppression.* On the tweeters, the lead of the sum over ZK is larger under suppression than under noise. ZK trains on synthetic groups. Some of the target's cells that survive suppression in the data holder's groups never survive in the synthetic groups, so ZK cannot learn that these cells matter. [The section on suppression](zk-against-suppression) tests this explanation for $k = 5$.
# - *Noise of scale 1 or more, on the synthetic populations.* Before clipping, the noise adds the same variance to each of the target's cells. So, compared with their size, the variances of the cells differ less than without noise, and equal weights are a natural choice. (Clipping removes more of the variance in empty cells than in busy ones.) The regression, in contrast, must estimate thousands of weights from 400 groups, and makes estimation errors. This is a conjecture, which the note below takes up.
# - *Noise of scale 0.1, on the flights.* Here ZK has a higher AUC than the sum. The next subsection tests an explanation.
#
# How do the two trained attacks compare? On the synthetic populations they are about equally good, except on the tweeters under strong suppression, where ZK falls behind. On the flights ZK falls behind at $k = 1$ and under noise of scale 1, by 0.04 to 0.05.
#
# ```{note}
# *What this does not show.* KK and ZK are trained on 400 groups, as in the paper. An attacker is not bound to this number and can draw more groups from the same traces. None of the experiments on this page shows whether the sum would then still have a higher AUC than ZK. Such an experiment would also test our conjecture about noise of scale 1 or more.
#
# That ZK and KK have similar AUCs on the synthetic populations is weak evidence that synthetic traces are enough, because both the populations and ZK's traces come from mobility models. The flights are the stronger test. On the flights, KK is significantly better than ZK at $k = 1$ and under noise of scale 1. (Scale 1 fills two columns of the first table: `visit, ε = 1` and `day, ε = 10`.) At $k = 3$, at $k = 5$ and under noise of scale 0.1 we found no significant difference. But ZK's mobility model describes people who move among nearby places, and flight numbers do not move in this way. Part of ZK's disadvantage on the flights may come from this misfit. None of these results is about real people.
#
# All targets are active users, with ten or more visits; only 15% of the tweeters are active. And the groups come from [small pools](zk-attack). In groups from a much larger population the AUCs can be lower. On thirty other flights under `visit, ε = 10`, the measured AUC of the sum is 0.81, and [our approximation](zk-d) predicts about 0.74 for a much larger population. We did not make this calculation for the other attacks, so we do not know whether their order would be the same.
#
# Each synthetic population was generated only once. The intervals are computed over targets, so they do not cover the variation between generated populations. The page shows dozens of 95% intervals, and none of them is corrected for the number of comparisons. We must therefore expect about one interval in twenty to miss the true value, so a single asterisk proves little.
# ```
#
# (zk-quiet)=
# ### Why does the sum lose on the flights under weak noise?
#
# There are two possible reasons to count occupied cells instead of adding up the counts. Under weak noise the busy cells can dominate the sum. This section tests that reason on flights. Under strong noise a few large values of the noise can dominate it; the [next subsection](zk-strongest) considers this second reason.
#
# Some of the target's cells are quiet and others are busy. Consider a *quiet* cell, one that other people hardly ever visit. Without the target its true count is nearly always 0. Noise of scale 0.1 hardly ever reaches 1, so after clipping and rounding down the released count is nearly always 0, too. With the target the true count is nearly always 1. The released count is then 1 if the noise is positive, and 0 if it is negative. So a 1 in a quiet cell almost proves that the target is present, whereas a 0 is only weak evidence that the target is absent. In a *busy* cell one additional visit says little, because the number of visits by the other members varies from group to group by more than one.
#
# The sum gives both kinds of cells the same weight. The variation of the busy cells can therefore hide the evidence of the quiet ones. If this is why the sum loses, then a score that no busy cell can dominate should do better. We call a cell **occupied** if its released count is positive. The simplest score of this kind is the number of the target's cells that are occupied. Like the sum, it needs no training.
#
# We had this idea only after seeing the results of the main experiment, so we test it on thirty flights that are not among the targets of that experiment:

# %%
from lib.randomness import stream

flights = people_of["flights-by-number"]
used = under_noise.query("data == 'flights-by-number'")["target"].unique()
drawn = experiments.targets(flights, seed=seed + 1, n_targets=60)
fresh = [flight for flight in drawn if flight not in used][:30]

of_flight_games = {"group_size": 250, "n_reference": 500, "n_test": 100}
draws, fresh_games = stream(seed, "fresh flights"), {}
for epsilon in (10.0, 1.0):
    weak = [Laplace(epsilon=epsilon), PostProcess("down")]  # scale 1 / ε
    for flight in fresh:
        fresh_games[epsilon, flight] = challenges.Challenge(
            flights, flight, weak, **of_flight_games, rng=draws
        )

# %% [markdown]
# We compute both scores for each flight. For each score we measure three things: how much the target adds to the mean, the standard deviation (SD) without the target, and the AUC.


# %%
# in_cells: released counts of the target's cells, a row for each group
def count_occupied(in_cells):
    return (in_cells > 0).sum(axis=1)


rows = []
for (epsilon, flight), one in fresh_games.items():
    in_cells = one.releases_at(np.flatnonzero(one.trace))
    in_game = {"sum": in_cells.sum(axis=1), "occupied cells": count_occupied(in_cells)}
    for name, score in in_game.items():
        ins, outs = score[one.members == 1], score[one.members == 0]
        row = {"noise": f"visit, ε = {epsilon:g}", "target": flight, "score": name}
        row |= {"added": ins.mean() - outs.mean(), "SD": outs.std(ddof=1)}
        rows.append(row | {"AUC": metrics.auc(one.members, score)})
quiet = pd.DataFrame(rows)

# %% tags=["hide-input"]
titles = {"added": "added by the target", "SD": "SD without the target", "AUC": "AUC"}
plots.show_table(plots.table(quiet, ["noise", "score"], titles), "occupied-cells")

pair = [("occupied cells", "sum")]
difference = plots.table(quiet, ["noise"], "AUC", "score", pairs=pair)
difference = difference.rename(columns={"occupied cells - sum": "occupied - sum"})
plots.show_table(difference[["occupied - sum"]].add_prefix("AUC: "), "occupied-gain")

# %% [markdown]
# **Under both levels of noise, the number of occupied cells has a higher AUC than the sum.** The columns *added by the target* and *SD without the target* show why. The target adds more to the sum than to the number of occupied cells, but the sum also varies far more from group to group.
#
# (zk-d)=
# Suppose that the score is roughly normally distributed, with the same standard deviation with and without the target. Then the AUC depends only on the ratio $d$ of these two columns, a **signal-to-noise ratio**:
#
# ```{math}
# :label: eq-zk-d
# d = \frac{\text{amount that the target adds to the mean of the score}}{\text{standard deviation of the score}} , \qquad \mathrm{AUC} = \Phi\bigl(d / \sqrt 2\bigr) ,
# ```
#
# where $\Phi$ is the distribution function of the standard normal distribution. The reason is that the AUC compares two independent scores, one of a group with the target and one of a group without. In units of the standard deviation, their difference has mean $d$ and variance 2. The AUC is the probability that the difference is positive. So a larger $d$ gives a higher AUC. Does the formula give the AUCs of the table?

# %%
from scipy.stats import norm


def auc_of(d):
    return norm.cdf(d / np.sqrt(2))


by_score = quiet.groupby(["noise", "score"], sort=False)[["added", "SD", "AUC"]].mean()
by_score["d"] = by_score["added"] / by_score["SD"]
by_score["predicted AUC"] = auc_of(by_score["d"])
signal = by_score[["d", "predicted AUC", "AUC"]].map("{:.2f}".format)
plots.show_table(signal, "signal-to-noise")

# %% [markdown]
# The predictions are close to the measured AUCs. The largest gap is that of the occupied cells under the weaker noise (0.95 predicted, 0.93 measured): their number is a small integer, and its distribution is far from normal. Under both levels of noise $d$ is larger for the number of occupied cells than for the sum. The ratio of the two values of $d$ says how much is gained:

# %%
d = by_score["d"].unstack("score")
for noise, ratio in (d["occupied cells"] / d["sum"]).items():
    print(f"{noise}: d of occupied cells / d of the sum = {ratio:.2f}")

pool_of_flights = flights.n_users - 500 - 1  # without the reference and the target
d_large = d.loc["visit, ε = 10", "sum"] * np.sqrt(1 - 250 / pool_of_flights)
print(f"sum, visit, ε = 10, from a much larger population: d = {d_large:.2f}", end=", ")
print(f"predicted AUC {auc_of(d_large):.2f}")

# %% [markdown]
# The last line of the output estimates the effect of [the small pool](zk-attack). With $\varepsilon = 10$ nearly all of the variance of the sum comes from the other members. In groups from a much larger population this variance would be multiplied by $1 / (1 - m/N)$, so $d$ would be multiplied by $\sqrt{1 - m/N}$. Then the formula predicts an AUC of the sum of about 0.74, whereas 0.81 was measured. This calculation ignores the small part of the variance that the noise causes.
#
# These results do not yet show that the busy cells are the reason why the sum loses. A direct test is to keep the sum and give busy cells less weight. With $\varepsilon = 10$ such a weighted sum gains as much over the sum as counting occupied cells does, and with $\varepsilon = 1$ about half as much ({ref}`zk-write-sum`). So under the weaker noise it is enough to limit the influence of busy cells. Under the stronger noise our weights recover only a part of the gain. Perhaps these weights are poor. Perhaps counting occupied cells also has a second advantage: it limits the effect of very large noise. The [next subsection](zk-strongest) shows this advantage for strong noise; we did not test it for these flights.
#
# So under event-level noise of either scale, an attacker needs no training to beat the sum on the flights. The chapter on [thresholds](thresholds.ipynb) studies a related rule, which sets a threshold for each cell, and asks when such a rule is the best possible.
#
# ```{note}
# KK and ZK were not run on these thirty flights. [The next subsection](zk-strongest) compares all four attacks on the targets of the main experiment, under the same two levels of noise and others. The chapter on thresholds calls the cells that the *target* visited "positive cells". On this page they are called the target's cells.
# ```

# %% [markdown]
# (zk-strongest)=
# ### Which of the four attacks is the strongest?
#
# We now count occupied cells in the games of the main experiment: for the same thirty targets, in the same groups and with the same noise. The noise was not stored, so it is generated again from the same random numbers, which takes a minute or two. We also include user-level noise, which the paper recommends but does not test. With $\varepsilon = 10$ its scale is 15 for the tweeters and 150 for the callers, but only 1.5 for the flights ([table of scales](zk-headline)). First we collect the stored results of the other three attacks:

# %%
from lib.papers.zero_knowledge.untrained import score_games

users = [experiments.user_level, experiments.user_budgets]
by_user = figures.with_sums(users, "user", "epsilon")
three_attacks = figures.by_defense(under_suppression, under_noise, by_user)

# %% [markdown]
# The function `score_games` repeats the games of these targets and applies our score to each release:

# %%
defenses = figures.WITH_WEAK_NOISE  # such as ("event", 1), or ("suppressed", 5): k = 5
for_later_figures = [("suppressed", 3.0), ("event", 0.5), ("user-day", 5.0)]
to_count = [*defenses, *for_later_figures]

counted = []
for name, people in people_of.items():
    same_targets = three_attacks.query("data == @name")["target"].unique()
    counted.append(score_games(count_occupied, name, people, to_count, same_targets))
counted = pd.concat(counted).assign(attack="occupied cells")
four_attacks = pd.concat([three_attacks, counted], ignore_index=True)

# %% [markdown]
# The figure shows by how much counting occupied cells is ahead of the best of the other three attacks: its AUC minus the AUC of the best other attack, paired by target. If the difference is negative, the best of the other three has the higher AUC.

# %% mystnb={"figure": {"name": "fig-zk-strongest", "caption": "Against noise, no other attack is significantly better than counting occupied cells: in no row with noise does the interval lie entirely to the left of 0. The marks show the AUC of counting occupied cells minus that of the best other attack, whose name stands at the right (mean over 30 targets with its 95% interval); the dotted line is 0. Circles: suppression; squares: event-level noise; triangles: user-day-level noise; diamonds: user-level noise."}, "image": {"alt": "Three panels, synthetic tweeters, synthetic callers and flights, with nine defenses in each: difference of AUCs with intervals and the name of the best other attack. Under noise the differences are at or right of zero; under suppression they are at or left of zero, most clearly on the flights for k = 1."}} tags=["hide-input"]
rivals = figures.best_rivals(four_attacks, "occupied cells", defenses)
figures.show_rivals(rivals, list(people_of), defenses, "occupied cells")

# %% [markdown]
# The table shows the AUC of counting occupied cells (*occupied*), and beside it the AUC and the name of the best other attack.

# %% tags=["hide-input"]
best_of_others = figures.best_rival_table(rivals, list(people_of), defenses)
plots.show_table(best_of_others, "strongest")

# %% tags=["hide-cell"]
compared = figures.rival_table(four_attacks, "occupied cells", defenses)
compared = compared.drop(columns="occupied cells")
compared.columns = compared.columns.str.replace("occupied cells -", "occupied minus")
plots.show_parts(compared, "strongest-each")

# %% [markdown]
# **Against noise, counting occupied cells is the strongest of the four attacks, or not distinguishable from the strongest.** In no row with noise does the interval lie entirely below 0. Counting is significantly better than the best other attack in three of the seven rows with noise on the tweeters, in five on the callers and in six on the flights. (One of the differences on the callers, under `visit, ε = 10`, is smaller than 0.005. On the flights two rows appear twice under different names: `visit, ε = 1` as `day, ε = 10`, and `visit, ε = 0.1` as `day, ε = 1`.) On the flights under noise of scale 0.1 (`visit, ε = 10`), KK and ZK have a higher AUC than the sum. But counting occupied cells has a still higher AUC. So even under this noise neither of the two trained attacks, with 400 training groups, does better than counting.
#
# **Under suppression with $k = 1$ or $k = 5$, counting occupied cells is not significantly better than the sum on any dataset.** On the flights with $k = 1$ its AUC is 0.70. This is significantly lower than the AUC of KK (0.77) and, as the folded tables show, than that of the sum. On the tweeters, too, it is significantly lower than that of the sum, but by less than 0.01. The best other attack is chosen from the same results, so the differences in {numref}`fig-zk-strongest` are slightly too small.
#
# Why does counting occupied cells help even under strong noise, when a positive count in a quiet cell proves little? Consider a cell that is nearly empty, and Laplace noise of a large scale $b$. Clipping at 0 removes the negative half of the noise. The clipped count has variance $b^2 - (b/2)^2 = \tfrac34 b^2$. One additional visit raises its mean by about $1/2$, because the visit counts whenever the noise is positive, which is half of the time. Now replace the count by an indicator, which is 1 if the cell is occupied and 0 if not. The indicator is 1 with probability about $1/2$, so its variance is $1/4$. One additional visit raises this probability by the density of the noise at 0, which is $1/(2b)$. For both scores we divide what the visit adds by the standard deviation:
#
# $$ \text{count:}\quad \frac{1/2}{\tfrac12 \sqrt 3\, b} = \frac{1}{\sqrt 3\, b}, \qquad \text{occupied or not:}\quad \frac{1/(2b)}{1/2} = \frac1b . $$
#
# Each of the two ratios is the [signal-to-noise ratio](zk-d) $d$ of one cell. It is larger for *occupied or not*, by a factor of $\sqrt 3 \approx 1.7$. The long tail of Laplace noise makes the difference: a few cells with very large noise dominate the sum, but each of them counts only as one occupied cell. Over $n$ independent cells of this kind both values of $d$ are multiplied by $\sqrt n$, so their ratio stays the same.
#
# The target's cells are not really empty: other members visit them, too. We therefore also simulate the factor with the true counts of the target's cells, which the attacker does not see:

# %%
draws = stream(seed, "noise on true counts")


def d_under_noise(score, true_counts, b, n_draws):
    """Simulate d of a score; true_counts without the target: a row for each group."""
    repeated = np.repeat(true_counts, n_draws, axis=0)
    noise = draws.laplace(scale=b, size=repeated.shape)
    without = score(np.floor(np.maximum(repeated + noise, 0)))
    with_target = score(np.floor(np.maximum(repeated + 1 + noise, 0)))
    return (with_target.mean() - without.mean()) / without.std()


def add_up(in_cells):
    return in_cells.sum(axis=1)


def d_of(auc):  # the inverse of auc_of
    return np.sqrt(2) * norm.ppf(np.minimum(auc, 1 - 1 / 5000))  # no infinite d


# %% [markdown]
# The next table compares three factors at scale 10: the one that the AUCs of the two attacks imply, with an interval; the one that we simulate from the true counts; and $\sqrt 3$, the limit for empty cells. The intervals come from the bootstrap: we draw thirty targets with replacement, two thousand times, and compute the factor each time.


# %% tags=["hide-input"]
def ratio_of_d(mean_aucs):
    return d_of(mean_aucs["occupied cells"]) / d_of(mean_aucs["sum"])


heavy = four_attacks.query("unit == 'event' and level == 0.1")  # scale 10
heavy = heavy.pivot_table("AUC", ["data", "target"], "attack")
of_factor = {}
for name, people in people_of.items():
    aucs, others, simulated = heavy.loc[name], [], []
    for person in aucs.index:
        one = experiments.Game(people, person, **experiments.sizes_of(name, people))
        one = one.challenge([])  # true counts
        in_cells = one.releases_at(np.flatnonzero(one.trace))[one.members == 0]
        others.append(in_cells.mean())
        each = (
            d_under_noise(score, in_cells, 10, 60) for score in (add_up, count_occupied)
        )
        simulated.append(auc_of(np.array(list(each))))
    d_sum, d_occupied = d_of(np.mean(simulated, axis=0))
    drawn = draws.integers(len(aucs), size=(2000, len(aucs)))
    resampled = [ratio_of_d(aucs.iloc[rows].mean()) for rows in drawn]
    low, high = np.quantile(resampled, [0.025, 0.975])
    of_factor[name] = {
        "other visits in a target cell": f"{np.mean(others):.1f}",
        "factor, from the AUCs": f"{ratio_of_d(aucs.mean()):.2f} [{low:.2f}, {high:.2f}]",
        "factor, simulated": f"{d_occupied / d_sum:.2f}",
        "factor, empty cells": f"{np.sqrt(3):.2f}",
    }
of_factor = pd.DataFrame.from_dict(of_factor, "index").rename_axis("data")
plots.show_table(of_factor, "factors")

# %% [markdown]
# On average the target's cells hold about one other visit on the tweeters and the callers, and two on the flights. In a cell with other visits, the target's visit is less often lost in clipping, which helps the sum. The simulated factors are therefore below $\sqrt 3$: 1.46, 1.42 and 1.35. Every interval contains the simulated factor, so the measured AUCs are compatible with this explanation. But the intervals of the tweeters and of the flights are wide, and they also contain $\sqrt 3$.
#
# So counting occupied cells has two advantages over the sum. A busy cell cannot dominate it, which matters when the noise is weak, and a few very large values of the noise cannot dominate it, which matters when the noise is strong. {ref}`zk-when-counting-fails` asks for which counts and scales counting does worse than adding up. The chapter on [thresholds](thresholds.ipynb) derives the best rule for a single cell.
#
# ```{note}
# We had the idea of counting occupied cells after seeing how the other attacks fared under noise on the thirty flights used here. [Thirty other flights](zk-quiet) confirmed it at two levels of event-level noise. On the tweeters and the callers, and against the other defenses, we tested it here for the first time.
# ```

# %% [markdown]
# (zk-against-suppression)=
# ## How far does suppression protect?
#
# Many statistical offices suppress small counts. How large must $k$ be before the attacks fail? As in the main experiment, results are means over 30 targets. On raw counts ($k = 0$) KK, ZK and the sum first apply the rule of step 6: a group in which one of the target's cells holds a 0 gets the lowest possible score, $-\infty$. We counted occupied cells only at $k = 1$, 3 and 5. The groups of synthetic people have 1,000 members, as in the paper; the groups of flights have 250, because there are fewer flights.

# %% mystnb={"figure": {"name": "fig-zk-suppression", "caption": "All four attacks get weaker as k grows, and at k = 5 the best of them is still better than guessing (dotted line). On the tweeters the AUC of ZK falls faster than that of KK. Mean AUC over 30 targets with 95% intervals against k, the largest count that is suppressed. Circles: KK; squares: ZK; diamonds: the sum; pluses: occupied cells, counted only at k = 1, 3 and 5, so no line joins the pluses. The marks of each k are moved apart sideways. At k = 0 the other three attacks use the rule for raw counts (step 6)."}, "image": {"alt": "Three panels, synthetic tweeters, synthetic callers and flights: mean AUC of KK, ZK, the sum and occupied cells against the largest suppressed count with intervals. All fall from about one; the sum and occupied cells are mostly on top."}} tags=["hide-input"]
note = figures.source_note(experiments.suppression)
by_k = four_attacks.query("unit == 'suppressed'").rename(columns={"level": "k"})
figures.show_four(by_k, "k", "counts up to k become 0" + note)

# %% tags=["hide-input"]
three_ks = by_k.query("k in (1, 3, 5)").astype({"k": int})
plots.show_table(figures.beside_kk(three_ks, ["data", "k"], fine=True), "suppression")
gone = 100 * experiments.suppressed.stored().query("k == 5").set_index("data")["share"]
print("positive counts suppressed at k = 5, in percent:")
print(gone.round().astype(int).to_dict())

# %% [markdown]
# All attacks get weaker as $k$ grows, but even $k = 5$ does not stop the best attack. The paper reports that every AUC is below 0.55 at $k = 5$ (Sec. 6.1). On our synthetic callers the AUC of every attack stays far above this value, and the two attacks without training have the highest AUCs. Only one AUC falls to the paper's level, that of ZK on the synthetic tweeters.
#
# Suppression weakens the attacks because it deletes the counts that they use. At $k = 5$ more than nine in ten positive counts are gone, here as in the paper. The few counts that remain are in crowded cells. If the target visited some of these cells, the sum of their counts is still evidence.
#
# Why does ZK lose this evidence on the tweeters? A regression can give a weight to a cell only if the cell's count is positive in some training group. How many of the target's cells are positive in at least one training group at $k = 5$? ZK trains on 200 groups with the target. For each of the thirty targets we draw 200 such groups, and we compute the share of the target's cells that are positive in at least one of them. Then we compute the sum in the data holder's groups over *only these cells*. Suppose that ZK does badly because it cannot use the cells that are always 0 in its training groups. Then the sum over the remaining cells should do as badly as ZK:

# %%
k, draws = 5, stream(seed, "surviving cells")
suppressing = [SuppressSmallCounts(threshold=k + 1)]
of_holder = experiments.Game(town, target).challenge(suppressing)

# 1. synthetic traces from the release
learner = zk.ZeroKnowledge(
    game.trace, game.rois, suppressing, m, draws, n_traces=n_traces
)
traces_at_k = learner.synthesize(of_holder.release)

# 2. two hundred groups, all with the target
groups_at_k = sample_groups(range(n_traces), 200, m - 1, draws)
counts_at_k = aggregate_cells(traces_at_k, groups_at_k, cells) + 1

# 3. which of the target's cells survive in at least one group?
survive = (counts_at_k > k).any(axis=0)
print(f"{survive.sum()} of {len(survive)} cells survive in ZK's training groups")

in_cells = of_holder.releases_at(cells)
for name, chosen in {"all cells": slice(None), "only these cells": survive}.items():
    auc = metrics.auc(of_holder.members, in_cells[:, chosen].sum(axis=1))
    print(f"AUC of the sum over {name}: {auc:.2f}")

# %% [markdown]
# These are the results for the target of [the attack by hand](zk-attack). Now we average over the thirty targets, also for KK's training groups. The output below the table shows the AUC over the cells that survive in the data holder's groups minus the AUC over those that survive in the synthetic groups, paired by target:

# %% tags=["hide-input"]
from lib.papers.zero_knowledge.untrained import counts_under_suppression

draws, rows = stream(seed, "surviving cells"), []
for person in under_suppression.query("data == 'tweeters-zk'")["target"].unique():
    labels_of, in_cells, unprotected = counts_under_suppression(town, person, k, draws)
    survive_here = (in_cells > 0).any(axis=0)
    for name, each in (unprotected | {"data holder's": in_cells}).items():
        survive = (each > k).any(axis=0)
        row = {"groups": name, "target": person, "share": survive.mean()}
        row["in both"] = (survive & survive_here).mean()
        sum_there = in_cells[:, survive].sum(axis=1)
        rows.append(row | {"AUC": metrics.auc(labels_of, sum_there)})
survivors = pd.DataFrame(rows)
titles = {"share": "cells ever positive", "in both": "also in data holder's groups"}
titles["AUC"] = "AUC of the sum over these cells"
plots.show_table(plots.table(survivors, ["groups"], titles), "surviving-cells")
auc = survivors.pivot_table("AUC", "target", "groups")
lost = (auc["data holder's"] - auc["synthetic (ZK)"]).to_numpy()
low, high = metrics.mean_interval(lost)
print(f"difference of the AUCs: {lost.mean():.2f} [{low:.2f}, {high:.2f}]")

# %% [markdown]
# In the data holder's groups, 16% of the target's cells have a positive count at least once. In the synthetic groups only 9% do, although there are 200 of these groups, all with the target, and only 100 of the data holder's, half of them with the target. Cells that are never positive in the synthetic groups get no weight from ZK.
#
# If we leave out the cells that are never positive in the synthetic groups, the AUC of the sum drops by 0.07 (computed before rounding), from 0.62 to 0.56. This is most of the 0.09 by which the AUC of the sum exceeds that of ZK ([table](zk-headline)). The sum itself needs no training, so it uses every cell that survives.
#
# In KK's training groups 22% of the target's cells survive, which is more than in the data holder's groups. Yet the AUC of the sum over KK's cells is not higher than over the data holder's. The second column shows why. Cells that survive only in KK's groups are 0 in all of the data holder's groups, so they add nothing to the sum. And some of the cells that do survive in the data holder's groups are missing from KK's groups: only 11% of the target's cells survive in both. Only 5% survive in both the synthetic groups and the data holder's groups. So fewer cells are missing from KK's groups than from the synthetic ones. This agrees with the AUCs at $k = 5$: that of KK is 0.60, and that of ZK is 0.53.
#
# ```{note}
# We ran this test only on the tweeters, at $k = 5$. The comparison of 0.07 with 0.09 is approximate, because the synthetic people here are a different draw from those in the stored results.
#
# The surrogates were generated so that the share of suppressed counts matches the share in the paper ([figure](zk-fig-15)). That our share agrees with the paper's is therefore not a finding.
# ```
#
# (zk-decides)=
# ## Why does a good ranking decide badly?
#
# At $k = 1$ ZK ranks the callers' groups almost perfectly, with an AUC of 0.98 ([the main experiment](zk-headline)). Yet its *decisions* are right for only 60% of the groups. The two measures differ because the AUC compares scores with each other, whereas a decision compares a score with a threshold. We look at five quantities for each of the two trained attacks:
#
# - *AUC*: how well the attack ranks the groups;
# - *accuracy*: the share of right decisions with the attacker's own threshold;
# - *accuracy at the best threshold*: the share of right decisions with the threshold that only somebody who knows the answers could choose (it is chosen on the groups on which it is evaluated, so the value is slightly too high);
# - *share labelled as containing the target*: of all groups, half of which contain the target;
# - *training minus data holder's groups, per cell*: the mean released count in one of the target's cells, over the attacker's training groups without the target, minus the same mean over the data holder's groups without the target.

# %% mystnb={"figure": {"name": "fig-zk-accuracy", "caption": "At k = 1 ZK ranks the callers' groups almost perfectly (diamond) and would decide nearly all of them correctly with the best threshold (square). With its own threshold it is right much less often (circle), because it labels most groups as containing the target (triangle). The figure shows the same four measures for KK, too, and for the flights. All values are means over 30 targets with 95% intervals; the dotted line is one half."}, "image": {"alt": "Two panels, synthetic callers and flights, with a row for KK and a row for ZK: AUC, accuracy at the best threshold, accuracy, and share labelled as containing the target, with intervals. For ZK on the callers the AUC is 0.98, the accuracy 0.6, the best accuracy 0.96 and the share 0.9; the triangles of ZK are far right of one half in both panels."}} tags=["hide-input"]
thresholds = experiments.thresholds.stored("callers", "flights-by-number")
figures.show_accuracies(thresholds)

# %% tags=["hide-input"]
readable = {
    "best accuracy": "accuracy at the best threshold",
    "called in": "share labelled as containing the target",
    "learned - real": "training minus data holder's groups, per cell",
}
print(figures.source_note(experiments.thresholds).strip())
of_regression = thresholds.query("scorer == 'logistic'")
ranking = plots.table(
    of_regression, ["data", "attacker"], {"AUC": "AUC"}, within=(0, 1)
)
threshold_table = figures.threshold_table(thresholds, marked=True)
threshold_table = pd.concat([ranking.T[threshold_table.columns], threshold_table])
plots.show_table(threshold_table.rename(index=readable), "thresholds")

# %% [markdown]
# With the best threshold ZK would be right for 96% of the callers' groups. So the threshold is at fault, not the ranking.
#
# ZK chooses its threshold on synthetic groups. In these groups the target's cells contain significantly fewer visits than in the data holder's groups (last row). Compared with synthetic groups, a group of the data holder therefore has large counts even if the target is absent, and on the callers ZK labels nine in ten of these groups as containing the target. {numref}`fig-zk-decisions` shows a similar shift for one target of the tweeters under noise. On the flights ZK's training groups, too, have smaller counts, and ZK labels most of the groups as containing the target. But ZK also ranks the flights less well: even the best threshold would raise its accuracy only from 59% to 70%.
#
# ```{note}
# The smaller counts in synthetic groups are probably not the whole explanation. KK, too, labels more than half of the callers' groups as containing the target, although the counts in KK's training groups are at most slightly smaller (-0.03 [-0.07, 0.00] per cell). And we did not test why synthetic groups have smaller counts in the target's cells.
# ```
#
# In the paper, too, a high AUC can go together with a low accuracy. The next table contains the paper's rows with $k = 1$ and with event-level noise of scale 1 or less. The rows `calls` are about its call records. The columns ZK and KK contain the paper's accuracies, and the last column contains what the paper reports about the AUC.

# %% tags=["hide-input"]
both = "at least 0.9 for both"
printed = pd.DataFrame(
    [
        ("Milan", "k = 1", "Table 3", "0.70", "0.77", "0.92 for both (Table 9)"),
        ("Milan", "visit, ε = 1", "Table 4", "0.59", "0.85", "ZK above 0.9, KK 0.97"),
        ("Milan", "visit, ε = 5", "Table 4", "0.66", "0.88", both),
        ("Milan", "visit, ε = 10", "Table 4", "0.67", "0.92", both),
        ("calls", "k = 1", "Table 3", "0.88", "0.91", "0.98 for both (Table 8)"),
        ("calls", "visit, ε = 1", "Table 4", "0.91", "0.92", "above 0.97 for both"),
        ("calls", "visit, ε = 5", "Table 4", "0.93", "0.91", both),
        ("calls", "visit, ε = 10", "Table 4", "0.93", "0.92", both),
    ],
    columns=["data", "defense", "source", "ZK", "KK", "AUC"],
)
plots.show_table(printed.set_index(["data", "defense"]), "paper-accuracy")

# %% [markdown]
# For Milan under weak noise the accuracy of ZK is far below that of KK, although both AUCs are high. On the call records there is no such gap. The paper does not print the accuracy at the best threshold, so we cannot say whether the threshold is at fault there, too.
#
# (zk-against-noise)=
# ## What protects: the unit of privacy or the noise?
#
# Data holders announce a unit of privacy and a value of $\varepsilon$. But what conceals the target is the noise, whose scale is $\Delta/\varepsilon$. For event-level noise with $\varepsilon = 1$ the sensitivity is $\Delta = 1$, so the scale is 1. For user-day-level noise with at most 10 visits a day the sensitivity is $\Delta = 10$; with $\varepsilon = 10$ the scale is 1, too. So we can compare the two units at the same scale.
#
# At the same scale the noise has the same distribution under both units. The two releases then differ only in the daily limit: a user-day-level release leaves out a user's visits beyond the limit. So the comparison tests whether this limit matters. The next cell computes which share of each user's visits the limit removes. The AUCs are means over the thirty targets, so the share of the targets' own visits is more relevant than the share of all visits:

# %%
from lib.mechanisms import BoundContributions


def removed_by_limit(people, visits_a_day):
    limit = BoundContributions(visits_a_day)
    limited = limit.apply_traces(people, stream(seed, "daily limit"))
    return people.visits() - limited.visits()


lost = removed_by_limit(town, daily_limit["tweeters-zk"])
share = lost.sum() / town.visits().sum()
print(f"of all visits of the tweeters, the limit removes {share:.0%}")

# %% tags=["hide-input"]
removed = {}
for name, people in people_of.items():
    lost, visits = removed_by_limit(people, daily_limit[name]), people.visits()
    chosen = under_noise.query("data == @name")["target"].unique()
    of_targets = lost.to_numpy()[chosen] / visits.to_numpy()[chosen]
    removed[name] = {
        "of all visits": f"{lost.sum() / visits.sum():.0%}",
        "of a target's visits, on average": f"{of_targets.mean():.0%}",
        "at most": f"{of_targets.max():.0%}",
    }
removed = pd.DataFrame.from_dict(removed, "index")
plots.show_table(removed.rename_axis("the daily limit removes"), "daily-limit")

# %% [markdown]
# On the flights the limit removes nothing. There the two releases have the same distribution, and their AUCs can differ only by chance. Only the tweeters and the callers can show an effect of the limit.

# %% mystnb={"figure": {"name": "fig-zk-noise", "caption": "At the same scale of the noise, no mean AUC differs by more than 0.03 (grey band) between user-day-level noise (day) and event-level noise (visit), although some intervals extend well beyond the band. Means over 30 targets of the AUC under `day` minus the AUC under `visit`, with 95% intervals. Circles: KK; squares: ZK; diamonds: the sum; pluses: occupied cells. The dotted line is 0. On the flights the daily limit removes nothing, so only chance is at work there. On the callers the two units have only one scale in common."}, "image": {"alt": "Three panels, synthetic tweeters, synthetic callers and flights, with a group of four marks for each scale of the noise: difference of AUCs with intervals for KK, ZK, the sum and occupied cells. All marks lie in the grey band from minus to plus 0.03; on the tweeters they are right of zero, on the flights left of zero."}} tags=["hide-input"]
sensitivity_of = {"event": dict.fromkeys(people_of, 1), "user-day": daily_limit}
same_scale = four_attacks.query("unit in ('event', 'user-day')")
at_scale = [
    sensitivity_of[unit][name] / level
    for unit, name, level in same_scale[["unit", "data", "level"]].itertuples(
        index=False
    )
]
same_scale = same_scale.assign(scale=at_scale)
n_units = same_scale.groupby(["data", "scale"])["unit"].transform("nunique")
same_scale = same_scale[n_units == 2].sort_values("scale", kind="stable")
in_order = [same_scale[same_scale["data"] == name] for name in people_of]
same_scale = pd.concat(in_order)
figures.show_unit_differences(
    same_scale, 0.03, "AUC: day minus visit" + figures.source_note(experiments.noise)
)

# %% tags=["hide-input"]
by_attack = {}
named = same_scale.replace({"unit": {"event": "visit", "user-day": "day"}})
for attack in ("sum", "occupied cells", "KK", "ZK"):
    by_attack[attack] = figures.paired_table(
        named.query("attack == @attack"),
        ["data", "scale"],
        [("day", "visit")],
        across="unit",
        fine=True,
    )
noise_table = by_attack["sum"][["visit", "day"]].add_prefix("sum: ")
for attack, each in by_attack.items():
    short = attack.removesuffix(" cells")
    noise_table[f"{short}: day - visit"] = each["day - visit"]
plots.show_table(noise_table, "noise")

# %% [markdown]
# The table shows the AUC of the sum under both units at the same scale, and the differences plotted in the figure. No difference is larger than 0.03. On the tweeters and the callers nearly all of the differences are positive, so the daily limit may even help the attacks a little. Two of them are significant, those of the sum on the tweeters at scales 1 and 2. But on the flights only chance is at work, and there the differences are of similar size, with the opposite sign. Two differences of the occupied cells on the flights are marked as significant, too. So whether the limit helps the attacks is inconclusive. (The four attacks face the same groups and the same noise, so a chance deviation affects all of them together.)
#
# So the limit hardly changes the mean success of the attacks, although it removes some visits of the tweeters and the callers. **Two releases with noise of the same scale protect about equally well against our four attacks, on average over targets, if the daily limit removes few of the targets' visits.** (At scale 10 the intervals do not exclude differences of up to 0.06.) On the tweeters and the callers the limit removes 4% of a target's visits on average. Individual targets can lose far more of their visits, up to 65% on the callers, and a mean AUC does not show the effect on them.
#
# Why, then, does the same noise have a different $\varepsilon$ under each unit? The two values answer different questions. Noise of scale 1 guarantees $\varepsilon = 1$ for one visit. If a day is limited to 10 visits, the values of $\varepsilon$ for the single visits add up, so the same noise guarantees only $\varepsilon = 10$ for one day. An event-level release has no daily limit. If somebody makes more than 10 visits in a day, an event-level release does not guarantee even $\varepsilon = 10$ for that day. The two values cannot be compared, because they refer to different units. To guarantee $\varepsilon = 1$ *for a day*, the noise would need scale 10.
#
# Do all attacks fail at the same scale? The next figure compares them under event-level noise. (We did not count occupied cells at scale 0.2.)

# %% mystnb={"figure": {"name": "fig-zk-noise-attacks", "caption": "Above scale 0.2, all four attacks get weaker as the scale of event-level noise grows. From scale 1 on, counting occupied cells (pluses) has the highest AUC in all three panels. On the flights the sum (diamonds) is far below the other attacks at small scales. Circles: KK; squares: ZK. Mean AUC over 30 targets with 95% intervals; the marks of each scale (0.1, 0.2, 1, 2 and 10) are moved apart sideways. Occupied cells were not counted at scale 0.2, so no line joins the pluses; the horizontal dotted line is guessing."}, "image": {"alt": "Three panels, synthetic tweeters, synthetic callers and flights: mean AUC of KK, ZK, the sum and occupied cells against the scale of event-level noise on a logarithmic axis. Above scale 0.2 all fall as the scale grows; occupied cells are on top from scale 1 on, and on the flights everywhere."}} tags=["hide-input"]
event_level = four_attacks.query("unit == 'event'")
event_level = event_level.assign(scale=1 / event_level["level"])
xlabel = "scale of the noise, Δ / ε" + figures.source_note(experiments.noise)
figures.show_four(event_level, "scale", xlabel, "log")

# %% tags=["hide-input"]
some_scales = event_level.query("scale in (0.1, 0.2, 1, 2, 10)")
some_scales = some_scales.sort_values("scale", kind="stable")
by_scale = figures.table(some_scales, ["data", "scale"], marked=True, fine=True)
plots.show_table(by_scale, "noise-attacks")

# %% [markdown]
# The answer depends on the data. On the tweeters KK, ZK and the sum weaken together. On the callers strong noise weakens the two attacks without training least: at scale 10 the AUC of the sum is still 0.69 and that of the occupied cells 0.76, whereas those of KK and ZK are close to 0.6. On the flights counting occupied cells has the highest AUC at every scale at which we counted them. The order of the other three changes with the scale: at scale 10 they are about equal, at scale 1 KK is ahead, and at 0.1 and 0.2 both trained attacks are ahead of the sum.
#
# ```{note}
# We tested only limits of 10 and 20 visits a day, and both remove few visits. A limit of one visit a day would delete most of the evidence about a target with many visits a day. Such a limit should therefore protect better at the same scale.
# ```
#
# (zk-must-know)=
# ## How much must the attacker know about the target?
#
# So far the attacker knew every visit of the target. In the next experiment the attacker knows only a given share of the visits, chosen at random. As in the paper, the number of known visits is rounded up, so an attacker who knows a tenth of 15 visits knows 2 of them. The release is protected by two defenses: first event-level noise ($\varepsilon = 1$), then suppression with $k = 1$.

# %% tags=["hide-input"]
partly = figures.with_sums([experiments.partial], "known", "share")
parts = partly.query("share in (0.1, 0.5, 1)")
columns = ["ZK", "sum", "ZK - KK", "sum - ZK"]
known_table = figures.table(parts, ["data", "share"], marked=True, fine=True)
plots.show_table(known_table[columns], "known")

# %% mystnb={"figure": {"name": "fig-zk-known", "caption": "KK, ZK and the sum are well above guessing even if the attacker knows only a tenth of the visits (rounded up). Mean AUC over 30 targets with 95% intervals against the share of the target's visits that the attacker knows; both populations are synthetic surrogates."}, "image": {"alt": "Two panels, synthetic tweeters and synthetic callers: mean AUC of KK, ZK and the sum against the share of the target's visits that is known, with intervals. All rise with the share; the sum is on top."}} tags=["hide-input"]
xlabel = "share of the target's visits that is known" + figures.source_note(
    experiments.partial
)
figures.show_against(partly, "share", xlabel)

# %% [markdown]
# On both synthetic populations, an attacker who knows a tenth of the visits (rounded up) already does much better than guessing. The reason is easiest to see for the sum. If the target is counted, each known cell raises the mean of the sum by up to one visit. If the cells are roughly independent, the standard deviation of the sum grows with the square root of the number of known cells. If the attacker knows a tenth of the cells, the [signal-to-noise ratio](zk-d) is therefore smaller by a factor of $\sqrt{10}$, about three, and not by a factor of ten.
#
# {ref}`zk-square-root` turns this argument into a prediction of the AUC. On the tweeters the prediction is close to the measured AUC. On the callers an attacker with little knowledge does even better than predicted. One reason is that the counts of a caller's cells rise and fall together.
#
# For an attacker who knows all of the target's visits, the AUC of ZK on our tweeters is 0.85, and that of KK is about the same. The paper reports an AUC of 0.9 or more for both attacks on Milan (Sec. 6.3). On our tweeters even the sum, with an AUC of 0.89, does not quite reach this value. On its call records the paper reports more than 0.97 for both attacks. On our callers the AUC of ZK is 0.95, and that of KK is about the same; the AUC of the sum is 0.98. We did not count occupied cells in this experiment, so these AUCs may understate the risk.
#
# A weaker attacker may know the target's *places* but not the hours. The paper tests such an attacker on raw counts (Table 11). Suppose that the attacker knows all the places that the target visited, and assumes a visit to each of them in every hour. In the paper, KK then has an AUC of 0.83 on the call records and 0.86 on the tweets of Milan, whereas ZK has an AUC of only 0.52 and 0.55. Here are the AUCs on our surrogates:

# %% tags=["hide-input"]
all_places = experiments.places.stored().astype({"places": str})
every_hour = "greedy"  # the attacker assumes a visit in every hour
all_places = all_places.query("places == 'all' and method == @every_hour")
plots.show_table(plots.table(all_places, ["data"], "AUC", "attacker"), "all-places")

# %% [markdown]
# On our surrogates KK and ZK are about equally good, because KK does far worse than in the paper: its AUC is 0.61 on the tweeters (paper: 0.86) and 0.54 on the callers (paper: 0.83). We cannot explain this gap. ZK, in contrast, does no worse than in the paper. The [replication page](zk-places) has more variants of this attack.
#
# (zk-not-enough)=
# ## When are synthetic traces not enough?
#
# In the chapter on [Knock-Knock](kk-sizes), a target was easier to find in a small group. Under suppression the opposite can happen, because the counts of a small group are small and most of them are deleted. The figure and the table compare group sizes ($m$) under suppression with $k = 1$.

# %% mystnb={"figure": {"name": "fig-zk-sizes", "caption": "In groups of 100, ZK is far below KK and the sum on the tweeters, and less far on the callers; in groups of 1,000 ZK and KK are about equally good. On the synthetic populations the AUCs of KK and ZK are higher in groups of 1,000 than in groups of 100. Mean AUC over 30 targets with 95% intervals against the group size, under suppression with k = 1; the dotted line is guessing."}, "image": {"alt": "Three panels, synthetic tweeters, synthetic callers and flights: mean AUC of KK, ZK and the sum against the number of users in a group on a logarithmic axis. On the tweeters ZK starts near 0.6 at 100 users, while KK and the sum start near 0.8; KK and ZK come together at 1,000, and the sum stays slightly above."}} tags=["hide-input"]
several = experiments.sizes, experiments.flight_sizes
small = figures.with_sums(several, "k = 1", "m", "release == 'k = 1'")
size_label = "users in a group, m" + figures.source_note(experiments.sums)
figures.show_against(small, "m", size_label, "log")

# %% tags=["hide-input"]
few_sizes = small["m"].isin([100, 250, 1000]) | (small["data"] == "flights-by-number")
by_size = figures.beside_kk(small[few_sizes], ["data", "m"], fine=True)
plots.show_table(by_size, "small-groups")

# %% [markdown]
# In groups of 100 synthetic tweeters the AUC of ZK is 0.21 below that of KK. So for these groups, synthetic traces cannot replace real ones in training. But an attacker can do without training: in the same row the AUC of the sum, which uses no traces of other people, is even slightly higher than that of KK. In groups of 1,000 ZK and KK are about equally good on both populations. In no row is the AUC of the sum significantly below that of KK. We did not count occupied cells here, either, so the best of these AUCs may understate the risk.
#
# Why does ZK do badly in small groups? It must estimate the marginals from the release, and after suppression the release of a small group may contain too few visits for this. We did not test this explanation. On the synthetic populations the AUC of KK *rises* with the group size. The paper finds the same, up to groups of 1,000 on its call records and up to groups of 2,000 on Milan. It attributes this rise to suppression, which deletes a larger share of the counts in a small group. On its call records the AUC falls slightly in groups of more than 1,000. The paper attributes this to a second effect: without any defense, a target is harder to find in a larger group.
#
# ```{note}
# On the flights, the comparison of groups of 100 with groups of 250 is inconclusive. Groups of 500 are drawn from only 553 flights, so any two of them share almost all of their members. The row for 500 therefore says little about group size. For groups of 250 the AUC of KK is 0.78 here and 0.77 in [the section on suppression](zk-against-suppression), because the attacker drew different training groups. The targets and the test groups are the same.
#
# In groups of 100 the paper's gap between ZK and KK differs from ours in both directions. On Milan the AUC of ZK is 0.06 below that of KK (Table 9; on our tweeters 0.21), and on call records 0.08 (Table 8; on our callers 0.04). Very large groups, too, are a problem for ZK in the paper: on call records its AUC falls from 0.99 in groups of 500 to 0.94 in groups of 3,000 (Table 8).
# ```
#
# (zk-defenses)=
# ## Which defense protects, and what does it cost?
#
# A defense should be judged by two numbers. The first is the success of the *strongest* attack that we have; a weaker attack would understate the risk. The second is the *cost*, the damage to legitimate uses of the data. We measure the cost by the share of visits that end up in the wrong cell, $\frac12 \sum_{s,t} |\bar A_{s,t} / \sum \bar A - A_{s,t} / \sum A|$. This is the total variation distance between the released and the true shares of all cells: the share of visits that would have to be moved to turn one into the other. Because it compares shares, this measure ignores a wrong total: a release in which every count is doubled has a cost of 0. To judge how large a cost is, we compare it with the cost of a *flat* release, in which all cells have the same count. For the six people from the beginning of the chapter, a few lines compute the cost:


# %%
def cost(release, truth):
    return np.abs(release / release.sum() - truth / truth.sum()).sum() / 2


for name, release in releases.items():
    print(f"{name}: {cost(release, raw):.0%} of the visits are in the wrong cell")
print(f"a flat release: {cost(np.ones(raw.shape), raw):.0%}")

# %% [markdown]
# If a release costs as much as a flat one, then its counts, taken at face value, are as far from the true counts as those of a release that says nothing about where people are. The release may still contain information: a user of the data may be able to correct for the noise or to add up many cells. For the six people, suppression costs less than a flat release. This draw of noise costs more: with so few people, noise of scale 1 is as large as most of the counts.
#
# ### What does each defense cost?
#
# For each defense we now set the AUC of [the best of the four attacks](zk-strongest) beside the cost, and we compare this cost with that of a *flat* release. The figure shows the tweeters and the flights, and the tables below it also show the callers.

# %% tags=["hide-input"]
all_three = ["tweeters-zk", "flights-by-number", "callers"]
prices = figures.prices(four_attacks, experiments.costs.stored())
prices = prices.loc[[(name, *defense) for name in all_three for defense in defenses]]

flat = pd.DataFrame({"cells moved": experiments.flat_costs(all_three)})
for name in all_three:
    of_places = experiments.true_marginals(people_of[name])[0]
    flat.loc[name, "places moved"] = cost(np.ones(len(of_places)), of_places)
print(figures.source_note(experiments.suppression).strip())

# %% mystnb={"figure": {"name": "fig-zk-prices", "caption": "On the tweeters and the flights, every defense that brings the AUC of the best of four attacks below 0.65 (grey) puts at least about as many visits into the wrong cell as a flat release (dashed line). The exception is k = 5 on the flights, with 82% against 92%. Left: mean AUC of the best attack, with its 95% interval over 30 targets with at least ten visits; dotted: guessing. The best attack is counting occupied cells, except where the sum or KK is named. Right: share of visits in the wrong cell. In each panel the rows are sorted by the AUC. The number in parentheses is the scale of the noise. Circles, k: counts up to k become 0. Squares, visit: event-level noise. Triangles, day: user-day-level noise. Diamonds, user: user-level noise."}, "image": {"alt": "For synthetic tweeters and for flights, nine defenses in rows, sorted by AUC: left the best attack's mean AUC with interval, right a bar with its percentage for the share of visits in the wrong cell and a dashed line for a flat release. Defenses with an AUC in the grey band below 0.65 have bars that reach the dashed line, except k = 5 on the flights, whose bar ends before it."}} tags=["hide-input"]
in_figure = ["tweeters-zk", "flights-by-number"]
figures.show_protection(prices, scales, flat.loc[in_figure, "cells moved"], near=0.65)

# %% [markdown]
# (zk-cost-table)=
# Not every use of the data requires the counts of single cells. For some uses the total of each place over all hours is enough. The tables give the numbers of the figure, the same numbers for the callers and, in the last column, the share of visits that these totals assign to the wrong *place*. The rows are sorted as in the figure:

# %% tags=["hide-input"]
plots.show_parts(figures.cost_table(prices, scales, flat), "prices")

# %% [markdown]
# Why can strong noise cost even more than a flat release, as it does on the tweeters and mostly on the callers? Strong noise makes the counts alike on average, as in a flat release. But each single count also deviates from this average at random, and these deviations add to the error. Suppression with $k = 5$ costs more than a flat release on the tweeters and the callers, because the few cells that remain get all of the visits. On the callers `user, ε = 1` costs slightly less than `user, ε = 10`, although its noise is ten times as large. The reason is the upper limit: no count may exceed $m = 1{,}000$. At scale 1,500 about half of the counts are released as 0, and about a quarter as 1,000. Compared with their mean, these counts differ less from one another than counts with noise of scale 150, which have a long tail. So they are closer to a flat release.
#
# The grey area in {numref}`fig-zk-prices` ends at an AUC of 0.65. This limit is our choice. But on the tweeters and the flights, there is no defense under which the AUC of the best attack lies between 0.62 and 0.77. Every limit between these two values therefore selects the same defenses. (The interval of `k = 5` on the tweeters ends at 0.66.) On the callers the limit matters more: `day, ε = 1` has an AUC of 0.65, and `k = 5` and `visit, ε = 0.1` have 0.76. Each of these three defenses costs at least as much as a flat release: 80%, 96% and 79%, compared with 77%. So on the callers, as on the tweeters, no defense in the table protects well and costs clearly less than a flat release. (On the flights $k = 5$ is the exception.)
#
# - **Suppression** gives no privacy guarantee. It protects only by deleting counts. On the real flights $k = 5$ weakens the best attack more than user-level noise with $\varepsilon = 10$ (scale 1.5) does: the AUC is 0.62, compared with 0.82. The cost of $k = 5$ is slightly higher, 82% compared with 78%. On the synthetic tweeters $k = 5$ costs more than a flat release, and the best attack is still better than guessing.
# - **Event-level noise** with $\varepsilon = 10$ is the cheapest defense in the figure, and it hardly protects. With $\varepsilon = 1$ it puts more than half of the visits into wrong cells, and the best attack still succeeds.
# - **User-level noise** protects if its scale is large. With $\varepsilon = 10$ the AUC on the tweeters is 0.55, because one user with 150 visits determines the scale of the noise for everybody. No flight has more than 15 visits, so on the flights the noise with $\varepsilon = 10$ is weak (scale 1.5), and the best attack still succeeds. With $\varepsilon = 1$ it protects on both datasets, at about the cost of a flat release.
#
# Are the totals of places less distorted than the single cells? With one exception, the defenses that bring the AUC of the best attack below 0.65 are no better than a flat release for the totals of places, either. The exception is suppression with $k = 5$ on the flights, which does somewhat better: it puts 53% of the visits in the wrong place, and a flat release puts 62% of them in the wrong place.
#
# The results for the tweeters are results about synthetic people. The paper advises data holders to protect users or their days *with carefully selected budgets*. Our results support this advice, because naming a unit is not enough. User-level noise with $\varepsilon = 10$ protects the tweeters, where its scale is 15, far better than the flights, where its scale is only 1.5. For a given population and target, what counts is the scale $\Delta/\varepsilon$, whatever the name of the unit, as long as the limit of the unit removes few of the target's visits.
#
# (zk-more-visits)=
# ### Does a target with more visits need more noise?
#
# The evidence adds up over the visits of a target, so a target with more visits should need noise of a larger scale. A comparison between our datasets cannot test this, because the datasets differ in more than the number of visits. Therefore we compare targets of the *same* dataset under the *same* noise. We split the thirty targets at their median number of visits, and compare the mean AUCs of the two halves. We use the scores from counting occupied cells under event-level noise of scales 1 and 10. (Differences are computed before rounding.)

# %% tags=["hide-input"]
of_occupied = four_attacks.query("attack == 'occupied cells' and unit == 'event'")


def by_visits(name, epsilon):
    """Mean AUC of the targets with fewer and with more visits than the median."""
    one = of_occupied.query("data == @name and level == @epsilon")
    visits = people_of[name].visits().to_numpy()[one["target"]]
    more = visits > np.median(visits)
    aucs = one["AUC"].to_numpy()
    low, high = metrics.difference_interval(aucs[more], aucs[~more])
    change = aucs[more].mean() - aucs[~more].mean()
    medians = np.median(visits[~more]), np.median(visits[more])
    return medians, (aucs[~more].mean(), aucs[more].mean()), (change, low, high)


halves = {}
for name in people_of:
    for epsilon in (1, 0.1):
        medians, means, (change, low, high) = by_visits(name, epsilon)
        row = dict(zip(("visits, fewer", "visits, more"), medians, strict=True))
        row = {title: f"{each:g}" for title, each in row.items()}
        row |= {"AUC, fewer": f"{means[0]:.2f}", "AUC, more": f"{means[1]:.2f}"}
        row["more - fewer"] = figures.difference_text(change, low, high)
        halves[name, f"{1 / epsilon:g}"] = row
halves = pd.DataFrame.from_dict(halves, orient="index")
halves = halves.rename_axis(["data", "scale"])
plots.show_table(halves, "more-visits")

# %% [markdown]
# **On both synthetic populations, under the same noise, counting occupied cells is better at recognising targets with more visits.** On the callers at scale 10 the mean AUC is 0.83 for the targets with more visits and 0.68 for those with fewer. On the flights we found no significant difference, but there the two halves hardly differ in their numbers of visits.
#
# Noise of scale 10 also protects the callers less than the tweeters and the flights: the AUC of the best attack is 0.76 on the callers, 0.59 on the tweeters and 0.60 on the flights ([table](zk-strongest)). The targets among the callers have far more visits, so the comparison between datasets agrees with the comparison within each dataset.
#
# The comparison within a dataset is not an experiment, because we did not choose how many visits a target makes. Another property of targets with many visits could contribute, such as the places that they go to.
#
# ```{note}
# *What this does not show.* The attacked targets are active users in groups from a small pool, as in the [main result](zk-headline).
#
# The best attack is the best of KK, ZK, the sum and counting occupied cells. We chose it for each defense after seeing the results, so its AUC is slightly too high. A stronger attack may exist. In particular, counting occupied cells was [our idea after we had seen some of the results](zk-strongest).
#
# Costs are means over five releases. The only exception is the cost of the totals of places in a flat release, which we compute for the whole population. The costs are those of the release as it is. A user of the data who knows the defense can correct some of the bias that clipping causes; we did not measure the cost after such a correction. We did not measure the cost of the totals of hours, either.
#
# One could also try user-level noise with a budget between 1 and 10. Moreover, a data holder who wants to publish only place totals can add noise to the totals themselves instead of to every cell. This should cost less. We tested neither. We read the largest number of visits from the data; the user-level guarantee holds only if this number may be public.
# ```
#
# (zk-your-data)=
# ## The same on your data
#
# The next cell runs KK, ZK and the sum on the data of this page, with `n_targets` = 5 targets and `n_train` = 200 training groups. It also counts occupied cells in the same groups. If you run the page on your own data, with more targets, the table shows which of the four attacks is the most successful. Judge a defense by this attack. Here we draw no conclusions from the table, because five targets give wide intervals. The code and its table are folded; click to open them.

# %% tags=["hide-cell"]
running = {"n_train": n_train, "n_test": n_test, "scorers": figures.SCORERS}
running |= {"of": live_sizes, "units": live_targets}
running |= {"processes": processes, "seed": seed}
few = experiments.suppression(populations, ks=ks, **running)
more = experiments.noise(populations, epsilons=epsilons, **running)
live = figures.by_defense(figures.attacks(few), figures.attacks(more))

live_offers = [("suppressed", float(k)) for k in ks]
live_offers += [(unit, e) for unit in ("event", "user-day") for e in epsilons]
same_games = {"cap": 10, "n_test": n_test, "seed": seed}
for name, people in populations.items():
    of_data = name, people, live_offers, live_targets[name]
    occupied = score_games(count_occupied, *of_data, **same_games)
    live = pd.concat([live, occupied.assign(attack="occupied cells")])
live = figures.describe_defenses(live)
plots.show_table(figures.beside_kk(live, ["data", "defense"], fine=True), "live")

# %% [markdown]
# (zk-found)=
# ## What the paper found, and what we found
#
# We consider seven findings of the paper, the last of them from an appendix:
#
# 1. ZK performs nearly as well as KK on call records and on tweets.
# 2. Weak noise does not stop the attacks. On call records both AUCs are at least 0.9 at every scale up to 2, and on tweets at every scale up to 1.
# 3. Strong suppression stops the attacks: at $k = 5$ every AUC is below 0.55.
# 4. User-day-level noise with $\varepsilon$ of at most 1 stops them, too.
# 5. ZK is effective even if the attacker knows only a tenth of the target's visits.
# 6. Training on pairs helps.
# 7. Without the hours both attacks get much weaker. With the places alone KK still recognises the target (its AUCs are 0.83 on call records and 0.86 on tweets), and ZK hardly does (0.52 and 0.55).
#
# We could not test these findings on the paper's data: the call records are not public, and we do not have the tweets. On our data we found the following. The table gives the AUCs of the four attacks under the two defenses that, according to the paper, stop its attacks: $k = 5$ and user-day-level noise with $\varepsilon = 1$. The list after the table considers the findings one by one.

# %% tags=["hide-input"]
of_paper = [("suppressed", 5.0), ("user-day", 1.0)]
of_paper = figures.select_defenses(four_attacks, of_paper)
our_aucs = plots.table(of_paper, ["data", "defense"], "AUC", "attack", within=(0, 1))
attack_names = ["KK", "ZK", "sum", "occupied cells"]
plots.show_table(our_aucs[attack_names], "beside-paper")

# %% [markdown]
# 1. *ZK and KK.* On the synthetic surrogates ZK performs nearly as well as KK in groups of 1,000, except on the tweeters under strong suppression. On the real flights the AUC of ZK is 0.04 to 0.05 below that of KK under noise of scale 1, and 0.05 below it under suppression with $k = 1$. In the other settings of the [main experiment](zk-headline), the AUCs of ZK and KK on the flights do not differ significantly.
# 2. *Weak noise.* Weak noise does not stop the attacks on the surrogates, either, but on the tweeters the paper's limit is only just reached. At scale 1 both AUCs are about 0.9 on the tweeters and higher on the callers, and on the callers both are still about 0.9 at scale 2 ({numref}`fig-zk-noise-attacks`). On the flights both are lower at scale 1, 0.82 and 0.78.
# 3. *Strong suppression.* With $k = 5$ we find an AUC of KK or ZK below the paper's limit of 0.55 in only one case: 0.53 for ZK on the tweeters. We cannot say whether this AUC is below the limit by more than chance. All other AUCs of KK and ZK are above it, most clearly on the callers (0.70 and 0.69). The AUC of the sum, an attack that is not in the paper, is higher still on all three datasets. Compared with KK, the difference is significant only on the callers ([table](zk-against-suppression)).
# 4. *User-day-level noise.* With $\varepsilon = 1$ the AUCs of the paper's own attacks lie close to the paper's limit of 0.55, three of the six slightly above it. None of their intervals lies entirely above the limit. On the callers and the tweeters the two attacks that are not in the paper exceed the limit (0.65 and 0.61 for occupied cells, 0.59 and 0.57 for the sum). For the first three of these four AUCs the whole interval lies above the limit. The interval of the sum on the tweeters begins at the limit, to two decimals, so this case is inconclusive. On the flights the AUC is 0.57 for counting occupied cells and 0.55 for the sum, and both cases are inconclusive, too.
# 5. *A tenth of the visits.* On our surrogates, too, ZK is clearly better than guessing, with an AUC of 0.64 on the tweeters and 0.80 on the callers ([table](zk-must-know)). The latter is below the lowest AUC of ZK on the paper's call records, 0.84. The sum is slightly better than ZK.
# 6. *Pairs.* On the synthetic tweeters, under user-day-level noise, training on pairs helps ZK and KK by similar amounts, whereas the paper reports a larger gain for ZK.
# 7. *Places without hours.* [On our surrogates](zk-must-know) both attacks are weak if the hours are unknown, and ZK is about as good as KK.
#
# [The replication](replication/zk.ipynb) gives every claim with its verdict.
#
# ## Take-aways
#
# - If the protection is weak, an attacker without traces of other people can still succeed, at least against targets with ten or more visits. So a release is not safe merely because no attacker has such traces. Adding up the target's own cells needs no training and no trace except the target's. The AUC of this sum is higher than that of ZK or about equal to it, except on real flights under weak noise. (ZK was trained on 400 groups, as in the paper; an attacker may draw more.) On the flights KK, which needs real traces, has a higher AUC than the sum under every noise of scale 1 or less that we tried.
# - Against noise, counting the target's occupied cells is the strongest of our four attacks, or not distinguishable from the strongest. Like the sum, it needs no training and no traces of other people.
# - On synthetic populations in groups of 1,000, synthetic traces train an attack about as well as real traces, except on the tweeters under strong suppression. On the real flights KK is significantly better than ZK: its AUC is higher by 0.04 to 0.05 under noise of scale 1, and by 0.05 under suppression with $k = 1$. Part of the reason may be that ZK's mobility model was not made for flights.
# - The two training groups of a pair share the noise and all members but one. Without clipping and suppression, everything in their difference cancels except the target and one other user. On the synthetic tweeters, under user-day-level noise, training on such pairs helps both attackers.
# - An attack can rank groups well and still decide badly. A threshold that was chosen on synthetic groups may be wrong for the data holder's groups.
# - How well noise protects a given target depends on the scale of the noise and on the target. On the tweeters and the callers, under the same noise, counting occupied cells is better at recognising targets with more visits. Against the attacks that we compared, two releases with noise of the same scale give about the same protection on average, provided that the daily limit removes few of the targets' visits. (At scale 10 the intervals do not exclude differences of up to 0.06.) On the tweeters and the callers the limit removes 4% of a target's visits on average.
# - Judge a defense by its cost and by the strongest attack on it that you can find. On the tweeters and the flights, every defense that brings the AUC of the best attack below 0.65 puts about as many visits into wrong cells as a flat release, or more. The only exception is $k = 5$ on the flights, which costs 82%, compared with 92% for a flat release.
#
# ## Exercises
#
# The exercises use variables of this page, such as `game`, `counts`, `cells`, `decided` and `fresh_games`. If you work with the notebook, run all cells above first. The exercises marked *by hand* need only a pocket calculator.
#
# ```{exercise} Ada or Ben? (★, by hand, 5 minutes)
# :label: zk-ada-or-ben
# In the [example of six people](zk-six) Fay takes Ada's place in the group without Ada. Suppose that Ben takes it instead. On this Monday Ben was with Ada all day. What are the counts in Ada's cells with and without her? What is the AUC of the sum on raw counts, and what is the highest AUC that any attack can reach?
# ```

# %% [markdown]
# ````{solution-start} zk-ada-or-ben
# :class: dropdown
# ````

# %%
ada_counted, ben_counted = aggregate(six, [[0, 2, 3, 4], [1, 2, 3, 4]])
print("Ada's cells, with Ada:", ada_counted[ada_cells])
print("Ada's cells, with Ben:", ben_counted[ada_cells])
print("same counts in every cell:", bool((ada_counted == ben_counted).all()))

# %% [markdown]
# In Ada's four cells both groups have the counts 2, 2, 1, 3. They have the same counts in all other cells, too, so the sum is the same with and without Ada, and its AUC is 1/2. Protected releases of the two groups have the same distribution, too, so no attack can do better. *Learned:* an attack detects only what distinguishes the target from the person who takes the target's place. If this person has the same trace as the target, no attack can tell the two groups apart.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Which cell speaks loudest? (★, by hand, 15 minutes)
# :label: zk-loudest
# In Ada's four cells the group with Ada has the true counts 2, 2, 1, 3, and the group with Fay has 1, 2, 0, 2 ([table](zk-six)). The counts are released with noise of scale 1, clipped and rounded down. What is the probability that a cell is occupied if its true count is 0, 1, 2 or 3? For each cell, by which factor is it more likely to be occupied with Ada than with Fay? Which cell is the strongest evidence for Ada if it is occupied, and which cells are the strongest evidence against her if they are *not* occupied?
# ```

# %% [markdown]
# ````{solution-start} zk-loudest
# :class: dropdown
# ````
#
# A cell with the true count $c$ is occupied if $c$ plus the noise is at least 1. For $c \ge 1$ the probability is $1 - \tfrac12 e^{-(c-1)}$, and for $c = 0$ it is $\tfrac12 e^{-1}$.

# %%
from scipy.stats import laplace

p_with, p_fay = (laplace.sf(1 - c) for c in in_ada_cells.values())  # P(noise >= 1 - c)
loudness = {"P(occupied), Ada": p_with, "P(occupied), Fay": p_fay}
loudness["factor if occupied"] = p_with / p_fay
loudness["factor if not"] = (1 - p_with) / (1 - p_fay)
loudness = pd.DataFrame(loudness, labels).round(2)
plots.show_table(loudness.map("{:.2f}".format).rename_axis("cell"), "loudest")

both_occupied = (p_with / p_fay)[[0, 2]].prod()  # home at 8h and station at 9h
print(f"home at 8h and station both occupied: factor {both_occupied:.2f}")

# %% [markdown]
# An occupied station at 9h is the strongest evidence for Ada: the station is $e \approx 2.72$ times as likely to be occupied with her as with Fay. No event in a single cell can be stronger evidence, because the two counts of a cell differ by at most one visit, and noise of scale 1 guarantees $\varepsilon = 1$ for one visit. Events in several cells can be stronger. The noise is independent, so the factors of two cells are multiplied: the event that both the home at 8h *and* the station are occupied is 4.44 times as likely with Ada. The home at 8h and the office are the strongest evidence against her: each is only $1/e \approx 0.37$ times as likely to be unoccupied with Ada as with Fay. The home at 18h is no evidence either way, because both groups have the same count there.
#
# *Learned:* an occupied quiet cell is strong evidence *for* presence, and an unoccupied busy cell can be strong evidence against it.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Noise from nobody (★, 10 minutes)
# :label: zk-nobody
# A release has $500 \times 720$ cells and counts $m = 1000$ users. Its counts are protected by event-level noise with $\varepsilon = 1$, clipped and rounded down. Suppose that all cells are empty. How many visits per user does the noise alone add, that is, the total of the release divided by $m$? Derive the mean of one noisy count of an empty cell, and check your result by simulation. (The mean of a random variable $N$ with values 0, 1, 2, … is $\sum_{j \ge 1} P(N \ge j)$.)
# ```

# %% [markdown]
# ````{solution-start} zk-nobody
# :class: dropdown
# ````
#
# The released count of an empty cell is at least $j$ if the noise is at least $j$, and $P(\mathrm{Lap}(1/\varepsilon) \ge j) = \tfrac12 e^{-j\varepsilon}$. The mean is therefore a geometric series, $\tfrac12 \sum_{j \ge 1} e^{-j\varepsilon} = 1 / \bigl(2 (e^{\varepsilon} - 1)\bigr)$. Without rounding down it would be $1/(2\varepsilon)$ (Lemma A.3 of the paper, [proved in the appendix](appendix-noise.md)).

# %%
n_cells = 500 * 720
expected = n_cells / (2 * (np.exp(1) - 1))
nobody = np.floor(np.clip(rng.laplace(scale=1.0, size=n_cells), 0, 1000))
print(f"expected {expected / 1000:.1f} per user, drawn {nobody.sum() / 1000:.1f}")

# %% [markdown]
# *Learned:* per user, the noise adds nearly as many visits as a synthetic caller makes in a month (120 on average, an assumption of our model). So the mean number of visits cannot be read off a noisy release, and the attacker has to search for it.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} How many visits does the rule need? (★, 15 minutes)
# :label: zk-rule
# On raw counts a 0 in one of the target's cells proves that the target is absent. Suppose that the attacker knows only 1, 2, 4 or 8 of the target's visits, drawn at random. The rule applies if the count of at least one known cell is 0. In what share of the groups without the target does it apply? Predict first: with one known visit, is this share nearer to 0, to 1/2 or to 1? Is the rule ever wrong?
# ```

# %% [markdown]
# ````{solution-start} zk-rule
# :class: dropdown
# ````

# %%
from scipy.special import comb


def rule_fails(in_cells, n_known):
    """In what share of the groups is none of n_known randomly chosen cells empty?"""
    n_occupied, n = count_occupied(in_cells), in_cells.shape[1]
    return (comb(n_occupied, n_known) / comb(n, n_known)).mean()


absent = raw_counts[raw_game.members == 0]
own_shares = (absent > 0).mean(axis=0)  # of each cell: in how many groups occupied
print(f"share of the target's cells that are occupied: {own_shares.mean():.2f}")
print(f"occupied in every group: {(own_shares == 1).sum()} cells", end=", ")
print(f"in none: {(own_shares == 0).sum()} cells")
# the coefficients of the product of all (x + share): entry n adds up,
# over all choices of n cells, the product of their shares
of_each = np.poly(-own_shares)
by_known = {}
for n_known in (1, 2, 4, 8):
    fails = rule_fails(absent, n_known)
    by_known[n_known] = {
        "applies": 1 - fails,
        "fails": fails,
        "fails, independent cells, same probability": own_shares.mean() ** n_known,
        "fails, independent cells, each its own": of_each[n_known]
        / comb(len(cells), n_known),
    }
by_known = pd.DataFrame.from_dict(by_known, "index").map("{:.3f}".format)
plots.show_table(by_known.rename_axis("known visits"), "rule")

# %% [markdown]
# Suppose that the attacker knows $n$ of the target's 16 visits. In a group with $f$ occupied cells among these 16, the rule fails if all known visits are in the $f$ occupied cells. The number of such choices, divided by the number of all choices, is $\binom{f}{n} / \binom{16}{n}$. We average this ratio over the groups.
#
# The rule is never wrong on raw counts, as long as the attacker is not mistaken about the visits. For this target four known visits suffice in 95% of the groups, because each known visit is another chance to find an empty cell. If each cell were occupied independently with the same probability $p$, about one half, then $n$ different cells would all be occupied with probability $p^n$. The rule fails even less often than that. The output shows why: some cells are occupied much more often than others. Of the 16 cells, three are occupied in every group and six in none. So a few known visits nearly always include a cell that is often or always empty. If we give each cell its own probability and still assume independence, we get almost the observed values.
#
# Is this target typical? We repeat the calculation for the thirty targets of each dataset:

# %% tags=["hide-input"]
applies = {}
for name, people in people_of.items():
    shares = []
    for person in under_suppression.query("data == @name")["target"].unique():
        one = experiments.Game(people, person, **experiments.sizes_of(name, people))
        one = one.challenge([])  # raw counts
        in_cells = one.releases_at(np.flatnonzero(one.trace))[one.members == 0]
        shares.append([1 - rule_fails(in_cells, n_known) for n_known in (1, 4, 8)])
    for n_known, each in zip((1, 4, 8), np.transpose(shares), strict=True):
        row = {"mean": f"{each.mean():.2f}", "least": f"{each.min():.2f}"}
        row["most"] = f"{each.max():.2f}"
        row["targets with at least 0.9"] = f"{(each >= 0.9).sum()} of {len(each)}"
        applies[plots.label(name), n_known] = row
applies = pd.DataFrame.from_dict(applies, "index").rename_axis(["data", "known visits"])
plots.show_table(applies, "rule-targets")

# %% [markdown]
# With one known visit, the share of groups to which the rule applies equals the mean share of empty cells, about one half in all three datasets. With four known visits it applies to most groups, on average over targets. But targets differ. It applies to at least nine tenths of the groups for 18 of the 30 tweeters, for 20 of the 30 callers and for 20 of the 30 flights. For one flight even eight known visits suffice in only 38% of the groups.
#
# *Learned:* on average over targets, four known visits suffice in 83% to 92% of the groups. For a target whose cells are nearly always occupied, the attacker needs more; for one flight even eight are not enough in 62% of the groups. Where the rule applies, the attacker needs no statistics.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} What does a release cost? (★, by hand, 15 minutes)
# :label: zk-cost
# Take the raw counts of {numref}`fig-zk-six`. Compute, as fractions, the costs of two releases: "ones suppressed", and a flat release. (Scale the release to the total of the raw counts. Then the cost is the sum of all *shortfalls*, the amounts by which a cell falls below its true count, divided by this total.) Now find a release that costs less than a flat one and does not contain any count of a single cell. Finally, name a release that is wrong in every occupied cell and costs nothing.
# ```

# %% [markdown]
# ````{solution-start} zk-cost
# :class: dropdown
# ````
#
# *Ones suppressed.* The raw counts contain 22 visits. If the suppressed release is scaled up to 22 visits, every count that remains is larger than the true count. Only the seven suppressed counts fall short, each by 1, so the cost is $7/22$.
#
# *Flat.* Each of the 16 cells gets $22/16 = 1.375$ visits. The flat release falls short wherever the true count is larger than this value: by 1.625 for the one count of 3, by 2.625 for each of the two counts of 4 and by 0.625 for each of the two counts of 2. The total shortfall is $1.625 + 2 \cdot 2.625 + 2 \cdot 0.625 = 8.125$ visits, so the cost is $8.125/22 = 65/176$.
#
# *A better release.* Publish only the totals of the four places. A reader who knows nothing about the hours spreads each total evenly over the hours. This gives 2 visits an hour for the home, 1.5 for the station and the office, and 0.5 for the park. The shortfalls are $1 + 2$ at home, $0.5 + 0.5$ at the station, $2.5$ at the office and $0.5 + 0.5$ in the park. The cost is $7.5/22$.

# %%
spread = np.repeat(raw.sum(axis=1, keepdims=True) / raw.shape[1], raw.shape[1], axis=1)
to_price = {"ones suppressed": suppressed, "flat": np.full(raw.shape, 1)}
to_price |= {"totals of places": spread, "twice the raw counts": 2 * raw}
print(f"a flat release: {raw.sum() / raw.size} visits in each cell")
for name, each in to_price.items():
    short = np.clip(raw - each * raw.sum() / each.sum(), 0, None).round(3)
    assert np.isclose(short.sum() / raw.sum(), cost(each, raw))
    print(f"{name}: shortfalls {short[short > 0].tolist()}, cost {short.sum()} / 22")

# %% [markdown]
# The totals of places cost less than a flat release, and about as much as suppression. *Learned:* a coarser table can be as informative as a fine table with errors. Twice the raw counts cost nothing, because the measure compares shares. For the same reason, the measure does not notice that noise adds visits to the total ({ref}`zk-nobody`).

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Which release would you publish? (★, discussion, 15 minutes; shortened in class)
# :label: zk-choose
# Choose one of three uses: (a) a planner wants to know the busiest places of the week; (b) a researcher wants to know how full each place is at each hour; (c) a newspaper wants a map. Choose a defense from {numref}`fig-zk-prices` for this use, or reject them all. Defend the choice with the AUC and the cost, for the tweeters and for the flights. What would you tell a person who was counted?
# ```

# %% [markdown]
# ````{solution-start} zk-choose
# :class: dropdown
# ````
#
# There is no single right answer. A good answer names the use and both numbers, and says what the numbers do not cover. Here is one for use (a).
#
# The planner needs only the totals of places, so the relevant costs are in the [table of places](zk-cost-table) and not in the right panels of the figure. On the tweeters every row with an AUC below 0.65 leaves at least 42% of the visits in the wrong place, so none of these rows is noticeably better than a flat release. On the flights, of the rows with an AUC below 0.65 only $k = 5$ is better than a flat release: it leaves 53% of the visits in the wrong place, compared with 62%. But suppression guarantees nothing, and the AUC is still 0.62. So I would publish none of these rows. I would add noise to the place totals themselves, which are few and large, and evaluate that release in the same way.
#
# If being counted is no secret, as for flights in a public timetable, `visit, ε = 10` is defensible. On the flights it puts only 11% of the visits at the wrong place, and the AUC of the best attack is 0.95. To a person who was counted I would say: "Somebody who knows where you were may be able to tell from this release whether you were counted. We tested this with flights in place of people. We gave the attack two groups, one with the target and one without. In 95 of 100 cases (a tie counted as half a case), on average over thirty flights, the attack gave the higher score to the group with the target. This is a ranking. Deciding about a single release is harder."
#
# *Learned:* the two numbers alone do not determine the choice. The use decides which cost matters, and the people who are counted decide which risk is acceptable.

# %% [markdown]
# ````{solution-end}
# ````

# %% [markdown]
# ```{exercise} A high AUC and a low accuracy (★, by hand, 15 minutes)
# :label: zk-two-measures
# For Milan under weak noise the paper reports an AUC of at least 0.9 for ZK, but an accuracy of only 0.66 ([table](zk-decides)). Draw two histograms of scores, without and with the target, for which both statements are true. Where is the threshold? Now suppose that the scores without the target are normally distributed with mean 0 and standard deviation 1, and that those with the target have the mean $d$ and the same standard deviation. For which $d$ is the AUC 0.9? Which two thresholds give an accuracy of 0.66, and what is the accuracy at the best threshold?
# ```

# %% [markdown]
# ````{solution-start} zk-two-measures
# :class: dropdown
# ````
#
# The histograms overlap only a little, and the threshold lies inside one of them instead of between them. For example, it lies to the left of the middle of the scores *without* the target. Then more than half of the groups without the target are labelled as containing the target.
#
# From [the formula](zk-d), $d = \sqrt 2\, \Phi^{-1}(0.9)$. With the threshold $t$ the accuracy is $\tfrac12 \bigl[\Phi(t) + 1 - \Phi(t - d)\bigr]$, and by symmetry the best threshold is $d/2$.

# %%
from scipy.optimize import brentq

d_table = d_of(0.9)


def accuracy_at(t):
    return (norm.cdf(t) + 1 - norm.cdf(t - d_table)) / 2


low_threshold = brentq(lambda t: accuracy_at(t) - 0.66, -3, d_table / 2)
print(f"d = {d_table:.2f}, best accuracy {accuracy_at(d_table / 2):.2f}")
print(f"accuracy at the mean of the scores without the target: {accuracy_at(0):.2f}")
print(f"accuracy 0.66 at {low_threshold:.2f} and at {d_table - low_threshold:.2f}")
share_labelled = 1 - norm.cdf(low_threshold)
print(f"lower one: {share_labelled:.0%} of the groups without the target are labelled")

# %% [markdown]
# In this model a threshold exactly at the mean of the scores without the target is not far enough to the left: its accuracy is still 0.73. With an accuracy of 0.66 about two thirds of the groups without the target are labelled as containing the target.
#
# *Learned:* a high AUC says that *some* threshold separates the groups well. An attacker who chooses a different threshold can still decide wrongly for a third of the groups.
#
# ````{solution-end}
# ````

# %% [markdown]
# ```{exercise} What a pair cancels (★★, proof, 15 minutes)
# :label: zk-cancels
# Show that the difference between the two released counts of a pair does not depend on the $m - 1$ shared members or on the noise, as long as nothing is clipped, rounded or suppressed. What remains in the difference besides the target? What does rounding down change?
# ```

# %% [markdown]
# ````{solution-start} zk-cancels
# :class: dropdown
# ````
#
# Let $B$ be the counts of the $m - 1$ shared members and $N$ the noise. The releases of the pair are $B + L^{u^*} + N$ and $B + L^{v} + N$, where $L^u$ is the trace of user $u$ and $v$ is the last member of the group without the target. Their difference is $L^{u^*} - L^v$. Besides the target it contains only $v$. For each pair a new $v$ is drawn, so the mean of $L^v$ over the pairs is about the share of users who visit the cell, and few users visit any one cell. Rounding down changes nothing, because $\lfloor x + 1 \rfloor = \lfloor x \rfloor + 1$. Clipping and rounding together do change something: they delete the visit whenever the noisy value without the target is below 0. The value with the target is then below 1, so both counts are released as 0.
#
# *Learned:* in well-designed training data, irrelevant variation cancels before anything is fitted. A penalty acts only later: it shrinks the weights that this variation has already produced. We did not compare the two.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Is counting occupied cells still better under Gaussian noise? (★★, by hand, 20 minutes)
# :label: zk-gaussian
# For Laplace noise of a large scale we found that, in a cell that nobody else visits, it is more informative whether the released count is positive than how large it is ([calculation](zk-strongest)). Let the noise now be Gaussian with mean 0 and a large standard deviation $\sigma$; ignore rounding down. For an empty cell, compute the signal-to-noise ratio $d$ twice: for the count, and for *occupied or not*. (For Gaussian noise $L$, the clipped value $\max(L, 0)$ has the mean $\sigma/\sqrt{2\pi}$ and the mean square $\sigma^2/2$.) Predict first: which of the two is larger, and why should the answer depend on the tail of the noise? Then check your two values of $d$ by simulation for $\sigma = 20$.
# ```

# %% [markdown]
# ````{solution-start} zk-gaussian
# :class: dropdown
# ````
#
# *Count.* The visit raises the mean by about $1/2$, because it counts whenever the noise is positive. The variance of the clipped count is $\sigma^2/2 - \sigma^2/(2\pi)$, so $d = \tfrac12 \big/ \bigl(\sigma \sqrt{1/2 - 1/(2\pi)}\bigr)$.
#
# *Occupied or not.* The visit raises the probability of an occupied cell by the density of the noise at 0, which is $1/(\sigma\sqrt{2\pi})$, and the standard deviation of the indicator is $1/2$, so $d = 2 / (\sigma\sqrt{2\pi})$.

# %%
sigma = 20
print(f"formula: count {0.5 / np.sqrt(1 / 2 - 1 / (2 * np.pi)):.2f} / σ", end=", ")
print(f"occupied or not {2 / np.sqrt(2 * np.pi):.2f} / σ")

noise = np.random.default_rng(seed).normal(scale=sigma, size=4_000_000)
without, with_visit = np.maximum(noise, 0), np.maximum(noise + 1, 0)
for name, out, ins in (
    ("count", without, with_visit),
    ("occupied or not", without > 0, with_visit > 0),
):
    simulated = (ins.mean() - out.mean()) / out.std()
    print(f"simulation: {name} {sigma * simulated:.2f} / σ")

# %% [markdown]
# Under Gaussian noise the count says a little more than whether the cell is occupied; under Laplace noise it says less, by a factor of $\sqrt 3$.
#
# *Learned:* in an empty cell, the advantage of *occupied or not* comes from the long tail of Laplace noise. Gaussian noise has no long tail, so a few very large values do not dominate the sum.

# %% [markdown]
# ````{solution-end}
# ````

# %% [markdown]
# ```{exercise} When does counting occupied cells fail? (★★, by hand, then on a computer; 40 minutes)
# :label: zk-when-counting-fails
# *By hand.* A target visited two cells, and the counts are released with noise of scale 1, clipped and rounded down. Nobody else visits the first cell, which we call empty. In the second cell, the busy one, the number $C$ of other visits has a Poisson distribution with mean 5. Compute the signal-to-noise ratio $d$ of the count and of *occupied or not*, for each cell. Then compute $d$ of the sum and of the number of occupied cells, over both cells together. You may use the following:
#
# - For a count $N$ with values 0, 1, 2, … we have $E N = \sum_{j \ge 1} P(N \ge j)$ and $E N^2 = \sum_{j \ge 1} (2j - 1) P(N \ge j)$.
# - Without the target, the released count of the empty cell is at least $j$ with probability $\tfrac12 e^{-j}$, for $j \ge 1$. With the target this probability is $\tfrac12 e^{-(j-1)}$.
# - For the count of the busy cell you may ignore clipping and rounding. Laplace noise of scale 1 has variance 2.
# - A cell with $c \ge 1$ visits is not occupied with probability $\tfrac12 e^{-(c-1)}$. You may use this formula for $c = 0$, too, and $E e^{-C} = e^{-5(1 - 1/e)}$.
# - For independent cells, add up what the target adds to the means, and add up the variances.
#
# *On a computer.* Use `d_under_noise` for a single cell with a fixed number $c$ of other visits. For which $c$ and which scales of the noise is *occupied or not* worse than the count?
# ```

# %% [markdown]
# ````{solution-start} zk-when-counting-fails
# :class: dropdown
# ````
#
# We follow the formulas of the exercise. Each array below holds two numbers for a score: what the target adds to its mean, and its variance. The cells are independent, so for both cells together we add these arrays:

# %%
j = np.arange(1, 100)
out_tail = np.exp(-j) / 2  # P(N >= j) in the empty cell, without the target
in_tail = np.concatenate([[0.5], np.exp(-j[:-1]) / 2])  # with the target
square = ((2 * j - 1) * out_tail).sum()
e_minus_c = np.exp(-5 * (1 - np.exp(-1)))  # the mean of exp(-C)
p_out, p_in = 1 - np.exp(1) * e_minus_c / 2, 1 - e_minus_c / 2  # busy and occupied

# what the target adds to the mean, and the variance
count_empty = np.array([in_tail.sum() - out_tail.sum(), square - out_tail.sum() ** 2])
count_busy = np.array([1, 5 + 2])
occupied_empty = np.array([in_tail[0] - out_tail[0], out_tail[0] * (1 - out_tail[0])])
occupied_busy = np.array([p_in - p_out, p_out * (1 - p_out)])


def ratio(added_and_variance):
    added, variance = added_and_variance
    return added / np.sqrt(variance)


d_by_hand = {
    "empty": (ratio(count_empty), ratio(occupied_empty)),
    "busy": (ratio(count_busy), ratio(occupied_busy)),
    "both": (ratio(count_empty + count_busy), ratio(occupied_empty + occupied_busy)),
}
for name, (d_count, d_occupied) in d_by_hand.items():
    print(f"{name}: d of the count {d_count:.2f}, of occupied or not {d_occupied:.2f}")

# %% [markdown]
# The simulation, which makes no simplification, gives nearly the same values:

# %%
draws = stream(seed, "two cells")
n_groups = 2_000_000
nobody = np.zeros((n_groups, 1))
crowd = draws.poisson(5, size=(n_groups, 1))
for name, c in {
    "empty": nobody,
    "busy": crowd,
    "both": np.hstack([nobody, crowd]),
}.items():
    d_count, d_occupied = (d_under_noise(f, c, 1, 1) for f in (add_up, count_occupied))
    print(f"{name}: d of the count {d_count:.2f}, of occupied or not {d_occupied:.2f}")

# %% [markdown]
# In the empty cell *occupied or not* is better than the count, and in the busy cell it is much worse. Yet for both cells together counting occupied cells is better, because of the variance of the busy cell. This variance makes the sum of both counts worse than the count of the empty cell alone. The number of occupied cells hardly suffers, because the busy cell is nearly always occupied.
#
# For a single cell with a fixed number of other visits, the next table shows $d$ of *occupied or not*, divided by $d$ of the count:


# %%
def factor(c, b):
    cell = np.full((1, 1), c)
    d_count, d_occupied = (
        d_under_noise(f, cell, b, 1_000_000) for f in (add_up, count_occupied)
    )
    return d_occupied / d_count


scales_shown, others_shown = (1, 2, 10, 100), (0, 1, 2, 3, 5)
factors = {f"c = {c}": [factor(c, b) for b in scales_shown] for c in others_shown}
factors = pd.DataFrame(factors, pd.Index(scales_shown, name="scale of the noise"))
plots.show_table(factors.map("{:.1f}".format), "factors-by-count")

# %% [markdown]
# In this table, *occupied or not* is worse than the count whenever the scale of the noise is no larger than the number of other visits. A cell with that many other visits is often occupied even without the target, and a busy one nearly always is. So *occupied or not* says little. With growing scale the factor tends to $\sqrt 3$ for every fixed $c$.
#
# *Learned:* for a single cell, *occupied or not* is better than the count only if the noise is strong or the cell is quiet. Over several cells the number of occupied cells can be better than the sum although some cells are busy. The busy cells add a lot of variance to the sum, and hardly any to the number of occupied cells. We did not test whether this explains the results for the [thirty new flights](zk-d) at scale 1.
#
# ````{solution-end}
# ````

# %% [markdown]
# ```{exercise} How does the sum decide? (★★, 15 minutes)
# :label: zk-sum-decides
# To decide whether the target is in the group, the attacker needs to know how large the sum would be without the target. Estimate this value from the single release `game.release`: the expected count of a cell is the total of its place times the total of its hour, divided by the grand total. Set the threshold to this estimate plus half the number of the target's visits. How often is the decision right, and how often would it be right with the best threshold? ZK by hand decided the same groups [with a threshold from synthetic groups](zk-attack). Which of the two attackers is right more often, and is the difference significant?
# ```

# %% [markdown]
# ````{solution-start} zk-sum-decides
# :class: dropdown
# ````

# %%
of_place, of_hour = game.release.sum(axis=1), game.release.sum(axis=0)
rate = np.outer(of_place, of_hour) / max(game.release.sum(), 1)
expected_sum = rate.ravel()[cells].sum()
levels = {"estimated": expected_sum + len(cells) / 2}
levels["best"] = zk.best_threshold(game.members, sums)
for name, level in levels.items():
    right = (sums > level) == game.members
    low, high = metrics.mean_interval(right.astype(float))
    print(f"{name}: right in {right.mean():.2f} [{low:.2f}, {min(high, 1):.2f}]")

sum_is_right = (sums > levels["estimated"]) == game.members
zk_is_right = decided == game.members
low, high = metrics.mean_interval(sum_is_right - zk_is_right.astype(float))
print(f"ZK by hand: right in {zk_is_right.mean():.2f}", end=", ")
print(f"the sum minus ZK by hand: [{low:.2f}, {high:.2f}]")

# %% [markdown]
# With its estimated threshold the sum decides correctly for 80% of the groups, and ZK by hand for 73%. (The 0.84 with the best threshold may be slightly too high, because this threshold is chosen on the same groups.) The interval of the paired difference contains 0, so a hundred groups do not show which of the two attackers decides better.
#
# *Learned:* a ranking needs no threshold, but a decision does. An attacker with one release must estimate the threshold. An error that shifts all scores by the same amount can lower the accuracy, but leaves the AUC unchanged.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Weighted sums (★★, 30 minutes)
# :label: zk-write-sum
# The sum gives a busy cell the same weight as a quiet one, although the count of the busy cell varies more. Give each of the target's cells the weight $1/v$, where $v$ is an estimate of the variance of its released count. Use only *one* release and the known distribution of the noise. As in {ref}`zk-sum-decides`, estimate the mean of a cell as the total of its place times the total of its hour, divided by the grand total. Compare this weighted sum with the sum and with the number of occupied cells on the thirty new flights (`fresh_games`), under both levels of noise, and then on `game`. Predict first: under which noise do the weights matter most?
# ```

# %% [markdown]
# ````{solution-start} zk-write-sum
# :class: dropdown
# ````
#
# Why one over the variance? Suppose that the target raises the mean of every cell by the same amount. Among all weighted sums of independent cells, these weights then give the largest ratio of the difference of means to the standard deviation.
#
# To estimate the variance, suppose that many people could visit a cell, but that each of them visits it only rarely. Then its count is nearly Poisson, so the variance is about equal to the mean. The released value of one cell is a poor estimate of its mean, so we use the product of the marginals instead. Laplace noise of scale $b$ adds a variance of $2b^2$.
#
# These weights are an approximation that ignores clipping. Clipping deletes more of the target's visits in quiet cells than in busy ones, so the target does not raise all means equally. Clipping also removes part of the variance of the noise. And the estimated mean includes visits that the noise added.


# %%
def weigh(one_game, own_cells, scale):
    release = one_game.release
    mean = np.outer(release.sum(axis=1), release.sum(axis=0)) / max(release.sum(), 1)
    return 1 / (mean.ravel()[own_cells] + 2 * scale**2)


rows = []
for (epsilon, flight), one in fresh_games.items():
    own_cells = np.flatnonzero(one.trace)
    in_cells, weights = one.releases_at(own_cells), weigh(one, own_cells, 1 / epsilon)
    tried = {"sum": in_cells.sum(axis=1), "occupied cells": count_occupied(in_cells)}
    tried["weighted sum"] = in_cells @ weights
    row = {"noise": f"visit, ε = {epsilon:g}", "target": flight}
    for name, score in tried.items():
        rows.append(row | {"score": name, "AUC": metrics.auc(one.members, score)})
pair = [("weighted sum", "sum"), ("weighted sum", "occupied cells")]
weighted = figures.paired_table(
    pd.DataFrame(rows), ["noise"], pair, across="score", fine=True
)
plots.show_table(weighted, "weighted")

tried = {"sum": sums, "weighted sum": counts @ weigh(game, cells, 1.0)}
print("one target of the tweeters, noise of scale 1:")
plots.show_table(scored(game.members, tried)[["AUC"]], "weighted-game")
low, high = bootstrap_difference(tried["weighted sum"], sums, game.members)
print(f"AUC of the weighted sum minus AUC of the sum: [{low:.2f}, {high:.2f}]")

# %% [markdown]
# Under weak noise the weighted sum is as good as the number of occupied cells, and far better than the sum. There the noise adds almost no variance, so a quiet cell gets a much larger weight than a busy one. Under noise of scale 1 every cell has a variance of at least 2, so the weights are more similar. There the AUC of the weighted sum is higher than that of the sum but lower than that of counting occupied cells. For `game`, whose target is a tweeter, the interval of the difference contains 0, so it is inconclusive which of the two has the higher AUC.
#
# *Learned:* weights can come from one release and a formula, without training. They matter where the variances of the cells differ considerably. Where the noise gives even the quiet cells a large variance, our weights help less than counting occupied cells, which also limits the effect of [very large noise](zk-strongest).

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Two attackers, one interval (★★, 20 minutes)
# :label: zk-paired
# Take the flights under event-level noise, $\varepsilon = 1$, from `every`. Compute the 95% interval of ZK's mean AUC minus KK's mean AUC in two ways: first as if the two attacks had been tested on different targets, then paired by target. Which interval is right, and why is it narrower?
# ```

# %% [markdown]
# ````{solution-start} zk-paired
# :class: dropdown
# ````

# %%
of_flights = figures.describe_defenses(every).query("data == 'flights-by-number'")
of_flights = of_flights.query("defense == 'visit, ε = 1'")
auc = of_flights.pivot_table(index="target", columns="attack", values="AUC")
unpaired = metrics.difference_interval(auc["ZK"].to_numpy(), auc["KK"].to_numpy())
paired = metrics.mean_interval((auc["ZK"] - auc["KK"]).to_numpy())
print(f"unpaired: {unpaired[0]:.2f} to {unpaired[1]:.2f}")
print(f"paired:   {paired[0]:.2f} to {paired[1]:.2f}")

# %% [markdown]
# *Learned:* a target who is hard to find is hard for both attackers, and this common difficulty cancels in the difference. The variance of a difference is the sum of the two variances minus twice the covariance. The paired interval is right, because both attackers did face the same targets.

# %% [markdown]
# ````{solution-end}
# ````

# %% [markdown]
# ```{exercise} How much does the known share matter? (★★, 45 minutes)
# :label: zk-square-root
# An attacker who knows a share $p$ of the target's cells has a sum whose signal-to-noise ratio $d$ is about $\sqrt p$ times that of an attacker who knows all of them, if the cells are independent ([argument](zk-must-know)). Predict the AUC for an attacker who knows half of the visits or a tenth of them, from the AUC of an attacker who knows all of them (`partly` has the AUCs). Use $\mathrm{AUC} = \Phi(d/\sqrt 2)$ for the population as a whole, and then for each target separately. If the attacker knows a tenth of $n$ visits, rounded up, the known share is $\lceil n/10 \rceil / n$. Compare your predictions with the measured AUCs. Then drop the assumption that the cells are independent: if the counts of the cells rise and fall together, how does the variance of the sum over $k$ of the $n$ cells grow with $k$?
# ```

# %% [markdown]
# ````{solution-start} zk-square-root
# :class: dropdown
# ````
#
# We make the prediction in two ways. First we compute $d$ from the mean AUC over all targets. Then we compute a separate $d$ for each target, and average the predicted AUCs. (For seven of the thirty callers the AUC with full knowledge is 1, which would make $d$ infinite. `d_of` replaces this AUC by $1 - 1/5000$, its value if one of the 2,500 pairs of groups were a tie.)


# %%
def predict(full_auc, share):
    return auc_of(d_of(full_auc) * np.sqrt(share))


callers = people_of["callers"]

# %% tags=["hide-input"]
of_sum = partly.query("attack == 'sum'")
of_sum = of_sum.pivot_table(index=["data", "target"], columns="share", values="AUC")
all_callers = of_sum.loc["callers"]
predicted_for = {
    "tweeters-zk": (town, of_sum.loc["tweeters-zk"]),
    "callers": (callers, all_callers),
    "callers with a full AUC below 1": (callers, all_callers[all_callers[1.0] < 1]),
}
for name, (people, measured) in predicted_for.items():
    visits = people.visits().to_numpy()[measured.index]
    print(
        f"{name}: {len(measured)} targets, median of {np.median(visits):.0f} visits",
        end=", ",
    )
    print(f"SD of d {d_of(measured[1.0]).std():.2f}")
    for share in (0.5, 0.1):
        known_share = np.ceil(share * visits) / visits
        from_mean = predict(measured[1.0].mean(), known_share).mean()
        by_target = predict(measured[1.0], known_share).mean()
        print(f"  share {share}, rounded up {known_share.mean():.3f}:", end=" ")
        print(f"from the mean {from_mean:.2f}, by target {by_target:.2f}", end=", ")
        print(f"measured {measured[share].mean():.2f}")

# %% [markdown]
# On the tweeters both predictions are close to the measured AUC. On the callers both are too low: with a tenth of the visits they give 0.75 and 0.79, whereas the measured AUC is 0.84. Part of this gap comes from averaging. The values of $d$ of the callers differ more from one another than those of the tweeters, and the AUC is not a linear function of $d$. If we make the prediction separately for each target, about half of the gap disappears. The last lines of the output leave out the seven callers with an infinite $d$, and a gap remains without them.
#
# The rest of the gap closes if we drop the assumption that the cells are independent. Let $V$ be the sum of the variances of the $n$ cells, and $T$ the variance of their sum. For independent cells $T = V$. In general $T = V + n (n - 1)\,c$, where $c$ is the mean covariance of two cells. Suppose that the attacker knows $k$ of the cells, drawn at random. On average they contribute a share $k/n$ of the variances, and $k(k-1)$ ordered pairs of different cells, each with mean covariance $c$:
#
# $$ T_k = \frac{k}{n} V + k (k - 1)\, c . $$
#
# On average, the target's contribution to the mean of this sum is $k/n$ of its contribution to the sum over all cells. So $d$ is multiplied by $\frac{k}{n} \sqrt{T / T_k}$. For independent cells this factor is $\sqrt{k/n}$, as before. (Since `predict` multiplies $d$ by the square root of its argument `share`, the code passes the square of the factor.) We measure $V$ and $T$ for each target in the data holder's groups without the target, and predict again:


# %%
def variance_of_sum(in_cells, n_known):
    """Compute T_k from released counts: a row for each group, a column for each cell."""
    n = in_cells.shape[1]
    added_up = in_cells.var(axis=0, ddof=1).sum()  # V
    covariance = (in_cells.sum(axis=1).var(ddof=1) - added_up) / (n * (n - 1))
    return n_known / n * added_up + n_known * (n_known - 1) * covariance


# %% tags=["hide-input"]
rows = []
for name, people in {"tweeters-zk": town, "callers": callers}.items():
    game_of = experiments.sizes_of(name, people)
    for person, measured in of_sum.loc[name].iterrows():
        one = experiments.Game(people, person, **game_of)
        one = one.challenge(experiments.defense(1.0, k=1))
        in_cells = one.releases_at(np.flatnonzero(one.trace))[one.members == 0]
        n = in_cells.shape[1]
        n_known = np.ceil(n / 10)
        of_all = variance_of_sum(in_cells, n)
        part = (n_known / n) ** 2 * of_all / variance_of_sum(in_cells, n_known)
        row = {"data": name, "T / V": of_all / in_cells.var(axis=0, ddof=1).sum()}
        row |= {"all": measured[1.0], "predicted": predict(measured[1.0], part)}
        rows.append(row | {"measured": measured[0.1]})
dependent = pd.DataFrame(rows)
below_one = dependent.query("data == 'callers' and all < 1")
below_one = below_one.assign(data="callers with a full AUC below 1")
dependent = pd.concat([dependent, below_one]).groupby("data", sort=False)
by_part = dependent[["T / V", "predicted", "measured"]].mean().map("{:.2f}".format)
by_part.insert(0, "targets", dependent.size())
titles = {name: f"{name}, a tenth known" for name in ("predicted", "measured")}
plots.show_table(by_part.rename(columns=titles), "dependent")

# %% [markdown]
# On the callers the variance of the sum is on average 1.76 times the sum of the variances. Cells that rise and fall together share part of their random variation, so further cells add less information, and an attacker who knows only a few of them loses less. With this dependence the predicted and the measured AUC agree on the callers (0.84), and nearly so without the seven callers (0.81 and 0.80). On the tweeters the cells are nearly independent, and the prediction stays at 0.68. We did not investigate where the dependence comes from.
#
# *Learned:* partial knowledge costs the attacker less than one might expect, because $d$ shrinks only with the square root of the known share, and even less if the counts of the cells rise and fall together.
#
# ````{solution-end}
# ````

# %% [markdown]
# ```{exercise} How small must ε be? (★★, proof, 30 minutes)
# :label: zk-bound
# In the game a target with $n$ visits takes the place of a user with $n'$ visits, and $m$ is fixed. The counts are protected by event-level noise with budget $\varepsilon$. Suppose that both cases, with and without the target, are equally likely. Show that the accuracy of any attacker is then at most $e^{E} / (1 + e^{E})$ with $E = (n + n')\,\varepsilon$. For which $\varepsilon$ does this bound equal 0.6 if both users have ten visits? And if both have 120?
# ```

# %% [markdown]
# ````{solution-start} zk-bound
# :class: dropdown
# ````
#
# We get from the counts without the target to the counts with the target by removing $n'$ visits and adding $n$ visits. Each of these steps changes one count by 1. So each step changes the probability of any set of releases by a factor of at most $e^\varepsilon$, and all steps together change it by a factor of at most $e^{E}$.
#
# Let $R$ be the set of releases on which the attacker says "in". Let $p$ be the probability of $R$ if the target is in the group, and $q$ if not. The accuracy is $(p + 1 - q)/2$. By the previous paragraph we have $p \le e^{E} q$ and $1 - q \le e^{E} (1 - p)$. Add the two inequalities:
#
# $$ p + (1 - q) \le e^E (q + 1 - p) = e^E \bigl(2 - (p + 1 - q)\bigr) . $$
#
# Solving for $p + 1 - q$ gives $(p + 1 - q)/2 \le e^E / (1 + e^E)$. (If both users visited the same cell, two steps cancel, and the bound can be replaced by a smaller one.)

# %%
budget = np.log(0.6 / 0.4)
for n in (10, 120):
    print(f"{n} visits each: ε = {budget / (2 * n):.4f}", end=", ")
    print(f"noise of scale {2 * n / budget:.0f}")

# %% [markdown]
# *Learned:* if both users have the same number of visits, replacing one by the other costs twice the budget of adding one. And a bound is not an attack. The bound guarantees an accuracy of at most 0.6 only for very small $\varepsilon$. On the tweeters and the flights, whose targets have few visits, the attacks of this chapter are already weak at $\varepsilon = 0.1$: under event-level noise the best AUC is 0.59 on the tweeters and 0.60 on the flights. On the callers, who make far more visits, the best AUC is still 0.76. A better attack may exist. The chapter on [thresholds](thresholds.ipynb) looks for the best one.
#
# These last numbers are AUCs and not accuracies. If the ROC curve is concave and both cases are equally likely, the best accuracy is at most the AUC. To see this, take the point of the curve with the best accuracy and join it to (0, 0) and to (1, 1). The curve lies on or above these two segments, and the area below them equals this accuracy.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Correct the threshold (★★★, an evening)
# :label: zk-project
# ZK chooses its threshold on synthetic groups whose counts in the target's cells are too small. Find a better threshold. For example, estimate how much too small these counts are, by comparing the attacker's synthetic groups with the *one* release that the attacker has, in cells similar to the target's cells. Then shift the threshold accordingly.
#
# *First target.* Start with `game`, where [ZK by hand](zk-attack) decides correctly for 73% of the data holder's groups. With the best threshold it would be right for 82%. (This value may be slightly too high, because the threshold is chosen on the same groups.) Estimate the shift from `game.release` and from the attacker's synthetic groups alone. Your correction is worth reporting if its accuracy minus that of ZK by hand has a paired 95% interval above 0.
#
# *Second target.* Try it at $k = 1$ on the synthetic callers and on flights. The data holder's groups of one target are `experiments.Game(people, person, **experiments.sizes_of(name, people)).challenge([SuppressSmallCounts(threshold=2)])`. `zk.Training(synthetic, ...)` fits the regression as in [one game](zk-one-game), and `game.scores(...)` scores the data holder's groups. For the scores of synthetic groups, adapt `score_synthetic`.
#
# *A good answer* reports the accuracy before and after the correction with an interval of the paired difference, the accuracy at the best threshold as a ceiling, and a case in which the correction fails.
# ```
#
# ```{admonition} Hint
# :class: dropdown
# Compute the expected count of every cell from `game.release` as in {ref}`zk-sum-decides`: the total of its place times the total of its hour, divided by the grand total. Divide the cells into ten bins by this expected count. In each bin, subtract the mean count in the attacker's synthetic groups from the mean count in the release. For each of the target's cells, multiply its weight by the difference in its bin. Shift the threshold by the sum of these products.
# ```

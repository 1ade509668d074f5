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
# # Attacks on protected counts
#
# In the chapter [Knock-Knock](knock_knock.ipynb), the attacker saw raw counts. In this chapter, the data holder adds noise to the counts before publishing them. The [last chapter](guarantees.ipynb) asked what this noise guarantees. Here we ask how well attacks still work against the noisy counts.
#
# The paper {cite:p}`pyrgelis2018knock` (Sec. VII) studies two attackers, who both train a classifier. One ignores the noise, and the other takes it into account during training. We repeat this experiment, and then add a third attacker who trains no classifier. The third attacker succeeds in several cases in which the other two do little better than guessing. Against one mechanism, the AUC of the third attacker even seems to contradict the privacy guarantee. A [later section](kkd-bound) explains why there is no contradiction.
#
# After this chapter you can
#
# - distinguish a *passive* attacker from a *strategic* one, and say when it helps to be strategic;
# - interpret a privacy gain, and compare it with the gain of an attacker who merely guesses;
# - implement *matching*, an attack that recognises groups, and use random labels to test what it recognises;
# - explain what a guarantee for one user does not cover, and compute the guarantee that it implies for several users.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *What students need from earlier chapters:* the [membership game](kk-game), the [bound on the true positive rate](kkd-allowed), and replace-one neighbours ([table](kkd-label)).
#
# *The figure to remember:* {numref}`fig-kkd-matching`.
#
# *Questions for a class, with answers:*
#
# - Two classifiers fail against a mechanism. Is the mechanism safe? *No:* a failed attack says something about this attack only. Under GSM at $\varepsilon = 1$, the classifiers fail on flight numbers, and matching succeeds on the same releases.
# - A theorem says that the AUC of any attack is at most 0.782, and an attack has an AUC of 0.99. Is the theorem wrong? *No:* the theorem is about groups that differ in one user, and the groups of this attack differ in 215 users on average.
# - No attacker knows all groups exactly. Is the AUC of 0.99 irrelevant? *Not quite:* in a test without noise and for one target, matching still succeeds if half of the members of every known group have been replaced ({ref}`kkd-fresh`).
#
# *Numbers for the board:*
#
# - six people: AUC 0.92 for matching, 0.65 for the strategic attacker;
# - flight numbers under GSM at $\varepsilon = 1$: AUC 0.99 for matching, 0.99 with random labels, 0.53 for the strategic attacker; bound for one user 0.782;
# - the bound 0.782: the highest ROC curve runs from $(0, 0.1)$ with slope $e$ to $(0.242, 0.758)$, then with slope $1/e$ to $(0.9, 1)$, then along the top; area 0.104 + 0.578 + 0.1;
# - the largest true positive rate at a false positive rate of 0, for one, two and three users: 0.1; $0.1\,e + 0.1$ = 0.372; the smaller of $0.372\,e + 0.1$ = 1.111 and $1 - (0.9 - 0.372)/e$ = 0.806.
#
# *Two common mistakes:* students think that a mechanism is safe once an attack on it has failed, and that a bound for one user holds unchanged for a whole group.
#
# **In ninety minutes**
#
# | minutes | what |
# |---|---|
# | 10 | [the two attackers](kkd-game): the table of the six people and {numref}`fig-kkd-six`; ask why the passive attacker says *member* so often |
# | 10 | [what trained attackers find](kkd-gains): {numref}`fig-kkd-aucs`, then the table of how far each mechanism moves a count |
# | 10 | [where it pays to be strategic](kkd-strategic): {numref}`fig-kkd-pairs` only |
# | 10 | [the privacy gain](kkd-gain): the test with two groups on the board, then the table of gains |
# | 20 | [matching](kkd-matching): {ref}`kkd-by-hand` on paper (7), {numref}`fig-kkd-similarity` (5), {numref}`fig-kkd-matching` and random labels (8) |
# | 25 | [the bound for one user](kkd-bound): the table at its beginning (5), the AUC of two groups with the example of 24 cells (5), the first three steps for several users on the board (10), {numref}`fig-kkd-groups` (5) |
# | 5 | questions, or more time for the steps |
#
# Students can read the rest at home. In the section on the bound, this is the textbook formula, the mechanism that counts five people, the table of the three datasets, and the case $\varepsilon = 1/215$. Elsewhere it is the code of [the comparison of inputs](kkd-why-matching), the sections [on FPA and EFPAG](kkd-why-fails), [on the cabs](kkd-on-cabs), [on calibrated mechanisms](kkd-calibrated) and [on what the paper found](kkd-found), and the exercises {ref}`kkd-which-bound`, {ref}`kkd-draws` and {ref}`kkd-fresh`.
# ````

# %% [markdown]
# (kkd-game)=
# ## What changes if the attacker knows about the noise?
#
# To include the noise, we add a third party to the [membership game](kk-game): the **defender**. The challenger draws a group of $m$ users, which contains either the target or another user in the target's place. In the experiment, the groups are drawn independently, so two groups usually differ in many other users as well. The defender applies a mechanism to the counts of this group. The attacker sees the protected counts and answers with a score. The higher the score, the more the attacker believes that the target is in the group.
#
# The paper assumes an attacker with *perfect prior knowledge*. This attacker knows the raw counts of all groups that may be released, and knows which of these groups contain the target. The attacker does not know to which group a given release belongs. If there is no noise, and no group with the target has the same counts as a group without the target, an attacker with this knowledge is always right.
#
# Because the groups are drawn independently, they do not form pairs that differ in a single user, and this will [matter later](kkd-bound).
#
# The paper compares two attackers with perfect prior knowledge. They differ in the counts on which they train and in what they know about the defense:
#
# | | trains on | knows about the defense |
# |---|---|---|
# | **passive** | the raw counts | nothing |
# | **strategic** | the same counts, with noise that the attacker draws | the mechanism and its parameters, but not the noise in the release |
#
# ### Six people
#
# We start with a dataset of six people, in which the target is Fay. There are twenty possible groups of three people, and ten of them contain Fay. The counts of each group are released a hundred times, each time with new noise. For each release, we add Laplace noise of scale 1 to the counts, round them, and clip them to the range from 0 to 3. The strategic attacker draws the same number of noisy copies of each group in the same way:

# %%
from itertools import combinations

import numpy as np
import pandas as pd
from lib.aggregation import aggregate
from lib.datasets import load

six = load("six-users")
groups = list(combinations(range(6), 3))  # Fay is number 5
raw = np.repeat(aggregate(six, groups), 100, axis=0)  # releases x places x hours
members = np.repeat([int(5 in group) for group in groups], 100)
rng = np.random.default_rng(2018)


def protect(counts):
    noise = rng.laplace(scale=1, size=counts.shape)
    return (counts + noise).round().clip(0, 3)


def flat(counts):
    return counts.reshape(len(counts), -1)  # one row for each release or group


released, simulated = protect(raw), protect(raw)

# %% [markdown]
# Both attackers summarise the counts of each place by the [seven statistics of Knock-Knock](kk-build): variance, minimum, maximum, median, mean, standard deviation and sum. Both train the same kind of classifier, a logistic regression, to predict whether a group contains Fay. An attacker says *member* if the score of a release is positive.

# %%
from lib import metrics
from lib.membership.features import extract
from lib.papers import figures as plots
from lib.papers import summaries
from lib.papers.knock_knock import defense_figures as figures
from sklearn.linear_model import LogisticRegression

plots.use_style()
models, scores = {}, {}
for attacker, counts in (("passive", raw), ("strategic", simulated)):
    model = LogisticRegression(max_iter=10_000).fit(extract(counts), members)
    models[attacker] = model
    scores[attacker] = model.decision_function(extract(released))

table = summaries.scored(members, scores)[["AUC"]]
table["says member"] = [f"{(each > 0).mean():.1%}" for each in scores.values()]
table["is right"] = [
    f"{((each > 0) == members).mean():.1%}" for each in scores.values()
]
plots.show_table(table, "six-attackers")

# %% [markdown]
# *For each attacker: the AUC over all releases, with a 95% interval, the share of the releases for which the attacker says* member, *and the share for which the answer is right. The interval treats the releases as independent. Because the releases come from only twenty groups, it does not show how much the result would change with other groups.*

# %% mystnb={"figure": {"name": "fig-kkd-six", "caption": "Scores that both attackers give to the same releases. The passive attacker says *member* (right of the dashed line) for nine releases out of ten, although only half of the releases contain Fay. The strategic attacker says *member* for about half of the releases, and is right more often. Scores beyond 4 standard deviations are drawn at 4."}, "image": {"alt": "Two panels of histograms of scores of releases with and without Fay. The passive attacker's scores lie nearly all to the right of zero; the strategic attacker's lie on both sides."}} tags=["hide-input"]
figures.show_attackers(members, scores)

# %% [markdown]
# The passive attacker says *member* for 90.6% of all releases, although only half of the releases contain Fay. Can clipping at 0 explain this? If a count is 0, clipping removes negative noise and keeps positive noise. The counts of quiet places are therefore too high on average. To see by how much, we add up the counts of a place over all hours, and average these totals over places and releases:

# %%
totals = {"raw": raw, "released": released, "simulated": simulated}
print({name: float(each.sum(axis=2).mean().round(2)) for name, each in totals.items()})

# %% [markdown]
# The mean total is 5.5 in the raw counts and 7.43 in the releases. The passive attacker's classifier takes the additional counts for visits of real people. The strategic attacker's classifier does not make this mistake, because it was trained on counts that are too high in the same way.
#
# Is the cause really the clipping, and not the noise itself? To find out, we release the groups with new noise, and round the counts but do not clip them. Then we clip these same counts at 0, but not at 3. The passive attacker scores both sets of releases. We use only the first of five draws of the noise for now:

# %%
noise_of_five = np.random.default_rng(1).laplace(scale=1, size=(5, *raw.shape))
unclipped = (raw + noise_of_five[0]).round()
for label, counts in {"no": unclipped, "at 0": unclipped.clip(0)}.items():
    said = models["passive"].decision_function(extract(counts))
    print(f"clipped: {label}; says member for {(said > 0).mean():.1%}")

# %% [markdown]
# In this draw, clipping makes the difference. To see how reliable this result is, we repeat it with all five draws. How large the mistake is may also depend on the classifier. `LogisticRegression` penalises large weights, so we train a second passive attacker with a penalty that is a hundred times weaker (`C=100`):

# %% tags=["hide-input"]
weaker = LogisticRegression(C=100, max_iter=10_000).fit(extract(raw), members)
passive_models = {"passive": models["passive"], "passive, weaker penalty": weaker}
rows = []
for noise in noise_of_five:
    unclipped = (raw + noise).round()
    for clipped, counts in {"no": unclipped, "at 0": unclipped.clip(0)}.items():
        for attacker, model in passive_models.items():
            said = model.decision_function(extract(counts))
            row = {"attacker": attacker, "clipped": clipped}
            row |= {"says member": (said > 0).mean(), "AUC": metrics.auc(members, said)}
            row |= {"with Fay": said[members == 1].mean()}
            rows.append(row | {"without Fay": said[members == 0].mean()})
five = pd.DataFrame(rows).groupby(["attacker", "clipped"], sort=False)
by_clipping = five.mean()
shown = by_clipping[["with Fay", "without Fay"]].map("{:.1f}".format)
shown = shown.add_prefix("mean score ")
lowest, highest = (five["AUC"].agg(end).map("{:.2f}".format) for end in ("min", "max"))
shown.insert(0, "AUC", lowest + " to " + highest)
shown.insert(0, "says member", by_clipping["says member"].map("{:.1%}".format))
plots.show_table(shown, "clipping")

# %% [markdown]
# *Two passive attackers, on releases with and without clipping. Means over five draws of the noise; for the AUC, the smallest and the largest of the five.*
#
# Without clipping, the passive attacker says *member* for about half of the releases. Clipping at 0 alone brings the mistake back. So for this classifier, the cause is the clipping and not the noise itself. How large the mistake is depends on the classifier: with the weaker penalty, the attacker says *member* for only 57.1% of the clipped releases.
#
# The mistake hardly affects the AUC, which is between 0.56 and 0.59 in all draws, with and without clipping. Clipping raises the mean score of the releases with Fay from 5.3 to 31.7, and that of the releases without Fay from −3.0 to 25.6. These two increases are similar, and the AUC depends only on the order of the scores. So there must be another reason why the AUC of the passive attacker is lower than that of the strategic attacker. A [test below](kkd-why-matching) shows that part of the gap is due merely to the scale of the columns, that is, of the statistics.
#
# *Question for a class:* How long does this mistake protect anybody? *Answer:* only until the attacker notices it. An attacker who knows that half of the groups contain the target can say *member* for the half of the releases with the highest scores.

# %% [markdown]
# (kkd-gains)=
# ## How much do trained attackers still find?
#
# We now repeat the paper's experiment with its five mechanisms, its four values of $\varepsilon$ and its classifier, a neural network (a multilayer perceptron, MLP). The [last chapter](kkd-mechanisms) introduced the mechanisms one by one, and the following table summarises them. In the table, $\Delta$ is the number of visits of the busiest user. An ROI (region of interest) is a place. FPA and EFPAG decompose the series of counts of a place into waves of different frequencies. They keep some of these waves and drop the others. FPA keeps the $\kappa$ slowest waves, and EFPAG chooses how many to keep.
#
# | mechanism | noise | scale of the noise | guarantee for |
# |---|---|---|---|
# | LPA(Δ/ε) | Laplace, on every count | $\Delta / \varepsilon$ | one user |
# | GSM | Gaussian, on every count | $\sigma = \sqrt{2 \Delta \ln(2/\delta)} / \varepsilon$ | one user |
# | FPA | Laplace, on the $\kappa$ slowest waves of each place | $\sqrt{\kappa \Delta} / \varepsilon$ | one user in one ROI |
# | EFPAG | Gaussian, on the waves that are kept; their number is chosen under differential privacy | $2 \sigma$ | one user in one ROI |
# | LPA(1/ε), *event-level noise* | Laplace, on every count | $1 / \varepsilon$ | one visit |
#
# The first four mechanisms scale their noise to the number of visits of the busiest user. We say that their noise is *scaled to a user's visits*. Their guarantees, however, have different units of privacy. LPA(Δ/ε) and GSM protect a user at all places together, whereas FPA and EFPAG protect a user at one place only. The [last chapter](kkd-composition) computes what this means for a user who visits several places.
#
# In this experiment, each known group is released once. The main dataset is one of the two that the paper uses, the San Francisco cabs (`cabspotting` in the tables). It has 150 cabs as targets, and each group consists of 500 cabs. For comparison, we use two flight datasets. The users are flight numbers in *flights by number*, and aircraft in *flights by tail*. Each flight dataset has 51 targets and groups of 300 users. For each target we draw 400 groups of cabs or 200 groups of flights, and half of these groups contain the target. You can change the following values when you run the page again:

# %% tags=["parameters"]
datasets = ["flights-by-number", "flights-by-tail"]
path = ""
classifier = "MLP"
epsilons = [0.01, 0.1, 1.0, 10.0]
delta = 0.1
kappa = 20
group_size = 300
n_groups = 200
n_per_third = 17
processes = 1
seed = 2018

# %% [markdown]
# The next cell loads the flights and keeps their first week.

# %%
from lib.papers import fitting
from lib.papers.knock_knock import defense_experiments as defenses
from lib.papers.knock_knock import experiments as kk

called = fitting.display_names(datasets)
populations = {name: kk.population(file, path) for name, file in called.items()}
weeks = {name: defenses.first_week(traces) for name, traces in populations.items()}
sizes = {"group_size": group_size, "n_groups": n_groups, "n_per_third": n_per_third}
own = fitting.defenses(populations, **sizes)  # group size and targets of each dataset

# %% [markdown]
# ### One flight number
#
# Before we show the results for all targets, we run the experiment for a single target. We take a flight number from the busiest third of the targets and draw its 200 groups:

# %%
dataset = next(iter(weeks))
week, setting = weeks[dataset], own[dataset]
per_third = setting["n_per_third"]
target = defenses.targets(week, data=dataset, n_per_third=per_third, seed=seed)[-1]
task = defenses.perfect_task(
    week, dataset, target, n_groups, setting["group_size"], seed
)
inside = task.train_members == 1
print(f"target: {week.users[target]}, in {inside.sum()} of the groups")
print("groups x places x hours:", task.train.shape)

# %% [markdown]
# The defender uses GSM with $\varepsilon = 10$. The busiest flight number has $\Delta = 15$ visits, which determines $\sigma$. The release and the strategic attacker's copies then differ from the raw counts by Gaussian noise, rounding and clipping. The function `fit_attack` computes the seven statistics of each place and selects 200 of them, because the paper keeps as many statistics as there are groups. As in [Knock-Knock](kk-build), it selects them by *recursive feature elimination*, which drops the statistics with the smallest weights step by step. Then it trains the network:

# %%
delta_visits = week.visits().max()  # Δ
sigma = np.sqrt(2 * delta_visits * np.log(2 / delta)) / max(epsilons)
print(f"Δ = {delta_visits}, σ = {sigma:.3f}")
game_rng = np.random.default_rng(seed)


def under_gsm(counts):
    noise = game_rng.normal(scale=sigma, size=counts.shape)
    return (counts + noise).round().clip(0, setting["group_size"])


to_score, own_copies = under_gsm(task.train), under_gsm(task.train)
for attacker, counts in {"passive": task.train, "strategic": own_copies}.items():
    attack = defenses.fit_attack(counts, task.train_members, classifier, seed)
    said = attack.decision_function(flat(to_score))
    low, high = metrics.auc_interval(inside, said)
    print(f"{attacker}: AUC {metrics.auc(inside, said):.2f} [{low:.2f}, {high:.2f}]")

# %% [markdown]
# The brackets are 95% intervals. One target is not enough for a conclusion, because an AUC near 0.6 that is computed from 200 releases is uncertain by about 0.08 in either direction.
#
# ### All targets
#
# Running this experiment for all targets, mechanisms and values of $\varepsilon$ takes too long for a page. The results that follow are therefore *stored results*, which come with the book. If you run the page with other values, the results for the flights are computed again. The cab data must not be redistributed, so the results for the cabs are always the stored ones. The function `with_cabs` combines the results for the flights with those for the cabs. A row of `games` holds the AUCs of the attackers for one target, one mechanism and one $\varepsilon$. We look at the row for the target from above, for which other noise was drawn, and at the mean over all targets of this dataset:

# %%
settings = {"classifier": classifier, "n_groups": n_groups, "epsilons": epsilons}
settings |= {"delta": delta, "kappa": kappa, "seed": seed, "processes": processes}


def with_cabs(experiment, **more):
    live = kk.stored_or_run(weeks, own, experiment, **settings, **more)
    stored = experiment.stored("cabspotting")
    return pd.concat([stored, live[~live["data"].isin(stored["data"])]])


games = with_cabs(defenses.games)

# %% tags=["hide-input"]
of_gsm = games[(games["mechanism"] == "GSM") & (games["ε"] == max(epsilons))]
of_gsm = of_gsm[of_gsm["data"] == dataset].set_index("target")
both_attackers = ["raw", "passive", "strategic"]
print(
    "this target:", of_gsm.loc[target, both_attackers].astype(float).round(2).to_dict()
)
print(f"mean of {len(of_gsm)}:", of_gsm[both_attackers].mean().round(2).to_dict())
print(f"lowest AUC of any target on raw counts: {games['raw'].min():.3f}")
print(defenses.games.source("cabspotting"))

# %% [markdown]
# For this target, the stored AUCs are 0.59 and 0.60, whereas we found 0.71 and 0.63 above. Only the noise is different, so the AUC of the passive attacker for a single target can change by more than 0.1 with the noise. The means over 51 targets are 0.63 and 0.62.
#
# {numref}`fig-kkd-aucs` shows such means for all mechanisms, datasets and values of $\varepsilon$:

# %% mystnb={"figure": {"name": "fig-kkd-aucs", "caption": "Mean AUC of both attackers against ε, with 95% intervals over targets; dotted: guessing. Left: the four mechanisms whose noise is scaled to a user's visits, on an enlarged axis. Both attackers have mean AUCs of at most 0.56 (rounded), except under GSM on flight numbers at ε = 10. Right: event-level noise (LPA(1/ε)) fails at ε = 10 on all three datasets, and on the cabs already at 1."}, "image": {"alt": "Three rows of two panels, one row for each of cabs, flights by number and flights by tail: mean AUC against epsilon. In the left panels all lines lie near one half, except that of GSM on flights by number, which reaches 0.63 at the largest epsilon. In the right panels event-level noise rises to one at the largest epsilon."}} tags=["hide-input"]
attackers = defenses.gains(games)
figures.show_aucs(attackers)

# %% [markdown]
# The following table shows the largest of these means, and the folded table after it shows all means at $\varepsilon = 10$:

# %% tags=["hide-input"]
is_largest = attackers["ε"] == attackers.groupby("data")["ε"].transform("max")
for_a_user = attackers["mechanism"] != "LPA(1/ε)"  # without event-level noise
highest = figures.highest_means(attackers[for_a_user])
plots.show_table(highest, "highest")

# %% [markdown]
# *The largest mean AUC under the four mechanisms whose noise is scaled to a user's visits. The columns separate GSM at $\varepsilon = 10$ from the other three mechanisms at this $\varepsilon$, and from all four at smaller $\varepsilon$.*

# %% tags=["hide-input", "hide-output"]
plots.show_parts(figures.trained_table(attackers[is_largest]), "aucs")

# %% [markdown]
# *Folded table: mean AUC of both attackers at $\varepsilon = 10$, with 95% intervals over targets. "Difference" is the AUC of the strategic attacker minus that of the passive attacker, paired by target and release.*
#
# The four mechanisms whose noise is scaled to a user's visits nearly defeat both attackers. On the cabs, all mean AUCs under these mechanisms round to at most 0.53, even at $\varepsilon = 10$. On the flights, the highest means are 0.63 for the passive and 0.62 for the strategic attacker, both under GSM on flight numbers. All other means under these mechanisms round to at most 0.56. Event-level noise at $\varepsilon = 10$ stops neither attacker.
#
# Why do the attackers fail? A target changes each count by at most 1, but the noise is scaled to *all* the visits that the busiest user makes in a week. How much does this noise change a single count? For the flights, we release the counts of one random group ten times, and measure how far the released counts are from the raw counts. For the cabs, we compute the standard deviation of the noise of LPA(Δ/ε) and GSM from their formulas:

# %%
from lib.mechanisms import PostProcess, release

noise_rng = np.random.default_rng(seed)


def people_moved(mechanism, counts, most):
    change = release(counts, [mechanism], noise_rng, most) - counts
    return (change**2).mean() ** 0.5


# %% tags=["hide-input"]
rows = []
for name, of_week in weeks.items():
    size = own[name]["group_size"]
    counts = aggregate(of_week, [noise_rng.permutation(of_week.n_users)[:size]])
    counts = np.repeat(counts, 10, axis=0)
    for each in sorted(epsilons)[-2:]:
        by_name = defenses.mechanisms(of_week, each, delta=delta, kappa=kappa)
        for mechanism in ("LPA(Δ/ε)", "GSM", "FPA", "EFPAG"):
            moves = people_moved(by_name[mechanism], counts, size)
            rows.append((name, mechanism, each, moves))
visits = int(defenses.effective_epsilons.stored("cabspotting")["Δ"].item())
for each in sorted(epsilons)[-2:]:
    rows.append(("cabspotting", "LPA(Δ/ε)", each, 2**0.5 * visits / each))
    of_cab_week = (2 * np.log(2 / delta) * visits) ** 0.5 / each
    rows.append(("cabspotting", "GSM", each, of_cab_week))
moved = pd.DataFrame(rows, columns=["data", "mechanism", "ε", "people"])
moved = moved.set_index(["data", "mechanism", "ε"])["people"].unstack("ε", sort=False)
moved.columns = [f"ε = {each:g}" for each in moved]
moved = moved.map(lambda people: f"{float(f'{people:.2g}'):,g}")
plots.show_table(moved, "noise")

# %% [markdown]
# *How far each mechanism moves a count: the root mean square, in people, of the released count minus the raw count, before rounding and clipping, to two significant digits. For FPA and EFPAG, this includes the effect of the waves that they drop. It depends on the counts, so it is missing for the cabs, whose traces do not come with the book.*
#
# On the cabs, the noise of LPA(Δ/ε) at $\varepsilon = 10$ has a standard deviation of about 380 people, whereas a target adds at most one person to a count. (We count $\Delta$ = 2,668 visits for the busiest cab; the paper prints a [slightly larger number](kkd-cabs).) On the flights, the counts move much less at $\varepsilon = 10$. Under GSM on flight numbers, a count moves by about one person, which is what a single visit contributes. Among the mechanisms whose noise is scaled to a user's visits, both attackers do best in this case.
#
# However, the size of the noise does not explain everything. EFPAG moves the counts of flight numbers even less than GSM does, and yet both attackers do worse against it. EFPAG also drops most waves, and chooses at random how many it keeps, separately for each group and place. [Below](kkd-why-fails) we show for $\varepsilon = 1$ that this random choice makes it harder to recognise a group. A further reason applies to every mechanism. Each of the seven statistics of a place combines all 168 hours of the week. Every hour contributes noise to the statistic, but the target contributes only in the hours that they spend at this place. [Below](kkd-why-matching) we test how much information is lost in these statistics.
#
# Without noise, the two attackers coincide, because both train on the raw counts. Their AUC is then 1.000 for every target. We cannot yet say whether the noise has destroyed the information in the counts, or whether the information is still there and these two attackers fail to use it.

# %% [markdown]
# (kkd-strategic)=
# ## Where does it pay to be strategic?
#
# The paper warns that a strategic attacker can undo much of the protection that the noise provides. Do our results confirm this? Both attackers score the same releases, so for each target we can subtract the AUC of the passive attacker from that of the strategic one. The strategic attacker trains on one noisy copy of each group. We add a fourth dataset, a *synthetic surrogate* for the paper's commuter data, which are not available. The surrogate is calibrated to the statistics that the paper publishes.

# %% tags=["hide-input"]
commuters = defenses.games.stored("commuters")
with_commuters = pd.concat([games, commuters[~commuters["data"].isin(games["data"])]])
pairs = figures.pairs(defenses.gains(with_commuters))
differences = pairs["mean"].rename("difference").reset_index()
for_a_visit = differences["mechanism"] == "LPA(1/ε)"
differences["noise"] = np.where(for_a_visit, "event-level", "scaled to a user's visits")
of_noise = differences.groupby(["data", "noise"], sort=False)["difference"]
extremes = of_noise.agg(["min", "max"]).rename(index=figures.titled, level="data")
plots.show_table((extremes.round(2) + 0).map("{:.2f}".format), "extremes")

# %% [markdown]
# *AUC of the strategic attacker minus AUC of the passive attacker, averaged over targets. For each dataset and kind of noise, the two columns show the smallest and the largest of these mean differences over all values of $\varepsilon$ and all mechanisms with this kind of noise.*

# %% mystnb={"figure": {"name": "fig-kkd-pairs", "caption": "AUC of the strategic minus AUC of the passive attacker, means over targets with 95% intervals. The one large difference is on the cabs, under event-level noise at ε = 1. Under noise that is scaled to a user's visits the differences are small, and not always positive."}, "image": {"alt": "Four panels, cabs, flights by number, flights by tail, commuters (synthetic surrogate): difference of AUC between strategic and passive attacker against epsilon, one line for each mechanism. Nearly all are at zero; on the cabs event-level noise reaches a quarter at epsilon 1."}} tags=["hide-input"]
figures.show_pairs(pairs)

# %% [markdown]
# The following folded table shows all 80 mean differences, with 95% intervals over targets:

# %% tags=["hide-cell"]
plots.show_parts(figures.by_column(pairs, "ε"), "pairs")

# %% [markdown]
# The largest difference occurs on the cabs, under event-level noise at $\varepsilon = 1$. In this case the two attackers have the following mean AUCs:

# %% tags=["hide-input"]
at_one = (attackers["data"] == "cabspotting") & (attackers["ε"] == 1)
at_one &= attackers["mechanism"] == "LPA(1/ε)"
print(attackers[at_one].groupby("attacker")["AUC"].mean().round(2).to_dict())

# %% [markdown]
# With the noise that the paper states and one noisy copy of each group, this is the only case with a mean difference above 0.03, so it is the only one in which it pays much to be strategic. The AUC rises from 0.64 to 0.88. On the flights and on the surrogate, the strategic attacker even does worse in some cases, by up to 0.07.
#
# A plausible reason is the number of training examples. The strategic attacker must learn from noisy examples, and has only one for each group. If the noise is much larger than the signal, a few hundred examples may be too few to learn from. If the noise is much smaller than the signal, the passive attacker does well without having seen any noise. It can even do better than the strategic attacker, because it learns from clean examples instead of noisy ones. Event-level noise on the cabs at $\varepsilon = 1$ lies between these two extremes.
#
# We can test part of this explanation. If the strategic attacker has too few examples, more noisy copies of the same groups should help. The following table of stored results compares three copies with one, under GSM at $\varepsilon = 10$:

# %% tags=["hide-input"]
draws = defenses.draws.stored()
called_draws = {"passive": "passive", "1": "1 copy", "3": "3 copies"}
draws = draws.assign(attacker=draws["draws"].map(called_draws))
compared = [("3 copies", "1 copy"), ("3 copies", "passive")]
by_draws = plots.table(draws, ["data"], "AUC", "attacker", pairs=compared)
plots.show_table(by_draws, "copies")

# %% [markdown]
# *Mean AUC under GSM at $\varepsilon = 10$ of the passive attacker, and of strategic attackers with one and with three noisy copies of each group. The last two columns are differences, paired by target. All intervals are 95% intervals over nine or ten targets.*
#
# Two additional copies raise the AUC of the strategic attacker by 0.07 [0.04, 0.10] on flight numbers and by 0.05 [0.01, 0.08] on the surrogate. On these two datasets, the strategic attacker with one copy therefore had too few examples. On the cabs and on flights by tail, the test is inconclusive, because the intervals in the column *3 copies - 1 copy* contain 0.
#
# The last column compares the strategic attacker with three copies with the passive attacker. The mean differences are at most 0.06, and their intervals are wide. An {ref}`exercise <kkd-draws>` shows the effect of additional copies for the six people, with up to a hundred copies of each group.
#
# ````{admonition} What this does not show
# :class: note
# - The main result is for one noisy copy of each group. An attacker can draw any number of copies, and the differences may then be larger.
# - The folded table contains 80 differences. Even if all true differences were zero, a few of the intervals would exclude zero by chance.
# - The paper reports that being strategic has a much larger effect under GSM, FPA and EFPAG at $\varepsilon = 10$. [Below](kkd-found) we compare its numbers with ours, and show what happens with less noise than the paper states.
# - The intervals describe the variation over targets. They do not include the variation that other draws of the noise would cause.
# ````

# %% [markdown]
# (kkd-gain)=
# ## How should a privacy gain be read?
#
# Instead of AUCs, the paper reports *privacy gains*. A privacy gain compares the AUC of an attack on protected counts with the AUC of the same attack on raw counts.
#
# ````{prf:definition} Privacy gain, as the paper prints it (Eq. 6)
# :label: def-kkd-pg
# Let $\mathrm{AUC}_A$ be the AUC of the attack on the raw counts $A$, and $\mathrm{AUC}_{\bar A}$ its AUC on the protected counts $\bar A$. The **privacy gain** is
# $\mathrm{PG} = \frac{\mathrm{AUC}_A - \mathrm{AUC}_{\bar A}}{\mathrm{AUC}_A - 0.5}$ if $\mathrm{AUC}_A > \mathrm{AUC}_{\bar A} \ge 0.5$, and 0 otherwise.
# ````
#
# In our experiment, the attack on raw counts is perfect, so $\mathrm{AUC}_A = 1$ and the gain is $2\,(1 - \mathrm{AUC}_{\bar A})$. For example, an AUC of 0.53 on the protected counts gives a gain of 0.94, and an AUC of 1/2 gives a gain of 1.
#
# Two properties of this definition can mislead a reader. First, the formula gives an AUC *below* 1/2 a gain of 0, as if the defense did nothing. We count such an AUC as 1/2 instead, so its gain is 1. Second, the mean gain of an attacker who guesses is below 1. By chance, this attacker has an AUC above 1/2 half of the time, and then the gain is below 1.
#
# The smallest possible test shows this most clearly. It has one group with the target and one without. Half of the time, a guess puts the two groups in the right order. Then the AUC is 1 and the gain is 0. Otherwise the AUC is 0, which we count as 1/2, and the gain is 1. So the mean gain of guessing is only 1/2. With more test groups, the mean gain comes closer to 1. If no scores are tied, how close it comes depends only on the number of test groups ({ref}`proof <kkd-floor>`).
#
# The mean gain of guessing is the **chance level** with which a gain must be compared. For each cab there are 200 test groups with the target and 200 without. The following table shows the gains on the cabs and the chance level for this number of groups:

# %% tags=["hide-input"]
of_cabs = games[games["data"] == "cabspotting"]
gains = figures.mean_gains(of_cabs[of_cabs["ε"] == 10]).droplevel(["data", "ε"])
gains = summaries.texts(gains, 3).unstack("attacker", sort=False)
gains.loc["guessing"] = f"{metrics.guessing_gain(200, 200):.3f}"
plots.show_table(gains.rename_axis(columns=None), "gains")

# %% [markdown]
# *Mean privacy gain on the cabs at $\varepsilon = 10$, with 95% intervals over 150 targets. An AUC below 1/2 is counted as 1/2.*
#
# The gain is easy to compute from the AUCs. We check one of the means in the table:


# %%
def gain(auc):
    return (1 - np.maximum(auc, 0.5)) / 0.5  # an AUC below 1/2 counts as 1/2


cabs_at_ten = games[(games["data"] == "cabspotting") & (games["ε"] == 10)]
cabs_at_ten = cabs_at_ten.set_index("mechanism")
mean_gain = gain(cabs_at_ten.loc["GSM", "strategic"]).mean()
print(f"GSM, strategic, from the definition: {mean_gain:.3f}")

# %% [markdown]
# Guessing has a mean gain of 0.977. A gain close to this value is therefore no evidence that an attack has found anything. Against the strategic attacker, the gain under GSM is 0.934, which is clearly below that of guessing. So under GSM, the strategic attacker does learn something, but only a little. The gain under EFPAG is 0.968 [0.962, 0.975]. Its difference from the gain of guessing is so small that other draws of the noise might remove it.
#
# Against the passive attacker, some gains are *above* that of guessing. Can an attacker do worse than guess? The AUCs of the individual targets show what happens:

# %% tags=["hide-input"]
at_ten = cabs_at_ten[["passive", "strategic"]]
tied = at_ten == 0.5
exactly_half = tied.groupby(level="mechanism", sort=False).mean()
squares = ((at_ten - 0.5) ** 2).where(~tied)
away = squares.groupby(level="mechanism", sort=False).mean() ** 0.5
away = away.map("{:.3f}".format).add_suffix(", distance of the others")
half_or_not = exactly_half.map("{:.0%}".format).join(away)
plots.show_table(half_or_not, "exactly-half")
of_guessing = ((200 + 200 + 1) / (12 * 200 * 200)) ** 0.5
print(f"distance of an attacker who guesses: {of_guessing:.3f}")

# %% [markdown]
# *First two columns: share of the 150 cabs for which the AUC is exactly 1/2, at $\varepsilon = 10$. Last two columns: distance from 1/2 of the AUCs of the remaining cabs, as a root mean square.*
#
# Under LPA(Δ/ε), the AUC of the passive attacker is exactly 1/2 for 79% of the cabs. An attacker who guesses at random hardly ever has an AUC of exactly 1/2. If an attacker gives all releases the same score, however, all scores are tied, so the AUC is exactly 1/2 and the gain is exactly 1. The likely reason for such ties is that the released counts are far from all counts on which the network was trained. The network may then give the same extreme score to every release.
#
# AUCs of exactly 1/2 are not the whole explanation. Under FPA, the passive attacker has such an AUC for only 35% of the cabs. But the AUCs of the remaining cabs are also closer to 1/2 than guessing would make them: their root mean square distance from 1/2 is 0.019, compared with 0.029 for an attacker who guesses. This is what we would expect if many scores, but not all, were tied. The scores themselves were not stored, so we cannot count the ties.
#
# A gain above the chance level therefore does not show especially strong protection. It probably means that the attacker gives many releases the same score.
#
# A privacy gain compares the results of *one* attack with and without a defense. A gain near 1 shows that this attack, as it stands, has been stopped, but it says nothing about other attacks. It does not even show that the same attack would fail with its scores reversed: an AUC far below 1/2 also counts as a gain of 1. The distances in the last table show that this does not happen here on average. Only under event-level noise is the distance large, and there the AUCs are near 1.

# %% [markdown]
# (kkd-matching)=
# ## Can an attacker recognise the group instead?
#
# The attacker knows the raw counts of every group. There is a simpler way to use this knowledge than training a classifier. For each release, the attacker can ask which of the known groups it resembles most, and then look up whether the target is in that group. We have seen a similar effect [before](kk-recognises). If an attacker trains a classifier on the same groups that are later released, the classifier recognises these groups.
#
# ### Three releases of the six people
#
# The following table compares releases of three of the twenty groups (rows) with the raw counts of the same three groups (columns). Each entry is the distance between a release and the raw counts of a group: the sum of the absolute differences of all counts.

# %%
from scipy.spatial.distance import cdist, pdist

chosen = [0, 9, 19]  # the first, a middle and the last of the twenty groups
names = [" + ".join(six.users[user] for user in groups[i]) for i in chosen]
one_release_each, known_counts = released[::100], raw[::100]
far = np.abs(one_release_each[:, None] - known_counts[None]).sum(axis=(2, 3))
shown = pd.DataFrame(far[chosen][:, chosen].astype(int), names, names)
plots.show_table(shown.rename_axis("release of"), "by-hand")

# %% [markdown]
# Each of the three releases is nearer to its own group than to the other two. Yet all distances are large, because there is noise in every count and because clipping raises the totals. Does this rise help to tell groups apart? To find out, we use the five draws of the noise from above, and average the rise of each group over all its releases:

# %%
rounded = (raw + noise_of_five).round()
rise_of_release = (rounded.clip(0, 3) - rounded).sum(axis=(2, 3)).mean(axis=0)
rise = rise_of_release.reshape(20, 100).mean(axis=1)  # one mean for each group
print(f"clipping raises all counts of a group by {rise.min():.1f} to {rise.max():.1f}")

# %% [markdown]
# The rise is between 7.1 and 8.3 people for every group, so it hardly helps to tell groups apart. But such a rise can mislead an attacker, as the following example shows.
#
# ### An example with two cells
#
# Three known groups have the counts $A = (6, 2)$, $B = (2, 6)$ and $C = (1, 1)$ in two cells. A mechanism raises every count by 3 on average. (Clipping at 0 also raises counts, but less, and mainly the small ones.) It releases group $C$ as $(5, 2)$: the rise gives $(4, 4)$, and the noise adds $(1, -2)$. To which group does the release belong?

# %%
three_groups = np.array([[6, 2], [2, 6], [1, 1]])
one_release = np.array([5, 2])
print("distances to A, B, C:", np.abs(one_release - three_groups).sum(axis=1))

# %% [markdown]
# By distance, the attacker chooses $A$. This is wrong. The rise moves every release towards the groups with large counts.
#
# Now we subtract what all releases have in common. The mean of the three groups is $(3, 3)$, so the expected release is $(6, 6)$. The release differs from it by $(-1, -4)$: both counts are *lower than expected*. Group $C$ differs from the mean group by $(-2, -2)$, and group $A$ by $(3, -1)$. To measure how well two differences agree, we multiply them cell by cell, add up, and divide by the length of the group's difference. For $C$, this gives $((-1)(-2) + (-4)(-2)) / \sqrt{8}$, which is 3.54. For $A$, it gives $((-1) \cdot 3 + (-4)(-1)) / \sqrt{10}$, which is 0.32:

# %%
expected = three_groups.mean(axis=0) + 3
directions = three_groups - three_groups.mean(axis=0)
directions = directions / np.linalg.norm(directions, axis=1, keepdims=True)
print("similarities to A, B, C:", (directions @ (one_release - expected)).round(2))

# %% mystnb={"figure": {"name": "fig-kkd-similarity", "caption": "Why matching subtracts means. Left: the release (cross) of group C is nearest to group A, because the mechanism has raised both counts; the arrow leads to it from the expected release. Right: after the expected release has been subtracted from the release, and the mean group from the groups, the release is projected (dotted) onto the direction of each group. It lies far out on the side of C, hardly on the side of A, and on the side opposite to B, so matching chooses C."}, "image": {"alt": "Two panels with three groups and a release in a plane. In the left panel the release lies next to group A, and an arrow leads to it from the expected release; the mean group is marked too. In the right panel, lines run from the origin through each group; the release lies far out in the direction of group C, its projection onto the line of A is near the origin, and that onto the line of B is opposite to B."}} tags=["hide-input"]
figures.show_similarity(three_groups, one_release, expected)

# %% [markdown]
# The similarity to $C$ is the largest, so the attacker now chooses $C$, which is right. The attack *matching* does the same with all cells and all known groups:
#
# ````{prf:algorithm} Matching
# :label: alg-kkd-matching
# Let $r$ be the release that is to be scored, $c_g$ the raw counts of the known group $g$, and $\bar c$ their mean over all known groups.
#
# 1. Estimate the expected release: apply the mechanism to the known groups, and let $\bar r$ be the mean of the resulting noisy copies.
# 2. Subtract $\bar r$ from the release, and $\bar c$ from the raw counts of each known group.
# 3. For each known group, project the first difference onto the direction of the second. The result is the *similarity* of the release to this group:
#
#    $$ s_g(r) = \frac{\langle r - \bar r,\; c_g - \bar c \rangle}{\lVert c_g - \bar c \rVert} . $$
#
#    It is large if the release exceeds the expected release in the cells in which the group exceeds the mean group, and falls below it in the cells in which the group falls below the mean group.
# 4. Let $G_1$ be the known groups with the target, and $G_0$ those without. The score of the release is the largest similarity to a group with the target, minus the largest similarity to a group without the target:
#
#    $$ \max_{g \in G_1} s_g(r) - \max_{g \in G_0} s_g(r) . $$
# ````
#
# Why does matching project, instead of choosing the group that is nearest after the subtraction? Suppose that the release of group $g$ is $\bar r + a\,(c_g - \bar c)$ plus independent Gaussian noise of standard deviation $\sigma$. The factor $a > 0$ says how much of the differences between groups the mechanism keeps. The log-likelihood of group $g$ is then, up to a term that is the same for all groups,
#
# $$ \frac{1}{\sigma^2} \Bigl( a\,\langle r - \bar r,\; c_g - \bar c \rangle - \frac{a^2}{2} \lVert c_g - \bar c \rVert^2 \Bigr) . $$
#
# For $a = 1$, the group with the largest likelihood is the nearest one after the subtraction. But clipping and dropped waves shrink the differences, and not by the same factor for every group. The attacker could estimate these factors by simulation. Matching avoids this step: it chooses for each group the $a$ with the largest likelihood. The log-likelihood of a group with a positive similarity then becomes $s_g(r)^2 / (2 \sigma^2)$. So if $a$ is chosen in this way, the group with the largest likelihood is the most similar one, provided that some similarity is positive. According to this model, matching fails if the length of $a\,(c_g - \bar c)$ is small relative to $\sigma$.
#
# This attack is ours; the paper does not contain it. The next cell implements it and applies it to the 2,000 releases of the six people. To estimate the expected release, it uses the noisy copies that the strategic attacker drew:


# %%
def similarities(releases, known, noisy_copies):
    difference = (releases - noisy_copies.mean(axis=0)).reshape(len(releases), -1)
    direction = (known - known.mean(axis=0)).reshape(len(known), -1)
    direction = direction / np.linalg.norm(direction, axis=1, keepdims=True)
    return difference @ direction.T  # releases x known groups


def matching_score(similarity, inside):
    return similarity[:, inside].max(axis=1) - similarity[:, ~inside].max(axis=1)


with_fay = members[::100] == 1  # one label for each of the twenty groups
of_six = similarities(released, known_counts, simulated)

# %% tags=["hide-input"]
of_three = of_six[::100][chosen][:, chosen]
shown = pd.DataFrame(of_three, names, names).map("{:.1f}".format)
plots.show_table(shown.rename_axis("release of"), "six-similarities")

# %% [markdown]
# The table shows the similarities of the three releases from above (rows) to the three groups (columns). In every row, the largest similarity is that to the release's own group. The other similarities are smaller, and most of them are negative. The largest of these is 1.0. It is the similarity of the release of Dan, Eve and Fay to the group of Ada, Eve and Fay, which shares two members with it. The next cell computes the AUC from the scores of all 2,000 releases. For comparison, it also scores the releases by their distance from the raw counts of each group, without subtracting anything first:

# %%
print(f"matching: AUC {metrics.auc(members, matching_score(of_six, with_fay)):.2f}")
print(f"strategic attacker: AUC {metrics.auc(members, scores['strategic']):.2f}")

six_distances = cdist(flat(released), flat(known_counts), "cityblock")
by_nearness = metrics.auc(members, matching_score(-six_distances, with_fay))
print(f"by distance, without subtracting anything: AUC {by_nearness:.2f}")

# %% [markdown]
# How often does each attack recognise the right group? The next cell counts the releases for which the release's own group is the most similar or the nearest one. If $k$ groups are equally near, we assume that the attacker chooses one of them at random, and count $1/k$:

# %%
of_release = np.repeat(np.arange(20), 100)


def share_recognised(similarity):
    best = np.isclose(similarity, similarity.max(axis=1, keepdims=True))
    own_is_best = best[np.arange(len(best)), of_release]
    return (own_is_best / best.sum(axis=1)).mean()  # one of k best groups counts 1/k


for label, each in {"similarity": of_six, "distance": -six_distances}.items():
    print(
        f"releases whose group is recognised by {label}: {share_recognised(each):.0%}"
    )
n_different = len(np.unique(flat(known_counts), axis=0))
print("different tables of counts among the twenty groups:", n_different)

# %% [markdown]
# Matching recognises the right group for 40% of the releases. An attacker who picks one of the twenty groups at random would be right for 5% of them. Matching has an AUC of 0.92, and the strategic attacker has an AUC of 0.65, although both have seen the same noisy copies. The two attacks differ in two respects. First, matching uses the count in every cell, whereas the classifier uses only the seven statistics of each place. Second, matching compares a release with each known group, and the classifier does not. [Below](kkd-why-matching) we test how much each of these two differences contributes.
#
# For the six people, the simpler attack by distance does as well as matching: it has an AUC of 0.93. So for the six people, subtracting the means gains nothing. In the example with two cells, subtracting them did help, because there the rise was large enough to bring the release nearer to a wrong group. Both attacks recognise the right group in less than half of the releases. One reason is ties, which are common here, because Ada and Ben have the same trace. If Ben replaces Ada in a group, the counts do not change, so nobody can tell the two groups apart. The twenty groups therefore have only 14 different tables of counts. Twelve groups have such a twin, so no attacker can recognise the group of more than $(8 + 12/2)/20$, or 70%, of the releases. Both attacks still have a high AUC, because an attack that mistakes one group with Fay for another group with Fay still gives the right answer.
#
# ### On the flights
#
# We now try matching on the flight number from [above](kkd-gains) and its 200 known groups, but under GSM with $\varepsilon = 1$. At $\varepsilon = 10$, matching has an AUC of 1.00 under GSM on every dataset ([table](kkd-calibrated)), and the guarantee allows nearly everything. We therefore take $\varepsilon = 1$ wherever we compare an attack with the guarantee. First we draw the releases and the attacker's own copies:

# %%
epsilon = min(epsilons, key=lambda each: abs(each - 1))  # the one nearest to 1
mechanisms = defenses.mechanisms(week, epsilon, delta=delta, kappa=kappa)
gsm = mechanisms["GSM"]
published = release(task.train, [gsm, PostProcess()], rng, setting["group_size"])
imitated = release(task.train, [gsm, PostProcess()], rng, setting["group_size"])

# %% [markdown]
# The functions from above compute the scores. We check that the library computes the same scores. For comparison, we again score the releases by distance:

# %%
similarity = similarities(published, task.train, imitated)
score = matching_score(similarity, inside)
recognised = (similarity.argmax(axis=1) == np.arange(n_groups)).mean()
by_library = defenses.matching_scores(
    published, task.train, task.train_members, imitated.mean(axis=0)
)
distances = cdist(flat(published), flat(task.train), "cityblock")
by_distance = matching_score(-distances, inside)
print("same scores as the library's:", np.allclose(score, by_library))
print(f"GSM, ε = {epsilon:g}: AUC {metrics.auc(inside, score):.3f}", end=", ")
print(f"by distance {metrics.auc(inside, by_distance):.3f}")
print(f"releases whose own group is most similar: {recognised:.0%} of {n_groups}")

# %% [markdown]
# For this target, matching has an AUC of 0.998. For 91% of the releases, it picks the right one of the 200 groups. Below we evaluate it for all mechanisms and datasets. As a control, we use **random labels**: we draw half of the groups at random, and pretend that these contain the target. Random labels say nothing about any person. If an attack predicts them as well as the true labels, it recognises groups and not people. For the flight number from above, this takes two lines:

# %%
at_random = np.random.default_rng(seed).permutation(inside)
by_random_labels = metrics.auc(at_random, matching_score(similarity, at_random))
print(f"random labels: AUC {by_random_labels:.3f}")

# %% [markdown]
# The attack predicts these labels almost as well as the true ones: its AUC is 0.992 instead of 0.998. The following tables show the means over targets, for matching and for both trained attackers:

# %% tags=["hide-input"]
matching = with_cabs(defenses.matching)
attacks = defenses.all_attacks(games, matching)
at_epsilon = attacks["ε"] == epsilon
shown = attacks[at_epsilon & (attacks["mechanism"] != "LPA(1/ε)")]
plots.show_parts(figures.matching_table(shown, ["data", "mechanism"]), "matching")
of_matching = shown[shown["attacker"] == "matching"]
print("targets:", of_matching.groupby("data", sort=False)["target"].nunique().to_dict())

# %% [markdown]
# *Mean AUC at $\varepsilon = 1$, with 95% intervals, over the targets for which all four columns are available.*
#
# On flight numbers and on flights by tail, matching succeeds under GSM, where both trained attackers do little better than guessing. On the cabs, matching is only slightly better than guessing at this $\varepsilon$, under GSM (0.56).
#
# How large an AUC does the guarantee allow in theory? We answer this for GSM. At $\varepsilon = 1$ and $\delta = 0.1$, the noise that the paper prints for GSM is large enough: the guarantee for one user holds, even if neighbours differ by replacing a user ([table](kkd-label)). For every false positive rate, this guarantee limits the [true positive rate](kkd-allowed). Together, these limits form the highest ROC curve that the guarantee allows. The area under this curve is the largest possible AUC. The function `trade_off` returns the smallest false negative rate that is allowed for one release. One minus this rate is the largest true positive rate:

# %%
from lib.accounting import trade_off

fpr = np.linspace(0, 1, 20_001)
largest_tpr = 1 - trade_off(epsilon, 1, fpr, delta)
bound = np.trapezoid(largest_tpr, fpr)
print(f"the guarantee of GSM allows an AUC of at most {bound:.3f}")

corner = (1 - delta) / (1 + np.exp(epsilon))  # where the two lines below meet
below_first = corner * (delta + 1 - corner) / 2
below_second = (1 - delta - corner) * (2 - corner) / 2
print(f"corner: ({corner:.3f}, {1 - corner:.3f})", end=", ")
print(f"area: {below_first:.3f} + {below_second:.3f} + {delta:g}")

# %% [markdown]
# This curve consists of three straight lines, so its area can be computed by hand. The curve starts at $(0, 0.1)$, and its slope is $e$ up to the corner $(0.242, 0.758)$. From there the slope is $1/e$ up to $(0.9, 1)$, and the last line runs along the top. The three areas are 0.104, 0.578 and 0.1, and their sum is 0.782.

# %% mystnb={"figure": {"name": "fig-kkd-matching", "caption": "Mean AUC at ε = 1 of a strategic attacker and of matching, with true and with random labels; 95% intervals over targets. Dashed, in the row of GSM: the largest AUC that its guarantee for one user, (1, 0.1)-differential privacy, allows; dotted: guessing. Under GSM matching exceeds this bound on both flight datasets, and does so with random labels, too."}, "image": {"alt": "Three panels, cabs, flights by number and by tail: for each of four mechanisms the mean AUC of the strategic attacker, of matching, and of matching with random labels. On flights matching is near 1 or 0.8 under GSM, right of a dashed line at 0.78; the strategic attacker stays near one half."}} tags=["hide-input"]
figures.show_matching(shown, {"GSM": bound})

# %% [markdown]
# On flight numbers under GSM, matching has an AUC of 0.99. On the same releases, the strategic attacker has an AUC of 0.53. So the trained attacker failed because of its own limits, and not because the noise had destroyed the information.
#
# With random labels, matching also has an AUC of 0.99, so the target's own visits hardly matter to this attack. It recognises the *group*, and then looks up the answer.
#
# Matching does not succeed under every mechanism. Under FPA and EFPAG, its mean AUC at $\varepsilon = 1$ is at most 0.52 on every dataset. One might expect that matching fails under those mechanisms that move the counts furthest. But by the [table above](kkd-gains), EFPAG moves the counts of flight numbers by only 3.5 people, and GSM moves them by 9.5. LPA(Δ/ε) moves them furthest, and matching still has an AUC of 0.68 under this mechanism. So whether matching succeeds does not depend only on how far the counts move. A [test below](kkd-why-fails) shows why the attack fails under FPA and EFPAG.
#
# (kkd-why-matching)=
# ### Why is matching so much stronger?
#
# Matching differs from the strategic attacker in two respects: in its input, and in how it decides. To find out which of them matters, we vary both. A classifier and matching each receive either the seven statistics of each place or the counts in all cells. We divide every column of this input by its standard deviation among the noisy copies. The classifier is a logistic regression. We train it once on the noisy copies and once on the raw counts, so that in the second case its examples contain no noise. We begin with the classifier that is trained on the noisy copies of the six people:

# %%
from sklearn.preprocessing import StandardScaler

inputs = {"seven statistics": extract, "all cells": flat}
for label, describe in inputs.items():
    scale = StandardScaler().fit(describe(simulated)).transform
    model = LogisticRegression(max_iter=10_000)
    model.fit(scale(describe(simulated)), members)
    said = model.decision_function(scale(describe(released)))
    print(f"six people, classifier, {label}: AUC {metrics.auc(members, said):.2f}")

# %% [markdown]
# The same classifier has a far higher AUC if it receives all cells. The folded code treats the other cases in the same way. The following table shows all AUCs for the six people, and also those for the flight number:

# %% tags=["hide-input"]
from typing import NamedTuple


class Counts(NamedTuple):
    """Counts of groups, and which of these groups contain the target."""

    counts: np.ndarray
    inside: np.ndarray


def auc_by_input(describe, releases, known, copies):
    scale = StandardScaler().fit(describe(copies.counts)).transform
    seen = scale(describe(releases.counts))
    raw_groups = scale(describe(known.counts))
    noisy_groups = scale(describe(copies.counts))
    on_raw = LogisticRegression(max_iter=10_000).fit(raw_groups, known.inside)
    on_noisy = LogisticRegression(max_iter=10_000).fit(noisy_groups, copies.inside)
    similarity = similarities(seen, raw_groups, noisy_groups)
    answers = {
        "classifier, raw counts": on_raw.decision_function(seen),
        "classifier, noisy copies": on_noisy.decision_function(seen),
        "matching": matching_score(similarity, known.inside),
    }
    return {name: metrics.auc(releases.inside, said) for name, said in answers.items()}


of_people = {
    "releases": Counts(released, members),
    "known": Counts(known_counts, with_fay),
    "copies": Counts(simulated, members),
}
of_flights = {
    "releases": Counts(published, inside),
    "known": Counts(task.train, inside),
    "copies": Counts(imitated, inside),
}
by_input = {}
for name, data in {
    "six people": of_people,
    f"{dataset}, one target": of_flights,
}.items():
    columns = {label: auc_by_input(seen, **data) for label, seen in inputs.items()}
    by_input[name] = pd.DataFrame(columns)
by_input = pd.concat(by_input, names=["data", "attacker"])
plots.show_table(by_input.map("{:.2f}".format), "by-input")

# %% [markdown]
# *AUC on the releases from above: 2,000 releases of the six people, and 200 releases of flight numbers under GSM at $\varepsilon = 1$, for one target.*
#
# For the six people, the input makes the difference. With all cells, even the classifier has an AUC of 0.91. With the seven statistics, even matching has an AUC of only 0.63. The statistics summarise all hours of a place, so most differences between groups are lost.
#
# For this flight number, both the input and the way of deciding matter. Matching with the seven statistics has an AUC of 0.61, and neither classifier has an AUC above 0.62, even with all cells. Only matching with all cells has an AUC of 1.00. Noise in the training examples is not the classifier's only problem, because even when it is trained on raw counts, its AUC is at most 0.62.
#
# There is a plausible reason for this difference between the two attacks. A linear classifier has to find *one* direction that separates all groups with the target from all groups without the target. But few of the differences between two groups have to do with the target. Matching has a separate direction for *each* known group. Along this direction, the differences in many cells add up, and the noise of these cells partly cancels.
#
# A simple model shows how much this matters. Suppose that the differences of the known groups from their mean are orthogonal and equally long. If two groups are $d$ apart, each difference then has length $d / \sqrt{2}$. Matching uses this whole length. A single direction has to serve all groups at once: the squares of its projections onto the 200 orthogonal directions add up to at most 1. If it moves every group to its own side by the same amount, it moves each of them by at most $d / \sqrt{2 \cdot 200}$. The next cell inserts the numbers of this flight number. An error is the noise along one direction, divided by $\sigma$:

# %%
from scipy.stats import norm

length = pdist(flat(task.train)).mean() / np.sqrt(2)  # from the mean to a group
own_shift = length / gsm.scale  # in standard deviations of the noise
largest_error = norm.ppf(0.5 ** (1 / (n_groups - 1)))  # the median of the largest
print(f"own direction: a release is shifted by {length:.0f} people", end=", ")
print(
    f"{own_shift:.1f} σ; the largest error of the other groups is {largest_error:.1f} σ"
)
shift = length / np.sqrt(n_groups)
print(f"one direction for all: {shift:.1f} people, {shift / gsm.scale:.2f} σ", end=", ")
print(f"AUC {norm.cdf(np.sqrt(2) * shift / gsm.scale):.2f}")

# %% [markdown]
# Along its own direction, a release is shifted by 5.0 standard deviations. This is far more than the largest of 199 independent errors, whose median is 2.7. A single direction shifts each group by only 0.35 standard deviations, and by the model, its AUC is 0.69. The classifiers have 0.62 or less. The model ignores rounding, clipping and the division of the columns, so it explains only the rough size of the gap.
#
# For the six people, the classifier does almost as well as matching if both receive all cells. One direction is probably enough there because there are only 32 cells, and because each person is in half of the groups.
#
# Matching also subtracts the expected release. How much does this contribute? For the same flight number, the attack by distance subtracts nothing and does almost as well: its AUC is 0.985, and that of matching is 0.998. But the two attacks also measure similarity in different ways, so this comparison does not show what the subtraction alone contributes. A table [below](kkd-on-cabs) compares two choices of what to subtract, on the cabs.
#
# One difference remains to be explained. On the same releases of the six people, the passive attacker had a lower AUC than the classifier on raw counts has in this table: 0.56 against 0.62, with the seven statistics in both cases. The two classifiers differ in two respects. First, the columns are now divided by their standard deviation among the noisy copies. Second, each group is now in the training set once instead of a hundred times. We make these changes one at a time. As a further comparison, we divide the columns by their standard deviation among the raw counts:

# %% tags=["hide-input"]
unscaled = StandardScaler(with_mean=False, with_std=False)
scalers = {
    "as they are": unscaled.fit(extract(raw)),
    "divided, raw counts": StandardScaler().fit(extract(raw)),
    "divided, noisy copies": StandardScaler().fit(extract(simulated)),
}
by_weight = {}
for label, scaler in scalers.items():
    scaled = scaler.transform(extract(released))
    for name, step in {"each group 100 times": 1, "each group once": 100}.items():
        examples = scaler.transform(extract(raw[::step]))
        model = LogisticRegression(max_iter=10_000).fit(examples, members[::step])
        said = model.decision_function(scaled)
        by_weight[label, name] = metrics.auc(members, said)
by_weight = pd.Series(by_weight).unstack(sort=False).rename_axis("columns")
plots.show_table(by_weight.map("{:.2f}".format), "weights")

# %% [markdown]
# *AUC on the 2,000 releases of the six people. Every classifier has been trained on the seven statistics of the raw counts.*
#
# Most of the increase comes from dividing by the standard deviation among the noisy copies, which raises the AUC from 0.56 to 0.61. An attacker who does this already knows something about the noise. But the AUC also rises, to 0.59, if the columns are divided by their standard deviation among the raw counts, which requires no such knowledge. So part of the passive attacker's weakness is due merely to the scale of the columns. The reason is the penalty: `LogisticRegression` penalises large weights, so the scale of a column determines how cheaply the classifier can use it. The penalty also explains why it matters how often each group is in the training set: with a hundred copies of each group, the same penalty carries less weight relative to the data. This second change has a smaller effect. If the classifier is also trained on the noisy copies, its AUC rises from 0.62 to 0.65, as the previous table shows.
#
# (kkd-why-fails)=
# ### Why does matching fail under FPA and EFPAG at $\varepsilon = 1$?
#
# *This section can be skipped on a first reading. Its result: on one flight number, the noise alone defeats matching under FPA. Under EFPAG, matching fails because of two things together, the random choice of waves and the noise.*
#
# Both mechanisms do two things: they drop waves, and they add noise to the waves that they keep. Which of these two steps defeats the attack? We repeat the attack on the same flight number with both steps, and with each step alone. To test the first step alone, we drop the waves that a release of the mechanism would drop, and add no noise. To test the second step alone, we keep every wave, and add to each the noise that the mechanism adds to a wave that it keeps. For EFPAG, this noise is easy to draw, because equal Gaussian noise on every wave is the same as equal Gaussian noise on every count. The reason is that the waves are an orthonormal basis, and independent Gaussian noise of equal size looks the same in every orthonormal basis.
#
# The two mechanisms count waves differently. FPA counts a sine and a cosine of the same frequency as one wave, so 168 hours have 85 waves. EFPAG uses cosines only, and 168 hours have 168 of them.

# %%
from functools import partial

from lib.mechanisms import fourier_reconstruction
from scipy.fft import dct, idct

wave_rng = np.random.default_rng(seed)
fpa, efpag = mechanisms["FPA"], mechanisms["EFPAG"]
raw_waves = dct(task.train.astype(float), norm="ortho")  # groups x places x waves


def publish(mechanism):
    return release(task.train, [mechanism], wave_rng, setting["group_size"])


def kept_by_efpag():
    return np.abs(dct(publish(efpag), norm="ortho")) > 1e-9  # dropped waves are 0


def without_noise(kept):
    return idct(kept * raw_waves, norm="ortho")


# %% [markdown]
# The function `publish` returns a release of all 200 groups, neither rounded nor clipped. The function `kept_by_efpag` releases the groups under EFPAG, and looks up which waves this release has kept. The function `without_noise` rebuilds the *raw* counts from these waves alone. The function `auc_of_matching` attacks a release. The second argument is the attacker's own copy of the release, which is drawn in the same way. Both are rounded and clipped first:


# %%
def whole_people(counts):
    return counts.round().clip(0, setting["group_size"])


def auc_of_matching(attacked, imitation, finish=whole_people):
    alike = similarities(finish(attacked), task.train, finish(imitation))
    return metrics.auc(inside, matching_score(alike, inside))


# %% [markdown]
# The noise that FPA adds to a wave grows with $\sqrt{\kappa}$. To give every wave of FPA the noise that it has if only $\kappa$ waves are kept, we multiply the sensitivity by the square root of $\kappa$ over the number of all waves. We draw every kind of release three times:

# %% tags=["hide-input"]
from lib.mechanisms import FourierPerturbation

n_hours = task.train.shape[2]
n_waves = n_hours // 2 + 1  # of FPA, whose waves have a sine and a cosine part
of_all_waves = fpa.sensitivity * (kappa / n_waves) ** 0.5
fpa_on_all = FourierPerturbation(epsilon, n_waves, of_all_waves)
print("FPA, same noise on a wave:", np.isclose(fpa_on_all.scale, fpa.scale))
steps = {
    ("FPA", "both"): partial(publish, fpa),
    ("FPA", "waves dropped, no noise"): partial(
        fourier_reconstruction, task.train, kappa
    ),
    ("FPA", "noise, no wave dropped"): partial(publish, fpa_on_all),
    ("EFPAG", "both"): partial(publish, efpag),
    ("EFPAG", "waves dropped, no noise"): lambda: without_noise(kept_by_efpag()),
    ("EFPAG", "noise, no wave dropped"): partial(publish, efpag.noise()),
}
by_step = {}
for label, draw_release in steps.items():
    drawn = [auc_of_matching(draw_release(), draw_release()) for _ in range(3)]
    by_step[label] = f"{np.mean(drawn):.2f} ({min(drawn):.2f} to {max(drawn):.2f})"
by_step = pd.Series(by_step).unstack(sort=False).rename_axis("mechanism")
plots.show_table(by_step, "by-step")

waves_kept = kept_by_efpag().sum(axis=2).mean()
print(f"EFPAG keeps {waves_kept:.1f} of {n_hours} waves of a place on average")
for label, each in {"GSM": gsm, "EFPAG": efpag.noise(), "FPA": fpa_on_all}.items():
    by_noise = ((publish(each) - task.train) ** 2).mean() ** 0.5
    print(f"noise of {label} on every wave: a count moves by {by_noise:.1f} people")

# %% [markdown]
# *AUC of matching on one flight number at $\varepsilon = 1$. Each entry is the mean of three draws, with the smallest and the largest AUC in brackets. The draws differ in the noise or, for EFPAG without noise, in the choice of waves. FPA without noise is not random.*
#
# Under FPA, the noise alone defeats the attack. If the mechanism only drops waves, the AUC is still 1.00. If no wave is dropped and noise is added to every wave, the AUC is 0.51. Under EFPAG, neither step alone is enough. With dropped waves and no noise, the AUC is 0.75. With noise and no dropped waves, it is 0.70. Only both steps together lower the AUC to 0.50.
#
# Why does dropping waves harm the attack under EFPAG, but not under FPA? There are two possible reasons. EFPAG keeps fewer waves, so less of the differences between groups may be left. And EFPAG chooses *at random* how many waves it keeps, separately for each group and place. Two groups may therefore differ only because one of them has kept more waves, and this difference says nothing about their members.
#
# To separate the two reasons, we compare three ways to drop waves, all without noise: that of FPA, that of EFPAG, and a variant of EFPAG in which all groups keep the same waves as the first one. For every pair of the 200 groups, we measure which share of the distance between the two groups is left. For EFPAG, we draw the choice of waves eight times:

# %%
between = pdist(flat(task.train)).clip(1)  # different groups are at least 1 apart
choices = [kept_by_efpag() for _ in range(8)]  # of waves, for each group and place
ways = {
    "FPA": [partial(fourier_reconstruction, task.train, kappa)],
    "EFPAG": [partial(without_noise, kept) for kept in choices],
    "EFPAG, same waves for all": [partial(without_noise, kept[:1]) for kept in choices],
}
shares = {
    name: np.concatenate([pdist(flat(drop_waves())) / between for drop_waves in draws])
    for name, draws in ways.items()
}

# %% [markdown]
# How well does matching work in these three cases? Under EFPAG, the attacker's own copies have another random choice of waves than the release. In the other two cases, they keep the same waves as the release:

# %% mystnb={"figure": {"name": "fig-kkd-dropped", "caption": "What dropping waves leaves of the distance between two groups, without noise, on one flight number at ε = 1: all pairs of 200 groups, and eight draws of EFPAG's choice of waves; dashed: median. Above each panel: the AUC of matching. FPA and EFPAG leave similar shares, yet of these two, matching reaches an AUC of 1.00 only under FPA. The histogram for EFPAG has two humps: pairs in which neither group keeps many waves at the three busiest places have a median of 0.24, and all other pairs one of 0.44. If EFPAG keeps the same waves in all groups, less of the distance is left, but matching does better."}, "image": {"alt": "Three histograms below each other. FPA: narrow around 0.45. EFPAG: wide, from 0.2 to 0.7. EFPAG with the same waves for all groups: narrow around 0.2."}} tags=["hide-input"]
rows, titles = {}, {}
for name, draws_of_one in ways.items():
    shift = 1 if name == "EFPAG" else 0  # the attacker's copy is the next draw
    copies_of_one = draws_of_one[shift:] + draws_of_one[:shift]
    aucs, exact = [], []
    for drop_waves, imitate in zip(draws_of_one, copies_of_one, strict=True):
        attacked, imitation = drop_waves(), imitate()
        aucs.append(auc_of_matching(attacked, imitation))
        exact.append(auc_of_matching(attacked, imitation, finish=np.asarray))
    low, middle, high = np.quantile(shares[name], [0.05, 0.5, 0.95])
    rows[name] = {
        "share left, median": f"{middle:.2f}",
        "90% of the shares": f"{low:.2f} to {high:.2f}",
        "AUC": f"{np.mean(aucs):.2f} ({min(aucs):.2f} to {max(aucs):.2f})",
        "AUC, not rounded": f"{np.mean(exact):.2f} ({min(exact):.2f} to {max(exact):.2f})",
    }
    titles[name] = f"{name}: AUC {np.mean(aucs):.2f}"
figures.show_dropped(shares, titles)

# %% tags=["hide-input"]
plots.show_table(pd.DataFrame(rows).T.rename_axis("waves dropped"), "dropped")

squares_of_places = (task.train.astype(float) ** 2).sum(axis=(0, 2))
busiest = np.argsort(squares_of_places)[-3:]
of_busiest = squares_of_places[busiest].sum() / squares_of_places.sum()
print(f"the three busiest places: {of_busiest:.0%} of the squared counts")
first, second = np.triu_indices(n_groups, 1)  # the pairs, in the order of `pdist`
most_kept = [kept[:, busiest].sum(axis=2).max(axis=1) for kept in choices]
many = np.concatenate([np.maximum(each[first], each[second]) for each in most_kept])
by_many = pd.Series(shares["EFPAG"]).groupby(many >= 12).median().round(2)
print("EFPAG, median share, by whether a group of the pair keeps 12 waves at one:")
print({"yes" if kept else "no": share for kept, share in by_many.items()})

# %% [markdown]
# *First two columns: share of the distance between two groups that is left, over all pairs and draws. Last two columns: AUC of matching, as a mean over eight draws with the smallest and the largest in brackets, on counts that are rounded and clipped, and on counts that are not. The waves of FPA are not random, so there is only one draw.*
#
# FPA and EFPAG leave similar shares of the distance: the medians are 0.45 and 0.39. Under EFPAG, the shares differ much more, because it chooses the waves separately for each group and place. Yet matching has an AUC of 1.00 under FPA, and of only 0.73 under EFPAG, as a mean over the eight draws. So the size of what is left does not explain the difference.
#
# The histogram for EFPAG has two humps, because three busy places account for 81% of the squared counts. If neither group keeps 12 or more waves at any of these places, the median share is 0.24. For all other pairs, it is 0.44.
#
# If EFPAG keeps the same waves in all groups, the median share falls to 0.20, but the AUC rises to 0.91. So much of the distance that EFPAG leaves between two groups comes from the unequal choice of waves. For the attacker, this part is noise. If we neither round nor clip the counts, the AUC is 0.84 with separate choices and 1.00 with the same waves for all. So on this flight number, dropping waves harms the attack because the waves are chosen separately for each group. Rounding and clipping add to the harm. A likely reason is that a few waves leave only small differences, and rounding to whole people removes many of them.
#
# Why, then, do the counts move so little under EFPAG? It keeps on average only 5.1 of the 168 waves of a place, and the dropped waves receive no noise. On the waves that it keeps, the noise of EFPAG is twice as large as that of GSM, because EFPAG spends half of $\varepsilon$ on choosing how many waves to keep. If no wave were dropped, this noise would move a count by 19.0 people. So on this flight number, EFPAG harms matching in two ways: by its random choice of waves, and by its noise, which is twice as large as that of GSM. Neither is visible in how far a single count moves.
#
# How strong must noise alone be to defeat the attack? GSM drops no waves. Its noise moves a count by 9.5 people, and on this flight number, the AUC of matching was 0.998. The noise of EFPAG is twice as large and weakens the attack, even if no wave is dropped (last column of the table for each step). If the noise of FPA is added to every wave, it moves a count by 34.6 people, and the attack fails.
#
# (kkd-on-cabs)=
# ### On the cabs
#
# At $\varepsilon = 10$, matching also succeeds on the cabs, although the strategic attacker is still hardly better than guessing there:

# %% tags=["hide-input"]
strongest = attacks[attacks["ε"] == attacks.groupby("data")["ε"].transform("max")]
cabs = strongest[strongest["data"] == "cabspotting"]
cabs = cabs[cabs["mechanism"] != "LPA(1/ε)"]
matching_of_cabs = figures.matching_table(cabs, ["mechanism"])
plots.show_table(matching_of_cabs, "matching-of-cabs")

# %% [markdown]
# *Mean AUC on the cabs at $\varepsilon = 10$, with 95% intervals over ten targets.*
#
# Matching has an AUC of 1.00 under GSM, 0.98 under EFPAG and 0.69 under FPA. Under LPA(Δ/ε), whose noise moves a count by about 380 people, the result is inconclusive.
#
# Does it matter what matching subtracts from a release? The attacker can subtract the mean of noisy copies, as above, or the mean of the known raw counts. The second choice ignores how noise, rounding and clipping change every count. The following table compares the two choices:

# %% tags=["hide-input"]
centres = matching[(matching["data"] == "cabspotting") & (matching["ε"] == 10)]
three = ["GSM", "FPA", "EFPAG"]
centres = centres[centres["mechanism"].isin(three)]
centres = centres[centres["labels"] == "true"]
subtracted = {"own releases": "mean noisy copy", "known counts": "mean raw counts"}
centres = centres.assign(subtracted=centres["centre"].map(subtracted))
by_centre = plots.table(
    centres, ["mechanism"], "AUC", "subtracted", within=(-np.inf, 1.0)
)
plots.show_table(by_centre, "centres")

# %% [markdown]
# *Mean AUC of matching on the cabs at $\varepsilon = 10$, with 95% intervals over ten targets. The columns differ in what the attacker subtracts from a release.*
#
# The choice matters under EFPAG and FPA. Under EFPAG, the AUC is 0.98 if the attacker subtracts the mean noisy copy, and only 0.72 if they subtract the mean raw counts. Under FPA, the AUC falls from 0.69 to 0.57. Under GSM, the AUC is 1.00 with either choice. A likely reason for the losses is the following. Subtracting the wrong mean changes the similarities of all releases to a given group by the same amount, but this amount differs between groups. So in every release, some groups appear more similar than they should. The releases under GSM are clipped as well, so the mean raw counts are wrong there, too. Presumably, each release under GSM is so much more similar to its own group than to any other that the change does not matter. We have not tested this, because the traces of the cabs do not come with the book.
#
# ````{admonition} What this does not show
# :class: note
# - The attacker in this section knows the raw counts of all groups and the target's membership in each of them. Hardly any real attacker knows this much. Against {ref}`new groups <kkd-fresh>`, matching is far weaker.
# - The harm that matching does may be small. An attacker who knew all groups in advance learns only *which* of them was published.
# - We attacked only nine or ten targets in each dataset. On the flights, we compared the seven statistics with all cells for only one target and only one kind of classifier, a linear one. In that comparison, an AUC near 0.6 is computed from 200 releases and is uncertain by about 0.08 in either direction.
# - The dashed line in {numref}`fig-kkd-matching` shows the bound for GSM only. The guarantees of FPA and EFPAG are for one user in one ROI, and that of LPA(Δ/ε) is for a user who joins or leaves. In this game, another user replaces the target, and then [the $\varepsilon$ of LPA is up to twice as large](kkd-label).
# ````

# %% [markdown]
# (kkd-bound)=
# ## An AUC of 0.99 against a bound of 0.78: is the theorem wrong?
#
# By the guarantee of GSM with $\varepsilon = 1$ and $\delta = 0.1$, no attack that has to tell apart two groups that differ in *one user* has an AUC above 0.782. We have seen that GSM satisfies its guarantee at this $\varepsilon$, even for replace-one neighbours ([table](kkd-label)). In our game, the target is one user. Yet matching has an AUC of 0.99 on flight numbers under GSM. Is the theorem wrong, or is the experiment? The following table collects the numbers of this paradox:

# %% tags=["hide-input"]
under_gsm_at_one = attacks[at_epsilon & (attacks["mechanism"] == "GSM")]
paradox = under_gsm_at_one.pivot_table("AUC", "data", "attacker", sort=False)
paradox = paradox[["strategic", "matching", "matching, random labels"]].round(2)
paradox["bound for one user"] = round(bound, 3)
plots.show_table(paradox.rename(index=figures.titled), "paradox")

# %% [markdown]
# *Mean AUC under GSM at $\varepsilon = 1$. The bound follows from $\varepsilon$ and $\delta$ alone, so it is the same for all datasets. On both flight datasets, matching exceeds it, even for random labels.*
#
# Neither is wrong. The theorem compares two groups that differ in **one** user, and limits how well an attacker can tell these two groups apart. Matching tells apart groups that differ in **many** users, because the groups that the attacker knows were drawn independently of each other.
#
# What if the known groups came in pairs, so that each group had a neighbour in which another user replaces the target? Then the guarantee would limit the true positive rate within each pair. The true positive rate over all pairs is the mean of the pairs' true positive rates, and the same holds for the false positive rate. The highest ROC curve that the guarantee allows is concave, because it is the smaller of two straight lines, cut off at 1. Therefore the point whose coordinates are the two means also lies on or below this curve. So no attack on these groups could have an AUC above 0.782. But the known groups in our experiment contain no such pairs. Two random groups of $m$ out of $n$ users differ in $m (1 - m/n)$ users on average:

# %%
m, n = setting["group_size"], week.n_users
apart = max(1, round(m * (1 - m / n)))
print(f"{dataset}: groups of {m} of {n:,} users differ in {apart} users on average")
print(f"cabs: groups of 500 of 534 differ in {500 * (1 - 500 / 534):.0f}")

# %% [markdown]
# How well can two known groups be told apart under GSM? Let $d$ be the Euclidean distance between their raw counts. GSM adds independent Gaussian noise of standard deviation $\sigma$ to all counts, and this noise has the same standard deviation in every direction. The best test therefore projects the release onto the line through the raw counts of both groups. On this line, it has to separate two normal distributions whose means are $d$ apart.
#
# The AUC is the probability that a release of the first group lies further along the line than a release of the second. Both releases have their own noise, so the difference of their positions is normal with mean $d$ and standard deviation $\sqrt{2}\,\sigma$. It is positive with probability
#
# $$ \mathrm{AUC} = \Phi\Bigl(\frac{d}{\sqrt{2}\,\sigma}\Bigr). $$
#
# As an example, take two flight numbers with the median number of visits, and suppose that they never visit the same cell. If one of them replaces the other in a group, the counts change by 1 in every cell that either of them visits:

# %%
typical = int(week.visits().median())
distance = np.sqrt(typical + typical)
print(f"median visits: {typical}, so the counts change in {2 * typical} cells")
print(f"d = {distance:.2f}, σ = {gsm.scale:.2f}", end=", ")
print(f"AUC = {norm.cdf(distance / (np.sqrt(2) * gsm.scale)):.3f}")

# %% [markdown]
# The AUC of 0.643 is far below the bound of 0.782 for one user. But the more users the groups differ in, the larger $d$ becomes.
#
# What does the guarantee allow if the groups differ in $j$ users? To get from the first group to the second, replace the $j$ users one after the other. Choose any set of possible releases, for example those for which an attacker says *second group*. Let $p_i$ be the probability that the release falls into this set after $i$ replacements. By the guarantee, each replacement multiplies this probability by at most $e^{\varepsilon}$ and then adds at most $\delta$:
#
# $$ p_{i+1} \le e^{\varepsilon} p_i + \delta . $$
#
# The guarantee also holds for the set of all *other* releases, which has probability $1 - p_i$ after $i$ replacements. A step back from $i + 1$ to $i$ replacements changes one user as well, so $1 - p_i \le e^{\varepsilon} (1 - p_{i+1}) + \delta$. We solve this inequality for $p_{i+1}$:
#
# $$ p_{i+1} \le 1 - e^{-\varepsilon} (1 - \delta - p_i) . $$
#
# Both limits hold in every step, so $p_{i+1}$ is at most the smaller of the two. If $p_0$ is the false positive rate of an attack that says *second group*, then $p_j$ is its true positive rate.
#
# For example, let $p_0 = 0$, $\varepsilon = 1$ and $\delta = 0.1$. After one replacement, the first limit allows $e \cdot 0 + 0.1 = 0.1$. After two, it allows $0.1\,e + 0.1 = 0.372$. After three, it would allow 1.111, which is more than 1. The second limit is then the smaller one: it allows $1 - (0.9 - 0.372) / e = 0.806$.
#
# To find the largest true positive rate that the guarantee allows, we start from every possible false positive rate $p_0$, and apply the step $j$ times. What the guarantee for one user implies for $j$ users is called **group privacy**:


# %%
def one_user_further(p, epsilon, delta):
    by_the_set = np.exp(epsilon) * p + delta
    by_the_other_releases = 1 - np.exp(-epsilon) * (1 - delta - p)
    return np.minimum(by_the_set, by_the_other_releases).clip(max=1)


def largest_tpr_for(j, epsilon, delta):
    tpr = fpr
    for _ in range(j):
        tpr = one_user_further(tpr, epsilon, delta)
    return tpr


for_one = largest_tpr_for(1, epsilon, delta)
print("for one user, the same as above:", np.allclose(for_one, largest_tpr))

# %% [markdown]
# Many textbooks instead state a formula that uses only the first limit. For two steps, this limit gives
#
# $$ p_2 \le e^{\varepsilon} p_1 + \delta \le e^{\varepsilon} (e^{\varepsilon} p_0 + \delta) + \delta = e^{2\varepsilon} p_0 + \delta\,(1 + e^{\varepsilon}) . $$
#
# So for two users, the parameters are $2\varepsilon$ and $\delta\,(1 + e^{\varepsilon})$. In general, the formula guarantees
#
# $$ \bigl(j\varepsilon,\ \delta\,(1 + e^{\varepsilon} + \dots + e^{(j-1)\varepsilon})\bigr)\text{-differential privacy for } j \text{ users.} $$
#
# The following table compares the two methods for up to five users:


# %%
def delta_for(j, epsilon, delta):
    return delta * sum(np.exp(min(i * epsilon, 700)) for i in range(j))


def auc_by_formula(j, epsilon, delta):
    of_group = min(delta_for(j, epsilon, delta), 1)
    return np.trapezoid(1 - trade_off(j * epsilon, 1, fpr, of_group), fpr)


rows = {}
for j in range(1, 6):
    tpr = largest_tpr_for(j, epsilon, delta)
    rows[j] = {
        "TPR at FPR 0, at most": f"{tpr[0]:.3f}",
        "AUC, at most": f"{np.trapezoid(tpr, fpr):.3f}",
        "δ by the formula": f"{delta_for(j, epsilon, delta):.3f}",
        "AUC by the formula": f"{auc_by_formula(j, epsilon, delta):.3f}",
    }
group_limits = pd.DataFrame(rows).T.rename_axis("users")
plots.show_table(group_limits, "group-privacy")

# %% [markdown]
# *What $(1, 0.1)$-differential privacy for one user implies for several users. The second and third columns apply both limits step by step. The last two columns show the $\delta$ of the formula, and the largest AUC that its parameters allow.*
#
# For three users, the $\delta$ of the formula is 1.111. A $\delta$ of 1 or more excludes nothing, because no probability is above 1. So for three or more users, the *formula* gives no bound. The guarantee itself still gives one: by both limits together, the AUC for three users is at most 0.990. For five or more users, these limits give no bound either.
#
# Could a cleverer argument give a bound for five users? No, because there is a mechanism that satisfies the guarantee and still distinguishes two groups that differ in five users with certainty. It counts how many of five particular people are in the group, and publishes only *yes* or *no*. If none of the five is in the group, it never says *yes*. If one to five of them are in the group, it says *yes* with the probability that the table shows as the largest TPR for this number of users. For zero to five of these people, the probabilities are 0, 0.100, 0.372, 0.806, 0.965 and 1. Replacing one user changes the number by at most one, and the two limits were used to compute each probability from the one before it. So the probabilities of *yes* and of *no* for neighbouring groups satisfy the guarantee, and the mechanism is $(1, 0.1)$-differentially private. But it never says *yes* for a group with none of the five people, and always says *yes* for a group with all of them.
#
# How close does the best test under GSM come to these bounds? We draw pairs of groups that differ in exactly $j$ users, and compute the AUC of the best test for each pair. The last column of the following table shows the largest AUC that the guarantee allows, computed from both limits:


# %%
def auc_of_best_test(j):
    users = rng.permutation(n)
    swapped_out, swapped_in = users[m - j : m], users[m : m + j]  # the others stay
    one, other = aggregate(week, [swapped_out, swapped_in]).astype(float)
    return norm.cdf(np.linalg.norm(one - other) / (np.sqrt(2) * gsm.scale))


curve = {}
for j in sorted({1, 2, 3, 5, 10, 20, 50, 100, apart}):
    if j <= min(m, n - m):
        aucs = [auc_of_best_test(j) for _ in range(20)]
        curve[j] = {"mean": np.mean(aucs), "least": min(aucs), "most": max(aucs)}
        allowed_tpr = largest_tpr_for(j, epsilon, delta)
        curve[j]["guarantee allows"] = np.trapezoid(allowed_tpr, fpr)
curve = pd.DataFrame(curve).T
shown = curve.map("{:.3f}".format).rename_axis("users who differ")
plots.show_table(shown, "groups")

# %% mystnb={"figure": {"name": "fig-kkd-groups", "caption": "How well the best test tells two groups of 300 apart under GSM at ε = 1, if they differ in a given number of users (line and band: mean and range of 20 pairs). Dashed, squares: the largest AUC that the guarantee for one user allows for this number of users; dotted: guessing. The test never exceeds what is allowed. But for three users an AUC of 0.990 is already allowed, and for five or more users nothing is excluded."}, "image": {"alt": "AUC against the number of differing users on a logarithmic axis: about 0.62 for one user, below the dashed line at 0.78, reaching 1 at a hundred. The dashed line is at 0.78 for one user, 0.94 for two and 0.99 for three, and at 1 for five or more users."}} tags=["hide-input"]
figures.show_groups(curve)

# %% [markdown]
# If the groups differ in one user, the best test has a mean AUC of 0.622, well below the bound of 0.782. If they differ in ten users, its mean AUC is 0.854. If they differ in 215 users, as two random groups do on average, its AUC is 1.000.
#
# The guarantee does not exclude these results. It allows an AUC of 0.939 for two users, and of 0.990 for three users. **The guarantee $(1, 0.1)$ for one user hardly limits an attack on three users, and for five or more users it excludes nothing.** With a much smaller $\delta$, the guarantee gives a bound for more users. But this bound soon becomes weak, because every further user multiplies small probabilities by $e^{\varepsilon}$ (see the exercise {ref}`kkd-family`).
#
# On the cabs, two random groups differ in 32 users on average. For 20 users, the best test already has an AUC of 0.936 on flight numbers. Why, then, does matching hardly succeed on the cabs at this $\varepsilon$? What matters is the distance between two groups relative to the noise. The noise is scaled to the busiest cab, which has by far more visits than a flight number. The following table compares the datasets. We measure the distances between random groups of flights. For the cabs, we can only estimate the distance. If two groups are drawn at random and differ in $j$ users on average, the mean of $d^2$ is very nearly $2j \sum_c p_c (1 - p_c)$, where $p_c$ is the share of all users who visit the cell $c$. If every $p_c$ is small, this is about $2 j \sum_c p_c$, and $\sum_c p_c$ is the mean number of visits of a user. We insert the median number of visits $v$ instead, because only the median was stored for the cabs, and estimate the distance by $\sqrt{2 j v}$.

# %% tags=["hide-input"]
typical_of_cabs = defenses.effective_epsilons.stored("cabspotting")[
    "median visits"
].item()
facts = {"cabspotting": (visits, typical_of_cabs, 500, 534, np.nan)}
pair_rng = np.random.default_rng(seed)
for name, of_week in weeks.items():
    size, of_all = own[name]["group_size"], of_week.n_users
    twenty = [pair_rng.permutation(of_all)[:size] for _ in range(20)]
    measured = pdist(flat(aggregate(of_week, twenty))).mean()
    counted = of_week.visits()
    facts[name] = counted.max(), counted.median(), size, of_all, measured
rows = {}
for name, (most, middle, size, of_all, measured) in facts.items():
    differ = max(size * (1 - size / of_all), 0)
    of_noise = (2 * most * np.log(2 / delta)) ** 0.5 / epsilon
    estimate = (2 * differ * middle) ** 0.5
    distance = estimate if np.isnan(measured) else measured
    rows[figures.titled(name)] = {
        "Δ": f"{most:,.0f}",
        "σ": f"{of_noise:.1f}",
        "users who differ": f"{differ:.0f}",
        "d, estimated": f"{estimate:.0f}",
        "d, measured": "" if np.isnan(measured) else f"{measured:.0f}",
        "d / σ": f"{distance / of_noise:.1f}",
        "AUC, two groups": f"{norm.cdf(distance / (2**0.5 * of_noise)):.2f}",
    }
    print(f"{figures.titled(name)}: d / (√2 σ) = {distance / (2**0.5 * of_noise):.1f}")
plots.show_table(pd.DataFrame(rows).T.rename_axis("data"), "distances")
print(f"median of the largest of 399 errors: {norm.ppf(0.5 ** (1 / 399)):.1f} σ")

# %% [markdown]
# *GSM at $\varepsilon = 1$: most visits of a user, scale of the noise, number of users in whom two random groups differ on average, and distance between two such groups. The last two columns use the measured distance where there is one. The estimate is $\sqrt{2jv}$, with the median number of visits $v$. "AUC, two groups" is the AUC of the best test between two groups at this distance.*
#
# On the cabs, the distance is only about 2.3 times $\sigma$. It is 7.0 times $\sigma$ on flight numbers and 4.3 times on flights by tail. The mean AUCs of matching are in the same order: 0.56, 0.99 and 0.82. Two groups of cabs could still be told apart, with an AUC of about 0.95. But matching has to choose among 400 known groups of cabs. In the [model above](kkd-why-matching), a release of cabs is shifted by $d / (\sqrt{2}\,\sigma)$ along its own direction, which is less than two standard deviations. The largest of 399 errors is typically larger: its median is 2.9 standard deviations. So by this model, the largest similarity is often that to a wrong group. For the flights, the estimated distance is close to the measured one. For the cabs, it is rougher: many cabs visit the same busy cells, so $1 - p_c$ is well below 1 there, and the estimate is probably too large. A smaller distance would make matching harder still.
#
# Is the guarantee useless, then? That depends on the attacker. Suppose that the attacker knows all members of the group except one, and wants to find out who the remaining member is. Then the candidate groups differ in one user, and the guarantee limits what this attacker can learn. A different attacker knows a list of very different groups, and only has to recognise which of them was released. A guarantee for one user limits this attacker only if it still implies a strong bound for as many users as the groups differ in. How small must $\varepsilon$ be for this? We take $\delta = 0$, and choose $\varepsilon$ so that $j\varepsilon = 1$, where $j$ is the number of users in which two random groups differ on average:

# %%
epsilon_of_one = 1 / apart
tpr = largest_tpr_for(apart, epsilon_of_one, 0)
print(f"ε = {epsilon_of_one:.4f} for a replaced user", end=": ")
print(f"AUC at most {np.trapezoid(tpr, fpr):.3f} for {apart} users")

# %% [markdown]
# With $\varepsilon = 0.0047$ for one replaced user, no test that distinguishes two groups that differ in 215 users has an AUC above 0.724. So a guarantee for one user can limit what an attacker learns about a group. By this argument, it is enough to divide $\varepsilon = 1$ by 215 for pairs that differ in this average number of users, and Laplace noise is then 215 times as large. Some pairs differ in more users. A specific mechanism may need less noise. But all mechanisms that we try at $\varepsilon = 10$ in the [next section](kkd-calibrated) are less accurate than a table of zeros, and some of them do not even weaken the attack.
#
# ````{admonition} What this does not show
# :class: note
# - The formula for the AUC of the best test is for counts that are neither rounded nor clipped, and for two groups. Rounding and clipping can only make the best test worse. Matching has to choose among 200 groups, which is harder than choosing between two.
# - The curve in {numref}`fig-kkd-groups` is for random users of this dataset. Users with few visits are harder to tell apart.
# ````

# %% [markdown]
# (kkd-calibrated)=
# ## Do calibrated mechanisms defeat the matching attack?
#
# *This section can be skipped on a first reading. Its result: calibrating a mechanism for one user does not by itself defeat matching.*
#
# In the last chapter, we saw that we cannot rely on the nominal guarantees of three mechanisms at $\varepsilon = 10$: that of [GSM](kkd-label), and those of [FPA and EFPAG](kkd-composition) if they are read as guarantees for a whole user. Does matching succeed only because the noise of these mechanisms is too small? To find out, we repeat the attack on *calibrated* mechanisms, whose noise is [large enough](kkd-repair) to guarantee the nominal $\varepsilon$ for everything that a user contributes. But at $\varepsilon = 10$, this guarantee is weak, even for one user:

# %%
allowed_at_ten = np.trapezoid(largest_tpr_for(1, 10, delta), fpr)
print(f"for one user, ε = 10 and δ = {delta:g} allow an AUC of {allowed_at_ten:.5f}")

# %% [markdown]
# The following comparison therefore does not test the guarantee. It tests only whether the additional noise of the calibrated mechanisms defeats this attack:

# %% tags=["hide-input"]
variants = with_cabs(defenses.variants)
both = defenses.all_attacks(pd.concat([games, variants]), matching)
both = both[both["ε"] == both.groupby("data")["ε"].transform("max")]
plots.show_table(figures.calibrated_matching_table(both), "calibrated-matching")

# %% [markdown]
# *Mean AUC of matching at $\varepsilon = 10$, under the mechanisms as the paper prints them and after calibration, with 95% intervals over nine or ten targets.*
#
# Calibration leaves matching under GSM unharmed, and weakens it clearly under FPA: on the cabs, for example, its AUC falls from 0.69 to 0.51. Under EFPAG, the result depends on the data: the AUC falls from 0.98 to 0.60 on the cabs, but stays at 1.00 on flight numbers.
#
# So calibrating a mechanism for one user does not by itself defeat the attack. How much noise is needed to defeat it? To measure the noise, we divide the mean relative error of each mechanism by the [error of a table of zeros](kkd-errors). The relative error of a count is its absolute error divided by the true count, or by the {term}`sanity bound` of half a person if the true count is 0. (The paper's bound is 0.1% of the sum of the counts; [the replication](kk-divided) compares several bounds.) For example, a true count of 4 that is released as 5 has a relative error of 1/4, and a relative error of 1 in a table of zeros. A true count of 0 that is released as 1 has a relative error of 2, and a relative error of 0 in a table of zeros. On the flights, most counts are 0, so a table of zeros is hard to beat:

# %% tags=["hide-input"]
errors = with_cabs(defenses.errors, n_releases=20)
at_largest = errors["ε"] == errors.groupby("data")["ε"].transform("max")
errors = errors[at_largest & (errors["counts"] == "clipped")]
bounds_of_cabs = defenses.sanity_bounds.stored("cabspotting")
zeros = defenses.empty_errors(weeks, of=own, n_releases=20, seed=seed)
zeros = pd.concat([figures.zeros_from_bounds(bounds_of_cabs), zeros])
zeros = zeros.groupby("data")[figures.BOUND].mean()
mean_errors = errors.groupby(["data", "mechanism"], sort=False)[figures.BOUND].mean()
times_zeros = mean_errors.div(zeros, level="data")
auc_of = both[both["attacker"] == "matching"]
auc_of = auc_of.groupby(["data", "mechanism"], sort=False)["AUC"].mean()
both_versions = [f"{each}{end}" for each in three for end in ("", ", calibrated")]
times_zeros = times_zeros[times_zeros.index.isin(both_versions, level="mechanism")]
weakened = times_zeros[auc_of.reindex(times_zeros.index) < 0.9]
print(f"error / error of a table of zeros: smallest {times_zeros.min():.1f}", end=", ")
print(f"smallest where the AUC is below 0.9: {weakened.min():.1f}")
of_cabs_only = times_zeros["cabspotting"]
print(f"cabs: {of_cabs_only['FPA']:.1f} under FPA", end=", ")
print(f"{of_cabs_only['EFPAG, calibrated']:.1f} under calibrated EFPAG")

# %% mystnb={"figure": {"name": "fig-kkd-calibrated", "caption": "AUC of matching at ε = 10 against the error of the release, divided by the error of a table of zeros (dashed). An arrow leads from a mechanism as the paper prints it (hollow) to its calibrated version (filled); dotted: guessing. Every release is less accurate than a table of zeros, and the AUC is below 0.9 only where the error is at least 4.6 times that of a table of zeros."}, "image": {"alt": "Three panels, cabs, flights by number and flights by tail. GSM stays at an AUC of 1 and moves right a little. The arrows of FPA lead down and far to the right. The arrow of EFPAG leads down on the cabs, a little down on flights by tail, and stays at 1 on flights by number. All marks lie right of the dashed line."}} tags=["hide-input"]
figures.show_calibrated(times_zeros, auc_of)

# %% tags=["hide-input", "hide-output"]
of_zeros = {}
for data in times_zeros.index.unique("data"):
    for each in three:
        pair = times_zeros[data][[each, f"{each}, calibrated"]]
        of_zeros[figures.titled(data), each] = pair.to_numpy()
columns = ["as printed", "calibrated"]
of_zeros = pd.DataFrame.from_dict(of_zeros, orient="index", columns=columns)
of_zeros.index = pd.MultiIndex.from_tuples(of_zeros.index, names=["data", "mechanism"])
plots.show_table(of_zeros.map("{:.1f}".format), "errors-by-zeros")

# %% [markdown]
# *Folded table: mean relative error at $\varepsilon = 10$, divided by the error of a table of zeros. Both errors use a sanity bound of 0.5 people. If the ratio is above 1, the release is less accurate than a table of zeros.*
#
# None of these mechanisms both weakens matching clearly and has a small error. Wherever the AUC of matching is below 0.9, the error is at least 4.6 times that of a table of zeros. The noise that calibration adds weakens matching under FPA on all three datasets, and under EFPAG on two of them. Under GSM, the error grows only a little, and the AUC stays at 1.00.
#
# But the error alone does not determine whether matching succeeds. On the cabs, the error of calibrated EFPAG is 4.6 times that of a table of zeros, and the AUC of matching is 0.60. FPA as printed has a larger error, 5.9 times that of a table of zeros, and yet the AUC of matching is also larger, 0.69.
#
# FPA on flight numbers deserves a closer look. With the noise that the paper prints, matching has an AUC of 1.00. Is this noise large enough for the guarantee to hold for a whole user? The last chapter computed the [effective $\varepsilon$](kkd-composition) of each user:

# %% tags=["hide-input"]
spent = with_cabs(defenses.effective_epsilons).set_index("data").loc[dataset]
k = spent["most ROIs of a user"]
print(f"{dataset}: most places of one user k = {k:.0f}")
largest = spent["FPA, largest of a user"]
print(f"largest effective ε of a user under FPA: {largest:.2f} times the nominal ε")

# %% [markdown]
# Yes, for every flight number in the data, if neighbours differ by adding or removing one user. The largest effective $\varepsilon$ is only 0.82 times the nominal one. So under such neighbours, matching succeeds here although the noise is large enough for every user in the data. In the game, however, another user replaces the target, and then the effective $\varepsilon$ can be up to twice as large. GSM at $\varepsilon = 1$ is a clearer example. Its guarantee holds even for replaced users, and on flight numbers, matching has an AUC of 0.99. So matching does not need a broken guarantee to succeed.
#
# Why is the effective $\varepsilon$ below the nominal one? The reason is that the printed noise covers the largest effect that $\Delta$ visits at one place *can* have on the slow waves. How large is this effect? By the Cauchy–Schwarz inequality, the sum of the changes of $\kappa$ waves is at most $\sqrt{\kappa}$ times their Euclidean length, with equality only if all changes are equally large. Their length is at most $\sqrt{\Delta}$, with equality only if no other wave changes. Real visits also change the fast waves, which FPA drops, and they change the slow waves unequally.
#
# Why, then, does calibration add noise at all? It has to cover every possible user with at most $\Delta$ visits at no more than $k = 6$ places, and not only the users in the data. (No flight number in the data visits more than 6 places.) A user with $v$ visits at one place changes the slow waves of this place, all together, by at most $\sqrt{\kappa v}$, whereas the printed noise allows for $\sqrt{\kappa \Delta}$. So this place spends at most $\sqrt{v / \Delta}$ times the nominal $\varepsilon$, and the places that the user visits add up. The next cell computes this sum for four users with $\Delta$ visits. Each list contains the shares of these visits that the user makes at each place:

# %%
divisions = {
    "all at one place": [1],
    "half at each of two places": [1 / 2, 1 / 2],
    "half at one, the rest at five others": [1 / 2] + 5 * [1 / 10],
    "equally among six places": 6 * [1 / 6],
}
for division, shares_of_places in divisions.items():
    print(f"{division}: at most {np.sqrt(shares_of_places).sum():.2f} times nominal ε")

# %% [markdown]
# Because the square root is concave, the sum is largest if the visits are divided equally among all $k$ places. It is then $\sqrt{k}$, so calibration multiplies the printed noise by $\sqrt{6}$, or 2.45. No flight number in the data comes close to this case.

# %% [markdown]
# (kkd-found)=
# ## What the paper found, and what we found
#
# The paper's main finding about the strategic attacker concerns the cabs at $\varepsilon = 10$. Training on noisy counts removes a fifth of the privacy gain under GSM, two thirds under FPA and five sixths under EFPAG. Do our results agree? The following table compares the mean gains that the paper prints for the cabs with ours:

# %% tags=["hide-input"]
from lib.papers import claims

judged = claims.read(claims.BOOK / "claims" / "kk.csv")
of_ten = figures.mean_gains(of_cabs[of_cabs["ε"] == 10]).droplevel(["data", "ε"])
beside = {}
for attacker, figure in (("passive", "12b"), ("strategic", "13b")):
    for each in three:
        claim = judged.loc[f"kk-fig{figure}-{each.lower()}-pg-eps10"]
        beside[attacker, each] = {
            "the paper": claim["published"],
            "here": gains.loc[each, attacker],
            "verdict": claim["verdict"],
            "difference": claim["reason"].partition(" (")[0],
        }
beside = pd.DataFrame(beside).T.rename_axis(["attacker", "mechanism"])
plots.show_table(beside, "gains-beside")
finding = judged.loc["kk-fig13-vs-12-strategic", "verdict"]
print("kk-fig13-vs-12-strategic, the finding that gains fall:", finding)

# %% [markdown]
# *Mean privacy gain on the cabs at $\varepsilon = 10$, with 95% intervals over 150 targets. Where the paper says "almost 1", we write "~ 1.0". The last column shows how far the two means are apart, and by how much they may differ for the verdict* reproduced.
#
# The verdicts in the table follow [a rule](scoreboard-rule). A printed number counts as *reproduced* if ours differs from it by no more than rounding and sampling errors allow. Where the paper says only "almost 1", we allow a further difference of 0.05. For this reason, our gain of 0.986 under GSM against the passive attacker counts as reproducing the paper's number. For FPA, the paper prints 0.96 with two digits, and our gain of 0.992 is too far from it.
#
# This finding is about the *fall* of the gain from the passive to the strategic attacker. We compute it from the AUCs and the definition of the gain, and compare it with the differences of the paper's numbers:

# %%
falls = gain(cabs_at_ten["passive"]) - gain(cabs_at_ten["strategic"])
here = falls.groupby(level="mechanism").mean()
paper = pd.Series({"GSM": 1 - 0.8, "FPA": 0.96 - 0.32, "EFPAG": 0.92 - 0.15})
beside_falls = pd.DataFrame({"the paper": paper, "here": here[paper.index]})
plots.show_table(beside_falls.round(2).rename_axis("mechanism"), "falls")

# %% [markdown]
# *Mean gain against the passive attacker minus mean gain against the strategic attacker, on the cabs at $\varepsilon = 10$. The paper's fall for GSM takes "almost 1" as 1.*
#
# On the same cabs, our result contradicts the finding (`kk-fig13-vs-12-strategic` *contradicted*). We take the finding to mean that the gain against the strategic attacker is lower by more than 0.1. Training on noisy counts lowers our gains as well, but by less than this margin. Under GSM, the gain falls by about 0.05. Under FPA and EFPAG, it falls by less. Under FPA, the fall does not even mean that the attack succeeds, because the lower gain is still close to that of guessing.
#
# Our numbers also contradict the size of the effect that the paper reports. For FPA, the paper prints a gain of 0.32 against the strategic attacker, and ours is 0.973. For EFPAG, it prints 0.15, and ours is 0.968.
#
# Do the verdicts depend on how we count an AUC below 1/2? The following table shows the gains by Eq. 6 as printed, in which an AUC below 1/2 has a gain of 0:

# %% tags=["hide-input"]
as_printed = of_ten["mean PG as printed"].unstack("attacker").loc[three]
as_printed["fall"] = as_printed["passive"] - as_printed["strategic"]
plots.show_table(as_printed.round(3).rename_axis(columns=None), "as-printed")

# %% [markdown]
# *Mean privacy gain by Eq. 6 as printed, on the cabs at $\varepsilon = 10$, and its fall from the passive to the strategic attacker.*
#
# The two verdicts for GSM do depend on it ([all choices](kkr-choices)). If we applied Eq. 6 as printed, our gain under GSM would be 0.79 against the strategic attacker, which is close to the paper's 0.8. Against the passive attacker, it would be 0.779, which is too far from "almost 1". The gains under FPA and EFPAG against the strategic attacker would be 0.559 and 0.555, still far above those of the paper. From the passive to the strategic attacker, no gain would fall by more than 0.1. So by our margin, the finding would not be confirmed either.
#
# We do not use Eq. 6 as printed, because by this formula even guessing has a mean gain below 1/2 if no scores are tied ({ref}`exercise <kkd-floor>`). The formula also fits poorly with the gains of 0.96 and "almost 1" that the paper prints for mechanisms that stop an attack. By Eq. 6 as printed, our three gains against the passive attacker would be between 0.52 and 0.78.
#
# Did the paper perhaps use less noise than it states? We tried four smaller scales on ten cabs:

# %% tags=["hide-input"]
less_noise = defenses.gains(defenses.variants.stored("cabspotting"))
less_noise = less_noise[less_noise["ε"] == 10]
less_noise = less_noise[~less_noise["mechanism"].str.endswith("calibrated")]
plots.show_table(figures.attackers_table(less_noise, "mechanism"), "less-noise")

# %% [markdown]
# *Mean AUC of both attackers on ten cabs at $\varepsilon = 10$ with less noise than the paper states, with 95% intervals over targets. In the noise that the paper states, Δ2 is $\sqrt{\Delta} \approx 52$ for all three mechanisms. In the table, it is replaced by a smaller number or, under EFPAG, divided by $\sqrt{n}$, where $n = 168$ is the number of hours.*
#
# With much less noise, it does help to train on noisy counts. Under FPA with a Δ2 of 1, the AUC is 0.96 for the strategic and 0.62 for the passive attacker. Under EFPAG with Δ2 divided by $\sqrt{n}$, it is 0.82 for the strategic and again 0.62 for the passive attacker. So the effect that the paper reports does occur, but with far less noise than the paper states. However, none of the four scales reproduces both the errors and the gains of the paper ([table](kk-defenses-guesses)).
#
# So with the noise that the paper states, our results on the cabs contradict the finding that training on noisy counts removes much of the privacy gain. But a different attack, matching, does succeed under GSM and EFPAG at $\varepsilon = 10$, and to some extent under FPA (an AUC of 0.69, [table](kkd-on-cabs)). The [replication of Knock-Knock](kk-defenses-part) gives every number with its verdict.

# %% [markdown]
# ## Take-aways
#
# - A passive attacker trains on raw counts, and a strategic attacker on counts to which they have added noise. With one noisy copy of each group, being strategic raises the AUC from 0.64 to 0.88 on the cabs under event-level noise at $\varepsilon = 1$. In nearly all other cases with the noise that the paper states, it helps little or not at all.
# - Under noise that is scaled to a user's visits, both trained attackers (the strategic one with one copy of each group) have a mean AUC of at most 0.56 (rounded) on the cabs and the flights, except under GSM on flight numbers at $\varepsilon = 10$. There the AUCs are 0.63 and 0.62.
# - One noisy copy of each group can be too few to learn from. On nine flight numbers under GSM at $\varepsilon = 10$, two more copies raise the AUC of the strategic attacker from 0.61 to 0.68.
# - Trained attackers can fail where another attack succeeds. On flight numbers under GSM at $\varepsilon = 1$, matching has an AUC of 0.99.
# - A privacy gain measures protection against one attack only. Compare it with the mean gain of guessing, which is below 1.
# - On the flights and the cabs, where groups are large, matching predicts random labels about as well as true ones. It recognises the group and not the person.
# - A guarantee for one user limits what can be learned about *one* user if all others are fixed. With $\varepsilon = 1$ and $\delta = 0.1$, it still limits the AUC of an attack on three users together, but only to 0.990. For five or more users, it excludes nothing.
# - The [next chapter](zero_knowledge.ipynb) is about an attacker who knows no groups at all.

# %% [markdown]
# ## Exercises
#
# ```{exercise} Which attacker does the bound limit? (★, 10 minutes)
# :label: kkd-which-bound
# A release is $(1, 0.1)$-differentially private for one replaced user, so by the bound of this chapter the AUC is at most 0.782. Consider three attackers. (a) The first knows all members of the group but one, and asks whether the last member is the target or a particular other user. (b) The second knows 200 groups that were drawn at random, and one of them is released. (c) The third knows 100 pairs of groups. The two groups of a pair differ only in one user: in one of them, another user takes the target's place. One of the 200 groups is released. For which of the three does the bound hold? Each of them could repeat the attack with random labels. What would the AUC with random labels show in (b) and in (c)?
# ```
#
# ````{solution-start} kkd-which-bound
# :class: dropdown
# ````
#
# (a) The bound holds: the two possible groups differ in one user. (b) The bound does not apply: two such groups differ in many users. Random labels reveal this. If they are predicted as well as the true labels, the attack recognises the group. (c) The bound holds: the guarantee limits the true positive rate, given the false positive rate, within each pair, and therefore also on average over all pairs. With random labels, however, the AUC may exceed the bound. In about half of the pairs, both groups then have the same label, and for these pairs it is enough to recognise the *pair*, which the guarantee for one user does not prevent. So in (c), random labels may be predicted *better* than the true ones.
#
# *Learned:* before you apply a bound, ask in how many users the groups differ that the attacker has to tell apart.
#
# ````{solution-end}
# ````
#
# ```{exercise} Near or alike? (★, 10 minutes)
# :label: kkd-by-hand
# Two groups have the counts $A = (0, 2, 0, 0)$ and $B = (1, 1, 1, 1)$. A mechanism adds exactly 1 to every count, without any noise. It publishes $(1, 3, 1, 1)$. Which group is nearer to this release, if the distance is the sum of the absolute differences? Which group does matching choose? Work this out on paper.
# ```

# %% [markdown]
# ````{solution-start} kkd-by-hand
# :class: dropdown
# ````

# %%
candidates = np.array([[0, 2, 0, 0], [1, 1, 1, 1]])
published_counts = np.array([1, 3, 1, 1])
print("distances:  ", np.abs(published_counts - candidates).sum(axis=1))
mean_release = candidates.mean(axis=0) + 1
towards = candidates - candidates.mean(axis=0)
towards = towards / np.linalg.norm(towards, axis=1, keepdims=True)
print("projections:", towards @ (published_counts - mean_release))

# %% [markdown]
# *Learned:* the nearer group is $B$, but the release is that of $A$. Matching subtracts what the mechanism does to every group, and correctly chooses $A$.
#
# ````{solution-end}
# ````
#
# ```{exercise} How much noise of their own? (★, 15 minutes)
# :label: kkd-draws
# In the example with six people, the strategic attacker draws 100 noisy copies of each group. Let this attacker draw 1, 2, 5, 20 or 100 copies of each group, and repeat each case ten times. How many copies does the strategic attacker need to do better than the passive attacker, and why?
# ```

# %% [markdown]
# ````{solution-start} kkd-draws
# :class: dropdown
# ````

# %%
rows = []
for copies in (1, 2, 5, 20, 100):
    labels = np.repeat([int(5 in group) for group in groups], copies)
    for _ in range(10):
        noisy = protect(np.repeat(known_counts, copies, axis=0))
        model = LogisticRegression(max_iter=10_000).fit(extract(noisy), labels)
        said = model.decision_function(extract(released))
        rows.append({"copies": copies, "AUC": metrics.auc(members, said)})
by_copies = plots.table(pd.DataFrame(rows), ["copies"], "AUC")
plots.show_table(by_copies, "draws")
print(f"passive: {metrics.auc(members, scores['passive']):.2f}")

# %% [markdown]
# *Mean AUC over ten repetitions, with 95% intervals.*
#
# *Learned:* with one copy, the strategic attacker is no better than the passive one, and with two copies the comparison is inconclusive. With five or more copies, the strategic attacker does better. With one copy, there are only 20 training examples for 28 statistics, and the classifier also learns the noise. With 100 copies, there are 2,000 examples and the noise averages out. In the paper's experiment, each group has one noisy copy. The number of statistics that the paper selects equals the number of groups, so its strategic attacker has about one example for each statistic.
#
# ````{solution-end}
# ````
#
# ```{exercise} A family of four (★, 20 minutes)
# :label: kkd-family
# A release is $(1, 0.1)$-differentially private for one user. On paper, compute the $\varepsilon$ and the $\delta$ of the group-privacy formula for a family of two, three and four users. Then start with a false positive rate of 0, and use both limits to compute the largest true positive rate step by step, adding one user at a time. What is the smallest number of users for which each of the two methods excludes nothing? Now replace $\delta = 0.1$ by $\delta = 10^{-5}$, and answer the same question with the computer. Before you compute it, make a guess: is a family of four safe with $\varepsilon = 1$ and $\delta = 10^{-5}$?
# ```

# %% [markdown]
# ````{solution-start} kkd-family
# :class: dropdown
# ````

# %%
rows = {}
for each_delta in (0.1, 1e-5):
    for j in (2, 3, 4):
        tpr = largest_tpr_for(j, 1, each_delta)
        rows[f"{each_delta:g}", j] = {
            "δ by the formula": f"{delta_for(j, 1, each_delta):.3g}",
            "AUC by the formula": f"{auc_by_formula(j, 1, each_delta):.3f}",
            "TPR at FPR 0 by steps": f"{tpr[0]:.3g}",
            "AUC by steps": f"{np.trapezoid(tpr, fpr):.3f}",
        }
    users = range(1, 100)
    formula = next(j for j in users if delta_for(j, 1, each_delta) >= 1)
    by_steps = next(j for j in users if largest_tpr_for(j, 1, each_delta)[0] == 1)
    print(
        f"δ = {each_delta:g}: the formula excludes nothing for {formula} or more",
        end="",
    )
    print(f" users, and the steps exclude nothing for {by_steps} or more")
families = pd.DataFrame(rows).T.rename_axis(["δ for one user", "users"])
plots.show_table(families, "families")

# %% [markdown]
# *Learned:* with $\delta = 0.1$, the formula excludes nothing for 3 or more users, and the step-by-step method excludes nothing for 5 or more users. With $\delta = 10^{-5}$, these numbers are 13 for the formula and 23 for the step-by-step method. So in both cases, the step-by-step method gives a bound for more users than the formula does. But a bound can be too weak to protect anybody. For a family of four, an AUC of 0.974 is still allowed with $\delta = 10^{-5}$.
#
# ````{solution-end}
# ````
#
# ```{exercise} Person or group? (★★, 20 minutes)
# :label: kkd-six-labels
# Random labels are a control: they show how much of an attack's success has nothing to do with the target. Use the similarities `of_six` of the six people. Draw ten of the twenty groups at random, pretend that these contain the target, and compute the AUC of matching for these labels. Do this 200 times. Before you run it, make a guess: will matching predict random labels as well as true ones, as it does on the flights?
# ```

# %% [markdown]
# ````{solution-start} kkd-six-labels
# :class: dropdown
# ````

# %%
draw, aucs = np.random.default_rng(seed), []
for _ in range(200):
    pretended = np.isin(np.arange(20), draw.permutation(20)[:10])
    each = matching_score(of_six, pretended)
    aucs.append(metrics.auc(np.repeat(pretended, 100), each))
low, high = np.quantile(aucs, [0.025, 0.975])
print(
    f"random labels: mean AUC {np.mean(aucs):.2f}, 95% of them from {low:.2f} to {high:.2f}"
)
print(f"true labels: AUC {metrics.auc(members, matching_score(of_six, with_fay)):.2f}")

# %% [markdown]
# *Learned:* with six people, matching predicts the true labels better than random ones. All groups with Fay contain her visits, so they resemble each other. If the attack mistakes one of these groups for another, its answer is still right for the true labels. For random labels, such an answer is right only about half of the time. In groups of 300, the visits of one person hardly make the groups resemble each other. On the flights, matching therefore predicts random labels as well as true ones.
#
# ````{solution-end}
# ````
#
# ```{exercise} An attack on one user (★★, 20 minutes)
# :label: kkd-one-user
# Use matching in the situation of the theorem, with two known groups that differ only in the target: in one of them, another user takes the target's place. Release each group 500 times under GSM at $\varepsilon = 1$. What is the AUC, and which AUC does the formula $\Phi(d / (\sqrt{2}\,\sigma))$ predict? Before you run it, work out the following case on paper. Suppose that these two users both have $\Delta$ visits, like the busiest user, and never visit the same cell. Insert $d = \sqrt{2\Delta}$ and the noise of the paper, $\sigma = \sqrt{2 \Delta \ln(2/\delta)} / \varepsilon$, into the formula. What cancels?
# ```

# %% [markdown]
# ````{solution-start} kkd-one-user
# :class: dropdown
# ````

# %%
users = rng.permutation(np.delete(np.arange(n), target))[:m]
pair = aggregate(week, [np.append(users[:-1], target), users])
labels = np.repeat([1, 0], 500)
many = release(
    np.repeat(pair, 500, axis=0), [gsm], rng, m
)  # neither rounded nor clipped
along = (pair[0] - pair[1]).astype(float)
said = (many * along).sum(axis=(1, 2))
distance = np.linalg.norm(along)
print(f"simulated {metrics.auc(labels, said):.3f}", end=", ")
print(f"by the formula {norm.cdf(distance / (np.sqrt(2) * gsm.scale)):.3f}")
busiest = norm.cdf(epsilon / np.sqrt(2 * np.log(2 / delta)))
print(f"two users with Δ visits each: {busiest:.3f}")

# %% [markdown]
# On paper, $\Delta$ cancels. What remains is $\mathrm{AUC} = \Phi\bigl(\varepsilon / \sqrt{2 \ln(2/\delta)}\bigr)$, which does not depend on the data. No two users can be further apart, so this is the largest AUC that the best test can have when one user is replaced.
#
# *Learned:* if only one user is unknown, the AUC of the best attack stays well below the bound of 0.782. The guarantee holds although this attacker knows all other members of the group.
#
# ````{solution-end}
# ````
#
# ```{exercise} Groups that the attacker has not seen (★★, 40 minutes)
# :label: kkd-fresh
# (a) Draw new groups (`defenses.perfect_task` with another seed), release them *without noise*, and score them with `defenses.matching_scores` against the old groups, which the attacker knows. How well does the attack still work? (b) How many members does a new group share with its nearest known group, that is, the one with which it shares most? Draw known and new groups yourself and count. (c) How many members must they share for matching to work? In each of the known groups, replace 5, 20, 50, 100, 150, 160, 170, 180, 190 or 200 of the 300 members by other users, but keep or leave out the target as before. Release these groups without noise, and compute the AUC of matching and the share of the releases whose original group is the most similar. Before you run it, make a guess: at how many replaced members does matching fail?
# ```

# %% [markdown]
# ````{solution-start} kkd-fresh
# :class: dropdown
# ````

# %%
fresh = defenses.perfect_task(
    week, dataset, target, n_groups, setting["group_size"], seed + 1
)
centre = task.train.mean(axis=0)
looked_up = {
    label: defenses.matching_scores(each, task.train, task.train_members, centre)
    for label, each in {"known groups": task.test, "new groups": fresh.test}.items()
}
plots.show_table(summaries.scored(task.test_members, looked_up)[["AUC"]], "fresh")

# %% [markdown]
# For parts (b) and (c), we draw the members ourselves, so that we can count and replace them:

# %%
draw = np.random.default_rng(seed)
candidates = np.delete(np.arange(n), target)


def group_of(with_target):
    drawn = draw.choice(candidates, m - int(with_target), replace=False)
    return np.append(drawn, target) if with_target else drawn


def exchanged(group, j):
    kept = draw.permutation(group[group != target])[j:]
    newcomers = draw.choice(np.setdiff1d(candidates, group), j, replace=False)
    return np.concatenate([kept, newcomers, group[group == target]])


old = [group_of(each) for each in inside]
new = [group_of(each) for each in inside]
shared = [[len(np.intersect1d(a, b)) for b in old] for a in new]
print(
    f"shared with the nearest known group: {np.max(shared, axis=1).mean():.0f} of {m}"
)

known_raw = aggregate(week, old)
rows = {}
most = min(m - 1, n - 1 - m)  # members who can be replaced
for j in [j for j in (5, 20, 50, 100, *range(150, 201, 10)) if j <= most] or [0]:
    altered = aggregate(week, [exchanged(group, j) for group in old])
    alike = similarities(altered, known_raw, known_raw)
    rows[j] = {
        "still shared": m - j,
        "AUC": f"{metrics.auc(inside, matching_score(alike, inside)):.2f}",
        "recognised": f"{(alike.argmax(axis=1) == np.arange(n_groups)).mean():.0%}",
    }
replaced = pd.DataFrame(rows).T.rename_axis("members replaced")
plots.show_table(replaced, "replaced")

# %% [markdown]
# *AUC of matching without noise, and share of the 200 releases whose original group is the most similar, by the number of replaced members.*
#
# *Learned:* if the released groups are not among the known ones, matching has nothing to look up, even if the counts are raw. It is enough, however, that a released group is *nearly* known. If 150 of 300 members have been replaced, the AUC is still 1.00. It then falls quickly: to 0.87 if 170 have been replaced, and to 0.55 if 200 have been replaced. In the last case, the released group shares 100 members with its original group, and a new group shares about as many with its nearest known group by chance. So the attacker need not know the released group exactly. In this test, with one target and without noise, it is enough that each released group shares clearly more members with its original group than a new group shares with its nearest known group by chance.
#
# ````{solution-end}
# ````
#
# ```{exercise} What does guessing gain? (★★, proof, 20 minutes)
# :label: kkd-floor
# If the scores are uninformative, the ranks of the $n_{in}$ groups with the target are a random sample from $1, \dots, n_{in} + n_{out}$. Their sum has variance $n_{in} n_{out} (n_{in} + n_{out} + 1) / 12$. Assume that the AUC is normally distributed, and derive the mean privacy gain. How many groups of each kind are needed to raise this mean gain to 0.99? Check the formula by simulation. Then repeat the simulation with the gain as the paper prints it.
# ```

# %% [markdown]
# ````{solution-start} kkd-floor
# :class: dropdown
# ````
#
# The AUC is the rank sum minus a constant, divided by $n_{in} n_{out}$. Its variance $\sigma^2$ is therefore the variance of the rank sum divided by $(n_{in} n_{out})^2$, and its mean is 1/2. Let $Z$ be standard normal. Then
# $\mathbb{E} \max(\mathrm{AUC}, \tfrac12) = \tfrac12 + \sigma\, \mathbb{E} \max(Z, 0)$, which is $\tfrac12 + \sigma / \sqrt{2 \pi}$. The gain is $(1 - \max(\mathrm{AUC}, \tfrac12)) / \tfrac12$, and its mean is $1 - 2 \sigma / \sqrt{2 \pi}$. With $n$ groups of each kind, $\sigma^2 \approx 1 / (6n)$. A mean gain of 0.99 requires
# $n \approx \frac{4}{6 \cdot 2 \pi \cdot 0.01^2} \approx 1061$ groups of each kind.

# %%
guess = np.random.default_rng(seed)
labels = np.repeat([0, 1], 100)
aucs = np.array([metrics.auc(labels, guess.random(200)) for _ in range(2000)])
as_printed = np.where(aucs < 0.5, 0, gain(aucs))  # 0 for an AUC below 1/2
for label, each in {"counted as 1/2": gain(aucs), "as printed": as_printed}.items():
    low, high = metrics.mean_interval(each)
    print(f"{label}: {each.mean():.3f}, 95% from {low:.3f} to {high:.3f}")
print(f"by the formula: {metrics.guessing_gain(100, 100):.3f}")

# %% [markdown]
# *Learned:* the chance level of a gain depends on the number of test groups and not on the mechanism. By the formula as printed, even perfect protection would have a mean gain below 1/2, if no scores are tied. The reason is that an attacker who guesses then has an AUC below 1/2 about half of the time, and the printed formula gives such an AUC a gain of 0.
#
# ````{solution-end}
# ````
#
# ```{exercise} Hide the group (★★★, an evening)
# :label: kkd-group-project
# Which guarantee would hide the group from an attacker who knows the raw counts of all candidate groups? Define such a guarantee, and compute the noise that it requires for the flights at $\varepsilon = 1$, first for groups that differ in 10 users and then for two random groups. Start from the sensitivity: how far apart, in Euclidean distance, can the counts of two groups be that differ in $j$ users? *A good answer* proves the guarantee, runs matching against the new mechanism, and compares its error with that of publishing only zeros. This is an open project, so the book contains no solution.
# ```

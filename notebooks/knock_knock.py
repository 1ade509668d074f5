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
# # Knock-Knock: was she in the crowd?
#
# A hospital publishes how many of its patients were in each part of town in each hour. Only counts, no names. You know where Ada goes.
# Could you find out that she is a patient? Knock-Knock {cite:p}`pyrgelis2018knock` was the first paper to ask this of counts of places. Its
# answer is a classifier that is shown groups with Ada and groups without her, until it can tell them apart. After this chapter you can
#
# - play the membership game with three kinds of prior knowledge, and say which is worth most and why;
# - build the attack yourself: statistics, feature elimination, classifier, AUC;
# - say what group size, regularity and the length of a release do to it;
# - see through "the best classifier for each target", a number that no attacker has.

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-number", "flights-by-tail"]
path = ""
classifiers = ["LR", "kNN"]
subset_sizes = [10, 50, 100]
past_sizes = [10, 100, 500]
alphas = {}
n_train = 200
n_test = 100
beta_same = 100
beta_different = 200
length_size = 100
middle = 50
n_per_third = 3
n_choosing = 6
processes = 1
seed = 2018

# %% [markdown]
# (kk-game)=
# ## The game, and who knows what
#
# The **challenger** draws a group of $m$ users, at equal chances with the target $u^*$ or without, and publishes the group's counts over some hours, the
# *inference period*. The **attacker** says how sure she is that the target is in. She has a *prior*: something that she learned before.
#
# | prior | she knows | about which hours |
# |---|---|---|
# | 1, subset | the traces of a share $\alpha$ of the users, the target's among them | those that are released |
# | 2a, same groups | past counts of the *very groups* that are released now, and whether the target was in each | earlier weeks |
# | 2b, different groups | past counts of *other* groups, and whether the target was in each | earlier weeks |

# %% mystnb={"figure": {"name": "fig-kk-game", "caption": "What the attacker trains on (blue) and what she is asked about (orange). See that prior 1 is about other people in the same week, and that prior 2a is about the same groups in other weeks."}, "image": {"alt": "Three diagrams of groups against weeks. Prior 1: known groups and released groups in the same week. Prior 2a: the same groups, earlier weeks known, last week released. Prior 2b: other groups known in earlier weeks, fresh groups released in the last week."}} tags=["hide-input"]
from lib import metrics, plots
from lib.plots import knock_knock as figures

plots.use_style()
figures.show_game()

# %% [markdown]
# ````{prf:definition} The two priors (Eq. 1 and 2 of the paper)
# :label: def-kk-priors
# $T_I$ is the inference period, $T_O$ an earlier observation period. The *subset* prior is $\{L^u_{T_I} : u \in Y\}$ for users $Y$ with the target among
# them, $|Y| = \alpha |U|$. The *past groups* prior has, for groups $W_1, \dots, W_\beta$, their counts over $T_O$ and whether $u^* \in W_i$.
# ````
#
# The attack's success for one target is the AUC over her test groups, and her **privacy loss** is $\max(0,\ 2\,\mathrm{AUC} - 1)$ (Eq. 3), as in the
# first chapter ({prf:ref}`def-auc`).
#
# ### With six users
#
# The target is Ada, a group has three users. There are so few groups that we can look at all of them: ten with Ada, ten without. How many of the
# group were in Ada's cells?

# %%
from itertools import combinations

import numpy as np
import pandas as pd
from lib.aggregation import aggregate
from lib.datasets import load

six = load("six-users")
groups = list(combinations(range(6), 3))
members = np.array([int(0 in group) for group in groups])
counts = aggregate(six, groups)
sums = (counts * six.trace("Ada")).sum(axis=(1, 2))
pd.crosstab(sums, members, rownames=["sum"], colnames=["Ada is in"])

# %% [markdown]
# The sums overlap, for a reason that nothing can mend: Ben has the same trace as Ada. A group with Ben and without Ada looks like one with Ada.
#
# ## Build it
#
# The paper's attack has four steps. We take them one by one, for one target of the first dataset, in groups of the smallest size, with prior 1.
#
# ````{prf:algorithm} Knock-Knock (Sec. IV and V of the paper)
# :label: alg-knock-knock
# 1. From the prior, make groups with the target and without, half and half, and count them.
# 2. Reduce each place's counts over time to seven statistics: variance, minimum, maximum, median, mean, standard deviation, sum.
# 3. Keep as many of these features as there are rows, by *recursive feature elimination*: fit, drop the features with the smallest weights, fit again.
# 4. Train a classifier, and let it score the released counts.
# ````
#
# **Groups.** The task holds counts to learn from, with labels, and counts to be asked about. They come from other people: those whom the attacker
# knows, and those whom she does not.

# %%
from lib.randomness import stream
from lib.studies import fitting
from lib.studies import knock_knock as kk

called = fitting.called(datasets)
populations = {name: kk.population(file, path) for name, file in called.items()}
numbers = {"n_train": n_train, "n_test": n_test}
numbers |= {"beta_same": beta_same, "beta_different": beta_different}
sizes = {"subset_sizes": subset_sizes, "past_sizes": past_sizes, "middle": middle}
sizes |= {"length_size": length_size, "n_per_third": n_per_third}
fitted = fitting.knock_knock(populations, alphas=alphas, **sizes, **numbers)

# %%
name, traces = next(iter(populations.items()))
target = kk.targets(traces, fitted[name]["n_per_third"], seed)[-1]
alpha, size = fitted[name]["alpha"], min(fitted[name]["subset_sizes"])
rng = stream(seed, "one game")
task = kk.task(traces, target, "1 subset", size, rng, alpha=alpha, **numbers)
print(
    "groups, places, hours:",
    task.train.shape,
    "to learn from,",
    task.test.shape,
    "asked",
)

# %% [markdown]
# **Statistics.** One place's week becomes seven numbers. Here is the first test group at the place that the target visits most:

# %%
from lib.membership import features

place = int(traces.trace(traces.users[target]).sum(axis=1).argmax())
seven = features.extract(task.test[:1, [place]])
pd.Series(seven[0], features.STATISTICS).round(2).to_dict()

# %% [markdown]
# Notice what is lost: *when*. Everything that the attack learns about hours is in a variance or a median.
#
# **Elimination and fit.** Seven statistics of each place are more features than rows. Fewer are kept, and a logistic regression weighs them:

# %%
from lib.membership.selection import eliminate
from lib.summaries import scored
from sklearn.linear_model import LogisticRegression

train, test = features.extract(task.train), features.extract(task.test)
kept = eliminate(train, task.train_members, min(task.n_samples, train.shape[1]))
model = LogisticRegression(max_iter=10_000).fit(train[:, kept], task.train_members)
scores = model.decision_function(test[:, kept])
print(f"{train.shape[1]} features, {kept.sum()} kept")
plots.show_table(scored(task.test_members, {"classifier": scores}), "one-game")

# %% mystnb={"figure": {"name": "fig-kk-scores", "caption": "The scores that this classifier gives to test groups. See how far the two heaps lie apart: the AUC is the chance that a group with the target scores higher."}, "image": {"alt": "Histograms of the classifier's scores for test groups without and with the target."}} tags=["hide-input"]
from lib.plots.foundations import show_scores

show_scores(task.test_members, scores, "the classifier's margin")

# %% [markdown]
# That is the whole attack. The paper tries four classifiers in the last step: logistic regression (LR), the five nearest neighbours (kNN), a random forest
# (RF) and a neural network (MLP). `KnockKnock(n_rois, n_epochs, classifier)` in `lib.membership` is the same in one object.
#
# (kk-sizes)=
# ## How much do group size and prior matter?
#
# Now many targets, drawn as in the paper from the least, the middle and the most mobile third of the users; every prior, and every group size that the
# population allows. Guessing is 0.5.

# %%
own = fitting.only(fitted, "alpha", "subset_sizes", "past_sizes", "n_per_third")
common = {"seed": seed, "processes": processes}
games = kk.games(populations, classifiers=classifiers, of=own, **numbers, **common)
figures.say_if_one(classifiers)

# %% mystnb={"figure": {"name": "fig-kk-priors", "caption": "Mean AUC over targets with 95% intervals, of each dataset's best single classifier; dotted: guessing. See that larger groups hide better, except under prior 2a for the flight numbers."}, "image": {"alt": "Three panels, one for each prior: mean AUC of the best single classifier against group size, a line for each dataset with intervals. It falls with group size; the same-groups prior stays highest for the regular data."}} tags=["hide-input"]
figures.show_priors(games)

# %%
plots.show_table(figures.prior_table(games, classifiers[0]), "priors")

# %% [markdown]
# Small groups hide less than large ones, except where prior 2a meets flight numbers. And for these regular users, knowing the very groups of the past (2a) is worth
# far more than knowing others (2b). Why?
#
# ### What does prior 2a recognise?
#
# Under prior 2a the groups that are released are the groups of the past. A classifier may recognise *Ada*, or it may recognise *the group*, of which it
# was told whether she is in. To tell these apart, we lie to it: each group gets a label by coin, the same in the past and now. Nothing about
# any person can be learned from such labels. What is found all the same is the group:

# %%
past_only = {"classifier": classifiers[0], "beta_same": beta_same} | common
of_length = fitting.only(fitted, "n_per_third", group_size="length_size")
recognised = kk.recognition(populations, of=of_length, **past_only)
plots.show_table(figures.label_table(recognised), "recognition")

# %% [markdown]
# With the flight numbers, coins are found as well as the target is. The 1.00 of prior 2a says that regular *groups* are recognised
# from week to week. It becomes a danger for Ada only where somebody told the attacker who was in which group before.
#
# (kk-regularity)=
# ## Does regularity drive the loss?
#
# The paper compares commuters with cabs, which differ in everything at once. Flights by number and by tail share airports and hours, the number of users and
# the size of groups. One differs from the other in whether a week resembles the next:

# %%
figures.show_regularity(games, classifiers[0])

# %% [markdown]
# Where the attacker learns in the past and strikes now (2a, 2b), regular users lose more in groups of up to a hundred. Where she learns in the same week (1),
# regularity has nothing to offer, and aircraft lose as much or more. Not everything else is equal, though: an aircraft visits about five times as many
# places as a flight number, and makes fewer visits. The difference is that of regularity *and what comes with it*. The change of the clocks between the
# first and the second week, of the first chapter ({prf:ref}`def-recurrence`), is in the training data too.
#
# (kk-length)=
# ## How long is the release?
#
# Prior 2a again, with the same hours of each week: the whole week, one Monday, one Saturday. A target who is nowhere in those hours cannot be attacked; so that rows
# compare the same people, only targets who are somewhere in all three are shown.

# %%
lengths = kk.lengths(populations, of=of_length, **past_only)
plots.show_table(
    figures.same_targets(lengths, ["week", "Monday", "Saturday"]), "lengths"
)

# %% [markdown]
# With a handful of targets this says little about the irregular ones. The [replication](kk-lengths) has 150 cabs, of whom a day is worth less than half of what a
# week is, and stand-in commuters, of whom one Monday gives away as much as a week, if not more. A shorter release is no protection for the regular.
#
# (kk-best)=
# ## The best classifier is not one an attacker has
#
# The paper reports BEST: for each target the classifier with the highest AUC *on the test itself*. That is the largest of several noisy numbers,
# so it is above 1/2 even where nothing can be learned. How far above? Shuffle the test's labels and take the best again: that is its **floor**.

# %%
if "BEST" in games:
    plots.show_table(figures.floor_table(games), "best-floor")

# %% [markdown]
# An honest attacker can choose, too, but by cross-validation on the groups that she knows. Under prior 1, for a few targets:

# %%
of_middle = fitting.only(fitted, "alpha", "middle", "n_per_third")
given = {"of": of_middle} | common
if len(classifiers) > 1:
    train_and_test = {"n_train": n_train, "n_test": n_test}
    choices = kk.choices(
        populations,
        classifiers=classifiers,
        n_choosing=n_choosing,
        **train_and_test,
        **given,
    )
    plots.show_table(figures.choice_table(choices), "choices")

# %% [markdown]
# (kk-cautious)=
# ## Fewer groups, fewer accusations
#
# How many labelled groups does she need? And if she may accuse only one in a hundred wrongly, how many does she find (TPR at 1% FPR, measured on 2,000 test
# groups)? Guessing finds one in a hundred.

# %%
steps = sorted({20, 50, 100, 200, n_train})
learning = kk.learning(populations, training_groups=steps, n_test=n_test, **given)

# %% mystnb={"figure": {"name": "fig-kk-learning", "caption": "Mean AUC of logistic regression under prior 1 against the number of training groups. See that a few dozen groups already do most of it."}, "image": {"alt": "Mean AUC of logistic regression against the number of training groups, a line for each dataset with intervals; it rises with the number of groups."}} tags=["hide-input"]
curve = figures.mean_aucs(learning, ["data", "training groups"])
figures.show_learning(curve, middle)

# %%
from lib.summaries import bracketed, means

past = {"n_train": n_train, "beta_different": beta_different}
cautious = kk.cautious(populations, **past, **given)
found = bracketed(means(cautious, ["data", "prior"], "TPR"))["mean [95%]"]
plots.show_table(found.unstack("prior"), "tpr")

# %% [markdown]
# (kk-found)=
# ## What the paper found, and what we found
#
# The paper plays 150 targets with four classifiers, on cabs and on London's commuters. On its cabs, so do we; for its commuters, which nobody here holds, a synthetic stand-in
# answers. Eight of its findings; the [replication](replication/kk.ipynb) has every figure, every number, and five conventions that it does not print.

# %% tags=["hide-input"]
from lib import claims, findings

TELLING = [
    "kk-fig4-lr-auc-m10", "kk-fig4-mlp-auc-m50", "kk-fig7-lr-auc-m500", "kk-fig10-lr-auc-m5",
    "kk-fig11b-auc-168", "kk-fig9-below-fig6", "kk-raw-tfl-over-sfc", "kk-fig5-mlp-auc-m9500",
]  # fmt: skip
plots.display_table(claims.top(findings.known("kk"), TELLING))

# %% [markdown]
# ## Take-aways
#
# - A classifier that is shown labelled groups finds most targets in groups of ten. Larger groups hide better, and how much better depends on who is in them.
# - What the attacker knows decides. Past counts of the *same* groups are worth most for regular users, but what is recognised then is the group, not the person.
# - Regular users lose more when the attacker learns in the past and strikes now. When she learns in the same week, they do not.
# - BEST is above 1/2 on pure noise. Show its floor beside it, or do not show it.
# - The paper's own conclusion is that a release should be attacked before it is published. We agree; the [next chapter](knock_knock_defenses.ipynb) does so with noise.

# %% [markdown]
# ## Exercises
#
# One star: a few lines. Two: half an hour. Three: an evening.
#
# ```{exercise} The largest group (★, 10 minutes)
# :label: kk-largest
# With $N$ users and groups of $m = N - 1$, how many distinct groups are there with and without the target? Count for the six users. What can the attacker
# do under prior 2a?
# ```

# %% [markdown]
# ````{solution-start} kk-largest
# :class: dropdown
# ````

# %%
largest = list(combinations(range(6), 5))
print("with Ada:", sum(0 in group for group in largest), "- all:", len(largest))

# %% [markdown]
# *Learned:* groups that large overlap so much that past and present groups are nearly the same people. With this "artificial regularity" the paper explains why
# the loss of its cabs rises again at $m = 500$ of 534.
#
# ````{solution-end}
# ````
#
# ```{exercise} Redundant features (★, 10 minutes)
# :label: kk-redundant
# Which of the seven statistics can be computed from which others? Show it on the counts of `task`. Why may a classifier care all the same?
# ```

# %% [markdown]
# ````{solution-start} kk-redundant
# :class: dropdown
# ````

# %%
column = {each: train[:, i::7] for i, each in enumerate(features.STATISTICS)}
n_hours = task.train.shape[2]
print("sum is mean x hours:", np.allclose(column["sum"], column["mean"] * n_hours))
print("variance is std squared:", np.allclose(column["variance"], column["std"] ** 2))

# %% [markdown]
# *Learned:* a penalised model pays for the size of its weights, so it listens to the larger of two numbers that say the same; and the square root is not linear.
#
# ````{solution-end}
# ````
#
# ```{exercise} Guessing, but choosing (★, 10 minutes)
# :label: kk-choosing
# Four classifiers guess at random on 100 test groups, 50 with the target. What is the mean AUC of the best of the four? Simulate it.
# ```

# %% [markdown]
# ````{solution-start} kk-choosing
# :class: dropdown
# ````

# %%
guessing = np.random.default_rng(seed)
labels = np.repeat([1, 0], 50)
bests = [
    max(metrics.auc(labels, guessing.normal(size=100)) for _ in range(4))
    for _ in range(500)
]
low, high = metrics.mean_interval(bests)
print(
    f"mean AUC of the best of four guesses: {np.mean(bests):.3f} [{low:.3f}, {high:.3f}]"
)

# %% [markdown]
# *Learned:* the maximum of noisy numbers is biased upwards, the more the more numbers and the fewer test groups.
#
# ````{solution-end}
# ````
#
# ```{exercise} Loss of the mean, mean of the losses (★, 5 minutes)
# :label: kk-mean-loss
# Why may a population with a mean AUC of 0.5 have a positive mean privacy loss? Give the smallest example.
# ```

# %% [markdown]
# ````{solution-start} kk-mean-loss
# :class: dropdown
# ````

# %%
two = np.array([0.4, 0.6])
print(f"mean AUC {two.mean():.1f}, mean loss {metrics.privacy_loss(two).mean():.1f}")

# %% [markdown]
# *Learned:* the loss is cut at 0 for each target, so bad luck does not cancel good luck. A mean loss above 0 is no evidence of an attack.
#
# ````{solution-end}
# ````
#
# ```{exercise} Who is hard to find? (★★, 15 minutes)
# :label: kk-hard
# In the first dataset, which of this chapter's targets has the lowest and which the highest mean AUC under prior 1? How many visits have they in the first week?
# ```

# %% [markdown]
# ````{solution-start} kk-hard
# :class: dropdown
# ````

# %%
of_prior = games[(games["data"] == name) & (games["prior"] == "1 subset")]
by_target = (
    of_prior.set_index("target")[classifiers].mean(axis=1).groupby("target").mean()
)
visits = traces.select(epochs=slice(0, 168)).visits().to_numpy()
for label, one in (("lowest", by_target.idxmin()), ("highest", by_target.idxmax())):
    print(
        f"{label}: mean AUC {by_target[one]:.2f}, {visits[one]} visits in the first week"
    )

# %% [markdown]
# *Learned:* a target is found by what she adds where few others are; how many visits she has is a part of it, and two targets are two anecdotes.
#
# ````{solution-end}
# ````
#
# ```{exercise} Does it have to learn? (★★, 20 minutes)
# :label: kk-sum
# Under prior 1 the attacker knows the target's trace. Score the test groups of `task` by the sum over the target's cells, from the
# [first chapter](foundations-attack), and compare with the classifier. Which of the two uses the hours?
# ```

# %% [markdown]
# ````{solution-start} kk-sum
# :class: dropdown
# ````

# %%
week = traces.trace(traces.users[target])[:, :168]
plain = (task.test * week).sum(axis=(1, 2))
plots.show_table(scored(task.test_members, {"classifier": scores, "sum": plain}), "sum")

# %% [markdown]
# *Learned:* a trained attack is not a strong attack. The seven statistics forget the hours, which the sum uses; the chapter on
# [zero auxiliary knowledge](zero_knowledge.ipynb) makes a whole attack of this.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write the matching attack (★★, 30 minutes)
# :label: kk-matching
# Under prior 2a, forget about the classifier: for each released group find the past group whose counts are nearest (say, in the sum of absolute differences in the
# last known week), and answer with that group's label. Score by how much nearer the nearest group with the target is than the nearest without.
# ```

# %% [markdown]
# ````{solution-start} kk-matching
# :class: dropdown
# ````

# %%
from scipy.spatial.distance import cdist

same_size = fitted[name]["length_size"]
same = kk.task(traces, target, "2a same groups", same_size, rng, beta_same=beta_same)
n = len(same.test)
far = cdist(same.test.reshape(n, -1), same.train[-n:].reshape(n, -1), "cityblock")
inside = same.test_members == 1
margin = far[:, ~inside].min(axis=1) - far[:, inside].min(axis=1)
print(f"AUC of matching: {metrics.auc(same.test_members, margin):.2f}")

# %% [markdown]
# *Learned:* prior 2a needs no learning at all, if weeks are alike: it is a lookup.
#
# ````{solution-end}
# ````
#
# ```{exercise} Perfect timetables (★★, proof, 15 minutes)
# :label: kk-proof
# Suppose that every user does exactly the same in every week, and that no two groups have the same counts. Show that under prior 2a there is an attack with AUC 1 for
# *any* labels of the groups, even labels by coin. What does it need to know about the target?
# ```

# %% [markdown]
# ````{solution-start} kk-proof
# :class: dropdown
# ````
#
# A group's counts are the sum of its members' traces, and these are the same in every week. So the released counts of a group equal its past counts, and those of no other
# group. The attack looks the release up among the past counts and answers with the label that it finds there: 1 for groups labelled 1, 0 for the others. Every group
# labelled 1 scores above every group labelled 0, so the AUC is 1. It needs to know nothing about the target: the labels carry all of it.
#
# *Learned:* a perfect score does not say what was recognised. A control does.
#
# ````{solution-end}
# ````
#
# ```{exercise} A prior of your own (★★★, an evening)
# :label: kk-project
# Invent a prior between 2a and 2b: past counts of groups that share *half* of their members with the released ones. Write the task (as `different_groups_task`
# in `lib/membership/game.py` does), play it on both kinds of flights, and draw the AUC against the share of members that stay. *A good answer* has intervals over targets, a
# control with labels by coin, and one sentence on which real situation the prior describes.
# ```

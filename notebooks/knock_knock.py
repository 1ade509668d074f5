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
# # Knock-Knock: was a person counted?
#
# A hospital publishes how many of its patients were in each part of town in each hour. The table contains counts only, and no names. You know where Ada
# was in these hours. Could you find out that she is a patient?
#
# Knock-Knock {cite:p}`pyrgelis2018knock` was, by its own account, the first study of this question for aggregate location counts. It treats **membership inference** as a
# classification problem. The attacker collects counts of groups with Ada and counts of groups without her, trains a classifier to tell them apart, and applies it to the counts that the hospital publishes.
#
# This chapter builds the attack, measures it, and compares it with a much simpler one. After this chapter you can
#
# - state the membership game and three kinds of prior knowledge, and say how the worth of each depends on the user and on the attack;
# - build the attack yourself: seven statistics, feature elimination, a classifier, an AUC;
# - compare a trained attack with an untrained baseline, and say what a large group protects against;
# - use random labels, the idea of a permutation test, to find out *what* a classifier has recognised;
# - say why "the best classifier for each target" looks better than it is.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figure to remember:* {numref}`fig-kk-priors`. *Questions for a class:* An attack labels every group correctly. What might it have recognised, other than the target? If a trained classifier fails, is the release safe?
#
# *Three common mistakes:*
#
# - To evaluate an attack on the groups that it was trained on.
# - To treat past counts of the *same* groups (prior 2a) as more knowledge about the target than past counts of *other* groups (prior 2b). Under prior 2a it is enough to recognise a group.
# - To conclude from a failed classifier that a release is safe.
#
# **In two lectures of ninety minutes**
#
# The first lecture builds the attack and compares it with a sum. Set {ref}`kk-by-hand` as homework before it.
#
# | minutes | the first lecture |
# |---|---|
# | 10 | [the game and the three priors](kk-game) |
# | 25 | [six people](kk-six) |
# | 20 | [the four steps on real traces](kk-build) |
# | 15 | [group size and prior knowledge](kk-sizes): discuss {numref}`fig-kk-priors` |
# | 15 | [the simple sum](kk-sum-baseline) |
# | 5 | questions |
#
# The second lecture asks what the results mean.
#
# | minutes | the second lecture |
# |---|---|
# | 15 | [how large a group must be](kk-large-groups) |
# | 25 | [the formula for the sum](kk-predict), with the table of [overlaps](kk-overlaps), and {ref}`kk-needed` on paper |
# | 30 | [what prior 2a recognises](kk-recognises), with {ref}`kk-permutation` on paper |
# | 15 | [the best classifier and its chance level](kk-best) |
# | 5 | questions |
#
# If you have only one lecture, spend 10 minutes on the game, 25 on the six people, 15 on {numref}`fig-kk-priors`, 15 on the simple sum, and 20 on [what prior 2a recognises](kk-recognises). This leaves 5 minutes for questions. Leave the four steps on real traces and the rest for reading at home.
#
# Neither plan uses the sections on [few false alarms](kk-cautious), [regular users](kk-regularity), [shorter releases](kk-length), [the number of labelled groups](kk-learning), [the paper's own results](kk-found) and [riders](kk-riders). Other sections only cite their results, so they can be left for a second reading.
# ````

# %% [markdown]
# (kk-game)=
# ## The game, and what the attacker knows
#
# Knock-Knock defines membership inference as a game between two parties, the *distinguishability game*.
#
# 1. The **challenger** draws a group of $m$ users. With probability 1/2 the target $u^*$ is one of them. Otherwise another user takes the target's place.
# 2. The challenger publishes the counts of this group over some hours, the **inference period** $T_I$.
# 3. The **attacker** answers with a score: the higher it is, the more they believe that the target is in the group.
#
# What the attacker learned before the game is their **prior knowledge**. The paper considers three kinds:
#
# | prior | the attacker knows | about which hours |
# |---|---|---|
# | **1**, subset of users | the traces of a share $\alpha$ of all users, the target among them | the hours that are released |
# | **2a**, same groups | past counts of the *same groups* that are released now, and whether the target was in each of them | earlier weeks |
# | **2b**, different groups | past counts of *other groups*, and whether the target was in each of them | earlier weeks |
#
# A mobile phone operator has prior 1: it sees where its own customers are, and another company publishes counts that may include them. A member of a sports club may have prior 2a: the club publishes
# counts every week, and the member knew in earlier weeks who belonged to it. The paper calls prior 2b a much weaker setting than the other two: the attacker saw the target in other groups, and must recognise this person among new people.

# %%
from lib.papers import figures as plots
from lib.papers.knock_knock import figures

plots.use_style()

# %% mystnb={"figure": {"name": "fig-kk-game", "caption": "What the attacker learns from, and what they are asked about. Under prior 1 they learn from other groups of the same week, under prior 2a from the same groups in earlier weeks, under prior 2b from other groups in earlier weeks."}, "image": {"alt": "Three diagrams of groups against weeks. Prior 1: groups made of known users, and the released groups, in the same week. Prior 2a: the same groups, earlier weeks known, last week released. Prior 2b: other groups known in earlier weeks, fresh groups released in the last week."}} tags=["hide-input"]
figures.show_game()

# %% [markdown]
# ````{prf:definition} The priors (Eq. 1 and 2 of the paper)
# :label: def-kk-priors
# Let $\Omega$ be the set of all users and $L^u_{T}$ the trace of user $u$ in the epochs $T$ (here, hours). Let $T_I$ be the inference period and $T_O$ an earlier *observation period*.
# The **subset prior** is $\{L^u_{T_I} : u \in Y\}$ for a set of users $Y \subset \Omega$ that contains the target, with $|Y| = \alpha\,|\Omega|$. The
# **prior of past groups** is about groups $W_1, \dots, W_\beta \subset \Omega$ of $m$ users each. For every $W_i$ it contains the counts of the group over $T_O$, and whether $u^* \in W_i$.
# Under prior 2a, the $W_i$ are the groups whose counts over $T_I$ are released. Under prior 2b, the released groups are not among the $W_i$.
# ````
#
# The attack on one target is measured by the AUC over test groups, half of them with the target. Its **privacy loss** is $\max(0,\ 2\,\mathrm{AUC} - 1)$ (Eq. 3 of the paper; see {prf:ref}`def-auc`).

# %% [markdown]
# (kk-six)=
# ## The attack on six people
#
# We start with an example that is small enough to check by hand. It is the attack of the paper in miniature, without the feature elimination: the same game under prior 1, the same statistics, and a simple form of one of its four classifiers.
#
# The target is Dan. The attacker knows the traces of Dan, Ada, Cleo and Fay. They do not know Ben and Eve. Groups have two members. The challenger publishes the counts of one of the
# groups Ben and Dan, Eve and Dan, or Ben and Eve, and the attacker must say whether Dan is in it.
#
# **Step 1: make labelled groups.** From the known traces the attacker makes all groups of two, with Dan and without him.

# %%
from itertools import combinations, product

import numpy as np
import pandas as pd
from lib.datasets import load

six = load("six-users")
known = ["Ada", "Cleo", "Fay"]
training = [(name, "Dan") for name in known] + list(combinations(known, 2))
released = [("Ben", "Dan"), ("Eve", "Dan"), ("Ben", "Eve")]


def count(groups):  # (groups, places, hours)
    return np.array([sum(six.trace(name) for name in group) for group in groups])


print("learned from:", *map(" + ".join, training), sep="\n  ")

# %% [markdown]
# **Step 2: summarise the counts.** For each place, the paper replaces the counts over time by seven statistics. A group of two then has $4 \times 7 = 28$ numbers. Here they are for the group of Ben and Eve:

# %%
names = ["var", "min", "max", "median", "mean", "std", "sum"]


def statistics(counts):  # (groups, places, hours) to (groups, places x 7)
    each = [getattr(np, name)(counts, axis=2) for name in names]
    return np.stack(each, axis=2).reshape(len(counts), -1)


ben_and_eve = statistics(count([("Ben", "Eve")])).reshape(4, 7)
pd.DataFrame(ben_and_eve, list(six.rois.index), names).round(2)

# %% [markdown]
# The statistics forget *when* people were at a place: if we put the hours in another order, none of the seven changes. We return to this below.
#
# **Step 3: compare.** A *nearest-neighbour* classifier compares a released group with the labelled groups. The distance is the ordinary (Euclidean) distance between the two lists of 28 numbers. Each row of the table is
# a group that may be released. The columns are the groups that the attacker learned from:

# %%
train, test = statistics(count(training)), statistics(count(released))
distance = np.sqrt(((test[:, None, :] - train[None, :, :]) ** 2).sum(axis=2))
short = ["+".join(name[0] for name in group) for group in training]
table = pd.DataFrame(distance, map(" + ".join, released), short).round(2)
plots.show_table(table.rename_axis("released"), "six-distances")

# %% [markdown]
# The first three columns are groups with Dan (D), the last three groups without.
#
# **Step 4: score.** The score is the distance to the nearest group *without* Dan minus the distance to the nearest group *with* Dan. It is positive if the release looks more like a group with Dan.

# %%
nearest = {
    "nearest without Dan": distance[:, 3:].min(axis=1),
    "nearest with Dan": distance[:, :3].min(axis=1),
}
of_each = pd.DataFrame(nearest, map(" + ".join, released))
of_each["score"] = of_each["nearest without Dan"] - of_each["nearest with Dan"]
plots.show_table(of_each.round(2).rename_axis("released"), "six-scores")

# %% [markdown]
# The attack is right in all three cases: the two groups with Dan have a positive score, and the group without him has a negative one. The attacker never saw the traces of Ben and Eve.
#
# The first row deserves a second look. The distance between the released group of Ben and Dan and the known group of Ada and Dan is 0. Ada and Ben have the same trace, so no count and no attack can tell them
# apart ({ref}`an exercise <kk-twin>` computes what this means for an attack on Ada).
#
# Six people do not show how *often* such an attack succeeds. For this we need many groups, and real traces.

# %% [markdown]
# (kk-build)=
# ## The attack on real traces, in four steps
#
# ````{prf:algorithm} Knock-Knock (Sec. IV and V of the paper)
# :label: alg-knock-knock
# 1. Take the counts of labelled groups, half of them with the target. Under prior 1, form these groups from the known users and compute their counts. Under priors 2a and 2b, the groups, their labels and their counts are the prior knowledge itself.
# 2. Replace the counts of each place over time by seven statistics: variance, minimum, maximum, median, mean, standard deviation, sum.
# 3. Reduce these features by *recursive feature elimination*: fit a model, drop the features with the smallest weights, and fit again, until there are as many features as groups in training and test together.
# 4. Train a classifier on the remaining features, and let it score the released counts.
# ````
#
# Step 3 is meant to prevent *overfitting*. The data below have 107 places with seven statistics each, which makes 749 features, and there are only 200 groups to learn from. With so many features, a model can fit the training groups perfectly and still fail on new ones. The step leaves 300 features, as many as the training and test groups together. These are still more than the 200 groups that the model learns from. At the end of this section we test, in one game, what the step contributes.
#
# We use the two populations of the [first chapter](foundations.ipynb). *Flight numbers* fly in almost the same hours every week; tables and figures call them flights-by-number. *Aircraft* do not repeat their weeks; they are called flights-by-tail, because an aircraft is identified by the number on its tail.
#
# The paper uses ten thousand *commuters* of the London transport network (583 places, four weeks) and 534 *cabs* in San Francisco (101 places, three weeks). In both cases the number of places includes one extra place for "seen nowhere". In our tables, the data of the cabs are called cabspotting. The paper tries four classifiers, and so do we: logistic regression (LR), nearest neighbours (kNN), a random forest (RF) and a neural network (MLP, for *multilayer perceptron*).
#
# The following values can be changed when the page is run again:

# %% tags=["parameters"]
datasets = ["flights-by-number", "flights-by-tail"]
path = ""
classifiers = ["LR", "kNN", "RF", "MLP"]
subset_sizes = [10, 50, 100]  # group sizes under prior 1
past_sizes = [10, 100, 500]  # group sizes under priors 2a and 2b
alphas = {}  # share of users known under prior 1, by dataset; {} means 0.3
n_train = 200  # training groups under prior 1
n_test = 100  # test groups under priors 1 and 2b
beta_same = 100  # known groups under prior 2a
beta_different = 200  # known groups under prior 2b
length_size = 100  # group size for the length of a release
middle = 50  # group size for few false alarms, learning and the choice of a classifier
n_per_third = 17  # targets from each third of the users, by mobility
n_choosing = 6  # about as many targets for the choice of a classifier
processes = 1
seed = 2018

# %%
from lib.papers import fitting
from lib.papers.knock_knock import experiments as kk

called = fitting.display_names(datasets)
populations = {name: kk.population(file, path) for name, file in called.items()}
numbers = {"n_train": n_train, "n_test": n_test}
numbers |= {"beta_same": beta_same, "beta_different": beta_different}
sizes = {"subset_sizes": subset_sizes, "past_sizes": past_sizes, "middle": middle}
sizes |= {"length_size": length_size, "n_per_third": n_per_third}
own = fitting.knock_knock(populations, alphas=alphas, **sizes, **numbers)
plots.show_table(
    figures.settings_table(own, populations, numbers, classifiers), "setup"
)

# %% [markdown]
# As in the paper, the targets are drawn in equal numbers from the least, the middle and the most mobile third of the users. We require at least four visits in the first week and one in the last. The priors use different weeks
# and different numbers of training groups, as in the paper. A difference between two priors may therefore come from these settings as well as from the knowledge itself.
#
# **Step 1: labelled groups.** We take one flight number, prior 1 and groups of ten. The attacker knows 30% of the users in the first week. From these users, the function `subset_task` draws 200 training groups, half of them with the target. The 100 test groups consist of users whom the attacker does not know. Half of
# them also contain the target.

# %%
from lib.membership import game
from lib.randomness import stream

name, traces = next(iter(populations.items()))
setting, weeks = own[name], kk.weeks(traces)
target = kk.targets(traces, setting["n_per_third"], seed)[-1]
size, alpha = min(setting["subset_sizes"]), setting["alpha"]
# the random numbers of this game, so that it can be found again in the stored results
rng = stream(seed, "kk-games", name, target, kk.PRIORS[0], size)
task = game.subset_task(traces, target, alpha, size, weeks[0], rng, n_train, n_test)
print(traces.users[target], "- training groups x places x hours:", task.train.shape)
print(f"the attacker knows {int(alpha * traces.n_users)} of {traces.n_users:,} users")

# %% [markdown]
# **Step 2: statistics.** We use the function of the six-person example. Here are the seven numbers of the first test group at the place that the target visits most:

# %%
train, test = statistics(task.train), statistics(task.test)
place = int(traces.trace(traces.users[target]).sum(axis=1).argmax())
print(*map("{} {:.2f}".format, names, test[0].reshape(-1, 7)[place]), sep=", ")

# %% [markdown]
# **Steps 3 and 4: eliminate and fit.** The model is a logistic regression. The paper uses the solver *liblinear*, which penalises the intercept like any other weight. (A *penalty* makes large weights costly, so that the model fits the training groups less closely.) We do the same: a column of ones takes the place of the intercept.

# %%
from sklearn.linear_model import LogisticRegression


def fit(rows, members):  # one weight for each feature, and the intercept
    ones = np.ones((len(rows), 1))
    model = LogisticRegression(solver="newton-cholesky", fit_intercept=False, tol=1e-8)
    return model.fit(np.hstack([rows, ones]), members).coef_[0]


def eliminate(rows, members, n):  # drop a tenth at a time, smallest weights first
    left, tenth = np.arange(rows.shape[1]), rows.shape[1] // 10
    while len(left) > n:
        order = np.abs(fit(rows[:, left], members)[:-1]).argsort(kind="stable")
        left = np.sort(left[order[min(tenth, len(left) - n) :]])
    return left


# %%
kept = eliminate(train, task.train_members, task.n_samples)
weights = fit(train[:, kept], task.train_members)
scores = test[:, kept] @ weights[:-1] + weights[-1]
print(f"{train.shape[1]} features, {len(kept)} kept")

# %% [markdown]
# How good are the scores? We compare pairs, as in the first chapter: the AUC is the share of pairs in which the group with the target has the higher score.

# %%
with_target, without = scores[task.test_members == 1], scores[task.test_members == 0]
print(f"AUC by comparing pairs: {(with_target[:, None] > without[None, :]).mean():.4f}")

# %% [markdown]
# What did step 3 contribute? We fit the same model to all features. We also count the features that have the same value in every training group:

# %%
weights_of_all = fit(train, task.train_members)
scores_of_all = test @ weights_of_all[:-1] + weights_of_all[-1]
with_all, without_all = (scores_of_all[task.test_members == is_in] for is_in in (1, 0))
print(f"AUC without step 3: {(with_all[:, None] > without_all[None, :]).mean():.4f}")
constant = (np.ptp(train, axis=0) == 0).reshape(-1, 7)  # places x statistics
print("features with a single value:", constant.sum())
print("features that are 0 in every group:", (~train.any(axis=0)).sum())
print("places where all seven have a single value:", constant.all(axis=1).sum())
print("by statistic:", dict(zip(names, constant.sum(axis=0).tolist(), strict=True)))
dropped = np.setdiff1d(np.arange(train.shape[1]), kept)
of_dropped = constant.ravel()[dropped]
print(f"dropped: {of_dropped.sum()} with a single value, {(~of_dropped).sum()} others")

# %% [markdown]
# In this game the step makes no difference. More than half of the features never vary. The minimum of a place has the same value in every training group, and so has the median. At 42 of the 107 places all seven statistics are constant. All of these constant features are 0, and a model learns nothing from a feature that is always 0. The step drops all 424 of them, which cannot change the scores. Of the other 325 features it drops only 25.
#
# The library combines the four steps in one object, which runs faster. It agrees with our steps:

# %%
from lib import metrics
from lib.membership.knock_knock import KnockKnock

attack = KnockKnock(classifier="LR", n_features=task.n_samples)
by_library = attack.fit(task.train, task.train_members).decision_function(task.test)
print(f"AUC by the library:     {metrics.auc(task.test_members, by_library):.4f}")
print("the same scores:", np.allclose(scores, by_library, atol=1e-3))

# %% mystnb={"figure": {"name": "fig-kk-scores", "caption": "Scores that the classifier gives to 50 test groups with the target and to 50 without. The distributions overlap, and the means (dashed) are apart: the attack is better than guessing and far from certain."}, "image": {"alt": "Histograms of the classifier's scores for test groups without and with the target."}} tags=["hide-input"]
from lib.papers.foundations.figures import show_scores

show_scores(task.test_members, scores, "the classifier's margin")

# %%
from lib.papers.summaries import scored

one = scored(task.test_members, {"logistic regression": scores})
plots.show_table(one[["AUC", "privacy loss"]], "one-game")

# %% [markdown]
# This is one target and one game. The brackets are a 95% confidence interval over its test groups.
#
# ````{admonition} Choices of the paper, and ours
# :class: note
# - The paper keeps as many features as there are groups in training *and* test set together, which is unusual. We follow it.
# - It does not say which model ranks the features, nor how many are dropped at a time. We rank them with a logistic regression, and drop a tenth at a time.
# - Among its four classifiers, nearest neighbours (kNN) uses five neighbours. We follow it.
# ````

# %% [markdown]
# (kk-sizes)=
# ## How do group size and prior knowledge change the result?
#
# We now repeat this game for many targets: 51 of each population, every prior, several group sizes and all four classifiers. This takes some minutes, so the results come with the book. The function `results` reads them; if you run the page with other values, it
# computes them again. The game above is among them, and its AUC for logistic regression (LR) is the same:

# %%
from functools import partial

own = {data: each | {"group_size": each["length_size"]} for data, each in own.items()}
given = numbers | {"classifiers": classifiers, "n_choosing": n_choosing}
given |= {"processes": processes, "seed": seed}
results = partial(kk.stored_or_run, populations, own, **given)
games, sums = results(kk.games), results(kk.sums)
this = games.query("data == @name and target == @target and prior == @kk.PRIORS[0]")
print(this.set_index("group size").loc[[size], classifiers].round(4).to_string())

# %% [markdown]
# The following table and figure show one classifier only. For each population, prior and group size, we look up which of the four has the highest mean AUC:

# %%
means_of_four = games.groupby(["data", "prior", "group size"])[classifiers].mean()
print(means_of_four.idxmax(axis=1).value_counts().to_string())

# %%
strongest = "RF" if "RF" in classifiers else classifiers[0]
plots.show_table(figures.prior_table(games, strongest, kk.PRIORS), "priors")

# %% [markdown]
# *Mean AUC of the random forest over 51 targets, with 95% intervals. A dash marks a size that was not evaluated: under prior 1 the training groups consist of known users, of whom there are too few for groups of 500. The sizes under the priors on the past are our choice.*

# %% mystnb={"figure": {"name": "fig-kk-priors", "caption": "Mean AUC over 51 targets of a random forest, with 95% intervals, and of the untrained sum under prior 1. The dotted line is guessing. Under priors 1 and 2b the forest weakens as groups grow. Under prior 2a it stays near 1 for flight numbers, and between 0.6 and 0.7 for aircraft. The sum on the groups of prior 1 weakens slowly."}, "image": {"alt": "Three panels beside each other, one for each prior: mean AUC of a random forest against group size, a line for each dataset with intervals; in the first panel also the untrained sum, which stays near 1. Under priors 1 and 2b the forest falls with group size; under prior 2a it stays near 1 for flight numbers, and falls only from 0.67 to 0.61 for aircraft."}} tags=["hide-input"]
figures.show_priors(games, strongest, sums, beside=True)

# %% [markdown]
# Under prior 1 the classifier does well in groups of ten and poorly in groups of a hundred. Under prior 2b the same holds for flight numbers. Against aircraft, the classifier is weak under both priors that use the past, even in groups of ten. Under prior 2a it is nearly perfect against flight numbers at every size, and its AUC against aircraft falls only a little, from 0.67 to 0.61.
#
# There is a simple reason for the decline under priors 1 and 2b. The target adds the same visits to a group of any size. The other $m - 1$ members differ from group to group, and as long as a group is a small part of the population, the standard deviation of their counts grows
# roughly in proportion to $\sqrt m$. The larger the group, the less the target stands out against this variation. A [later section](kk-predict) turns this argument into a formula, and tests it. Prior 2a is different: there the AUC depends little on the size. The reason
# deserves [a section of its own](kk-recognises).
#
# For this classifier, the prior that is worth most depends on the user. For flight numbers, past counts of the same groups (2a) are best. Aircraft do not repeat their weeks, so the past is worth little against them. In groups of ten, the same week (1) is best. Another attack may put the priors in another order, as the next section shows.
#
# ````{admonition} How to read these tables
# :class: note
# - Intervals from here on are over targets: they describe how well the mean AUC over all users is known.
# - We show the random forest, because it has the highest mean AUC in ten of these 18 settings. This choice uses the test results, so it favours the attack a little.
# - Other sections use other classifiers. The next one shows all four under prior 1. [Few false alarms](kk-cautious), [random labels](kk-recognises) and [the number of labelled groups](kk-learning) use logistic regression, which trains faster; a smaller control for random labels uses the forest. [The length of a release](kk-length) uses the forest, and [the riders](kk-riders) logistic regression.
# - The sum in the figure is explained in the next section.
# ````

# %% [markdown]
# (kk-sum-baseline)=
# ## Is the trained attack better than a simple sum?
#
# Every attack needs a baseline. Under prior 1 the attacker knows the target's trace in the released week. They could ignore all other traces, train nothing, and use the sum attack of the
# [first chapter](foundations-attack): add up the counts over the target's *cells*, that is, over the places and hours in which the target was counted. For the game above, this attack takes one line of code:

# %%
cells = traces.trace(traces.users[target])[:, weeks[0]]
sum_scores = (task.test * cells).sum(axis=(1, 2))
print(f"AUC of logistic regression: {metrics.auc(task.test_members, scores):.2f}")
print(f"AUC of the sum:             {metrics.auc(task.test_members, sum_scores):.2f}")

# %% [markdown]
# Here is the comparison for all targets. Every attack scores exactly the same test groups:

# %%
plots.show_table(figures.attack_table(games, kk.PRIORS[0], sums), "prior-1")

# %% [markdown]
# The untrained sum beats all four classifiers at every group size. In groups of a hundred flight numbers, its mean AUC is 0.90, and the best classifier reaches 0.64.
#
# The reason is in step 2: the seven statistics discard the hours, and the sum uses them. How much are the hours worth to the sum? We now discard the hours in the sum as well: we add up the counts at the target's *places* over all hours. In groups of a hundred flight numbers, the mean AUC of this sum over places is 0.58, and that of the sum over cells is 0.90. The random forest has a higher mean AUC than the sum over places at every group size. Logistic regression also has a higher mean AUC than the sum over places, except for flight numbers in groups of a hundred, where the comparison is inconclusive. ({ref}`An exercise <kk-sum>` has the differences.)
#
# The sum also changes which prior is worth most. It needs the target's trace of the released week, so only prior 1 allows it. With the sum, prior 1 is worth most against aircraft in groups of a hundred, too: the sum reaches 0.99 there, and the forest under prior 2a has [0.62](kk-sizes). In groups of ten flight numbers, prior 1 is now worth as much as prior 2a. Only in groups of a hundred flight numbers does prior 2a keep its lead.
#
# An attack without the hours is not useless. In groups of ten the random forest reaches 0.95 without them. The forest even outperforms the sum over the target's places, although that sum is given these places and the forest must find them among 749 features. This comparison is not quite fair to the sum. The sum uses only the total count of each place, whereas the classifiers use seven statistics.
#
# This does not show that the classifiers would catch up if they were given the hours. We have not tested it. They would then have to learn from all 107 × 168 counts of a group instead of 749 features, and they have only 200 groups to learn from. Having to learn is a handicap: logistic regression improves if it has [more examples](kk-learning).
#
# So a trained attack is not automatically a strong attack. If a classifier fails, this alone does not show that a release is safe.

# %% [markdown]
# (kk-large-groups)=
# ## How large must a group be to hide a person?
#
# The answer depends on the attack. The table above ends at groups of a hundred. Under prior 1 the classifier's training groups must be drawn from the 316 users whom the attacker knows, and groups of 300 would consist of nearly the same users. The sum needs no training, so we can evaluate it in larger groups. The attacker who uses it
# knows the target's trace in the first week, and no other trace. We draw 1,000 groups of each size for the same 51 targets. So far, the test groups consisted of users whom the attacker does not know, and half of them also contained the target. Here, and in the formula below, the groups of the sum are drawn from all users.
#
# We also report the **TPR at an FPR of 1%**: the share of groups with the target that an attacker identifies, if they may say "member" for only one in a hundred groups without the target. An attacker who guesses reaches 0.01. The threshold for this FPR is set for each target on the labelled groups themselves. A real attacker does not have these, so the TPR says what this attack could reach at best. (The [audit chapter](audit-riders-audit) shows how much this can matter.)

# %%
up_to_half, beyond = [10, 50, 100, 300, 500], [700, 900, 1000]  # the second for later
measured = results(kk.sum_sizes, sizes=up_to_half + beyond, n_groups=1000)
large = measured[measured["group size"].isin(up_to_half)]
plots.show_table(figures.sum_table(large), "sum-sizes")

# %% mystnb={"figure": {"name": "fig-kk-sum-sizes", "caption": "The untrained sum in groups of up to 500 of 1,054 users: mean AUC (left) and mean TPR at an FPR of 1% (right) over 51 targets; dotted lines are guessing. Larger groups protect flight numbers better, but the protection grows only slowly. They protect aircraft much less."}, "image": {"alt": "Two panels against group size: mean AUC of the sum falls from 1 to about 0.78 for flight numbers and to about 0.93 for aircraft; mean true positive rate at 1% falls from 0.8 to 0.1 and from 1 to 0.4."}} tags=["hide-input"]
figures.show_sum_sizes(large)

# %% [markdown]
# Larger groups do protect better against the sum, but the protection grows only slowly. For flight numbers the AUC falls to 0.80 in groups of 300 and to 0.78 in groups of 500. For aircraft it is still 0.93 in groups of 500.
#
# In groups of 300 aircraft, the AUC is 0.94 here, but 0.99 in the [first chapter](foundations-many). There the attacker used four weeks of counts, whereas here the attacker has only one. {ref}`An exercise <foundations-half>` of that chapter shows how much the AUC falls if the attacker uses a
# quarter of the cells. The targets differ, too.
#
# (kk-predict)=
# ### Can we predict how well a group hides a person from the sum?
#
# We can, and we do not have to evaluate an attack for it. Besides the sizes of the group and of the population, we need only three numbers about the target. The data holder, who has all traces, can compute them. The first is the number $v$ of the target's visits in the released hours. The other two describe the **overlap** of another user with the target, that is, the number of the target's cells in which this user was counted as well. Let $\mu$ be the mean and $s$ the standard deviation of the overlap over all $n$ other users.
#
# Here are the three numbers for Dan and for Ada, on both days:

# %%
overlap_with = {}
for who in ("Dan", "Ada"):
    others = [user for user in six.users if user != who]
    shared = [int((six.trace(user) * six.trace(who)).sum()) for user in others]
    overlap_with[who] = np.array(shared)
    print(f"overlap with {who}:", dict(zip(others, shared, strict=True)))
    print(f"   v = {six.trace(who).sum()}", end=", ")
    print(f"μ = {np.mean(shared):.1f}, s = {np.std(shared):.1f}")

# %% [markdown]
# In a group of $m$ users with the target, the sum is $v$ plus the overlaps of $m - 1$ other users. In a group without the target, it is the sum of the overlaps of $m$ other users. So the target raises the mean of the sum by $v - \mu$.
#
# How much does the sum vary from group to group? The other users are drawn at random, and nobody is drawn twice. The sum of $k$ overlaps that are drawn in this way from $n$ has the variance
#
# $$ V_k = k\, s^2\, \frac{n - k}{n - 1}. $$
#
# Independent draws would have the variance $k s^2$. The fraction is the **finite-population correction**: the larger the share of the population that is drawn, the less is left to chance. If everybody is drawn, the sum is the same every time, and its variance is 0.
#
# Suppose that both sums are roughly normal. The difference of a sum with the target and a sum without then has mean $v - \mu$ and variance $V_{m-1} + V_m$. The AUC is the probability that this difference is positive ({ref}`an exercise of the first chapter <foundations-proof>` proves a simpler case):
#
# $$ \mathrm{AUC} \approx \Phi\Bigl(\frac{v - \mu}{\sqrt{V_{m-1} + V_m}}\Bigr), $$
#
# where $\Phi$ is the distribution function of the standard normal distribution. We compare this with the true AUC among all groups of two and of three of the six people:

# %%
from scipy.stats import norm


def predicted_auc(visits, overlap, m):
    n = len(overlap)
    variances = [k * overlap.var() * (n - k) / (n - 1) for k in (m - 1, m)]
    return norm.cdf((visits - overlap.mean()) / np.sqrt(sum(variances)))


for who, overlap in overlap_with.items():
    for m in (2, 3):
        every_group = list(combinations(six.users, m))
        contains = np.array([who in group for group in every_group])
        its_sums = (count(every_group) * six.trace(who)).sum(axis=(1, 2))
        predicted = predicted_auc(six.trace(who).sum(), overlap, m)
        print(f"{who}, groups of {m}: predicted {predicted:.2f}", end=", ")
        print(f"true {metrics.auc(contains, its_sums):.2f}")

# %% [markdown]
# For Dan the prediction is close. For Ada it is too high by 0.04. Her twin Ben shares all her cells, so this one user largely determines the sum. Besides, in such small groups the sum is far from normally distributed. In large groups a single user matters less.
#
# We now predict the AUC of the 51 targets of each population, and compare the means with the measured ones. Three of the group sizes are larger than half of the population:

# %%
rows = []
for data, each in populations.items():
    week = each.select(epochs=np.asarray(kk.weeks(each)[0]))
    for user in kk.targets(each, own[data]["n_per_third"], seed):
        overlap = week.matrix @ week.matrix[[user]].toarray().ravel()
        visits, overlap = overlap[user], np.delete(overlap, user)
        about = {"v": visits, "μ": overlap.mean(), "s": overlap.std()}
        for m in range(10, week.n_users, 10):
            auc = predicted_auc(visits, overlap, m)
            row = {"data": data, "target": user, "group size": m, "predicted": auc}
            rows.append(row | about)
predictions = pd.DataFrame(rows)

beside = measured.merge(predictions, on=["data", "target", "group size"])
beside = beside.rename(columns={"AUC": "measured"})
means_of_both = beside.groupby(["data", "group size"])[["measured", "predicted"]].mean()
by_data = means_of_both.unstack("data").swaplevel(axis=1).sort_index(axis=1)
plots.show_table(by_data.map("{:.3f}".format), "predicted")
apart = (means_of_both["predicted"] - means_of_both["measured"]).abs().max()
print(f"largest difference of the means: {apart:.3f}")
of_targets = predictions.drop_duplicates(["data", "target"])
print(
    of_targets.groupby("data", sort=False)[["v", "μ", "s"]].mean().round(2).to_string()
)

# %% mystnb={"figure": {"name": "fig-kk-predicted", "caption": "Mean AUC of the sum over 51 targets in groups of up to 1,000 of 1,054 users: measured (points, with 95% intervals) and predicted by the formula (lines); dotted: guessing. The prediction differs from every measured mean by at most 0.003. Groups of half of the population hide a user best from the sum, and larger ones hide less again."}, "image": {"alt": "Mean AUC of the sum against group size, from 10 to 1,000. The predicted curves run through the measured points. They fall from 1 to about 0.78 for flight numbers and 0.93 for aircraft at half of the population, and rise again to nearly 1."}} tags=["hide-input"]
figures.show_predicted(measured, predictions)

# %% [markdown]
# The predicted and the measured means differ by at most 0.003. But a data holder wants to protect every single person, and the errors of single targets may cancel in a mean. So we also look at each target. How large may the errors be by chance alone? The AUC of a target is measured with 500 groups with it and 500 without. We draw such samples from two normal distributions whose true AUC is 0.8:

# %%
errors = (beside["predicted"] - beside["measured"]).abs()
of_single = errors.groupby([beside["data"], beside["group size"]]).quantile(0.95)
print("95% of the targets have an error of at most:")
print(of_single.unstack("data").round(3).to_string())

draws, halves = np.random.default_rng(seed), np.repeat([1, 0], 500)
shift = np.sqrt(2) * norm.ppf(0.8)
by_chance = [
    abs(metrics.auc(halves, draws.normal(size=1000) + shift * halves) - 0.8)
    for _ in range(1000)
]
print(f"by chance, if the true AUC is 0.8: {np.quantile(by_chance, 0.95):.3f}")

# %% [markdown]
# For 95% of the flight numbers, the prediction and the measurement differ by at most 0.030 at every size. For 95% of the aircraft they differ by at most 0.017. Chance alone produces errors of up to 0.026 for 95% of the targets if the true AUC is 0.8. The mean AUC is about 0.8 in groups of 300 to 700 flight numbers, and there the errors are hardly larger. In these groups, then, the formula predicts the AUC of a single target about as accurately as a sample of 1,000 groups measures it. Chance matters less if the AUC is close to 1, so the number 0.026 is no yardstick for small groups.
#
# The formula teaches us three things.
#
# 1. *Why aircraft are harder to hide.* A flight number and an aircraft raise the mean of the sum by nearly the same amount: they have 10.94 and 9.84 visits on average. But the overlap has a standard deviation of 0.66 for flight numbers, and of only 0.25 for aircraft. The [next section](kk-overlaps) explains why.
# 2. *Why large groups protect slowly.* As long as $m$ is small compared with $n$, the variance $V_{m-1} + V_m$ is about $2 m s^2$. The standard deviation grows in proportion to $\sqrt m$, so a group must become *four* times as large to halve the fraction in the formula.
# 3. *When a larger group protects less.* $V_k$ is proportional to $k (n - k)$, and is largest if half of the population is counted. The larger the groups are beyond that, the more people two groups have in common, and the more it matters who is missing. In groups of 1,000 of the 1,054 flight numbers, the AUC is back at 0.95.
#
# A data holder should conclude that a minimum group size is a weak rule. Under prior 1, the trained classifiers reach a mean AUC of at most 0.65 in groups of a hundred. An attacker who knows where the target was, and adds up the counts there, still reaches 0.90 for flight numbers and 0.99 for aircraft.
#
# ````{admonition} What this does not show
# :class: note
# - The formula predicts the success of the *sum*. An attack that gives more weight to quiet cells is [stronger](foundations-quiet).
# - The groups are random samples of one population. A real group, such as the patients of a hospital, is not. Its members may resemble each other.
# ````
#
# (kk-overlaps)=
# ### Why does the sum vary more around a flight number?
#
# The [first chapter](foundations-quiet) found that cells with few other users reveal most. So the cells of an aircraft may simply be quieter. How much would this explain? If other users met the target independently, in one cell at a time, the overlap would have about a Poisson distribution. The standard deviation of this distribution is $\sqrt{\mu}$. We compare it with $s$.
#
# The overlaps may also be *clumped*: few users meet the target, but each of them meets it often. We count how many other users meet the target at all, in how many cells each of these meets it, and on how many different days of the week:

# %%
rows = []
for data, each in populations.items():
    week = each.select(epochs=np.asarray(kk.weeks(each)[0]))
    for user in kk.targets(each, own[data]["n_per_third"], seed):
        own_cells = week.matrix[[user]].indices  # place x 168 + hour
        shared = np.delete(week.matrix[:, own_cells].toarray() > 0, user, axis=0)
        overlap, day = shared.sum(axis=1), own_cells % week.n_epochs // 24
        on_day = np.stack([shared[:, day == d].any(axis=1) for d in range(7)])
        about = {"√μ": np.sqrt(overlap.mean()), "s": overlap.std()}
        met = overlap > 0
        about |= {"others who meet it": met.sum(), "cells each": overlap[met].mean()}
        about["days each"] = on_day[:, met].sum(axis=0).mean()
        rows.append({"data": data} | about)
of_overlaps = pd.DataFrame(rows).groupby("data", sort=False).mean()
plots.show_table(of_overlaps.map("{:.2f}".format), "overlaps")
quotients = of_overlaps.iloc[0] / of_overlaps.iloc[-1]
print(
    f"quotient of the two √μ: {quotients['√μ']:.1f}, of the two s: {quotients['s']:.1f}"
)

# %% [markdown]
# *Means over the 51 targets of each population, in the first week.*
#
# Quieter cells explain only a small part. The two values of $\sqrt{\mu}$ differ by a factor of 1.3, and the two values of $s$ by a factor of 2.6. For aircraft, $s$ is about $\sqrt{\mu}$, as for independent meetings. For flight numbers it is twice as large.
#
# The rest is due to clumping. Flight numbers keep their timetable from day to day. Two flights that are at an airport in the same hour on one day are often there together on other days as well. A user who overlaps with a flight number at all therefore shares about four cells with it on average, on about four different days. About twice as many users meet an aircraft, but most of them only once. A few large overlaps make the sum vary more than many small ones.
#
# (kk-cautious)=
# ### How many are identified with few false alarms?
#
# The AUC averages over all thresholds. An attacker who can afford few false positives cares about the TPR at a low FPR. We compare logistic regression and the sum on the same 2,000 test groups of 50 users:

# %%
by_lr = results(kk.cautious, n_test=2000)
by_sum = results(kk.cautious_sums, n_test=2000)
plots.show_table(figures.tpr_table(by_lr, by_sum), "tpr")

# %% [markdown]
# *Mean TPR at an FPR of 1% over 51 targets, groups of 50, with 95% intervals. The last column is based on different groups, because prior 2b concerns another week.*
#
# Among flight numbers, logistic regression under prior 1 identifies on average 6% of the groups that contain the target. Among aircraft it identifies 8%. An attacker who guesses identifies 1%. The sum identifies 32% and 87% of the same groups. (As under prior 1 above, only the target in these groups is known to the attacker. The groups of the [table of sizes](kk-large-groups) were drawn from all users, so its values for groups of 50 differ a little.) With past counts of other groups (2b), logistic regression identifies 4% and 2%. This is more than by guessing, but little.
#
# The experiment uses logistic regression. We have not repeated it for the random forest, whose AUC on flight numbers is higher in groups of 50 (0.74 against 0.66). The forest may therefore identify more groups than logistic regression does.

# %% [markdown]
# (kk-recognises)=
# ## What does prior 2a recognise?
#
# Under prior 2a the classifier is told which groups contain the target, and is asked about *the same groups* a week later. It may succeed in two ways. It may recognise the *target*, or it may recognise the *group* and look up
# its label. The score does not say which.
#
# The six people illustrate the second way. We take four groups of two, and compare their counts of Tuesday (rows) with their counts of Monday (columns). A distance is the sum of the absolute differences of the counts.

# %%
pairs = [("Ada", "Ben"), ("Ada", "Cleo"), ("Dan", "Eve"), ("Dan", "Fay")]
monday, tuesday = np.split(count(pairs), 2, axis=2)
far = np.abs(tuesday[:, None] - monday[None, :]).sum(axis=(2, 3))
labelled = list(map(" + ".join, pairs))
table = pd.DataFrame(far, [f"{pair}, Tuesday" for pair in labelled], labelled)
plots.show_table(table, "six-recognised")

# %% [markdown]
# Ada, Ben and Cleo repeat their days, so the first two groups have distance 0 to their own past. An attacker can look up such a group without knowing anything about any single person. The groups with Dan are not recognised.
#
# To find out what the classifier does with flights, we give it **random labels**: we permute the true labels, so that half of the groups, drawn at random, are said to contain the target. A group keeps its label from week to week. These labels say nothing about any person. A single draw may agree with the true labels by chance. But if the AUC is above 1/2 on average over many draws, this
# can then only come from recognising groups.
#
# This is the idea of a **permutation test**. Such a test asks how large a statistic would be if the labels carried no information about the question. It permutes the labels many times, and the values that result are the {term}`null distribution`. The **p-value** is the share of labelings, the true one included, whose value is at least as large as the value for the true labels. If the p-value is large, there is no evidence that the true labels have added anything. ({ref}`An exercise <kk-permutation>` computes one by hand.)
#
# We permute the labels once for each target, and compare the means over targets. Here is one target:

# %%
*earlier, last = weeks
m = min(setting["past_sizes"])
same = game.same_groups_task(traces, target, beta_same, m, last, earlier, rng)
random_labels = np.random.default_rng(seed).permutation(same.test_members)
attack = KnockKnock(classifier="LR", n_features=same.n_samples)
attack.fit(same.train, np.tile(random_labels, len(earlier)))
said = attack.decision_function(same.test)
print(f"random labels: AUC {metrics.auc(random_labels, said):.2f}")

# %%
recognised = results(kk.recognition)
plots.show_table(figures.label_table(recognised), "recognition")

# %% [markdown]
# *Mean AUC of logistic regression under prior 2a, groups of 100, 51 targets, with 95% intervals. The last column averages the difference of the two AUCs of each target.*
#
# Suppose that the true labels say no more than random ones. Then the two AUCs of a target are *exchangeable*, that is, their joint distribution stays the same if we exchange them, and the mean of their difference is near 0. This is what we see: both intervals of the difference contain 0. So the high AUC of flight numbers is no evidence that the target is recognised. Recognising the group is enough to explain it. The same holds for the much lower AUC of aircraft.
#
# How can a group of aircraft be recognised at all, if aircraft do not repeat their weeks? They hardly ever return to a place at the same hour a week later, but they do return to some of their places. The seven statistics forget the hours. So a group may have similar statistics in two weeks although its counts differ in many hours. {ref}`An exercise <kk-matching>` supports this reason: a lookup recognises a group of aircraft far more often by the totals of its places than by the counts of every hour.
#
# Does the target leave no trace in the counts, then? This control cannot answer that. Where random labels already have an AUC of 1.00, true labels cannot have more. Prior 2b can answer it, because its released groups are new and cannot be looked up. Under prior 2b the random forest still has an AUC of 0.65 for flight numbers in groups of 100 ([table above](kk-sizes)). So the counts do reveal something about the target. How much, this AUC does not say: it is what one classifier finds without the hours. Under prior 1, an attacker who knows the target's trace reaches [0.90](kk-sum-baseline) with the sum in groups of this size.
#
# This does not make prior 2a harmless. If the attacker knows who belonged to a group, then recognising the group is enough. But a high AUC under this prior says that *groups* are stable. It is no evidence that the counts reveal
# the target.
#
# Does the same hold for the random forest, which {numref}`fig-kk-priors` shows? We repeat the control with the forest. It trains more slowly, so we take only 18 targets of each population:

# %%
fewer = {
    data: each | {"n_per_third": min(6, n_per_third)} for data, each in own.items()
}
by_forest = kk.stored_or_run(
    populations, fewer, kk.recognition, classifier="RF", **given
)
plots.show_table(figures.label_table(by_forest), "recognition-forest")

# %% [markdown]
# *As above, for the random forest and 18 targets of each population.*
#
# Again we find no difference between random and true labels. With 18 targets, the interval for aircraft is wider. For them, a difference of up to 0.07 is compatible with the data. We have not repeated the control for the other two classifiers and for other sizes.

# %% [markdown]
# (kk-regularity)=
# ## Are regular users easier to find?
#
# The paper compares commuters with cabs and concludes that regularity makes its attack easier. These two populations differ in many ways, however. Our two populations are more alike: flight numbers and aircraft share the airports, the hours and the number of
# users. Flight numbers return every week and aircraft do not (a recurrence of 0.96 against 0.04, in the first chapter).
#
# The table shows the mean AUC of flight numbers minus that of aircraft. A positive value means that regular users are easier to find.

# %%
compared = list(dict.fromkeys([classifiers[0], strongest]))
figures.show_regularity(games, compared)

# %% [markdown]
# *95% intervals for the difference of two means over different users, 51 each. They are Welch's intervals, which allow the two variances to differ.*
#
# If the attacker learns from earlier weeks (2a and 2b), regular users are easier to find in small groups. Under prior 2a this holds at every size. But there recognising the group is enough to explain the AUC, at least in groups of 100, where we [tested it](kk-recognises). Only prior 2b tells us
# something about the person: regular users are easier to find in groups of 10 and 100. In groups of 500 the forest still finds them more easily, and for logistic regression the result is inconclusive.
#
# If the attacker learns from the same week (1), we find no sign that regularity helps. Logistic regression finds aircraft slightly more easily, significantly so in groups of a hundred. For the forest the result is inconclusive: its three intervals all contain 0 and lie between $-0.04$ and 0.07. This is plausible: an attacker who knows the trace of the released week does not need to predict it.
#
# ````{admonition} What this does not show
# :class: note
# - The table has eighteen intervals. If there were no differences at all, about one of them would miss 0 by chance. The result for logistic regression under prior 1, whose interval ends at $-0.01$, is therefore weak evidence.
# - These results do not prove that regularity is the cause, because the populations differ in other ways, too. An aircraft visits more places than a flight number and makes fewer visits (see the [table of dense and sparse data](foundations-dense) in the first chapter).
# - The paper found more privacy loss for commuters than for cabs under prior 1 as well, and named sparseness as the reason. Both of our populations are sparse.
# - The statistics forget the order of hours. A weaker kind of regularity than recurrence ({prf:ref}`def-recurrence`) can therefore help a classifier that uses them.
# ````

# %% [markdown]
# (kk-length)=
# ## Does a shorter release protect better?
#
# Instead of a week, a data holder could release one day, or eight hours. We evaluate prior 2a on the same hours of every week, with a random forest, as the paper does for its commuters.
#
# All losses of this section are under prior 2a, where the classifier can succeed by [recognising the group](kk-recognises). They say how recognisable a group of a hundred still is. They do not say how well a person in it is protected.
#
# The hours of the flights are UTC. New York's clocks went forward after the first of the four weeks. A flight that leaves at eight o'clock in New York leaves at 13 UTC in the first week and at 12 UTC afterwards. So the first week, which is one of the training weeks, is shifted by one hour in UTC against the released week. ({ref}`An exercise of the first chapter <foundations-daylight>` measures the effect of this.)


# %%
def loss_of_guessing(n_in, n_out):  # test groups with the target, and without
    # the AUC of random scores is about normal around 1/2, with this standard deviation
    deviation = np.sqrt((n_in + n_out + 1) / (12 * n_in * n_out))
    return 2 * deviation / np.sqrt(2 * np.pi)  # the mean of max(0, 2 AUC - 1)


lengths = results(kk.lengths, classifier="RF")
plots.show_table(figures.lengths_table(lengths), "lengths")
guessing = loss_of_guessing(50, 50)
print(f"mean loss of an attacker who guesses, 50 + 50 test groups: {guessing:.2f}")

# %% [markdown]
# *Mean privacy loss with 95% intervals, groups of 100; in parentheses, the number of targets who are seen at all in these hours. "8-16h" is in UTC: in New York this is 3 to 11 o'clock in the first week, and 4 to 12 o'clock in the later weeks.*
#
# Groups of flight numbers remain recognisable in every period. In the eight hours, only 15 or 12 of the 51 targets are seen at all, but the loss of these is still close to 1. The other targets are not counted in these hours. Their own visits cannot give them away, so we leave them out. Such a target is not safe, though: an attacker who recognises the group can still look up whether the target belongs to it.
#
# Groups of aircraft are much less recognisable in a shorter release. The mean loss falls from 0.26 for a week to 0.10 or less for a day. For eight hours it cannot be distinguished from guessing: an attacker who guesses has a mean loss of 0.05, because the loss of a target is never negative, and both intervals contain this value.
#
# The paper's commuters lie between these extremes. Its cabs, which it attacks with a neural network instead of a forest, have losses close to those of our aircraft for the week and for the days. The next table shows the numbers of the paper beside ours. We ran the experiment on the same cabs, and on a synthetic surrogate of the commuters, whose data are not available:

# %%
cities = ["commuters", "cabspotting"]
plots.show_table(figures.losses_beside(kk.lengths.stored(*cities)), "lengths-stored")
print(kk.lengths.source(*cities))
guessing = loss_of_guessing(75, 75)  # the cabs have more test groups
print(f"mean loss of an attacker who guesses, 75 + 75 test groups: {guessing:.2f}")

# %% [markdown]
# *Mean privacy loss under prior 2a; commuters: RF, groups of 1,000; cabs: MLP, groups of 100, local time in San Francisco.*
#
# Groups of cabs are much less recognisable in a day: the loss is at most half of that for a week. For eight hours it is 0.08, which is still twice the loss of an attacker who guesses.
#
# For a whole working day, groups of commuters stay nearly as recognisable as for a week: the loss of a Monday is close to that of a week, both in the paper and for our surrogate. On a Saturday the loss is smaller, presumably because people are less regular then. For eight hours of a Monday the paper still reports a large loss; on the surrogate it is smaller.
#
# ````{admonition} What this does not show
# :class: note
# - Only 12 to 29 of the 51 targets are seen at all in the eight hours. The mean loss is that of these targets. It says nothing about the others, whose membership can also be looked up once the group is recognised.
# - The hours of the flights are UTC, and those of the cabs are local. Eight o'clock UTC is still night in New York. This may be one reason why so few flight numbers are seen in the eight hours.
# - The surrogate was calibrated to published statistics of the commuters, not to their traces. It puts the five periods in the same order as the paper does, but its losses for less than a week are smaller. We cannot say whether this is due to the attack or to the surrogate.
# ````

# %% [markdown]
# (kk-learning)=
# ## How many labelled groups does the attacker need?
#
# We return to prior 1 and groups of 50, and let the number of training groups grow. For each number of training groups we draw new test groups.

# %%
steps = sorted({20, 50, 100, 200, n_train})
learning = results(kk.learning, training_groups=steps)

# %% mystnb={"figure": {"name": "fig-kk-learning", "caption": "Mean AUC of logistic regression over 51 targets under prior 1 against the number of training groups. The mean rises with every step; the table says where the gain is significant."}, "image": {"alt": "Mean AUC of logistic regression against the number of training groups, a line for each dataset with intervals; it rises with the number of groups."}} tags=["hide-input"]
figures.show_learning(figures.mean_aucs(learning, ["data", "training groups"]), middle)

# %%
cabs = kk.learning.stored("cabspotting")
both = pd.concat([learning, cabs[~cabs["data"].isin(learning["data"])]])
gained = figures.gain_table(both, [(50, 100), (100, 200), (200, 400)])
plots.show_table(gained, "learning-gains")

# %% [markdown]
# *Mean gain in AUC, where each target is compared with itself; brackets are 95% intervals. The row for the cabs comes from stored results on the paper's data.*
#
# From 50 to 100 groups the attack improves for all three populations. From 100 to 200 groups, the attacks on cabs and aircraft still improve, although the interval for aircraft begins only just above 0. For flight numbers the result is inconclusive. For the cabs, further groups up to the paper's 400 bring no measurable gain.

# %% [markdown]
# (kk-best)=
# ## What is "the best classifier for each target" worth?
#
# The paper also reports BEST: for each target, it takes the classifier with the highest AUC *on the test groups*. An attacker cannot do this, because they do not know the answers. BEST is also **optimistically biased**: the largest of several noisy numbers tends to be too large. BEST is above 1/2
# even if nothing can be learned.
#
# How far above? A permutation test answers this as well. We permute the labels of the test groups and take the best classifier again. The mean AUC of this choice is the **chance level** of BEST:

# %%
chance = figures.floor_table(games)
plots.show_if_any(chance, "best-floor", "With one classifier there is no BEST.")

# %% [markdown]
# *Mean AUC over all group sizes and 51 targets.*
#
# The chance level is about 0.54 instead of 0.50. Where the signal is strong this does not matter. For aircraft under prior 2b it does. BEST reaches 0.62 there, and 0.55 if the labels are permuted. So about two fifths of its distance from 1/2 would be there without any signal.
#
# An attacker can choose a classifier honestly, by cross-validation on the groups that they know. BEST minus the AUC of this choice says how much BEST overstates a real attack. The difference is never negative, because BEST is the largest of the four AUCs. We report its
# mean and, in parentheses, its range over targets:

# %%
plots.show_table(figures.choice_table(results(kk.choices)), "choices")

# %% [markdown]
# *AUC under prior 1, groups of 50. "Blindly" is the mean over the classifiers, that is, what an attacker who picks one at random reaches on average. The differences are computed before rounding.*
#
# On average, BEST is higher than an honest choice by 0.04 for flight numbers and by 0.07 for aircraft. The ranges show that the difference depends strongly on the target: for one flight number it is 0.25, and for another it is 0.00. Seven targets are too few for a more precise statement.

# %% [markdown]
# (kk-found)=
# ## What the paper found, and what we found
#
# We repeated the paper's experiments with its 150 targets on its own cabs, and with a synthetic surrogate for its commuters. The figure shows the means that the paper states for the cabs, beside our stored results. The upper panel has the mean AUC of each classifier. The lower panel has the mean privacy loss under BEST. The paper plots this loss for every group size, but prints the mean for only some of them. The [chance level](kk-best) is the mean loss of BEST if the labels of the test groups are permuted.

# %% mystnb={"figure": {"name": "fig-kk-found", "caption": "The means that the paper prints for the cabs (stars), and ours over 150 targets (circles, with 95% intervals). Rows: prior, group size and, above, classifier. Above: mean AUC; dotted: guessing. Below: mean privacy loss under BEST; strokes: its chance level in our games. Most of our means are close to the paper's. The largest differences are under prior 2a in groups of 500."}, "image": {"alt": "Two panels with a row for each setting, and in each row a circle for our mean and, where the paper prints one, a star. Above: in most rows the star and the circle are at most 0.03 apart; for logistic regression under prior 2a in groups of 500 the star is at 0.52 and the circle at 0.66. Below: the circles are above the chance levels, which are between 0.06 and 0.11; under prior 2a in groups of 500 the star is at 0.20 and the circle at 0.34."}} tags=["hide-input"]
figures.show_found(kk.games.stored("cabspotting"))

# %% [markdown]
# The first table has all mean AUCs that the paper prints. The second has the losses that are discussed below:

# %%
of_cabs = kk.games.stored("cabspotting")
plots.show_table(figures.aucs_beside(of_cabs), "found")
losses_found = figures.best_losses_beside(of_cabs)
in_large_groups = losses_found.query("`group size` in (300, 500)")
plots.show_table(in_large_groups, "found-losses-discussed")
levels = losses_found["chance level"]
print(f"chance levels of all settings: from {levels.min()} to {levels.max()}")

# %% [markdown]
# *First table: mean AUC. Second table: mean privacy loss under BEST. Brackets are 95% intervals over 150 cabs. A dash marks a mean that the paper does not print. The chance level is that of our games. The folded table has the losses of all settings.*

# %% tags=["hide-input", "hide-output"]
plots.show_table(losses_found, "found-losses")

# %% [markdown]
# All four classifiers reproduce the AUCs under prior 1 in groups of ten to within 0.02. Of the twelve other AUCs, ten are higher than the paper's and two are equal to them. The largest difference is that of logistic regression under prior 2a in groups of 500: 0.66 against 0.52. The second largest is that of the random forest under prior 2a in groups of 100: 0.56 against "about 0.5". We do not know why our AUCs are higher, but the way in which the classifiers are scored may be part of the reason ({ref}`kk-score`). The [replication of Knock-Knock](replication/kk.ipynb) lists every number and every trend with its verdict.
#
# A loss must be compared with its chance level, which is between 0.06 and 0.11. In groups of 300 under prior 2b, the paper's mean loss is 0.12. The chance level of our games is 0.11 there, and four classifiers that guess independently have a mean loss of 0.12 on 100 test groups ({ref}`an exercise <kk-choosing>`). The paper's 0.12 is therefore no evidence of an attack. Our own loss there is a little above the chance level.
#
# One trend of the losses differs from the paper. Under both priors on the past, our loss falls as groups grow to 300 and is higher again at 500. A rise in itself is no surprise: two groups of 500 that are drawn from 534 cabs consist of nearly the same cabs, so the background varies little ([formula](kk-predict)). The paper reports such a rise under prior 2b. Under prior 2a, however, it says that the mean loss falls and that only some cabs lose more in groups of 500 than in groups of 300. Its mean loss in groups of 500 is 0.20, and ours is 0.34. We do not know why ours is so much larger.

# %% [markdown]
# (kk-riders)=
# ## Do these results hold for people?
#
# Flights and cabs are not people. **ValleyBike's riders** are people. They rented shared bikes in Massachusetts, each under a single pseudonym, and the bikes recorded their own positions {cite:p}`valleybike`. Tables call these data valleybike. A rider is seen only while riding. We take four weeks from 30 November 2020.
# The data are open, but not part of this book; all tables of this section are stored results. If you have the file, `load("valleybike")` reads it, and `make paper NAME="riders-games riders-sums"` computes the results again.

# %%
from lib.papers.foundations.data_cards import cards
from lib.papers.riders import experiments as riders

sizes_of = cards.stored(*riders.ALL_FOUR).set_index("data")
shown = ["users", "places", "median visits", "most visits", "median places"]
sizes = sizes_of[shown].astype(int).assign(recurrence=sizes_of["recurrence"].round(2))
plots.show_table(sizes, "riders-sizes")

# %% [markdown]
# Half of the riders make at most five visits in four weeks, and they repeat 3% of their visits a week later. (This is the *recurrence* over all weeks. For flight numbers it is 0.70 because of the [shifted first week](kk-length). From the second week on it is {ref}`0.96 <foundations-regularity>`. For aircraft the shift hardly matters: over all weeks their recurrence is 0.03, and from the second week on it is 0.04.) A cab makes thousands of visits, and a flight number dozens.
#
# The datasets also differ in their numbers of users, and what a group hides depends on how many others there are. For the comparison we therefore draw 171 users from each dataset.
#
# (kk-riders-sum)=
# ### Is a rider found by the sum over their cells?
#
# We evaluate the untrained sum on 45 targets of each population. All of them make at least four visits in the first week, which is the week of the release. As a *control*, we add up the cells of another user who is in none of the groups. "Alone" is the share of the target's cells that nobody else visits.

# %%
riders_sums = riders.sums.stored()
columns = {"AUC": "AUC", "TPR": "TPR at 1% FPR", "control": "AUC of the control"}
plots.show_table(
    plots.table(riders_sums, ["data", "group size"], columns, within=(0, 1)),
    "riders-sums",
)
once = riders_sums.drop_duplicates(["data", "target"])
habits = {"alone": "alone", "places again": "places again"}
plots.show_table(plots.table(once, ["data"], habits, within=(0, 1)), "riders-habits")
print(riders.sums.source(riders.RIDERS))

# %% [markdown]
# *95% intervals over targets. "Places again": the share of the places of the first week that the target visits again in the second, at any hour.*
#
# In groups of ten the sum has an AUC of 0.99 or more everywhere. In groups of a hundred it recognises on average 84% of the groups that contain a given rider, at a false positive rate of 1%, but only 38% of the groups that contain a given cab. Again the threshold is set for each target on the labelled groups. An attacker who has no such groups, and knows only the target's visits and the traces of some other people, identifies riders [far less often](audit-riders-audit). A hundred of 171 users is more than half of the population, so these groups are already past the size that [protects best](kk-predict).
#
# Cabs differ from the other three populations in how quiet their cells are. On average, 43% of a rider's cells contain nobody else, and only 1% of a cab's. As the [first chapter](foundations-quiet) found, cells with few other users reveal most. Riding little does not hide a rider. A plausible reason is that few others ride at the same hour in the same place.
#
# Among riders, flight numbers and aircraft, quiet cells cannot explain the order of the TPRs. About half of their cells contain nobody else in all three, but in groups of a hundred the TPR of flight numbers is the lowest. For flights, [the section on overlaps](kk-overlaps) gave a reason: the overlaps with a flight number are clumped.
#
# From groups of 50 to groups of 100, the AUC hardly changes. The [formula above](kk-predict) explains this. Here 100 users are more than half of the population, so the variance of the sum hardly grows:

# %%
n_others = 171 - 1
for m in (10, 50, 100):
    print(f"groups of {m}: variance {m * (n_others - m) / (n_others - 1):.1f} times s²")

# %% [markdown]
# The TPR, by contrast, does change. From groups of 50 to groups of 100 it *rises* for riders and flight numbers, as the differences of each target show:

# %%
from lib.papers import summaries

rise = summaries.differences(
    riders_sums, ["data"], "TPR", ["target"], "group size", 100, 50
)
table = summaries.texts(rise).rename("rise of the TPR").to_frame()
plots.show_table(table.rename(index=plots.label), "riders-rise")

# %% [markdown]
# *Mean over 45 targets of the TPR in groups of 100 minus the TPR in groups of 50, with 95% intervals.*
#
# The variance cannot explain a rise. It grows, which alone would lower the TPR. But the TPR at an FPR of 1% depends on how far the largest sums without the target lie above the mean, and so on the *shape* of the distribution. A change in the shape can explain a rise. {ref}`An exercise <kk-shape>` tests this explanation on the flights, and the test supports it for flight numbers. For riders this is not tested, because their traces are not part of this book. For cabs the TPR falls by 0.11, and we have not examined why.
#
# ### Does the past help against people who hardly repeat themselves?
#
# Now we evaluate the attack of the paper: logistic regression in groups of ten, under the three priors. The targets are another sample than above: 15 of each population, drawn from the users with at least four visits in the first week who also appear in the last week.

# %%
riders_games = riders.games.stored().query("attack != 'RF' and `group size` == 10")
plots.show_table(
    plots.table(riders_games, ["prior", "attack"], "AUC", "data", within=(0, 1)),
    "riders-games",
)

# %% [markdown]
# The past does help: with past counts of *other* groups (2b), logistic regression reaches a mean AUC of 0.82 against riders. Riders hardly ever return to a place at the same hour a week later, but they may return to it at other hours. The seven statistics forget the hours, so a classifier can profit from places alone.
#
# How often do these targets return to their places? The [table above](kk-riders-sum) has 41% for riders and 47% for aircraft, but it averages over 45 targets who need not be seen after the first week. The 15 targets here were required to appear in the last week, which favours riders who come back. For the targets who are in both samples, the share is stored:

# %%
both_samples = once.merge(riders_games[["data", "target"]].drop_duplicates())
returning = plots.table(
    both_samples, ["data"], {"places again": "places again"}, within=(0, 1)
)
returning["targets"] = both_samples.groupby("data")["target"].size()
plots.show_table(returning, "riders-returning")

# %% [markdown]
# *"Places again" as above, for the targets of the attack who are also among the 45 targets of the sum; brackets are 95% intervals.*
#
# The riders in both samples return to about two thirds of their places, and the aircraft to about a quarter. These are ten riders and eight aircraft, so the intervals are wide. In the larger sample the riders returned less often and the aircraft more often. We cannot tell whether the selection of targets or chance moved these shares. Returning to places is a plausible reason why other groups' past reveals riders, and why the AUC against aircraft is only 0.64.
#
# Returning is not enough, however. In the [larger sample](kk-riders-sum), cabs return to 91% of their places. Yet the attack has an AUC of only 0.68 against them. A cab visits most places of the city, but so does every other cab.
#
# Are riders really easier to recognise than aircraft, or is this chance? The two intervals of the AUC overlap, but that does not answer the question. We need an interval for the *difference* of the two means:

# %%
past = riders_games.query("prior == '2b different groups' and attack == 'LR'")
aucs_of = dict(iter(past.groupby("data")["AUC"]))
low, high = metrics.difference_interval(
    aucs_of["valleybike"], aucs_of["flights-by-tail"]
)
above = aucs_of["valleybike"].mean() - aucs_of["flights-by-tail"].mean()
print(f"riders minus aircraft, prior 2b: {above:.2f} [{low:.2f}, {high:.2f}]")

# %% [markdown]
# *95% interval (Welch's, as above), 15 targets of each population.*
#
# The interval begins only just above 0, and this is one of many comparisons that the table allows. So this is weak evidence that riders who come back are easier to recognise than aircraft. Their return to the same places is not the only possible reason, because the populations differ in other ways as well. Riders make fewer visits, and spread over 240 places instead of 107, so fewer other people are counted at a place. We have not tested which of the differences matters.
#
# The chapter [](audit_further.ipynb) looks at the [same riders](audit-riders) with the other attacks of this book. It asks how many riders are identified from noisy or suppressed counts, whether a rider can be located, and whether the trajectories of all riders can be recovered from the counts alone.
#
# ````{admonition} How riders differ from cabs and flights, and what this does not show
# :class: note
# - Riders seldom return to a place at the same hour a week later, but they do return to some of their places. In this respect they resemble aircraft but differ from flight numbers and from the papers' commuters, both of which repeat their hours as well.
# - A bike ride is a small part of a day. Results for riders do not tell us what counts of mobile phones reveal: the owner of a phone is counted at every hour, a rider only while riding.
# - The targets are active riders, with at least four visits in one week. The area and its squares of about 2 km are our choice; smaller squares would be emptier.
# ````

# %% [markdown]
# ## Take-aways
#
# - In groups of ten, the random forest, which is the best of the four trained classifiers there, reaches a mean AUC of 0.95 under prior 1. As groups grow, all four weaken quickly.
# - A sum over the target's cells, which needs no training, beats them at every size. A trained attack is not automatically a strong attack.
# - Larger groups do protect better against the sum, but the protection grows only slowly. It is weakest if the overlaps of other users with the target vary little. For given sizes of the group and of the population, three numbers about a target predict how well the group hides it from the sum: the target's visits, and the mean and standard deviation of other users' overlap with them. A group of more than half of the population protects less again.
# - How well a large group protects its members depends on the attack.
# - Success depends on the prior knowledge. Against flight numbers, which are regular, a classifier does best with past counts of the *same* groups. Against aircraft, which are irregular, it does best in small groups with traces of the same week.
# - Under prior 2a, recognising the group is enough to explain the success of logistic regression and of the forest in groups of 100, where we tested it: we find no difference between random and true labels.
# - The sum also recognises whether a group contains a given bike rider. In groups of a hundred its mean AUC is 0.97. The share of groups that it recognises with few false alarms depends on how the threshold is set. With the best threshold for each target, it recognises 84% of the groups that contain a given rider. The share is [much smaller](audit-riders-audit) for an attacker who knows only the target's visits and the traces of some other people.
# - What about the hospital of the opening? Somebody who knows where Ada was in the released hours need not train anything. They add up the counts at her places and hours. The patients of a hospital are not a random group, so the numbers of this chapter do not carry over to them. But that a table contains no names, and that a group is large, is not enough to hide Ada.
# - Even on pure noise, the mean AUC of BEST is above 1/2. Compare it with its chance level, or do not report it.
# - The authors hope that such attacks will be used to test a release *before* it is published. The chapter on [protected counts](knock_knock_defenses.ipynb) does so for noisy releases.

# %% [markdown]
# ## Exercises
#
# ```{exercise} Distances by hand (★, 10 minutes)
# :label: kk-by-hand
# Use a pencil. For each group, add up how often each place was visited, over all hours and both members. Do this for the released group Eve + Dan, and for two groups that the attacker knows, Ada + Dan and Ada + Cleo. This gives four numbers for each group. Which of the two known groups is nearer to the released one, by the Euclidean distance between the numbers? Use the traces of
# {numref}`fig-six` in the first chapter.
# ```

# %% [markdown]
# ````{solution-start} kk-by-hand
# :class: dropdown
# ````

# %%
by_hand = [("Eve", "Dan"), ("Ada", "Dan"), ("Ada", "Cleo")]
visits = count(by_hand).sum(axis=2)
print(pd.DataFrame(visits, map(" + ".join, by_hand), list(six.rois.index)))
near = np.sqrt(((visits[1:] - visits[0]) ** 2).sum(axis=1))
print(f"distance to Ada + Dan {near[0]:.2f}, to Ada + Cleo {near[1]:.2f}")

# %% [markdown]
# *Learned:* even one number for each place can be enough. Ada and Cleo never visit the park and spend much of their time at home and in the office, so their group is far from the group of Eve and Dan.
#
# ````{solution-end}
# ````
#
# ```{exercise} A permutation test by hand (★, 10 minutes)
# :label: kk-permutation
# Use a pencil and the [table of distances](kk-recognises) between Tuesday's and Monday's counts of four groups. The attacker gives each group of Tuesday the label of the nearest group of Monday. Two of the four groups contain Dan. How large is the AUC for these labels?
# There are six ways to label two of the four groups with 1. What is the mean AUC over all six? What would the mean AUC be for an attacker who picks one of Monday's groups at random? What is the p-value of the true labels? Could other labels have a smaller p-value with this table? And what is the smallest p-value that such a test of four groups can give, whatever the distances are?
# ```

# %% [markdown]
# ````{solution-start} kk-permutation
# :class: dropdown
# ````

# %%
nearest = far.argmin(axis=1)  # for each group of Tuesday, the nearest of Monday
print("nearest to Tuesday's groups:", *[labelled[i] for i in nearest], sep="\n  ")
aucs_of_labels = {}
for labelled_one in combinations(range(4), 2):
    labels = np.isin(range(4), labelled_one).astype(int)
    aucs_of_labels[labelled_one] = metrics.auc(labels, labels[nearest])
    print("labels", labels, "AUC", aucs_of_labels[labelled_one])
print(f"mean over all labels: {np.mean(list(aucs_of_labels.values())):.2f}")
at_least = np.array(list(aucs_of_labels.values())) >= aucs_of_labels[2, 3]
print(f"p-value of Dan's labels: {at_least.sum()} of {len(at_least)}")
complement = [tuple(set(range(4)) - set(pair)) for pair in aucs_of_labels]
alike = [aucs_of_labels[pair] for pair in complement] == list(aucs_of_labels.values())
print("exchanging all labels leaves the AUC the same:", alike)


def smallest_p_value(nearest_groups):  # that of the labels with the highest AUC
    aucs = []
    for pair in combinations(range(4), 2):
        labels = np.isin(range(4), pair).astype(int)
        aucs.append(metrics.auc(labels, labels[list(nearest_groups)]))
    return aucs.count(max(aucs)), len(aucs)


print("smallest p-value with this table: {} of {}".format(*smallest_p_value(nearest)))
every_table = product(range(4), repeat=4)  # each group's nearest group, in all ways
smallest = min(smallest_p_value(each) for each in every_table)
print("smallest p-value with any table: {} of {}".format(*smallest))
print("an example: {} of {}".format(*smallest_p_value([1, 0, 3, 2])))

# %% [markdown]
# *Learned:* the labels of Dan have an AUC of 0.75, but so do three of the other five labelings. The p-value is therefore 4/6, and the permutation test finds no evidence that *Dan* was recognised. No other labels have a smaller p-value with this table, because 0.75 is the highest AUC and four labelings reach it.
#
# With other distances the p-value can be smaller, but it is never below 2/6. If every 0 becomes a 1 and every 1 becomes a 0, the AUC stays the same. So the true labels always share their AUC with at least one other labeling. The p-value is 2/6 in the following example: on Tuesday, the first group is nearest to the second of Monday and the second to the first, and the same holds for the third and the fourth. Then only the labels 1100 and 0011 have an AUC of 1. Even this p-value is no evidence. A permutation test needs many more groups.
#
# An attacker who picks one of Monday's four groups at random is right for one group on average, and has a mean AUC of 1/2 over all labelings. Here the mean is 0.67, because two of the four *groups* are recognised.
#
# ````{solution-end}
# ````
#
# ```{exercise} How large must a group be? (★, 10 minutes)
# :label: kk-needed
# Use a pencil and the [formula](kk-predict) for the AUC of the sum. A flight number with average values has $v - \mu = 10.8$ and $s = 0.66$, and an aircraft with average values has $v - \mu = 9.8$ and $s = 0.25$. Assume that the population is so large that the finite-population correction is 1. How large must a group be for the AUC to fall to 0.6? You need $\Phi(0.253) = 0.6$. First guess: are a few hundred users enough?
# ```

# %% [markdown]
# ````{solution-start} kk-needed
# :class: dropdown
# ````
#
# We need $(v - \mu) / (s \sqrt{2m}) = 0.253$, so $m = \tfrac12 \bigl((v - \mu) / (0.253\, s)\bigr)^2$.

# %%
print(f"solves Phi(x) = 0.6: x = {norm.ppf(0.6):.3f}")
print(f"quotient of the two s: {0.66 / 0.25:.2f}, squared {(0.66 / 0.25) ** 2:.2f}")
print(f"quotient of the two v - μ: {9.8 / 10.8:.2f}, squared {(9.8 / 10.8) ** 2:.2f}")
print(f"product of the two squares: {(0.66 / 0.25 * 9.8 / 10.8) ** 2:.1f}")
for each, raised, spread in (("flight number", 10.8, 0.66), ("aircraft", 9.8, 0.25)):
    needed = 0.5 * (raised / (norm.ppf(0.6) * spread)) ** 2
    print(f"{each}: groups of about {needed:,.0f}")

others = populations[name].n_users - 1
variances = [k * (others - k) / (others - 1) for k in (299, 300)]
for each, raised, spread in (("flight number", 10.8, 0.66), ("aircraft", 9.8, 0.25)):
    at_means = norm.cdf(raised / (spread * np.sqrt(sum(variances))))
    print(f"{each} with average values, groups of 300 of 1,054: {at_means:.3f}")
lowest = predictions.groupby(["data", "group size"])["predicted"].mean().groupby("data")
print("lowest predicted mean AUC:", lowest.min().round(3).to_dict())

# %% [markdown]
# *Learned:* a few hundred users are not enough. A group must have thousands of members before the sum is near guessing. The size depends on how widely the overlaps are spread: it is proportional to $1/s^2$. The two values of $s$ differ by a factor of 2.64, whose square is nearly 7. The two sizes differ by a factor of only 5.7, because the aircraft also has the smaller $v - \mu$. The population of 1,054 is too small for such groups: there, the mean AUC of flight numbers never falls below 0.77.
#
# The answers are for targets with average values. The mean of the AUCs is not the AUC at the mean values, because the formula is not linear in $v$, $\mu$ and $s$. In groups of 300 of the 1,054 aircraft, for example, the formula gives 0.971 for average values, and the [table](kk-predict) has a mean of 0.944.
#
# ````{solution-end}
# ````
#
# ```{exercise} The largest group (★, 10 minutes)
# :label: kk-largest
# With $N$ users and groups of $m = N - 1$, how many distinct groups are there with and without the target? Count them for the six people. Is a balanced game possible? What can the attacker do under prior 2a?
# ```

# %% [markdown]
# ````{solution-start} kk-largest
# :class: dropdown
# ````

# %%
largest = list(combinations(range(6), 5))
print("with Ada:", sum(0 in group for group in largest), "- all:", len(largest))

# %% [markdown]
# There are $N - 1$ groups with the target, each without one of the others, and a single group without the target. A balanced game of distinct groups is impossible. Only one group lacks the target, and under prior 2a the attacker knows its past counts. It differs from each of the other groups by a single trace. The attacker recognises it if all users repeat their weeks and no other user has the target's trace. For Ada the second condition fails:

# %%
without = {name: count([[o for o in six.users if o != name]])[0] for name in six.users}
same_as_without_ada = [
    name for name, counts in without.items() if np.array_equal(counts, without["Ada"])
]
print("groups with the same counts as the group without Ada, named by who is missing:")
print(*same_as_without_ada)

# %% [markdown]
# The group without Ada and the group without Ben have the same counts, because Ada and Ben have the same trace. No attacker can tell these two groups apart, even if everybody repeats their weeks.
#
# *Learned:* groups of this size consist of nearly the same people, so the variance of the sum is close to 0 ([formula](kk-predict)). The paper calls this a somewhat "artificial" regularity and uses it to explain why under prior 2a some cabs lose more at $m = 500$ (of 534 cabs) than at 300.
#
# ````{solution-end}
# ````
#
# ```{exercise} Why does the TPR rise? (★★, 30 minutes)
# :label: kk-shape
# From groups of 50 to groups of 100 of 171 users, the TPR of flight numbers rises, although the variance of the sum grows ([table](kk-riders-sum)). Can the *shape* of the distribution explain this? Compute the skewness of a sum of $k$ of $n$ overlaps from that of one overlap. The third central moment of the sum is $\frac{k\,(n - k)\,(n - 2k)}{(n - 1)(n - 2)}$ times that of one overlap. Check your formula on the overlaps with Ada. Then draw groups without the target from 171 flight numbers and from 171 aircraft. How far does the threshold for an FPR of 1% lie above the mean?
# ```

# %% [markdown]
# ````{solution-start} kk-shape
# :class: dropdown
# ````
#
# In sparse data, most users share no cell with the target and a few share many. The overlap is then skewed: it has a long tail of large values. Dividing the third central moment of the sum by $V_k^{3/2}$ gives its skewness. It is that of one overlap, multiplied by
#
# $$ \frac{n - 2k}{n - 2} \sqrt{\frac{n - 1}{k\,(n - k)}}. $$
#
# The factor is 0 if exactly half of the users are drawn. We check it on all sums of one to four of the five overlaps with Ada, whose twin Ben has by far the largest:

# %%
from scipy.stats import skew


def skewness_factor(k, n):
    return (n - 2 * k) / (n - 2) * np.sqrt((n - 1) / (k * (n - k)))


overlap = overlap_with["Ada"]
for k in range(1, 5):
    all_sums = [sum(drawn) for drawn in combinations(overlap, k)]
    print(f"sums of {k}: skewness {skew(all_sums):.3f}", end=", ")
    print(f"by the formula {skewness_factor(k, len(overlap)) * skew(overlap):.3f}")

# %% [markdown]
# The two agree. For 170 other users, as for the riders, the factors are:

# %%
for m in (10, 50, 100):
    factor = skewness_factor(m, n_others)
    print(f"groups of {m}: skewness {factor:.2f} times that of one overlap")

# %% [markdown]
# In groups of 100 the factor is slightly negative, because more than half of the users are counted. Whether such factors matter depends on how skewed one overlap is. We test this on the targets of the [table of riders](kk-riders-sum) among the 171 flight numbers and the 171 aircraft. Targets whom nobody meets are left out, because their sum never varies. We also print how far a small skewness alone would move the threshold. This is the first correction of the Cornish-Fisher expansion, which adds $(z^2 - 1)/6$ times the skewness to the normal quantile $z$:

# %%
shuffles, rows = np.random.default_rng(seed), []
for data in ("flights-by-number", "flights-by-tail"):
    drawn = riders.population(data)
    week = drawn.select(epochs=np.asarray(kk.weeks(drawn)[0]))
    for user in riders_sums.loc[riders_sums["data"] == data, "target"].unique():
        overlap = week.matrix @ week.matrix[[user]].toarray().ravel()
        overlap = np.delete(overlap, user)
        shuffled = shuffles.permuted(np.tile(overlap, (2000, 1)), axis=1)
        for m in (50, 100) if overlap.any() else ():
            background = shuffled[:, :m].sum(axis=1)
            above = np.quantile(background, 0.99) - background.mean()
            about = {"one overlap, skewness": skew(overlap)}
            about |= {"sum, skewness": skew(background)}
            about |= {"sum, standard deviation": background.std()}
            about |= {"threshold above the mean": above}
            about |= {"in standard deviations": above / background.std()}
            rows.append({"data": data, "group size": m, "target": user} | about)
shapes = pd.DataFrame(rows)
of_shapes = shapes.drop(columns="target").groupby(["data", "group size"]).mean()
plots.show_table(of_shapes.map("{:.2f}".format), "riders-shapes")
print("targets:", shapes.groupby("data")["target"].nunique().to_dict())
normal = norm.ppf(0.99)
print(f"99% quantile, in standard deviations, of a normal distribution: {normal:.2f}")
for skewness in (0.48, -0.19):
    at = normal + (normal**2 - 1) / 6 * skewness
    print(f"with a skewness of {skewness}, by the first correction: {at:.2f}")

# %% [markdown]
# *Means over the targets. "Threshold above the mean": the 99% quantile of the sum without the target minus its mean, in visits.*
#
# The test supports the explanation for flight numbers. The skewness of the sum falls from 0.48 to $-0.19$: the long tail of large sums is gone. The standard deviation grows a little, but the threshold comes closer to the mean, from 9.74 to 7.80 visits. So more groups with the target exceed it. For aircraft the shape changes in the same direction, but their TPR is 0.97 in groups of 50 already and can hardly rise.
#
# Is skewness all that matters? In standard deviations, the threshold falls from 2.38 to 1.72. The correction gives a fall as well, but from 2.68 to 2.19. So skewness explains the direction and much of the fall, but both thresholds are lower than it predicts. Other features of the shape matter, too, and we have not examined which.
#
# *Learned:* two sums can have almost the same variance and very different thresholds for a small FPR.
#
# For riders and cabs, the skewness of one overlap is not stored. The factors are the same for them, so we expect that the same explains the rise for riders, but we have not tested it. The sums are small whole numbers, so the threshold and the TPR of a single target move in steps.
#
# ````{solution-end}
# ````
#
# ```{exercise} Redundant features (★★, 15 minutes)
# :label: kk-redundant
# Which of the seven statistics can be computed from which others? Show it on the counts of `task`. Then look at the stored results of an attack that uses *one* statistic at a time, without elimination (prior 1, groups of 50): are all seven needed? And why do the mean and the sum not have the same AUC?
# ```

# %% [markdown]
# ````{solution-start} kk-redundant
# :class: dropdown
# ````

# %%
column = {each: train[:, i::7] for i, each in enumerate(names)}
n_hours = task.train.shape[2]
print("sum is mean x hours:", np.allclose(column["sum"], column["mean"] * n_hours))
print("variance is std squared:", np.allclose(column["var"], column["std"] ** 2))
alone = kk.statistics.stored("flights-by-number", "flights-by-tail")
by_statistic = plots.table(alone, ["statistic"], "AUC", "data", within=(0, 1))
plots.show_table(by_statistic, "statistics")

# %% [markdown]
# The standard deviation alone is as good as all seven statistics with elimination. The minimum and the median are useless in sparse data, because they are nearly always 0.
#
# The mean and the sum contain the same information, but they do not have the same AUC: for aircraft the mean has 0.61 and the sum 0.70. The reason is the *penalty* on large weights, which scikit-learn's logistic regression adds to the loss function. The mean is the sum divided by 168, so it needs weights that are 168 times as large, and the penalty keeps them small. If the penalty is weakened to match, the two must agree. We check this on our one game. In scikit-learn, `C` is the inverse of the penalty's strength:

# %%
for statistic, inverse in (("sum", 1), ("mean", 1), ("mean", n_hours**2)):
    model = LogisticRegression(C=inverse, tol=1e-8, solver="newton-cholesky")
    model.fit(column[statistic], task.train_members)
    of_test = model.decision_function(test[:, names.index(statistic) :: 7])
    auc = metrics.auc(task.test_members, of_test)
    print(f"{statistic}, C = {inverse}: AUC {auc:.3f}")

# %% [markdown]
# In this game, one flight number in groups of ten, the strong penalty even helps. For aircraft in groups of 50 it harms.
#
# The variance and the standard deviation also contain the same information, and their AUCs lie further apart: for aircraft they are 0.60 and 0.72. Here the penalty cannot be the only reason. The model adds up its features, each multiplied by a weight. A weighted sum of variances is another function of the counts than a weighted sum of standard deviations, whatever the weights are.
#
# *Learned:* more features do not always bring more information. If a model is penalised, the result depends on the units in which its features are measured. If a model adds up its features, the result also depends on their form.
#
# ````{solution-end}
# ````
#
# ```{exercise} Guessing, but choosing (★, 10 minutes)
# :label: kk-choosing
# Four classifiers guess at random on 100 test groups, 50 of them with the target. What is the mean AUC of the best of the four? Simulate it.
# ```

# %% [markdown]
# ````{solution-start} kk-choosing
# :class: dropdown
# ````

# %%
guesses = np.random.default_rng(seed)
labels = np.repeat([1, 0], 50)
bests = [
    max(metrics.auc(labels, guesses.normal(size=100)) for _ in range(4))
    for _ in range(500)
]
low, high = metrics.mean_interval(bests)
print(
    f"mean AUC of the best of four guesses: {np.mean(bests):.3f} [{low:.3f}, {high:.3f}]"
)
print(f"mean privacy loss: {metrics.privacy_loss(np.array(bests)).mean():.2f}")

# %% [markdown]
# *Learned:* the maximum of noisy numbers is biased upwards. The bias is larger if there are more classifiers, and smaller if there are more test groups. Real classifiers are correlated, so the chance level in the chapter is a little lower.
#
# ````{solution-end}
# ````
#
# ```{exercise} Loss of the mean, mean of the losses (★, 5 minutes)
# :label: kk-mean-loss
# Why can a population with a mean AUC of 0.5 have a positive mean privacy loss? Give the smallest example.
# ```

# %% [markdown]
# ````{solution-start} kk-mean-loss
# :class: dropdown
# ````

# %%
two = np.array([0.4, 0.6])
print(f"mean AUC {two.mean():.1f}, mean loss {metrics.privacy_loss(two).mean():.1f}")

# %% [markdown]
# *Learned:* a negative loss is set to 0 for each target, so an attacker's bad luck with one target does not cancel good luck with another. A mean loss above 0 is therefore not, by itself, evidence of a successful attack.
#
# ````{solution-end}
# ````
#
# ```{exercise} The twin (★★, proof, 15 minutes)
# :label: kk-twin
# Ada and Ben have the same trace. Consider all twenty groups of three of the six people. The sum over Ada's cells has an AUC of 0.82 there ([computed above](kk-predict)). Could a better attack be found? Compute the largest AUC that any attack on Ada can have, if what the attacker knows does not depend on which group is released.
# ```

# %% [markdown]
# ````{solution-start} kk-twin
# :class: dropdown
# ````
#
# Of the ten groups with Ada, four also contain Ben and six do not. Of the ten groups without Ada, six contain Ben and four do not. Replacing Ada by Ben turns each of the six groups with Ada alone into one of the six with Ben alone, and the counts stay the
# same. A score that depends only on the counts therefore takes the same six values in both sets, and the AUC among these 36 pairs is 1/2, whatever the score is. In the best case the attack wins all of the other 64 pairs. The AUC is then $(64 + 18) / 100 = 0.82$. The sum reaches this bound. We check that each of the six groups with Ada alone has the same counts as one with Ben alone:

# %%
threes = list(combinations(six.users, 3))
of_threes = {group: count([group])[0] for group in threes}
with_ada = [group for group in threes if "Ada" in group and "Ben" not in group]
with_ben = [group for group in threes if "Ben" in group and "Ada" not in group]
same_counts = [
    any(np.array_equal(of_threes[a], of_threes[b]) for b in with_ben) for a in with_ada
]
print(f"{sum(same_counts)} of {len(with_ada)} have the same counts as one with Ben")

# %% [markdown]
# *Learned:* no attack can find what the counts do not contain. If an attack is far below such a bound, a better attack may exist; if it reaches the bound, none does.
#
# ````{solution-end}
# ````
#
# ```{exercise} What are the hours worth? (★★, 20 minutes)
# :label: kk-sum
# The sum beats the classifiers, which forget the hours. Make the sum forget them as well. For both populations and every group size, compare the sum over the target's *cells* with the sum over all hours of the target's *places*. How much is left? Compare it with the four classifiers in `games`, which forget the hours, too.
# ```

# %% [markdown]
# ````{solution-start} kk-sum
# :class: dropdown
# ````

# %%
rows = []
for data, each in populations.items():
    for who in kk.targets(each, own[data]["n_per_third"], seed):
        for number in own[data]["subset_sizes"]:
            first_week, share = kk.weeks(each)[0], own[data]["alpha"]
            rng = stream(seed, "kk-games", data, who, kk.PRIORS[0], number)
            asked = game.subset_task(
                each, who, share, number, first_week, rng, n_train, n_test
            )
            visited = each.trace(each.users[who])[:, first_week]
            at_places = asked.test[:, visited.any(axis=1)].sum(axis=(1, 2))
            by = {
                "sum over cells": (asked.test * visited).sum(axis=(1, 2)),
                "sum over places": at_places,
            }
            for summed, values in by.items():
                auc = metrics.auc(asked.test_members, values)
                row = {"data": data, "attack": summed, "group size": number}
                rows.append(row | {"AUC": auc, "target": who})
under_prior_1 = games[games["prior"] == kk.PRIORS[0]]
columns = ["data", "target", "group size"]
trained = under_prior_1.melt(columns, classifiers, "attack", "AUC")
on_same = pd.concat([pd.DataFrame(rows), trained]).sort_values("data", kind="stable")
hours = plots.table(on_same, ["data", "attack"], "AUC", "group size", within=(0, 1))
plots.show_table(hours, "sum-places")

# %% [markdown]
# All attacks scored the same test groups of the same targets, so we can average the difference of the two AUCs of each target:

# %%
above_places = {
    each: summaries.texts(
        summaries.differences(
            on_same,
            ["data", "group size"],
            "AUC",
            ["target"],
            "attack",
            each,
            "sum over places",
        )
    )
    for each in classifiers
}
above_places = pd.concat(above_places, names=["attack"]).unstack("group size")
plots.show_table(
    above_places.swaplevel()
    .sort_index(level=0, sort_remaining=False)
    .rename(index=plots.label),
    "above-places",
)

# %% [markdown]
# *Mean AUC of the classifier minus that of the sum over places, with 95% intervals over targets.*
#
# *Learned:* without the hours, the sum loses most of its lead over guessing in groups of 50 and of a hundred, for flight numbers and for aircraft. The random forest has a significantly higher mean AUC than the sum over places everywhere, although that sum is given the target's places and the forest must learn them. The same holds for logistic regression, except that the comparison is inconclusive for flight numbers in groups of a hundred. The neural network has a higher mean AUC only for aircraft, and kNN nowhere. So the sum needs the hours to outperform the forest. The experiment does not show whether a classifier that is given the hours would catch up. An attack that discards the hours starts with a handicap. The chapter on [zero auxiliary knowledge](zero_knowledge.ipynb) builds a complete attack from the target's trace alone.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write the matching attack (★★, 40 minutes)
# :label: kk-matching
# Attack both kinds of flights under prior 2a by looking up groups, as we did with the six people. Compare each released group with the counts of the last known week. Find the nearest group with the target and the nearest group without. Use groups of `length_size` and a few targets. How often is the nearest known group the released group itself? Then discard the hours: compare only the totals of the places. Does this help or harm?
# ```

# %% [markdown]
# ````{solution-start} kk-matching
# :class: dropdown
# ````

# %%
from scipy.spatial.distance import cdist

rows = []
for data, each in populations.items():
    m = own[data]["length_size"]
    for who in kk.targets(each, min(6, own[data]["n_per_third"]), seed):
        rng = stream(seed, "kk-matching", data, who, m)
        again = kk.task(each, who, "2a same groups", m, rng, beta_same=beta_same)
        late = again.train[again.train_units == again.train_units.max()]  # last week
        n, is_in = len(late), again.test_members == 1
        compared_by = {
            "counts of every hour": (again.test.reshape(n, -1), late.reshape(n, -1)),
            "totals of the places": (again.test.sum(axis=2), late.sum(axis=2)),
        }
        for by, (of_release, of_known) in compared_by.items():
            d = cdist(of_release, of_known, "cityblock")
            margin = d[:, ~is_in].min(axis=1) - d[:, is_in].min(axis=1)
            row = {"data": data, "compared by": by}
            row["AUC"] = metrics.auc(again.test_members, margin)
            row["groups recognised"] = (d.argmin(axis=1) == np.arange(n)).mean()
            rows.append(row)
looked_up = {"AUC": "AUC", "groups recognised": "groups recognised"}
matched = plots.table(
    pd.DataFrame(rows), ["data", "compared by"], looked_up, within=(0, 1)
)
plots.show_table(matched, "matching")

# %% [markdown]
# *Means over 18 targets of each population, with 95% intervals. "Groups recognised": the share of released groups whose nearest known group is the same group. By chance this is 0.01, because there are 100 known groups.*
#
# *Learned:* if weeks are alike, prior 2a needs no learning at all. The attack is a lookup, and it recognises every group of flight numbers.
#
# Aircraft do not repeat their weeks. If the counts of every hour are compared, the lookup recognises 5% of their groups. The totals of the places forget the hours, and with them it recognises 20%. So the places of a group of aircraft are more stable than its hours, and here it *helps* to discard the hours. Under prior 1 the opposite was true: the [sum](kk-sum-baseline) needs the hours, because the attacker knows those of the released week.
#
# The AUC with the totals is 0.62 although only a fifth of the groups are recognised. If the nearest known group is another group, its label is right in about half of the cases by chance.
#
# ````{solution-end}
# ````
#
# ```{exercise} Perfect timetables (★★, proof, 15 minutes)
# :label: kk-proof
# Suppose that every user does exactly the same every week, and that no two groups have the same counts. Show that under prior 2a there is an attack with AUC 1 for *any* labels of the groups, even random ones. What does the attack need to know about the target?
# ```

# %% [markdown]
# ````{solution-start} kk-proof
# :class: dropdown
# ````
#
# The counts of a group are the sum of the traces of its members, and these are the same in every week. The released counts of a group therefore equal its past counts, and those of no other group. The attack looks up the release among the past counts and answers with the label that
# it finds there: 1 for groups labelled 1, and 0 for the others. Every group labelled 1 scores above every group labelled 0, so the AUC is 1. The attack needs to know nothing about the target, because the labels contain all the information.
#
# *Learned:* a perfect score does not say what was recognised. A control does.
#
# ````{solution-end}
# ````
#
# ```{exercise} A prior of your own (★★★, an evening)
# :label: kk-project
# Invent a prior between 2a and 2b: past counts of groups that share *half* of their members with the released ones. Write the task (use `different_groups_task` in `lib/membership/game.py` as a model). Evaluate it on both kinds of flights, and plot the AUC against the share of members that the groups have in
# common. *A good answer* reports intervals over targets, includes a control with random labels, and says in one sentence which real situation the prior describes.
# ```

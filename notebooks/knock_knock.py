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
# Knock-Knock {cite:p}`pyrgelis2018knock` was, by its own account, the first study of this question for aggregate location counts. It treats **membership inference** as a classification problem. The attacker collects counts of groups with Ada and counts of groups without her, and trains a classifier to tell the two kinds apart. The attacker then applies the classifier to the counts that the hospital publishes.
#
# This chapter builds the attack, measures how often it succeeds, and compares it with a much simpler attack. After this chapter you can
#
# - describe the membership game and three kinds of prior knowledge, and explain how much each kind helps against different targets and with different attacks;
# - build the attack yourself: compute seven statistics, eliminate features, train a classifier, and measure its success by the AUC ([defined below](kk-game));
# - compare a trained attack with an untrained baseline, and explain how far a large group protects its members;
# - use random labels, the idea behind a permutation test, to find out *what* a classifier has recognised;
# - explain why "the best classifier for each target" looks better than it is.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figure to remember:* {numref}`fig-kk-priors`.
#
# *Two questions for a class, and the answers to expect:*
#
# - An attack labels every group correctly. What might it have recognised, other than the target? *The group itself, if the attacker saw the same group in an earlier week.*
# - A trained classifier fails. Is the release safe? *Not necessarily. In groups of a hundred, a simple sum succeeds where all four classifiers do poorly ({numref}`fig-kk-attacks`).*
#
# *Three common mistakes:*
#
# - Evaluating an attack on the groups that it was trained on. ({ref}`An exercise <kk-training>` shows how misleading this is.)
# - Concluding from a higher AUC under prior 2a that past counts of the *same* groups tell the attacker more about the target than past counts of *other* groups (prior 2b). Under prior 2a the attacker need not learn anything about the target, because recognising the group is enough.
# - Concluding from a failed classifier that a release is safe.
#
# *To prepare:* allow about three hours. Read the chapter up to [how large a group must be](kk-large-groups), then the formula and the overlaps, then [what prior 2a recognises](kk-recognises) and [the best classifier](kk-best). Everything under [further reading](kk-further) can wait.
#
# *Material:* this chapter has slides with speaker's notes, which are linked at its head, and a quiz, which comes before the exercises. The lab is *Build Knock-Knock* (`make lab LAB=knock_knock`). The minutes in the plans are our estimates.
#
# **In two lectures of ninety minutes**
#
# The first lecture builds the attack and compares it with a simple sum of counts, which needs no training. Set {ref}`kk-by-hand` as homework before it.
#
# | minutes | the first lecture | show | slides |
# |---|---|---|---|
# | 10 | [the game and the three priors](kk-game); after five minutes, let the class vote: is prior 2a or prior 2b more dangerous for the target? | {numref}`fig-kk-game` | 1, 2 |
# | 25 | [six people](kk-six): let the class compute one distance and the three scores | the [table of distances](kk-six-distances), and then the scores | 3 |
# | 20 | [the four steps on real traces](kk-build) | the statistics of one place, {numref}`fig-kk-scores` | 4, 5 |
# | 15 | [group size and prior knowledge](kk-sizes) | {numref}`fig-kk-priors` | 6 |
# | 10 | [the simple sum](kk-sum-baseline) | {numref}`fig-kk-attacks` | 7 |
# | 10 | questions and slack | | |
#
# The second lecture asks what the results mean.
#
# | minutes | the second lecture | show | slides |
# |---|---|---|---|
# | 10 | [how large a group must be](kk-large-groups) | {numref}`fig-kk-sum-sizes` | 8 |
# | 20 | [the formula for the sum](kk-predict), and the flight number of part (a) of {ref}`kk-needed` in pairs (5 minutes); omit the check of the correction and the errors of single targets | {numref}`fig-kk-predicted` | 9 |
# | 10 | [why the sum varies more around a flight number](kk-overlaps) | {numref}`fig-kk-overlaps` | |
# | 25 | [what prior 2a recognises](kk-recognises), with part (a) of {ref}`kk-permutation` in pairs (10 minutes); then return to the vote of the first lecture, and write on the board what each prior asks for: "2a: recognise the group; 2b: recognise the person; 1: know the person's week" | the table of Monday and Tuesday, {numref}`fig-kk-recognised`, and then the table of true and random labels | 10 |
# | 15 | [the best classifier and its chance level](kk-best) | the table of BEST | 12 |
# | 10 | questions and slack | | 14 |
#
# As homework, set the rest of the two exercises, and {ref}`kk-permutation-all`, which continues the second.
#
# If you have only one lecture, spend 10 minutes on the game and 15 on the six people. Then take 10 minutes for the four steps, and show only the seven statistics of one place and {numref}`fig-kk-scores`. Spend 15 minutes on {numref}`fig-kk-priors`, 10 on the simple sum, and 20 on [what prior 2a recognises](kk-recognises), without the exercise. This leaves 10 minutes for questions. Set the rest as reading.
#
# Neither plan uses the sections on [few false alarms](kk-cautious) and [regular users](kk-regularity) (slide 11). Nor do the plans use the sections under [further reading](kk-further): shorter releases, the number of labelled groups, the paper's own results (slide 13), and riders. The rest of the chapter refers to these sections only for their results.
# ````

# %% [markdown]
# (kk-game)=
# ## The game, and what the attacker knows
#
# Knock-Knock defines membership inference as a game between two parties, the *distinguishability game*.
#
# 1. The **attacker** names the target $u^*$.
# 2. The **challenger** draws a group of $m$ users. With probability 1/2 the target is one of them. Otherwise another user takes the target's place.
# 3. The challenger publishes the counts of this group over some hours, the **inference period** $T_I$. The published counts are called the *release*.
# 4. The attacker sees the release and says whether the target is in the group.
#
# In the paper, the attacker answers yes or no, and wins if the answer is right. We let the attacker answer with a *score*, because our measure of success needs one. A higher score means that the attacker is more confident that the target is in the group.
#
# What the attacker learned before the game is their **prior knowledge**, or *prior* for short. It consists of traces, which record where a user was in each hour, or of counts of groups. The paper considers three kinds of prior knowledge:
#
# | prior | the attacker knows | about which hours |
# |---|---|---|
# | **1**, subset of users | the traces of a share $\alpha$ of all users, including the target | the hours that are released |
# | **2a**, same groups | past counts of the *same groups* that are released now, and whether the target was in each of them | earlier weeks |
# | **2b**, different groups | past counts of *other groups*, and whether the target was in each of them | earlier weeks |
#
# A mobile phone operator knows where its own customers are. This is prior 1, if another company publishes counts that may include these customers. For prior 2a, suppose that a firm publishes the counts of its hundred teams every week, but numbers the teams differently each time. A former employee knows which of the earlier counts belonged to teams with Ada. If the teams still have the same members, the former employee needs only to recognise a team by its counts. For prior 2b, suppose that the firm forms new teams every week. The former employee must then recognise Ada herself, in the company of different people. The paper calls prior 2b a much weaker setting than the other two.

# %%
from lib.papers import figures as plots
from lib.papers.knock_knock import figures

plots.use_style()

# %% mystnb={"figure": {"name": "fig-kk-game", "caption": "The counts from which the attacker learns, and the counts that are attacked. Under prior 1 the attacker learns from other groups in the same week, under prior 2a from the same groups in earlier weeks, and under prior 2b from other groups in earlier weeks."}, "image": {"alt": "Three diagrams of groups against weeks. Prior 1: groups made of known users, and the released groups, in the same week. Prior 2a: the same groups, earlier weeks known, last week released. Prior 2b: other groups known in earlier weeks, fresh groups released in the last week."}} tags=["hide-input"]
figures.show_game()

# %% [markdown]
# ````{prf:definition} The priors (Eq. 1 and 2 of the paper)
# :label: def-kk-priors
# Let $\Omega$ be the set of all users and $L^u_{T}$ the trace of user $u$ in the epochs $T$ (here, hours). Let $T_I$ be the inference period and $T_O$ an earlier *observation period*.
# The **subset prior** is $\{L^u_{T_I} : u \in Y\}$ for a set of users $Y \subset \Omega$ that contains the target, with $|Y| = \alpha\,|\Omega|$. The
# **prior of past groups** concerns groups $W_1, \dots, W_\beta \subset \Omega$ of $m$ users each. For every $W_i$ it contains the counts of the group over $T_O$, and whether $u^* \in W_i$.
# Under prior 2a, the $W_i$ are the groups whose counts over $T_I$ are released. Under prior 2b, the released groups are not among the $W_i$.
# ````
#
# We measure the success of an attack on one target by the AUC over test groups, half of which contain the target. Pair every group that contains the target with every group that does not. The **AUC** is the share of these pairs in which the group with the target has the higher score; a tie counts as one half ({prf:ref}`def-auc`). An attacker who guesses has an AUC of 1/2 on average.
#
# The **privacy loss** of the target is $\max(0,\ 2\,\mathrm{AUC} - 1)$ (Eq. 3 of the paper). It is 0 if the attack is no better than guessing, and 1 if it orders every pair correctly. An AUC of 3/4, for example, is a privacy loss of 1/2.

# %% [markdown]
# (kk-six)=
# ## The attack on six people
#
# We start with an example that is small enough to check by hand. It shows the paper's attack in miniature: the game under prior 1, the same seven statistics, and a simple form of one of the paper's four classifiers. We leave out only the elimination of features.
#
# The target is Dan. The attacker knows the traces of Dan, Ada, Cleo and Fay, but not those of Ben and Eve. Each group has two members. The challenger publishes the counts of one of three groups: Ben and Dan, Eve and Dan, or Ben and Eve. The attacker must say whether Dan is in the published group. (Two of the three possible groups contain Dan, so this small game is not balanced.)
#
# (kk-six-traces)=
# These are the traces of the six people over two days of four hours each. The letters stand for home, station, office and park, and a dash means that the person is not counted in this hour:

# %%
from itertools import combinations, product

import numpy as np
import pandas as pd
from lib.datasets import load

six = load("six-users")  # 6 people, 4 places, 2 days of 4 hours
letters = np.array([place[0].upper() for place in six.rois.index])
rows = {}
for person in six.users:
    trace = six.trace(person)  # (places, hours): 1 where the person is counted
    rows[person] = np.where(trace.any(axis=0), letters[trace.argmax(axis=0)], "-")
hours = [f"{day} {hour}" for day in ("Mon", "Tue") for hour in (1, 2, 3, 4)]
plots.show_table(pd.DataFrame(rows, hours).T, "six-traces")

# %% [markdown]
# Ada and Ben have the same trace. Ada, Ben and Cleo do the same on both days.
#
# **Step 1: make labelled groups.** From the four known traces the attacker makes all groups of two, three of them with Dan and three without him.

# %%
known = ["Ada", "Cleo", "Fay"]  # and Dan
training = [(person, "Dan") for person in known] + list(combinations(known, 2))
released = [("Ben", "Dan"), ("Eve", "Dan"), ("Ben", "Eve")]


def count(groups):  # (groups, places, hours)
    return np.array([sum(six.trace(person) for person in group) for group in groups])


print("learned from:", *map(" + ".join, training), sep="\n  ")

# %% [markdown]
# **Step 2: summarise the counts.** For each place, the paper replaces the counts of all hours by seven statistics. There are four places here, so a group is described by $4 \times 7 = 28$ numbers. These are the numbers for the group of Ben and Eve:

# %%
seven = ["var", "min", "max", "median", "mean", "std", "sum"]


def statistics(counts):  # (groups, places, hours) to (groups, places x 7)
    values = [getattr(np, statistic)(counts, axis=2) for statistic in seven]
    return np.stack(values, axis=2).reshape(len(counts), -1)


ben_and_eve = statistics(count([("Ben", "Eve")])).reshape(4, 7)
pd.DataFrame(ben_and_eve, list(six.rois.index), seven).round(2)

# %% [markdown]
# None of the seven statistics changes if we put the hours in another order, so they discard *when* people were at a place. A [later section](kk-sum-baseline) shows what this costs the attacker.
#
# (kk-six-distances)=
# **Step 3: compare.** A *nearest-neighbour* classifier compares the released group with each labelled group. It uses the ordinary (Euclidean) distance between their two lists of 28 numbers. In the following table, each row is a group that may be released. Each column is a group that the attacker learned from, and is named by the initials of its members:

# %%
train, test = statistics(count(training)), statistics(count(released))
distance = np.sqrt(((test[:, None, :] - train[None, :, :]) ** 2).sum(axis=2))
short = ["+".join(person[0] for person in group) for group in training]
distances = pd.DataFrame(distance, map(" + ".join, released), short)
plots.show_table(distances.round(2).rename_axis("released"), "six-distances")

# %% [markdown]
# The first three columns are the groups with Dan (D), and the last three are the groups without him.
#
# **Step 4: score.** The score is the distance to the nearest group *without* Dan minus the distance to the nearest group *with* Dan. The score is positive if the release looks more like a group with Dan.

# %%
nearest = pd.DataFrame(index=distances.index)
nearest["nearest without Dan"] = distance[:, 3:].min(axis=1)
nearest["nearest with Dan"] = distance[:, :3].min(axis=1)
nearest["score"] = nearest["nearest without Dan"] - nearest["nearest with Dan"]
plots.show_table(nearest.round(2).rename_axis("released"), "six-scores")

# %% [markdown]
# The attack is right in all three cases: the two groups with Dan have a positive score, and the group without him has a negative one. It recognises Dan in Eve's company, although the attacker does not know Eve's trace. The group of Ben and Dan is an easier case, because Ben's trace is the same as Ada's, which the attacker knows.
#
# In the first row of the table of distances, the released group of Ben and Dan has distance 0 to the known group of Ada and Dan. The reason is that Ada and Ben have the same trace, so the two groups have the same counts. No attack can tell Ada and Ben apart ({ref}`an exercise <kk-twin>` computes what this means for an attack on Ada).
#
# (kk-six-sum)=
# **A simpler attack.** The attacker knows Dan's own trace, too. A place and hour in which Dan was counted is one of Dan's *cells*. The **cell sum** of a release is the sum of its counts over these cells. It needs no training and none of the other traces:

# %%
of_dan = six.trace("Dan")  # (places, hours): 1 in each of Dan's cells, and 0 elsewhere
print("cells of Dan:", of_dan.sum())
for group, counts in zip(released, count(released), strict=True):
    print(f"{' + '.join(group)}: cell sum {(counts * of_dan).sum()}")

# %% [markdown]
# Dan alone adds 6, one for each of his cells. Ben shares two cells with Dan and so adds 2, and Eve adds nothing. The cell sum is therefore at least 6 with Dan and only 2 without him, and it ranks the three groups correctly as well. Unlike the seven statistics, it uses the hours. We compare the two attacks on real traces [below](kk-sum-baseline).
#
# An example with six people does not show how *often* such an attack succeeds. To find out, we need many groups and real traces.

# %% [markdown]
# (kk-build)=
# ## The attack on real traces, in four steps
#
# ````{prf:algorithm} Knock-Knock (Sec. IV and V of the paper)
# :label: alg-knock-knock
# 1. Take the counts of labelled groups, half of which contain the target. Under prior 1, form these groups from the known users and compute their counts. Under priors 2a and 2b, the groups, their labels and their counts are the prior knowledge itself.
# 2. Replace the counts of each place over time by seven statistics: variance, minimum, maximum, median, mean, standard deviation, sum.
# 3. Reduce these features by *recursive feature elimination*: fit a model, drop the least important features, and fit again, until the number of features equals the number of training and test *rows* together. Each group gives one row for each week.
# 4. Train a classifier on the remaining features, and let it score the released counts.
# ````
#
# Step 3 is meant to prevent *overfitting*. The data below have 107 places. With seven statistics for each place, there are 749 features, but only 200 groups to learn from. With so many features, a model can fit the training groups almost perfectly and still do much worse on new ones. The example below shows this. Under prior 1 each group gives one row, so step 3 leaves 300 features for 200 training and 100 test groups. The model then still has more features than the 200 groups that it learns from. At the end of this section we test on one target what step 3 contributes.
#
# We use the two populations of the [first chapter](foundations.ipynb). In the first population, each user is a *flight number*. Flight numbers fly in almost the same hours every week. In the second population, each user is an *aircraft*. Aircraft do not repeat their schedules from week to week. In the code, the two populations are called `flights-by-number` and `flights-by-tail`, because an aircraft is identified by the number on its tail.
#
# The paper uses two other populations: ten thousand *commuters* of the London transport network (583 places, four weeks) and 534 *cabs* in San Francisco (101 places, three weeks). Both numbers of places include one extra place, which stands for "seen nowhere". In the code, the cab data are called `cabspotting`.
#
# Like the paper, we try four classifiers. Each of them turns the features of a group into a score:
#
# - **Logistic regression (LR)** adds up the features, each multiplied by a weight.
# - **Nearest neighbours (kNN)** looks up the five training groups with the most similar features. The score is the share of the five that contain the target, so there are only six possible scores.
# - A **random forest (RF)** averages the answers of 30 decision trees. A tree asks one question after another about single features, such as "was there an hour with at least one visit to this place?".
# - A **neural network** (MLP, for *multilayer perceptron*) standardises the features and passes weighted sums of them through a layer of 200 nodes. It can therefore learn relations that are not a weighted sum.
#
# You can change the following values and run the page again:

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

populations = {}
for data, file in fitting.display_names(datasets).items():
    populations[data] = traces = kk.population(file, path)
    print(f"{data}: {traces.n_users:,} users, {traces.n_rois} places", end=", ")
    print(f"{traces.n_epochs} hours = {len(kk.weeks(traces))} weeks")
settings_of, common = {}, {}  # settings of each population, and those common to all

# %% [markdown]
# The next, folded cell puts the values above into `settings_of` and `common`. If a population is too small for a group size, the cell leaves this size out. The table shows the settings beside those of the paper:

# %% tags=["hide-input"]
numbers = {"n_train": n_train, "n_test": n_test}
numbers |= {"beta_same": beta_same, "beta_different": beta_different}
sizes = {"subset_sizes": subset_sizes, "past_sizes": past_sizes, "middle": middle}
sizes |= {"length_size": length_size, "n_per_third": n_per_third}
settings_of |= fitting.knock_knock(populations, alphas=alphas, **sizes, **numbers)
for setting in settings_of.values():
    setting["group_size"] = setting["length_size"]
common |= numbers | {"classifiers": classifiers, "n_choosing": n_choosing}
common |= {"processes": processes, "seed": seed}
plots.show_table(
    figures.settings_table(settings_of, populations, numbers, classifiers), "setup"
)

# %% [markdown]
# As in the paper, the targets are drawn in equal numbers from the least, the middle and the most mobile third of the users. We require that each target has at least four visits in the first week and one in the last. The three priors also differ in the weeks that they use and in the number of training groups, again as in the paper. If the results under two priors differ, these settings may be part of the reason.
#
# **Step 1: labelled groups.** One flight number is our **example target**. We attack it under prior 1 in groups of ten; this is our *example game*. The attacker knows the traces of 30% of the users in the first week. From these users, the function `subset_task` draws 200 training groups, half of which contain the target. Apart from the target, who is in half of them, the 100 test groups consist of users whom the attacker does not know.

# %%
from lib.membership import game
from lib.randomness import stream

flight_numbers, traces = next(iter(populations.items()))
setting, weeks = settings_of[flight_numbers], kk.weeks(traces)
targets = kk.targets(traces, setting["n_per_third"], seed)
target, size, alpha = targets[-1], min(setting["subset_sizes"]), setting["alpha"]
# the random numbers of this game, so that it can be found again in the stored results
rng = stream(seed, "kk-games", flight_numbers, target, kk.PRIORS[0], size)
task = game.subset_task(traces, target, alpha, size, weeks[0], rng, n_train, n_test)
print(traces.users[target], "- training groups x places x hours:", task.train.shape)
print(f"the attacker knows {int(alpha * traces.n_users)} of {traces.n_users:,} users")

# %% [markdown]
# **Step 2: statistics.** We use the function `statistics` from the six-person example. For the place that the target visits most often, these are the seven statistics of the first test group:

# %%
train, test = statistics(task.train), statistics(task.test)
place = int(traces.trace(traces.users[target]).sum(axis=1).argmax())
print(*map("{} {:.2f}".format, seven, test[0].reshape(-1, 7)[place]), sep=", ")

# %% [markdown]
# **Steps 3 and 4: eliminate and fit.** The model is a logistic regression with a *penalty* on large weights, which makes the model fit the training groups less closely. The paper cites *liblinear* as its solver, which penalises the intercept like any other weight. We do the same: we add a column of ones to the features, and the weight of this column takes the place of the intercept. (The solver in our code, *newton-cholesky*, minimises the same function.)

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
        n_dropped = min(tenth, len(left) - n)  # so that n features are left
        left = np.sort(left[order[n_dropped:]])
    return left


# %%
kept = eliminate(train, task.train_members, task.n_samples)
weights = fit(train[:, kept], task.train_members)
scores = test[:, kept] @ weights[:-1] + weights[-1]
print(f"{train.shape[1]} features, {len(kept)} kept")

# %% [markdown]
# How good are the scores? As in the first chapter, we compare pairs of groups. The AUC is the share of pairs in which the group with the target has the higher score. We compute it for the test groups, and also for the training groups:


# %%
def auc_by_pairs(members, scores):  # share of pairs in the right order
    inside, outside = scores[members == 1], scores[members == 0]
    above = inside[:, None] > outside[None, :]
    equal = inside[:, None] == outside[None, :]
    return (above + equal / 2).mean()  # a tie counts as one half


own_scores = train[:, kept] @ weights[:-1] + weights[-1]
print(f"AUC on the test groups:     {auc_by_pairs(task.test_members, scores):.4f}")
print(f"AUC on the training groups: {auc_by_pairs(task.train_members, own_scores):.4f}")

# %% [markdown]
# The AUC is far higher on the training groups than on new ones: this is overfitting. An attack must therefore be evaluated on groups that it was not trained on. {ref}`An exercise <kk-training>` compares all four classifiers on both kinds of groups. There, the neural network orders all training groups correctly, but has the lowest AUC of the four on the test groups.
#
# What did step 3 contribute? To find out, we fit the same model to all features. We also count the features that are 0 in every training group:

# %%
weights_of_all = fit(train, task.train_members)
scores_of_all = test @ weights_of_all[:-1] + weights_of_all[-1]
print(f"AUC without step 3: {auc_by_pairs(task.test_members, scores_of_all):.4f}")

always_0 = ~train.any(axis=0)
dropped = np.setdiff1d(np.arange(train.shape[1]), kept)
print(f"features that are always 0: {always_0.sum()} of {len(always_0)}")
print(f"of the {len(dropped)} dropped features: {always_0[dropped].sum()}")

# %% [markdown]
# In this game step 3 does not change the AUC. More than half of the features are 0 in every training group, and a model learns nothing from them. Step 3 drops all 424 of these features, and only 25 others. In these sparse data, then, step 3 mostly removes features that never vary. ({ref}`An exercise <kk-redundant>` looks at the 25 others.) We have tested this on one target only.
#
# The library combines the four steps in one object, which runs faster. Its scores agree with ours:

# %%
from lib import metrics
from lib.membership.knock_knock import KnockKnock

attack = KnockKnock(classifier="LR", n_features=task.n_samples)
by_library = attack.fit(task.train, task.train_members).decision_function(task.test)
print(f"AUC by the library:     {metrics.auc(task.test_members, by_library):.4f}")
print("the same scores:", np.allclose(scores, by_library, atol=1e-3))

# %% mystnb={"figure": {"name": "fig-kk-scores", "caption": "Scores that the classifier gives to 50 test groups with the target and to 50 without. A score is the sum of the features, each multiplied by its weight, plus the intercept. Dashed lines mark the two means. The means differ but the distributions overlap, so the attack is better than guessing and far from certain."}, "image": {"alt": "Histograms of the classifier's scores for test groups without and with the target."}} tags=["hide-input"]
from lib.papers.foundations.figures import show_scores

show_scores(task.test_members, scores, "weighted sum of the features")

# %% tags=["hide-input"]
from lib.papers.summaries import scored

one = scored(task.test_members, {"logistic regression": scores})
plots.show_table(one[["AUC", "privacy loss"]], "one-game")

# %% [markdown]
# This is the result of one game with one target. The brackets are 95% confidence intervals over the test groups of this game.
#
# ````{admonition} Choices of the paper, and ours
# :class: note
# - The paper keeps as many features as there are rows in the training *and* the test set together, which is unusual. We do the same.
# - The paper does not say which model ranks the features, nor how many are dropped at a time. We rank them with a logistic regression, and drop a tenth of all features at a time.
# - As in the paper, kNN uses five neighbours, and the forest has 30 trees and considers all features at each split.
# - Before we train the forest, we remove every feature that orders the training groups exactly as another feature does, ties included. A tree uses only the order of the values, so the removed features would offer no new splits.
# - We standardise the features for the neural network, which has one hidden layer of 200 nodes.
# ````

# %% [markdown]
# (kk-sizes)=
# ## How do group size and prior knowledge change the result?
#
# How does the success of the attack depend on the size of the group and on the attacker's knowledge? To answer this, we repeat the game for 51 targets of each population, under every prior, for several group sizes and with all four classifiers.
#
# The experiment repeats the lines above. For three of the targets, with logistic regression in groups of ten:

# %%
three_targets = targets[:: max(1, len(targets) // 2)]  # the first, middle and last
for who in three_targets:
    rng = stream(seed, "kk-games", flight_numbers, who, kk.PRIORS[0], size)
    drawn = game.subset_task(traces, who, alpha, size, weeks[0], rng, n_train, n_test)
    attack.fit(drawn.train, drawn.train_members)
    auc = metrics.auc(drawn.test_members, attack.decision_function(drawn.test))
    print(f"target {who}: AUC {auc:.4f}")

# %% [markdown]
# The slowest experiments are stored with the book. The function `results` reads the stored rows if they were computed with the values above, and otherwise runs the experiment. The experiment itself is a function of the same name (here `games`) in the file `lib/papers/knock_knock/experiments.py`:


# %%
def results(experiment, **more):  # a table, one row for each target and setting
    return kk.stored_or_run(populations, settings_of, experiment, **common | more)


games = results(kk.games)  # the four classifiers under all three priors
under_prior_1 = games[games["prior"] == kk.PRIORS[0]]
of_size = under_prior_1.query("data == @flight_numbers and `group size` == @size")
print(of_size.set_index("target")[classifiers].loc[three_targets].round(4).to_string())

# %% [markdown]
# Each row contains the AUC of the four classifiers against one target. (Targets are numbered by their position in the population.) The column of logistic regression (LR) contains the three AUCs from above. The last of the three is our example target.
#
# The next figure shows only one of the four classifiers. To choose it, we look up which classifier has the highest mean AUC for each combination of population, prior and group size. The output counts how often each classifier is the best. The figure also shows the [cell sum](kk-six-sum), on the groups of prior 1 and in larger groups; the next two sections discuss it.

# %%
means_of_four = games.groupby(["data", "prior", "group size"])[classifiers].mean()
print(means_of_four.idxmax(axis=1).value_counts().to_string())

# %% [markdown]
# The forest is the best most often, so the figure shows the forest. We also load the results of the cell sum:

# %%
strongest = "RF" if "RF" in classifiers else classifiers[0]  # the random forest
linear = "LR" if "LR" in classifiers else classifiers[0]  # logistic regression

sums = results(kk.sums)  # the cell sum on the groups of prior 1
sizes_of_sums = [10, 50, 100, 300, 500, 700, 900, 1000]
measured = results(kk.sum_sizes, sizes=sizes_of_sums, n_groups=1000)

# %% mystnb={"figure": {"name": "fig-kk-priors", "caption": "Mean AUC over 51 targets against group size, with 95% intervals. Filled markers: random forest. Open markers: cell sum, which needs no training and is possible only under prior 1. The small open markers show the cell sum in groups of 100, 300 and 500 that are drawn from all users. The dotted line marks guessing. Under priors 1 and 2b the forest weakens as groups grow. Under prior 2a it stays near 1 for flight numbers, and between 0.6 and 0.7 for aircraft. The cell sum weakens slowly."}, "image": {"alt": "Three panels beside each other, one for each prior: mean AUC of a random forest against group size, a line for each dataset with intervals; in the first panel also the cell sum, which falls from 1 in groups of ten to 0.90 for flight numbers and 0.99 for aircraft in groups of 100, and to 0.78 and 0.93 in groups of 500. Under priors 1 and 2b the forest falls with group size; under prior 2a it stays near 1 for flight numbers, and falls only from 0.67 to 0.61 for aircraft."}} tags=["hide-input"]
figures.show_knowledge(
    games, strongest, sums, measured[measured["group size"].isin([100, 300, 500])]
)

# %% [markdown]
# The means of the forest in this figure are plain averages over the targets:

# %% tags=["hide-input"]
of_sizes = games.groupby(["prior", "data", "group size"])[strongest].mean()
of_sizes = of_sizes.unstack("group size").rename(index=figures.in_words, level="data")
shown = of_sizes.map("{:.2f}".format, na_action="ignore")
plots.show_table(shown, "prior-means")

# %% [markdown]
# *Mean AUC of the random forest over 51 targets. A dash marks a group size that we did not evaluate. Under prior 1 the training groups consist of users whom the attacker knows, and there are too few of them for groups of 500. The group sizes under priors 2a and 2b are our choice. The folded table contains the 95% intervals.*

# %% tags=["hide-input", "hide-output"]
all_sizes = figures.prior_table(games, strongest, kk.PRIORS)
plots.show_table(all_sizes.rename(index=figures.in_words), "priors")

# %% [markdown]
# Under prior 1 the random forest does well in groups of ten and poorly in groups of a hundred, and the same holds for flight numbers under prior 2b. Under prior 2a the forest is nearly perfect against flight numbers at every group size. Against aircraft, the forest is weak under both priors that use past counts, even in groups of ten. Under prior 2a its AUC against aircraft falls only a little as groups grow, from 0.67 to 0.61.
#
# Why is the forest so strong in small groups? A plausible reason is that the target visits places where few others are seen. In a small group, a single split of a tree on such a place may already separate most groups with the target from those without. We have not tested this explanation.
#
# The decline under priors 1 and 2b has a simple reason. The target adds the same visits to the counts, whatever the size of the group. The other $m - 1$ members differ from group to group. As long as a group is a small part of the population, the standard deviation of the other members' counts grows roughly in proportion to $\sqrt m$. So the larger the group, the less the target stands out against this variation. A [later section](kk-predict) turns this argument into a formula and tests it. Under prior 2a the AUC depends little on the group size, for a reason that [another section](kk-recognises) explains.
#
# Which prior helps this classifier most depends on the target. Against flight numbers, past counts of the same groups (2a) help most. Aircraft do not repeat their schedules, so past counts help little against them. Against aircraft in groups of ten, traces of the released week (1) help most. With another attack, another prior may help most, as the next section shows.
#
# ````{admonition} How to read these tables
# :class: note
# - From here on, intervals are over targets. They describe how precisely we know the mean AUC over all users who could have been drawn as targets.
# - We show the random forest, because it has the highest mean AUC in ten of the 18 combinations of population, prior and group size. This choice uses the test results, so it favours the attack a little.
# - The next section shows all four classifiers under prior 1. Each later section says which classifiers it uses. Most use logistic regression, because it trains faster than the forest.
# ````

# %% [markdown]
# (kk-sum-baseline)=
# ## Is the trained attack better than a simple sum?
#
# Every attack should be compared with a simple baseline. Under prior 1 the attacker knows the target's trace in the released week. Such an attacker could ignore all other traces, train nothing, and use the [cell sum](kk-six-sum), as for the six people. (This is the sum attack of the [first chapter](foundations-attack). We call it the cell sum to distinguish it from *sum*, one of the seven statistics.) For the game above, the attack takes one line of code:

# %%
cells = traces.trace(traces.users[target])[:, weeks[0]]
cell_sums = (task.test * cells).sum(axis=(1, 2))
print(f"AUC of logistic regression: {auc_by_pairs(task.test_members, scores):.2f}")
print(f"AUC of the cell sum:        {auc_by_pairs(task.test_members, cell_sums):.2f}")

# %% [markdown]
# We now compare the cell sum with the four classifiers over all targets. Every attack scores exactly the same test groups:

# %% mystnb={"figure": {"name": "fig-kk-attacks", "caption": "Mean AUC over 51 targets of the four trained classifiers and of the cell sum, which needs no training, on the same groups under prior 1, with 95% intervals. Colours and markers stand for attacks here, and points of the same group size are drawn beside each other. The dotted line marks guessing. The cell sum beats every classifier at every group size, and its lead over the best classifier grows with the group."}, "image": {"alt": "Two panels, flight numbers and aircraft: mean AUC against group size, a line for each of five attacks with intervals. The four classifiers fall from at most 0.95 in groups of ten to between 0.54 and 0.65 in groups of a hundred; the cell sum falls only to 0.90 for flight numbers and to 0.99 for aircraft."}} tags=["hide-input"]
figures.show_attacks(games, kk.PRIORS[0], sums)

# %% tags=["hide-input"]
both_attacks = under_prior_1.merge(sums.rename(columns={"sum": "cell sum"}))
by_size = both_attacks.groupby(["data", "group size"])
of_attacks = by_size[[*classifiers, "cell sum"]].mean()
of_attacks = of_attacks.rename(index=figures.in_words)
plots.show_table(of_attacks.map("{:.2f}".format), "attack-means")

# %% [markdown]
# *Mean AUC over 51 targets under prior 1. The folded table contains the 95% intervals.*

# %% tags=["hide-input", "hide-output"]
all_attacks = figures.attack_table(games, kk.PRIORS[0], sums)
all_attacks = all_attacks.rename(index=figures.in_words)
plots.show_table(all_attacks.rename(index={"the sum": "cell sum"}), "prior-1")

# %% [markdown]
# The cell sum beats all four classifiers at every group size. In groups of a hundred flight numbers, its mean AUC is 0.90, and that of the best classifier is 0.64.
#
# One reason is probably step 2 of the trained attack: the seven statistics discard the hours, whereas the cell sum uses them. How much do the hours matter to the cell sum? To find out, we discard them there as well. The **place sum** adds up the counts at the target's *places* over all hours. For the game above:

# %%
its_places = cells.any(axis=1)  # the places that the target visits in this week
place_sums = task.test[:, its_places].sum(axis=(1, 2))
print("places of the target:", its_places.sum())
print(f"AUC of the place sum: {auc_by_pairs(task.test_members, place_sums):.2f}")

# %% [markdown]
# In this game, the AUC of the place sum lies between those of logistic regression and of the cell sum. The means over all targets show how much the hours are worth. In groups of a hundred flight numbers, the place sum has a mean AUC of only 0.58. The random forest does better than the place sum at every group size. So does logistic regression, except for flight numbers in groups of a hundred, where the comparison is inconclusive. ({ref}`An exercise <kk-sum>` gives the differences.)
#
# The cell sum also changes which prior helps the attacker most. It uses the target's trace in the released week, so it is possible only under prior 1. Against aircraft, prior 1 now helps most in groups of a hundred as well: the cell sum is nearly perfect there, whereas the forest under prior 2a has an AUC of [0.62](kk-sizes). Against flight numbers in groups of ten, prior 1 now helps as much as prior 2a. We evaluated both priors, 1 and 2a, in groups of ten and of a hundred. Prior 2a keeps its lead in only one of these cases: against flight numbers in groups of a hundred. (The [next section](kk-large-groups) draws groups of 500 flight numbers from all users. In these groups the cell sum falls further behind.)
#
# An attack that does not use the hours can still succeed. In groups of ten the random forest has a mean AUC of 0.95 without them. The forest even beats the place sum. Yet the place sum is told which places are the target's, and the forest must find them among 749 features. In another respect the comparison favours the forest, because the place sum uses only the total count of each place, and the forest uses seven statistics.
#
# Does a classifier catch up if it is given the same inputs as the cell sum? The attacker knows the target's cells, so the classifier needs only the counts in these cells. These are about ten numbers for each group. We train logistic regression on them, without elimination:


# %%
def attacks_on_cells(of_game, visited):  # AUC of the cell sum and of LR on the cells
    in_train, in_test = of_game.train[:, visited], of_game.test[:, visited]
    model = LogisticRegression(solver="newton-cholesky")  # intercept not penalised
    model.fit(in_train, of_game.train_members)
    members, by_model = of_game.test_members, model.decision_function(in_test)
    return {
        "cell sum": auc_by_pairs(members, in_test.sum(axis=1)),
        "LR on the cells": auc_by_pairs(members, by_model),
    }


for attack_name, auc in attacks_on_cells(task, cells.astype(bool)).items():
    print(f"{attack_name}: AUC {auc:.2f}")

# %% [markdown]
# In the example game there is nothing left to gain. For all targets and group sizes, we draw the groups of the experiment again:


# %%
def games_again():  # groups of the experiment, and the cells of their target
    for data, population in populations.items():
        of_data, first_week = settings_of[data], kk.weeks(population)[0]
        for who, m in product(
            kk.targets(population, of_data["n_per_third"], seed),
            of_data["subset_sizes"],
        ):
            rng = stream(seed, "kk-games", data, who, kk.PRIORS[0], m)
            drawn = game.subset_task(
                population, who, of_data["alpha"], m, first_week, rng, n_train, n_test
            )
            visited = population.trace(population.users[who])[:, first_week]
            yield (
                {"data": data, "group size": m, "target": who},
                drawn,
                visited.astype(bool),
            )


rows = [
    row | {"attack": attack_name, "AUC": auc}
    for row, drawn, visited in games_again()
    for attack_name, auc in attacks_on_cells(drawn, visited).items()
]

# %% tags=["hide-input"]
on_cells = plots.table(
    pd.DataFrame(rows),
    ["data", "group size"],
    "AUC",
    "attack",
    digits=3,
    within=(0, 1),
    pairs=[("LR on the cells", "cell sum")],
)
plots.show_table(on_cells.rename(index=figures.in_words), "on-cells")

# %% [markdown]
# *Mean AUC over 51 targets under prior 1, with 95% intervals. The last column is the mean over targets of the difference between the two attacks, which score the same test groups.*
#
# Against flight numbers, the classifier now does better than the cell sum at every group size. In groups of a hundred flight numbers, its mean AUC rises from 0.59 with the seven statistics to 0.968 with the counts in the target's cells. All three intervals of the difference lie above 0. Against aircraft, only the interval in groups of a hundred does. In smaller groups of aircraft the cell sum is already nearly perfect, so there is little to gain. A plausible reason for the gain is that the classifier can give more weight to cells with few other users. We have not looked at its weights.
#
# So it was not the training that held logistic regression back, but its inputs. The seven statistics discard the hours, and they do not tell the classifier which cells are the target's. Our experiment supplies both at once, so it does not show how much each of them is worth. We have not repeated it for the other three classifiers.
#
# We conclude that a trained attack is not automatically a strong attack, and that its success depends on what it is given. The failure of one classifier does not by itself show that a release is safe.

# %% [markdown]
# (kk-large-groups)=
# ## How large must a group be to hide a person?
#
# How large a group must be depends on the attack. {numref}`fig-kk-attacks` ends at groups of a hundred. Under prior 1 the classifier's training groups must be drawn from the 316 users whom the attacker knows, so all groups of 300 would consist of nearly the same users. The cell sum needs no training, so we can evaluate it in larger groups. Its attacker needs only the target's own trace in the first week. For each of the same 51 targets we draw 1,000 groups of each size. Under prior 1, the test groups of the previous sections consisted of users whom the attacker does not know, apart from the target. Here, and in the formula below, we draw the other members from all users.
#
# We also report the **TPR at an FPR of 1%** (the true positive rate at a false positive rate of 1%). This is the share of groups with the target that an attacker identifies, if the attacker may answer "member" for only one in a hundred groups without the target. An attacker who guesses reaches 0.01. For each target, we set the threshold for this FPR on the test groups themselves, whose labels we know. A real attacker does not know these labels, so the TPR says what this attack could reach at best. (The [audit chapter](audit-riders-audit) shows how much the choice of the threshold can matter.)
#
# The cell sums of these groups were computed above, as `measured`. We look at groups of up to 500, and at larger groups in the next section:

# %% tags=["hide-input"]
large = measured[measured["group size"] <= 500]
long = large.melt(["data", "group size"], ["AUC", "TPR"], "mean")
of_large = long.groupby(["data", "mean", "group size"])["value"].mean()
of_large = of_large.unstack("group size").rename(index=figures.in_words)
plots.show_table(of_large.map("{:.2f}".format), "sum-sizes-means")

# %% [markdown]
# *Means over 51 targets by group size. TPR: at an FPR of 1%. The folded table contains the 95% intervals.*

# %% tags=["hide-input", "hide-output"]
plots.show_table(figures.sum_table(large), "sum-sizes")

# %% mystnb={"figure": {"name": "fig-kk-sum-sizes", "caption": "The cell sum in groups of up to 500 of 1,054 users: mean AUC (left) and mean TPR at an FPR of 1% (right) over 51 targets, with 95% intervals. The dotted lines mark guessing. Both measures fall as groups grow. Aircraft are easier to find than flight numbers: by the TPR at every size, and by the AUC at every size above ten."}, "image": {"alt": "Two panels against group size: mean AUC of the cell sum falls from 1 to about 0.78 for flight numbers and to about 0.93 for aircraft; mean true positive rate at 1% falls from 0.8 to 0.1 and from 1 to 0.4."}} tags=["hide-input"]
figures.show_sum_sizes(large)

# %% [markdown]
# Larger groups do protect better against the cell sum. Measured by the AUC, the protection grows only slowly. The TPR for flight numbers falls much faster at first, from 0.80 in groups of ten to 0.30 in groups of 50. From groups of 300 to groups of 500, the mean AUC for flight numbers hardly falls any further. The mean AUC for aircraft is still 0.93 in groups of 500.
#
# In groups of 300 aircraft, the mean AUC is 0.94 here, but 0.99 in the [first chapter](foundations-many). One reason is that the attacker of the first chapter used the counts of four weeks, whereas the attacker here has those of only one. {ref}`An exercise <foundations-half>` of that chapter shows how much the AUC falls if the attacker uses only a quarter of the target's cells. The two chapters also use different targets.
#
# (kk-predict)=
# ### Can we predict how well a group hides a person from the cell sum?
#
# The AUC of the cell sum can be predicted without evaluating an attack. Besides the sizes of the group and of the population, we need only three numbers about the target. The data holder, who has all traces, can compute them. The first is the number $v$ of visits that the target makes in the released hours, which is also the number of the target's cells, because a user is counted at most once for each place and hour. The other two describe the **overlap** of another user with the target, that is, the number of the target's cells in which this other user was counted as well. Let $\mu$ be the mean and $s$ the standard deviation of the overlap over all $n$ other users.
#
# In the six-person example, these are the three numbers for Dan and for Ada, computed on both days together:

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
# If a group of $m$ users contains the target, the cell sum is $v$ plus the overlaps of the $m - 1$ other members. If the group does not contain the target, the cell sum consists of the overlaps of all $m$ members. So the target raises the mean of the cell sum by $v - \mu$.
#
# How much does the cell sum vary from group to group? The members other than the target are drawn at random, and nobody is drawn twice. If $k$ of the $n$ overlaps are drawn in this way, their sum has the variance
#
# $$ V_k = k\, s^2\, \frac{n - k}{n - 1}. $$
#
# This is a standard result for drawing without replacement. If the draws were independent, the variance would be $k s^2$. The fraction is called the **finite-population correction**. It becomes smaller if a larger share of the population is drawn, because less is then left to chance. Two cases are easy to check. A single overlap has the variance $V_1 = s^2$. If everybody is drawn, the sum is the same every time, and $V_n = 0$. For Dan we can also check the formula on every possible sum of one to five overlaps:

# %%
overlap, n = overlap_with["Dan"], len(overlap_with["Dan"])
for k in range(1, n + 1):
    every_sum = [sum(drawn) for drawn in combinations(overlap, k)]
    by_formula = k * overlap.var() * (n - k) / (n - 1)
    print(f"sums of {k}: variance {np.var(every_sum):.2f}, formula {by_formula:.2f}")

# %% [markdown]
# Suppose that the cell sum is roughly normally distributed, both with and without the target. Consider a group with the target and a group without. The difference of their sums has the mean $v - \mu$. Its variance is $V_{m-1} + V_m$, because the two groups are drawn independently of each other. The AUC is the probability that this difference is positive ({ref}`an exercise of the first chapter <foundations-proof>` proves a simpler case):
#
# $$ \mathrm{AUC} \approx \Phi\Bigl(\frac{v - \mu}{\sqrt{V_{m-1} + V_m}}\Bigr), $$
#
# where $\Phi$ is the distribution function of the standard normal distribution. The numerator is how far the target moves the sum. The denominator is how much the sums of two groups differ anyway. For Dan in groups of two, we can put in the numbers from above:

# %%
from scipy.stats import norm

raised, varies = 6 - 1.4, np.sqrt(1.44 + 2.16)  # v - μ, and the root of V_1 + V_2
quotient = raised / varies
print(
    f"{raised:.1f} / {varies:.2f} = {quotient:.2f}, AUC about {norm.cdf(quotient):.2f}"
)

# %% [markdown]
# In code, the formula is a function of the target's visits, of all overlaps and of the group size. We compare it with the true AUC over all groups of two and over all groups of three of the six people:


# %%
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
# For Dan the prediction is close to the true AUC. For Ada the prediction is too high by 0.04, plausibly because the cell sum is far from normally distributed in such small groups. Her twin Ben shares all her cells, so the cell sum depends largely on whether he is in the group. In large groups a single user matters less.
#
# We now predict the AUC for our example target. The AUC is also measured in groups of several sizes, three of which are larger than half of the population:

# %%
week = traces.select(epochs=np.asarray(weeks[0])).matrix  # users x cells, 0 or 1
in_its_cells = week @ week[[target]].toarray().ravel()  # of each user
visits, overlap_of_one = in_its_cells[target], np.delete(in_its_cells, target)
print(f"v = {visits}", end=", ")
print(f"μ = {overlap_of_one.mean():.2f}, s = {overlap_of_one.std():.2f}")

of_one = measured.query("data == @flight_numbers and target == @target")
for m, auc in of_one[["group size", "AUC"]].itertuples(index=False):
    predicted = predicted_auc(visits, overlap_of_one, m)
    print(f"groups of {m}: predicted {predicted:.3f}, measured {auc:.3f}")

# %% [markdown]
# We do the same for all 51 targets of each population. These are the three numbers, averaged over the targets:

# %% tags=["hide-input"]
first_weeks = {
    data: population.select(epochs=np.asarray(kk.weeks(population)[0]))
    for data, population in populations.items()
}
all_targets = measured[["data", "target"]].drop_duplicates()
rows = []
for data, user in all_targets.itertuples(index=False):
    visited = first_weeks[data].matrix
    counted = visited @ visited[[user]].toarray().ravel()
    its_visits, its_overlap = counted[user], np.delete(counted, user)
    about = {"v": its_visits, "μ": its_overlap.mean(), "s": its_overlap.std()}
    for m in range(10, len(its_overlap), 10):
        auc = predicted_auc(its_visits, its_overlap, m)
        row = {"data": data, "target": user, "group size": m, "predicted": auc}
        rows.append(row | about)
predictions = pd.DataFrame(rows)
of_targets = predictions.drop_duplicates(["data", "target"])
means_of_three = of_targets.groupby("data", sort=False)[["v", "μ", "s"]].mean()
print(means_of_three.round(2).to_string())

# %% [markdown]
# The next table shows the mean AUCs:

# %% tags=["hide-input"]
beside = measured.merge(predictions, on=["data", "target", "group size"])
beside = beside.rename(columns={"AUC": "measured"})
means_of_both = beside.groupby(["data", "group size"])[["measured", "predicted"]].mean()
difference = means_of_both["predicted"] - means_of_both["measured"]
print(f"largest difference of the means: {difference.abs().max():.3f}")
by_data = means_of_both.unstack("data").swaplevel(axis=1).sort_index(axis=1)
by_data = by_data.rename(columns=figures.in_words)
plots.show_table(by_data.map("{:.3f}".format), "predicted")

# %% mystnb={"figure": {"name": "fig-kk-predicted", "caption": "Mean AUC of the cell sum over 51 targets in groups of up to 1,000 of 1,054 users: measured (points, with 95% intervals) and predicted by the formula (lines). The dotted line marks guessing. The prediction differs from every measured mean by at most 0.003. Groups of half of the population hide a user best from the cell sum, and larger ones hide a user less well."}, "image": {"alt": "Mean AUC of the cell sum against group size, from 10 to 1,000. The predicted curves run through the measured points. They fall from 1 to about 0.78 for flight numbers and 0.93 for aircraft at half of the population, and rise again to nearly 1."}} tags=["hide-input"]
figures.show_predicted(measured, predictions)

# %% [markdown]
# The predicted and the measured means differ by at most 0.003. But a data holder wants to protect every single person, and the prediction errors for single targets may cancel in a mean. We therefore also look at the error for each target. Some of this error is due to chance, because the AUC of a target is measured on only 500 groups with the target and 500 without.
#
# How large would the errors be by chance alone? For each target we draw 40 samples of this size from two normal distributions. We choose their means so that the true AUC equals the predicted one. The AUC of each sample then differs from it only by chance:

# %% tags=["hide-input"]
from scipy.stats import rankdata

draws, half = np.random.default_rng(seed), 500
rows = []
for data, m, predicted in beside[["data", "group size", "predicted"]].values:
    shift = np.sqrt(2) * norm.ppf(predicted)  # of the scores with the target
    samples = draws.normal(size=(40, 2 * half)) + np.repeat([shift, 0], half)
    ranks = rankdata(samples, axis=1)[:, :half].sum(axis=1)
    auc = (ranks - half * (half + 1) / 2) / half**2  # Mann-Whitney
    rows += [{"data": data, "group size": m, "by chance": abs(auc - predicted)}]
by_chance = pd.DataFrame(rows).explode("by chance").astype({"by chance": float})

beside["error"] = (beside["predicted"] - beside["measured"]).abs()
columns = {}
for kind, errors in (("error", beside), ("by chance", by_chance)):
    columns[kind] = errors.groupby(["data", "group size"])[kind].quantile(0.95)
of_single = pd.DataFrame(columns).unstack("data").swaplevel(axis=1)
of_single = of_single.sort_index(axis=1, level=0, sort_remaining=False)
print(
    "95% quantiles of the error over targets, and of the error by chance over samples:"
)
print(of_single.rename(columns=figures.in_words).round(3).to_string())

# %% [markdown]
# At every group size, the prediction and the measurement differ by at most 0.030 for 95% of the flight numbers, and by at most 0.017 for 95% of the aircraft. In groups of 100 or more, these errors are about as large as chance alone would make them. In groups of 50, the errors are larger than by chance for both populations. In groups of ten they are larger for flight numbers, whereas for aircraft both values are 0.000. In small groups the formula itself is therefore in error, by up to about 0.01 for 95% of the flight numbers in groups of ten. This is plausible, because the sum of only a few overlaps is far from normally distributed.
#
# Three conclusions follow from the formula.
#
# 1. *Why aircraft are harder to hide.* In both populations a target raises the mean of the cell sum by nearly the same amount, because the targets make nearly the same number of visits in this week: 10.94 and 9.84 on average. (All targets are active users with at least four visits. Over all users, the median number of visits in four weeks is 48 for flight numbers and 26 for aircraft.) But the standard deviation of the overlap is 0.66 for flight numbers, and only 0.25 for aircraft. The cell sum therefore varies less from group to group if the target is an aircraft. The [next section](kk-overlaps) explains why the overlaps differ.
# 2. *Why the protection grows slowly with the group.* As long as $m$ is small compared with $n$, the variance $V_{m-1} + V_m$ is about $2 m s^2$. The standard deviation grows in proportion to $\sqrt m$, so a group must become *four* times as large to halve the fraction in the formula.
# 3. *When a larger group protects less.* The variance $V_k$ is proportional to $k (n - k)$, so it is largest if half of the users are drawn. The reason is a symmetry. Drawing $k$ of the $n$ other users is the same as choosing the $n - k$ users who are left out. The sum of all overlaps is fixed, so the sum over the drawn users varies exactly as much as the sum over those left out: $V_k = V_{n-k}$. (For Dan, the sums of two and of three overlaps both have the variance 2.16.) If only a few users are left out, the sum varies little, and the target stands out again. In groups of 1,000 of the 1,054 flight numbers, the mean AUC is back at 0.95.
#
# How large, then, must a group be to hide a person from the cell sum? In our population of 1,054 users, no group size brings the mean AUC below 0.77 for flight numbers, or below 0.92 for aircraft. For single targets the AUC can be lower. For our example target, for instance, it is 0.725 in groups of 700. In a very large population, a target with average values of $v$, $\mu$ and $s$ would have an AUC of 0.6 only in groups of about two thousand flight numbers, or of about twelve thousand aircraft. {ref}`An exercise <kk-needed>` computes these numbers, and asks what else a data holder could change.
#
# For a data holder, this means that a minimum group size is a weak rule. In groups of a hundred, the four classifiers of the paper reach a mean AUC of at most 0.65 under prior 1. But an attacker who knows where the target was, and adds up the counts there, still reaches 0.90 against flight numbers and 0.99 against aircraft.
#
# ````{admonition} What this does not show
# :class: note
# - The formula predicts the success of the *cell sum*. An attack that gives more weight to *quiet cells*, which are cells with few other users, is [stronger](foundations-quiet). So is [logistic regression on the target's cells](kk-sum-baseline).
# - The groups in our experiment are random samples of one population. A real group, such as the patients of a hospital, is not a random sample, and its members may resemble each other.
# ````
#
# (kk-overlaps)=
# ### Why does the cell sum vary more around a flight number?
#
# The cell sum varies more for flight numbers because the standard deviation $s$ of the overlaps is larger. We consider two possible reasons why it is larger. We say that another user *meets* the target in a cell if the two are counted there together.
#
# The first possible reason is that other users meet an aircraft less often, because its cells are quieter. (The [first chapter](foundations-quiet) found that quiet cells reveal most.) To find out how much of the difference quieter cells could explain, we compare $s$ with the value that it would have in a simple model. If meetings with the target were rare and independent of each other, so that meeting it in one cell made no other meeting more likely, the overlap would have approximately a Poisson distribution, whose standard deviation is $\sqrt{\mu}$.
#
# The second possible reason is that the overlaps with a flight number are *clumped*: few users meet the flight number, but each of them meets it often. A small example shows that clumping raises $s$ even if $\mu$ stays the same. Suppose that there are a hundred other users, and twelve meetings with the target in all. Either twelve users meet the target once each, or three users meet it four times each:

# %%
once_each = np.array([1] * 12 + [0] * 88)
clumped = np.array([4] * 3 + [0] * 97)
for case, example in (("twelve, once", once_each), ("three, four times", clumped)):
    print(f"{case} each: μ = {example.mean():.2f}", end=", ")
    print(f"√μ = {np.sqrt(example.mean()):.2f}, s = {example.std():.2f}")

# %% [markdown]
# In the first case $s$ is a little below $\sqrt\mu$, as in the model of independent meetings. In the second case it is about twice as large. Are the overlaps with flight numbers clumped in this way? We first count the users who meet our example target, by the number of cells that they share with it:

# %%
shared_cells, n_users = np.unique(overlap_of_one, return_counts=True)
print("other users by the number of shared cells:")
print(dict(zip(shared_cells.tolist(), n_users.tolist(), strict=True)))
print(f"{(overlap_of_one > 0).sum()} share a cell", end=", ")
print(f"{(overlap_of_one >= 5).sum()} share five or more")

# %% [markdown]
# Of the 51 users who meet this flight number, 19 share a single cell with it, but 28 share five cells or more. The following figure shows the same numbers, averaged over all targets:

# %% tags=["hide-input"]
rows, of_shared = [], []
for data, user in all_targets.itertuples(index=False):
    visited = first_weeks[data].matrix
    own_cells = visited[[user]].indices  # place x 168 + hour
    # other users x the target's cells: was the user counted there?
    shared = np.delete(visited[:, own_cells].toarray() > 0, user, axis=0)
    its_overlap, day = shared.sum(axis=1), own_cells % 168 // 24
    on_day = np.stack([shared[:, day == d].any(axis=1) for d in range(7)])
    met = its_overlap > 0
    row = {"√μ": np.sqrt(its_overlap.mean()), "s": its_overlap.std()}
    row |= {"others who meet it": met.sum(), "cells each": its_overlap[met].mean()}
    row["days each"] = on_day[:, met].sum(axis=0).mean()
    rows.append({"data": data} | row)
    numbers_of = {k: (its_overlap == k).sum() for k in (1, 2, 3, 4)}
    of_shared.append({"data": data} | numbers_of | {5: (its_overlap >= 5).sum()})
of_overlaps = pd.DataFrame(rows).groupby("data", sort=False).mean()
of_shared = pd.DataFrame(of_shared).groupby("data", sort=False).mean()

# %% mystnb={"figure": {"name": "fig-kk-overlaps", "caption": "Mean number of other users, over 51 targets of each population, by the number of cells that they share with the target in the first week. Most users who meet an aircraft meet it only once. Fewer users meet a flight number, but many of these share five cells or more with it."}, "image": {"alt": "Two panels of bars, flight numbers and aircraft: mean number of other users who share one, two, three, four, and five or more cells with the target. Flight numbers: 8.2, 2.6, 2.2, 2.3 and 12.5 users. Aircraft: 52.2, 4.8, 0.6, 0.1 and 0.0 users."}} tags=["hide-input"]
figures.show_overlaps(of_shared)

# %% tags=["hide-input"]
shown = of_overlaps.rename(index=figures.in_words)
plots.show_table(shown.map("{:.2f}".format), "overlaps")
quotients = of_overlaps.iloc[0] / of_overlaps.iloc[-1]
print(
    f"quotient of the two √μ: {quotients['√μ']:.1f}, of the two s: {quotients['s']:.1f}"
)

# %% [markdown]
# *Means over the same targets. "Others who meet it": the number of other users who share at least one cell with the target. "Cells each": the number of cells in which such a user meets the target. "Days each": the number of different days of the week on which they meet.*
#
# Quieter cells explain only a small part of the difference. The two values of $\sqrt{\mu}$ differ by a factor of 1.3, but the two values of $s$ differ by a factor of 2.6. For aircraft, $s$ is about equal to $\sqrt{\mu}$, as it would be if users met the target independently. For flight numbers, $s$ is twice as large as $\sqrt{\mu}$.
#
# The rest of the difference is clumping. Flight numbers keep their timetable from day to day. Two flights that are at an airport in the same hour on one day are often there together on other days as well. A user who meets a flight number at all therefore meets it in about four cells on average, on about four different days. {numref}`fig-kk-overlaps` shows that this average mixes two kinds of users. Some meet the flight number only once, whereas nearly half of those who meet it share five or more cells with it. About twice as many users meet an aircraft, but most of them meet it only once. As in the small example, a few large overlaps make the cell sum vary more than many small ones.
#
# (kk-cautious)=
# ### How many are identified with few false alarms?
#
# An attacker who can afford only few false positives cares about the TPR at a low FPR. The AUC does not show this TPR, because the AUC averages over all thresholds. We compare the TPR of logistic regression and of the cell sum on the same 2,000 test groups of 50 users:

# %% tags=["hide-input"]
by_lr = results(kk.cautious, n_test=2000)
by_sum = results(kk.cautious_sums, n_test=2000)
plots.show_table(figures.tpr_table(by_lr, by_sum), "tpr")

# %% [markdown]
# *Mean TPR at an FPR of 1% over 51 targets, groups of 50, with 95% intervals. The last column is based on other groups, because prior 2b uses the counts of another week.*
#
# The cell sum identifies far more groups than logistic regression does. Under prior 1, logistic regression identifies on average 6% of the groups that contain a given flight number, and 8% of the groups that contain a given aircraft. Of the same groups, the cell sum identifies 32% and 87%. With past counts of other groups (2b), logistic regression identifies only 4% for flight numbers and 2% for aircraft, which is little, but more than the 1% that an attacker identifies by guessing.
#
# In these groups, as in the experiment under prior 1 above, the attacker knows no member except the target. The groups of the [table of sizes](kk-large-groups) were drawn from all users, so its values for groups of 50 differ a little from those in this table.
#
# We have not repeated this experiment for the random forest. Its AUC against flight numbers in groups of 50 is higher than that of logistic regression (0.74 against 0.66), so the forest may identify more groups.

# %% [markdown]
# (kk-recognises)=
# ## What does prior 2a recognise?
#
# Under prior 2a the attacker knows which groups contain the target, and the classifier must score *the same groups* a week later. It may succeed in two ways. It may recognise the *target*, or it may recognise the *group* and look up its label. The AUC does not show in which of the two ways the classifier succeeded.
#
# The six people illustrate the second way. We take four groups of two, and compare their counts on Tuesday (rows) with those on Monday (columns). Each distance is the sum of the absolute differences of the counts.

# %%
pairs = [("Ada", "Ben"), ("Ada", "Cleo"), ("Dan", "Eve"), ("Dan", "Fay")]
monday, tuesday = np.split(count(pairs), 2, axis=2)
distances_by_day = np.abs(tuesday[:, None] - monday[None, :]).sum(axis=(2, 3))
labelled = list(map(" + ".join, pairs))
days = pd.DataFrame(
    distances_by_day, [f"{pair}, Tuesday" for pair in labelled], labelled
)
plots.show_table(days, "six-recognised")

# %% [markdown]
# Ada, Ben and Cleo do the same on both days. For each of the first two groups, the distance between its Tuesday counts and its Monday counts is therefore 0. An attacker can look up such a group without knowing anything about any single person. The two groups with Dan are not recognised, because the Tuesday counts of each are nearest to the Monday counts of another group.
#
# Are real groups recognised in the same way? We draw the game for one target of each population and keep 20 groups of 100 users. For each of these groups we compare the counts of the released week with the counts of the same 20 groups in the last known week:

# %%
from scipy.spatial.distance import cdist

distances_of = {}
for data, population in populations.items():
    who = kk.targets(population, settings_of[data]["n_per_third"], seed)[-1]
    rng, m = stream(seed, "kk-two-weeks", data), settings_of[data]["length_size"]
    few = min(20, beta_same)
    game_2a = kk.task(population, who, "2a same groups", m, rng, beta_same=few)
    in_last_week = game_2a.train_units == game_2a.train_units.max()
    known_week = game_2a.train[in_last_week].reshape(few, -1)
    released_week = game_2a.test.reshape(few, -1)
    distances_of[data] = cdist(released_week, known_week, "cityblock")
    nearest_known = distances_of[data].argmin(axis=1)
    n_recognised = (nearest_known == np.arange(few)).sum()
    print(f"{data}: {n_recognised} of {few} groups recognised", end=", ")
    n_quietest = (nearest_known == known_week.sum(axis=1).argmin()).sum()
    print(f"{n_quietest} nearest to the known group with the fewest visits")

# %% mystnb={"figure": {"name": "fig-kk-recognised", "caption": "Distance between the counts of a group in the released week (rows) and the counts of each group in the last known week (columns), divided by the mean distance of the row. The same group in both weeks is on the diagonal. In each row a circle marks the nearest known group: filled if it is the same group, open if it is another one. All 20 groups of flight numbers are recognised, because each is far nearer to itself than to any other. For aircraft the distances hardly differ, and only 4 of the 20 groups are recognised. Most open circles are in one darker column. It belongs to the group with the fewest visits in that week, which is therefore not far from any other group."}, "image": {"alt": "Two square grids of cells. For flight numbers the diagonal is dark and each of its 20 cells has a filled circle; everything else is light. For aircraft the whole grid is light; 4 filled circles are on the diagonal, and most of the 16 open circles are in a single darker column."}} tags=["hide-input"]
figures.show_recognised(distances_of)

# %% [markdown]
# Each group of flight numbers is nearest to its own counts of the week before, so all 20 groups are recognised. Only 4 of the 20 groups of aircraft are recognised. For 13 of the 20, the nearest known group is simply the one with the fewest visits. (One of the four recognised groups is this group itself.) An attacker who picks one of the 20 candidates at random would be right once on average. ({ref}`An exercise <kk-matching>` looks up many more groups among 100 candidates each. There, 5% of the groups of aircraft are recognised, instead of 1% by chance.) Nothing in this lookup uses the target's trace.
#
# Does the classifier recognise targets or groups in the flight data? To find out, we give it **random labels**: we permute the true labels, so that a randomly drawn half of the groups is labelled as containing the target. A group keeps its random label from week to week. Random labels say nothing about any person, although those of a single draw may resemble the true labels by chance. If the AUC for random labels is above 1/2 on average over many draws, the classifier must be recognising groups.
#
# Random labels are also the idea behind the **permutation test**. Such a test asks how large a statistic, for example the AUC, would be if the labels had nothing to do with the data, here: if they said nothing about who is in a group. It permutes the labels many times and computes the statistic each time. The resulting values are the {term}`null distribution`. The **p-value** is the share of labelings, including the true one, for which the statistic is at least as large as for the true labels. If the p-value is large, there is no evidence that the true labels carry information that random labels do not carry. ({ref}`An exercise <kk-permutation>` computes a p-value by hand.)
#
# A permutation test for each target would need many fits of the classifier. For the flights, we permute the labels only once for each target. We then average over 51 targets with one permutation each, instead of over many permutations for one target.
#
# We start with our example target. The classifier learns random labels in the earlier weeks, and must find them again in the last one. For comparison, a second classifier learns the true labels. Each of the 100 groups gives three training rows, one for each earlier week, and one test row. So 300 rows train the model, 100 test it, and step 3 keeps 400 features:

# %%
*earlier, last = weeks
m = min(setting["past_sizes"])
rng = stream(seed, "kk-random-labels", flight_numbers, target)  # a game of its own
game_2a = game.same_groups_task(traces, target, beta_same, m, last, earlier, rng)
true_labels = game_2a.test_members
random_labels = np.random.default_rng(seed).permutation(true_labels)
print(f"rows: {len(game_2a.train)} + {len(game_2a.test)}", end=", ")
print(f"features kept: {game_2a.n_samples}")
for case, labels in (("true", true_labels), ("random", random_labels)):
    lookup = KnockKnock(classifier="LR", n_features=game_2a.n_samples)
    # the training rows are all groups in week 1, then in week 2, then in week 3
    lookup.fit(game_2a.train, np.tile(labels, len(earlier)))
    of_labels = lookup.decision_function(game_2a.test)
    print(f"{case} labels: AUC {auc_by_pairs(labels, of_labels):.2f}")

# %% [markdown]
# With random labels, too, the classifier ranks all or nearly all pairs of groups correctly, although these labels say nothing about the target. These are the means over all targets:

# %% tags=["hide-input"]
recognised = results(kk.recognition)
plots.show_table(figures.label_table(recognised), "recognition")

# %% [markdown]
# *Mean AUC of logistic regression under prior 2a, groups of 100, 51 targets, with 95% intervals. The last column is the mean over targets of the AUC for true labels minus the AUC for random labels.*
#
# Suppose that the true labels carry no more information than random ones. Then the two AUCs of a target are *exchangeable*: their joint distribution stays the same if we exchange them. The mean of their difference over targets is then near 0, and this is what we see, because both intervals of the difference contain 0. So the high AUC for flight numbers is no evidence that the classifier recognises the target. Recognising the group is enough to explain this AUC. The same holds for the much lower AUC for aircraft, although the data there are compatible with a difference of up to 0.03.
#
# How can a group of aircraft be recognised at all, if aircraft do not repeat their schedules? Aircraft hardly ever return to a place at the same hour a week later, but they do return to some of their places at other hours. The seven statistics discard the hours, so a group may have similar statistics in two weeks although its counts differ in many hours. {ref}`An exercise <kk-matching>` supports this explanation. There, a lookup recognises a group of aircraft far more often if it compares the totals of the places than if it compares the counts of every hour.
#
# Do the counts then reveal nothing about the target? The control with random labels cannot answer this question, because the AUC for random labels is already 1.00 for flight numbers, and the AUC for true labels cannot be higher. Prior 2b can answer the question, because its released groups are new and cannot be looked up. Under prior 2b the random forest has a mean AUC of 0.65 against flight numbers in groups of 100 ([table above](kk-sizes)). So the counts do reveal something about the target. How much they reveal remains open, because this is the AUC of a single classifier, which does not use the hours. Under prior 1, an attacker who knows the target's trace reaches a mean AUC of [0.90](kk-sum-baseline) with the cell sum in groups of this size.
#
# Prior 2a is not harmless, however: an attacker who knows who belonged to a group needs only to recognise the group. But a high AUC under prior 2a shows only that *groups* are stable, and is no evidence that the counts reveal the target.
#
# Does the same hold for the random forest, the classifier of {numref}`fig-kk-priors`? We repeat the control with the forest. It trains more slowly than logistic regression, so we use only 18 targets of each population:

# %% tags=["hide-input"]
fewer = {
    data: setting | {"n_per_third": min(6, n_per_third)}
    for data, setting in settings_of.items()
}
by_forest = kk.stored_or_run(
    populations, fewer, kk.recognition, classifier="RF", **common
)
plots.show_table(figures.label_table(by_forest), "recognition-forest")

# %% [markdown]
# *As above, for the random forest and 18 targets of each population.*
#
# Again we find no difference between true and random labels. With only 18 targets, the interval for aircraft is wider, and a difference of up to 0.07 is compatible with the data. We have not repeated the control for the other two classifiers or for other group sizes.

# %% [markdown]
# (kk-regularity)=
# ## Are regular users easier to find?
#
# The paper compares commuters with cabs and concludes that regularity makes its attack easier, but these two populations differ in many ways. Our two populations are more alike, because they have the same airports, the same hours and the same number of users. They do differ in their regularity: flight numbers nearly always return to a place at the same hour a week later, and aircraft hardly ever do. (From the second week on, the recurrence, which the first chapter defines, is 0.96 for flight numbers and 0.04 for aircraft. A [change of the clocks](kk-length) shifts the first week.)
#
# We subtract the mean AUC for aircraft from the mean AUC for flight numbers, so a positive difference means that regular users are easier to find. The two samples consist of different users, so we cannot pair the targets. The standard error of the difference of two independent means $\bar x_1$ and $\bar x_2$ is $\sqrt{\hat\sigma_1^2 / n_1 + \hat\sigma_2^2 / n_2}$, where $\hat\sigma_i$ is the standard deviation of the AUCs of $n_i$ targets. For logistic regression under prior 1 in groups of a hundred:

# %%
aircraft, largest = list(populations)[-1], max(setting["subset_sizes"])
in_largest = under_prior_1[under_prior_1["group size"] == largest]
first = in_largest.loc[in_largest["data"] == flight_numbers, linear]
second = in_largest.loc[in_largest["data"] == aircraft, linear]
error = np.sqrt(first.var() / len(first) + second.var() / len(second))
print(f"difference {first.mean() - second.mean():.3f}, standard error {error:.3f}")

# %% [markdown]
# **Welch's interval** is the difference plus and minus about two of these standard errors. (The exact factor is a quantile of the $t$ distribution, whose degrees of freedom depend on both variances.) The library computes it for every group size under prior 1:

# %% tags=["hide-input"]
compared = list(dict.fromkeys([linear, strongest]))
by_setting = under_prior_1.set_index(["data", "group size"]).sort_index()
for m in settings_of[aircraft]["subset_sizes"]:
    for classifier in compared:
        pair = [by_setting.loc[(d, m), classifier] for d in (flight_numbers, aircraft)]
        low, high = metrics.difference_interval(*pair)
        difference = pair[0].mean() - pair[1].mean()
        print(f"groups of {m}, {classifier}: {difference:.3f}", end=" ")
        print(f"[{low:.3f}, {high:.3f}]")

# %% mystnb={"figure": {"name": "fig-kk-regularity", "caption": "Mean AUC for flight numbers minus mean AUC for aircraft, over 51 targets each, with Welch's 95% intervals. The dotted line marks no difference. Colours and markers stand for attacks. If the attacker learns from earlier weeks, the regular flight numbers are easier to find, under prior 2b with a difference that shrinks as groups grow (for logistic regression in groups of 500, the interval contains 0). If the attacker learns from the same week, the forest's intervals all contain 0, and those of logistic regression lie almost entirely below 0."}, "image": {"alt": "Three panels, one for each prior: the difference of the mean AUCs against group size, a line for logistic regression and one for the random forest, with intervals. Under prior 1 both lines are near 0; under prior 2a they are between 0.3 and 0.42; under prior 2b they fall from 0.22 and 0.30 in groups of ten to 0.01 and 0.05 in groups of 500."}} tags=["hide-input"]
figures.show_regular_users(games, compared)

# %% tags=["hide-input", "hide-output"]
figures.show_regularity(games, compared)

# %% [markdown]
# *The folded table contains the eighteen differences of the figure and their intervals.*
#
# If the attacker learns from earlier weeks, regular users are easier to find in small groups, and under prior 2a in large groups as well. But prior 2a tells us little about the person, because recognising the group is enough to explain its AUC, at least in groups of 100, where we [tested it](kk-recognises). The evidence therefore comes from prior 2b. Under prior 2b, the lead of the regular users is clear in groups of 10. In groups of 100 the lead is clear for the forest and small for logistic regression. In groups of 500 a small lead is left for the forest, and the result for logistic regression is inconclusive.
#
# If the attacker learns from the same week (1), we find no sign that regularity makes the attack easier. For logistic regression, the mean AUC is slightly higher for aircraft, and the interval excludes 0 in groups of 100 and, only just, in groups of 10. For the forest the result is inconclusive, because its three intervals all contain 0 and lie between $-0.04$ and 0.07. A plausible reason why regularity does not help here is that an attacker who knows traces of the released week does not need to predict them from earlier weeks.
#
# ````{admonition} What this does not show
# :class: note
# - The figure has eighteen intervals. If there were no differences at all, about one of the intervals would miss 0 by chance. The results for logistic regression under prior 1 in groups of 10 and 100, whose intervals end at $-0.004$ and $-0.012$, are therefore weak evidence.
# - These results do not prove that regularity is the cause, because the populations differ in other ways as well. An aircraft visits more places than a flight number and makes fewer visits (see the [table of dense and sparse data](foundations-dense) in the first chapter).
# - The paper found a larger privacy loss for commuters than for cabs under prior 1 as well, and gave sparseness as the reason. Our populations cannot test this reason, because both are sparse.
# - The seven statistics discard the order of the hours. A classifier that uses these statistics can therefore benefit from a weaker kind of regularity than recurrence ({prf:ref}`def-recurrence`).
# ````

# %% [markdown]
# (kk-best)=
# ## What is "the best classifier for each target" worth?
#
# Besides the AUC of each classifier, the paper reports a summary that it calls BEST. For each target, BEST is the AUC of the classifier with the highest AUC *on the test groups*. An attacker cannot choose a classifier in this way, because they do not know which test groups contain the target. BEST is also **optimistically biased**: the largest of several noisy estimates tends to be an overestimate. The mean of BEST is therefore above 1/2 even if nothing can be learned.
#
# How far is BEST above 1/2 by chance? Random labels answer this question as well. We permute the labels of the test groups and take the best classifier for the permuted labels. The mean AUC of this choice is the **chance level** of BEST. For our example game, we permute the labels 200 times:

# %%
scores_of = {}
for classifier in classifiers:
    attack = KnockKnock(classifier=classifier, n_features=task.n_samples)
    attack.fit(task.train, task.train_members)
    scores_of[classifier] = attack.decision_function(task.test)

permutations, best = np.random.default_rng(seed), []
for _ in range(200):
    labels = permutations.permutation(task.test_members)
    best.append(
        max(metrics.auc(labels, test_scores) for test_scores in scores_of.values())
    )
print(f"mean AUC of the best classifier for permuted labels: {np.mean(best):.2f}")

# %% [markdown]
# The experiment does the same for every target and setting. These are the means of BEST and of its chance level:

# %% tags=["hide-input"]
chance = figures.floor_table(games)
plots.show_if_any(chance, "best-floor", "With one classifier there is no BEST.")

# %% [markdown]
# *Mean AUC over all group sizes and 51 targets, with 95% intervals.*
#
# The chance level is about 0.54 instead of 0.50. This matters little if BEST is far above its chance level, but it matters for aircraft under prior 2b. There, BEST has a mean AUC of 0.62, and its chance level is 0.55. So about two fifths of BEST's lead over 1/2 would remain even if the classifiers had learned nothing.
#
# An attacker who does not know the labels of the test groups can still choose a classifier, by cross-validation on the training groups. BEST minus the AUC of this cross-validated choice shows by how much BEST overstates the success of a real attacker. The difference is never negative, because BEST is the largest of the four AUCs. For seven targets of each population, from the smallest difference to the largest:

# %%
choices = results(kk.choices)  # AUCs of BEST and of the cross-validated choice
of_choices = choices.pivot_table("AUC", ["data", "target"], "choice", sort=False)
overstated = of_choices["BEST"] - of_choices["cross-validated"]
for data, of_data in overstated.groupby(level="data", sort=False):
    print(f"{figures.in_words(data)}:", *[f"{value:.2f}" for value in sorted(of_data)])

# %% tags=["hide-input"]
of_choice = figures.choice_table(choices).rename(columns={"blindly": "random choice"})
plots.show_table(of_choice, "choices")

# %% [markdown]
# *Mean AUC under prior 1 in groups of 50. "Random choice" is the mean over the four classifiers, which is what an attacker who picks a classifier at random reaches on average. The fourth column contains the mean of the difference and, in parentheses, its range over targets; it is computed before rounding.*
#
# On average, BEST is higher than the cross-validated choice by 0.04 for flight numbers and by 0.07 for aircraft. For flight numbers nearly the whole mean comes from a single target, whose difference is 0.25. For aircraft, five of the seven targets have a difference of 0.04 or more. Seven targets of each population are too few for a more precise statement.

# %% [markdown]
# ## Take-aways
#
# - Under prior 1 in groups of ten, the random forest is the best of the four trained classifiers, with a mean AUC of 0.95. As groups grow, the AUCs of all four classifiers fall quickly.
# - Under prior 1, the cell sum, which needs no training, beats all four classifiers at every group size. But logistic regression beats the cell sum in groups of a hundred if it is given the counts in the target's own cells. A trained attack is not automatically a strong attack: its success depends on what it is given.
# - How well a large group protects its members depends on the attack. Larger groups do protect better against the cell sum, but measured by the AUC the protection grows only slowly. The protection is weaker for targets who make many visits, and for targets with whom all other users overlap about equally. Once a group contains more than half of the population, further growth weakens the protection.
# - Three numbers about a target predict how well a group hides the target from the cell sum, if groups are random samples and the sizes of the group and of the population are given. They are the number of the target's visits, and the mean and the standard deviation of the other users' overlaps with the target.
# - The success of a classifier depends on the prior knowledge and on the target. Against flight numbers, which are regular, the random forest does best with past counts of the *same* groups. Against aircraft, which are irregular, a classifier does best in small groups with traces of the released week.
# - Under prior 2a, recognising the group is enough to explain the success of logistic regression and of the random forest in groups of 100, where we tested it. We find no difference between their AUCs for random and for true labels.
# - The cell sum can also tell whether a group contains a given bike rider. In groups of a hundred of the 171 riders, its mean AUC is 0.97. The share of groups that it identifies with few false alarms depends on how the threshold is set. If the threshold for each target is set on the labelled test groups themselves, at an FPR of 1%, the cell sum identifies 84% of the groups that contain a given rider. The share is [much smaller](audit-riders-audit) for an attacker who knows only the target's visits and the traces of some other people.
# - Somebody who knows where Ada was in the hours of the hospital's release need not train a classifier. They can add up the counts at her places and hours. The patients of a hospital are not a random group, so the numbers of this chapter do not carry over to them. But the flights show that a table without names and a large group do not guarantee that a person is hidden.
# - Even if nothing can be learned, the mean AUC of BEST is above 1/2. Compare BEST with its chance level, or do not report it.
# - The authors of the paper hope that such attacks will be used to test a release *before* it is published. The chapter on [protected counts](knock_knock_defenses.ipynb) does so for noisy releases.

# %% [markdown]
# (kk-further)=
# ## Further reading: four more experiments
#
# The rest of the chapter uses only the results of the following sections. The first two vary the length of the release and the number of groups from which the attacker learns. The third compares our results with the paper's, and the fourth evaluates the attacks on people who rent bikes.

# %% [markdown]
# (kk-length)=
# ### Does a shorter release protect better?
#
# A data holder could release the counts of one day, or of eight hours, instead of the counts of a week. Does this make the attack harder? We evaluate a random forest under prior 2a, as the paper does for its commuters. The attacker learns from the same hours of earlier weeks.
#
# Under prior 2a the classifier can succeed by [recognising the group](kk-recognises). The losses in this section may therefore show no more than how well a group of a hundred can be recognised from a shorter release. We tested this for the week, but not for shorter releases.
#
# What is the right baseline for these losses? A loss is never negative, so even an attacker who guesses has a positive mean loss. Suppose that the scores are random. The AUC is the Mann-Whitney statistic divided by the number of pairs, so it is roughly normal around 1/2, and its standard deviation is known. If $X$ is normal with mean 0 and standard deviation $\sigma$, the mean of $\max(0, X)$ is $\sigma / \sqrt{2\pi}$. Here $X = 2\,\mathrm{AUC} - 1$, whose standard deviation is twice that of the AUC. We check the result on 5,000 attackers who guess:


# %%
def loss_of_guessing(n_in, n_out):  # test groups with the target, and without
    of_auc = np.sqrt((n_in + n_out + 1) / (12 * n_in * n_out))  # Mann-Whitney
    return 2 * of_auc / np.sqrt(2 * np.pi)


guesses, labels = np.random.default_rng(seed), np.repeat([1, 0], 50)
aucs = np.array([metrics.auc(labels, guesses.normal(size=100)) for _ in range(5000)])
losses = np.maximum(0, 2 * aucs - 1)
low, high = metrics.mean_interval(losses)
print("mean loss of an attacker who guesses, 50 + 50 test groups:")
print(f"   by the formula {loss_of_guessing(50, 50):.3f}", end=", ")
print(f"simulated {losses.mean():.3f} [{low:.3f}, {high:.3f}]")

# %% [markdown]
# The formula assumes that no two scores are equal. The forest has only 30 trees, so its scores often tie. For the forest, the formula is therefore an upper bound. These are the losses of the forest:

# %% tags=["hide-input"]
lengths = results(kk.lengths, classifier="RF")
plots.show_table(figures.lengths_table(lengths), "lengths")

# %% [markdown]
# *Mean privacy loss under prior 2a in groups of 100, with 95% intervals. In parentheses: the number of targets who are seen at all in these hours; the mean is over these targets. "8-16h" is in UTC: in New York this is 3 to 11 o'clock in the first week, and 4 to 12 o'clock in the later weeks.*
#
# The attack remains nearly perfect for flight numbers in every period, as it would be if it recognised groups. In the eight hours, only 15 (Monday) or 12 (Saturday) of the 51 targets are seen at all, but the mean loss of these targets is still close to 1. The other targets are not counted in these hours, so we leave them out. They are not safe, though: an attacker who recognises the group can still look up whether a target belongs to it.
#
# Against aircraft, the losses of shorter releases are means over fewer targets. To compare like with like, we subtract the loss with a shorter release from the loss with the week, for every aircraft that is seen in both:

# %% tags=["hide-input"]
from lib.papers import summaries

of_aircraft = lengths.query("data == @aircraft and clock == 'local'")
of_aircraft = of_aircraft.assign(loss=(2 * of_aircraft["AUC"] - 1).clip(lower=0))
for period in [each for each in kk.PERIODS if each != "week"]:
    if period in set(of_aircraft["period"]):
        lost = summaries.differences(
            of_aircraft, ["data"], "loss", ["target"], "period", "week", period
        )
        for text, n in zip(summaries.texts(lost), lost["n"], strict=True):
            print(f"week minus {period}: {text} ({n:.0f} aircraft)")

# %% [markdown]
# All four intervals lie above 0, so the attack on aircraft is less successful if the release is shorter. For a day, the mean loss is at most 0.10. With releases of eight hours, on Monday or on Saturday, the interval of the mean loss contains 0.05, which is what guessing yields on average.
#
# The paper's losses for commuters lie between those of our flight numbers and those of our aircraft. Against cabs, the paper uses a neural network instead of a forest, and for the week and for single days its losses are close to those of our aircraft. We ran the experiment on the same cabs, and on a synthetic surrogate of the commuters, whose data are not available. The next figure shows all four populations, and the paper's losses beside ours:

# %% tags=["hide-input"]
cities = ["commuters", "cabspotting"]
of_cities = kk.lengths.stored(*cities).query("clock == 'local'")
print(kk.lengths.source(*cities))
of_eight = of_cities.query("data == 'cabspotting' and period == 'Monday 8-16h'")
print(f"cabs, eight hours: {metrics.privacy_loss(of_eight['AUC']).mean():.2f}")
guess_of_cabs = loss_of_guessing(75, 75)  # the cabs have more test groups
print(f"mean loss of an attacker who guesses, 75 + 75 test groups: {guess_of_cabs:.2f}")

# %% mystnb={"figure": {"name": "fig-kk-lengths", "caption": "Mean privacy loss under prior 2a if fewer hours are released, with 95% intervals over targets. Stars, drawn a little higher, are the means that the paper prints for its real commuters and for the same cabs. The dotted line marks the mean loss of an attacker who guesses. Flights: random forest, groups of 100. Commuters: random forest, groups of 1,000; our data are a synthetic surrogate. Cabs: neural network, groups of 100, local time in San Francisco. For aircraft, cabs and the surrogate of the commuters, shorter releases have smaller losses than the week. For flight numbers the loss stays near 1."}, "image": {"alt": "Four panels, flight numbers, aircraft, a surrogate of the commuters, and cabs, each with a row for a week, two days and twice eight hours. Flight numbers stay at or near 1; aircraft fall from 0.26 to about 0.05; the commuters are between 0.97 and 0.36, with the paper's stars between 0.98 and 0.46; cabs fall from 0.27 to 0.08, with the stars at most 0.02 away."}} tags=["hide-input"]
guess_of_flights = loss_of_guessing(beta_same // 2, beta_same // 2)
guesses_of = dict.fromkeys(populations, guess_of_flights)
guesses_of |= dict.fromkeys(cities, guess_of_cabs)
all_four = pd.concat([lengths[~lengths["data"].isin(cities)], of_cities])
figures.show_loss_by_length(all_four, guesses_of)

# %% tags=["hide-input", "hide-output"]
beside_paper = figures.losses_beside(kk.lengths.stored(*cities))
plots.show_table(beside_paper, "lengths-stored")

# %% [markdown]
# *The folded table contains the losses of the two lower panels and the paper's, which have the number of digits that the paper prints.*
#
# Against cabs, the attack is much less successful with the counts of a day than with those of a week: the loss is at most half as large. With the counts of eight hours our loss is 0.08, which is about twice the loss of an attacker who guesses.
#
# Against commuters, the attack succeeds nearly as well with the counts of a Monday as with those of a week, both in the paper and for our surrogate. For a Saturday the loss is smaller, presumably because people are less regular on Saturdays. For eight hours of a Monday the paper still reports a large loss, whereas the loss for our surrogate is smaller.
#
# ````{admonition} What this does not show
# :class: note
# - For eight hours, the mean losses of the flights are over only 12 to 29 of the 51 targets, so they say nothing about the other targets.
# - The hours of the flights are in UTC, and New York's clocks went forward after the first of the four weeks. A flight that leaves at eight o'clock in New York therefore leaves at 13 UTC in the first week, which is one of the training weeks, and at 12 UTC in the later weeks. {ref}`An exercise of the first chapter <foundations-daylight>` measures the effect of this shift.
# - The eight hours begin at eight o'clock in local time for the cabs, but in UTC for the flights. Eight o'clock UTC is still night in New York. This may be one reason why so few flight numbers are seen in the eight hours.
# - The surrogate was calibrated to published statistics of the commuters and not to their traces. The order of the five periods by their losses is the same as in the paper, but the surrogate's losses for less than a week are smaller. We cannot say whether this difference is due to the attack or to the surrogate.
# ````

# %% [markdown]
# (kk-learning)=
# ### How many labelled groups does the attacker need?
#
# We return to logistic regression under prior 1 in groups of 50, and measure how the attack improves as the number of training groups grows. For each number of training groups we draw new test groups.

# %% tags=["hide-input"]
steps = sorted({20, 50, 100, 200, n_train})
learning = results(kk.learning, training_groups=steps)

# %% mystnb={"figure": {"name": "fig-kk-learning", "caption": "Mean AUC of logistic regression under prior 1 in groups of 50 against the number of training groups, with 95% intervals over targets: 51 flight numbers and aircraft, and the paper's cabs (stored results). The dotted line marks guessing. All three lines rise up to 200 groups. The line of the cabs, the only one that continues to 400 groups, hardly rises any further."}, "image": {"alt": "Mean AUC of logistic regression against the number of training groups, a line for each of three populations with intervals; all rise up to 200 groups, and the line of the cabs is nearly level from 200 to 400."}} tags=["hide-input"]
cabs = kk.learning.stored("cabspotting")
both = pd.concat([learning, cabs[~cabs["data"].isin(learning["data"])]])
figures.show_learning(figures.mean_aucs(both, ["data", "training groups"]), middle)

# %% [markdown]
# The intervals in the figure are over targets, and the targets differ much from each other. To see whether more groups help, we therefore subtract the AUC with fewer groups from the AUC with more groups for each target, and average these gains:

# %% tags=["hide-input"]
gained = figures.gain_table(both, [(50, 100), (100, 200), (200, 400)])
plots.show_table(gained, "learning-gains")

# %% [markdown]
# *Mean gain in AUC, where each target is compared with itself; brackets are 95% intervals. The columns state the two numbers of training groups. A dash marks a comparison that we did not evaluate. The row for the cabs comes from stored results on the paper's data.*
#
# With 100 training groups instead of 50, the attack is better against all three populations. With 200 groups instead of 100, the attack is again better against cabs and aircraft, although the interval for aircraft begins only just above 0. For flight numbers the comparison of 200 with 100 groups is inconclusive. Against cabs, increasing the number of training groups from 200 to 400, the number used in the paper, brings no measurable gain.

# %% [markdown]
# (kk-found)=
# ### What the paper found, and what we found
#
# How close are our results to the paper's? We repeated the paper's experiments on its own cabs, with 150 targets, and on a synthetic surrogate of its commuters, with fewer targets (30 for the [length of a release](kk-length)). For the cabs, the following figure shows how far our stored results are from the means that the paper prints. The upper panel shows mean AUCs, mostly of single classifiers, and the lower panel shows mean privacy losses under [BEST](kk-best). The paper plots this loss for every group size, but prints its mean for only some sizes.

# %% mystnb={"figure": {"name": "fig-kk-found", "caption": "Our mean over 150 cabs minus the mean that the paper prints, with 95% intervals of our mean. Upper panel: mean AUC of single classifiers and, in one row, of BEST. Lower panel: mean privacy loss under BEST. Each row states the prior and the group size. Open circles mark means that the paper prints only approximately. The vertical line marks no difference. None of our means is clearly smaller than the paper's, and most are larger by less than 0.04. The two largest differences are under prior 2a in groups of 500."}, "image": {"alt": "Two panels with a row for each mean that the paper prints, and in each row our mean minus the paper's. Most differences are between 0 and 0.04; for logistic regression under prior 2a in groups of 500 the difference of the AUCs is 0.14, and for the loss under BEST in the same groups it is 0.14 as well."}} tags=["hide-input"]
figures.show_found(kk.games.stored("cabspotting"))

# %% [markdown]
# The first table contains all mean AUCs that the paper prints for the cabs. The second table contains the losses that we discuss below:

# %% tags=["hide-input"]
of_cabs = kk.games.stored("cabspotting")
plots.show_table(figures.aucs_beside(of_cabs), "found")
losses_found = figures.best_losses_beside(of_cabs)
in_large_groups = losses_found.query("`group size` in (300, 500)")
plots.show_table(in_large_groups, "found-losses-discussed")
levels = losses_found["chance level"]
print(f"chance levels of all settings: from {levels.min()} to {levels.max()}")

# %% [markdown]
# *First table: mean AUC. Second table: mean privacy loss under BEST. Brackets are 95% intervals over 150 cabs. A dash marks a mean that the paper does not print. The [chance level](kk-best) is the mean loss under BEST if the labels of the test groups are permuted; it was computed from our games, not from the paper's. The folded table below contains the losses of all settings.*

# %% tags=["hide-input", "hide-output"]
plots.show_table(losses_found, "found-losses")

# %% [markdown]
# In groups of ten under prior 1, our mean AUCs of all four classifiers are within 0.02 of the paper's. Of the twelve others, ten are higher than the paper's and two are equal to them. Two differences stand out, both under prior 2a: that of logistic regression in groups of 500 (0.66 instead of the paper's 0.52), and that of the random forest in groups of 100 (0.56 instead of "about 0.5"). We do not know why our AUCs are higher, but the way in which we score the classifiers may be part of the reason ({ref}`kk-score`). The [replication of Knock-Knock](replication/kk.ipynb) lists every number and every trend with its verdict.
#
# A loss under BEST must be compared with its chance level, which is between 0.06 and 0.11 in our games. In groups of 300 under prior 2b, the paper's mean loss is 0.12. In this setting, the chance level of our games is 0.11, and four classifiers that guess independently on 100 test groups have a mean loss of 0.12 ({ref}`an exercise <kk-choosing>`). The paper's 0.12 is therefore no evidence that the attack succeeds. In our games, the mean loss in this setting is a little above the chance level.
#
# In one respect, the trend in our losses differs from that in the paper. Under priors 2a and 2b, our mean loss falls as groups grow to 300 and is higher again in groups of 500. The paper reports such a rise under prior 2b. Under prior 2a, however, the paper says that the loss falls on average, and that it is larger in groups of 500 than in groups of 300 in some instances of the experiment. In groups of 500 under prior 2a, the paper's mean loss is 0.20, and ours is 0.34. We do not know why ours is so much larger.
#
# Why may the loss be higher in groups of 500 than in groups of 300? The paper explains this by the overlap of the groups: because there are only 534 cabs, groups of 500 share most of their members. Under prior 2b, training and test groups therefore resemble each other. A second plausible reason is that the counts of the other members vary little from group to group, because drawing 500 of the 534 cabs is the same as choosing the 34 cabs that are left out. (For the cell sum, the [formula](kk-predict) shows this effect. The losses here are those of trained classifiers.) We have tested neither explanation.

# %% [markdown]
# (kk-riders)=
# ### Do these results hold for people?
#
# Flights and cabs are not people. **ValleyBike's riders** are people who rented shared bikes in Massachusetts. Each rider has a single pseudonym, and the bikes recorded their own positions {cite:p}`valleybike`. A rider is therefore seen only while riding. In the code, these data are called `valleybike`. We use the four weeks from 30 November 2020. The data are open, but they are not part of this book, so all tables in this section show stored results. If you have the file, `load("valleybike")` reads it, and `make paper NAME="riders-games riders-sums"` computes the results again.

# %%
from lib.papers.riders import experiments as riders

print(riders.sums.source(riders.RIDERS))

# %% tags=["hide-input"]
from lib.papers.foundations.data_cards import cards

sizes_of = cards.stored(*riders.ALL_FOUR).set_index("data")
shown = ["users", "places", "median visits", "most visits", "median places"]
recurrence = sizes_of["recurrence"].map("{:.2f}".format)
sizes = sizes_of[shown].astype(int).assign(recurrence=recurrence)
plots.show_table(sizes.rename(index=figures.in_words), "riders-sizes")

# %% [markdown]
# Half of the riders make at most five visits in four weeks. A typical cab makes thousands of visits, and a typical flight number makes dozens. The riders repeat only 3% of their visits a week later. This share is the *recurrence* over all weeks. For flight numbers the recurrence in the table is 0.70, because of the [shifted first week](kk-length). From the second week on it is {ref}`0.96 <foundations-regularity>`. For aircraft the shift hardly matters: their recurrence is 0.03 over all weeks, and 0.04 from the second week on.
#
# How well a group hides a person also depends on the number of users in the population, and the datasets differ in this number. For the comparison we therefore draw 171 users from each dataset, which is the number of riders.
#
# We use two samples of targets. The cell sum needs only the first week, so its targets need not appear later. Priors 2a and 2b attack the *last* week, so their targets must appear in it, too:
#
# | sample | condition | used for |
# |---|---|---|
# | the **first-week sample**: 45 targets of each population | at least four visits in the first week | the cell sum |
# | the **returning sample**: 15 targets of each population | at least four visits in the first week, and seen in the last week | logistic regression |
# | the targets in both (10 riders, 5 cabs, 8 flight numbers, 8 aircraft) | both | how often the returning sample goes back to its places |
#
# (kk-riders-sum)=
# #### Is a rider found by the cell sum?
#
# We first evaluate the cell sum on the first-week sample. The released week is the first week. For each target and group size, the experiment draws 1,000 groups, half of them with the target. An FPR of 1% therefore allows five of the 500 groups without the target. As a *control*, we add up the counts over the cells of another user, the *control user*, who is in none of the groups.

# %%
riders_sums = riders.sums.stored()  # the AUC, the TPR and the control of each target

# %% tags=["hide-input"]
of_riders = riders_sums.groupby(["data", "group size"], sort=False)
found_in = of_riders[["AUC", "TPR"]].mean().unstack("group size")
found_in = found_in.rename(index=figures.in_words)
plots.show_table(found_in.map("{:.2f}".format), "riders-means")
controls = of_riders["control"].mean()
print(f"mean AUC of the control: from {controls.min():.2f} to {controls.max():.2f}")

# %% mystnb={"figure": {"name": "fig-kk-riders", "caption": "The cell sum in groups of 10, 50 and 100 of 171 users: mean AUC (left; the axis begins at 0.88) and mean TPR at an FPR of 1% (right) over 45 targets of each population, with 95% intervals. Each value of a target is based on 500 groups with the target and 500 without. The dotted line marks guessing. The AUC is above 0.9 everywhere, but the TPR tells the populations apart: cabs are hidden best in large groups, and aircraft are hardly hidden at all."}, "image": {"alt": "Two panels against group size, with a line for each of four populations. Left: the mean AUC of all four is between 0.92 and 1. Right: the mean true positive rate at 1% stays near 1 for aircraft, falls from 0.98 to 0.38 for cabs, and for riders and flight numbers falls from groups of 10 to groups of 50 and rises again to 0.84 and 0.75 in groups of 100."}} tags=["hide-input"]
figures.show_sum_sizes(riders_sums)

# %% tags=["hide-input", "hide-output"]
columns = {"AUC": "AUC", "TPR": "TPR at 1% FPR", "control": "AUC of the control"}
of_45 = plots.table(riders_sums, ["data", "group size"], columns, within=(0, 1))
plots.show_table(of_45.rename(index=figures.in_words), "riders-sums")

# %% [markdown]
# *Visible table: means over 45 targets by group size. The folded table contains the 95% intervals over targets, and the AUC of the control.*
#
# The cell sum recognises most of the groups that contain a given rider, with few false alarms. In groups of ten it has a mean AUC of 0.99 or more in every population. In groups of a hundred, at an FPR of 1%, it recognises on average 84% of the groups that contain a given rider, but only 38% of the groups that contain a given cab. The control has a mean AUC close to 1/2 in all populations and group sizes. So we find no sign that a sum over somebody else's cells reveals whether the target is counted. The attacker must know the target's own cells.
#
# This result has two limits. First, we again set the threshold for each target on the test groups themselves. An attacker who has no labelled groups, and knows only the target's visits and the traces of some other people, identifies riders [far less often](audit-riders-audit). Second, a group of a hundred is more than half of the 171 users, so these groups are already larger than the size that [protects best](kk-predict).
#
# Why are cabs hidden better than the others in groups of 50 and 100? In the following table, "cells without others" is the share of the target's cells that nobody else visits. "Places revisited" is the share of the target's first-week places to which the target returns in the second week, at any hour.

# %% tags=["hide-input"]
once = riders_sums.drop_duplicates(["data", "target"])
habits = {"alone": "cells without others", "places again": "places revisited"}
habits = plots.table(once, ["data"], habits, within=(0, 1))
plots.show_table(habits.rename(index=figures.in_words), "riders-habits")

# %% [markdown]
# *Means over 45 targets of each population, with 95% intervals.*
#
# One difference between cabs and the other three populations is that a cab is hardly ever alone in a cell. On average, nobody else is counted in 43% of a rider's cells, but in only 1% of a cab's cells. As the [first chapter](foundations-quiet) found, cells with few other users reveal most. But this difference cannot be the whole explanation, because cabs are not hidden well in groups of ten: there the mean TPR is 0.98 for cabs and 0.84 for riders. Cabs also differ in other ways. For example, they make far more visits. The [formula](kk-predict) combines the number of visits with the mean and the standard deviation of the overlaps, and we have not computed these three numbers for cabs. Riding little does not hide a rider, plausibly because few others ride at the same hour in the same place.
#
# Does the share of cells that nobody else visits also explain why the TPRs of riders, flight numbers and aircraft differ? In groups of a hundred, these are the differences from the TPR of flight numbers, with [Welch's intervals](kk-regularity):

# %% tags=["hide-input"]
of_hundred = riders_sums[riders_sums["group size"] == 100].groupby("data")["TPR"]
tpr_of = dict(iter(of_hundred))
for data in ("valleybike", "flights-by-tail"):
    pair = tpr_of[data], tpr_of["flights-by-number"]
    low, high = metrics.difference_interval(*pair)
    difference = pair[0].mean() - pair[1].mean()
    print(f"{figures.in_words(data)} minus flight numbers: {difference:.2f}", end=" ")
    print(f"[{low:.2f}, {high:.2f}]")

# %% [markdown]
# *Computed before rounding.*
#
# Both intervals exclude 0, so the TPR is lower for flight numbers than for aircraft and for riders, although the interval for riders begins only just above 0. The share of cells that nobody else visits does not explain this order, because this share is about one half in all three populations. For the difference between flight numbers and aircraft, [the section on overlaps](kk-overlaps) gave a reason: the overlaps with a flight number are clumped.
#
# From groups of 50 to groups of 100, the AUC falls only a little. The [formula above](kk-predict) explains why. A group of 100 contains more than half of the 171 users, so the finite-population correction is smaller than in groups of 50, and cancels most of the growth of the group. The other members are drawn from 169 users, because the experiment leaves out the control user as well as the target:

# %%
n_others = 171 - 2  # neither the target nor the control user
for m in (10, 50, 100):
    variance = m * (n_others - m) / (n_others - 1)
    print(f"groups of {m}: variance {variance:.1f} times s²", end=", ")
    print(f"standard deviation {np.sqrt(variance):.2f} times s")

# %% [markdown]
# From groups of 50 to groups of 100, the variance grows by only 16%, and the standard deviation by 8%.
#
# The TPR, by contrast, does change. From groups of 50 to groups of 100 it *rises* for riders and flight numbers, as the mean difference over targets shows:

# %%
tpr = riders_sums.set_index(["data", "target", "group size"])["TPR"]
tpr = tpr.unstack("group size", sort=False)
rise = (tpr[100] - tpr[50]).rename("rise of the TPR").reset_index()
rise = plots.table(rise, ["data"], "rise of the TPR")
rise = rise.rename(index=figures.in_words)
plots.show_table(rise, "riders-rise")

# %% [markdown]
# *Mean over 45 targets of the TPR in groups of 100 minus the TPR in groups of 50, with 95% intervals; computed before rounding.*
#
# The variance cannot explain this rise: it grows, which by itself would lower the TPR. But the TPR at an FPR of 1% depends on how far the largest sums without the target lie above their mean, and so on the *shape* of the distribution. A change in the shape can explain a rise. {ref}`An exercise <kk-shape>` tests this explanation on the flights, and the test supports it for flight numbers. We have not tested it for riders, because their traces are not part of this book. For cabs the TPR falls by 0.11, and we have not examined why.
#
# #### Does the past help against people who hardly repeat themselves?
#
# We now run the paper's attack on riders and on the other three populations: logistic regression in groups of ten, under the three priors. We use the returning sample, 15 targets of each population.

# %% mystnb={"figure": {"name": "fig-kk-riders-games", "caption": "Mean AUC in groups of ten over 15 targets of each population, with 95% intervals: the cell sum under prior 1, and logistic regression (LR) under the three priors. The dotted line marks guessing. Past counts of other groups (2b) reveal these 15 riders, who had to appear in the last week, although riders hardly repeat their hours."}, "image": {"alt": "Four rows, the cell sum under prior 1 and logistic regression under priors 1, 2a and 2b, and in each row a marker with an interval for riders, cabs, flight numbers and aircraft. The cell sum is near 1 for all. Under prior 1 logistic regression is near 0.9 for all; under priors 2a and 2b riders are near 0.82, flight numbers at 1.00 and 0.88, cabs near 0.7, and aircraft at 0.70 and 0.64."}} tags=["hide-input"]
riders_games = riders.games.stored().query("attack != 'RF' and `group size` == 10")
figures.show_riders_games(riders_games)

# %% tags=["hide-input"]
of_games = plots.table(riders_games, ["prior", "attack"], "AUC", "data", within=(0, 1))
of_games = of_games.rename(columns=figures.in_words, index={"sum": "cell sum"})
plots.show_table(of_games.loc[["2b different groups"]], "riders-games-2b")

# %% tags=["hide-input", "hide-output"]
plots.show_table(of_games, "riders-games")

# %% [markdown]
# *Visible table: the last row of the figure. The folded table contains all rows.*
#
# Past counts do help: under prior 2b, with past counts of *other* groups, logistic regression reaches a mean AUC of 0.82 against riders. Riders hardly ever return to a place at the same hour a week later, but they may return to it at other hours. The seven statistics discard the hours, so a classifier can benefit from places alone.
#
# How often do these targets return to their places? In the [table above](kk-riders-sum), riders return to 41% of their places and aircraft to 47%. But that table averages over the first-week sample, whose targets need not appear later. The returning sample had to appear in the last week, which favours riders who come back. For the targets that are in both samples, the stored results contain the share of places to which they return:

# %% tags=["hide-input"]
both_samples = once.merge(riders_games[["data", "target"]].drop_duplicates())
returning = plots.table(
    both_samples, ["data"], {"places again": "places revisited"}, within=(0, 1)
)
returning["targets"] = both_samples.groupby("data")["target"].size()
plots.show_table(returning.rename(index=figures.in_words), "riders-returning")

# %% [markdown]
# *"Places revisited" as above, for the targets in both samples; brackets are 95% intervals.*
#
# The riders who are in both samples return to about two thirds of their places, and the aircraft to about a quarter. There are only ten such riders and eight such aircraft, so the intervals are wide. In the first-week sample, riders returned less often and aircraft more often, and we cannot tell whether these differences come from the selection of targets or from chance. Returning to places is a plausible reason why past counts of other groups reveal riders. Among the targets in both samples, aircraft return to fewer of their places than riders, which may be part of the reason why the AUC against aircraft is only 0.64. In the whole first-week sample, however, aircraft return to no fewer of their places than riders.
#
# Returning to places is not enough, however. In the [first-week sample](kk-riders-sum), cabs return to 91% of their places. (Among the targets in both samples, which include only five cabs, they return to 76% of their places.) Yet under prior 2b logistic regression has a mean AUC of only 0.68 against cabs. A cab visits most places of the city, but so does every other cab.
#
# Are riders really easier to recognise than aircraft under prior 2b, or is the difference due to chance? The intervals of the two mean AUCs overlap, but this does not answer the question. We need an interval for the *difference* of the two means:

# %% tags=["hide-input"]
past = riders_games.query("prior == '2b different groups' and attack == 'LR'")
of_past = dict(iter(past.groupby("data")["AUC"]))
pair = of_past["valleybike"], of_past["flights-by-tail"]
low, high = metrics.difference_interval(*pair)
difference = pair[0].mean() - pair[1].mean()
print(f"riders minus aircraft, prior 2b: {difference:.2f} [{low:.2f}, {high:.2f}]")

# %% [markdown]
# *95% interval (Welch's, as above), 15 targets of each population; computed before rounding.*
#
# The interval begins only just above 0, and the table allows many such comparisons. So there is only weak evidence that riders who come back are easier to recognise than aircraft. Their return to the same places is not the only possible reason, because the two populations differ in other ways as well. Riders make fewer visits than aircraft and are spread over more places (240 instead of 107), and we have not tested which of these differences matters.
#
# The chapter [](audit_further.ipynb) applies the other attacks of this book to the [same riders](audit-riders). It asks how many riders are identified from noisy or suppressed counts, whether a rider can be located, and whether the trajectories of all riders can be recovered from the counts alone.
#
# ````{admonition} How riders differ from cabs and flights, and what this does not show
# :class: note
# - Riders seldom return to a place at the same hour a week later, but they do return to some of their places. In this respect they resemble aircraft, and differ from flight numbers and from the papers' commuters, both of which repeat their hours as well.
# - A bike ride is a small part of a day. Results for riders do not tell us what counts of mobile phones reveal, because the owner of a phone is counted in every hour, and a rider only while riding.
# - The targets are active riders, with at least four visits in one week. We chose the area and its squares of about 2 km. Smaller squares would contain fewer people, and so would probably reveal more.
# ````

# %% [markdown]
# ## Exercises
#
# ```{exercise} Distances by hand (★, 10 minutes)
# :label: kk-by-hand
# Use a pencil and the [table of traces](kk-six-traces) of the six people. Consider the released group Eve + Dan, and two groups that the attacker knows, Ada + Dan and Ada + Cleo. For each of the three groups, add up how often each of the four places was visited, over all hours and both members. Which of the two known groups is nearer to the released group, by the Euclidean distance between their four numbers?
# ```

# %% [markdown]
# ````{solution-start} kk-by-hand
# :class: dropdown
# ````

# %%
by_hand = [("Eve", "Dan"), ("Ada", "Dan"), ("Ada", "Cleo")]
totals = count(by_hand).sum(axis=2)
print(pd.DataFrame(totals, map(" + ".join, by_hand), list(six.rois.index)))
near = np.sqrt(((totals[1:] - totals[0]) ** 2).sum(axis=1))
print(f"distance to Ada + Dan {near[0]:.2f}, to Ada + Cleo {near[1]:.2f}")

# %% [markdown]
# *What this shows:* even one number for each place can be enough for the attack. Ada and Cleo never visit the park and spend much of their time at home and in the office, so their group is far from the group of Eve and Dan.
#
# ````{solution-end}
# ````
#
# ```{exercise} Training groups and test groups (★, 10 minutes)
# :label: kk-training
# In the [four steps](kk-build), logistic regression has a much higher AUC on the training groups than on the test groups. Before you compute anything, guess the order of the four classifiers by their AUC on the *training* groups. Then compute both AUCs of each classifier with the class `KnockKnock`. Which classifier would an attacker choose who looks only at the training groups?
# ```

# %% [markdown]
# ````{solution-start} kk-training
# :class: dropdown
# ````

# %%
for classifier in classifiers:
    attack = KnockKnock(classifier=classifier, n_features=task.n_samples)
    attack.fit(task.train, task.train_members)
    on_training = attack.decision_function(task.train)
    of_training = auc_by_pairs(task.train_members, on_training)
    of_test = auc_by_pairs(task.test_members, attack.decision_function(task.test))
    print(f"{classifier}: training {of_training:.2f}, test {of_test:.2f}")

# %% [markdown]
# The forest and the neural network order all pairs of training groups correctly. On the test groups, however, the forest is the best of the four and the neural network is the worst. An attacker who looks only at the training groups cannot tell the two apart.
#
# *What this shows:* the AUC on the training groups says how closely a model fits them, and not how well it will do on a new release. (The scores of the forest and of the neural network depend on a random seed, so their AUCs on the test groups differ a little from those in the [stored results](kk-sizes).)
#
# ````{solution-end}
# ````
#
# ```{exercise} A permutation test by hand (★, 15 minutes)
# :label: kk-permutation
# Use a pencil and the [table of distances](kk-recognises) between Tuesday's and Monday's counts of four groups. Two of the four groups contain Dan; their label is 1, and the label of the others is 0. The attacker gives each of Tuesday's groups the label of the nearest of Monday's groups.
#
# (a) How large is the AUC of this attack? There are six ways to label two of the four groups with 1. What is the mean AUC over all six?
#
# (b) What is the p-value of the true labels? Could other labels have a smaller p-value with this table?
# ```

# %% [markdown]
# ````{solution-start} kk-permutation
# :class: dropdown
# ````

# %%
# for each group on Tuesday, the nearest on Monday
nearest = distances_by_day.argmin(axis=1)
print("nearest to Tuesday's groups:", *[labelled[i] for i in nearest], sep="\n  ")
aucs_of_labels = {}
for labelled_one in combinations(range(4), 2):
    labels = np.isin(range(4), labelled_one).astype(int)
    aucs_of_labels[labelled_one] = metrics.auc(labels, labels[nearest])
    print("labels", labels, "AUC", aucs_of_labels[labelled_one])
print(f"mean over all labels: {np.mean(list(aucs_of_labels.values())):.2f}")
at_least = np.array(list(aucs_of_labels.values())) >= aucs_of_labels[2, 3]
print(f"p-value of Dan's labels: {at_least.sum()} of {len(at_least)}")

# %% [markdown]
# (a) The true labels, which say where Dan is, have an AUC of 0.75. The mean AUC over all six labelings is 0.67, because two of the four *groups* are recognised.
#
# (b) Three of the other five labelings also have an AUC of 0.75, so the p-value is 4/6. No other labels have a smaller p-value with this table, because 0.75 is the highest AUC and four labelings reach it.
#
# *What this shows:* the AUC of 0.75 looks like a success, but most of the other labels are recognised just as well. The permutation test therefore finds no evidence that *Dan* was recognised.
#
# ````{solution-end}
# ````
#
# ```{exercise} A permutation test with any table (★★, 25 minutes)
# :label: kk-permutation-all
# This exercise continues {ref}`kk-permutation`. The attacker again gives each of Tuesday's four groups the label of one of Monday's groups.
#
# (a) Suppose that the attacker picks one of Monday's groups at random instead of the nearest one. What is the mean AUC over all six labelings? Explain the result. (*Hint:* write the AUC as 1/2 plus a sum of four contributions, one for each of Tuesday's groups. Distinguish groups that are recognised from groups that are confused with another one.)
#
# (b) The distances may now be any numbers. What is the smallest p-value that such a test of four groups can give?
# ```

# %% [markdown]
# ````{solution-start} kk-permutation-all
# :class: dropdown
# ````
#
# We first let the computer try all ways in which each of the four groups can have a nearest group:


# %%
def aucs_of_nearest(nearest_groups):  # of all six labelings
    aucs = []
    for labelled_one in combinations(range(4), 2):
        labels = np.isin(range(4), labelled_one).astype(int)
        aucs.append(metrics.auc(labels, labels[list(nearest_groups)]))
    return np.array(aucs)


def smallest_p_value(aucs):  # that of the labels with the highest AUC
    return f"{(aucs == aucs.max()).sum()} of {len(aucs)}"


by_table = [aucs_of_nearest(groups) for groups in product(range(4), repeat=4)]
print(f"picking at random, mean AUC of all labelings: {np.mean(by_table):.2f}")
print("smallest p-value with any table:", min(map(smallest_p_value, by_table)))
print("an example:", smallest_p_value(aucs_of_nearest([1, 0, 3, 2])))

# %% [markdown]
# (a) With scores of 0 and 1, the AUC is 1/2 plus half of a difference. This difference is the share of 1s that the attacker gives to the two groups labelled 1, minus the share of 1s that the attacker gives to the other two. Each of the four groups contributes to it.
#
# - A group that is *recognised* gets its own label. It contributes 1/2 if its label is 1, and 0 otherwise. Over the six labelings, this is 1/4 on average.
# - A group that is *confused* with another one gets the label of the other group. It contributes 1/2 if both labels are 1, which is so in one of the six labelings. It contributes $-1/2$ if its own label is 0 and the label of the other group is 1, as in two of the six labelings. On average, this is $1/12 - 1/6 = -1/12$.
#
# An attacker who picks at random recognises each group with probability 1/4. Each group then contributes $1/4 \cdot 1/4 - 3/4 \cdot 1/12 = 0$, so the mean AUC is 1/2. With the table of {ref}`kk-permutation`, two groups are recognised and two are confused. The difference is then $2/4 - 2/12 = 1/3$ on average, and the mean AUC is $1/2 + 1/6 = 2/3$, as found there.
#
# (b) The p-value is never below 2/6. If every 0 becomes a 1 and every 1 becomes a 0, the AUC stays the same, so the true labels always share their AUC with at least one other labeling. The smallest value occurs, for example, if Tuesday's first group is nearest to Monday's second, and Tuesday's second to Monday's first, and the same holds for the third and the fourth group. Then only the labels 1100 and 0011 have an AUC of 1, and their p-value is 2/6.
#
# *What this shows:* a permutation test needs many more than four groups, because with four groups even the smallest possible p-value is large.
#
# ````{solution-end}
# ````
#
# ```{exercise} How large must a group be, and what else can be changed? (★, 25 minutes)
# :label: kk-needed
# (a) Use a pencil and the [formula](kk-predict) for the AUC of the cell sum. A flight number with average values has $v - \mu = 10.8$ and $s = 0.66$, and an aircraft with average values has $v - \mu = 9.8$ and $s = 0.25$. Assume that the population is so large that the finite-population correction is 1. How large must a group be for the AUC to fall to 0.6? You need $\Phi(0.253) = 0.6$. Guess first: are a few hundred users enough?
#
# (b) Suppose that no group is large enough. Which of the three numbers $v$, $\mu$ and $s$ can the data holder change, and how? Predict what happens to each of them if the data holder publishes counts by the day instead of by the hour.
#
# (c) Now let there be $n = 1{,}053$ other users, and use the formula with its finite-population correction. Compute the AUC for the average flight number in groups of 100, 527 and 953. Why are the first and the last nearly equal?
# ```

# %% [markdown]
# ````{solution-start} kk-needed
# :class: dropdown
# ````
#
# (a) We need $(v - \mu) / (s \sqrt{2m}) = 0.253$, so $m = \tfrac12 \bigl((v - \mu) / (0.253\, s)\bigr)^2$.

# %%
print(f"solves Phi(x) = 0.6: x = {norm.ppf(0.6):.3f}")
print(f"quotient of the two s: {0.66 / 0.25:.2f}, squared {(0.66 / 0.25) ** 2:.2f}")
print(f"quotient of the two v - μ: {9.8 / 10.8:.2f}, squared {(9.8 / 10.8) ** 2:.2f}")
print(f"product of the two squares: {(0.66 / 0.25 * 9.8 / 10.8) ** 2:.1f}")
averages = (("flight number", 10.8, 0.66), ("aircraft", 9.8, 0.25))
for kind, raised, spread in averages:
    needed = 0.5 * (raised / (norm.ppf(0.6) * spread)) ** 2
    print(f"{kind}: groups of about {needed:,.0f}")

# %% tags=["hide-input"]
others = traces.n_users - 1
variances = [k * (others - k) / (others - 1) for k in (299, 300)]
for kind, raised, spread in averages:
    at_means = norm.cdf(raised / (spread * np.sqrt(sum(variances))))
    print(f"{kind} with average values, groups of 300 of 1,054: {at_means:.3f}")
lowest = predictions.groupby(["data", "group size"])["predicted"].mean().groupby("data")
print("lowest predicted mean AUC:", lowest.min().round(3).to_dict())

# %% [markdown]
# A group must have thousands of members before the cell sum does little better than guessing. The necessary size is proportional to $1/s^2$, so it depends on how widely the overlaps are spread. The two values of $s$ differ by a factor of 2.64, whose square is nearly 7. The two sizes differ by a factor of only 5.7, because the aircraft also has the smaller $v - \mu$. Our population of 1,054 users is too small for such groups, and in it the mean AUC for flight numbers is always above 0.77.
#
# These answers are for targets with average values. The mean of the AUCs of all targets is not the AUC of a target with average values, because the formula is not linear in $v$, $\mu$ and $s$. In groups of 300 of the 1,054 aircraft, for example, the formula gives an AUC of 0.971 for average values, whereas the mean predicted AUC in the [table](kk-predict) is 0.944.
#
# (b) The data holder can publish coarser counts, and so make the cells larger. Suppose that a user is counted at most once for each place and *day*. We compute the three numbers again, and the predicted AUC in groups of a hundred:

# %% tags=["hide-input"]
rows = []
for data, week in first_weeks.items():
    in_hours = (week.matrix > 0).toarray().reshape(week.n_users, week.n_rois, 7, 24)
    in_days = in_hours.any(axis=3).reshape(week.n_users, -1).astype(int)
    for user in all_targets.loc[all_targets["data"] == data, "target"]:
        counted = in_days @ in_days[user]
        its_visits, its_overlap = counted[user], np.delete(counted, user)
        row = {"data": data, "v": its_visits, "μ": its_overlap.mean()}
        row |= {"s": its_overlap.std()}
        rows.append(row | {"AUC": predicted_auc(its_visits, its_overlap, 100)})
print(pd.DataFrame(rows).groupby("data", sort=False).mean().round(2).to_string())

# %% [markdown]
# With daily counts, far more users meet the target than with hourly counts. So $\mu$ and $s$ are several times as large as [with hours](kk-predict). The number $v$ stays nearly the same for flight numbers and becomes a little smaller for aircraft. In groups of a hundred, the predicted mean AUC falls from 0.897 to 0.63 for flight numbers, and from 0.987 to 0.74 for aircraft. The price is that the release no longer shows at which hours a place is crowded.
#
# (c) We put the numbers into the formula:

# %%
for m in (100, 527, 953):
    factors = [k * (1053 - k) / 1052 for k in (m - 1, m)]  # V_k / s²
    auc = norm.cdf(10.8 / (0.66 * np.sqrt(sum(factors))))
    print(f"groups of {m}: V of both / s² = {sum(factors):.1f}, AUC {auc:.3f}")

# %% [markdown]
# The AUC in groups of 953 is nearly that in groups of 100, because $V_k = V_{n-k}$. In groups of 100 the formula adds $V_{99}$ and $V_{100}$. In groups of 953 it adds $V_{952} = V_{101}$ and $V_{953} = V_{100}$. The sum over 953 of the 1,053 other users varies exactly as much as the sum over the 100 who are left out.
#
# *What this shows:* a few hundred users are not enough to hide a person from the cell sum. Coarser counts can protect better than larger groups, at least against the cell sum and according to the formula. We have not measured how well they protect.
#
# ````{solution-end}
# ````
#
# ```{exercise} The largest group (★, 15 minutes)
# :label: kk-largest
# Suppose that there are $N$ users and that each group has $m = N - 1$ members. How many distinct groups contain the target, and how many do not? Count them for the six people. Is a *balanced* game possible, that is, a game in which half of the groups contain the target? What can the attacker do under prior 2a?
# ```

# %% [markdown]
# ````{solution-start} kk-largest
# :class: dropdown
# ````

# %%
largest = list(combinations(range(6), 5))
print("with Ada:", sum(0 in group for group in largest), "- all:", len(largest))

# %% [markdown]
# There are $N - 1$ groups with the target, each of which lacks one of the other users. There is only a single group without the target, so a balanced game of distinct groups is impossible. Under prior 2a the attacker knows the past counts of the group without the target. This group differs from each of the other groups in a single member. The attacker recognises it if every user repeats the same trace each week and nobody else shares the target's trace. For Ada the second condition fails:

# %%
counts_of = {}  # of the group of five, by the person who is missing
for missing in six.users:
    group = [person for person in six.users if person != missing]
    counts_of[missing] = count([group])[0]
print("groups with the same counts as the group without Ada, named by who is missing:")
print(*[who for who in six.users if np.array_equal(counts_of[who], counts_of["Ada"])])

# %% [markdown]
# The group without Ada and the group without Ben have the same counts, because Ada and Ben have the same trace. No attacker can tell these two groups apart, even if everybody does the same every week.
#
# *What this shows:* if only one user is left out of each group, any two groups share all but one of their members, and the cell sum hardly varies ([formula](kk-predict)). The paper's groups of 500 of the 534 cabs also overlap, though less. The paper says that their "big overlap" creates a somewhat "artificial" regularity. It uses this regularity to explain why, under prior 2a, the loss in groups of 500 is larger than in groups of 300 in some instances of its experiment.
#
# ````{solution-end}
# ````
#
# ```{exercise} Why does the TPR rise? (★★, 60 minutes)
# :label: kk-shape
# From groups of 50 to groups of 100 of 171 users, the TPR for flight numbers rises, although the variance of the cell sum grows ([table](kk-riders-sum)). Can the *shape* of the distribution explain the rise?
#
# (a) Let $\gamma$ be the skewness of a single user's overlap. Express the skewness of a sum of $k$ of $n$ overlaps by $\gamma$. You may use that the third central moment of the sum is $\frac{k\,(n - k)\,(n - 2k)}{(n - 1)(n - 2)}$ times that of a single overlap.
#
# (b) Check your formula on the overlaps with Ada.
#
# (c) Draw groups without the target from 171 flight numbers and from 171 aircraft, in groups of 50 and of 100. The call `riders.population("flights-by-number")` draws the 171 flight numbers, and `riders_sums` contains the targets. Leave out the target and one other user, as the experiment leaves out its control user. How far does the threshold for an FPR of 1% lie above the mean of the cell sum, and how large is the TPR?
#
# (If you are short of time, take the formula for the skewness of the sum from the solution, and do only the simulation.)
# ```

# %% [markdown]
# ````{solution-start} kk-shape
# :class: dropdown
# ````
#
# (a) In our data, most users share no cell with the target, and a few share one or several. The distribution of the overlaps is therefore skewed to the right: it has a long tail of large values. To obtain the skewness of the sum, we divide its third central moment by $V_k^{3/2}$. The result is the skewness $\gamma$ of a single overlap, multiplied by the factor
#
# $$ \frac{n - 2k}{n - 2} \sqrt{\frac{n - 1}{k\,(n - k)}}. $$
#
# The factor is 0 if exactly half of the users are drawn.
#
# (b) We check this factor on all sums of one to four of the five overlaps with Ada. The overlap of her twin Ben is by far the largest of the five.

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
# The formula agrees with the skewness of the sums. If there are 169 other users, as in the experiment with the riders, the factors are:

# %%
for m in (10, 50, 100):
    factor = skewness_factor(m, n_others)
    print(f"groups of {m}: skewness {factor:.2f} times that of a single overlap")

# %% [markdown]
# (c) In groups of 100 the factor is slightly negative, because more than half of the users are drawn. How much these factors matter depends on how skewed the distribution of the overlaps of single users is. We test this on the targets of the [table of riders](kk-riders-sum) among the 171 flight numbers and the 171 aircraft. For each target we leave out the same control user as the experiment. We also leave out targets whom nobody else meets, because their sum never varies without the target. We also print how far a small skewness alone would move the threshold. For this we use the first correction of the Cornish-Fisher expansion, which adds $(z^2 - 1)/6$ times the skewness to the normal quantile $z$:

# %%
shuffles, rows = np.random.default_rng(seed), []
for data in ("flights-by-number", "flights-by-tail"):
    of_171 = riders.population(data)
    week = of_171.select(epochs=np.asarray(kk.weeks(of_171)[0]))
    seen = np.flatnonzero(week.visits() > 0)
    for user in riders_sums.loc[riders_sums["data"] == data, "target"].unique():
        rng = stream(seed, "riders-controls", data, int(user))  # as in the experiment
        control_user = rng.choice(np.setdiff1d(seen, [user]))
        overlap = week.matrix @ week.matrix[[user]].toarray().ravel()
        visits, overlap = overlap[user], np.delete(overlap, [user, control_user])
        shuffled = shuffles.permuted(np.tile(overlap, (2000, 1)), axis=1)
        for m in (50, 100) if overlap.any() else ():
            background = shuffled[:, :m].sum(axis=1)
            threshold = np.quantile(background, 0.99)
            with_target = visits + shuffled[:, : m - 1].sum(axis=1)
            row = {"single overlap, skewness": skew(overlap)}
            row |= {"sum, skewness": skew(background)}
            row |= {"sum, standard deviation": background.std()}
            row |= {"threshold above the mean": threshold - background.mean()}
            row |= {"TPR": (with_target > threshold).mean()}
            rows.append({"data": data, "group size": m, "target": user} | row)
shapes = pd.DataFrame(rows)
shapes["in standard deviations"] = (
    shapes["threshold above the mean"] / shapes["sum, standard deviation"]
)

# %% tags=["hide-input"]
of_shapes = shapes.drop(columns="target").groupby(["data", "group size"]).mean()
shown = of_shapes.rename(index=figures.in_words)
plots.show_table(shown.map("{:.2f}".format), "riders-shapes")
n_met = shapes.groupby("data")["target"].nunique()
n_all = riders_sums.groupby("data")["target"].nunique()
print("targets:", {figures.in_words(data): n for data, n in n_met.items()})
data = "flights-by-number"
print("flight numbers whom nobody meets:", n_all[data] - n_met[data])
with_all = [
    (n_met[data] * of_shapes.loc[(data, m), "TPR"] + n_all[data] - n_met[data])
    / n_all[data]
    for m in (50, 100)
]
print(
    "TPR with them: {:.2f} in groups of 50, {:.2f} in groups of 100".format(*with_all)
)
normal = norm.ppf(0.99)
print(f"99% quantile, in standard deviations, of a normal distribution: {normal:.2f}")
for skewness in of_shapes.loc[data, "sum, skewness"]:
    at = normal + (normal**2 - 1) / 6 * skewness
    print(f"with a skewness of {skewness:.2f}, by the first correction: {at:.2f}")

# %% [markdown]
# *Means over the targets. "Threshold above the mean": the 99% quantile of the cell sum without the target minus its mean, in visits. "TPR": the share of sums with the target that exceed the threshold.*
#
# The test supports the explanation for flight numbers. From groups of 50 to groups of 100, the skewness of the cell sum falls from 0.48 to $-0.20$, which means that the long tail of large sums is gone. The standard deviation grows a little, but the threshold comes closer to the mean: it falls from 9.61 to 7.66 visits above the mean. So more groups with the target can exceed the threshold, and in this simulation the TPR does rise from 0.58 to 0.72. In the [stored results](kk-riders-sum) it rises from 0.60 to 0.75. The stored results include three targets whom nobody meets, and who are always recognised. With these targets the simulation gives 0.60 and 0.74, and the remaining difference of at most 0.01 may be due to chance. For aircraft the shape changes in the same direction, but their TPR is already 0.97 in groups of 50, both here and in the stored results, and can hardly rise.
#
# Does skewness explain the whole fall of the threshold? Measured in standard deviations above the mean, the threshold for flight numbers falls from 2.35 to 1.71. The correction for skewness predicts a fall from 2.68 to 2.18. So skewness explains the direction and much of the fall, but both thresholds are lower than predicted. Other features of the shape matter, too, and we have not examined which.
#
# *What this shows:* two sums can have almost the same variance but very different thresholds for a low FPR.
#
# The stored results do not contain the skewness of the overlaps for riders and cabs. But the factor by which a group changes the skewness depends only on $k$ and $n$, so it is the same for riders. If the overlaps with riders are skewed, too, we expect that skewness also explains the rise of the TPR for riders. We have not tested this. The sums are small whole numbers, so the threshold and the TPR of a single target change in steps.
#
# ````{solution-end}
# ````
#
# ```{exercise} Redundant features (★★, 40 minutes)
# :label: kk-redundant
# Which of the seven statistics can be computed from which others? Verify your answer on the counts of `task`. In the [four steps](kk-build), which features does the elimination drop besides those that are always 0? Then look at the stored results of attacks by logistic regression that use only *one* statistic each, without elimination, under prior 1 in groups of 50: `kk.statistics.stored("flights-by-number", "flights-by-tail")`. Are all seven statistics needed? And why do the statistics *mean* and *sum* not have the same AUC?
# ```

# %% [markdown]
# ````{solution-start} kk-redundant
# :class: dropdown
# ````

# %%
column = {statistic: train[:, i::7] for i, statistic in enumerate(seven)}
n_hours = task.train.shape[2]
print("sum is mean x hours:", np.allclose(column["sum"], column["mean"] * n_hours))
print("variance is std squared:", np.allclose(column["var"], column["std"] ** 2))

of_others = np.zeros(train.shape[1], int)
of_others[dropped[~always_0[dropped]]] = 1
by_statistic = {"always 0": always_0.reshape(-1, 7).sum(axis=0)}
by_statistic["dropped others"] = of_others.reshape(-1, 7).sum(axis=0)
print(pd.DataFrame(by_statistic, seven).T.to_string())
at_places = always_0.reshape(-1, 7).all(axis=1)
print("places of which all seven are always 0:", at_places.sum())
weights_by_place = weights_of_all[:-1].reshape(-1, 7)[~at_places]
ratio = (
    weights_by_place[:, seven.index("sum")] / weights_by_place[:, seven.index("mean")]
)
print(f"weight of the sum / weight of the mean: {ratio.min():.0f} to {ratio.max():.0f}")

# %% [markdown]
# *A column for each statistic. "Always 0": the number of places at which it is 0 in every training group. "Dropped others": the number of other features that the elimination drops.*
#
# The features that are always 0 are the minimum and the median of every place, and all seven statistics of 42 places. The 25 other features that step 3 drops are 13 means and 12 variances, and no sum. The reason lies in the units. The features are ranked by the absolute values of their weights, but they are measured in different units. The sum of a place over the week is 168 times its mean, so the two carry the same information, and the fit can divide the work between them. The penalty makes large weights expensive, so it is cheapest to give most of the work to the feature with the larger numbers. In the fit to all features, the sum of each place therefore gets 168 times the weight of the mean. The ranking drops the mean before the sum, which is harmless, because the mean adds no information. (We have not examined why it also drops 12 of the variances, which are not proportional to any other statistic.)
#
# We now look at attacks with a single statistic:

# %%
alone = kk.statistics.stored("flights-by-number", "flights-by-tail")
of_single = plots.table(alone, ["statistic"], "AUC", "data", within=(0, 1))
plots.show_table(of_single.rename(columns=figures.in_words), "statistics")

# %% [markdown]
# The standard deviation alone has about the same mean AUC as all seven statistics with elimination. (The intervals overlap. We have not computed the differences for each target.) The minimum and the median are useless in sparse data, because they are 0 at nearly every place.
#
# The statistics *mean* and *sum* contain the same information, but the attacks that use them do not have the same AUC: for aircraft the AUC is 0.61 with the mean and 0.70 with the sum. The reason is the *penalty* on large weights, which scikit-learn's logistic regression adds to the loss function. The mean is the sum divided by 168, so it needs weights 168 times as large, but the penalty makes such weights too expensive. (In the model with all features, the sum does the work of the mean. Here the model has no sum.) If the penalty is weakened accordingly, the two AUCs must agree. We check this on our example game. In scikit-learn, `C` is the inverse of the penalty's strength:

# %%
for statistic, inverse in (("sum", 1), ("mean", 1), ("mean", n_hours**2)):
    model = LogisticRegression(C=inverse, tol=1e-8, solver="newton-cholesky")
    model.fit(column[statistic], task.train_members)
    of_test = model.decision_function(test[:, seven.index(statistic) :: 7])
    auc = metrics.auc(task.test_members, of_test)
    print(f"{statistic}, C = {inverse}: AUC {auc:.3f}")

# %% [markdown]
# With the weakened penalty, the mean gives the same AUC as the sum. In this game (one flight number, groups of ten), the attack that uses the mean even has a higher AUC with the strong penalty than with the weak one. For aircraft in groups of 50, the strong penalty presumably lowers the AUC, but there we did not fit the model with the weak one.
#
# The variance and the standard deviation also contain the same information, and their AUCs are even further apart: for aircraft the AUC is 0.60 with the variance and 0.72 with the standard deviation. Here the penalty cannot be the only reason. The model adds up its features, each multiplied by a weight. A weighted sum of variances and a weighted sum of standard deviations are different functions of the counts, whatever the weights are.
#
# *What this shows:* more features do not always bring more information. If a model is penalised, the result depends on the units in which its features are measured. If a model adds up its features, the result also depends on the form of the features, for example on whether they are variances or standard deviations.
#
# ````{solution-end}
# ````
#
# ```{exercise} Guessing, but choosing (★, 10 minutes)
# :label: kk-choosing
# Four classifiers guess at random on 100 test groups, 50 of which contain the target. What is the mean AUC of the best of the four? Simulate it.
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
# *What this shows:* the maximum of noisy numbers is biased upwards. The bias is larger if there are more classifiers, and smaller if there are more test groups. The AUCs of real classifiers are correlated, so the [chance level](kk-best) in the chapter is a little lower than that of independent guesses.
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
# *What this shows:* a negative loss is set to 0 for each target, so an attacker's bad luck with one target does not cancel their good luck with another. A mean loss above 0 is therefore not, by itself, evidence of a successful attack.
#
# ````{solution-end}
# ````
#
# ```{exercise} The twin (★★, proof, 15 minutes)
# :label: kk-twin
# Ada and Ben have the same trace. Consider all twenty groups of three of the six people. Over these groups, the sum over Ada's cells has an AUC of 0.82 ([computed above](kk-predict)). Is a better attack possible? Compute the largest AUC that any attack on Ada can have. Assume that the attacker's knowledge does not depend on which group is released.
# ```

# %% [markdown]
# ````{solution-start} kk-twin
# :class: dropdown
# ````
#
# Of the ten groups with Ada, four also contain Ben and six do not. Of the ten groups without Ada, six contain Ben and four do not. Take one of the six groups with Ada but without Ben, and replace Ada by Ben. The result is one of the six groups with Ben but without Ada, and the counts stay the same. A score that depends only on the counts therefore takes the same six values in both sets. So among the 36 pairs of these groups the AUC is 1/2, whatever the score is. In the best case the attack ranks all of the other 64 pairs correctly. The AUC is then $(64 + 18) / 100 = 0.82$. We check that each of these six groups keeps its counts if Ben replaces Ada, and that the cell sum reaches this bound:

# %%
threes = list(combinations(six.users, 3))
of_threes = {group: count([group])[0] for group in threes}
with_ada = [group for group in threes if "Ada" in group and "Ben" not in group]
same_counts = []
for group in with_ada:
    ben_instead = ["Ben" if person == "Ada" else person for person in group]
    same_counts.append(np.array_equal(of_threes[group], count([ben_instead])[0]))
print(f"{sum(same_counts)} of {len(with_ada)} keep their counts with Ben for Ada")
contains_ada = np.array(["Ada" in group for group in threes])
of_ada = np.array([(of_threes[group] * six.trace("Ada")).sum() for group in threes])
print(f"AUC of the cell sum: {metrics.auc(contains_ada, of_ada):.4f}")

# %% [markdown]
# *What this shows:* no attack can find what the counts do not contain. If the AUC of an attack is far below such a bound, a better attack may exist. If the AUC reaches the bound, no better attack exists.
#
# ````{solution-end}
# ````
#
# ```{exercise} What are the hours worth? (★★, 40 minutes)
# :label: kk-sum
# The cell sum uses the hours and beats the classifiers, which do not use them. Discard the hours in the cell sum as well. For both populations and every group size, compare the cell sum with the [place sum](kk-sum-baseline). How much of the AUC is left? Then compare the place sum with the four classifiers in `games`.
# ```

# %% [markdown]
# ````{solution-start} kk-sum
# :class: dropdown
# ````

# %%
rows = []
for row, drawn, visited in games_again():
    at_places = drawn.test[:, visited.any(axis=1)]
    in_cells = drawn.test * visited
    for attacker, summed in (("cell sum", in_cells), ("place sum", at_places)):
        auc = metrics.auc(drawn.test_members, summed.sum(axis=(1, 2)))
        rows.append(row | {"attack": attacker, "AUC": auc})

# %% tags=["hide-input"]
columns = ["data", "target", "group size"]
trained = under_prior_1.melt(columns, classifiers, "attack", "AUC")
on_same = pd.concat([pd.DataFrame(rows), trained]).sort_values("data", kind="stable")
hours = plots.table(on_same, ["data", "attack"], "AUC", "group size", within=(0, 1))
plots.show_table(hours.rename(index=figures.in_words), "sum-places")

# %% [markdown]
# All attacks scored the same test groups of the same targets. For each target we can therefore subtract the AUC of the place sum from the AUC of a classifier. We average these differences over the targets:

# %% tags=["hide-input"]
above_places = {
    classifier: summaries.texts(
        summaries.differences(
            on_same,
            ["data", "group size"],
            "AUC",
            ["target"],
            "attack",
            classifier,
            "place sum",
        )
    )
    for classifier in classifiers
}
above_places = pd.concat(above_places, names=["attack"]).unstack("group size")
plots.show_table(
    above_places.swaplevel()
    .sort_index(level=0, sort_remaining=False)
    .rename(index=figures.in_words),
    "above-places",
)

# %% [markdown]
# *Mean AUC of the classifier minus that of the place sum, with 95% intervals over targets.*
#
# *What this shows:* without the hours, the cell sum loses most of its lead over guessing in groups of 50 and of a hundred, for flight numbers and for aircraft. The random forest has a higher mean AUC than the place sum for both populations and every group size (all six intervals lie above 0), although that sum is given the target's places and the forest must learn them. The same holds for logistic regression, except that the comparison is inconclusive for flight numbers in groups of a hundred. The mean AUC of the neural network is higher than that of the place sum only for aircraft, and the mean AUC of kNN is never higher. So the cell sum needs the hours to beat the forest.
#
# An attack that discards the hours starts with a handicap. A classifier that is given the counts in the target's cells, hour by hour, does [better than the cell sum](kk-sum-baseline). The chapter on [zero auxiliary knowledge](zero_knowledge.ipynb) builds a complete attack from the target's trace alone.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write the matching attack (★★, 40 minutes)
# :label: kk-matching
# Attack flight numbers and aircraft under prior 2a by looking up groups, as we did with the six people. Compare the counts of each released group with the counts of all groups in the last known week. Find the nearest known group with the target and the nearest known group without the target. Use groups of `length_size` members and a few targets. How often is the nearest known group the released group itself? Then discard the hours, that is, compare only the totals of the places. Does this help or harm the attack?
# ```

# %% [markdown]
# ````{solution-start} kk-matching
# :class: dropdown
# ````

# %%
rows = []
for data, population in populations.items():
    m = settings_of[data]["length_size"]
    for who in kk.targets(population, min(6, settings_of[data]["n_per_third"]), seed):
        rng = stream(seed, "kk-matching", data, who, m)
        drawn = kk.task(population, who, "2a same groups", m, rng, beta_same=beta_same)
        known = drawn.train[drawn.train_units == drawn.train_units.max()]  # last week
        n_known, is_in = len(known), drawn.test_members == 1
        every_hour = [counts.reshape(n_known, -1) for counts in (drawn.test, known)]
        totals = [counts.sum(axis=2) for counts in (drawn.test, known)]
        for by, pair in (("hours", every_hour), ("totals", totals)):
            apart = cdist(*pair, "cityblock")
            score = apart[:, ~is_in].min(axis=1) - apart[:, is_in].min(axis=1)
            right = apart.argmin(axis=1) == np.arange(n_known)
            row = {"data": data, "compared by": by, "groups recognised": right.mean()}
            rows.append(row | {"AUC": metrics.auc(drawn.test_members, score)})
looked_up = {"AUC": "AUC", "groups recognised": "groups recognised"}
matched = plots.table(
    pd.DataFrame(rows), ["data", "compared by"], looked_up, within=(0, 1)
)
plots.show_table(matched.rename(index=figures.in_words), "matching")

# %% [markdown]
# *Means over 18 targets of each population, with 95% intervals. "Hours": the counts of every place and hour are compared. "Totals": only the total of each place is compared. "Groups recognised": the share of released groups whose nearest known group is the same group. By chance this is 0.01, because there are 100 known groups.*
#
# *What this shows:* if weeks are alike, an attack under prior 2a need not learn anything. A lookup is enough, and it recognises every group of flight numbers.
#
# Aircraft do not repeat their schedules. If the lookup compares the counts of every hour, it recognises 5% of the groups of aircraft. If the lookup compares the totals of the places, which discard the hours, it recognises 20%. So a group of aircraft returns to its places more reliably than to the same places at the same hours, and in this attack it *helps* to discard the hours. Under prior 1 the opposite was true: the [cell sum](kk-sum-baseline) needs the hours, because the attacker knows the hours of the released week.
#
# With the totals, the AUC for aircraft is 0.62 although only a fifth of the groups are recognised. The reason is that the lookup is often right by chance: if the nearest known group is another group, its label is right in about half of the cases.
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
# The counts of a group are the sum of the traces of its members, and these traces are the same in every week. The released counts of a group therefore equal its own past counts, and differ from the past counts of every other group. The attack looks up the release among the past counts and answers with the label that it finds there: 1 for groups labelled 1, and 0 for the others. Every group labelled 1 scores above every group labelled 0, so the AUC is 1. The attack needs to know nothing about the target, because the labels contain all the information.
#
# *What this shows:* a perfect AUC does not show what was recognised. A control with random labels does.
#
# ````{solution-end}
# ````
#
# ```{exercise} A prior of your own (★★★, an evening)
# :label: kk-project
# Invent a prior between 2a and 2b: past counts of groups that share *half* of their members with the released groups. Write a function that draws this game and returns it as a `Task` (use `different_groups_task` in `lib/membership/game.py` as a model). Evaluate an attack under this prior on flight numbers and aircraft, and plot the AUC against the share of members that the known and the released groups have in common. *A good answer* reports intervals over targets, includes a control with random labels, and says in one sentence which real situation the prior describes.
#
# *What to expect:* if all members are the same, your prior is prior 2a. If the groups share no more members than chance brings about, it is close to prior 2b. So the AUC should lie between the two AUCs in the [table of sizes](kk-sizes). For the random forest in groups of a hundred, these are 0.65 and 1.00 for flight numbers, and 0.54 and 0.62 for aircraft. *First steps:* draw the released groups, replace half of the members of each by other users, and give the pair one label, that is, let the target be in both groups or in neither.
# ```

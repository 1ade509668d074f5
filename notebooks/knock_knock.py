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
# Could you find out that she is a patient? Knock-Knock {cite:p}`pyrgelis2018knock` was, by its own account, the first paper to ask this of counts
# of places. Its answer is a classifier that is shown groups with Ada and groups without her, until it can tell them apart. After this chapter you can
#
# - play the membership game with three kinds of prior knowledge, and say which is worth most for users who repeat and for users who do not;
# - build the attack yourself: statistics, feature elimination, classifier, AUC;
# - say what group size, regularity and the length of a release do to it;
# - say how much of "the best classifier for each target" is signal, and how much is the choosing.
#
# *For discussion:* {numref}`fig-kk-priors`. *For discussion:* of our six, whom can nobody tell from another? *If time is short:* leave out lengths and BEST.

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

# %% mystnb={"figure": {"name": "fig-kk-game", "caption": "What the attacker learns from, and what she is asked about. Under prior 1 she learns from other groups of the same week (made of users she knows; those asked about come, but for the target, from users she does not know), and under prior 2a from the same groups in other weeks."}, "image": {"alt": "Three diagrams of groups against weeks. Prior 1: groups made of known users, and the released groups, in the same week. Prior 2a: the same groups, earlier weeks known, last week released. Prior 2b: other groups known in earlier weeks, fresh groups released in the last week."}} tags=["hide-input"]
from lib import metrics
from lib.papers import figures as plots
from lib.papers.knock_knock import figures

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
# We look at all twenty groups of three. The attacker knows their counts of Monday and is asked about those of Tuesday. How far is each
# Tuesday (row) from each Monday (column), if we add up by how much each count differs?

# %%
from itertools import combinations

import numpy as np
import pandas as pd
from lib.aggregation import aggregate
from lib.datasets import load
from scipy.spatial.distance import cdist

six = load("six-users")
groups = list(combinations(range(6), 3))
monday, tuesday = np.split(aggregate(six, groups), 2, axis=2)
far = cdist(tuesday.reshape(20, -1), monday.reshape(20, -1), "cityblock")

# %% [markdown]
# Her score is by how much the nearest Monday with the target is nearer than the nearest one without. Under 2a she knows the Mondays of all groups; under 2b of all but the
# one that she is asked about:


# %%
labels = np.array([[user in group for group in groups] for user in range(6)])
coins = np.random.default_rng(seed).permuted([labels[0]] * 1000, axis=1)
aucs = {"2a same": [], "2b others": []}
for prior, d in zip(aucs, (far, far + np.diag([np.inf] * 20)), strict=True):
    for within in [*labels, *coins]:
        score = d[:, ~within].min(axis=1) - d[:, within].min(axis=1)
        aucs[prior].append(metrics.auc(within, score))
plots.show_table(figures.random_labels_table(aucs, six.users), "six-by-hand")

# %% [markdown]
# *AUC over all twenty groups; between the last two rows fall 95% of labels by coin, which say nothing of anybody.* Only Cleo is significantly found: she does the same on both days. Ada repeats too, but Ben has the same trace:
# who is Ben, who is Ada, nothing can tell ({ref}`an exercise <kk-twin>`). Under 2a they and Eve, who never repeats, are still where coins may fall: twenty groups are few. Under 2b
# the group asked about is missing from its own side: coins, too, tend to fall below 1/2.
#
# ## Build it
#
# The paper's attack has four steps. We take them one by one, for one target.
#
# ````{prf:algorithm} Knock-Knock (Sec. IV and V of the paper)
# :label: alg-knock-knock
# 1. From the prior, make groups with the target and without, half and half, and count them.
# 2. Reduce each place's counts over time to seven statistics: variance, minimum, maximum, median, mean, standard deviation, sum.
# 3. Keep as many of these features as there are rows, those asked about included, by *recursive feature elimination*: fit, drop the features with the
#    smallest weights, fit again. (That we rank by a logistic regression and drop a tenth at a time is our choice.)
# 4. Train a classifier, and let it score the released counts.
# ````
#
# *Flight numbers* mostly repeat weekly, *aircraft* do not. Where we play less than the paper:

# %% tags=["hide-input"]
from lib.papers import fitting
from lib.papers.knock_knock import experiments as kk

called = fitting.display_names(datasets)
populations = {name: kk.population(file, path) for name, file in called.items()}
numbers = {"n_train": n_train, "n_test": n_test}
numbers |= {"beta_same": beta_same, "beta_different": beta_different}
sizes = {"subset_sizes": subset_sizes, "past_sizes": past_sizes, "middle": middle}
sizes |= {"length_size": length_size, "n_per_third": n_per_third}
of = fitting.knock_knock(populations, alphas=alphas, **sizes, **numbers)
of = {data: each | {"group_size": each["length_size"]} for data, each in of.items()}
kind = classifiers[0]
plots.show_table(figures.settings_table(of, populations, numbers, classifiers), "setup")

# %% [markdown]
# Targets come from the least, the middle and the most mobile third of the users; here only from those with at least four visits in the first week and one in the last. The priors differ in data, too: in the
# week, and in the rows to learn from. What is said below of their worth is said of these settings.
#
# **Groups** of ten around one flight number, to learn from and to be asked about (set-up folded):

# %% tags=["hide-input"]
from lib.membership import game
from lib.papers.summaries import scored
from lib.randomness import stream
from sklearn.linear_model import LogisticRegression

name, traces = next(iter(populations.items()))
*earlier, last = weeks = kk.weeks(traces)
target, own = kk.targets(traces, of[name]["n_per_third"], seed)[-1], of[name]
alpha, size, m = own["alpha"], min(own["subset_sizes"]), min(own["past_sizes"])
rng = stream(seed, "one game")

# %%
task = game.subset_task(traces, target, alpha, size, weeks[0], rng, n_train, n_test)
same = game.same_groups_task(traces, target, beta_same, m, last, earlier, rng)
other = game.different_groups_task(
    traces, target, beta_different, m, last, earlier, rng, n_test
)
for prior, each in (("1", task), ("2a", same), ("2b", other)):
    print(prior, "learns from", len(each.train), "rows, is asked", len(each.test))

# %% [markdown]
# We go on with prior 1. **Statistics.** One place's week becomes seven numbers; here, of the first test group at the place that the target visits most:

# %%
names = ["var", "min", "max", "median", "mean", "std", "sum"]


def statistics(counts):  # (groups, places, hours) to (groups, 7 x places)
    each = [getattr(np, name)(counts, axis=2) for name in names]
    return np.stack(each, axis=2).reshape(len(counts), -1)


place = int(traces.trace(traces.users[target]).sum(axis=1).argmax())
seven = statistics(task.test[:1, [place]])[0]
print(*map("{} {:.2f}".format, names, seven), sep=", ")

# %% [markdown]
# Notice what is lost: *when*. Put the hours in another order, and all seven stay the same.
#
# **Elimination.** Fit, drop the tenth that weighs least, fit again:


# %%
def eliminate(rows, members, n):
    left = np.arange(rows.shape[1])
    while len(left) > n:
        model = LogisticRegression(max_iter=10_000).fit(rows[:, left], members)
        gone = min(max(1, rows.shape[1] // 10), len(left) - n)
        left = left[np.abs(model.coef_[0]).argsort()[gone:]]
    return left


# %% [markdown]
# **Fit**, with one feature a row: oddly, also for each row that she is asked about:

# %%
train, test = statistics(task.train), statistics(task.test)
kept = eliminate(train, task.train_members, task.n_samples)
model = LogisticRegression(max_iter=10_000).fit(train[:, kept], task.train_members)
scores = model.decision_function(test[:, kept])
print(f"{train.shape[1]} features, {len(kept)} kept")
one = scored(task.test_members, {"classifier": scores})
plots.show_table(one[["AUC", "privacy loss"]], "one-game")

# %% mystnb={"figure": {"name": "fig-kk-scores", "caption": "The scores that this classifier gives to test groups. See how far the two distributions lie apart: the AUC is the chance that a group with the target scores higher."}, "image": {"alt": "Histograms of the classifier's scores for test groups without and with the target."}} tags=["hide-input"]
from lib.papers.foundations.figures import show_scores

show_scores(task.test_members, scores, "the classifier's margin")

# %% [markdown]
# *One target; interval over her test groups.* The paper tries logistic regression (LR), five nearest neighbours (kNN), a random forest (RF) and a neural network (MLP).
# From here on the attack is `KnockKnock`: these steps in one object, faster, with LR's intercept penalised too, as in the paper.
#
# (kk-sizes)=
# ## How much do group size and prior matter?
#
# Now several targets. Guessing is 0.5. A better baseline: under prior 1 the attacker knows the target's trace, so she
# can add the counts over its cells, as in the [first chapter](foundations-attack), and train nothing. One target of each third, in groups of ten:

# %%
from lib.membership.knock_knock import KnockKnock

n = own["n_per_third"]
for who in kk.targets(traces, n, seed)[::n]:
    hers = stream(seed, "kk-games", name, who, kk.PRIORS[0], size)
    one = game.subset_task(traces, who, alpha, size, weeks[0], hers, n_train, n_test)
    attack = KnockKnock(traces.n_rois, 168, kind, n_features=one.n_samples)
    attack.fit(one.train.reshape(n_train, -1), one.train_members)
    said = attack.decision_function(one.test.reshape(n_test, -1))
    cells = traces.trace(traces.users[who])[:, weeks[0]]
    summed = (one.test * cells).sum(axis=(1, 2))
    by = [metrics.auc(one.test_members, each) for each in (said, summed)]
    print(f"{traces.users[who]}: AUC of {kind} {by[0]:.2f}, of the sum {by[1]:.2f}")

# %% [markdown]
# `play` repeats this loop: for all targets of both datasets, all group sizes and priors, with the same random numbers. These three games are among its rows.

# %% tags=["hide-input"]
from functools import partial

more = {"classifiers": classifiers, "classifier": kind, "n_choosing": n_choosing}
more |= numbers | {"processes": processes, "seed": seed}
play = partial(kk.run_in_memory, populations, of, **more)
games, sums = play(kk.games), play(kk.sums)

# %% mystnb={"figure": {"name": "fig-kk-priors", "caption": "Mean AUC of logistic regression over 9 targets, with 95% intervals; dotted, for prior 1: the untrained sum on the same groups; at 0.5: guessing. The classifier weakens fast as groups grow under prior 1 and, by number, under 2b; by number 2a stays at 1, and for aircraft the past says little at any size. The sum hardly weakens."}, "image": {"alt": "Three panels, one for each prior: mean AUC of logistic regression against group size, a line for each dataset with intervals; in the first panel also the untrained sum, which stays near 1. The classifier falls with group size; under the same-groups prior it stays at 1 for flight numbers."}} tags=["hide-input"]
figures.show_priors(games, kind, sums)

# %%
subset, *past = kk.PRIORS
plots.show_table(figures.prior_table(games, kind, [subset], sums), "prior-1")
plots.show_table(figures.prior_table(games, kind, past), "priors-past")

# %% [markdown]
# *Mean AUC of LR, 9 targets; intervals are over targets, here and in all that follows.* Under prior 1 this attack weakens fast as groups grow; the sum, which needs no training, hardly does
# ($m = 100$: AUC 0.99 against 0.62 for aircraft, 0.95 against 0.58 for flight numbers). So a large group hides from *this classifier*, not from whoever knows the trace.
#
# To this classifier, for flight numbers, the very groups of the past (2a) are worth most, and from a hundred users on far more than others (2b). For aircraft, which do not repeat, the past is worth
# little: 0.67 and 0.57 in groups of ten, against 0.93 for the same week (1). Why is 2a at 1.00 in groups of any size, where weeks repeat?
#
# ### What does prior 2a recognise?
#
# A classifier may recognise *Ada*, or it may recognise *the group*, of which it was told whether she is in. To tell these apart, we lie to it: each group gets a label by coin, the same in the
# past and now. Nothing about any person can be learned from such labels. What is found all the same is the group; one target's groups of ten first, then all targets:

# %%
coins = np.random.default_rng(seed).permutation(same.test_members)
attack = KnockKnock(traces.n_rois, 168, kind, n_features=same.n_samples)
attack.fit(same.train.reshape(len(same.train), -1), np.tile(coins, len(earlier)))
said = attack.decision_function(same.test.reshape(len(same.test), -1))
print(f"labels by coin: AUC {metrics.auc(coins, said):.2f}")
recognised = play(kk.recognition)
plots.show_table(figures.label_table(recognised), "recognition")

# %% [markdown]
# *The table: mean AUC of LR under prior 2a, groups of 100, 9 targets.* With the flight numbers, coins are found as well as the target is: the group suffices, and at an AUC of 1.00 nothing more can be
# seen. It becomes a danger for Ada only where somebody told the attacker who was in which group before. Stored results of 51 targets each say the same of aircraft: what 2a finds is the group, or nearly all of it.

# %% tags=["hide-input", "hide-output"]
plots.show_table(figures.label_table(kk.recognition.stored()), "recognition-kept")

# %% [markdown]
# (kk-regularity)=
# ## Does regularity drive the loss?
#
# The paper compares commuters with cabs, which differ in much at once. Flights by number and by tail share airports and hours, the number of users and
# the size of groups. They differ in whether a week resembles the next (a recurrence of 0.70 by number and 0.03 by tail, in the [first chapter](foundations.ipynb)), and in what comes with it: an aircraft visits more than four times as many places as a flight
# number (9.5 against 2.1), and makes fewer visits.

# %%
figures.show_regularity(games, kind)

# %% [markdown]
# *AUC by number minus AUC by tail, LR, with Welch's interval, that of two means over different users; above 0, regular users lose more.* Under 2a that is the group's doing, as labels by coin have shown; of the person speaks 2b only. Where the attacker learns in the past and strikes now (2a, 2b), they do: under 2a in
# groups of any size, under 2b significantly in groups of up to 100 ([more targets](kk-games) show nothing at 500). Where she learns in the same week (1), nine targets cannot tell ([51](kk-games) can in groups of 10 and of 100: aircraft lose more). The paper found the reverse under prior 1, more loss for its commuters than
# for its cabs, and named sparseness as the cause; here both are sparse.
#
# So regularity fits what is seen, but is not proved to be the cause: places and visits differ as well. And this attack needs less than recurrence ({prf:ref}`def-recurrence`),
# the same place at the same hour: its statistics forget the order of hours.
#
# (kk-length)=
# ## How long is the release?
#
# Prior 2a again, with the same hours of each week: the whole week, one Monday, one Saturday. We leave out targets who are nowhere in some of those hours: what is found then is
# only the group.

# %%
same_targets = figures.same_targets(play(kk.lengths), ["week", "Monday", "Saturday"])
plots.show_table(same_targets, "lengths")

# %% [markdown]
# *Mean AUC of LR under 2a, groups of 100.* The flight numbers are at the ceiling, the aircraft near the floor. The paper's data and the
# [replication](kk-lengths) show more (*stored results*, results of long runs that come with the book; RF and groups of 1,000 for commuters, MLP and 100 for cabs):

# %% tags=["hide-input"]
of_cities = ["commuters", "cabspotting"]
long = kk.lengths.stored(*of_cities)
plots.show_table(figures.losses_beside(long), "lengths-kept")
print(kk.lengths.source(*of_cities))
print(f"guessing on 75 + 75 groups: {1 - metrics.guessing_gain(75, 75):.2f}")

# %% [markdown]
# *Mean privacy loss under 2a; our commuters are a synthetic surrogate, our cabs the paper's.* One Monday protected neither our flight numbers nor the paper's commuters; Saturday, and 8 hours of it,
# protected the commuters in part. A day leaves about half of what a cab loses in a week, or less, and eight hours hardly more than guessing has. On our synthetic surrogate a Monday loses no less than the week, unlike in the paper.
#
# (kk-best)=
# ## BEST, and its floor
#
# The paper reports BEST: for each target the classifier with the highest AUC *on the test itself*. That is the largest of several noisy numbers,
# so it is above 1/2 even where nothing can be learned. How far above? Shuffle the test's labels and take the best again: that is its **floor**.

# %%
figures.warn_if_one_classifier(classifiers)
if "BEST" in games:
    plots.show_table(figures.floor_table(games), "best-floor")

# %% [markdown]
# *Mean AUC of the best of our two classifiers, over all group sizes.* Where the signal is weak (2b by tail: 0.56 against a floor of 0.53) it is hardly told from its floor. The best of
# the paper's four, if they guess independently, has one of 0.56 ({ref}`an exercise <kk-choosing>`).
#
# An honest attacker chooses by cross-validation on the groups that she knows, or *blindly*, which gives the mean of the classifiers:

# %%
if len(classifiers) > 1:
    choices = play(kk.choices)
    plots.show_table(figures.choice_table(choices), "choices")

# %% [markdown]
# *Mean AUC under prior 1, groups of 50, 9 targets.* With two classifiers BEST flatters by 0.02 [-0.02, 0.07] (numbers) and 0.01 [-0.02, 0.05], where it is never below; nine targets do not exclude 0.05. The trouble with BEST is
# its floor: a number near it is no evidence of an attack.
#
# (kk-cautious)=
# ## Fewer groups, fewer accusations
#
# How many labelled groups does she need? Prior 1 again, in groups of 50:

# %%
learning = play(kk.learning, training_groups=sorted({20, 50, 100, 200, n_train}))

# %% mystnb={"figure": {"name": "fig-kk-learning", "caption": "Mean AUC of logistic regression over 9 targets under prior 1 against the number of training groups. More groups help, and nine targets cannot tell after which number they no longer do."}, "image": {"alt": "Mean AUC of logistic regression against the number of training groups, a line for each dataset with intervals; it rises with the number of groups."}} tags=["hide-input"]
curve = figures.mean_aucs(learning, ["data", "training groups"])
figures.show_learning(curve, middle)

# %% [markdown]
# (Other draws again: aircraft have 0.70 at 200 groups, and had 0.75 in {numref}`fig-kk-priors`.) More targets tell more (stored results of the [replication](replication/kk.ipynb)):

# %% tags=["hide-input"]
three = ["flights-by-number", "flights-by-tail", "cabspotting"]
gained = figures.gain_table(kk.learning.stored(*three), [(100, 200), (200, 400)])
plots.show_table(gained, "learning-kept")
print(kk.learning.source(*three))

# %% [markdown]
# *Mean gain in AUC of LR, groups of 50.* From 100 to 200 groups cabs and aircraft gain, flight numbers not significantly; from there to the paper's 400 the cabs gain nothing measurable. For flights we did not look further.
#
# If she may accuse only one in a hundred wrongly, how many does she find (TPR at 1% FPR, measured on 2,000
# test groups)? Guessing finds one in a hundred, 0.01:

# %% tags=["remove-input"]
from lib.papers.summaries import bracketed, means

cautious = play(kk.cautious, n_test=2000)
found = bracketed(means(cautious, ["data", "prior"], "TPR"))["mean [95%]"]
plots.show_table(found.unstack("prior"), "tpr")

# %% [markdown]
# *Mean TPR of LR, groups of 50, 9 targets.* Under prior 1 that is about three (numbers) and six times (aircraft) guessing, with wide intervals; aircraft under 2b are hardly told from it. That is
# LR's caution: how many the sum finds, which is far ahead in AUC, we did not ask.
#
# (kk-found)=
# ## What the paper found
#
# The paper finds that an attacker who knows some traces recognises most targets in small groups and fewer in larger ones, and on its own cabs this is *supported*. That an attacker with past groups recognises fewer and fewer as groups grow to 500 of 534 cabs is *contradicted*, and that commuters lose more than cabs is *not tested*: the fare cards are closed, and a synthetic surrogate is consistent with it.
# [The replication](replication/kk.ipynb) gives every number with its verdict, and five readings of one convention that the paper does not print.
#
# ## Take-aways
#
# - In groups of ten, logistic regression on labelled groups reaches mean AUCs of 0.86 and 0.93 (prior 1; numbers, aircraft), 1.00 and 0.67 (2a), 0.83 and 0.57 (2b).
# - Under prior 1 it weakens fast as groups grow. The sum over the target's cells, which needs no training, hardly does. A trained attack is not a strong attack.
# - What the attacker knows decides, and for whom. To logistic regression past counts of the *same* groups are worth most for regular users, and the same week
#   for irregular ones; with the sum, the same week's trace is worth 0.95 and more in groups of up to 100, for both.
# - Where 2a finds labels by coin, the group suffices to be found. Where fresh groups are told apart (2b, flight numbers in tens: 0.83), it is the person.
# - BEST is above 1/2 on pure noise. Show its floor beside it, or do not show it.
# - The paper concludes that small groups and regular users are at risk, and hopes that its techniques serve to test a release *before* it is made. The
#   [next chapter](knock_knock_defenses.ipynb) does so, with noise.

# %% [markdown]
# ## Exercises
#
# ```{exercise} The largest group (★, 10 minutes)
# :label: kk-largest
# With $N$ users and groups of $m = N - 1$, how many distinct groups are there with and without the target? Count for the six users. Is a balanced game possible? What can the attacker
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
# $N - 1$ with, each without one of the others, and 1 without: no balanced game of distinct groups. Under 2a the attacker has seen the only group without the target before. What sets it apart
# is a single trace, so she recognises it where all others repeat.
#
# *Learned:* groups that large are nearly the same people. With this "artificial regularity" the paper explains that under 2a some of its runs lose more at $m = 500$ of 534 cabs than at 300 (the mean
# still falls), and that under 2b the mean rises a little.
#
# ````{solution-end}
# ````
#
# ```{exercise} Redundant features (★, 10 minutes)
# :label: kk-redundant
# Which of the seven statistics can be computed from which others? Show it on the counts of `task`. Then leave those out, and fit again. Why may the AUC change?
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
free = np.tile([each not in ("sum", "var") for each in names], task.train.shape[1])
fewer, asked = train[:, free], test[:, free]
kept = eliminate(fewer, task.train_members, task.n_samples)
five = LogisticRegression(max_iter=10_000).fit(fewer[:, kept], task.train_members)
scores_of_five = five.decision_function(asked[:, kept])
both = scored(task.test_members, {"seven": scores, "five": scores_of_five})
plots.show_table(both[["AUC"]], "redundant")

# %% [markdown]
# *Learned:* a penalised model pays for the size of its weights, so it listens to the larger of two numbers that say the same; the square root is not linear; and elimination now keeps as many of fewer. One game says nothing yet of so small a change.
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
# ```{exercise} The twin (★★, proof, 15 minutes)
# :label: kk-twin
# Ada and Ben have the same trace. Show that no attack on counts of three of the six can have an AUC above 0.82 for Ada, whatever the attacker knows, if that does not depend on which group she is asked about. Does the sum over her cells, on both days, reach it?
# ```

# %% [markdown]
# ````{solution-start} kk-twin
# :class: dropdown
# ````
#
# Of the ten groups with Ada, four hold Ben too and six do not; of the ten without, six hold Ben and four do not. Exchanging Ada for Ben makes each of the six with Ada alone one of the six with Ben alone, with the
# same counts. A score of counts thus takes the same six values in both, and the AUC among these 36 pairs is 1/2, whatever the score. In the best case all other 64 pairs are won: $(64 + 18) / 100 = 0.82$.

# %%
in_group = np.array([0 in group for group in groups])
plain = (aggregate(six, groups) * six.trace("Ada")).sum(axis=(1, 2))
print(f"AUC of the sum: {metrics.auc(in_group, plain):.2f}")

# %% [markdown]
# *Learned:* what the counts do not hold, no attack can find. A bound tells a weak attack from a hard question.
#
# ````{solution-end}
# ````
#
# ```{exercise} What are the hours worth? (★★, 20 minutes)
# :label: kk-sum
# The sum is better than the classifier, which forgets the hours. Make it forget them, too: in every group size, score by the sum over the target's *cells*, and over all hours of the target's *places*. What is left?
# ```

# %% [markdown]
# ````{solution-start} kk-sum
# :class: dropdown
# ````

# %%
cells = traces.trace(traces.users[target])[:, weeks[0]]
places = cells.any(axis=1)
for number in own["subset_sizes"]:
    one = game.subset_task(
        traces, target, alpha, number, weeks[0], rng, n_train, n_test
    )
    by = {
        "her cells": (one.test * cells).sum(axis=(1, 2)),
        "her places": one.test[:, places].sum(axis=(1, 2)),
    }
    plots.show_table(scored(one.test_members, by)[["AUC"]], f"sum-{number}")

# %% [markdown]
# *Learned:* the hours carry most of it. An attack that throws them away, as the seven statistics do, starts with a handicap that training has to make good; the chapter on
# [zero auxiliary knowledge](zero_knowledge.ipynb) makes a whole attack of what the target's trace alone gives.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write the matching attack (★★, 30 minutes)
# :label: kk-matching
# Under prior 2a, do with flights, of both kinds, what we did by hand with six users: find the groups whose counts in the last known week are nearest, with the target and without. Groups of `length_size`.
# ```

# %% [markdown]
# ````{solution-start} kk-matching
# :class: dropdown
# ````

# %%
matched = {}
for data, each in populations.items():
    who, m = kk.targets(each, of[data]["n_per_third"], seed)[-1], of[data]["group_size"]
    again = kk.task(each, who, "2a same groups", m, rng, beta_same=beta_same)
    late = again.train[again.train_units == again.train_units.max()]  # a unit is a week
    n = len(late)
    d = cdist(again.test.reshape(n, -1), late.reshape(n, -1), "cityblock")
    ins = again.test_members == 1
    margin = d[:, ~ins].min(axis=1) - d[:, ins].min(axis=1)
    matched[data] = scored(again.test_members, {"AUC": margin})["AUC"]
plots.show_table(pd.DataFrame(matched), "matching")

# %% [markdown]
# *Learned:* prior 2a needs no learning at all, if weeks are alike: it is a lookup. If they are not, the lookup finds little.
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

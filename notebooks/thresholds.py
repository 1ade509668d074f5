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
# # How close to the guarantee does an attack get?
#
# Differential privacy implies an upper bound on the accuracy of every attack. Networks that are trained on a few thousand noisy releases stay well below this bound. Is the bound loose, or are the networks weak? The threshold paper {cite:p}`threshold2024` studies this question with networks and with two simple attacks that learn nothing but thresholds. We add the likelihood ratio, which is provably the most accurate attack for one of the two attackers that we consider. With its help we can divide the gap between the bound and an attack into steps, and say for most of them what causes the loss.
#
# The problem is **membership inference**, as in the earlier chapters. The *data holder* publishes noisy counts of people. The *target* is one person who may have been counted; in small examples the target is called Ada. The *attacker* wants to know whether the target was counted.
#
# After this chapter you will be able to
#
# - derive and compute an upper bound on the accuracy of *any* attack on $n$ noisy counts that are released with budget $\varepsilon$ each;
# - derive how much evidence one noisy count contains, and attack with one threshold, with two thresholds and with the likelihood ratio;
# - say how much of the gap between the bound and a network is due to the noise, to the other users, and to learning, which includes learning a rule that is too simple;
# - explain what goes wrong if correlated counts are treated as independent.
#
# *How to read this chapter.* It is long, so plan for two sittings. The first ends with [the other users](threshold-map) and needs no dataset. The second begins with [the attacks on data](threshold-data). The headings say which sections the lectures leave out. Those marked *at home* are part of the argument, and those marked *optional* are not.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figures to remember:* {numref}`fig-th-cell` and {numref}`fig-th-gap`. *A question for the class:* the informed attacker knows the traces of all other users and subtracts them. In one cell the value 100 is left. If members and non-members are equally likely beforehand, how sure can the attacker be that the target was counted? *Answer:* at most 62%, and a value of 1 gives the same 62%. The [section on one cell](threshold-cell) shows why.
#
# *What the class should know:* Bayes' rule, the binomial and the normal distribution, the convolution of densities, and the error rates and the AUC of {ref}`the first chapter <foundations-attack>`.
#
# *What runs, and what is stored:* the whole page runs in about three minutes on two processor cores. All results of the first lecture are computed within seconds and need no data apart from a small example with six people. Four results take too long to compute on this page, so the page reads them from stored files: {numref}`fig-th-five`, {numref}`fig-th-rivals`, {numref}`fig-th-weights` with its tables, and the optional section on low false positive rates. The page prints the dates of these results, except for the table of several networks.
#
# **The first of two lectures of ninety minutes**
#
# | minutes | the first lecture | on the screen or on the board |
# |---|---|---|
# | 5 | [the game](threshold-question) | the table of the two attackers |
# | 25 | [one noisy cell](threshold-cell) | derive the log-likelihood ratio on the board; then {numref}`fig-th-cell` and the question above; in the last ten minutes the lemma of Neyman and Pearson with the idea of its proof, which [the three rules](threshold-anchors) need |
# | 10 | [six users, three scores](threshold-six) | the table of Ada's cells; let students add up its columns |
# | 20 | [what the guarantee allows](threshold-composition) | both inequalities and their sum on the board, randomized response, the bound of {ref}`threshold-ex-one` on paper; leave the formula of $\delta_i$ and the densities $q_1$ and $q_0$ for reading |
# | 15 | [the accuracy of the three rules](threshold-anchors) | the best attack of {ref}`threshold-ex-one` on paper; the cell that convolves 60 cells; {numref}`fig-th-exact`, then the table of the three rules below it |
# | 10 | [the other users](threshold-map) | {numref}`fig-th-evidence` and the table below it |
# | 5 | questions | |
#
# ```{admonition} The second lecture
# :class: dropdown
# | minutes | the second lecture | on the screen or on the board |
# |---|---|---|
# | 15 | [the attacks on data](threshold-data) | the cell that computes three scores by hand, and {numref}`fig-th-five`; leave the choice of the targets, the reference attack and the AUC from all pairs for reading |
# | 15 | [two people who share cells](threshold-joint) | Ada and Ben on the board, up to the question of the next table; then the definition |
# | 20 | [what the gap is made of](threshold-gap) | on the board, for the informed attacker, only the five printed accuracies (0.9725, 0.9639, 0.9580, 0.9150, 0.9089) and their differences; then {numref}`fig-th-gap` and {numref}`fig-th-gap-auxiliary`, and the three shares below them |
# | 15 | [how a network can beat the likelihood ratio](threshold-correlation) | {numref}`fig-th-permuted`; then the first two rows of the table of both halves as a 2 × 2 on the board (0.93 and 0.74 with permuted cells, 0.80 and 0.70 as released). Add the joint ratio's 0.86 from the third row: of the loss from 0.93 to 0.80, at least the part from 0.86 to 0.80 comes from *ignoring* the correlation. Last {numref}`fig-th-rivals` |
# | 15 | [what the network has learned](threshold-networks) | {numref}`fig-th-weights` |
# | 10 | questions | |
# ```
#
# ```{admonition} If you have only one lecture
# :class: dropdown
# | minutes | the only lecture | on the screen or on the board |
# |---|---|---|
# | 5 | [the game](threshold-question) | the table of the two attackers |
# | 25 | [one noisy cell](threshold-cell) | as above |
# | 10 | [six users, three scores](threshold-six) | as above |
# | 15 | [what the guarantee allows](threshold-composition) | only the two inequalities, their sum, and the printed 0.9725 |
# | 15 | [the accuracy of the three rules](threshold-anchors) | as above |
# | 15 | [what the gap is made of](threshold-gap) | only the informed attacker: {numref}`fig-th-gap` and the 86%, which answer the opening question. Say in one sentence what the network is: one hidden layer, trained on 2,000 simulated releases. You can show this figure without explaining the joint ratio |
# | 5 | questions | |
# ```
#
# **A question for each block**
#
# | block | question for the class | answer |
# |---|---|---|
# | [what the guarantee allows](threshold-composition) | Do two counts allow a higher accuracy than one? | No, 0.62 for both. If two randomized answers disagree, they say nothing. |
# | [the three rules](threshold-anchors) | Under which noise does adding up the cells lose nothing, for every number of cells? | Under Gaussian noise, because there the log-likelihood ratio is a straight line. (Under Laplace noise, it loses nothing if there are one or two cells; with three or more it does.) |
# | [the other users](threshold-map) | In which cells is counting better than adding up, in sparse or in crowded ones? | In sparse ones, where the evidence levels off close to the mean. |
# | [Ada and Ben](threshold-joint) | Ada and Ben share three cells, all released as 1. Is the likelihood ratio 9, 81 or 729? | 9, because Ben is either present in all three cells or in none. |
# | [the gap](threshold-gap) | Which of the informed attacker's bars show a failure of learning? | The three bars after *bound → informed ratio*. A network of this size can come close to the likelihood ratio (0.9638 against 0.9639), and with 200,000 examples it recovers most of the accuracy lost in these three steps. |
# | [both halves](threshold-correlation) | Suppose that the attacker knew the released half, so that there were no error from the wrong half. Would the loss due to treating cells as independent stay the same, grow or shrink? ({ref}`threshold-ex-independence`) | It would shrink, from 0.12 to 0.06. With the auxiliary half, this loss also contains the cost of a wrong threshold. |
# | [what the network has learned](threshold-networks) | All weights are spread evenly over the cells. Has the network learned the sum? | Not necessarily; one must also measure how often both make the same decision. |
#
# *For reading at home:* [how many examples it takes](threshold-learning), [why the network's threshold suffers less](threshold-own-threshold), and [whether the joint ratio ranks better](threshold-ranking). From the first of them, mention only that 2,000 examples are enough if the cells are clipped. Students can read [the gap under Gaussian noise](threshold-gaussian) after the first lecture.
#
# *Where students go wrong:*
#
# - They think that a value of 100 in one cell is stronger evidence than a value of 1. Under Laplace noise it is not.
# - They read 0.62 as the accuracy of an attack on one count with Laplace noise. It is the bound, and the best attack reaches only 0.61.
# - They think that $\varepsilon$ protects the target. It protects only a single visit.
# - They confuse the accuracy at an attack's own threshold with the quality of its ranking.
# - They think that a network that beats "the likelihood ratio" refutes the lemma. What it beats is the likelihood ratio of a wrong model.
# - They read the steps of the gap on the flights as separate causes. All steps after the first also contain a part of the error from the wrong half, and *joint → independent ratio* mixes a loss of ranking with a wrong threshold.
#
# *What a sceptical colleague will ask:* on the flights, the joint ratio is the most accurate attack that we have, but we have not proved it to be the best possible one. So the 29% of the gap that lies between the joint ratio and the network is only a lower limit on what an attacker could recover. Moreover, all targets on the flights come from the 30 flights with the most cells, each target is tested with a single random split of the users, and nearly all networks were trained in the same way. In {numref}`fig-th-five`, networks were trained for only three targets.
#
# *Optional:* [why two thresholds lead on the flights](threshold-lead), and two parts about low false positive rates: [the exact ROC curves](threshold-rare) with {numref}`fig-th-roc`, and [low false positive rates on the flights](threshold-low-rates).
# ````

# %% tags=["parameters", "remove-cell"]
datasets = ["tweeters-threshold", "flights-by-number"]
path = ""
epsilon = 0.5
group_size = 1999
n_cells = 60
n_shadows = 2000
n_test = 10000
runs = 6
processes = 1
seed = 2024

# %% [markdown]
# (threshold-question)=
# ## The game, and who knows what
#
# In the membership game, the target is added to a group of $m$ other users with probability 1/2. The target is a *member* if added, and a *non-member* otherwise. Every count is released with independent noise, which is Laplace noise of scale $1/\varepsilon$ unless we say otherwise. On this page $\varepsilon = 0.5$, so the scale is 2.
#
# The attacker knows the target's trace and looks only at the target's **positive cells**, the (place, hour) pairs that the target visited. A member adds 1 to the count of each of these cells, and nothing to any other cell. Our attacks use only $n = 60$ of each target's positive cells, and 50 on the flights dataset. A visit belongs to a single cell, so it changes a single count. A user is counted at most once in each cell, so the visit changes this count by exactly 1.
#
# How well this 1 is hidden depends on what else the attacker knows. We consider two attackers:
#
# | attacker | knows the traces of | what a positive cell contains, for this attacker |
# |---|---|---|
# | **informed** | all $m$ others | noise, plus 1 if the target is a member |
# | **auxiliary** | other people of the same kind, but nobody in the group | the others' unknown count, plus noise, plus 1 if the target is a member |
#
# Differential privacy is meant to limit even what the informed attacker learns from each cell. This attacker knows everything except whether the target is a member.
#
# Does an attacker lose anything by ignoring the cells that the target did not visit? The informed attacker does not, because these cells contain nothing but noise for this attacker. The auxiliary attacker may lose something, because these cells can reveal who else is in the group. Our attacks do not use this information.
#
# Both attackers lose something, however, if the target has more than $n$ positive cells and they use only $n$ of them. So all the bounds of this chapter are bounds for $n$ released counts, and "the best attack" means the best attack on these $n$ counts. An attacker who also uses the target's other positive cells may be more accurate.
#
# The code below uses these names. Their values are set in a cell that this page does not show:
#
# | name | value | meaning |
# |---|---|---|
# | `epsilon` | 0.5 | the budget of one count |
# | `n_cells` | 60 | positive cells of the target that are used ($n$) |
# | `group_size` | 1,999 | other users in a group ($m$); 130 on the flights |
# | `n_shadows` | 2,000 | *shadow aggregates*: noisy counts that the attacker draws for training; also called *examples*, and *shadows* in tables |
# | `n_test` | 10,000 | *test aggregates*: releases on which the attacks are evaluated; some experiments use another number, which the text or the code then gives |
# | `runs` | 6 | number of targets, or of repetitions of a simulation; two experiments use twice this number |
# | `datasets` | two names | the datasets of the auxiliary attacker ([below](threshold-data)) |
# | `path` | empty | a folder with your own data; if it is empty, the data of the book are used |
# | `processes` | 1 | how many processes compute at the same time |
# | `seed` | 2024 | seed of all random numbers; `stream(seed, "name")` gives the generator of one use |
#
# ```{note}
# Two conventions differ from other chapters. First, the budget $\varepsilon$ protects *a single visit* (event-level differential privacy), so a target with $n$ visits is protected less than $\varepsilon$ suggests. [A later section](threshold-composition) shows how much less (see also [](notation.md)). Second, $m$ is the number of *other* users, without the target. In [Knock-Knock](kk-game) the target is one of the $m$.
# ```
#
# (threshold-cell)=
# ## What does one noisy cell say?
#
# In each positive cell, the informed attacker subtracts the count of the known users and obtains a number $x$. For a non-member, $x$ is pure Laplace noise with density $\tfrac{\varepsilon}{2} e^{-\varepsilon |x|}$. For a member, the density has the same shape but is centred at 1. The quotient of the two densities says how many times more likely the value $x$ is with the target than without. Its logarithm is the **log-likelihood ratio**, our measure of the evidence in $x$:
#
# $$\log \frac{e^{-\varepsilon |x - 1|}}{e^{-\varepsilon |x|}} = \varepsilon\,\bigl(|x| - |x - 1|\bigr) .$$
#
# The log-likelihood ratio is $-\varepsilon$ if $x$ is below 0, and $+\varepsilon$ if $x$ is above 1. In between it rises along the straight line $\varepsilon (2x - 1)$. Here are its values at seven points from $-5$ to 5:

# %%
import numpy as np
import pandas as pd
from lib.mechanisms import Gaussian, Laplace
from lib.papers import figures as plots
from lib.papers import summaries
from lib.papers.threshold_attacks import experiments, figures, threshold_choice

points = np.array([-5, 0, 0.25, 0.5, 0.75, 1, 5])
evidence_at = pd.DataFrame(
    {
        "value": points,
        "log-likelihood ratio": epsilon * (np.abs(points) - np.abs(points - 1)),
    }
)
plots.show_table(evidence_at.set_index("value"), "one-cell")

# %% [markdown]
# A value of 5, or of 100, is no stronger evidence than a value of 1. This limit on the evidence is what the guarantee of $\varepsilon$ means for one cell. By Bayes' rule, the posterior odds that the target is in the group, given $x$, are the prior odds times the likelihood ratio, so a single count cannot change the odds by a factor of more than $e^{\varepsilon}$. If members and non-members are equally likely, no value of one cell can raise the probability of membership above $e^{\varepsilon} / (1 + e^{\varepsilon})$:

# %%
print(f"{np.exp(epsilon) / (1 + np.exp(epsilon)):.2f}")

# %% [markdown]
# Every value of 1 or more reaches this probability.
#
# Under Gaussian noise the evidence of one cell has no such limit. If the noise has standard deviation $\sigma$, the log-likelihood ratio is the straight line $(x - \tfrac12)/\sigma^2$, as you derive in {ref}`an exercise <threshold-ex-geometric>`. A guarantee for Gaussian noise therefore needs a second parameter, $\delta$ ({prf:ref}`def-kkd-dp`). On this page, $\delta$ is $1/(2m)$. The value of $\sigma$ follows from $\varepsilon$ and $\delta$ by a formula that we give [below](threshold-gaussian).

# %% mystnb={"figure": {"name": "fig-th-cell", "caption": "One cell of the informed attacker: only values in the shaded interval from 0 to 1 differ in evidence under Laplace noise. Above: the density of the value for a non-member (full line, peak at 0) and a member (dashed, peak at 1). Below: the log-likelihood ratio. Under Laplace noise (full line) it has a kink at 0 and at 1, and crosses 0 at 1/2 (dotted). Under Gaussian noise (dashes and dots) it is a straight line without bound."}, "image": {"alt": "Above, two Laplace densities with peaks at 0 and 1; the interval between them is shaded in both panels, and 1/2 is marked. Below, the log-likelihood ratio against the value: for Laplace noise flat at minus epsilon up to 0, rising from 0 to 1, flat at plus epsilon; for Gaussian noise a straight line of small slope through 0 at 1/2."}} tags=["hide-input"]
plots.use_style()
textbook = Gaussian(epsilon, 1 / (2 * group_size), calibration="classical")
figures.show_cell(epsilon, textbook.scale)

# %% [markdown]
# Why do we measure evidence by the quotient of the two densities? The answer needs the error rates of {ref}`the first chapter <foundations-attack>`. An attack answers "in" or "out". Its *false positive rate* is the probability that it says "in" if the target is not in the group. Its *true positive rate* is the probability that it says "in" if the target is in the group. Its *false negative rate* is one minus the true positive rate. An attack that computes a score says "in" when the score is at least some threshold. Lowering this threshold raises both the false and the true positive rate. The *ROC curve* shows the true positive rate against the false positive rate for all thresholds.
#
# The paper quotes a lemma about these rates:
#
# ````{prf:theorem} Lemma of Neyman and Pearson
# :label: thm-neyman-pearson
# Consider the likelihood ratio of everything that the attacker sees. Among all attacks with the same false positive rate, none has a higher true positive rate than the attack that says "in" if this ratio is above a threshold and decides at random if the ratio equals the threshold.
# ````
#
# The proof rests on one idea. An attack decides for each possible release whether to say "in". Saying "in" at a release has a cost, because the false positive rate rises by the probability of this release without the target. It also has a gain, because the true positive rate rises by the probability of this release with the target. The gain divided by the cost is the likelihood ratio. If the false positive rate may not exceed a given limit, the attack should therefore choose the releases with the highest likelihood ratios, until the limit is reached. If several releases share the lowest of these ratios and choosing all of them would exceed the limit, the attack says "in" at these releases at random, just often enough to reach the limit.
#
# The words "everything that the attacker sees" will matter later. If cells are independent, their likelihoods multiply, so their log-likelihood ratios add up.
#
# (threshold-six)=
# ## Six people, three scores
#
# We now define three attacks and try them on one small release. The target, Ada, is in the group together with Cleo, Dan and Eve. The informed attacker knows the traces of these three, subtracts their counts from the release, and looks only at what is left in Ada's eight positive cells.

# %%
from lib.aggregation import aggregate
from lib.datasets import load
from lib.randomness import stream

six = load("six-users")
ada_cells = np.flatnonzero(six.trace("Ada").ravel())
ada, cleo_dan_eve = 0, [2, 3, 4]  # rows of the dataset
groups = aggregate(six, [[ada, *cleo_dan_eve], cleo_dan_eve])
with_ada, others = (counts.ravel()[ada_cells] for counts in groups)

release_rng = stream(seed, "one release")
released = with_ada + release_rng.laplace(scale=1 / epsilon, size=with_ada.shape)
left = released - others

# %%
hours = len(six.epochs)  # eight; cell c belongs to place c // 8 and hour c % 8
example = pd.DataFrame(
    {
        "left": left,
        "at least 1/2": (left >= 0.5).astype(int),
        "log ratio": epsilon * (np.abs(left) - np.abs(left - 1)),
    },
    index=[
        f"{six.rois.index[c // hours]}, {six.epochs[c % hours]:%a %H}h"
        for c in ada_cells
    ],
)
plots.show_table(example.rename_axis("Ada's cell"), "six-users")
example.sum().round(2).to_dict()

# %% [markdown]
# Each column belongs to one attack, whose score is the sum of the column, printed below the table.
#
# - **One threshold** adds up the values that are left. The mean of the sum is 8 for a member and 0 for a non-member, so the attack says "in" if the sum is 4 or more. Each cell has variance $2/\varepsilon^2 = 8$, so the sum of eight cells has standard deviation 8 for members and for non-members. An attacker who knows nobody in the group has nothing to subtract, so the score is the sum of the released counts in Ada's cells. For such an attacker, the rule is the [sum attack](foundations-attack) of the first chapter.
# - **Two thresholds** counts the cells whose value is at least 1/2, and says "in" if these are at least half of the eight cells. The first threshold is for the value of a cell, and the second is for the number of cells.
# - The **likelihood ratio** adds up the log-likelihood ratios of the cells and says "in" if the sum is 0 or more. If the sum is 0, the release is equally likely with and without the target.
#
# In this release two cells lie well below 0, at $-2.36$ and $-1.23$. Together they lower the sum to 2.82, and the one-threshold attack misses Ada. Such misses are common. A member is missed if the noise lowers the sum from its mean of 8 to below 4. This distance of 4 is half a standard deviation, so a member is missed with a probability of about $\Phi(-\tfrac12)$, or about three times in ten. ($\Phi$ is the distribution function of the standard normal distribution.) The other two attacks identify Ada, because in their scores each of the two cells counts no more than a cell just below 0. One release does not show which attack is best, however: {ref}`threshold-ex-eight` compares the error rates of all three on eight cells.
#
# For short, we say that the one-threshold attack *adds up* the cells and that the two-threshold attack *counts* them.
#
# The two-threshold attack and the likelihood ratio differ in one respect. If a value lies between 0 and 1, the likelihood ratio uses its exact position, but the two-threshold attack uses only whether it is below 1/2.
#
# ````{prf:algorithm} One and two thresholds (Algorithms 1 to 5 of the paper)
# :label: alg-metric
# 1. Generate *shadow aggregates*, for which the attacker knows whether the target is included: draw random groups of people of the same kind, add the target to half of the groups, count each group, and add noise to all counts.
# 2. Compute the score of a release from the values $x_c$ of the target's positive cells. *One threshold*: $S_1 = \sum_c x_c$. *Two thresholds*: $S_2 = \#\{c : x_c \ge T_c\}$, where $T_c$ lies midway between the mean value of cell $c$ in member shadow aggregates and its mean value in non-member shadow aggregates.
# 3. Say "in" if the score is at least $T$, which lies midway between the mean scores of member and of non-member shadow aggregates.
# ````
#
# For the informed attacker the mean value of a cell is 0 without the target and 1 with it, so $T_c = \tfrac12$. The threshold of the score is $T = n/2$ for both rules. For one threshold this is half of the difference that the target makes to the sum. For two thresholds it follows from symmetry: a cell of a member is below $\tfrac12$ just as often as a cell of a non-member is above.
#
# The informed attacker can compute the likelihood ratio without shadow aggregates. The auxiliary attacker must first estimate how often the unknown others produce a count of 0, 1, 2, ... in each cell ([below](threshold-data)).
#
# (threshold-composition)=
# ## What does the guarantee allow?
#
# If each of 60 counts is released with $\varepsilon = 0.5$, how accurate can the best conceivable attack be? We derive the answer in two ways: the first uses a theorem and works for any $\delta$, and the second starts from first principles and works for $\delta = 0$.
#
# ### From a guarantee to an accuracy
#
# Let $\alpha$ be the false positive rate of an attack and $\beta$ its false negative rate. If members and non-members are equally likely, the accuracy of the attack is $1 - \tfrac12(\alpha + \beta)$. Suppose that the release of all counts together is $(\varepsilon', \delta')$-differentially private. By definition, this means that for every event $E$
#
# $$ P(E \mid \text{with the target}) \le e^{\varepsilon'} P(E \mid \text{without the target}) + \delta' , $$
#
# and the same with the two probabilities exchanged. We apply the definition once to the event "the attack says *in*" and once, with the probabilities exchanged, to the event "the attack says *out*":
#
# $$ 1 - \beta \le e^{\varepsilon'} \alpha + \delta' \qquad\text{and}\qquad 1 - \alpha \le e^{\varepsilon'} \beta + \delta' . $$
#
# Adding the two inequalities gives
#
# $$ 2 - (\alpha + \beta) \le e^{\varepsilon'} (\alpha + \beta) + 2\delta' . $$
#
# Solving for $\alpha + \beta$ gives
#
# $$ \alpha + \beta \ge \frac{2\,(1 - \delta')}{1 + e^{\varepsilon'}} . $$
#
# So the accuracy of any attack is at most
#
# $$ 1 - \frac{1 - \delta'}{1 + e^{\varepsilon'}} . $$
#
# What are $\varepsilon'$ and $\delta'$ for 60 counts? Adding up budgets (**sequential composition**) gives $\varepsilon' = 60\,\varepsilon$ and $\delta' = 0$ for Laplace noise. This guarantee is valid but useless, because it allows an accuracy of almost 1. The strongest possible guarantee consists of a whole family of pairs $(\varepsilon', \delta')$, numbered by $i$. As $i$ grows, $\varepsilon'$ falls and $\delta'$ rises. The theorem gives all of these pairs.
#
# ````{prf:theorem} Optimal composition (Theorem 1 of the paper)
# :label: thm-composition
# Suppose that each of $k$ releases (our $n$ counts) is $(\varepsilon, \delta)$-DP. Then all of them together are $\big((k - 2i)\varepsilon,\ 1 - (1 - \delta)^k (1 - \delta_i)\big)$-DP for every $i = 0, \dots, \lfloor k/2 \rfloor$. Here
# $\delta_i = (1 + e^\varepsilon)^{-k} \sum_{j < i} \binom{k}{j} \big(e^{(k - j)\varepsilon} - e^{(k - 2i + j)\varepsilon}\big)$. No smaller pairs are valid for all such mechanisms {cite:p}`kairouz2015`.
# ````
#
# The sum in $\delta_i$ looks arbitrary, but for $\delta = 0$ you will be able to read it off from the randomized answers of the [next section](threshold-randomized).
#
# For Laplace noise $\delta = 0$, so the second component is just $\delta_i$. As the smallest example, take two counts. The theorem then gives two pairs. The pair for $i = 0$ is $(2\varepsilon, 0)$, the sum of the budgets. The pair for $i = 1$ is $(0, \delta_1)$, where $\delta_1 = (e^{2\varepsilon} - 1) / (1 + e^\varepsilon)^2$. What accuracy does each pair allow?

# %%
growth = np.exp(epsilon)
delta_1 = (growth**2 - 1) / (1 + growth) ** 2
print(f"i = 0: {1 - 1 / (1 + growth**2):.2f}", end=", ")
print(f"i = 1: {1 - (1 - delta_1) / 2:.2f}")

# %% [markdown]
# The second pair gives the smaller limit. It is 0.62, the same as for a [single cell](threshold-cell), so a second count does not help at all. The reason is easiest to see with two answers that are equally reliable, as in the next section: if they disagree, the attacker has learned nothing, and if they agree, the first one would have led to the same decision. The same holds for any even number of counts: 60 counts allow no higher accuracy than 59. You can practise reading off the pairs with three counts in {ref}`threshold-ex-three-counts`.
#
# For 60 counts there are 31 pairs. All of them are valid at the same time. Each pair implies an upper limit on the accuracy, and the smallest of these limits is the bound:

# %%
from math import comb

from lib import accounting

k = n_cells  # the name in the theorem
bounds = []
for i in range(k // 2 + 1):
    terms = [
        comb(k, j) * (growth ** (k - j) - growth ** (k - 2 * i + j)) for j in range(i)
    ]
    delta_i = sum(terms) / (1 + growth) ** k
    bounds.append(1 - (1 - delta_i) / (1 + growth ** (k - 2 * i)))
bound = accounting.expected_accuracy(epsilon, n_cells)
print(f"by addition {bounds[0]:.4f}, by Theorem 1 {min(bounds):.4f}", end=", ")
print(f"by the library {bound:.4f}")

# %% [markdown]
# (threshold-randomized)=
# ### Why this bound, and is it reached?
#
# For $\delta = 0$ there is a simpler derivation, which also shows that some mechanism reaches the bound. We replace a noisy count by **randomized response**, a single answer, *in* or *out*, which is true with probability $e^\varepsilon / (1 + e^\varepsilon)$ and false otherwise. Randomized response is $\varepsilon$-DP and uses the whole budget, because the true answer is more likely than the false one by a factor of exactly $e^{\varepsilon}$.
#
# Every $\varepsilon$-DP release of one count can be obtained from such an answer by post-processing. Let $p_1$ and $p_0$ be the densities of the released value with and without the target, and define
#
# $$ q_1 = \frac{e^\varepsilon p_1 - p_0}{e^\varepsilon - 1} , \qquad q_0 = \frac{e^\varepsilon p_0 - p_1}{e^\varepsilon - 1} . $$
#
# By differential privacy, $p_0 \le e^\varepsilon p_1$ and $p_1 \le e^\varepsilon p_0$, so $q_1$ and $q_0$ are nowhere negative. Each of them integrates to 1, so both are densities. If we mix them in the proportions of a true and a false answer, we obtain the density that we started from:
#
# $$ \frac{e^\varepsilon q_1 + q_0}{1 + e^\varepsilon} = \frac{(e^{2\varepsilon} - 1)\, p_1}{(e^\varepsilon - 1)(1 + e^\varepsilon)} = p_1 , $$
#
# and likewise $p_0 = (e^\varepsilon q_0 + q_1) / (1 + e^\varepsilon)$. These equations describe the post-processing: draw a value from $q_1$ if the randomized answer is *in*, and from $q_0$ if it is *out*. This value has exactly the distribution of the release. An attacker who sees the answer can generate the release from it, so no attack on the release is better than the best attack on the answer.
#
# **Where the formula of Theorem 1 comes from.** With $k$ independent counts the attacker sees $k$ answers. If the target is in the group, exactly $j$ of them are false with probability $\binom kj e^{(k-j)\varepsilon}/(1+e^\varepsilon)^k$. If the target is not in the group, the true answers are the other ones, so the same answers have probability $\binom kj e^{j\varepsilon}/(1+e^\varepsilon)^k$. For the pair with $\varepsilon' = (k-2i)\varepsilon$, the smallest valid $\delta'$ is the largest excess $P(E \mid \text{with}) - e^{(k-2i)\varepsilon} P(E \mid \text{without})$ over all events $E$. A sequence of answers of which $j$ are false (with the target) makes this excess larger if and only if $k - j > (k - 2i) + j$, that is, if $j < i$. So the best event contains exactly the sequences with $j < i$, and its excess is the sum $\delta_i$ of {prf:ref}`thm-composition`, term by term.
#
# **The accuracy directly.** The likelihood ratio of the $k$ answers depends only on how many of them are *in*. So the best attack follows the majority and guesses if there is a tie. A tie is equally likely for members and for non-members, so always saying "in" at a tie, as in {prf:ref}`alg-metric`, is equally accurate:

# %%
from scipy import stats

true_answers = stats.binom(n_cells, 1 / (1 + np.exp(-epsilon)))
majority = true_answers.sf(n_cells / 2) + true_answers.pmf(n_cells / 2) / 2
print(f"{majority:.4f} by the majority of {n_cells} randomized answers")

# %% [markdown]
# A majority vote over 60 randomized answers reaches the bound of Theorem 1. So the bound can be made smaller only by using more about the noise than its $\varepsilon$.
#
# (threshold-anchors)=
# ## How accurate are the three rules?
#
# For the informed attacker, the accuracies of our three attacks can be computed exactly, without simulation. We first need the distributions of $S_1$ and $S_2$, the scores of the one-threshold and of the two-threshold rule:
#
# ````{prf:theorem} Distributions of the scores (Theorems 2 and 3 of the paper, corrected)
# :label: thm-distributions
# Let the cells be independent, let the third moments of their values be bounded, and let their variances stay above a positive constant. (Both conditions hold here: a count is at most $m$, and the noise alone has variance $2/\varepsilon^2$.) Then $S_1$ is asymptotically normal as $n$ grows. Its means for members and for non-members differ by $n$, and its *variance* is the sum of the cells' variances. $S_2$ is a sum of independent Bernoulli variables. For the informed attacker all cells are alike, and $S_2$ is binomial: $B(n, \alpha_1)$ for non-members and $B(n, 1 - \beta_1)$ for members, where $\alpha_1$ and $\beta_1$ are the false positive rate and the false negative rate of *one cell*. For Laplace noise and thresholds at 1/2, $\alpha_1 = \beta_1 = \tfrac12 e^{-\varepsilon/2}$.
# ````
#
# Think of each cell as casting a vote: "in" if its value is at least its threshold, and "out" otherwise. The error rates of this vote are $\alpha_1$ and $\beta_1$. (The paper writes $\alpha'$ and $\beta'$. Its Section 2.3.2 uses $\alpha$ for our false *negative* rate, but its Theorem 3 uses $\alpha$ for the false positive rate, as we do. Its Algorithm 1 says "out" if the score equals the threshold, whereas its Eq. 10 says "in", as we do.)
#
# The value of $\alpha_1$ is easy to check. It is the probability that one cell of a non-member votes "in". Laplace noise of scale $1/\varepsilon$ is at least $1/2$ with probability $\int_{1/2}^{\infty} \tfrac{\varepsilon}{2} e^{-\varepsilon x}\,dx = \tfrac12 e^{-\varepsilon/2}$. The probability that one cell of a member votes "out" is $\beta_1$, and by symmetry it is the same.
#
# ```{note}
# We corrected two misprints. Theorem 2 of the paper adds up standard deviations, although it is the variances that add up. In the example after Theorem 3, let $F_0$ and $F_1$ be the distribution functions of one cell for a non-member and for a member. Then
#
# | | the paper (visits of size 1) | corrected |
# |---|---|---|
# | false positive rate of one cell | $F_1(\tfrac12)$ | $1 - F_0(\tfrac12)$ |
# | false negative rate of one cell | $1 - F_1(\tfrac12)$ | $F_1(\tfrac12)$ |
#
# By symmetry, the paper's first expression has the right value. Its second expression is the *true* positive rate of a cell. If this were the false negative rate, the score would have the same distribution for members and for non-members.
# ```
#
# Since each cell casts one vote, the two-threshold attack is a majority vote over $n$ cells, like the best attack on randomized answers. Here each vote is right with probability $1 - \alpha_1$. The one-threshold attack separates two nearly normal distributions whose means are $n$ apart. Each cell contributes $2/\varepsilon^2$ to the variance of either distribution. From this we compute the accuracies of both attacks:

# %%
correct_votes = stats.binom(n_cells, 1 - np.exp(-epsilon / 2) / 2)
two_accuracy = correct_votes.sf(n_cells / 2) + correct_votes.pmf(n_cells / 2) / 2
deviation = np.sqrt(n_cells * 2) / epsilon
one_accuracy = stats.norm.cdf(n_cells / 2, scale=deviation)
print(f"two thresholds {two_accuracy:.4f}, one threshold about {one_accuracy:.4f}")

# %% [markdown]
# We check both accuracies by simulation, and simulate the likelihood ratio as well. The next lines run the informed attacker's membership game 20,000 times:

# %%
draws = stream(seed, "informed attacker")
members = np.arange(20_000) % 2 == 1  # every second group has the target
cells_left = draws.laplace(scale=1 / epsilon, size=(20_000, n_cells))
cells_left[members] += 1

rule_scores = {
    "one threshold": cells_left.sum(axis=1) - n_cells / 2,
    "two thresholds": (cells_left >= 1 / 2).sum(axis=1) - n_cells / 2,
    "likelihood ratio": epsilon * (abs(cells_left) - abs(cells_left - 1)).sum(axis=1),
}
for name, score in rule_scores.items():
    correct = np.where(score == 0, 1 / 2, (score > 0) == members)  # guess at a tie
    error = correct.std() / np.sqrt(len(correct))
    print(f"{name}: accuracy {correct.mean():.3f}, standard error {error:.3f}")

# %% [markdown]
# The accuracy of the likelihood ratio can be computed exactly, too. The score of a release is the sum of the log-likelihood ratios of $n$ independent cells, so the distribution of the score is the convolution of $n$ equal distributions. What is the distribution of one of them, for a non-member? The value is below 0 with probability 1/2, and then the log-likelihood ratio is $-\varepsilon$. The value is above 1 with probability $\tfrac12 e^{-\varepsilon}$, and then the log-likelihood ratio is $+\varepsilon$. The remaining probability is spread over the values in between. We divide this interval into 100 steps, and assign the probability of each step to its midpoint:

# %%
steps = 100
edges = np.linspace(0, 1, steps + 1)
# Place i of the grid is the log-likelihood ratio (i - steps) * epsilon / steps.
one_cell = np.zeros(2 * steps + 1)
one_cell[0] = 1 / 2
# Two places make a step, so the midpoints of the steps are the odd places.
one_cell[1::2] = np.diff(stats.laplace.cdf(edges, scale=1 / epsilon))
one_cell[-1] = np.exp(-epsilon) / 2


def accuracy_of_sum(one_cell):  # one_cell: the distribution for a non-member
    all_cells = np.ones(1)
    for _ in range(n_cells):
        all_cells = np.convolve(all_cells, one_cell)
    middle = len(all_cells) // 2  # here the sum is 0: 60 cells shift it to 60 * steps
    return all_cells[:middle].sum() + all_cells[middle] / 2  # guess at a tie


ratio_accuracy = accuracy_of_sum(one_cell)
print(f"likelihood ratio {ratio_accuracy:.4f}")

# %% [markdown]
# The printed number is the probability that a non-member is recognised. By symmetry it is the same for a member, so it is the accuracy. Does the library obtain the same accuracies? It computes the accuracy of one threshold exactly, whereas the value above rests on the normal approximation:

# %%
from lib.membership import score_distributions

no_others = score_distributions.NO_OTHERS  # the informed attacker has subtracted them
exact_accuracy = experiments.three_rules(Laplace(epsilon), no_others, n_cells)
computed_above = {"one": one_accuracy, "two": two_accuracy, "ratio": ratio_accuracy}
for rule, accuracy in computed_above.items():
    print(f"{rule}: above {accuracy:.4f}, by the library {exact_accuracy[rule]:.4f}")

# %% [markdown]
# The table shows the exact accuracies of all three rules for several numbers of cells, each rule at its best threshold. For Gaussian noise we take $\varepsilon = 0.5$ and $\delta = 1/(2m)$, and compute $\sigma$ by a textbook formula; the [section after the next figure](threshold-gaussian) discusses this choice.

# %% tags=["hide-input"]
no_data = ["analytic"]  # the library's name for results that need no dataset
in_table = [3, 9, 21, n_cells - 1, n_cells, n_cells + 1, 141]
in_figure = [1, 3, 5, 9, 15, 21, 31, 45, 61, 81, 111, 141]
exact = experiments.exact(
    no_data,
    cells=sorted({*in_table, *in_figure}),
    epsilon=epsilon,
    delta=1 / (2 * group_size),
)
plots.show_table(figures.exact_table(exact, in_table).map("{:.4f}".format), "exact")

# %% mystnb={"figure": {"name": "fig-th-exact", "caption": "Exact accuracy of the informed attacker. Top: how far each rule stays below the bound under Laplace noise. One threshold loses up to 0.08; two thresholds and the likelihood ratio lose much less. Bottom: the accuracies under Gaussian noise. The marks of one threshold and of the likelihood ratio coincide, far below the bound. The axis of cells is logarithmic. Only odd numbers of cells are plotted, because the bound hardly rises at even numbers (under Laplace noise, not at all)."}, "image": {"alt": "Two panels against the number of positive cells, on a logarithmic axis. Above, the distance below the bound under Laplace noise: largest for one threshold, much smaller for two thresholds, and smallest for the likelihood ratio. Below, accuracies under Gaussian noise: the ratio equals one threshold, two thresholds are lower, and the bound is far above."}} tags=["hide-input"]
figures.exact_accuracies(
    exact[exact["cells"].isin(in_figure)], distance=True, ticks=[1, 3, 9, 21, 61, 141]
)

# %% [markdown]
# **Under Laplace noise, counting is better than adding up if there are enough cells.** This holds for all numbers of cells in the table, from 3 to 141. With one cell the two rules coincide, and with two cells the order is reversed ({ref}`threshold-ex-two`). Why is counting better? {numref}`fig-th-cell` shows the reason: values outside $[0, 1]$ carry no extra evidence, and values inside carry evidence that depends on where they lie. The three rules treat the two kinds of values differently:
#
# | rule | a value outside $[0, 1]$ | a value inside $[0, 1]$ |
# |---|---|---|
# | one threshold | counts in full, without limit | its position counts |
# | two thresholds | counts as much as a value of 0 or of 1 | counts only by its side of 1/2 |
# | likelihood ratio | counts as much as a value of 0 or of 1 | its position counts |
#
# Counting cells limits the influence of extreme values just as the likelihood ratio does. Counting is slightly less accurate only because it ignores where between 0 and 1 a value lies. In a sum, a few low values can outweigh the rest. This happened to Ada: two cells, at $-2.36$ and $-1.23$, lowered her total to 2.82, below the threshold of 4.
#
# **Under Gaussian noise, adding up is better than counting if there are at least two cells.** (With one cell the two rules coincide.) The log-likelihood ratio is a straight line, so adding up the cells *is* the likelihood ratio test, and counting discards evidence.
#
# Is the likelihood ratio, with a threshold of 0 on its logarithm, the most *accurate* of all attacks? The informed attacker can compute the true likelihood ratio of all $n$ cells that are used, because the cells are independent and their distributions are known. But {prf:ref}`thm-neyman-pearson` compares only attacks with the same false positive rate, so we need one more step to compare accuracies. If members and non-members are equally likely, the accuracy is $\tfrac12$ plus half the difference between the true and the false positive rate. If an attack says "in" at a release, this adds to the true positive rate the probability of the release when the target is in the group, and to the false positive rate its probability when the target is not. So saying "in" at a release raises the accuracy if and only if this release is more likely with the target than without, that is, if its log-likelihood ratio is above 0. Therefore the likelihood ratio of this section is the most accurate of all possible attacks on these $n$ cells by the informed attacker.
#
# Under Laplace noise a small gap remains between the likelihood ratio and the bound, because Laplace noise leaks a little less than randomized response with the same $\varepsilon$. At 60 cells this gap is slightly smaller than at 59 or at 61, as the table shows: the bound is the same for 59 and for 60 counts, but the likelihood ratio uses all 60.
#
# In the online version of this page you can vary $n$ and $\varepsilon$ here, and switch between Laplace and Gaussian noise.
#
# ```{raw} html
# :file: static/thresholds.html
# ```
#
# (threshold-gaussian)=
# ### At home: why is the gap so large under Gaussian noise?
#
# Under Gaussian noise the best attack stays far below the bound. This gap has two causes, and to separate them we compute the accuracy of the best attack for two values of $\sigma$. The first is the smallest $\sigma$ that satisfies the $(\varepsilon, \delta)$ guarantee. No formula gives it directly. It can be found numerically from the exact condition for Gaussian noise {cite:p}`balle2018improving`, which the [chapter on guarantees](kkd-label) derives. The second is the $\sigma$ of the table above, which comes from a textbook formula {cite:p}`dworkroth2014`, $\sigma = \sqrt{2 \ln(5/(4\delta))} / \varepsilon$. The library calls the two choices the *analytic* and the *classical* calibration:

# %%
delta = 1 / (2 * group_size)
for which, calibration in {"smallest": "analytic", "textbook": "classical"}.items():
    sigma = Gaussian(epsilon, delta, calibration=calibration).scale
    best_accuracy = stats.norm.cdf(n_cells / 2, scale=np.sqrt(n_cells) * sigma)
    print(f"{which} standard deviation {sigma:.2f}, accuracy {best_accuracy:.4f}")

# %% [markdown]
# The larger part of the gap is the difference between the bound, 0.9729, and the accuracy in the first line. Its cause is that Theorem 1 must hold for every mechanism with the same $(\varepsilon, \delta)$, and Gaussian noise leaks far less than the worst of these mechanisms. The difference between the first line and the second has another cause: the textbook formula gives a larger $\sigma$ than the guarantee requires.
#
# The textbook formula is our choice, and we use it wherever we do not say otherwise. The paper says only that $\sigma$ is proportional to $\Delta_2/\varepsilon$, where $\Delta_2$ is the L2 sensitivity (the largest Euclidean distance by which the counts, before noise, can change if the protected data change), and does not state the constant of proportionality. Our accuracies under Gaussian noise depend on this constant, as the two lines show. Other constants are in use as well: GSM, the Gaussian mechanism of the [chapter on guarantees](guarantees.ipynb), uses $\sqrt{2 \ln(2/\delta)}$.
#
# (threshold-rare)=
# ### Optional: what if false positives must be rare?
#
# Suppose that an attacker can afford only very few false positives. How many members can this attacker identify? The answer is at the left end of the ROC curve, where the false positive rate is small. The guarantee also implies a bound on this curve. To find it, we solve the two inequalities of [the section on the guarantee](threshold-composition) for the true positive rate $1 - \beta$. For each pair $(\varepsilon', \delta')$, the true positive rate is at most $e^{\varepsilon'} \alpha + \delta'$ and at most $1 - e^{-\varepsilon'} (1 - \delta' - \alpha)$, and the smallest of these values over all pairs is the bound. The table gives this bound and the attacks' true positive rates at three false positive rates:

# %% tags=["hide-input"]
curves = experiments.exact_roc(epsilon, n_cells)
rare = curves.iloc[[0, 20, 40]]  # 1 in 1,000, in 100, in 10
plots.show_table(
    rare.rename(index=lambda rate: f"{rate:.3f}").map("{:.3f}".format), "roc"
)

# %% mystnb={"figure": {"name": "fig-th-roc", "caption": "Exact ROC curves of the informed attacker under Laplace noise: the rarer false positives must be, the more the choice of the rule matters. The horizontal axis is logarithmic. The black line is the bound. The curve of two thresholds has slight bends, because the score is a whole number and the attack decides at random if the score equals the threshold. The bound bends where a different pair (ε′, δ′) begins to give the smallest limit."}, "image": {"alt": "ROC curves on a logarithmic axis of false positive rates from one in a thousand: DP bound above likelihood ratio above two thresholds above one threshold."}} tags=["hide-input"]
figures.exact_roc(curves, n_cells)

# %% [markdown]
# At a false positive rate of one in a thousand, the two-threshold attack identifies 64% of the members and the one-threshold attack 35%. The score of the two-threshold attack is a whole number, so a false positive rate of exactly one in a thousand requires a random decision when the score equals the threshold. To keep its false positive rate at or below one in a thousand without random decisions, the attack must require more cells before it says "in":

# %%
votes_out = stats.binom(n_cells, np.exp(-epsilon / 2) / 2)  # cells of a non-member
for needed in (30, 35, 36):
    print(
        f"at least {needed} of {n_cells} cells: false positive rate "
        f"{votes_out.sf(needed - 1):.4f}, "
        f"true positive rate {correct_votes.sf(needed - 1):.2f}"
    )

# %% [markdown]
# The threshold with the highest accuracy, 30 of 60 cells, has far too many false positives. An attack that says "in" whenever at least 36 cells vote for it, and never decides at random, identifies 62% of the members at a false positive rate of 0.0008. If it required only 35 cells, the false positive rate would be 0.0018, which is too high.
#
# (threshold-map)=
# ## What do the other users change?
#
# The auxiliary attacker does not know who the others are. How much evidence does a cell contain for this attacker? The value of a cell without the target is *the others' count plus the noise*. The count and the noise are independent random numbers, so the density of the released value $x$ is a convolution (Eq. 8 and 9 of the paper):
#
# $$ f_{\text{out}}(x) = \sum_{j} P(K = j)\, \tfrac{\varepsilon}{2} e^{-\varepsilon |x - j|} , \qquad f_{\text{in}}(x) = f_{\text{out}}(x - 1) , $$
#
# where the random number $K$ is the others' count.
#
# In the paper's worked example, 2,000 people are drawn at random from 10,000, and 1% of the 10,000 visit the cell. So the mean of $K$ is 20. For now we assume that $K$ is binomial. We compare this crowded cell with a sparse cell, in which the mean of $K$ is 0.2. The table shows the log-likelihood ratio of seven values for each cell: 12, 6 and 3 below the mean, the mean itself, and 3, 6 and 12 above it.


# %%
def log_ratio(x, mean):
    j = np.arange(2001)
    probability = stats.binom(2000, mean / 2000).pmf(j)
    f_out, f_in = (
        probability @ np.exp(-epsilon * np.abs(x - j - target_adds))
        for target_adds in (0, 1)
    )
    return np.log(f_in / f_out)


def spread_of_value(mean):  # standard deviation of count plus noise
    return np.sqrt(stats.binom(2000, mean / 2000).var() + 2 / epsilon**2)


for mean in (0.2, 20):
    print(
        f"mean count {mean}: standard deviation {spread_of_value(mean):.1f}", end=", "
    )
    print(f"no other visitor with probability {(1 - mean / 2000) ** 2000:.2f}")

evidence = pd.DataFrame(
    {
        f"mean count {mean}": {
            distance: log_ratio(mean + distance, mean)
            for distance in (-12, -6, -3, 0, 3, 6, 12)
        }
        for mean in (0.2, 20)
    }
)
plots.show_table(evidence.round(2).rename_axis("value minus mean"), "evidence")

# %% [markdown]
# At the mean of the sparse cell, $x = 0.2$, the evidence is already negative, because the others' count is usually 0 (with probability 0.82), and $x$ is nearer to 0 than to 1. Beyond a distance of 3 from the mean the evidence hardly changes, almost as if there were no other users. In the crowded cell, the evidence increases almost linearly near the mean, as it does under Gaussian noise, and bends only slowly towards the bounds. There are two reasons: a binomial count with a large mean is nearly normal, and this count varies more than the noise. In the crowded cell, too, the evidence is bounded by $\pm\varepsilon$. But within 6 of the mean, a little more than one standard deviation, it stays below 0.3 in size. Even at a distance of 12, more than two standard deviations, it has not reached the bound. In the crowded cell, the evidence approaches its bound sooner below the mean than above it. The reason is that the distribution of the count is skewed: its tail is longer above the mean than below. So the other users can explain a value far above the mean more easily than a value that is equally far below.

# %% mystnb={"figure": {"name": "fig-th-evidence", "caption": "Evidence in one cell for an attacker who does not know the others: the more people visit the cell, the straighter the curve over the likely values. The thick part of each curve covers one standard deviation of the value on either side of the mean. With a mean count of 0.2, the curve levels off within the thick part, so counting loses little. With a mean count of 20, the thick part is almost a straight line, so adding up loses little. Dotted lines: the bounds ±ε."}, "image": {"alt": "Three curves of the log-likelihood ratio against the value minus the mean count, each named beside it and thick within one standard deviation of 0: for a mean count of 0.2 a steep rise and then flat at the bounds, for 1.5 a less steep rise, for 20 a nearly straight line through 0 that bends towards the bounds only far from the mean."}} tags=["hide-input"]
distances = np.linspace(-15, 15, 121)
three_means = {f"mean count {mean:g}": mean for mean in (0.2, 1.5, 20)}
figures.evidence_curves(
    pd.DataFrame(
        {
            name: [log_ratio(mean + distance, mean) for distance in distances]
            for name, mean in three_means.items()
        },
        index=distances,
    ),
    epsilon,
    {name: spread_of_value(mean) for name, mean in three_means.items()},
)

# %% [markdown]
# We expect the two-threshold rule to be better in sparse cells, and the one-threshold rule in crowded cells, although the noise is the same. The next table shows exact accuracies for 60 independent cells. In each row, the others' counts are *binomial*, with the same mean in all 60 cells. The last row has the mean count of the paper's example.

# %% tags=["hide-input"]
shares = [0.0001, 0.00075, 0.001, 0.01]  # of the people visit the cell
by_share = experiments.rules(no_data, epsilon=epsilon, shares=shares)
sparsity = experiments.select(by_share, varied="share of ones").set_index("mean count")
long_names = {
    "one": "one-threshold",
    "two": "two-threshold",
    "ratio": "likelihood ratio",
}
shown = sparsity[list(long_names)]
plots.show_table(shown.rename(columns=long_names).map("{:.4f}".format), "sparsity")

# %% [markdown]
# In sparse cells the two-threshold rule is more accurate, and in crowded cells the one-threshold rule is. At a mean count of 1.5 the two rules are almost equally accurate. The replication page has {ref}`a map of both regions <fig-th-map>`. The other users also protect the target: every rule is less accurate in crowded cells.
#
# In the paper's example, the count is not quite binomial. Nobody is drawn twice, so the count of a cell is *hypergeometric*, with the same mean of 20 but a smaller variance than a binomial count. We compute the last row of the table for both distributions:

# %% tags=["hide-input"]
paper_counts = {
    "binomial": stats.binom(2000, 0.01),
    "hypergeometric": stats.hypergeom(10_000, 100, 2000),
}
for name, count in paper_counts.items():
    accuracies = experiments.three_rules(
        Laplace(epsilon), count.pmf(np.arange(201)), n_cells
    )
    in_short = ", ".join(f"{rule} {value:.3f}" for rule, value in accuracies.items())
    print(f"{name}: variance {count.var():.1f}, accuracy {in_short}")

# %% [markdown]
# The hypergeometric count varies less, so it hides the target less well. Assuming a binomial count understates the accuracy of each rule by nearly two percentage points, but does not change the order of the rules.
#
# ```{note}
# The table assumes that all cells have the same mean count and are independent. In the flights dataset, the cells have different mean counts and are correlated. The average of the mean counts is about 1.4 to 1.6 ([below](threshold-correlation)), and near this value the two rules of the table are almost equally accurate. On the flights the two-threshold rule is nevertheless more accurate by 0.019 (the table of [the gap](threshold-gap)). An [optional section](threshold-lead) shows why.
# ```
#
# (threshold-data)=
# ## How do the attacks do on data?
#
# The accuracies so far assume that the distribution of the counts is known. Now the auxiliary attacker must learn it from a dataset. The paper uses tweets from Milan, which are not part of this book. We use two other datasets. `tweeters-threshold` is a **synthetic surrogate** with the same numbers of users, places and hours as the paper's tweets. The paper does not say how often users share a cell, so here our model rests on an assumption. The second dataset, `flights-by-number`, is real ([the first chapter](foundations-attack) describes it). Here a "user" is a flight number, that is, a line of the timetable that recurs every week.
#
# One user is the target, and the other users are split at random into two halves. The data holder draws groups of $m$ from the *released* half. The auxiliary attacker knows the target's trace and the traces of the *auxiliary* half, but no others:
#
# | half | who uses it, and for what |
# |---|---|
# | **released half** | the data holder draws the groups from it that are counted and released |
# | **auxiliary half** | the attacker knows its traces, and draws groups from it to estimate distributions and to train |
#
# The two halves differ by chance. So what the attacker learns from the auxiliary half is not exactly true of the released half. We call the resulting error the error from the **wrong half**.
#
# For the informed attacker, only the noise and the membership are unknown. So the dataset makes no difference, and we evaluate this attacker only once, with the targets of the first dataset. What we call several targets of the informed attacker are therefore several repetitions, with new noise and newly trained networks.
#
# In the library, each combination of dataset and attacker is a *scenario*. It contains the visits (`traces`), the targets, the size of a group (`group_size`) and the number of positive cells that are used (`middle`, because some experiments also use fewer and more cells). The scenario of the informed attacker is called "noise only". The flights have far fewer users than the surrogate, so their groups are smaller:

# %%
from lib.papers import fitting

sizes = {"group_size": group_size, "n_cells": n_cells, "runs": runs}
settings = {"epsilon": epsilon, "delta": delta, "seed": seed, "path": path}
# First the informed attacker, then the auxiliary attacker on each dataset.
scenes = fitting.load_attackers(datasets, **sizes, **settings)
on_data = [scenes[name] for name in datasets]  # the auxiliary attacker on each dataset
flights = on_data[-1]  # the last dataset

# %% tags=["hide-input"]
for name, scenario in scenes.items():
    if name not in datasets:  # the informed attacker: only n and epsilon matter
        print(f"{name}: n = {scenario.middle}, epsilon = {scenario.epsilon}")
        continue
    print(
        f"{name}: {scenario.traces.n_users:,} users, "
        f"about {(scenario.traces.n_users - 1) // 2:,} in a half; "
        f"m = {scenario.group_size:,} others, n = {scenario.middle} positive cells, "
        f"epsilon = {scenario.epsilon}"
    )

# %% [markdown]
# Who are the targets? (You may skip this part on a first reading. All you need from it is that the targets are among the users with the most cells.) A target must have enough positive cells, so we cannot draw targets from all users:
#
# - *On the surrogate*, the experiments that run on this page draw them from the users with at least 60 cells. The stored experiment at the end of this section also varies the number of cells, so its targets need at least 140.
# - *On the flights* nobody has 60 cells, and 30 flights share the maximum of 57. To choose $t$ targets there, we take the first $2t$ of these 30 flights, in the order of the file, and draw the targets from them.
#
# The code counts the users who qualify as targets, and the targets that our experiments on the flights have in common:

# %% tags=["hide-input"]
from dataclasses import replace


def targets_of(scenario, count):
    count = min(count, scenario.traces.n_users)
    chosen = replace(scenario, runs=count)
    return {chosen.target(run) for run in range(count)}


for of_data in on_data:
    cells_of = np.diff(of_data.traces.matrix.indptr)  # number of cells of each user
    print(
        f"{of_data.data}: {(cells_of >= n_cells).sum()} users have at least {n_cells} cells, "
        f"{(cells_of >= 140).sum()} at least 140; the median is {np.median(cells_of):.0f}, "
        f"the maximum {cells_of.max()}, which {(cells_of == cells_of.max()).sum()} users have"
    )
for fewer, more in ((6, 12), (6, 10), (10, 12)):
    common = targets_of(flights, fewer) & targets_of(flights, more)
    print(f"{flights.data}, {fewer} and {more} targets: {len(common)} in common")

# %% [markdown]
# On the surrogate, the targets come from a small minority of users with very many cells. They are far easier to identify than most users, because the median user has only one cell. On the flights, the median of 48 cells is close to the maximum of 57, and all targets come from the 30 flights that have this maximum:
#
# | experiment with | pool | targets in common with the others |
# |---|---|---|
# | 6 targets | the first 12 of the 30 flights | 4 with the 10 targets, 3 with the 12 targets |
# | 10 targets | the first 20 | 4 with the 6 targets, 5 with the 12 targets |
# | 12 targets | the first 24 | 3 with the 6 targets, 5 with the 10 targets |
#
# The results of this chapter are about such targets only, and an interval over targets describes only the pool from which they are drawn.
#
# We first run the membership game for a single target, using only plain arrays. The first columns of the arrays are the target's positive cells. The remaining columns are the further cells of one other user, the *reference user*, whose trace one of the attacks needs. We begin by splitting the users and choosing the columns:

# %%
from lib.membership import shadows

surrogate = on_data[0]  # the scenario of the first dataset
traces, target, m = surrogate.traces, surrogate.target(0), surrogate.group_size
n_positive = surrogate.middle  # n_cells, or fewer if a target has fewer positive cells
print(f"{traces.n_users} users, {n_positive} positive cells, {m} others in a group")

game_rng = stream(seed, "one game")
users = game_rng.permutation(np.delete(np.arange(traces.n_users), target))
released_half, auxiliary_half = np.array_split(users, 2)
reference_user = auxiliary_half[0]

positive = game_rng.choice(traces.matrix[[target]].indices, n_positive, replace=False)
further = np.setdiff1d(traces.matrix[[reference_user]].indices, positive)
columns = np.concatenate([positive, further])
visits = traces.matrix[:, columns].toarray()  # users x columns, 0 or 1
z = np.arange(len(columns)) < n_positive  # the target's visits that the attacker uses

shared = visits[reference_user, :n_positive].sum()
print(
    f"the reference user has {len(further)} further cells and shares {shared} with the target"
)

# %% [markdown]
# Now we draw the releases: the counts of `n_test` groups from the released half, the target's visits in every second group, and noise in every cell:

# %%
counts = shadows.sample_counts(visits[released_half], n_test, m, game_rng)
labels = np.arange(n_test) % 2  # every second group has the target
noise = game_rng.laplace(scale=1 / epsilon, size=counts.shape)
values = counts + np.outer(labels, z) + noise  # groups x columns

# %% [markdown]
# To compute a likelihood ratio, the auxiliary attacker must know which counts the others produce in each cell. The attacker estimates this by drawing groups from the auxiliary half. Each drawn group contributes a Laplace density that is centred at the group's count, and the average of these densities is the estimated density of the released value. For a member, every centre is larger by 1. The attacker computes the log-likelihood ratio of every cell in this way, and adds up the cells as if they were independent. This attack is the **independent ratio**. For the informed attacker the cells *are* independent, and the independent ratio is the likelihood ratio of the sections above. We compute the log-likelihood ratio of one release by hand and with the library. We import its class `LikelihoodRatio` as `IndependentRatio`, the name that this chapter uses:

# %%
from lib.membership import LikelihoodRatio as IndependentRatio
from lib.membership import OneThreshold, TwoThreshold

known = shadows.sample_counts(visits[auxiliary_half], n_shadows, m, game_rng)
one_release = values[1, :n_positive]  # it has the target
centres = known[:, :n_positive]  # a count for each drawn group and cell
f_out, f_in = (
    np.exp(-epsilon * np.abs(one_release - centres - target_adds)).mean(axis=0)
    for target_adds in (0, 1)
)
print(f"by hand {np.log(f_in / f_out).sum():.3f}", end=", ")

marked = np.arange(n_shadows) % 2
shadow_noise = game_rng.laplace(scale=1 / epsilon, size=known.shape)
shadow = known + np.outer(marked, z) + shadow_noise
independent_ratio = IndependentRatio(Laplace(epsilon), known[:, :n_positive])
independent_ratio.fit(shadow[:, :n_positive], marked)
of_library = independent_ratio.decision_function(values[[1], :n_positive])
print(f"by the library {of_library[0]:.3f}")

# %% [markdown]
# The method `fit` takes shadow aggregates and their labels because all attacks of the library share one interface. The independent ratio ignores them; it needs only the counts `known`.
#
# Both threshold rules take their thresholds from the same shadow aggregates: each threshold lies midway between the mean of the members and the mean of the non-members ({prf:ref}`alg-metric`). The paper also studies the **reference attack** of Dwork and others {cite:p}`dwork2015robust`. This attack compares the release $x$ with the target's trace $z$ and with the trace $r$ of the reference user. The reference user is not in the group. The score is $\langle z, x \rangle - \langle r, x \rangle$. The first term is the score of the one-threshold attack. The second term is a control: it is the same score for a user who was not counted. All three scores take one line each:

# %%
# The target's cells:
test_cells, shadow_cells = values[:, :n_positive], shadow[:, :n_positive]


def midway(scores):
    return (scores[marked == 1].mean(axis=0) + scores[marked == 0].mean(axis=0)) / 2


one_sum = test_cells.sum(axis=1)
says_one = one_sum >= midway(shadow_cells.sum(axis=1))

of_cells = midway(shadow_cells)  # a threshold for each cell
shadow_votes = (shadow_cells >= of_cells).sum(axis=1)
says_two = (test_cells >= of_cells).sum(axis=1) >= midway(shadow_votes)

reference_score = values @ (z.astype(int) - visits[reference_user])

print(f"one threshold: accuracy {(says_one == labels).mean():.3f}", end=", ")
print(f"two thresholds: accuracy {(says_two == labels).mean():.3f}")

# %% [markdown]
# Besides the accuracy, we report the **AUC**, the probability that a random member has a higher score than a random non-member, where a pair with equal scores counts one half. The AUC measures how well an attack *ranks* groups, without any threshold. To illustrate the definition, we compare all pairs of a member and a non-member directly:

# %%
from lib import metrics

of_members, of_others = one_sum[labels == 1][:, None], one_sum[labels == 0]
wins, ties = (of_members > of_others).mean(), (of_members == of_others).mean()
print(f"AUC of one threshold: {wins + ties / 2:.3f} from all pairs", end=", ")
print(f"{metrics.auc(labels, one_sum):.3f} by the library")

# %% [markdown]
# We now apply the library's versions of three of these attacks to the same groups, and add the reference score from above. In the tables, square brackets contain 95% intervals. In the next table they are intervals over the test aggregates: they show how much the result for this target could differ with other groups and other noise. In the later tables they are intervals over targets (for the informed attacker, over repetitions), unless we say otherwise. We call a difference *significant* if its interval does not contain 0, and *inconclusive* otherwise.

# %% tags=["hide-input"]
attack_scores = {"reference": reference_score}
accuracy = {"reference": "none"}  # the attack has no threshold
for name, attack in {
    "one threshold": OneThreshold(),
    "two thresholds": TwoThreshold(),
    "independent ratio": independent_ratio,
}.items():
    attack.fit(shadow_cells, marked)
    attack_scores[name] = attack.decision_function(test_cells)
    accuracy[name] = f"{((attack_scores[name] >= 0) == labels).mean():.3f}"
table = summaries.scored(labels, attack_scores)[["AUC"]].assign(accuracy=accuracy)
plots.show_table(table, "one-game")

# %% [markdown]
# For this synthetic target, the order of the attacks is the same as in the sparse cells above: the independent ratio is best, the two-threshold rule is second, and the one-threshold rule is third. The reference attack is far worse than these three, and {ref}`threshold-ex-reference` asks for the reason.
#
# The rest of the chapter uses several targets. The numbers of targets, the tested half and the examples for the networks differ between experiments; [a table at the end of the chapter](threshold-experiments) lists them.
#
# We begin with stored results of four of the paper's attacks and of the independent ratio. One of the four is a network. As in the paper, it has one hidden layer with one node per cell and is trained on 2,000 shadow aggregates. (The paper's fifth attack, the same kind of network trained on 200,000 shadow aggregates, follows [below](threshold-networks).) The paper does not state the activation function of its trained network; we use the sigmoid, $s(t) = 1/(1 + e^{-t})$, which rises from 0 to 1.
#
# Such a network takes a few lines. We train three for the informed attacker, from three random starts, on the first 2,000 of the [simulated groups](threshold-anchors), and evaluate them on the others:

# %%
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

truth = members[2000:]
by_one_threshold = rule_scores["one threshold"][2000:] >= 0
by_two_thresholds = rule_scores["two thresholds"][2000:] >= 0
print(f"one threshold: accuracy {(by_one_threshold == truth).mean():.3f}")
for start in range(3):
    layer = MLPClassifier(
        hidden_layer_sizes=(n_cells,),  # one hidden layer, a node for each cell
        activation="logistic",  # the sigmoid
        # Stop when the score on held-out examples has not risen for ten passes:
        early_stopping=True,
        random_state=start,
    )
    small_network = make_pipeline(StandardScaler(), layer)
    small_network.fit(cells_left[:2000], members[:2000])
    says = small_network.predict(cells_left[2000:])
    print(
        f"network {start}: accuracy {(says == truth).mean():.3f}, "
        f"the same decision as one threshold: {(says == by_one_threshold).mean():.0%}, "
        f"as two thresholds: {(says == by_two_thresholds).mean():.0%}"
    )

# %% [markdown]
# The three networks are less accurate than the one-threshold rule on the same groups. They agree with this rule on 94% to 97% of the groups, but with the two-threshold rule on only 90% to 92%. We return to this [below](threshold-networks). The networks in the tables are trained in nearly the same way: by Adam (a form of gradient descent) in batches of 200, on standardised cells (the mean of each cell is subtracted, and the result is divided by the standard deviation of the cell), until the *loss* on held-out examples has not fallen for ten passes over the examples. The three networks above stop when their *accuracy* on held-out examples has not risen for ten passes. This other criterion may be why the last of them reaches only 0.892. The paper states none of these choices, so our results on networks hold only for networks that are trained in this way.
#
# The experiment has twenty runs, one for each of ten targets under each of two kinds of noise. The first table shows the ten runs with Laplace noise. Networks were trained for only three of the targets, so the second table and the figure show all attacks on these three:

# %% tags=["hide-input"]
for name in scenes:
    print("stored results:", experiments.games.source(name))
five_attacks = figures.five_attacks(experiments.games.stored())
plots.show_table(figures.means_table(five_attacks, "AUC"), "five")
on_three = figures.runs_of_all(five_attacks)
on_three_means = figures.means_table(on_three, "AUC").rename_axis("on three targets")
plots.show_table(on_three_means, "five-on-three")

# %% mystnb={"figure": {"name": "fig-th-five", "caption": "Mean AUC of five attacks on the same three targets (for the informed attacker, three repetitions), with 95% intervals. For the informed attacker and on the surrogate, the network is level with one threshold. On the flights its mean AUC is higher than that of every other attack, but three targets give at most a hint. The first two panels have the same axis. The third has another scale: equal lengths stand for larger differences. The tweeters are a synthetic surrogate."}, "image": {"alt": "Three panels with five rows each, the first two on the same axis. For the informed attacker and on the surrogate all attacks have a mean AUC above 0.96, with two thresholds and the independent ratio ahead. On the flights the mean AUCs lie between 0.74 and 0.85, and the network's is the highest."}} tags=["hide-input"]
figures.mean_dots(on_three, "AUC", alike=2)

# %% [markdown]
# On the surrogate, the mean AUC of the reference attack over the ten targets is 0.966, far above its AUC of 0.88 for our single target. Each of the ten targets has its own reference user, and most users of the surrogate have few cells. The reference user of our single target has 94, and probably the noise of so many cells lowers the AUC.
#
# On the flights the network does better *in comparison with the other attacks* than it does elsewhere. The first table hides this advantage, because its row for the network contains three targets and the other rows contain ten. On these three targets, the other attacks are less successful than on average over the ten. On the same three targets, the mean AUC of the network is 0.849, that of the independent ratio 0.835, and that of two thresholds 0.813. In a second stored experiment, shown [below](threshold-companions), networks were trained for ten targets from the flights dataset. There, the network with 2,000 examples is significantly more *accurate* than the independent ratio, although its AUC is not significantly higher. The next sections explain this result.
#
# The two experiments cannot be compared directly, because the examples of their networks differ. The network of the first experiment, like the paper's, learns from groups drawn from only half of the auxiliary users. The network of the second experiment learns from groups drawn from all of them ([table of all experiments](threshold-experiments)).
#
# (threshold-joint)=
# ## What if two people share cells?
#
# The independent ratio treats the cells as if they were independent. When does this mislead the attacker? Consider the smallest case, without noise. Ada visited two cells, and both are released as 1. Only one other person may be in the group: Ben, who visits the same two cells and is in the group with probability 1/10. If Ada is in the group, her visits alone explain the two ones, so Ben must be absent, which has probability 9/10. If Ada is not in the group, both ones must come from Ben, whose presence has probability 1/10. So the likelihood ratio is $\tfrac{9}{10} / \tfrac{1}{10} = 9$.
#
# The independent ratio finds a ratio of 9 in *each* cell, and multiplies these to 81. The mistake is to count Ben's absence twice, as if he decided separately for each cell whether to visit it. If Ada and Ben share ten cells, the true ratio is still 9, but the independent ratio is $9^{10}$. In {ref}`threshold-ex-joint` you compute both ratios with noise.
#
# The remedy is to consider each possible group of others separately. If the group of others is *given*, only the noise is random, and it is independent in each cell. So the attacker should multiply the likelihoods over the cells for each possible group, and then average these products over the groups. Here are both ratios for Ada and Ben. The product over the cells is a power, because all cells are alike. The joint ratio takes the power *before* it averages over Ben's absence and presence, and the independent ratio takes it *afterwards*:

# %%
chance_of = np.array([0.9, 0.1])  # Ben is absent, Ben is present
ben_adds = np.array([0, 1])  # what he adds to each shared cell
fits_out = (ben_adds == 1).astype(int)  # without Ada, is a cell released as 1?
fits_in = (ben_adds + 1 == 1).astype(int)  # with Ada?
for shared_by_both in (1, 2, 10):
    joint = (chance_of @ fits_in**shared_by_both) / (
        chance_of @ fits_out**shared_by_both
    )
    apart = ((chance_of @ fits_in) / (chance_of @ fits_out)) ** shared_by_both
    print(f"{shared_by_both} shared cells: joint {joint:.0f}, independent {apart:,.0f}")

# %% [markdown]
# In general:
#
# ````{prf:definition} The joint likelihood ratio (ours)
# :label: def-correlated
# Let $f$ be the density of the noise, and $c_G$ the counts of a group $G$ of others in the target's cells. Let $\mathbb{E}_G$ be the mean over groups $G$ drawn from people of the same kind. Then
# $\displaystyle \log \frac{\mathbb{E}_G \prod_c f(x_c - c_{G,c} - 1)}{\mathbb{E}_G \prod_c f(x_c - c_{G,c})}$ is the log-likelihood ratio of all the target's cells together.
# ````
#
# This attack is the **joint ratio** (`lib.membership.CorrelatedRatio`). For six users, we can compute it by hand. In the example with Ada, suppose that the attacker knows that three of the other five users are in the group, but not which three:

# %%
from itertools import combinations

from scipy.special import logsumexp

possible = list(combinations(range(1, 6), 3))  # ten groups of three
ada_centres = aggregate(six, possible).reshape(len(possible), -1)[:, ada_cells]
log_out, log_in = (
    logsumexp(-epsilon * np.abs(released - ada_centres - target_adds).sum(axis=1))
    for target_adds in (0, 1)
)
print(f"joint log-likelihood ratio: {log_in - log_out:.2f}")
print(f"groups with Ben: {sum(1 in group for group in possible)} of {len(possible)}")
print(
    f"visits of a group to Ada's cells, on average: {ada_centres.sum(axis=1).mean():.1f}"
)
print(f"visits of Cleo, Dan and Eve: {others.sum()}", end=", ")
print(f"sum of the released values: {released.sum():.1f}")

# %% [markdown]
# For the informed attacker, the log-likelihood ratio of this release was positive. For an attacker who does not know who the others are, the same release is evidence *against* Ada's membership. Ben visits all of her cells, and he is in six of the ten possible groups. A group without Ada therefore already has 10.2 visits in these cells on average, more than the sum of the released values, 9.8. Cleo, Dan and Eve have only 7 visits there, but this attacker does not know that they are the group.
#
# Four likelihood ratios occur in this chapter. They differ in what they know and in what they assume:
#
# | ratio | knows the traces of | treats the cells as | takes the others' counts from |
# |---|---|---|---|
# | *informed ratio*: the likelihood ratio of the [first sections](threshold-cell) | all others | independent, which is true for the informed attacker | the traces, exactly |
# | [independent ratio](threshold-data) | the auxiliary half | independent | the auxiliary half, as if it were the released half |
# | [joint ratio](threshold-joint) | the auxiliary half | dependent | the auxiliary half, as if it were the released half |
# | [predictive ratio](threshold-low-rates), in an optional section | the auxiliary half | dependent | the auxiliary half, as a sample that leaves the released half uncertain |
#
# (threshold-gap)=
# ## What is the gap made of?
#
# The paper attributes the gap between the bound and its networks to learning. How much of the gap is really due to learning? To measure this, we place our other attacks between the bound and the network, in such an order that each step takes one more advantage away from the attacker. The losses of accuracy in the steps add up to the whole gap:
#
# 1. *bound → informed ratio*: the part due to the noise. The *informed ratio* is the likelihood ratio of the informed attacker. Laplace noise leaks less than the guarantee allows.
# 2. *informed → joint ratio*: the loss due to the other users. The attacker no longer knows the traces of the others, only those of the auxiliary half. The most accurate attack that we have in this situation is the [joint ratio](threshold-joint) of the last section. It averages over whole groups of others, so it counts Ben only once, however many of the cells he visits.
# 3. *joint → independent ratio*: the loss due to treating cells as independent, that is, to counting Ben once for each cell. A wrong ratio can do harm in two ways: it can rank the releases less well, and its threshold of 0 can be wrong. The step *joint → independent ratio* contains both losses. A [later section](threshold-ranking) separates them for 12 targets, three of which are among the six used here.
# 4. *ratio → two thresholds* and *two → one threshold*: the losses due to simpler rules. Here *ratio* is the informed ratio for the informed attacker, and the independent ratio for the auxiliary attacker.
# 5. *one threshold → network*: the accuracy that is lost in addition because the rule is learned from 2,000 examples.
#
# For the auxiliary attacker, all steps after the first also contain the error from the wrong half, because every attack takes what it knows about the counts from the auxiliary half. A step contains only the *change* of this error from one attack to the next. For example, if the wrong half costs the one-threshold rule more than the network, then step 5 contains the difference as a gain. Later sections examine this error on the flights: one measures what it costs [the two ratios](threshold-correlation), and another what a wrong threshold costs [each of five attacks](threshold-own-threshold). We did not measure it on the surrogate.
#
# The accuracies of the bound and of the informed ratio are exact. All other attacks are measured on the same test aggregates, and they know the same auxiliary users. Intervals are over `runs` = 6 targets; for the informed attacker, whose result does not depend on the target, they are over six repetitions with new noise and newly trained networks. We first compute the steps of the informed attacker by hand, from the accuracies of [the three rules](threshold-anchors) and the mean accuracy of six networks. This attacker knows the traces of all other users, so there are no steps 2 and 3:

# %%
from itertools import pairwise

training = {"n_shadows": n_shadows, "n_networks": [n_shadows], "n_test": n_test}
# A row for each attacker, target (or repetition) and attack, with its accuracy and AUC:
six_targets = experiments.correlated(scenes, processes=processes, **training)
informed_networks = six_targets.query("data == 'noise only' and attack == 'network'")
network_accuracy = informed_networks["accuracy"].mean()

accuracies = {
    "bound": bound,
    "likelihood ratio": ratio_accuracy,
    "two thresholds": two_accuracy,
    "one threshold": exact_accuracy["one"],
    "network": network_accuracy,
}
for (above, higher), (below, lower) in pairwise(accuracies.items()):
    print(f"{above} {higher:.4f} → {below} {lower:.4f}: lost {higher - lower:.4f}")
share = (ratio_accuracy - network_accuracy) / (bound - network_accuracy)
print(f"share of the gap between the ratio and the network: {share:.2f}")

# %% [markdown]
# For the auxiliary attacker, every attack must be run on the releases. Here are the five attacks on the first target from the flights dataset. All of them know the same auxiliary users and are tested on the same releases. Each says "in" if its score is at least 0:

# %%
from lib.membership import CorrelatedRatio as JointRatio
from lib.membership import meta_classifier

(examples, example_labels), (tested, is_in), known_visits = experiments.one_game(
    flights, n_shadows
)
known_counts = shadows.sample_counts(
    known_visits, n_shadows, flights.group_size, stream(seed, "five attacks")
)
five = {
    "joint ratio": JointRatio(Laplace(epsilon), known_visits, flights.group_size),
    "independent ratio": IndependentRatio(Laplace(epsilon), known_counts),
    "two thresholds": TwoThreshold(),
    "one threshold": OneThreshold(),
    "network": meta_classifier.MetaClassifier(random_state=0),
}
previous = accounting.expected_accuracy(epsilon, flights.middle)
print(f"bound {previous:.4f}")
for name, attack in five.items():
    says_in = attack.fit(examples, example_labels).decision_function(tested) >= 0
    reached = (says_in == is_in).mean()
    print(f"→ {name} {reached:.4f}: lost {previous - reached:.4f}")
    previous = reached

# %% [markdown]
# (The first loss, from the bound to the joint ratio, contains steps 1 and 2.) With a single target and only 2,000 tested releases, these differences are uncertain, so we need several targets and more releases. The library computes the steps for each target separately. It takes the exact accuracy of the bound and of the informed ratio, and measures the other attacks on the test aggregates, so its steps differ slightly from those computed by hand. The second table shows the lead of the best attack in each column over the network. The best attack is the informed ratio for the informed attacker, and the joint ratio for the auxiliary attacker. In the second table the informed ratio, too, is measured on the test aggregates, so the number for the informed attacker can differ slightly from the sum of its steps. For the auxiliary attacker, a better rule or a better learner could recover at least this difference. For the informed attacker, little more than this can be recovered, because the informed ratio is the best possible attack on the $n$ cells that are used.

# %% tags=["hide-input"]
gap = experiments.gap(six_targets, experiments.limits(scenes))
best_minus_network = experiments.best_minus_network(six_targets)
gap_steps = figures.gap_in_words(gap, best_minus_network)
# The library's names of the attacks are replaced by those of this chapter:
named_targets = figures.rename_ratios(six_targets)
gap_steps = gap_steps.rename_axis(f"mean over {runs} targets or repetitions")
plots.show_table(gap_steps.iloc[:-1], "gap")
plots.show_table(gap_steps.iloc[-1:], "gap-below-best")

# %% mystnb={"figure": {"name": "fig-th-gap", "caption": "How the informed attacker loses accuracy between the bound (right end of the first bar) and a network trained on 2,000 examples (left end of the last bar). The double arrow spans the distance from the network to the likelihood ratio. It is most of the gap, 86% [82%, 89%]. All of this part is a failure of learning, including the steps to the simpler rules. Each bar is one step, and its colour names the main cause. The numbers on the right are the accuracy lost and its 95% interval over six repetitions."}, "image": {"alt": "Waterfall chart on an axis of accuracy: four bars from the DP bound, 0.9725, down to the network, 0.909, with the loss of each step as a number. The bar from two thresholds to one threshold is by far the longest. Below the bars, a double arrow from the network to the likelihood ratio: 0.055, 86% of the gap."}} tags=["hide-input"]
gap_in_figures = gap.rename(index=figures.STEP_NAMES, level="step")
figures.show_gap(gap_in_figures.loc[[experiments.INFORMED]], best_minus_network)

# %% mystnb={"figure": {"name": "fig-th-gap-auxiliary", "caption": "The same steps for the auxiliary attacker. Between the joint ratio, our most accurate attack, and the network (double arrow) lie 64% [59%, 69%] of the gap on the surrogate, and 29% [23%, 38%] on the flights; a better attack than ours might recover more. On the flights, the last bar is pale and runs to the right: there the network *gains* accuracy over one threshold. On the surrogate, the step *joint → independent ratio* is so small that its bar is only a line. Intervals are over six targets. All steps after the first, whatever their colour, also contain a part of the error from the wrong half. The tweeters are a synthetic surrogate."}, "image": {"alt": "Two waterfall charts on one axis of accuracy, for the synthetic tweeters and the flights: six bars each from the DP bound down to the network, coloured by kind, with the loss as a number. Below the bars of each chart, a double arrow spans the distance from the network to the best attack: 64% of the gap for the tweeters, 29% for the flights. The last bar of the flights is pale and runs to the right."}} tags=["hide-input"]
auxiliary_gap = gap_in_figures.drop(index=experiments.INFORMED, level="data")
figures.show_gap(auxiliary_gap, best_minus_network)

# %% [markdown]
# We can now return to the opening question: is the bound loose, or are the networks weak? For the informed attacker the likelihood ratio is the best possible attack on the $n$ counts, and the bound is a bound for the same counts. Could the network have avoided the whole loss below the likelihood ratio, or is a network of this size unable to express so good a rule? Let each of its 60 hidden nodes read one cell and apply the sigmoid $s(t) = 1/(1 + e^{-t})$ with slope 5, so that its output is $s(5\,(x - \tfrac12))$. This output rises from nearly 0 to nearly 1, mostly between the values 0 and 1 of the cell, like the log-likelihood ratio in {numref}`fig-th-cell`. The network adds up the 60 outputs and says "in" if the sum is above 30. We compute the accuracy of this network as we computed that of [the likelihood ratio](threshold-anchors). The output of a node lies between 0 and 1. We divide this interval into 201 steps, and find by the inverse of the sigmoid, `logit`, the values of the cell between which the output falls into a step:

# %%
from scipy.special import logit

slope = 5
outputs = np.linspace(0, 1, 202)  # the ends of the steps
values_there = 1 / 2 + logit(outputs) / slope
one_node = np.diff(stats.laplace.cdf(values_there, scale=1 / epsilon))
print(f"network with slope {slope}: {accuracy_of_sum(one_node):.4f}", end=", ")
print(f"likelihood ratio: {ratio_accuracy:.4f}")

# %% [markdown]
# With well-chosen weights, a network of this size loses almost nothing compared with the likelihood ratio. So what our networks lose below the likelihood ratio is a failure of learning, and not of the network's size. For the auxiliary attacker we do not know the best possible attack. There, the part between the joint ratio and the network is what a better rule or a better learner could recover at least. For both attackers we divide the distance between the best attack and the network by the whole gap. The interval of this share comes from a **bootstrap**: we draw six targets from the six (for the informed attacker, six repetitions), with replacement, 10,000 times, and compute the share each time. With only six targets or repetitions, bootstrap intervals tend to be too narrow. The three shares are:

# %% tags=["hide-input"]
drawn_targets = stream(seed, "shares of the gap").integers(runs, size=(10_000, runs))
limits = experiments.limits(scenes)
for name, rows in named_targets.groupby("data", sort=False):
    of_run = rows.pivot(index="run", columns="attack", values="accuracy")
    # For the informed attacker, the joint ratio is the likelihood ratio.
    below_best = (of_run["joint ratio"] - of_run["network"]).to_numpy()
    whole_gap = (limits[name]["DP bound"] - of_run["network"]).to_numpy()
    drawn_shares = below_best[drawn_targets].mean(axis=1) / whole_gap[
        drawn_targets
    ].mean(axis=1)
    low, high = np.quantile(drawn_shares, [0.025, 0.975])
    print(
        f"{name}: {below_best.mean() / whole_gap.mean():.0%} of the gap "
        f"[{low:.0%}, {high:.0%}]"
    )

# %% [markdown]
# For the informed attacker, the bound on 60 counts is nearly tight, and the network is weak: 86% [82%, 89%] of the gap lies between the likelihood ratio and the network. On the flights, 29% [23%, 38%] of the gap lies between the joint ratio and the network, so at least this part is due to the network. We do not know how much of the rest could be recovered. It may be due to other causes, such as the other users and the wrong half, but a better attack than ours might recover some of it. In a [later experiment](threshold-companions), with ten targets from the flights dataset, the joint ratio leads by a similar distance, 0.055, over a network with 2,000 examples, but by only 0.011 over a network with 200,000. So with enough examples a network can make up most of such a loss. Under Gaussian noise with $\sigma$ from the textbook formula, the bound itself is very loose: it is 0.9729, and the [best attack of the informed attacker](threshold-anchors) has an accuracy of 0.6805.
#
# For the informed attacker, the largest step is *two → one threshold*. The network makes almost the same decisions as the one-threshold rule, as we measure [below](threshold-networks), so it also loses what this rule loses. The two small steps *ratio → two thresholds* and *one threshold → network* make up the rest of the 86%. Like the paper, we therefore attribute most of this gap to learning. Sigmoid networks that learn from 200,000 examples instead of 2,000 recover most of the accuracy lost in the three steps. Of the two networks whose weights we examine [below](threshold-networks), the one with 2,000 examples has an accuracy of 0.913 and the one with 200,000 an accuracy of 0.954. The likelihood ratio has an accuracy of 0.9639.
#
# On the surrogate, *two → one threshold* is again the largest step. Counting is better than adding up [in sparse cells](threshold-map), and the cells of the first target are sparse (the code below prints a mean count of 0.37). But this sparsity is an assumption of our model, so the result is no evidence about the paper's tweets.
#
# Why is the step from the joint to the independent ratio 0.000 on the surrogate? The step can be large only if cells are correlated. Apart from a slight effect of the fixed group size, cells are correlated only if some users visit two or more of the target's cells. We count such users in the auxiliary half, for the first target of each dataset. We also compute the mean count of the target's cells in groups from this half, and the largest difference in accuracy between the two ratios on any of the six targets:

# %% tags=["hide-input"]
for of_data in on_data:
    # The game gives shadow aggregates, test aggregates and the visits of the auxiliary half.
    # Only the visits are used here, so the smallest number of aggregates, 2, is enough.
    *_, half_visits = experiments.one_game(of_data, 2)
    shared_cells = half_visits.sum(axis=1)  # of the target's cells, for each user
    print(
        f"{of_data.data}: {(shared_cells > 1).sum()} of {len(shared_cells)} users visit two "
        f"or more of the target's cells, at most {shared_cells.max()} of them; "
        f"mean count of a cell {of_data.group_size * half_visits.mean():.2f}"
    )
    of_run = named_targets[named_targets["data"] == of_data.data].pivot(
        index="run", columns="attack", values="accuracy"
    )
    apart = (of_run["joint ratio"] - of_run["independent ratio"]).abs()
    print(
        f"    largest difference between the two ratios on a target: {apart.max():.4f}"
    )

# %% [markdown]
# For this target from the surrogate, very few users visit two or more of the target's cells, and each of them visits at most four. For this reason, we expect the two ratios to make almost the same decisions. Their accuracies differ by at most 0.0004 on each of the six targets, as the output shows. On the flights such users are far more frequent, and one of them visits 21 of the target's 50 cells.
#
# One result is still unexplained. On the flights, the step *one threshold → network* is a gain: the network is more accurate than the one-threshold rule, by 0.067. The one-threshold rule in turn is less accurate than the independent ratio, but only by 0.024 plus 0.019. So the network should lead even over the independent ratio. We compute this lead for each of the six targets:

# %% tags=["hide-input"]
on_flights = named_targets[named_targets["data"] == flights.data].pivot(
    index="run", columns="attack", values="accuracy"
)
network_lead = on_flights["network"] - on_flights["independent ratio"]
low, high = metrics.mean_interval(network_lead)
print(f"{flights.data}: network minus independent ratio")
print(f"mean over the targets: {network_lead.mean():.3f} [{low:.3f}, {high:.3f}]")

# %% [markdown]
# On these six targets, the network is significantly more accurate than the independent ratio, by 0.024 on average. Yet the lemma of Neyman and Pearson says that no attack beats the likelihood ratio. The next section explains how this is possible. A [later section](threshold-own-threshold) suggests one source of this lead. On 12 targets, three of which are among these six, a wrong threshold costs the network less accuracy on average than it costs the independent ratio and the one-threshold rule.
#
# ```{note}
# The size of a step depends on the order of the attacks. If the attacks were placed in another order, the same total would be divided differently. Moreover, differences between attacks on the flights vary from table to table, because the tables do not have the same targets. A [note at the end of the chapter](threshold-experiments) compares them.
# ```
#
# (threshold-correlation)=
# ## How can a network beat the likelihood ratio?
#
# *Question:* how can a network be more accurate than the likelihood ratio, if the lemma says that no attack is? *Answer:* the independent ratio is not the true likelihood ratio. It rests on two assumptions that are both wrong on the flights, and its accuracy is 0.70. If both were true, its accuracy would be 0.93. With correlated cells none of our attacks reaches 0.93, but the independent ratio can be improved on: the joint ratio reaches 0.82. The code uses one flight as the target, and the tables average over 12 flights.
#
# The lemma is about the likelihood ratio of *everything that the attacker sees*, under its *true* distribution. The independent ratio is a different ratio, as Ada and Ben [have shown](threshold-joint). Like all our attacks, it looks only at the target's cells, and even for these cells it makes two assumptions:
#
# - It multiplies the likelihoods of single cells, as if cells were **independent**.
# - It takes the distributions of the cells from the **auxiliary half**, as if the release had been made from this half.
#
# Both assumptions are wrong on the flights. To measure the effect of each, we make one assumption true at a time. To make the cells independent, we permute the values of each cell across the member aggregates, and separately across the non-member aggregates. This preserves the distribution of each cell and removes the correlation. We begin with one target from the flights dataset, and apply the independent ratio with the distributions of the auxiliary half to the releases before and after the permutation:

# %%
# 2,000 shadow aggregates, 2,000 test aggregates, and the visits of the auxiliary half:
train, (as_released, is_member), auxiliary_visits = experiments.one_game(flights, 2000)

flight_rng = stream(seed, "permuted")
permuted = as_released.copy()
for kind in (0, 1):
    rows = is_member == kind
    # Each column by itself:
    permuted[rows] = flight_rng.permuted(as_released[rows], axis=0)

group_counts = shadows.sample_counts(
    auxiliary_visits, 2000, flights.group_size, flight_rng
)
auxiliary_ratio = IndependentRatio(Laplace(epsilon), group_counts).fit(*train)

# %% [markdown]
# The attack says "in" if its score is at least 0. We also look for the threshold with the highest accuracy, which needs the labels and is therefore out of reach for an attacker:


# %%
def accuracy_at(threshold, scores, truth):
    return ((scores >= threshold) == truth).mean()


def best_threshold(scores, truth):
    return max(scores, key=lambda score: accuracy_at(score, scores, truth))


ratio_scores = auxiliary_ratio.decision_function(as_released)
permuted_scores = auxiliary_ratio.decision_function(permuted)
for name, ratios in (("as released", ratio_scores), ("permuted", permuted_scores)):
    print(f"{name}: accuracy at threshold 0: {accuracy_at(0, ratios, is_member):.3f}")
    for word, kind in (("non-members", 0), ("members", 1)):
        kind_scores = ratios[is_member == kind]
        print(f"  {word}: mean {kind_scores.mean():.2f}, std {kind_scores.std():.2f}")
at_best = best_threshold(ratio_scores, is_member)
best = accuracy_at(at_best, ratio_scores, is_member)
print(f"as released, best threshold {at_best:.2f}: accuracy {best:.3f}")

# %% [markdown]
# The permutation raises the accuracy. The last line gives the best accuracy that these scores allow at any threshold. We use it as a second measure of ranking, besides the AUC. Unlike the AUC, it looks at one point of the ROC curve only. It is also slightly too high, because the threshold is chosen on the same releases.
#
# Why does permuting help? The score is a sum over cells, so permuting changes neither the mean score of the members nor that of the non-members. But permuting removes the covariances between cells, which increase the variance of the score, so the standard deviations (`std`) fall:

# %% mystnb={"figure": {"name": "fig-th-permuted", "caption": "Scores of the independent ratio for 2,000 releases of one target from the flights dataset. The scores are more widely spread as released (above) than with the values of each cell permuted (below), because the cells are correlated. In both panels the distributions lie too far to the left for the attack's own threshold, 0 (dotted); the best threshold for the upper panel is −2.17 (dashes and dots)."}, "image": {"alt": "Two panels of histograms on the same axis, non-members on the left and members on the right of each. As released, both histograms are wide and overlap a lot; permuted, they are narrower and overlap less. A line at 0 in both panels, and in the upper one a second line at -2.17."}} tags=["hide-input"]
figures.ratio_histograms(
    {"as released": ratio_scores, "permuted": permuted_scores},
    is_member,
    {"as released": at_best},
)

# %% [markdown]
# The figure also shows a second problem: the threshold of 0 is too high. The cause may be the second assumption, that the release was made from the auxiliary half. If an attacker expects higher counts than the released half produces, the released values look low, and all scores fall. To make the assumption true, we give the attacker the distributions of the released half. We draw groups from the released half, fit a second independent ratio to their counts, and apply both ratios to both kinds of releases:

# %%
released_visits, _ = threshold_choice.visits_of_halves(flights)  # halves of one_game
released_counts = shadows.sample_counts(
    released_visits, 2000, flights.group_size, stream(seed, "released half")
)
released_ratio = IndependentRatio(Laplace(epsilon), released_counts).fit(*train)
releases = {"cells permuted": permuted, "as released": as_released}
attacks = {"auxiliary half": auxiliary_ratio, "released half": released_ratio}
four_accuracies = pd.DataFrame(
    {
        half: {
            kind: accuracy_at(0, attack.decision_function(release), is_member)
            for kind, release in releases.items()
        }
        for half, attack in attacks.items()
    }
)
four_accuracies = four_accuracies.rename_axis("accuracy, distributions of")
plots.show_table(four_accuracies.map("{:.3f}".format), "both-halves")

# %% [markdown]
# Each of the two corrections helps this target, and both together help most. The next table contains the same four accuracies in its first two rows, averaged over 12 targets. The tested groups always come from the released half, and the first two columns differ only in the half from which the attacker takes the distributions. (The [targets](threshold-experiments) differ from those of the table of steps.)

# %%
# A row for each target, half and measure:
crowds = experiments.compare_populations(flights)

# %% tags=["hide-input"]
two_halves = figures.crowds_in_words(crowds)
of_counts = ["mean count of a cell", "mean correlation of two cells"]
plots.show_table(two_halves.drop(of_counts), "crowds")

# %% [markdown]
# The independent ratio has an accuracy of 0.93 if both assumptions are true. Correlation costs it 0.13, and using the wrong half another 0.10. If we introduce the two errors in the other order, the wrong half costs 0.19 and the correlation only 0.04.
#
# Could an attacker avoid the loss of 0.13 by taking the correlation into account? The joint ratio, the most accurate attack that we have, avoids only part of it. If it uses the released half, its accuracy is 0.86: higher than 0.80, but lower than 0.93. A likely reason why it stays below 0.93 is that counts which rise and fall together partly repeat the same information. So about half of the 0.13, the part from 0.93 to 0.86, is lost even by the joint ratio. The other part, from 0.86 to 0.80, is lost because the independent ratio *ignores* the correlation. (A better attack than the joint ratio would make this second part larger.)
#
# The two causes, correlation and the wrong half, differ in kind. When the cells are correlated, as in the actual releases, using the wrong half harms the independent ratio almost only by misplacing the threshold. With the best threshold, the attack is about equally accurate whichever half supplies the distributions. (For permuted cells we did not compute the best threshold.) Correlation, in contrast, harms the ranking, as measured by the accuracy at the best threshold: even there, the independent ratio has an accuracy of only 0.80 on these releases.
#
# The next table shows how strong the correlation is, in the *counts*, before noise is added. The correlation is the mean over all pairs of cells whose counts vary. It is strong in both halves. Averaged over the targets, the differences between the halves are inconclusive; since the split is random, we expect none.

# %% tags=["hide-input"]
plots.show_table(two_halves.loc[of_counts], "crowds-counts")

# %% [markdown]
# For a *single* target, however, the two halves can differ a lot, and then the threshold is wrong. If, for example, the mean count is higher by 0.5 in each of the 50 cells, their sum is higher by 25, half of what the target adds. For each target, we compare this difference with the accuracy that the independent ratio loses because of its threshold:

# %% tags=["hide-input"]
named_crowds = figures.name_halves(crowds)  # the names of the two tables above
value_of = named_crowds.set_index(["measure", "half", "run"])["value"].sort_index()
count_of = value_of["mean count of a cell"]
shift = count_of["released half"] - count_of["auxiliary half"]
as_is = value_of["accuracy, independent ratio, as released", "auxiliary half"]
at_best_of_all = value_of[
    "accuracy, independent ratio, best threshold", "auxiliary half"
]
lost = at_best_of_all - as_is
r = shift.abs().corr(lost)
print(f"mean size of the difference of the mean counts: {shift.abs().mean():.2f}")
print(f"its correlation with the accuracy lost: {r:.2f}, squared {r**2:.2f}")
print(
    f"share of the four largest losses in the sum: {lost.nlargest(4).sum() / lost.sum():.2f}"
)

# %% mystnb={"figure": {"name": "fig-th-halves", "caption": "The further the two halves differ, the more accuracy the independent ratio loses through its own threshold. Each mark is one of 12 targets from the flights dataset. Horizontal axis: the size of the difference between the mean counts of the target's cells in the two halves. Dots: the auxiliary half has the higher counts. Squares: the released half has them."}, "image": {"alt": "Twelve marks. The loss grows with the size of the difference: for the eight dots from 0.01 at 0.2 to 0.34 at 1.2, for the four squares from 0.02 at 0.5 to about 0.1 at 0.9. The squares lie lower than the dots beside them."}} tags=["hide-input"]
figures.half_dots(shift, lost)

# %% [markdown]
# Over these 12 targets, the size of the difference accounts for about four fifths of the variance of the loss (0.79, the square of 0.89). On average, a wrong threshold costs 0.10 (0.70 against 0.80 in the table of accuracies). This may seem surprising, because averaged over the targets the mean counts of the two halves hardly differ ($-0.22$, inconclusive). But differences in either direction cost accuracy, so their costs do not cancel.
#
# In the figure, each of the four squares lies below the dots with a similar difference between the mean counts. So a released half with lower counts than the attacker expects (dots) seems to cost more accuracy than one whose counts are higher by the same amount (squares), but four squares do not prove it. A small model suggests a reason. The target has 50 cells. A few **companions**, users who visit two or more of the target's cells, all visit the same 25 of these cells, and nobody visits the other 25. Each companion is in the group with probability 1/4. The attacker always expects 8 companions, as in the auxiliary half. We compare a released half that has 4 with one that has 12; a released half with 8, as expected, is the reference:

# %%
expected = 8  # companions in the auxiliary half
for actual in (4, 8, 12):  # companions in the released half
    model_rng = stream(seed, "companions", expected, actual)
    expected_counts = np.zeros((2000, 50))
    expected_counts[:, :25] = model_rng.binomial(expected, 1 / 4, size=(2000, 1))
    has_target = np.arange(8000) % 2
    released_model = model_rng.laplace(scale=1 / epsilon, size=(8000, 50))
    released_model[:, :25] += model_rng.binomial(actual, 1 / 4, size=(8000, 1))
    released_model += has_target[:, None]

    in_model = IndependentRatio(Laplace(epsilon), expected_counts)
    in_model.fit(released_model, has_target)  # required, but nothing is learned here
    model_scores = in_model.decision_function(released_model)
    at_best_in_model = best_threshold(model_scores, has_target)
    with_best = accuracy_at(at_best_in_model, model_scores, has_target)
    with_zero = accuracy_at(0, model_scores, has_target)
    of_non_members = model_scores[has_target == 0]
    print(
        f"{actual} companions instead of {expected}: non-members have mean "
        f"{of_non_members.mean():.1f}, std {of_non_members.std():.1f}; "
        f"best threshold {at_best_in_model:.1f}, accuracy lost {with_best - with_zero:.2f}"
    )

# %% [markdown]
# If the released half has fewer companions than expected, the mean score of the non-members falls, and if it has more, this mean rises. With fewer companions the scores also spread less, because each companion adds to their variance. The best thresholds for 4 and for 12 companions, $-3.8$ and 4.1, are about equally far from the attack's threshold of 0. But the same distance is a larger multiple of a smaller standard deviation, so the wrong threshold costs more with 4 companions. We did not test on the flights whether this is the reason.
#
# We return to the correlation of the cells. In the released values the correlation is smaller than in the counts, because the noise of each cell is independent and varies more than the count. To see what remains, we take the single target from above and add noise to the counts of groups from the auxiliary half. If the cells were independent, the variance of their sum would be the sum of their variances:

# %%
fresh_noise = stream(seed, "noise on counts").laplace(
    scale=1 / epsilon, size=group_counts.shape
)
with_noise = group_counts + fresh_noise
print(f"sum of the variances of all cells: {with_noise.var(axis=0).sum():.0f}")
print(f"variance of the sum of all cells: {with_noise.sum(axis=1).var():.0f}")

# %% tags=["hide-input"]
varying = group_counts.var(axis=0) > 0
one_of_each_pair = np.triu_indices(varying.sum(), 1)
for name, in_cells in {"counts": group_counts, "with noise": with_noise}.items():
    seen = pd.DataFrame(in_cells[:, varying])
    correlations = seen.corr().to_numpy()[one_of_each_pair]
    if len(correlations):  # two cells or more
        print(
            f"{name}: {varying.sum()} of {len(varying)} cells vary; their mean variance is "
            f"{seen.var(ddof=0).mean():.1f}, mean correlation of two {correlations.mean():.2f}"
        )

# %% [markdown]
# The noise lowers the correlation from 0.75 to 0.17. Even so, the variance of the sum is more than three times as large as it would be for independent cells. A small correlation does so much harm because the variance of a sum over $k$ cells contains $k$ variances, but $k(k - 1)$ covariances.
#
# (threshold-companions)=
# ### Does the joint ratio beat the network?
#
# *Question:* does a ratio that does not assume independence beat the network? *Answer:* yes. Its accuracy is higher by 0.055 than that of a network with 2,000 examples, and by 0.011 than that of a network with 200,000. The code uses the same flight as above, and the figure and the table average over ten flights.
#
# The [joint ratio](threshold-joint) does not treat the cells as independent. How is it computed for the flights? There are too many possible groups to list, but we have already drawn 2,000 of them from the auxiliary half, for the independent ratio. The joint ratio multiplies the likelihoods of all cells for each of these groups first, and only then averages over the groups. We compare this plain version with the independent ratio and with the library's version, on the single target from above:


# %%
def log_likelihoods(release, target_adds):  # given each of the 2,000 groups
    return -epsilon * np.abs(release - group_counts - target_adds).sum(axis=1)


joint_scores = np.array(
    [
        logsumexp(log_likelihoods(release, 1)) - logsumexp(log_likelihoods(release, 0))
        for release in as_released
    ]
)
library_joint = JointRatio(Laplace(epsilon), auxiliary_visits, flights.group_size)
for name, ratios in {
    "independent ratio": ratio_scores,
    "joint ratio from the same groups": joint_scores,
    "joint ratio of the library": library_joint.fit(*train).decision_function(
        as_released
    ),
}.items():
    print(f"{name}: accuracy {accuracy_at(0, ratios, is_member):.3f}", end=", ")
    print(f"AUC {metrics.auc(is_member, ratios):.3f}")

# %% [markdown]
# The first two ratios use the same 2,000 groups, and on this target the joint ratio has the higher accuracy. The only difference is the order of multiplying and averaging, as for Ada and Ben. For this target, the gain comes mainly from the threshold: with its best threshold, [printed above](threshold-correlation), the independent ratio reaches 0.823, and the AUCs of the two are nearly the same. Over 12 targets, nearly half of the gain comes from the ranking, as a [later section](threshold-ranking) shows. The library's version has nearly the same accuracy as the plain one.
#
# The library computes the joint ratio in another way. Apart from the fixed size of a group, only [companions](threshold-correlation) make cells dependent. The class `CorrelatedRatio(mechanism, visits, m)`, which we import as `JointRatio`, lists the groups of companions, or draws a few thousand of them if there are too many. All other users visit at most one of the target's cells. The library convolves the distribution of their count in each cell with that of the noise.
#
# In the small model of companions [above](threshold-correlation), nobody else visits the target's cells, and only the *number* of companions in the group matters. So we can average over this number instead of listing the groups. We draw one release in which two companions are counted and the target is not. The joint ratio first adds up the log-likelihoods of all cells and then averages with `logsumexp`. The independent ratio averages in each cell and adds up the cells afterwards:

# %%
shared_with_companions = np.arange(50) < 25
n_present = np.arange(expected + 1)  # companions in the group: 0, 1, ..., 8
chance_present = stats.binom(expected, 1 / 4).pmf(n_present)
centres_out = np.outer(n_present, shared_with_companions)  # a row for each number
noise_of_model = stream(seed, "two companions").laplace(scale=1 / epsilon, size=50)
model_release = 2 * shared_with_companions + noise_of_model
fits_model_out, fits_model_in = (
    -epsilon * np.abs(model_release - centres_out - target_adds)
    for target_adds in (0, 1)
)


def joint_average(fits):
    return logsumexp(fits.sum(axis=1), b=chance_present)


def independent_average(fits):
    return logsumexp(fits, axis=0, b=chance_present[:, None]).sum()


for name, average in (("joint", joint_average), ("independent", independent_average)):
    print(f"{name} {average(fits_model_in) - average(fits_model_out):.3f}")

# %% [markdown]
# As a check, we give the library an auxiliary half of 8 companions and a group size of 2, so that each companion is in the group with probability 1/4. It computes the same joint ratio:

# %% tags=["hide-input"]
half_of_companions = np.tile(shared_with_companions.astype(int), (expected, 1))
joint_in_model = JointRatio(Laplace(epsilon), half_of_companions, expected // 4)
joint_in_model.fit(np.stack([model_release, model_release + 1]), np.arange(2))
joint_of_library = joint_in_model.decision_function(model_release[None])
print(f"joint by the library {joint_of_library[0]:.3f}")

# %% [markdown]
# The library's computation for the flights involves an approximation. In an actual release exactly $m$ users are drawn, so each user who is drawn makes the others a little less likely to be drawn. The library ignores this: it treats each user of the half as drawn with the same probability and independently of all others, so that a group has $m$ users only *on average*.
#
# To compare the joint ratio with the network, we use stored results for ten targets from the flights dataset and two networks, which were trained on 2,000 and on 200,000 shadow aggregates. The figure shows how much each attack gains over the independent ratio, and in its last row what the joint ratio gains over the better network:

# %% tags=["hide-input"]
print("stored results:", experiments.correlated.source("flights-by-number"))
rivals = experiments.name_networks(experiments.correlated.stored("flights-by-number"))

# %% mystnb={"figure": {"name": "fig-th-rivals", "caption": "Gains with 95% intervals over ten flights. First three rows: both networks and the joint ratio are more accurate than the independent ratio; for the network with 2,000 shadow aggregates, the interval of the gain in AUC contains 0 (dotted). Last row (square, reference in parentheses): the joint ratio is slightly better than the network with 200,000 shadow aggregates."}, "image": {"alt": "Two panels, accuracy and AUC, with four gains each. The gains of the two networks and of the joint ratio over the independent ratio grow from row to row; in AUC the interval of the first contains 0. The last row, the joint ratio compared with the network with 200,000 shadow aggregates, is small and positive."}} tags=["hide-input"]
figures.rival_dots(rivals)

# %% [markdown]
# The table lists all the differences. In each row, a positive number favours the attack that is named first:

# %% tags=["hide-input"]
rival_table = figures.rivals_in_words(rivals)
rival_table = rival_table.rename_axis(f"mean over {rivals['run'].nunique()} targets")
plots.show_table(rival_table, "correlated-kept")
accuracy_of_rivals = rivals.pivot(index="run", columns="attack", values="accuracy")
network_lead_over_two = (
    accuracy_of_rivals["network, 200,000 shadows"] - accuracy_of_rivals["two-threshold"]
)
low, high = metrics.mean_interval(network_lead_over_two)
print("accuracy of the network, 200,000 shadows, minus two thresholds:", end=" ")
print(f"{network_lead_over_two.mean():.3f} [{low:.3f}, {high:.3f}]")

# %% [markdown]
# Both networks are more accurate than the independent ratio. The network with 2,000 examples does not rank releases significantly better: the interval of the difference in AUC contains 0. The network with 200,000 examples does. The joint ratio beats both networks, though its lead over the network with 200,000 examples is small. Nothing here contradicts the lemma. The independent ratio was not the likelihood ratio of everything that the attacker saw.
#
# (threshold-own-threshold)=
# ### At home: why does the network's threshold suffer less?
#
# *Question:* why is the network more accurate than the independent ratio? *Answer:* mainly because its own threshold costs it less, 0.05 against 0.10. With the best thresholds, the two are about equally accurate, but shadow aggregates do not help an attacker to find these thresholds. The code uses the same flight as above, and the table and the figure average over 12 flights.
#
# The network with 2,000 examples is more accurate than the independent ratio mainly because of its threshold. {ref}`An exercise <threshold-ex-gap>` divides the difference into a part due to the threshold and a part due to the ranking. The threshold of the independent ratio is 0, which is right only if its model of the counts is right. Would it help to choose the threshold on shadow aggregates, whose cells are correlated as in the release? For each attack, we compare three thresholds: its own, the best one on shadow aggregates to which the attack was not fitted, and the best one on the test aggregates. (The own threshold of a ratio is 0. The network says "in" if its output is at least 1/2.) We begin with the independent ratio on the single target from above. It received the shadow aggregates `train` but did not use them, so we can use them to choose a threshold:

# %%
shadow_values, shadow_labels = train
shadow_scores = auxiliary_ratio.decision_function(shadow_values)
for name, threshold in {
    "own": 0,
    "best on shadows": best_threshold(shadow_scores, shadow_labels),
    "best": best_threshold(ratio_scores, is_member),
}.items():
    reached = accuracy_at(threshold, ratio_scores, is_member)
    print(f"{name}: threshold {threshold:.2f}, accuracy {reached:.3f}")

# %% [markdown]
# The library does the same for five attacks and 12 targets. The last column of the table shows how much accuracy an attack loses because of its threshold: the accuracy at the best threshold minus the accuracy at the attack's own threshold, averaged over the targets. The best threshold is chosen on the aggregates on which it is then scored, so this column cannot be negative and is slightly too large. It is computed from unrounded values.

# %%
# A row for each target, attack and threshold, with the accuracy:
three_thresholds = figures.rename_ratios(threshold_choice.compare_thresholds(flights))

# %% tags=["hide-input"]
plots.show_table(figures.thresholds_in_words(three_thresholds), "three-thresholds")

# %% mystnb={"figure": {"name": "fig-th-thresholds", "caption": "Mean accuracy of five attacks on 12 targets from the flights dataset at three thresholds. The line from the attack's own threshold (circle) to the best one on the test aggregates (diamond), which no attacker knows, is what the attack loses because of its threshold; it is shortest for the joint ratio and the network. The best threshold on shadow aggregates (cross) is hardly better than the attack's own, and for the joint ratio it is worse."}, "image": {"alt": "Five rows, one for each attack, with accuracy on the horizontal axis. In each row a circle and a cross lie close together on the left and a diamond on the right, joined by a line. The lines of the threshold rules and of the independent ratio are long, those of the network and of the joint ratio are short."}} tags=["hide-input"]
figures.threshold_dots(three_thresholds)

# %% [markdown]
# Choosing the threshold on shadow aggregates hardly helps: the mean accuracy of the independent ratio stays at 0.70, and that of the joint ratio even falls slightly, from 0.82 to 0.81. Shadow aggregates come from the auxiliary half, so a threshold that is chosen on them is wrong for the released half. The one-threshold and two-threshold rules always take their thresholds from shadow aggregates, and they lose as much as the independent ratio. At the best threshold, the independent ratio and the network are about equally accurate, but the network loses only half as much accuracy as the independent ratio because of its own threshold.
#
# A likely reason, which we did not test, is the following. Several companions may visit the same set of the target's cells, and if one half contains more of them than the other, groups from this half have higher counts in all of these cells. In the threshold rules and the independent ratio, this shift adds up over the cells. The network's examples show that the counts of these cells rise together, so the network can learn to give these cells less weight. The joint ratio can attribute such a rise to a single companion, and it counts this companion only once. This would explain why the joint ratio, too, loses little because of its threshold.
#
# (threshold-ranking)=
# ### At home: does the joint ratio rank better, or does it only have a better threshold?
#
# *Question:* is the lead of the joint ratio due to its ranking or to its threshold? *Answer:* nearly half of it is due to the ranking. The code uses the 12 flights of the last table.
#
# With their own thresholds, the joint ratio has an accuracy of 0.82 and the independent ratio of 0.70. If we give both attacks their best thresholds, we attribute the difference that remains to the ranking. (This is our second measure of ranking, not the AUC.) The rest of the gain is due to the threshold:

# %%
accuracy_of = three_thresholds.pivot(
    index="run", columns=["attack", "threshold"], values="accuracy"
)


def divide_gain(first, second):
    gain = accuracy_of[first, "own"] - accuracy_of[second, "own"]
    by_ranking = accuracy_of[first, "best"] - accuracy_of[second, "best"]
    by_threshold = gain - by_ranking
    parts = {"gain": gain, "by ranking": by_ranking, "by threshold": by_threshold}
    for name, part in parts.items():
        low, high = metrics.mean_interval(part)
        print(f"{name:12} {part.mean():.3f} [{low:.3f}, {high:.3f}]")


divide_gain("joint ratio", "independent ratio")

# %% [markdown]
# Nearly half of the gain in accuracy comes from a better ranking, and the rest from a better threshold, so the joint ratio is better in both respects. At low false positive rates the comparison is less clear, as an [optional section](threshold-low-rates) at the end of the chapter shows.
#
# ```{note}
# *What this does not show.* The joint ratio is the most accurate attack that we have for the auxiliary attacker, but we have not proved that it is the best possible one. It makes three approximations. First, it treats the auxiliary half as if it were the released half. Second, it draws only a sample of the groups of companions. Third, it treats users as counted independently of each other, although the size of a group is fixed. We measured the effect of the first approximation. The plain version above avoids the third, because it draws groups of exactly $m$ users. Instead of sampling groups of companions, it samples whole groups. It had nearly the same accuracy as the library's version, but we compared the two on one target only. The joint ratio also looks only at the target's cells, although the other cells are released too and can reveal who else is in the group. Finally, an attacker who computes the joint ratio must know the distribution of the noise. A network does not need the formula of the noise distribution, but an attacker who trains one must add noise to the shadow aggregates, and must therefore be able to draw from this distribution.
# ```
#
# (threshold-networks)=
# ## What has the network learned?
#
# A network with one hidden layer can express both the one-threshold and the two-threshold rule.
#
# ````{prf:theorem} Rules as networks (Theorems 4 and 5 of the paper, corrected)
# :label: thm-networks
# Let $s(x) = 1/(1 + e^{-x})$ be the sigmoid, let $a$ and $b$ be positive, and let a network say "in" if its output is at least 1/2. Then the network $s\big(b\,s(a(\sum_i x_i - T)) - b/2\big)$ with one hidden node makes the same decisions as the one-threshold rule. The network $s\big(b\,(\sum_j s(a(x_j - T_j)) - T + \tfrac12)\big)$ with $n$ hidden nodes *approximates* the two-threshold rule: as $a$ grows, its decision becomes that of the rule on every release in which no cell equals its threshold. If $T$ is not a whole number, round it up first.
# ````
#
# Why only approximately? For a finite $a$, a cell close to its threshold counts as a fraction between 0 and 1.
#
# Again we corrected misprints. In Theorem 4, the paper's formula lacks the inner sigmoid, and the threshold has the wrong sign. In Theorem 5, the paper defines the output weight twice and does not define the output bias. Its formula (Eq. 14) also adds the output bias once for each hidden node, and gives all hidden nodes the same input, the weighted sum of all cells. We also changed the notation: the paper writes $\sigma$ for the sigmoid, but on this page $\sigma$ is a standard deviation.
#
# So the weights of a trained network may show which of the two rules it resembles. In the one-threshold rule, the hidden node gives all cells the same weight. In the two-threshold rule, each hidden node gives weight to only one cell. We examine two further stored networks of the informed attacker, trained on 2,000 and on 200,000 shadow aggregates. The *main cell* of a node is the cell to which the node gives the largest weight. Every node has a main cell, even if this weight is hardly larger than the others:

# %%
maps = experiments.weight_maps.stored(experiments.INFORMED)
weights_of = {
    n_examples: of_network.filter(like="node ").abs().to_numpy()  # cells x nodes
    for n_examples, of_network in maps.groupby("shadows")
}
main_cells = weights_of[200_000].argmax(axis=0)  # one for each node
every_cell = range(len(weights_of[200_000]))
without_node = sorted(set(every_cell) - set(main_cells))
print(f"cells that are not the main cell of any node: {without_node}")

# %% [markdown]
# How strongly does a node prefer its main cell? The **concentration** of a node is the square of its largest weight divided by the sum of its squared weights. It is $1/n$ in the one-threshold rule and 1 in the two-threshold rule. If it is above 1/2, the largest squared weight exceeds all others together, and we say that the node *reads* its main cell. We count these nodes in both networks:

# %%
n_read = {}  # different cells that are read, for each network
for n_examples, weights in weights_of.items():
    squares = weights**2
    of_node = squares.max(axis=0) / squares.sum(axis=0)
    reads = of_node > 1 / 2
    cells_read = set(weights.argmax(axis=0)[reads])
    n_read[n_examples] = len(cells_read)
    print(
        f"{n_examples:,} shadows: {reads.sum()} of {len(reads)} nodes read a cell, "
        f"and they read {len(cells_read)} different cells; "
        f"highest concentration {of_node.max():.2f}"
    )

# %% [markdown]
# After 2,000 examples, no node reads a cell. After 200,000 examples, 54 of the 60 nodes do, but two of them read the same cell, so seven cells are not read. The figure shows the weights of both networks and the concentrations of their nodes:

# %% mystnb={"figure": {"name": "fig-th-weights", "caption": "The informed attacker's sigmoid network after 2,000 and after 200,000 shadow aggregates (stored results, one network each; noise only, 60 cells). Above: first-layer weights, divided by the largest weight of the network, so a node with small weights is pale. Nodes are sorted by their main cell. Below: the concentration of each node; a node with a concentration above 1/2 (dotted) reads one cell. After 2,000 nearly all weights have one sign and are spread over all cells, and every concentration is low. After 200,000, 54 of the 60 nodes read one cell. Triangles at the edge of the right map mark the five cells that are not the main cell of any node. Such cells are not marked in the left map."}, "image": {"alt": "Two maps of first-layer weights, cells down and hidden nodes across, with bars of the concentration of each node below. Left, after 2,000 shadow aggregates, an even haze and bars close to 0; right, after 200,000, a diagonal line on empty ground and bars close to 1, except six bars below one half. Triangles beside the right map mark the cells 8, 11, 14, 58 and 59."}} tags=["hide-input"]
figures.weights_and_concentrations(maps, {200_000: without_node})

# %% [markdown]
# Five of the seven cells are not even the main cell of a node. How accurate would the two-threshold rule be without these cells?

# %%
n_weights = len(every_cell)  # cells of the stored network: 60
accuracy_on = {}
for used in (n_read[200_000], n_weights - len(without_node), n_weights):
    votes = stats.binom(used, 1 - np.exp(-epsilon / 2) / 2)  # cells that vote right
    majority_right = votes.sf(used / 2) + votes.pmf(used / 2) / 2
    accuracy_on[f"{used} of {n_weights} cells"] = f"{majority_right:.3f}"
on_fewer = pd.DataFrame({"accuracy": accuracy_on}).rename_axis("two thresholds on")
plots.show_table(on_fewer, "unread-cells")

# %% [markdown]
# Without the five cells, even the exact two-threshold rule has an accuracy of only 0.952, and without all seven it is lower still. The network (0.954, in a table below) is less accurate than this rule on all 60 cells, and the missing cells are enough to explain this. The network is even slightly more accurate than the rule on 55 cells, though the difference is within the uncertainty of its test. If the small lead is real, there are two possible sources: small weights on the cells that are not read, or the position of values between 0 and 1. We did not test either.
#
# For a whole network, the table below shows the average of its nodes' concentrations, weighted as follows. A node counts in proportion to its influence on the output, which is the size of its output weight times the length of its vector of input weights. For nodes $h$ with output weights $v_h$, input weights $w_h$ and concentrations $c_h$, the average is
#
# $$ \frac{\sum_h |v_h|\, \lVert w_h\rVert\, c_h}{\sum_h |v_h|\, \lVert w_h\rVert} . $$
#
# As the smallest example, take two cells and two nodes. The first node reads one cell. The second gives both cells the same weight, and its output weight is twice as large in absolute value:

# %%
input_weights = np.array([[3, 0], [1, 1]])  # a row for each node
output_weights = np.array([1, -2])

squares = input_weights**2
concentrations = squares.max(axis=1) / squares.sum(axis=1)
influence = np.abs(output_weights) * np.sqrt(squares.sum(axis=1))
print(f"concentrations {concentrations}, influence {influence.round(2)}")
average = influence @ concentrations / influence.sum()
print(f"concentration of the network: {average:.2f}")

# %% [markdown]
# The **agreement** with a rule is the share of test aggregates on which the network and the rule make the same decision. Agreement is needed as well, because a low concentration shows only that no single cell dominates a node, not that the network computes the sum. The intervals of the accuracy are over the test aggregates:

# %% tags=["hide-input"]
print("stored results")
print(f"- sigmoid: {experiments.network_source()}, two with 60 hidden nodes (shown)")
print(f"- by hand: {experiments.by_hand.source()}")
print(f"- ReLU: {experiments.activation.source()}")
by_hand, activations = experiments.by_hand.stored(), experiments.activation.stored()
by_examples = experiments.weights.stored()
learned_rules = figures.learned_table(by_examples, by_hand, activations, 50_000)
plots.show_table(learned_rules, "learned")

# %% [markdown]
# The agreement of the one-threshold network by hand with its rule is only 0.999, although {prf:ref}`thm-networks` says that the two make the same decisions. The reason is that the network by hand has the exact threshold $T = n/2$, but the rule of the table takes its threshold from 20,000 simulated aggregates, as the attack does. For the two-threshold network, the finite $a$ adds to this.
#
# After 2,000 shadow aggregates, the network agrees with the one-threshold rule on 98% of the test aggregates. The network with 200,000 reads single cells, and agrees with the two-threshold rule on 96% of the test aggregates. Its accuracy, 0.954, is close to the exact accuracy of this rule, 0.958, but still below it.
#
# Are these two networks exceptions? A further stored experiment trained several networks of each kind, ten with 2,000 examples and three with 200,000. The two networks above are among them. The same experiment also measured how often each network agrees with the likelihood ratio. Intervals are over networks:

# %% tags=["hide-input"]
from lib.papers.threshold_attacks import network_experiments

several = network_experiments.weight_runs.stored()
larger = several[several["hidden nodes"] == 100]
several = several[several["hidden nodes"] == n_cells]
several["ratio minus two"] = several["agrees with ratio"] - several["agrees with two"]
shares_of_several = {
    measure: summaries.bracketed(summaries.means(several, ["shadows"], measure), 3)[
        "mean [95%]"
    ]
    for measure in (
        "concentration",
        "agrees with one",
        "agrees with two",
        "agrees with ratio",
        "ratio minus two",
        "accuracy",
    )
}
if len(several):
    plots.show_table(pd.DataFrame(shares_of_several).T, "several-networks")
for n_examples, of_size in larger.groupby("shadows"):
    print(
        f"100 nodes, {len(of_size)} networks with {n_examples:,} shadows: agreement with "
        f"one threshold {of_size['agrees with one'].mean():.0%}, "
        f"two thresholds {of_size['agrees with two'].mean():.0%}, "
        f"likelihood ratio {of_size['agrees with ratio'].mean():.0%}"
    )

# %% [markdown]
# The networks with 2,000 examples agree with the one-threshold rule on 98% of the aggregates, and with the other two rules on 92%. So they act like one threshold, as the paper says. (The [replication page](threshold-replicated-weights) tests statements of the paper as *claims* and gives each a verdict. This one is claim `threshold-fig12-one-rule`, *supported*.) The networks with 200,000 examples read single cells, as the paper reports (on the same page, this is claim `threshold-fig15-two-rule`, *supported*). They agree with the two-threshold rule on 97% of the aggregates, and slightly more often with the likelihood ratio: the interval of the difference, over only three networks, does not contain 0. (The difference in the table is computed from unrounded shares, so its last digit can differ from the difference of the rounded ones.) The paper does not compare its networks with this ratio. Networks of 100 nodes behave in the same way, as the lines below the table show (claim `threshold-fig25-27-100-nodes`, *supported*).
#
# Why do networks find the sum first? We did not test the following possible explanation. Every example carries information about the sum, to which all 60 cells contribute, but little about where the evidence of any single cell levels off. Taken together, however, the 2,000 examples do contain much of the latter information: on the [replication page](threshold-replicated-weights), a search that looks only for functions with two bends finds exactly the right bends in 28 of the 60 cells from 2,000 aggregates. The training of the network does not find these bends.
#
# How often do the exact rules agree with each other? We compare their decisions on the [simulated groups](threshold-anchors):

# %%
decisions = {name: score >= 0 for name, score in rule_scores.items()}
for first, second in combinations(decisions, 2):
    agreement = (decisions[first] == decisions[second]).mean()
    print(f"{first} and {second} agree on {agreement:.0%} of the groups")

# %% [markdown]
# The one-threshold and the two-threshold rule agree on only 92% of the groups, so an agreement of 98% with one of them is high. The two-threshold rule and the likelihood ratio agree with each other on 98% of the groups. An agreement of 97% with the two-threshold rule therefore does not tell us which of the two a network resembles. It is more telling to compare how often the network agrees with each of the two. The difference is small, and slightly in favour of the likelihood ratio. But the networks with 2,000 examples, which act like one threshold, show a difference in the same direction. So this is only weak evidence that the networks with 200,000 examples approach the likelihood ratio.
#
# The row with random weights shows the values for a network that has learned nothing. Its accuracy is a little above 1/2, probably because this one draw of weights happens to give the sum of the cells a small positive weight; with another draw it could be below 1/2. Its concentration of 0.110 is low, too, and above the 0.058 of the network with 2,000 examples. So a low concentration alone is no evidence that a network computes the sum.
#
# ```{note}
# The networks by hand are tested on other draws than the trained networks. On these draws, the measured accuracies of both rules (0.918 and 0.960) happen to lie slightly above the exact ones (0.915 and 0.958). Compare the trained networks with the exact values.
# ```
#
# ### Does this depend on the activation?
#
# The **activation** is the function that a hidden node applies to the weighted sum of its inputs. The paper proves its theorems for the sigmoid, but does not say which activation its trained network has. So we trained three networks with different activations, each on 200,000 shadow aggregates. In the table, SE is the standard error of the accuracy:

# %% tags=["hide-input"]
activations = activations.set_index("activation")[["accuracy", "SE", "concentration"]]
named = {"logistic": "sigmoid", "relu": "ReLU"}
plots.show_table(activations.map("{:.3f}".format).rename(index=named), "activations")

# %% [markdown]
# In these three runs, the result does depend on the activation. With the sigmoid or tanh, the nodes that influence the output most read single cells: the weighted concentrations are 0.968 and 0.965. The accuracy is within 0.003 of that of the two-threshold rule (0.958). With the **ReLU**, the function $\max(0, t)$, the accuracy stays at that of one threshold. The concentration of the ReLU network, 0.090, is close to that of random weights, so it does not show which rule this network has learned. A likely reason for the difference, which we did not test, is the shape of the activation. The sigmoid and tanh level off for extreme values, just like the log-likelihood ratio in {numref}`fig-th-cell`, whereas the ReLU grows without bound on one side.
#
# ```{note}
# In the table that begins with the networks by hand, and in the table of the three activations, each row is a single network. Both tables have a sigmoid network with 200,000 shadow aggregates, but these are two networks, trained separately. The intervals and standard errors account for the randomness of the test aggregates. They do not account for the randomness of training. Of the tables in this section, only that of several networks accounts for it, and this table contains only sigmoid networks. Agreement was not measured for the ReLU network.
# ```
#
# (threshold-learning)=
# ## At home: how many examples does it take?
#
# For the informed attacker under Laplace noise, a value below 0 is no stronger evidence than a value of 0, and a value above 1 is no stronger evidence than a value of 1. An attacker who knows the mechanism knows this, and can *clip* every cell to $[0, 1]$ before learning: values below 0 become 0, and values above 1 become 1. The learner then only has to learn that the clipped cells should be added up. To test this, we train a logistic regression on the first 2,000 of the [simulated groups](threshold-anchors) and evaluate it on the others:

# %%
from sklearn.linear_model import LogisticRegression

inputs = {"unclipped": cells_left, "clipped": np.clip(cells_left, 0, 1)}
for name, cells in inputs.items():
    learner = LogisticRegression().fit(cells[:2000], members[:2000])
    print(f"{name}: accuracy {learner.score(cells[2000:], members[2000:]):.3f}")

# %% [markdown]
# Clipping takes a single line of code and raises the accuracy by five percentage points. The next table compares several learners on unclipped and on clipped cells. The columns are numbers of shadow aggregates, and the intervals are over `runs` = 6 repetitions with new random draws:

# %% tags=["hide-input"]
curve = experiments.learning(
    ["simulated"],
    sizes=[500, 2000, 8000],
    runs=runs,
    cells=n_cells,
    n_test=n_test,
    processes=processes,
    epsilon=epsilon,
    seed=seed,
)
learning = summaries.means(curve, ["learner", "shadows"], "accuracy")
learned = summaries.bracketed(learning, 3)["mean [95%]"].unstack("shadows")
plots.show_table(learned, "learning")

# %% mystnb={"figure": {"name": "fig-th-learning", "caption": "Accuracy of the informed attacker's learners by the number of shadow aggregates, with 95% intervals over repetitions. On clipped cells, the mean accuracy of the network is at least that of two thresholds with 500 or more aggregates, and that of the logistic regression with 2,000 or more. On unclipped cells, the network starts about 0.01 below one threshold and comes close to it at 2,000 aggregates (0.911 against 0.914) and at 8,000 (0.913 against 0.914). The dotted line is the exact accuracy of the likelihood ratio."}, "image": {"alt": "Accuracy against 500, 2,000 and 8,000 shadow aggregates. Two thresholds, the clipped network and the clipped logistic regression end between 0.958 and 0.962, just below a dotted line at 0.964; one threshold and the unclipped network stay near 0.91."}} tags=["hide-input"]
figures.learning(learning, ratio_accuracy, n_cells, name="likelihood ratio, exact")

# %% [markdown]
# On clipped cells, 2,000 examples are enough even for a logistic regression to match the two-threshold rule. So learning how to combine the cells does not require many examples. What seems to require many examples, at least with the training used here, is the network's task: it must learn, for each of the 60 cells separately, the values at which its score has to level off. (The logistic regression, too, learns one number for each cell, its weight. But on clipped cells it need not learn where the evidence levels off.) An attacker who knows the mechanism does not have to learn this. A learner that scores all cells by the same function needs few examples, too, provided that the slope of this function can change near 0 and near 1. In {ref}`threshold-ex-own`, 2,000 examples with unclipped cells are enough for such a learner.
#
# (threshold-lead)=
# ## Optional: why is the two-threshold rule better than the one-threshold rule on the flights?
#
# This section is not part of the lectures. In the [table of steps](threshold-gap), the step *two → one threshold* costs 0.019 on the flights. Yet at the mean count of the flights' cells, the two rules [should be almost equally accurate](threshold-map). Three things could be the reason: the cells have different mean counts, the cells are correlated, and the attacker knows the wrong half. To find out which of them matters, we compare the two rules on the six targets of the table of steps in three situations:
#
# - *alike, independent*: every cell has the same mean count, which is the mean over the target's cells in the auxiliary half;
# - *different, independent*: every cell has its own mean count from the auxiliary half;
# - *different, correlated*: real groups, so their cells are correlated. They are drawn from the auxiliary half, the half that the attacker knows.
#
# In the first two situations the counts are binomial and the accuracies are exact. The third situation is simulated.

# %% tags=["hide-input"]
compared_cells = threshold_choice.compare_cells(flights)
for situation, part in compared_cells.groupby("cells", sort=False):
    two_minus_one = part["two"] - part["one"]
    low, high = metrics.mean_interval(two_minus_one)
    print(
        f"{situation}: one threshold {part['one'].mean():.3f}, two {part['two'].mean():.3f}, "
        f"difference {two_minus_one.mean():.4f} [{low:.4f}, {high:.4f}]"
    )

# %% [markdown]
# If all cells are alike, the two rules are about equally accurate, and the difference is inconclusive. If each cell has its own mean count, the two-threshold rule is more accurate by 0.0203. With correlation, both rules are much less accurate, but the two-threshold rule still leads by 0.0157. The fall in the accuracy of the one-threshold rule, from 0.875 to 0.728, is due to correlation: the variance of the sum grows ([as shown above](threshold-correlation)). So the differences between the cells are sufficient to explain the lead. Neither correlation nor the error from the wrong half is needed to explain it.
#
# Why do cells with different mean counts favour the two-threshold rule? The one-threshold rule is as accurate in the second situation as in the first, because the variance of a binomial count is nearly equal to its mean if the probabilities are small. The means add up to the same total in both situations, so the sum has nearly the same variance. The two-threshold rule becomes more accurate, because the votes of the cells become more reliable on average. A vote is most often right in a cell that nobody else visits. The first few other visitors reduce the reliability of a vote most; each further visitor reduces it less:

# %%
j = np.arange(201)  # possible counts of the others
for mean in (0, 1.5, 3):
    probability = stats.binom(2000, mean / 2000).pmf(j)
    midpoint = mean + 1 / 2  # of the mean values without and with the target
    wrong_in = probability @ stats.laplace.sf(midpoint - j, scale=1 / epsilon)
    wrong_out = probability @ stats.laplace.cdf(midpoint - j - 1, scale=1 / epsilon)
    right_vote = 1 - (wrong_in + wrong_out) / 2
    print(f"mean count {mean}: a vote is right with probability {right_vote:.3f}")

# %% [markdown]
# So one cell with a mean count of 0 and one with a mean count of 3 give more reliable votes, on average, than two cells with a mean count of 1.5.
#
# (threshold-low-rates)=
# ## Optional: does the joint ratio also lead at low false positive rates?
#
# This section is not part of the lectures, and only one of the take-aways depends on it.
#
# [The joint ratio beats the network](threshold-companions) in accuracy and in AUC. Neither measure is about rare false positives: AUC is the mean of the true positive rate over all false positive rates, and accuracy is measured at a threshold that is not chosen to make false positives rare. But an attacker who wants to be sure accepts only a few false positives. Which attack identifies more members if at most 1% of the non-members are wrongly identified? We compare the joint ratio with the network with 200,000 examples, using the same stored results of ten flights. Each target is tested on 20,000 aggregates, half of them without the target. The threshold of each attack is chosen on these 10,000 non-members, so that at most 100 of them are wrongly identified. A real attacker would have to estimate this threshold.

# %% tags=["hide-input"]
at_one_percent = figures.by_target(rivals, "TPR 0.01")
lead = at_one_percent["network, 200,000 shadows"] - at_one_percent["joint ratio"]
low, high = metrics.mean_interval(lead)
print(at_one_percent.mean().round(3).to_string())
print(f"the network leads on {(lead > 0).sum()} of {len(lead)} targets,")
print(f"by {lead.mean():.3f} [{low:.3f}, {high:.3f}] on average")

# %% [markdown]
# The network has the higher true positive rate on 8 of 10 targets, but the mean difference is inconclusive and may be due to chance. However, one assumption of the joint ratio is known to be wrong. The attacker draws the other users from the auxiliary half, but the users who are counted come from the released half. If nobody in the auxiliary half visits a cell, the joint ratio attributes a high value in this cell to the target or to the noise. Yet someone in the released half may visit this cell.
#
# We can test whether the wrong half matters. We run the same attacks on releases whose groups are drawn from the auxiliary half, so that the assumption is true. If the wrong half is what holds the joint ratio back, the joint ratio should beat the network on these releases. The two other approximations of the joint ratio, a sample of the groups of companions and no fixed size of a group, apply to the releases of either half, so they are unlikely to explain a difference between the halves.
#
# We can also repair the attack. The auxiliary half is only a sample of users, so the attacker does not know how many users of the released half visit a cell. Instead of taking the number of visitors in the sample as exact, the attacker can allow for this uncertainty. The result is a negative binomial distribution for the number of visitors who are counted.
#
# ````{admonition} Why a negative binomial distribution?
# :class: dropdown
# We model the number of visitors of a cell as a Poisson variable with an unknown rate $\lambda$. If the sample contains $v$ visitors, a standard prior for a Poisson rate (Jeffreys' prior, with density proportional to $\lambda^{-1/2}$) leads to a gamma distribution of shape $a = v + \tfrac12$ for the rate, with density $\lambda^{a - 1} e^{-\lambda} / \Gamma(a)$. Each visitor is in the group with probability $c$ (`chance` in the code: the size of a group divided by the size of the half), independently of the others. So the number $K$ of *counted* visitors is a Poisson variable with rate $c \lambda$, and we average over the unknown rate:
#
# $$ P(K = j) = \int_0^\infty \frac{(c \lambda)^j e^{-c \lambda}}{j!} \, \frac{\lambda^{a - 1} e^{-\lambda}}{\Gamma(a)} \, d\lambda = \frac{\Gamma(a + j)}{j! \, \Gamma(a)} \Big(\frac{c}{1 + c}\Big)^{j} \Big(\frac{1}{1 + c}\Big)^{a} . $$
#
# This is the negative binomial distribution with the parameters $a$ and $1/(1 + c)$.
#
# So far, each visitor was assumed to visit only one of the target's cells. Companions visit several of them. For each set of cells, let $v$ now be the number of companions in the sample who visit exactly this set. For most sets $v = 0$, and the attack then assumes that the released half contains no such user either. If $v$ is positive, the library uses the same distribution, but with the shape $v$ instead of $v + \tfrac12$. The term $\tfrac12$ is omitted because there are so many sets. With 50 cells there are far more sets of cells than users, and if half a visitor were added to each set, the attack would expect a crowd of companions that nobody has seen.
# ````
#
# The code compares the negative binomial distribution with the binomial distribution of an attacker who takes the sample's number of visitors as exact:

# %%
chance = flights.group_size / len(auxiliary_visits)  # that a visitor is in the group
print(
    f"{flights.group_size} of {len(auxiliary_visits)} users are in a group, chance {chance:.3f}"
)
for visitors in (0, 1, 10):
    sure = stats.binom(visitors, chance)
    unsure = stats.nbinom(visitors + 0.5, 1 / (1 + chance))
    print(
        f"{visitors:2} visitors in the sample: somebody is counted with probability "
        f"{1 - sure.pmf(0):.3f}, allowing for uncertainty {1 - unsure.pmf(0):.3f}"
    )

# %% [markdown]
# Even if the sample contains no visitor of a cell, the attacker now allows for the possibility that somebody is counted there. The joint ratio with these distributions is the **predictive ratio** (`lib.membership.PredictiveRatio`), because it uses the {term}`posterior predictive distribution` of the counts.
#
# The next table compares the joint ratio, the predictive ratio and the network at a false positive rate of 1%, for the same ten targets as before. The tested groups differ between the columns, but in both columns the attacker knows the auxiliary half. The column for the released half is no independent confirmation of the comparison at the beginning of this section, because both experiments use the same seed and hence the same releases. So the joint ratio has the same true positive rate as before, 0.286. The networks were trained again; their mean true positive rate happens to be 0.297, as before. The releases of the auxiliary half are new. The first table shows the mean true positive rates, and the second the differences on the same target:

# %% tags=["hide-input"]
from lib.papers.threshold_attacks import low_rate_experiments as low_rates

print("stored results:", low_rates.low_rates.source(low_rates.DATA))
halves_compared = low_rates.compare(low_rates.low_rates.stored(low_rates.DATA))
halves_compared = halves_compared.rename(
    columns="tested groups from the {} half".format
).rename_axis("at a false positive rate of 1%")
plots.show_table(halves_compared.iloc[:3], "low-rates")
of_halves = halves_compared.iloc[:3].astype(float)
for attack, gain in of_halves.diff(axis=1).iloc[:, -1].items():
    print(f"{attack}: higher by {gain:.3f} on the auxiliary half")

# %% tags=["hide-input"]
plots.show_table(halves_compared.iloc[3:], "low-rates-differences")

# %% [markdown]
# All differences are computed from unrounded rates, so their last digit can differ from that of the rounded rates.
#
# The wrong half does matter. On releases of the auxiliary half, where its assumption is true, the joint ratio beats the network on all ten targets, by 0.027 on average. The network also gains there, because it was trained on this half, but the joint ratio gains more (0.092 against 0.053). On the released half, the predictive ratio has the highest mean, followed by the network and the joint ratio, but all differences are inconclusive. The repair also has a cost: on releases of the auxiliary half, the true positive rate of the predictive ratio is 0.041 lower than that of the joint ratio. Such a cost is to be expected, because there the sample *is* the population, so that there is no uncertainty to allow for.
#
# (threshold-found)=
# ## What the paper found, and what we found
#
# The paper reports that the two-threshold rule is more accurate than the one-threshold rule under Laplace noise and less accurate under Gaussian noise. It also reports that networks learn only one threshold from 2,000 shadow aggregates, and two thresholds from 200,000. For the informed attacker, our exact accuracies agree with the first finding for every number of cells in our table (3 to 141). With two cells, however, the order is reversed under Laplace noise ({ref}`threshold-ex-two`). For the auxiliary attacker, too, the two-threshold rule is more accurate under Laplace noise, on both datasets. With sigmoid networks, our accuracies for the informed attacker also agree with the second finding. The replication page examines [several networks of each kind](threshold-replicated-weights) and finds both statements about the informed attacker's networks *supported*. The networks trained on 200,000 aggregates read single cells. They agree slightly more often with the likelihood ratio than with two thresholds. For the auxiliary attacker, the replication page applies the test of both statements about networks to our substitute data. On the surrogate, the result is *undecided* for <a href="replication/threshold.html#claim-threshold-fig13-auxiliary-order">2,000 aggregates</a> and for <a href="replication/threshold.html#claim-threshold-fig14-auxiliary-mlp">200,000</a>. On the flights, both results are *inconsistent* with the paper: there, even a network trained on 2,000 aggregates beats one threshold, and networks trained on 200,000 are not level with two thresholds but more accurate, on [our ten targets](threshold-companions) by 0.101. The [replication page](replication/threshold.ipynb) has the figures and numbers.
#
# (threshold-experiments)=
# ## Which targets and groups does each result use?
#
# The results for several targets come mainly from seven experiments. They differ in the number of targets, in the half from which the tested groups are drawn, and in the examples from which the networks learn. If a section uses another experiment, it says so.
#
# | experiment | attackers | targets | tested groups from | networks learn from |
# |---|---|---|---|---|
# | [five attacks](threshold-data), stored | informed; auxiliary on both datasets | 10 for each scenario (networks for only 3 of them) | released half | informed: 2,000 draws of the noise; auxiliary: 2,000 aggregates of one half of the auxiliary half |
# | [steps of the gap](threshold-gap), run here | informed; auxiliary on both datasets | 6 for each scenario | released half | informed: 2,000 draws of the noise; auxiliary: 2,000 aggregates of the auxiliary half |
# | [one threshold or two](threshold-lead), run here | auxiliary on the flights | 6 | auxiliary half | no network |
# | [correlation and the wrong half](threshold-correlation), run here | auxiliary on the flights | 12 | released half | no network |
# | [three thresholds](threshold-own-threshold), run here | auxiliary on the flights | 12 | released half | 2,000 aggregates of the auxiliary half |
# | [ratios and networks](threshold-companions), stored | auxiliary on the flights | 10 | released half | 2,000 and 200,000 aggregates of the auxiliary half |
# | [low false positive rates](threshold-low-rates), stored | auxiliary on the flights | 10 | each half in turn | 200,000 aggregates of the auxiliary half |
#
# In all rows, this chapter uses only the results with Laplace noise; the first experiment also has runs with Gaussian noise. For the informed attacker no groups are drawn: the test aggregates and the network's examples consist of noise alone, plus 1 in each cell for members.
#
# ```{note}
# *Why some quantities have more than one value.* Different experiments use different targets and new draws, and they train new networks.
#
# | quantity | values |
# |---|---|
# | accuracy of the informed attacker's network with 2,000 examples | 0.9089 in the [gap](threshold-gap) (six networks), 0.912 in the [section on weights](threshold-networks) (ten), 0.911 in the [section on examples](threshold-learning) (six) |
# | accuracy of the independent ratio on the first flight, on the same releases | 0.7965 in the [gap](threshold-gap), 0.792 in the [section on correlation](threshold-correlation), 0.80 in {ref}`threshold-ex-gaussian`; the attacker's 2,000 groups are drawn separately each time |
# | lead of the joint over the independent ratio in accuracy, on the flights | 0.076 with 6 targets, 0.085 with 10, 0.121 with 12 |
# | targets on which the network leads the joint ratio at a false positive rate of 1% | 8 of 10, and 7 of 10 with the networks trained again |
#
# The lead of the network over the independent ratio varies in the same way as that of the joint ratio. The experiments have [some targets in common](threshold-data).
# ```
#
# ## Take-aways
#
# - Compare an attack not only with the bound but also with the likelihood ratio, just as the chapter on [Fano loss](fano.ipynb) compares each attack with the best guess. For our informed attacker under Laplace noise, 86% [82%, 89%] of the gap between the bound and the network is a failure of learning, and at 60 cells the bound is nearly tight. On the flights, 29% [23%, 38%] of the gap lies between the network and the most accurate attack that we have; we do not know whether a better attack could recover more. Under Gaussian noise, even the best attack of the informed attacker stays far below the bound.
# - Laplace noise bounds the evidence of one cell. Counting the cells above a threshold limits the influence of extreme values as the likelihood ratio does, and loses only the exact position of values between 0 and 1. Adding up the values does not limit this influence. If the cells are independent and the sum of the noise and the other users' counts in each cell is nearly normal, with about the same variance in every cell, adding up the values is nearly as accurate as the likelihood ratio, and more accurate than counting.
# - The likelihood ratio is the best attack only if the distribution that it assumes is the true one. On the flights, a network is more accurate than a likelihood ratio that treats cells as independent. With 2,000 examples it is more accurate mainly because its threshold is better placed, and its AUC is not significantly higher; with 200,000 examples it also ranks releases better. The joint ratio, which averages over the possible groups of other users, beats both networks in accuracy and AUC.
# - A lead in accuracy and AUC need not carry over to rare false positives. At a false positive rate of 1%, the mean true positive rate of the joint ratio is lower than that of the network with 200,000 examples, but the difference is inconclusive. If the tested groups come from the half that the attacker knows, the joint ratio is better at this rate, too.
# - Our networks seem to need many examples, because they must learn, for every cell separately, the values at which their score has to level off. For the informed attacker, a sigmoid network came within 0.01 of the two-threshold rule with 200,000 examples, but not with 2,000. The one ReLU network that we trained did not come as close, even with 200,000. If cells are clipped to $[0, 1]$, 2,000 examples are enough to match the two-threshold rule. They are also enough for a learner that scores all cells by the same function, if the slope of this function can change near 0 and near 1.
# - Results on data are valid only for the kind of targets that were attacked. Our targets are among the users with the most cells in their dataset; in the flights dataset they are drawn from the 30 flights that have the maximum, 57 cells.
# - An attack that must learn everything from examples may understate a risk. For an audit, use attacks that take into account both the mechanism (as in [attacks on protected counts](knock_knock_defenses.ipynb)) and the population.
#
# ## Exercises
#
# Several solutions use the following names, in addition to those of the chapter:

# %%
laplace = Laplace(epsilon)
alone = [no_others] * n_cells  # for an informed attacker: no others in any cell

# %% [markdown]
# ```{exercise} One count, by hand (★, 15 minutes)
# :label: threshold-ex-one
# One count is released with Laplace noise and $e^{\varepsilon} = 3$, and the attacker is informed. By how much does the bound for a single count exceed the accuracy of the best attack on it? Compute both by hand. The attacker subtracts the others' count from the released count; call the remainder $x$. For which $x$ is the attacker's posterior probability of a wrong decision larger than $1/(1 + e^{\varepsilon})$, the smallest that the guarantee permits? *Check yourself:* the difference is 0.039.
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-one
# :class: dropdown
# ````
#
# *The bound.* For one count the bound is $1 - 1/(1 + e^{\varepsilon}) = 3/4$. *The best attack.* The log-likelihood ratio is positive if and only if $x > 1/2$, so the best attack says "in" if $x > 1/2$. It errs with probability $\tfrac12 e^{-\varepsilon/2} = 1/(2\sqrt 3)$.

# %%
laplace_of_one = 1 - 1 / (2 * np.sqrt(3))
print(f"bound {accounting.expected_accuracy(np.log(3), 1):.3f}", end=", ")
print(f"best attack {laplace_of_one:.3f}, difference {3 / 4 - laplace_of_one:.3f}")

# %% [markdown]
# The bound exceeds the accuracy of the best attack by 0.039. The posterior probability of a wrong decision is larger than $1/(1 + e^{\varepsilon})$ exactly for $0 < x < 1$. *Learned:* the bound is reached by a mechanism whose likelihood ratio is always $e^{\varepsilon}$ or $e^{-\varepsilon}$, such as randomized response. Under Laplace noise, a value of $x$ between 0 and 1 has a likelihood ratio between $e^{-\varepsilon}$ and $e^{\varepsilon}$. At these values the posterior probability of the more likely answer is below $e^{\varepsilon}/(1 + e^{\varepsilon})$, the largest that the guarantee permits, so the attacker errs more often.
#
# ````{solution-end}
# ````
#
# ```{exercise} Three counts, on paper (★, 15 minutes)
# :label: threshold-ex-three-counts
# Three counts are released with $e^{\varepsilon} = 3$ and $\delta = 0$, so a randomized answer is true with probability 3/4. Write down the probabilities of the eight sequences of answers, with and without the target. For $i = 0$ and $i = 1$, read off from them the pair $(\varepsilon', \delta')$ of {prf:ref}`thm-composition`: $\varepsilon' = (3 - 2i)\,\varepsilon$, and $\delta'$ is the largest excess over all events. Which pair gives the smaller limit on the accuracy? Compare it with the majority vote over the three answers, and with the limit for one count. *Check yourself:* the smaller limit is 27/32.
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-three-counts
# :class: dropdown
# ````
#
# | false answers (with the target) | sequences | probability of each, with the target | without |
# |---|---|---|---|
# | 0 | 1 | 27/64 | 1/64 |
# | 1 | 3 | 9/64 | 3/64 |
# | 2 | 3 | 3/64 | 9/64 |
# | 3 | 1 | 1/64 | 27/64 |
#
# For $i = 0$ the factor is $e^{3\varepsilon} = 27$. No sequence is more than 27 times as likely with the target as without, so $\delta' = 0$. For $i = 1$ the factor is $e^{\varepsilon} = 3$. Only the first sequence has a positive excess, $27/64 - 3 \cdot 1/64 = 3/8$. (The next three have the excess $9/64 - 3 \cdot 3/64 = 0$.) The formula of the theorem gives the same, $\delta_1 = (e^{3\varepsilon} - e^{\varepsilon})/(1 + e^{\varepsilon})^3 = 24/64$.

# %%
print(f"i = 0: limit {1 - 1 / (1 + 27):.3f}", end=", ")
print(f"i = 1: limit {1 - (1 - 3 / 8) / (1 + 3):.3f}")
print(f"majority of three answers: {27 / 64 + 3 * 9 / 64:.3f}")
print(f"one count: {1 - 1 / (1 + 3):.3f}")

# %% [markdown]
# The pair for $i = 1$ gives the smaller limit, 27/32, and the majority vote reaches it, because the vote is right if at most one answer is false. The limit for one count, and also for two, is 3/4.
#
# *Learned:* the number $\delta_i$ is the total excess of the sequences that are more than $e^{\varepsilon'}$ times as likely with the target as without. The pair that decides the accuracy is the one with the smallest $\varepsilon'$, because the majority vote needs no strong evidence, only more evidence for one side than for the other.
#
# ````{solution-end}
# ````
#
# ```{exercise} How many observations? (★, 10 minutes)
# :label: threshold-ex-observations
# How many counts must be released before the guarantee allows an accuracy of 0.9? First answer on paper. The best attack on $k$ randomized answers adds up log-likelihood ratios of $\pm\varepsilon$. For a small $\varepsilon$ and a member, this sum has a mean of about $k \varepsilon^2 / 2$ and a standard deviation of about $\sqrt k\,\varepsilon$, so the normal approximation of the accuracy is $\Phi(\sqrt k\,\varepsilon / 2)$. Solve for $k$, for $\varepsilon = 0.5$ and for $\varepsilon = 0.1$ per count. ($\Phi(1.2816) = 0.9$.) By what factor do the two numbers differ? *Check yourself:* the numbers are 27 and 657. Then compute both exactly with `accounting.expected_accuracy(epsilon, k)`.
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-observations
# :class: dropdown
# ````

# %%
for budget in (0.5, 0.1):
    on_paper = (2 * stats.norm.ppf(0.9) / budget) ** 2
    needed_counts = 1
    while accounting.expected_accuracy(budget, needed_counts) < 0.9:
        needed_counts += 2  # the bound rises only at odd numbers
    print(f"epsilon {budget}: on paper {on_paper:.1f}, exactly {needed_counts} counts")
print(f"quantile: {stats.norm.ppf(0.9):.4f}")

# %% [markdown]
# From $\sqrt k\,\varepsilon / 2 = 1.2816$ we obtain $k = (2 \cdot 1.2816 / \varepsilon)^2$. Rounded up, this is 27 for $\varepsilon = 0.5$ and 657 for $\varepsilon = 0.1$, and the exact numbers are the same.
#
# *Learned:* if the budget of each count is divided by five, about twenty-five times as many counts can be released before the guarantee allows the same accuracy. The number of counts grows with $1/\varepsilon^2$, because the evidence of $k$ counts has a mean proportional to $k\varepsilon^2$ and a standard deviation proportional to $\sqrt k\,\varepsilon$.
#
# ````{solution-end}
# ````
#
# ```{exercise} How often is Ada missed? (★, 15 minutes)
# :label: threshold-ex-eight
# In the [example with six users](threshold-six), the one-threshold attack missed Ada, and the other two identified her. Does this mean that the two-threshold attack is as good as the likelihood ratio? Predict which of the three attacks misses the fewest members, and which has the fewest false positives. Then take the first eight cells of the simulated groups `cells_left`, and estimate both error rates of each attack. All three say "in" at a tie, as in the example.
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-eight
# :class: dropdown
# ````

# %%
eight = cells_left[:, :8]
decisions_on_eight = {
    "one threshold": eight.sum(axis=1) >= 4,
    "two thresholds": (eight >= 1 / 2).sum(axis=1) >= 4,
    "likelihood ratio": (abs(eight) - abs(eight - 1)).sum(axis=1) >= 0,
}
for name, answer in decisions_on_eight.items():
    missed = 1 - answer[members].mean()
    false_positives = answer[~members].mean()
    print(
        f"{name}: misses {missed:.0%} of members, false positives {false_positives:.0%}, "
        f"accuracy {1 - (missed + false_positives) / 2:.2f}"
    )

# %% [markdown]
# No. The one-threshold attack errs on three in ten members and on three in ten non-members, so its accuracy, 0.70, is the lowest. The two-threshold attack misses the fewest members, but it has the most false positives, because four cells out of eight are enough for it to say "in". The likelihood ratio has the fewest false positives and the highest accuracy.
#
# *Learned:* one release, or one of the two error rates alone, does not show which attack is better. A rule that says "in" at every tie misses fewer members, at the cost of more false positives.
#
# ````{solution-end}
# ````
#
# ```{exercise} Two cells (★, 10 minutes)
# :label: threshold-ex-two
# Consider an informed attacker with only two cells under Laplace noise. Here the one-threshold rule is more accurate than the two-threshold rule. Why? Consider which values the score of the two-threshold rule can take.
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-two
# :class: dropdown
# ````

# %%
of_two = score_distributions.two_threshold_distribution(laplace, [no_others] * 2)
print("P(score = 0, 1, 2 | out):", of_two.non_members.round(3))
print("P(score = 0, 1, 2 | in): ", of_two.members.round(3))
for name, value in experiments.three_rules(laplace, no_others, 2).items():
    print(f"{name}: {value:.3f}")

two_cells = cells_left[:, :2]  # of the simulated groups
by_sum = two_cells.sum(axis=1) - 1
# The log-likelihood ratio, divided by 2 epsilon:
by_ratio = np.clip(two_cells, 0, 1).sum(axis=1) - 1
print("releases on which the sum contradicts the ratio:", (by_sum * by_ratio < 0).sum())
print(f"share of releases with a ratio of 1: {(by_ratio == 0).mean():.2f}")

# %% [markdown]
# *Learned:* the score of the two-threshold rule can only be 0, 1 or 2. A score of 1 is equally likely with and without the target, so in nearly half of the releases the rule can only guess. The sum of the values has no such ties. With two cells, the one-threshold rule is in fact optimal: it is as accurate as the likelihood ratio. The reason is that the sum never contradicts the likelihood ratio. The two lead to different decisions only if one cell is at least 1 and the other is at most 0. In this case the likelihood ratio is 1, and every decision is equally good.
#
# ````{solution-end}
# ````
#
# ```{exercise} Other noises (★★, proof, 20 minutes)
# :label: threshold-ex-geometric
# Derive the log-likelihood ratio of one cell for Gaussian noise, and for *geometric* noise on whole numbers, $P(X = j) \propto e^{-\varepsilon |j|}$. Under geometric noise, is the one-threshold or the two-threshold rule equivalent to the likelihood ratio of many cells? Compare the accuracy of this rule with the bound.
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-geometric
# :class: dropdown
# ````
#
# Gaussian: $\frac{x^2 - (x - 1)^2}{2\sigma^2} = \frac{x - 1/2}{\sigma^2}$. Geometric: $\varepsilon(|j| - |j - 1|)$. A geometric count is a whole number, so it never lies between 0 and 1. The log-likelihood ratio is therefore $+\varepsilon$ for $j \ge 1$ and $-\varepsilon$ for $j \le 0$. For many cells, these log-likelihood ratios add up. The sum grows by $2\varepsilon$ whenever one cell changes from 0 or less to 1 or more. So the sum depends only on the number of cells that are at least 1, and the two-threshold rule *is* the likelihood ratio test. With $a = e^{-\varepsilon}$, a cell is at least 1 with probability $a/(1 + a)$ for a non-member and $1/(1 + a)$ for a member.

# %%
a = np.exp(-epsilon)
votes_without, votes_with = (
    stats.binom(n_cells, p) for p in (a / (1 + a), 1 / (1 + a))
)
best_attack = max((votes_without.cdf(t) + votes_with.sf(t)) / 2 for t in range(n_cells))
print(f"best attack {best_attack:.4f}, bound {bound:.4f}")

# %% [markdown]
# *Learned:* if we record only whether a count with geometric noise is at least 1, we obtain exactly the randomized response of [the derivation](threshold-randomized). The exact value of the count is no further evidence. So under geometric noise the best attack reaches the bound. Laplace noise with the same $\varepsilon$ protects a little better: there the best attack has an accuracy of only 0.9639.
#
# ````{solution-end}
# ````
#
# ```{exercise} The threshold of a cell (★, 20 minutes)
# :label: threshold-ex-cell
# In the two-threshold rule of the informed attacker, vary the threshold $t$ for the value of a cell.
#
# 1. Show that the product of the two error rates of a single cell does not depend on $t$ if $0 \le t \le 1$. Which $t$ therefore minimises their sum?
# 2. The second threshold, for the number of cells, is 30 of 60 if $t = \tfrac12$. Predict from {numref}`fig-th-cell` how much accuracy the rule loses with $t = 0.25$ and with $t = 2$: first if the second threshold stays at 30, then if it is moved to the number that is best for this $t$. Then compute the losses with `score_distributions.two_threshold_distribution(laplace, alone, level)`, where `level` contains $t$ for each cell. The arrays `members` and `non_members` of the result contain the probabilities of 0, 1, ..., 60 cells.
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-cell
# :class: dropdown
# ````

# %%
for threshold in (-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0):
    level = np.full(n_cells, threshold)
    votes = score_distributions.two_threshold_distribution(laplace, alone, level)
    # Accuracy of "in if at least k cells", for k = 0, 1, ..., 60; at a tie it says "in":
    reached = (votes.non_members.cumsum() - votes.non_members) / 2
    reached += votes.members[::-1].cumsum()[::-1] / 2
    print(
        f"threshold {threshold:5.2f}: accuracy {reached[n_cells // 2]:.4f} with "
        f"{n_cells // 2} cells, {reached.max():.4f} with the best number, {reached.argmax()}"
    )

# %% [markdown]
# *Learned:* the best threshold lies midway between 0 and 1. Because the noise is symmetric, the thresholds $t$ and $1 - t$ are equally accurate, each with its best number of cells. (With 30 cells they are not, because the rule says "in" at a tie.) But symmetry alone does not make $\tfrac12$ the best. If $t$ lies between 0 and 1, a single cell has the false positive rate $\tfrac12 e^{-\varepsilon t}$ and the false negative rate $\tfrac12 e^{-\varepsilon (1 - t)}$. Their product is the same for every $t$, so their sum is smallest where they are equal, at $t = \tfrac12$. Every value above 1 has a positive log-likelihood ratio, so raising the threshold beyond 1 only lowers the accuracy. In the same way, lowering it below 0 only lowers the accuracy.
#
# This proves that $\tfrac12$ is best for a *single* cell. For a vote over 60 cells the argument is only heuristic, because the accuracy then also depends on the variance of the votes. Of the seven thresholds that we tried, $\tfrac12$ has the highest exact accuracy. If the second threshold is moved to its best value as well, a small deviation costs little: $t = 0.25$ lowers the accuracy by less than half a percentage point, and $t = 2$ by about ten. If the second threshold stays at 30, $t = 0.25$ costs nearly seven points, and with $t = 2$ the rule is hardly better than guessing. With $t = 2$, even a member has at least 30 cells above $t$ only rarely. So the two thresholds must fit each other, and this is why {prf:ref}`alg-metric` takes $T$ from the scores that the first threshold produces.
#
# ````{solution-end}
# ````
#
# ```{exercise} A third value (★★, 20 minutes)
# :label: threshold-ex-three
# Give a cell the score 1 if its value is above 1, the score -1 if it is below 0, and the score 0 in between. Add up the scores. Is this rule closer to the likelihood ratio than two thresholds are?
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-three
# :class: dropdown
# ````


# %%
def three_valued(values, counts, mechanism):
    return (values >= 1).astype(float) - (values <= 0)


of_three = score_distributions.convolved_distribution(laplace, alone, three_valued)
print(f"two {exact_accuracy['two']:.4f}", end=", ")
print(f"three {of_three.accuracy():.4f}", end=", ")
print(f"ratio {exact_accuracy['ratio']:.4f}")

# %% [markdown]
# *Learned:* no, it is slightly less accurate than the two-threshold rule. Values between 0 and 1 carry evidence, too. The two-threshold rule at least uses whether such a value is above or below 1/2. The new rule gives all these values the score 0 and so discards even this evidence.
#
# ````{solution-end}
# ````
#
# ```{exercise} A control that costs more than it gains (★, 15 minutes)
# :label: threshold-ex-reference
# The paper states that the reference attack is equivalent to one threshold if the reference user shares no cell with the target. In the [membership game for a single target](threshold-data) no cell is shared, and yet the reference attack is far worse than one threshold. What does its second term contain? Subtract each part of this term separately from the score of the one-threshold attack. Which part lowers the AUC more?
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-reference
# :class: dropdown
# ````
#
# No cell is shared, so the second term is the sum of the released values in the reference user's cells. It carries no information about the target. It has two parts: the counts of the other users in these cells, and the noise of these cells.

# %%
auc_without = {
    name: metrics.auc(labels, one_sum - subtracted)
    for name, subtracted in {
        "nothing": np.zeros(n_test),
        "their counts": counts[:, n_positive:].sum(axis=1),
        "their noise": noise[:, n_positive:].sum(axis=1),
        "both": values[:, n_positive:].sum(axis=1),
    }.items()
}
for name, auc in auc_without.items():
    print(f"{name} subtracted: AUC {auc:.3f}")
loss = auc_without["nothing"] - auc_without["both"]
noise_first = auc_without["nothing"] - auc_without["their noise"]
noise_last = auc_without["their counts"] - auc_without["both"]
print(
    f"share of the noise: {noise_first / loss:.0%} as first, {noise_last / loss:.0%} as last"
)

# %% [markdown]
# The noise of the reference user's cells causes between 86% and 90% of the loss, depending on whether we subtract it last or first. So the two attacks are not equivalent for noisy releases, and the loss should grow with the number of the reference user's cells, whose noise is added. The reference user here has many more cells than most users of the surrogate, so this example is an extreme case. Is the loss as large for other targets? The stored results contain ten targets for each scenario. We compare the two attacks on the same targets:

# %% tags=["hide-input"]
pair = [("reference", "one-threshold")]
plots.show_table(figures.paired_table(five_attacks, pair, "AUC"), "reference-paired")

# %% [markdown]
# *Learned:* a control adds its own variance to the score. It helps only if it removes more variance than it adds, and here it adds the noise of all the reference user's cells.
#
# The reference attack is significantly worse than one threshold on the surrogate and on the flights. On the surrogate, the mean loss is far smaller than for the single target. For the informed attacker the two-sided interval just reaches 0, so the difference is inconclusive here. The [replication](replication/threshold.ipynb) uses a one-sided test, in the direction that the paper states, and finds the same difference significant. The loss is largest on the flights, where there may be a second reason for it. If the reference user shares cells with the target, the control removes part of the signal, as the paper notes. We did not measure how much of the loss is due to each of the two reasons.
#
# ````{solution-end}
# ````
#
# ```{exercise} Whose fault is the loss? (★, 20 minutes)
# :label: threshold-ex-gap
# Answer these questions on paper, with the help of the tables of the chapter.
#
# 1. [Two causes](threshold-correlation) lower the accuracy of the independent ratio on the flights from 0.93 to 0.70: the correlation of the cells, and the wrong half. How much of the loss is due to each cause? Start from 0.93, and introduce first one cause and then the other. Do this in both orders. For each cause, take the mean of its two losses.
# 2. How much of the 0.13 that correlation costs if it is introduced first could an attacker have avoided? Use the accuracy of the joint ratio with the released half. Why not more?
# 3. In the table of the three thresholds, the network has an accuracy of 0.76 and the independent ratio 0.70. How much of this difference is due to the ranking, and how much to the threshold?
# 4. What share of the gap between the bound and the network lies between the best attack and the network? Compute the three shares from the table below, which adds up the [steps](threshold-gap). For which attacker can we be certain that a better learner cannot recover more than this share?
# ```

# %% tags=["hide-input"]
from_bound = gap.groupby(level="data", sort=False)["mean"].sum()
sums = pd.DataFrame(
    {
        "bound": [limits[name]["DP bound"] for name in from_bound.index],
        "whole gap": from_bound,
        "best attack → network": best_minus_network["mean"].reindex(from_bound.index),
    },
    index=from_bound.index,
)
sums.index = figures.name_attackers(sums.reset_index())["data"].rename("attacker")
plots.show_table(sums.map("{:.4f}".format), "gap-sums")

# %% [markdown]
# ````{solution-start} threshold-ex-gap
# :class: dropdown
# ````

# %%
named_crowds = figures.name_halves(crowds)  # the table of both halves
mean_of = named_crowds.groupby(["measure", "half"])["value"].mean()
permuted_cells = mean_of["accuracy, independent ratio, cells permuted"]
as_they_are = mean_of["accuracy, independent ratio, as released"]
no_cause = permuted_cells["released half"]
only_correlation = as_they_are["released half"]
only_wrong_half = permuted_cells["auxiliary half"]
both_causes = as_they_are["auxiliary half"]
for name, first_step, last_step in (
    ("correlation", no_cause - only_correlation, only_wrong_half - both_causes),
    ("wrong half", no_cause - only_wrong_half, only_correlation - both_causes),
):
    print(
        f"{name}: {first_step:.2f} as first, {last_step:.2f} as last, "
        f"mean {(first_step + last_step) / 2:.3f}"
    )
joint = mean_of["accuracy, joint ratio, as released", "released half"]
print(f"independent cells → joint ratio: {no_cause - joint:.3f}", end=", ")
print(f"joint → independent ratio: {joint - only_correlation:.3f}")

divide_gain("network", "independent ratio")

# %% [markdown]
# 1. Correlation costs 0.13 if it is introduced first and 0.04 if it is introduced last. The wrong half costs 0.19 and 0.10. The code prints the means over both orders from the unrounded values: 0.087 for correlation and 0.141 for the wrong half.
# 2. About half of it, and perhaps more. The joint ratio has an accuracy of 0.86, so an attacker who takes the correlation into account avoids the part from 0.86 to 0.80. A better attack might avoid more, but probably not everything: if the counts of cells rise and fall together, a second cell partly repeats what the first one has said. So the 0.13 is the cost of *correlation*, and not the cost of *ignoring* it.
# 3. Nearly all of the difference, about 0.05, is due to the threshold. The part due to the ranking is about 0.01, and its interval contains 0, so it is inconclusive.
# 4. The shares are 86% for the informed attacker, 64% on the surrogate and 29% on the flights, as [printed above](threshold-gap). Only for the informed attacker do we know that the best attack in the table is the best possible one on these $n$ cells. For the auxiliary attacker we have not proved this of the joint ratio, so a better learner might recover more.
#
# *Learned:* how much accuracy an error costs depends on which other errors are already present. So "the share of one cause" has a meaning only if we specify an order of the causes, or a rule such as the mean over all orders. This mean is called the **Shapley value**. The second question shows that one must also say what the attack is compared with: with the same attack on easier releases, or with a better attack on the same releases. The fourth shows what such a comparison can prove: on the flights, at least 29% of the gap is due to the network, and the rest is undecided.
#
# ````{solution-end}
# ````
#
# ```{exercise} What does independence cost? (★, 10 minutes)
# :label: threshold-ex-independence
# The step *joint → independent ratio* is the loss due to treating cells as independent. Suppose that the attacker uses the released half instead of the auxiliary half, so that the error from the wrong half disappears. Predict whether the loss due to independence stays the same, grows or shrinks. Then compute both losses for the 12 flights from the [table of both halves](threshold-correlation), and explain the difference with the accuracy at the best threshold.
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-independence
# :class: dropdown
# ````

# %%
for half in ("auxiliary half", "released half"):
    loss_of_half = (
        mean_of["accuracy, joint ratio, as released", half] - as_they_are[half]
    )
    print(f"{half}: joint minus independent ratio {loss_of_half:.2f}")

# %% [markdown]
# The loss shrinks from 0.12 with the auxiliary half (from 0.82 to 0.70) to 0.06 with the released half (from 0.86 to 0.80). With the released half, the threshold of the independent ratio is as good as the best one (0.80 for both), so its loss is one of ranking. With the auxiliary half its threshold is wrong as well.
#
# *Learned:* a loss that is named after one cause can contain another. The wrong half costs the joint ratio only 0.04, but the independent ratio 0.10, so part of the error from the wrong half appears as a loss due to independence.
#
# ````{solution-end}
# ````
#
# ```{exercise} A threshold from the wrong half (★★, on paper, 15 minutes)
# :label: threshold-ex-half
# All 50 cells of a target have a mean count of 1.5 in the auxiliary half and of 1.3 in the released half. Treat the score of the one-threshold attack as normal, with a standard deviation of 38 for members and for non-members (about the square root of the variance of the sum that is [printed above](threshold-correlation)). The attacker takes the threshold from the auxiliary half. By how much is it off, and what accuracy results? Compare with the right threshold, and repeat the calculation for mean counts of 1.0 and of 0.5 in the released half. Between which two of these differences of the mean counts does the accuracy fall to 0.66, the mean of the one-threshold attack in the [table of the three thresholds](threshold-own-threshold)? First predict whether a difference in the other direction costs the same. All values of $\Phi$ that you need are printed below; use $\Phi(-z) = 1 - \Phi(z)$. *Check yourself:* the accuracy falls to 0.66 at a difference of about 0.75.
# ```

# %% tags=["hide-input"]
for distance in (0, 15, 25, 35, 50, 75):
    print(f"Φ({distance}/38) = {stats.norm.cdf(distance / 38):.3f}")

# %% [markdown]
# ````{solution-start} threshold-ex-half
# :class: dropdown
# ````
#
# The means of members and non-members are 50 apart, so the right threshold lies 25 above the mean of the non-members. With a threshold that is off by $t$, non-members are recognised with probability $\Phi((25 + t)/38)$ and members with probability $\Phi((25 - t)/38)$. The accuracy is the mean of the two.

# %%
from scipy.optimize import brentq


def accuracy_if_off(by):
    return (stats.norm.cdf((25 + by) / 38) + stats.norm.cdf((25 - by) / 38)) / 2


for difference in (0.0, 0.2, 0.5, 1.0):
    by = 50 * difference
    print(
        f"counts differ by {difference}: threshold off by {by:.0f}, "
        f"{by / 38:.2f} standard deviations, accuracy {accuracy_if_off(by):.3f}"
    )
needed_shift = brentq(lambda by: accuracy_if_off(by) - 0.66, 0, 100)
print(f"accuracy 0.66 if the counts differ by {needed_shift / 50:.2f}")

# %% [markdown]
# A difference of 0.2 in the mean count costs less than one percentage point; a difference of 0.5 costs about four. The formula does not change if $t$ is replaced by $-t$, so in this model the direction does not matter: the two classes only exchange roles. The accuracy falls to 0.66 between the differences 0.5 and 1.0; the code finds the value more precisely, about 0.75. This is close to the mean size of the difference between the halves that is [printed above](threshold-correlation), 0.70, although a mean of losses need not equal the loss at the mean difference.
#
# *Learned:* a threshold that is slightly wrong costs very little, because it raises one of the two error rates by almost as much as it lowers the other. The loss grows with the square of the shift at first, so we expect that a few targets whose halves differ a lot cause most of the mean loss. This can be checked for the independent ratio: about two thirds of its total loss in {numref}`fig-th-halves` comes from 4 of the 12 targets. The model is not exact. In {numref}`fig-th-halves`, a released half with lower counts than the attacker expects seems to cost the independent ratio more than one whose counts are higher by the same amount, although four squares do not prove it. A possible reason is that the scores spread less on one side than on the other, whereas this model uses the same standard deviation for both.
#
# ````{solution-end}
# ````
#
# ```{exercise} Two cells, one companion (★★, by hand, 20 minutes)
# :label: threshold-ex-joint
# The target visited two cells. Exactly one other user is counted. With probability 1/10 it is Ben, who visits both cells; otherwise it is Cleo, who visits neither. Take $\varepsilon = 1$. The release is $x = (1, 1)$. Compute the log-likelihood ratio once as if the cells were independent, and once for both cells jointly. Now suppose that there are ten such cells, all released as 1. What is the joint likelihood ratio, and what limit does it approach as the number of cells grows? Can the joint likelihood ratio of other releases exceed this limit?
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-joint
# :class: dropdown
# ````
#
# Write $f(x) = e^{-|x|}$; the constant factor of the Laplace density cancels in the quotient. *As if independent:* without the target, a cell has the likelihood $\tfrac{9}{10} f(1) + \tfrac{1}{10} f(0)$. With the target, it has the likelihood $\tfrac{9}{10} f(0) + \tfrac{1}{10} f(-1)$. The log-likelihood ratio of two cells is twice the logarithm of the quotient. *Jointly:* without the target, both cells together have the likelihood $\tfrac{9}{10} f(1)^2 + \tfrac{1}{10} f(0)^2$. With the target, they have the likelihood $\tfrac{9}{10} f(0)^2 + \tfrac{1}{10} f(-1)^2$.


# %%
def f(x):
    return np.exp(-np.abs(x))


def log_joint_ratio(x, cells):  # every one of the cells is released as x
    without = 0.9 * f(x) ** cells + 0.1 * f(x - 1) ** cells
    with_target = 0.9 * f(x - 1) ** cells + 0.1 * f(x - 2) ** cells
    return np.log(with_target / without)


for cells in (2, 10):
    apart = cells * log_joint_ratio(1, 1)  # one cell at a time
    together = log_joint_ratio(1, cells)
    print(f"{cells} cells, log ratio: independent {apart:.2f}, joint {together:.2f}")
print(f"log 9 = {np.log(9):.2f}")
print(f"10 cells, all released as 2, log ratio: joint {log_joint_ratio(2, 10):.2f}")

# %% [markdown]
# *Learned:* an attacker who treats the cells as independent counts the same evidence several times. In fact, ones in all cells have only two good explanations: the target or Ben. Ben is counted with probability 1/10, and if he is counted, he adds 1 to every cell. So if all cells are released as 1, the joint likelihood ratio approaches 9 as the number of cells grows, and it never exceeds 9. For other releases it can exceed 9. If all ten cells are released as 2, adding the target raises the likelihood by a factor of $e$ in every cell, with or without Ben. So the joint likelihood ratio is exactly $e^{10}$, the largest ratio that is possible for ten cells with $\varepsilon = 1$.
#
# ````{solution-end}
# ````
#
# ```{exercise} A rule that beats a likelihood ratio (★, on paper, 15 minutes)
# :label: threshold-ex-answer
# Ada visits three cells that Ben also visits, and one cell that nobody else visits. Nobody else visits the three shared cells. Ada is in the group with probability 1/2, and Ben, independently of her, with probability 0.4. The three shared counts are released exactly. The count of the fourth cell is released as a randomized answer, *in* or *out*, that is true with probability 3/4.
#
# 1. The three shared cells are released as 1, and the answer is *out*. What does the joint ratio decide, and what does the independent ratio decide?
# 2. How accurate is each of the two over all releases?
# 3. Which very simple rule, without any ratio, is more accurate than the independent ratio?
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-answer
# :class: dropdown
# ````
#
# *The shared cells.* If they are 1, either Ada is in the group and Ben is not (0.6), or Ben is and Ada is not (0.4). So their likelihood ratio is $0.6/0.4 = 1.5$. The independent ratio takes this factor once for each cell. *The answer.* The answer *out* has the likelihood ratio $\tfrac14 / \tfrac34 = \tfrac13$, and the answer *in* has 3.

# %%
of_shared, of_answer = 0.6 / 0.4, {"in": 3, "out": 1 / 3}
for answer, factor in of_answer.items():
    print(
        f"shared cells 1, answer {answer}: joint ratio {of_shared * factor:.3f}, "
        f"independent ratio {of_shared**3 * factor:.3f}"
    )
clear = (0.6 + 0.4) / 2  # shared cells 0 (neither is counted) or 2 (both are)
print(f"independent ratio, always in at 1: accuracy {clear + (1 - clear) * 0.6:.3f}")
print(f"joint ratio, as the answer at 1: accuracy {clear + (1 - clear) * 3 / 4:.3f}")

# %% [markdown]
# 1. The joint ratio is 0.5, so it decides *out*. The independent ratio is 1.125, so it decides *in*.
# 2. If the shared cells are 0, Ada is not in the group, and if they are 2, she is. This is half of all releases, and both attacks are right. In the other half the shared cells are 1. There the independent ratio always decides *in* and is right with probability 0.6. The joint ratio follows the answer and is right with probability 0.75. So the accuracies are 0.8 and 0.875.
# 3. The rule "say *in* if the shared cells are 2, *out* if they are 0, and otherwise follow the answer" is as accurate as the joint ratio, and needs no ratio at all. Always following the answer would be right with a probability of only 0.75.
#
# *Learned:* a rule that could be learned from examples can beat a likelihood ratio if the ratio belongs to the wrong model. The lemma of Neyman and Pearson still holds, because it is about the joint ratio, which no rule beats.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write the Gaussian joint ratio (★★, 30 minutes)
# :label: threshold-ex-gaussian
# Suppose that the released values of the target's cells, without the target, are jointly normal with mean $\mu$ and covariance matrix $\Sigma$. A member adds 1 to every cell. Show that the log-likelihood ratio is $w^\top (x - \mu - \tfrac12 \mathbf 1)$ with $w = \Sigma^{-1} \mathbf 1$. Write this attack and run it on one target from the flights dataset. The function `experiments.one_game(flights, 2000)` returns three things: shadow aggregates for training, test aggregates `values` with their labels, and the `visits` of the auxiliary users. Draw 2,000 groups of these users with `shadows.sample_counts`, and use their counts to estimate $\mu$ and $\Sigma$. Then add the variance of the noise to the diagonal of $\Sigma$. What does the attack take into account, and what does it ignore?
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-gaussian
# :class: dropdown
# ````
#
# The exponent of the density is $-\tfrac12 (x - \mu - \mathbf 1)^\top \Sigma^{-1} (x - \mu - \mathbf 1)$ for a member, and the same expression without $\mathbf 1$ for a non-member. In the difference of the two exponents, the terms that are quadratic in $x$ cancel. This leaves $\mathbf 1^\top \Sigma^{-1} (x - \mu) - \tfrac12 \mathbf 1^\top \Sigma^{-1} \mathbf 1$.

# %%
# `train`, `as_released`, `is_member` and `auxiliary_visits` are those of one_game above.
drawn = shadows.sample_counts(
    auxiliary_visits, 2000, flights.group_size, stream(seed, "others")
)
noise_covariance = np.eye(drawn.shape[1]) * 2 / epsilon**2  # variance of Laplace noise
w = np.linalg.solve(np.cov(drawn.T) + noise_covariance, np.ones(drawn.shape[1]))
scores_by_model = {
    "independent": IndependentRatio(laplace, drawn)
    .fit(*train)
    .decision_function(as_released),
    "joint": JointRatio(laplace, auxiliary_visits, flights.group_size)
    .fit(*train)
    .decision_function(as_released),
    "Gaussian": (as_released - drawn.mean(axis=0) - 0.5) @ w,
}
for name, log_ratios in scores_by_model.items():
    correct = ((log_ratios >= 0) == is_member).astype(float)
    of_all = summaries.in_brackets(correct.mean(), *metrics.mean_interval(correct))
    low, high = metrics.auc_interval(is_member, log_ratios)
    auc = summaries.in_brackets(metrics.auc(is_member, log_ratios), low, high)
    print(f"{name:11} accuracy {of_all}, AUC {auc}")

# %% [markdown]
# *Learned:* the Gaussian version takes account of the covariance, but not of the limit that Laplace noise sets on the evidence of a cell. The joint ratio takes account of both. For this one target, the Gaussian version is no better than the independent ratio. Even the joint ratio has only the same AUC as the independent ratio, 0.90. Over ten targets, the mean AUC of the joint ratio is significantly higher ([above](threshold-companions)).
#
# The intervals are over the test aggregates. The independent ratio has an accuracy of 0.80 here, but 0.792 [above](threshold-correlation) for the same target and the same test aggregates. The two values differ because the attacker's 2,000 groups are drawn separately each time.
#
# ````{solution-end}
# ````
#
# ```{exercise} A learner of your own (★★, 30 minutes)
# :label: threshold-ex-own
# For the informed attacker all cells are alike, and yet the network has to learn separately how to score each of them. Build a learner that treats all cells in the same way. Choose a few points on the axis of values, the *knots*. For each pair of neighbouring knots, clip the value of every cell to the interval between them, and take the mean over the cells. Use these means as the inputs of a logistic regression. How close to the accuracy of the likelihood ratio does the learner come with 2,000 shadow aggregates? Does it matter whether two of the knots lie at 0 and at 1?
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-own
# :class: dropdown
# ````

# %%
learned_from, learned_labels = experiments.informed_aggregates(
    2000, n_cells, epsilon, seed, "shadow"
)
fresh_values, fresh_labels = experiments.informed_aggregates(
    20_000, n_cells, epsilon, seed, "fresh"
)


def described(aggregates, knots):
    parts = [np.clip(aggregates, a, b).mean(axis=1) for a, b in pairwise(knots)]
    return np.stack(parts, axis=1)


for words, knots in {
    "knots at 0 and 1": np.array([-8, -4, -2, -1, 0, 1, 2, 3, 5, 9]),
    "no knot at 0 or 1": np.array([-7.5, -3.5, -1.5, -0.5, 0.5, 1.5, 2.5, 4.5, 8.5]),
    "far apart": np.array([-8, -5, -2, 2, 5, 8]),
}.items():
    model = LogisticRegression(C=1e4, max_iter=10_000)
    model.fit(described(learned_from, knots), learned_labels)
    reached = model.score(described(fresh_values, knots), fresh_labels)
    error = np.sqrt(reached * (1 - reached) / len(fresh_labels))
    print(f"{words}: accuracy {reached:.3f}, standard error {error:.3f}")
print(f"likelihood ratio: {exact_accuracy['ratio']:.3f}")

# %% [markdown]
# *Learned:* a symmetry that is built into a learner need not be learned from examples. The first choice of knots gives the learner a hint about the mechanism: the value clipped to $[0, 1]$ is the log-likelihood ratio of a cell, up to scale and offset. With knots one unit apart near 0 and 1, none of them at 0 or 1, the accuracy is hardly lower (0.963). So the result does not depend on knots exactly at 0 and 1, but the learner still needs narrow intervals there, that is, a hint about the place and the scale of the bends. With knots that are far apart, the accuracy falls to 0.955, below the 0.958 of the two-threshold rule. This approach works only for the informed attacker. For the auxiliary attacker the cells are not alike, because some have many visitors and others have few.
#
# ````{solution-end}
# ````
#
# ```{exercise} Whose half? (★★★, an evening)
# :label: threshold-ex-project
# The joint ratio draws groups from the auxiliary half, but the release was made from the other half, and the two halves differ by chance. An attacker can allow for this difference: first draw a new half from the auxiliary users, with replacement, and then draw the group from this new half. Does this improve the accuracy and the AUC on the flights? *A good answer* runs both versions on the same test aggregates of ten targets, and reports the paired difference with its interval. No solution is given.
# ```

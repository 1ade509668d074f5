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
# # How close to the promise does an attack get?
#
# Differential privacy promises that no attack does better than a certain accuracy. The attacks of the last chapters,
# which learn from examples, stay clearly below. Is the promise too careful, or are the attacks too weak? The threshold
# paper {cite:p}`threshold2024` asks that question, and answers it with two attacks that learn almost nothing. We add the
# one attack that cannot be beaten, and with it the gap can be cut into its parts.
#
# After this chapter you can
#
# - compute the accuracy that (ε, δ) leaves to *any* attack after $n$ observations, and plot the trade-off of errors;
# - attack a noisy release by one threshold, by two, and by the likelihood ratio, and say when each is the best rule;
# - compute the accuracy of these attacks exactly, without a single simulation;
# - read from a network's weights, by a number, which rule it has learned, and say what made it learn that one.

# %% tags=["parameters", "remove-cell"]
datasets = ["tweeters-threshold", "flights-by-number"]
path = ""
epsilon = 0.5
most_visits = 1
group_size = 1999
group_sizes = {}
n_positive = [5, 20, 60, 100, 140]
n_middle = 60
classifier_positive = [20, 60]
n_shadows = 2000
n_test = 10000
runs = 4
classifier_runs = 4
learning_sizes = [500, 2000, 8000]
max_epochs = 100
processes = 1
seed = 2024

# %% [markdown]
# ## The question, and who knows what
#
# Every cell of a release (one place in one hour) is a count plus fresh noise, so a person who visited $n$ cells is
# observed $n$ times. The attacker knows the target's trace $z$ and looks only at these *positive* cells: the noise and
# the others in the other cells do not depend on the target. A member adds 1 to each of them. What else she knows decides
# how much is in the way:
#
# | | she knows the traces of | so a positive cell is, for her |
# |---|---|---|
# | **informed** attacker, $\theta = 1$ | all others in the group | the noise, plus 1 for a member |
# | **auxiliary** attacker, $\theta = 0$ | nobody in the group, but other people of the same kind | an unknown count of others, the noise, plus 1 for a member |
#
# Any share $\theta$ in between works alike: she subtracts what she knows, and $(1 - \theta)\,m$ others remain. The informed
# attacker is the one that differential privacy has in mind. The budget ε is *per observation*: one visit (see
# [](notation.md)); a whole trace of $n$ visits spends much more, and how much more is the first thing to compute.
#
# ### With six users
#
# The target is Ada. Cleo, Dan and Eve are in the group, Ada too, and the counts get Laplace noise of scale
# $1/\varepsilon$. The informed attacker subtracts the three she knows and keeps Ada's cells.

# %%
import numpy as np
import pandas as pd
from lib.aggregation import aggregate
from lib.datasets import load, overview
from lib.mechanisms import Gaussian, Laplace
from lib.membership import laws
from lib.randomness import numbered

laplace = Laplace(epsilon)
six = load("six-users")
hers = np.flatnonzero(six.trace("Ada").ravel())
counts = aggregate(six, [[0, 2, 3, 4], [2, 3, 4]]).reshape(2, -1)[:, hers]
released = laplace.apply(counts[0], numbered(seed, 0), 4)
left = released - counts[1]

# %%
from lib import plots

plots.use_style()
example = pd.DataFrame(
    {
        "count": counts[0],
        "released": released,
        "left": left,
        "left ≥ 1/2": (left >= 0.5).astype(int),
        "log ratio": laws.log_ratio(left, laws.NOBODY, laplace),
    },
    index=[f"{six.rois.index[c // 8]}, hour {c % 8}" for c in hers],
).rename_axis("Ada's cell")
example.loc["sum"] = example.sum()
plots.show_table(example, "six-users")

# %% [markdown]
# Three ways to add up eight cells. The sum of what is *left* is the score of the **one-threshold** attack: about 8 for a
# member, about 0 for others, midway is 4. The number of cells that are *at least 1/2* is the score of the **two-threshold**
# attack (a threshold for each cell, one for their number). The last column is what either approximates: how much likelier
# the cell is with Ada than without. One cell far out cannot say more than ε, however far it is. In this draw the sum is
# misled by one cell with large negative noise and stays below 4; the other two scores are not (with eight cells that is luck,
# and below it is counted).

# %% [markdown]
# (threshold-composition)=
# ## What the promise allows
#
# ````{prf:theorem} Optimal composition (Theorem 1 of the paper)
# :label: thm-composition
# $k$ releases, each $(\varepsilon, \delta)$-DP, are together $\big((k - 2i)\varepsilon,\ 1 - (1 - \delta)^k (1 - \delta_i)\big)$-DP for
# all $i = 0, \dots, \lfloor k/2 \rfloor$, with
# $\delta_i = (1 + e^\varepsilon)^{-k} \sum_{l < i} \binom{k}{l} \big(e^{(k - l)\varepsilon} - e^{(k - 2i + l)\varepsilon}\big)$.
# No smaller pairs hold for all such mechanisms {cite:p}`kairouz2015`.
# ````
#
# A pair $(\varepsilon', \delta')$ keeps the errors of every attack above the line $\alpha + e^{\varepsilon'} \beta = 1 - \delta'$ (α false
# positives, β false negatives), and its mirror image. All pairs hold at once, so the attack stays above the highest line, and
# the most accurate one that is left, $\max\,(1 - \alpha/2 - \beta/2)$, has an accuracy of
# $\min_i\, 1 - (1 - \delta'_i) / (1 + e^{(k - 2i)\varepsilon})$.

# %%
from lib import accounting

pairs = accounting.optimal_composition(epsilon, 0.0, n_middle)
shown = slice(None, None, max(1, n_middle // 12))
table = pd.DataFrame(pairs._asdict()).iloc[shown]
plots.show_table(table.rename_axis("i"), "composition")
bound = accounting.expected_accuracy(epsilon, n_middle)
print(f"accuracy that {n_middle} observations allow: {bound:.4f}")

# %% [markdown]
# The largest ε in that table is the budget by simple addition; what an attacker can use of it is in the lower rows, where the
# failure probability δ has become large.
#
# ## Two attacks by threshold
#
# ````{prf:algorithm} Metric attacks (Algorithms 1 to 5 of the paper)
# :label: alg-metric
# 1. Make shadow aggregates: sum $(1 - \theta)\,m$ random auxiliary traces, add $z$ to half of the sums, add noise to all.
# 2. Subtract what is known from the release, keep the positive cells.
# 3. Score. *One threshold*: $S_1 = \sum_c x_c$. *Two thresholds*: $S_2 = \#\{c : x_c \ge T_c\}$, where $T_c$ is midway
#    between the members' and the non-members' mean in the shadow aggregates.
# 4. Member, if the score reaches $T$, midway between the two mean scores of the shadow aggregates.
# ````
#
# Both thresholds can also be set for a fixed false positive rate (Algorithms 6 and 7). In code an attack is a scikit-learn
# estimator: `fit(aggregates, members)`, then `decision_function`. And what is left for an informed attacker is
# nothing but noise, so that the laws of both scores are known:
#
# ````{prf:theorem} Laws of the scores (Theorems 2 and 3)
# :label: thm-laws
# $S_1$ is asymptotically normal with means that differ by $n$, and the variance $\sum_c (\sigma_c^2 + \sigma_X^2)$ of the clean
# counts and the noise (the paper prints a sum of standard deviations; variances add).
# $S_2$ is binomial, $B(n, \alpha')$ for non-members and $B(n, 1 - \beta')$ for members; Poisson binomial if cells differ.
# ````
#
# For Laplace noise of scale $1/\varepsilon$ and thresholds at 1/2, $\alpha' = \beta' = \tfrac12 e^{-\varepsilon/2}$.

# %%
delta = 1 / (2 * group_size)
gaussian = Gaussian(epsilon, delta, calibration="classical")
alpha_prime, beta_prime = laws.error_rates(laplace, [laws.NOBODY])
print(f"alpha' = {alpha_prime[0]:.4f}, beta' = {beta_prime[0]:.4f}")
print(f"standard deviation of the Gaussian noise: {gaussian.scale:.3f}")

# %% [markdown]
# ## The attack that cannot be beaten
#
# ````{prf:theorem} Neyman and Pearson
# :label: thm-neyman-pearson
# Among all attacks with the same false positive rate, none has a higher true positive rate than a threshold on the likelihood
# ratio of everything that is seen.
# ````
#
# The paper quotes this lemma and calls both of its attacks likelihood ratio tests; of the sum of the cells, that is true for
# Gaussian noise only. For independent cells the log-likelihood ratios add up, and each can be written down:
#
# - Gaussian noise, informed: $(x - \tfrac12)/\sigma^2$, a line. Its sum is $S_1$ up to scale.
# - Laplace noise, informed: $\varepsilon\,(|x| - |x - 1|)$, a line that is cut off at $-\varepsilon$ and $\varepsilon$. For small ε the noise is wide
#   against the step of 1, most cells lie where it is cut off, and it is almost the step function that $S_2$ counts.
# - Auxiliary: the law of the others' count, convolved with the noise, at $x - 1$ and at $x$.

# %%
from scipy import stats

x = np.linspace(-6, 8, 281)
grid = np.arange(201)
ratios = {"informed": laws.log_ratio(x, laws.NOBODY, laplace)}
for p in (0.0001, 0.01):  # share of 2,000 people with a one in the cell
    law = stats.binom.pmf(grid, 2000, p)
    shift = 2000 * p  # drawn around the mean of the others
    ratios[f"auxiliary, {100 * p:g}%"] = laws.log_ratio(x + shift, law, laplace)
ratios["Gaussian, informed"] = laws.log_ratio(x, laws.NOBODY, gaussian)
ratios = pd.DataFrame(ratios, index=pd.Index(x, name="value"))

# %% mystnb={"image": {"alt": "Log-likelihood ratio of one cell against its value less the mean of the others: for Laplace noise a line cut off at plus and minus epsilon, smoother the more others there are; for Gaussian noise a straight line of small slope."}} tags=["hide-input"]
from lib.plots import thresholds as figures

figures.cell_ratios(ratios)
plots.show_table(ratios.iloc[80:201:20], "cell-ratios")

# %% [markdown]
# In code the attack is `LikelihoodRatio(mechanism, others)`, where `others` are raw counts sampled from auxiliary traces (`None` for
# the informed attacker). It learns nothing, so it needs no shadow aggregates. And since the law of a sum is a convolution, so are
# accuracy, AUC and ROC of all three attacks: `laws.convolved_law` multiplies Fourier transforms of the cells' laws.

# %% [markdown]
# (threshold-anchors)=
# ## The informed attacker, exactly
#
# Best thresholds, no simulation: the closed form for the sum of Laplace variables, the binomial law, and the convolution.


# %%
from lib.studies import thresholds as studies

numbers = sorted({1, 2, 3, *n_positive, n_middle})
exact = studies.exact(["analytic"], cells=numbers, epsilon=epsilon, delta=delta)
columns = ["one", "one, normal", "two", "two, normal", "ratio", "DP bound"]
for noise, rows in exact.groupby("noise", sort=False):
    plots.show_table(rows.set_index("cells")[columns], f"exact-{noise.lower()}")

# %% mystnb={"image": {"alt": "Two panels, Laplace and Gaussian noise: exact accuracy of the informed attacker against the number of positive cells, lines for the DP bound, the likelihood ratio, two thresholds and one threshold. Under Laplace the order is bound, ratio, two, one; under Gaussian the ratio equals one threshold and two thresholds are lower."}} tags=["hide-input"]
figures.exact_accuracies(exact)

# %% [markdown]
# These are the paper's Fig. 6 with two curves added. Under Laplace noise two thresholds beat one from a handful of cells on; with
# one cell they are the same rule, with two cells one threshold is ahead. Under Gaussian noise one threshold *is* the
# likelihood ratio. The normal approximations are close from some twenty cells.

# %% [markdown]
# (threshold-gap)=
# ### The gap, in parts
#
# The paper shows a gap between the DP bound and what its networks reach, and attributes it to learning. Exact numbers say how much of
# it there is before anything is learned.

# %%
from lib.studies.thresholds import chosen

laplace_rows = chosen(exact, noise="Laplace").set_index("cells")
gap = pd.DataFrame(
    {
        "the noise's: bound - ratio": laplace_rows["DP bound"] - laplace_rows["ratio"],
        "the rule's: ratio - two": laplace_rows["ratio"] - laplace_rows["two"],
        "two - one": laplace_rows["two"] - laplace_rows["one"],
    }
)
plots.show_table(gap.loc[n_positive], "gap")

# %% [markdown]
# The first column no attack can close: randomized response meets the bound, Laplace noise leaks less. The second is what a better rule
# than two thresholds still gains. The third is what a network loses that has learned the rule of one threshold instead of two.
#
# ### Trade-off curves
#
# Accuracy weighs both errors alike. A careful attacker wants few false positives, and for her the whole curve counts.

# %%
rates = np.geomspace(1e-3, 1, 61)
cells = [laws.NOBODY] * n_middle
exact_roc = {
    "DP bound": 1 - accounting.trade_off(epsilon, n_middle, rates),
    "likelihood ratio": laws.convolved_law(laplace, cells, laws.log_ratio).tpr(rates),
    "two-threshold": laws.two_threshold_law(laplace, cells).tpr(rates),
    "one-threshold": laws.convolved_law(laplace, cells, laws.plain).tpr(rates),
}
exact_roc = pd.DataFrame(exact_roc, index=pd.Index(rates, name="false positive rate"))
plots.show_table(exact_roc.iloc[::10], "exact-roc")

# %% mystnb={"image": {"alt": "ROC curves on two logarithmic axes from a false positive rate of one in a thousand, informed attacker, Laplace noise: DP bound above likelihood ratio above two-threshold above one-threshold."}} tags=["hide-input"]
figures.exact_roc(exact_roc, n_middle)

# %% [markdown]
# (threshold-example)=
# ## The paper's example, informed and auxiliary
#
# 2,000 of 10,000 traces, 1% of which have a one in the cell, Laplace noise, and 60 such cells (its Figs. 7 to 10). For the
# auxiliary attacker a cell is the others' count and noise; here are both laws of one cell, and below those of the scores,
# sampled 5,000 times each (dots) and by formula (lines).

# %%
cell_grid = np.linspace(-8, 40, 481)
densities = {}
for attacker, (law, *_) in studies.EXAMPLE.items():
    for member, name in enumerate(("out", "in")):
        logs = laws.log_density(cell_grid - member, law, laplace)
        densities[attacker, name] = np.exp(logs) * epsilon / 2
densities = pd.DataFrame(densities, index=pd.Index(cell_grid, name="value"))

# %% mystnb={"image": {"alt": "Two panels, informed and auxiliary attacker: the density of one cell's value for non-members and for members, one user apart; the auxiliary attacker's is far wider."}} tags=["hide-input"]
figures.cell_densities(densities)
shown = densities.iloc[[60, 80, 85, 90, 100, 260, 280, 290, 300]]
shown.columns = [", ".join(names) for names in shown]
plots.show_table(shown, "cell-densities")

# %%
scores = studies.example(["simulated"], epsilon=epsilon, seed=seed)
columns = ["mean", "± SE", "mean, law", "sd", "sd, law"]
score_moments = scores.set_index(["attacker", "score", "class"])[columns]
plots.show_table(score_moments, "example-scores")

# %% mystnb={"image": {"alt": "Four panels: histograms of the one-threshold and two-threshold scores of members and non-members for the informed and the auxiliary attacker, with lines for their normal and binomial laws. The auxiliary attacker's overlap more."}} tags=["hide-input"]
figures.score_histograms(studies.histograms(["simulated"], epsilon=epsilon, seed=seed))

# %% [markdown]
# The sampled auxiliary members and non-members are a little easier to tell apart than the formulas say: the paper's own example
# draws 2,000 of 10,000 traces without replacement, which the binomial count of its Sec. 3.3 does not.
#
# Where should the threshold be? Midway between the means, as Algorithm 3 has it. Accuracy and errors of the informed one-threshold
# attack, by formula:

# %%
out, into = laws.normal_scores(laplace, studies.EXAMPLE["informed"])
at = np.linspace(-60, 120, 37)
against = pd.DataFrame(
    {
        "accuracy": [laws.accuracy(out, into, t) for t in at],
        "false positive rate": out.sf(at),
        "true positive rate": into.sf(at),
    },
    index=pd.Index(at, name="threshold"),
)
plots.show_table(against.iloc[8:29:4], "accuracy-threshold")
print(f"best of these thresholds: {against['accuracy'].idxmax():g}; midway: 30")

# %% mystnb={"image": {"alt": "Two panels: accuracy of the informed one-threshold attack against its threshold, highest midway between 0 and 60; and its ROC curve with the points of the same thresholds."}} tags=["hide-input"]
figures.accuracy_and_roc(against, midway=30)

# %% [markdown]
# (threshold-map)=
# ## One threshold or two? A map
#
# The paper says: two under Laplace noise, one under Gaussian noise, for both attackers. In its own example above that is not so. Exact
# accuracies of the auxiliary attacker under Laplace noise, 60 cells, 2,000 others, for different shares of people
# with a one in the cell:


# %%
rules = studies.rules(["analytic"], epsilon=epsilon)
sparsity = chosen(rules, varied="share of ones").set_index("value")
shown = sparsity[["mean count", "one", "two", "ratio"]].rename_axis("share of ones")
plots.show_table(shown, "sparsity")

# %% [markdown]
# The fewer others in the cells, the more the noise decides, and the better are two thresholds. With many others the law of a cell is
# nearly normal, whatever the noise was, and then the sum is the better rule. Now over the noise as well: the map shows accuracy of
# two thresholds less that of one, with $n$ chosen at each point so that one threshold would reach about 0.85 by the normal law.

# %%
one_or_two = studies.one_or_two(["analytic"])
chart = one_or_two.pivot(index="epsilon", columns="mean count", values="two - one")
plots.show_table(chart, "map-differences")

# %% mystnb={"image": {"alt": "Map of epsilon against the mean number of others in a cell: accuracy of two thresholds less that of one, positive where cells are sparse against the noise, negative where they are dense."}} tags=["hide-input"]
figures.map_of_rules(chart)

# %% [markdown]
# An attacker need not choose, though: the likelihood ratio is at least as good as the better of the two everywhere.

# %% [markdown]
# (threshold-data)=
# ## On data
#
# `tweeters-threshold` is a **synthetic stand-in** for the paper's tweets of Milan: 15,793 users, 12 x 8 places, 800 hours.
# Nothing else is published of them, and the auxiliary attacks depend on how many others share the target's cells, which is this model's choice
# and not Milan's. (Who has the tweets names `social-pulse` first among the datasets.) Flights are real, and flights. Each user is clipped to $C$ visits an hour first.

# %%
from lib.studies import fitting

sources = fitting.called(datasets)
sizes = dict.fromkeys(sources, group_size)
sizes |= {name: 130 for name in sources if name.startswith("flights")} | group_sizes
play = {"epsilon": epsilon, "delta": delta, "most_visits": most_visits, "path": path,
        "n_positive": n_positive, "n_middle": n_middle, "runs": runs,
        "classifier_positive": classifier_positive, "seed": seed}  # fmt: skip
scenes = fitting.scenes({
    name: studies.scene(name, users=file, group_size=sizes[name], **play)
    for name, file in sources.items()
})  # fmt: skip
datasets = list(scenes)
plots.show_table(overview({name: each.traces for name, each in scenes.items()}), "data")

# %% [markdown]
# As in the paper, a target is removed, and the other users are halved at random: one half is released, the other is auxiliary.
# Networks train on one half of the auxiliary users and stop by the other half. The paper does not say how it varies the number of
# positive cells. Here each run has another target among those with the most visits, and her first $n$ visits in a random
# order are the positive cells. Flight numbers have fewer than 60 visits: there the numbers are those that enough
# of them have.


# %%
print({name: each.cells() for name, each in scenes.items()})

# %% [markdown]
# A further attack is for comparison: the **reference attack** {cite:p}`dwork2015robust` scores how much more a release looks like the
# target's trace than like somebody else's, $\langle z, A \rangle - \langle r, A \rangle$, and has no threshold.
#
# One game: draw shadow and test aggregates of the positive cells (and of the cells of that other
# trace), then let every attack score the same test. Positive cells are nested, so the ratios of cells are computed once.

# %% [markdown]
# The informed attacker's game is noise, whatever the data: it is played once, for the first dataset's targets.

# %%
from dataclasses import replace

noise_only = replace(scenes[datasets[0]], data=studies.INFORMED)
scenes = {studies.INFORMED: noise_only} | scenes
training = {"n_test": n_test, "max_epochs": max_epochs}
games = studies.games(scenes, n_shadows=[n_shadows], classifier_runs=classifier_runs,
                      processes=processes, **training)  # fmt: skip
middles = games["data"].map({name: each.middle for name, each in scenes.items()})
at_middle = games[games["cells"] == middles]
under_laplace, under_gaussian = (chosen(games, noise=each) for each in studies.NOISES)

# %% [markdown]
# (threshold-accuracy)=
# ### Accuracy and AUC under Laplace noise
#
# Means over runs, *within* is the largest half-width of a 95% interval of the row. `noise only` is the informed attacker.

# %%
plots.show_table(figures.by_attack(under_laplace, "accuracy"), "accuracy-laplace")
plots.show_table(figures.by_attack(under_laplace, "AUC"), "auc-laplace")

# %% mystnb={"image": {"alt": "A panel for the informed attacker and one for the auxiliary attacker on each dataset: mean accuracy against the number of positive cells under Laplace noise, lines with intervals for likelihood ratio, two-threshold, one-threshold and networks, and the DP bound."}} tags=["hide-input"]
figures.by_cells(under_laplace, "accuracy", laplace_rows["DP bound"].loc[n_positive])

# %% [markdown]
# (The DP bound does not know the data: it is the same curve in every panel, and the auxiliary attacker is further away from it because
# the others' counts hide the target too.)

# %% mystnb={"image": {"alt": "The same panels for the mean AUC under Laplace noise, the reference attack included, which lies near one-threshold."}} tags=["hide-input"]
figures.by_cells(under_laplace, "AUC")

# %% [markdown]
# How far the order of two rules is beyond chance is told by their differences, run by run on the same test aggregates. Means over runs,
# with their standard errors:


# %%
differences = figures.differences(chosen(at_middle, noise="Laplace"))
plots.show_table(differences, "differences-laplace")

# %% [markdown]
# For the informed attacker and on the sparse stand-in, the likelihood ratio is ahead of two thresholds, and these of one, by many standard
# errors; the network trained on few shadow aggregates is where one threshold is. Flights have wide intervals: how well a line hides
# depends on the few other lines that share its hours.

# %% [markdown]
# (threshold-roc)=
# ### Few false accusations
#
# True positive rates at low false positive rates, means over runs with intervals, at the middle number of cells. For the informed attacker
# the exact curves are above.

# %%
plots.show_table(figures.low_rates_by_attack(under_laplace), "roc-laplace")

# %% mystnb={"image": {"alt": "A panel for each data: mean true positive rate with intervals against false positive rate from one in a thousand, both axes logarithmic, Laplace noise, lines for all attacks."}} tags=["hide-input"]
figures.roc(under_laplace)

# %% [markdown]
# (threshold-gaussian)=
# ### Gaussian noise
#
# The same games with Gaussian noise of the scale the paper's δ asks for. Under this much noise all attacks are weaker, and
# the order of the two rules is turned round.

# %%
plots.show_table(figures.by_attack(under_gaussian, "accuracy"), "accuracy-gaussian")
differences = figures.differences(chosen(at_middle, noise="Gaussian"))
plots.show_table(differences, "differences-gaussian")

# %% mystnb={"image": {"alt": "Panels for each data: mean accuracy against positive cells under Gaussian noise; one-threshold and likelihood ratio coincide for the informed attacker, two-threshold lies below."}} tags=["hide-input"]
figures.by_cells(under_gaussian, "accuracy")

# %%
plots.show_table(figures.by_attack(under_gaussian, "AUC"), "auc-gaussian")
plots.show_table(figures.low_rates_by_attack(under_gaussian), "roc-gaussian")

# %% mystnb={"image": {"alt": "Panels for each data: mean true positive rate against false positive rate on logarithmic axes under Gaussian noise."}} tags=["hide-input"]
figures.roc(under_gaussian)

# %% [markdown]
# (threshold-fig1)=
# ### The paper's first figure
#
# The DP bound, a network of 100 nodes for either attacker, and, what the paper's figure lacks, the best that an informed attacker can do
# against this noise.

# %%
middle = noise_only.middle
here = studies.exact(["analytic"], cells=[middle], epsilon=epsilon, delta=delta)
best = chosen(here, noise="Laplace").iloc[0]
both = chosen(at_middle, noise="Laplace")
both = both[both["data"].isin([studies.INFORMED, datasets[0]])]
fig1 = figures.first_figure(both, best).rename_axis(f"{middle} cells, Laplace")
plots.show_table(fig1, "fig1")

# %% [markdown]
# And the whole gap in its parts, with the accuracies of the games. For the auxiliary attacker the first part is also what
# the others hide.

# %%
parts = figures.gap_parts(both, best["DP bound"])
plots.show_table(parts.rename_axis(f"{n_shadows} shadows"), "gap-parts")

# %% [markdown]
# Most of the informed attacker's gap is a matter of learning, as the paper says. But about a quarter of it, and about half of the
# auxiliary attacker's, is there before anything is learned.

# %% [markdown]
# (threshold-networks)=
# ## What has the network learned?
#
# ````{prf:theorem} Rules as networks (Theorems 4 and 5, as they must be meant)
# :label: thm-networks
# With $\sigma(x) = 1/(1 + e^{-x})$ and large $a$, $b$:
#
# - one hidden node, $\sigma\big(b\,\sigma(a(\sum_i x_i - T)) - b/2\big)$, is the one-threshold rule;
# - $n$ hidden nodes, $\sigma\big(b\,(\sum_j \sigma(a(x_j - T_j)) - T + \tfrac12)\big)$, are the two-threshold rule.
# ````
#
# (The printed Eq. 12 lacks the inner σ and has the wrong sign of $aT$; Eq. 14 defines one weight twice.) So the same network of
# $n$ nodes can hold either rule, and they look different: in the first every node weighs all cells alike, in the second each node reads
# one cell. `concentration` is a number for that: the share of a node's squared weights that its largest one holds,
# averaged over nodes by their importance. It is $1/n$ for the first rule and 1 for the second. `alignment` asks for the
# first: the cosine of a node's weights with $(1, \dots, 1)$. *Opposite biases* is the share of nodes whose bias has not the sign of
# their largest weight (Theorem 5 wants that), *centred bias* the size of the biases against the weights when cells are measured from their means.
#
# How large must $a$ and $b$ be? Loss and accuracy of the one-node network against the step it approximates, on 4,000
# noisy informed aggregates:

# %%
simulated = {"cells": n_middle, "epsilon": epsilon, "seed": seed}
scales = studies.steps(["simulated"], **simulated).query("a < 1000")
loss = scales.pivot(index="a", columns="b", values="loss")
plots.show_table(loss, "fig16-loss")

# %% mystnb={"image": {"alt": "Loss of the one-node network against the scale a, one line for each scale b, both axes logarithmic: it falls with both."}} tags=["hide-input"]
figures.loss_of_scales(loss)
print(f"least accuracy against the step: {scales['accuracy'].min():.4f}")

# %% [markdown]
# The decision is the step's for every scale: only the loss cares about them. That is worth remembering when a loss is read as a sign
# of how good an attack is.

# %% [markdown]
# (threshold-weights)=
# ### Learned weights, and a number for them
#
# Networks of $n$ and of 100 nodes, trained on shadow aggregates of either attacker, beside the networks built by hand and one that was
# never trained. *Agrees with* is the share of fresh aggregates on which the network decides as the rule does.

# %%
two = {name: scenes[name] for name in (studies.INFORMED, datasets[0])}
weights = studies.weights(two, n_shadows=[n_shadows], **training)
weights = weights.set_index(["data", "shadows", "hidden nodes"])
plots.show_table(weights, "weights")

# %%
by_hand = studies.by_hand(["simulated"], n_test=n_test, **simulated)
plots.show_table(by_hand.set_index("network").drop(columns="data"), "by-hand")

# %% mystnb={"image": {"alt": "Two square maps of first-layer weights, cells down and hidden nodes across, of networks trained on the smallest number of shadow aggregates for the informed and the auxiliary attacker: nearly all weights have one sign, no cell stands out for a node."}} tags=["hide-input"]
figures.weight_maps(studies.weight_maps(two, n_shadows=[n_shadows], **training))

# %% [markdown]
# With the number of shadow aggregates that the paper calls usual, nearly all weights have one sign and none stands out: each node
# sums all cells, unevenly. The numbers say so too: the concentration is below that of random weights, the alignment is high. The network
# has as many nodes as two thresholds need, and does not use them so.

# %% [markdown]
# (threshold-learning)=
# ## How many shadow aggregates does learning need?
#
# Informed attacker, Laplace noise. Beside the network on raw cells: the same network on cells that were **clipped** to [0, 1],
# and a logistic regression on clipped cells. Up to scale and shift, the clipped cell *is* its log-likelihood ratio. So the
# last two start with the right feature, and all that is left to learn is that the features should be added.

# %%
from lib import summaries

curve = studies.learning(["simulated"], sizes=learning_sizes, runs=classifier_runs,
                         processes=processes, **training, **simulated)  # fmt: skip
learning = summaries.means(curve, ["learner", "shadows"], "accuracy")
half = (learning["95% high"] - learning["mean"]).groupby(level="shadows").max()
shown = learning["mean"].unstack("learner", sort=False).sort_index()
plots.show_table(shown.assign(within=half), "learning")
ratio = laplace_rows["ratio"][n_middle]
print(f"likelihood ratio, exact: {ratio:.4f}")

# %% mystnb={"image": {"alt": "Mean accuracy with intervals against the number of shadow aggregates for networks and logistic regression on raw and on clipped cells, with horizontal lines for the exact one-threshold, two-threshold and likelihood-ratio accuracies. Learners with clipped cells start near the likelihood ratio."}} tags=["hide-input"]
figures.learning(learning, ratio, n_middle)

# %% [markdown]
# With clipped cells a few thousand shadow aggregates, or fewer, are enough. What is scarce is not data for adding up evidence but data for
# finding out what evidence looks like. An attacker who knows the mechanism (and Kerckhoffs says she does) need not find out.
#
# ## What the paper did not do
#
# The likelihood ratio, the parts of the gap, the map, clipped inputs: these are above. Four smaller things.
#
# ### An attacker who knows some of the others
#
# A share θ of known others lies between the two attackers. Exact accuracies for the paper's example, 1% of people with a one in each
# of 60 cells:

# %%
thetas = chosen(rules, varied="θ").set_index("value").rename_axis("θ")
plots.show_table(thetas[["unknown others", "one", "two", "ratio"]], "theta")

# %% [markdown]
# It is the number of *unknown* others that matters, not the share of known ones: with nine tenths known there are still 200, and
# one threshold is the better rule; with 20 it is two.
#
# ### Cells are not independent
#
# One person may visit several of the target's cells. The convolution, and the likelihood ratio itself, take cells as independent. Accuracy and
# AUC of the auxiliary attacker's likelihood ratio by convolution, beside the sampled ones, for the first run's target and Laplace noise:


# %%
on_data = {name: scenes[name] for name in datasets}
sampled = chosen(at_middle, noise="Laplace", attack="likelihood ratio", run=0)
sampled = sampled.set_index("data")[["accuracy", "AUC"]]
independence = studies.independence(on_data).set_index("data").join(sampled)
order = [*independence.columns[:5], "accuracy", "AUC if independent", "AUC"]
plots.show_table(
    independence[order].T.rename_axis("auxiliary attacker"), "independence"
)

# %% [markdown]
# On the stand-in the cells' others are few and strangers to each other, and the convolution is right. The flights in a target's
# cells come in company: the same few lines fly the same hours every day. Their count hides her in all cells at once, so that the AUC
# is lower. And which of them fell into the released half is luck of which the auxiliary half knows nothing, so that thresholds sit in the
# wrong place: accuracy suffers more than AUC.
#
# ### Equal pools
#
# Threshold attacks get shadow aggregates from all auxiliary users, networks from half of them. Is that why networks are behind? The auxiliary
# attacker's network once more, trained on all (the default share of the aggregates is held out to stop by):

# %%
pools = studies.equal_pools(on_data, n_shadows=n_shadows,
                            classifier_runs=classifier_runs, **training)  # fmt: skip
half = chosen(at_middle, noise="Laplace", attack="network").groupby("data")["accuracy"]
shown = pools.groupby("data", sort=False)[["cells"]].first()
shown["half of the users"] = half.mean()
shown["all users"] = pools.groupby("data")["accuracy"].mean()
shown["SE"] = pools.groupby("data")["accuracy"].sem()
plots.show_table(shown, "equal-pools")

# %% [markdown]
# ### Other activations
#
# The paper's theory has sigmoid nodes; it does not say what its experiments have. Informed attacker:

# %%
many = {"n_shadows": n_shadows, **training, **simulated}
activations = studies.activation(["simulated"], **many)
activations = activations.set_index("activation").drop(columns="data")
plots.show_table(activations.rename_axis(f"{n_shadows} shadows"), "activations")

# %% [markdown]
# ## At the paper's size
#
# 2,000 and 200,000 shadow aggregates and 50,000 test aggregates, ten runs, three of them with networks: the same tables and
# figures at the paper's sizes, and each of its claims judged by code, stand in [the replication](replication/threshold.ipynb).

# %% [markdown]
# ## Take-aways
#
# - The DP bound is met by randomized response, not by noise. Of the gap between the bound and an attack on Laplace noise a part is the
#   mechanism's own, and no attack will ever close it. Compare an attack with the likelihood ratio, not with the bound.
# - One threshold or two is not a question of Laplace or Gaussian alone. Two thresholds are better where the noise is heavy-tailed *and* wide against
#   the others' counts; in dense cells one threshold is better under Laplace noise too. The likelihood ratio needs no such choice.
# - The paper's observation stands: a network that is shown a couple of thousand shadow aggregates learns to add up cells, whatever the
#   noise. A number, the concentration of its weights, says so without a picture.
# - But what it lacks is not data as such. With cells clipped to [0, 1], which for a known mechanism is known, a plain
#   logistic regression on 2,000 shadow aggregates is level with two thresholds. With a hundred times as many (in the replication) the network on raw
#   cells comes within 0.01 of two thresholds, as the paper says of its own; on clipped cells the regression is then level with the likelihood ratio.
# - Cells are not independent on real data. Where the same people share many of the target's cells, every attack loses, and the exact
#   numbers for independent cells are too high.
# - The paper's own discussion: learned attacks may underestimate a risk, so audit with rules that fit the mechanism; synthetic data and
#   pre-training might let networks learn such rules. And its findings carry over to anything that is released in many noisy
#   observations a person.
#
# ## Exercises
#
# ```{exercise} How many observations?
# :label: threshold-ex-observations
# How many observations at ε = 0.5 does the promise need before it allows an accuracy of 0.9? And at ε = 0.1?
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-observations
# :class: dropdown
# ````

# %%
for budget in (0.5, 0.1):
    n = 1
    while accounting.expected_accuracy(budget, n) < 0.9:
        n += 1 if budget > 0.2 else 10
    print(f"epsilon {budget}: about {n} observations")

# %% [markdown]
# A fifth of the budget allows about twenty-five times as many observations: it is the square that counts.
#
# ````{solution-end}
# ````
#
# ```{exercise} The threshold of a cell
# :label: threshold-ex-cell
# The two-threshold attack puts a cell's threshold midway between the means, at 1/2. Vary it for the informed attacker with
# 60 cells. Is 1/2 the best, and how flat is the optimum?
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-cell
# :class: dropdown
# ````

# %%
cells = [laws.NOBODY] * 60
for threshold in (-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0):
    law = laws.two_threshold_law(laplace, cells, np.full(60, threshold))
    print(f"threshold {threshold:5.2f}: accuracy {law.accuracy():.4f}")

# %% [markdown]
# Half way is best, as the symmetry of the noise asks. A quarter off costs less than half a percentage point, one and a half nearly ten.
#
# ````{solution-end}
# ````
#
# ```{exercise} A third threshold
# :label: threshold-ex-three
# A cell that may say "in", "out" or "no idea" (below 0, between, above 1): score 1 above 1, -1 below 0, 0 in between. How much of the way from
# two thresholds to the likelihood ratio does this score go, 60 cells, informed?
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-three
# :class: dropdown
# ````


# %%
def three_valued(values, counts, mechanism):
    """-1 below 0, 1 above 1, 0 in between."""
    return np.sign(np.clip(2 * values - 1, -1, 1).astype(int)).astype(float)


found = laws.convolved_law(laplace, cells, three_valued).accuracy()
two = laws.two_threshold_law(laplace, cells).accuracy()
best = laws.convolved_law(laplace, cells, laws.log_ratio).accuracy()
print(f"two {two:.4f}, three-valued {found:.4f}, likelihood ratio {best:.4f}")
print(f"share of the way: {(found - two) / (best - two):.2f}")

# %% [markdown]
# Not any of it. Values between 0 and 1 hold evidence as well, and calling it "no idea" throws away what two thresholds keep. It takes the
# slope in between, not only the two ends.
#
# ````{solution-end}
# ````
#
# ```{exercise} Two cells
# :label: threshold-ex-two
# With two cells, informed, Laplace noise, one threshold beats two. Why? Look at what the two-threshold score can be.
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-two
# :class: dropdown
# ````

# %%
law = laws.two_threshold_law(laplace, [laws.NOBODY] * 2)
print("P(score = 0, 1, 2 | out):", law.out.round(3))
print("P(score = 0, 1, 2 | in): ", law.into.round(3))

# %% [markdown]
# A score of 1 is as likely with her as without: in nearly half of the releases the rule can only guess. An odd number of cells
# has no such tie, a large even number rarely.
#
# ````{solution-end}
# ````
#
# ```{exercise} A tenth of the trace
# :label: threshold-ex-mass
# The attacker has the wrong trace: a tenth of the 60 cells she sums are not the target's. What is her exact accuracy with two
# thresholds if she does not know which? (Take the law of the score as a sum of two binomials.)
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-mass
# :class: dropdown
# ````

# %%
fpr, fnr = laws.error_rates(laplace, cells)
wrong_in = np.where(np.arange(60) < 6, fpr, 1 - fnr)  # members look like others in six
out, into = stats.poisson_binom(fpr), stats.poisson_binom(wrong_in)
best = max(laws.accuracy(out, into, t) for t in range(61))
print(f"accuracy {best:.4f} instead of {two:.4f}")

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Fixing the false positive rate
# :label: threshold-ex-fixed
# Fit the informed one-threshold attack on 2,000 shadow aggregates for a false positive rate of 1% (Algorithm 6), and count how often it
# accuses on fresh ones.
# ```

# %% [markdown]
# ````{solution-start} threshold-ex-fixed
# :class: dropdown
# ````

# %%
from lib import membership

shadows = studies.informed(2000, n_middle, epsilon, seed, 20)
careful = membership.OneThreshold(fpr=0.01).fit(*shadows)
values, members = studies.informed(20_000, n_middle, epsilon, seed, 21)
accused = careful.predict(values)[members == 0].mean()
error = np.sqrt(accused * (1 - accused) / 10_000)
print(f"accuses {accused:.4f} of the non-members, standard error {error:.4f}")

# %% [markdown]
# ````{solution-end}
# ````

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
# # Fano loss, replicated
#
# This page repeats every figure, example and theorem of *Measuring Privacy Loss in Distributed Spatio-Temporal Data* {cite:p}`fanoloss`, in the paper's order, from stored results. The chapter [](../fano.ipynb) explains the attacks and the bounds, and [](../fano_bounds.ipynb) improves the bounds.
#
# ## Does it reproduce?
#
# **The theory: yes. The simulated person: yes, as far as a figure with an axis from 0 to 1 can show. Real people: this cannot be tested,** because we have only a part of the paper's check-ins.
#
# The paper prints one number about its results; everything else is a figure. We therefore turned each sentence about a figure into a test, written in code before we read the results. Values within 0.05 of each other cannot be distinguished on the paper's axis, so this is what words such as "almost matches" mean here. Four sentences about the simulated person are decided by this margin. Three of them say that values nearly agree. On a finer scale two of these three would be false, and the third could not be decided; the remarks below the table give the reasons.

# %% tags=["remove-cell"]
import pandas as pd
from lib.papers import figures as plots
from lib.papers import scoreboard
from lib.papers import verdicts as findings
from lib.papers.fano_loss import experiments as fano
from lib.papers.fano_loss import figures

plots.use_style()
judged = findings.judged_with_pages("fano")

# %% tags=["remove-input"]
scoreboard.show_summary(judged)

# %% tags=["remove-input"]
scoreboard.show_conclusions(
    judged,
    {
        "Fano's inequality and the tight bound limit every attack on one person.": [
            "fano-bounds-above-estimators",
            "fano-fig5-tight-below-loose",
            "fano-eq4-bound",
        ],
        "The most probable path (MAP) is the best guess of a whole path, and the ball of the tight bound can be computed exactly.": [
            "fano-map-optimal-s0",
            "fano-ball-s0",
            "fano-eq3-reduces",
        ],
        "The loss of the simulated person falls with the number of places and with the number of steps that must be right.": [
            "fano-fig5-m-decreasing",
            "fano-fig5-steps-decreasing",
        ],
        "If two steps must be right, the loss grows with the length of the path.": [
            "fano-fig5-T-minus-2"
        ],
        "If few steps may be wrong, the tight bound almost matches the best attack (within 0.05; the attack succeeds with probability 10<sup>-11</sup>).": [
            "fano-fig5-tight-at-small-s"
        ],
        "If half of the steps may be wrong, the success of attacks is almost constant in the length of the path (within 0.05; it falls from 0.03 to 10<sup>-8</sup>).": [
            "fano-fig5-T-half"
        ],
        "Noise lowers the bounds.": ["fano-fig7-bounds"],
        "Noise hardly changes the attack (on a hundred places, where it almost never succeeds even without noise).": [
            "fano-fig7-map-flat"
        ],
        "Real people who are counted often have high bounds.": [
            "fano-fig3-foursquare",
            "fano-fig3-gowalla",
        ],
        "Real people who move slowly have high bounds.": [
            "fano-fig4-foursquare",
            "fano-fig4-gowalla",
        ],
        "Attacks on real people succeed more often than attacks on the simulated person.": [
            "fano-fig6-foursquare-above-simulated",
            "fano-fig6-gowalla-above-simulated",
        ],
    },
)

# %% [markdown]
# The next table counts the verdicts. Each row is a pair of datasets: the one that the paper used, and the one that we used for the same claims. The [scoreboard](../scoreboard.md) explains the verdicts and the rule. In the tables of this page, a dash marks a value that does not exist or that we did not compute.

# %% tags=["remove-input"]
scoreboard.show_by_data(judged)

# %% [markdown]
# Some remarks explain the verdicts.
#
# - *The one printed number* is that MAP succeeds with a probability near 0.3 on the smallest map. Our agreement proves nothing: the paper does not say how small that map is, and we chose ten places because MAP succeeds with about 0.3 there (`fano-fig5-map-small-m` *input*).
# - *The axis.* `fano-fig5-tight-at-small-s` *supported* and `fano-fig5-T-half` *supported* are true on the paper's axis. On a logarithmic axis both would be false, as [the tables of Fig. 5](fano-replicated-fig5) show. `fano-fig5-constant-one-step` *supported* uses the same margin for the word "non-negligible".
# - *Bounds with noise.* `fano-fig7-bounds` *supported* compares noisy counts with each other, as Fig. 7 does. The tight bound for very little noise ($\sigma = 0.1$) is slightly *above* that for raw counts, because Eq. 4 overestimates the information. The paper says the same of real people.
# - *Attacks with noise.* `fano-fig7-map-flat` *supported* says little. With a hundred places the attack almost never succeeds even without noise, so noise cannot weaken it. With ten places noise weakens it until it is no better than the prior.
# - *People.* The paper has 9,760 users of Foursquare and 318 of Gowalla. In our parts of these data 429 and 42 users are active enough; verdicts on substitutes are about these parts. In the part of Gowalla every bound that enters the correlation of Fig. 4 has the same value, so this correlation is undefined.
# - *Unseen transitions.* Fig. 3 and 4 depend on the probability of transitions that never occurred, which the paper does not discuss. [A section below](fano-replicated-unseen) shows the effect of another choice.
# - *Cost.* We counted the operations that the most probable path needs (`fano-prop1` *supported*). The guess from the prior runs the same recursion without counts, so it needs the same number of operations (`fano-prop2` *supported*). We did not count the operations of Eq. 5 (`fano-thm1` *not tested*). That its recursion gives the right values is [checked by enumeration](fano-replicated-truth).
#
# The paper prints no values in its figures, so our figures show no published values.

# %% [markdown]
# (fano-replicated-by-hand)=
# ### One verdict by hand
#
# The paper says that the tight bound "almost coincides" with the best attack if no step may be wrong ($s = 0$). How does such a sentence become a verdict? We know the exact success of each attack and the tight bound for a hundred sequences of sensors. For each sequence we subtract the best attack from the bound. The sequences were drawn at random, so the mean difference has a standard error, and [the rule](scoreboard-rule) asks for a one-sided 95% level. The margin is 0.05.

# %%
from lib.papers.fano_loss import experiments
from scipy import stats

rows = experiments.sweeps.stored()
all_steps = rows[(rows["swept"] == "T - s") & (rows["value"] == 10)]
gap = all_steps["tight"] - all_steps[["MAP", "prior", "constant"]].max(axis=1)
above = stats.t.ppf(0.95, len(gap) - 1) * gap.sem()
print(
    f"best attack {all_steps['MAP'].mean():.2g}, tight bound {all_steps['tight'].mean():.4f}"
)
print(f"difference {gap.mean():.4f}, at the 95% level below {gap.mean() + above:.4f}")

# %% [markdown]
# The difference is below 0.05, so the sentence is *supported*, and its line says *by a margin of ours*. The first line of the output shows why the margin matters: the bound is more than a billion times the success of the attack. We state the margin so that you can disagree with it.
#
# The figure shows the same values on two axes. On the paper's axis the bound and the attacks seem to meet if many steps must be right. On the logarithmic axis they drift apart.

# %% mystnb={"figure": {"name": "fig-fano-axes", "caption": "The same values twice: the tight bound and two attacks on the simulated person, against the number of steps that must be right. Everything in the grey band is within the margin of 0.05 of 0. On an axis from 0 to 1, as in the paper, bound and attacks meet at the right. On a logarithmic axis their distance grows with every step."}, "image": {"alt": "Two panels with the same three lines, the tight bound, MAP and the constant guess, against the number of right steps asked for. On an axis from 0 to 1 all lines end near 0; on a logarithmic axis the bound stays above one hundredth while the attacks fall below one in ten billion."}} tags=["hide-input"]
figures.two_axes(fano.sweep_means(rows).loc["T - s"], margin=0.05)

# %% [markdown]
# *In class (30 minutes).* Show the upper panel of {numref}`fig-fano-axes` and ask whether the paper's sentence "almost coincides" is true. Take a vote. Then show the lower panel and vote again. The discussion is about the word "almost": for whom is a success of one in a hundred billion the same as one in forty? A second question for the board: what does an upper bound of 1 tell the person who is counted? Students often answer "everything is revealed"; the answer is "nothing", as [the third exercise](fano-rep-ex-noise) shows.

# %% [markdown]
# ## Where to find each part of the paper
#
# | in the paper | what it is | here |
# |---|---|---|
# | Def. 1 | differential privacy | {prf:ref}`def-release` |
# | Example 1, Fig. 1 | one count, New York and Paris | [below](fano-replicated-examples), and {numref}`fig-fano-bit` |
# | Example 2, Fig. 2 | two counts, slow and fast | [below](fano-replicated-examples) |
# | Adv (Sec. 2.2.2), Eq. 1 | advantage; Fano's inequality | {prf:ref}`thm-fano-advantage`, {numref}`fig-fano-sides` |
# | Eq. 2 | privacy loss | {prf:ref}`def-fano-loss` |
# | MAP and prior estimator (Sec. 3.2.2) | two guesses; the second is called *maximum a priori* in our figures | {prf:ref}`alg-fano-map`; `viterbi_trajectory`, `prior_trajectory` |
# | Prop. 1 (Proposition 1), App. A recursion | MAP by dynamic programming | {prf:ref}`alg-fano-map`; [checked below](fano-replicated-truth) |
# | Prop. 2 (Proposition 2), App. B recursion | the same for the prior | `prior_trajectory`; [checked below](fano-replicated-truth) |
# | Eq. 3 | loose bound | {prf:ref}`thm-fano-loose`; `loose_bound` |
# | Eq. 4, App. C | information of noisy counts | [below](fano-replicated-eq4); `mutual_information` |
# | Han-Verdú inequality (Sec. 3.3.2) | tight bound | {prf:ref}`thm-fano-tight`, with an exercise that proves it; `tight_bound` |
# | Eq. 5 | the probability of the ball | {prf:ref}`thm-fano-tight`; `ball_terms` |
# | Theorem 1, App. D recursion | Eq. 5 in polynomial time | {prf:ref}`alg-fano-theorem-1` |
# | Fig. 3 | who is often counted | [below](fano-replicated-fig3) |
# | Fig. 4 | who moves slowly | [below](fano-replicated-fig4) |
# | Fig. 5 | the simulated person | [below](fano-replicated-fig5) |
# | Fig. 6 | steps asked for, people | [below](fano-replicated-fig6) |
# | Fig. 7 | noise, simulated person | [below](fano-replicated-fig7) |
# | Fig. 8 | noise, people | [below](fano-replicated-fig8) |
#
# Functions are in `lib.reconstruction`.

# %% [markdown]
# (fano-replicated-examples)=
# ## Examples 1 and 2 (Fig. 1 and 2)
#
# In Example 1 an attacker sees one raw count. One sensor is at a place where the person is likely to be, the other at a place where they are unlikely to be. The first table shows the information $I$ in the count, the binary entropy $h(p)$, the success of the best attacker, the loose bound, and the advantage over guessing that the bound allows (Adv). The information equals the entropy, so a count reveals less at a place where the person is unlikely to be.
#
# Example 2 compares two people on five places. Both are counted at the sensor in the first step. In the second step the sensor is elsewhere and does not count them. One person stays where they are with probability 0.96, the other with probability 0.2; otherwise they go to any of the other four places. The second table shows the probability that the best guess of both steps is right. It is larger for the person who tends to stay.

# We compute the first table by hand. The person is at one of four places, and Fano's inequality ({prf:ref}`thm-fano-advantage`) limits every guess:

# %%
import numpy as np
from scipy.special import entr

places = np.array([0.5, 0.3, 0.1, 0.1])  # where the person may be
p_e = np.linspace(0, 0.75, 100_001)  # possible failure rates of a guess
right = entr(p_e) + entr(1 - p_e) + p_e * np.log(len(places) - 1)
for sensor in (0, 3):
    p = places[sensor]
    information = entr(p) + entr(1 - p)
    left = entr(places).sum() - information  # what the count leaves uncertain
    bound = 1 - p_e[right >= left].min()
    best = p + np.delete(places, sensor).max()  # counted: certain; not counted: guess
    print(f"p = {p}: I {information:.4f}, best {best:.1f}, bound {bound:.4f}")

# %% [markdown]
# The stored tables have the same numbers:

# %% tags=["hide-input"]
one_count = fano.one_count.stored().set_index("sensor").drop(columns="data")
columns = ["I", "h(p)", "best possible", "loose bound", "advantage, loose bound"]
plots.show_table(one_count[columns], "fig-1")
two_counts = fano.two_counts.stored().set_index("person")[["success"]]
plots.show_table(two_counts, "fig-2")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-examples")

# %% [markdown]
# (fano-replicated-eq4)=
# ## Eq. 4 and App. C
#
# How much information does one noisy count contain about one step? The table compares the closed form of Eq. 4 with the exact mutual information, in nats. The row `raw` is the information in a count without noise, which is the binary entropy. The closed form is never smaller. From $\sigma = 1$ on it is about twice as large.
#
# App. C derives the closed form as follows. The noise of each step is independent, so the information in all counts is at most the sum of the information in each. A noisy count has a mixture of two normal distributions, one user apart, with weights $p_t$ and $1 - p_t$. Jensen's inequality bounds the entropy of the mixture by the divergence of its parts, which is $1 / 2\sigma^2$.

# %% tags=["hide-input"]
one_step = figures.with_raw(fano.eq_4.stored().set_index("σ"))
called = {"Eq. 4": "Eq. 4", "itself": "exact"}
columns = {
    f"p = {p:g}, {called[name]}": each[name]
    for p, each in one_step.groupby("p")
    for name in called
    if p > 0.05
}
plots.show_table(pd.DataFrame(columns), "eq-4")

# %% [markdown]
# The folded table does the same for a place at which the person is rarely found ($p = 0.01$).

# %% tags=["hide-cell"]
rare = one_step[one_step["p"] == 0.01]
plots.show_table(rare[list(called)].rename(columns=called), "eq-4-rare")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-eq4")

# %% [markdown]
# (fano-replicated-truth)=
# ## Propositions 1 and 2, Theorem 1, Eq. 1, 3 and 5
#
# ````{prf:algorithm} Theorem 1 (App. D of the paper)
# :label: alg-fano-theorem-1
# Fix $m$ of the steps and a place for each of them. Let $g(m, k, x)$ be the largest probability that the person is at all these places, if the last fixed step comes $k$ steps after the first and its place is $x$. The chain is stationary, and
# $P^{\Delta}(x', x)$ is the probability of going from $x'$ to $x$ in $\Delta$ steps.
# 1. $g(1, 0, x) = \pi(x)$.
# 2. $g(m, k, x) = \max_{\Delta} \max_{x'} P^{\Delta}(x', x)\, g(m-1, k-\Delta, x')$.
# 3. The term of Eq. 5 with $l$ free steps is $\max_{k < T} \max_x g(T-l, k, x)$.
# ````
#
# Only terms with $l \le s$ are needed, so at most $s$ steps are free. This takes $T s^2 M^2$ operations, fewer than the paper's $T^3 M^2$. We compared the recursion with an enumeration of all paths, on random chains with up to five places and five steps. The table counts the chains on which each statement is true. The first line counts only the cases in which no step may be wrong: there MAP reaches the best possible success.

# %% tags=["hide-input"]
cases = fano.enumerated_chains.stored()
names = ["prior is best", "Theorem 1", "ball at s = 0", "Eq. 3 is Eq. 1"]
at_zero = cases[cases["s"] == 0]
best = (at_zero["map"] - at_zero["best"]).abs() < 1e-9
checked = {"MAP is best at s = 0": best} | {name: cases[name] for name in names}
counted = pd.DataFrame(checked).agg(["count", "sum"]).T.astype(int)
plots.show_table(counted.set_axis(["cases", "true"], axis=1), "identities")

# %% [markdown]
# The next table shows how far attacks and bounds are from the best possible success on two hundred chains. Bounds are never below it, and MAP is never above it.

# %% tags=["hide-input"]
plots.show_table(figures.case_table(cases), "truth")

# %% [markdown]
# How expensive is it to find the most probable path of $T$ steps on $M$ places? The first table counts the numbers that the program computed, the second one those that it held in memory. Doubling the steps nearly doubles the operations, and doubling the places nearly multiplies them by four.

# %% tags=["hide-input"]
costs = fano.costs.stored().drop(columns="data")
plots.show_table(costs.pivot(index="T", columns="M", values="operations"), "costs")
held = costs.pivot(index="T", columns="M", values="numbers held")
plots.show_table(held, "numbers-held")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-truth")

# %% [markdown]
# (fano-replicated-data)=
# ## The check-ins (Sec. 4.1)
#
# Time steps are days in the rows *read*, and windows of 20 days in the rows *active enough*, which count only users who are active in at least ten windows. We add flights, whose time steps are always days. The last column is the share of attacked steps in which the user is *somewhere else*, at none of the hundred places.

# %% tags=["hide-input"]
print(fano.dataset_sizes.source())
sizes = fano.dataset_sizes.stored().set_index(["data", "stage"])
shown = sizes.drop("drawn", level="stage")
columns = ["users", "time steps", "locations", "the same, last steps"]
columns = shown[columns].astype(object).fillna("")
columns = columns.rename(columns={"the same, last steps": "somewhere else, last"})
plots.show_table(columns, "prepared")

# %% tags=["hide-cell"]
plots.show_table(sizes, "prepared-whole")

# %% [markdown]
# The paper leaves some choices open. These are our decisions:
#
# - The hundred places are the most visited ones of the whole period.
# - If a user checks in at several places in a window, the place with the most check-ins counts. If several places have the same number of check-ins, the one visited last counts.
# - A user never leaves a place that they never left in training. The chain may then have no unique stationary distribution. In that case we give a millionth of each transition probability to a uniform choice among the user's places.
# - An attack succeeds if $d \le s$. (In one place, Sec. 4.1, the paper writes $d < s$.)
# - On real steps MAP treats raw counts as if they had noise of $\sigma = 0.05$. Otherwise it would fail whenever a user is at a new place.

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-data")

# %% [markdown]
# (fano-replicated-fig3)=
# ## Fig. 3: does being counted often raise the bound?
#
# In Fig. 3 one sensor stays at the most visited place in every step, and one step may be wrong ($s = 1$). The paper finds high bounds for users who visit this place often, and bounds between 0 and 1 for the others. In our parts of the data no bound is below 0.3, and most are near 1, even among users who never visited the place.

# %% mystnb={"figure": {"name": "fig-fano-r3", "caption": "Figure 3 of the paper, on parts of its data and on flights; each point is a user. Users who were at the sensor's place in training have a bound near 1, but so have most users who never were."}, "image": {"alt": "Three panels, Gowalla, Foursquare and flights by tail: each user's tight bound against her visits to the sensor's place in training. Users with visits are at one; those without are between about 0.4 and one, on Gowalla all at one."}} tags=["hide-input"]
habits = fano.habits.stored()
figures.users(habits, "visits", "training steps at the sensor's place", "fixed")

# %% tags=["hide-input"]
print(fano.habits.source())
by_visits = figures.visits_table(fano.bounds_by_visits(habits))
plots.show_parts(by_visits.xs("as decided", level="chains"), "fig-3")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig3")

# %% [markdown]
# (fano-replicated-fig4)=
# ## Fig. 4: does moving slowly raise the bound?
#
# Fig. 4 shows the same users with sensors at random places. The spectral gap of a chain is small if the user moves slowly. The paper finds that such users have higher bounds. The table shows Spearman's rank correlation of bound and gap with its 95% interval, for three ways to treat the data:
#
# - *only what was seen* estimates each transition probability by its relative frequency;
# - *settled only* does the same, and leaves out users whose chain has no unique stationary distribution;
# - *one added* adds one to the count of each transition between places that the user visited.

# %% mystnb={"figure": {"name": "fig-fano-r4", "caption": "Figure 4 of the paper, on parts of its data and on flights; each point is a user. Most bounds are near 1 at every spectral gap."}, "image": {"alt": "Three panels, Gowalla, Foursquare and flights by tail: each user's tight bound against the spectral gap of her chain. Most points are at one, at every gap."}} tags=["hide-input"]
figures.users(habits, "gap", "spectral gap of the user's chain", "random")

# %% tags=["hide-input"]
correlations = fano.correlations(habits)
told = figures.correlation_table(correlations)["correlation [95%]"]
plots.show_table(told.unstack("chains", sort=False), "fig-4")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig4")

# %% [markdown]
# (fano-replicated-unseen)=
# ### Sensitivity to transitions that were never seen
#
# Suppose we add one to the count of each transition between places that a user visited. Then the correlation of Fig. 4 appears on all three datasets (last column of the table above). Fig. 3 changes in part, as the next tables show.

# %% tags=["hide-input"]
plots.show_parts(by_visits.xs("one added", level="chains"), "fig-3-added")

# %% [markdown]
# On Foursquare and on the flights, the bounds of users who were never at the sensor are now spread as the paper describes. On Gowalla these bounds are spread over a smaller range, and only one user is often at the sensor. On the flights, however, users who were often at the sensor no longer have bounds near 1. So neither choice reproduces all that the paper describes on all three datasets. We use relative frequencies, because the paper names them, and report both.

# %% [markdown]
# (fano-replicated-fig5)=
# ## Fig. 5: the simulated person
#
# How do attacks and bounds depend on the map and the path? Each point is a mean over a hundred sequences of sensors, and the success for each sequence is exact. Our axis is logarithmic, because on the paper's axis, from 0 to 1, nearly all attacks lie on 0.

# %% mystnb={"figure": {"name": "fig-fano-r5a", "caption": "Figure 5 of the paper, upper panels. All attacks and bounds fall with the number of places and with the number of steps that must be right. The bounds lie far above the attacks."}, "image": {"alt": "Two panels on a logarithmic axis, simulated person. Above, against the number of places; below, against the number of right steps asked for: four attacks fall over many powers of ten, both bounds little."}} tags=["hide-input"]
sweeps = fano.sweeps.stored()
means, errors = fano.sweep_means(sweeps), fano.sweep_means(sweeps, "sem")
figures.sweeps(means, {"M": "places M", "T - s": "right steps asked for, T − s"})

# %% tags=["hide-input"]
print(fano.sweeps.source(), "(points), means and 95% intervals over sequences")
lines = ["MAP", "prior", "tight", "loose"]
for swept, name in (("M", "places M"), ("T - s", "steps asked for")):
    of_one = sweeps[sweeps["swept"] == swept]
    plots.show_table(figures.swept_table(of_one, lines, name), f"fig-5-{name[:5]}")

# %% mystnb={"figure": {"name": "fig-fano-r5b", "caption": "Figure 5 of the paper, lower panels. If half of the steps must be right, the bounds stay level and the attacks fall with every step. If two steps must be right, all lines rise."}, "image": {"alt": "Two panels on a logarithmic axis, simulated person, against up to twenty time steps. Above, half of the steps may be wrong: bounds level, attacks fall. Below, two steps must be right: all lines rise."}} tags=["hide-input"]
panels = {fano.HALF: "time steps T, s = T/2", fano.MINUS_2: "time steps T, s = T − 2"}
figures.sweeps(means, panels)

# %% tags=["hide-input"]
for swept, name in ((fano.HALF, "T, s = T/2"), (fano.MINUS_2, "T, s = T - 2")):
    of_one = sweeps[sweeps["swept"] == swept]
    table = figures.swept_table(of_one, lines, name)
    plots.show_table(table, f"fig-5-T-{'half' if swept == fano.HALF else 'minus-2'}")

# %% [markdown]
# The folded table lists every point and two more attacks: the most probable place of each step (*posterior modes*) and the best constant guess. Its last column is the largest standard error in the row, relative to its mean.

# %% tags=["hide-cell"]
SHOWN = ["MAP", "marginal", "prior", "constant", "loose", "tight"]
share = (errors[SHOWN] / means[SHOWN]).max(axis=1)
whole = means[SHOWN].rename(columns=figures.WORDS)
plots.show_table(whole.assign(**{"standard error, at most": share}), "fig-5")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig5")

# %% [markdown]
# (fano-replicated-fig6)=
# ## Fig. 6: people, by the number of steps that must be right
#
# Fig. 6 shows means over users. All users are attacked with the same sequences of sensors. The constant guess names one place for everybody, and never *somewhere else*.

# %% mystnb={"figure": {"name": "fig-fano-r6", "caption": "Figure 6 of the paper, on parts of its data. Both bounds of the paper are near 1 except for the hardest tasks, and MAP is hardly above maximum a priori, which ignores the counts."}, "image": {"alt": "Two panels, cuts of Gowalla and Foursquare: mean privacy loss against the number of right steps asked for. The paper's bounds are near one, the moment bound and the attacks fall."}} tags=["hide-input"]
attacked = fano.attack_people.stored()
step_means, step_errors = fano.step_means(attacked, fano.constant_guesses.stored())
figures.steps(step_means, ["gowalla", "foursquare"])

# %% tags=["hide-input"]
print(fano.attack_people.source())
all_but_one = attacked[(attacked["σ"] == 0) & (attacked["T - s"] == 4)]
lines = {
    "loose": "loose bound",
    "tight": "tight bound",
    "moments": "moment bound",
    "MAP": "MAP",
    "MAP, places": "MAP, right at real places only",
    "prior": "maximum a priori",
}
plots.show_table(figures.people_table(all_but_one, lines), "fig-6-all-but-one")

# %% [markdown]
# In the table, four of five steps must be right. MAP is hardly better than maximum a priori, the best guess without counts, so the counts add little to what the attacker knew before. If only right steps at real places count, MAP keeps most of its successes on Gowalla, but almost none on the other two datasets. There MAP is right about *somewhere else*, which reveals little. The folded tables give all means, then their standard errors over users.

# %% tags=["hide-cell"]
plots.show_table(step_means.rename(columns=figures.WORDS), "fig-6")
plots.show_table(step_errors.rename(columns=figures.WORDS), "fig-6-errors")

# %% [markdown]
# Do attacks succeed more often on real people than on the simulated person? The table shows the simulated person with the same number of steps, $T = 5$.

# %% tags=["hide-input"]
simulated = means.loc[fano.SHORT, ["MAP", "constant"]]
plots.show_table(simulated.rename_axis("T - s"), "short")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig6")

# %% [markdown]
# (fano-replicated-fig7)=
# ## Fig. 7: noise, simulated person
#
# Does noise lower the bounds, and does it stop the attack? The two tables give the answer for ten and for a hundred places. With ten places the tight bound stays at 1 although noise takes away four fifths of the attack's success. With a hundred places the bound falls, but the attack fails even without noise. At $\sigma = 0.1$ the bound is slightly above that of raw counts, although noise cannot add information: Eq. 4 is only an upper limit of the information. The column *tight, smaller I* uses the smaller of Eq. 4 and the information in raw counts. This, too, is a valid bound, and it never exceeds that of raw counts.
#
# With noise, MAP is simulated in eleven runs for each sequence of sensors, and its interval is *over runs*. Without noise it is exact, and its interval is *over sequences*. The two intervals are not comparable. At $\sigma = 0.1$ and ten places MAP lies a little below its value without noise, but its interval contains that value. On the same runs [there is no difference](fano-fig7).

# %% mystnb={"figure": {"name": "fig-fano-r7", "caption": "Figure 7 of the paper, with ten and with a hundred places. With a hundred places MAP is near 0 already without noise; with ten it falls while both bounds stay at 1."}, "image": {"alt": "Two panels, simulated person with ten and with a hundred places: privacy loss against the noise's standard deviation. With ten places MAP falls with noise while both bounds stay at 1; with a hundred MAP is level near 0 and the tight bound falls."}} tags=["hide-input"]
by_noise = fano.noise_means(fano.noise.stored())
lines = ["loose", "tight", "moments", "MAP"]
figures.noise(by_noise, lines, "M = {}")

# %% tags=["hide-input"]
print(fano.noise.source())
few = figures.map_table(by_noise)
plots.show_table(few.loc[10], "fig-7-ten")
plots.show_table(few.loc[100], "fig-7-hundred")

# %% tags=["hide-cell"]
plots.show_table(figures.with_raw(by_noise), "fig-7")

# %% [markdown]
# The folded table evaluates the formula for differential privacy at $\sigma = 1$ and $\delta = 10^{-5}$, by the number of counts. The formula is proven only for results below 1.

# %% tags=["hide-cell"]
plots.show_table(fano.epsilon.stored().set_index("T").drop(columns="data"), "epsilon")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig7")

# %% [markdown]
# (fano-replicated-fig8)=
# ## Fig. 8: noise, people
#
# Does noise protect real people better? Fig. 8 shows means over users. Four of five steps must be right.

# %% mystnb={"figure": {"name": "fig-fano-r8", "caption": "Figure 8 of the paper, on parts of its data and on flights. Noise hardly changes MAP, and the bounds hardly more."}, "image": {"alt": "Three panels, Gowalla, Foursquare and flights by tail: mean privacy loss against the noise's standard deviation; bounds near one, MAP level."}} tags=["hide-input"]
real_noise = fano.people_noise_means(attacked)
figures.noise(real_noise, ["loose", "tight", "MAP"])

# %% [markdown]
# The tables show Foursquare, then Gowalla: the tight bound, MAP and its standard error, and the share of users whose tight bound is *higher* with noise than without (*above raw*). Noise cannot add information. If the bound is higher with noise, this is because Eq. 4 overestimates the information.

# %% tags=["hide-input"]
for name in ("foursquare", "gowalla"):
    own = figures.with_raw(real_noise.loc[[name]]).loc[name]
    columns = ["tight", "tight, one added", "MAP", "MAP error", "above raw"]
    plots.show_table(own[columns], f"fig-8-{name}")

# %% tags=["hide-cell"]
plots.show_table(figures.with_raw(real_noise), "fig-8")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig8")

# %% [markdown]
# ## What the paper did not do
#
# The chapter [](../fano_bounds.ipynb) improves the bounds. The folded table shows how far bounds lie above the best attack at every point of Fig. 5. The *paper's gap* is that of the better of its two bounds. *Exact I and KL* computes the information exactly and uses a sharper form of the inequality; *moments* is the moment bound. *Closed by* is the share of the paper's gap that each of them removes. The other table shows the tight bound with the distribution $Q$ of Eq. 5 and with two others.

# %% tags=["hide-cell"]
gaps = fano.bound_gaps(means.drop(fano.SHORT, level="swept"))
plots.show_table(gaps, "gaps")

# %% tags=["hide-input"]
plots.show_table(figures.ball_table(fano.balls.stored()), "balls")

# %% [markdown]
# (fano-replicated-adaptive)=
# ### Sensors that follow their counts
#
# Sec. 3.1 leaves sensors that choose their next place to future work. Here a *greedy* sensor goes to the place whose count is expected to give the most information. The first table compares it with a sensor at random places in five thousand runs each. The second one shows how much it adds to the success of MAP.

# %% tags=["hide-input"]
adaptive = fano.adaptive.stored()
plots.show_table(figures.adaptive_table(adaptive), "adaptive")
plots.show_table(fano.greedy_gain(adaptive), "greedy")

# %% mystnb={"figure": {"name": "fig-fano-adaptive", "caption": "Not in the paper: success of MAP with sensors at random and with sensors that follow their counts, with 95% intervals over 5,000 simulated runs. A sensor that follows its counts raises the success on small maps."}, "image": {"alt": "Success of MAP with intervals against the number of places for random and greedy sensors; greedy is higher in the smallest maps, and both are near zero in the largest."}} tags=["hide-input"]
figures.show_adaptive(adaptive, "s = 5 of 10")

# %% [markdown]
# With 10 and 20 places the success rises by the factors in the table, by five standard errors or more. With 50 places success is too rare to decide.

# %% [markdown]
# ### Posterior marginals
#
# An attacker can also guess the most probable place of each step. The table shows the exact success for four places and four steps, on every fifth of the sequences of sensors.

# %% tags=["hide-input"]
modes = fano.modes.stored().set_index("s").drop(columns="data")
plots.show_table(modes.rename(columns=figures.WORDS), "modes")

# %% [markdown]
# If no step may be wrong, MAP is the best possible guess. If two or more may be wrong, the posterior modes are better.
#
# (fano-replicated-exercises)=
# ## Exercises
#
# ```{exercise} Example 2 by hand (★, 10 minutes)
# :label: fano-rep-ex-example
# A person is at one of five places and is counted there in the first step. They stay with probability $q$, and otherwise go to each of the other four places with the same probability. In the second step a sensor at one of the other places counts nobody. What is the best guess of the second step, and how often is it right? Check your formula on the [two numbers of the table](fano-replicated-examples) and by simulation. Below which $q$ is it better to guess that the person moved?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-example
# :class: dropdown
# ````
#
# The person is at the sensor's place with probability $(1 - q)/4$, and the count excludes this. If $q \ge 1/5$, the best guess is that they stayed. It is right with probability $q / (1 - (1 - q)/4) = 4q / (3 + q)$. We simulate persons who start at place 0; the second sensor is at place 4:

# %%
rng = np.random.default_rng(1)
for q in (0.96, 0.2, 0.1):
    second = np.where(rng.random(400_000) < q, 0, rng.integers(1, 5, 400_000))
    unseen = second[second != 4]
    often = np.bincount(unseen, minlength=4) / len(unseen)
    print(
        f"q = {q}: formula {4 * q / (3 + q):.4f}, stayed {often[0]:.4f}, at place 1 {often[1]:.4f}"
    )

# %% [markdown]
# At $q = 0.2$ all remaining four places are equally likely. Below it, each of the other three places is a better guess than the old one. *Learned:* the same two counts say more about somebody who moves slowly.
#
# ````{solution-end}
# ````
#
# ```{exercise} Another margin (★★, 15 minutes)
# :label: fano-rep-ex-margin
# Suppose that "almost" meant within a factor of two. Judge again the three sentences that the margin of 0.05 decides: the tight bound almost coincides with the best attack at $s = 0$; with $s = T/2$ the success of attacks is almost constant; noise hardly changes the attack on a hundred places. The stored rows of Fig. 5 are `rows` [above](fano-replicated-by-hand). For the third sentence use the table of [Fig. 7](fano-replicated-fig7).
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-margin
# :class: dropdown
# ````

# %%
best_attack = all_steps[["MAP", "prior", "constant"]].max(axis=1)
exponent = np.log2(all_steps["tight"] / best_attack)
print(f"1. factor 2^{exponent.mean():.1f}, standard error {exponent.sem():.2f}")
half = rows[rows["swept"] == "T, s = T/2"].groupby("value")["MAP"].mean()
fall = np.log2(half.iloc[0] / half.iloc[-1])
print(
    f"2. MAP falls from {half.iloc[0]:.2g} to {half.iloc[-1]:.2g}, by a factor 2^{fall:.1f}"
)
noisy = experiments.noise_means(experiments.noise.stored()).loc[100]
without, most = noisy["MAP"].iloc[0], noisy["95% high"].iloc[-1]
print(f"3. without noise {without:.2g}, with noise at most {most:.2g}")

# %% [markdown]
# A factor of two is an exponent of 1. The first two sentences would be contradicted by far. The third would be undecided: no simulated attack with noise succeeded, so the interval reaches from 0 to 0.003 and contains both equal and very different values. *Learned:* what a figure shows depends on its axis. A margin must be stated, because a verdict depends on it.
#
# ````{solution-end}
# ````
#
# ```{exercise} A bound of 1 (★★, 10 minutes)
# :label: fano-rep-ex-noise
# On ten places the tight bound is 1 at every noise. A colleague concludes that noise does not protect a person on a small map. Use the tables of [Fig. 7](fano-replicated-fig7) to answer. Does noise reduce what the *best* attack can achieve, although we do not know this attack? (The moment bound limits every attack.)
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-noise
# :class: dropdown
# ````

# %%
ten = experiments.noise_means(experiments.noise.stored()).loc[10]
ends = ten.loc[[0.0, 10.0], ["tight", "MAP", "moments"]]
ends.loc["without / with noise"] = ends.iloc[0] / ends.iloc[1]
ends.round(2)

# %% [markdown]
# A bound of 1 says nothing about any attacker: every success is at most 1. The attack tells more. MAP falls from 0.31 to 0.06 as the noise grows. That is one attack, and with noise a better one might exist. The moment bound limits *every* attack. With the strongest noise no attack succeeds with more than 0.17, and without noise MAP alone succeeds with 0.31. So the best attack loses at least 0.14, whatever it is, and noise does protect. (A bound that falls would not be enough for this conclusion: 0.70 without noise is only an upper limit.) *Learned:* an upper bound that is high does not show that a loss is high.
#
# ````{solution-end}
# ````
#
# ```{exercise} No success in 1,100 runs (★★, by hand, 15 minutes)
# :label: fano-rep-ex-zero
# With a hundred places and noise, MAP is simulated in eleven runs for each of a hundred sequences of sensors, and it never succeeds. Which success probabilities $p$ are compatible with this at the 95% level? (Find the $p$ for which 1,100 failures in a row have a probability of 2.5%, and compare with the table of [Fig. 7](fano-replicated-fig7).) How many runs would it take to see that noise makes the attack weaker than without noise, if it then succeeded never?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-zero
# :class: dropdown
# ````
#
# All $n$ runs fail with probability $(1 - p)^n$. Setting this to 0.025 gives $p = 1 - 0.025^{1/n} \approx 3.7 / n$.

# %%
print(f"upper end with 1,100 runs: {1 - 0.025 ** (1 / 1100):.6f}")
needed = np.log(0.025) / np.log1p(-without)
print(f"without noise {without:.3g}: {needed:,.0f} runs needed")

# %% [markdown]
# The upper end is the one of the table. It is about seventy times the success without noise, so 1,100 runs cannot tell them apart. That takes seventy times as many. The claim `fano-fig7-map-flat` *supported* therefore rests on the margin of 0.05 and not on these runs.
#
# *Learned:* "it never happened" in $n$ runs excludes only probabilities above about $3.7 / n$. If an event is rarer than this, compute it exactly, as this page does without noise.
#
# ````{solution-end}
# ````

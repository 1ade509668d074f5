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
# (fano-replicated-setup)=
# ## What the paper does
#
# A person is at one of $M$ places in each of $T$ time steps. In each step one sensor publishes how many people are at its place. An attacker knows where everybody else is, so what remains of a count is one bit: was the person there? The attacker also knows how the person moves, as a Markov chain. They guess the whole path $X = (X_1, \dots, X_T)$, and succeed if at most $s$ steps are wrong. The probability of success is the *privacy loss* of the guess.
#
# | term | meaning |
# |---|---|
# | $s$, $T - s$ | the steps that may be wrong, and the steps that must be right |
# | raw | a count without noise |
# | $\sigma$ | standard deviation of the normal noise on a count |
# | MAP | the most probable path given the counts |
# | prior, or maximum a priori | the most probable path without any count |
# | constant | the same place in every step, the luckiest one |
# | posterior modes | the most probable place of each step given all counts; not in the paper ({prf:ref}`def-fano-modes`) |
# | moment bound | a limit for every attacker that counts right steps; not in the paper ({prf:ref}`thm-fano-moments`) |
# | $H(X)$, $I$ | entropy of the path, and information of the counts about it, in nats (natural logarithms) |
# | ball | all paths with at most $s$ wrong steps, seen from one path; $N(s)$ is their number, and $Q$ is the largest probability of a ball |
# | simulated person | a line of places, on which a move over the distance $x$ has a probability proportional to $e^{-x/(\tau M)}$ |
# | flights, flights by tail | the paths of aircraft that departed from New York in 2013; each aircraft, known by its tail number, is a "user". We add this dataset to those of the paper |
#
# If a parameter is not swept, Sec. 4.1 sets $M = 100$, $T = 10$, $s = 5$ and $\tau = 0.1$ for the simulated person, and $T = 5$, $s = 1$ for real people. This holds for Fig. 5 and Fig. 7, too.
#
# Two inequalities limit every attacker. Let $p_e$ be the probability that a guess fails, and $h(p_e)$ the binary entropy. If one of $M$ places has to be guessed, Fano's inequality is Eq. 1 of the paper. Eq. 3 is the same for paths with $s$ allowed errors. The smallest $p_e$ that satisfies it gives the *loose bound* $1 - p_e$.
#
# $$H(X) - I \le h(p_e) + p_e \log(M - 1), \qquad \text{(Eq. 1)}$$
#
# $$H(X) - I \le h(p_e) + p_e \log\frac{M^T - N(s)}{N(s)} + \log N(s). \qquad \text{(Eq. 3)}$$
#
# The *tight bound* uses the probabilities of paths. The left inequality limits the attacker, and Eq. 5 replaces the unknown $Q$ by a sum that can be computed. Each term is the largest probability of $T - l$ places at fixed steps.
#
# $$-I \le h(p_e) + (1 - p_e) \log Q, \qquad Q \le \sum_{l=0}^{s} \binom{T}{l} \max \Pr[X_{t_1} = x_1, \dots, X_{t_{T-l}} = x_{T-l}]. \qquad \text{(Eq. 5)}$$
#
# For noisy counts, $I$ is replaced by a closed form, Eq. 4, which stands [below](fano-replicated-eq4). A bound of 1 says nothing, because no probability exceeds 1. The chapter [](../fano.ipynb) derives all of this.
#
# ## Does it reproduce?
#
# **The theoretical results reproduce, except the cost stated in Theorem 1, which we did not test. The results for the simulated person reproduce, too, as far as a figure with an axis from 0 to 1 can show. The results for real people cannot be tested,** because we have only a part of the paper's check-ins.
#
# The paper reports a single numerical result; all others appear only in figures. We therefore turned each sentence about a figure into a test in code. On the paper's axis, from 0 to 1, we treat differences below 0.05 as invisible. This is what words such as "almost matches" mean here.
#
# We chose this margin after we had seen the results. Four sentences that are *supported* by differences are contradicted if we compare ratios. They say that the bounds come closer for large $M$, that the tight bound almost matches the attack at small $s$, that the attacks are almost constant in $T$, and that the bounds are tightest at $T = 2$. Four verdicts about the simulated person rest on this margin, and others rest on further choices of ours. A [table](fano-replicated-choices) lists these choices, an alternative to each, and the verdict under it.
#
# One of the supported sentences cannot fail: that noise hardly changes the attack (`fano-fig7-map-flat` *supported*). It is about a hundred places, where no attack ever succeeds often enough to lose 0.05.

# %% tags=["remove-cell"]
from lib.papers import figures as plots
from lib.papers import scoreboard
from lib.papers import verdicts as findings
from lib.papers.fano_loss import figures

plots.use_style()
judged = findings.judged_with_pages("fano")

# %% tags=["remove-input"]
scoreboard.show_summary(judged)

# %% [markdown]
# The next table lists the paper's main conclusions in our words. The brackets hold our conditions and remarks.
#
# *Supported*, *contradicted* and *undecided* are verdicts of a test at the 95% level. They need the paper's own data, or a simulation as the paper describes it. If we have only a part of the data, the claim is *not tested*, and we test it on a *substitute*. The result is then *consistent*, *inconsistent* or *undecided*. *No substitute* means that we have no such data, either. An *input* is a value that we set or a formula that we evaluated, so agreement on it proves nothing.

# %% tags=["remove-input"]
scoreboard.show_conclusions(
    judged,
    {
        "Fano's inequality and the tight bound limit every attack on one person.": [
            "fano-bounds-above-estimators",
            "fano-fig5-tight-below-loose",
            "fano-eq4-bound",
        ],
        "If no step may be wrong, the most probable path (MAP) is the best guess, and the ball of the tight bound can be computed exactly.": [
            "fano-map-optimal-s0",
            "fano-ball-s0",
            "fano-eq3-reduces",
        ],
        "The loss of the simulated person falls with the number of places and with the number of steps that must be right.": [
            "fano-fig5-m-decreasing",
            "fano-fig5-steps-decreasing",
        ],
        "If two steps must be right, the loss grows with the length of the path, and the bounds are tightest for the shortest one (by difference from MAP; by ratio to MAP they are loosest there).": [
            "fano-fig5-T-minus-2"
        ],
        "If no step may be wrong, the tight bound almost matches the best attack (within 0.05; the attack succeeds with probability 10<sup>-11</sup>).": [
            "fano-fig5-tight-at-small-s"
        ],
        "If half of the steps may be wrong, the success of attacks is almost constant in the length of the path (within 0.05; that of MAP falls from 0.03 to 10<sup>-8</sup>).": [
            "fano-fig5-T-half"
        ],
        "Noise lowers both bounds (on a hundred places; on ten places both stay at 1).": [
            "fano-fig7-bounds"
        ],
        "Noise hardly changes the attack (on a hundred places, where this cannot fail, because the attack almost never succeeds even without noise; on ten places it falls).": [
            "fano-fig7-map-flat"
        ],
        "Real people who are counted often have high bounds, and the bounds of the others are spread from 0 to 1 (the first half holds on the substitutes, the second does not).": [
            "fano-fig3-foursquare",
            "fano-fig3-gowalla",
        ],
        "Real people who move slowly have high bounds (on the substitute for Foursquare; undecided on Gowalla).": [
            "fano-fig4-foursquare",
            "fano-fig4-gowalla",
        ],
        "Attacks on real people succeed more often than attacks on the simulated person (on the substitute for Foursquare; undecided on Gowalla).": [
            "fano-fig6-foursquare-above-simulated",
            "fano-fig6-gowalla-above-simulated",
        ],
    },
)

# %% [markdown]
# The next table counts the verdicts. Each row is a pair of datasets: the one that the paper used, and the one that we used for the same claims. The [scoreboard](../scoreboard.md) explains the verdicts and the rule. Ten claims are *inputs*. In the tables of this page, a dash marks a value that does not exist or that we did not compute.

# %% tags=["remove-input"]
scoreboard.show_by_data(judged)

# %% [markdown]
# Each part of this page ends with the paper's claims and their verdicts. *How to read a line:* the column *here* has the one number that decides, and the remark in the last column says after *shown* what it is. For a statement that was checked case by case it is the share of true cases, so 1 means always. For a line that falls it is the last value minus the first. If a claim says that two values nearly agree, the number is their difference. If a statement consists of several inequalities, *here* shows the one that is nearest to failing.
#
# *One rule for lines that fall.* The last value must be below the first, and no value may be significantly above an earlier one. So a line may be level in part, but a line that is level from end to end does not fall. If the paper speaks of several lines, all of them must fall.
#
# Some remarks explain the verdicts.
#
# - *The one printed number* is that MAP succeeds with a probability near 0.3 on the smallest map. Our agreement proves nothing: the paper does not say how small that map is, and we chose ten places because MAP succeeds there with a probability of about 0.3 (`fano-fig5-map-small-m` *input*).
# - *The axis.* Four sentences are true on the paper's axis and would be false on a logarithmic axis, as [the tables of Fig. 5](fano-replicated-fig5) show. Two of them need the margin: `fano-fig5-tight-at-small-s` *supported* and `fano-fig5-T-half` *supported*. The other two hold without any margin, because they compare differences: `fano-fig5-m-tightness` *supported* and `fano-fig5-T-minus-2` *supported*. They say where the bounds are closest to the attack. If we compare ratios, the bounds are farthest from it there. The verdict on `fano-fig5-constant-one-step` *supported* uses the margin for the word "non-negligible".
# - *Bounds with noise.* `fano-fig7-bounds` *supported* compares the bounds at different levels of noise with each other, as Fig. 7 does. It does not compare them with the bound for raw counts. The tight bound for very little noise ($\sigma = 0.1$) is slightly *above* that for raw counts, because Eq. 4 adds up the information in the counts as if they were independent. [The section on Fig. 7](fano-replicated-fig7) shows this. The paper finds the same for real people. With ten places both bounds are 1 at every $\sigma$.
# - *Attacks with noise.* `fano-fig7-map-flat` *supported* says nothing about noise, because with our margin the sentence cannot fail. With a hundred places every attack succeeds less than once in ten thousand times, even without noise. The moment bound in [the table of Fig. 7](fano-replicated-fig7) shows this. So noise cannot change the success of an attack by 0.05. With ten places, noise weakens MAP until its success cannot be distinguished from that of the guess without counts.
# - *People.* The paper has 9,760 users of Foursquare and 318 of Gowalla. In our parts of these data, 429 and 42 users are active enough. Whenever a verdict refers to a substitute, it refers to these users. A part of the data can show that something occurs, but not that it never occurs.
# - *Unseen transitions.* Fig. 3 and 4 depend on the probability of transitions that never occurred, which the paper does not discuss. [A section below](fano-replicated-unseen) shows another choice. It comes closer to the paper, and it would turn the verdict on Foursquare's Fig. 3 into *consistent* and that on Gowalla's Fig. 3 into *undecided*.
# - *Cost.* We counted the operations that the most probable path needs (`fano-prop1` *supported*). The guess from the prior calls the same function with constant likelihoods, and it is this call that we counted (`fano-prop2` *supported*). We did not count the operations of Eq. 5 (`fano-thm1` *not tested*). That its recursion gives the right values is [checked by enumeration](fano-replicated-truth).
#
# The paper prints no values in its figures, so our figures show no published values.

# %% [markdown]
# (fano-replicated-by-hand)=
# ### One verdict by hand
#
# The paper says that the tight bound "almost matches" the attacks when $s$ is small. How does such a sentence become a verdict? We know the exact success of each attack and the tight bound for a hundred sequences of sensors. For each sequence we subtract the best attack from the bound, first for $s = 0$. The sequences were drawn at random, so the mean difference has a standard error. [The rule](scoreboard-rule) tests in both directions. The sentence is *supported* if the difference is below the margin of 0.05 at the one-sided 95% level. It is *contradicted* if the difference is above the margin at that level. Otherwise it is *undecided*.

# %%
import numpy as np
import pandas as pd
from lib.papers.fano_loss import experiments as fano
from scipy import stats

rows = fano.sweeps.stored()
all_steps = rows[(rows["swept"] == "T - s") & (rows["value"] == 10)]
gap = all_steps["tight"] - all_steps[["MAP", "prior", "constant"]].max(axis=1)
half = stats.t.ppf(0.95, len(gap) - 1) * gap.sem()
low, high = gap.mean() - half, gap.mean() + half
print(
    f"best attack {all_steps['MAP'].mean():.2g}, tight bound {all_steps['tight'].mean():.4f}"
)
print(
    f"difference {gap.mean():.4f}, at the 95% level above {low:.4f} and below {high:.4f}"
)
if high < 0.05:
    print("supported")
else:
    print("contradicted" if low > 0.05 else "undecided")

# %% [markdown]
# The sentence is *supported*, and its line in the table of claims adds *by a margin of ours*. The first line of the output shows why the margin matters: the bound is more than a billion times the success of the attack. We state the margin so that you can disagree with it.
#
# The library has this test as `predicates.close`. It also tests that the difference is not below -0.05, and it divides the level for a contradiction among both tests. What if *small* means more than $s = 0$?

# %%
from lib.papers import predicates

for s in range(5):
    at_s = rows[(rows["swept"] == "T - s") & (rows["value"] == 10 - s)]
    gap = at_s["tight"] - at_s[["MAP", "prior", "constant"]].max(axis=1)
    test = predicates.close(predicates.estimate(gap), 0.0, within=0.05)
    print(f"s = {s}: difference {gap.mean():.4f}, {test.verdict}")

# %% [markdown]
# Up to $s = 2$ the sentence holds within our margin, and from $s = 3$ on it does not. The verdict on the claim is that for $s = 0$, the case in which the word "small" cannot be disputed.
#
# The figure shows the same values on two axes. On the paper's axis the bound and the attacks seem to meet if many steps must be right. On the logarithmic axis they drift apart.

# %% mystnb={"figure": {"name": "fig-fano-axes", "caption": "The same values twice: the tight bound and two attacks on the simulated person, against the number of steps that must be right. Everything in the grey band is within the margin of 0.05 of 0. On an axis from 0 to 1, as in the paper, bound and attacks meet at the right. On a logarithmic axis their distance grows with every step."}, "image": {"alt": "Two panels with the same three lines, the tight bound, MAP and the constant guess, against the number of right steps asked for. On an axis from 0 to 1 all lines end near 0; on a logarithmic axis the bound stays above one hundredth while the attacks fall below one in ten billion."}} tags=["hide-input"]
figures.two_axes(fano.sweep_means(rows).loc["T - s"], margin=0.05)

# %% [markdown]
# ```{admonition} In ninety minutes
# :class: tip
# *Goals.* After this session students can turn a sentence about a figure into a test, say which of their choices decide its verdict, and tell a bound of 1 from a large loss. *Preparation:* read the chapter [](../fano.ipynb) up to the section on [longer paths](fano-fig5), and [the rule](scoreboard-rule).
#
# | minutes | what |
# |---|---|
# | 10 | [what the paper does](fano-replicated-setup), on the board; read two lines of a table of claims together |
# | 15 | the discussion of {numref}`fig-fano-axes` below |
# | 20 | [one verdict by hand](fano-replicated-by-hand), then the first two sentences of {ref}`fano-rep-ex-margin` |
# | 10 | [the table of choices](fano-replicated-choices): which choice would you have made? |
# | 25 | {ref}`fano-rep-ex-test` in pairs, at the keyboard |
# | 10 | {ref}`fano-rep-ex-noise` |
#
# {ref}`fano-rep-ex-example`, the third sentence of {ref}`fano-rep-ex-margin`, and {ref}`fano-rep-ex-zero` are homework.
#
# *The discussion.* Show the upper panel of {numref}`fig-fano-axes` and ask whether the paper's sentence "almost matches" is true. Take a vote. Then show the lower panel and vote again. The discussion is about the word "almost": for whom is a success of one in a hundred billion the same as one in forty? A second question for the board: what does an upper bound of 1 tell the person who is counted? Many will answer "everything is revealed"; the answer is "nothing", as [an exercise](fano-rep-ex-noise) shows.
# ```

# %% [markdown]
# (fano-replicated-choices)=
# ### Which verdicts depend on our choices?
#
# The paper does not define words such as "almost", "spread" or "slow". Sometimes it does not say which map or which users a sentence is about. The table lists our choices that could decide a verdict. It shows the verdict with our choice, and the verdict with an alternative that another reader might prefer. The rows that name Foursquare or Gowalla are about substitute data. The rows on costs are about the number of operations. All other rows are about the simulated person.

# %%
from lib.papers import figures as plots
from lib.papers.fano_loss import choices

plots.show_table(choices.table(), "choices")

# %% [markdown]
# In four rows the alternative does not change the verdict. If we add one to each transition, the verdicts on slow users stay as they are, on Foursquare and on Gowalla. If we look at the tight bound alone, Gowalla stays undecided. And noise hardly changes MAP on a hundred places even within 0.001, because no attack exceeds the moment bound in [the table of Fig. 7](fano-replicated-fig7). In all other rows the choice decides.
#
# Why did we choose as we did?
#
# - *Difference or ratio.* The paper plots losses on an axis from 0 to 1. A reader of this axis sees differences, so we compare differences.
# - *Lines that fall.* Probabilities cannot exceed 1. So a bound may stay at 1 before it falls, as the tight bound does with 10 and 20 places.
# - *Map.* If the paper does not sweep $M$, Sec. 4.1 fixes $M = 100$. So Fig. 7 is about a hundred places. Ten places are our addition.
# - *Bounds of real people.* The paper says that "upper bounds" fall, so we require it of both. On Foursquare the loose bound is below 1 for a single user, so its fall is not significant. On Gowalla it is 1 for everybody at every noise. Other users might have a lower one, so this is undecided and no contradiction.
# - *Spread.* The limit of half the axis is ours. The paper says "scattered between 0 and 1". No bound on our part of Foursquare comes near 0, as [the table of Fig. 3](fano-replicated-fig3) shows.
# - *Users.* The paper plots each individual, so all users enter Fig. 4, as they enter the other figures. Only the three users without a spectral gap cannot enter it. Earlier we left out those users who left some place and never came back, in the belief that their chain has no unique stationary distribution. That was an error: every sequence of places ends in a single closed class of the chain that is estimated from it, so the stationary distribution is unique. On Foursquare [the correlation exists only among these users](fano-replicated-fig4).
# - *Allowed errors.* In the paper, one step may be wrong ($s = 1$) in the attacks on real people, unless $s$ is varied.

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
# In Example 1 an attacker sees one raw count. One sensor is at a place where the person is likely to be, the other at a place where they are unlikely to be. The first table shows the information $I$ in the count, the binary entropy $h(p)$, the success of the best attacker, the loose bound, and the advantage over guessing that the bound allows (Adv). The information equals the binary entropy, which rises with $p$ up to $p = 1/2$. So of two places with $p \le 1/2$, a count reveals less at the one where the person is less likely to be. A count at a place where they almost certainly are would also reveal little.
#
# Example 2 compares two people on five places. Both are counted at the sensor in the first step. In the second step the sensor is elsewhere and does not count them. One person stays where they are with probability 0.96, the other with probability 0.2; otherwise they go to any of the other four places. The second table shows the probability that the best guess of both steps is right. It is larger for the person who tends to stay.

# We recompute the first table step by step. The person is at one of four places, and Fano's inequality ({prf:ref}`thm-fano-advantage`) limits every guess:

# %%
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
# How much information does one noisy count contain about one step? Let $p_t = \Pr[X_t = c_t]$ be the probability that the person is at the sensor of step $t$, and $d = 1/(2\sigma^2)$. Eq. 4 of the paper is
#
# $$I \le \sum_{t=1}^{T} \Big[ -p_t \log\big(p_t + (1 - p_t)\, e^{-d}\big) - (1 - p_t) \log\big(1 - p_t + p_t\, e^{-d}\big) \Big] . \qquad \text{(Eq. 4)}$$
#
# App. C derives it in two steps. First, the noise is independent across steps, so the information in all counts together is at most the sum of the information in the single counts.
#
# The second step is a theorem from the literature. For one count it can be proved as follows. Write $p$ for $p_t$. A noisy count follows a mixture of two normal distributions whose means differ by 1. If the person is at the sensor, the distribution is $N_1$ with mean 1, and otherwise $N_0$ with mean 0. The mixture is $p N_1 + (1-p) N_0$. The information is the mean divergence of the parts from the mixture. For the part $N_1$ this divergence is
#
# $$\mathrm{E}_{N_1}\Big[\log\frac{N_1}{p N_1 + (1-p) N_0}\Big] = -\mathrm{E}_{N_1}\big[\log\big(p + (1-p)\, e^{-L}\big)\big], \qquad L = \log\frac{N_1}{N_0} .$$
#
# The function $L \mapsto \log(p + (1-p)\, e^{-L})$ is convex. Jensen's inequality therefore says that replacing $L$ by its mean can only increase the right side. The mean of $L$ under $N_1$ is the Kullback-Leibler divergence of two normal distributions whose means are 1 apart, which is $d$. This gives the first term of Eq. 4, and $N_0$ gives the second one. This is why the divergences appear in Eq. 4 as exponentials.
#
# We compute both sides for one count. The exact information is the entropy of the mixture minus the entropy of the noise:

# %%
from scipy.integrate import quad

for p, sigma in ((0.1, 1.0), (0.5, 1.0), (0.5, 3.0)):
    e = np.exp(-1 / (2 * sigma**2))
    closed = -p * np.log(p + (1 - p) * e) - (1 - p) * np.log(1 - p + p * e)

    def density(y, p=p, sigma=sigma):
        return p * stats.norm.pdf(y, 1, sigma) + (1 - p) * stats.norm.pdf(y, 0, sigma)

    mixture = quad(lambda y: entr(density(y)), -9 * sigma, 1 + 9 * sigma)[0]
    exact = mixture - stats.norm(0, sigma).entropy()
    print(f"p = {p}, σ = {sigma}: Eq. 4 {closed:.4g}, exact {exact:.4g}")

# %% [markdown]
# The table has the same comparison for more noises, in nats. The row *raw* gives the information in a noise-free count, namely the binary entropy $h(p)$. The closed form is never smaller than the exact information. From $\sigma = 1$ on it is about twice as large.

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
# Only terms with $l \le s$ are needed, so at most $s$ steps are free. In our program the number of fixed steps then takes at most $T$ values. The number of free steps before the last fixed one and $\Delta$ take at most $s + 1$ values each. So the maxima take at most $T (s+1)^2 M^2$ operations. The powers of the transition matrix take another $(s + 1) M^3$. The paper states $T^3 M^2$ and $T \log T\, M^3$. We derived our two numbers from the loops and did not count them.
#
# We compared the recursion with an enumeration of all paths, on two hundred random chains with up to five places and five steps. The table counts the cases in which each statement is true. The first row covers only cases with $s = 0$, in which MAP reaches the best possible success. The other rows cover the 160 chains with at most 300 paths.

# %% tags=["hide-input"]
cases = fano.enumerated_chains.stored()
names = ["prior is best", "Theorem 1", "ball at s = 0", "Eq. 3 is Eq. 1"]
at_zero = cases[cases["s"] == 0]
best = (at_zero["map"] - at_zero["best"]).abs() < 1e-9
checked = {"MAP is best at s = 0": best} | {name: cases[name] for name in names}
counted = pd.DataFrame(checked).agg(["count", "sum"]).T.astype(int)
plots.show_table(counted.set_axis(["cases", "true"], axis=1), "identities")

# %% [markdown]
# The next table shows how far attacks and bounds are from the best possible success, on all two hundred chains. Bounds are never below it, and MAP is never above it.

# %% tags=["hide-input"]
plots.show_table(figures.case_table(cases), "truth")

# %% [markdown]
# How expensive is it to find the most probable path of $T$ steps on $M$ places? The first table counts the values computed, the second the values held in memory. Doubling the steps slightly more than doubles the operations, because the first step needs none. Doubling the places multiplies them by a little less than four.

# %% tags=["hide-input"]
costs = fano.costs.stored().drop(columns="data")
operations = costs.pivot(index="T", columns="M", values="operations")
plots.show_table(operations.add_prefix("M = "), "costs")
held = costs.pivot(index="T", columns="M", values="numbers held")
plots.show_table(held.add_prefix("M = "), "numbers-held")
print(
    f"twice the steps, M = 80: {operations.loc[80, 80] / operations.loc[40, 80]:.3f} times"
)
print(
    f"twice the places, T = 80: {operations.loc[80, 80] / operations.loc[80, 40]:.3f} times"
)

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-truth")

# %% [markdown]
# (fano-replicated-data)=
# ## The check-ins (Sec. 4.1)
#
# In the rows *read*, a time step is a day for the check-ins and an hour for the flights, a dataset that the paper does not use. In the rows *active enough*, it is a window of 20 days for the check-ins and a day for the flights. The latter rows include only users who are active in at least ten windows. The last column is the share of attacked steps in which the user is *somewhere else*, at none of the hundred places.

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
# - A user never leaves a place that they never left in training. If a user left some place and never came back, the chain is reducible, and its stationary distribution gives this place probability 0. If a chain is reducible or periodic, we give a millionth of each transition probability to a uniform choice among the user's places.
# - An attack succeeds if $d \le s$. (In one place, Sec. 4.1, the paper writes $d < s$.)
# - When attacking real users, MAP treats raw counts as if they had noise of $\sigma = 0.05$. Otherwise no path would agree with the counts whenever a user is at a new place.

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-data")

# %% [markdown]
# (fano-replicated-fig3)=
# ## Fig. 3: does being counted often raise the bound?
#
# In Fig. 3 one sensor stays at the most visited place in every step, and one step may be wrong ($s = 1$). The paper finds high bounds for users who visit this place often, and bounds scattered between 0 and 1 for the others. In our parts of the data no bound is near 0, and most are near 1, even among users who never visited the place. In the tables of this section, *often* means in at least a quarter of the training steps, *sometimes* means less often, and *never* means in no training step:

# %%
found = fano.habits.stored()
found = found[found["chains"] == "as decided"]
for name, bounds in found[found["visits"] == 0].groupby("data")["fixed"]:
    print(
        f"{name}, never there: smallest bound {bounds.min():.3f}, "
        f"above 0.9 for {(bounds > 0.9).mean():.0%} of {len(bounds)} users"
    )

# %% mystnb={"figure": {"name": "fig-fano-r3", "caption": "Figure 3 of the paper, on parts of its data and on flights; each point is a user. Users who were at the sensor's place in training have a bound near 1, but so do most users who were never there."}, "image": {"alt": "Three panels, Gowalla, Foursquare and flights by tail: each user's tight bound against their visits to the sensor's place in training. Users with visits are at one; those without are between about 0.4 and one, on Gowalla all at one."}} tags=["hide-input"]
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
# Fig. 4 shows the same users with sensors at random places. The spectral gap of a chain is small if the user moves slowly. The paper finds that such users have higher bounds. The table shows Spearman's rank correlation of bound and gap with its 95% bootstrap interval over users, for three ways to treat the data. If nearly all bounds are equal, as on Gowalla, such an interval is too narrow. The first one makes the verdict, because the paper plots all users:
#
# - *only what was seen* estimates each transition probability by its relative frequency;
# - *who always came back* does the same, but excludes users who left some place and never came back, so that every remaining chain is irreducible;
# - *one added* adds one to the count of each transition between places that the user visited.

# %% mystnb={"figure": {"name": "fig-fano-r4", "caption": "Figure 4 of the paper, on parts of its data and on flights; each point is a user. Most bounds are near 1 at every spectral gap."}, "image": {"alt": "Three panels, Gowalla, Foursquare and flights by tail: each user's tight bound against the spectral gap of their chain. Most points are at one, at every gap."}} tags=["hide-input"]
figures.users(habits, "gap", "spectral gap of the user's chain", "random")

# %% tags=["hide-input"]
correlations = fano.correlations(habits)
told = figures.correlation_table(correlations)["correlation [95%]"]
told = told.unstack("chains", sort=False)
told = told.rename(columns={"the same, settled only": "who always came back"})
plots.show_table(told, "fig-4")

# %% [markdown]
# On Foursquare and on the flights the correlation is negative, as in the paper. On Gowalla the result is undecided. Where does the negative correlation come from? We divide the users. The column `mixed` marks those who left some place and never came back. A few users have no gap, so we leave them out:

# %%
decided = fano.habits.stored()
decided = decided[decided["chains"] == "as decided"]
known = decided.dropna(subset=["gap"])
without_gap = decided[decided["gap"].isna()]
print(f"without a gap: {without_gap['data'].value_counts().to_dict()}")
for (name, never_back), group in known.groupby(["data", "mixed"]):
    who = "never came back to some place" if never_back else "always came back"
    ranks = group[["gap", "random"]].corr("spearman").iloc[0, 1]
    print(
        f"{name}, {who}: {len(group)} users, mean gap {group['gap'].mean():.2f}, "
        f"mean bound {group['random'].mean():.2f}, correlation {ranks:.2f}"
    )

# %% [markdown]
# Three users of Foursquare were at the same place in all training steps. A chain with a single place has no second eigenvalue, and so no gap.
#
# On Foursquare the correlation is there among the users who never came back to some place, and it is absent among the others. So the verdict on Foursquare rests on users whose transitions are known least. On Gowalla the bounds of the other users are all 1, so there is no correlation to compute.

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig4")

# %% [markdown]
# (fano-replicated-unseen)=
# ### Sensitivity to transitions that were never seen
#
# Suppose we add one to the count of each transition between places that a user visited. Then the correlation of Fig. 4 is clearly negative on all three datasets (last column of the table above). The paper also says that some slow users have small bounds. We call a user slow if their gap is below the median, and a bound small if it is below 0.5. How many such users are there?

# %%
one_added = fano.habits.stored()
one_added = one_added[one_added["chains"] == "one added"].dropna(subset=["gap"])
for name, of_data in one_added.groupby("data"):
    slow = of_data[of_data["gap"] < of_data["gap"].median()]
    print(
        f"{name}: {len(slow)} slow users, {(slow['random'] < 0.5).sum()} with a small bound"
    )

# %% [markdown]
# On Gowalla no slow user has a small bound. So half of the sentence about Fig. 4 holds there, and the verdict stays *undecided*. Fig. 3 changes, too, as the next tables show. The groups are those of [the tables of Fig. 3](fano-replicated-fig3).

# %% tags=["hide-input"]
plots.show_parts(by_visits.xs("one added", level="chains"), "fig-3-added")

# %% [markdown]
# On Foursquare and on the flights, the bounds of users who were never at the sensor are now spread as the paper describes. On Gowalla they cover more than half of the axis, but with so few users this is not significant, and only one user is often at the sensor.
#
# So on the paper's two datasets, adding one comes closer to what the paper describes than relative frequencies do. On the flights it does not: users who were often at the sensor no longer have bounds near 1. But the paper does not use the flights, so they say nothing about what the authors did. We keep relative frequencies, because the paper names them. You may prefer the other choice; [the table of choices](fano-replicated-choices) shows the verdicts under both.

# %% [markdown]
# (fano-replicated-fig5)=
# ## Fig. 5: the simulated person
#
# How do attacks and bounds depend on the map and the path? Each point is a mean over a hundred sequences of sensors, and the success for each sequence is exact. Our axis is logarithmic, because on the paper's axis, from 0 to 1, nearly all attacks would be indistinguishable from 0.

# %% mystnb={"figure": {"name": "fig-fano-r5a", "caption": "Figure 5 of the paper, upper panels. All attacks fall with the number of places and with the number of steps that must be right. No bound rises: the tight bound is 1 for 10 and 20 places and then falls, and the loose bound is 1 if one or two steps must be right. The bounds lie far above the attacks."}, "image": {"alt": "Two panels on a logarithmic axis, simulated person. Above, against the number of places; below, against the number of right steps asked for: four attacks fall over many powers of ten, both bounds little."}} tags=["hide-input"]
sweeps = fano.sweeps.stored()
means, errors = fano.sweep_means(sweeps), fano.sweep_means(sweeps, "sem")
figures.sweeps(means, {"M": "places M", "T - s": "right steps asked for, T − s"})

# %% tags=["hide-input"]
print(fano.sweeps.source(), "(points), means and 95% intervals over sequences")
lines = ["MAP", "prior", "tight", "loose"]
for swept, name in (("M", "places M"), ("T - s", "steps asked for")):
    of_one = sweeps[sweeps["swept"] == swept]
    plots.show_table(figures.swept_table(of_one, lines, name), f"fig-5-{name[:5]}")

# %% mystnb={"figure": {"name": "fig-fano-r5b", "caption": "Figure 5 of the paper, lower panels. If half of the steps must be right, the tight bound stays near 0.1, the loose bound rises slowly, and the attacks fall with every step. If two steps must be right, all lines rise."}, "image": {"alt": "Two panels on a logarithmic axis, simulated person, against up to twenty time steps. Above, half of the steps may be wrong: the tight bound stays near 0.1, the loose bound rises slowly, attacks fall. Below, two steps must be right: all lines rise."}} tags=["hide-input"]
panels = {fano.HALF: "time steps T, s = T/2", fano.MINUS_2: "time steps T, s = T − 2"}
figures.sweeps(means, panels)

# %% tags=["hide-input"]
for swept, name in ((fano.HALF, "T, s = T/2"), (fano.MINUS_2, "T, s = T - 2")):
    of_one = sweeps[sweeps["swept"] == swept]
    table = figures.swept_table(of_one, lines, name)
    plots.show_table(table, f"fig-5-T-{'half' if swept == fano.HALF else 'minus-2'}")

# %% [markdown]
# Where are the bounds closest to MAP? We compare them with MAP. By difference they are closest on the largest map and for the shortest path, as the paper says. By ratio they are farthest from MAP for the shortest path. Over the three maps that we print, the ratio grows with the map:

# %%
averages = fano.sweep_means(fano.sweeps.stored())
for swept, name in (("M", "M"), (fano.MINUS_2, "s = T - 2, T")):
    per_point = averages.loc[swept]
    for value in per_point.index[[0, 1, -1]]:
        loose, tight, attack = per_point.loc[value, ["loose", "tight", "MAP"]]
        print(
            f"{name} = {value}: loose bound - MAP {loose - attack:.3f}, ratio {loose / attack:.3g}; "
            f"tight bound - MAP {tight - attack:.3f}, ratio {tight / attack:.3g}"
        )

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
# In the table, four of five steps must be right. MAP is hardly better than maximum a priori, the best guess without counts, so the counts add little to what the attacker knew before. If only right steps at real places count, MAP keeps most of its successes on Gowalla, but few on the other two datasets. On those two datasets, MAP often succeeds only because it guesses *somewhere else*, which reveals little. The rows $T - s = 1$ of the folded table show this best: most users on whom MAP has at least one right step have none at a real place. The folded tables give all means, then their standard errors over users.

# %% tags=["hide-cell"]
plots.show_table(step_means.rename(columns=figures.WORDS), "fig-6")
plots.show_table(step_errors.rename(columns=figures.WORDS), "fig-6-errors")

# %% [markdown]
# Do attacks succeed more often on real people than on the simulated person? The table shows the simulated person with the same number of steps, $T = 5$. For MAP the difference is large on all three datasets.
#
# The constant guess is right for very few users, so we use an exact test. Suppose it succeeded on real users only as often as on the simulated person, with $T - s = 4$. How likely is it that the luckiest of a hundred places is right for so many users? We compute this for one place and multiply by a hundred (Bonferroni). The claim is *consistent* with the data if the result is below 5%.

# %% tags=["hide-input"]
simulated = means.loc[fano.SHORT, ["MAP", "constant"]]
plots.show_table(simulated.rename_axis("T - s"), "short")

# %%
beside = fano.sweeps.stored()
beside = beside[(beside["swept"] == "T - s, short") & (beside["value"] == 4)]
chance = beside["constant"].mean()
lucky_guess = fano.constant_guesses.stored()
for row in lucky_guess[lucky_guess["T - s"] == 4].itertuples():
    luck = min(1, 100 * stats.binom.sf(row.hits - 1, row.users, chance))
    print(f"{row.data}: right for {row.hits} of {row.users} users, by luck {luck:.2g}")

# %% [markdown]
# On Gowalla one success among 42 users is not quite enough. The claim is *undecided* there, although both attacks did better than on the simulated person.

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig6")

# %% [markdown]
# (fano-replicated-fig7)=
# ## Fig. 7: noise, simulated person
#
# Does noise lower the bounds, and does it stop the attack? The caption of the paper's Fig. 7 does not say how many places the map has. Sec. 4.1 sets $M = 100$, and the verdicts are about this map. We add a map of ten places.
#
# With ten places the tight bound stays at 1 although noise takes away four fifths of the attack's success. With a hundred places the bound falls, but the attack fails even without noise.
#
# At $\sigma = 0.1$ and a hundred places the bound is slightly higher than for raw counts, although noise cannot add information. Why? For each single count Eq. 4 is practically exact at this noise, as [the table above](fano-replicated-eq4) shows. But it adds up the counts as if they were independent. For raw counts the paper takes into account that each count depends on the one before. Its sum is $\sum_t H(\text{count}_t \mid \text{count}_{t-1})$. We compare the two sums with the exact information in all raw counts together:

# %%
from lib import reconstruction as rec

sequences = fano.sample_sensors(2024, 100, 10, 100)  # seed, places, steps, sequences
simulated_person = rec.distance_chain(100, tau=0.1)
at_sensor = simulated_person.initial[sequences]  # stationary: the same in every step
entropies = (entr(at_sensor) + entr(1 - at_sensor)).sum(axis=1)
noisy_sum = rec.mutual_information(simulated_person, sequences, noise_std=0.1)
paper_raw = rec.mutual_information(simulated_person, sequences)
exact_raw = rec.mutual_information(simulated_person, sequences, information="exact")
print(f"noise of 0.1: Eq. 4 {noisy_sum.mean():.4f}")
print(f"raw: sum of the entropies of single counts {entropies.mean():.4f}")
print(f"raw: sum of the paper, each count given the last {paper_raw.mean():.4f}")
print(f"raw: exact information in all counts {exact_raw.mean():.4f}")

# %% [markdown]
# Eq. 4 agrees with the sum of the entropies, and both are larger than the paper's sum for raw counts. So the whole difference comes from adding up dependent counts. This is true for every chain. No term of Eq. 4 exceeds the entropy of one raw count, so only the summation can take Eq. 4 above the information in raw counts.
#
# The column *tight, smaller I* uses the smaller of Eq. 4 and the information in raw counts. This, too, is a valid bound, and it never exceeds that of raw counts.
#
# Why does the moment bound not fall on a hundred places? The library computes it in two ways and reports the smaller result. One way ignores the noise: a bound for exact counts is also a bound for noisy ones. The other uses the information in the noisy counts, like the tight bound. On a hundred places the first way gives the smaller bound at every level of noise, so the column is constant. [The chapter on bounds](fano-noise) explains this.
#
# With noise, MAP is simulated in eleven runs for each sequence of sensors, and its interval is *over runs*. Without noise it is exact, and its interval is *over sequences*. The two intervals are not comparable. At $\sigma = 0.1$ and ten places MAP lies a little below its value without noise, but its interval contains that value. Is this chance? We attack the same simulated paths once without noise and once with it:

# %%
runs = fano.noisy_runs([0.1], n_runs=1000).pivot(index="run", columns="σ")["MAP"]
changed = (runs[0.0] != runs[0.1]).sum()
print(f"{len(runs)} paths: MAP {runs[0.0].mean()} and {runs[0.1].mean()}")
print(f"paths on which the result changed: {changed}")

# %% [markdown]
# It is chance. A count of 0 or 1 is misread only if the noise exceeds 1/2, which is five standard deviations.

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
# With ten places, noise weakens MAP until its success cannot be distinguished from that of the guess without counts. At the strongest noise, the success of *maximum a priori* in [the table over places](fano-replicated-fig5) is 0.056, inside MAP's interval.
#
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
# The tables show Foursquare, then Gowalla: the tight bound, MAP and its standard error, and the share of users whose tight bound is *higher* with noise than without (*above raw*). Noise cannot add information. If the bound is higher with noise, this is because Eq. 4 adds up dependent counts, as it does [for the simulated person](fano-replicated-fig7). The last table tests each bound alone: the bound at $\sigma = 10$ minus that at $\sigma = 0.1$, paired over users.

# %% tags=["hide-input"]
for name in ("foursquare", "gowalla"):
    own = figures.with_raw(real_noise.loc[[name]]).loc[name]
    columns = ["tight", "tight, one added", "MAP", "MAP error", "above raw"]
    plots.show_table(own[columns], f"fig-8-{name}")

# %%
loss = fano.attack_people.stored()
loss = loss[(loss["T - s"] == 4) & (loss["σ"] > 0)]
tested = {}
for name, of_one in loss.groupby("data", sort=False):
    for bound in ("loose", "tight"):
        wide = of_one.pivot(index="user", columns="σ", values=bound)
        fall = predicates.decreasing(wide)
        tested[name, bound] = {
            "users below 1": (wide < 1).any(axis=1).sum(),
            "change": fall.here.value,
            "standard error": fall.here.error,
            "it falls": fall.verdict,
        }
plots.show_table(pd.DataFrame.from_dict(tested, orient="index"), "fig-8-each")

# %% [markdown]
# On Foursquare and on the flights the tight bound falls significantly. The loose bound does not, because it is 1 for all users but one. The paper's sentence is about both bounds, so it is undecided. On Gowalla the tight bound is below 1 for three users only, and its fall is not significant.

# %% [markdown]
# Does noise protect these people from MAP? We compare MAP with *maximum a priori*, the guess without counts:

# %%
four_right = fano.attack_people.stored()
four_right = four_right[four_right["T - s"] == 4]
for name, of_one in four_right.groupby("data", sort=False):
    success = of_one.groupby("σ")[["MAP", "prior"]].mean()
    print(
        f"{name}: MAP without noise {success.loc[0.0, 'MAP']:.4f}, with σ = 10 "
        f"{success.loc[10.0, 'MAP']:.4f}, guess without counts {success.loc[0.0, 'prior']:.4f}"
    )

# %% [markdown]
# On Foursquare and Gowalla the strongest noise takes away all that the counts added to the success of MAP. But this was little. Noise removes what the counts reveal, and it cannot remove what an attacker knows about a person's habits. The paper draws the same conclusion.

# %% tags=["hide-cell"]
plots.show_table(figures.with_raw(real_noise), "fig-8")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig8")

# %% [markdown]
# ## What the paper did not do
#
# The chapter [](../fano_bounds.ipynb) improves the bounds. The folded table shows how far bounds lie above the best attack at every point of Fig. 5. The *paper's gap* is that of the better of its two bounds. The *gap of exact I and KL* is that of the tight bound with exact information and a sharper form of the inequality, and the *gap of moments* is that of the moment bound. All three are distances from the best attack. The columns *closed by* give the share of the paper's gap that each bound removes. The last column is the moment bound divided by the success of the best attack. The moment bound closes most of the gap everywhere except on ten places. Exact information closes little of it.
#
# The other table shows the tight bound for three values of $Q$, the largest probability of a ball. All three use the exact information and the sharper inequality. *Q of Eq. 5* is the paper's sum. *Q by moments* is a smaller upper limit of $Q$. *Least Q* is the probability of the ball around the prior's guess. The true $Q$ cannot be smaller than this, so no better limit of $Q$ could lower the tight bound further. With 20 places a better limit lowers the bound from 1 to at best 0.54. With 10 places it does not help, and with 200 places it hardly does.

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
# If no step may be wrong, MAP is the best possible guess. In this example, if two or more of the four steps may be wrong, the posterior modes are better. With ten steps on a hundred places, more errors must be allowed before the posterior modes win. In the folded table of [Fig. 5](fano-replicated-fig5), MAP is better up to $s = 5$ (the row $T - s = 5$), and the posterior modes are better from $s = 6$ on.
#
# (fano-replicated-exercises)=
# ## Exercises
#
# ```{exercise} Example 2 by hand (★, 10 minutes)
# :label: fano-rep-ex-example
# A person is at one of five places and is counted there in the first step. They stay with probability $q$, and otherwise go to each of the other four places with the same probability. In the second step a sensor at one of the other places counts nobody. What is the best guess of the second step, and how often is it right? Check your formula on the [two numbers of the table](fano-replicated-examples) and by simulation. How much does the second count add to the success? Below which $q$ is it better to guess that the person moved?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-example
# :class: dropdown
# ````
#
# The person is at the sensor's place with probability $(1 - q)/4$, and the count excludes this. If $q \ge 1/5$, the best guess is that they stayed. It is right with probability $q / (1 - (1 - q)/4) = 4q / (3 + q)$. Each of the three other places that are left has probability $\frac{(1 - q)/4}{1 - (1 - q)/4} = (1 - q) / (3 + q)$. We simulate persons who start at place 0; the second sensor is at place 4:

# %%
rng = np.random.default_rng(1)
for q in (0.96, 0.2, 0.1):
    second = np.where(rng.random(400_000) < q, 0, rng.integers(1, 5, 400_000))
    unseen = second[second != 4]
    often = np.bincount(unseen, minlength=4) / len(unseen)
    print(
        f"q = {q}: stayed, formula {4 * q / (3 + q):.4f}, simulated {often[0]:.4f}; "
        f"at place 1, formula {(1 - q) / (3 + q):.4f}, simulated {often[1]:.4f}"
    )
    before, after = (max(q, (1 - q) / 4), max(4 * q, 1 - q) / (3 + q))
    print(f"    best guess without the second count {before:.4f}, with it {after:.4f}")

# %% [markdown]
# The two formulas are equal at $q = 1/5$, where all four remaining places are equally likely. Below this value, each of the other three places is a better guess than the place of the first step. The second count adds little for the slow person, and more for the fast one. *Learned:* after the same two counts, the path of somebody who moves slowly is easier to guess, because their habits, and not the second count, reveal the rest.
#
# ````{solution-end}
# ````
#
# ```{exercise} Another margin (★★, 15 minutes)
# :label: fano-rep-ex-margin
# Suppose that "almost" meant within a factor of two. Judge again three of the sentences that the margin of 0.05 decides: the tight bound almost matches the best attack at $s = 0$; with $s = T/2$ the success of attacks is almost constant; noise hardly changes the attack on a hundred places. The stored rows of Fig. 5 are `rows` [above](fano-replicated-by-hand). For the third sentence use the table of [Fig. 7](fano-replicated-fig7).
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-margin
# :class: dropdown
# ````

# %%
best_attack = all_steps[["MAP", "prior", "constant"]].max(axis=1)
exponent = np.log2(all_steps["tight"] / best_attack)
print(f"1. factor 2^{exponent.mean():.1f}, standard error {exponent.sem():.2f}")
by_time = rows[rows["swept"] == "T, s = T/2"].groupby("value")["MAP"].mean()
first, last = by_time.iloc[0], by_time.iloc[-1]
factor = np.log2(first / last)
print(f"2. MAP falls from {first:.2g} to {last:.2g}, by a factor 2^{factor:.1f}")
of_hundred = fano.noise_means(fano.noise.stored()).loc[100]
without, most = of_hundred["MAP"].iloc[0], of_hundred["95% high"].iloc[-1]
print(f"3. without noise {without:.2g}, with noise at most {most:.2g}")

# %% [markdown]
# A factor of two corresponds to an exponent of 1. The first two sentences would be contradicted by far. The third would be undecided: no simulated attack with noise succeeded, so the interval reaches from 0 to 0.003 and contains both equal and very different values. *Learned:* what a figure shows depends on its axis. A margin must be stated, because a verdict depends on it.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write a test yourself (★★, 25 minutes)
# :label: fano-rep-ex-test
# The paper writes: "we observe that adding noise does not change the privacy loss for the MAP estimator much". Turn this into a test with the margin of 0.05. `predicates.Estimate(value, error)` holds a number and its standard error, and `predicates.estimate(values)` computes both from one value for each user. `predicates.close(a, b, within)` tests whether two independent numbers are less than `within` apart, and its attribute `verdict` is the result. If numbers are paired, test the mean of their differences against 0. Run your test on three sets of data: the simulated person on a hundred places, the same on ten places, and Foursquare. Compare raw counts with $\sigma = 10$. The simulated person's rows are `fano.noise.stored()`; `noise_means` gives MAP with its 95% interval. The rows of real users are `fano.attack_people.stored("foursquare")`, with `T - s` equal to 4; there the difference can be paired over users. What is the verdict on each? Then repeat the test with a stricter margin, 0.001. If the runs do not decide, does the moment bound in the table of [Fig. 7](fano-replicated-fig7)?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-test
# :class: dropdown
# ````
#
# The sentence is supported if the difference is below the margin at the one-sided 95% level, and contradicted if it is above the margin at that level. For the simulated person a success with noise is a share of runs. For Foursquare each user has both values.

# %%
tests = {}
means_by_noise = fano.noise_means(fano.noise.stored())
for m in (100, 10):
    ends = means_by_noise.loc[m].loc[[0.0, 10.0]]
    errors = (ends["95% high"] - ends["95% low"]) / 3.92  # of a 95% interval
    raw, noisy = map(predicates.Estimate, ends["MAP"], errors)
    tests[f"simulated, {m} places"] = (raw, noisy)
people = fano.attack_people.stored("foursquare")
people = people[people["T - s"] == 4].pivot(index="user", columns="σ", values="MAP")
paired = predicates.estimate(people[0.0] - people[10.0])
tests["Foursquare, paired"] = (paired, 0.0)
for name, (raw, noisy) in tests.items():
    difference = predicates.difference(raw, noisy)
    said = [predicates.close(raw, noisy, within).verdict for within in (0.05, 0.001)]
    print(f"{name}: {difference.value:.4f} ± {difference.error:.4f}, {said}")
limit = means_by_noise.loc[100, "moments"].max()
print(f"100 places: no attack succeeds with more than {limit:.2g}")

# %% [markdown]
# With the margin of 0.05 the sentence is supported on a hundred places, where it cannot fail, and contradicted on ten. On Foursquare it is supported (the page says *consistent*, because these are not the paper's own data). With the margin of 0.001 the sentence is contradicted on ten places and on Foursquare: a fall of 0.0035 is small, but it is significant. The table of choices says *undecided* for Foursquare, because it tests all five noises at once, each at a stricter level.
#
# On a hundred places the test of the runs is undecided at 0.001: eleven hundred runs are too few. There is a second reason not to trust this test. No run with noise succeeded, and the width of such an interval divided by 3.92 is not the standard error of a normal distribution. But no runs are needed. The moment bound limits every attack, and the last line shows its largest value. Both successes lie between 0 and this value, so they differ by less than 0.001. The sentence is supported at this margin, too. Only a margin below the bound, such as 0.00001 in the table of choices, leaves it undecided.
#
# *Learned:* the verdict on the same sentence depends on the map and on the margin, so state both. If simulation cannot decide, look for a bound.
#
# ````{solution-end}
# ````
#
# ```{exercise} A bound of 1 (★★, 10 minutes)
# :label: fano-rep-ex-noise
# On ten places the tight bound is 1 at every noise. A colleague concludes that noise does not protect a person on a small map. Use the tables of [Fig. 7](fano-replicated-fig7) to answer. Does noise reduce what the *best* attack can achieve, even though we do not know which attack that is? (The moment bound limits every attack.)
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-noise
# :class: dropdown
# ````

# %%
ten = fano.noise_means(fano.noise.stored()).loc[10]
ends = ten.loc[[0.0, 10.0], ["tight", "MAP", "moments"]]
ends.loc["without / with noise"] = ends.iloc[0] / ends.iloc[1]
ends.round(2)

# %% [markdown]
# A bound of 1 says nothing about any attacker: no success probability exceeds 1. The attack tells more. MAP falls from 0.31 to 0.06 as the noise grows. That is one attack, and with noise a better one might exist. The moment bound limits *every* attack. With the strongest noise no attack succeeds with more than 0.17, and without noise MAP alone succeeds with 0.31. So the best attack loses at least 0.14, whatever it is, and noise does protect. (A bound that falls would not be enough for this conclusion: 0.70 without noise is only an upper limit.) *Learned:* an upper bound that is high does not show that a loss is high.
#
# ````{solution-end}
# ````
#
# ```{exercise} No success in 1,100 runs (★★, by hand, 15 minutes)
# :label: fano-rep-ex-zero
# With a hundred places and noise, MAP is simulated in eleven runs for each of a hundred sequences of sensors, and it never succeeds. Which success probabilities $p$ are compatible with this at the 95% level? (Find the $p$ for which 1,100 failures in a row have a probability of 2.5%, and compare with the table of [Fig. 7](fano-replicated-fig7).) How many runs would it take to see that noise makes the attack weaker than without noise, if it never succeeded with noise?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-zero
# :class: dropdown
# ````
#
# All $n$ runs fail with probability $(1 - p)^n$. Setting this to 0.025 gives $p = 1 - 0.025^{1/n} \approx 3.7 / n$.

# %%
print(f"upper end with 1,100 runs: {1 - 0.025 ** (1 / 1100):.6f}")
exact_success = fano.noise_means(fano.noise.stored()).loc[(100, 0.0), "MAP"]
needed = np.log(0.025) / np.log1p(-exact_success)
print(f"without noise {exact_success:.3g}: {needed:,.0f} runs needed")

# %% [markdown]
# This is also the upper end of the interval in the table. It is about seventy times the success without noise, so 1,100 runs cannot tell them apart. Telling them apart would take seventy times as many runs. The claim `fano-fig7-map-flat` *supported* does not need to tell them apart, because both are far below the margin of 0.05.
#
# *Learned:* "it never happened" in $n$ runs excludes only probabilities above about $3.7 / n$. If an event may be rarer than this, compute its probability exactly, as this page does for counts without noise. If you cannot compute it, look for an upper bound on it, such as the moment bound.
#
# ````{solution-end}
# ````

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
# This page goes through every figure, example and theorem of *Measuring Privacy Loss in Distributed Spatio-Temporal Data* {cite:p}`fanoloss`, in the order of the paper, and replicates those for which we have the data. It loads stored results. We leave one of the paper's theoretical statements untested: the time and memory that Theorem 1 states. Another statement is too pessimistic: the paper calls the exact information in the counts intractable, but for raw counts [we can compute it](fano-replicated-why-higher). The chapter [](../fano.ipynb) explains the attacks and the bounds, and [](../fano_bounds.ipynb) improves the bounds.
#
# (fano-replicated-setup)=
# ## What the paper does
#
# In each of $T$ time steps, a person is at one of $M$ places, and one sensor publishes how many people are at its own place. A *sequence of sensors* lists the place of the sensor in every step. An attacker knows where everybody else is, so a count without noise tells them one bit: whether the person was at the sensor. They also know the Markov chain that describes how the person moves. From the counts, the attacker guesses the whole path $X = (X_1, \dots, X_T)$, and succeeds if at most $s$ steps of the guess are wrong. The paper calls the probability of success the *privacy loss*. We also call it the *success* of the attack.
#
# | term | meaning |
# |---|---|
# | $s$, $T - s$ | the number of steps that may be wrong, and the number of steps that must be right |
# | raw | describes a count without noise |
# | $\sigma$ | the standard deviation of the normal noise on a count |
# | MAP | *maximum a posteriori*: the attack that guesses the most probable path given the counts |
# | prior (*maximum a priori* in the figures) | the attack that ignores the counts and guesses the path that is most probable without them |
# | constant | the attack that guesses the same place in every step; we use the place with which this attack succeeds most often |
# | $H(X)$, $I$ | the entropy of the path, and the information that the counts contain about it, both in nats (natural logarithms) |
# | moment bound | an upper bound of ours, which is not in the paper; the section on Fig. 6 [derives it](fano-replicated-moment) |
# | ball | all paths that differ from a given path in at most $s$ steps; $N(s)$ is the number of these paths, and $Q$ is the largest probability of any ball |
# | simulated person | a person who moves on a line of $M$ places; a move over the distance $x$ has a probability proportional to $e^{-x/(\tau M)}$, and the first place is drawn from the stationary distribution |
#
# If an experiment does not vary a parameter, the parameter has the value given in Sec. 4.1 of the paper. For the simulated person, these values are $M = 100$, $T = 10$, $s = 5$ and $\tau = 0.1$. For real people, they are $T = 5$ and $s = 1$.
#
# For the noise, the paper states two defaults that contradict each other. Sec. 3.1 says: "In the rest of this paper, we use the raw counts, […] as the output counts for readability unless otherwise noted." Sec. 4.1 says: "We fix $\sigma = 1$ except when sweeping it." For Fig. 3 and 4, the paper states once more that the counts are raw, and Fig. 7 and 8 vary $\sigma$. So it remains unclear whether the counts of Fig. 5 and 6 are raw or have noise of $\sigma = 1$. We compute both, and a claim about these two figures is *supported* only if it holds for both. [A later section](fano-replicated-settings) compares the two settings. All other tables and figures about Fig. 5 and 6 show raw counts.
#
# Three inequalities limit the success of every attacker: Eq. 1, Eq. 3, and the inequality behind the *tight bound*. Let $p_e$ be the probability that a guess fails, and let $h(p_e)$ be the binary entropy of this probability. Eq. 1 of the paper is Fano's inequality for a guess at one of $M$ places. Eq. 3 is the corresponding inequality for a guess at the whole path, in which up to $s$ steps may be wrong. Every attack has a probability of failure that satisfies Eq. 3. So no attack fails less often than the smallest value of $p_e$ that satisfies it, and no attack succeeds with a probability above one minus this value. This number is the *loose bound*.
#
# $$H(X) - I \le h(p_e) + p_e \log(M - 1), \qquad \text{(Eq. 1)}$$
#
# $$H(X) - I \le h(p_e) + p_e \log\frac{M^T - N(s)}{N(s)} + \log N(s). \qquad \text{(Eq. 3)}$$
#
# The number of paths in a ball is $N(s) = \sum_{l=0}^{s} \binom{T}{l} (M-1)^l$: choose the $l$ wrong steps, and one of the $M - 1$ wrong places in each of them. For example, with three steps, four places and one allowed error, there are $4^3 = 64$ paths, and each ball contains $1 + 3 \cdot 3 = 10$ of them.
#
# The *tight bound* also uses the probabilities of the individual paths. It is based on the inequality on the left of the next line, which again limits $p_e$. The probability $Q$ in it is unknown, so Eq. 5, on the right, replaces $Q$ by a larger sum that can be computed:
#
# $$-I \le h(p_e) + (1 - p_e) \log Q, \qquad Q \le \sum_{l=0}^{s} \binom{T}{l} \max \Pr[X_{t_1} = x_1, \dots, X_{t_{T-l}} = x_{T-l}]. \qquad \text{(Eq. 5)}$$
#
# In the term with index $l$, the maximum is the largest probability that the path is at $T - l$ specified places in $T - l$ specified steps, over all choices of these places and steps.
#
# Why is $Q$ at most this sum? A path with exactly $l$ wrong steps agrees with the centre of the ball in the other $T - l$ steps. There are $\binom{T}{l}$ choices of these steps. For each choice, the probability of agreement is at most the maximum.
#
# For noisy counts, the paper replaces $I$ by an upper bound in closed form. This is Eq. 4, which we derive [below](fano-replicated-eq4). For raw counts, the paper replaces $I$ by the sum $\sum_t H(\text{count}_t \mid \text{count}_{t-1})$, which is also an upper bound. Each term of this sum is the uncertainty about one count if the previous count is known.
#
# Why is this sum an upper bound? The path determines all raw counts, so the information in the counts is their entropy. This entropy is the sum of the uncertainties about each count if *all* earlier counts are known. If we forget all earlier counts except the last one, each uncertainty can only grow.
#
# A larger $I$ can only raise the loose and the tight bound, so both remain valid after either replacement.
#
# Both bounds can be as large as 1. A bound of 1 says nothing, because no probability exceeds 1. The chapter [](../fano.ipynb) derives the other inequalities.
#
# (fano-replicated-bound-by-hand)=
# ### One bound by hand
#
# How does an inequality become a bound? We return to the example with 64 paths and balls of 10 paths. Suppose that all 64 paths are equally likely and that the counts contain $I = 0.5$ nats. Then $H(X) = \log 64$, and every ball has the probability $Q = 10/64$. Let $b = 1 - p_e$ be the probability of success. The entropy $h(b)$ equals $h(p_e)$. We solve both inequalities for $I$, and find how much information the counts must contain if an attack succeeds with probability $b$:
#
# $$\text{loose: } I \ge b \log\tfrac{64 - 10}{10} - h(b) - \big(\log(64 - 10) - \log 64\big), \qquad \text{tight: } I \ge b \log\tfrac{64}{10} - h(b) .$$
#
# The bound is the largest $b$ for which the counts contain the information that is needed. We try many values of $b$:

# %%
import numpy as np
from scipy.special import entr  # entr(x) is -x log x

b = np.linspace(0, 1, 1_000_001)  # possible probabilities of success
h = entr(b) + entr(1 - b)


def find_bound(needed, information):
    """Find the largest success for which the counts contain the information needed."""
    return b[needed <= information + 1e-12].max()  # 1e-12: rounding


n_paths, in_ball = 64, 10
needed_tight = b * np.log(n_paths / in_ball) - h
extra = np.log(n_paths - in_ball) - np.log(n_paths)  # H(X) is log 64
needed_loose = b * np.log((n_paths - in_ball) / in_ball) - h - extra
for information in (0.0, 0.5, 1.0):
    loose = find_bound(needed_loose, information)
    tight = find_bound(needed_tight, information)
    print(f"I = {information}: loose {loose:.3f}, tight {tight:.3f}")

# %% [markdown]
# With 0.5 nats, the loose bound is 0.596, so no attack succeeds with a probability above 0.596. Without counts ($I = 0$), the loose bound is 0.156. No bound can be below 10/64: whatever path is guessed, 10 of the 64 paths differ from it in at most one step, so a blind guess succeeds with this probability. Here the loose bound is exactly 10/64. In this example the bound that the paper calls tight is the larger one. [The section on the two bounds](fano-replicated-tighter) explains when this happens.

# %% [markdown]
# ## Does it reproduce?
#
# **We checked the paper's inequalities and recursions on small cases (Eq. 4 for a single count), and each of them held. We did not test the cost stated in Theorem 1. All 19 claims that we could test in the paper's own setting are supported, both for raw counts and for noise of $\sigma = 1$ where the paper leaves this open. But ten of these claims could not have failed, and two could have failed in only one way. Of the other seven, three depend on a margin that we chose after we had seen the results. Four claims hold only on an axis from 0 to 1: for raw counts, they would be contradicted on a logarithmic axis. The results for real people cannot be tested, because we have only a part of the paper's check-ins.**
#
# The paper states only one of its results as a number. All other results appear only in figures. We therefore took the sentences in which the paper describes what a figure shows, and turned each of them into a test in code. We call such a sentence a *claim*. Each claim has a name, which this page prints beside the verdict, as in `fano-fig7-map-flat` *supported*.
#
# We did not test the paper's explanations and conclusions as claims. For example, the paper explains a line in Fig. 5 by "correlation across time", and it concludes from Fig. 7 and 8 that "the DP loss might be overly conservative" (DP means differential privacy). Nor did we test the word "large" in the sentence "The gap between the two bounds is large", because the paper does not say which gap it would call large.
#
# The verdict on a claim is *supported*, *contradicted* or *undecided*, at the 95% level. The [next section](fano-replicated-by-hand) works out one verdict. Claims that we could not test on the paper's data have verdicts of their own, which [the section after that](fano-replicated-verdicts) explains.
#
# The paper plots losses on an axis from 0 to 1. On this axis we treat differences below 0.05 as invisible, and we interpret words such as "almost matches" accordingly. We call 0.05 the *margin*.

# %% tags=["remove-cell"]
from lib.papers import figures as plots
from lib.papers import scoreboard
from lib.papers import verdicts as findings

plots.use_style()
judged = findings.judged_with_pages("fano")

# %% [markdown]
# (fano-replicated-by-hand)=
# ### One verdict by hand
#
# The paper says that the tight bound "almost matches" the attacks when $s$ is small. How does such a sentence become a verdict? We work with raw counts here. For each of a hundred sequences of sensors, we know the tight bound and the exact success of each attack. We start with $s = 0$, and for each sequence subtract the success of the best attack from the bound. The sequences were drawn at random, so the mean of these differences has a standard error. By [our rule](scoreboard-rule), the sentence is
#
# - *supported* if the difference is below the margin of 0.05 at the one-sided 95% level (here only the upper side matters, because a bound is never below the attack);
# - *contradicted* if the difference is above the margin at the one-sided 97.5% level;
# - *undecided* otherwise.
#
# Why are the levels different? The sentence is wrong if the difference is above 0.05, and it is also wrong if the difference is below -0.05. Chance could contradict it in either of these two ways, so each of the two tests gets half of the 5%. For support, both possibilities must be excluded at once, so nothing needs to be divided.

# %%
import pandas as pd
from lib.papers import figures as plots
from lib.papers.fano_loss import experiments as fano
from lib.papers.fano_loss import figures
from scipy import stats

rows = fano.sweeps.stored()
s = 0  # the number of wrong steps that are allowed
margin = 0.05  # a difference below the margin is invisible on the paper's axis
at_s = rows[(rows["swept"] == "T - s") & (rows["value"] == 10 - s)]
best_attack = at_s[["MAP", "prior", "constant"]].max(axis=1)
gap = at_s["tight"] - best_attack  # one for each sequence of sensors
at_95, at_97_5 = stats.t.ppf([0.95, 0.975], len(gap) - 1)
below = gap.mean() + at_95 * gap.sem()
above = gap.mean() - at_97_5 * gap.sem()
print(f"best attack {best_attack.mean():.2g}, tight bound {at_s['tight'].mean():.4f}")
print(f"difference {gap.mean():.4f}")
print(f"below {below:.4f} at the 95% level, above {above:.4f} at the 97.5% level")
if below < margin:
    print("supported")
elif above > margin:
    print("contradicted")
else:
    print("undecided")

# %% [markdown]
# The sentence is *supported*. Its row in the table of claims carries the remark *by a margin of ours*, because the verdict depends on a margin that we chose. The first line of the output shows why the margin matters: the bound is more than a billion times the success of the attack. We state the margin so that you can disagree with it.
#
# The library function `predicates.close` carries out this test on both sides. In the table of claims, the sentence must hold for counts with noise, too ([a later section](fano-replicated-settings) shows that it does).
#
# Does the sentence still hold if larger values of $s$ also count as "small", and with other margins? Predict the verdicts before you look at the table.

# %%
from lib.papers import predicates

by_margin = {}
for s in range(5):
    at_s = rows[(rows["swept"] == "T - s") & (rows["value"] == 10 - s)]
    gap = at_s["tight"] - at_s[["MAP", "prior", "constant"]].max(axis=1)
    by_margin[s] = {"difference": gap.mean()}
    for margin in (0.02, 0.05, 0.1):
        test = predicates.close(predicates.estimate(gap), 0.0, within=margin)
        by_margin[s][f"within {margin}"] = test.verdict
table_of_margins = pd.DataFrame.from_dict(by_margin, orient="index").rename_axis("s")
plots.show_table(table_of_margins, "by-margin")

# %% [markdown]
# With our margin of 0.05, the sentence holds up to $s = 2$, and it fails for $s = 3$ and $s = 4$. With a margin of 0.02 it fails for all five values of $s$, and with a margin of 0.1 it holds for all five. We record the verdict for $s = 0$, the only value that anyone would call "small". All of this is for raw counts. With noise of $\sigma = 1$ the bound is closer to the attacks, as [a later section](fano-replicated-settings) shows.
#
# The figure shows the same values on two axes. On the paper's axis, the bound and the attacks seem to meet if many steps must be right. On the logarithmic axis, the tight bound and the attacks move apart as more steps must be right.

# %% mystnb={"figure": {"name": "fig-fano-axes", "caption": "The same values twice: the tight bound and the paper's three attacks on the simulated person, against the number of steps that must be right, for raw counts. On an axis from 0 to 1, as in the paper, bound and attacks seem to meet at the right. The black bar is as high as the margin, 0.05: values that are closer than this count as equal. On a logarithmic axis, the tight bound and the attacks move apart with every step."}, "image": {"alt": "Two panels with the same four lines, the tight bound, MAP, maximum a priori and the constant guess, against the number of right steps required. On an axis from 0 to 1 all lines end near 0; on a logarithmic axis the bound stays above one hundredth while the attacks fall below one in ten billion."}} tags=["hide-input"]
figures.two_axes(fano.sweep_means(rows).loc["T - s"], margin=0.05)

# %% [markdown]
# (fano-replicated-verdicts)=
# ### All verdicts
#
# We judged every claim of the paper in this way. Such a verdict needs the paper's own data, or a simulation as the paper describes it. If we have only a part of the data, the claim itself is *not tested*. We then test it on the part that we have, which we call a *substitute*. The result of this test is *consistent*, *inconsistent* or *undecided*. *None* means that there was no substitute test. From a part of the data we cannot tell how many users or time steps the full data have, and we did not count the operations of Theorem 1. Finally, a claim is an *input* if it states a value that we set, or a formula that we evaluated. Agreement with an input proves nothing.
#
# The first output counts the verdicts.

# %% tags=["remove-input"]
scoreboard.show_summary(judged)

# %% [markdown]
# The next table lists the paper's main conclusions in our words. The text in parentheses states the conditions under which our verdict holds. The last three rows are about people in Foursquare and Gowalla, two networks of check-ins of which we have only parts. You may skip the conditions in these rows until you have read [the section on Fig. 3](fano-replicated-fig3).

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
        "The loss of the simulated person falls with the number of places and with the number of steps that must be right (the bounds are level where they are 1).": [
            "fano-fig5-m-decreasing",
            "fano-fig5-steps-decreasing",
        ],
        "If two steps must be right, the loss grows with the length of the path, and the bounds are tightest for the shortest one (if we compare their differences from MAP; if we compare their ratios to MAP, they are loosest there).": [
            "fano-fig5-T-minus-2"
        ],
        "If no step may be wrong, the tight bound almost matches the best attack (the difference is below 0.05; on raw counts the attack succeeds with probability 10<sup>-11</sup>).": [
            "fano-fig5-tight-at-small-s"
        ],
        "If half of the steps may be wrong, the success of attacks is almost constant in the length of the path (it varies by less than 0.05; on raw counts the success of MAP falls from 0.03 to 2·10<sup>-8</sup>).": [
            "fano-fig5-T-half"
        ],
        "Noise lowers both bounds (on the map with a hundred places, and only if noisy counts are compared with each other; with ten places both stay at 1).": [
            "fano-fig7-bounds"
        ],
        "Noise hardly changes the attack (on the map with a hundred places, where this cannot fail, because the attack almost never succeeds even without noise; with ten places its success falls).": [
            "fano-fig7-map-flat"
        ],
        "Real people who are counted often have high bounds, and the bounds of the others are spread from 0 to 1 (on the substitute for Foursquare the high bounds are there, but the others are not spread from 0 to 1; on Gowalla all bounds are near 1).": [
            "fano-fig3-foursquare",
            "fano-fig3-gowalla",
        ],
        "Real people who move slowly have high bounds, and some of them have small ones (both hold on the substitute for Foursquare, where the statement on high bounds is undecided if we count only users whose chain is irreducible and aperiodic; on Gowalla this statement is undecided, and no slow user has a small bound).": [
            "fano-fig4-foursquare",
            "fano-fig4-gowalla",
        ],
        "Attacks on real people succeed more often than attacks on the simulated person (this holds on the substitute for Foursquare, and for MAP also if only steps at real places count; it is undecided on Gowalla).": [
            "fano-fig6-foursquare-above-simulated",
            "fano-fig6-gowalla-above-simulated",
        ],
    },
)

# %% [markdown]
# Each section that replicates a part of the paper ends with a table of its claims and verdicts. [A later section](fano-replicated-reading) explains the columns of these tables, and counts the verdicts by dataset. In the tables of this page, a dash marks a value that does not exist or that we did not compute.
#
# The verdicts have three limits. First, we chose the margin after we had seen the results, and four verdicts about the simulated person depend on it. Two more would be *contradicted* if [a fall had to exceed the margin](fano-replicated-reading), and a third if growth had to exceed it, too. Second, other choices matter, too. More than half of the supported claims are contradicted under at least one alternative to our choices. [A section on our choices](fano-replicated-choices), after Fig. 8, gives the alternatives and names the [four claims](fano-replicated-axis) that would be contradicted if we compared ratios instead of differences. Third, more than half of the supported claims could not have failed, or could have failed in only one way. The table in [the following section](fano-replicated-failing) names them.
#
# The paper prints no values in its figures, so our figures show only our own values.

# %% [markdown]
# (fano-replicated-failing)=
# ### Which of the supported claims could have failed?
#
# Support for a claim means little if no result could have contradicted it. The table lists the 19 supported claims and says for each of them whether any result could have counted against it.
#
# | claim | could it have failed? |
# |---|---|
# | `fano-ex1` *supported* | No. The information in a raw count is a binary entropy by definition, and the rest follows because this entropy rises up to $p = 1/2$. |
# | `fano-ex2` *supported* | No. The success is the probability $q$ of staying, or $4q/(3+q)$ in our variant, if $q \ge 1/5$, as it is for both people. Both expressions rise with $q$ ({ref}`fano-rep-ex-example`). |
# | `fano-eq4-bound` *supported* | No, this is a theorem. |
# | `fano-eq3-reduces` *supported* | No. For $s = 0$ we have $N(0) = 1$, and Eq. 3 becomes Eq. 1 with $M^T$ in place of $M$. |
# | `fano-map-optimal-s0` *supported* | No. MAP guesses the path that is most probable given the counts, and no other path is right more often. |
# | `fano-ball-s0` *supported* | No. A ball with $s = 0$ is a single path. |
# | `fano-bounds-above-estimators` *supported* | No. The bounds are theorems, so a failure would have revealed an error in our program. With noise and a hundred places, our runs could not even have revealed one, because no simulated attack succeeded. |
# | `fano-fig7-map-flat` *supported* | No. With a hundred places, every attack succeeds too rarely to change by 0.05. |
# | `fano-fig5-steps-decreasing` *supported* | Only if a line had been level from end to end. No line can rise: MAP and *maximum a priori* guess the same path for every $s$, the best constant guess cannot become worse if more errors are allowed, and both bounds grow with $s$. |
# | `fano-fig7-bounds` *supported* | Only if a bound had been level from end to end, as both are with ten places. No bound can rise, because Eq. 4 falls as $\sigma$ grows. |
# | `fano-prop1` *supported* | No, not with our margin. The proposition is a theorem about the recursion that our program runs, so growth much faster than stated would have revealed an error in the program. With a stricter margin, the verdict would be *contradicted*, because the sizes that we measured are small. But [the formula](fano-replicated-cost) for the number of operations shows that the proposition holds for all sizes. |
# | `fano-prop2` *supported* | No, for the same reason. |
# | `fano-fig5-m-decreasing` *supported* | Yes, if a line had risen, which no theorem excludes here, or if a bound had been 1 on every map. |
# | `fano-fig5-m-tightness` *supported* | Yes, if a bound had stayed near 1 on the largest map, where MAP almost always fails. |
# | `fano-fig5-tight-below-loose` *supported* | Yes, if the tight bound had been above the loose one for some $s$, as it is for raw counts on a map with 20 places. |
# | `fano-fig5-tight-at-small-s` *supported* | Yes, if the tight bound had exceeded the best attack by more than 0.05 at $s = 0$, as it does at $s = 3$. |
# | `fano-fig5-constant-one-step` *supported* | Yes, if the constant guess had succeeded with a probability below 0.05. |
# | `fano-fig5-T-half` *supported* | Yes, if the success of an attack had risen by 0.05 with the length of the path, or if it had been so far above 0.05 at $T = 2$ that its fall to almost 0 exceeded 0.05. |
# | `fano-fig5-T-minus-2` *supported* | Yes, if a bound had been closer to MAP for some longer path. |
#
# So ten of the 19 claims could not have failed, and two could have failed in only one way. Support for the other seven is evidence, and all seven are about the simulated person. For three of these seven, the threshold of the test is the margin, which we set after we had seen the results: `fano-fig5-tight-at-small-s` *supported*, `fano-fig5-constant-one-step` *supported* and `fano-fig5-T-half` *supported*. For these three claims, the verdict *supported* is weaker evidence that the paper is right. The claims that are theorems are still worth checking, because a program that contradicted one of them would be wrong.

# %% [markdown]
# ```{admonition} In ninety minutes
# :class: tip
# *Goals.* After this session, students can turn a sentence about a figure into a test, name the choices that decide its verdict, and explain why a bound of 1 does not imply a large loss. *Preparation:* read the chapter [](../fano.ipynb) up to the section on [longer paths](fano-fig5), and [the rule](scoreboard-rule). *Material:* one computer for two students, with this page open as a notebook (the file `notebooks/replication/fano.py` or `book/replication/fano.ipynb`, in Jupyter). Run all cells up to [the table of margins](fano-replicated-by-hand) before the session: later cells need `rows`, `fano` and `predicates`.
#
# | minutes | what |
# |---|---|
# | 20 | present [what the paper does](fano-replicated-setup) on the board: the person, the sensor, the ball with 10 of 64 paths, the [bound by hand](fano-replicated-bound-by-hand) at $I = 0$, and what a bound of 1 says; in the last five minutes, the example of the [moment bound](fano-replicated-moment) (two of four steps) |
# | 15 | the discussion described below, with {numref}`fig-fano-axes` |
# | 15 | [one verdict by hand](fano-replicated-by-hand): run the first cell, let the students predict the verdicts for $s = 0, \dots, 4$ and for the margins 0.02, 0.05 and 0.1, then change the two values in the cell |
# | 10 | [the tables of choices](fano-replicated-choices): which choices would you have made? |
# | 20 | {ref}`fano-rep-ex-test` in pairs, at the keyboard; the exercise supplies the first half of the program and an outline of the second |
# | 10 | collect the verdicts of {ref}`fano-rep-ex-test` in a table on the board (filled in below); which of the verdicts [could have been different](fano-replicated-failing)? |
#
# {ref}`fano-rep-ex-example`, {ref}`fano-rep-ex-margin`, {ref}`fano-rep-ex-fall`, {ref}`fano-rep-ex-switch`, {ref}`fano-rep-ex-circle`, {ref}`fano-rep-ex-added`, {ref}`fano-rep-ex-eq5`, {ref}`fano-rep-ex-gap`, {ref}`fano-rep-ex-noise` and {ref}`fano-rep-ex-zero` are homework.
#
# *The discussion.* Show the upper panel of {numref}`fig-fano-axes` and ask whether the paper's phrase "almost matches" is correct. Take a vote. Then show the lower panel and vote again. Let the students discuss the word "almost": who would regard a success of one in a hundred billion as the same as an upper bound of one in forty? Then write a second question on the board: what does an upper bound of 1 tell the person who is counted? Many students will answer that everything about the person is revealed. The right answer is that a bound of 1 tells the person nothing, as [an exercise](fano-rep-ex-noise) shows.
#
# *What the students should predict.* With the margin 0.05, the sentence is supported for $s = 0$, 1 and 2, and contradicted for $s = 3$ and 4. With 0.02 it is contradicted for all five values of $s$, and with 0.1 it is supported for all five. No verdict is undecided, because each difference is significantly below or above its margin.
#
# *Where students go wrong.* They read 0.05 as a probability of success, but it is a difference between two values. They take *supported* to mean "the paper is right", although the margin is ours. They test for a contradiction at the 95% level, although the rule requires 97.5%. And they expect the bound that is called tight to be the smaller one.
#
# *What a sceptic will say.* The standard errors are tiny, so the level of significance decides nothing here, and the margin decides everything. The sceptic is right. All the test does is to rule out that chance decided the verdict. We must defend the margin by other means, for example by what a reader can see on the paper's axis.
#
# *The table on the board.* These are the verdicts of {ref}`fano-rep-ex-test`:
#
# | | margin 0.05 | margin 0.001 |
# |---|---|---|
# | simulated, 100 places | supported | undecided by the runs, supported by the moment bound |
# | simulated, 10 places | contradicted | contradicted |
# | Foursquare | supported | contradicted |
#
# In the exercise, the entry for Foursquare is `(paired, 0.0)` instead of a pair of successes. The reason is that each user is attacked with and without noise, so the two mean successes are not independent. Only the mean of the differences has a standard error that we can compute, and the test compares this mean with 0. For the margin 0.001, [the table of choices](fano-replicated-choices) says *undecided* for Foursquare, because it tests all five levels of noise at once. Students will notice the difference, and the solution of the exercise explains it.
#
# *What can be skipped.* The session needs the page up to this box, the [paragraph on the moment bound](fano-replicated-moment), [Fig. 7](fano-replicated-fig7) and [the tables of choices](fano-replicated-choices). Students who read the rest at home can leave out [Eq. 4](fano-replicated-eq4), [the cost](fano-replicated-cost), [the check-ins](fano-replicated-data), [the sensitivity to unseen transitions](fano-replicated-unseen) and our reasons for the choices about real people.
# ```

# %% [markdown]
# ## Where to find each part of the paper
#
# | in the paper | what it is | here |
# |---|---|---|
# | Def. 1 | differential privacy | {prf:ref}`def-release` |
# | Example 1, Fig. 1 | one count about two people | [below](fano-replicated-examples), and {numref}`fig-fano-bit` |
# | Example 2, Fig. 2 | two counts, for a slow person and for a fast person | [below](fano-replicated-examples) |
# | Adv (Sec. 2.2.2), Eq. 1 | advantage; Fano's inequality | {prf:ref}`thm-fano-advantage`, {numref}`fig-fano-sides` |
# | Eq. 2 | privacy loss | {prf:ref}`def-fano-loss` |
# | MAP and prior estimator (Sec. 3.2.2) | two guesses; the second is called *maximum a priori* in our figures | {prf:ref}`alg-fano-map`; `viterbi_trajectory`, `prior_trajectory` |
# | Prop. 1 (Proposition 1), App. A recursion | MAP by dynamic programming | {prf:ref}`alg-fano-map`; [checked below](fano-replicated-truth) |
# | Prop. 2 (Proposition 2), App. B recursion | the prior guess by dynamic programming | `prior_trajectory`; [checked below](fano-replicated-truth) |
# | Eq. 3 | loose bound | {prf:ref}`thm-fano-loose`; `loose_bound` |
# | Eq. 4, App. C | information in noisy counts | [below](fano-replicated-eq4); `mutual_information` |
# | Han-Verdú inequality (Sec. 3.3.2) | tight bound | {prf:ref}`thm-fano-tight`, with an exercise that proves it; `tight_bound` |
# | Eq. 5 | upper bound on the largest probability of a ball | {prf:ref}`thm-fano-tight`; `ball_terms` |
# | Theorem 1, App. D recursion | computing Eq. 5 in polynomial time | {prf:ref}`alg-fano-theorem-1` |
# | Fig. 3 | the bounds of people who are often counted | [below](fano-replicated-fig3) |
# | Fig. 4 | the bounds of people who move slowly | [below](fano-replicated-fig4) |
# | Fig. 5 | attacks and bounds for the simulated person | [below](fano-replicated-fig5) |
# | Fig. 6 | attacks on real people, by the number of steps that must be right | [below](fano-replicated-fig6) |
# | Fig. 7 | noise against attacks on the simulated person | [below](fano-replicated-fig7) |
# | Fig. 8 | noise against attacks on real people | [below](fano-replicated-fig8) |
#
# The functions named in the table are in the module `lib.reconstruction`.

# %% [markdown]
# (fano-replicated-examples)=
# ## Examples 1 and 2 (Fig. 1 and 2)
#
# How much does a single raw count reveal? In Example 1, a sensor in New York publishes one count, and two people are compared. The person from New York is at the sensor with a considerable probability. The person in Paris almost never is. In our numbers, these two probabilities are 0.5 and 0.1. We give both people the same four probabilities in a different order, so that the entropies of their places are equal, as the paper assumes. We would get the same numbers if we moved the sensor and kept the person.
#
# Let $p$ be the probability that a person is at the sensor. The information $I$ in the count equals the binary entropy $h(p)$, which rises with $p$ up to $p = 1/2$. So if $p \le 1/2$ for both people, the count reveals less about the person with the smaller $p$. A count at a place where a person almost certainly is would also reveal little.
#
# The success of the best attacker is a short sum. If the person is counted, the attacker knows the place. If not, the attacker guesses the most probable of the other places. For the person from New York, the attacker is right with probability 0.5 + 0.3. The *advantage* (Adv) compares the success of an attack with that of blind guessing, which succeeds with probability 0.5. For the best attack it is (0.8 − 0.5) / (1 − 0.5). If we put an upper bound in place of the success, we obtain an upper bound on the advantage. The last number in each line of the output is this bound. We compute the bound on the success with Fano's inequality, Eq. 1 ({prf:ref}`thm-fano-advantage`), solved for $I$ as [above](fano-replicated-bound-by-hand):

# %%
residents = {  # probabilities of four places; the sensor is at the first one
    "New York": np.array([0.5, 0.3, 0.1, 0.1]),
    "Paris": np.array([0.1, 0.5, 0.3, 0.1]),
}
for name, places in residents.items():
    p = places[0]
    information = entr(p) + entr(1 - p)
    needed = entr(places).sum() - h - (1 - b) * np.log(len(places) - 1)
    highest = find_bound(needed, information)
    best = p + places[1:].max()  # counted: certain; not counted: guess
    most_advantage = (highest - places.max()) / (1 - places.max())
    print(
        f"{name}: p = {p}, I {information:.4f}, best {best:.1f}, "
        f"bound {highest:.4f}, bound on Adv {most_advantage:.4f}"
    )

# %% [markdown]
# Example 2 compares two people, each of whom is at one of five places. Both are counted at the sensor in the first step. In the second step, the sensor is at a place *other than* these five, so its count is 0 and says nothing new about either person. One person stays in place with probability $q = 0.96$, and the other with probability $q = 0.2$. If they do not stay, they go to any of the other four places with the same probability. The best guess is that the person stayed, and it is right with probability $q$.
#
# In a variant of ours, the second sensor is at one of the other four places and does not count them. This rules out one place, so the best guess is right more often, with probability $4q/(3+q)$ ({ref}`fano-rep-ex-example`). In both versions, the success is larger for the person who tends to stay.

# %% [markdown]
# (fano-replicated-example-tables)=
# The stored results for Example 1 are the same. The first row is for New York, and the second for Paris. The table for Example 2 follows:

# %% tags=["hide-input"]
one_count = fano.one_count.stored().set_index("sensor").drop(columns="data")
one_count = one_count.set_axis(["New York", "Paris"]).rename_axis("person")
columns = ["I", "h(p)", "best possible", "loose bound", "advantage, loose bound"]
plots.show_table(one_count[columns], "fig-1")
two_counts = fano.two_counts.stored().set_index("person").drop(columns="data")
names = {"success, sensor elsewhere": "as in the paper", "success": "our variant"}
two_counts = two_counts[list(names)].rename(columns=names)
plots.show_table(two_counts, "fig-2")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-examples")

# %% [markdown]
# (fano-replicated-eq4)=
# ## Eq. 4 and App. C
#
# How much information does one noisy count contain about the person's place in that step? Let $p_t = \Pr[X_t = c_t]$ be the probability that the person is at $c_t$, the place of the sensor in step $t$. Let $d = 1/(2\sigma^2)$. Eq. 4 of the paper is
#
# $$I \le \sum_{t=1}^{T} \Big[ -p_t \log\big(p_t + (1 - p_t)\, e^{-d}\big) - (1 - p_t) \log\big(1 - p_t + p_t\, e^{-d}\big) \Big] . \qquad \text{(Eq. 4)}$$
#
# App. C derives Eq. 4 in two parts. The first part uses the fact that the noise is independent across time steps. The information in all counts together is therefore at most the sum of the information in the single counts.
#
# The second part bounds the information in a single count by the term in brackets. The paper takes this bound from the literature: from Theorem 2 of {cite:t}`guo2022fano`, and from a bound on mixtures of distributions. Let $\mathrm{KL}$ be the Kullback-Leibler divergence, and suppose that a value is drawn from the distribution $N_i$ with probability $p_i$. The information that the value contains about $i$ is then at most
#
# $$-\sum_i p_i \log \sum_j p_j \, e^{-\mathrm{KL}(N_i \Vert N_j)} .$$
#
# This expression explains why a divergence appears in the exponents of Eq. 4. For one count, the mixture has only two components, and the proof is short. Write $p$ for $p_t$. The attacker can subtract all other people from the count. If the person is at the sensor, the noisy count then has the normal distribution $N_1$ with mean 1. Otherwise it has the normal distribution $N_0$ with mean 0. The mixture is $p N_1 + (1-p) N_0$. The information in the count is a weighted mean of two divergences. The divergence of $N_1$ from the mixture has weight $p$, and the divergence of $N_0$ from the mixture has weight $1 - p$. The divergence of $N_1$ from the mixture is
#
# $$\mathrm{E}_{N_1}\Big[\log\frac{N_1}{p N_1 + (1-p) N_0}\Big] = -\mathrm{E}_{N_1}\big[\log\big(p + (1-p)\, e^{-L}\big)\big], \qquad L = \log\frac{N_1}{N_0} .$$
#
# The function $L \mapsto \log(p + (1-p)\, e^{-L})$ is convex, because it is the logarithm of a sum of exponentials of linear functions of $L$. By Jensen's inequality, the right side can only increase if we replace $L$ by its mean. The mean of $L$ under $N_1$ is the divergence $\mathrm{KL}(N_1 \Vert N_0)$. It equals $d$, because the two normal distributions have standard deviation $\sigma$ and means that are 1 apart. This gives the first term of Eq. 4. The same argument for $N_0$ gives the second term.
#
# By how much does Eq. 4 overestimate the information? Take one count with $p = 1/2$ and $\sigma = 1$. Then $d = 1/2$, and the two terms of Eq. 4 are equal. Their sum is $-\log\frac{1 + e^{-1/2}}{2}$, which is 0.2191 nats. A raw count would contain $\log 2$, which is 0.6931 nats. We compute the closed form of Eq. 4 and the exact information for one count. The exact information is the entropy of the mixture minus the entropy of the noise:

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
# The table makes the same comparison for more levels of noise. All values are in nats. The row *raw* gives the information in a count without noise, which is the binary entropy $h(p)$. The closed form is never smaller than the exact information, and for $\sigma \ge 1$ it is about twice as large.

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
# The folded table makes this comparison for a place where the person is rarely found ($p = 0.01$).

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
# Choose $m$ of the steps, and a place for each of them. We call these steps fixed, and the others free. Suppose that the last fixed step comes $k$ steps after the first one, and that its place is $x$. Let $g(m, k, x)$ be the largest probability, over all such choices, that the person is at the chosen place in every fixed step. The chain is stationary. Let $\pi$ be its stationary distribution, and $P^{\Delta}(x', x)$ the probability of going from $x'$ to $x$ in $\Delta$ steps.
# 1. $g(1, 0, x) = \pi(x)$. With one fixed step, the first and the last fixed step are the same, so $k = 0$ is the only possibility, and $g(1, k, x) = 0$ for $k > 0$.
# 2. For $m \ge 2$ and $k \ge m - 1$, $g(m, k, x) = \max_{\Delta} \max_{x'} P^{\Delta}(x', x)\, g(m-1, k-\Delta, x')$, where $1 \le \Delta \le k - m + 2$. The upper limit holds because the first $m - 1$ fixed steps span $k - \Delta$ steps, and this span must be at least $m - 2$.
# 3. The maximum in Eq. 5 with $l$ free steps is $\max_{k} \max_x g(T-l, k, x)$, where $T - l - 1 \le k < T$.
#
# Only the span $k$ matters, and not the step at which it begins. The chain is stationary, so the same choice of places has the same probability wherever it starts.
# ````
#
# We write the recursion as a function. In the code, `fixed` is $m$, `span` is $k$ and `d` is $\Delta$. Each entry of `g` has a value for every place $x$. We also write a direct search: it computes the probabilities of all paths, adds them up over the free steps, and takes the maximum over all choices of these steps. First we compare the two for a person on three places during four steps:

# %%
from lib import reconstruction as rec


def box(pi, move, n_steps):
    powers = [np.eye(len(pi))]  # powers[d] is for moves that take d steps
    for _ in range(n_steps - 1):
        powers.append(powers[-1] @ move)
    g = {(1, 0): pi}  # step 1
    for fixed in range(2, n_steps + 1):  # step 2
        for span in range(fixed - 1, n_steps):
            # after a single fixed step, the next one must cover the whole span
            deltas = [span] if fixed == 2 else range(1, span - fixed + 3)
            arrivals = [powers[d].T * g[fixed - 1, span - d] for d in deltas]
            g[fixed, span] = np.max(arrivals, axis=(0, 2))
    largest = []  # step 3, with 0, 1, 2, ... free steps
    for free in range(n_steps):
        largest.append(max(g[m, k].max() for m, k in g if m == n_steps - free))
    return largest


# %% [markdown]
# For each $\Delta$, the list `arrivals` takes only $M^2$ multiplications, because the powers of the transition matrix are computed once, before the loops. Here is the direct search:

# %%
from itertools import combinations


def search(pi, move, n_steps):
    paths = pi
    for _ in range(n_steps - 1):
        paths = paths[..., np.newaxis] * move  # in the end, one entry for each path
    largest = []
    for free in range(n_steps):
        ways = combinations(range(n_steps), free)  # which steps are free
        largest.append(max(paths.sum(axis=steps).max() for steps in ways))
    return largest


walker = rec.distance_chain(3, tau=0.5)
print("recursion:", np.round(box(walker.initial, walker.transition, 4), 4))
print("search:   ", np.round(search(walker.initial, walker.transition, 4), 4))
print("library:  ", np.exp(rec.ball_terms(walker, 4, 3)).round(4))

# %% [markdown]
# The recursion finds the same maxima as the search, and so does the library function `ball_terms`. The search looks at all $M^T$ paths. The recursion avoids this, and so Theorem 1 can state a cost that is polynomial in $T$ and $M$.
#
# Does the recursion agree with the search on other chains, too? We draw two hundred random chains with up to five places and five steps, and keep those with at most 300 paths. We run each of them twice: started in its stationary distribution, as the box requires, and started in a random distribution. Do you expect the recursion to find the maxima in both cases?

# %%
agrees = {"its stationary distribution": [], "a random distribution": []}
for case in range(200):
    rng = np.random.default_rng([2024, case])
    n_places, n_steps = rng.integers(2, 6), rng.integers(2, 6)
    concentration = np.full(n_places, rng.choice([0.1, 1.0]))
    random_start, *move = rng.dirichlet(concentration, size=n_places + 1)
    if n_places**n_steps <= 300:
        move = np.array(move)
        stationary = rec.MarkovChain.stationary(move).initial
        for begins_in, pi in zip(agrees, (stationary, random_start), strict=True):
            same = np.allclose(box(pi, move, n_steps), search(pi, move, n_steps))
            agrees[begins_in].append(same)
for begins_in, same in agrees.items():
    print(f"start in {begins_in}: agree on {sum(same)} of {len(same)} chains")

# %% [markdown]
# On stationary chains, the recursion always finds the maxima. On other chains it often does not. There, the probability of the first fixed place depends on the step in which it is fixed, but the recursion always uses $\pi$ for it. The library function `ball_terms` counts the free steps instead of the span. It therefore knows how many steps have passed, and does not need a stationary chain.
#
# What does the recursion cost? Eq. 5 needs only the terms with $l \le s$, so at most $s$ steps are free. In the loops of `ball_terms`, which skips all choices with more than $s$ free steps, the number of fixed steps takes at most $T$ values. The distance $\Delta$ takes at most $s + 1$ values, and so does the number of free steps before the last fixed one. The maxima therefore take at most $T (s+1)^2 M^2$ operations. The powers of the transition matrix take another $(s + 1) M^3$ operations. The paper states a cost of $T^3 M^2$ for the maxima and of $T \log T\, M^3$ for the powers of the matrix. We derived our two operation counts by reading the program, and did not measure them.
#
# Are the paper's other statements true on small examples? The stored results are for the same two hundred random chains, each with its random start, a random $s$ and random sensors. We enumerated all paths of these chains. The table counts the cases in which each statement is true. Its first row is about the paper's statement that no guess succeeds more often than MAP if $s = 0$. So it covers only the chains with $s = 0$, which are 69 of the two hundred. The other rows cover the 160 chains that have at most 300 paths. The row on the library's recursion belongs to Theorem 1. The chains are not stationary here, so the recursion in the box cannot be used for them. All statements are true in every case.

# %% tags=["hide-input"]
cases = fano.enumerated_chains.stored()
statements = {
    "prior is best": "the guess without counts is the most probable path",
    "Theorem 1": "the library's recursion finds every maximum in Eq. 5",
    "ball at s = 0": "Q at s = 0 is the probability of the most probable path",
    "Eq. 3 is Eq. 1": "Eq. 3 at s = 0 gives the same bound as Eq. 1 for paths",
}
at_zero = cases[cases["s"] == 0]
best = (at_zero["map"] - at_zero["best"]).abs() < 1e-9
checked = {"MAP has the best possible success at s = 0": best}
checked |= {words: cases[name] for name, words in statements.items()}
counted = pd.DataFrame(checked).agg(["count", "sum"]).T.astype(int)
plots.show_table(counted.set_axis(["cases", "true"], axis=1), "identities")

# %% [markdown]
# (fano-replicated-bounds-on-chains)=
# How far are MAP and the bounds from the best possible success? We use all two hundred chains. For each chain, we subtract the best possible success from the bound, or from the success of MAP. The columns of the table show the least, the median and the largest difference. The loose and the tight bound are those of the paper, with the sum of Eq. 5 and the paper's $I$. The *moment bound* is ours ([details](fano-replicated-moment)). No bound is ever below the best possible success, and MAP is never above it.

# %% tags=["hide-input"]
plots.show_table(figures.case_table(cases), "truth")

# %% [markdown]
# (fano-replicated-tighter)=
# ### Is the tight bound always below the loose one?
#
# The name of the tight bound suggests that it is the smaller of the paper's two bounds. That is not always so. If the counts contain little information and the path is far from uniform, the tight bound is smaller, because the loose bound contains an extra term that is there even without counts. If the counts contain much information, the tight bound is often the larger one, because it usually rises faster with the information in the counts.
#
# On [the random chains](fano-replicated-bounds-on-chains), the median difference from the best possible success is larger for the tight bound than for the loose one. On how many of these chains is the tight bound above the loose bound?

# %%
random_chains = fano.enumerated_chains.stored()
comparison = {}
for kind, of_kind in random_chains.groupby(random_chains["s"] > 0):
    comparison["s > 0" if kind else "s = 0"] = {
        "chains": len(of_kind),
        "tight above loose": (of_kind["tight"] > of_kind["loose"] + 1e-9).sum(),
        "tight below loose": (of_kind["tight"] < of_kind["loose"] - 1e-9).sum(),
        "tight is 1": (of_kind["tight"] == 1).sum(),
        "loose is 1": (of_kind["loose"] == 1).sum(),
    }
plots.show_table(pd.DataFrame.from_dict(comparison, orient="index"), "tight-and-loose")

# %% [markdown]
# The tight bound is above the loose one on 60 of the two hundred chains, and below it on none. On the other 140 chains both bounds are 1.
#
# We first look at how both bounds depend on the information. For the simulated person with $s = 5$, we compute all quantities in the two inequalities on maps of three sizes. The table also lists the logarithms of the number of paths inside a ball, $N(s)$, and outside it, $M^T - N(s)$. In this section, $Q$ stands for the sum of Eq. 5, which the tight bound uses. This sum is at least the true $Q$, and equals it at $s = 0$:

# %%
from scipy.special import comb

wrong = np.arange(6)  # at most five of ten steps
by_map = {}
for m in (20, 50, 100):
    person = rec.distance_chain(m, tau=0.1)
    routes = fano.sample_sensors(2024, m, 10, 100)  # seed, places, steps, sequences
    q_of_eq_5 = (comb(10, wrong) * np.exp(rec.ball_terms(person, 10, 5))).sum()
    ball_size = (comb(10, wrong) * (m - 1.0) ** wrong).sum()
    by_map[m] = {
        "I": rec.mutual_information(person, routes).mean(),
        "H(X)": person.entropy(10),
        "log 1/Q": np.log(1 / q_of_eq_5),
        "log N": np.log(ball_size),
        "log outside": np.log(m**10.0 - ball_size),
        "tight": rec.tight_bound(person, routes, 5).mean(),
        "loose": rec.loose_bound(person, routes, 5).mean(),
    }
known = pd.DataFrame.from_dict(by_map, orient="index").rename_axis("M")
plots.show_table(known.round(3), "tight-loose-known")

# %% mystnb={"figure": {"name": "fig-fano-switch", "caption": "Both bounds of the paper against the information in the counts, for the simulated person with s = 5. If the counts contain little information, the tight bound is the smaller one. At the circle, both bounds equal b*, and the order changes. Further to the right, the tight bound is the first to reach its threshold (tick), the information at which it becomes 1. Dotted line: the mean information in raw counts. With 20 places it lies between the two thresholds; with 50 places it lies far to the left of the circle."}, "image": {"alt": "Two panels, for 20 and for 50 places: the loose and the tight bound rise with the information in the counts and cross at a circle named b*, at about 0.9. The tight bound starts lower, rises more steeply and reaches 1 first; a tick named threshold marks where each bound reaches 1. A dotted line for raw counts is between the two thresholds with 20 places, and left of the circle with 50."}} tags=["hide-input"]
figures.bounds_by_information(known.loc[[20, 50]])

# %% [markdown]
# In the figure we vary only the information $I$. Two things deserve an explanation: the height $b^*$ at which the lines cross, and the *thresholds* at which the bounds reach 1. To derive them, we solve both inequalities for $I$, as in [the bound by hand](fano-replicated-bound-by-hand). The results say how much information the counts must contain for a bound to reach $b$:
#
# $$\text{tight: } I \ge b \log\tfrac{1}{Q} - h(b), \qquad \text{loose: } I \ge b \log\tfrac{M^T - N(s)}{N(s)} - h(b) - D, \qquad D = \log\big(M^T - N(s)\big) - H(X).$$
#
# For a given $I$, each bound is the largest $b$ that satisfies its inequality. The right sides differ in two terms.
#
# 1. *The extra term.* To reach a given height, the loose bound needs $D$ nats less information than it would without this term. The term says how far the path is from being uniform, and it does not depend on the counts. It raises the loose bound.
# 2. *The coefficient of $b$.* It is $\log(1/Q)$ for the tight bound. For the loose bound it is usually larger, which lowers the loose bound. To see this, consider all $M^T$ balls. Each path lies in $N(s)$ of them, so the mean probability of a ball is $N(s)/M^T$. The most probable ball has at least this probability, and the sum of Eq. 5 is at least the probability of this ball. So $Q \ge N(s)/M^T$ and $\log(1/Q) \le \log\frac{M^T}{N(s)}$. The coefficient for the loose bound is this last logarithm, except that it has $M^T - N(s)$ in place of $M^T$.
#
# *Where do the bounds cross?* The right side for the loose bound minus the one for the tight bound is $b \, \big(\log\frac{M^T - N(s)}{N(s)} - \log\frac{1}{Q}\big) - D$. If $D$ is positive and the loose bound has the larger coefficient, this difference is negative for small $b$ and positive for large $b$. It is 0 at
#
# $$b^* = D \Big/ \Big(\log\frac{M^T - N(s)}{N(s)} - \log\frac{1}{Q}\Big).$$
#
# Below $b^*$, the loose bound reaches a given height with less information than the tight bound. So for the same information it is the larger of the two. Above $b^*$ the tight bound is the larger one. A single number therefore tells us which bound is smaller: **if $D$ is positive and the loose bound has the larger coefficient, the tight bound is the smaller one as long as the bounds are below $b^*$.** If $b^*$ is above 1, the tight bound is never above the loose one.
#
# *When does a bound reach 1?* A bound is 1 if the right side at $b = 1$ is at most $I$. We call the value of the right side at $b = 1$ the *threshold* of the bound: once $I$ reaches it, the bound is 1. The threshold is $\log(1/Q)$ for the tight bound and $H(X) - \log N(s)$ for the loose one. If $b^* < 1$, the tight bound reaches 1 with less information than the loose one. Now we compute all of these terms from the table `known`, which we printed before the figure:

# %%
terms = pd.DataFrame({"coefficient tight": known["log 1/Q"]})
terms["coefficient loose"] = known["log outside"] - known["log N"]
terms["D"] = known["log outside"] - known["H(X)"]
terms["b*"] = terms["D"] / (terms["coefficient loose"] - terms["coefficient tight"])
terms["threshold tight"] = known["log 1/Q"]
terms["threshold loose"] = known["H(X)"] - known["log N"]
plots.show_table(terms.round(3), "tight-loose-terms")

# %% [markdown]
# With 20 places, the information in the counts lies between the two thresholds, so the tight bound is 1 and the loose one is just below 1. With 50 and with 100 places, the information is far below both thresholds, and both bounds are below $b^*$. So the tight bound is the smaller one. The loose bound is high because of $D$, which remains even if the counts contain no information. The paper's claim that the tight bound is below the loose one is about a hundred places (`fano-fig5-tight-below-loose` *supported*).
#
# Does the tight bound always reach 1 first? At $s = 0$ it does, unless all paths that can occur are equally likely. The reason is that a ball is then a single path, so $N(0) = 1$, and the threshold of the loose bound is $H(X)$. The entropy $H(X)$ is the mean of the logarithm of one over the probability of a path, and $\log(1/Q)$ is the smallest value of this logarithm, so it cannot be larger. This explains the 27 random chains with $s = 0$ on which only the tight bound is 1.
#
# For $s > 0$ the order can be reversed. {ref}`fano-rep-ex-circle` gives an example: a person who starts at any of 100 places with equal probability, and moves one place clockwise in every step. For $T = 10$ and $s = 1$ the threshold of the loose bound is negative, so this bound is 1 even without counts. The threshold of the tight bound is $\log(100/11) = 2.207$. On none of our 131 random chains with $s > 0$ is only the loose bound 1, and on five only the tight one is. On the other 126 both bounds are 1, so these chains do not show which threshold is smaller.
#
# We return to the question of which bound is smaller. For the simulated person with 50 and with 100 places, both bounds are below $b^*$, and the tight bound is the smaller one. On the random chains, the tight bound is never the smaller one. How large are $D$ and the two coefficients for the chains with $s = 0$ whose bounds are both below 1?

# %%
both_below = random_chains[(random_chains["s"] == 0) & (random_chains["tight"] < 1)]
coefficient_tight = np.log(1 / both_below["Q"])
coefficient_loose = np.log(both_below["M"].astype(float) ** both_below["T"] - 1)
not_uniform = coefficient_loose - both_below["H"]  # D
crossing = not_uniform / (coefficient_loose - coefficient_tight)  # b*
chain_means = both_below[["I", "tight", "loose"]].mean()
chain_means["D"] = not_uniform.mean()
chain_means["coefficient tight"] = coefficient_tight.mean()
chain_means["coefficient loose"] = coefficient_loose.mean()
chain_means["b*"] = crossing.mean()
print(chain_means.round(2).to_string())
above_crossing = (both_below["tight"] > crossing).sum()
print(f"tight bound above b* on {above_crossing} of {len(both_below)} chains")

# %% [markdown]
# On these chains the counts contain much information. On average, the information is about two thirds of the threshold of the tight bound. The tight bound, which is 0.87 on average, is therefore above $b^*$, whose mean is 0.50. The coefficient for the loose bound is more than twice as large as the one for the tight bound, and $D$ is too small to make up for this. The last line of the output confirms the order for the single chains: on all 28, the tight bound is above $b^*$.
#
# For some distributions of the path, $D$ is always too small. If the path is uniform, $D$ is negative, and the tight bound is never the smaller one. To see this, suppose that all $M^T$ paths are equally likely, so $H(X) = \log M^T$. The right side for the loose bound minus the one for the tight bound is then
#
# $$(1 - b) \log\frac{M^T}{M^T - N(s)} + b \Big(\log\frac{M^T}{N(s)} - \log\frac{1}{Q}\Big) .$$
#
# Neither term is negative, because $Q \ge N(s)/M^T$. So the loose bound needs at least as much information as the tight one to be as high, whatever the counts reveal.
#
# As an example, we take $n$ equally likely paths and $s = 0$, so each ball contains one path. We compute both bounds without counts ($I = 0$), with the function `find_bound` from [the bound by hand](fano-replicated-bound-by-hand). The best attack then succeeds with probability $1/n$:

# %%
uniform = {}
for n in (2, 10, 1000):
    not_uniform_n = np.log(n - 1) - np.log(n)  # D
    uniform[n] = {
        "best attack": 1 / n,
        "tight bound": find_bound(b * np.log(n) - h, 0),
        "loose bound": find_bound(b * np.log(n - 1) - h - not_uniform_n, 0),
    }
table_of_uniform = pd.DataFrame.from_dict(uniform, orient="index")
plots.show_table(table_of_uniform.rename_axis("paths n").round(4), "uniform-paths")

# %% [markdown]
# In this example, the loose bound equals the success of the best attack. The paper also says that this bound is tight if the path is uniform (Sec. 3.3.2). We checked this only for $s = 0$ and without counts. The tight bound is well above the success of the best attack. Which of the two bounds is the smaller one thus depends on the distribution of the path and on the information in the counts. {ref}`fano-rep-ex-switch` asks for which $s$ the order changes.

# %% [markdown]
# (fano-replicated-cost)=
# ### What does the most probable path cost?
#
# How many operations does it take to find the most probable path of $T$ steps on $M$ places? Propositions 1 and 2 state that MAP and the maximum a priori guess each take $O(TM^2)$ operations, and memory for $O(TM)$ values.
#
# | claim | what we counted |
# |---|---|
# | `fano-prop1` *supported* | the operations that find the most probable path given the counts |
# | `fano-prop2` *supported* | the operations of the guess from the prior, which calls the same function with constant likelihoods |
# | `fano-thm1` *not tested* | nothing; but we [checked by enumeration](fano-replicated-truth) that the recursion for Eq. 5 gives the right values |
#
# Our program finds the most probable path in a loop over the steps. Each step after the first needs $2M^2 + M$ operations, and the first step needs none, so the path takes $(T - 1)(2M^2 + M)$ operations. This is at most $3TM^2$, which is of the stated order. The program holds $2TM$ values, which is of the stated order, too. Do the counts agree with these formulas?

# %%
costs = fano.costs.stored()  # counted for T and M from 10 to 80
path_length, map_size = costs["T"], costs["M"]
formula = (path_length - 1) * (2 * map_size**2 + map_size)
print("operations are (T - 1)(2M² + M):", (costs["operations"] == formula).all())
print("at most 3TM²:", (costs["operations"] <= 3 * path_length * map_size**2).all())
print(
    "values held are 2TM:", (costs["numbers held"] == 2 * path_length * map_size).all()
)
operations = costs.pivot(index="T", columns="M", values="operations")
steps_doubled = operations.loc[80, 80] / operations.loc[40, 80]
places_doubled = operations.loc[80, 80] / operations.loc[80, 40]
print(f"T = 80 instead of 40, M = 80: {steps_doubled:.3f} times the operations")
print(f"M = 80 instead of 40, T = 80: {places_doubled:.3f} times the operations")

# %% [markdown]
# All counts agree with the formulas. Our test of the claims looks only at a single doubling of the size, and there the growth deviates slightly from the stated order. Doubling the number of steps from 40 to 80 slightly more than doubles the number of operations, because $T - 1$ grows from 39 to 79. Doubling the number of places makes it a little less than four times as large, because of the term $M$. The folded table has the number of operations for every size.

# %% tags=["hide-cell"]
plots.show_table(operations.add_prefix("M = "), "costs")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-truth")

# %% [markdown]
# (fano-replicated-data)=
# ## The check-ins (Sec. 4.1)
#
# The check-ins come from two social networks, Gowalla and Foursquare. Those of Gowalla are from the file *loc-gowalla* of the Stanford collection SNAP, which covers February 2009 to October 2010. We have only the check-ins in New York, which begin in April 2009. Those of Foursquare were collected by Yang et al. from April 2012 to September 2013. We have an extract with about 5,000 users, while the full dataset has more. We do not know how the users of the extract were chosen. The extract has exactly 8,000 locations, as the row *read* of the table below shows. Such a round number suggests that the extract was cut by location. So our active users need not resemble those of the paper. The [data cards](../reference/data.md) state the sources and the licences.
#
# We add a third dataset that is not in the paper, the *flights* (`flights-by-tail` in the tables of claims). It contains the paths of aircraft that departed from New York in 28 days of 2013. Each aircraft, identified by its tail number, counts as a user.
#
# The table shows the number of users, time steps and locations in each dataset. The rows *read* describe the data before anybody is left out. In these rows, a time step is a day for the check-ins and an hour for the flights. In the rows *active enough*, a time step is a longer *window*: 20 days for the check-ins and one day for the flights. These rows include only users who are active in at least ten windows. We use all of these users of Foursquare and Gowalla. Of the 714 aircraft that are active enough we drew 450 at random, and all results on flights are about these 450.
#
# The attacker guesses the user's path in the last five windows. The chain of each user is estimated from all earlier windows, which we call the *training* steps. A window without check-ins counts as a training step, too. So the table gives 27 − 5 = 22 training steps for each user of Foursquare, and 28 − 5 = 23 for all others.
#
# If a user has no check-in at one of the hundred places in a window, the user is *somewhere else* in that window. The last column is the share of attacked steps in which the user is somewhere else. The number of locations in the rows *active enough* includes *somewhere else*. So the 98 locations of the flights are 97 places and *somewhere else*. There are fewer than a hundred places because ten of the 107 airports have no flight in the 28 days. (The row *read* lists the airports of the whole year.) The folded table shows the users whom we drew, the number of their visits, and the smallest number of windows in which one of them was active.

# %% tags=["hide-input"]
print(fano.dataset_sizes.source())
sizes = fano.dataset_sizes.stored().set_index(["data", "stage"])
shown = sizes.drop("drawn", level="stage")
columns = ["users", "time steps", "locations", "the same, last steps"]
columns = shown[columns].astype(object).fillna("")
columns = columns.rename(columns={"the same, last steps": "somewhere else, last"})
plots.show_table(columns.rename(index=figures.DATASETS), "prepared")

# %% tags=["hide-cell"]
drawn = sizes.xs("drawn", level="stage")
drawn = drawn[["users", "visits", "fewest active steps"]]
plots.show_table(drawn.rename(index=figures.DATASETS), "prepared-drawn")

# %% [markdown]
# The paper leaves some choices open. We decided as follows:
#
# - The hundred places are those with the most visits over the whole period.
# - The paper puts a user *somewhere else* "for time steps that a user does not have any check-ins". We also put a user *somewhere else* in a window in which all check-ins are outside the hundred places.
# - If a user checks in at several places in a window, the place with the most check-ins counts. If several places are tied, the one that was visited last counts.
# - The estimated chain contains only moves that were observed in training. If a user never left a place, the user never leaves it in the chain either.
# - A chain is *irreducible* if every place can be reached from every other place. It is *periodic* if the user can return to a place only after a multiple of two steps, or of three, and so on; otherwise it is *aperiodic*. We use a chain as it is if it is irreducible and aperiodic. We change *all others* slightly: with a probability of one in a million, the next place is chosen uniformly from the user's places.
# - The attacker does not know where the user was in the last training step. The attacker assumes that the user's place in the first attacked step follows the stationary distribution of the chain. This makes the attack weaker than it could be. If the user left a place for good in training, this place has almost no probability in the stationary distribution.
# - An attack succeeds if at most $s$ steps are wrong. For real people, this is the rule of the paper: Sec. 4.1 writes $d(X, \hat{X}) \le s = 1$. For the simulated person, the same section writes $d(X, \hat{X}) < s = 5$, which contradicts Eq. 2. [A later section](fano-replicated-rule) shows what this would change.
# - In attacks on real users, MAP treats raw counts as if they had noise of $\sigma = 0.05$. Otherwise no path would agree with the counts if a user is at a place that the user never visited in training.
#
# The table gives three examples of chains, each estimated from a training path of four steps:
#
# | the user was at | the chain is | because |
# |---|---|---|
# | 0, 1, 0, 2 | reducible | no observed move leaves place 2, so places 0 and 1 cannot be reached again; the stationary distribution gives them (almost) no probability |
# | 0, 1, 0, 0 | irreducible and aperiodic | the moves from 0 to 1 and from 1 to 0 were both observed, although this user, too, left place 1 for good; and the user once stayed at place 0 |
# | 0, 1, 0, 1 | periodic | every observed move leads to the other place, so the user can return to a place only after a multiple of two steps |

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-data")

# %% [markdown]
# (fano-replicated-fig3)=
# ## Fig. 3: does being counted often raise the bound?
#
# In Fig. 3 the sensor stays at the most visited place in every step, and one step may be wrong ($s = 1$). The paper finds high bounds for users who visit this place often. It says that the bounds of the other users are "scattered between 0 and 1".
#
# Why should being counted raise the bound? We invent three users, each with 22 training steps. In the code below, a string of digits lists the places of one user, one digit for each training step. The sensor is at place 0. For each user, we estimate the chain and compute the success of *maximum a priori*, the guess that ignores the counts. Then we compute the tight bound twice: once as if there were no counts ($I = 0$), with the inequality of [the setup](fano-replicated-setup), and once with the information in the counts of five steps. In both, the sum of Eq. 5 takes the place of $Q$. It has two terms, because at most one of the five steps may be wrong:

# %%
invented = {
    "never there, regular": "1112111121111121111111",
    "never there, irregular": "1234567813572468317485",
    "often there, irregular": "0204507803070460310405",
}
at_place_0 = np.zeros(5, int)  # the sensor stays there
# comb is from the section on the two bounds; find_bound, b and h are from "One bound by hand"
of_invented = {}
for name, trail in invented.items():
    chain = rec.MarkovChain.from_visits(np.array(list(trail), int), n_locations=9)
    q_of_eq_5 = (comb(5, [0, 1]) * np.exp(rec.ball_terms(chain, 5, 1))).sum()
    needed = b * np.log(1 / q_of_eq_5) - h
    of_invented[name] = {
        "maximum a priori": rec.exact_loss(chain, at_place_0, 1, "prior"),
        "sum of Eq. 5": q_of_eq_5,
        "tight bound, no counts": find_bound(needed, 0),
        "I": rec.mutual_information(chain, at_place_0),
        "tight bound": rec.tight_bound(chain, at_place_0, 1),
    }
plots.show_table(pd.DataFrame.from_dict(of_invented, orient="index"), "invented-users")

# %% [markdown]
# A user who was never at the sensor in training has probability 0 there in the estimated chain. So the counts contain no information ($I = 0$), the two bounds are equal, and they depend only on how predictable the user is. The regular user is so predictable that the sum of Eq. 5 exceeds 1, and the bound is 1. So if a user was never there, a bound near 1 is not an effect of the counts. The irregular user has a low bound.
#
# The third user is somewhat easier to predict than the second: without counts, the bound would be 0.49 instead of 0.17. The information in the counts raises it from 0.49 to 1. So in this example, the user who is often counted has a bound of 1, and the bounds of the other two differ. This agrees with what the paper says about its data.
#
# We test both statements on the data. The first one requires that the mean bound of users who are often at the place is above the mean bound of users who were never there. *Often* means in at least a quarter of the training steps, *sometimes* means less often, and *never* means in no training step. On Gowalla only one user is often at the place, so there the test uses all users who were at the place at least once.
#
# For the second statement, we look at the bounds of the users who were never at the place. We call these bounds *spread* if the middle 80% of them cover more than half of the axis from 0 to 1. The middle 80% are those between the tenth and the ninetieth percentile:

# %%
found = fano.habits.stored()
found = found[found["chains"] == "as decided"]  # transitions by relative frequencies
spread = {}
for name, bounds in found[found["visits"] == 0].groupby("data")["fixed"]:
    tenth, ninetieth = bounds.quantile([0.1, 0.9])
    spread[figures.DATASETS[name]] = {
        "users": len(bounds),
        "above 0.9": (bounds > 0.9).mean(),
        "10%": tenth,
        "90%": ninetieth,
        "width": ninetieth - tenth,
        "spread": ninetieth - tenth > 0.5,
        "smallest": bounds.min(),
        "width of all": bounds.max() - bounds.min(),
    }
plots.show_table(
    pd.DataFrame.from_dict(spread, orient="index").round(3), "fig-3-spread"
)

# %% [markdown]
# On our part of Foursquare, the middle 80% of the bounds cover 0.45 of the axis. The table of claims at the end of this section shows that this is significantly less than half (`fano-fig3-foursquare` *inconsistent*). The range from the smallest bound to the largest covers 0.65. If we used this range in the test, the verdict would be *consistent*. On Gowalla the bounds are even closer together (`fano-fig3-gowalla` *inconsistent*). With relative frequencies, no bound in the table is near 0. Most bounds are near 1, even among users who never visited the place.
#
# The number after ± in the table of claims is the standard error of the width. It combines the standard errors of the two percentiles, which we estimate from order statistics (the method of Maritz and Jarrett, `mjci` in SciPy). The upper percentile is (almost) 1, which is the largest possible value. So nearly all of the error is that of the lower percentile.

# %% mystnb={"figure": {"name": "fig-fano-r3", "caption": "Figure 3 of the paper, on parts of its data and on flights: each dot is a user. Nearly all users who were at the sensor's place have a bound near 1, and so do most users who were never there (the band of dots above “never”; their horizontal positions in the band mean nothing). Orange bracket: the middle 80% of the bounds in this band. It is shorter than the grey bar, which has the length of 0.5 that our test of the word “spread” requires. On Gowalla the bracket is so short that it looks like a single horizontal line."}, "image": {"alt": "Three panels, for Gowalla, Foursquare and flights: tight bounds against the number of training steps at the sensor's place. Users with at least one such step are at or near one. Above never, a band of dots reaches from one down to about 0.35 on Foursquare and flights, and is densest at one. Left of it, an orange bracket is a little shorter than a grey bar of length 0.5."}} tags=["hide-input"]
habits = fano.habits.stored()
figures.show_visits(habits, half=0.5)

# %% tags=["hide-input"]
print(fano.habits.source())
by_visits = figures.visits_table(fano.bounds_by_visits(habits))
by_visits = by_visits.rename(index=figures.DATASETS, level="data")
plots.show_parts(by_visits.xs("as decided", level="chains"), "fig-3")

# %% [markdown]
# The column *80% of users* of these tables gives the range of the middle 80% of the bounds in each group. The paper's first statement holds on Foursquare and on the flights: users who are often at the sensor have higher bounds than users who were never there. The second statement also covers users who were rarely at the sensor, and our test leaves them out. On Foursquare, nearly all bounds of the group *sometimes* are close to 1, so including these users would not widen the spread.

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig3")

# %% [markdown]
# (fano-replicated-fig4)=
# ## Fig. 4: does moving slowly raise the bound?
#
# Fig. 4 shows the same users, but with sensors at random places. The horizontal axis is the spectral gap of the user's chain, which is one minus the second largest absolute value of its eigenvalues. The gap is small if, from every place, the user rarely moves on. The converse is not true, as [a small example below](fano-replicated-gap) shows. The paper makes two statements, and the claim contains both: users who move slowly have higher bounds, and some of these users nevertheless have a small bound. We test the second statement [further below](fano-replicated-unseen).
#
# The first statement requires a negative correlation between bound and spectral gap. The table after the figure shows Spearman's rank correlation between the two, with a 95% bootstrap interval over users. It does so for three ways of treating the data:
#
# - *Only what was seen* estimates each transition probability by the relative frequency of the transition.
# - *Irreducible and aperiodic* does the same, but leaves out all other users.
# - *One added to each transition* adds one to the count of each transition between places that the user visited.
#
# The verdict rests on the first way, which includes all users, as the paper's plot does. If nearly all bounds are equal, as on Gowalla, only a few users decide the correlation, and the bootstrap interval can be too narrow.

# %% mystnb={"figure": {"name": "fig-fano-r4", "caption": "Figure 4 of the paper, on parts of its data and on flights: each point is one user, with the tight bound on an attacker's success against the spectral gap of the user's chain. Most bounds are near 1 at every gap. Circles: users whose chain is irreducible and aperiodic. Triangles: all others. On all three datasets, all gaps below 0.1 belong to triangles, whose bounds are near 1. On Foursquare and on the flights, Spearman's correlation ρ of gap and bound is near 0 for the circles and negative for the triangles."}, "image": {"alt": "Three panels, Gowalla, Foursquare and flights: each user's tight bound against the spectral gap of their chain, with circles for users whose chain is irreducible and aperiodic, and triangles for all others. Most points are at one, at every gap; triangles fill the left end. Each panel states the number of circles and triangles and the correlation for each."}} tags=["hide-input"]
figures.show_gaps(habits)

# %% tags=["hide-input"]
correlations = fano.correlations(habits)
by_chains = figures.correlation_table(correlations)["correlation [95%]"]
by_chains = by_chains.unstack("chains", sort=False).rename(index=figures.DATASETS)
plots.show_table(by_chains, "fig-4")

# %% [markdown]
# (fano-replicated-gap)=
# What does the spectral gap measure? We compute it for five people, each of whom moves between two places:

# %%
five_people = {
    "stays with probability 0.9": [[0.9, 0.1], [0.1, 0.9]],
    "goes to either place with probability 0.5": [[0.5, 0.5], [0.5, 0.5]],
    "moves to the other place in every step": [[0.0, 1.0], [1.0, 0.0]],
    "leaves the first place for good, late": [[0.9, 0.1], [0.0, 1.0]],
    "leaves the first place for good, at once": [[0.0, 1.0], [0.0, 1.0]],
}
for person_who, transition in five_people.items():
    moduli = np.sort(np.abs(np.linalg.eigvals(np.array(transition))))
    print(f"{person_who}: spectral gap {1 - moduli[-2]:.1f}")

# %% [markdown]
# ```{admonition} The spectral gap is only a proxy for slowness
# :class: warning
# The gap measures how fast a chain forgets where it started. It does not measure how often or how far the person moves. The first two people behave as expected, because the one who stays longer has the smaller gap. But the third person moves in every step, and has the smallest gap of all. The last two people both end at the second place and stay there. Their chains have the same stationary distribution, which is concentrated on the second place. So once both have left the first place, the two chains predict the same path. The gaps of these two people differ only because one of them leaves the first place earlier. We did not store how often each user stays at a place. When this page calls a user slow, it therefore means only that the user's chain has a small gap.
# ```
#
# In the column *only what was seen*, the correlation is negative on Foursquare and on the flights, as in the paper. On Gowalla its interval contains 0. Among which users is the correlation negative? We divide the users into the two groups of the figure. The stored results have a column `chains`, which says how the chain was estimated: `as decided` stands for relative frequencies. The column `mixed` is true for the group *all others*, because we mixed uniform moves into these chains. So the chain of such a user is periodic, or has a place to which it cannot return, or both. We leave out a few users who have no gap:

# %%
decided = fano.habits.stored()
decided = decided[decided["chains"] == "as decided"]
known_gaps = decided.dropna(subset=["gap"])
by_group = {}
for (name, mixed), group in known_gaps.groupby(["data", "mixed"]):
    by_group[figures.DATASETS[name], figures.CHAINS[bool(mixed)]] = {
        "users": len(group),
        "mean gap": group["gap"].mean(),
        "mean bound": group["random"].mean(),
        "correlation": group[["gap", "random"]].corr("spearman").iloc[0, 1],
    }
plots.show_table(
    pd.DataFrame.from_dict(by_group, orient="index").round(2), "fig-4-groups"
)

# %% [markdown]
# On Foursquare and on the flights, the correlation is negative in the group *all others*. In the group *irreducible and aperiodic* it is near 0. Does the negative correlation of all users come from the group *all others* alone? Not necessarily. On these two datasets, *all others* also have smaller gaps and higher bounds on average. This difference between the groups gives a negative correlation even if there is none within either group. How large is its effect? We permute the gaps at random within each group. This removes the correlation within the groups, and leaves the difference between them:

# %%
rng = np.random.default_rng(2024)
sources = {}
for name, of_data in known_gaps.groupby("data"):
    gaps_of_groups = of_data.groupby("mixed")["gap"]
    permuted = []
    for _ in range(200):
        shuffled = of_data.assign(gap=gaps_of_groups.transform(rng.permutation))
        permuted.append(shuffled[["gap", "random"]].corr("spearman").iloc[0, 1])
    sources[figures.DATASETS[name]] = {
        "correlation": of_data[["gap", "random"]].corr("spearman").iloc[0, 1],
        "mean over permutations": np.mean(permuted),
    }
sources = pd.DataFrame.from_dict(sources, orient="index")
plots.show_table(sources.round(3), "fig-4-sources")

# %% [markdown]
# On Foursquare, the difference between the groups alone gives a correlation of -0.045. So most of the correlation of -0.174 comes from within the group *all others*. On the flights, this difference alone gives -0.195, which is more than half of the correlation of -0.315.
#
# If a chain is reducible, the gap also depends on when the user left the places to which the chain cannot return, as the last two people of the example show. We did not test whether this explains the negative correlation within the group *all others*. On Gowalla, all users in the group *irreducible and aperiodic* have a bound of 1, so for them there is no correlation to compute.
#
# The folded output counts the users without a gap and those with a gap of almost 0:

# %% tags=["hide-cell"]
print("users without a gap:")
print(decided["gap"].isna().groupby(decided["data"]).sum().to_string())
print("users with a gap of almost 0:")  # what the mixing alone gives
print((known_gaps["gap"] < 1e-5).groupby(known_gaps["data"]).sum().to_string())

# %% [markdown]
# The users without a gap are three users of Foursquare who were at the same place in all training steps. A chain with a single place has no second eigenvalue, and therefore no gap. The four triangles at a gap of almost 0 are aircraft whose chain ends in a cycle: they then move in every step, as the third person of the example does. Yet these aircraft count as slow. An irreducible chain that is periodic would also have a gap of almost 0. So the chain of every other user in the group *all others* is reducible.

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig4")

# %% [markdown]
# (fano-replicated-unseen)=
# ### Sensitivity to transitions that were never seen
#
# What changes if transitions that never occurred get a positive probability? We add one to the count of each transition between places that a user visited. For example, suppose that a user visited three places, and went from home to work nine times and from home to nowhere else. The relative frequencies then give the move from home to work probability 1. With one added to each of the three counts, this move has probability 10/12, and staying at home or going to the third place has probability 1/12 each. The correlation of Fig. 4 is then clearly negative on all three datasets, as the column *one added to each transition* of [the table of Fig. 4](fano-replicated-fig4) shows.
#
# The paper's second statement says that some slow users have small bounds. We call a user slow if their gap is below the median, and a bound small if it is below 0.5. How many slow users have a small bound? We count them for both ways of estimating the chains. We also repeat the count with a limit of 0.4:

# %%
both_chains = fano.habits.stored().dropna(subset=["gap"])
with_small_bound = {}
for (name, way), of_way in both_chains.groupby(["data", "chains"], sort=False):
    slow = of_way[of_way["gap"] < of_way["gap"].median()]
    estimated = "relative frequencies" if way == "as decided" else "one added"
    with_small_bound[figures.DATASETS[name], estimated] = {
        "slow users": len(slow),
        "bound below 0.5": (slow["random"] < 0.5).sum(),
        "below 0.4": (slow["random"] < 0.4).sum(),
    }
plots.show_table(pd.DataFrame.from_dict(with_small_bound, orient="index"), "slow-users")

# %% [markdown]
# With relative frequencies, six slow users of Foursquare have a bound below 0.5, and none has a bound below 0.4. One slow user with a small bound is enough for the paper's statement, so the verdict depends on the limit. With one added, many more slow users of Foursquare have a small bound.
#
# On Gowalla no slow user has a small bound, whichever way we estimate the chains. With only 21 slow users, finding none does not show that none exist in the full dataset, so the second statement is *undecided*. With one added, the correlation on Gowalla is negative, as the paper says, and the first statement alone would be *consistent*. But the whole claim stays *undecided*, because it contains the second statement.
#
# Adding one also changes Fig. 3, as the next tables show. The groups are those of [the tables of Fig. 3](fano-replicated-fig3).

# %% tags=["hide-input"]
plots.show_parts(by_visits.xs("one added", level="chains"), "fig-3-added")

# %% [markdown]
# Here is a comparison of the two ways of estimating the chains on the paper's two datasets. *Spread* means that the middle 80% of the bounds cover more than half of the axis, and a *small* bound is below 0.5:
#
# | result | relative frequencies | one added |
# |---|---|---|
# | Fig. 3, Foursquare: bounds of users who were never at the sensor | not spread | spread |
# | Fig. 3, Gowalla: the same | not spread | the middle 80% cover more than half of the axis, but with so few users this is not significant |
# | Fig. 4, Foursquare: correlation of gap and bound | negative | negative, and stronger |
# | Fig. 4, Gowalla: the same | the interval contains 0 | negative |
# | Fig. 4, Foursquare: slow users with a small bound | 6 of 213 | 60 of 213 |
# | Fig. 4, Gowalla: the same | none of 21 | none of 21 |
#
# So on these datasets, the results with one added agree better with the paper's description than the results with relative frequencies.
#
# The paper does not use the flights, so they are no evidence about what the authors did. For completeness: in Fig. 4, the correlation on the flights is negative either way, and stronger with one added. In Fig. 3, the bounds of aircraft that were never at the sensor are spread only with one added. The mean bound of aircraft that were often at the sensor is then 0.85 instead of 1.00. But the mean bound of aircraft that were never there falls by more, from 0.90 to 0.44.
#
# Why do we keep relative frequencies? They are the usual estimate from observed transitions. The paper says only that it estimates the transition matrix "by the check-ins". You may prefer the other choice. [The tables of choices](fano-replicated-choices) show the verdicts under both.

# %% [markdown]
# (fano-replicated-fig5)=
# ## Fig. 5: the simulated person
#
# How do attacks and bounds depend on the number of places and on the length of the path? Each point in the figures is a mean over a hundred sequences of sensors. For each sequence, the probability of success is computed exactly, for raw counts. The left panels have the paper's axis, from 0 to 1, so that you can lay them beside the paper. On this axis nearly all attacks lie close to 0, so the right panels repeat the lines on a logarithmic axis.

# %% mystnb={"figure": {"name": "fig-fano-r5a", "caption": "Figure 5 of the paper, upper panels, for raw counts; left on the paper's axis, right on a logarithmic one. All attacks fall with the number of places and with the number of steps that must be right. No bound rises: the tight bound is 1 for 10 and 20 places and then falls, and the loose bound is 1 with ten places and if one or two steps must be right. The bounds lie far above the attacks. Lines: the two bounds of the paper (loose, tight), the attack that uses the counts (MAP), and two guesses that ignore them (maximum a priori, hollow circles; constant, small crosses). These two nearly coincide on all maps, and wherever at least four steps must be right. If only one step must be right, the constant guess succeeds twice as often."}, "image": {"alt": "Two rows of two panels, simulated person. Above, against the number of places; below, against the number of right steps required. On the axis from 0 to 1 the attacks lie near 0 and the bounds fall; on the logarithmic axis the attacks fall over many powers of ten, and the bounds by little."}} tags=["hide-input"]
sweeps = fano.sweeps.stored()
means, errors = fano.sweep_means(sweeps), fano.sweep_means(sweeps, "sem")
figures.sweeps(means, {"M": "places M", "T - s": "right steps T − s"})

# %% tags=["hide-input"]
print(fano.sweeps.source(), "(points), means and 95% intervals over sequences")
lines = ["MAP", "prior", "tight", "loose"]
for swept, name in (("M", "places M"), ("T - s", "right steps T - s")):
    points = sweeps[sweeps["swept"] == swept]
    kept_as = {"M": "fig-5-place", "T - s": "fig-5-steps"}[swept]
    plots.show_table(figures.swept_table(points, lines, name, most=10), kept_as)

# %% [markdown]
# *Number of places.* Five of ten steps must be right, so doubling the number of places makes the attack harder in each of five steps. On large maps, MAP's success then falls by a factor that approaches $2^5 = 32$. The tight bound falls much more slowly. It equals $(I + h(b)) / \log(1/Q)$ where it is below 1, so it can never be below $I / \log(1/Q)$, whatever the attacks do.
#
# *Right steps.* Each further step that must be right makes MAP's success 6 to 51 times smaller. The tight bound again falls slowly, for the same reason.
#
# The next cell prints the factors in these two paragraphs:

# %%
averages = fano.sweep_means(fano.sweeps.stored())
map_by_places = averages.loc["M", "MAP"]
for m in (10, 50, 100):
    factor = map_by_places[m] / map_by_places[2 * m]
    print(f"MAP, {m} places instead of {2 * m}: {factor:.0f} times the success")
by_steps_required = averages.loc["T - s", "MAP"].sort_index()
factors = by_steps_required.to_numpy()[:-1] / by_steps_required.to_numpy()[1:]
print(f"MAP, one right step fewer: {factors.min():.0f} to {factors.max():.0f} times")

# %% mystnb={"figure": {"name": "fig-fano-r5b", "caption": "Figure 5 of the paper, lower panels, for raw counts; left on the paper's axis, right on a logarithmic one. If half of the steps must be right, the tight bound stays near 0.1, the loose bound rises slowly, and the attacks fall as the path becomes longer. If two steps must be right, the attacks and the tight bound rise, and the loose bound rises until it is 1. Lines are as in the figure above. On the logarithmic axis, the constant guess is visibly above maximum a priori at T = 2 in the upper panel, and for long paths in the lower one."}, "image": {"alt": "Two rows of two panels, simulated person, against up to twenty time steps. Above, half of the steps may be wrong: the tight bound stays near 0.1, the loose bound rises slowly, attacks fall. Below, two steps must be right: the lines rise, the loose bound only until it reaches 1."}} tags=["hide-input"]
panels = {fano.HALF: "time steps T, s = T/2", fano.MINUS_2: "time steps T, s = T − 2"}
figures.sweeps(means, panels)

# %% tags=["hide-input"]
for swept, name in ((fano.HALF, "T, s = T/2"), (fano.MINUS_2, "T, s = T - 2")):
    points = sweeps[sweeps["swept"] == swept]
    table = figures.swept_table(points, lines, name, most=10)
    plots.show_table(table, f"fig-5-T-{'half' if swept == fano.HALF else 'minus-2'}")

# %% [markdown]
# By how much does each line vary with the length of the path?

# %%
variation = {}
for swept, name in ((fano.HALF, "s = T/2"), (fano.MINUS_2, "s = T - 2")):
    for line in ("loose", "tight", "MAP", "prior", "constant"):
        values = averages.loc[swept, line]  # one for each T
        variation[name, line] = {
            "largest - smallest": values.max() - values.min(),
            "largest / smallest": values.max() / values.min(),
        }
variation = pd.DataFrame.from_dict(variation, orient="index")
plots.show_table(variation.rename(index=figures.WORDS), "fig-5-variation")

# %% [markdown]
# *Half of the steps.* The attack has to be right in $T/2$ steps, so its success falls exponentially with $T$. Compared with the attacks, both bounds are nearly level. Are the lines "almost constant", as the paper says? With our margin of 0.05, the attacks and the tight bound are almost constant, because each of them varies by at most 0.04. The loose bound is not, because it rises by 0.10. With a factor of two in place of the margin, the answers for the attacks and for the loose bound are reversed. Both bounds are then almost constant, because each varies by a factor of at most 1.4, and the attacks are not.
#
# *Two steps.* The longer the path, the more pairs of steps there are in which the attack can be right. So the attacks become stronger. The paper gives another reason (Sec. 4.2.2): "This is due to correlation across time, i.e., the adversary gets more information to guess locations at a fixed number of time steps correctly by having more time steps." The information in the counts cannot be the whole reason, because the two guesses that ignore the counts become stronger, too. From $T = 2$ to $T = 20$, the success of *maximum a priori* becomes 34 times as large, and that of MAP 35 times. Both bounds rise as well, because more counts contain more information, and because a ball contains more paths.

# %% [markdown]
# Where are the bounds closest to MAP? We measure the distance in two ways. We subtract the success of MAP from the bound, and we divide the bound by the success of MAP. The table shows the result for the number of places, for raw counts:

# %%
distances = {}  # of each bound from MAP
for swept, axis in (("M", "places M"), (fano.MINUS_2, "time steps T, s = T − 2")):
    for value, point in averages.loc[swept].iterrows():
        distances[axis, value] = {
            "loose - MAP": point["loose"] - point["MAP"],
            "tight - MAP": point["tight"] - point["MAP"],
            "loose / MAP": point["loose"] / point["MAP"],
            "tight / MAP": point["tight"] / point["MAP"],
        }
distances = pd.DataFrame.from_dict(distances, orient="index")
plots.show_table(distances.loc["places M"].rename_axis("M"), "fig-5-distances")

# %% mystnb={"figure": {"name": "fig-fano-distances", "caption": "Distance of both bounds from MAP, measured by the difference (upper panels) and by the ratio (lower panels). Left: by the difference the bounds are closest to MAP on the largest map, and by the ratio they are farthest from it there. Right: if two steps must be right, the difference is smallest for the shortest path, and the ratio is largest there. The ratios are on a logarithmic axis."}, "image": {"alt": "Four panels with lines for the loose and the tight bound. Upper left: the difference from MAP rises from 10 to 20 places and then falls. Lower left: the ratio rises over several powers of ten with the number of places. Upper right: the difference rises with the number of time steps, except that the one for the loose bound falls a little once this bound is 1. Lower right: the ratio is largest for the shortest path."}} tags=["hide-input"]
figures.show_distances(distances)

# %% [markdown]
# If we measure the distance by the difference, the bounds are closest to MAP on the largest map and for the shortest path, as the paper says. If we measure it by the ratio, both bounds are farthest from MAP at exactly these points: on the largest map and, if two steps must be right, for the shortest path. But the order is not simply reversed. For the tight bound the ratio falls until $T = 6$, but from there on it changes little. The folded table has the values for this case.

# %% tags=["hide-cell"]
over_steps = distances.loc["time steps T, s = T − 2"].rename_axis("T, s = T - 2")
plots.show_table(over_steps, "fig-5-distances-steps")

# %% [markdown]
# Our test of the claim about large maps compares only two points. For both bounds, the difference from MAP must be smaller with 200 places than with 10 (`fano-fig5-m-tightness` *supported*). Between these two points, the difference does not always fall. From 10 to 20 places it grows from 0.69 to 0.95 for the loose bound, and from 0.69 to 0.96 for the tight one, because MAP falls while the bounds stay near 1. By our rule for falling lines, the claim would therefore be contradicted. The paper says only that the bounds are tight when $M$ is large, so we do not apply this rule.

# %% [markdown]
# The folded tables list the success of all attacks at every point of Fig. 5. They include the constant guess and an attack that is not in the paper, the *posterior modes*: in each step, it guesses the most probable place given all counts ({prf:ref}`def-fano-modes`). The folded table *T - s, short* is for the simulated person with only five steps. We use it in [the section on Fig. 6](fano-replicated-fig6). The first line of the output says how large a standard error is at most, compared with its mean.

# %% tags=["hide-cell"]
SHOWN = ["MAP", "marginal", "prior", "constant"]
share = (errors[SHOWN] / means[SHOWN]).max(axis=None)
print(f"standard errors over sequences: at most {share:.0%} of the mean")
plots.show_parts(means[SHOWN].rename(columns=figures.WORDS), "fig-5")

# %% [markdown]
# (fano-replicated-settings)=
# ### Raw counts, or noise of $\sigma = 1$?
#
# Which counts do Fig. 5 and 6 use? The paper has two defaults, and they contradict each other:
#
# - Sec. 3.1 makes raw counts the default: "In the rest of this paper, we use the raw counts, $(\text{count}(D_1, c_1), \dots, \text{count}(D_T, c_T))$, as the output counts for readability unless otherwise noted." Neither the captions of Fig. 5 and 6 nor the text about them says that noise is added to these counts.
# - Sec. 4.1 makes noise the default. It says that either raw counts or counts with noise are published, and continues: "We fix $\sigma = 1$ except when sweeping it." Only Fig. 7 and 8 vary $\sigma$.
#
# Each sentence may also have a narrower meaning. The first may concern only the formulas of Sec. 3, because it gives readability as its reason. The second may concern only the experiments to which noise is added. About Fig. 3 and 4 the paper says that it publishes "the true counts", but it does not repeat this for Fig. 5 and 6. So the text leaves the question open, and a claim should hold in both settings.
#
# We first computed both figures for raw counts alone, because we had overlooked the sentence in Sec. 4.1. When we noticed it, we had already seen the results for raw counts. We then changed the rule. A claim about Fig. 5 or 6 is now *supported* only if it holds both for raw counts and for $\sigma = 1$, and it is *contradicted* if it is contradicted in either setting. The reason that this page gave for the change was incomplete. It called $\sigma = 1$ the literal reading, and overlooked the sentence in Sec. 3.1. The rule and the verdicts are the same with the complete reason.
#
# Does any verdict depend on the setting? The function `of_sweeps` applies the tests of the table of claims to one of the two settings:

# %%
from lib.papers.fano_loss.claims import of_sweeps

with_raw_counts = of_sweeps(fano.sweeps.stored())
with_noise_of_1 = of_sweeps(fano.noisy_sweeps.stored())
both_settings = {}
for claim, raw_test in with_raw_counts.items():
    noisy_test = with_noise_of_1[claim]
    both_settings[claim] = {
        "raw": raw_test.verdict,
        "number, raw": raw_test.here.value,
        "σ = 1": noisy_test.verdict,
        "number, σ = 1": noisy_test.here.value,
    }
table_of_settings = pd.DataFrame.from_dict(both_settings, orient="index")
plots.show_table(table_of_settings.rename_axis("claim"), "settings")

# %% [markdown]
# No verdict depends on the setting: all eight claims are supported in both. (The names are those of the table of claims, without `fano-`. The numbers are what the column *here* of that table would show if we tested only one of the two settings.) But the values change a great deal. In the figure, noise lowers the tight bound by a factor of up to about six, and changes the loose bound much less. MAP was simulated in only 1,100 runs for each point, so the lowest points of its line are very uncertain. Where a line of MAP has a gap or ends, no run succeeded. [An exercise](fano-rep-ex-zero) shows which probabilities are compatible with this.

# %% mystnb={"figure": {"name": "fig-fano-r5n", "caption": "Bounds and MAP at the points of Figure 5, with noise of σ = 1 (lines with marks) and for raw counts (thin lines of the same colour), on a logarithmic axis. Noise lowers the tight bound, by a factor of up to about six, and changes the loose bound much less. MAP with noise is simulated in 1,100 runs for each point, and is drawn where at least one run succeeded; marks below 0.002 stand for one or two successful runs."}, "image": {"alt": "Four panels on a logarithmic axis, against places, right steps, and time steps in two settings: with noise, the loose bound coincides with its thin line, the tight bound lies below its thin line, and MAP is below its thin line or missing."}} tags=["hide-input"]
noisy_means = fano.sweep_means(fano.noisy_sweeps.stored().drop(columns="runs"))
four_panels = {"M": "places M", "T - s": "right steps T − s"}
four_panels |= {fano.HALF: "T, s = T/2", fano.MINUS_2: "T, s = T − 2"}
figures.noisy_sweeps(means, noisy_means, four_panels)

# %% [markdown]
# How does noise change the [verdict by hand](fano-replicated-by-hand)? We repeat its table of differences between the tight bound and the best attack for $\sigma = 1$:

# %%
noisy_rows = fano.noisy_sweeps.stored()
with_noise = {}
for s in range(5):
    at_s = noisy_rows[
        (noisy_rows["swept"] == "T - s") & (noisy_rows["value"] == 10 - s)
    ]
    gap = at_s["tight"] - at_s[["MAP", "prior", "constant"]].max(axis=1)
    test = predicates.close(predicates.estimate(gap), 0.0, within=0.02)
    with_noise[s] = {"difference": gap.mean(), "within 0.02": test.verdict}
table_with_noise = pd.DataFrame.from_dict(with_noise, orient="index").rename_axis("s")
plots.show_table(table_with_noise, "by-margin-noisy")
noisy_averages = fano.sweep_means(noisy_rows.drop(columns="runs"))
print("MAP on ten places:", noisy_averages.loc[("M", 10), "MAP"].round(3))

# %% [markdown]
# With noise, the tight bound is much closer to the attacks: at $s = 0$ the difference is 0.0045 instead of 0.0259. The claim that the bound "almost matches" the attacks then holds even with the margin of 0.02, for every $s$ from 0 to 4. For raw counts it fails at this margin. So we have less reason to doubt the word "almost" if the paper used noise. The ratio of the bound to the attacks is still large. At $s = 0$ the bound is 0.0045, while the guess without counts succeeds with a probability below $10^{-11}$.
#
# Can the paper's one printed number decide the question? The paper says that MAP succeeds with a probability near 0.3 for small $M$. For raw counts, this agrees with our result for the map with ten places. With noise, MAP succeeds on this map with probability only 0.095, so the paper's smallest map would need fewer than ten places. The paper does not print its smallest $M$, so both settings remain possible.
#
# The folded tables have the values with noise at every point.

# %% tags=["hide-cell"]
plots.show_parts(
    noisy_means[["loose", "tight", "MAP"]].rename(columns=figures.WORDS), "fig-5-noisy"
)

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig5")

# %% [markdown]
# (fano-replicated-fig6)=
# ## Fig. 6: real people, by the number of steps that must be right
#
# How often do attacks on real people succeed? Fig. 6 shows means over users. The bounds are averaged over a hundred sequences of sensors, and the attacks are run on the first six of them. These sequences are the same for all users, so the standard errors over users do not reflect that the sensors were drawn at random. The constant guess names the same place for all users, and this place is never *somewhere else*.
#
# (fano-replicated-moment)=
# The figure also shows an upper bound that is not in the paper, the *moment bound*. Its idea is to count the right steps of a guess. For example, suppose that no guess has more than two of four steps right on average. Then no guess has all four steps right with a probability above 2/4. This is Markov's inequality.
#
# We can count right pairs of steps in the same way. Let $C$ be the number of right steps of a guess. If the guess succeeds, then $C \ge m$ with $m = T - s$, so at least $\binom{m}{k}$ sets of $k$ steps are right, for every $k \le m$. By Markov's inequality,
#
# $$\Pr[C \ge m] \le \mathrm{E}\Big[\tbinom{C}{k}\Big] \Big/ \tbinom{m}{k} .$$
#
# The numerator is a sum over all sets of $k$ steps. Each term is the probability that the guess is right in all steps of the set. No guess exceeds the probability of the best guess for this set, so we sum these best probabilities. For example, suppose that no guess is right in both steps of a pair with a probability above 0.2. Four steps have six pairs, so a guess has at most 6 · 0.2 right pairs on average. If all four steps must be right, no guess succeeds with a probability above 6 · 0.2 / 6 = 0.2. The moment bound is the smallest value over all $k$ ({prf:ref}`thm-fano-moments`).
#
# In this figure the bound uses the counts without noise. It remains valid for noisy counts: an attacker who has raw counts can add the noise to them, and so can do at least as well as one who has only noisy counts. In [the section on Fig. 7](fano-replicated-moment-noise) we also use a variant that depends on the noise.

# %% mystnb={"figure": {"name": "fig-fano-r6", "caption": "Figure 6 of the paper, on parts of its data. Both bounds of the paper are near 1 except for the hardest tasks. On Foursquare, the tight bound is 0.88 if four steps must be right, and 0.40 if all five must be right. MAP succeeds less than half as often (0.37 and 0.19). If only steps at real places count as right (crosses), it succeeds on Foursquare much less often still: with probability 0.17 instead of 0.84 if one step must be right. Maximum a priori (large hollow triangles), which ignores the counts, lies almost on the line of MAP. All values are for raw counts. Each value is a mean over users. The moment bound is ours, and the constant guess names one place in every step."}, "image": {"alt": "Two panels, parts of Gowalla and Foursquare: mean success against the number of right steps required. The paper's bounds are near one, the moment bound and the attacks fall."}} tags=["hide-input"]
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
    "MAP, places": "MAP, counting only real places as right",
    "marginal": "posterior modes",
    "prior": "maximum a priori",
}
of_all = figures.people_table(all_but_one, lines).rename(columns=figures.DATASETS)
plots.show_table(of_all, "fig-6-all-but-one")

# %% [markdown]
# (fano-replicated-fig6-table)=
# In this table, four of five steps must be right. Is MAP better than *maximum a priori*, which ignores the counts, and are the posterior modes better than MAP? All attacks are on the same users, so we compare them user by user:

# %%
of_people = fano.attack_people.stored()
of_people = of_people[(of_people["σ"] == 0) & (of_people["T - s"] == 4)]
named_here = {"MAP": "MAP", "prior": "maximum a priori", "marginal": "posterior modes"}
user_by_user = {}
for name, of_data in of_people.groupby("data", sort=False):
    for better, other in (("MAP", "prior"), ("marginal", "MAP")):
        difference = of_data[better] - of_data[other]  # one for each user
        words = f"{named_here[better]} minus {named_here[other]}"
        user_by_user[figures.DATASETS[name], words] = {
            "mean difference": difference.mean(),
            "standard error": difference.sem(),
        }
user_by_user = pd.DataFrame.from_dict(user_by_user, orient="index")
plots.show_table(user_by_user.round(4), "fig-6-pairs")

# %% [markdown]
# The counts add little to the success of MAP. On Foursquare they add only 0.0035, although this difference is significant if we regard the users as a sample. The posterior modes are clearly better than MAP on Foursquare, by 0.058. On Gowalla neither difference is significant.
#
# In the row *MAP, counting only real places as right* of [the table of all attacks and bounds](fano-replicated-fig6-table), a step counts as right only if the user is at a real place. By this measure, MAP keeps about four fifths of its success on Gowalla (0.17 of 0.22), but less than a tenth on Foursquare (0.03 of 0.37) and on the flights (0.02 of 0.20). On those two datasets, MAP often succeeds only because it guesses *somewhere else*. Such a success reveals little about the user. The rows $T - s = 1$ of the folded tables show this best. If MAP guesses at least one step correctly on these two datasets, all its correct steps are usually *somewhere else*. On Gowalla, in contrast, MAP then keeps about half of its success. The folded tables have one part for each dataset. The number after ± is the standard error over users.

# %% tags=["hide-cell"]
ATTACKS = ["MAP", "MAP, places", "marginal", "prior", "constant"]
three_digits = "{:.3f}".format
with_errors = step_means.map(three_digits) + " ± " + step_errors.map(three_digits)
words_for = figures.WORDS | {"MAP, places": "MAP, counting only real places as right"}
with_errors = with_errors.rename(columns=words_for, index=figures.DATASETS)
named = [words_for.get(name, name) for name in ATTACKS]
plots.show_parts(with_errors[named], "fig-6-attacks")
plots.show_parts(with_errors[["loose bound", "tight bound", "moment bound"]], "fig-6")

# %% [markdown]
# Do attacks succeed more often on real people than on the simulated person? The next table shows the success of attacks on the simulated person with the same number of steps, $T = 5$. On all three datasets, MAP succeeds far more often than on the simulated person. Does this depend on the many steps in which a user is *somewhere else*? We repeat the test, and now count a step as right only if the user is at a real place:

# %% tags=["hide-input"]
simulated = means.loc[fano.SHORT, ["MAP", "constant"]]
plots.show_table(simulated.rename_axis("T - s"), "short")

# %%
from_five_steps = fano.sweeps.stored()
from_five_steps = from_five_steps[from_five_steps["swept"] == "T - s, short"]
four_of_five = from_five_steps[from_five_steps["value"] == 4]
on_simulated = four_of_five["MAP"]  # one success for each sequence of sensors
right_at = {"MAP": "MAP", "MAP, places": "MAP, counting only real places as right"}
above = {}
for name, of_data in of_people.groupby("data", sort=False):
    for column, counted in right_at.items():
        success = of_data[column]  # one for each user
        difference = success.mean() - on_simulated.mean()
        error = np.hypot(success.sem(), on_simulated.sem())
        above[figures.DATASETS[name], counted] = {
            "success": success.mean(),
            "standard error": success.sem(),
            "difference / error": difference / error,
        }
above = pd.DataFrame.from_dict(above, orient="index")
plots.show_table(above, "fig-6-places")

# %% [markdown]
# MAP succeeds significantly more often on all three datasets, and also if only steps at real places count: each difference from the simulated person is more than two standard errors above 0. The simulated person has a hundred places and no *somewhere else*, so the second comparison is the stricter one.
#
# The claim also names the constant guess, which is never *somewhere else*. It is right for very few users, so we use an exact test. The null hypothesis is that a real user moves like the simulated person. With $T - s = 4$, each constant guess would then succeed on real users only as often as on the simulated person. How likely would it be, under this hypothesis, that the best of a hundred constant guesses is right for at least as many users as we observed?
#
# The constant guess is the best of a hundred places, chosen after we had seen the users. The probability that at least one of a hundred guesses is this lucky is at most the sum of their hundred probabilities. So we compute the probability for one place and multiply it by a hundred, which is the Bonferroni correction. The output calls the result *by luck*. The claim is *consistent* with the data if the result is below 5%. For one place we use the binomial distribution, which assumes that the users move independently of each other.

# %%
chance = four_of_five["constant"].mean()
lucky_guess = fano.constant_guesses.stored()
exact_test = lucky_guess[lucky_guess["T - s"] == 4].set_index("data")[["hits", "users"]]
at_one_place = stats.binom.sf(exact_test["hits"] - 1, exact_test["users"], chance)
exact_test["by luck"] = np.minimum(1, 100 * at_one_place)
plots.show_table(exact_test.rename(index=figures.DATASETS), "fig-6-constant")

# %% [markdown]
# On Foursquare and on the flights, both attacks succeed significantly more often than on the simulated person. On Gowalla the constant guess succeeds for one of 42 users. This is more often than on the simulated person, but luck could explain it at the 5% level. So the claim is *undecided* on Gowalla.
#
# As for Fig. 5, the paper may have used [noise of $\sigma = 1$](fano-replicated-settings). We repeat MAP and the bounds with this noise:

# %%
noisy_people = fano.noisy_people.stored()
noisy_people = noisy_people[noisy_people["T - s"] == 4]
noisy_short = noisy_rows[
    (noisy_rows["swept"] == "T - s, short") & (noisy_rows["value"] == 4)
]
people_by_setting = {}
for name, of_data in noisy_people.groupby("data", sort=False):
    more = predicates.greater(
        *map(predicates.estimate, (of_data["MAP"], noisy_short["MAP"]))
    )
    raw_of_data = of_people[of_people["data"] == name]
    people_by_setting[figures.DATASETS[name]] = {
        "MAP, raw": raw_of_data["MAP"].mean(),
        "MAP, σ = 1": of_data["MAP"].mean(),
        "tight, raw": raw_of_data["tight"].mean(),
        "tight, σ = 1": of_data["tight"].mean(),
        "MAP, σ = 1, above simulated": more.verdict,
    }
plots.show_table(
    pd.DataFrame.from_dict(people_by_setting, orient="index"), "fig-6-noisy"
)

# %% [markdown]
# In this table, in which four of five steps must be right, noise lowers the success of MAP and the tight bounds by less than 0.013. MAP still succeeds more often on all three datasets than on the simulated person. The last column tests MAP alone, because the constant guess ignores the counts and noise does not change it. The verdicts in the table of claims below require both settings, and none of them would be different for one setting alone. The folded tables have the values with noise for every number of right steps.

# %% tags=["hide-cell"]
noisy_steps = fano.noisy_people.stored().rename(columns=figures.WORDS)
noisy_steps = noisy_steps.groupby(["data", "T - s"], sort=False)[
    ["loose bound", "tight bound", "MAP"]
].mean()
plots.show_parts(
    noisy_steps.rename(index=figures.DATASETS, level="data"), "fig-6-steps-noisy"
)

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig6")

# %% [markdown]
# (fano-replicated-fig7)=
# ## Fig. 7: noise against attacks on the simulated person
#
# Does noise lower the bounds, and does it stop the attack? The caption of the paper's Fig. 7 does not say how many places the map has. Sec. 4.1 sets $M = 100$, and our verdicts are about this map. We add a map with ten places.

# %% mystnb={"figure": {"name": "fig-fano-r7", "caption": "Figure 7 of the paper, with ten and with a hundred places. With ten places, noise lowers the success of MAP to that of the guess without counts (dotted line, maximum a priori), but both bounds of the paper stay at 1. With a hundred places (logarithmic axis) the tight bound falls by a factor of a hundred, but MAP almost never succeeds, with or without noise. Thin lines: the same without noise. Vertical bars: 95% intervals of MAP. With a hundred places MAP with noise never succeeded in 1,100 runs; its success lies in the hatched band, because no attack succeeds with a probability above the moment bound. The moment bound is ours."}, "image": {"alt": "Two panels, simulated person with ten and with a hundred places: privacy loss against the noise's standard deviation. With ten places MAP falls to the dotted line of maximum a priori while both bounds stay at 1. With a hundred places, on a logarithmic axis, the loose bound is level near 0.5, the tight bound falls from 0.1 to 0.001, the moment bound is level at about 0.0001, and a hatched band below it says that MAP with noise lies there."}} tags=["hide-input"]
by_noise = fano.noise_means(fano.noise.stored())
lines = ["loose", "tight", "moments", "MAP"]
figures.noise(by_noise, lines, means.loc["M"]["prior"], power=100)

# %% [markdown]
# The first of the two tables is for ten places and the second one for a hundred. Each row is a level of noise. The column *tight bound* is the paper's bound with Eq. 4. The column *tight, smaller I* is a variant of this bound that we explain [later in this section](fano-replicated-why-higher). The column *MAP [95%]* is the success of MAP. Without noise, this success is computed exactly for each sequence of sensors, and the interval is for the mean over the hundred sequences. With noise, MAP is simulated in eleven runs for each sequence, and the interval is over all runs. So the two kinds of interval are not comparable.

# %% tags=["hide-input"]
print(fano.noise.source())
of_maps = figures.map_table(by_noise)
plots.show_table(of_maps.loc[10], "fig-7-ten")
plots.show_table(of_maps.loc[100], "fig-7-hundred")

# %% [markdown]
# With ten places, noise weakens MAP until its success cannot be distinguished from that of *maximum a priori*, the guess without counts. At the strongest noise, the interval of MAP contains 0.056, which is the success of *maximum a priori* in [the table over places](fano-replicated-fig5) and the dotted line in the figure. Noise reduces MAP's success by four fifths. The tight bound cannot show this reduction, because it stays at 1. With a hundred places the tight bound falls, but the attack almost always fails even without noise.
#
# The folded table has the loose bound for both maps, and two columns on differential privacy, which we explain [at the end of this section](fano-replicated-epsilon).

# %% tags=["hide-cell"]
loose_bounds = by_noise["loose"].unstack("M").add_prefix("loose bound, M = ")
privacy = by_noise.loc[10, ["ε, printed", "ε, exact"]]  # the same on every map
plots.show_table(figures.with_raw(loose_bounds.join(privacy)), "fig-7")

# %% [markdown]
# (fano-replicated-why-higher)=
# ### Why is a bound with noise higher than the bound without noise?
#
# At $\sigma = 0.1$ and a hundred places, the tight bound is slightly higher than for raw counts, although noise cannot add information. Why? For a single count, Eq. 4 is practically exact at this noise, as [the table of Eq. 4](fano-replicated-eq4) shows. But Eq. 4 adds up the information in the counts as if they were independent. For raw counts, the paper instead computes the sum $\sum_t H(\text{count}_t \mid \text{count}_{t-1})$, which takes into account that each count depends on the previous one. We compare Eq. 4 at $\sigma = 0.1$ with three quantities for raw counts: the sum of the entropies of the single counts, the paper's sum, and the exact information in all counts together:

# %%
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
# Eq. 4 agrees with the sum of the entropies, and both are larger than the paper's sum for raw counts. So the whole difference arises because Eq. 4 treats dependent counts as if they were independent. The same explanation holds for every chain. No term of Eq. 4 exceeds the entropy of one raw count, so only the summation can make Eq. 4 larger than the information in raw counts.
#
# The last line of the output is the exact information. The paper says that computing it is "intractable even when the raw counts are published", because the time grows exponentially with $T$ (Sec. 3.3.1). For raw counts this is too pessimistic. Once the person is counted, the attacker knows the place, and earlier counts no longer matter. So it is enough to consider when the person was last counted. Our library computes the exact information in this way, and the number of operations grows only like $T^2 M^2$.
#
# For the column *tight, smaller I*, we replace $I$ by the smaller of two values: Eq. 4 and the paper's sum for raw counts. The result is a valid bound, because noisy counts contain no more information than raw ones. It never exceeds the bound for raw counts.
#
# (fano-replicated-moment-noise)=
# ### Why does the moment bound not fall with a hundred places?
#
# The library computes the moment bound in two ways and reports the smaller result. The first way, which we [described for Fig. 6](fano-replicated-moment), ignores the noise. Like the tight bound, the second way uses the information in the noisy counts. With a hundred places the first way gives the smaller bound at every level of noise, so the column is constant. [The chapter on bounds](fano-noise) explains this.
#
# ### Does very little noise weaken the attack?
#
# At $\sigma = 0.1$ and ten places, MAP succeeds a little less often than without noise, but its interval contains the value without noise. Is the difference due to chance? We attack the same simulated paths once without noise and once with it:

# %%
runs = fano.noisy_runs([0.1], n_runs=1000).pivot(index="run", columns="σ")["MAP"]
changed = (runs[0.0] != runs[0.1]).sum()
print(f"{len(runs)} paths: MAP {runs[0.0].mean()} and {runs[0.1].mean()}")
print(f"paths on which the result changed: {changed}")

# %% [markdown]
# The noise changed no result on these paths. It could hardly do so: if 0 and 1 are about equally likely, the attacker misreads a count only if the noise is larger than 1/2, which is five standard deviations. MAP also weighs a count with the prior. This shifts the threshold of 1/2 by only about 0.02 for a place with probability 0.1. So the difference in the table is almost certainly due to chance.

# %% [markdown]
# (fano-replicated-epsilon)=
# ### What does differential privacy say about the same counts?
#
# The paper compares its privacy loss with the parameter $\varepsilon$ of [differential privacy](../guarantees.ipynb). One person changes each of $T$ counts by at most 1. For this case and normal noise, the paper uses the standard formula (Sec. 2.2.1)
#
# $$\varepsilon = \frac{\sqrt{2\, T \ln(1.25/\delta)}}{\sigma} .$$
#
# Neither the number of places nor the person's habits occur in the formula, so $\varepsilon$ is the same for everybody. It grows with the number of counts, and without noise it is infinite. The formula is proven only if the resulting $\varepsilon$ is below 1. For larger values, the smallest $\varepsilon$ that the noise really guarantees can be computed exactly {cite:p}`balle2018improving`. We compare the formula with this exact value for ten counts and $\delta = 10^{-5}$:

# %%
for sigma in (0.1, 0.3, 1.0, 3.0, 10.0):
    of_formula = np.sqrt(2 * 10 * np.log(1.25 / 1e-5)) / sigma
    guaranteed = rec.dp_epsilon(sigma, 10, 1e-5, "exact")
    print(f"σ = {sigma}: formula {of_formula:.1f}, exact {guaranteed:.1f}")

# %% [markdown]
# All values of the formula here are above 1, where the formula is not proven. At $\sigma = 0.1$, 0.3 and 1 the formula gives a smaller $\varepsilon$ than the exact value, so it suggests more privacy than the noise provides. At 3 and 10 it gives a larger $\varepsilon$ than the exact value, so there it is on the safe side. In the folded table of Fig. 7, the column *ε, printed* shows the formula as printed in the paper, and *ε, exact* shows the exact value.
#
# The next table shows the value of the formula at $\sigma = 1$ and $\delta = 10^{-5}$ for different numbers of counts $T$. The column *ε, raw* is for counts without noise.

# %% tags=["hide-input"]
by_counts = fano.epsilon.stored().set_index("T").drop(columns="data")
by_counts = by_counts.rename(
    columns={"raw": "ε, raw", "printed": "ε, formula at σ = 1"}
)
plots.show_table(by_counts, "epsilon")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig7")

# %% [markdown]
# (fano-replicated-fig8)=
# ## Fig. 8: noise against attacks on real people
#
# Does noise protect real people? Fig. 8 shows means over users, and four of five steps must be right. The paper plots the bounds and the success of MAP themselves. The left panels of the figure below show them, and all lines look level. So for each user we also subtract the value without noise, and average these changes:

# %%
four_right = fano.attack_people.stored()
four_right = four_right[four_right["T - s"] == 4]
strongest = {}
for line in ("loose", "tight", "MAP"):
    wide = four_right.pivot(index=["data", "user"], columns="σ", values=line)
    change = wide[10.0] - wide[0.0]  # one for each user
    without_noise = wide[0.0].groupby("data").mean()
    for name, of_data in change.groupby("data"):
        strongest[figures.DATASETS[name], line] = {
            "without noise": without_noise[name],
            "change": of_data.mean(),
            "standard error": of_data.sem(),
        }
strongest = pd.DataFrame.from_dict(strongest, orient="index")
plots.show_table(strongest.round(4), "fig-8-strongest")

# %% [markdown]
# The table shows the changes at $\sigma = 10$. How large could the change of MAP be at most if noise only removes what the counts add? Without noise, the counts add the success of MAP minus that of *maximum a priori*, the guess without counts:

# %%
exact_counts = four_right[four_right["σ"] == 0]
added = exact_counts["MAP"] - exact_counts["prior"]
added = added.groupby(exact_counts["data"]).mean()
print(added.rename(figures.DATASETS).round(4).to_string())

# %% mystnb={"figure": {"name": "fig-fano-r8", "caption": "Figure 8 of the paper, on parts of its data and on flights. Left, on the paper's axis: both bounds and MAP as means over users, hollow marks for raw counts; all lines look level. Right: the value with noise minus the value without, a mean over users with its 95% interval. Noise lowers the tight bound by less than 0.02 and the success of MAP by about 0.01 or less, and leaves the loose bound at 1. The dotted line is the change of MAP if noise took away all that the counts had added. MAP reaches this line on all three datasets. Points are shifted sideways where they would overlap."}, "image": {"alt": "Three rows of two panels, Gowalla, Foursquare and flights. Left: levels from 0 to 1 against the noise, all level. Right: changes of the loose bound, the tight bound and MAP. On Foursquare and flights the tight bound falls to about minus 0.014 and minus 0.018 and MAP to a dotted line near minus 0.004; the loose bound stays at 0. On Gowalla both bounds are level at 0, and the intervals of MAP are wide."}} tags=["hide-input"]
figures.noise_changes(four_right, added)

# %% [markdown]
# On Foursquare and on the flights, the success of MAP falls a little, but significantly. With the strongest noise MAP succeeds about as often as *maximum a priori*, so the noise takes away all that the counts had added. On Gowalla, where there are only 42 users, the fall is not significant. At $\sigma = 1$ and $\sigma = 3$, MAP on Gowalla even falls below the dotted line, so it succeeds less often there than *maximum a priori*. Is this due to chance?

# %%
of_gowalla = four_right[four_right["data"] == "gowalla"]
map_by_noise = of_gowalla.pivot(index="user", columns="σ", values="MAP")
without_counts = of_gowalla[of_gowalla["σ"] == 0].set_index("user")["prior"]
for sigma in (1.0, 3.0):
    minus_prior = map_by_noise[sigma] - without_counts
    print(f"σ = {sigma:.0f}: MAP minus maximum a priori {minus_prior.mean():.4f}")
    print(f"    standard error over users {minus_prior.sem():.4f}")

# %% [markdown]
# The difference is one standard error, so it may be due to chance.
#
# Why does noise take so little from MAP? On all three datasets, the counts had added little in the first place. For the simulated person on the map with ten places, they had added much, and noise lowers the success of MAP from 0.31 to 0.06, as [the table of Fig. 7](fano-replicated-fig7) shows. (The two settings also differ in the number of steps and of places.) Noise removes what the counts reveal, but it cannot remove what an attacker knows about a person's habits. The paper draws the same conclusion (Sec. 4.2.3): if the attacker knows enough, "the noise in the published counts cannot make them forget the information they already know".
#
# Do the bounds fall as the noise grows? The paper plots the values without noise for reference. Its claim is about "a larger standard deviation $\sigma$", so our test compares the strongest noise with the weakest. The column *change* is the mean over users of the bound at $\sigma = 10$ minus the bound at $\sigma = 0.1$. The column *users below 1* counts the users whose bound is below 1 at some level of noise:

# %%
loss = fano.attack_people.stored()
loss = loss[(loss["T - s"] == 4) & (loss["σ"] > 0)]
tested = {}
for name, of_one in loss.groupby("data", sort=False):
    for bound in ("loose", "tight"):
        wide = of_one.pivot(index="user", columns="σ", values=bound)
        change = wide[10.0] - wide[0.1]  # for each user
        tested[figures.DATASETS[name], bound] = {
            "users below 1": (wide < 1).any(axis=1).sum(),
            "change": change.mean(),
            "standard error": change.sem(),
            "it falls": predicates.decreasing(wide).verdict,
        }
plots.show_table(pd.DataFrame.from_dict(tested, orient="index"), "fig-8-each")

# %% [markdown]
# On Foursquare and on the flights, the tight bound falls significantly, although by less than our margin. The loose bound does not fall significantly, because it is 1 for all users except one user of Foursquare. The paper's sentence is about both bounds, so the verdict on it is *undecided*. On Gowalla the tight bound is below 1 for only three users, and its fall is not significant.

# %% [markdown]
# Is a bound ever higher with noise than without? The folded tables give the values shown in the figure: the tight bound, the same bound computed after adding one to each transition count, and the success of MAP with its standard error. The column *above raw* is the share of users whose tight bound is *higher* with noise than without. Such a bound is higher only because Eq. 4 treats dependent counts as independent, as it does [for the simulated person](fano-replicated-fig7). At $\sigma = 0.1$ this happens to about a fifth of the users of Foursquare.

# %% tags=["hide-cell"]
real_noise = fano.people_noise_means(attacked)
for name in ("foursquare", "gowalla"):
    own = figures.with_raw(real_noise.loc[[name]]).loc[name]
    columns = ["tight", "tight, one added", "MAP", "MAP error", "above raw"]
    plots.show_table(own[columns], f"fig-8-{name}")

# %% [markdown]
# [The section on Fig. 6](fano-replicated-fig6-table) compares the posterior modes with MAP, user by user. On Foursquare, the posterior modes succeed more often: the mean difference is 0.058, with a standard error of 0.012. On Gowalla it is 0.020 ± 0.024, which is not significant. We did not test whether noise takes more from the posterior modes. The next folded tables give the values for the flights, and for each dataset the loose bound and the tight bound with the smaller $I$.

# %% tags=["hide-cell"]
all_noise = figures.with_raw(real_noise).rename(index=figures.DATASETS)
flights = all_noise.loc["flights"]
columns = ["tight", "tight, one added", "MAP", "MAP error", "above raw"]
plots.show_table(flights[columns], "fig-8-flights")
plots.show_parts(all_noise[["loose", "tight, smaller I"]], "fig-8")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig8")

# %% [markdown]
# (fano-replicated-choices)=
# ## Which verdicts depend on our choices?
#
# The paper does not define words such as "almost", "spread" or "slow". In some cases it does not say which map or which users a sentence is about. So we had to choose. The two tables of this section list those of our choices that we think could decide a verdict. Each row gives our choice, an alternative that another reader might prefer, and the verdict under this alternative. A row marked *(as above)* gives another choice about the last sentence that is written out above it. Two choices are not in the tables. For the choice between [raw counts and noise](fano-replicated-settings), we require that a sentence holds for both. [The rule of success](fano-replicated-rule) affects all results about the simulated person at once.
#
# The first table is about the simulated person and about the number of operations. With our choices, all its sentences are *supported*. For the sentences about Fig. 5, the column *verdict under it* is for raw counts, and the last column shows the verdict under the same alternative with noise of $\sigma = 1$. A dash there means that the sentence is not about Fig. 5, or that the test needs a ratio to MAP, which never succeeded in some of the simulations with noise. The second table is about the substitutes for Foursquare and Gowalla. It also shows the verdict with our choice, which differs between sentences.

# %% tags=["hide-input"]
from lib.papers.fano_loss import choices

of_choices = choices.table()
supported_by_ours = of_choices["verdict"] == "supported"
plots.show_table(of_choices[supported_by_ours].drop(columns="verdict"), "choices")
of_substitutes = of_choices[~supported_by_ours].drop(columns="at σ = 1")
plots.show_table(of_substitutes, "choices-people")

# %% [markdown]
# In four rows of these tables, the alternative does not change the verdict:
#
# - On Foursquare, the verdict on slow users stays *consistent* if we add one to each transition count.
# - On Gowalla, the verdict on slow users stays *undecided* if we add one to each transition count, because the second statement remains undecided. The next row of the table shows that the first statement alone would be *consistent*.
# - On Gowalla, the verdict on the bounds stays *undecided* if we look at the tight bound alone.
# - On the map with a hundred places, noise changes the success of MAP by less than 0.001, because no attack succeeds with a probability above the moment bound in [the table of Fig. 7](fano-replicated-fig7). So the sentence is *supported* with this margin, too.
#
# In all other rows the verdict depends on the choice, at least for raw counts. With noise of $\sigma = 1$, two alternatives leave their sentences *supported*: the tight bound almost matches the attacks at $s = 3$, too, and the distance between bounds and MAP nowhere rises with $M$. The sentence on the order of the two bounds stays *contradicted* for $s = 5$ and every $M$, but for another reason. With noise, the tight bound is above the loose one on no map. But the sentence also requires a case in which the loose bound is 1 and the tight one is not, and there is none.
#
# (fano-replicated-axis)=
# ### Differences or ratios?
#
# The paper plots losses on an axis from 0 to 1. A reader of this axis sees differences, so we compare differences. For raw counts, four claims would fail on a logarithmic axis, as [the section on Fig. 5](fano-replicated-fig5) shows:
#
# | claim | the sentence | does the verdict depend on the margin? |
# |---|---|---|
# | `fano-fig5-tight-at-small-s` *supported* | the tight bound almost matches the attacks at small $s$ | yes |
# | `fano-fig5-T-half` *supported* | the success of the attacks is almost constant in $T$ | yes |
# | `fano-fig5-m-tightness` *supported* | the bounds come closer to the attacks for large $M$ | no, the test compares differences with each other |
# | `fano-fig5-T-minus-2` *supported* | the bounds are tightest at $T = 2$ | no, for the same reason |
#
# If we compare ratios instead of differences, the bounds are farthest from the attack on the largest map and at $T = 2$.
#
# ### What are the reasons for our choices?
#
# We begin with the choices about the simulated person:
#
# - *Raw counts or noise.* Sec. 3.1 uses raw counts "unless otherwise noted", and Sec. 4.1 fixes $\sigma = 1$ "except when sweeping it". For Fig. 5 and 6 these two defaults contradict each other, so we require that a sentence holds in both settings. [The section on the two settings](fano-replicated-settings) gives the details.
# - *The margin.* The verdicts on four claims depend on the margin of 0.05. Two of them are marked *yes* in [the table on differences and ratios](fano-replicated-axis). The other two say that noise hardly changes the attack, and that the success of the constant guess is "non-negligible" (`fano-fig5-constant-one-step` *supported*). We take this word to mean "above the margin".
# - *Lines that fall.* A bound cannot exceed 1. So it may stay at 1 before it falls, as the tight bound does with 10 and 20 places. We do not require that a fall exceeds the margin. The margin stands for words about size, such as "almost", but "decreases" is a word about direction. You may object that nobody can see so small a fall on the paper's axis. If a fall must exceed the margin, two claims are *contradicted*. In the claim about $T - s$, *maximum a priori* falls by just less than the margin. In the claim about noise, the loose bound falls by 0.032. If lines that grow also had to grow by more than the margin, the claim about $s = T - 2$ would be contradicted as well. The successes of *maximum a priori* and of the constant guess grow by less than 0.05, as the folded tables of [Fig. 5](fano-replicated-fig5) show. {ref}`fano-rep-ex-fall` repeats the two tests.
# - *Closer for large maps.* The paper says that the bounds "get tight when $M$ is large". We therefore compare only the smallest and the largest map. [The section on Fig. 5](fano-replicated-fig5) shows that the difference first grows between them.
# - *Almost constant in $T$.* The paper says that "the privacy loss remains almost constant across T's". It defines privacy loss as the success of a guess, so we test only the attacks. This is not the only possible reading. Two facts argue for including the bounds: the caption of the paper's Fig. 5 names them, and we do require them to fall in our tests of the sentences on $M$ and on $T - s$. If we include both bounds, the sentence is *contradicted*, because the loose bound rises from 0.41 to 0.51. For raw counts, the tight bound varies by less than the margin: it falls by about 0.04, as [the table of Fig. 5](fano-replicated-fig5) shows.
# - *Tight below loose.* The paper writes about different values of $s$ at $M = 100$: "The gap between the two bounds is large, and the tight UB provides a meaningful bound even when the loose one does not." (UB means upper bound.) We test the sentence for these values of $s$. It is not a theorem about all maps and chains. For example, with 20 places and raw counts the tight bound is 1, and the loose one is slightly below 1. [An earlier section](fano-replicated-tighter) shows why.
# - *Map.* If the paper does not vary $M$, the value of Sec. 4.1 applies, which is $M = 100$. So we assume that Fig. 7 shows the map with a hundred places. The map with ten places is our addition. The verdicts on both sentences about Fig. 7 depend on this choice. With ten places, both bounds are 1 at every $\sigma$, so they do not fall. And with a hundred places, the sentence that noise hardly changes the attack cannot fail (`fano-fig7-map-flat` *supported*): no attack succeeds with a probability above the [moment bound](fano-replicated-fig7), which is below one in ten thousand even without noise. So this verdict tells us nothing about noise.
# - *Only noisy counts.* The paper's Fig. 7 also shows the values without noise, "for reference". Its claim is that the bounds become smaller "as we add noise with a larger standard deviation", so we compare only noisy counts with each other (`fano-fig7-bounds` *supported*). For very little noise, the tight bound is slightly *above* the one for raw counts, as [the section on Fig. 7](fano-replicated-why-higher) explains. The paper reports the same effect for real people (Sec. 4.2.3): "The bounds are higher than the ones without any additive noise for some $\sigma$'s on real datasets."
# - *The one printed number.* The paper says that MAP succeeds with a probability near 0.3 "for small $M$", but it does not say which $M$ this is. We chose ten places because MAP on raw counts succeeds there with a probability of about 0.3. So the agreement proves nothing (`fano-fig5-map-small-m` *input*).
# - *Exponents of the cost.* Proposition 1 says how the cost grows for large maps and long paths. We test this growth between sizes of 40 and 80. The first step of a path needs no operations. At these sizes, doubling the number of steps therefore multiplies the number of operations by 2.026, as [the section on the cost](fano-replicated-cost) shows. Our margin allows for this effect of small sizes, and the alternative does not. The formula for the number of operations shows that the proposition holds nevertheless.
#
# These are the choices about real people:
#
# - *Parts of the data.* The paper has 9,760 users of Foursquare and 318 of Gowalla. Our parts of these data contain 429 and 42 users who are active enough to be included. Every verdict on a substitute is about these users. A part of the data can show that something occurs, but it cannot show that something never occurs.
# - *Unseen transitions.* The results in Fig. 3 and 4 depend on the probability that we assign to transitions that never occurred in training. The paper does not say which probability it uses. [An earlier section](fano-replicated-unseen) compares two ways to estimate these probabilities, and says why we use relative frequencies.
# - *Bounds of real people.* The paper says that "upper bounds" fall, so we require that both bounds fall. A fall of any size counts here, too. On Foursquare the loose bound is below 1 for only one user, so its fall is not significant. On Gowalla it is 1 for everybody at every level of noise. Users of the full datasets whom we do not have might have a lower loose bound, so the verdict is *undecided* rather than *inconsistent*.
# - *Spread.* The paper says "scattered between 0 and 1". Two choices turn this phrase into a test. We look at the middle 80% of the bounds of users who were never at the sensor, so that a few extreme users cannot decide the verdict. And we require that these bounds cover more than half of the axis. On Foursquare, changing either choice changes the verdict. The middle 80% cover 0.45 of the axis, which is enough if we require only 0.4. The range from the smallest bound to the largest covers 0.65, which is more than half. No bound on our part of Foursquare comes near 0, as [the section on Fig. 3](fano-replicated-fig3) shows.
# - *Users.* The paper plots every user, so we include all users in Fig. 4, as in the other figures. We leave out only the three users whose chain has no spectral gap. One might also leave out users whose chain is reducible, because a reducible chain can have several stationary distributions. But a chain that is estimated from a sequence of places has a single closed class, which contains the last place of the sequence. Its stationary distribution is therefore unique. On Foursquare, the correlation [within the two groups](fano-replicated-fig4) is negative only among *all others*, whose chains are reducible or periodic.
# - *Small bounds.* The paper says that some slow users have a small privacy loss. We call a bound small if it is in the lower half of the axis. We know of no better reason for this limit. With a limit of 0.4, the verdict on Foursquare would be *undecided*.
# - *Allowed errors.* In its text on Fig. 6, in which $s$ varies, the paper compares attacks on real people with attacks on the simulated person. We test the sentence at $s = 1$, because this is the value that Sec. 4.1 fixes for real people.

# %% [markdown]
# (fano-replicated-rule)=
# ### What if fewer than $s$ steps may be wrong?
#
# The paper states two rules of success. By Eq. 2, an attack succeeds if at most $s$ steps are wrong. For real people, Sec. 4.1 repeats this rule: $d(X, \hat{X}) \le s = 1$, where $d$ is the number of wrong steps. For the simulated person, the same section writes $d(X, \hat{X}) < s = 5$, which is the same as at most $s - 1$. We use the rule of Eq. 2 everywhere, because it is the definition. (At first we applied the rule with $<$ to real people, too. That was a misreading, which we have corrected.)
#
# How do the results about the simulated person change if fewer than $s$ steps may be wrong? The comparison of real with simulated people does not change, because we make it for the same $T - s$. The stored results do not contain all values of $s$, but for three sentences we can repeat the test here. We use raw counts, and for the maps twenty of the hundred sequences of sensors. We compute MAP and both bounds under both rules:

# %%
losses = {}  # a value for each of the twenty sequences
for s in (5, 4):  # at most s wrong, and fewer than s wrong
    for m in (10, 20, 50, 100, 200):
        person = rec.distance_chain(m, tau=0.1)
        routes = fano.sample_sensors(2024, m, 10, 100)[:20]
        losses[s, m] = {
            "MAP": np.array([rec.exact_loss(person, route, s) for route in routes]),
            "loose": rec.loose_bound(person, routes, s),
            "tight": rec.tight_bound(person, routes, s),
        }
losses = pd.DataFrame.from_dict(losses, orient="index")
plots.show_table(losses.map(np.mean).rename_axis(["wrong steps", "M"]), "rule-losses")

# %% [markdown]
# In both halves of the table, all three columns fall with $M$. (By our rule, part of a falling line may be level, as the line of the tight bound is where the bound is 1.) On the largest map, both bounds are closer to MAP than on the smallest. The next cell tests these two sentences, and the sentence on noise, with our rules:

# %% tags=["hide-input"]
verdicts_by_rule = {}
for rule, s in (("at most s wrong", 5), ("fewer than s wrong", 4)):
    on_maps = losses.loc[s]
    lines_of_maps = [
        on_maps[name].map(predicates.estimate).tolist() for name in on_maps
    ]
    falls = predicates.every(*map(predicates.decreasing, lines_of_maps))
    shrinks = []
    for bound in ("loose", "tight"):
        distance = on_maps[bound] - on_maps["MAP"]
        ends = map(predicates.estimate, distance.loc[[10, 200]])
        shrinks.append(predicates.greater(*ends))
    # simulated_person and sequences are from the section on Fig. 7
    lines_of_noise = [
        [bound(simulated_person, sequences, s, x).mean() for x in (0.1, 0.3, 1, 3, 10)]
        for bound in (rec.loose_bound, rec.tight_bound)
    ]
    lower = predicates.every(*map(predicates.decreasing, lines_of_noise))
    verdicts_by_rule[rule] = {
        "MAP and both bounds fall with M": falls.verdict,
        "bounds come closer for large M": predicates.every(*shrinks).verdict,
        "bounds fall with noise": lower.verdict,
    }
plots.show_table(pd.DataFrame(verdicts_by_rule), "choices-errors-simulated")

# %% [markdown]
# No verdict changes. For some other sentences, no computation is needed. The success of an attack cannot grow if fewer errors are allowed. So noise still hardly changes MAP on a hundred places, and the attacks are still almost constant in $T$, because their largest success is even smaller than before.
#
# In the panel of Fig. 5 over $T - s$, the rule shifts the values by one: what we call $s$ becomes $s + 1$. The lines still fall, and the tight bound is still below the loose one. The smallest $s$ at which an attack can succeed is 1 under this rule. It corresponds to our $s = 0$, so the verdict on the tight bound at small $s$ does not change. But the sentence about the constant guess then depends on what "one step" means. If it means $T - s = 1$, two steps must be right under this rule. In this case the constant guess succeeds in about one attempt in a hundred. The row $T - s = 2$ in the folded tables of [Fig. 5](fano-replicated-fig5) shows this. This is below the margin. If it means that one step must be right, nothing changes. We did not vary the rule for the claim about $s = T - 2$.

# %% [markdown]
# (fano-replicated-reading)=
# ### How to read the tables of claims
#
# Each section that replicates a part of the paper ends with a table of claims and verdicts. In this table, the column *here* shows the number on which the verdict rests, and the number after ± is its standard error. Below the number, the table says what the number measures, if this is not obvious, and names the dataset that it comes from. For the most common kinds of claim, the number is:
#
# | the claim | the number in the column *here* |
# |---|---|
# | can be checked case by case | the share of the cases in which the claim is true; 1 means always |
# | says that a line in a figure falls | the last value of the line minus the first |
# | says that two values nearly agree | the difference between the two values |
# | says that a value is above a margin | the value minus the margin; if it is above 0, the value is above the margin |
# | consists of several inequalities | the value for the inequality that is nearest to failing; we measure the distance in standard errors, and a value without sampling error is farther than any other |
#
# All claims that a line falls are tested in the same way. The last value must be below the first, and no value may be significantly above an earlier one. So part of a falling line may be level, but a line that is level throughout does not count as falling. If the paper speaks of several lines, all of them must fall.
#
# A fall counts even if it is smaller than the margin, because the paper says only that the lines decrease, and not by how much. Two of the falls that we accept would be invisible on the paper's axis. With noise on a hundred places, the loose bound falls by 0.032. As more steps must be right, the success of *maximum a priori* falls by 0.0496. (Both numbers are in the column *here* of the tables of claims, for `fano-fig7-bounds` *supported* and `fano-fig5-steps-decreasing` *supported*.) We treat lines that grow in the same way.
#
# The following table counts the verdicts. Each row stands for one dataset of the paper, together with the dataset on which we tested the claims about it. For example, the third row is about Foursquare, and we tested on our part of Foursquare. Of these eleven claims, four are inputs, five are consistent with our part of the data, one is inconsistent with it, and one is undecided. The statements in the rows *none: a formula* need no data. The [scoreboard](../scoreboard.md) explains the verdicts and the rule that leads to them.

# %% tags=["remove-input"]
scoreboard.show_by_data(judged)

# %% [markdown]
# ## What the paper did not do
#
# How much can the bounds be improved? The chapter [](../fano_bounds.ipynb) answers this question. The figure shows the answer at every point of Fig. 5. A *gap* is a bound minus the success of the best attack, and here the attacks include the posterior modes. We take the smaller of the paper's two bounds, and ask what share of its gap each improvement closes. All values are for raw counts. One improvement is the [moment bound](fano-replicated-moment). The other one, *I and KL*, improves the tight bound. It uses the exact information in all counts together, and a *sharper inequality*, which keeps a term that the paper drops: the binary Kullback-Leibler divergence between $1 - p_e$ and $Q$ is at most $I$ (an [exercise](fano-tight-proof) of the chapter [](../fano.ipynb) proves it).

# %% mystnb={"figure": {"name": "fig-fano-closed", "caption": "Share of the gap between the smaller of the paper's bounds and the best attack that two improvements close, for the simulated person. The moment bound closes more than 90% everywhere except with ten places. The exact information with the sharper inequality (I and KL, crosses) closes little. (If half of the steps may be wrong or if two must be right, the horizontal axis is the number of steps T.)"}, "image": {"alt": "Four panels with the share of the gap that is closed, from 0 to 1, against the number of places, the number of right steps, and the number of time steps in two settings. The line of the moment bound lies above 0.9 everywhere except at ten places, where it is at 0.46; the line of I and KL lies below 0.12."}} tags=["hide-input"]
gaps = fano.bound_gaps(means.drop(fano.SHORT, level="swept"))
gaps = gaps.mask(gaps.abs() < 1e-15, 0.0)  # rounding errors
figures.show_closed(gaps, {"M": "places M", "T - s": "right steps T − s"} | panels)

# %% tags=["hide-cell"]
of_gap = ["paper's gap", "closed by I and KL", "closed by moments", "moments / attack"]
plots.show_parts(gaps[of_gap], "gaps")

# %% [markdown]
# The moment bound closes more than 90% of the gap at every point except the map with ten places, where it closes 46%. The exact information, together with the sharper inequality, closes at most 12% of the gap (at $T = 2$ and $s = 1$), and less than 6% at all other points. The folded tables have the values. The column *paper's gap* is the gap, and *moments / attack* is the moment bound divided by the success of the best attack.
#
# Could a better value of $Q$, the largest probability of a ball, lower the tight bound? The table below compares the tight bound for three values of $Q$. All three columns use the exact information and the sharper inequality. *Q of Eq. 5* is the paper's sum. *Q by moments* is another upper bound on $Q$. It applies the idea of the [moment bound](fano-replicated-moment) to guesses that ignore the counts. So it limits the probability that the person's path lies in the ball around any fixed path. For *least Q*, we replace $Q$ by the probability of the ball around the path that is guessed from the prior. The true $Q$ cannot be smaller than this probability, so no better upper bound on $Q$ could lower the tight bound further. With 20 places, a better upper bound on $Q$ could lower the tight bound from 1 to 0.54 at best. With 10 places it does not help. With 200 places it could lower the bound from 0.038 to 0.031 at best, while MAP succeeds with a probability of about $2 \cdot 10^{-6}$.

# %% tags=["hide-input"]
plots.show_table(figures.ball_table(fano.balls.stored()), "balls")

# %% [markdown]
# (fano-replicated-adaptive)=
# ### Sensors that follow their counts
#
# Does it help the attacker if the sensor chooses its next place according to the counts so far? Sec. 3.1 of the paper leaves such sensors to future work. We test a *greedy* sensor, which goes to the place whose count is expected to give the most information. The first table compares it with a sensor at random places. Each of the two sensors was simulated in five thousand runs. The second table shows the factor by which the greedy sensor raises the success of MAP. It also shows the difference between the two successes, with its standard error.

# %% tags=["hide-input"]
adaptive = fano.adaptive.stored()
plots.show_table(figures.adaptive_table(adaptive), "adaptive")
plots.show_table(fano.greedy_gain(adaptive), "greedy")

# %% mystnb={"figure": {"name": "fig-fano-adaptive", "caption": "Not in the paper: success of MAP with sensors at random places and with greedy sensors, which follow their counts, with 95% intervals over 5,000 simulated runs. Numbers: the factor by which the greedy sensor raises the success, or the numbers of successful runs if they are few. With 10 and 20 places the factor is above 1, and the intervals do not overlap. With 50 places the intervals are too wide to tell. Each panel has its own vertical axis."}, "image": {"alt": "Three panels, for 10, 20 and 50 places, with the success of MAP for the random and the greedy sensor and 95% intervals: the greedy sensor is higher by a factor of 1.4 with 10 places and 1.6 with 20; with 50 places both are equal, with wide intervals."}} tags=["hide-input"]
figures.show_adaptive(adaptive, "s = 5 of 10", runs=5000)

# %% [markdown]
# With 10 and 20 places, the greedy sensor raises the success of MAP, and the difference is five standard errors or more. With 50 places, MAP succeeds too rarely for us to decide.

# %% [markdown]
# ### Posterior modes
#
# An attacker can also guess the posterior modes, the most probable place of each step given all counts. Is this guess better than MAP? Suppose that three paths of two steps are left after the counts: AA with probability 0.4, BB with 0.35 and AB with 0.25. MAP guesses AA. In the first step, A has probability 0.4 + 0.25. In the second step, B has probability 0.35 + 0.25. So the posterior modes are AB, the least probable of the three paths. How often is each guess right?

# %%
left_paths = {"AA": 0.40, "BB": 0.35, "AB": 0.25}
for who_guesses, guessed in (("MAP", "AA"), ("posterior modes", "AB")):
    n_right = {path: sum(map(str.__eq__, path, guessed)) for path in left_paths}
    both_right = sum(left_paths[path] for path in n_right if n_right[path] == 2)
    one_right = sum(left_paths[path] for path in n_right if n_right[path] >= 1)
    print(f"{who_guesses}: s = 0 {both_right:.2f}, s = 1 {one_right:.2f}")

# %% [markdown]
# If both steps must be right, MAP is the better guess. If one step may be wrong, the posterior modes always succeed, because each of the three paths agrees with AB in at least one step. The next table shows the exact success of both for four places and four steps. There are $4^4 = 256$ sequences of sensors. To save time we took every fifth of them in a fixed order, and averaged over these.

# %% tags=["hide-input"]
modes = fano.modes.stored().set_index("s").drop(columns="data")
success_of_modes = modes[["MAP", "marginal", "best possible", "moments"]]
plots.show_table(success_of_modes.rename(columns=figures.WORDS), "modes")

# %% [markdown]
# If no step may be wrong, MAP is the best possible guess. In this example, the posterior modes are better than MAP if two or more of the four steps may be wrong. With ten steps on a hundred places, more errors must be allowed before the posterior modes are better. In the folded tables of [Fig. 5](fano-replicated-fig5), MAP is better up to $s = 5$ (the row $T - s = 5$), and the posterior modes are better from $s = 6$ on.
#
# (fano-replicated-exercises)=
# ## Exercises
#
# ```{exercise} Example 2 by hand (★, 10 minutes)
# :label: fano-rep-ex-example
# Each of two people is at one of five places. In the first step, a sensor at one of these places counts both of them. A person stays there with probability $q$, and otherwise goes to each of the other four places with the same probability.
#
# 1. In the paper's example, the second sensor is at a place other than these five. What is the best guess of the person's place in the second step if $q \ge 1/5$, and with what probability is it right?
# 2. In a variant, the second sensor is at one of the other four places and counts nobody. What is the best guess now, and with what probability is it right? Check your formula against the [two numbers of the table](fano-replicated-examples) and by simulation.
# 3. By how much does the second count raise the probability of success in the variant? What happens as $q$ tends to 1? For which values of $q$ is it better to guess that the person moved?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-example
# :class: dropdown
# ````
#
# 1. The count of the second sensor is certain to be 0, so it contains no information about the person. The best guess is that the person stayed. It is right with probability $q$.
# 2. In the variant, the person is at the second sensor's place with probability $(1 - q)/4$. The count excludes this place. If $q \ge 1/5$, the best guess is that the person stayed. This guess is right with probability $q / (1 - (1 - q)/4) = 4q / (3 + q)$. Each of the three other places that are left has probability $\frac{(1 - q)/4}{1 - (1 - q)/4} = (1 - q) / (3 + q)$. We simulate people who start at place 0. In the second step the sensor is at place 4:

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
# 3. The two formulas are equal at $q = 1/5$, where all four remaining places are equally likely. Below this value, each of the other three places is a better guess than the place of the first step. For $q \ge 1/5$, the second count raises the success from $q$ to $4q/(3+q)$. The gain is $\frac{4q}{3+q} - q = \frac{q(1-q)}{3+q}$, which tends to 0 as $q$ tends to 1. So the count adds little for the slowest of these people: the output shows a gain from 0.9600 to 0.9697 at $q = 0.96$, and from 0.2000 to 0.2500 at $q = 0.2$. *Learned:* after the same two counts, the path of a person who moves slowly is easier to guess. For this person the second count adds little, so the reason must be that the attacker knows the person's habits.
#
# ````{solution-end}
# ````
#
# ```{exercise} Another margin (★★, 15 minutes)
# :label: fano-rep-ex-margin
# Suppose that "almost" meant "within a factor of two". With this meaning, judge again three of the sentences that depend on the margin of 0.05:
#
# 1. The tight bound almost matches the best attack at $s = 0$.
# 2. If $s = T/2$, the success of the attacks is almost constant in $T$.
# 3. With a hundred places, noise hardly changes the success of the attack.
#
# Then judge a fourth sentence, which is not in the paper, by the margin of 0.05 and by the factor of two:
#
# 4. If $s = T/2$, the loose bound is almost constant in $T$.
#
# The stored results of Fig. 5 are in the variable `rows` [above](fano-replicated-by-hand). For the third sentence, use MAP and the moment bound in the table of [Fig. 7](fano-replicated-fig7).
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-margin
# :class: dropdown
# ````

# %%
no_errors = rows[(rows["swept"] == "T - s") & (rows["value"] == 10)]
best_of_three = no_errors[["MAP", "prior", "constant"]].max(axis=1)
exponent = np.log2(no_errors["tight"] / best_of_three)
print(f"1. factor 2^{exponent.mean():.1f}, standard error {exponent.sem():.2f}")
by_time = rows[rows["swept"] == "T, s = T/2"].groupby("value")["MAP"].mean()
first, last = by_time.iloc[0], by_time.iloc[-1]
factor = np.log2(first / last)
print(f"2. MAP falls from {first:.2g} to {last:.2g}, by a factor 2^{factor:.1f}")
of_hundred = fano.noise_means(fano.noise.stored()).loc[100]
without, in_runs = of_hundred["MAP"].iloc[0], of_hundred["95% high"].iloc[-1]
most = of_hundred["moments"].max()
print(f"3. without noise {without:.2g}, with noise at most {in_runs:.2g} by the runs")
print(
    f"   and at most {most:.2g} by the moment bound, a factor of {most / without:.2f}"
)
loose_by_time = rows[rows["swept"] == "T, s = T/2"].groupby("value")["loose"].mean()
lowest, highest = loose_by_time.min(), loose_by_time.max()
factor = np.log2(highest / lowest)
print(f"4. loose bound from {lowest:.2f} to {highest:.2f}, by a factor 2^{factor:.1f}")

# %% [markdown]
# The output gives the factors of the first two sentences as powers of two, so a factor of two would have the exponent 1. These two sentences would be clearly contradicted. The third would be undecided. No simulated attack with noise succeeded, so the runs are compatible with every success from 0 to 0.003. The moment bound sets a much lower limit than this interval. It shows that noise cannot raise the success of MAP by a factor of two. But none of our results rules out that noise lowers this success by more than a factor of two.
#
# The fourth sentence is contradicted by the margin of 0.05, because the loose bound rises by twice the margin. With a factor of two it is supported. So a comparison of ratios is not always the stricter one. Compared with the margin, a factor of two is stricter only if the smaller value is below 0.05. *Learned:* what a figure shows depends on its axis. A margin must be stated, because a verdict depends on it.
#
# ````{solution-end}
# ````
#
# ```{exercise} How much must a line fall? (★★, 15 minutes)
# :label: fano-rep-ex-fall
# By the rule of this page, a fall of any size is a fall. Another reader might ask for a fall that can be seen on the paper's axis, that is, for one above the margin of 0.05. Repeat two tests with this stricter rule:
#
# - Both bounds fall with noise on a hundred places, from $\sigma = 0.1$ to $\sigma = 10$ (`fano-fig7-bounds` *supported*).
# - Both bounds, MAP, *maximum a priori* and the constant guess fall with $T - s$, from 1 to 10 (`fano-fig5-steps-decreasing` *supported*).
#
# 1. What are the two verdicts, and which line decides each of them? (The means are in `fano.noise_means(fano.noise.stored())` and in `fano.sweep_means(rows)`.)
# 2. With which margins would each sentence be supported?
# 3. Which rule would you choose, and what would you have to write beside the verdicts?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-fall
# :class: dropdown
# ````

# %%
of_noise = fano.noise_means(fano.noise.stored()).loc[100].drop(0.0)
of_steps = fano.sweep_means(rows).loc["T - s"].sort_index()
bounds_only = ["loose", "tight"]
with_attacks = [*bounds_only, "MAP", "prior", "constant"]
for sentence, table in (
    ("fall with noise", of_noise[bounds_only]),
    ("fall with T - s", of_steps[with_attacks]),
):
    falls_by = table.iloc[0] - table.iloc[-1]
    print(f"{sentence}: least fall {falls_by.min():.4f} ({falls_by.idxmin()})")

# %% [markdown]
# 1. Both sentences are contradicted. The loose bound decides the first one, because it falls by only 0.0321. *Maximum a priori* decides the second one, because it falls by 0.0496. The sampling error cannot change these verdicts. *Maximum a priori* does not depend on the sensors, so its fall is exact. The loose bound hardly varies with the sensors: at $M = 100$ both ends of its 95% interval in [the table over places](fano-replicated-fig5) are 0.49.
# 2. The first sentence is supported with every margin below 0.0321, and the second with every margin below 0.0496.
# 3. Both rules can be defended. The stricter one judges what a reader sees on the axis, and the rule of this page judges the word "decreases". But this page calls a change of MAP below 0.05 "hardly any change", and it calls a change of the same size in a bound "a fall". Whoever does this must say so, and must give the verdicts under the other rule.
#
# *Learned:* a margin that decides whether two values agree need not decide whether a line falls. Say to which sentences the margin applies.
#
# ````{solution-end}
# ````

# %% [markdown]
# ```{exercise} Eq. 5 by hand (★★, 15 minutes)
# :label: fano-rep-ex-eq5
# A person moves between two places. In each step they stay with probability 0.9. They start at either place with probability 1/2. Let $T = 3$ and $s = 1$.
#
# 1. Find the largest probability that the person is at three specified places in the three steps. Then find the largest probability that they are at two specified places in two specified steps. (The two steps can be neighbours, or the first and the last.)
# 2. Compute the sum of Eq. 5. What is the tight bound?
# 3. There are eight paths. Which of them lie in the ball around the path that stays at the first place? What is the probability of this ball, which is the true $Q$?
# 4. Why is the sum so much larger than $Q$? How often does it count each path of the ball?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-eq5
# :class: dropdown
# ````
#
# 1. The most probable path stays: $0.5 \cdot 0.9^2 = 0.405$. For two neighbouring steps, the largest probability is $0.5 \cdot 0.9 = 0.45$. From the first to the last step, the person is at the same place again with probability $0.9^2 + 0.1^2 = 0.82$, which gives $0.5 \cdot 0.82 = 0.41$. So the maximum for two fixed steps is 0.45.
# 2. The sum is $0.405 + 3 \cdot 0.45 = 1.755$. It exceeds 1, so the tight bound is 1.
# 3. Call the places A and B. The ball around AAA contains AAA, BAA, ABA and AAB. Their probabilities are 0.405, 0.045, 0.005 and 0.045, which add up to 0.5.

# %%
two_places = rec.MarkovChain(np.full(2, 0.5), np.array([[0.9, 0.1], [0.1, 0.9]]))
largest = np.exp(rec.ball_terms(two_places, 3, 1))
print("largest probabilities with no and with one free step:", largest.round(3))
print("sum of Eq. 5:", (comb(3, [0, 1]) * largest).sum().round(3))
ball = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
of_paths = np.exp(two_places.log_probability(ball))
print("paths of the ball:", of_paths.round(3), "Q:", of_paths.sum().round(3))

# %% [markdown]
# 4. The event "right in the first two steps" contains AAB, but also AAA. So the sum counts AAA four times: once for no free step, and once for each choice of the free step. It counts each other path of the ball once. In addition, the sum uses the maximum of 0.45 for all three choices, although the choice with the middle step free has only 0.41.
#
# *Learned:* Eq. 5 replaces "exactly $l$ steps are wrong" by "at most $l$ steps are wrong", which counts the most probable paths several times. If the most probable path has a high probability, this can make the sum useless.
#
# ````{solution-end}
# ````

# %% [markdown]
# ```{exercise} How slow is slow? (★, by hand, 10 minutes)
# :label: fano-rep-ex-gap
# A person leaves the first of two places with probability $a$ and the second with probability $c$. The eigenvalues of the transition matrix are 1 and $1 - a - c$.
#
# 1. What is the [spectral gap](fano-replicated-gap) if $a + c \le 1$?
# 2. The stationary distribution is $c/(a+c)$ and $a/(a+c)$. In what share of steps does the person move, in the long run?
# 3. Find two people with a spectral gap of 0.2, one of whom moves about five times as often as the other. What does this mean for Fig. 4?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-gap
# :class: dropdown
# ````
#
# 1. The gap is $1 - |1 - a - c| = a + c$.
# 2. The person moves with probability $\frac{c}{a+c}\, a + \frac{a}{a+c}\, c = \frac{2ac}{a+c}$.
# 3. If $a = c = 0.1$, the person moves in 10% of the steps. If $a = 0.19$ and $c = 0.01$, the gap is the same, but the person is nearly always at the second place:

# %%
for a, c in ((0.1, 0.1), (0.19, 0.01)):
    matrix = np.array([[1 - a, a], [c, 1 - c]])
    second_largest = np.sort(np.abs(np.linalg.eigvals(matrix)))[-2]
    print(
        f"a = {a}, c = {c}: gap {1 - second_largest:.2f}, moves {2 * a * c / (a + c):.3f}"
    )

# %% [markdown]
# The first person moves about five times as often. So the position of a user on the horizontal axis of Fig. 4 does not tell us how often the user moves. *Learned:* the spectral gap measures how fast a chain forgets its start, which is not the same as how often the person moves.
#
# ````{solution-end}
# ````

# %% [markdown]
# ```{exercise} When does the tight bound become the larger one? (★★, 15 minutes)
# :label: fano-rep-ex-switch
# The name *tight bound* suggests that it is the smaller of the two bounds. [A section above](fano-replicated-tighter) derives when this is true: as long as both bounds are below $b^*$. Take the simulated person with 20 places and ten steps.
#
# 1. How do $N(s)$, $Q$, $D$ and both coefficients of $b$ change as $s$ grows? What do you expect for $b^*$ and for the two bounds?
# 2. Compute $b^*$ and both bounds for $s = 0, \dots, 5$. For which $s$ is the tight bound the smaller one, and does $b^*$ predict this?
# 3. A colleague suggests always reporting the smaller of the two bounds. Is the result a valid bound?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-switch
# :class: dropdown
# ````

# %%
twenty = rec.distance_chain(20, tau=0.1)
sensors_of_twenty = fano.sample_sensors(2024, 20, 10, 100)
by_errors = {}
for s in range(6):
    free_steps = np.arange(s + 1)
    q = (comb(10, free_steps) * np.exp(rec.ball_terms(twenty, 10, s))).sum()
    inside = (comb(10, free_steps) * 19.0**free_steps).sum()
    extra = np.log(20.0**10 - inside) - twenty.entropy(10)
    by_errors[s] = {
        "coefficient tight": np.log(1 / q),
        "coefficient loose": np.log(20.0**10 - inside) - np.log(inside),
        "D": extra,
        "tight": rec.tight_bound(twenty, sensors_of_twenty, s).mean(),
        "loose": rec.loose_bound(twenty, sensors_of_twenty, s).mean(),
    }
of_errors = pd.DataFrame.from_dict(by_errors, orient="index").rename_axis("s")
apart = of_errors["coefficient loose"] - of_errors["coefficient tight"]
of_errors["difference of coefficients"] = apart
of_errors["b*"] = of_errors["D"] / apart
plots.show_table(of_errors.round(3), "switch")

# %% [markdown]
# The more errors are allowed, the more paths a ball contains, so $N(s)$ and $Q$ grow. Both coefficients shrink, and the one for the loose bound shrinks by more, so their difference falls from 18.2 to 8.4. $D$ hardly changes, because nearly all of the $20^{10}$ paths are outside the ball. So both bounds rise, and $b^*$ rises, too. But the bounds rise faster than $b^*$.
#
# Up to $s = 2$ both bounds are below $b^*$, and the tight bound is the smaller one. From $s = 3$ onwards, both bounds are above $b^*$, and the tight bound is the larger one. So $b^*$ predicts the order in all six rows. The colleague is right: both inequalities hold for every attack, so the smaller of the two bounds is a valid bound. *Learned:* the name of a bound does not say which of two bounds is smaller. If both are valid, compute both and report the smaller one.
#
# ````{solution-end}
# ````
#
# ```{exercise} Around a circle (★★★, by hand, with a computer for parts 3 and 4, 20 minutes)
# :label: fano-rep-ex-circle
# A person starts at a place chosen uniformly from $M = 100$ places on a circle, and moves one place clockwise in every step. Let $T = 10$ and $s = 1$.
#
# 1. Compute $H(X)$, the sum in Eq. 5 and $N(s)$.
# 2. What are the [thresholds](fano-replicated-tighter) of the two bounds? Which bound reaches 1 first?
# 3. The sensor stays at one place, and the counts are raw. What is the success of the best attack? Compare it with both bounds, which you can compute with `rec.MarkovChain`, `rec.tight_bound` and `rec.loose_bound`.
# 4. Why are the bounds so far above the best attack? How high would the tight bound be with the true $Q$ in place of the sum in Eq. 5?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-circle
# :class: dropdown
# ````
#
# 1. The first place determines the whole path, so there are only 100 possible paths, each with probability 1/100, and $H(X) = \log 100$. If we fix any number of steps, the largest probability that the path is at the places that we choose for them is 1/100, too. So the sum in Eq. 5 is $\frac{1}{100} + 10 \cdot \frac{1}{100} = \frac{11}{100}$. A ball has $N(1) = 1 + 10 \cdot 99 = 991$ paths.
# 2. The threshold of the tight bound is $\log\frac{100}{11}$. That of the loose bound is $\log 100 - \log 991$, which is negative. So the loose bound is 1 even without counts, and it is the first to reach 1.
# 3. With probability 10/100, the person passes the sensor during the ten steps, and the attacker then knows the path. Otherwise 90 paths are left, which are equally likely. Two possible paths differ in all ten steps, so a guess can be right for one of them only. The success of the best attack is $\frac{10}{100} + \frac{90}{100} \cdot \frac{1}{90} = \frac{11}{100}$.

# %%
one_place_on = np.roll(np.eye(100), 1, axis=1)  # from place x to place x + 1
circle = rec.MarkovChain(np.full(100, 1 / 100), one_place_on)
same_place = np.zeros(10, int)  # the sensor stays at place 0
# b, h and find_bound, used below, are from "One bound by hand"
print(f"H(X): {circle.entropy(10):.3f}, log 100: {np.log(100):.3f}")
threshold_tight, threshold_loose = np.log(100 / 11), np.log(100 / 991)
print(f"thresholds: tight {threshold_tight:.3f}, loose {threshold_loose:.3f}")
information = rec.mutual_information(circle, same_place)
print(f"information I: {information:.3f}")
tight_on_circle = rec.tight_bound(circle, same_place, 1)
loose_on_circle = rec.loose_bound(circle, same_place, 1)
print(f"bounds: tight {tight_on_circle:.3f}, loose {loose_on_circle:.3f}")
best = 10 / 100 + 90 / 100 * 1 / 90
print(f"best attack: {best:.2f}")
with_true_q = find_bound(b * np.log(100) - h, information)  # the true Q is 1/100
print(f"tight bound with the true Q: {with_true_q:.3f}")
print(f"tight bound minus best attack: {tight_on_circle - best:.2f}, ", end="")
print(f"of which due to Eq. 5: {tight_on_circle - with_true_q:.2f}")

# %% [markdown]
# 4. The loose bound counts all 991 paths of a ball as possible, but at most one of them is. This is why the loose bound is so high. One reason for the high tight bound is similar: the sum in Eq. 5 overestimates $Q$. It adds up 11 probabilities, each of which belongs to the same possible path. In fact, $Q = 1/100$, and with this value the tight bound would be 0.241 instead of 0.564. So Eq. 5 explains 0.32 of the distance of 0.45 between the tight bound and the best attack. Nearly all of the rest is due to the inequality itself. (A very small part is due to $I$, which is slightly larger than the exact information in the counts.)
#
# *Learned:* the loose bound knows only how many paths a ball contains, and not which of them can occur. If most paths are impossible, the loose bound can be 1 even if the counts contain no information. So the order of the thresholds that we derived for $s = 0$ is not a theorem for $s > 0$.
#
# ````{solution-end}
# ````
#
# ````{exercise} Write a test yourself (★★, 20 minutes)
# :label: fano-rep-ex-test
# The paper writes: "we observe that adding noise does not change the privacy loss for the MAP estimator much". Turn this into a test with the margin of 0.05 that compares raw counts with $\sigma = 10$. Run your test on three sets of data: the simulated person on a hundred places, the simulated person on ten places, and Foursquare. What is the verdict on each? Then repeat the test with a stricter margin, 0.001. If the simulated runs do not decide, does the moment bound decide? With a hundred places it is at most `9.3e-05` at every level of noise, and also without noise.
#
# Start from this half of the program. It collects the two numbers to compare for each of the two maps, and loads the successes of the users of Foursquare:
#
# ```python
# tests = {}
# means_by_noise = fano.noise_means(fano.noise.stored())
# for m in (100, 10):
#     ends = means_by_noise.loc[m].loc[[0.0, 10.0]]
#     errors = (ends["95% high"] - ends["95% low"]) / 3.92  # of a 95% interval
#     raw, noisy = map(predicates.Estimate, ends["MAP"], errors)
#     tests[f"simulated, {m} places"] = (raw, noisy)
# people = fano.attack_people.stored("foursquare")
# people = people[people["T - s"] == 4].pivot(index="user", columns="σ", values="MAP")
# ```
#
# Two things are missing: the entry for Foursquare, and the loop that tests all entries. Replace the dots:
#
# ```python
# paired = ...  # a mean over users, with its standard error
# tests["Foursquare, paired"] = (paired, 0.0)
# for name, (raw, noisy) in tests.items():
#     ...  # print the difference, and the verdicts for both margins
# ```
#
# You need three functions:
#
# - `predicates.estimate(values)` computes a mean and its standard error from one value for each user. For each user of Foursquare, we know the probability of success with noise and without. So test whether the mean of the differences is 0, up to the margin.
# - `predicates.close(a, b, within)` tests whether two independent numbers are less than `within` apart. The attribute `verdict` of its result is the verdict.
# - `predicates.difference(a, b)` returns the difference of two numbers with its standard error, as `value` and `error`.
# ````

# %% [markdown]
# ````{solution-start} fano-rep-ex-test
# :class: dropdown
# ````
#
# The sentence is supported if the difference is below the margin at the one-sided 95% level, and contradicted if it is above the margin at the one-sided 97.5% level. For the simulated person, the success with noise is estimated by the share of runs in which the attack succeeds. For Foursquare, each user has a success with noise and one without, so we test the mean difference over users.

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
print(f"100 places: no attack succeeds with a probability above {limit:.2g}")

# %% [markdown]
# With the margin of 0.05, the sentence is supported for the map with a hundred places, where it cannot fail. It is contradicted for the map with ten places, and supported for Foursquare. (The page says *consistent*, because these are not the paper's own data.) With the margin of 0.001, it is contradicted for the map with ten places and for Foursquare. A fall of 0.0035 is small, but it is significantly above this margin. [The table of choices about real people](fano-replicated-choices) says *undecided* for Foursquare, because the test on this page covers all five levels of noise at once, each at a stricter level of significance.
#
# On a hundred places, the test based on the runs is undecided at 0.001, because eleven hundred runs are too few. Besides, this test is not quite valid here. No run with noise succeeded. In such a case, the width of the interval divided by 3.92 is not the standard error of a normal distribution.
#
# But no runs are needed. The moment bound limits every attack, and the last line of the output shows its largest value. The success with noise and the success without noise both lie between 0 and this value, so they differ by less than 0.001. So the sentence is supported at this margin, too. The success without noise is known exactly and is above 0, so the two successes differ by even less than the moment bound. Only a much smaller margin, such as 0.00001 in [the tables of choices](fano-replicated-choices), leaves the sentence undecided.
#
# *Learned:* the verdict on the same sentence depends on the map and on the margin, so state both. If a simulation cannot decide, look for a bound.
#
# ````{solution-end}
# ````
#
# ````{exercise} One added to each transition (★★, by hand, with a computer for part 2, 15 minutes)
# :label: fano-rep-ex-added
# The three invented users of [Fig. 3](fano-replicated-fig3) have chains that were estimated by relative frequencies. Now [add one](fano-replicated-unseen) to the count of each transition between places that the user visited.
#
# 1. Take the first user, whose training path is 1112111121111121111111. With which probability does this user stay at place 1, by relative frequencies and with one added? With which probability does the second user go from place 3 to place 5 (path 1234567813572468317485)?
# 2. For which of the three users does the tight bound fall most, by difference and by ratio? Predict the answer, and then check it. The call is `rec.MarkovChain.from_visits(path, n_locations=9, pseudocount=1.0)`.
# 3. Why are the bounds of users who were never at the sensor more spread out with one added?
# ````

# %% [markdown]
# ````{solution-start} fano-rep-ex-added
# :class: dropdown
# ````
#
# The first user makes 18 moves from place 1, of which 15 lead back to place 1, and visits two places. So the probability of staying is 15/18 by relative frequencies and $(15 + 1)/(18 + 2) = 16/20$ with one added. The second user visits eight places and makes three moves from place 3: to 4, to 5 and to 1. So the probability of going from 3 to 5 is 1/3 by relative frequencies and $(1 + 1)/(3 + 8) = 2/11$ with one added.

# %%
for name, trail in invented.items():
    path = np.array(list(trail), int)
    added_one = rec.MarkovChain.from_visits(path, n_locations=9, pseudocount=1.0)
    sum_of_eq_5 = (comb(5, [0, 1]) * np.exp(rec.ball_terms(added_one, 5, 1))).sum()
    print(
        f"{name}: {len(np.unique(path))} places, sum of Eq. 5 {sum_of_eq_5:.4f}, "
        f"tight bound {rec.tight_bound(added_one, at_place_0, 1):.3f}"
    )

# %% [markdown]
# The bound of the first user stays at 1, that of the second falls from 0.174 to 0.013, and that of the third falls from 1 to 0.589. So the bound of the third user falls most in absolute terms, and that of the second user by the largest factor. The training path has only 21 moves. If a user visited two places, there are four possible transitions, and one added to each of them changes little. If a user visited eight places, there are 64 possible transitions, and the 64 added counts outweigh the 21 observed moves. With nine places there are 81. The chain then looks almost uniform, and a path is hard to predict.
#
# So with one added, regular users keep a high bound, and the low bounds of irregular users become still lower. This suggests why the bounds of users who were never at the sensor are more spread out. On Foursquare, the lower end of the middle 80% falls from 0.55 to 0.07, and the upper end stays at 1. *Learned:* if the training path is short, the treatment of transitions that were never seen decides how predictable an irregular user seems to be.
#
# ````{solution-end}
# ````
#
# ```{exercise} A bound of 1 (★★, 10 minutes)
# :label: fano-rep-ex-noise
# With ten places, the tight bound is 1 at every level of noise. A colleague concludes that noise does not protect a person on a small map. Is the colleague right? Use the tables of [Fig. 7](fano-replicated-fig7) to find out whether noise reduces the success of the *best* attack, even though we do not know which attack that is. (The moment bound limits every attack.)
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
# A bound of 1 says nothing about any attacker, because no probability of success exceeds 1. The success of MAP tells us more: it falls from 0.31 to 0.06 as the noise grows. But MAP is only one attack, and with noise a better one might exist. The moment bound limits *every* attack. With the strongest noise, no attack succeeds with a probability above 0.17, whereas without noise MAP alone succeeds with probability 0.31. So the success of the best attack falls by at least 0.14, whichever attack that is. The colleague is wrong, because noise does protect the person. The fall of the moment bound alone would not be enough for this conclusion, because its value without noise, 0.70, is only an upper limit. *Learned:* an upper bound that is high does not show that a loss is high.
#
# ````{solution-end}
# ````
#
# ```{exercise} No success in 1,100 runs (★★, by hand and calculator, 15 minutes)
# :label: fano-rep-ex-zero
# With a hundred places and noise, MAP is simulated in eleven runs for each of a hundred sequences of sensors, and it never succeeds.
#
# 1. Which success probabilities $p$ are compatible with this result at the 95% level? (Find the $p$ for which 1,100 failures in a row have a probability of 2.5%, and compare it with the table of [Fig. 7](fano-replicated-fig7).)
# 2. Now suppose that with noise MAP can never succeed. How many runs would it take to show, at the one-sided 2.5% level, that MAP is weaker with noise than without?
# ```

# %% [markdown]
# ````{solution-start} fano-rep-ex-zero
# :class: dropdown
# ````
#
# All $n$ runs fail with probability $(1 - p)^n$. If we set this probability to 0.025, we obtain $p = 1 - 0.025^{1/n} \approx 3.7 / n$.

# %%
print(f"upper end with 1,100 runs: {1 - 0.025 ** (1 / 1100):.6f}")
exact_success = fano.noise_means(fano.noise.stored()).loc[(100, 0.0), "MAP"]
needed = np.log(0.025) / np.log1p(-exact_success)
print(f"without noise {exact_success:.3g}: {needed:,.0f} runs needed")

# %% [markdown]
# The first number of the output is also the upper end of the interval in the table of Fig. 7. It is about seventy times the success without noise, so 1,100 runs cannot show whether noise lowers the success of MAP. For this we would need about seventy times that number of runs. The claim `fano-fig7-map-flat` *supported* does not require us to distinguish the success with noise from that without, because both are far below the margin of 0.05.
#
# *Learned:* if an event never happens in $n$ runs, this excludes only probabilities above about $3.7 / n$. If an event may be rarer than this, compute its probability exactly, as this page does for counts without noise. If you cannot compute the probability, look for an upper bound on it, such as the moment bound.
#
# ````{solution-end}
# ````

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
# # Better bounds and guesses
#
# The [last chapter](fano.ipynb) left five questions open.
#
# - If some steps of a guess may be wrong, the most probable path need not be the best guess. Which guess is better?
# - The bounds of {cite:t}`fanoloss` may be far above the success of any attack. Is there a bound that stays close to the best attack?
# - On a small map, the paper's tight bound stays at 1 at every noise level that we tried. Which bound falls as the noise grows?
# - So far, the sensors were placed without regard to the counts. What changes if sensors react to what they count?
# - We estimated Dan's mobility model from a short diary. How much do the results depend on so few observations?
#
# The paper answers none of these questions. After this chapter you can
#
# - guess a path one step at a time, and say when this is better than guessing the whole path at once;
# - derive one bound from Markov's inequality and another from a hypothesis test;
# - compute five bounds, take the smallest, and say what each of them leaves out of account;
# - show how the bound for a person depends on the smoothing of the person's mobility model, that is, on the probability that the model gives to moves that were never observed.
#
# *A short route, about 65 minutes:*
#
# - [guessing step by step](fano-modes) (15 minutes);
# - [counting right steps](fano-gap) up to the end of [Dan's four bounds by hand](fano-board-section) (15 minutes);
# - the [simulated person](fano-person), up to the table of ratios (5 minutes);
# - the [example with two places](fano-two-places) and [the attacker as a test](fano-worlds), without the proof of the theorem (15 minutes);
# - {numref}`fig-fano-noise-bounds` (5 minutes);
# - the section on [short diaries](fano-unseen) and its experiment with a [known truth](fano-known-truth), up to {numref}`fig-fano-days` (10 minutes).
#
# *Leave for later:* the derivation [for exact counts](fano-exact-counts), the comparison of all five bounds, the choice of other maps, and the section on people who [move slowly](fano-slowness).
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figure to remember:* {numref}`fig-fano-noise-bounds`. *A question for a class:* Two analysts estimate Dan's mobility model from the same diary. A sensor at the station publishes four exact counts. The first analyst finds that the best attacker guesses Dan's whole path with probability 0.57, and the second finds 0.06. Which number would you publish? *Two common mistakes:* students think that a guess must be a possible path ({ref}`fano-impossible` shows that it need not be), and that a smaller bound is always better (a bound below the best success is false, as {numref}`fig-fano-days` shows).
#
# *Needed from the last chapter:* MAP, Dan's chain, $Q$, and the tight bound (without its proof). *Material:* this chapter has slides with speaker's notes, which are linked at its head. The lab is *Viterbi and Fano* (`make lab LAB=fano`). *Homework:* {ref}`fano-board` (if the class has not finished it), {ref}`fano-sharp` and {ref}`fano-half`, about 35 minutes in all. With {ref}`fano-crossing`, ten minutes more, students compute where two lines of the figure cross. These times are estimates.
#
# **In ninety minutes**
#
# | minutes | topic | slides |
# |---|---|---|
# | 10 | [guessing step by step](fano-modes): show [Dan's seventeen paths](fano-paths), find his most probable place in step 1 on the board, and show {numref}`fig-fano-modes` | 2, 3 |
# | 10 | [counting right steps](fano-gap): Markov's inequality, and the moment bound with its proof | 4 |
# | 15 | [Dan's four bounds](fano-board-section) on the board, in 28ths. In class, do only $k = 1$ and $k = 4$: do the row *seen in step 4* yourself, and let the class do *seen in step 3* ({ref}`fano-board`). Give the other rows and the other two columns from the finished board below, and add up. Then show {numref}`fig-fano-gap` | 5 |
# | 15 | [noise](fano-noise): the [example with two places](fano-two-places), and the two worlds with {numref}`fig-fano-worlds` | 6, 7 |
# | 15 | [the theorem](fano-worlds), only the bound with the halfway reference and without its proof. Take the bounds on $Q$ as given: 0.137 with ten places, and $2.08 \cdot 10^{-5}$ with a hundred. In {numref}`fig-fano-noise-bounds` discuss only the moment bound and the halfway test. Let the class compute one value with ten places, as the table after the theorem does, and find it in the upper panel: for $\sigma = 3$, $G(0.137, 0.527) = \Phi(-1.094 + 0.527) = \Phi(-0.567)$, which is 0.285. In the lower panel, show that the halfway test falls below the moment bound under strong noise. (If Dan's bounds took longer than planned, leave out the lower panel, and set {ref}`fano-crossing` as homework instead) | 8 |
# | 15 | [short diaries](fano-unseen): {numref}`fig-fano-days`, the question for the class and our [answer](fano-class) | 10, 11 |
# | 10 | time for questions | |
#
# Slides 9 and 12 belong to sections that this plan leaves out. *Our answer to the question for the class:* publish neither number alone, but both with their pseudocounts.
#
# **The finished board**, in 28ths: the largest mean number of right steps ($k = 1$), pairs, triples and quadruples. The three rows with a single path need no search, because the best guess is the path itself. In the other rows, several guesses can be equally good, and the board names one of them. (In the row *never*, for example, EPEP is as good as EPES for $k = 2$.)
#
# | seen at home in step | paths | best guess, for example | $k = 1$ | $k = 2$ | $k = 3$ | $k = 4$ |
# |---|---|---|---|---|---|---|
# | 1 | HOSE 2 | HOSE | 8 | 12 | 8 | 2 |
# | 1 and 4 | HOSH 2 | HOSH | 8 | 12 | 8 | 2 |
# | 2 | SHOS 4 | SHOS | 16 | 24 | 16 | 4 |
# | 3 | OSHO 2, ESHO 2 | OSHO | 14 | 18 | 10 | 2 |
# | 4 | SESH 1, PESH 1 | SESH | 7 | 9 | 5 | 1 |
# | never | ten paths | EEEE for $k = 1$; EPES for the others | 26 | 23 | 11 | 2 |
# | sum | | | 79 | 98 | 58 | 13 |
#
# The entries are contributions to the mean over all rows. Students will look for the 1.857 of the first section. It is the mean given that Dan is never seen: divide the 26 of the row *never* by 14, because this row has the probability 14/28.
#
# Students who have read on will ask why a later table says 27 in the row *never* for $k = 2$. The number on the board, 23, is exact. The recursion that replaces the search gives only an upper bound, and here this bound is 27. {numref}`fig-fano-pairs` shows where the difference comes from.
#
# *What a sceptical colleague may say:* the factor of three comes from one kind of walker, with one $\tau$, one $T$, one $s$ and twenty sequences of sensors, and under noise we look at two maps only. This is true. The moment bound holds for every mobility model and for all sensors that are fixed in advance, but its closeness to the attack is an observation about these settings. It is not close everywhere: for Dan with three required steps the bound is 0.940, and the best attack succeeds with probability 0.679. On the small random chains the bound is often 1 if errors are allowed. The colleague may add that, under noise, all bounds except the moment bound rest on an upper bound on $Q$. With ten places, this upper bound is 2.4 times the success of the best guess without counts that we know. This is true, too: with ten places and $\sigma \ge 10$, most of the gap between the smallest bound and the best attack lies between our two limits for $Q$, 0.056 and 0.137.
#
# In class, one sentence about the other three bounds is enough: all five bounds hold at the same time, and with ten places, in the upper panel of the figure, the improved tight bound is the smallest under strong noise. Students can read the rest at home. This includes the recursion behind the moment bound, the proof of the bound from hypothesis tests, the improved tight bound, the attacks with which we compare the bounds, and [sensors that choose where to look](fano-adaptive).
# ````

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-tail"]
windows = {"gowalla": "20D", "foursquare": "20D"}
n_users = 150
n_epochs = 10
tau = 0.1
allowed_errors = 5
map_sizes = [10, 20, 50, 100, 200]
n_sequences = 20
n_adaptive = 2000
seed = 2024

# %% [markdown]
# (fano-modes)=
# ## When is it better to guess step by step?
#
# In the last chapter, the attacker guessed the most probable path given the counts (MAP). The attacker can also guess the place in each step separately. This section shows when the second guess is better.
#
# (fano-paths)=
# ### Dan's seventeen paths
#
# We return to Dan and to the mobility model from his diary of eight hours. The first line of the output is this diary. It contains seven moves. Their relative frequencies are the transition probabilities $P$ in the table, and the column *is there* contains the stationary distribution, from which we draw the first place:

# %%
from collections import Counter
from itertools import combinations, pairwise, product
from math import comb

import numpy as np
import pandas as pd
from lib import reconstruction as rec
from lib.datasets import load
from lib.papers import figures as plots
from lib.papers.fano_loss import experiments as fano
from lib.papers.fano_loss import figures

plots.use_style()
six = load("six-users")
places = [*six.rois.index, "elsewhere"]
HOME, ELSEWHERE = 0, 4
print(", ".join(places[x] for x in fano.diary(six, "Dan")))
dan = fano.diary_chain(six, "Dan")
plots.show_table(figures.moves(dan, places).round(3), "dan")

# %% [markdown]
# The probability of a path is a product along its steps. From the station, for example, Dan goes home, then to the office, and then back to the station. This path has the probability $\frac27 \cdot \frac12 \cdot 1 \cdot 1 = \frac{4}{28}$.
#
# Suppose that for four hours a sensor stands at Dan's home. In each hour, or *step*, it tells the attacker one bit: whether Dan is there. (As in the last chapter, the attacker knows where everybody else is and subtracts them from the count. What remains is this bit.) Only 17 of the $5^4$ paths are possible, and all their probabilities are multiples of 1/28. The next cell computes them, and the table sorts them by what the sensor sees. Each path is written with the initials of its places, followed by its probability in 28ths. For example, *SHOS 4* is the path above, on which the sensor sees Dan in step 2.

# %%
paths = np.array(list(product(range(5), repeat=4)))
at_start, moves = dan.initial[paths[:, 0]], dan.transition[paths[:, :-1], paths[:, 1:]]
probability = at_start * moves.prod(axis=1)

initials = [place[0].upper() for place in places]  # H, S, O, P, E
by_bits = {}  # steps in which Dan is seen at home -> {path: probability in 28ths}
for path, p in zip(paths, probability, strict=True):
    if p > 0:
        seen = " and ".join(str(t + 1) for t in range(4) if path[t] == HOME) or "never"
        word = "".join(initials[x] for x in path)
        by_bits.setdefault(seen, {})[word] = round(28 * p)
by_bits = dict(sorted(by_bits.items()))

# %% tags=["hide-input"]
listed = {
    seen: {
        "probability, in 28ths": sum(row.values()),
        "paths": ", ".join(f"{word} {n}" for word, n in row.items()),
    }
    for seen, row in by_bits.items()
}
table = pd.DataFrame(listed).T.rename_axis("seen at home in step")
plots.show_table(table, "paths")

# %% [markdown]
# ### The most probable place in each step
#
# Now suppose that the sensor never sees Dan. The ten paths that agree with this observation have a total probability of 14/28. Four of them begin elsewhere: ESES, ESEP, EPES and EPEP, with probabilities of 1, 1, 2 and 2 in 28ths. So Dan was elsewhere in step 1 with probability $6/14$, which is 0.43. For the other steps and places, the calculation is the same: add up the probabilities of the paths that are at this place in this step, and divide by the total. The result is the **posterior marginal** distribution of each step. It says how probable each place is in this step, given all counts.

# %%
unseen = (paths != HOME).all(axis=1)
marginals = np.array([np.bincount(x[unseen], probability[unseen], 5) for x in paths.T])
marginals = marginals / probability[unseen].sum()  # step x place
print("step 1:", {places[x]: f"{marginals[0, x]:.2f}" for x in range(5)})

# %% [markdown]
# ````{prf:definition} Posterior modes
# :label: def-fano-modes
# The posterior modes are the guess that names, in each step, the place that is most probable in this step given all counts: $\hat X_t = \arg\max_x \Pr[X_t = x \mid \text{counts}]$. The literature also calls this guess *posterior decoding* or the *maximum posterior marginal* (MPM).
# ````
#
# Our code uses short names for the attacks and bounds of this chapter:
#
# | on this page | in the code | what it is |
# |---|---|---|
# | MAP | `"MAP"`, and `"viterbi"` as an argument | the most probable path, given the counts |
# | posterior modes | `"marginal"` | the most probable place in each step, given the counts |
# | maximum a priori | `"prior"` | the most probable path without any counts |
# | success of a guess | names with `loss` | the probability that at most $s$ of its steps are wrong, which the paper calls *privacy loss* |
# | moment bound | `"moments"`, and `moment_bound` | the bound of the [next section](fano-gap). (For noisy counts, `moment_bound` returns another bound where that is smaller, as we explain in the section on noise) |
# | moment bound without counts | `moment_ball` | an upper bound on the success of any guess without counts |
# | bounds from hypothesis tests | `hypothesis_bound` | the bounds of the [section on noise](fano-noise) |
#
# If there are too many paths to list, two passes over the $T$ steps compute the same distributions. With $M$ places, the computing time is proportional to $T M^2$:
#
# ````{prf:algorithm} Forward-backward algorithm
# :label: alg-fano-modes
# Let $\pi$ be the initial distribution and $P$ the transition matrix of the mobility model. Let $\ell_t(x)$ be the likelihood of the count in step $t$ if the target is at place $x$.
# 1. Forward: set $\alpha(1, x) = \ell_1(x)\, \pi(x)$, and for $t = 2, \dots, T$ compute $\alpha(t, x) = \ell_t(x) \sum_{x'} \alpha(t-1, x')\, P(x', x)$.
# 2. Backward: set $\beta(T, x) = 1$, and for $t = T - 1, \dots, 1$ compute $\beta(t, x) = \sum_{x'} P(x, x')\, \ell_{t+1}(x')\, \beta(t+1, x')$.
# 3. In each step, guess the place $\hat X_t = \arg\max_x \alpha(t, x)\, \beta(t, x)$.
# ````
#
# The algorithm is the Viterbi algorithm ({prf:ref}`alg-fano-map`) with sums in place of maxima, and it runs twice: once forward from the first step and once backward from the last. For Dan, it gives the same marginals as the list of paths:

# %%
likelihood = (np.arange(5) != HOME).astype(float)  # not at home, in every step
forward, backward = [likelihood * dan.initial], [np.ones(5)]
for _ in range(3):
    forward.append(likelihood * (forward[-1] @ dan.transition))
    backward.append(dan.transition @ (likelihood * backward[-1]))
both = np.array(forward) * backward[::-1]
print("as listed:", np.allclose(both / both.sum(axis=1, keepdims=True), marginals))

# %% [markdown]
# We compare the posterior modes with MAP. Of the ten paths on which the sensor never sees Dan, four have the largest probability, 2/28, and MAP may name any of them. The table has one row for each of these four paths, and a last row for the posterior modes. It shows the mean number of right steps and the probability that the whole path is right.

# %%
tied = paths[unseen & np.isclose(probability, probability[unseen].max())]
by_guess = {}
for guess in (*tied, marginals.argmax(axis=1)):
    on_path = (paths == guess).all(axis=1)
    by_guess[", ".join(places[x] for x in guess)] = {
        "right steps on average": marginals[range(4), guess].sum(),
        "whole path right": probability[on_path].sum() / probability[unseen].sum(),
    }
table = pd.DataFrame(by_guess).T.round(3).rename_axis("guess")
plots.show_table(table, "guesses")

# %% mystnb={"figure": {"name": "fig-fano-modes", "caption": "Posterior modes and MAP, if the sensor at Dan's home never sees him: the posterior modes say elsewhere in all four steps. That path is impossible, because his diary never has him elsewhere twice in a row, and yet more of its steps are right on average. Shades and numbers show the posterior marginals, the probability of each place in each step. Frames mark the posterior modes. The line is MAP, drawn for one of the four tied paths. In steps 1 and 3 both guesses say elsewhere."}, "image": {"alt": "A grid of steps by places, shaded by probability. MAP moves between places; the posterior modes stay elsewhere in all four steps."}} tags=["hide-input"]
taken = rec.viterbi_trajectory(dan, np.full(4, HOME), np.zeros(4))
figures.show_posterior(marginals, places, taken, marginals.argmax(axis=1))

# %% [markdown]
# On average, the posterior modes have 1.857 right steps. This is the sum of the four largest posterior marginals, $\frac{6 + 6 + 8 + 6}{14}$. None of the paths that MAP may name has more than 1.571. But the posterior modes cannot be right in all four steps at once, because they do not form a possible path: Dan's diary never has him elsewhere twice in a row.
#
# So far we have looked at one sequence of counts. The next table takes into account all sequences of counts that the sensor may publish. It shows the probability that at most $s$ steps of a guess are wrong.
#
# - *maximum a priori* is the guess that ignores the counts.
# - *MAP, by ties* shows two numbers if the success of MAP depends on which of several equally probable paths it names. The first is for the worst way of breaking such ties, the second for the best.
# - *best* is the largest success that any guess can have. The library tries every guess for every sequence of counts, and {ref}`fano-best` asks you to do the same.
#
# We compute the success of the posterior modes by hand first. For each row of the table of paths, we name the most probable place in each step. This gives one guess for each row. We then add up the probabilities of the paths on which the guess for their row has at least $4 - s$ right steps. In two rows two places are equally probable in step 1: the office and elsewhere in the row *seen in step 3*, and the station and the park in the row *seen in step 4*. By symmetry, the choice between them does not change the success.


# %%
def right_steps(guess, path):
    return sum(g == p for g, p in zip(guess, path, strict=True))


def modes_of(row):  # row: {path: probability in 28ths}
    guess = ""
    for t in range(4):
        weights = Counter()
        for path, n in row.items():
            weights[path[t]] += n
        guess += weights.most_common(1)[0][0]
    return guess


print({seen: modes_of(row) for seen, row in by_bits.items()})
for s in range(4):
    success = 0
    for row in by_bits.values():
        guess = modes_of(row)
        success += sum(
            n for path, n in row.items() if right_steps(guess, path) >= 4 - s
        )
    print(f"s = {s}: posterior modes succeed with {success}/28 = {success / 28:.3f}")

# %% [markdown]
# In the table, the column *posterior modes* contains these four numbers again. The library computes the other columns:

# %%
of_dan = fano.losses_by_errors(dan, np.full(4, HOME))

# %% tags=["hide-input"]
ties = fano.map_with_ties(dan, np.full(4, HOME)).map("{:.3f}".format)
both_ends = ties["least"] + " to " + ties["largest"]
by_ties = ties["least"].where(ties["least"] == ties["largest"], both_ends)
table = of_dan[["prior", "marginal", "best"]].rename(columns=figures.WORDS)
table = table.map("{:.3f}".format)
table.insert(1, "MAP, by ties", by_ties)
plots.show_table(table, "by-errors")

# %% [markdown]
# **For Dan and a sensor at his home, it is best to guess a path if almost all steps must be right, and to guess step by step if a few right steps are enough.** MAP is best for $s = 0$ and $s = 1$, however its ties are broken. The posterior modes are best for $s = 2$ and $s = 3$.
#
# Two facts hold for every target. For $s = 0$ no guess is better than MAP. And no guess ever has more right steps *on average* than the posterior modes. Between these two extremes, the better guess depends on the mobility model. [Below](fano-gap), MAP is better on large maps although half of the steps may be wrong.

# %% [markdown]
# (fano-gap)=
# ## Can counting right steps bound every attacker?
#
# We look for a bound that holds for every attacker and stays close to the best attack. We derive it from the number $C$ of right steps of a guess.
#
# ### From a mean to a bound
#
# The mean $\mathbb{E}[C]$ is a sum over the steps: each step adds the probability that the guess is right in this step. The posterior modes have the largest such probability in every step. So no guess has a larger mean than the posterior modes.
#
# This largest mean limits the success of *every* guess. For Dan, as we compute below, no guess has more than 2.82 of four steps right on average. Suppose that a guess has all four steps right with probability $p$. These cases alone contribute $4p$ to the mean, and the other cases cannot contribute less than 0. So $4p \le 2.82$, and $p$ is at most 0.705. This argument is **Markov's inequality**.
#
# The argument does not require us to count single steps. A guess with $C$ right steps also has $\binom{C}{2}$ right pairs of steps, $\binom{C}{3}$ right triples, and so on, and Markov's inequality applies to each of these numbers. If at most $s$ of the $T$ steps may be wrong, a guess succeeds if at least $r = T - s$ steps are right. We call $r$ the number of required steps.
#
# ````{prf:theorem} Moment bound
# :label: thm-fano-moments
# For every guess and $1 \le k \le r$: $\ \Pr[C \ge r] \le \mathbb{E}\binom{C}{k} \big/ \binom{r}{k}$.
# ````
#
# ````{prf:proof}
# If $C \ge r$, then $\binom{C}{k} \ge \binom{r}{k}$. Otherwise $\binom{C}{k} \ge 0$. So $\binom{C}{k}$ is never smaller than $\binom{r}{k}$ times the indicator of $C \ge r$. Taking the mean of both sides gives the theorem.
# ````
#
# The theorem gives one bound for each $k$. To make it hold for all guesses, we replace the mean by the largest mean that any guess can have, or by an upper bound on this largest mean. We call the result the *bound for $k$*, and the smallest of the $r$ bounds the **moment bound**.
#
# (fano-board-section)=
# ### Dan's four bounds by hand
#
# To bound *all* attackers, we need the largest mean $\mathbb{E}\binom{C}{k}$ that any guess can have. For Dan, we can work it out by hand from the [table of his paths](fano-paths). The attacker sees one of six sequences of bits and chooses a guess for it. We find the best guess for each row of the table, and then we add up the rows.
#
# Take the row *seen in step 4*, with the paths SESH and PESH, each with probability 1/28. The guess SESH has all four steps right on the first path, and the last three steps right on the second. So it has $4 \cdot 1 + 3 \cdot 1 = 7$ right steps, $6 \cdot 1 + 3 \cdot 1 = 9$ right pairs, $4 \cdot 1 + 1 \cdot 1 = 5$ right triples and $1$ right quadruple, all in 28ths. In plain Python:


# %%
def mean_of_sets(guess, row, k):  # in 28ths
    return sum(n * comb(right_steps(guess, path), k) for path, n in row.items())


row = {"SESH": 1, "PESH": 1}  # seen in step 4
print([mean_of_sets("SESH", row, k) for k in (1, 2, 3, 4)])

# %% [markdown]
# In this row no guess does better. To check this, and to do the other rows, we try all $5^4$ guesses for each row and each $k$. We then add up the rows and divide twice: by 28 to obtain the largest mean, and by $\binom{4}{k}$ to obtain the bound, because all four steps must be right ($r = 4$).

# %%
guesses = ["".join(each) for each in product("HSOPE", repeat=4)]
largest = pd.DataFrame(
    {
        f"k = {k}": {
            seen: max(mean_of_sets(guess, row, k) for guess in guesses)
            for seen, row in by_bits.items()
        }
        for k in (1, 2, 3, 4)
    }
)
for k in (1, 2, 3, 4):
    total = largest[f"k = {k}"].sum()
    bound = total / 28 / comb(4, k)
    print(f"k = {k}: {total}/28 = {total / 28:.3f}, / {comb(4, k)} = {bound:.3f}")
largest.loc["sum"] = largest.sum()
plots.show_table(largest.rename_axis("seen in step (in 28ths)"), "sequences")

# %% [markdown]
# Each row of the table contains what one sequence of bits contributes to the mean over all sequences. The row *never*, for example, contributes 26/28 right steps. If we know that Dan is never seen, we divide by the probability of this row, 14/28, and obtain $26/14 = 1.857$ right steps, as in the first section.
#
# For $k = 1$ the largest mean is the 2.82 that we used for Markov's inequality. For $k = 2$ we count pairs. Four right steps contain six right pairs, and no guess has more than $98/28 = 3.5$ right pairs on average. So all four steps are right with probability at most 0.583.
#
# This bound is lower than the bound of 0.705 for $k = 1$. The reason is that a failure, compared with a success, adds less to the mean number of pairs than to the mean number of steps. A guess with one, two or three right steps fails, but it still adds to the mean. For $k = 1$ such a guess adds one, two or three, and a success adds four. For $k = 2$ such a guess adds zero, one or three, and a success adds six. For $k = 4$ only a success adds to the mean, and the bound is $13/28$, or 0.464, which is exactly the success of MAP. So for Dan's whole path, the bound with $k = 4$ cannot be improved.

# %% [markdown]
# ### How is the largest mean computed without enumeration?
#
# For longer paths, enumeration is impossible. Instead, we compute an upper bound on the largest mean. We begin with guesses that are made without counts. We call a set of $k$ steps right if the guess is right in every step of the set. So $\mathbb{E}\binom{C}{k}$ is the mean number of right sets of $k$ steps. It is a sum of probabilities, one for each set.
#
# By the Markov property, each of these probabilities is a product with one factor for each step of the set. For steps 1 and 3, for example, it is the probability of being at the guessed place in step 1, times the probability of getting from there to the guessed place of step 3 in two moves. In general, the first factor is the probability that the target is at the guessed place in the first step of the set. Each further factor is the probability of getting from the guessed place in one step of the set to the guessed place in the next step of the set.
#
# A recursion over the last step of the set finds an upper bound on the sum. A real guess names one place for each step. The recursion allows more: the place in a step may depend on which later steps the set contains. Let $F_k(t, x)$ be the largest possible sum over the sets of $k$ steps whose last step is $t$, if the guess for step $t$ is $x$ and the earlier places are chosen in this freer way. No real guess has a larger sum. We write $u$ for the step that precedes $t$ in the set. Then
#
# $$F_1(t, x) = \Pr[X_t = x], \qquad F_k(t, x) = \sum_{u < t} \max_y F_{k-1}(u, y)\, P^{t-u}(y, x) .$$
#
# The whole sum is at most $\sum_t \max_x F_k(t, x)$. Here $P^g$ is a power of the transition matrix $P$: its entries are the probabilities of getting from one place to another in $g$ moves.
#
# As an example, we compute $F_2(t, \text{elsewhere})$ for Dan, that is, the part of the sum that comes from pairs of steps whose last step is $t$, if the guess for step $t$ is *elsewhere*. For $t = 3$ there are two such pairs, (1, 3) and (2, 3). The recursion takes the best guess $y$ for the first step of each pair, and adds up the two maxima. Because $\pi$ is stationary, Dan is at $y$ with probability $\pi(y)$ in every step. The output shows each maximum in 28ths, with the places $y$ that attain it:

# %%
for t in (2, 3, 4):
    print(f"F_2({t}, elsewhere):", end=" ")
    for u in range(1, t):
        onward = np.linalg.matrix_power(dan.transition, t - u)
        pair = 28 * dan.initial * onward[:, ELSEWHERE]  # at y in step u, elsewhere in t
        best = [places[y] for y in range(5) if np.isclose(pair[y], pair.max())]
        print(f"steps ({u}, {t}) {pair.max():.0f} from {' or '.join(best)}", end="; ")
    print()

# %% [markdown]
# So $F_2(3, \text{elsewhere})$ is $(6 + 4)/28$. For the pair (1, 3) the maximum is attained with *elsewhere* in step 1, and for the pair (1, 4) with the station or the park in step 1. A real guess must name the same place for step 1 in both pairs. The recursion lets each maximum choose its own place, so its result is only an upper bound on the largest mean.
#
# Now we write the recursion in code for all $k$. We take the simulated person of the last chapter, who moves on a line of $M$ places. The probability of a move from place $i$ to place $j$ is proportional to $e^{-|i - j| / (\tau M)}$ with $\tau = 0.1$, and the first place is drawn from the stationary distribution. The worked examples use a line of ten places, ten steps and five required steps. These numbers stay fixed if you change the parameters of this page, so the code gives them names of their own: `n_steps` and `n_wrong` in the worked examples, `n_epochs` and `allowed_errors` for the parameters.

# %%
from scipy.special import binom

n_steps, required = 10, 5
n_wrong = n_steps - required  # s, steps that may be wrong
walker = rec.distance_chain(10, 0.1)
powers = [np.linalg.matrix_power(walker.transition, gap) for gap in range(n_steps)]
F = walker.marginals(n_steps)  # step t x place x, for k = 1
bounds = []
for k in range(1, required + 1):
    largest_mean = F.max(axis=1).sum()
    bounds.append(largest_mean / binom(required, k))
    earlier, F = F, np.zeros_like(F)
    for t in range(n_steps):
        for u in range(t):
            F[t] += (earlier[u][:, None] * powers[t - u]).max(axis=0)
print("by k:", np.round(bounds, 3))
Q_bound = min(bounds)
print(
    f"smallest {Q_bound:.3f}, library {rec.moment_ball(walker, n_steps, n_wrong):.3f}"
)

# %% [markdown]
# The bound for every $k$ is valid, so the moment bound, the smallest of them, is valid too. Without any count, no guess has five or more of the ten steps right with a probability above 0.137. Let $Q$ be the best success without counts, that is, the largest success of any guess that ignores the counts. We have shown that $Q$ is at most 0.137. We will need this number, `Q_bound` in the code, in the section on noise.
#
# For Dan's whole path, the bound became smaller with every $k$. Here the bound is smallest for $k = 2$, and for $k = 5$ it exceeds 1 and says nothing. One might suspect the recursion, which lets different sets of steps choose different places for the same step. To find out, we compare the bounds with ten real guesses. Each of these *constant guesses* names one place of the line in every step. The distribution of its number $C$ of right steps can be computed exactly. For each $k$, the table shows the largest value of $\mathbb{E}\binom{C}{k} \big/ \binom{5}{k}$ among the ten guesses, and the place that the best of them names. (The line is symmetric, so the place at the same distance from the other end is equally good.) The output above the table shows the success of the guess that names the first place, and the number of sets of five among ten right steps.


# %%
def number_of_right_steps(place):  # its distribution, for a constant guess
    # right steps so far x place of the walker
    chance = np.zeros((n_steps + 1, walker.n_locations))
    chance[0] = walker.initial
    for t in range(n_steps):
        if t > 0:
            chance = chance @ walker.transition
        chance[:, place] = [0, *chance[:-1, place]]  # one more right step
    return chance.sum(axis=1)


of_C = np.array([number_of_right_steps(place) for place in range(10)])
n_right = np.arange(n_steps + 1)
compared_by_k = {}
for k in range(1, required + 1):
    of_guesses = (of_C @ binom(n_right, k) / binom(required, k)).round(9)
    compared_by_k[f"k = {k}"] = {
        "bound": f"{bounds[k - 1]:.3f}",
        "best constant guess": f"{of_guesses.max():.3f}",
        "it names place": of_guesses.argmax() + 1,
    }
print(f"first place: success {of_C[0, required:].sum():.3f}", end=", ")
print(f"sets of five among ten right steps: {binom(n_steps, required):.0f}")
plots.show_table(pd.DataFrame(compared_by_k), "constant-guesses")

# %% [markdown]
# The recursion is not what makes the bound for $k = 5$ so large. For every $k$, one of the ten guesses attains the bound almost exactly, so even the exact largest means would give nearly the same bounds. What makes the bounds too high is Markov's inequality. It loses in one way for small $k$ and in another way for large $k$.
#
# - *Small $k$: failures add to the mean.* As for Dan, guesses with too few right steps fail, and still add to the mean. This is why the bound for $k = 1$ is as high as 0.217.
# - *Large $k$: a success may add more than 1.* For Dan all four steps were required, so $C$ could not exceed $r$. Here $r$ is five, and $C$ can be as large as ten. A guess with ten right steps has 252 right sets of five. For $k = 5$, the event that all ten steps are right therefore enters the mean with the value 252, although it is only one success. For the guess that names the first place, the value for $k = 5$ is 1.288, although its success is only 0.056.
#
# The result of the recursion is not always so close to a real guess. For Dan with exact counts, it exceeds every real guess by more, as we show in the part on [exact counts](fano-exact-counts).
#
# (fano-orders)=
# ### How close is the moment bound to the best attack?
#
# So far, the recursion is for an attacker without counts. We now turn to **exact counts**, that is, counts without noise. An attacker who sees them knows the target's place in every step in which a sensor sees the target. The library therefore cuts the path at these steps, runs the recursion on each piece, and combines the results. We derive this [below](fano-exact-counts). First we look at the bounds that it gives.
#
# The next table shows the result for Dan, with the bound for each number of required steps $r$ and each $k$. A bound above 1 is replaced by 1. The moment bound is the smallest of the bounds in a row. The last column shows the success of the best attack, for comparison.

# %% tags=["hide-input"]
by_k = fano.moment_orders(dan, np.full(4, HOME))
table = by_k.assign(
    **{
        "moment bound (smallest)": by_k.min(axis=1),
        "best attack": of_dan["best"].to_numpy()[::-1],
    }
)
print(f"moment_bound for r = 4: {rec.moment_bound(dan, np.full(4, HOME), 0):.3f}")
table = table.map("{:.3f}".format, na_action="ignore")
plots.show_table(table.rename_axis("r"), "orders")

# %% [markdown]
# For $r = 4$ and $k = 4$ the bound is exact. In general, it can be too high for two reasons. For $k = 2$, for example, even the exact largest mean only gives 0.583, although no guess succeeds with a probability above 0.464. This loss is due to Markov's inequality. The recursion then replaces the exact largest mean by an upper bound, and raises 0.583 to 0.607. For two or three required steps, the bound is above the success of the best attack.
#
# Dan is only one person. A valid bound is never below the success of the best attack, and a good one is not far above it. We check both on the two hundred random chains of the [last chapter](fano-bounds), on which the library finds the best success by enumeration. The table uses only the 60 chains on which the best success is below 0.9, because on the others even a bound of 1 would be nearly exact. We distinguish between chains on which the whole path must be right, $s = 0$, and chains on which errors are allowed, $s > 0$. For each bound, the table counts the chains on which the bound equals the best success, and those on which the bound is 1 and says nothing. The *excess* is the bound minus the best success.

# %% tags=["hide-input"]
cases = fano.enumerated_chains(["analytic"], seed=seed)
hard = cases[cases["best"] < 0.9]
too_low = (cases["moments"] < cases["best"] - 1e-9).sum()
print(f"moment bound below the best success: {too_low} of {len(cases)} chains")
below_1 = hard[(hard["s"] > 0) & ~np.isclose(hard["moments"], 1)]
lower = (below_1["tight"] - below_1["moments"]).median()
print(f"s > 0, moment bound below 1: {len(below_1)} chains,", end=" ")
print(f"there tight minus moment bound {lower:.3f} in the median")

checked = {}
for errors, each in (("s = 0", hard[hard["s"] == 0]), ("s > 0", hard[hard["s"] > 0])):
    for name in ("moments", "tight"):
        excess = (each[name] - each["best"]).round(9)
        checked[f"{errors}, {figures.WORDS[name]}"] = {
            "chains": len(each),
            "equal": (excess == 0).sum(),
            "bound is 1": np.isclose(each[name], 1).sum(),
            "median excess": excess.median(),
        }
table = pd.DataFrame(checked).T.rename_axis("errors, bound")
plots.show_table(table.round(3), "moments-truth")

# %% [markdown]
# The moment bound is never below the best success. If the whole path must be right, it equals the best success on all 39 chains. This must be so: for $k = T$ there is only one set of steps, so the recursion finds the exact largest mean, and the bound is exact ({ref}`fano-modes-proof`). If errors are allowed, the moment bound is above the best success on all 21 chains, and on 12 of them it is 1. The tight bound is 1 on all 21. Because so many of these bounds are 1, the two bounds have nearly the same median excess, 0.209 for the moment bound and 0.223 for the tight bound. On the other 9 chains the moment bound is lower than the tight bound, with a median difference of 0.107. The random chains have at most five places. On larger maps, the moment bound is far better than the tight bound even if errors are allowed, as we see next.
#
# (fano-person)=
# ### On the simulated person
#
# ```{admonition} If you take the short route
# :class: note
# You will need four things from the parts that you skipped:
#
# - *Exact counts* are counts without noise.
# - The *simulated person* moves on a line of $M$ places. The probability of a move from $i$ to $j$ is proportional to $e^{-|i - j| / (\tau M)}$ with $\tau = 0.1$.
# - $Q$ is the best success without counts, that is, the largest success of any guess that ignores the counts.
# - We do not know $Q$, but a recursion bounds it: with ten places, if five of ten steps may be wrong, $Q$ is at most 0.137.
# ```
#
# We return to the simulated person. The table shows the numbers that describe this person and the experiments in the rest of the chapter. They are the parameters of this page, and you can change them if you run it yourself.

# %% tags=["hide-input"]
meanings = {
    "n_epochs": (n_epochs, "T, steps of the path"),
    "allowed_errors": (allowed_errors, "s, steps that may be wrong"),
    "tau": (tau, "τ, scale of the moves, as a share of the line"),
    "map_sizes": (", ".join(map(str, map_sizes)), "M, places on the line"),
    "n_sequences": (n_sequences, "random sequences of sensors"),
    "n_adaptive": (n_adaptive, "simulated runs, if sensors react to counts"),
    "datasets": (", ".join(datasets), "data of real travellers"),
    "windows": (
        ", ".join(sorted({*windows.values()})),
        "length of a step, for the paper's data only (D: days)",
    ),
    "n_users": (n_users, "largest number of aircraft whose predictions we check"),
    "seed": (seed, "seed of all random numbers"),
}
table = pd.DataFrame(meanings, ["value", "meaning"]).T.rename_axis("in the code")
plots.show_table(table.map(str), "settings")

# %% [markdown]
# Five of the ten steps may be wrong. In each step, one sensor is switched on at a random place. For one such sequence of sensors on the line of ten places, each attack and each bound is one call. The argument 5 is the number of steps that may be wrong:

# %%
sensors = fano.sample_sensors(seed, 10, n_steps, n_sequences)  # a row for each sequence
print("sensors at places", sensors[0] + 1)
for words, name in {"MAP": "viterbi", "posterior modes": "marginal"}.items():
    print(f"{words} {rec.exact_loss(walker, sensors[0], n_wrong, name):.3f}")
print(f"moment bound {rec.moment_bound(walker, sensors[0], n_wrong):.3f}")
bound_of_each = [rec.moment_bound(walker, sequence, n_wrong) for sequence in sensors]
print(f"mean moment bound over {len(sensors)} sequences: {np.mean(bound_of_each):.3f}")

# %% [markdown]
# The library's `sweeps` makes the same calls for maps of different sizes, and for several sequences of sensors on each map. The table shows the means over the sequences, with 95% intervals. The moment bound in its first row is the mean that we have just computed, rounded to two digits.

# %%
person = {"n_epochs": n_epochs, "allowed_errors": allowed_errors}
person |= {"tau": tau, "seed": seed}
drawn = person | {"map_sizes": map_sizes, "n_sequences": n_sequences}
by_map = {"simulated": [("M", m) for m in map_sizes]}
sweep = fano.sweeps(["simulated"], units=by_map, times=[], **drawn)  # without timing
lines = ["MAP", "marginal", "moments", "tight"]
plots.show_table(figures.swept_table(sweep, lines, "places M"), "maps")

# %% mystnb={"figure": {"name": "fig-fano-gap", "caption": "The simulated person by the size of the map, on logarithmic axes: the moment bound falls together with the success of the better of the two attacks, and the tight bound of the last chapter falls far more slowly. The brown number at each map is the moment bound divided by the success of the attack. The arrow shows the tight bound divided by the success of the attack on the largest map. Markers show means over twenty random sequences of sensors. The 95% intervals are mostly smaller than the markers."}, "image": {"alt": "Logarithmic plot against the number of places from 10 to 200. The better attack falls by five powers of ten. The moment bound runs just above it, higher by factors from 1.6 to 2.8. The tight bound falls from 1 to 0.04 and ends about 22,400 times as high as the attack."}} tags=["hide-input"]
figures.show_map_sizes(sweep)

# %% [markdown]
# {numref}`fig-fano-gap` shows how differently the two bounds behave. From the smallest to the largest map, the success of the better attack falls by five powers of ten. The moment bound falls with it and stays close to it. The tight bound falls only to 0.039. The figure shows only the better of the two attacks, because on this scale the difference between them cannot be seen.
#
# To measure the distances, we divide the mean of each bound by the mean success of the better attack:

# %%
means = sweep.groupby("M")[["moments", "tight", "MAP", "marginal"]].mean()
attack = means[["MAP", "marginal"]].max(axis=1)
ratios = means[["moments", "tight"]].div(attack, axis=0).rename(columns=figures.WORDS)

# %% tags=["hide-input"]
ratios = ratios.map(lambda x: f"{x:.1f}" if x < 100 else f"{float(f'{x:.3g}'):,.0f}")
plots.show_table(ratios.rename_axis("places M"), "ratios")

# %% [markdown]
# **On these maps, the moment bound stays within a factor of three of the better attack.** With 50 or more places, the tight bound is hundreds to tens of thousands of times the success of the better attack. The two bounds use the counts in different ways. The tight bound uses only one number about the counts, the information $I$. The same value of $I$ can also arise from counts that reveal the whole path in a few cases, and otherwise reveal nothing. The tight bound must hold for such counts, too. The moment bound uses what each single count reveals.
#
# The two attacks are close to each other, but they can be compared precisely: both are evaluated on the same sequences of sensors, so we take the difference of their success on each sequence. The output shows the mean difference, posterior modes minus MAP, with its 95% interval:

# %%
from lib import metrics

for m, of_map in sweep.groupby("M"):
    difference = (of_map["marginal"] - of_map["MAP"]).to_numpy()  # on the same sensors
    low, high = metrics.mean_interval(difference)
    print(f"{m} places: {difference.mean():.2g} [{low:.2g}, {high:.2g}]")

# %% tags=["hide-input", "hide-output"]
plots.show_table(figures.gain_table(sweep), "gain")

# %% [markdown]
# With ten places the posterior modes are better. With 20 places the comparison is inconclusive. With 50 or more places MAP is better.
#
# Our explanation for this change is that five right steps are rare on a large map. They become more probable if the guess contains no improbable jump, because one right step then makes the next one more probable. MAP maximises the probability of the whole path, so it avoids improbable jumps. The posterior modes are chosen separately for each step, so they may contain such jumps. (On the line they still form a possible path, unlike Dan's posterior modes, because a move between any two places has a positive probability.)
#
# If this explanation is right, the size of the map matters because it decides how rare five right steps are. On each map, the posterior modes should then be better if few steps are required, and MAP should be better if many are required. To test this, we divide the mean success of the posterior modes by that of MAP, for several numbers of required steps. The intervals come from the paired differences, divided by the mean success of MAP. They treat this mean as exact, so they are reliable for the comparison with 1, but only approximate otherwise:

# %%
quotients = []
for m in (10, 100):
    chain = rec.distance_chain(m, tau)
    sequences = fano.sample_sensors(seed, m, n_epochs, max(n_sequences, 2))
    for r in range(1, n_epochs + 1, 2):
        errors = n_epochs - r
        of_modes = [rec.exact_loss(chain, x, errors, "marginal") for x in sequences]
        of_map = [rec.exact_loss(chain, x, errors, "viterbi") for x in sequences]
        low, high = metrics.mean_interval(np.subtract(of_modes, of_map))
        quotient = {
            "ratio": np.mean(of_modes) / np.mean(of_map),
            "95% low": 1 + low / np.mean(of_map),
            "95% high": 1 + high / np.mean(of_map),
        }
        quotients.append({"M": m, "required": r, **quotient})
quotients = pd.DataFrame(quotients)

# %% tags=["hide-input", "hide-output"]
plots.show_table(figures.required_table(quotients), "by-required")

# %% mystnb={"figure": {"name": "fig-fano-required", "caption": "Success of the posterior modes divided by that of MAP, with 95% intervals: the posterior modes are better if few steps are required, and MAP is better if many are required. On the larger map the change comes at fewer required steps."}, "image": {"alt": "Two lines against the number of required steps from 1 to 9, with a horizontal line at 1. With 10 places the quotient falls from 1.17 to 0.80 and crosses 1 between 5 and 7 steps. With 100 places it falls from 1.35 to 0.17 and crosses 1 between 3 and 5 steps."}} tags=["hide-input"]
figures.show_required(quotients, n_epochs)

# %% [markdown]
# On both maps the quotient in {numref}`fig-fano-required` falls as more steps are required. With ten places it falls below 1 between five and seven required steps. With a hundred places it does so between three and five. No interval contains 1. That each line crosses 1 somewhere is hardly a surprise, for two reasons. If all ten steps are required, no attack is better than MAP. And the posterior modes must be at least as good as MAP for some number of required steps: the sum $\sum_r \Pr[C \ge r]$ is the mean $\mathbb{E}[C]$, and no guess has a larger mean than the posterior modes. Only the number of required steps at which a line crosses 1 can support the explanation, and it does: on the larger map, this number is smaller. But this is a comparison of only two maps.
#
# ```{note}
# - We found the factor of three for ten steps, of which five may be wrong, and for the step size $\tau = 0.1$. For twenty steps, the [replication](fano-replicated-fig5) finds a factor of four.
# - The paper says that its bounds "get tight when M is large". The difference between the tight bound and the attack is indeed small on large maps, because both numbers are small there. But their ratio grows with the size of the map, as the table of ratios shows.
# ```

# %% [markdown]
# (fano-exact-counts)=
# ### How can the recursion use exact counts?
#
# The recursion above is for an attacker without counts, but the moment bounds in the tables that followed it are for an attacker who sees exact counts. This part shows how to extend the recursion to exact counts. You can leave it out on a first reading, because the [next section](fano-noise) does not need it.
#
# A *sighting* is a step in which a sensor sees the target. In such a step the attacker knows the place, so the guess is right. A sighting also [cuts the path](fano-fig5): once the place in one step is known, the earlier and the later steps are independent. Between the sightings there are **stretches** of steps in which no sensor sees the target. A stretch consists of the steps strictly between two successive sightings, or of the steps before the first sighting, or of those after the last. A stretch may be empty, for example between two sightings in successive steps. On the path HOSH, for example, Dan is seen in steps 1 and 4. The stretch between these sightings consists of steps 2 and 3. The other two stretches, before step 1 and after step 4, are empty.
#
# The path HOSH shows in a small case what we want to compute. It has the probability 2/28, and it is the only path on which Dan is seen in steps 1 and 4. A guess that names O and S is right in both steps of the stretch. So the stretch contains one right set without any step, two right sets of one step and one right set of two steps. We write these numbers, times the probability of the path in 28ths, as a polynomial $2 + 4z + 2z^2$, in which the exponent of $z$ is the number of steps in the set. A right set may also contain each of the two sightings or not, so each sighting has the polynomial $1 + z$. The product adds up all combinations:
#
# $$ (2 + 4z + 2z^2)(1 + z)^2 = (2 + 4z + 2z^2)(1 + 2z + z^2) = 2 + 8z + 12z^2 + 8z^3 + 2z^4 . $$
#
# The coefficients 8, 12, 8 and 2 are those of the row *1 and 4* in the table of largest means. {numref}`fig-fano-stretch` shows the calculation.

# %% mystnb={"figure": {"name": "fig-fano-stretch", "caption": "The path HOSH, on which the sensor at Dan's home sees him in steps 1 and 4. Each sighting contributes the factor 1 + z, because a set of right steps may contain it or not. The stretch between the sightings contributes one term for each number of its steps that the set may contain. In the product, the coefficient of the k-th power of z is the mean number of right sets of k steps. The coefficients of the stretch and of the product are in 28ths, those of the factors 1 + z are plain numbers."}, "image": {"alt": "Four boxes for the steps 1 to 4 with the letters H, O, S, H. The first and the last are dark and are called sightings; the two between them form a stretch. Below them, 1 + z times 2 + 4z + 2z² times 1 + z equals 2 + 8z + 12z² + 8z³ + 2z⁴."}} tags=["hide-input"]
of_parts = [("sighting", "H", "1 + z"), ("stretch", "OS", "2 + 4z + 2z^2")]
of_parts += [("sighting", "H", "1 + z")]
note = "stretch and product: coefficients in 28ths"
figures.show_polynomials(of_parts, "2 + 8z + 12z^2 + 8z^3 + 2z^4", note)

# %% [markdown]
# In general, more than one path agrees with the bits of a stretch, and we need the recursion to find its polynomial. On each stretch we run the recursion with one change. Every probability is now the probability that the target is at a place *and* has not been seen. In our example, the sensor stays at Dan's home in every step. Let $U$ be the transition matrix $P$ with zeros in the column of the sensor's place, so that $U$ describes one move that ends without a sighting. Then $U^g$ describes $g$ such moves. (If the sensor moved, we would need a product of different matrices instead of this power.) For a stretch of $n$ steps we need two more vectors with one entry for each place:
#
# - $f(x)$ is the probability that the target is at $x$ in the first step of the stretch and is not seen there. If a sighting precedes the stretch, this probability is conditional on that sighting.
# - $v(x)$ is the probability of the sighting that ends the stretch, if the target is at $x$ in the last step of the stretch. If the stretch runs to the last step of the path, all entries of $v$ are 1.
#
# We number the steps of the stretch from 1 to $n$. The recursion is the same as above, with $f$ in place of $\pi$ and $U$ in place of $P$:
#
# $$F_1(t, x) = \big(f\, U^{t-1}\big)(x), \qquad F_k(t, x) = \sum_{u < t} \max_y F_{k-1}(u, y)\, U^{t-u}(y, x) .$$
#
# After the last right step of a set, the target must remain unseen until the stretch ends, and the sighting that ends the stretch must then happen. The probability of both, from place $x$ in step $t$, is $(U^{n-t} v)(x)$. So the result for sets of $k$ steps of the stretch is
#
# $$S_k = \sum_t \max_x F_k(t, x)\, \big(U^{n-t} v\big)(x), \qquad S_0 = f\, U^{n-1} v .$$
#
# If Dan is never seen, for example, there is a single stretch of four steps. For $k = 1$ no recursion is needed, and $F_1(t, x)\, (U^{4-t} v)(x)$ is the probability that Dan is at $x$ in step $t$ and is never seen. The largest of these probabilities, in 28ths, are 6, 6, 8 and 6 for the steps 1 to 4. They are the numerators of the marginals that {numref}`fig-fano-modes` marks with frames. So $S_1$ is their sum, 26/28, as in the row *never* of the table of largest means.
#
# $S_0$ is the coefficient for the empty set. It is the probability that the target stays unseen for the whole stretch and is then seen by the sensor that ends it, if the stretch ends with a sighting. The probability of the sighting at the end therefore enters every $S_k$ exactly once.
#
# To combine the stretches, we write the results for each stretch as a polynomial $S(z) = \sum_k S_k z^k$, as in the example, and each sighting as $1 + z$. We write $A(z) \le B(z)$ if every coefficient of $A$ is at most the coefficient of $B$ for the same power of $z$. In this sense we obtain, for one sequence of bits with $j$ sightings,
#
# $$\sum_k z^k \max_{\hat x}\, \mathbb{E}\Big[\tbinom{C}{k};\ \text{these bits}\Big] \;\le\; (1 + z)^j \prod_{\text{stretches}} S(z) \qquad \text{coefficient by coefficient.}$$
#
# The mean on the left counts only the cases with this sequence of bits. We do not divide it by the probability of the sequence, so that the terms of all sequences add up to the mean $\mathbb{E}\binom{C}{k}$.
#
# The inequality holds because the stretches are independent, given the sightings. So the probability that a set of steps is right is a product with one factor for each stretch. Consider all sets with $k_1$ steps in the first stretch, $k_2$ in the second, and so on, that contain the same sightings. The sum of their probabilities is a product with one factor for each stretch. Whatever the guess is, the factor that belongs to stretch $i$ is at most the coefficient $S_{k_i}$ of its polynomial. Multiplying the polynomials adds up these products over all ways of dividing the $k$ steps among the stretches and the sightings.

# %% [markdown]
# The code follows the formulas for $F_1$, $F_k$ and $S_k$. `unseen_move` is $U$, `start` is $f$, `ending` is $v$, and `until_end` contains the vectors $U^{n-t} v$. Python counts steps from 0, so step $t$ of the formula has the index $t - 1$:

# %%
away = (np.arange(5) != HOME).astype(float)
unseen_move = dan.transition * away  # U: one move to a place without the sensor


def stretch_polynomial(start, unseen_move, n, ending):
    powers = [np.linalg.matrix_power(unseen_move, gap) for gap in range(n)]
    F = np.array([start @ powers[t] for t in range(n)])  # for k = 1
    until_end = [powers[n - 1 - t] @ ending for t in range(n)]
    coefficients = [F[-1] @ ending]  # k = 0: unseen, then seen
    for _ in range(n):
        coefficients.append(sum((F[t] * until_end[t]).max() for t in range(n)))
        earlier, F = F, np.zeros_like(F)
        for t in range(n):
            for u in range(t):
                F[t] += (earlier[u][:, None] * powers[t - u]).max(axis=0)
    return np.array(coefficients)


# %% [markdown]
# We test this function on two examples, and compare both with the enumeration in the table of largest means. (That table begins with $k = 1$. For $k = 0$ we add the probability of the sequence of bits.) In the first example, the sensor at Dan's home sees him in steps 1 and 4, and not in steps 2 and 3. These two sightings leave three stretches. The stretch before step 1 and the stretch after step 4 are empty, so their polynomials are the constants $\Pr[X_1 = \text{home}]$ and 1. Only the stretch between the sightings has steps. To include the two sightings, `np.convolve` multiplies its polynomial by $(1 + z)^2$. In the second example, Dan is never seen. Then a single stretch runs from the start of the path to its end:

# %%
between = stretch_polynomial(unseen_move[HOME], unseen_move, 2, dan.transition[:, HOME])
between *= dan.initial[HOME]  # the empty stretch before step 1
never_seen = stretch_polynomial(dan.initial * away, unseen_move, 4, np.ones(5))


def enumerated(seen):  # in 28ths, for k = 0 to 4
    return [sum(by_bits[seen].values()), *largest.loc[seen]]


examples = {
    "1 and 4, stretch": 28 * np.array([*between, 0, 0]),
    "1 and 4, with the sightings": 28 * np.convolve(between, [1, 2, 1]),  # (1 + z)²
    "1 and 4, enumerated": enumerated("1 and 4"),
    "never, recursion": 28 * never_seen,
    "never, enumerated": enumerated("never"),
}
table = pd.DataFrame(examples.values(), examples.keys()).round().astype(int)
table = table.add_prefix("k = ").rename_axis("seen in steps (in 28ths)")
plots.show_table(table, "stretch")

# %% tags=["hide-input"]
for k in (2, 3):
    column = largest[f"k = {k}"] / 28  # largest means, by enumeration
    of_never = (never_seen[k] - column["never"]) / binom(4, k)
    of_all = by_k.loc[4, f"k = {k}"] - column["sum"] / binom(4, k)
    print(f"bound for k = {k}, recursion minus enumeration: {of_all:.3f},", end=" ")
    print(f"from the sequence never seen {of_never:.3f}")

# %% [markdown]
# With sightings in steps 1 and 4, the recursion and the enumeration agree. They must agree, because only one path fits these bits, so only one place is possible in each step. If Dan is never seen, several paths fit, and each set of steps may take its places from a different path. The recursion can then exceed the enumeration: for $k = 2$ it gives 27/28, and the enumeration gives only 23/28. The lines below the table show that this sequence is the only reason why the bounds for $k = 2$ and $k = 3$ in the [table of Dan's bounds](fano-orders) exceed those of the enumeration.
#
# To see where the difference comes from, we repeat the recursion for $k = 2$ with the paths of the row *never*. For each step $t$ and each place in this step, we choose the best place separately for every earlier step $u$, and add up the weights of these pairs. For step $t$, the recursion then chooses the place for which this sum is largest. The table shows the sums, with a row for each step $t$ and a column for each place in it. The recursion adds up the largest entries of the rows:

# %%
never = by_bits["never"]  # {path: probability in 28ths}


def weight(u, place_u, t, place_t):  # Dan is at both places, in 28ths
    return sum(n for x, n in never.items() if x[u] == place_u and x[t] == place_t)


by_last_step = {}
for t in (1, 2, 3):  # steps count from 0
    by_place = {}
    for last in initials:
        best_weights = [max(weight(u, y, t, last) for y in initials) for u in range(t)]
        by_place[last] = sum(best_weights)  # each u has its own best y
    by_last_step[t + 1] = by_place
table = pd.DataFrame(by_last_step).T
of_guess = [weight(u, "EPES"[u], t, "EPES"[t]) for u, t in combinations(range(4), 2)]
print(f"recursion {table.max(axis=1).sum()}, guess EPES {sum(of_guess)}, in 28ths")
plots.show_table(table.rename_axis("last step (in 28ths)"), "last-steps")

# %% [markdown]
# {numref}`fig-fano-pairs` shows the places that the recursion chooses for each pair of steps, beside the guess EPES, which attains the 23/28 of the enumeration. If several places are equally good, the figure shows the place that EPES names, or else the first in the list of places. (For steps 1 and 4 the park would be as good as the station.)

# %% mystnb={"figure": {"name": "fig-fano-pairs", "caption": "Why the recursion exceeds every real guess: the places that it chooses for each pair of steps, if Dan is never seen (in 28ths). In step 1 it chooses elsewhere (E) for two pairs and the station (S) for the third. In steps 2 and 3, too, it does not choose the same place for all three pairs. A real guess must name one place in each step. The guess EPES attains 23, and the recursion adds up to 27. The last column shows the places that EPES names and its right pairs, in bold where they are fewer than those of the recursion."}, "image": {"alt": "A table with a row for each of the six pairs of steps. Coloured letters show the chosen places: E and P for steps 1 and 2, E and E for 1 and 3, S and E for 1 and 4, P and E for 2 and 3, E and E for 2 and 4, P and E for 3 and 4. The recursion has 4, 6, 3, 4, 6 and 4, in total 27. The guess EPES has 4, 6, 3, 4, 2 and 4, in total 23."}} tags=["hide-input"]
chosen_places = {}
for t in (1, 2, 3):
    options = []  # the pairs whose last step is t, for each place in step t
    for last in initials:
        of_last = {}
        for u in range(t):
            weights = {y: weight(u, y, t, last) for y in initials}
            best = max(initials, key=lambda y: (weights[y], y == "EPES"[u]))
            own = weight(u, "EPES"[u], t, "EPES"[t])
            of_last[u + 1, t + 1] = (best + last, weights[best], own)
        options.append(of_last)
    chosen_places |= max(options, key=lambda of: sum(n for _, n, _ in of.values()))
figures.show_pairs(chosen_places, "EPES")

# %% [markdown]
# We still have to add up the results for the $2^T$ sequences of bits. The polynomial of a stretch depends only on where the stretch begins and ends, so sequences of bits that share a stretch share its polynomial. Let $A_c(z)$ be the sum over all sequences of bits up to a sighting in step $c$, and let $A_0 = 1$ stand for the start of the path. Then
#
# $$A_c(z) = (1 + z) \sum_{b < c} A_b(z)\, S_{b,c}(z) ,$$
#
# where $S_{b,c}$ is the polynomial of the stretch from $b$ to $c$. The formula groups the sequences by the step $b$ of their last sighting before $c$. If there is no such sighting, $b = 0$. The stretch between the steps $b$ and $c$ contributes the factor $S_{b,c}$, and the sighting in step $c$ contributes $1 + z$. The sum over all sequences of bits is $\sum_b A_b(z)\, S_{b,\text{end}}(z)$. Its coefficients bound the largest means, and we divide them by $\binom{r}{k}$ as before. The computation therefore needs one recursion for each of about $T^2/2$ stretches, instead of one for each of $2^T$ sequences. The library's `moment_bound` carries out this computation, and {ref}`fano-all-stretches` asks you to program it for Dan.

# %% [markdown]
# (fano-noise)=
# ## How much protection does noise guarantee?
#
# A data holder who adds noise to the counts wants to know how much protection the noise guarantees. The moment bound of the last section takes no account of noise. It stays valid: every attack on noisy counts can also be carried out on exact counts, by adding the noise first. So no attack on noisy counts can succeed with a higher probability than the best attack on exact counts. But the moment bound does not fall as the noise grows. **Hypothesis testing** {cite:p}`hayes2023,kaissis2023` gives a bound that does. (An improved form of the tight bound will give another.) For the bound from hypothesis tests we need only three numbers: how many counts there are, the standard deviation of their independent normal noise, and an upper bound on $Q$, the best success without counts.
#
# (fano-two-places)=
# ### Two places and one noisy count
#
# Suppose that Dan is at home or at the office, each with probability 1/2. A sensor at home publishes one bit, which is 1 if Dan is there and 0 otherwise, plus normal noise of standard deviation $\sigma$. The best attacker guesses "home" if the noisy bit is above 1/2. This guess is right unless the noise exceeds 1/2 in the wrong direction. So the best possible success is $\Phi(1 / (2 \sigma))$, where $\Phi$ is the distribution function of the standard normal distribution. We check this formula by simulation:

# %%
from scipy.stats import norm

rng = np.random.default_rng(seed)
home = rng.integers(0, 2, 100_000)
for sigma in (0.5, 1.0, 3.0):
    says_home = home + rng.normal(scale=sigma, size=home.size) > 0.5
    simulated, formula = (says_home == home).mean(), norm.cdf(1 / (2 * sigma))
    print(f"σ = {sigma}: simulated {simulated:.3f}, by formula {formula:.3f}")

# %% [markdown]
# (fano-worlds)=
# ### The attacker as a test
#
# For longer paths we cannot compute the success of the best attacker. Instead we compare the real world with an imaginary one in which the counts are useless. In this **reference world**, the attacker receives fixed numbers plus noise, and these numbers have nothing to do with the target's path. Such an attacker merely chooses at random among guesses that do not depend on the path. The mean success of these guesses cannot exceed the success of the best one. So every attacker in the reference world succeeds with probability at most $Q$.
#
# To bound what the attacker gains from the real counts, fix a path $x$ of the target. We say that the attacker *accepts* $x$ if the guess differs from $x$ in at most $s$ steps. Every attacker therefore performs a test between two distributions of the counts: the distribution in the reference world, and the distribution that $x$ produces in the real world. The false positive rate of this test is the probability that the attacker accepts $x$ in the reference world. The true positive rate is the probability that the attacker accepts $x$ in the real world if the target takes the path $x$. Averaged over the target's paths, these two rates are the probabilities of success in the two worlds.
#
# In the [example with two places](fano-two-places), let $x$ be *home*, so that the attacker accepts $x$ by guessing "home". In the reference world the count could be 1/2 plus noise, wherever Dan is. The noisy count is then above 1/2 with probability 1/2, so the false positive rate is $q = 1/2$. In the real world, if Dan is at home, the count is 1 plus noise. The attacker then accepts with probability $\Phi(1 / (2\sigma))$, which is the true positive rate. For $\sigma = 1$ the output above shows 0.691. For the given false positive rate, the true positive rate depends only on the distance between the two means, 1/2 and 1, measured in standard deviations of the noise. This distance is $1 / (2\sigma)$.
#
# The **Neyman-Pearson lemma** says which test is best: the test that compares the likelihood ratio of the counts with a threshold. No other test with the same false positive rate has a larger true positive rate. (We will meet this lemma again in a later chapter on membership inference, where we also prove it; see {prf:ref}`thm-neyman-pearson`.)
#
# In our case both distributions are normal, and each of the $T$ counts has standard deviation $\sigma$. Only the means of the two distributions differ. Let $m_0$ and $m_1$ be the two vectors of means, and $y$ the vector of counts. The squares of $y$ cancel in the ratio of the two densities, so the logarithm of the likelihood ratio is
#
# $$ \log \frac{f_1(y)}{f_0(y)} = \frac{\lVert y - m_0 \rVert^2 - \lVert y - m_1 \rVert^2}{2 \sigma^2} = \frac{(m_1 - m_0) \cdot y}{\sigma^2} + \text{a constant} . $$
#
# It depends only on where the counts lie along the line through the two means. So a test with $T$ counts is equivalent to a test with one number that has normal noise. Let $\mu$ be the Euclidean distance between the two means, divided by $\sigma$. Then the best test with false positive rate $q$ has the true positive rate
#
# $$ G(q, \mu) = \Phi\big(\Phi^{-1}(q) + \mu\big) . $$
#
# The distance $\mu$ depends on the fixed numbers in the reference world, which we call the *reference*. In the literature, the reference is a release without the target, in which every bit is 0. We call it the *absent* reference. If the target is seen in $j$ steps, the real bits differ from this reference by 1 in $j$ counts. The Euclidean distance is the root of the sum of squares, so $\mu = \sqrt{j} / \sigma$, which is at most $\sqrt{T} / \sigma$.
#
# We may choose a better reference. In the *halfway* reference, every bit is **1/2**. Each real bit, whether 0 or 1, then differs from the reference by exactly 1/2, so $\mu = \sqrt{T} / (2 \sigma)$ for every path. No sensor can count half a person, but the reference need not be a possible release. It only has to be independent of the target. For every other constant, the largest distance over all paths is larger ({ref}`fano-half`).
#
# {numref}`fig-fano-worlds` shows both references for the simulated person, with ten counts and $\sigma = 3$. The threshold is the same in both panels. We choose it so that the false positive rate is $q = 0.137$, our upper bound on $Q$. The closer the two worlds are, the less the true positive rate $G$ exceeds $q$.

# %% mystnb={"figure": {"name": "fig-fano-worlds", "caption": "The attacker as a test between two worlds, for ten counts with noise of σ = 3: with the halfway reference the distance μ between the two worlds (black double arrow) is half as large as with the absent reference, so G is smaller for the same q. The best test accepts a path if the counts lie to the right of the threshold (dotted line). The hatched area q is its false positive rate, under the density of the reference world (dashed). The whole blue area G, with its hatched part, is its true positive rate, under the density of the real world (solid). No attacker with the false positive rate q has a larger true positive rate. The small diagrams show the possible bits, 0 and 1, and how far they are from the reference (open circle). Positions are measured from the reference world, so it stands at 0 in both panels. The absent reference is drawn for a target who is seen in all ten steps."}, "image": {"alt": "Two panels, each with two normal densities of the same width and a vertical threshold at 1.09. In the upper panel, halfway, the densities are 0.53 apart and G is 0.285. In the lower panel, absent, they are 1.05 apart and G is 0.484. The hatched area q is 0.137 in both. A double arrow between the peaks shows the distance. Small diagrams show arrows from the reference to the bits: from ½ to 0 and to 1, and from 0 to 1."}} tags=["hide-input"]
both_references = {"halfway": np.sqrt(10) / (2 * 3), "absent": np.sqrt(10) / 3}
figures.show_worlds(Q_bound, both_references)

# %% [markdown]
# ````{prf:theorem} Bound from hypothesis tests
# :label: thm-fano-hypothesis
# Suppose that each of $T$ counts is the sum of a bit, which is 1 if the target is at the sensor and 0 otherwise, and of independent normal noise of standard deviation $\sigma$. For every guess based on these counts, and for all sensors,
#
# $$\Pr[d(X, \hat X) \le s] \;\le\; G\Big(Q, \tfrac{\sqrt T}{2 \sigma}\Big) \;\le\; G\Big(Q, \tfrac{\sqrt T}{\sigma}\Big) .$$
#
# Here $d$ is the number of wrong steps ({prf:ref}`def-fano-loss`). The first bound comes from the halfway reference, and the second bound from the absent reference. The second is the bound of {cite:t}`hayes2023` for this release. (If a count also includes people whose places the attacker knows, the theorem holds after the attacker has subtracted them.)
# ````
#
# ````{prf:proof}
# For a path $x$, let $q_x$ be the probability in the reference world that the guess is within $s$ errors of $x$. By the Neyman-Pearson lemma, the corresponding probability in the real world is at most $G(q_x, \mu)$. Now we average over the target's path $X$. With $w = \Phi^{-1}(q)$, the slope of $G$ in its first argument is $\varphi(w + \mu) / \varphi(w) = e^{-w \mu - \mu^2 / 2}$, where $\varphi$ is the standard normal density. This slope falls as $q$ rises, because $w$ rises with $q$. Therefore $G$ is concave in $q$, and the average of $G(q_X, \mu)$ is at most $G(\mathbb{E}[q_X], \mu)$. In the reference world the guess is independent of the path. So $\mathbb{E}[q_X]$ is the probability of success in the reference world, and it is at most $Q$. Both inequalities of the theorem now follow, because $G$ increases in both arguments.
# ````
#
# Note that only the average of the $q_x$ is at most $Q$. For a single path, $q_x$ may be larger than $Q$, and the $q_x$ of all paths need not add up to 1, because a guess can be within $s$ errors of several paths.
#
# For two places and one count we have $Q = 1/2$, so $\Phi^{-1}(Q) = 0$. The bound with the halfway reference is then $\Phi(1 / (2\sigma))$, which is exactly the success of the best attack. With the absent reference, which is used in the literature, the bound is $\Phi(1 / \sigma)$, which is higher than necessary.
#
# For the simulated person with ten places, $Q$ is at most 0.137, as we showed in the last section. With this number, the bound is one line of code. It can also be computed by hand with a table of the normal distribution, in which $\Phi^{-1}(0.137) \approx -1.094$. For $\sigma = 3$ the two references give the two values of $G$ in {numref}`fig-fano-worlds`. For $\sigma = 10$ they give more similar bounds, because both distances are small:

# %%
of_references = {}
for sigma in (3.0, 10.0):
    for reference, change in (("halfway", 1 / 2), ("absent", 1)):
        mu = np.sqrt(n_steps) * change / sigma
        of_references[f"{sigma:g}, {reference}"] = {
            "distance μ": mu,
            "Φ⁻¹(Q) + μ": norm.ppf(Q_bound) + mu,
            "bound G(Q, μ)": norm.cdf(norm.ppf(Q_bound) + mu),
            "library": rec.hypothesis_bound(walker, n_steps, n_wrong, sigma, reference),
        }
print(f"Φ⁻¹({Q_bound:.3f}) = {norm.ppf(Q_bound):.3f}")
table = pd.DataFrame(of_references).T.round(3).rename_axis("σ, reference")
plots.show_table(table, "references")

# %% [markdown]
# ### Which of five bounds is smallest?
#
# We compare five bounds for the simulated person, with ten and with a hundred places.
#
# | bound | where it comes from | falls as the noise grows | depends on the sensors | what it uses for $Q$ |
# |---|---|---|---|---|
# | *tight* | the tight bound of the paper | yes, if it is below 1 | yes | the right side of the paper's Eq. 5, shown below |
# | *improved tight* | the tight bound with the [full inequality](fano-tight-proof), and with the exact information of each noisy count on its own | yes, if it is below 1 | yes | the moment bound without counts |
# | *moment* | the moment bound for exact counts | no, but it remains valid | yes | does not need $Q$ |
# | *test, halfway* (the *halfway test*) | the bound from hypothesis tests with the halfway reference | yes, but it may be close to 1 under weak noise | no | the moment bound without counts |
# | *test, absent* (the *absent test*) | the same with the absent reference | yes, but it may be close to 1 under weak noise | no | the moment bound without counts |
#
# The improved tight bound is the only one of the five that we have not computed yet. It uses the full inequality, which compares two probabilities of success. The first is $p$, the probability in the real world, and the second, at most $Q$, is the probability in a world in which counts and path are independent. The inequality says that the difference between the two is limited by the information $I$:
#
# $$ p \log \frac{p}{Q} + (1 - p) \log \frac{1 - p}{1 - Q} \;\le\; I \qquad \text{if } p \ge Q . $$
#
# [An exercise](fano-tight-proof) of the last chapter gives the proof. The paper's tight bound drops one term of this inequality, $(1 - p) \log \frac{1}{1 - Q}$, which is never negative. What remains is $p \log \frac1Q - h(p) \le I$, where $h(p) = -p \log p - (1 - p) \log (1 - p)$. For $Q$, the paper uses an upper bound, the right side of its Eq. 5:
#
# $$ Q \;\le\; \sum_{i = 0}^{s} \binom{T}{i} \, q_{T - i}, $$
#
# where $q_j$ is the largest probability, over all choices of $j$ steps and of one place for each of them, that the target is at these places in these steps. In the improved tight bound, the moment bound without counts takes the place of this sum. The bound that we want is the largest $p$ that the full inequality allows. For $p \ge Q$ the left side grows with $p$, so we only have to find the $p$ at which both sides are equal.
#
# In the code, the argument `"exact"` asks for the mutual information itself instead of the paper's upper bound on it. Under noise, the library computes the information in each noisy count on its own, and adds these values up. The sum is never smaller than the information $I$ in all noisy counts, that is, $I(X; Y_1, \dots, Y_T) \le \sum_t I(X; Y_t)$, because the counts are independent given the path. If two counts reveal the same thing, the sum counts it twice, so it can only be too large. If the exact counts together carry less information than this sum, the library uses their information instead, because noise cannot add information:

# %%
from scipy.optimize import brentq
from scipy.special import rel_entr  # x log(x / y)


def largest_allowed(information, Q):
    def excess(p):
        return rel_entr(p, Q) + rel_entr(1 - p, 1 - Q) - information

    return 1.0 if excess(1.0) <= 0 else brentq(excess, Q, 1.0, xtol=1e-15)


for sigma in (1.0, 10.0):
    information = rec.mutual_information(walker, sensors, sigma, "exact").mean()
    allowed = largest_allowed(information, Q_bound)
    print(f"σ = {sigma:g}: information {information:.2g} nats, bound {allowed:.2f}")

# %% [markdown]
# The [example with two places](fano-two-places) shows how the three kinds of bounds differ. There, $Q$ is 1/2, and with $\sigma = 1$ the best attack succeeds with probability 0.691:

# %%
two_places = rec.MarkovChain(np.full(2, 1 / 2), np.full((2, 2), 1 / 2))
at_home = [0]  # one count, at the first place
information = float(rec.mutual_information(two_places, at_home, 1.0, "exact"))
print(f"moment bound {rec.moment_bound(two_places, at_home, 0):.3f}")
print(f"full inequality {largest_allowed(information, 1 / 2):.3f}", end=", ")
print(f"with the information {information:.3f} nats")
print(f"halfway test {norm.cdf(norm.ppf(1 / 2) + 1 / 2):.3f}")

# %% [markdown]
# The moment bound is 1, because one exact count would reveal the place, and this bound ignores the noise. The full inequality takes the noise into account, but only through the information that it leaves in the count. It gives 0.732. The halfway test uses the whole distribution of the noise and gives 0.691, the success of the best attack.
#
# We also want to know how far the bounds are above the best attack that we know. There are three kinds of candidates for this attack:
#
# - *Guesses that ignore the counts.* One is the maximum a priori guess. The other is the best constant guess, that is, the best guess that names the same place in every step. We use the better of the two, and compute its success exactly.
# - *Attacks on rounded counts.* The attacker rounds each noisy count to 0 or 1, and then uses MAP or the posterior modes, whichever succeeds more often with exact counts. All $T$ rounded bits are right with probability $\Phi(1/(2\sigma))^T$. This probability times the success under exact counts is a lower bound on the success of this attacker.
# - *Attacks on noisy counts.* The attacker uses MAP or the posterior modes with the noisy counts themselves. We can only estimate the success by simulation, so we count one of these attacks as the best attack only if it is significantly better than the other candidates.
#
# The lower bound for rounded counts is a product of two numbers. For each sequence of sensors with ten places, we take the attack that succeeds more often with exact counts:

# %%
attacks = ("viterbi", "marginal")
with_exact = [
    max(rec.exact_loss(walker, sequence, n_wrong, attack) for attack in attacks)
    for sequence in sensors
]
for sigma in (0.1, 0.3, 1.0):
    all_bits_right = norm.cdf(1 / (2 * sigma)) ** n_steps
    at_least = all_bits_right * np.mean(with_exact)
    print(f"σ = {sigma}: all bits right {all_bits_right:.3f}, success ≥ {at_least:.3f}")

# %% [markdown]
# With ten places, the two guesses that ignore the counts are the same. Both name place 1, at one end of the line, in every step. This guess is slightly better than the guess that names place 2 in every step, which has the largest mean number of right pairs [of all constant guesses](fano-gap):

# %%
without_counts = {
    "maximum a priori": rec.prior_trajectory(walker, n_steps),
    "best constant": rec.constant_trajectory(walker, n_steps, n_wrong),
    "second place": np.full(n_steps, 1),  # places count from 0
}
for name, guess in without_counts.items():
    success = rec.guess_loss(walker, guess, n_wrong)
    print(f"{name}: places {guess + 1}, success {success:.4f}")

# %% [markdown]
# For each map, each $\sigma$ and each sequence of sensors, the library computes the attacks, both tests and the paper's tight bound. The success of the attacks on noisy counts is estimated from `n_runs` simulated paths:

# %%
sigmas = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0]
larger_map = max([m for m in map_sizes if m <= 100], default=map_sizes[0])
two_maps = person | {"map_sizes": sorted({map_sizes[0], larger_map})}
compared = fano.noise_comparison(
    sigmas, n_sequences=n_sequences, n_runs=4000, **two_maps
).rename(columns={"moments": "moment_bound under noise"})

# %% [markdown]
# We add the improved tight bound for each sequence of sensors. The moment bounds for exact counts are those of [the section above](fano-gap). There is one table for each map, with a row for each $\sigma$:
#
# - *best attack* is the success of the best attack that we know, and *attack uses* says what this attack uses. If it uses *rounded counts*, the column *best attack* shows our lower bound on its success.
# - The next three columns show the bounds. Square brackets contain 95% intervals, and a star marks the smallest of the five bounds in each row except the last. The tight bound and the absent test are never the smallest, so they are only in the folded table below.
# - *smallest / attack* divides this smallest bound by the success of the best attack. In the rows with rounded counts, the smallest bound may be closer to the attack than this quotient says.
# - The last row, *no counts*, is for an attacker who receives no counts at all. The improved tight bound and the halfway test approach our upper bound on $Q$, the moment bound without counts, as the noise grows. In their columns, the last row shows this upper bound. The moment bound for exact counts ignores the noise and does not approach it.


# %%
def bound_on_Q(m):
    return rec.moment_ball(rec.distance_chain(m, tau), n_epochs, allowed_errors)


def information_bounds(m, sigma):  # upper bounds, one for each sequence
    of_map = fano.sample_sensors(seed, m, n_epochs, n_sequences)
    return rec.mutual_information(rec.distance_chain(m, tau), of_map, sigma, "exact")


parts = []
for (m, sigma), of_both in compared.groupby(["M", "σ"]):
    Q_bound_m, nats_each = bound_on_Q(m), information_bounds(m, sigma)
    improved = [largest_allowed(nats, Q_bound_m) for nats in nats_each]
    exact = sweep.loc[sweep["M"] == m, "moments"].to_numpy()
    parts.append(of_both.assign(moments=exact, improved=improved, Q=Q_bound_m))
five_bounds = pd.concat(parts)
table = figures.comparison_table(five_bounds)
plots.show_parts(table.drop(columns=["tight", "test, absent"]), "smallest-bounds")

# %% tags=["hide-input", "hide-output"]
plots.show_parts(
    table.drop(columns=["attack uses", "smallest / attack"]), "five-bounds"
)

# %% [markdown]
# In the three rows with ten places and $\sigma \ge 3$, the best attack that we know ignores the counts. Neither of the two attacks on noisy counts is significantly better than this guess. The posterior modes even succeed less often, although they use the counts. This can happen because they maximise the mean number of right steps, and not the probability of five right steps:

# %% tags=["hide-input"]
for sigma, each in compared.query("M == @map_sizes[0] and σ >= 3").groupby("σ"):
    print(f"{map_sizes[0]} places, σ = {sigma:g}:", end=" ")
    for name, words in (("MAP", "MAP"), ("marginal", "posterior modes")):
        low, high = metrics.mean_interval(each[name].to_numpy())
        print(f"{words} {each[name].mean():.3f} [{low:.3f}, {high:.3f}]", end="  ")
    print(f"without counts {each['no count'].mean():.3f}")

# %% [markdown]
# As a check of the library, the folded cell repeats its computation for the smallest map and $\sigma = 3$ with the formulas of this page, and compares the means over the sequences of sensors. For noisy counts, the library's `moment_bound` returns the smaller of the moment bound and the improved tight bound for each sequence. The line below the table confirms this for both maps and all noise levels:

# %% tags=["hide-input"]
m, sigma = map_sizes[0], 3.0
person_on_map, Q_bound_m = rec.distance_chain(m, tau), bound_on_Q(m)
on_map = fano.sample_sensors(seed, m, n_epochs, n_sequences)
improved = [largest_allowed(nats, Q_bound_m) for nats in information_bounds(m, sigma)]
moments = [rec.moment_bound(person_on_map, row, allowed_errors) for row in on_map]
mu = np.sqrt(n_epochs) / (2 * sigma)  # with the halfway reference
guesses_of_map = (
    rec.prior_trajectory(person_on_map, n_epochs),
    rec.constant_trajectory(person_on_map, n_epochs, allowed_errors),
)
without = [rec.guess_loss(person_on_map, x, allowed_errors) for x in guesses_of_map]
all_bits_right = norm.cdf(1 / (2 * sigma)) ** n_epochs
with_bits = sweep.loc[sweep["M"] == m, ["MAP", "marginal"]].max(axis=1)
computed = {
    "moment_bound under noise": np.minimum(moments, improved).mean(),
    "halfway": norm.cdf(norm.ppf(Q_bound_m) + mu),
    "absent": norm.cdf(norm.ppf(Q_bound_m) + 2 * mu),
    "rounded": all_bits_right * with_bits.mean(),
    "no count": max(without),
}
library = compared[(compared["M"] == m) & (compared["σ"] == sigma)].mean()
one_row = pd.DataFrame({"computed here": computed, "library": library[[*computed]]})
plots.show_table(one_row.rename_axis("column in the code"), "one-row")
smaller = five_bounds[["moments", "improved"]].min(axis=1)
agrees = np.allclose(smaller, compared["moment_bound under noise"])
print("moment_bound is the smaller of moment and improved tight:", agrees)

# %% mystnb={"figure": {"name": "fig-fano-noise-bounds", "caption": "Bounds on the success of any attacker on the simulated person against the noise, for five of ten steps right: no bound is the smallest at every level of noise. Under weak noise the moment bound is the smallest, and it does not fall. With ten places the improved tight bound is the smallest for σ of 1 or more, and under strong noise the halfway test is hardly above it. With a hundred places the halfway test is the smallest for σ of 10 or more. The yellow band follows the smallest bound. The black line is the success of the best attack that we know, and the area below it is grey. The best possible success lies in the pale area between line and band, but we do not know where. The numbers above each horizontal axis are the smallest bound divided by the success of the best attack. The thin dotted line is our bound on Q, the best success without counts. The tight bound and the absent test are left out, because they are never below the improved tight bound and the halfway test. The curves that depend on the sensors are means over twenty sequences of sensors. Where the best attack uses rounded counts, its curve is a lower bound on its success."}, "image": {"alt": "Two panels with logarithmic axes, ten and a hundred places: probability of success against the standard deviation of the noise. A yellow band follows the smallest bound, and a pale area reaches from it down to the best attack. The moment bound is level in both. With ten places the improved tight bound and the halfway test fall together from 1 towards a dotted line at 0.14. With a hundred places the improved tight bound falls slowly from 0.07, and the halfway test falls from 1 to below the moment bound, towards a dotted line at 0.00002. A black line, grey below, shows the best attack. A row of numbers above each axis says that the smallest bound is 2.1 to 5.2 times as high as the best attack with ten places, and 1.9 to 7.6 times with a hundred."}} tags=["hide-input"]
figures.show_comparison(five_bounds)

# %% [markdown]
# ```{admonition} If you take the short route
# :class: note
# The *improved tight bound* in the figure is the tight bound of the last chapter, computed with a more precise inequality, with the information in each noisy count, and with a smaller upper bound on $Q$. The *best attack* is the most successful of the attacks that we tried. They include guesses that ignore the counts.
# ```
#
# **All five bounds hold at once. So compute the moment bound, the improved tight bound and the halfway test, and take the smallest of the three. On our two maps the moment bound is smallest under weak noise. Under strong noise the halfway test is smallest with a hundred places, and the improved tight bound is smallest with ten.** Here, strong noise means $\sigma \ge 10$ with a hundred places, and $\sigma \ge 1$ with ten places. We computed no other maps. For other maps we can only advise you to compute all three bounds and to take the smallest. The other two bounds cannot be the smallest: the absent test is never below the halfway test ({prf:ref}`thm-fano-hypothesis`), and, as we show below, the tight bound is never below the improved tight bound. All these comparisons use our upper bounds on $Q$. With a better bound on $Q$, the order could change.
#
# - *Ten places.* The tight bound is 1 at all six noise levels, and the moment bound stays at 0.694. For $\sigma \ge 1$ the improved tight bound is the smallest, and the halfway test comes closer to it as the noise grows. At $\sigma = 10$ the improved tight bound is 0.170 and the halfway test gives 0.175. The absent test, which is the bound in the literature, gives 0.218, as computed above.
# - *A hundred places.* Up to $\sigma = 3$ the moment bound is the smallest. At $\sigma = 10$ the halfway test gives less than half of the moment bound, and the improved tight bound is far above the halfway test.
#
# The order of the bounds depends on the noise and the map, because the bounds take different things into account.
#
# - The moment bound takes the sensors and the exact counts into account, but it ignores the noise.
# - The two hypothesis tests take the noise into account, but they ignore the sensors: they assume that every single count carries information about the target. On a large map, a random sensor seldom meets the target. With weak noise on a large map, this assumption therefore makes the two bounds far too high.
# - The improved tight bound takes the noise and the sensors into account, but only through one number, the information. So, like the tight bound, it must hold for counts that say everything in a few cases and nothing in all others.
#
# How much does this last requirement cost? Suppose, for example, that $Q$ is 1/100, that the path has an entropy of 10 nats, and that the counts carry 1/10 nat. Counts that reveal the whole path with probability 1/100, and otherwise nothing, carry this information. With them, the success is almost 2/100, about twice $Q$.
#
# We repeat this calculation for the simulated person. Let $H$ be the entropy of the path. Counts that reveal the whole path with a small probability $\delta$, and otherwise nothing, carry the information $\delta H$. We choose $\delta$ so that $\delta H$ equals the information that the improved tight bound uses, averaged over the sequences of sensors. The success under such counts is $\delta + (1 - \delta) Q$. We do not know $Q$, so we insert our bound on $Q$ and obtain an upper bound on this success. The output shows this upper bound and the improved tight bound, both as multiples of our bound on $Q$:

# %%
for m, sigma in ((map_sizes[0], 10.0), (larger_map, 1.0)):
    Q_bound_m = bound_on_Q(m)
    entropy = rec.distance_chain(m, tau).entropy(n_epochs)
    delta = information_bounds(m, sigma).mean() / entropy
    at_most = delta + (1 - delta) * Q_bound_m
    allowed = five_bounds.query("M == @m and σ == @sigma")["improved"].mean()
    print(f"{m} places, σ = {sigma:g}: δ = {delta:.2g},", end=" ")
    print(f"success at most {at_most / Q_bound_m:.4g} times our bound on Q,", end=" ")
    print(f"improved tight bound {allowed / Q_bound_m:.3g} times")

# %% [markdown]
# With ten places, $Q$ is between 0.056 and 0.137. A few cases in which the whole path is revealed then add little to the success: for $\sigma = 10$ the success under such counts is at most 1.002 times our bound on $Q$. We think that this is why the improved tight bound does well with ten places under strong noise. (Under weak noise it is 1 and says nothing.)
#
# With a hundred places, $Q$ is tiny, so a few cases in which the whole path is revealed may account for most of the success. For $\sigma = 1$ the probability $\delta$ is only 0.0013, but the success under such counts may be as high as 62 times our bound on $Q$. The improved tight bound must allow for such counts, and at every noise level it is more than three times the smallest bound.
#
# This example explains only part of the distance: for $\sigma = 1$ and a hundred places, the improved tight bound is 457 times our bound on $Q$, and the counts of the example account for a factor of at most 62. One reason for the difference is that the bound must also allow for counts from which an attacker gains more with the same amount of information. The attacker does not need the whole path, because five right steps are enough. To reveal only five steps takes less information than to reveal the whole path. With the same total information $I$, the counts could therefore reveal five steps with a higher probability than $\delta$.
#
# The improved tight bound replaces three ingredients of the tight bound: the information, the inequality and the bound on $Q$. None of the three replacements can raise the bound, so the improved tight bound is never above the tight bound. The exact information in each noisy count is at most the paper's upper bound on it, and the full inequality keeps a term that the paper drops and that is never negative. The new upper bound on $Q$ needs a longer argument. The moment bound without counts is the smallest of $r$ bounds, one for each $k$. Consider the bound for $k = r$. It divides the mean by $\binom{r}{r} = 1$. The mean is a sum over the $\binom{T}{s}$ sets of $r = T - s$ steps. Each term is the probability that the target is at certain places in these steps, so it is at most $q_{T-s}$. The recursion stays below the same limit, because in it, too, each set adds the probability of certain places in its steps. So the bound is at most $\binom{T}{s}\, q_{T-s}$, the last term of the sum in [Eq. 5](fano-bounds). The folded table of the five bounds shows by how much the three replacements together lower the tight bound. In every row in which the improved tight bound is below 1, it is strictly below the tight bound.
#
# The column *smallest / attack* in the table of each map shows how much remains unknown. **Under exact counts, the moment bound was within a factor of three of the better attack. Under medium noise, the smallest bound and the best attack are farther apart.** The quotient is largest at $\sigma = 1$ with ten places, where it is 5.2, and at $\sigma = 1$ and 3 with a hundred places, where it is 7.6. We do not know whether the bounds are too high or the attacks too weak.
#
# ### Why do the bounds stop falling?
#
# With ten places, the improved tight bound and both tests fall towards 0.137 instead of 0. The last row of each table, *no counts*, shows the reason. An attacker without counts still succeeds with probability $Q$, so no valid bound can fall below $Q$, however strong the noise is. We do not know $Q$ exactly, and our bounds cannot fall below 0.137, our upper bound on $Q$.
#
# Under strong noise, part of the gap between the smallest bound and the best attack is due to our uncertainty about $Q$. With ten places, the best guess without counts that we know has a success of 0.056, so $Q$ is between 0.056 and 0.137. At $\sigma = 10$ the smallest bound is 0.170, so most of the gap lies between these two limits. The rest of the gap, above 0.137, vanishes as the noise grows.
#
# With a hundred places, the ratio of each of the two tests to our bound on $Q$ falls towards 1 more slowly. At $\sigma = 10$ the halfway test still gives $4.07 \cdot 10^{-5}$, about twice the bound on $Q$. Suppose that $Q$ were as small as the success of the best guess without counts that we know, $1.26 \cdot 10^{-5}$ instead of $2.08 \cdot 10^{-5}$. We compute the halfway test with this smaller value:

# %%
least_Q = compared.loc[compared["M"] == larger_map, "no count"].iloc[0]
smaller_G = norm.cdf(norm.ppf(least_Q) + np.sqrt(n_epochs) / (2 * 10))
print(f"{larger_map} places, σ = 10, Q = {least_Q:.3g}: halfway test {smaller_G:.3g}")

# %% [markdown]
# The bound on $Q$ and the halfway test would both fall by almost two fifths. So an error in the bound on $Q$ carries over to the halfway test almost in proportion.
#
# ```{note}
# - The best possible success lies between the success of the best attack that we know and the smallest of the five bounds. We do not know where in this range it lies.
# - In some rows, the best attack that we know is a guess that ignores the counts. These are the four rows with a hundred places and $\sigma \ge 1$, and the three rows with ten places and $\sigma \ge 3$. An attacker who uses the counts may do better. With a hundred places, five right steps are too rare to be simulated. With ten places, neither simulated attack is significantly better than this guess, as the output below the tables shows.
# - The halfway reference is ours. The proof of its bound uses the same argument as the proof for the absent reference, but we have not found this reference in the literature.
# - Both bounds from hypothesis tests hold for any sensors. Wherever a sensor stands, its count is never farther from the reference than the bound assumes. Both bounds hold even for sensors that react to the counts, as in the [next section](fano-adaptive). For the halfway reference the reason is as follows. Whichever sensor is chosen, its bit differs from the reference by exactly 1/2. So, given the earlier counts, each new count adds a term to the log-likelihood ratio, and the distribution of this term is the same as for fixed sensors. The bound with the absent reference then holds, too, because it is never smaller than the bound with the halfway reference.
# - The moment bound, and our computation of the information in the two tight bounds, assume that the sensors are fixed in advance.
# ```

# %% [markdown]
# (fano-adaptive)=
# ## What if sensors choose where to look?
#
# In the paper, sensors do not react to the counts. The paper leaves **adaptive sensors**, which do react to them, to future work. Imagine an operator who wants to track the target. In each step, the operator switches on the sensor whose bit is expected to be most informative. According to {numref}`fig-fano-bit`, a sensor is most informative if the probability that the target is at its place is closest to 1/2. This strategy is *greedy*, because it considers only the next bit. After each bit, the operator rules out the places that contradict it, and then uses the mobility model to predict where the target is in the next step.
#
# Suppose that Dan walks from the station to his home, then to the office, and back to the station. Each line of the output shows where the operator's sensor is, whether it sees Dan, and how probable each place is in the next step:

# %%
belief = dan.initial
for place in [1, 0, 2, 1]:  # where Dan is
    sensor = np.abs(belief[:4] - 0.5).argmin()  # elsewhere has no sensor
    agrees = (np.arange(5) == sensor) == (place == sensor)
    print(f"{places[sensor]}: {'seen' if place == sensor else 'not seen'},", end=" ")
    posterior = belief * agrees / (belief * agrees).sum()
    belief = posterior @ dan.transition  # one step later
    print("next", {places[x]: f"{belief[x]:.2f}" for x in belief.nonzero()[0]})

# %% [markdown]
# The sensors saw Dan in the first two steps. In the last two steps, the attacker knew where he was without seeing him, because his diary allows only one continuation. In these two steps no sensor could add any information. All sensors were equally good, and the code took the sensor at home, the first place in its list.
#
# We now simulate runs of the simulated person on small maps, once with greedy and once with random sensors. The counts are exact. With exact counts, the information is the entropy of the bits. The places of random sensors do not depend on the counts, so the entropy can be computed exactly for given places. The table shows its mean over the places drawn in the first 200 runs. For greedy sensors, we estimate the information from all runs. By the chain rule, the entropy of all bits is a sum over the steps: each step adds the entropy of its bit, given the earlier bits. The earlier bits also determine where the greedy sensor stands. So in each run, we add up the entropies of the bits, each computed just before the bit is revealed, and then we take the mean over the runs.
#
# Greedy sensors differ from random ones in two ways: they react to the counts, and they use the mobility model to choose good places. To distinguish these two effects, we add sensors with a *schedule*. A schedule also uses the mobility model, but it is fixed in advance. We choose its places one step after another. In each step, we take the place whose count adds the most information to that of the earlier counts, averaged over the values that those counts can take. For a schedule, the information and the success of MAP can be computed exactly, so its rows in the table have no intervals. The counts have no noise here, so the argument `"exact"` asks for the information in all counts together.


# %%
def schedule(chain):
    places_so_far = []
    for _ in range(n_epochs):
        longer = [[*places_so_far, place] for place in range(chain.n_locations)]
        information = rec.mutual_information(chain, longer, information="exact")
        places_so_far.append(int(information.argmax()))
    return places_so_far, information.max()


small_maps = [m for m in map_sizes if m <= 50] or map_sizes[:1]
adaptive = fano.adaptive(
    ["simulated"], map_sizes=small_maps, n_runs=n_adaptive, **person
)
table = figures.adaptive_table(adaptive).drop(columns="tight bound")
for m in small_maps:
    chain = rec.distance_chain(m, tau)
    fixed, information = schedule(chain)
    success = rec.exact_loss(chain, fixed, allowed_errors, "viterbi")
    table.loc[(m, "schedule"), :] = [f"{information:.2f}", f"{success:.3f}"]
order = [(m, kind) for m in small_maps for kind in ("random", "schedule", "greedy")]
plots.show_table(figures.one_level(table.loc[order]), "adaptive")

# %% [markdown]
# **On every map, the attacker learns more from greedy sensors than from the schedule. On the two smaller maps, MAP also succeeds more often with greedy sensors.** With 50 places, success is too rare for a conclusion.
#
# Part of what greedy sensors gain over random ones comes simply from standing at good places. With ten places, the information is 3.02 nats with random sensors, 3.35 with the schedule and 4.44 with greedy sensors. So the good places of this schedule account for about a quarter of the information that greedy sensors gain over random ones. The rest comes from reacting to the counts, or from still better places that a better schedule would find. With 50 places, the schedule alone accounts for about half of the gain in information. With the schedule, MAP succeeds about as often as with random sensors.
#
# A sensor that reacts to its counts works as a tracking device. If you publish counts from moving sensors, state how their places are chosen. The moment bound of this chapter is proved only for sensors whose places do not depend on the counts. The same is true of the way in which we compute the information $I$ in the tight bounds. (The inequality behind these bounds holds for all counts that carry the information $I$, whether or not the sensors are fixed in advance.)
#
# ```{note}
# - The intervals show the variation over runs. Each run draws a new path and new sensors. In the section on the moment bound, only the sensors are drawn at random, and the success for given sensors is exact. For this reason the success of MAP with ten places differs slightly between the two sections.
# - The [replication](fano-replicated-adaptive) repeats the comparison of random and greedy sensors with five thousand runs.
# ```

# %% [markdown]
# (fano-unseen)=
# ## How many days of data does a mobility model need?
#
# Almost every number in these two chapters depends on the mobility model. Dan's diary has only seven moves, but there are 25 pairs of places. So his model must give a probability to moves that were never observed. If we use relative frequencies, as the paper does, the model calls such a move *impossible*. **Additive smoothing** avoids this. For every pair of visited places, it adds a *pseudocount* $a$ to the number of observed moves, and then divides by the row sums. The choice $a = 1$ is called add-one smoothing or Laplace smoothing.
#
# $$ P(x', x) = \frac{\#(x' \to x) + a}{\sum_{y} \big( \#(x' \to y) + a \big)} $$
#
# As in the last chapter, the initial distribution is the stationary distribution of this matrix. It therefore changes with $a$, too.
#
# Take the row of the station as an example. Dan's diary contains two moves from the station, one to his home and one to elsewhere. The next cell adds a pseudocount to all five entries of this row:

# %%
from_station = np.array([1, 0, 0, 0, 1])  # observed moves to each of the places
for pseudocount in (0.0, 0.1, 1.0):
    smoothed = from_station + pseudocount
    print(f"a = {pseudocount}:", (smoothed / smoothed.sum()).round(2))

# %% [markdown]
# With $a = 1$, five invented moves join the two observed ones, and a move that Dan was never seen to make has the probability 0.14.
#
# For Dan, the success of the best attack depends strongly on the pseudocount. The table shows the success of guesses of his whole path, given four exact counts at the station. (The sensor now stands at the station instead of at his home, so the success of the best guess without smoothing differs from the 0.464 that we found above.) The column *maximum a priori* shows the success of the guess that ignores these counts, and the column *best* shows the best possible success. The entropy of the path is in nats.

# %%
diary = fano.diary(six, "Dan")
models = {a: rec.MarkovChain.from_visits(diary, 5, a) for a in (0.0, 0.1, 1.0)}
models["no habits"] = rec.MarkovChain(np.full(5, 1 / 5), np.full((5, 5), 1 / 5))
at_station = np.full(4, places.index("station"))
successes = {}
for name, model in models.items():
    success = fano.losses_by_errors(model, at_station).loc[0, ["prior", "best"]]
    successes[name] = {"entropy of the path": model.entropy(4), **success}
table = pd.DataFrame(successes).T.rename(columns=figures.WORDS).round(3)
plots.show_table(table.rename_axis("pseudocount"), "pseudocounts")

# %% [markdown]
# From the same eight hours of Dan's diary, we conclude that the best attacker succeeds with probability 0.57 or 0.06, depending on the pseudocount. Eight hours are too few to decide between them. A pseudocount of 1 is an extreme choice for such a short diary, because the moves that it invents outnumber the seven observed moves. On the other hand, each of the seven moves occurs only once, so the diary does not even suggest that Dan repeats his moves. ([Below](fano-choose) we compute what the diary says about the pseudocount.)
#
# The last row of the table is for a person without any habits, who goes to each of the five places with probability 1/5 in every step. The path of this person has an entropy of $4 \log 5 = 6.44$ nats, which is the largest possible value. With a pseudocount of 1, the entropy of Dan's path is 6.27 nats, which is close to this maximum.
#
# (fano-known-truth)=
# ### An experiment with a known truth
#
# To find out which pseudocount comes nearest to the truth, we need a person whose true mobility model is known. We simulate a walker on a line of ten places, who makes one step a day. We observe the walker for 20, 100 or 1,000 days, and estimate a mobility model from these days. From this model we compute the moment bound for five later steps, of which one may be wrong. The first of these steps is drawn from the stationary distribution of the model. (An attacker who knows where the walker was on the last day could do better.) We use the moment bound because, for exact counts, it was closer to the success of the attack than the tight bound [above](fano-gap). In each of the five steps one sensor publishes an exact count. It stands at place 3 in the first step, and then at places 8, 5, 1 and 10.
#
# We compare the result with two numbers from the true model. The first is the moment bound of the true model, which the method would give if the model were known. The second is the best possible success, which the library finds by enumeration. We repeat each estimate with twenty walks. In the table, $a$ is the pseudocount, and the last two columns count the walks whose bound is below each of these two numbers.

# %%
from lib.randomness import stream

five_sensors = np.array([2, 7, 4, 0, 9])
true_bound = rec.moment_bound(walker, five_sensors, 1)
best_success = rec.best_loss(walker, five_sensors, 1)
print(f"true model: moment bound {true_bound:.2f}, best success {best_success:.3f}")


def bounds_from(walks, sensors, pseudocount, n_places):
    models = [rec.MarkovChain.from_visits(x, n_places, pseudocount) for x in walks]
    return np.array([rec.moment_bound(model, sensors, 1) for model in models])


walks_of = {  # days: twenty walks
    days: walker.sample(20, days, stream(seed, "days", days))
    for days in (20, 100, 1000)
}
learned = []
for days, walks in walks_of.items():
    for pseudocount in (0.0, 0.1, 1.0):
        for bound in bounds_from(walks, five_sensors, pseudocount, 10):
            learned.append({"days": days, "added": pseudocount, "bound": bound})
learned = pd.DataFrame(learned)
plots.show_table(figures.days_table(learned, true_bound, best_success), "days")

# %% mystnb={"figure": {"name": "fig-fano-days", "caption": "Bounds for a simulated walker, estimated from walks of 20, 100 and 1,000 days: without smoothing they are too high after 20 days, and with pseudocount 1 many are false after 20 and 100 days. Each coloured marker is the moment bound from one of twenty walks. The black bar is the mean over the walks, and the coloured area around it is the 95% interval of the mean. The dotted line is the moment bound of the true model. Bounds in the grey area are false: they are below the best possible success. Their number stands below each column."}, "image": {"alt": "Three panels for 20, 100 and 1,000 days, each with three columns of twenty markers for the pseudocounts 0, 0.1 and 1. After 20 days the markers without smoothing reach 1, with a mean of 0.76, and with pseudocount 1 seven markers lie in the grey area below 0.153, with a mean of 0.20. After 100 days thirteen markers with pseudocount 1 lie there. After 1,000 days the markers gather around the dotted line at 0.27."}} tags=["hide-input"]
figures.show_days(learned, true_bound, best_success)

# %% [markdown]
# **For this walker, a short diary gives on average a bound that is too high without smoothing and too low with much smoothing, compared with the bound of the true model.** Without smoothing, the mean bound falls from 0.76 after 20 days to 0.29 after 1,000 days, which is close to the 0.27 of the true model.
#
# A data holder has a single diary, so the error for a single walk matters as well as the mean. The markers in {numref}`fig-fano-days` show the single walks, and the last two columns of the table count two kinds of errors. If a bound is below the moment bound of the true model, it is lower than the bound that the method would give if the model were known. Such a bound may still be valid, because the moment bound of the true model is itself above the best success. For this walker, no attacker succeeds with a probability above 0.153, and we call a bound **false** only if it is below this best success. With a pseudocount of 1, the bound is false for 7 of the twenty walks after 20 days, and for 13 of them after 100 days, whereas no bound without smoothing is false.
#
# The mean can hide false bounds. After 20 days the mean bound with pseudocount 1 is 0.20, which is above the best success, although 7 of the twenty bounds are false. A bound that is far too high is useless. A false bound is **dangerous**, because an attacker may succeed more often than it says.
#
# Both errors arise because the walk is short compared with the number of possible moves. With so few observations, the model is determined mainly by the probability that we give to moves that were not observed. To see this, suppose that a later move starts from a place drawn from the stationary distribution. We call this move *new* if the walk does not contain it. Because we know the true model, we can compute the probability of a new move:


# %%
def probability_of_new_move(walk, person):
    unobserved = np.ones_like(person.transition)
    unobserved[walk[:-1], walk[1:]] = 0
    return person.initial @ (person.transition * unobserved).sum(axis=1)  # stationary


for days, walks in walks_of.items():
    n_visited = np.mean([len(set(walk)) for walk in walks])
    new = np.mean([probability_of_new_move(walk, walker) for walk in walks])
    print(f"{days} days: {n_visited:.3g} places visited,", end=" ")
    print(f"{(days - 1) / n_visited:.3g} moves from each, later move new {new:.2f}")

# %% [markdown]
# In 20 days the walker visits 5.6 of the ten places on average, so the 19 moves amount to about 3.4 moves from each of these places. A later move is then new with probability 0.69, and even after 100 days with probability 0.22.
#
# Without smoothing, the model calls a new move impossible, so under the model the walker is far more predictable than under the true one. The model never leaves the places that the observed moves can reach from the last place of the walk. If the walk contains no move away from its last place, the model even keeps the walker there for ever, and the bound is 1. For each walk with a bound above 0.999, the output shows the places that the model can still reach, counted from 1, and the best possible success under the model:


# %%
def reachable_from_the_end(walk):  # by observed moves
    reached = {walk[-1]}
    while True:
        onward = {end for start, end in pairwise(walk) if start in reached}
        if onward <= reached:
            return sorted(reached)
        reached |= onward


for days, walks in walks_of.items():
    is_1 = bounds_from(walks, five_sensors, 0.0, 10) > 0.999
    print(f"{days} days, walks with a bound above 0.999: {is_1.sum()}")
    for walk in walks[is_1]:
        model = rec.MarkovChain.from_visits(walk, 10, 0.0)
        reached = reachable_from_the_end((walk + 1).tolist())
        success = rec.best_loss(model, five_sensors, 1)
        print(f"    places {reached}, best success {success:.3f}")

# %% [markdown]
# After 20 days, 8 of the twenty bounds are above 0.999. In 7 of these 8 walks, the reason is that the walk contains no move away from its last place. In the eighth, the walk never leaves the places 7, 8 and 9 once it has reached one of them, so the model keeps the walker among these three. Even so, the best attack under this model succeeds only with probability 0.646. Here the bound is close to 1 because the moment bound itself is loose, as it was on many of the [random chains](fano-orders).
#
# A pseudocount of 1 errs in the other direction. From each visited place it invents one move to every visited place. After 20 days, 5.6 invented and 3.4 observed moves start from each visited place on average, so under the model the walker is more erratic than under the true one.
#
# One result is surprising. From 20 to 100 days, the observed moves from each visited place grow from 3.4 to 10.5, and the invented ones only from 5.6 to 9.45. So we would expect the mean bound with pseudocount 1 to rise. Instead it goes from 0.20 to 0.15. This fall may be due to chance, as the last lines of the output of the folded cell below show, but the missing rise needs an explanation. Our explanation is a second effect, which raises the bound after 20 days. Invented moves lead only to visited places. A model estimated from 20 days therefore rules out, on average, nearly half of the places, and this makes the walker more predictable. After 100 days this effect is nearly gone, because the walk visits 9.45 places on average.
#
# We can test this explanation by spreading the invented moves over all ten places. If the explanation is right, this lowers the mean after 20 days, and the mean then rises with the number of days. The walks and the number of invented moves from each place stay the same:


# %%
def spread_over_all_places(walk):
    moves = np.full((10, 10), len(set(walk)) / 10)  # the invented moves, to all ten
    np.add.at(moves, (walk[:-1], walk[1:]), 1)
    P = moves / moves.sum(axis=1, keepdims=True)
    stationary = np.linalg.matrix_power(P, 500)[0]
    return rec.MarkovChain(stationary / stationary.sum(), P)


to_visited, to_all = {}, {}
for days, walks in walks_of.items():
    models = [spread_over_all_places(walk) for walk in walks]
    to_all[days] = np.array([rec.moment_bound(x, five_sensors, 1) for x in models])
    to_visited[days] = bounds_from(walks, five_sensors, 1.0, 10)
    print(f"{days} days, mean bound with invented moves to visited places", end=" ")
    print(f"{to_visited[days].mean():.3f}, to all places {to_all[days].mean():.3f}")

# %% [markdown]
# The folded cell computes the intervals of these means, of the paired difference on the same walks, and of the change from 20 to 100 days. (The walks of 20 and of 100 days are independent samples with different variances, so the last interval is Welch's.)

# %% tags=["hide-input"]
from scipy.stats import ttest_ind

both = {"to visited places": to_visited, "to all places": to_all}
difference = {days: to_visited[days] - to_all[days] for days in to_all}
for days in to_all:
    for words, of_days in (both | {"difference": difference}).items():
        low, high = metrics.mean_interval(of_days[days])
        print(
            f"{days} days, {words}: {of_days[days].mean():.3f} [{low:.3f}, {high:.3f}]"
        )
for words, of_days in both.items():
    rise = ttest_ind(of_days[100], of_days[20], equal_var=False)
    low, high = rise.confidence_interval()
    print(f"{words}, from 20 to 100 days: rise [{low:.3f}, {high:.3f}]")

# %% [markdown]
# The clearest support for the explanation is the comparison on the same walks: after 20 days, the restriction to visited places alone raises the mean from 0.11 to 0.20, and the interval of this difference excludes 0. If the invented moves lead to all places, the mean rises from 20 to 100 days and again to 1,000 days, as the explanation predicts. The interval for the rise from 20 to 100 days only just excludes 0. If the invented moves lead only to visited places, the interval of the change from 20 to 100 days contains 0.
#
# ### What changes on other maps?
#
# So far we have studied one walker and one sequence of sensors. To see whether the results carry over to other maps, we repeat the experiment with 5, 10 and 20 places and with other sensors. For each map, the table shows the bound of the true model, and the mean bound over twenty walks for each pseudocount $a$.

# %% tags=["hide-input"]
of_maps, unsmoothed = [], {}
for n_places in (5, 10, 20):
    person_there = rec.distance_chain(n_places, 0.1)
    sensors_there = stream(seed, "sensors", n_places).integers(0, n_places, 5)
    bound_there = rec.moment_bound(person_there, sensors_there, 1)
    for days in (100, 1000):
        walks = person_there.sample(20, days, stream(seed, "walks", n_places, days))
        for pseudocount in (0.0, 0.1, 1.0):
            found = bounds_from(walks, sensors_there, pseudocount, n_places)
            setting = {"places": n_places, "days": days, "added": pseudocount}
            of_maps += [setting | {"bound": x, "true": bound_there} for x in found]
            if pseudocount == 0:
                new = [probability_of_new_move(walk, person_there) for walk in walks]
                ratio, ends = found / bound_there, metrics.mean_interval(found)
                low, high = np.array(ends) / bound_there
                unsmoothed[f"{n_places}, {days}"] = {
                    "later move new": np.mean(new),
                    "mean / true [95%]": f"{ratio.mean():.2f} [{low:.2f}, {high:.2f}]",
                    "median / true": np.median(ratio),
                    "largest possible": 1 / bound_there,
                    "walks with bound 1": (found > 0.999).sum(),
                }
plots.show_table(figures.maps_table(pd.DataFrame(of_maps)), "other-maps")

# %% [markdown]
# The next table looks at the unsmoothed models, $a = 0$, alone. The first column is the probability that a later move is new. The next two divide the mean bound, with its 95% interval, and the median bound by the bound of the true model. The column *largest possible* limits these ratios: a bound is at most 1, so the ratio cannot exceed 1 divided by the bound of the true model. The last column counts the walks with a bound of 1.

# %% tags=["hide-input"]
table = pd.DataFrame.from_dict(unsmoothed, orient="index").round(3)
plots.show_table(table.rename_axis("places, days"), "unseen-moves")

# %% [markdown]
# **After the same number of days, the unsmoothed model of a larger map misses more of the moves that the walker makes.** After 100 days, the probability that a later move is new is 0.077 with 5 places, 0.209 with ten and 0.567 with 20. After 1,000 days, this probability still increases with the number of places. A likely reason is that on a larger map the walker chooses among more moves.
#
# How many days are enough therefore depends on the map. Suppose that the mean bound without smoothing should be at most 1.1 times the bound of the true model. With ten places, the mean over our twenty walks of 1,000 days meets this target with a ratio of 1.08, but its interval, from 0.98 to 1.17, does not exclude a ratio above 1.1. After 100 days the target is clearly missed. With 20 places, even 1,000 days are too few.
#
# It is harder to say on which map the bounds have the largest errors. After 100 days, the ratio of the mean bound to the bound of the true model increases with the number of places. After 1,000 days, the ratio is clearly larger only with 20 places. Between 5 and ten places, the intervals do not show a difference.
#
# The ratio must be read with care, for two reasons. First, with 20 places and 100 days, three of the twenty walks have a bound of 1, and they raise the mean. So the ratio is 9.6 for the mean, but only 5.0 for the median. Second, with 5 places the bound of the true model is 0.862, so the ratio cannot exceed 1.16, however wrong the model is.
#
# (fano-choose)=
# ### Can the walk itself tell us the pseudocount?
#
# A pseudocount is suitable if it makes the estimated model behave like the true one. With ten places and the sensors of the first experiment, a pseudocount of 0.3 comes close after 100 days: the mean of the estimated bounds is 0.27, and so is the bound of the true model ({ref}`fano-smoothing`). But a data holder does not know the true model. Can the walk tell us that 0.3 is better than 0.1 or 1?
#
# A model can be judged by how well it predicts. We go through the walk move by move. Before each move, we estimate the model from the earlier moves only, and ask which probability it gave to the move that was then made. The product of these probabilities says how well the pseudocount predicts this walk, and we choose the pseudocount with the largest product. (This product is the likelihood of a Dirichlet-multinomial model. In this model, each row of the transition matrix is itself random. It has a Dirichlet distribution with parameter $a$, a distribution over probability vectors that is uniform for $a = 1$. We treat the set of visited places as known.)
#
# Dan's diary is short enough to do this by hand. When Dan leaves a place for the first time, no move from it has been observed, so each of the five visited places is predicted with probability 1/5, for every $a > 0$. Only two of his seven moves start from a place that he has left before: the second move from the station and the second move from elsewhere. Both moves occur for the first time, and one other move from the same place has been observed before. So the model predicts each of them with probability
#
# $$ \frac{0 + a}{1 + 5a}, \qquad \text{which is } \tfrac{1}{15} \text{ for } a = 0.1 \text{ and } \tfrac16 \text{ for } a = 1 . $$
#
# The diary is therefore $(15/6)^2 = 6.25$ times as probable with $a = 1$ as with $a = 0.1$. As $a$ falls to 0, its probability falls to 0, too. In code:


# %%
def predictive_log_probability(walk, pseudocount):
    n_visited, total = len(set(walk)), 0.0
    moves = np.zeros((max(walk) + 1, max(walk) + 1))  # observed so far
    for start, end in pairwise(walk):
        smoothed = moves[start] + pseudocount
        all_smoothed = moves[start].sum() + n_visited * pseudocount
        total += np.log(smoothed[end] / all_smoothed)
        moves[start, end] += 1
    return total


of_diary = [predictive_log_probability(diary, each) for each in (0.1, 1.0)]
print(f"Dan: {np.exp(of_diary[1] - of_diary[0]):.2f} times as probable with a = 1")

# %% [markdown]
# Now we choose among three pseudocounts for each of the twenty walks of the first experiment, and compute the bound with the chosen one:


# %%
def most_predictive(walk, pseudocounts):
    scores = [predictive_log_probability(walk, each) for each in pseudocounts]
    return pseudocounts[int(np.argmax(scores))]


candidates = [0.1, 0.3, 1.0]
for days, walks in walks_of.items():
    chosen, chosen_bounds = [], []
    for walk in walks:
        chosen.append(most_predictive(walk, candidates))
        chosen_bounds += [*bounds_from([walk], five_sensors, chosen[-1], 10)]
    low, high = metrics.mean_interval(np.array(chosen_bounds))
    print(f"{days} days, walks by chosen a: {dict(Counter(sorted(chosen)))}", end="; ")
    print(f"mean bound {np.mean(chosen_bounds):.2f} [{low:.2f}, {high:.2f}],", end=" ")
    print(f"from {min(chosen_bounds):.2f} to {max(chosen_bounds):.2f},", end=" ")
    print(f"{(np.array(chosen_bounds) < best_success).sum()} false")

# %% [markdown]
# **With these three candidates, 19 of the twenty walks of 100 days point to a suitable pseudocount, but after 20 days a quarter of the bounds are false.** With the chosen pseudocount, the mean bound after 100 days is 0.27, like the bound of the true model. Without smoothing, the mean after 1,000 days is 0.29. The interval of the first mean, from 0.22 to 0.31, is too wide to show which of the two means is nearer to the bound of the true model. We also knew that 0.3 suits these walks when we made it a candidate. The mean also hides the error for a single diary: even with the chosen pseudocount, the bounds from single walks of 100 days range from 0.16 to 0.52.
#
# After 100 days, 0.3 predicts best for 19 of the twenty walks, and no bound is false. After 20 days, 1 predicts best for 14 of the walks, and 5 of the twenty bounds are false. The mean of all twenty bounds, 0.27, hides these errors. A likely reason is that in 20 days most moves are new, and a large pseudocount predicts new moves well.
#
# Even with a suitable pseudocount, the bound from a single walk may be lower than the bound of the true model. After 100 days, this is the case for 13 of the twenty walks with $a = 0.3$ ({ref}`fano-smoothing`). None of these bounds is false. A suitable value also depends on the map. With 20 places, the bound of the true model is 0.027. After 100 days, the mean bound is 0.069 with $a = 0.1$ and 0.007 with $a = 1$, as the table for other maps shows. So some pseudocount between 0.1 and 1 would give a mean of 0.027.
#
# (fano-aircraft)=
# ### Which pseudocount fits real travellers?
#
# We now turn to real travellers. The paper estimates the mobility models of users of two check-in services, with 22 steps of each user of one service and 27 steps of each user of the other. Such histories are about as long as the 20 days above. Only parts of these data are available, and they may not be distributed with the book. Instead, our "users" are aircraft. A place is an airport or *elsewhere*, and a step is a day. The attack is on the last five days, and the model is estimated from the days before.
#
# For real travellers the true model is unknown, but we can check predictions of the estimated model. The first is simple: the unsmoothed model predicts that no new move will ever be made. For each aircraft, we compare the four moves within its last five days with the moves before. Staying at a place counts as a move. The output counts the aircraft that make a new move on these days, and shows the first of them as an example:

# %%
from lib.papers import fitting

people = {
    name: fano.load_people(
        file, window=windows.get(name, "1D"), n_users=n_users, seed=seed
    )
    for name, file in fitting.display_names(datasets).items()
}
for name, found in people.items():
    n_places, shape = len(found.drawn.places), found.drawn.states.shape
    print(f"{name}: {shape[0]} users, {n_places} places, {shape[1]} steps")
    names = [*map(str, found.drawn.places), "elsewhere"]
    histories = found.drawn.states.tolist()  # a list of places for each aircraft
    new_moves = [set(pairwise(x[-5:])) - set(pairwise(x[:-5])) for x in histories]
    with_new = [i for i, moves in enumerate(new_moves) if moves]
    print(f"{len(with_new)} of {len(histories)} make a new move on the last five days")
    for i in with_new[:1]:
        print("example:", ", ".join(names[x] for x in histories[i][-5:]))
        for start, end in sorted(new_moves[i]):
            print(f"    never observed before: {names[start]} to {names[end]}")

# %% [markdown]
# So for most aircraft, something happens on the last five days that the unsmoothed model calls impossible. A second prediction takes more work to check. The model predicts how often its own maximum a priori guess is right on at least four of the five days. We compare this prediction with how often the guess succeeds on the last five days as they really were, which we call the *real days*.
#
# In the table, $a$ is the pseudocount, *guess* is the maximum a priori guess, and all numbers are means over aircraft. We show two bounds: the tight bound, which the paper reports for its users, and the moment bound, which we used for the walker. The last column is the share of aircraft whose real days are possible under the model. Without smoothing, the real days are possible if they contain only moves that were observed, and if the observed moves lead from the last place of the days before, in one or more steps, to the first place of the real days. (The model starts in its stationary distribution. All places that cannot be reached in this way have probability 0 under it, because the model leaves them for good.) With smoothing, the real days are possible if all their places were visited before.
#
# Before we come to the means, we make the prediction for the aircraft of the example:

# %%
history = histories[(with_new or [0])[0]]
before, real = np.array(history[:-5]), np.array(history[-5:])
for pseudocount in (0.0, 0.1, 1.0):
    model = rec.MarkovChain.from_visits(before, len(names), pseudocount)
    guess = rec.prior_trajectory(model, 5)
    expected = rec.guess_loss(model, guess, 1)
    print(f"a = {pseudocount}: guess", ", ".join(names[x] for x in guess), end="; ")
    print(f"expected success {expected:.2f}, {(guess == real).sum()} of 5 days right")

# %% [markdown]
# For this aircraft, all three models make the same guess, which fails because only two of the five days are right. But the models expect this guess to succeed with very different probabilities, from 0.47 to 0.12. We now make the same prediction for all aircraft:

# %%
pseudocounts = {f"{each:g}": each for each in (0.0, 0.1, 1.0)}
filled = fano.smoothed_chains(people, pseudocounts, n_sequences=n_sequences, seed=seed)

# %% [markdown]
# The library returns the tight bound, the expected success of the guess, and its success on the real days. The folded cell adds the moment bound, as a mean over five sequences of sensors, and checks which real days are possible:

# %% tags=["hide-input"]
moment_bounds, possible = [], []
for name, found in people.items():
    n_places = len(found.drawn.places)
    five = stream(seed, "aircraft sensors", name).integers(0, n_places, (5, 5))
    for history in found.drawn.states:
        for pseudocount in pseudocounts.values():
            walk, n = [history[:-5]], found.drawn.n_locations
            of_five = [bounds_from(walk, each, pseudocount, n) for each in five]
            moment_bounds.append(np.mean(of_five))
        before, real = history[:-5].tolist(), history[-5:].tolist()
        visited = set(real) <= set(before)
        observed = set(pairwise(real)) <= set(pairwise(before))
        observed &= real[0] in reachable_from_the_end(before)
        possible += [visited if each else observed for each in pseudocounts.values()]
filled["moments"] = moment_bounds  # with five sequences of sensors
filled["possible"] = possible
plots.show_table(figures.filled_table(filled).rename_axis("a"), "filled")

# %% [markdown]
# The expected success, the success on the real days and the bounds are all means over the same aircraft. So we can look at paired differences:

# %%
for column, words in (("expected", "expected success"), ("moments", "moment bound")):
    difference = filled["prior"] - filled[column]
    for pseudocount, each in difference.groupby(filled["added"]):
        low, high = metrics.mean_interval(each.to_numpy())
        interval = f"{each.mean():.3f} [{low:.3f}, {high:.3f}]"
        print(f"a = {pseudocount}: real success minus {words} {interval}")

# %% [markdown]
# **Without smoothing, the guess succeeds less often on the real days than the model expects. With a pseudocount of 0.1 we find no significant difference. With a pseudocount of 1, the guess succeeds more often than the model expects.** As the pseudocount grows, both bounds fall along with the expected success.
#
# With a pseudocount of 1, the moment bound of 0.16 may be too low. The bound is meant for any attacker, but even a guess that does not use the counts succeeds for 23% of the aircraft. If the models were right, the mean success of this guess over the aircraft could not exceed the mean bound, apart from chance. It does exceed the mean bound, but the interval of the difference barely excludes 0. So this result is a warning, but it does not prove that the bound is false.
#
# The unsmoothed model, by contrast, is clearly wrong. A bound applies only to a person who moves according to the mobility model. But under the unsmoothed model, the real days are possible for only 21% of the aircraft. With a pseudocount, they are possible for 47%, so for the other aircraft no model in the table is right. Even for the aircraft whose real days are possible, the model may still be wrong.
#
# ```{note}
# - In the last five days, about half of all aircraft go to a place that they never visited before. A pseudocount on visited places does not make a new place possible. So every model in the table assigns probability 0 to the real days of these aircraft.
# - If the observed days contain no move away from an aircraft's last place, the unsmoothed model keeps the aircraft there for ever. If the unsmoothed chain is reducible or periodic, the library changes it slightly: in each step, with a probability of one millionth, it draws the next place uniformly from the visited places. The expected success and the bounds include these rare jumps. The column *real days possible* leaves them out of account.
# - With a pseudocount of 0.1, the mean success of this one guess agrees with the prediction. In other respects the models fit badly: for more than half of the aircraft, the real days are impossible under them. For other people, a different pseudocount may give the right prediction. Check a pseudocount on days that were not used for the estimate.
# ```
#
# (fano-slowness)=
# ### Can smoothing decide whether we find an effect?
#
# So far, smoothing changed the size of a bound. It can also change the conclusion of a study. In Fig. 4 of the paper, people who move slowly have higher bounds. The paper measures slowness by the **spectral gap** of the mobility model, which is 1 minus the second largest absolute value of the eigenvalues of $P$. The gap is small if the chain forgets slowly where it started. A small gap is a [proxy for slow movement](fano-replicated-gap), not the same thing. The paper finds a negative correlation between the bound and the gap.
#
# The replication stores the tight bound and the gap of each user for three datasets: a larger number of aircraft, and the parts that we have of the paper's two datasets. It estimates each model twice, first by relative frequencies and then with a pseudocount of 1. The table shows Spearman's rank correlation between the bound and the gap, with 95% bootstrap intervals. (For a bootstrap interval we draw the same number of users with replacement, many times, and compute the correlation for each draw.) In the last three columns, we keep only the users whose unsmoothed chain is irreducible and aperiodic. This excludes every user who, by the observed moves, cannot return from the last place to the first, and the few users whose chain is periodic. The last two columns compare the two estimates for the same users.

# %% tags=["hide-input"]
stored = fano.habits.stored()
kept = stored[(stored["chains"] == "as decided") & ~stored["mixed"].astype(bool)]
smoothed = stored[stored["chains"] == "one added"]
smoothed_kept = smoothed.merge(kept[["data", "user"]])
slowness = figures.correlation_table(fano.correlations(stored))
users, rho = (slowness[column].unstack("chains", sort=False) for column in slowness)
of_kept = figures.correlation_table(fano.correlations(smoothed_kept))
table = pd.DataFrame(
    {
        "users": users.iloc[:, 0],
        "a = 0": rho.iloc[:, 0],
        "a = 1": rho.iloc[:, 2],
        "users kept": users.iloc[:, 1],
        "a = 0, users kept": rho.iloc[:, 1],
        "a = 1, users kept": of_kept["correlation [95%]"].droplevel("chains"),
    }
)
plots.show_table(table.replace("", "–").fillna("–"), "slowness")
distinct = kept["random"].round(9).groupby(kept["data"], sort=False).nunique()
print("different bounds of the users kept:", distinct.to_dict())

# %% [markdown]
# **For the Foursquare users and the aircraft that we keep, smoothing decides the result. With a pseudocount of 1, a small gap goes with a high bound. Without smoothing, we find no significant correlation for the same users.** On Foursquare, for example, the correlation for these 283 users is -0.55 with the pseudocount and 0.03 without it. On both datasets, the interval without smoothing contains 0 and excludes correlations below -0.1.
#
# If we keep all users of these two datasets, we find a negative correlation even without smoothing, -0.17 and -0.32, but it is weaker than with the pseudocount. These negative correlations appear only if we include the users whom the last three columns leave out. Among those users the correlation is negative on both datasets, as [the replication](fano-replicated-fig4) shows. On Gowalla we can compare the two estimates only for all 42 users, where the correlation is 0.07 without smoothing and -0.78 with it. For the 18 users kept, the correlation without smoothing is undefined, because all of them have the same bound, as the line below the table shows.
#
# Smoothing changes both the bound and the gap of a user. The table cannot say which column is right, because we do not know the true models of the users, and so we know neither their true gaps nor their true bounds. With a pseudocount of 1 and so few observed steps, both the gap and the bound may depend mainly on the number of places that a user visited, because this number decides how many moves are invented. The correlation would then say little about slow movement. We have not tested this. The [replication](fano-replicated-unseen) shows what else depends on the choice of smoothing.
#
# (fano-class)=
# ```{admonition} The question for the class
# :class: tip
# Two analysts use the same diary of Dan, and four exact counts from a sensor at the station. The first finds that the best attacker guesses Dan's whole path with probability 0.57, and the second finds 0.06. Which number would you publish? *Our answer:* do not publish either number alone. Publish both with their pseudocounts. A number that is too low is the more dangerous error. If anything, the diary is evidence against the model behind 0.57, because it contains no move twice. But eight hours are too few to decide. With more data, check how well each model predicts moves from earlier ones.
# ```

# %% [markdown]
# ## What the paper found
#
# The paper studies users of two services, Gowalla and Foursquare. It finds that people who are often counted have high bounds, that people who move slowly have high bounds, too, and that attacks succeed more often on real people than on the simulated person. Bounds fall in general as the noise grows, although on real data some are higher with noise than without. We have only a part of the paper's data from each service, so these claims about real people are *not tested*. The [replication page](replication/fano.ipynb) shows what our part of the data says about each of them.
#
# The paper makes two statements about noise for the simulated person, too.
#
# - Its bounds fall as the noise grows. With a hundred places, this is *<a href="replication/fano.html#claim-fano-fig7-bounds">supported</a>*, and the tight bound in the folded table of the five bounds falls as well. With ten places, it is 1 at every noise level.
# - Noise hardly changes the success of MAP. With a hundred places, this is *<a href="replication/fano.html#claim-fano-fig7-map-flat">supported</a>*, but our test could not have rejected it, because MAP almost never succeeds there even without noise. With ten places, we find that the success of MAP falls from 0.31 with exact counts to 0.056 at $\sigma = 3$.
#
# ## Take-aways
#
# - The most probable path is the best guess if the *whole* path must be right. If a few right steps are enough, it may be better to guess the most probable place in each step.
# - By counting right steps, or right pairs and triples of steps, we can bound the success of every attacker. For the simulated person with exact counts, if five of ten steps may be wrong, this moment bound stays within a factor of three of the better attack on five maps. With normal noise, on two of these maps and at six noise levels, the smallest bound is up to 7.6 times as high as the success of the best attack that we know.
# - Given an upper bound on $Q$, a hypothesis test yields a bound for independent normal noise that falls as the noise grows and holds for all sensors. For the simulated person with a hundred places, it is the smallest bound under strong noise. With ten places, the improved tight bound is smaller, and the two approach each other as the noise grows.
# - However strong the noise is, no valid bound falls below $Q$, the best success without counts.
# - On three maps of the simulated person, the attacker learned more from greedy sensors than from sensors at random places. Greedy sensors also revealed more than a schedule that we chose step by step with the same mobility model.
# - A bound for a real person is only a bound for their mobility model. With about twenty days of data, raising the pseudocount from 0 to 1 lowered the mean moment bound by a factor of three to four. State your choice, and show the result of another choice beside it. The walk itself can help to choose a pseudocount, but in our experiment 20 days were too few.

# %% [markdown]
# ## Exercises
#
# Some of the exercises about Dan use three arrays. `bits` contains the bits that the sensor at his home sends on each path, read as one binary number. `joint` contains the probability of each path together with each of the 16 sequences of bits. `right` contains the number of right steps of each guess on each path:

# %%
bits = (paths == HOME) @ [8, 4, 2, 1]  # a number from 0 to 15 for each path
joint = probability[:, None] * np.eye(16)[bits]  # path x sequence of bits
right = (paths[:, None] == paths).sum(axis=2)  # guess x path

# %% [markdown]
# ```{exercise} Impossible paths (★, 10 minutes)
# :label: fano-impossible
# For each sequence of bits that the sensor at Dan's home can produce, check whether the posterior modes form a possible path. What is the total probability of the sequences for which they do not?
# ```

# %% [markdown]
# ````{solution-start} fano-impossible
# :class: dropdown
# ````

# %%
impossible = 0.0
for each in np.unique(bits[probability > 0]):
    mine = bits == each
    modes = [np.bincount(x[mine], probability[mine], 5).argmax() for x in paths.T]
    if probability[(paths == modes).all(axis=1)].sum() == 0:
        impossible += probability[mine].sum()
print(f"the modes are an impossible path with probability {impossible:.2f}")

# %% [markdown]
# *Learned:* the posterior modes answer a different question from MAP, because they treat each step separately. So they need not form a possible path. This does not matter to an attacker who gains from each right step.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write the best guess (★★, 30 minutes)
# :label: fano-best
# Let $s = 1$, with the sensor at Dan's home. The ball around a guess contains all paths that differ from it in at most $s$ steps. For each sequence of bits, find the guess whose ball has the largest probability. Does the success of these guesses agree with the column *best* of the table in the section on guessing step by step? Now let $s = 2$. Is the best guess always a possible path? If it is not for some sequence of bits, name the guess and say why it is better than every possible path.
# ```

# %% [markdown]
# ````{solution-start} fano-best
# :class: dropdown
# ````

# %%
near = (paths[:, None] != paths).sum(axis=2) <= 1
of_ball = near @ joint  # guess x sequence of bits
print(
    f"success {of_ball.max(axis=0).sum():.3f}, in the table {of_dan.loc[1, 'best']:.3f}"
)
near = (paths[:, None] != paths).sum(axis=2) <= 2
of_ball, can_be = near @ joint, probability > 0
for each in np.unique(bits[can_be]):
    best = np.isclose(of_ball[:, each], of_ball[:, each].max())
    seen = np.flatnonzero(paths[bits == each][0] == HOME) + 1
    print(
        f"home in {seen}: best {best.sum()}, of these possible {(best & can_be).sum()}"
    )
    if best.sum() == 1:
        print("    it is", "".join(initials[x] for x in paths[best][0]))

# %% [markdown]
# If the sensor sees Dan, only one or two paths agree with the bits. A guess within two errors of all these paths is certain to succeed, and there are many such guesses, all equally good. If only one path remains, there are $1 + 4 \cdot 4 + 6 \cdot 16 = 113$ of them, because a path has four steps and there are five places.
#
# If the sensor never sees Dan, a single guess is best, and it is the impossible path EEEE. The row has the probability 14/28. The paths that are elsewhere in exactly two of the four steps make up 12/28, and EEEE is within two errors of all of them. A possible path is not. If it is elsewhere in steps 1 and 3, for example, it has no right step on the paths that are elsewhere in steps 2 and 4.
#
# *Learned:* the best guess for $s$ is the centre of the most probable ball, and it need not be a possible path. For $s = 0$ this guess is MAP. The posterior modes maximise the mean number of right steps instead of the probability of a ball.
#
# ````{solution-end}
# ````
#
# ```{exercise} Another row of Dan's table (★, by hand, 10 minutes)
# :label: fano-board
# Take the row *seen in step 3* of the [table of Dan's paths](fano-paths). For each $k$ from 1 to 4, find the largest mean number of right sets of $k$ steps. Work in 28ths, and compare your results with the same row in the table of largest means. Then take the row *never*. Show that the guess EPES contributes 23/28 to the mean number of right pairs, and that the posterior modes, EEEE, contribute less.
# ```

# %% [markdown]
# ````{solution-start} fano-board
# :class: dropdown
# ````
#
# The paths are OSHO and ESHO, with 2/28 each. The guess OSHO has four right steps on the first path and three on the second. This gives $4 \cdot 2 + 3 \cdot 2 = 14$ right steps, $6 \cdot 2 + 3 \cdot 2 = 18$ right pairs, $4 \cdot 2 + 1 \cdot 2 = 10$ right triples and 2 right quadruples. No guess does better, because the two paths differ in step 1, and in all other steps the guess is right on both.
#
# For the row *never*, the guess EPES has four right steps on EPES (2), three on EPEP (2) and ESES (1), and two on OSES (1) and ESEP (1). No other path shares more than one step with it. So it has $6 \cdot 2 + 3 \cdot 2 + 3 \cdot 1 + 1 \cdot 1 + 1 \cdot 1 = 23$ right pairs. The paths OSES and OSEP are elsewhere in one step only, so EEEE has no right pair on them. All other paths in this row are elsewhere in exactly two steps, so EEEE has one right pair on each of them, and $14 - 2 = 12$ in total.

# %%
print("seen in step 3:", [mean_of_sets("OSHO", by_bits["3"], k) for k in (1, 2, 3, 4)])
for guess in ("EPES", "EEEE"):
    print(f"never, {guess}: {mean_of_sets(guess, by_bits['never'], 2)} right pairs")

# %% [markdown]
# *Learned:* different values of $k$ may have different best guesses. In the row *never*, EEEE contributes the most right steps to the mean, 26/28, but only 12/28 right pairs. EPES, whose steps fit together, contributes 23/28.
#
# ````{solution-end}
# ````
#
# ```{exercise} What does the recursion overstate? (★, by hand, 15 minutes)
# :label: fano-recursion
# For Dan without counts, compute $F_2(4, \text{station})$ in 28ths by hand. Which guess has right pairs with this total weight, if only pairs with step 4 count? Before you go on, predict: can such a guess always be found for $k = 2$ and a single last step $t$? If so, how can the result of the recursion for $k = 2$ exceed that of every real guess at all?
# ```

# %% [markdown]
# ````{solution-start} fano-recursion
# :class: dropdown
# ````
#
# There are three pairs with step 4. Dan is at the station in steps 1 and 4 with probability $\frac{8}{28} \cdot \frac12 = \frac{4}{28}$, because from the station he is back after three moves if he first goes home. For steps 2 and 4 the best place in step 2 is home, because home, office, station is his only continuation: $\frac{4}{28}$. For steps 3 and 4 the best place in step 3 is the office or elsewhere: $\frac{4}{28}$. So $F_2(4, \text{station}) = \frac{12}{28}$, and the guess SHOS attains it.

# %%
for u in (1, 2, 3):
    onward = np.linalg.matrix_power(dan.transition, 4 - u)
    pair = 28 * dan.initial * onward[:, places.index("station")]
    print(
        f"steps ({u}, 4):",
        dict(zip(places, pair.round().astype(int).tolist(), strict=True)),
    )
recursion = 0
for t in (2, 3, 4):  # at y in step u (row), at x in step t (column)
    powers = [np.linalg.matrix_power(dan.transition, t - u) for u in range(1, t)]
    of_pairs = [28 * dan.initial[:, None] * power for power in powers]
    F_2 = sum(pair.max(axis=0) for pair in of_pairs)  # each u has its own best y
    print(f"last step {t}: F_2 is largest for {places[F_2.argmax()]}, {F_2.max():.0f}")
    recursion += F_2.max()
right_pairs = 28 * binom(right, 2) @ probability  # for each of the 5^4 guesses
best = "".join(initials[x] for x in paths[right_pairs.argmax()])
print(f"recursion {recursion:.0f}, best guess {best} {right_pairs.max():.0f}, in 28ths")

# %% [markdown]
# *Learned:* for $k = 2$ and a single last step $t$, every earlier step occurs in only one pair. So each of them may choose its own place, and a guess that names these places attains $F_2(t, x)$. The recursion can exceed every real guess only when it adds up the results for the different last steps, because a step may then have different places in different pairs. Step 1, for example, may have different places in the pairs (1, 2), (1, 3) and (1, 4). Here the recursion obtains 27/28, and no guess has more than 24/28 right pairs on average. (The row *never* of the table for exact counts also gave 27. The two numbers agree because the recursion can choose the same places in both cases. In {numref}`fig-fano-pairs`, all of its pairs of places occur only on paths that are never at home.) For $k \ge 3$, a step may have different places even within one last step: step 1, for example, belongs to the two sets (1, 2, 4) and (1, 3, 4).
#
# ````{solution-end}
# ````
#
# ```{exercise} All stretches at once (★★, programming, 40 minutes)
# :label: fano-all-stretches
# Combine `stretch_polynomial` with the recursion for $A_c(z)$ from the section on exact counts, and compute Dan's moment bound for $r = 4$ without listing paths. Represent a polynomial by the array of its coefficients, and multiply polynomials with `np.convolve`. Check that you obtain 0.607, 0.536 and 0.464 for $k = 2$, 3 and 4. Then move the sensor to the station, the office and the park in turn, and compare the smallest of your four bounds with `rec.moment_bound`. Before you do this, predict which place has the highest bound and which has the lowest.
# ```

# %% [markdown]
# ````{solution-start} fano-all-stretches
# :class: dropdown
# ````
#
# Let step 0 stand for the start of the path, and step $T + 1$ for its end. The stretch between $b$ and $c$ has $n = c - b - 1$ steps. If $n = 0$, its polynomial is a constant. At the end of the path this constant is 1. Otherwise it is the probability that the target is seen in step $c$, given the sighting in step $b$ if $b > 0$.


# %%
def largest_means(place, T):
    away_from_sensor = (np.arange(5) != place).astype(float)
    U = dan.transition * away_from_sensor

    def stretch(b, c):
        n, at_end = c - b - 1, c == T + 1
        before = dan.transition[place] if b else dan.initial
        ending = np.ones(5) if at_end else dan.transition[:, place]
        if n > 0:
            return stretch_polynomial(before * away_from_sensor, U, n, ending)
        return np.array([1.0 if at_end else before[place]])

    A = {0: np.ones(1)}
    for c in range(1, T + 2):
        A[c] = np.zeros(T + 2)
        for b in range(c):
            term = np.convolve(A[b], stretch(b, c))
            if c <= T:
                term = np.convolve(term, [1, 1])  # the sighting in step c: 1 + z
            A[c][: len(term)] += term[: T + 2]
    return A[T + 1][1 : T + 1]


for place in range(4):  # elsewhere has no sensor
    four = largest_means(place, 4) / binom(4, [1, 2, 3, 4])
    library = rec.moment_bound(dan, np.full(4, place), 0)
    sequences = {tuple(path == place) for path in paths[probability > 0]}
    print(
        places[place],
        four.round(3),
        f"smallest {four.min():.3f}, {library:.3f};",
        end=" ",
    )
    print(
        f"there {dan.initial[place]:.2f} of the time, {len(sequences)} sequences of bits"
    )

# %% [markdown]
# *Learned:* the sum over $2^T$ sequences of bits becomes a recursion over the step of the last sighting, because a stretch depends only on its two ends. The bound with the sensor at the station is higher than with the sensor at home, because its bits distinguish Dan's 17 paths better: they can form eight different sequences, and the bits of the sensor at home only six. How often the sensor sees Dan does not explain the difference by itself. He is as often at the park as at home or at the office, but the bound with the sensor at the park is higher than with the other two. For all four places the bound for $k = 4$ is exact ({ref}`fano-modes-proof`).
#
# ````{solution-end}
# ````
#
# ```{exercise} When is Markov's inequality sharp? (★, 10 minutes)
# :label: fano-sharp
# Suppose that a guess gets two of four steps right on average. Find a distribution of the number $C$ of right steps for which $\Pr[C \ge 4]$ is $2/4$, and another distribution for which it is 0.
# ```

# %% [markdown]
# ````{solution-start} fano-sharp
# :class: dropdown
# ````
#
# For the probability $2/4$, let $C$ be 4 or 0, each with probability 1/2. For the probability 0, let $C$ always equal 2.

# %% [markdown]
# *Learned:* Markov's inequality is sharp here if either all steps are right or none is.
#
# ````{solution-end}
# ````
#
# ```{exercise} The best in each step (★★, proof, 15 minutes)
# :label: fano-modes-proof
# Show that no guess has a larger mean number of right steps than the posterior modes. Then show that, for $s = 0$, the bound for $k = T$ equals the best possible success if it is computed from the exact largest mean.
# ```

# %% [markdown]
# ````{solution-start} fano-modes-proof
# :class: dropdown
# ````
#
# Given counts $y$, $\mathbb{E}[C \mid y] = \sum_t \Pr[X_t = \hat X_t \mid y] \le \sum_t \max_x \Pr[X_t = x \mid y]$, with equality for the posterior modes. This proves the first statement. For the second, let $k = r = T$. Then $\binom{C}{T}$ is 1 if all steps are right and 0 otherwise, and $\binom{T}{T} = 1$. So the bound is $\sum_y \max_x \Pr[X = x, y]$, which is the success of MAP. For $s = 0$, no guess is better than MAP.
#
# For $k = T$ the recursion finds this largest mean exactly. There is only one set of $T$ steps, so the recursion chooses only one place for each step. In each stretch, the recursion then maximises the probability of a single path, like the Viterbi algorithm. The product over the stretches is the largest probability of a path with the given bits.

# %% [markdown]
# *Learned:* for $k = 1$ the bound depends only on the largest mean number of right steps. For $k = T$ it is the largest probability that every step is right.
#
# ````{solution-end}
# ````
#
# ```{exercise} Why halfway? (★, by hand, 15 minutes)
# :label: fano-half
# Let $Q = 0.16$, so that $\Phi^{-1}(Q)$ is about $-1$. A sensor publishes four counts with noise of $\sigma = 1$. Find the bounds of {prf:ref}`thm-fano-hypothesis` with both references. For which values of $\sigma$ is the bound with the halfway reference below 0.2?
#
# Now let the reference of the hypothesis test be the constant $\rho$ in every step, with $0 \le \rho \le 1$. For a target who is seen in $j$ of the $T$ steps, find the distance $\mu_j$ between the two vectors of means, divided by $\sigma$. Which $j$ makes it largest? Show that the largest distance is smallest for $\rho = 1/2$.
# ```

# %% [markdown]
# ````{solution-start} fano-half
# :class: dropdown
# ````
#
# With the halfway reference $\mu = \sqrt4 / 2 = 1$, so the bound is about $\Phi(-1 + 1) = 0.5$. With the absent reference $\mu = 2$, so the bound is about $\Phi(1)$, which is 0.84. Since $\Phi^{-1}(0.2)$ is about $-0.84$, the first bound is below 0.2 if $\mu = 1/\sigma$ is below about $0.16$, that is, for a $\sigma$ of more than about 6. The first two lines of the output below give more accurate numbers.
#
# In the $j$ steps with a sighting the bit is 1, and its distance from the reference is $1 - \rho$. In the other $T - j$ steps the bit is 0, and its distance is $\rho$. So $\mu_j = \sqrt{j (1 - \rho)^2 + (T - j)\, \rho^2} / \sigma$. The expression under the root is linear in $j$, so it is largest at $j = 0$ or at $j = T$. The largest distance is therefore $\sqrt{T} \max(\rho, 1 - \rho) / \sigma$. It is smallest if $\rho = 1 - \rho$, that is, for $\rho = 1/2$. The numbers for the simulated person with ten places and $\sigma = 3$:

# %%
by_hand = {mu: norm.cdf(norm.ppf(0.16) + mu) for mu in (1, 2)}
print(f"Q = 0.16: halfway {by_hand[1]:.3f}, absent {by_hand[2]:.3f}", end=", ")
print(f"Φ⁻¹(Q) = {norm.ppf(0.16):.2f}, Φ⁻¹(0.2) = {norm.ppf(0.2):.2f},")
most = norm.ppf(0.2) - norm.ppf(0.16)
print(f"halfway below 0.2 if μ is below {most:.2f}, σ above {1 / most:.1f}")
for rho in (0, 0.25, 0.5, 0.75, 1):
    j = np.arange(n_steps + 1)
    mu = np.sqrt(j * (1 - rho) ** 2 + (n_steps - j) * rho**2) / 3
    farthest = norm.cdf(norm.ppf(Q_bound) + mu.max())
    print(f"ρ = {rho}: largest μ {mu.max():.2f} at j = {mu.argmax()}, G {farthest:.3f}")

# %% [markdown]
# *Learned:* a bound for all paths has to hold for the path that is farthest from the reference. The halfway reference is equally far from all paths, so no path is farther away than necessary. For $\rho = 1/2$ the output names $j = 0$, but all $j$ give the same distance.
#
# ````{solution-end}
# ````
#
# ```{exercise} Where do two bounds cross? (★, by hand, 10 minutes)
# :label: fano-crossing
# In the lower panel of {numref}`fig-fano-noise-bounds`, the halfway test falls below the moment bound between $\sigma = 3$ and $\sigma = 10$. Compute at which $\sigma$ they are equal. With a hundred places and ten counts, the moment bound is $9.57 \cdot 10^{-5}$ and the bound on $Q$ is $2.08 \cdot 10^{-5}$. A table of the normal distribution gives $\Phi^{-1}(9.57 \cdot 10^{-5}) \approx -3.730$ and $\Phi^{-1}(2.08 \cdot 10^{-5}) \approx -4.098$. Before you compute it, predict: if forty counts were published instead of ten, and neither of the two numbers changed, would the crossing move to a smaller or to a larger $\sigma$?
# ```

# %% [markdown]
# ````{solution-start} fano-crossing
# :class: dropdown
# ````
#
# The halfway test is $\Phi(\Phi^{-1}(Q) + \mu)$ with $\mu = \sqrt{10} / (2 \sigma)$. It equals the moment bound if $\mu$ is the difference of the two values, $-3.730 + 4.098 = 0.368$. So $\sigma = \sqrt{10} / (2 \cdot 0.368)$, which is about 4.3. For every larger $\sigma$, the halfway test is the smaller of the two. With forty counts $\mu$ would be twice as large for the same $\sigma$, so the crossing would move to twice this $\sigma$.

# %%
of_bound, of_Q = norm.ppf(9.57e-5), norm.ppf(2.08e-5)
print(f"μ = {of_bound:.3f} - ({of_Q:.3f}) = {of_bound - of_Q:.3f}")
for n_counts in (10, 40):
    sigma = np.sqrt(n_counts) / (2 * (of_bound - of_Q))
    print(f"{n_counts} counts: equal at σ = {sigma:.1f}")

# %% [markdown]
# *Learned:* the noise at which the halfway test becomes the smaller bound depends only on the number of counts and on how far the moment bound is above $Q$, measured by the difference of the two values of $\Phi^{-1}$.
#
# ````{solution-end}
# ````
#
# ```{exercise} Laplace noise on one count (★★, 20 minutes)
# :label: fano-laplace
# Suppose that the means of two Laplace distributions differ by $\mu$ times their scale. Then the best test with false positive rate $q$ has the true positive rate `rec.laplace_power(q, mu)` {cite:p}`kaissis2023`. Take the example with two places from the section on noise, but with Laplace noise of scale 2 on the count.
#
# 1. Predict which of the two references gives a sharp bound. Then compute both bounds, and simulate the best attack.
# 2. If two neighbouring data sets differ by the presence of one person, the noisy count is $\varepsilon$-differentially private with $\varepsilon = 1/2$. By the definition of differential privacy, the success is at most $e^{\varepsilon} Q$. What is the value of this bound?
# 3. Apply the definition of differential privacy to the event that the attacker fails. What bound follows, and what does this bound become with the halfway reference?
# ```

# %% [markdown]
# ````{solution-start} fano-laplace
# :class: dropdown
# ````

# %%
noisy = home + rng.laplace(scale=2, size=home.size)
print(f"simulated {((noisy > 0.5) == home).mean():.3f}")
print(f"halfway {rec.laplace_power(0.5, 0.25):.3f}", end=", ")
print(f"absent {rec.laplace_power(0.5, 0.5):.3f}, e^ε Q = {np.exp(0.5) / 2:.3f}")
for reference, epsilon in (("absent", 0.5), ("halfway", 0.25)):
    print(f"failure, {reference}: {1 - np.exp(-epsilon) * (1 - 0.5):.3f}")

# %% [markdown]
# *Learned:* in this example, the bound with the halfway reference is sharp for Laplace noise, too. The bound $e^{\varepsilon} Q$ is larger, because it applies the definition of differential privacy only to the event that the attacker succeeds. The definition also holds for the event that the attacker fails. It then gives $1 - p \ge e^{-\varepsilon} (1 - Q)$, so $p$ is at most 0.697. The hypothesis test with the absent reference gives the same bound. With the halfway reference, the two means are only half as far apart, so $\varepsilon$ becomes $\varepsilon / 2$. The same inequality then gives 0.611, the sharp value.
#
# ````{solution-end}
# ````
#
# ```{exercise} Counting answers (★, 10 minutes)
# :label: fano-two-bounds
# The counting bound of the last chapter is $2^T Q$ for $T$ exact counts, and {ref}`fano-doubling` proves it. There we used the right side of Eq. 5 as an upper bound on $Q$. Use `rec.moment_ball(rec.distance_chain(m, tau), n_epochs, allowed_errors)` instead, and compare the counting bound with the tight bound and the moment bound from the table of map sizes $M$.
#
# First work by hand. With a hundred places the mean tight bound is 0.098. How small must $Q$ be for the counting bound to be below it? Then guess on which maps $Q$ is small enough, and compute.
# ```

# %% [markdown]
# ````{solution-start} fano-two-bounds
# :class: dropdown
# ````

# %%
means = sweep.groupby("M")[["tight", "moments"]].mean()
for m in map_sizes:
    Q_bound_m = bound_on_Q(m)
    tight = means.loc[m, "tight"]
    print(
        f"M = {m}: bound on Q {Q_bound_m:.2g}, tight / 2^T {tight / 2**n_epochs:.2g};",
        end=" ",
    )
    print(f"counting bound {min(1, 2**n_epochs * Q_bound_m):.3g}", end=", ")
    print(f"tight {tight:.3g}, moments {means.loc[m, 'moments']:.3g}")

# %% [markdown]
# By hand: the counting bound $2^{10} Q$ is below 0.098 if $Q$ is below $0.098 / 1024$, which is just under $10^{-4}$. The output shows this limit for each map. With 50 places the bound on $Q$ is more than twice the limit, and with a hundred places it is about a fifth of it.
#
# *Learned:* the counting bound is proportional to $Q$. The tight bound depends on $Q$ only through $\log(1/Q)$, so it falls much more slowly as $Q$ becomes smaller. On the two largest maps, $Q$ is so small that this difference matters more than the factor $2^T$, and the counting bound is smaller than the tight bound. But even there the counting bound is far too high. It treats all $2^T$ sequences of bits alike, although most of them are improbable because a random sensor seldom meets the target. The moment bound weighs the sequences by their probability, and it is smaller than both.
#
# ````{solution-end}
# ````
#
# ```{exercise} What makes the tight bound loose? (★★, 25 minutes)
# :label: fano-which
# The tight bound has three ingredients: the information $I$, the upper bound on $Q$, and an inequality. Replace them one after another by better ones, and keep the earlier replacements. Use exact counts, the simulated person with 100 places, and the sensors `at = np.arange(0, 100, 10)` on the map `line = rec.distance_chain(100, 0.1)`.
#
# - Information: use the exact information, `rec.mutual_information(line, at, information="exact")`. (`rec.tight_bound` accepts `information="exact"`, too.)
# - Inequality: use the full inequality from {ref}`fano-tight-proof`, with `form="kl"`. With this option, the right side of Eq. 5 is still used for $Q$.
# - $Q$: call `largest_allowed` from above with two values. The first is the upper bound on $Q$, `rec.moment_ball(...)`. The second is a lower bound on $Q$, the success of one particular guess without counts, `rec.exact_loss(line, at, 5, "prior")`.
#
# Compare each result with `rec.tight_bound` and `rec.moment_bound`. Does one of the three ingredients make the tight bound loose, or is it something else?
# ```

# %% [markdown]
# ````{solution-start} fano-which
# :class: dropdown
# ````

# %%
walker_100, sensors_100 = rec.distance_chain(100, 0.1), np.arange(0, 100, 10)
information = rec.mutual_information(walker_100, sensors_100, information="exact")
in_turn = {
    "the paper's": rec.tight_bound(walker_100, sensors_100, 5),
    "exact information": rec.tight_bound(
        walker_100, sensors_100, 5, information="exact"
    ),
    "full inequality": rec.tight_bound(
        walker_100, sensors_100, 5, information="exact", form="kl"
    ),
    "Q by moments": largest_allowed(information, rec.moment_ball(walker_100, 10, 5)),
    "lower bound on Q": largest_allowed(
        information, rec.exact_loss(walker_100, sensors_100, 5, "prior")
    ),
    "moment bound": rec.moment_bound(walker_100, sensors_100, 5),
}
for name, bound in in_turn.items():
    print(f"{name}: {bound:.6f}")

# %% [markdown]
# *Learned:* with a hundred places and exact counts, better ingredients help only a little. Even with a lower bound on $Q$ and the exact information, the result is far above the moment bound. The main reason is that the tight bound uses the counts only through one number, the information $I$. It must hold even if a few cases carry all the information. In other settings the ingredients matter more. With ten places and noise of $\sigma = 1$, better ingredients lower the tight bound from 1 to 0.53, as the folded table of all five bounds shows.
#
# ````{solution-end}
# ````
#
# ```{exercise} Where does the greedy sensor stand? (★, by hand, 15 minutes)
# :label: fano-greedy
# The operator tracks Dan with a greedy sensor, which stands where the probability of seeing him is closest to 1/2. Use Dan's transition table and fractions. Where does the sensor stand in step 1? Where does it stand in step 2 if it saw Dan in step 1, and where if it did not? If it saw him in neither step, where does it stand in step 3, and how many nats does its third bit carry?
# ```

# %% [markdown]
# ````{solution-start} fano-greedy
# :class: dropdown
# ````
#
# In step 1, the station has the probability $2/7$ and each other place with a sensor has $1/7$, so the sensor stands at the station. If it sees Dan there, he is at home or elsewhere in step 2, each with probability 1/2, and the sensor stands at his home.
#
# If it does not see him, home, office and park each have the probability $1/5$, and elsewhere has $2/5$. One move later, he is at the station with probability $\frac15 + \frac25 \cdot \frac12 = \frac25$, and at the office, at the park and elsewhere with $\frac15$ each. So the sensor stands at the station again. If it does not see him there either, office, park and elsewhere have the probability $\frac13$ each. In step 3 he is then at the station with probability $\frac13 + \frac13 \cdot \frac12 = \frac12$. The sensor stays at the station, and its bit carries $\log 2$ nats.

# %%
belief = dan.initial
for step_number in (1, 2, 3):
    sensor = np.abs(belief[:4] - 0.5).argmin()
    p = belief[sensor]
    bit = -(p * np.log(p) + (1 - p) * np.log(1 - p))
    print(f"step {step_number}: {places[sensor]} with {p:.3f}, bit of {bit:.3f} nats")
    belief = belief * (np.arange(5) != sensor)  # not seen
    belief = belief / belief.sum() @ dan.transition

# %% [markdown]
# *Learned:* the second sensor depends on the first bit: it stands at home after a sighting and at the station otherwise. A schedule cannot do this, because it has to choose one place for both cases.
#
# ````{solution-end}
# ````
#
# ```{exercise} How much smoothing? (★★, 15 minutes)
# :label: fano-smoothing
# Repeat the experiment with a known truth for the pseudocounts 0.01 and 0.3, with 20 and 100 days. Before you run it, predict the order of the mean bounds for the pseudocounts 0.01, 0.1, 0.3 and 1 after 20 days. Which pseudocount gives a mean nearest to the bound of the true model? How many single bounds are false?
# ```

# %% [markdown]
# ````{solution-start} fano-smoothing
# :class: dropdown
# ````

# %%
print(f"true model: moment bound {true_bound:.2f}, best success {best_success:.3f}")
tried = []
for days in (20, 100):
    walks = walks_of[days]
    for pseudocount in (0.01, 0.1, 0.3, 1.0):
        for bound in bounds_from(walks, five_sensors, pseudocount, 10):
            tried.append({"days": days, "added": pseudocount, "bound": bound})
tried = pd.DataFrame(tried)
plots.show_table(figures.days_table(tried, true_bound, best_success), "smoothing")

# %% [markdown]
# *Learned:* the mean bound falls as the pseudocount grows. After 100 days, the pseudocount 0.3 gives the mean that is nearest to the bound of the true model, and none of its bounds is false. After 20 days, the means with the pseudocounts 0.3 and 1, 0.36 and 0.20, are about equally far from the 0.27 of the true model, on opposite sides of it. With 0.3, 2 of the twenty bounds are false, and with 1, 7 of them.
#
# The best pseudocount depends on the person and on the number of days. You can estimate it from the walk, by checking how well it predicts each move from the earlier ones. After 20 days this estimate is poor, as the next exercise shows.
#
# ````{solution-end}
# ````
#
# ```{exercise} A finer choice of the pseudocount (★★, 20 minutes)
# :label: fano-finer
# The section [on choosing the pseudocount](fano-choose) had only three candidates. Add 0.01, 0.03, 0.2, 0.5 and 2. Which pseudocounts predict best after 20 and after 100 days, and how many of the bounds are then false? Before you run it: should more candidates make the bounds after 20 days better?
#
# Then return to Dan, who makes each move only once. Which $a$ predicts his diary best?
# ```

# %% [markdown]
# ````{solution-start} fano-finer
# :class: dropdown
# ````

# %%
finer = [0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0]
for days in (20, 100):
    walks = walks_of[days]
    found, chosen = [], []
    for walk in walks:
        chosen.append(most_predictive(walk, finer))
        found.append(bounds_from([walk], five_sensors, chosen[-1], 10)[0])
    found = np.array(found)
    print(f"{days} days:", dict(sorted(Counter(chosen).items())), end="; ")
    print(f"mean bound {found.mean():.2f}, {(found < best_success).sum()} false")

# %% [markdown]
# *Learned:* if the walk is short, more candidates do not improve the choice. After 20 days the choices are spread from 0.3 to 2, and 8 of the twenty bounds are false. After 100 days, 0.3 is best for 16 of the walks, and one bound is false. For Dan, the two predictions that depend on $a$ are $a / (1 + 5a)$. They grow with $a$ towards 1/5, so no finite $a$ is best. A diary in which no move is repeated is most probable for a person without habits.
#
# ````{solution-end}
# ````
#
# ```{exercise} A test that knows the sensors (★★★, an evening)
# :label: fano-sensors
# The hypothesis test assumes that every count carries information about the target. Improve it for known sensors. Let the reference be the constant $\rho$ in every step. For a target who is seen in $j$ of $T$ steps, the distance between the two means, divided by $\sigma$, is then $\mu_j = \sqrt{j (1 - \rho)^2 + (T - j) \rho^2} / \sigma$. For given sensors, the number of sightings has a distribution $p_j$, which you can compute along the chain. Show that the success is at most the maximum of $\sum_j p_j\, G(q_j, \mu_j)$ over all $q_j$ with $\sum_j p_j q_j \le Q$. Then compute this maximum.
#
# *A good answer* checks that the bound is never below the success of a simulated attack. It also shows for which $\sigma$ the bound is below the other five bounds with a hundred places.
# ```
#
# ```{exercise} An attacker who knows less (★★★, an evening)
# :label: fano-less
# The paper's conclusion asks for an attacker who does not know where everybody else is. Assume that the attacker knows only the mobility models of the other people, like the auxiliary attacker of [](thresholds.ipynb). In each step, the count is then the target's bit plus a sum of independent bits, one for each of the other people. Write down the likelihood of a single count. The counts of different steps are not independent, because the other people move along chains. Nevertheless, treat them as independent, and use the product of the likelihoods in MAP. Call this attack *approximate MAP*. For the simulated person with ten places, plot the success of the attack against the number of other people.
#
# For comparison, add the curve that {prf:ref}`thm-fano-hypothesis` gives for normal noise whose variance equals that of the other people's counts. Explain why this curve is not a bound on the success of an attack on counts that include other people.
#
# *A good answer* shows the two extremes in the plot: the maximum a priori guess, and the attacker who knows where everybody else is. It gives intervals over runs, and discusses how the results might change without the assumption of independence. It also says in one sentence how much normal noise would protect the target about as well as the presence of the other people does.
# ```

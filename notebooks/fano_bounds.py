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
# - The most probable path is not the best guess if some steps may be wrong. What is better?
# - The bounds of {cite:t}`fanoloss` may be far above any attack. Is there a bound that follows the attack?
# - On a small map, the paper's tight bound stays at 1, however much noise is added. Which bound falls with the noise?
# - So far, sensors do not react to what they count. What if they do?
# - The mobility model came from a short diary. How far do the results depend on so few observations?
#
# None of the answers is in the paper. After this chapter you can
#
# - guess one step at a time, and say when that is better than guessing a whole path;
# - derive a bound from Markov's inequality, and another one from a hypothesis test;
# - choose the best of four bounds for a given noise and map;
# - say how much of a measured bound is due to the person, and how much to the days that nobody observed.
#
# *The figure to remember:* {numref}`fig-fano-noise-bounds`. *A question for a class:* Two analysts estimate Dan's mobility model from the same diary. One finds that the best attacker succeeds with probability 0.57, the other with 0.06. Which number would you publish? *Two common mistakes:* students think that a guess must be a possible path, and that a smaller bound is always the better one. A bound from a wrong mobility model can be too low.
#
# ```{admonition} In ninety minutes
# :class: tip
# | minutes | what |
# |---|---|
# | 15 | [step by step](fano-modes), with {numref}`fig-fano-modes` |
# | 30 | [counting right steps](fano-gap): Dan's four bounds on the board, with {ref}`fano-sharp` on paper |
# | 30 | [noise](fano-noise): the two places, the two worlds, and {numref}`fig-fano-noise-bounds` |
# | 15 | [short diaries](fano-unseen), with the question for the class |
#
# The recursion behind the moment bound, the proof of the bound from hypothesis tests and [sensors that choose](fano-adaptive) are for reading at home.
# ```

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
# We return to Dan and the mobility model from his diary. This time the sensor stands at his home for four hours, and it never sees him. We list all paths and keep those that agree with these counts. Then, for each step and each place, we add up the probabilities of the paths that are at this place in this step. The result is the **posterior marginal** distribution of each step: where Dan may be in that step, given all counts.

# %%
import numpy as np
from lib import reconstruction as rec
from lib.datasets import load
from lib.papers import figures as plots
from lib.papers.fano_loss import experiments as fano
from lib.papers.fano_loss import figures

plots.use_style()
six = load("six-users")
places, HOME = [*six.rois.index, "elsewhere"], 0
dan = fano.diary_chain(six, "Dan")
paths = np.indices((5,) * 4).reshape(4, -1).T
probability = np.exp(dan.log_probability(paths))
unseen = (paths != HOME).all(axis=1)
marginals = np.array([np.bincount(x[unseen], probability[unseen], 5) for x in paths.T])
marginals = marginals / probability[unseen].sum()  # step x place

# %% [markdown]
# ````{prf:definition} Posterior modes
# :label: def-fano-modes
# The posterior modes are the guess that names, for each step on its own, the most probable place given all counts: $\hat X_t = \arg\max_x \Pr[X_t = x \mid \text{counts}]$. The literature also calls this *posterior decoding* or the *maximum posterior marginal* (MPM) guess.
# ````
#
# If there are too many paths to list, two passes compute the same distributions in time $T M^2$:
#
# ````{prf:algorithm} Forward-backward algorithm
# :label: alg-fano-modes
# Let $\ell_t(x)$ be the likelihood of the count in step $t$ at place $x$.
# 1. Forward: $\alpha(1, x) = \ell_1(x)\, \pi(x)$, and $\alpha(t, x) = \ell_t(x) \sum_{x'} \alpha(t-1, x')\, P(x', x)$.
# 2. Backward: $\beta(T, x) = 1$, and $\beta(t, x) = \sum_{x'} P(x, x')\, \ell_{t+1}(x')\, \beta(t+1, x')$.
# 3. $\hat X_t = \arg\max_x \alpha(t, x)\, \beta(t, x)$.
# ````
#
# It is the Viterbi algorithm ({prf:ref}`alg-fano-map`) with sums instead of maxima, once from each end:

# %%
likelihood = (np.arange(5) != HOME).astype(float)  # not at home, in every step
forward, backward = [likelihood * dan.initial], [np.ones(5)]
for _ in range(3):
    forward.append(likelihood * (forward[-1] @ dan.transition))
    backward.append(dan.transition @ (likelihood * backward[-1]))
both = np.array(forward) * backward[::-1]
print("as listed:", np.allclose(both / both.sum(axis=1, keepdims=True), marginals))

# %% [markdown]
# How do the two guesses differ? Given these counts, four paths are equally probable, and MAP may name any of them. The last line shows the posterior modes.

# %%
tied = paths[unseen & np.isclose(probability, probability[unseen].max())]
for guess in (*tied, marginals.argmax(axis=1)):
    right = marginals[range(4), guess].sum()
    whole = np.exp(dan.log_probability(guess)) / probability[unseen].sum()
    names = ", ".join(places[x] for x in guess)
    print(f"{names}: {right:.2f} right steps on average, as a path {whole:.2f}")

# %% mystnb={"figure": {"name": "fig-fano-modes", "caption": "Where Dan may be in each of four steps, if no count saw him at home (posterior marginals as shades and numbers). The posterior modes say elsewhere four times. That path is impossible, because his diary never has him elsewhere twice in a row, and yet more of its steps are right on average. MAP is drawn for one of the four tied paths."}, "image": {"alt": "A grid of steps by places, shaded by probability. MAP moves between places; the posterior modes stay elsewhere in all four steps."}} tags=["hide-input"]
taken = rec.viterbi_trajectory(dan, np.full(4, HOME), np.zeros(4))
figures.show_posterior(
    marginals, places, {"MAP": taken, "marginal": marginals.argmax(axis=1)}
)

# %% [markdown]
# The posterior modes have 1.86 right steps on average, and none of the paths that MAP may name has more than 1.57. But all four of these steps cannot be right at once, because the posterior modes are not a possible path.
#
# That was one sequence of counts. The table takes all sequences that the sensor may publish into account. It shows the probability that at most $s$ steps of a guess are wrong. For MAP there are two numbers: its success if ties are broken in the worst way, and in the best way.

# %%
of_dan = fano.losses_by_errors(dan, np.full(4, HOME))
ties = fano.map_with_ties(dan, np.full(4, HOME)).round(3).astype(str)
table = of_dan[["prior", "marginal", "best"]].rename(columns=figures.WORDS)
table.insert(1, "MAP, by ties", ties["least"] + " to " + ties["largest"])
plots.show_table(table, "by-errors")

# %% [markdown]
# **For Dan it is best to guess a path if almost all steps must be right, and to guess step by step if a few right steps are enough.** MAP is best for $s = 0$ and $s = 1$, however its ties are broken. The posterior modes are best for $s = 2$ and $s = 3$.
#
# How much of this is general? Two facts are. For $s = 0$ no guess is better than MAP, and no guess has more right steps *on average* than the posterior modes. Between these ends it depends on the person: [below](fano-gap) we meet one for whom MAP is better although half of the steps may be wrong.

# %% [markdown]
# (fano-gap)=
# ## Can counting right steps bound every attacker?
#
# Let $C$ be the number of right steps of a guess. Its mean $\mathbb{E}[C]$ is a sum over steps, and in each step the posterior modes do the best that can be done. So no guess has a larger mean than the posterior modes.
#
# This limits the success of *every* guess. Suppose that no guess has more than 2.82 of four steps right on average. If all four steps were right with probability $p$, these cases alone would contribute $4p$ to the average, and the other cases cannot contribute less than 0. So $4p \le 2.82$, and $p$ is at most 0.705. This is **Markov's inequality**.
#
# Why count single steps only? A guess with $r$ right steps also has $\binom{r}{2}$ right pairs, $\binom{r}{3}$ right triples, and so on. We can count those instead.
#
# ````{prf:theorem} Moment bound
# :label: thm-fano-moments
# For every guess and $1 \le k \le r$: $\ \Pr[C \ge r] \le \mathbb{E}\binom{C}{k} \big/ \binom{r}{k}$.
# ````
#
# ````{prf:proof}
# $\binom{C}{k} \ge \binom{r}{k}$ if $C \ge r$, and $\binom{C}{k} \ge 0$ otherwise. Take means.
# ````
#
# To bound *all* attackers, we need the largest mean that any guess can have. For Dan we enumerate: for each of the 16 sequences of bits, take the guess with the largest mean, for $k = 1, \dots, 4$. All four steps must be right, so $r = 4$.

# %%
from scipy.special import binom

answers = (paths == HOME) @ [8, 4, 2, 1]
joint = probability[:, None] * np.eye(16)[answers]  # path x answer
right = (paths[:, None] == paths).sum(axis=2)  # guess x path
for k in (1, 2, 3, 4):
    largest_mean = (binom(right, k) @ joint).max(axis=0).sum()
    bound = largest_mean / binom(4, k)
    print(f"k = {k}: {largest_mean:.3f} / {binom(4, k):.0f} = {bound:.3f}")

# %% [markdown]
# The first line is the 2.82 from above. The second line counts pairs. Four right steps contain six right pairs, and no guess has more than 3.5 right pairs on average. So all four steps are right with probability at most 0.583. This is less than 0.705, because a guess with one or two right steps has few right pairs or none: it counts for $k = 1$ and hardly counts for $k = 2$. The last line is 0.464, which is exactly the success of MAP. So for Dan's whole path, the bound with $k = 4$ cannot be improved.
#
# ### How is the largest mean computed without enumeration?
#
# We begin without counts. We call a set of $k$ steps right if the guess is right in every step of the set. The mean number of right sets is a sum of probabilities, one for each set. Each of these is a product along the chain: the probability of the first place, times the probabilities of getting from each place to the next. A recursion over the last right step finds an upper bound on this sum. Let $F_k(t, x)$ bound the part of the sum that comes from sets whose last step is $t$, if the guess for step $t$ is $x$:
#
# $$F_1(t, x) = \Pr[X_t = x], \qquad F_k(t, x) = \sum_{u < t} \max_y F_{k-1}(u, y)\, P^{t-u}(y, x),$$
#
# and the sum is at most $\sum_t \max_x F_k(t, x)$. It is only an upper bound, because each maximum may choose a different place for the same step. A real guess must name the same place in all sets. In code, for the simulated person on ten places:

# %%
n_steps, required = 10, 5
walker = rec.distance_chain(10, 0.1)
step = [np.linalg.matrix_power(walker.transition, gap) for gap in range(n_steps)]
F = walker.marginals(n_steps)  # step t x place x, for k = 1
bounds = []
for k in range(1, required + 1):
    largest_mean = F.max(axis=1).sum()
    bounds.append(largest_mean / binom(required, k))
    earlier, F = F, np.zeros_like(F)
    for t in range(n_steps):
        for u in range(t):
            F[t] += (earlier[u][:, None] * step[t - u]).max(axis=0)
print("by k:", np.round(bounds, 3))
print(f"smallest {min(bounds):.3f}, library {rec.moment_ball(walker, 10, 5):.3f}")

# %% [markdown]
# Every $k$ gives a valid bound, so we take the smallest. Without any count, no guess has five or more of the ten steps right with a probability above 0.137. This number bounds $Q$, the best success without counts, and we will need it below.
#
# With exact counts, a sighting is a right step for certain, and it [cuts the path](fano-fig5). The library runs the same recursion on each stretch between two sightings, and combines the stretches (`moment_bound`). For Dan this gives one bound for each number of required steps $r$ and each $k$; the smallest number in a row is the bound.

# %%
orders = fano.moment_orders(dan, np.full(4, HOME))
orders["best attack"] = of_dan["best"].to_numpy()[::-1]
plots.show_table(orders.round(3).rename_axis("r"), "orders")

# %% [markdown]
# For $r = 4$ and $k = 4$ the bound is exact. For $k = 2$ and $k = 3$ the recursion gives slightly more than the enumeration above, 0.607 instead of 0.583 and 0.536 instead of 0.518. This is the price of letting each set choose its own places. For two or three required steps, the bound is above the best attack.
#
# Is the bound ever below the best attack? We check it on the two hundred random chains of the [last chapter](fano-bounds). The table shows each bound minus the best possible success, for the chains on which the best success is below 0.9.

# %%
cases = fano.enumerated_chains(["analytic"], seed=seed)
hard = cases[cases["best"] < 0.9]
too_low = (cases["moments"] < cases["best"] - 1e-9).sum()
equal = np.isclose(hard["moments"], hard["best"]).sum()
print(f"moment bound below the best success: {too_low} of {len(cases)} chains")
print(f"best success below 0.9: {len(hard)} chains; equal on {equal} of them")
plots.show_table(figures.case_table(hard, ["moments", "tight"]), "moments-truth")

# %% [markdown]
# The moment bound is never below the best success. On more than half of the chains in the table, the two are equal. The tight bound is never equal to the best success on these chains.
#
# ### On the simulated person
#
# We return to the simulated person of the last chapter, who walks on a line of $M$ places. Five of the ten steps may be wrong. The table shows means and 95% intervals over sequences of sensors.

# %%
person = {"n_epochs": n_epochs, "allowed_errors": allowed_errors}
person |= {"tau": tau, "seed": seed}
drawn = person | {"map_sizes": map_sizes, "n_sequences": n_sequences}
by_map = {"simulated": [("M", m) for m in map_sizes]}
sweep = fano.sweeps(["simulated"], units=by_map, times=[], **drawn)
lines = ["MAP", "marginal", "moments", "tight"]
plots.show_table(figures.swept_table(sweep, lines, "places M"), "maps")

# %% mystnb={"figure": {"name": "fig-fano-gap", "caption": "The simulated person by the size of the map, with 95% intervals over sequences of sensors and logarithmic axes. The moment bound falls together with the attacks. The bounds from information theory fall far more slowly."}, "image": {"alt": "Logarithmic plot against the number of places: MAP and posterior modes fall together over five powers of ten; the moment bound runs just above them; the tight bound falls to 0.04, the loose one to 0.4."}} tags=["hide-input"]
lines = ["loose", "tight", "moments", "marginal", "MAP"]
figures.show_swept(sweep, lines, "places M", each=True)

# %% [markdown]
# How far is each bound above the better of the two attacks? We divide the means:

# %%
means = sweep.groupby("M")[["moments", "tight", "MAP", "marginal"]].mean()
attack = means[["MAP", "marginal"]].max(axis=1)
ratios = means[["moments", "tight"]].div(attack, axis=0).rename(columns=figures.WORDS)
plots.show_table(ratios.map("{:,.1f}".format).rename_axis("places M"), "ratios")

# %% [markdown]
# **The moment bound stays within a factor of three of the better attack.** From 50 places on, the tight bound is too high by powers of ten. The reason is what each bound takes into account. The tight bound uses only one number about the counts, the information $I$. This number is the same if counts reveal the whole path in a few cases and nothing otherwise, and the bound must hold in this case, too. The moment bound uses what each single count reveals.
#
# Which attack is better? The difference of the two attacks is paired, because both face the same sequences of sensors:

# %%
plots.show_table(figures.gain_table(sweep), "gain")

# %% [markdown]
# With ten places the posterior modes are better. With 20 the comparison is inconclusive, and from 50 on MAP is better. A likely reason is that five right steps are rare on a large map. They are least improbable if the guessed steps fit together, so that one right step makes the next one more probable. The steps of MAP always fit together, because they form one possible path. The posterior modes are chosen one by one.
#
# ```{note}
# The factor of three holds for ten steps. It grows with the length of the path: in the [replication](fano-replicated-fig5) it is four for twenty steps. The paper says that its bounds "get tight when M is large". The difference between the tight bound and the attack does become small, because both become small. But from 50 places on, their ratio grows with $M$.
# ```

# %% [markdown]
# (fano-noise)=
# ## How much does noise guarantee?
#
# The moment bound of the last section is about exact counts. A data holder who adds noise wants to know how much protection it guarantees. **Hypothesis testing** {cite:p}`hayes2023,kaissis2023` gives an answer that takes one line of code.
#
# ### Two places and one noisy count
#
# Dan is at home or at the office, each with probability 1/2. A sensor at home publishes his bit plus normal noise of standard deviation $\sigma$. The best attacker says "home" if the noisy bit is above 1/2, and is right unless the noise exceeds 1/2 in the wrong direction. So the best possible success is $\Phi(1 / (2 \sigma))$, where $\Phi$ is the normal distribution function.

# %%
from scipy.stats import norm

rng = np.random.default_rng(seed)
home = rng.integers(0, 2, 100_000)
for sigma in (0.5, 1.0, 3.0):
    says_home = home + rng.normal(scale=sigma, size=home.size) > 0.5
    simulated, formula = (says_home == home).mean(), norm.cdf(1 / (2 * sigma))
    print(f"σ = {sigma}: simulated {simulated:.3f}, by formula {formula:.3f}")

# %% [markdown]
# ### The attacker as a test
#
# For longer paths we cannot write down the best attacker. Instead we imagine a world in which the counts are useless. In this **reference world**, the attacker receives noise around fixed numbers that have nothing to do with the target's path. Every guess then succeeds with probability at most $Q$, the best success without counts.
#
# How much more can the attacker achieve with the real counts? Fix a path $x$ of the target. The attacker "accepts" $x$ if the guess comes within $s$ errors of it. This is a test between two distributions of the counts: the one that $x$ produces, and the reference. Its false positive rate is the probability of accepting $x$ in the reference world, and its true positive rate is the probability of accepting $x$ in the real world. Averaged over the target's paths, these are the probabilities of success in the two worlds.
#
# The Neyman-Pearson lemma ({prf:ref}`thm-neyman-pearson`) says which test is best. If the two distributions are normal and their means are $\mu$ standard deviations apart, then the best test with false positive rate $q$ has true positive rate
#
# $$ G(q, \mu) = \Phi\big(\Phi^{-1}(q) + \mu\big) . $$
#
# What is $\mu$? It depends on the reference. In the literature, the reference is a release without the target: every bit is 0. We call it the *absent* reference. A target who is seen in $j$ steps is then $\sqrt{j} / \sigma$ away, which is at most $\sqrt{T} / \sigma$. We may choose a better reference. In the *halfway* reference, every bit is **1/2**. Then each real bit, 0 or 1, is exactly 1/2 away, and $\mu = \sqrt{T} / (2 \sigma)$ for every path. Nobody can count half a person, but the reference need not be possible. It only has to be independent of the target.
#
# ````{prf:theorem} Bound from hypothesis tests
# :label: thm-fano-hypothesis
# For every guess from $T$ counts with independent normal noise of standard deviation $\sigma$, and for all sensors,
#
# $$\Pr[d(X, \hat X) \le s] \;\le\; G\Big(Q, \tfrac{\sqrt T}{2 \sigma}\Big) \;\le\; G\Big(Q, \tfrac{\sqrt T}{\sigma}\Big) .$$
#
# The last expression, on the right, is the bound of {cite:t}`hayes2023` for this release.
# ````
#
# ````{prf:proof}
# For a path $x$, let $q_x$ be the probability in the reference world that the guess is within $s$ errors of $x$. In the real world this probability is at most $G(q_x, \mu)$, by the Neyman-Pearson lemma. Now average over the target's path. $G$ is concave in its first argument, so the average of $G(q_X, \mu)$ is at most $G(\mathbb{E}[q_X], \mu)$. In the reference world the guess is independent of the path, so $\mathbb{E}[q_X] \le Q$. Finally, $G$ increases in both arguments.
# ````
#
# For two places and one count we have $Q = 1/2$, so $\Phi^{-1}(Q) = 0$, and the bound is $\Phi(1 / (2\sigma))$. That is exactly the success of the best attack. With the reference of the literature the bound is $\Phi(1 / \sigma)$, which is too high.
#
# For the simulated person, $Q$ is at most the 0.137 of the last section. So the bound is one line, here for $\sigma = 10$:

# %%
Q = rec.moment_ball(walker, 10, 5)
for reference, distance in (
    ("absent", np.sqrt(10) / 10),
    ("halfway", np.sqrt(10) / 20),
):
    by_hand = norm.cdf(norm.ppf(Q) + distance)
    library = rec.hypothesis_bound(walker, 10, 5, 10.0, reference)
    print(f"{reference}: {by_hand:.3f}, library {library:.3f}")

# %% [markdown]
# ### Which of four bounds is best?
#
# We compare four bounds on the simulated person with ten and with a hundred places: the paper's tight bound, the moment bound, and the two bounds from hypothesis tests. The moment bound needs an extension, because the recursion is for exact counts. Noise cannot help an attacker, who could add it to exact counts. So the moment bound for exact counts remains valid under noise, but it does not fall. Therefore the library computes a second bound from the information in the noisy counts, and reports the smaller of the two. The second bound is the tight bound with three improvements: it uses the bound on $Q$ from counting right steps, the exact information of each noisy count on its own, and the [full inequality](fano-tight-proof).
#
# In the table, *tight* is the paper's bound, *moment* is the moment bound, and *test* is the bound from hypothesis tests with either reference. We compare them with the best attack that we know. The candidates are:
#
# - the better of two guesses that ignore the counts. Their success is computed exactly.
# - an attacker who rounds each noisy count to 0 or 1, and then makes the better of the two guesses for exact counts. All $T$ bits are right with probability $\Phi(1/(2\sigma))^T$. This number times the success under exact counts is a lower bound on the success of this attacker.
# - MAP and the posterior modes with noisy counts. Their success is simulated, so they count only if they are significantly better than the other candidates.

# %%
sigmas = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0]
largest = max([m for m in map_sizes if m <= 100], default=map_sizes[0])
two_maps = person | {"map_sizes": sorted({map_sizes[0], largest})}
compared = fano.noise_comparison(
    sigmas, n_sequences=n_sequences, n_runs=4000, **two_maps
)
plots.show_table(figures.comparison_table(compared), "four-bounds")

# %% mystnb={"figure": {"name": "fig-fano-noise-bounds", "caption": "Four bounds on the success of any attacker against the noise, and the best known attack (grey area), for five of ten steps right. On the small map the moment bound is the smallest at every noise, and the halfway hypothesis test meets it when noise is strong. On the large map the moment bound is the smallest up to σ = 3 and the halfway test from σ = 10 on. The paper's tight bound is never the smallest."}, "image": {"alt": "Two panels with logarithmic axes, ten and a hundred places: probability of success against the standard deviation of the noise. With ten places the tight bound stays at 1, the two hypothesis tests and the moment bound fall towards 0.14. With a hundred places the tight bound falls slowly, the moment bound is level near 0.0001, and the two hypothesis tests fall from 1 to below it."}} tags=["hide-input"]
figures.show_comparison(compared)

# %% [markdown]
# **With weak noise use the moment bound. With strong noise use the hypothesis test with the halfway reference; on a small map the moment bound is as good. The paper's tight bound is never the best of the four.**
#
# - *Ten places.* The tight bound is 1 at every noise. At $\sigma = 10$ the test with the absent reference, which is the bound in the literature, gives 0.22. The moment bound and the test with the halfway reference both give 0.17.
# - *A hundred places.* At $\sigma = 1$ the test with the absent reference is still above the tight bound; at $\sigma = 3$ it is below. At $\sigma = 10$ the test with the halfway reference is below the moment bound by a factor of more than two.
#
# The reason is what each bound takes into account. The moment bound takes the sensors and the exact counts into account, but hardly the noise. The hypothesis test uses the noise, but not the sensors: it assumes that every single count carries information about the target. With weak noise this assumption is expensive, because a random sensor on a large map seldom meets the target.
#
# ```{note}
# - All four bounds hold at once, so their minimum is a bound, too. The best possible success lies between the best attack that we know and this minimum, and we do not know where. With ten places and $\sigma = 10$ it is between 0.056 and 0.17.
# - With a hundred places, five right steps are too rare to be simulated. From $\sigma = 1$ on, the column *best attack* therefore has a guess that ignores the counts. An attacker who uses the counts may do better.
# - The halfway reference is ours. It follows from the argument of the literature, and we have not seen it there.
# - Both hypothesis tests hold for any sensors, because a count is never farther from the reference than the bound assumes, wherever its sensor stands. They even hold for sensors that react to the counts, as in the [next section](fano-adaptive). With the halfway reference this is easy to see. Whichever sensor is chosen, the next bit differs from the reference by exactly 1/2. The evidence that each count adds therefore has the same distribution as with fixed sensors. For the absent reference it follows from the adaptive composition of Gaussian mechanisms.
# - The other two bounds, as computed here, assume fixed sensors.
# ```

# %% [markdown]
# (fano-adaptive)=
# ## What if sensors choose where to look?
#
# In the paper, sensors do not react to the counts. It leaves **adaptive sensors**, which do, to future work. Imagine an operator who wants to track the target. In each step they switch on the sensor whose answer is most informative. By {numref}`fig-fano-bit` the target should be at this sensor with a probability as near to 1/2 as possible. This strategy is *greedy*: it looks only at the next answer. After each answer, the operator rules out the places that contradict it, and uses the mobility model to predict the next step.
#
# Dan walks from the station to his home, then to the office, and back to the station:

# %%
belief = dan.initial
for true in [1, 0, 2, 1]:
    sensor = np.abs(belief[:4] - 0.5).argmin()  # elsewhere has no sensor
    agrees = (np.arange(5) == sensor) == (true == sensor)
    print(f"{places[sensor]}: {'seen' if true == sensor else 'not seen'},", end=" ")
    posterior = belief * agrees / (belief * agrees).sum()
    belief = posterior @ dan.transition  # one step later
    print("next", {places[x]: f"{belief[x]:.2f}" for x in belief.nonzero()[0]})

# %% [markdown]
# The sensor met Dan twice. After that, the attacker knew his place for two hours without seeing him, because his diary allows only one continuation. (In these two hours no sensor could add anything. All are equally good, and the code takes the first one, at home.)
#
# Do greedy sensors help the attacker of the simulated person? We simulate runs with greedy and with random sensors, for small maps and exact counts. Under exact counts, the information is the entropy of the answers. In a run with greedy sensors, we add up the entropy of each answer just before it is given; the mean over runs estimates the information.

# %%
small_maps = [m for m in map_sizes if m <= 50] or map_sizes[:1]
adaptive = fano.adaptive(
    ["simulated"], map_sizes=small_maps, n_runs=n_adaptive, **person
)
table = figures.adaptive_table(adaptive).drop(columns="tight bound")
plots.show_table(figures.one_level(table), "adaptive")

# %% [markdown]
# **Greedy sensors learn more on every map, and on the two smaller maps MAP succeeds more often.** With 50 places, success is too rare for a conclusion. A sensor that can choose its place works as a tracking device. If you publish counts from places that change over time, assume that an attacker may have chosen the places.
#
# ```{note}
# Intervals are over runs, in which paths and sensors are drawn. In the section on the moment bound only sensors are drawn, which is why MAP with ten places has a slightly different success there. The [replication](fano-replicated-adaptive) repeats the comparison with five thousand runs.
# ```

# %% [markdown]
# (fano-unseen)=
# ## How many days does a mobility model need?
#
# Every number in these two chapters depends on the mobility model. Dan's diary has seven moves, but there are 25 pairs of places. What about the pairs that were never observed? If we use relative frequencies, as the paper does, then a move that was never seen is *impossible*. **Additive smoothing** avoids this. It adds a *pseudocount* $a$ to every pair of visited places before dividing by the row sums; $a = 1$ is called add-one or Laplace smoothing.
#
# $$ P(x', x) = \frac{\#(x' \to x) + a}{\sum_{y} \big( \#(x' \to y) + a \big)} $$
#
# For Dan, almost everything depends on this choice. The table shows the success of guesses of his whole path, with four exact counts at the station.

# %%
import pandas as pd

sensors = np.full(4, list(six.rois.index).index("station"))
rows = {}
for pseudocount in (0.0, 0.1, 1.0):
    chain = rec.MarkovChain.from_visits(fano.diary(six, "Dan"), 5, pseudocount)
    row = fano.losses_by_errors(chain, sensors).loc[0, ["prior", "best"]]
    rows[pseudocount] = {"entropy of the path": chain.entropy(4), **row}
table = pd.DataFrame(rows).T.rename(columns=figures.WORDS).round(2)
plots.show_table(table.rename_axis("pseudocount"), "pseudocounts")

# %% [markdown]
# From the same eight hours, the best attacker succeeds with probability 0.57 or 0.06, and nothing in the diary says which is right. Adding one is an extreme choice for such a short diary, because the invented moves outnumber the seven observed ones. The entropy of 6.27 nats is close to $4 \log 5$, the entropy of somebody without any habits:

# %%
print(f"entropy without habits: {4 * np.log(5):.2f} nats")

# %% [markdown]
# ### An experiment with a known truth
#
# To find out which pseudocount comes nearest to the truth, we need a person whose true mobility model is known. We take a walker on a line of ten places. We observe the walker for 20, 100 or 1,000 days (one step a day), estimate a mobility model, and compute the moment bound for five more steps with one wrong step allowed. The true model gives the right answer. Each estimate is repeated with twenty walks. In the table, $a$ is the pseudocount.

# %%
from lib import metrics
from lib.randomness import stream

true, where = rec.distance_chain(10, 0.1), np.array([2, 7, 4, 0, 9])
truth = rec.moment_bound(true, where, 1)
print(f"true model: {truth:.2f}")
learned, n_visited = [], {}
for days in (20, 100, 1000):
    walks = true.sample(20, days, stream(seed, "days", days))
    n_visited[days] = np.mean([len(set(walk)) for walk in walks])
    for pseudocount in (0.0, 0.1, 1.0):
        for walk in walks:
            chain = rec.MarkovChain.from_visits(walk, 10, pseudocount)
            bound = rec.moment_bound(chain, where, 1)
            learned.append({"days": days, "added": pseudocount, "bound": bound})
learned = pd.DataFrame(learned)


def interval(values):
    low, high = metrics.mean_interval(values.to_numpy())
    return f"{values.mean():.2f} [{low:.2f}, {high:.2f}]"


table = learned.groupby(["days", "added"])["bound"].apply(interval).unstack()
table = table.add_prefix("a = ").assign(**{"places visited": pd.Series(n_visited)})
plots.show_table(table, "days")

# %% mystnb={"figure": {"name": "fig-fano-days", "caption": "The moment bound from an estimated mobility model against the number of days observed, with 95% intervals over twenty walks. Without smoothing, short diaries give bounds that are far too high. With pseudocount 1 the bounds are too low. After 1,000 days all three are near the bound of the true model (dotted line), and pseudocount 1 is still clearly below it."}, "image": {"alt": "Three lines against 20, 100 and 1,000 days: without smoothing the bound falls from 0.76 to 0.29, with pseudocount 0.1 from 0.50 to 0.29, with pseudocount 1 it starts below and ends at 0.24. A dotted line marks the true 0.27."}} tags=["hide-input"]
figures.show_days(learned, truth)

# %% [markdown]
# **Without smoothing, a short diary gives a bound that is too high; with much smoothing, it gives one that is too low.** After 20 days the unsmoothed model gives 0.76, and the true model gives 0.27. After 1,000 days the unsmoothed model gives 0.29.
#
# The reason is that most transitions are not observed. In 20 days the walker leaves most places only once or twice. The estimated model takes these few moves for firm habits and rules out all others, so it makes the walker look far more predictable than in reality. Smoothing with a pseudocount of 1 errs on the other side: it adds up to ten invented moves to each visited place, so it makes the walker look more erratic than in reality.
#
# Why does the bound with pseudocount 1 first fall, from 0.20 to 0.15, and then rise to 0.24? Two things change. After 20 days the walker has visited only 5.6 of the ten places on average. Invented moves lead only to visited places, so the model rules out all the others, and this makes the walker more predictable. After 100 days it knows nearly all places, and at most of them the ten invented moves are about as many as the observed ones. After 1,000 days the observed moves outnumber the invented ones by far.
#
# Both errors matter. A bound that is too high is useless, but a bound that is too low is **dangerous**: it is no bound at all.
#
# (fano-aircraft)=
# ### Which pseudocount fits real travellers?
#
# The paper estimates mobility models from 22 and 27 steps of each user of two check-in services. That is close to the 20 days above. We do not have these data in the book. Instead the "users" here are aircraft: a place is an airport or *elsewhere*, and a step is a day. The last five days are attacked, and the model is estimated from the days before.
#
# For real travellers the true model is unknown, but we can check a prediction. The model predicts how often its own maximum a priori guess is right on at least four of the five days. We compare this with how often the guess succeeds on the real days. In the table, $a$ is the pseudocount, *guess* is the maximum a priori guess, and all numbers are means over aircraft.

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
added = {f"{a:g}": a for a in (0.0, 0.1, 1.0)}
filled = fano.smoothed_chains(people, added, n_sequences=n_sequences, seed=seed)
plots.show_table(figures.filled_table(filled).rename_axis("a"), "filled")

# %% [markdown]
# **Without smoothing the model expects more than twice the success that its guess has on the real days. With a pseudocount of 0.1 the expectation lies within the interval of the real success.** With a pseudocount of 1 the model expects less than half of the real success. The tight bound falls along with the expectation, from 0.88 to 0.46, for the same aircraft and the same sensors.
#
# The unsmoothed model is also plainly wrong: it calls the real days of two aircraft in three impossible. A bound applies only to somebody who moves according to the mobility model, and these aircraft do not.
#
# ```{note}
# - About half of all aircraft go to a place in the last five days that they never visited before. No pseudocount on visited places allows that, so every model calls their days impossible.
# - If the last place was never left, the unsmoothed model keeps the aircraft there for ever. If the unsmoothed chain has no unique stationary distribution, the library adds to it, with weight one millionth, a step to a place drawn uniformly.
# - That 0.1 fits these aircraft does not mean that it fits other people. Check it on days that were not used for the estimate.
# - In the paper's Fig. 4, slow movers have higher bounds. Whether we find this, too, depends on the smoothing; see the [replication](fano-replicated-unseen).
# ```

# %% [markdown]
# ## What the paper found
#
# For real users the paper reports three findings. Bounds depend on how often a person is counted and on how slowly they move. Bounds fall with noise. Attacks succeed more often on real users than on the simulated person. We report all of this as *not tested*, because we have only a part of the paper's data. On that part, the verdicts depend on how we treat transitions that were never observed. The [replication page](replication/fano.ipynb) shows each verdict under both choices.
#
# ## Take-aways
#
# - The most probable path is the best guess of the *whole* path. If a few right steps are enough, the most probable place of each step may be better.
# - We can bound every attacker by counting right steps, and pairs and triples of them. Under exact counts, this moment bound stays within a factor of three of the attack on the simulated person's ten steps.
# - Under strong noise, a hypothesis test gives a bound in one line, without knowing the sensors. The paper's tight bound is never the best of the four that we compared.
# - Sensors that react to their counts learn more than sensors at random places.
# - A bound for a real person is a bound for their mobility model. With some twenty days of data, the choice of smoothing decides the result. State your choice, and show the result of another choice beside it.

# %% [markdown]
# ## Exercises
#
# ```{exercise} Paths that cannot be (★, 10 minutes)
# :label: fano-impossible
# Take each sequence of bits that the sensor at Dan's home can produce. Is the path of the posterior modes possible? What is the total probability of the sequences for which it is not?
# ```

# %% [markdown]
# ````{solution-start} fano-impossible
# :class: dropdown
# ````

# %%
impossible = 0.0
for answer in np.unique(answers[probability > 0]):
    mine = answers == answer
    modes = [np.bincount(x[mine], probability[mine], 5).argmax() for x in paths.T]
    if np.isneginf(dan.log_probability(modes)):
        impossible += probability[mine].sum()
print(f"the modes are an impossible path with probability {impossible:.2f}")

# %% [markdown]
# *Learned:* the posterior modes answer a different question, and their answer need not be a path. An attacker who gains from each right step does not mind.
#
# ````{solution-end}
# ````
#
# ```{exercise} When is Markov's inequality sharp? (★, 10 minutes)
# :label: fano-sharp
# Suppose that a guess gets two of four steps right on average. Find a distribution of $C$ for which $\Pr[C \ge 4]$ is $2/4$, and one for which it is 0.
# ```

# %% [markdown]
# ````{solution-start} fano-sharp
# :class: dropdown
# ````
#
# For $2/4$: $C$ is 4 or 0, each with probability 1/2. For 0: $C$ is always 2.

# %% [markdown]
# *Learned:* the bound is sharp if either all steps are right or none is.
#
# ````{solution-end}
# ````
#
# ```{exercise} The best in each step (★★, proof, 15 minutes)
# :label: fano-modes-proof
# Show that no guess has a larger mean number of right steps than the posterior modes. Then show that for $s = 0$ and $k = T$ the moment bound with the exact largest mean is the best success itself.
# ```

# %% [markdown]
# ````{solution-start} fano-modes-proof
# :class: dropdown
# ````
#
# Given counts $y$, $\mathbb{E}[C \mid y] = \sum_t \Pr[X_t = \hat X_t \mid y] \le \sum_t \max_x \Pr[X_t = x \mid y]$, with equality for the posterior modes. For $k = r = T$, $\binom{C}{T}$ is 1 if all steps are right and 0 otherwise, and
# $\binom{T}{T} = 1$. So the bound is $\sum_y \max_x \Pr[X = x, y]$, which is the success of MAP.

# %% [markdown]
# *Learned:* for $k = 1$ the bound depends on the mean number of right steps only; for $k = T$ it is the probability that every step is right.
#
# ````{solution-end}
# ````
#
# ```{exercise} Laplace noise on one count (★★, 20 minutes)
# :label: fano-laplace
# The best test between two Laplace distributions whose means are $\mu$ scales apart has the true positive rate `rec.laplace_power(q, mu)` {cite:p}`kaissis2023`. Take the two places of the section on noise, with Laplace noise of scale 2 on the one count. Compute the bound with both references, and simulate the best attack. Which bound is sharp? The count is $\varepsilon$-differentially private with $\varepsilon = 1/2$ for one person's presence. What does $e^{\varepsilon} Q$ say?
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

# %% [markdown]
# *Learned:* the halfway reference is sharp for Laplace noise, too. The factor $e^{\varepsilon}$ from the definition of differential privacy gives a weaker bound, because no test reaches it at a false positive rate of 1/2.
#
# ````{solution-end}
# ````
#
# ```{exercise} Counting answers (★, 10 minutes)
# :label: fano-two-bounds
# The last chapter's exercise on [doubling](fano-doubling) gives the bound $2^T Q$ for $T$ exact counts. Bound $Q$ by `rec.moment_ball(rec.distance_chain(m, tau), n_epochs, allowed_errors)`, and compare with the tight bound and the moment bound in the table over $M$. First predict: where can doubling be better than the tight bound?
# ```

# %% [markdown]
# ````{solution-start} fano-two-bounds
# :class: dropdown
# ````

# %%
means = sweep.groupby("M")[["tight", "moments"]].mean()
for m in map_sizes:
    Q = rec.moment_ball(rec.distance_chain(m, tau), n_epochs, allowed_errors)
    print(f"M = {m}: doubling {min(1, 2**n_epochs * Q):.3g}", end=", ")
    print(f"tight {means.loc[m, 'tight']:.3g}, moments {means.loc[m, 'moments']:.3g}")

# %% [markdown]
# *Learned:* doubling treats all answers as equally important. It is better than the tight bound on the largest maps, where $Q$ is tiny and few answers are likely. The moment bound, which looks at the answers, is better than both.
#
# ````{solution-end}
# ````
#
# ```{exercise} What makes the tight bound loose? (★★, 25 minutes)
# :label: fano-which
# The tight bound has two ingredients, the information $I$ and $Q$, and one inequality. Replace them one after another by better ones, for the simulated person with 100 places and the sensors `where = np.arange(0, 100, 10)`.
#
# - Information: use the exact one, `rec.mutual_information(chain, where, information="exact")`.
# - Inequality: use the full one from {ref}`fano-tight-proof`, $p \log \frac{p}{Q} + (1 - p) \log \frac{1 - p}{1 - Q} \le I$.
# - $Q$: use two values. One is the upper bound `rec.moment_ball(...)`. The other is the success of one particular guess without counts, `rec.exact_loss(chain, where, s, "prior")`; $Q$ cannot be smaller than that.
#
# Solve for the largest $p$. Compare it with `rec.tight_bound` and `rec.moment_bound`. Which ingredient makes the bound loose?
# ```

# %% [markdown]
# ````{solution-start} fano-which
# :class: dropdown
# ````

# %%
from scipy.optimize import brentq
from scipy.special import rel_entr  # x log(x / y)

line, at = rec.distance_chain(100, 0.1), np.arange(0, 100, 10)
known = rec.mutual_information(line, at, information="exact")
print(f"printed: {rec.tight_bound(line, at, 5):.3f}")
for name, q in {
    "Q by moments": rec.moment_ball(line, 10, 5),
    "smallest Q": rec.exact_loss(line, at, 5, "prior"),
}.items():
    excess = lambda p, q=q: rel_entr(p, q) + rel_entr(1 - p, 1 - q) - known  # noqa: E731
    print(f"{name}: {brentq(excess, q, 1 - 1e-12):.3f}")
print(f"moment bound: {rec.moment_bound(line, at, 5):.6f}")

# %% [markdown]
# *Learned:* better ingredients help a little. Even with the smallest possible $Q$ and the exact information, the result is far above the moment bound. So it is Fano's inequality itself that costs most. It uses only the *average* information, and must allow for counts that reveal the whole path in a few cases and nothing otherwise.
#
# ````{solution-end}
# ````
#
# ```{exercise} How much smoothing? (★★, 15 minutes)
# :label: fano-smoothing
# Repeat the experiment with a known truth for the pseudocounts 0.01 and 0.3, with 20 and 100 days. Before you run it, predict the order of the four bounds for 20 days. Which pseudocount comes nearest to the true model, and can you know this from the walks alone?
# ```

# %% [markdown]
# ````{solution-start} fano-smoothing
# :class: dropdown
# ````

# %%
print(f"true model: {truth:.2f}")
for days in (20, 100):
    walks = true.sample(20, days, stream(seed, "days", days))
    for pseudocount in (0.01, 0.1, 0.3, 1.0):
        chains = [rec.MarkovChain.from_visits(walk, 10, pseudocount) for walk in walks]
        several = pd.Series([rec.moment_bound(chain, where, 1) for chain in chains])
        print(f"{days} days, pseudocount {pseudocount}: {interval(several)}")

# %% [markdown]
# *Learned:* the bound falls as the pseudocount grows. The best pseudocount depends on the person and on the number of days. From the walks alone you can compare log-likelihoods of days that were set aside, and nothing more.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write the best guess (★★, 30 minutes)
# :label: fano-best
# Let $s = 1$, with the sensor at Dan's home. For each sequence of bits, find the guess whose ball has the largest probability. Does its success agree with the column *best* of the table? Now let $s = 2$. Is the best guess always a possible path? (`joint` has the probability of each path and answer.)
# ```

# %% [markdown]
# ````{solution-start} fano-best
# :class: dropdown
# ````

# %%
near = (paths[:, None] != paths).sum(axis=2) <= 1
weight = near @ joint  # guess x answer
print(
    f"success {weight.max(axis=0).sum():.3f}, in the table {of_dan.loc[1, 'best']:.3f}"
)
near = (paths[:, None] != paths).sum(axis=2) <= 2
weight, can_be = near @ joint, probability > 0
for answer in np.unique(answers[can_be]):
    best = np.isclose(weight[:, answer], weight[:, answer].max())
    seen = np.flatnonzero(paths[answers == answer][0] == HOME) + 1
    print(
        f"home in {seen}: best {best.sum()}, of these possible {(best & can_be).sum()}"
    )

# %% [markdown]
# *Learned:* the best guess for $s$ is the centre of the most probable ball, and it need not be a possible path. For $s = 0$ it is MAP. The posterior modes maximise the mean number of right steps, which is not the probability of a ball.
#
# ````{solution-end}
# ````
#
# ```{exercise} A test that knows the sensors (★★★, an evening)
# :label: fano-sensors
# The hypothesis test assumes that every count is about the target. Improve it. If the reference is the constant $\alpha$ in every step, a target who is seen in $j$ of $T$ steps is at a distance of $\mu_j = \sqrt{j (1 - \alpha)^2 + (T - j) \alpha^2} / \sigma$. For given sensors, the number of sightings has a distribution $p_j$, which you can compute along the chain. Show that the success is at most the maximum of $\sum_j p_j\, G(q_j, \mu_j)$ over all $q_j$ with $\sum_j p_j q_j \le Q$, and compute it. *A good answer* checks that the bound is never below a simulated attack, and shows for which $\sigma$ it is below the other four bounds with a hundred places.
# ```
#
# ```{exercise} An attacker who knows less (★★★, an evening)
# :label: fano-less
# The paper's conclusion asks for an attacker who does not know where everybody else is. Let them know only the others' mobility models, like the auxiliary attacker of [](thresholds.ipynb). The count is then the target's bit plus a sum of independent bits. Write the likelihood of a count, use it in MAP, and plot the success against the number of others, for the simulated person with ten places. *A good answer* has the maximum a priori guess and the informed attacker as the two ends, intervals over runs, and one sentence on how much noise a crowd is worth. Add the bound from a hypothesis test with that much noise.
# ```

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
# The [last chapter](fano.ipynb) left four things open. The best guess of a whole path is not the best where some steps may be wrong. The bounds of {cite:t}`fanoloss` are far above
# any attack. Its sensors never react to what they count. And a person's habits were taken from a diary that is much too short. None of this chapter's answers is in the paper.
# After it you can
#
# - guess one step at a time, and say when that beats the most probable path;
# - derive a bound that follows the attack, from nothing but Markov's inequality;
# - make a tracker out of sensors that follow their own counts;
# - tell what a measured bound owes to the person, and what to transitions that nobody ever saw.

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
# ## One step at a time
#
# Dan again, with the chain of his diary. This time the sensor stands at his home for four hours, and he is seen in none of them. What the attacker then believes of each step is a sum
# over the paths that are left:

# %%
import numpy as np
from lib.datasets import load
from lib.studies import fano

six = load("six-users")
places, HOME = [*six.rois.index, "elsewhere"], 0
dan = fano.diary_chain(six, "Dan")
paths = np.indices((5,) * 4).reshape(4, -1).T
chance = np.exp(dan.log_probability(paths))
unseen = (paths != HOME).all(axis=1)
law = np.array([np.bincount(x[unseen], chance[unseen], 5) for x in paths.T])
law = law / chance[unseen].sum()  # step x place

# %% [markdown]
# ````{prf:definition} Posterior marginal modes
# :label: def-fano-modes
# The guess that names for each step, on its own, the place that is most probable given all counts: $\hat X_t = \arg\max_x \Pr[X_t = x \mid \text{counts}]$.
# ````

# %%
from lib import plots
from lib import reconstruction as rec

guesses = {
    "MAP": rec.map_trajectory(dan, np.full(4, HOME), np.zeros(4)),
    "modes": law.argmax(axis=1),
}
for name, guess in guesses.items():
    right, whole = law[range(4), guess].sum(), np.exp(dan.log_probability(guess))
    print(f"{name}: {right:.2f} right steps on average, as a path {whole:.2f}")

# %% mystnb={"figure": {"name": "fig-fano-modes", "caption": "What the attacker believes of each of Dan's four steps, if no count saw him at home. See that the modes say elsewhere four times, a path that cannot be: his diary never has him there twice in a row. They are right more often all the same."}, "image": {"alt": "A grid of steps by places, shaded by probability. MAP moves between places; the modes stay elsewhere in all four steps."}} tags=["hide-input"]
from lib.plots import fano as figures

plots.use_style()
figures.show_posterior(law, places, guesses)

# %% [markdown]
# Over all counts that may be published, not only these, the chance that at most $s$ steps are wrong:

# %%
of_dan = fano.by_errors(dan, np.full(4, HOME))
table = of_dan[["prior", "MAP", "marginal", "best"]]
plots.show_table(table.rename(columns=figures.WORDS), "by-errors")

# %% [markdown]
# MAP is best for $s = 0$, where it must be, and for $s = 1$; the modes are best for $s = 2$ and $3$. Neither is best everywhere. (The attacks of [](crowd.ipynb) guess hour by hour, too.)

# %% [markdown]
# (fano-gap)=
# ## A bound from counting right steps
#
# Let $C$ be the number of right steps. No guess has a larger mean $\mathbb{E}[C]$ than the modes, because the mean is a sum over steps, and in each step the modes do the best there is. By enumeration, for
# each of the 16 answers and each step the most probable place:

# %%
answers = (paths == HOME) @ [8, 4, 2, 1]
joint = chance[:, None] * np.eye(16)[answers]  # path x answer
most = [(np.eye(5)[x].T @ joint).max(axis=0).sum() for x in paths.T]
print(
    "chance to be right, step by step:", np.round(most, 3), "sum:", f"{sum(most):.2f}"
)

# %% [markdown]
# So nobody has more than 2.82 right steps of four on average. Success means that at least $r = T - s$ are right. A number that is never negative and has a mean of 2.82 cannot be 4 more often than in
# $2.82 / 4$ of all cases. That is *Markov's inequality*, and here it is a bound on every attacker:

# %%
print({r: f"{min(1.0, sum(most) / r):.3f}" for r in (1, 2, 3, 4)})

# %% [markdown]
# Why count single steps only? Who has $r$ steps right has $\binom{r}{2}$ *pairs* right, $\binom{r}{3}$ triples, and so on.
#
# ````{prf:theorem} Moment bound
# :label: thm-fano-moments
# For every guess and $1 \le k \le r$: $\ \Pr[C \ge r] \le \mathbb{E}\binom{C}{k} \big/ \binom{r}{k}$.
# ````
#
# ````{prf:proof}
# $\binom{C}{k} \ge \binom{r}{k}$ where $C \ge r$, and $\binom{C}{k} \ge 0$ elsewhere. Take means.
# ````
#
# $\binom{C}{k}$ counts the sets of $k$ steps that are all right. Its mean is a sum over sets, and a recursion like MAP's bounds the sum: from each right step to the next it takes the best place to come from, and
# a sighting cuts the path into stretches whose sums multiply. That takes a time that grows with powers of $T$ and $M$ (`moment_bound` in `lib.reconstruction`). Dan, for each $r$ and $k$; the smallest of a row counts:

# %%
orders = fano.moment_orders(dan, np.full(4, HOME))
plots.show_table(orders, "orders")

# %% [markdown]
# The column $k = 1$ is what we had by hand. For the whole path ($r = 4$) the last column is MAP's own success, 0.464, so the bound is exact. In between it is not: for $r = 2$ and 3 the best attacker has 0.929 and 0.679.

# %% [markdown]
# ### On the simulated person
#
# The line of $M$ places of the last chapter, with ten steps of which five may be wrong. Means and 95% intervals over sequences of sensors; the *ratio* is that of the moment bound to the better attack:

# %%
person = {"n_epochs": n_epochs, "allowed_errors": allowed_errors}
person |= {"tau": tau, "seed": seed}
drawn = person | {"map_sizes": map_sizes, "n_sequences": n_sequences}
by_map = {"simulated": [("M", m) for m in map_sizes]}
sweep = fano.sweeps(["simulated"], units=by_map, times=[], **drawn)
gaps = fano.gaps(fano.sweep_means(sweep)).loc["M"]
plots.show_table(figures.gap_table(sweep, gaps), "maps")

# %% mystnb={"figure": {"name": "fig-fano-gap", "caption": "The simulated person by the size of her map, 95% intervals over sequences of sensors, logarithmic axes. See that the moment bound falls with the attacks, and that the bounds from information theory do not."}, "image": {"alt": "Logarithmic plot against the number of places: MAP and modes fall together over five powers of ten; the moment bound runs just above them; the tight and the loose bound stay near one and fall little."}} tags=["hide-input"]
lines = ["loose", "tight", "moments", "marginal", "MAP"]
figures.show_swept(sweep, lines, "places M", each=True)

# %% [markdown]
# From the lower of the paper's bounds to the best attack there is a gap. The moment bound closes less than half of it in the map of ten places, more than nine tenths in all larger ones, and stays within a factor of three
# of the attack. The modes beat MAP in the smallest map; from 100 places on it is the other way round.

# %% [markdown]
# (fano-adaptive)=
# ## Sensors that choose where to look
#
# The paper leaves sensors that follow their counts to future work. A greedy operator turns on the sensor whose answer is hardest to foresee, where the chance to see her is nearest to 1/2. After each answer the
# belief is cut down to what fits, and moved one step. Dan walks from the station over home and the office back to the station:

# %%
belief = dan.initial
for true in [1, 0, 2, 1]:
    sensor = np.abs(belief - 0.5).argmin()
    fits = np.arange(5) == sensor
    fits = fits if true == sensor else ~fits
    print(f"{places[sensor]}: {'seen' if true == sensor else 'not seen'},", end=" ")
    belief = belief * fits / (belief * fits).sum() @ dan.transition
    print("next", {places[x]: f"{belief[x]:.2f}" for x in belief.nonzero()[0]})

# %% [markdown]
# The sensor met him in the first hour and in the second, and from then on the attacker knew his next place for two hours, without seeing him. On the simulated person, in simulated runs, against sensors at random, with 95% intervals over runs. The tight bound holds for such sensors too, since it needs nothing but the information:

# %%
small_maps = [m for m in map_sizes if m <= 50] or map_sizes[:1]
adaptive = fano.adaptive(
    ["simulated"], map_sizes=small_maps, n_runs=n_adaptive, **person
)
plots.show_table(figures.adaptive_table(adaptive), "adaptive")

# %% [markdown]
# Greedy sensors learn more in every map. What that does to MAP can be told in the two smaller maps; among 50 places success is too rare. Five thousand runs of each are [drawn in the replication](fano-replicated-adaptive).

# %% [markdown]
# (fano-unseen)=
# ## What unseen transitions decide
#
# All of this trusts the chain. Dan's diary has eight hours, so seven steps from one place to another, of 25 kinds that there may be. What of the others? *Only what was seen* gives them a chance of
# nothing (and one of a millionth where the chain would otherwise not settle to one law). *One added* counts each transition between the places that he visited once more. His whole path, under four counts at the station:

# %%
sensors = np.full(4, list(six.rois.index).index("station"))
for added, how in enumerate(figures.FILLED.values()):
    chain = rec.MarkovChain.from_visits(fano.diary(six, "Dan"), 5, pseudocount=added)
    own = fano.by_errors(chain, sensors).loc[0, ["prior", "best", "tight"]]
    print(f"{how}: entropy {chain.entropy(4):.2f}", own.round(2).to_dict())

# %% [markdown]
# The same eight hours, and an attacker ten times as successful in one reading as in the other.
#
# The paper has chains of two dozen steps for thousands of users of check-in services, and does not say what it does. We hold a cut of these data only, and not in the book. Here the "users" are aircraft: a place is an airport, a step is a day,
# the last five days are attacked and the chain is made from those before. Nobody's privacy is at stake in it.

# %%
from lib.studies import fitting

people = {
    name: fano.people(file, window=windows.get(name, "1D"), n_users=n_users, seed=seed)
    for name, file in fitting.called(datasets).items()
}
habits = fano.habits(people, n_sequences=n_sequences, seed=seed)
n_attacks = min(4, n_sequences)
asked = {"n_sequences": n_sequences, "n_attacks": n_attacks, "seed": seed}
attacked = fano.attacked(people, noise_stds=[], **asked)

# %% [markdown]
# The paper expects slow people to be exposed (its Fig. 4). Slow means a small *spectral gap*: one less the second largest modulus of the eigenvalues of $P$, small for a chain that forgets slowly where it was. Each point is an aircraft:

# %% mystnb={"figure": {"name": "fig-fano-filled", "caption": "Tight bound against spectral gap, aircraft one by one, random sensors, four of five steps asked for. See that the same aircraft crowd at the top, or fall from top to bottom, as it is decided what a day that was never seen may bring."}, "image": {"alt": "Two scatter plots of the tight bound against the spectral gap of the same aircraft. With only what was seen, most points are near one. With one added to each transition they spread from one at small gaps down to near zero at large gaps."}} tags=["hide-input"]
figures.show_filled(habits)

# %%
correlations = fano.correlations(habits, seed)
plots.show_table(figures.correlation_table(correlations), "correlations")

# %% [markdown]
# With only what was seen the correlation is there, but users make it whose chain never returns from some place or visits it in a fixed rhythm; without these (*settled only*) it is gone. With one added it is as strong as one could wish. A decision
# about days that nobody saw makes or unmakes the figure. It moves the bounds themselves as much:

# %%
four = attacked[attacked["T - s"] == attacked["T - s"].max() - 1]
shown = {"MAP": "MAP on the real days", "prior": "prior on the real days"}
shown |= {"tight": "tight bound, only what was seen"}
shown |= {"tight, one added": "tight bound, one added"}
shown |= {"moments": "moment bound, only what was seen"}
plots.show_table(figures.people_table(four, shown), "people")

# %% [markdown]
# (Intervals over users.) MAP is no better than the prior: a few sensors among a hundred airports hardly ever meet a given aircraft. And bounds hold for those who follow their chain, which real users need not do. Where an attack passes a bound, the chain is at fault.

# %% [markdown]
# ## What the paper found, and what we found
#
# On people the paper has four figures. What it says of them, judged on the cuts that we hold and on the aircraft; the [replication](replication/fano.ipynb) has the figures:

# %% tags=["hide-input"]
from lib import claims, findings

TELLING = [
    "fano-fig3-foursquare", "fano-fig3-gowalla", "fano-fig4-foursquare", "fano-fig4-gowalla",
    "fano-fig6-foursquare-above-simulated", "fano-fig8-foursquare-map-flat",
    "fano-fig8-foursquare-crossing",
]  # fmt: skip
found = claims.top(findings.known("fano"), TELLING)
plots.display_table(found.drop(columns="here"))

# %% [markdown]
# ## Take-aways
#
# - The most probable path is the best guess of the *whole* path. Who needs many right steps, and not all, may do better with the most probable place of each step.
# - Counting right steps, pairs and triples gives a bound within a factor of three of the attack on the simulated person.
# - Sensors that follow their counts are trackers.
# - A bound for a real person is a bound for her chain. With two dozen steps to learn from, what is decided about the others decides the result. Say what you decided, and show the other way beside it.

# %% [markdown]
# ## Exercises
#
# One star: a few lines. Two: half an hour. Three: an evening.
#
# ```{exercise} Paths that cannot be (★, 10 minutes)
# :label: fano-impossible
# For each answer that the sensor at Dan's home can give, is the path of the modes possible? How probable are the answers for which it is not?
# ```

# %% [markdown]
# ````{solution-start} fano-impossible
# :class: dropdown
# ````

# %%
cannot = 0.0
for answer in np.unique(answers[chance > 0]):
    mine = answers == answer
    modes = [np.bincount(x[mine], chance[mine], 5).argmax() for x in paths.T]
    if np.isneginf(dan.log_probability(modes)):
        cannot += chance[mine].sum()
print(f"an impossible path is named with chance {cannot:.2f}")

# %% [markdown]
# *Learned:* the modes answer another question, and their answer need not be a path. The attacker who is paid by the step does not mind.
#
# ````{solution-end}
# ````
#
# ```{exercise} When is Markov's inequality sharp? (★, 10 minutes)
# :label: fano-sharp
# A guess has two right steps on average, of four. Give a law of $C$ for which $\Pr[C \ge 4]$ is $2/4$, and one for which it is 0.
# ```

# %% [markdown]
# ````{solution-start} fano-sharp
# :class: dropdown
# ````
#
# $C = 4$ or 0 with chance 1/2 each; $C = 2$ always.

# %% [markdown]
# *Learned:* the bound is sharp if steps are right all together or not at all. So it is good for slow people, whose steps hang together, and pairs and triples help where they do not.
#
# ````{solution-end}
# ````
#
# ```{exercise} The best in each step (★★, proof, 15 minutes)
# :label: fano-modes-proof
# Show that no guess has a larger mean number of right steps than the modes, and that for $s = 0$ and $k = T$ the moment bound, with the exact mean, is the best success itself.
# ```

# %% [markdown]
# ````{solution-start} fano-modes-proof
# :class: dropdown
# ````
#
# Given counts $y$, $\mathbb{E}[C \mid y] = \sum_t \Pr[X_t = \hat X_t \mid y] \le \sum_t \max_x \Pr[X_t = x \mid y]$, with equality for the modes. For $k = r = T$, $\binom{C}{T}$ is 1 if all steps are right and 0 otherwise, and
# $\binom{T}{T} = 1$: the bound is $\sum_y \max_x \Pr[X = x, y]$, which MAP has.

# %% [markdown]
# *Learned:* $k$ leads from "right on average" to "all right".
#
# ````{solution-end}
# ````
#
# ```{exercise} Two bounds without information (★, 10 minutes)
# :label: fano-two-bounds
# The last chapter's exercise on [factors of two](fano-doubling) gave $2^T Q$. Compare it with the tight bound in the sweep over $M$, using Eq. 5 for $Q$. Where is it the better one?
# ```

# %% [markdown]
# ````{solution-start} fano-two-bounds
# :class: dropdown
# ````

# %%
from lib.reconstruction.bounds import log_ball

means = fano.sweep_means(sweep)
for m in map_sizes:
    ball = log_ball(rec.distance_chain(m, tau), n_epochs, allowed_errors)
    doubled, tight = min(1, 2**n_epochs * np.exp(ball)), means.loc[("M", m), "tight"]
    print(f"M = {m}: {doubled:.3g} by doubling, tight {tight:.3g}")

# %% [markdown]
# *Learned:* information theory knows that few of the answers are likely, and still pays more for it than plain counting does, once the map is large.
#
# ````{solution-end}
# ````
#
# ```{exercise} Which step makes the tight bound loose? (★★, 20 minutes)
# :label: fano-which
# Two steps of the tight bound may cost something: $Q$ is only bounded (Eq. 5), and Fano's inequality turns information into success. `fano.balls` takes the exact information and three values of $Q$: that of Eq. 5, one from the moment
# bound without counts, and the least there can be, the success of the prior's own guess. Which step is it? Is the information to blame?
# ```

# %% [markdown]
# ````{solution-start} fano-which
# :class: dropdown
# ````

# %%
balls = fano.balls(["simulated"], **drawn)
plots.show_table(figures.ball_table(balls), "balls")

# %% [markdown]
# *Learned:* even with the least $Q$ the bound is far above the moment bound in the chapter's table, so it is Fano's inequality that costs most, and Eq. 5 the rest. The first column is nearly the tight bound of the figure: the exact
# information changes little. Nor is that intractable, as the paper thinks. Sightings cut a path into $T^2$ stretches, and the information of exact counts is a sum over them.
#
# ````{solution-end}
# ````
#
# ```{exercise} One added (★, 10 minutes)
# :label: fano-smoothing
# How do the mean tight bound with random sensors and the share of users above 0.9 change if one is added to each transition? Use the first dataset.
# ```

# %% [markdown]
# ````{solution-start} fano-smoothing
# :class: dropdown
# ````

# %%
from lib import metrics

first = habits[habits["data"] == habits["data"].iloc[0]]
for chains, each in first.groupby("chains", sort=False):
    low, high = metrics.mean_interval(each["random"])
    print(
        f"{chains}: mean {each['random'].mean():.3f} [{low:.3f}, {high:.3f}],", end=" "
    )
    print(f"above 0.9: {(each['random'] > 0.9).mean():.3f}")

# %% [markdown]
# *Learned:* whoever has a place that was never left is, as estimated, there for ever, and her bound is 1. Added counts make everybody faster.
#
# ````{solution-end}
# ````
#
# ```{exercise} How many days teach a chain? (★★, 25 minutes)
# :label: fano-days
# Let a person walk on a line of ten places for 20, 100 and 1,000 steps, estimate her chain from that, and compute the moment bound for five more steps with one wrong. Compare with the bound of the true chain.
# ```

# %% [markdown]
# ````{solution-start} fano-days
# :class: dropdown
# ````

# %%
from lib.randomness import stream

true, where = rec.distance_chain(10, 0.1), np.array([2, 7, 4, 0, 9])
print(f"true chain: {rec.moment_bound(true, where, 1):.2f}")
for n_days in (20, 100, 1000):
    walks = true.sample(20, n_days, stream(seed, "days", n_days))
    learned = [rec.MarkovChain.from_visits(walk, 10) for walk in walks]
    several = [rec.moment_bound(chain, where, 1) for chain in learned]
    low, high = metrics.mean_interval(several)
    print(f"{n_days} days: mean {np.mean(several):.2f} [{low:.2f}, {high:.2f}]")

# %% [markdown]
# *Learned:* a short diary makes a person look more predictable than she is, and her bound too high. Whoever reports bounds from short diaries reports mostly the shortness.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write the best guess (★★, 30 minutes)
# :label: fano-best
# For $s = 1$ and each answer of the sensor at Dan's home, find the guess with the most paths within one error, by weight. Does its success equal the table's *best*? Does it have to be a possible path?
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
best = paths[weight.argmax(axis=0)][np.unique(answers[chance > 0])]
print("possible:", np.isfinite(dan.log_probability(best)).tolist())

# %% [markdown]
# *Learned:* the best guess for $s$ is the centre of the heaviest ball. MAP and the modes are its two ends, $s = 0$ and the mean.
#
# ````{solution-end}
# ````
#
# ```{exercise} An attacker who knows less (★★★, an evening)
# :label: fano-less
# The paper's conclusion asks for an attacker who does not know everybody else. Let her know the others' chains only, as the auxiliary attacker of [](thresholds.ipynb) does: the count is then the target's bit plus a sum of independent bits. Write the likelihood of a count, use it in MAP, and draw the
# success against the number of others, for the simulated person with ten places. *A good answer* has the prior and the informed attacker as the two ends, intervals over runs, and one sentence on which noise a crowd amounts to.
# ```

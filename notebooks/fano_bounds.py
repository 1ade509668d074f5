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
# The [last chapter](fano.ipynb) left four things open. The best guess of a whole path is not the best where some steps may be wrong. The bounds of {cite:t}`fanoloss` may be far above
# any attack. Its sensors never react to what they count. And habits were taken from a short diary. None of the answers is in the paper.
# After it you can
#
# - guess one step at a time, and say when that is better;
# - derive a bound that follows the attack from Markov's inequality;
# - make a tracker out of sensors that follow their own counts;
# - tell what a measured bound owes to the person, and what to transitions that nobody ever saw.
#
# *For discussion:* {numref}`fig-fano-gap`. *For discussion:* the same diary gives an attacker 0.57 or 0.06; which would you print? *If time is short:* leave out the aircraft.

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
from lib.papers.fano_loss import experiments as fano

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
#
# Where paths are too many for a sum, it is {prf:ref}`alg-fano-map` with sums for maxima, once from each end. With $\ell_t(x)$ the likelihood of the count in step $t$ at $x$, in a time of $T M^2$:
#
# ````{prf:algorithm} Forward and backward
# :label: alg-fano-modes
# 1. $\alpha(1, x) = \ell_1(x)\, \pi(x)$, and $\alpha(t, x) = \ell_t(x) \sum_{x'} \alpha(t-1, x')\, P(x', x)$;
# 2. $\beta(T, x) = 1$, and $\beta(t, x) = \sum_{x'} P(x, x')\, \ell_{t+1}(x')\, \beta(t+1, x')$;
# 3. $\hat X_t = \arg\max_x \alpha(t, x)\, \beta(t, x)$.
# ````
#
# Here, four paths are equally probable given the counts, so MAP may name any of them:

# %%
from lib import reconstruction as rec
from lib.papers import figures as plots

tied = paths[unseen & np.isclose(chance, chance[unseen].max())]
for guess in (*tied, law.argmax(axis=1)):
    right = law[range(4), guess].sum()
    whole = np.exp(dan.log_probability(guess)) / chance[unseen].sum()
    names = ", ".join(places[x] for x in guess)
    print(f"{names}: {right:.2f} right steps on average, as a path {whole:.2f}")

# %% mystnb={"figure": {"name": "fig-fano-modes", "caption": "What the attacker believes of each of Dan's four steps, if no count saw him at home. The modes say elsewhere four times, a path that cannot be: his diary never has him there twice in a row. They are right more often all the same. (Of the four paths that MAP may name, the one that the library takes.)"}, "image": {"alt": "A grid of steps by places, shaded by probability. MAP moves between places; the modes stay elsewhere in all four steps."}} tags=["hide-input"]
from lib.papers.fano_loss import figures

plots.use_style()
taken = rec.viterbi_trajectory(dan, np.full(4, HOME), np.zeros(4))
figures.show_posterior(law, places, {"MAP": taken, "modes": law.argmax(axis=1)})

# %% [markdown]
# Over all counts that may be published, not only these, the chance that at most $s$ steps are wrong:

# %%
of_dan = fano.losses_by_errors(dan, np.full(4, HOME))
ties = fano.map_with_ties(dan, np.full(4, HOME)).round(3).astype(str)
table = of_dan[["prior", "marginal", "best"]].rename(columns=figures.WORDS)
table.insert(1, "MAP, by ties", ties["least"] + " to " + ties["largest"])
plots.show_table(table, "by-errors")

# %% [markdown]
# However ties are broken, MAP is best for $s = 0$ and $s = 1$, the modes for $s = 2$ and $3$: a few right steps are easier to have from the likeliest places, many from a path.

# %% [markdown]
# (fano-gap)=
# ## A bound from counting right steps
#
# Let $C$ be the number of right steps. No guess has a larger mean $\mathbb{E}[C]$ than the modes, because the mean is a sum over steps, and in each step the modes do the best there is. By enumeration: for
# each of the 16 answers the guess with the largest mean; and the same for the numbers of right *pairs*, triples and quadruples, $\binom{C}{k}$:

# %%
from scipy.special import binom

answers = (paths == HOME) @ [8, 4, 2, 1]
joint = chance[:, None] * np.eye(16)[answers]  # path x answer
right = (paths[:, None] == paths).sum(axis=2)  # guess x path
best_means = [(binom(right, k) @ joint).max(axis=0).sum() for k in (1, 2, 3, 4)]
print({k: f"{mean:.3f}" for k, mean in enumerate(best_means, 1)})

# %% [markdown]
# So nobody has more than 2.82 right steps of four on average. Success means that at least $r = T - s$ are right. A number that is never negative and has a mean of 2.82 is 4 in at most
# $2.82 / 4 = 0.705$ of all cases. That is *Markov's inequality*, and a bound on every attacker.
#
# Why count single steps only? Who has $r$ steps right has $\binom{r}{2}$ pairs right, $\binom{r}{3}$ triples, and so on.
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
# For a bound on all attackers the mean is that of the best guess after each answer, as above.
# With more paths a recursion bounds it from above (who reads for the first time may skip it). From each right step to the next it takes the best place to come from, as if every set of $k$ steps had a guess of its own. Sightings are right for certain and
# [cut the path](fano-fig5).
#
# ````{prf:algorithm} Moments of a stretch that is not seen
# :label: alg-fano-moments
# With $w_t(x)$ the chance of $x$ in step $t$, $K_{ut}(x', x)$ that of $x$ in $t$ after $x'$ in $u$, and $e_t(x)$ that of the stretch ending as it does after $x$ in $t$, all unseen:
# 1. $G(1, t, x) = w_t(x)$;
# 2. $G(k, t, x) = \sum_{u < t} \max_{x'} K_{ut}(x', x)\, G(k-1, u, x')$;
# 3. the stretch has $\sum_t \max_x G(k, t, x)\, e_t(x)$ in place of $\mathbb{E}\binom{C}{k}$. Put the $k$-th number before $z^k$: stretches multiply as polynomials in $z$, and a sighting is a factor $1 + z$.
# ````
#
# For $k = 1$ and for $k = T$ that is the mean itself, in between it may be more (`moment_bound` in `lib.reconstruction`). Divided by $\binom{r}{k}$, for each $r$ and $k$; the smallest of a row counts:

# %%
orders = fano.moment_orders(dan, np.full(4, HOME))
plots.show_table(orders, "orders")

# %% [markdown]
# For $k = 1$ and $r = 4$ that is what we had by hand. For $k = 2$ the table has 0.607, enumeration $3.5 / 6 = 0.583$. For the whole path the last column is MAP's own success, 0.464, so the bound is exact. In between it is not: for $r = 2$ and 3 the best attacker has 0.929 and 0.679.

# %% [markdown]
# ### On the simulated person
#
# The line of $M$ places of the last chapter, with ten steps of which five may be wrong. Means and 95% intervals over sequences of sensors:

# %%
person = {"n_epochs": n_epochs, "allowed_errors": allowed_errors}
person |= {"tau": tau, "seed": seed}
drawn = person | {"map_sizes": map_sizes, "n_sequences": n_sequences}
by_map = {"simulated": [("M", m) for m in map_sizes]}
sweep = fano.sweeps(["simulated"], units=by_map, times=[], **drawn)
lines = ["prior", "MAP", "marginal", "moments", "tight"]
plots.show_table(figures.swept_table(sweep, lines, "places M"), "maps")

# %% mystnb={"figure": {"name": "fig-fano-gap", "caption": "The simulated person by the size of her map, 95% intervals over sequences of sensors, logarithmic axes. The moment bound falls with the attacks, and the bounds from information theory fall far more slowly."}, "image": {"alt": "Logarithmic plot against the number of places: MAP and modes fall together over five powers of ten; the moment bound runs just above them; the tight bound falls to 0.04, the loose one to 0.4."}} tags=["hide-input"]
lines = ["loose", "tight", "moments", "marginal", "MAP"]
figures.show_swept(sweep, lines, "places M", each=True)

# %% [markdown]
# The moment bound stays within a factor of three of the better attack; the tight bound is above it from 50 places on by powers of ten. (The paper says that its bounds "get tight when M is large": in difference they do, in ratio not.) Modes less MAP, paired by sequence of sensors:

# %%
plots.show_table(figures.gain_table(sweep), "gain")

# %% [markdown]
# The modes beat MAP in the smallest map; with 20 places it cannot be told, and from 50 on MAP beats the modes.

# %% [markdown]
# (fano-adaptive)=
# ## Sensors that choose where to look
#
# The paper leaves these to future work. A greedy operator turns on the sensor whose answer says most ({numref}`fig-fano-bit`): where the chance to see her is nearest to 1/2. After each answer the
# belief is cut down to what fits, and moved one step. Dan walks from the station over home and the office back to the station:

# %%
belief = dan.initial
for true in [1, 0, 2, 1]:
    sensor = np.abs(belief[:4] - 0.5).argmin()  # elsewhere has none
    fits = np.arange(5) == sensor
    fits = fits if true == sensor else ~fits
    print(f"{places[sensor]}: {'seen' if true == sensor else 'not seen'},", end=" ")
    belief = belief * fits / (belief * fits).sum() @ dan.transition
    print("next", {places[x]: f"{belief[x]:.2f}" for x in belief.nonzero()[0]})

# %% [markdown]
# The sensor met him twice, and then the attacker knew his place for two hours without seeing him. (No sensor could tell anything in these; of equals the first is taken, at home.) On the simulated person, in simulated runs, against sensors at random, with 95% intervals over runs:

# %%
small_maps = [m for m in map_sizes if m <= 50] or map_sizes[:1]
adaptive = fano.adaptive(
    ["simulated"], map_sizes=small_maps, n_runs=n_adaptive, **person
)
table = figures.adaptive_table(adaptive).drop(columns="tight bound")
plots.show_table(figures.one_level(table), "adaptive")

# %% [markdown]
# Greedy sensors learn more in every map. MAP gains from it with 10 and 20 places; among 50 success is too rare to tell. (Random sensors in ten places have 0.30 here, where paths are drawn too, and 0.31 above, where only sensors are. [Five thousand
# runs](fano-replicated-adaptive) give 0.31, and 0.43 for greedy ones.)

# %% [markdown]
# (fano-unseen)=
# ## What unseen transitions decide
#
# All of this trusts the chain. Dan's diary has seven steps, of 25 kinds that there may be. What of the others? *Only what was seen* takes three decisions:
#
# 1. A step that was never seen has no chance.
# 2. A place that was never left (the diary's last, if she was there only then) keeps her for ever.
# 3. Where some of her places cannot be reached again from others (a first place never revisited, a last one never left), or she has a fixed rhythm, the chain does not settle to one distribution on them all. Then a millionth of each row is spread evenly over her places.
#
# *One added* counts each step between the places that she visited once more; *a tenth added*, a tenth. Dan's whole path, under four counts at the station:

# %%
sensors = np.full(4, list(six.rois.index).index("station"))
added = {"only what was seen": 0.0, "a tenth added": 0.1, "one added": 1.0}
for how, count in added.items():
    chain = rec.MarkovChain.from_visits(fano.diary(six, "Dan"), 5, pseudocount=count)
    own = fano.losses_by_errors(chain, sensors).loc[0, ["prior", "best", "tight"]]
    print(f"{how}: entropy {chain.entropy(4):.2f}", own.round(2).to_dict())

# %% [markdown]
# The same eight hours, and an attacker nine times as successful in the first reading as in the last. These are extremes: $4 \log 5 = 6.44$ is the entropy of somebody without any habits, so one added drowns the diary.
#
# How many days teach a chain? Where the truth is known we can ask: a walk on a line of ten places, a chain learned from it, and the moment bound for five more steps with one wrong (means over twenty walks, 95% intervals):

# %%
from lib import metrics
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
# Short diaries, taken as they were seen, gave bounds that are too high.
#
# The paper learns from 22 and 27 steps, of 9,760 and 318 users of two check-in services, and does not say what it does about the rest. We hold a cut of these data only, and not in the book. Here the "users" are aircraft: a place is an airport or *elsewhere*, a step is a day,
# the last five days are attacked and the chain is made from those before.

# %% tags=["hide-input"]
from lib.papers import fitting

people = {
    name: fano.load_people(
        file, window=windows.get(name, "1D"), n_users=n_users, seed=seed
    )
    for name, file in fitting.display_names(datasets).items()
}
habits = fano.habits(people, n_sequences=n_sequences, seed=seed)
n_attacks = min(4, n_sequences)
asked = {"n_sequences": n_sequences, "n_attacks": n_attacks, "seed": seed}
attacked = fano.attack_people(people, noise_stds=[], **asked)
trained = fano.training_coverage(people)
unsettled = habits[habits["chains"] == "as decided"]["mixed"].sum()
airports = {name: len(found.drawn.places) for name, found in people.items()}
print(f"{len(trained)} users, places {airports}, days {trained['days'].unique()}")
print(
    f"last place never left: {trained['never left'].sum()}; mended by decision 3: {unsettled}"
)

# %% [markdown]
# Decision 2 touches one aircraft in seven, and decision 3 two in seven. The paper expects slow people to be exposed (its Fig. 4). Slow means a small *spectral gap*: one minus the second largest modulus of the eigenvalues of $P$, small for a chain that forgets slowly where it was. Each point is an aircraft:

# %% mystnb={"figure": {"name": "fig-fano-filled", "caption": "Tight bound against spectral gap, aircraft one by one, random sensors, four of five steps asked for; squares mark those corrected by decision 3 in the left panel. The same aircraft crowd at the top, or fall from top to bottom, as it is decided what a day that was never seen may bring."}, "image": {"alt": "Two scatter plots of the tight bound against the spectral gap of the same aircraft. With only what was seen, most points are near one, and squares cluster at a gap of 0.05 and a bound of one. With one added to each transition they spread from one at small gaps down to near zero at large gaps."}} tags=["hide-input"]
figures.show_filled(habits)

# %% [markdown]
# The cluster at a gap of 0.05 and a bound of 1 is decision 2: an aircraft that was at a place for the first time on its last day of training is there for ever (squares: decision 3 then touched it too). Spearman's correlations of gap and bound, bootstrap intervals over aircraft, also given the number of places that each visited (partial rank correlation):

# %%
correlations = fano.correlations(habits, seed)
given = fano.partial_correlations(habits, trained, seed)
plots.show_table(figures.given_table(correlations, given), "correlations")

# %% [markdown]
# With only what was seen the correlation cannot be told from none; given the places visited it is there. Without the unsettled (*settled only*) the correlation has the other sign, and given the places visited it cannot be told from none. With one added it is strong, and the number of places does not explain it. (Intervals are over aircraft, all under the same twenty sequences of sensors. [450 aircraft and a hundred sequences](fano-replicated-fig4) give -0.32 with only what was seen, and 0.05 without the unsettled, whose interval holds 0.) Which reading is nearer to the five real days? Means over users, 95% intervals:

# %%
filled = fano.smoothed_chains(people, added, n_sequences=n_sequences, seed=seed)
plots.show_table(figures.filled_table(filled), "filled")

# %% [markdown]
# With only what was seen the chain promises its prior guess more than twice the success that it has, and calls the real days of two aircraft in three impossible (half of all go where they never were in training, which no reading allows; the log-likelihoods are of the others whose days every reading allows). With one added it promises less than half. A tenth added promises what comes. Does it also explain the real days better than one added does? Their log-likelihoods, paired by aircraft:

# %%
plots.show_table(figures.paired_table(filled, "a tenth added", "one added"), "paired")

# %% [markdown]
# Yes, for the aircraft whose days no reading calls impossible; but the strictest reading chose these. Of all that the two allow it cannot be told. Who compares readings where all of them have an answer lets one of them choose the question. And the attack? MAP, by only what was seen:

# %%
four = attacked[attacked["T - s"] == attacked["T - s"].max() - 1]
four = four.assign(gain=four["MAP"] - four["prior"])
shown = {"MAP": "MAP", "gain": "MAP less prior, paired"}
plots.show_table(figures.people_table(four, shown), "people")
print("sightings per step:", fano.share_observed(people, n_attacks, seed=seed))

# %% [markdown]
# A sensor meets a given aircraft in about one step of 270, so MAP is hardly told anything that the prior did not know. And a bound holds for those who follow their chain: with only what was seen, two in three cannot have.

# %% [markdown]
# ## What the paper found
#
# The paper finds, on people, that bounds follow how often a person is counted and how slowly they move, that they fall with noise, and that attacks succeed more often than on the simulated person. All of this is *not tested*, because we have only a cut of its data.
# On the cuts the verdicts hang on what is done about transitions that were never seen; [the replication](replication/fano.ipynb) gives each with the other choice beside it.
#
# ## Take-aways
#
# - The most probable path is the best guess of the *whole* path. Who needs only a few right steps may do better with the most probable place of each step.
# - Counting right steps, pairs and triples gives, under exact counts, a bound within a factor of three of the attack on the simulated person's ten steps; with longer paths it gets looser (four for twenty, in the replication).
# - Sensors that follow their counts learn more than sensors at random; in the small maps MAP succeeds more often for it, among 50 places it cannot be told.
# - A bound for a real person is a bound for her chain. With some twenty steps to learn from, what is decided about the others decides the result. Say what you decided, and show the other way beside it.

# %% [markdown]
# ## Exercises
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
# A guess has two right steps on average, of four. Give a distribution of $C$ for which $\Pr[C \ge 4]$ is $2/4$, and one for which it is 0.
# ```

# %% [markdown]
# ````{solution-start} fano-sharp
# :class: dropdown
# ````
#
# $C = 4$ or 0 with chance 1/2 each; $C = 2$ always.

# %% [markdown]
# *Learned:* the bound is sharp if steps are right all together or not at all.
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
# ```{exercise} Counting answers (★, 10 minutes)
# :label: fano-two-bounds
# The last chapter's exercise on [factors of two](fano-doubling) gave $2^T Q$ for $T$ counts. Compare it with the tight bound in the sweep over $M$, using Eq. 5 for $Q$. Where is it the better one?
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
# *Learned:* information theory knows that few of the answers are likely, and is the better one with 50 and 100 places. With 200 it pays more for that than plain counting does.
#
# ````{solution-end}
# ````
#
# ```{exercise} Which step makes the tight bound loose? (★★, 20 minutes)
# :label: fano-which
# Two steps of the tight bound may cost something: $Q$ is only bounded (Eq. 5), and Fano's inequality turns information into success. `fano.balls` takes the exact information, the inequality of {ref}`fano-tight-proof` without what its proof drops, and three values of $Q$: that of Eq. 5, one from the moment
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
# *Learned:* even with the least $Q$ the bound is far above the moment bound in the chapter's table, so it is Fano's inequality that costs most, and Eq. 5 the rest. The first column is nearly the tight bound of the chapter's table: the exact
# information and the sharper inequality change little. The paper calls it intractable. But after a sighting the past is forgotten, so that the entropy of a bit given all bits before, $H(B_t \mid B_1, \dots, B_{t-1})$, is a sum over the step of the last sighting; add up over $t$.
#
# ````{solution-end}
# ````
#
# ```{exercise} How much to add? (★, 10 minutes)
# :label: fano-smoothing
# `fano.smoothed_chains` takes what is added to each transition. Try 0.01 and 0.3 on the aircraft, beside 0.1 and 1. Guess first whether the bound rises or falls. Which promises of the prior come true?
# ```

# %% [markdown]
# ````{solution-start} fano-smoothing
# :class: dropdown
# ````

# %%
others = {"0.01 added": 0.01, "0.1 added": 0.1, "0.3 added": 0.3, "1 added": 1.0}
more = fano.smoothed_chains(people, others, n_sequences=n_sequences, seed=seed)
plots.show_table(figures.filled_table(more), "filled-more")
paid = more.assign(paid=more["prior"] - more["expected"]).groupby("added")["paid"]
paid.apply(metrics.mean_interval).map(lambda ends: np.round(ends, 2))

# %% [markdown]
# *Learned:* the bound falls with what is added. The last lines are intervals of real less expected success: with 0.01 to 0.3 added they hold 0, so that none of these promises can be told from kept; with one added it promises too little. An attacker has no such days to see it by, only those before.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write the best guess (★★, 30 minutes)
# :label: fano-best
# For $s = 1$ and each answer of the sensor at Dan's home, find the guess with the most paths within one error, by weight. Does its success equal the table's *best*? With $s = 2$, does it have to be a possible path?
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
weight, can_be = near @ joint, chance > 0
for answer in np.unique(answers[can_be]):
    best = np.isclose(weight[:, answer], weight[:, answer].max())
    seen = np.flatnonzero(paths[answers == answer][0] == HOME) + 1
    print(
        f"home in {seen}: best {best.sum()}, of these possible {(best & can_be).sum()}"
    )

# %% [markdown]
# *Learned:* the best guess for $s$ is the centre of the heaviest ball, and need not be a path that can be. For $s = 0$ that is MAP. The modes are best for the mean number of right steps, which is no ball.
#
# ````{solution-end}
# ````
#
# ```{exercise} An attacker who knows less (★★★, an evening)
# :label: fano-less
# The paper's conclusion asks for an attacker who does not know everybody else. Let her know the others' chains only, as the auxiliary attacker of [](thresholds.ipynb) does: the count is then the target's bit plus a sum of independent bits. Write the likelihood of a count, use it in MAP, and draw the
# success against the number of others, for the simulated person with ten places. *A good answer* has the prior and the informed attacker as the two ends, intervals over runs, and one sentence on which noise a crowd amounts to.
# ```

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
# # Zero auxiliary knowledge: an attacker with no traces but the target's
#
# The attacker of [Knock-Knock](knock_knock.ipynb) learns from the traces of many other people. Data holders often reply that nobody outside has such traces. Guan and co-authors {cite:p}`guan2024zero` answer with an attacker who generates synthetic traces *from the published counts themselves*, and needs no other person's records.
#
# Three characters appear in this chapter. The **data holder** counts a group of people and publishes the counts. The **target** is one person, who may or may not be in that group; in the small examples she is called Ada. The **attacker** sees the published counts, knows places and hours at which the target was, and wants to know whether the target was counted. This is a **membership inference attack**.
#
# The main result is simpler than the method. Adding up the counts in the target's own cells needs no traces and no training. In nearly every setting that we ran, this sum ranks groups as well as ZK or better. The exception is real flights under weak noise.
#
# After this chapter you can
#
# - read from a protected release where, when and how much people move, and say how suppression and noise distort this;
# - turn a release into synthetic traces, and synthetic traces into an attack;
# - compare attackers on the same groups, with a baseline that learns nothing;
# - judge a defense by the strongest attack against it and by what it costs.
#
# *For ninety minutes:* read [the question](zk-question), [the six people](zk-six), [the attack](zk-attack), [the main result](zk-headline) and [noise](zk-against-noise), and discuss {numref}`fig-zk-prices`. *For discussion:* which of its rows would you publish, and what would you tell a person who was counted?

# %% tags=["parameters", "remove-cell"]
datasets = ["tweeters-zk", "flights-by-number"]
path = ""
callers_users = 3000
n_targets = 5
n_train = 200
n_test = 100
ks = [1]
epsilons = [1.0]
processes = 1
seed = 2024

# %% [markdown]
# (zk-question)=
# ## Who knows what?
#
# The rules are those of the [membership game](kk-game). The data holder draws a group of $m$ users, either with the target $u^*$ or without, and publishes the group's counts, raw or protected. The attacker returns a score: the higher it is, the more likely the target is in the group. Success is measured by the AUC ({prf:ref}`def-auc`), the probability that a group with the target scores higher than a group without. An AUC of 1/2 is guessing.
#
# Three attacks compete. **KK** is Knock-Knock in the form in which the ZK paper uses it: a logistic regression, trained on counts of real people's traces. **ZK** (zero auxiliary knowledge) is the same regression, trained on synthetic traces. **The sum** adds up the released counts in the target's cells; it comes from [our first chapter](foundations-attack) and is not in the paper.
#
# | what the attack uses | KK | ZK | the sum |
# |---|---|---|---|
# | the release, and visits of the target | yes | yes | yes |
# | the group size $m$, the defense and its parameters | yes | yes | no |
# | a map of the places | no | yes | no |
# | real traces of other people, same places and hours | yes | **no** | **no** |
#
# The paper assumes that every attacker *knows* the map. Only ZK *uses* it.
#
# A second distinction matters as much as the first. The paper's call records are private, and its tweets are not part of this book. In their place stand **synthetic surrogates**: populations that were generated to reproduce statistics which the paper prints. Results about them are results about synthetic people.
#
# | name on this page | who is counted | group size |
# |---|---|---|
# | `tweeters-zk` | synthetic people, calibrated to the paper's tweets of Milan | 1,000 |
# | `callers` | synthetic people, calibrated to the paper's call records | 1,000 |
# | `flights-by-number` | real flights; each flight number counts as one user | 250 |
#
# So no row of this chapter is about real people. The flights are real records that no model generated, which makes them the stricter test of an attack that relies on a model.
#
# (zk-six)=
# ## What do six people's counts give away?
#
# Ada, Ben, Cleo, Dan, Eve and Fay are counted on one Monday. The data holder can publish the counts as they are, replace every count of 1 by 0, or add random noise:

# %%
import numpy as np
import pandas as pd
from lib.aggregation import aggregate
from lib.datasets import load, mobility
from lib.papers import figures as plots
from lib.papers.zero_knowledge import experiments, figures

plots.use_style()
six = load("six-users").select(epochs=slice(0, 4))
rng = np.random.default_rng(seed)

raw = aggregate(six, [range(6)])[0]
suppressed = np.where(raw > 1, raw, 0)
noisy = np.floor(np.clip(raw + rng.laplace(scale=1.0, size=raw.shape), 0, 6))

releases = {"raw": raw, "ones suppressed": suppressed, "noise": noisy.astype(int)}

# %% mystnb={"figure": {"name": "fig-zk-six", "caption": "One Monday of six people, released in three ways. Suppression empties every cell with a single visit. Noise changes eight of the twelve cells that are not empty: it empties seven of them and turns a 1 into a 5. In this draw the empty cells stay empty."}, "image": {"alt": "Three matrices of counts of the six invented users, places by hours: raw, with counts of one suppressed, and with noise. Suppression empties many cells; noise empties seven and changes another."}} tags=["hide-input"]
hours = [f"{stamp:%H}h" for stamp in six.epochs]
plots.show_releases(releases, list(six.rois.index), hours)

# %% [markdown]
# ````{prf:definition} Releases (Section 2 of the paper)
# :label: def-zk-releases
# Let $A$ be the matrix of counts, with a row for each place and a column for each hour.
#
# - A *raw* release is $A$.
# - A *suppressed* release replaces every count up to $k$ by 0 (**small-count suppression**).
# - A *noisy* release is $A + \mathrm{Lap}(\Delta/\varepsilon)$, clipped to $[0, m]$ and rounded down.
#
# $\Delta$ is the **sensitivity**: the largest total change in the counts when one unit is added or removed. It depends on the **unit of privacy** ({prf:ref}`def-release`). For **event-level** privacy the unit is one visit, so $\Delta = 1$. For **user-day-level** privacy it is one user's day, and $\Delta$ is a cap on visits a day. For **user-level** privacy it is everything a user does, and $\Delta$ is the largest number of visits of any user.
# ````
#
# Clipping and rounding are **post-processing**: they only look at the noisy counts, so they do not weaken the guarantee.
#
# Without knowing a single person, the attacker can read three things from a release: where people are, when they are there, and how much they move.
#
# ````{prf:definition} Three marginals (Eq. 5, 6 and 10)
# :label: def-zk-marginals
# Let $\bar A$ be the released counts of $m$ users. The **space marginal** is each place's share of all visits, $P_S(s) = \sum_t \bar A_{s,t} / \sum_{s,t} \bar A_{s,t}$. The **time marginal** $P_T(t)$ is each hour's share. The **activity marginal** $P_A$ is the distribution of the number of visits per user. A release reveals only its mean, $\mu = \sum_{s,t} \bar A_{s,t} / m$.
# ````
#
# Here are the space marginals of the three releases, as fractions, with the mean number of visits per user in the last column. You can check each entry by adding up a row of the figure.

# %%
rows = {}
for name, counts in releases.items():
    shares = [f"{of_place}/{counts.sum()}" for of_place in counts.sum(axis=1)]
    rows[name] = [*shares, f"{counts.sum()}/6"]
columns = [*six.rois.index, "visits per user"]
plots.show_table(pd.DataFrame.from_dict(rows, "index", columns=columns), "six")

# %% [markdown]
# Suppression removes the park from the map, because no two people were ever there at the same hour. Noise shifts every share. It also lowers the total here, because rounding down takes something from every full cell.
#
# (zk-marginals-of-a-town)=
# ## What can still be read from a protected release?
#
# Six people fill their cells. In a town most cells are empty, and then suppression and noise act differently. We count a thousand synthetic tweeters for a week and compare what a release says about places with the truth.

# %%
town = load("tweeters-zk")
by_place, by_hour = experiments.true_marginals(town)

thousand = experiments.draw_group(town, seed)  # the positions of 1,000 users
of_thousand = aggregate(town, thousand)[0]
hidden = np.where(of_thousand > 1, of_thousand, 0)
noise = rng.laplace(scale=1 / 0.1, size=of_thousand.shape)
drowned = np.floor(np.clip(of_thousand + noise, 0, 1000))

# %% tags=["hide-input"]
names = ["k = 1", "epsilon = 0.1"]
released = {name: experiments.released_marginals(town, name, seed) for name in names}

# %% mystnb={"figure": {"name": "fig-zk-marginals", "caption": "Where and when synthetic tweeters are: the truth for everybody (full line), and what two releases of a thousand of them say. The 40 most visited places and the first two days are shown. Suppression (k = 1) exaggerates the difference between popular and unpopular places; noise (ε = 0.1, event-level) nearly removes it."}, "image": {"alt": "Synthetic surrogate tweeters. Above, places by popularity: the suppressed release starts higher than everybody's curve and falls to zero, the noisy one is nearly flat. Below, two days: the suppressed release swings more than everybody's curve, the noisy one less."}} tags=["hide-input"]
figures.show_marginals((by_place, by_hour), released, "tweeters-zk")

# %% [markdown]
# The reason is the same in both panels. Suppression deletes small counts, and unpopular places have only small counts. Noise that is clipped at 0 adds something to every cell: negative noise in an empty cell is cut off, whereas positive noise stays. This addition is the same everywhere on average, so it makes all cells look alike ({ref}`zk-nobody`).
#
# The attacker knows which defense was applied and can try to undo it. After suppression the paper applies **log compression**, $x \mapsto \log(1 + x/x_{\min})$, where $x_{\min}$ is the smallest positive share (Eq. 7 and 8). It flattens an exaggerated marginal. After noise the paper applies a **power transform**, $x \mapsto x^p$ (Algorithm 4). It sharpens a flattened one. The power $p$ starts at 1 and grows until the marginal has the variance of randomly drawn shares, which is $1/(3n^2)$ for $n$ places (Eq. 9).
#
# Each correction takes a few lines of code. We measure their success by the **total variation distance** to the truth, the share of visits that would have to be moved to turn one marginal into the other.

# %%
from lib.membership import marginals


def log_compress(shares):
    compressed = np.log(1 + shares / shares[shares > 0].min())
    return compressed / compressed.sum()


def power_transform(shares):
    wanted = 1 / (3 * len(shares) ** 2)
    raised = shares ** np.arange(1, 50, 0.01)[:, None]  # a row for each power
    raised /= raised.sum(axis=1, keepdims=True)
    return raised[np.abs(raised.var(axis=1) - wanted).argmin()]


def distance(one, other):
    return np.abs(one - other).sum() / 2


for name, counts, undo, library in (
    ("suppression", hidden, log_compress, marginals.log_compress),
    ("noise", drowned, power_transform, lambda x: marginals.power_transform(x)[0]),
):
    shares = counts.sum(axis=1) / counts.sum()
    assert np.allclose(undo(shares), library(shares))
    before, after = distance(shares, by_place), distance(undo(shares), by_place)
    print(
        f"{name}: distance {before:.2f} as released, {after:.2f} after the correction"
    )

# %% [markdown]
# One release is an anecdote. The next table has means over five releases. Raw counts are not exact either, because a thousand users are a sample.

# %%
repeated = experiments.repeat_releases(experiments.marginal_distances, town, seed=seed)
plots.show_table(figures.undone_table(repeated), "undone")

# %% [markdown]
# On the synthetic tweeters the correction for suppression works: log compression brings both marginals closer to the truth. The correction for noise does not. It leaves the space marginal where it was and makes the time marginal *worse* at $\varepsilon = 0.1$, and probably at $\varepsilon = 1$. The paper reports an improvement in space at $\varepsilon = 1$ on its call records, which we do not see here. A correction that uses the exact distribution of the noise is [on the replication page](zk-likelihood-attack).
#
# On a screen you can move $k$ and $\varepsilon$ and watch the marginals (one group of a thousand; the noise is averaged).
#
# ```{raw} html
# :file: static/marginals.html
# ```
#
# ### A limit theorem (optional)
#
# The flattening by noise can be proved.
#
# ````{prf:theorem} Noisy marginals tend to the uniform one (Theorem A.2, corrected)
# :label: thm-zk-uniform
# Let the counts be *strongly sparse*: each place's mean count over the hours tends to 0 as hours are added. Then the space marginal of counts with Laplace noise, clipped at 0, tends almost surely to $1/|S|$ for every place. If the visits of an hour stay bounded (Lemma A.1), the time marginal tends to $1/|T|$ as places are divided more and more finely.
# ````
#
# Real counts are not that sparse. Their limit is flatter than the truth, but not flat. The appendix has [the proof, and what we corrected](appendix-noise.md).
#
# ### How many visits does a user make?
#
# The third marginal cannot be read off at all. Suppression removes visits and noise adds some, so the released total divided by $m$ is wrong. The paper [searches for the mean](zk-algorithm-3) instead: it generates synthetic users with a given mean, protects their counts in the same way, and looks for the mean at which they give the same total as the release. Here is the search by hand for suppression with $k = 1$:

# %%
space = log_compress(hidden.sum(axis=1) / hidden.sum())
time = log_compress(hidden.sum(axis=0) / hidden.sum())

for mean in (3, 4, 5, 6):
    users = mobility.synthesize(space, time, [mean] * 1000, town.rois, 1000, rng)
    their_counts = aggregate(users, [range(1000)])[0]
    left = np.where(their_counts > 1, their_counts, 0).sum() / 1000
    print(f"{mean} visits per synthetic user leave {left:.1f} after suppression")

# %%
from lib.mechanisms import SuppressSmallCounts

hiding = [SuppressSmallCounts(2)]  # the smallest count that is published
guess = marginals.estimate(hidden, hiding, 1000, town.rois, rng)
print(
    f"released {hidden.sum() / 1000:.1f}, estimated {guess.mean_visits:.1f}", end=", "
)
print(f"true {town.visits().mean():.1f} visits per user")

# %% [markdown]
# The released mean is far too low. The search recovers the truth closely, because the attacker can repeat exactly what the data holder did.
#
# (zk-trace)=
# ## How does a release become a trace?
#
# The attacker now knows roughly where, when and how much people move. The paper turns this into synthetic traces with a simple mobility model.
#
# ````{prf:algorithm} A synthetic trace (Algorithm 1)
# :label: alg-zk-trace
# 1. Draw an origin from the space marginal.
# 2. Grow a connected set of ten places around it, in the triangulation of the places.
# 3. Draw the number of visits from the activity marginal, an exponential distribution with mean $\mu$.
# 4. For each visit draw a place of the set, by the space marginal, and an hour, by the time marginal.
# ````
#
# Each step is one or two lines:

# %%
neighbours = mobility.triangulate(town.rois)

origin = rng.choice(town.n_rois, p=guess.space)
patch = mobility.grow_subgraphs(np.array([origin]), neighbours, rng)[0]
n_visits = round(rng.exponential(guess.mean_visits))
n_visits = max(n_visits, 6)  # only here, to have something to draw
share = guess.space[patch] / guess.space[patch].sum()
where = rng.choice(patch, n_visits, p=share)
when = rng.choice(town.n_epochs, n_visits, p=guess.time)

for i in np.argsort(when)[:5]:
    print(f"place {town.rois.index[where[i]]}, {town.epochs[when[i]]:%A, %H}h")

# %% mystnb={"figure": {"name": "fig-zk-trace", "caption": "The synthetic user of the cell above on the map of the synthetic tweeters. Blue dots are sized by the estimated space marginal, circles are the user's ten places around the origin, and numbers are visits to a place. All visits lie close together."}, "image": {"alt": "A ten by ten grid of places joined by a triangulation, dots sized by their share of visits; ten connected places are circled, one marked as the origin, most labelled with numbers of visits."}} tags=["hide-input"]
figures.show_trace(town, guess.space, patch, where, "tweeters-zk")

# %% [markdown]
# A synthetic user has no home, no office and no habits. Place and hour of a visit are independent, which they are not for real people. The [replication page](zk-synthetic-users) compares such users with the population in detail. For the attack only one thing matters: whether an attacker can learn from them what a group's counts look like.

# %% [markdown]
# (zk-attack)=
# ## How does the attack work?
#
# We build the attack on one target of the first dataset, under event-level noise with $\varepsilon = 1$. The data holder's groups are drawn from one part of the population. The other part provides the real traces that KK may use. No user is in both. Targets are drawn among **active** users, those with ten or more visits, as the paper does for Milan. Every AUC of this chapter is about such targets.

# %%
from lib.datasets import describe
from lib.papers import fitting

load_one = {"path": path, "callers_users": callers_users}
called = fitting.display_names(datasets).items()
populations = {name: experiments.population(file, **load_one) for name, file in called}
able = fitting.zero_knowledge(populations, n_targets)  # fewer where data are small
targets, sizes = experiments.to_attack(populations, able, seed=seed)
plots.show_table(describe(populations), "data")

# %%
from lib.mechanisms import Laplace, PostProcess
from lib.membership import challenges

data, traces = next(iter(populations.items()))
target, m = targets[data][0], sizes[data]["group_size"]
known = sizes[data]["n_reference"]  # other users whose traces KK has
defense = [Laplace(1.0), PostProcess("down")]
game = challenges.Challenge(traces, target, defense, m, known, rng, n_test)

cells = np.flatnonzero(game.trace)  # where and when the target was
counts = game.releases_at(cells)  # released counts there, a row for each group
active = (traces.visits() >= 10).mean()
print(f"{len(counts)} groups of {m}, half with the target; {len(cells)} target cells;")
print(f"{active:.0%} of the users are active; KK has the traces of {known} others")

# %% [markdown]
# ### The baseline: add up the target's cells
#
# If the target is in the group, each of these cells holds one more visit than it would otherwise. So the simplest score is the sum:

# %%
sums = counts.sum(axis=1)
with_target, without_target = sums[game.members == 1], sums[game.members == 0]
print(f"mean sum {with_target.mean():.1f} with the target", end=", ")
print(f"{without_target.mean():.1f} without")

# %% [markdown]
# This score *ranks* groups, and an AUC asks for nothing more. To decide *in* or *out*, the attacker must also guess what the sum would be without the target ({ref}`zk-sum-decides`).
#
# (zk-pair-by-hand)=
# ### Why pairs? Two users, two cells, by hand
#
# A regression can do more than add. It can give the target's cells different weights, and it can use other cells. But it has to learn the weights from groups whose counts vary for many reasons besides the target.
#
# The paper's idea is to train on **pairs**. Two groups of a pair share $m - 1$ members and the random noise. In one the last seat is taken by the target, in the other by somebody else. Consider two cells. Ada, the target, visited the first one. Ben, who takes the last seat in her place, visited the second one. Here are two pairs. What the other members and the noise contribute is the same within a pair:

# %%
ada, ben = np.array([1, 0]), np.array([0, 1])
shared = np.array([[3, 5], [1, 2]])  # other members and noise: a row for each pair
inside, outside = shared + ada, shared + ben
print("with Ada:", inside.tolist(), " with Ben:", outside.tolist())

# %% [markdown]
# Logistic regression gives a group with counts $x$ the probability $p(x) = 1 / (1 + e^{-(w \cdot x + b)})$ of containing the target. It chooses the weights $w$ by maximising the likelihood of the labels $y$ (1 with the target, 0 without). The gradient of the log-likelihood is $\sum_i (y_i - p(x_i))\,x_i$. At the start $w = 0$ and every $p(x_i)$ is 1/2, so the first step goes in the direction
#
# $$ \sum_i \bigl(y_i - \tfrac12\bigr)\, x_i = \tfrac12 \sum_{\text{pairs}} (x_{\text{with}} - x_{\text{without}}) . $$
#
# In each pair everything shared cancels. With the numbers above, $\tfrac12 \bigl[(4,5) - (3,6) + (2,2) - (1,3)\bigr] = (1, -1)$: Ada's cell gets a positive weight and Ben's a negative one. Compare this with two *independent* groups without Ada:

# %%
independent = np.array([[5, 4], [4, 7]])  # other members, other noise
print("step on pairs:", (inside - outside).sum(axis=0) / 2)
print("step on independent groups:", (inside - independent).sum(axis=0) / 2)

# %% [markdown]
# On independent groups Ada's cell gets a *negative* weight, because the two groups without her happened to have larger counts there. Only many groups would average this luck away. A regression that is run until it converges gives weights with the same signs:

# %%
from sklearn.linear_model import LogisticRegression

fitted = LogisticRegression().fit(np.concatenate([inside, outside]), [1, 1, 0, 0])
print("weights of Ada's and Ben's cell:", fitted.coef_.round(2)[0])

# %% [markdown]
# Ben's cell keeps a weight only because Ben sits in the last seat of both pairs. In the real attack each pair has a different person there, so that the weights of all cells but the target's shrink towards 0 ({ref}`zk-cancels`).
#
# ### The algorithm, step by step
#
# ````{prf:algorithm} Zero auxiliary knowledge (Sec. 4 and 5)
# :label: alg-zk-attack
# 1. Make synthetic traces from the release.
# 2. Make pairs of groups: $m - 1$ synthetic users and the target, and the same $m - 1$ and another synthetic user.
# 3. Count them, and protect the counts as the release was protected, with *the same noise* in both groups of a pair.
# 4. Fit a logistic regression with an $L_1$ penalty, one weight for each cell.
# 5. Choose the threshold that is right most often on further groups, drawn independently.
# 6. If counts are raw and a cell that the target visited holds 0, decide that the target is not in the group.
# ````
#
# KK is the same algorithm with real traces in step 1. The paper uses 400 groups to train and 100 to choose the threshold, and otherwise the defaults of scikit-learn; so do we, except where the page says `n_train`.
#
# Steps 1 to 3, restricted to the target's cells. ZK learns from one release only, the first:

# %%
from lib.aggregation import aggregate_cells, sample_groups
from lib.membership import zero_knowledge as zk


def protect(values, noise):
    return np.floor(np.clip(values + noise, 0, m))


attacker = zk.ZeroKnowledge(game.trace, game.rois, defense, m, rng, n_traces=known)
synthetic = attacker.synthesize(game.release)  # step 1

groups = sample_groups(range(known), n_train // 2, m, rng)  # step 2, target last
without = aggregate_cells(synthetic, groups, cells)
including = aggregate_cells(synthetic, groups[:, :-1], cells) + 1

shared = rng.laplace(scale=1.0, size=without.shape)  # step 3
pairs = [protect(without, shared), protect(including, shared)]
print("one pair:", *(each[0].astype(int) for each in pairs), sep="\n")

# %% [markdown]
# The second line of the pair has the target. Each count is one more, unless the noise pushes both below 0, or unless the user whose seat the target takes was in that cell too.
#
# Step 4 is one call:

# %%
by_hand = LogisticRegression(l1_ratio=1, solver="liblinear", random_state=seed)
by_hand.fit(np.concatenate(pairs), np.repeat([0, 1], n_train // 2))
print("weights:", by_hand.coef_[0].round(1))

# %% [markdown]
# Step 5 chooses the threshold. The attacker makes a hundred more synthetic groups, each independent of the others, scores them, and tries every possible threshold:

# %%
further = sample_groups(range(known), 100, m, rng)
inside = np.repeat([0, 1], 50)
group_out = aggregate_cells(synthetic, further[:50], cells)
group_in = aggregate_cells(synthetic, further[50:, :-1], cells) + 1
values = np.concatenate([group_out, group_in])
own_scores = by_hand.decision_function(protect(values, rng.laplace(size=values.shape)))
right = [((own_scores > t) == inside).mean() for t in own_scores]
threshold = own_scores[np.argmax(right)]

scores = {"ZK by hand": by_hand.decision_function(counts), "sum": sums}
decided = scores["ZK by hand"] > threshold
best = zk.best_threshold(game.members, scores["ZK by hand"])
at_best = ((scores["ZK by hand"] > best) == game.members).mean()
print(f"right on own synthetic groups {max(right):.2f}", end=", ")
print(f"on real groups {(decided == game.members).mean():.2f}", end=", ")
print(f"with the best threshold {at_best:.2f}")

# %% [markdown]
# The threshold does better on the attacker's own groups than on the real ones. [A later section](zk-decides) asks why.
#
# Step 6 needs no learning at all. It applies only to raw counts, so we replay the game without a defense:

# %%
raw_game = challenges.Challenge(traces, target, [], m, known, rng, n_test)
raw_counts = raw_game.releases_at(cells)
says_out = (raw_counts == 0).any(axis=1)
print("share of groups in which the rule says out:")
print(f"{says_out[raw_game.members == 0].mean():.2f} without the target", end=", ")
print(f"{says_out[raw_game.members == 1].mean():.2f} with the target")

# %% [markdown]
# For this target the rule alone decides every raw release. Raw counts are therefore no test of an attack, and the rest of the chapter is about protected ones.
#
# ### One game, all attacks
#
# The library's attacks differ from our version by hand in one respect: they weigh *all* cells, not only the target's. `ZK, other weights 0` is the library's ZK after the weights of all cells but the target's are set to 0.

# %%
from lib.papers.summaries import scored

learned = {}
for name, people in {"KK": game.reference, "ZK": synthetic}.items():
    made = zk.Training(people, game.trace, defense, m, rng, n_train=n_train)
    learned[name] = made.attack()
learned["ZK, other weights 0"] = learned["ZK"].restrict(cells)
for name, attack in learned.items():
    print(f"{name}: {len(attack.cells)} cells have a weight")
scores = game.scores(learned) | scores
plots.show_table(scored(game.members, scores)[["AUC"]], "one-game")

# %% [markdown]
# In this game the sum has the highest AUC, and the attacks that look at more cells have lower ones. Most cells with a weight are not the target's. What a regression learned about them can only be the luck of its training groups.
#
# One target with a hundred groups cannot settle the ranking, because the intervals overlap. What counts is the mean over many targets, and the **paired difference** between two attacks that face the same groups. Its interval is narrower, because a target who is hard to find is hard for both ({ref}`zk-paired`).
#
# ### Do pairs help?
#
# The next figure compares training on pairs with training on independent groups, under user-day-level noise.

# %% mystnb={"figure": {"name": "fig-zk-pairs", "caption": "Mean AUC over targets with 95% intervals, synthetic tweeters; the dotted line is guessing. Pairs help both attackers at every budget, and on pairs KK and ZK nearly coincide."}, "image": {"alt": "Synthetic surrogate tweeters: mean AUC against the budget of a user's day for KK and ZK, trained on pairs and on independent groups, with intervals; pairs lie above at every budget, and KK and ZK nearly coincide."}} tags=["hide-input"]
figures.show_pairs(experiments.pairs.stored(), figures.source_note(experiments.pairs))

# %%
budgets = [1.0, 4.0, 10.0]
plots.show_table(figures.pair_table(experiments.pairs.stored(), budgets), "pairs")

# %% [markdown]
# Pairs help KK and ZK about equally on the synthetic tweeters. In the paper ZK gains more than KK; [here it does not](zk-pairs).
#
# (zk-headline)=
# ## Does learning beat adding up?
#
# We now have three attacks that need very different things. This is the chapter's main experiment: 30 targets, 100 groups for each, and the same groups for all attacks. The table shows the mean AUC of ZK and of the sum. The last two columns are paired differences, with 95% intervals over targets; the first of them compares ZK with KK. If an interval lies above 0, the first attack is significantly better than the second.

# %%
suppressed = figures.attacks(experiments.suppression.stored())
noisy = figures.attacks(experiments.noise.stored(), experiments.scores.stored())
every = figures.by_defense(suppressed, noisy)
print(figures.source_note(experiments.suppression).strip())

shown = [("suppressed", 1.0), ("suppressed", 3.0), ("suppressed", 5.0)]
shown += [("event", 10.0), ("event", 1.0), ("user-day", 10.0)]
main = figures.select_defenses(every, shown)
columns = ["ZK", "sum", "ZK - KK", "sum - ZK"]
plots.show_table(figures.table(main, ["data", "defense"])[columns], "headline")

# %% [markdown]
# **On the synthetic populations the sum is never more than 0.01 behind ZK, and often significantly better.** It uses no map, no synthetic people, no training and no knowledge of the defense.
#
# **On the real flights the answer depends on the defense.** Under suppression the sum is significantly better than ZK. Under noise of scale 1 the two are level. Under the weakest noise ($\varepsilon = 10$ for a visit) the sum loses 0.09: learning pays there.
#
# Two reasons are likely. Under strong noise all of the target's cells are about equally noisy, and equal weights are then close to the best ones; the regression must estimate thousands of weights from a few hundred groups and pays for it with estimation error. Under weak noise a single count near 0 almost proves that the target is absent, as in step 6; the sum averages this away, and a regression with different weights loses less. We did not test these explanations separately.
#
# ZK and KK differ little on the synthetic populations, except under strong suppression. On the flights ZK is behind KK by 0.04 to 0.05 under noise of scale 1.
#
# ```{note}
# *What this does not show.* Agreement of ZK and KK on synthetic populations is weak evidence: both the population and the attacker's traces come from mobility models. The flights, which nobody modelled, are the stricter test, and there real traces are worth something. None of these rows is about real people.
# ```

# %% [markdown]
# (zk-against-suppression)=
# ## How far does suppression protect?
#
# Small-count suppression is what many statistical offices do. How large must $k$ be before the attacks fail? From here on results are means over 30 targets. Groups have 1,000 members for the synthetic populations, as in the paper, and 250 for the flights, of which there are fewer.

# %% mystnb={"figure": {"name": "fig-zk-suppression", "caption": "Mean AUC over 30 targets with 95% intervals against the suppression threshold k; the dotted line is guessing. At k = 0 all three attacks use the rule for raw counts. All attacks weaken as k grows, ZK on the tweeters faster than KK, and the sum is nowhere significantly behind."}, "image": {"alt": "Three panels, synthetic tweeters, synthetic callers and flights: mean AUC of KK, ZK and the sum against the suppression threshold with intervals. All fall from about one; the sum is mostly on top."}} tags=["hide-input"]
note = figures.source_note(experiments.suppression)
figures.show_against(suppressed, "k", "counts up to k become 0" + note)

# %%
some = suppressed.query("k in (1, 3, 5)")
plots.show_table(figures.beside_kk(some, ["data", "k"]), "suppression")
gone = 100 * experiments.suppressed.stored().query("k == 5").set_index("data")["share"]
print("positive counts suppressed at k = 5, in percent:")
print(gone.round().astype(int).to_dict())

# %% [markdown]
# All attacks weaken as $k$ grows, but even $k = 5$ does not stop the best one. The paper reports AUCs below 0.55 at $k = 5$. On our synthetic callers every attack stays far above that, and the sum most of all. ZK comes close to it on the synthetic tweeters only.
#
# Suppression weakens the attacks because it deletes what they use. At $k = 5$ more than nine in ten positive counts are gone, here as in the paper. The few that remain are in crowded cells. A target who visited some of these can still be found by adding up.
#
# ```{note}
# The surrogates were generated so that the share of suppressed counts matches the paper's ([figure](zk-fig-15)). That share is therefore an input, not a finding.
# ```
#
# (zk-decides)=
# ## Why does a good ranking decide badly?
#
# At $k = 1$ ZK ranks the callers' groups almost perfectly, with an AUC of 0.98 in the main table. Its *decisions* are right in only 60% of the groups. An AUC says nothing about the threshold. The table has four measures for each of the two trained attacks:
#
# - *accuracy*, with the attacker's own threshold;
# - *best accuracy*, with the best threshold, which only somebody who knows the answers could choose;
# - the share of groups that the attack *labels as containing the target* (half would be right);
# - *training minus real groups*: the difference in the mean count of the target's cells between the attacker's training groups and the real groups, both without the target.

# %%
thresholds = experiments.thresholds.stored("callers", "flights-by-number")
measures = {
    "called in": "labelled as containing the target",
    "learned - real": "training minus real groups, per cell",
}
print(figures.source_note(experiments.thresholds).strip())
plots.show_table(
    figures.threshold_table(thresholds).rename(index=measures), "thresholds"
)

# %% [markdown]
# With the best threshold ZK would be right in 96% of the callers' groups. So the threshold is at fault, not the ranking.
#
# ZK chooses its threshold on synthetic groups, in which the target's cells hold less than in real groups (last row). Real groups therefore look full, and the attack labels nine in ten as containing the target.
#
# ```{note}
# This is not the whole explanation. KK also labels more than half of the callers' groups as containing the target, without a significant difference in the counts. Why synthetic groups are emptier in these cells was not tested. The paper shows the same pattern on Milan (accuracy 0.70 for ZK and 0.77 for KK at $k = 1$), and little of it on its call records (0.88 and 0.91).
# ```
#
# (zk-against-noise)=
# ## What protects: the unit of privacy or the noise?
#
# Data holders announce a unit and an $\varepsilon$. What hides the target is the noise, whose scale is $\Delta/\varepsilon$. A visit at $\varepsilon = 1$ has $\Delta = 1$ and scale 1. A user's day at $\varepsilon = 10$, capped at 10 visits, has $\Delta = 10$ and also scale 1. So both can be drawn on one axis.

# %% mystnb={"figure": {"name": "fig-zk-noise", "caption": "Mean AUC over 30 targets with 95% intervals against the scale of the noise. Filled markers: event-level; hollow markers: user-day-level. Where the two units share a scale (1, 2 and 10; on the callers 2), they give nearly the same AUC. On the flights the sum falls behind at small scales."}, "image": {"alt": "Three panels, synthetic tweeters, synthetic callers and flights: mean AUC of KK, ZK and the sum against the scale of the noise on a logarithmic axis, for two units of privacy. All fall towards one half; filled and hollow markers nearly meet where they share a scale."}} tags=["hide-input"]
xlabel = "scale of the noise, Δ / ε" + figures.source_note(experiments.noise)
figures.show_against(noisy, "scale", xlabel, "log")

# %%
telling = [("event", 10.0), ("event", 5.0), ("event", 1.0), ("user-day", 10.0)]
of_noise = figures.select_defenses(noisy.rename(columns={"epsilon": "level"}), telling)
scales = of_noise.groupby("defense", sort=False)["scale"].unique()
print("scales:", {name: each.tolist() for name, each in scales.items()})
plots.show_table(figures.table(of_noise, ["data", "defense"])[columns], "noise")

# %% [markdown]
# The scale decides, not the name of the unit. On tweeters and flights the last two rows of each block have the same scale and nearly the same AUC. (The callers' days are capped at 20 visits, so that their last row has scale 2.)
#
# The guarantees nevertheless differ. At the same scale, event-level noise guarantees $\varepsilon = 1$ for a visit, and user-day-level noise guarantees $\varepsilon = 10$ for a day. They are two descriptions of the same protection.
#
# On the real flights the attacks separate as the noise gets weaker. At scales 0.1 and 0.2 the sum is behind both trained attacks. At scale 1 it is level with ZK, and both are behind KK.
#
# (zk-must-know)=
# ## How much must the attacker know about the target?
#
# So far the attacker knew every visit of the target. The next experiment gives the attacker a random part of them, under two defenses at once: event-level noise ($\varepsilon = 1$), then suppression with $k = 1$.

# %%
partly = figures.with_sums([experiments.partial], "known", "share")
parts = partly.query("share in (0.1, 0.5, 1)")
plots.show_table(figures.table(parts, ["data", "share"])[columns], "known")

# %% mystnb={"figure": {"name": "fig-zk-known", "caption": "Mean AUC over 30 targets with 95% intervals against the share of the target's visits that the attacker knows; both populations are synthetic surrogates. Knowing a tenth of the visits leaves the attacks well above guessing."}, "image": {"alt": "Two panels, synthetic tweeters and synthetic callers: mean AUC of KK, ZK and the sum against the share of the target's visits that is known, with intervals. All rise with the share; the sum is on top."}} tags=["hide-input"]
xlabel = "share of the target's visits that is known" + figures.source_note(
    experiments.partial
)
figures.show_against(partly, "share", xlabel)

# %% [markdown]
# A tenth of the visits is enough to be well above guessing, on synthetic people. The reason can be seen from the sum. Its mean difference grows in proportion to the number of known cells, and its standard deviation with the square root of that number. Losing nine tenths of the cells therefore divides the signal-to-noise ratio by about three, not by ten.
#
# ```{note}
# With full knowledge the AUC on our tweeters is lower than the paper's, which is above 0.9 for Milan. An attacker who knows the target's *places* but not the hours does not get far above guessing on our surrogates. In the paper KK does much better (0.83 and 0.86), and ZK does not (0.52 and 0.55). [The tables](zk-places) are on the replication page.
# ```
#
# (zk-not-enough)=
# ## When are synthetic traces not enough?
#
# [Knock-Knock](kk-sizes) taught that small groups hide less. Under suppression the opposite can happen, because a small group's counts are small and most of them are deleted. The table has $k = 1$ and a row for each group size.

# %%
several = experiments.sizes, experiments.flight_sizes
small = figures.with_sums(several, "k = 1", "m", "release == 'k = 1'")
some = small[small["m"].isin([100, 250, 1000]) | (small["data"] == "flights-by-number")]
print(figures.source_note(experiments.sums).strip())
plots.show_table(figures.beside_kk(some, ["data", "m"]), "small-groups")

# %% [markdown]
# In groups of 100 synthetic tweeters ZK's AUC is 0.21 below KK's. Real traces do matter here. In groups of 1,000 the difference is gone. The sum is nowhere significantly behind KK.
#
# A likely reason is that so small a release leaves too little to estimate marginals from; we did not test it. KK's own AUC *rises* with the group size on the synthetic populations, as the paper reports and explains by the share of deleted counts.
#
# ```{note}
# On the flights nothing clear happens between 100 and 250. Groups of 500 flights are drawn from 553 and overlap almost entirely, so that row says little. The paper also finds a decline of ZK in very large groups of callers, from 0.99 at 500 to 0.94 at 3,000.
# ```
#
# (zk-defenses)=
# ## What holds, and what does it cost?
#
# A defense should be judged by two numbers. The first is what it leaves to the *strongest* attack we have; a weaker attack would understate the risk. The second is what it leaves to honest users of the data. We measure the cost by the share of counts that ends up in the wrong cell, $\frac12 \sum_{s,t} |\bar A_{s,t} / \sum \bar A - A_{s,t} / \sum A|$. Its yardstick is a flat release, in which all cells are equal and which therefore says nothing.
#
# This section adds user-level noise, which the paper recommends and did not test. Its sensitivity is the largest number of visits of any user: 150 for the synthetic tweeters, 15 for the flights.

# %%
users = [experiments.user_level, experiments.user_budgets]
by_user = figures.with_sums(users, "user", "epsilon")
every = figures.by_defense(suppressed, noisy, by_user)
prices = figures.prices(every, experiments.costs.stored())
both = ["tweeters-zk", "flights-by-number"]
flat = experiments.flat_costs(both)
print(figures.source_note(experiments.suppression).strip())
print("a flat release moves", {name: f"{share:.0%}" for name, share in flat.items()})
plots.show_table(figures.price_table(prices, both), "prices")

# %% mystnb={"figure": {"name": "fig-zk-prices", "caption": "Eight defenses, sorted by what they leave to the best attack. Left: the best attack's mean AUC with its 95% interval over 30 targets; dotted, guessing. Right: the share of counts in the wrong cell; dashed, a flat release that says nothing. Orange: suppression; green: event-level noise; blue: user-day-level; pink: user-level; numbers are ε. No defense is short in both columns: whatever brings the attack near guessing costs about as much as publishing a flat table."}, "image": {"alt": "For synthetic tweeters and for flights, eight defenses in rows: left the best attack's mean AUC with interval, right a bar for the share of counts in the wrong cell with a dashed line for a flat release. Defenses with an AUC near one half have bars that reach the dashed line."}} tags=["hide-input"]
figures.show_prices(prices, both, flat=flat)

# %% [markdown]
# - **Suppression** guarantees nothing. It protects only by deleting counts. On the real flights it is the better bargain at moderate protection: $k = 5$ leaves less to the attack than user-level noise at $\varepsilon = 10$, at nearly the same cost. On the synthetic tweeters $k = 5$ costs more than a flat release, and the target is still found more often than by guessing.
# - **Event-level noise** at $\varepsilon = 1$ puts half of the counts or more into wrong cells, and the attack still succeeds.
# - **User-level noise** protects if its scale is large. At $\varepsilon = 10$ the tweeters are nearly at guessing, because one user with 150 visits sets the noise for all. The flights have at most 15 visits, and at $\varepsilon = 10$ they are still found. At $\varepsilon = 1$ both are near guessing, at about the cost of a flat release.
#
# The conclusion about the tweeters is a conclusion about synthetic people. The paper's advice, to protect users or their days *with carefully selected budgets*, agrees with both columns.
#
# ```{note}
# The best attack was chosen after looking at the results, so its AUC is slightly optimistic. Costs are means over five releases. The largest number of visits was read from the data; the user-level guarantee holds only if that number may be public.
# ```
#
# ## The same on your data
#
# This section runs KK, ZK and the sum live on the data of this page, with few targets and `n_train` training groups. With your own data it tells you which of the three works. Five targets give wide intervals, so we draw no conclusions from it here.

# %% tags=["hide-input"]
running = {"n_train": n_train, "n_test": n_test, "scorers": figures.SCORERS}
running |= {"of": sizes, "units": targets, "processes": processes, "seed": seed}
few = experiments.suppression(populations, ks=ks, **running)
more = experiments.noise(populations, epsilons=epsilons, **running)
live = figures.by_defense(figures.attacks(few), figures.attacks(more))
live = figures.describe_defenses(live)
plots.show_table(figures.beside_kk(live, ["data", "defense"]), "live")

# %% [markdown]
# (zk-found)=
# ## What the paper found, and what we found
#
# The paper finds that ZK stays close to KK on call records and on tweets, that suppression and noise for a user's day end the attack, and that training on pairs helps. All of this is *not tested* on the paper's data, because its call records are closed and we do not have its tweets. On synthetic surrogates ZK is close to KK in groups of 1,000, except under strong suppression; on real flights ZK is behind by 0.04 to 0.05 under noise of scale 1, and pairs help ZK no more than KK.
# [The replication](replication/zk.ipynb) gives every claim with its verdict.
#
# ## Take-aways
#
# - "Nobody has such traces" is no defense. Adding up the target's own cells needs no traces and no training, and it ranks groups about as well as ZK or better, except on real flights with weak noise.
# - On synthetic populations in groups of 1,000, synthetic traces train an attack about as well as real ones, except under strong suppression. On the real flights real traces are better, by 0.04 to 0.05 under noise of scale 1.
# - Pairs that share members and noise remove what is not of interest before anything is fitted. They help both attackers.
# - An attack can rank well and decide badly. A threshold chosen on synthetic groups may be wrong for real ones.
# - The scale of the noise protects, not the name of its unit.
# - Judge a defense by the strongest attack and by its cost. Here every defense that stops the attacks also destroys most of the information in the counts.
#
# ## Exercises
#
# ```{exercise} Noise from nobody (★, 10 minutes)
# :label: zk-nobody
# $500 \times 720$ counts have event-level noise, $\varepsilon = 1$, clipped and rounded down. How many visits does the noise alone add, for each of $m = 1000$ users? Use {prf:ref}`lem-zk-clipped`, and check by simulation.
# ```

# %% [markdown]
# ````{solution-start} zk-nobody
# :class: dropdown
# ````

# %%
n_cells = 500 * 720
expected = n_cells / (2 * (np.exp(1) - 1))
nobody = np.floor(np.clip(rng.laplace(scale=1.0, size=n_cells), 0, 1000))
print(f"expected {expected / 1000:.1f} per user, drawn {nobody.sum() / 1000:.1f}")

# %% [markdown]
# *Learned:* the noise adds nearly as many visits as a synthetic caller makes in a month (120 on average, our choice). This is why the mean number of visits must be searched for and cannot be read off.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} How many visits does the rule need? (★, 15 minutes)
# :label: zk-rule
# On raw counts a 0 in one of the target's cells proves that the target is absent. Suppose that the attacker knows only 1, 2, 4 or 8 of the target's visits, drawn at random. In what share of the groups without the target does the rule apply? Predict first: with one known visit, is it nearer to 0, to 1/2 or to 1? Is the rule ever wrong?
# ```

# %% [markdown]
# ````{solution-start} zk-rule
# :class: dropdown
# ````

# %%
absent = raw_counts[raw_game.members == 0]
for n_known in (1, 2, 4, 8):
    shares = []
    for _ in range(200):
        some_cells = rng.choice(absent.shape[1], n_known, replace=False)
        shares.append((absent[:, some_cells] == 0).any(axis=1).mean())
    print(
        f"{n_known} known visits: the rule applies to {np.mean(shares):.2f} of the groups"
    )

# %% [markdown]
# The rule is never wrong on raw counts, as long as the known visits are certain. *Learned:* it needs few visits, because most cells of sparse counts are empty. An attacker who saw the target a few times may not need any statistics.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} What a pair cancels (★★, proof, 15 minutes)
# :label: zk-cancels
# Show that the difference of a pair does not depend on the $m - 1$ shared members or on the noise, as long as nothing is clipped, rounded or suppressed. What is left in it besides the target? What does rounding down change?
# ```

# %% [markdown]
# ````{solution-start} zk-cancels
# :class: dropdown
# ````
#
# Let $B$ be the counts of the $m - 1$ shared members and $N$ the noise. The pair is $B + L^{u^*} + N$ and $B + L^{v} + N$, where $v$ is the user in the last seat of the group without the target. The difference is $L^{u^*} - L^v$. Besides the target it contains only $v$. Another user takes this seat in each pair, so the mean of $L^v$ over the pairs is small in any one cell. Rounding down changes nothing, because $\lfloor x + 1 \rfloor = \lfloor x \rfloor + 1$. Clipping does: where the noise pushes both counts below 0, the visit disappears.
#
# *Learned:* a good design of training data removes what is not of interest before anything is fitted. No penalty on weights can do that.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} How does the sum decide? (★★, 15 minutes)
# :label: zk-sum-decides
# To say *in* or *out*, the attacker needs to know what the sum is without the target. Estimate it from the single release `game.release`: the expected count of a cell is the product of its place's and its hour's total, divided by the grand total. Set the threshold to this estimate plus half the number of the target's visits. How often is the decision right, and how often with the best threshold?
# ```

# %% [markdown]
# ````{solution-start} zk-sum-decides
# :class: dropdown
# ````

# %%
from lib import metrics

of_place, of_hour = game.release.sum(axis=1), game.release.sum(axis=0)
rate = np.outer(of_place, of_hour) / max(game.release.sum(), 1)
without = rate.ravel()[cells].sum()
levels = {"estimated": without + len(cells) / 2}
levels["best"] = zk.best_threshold(game.members, sums)
for name, level in levels.items():
    right = (sums > level) == game.members
    low, high = metrics.mean_interval(right.astype(float))
    print(f"{name}: right in {right.mean():.2f} [{low:.2f}, {min(high, 1):.2f}]")

# %% [markdown]
# *Learned:* a ranking needs no threshold, but a decision does. An attacker with one release must estimate it, and an error that is the same for all groups costs accuracy but no AUC.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Weighted sums (★★, 30 minutes)
# :label: zk-write-sum
# The sum treats a busy cell like a quiet one. Weight each of the target's cells by one over an estimate of its variance, from *one* release (`rate` of the exercise before) and the noise that you know. Compare with the sum on `game`.
# ```

# %% [markdown]
# ````{solution-start} zk-write-sum
# :class: dropdown
# ````
#
# A count of many rare visitors is nearly Poisson, so its variance is about its mean. The released value is a poor estimate of one cell's mean; we use the product of the marginals instead. Laplace noise of scale 1 adds a variance of 2.

# %%
weighted = counts @ (1 / (rate.ravel()[cells] + 2))
tried = {"sum": sums, "weighted": weighted}
plots.show_table(scored(game.members, tried)[["AUC"]], "weighted")

# %% [markdown]
# *Learned:* weights can come from one release and a formula, without training. One target cannot tell two such close AUCs apart. If few people visit the target's cells, most of each variance comes from the noise, and the weights are nearly equal.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Two attackers, one interval (★★, 20 minutes)
# :label: zk-paired
# Take `of_noise`, the flights under event-level noise, $\varepsilon = 1$. Compute the 95% interval of ZK's mean AUC minus KK's in two ways: as if the two had been tested on different targets, and paired over the same ones. Which is right, and why is it narrower?
# ```

# %% [markdown]
# ````{solution-start} zk-paired
# :class: dropdown
# ````

# %%
one = of_noise.query("data == 'flights-by-number' and defense == 'visit, ε = 1'")
auc = one.pivot_table(index="target", columns="attack", values="AUC")
unpaired = metrics.difference_interval(auc["ZK"].to_numpy(), auc["KK"].to_numpy())
paired = metrics.mean_interval((auc["ZK"] - auc["KK"]).to_numpy())
print(f"unpaired: {unpaired[0]:.2f} to {unpaired[1]:.2f}")
print(f"paired:   {paired[0]:.2f} to {paired[1]:.2f}")

# %% [markdown]
# *Learned:* a target who is hard to find is hard for both attackers, and this difficulty cancels in the difference. The variance of a difference is the sum of the two variances minus twice the covariance. The paired interval is right, because both attackers did face the same targets.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} How small must ε be? (★★, proof, 30 minutes)
# :label: zk-bound
# In the game a target with $n$ visits takes the place of a user with $n'$ visits, and $m$ is fixed. Event-level noise has budget $\varepsilon$. Show that any attacker's accuracy, if both cases are equally likely, is at most $e^{E} / (1 + e^{E})$ with $E = (n + n')\,\varepsilon$. For which $\varepsilon$ is this bound 0.6, if both users have ten visits, or both 120?
# ```

# %% [markdown]
# ````{solution-start} zk-bound
# :class: dropdown
# ````
#
# To go from the counts without the target to those with the target, take away $n'$ visits and add $n$. Each step changes one count by 1, and hence the probability of any set of releases by a factor of at most $e^\varepsilon$. All steps together change it by a factor of at most $e^{E}$.
#
# Let the attacker say "in" on a set $R$ of releases, whose probability is $p$ if the target is in and $q$ if not. The accuracy is $(p + 1 - q)/2$. Both $p \le e^{E} q$ and $1 - q \le e^{E} (1 - p)$. Add the two inequalities:
#
# $$ p + (1 - q) \le e^E (q + 1 - p) = e^E \bigl(2 - (p + 1 - q)\bigr) . $$
#
# Solving for $p + 1 - q$ gives $(p + 1 - q)/2 \le e^E / (1 + e^E)$. (If both users visited the same cell, two steps cancel, and the bound only gets smaller.)

# %%
budget = np.log(0.6 / 0.4)
for n in (10, 120):
    print(f"{n} visits each: ε = {budget / (2 * n):.4f}", end=", ")
    print(f"noise of scale {2 * n / budget:.0f}")

# %% [markdown]
# *Learned:* replacing one user by another costs twice as much as adding one. A bound is not an attack: the attacks of this chapter fall to guessing at much larger $\varepsilon$. But nobody can promise that no better attack will be found; the chapter on [thresholds](thresholds.ipynb) looks for it.

# %% [markdown]
# ````{solution-end}
# ````
#
# ```{exercise} Correct the threshold (★★★, an evening)
# :label: zk-project
# ZK's threshold comes from synthetic groups whose target cells are too empty. Find a better one: shift it by the difference between the attacker's synthetic groups and the *one* release that the attacker holds, in cells like the target's. Try it at $k = 1$ on the synthetic callers and on flights. *A good answer* reports the accuracy before and after with an interval of the paired difference, the accuracy at the best threshold as a ceiling, and a case in which the correction fails.
# ```

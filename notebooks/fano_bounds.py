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
# - compute five bounds, take the smallest, and explain why it is the smallest;
# - show how a bound for a person depends on the smoothing of their mobility model.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figure to remember:* {numref}`fig-fano-noise-bounds`. *A question for a class:* Two analysts estimate Dan's mobility model from the same diary. One finds that the best attacker succeeds with probability 0.57, the other with 0.06. Which number would you publish? *Two common mistakes:* students think that a guess must be a possible path, and that a smaller bound is always the better one.
#
# **In ninety minutes**
#
# | minutes | what |
# |---|---|
# | 10 | [step by step](fano-modes), with {numref}`fig-fano-modes` |
# | 25 | [counting right steps](fano-gap): Dan's four bounds on the board, from the table of his six sequences; {ref}`fano-sharp` is homework |
# | 30 | [noise](fano-noise): the two places, the two worlds with {numref}`fig-fano-worlds`, and the halfway part of the theorem without its proof; take $Q \le 0.137$ as given; in {numref}`fig-fano-noise-bounds` discuss only the moment bound and the halfway test |
# | 15 | [short diaries](fano-unseen), with the question for the class and our [answer](fano-class) |
# | 10 | reserve, for questions |
#
# About the other three bounds one sentence is enough in class: they hold at the same time, and on the small map one of them is the smallest under strong noise. For reading at home we leave the recursion behind the moment bound, the proof of the bound from hypothesis tests, the improved tight bound with the attacks that it is compared with, and [sensors that choose](fano-adaptive).
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
# We return to Dan and the mobility model from his diary. This time the sensor stands at his home for four hours, and it never sees him. We list all paths and keep those that agree with these counts. Then, for each step and each place, we add up the probabilities of the paths that are at this place in this step. The result is the **posterior marginal** distribution of each step: where Dan may be in that step, given all counts.

# %%
import numpy as np
import pandas as pd
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
# The algorithm is the Viterbi algorithm ({prf:ref}`alg-fano-map`) with sums in place of maxima, and it runs twice: once forward from the first step and once backward from the last.

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
    print(f"{names}: {right:.3f} right steps on average, as a path {whole:.2f}")

# %% mystnb={"figure": {"name": "fig-fano-modes", "caption": "Where Dan may be in each of four steps, if no count saw him at home (posterior marginals as shades and numbers). The posterior modes say elsewhere four times. That path is impossible, because his diary never has him elsewhere twice in a row, and yet more of its steps are right on average. MAP is drawn for one of the four tied paths."}, "image": {"alt": "A grid of steps by places, shaded by probability. MAP moves between places; the posterior modes stay elsewhere in all four steps."}} tags=["hide-input"]
taken = rec.viterbi_trajectory(dan, np.full(4, HOME), np.zeros(4))
figures.show_posterior(
    marginals, places, {"MAP": taken, "marginal": marginals.argmax(axis=1)}
)

# %% [markdown]
# The posterior modes have 1.857 right steps on average, and none of the paths that MAP may name has more than 1.571. But all four of these steps cannot be right at once, because the posterior modes are not a possible path.
#
# So far we have looked at one sequence of counts. The next table takes all sequences into account that the sensor may publish. It shows the probability that at most $s$ steps of a guess are wrong. For MAP there are two numbers: its success if ties are broken in the worst way, and in the best way. If the two agree, we print one.

# %%
of_dan = fano.losses_by_errors(dan, np.full(4, HOME))
ties = fano.map_with_ties(dan, np.full(4, HOME)).map("{:.3f}".format)
both_ends = ties["least"] + " to " + ties["largest"]
by_ties = ties["least"].where(ties["least"] == ties["largest"], both_ends)
table = of_dan[["prior", "marginal", "best"]].rename(columns=figures.WORDS)
table = table.map("{:.3f}".format)
table.insert(1, "MAP, by ties", by_ties)
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
# The largest mean limits the success of *every* guess. Suppose that no guess has more than 2.82 of four steps right on average. If all four steps were right with probability $p$, these cases alone would contribute $4p$ to the average, and the other cases cannot contribute less than 0. So $4p \le 2.82$, and $p$ is at most 0.705. This argument is **Markov's inequality**.
#
# Why count single steps only? A guess with $r$ right steps also has $\binom{r}{2}$ right pairs, $\binom{r}{3}$ right triples, and so on. We can count those instead. If at most $s$ of the $T$ steps may be wrong, success means that at least $r = T - s$ steps are right.
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
by_answer = {f"k = {k}": (binom(right, k) @ joint).max(axis=0) for k in (1, 2, 3, 4)}
for k in (1, 2, 3, 4):
    largest_mean = by_answer[f"k = {k}"].sum()
    bound = largest_mean / binom(4, k)
    print(f"k = {k}: {largest_mean:.3f} / {binom(4, k):.0f} = {bound:.3f}")

# %% [markdown]
# Where do the four sums come from? Only six of the 16 sequences are possible. The table shows what each of them contributes. Each entry is the probability of the sequence, times the largest mean given this sequence. For example, with probability 0.5 the sensor never sees Dan. In this case the posterior modes have 1.857 right steps on average. So the first entry in the column $k = 1$ is $0.5 \times 1.857$, which is 0.929 after rounding.

# %% tags=["hide-input"]
contributions = pd.DataFrame({"probability": joint.sum(axis=0), **by_answer})
contributions = contributions[contributions["probability"] > 0]
steps_seen = [
    " and ".join(str(t + 1) for t in range(4) if answer & (8 >> t)) or "never"
    for answer in contributions.index
]
contributions.index = pd.Index(steps_seen, name="seen at home in step")
contributions.loc["sum"] = contributions.sum()
plots.show_table(contributions.map("{:.3f}".format), "sequences")

# %% [markdown]
# The sums are the four numbers above. The first sum is the 2.82 that we used for Markov's inequality. The second sum counts pairs. Four right steps contain six right pairs, and no guess has more than 3.5 right pairs on average. So all four steps are right with probability at most 0.583. This bound is below 0.705, because a guess with one or two right steps has at most one right pair. Such a guess adds to the mean for $k = 1$ and adds little to the mean for $k = 2$. The last sum is 0.464, which is exactly the success of MAP. So for Dan's whole path, the bound with $k = 4$ cannot be improved.
#
# ### How is the largest mean computed without enumeration?
#
# We begin without counts. We call a set of $k$ steps right if the guess is right in every step of the set. The mean number of right sets is a sum of probabilities, one for each set. Each of these probabilities is a product along the chain. The first factor is the probability of the first place in the set. The other factors are the probabilities of getting from each place in the set to the next. A recursion over the last right step finds an upper bound on this sum. Let $F_k(t, x)$ bound the part of the sum that comes from sets whose last step is $t$, if the guess for step $t$ is $x$:
#
# $$F_1(t, x) = \Pr[X_t = x], \qquad F_k(t, x) = \sum_{u < t} \max_y F_{k-1}(u, y)\, P^{t-u}(y, x),$$
#
# and the sum is at most $\sum_t \max_x F_k(t, x)$. Here $P^g$ is a power of the matrix $P$: its entries are the probabilities of getting from one place to another in $g$ moves.
#
# We begin with Dan. The only pair of steps that ends with step 2 is (1, 2), so $F_2(2, x) = \max_y \pi(y)\, P(y, x)$. The maximum is over the place $y$ that is guessed for step 1, and $x$ is the guess for step 2. The next two lines do the same for two pairs whose last step is 3 and 4, both with the guess *elsewhere* in the last step:

# %%
pair = dan.initial[:, None] * dan.transition  # at y in step 1 and at x in step 2
print("F_2(2, x):", {places[x]: f"{pair[:, x].max():.3f}" for x in range(5)})
for last in (3, 4):
    onward = np.linalg.matrix_power(dan.transition, last - 1)
    pair = dan.initial * onward[:, places.index("elsewhere")]
    where_first = [places[y] for y in range(5) if np.isclose(pair[y], pair.max())]
    print(f"steps 1 and {last}: {pair.max():.3f} from", " or ".join(where_first))

# %% [markdown]
# The pair of steps 1 and 3 has *elsewhere* in step 1, and the pair of steps 1 and 4 has the station or the park there. A real guess must name the same place for step 1 in both pairs. The recursion lets each maximum choose its own place, so it is only an upper bound.
#
# Here is the recursion in code, for the simulated person on ten places and for all $k$:

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
# For Dan's whole path the bound became smaller with every $k$. Here it is smallest for $k = 2$, and for $k = 5$ it exceeds 1 and says nothing. Why? We compare it with one real guess, which names the second place in every step. The distribution of its number of right steps can be computed exactly.

# %%
chance = np.zeros((n_steps + 1, 10))  # right steps so far x place
chance[0] = walker.initial
for t in range(n_steps):
    if t > 0:
        chance = chance @ walker.transition
    chance[:, 1] = np.roll(chance[:, 1], 1)  # one more right step at the second place
of_C = chance.sum(axis=1)
n_right = np.arange(n_steps + 1)
own = [binom(n_right, k) @ of_C / binom(required, k) for k in range(1, required + 1)]
print("this guess, by k:", np.round(own, 3))
print(f"its success {of_C[required:].sum():.3f}, right sets of ten: {binom(10, 5):.0f}")

# %% [markdown]
# There are two reasons.
#
# - *Room above $r$.* Dan needed all four steps, so $C$ could not exceed $r$. Here $C$ can be as large as ten. A guess with ten right steps has 252 right sets of five, so it counts 252 times for $k = 5$, although it is only one success. For this guess, the mean for $k = 5$ is 0.656, and its success is 0.056.
# - *Each set chooses its own places.* For $k = 2$ this costs almost nothing. The bound of 0.137 is hardly above 0.136, the value that this guess attains. For $k = 5$ the bound is 1.288, about twice the value of 0.656 that this guess attains. Another guess may have a larger mean than this one, so these differences show how much the choice of places can cost at most.
#
# ### How do exact counts enter?
#
# In a step with a sighting the attacker knows the place, so this step of the guess is right. A sighting also [cuts the path](fano-fig5): once the place in one step is known, the earlier and the later steps are independent. What remains are **stretches** of steps in which no sensor sees the target. A stretch begins at the start or at a sighting, and it ends at the next sighting or at the end. A stretch may be empty, for example between two sightings in successive steps.
#
# On each stretch we run the recursion with one change. Every probability is now the probability of being at a place *and* of not being seen. So whenever the path takes a step, we rule out the place of the sensor. After the last right step, the target must remain unseen until the stretch ends. If a sighting ends it, the target must then be seen by this sensor.
#
# Let $S_k$ be the result for sets of $k$ steps of the stretch. If the stretch begins with a sighting, all its probabilities are conditional on this sighting. $S_0$ is then the probability that the target stays unseen for the whole stretch, and is seen by the sighting that ends it, if there is one. Every other $S_k$ contains the same event, so the sighting at the end is counted once and in every coefficient. To combine the stretches, we write the results of each as a polynomial $S(z) = \sum_k S_k z^k$. A set of right steps takes some steps of each stretch, and each sighting may be in the set or not. So a sighting has the polynomial $1 + z$, and for one sequence of answers with $j$ sightings,
#
# $$\sum_k z^k \max_{\hat x}\, \mathbb{E}\Big[\tbinom{C}{k};\ \text{these answers}\Big] \;\le\; (1 + z)^j \prod_{\text{stretches}} S(z) \qquad \text{for each power of } z .$$
#
# The mean on the left counts only the cases with these answers, and we do not divide it by their probability.
#
# In our code for Dan the sensor stays at his home in every step. So the same matrix `unseen_move` serves every step, and $g$ steps without a sighting are its power. If the sensor moves, this power becomes a product of different matrices.
#
# The recursion on a stretch of $n$ steps needs two things at its ends. `first` holds the probabilities of being at each place in its first step and of not being seen there. `ending` holds, for each place in its last step, the probability of the sighting that ends the stretch. It is 1 if the stretch runs to the last step of the path:

# %%
away = (np.arange(5) != HOME).astype(float)
unseen_move = dan.transition * away  # one move to a place without a sensor


def stretch_polynomial(first, n, ending):
    moves = [np.linalg.matrix_power(unseen_move, gap) for gap in range(n)]
    F = np.array([first @ moves[t] for t in range(n)])  # for k = 1
    until_end = [moves[n - 1 - t] @ ending for t in range(n)]
    coefficients = [F[-1] @ ending]  # k = 0: unseen, then seen
    for _ in range(n):
        coefficients.append(sum((F[t] * until_end[t]).max() for t in range(n)))
        earlier, F = F, np.zeros_like(F)
        for t in range(n):
            for u in range(t):
                F[t] += (earlier[u][:, None] * moves[t - u]).max(axis=0)
    return np.array(coefficients)


# %% [markdown]
# As an example, suppose that the sensor at Dan's home sees him in steps 1 and 4, and not in steps 2 and 3. These two sightings leave three stretches. The stretch before step 1 and the stretch after step 4 are empty, so their polynomials are the constants $\Pr[X_1 = \text{home}]$ and 1. Only the stretch between the sightings has steps. `np.convolve` multiplies its polynomial by $(1 + z)^2$. As a second example, suppose that Dan is never seen. Then a single stretch runs from the start to the end. We compare both examples with the enumeration:

# %%
between = stretch_polynomial(unseen_move[HOME], 2, dan.transition[:, HOME])
between *= dan.initial[HOME]  # the empty stretch before step 1
never_seen = stretch_polynomial(dan.initial * away, 4, np.ones(5))
enumerated = np.array([(binom(right, k) @ joint).max(axis=0) for k in range(5)])
examples = {
    "1 and 4, stretch": [*between, 0, 0],
    "1 and 4, with the sightings": np.convolve(between, [1, 2, 1]),  # (1 + z)²
    "1 and 4, enumerated": enumerated[:, 0b1001],
    "never, recursion": never_seen,
    "never, enumerated": enumerated[:, 0],
}
table = pd.DataFrame(examples.values(), examples.keys()).round(3)
plots.show_table(table.add_prefix("k = ").rename_axis("seen in steps"), "stretch")

# %% [markdown]
# For the sightings in steps 1 and 4, the recursion and the enumeration agree. The two must agree. Only one path fits these answers, so every set chooses the places of this path. If Dan is never seen, several paths fit, and each set of steps may take its places from a different one. For $k = 2$ the recursion then gives 0.964 and the enumeration only 0.821.
#
# We still have to add up over the $2^T$ sequences of answers. A stretch depends only on its beginning and its end, so sequences that share a stretch share its polynomial. Let $A_e(z)$ be the sum over all answers up to a sighting in step $e$, and $A_0 = 1$ the start. Then
#
# $$A_e(z) = (1 + z) \sum_{b < e} A_b(z)\, S_{b,e}(z) ,$$
#
# where $S_{b,e}$ belongs to the stretch from $b$ to $e$. The sum over all answers is $\sum_b A_b(z)\, S_{b,\text{end}}(z)$. Its coefficients bound the largest means, and we divide them by $\binom{r}{k}$ as before. So the work grows with the number of stretches, about $T^2/2$, and not with the number of sequences, $2^T$. This is the library's `moment_bound`. For Dan it gives one bound for each number of required steps $r$ and each $k$. The smallest number among the columns $k$ is *the* bound. Entries above 1 are cut to 1. The last column is not a bound, but the success of the best attack.

# %%
orders = fano.moment_orders(dan, np.full(4, HOME))
orders["bound (smallest k)"] = orders.min(axis=1)
orders["best attack"] = of_dan["best"].to_numpy()[::-1]
print(f"moment_bound for r = 4: {rec.moment_bound(dan, np.full(4, HOME), 0):.3f}")
for k in (2, 3):
    of_never = (never_seen[k] - enumerated[k, 0]) / binom(4, k)
    of_all = orders.loc[4, f"k = {k}"] - enumerated[k].sum() / binom(4, k)
    print(
        f"k = {k}, recursion minus enumeration: {of_all:.3f}, never seen {of_never:.3f}"
    )
orders = orders.map("{:.3f}".format, na_action="ignore")
plots.show_table(orders.rename_axis("r"), "orders")

# %% [markdown]
# For $r = 4$ and $k = 4$ the bound is exact. For $k = 2$ and $k = 3$ the recursion gives slightly more than the enumeration above, 0.607 instead of 0.583 and 0.536 instead of 0.518. The excess is the price of letting each set choose its own places. As the printed lines show, the sequence in which Dan is never seen accounts for the whole difference. For two or three required steps, the bound is above the best attack.
#
# Is the bound ever below the best attack? We check it on the two hundred random chains of the [last chapter](fano-bounds). The table uses only the chains on which the best success is below 0.9, because on the others even a bound of 1 would be nearly exact. We look separately at the chains on which the whole path must be right, $s = 0$, and at those on which errors are allowed. For each bound, the table counts the chains on which it equals the best success, and those on which it is 1 and says nothing. The last three columns show the bound minus the best success.

# %%
cases = fano.enumerated_chains(["analytic"], seed=seed)
hard = cases[cases["best"] < 0.9]
too_low = (cases["moments"] < cases["best"] - 1e-9).sum()
print(f"moment bound below the best success: {too_low} of {len(cases)} chains")

checked = {}
for errors, each in (("s = 0", hard[hard["s"] == 0]), ("s > 0", hard[hard["s"] > 0])):
    for name in ("moments", "tight"):
        excess = (each[name] - each["best"]).round(9)
        checked[f"{errors}, {figures.WORDS[name]}"] = {
            "chains": len(each),
            "equal": (excess == 0).sum(),
            "bound is 1": np.isclose(each[name], 1).sum(),
            **excess.agg(least="min", median="median", largest="max"),
        }
table = pd.DataFrame(checked).T.rename_axis("errors, bound")
plots.show_table(table.round(3), "moments-truth")

# %% [markdown]
# The moment bound is never below the best success. If the whole path must be right, it equals the best success on all 39 chains. The two must be equal here, because for $k = T$ there is only one set of steps, so nothing is lost ({ref}`fano-modes-proof`). If errors are allowed, the moment bound equals the best success on none of the 21 chains, and on 12 of them it is 1. The tight bound is 1 on all 21. So the two bounds have nearly the same median excess on these 21 chains, 0.209 and 0.223, because most of the bounds are 1. These maps have at most five places. On larger maps the moment bound is far better in this case, too, as we see next.
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

# %% mystnb={"figure": {"name": "fig-fano-gap", "caption": "The simulated person by the size of the map, with 95% intervals over sequences of sensors and logarithmic axes. The moment bound falls together with the attacks, MAP and the posterior modes, whose marks nearly coincide. The bounds from information theory fall far more slowly. Most intervals are smaller than the markers."}, "image": {"alt": "Logarithmic plot against the number of places: MAP and posterior modes fall together over five powers of ten; the moment bound runs just above them; the tight bound falls to 0.04, the loose one to 0.4."}} tags=["hide-input"]
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
# **On these maps, the moment bound stays within a factor of three of the better attack.** From 50 places on, the tight bound is too high by powers of ten. The two bounds take different things into account. The tight bound uses only one number about the counts, the information $I$. The same value of $I$ can also arise from counts that reveal the whole path in a few cases and nothing otherwise, and the bound must hold in that case too. The moment bound uses what each single count reveals.
#
# Which attack is better? Both attacks face the same sequences of sensors, so we take their difference on each sequence:

# %%
plots.show_table(figures.gain_table(sweep), "gain")

# %% [markdown]
# With ten places the posterior modes are better. With 20 places the comparison is inconclusive, and with 50 or more places MAP is better.
#
# Our explanation is that five right steps are rare on a large map. Five right steps become more probable if the guessed steps fit together, because one right step then makes the next one more probable. The steps of MAP always fit together, because they form one possible path. The posterior modes are chosen one by one. If this is right, the size of the map matters because it decides how rare five right steps are. On each map, the posterior modes should then be better if few right steps are enough, and MAP should be better if many are needed. We divide the mean success of the posterior modes by that of MAP, for several numbers of required steps. The interval comes from the paired differences, divided by the mean success of MAP:

# %%
from lib import metrics

quotient = {}
for m in (10, 100):
    chain = rec.distance_chain(m, tau)
    sensors = fano.sample_sensors(seed, m, n_epochs, max(n_sequences, 2))
    for r in range(1, n_epochs + 1, 2):
        of_modes, of_map = (
            np.array([rec.exact_loss(chain, x, n_epochs - r, guess) for x in sensors])
            for guess in ("marginal", "viterbi")
        )
        low, high = metrics.mean_interval(of_modes - of_map)
        low, high = 1 + low / of_map.mean(), 1 + high / of_map.mean()
        ratio = of_modes.mean() / of_map.mean()
        quotient[r, f"{m} places [95%]"] = f"{ratio:.2f} [{low:.2f}, {high:.2f}]"
table = pd.Series(quotient).unstack()
plots.show_table(table.rename_axis("required steps r"), "by-required")

# %% [markdown]
# On both maps the quotient falls as more steps are required. With ten places it falls below 1 between five and seven steps, and with a hundred places between three and five. No interval contains 1. This agrees with the explanation.
#
# ```{note}
# We found the factor of three for ten steps, of which five may be wrong, and for the step size $\tau = 0.1$. For twenty steps, the [replication](fano-replicated-fig5) finds a factor of four. The paper says that its bounds "get tight when M is large". The difference between the tight bound and the attack does become small, because both become small. But their ratio grows from each row of the table to the next.
# ```

# %% [markdown]
# (fano-noise)=
# ## How much does noise guarantee?
#
# The moment bound of the last section takes no account of noise. It stays valid, because an attacker could add noise to exact counts, but it does not fall. A data holder who adds noise wants to know how much protection the noise guarantees. **Hypothesis testing** {cite:p}`hayes2023,kaissis2023` gives an answer that needs only the noise and a bound on $Q$.
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
# For longer paths we cannot compute the success of the best attacker. Instead we imagine a world in which the counts are useless. In this **reference world**, the attacker receives noise around fixed numbers that have nothing to do with the target's path. Every guess then succeeds with probability at most $Q$, the best success without counts.
#
# How much more can the attacker achieve with the real counts? Fix a path $x$ of the target. The attacker "accepts" $x$ if the guess comes within $s$ errors of it. Such an attacker performs a test between two distributions of the counts: the one that $x$ produces, and the reference. Its false positive rate is the probability of accepting $x$ in the reference world, and its true positive rate is the probability of accepting $x$ in the real world. Averaged over the target's paths, these are the probabilities of success in the two worlds.
#
# The **Neyman-Pearson lemma** says which test is best. Among all tests with the same false positive rate, none has a larger true positive rate than a threshold on the likelihood ratio of the counts. (A later chapter uses the same lemma for membership inference; the reason is given there, with {prf:ref}`thm-neyman-pearson`.)
#
# Here both distributions are normal with standard deviation $\sigma$ in each of the $T$ counts, and only their means differ. The likelihood ratio then depends only on where the counts lie along the line between the two means. So the $T$ counts give the same test as one number with normal noise. Let $\mu$ be the Euclidean distance between the two means, divided by $\sigma$. Then the best test with false positive rate $q$ has true positive rate
#
# $$ G(q, \mu) = \Phi\big(\Phi^{-1}(q) + \mu\big) . $$
#
# How large is $\mu$? The answer depends on the reference. In the literature, the reference is a release without the target: every bit is 0. We call this release the *absent* reference. A target who is seen in $j$ steps differs from it by 1 in $j$ counts. The Euclidean distance adds up the squares, so $\mu = \sqrt{j} / \sigma$, which is at most $\sqrt{T} / \sigma$. We may choose a better reference. In the *halfway* reference, every bit is **1/2**. Then each real bit, 0 or 1, is exactly 1/2 away, and $\mu = \sqrt{T} / (2 \sigma)$ for every path. Nobody can count half a person, but the reference need not be possible. It only has to be independent of the target.
#
# {numref}`fig-fano-worlds` shows both references for the simulated person, with ten counts and $\sigma = 3$. The threshold is the same in both panels. It is chosen so that a false positive has the probability $q = 0.137$, our bound on $Q$. The nearer the two worlds are, the less the true positive rate $G$ exceeds $q$.

# %% mystnb={"figure": {"name": "fig-fano-worlds", "caption": "The attacker as a test between two worlds, for ten counts with noise of σ = 3. The attacker accepts a path if the counts lie to the right of the threshold (dotted line). The hatched area q is the false positive rate, under the density of the reference world (dashed). The whole blue area G, with its hatched part, is the true positive rate, under the density of the real world (solid). With the halfway reference the real world is at half the distance μ of the absent one, so G is smaller for the same q. The absent reference is drawn for a target who is seen in all ten steps."}, "image": {"alt": "Two panels, each with two normal densities of the same width and a vertical threshold at 1.09. In the upper panel, halfway, the densities are 0.53 apart and G is 0.285. In the lower panel, absent, they are 1.05 apart and G is 0.484. The hatched area q is 0.137 in both."}} tags=["hide-input"]
both_references = {"halfway": np.sqrt(10) / (2 * 3), "absent": np.sqrt(10) / 3}
figures.show_worlds(min(bounds), both_references)

# %% [markdown]
# ````{prf:theorem} Bound from hypothesis tests
# :label: thm-fano-hypothesis
# For every guess from $T$ counts with independent normal noise of standard deviation $\sigma$, and for all sensors,
#
# $$\Pr[d(X, \hat X) \le s] \;\le\; G\Big(Q, \tfrac{\sqrt T}{2 \sigma}\Big) \;\le\; G\Big(Q, \tfrac{\sqrt T}{\sigma}\Big) .$$
#
# Here $d$ is the number of wrong steps ({prf:ref}`def-fano-loss`). The last expression, on the right, is the bound of {cite:t}`hayes2023` for this release.
# ````
#
# ````{prf:proof}
# For a path $x$, let $q_x$ be the probability in the reference world that the guess is within $s$ errors of $x$. In the real world this probability is at most $G(q_x, \mu)$, by the Neyman-Pearson lemma. Now average over the target's path. $G$ is concave in its first argument: its slope in $q$ is the likelihood ratio at the threshold of the test, and a larger $q$ means a lower threshold, so the slope falls as $q$ rises. Hence the average of $G(q_X, \mu)$ is at most $G(\mathbb{E}[q_X], \mu)$. In the reference world the guess is independent of the path, so $\mathbb{E}[q_X] \le Q$. Finally, $G$ increases in both arguments.
# ````
#
# For two places and one count we have $Q = 1/2$, so $\Phi^{-1}(Q) = 0$, and the bound is $\Phi(1 / (2\sigma))$. The best attack has exactly this success. With the absent reference, as used in the literature, the bound is $\Phi(1 / \sigma)$, which is too high.
#
# For the simulated person, $Q$ is at most the 0.137 of the last section. With this number the bound is one line of code. For $\sigma = 3$ it gives the two values of $G$ in {numref}`fig-fano-worlds`:

# %%
Q = rec.moment_ball(walker, 10, 5)
for sigma in (3.0, 10.0):
    for reference, change in (("halfway", 1 / 2), ("absent", 1)):
        by_hand = norm.cdf(norm.ppf(Q) + np.sqrt(10) * change / sigma)
        library = rec.hypothesis_bound(walker, 10, 5, sigma, reference)
        print(f"σ = {sigma:g}, {reference}: {by_hand:.3f}, library {library:.3f}")

# %% [markdown]
# ### Which of five bounds is smallest?
#
# We compare five bounds on the simulated person with ten and with a hundred places.
#
# - *tight* is the paper's bound.
# - *improved tight* is the tight bound with better ingredients: the bound on $Q$ from counting right steps, the exact information of each noisy count on its own, and the [full inequality](fano-tight-proof).
# - *moment* is the moment bound for exact counts. Noise cannot help an attacker, who could add it to exact counts. So this bound remains valid under noise, but it does not fall.
# - *test, halfway* and *test, absent* are the bounds from hypothesis tests.
#
# The improved tight bound is the only one that we have not computed yet. The full inequality compares two probabilities of success. One is $p$, the probability in the real world. The other is the probability in a world in which counts and path are independent, and it is at most $Q$. The inequality says that the two cannot differ by more than the information $I$ allows:
#
# $$ p \log \frac{p}{Q} + (1 - p) \log \frac{1 - p}{1 - Q} \;\le\; I \qquad \text{if } p \ge Q . $$
#
# [An exercise](fano-tight-proof) of the last chapter gives the proof. The tight bound of the paper drops one term of this inequality. We need the largest $p$ that the inequality allows. The left side grows with $p$ for $p \ge Q$, so the solution is a root. The argument `"exact"` asks for the exact information. Under noise, this is the sum of the information in each noisy count on its own. If the exact counts together carry less than this sum, the library takes their information instead, because noise cannot add to it:

# %%
from scipy.optimize import brentq
from scipy.special import rel_entr  # x log(x / y)


def largest_allowed(information, Q):
    def excess(p):
        return rel_entr(p, Q) + rel_entr(1 - p, 1 - Q) - information

    return 1.0 if excess(1.0) <= 0 else brentq(excess, Q, 1.0, xtol=1e-15)


sensors = fano.sample_sensors(seed, 10, n_steps, n_sequences)
for sigma in (1.0, 10.0):
    information = rec.mutual_information(walker, sensors, sigma, "exact").mean()
    allowed = largest_allowed(information, Q)
    print(f"σ = {sigma:g}: information {information:.2g} nats, bound {allowed:.2f}")

# %% [markdown]
# We compare the bounds with the best attack that we know. The candidates are:
#
# - the better of two guesses that ignore the counts: the maximum a priori guess, and the best constant guess, which names one place in every step. Their success is computed exactly.
# - an attacker who rounds each noisy count to 0 or 1 and then uses MAP or the posterior modes, whichever succeeds more often with exact counts. All $T$ bits are right with probability $\Phi(1/(2\sigma))^T$. This number times the success under exact counts is a lower bound on the success of this attacker.
# - MAP and the posterior modes with noisy counts. Their success is only estimated, by simulation, so we count one of them as the best attack only where it is significantly better than the other candidates.
#
# With ten places, the two guesses that ignore the counts are the same. Both name the first place, at the end of the line, in every step. This is slightly better than the second place, which we used [above](fano-gap):

# %%
without_counts = {
    "maximum a priori": rec.prior_trajectory(walker, n_steps),
    "best constant": rec.constant_trajectory(walker, n_steps, 5),
    "second place": np.full(n_steps, 1),  # places count from 0
}
for name, guess in without_counts.items():
    print(f"{name}: places {guess + 1}, success {rec.guess_loss(walker, guess, 5):.4f}")

# %% [markdown]
# The library computes the attacks, both tests and the paper's tight bound, for each map, each $\sigma$ and each sequence of sensors:

# %%
sigmas = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0]
largest = max([m for m in map_sizes if m <= 100], default=map_sizes[0])
two_maps = person | {"map_sizes": sorted({map_sizes[0], largest})}
compared = fano.noise_comparison(
    sigmas, n_sequences=n_sequences, n_runs=4000, **two_maps
)

# %% [markdown]
# We add the improved tight bound for each sequence of sensors. The moment bounds for exact counts are those of [the section above](fano-gap):


# %%
def improved_tight(m, sigma, Q):
    chain = rec.distance_chain(m, tau)
    sensors = fano.sample_sensors(seed, m, n_epochs, n_sequences)
    information = rec.mutual_information(chain, sensors, sigma, "exact")
    return [largest_allowed(each, Q) for each in information]


parts = []
for (m, sigma), of_both in compared.groupby(["M", "σ"]):
    on_Q = rec.moment_ball(rec.distance_chain(m, tau), n_epochs, allowed_errors)
    exact = sweep.loc[sweep["M"] == m, "moments"].to_numpy()
    improved = improved_tight(m, sigma, on_Q)
    parts.append(of_both.assign(moments=exact, improved=improved, Q=on_Q))
five_bounds = pd.concat(parts)
plots.show_table(figures.comparison_table(five_bounds), "five-bounds")

# %% tags=["hide-input"]
for sigma, each in compared.query("M == @map_sizes[0] and σ >= 3").groupby("σ"):
    print(f"{map_sizes[0]} places, σ = {sigma:g}, simulated:", end=" ")
    for name, words in (("MAP", "MAP"), ("marginal", "posterior modes")):
        low, high = metrics.mean_interval(each[name].to_numpy())
        print(f"{words} {each[name].mean():.3f} [{low:.3f}, {high:.3f}]", end="  ")
    print(f"without counts {each['no count'].mean():.3f}")
smaller = five_bounds[["moments", "improved"]].min(axis=1)
print(
    "rec.moment_bound is the smaller of moment and improved tight:",
    np.allclose(smaller, compared["moments"]),
)

# %% mystnb={"figure": {"name": "fig-fano-noise-bounds", "caption": "Five bounds on the success of any attacker against the noise, and the best known attack (black line with grey area), for five of ten steps right. The vertical scales of the two panels differ. Both tight bounds are orange and both tests are purple. The thin dotted line is our bound on Q, the best success without counts. The moment bound for exact counts is smallest under weak noise and does not fall. On the small map the improved tight bound is smallest from σ = 1 on, and the halfway test is hardly above it when noise is strong. On the large map the halfway test is smallest from σ = 10 on."}, "image": {"alt": "Two panels with logarithmic axes, ten and a hundred places: probability of success against the standard deviation of the noise. The moment bound is level in both. With ten places the tight bound stays at 1, and the improved tight bound and the two hypothesis tests fall towards a dotted line at 0.14. With a hundred places the tight and the improved tight bound fall slowly, and the two hypothesis tests fall from 1 to below the moment bound, towards a dotted line at 0.00002."}} tags=["hide-input"]
figures.show_comparison(five_bounds)

# %% [markdown]
# **All five bounds hold at once, so compute all of them and take the smallest. On our two maps the moment bound is smallest under weak noise. Under strong noise the halfway test is smallest with a hundred places, and the improved tight bound is smallest with ten.** We computed no other maps, so for another map only the first sentence is advice. With a hundred places, noise is strong in this sense from $\sigma = 10$ on. With ten places it is strong from $\sigma = 1$ on, and there the two bounds meet as the noise grows.
#
# - *Ten places.* The tight bound is 1 at every noise level, and the moment bound stays at 0.694. The improved tight bound is the smallest from $\sigma = 1$ on, and the test with the halfway reference comes closer to it as the noise grows. At $\sigma = 10$ the improved tight bound is 0.170, and the halfway test gives 0.175. The test with the absent reference, which is the bound in the literature, gives 0.218.
# - *A hundred places.* The moment bound is the smallest up to $\sigma = 3$. At $\sigma = 10$ the test with the halfway reference gives less than half of the moment bound. The improved tight bound is far above the halfway test at $\sigma = 10$.
#
# The reason is what each bound takes into account.
#
# - The moment bound takes the sensors and the exact counts into account, but not the noise.
# - The hypothesis test uses the noise, but not the sensors: it assumes that every single count carries information about the target. With weak noise this assumption makes the bound far too high on a large map, because a random sensor there seldom meets the target.
# - The improved tight bound uses the noise and the sensors, but only through one number, the information. The bound must hold even if the counts reveal the whole path in a few cases and nothing otherwise. Under strong noise this requirement raises the bound only a little with ten places, where $Q$ is not tiny: it lies between 0.056 and 0.137. Under weak noise the improved tight bound is 1 there and says nothing. With a hundred places $Q$ is tiny, so a few lucky cases are most of the success, and the requirement raises the bound much at every noise level.
#
# By construction the improved bound is never above the tight one, because none of the three replacements can raise it. This is least obvious for the new bound on $Q$. Take the moment bound with $k = r$. Each of the $\binom{T}{s}$ sets of $T - s$ steps contributes at most $q_{T-s}$, so the bound is at most the last term of [Eq. 5](fano-bounds). What the table adds is how much the three replacements gain. In every row in which the improved bound is below 1, it is strictly below the tight bound.
#
# ### Why do the bounds stop falling?
#
# With ten places, the improved tight bound and both tests fall towards 0.137 and not towards 0. The row *no counts* shows the reason. An attacker without counts still succeeds with probability $Q$, so no valid bound can fall below $Q$, however strong the noise is. Our bounds cannot fall below our upper bound on $Q$, which is 0.137. The best guess without counts that we know has a success of 0.056, so $Q$ is between 0.056 and 0.137. At $\sigma = 10$ the smallest bound is 0.170. Most of the gap between bound and attack therefore comes from what we do not know about $Q$. The rest, above 0.137, vanishes as the noise grows.
#
# With a hundred places, the two tests approach the bound on $Q$ more slowly. At $\sigma = 10$ the halfway test still gives $4.07 \cdot 10^{-5}$, about twice the bound on $Q$. Most of the gap there does not come from $Q$.
#
# ```{note}
# - The library's `moment_bound` with noise is the smaller of *moment* and *improved tight*. The best possible success lies between the best attack that we know and the smallest of the five bounds, and we do not know where. With ten places and $\sigma = 10$ it is between 0.056 and 0.170.
# - In four rows with a hundred places, from $\sigma = 1$ on, and in three rows with ten places, from $\sigma = 3$ on, the column *best attack* has a guess that ignores the counts. An attacker who uses the counts may do better. With a hundred places, five right steps are too rare to be simulated. With ten places, neither simulated attack is significantly better than this guess, as the lines below the table show.
# - The halfway reference is ours. Its proof uses the same argument as that of the absent reference, but we have not found it in the literature.
# - Both bounds from hypothesis tests hold for any sensors. Wherever a sensor stands, its count is never farther from the reference than the bound assumes. These bounds even hold for sensors that react to the counts, as in the [next section](fano-adaptive). With the halfway reference this is easy to see. Whichever sensor is chosen, the next bit differs from the reference by exactly 1/2. Each count therefore adds evidence with the same distribution as if the sensors were fixed. The bound with the absent reference then holds at once, because it is never smaller than the one with the halfway reference.
# - The other three bounds, as computed here, assume fixed sensors.
# ```

# %% [markdown]
# (fano-adaptive)=
# ## What if sensors choose where to look?
#
# In the paper, sensors do not react to the counts. The paper leaves **adaptive sensors**, which react to the counts, to future work. Imagine an operator who wants to track the target. In each step they switch on the sensor whose answer is most informative. According to {numref}`fig-fano-bit`, a sensor is most informative where the probability that the target is there is closest to 1/2. This strategy is *greedy*: it looks only at the next answer. After each answer, the operator rules out the places that contradict it, and uses the mobility model to predict the next step.
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
# The sensor met Dan twice. After that, the attacker knew where he was for two hours without seeing him, because his diary allows only one continuation. (In these two hours no sensor could add anything. All are equally good, and the code takes the first one, at home.)
#
# Do greedy sensors help the attacker of the simulated person? We simulate runs with greedy and with random sensors, for small maps and exact counts. Under exact counts, the information is the entropy of the answers. In a run with greedy sensors, we add up the entropy of each answer just before it is given; the mean over runs estimates the information.
#
# But greedy sensors differ from random ones in two ways. Greedy sensors react to the counts, and they use the mobility model to choose good places. To tell the two apart, we add sensors with a *schedule*. A schedule uses the mobility model, too, but it is fixed in advance. We choose its places one step after another. We take the place whose count adds most to the information of the counts before, on average over all answers. For fixed sensors, the information and the success of MAP can be computed exactly. The counts have no noise here, so `"exact"` means the information in all counts together.


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
# **Greedy sensors learn more than the schedule on every map, and on the two smaller maps MAP succeeds more often with them.** With 50 places, success is too rare for a conclusion.
#
# How much of the gain is due to good places? With ten places, the information rises from 3.02 nats with random sensors to 3.35 with the schedule and to 4.44 with greedy sensors. So the good places of this schedule bring about a quarter of the gain. The rest comes from reacting to the counts, or from still better places that a better schedule would find. With 50 places, the schedule alone brings about half of the gain. MAP succeeds with the schedule about as often as with random sensors.
#
# A sensor that reacts to its counts works as a tracking device. If you publish counts from moving sensors, state how their places are chosen. The moment bound and the tight bounds of this chapter are proved only for sensors whose places do not depend on the counts.
#
# ```{note}
# - The intervals show the variation over runs, and each run draws a new path and new sensors. In the section on the moment bound, only the sensors are drawn at random, and the success for given sensors is exact. For this reason the success of MAP with ten places differs slightly between the two sections. The [replication](fano-replicated-adaptive) repeats the comparison of random and greedy sensors with five thousand runs.
# - We choose the schedule step by step, so a better one may exist.
# ```

# %% [markdown]
# (fano-unseen)=
# ## How many days does a mobility model need?
#
# Every number in these two chapters depends on the mobility model. Dan's diary has seven moves, but there are 25 pairs of places. What about the pairs that were never observed? If we use relative frequencies, as the paper does, then a move that was never seen is *impossible*. **Additive smoothing** avoids this. For every pair of visited places, it adds a *pseudocount* $a$ to the number of observed moves, and then divides by the row sums. The choice $a = 1$ is called add-one or Laplace smoothing.
#
# $$ P(x', x) = \frac{\#(x' \to x) + a}{\sum_{y} \big( \#(x' \to y) + a \big)} $$
#
# As in the last chapter, the initial distribution is the stationary distribution of this matrix, so it changes with $a$, too.
#
# For Dan, almost everything depends on this choice. The table shows the success of guesses of his whole path, with four exact counts at the station.

# %%
sensors = np.full(4, list(six.rois.index).index("station"))
rows = {}
for pseudocount in (0.0, 0.1, 1.0):
    chain = rec.MarkovChain.from_visits(fano.diary(six, "Dan"), 5, pseudocount)
    row = fano.losses_by_errors(chain, sensors).loc[0, ["prior", "best"]]
    rows[pseudocount] = {"entropy of the path": chain.entropy(4), **row}
restless = rec.MarkovChain(np.full(5, 1 / 5), np.full((5, 5), 1 / 5))  # no habits
row = fano.losses_by_errors(restless, sensors).loc[0, ["prior", "best"]]
rows["no habits"] = {"entropy of the path": restless.entropy(4), **row}
table = pd.DataFrame(rows).T.rename(columns=figures.WORDS).round(3)
plots.show_table(table.rename_axis("pseudocount"), "pseudocounts")

# %% [markdown]
# From the same eight hours, the best attacker succeeds with probability 0.57 or 0.06, and nothing in the diary says which is nearer to the truth. Adding one is an extreme choice for such a short diary, because the invented moves outnumber the seven observed ones. The last row is for somebody without any habits, who goes to each of the five places with probability 1/5 in every step. Their path has an entropy of $4 \log 5 = 6.44$ nats. With a pseudocount of 1, the entropy of Dan's path is 6.27 nats, which is close to this maximum.
#
# ### An experiment with a known truth
#
# To find out which pseudocount comes nearest to the truth, we need a person whose true mobility model is known. We take a walker on a line of ten places. We observe the walker for 20, 100 or 1,000 days (one step a day), estimate a mobility model, and compute the moment bound for five more steps with one wrong step allowed. We compare with two numbers from the true model. One is its moment bound, which the method would give if the model were known. The other is the best possible success, which the library finds by enumeration. Each estimate is repeated with twenty walks. In the table, $a$ is the pseudocount. We use the moment bound because it follows the attack more closely than the other bounds for exact counts.

# %%
from lib.randomness import stream

true, where = rec.distance_chain(10, 0.1), np.array([2, 7, 4, 0, 9])
truth = rec.moment_bound(true, where, 1)
best_success = rec.best_loss(true, where, 1)
print(f"true model: moment bound {truth:.2f}, best success {best_success:.3f}")


def bounds_from(walks, sensors, pseudocount, n_places):
    models = [rec.MarkovChain.from_visits(x, n_places, pseudocount) for x in walks]
    return np.array([rec.moment_bound(model, sensors, 1) for model in models])


def probability_of_new_move(walk, person):
    unobserved = np.ones_like(person.transition)
    unobserved[walk[:-1], walk[1:]] = 0
    return person.initial @ (person.transition * unobserved).sum(axis=1)  # stationary


learned = []
for days in (20, 100, 1000):
    walks = true.sample(20, days, stream(seed, "days", days))
    n_visited = np.mean([len(set(walk)) for walk in walks])
    new = np.mean([probability_of_new_move(walk, true) for walk in walks])
    print(f"{days} days: {n_visited:.3g} places visited,", end=" ")
    print(f"{(days - 1) / n_visited:.3g} moves from each, later move new {new:.2f}")
    for pseudocount in (0.0, 0.1, 1.0):
        found = bounds_from(walks, where, pseudocount, 10)
        for bound in found:
            learned.append({"days": days, "added": pseudocount, "bound": bound})
        if pseudocount == 0:
            print(f"    without smoothing, walks with bound 1: {(found > 0.999).sum()}")
learned = pd.DataFrame(learned)
plots.show_table(figures.days_table(learned, truth, best_success), "days")

# %% mystnb={"figure": {"name": "fig-fano-days", "caption": "The moment bound from an estimated mobility model against the number of days observed, with 95% intervals over twenty walks. The dotted line is the moment bound of the true model, and the thin solid line is the best possible success. Without smoothing, short diaries give bounds that are far above the dotted line on average. With pseudocount 1 the means are below the dotted line, and after 100 days the mean is about the best success. After 1,000 days all three means are near the dotted line, and pseudocount 1 is still clearly below it."}, "image": {"alt": "Three lines against 20, 100 and 1,000 days: without smoothing the bound falls from 0.76 to 0.29, with pseudocount 0.1 from 0.50 to 0.29, with pseudocount 1 it is 0.20 and 0.15, with overlapping intervals, and then 0.24. A dotted line marks the moment bound of the true model, 0.27, and a thin solid line the best success, 0.15."}} tags=["hide-input"]
figures.show_days(learned, truth, best_success)

# %% [markdown]
# **On average, a short diary gives a bound above that of the true model without smoothing, and one below it with much smoothing.** After 20 days the mean without smoothing is 0.76, and the true model has 0.27. After 1,000 days the mean is 0.29.
#
# A data holder has one diary and not twenty, so the last two columns count single walks. The two columns count different errors. A bound below the moment bound of the true model is not what the method is meant to give. Such a bound may still be valid, because the moment bound is not sharp. For this walker no attacker succeeds with a probability above 0.153, and only a bound below this best success is **false**. With a pseudocount of 1, we get a false bound from 7 of the twenty walks after 20 days, and from 13 of them after 100 days. Without smoothing, no bound is false.
#
# A mean does not protect the holder of a single diary. After 20 days the mean with pseudocount 1 is 0.20, which is above the best success, although 7 of the twenty bounds are false. A bound that is far too high is useless. A false bound is **dangerous**, because an attacker may succeed more often than it says.
#
# The reason for both errors is that most moves are not observed. In 20 days the walker visits 5.6 of the ten places on average, so the 19 moves are about 3.4 for each of these places. We ask for the probability that a later move, from a place drawn from the stationary distribution, is one that the walk does not contain. This probability is 0.69. The unsmoothed model calls such a move impossible, so it makes the walker look far more predictable than in reality. Missing moves can even trap the walker. If the diary contains no move away from its last place, the estimated walker stays there, and the bound is 1. This is probably the reason for most of the bounds of 1: 8 of twenty after 20 days, 1 after 100 days and none after 1,000. A pseudocount of 1 errs on the other side. From each visited place it invents one move to every visited place. For each visited place that makes 5.6 invented moves against 3.4 observed ones, so the walker looks more erratic than in reality.
#
# Why does the mean with pseudocount 1 not rise between 20 and 100 days? It goes from 0.20 to 0.15, and this fall may be due to chance, because the two intervals overlap. But over these days the observed moves come to outnumber the invented ones, so we would expect the mean to rise clearly. Our explanation is a second effect. Invented moves lead only to visited places. After 20 days the model rules out nearly half of the places, and this makes the walker more predictable. After 100 days this effect is nearly gone, because the walk contains 9.45 places on average. If this explanation is right, the mean must rise from the start when the invented moves lead to all ten places. We test it with the same walks, and with the same number of invented moves from each place:

# %%
for days in (20, 100, 1000):
    all_places = []
    for walk in true.sample(20, days, stream(seed, "days", days)):
        # as many invented moves from each place as before, but spread over all ten
        moves = np.full((10, 10), len(set(walk)) / 10)
        np.add.at(moves, (walk[:-1], walk[1:]), 1)
        P = moves / moves.sum(axis=1, keepdims=True)
        stationary = np.linalg.matrix_power(P, 500)[0]
        everywhere = rec.MarkovChain(stationary / stationary.sum(), P)
        all_places.append(rec.moment_bound(everywhere, where, 1))
    restricted = learned.query("days == @days and added == 1")["bound"].to_numpy()
    for to, values in (("visited", restricted), ("all", np.array(all_places))):
        low, high = metrics.mean_interval(values)
        print(
            f"{days} days, to {to} places: {values.mean():.2f} [{low:.2f}, {high:.2f}]"
        )

# %% [markdown]
# With invented moves to all places, the mean rises from 0.11 to 0.14 and to 0.24. This agrees with the explanation, although the first two intervals overlap. After 20 days, the restriction to visited places alone makes the difference between 0.20 and 0.11.
#
# ### What changes on other maps?
#
# So far we have one walker and one sequence of sensors. Does a model need the same number of days on other maps? We repeat the experiment with 5, 10 and 20 places and with other sensors.

# %%
rows, unsmoothed = [], {}
for n_places in (5, 10, 20):
    person_there = rec.distance_chain(n_places, 0.1)
    sensors_there = stream(seed, "sensors", n_places).integers(0, n_places, 5)
    true_bound = rec.moment_bound(person_there, sensors_there, 1)
    for days in (100, 1000):
        walks = person_there.sample(20, days, stream(seed, "walks", n_places, days))
        for pseudocount in (0.0, 0.1, 1.0):
            found = bounds_from(walks, sensors_there, pseudocount, n_places)
            setting = {"places": n_places, "days": days, "added": pseudocount}
            rows += [setting | {"bound": x, "true": true_bound} for x in found]
            if pseudocount == 0:
                new = [probability_of_new_move(walk, person_there) for walk in walks]
                unsmoothed[f"{n_places}, {days}"] = {
                    "minus true": found.mean() - true_bound,
                    "divided by true": found.mean() / true_bound,
                    "median ratio": np.median(found) / true_bound,
                    "walks with bound 1": (found > 0.999).sum(),
                    "largest possible ratio": 1 / true_bound,
                    "later move new": np.mean(new),
                }
plots.show_table(figures.maps_table(pd.DataFrame(rows)), "other-maps")

# %% [markdown]
# How large is the error without smoothing? The next table shows the mean bound minus that of the true model, and the mean bound divided by that of the true model. The next two columns divide the median instead, and count the walks with a bound of 1. A bound is at most 1, so the ratio cannot exceed 1 divided by the bound of the true model. The last column is the probability that a later move is not in the walk, again from a place drawn from the stationary distribution.

# %%
table = pd.DataFrame(unsmoothed).T.round(3)
plots.show_table(table.rename_axis("places, days"), "unseen-moves")

# %% [markdown]
# **How many days are enough depends on the map. After the same number of days, the unsmoothed model of a larger map misses more of the moves that the walker makes.** After 100 days, the probability that a later move is new is 0.077 with 5 places, 0.209 with ten and 0.567 with 20. After 1,000 days the maps are still in this order. This is to be expected, because the number of pairs of places grows like $M^2$.
#
# The errors of the bounds are harder to rank. After 100 days both the difference and the ratio rise with the number of places, although the intervals of the differences overlap. After 1,000 days the ratio is largest with 20 places, and the three differences cannot be told apart. The ratio must be read with care. With 20 places and 100 days, three of the twenty walks have a bound of 1, and they raise the mean: the ratio of the means is 9.6, and that of the median is 5.0. With 5 places the bound of the true model is 0.862, so the ratio could not exceed 1.16, however wrong the model was.
#
# **On average, a suitable pseudocount can replace many days, but the walks alone do not tell us which one is suitable.** With ten places and the sensors of the first experiment, a pseudocount of 0.3 gives a mean of 0.27 after 100 days, which is the bound of the true model ({ref}`fano-smoothing`). Even so, 13 of the twenty walks have a bound below that of the true model. None of these bounds is false: all are above the best success. With 20 places, the bound of the true model is 0.027. After 100 days, the mean is 0.069 with the pseudocount 0.1 and 0.007 with the pseudocount 1. So on average, a pseudocount between these two would give the bound of the true model.
#
# (fano-aircraft)=
# ### Which pseudocount fits real travellers?
#
# The paper estimates mobility models from 22 and 27 steps of each user of two check-in services. Such histories are about as long as the 20 days above. Of these data only parts are available, and they may not be distributed with the book. Instead the "users" here are aircraft: a place is an airport or *elsewhere*, and a step is a day. The last five days are attacked, and the model is estimated from the days before.
#
# For real travellers the true model is unknown, but we can check a prediction. The model predicts how often its own maximum a priori guess is right on at least four of the five days. We compare this with how often the guess succeeds on the real days. In the table, $a$ is the pseudocount, *guess* is the maximum a priori guess, and all numbers are means over aircraft. We show two bounds. The paper reports the tight bound for its users, and we used the moment bound for the walker. The last column is the share of aircraft whose real days are possible under the model. Without smoothing, the real days are possible if they begin at a visited place and contain only moves that were observed. With smoothing, they are possible if all five places were visited before.

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

# %% [markdown]
# The library returns the tight bound and the expected and the real success of the guess. The folded cell adds the moment bound, as a mean over five sequences of sensors, and checks which real days are possible:

# %% tags=["hide-input"]
from itertools import pairwise

moments, possible = [], []
for name, found in people.items():
    n_places = len(found.drawn.places)
    five = stream(seed, "aircraft sensors", name).integers(0, n_places, (5, 5))
    for days in found.drawn.states:
        for a in added.values():
            walk, n = [days[:-5]], found.drawn.n_locations
            moments.append(np.mean([bounds_from(walk, each, a, n) for each in five]))
        before, real = days[:-5].tolist(), days[-5:].tolist()
        visited = set(real) <= set(before)
        observed = set(pairwise(real)) <= set(pairwise(before)) and real[0] in before
        possible += [observed if a == 0 else visited for a in added.values()]
filled["moments"] = moments  # with five sequences of sensors
filled["possible"] = possible
plots.show_table(figures.filled_table(filled).rename_axis("a"), "filled")

# %% [markdown]
# The expected and the real success, as well as the bounds, are means over the same aircraft. So we look at paired differences:

# %%
for column, words in (("expected", "expected success"), ("moments", "moment bound")):
    difference = filled["prior"] - filled[column]
    for a, each in difference.groupby(filled["added"]):
        low, high = metrics.mean_interval(each.to_numpy())
        interval = f"{each.mean():.3f} [{low:.3f}, {high:.3f}]"
        print(f"a = {a}: real success minus {words} {interval}")

# %% [markdown]
# **Without smoothing, the guess succeeds less often on the real days than the model expects. With a pseudocount of 0.1 we find no significant difference, and with a pseudocount of 1 the guess succeeds more often than expected.** Both bounds fall along with the expectation.
#
# With a pseudocount of 1, the moment bound of 0.16 may be too low. A guess that does not even use the counts succeeds on 0.23 of the aircraft, although the bound is meant for any attacker. If the models were right, the guess would not succeed more often than the bound allows, on average over the aircraft. With a pseudocount of 1 it does, but the interval of the difference barely excludes 0. So this is a warning and not a proof that the bound is broken.
#
# The unsmoothed model is plainly wrong, too: it allows the real days for a share of only 0.27 of the aircraft. A bound applies only to somebody who moves according to the mobility model. With a pseudocount, this share is still only 0.47. For the others, no model in the table is right. Even for the aircraft whose real days are possible, the model may still be wrong.
#
# Smoothing can also decide whether we find an effect at all. In Fig. 4 of the paper, slow movers have higher bounds. The paper measures slowness by the **spectral gap** of the mobility model, which is 1 minus the second largest absolute value of the eigenvalues of $P$. The gap is small if the chain forgets its start slowly. It is only a [substitute for slowness](fano-replicated-gap). The paper's finding is a negative correlation between bound and gap.
#
# The replication stores the tight bound and the gap of each user, for aircraft and for the parts that we have of the paper's two datasets. The replication estimates each model twice, first by relative frequencies and then with a pseudocount of 1. The table shows Spearman's rank correlation with 95% bootstrap intervals over users. In the middle column, we keep only the users whose unsmoothed chain is irreducible and aperiodic. This condition excludes everybody who left some place and never came back.

# %%
slowness = figures.correlation_table(fano.correlations(fano.habits.stored()))
slowness = slowness["correlation [95%]"].unstack("chains", sort=False)
slowness.columns = ["a = 0", "a = 0, irreducible and aperiodic", "a = 1"]
plots.show_table(slowness.replace("", "–").fillna("–"), "slowness")

# %% [markdown]
# **With a pseudocount of 1, a small gap goes with a high bound on all three datasets. Without smoothing, we find no correlation on Foursquare and on the aircraft, if we keep only the users whose chain is irreducible and aperiodic.** On Foursquare the correlation is -0.59 in the first case and 0.03 in the second. The negative correlation in the first column of these two datasets therefore [depends on the users](fano-replicated-fig4) whom the middle column leaves out. On Gowalla the second correlation is undefined, because all these users have a bound of 1. The table does not say which column is right, because smoothing changes both the bound and the gap. The [replication](fano-replicated-unseen) shows what else depends on this choice.
#
# ```{note}
# - About half of all aircraft go to a place in the last five days that they never visited before. A pseudocount on visited places does not make a new place possible, so every model assigns probability 0 to the last five days of these aircraft.
# - If the aircraft never left its last place during the observed days, the unsmoothed model keeps it there for ever. If the unsmoothed chain is reducible or periodic, the library changes it slightly: in each step, with a probability of one millionth, the next place is drawn uniformly from the visited places. The expected success and the bounds include these rare jumps. The column *real days possible* does not count them.
# - That 0.1 fits these aircraft does not mean that it fits other people. Check it on days that were not used for the estimate.
# ```
#
# (fano-class)=
# ```{admonition} The question for the class
# :class: tip
# Two analysts use the same diary of Dan. One finds that the best attacker succeeds with probability 0.57, the other with 0.06. Which number would you publish? *Our answer:* neither alone. Publish both with their pseudocounts, and check each model on days that were set aside.
# ```

# %% [markdown]
# ## What the paper found
#
# On users of two services, Gowalla and Foursquare, the paper finds that people who are often counted and people who move slowly have high bounds, that bounds fall with noise, and that attacks succeed more often than on the simulated person. We have only a part of the paper's data from each service, so these claims are *not tested*. The [replication page](replication/fano.ipynb) shows what our part of the data says about each of them.
#
# ## Take-aways
#
# - The most probable path is the best guess of the *whole* path. If a few right steps are enough, the most probable place of each step may be better.
# - We can bound every attacker by counting right steps, and pairs and triples of them. Under exact counts, this moment bound stays within a factor of three of the attack on the simulated person, if five of ten steps may be wrong.
# - Once $Q$ is bounded, a hypothesis test gives a bound that falls with the noise, and it holds for all sensors. With a hundred places it is the smallest bound under strong noise. With ten places the improved tight bound is smaller, and the two meet as the noise grows.
# - However strong the noise is, no bound falls below the best success without counts.
# - On three maps of the simulated person, greedy sensors learned more than sensors at random places. Greedy sensors also learned more than a schedule that we chose step by step from the same mobility model.
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
# *Learned:* the posterior modes answer a different question, and their answer need not be a path. An attacker who profits from every right step does not care whether the guess is a possible path.
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
# For a probability of $2/4$, let $C$ be 4 or 0, each with probability 1/2. For a probability of 0, let $C$ always equal 2.

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
# *Learned:* for $k = 1$ the bound depends only on the mean number of right steps. For $k = T$ it is the probability that every step is right.
#
# ````{solution-end}
# ````
#
# ```{exercise} Laplace noise on one count (★★, 20 minutes)
# :label: fano-laplace
# For two Laplace distributions whose means differ by $\mu$ times their scale, the best test has the true positive rate `rec.laplace_power(q, mu)` {cite:p}`kaissis2023`. Take the two places of the section on noise, with Laplace noise of scale 2 on the one count. Compute the bound with both references, and simulate the best attack. Which bound is sharp? The count is $\varepsilon$-differentially private with $\varepsilon = 1/2$ for one person's presence. What bound does $e^{\varepsilon} Q$ give? Then apply the definition of differential privacy to the event that the attacker fails. What bound follows, and what does it become with the halfway reference?
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
# *Learned:* the halfway reference is sharp for Laplace noise, too. The bound $e^{\varepsilon} Q$ is larger, because it applies the definition of differential privacy only to the event that the attacker succeeds. The definition also holds for the event that the attacker fails. For failure, the definition gives $1 - p \ge e^{-\varepsilon} (1 - Q)$, so $p$ is at most 0.697. The absent reference gives the same bound. With the halfway reference, the two means are only half as far apart, so $\varepsilon$ becomes $\varepsilon / 2$. The same inequality then gives 0.611, the sharp value.
#
# ````{solution-end}
# ````
#
# ```{exercise} Counting answers (★, 10 minutes)
# :label: fano-two-bounds
# The counting bound of the last chapter is $2^T Q$ for $T$ exact counts, and {ref}`fano-doubling` proves it. There we used the right side of Eq. 5 for $Q$. Now bound $Q$ by `rec.moment_ball(rec.distance_chain(m, tau), n_epochs, allowed_errors)`, and compare with the tight bound and the moment bound in the table over $M$. First predict: on which maps can the counting bound be smaller than the tight bound?
# ```

# %% [markdown]
# ````{solution-start} fano-two-bounds
# :class: dropdown
# ````

# %%
means = sweep.groupby("M")[["tight", "moments"]].mean()
for m in map_sizes:
    Q = rec.moment_ball(rec.distance_chain(m, tau), n_epochs, allowed_errors)
    print(f"M = {m}: counting bound {min(1, 2**n_epochs * Q):.3g}", end=", ")
    print(f"tight {means.loc[m, 'tight']:.3g}, moments {means.loc[m, 'moments']:.3g}")

# %% [markdown]
# *Learned:* the counting bound is proportional to $Q$. The tight bound depends on $Q$ only through $\log(1/Q)$, so it falls much more slowly. On the largest maps $Q$ is so tiny that the factor $2^T$ matters less than this difference, and the counting bound is the smaller one. But the counting bound is still far too high there. It treats all $2^T$ answers alike, although most of them are improbable because a random sensor seldom meets the target. The moment bound, which weighs the answers by their probability, is better than both.
#
# ````{solution-end}
# ````
#
# ```{exercise} What makes the tight bound loose? (★★, 25 minutes)
# :label: fano-which
# The tight bound has two ingredients, the information $I$ and $Q$, and one inequality. Replace them one after another by better ones, and keep the earlier replacements. Take exact counts, the simulated person with 100 places, and the sensors `where = np.arange(0, 100, 10)`.
#
# - Information: use the exact one, `rec.mutual_information(chain, where, information="exact")`. (`rec.tight_bound` takes `information="exact"`, too.)
# - Inequality: use the full one from {ref}`fano-tight-proof` with `form="kl"`. This option still uses the right side of Eq. 5 instead of $Q$.
# - $Q$: use two values, with `largest_allowed` from above. One is the upper bound `rec.moment_ball(...)`. The other is the success of one particular guess without counts, `rec.exact_loss(chain, where, s, "prior")`; $Q$ cannot be smaller than that.
#
# Compare each result with `rec.tight_bound` and `rec.moment_bound`. Which ingredient makes the bound loose?
# ```

# %% [markdown]
# ````{solution-start} fano-which
# :class: dropdown
# ````

# %%
line, at = rec.distance_chain(100, 0.1), np.arange(0, 100, 10)
known = rec.mutual_information(line, at, information="exact")
in_turn = {
    "the paper's": rec.tight_bound(line, at, 5),
    "exact information": rec.tight_bound(line, at, 5, information="exact"),
    "full inequality": rec.tight_bound(line, at, 5, information="exact", form="kl"),
    "Q by moments": largest_allowed(known, rec.moment_ball(line, 10, 5)),
    "lower bound on Q": largest_allowed(known, rec.exact_loss(line, at, 5, "prior")),
    "moment bound": rec.moment_bound(line, at, 5),
}
for name, bound in in_turn.items():
    print(f"{name}: {bound:.6f}")

# %% [markdown]
# *Learned:* with a hundred places and exact counts, better ingredients help a little. Even with a lower bound on $Q$ and the exact information, the result is far above the moment bound. So what costs most here is that the bound knows the counts only through one number, the information $I$. The bound must allow for counts that reveal the whole path in a few cases and nothing otherwise. In other settings the ingredients matter more. With ten places and noise of $\sigma = 1$, better ingredients take the tight bound from 1 to 0.53 ({numref}`fig-fano-noise-bounds`).
#
# ````{solution-end}
# ````
#
# ```{exercise} How much smoothing? (★★, 15 minutes)
# :label: fano-smoothing
# Repeat the experiment with a known truth for the pseudocounts 0.01 and 0.3, with 20 and 100 days. Before you run it, predict the order of the bounds for the pseudocounts 0.01, 0.1, 0.3 and 1 after 20 days. Which pseudocount comes nearest to the true model, and can you know this from the walks alone?
# ```

# %% [markdown]
# ````{solution-start} fano-smoothing
# :class: dropdown
# ````

# %%
print(f"true model: moment bound {truth:.2f}, best success {best_success:.3f}")
rows = []
for days in (20, 100):
    walks = true.sample(20, days, stream(seed, "days", days))
    for pseudocount in (0.01, 0.1, 0.3, 1.0):
        for bound in bounds_from(walks, where, pseudocount, 10):
            rows.append({"days": days, "added": pseudocount, "bound": bound})
rows = pd.DataFrame(rows)
plots.show_table(figures.days_table(rows, truth, best_success), "smoothing")

# %% [markdown]
# *Learned:* the mean bound falls as the pseudocount grows. After 100 days the pseudocount 0.3 is nearest to the true model's bound on average. For 13 of the twenty walks the bound is below that of the true model, but for none is it below the best success. After 20 days, 2 of the twenty bounds with this pseudocount are false, so a single diary may mislead. The best pseudocount depends on the person and on the number of days. From the walks alone you cannot know the true model. You can only check predictions on days that were set aside: how probable the model calls these days, or how often a guess succeeds on them, as in the section on aircraft.
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
# Why are so many guesses best after a sighting? Only one or two paths then agree with the counts. A guess within two errors of all of them succeeds for certain, and there are many such guesses. For one path of four steps on five places there are $1 + 4 \cdot 4 + 6 \cdot 16 = 113$.
#
# *Learned:* the best guess for $s$ is the centre of the most probable ball, and it need not be a possible path. For $s = 0$ it is MAP. The posterior modes maximise the mean number of right steps, and not the probability of a ball.
#
# ````{solution-end}
# ````
#
# ```{exercise} A test that knows the sensors (★★★, an evening)
# :label: fano-sensors
# The hypothesis test assumes that every count is about the target. Improve it. If the reference is the constant $\alpha$ in every step, a target who is seen in $j$ of $T$ steps is at a distance of $\mu_j = \sqrt{j (1 - \alpha)^2 + (T - j) \alpha^2} / \sigma$. For given sensors, the number of sightings has a distribution $p_j$, which you can compute along the chain. Show that the success is at most the maximum of $\sum_j p_j\, G(q_j, \mu_j)$ over all $q_j$ with $\sum_j p_j q_j \le Q$, and compute it. *A good answer* checks that the bound is never below a simulated attack, and shows for which $\sigma$ it is below the other five bounds with a hundred places.
# ```
#
# ```{exercise} An attacker who knows less (★★★, an evening)
# :label: fano-less
# The paper's conclusion asks for an attacker who does not know where everybody else is. Assume that the attacker knows only the mobility models of the other people, like the auxiliary attacker of [](thresholds.ipynb). In each step, the count is then the target's bit plus a sum of independent bits. Write down the likelihood of a single count. The counts of different steps are not independent, because the other people move along chains. Treat them as independent all the same, use the product of the likelihoods in MAP, and call the attack *approximate MAP*. Plot its success against the number of other people, for the simulated person with ten places. For comparison, add the curve that {prf:ref}`thm-fano-hypothesis` gives for normal noise of the same variance as the crowd's counts. It is not a bound for the crowd. Why not? *A good answer* shows the maximum a priori guess and the informed attacker as the two extremes of the plot, gives intervals over runs, says what the assumption of independence may change, and says in one sentence how much noise a crowd is worth.
# ```

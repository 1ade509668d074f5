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
# # Fano loss: how much can anyone learn?
#
# An attack shows what one attacker can do. Another attacker may do better tomorrow. Can we prove what *no* attacker can do?
#
# {cite:t}`fanoloss` ask this question for sensors that count people. An attacker reads the counts and guesses the path of one person. We want a number that limits the success of every guess, whatever method produced it. This is called **reconstruction**, and the number is an *upper bound* on its success.
#
# After this chapter you can
#
# - compute the most probable path, and separate what the counts reveal from what habits reveal;
# - derive Fano's inequality and turn it into a bound in five lines;
# - check a bound against the best possible attack where all paths can be enumerated.
#
# *The figure to remember:* {numref}`fig-fano-steps`. *For discussion:* is a person safe if no sensor ever counts them? *If time is short:* leave out [noise](fano-fig7).

# %% tags=["parameters", "remove-cell"]
n_locations = 100
n_epochs = 10
tau = 0.1
allowed_errors = 5
n_sequences = 20
noise_places = 10
noise_stds = [0.1, 0.3, 1.0, 3.0, 10.0]
n_runs = 1000
seed = 2024

# %% [markdown]
# (fano-two)=
# ## Two places, by hand
#
# Dan is either at home or at the office, and we watch him for two hours. In the first hour both places are equally likely. From the first hour to the second he stays where he is with probability 0.8. So there are four paths, and each has a probability:

# %%
import numpy as np
import pandas as pd

start = np.array([0.5, 0.5])
move = np.array([[0.8, 0.2], [0.2, 0.8]])
paths = start[:, None] * move
pd.DataFrame(paths, ["first at home", "first at office"], ["then home", "then office"])

# %% [markdown]
# An attacker must name the whole path. Without any count the best choice is a path with the largest probability. It is right with probability 0.4.
#
# Now a sensor at home counts people in the first hour. The attacker knows where everybody else is and subtracts them. What remains is one bit: was Dan at home? There are two possible answers. For each answer the attacker names the most probable path that agrees with it.

# %%
print("without a count:", paths.max())
print("with the first hour's count:", paths.max(axis=1).sum())

# %% [markdown]
# The second number is the largest possible. Whatever an attacker does, they name *some* path for each answer, and none is more probable than the one that we took. So the best possible success is: *for each answer, take the probability of the most probable path; then add up.*
#
# This recipe solves the problem completely, as long as we can list all paths. With 100 places and 10 hours there are $10^{20}$ of them. The rest of the chapter is about such cases.

# %% [markdown]
# ## What does the attacker know?
#
# There are $M$ places and $T$ time steps. In each step one sensor is switched on, at place $c_t$. It publishes how many people are there, exactly or with noise.
#
# | | the attacker |
# |---|---|
# | wants | the target's path $X = (X_1, \dots, X_T)$, with at most $s$ wrong steps |
# | knows | where everybody else is, in every step |
# | knows | how the target usually moves, as a Markov chain |
# | sees | the published counts |
#
# What the attacker knows about the target before they see a count is a probability distribution over paths. The paper calls it the prior. We call it the **mobility model**, because "prior" is also the name of a guess in the paper.
#
# ````{prf:definition} Mobility model
# :label: def-fano-chain
# A person's mobility model is a Markov chain: an initial probability $\pi(x)$ for each place, and a probability $P(x', x)$ of moving from $x'$ to $x$ in one step, whatever came before. The chain is *stationary* if a step does not change the distribution over places: $\pi P = \pi$.
# ````
#
# ````{prf:definition} Privacy loss of a guess (Eq. 2 of the paper)
# :label: def-fano-loss
# The privacy loss of a guess $\hat X$ is its probability of success, $\Pr[d(X, \hat X) \le s]$. Here $d$ is the number of wrong steps, and $0 \le s < T$ is the number of wrong steps that are allowed. The probability is over the target's path and the noise.
# ````
#
# The paper makes three assumptions.
#
# - The target moves according to the mobility model, which is stationary.
# - Where the sensors stand does not depend on the counts. [The next chapter](fano-adaptive) drops this assumption.
# - **Different people move independently.**
#
# The third assumption is strong. Of our six people, Ada and Ben always walk together. An attacker who knows where Ben is knows where Ada is, before anything is published. No bound in this chapter covers people who move together.
#
# ```{note}
# In one place, for simulated data, the paper writes $d < s$ instead of $d \le s$. We use $d \le s$ everywhere.
# ```

# %% [markdown]
# (fano-examples)=
# ## What does one count reveal?
#
# [The first chapter](foundations.ipynb) showed a differencing attack: subtract everybody else, and one person is left. At the station this gives the following bits for Dan, one for each of the eight hours.

# %%
from lib.aggregation import aggregate
from lib.datasets import load

six = load("six-users")
STATION = list(six.rois.index).index("station")
count = aggregate(six, [range(6)])[0][STATION]
others = aggregate(six, [[0, 1, 2, 4, 5]])[0][STATION]
print(count, "-", others, "=", count - others)

# %% [markdown]
# How much is such a bit worth? That depends on what the attacker expected. Let $p$ be the probability that the target is at the sensor. The bit's **entropy** is
#
# $$h(p) = -p \log p - (1 - p) \log (1 - p) .$$
#
# It measures how uncertain the answer is before we see it. We use natural logarithms, so the unit is the *nat*; $\log 2 \approx 0.69$ nats are one bit.

# %%
from lib.papers import figures as plots
from lib.papers.fano_loss import figures
from scipy.special import entr  # -x log x

plots.use_style()
p = np.linspace(0, 1, 201)
h = entr(p) + entr(1 - p)
print("log 2 =", h.max().round(2))

# %% mystnb={"figure": {"name": "fig-fano-bit", "caption": "How much one exact count reveals about one person, against the probability p that the person is at the sensor. A count reveals most about somebody who may equally well be there or not. It reveals next to nothing about somebody who is almost never there, or almost always."}, "image": {"alt": "The binary entropy h(p) against p, an arch from 0 over 0.69 at one half back to 0. Two points are marked: a person who is often at the sensor, p 0.5, and one who is rarely there, p 0.1."}} tags=["hide-input"]
figures.show_bit(p, h, {"often there": 0.5, "rarely there": 0.1})

# %% [markdown]
# This is Example 1 of the paper. A count in New York reveals much about a New Yorker and next to nothing about a Parisian. Differential privacy ({prf:ref}`def-release`) gives both people the same $\varepsilon$, which is infinite for exact counts. The paper wants a measure that differs from person to person.

# %% [markdown]
# (fano-six)=
# ## Which path is the most probable?
#
# To guess a longer path we first need a mobility model of Dan. The attacker estimates it from his diary of eight hours. A fifth place, *elsewhere*, stands for all hours in which he was at none of the four places. ([Where was Dan?](crowd.ipynb) calls it *null*.) We count his seven moves and divide by the row sums. The initial distribution $\pi$ is the stationary one, as in the paper; we find it by taking very many steps.

# %%
from lib import reconstruction as rec
from lib.papers.fano_loss import experiments as fano

places = [*six.rois.index, "elsewhere"]
diary = fano.diary(six, "Dan")
print([places[x] for x in diary])

moves = np.zeros((5, 5))
np.add.at(moves, (diary[:-1], diary[1:]), 1)
P = moves / moves.sum(axis=1, keepdims=True)
pi = np.linalg.matrix_power(P, 1000)[0]
dan = rec.MarkovChain(pi, P)
plots.show_table(figures.moves(dan, places), "dan")

# %% [markdown]
# Now a sensor stands at the station for four more hours, and Dan is seen in the second hour only. Which path is the most probable? There are $5^4 = 625$ candidates, but we need not try them all. The most probable path that ends in $x$ must extend the most probable path that ends in some $x'$ one step earlier. So it is enough to remember one path for each place.
#
# ````{prf:algorithm} Viterbi algorithm (Prop. 1 and App. A of the paper)
# :label: alg-fano-map
# Let $\ell_t(x)$ be the likelihood of the count in step $t$ if the target is at $x$.
# 1. $f(1, x) = \ell_1(x)\, \pi(x)$;
# 2. for $t = 2, \dots, T$: $f(t, x) = \ell_t(x) \max_{x'} P(x', x) f(t-1, x')$, and remember the maximising $x'$;
# 3. $\hat X_T = \arg\max_x f(T, x)$; then follow the remembered places back.
# ````
#
# The result is the **maximum a posteriori** path, or **MAP** for short: the most probable path given the counts. In code we add logarithms instead of multiplying probabilities. An exact count either allows a place or forbids it, so its log-likelihood is 0 or $-\infty$.

# %%
sensors, bits = np.full(4, STATION), np.array([0, 1, 0, 0])
allowed = (np.arange(5) == STATION) == bits[:, None]  # step x place
log_likelihood = np.where(allowed, 0.0, -np.inf)

score, remembered = dan.log_initial + log_likelihood[0], []
for t in range(1, 4):
    reach = score[:, None] + dan.log_transition  # from row to column
    remembered.append(reach.argmax(axis=0))
    score = reach.max(axis=0) + log_likelihood[t]
path = [score.argmax()]
for before in reversed(remembered):
    path.insert(0, before[path[0]])
print([places[x] for x in path])

# %% [markdown]
# There is a tie. With *elsewhere* in the first hour the path is equally probable, and rounding decides which of the two is printed.
#
# Without counts, all $\ell_t(x)$ are 1. The same algorithm then finds the most probable path of the mobility model alone. This is the **maximum a priori** guess (Prop. 2 of the paper). It is the baseline for MAP, because it shows what habits reveal before anything is published.
#
# How often is the whole path right, for three of the six people and four hours of counts at the station?

# %%
three = fano.losses_by_user(six, ["Ada", "Dan", "Eve"], sensors)
shown = three[["H", "I", "prior", "MAP"]].rename(columns=figures.WORDS)
plots.show_table(shown.round(3), "three-users")

# %% [markdown]
# All paths are summed, so nothing here is sampled. $H$ is the entropy of the path: how uncertain the attacker is before the counts. $I$ is the **mutual information**: how much of this uncertainty the counts remove.
#
# - For Ada the counts raise the success from 0.286 to 0.857, a factor of three. (This is Ada if we ignore Ben.)
# - For Dan they raise it by a factor of four.
# - For Eve the counts reveal nothing. Her diary begins at the station and never returns there, so her stationary model gives the station a probability of almost 0. Even so, habits alone reveal one path in five.
#
# [The next chapter](fano-unseen) asks how far such short diaries can be trusted.

# %% [markdown]
# (fano-truth)=
# ## What is the best possible attack?
#
# For Dan we can still enumerate everything: 625 paths, and 16 sequences of four bits. The recipe from the first section applies word for word. For each sequence of bits, take the most probable path; then add up.

# %%
paths = np.indices((5,) * 4).reshape(4, -1).T
probability = np.exp(dan.log_probability(paths))
answers = (paths == sensors) @ [8, 4, 2, 1]  # four bits as one number
best = pd.Series(probability).groupby(answers).max().sum()
print(f"{best:.3f}")

# %% [markdown]
# This is the success of MAP. If the whole path must be right ($s = 0$), MAP is the best guess there is.
#
# What if $s$ steps may be wrong? Then a guess succeeds for every path that differs from it in at most $s$ steps. These paths are called the **ball** around the guess. The best guess is the centre of the most probable ball, for each sequence of bits. If we forget the bits, the same computation gives $Q$, the best possible success *without counts*.

# %%
joint = probability[:, None] * np.eye(16)[answers]  # path x answer
rows = []
for s in range(4):
    ball = (paths[:, None] != paths).sum(axis=2) <= s  # guess x path
    of_map, of_prior = (
        rec.exact_loss(dan, sensors, s, e) for e in ("viterbi", "prior")
    )
    best_of_all = (ball @ joint).max(axis=0).sum()
    Q = (ball @ probability).max()
    rows.append([best_of_all, of_map, Q, of_prior])
names = ["best", "MAP", "best without counts (Q)", "maximum a priori"]
plots.show_table(pd.DataFrame(rows, columns=names).rename_axis("s"), "enumerated")

# %% [markdown]
# From $s = 2$ on, MAP is no longer the best guess, because it insists on the most probable *whole* path. The [next chapter](fano-modes) finds a better guess for this case.
#
# The same holds without counts. For one correct step out of four ($s = 3$) the maximum a priori guess succeeds with probability 0.4286. The best guess without counts succeeds with 0.8929. So compare like with like: MAP with the maximum a priori guess, and the best attack with $Q$.

# %% [markdown]
# (fano-inequality)=
# ## Fano's inequality: a bound without enumeration
#
# With more places and steps we cannot enumerate. Information theory offers a way around. The idea is to ask how much uncertainty a *good guess* would leave.
#
# Suppose a guess fails with probability $p_e$. Somebody tells us the guess, and also whether it is right. If it is right, no uncertainty is left. If it is wrong, the path is one of the $n - 1$ other values, and the uncertainty is at most $\log(n - 1)$. So the uncertainty about the path, given the guess, is at most $h(p_e) + p_e \log(n - 1)$: the entropy of "right or wrong", plus what remains if it is wrong.
#
# On the other hand, the guess was made from the counts. It cannot leave less uncertainty than the counts themselves, and they leave $H(X) - I$. Together:
#
# ````{prf:theorem} Fano's inequality (Eq. 1 of the paper), and the advantage
# :label: thm-fano-advantage
# Let $X$ have $n$ possible values, and let the counts carry the information $I$ about it. Then for every guess
#
# $$H(X) - I \;\le\; h(p_e) + p_e \log (n - 1).$$
#
# So $p_e \ge p_e^*$, the smallest $p_e$ that satisfies the inequality. With $p^* = \max_x \Pr[X = x]$, the *advantage* over guessing without counts satisfies
#
# $$\mathrm{Adv} = \frac{\Pr[\hat X = X] - p^*}{1 - p^*} \le \frac{1 - p_e^* - p^*}{1 - p^*} .$$
# ````
#
# For Dan, exact counts are determined by the path, so $I$ is simply the entropy of the 16 answers. We subtract it from $H(X)$ to get the left side of the inequality. Then we search a grid for the smallest $p_e$ that satisfies it. How large is $n$? The paper takes all $M^T = 625$ paths. Only 17 of them are possible under Dan's mobility model, so we try both.

# %%
H = entr(probability).sum()
I = entr(pd.Series(probability).groupby(answers).sum()).sum()  # noqa: E741
left = H - I
print(f"left side: {H:.3f} - {I:.3f} = {left:.3f} nats")
print(f"best attack: {best:.3f}")
for n in ((probability > 0).sum(), 625):
    p_e = np.linspace(0, 1 - 1 / n, 2000)
    right = entr(p_e) + entr(1 - p_e) + p_e * np.log(n - 1)
    print(f"Fano, n = {n}: at most {1 - p_e[right >= left].min():.3f}")

# %% mystnb={"figure": {"name": "fig-fano-sides", "caption": "Fano's inequality for Dan's path under four exact counts, with n = 625. Failure rates to the left of the crossing are impossible (shaded). The best attacker fails far more often than the inequality requires (dotted line)."}, "image": {"alt": "The right side of Fano's inequality rises from zero and bends; the left side is a level line that crosses it at a small probability of failure. To the left is shaded as impossible. A dotted line marks the best attacker's failure rate, far to the right."}} tags=["hide-input"]
figures.show_both_sides(p_e, right, left, 1 - best)

# %% [markdown]
# The bound is correct, but it is far above the best attack. The reason is in the derivation. The term $\log(n - 1)$ treats a wrong guess as if all other paths were equally likely. In fact most of them are impossible, and the possible ones are not equally likely. The smaller $n$ helps, but not much.

# %% [markdown]
# (fano-bounds)=
# ## Two bounds for paths with a few wrong steps
#
# The paper extends Fano's inequality to guesses with up to $s$ wrong steps, in two ways. Both replace "the guess is right" by "the path is in the ball around the guess".
#
# The **loose bound** counts the paths in the ball and outside it:
#
# ````{prf:theorem} Loose bound (Eq. 3)
# :label: thm-fano-loose
# Let $N = \sum_{l \le s} \binom{T}{l} (M-1)^l$ be the number of paths within $s$ errors of a guess, and let $p_e$ be the probability of more than $s$ wrong steps. Then
#
# $$H(X) - I \le h(p_e) + p_e \log \frac{M^T - N}{N} + \log N .$$
# ````
#
# The **tight bound** uses the mobility model instead. It needs only one number from it: $Q$, the best success without counts. The argument compares two worlds. In the first, the counts belong to the target. In the second, they are unrelated to the target, so that no guess succeeds with probability above $Q$. The two worlds differ by exactly the information $I$, and a large success in the first world would need a large difference.
#
# ````{prf:theorem} Tight bound (Sec. 3.3.2 of the paper, after Han and Verdú)
# :label: thm-fano-tight
# Let $p_s = 1 - p_e$ be the probability of at most $s$ wrong steps. Let $Q$ be the largest probability of a ball, that is, of all paths within $s$ errors of one path. Then
#
# $$-I \le h(p_s) + p_s \log Q ,$$
#
# and the bound is the largest $p_s$ that satisfies this. By Eq. 5, $Q$ is at most $\sum_{l \le s} \binom{T}{l} q_{T-l}$. Here $q_m$ is the largest probability of being at given places in $m$ given steps.
# ````
#
# Both bounds are again a search for the best value on a grid. We try them on two people, with the whole path required ($s = 0$, so $N = 1$).


# %%
def fano_bounds(chain):
    probability = np.exp(chain.log_probability(paths))
    H = entr(probability).sum()
    I = entr(np.bincount(answers, probability)).sum()  # noqa: E741
    p_e = np.linspace(0, 1, 100_001)
    h = entr(p_e) + entr(1 - p_e)
    loose = 1 - p_e[h + p_e * np.log(625 - 1) >= H - I].min()
    Q = probability.max()
    tight = 1 - p_e[h + (1 - p_e) * np.log(Q) >= -I].min()
    return {"I": I, "Q": Q, "loose bound": loose, "tight bound": tight}


eve = fano.diary_chain(six, "Eve")
by_hand = pd.DataFrame({"Dan": fano_bounds(dan), "Eve": fano_bounds(eve)}).T
by_hand["best"] = [rec.best_loss(chain, sensors, 0) for chain in (dan, eve)]
plots.show_table(by_hand.round(3).rename_axis("s = 0"), "two-bounds")

# %% [markdown]
# Which bound is smaller depends on the person. The counts reveal much about Dan, and his tight bound is 1, which says nothing. They reveal nothing about Eve, and her tight bound is 0.423, well below her loose one. But even here it is not $Q = 0.2$, although an attacker who learns nothing can do no better. The printed form drops a term from the full inequality; [an exercise](fano-tight-proof) restores it.
#
# For longer paths, the library computes three ingredients in polynomial time: the entropy of a Markov chain, a bound on the information, and Eq. 5. It bounds the information of exact counts by $H(B_1) + \sum_{t \ge 2} H(B_t \mid B_{t-1})$, where $B_t$ is the bit of step $t$. This is an upper bound because conditioning on fewer past bits cannot decrease an entropy. For Eq. 5 there is a recursion like Viterbi's (Theorem 1 of the paper; `ball_terms` in the library).
#
# Are the bounds ever wrong? We test them on two hundred random chains of up to five places and five steps, with random sensors and random $s$. The best attack can be enumerated for all of them. The table shows each bound minus the best possible success, for the chains on which the best success is below 0.9.

# %%
cases = fano.enumerated_chains(["analytic"], seed=seed)
hard = cases[cases["best"] < 0.9]
lines = ["loose", "tight", "MAP"]
print(f"{len(hard)} of {len(cases)} chains have a best success below 0.9;")
looser = (hard["tight"] > hard["loose"] + 1e-9).sum()
sharper = (hard["tight"] < hard["loose"] - 1e-9).sum()
print(f"tight above loose on {looser} of them, below on {sharper}")
plots.show_table(figures.case_table(hard, lines), "truth")

# %% mystnb={"figure": {"name": "fig-fano-truth", "caption": "Each point is one of two hundred random chains. Bounds lie on or above the diagonal, and MAP lies on or below it, as they must. Where the best success is below 0.35, both bounds are still above one half."}, "image": {"alt": "Three scatter plots against the best possible success: the loose and the tight bound lie on or above the diagonal, MAP on or below it."}} tags=["hide-input"]
figures.show_cases(cases, lines)

# %% [markdown]
# No bound is below the best success, and MAP is never above it. On these small chains the "tight" bound is never the smaller of the two, because a few counts reveal much about a short path. The next section has the opposite case.

# %% [markdown]
# (fano-fig5)=
# ## How far are the bounds from an attack on longer paths?
#
# The paper's **simulated person** walks on a line of 100 places for 10 steps. The probability of moving from $i$ to $j$ is proportional to $e^{-|j-i|/(\tau M)}$. With $\tau = 0.1$ a step covers about nine places. Sensors are drawn at random.
#
# There are far too many paths to enumerate. Even so, the success of MAP and of the maximum a priori guess can be computed exactly, because a *sighting* cuts the path in two. If Dan is seen in the second hour, what he did before says nothing about what he does afterwards, and the probabilities multiply:

# %%
seen = probability.reshape(5, 5, 25)[:, STATION]  # first hour x last two hours
before, after = seen.sum(axis=1), seen.sum(axis=0) / seen.sum()
print("a product:", np.allclose(seen, np.outer(before, after)))

# %% [markdown]
# So it is enough to sum over the stretches from one sighting to the next, and there are only about $T^2 / 2$ of them. Only the sensors are sampled: we draw twenty sequences of them.

# %%
person = {"n_epochs": n_epochs, "tau": tau, "n_sequences": n_sequences, "seed": seed}
steps = fano.sweeps(
    ["simulated"], n_locations=n_locations, map_sizes=[], times=[], **person
)
lines = ["prior", "MAP", "tight", "loose"]
plots.show_table(figures.swept_table(steps, lines, "right steps required"), "steps")

# %% mystnb={"figure": {"name": "fig-fano-steps", "caption": "Attacks and bounds for the simulated person against the number of right steps required, with 95% intervals over sequences of sensors, most of them smaller than the marks. The axis is logarithmic. The attacks fall steeply and the bounds slowly. If all steps must be right, the tight bound is nine powers of ten above MAP and the loose bound ten."}, "image": {"alt": "Logarithmic plot against the number of right steps required: the maximum a priori guess and MAP fall steeply, the tight and the loose bound fall slowly and end many orders of magnitude above."}} tags=["hide-input"]
lines = ["loose", "tight", "MAP", "prior"]
figures.show_swept(steps, lines, f"right steps required, of {n_epochs}")

# %% [markdown]
# Here the tight bound is below the loose one in every row, as the paper says. The counts reveal little about this person: the map is large, and a random sensor seldom meets them.
#
# But both bounds are far above MAP. If all ten steps must be right, no guess is better than MAP, and MAP succeeds with probability $1.2 \cdot 10^{-11}$. The tight bound is 0.026. The gap is not a weakness of the attack. It is the price of the inequality, and the [next chapter](fano-gap) shows a bound that follows the attack.
#
# ```{note}
# The maximum a priori guess is not the best guess without counts. If one right step is required, naming one place throughout does better ([an exercise](fano-lucky)). Rows 5 and 6 correspond to the two readings of the paper's $s = 5$, with $d \le s$ and $d < s$.
# ```
#
# On a screen you can change $M$, $T$ and $s$. The line *moment bound* belongs to the next chapter. With 20 places and five of ten steps, the "tight" bound is above the loose one.
#
# ```{raw} html
# :file: static/fano.html
# ```

# %% [markdown]
# (fano-fig7)=
# ## What does noise take away?
#
# Now each count carries normal noise with standard deviation $\sigma$. The attacker can misread a bit. MAP remains the same algorithm; its likelihoods $\ell_t$ become normal densities. The paper bounds the information of such counts by (Eq. 4, with $p_t = \Pr[X_t = c_t]$)
#
# $$I \le -\sum_{t=1}^{T} \Big[ p_t \log\big(p_t + (1 - p_t)\, e^{-1/(2\sigma^2)}\big) + (1 - p_t) \log\big(1 - p_t + p_t\, e^{-1/(2\sigma^2)}\big) \Big] .$$
#
# We use a line of ten places, because MAP succeeds often enough there for noise to matter. MAP attacks the *same* simulated paths in every row, and the noise is the same draw multiplied by $\sigma$. So the column *taken by noise* is a paired difference. Five of the ten steps may be wrong.

# %%
of_ten = person | {"n_locations": noise_places, "allowed_errors": allowed_errors}
runs = fano.noisy_runs(noise_stds, n_runs=n_runs, **of_ten)
bounds = fano.noise_bounds(noise_stds, **of_ten)
plots.show_table(figures.noise_table(runs, bounds), "noise")

# %% [markdown]
# Noise with $\sigma = 0.1$ takes nothing, because bits can still be read. With $\sigma = 3$ and $\sigma = 10$, MAP has fallen to the success of the maximum a priori guess, and it falls no further. **Noise hides the counts; it does not hide the habits.**
#
# The tight bound is 1 in every row and does not notice the noise at all. With ten places the sum in Eq. 5 exceeds 1, so the bound is empty whatever $I$ is. A [better bound under noise](fano-noise) is in the next chapter.
#
# ```{note}
# The last column is the exact $\varepsilon$ of differential privacy for one person's counts, with $\delta = 10^{-5}$. The paper uses the textbook's formula (Sec. 2.2.1), which is proven for $\varepsilon$ below 1 only. This $\varepsilon$ is about an attacker who knows everything except which of two given paths is true. That attacker knows far more than ours, and so $\varepsilon$ still exceeds 1 in the last row, where the counts no longer help MAP. [](guarantees.ipynb) shows what such a guarantee costs. Intervals of MAP are over runs.
# ```

# %% [markdown]
# ## What the paper found
#
# The paper finds that its bounds lie above every attack and that losses fall with the number of places and of required steps; both statements are *supported*. Two statements are *supported* on the paper's axis from 0 to 1, within a margin that we chose: that the tight bound almost matches the best attack when few errors are allowed, and that noise hardly changes the attack with a hundred places. On a logarithmic axis the former gap is nine powers of ten, and an attack that almost never succeeds has nothing to lose. The [replication page](replication/fano.ipynb) lists every statement with its verdict.
#
# ## Take-aways
#
# - What counts reveal depends on the person: on how often a sensor is where they are, and on how predictable they are.
# - Compare every attack with what habits reveal without a count. Noise removed what the counts had told MAP, and left it the maximum a priori guess.
# - If all paths can be enumerated, the best possible success is known: for each answer the best guess, then add up.
# - Fano's inequality holds for every attacker, and it may be far above the best one. For the simulated person's whole path the tight bound is nine powers of ten too high, and the loose bound ten.
# - Everything here assumes that people move independently. Friends are not covered.

# %% [markdown]
# ## Exercises
#
# ```{exercise} The slow and the fast (★, 10 minutes)
# :label: fano-slow
# Example 2 of the paper has two people who may be at any of five places. The first stays where they are with probability 0.96, and moves to each other place with equal probability. The second moves to each of the five places with probability 0.2. Both are seen at place 0 in the first step. In the second step a sensor at place 4 does not see them. How probable is the best guess of both steps, for each person? (The numbers and the sensor are ours. The paper has "close to 1", and a sensor outside the five places.)
# ```

# %% [markdown]
# ````{solution-start} fano-slow
# :class: dropdown
# ````

# %%
for stay in (0.96, 0.2):
    onward = np.full(5, (1 - stay) / 4)
    onward[0] = stay
    print(f"stays with {stay}: {onward[:4].max() / onward[:4].sum():.3f}")

# %% [markdown]
# *Learned:* one sighting reveals the slow person's next step and almost nothing about the fast one's. Differential privacy gives both the same number.
#
# ````{solution-end}
# ````
#
# ```{exercise} Where would you put the sensor? (★, 10 minutes)
# :label: fano-worst
# Take Ada's mobility model, `fano.diary_chain(six, "Ada")`, and ignore Ben. A sensor stands at one of the four places in each of four hours. Which sequences of sensors help the best attacker most, and which least, if the whole path must be right? `rec.exact_loss(chain, sensors, 0)` is the success of MAP. Predict the answer before you compute it.
# ```

# %% [markdown]
# ````{solution-start} fano-worst
# :class: dropdown
# ````

# %%
ada = fano.diary_chain(six, "Ada")
sequences = np.indices((4,) * 4).reshape(4, -1).T
losses = np.array([rec.exact_loss(ada, row, 0) for row in sequences])
for label, value in (("most", losses.max()), ("least", losses.min())):
    alike = sequences[np.isclose(losses, value)]
    print(
        f"{label}: {value:.3f}, by {len(alike)}, first {[places[x] for x in alike[0]]}"
    )

# %% [markdown]
# *Learned:* a sensor in the park, where Ada never is, reveals nothing, and the maximum a priori guess is all that is left. Eight sequences reveal everything; four hours at home are one of them.
#
# ````{solution-end}
# ````
#
# ```{exercise} Prove Fano's inequality (★★, proof, 20 minutes)
# :label: fano-proof
# Let $E = 1$ if the guess $\hat X$ fails, and $E = 0$ otherwise. Expand $H(X, E \mid \hat X)$ in two ways to show that $H(X \mid \hat X) \le h(p_e) + p_e \log(n - 1)$. Where does $I$ enter?
# ```

# %% [markdown]
# ````{solution-start} fano-proof
# :class: dropdown
# ````
#
# First, $H(X, E \mid \hat X) = H(X \mid \hat X) + H(E \mid X, \hat X) = H(X \mid \hat X)$, because $X$ and $\hat X$ determine $E$. Second, it equals
# $H(E \mid \hat X) + H(X \mid E, \hat X) \le h(p_e) + p_e \log (n - 1)$: nothing is uncertain if the guess was right, and one of $n - 1$ values is left if it was wrong. Finally, the guess
# is a function of the counts $Y$, so $H(X \mid \hat X) \ge H(X \mid Y) = H(X) - I$.

# %% [markdown]
# *Learned:* the bound is loose where $E = 1$. It treats all wrong values as equally likely.
#
# ````{solution-end}
# ````
#
# ```{exercise} Prove the tight bound (★★, proof, 20 minutes)
# :label: fano-tight-proof
# Show that $-I \le h(p_s) + p_s \log Q$. Let $Q'$ be the success that the *same* guess would have if counts and path were independent. Use the fact that a function of two random variables never has a larger divergence than the variables themselves: $p_s \log \frac{p_s}{Q'} + p_e \log \frac{p_e}{1 - Q'} \le I$.
# ```

# %% [markdown]
# ````{solution-start} fano-tight-proof
# :class: dropdown
# ````
#
# Suppose counts and path were independent, with the same distributions as before. Whatever the counts make the attacker guess, the path would lie in the ball around that guess with probability at most $Q$. So $Q' \le Q$.
#
# "Within $s$ errors" is a function of path and counts. The divergence between its two distributions is therefore at most the divergence between the two joint distributions of path and counts, and that is $I$. Drop the term $p_e \log \frac{1}{1 - Q'} \ge 0$. What remains is $-I \le h(p_s) + p_s \log Q'$, and $\log Q' \le \log Q$.
#
# For Eq. 5: a path in the ball is right in some set of $T - l$ steps. Add up over these sets.

# %% [markdown]
# *Learned:* the bound compares the real world with one in which the counts reveal nothing. If $I = 0$, the inequality with the dropped term gives $p_s \le Q$, which is Eve's best success; the printed form does not.
#
# ````{solution-end}
# ````
#
# ```{exercise} Each count at most doubles the success (★★, proof, 15 minutes)
# :label: fano-doubling
# Show that no attacker who sees $n$ exact counts succeeds with probability above $2^n Q$, where $Q$ is the best success without counts. Check this on the two places of the first section, with one count, and on Dan, with four.
# ```

# %% [markdown]
# ````{solution-start} fano-doubling
# :class: dropdown
# ````
#
# Let $y$ be one of the $2^n$ sequences of bits, and $\hat x_y$ the guess after it. Then $\Pr[y \text{ and } d \le s] \le \Pr[d(X, \hat x_y) \le s] \le Q$. Add up over all $y$.

# %%
two = start[:, None] * move
print(f"two places: {two.max(axis=1).sum():.1f} <= 2 x {two.max():.1f}")
possible, top = len(np.unique(answers[probability > 0])), probability.max()
print(f"Dan: {best:.3f} <= {possible} x {top:.3f} = {possible * top:.3f}")

# %% [markdown]
# *Learned:* counting the possible answers already gives a bound. It is exact if each answer leaves a path that is as probable as any other. For Dan it says nothing, although only 8 of his 16 answers are possible.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write MAP under noise (★★, 25 minutes)
# :label: fano-write
# Change the chapter's code for MAP so that it accepts noisy counts: `log_likelihood[t]` becomes the logarithm of a normal density, centred at 1 at the sensor and at 0 elsewhere. Draw paths of Dan with `dan.sample(200, 4, rng)`, add noise with $\sigma = 1$, and compare with the library's `rec.viterbi_trajectory(dan, sensors, noisy_counts, 1.0)`.
# ```

# %% [markdown]
# ````{solution-start} fano-write
# :class: dropdown
# ````

# %%
from scipy.stats import norm


def viterbi(chain, log_likelihood):
    score, remembered = chain.log_initial + log_likelihood[0], []
    for each in log_likelihood[1:]:
        reach = score[:, None] + chain.log_transition
        remembered.append(reach.argmax(axis=0))
        score = reach.max(axis=0) + each
    path = [score.argmax()]
    for before in reversed(remembered):
        path.insert(0, before[path[0]])
    return np.array(path)


rng, same = np.random.default_rng(seed), []
for true in dan.sample(200, 4, rng):
    noisy = (true == sensors) + rng.normal(size=4)
    density = norm.logpdf(noisy[:, None], np.arange(5) == STATION, 1.0)
    library = rec.viterbi_trajectory(dan, sensors, noisy, 1.0)
    pair = (viterbi(dan, density), library)
    same.append(np.isclose(*map(dan.log_probability, pair)))
print("as probable as the library's guess:", all(same))

# %% [markdown]
# *Learned:* noise changes the likelihoods and nothing else. (We compare the probabilities of the two paths and not the paths themselves, because there may be ties.)
#
# ````{solution-end}
# ````
#
# ```{exercise} How lucky is the lucky constant? (★★, 20 minutes)
# :label: fano-lucky
# A *constant* guess names the same place in every step. The paper simulates 1,000 paths, computes the success of each constant on them, and reports the largest. How much is this too high, for the simulated person, if one step must be right? You need `chain = rec.distance_chain(n_locations, tau)`, `chain.sample(1000, n_epochs, rng)`, and the exact value `rec.exact_loss(chain, np.zeros(n_epochs, int), n_epochs - 1, "constant")`.
# ```

# %% [markdown]
# ````{solution-start} fano-lucky
# :class: dropdown
# ````

# %%
from lib import metrics
from lib.randomness import stream

chain = rec.distance_chain(n_locations, tau)
exact = rec.exact_loss(chain, np.zeros(n_epochs, int), n_epochs - 1, "constant")
largest = []
for draw in range(30):
    ways = chain.sample(1000, n_epochs, stream(seed, "lucky", draw))
    largest.append(max((ways == x).any(axis=1).mean() for x in range(n_locations)))
low, high = metrics.mean_interval(largest)
print(
    f"exact {exact:.4f}; largest: mean {np.mean(largest):.4f} [{low:.4f}, {high:.4f}]"
)

# %% [markdown]
# *Learned:* the largest of many noisy numbers is biased upwards, like [BEST](kk-best) in Knock-Knock.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own fortnight (★★★, an evening)
# :label: fano-project
# Write your own diary for two weeks, one place an hour. Estimate your mobility model on the first week and put a sensor at your busiest place. Attack the second week day by day, with the maximum a priori guess and with MAP, and compute the loose bound. Which of your days breaks the model? *A good answer* names the baseline, says how many of the second week's transitions were never seen in the first, and shows one hour that the model calls impossible.
# ```

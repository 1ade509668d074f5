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
# {cite:t}`fanoloss` ask this question for sensors that count people. An attacker reads the counts and guesses the path of one person. We want a number that limits the success of every guess, whatever method produced it. Guessing a path from published counts is called **reconstruction**, and such a number is an *upper bound* on its success. The paper measures privacy loss by the success of reconstruction and derives its bounds from Fano's inequality. In this book we call this measure, together with its bounds, **Fano loss** for short.
#
# After this chapter you can
#
# - compute the most probable path, and separate what the counts reveal from what habits reveal;
# - derive Fano's inequality and turn it into a bound in a few lines of code;
# - check a bound against the best possible attack if all paths can be enumerated.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figure to remember:* {numref}`fig-fano-steps`. *Questions for a class:* Is a person safe if no sensor ever counts them? A bound of 1 is correct for every attacker. What is it worth? *Two common mistakes:* students think that the most probable path is always the best guess, and that the "tight" bound is always below the "loose" one.
#
# **In ninety minutes**
#
# | minutes | what |
# |---|---|
# | 10 | [two places](fano-two), on the board, and [what the attacker knows](fano-knows) |
# | 15 | [one count](fano-examples), up to the three quantities for two hours; {ref}`fano-slow` is homework |
# | 15 | [the most probable path](fano-six): fill in the table of $f$ together; on [the best possible attack](fano-truth) one sentence is enough, because it is the recipe of the first section |
# | 15 | [Fano's inequality](fano-inequality) |
# | 15 | [two bounds](fano-bounds), on the board: the two theorems, the simple form, the table of Dan and Eve |
# | 10 | [longer paths](fano-fig5): the figure and its table |
# | 10 | reserve, for questions |
#
# Set as reading at home: the divergence behind the tight bound; the criterion that says which bound is larger, with {ref}`fano-predict`; Eq. 5; the two hundred chains; and the section on [noise](fano-fig7). If time is short, take the [two bounds](fano-bounds) from the table without deriving them.
# ````

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
two_hours = start[:, None] * move
pd.DataFrame(
    two_hours, ["first at home", "first at office"], ["then home", "then office"]
)

# %% [markdown]
# An attacker must name the whole path. Without any count the best choice is a path with the largest probability. It is right with probability 0.4.
#
# Now a sensor at home counts people in the first hour. The attacker knows where everybody else is and subtracts them. What remains is one bit: was Dan at home? There are two possible answers. For each answer the attacker names the most probable path that agrees with it. If the answer is "at home", the most probable path stays at home in both hours; its probability is 0.4. If the answer is "not at home", the most probable path stays at the office, also with probability 0.4. The attacker is right in both cases, so the probabilities add up.

# %%
print("without a count:", two_hours.max())
print("with the first hour's count:", two_hours.max(axis=1).sum())

# %% [markdown]
# No attacker can do better than the second number. For each answer an attacker names *some* path, and none is more probable than the one that we took. Tossing a coin does not help: the success of a random choice is an average of the successes of fixed choices, so it is at most the largest of them. From now on, a guess is therefore a function of the counts. So there is a recipe for the best possible success: *for each answer, take the probability of the most probable path that agrees with it, and add up these probabilities.*
#
# For exact counts and an attacker who must name the whole path, this recipe solves the problem completely, as long as we can list all paths. With 100 places and 10 hours there are $10^{20}$ of them. So, after four sections on what a count reveals and how to guess well, we [look for bounds](fano-inequality) that need no list of paths.

# %% [markdown]
# (fano-knows)=
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
# A person's mobility model is a Markov chain: an initial probability $\pi(x)$ for each place, and a probability $P(x', x)$ that somebody who is at $x'$ in one time step is at $x$ in the next, whatever came before. We call such a step a *move*, even if the person stays where they are ($x = x'$). The chain is *stationary* if a move does not change the distribution over places: $\pi P = \pi$.
# ````
#
# ````{prf:definition} Privacy loss of a guess (Eq. 2 of the paper)
# :label: def-fano-loss
# The privacy loss of a guess $\hat X$ is its probability of success, $\Pr[d(X, \hat X) \le s]$. Here $d$ is the number of wrong steps, and $0 \le s < T$ is the number of wrong steps that are allowed. The probability is over the target's path and the noise. (In the literature on differential privacy, *privacy loss* has another meaning, a logarithm of a likelihood ratio. In this chapter it is always a probability of success.)
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
from scipy.special import binom, entr  # entr(x) is -x log x

plots.use_style()


def h(p):
    return entr(p) + entr(1 - p)


for p in (0.1, 0.5, 0.95):
    print(f"h({p}) = {h(p):.2f} nats")

# %% mystnb={"figure": {"name": "fig-fano-bit", "caption": "How much one exact count reveals about one person, against the probability p that the person is at the sensor. The marks are three people who are there rarely, half of the time and almost always. A count reveals most about somebody who may equally well be there or not. The closer p is to 0 or 1, the less it reveals."}, "image": {"alt": "The binary entropy h(p) against p, an arch from 0 over 0.69 at one half back to 0. Three points are marked: a person who is rarely at the sensor, p 0.1, one who is there half of the time, p 0.5, and one who is almost always there, p 0.95."}} tags=["hide-input"]
p = np.linspace(0, 1, 201)
who = {"half of the time": 0.5, "rarely there": 0.1, "almost always there": 0.95}
figures.show_bit(p, h(p), who)

# %% [markdown]
# This is Example 1 of the paper. Think of a count at a place in New York. It reveals much about a New Yorker who is there on half of the days, and next to nothing about a Parisian. Differential privacy ({prf:ref}`def-release`) gives both people the same $\varepsilon$, which is infinite for exact counts. The paper wants a measure that differs from person to person.
#
# ### From one bit to a path
#
# Entropy also measures how uncertain a whole path is. We need three quantities.
#
# ````{prf:definition} Entropy and mutual information
# :label: def-fano-information
# Let $Y$ be the published counts.
# - The *entropy* $H(X) = -\sum_x \Pr[x] \log \Pr[x]$ of the path measures how uncertain the attacker is before they see $Y$.
# - The *conditional entropy* $H(X \mid Y) = \sum_y \Pr[y]\, H(X \mid Y = y)$ measures how uncertain they are afterwards, on average.
# - The *mutual information* $I = H(X) - H(X \mid Y)$ is the uncertainty that the counts remove.
# ````
#
# Information is symmetric: it also equals $H(Y) - H(Y \mid X)$. Exact counts are determined by the path, because the attacker knows where everybody else is. So $H(Y \mid X) = 0$, and $I = H(Y)$: **the information is the entropy of the answers.** For the two places and the one count of the first section, we can compute all three quantities by hand:

# %%
H = entr(two_hours).sum()
I = entr(two_hours.sum(axis=1)).sum()
print(f"H(X) = {H:.2f}, I = {I:.2f}, H(X | Y) = {H - I:.2f} nats")

# %% [markdown]
# The count answers one question with two equally probable answers, so it removes $\log 2$ nats. What remains is the uncertainty about the second hour, $h(0.2)$.

# %% [markdown]
# (fano-six)=
# ## Which path is the most probable?
#
# To guess a longer path we first need a mobility model of Dan. The attacker estimates it from his diary of eight hours. A fifth place, *elsewhere*, stands for all hours in which he was at none of the four places. ([Where was Dan?](crowd.ipynb) calls it *null*.) We count his seven moves and divide by the row sums. The initial distribution $\pi$ is the stationary one, as in the paper; we find it as the distribution after very many moves.

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
f = [np.exp(score)]
for t in range(1, 4):
    reach = score[:, None] + dan.log_transition  # from row to column
    remembered.append(reach.argmax(axis=0))
    score = reach.max(axis=0) + log_likelihood[t]
    f.append(np.exp(score))
path = [score.argmax()]
for before in reversed(remembered):
    path.insert(0, before[path[0]])
print([places[x] for x in path])
f = pd.DataFrame(f, range(1, 5), places).rename_axis("f(t, x), hour t")
plots.show_table(f.round(4), "viterbi")

# %% mystnb={"figure": {"name": "fig-fano-trellis", "caption": "The table of f as a trellis, a column for each hour. An arrow comes from the place that the algorithm remembers. Dashed arrows are a tie. Grey places are excluded by a count, or no possible path leads to them. The algorithm takes the largest f of the last hour and follows the arrows back (thick). Of the two tied paths, rounding has picked this one."}, "image": {"alt": "Four columns of five places. In hour 2 only the station remains, with dashed arrows from the office and from elsewhere. From there arrows lead to home and elsewhere in hour 3, from home to the office and from elsewhere to the park in hour 4. The thick path is office, station, home, office."}} tags=["hide-input"]
figures.show_trellis(f, dan.transition, path)

# %% [markdown]
# Every number in the table can be checked by hand, and {numref}`fig-fano-trellis` shows where it comes from. In the second hour Dan was seen, so he was at the station. He may have come from the office, with probability $\tfrac17 \cdot 1$, or from *elsewhere*, with probability $\tfrac27 \cdot \tfrac12$. Both are $\tfrac17$, so there is a tie, and rounding decides which of the two paths is printed. In the third hour he is at home or *elsewhere*, each with half of $\tfrac17$. In the last hour the office has the larger value, because home always leads to the office. From *elsewhere* he goes to the park only half of the time. So the best path ends at the office.
#
# Without counts, all $\ell_t(x)$ are 1. The same algorithm then finds the most probable path of the mobility model alone. This is the **maximum a priori** guess (Prop. 2 of the paper). It is the baseline for MAP, because it shows what habits reveal before anything is published.
#
# How often does each guess name the whole path correctly? We compute this for three of the six people, with exact counts at the station in four hours.

# %%
three = fano.losses_by_user(six, ["Ada", "Dan", "Eve"], sensors)
shown = three[["H", "I", "prior", "MAP"]].rename(
    columns=figures.WORDS | {"H": "H(X), nats", "I": "I, nats"}
)
plots.show_table(shown.map("{:.3f}".format), "three-users")

# %% [markdown]
# The computation sums over all paths, so nothing here is sampled and there are no intervals. Compare the last two columns: their difference is what the counts add to the habits.
#
# - For Ada the counts raise the success from 0.286 to 0.857, a factor of three. (Here we ignore Ben, who always walks with her.)
# - For Dan they raise it by a factor of four.
# - For Eve the counts reveal nothing. In her diary Eve starts at the station and never comes back, so her model gives the station a probability of almost 0. Even so, knowing Eve's habits is enough to name the whole path correctly in one case out of five.
#
# [The next chapter](fano-unseen) asks how far such short diaries can be trusted.
#
# ```{note}
# Why *almost* 0? If we used Eve's moves alone, the stationary probability of the station would be exactly 0. If a diary never returns to a place, the library first mixes a share of $10^{-6}$ of the uniform distribution over the visited places into each row of $P$. It does the same if the chain is periodic. So every path of Eve's is possible, though most are extremely improbable.
# ```

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
wrong = (paths[:, None] != paths).sum(axis=2)  # guess x path
rows = []
for s in range(4):
    ball = wrong <= s
    row = {"best": (ball @ joint).max(axis=0).sum()}
    row["MAP"] = rec.exact_loss(dan, sensors, s, "viterbi")
    row["best without counts (Q)"] = (ball @ probability).max()
    row["maximum a priori"] = rec.exact_loss(dan, sensors, s, "prior")
    rows.append(row)
enumerated = pd.DataFrame(rows).rename_axis("s")
plots.show_table(enumerated.map("{:.3f}".format), "enumerated")

# %% [markdown]
# From $s = 2$ on, MAP is no longer the best guess, because it insists on the most probable *whole* path. The [next chapter](fano-modes) gives a better guess for this case, one that needs no enumeration.
#
# The same holds without counts. For one correct step out of four ($s = 3$) the maximum a priori guess succeeds with probability 0.429. The best guess without counts succeeds with probability 0.893. So we should compare like with like. The baseline for MAP is the maximum a priori guess, and the baseline for the best attack is $Q$.

# %% [markdown]
# (fano-inequality)=
# ## Fano's inequality: a bound without enumeration
#
# With more places and steps, we can no longer list all paths. Information theory offers another way. The idea is to ask how much uncertainty a *good guess* would leave.
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
# So $p_e \ge p_e^*$, the smallest $p_e$ that satisfies the inequality. Let $Q = \max_x \Pr[X = x]$ be the best success without counts (in the paper, $p^*$). The *advantage* over guessing without counts satisfies
#
# $$\mathrm{Adv} = \frac{\Pr[\hat X = X] - Q}{1 - Q} \le \frac{1 - p_e^* - Q}{1 - Q} .$$
# ````
#
# We now turn the theorem into a number for Dan. Under exact counts, $I$ is the entropy of the 16 answers ({prf:ref}`def-fano-information`). We subtract it from $H(X)$ to get the left side of the inequality. Then we search a grid for the smallest $p_e$ that satisfies the inequality. How large is $n$? The paper takes all $M^T = 625$ paths. Only 17 of them are possible under Dan's mobility model, so we try both values of $n$. The grid has steps of $10^{-5}$, so the printed bound may be too small by at most this much. The library solves the inequality without a grid.

# %%
p_e = np.linspace(0, 1, 100_001)


def largest_success(left, right):  # right: one value for each p_e
    return 1 - p_e[right >= left].min()


H = entr(probability).sum()
I = entr(np.bincount(answers, probability)).sum()
Q = probability.max()
print(f"left side: {H:.3f} - {I:.3f} = {H - I:.3f} nats")
print(f"best attack: p_e = {1 - best:.3f}, advantage {(best - Q) / (1 - Q):.3f}")
for n in ((probability > 0).sum(), 625):
    right = h(p_e) + p_e * np.log(n - 1)
    bound = largest_success(H - I, right)
    advantage = (bound - Q) / (1 - Q)
    print(
        f"Fano, n = {n}: p_e at least {1 - bound:.3f}, so success at most {bound:.3f},",
        f"advantage at most {advantage:.3f}",
    )

# %% mystnb={"figure": {"name": "fig-fano-sides", "caption": "Fano's inequality for Dan's path under four exact counts, with n = 625. The left side is what the counts leave uncertain, and the right side is the most that a guess with failure rate p_e can leave uncertain. Failure rates to the left of the crossing at p_e* are impossible (shaded). The best attacker fails far more often than the inequality requires (dotted line)."}, "image": {"alt": "The right side of Fano's inequality rises from zero and bends; the left side is a level line that crosses it at a small probability of failure. To the left is shaded as impossible. A dotted line marks the best attacker's failure rate, far to the right."}} tags=["hide-input"]
right_of_625 = h(p_e) + p_e * np.log(625 - 1)
figures.show_both_sides(p_e, right_of_625, H - I, 1 - best)

# %% [markdown]
# The advantage is 0 for the best guess without counts and 1 for an attacker who is always right. Dan's best attacker is halfway between the two. Fano's inequality allows an advantage of 0.843 even with $n = 17$.
#
# The bound is correct, but it is far above the best attack. The derivation suggests two reasons. First, it treats a wrong guess as if the path could be any other of the $n$ paths. But the attacker has seen the counts, and the counts exclude most of the 17 possible paths. Second, the inequality knows only the *average* uncertainty, $H(X) - I$. It does not know that some answers leave more uncertainty than others.
#
# We can test both reasons. A good attacker names one of the paths that the answer leaves. So the inequality holds for each answer by itself, and $n$ is then the number of paths that this answer leaves. The right side is concave in $p_e$. So the inequality also holds on average, if $n$ is the largest of these numbers. The next cell does both: first with the average uncertainty, then for each answer by itself. It prints a line for each answer. The two successes in a line are multiplied by the probability of the answer, so they can be added up. The probabilities of the paths are those given the answer.

# %%
possible = probability > 0
left_over = pd.Series(possible).groupby(answers).sum()
left_over = left_over[left_over > 0]  # answer -> number of paths that it leaves
print("paths left by each possible answer:", left_over.tolist())
n_left = left_over.max()
on_average = largest_success(H - I, h(p_e) + p_e * np.log(n_left - 1))
print(f"average uncertainty, n = {n_left}: success at most {on_average:.3f}")

each = 0
for answer, number in left_over.items():
    with_answer = probability[possible & (answers == answer)]
    uncertainty = entr(with_answer / with_answer.sum()).sum() - 1e-9  # rounding
    right = h(p_e) + p_e * np.log(max(number - 1, 1))
    at_most = with_answer.sum() * largest_success(uncertainty, right)
    each += at_most
    shares = np.sort(with_answer / with_answer.sum())[::-1].round(2).tolist()
    print(f"at most {at_most:.3f}, best {with_answer.max():.3f};", end=" ")
    print(f"its paths have probabilities {shares}")
print(f"each answer by itself: success at most {each:.3f}; best attack {best:.3f}")

# %% [markdown]
# Any one of the eight answers leaves at most 4 paths, and three of them leave only one. With $n = 4$ the bound falls from 0.865 to 0.780. If we apply the inequality to each answer by itself, it falls to 0.602. So both reasons contribute to the gap.
#
# The gap that remains is small. For one answer, the inequality is exact if all paths other than the guess are equally probable. This is always so if an answer leaves only one or two paths, and these six answers have no gap. The rest of the gap comes from the two answers that leave four paths. The three paths other than the guess are not equally probable there.
#
# However, both improvements need a list of the answers and of the paths that each one leaves, and such a list is what we wanted to avoid.

# %% [markdown]
# (fano-bounds)=
# ## Two bounds for paths with a few wrong steps
#
# The paper extends Fano's inequality to guesses with up to $s$ wrong steps, in two ways. In both, "the guess is right" becomes "the path is in the ball around the guess".
#
# The **loose bound** follows the derivation of the last section. After a success, the path is one of the $N$ paths in the ball; after a failure, it is one of the $M^T - N$ paths outside. So the uncertainty that a guess leaves is at most $h(p_e) + (1 - p_e) \log N + p_e \log (M^T - N)$, which is the right side of the inequality in the theorem:
#
# ````{prf:theorem} Loose bound (Eq. 3)
# :label: thm-fano-loose
# Let $N = \sum_{l \le s} \binom{T}{l} (M-1)^l$ be the number of paths within $s$ errors of a guess, and let $p_e$ be the probability of more than $s$ wrong steps. Then
#
# $$H(X) - I \le h(p_e) + p_e \log \frac{M^T - N}{N} + \log N .$$
# ````
#
# The **tight bound** uses the mobility model instead. It needs only one number from the model: $Q$, the best success without counts. The argument compares two joint distributions of path and counts. In the first, the counts belong to the target. In the second, path and counts have the same *marginal distributions*. That is, the path alone and the counts alone are distributed as in the first. But the two are independent, so no guess succeeds with probability above $Q$.
#
# How different are these two distributions? We measure the difference by the **Kullback-Leibler divergence** $D(F \,\|\, G) = \sum_z F(z) \log \frac{F(z)}{G(z)}$. It is never negative, and it is 0 only if $F = G$. If $F$ is our first joint distribution and $G$ is the second, then $D(F \,\|\, G)$ is exactly the information $I$:
#
# $$D(F \,\|\, G) = \sum_{x, y} \Pr[x, y] \log \frac{\Pr[x, y]}{\Pr[x] \Pr[y]} = \sum_{x, y} \Pr[x, y] \log \frac{\Pr[x \mid y]}{\Pr[x]} = H(X) - H(X \mid Y) = I .$$
#
# The first sum does not change if we exchange $x$ and $y$. This is why information is symmetric. A guess that succeeds much more often under the first than under the second would tell the two apart, and a small divergence does not allow that ({ref}`fano-tight-proof` proves it).
#
# ````{prf:theorem} Tight bound (Sec. 3.3.2 of the paper, after Han and Verdú)
# :label: thm-fano-tight
# Let $p_s = 1 - p_e$ be the probability of at most $s$ wrong steps. Let $Q$ be the largest probability of a ball, that is, of all paths within $s$ errors of one path. Then
#
# $$-I \le h(p_s) + p_s \log Q ,$$
#
# and the bound is the largest $p_s$ that satisfies this.
# ````
#
# How large is this bound? Replace $h(p_s)$ by its largest value, $\log 2$, and solve for $p_s$:
#
# $$p_s \le \frac{I + \log 2}{\log (1/Q)} .$$
#
# This **simple form** is weaker than the tight bound. For Eve the two differ only a little, as the table below shows: 0.431 instead of 0.423. The simple form shows what matters: the information of the counts, divided by the uncertainty that an attacker without counts must overcome. Two consequences are worth remembering. First, the tight bound is 1 exactly when $I \ge \log(1/Q)$, because then $p_s = 1$ satisfies the inequality. Second, as long as the counts reveal something, the bound falls slowly. $Q$ falls exponentially with the number of steps that must be right, but only its logarithm is in the denominator. If $I$ stays the same and is positive, the bound falls roughly like $I / \log(1/Q)$, while the success of an attack falls exponentially.
#
# The case $I = 0$ is different, because then the tight bound falls as fast as $Q$. If $p_s$ is small, $h(p_s)$ is close to $p_s \log(1/p_s) + p_s$. The inequality then says $\log(1/p_s) + 1 \ge \log(1/Q)$, that is, $p_s \le e \cdot Q$, where $e$ is Euler's number. So for small $Q$ the tight bound is too high by a factor of about $e$, even if the counts reveal nothing. The simple form hides this behind its term $\log 2$.
#
# We compute the loose and the tight bound by a search on a grid, as before. We apply them to two people and require the whole path ($s = 0$, so $N = 1$).


# %%
def fano_bounds(chain):
    probability = np.exp(chain.log_probability(paths))
    H = entr(probability).sum()
    I = entr(np.bincount(answers, probability)).sum()
    Q = probability.max()
    loose = largest_success(H - I, h(p_e) + p_e * np.log(625 - 1))
    tight = largest_success(-I, h(p_e) + (1 - p_e) * np.log(Q))
    needed = -np.log(Q)
    short = {
        "I": I,
        "log(1/Q)": needed,
        "(I + log 2) / log(1/Q)": (I + np.log(2)) / needed,
    }
    return short | {"loose bound": loose, "tight bound": tight}


eve = fano.diary_chain(six, "Eve")
by_hand = pd.DataFrame({"Dan": fano_bounds(dan), "Eve": fano_bounds(eve)}).T
by_hand["best"] = [rec.best_loss(chain, sensors, 0) for chain in (dan, eve)]
shown = by_hand.map("{:.3f}".format).rename_axis("user (s = 0)")
plots.show_table(shown, "two-bounds")

# %% [markdown]
# It depends on the person which of the two bounds is smaller. The counts reveal much about Dan: $I$ is larger than $\log(1/Q)$, and his tight bound is 1. This says nothing, because every probability is at most 1. Such a bound is called **vacuous**. The counts reveal nothing about Eve, and her tight bound is 0.423, well below her loose one. But even here it is not 0.2, the value of $Q$ for Eve, although an attacker who learns nothing can do no better. It is about twice as large. The reason is that the paper drops a term when it derives the inequality. [An exercise](fano-tight-proof) shows which term, and what it is worth.
#
# ### Why can the "tight" bound be the larger one?
#
# For $s = 0$, with $n = M^T$ paths, we can write both inequalities with the same right side:
#
# $$\begin{aligned} \text{loose:} \quad & H(X) - p_e \log(n - 1) \le h(p_e) + I , \\ \text{tight:} \quad & p_s \log(1/Q) \le h(p_e) + I . \end{aligned}$$
#
# The inequality with the larger left side is the stricter one. So at a given $p_s = 1 - p_e$ the tight inequality is the weaker one exactly if the following **criterion** holds:
#
# $$H(X) > p_s \log(1/Q) + p_e \log(n - 1) .$$
#
# - *If success is almost certain,* the right side of the criterion is close to $\log(1/Q)$. The entropy is never below that: it is the mean of $\log(1/\Pr[x])$, and no path has a larger probability than $Q$. So near $p_s = 1$ the tight inequality is the weaker one, unless all possible paths are equally probable.
# - *If success is rare,* the right side of the criterion is close to $\log(n - 1)$. The entropy is usually well below that, because most of the $n$ paths are impossible or improbable. So for small $p_s$ the tight inequality is the stricter one.
#
# To decide which bound is larger, we put the loose bound for $p_s$ and compare the two sides of the criterion. If $H(X)$ is the larger side at the loose bound, the tight inequality still allows this value of $p_s$, so the tight bound is at least as large as the loose one. If $H(X)$ is the smaller side, the tight inequality excludes this value of $p_s$. It then excludes every larger value, too: $h(p_s) + p_s \log Q$ is concave and is 0 at $p_s = 0$, so the allowed values form an interval that starts at 0. So the tight bound is the smaller one. {ref}`fano-predict` is an example by hand.

# %%
p_s = by_hand["loose bound"]
sides = pd.DataFrame(
    {
        "H(X)": [chain.entropy(4) for chain in (dan, eve)],
        "p_s log(1/Q) + p_e log(n - 1)": p_s * by_hand["log(1/Q)"]
        + (1 - p_s) * np.log(625 - 1),
        "loose bound": p_s,
        "tight bound": by_hand["tight bound"],
    }
)
shown = sides.map("{:.3f}".format).rename_axis("user (s = 0)")
plots.show_table(shown, "sides")

# %% [markdown]
# For Dan, $H(X)$ exceeds the right side of the criterion, so his tight bound is the larger one. For Eve it is the other way round.
#
# ### The bounds without a list of paths
#
# For longer paths we need $H(X)$, $I$ and $Q$ without listing all paths. The entropy of a Markov chain is a sum over its steps. The library bounds the information of exact counts by $H(B_1) + \sum_{t \ge 2} H(B_t \mid B_{t-1})$, where $B_t$ is the bit of step $t$. This is an upper bound because conditioning on fewer past bits cannot decrease an entropy. We write $\bar I$ for such an upper bound on $I$; in the tables it is called *bound on I*. With $\bar I$ in place of $I$, the loose and the tight bound remain valid, and they can only become larger.
#
# The paper uses an upper bound for $Q$ as well. A guess with at most $s$ wrong steps is right in at least $T - s$ steps. Fix $m$ steps and a place for each. The path visits these places in these steps with some probability; let $q_m$ be the largest such probability over all choices of steps and places. There are $\binom{T}{l}$ ways to choose the $T - l$ right steps. For each choice, the guess is right in all of these steps with probability at most $q_{T-l}$. We add up these probabilities:
#
# $$Q \le \sum_{l \le s} \binom{T}{l}\, q_{T-l} \qquad \text{(Eq. 5 of the paper)} .$$
#
# How good is this bound? For Dan we can compute both sides:

# %% tags=["hide-input"]
from itertools import combinations

q = {}
for m in (4, 3, 2, 1):
    chosen = [paths[:, steps] for steps in map(list, combinations(range(4), m))]
    q[m] = max(pd.Series(probability).groupby([*x.T]).sum().max() for x in chosen)
print("q:", {m: round(float(value), 3) for m, value in q.items()})
for s in range(4):
    Q = ((wrong <= s) @ probability).max()
    eq_5 = sum(binom(4, l) * q[4 - l] for l in range(s + 1))
    print(f"s = {s}: Q = {Q:.3f}, right side of Eq. 5 = {eq_5:.3f}")

# %% [markdown]
# For $s = 0$ both sides are equal. For $s = 2$ the right side is 2.000, although a probability is never above 1. The sum is too large for two reasons. It counts a path several times: a path that agrees with the guess in all four steps also agrees with it in every pair of steps. And each $q_m$ takes the best set of steps and places, whereas a real guess names one place for each step. The more errors are allowed, the more the sum exceeds $Q$. Part of this excess can be avoided. Every successful guess is right in *at least* $T - s$ steps, so the last term alone, $\binom{T}{s}\, q_{T-s}$, is a bound, too, and a smaller one. We keep the sum, because it is the paper's bound. For long paths the library computes the $q_m$ by a recursion like Viterbi's (Theorem 1 of the paper; `ball_terms`).
#
# ### Are the bounds ever wrong?
#
# We test them on two hundred random chains of up to five places and five steps, with random sensors and random $s$. For all of them, the best attack can be found by enumeration. The table shows each bound minus the best possible success, for the chains on which the best success is below 0.9.

# %%
cases = fano.enumerated_chains(["analytic"], seed=seed)
hard = cases[cases["best"] < 0.9]
lines = ["loose", "tight", "MAP"]
too_low = (cases[["loose", "tight"]].min(axis=1) < cases["best"] - 1e-9).sum()
print(f"bound below the best success: {too_low} of {len(cases)} chains")
print(f"best success below 0.9: {len(hard)} chains")
least = cases.loc[cases["best"] < 0.35, ["loose", "tight"]].min()
print(f"best success below 0.35: loose bound at least {least['loose']:.2f},", end=" ")
print(f"tight bound at least {least['tight']:.2f}")
plots.show_table(figures.case_table(hard, lines), "truth")

# %% mystnb={"figure": {"name": "fig-fano-truth", "caption": "Each point is one of two hundred random chains; crosses are chains on which the whole path must be right. Bounds lie on or above the diagonal, and MAP lies on or below it, as they must. Where the best success is below 0.35, both bounds are still above one half."}, "image": {"alt": "Three scatter plots against the best possible success, with crosses for no wrong step and circles for one or more: the loose and the tight bound lie on or above the diagonal, MAP on or below it. The bounds of most circles are 1."}} tags=["hide-input"]
figures.show_cases(cases, lines)

# %% [markdown]
# No bound is below the best success, and MAP is never above it. How do the two bounds compare? And is Eq. 5 to blame where the tight bound is the larger one? We compute it a second time with the exact $Q$, which can be enumerated here.

# %%
loose, I_bar = cases["loose"], cases["I"]  # the library's bound on I
compared = pd.DataFrame(
    {
        "chains": 1,
        "loose bound is 1": loose > 1 - 1e-9,
        "tight above loose": cases["tight"] > loose + 1e-9,
        "tight below loose": cases["tight"] < loose - 1e-9,
        "tight above loose, exact Q": cases["tight, exact Q"] > loose + 1e-9,
        "bound on I at least log(1/Q)": I_bar >= -np.log(cases["Q"]) - 1e-9,
    }
)
plots.show_table(compared.groupby(cases["s"]).sum(), "compared")

# %% [markdown]
# On these small chains the "tight" bound is never below the loose one. Eq. 5 is not the reason: with the exact $Q$ the tight bound is above the loose one on just as many chains.
#
# On most chains of every row the tight bound is 1, because $\bar I \ge \log(1/Q)$, even with the exact $Q$. Such short paths among few places are easy to guess without counts. Then $Q$ is large and $\log(1/Q)$ is small, and the information of a few counts already exceeds $\log(1/Q)$. From $s = 2$ on, the loose bound is 1 on every chain, too. The reason is that $\log N$ is at least $H(X) - \bar I$ on all of these chains, as the next cell confirms. So $p_e = 0$ satisfies the loose inequality. The ball is so large that naming it may leave at least as much uncertainty as the counts do.
#
# For $s = 0$ we can apply the criterion of this section. If the loose bound is 1, then $\bar I \ge H(X) \ge \log(1/Q)$, so the tight bound is 1 as well. On the chains whose loose bound is below 1, we compare the two sides of the criterion at the loose bound:

# %%
whole = cases[(cases["s"] == 0) & (loose < 1 - 1e-9)]
entropy = figures.path_entropies(whole, seed)
n, p_s = whole["M"] ** whole["T"], whole["loose"]
right_side = p_s * np.log(1 / whole["Q"]) + (1 - p_s) * np.log(n - 1)
print(f"s = 0, loose bound below 1: {len(whole)} chains")
print(f"H(X) is the larger side: {(entropy > right_side).sum()} chains")
print(f"tight bound below 1 as well: {(whole['tight'] < 1 - 1e-9).sum()} chains")
print(f"least loose bound on these {len(whole)} chains: {p_s.min():.2f}")

large_ball = cases[cases["s"] >= 2]
log_N = [
    np.log(
        sum(
            binom(T, wrong_steps) * (M - 1) ** wrong_steps
            for wrong_steps in range(s + 1)
        )
    )
    for T, M, s in zip(large_ball["T"], large_ball["M"], large_ball["s"], strict=True)
]
uncertain = figures.path_entropies(large_ball, seed) - large_ball["I"]
print(
    f"s >= 2: log N at least H(X) - bound on I on {(log_N >= uncertain).sum()}", end=" "
)
print(f"of {len(large_ball)} chains")

# %% [markdown]
# On every one of the 55 chains with $s = 0$ and a loose bound below 1, $H(X)$ is the larger side, so the tight bound is above the loose one. That includes the 28 chains on which the tight bound is below 1. The loose bound is at least 0.53 on these chains, and at a high $p_s$ the tight inequality is the weaker one. In the next section success is rare, and the tight bound is the smaller one.

# %% [markdown]
# (fano-fig5)=
# ## How far are the bounds from an attack on longer paths?
#
# The paper's **simulated person** walks on a line of 100 places for 10 steps. The probability of moving from $i$ to $j$ is proportional to $e^{-|j-i|/(\tau M)}$. In every step, one sensor is switched on at a place that is drawn uniformly at random.

# %%
line, place = rec.distance_chain(n_locations, tau), np.arange(n_locations)
distance = np.abs(place[:, None] - place)
length = (line.initial[:, None] * line.transition * distance).sum()
print(f"average length of a move: {length:.1f} places")

# %% [markdown]
# There are far too many paths to enumerate. Even so, the success of both guesses can be computed exactly. The maximum a priori guess is one fixed path, so it is enough to follow the chain and to count the right steps. For MAP it is possible because a *sighting* cuts the path in two. If Dan is seen in the second hour, what he did before says nothing about what he does afterwards, and the probabilities multiply:

# %%
seen = probability.reshape(5, 5, 25)[:, STATION]  # first hour x last two hours
before, after = seen.sum(axis=1), seen.sum(axis=0) / seen.sum()
print("a product:", np.allclose(seen, np.outer(before, after)))

# %% [markdown]
# So we can treat each stretch between two consecutive sightings separately. What MAP guesses inside a stretch depends only on the sightings at its two ends and on the sensors in between. A stretch is given by its first and its last step, so there are only about $T^2 / 2$ stretches. The library computes the distribution of the number of right steps in each of them, and combines these distributions along the path. Nothing is sampled except the sensors, of which we draw twenty sequences.
#
# We add a third bound, which needs no entropy. Ten exact counts have at most $2^{10}$ possible answers. For each answer, the attacker succeeds *and* sees this answer with probability at most $Q$. So nobody succeeds with probability above $2^{10}\, Q$. We call this the **counting bound**; {ref}`fano-doubling` proves it. For $Q$ we use the right side of Eq. 5.

# %%
person = {"n_epochs": n_epochs, "tau": tau, "n_sequences": n_sequences, "seed": seed}
steps = fano.sweeps(
    ["simulated"], n_locations=n_locations, map_sizes=[], times=[], **person
)
errors = np.arange(n_epochs)
eq_5_terms = np.exp(rec.ball_terms(line, n_epochs, n_epochs - 1))
eq_5_terms *= binom(n_epochs, errors)
# the right side of Eq. 5, by the number of right steps required
Q_bound = pd.Series(eq_5_terms.cumsum(), n_epochs - errors)
steps["counting"] = np.minimum(1, 2.0**n_epochs * steps["value"].map(Q_bound))
lines = ["prior", "MAP", "counting", "tight", "loose"]
plots.show_table(figures.swept_table(steps, lines, "right steps required"), "steps")

# %% mystnb={"figure": {"name": "fig-fano-steps", "caption": "Attacks and bounds for the simulated person against the number of right steps required, with 95% intervals over sequences of sensors, most of them smaller than the marks. The axis is logarithmic. The attacks fall steeply and the bounds slowly. If all steps must be right, the tight bound is nine powers of ten above MAP, and the loose bound is ten powers of ten above it. The counting bound (thin line) is 1 for few required steps, but then it follows the attack."}, "image": {"alt": "Logarithmic plot against the number of right steps required: the maximum a priori guess and MAP fall steeply, the tight and the loose bound fall slowly and end many orders of magnitude above. A thin line, the counting bound, is level at 1 up to four steps, then falls as steeply as MAP and ends less than three orders of magnitude above it."}} tags=["hide-input"]
lines = ["loose", "tight", "counting", "MAP", "prior"]
figures.show_swept(steps, lines, f"right steps required, of {n_epochs}")

# %% [markdown]
# ```{note}
# The maximum a priori guess is not the best guess without counts. If one right step is required, an attacker does better by naming one place throughout ([an exercise](fano-lucky)). The paper's $s = 5$ can be read in two ways. In the table above, the row for 5 required steps is for $d \le 5$, and the row for 6 required steps is for $d < 5$.
# ```
#
# Here the tight bound is below the loose one in every row, as the paper says. The map is large, and a random sensor seldom meets this person. So the counts reveal little, compared with what the attacker needs to know. The next table gives the bound on the information and $\log(1/Q)$, with $Q$ from Eq. 5. Next to them are the simple form, computed with $\bar I$, and the tight bound itself. For all ten steps we also compare the two sides of the criterion at the loose bound, with $\log n$ for $\log(n - 1)$:

# %%
sensors_drawn = fano.sample_sensors(seed, n_locations, n_epochs, n_sequences)
I_bar = rec.mutual_information(line, sensors_drawn).mean()
needed = pd.DataFrame({"bound on I": I_bar, "log(1/Q)": -np.log(Q_bound.sort_index())})
needed["(bound on I + log 2) / log(1/Q)"] = (I_bar + np.log(2)) / needed["log(1/Q)"]
needed["tight bound"] = [
    rec.tight_bound(line, sensors_drawn, n_epochs - k).mean() for k in needed.index
]
shown = needed.map("{:.3f}".format).rename_axis("right steps required")
shown["log(1/Q)"] = needed["log(1/Q)"].map("{:.1f}".format)
plots.show_table(shown, "needed")

p_s = rec.loose_bound(line, sensors_drawn, 0).mean()
H, log_n = line.entropy(n_epochs), n_epochs * np.log(n_locations)
log_Q = np.log(Q_bound[n_epochs])
right_side = p_s * -log_Q + (1 - p_s) * log_n
print(f"criterion: H(X) = {H:.1f}, right side = {right_side:.1f}")

# %% [markdown]
# The ten counts of a sequence reveal at most 0.554 nats on average, which is less than one bit. To name all ten steps, an attacker has to overcome 26.3 nats. The simple form exceeds the tight bound, as it must, but by less than a factor of two. If all ten steps must be right, the right side of the criterion, 42.5, exceeds $H(X)$. So the tight bound is the smaller one, as we expect if success is rare.
#
# ### Why are the bounds so far above the best attack?
#
# If all ten steps must be right, no guess is better than MAP, and MAP succeeds with probability $1.2 \cdot 10^{-11}$. The tight bound is nine powers of ten above MAP, and the loose bound is ten powers of ten above it. Since no attack can do better than MAP here, the gap is not a weakness of the attack. It comes from the bounds. To find out what keeps each bound high, we compute both a second time, as if the counts revealed nothing ($I = 0$):

# %%
success = np.logspace(-13, 0, 100_001)  # a grid that resolves small probabilities
for known in (I_bar, 0):
    loose_all = largest_success(H - known, h(p_e) + p_e * log_n)
    tight_all = success[h(success) + success * log_Q >= -known].max()
    print(f"I = {known:.3f}: loose bound {loose_all:.3f}, tight bound {tight_all:.1e}")
print(f"H(X) = {H:.1f}, log n = {log_n:.1f}, bound on I / H(X) = {I_bar / H:.3f}")

# %% [markdown]
# *The loose bound is high because of its term $\log(n - 1)$.* Without any information it would still be 0.170. The term treats a wrong guess as if all other paths were equally likely. A path drawn uniformly from all $n$ paths has an entropy of 46.1 nats, but this person's path has only 38.7. Fano's inequality can make up for this difference only by allowing many successes.
#
# *The tight bound is high because of the information.* Without any information it would fall to $1.0 \cdot 10^{-11}$, close to $e \cdot Q$. But $I$ is an average, and an average does not say how the information is spread over the answers. Imagine another release, which reveals the whole path with probability $\alpha$ and nothing otherwise. It carries $\alpha H(X)$ nats. With $\alpha = 0.014$ this is as much as our ten counts carry at most, and yet the attacker succeeds with probability at least 0.014. A bound that knows only $\bar I$ and the mobility model must hold for this release, too. So it cannot be below 0.014, and the tight bound of 0.026 is less than twice this value. A much better bound has to use more than the information.
#
# Counting answers is one way. From one required step to ten, $\log(1/Q)$ grows from 1.9 to 26.3, while the bound on $Q$ falls by more than ten powers of ten. The tight bound follows the logarithm, whereas the success of the attack falls like $Q$. The counting bound falls like the bound on $Q$, because its factor of $2^{10}$ is always the same. From six required steps on it is below the tight bound, and for ten it is less than three powers of ten above MAP. The next chapter derives the [moment bound](fano-gap), which begins to follow the attack much earlier. Like every bound in the table above, it is a mean over the twenty sequences of sensors. We divide it by the mean success of MAP:

# %%
of_steps = steps.groupby("value")[["moments", "MAP"]].mean()
times_MAP = (of_steps["moments"] / of_steps["MAP"]).to_frame("moment bound / MAP")
shown = times_MAP.map("{:.2f}".format).rename_axis("right steps required")
plots.show_table(shown, "moments")

# %% [markdown]
# From the first required step to the tenth, the moment bound is at most 2.02 times the success of MAP. For the whole path the two are equal.
#
# The order of the two bounds depends on the map. We allow five wrong steps of ten and take only 20 places:

# %%
small_map = rec.distance_chain(20, tau)
small_sensors = fano.sample_sensors(seed, 20, n_epochs, n_sequences)
for name, bound_of in (("loose", rec.loose_bound), ("tight", rec.tight_bound)):
    mean = bound_of(small_map, small_sensors, allowed_errors).mean()
    print(f"20 places, five errors allowed, {name} bound: {mean:.3f}")

# %% [markdown]
# Now the "tight" bound is above the loose one. In the online version you can change $M$, $T$ and $s$ here. The line *moment bound* belongs to the next chapter.
#
# ```{raw} html
# :file: static/fano.html
# ```

# %% [markdown]
# (fano-fig7)=
# ## What does noise take away?
#
# Now each count carries normal noise with standard deviation $\sigma$. The attacker can misread a bit. The algorithm for MAP does not change, but its likelihoods $\ell_t$ are now normal densities. Let $p_t = \Pr[X_t = c_t]$ be the probability that the target is at the sensor of step $t$. Eq. 4 of the paper bounds the information of such counts:
#
# $$I \le -\sum_{t=1}^{T} \Big[ p_t \log\big(p_t + (1 - p_t)\, e^{-1/(2\sigma^2)}\big) + (1 - p_t) \log\big(1 - p_t + p_t\, e^{-1/(2\sigma^2)}\big) \Big] .$$
#
# The right side is again a bound $\bar I$. It treats every count on its own. The number $1/(2\sigma^2)$ is the Kullback-Leibler divergence between the two distributions of a noisy count, with and without the target. (They have densities, so an integral replaces the sum.) Two limits can be checked by hand. If $\sigma$ is very small, $e^{-1/(2\sigma^2)}$ is almost 0, and each term of the sum is $h(p_t)$, the entropy of an exact bit. If $\sigma$ is very large, $e^{-1/(2\sigma^2)}$ is almost 1. Then both logarithms are almost 0, and the counts reveal nothing.
#
# We use a line of ten places, because MAP succeeds often enough there for noise to matter. MAP attacks the *same* simulated paths in every row, and the noise is the same draw multiplied by $\sigma$. So the column *taken by noise* is a paired difference. Five of the ten steps may be wrong. The row *raw* is for exact counts, and the last row gives the success of the maximum a priori guess. The last column is the $\varepsilon$ of differential privacy. The unit of privacy is one person's whole path, so this $\varepsilon$ is for all ten counts together. Gaussian noise needs a second parameter, the small allowance $\delta$ of {prf:ref}`def-kkd-dp`. We set $\delta = 10^{-5}$.

# %%
of_ten = person | {"n_locations": noise_places, "allowed_errors": allowed_errors}
runs = fano.noisy_runs(noise_stds, n_runs=n_runs, **of_ten)
bounds = fano.noise_bounds(noise_stds, **of_ten)
ten = rec.distance_chain(noise_places, tau)
sensors_drawn = fano.sample_sensors(seed, noise_places, n_epochs, n_sequences)
information = {  # the bound on I, a value for each sequence of sensors
    sigma: rec.mutual_information(ten, sensors_drawn, sigma or None)
    for sigma in bounds.index
}
bounds["bound on I"] = [values.mean() for values in information.values()]
plots.show_table(figures.noise_table(runs, bounds), "noise")

# %% [markdown]
# Noise with $\sigma = 0.1$ takes nothing away from MAP, because the bits can still be read off. With $\sigma = 3$ and $\sigma = 10$, MAP has fallen to the success of the maximum a priori guess, and it falls no further. **Noise hides the counts; it does not hide the habits.**
#
# ### Why is the tight bound 1 in every row?
#
# The tight bound does not notice the noise at all. It is 1 wherever $\bar I \ge \log(1/Q)$. There can be three reasons for this: the counts may really reveal that much, $\bar I$ may be far above the true information, or the value that we use for $Q$ may be too large. Eq. 5 replaces $Q$ by a sum, and for Dan this sum was above 1 as soon as two errors were allowed. For the simulated person, with five errors allowed, we compute the sum. We also compute what the tight bound could be with the exact $Q$. We do not know $Q$, but we know two limits. $Q$ is at least the success of the maximum a priori guess, and the next chapter has [an upper bound](fano-gap) that is much smaller than Eq. 5. All columns are means over the twenty sequences of sensors, except for the last one. It counts the sequences on which $\bar I \ge \log(1/Q)$ even for the least possible $Q$. On these sequences the tight bound is 1 whichever $Q$ we use.

# %%
choices = binom(n_epochs, np.arange(allowed_errors + 1))
terms = rec.ball_terms(ten, n_epochs, allowed_errors)
print(f"right side of Eq. 5: {choices @ np.exp(terms):.1f}")

least_Q = bounds["prior"].iloc[0]
most_Q = rec.moment_ball(ten, n_epochs, allowed_errors)
with_exact = bounds[["bound on I"]].copy()
for name, Q in (("least", least_Q), ("largest", most_Q)):
    print(f"{name} possible Q = {Q:.3f}, log(1/Q) = {-np.log(Q):.2f}")
    right = h(p_e) + (1 - p_e) * np.log(Q)
    with_exact[f"tight bound, {name} Q"] = [
        np.mean([largest_success(-I_bar, right) for I_bar in values])
        for values in information.values()
    ]
shown = figures.with_raw(with_exact.map("{:.2f}".format))
shown["bound on I ≥ log(1/Q), least Q"] = [
    (values >= -np.log(least_Q)).sum() for values in information.values()
]
plots.show_table(shown, "noise-exact-q")

# %% [markdown]
# - *With little noise, the counts alone make the bound vacuous.* Up to $\sigma = 0.3$, $\bar I$ is above $\log(1/Q)$ for every possible $Q$ on at least 19 of the twenty sequences. The means of the tight bound are 1.00 whichever $Q$ we use.
# - *From $\sigma = 1$ on, it is Eq. 5 that makes the bound vacuous.* Its right side is 5.7. A probability is never above 1, so Eq. 5 says nothing about $Q$. So we have to use $Q = 1$, and then the tight inequality holds for every $p_s$, whatever $I$ is. With the exact $Q$, the tight bound would lie between the two values in the table. It would be below 1, and it would fall as the noise grows.
#
# One more thing is odd in this table. At $\sigma = 0.1$ and $0.3$ the bound on $I$ is 3.24 and 3.20. Both are *above* the 3.12 of the exact counts, although noise cannot add information. They are larger because Eq. 4 treats every count on its own, whereas the bound for exact counts uses what each count says about the next. The paper observes the consequence on real data: for some $\sigma$, its bounds are higher than those without noise (Sec. 4.2.3).
#
# A [better bound under noise](fano-noise) is in the next chapter.
#
# ```{note}
# The $\varepsilon$ in the last column is exact. The paper uses the standard formula for Gaussian noise (Sec. 2.2.1), which has been proved only for $\varepsilon$ below 1. This $\varepsilon$ limits an attacker who knows everything except which of two given paths is the true one. That attacker knows far more than ours, and so $\varepsilon$ still exceeds 1 at $\sigma = 10$, where the counts no longer help MAP. [](guarantees.ipynb) shows what such a guarantee costs. The runs are spread evenly over the twenty sequences of sensors, and the intervals of MAP's success are over runs. The last row is computed exactly, and so it has no interval.
# ```

# %% [markdown]
# ## What the paper found
#
# The [replication page](replication/fano.ipynb) lists every statement of the paper with its verdict and the numbers behind it. The most important ones are these:
#
# - The bounds lie above every attack. This is *<a href="replication/fano.html#claim-fano-bounds-above-estimators">supported</a>*.
# - The success of attacks and the bounds fall with the number of steps that must be right. This is *<a href="replication/fano.html#claim-fano-fig5-steps-decreasing">supported</a>*; {numref}`fig-fano-steps` shows it.
# - The success of attacks and the bounds also fall as the number of places grows. This is *<a href="replication/fano.html#claim-fano-fig5-m-decreasing">supported</a>*. The table is in [the replication](fano-replicated-fig5); this chapter has only one size of the map.
# - The paper says that the tight bound almost matches the best attack when few errors are allowed. We test this for no error at all. It is *<a href="replication/fano.html#claim-fano-fig5-tight-at-small-s">supported</a>* only in a weak sense: on the paper's axis, which runs from 0 to 1, a difference of up to 0.05 counts as a match by our rule. If the whole path must be right, the bound and the attack differ by nine powers of ten.
# - The paper says that with a hundred places noise hardly changes the attack. This claim is *<a href="replication/fano.html#claim-fano-fig7-map-flat">supported</a>* by the same rule, under which a difference of up to 0.05 counts as a match. The attack almost never succeeds without noise, so noise has almost nothing to take away. The table is in [the replication](fano-replicated-fig7).
#
# ## Take-aways
#
# - How much the counts reveal depends on the person: on how often a sensor is where they are, and on how predictable they are.
# - Compare every attack with what habits reveal without a count. Under strong noise, MAP was no better than the maximum a priori guess, which uses habits alone.
# - If all paths can be enumerated, the best possible success is known: take the best guess for each answer, and add up its probabilities of success.
# - A bound from Fano's inequality holds for every attacker, but it may be far above the success of the best one. For the simulated person's whole path, the tight bound is too high by nine powers of ten, and the loose bound by ten.
# - Everything here assumes that people move independently. Friends are not covered.

# %% [markdown]
# ## Exercises
#
# ```{exercise} The slow and the fast (★, 5 minutes)
# :label: fano-slow
# Example 2 of the paper has two people who may be at any of five places. The first stays where they are with probability 0.96, and moves to each other place with equal probability. The second moves to each of the five places with probability 0.2. Both are seen at place 0 in the first step. In the second step a sensor at place 4 does not see them. How probable is the best guess of both steps, for each person? (We chose the numbers and the sensor. The paper says only "close to 1", and its sensor is outside the five places.)
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
# *Learned:* after one sighting, the slow person's next step is almost certain, but nothing is known about the fast person's. The rise from 0.2 to 0.25 for the fast person is due to the second sensor. Differential privacy gives both people the same $\varepsilon$.
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
# *Learned:* a sensor in the park, where Ada never is, reveals nothing, and the maximum a priori guess is all that is left. Eight sequences reveal everything; four hours at home are one of them. Ada has nine possible paths, and the bits at home distinguish all of them: whenever she leaves home, she passes the station and the office and is back after three hours. Write down the nine paths and check this.
#
# ````{solution-end}
# ````
#
# ```{exercise} Predict which bound is larger (★★, 15 minutes)
# :label: fano-predict
# Take the two places and the one count of the first section, and require the whole path. There are $n = 4$ paths, $I = \log 2$ and $Q = 0.4$. Compute the loose bound with the chapter's `largest_success`. Then use the criterion to predict whether the tight bound is larger or smaller. Finally, compute the tight bound. How far are the two bounds above the best success, 0.8?
# ```

# %% [markdown]
# ````{solution-start} fano-predict
# :class: dropdown
# ````

# %%
four = two_hours.ravel()
H_four, I_four, Q_four = entr(four).sum(), np.log(2), four.max()
loose_four = largest_success(H_four - I_four, h(p_e) + p_e * np.log(4 - 1))
right_side = loose_four * np.log(1 / Q_four) + (1 - loose_four) * np.log(4 - 1)
print(f"loose bound {loose_four:.3f}")
print(f"criterion: H(X) = {H_four:.3f}, right side = {right_side:.3f}")
tight_four = largest_success(-I_four, h(p_e) + (1 - p_e) * np.log(Q_four))
print(f"tight bound {tight_four:.3f}, best success {two_hours.max(axis=1).sum():.1f}")

# %% [markdown]
# *Learned:* if we set $p_s$ to the loose bound, $H(X)$ exceeds the right side of the criterion. So the tight bound must be the larger one, and it is. Unlike Dan's tight bound, it is below 1 and not vacuous. Success is easy in this example, and at a high $p_s$ the tight inequality is the weaker one.
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
# depends on the path only through the counts $Y$, so $H(X \mid \hat X) \ge H(X \mid Y) = H(X) - I$.

# %% [markdown]
# *Learned:* the bound loses precision in the cases in which the guess fails. It treats all wrong values as equally likely.
#
# ````{solution-end}
# ````
#
# ```{exercise} Prove the tight bound (★★, proof, 20 minutes)
# :label: fano-tight-proof
# Show that $-I \le h(p_s) + p_s \log Q$. Let $Q'$ be the success that the *same* guess would have if counts and path were independent. Use the *data-processing inequality*: if we apply the same function to two pairs of random variables, the Kullback-Leibler divergence between the results is at most that between the pairs. Here it says that $p_s \log \frac{p_s}{Q'} + p_e \log \frac{p_e}{1 - Q'} \le I$. Which term have you dropped? What does the inequality say for $I = 0$ if you keep it?
# ```

# %% [markdown]
# ````{solution-start} fano-tight-proof
# :class: dropdown
# ````
#
# Suppose counts and path were independent, with the same marginal distributions as before. Whatever the counts make the attacker guess, the path would lie in the ball around that guess with probability at most $Q$. So $Q' \le Q$.
#
# Whether the guess is within $s$ errors depends only on the path and the counts. The divergence between its two distributions is therefore at most the divergence between the two joint distributions of path and counts. The text has shown that this divergence is $I$. Drop the term $p_e \log \frac{1}{1 - Q'} \ge 0$. This leaves $-I \le h(p_s) + p_s \log Q'$, and the claim follows because $\log Q' \le \log Q$.
#
# If we keep this term and $I = 0$, the divergence between the two distributions of success and failure is at most 0. So they are equal, and $p_s = Q' \le Q$.

# %% [markdown]
# *Learned:* the bound compares the real world with one in which the counts reveal nothing. If $I = 0$ and we keep the term that the paper drops, the inequality gives $p_s \le Q$. The best attack on Eve succeeds with probability exactly $Q$. Without that term, the inequality allows a higher success, up to about $e \cdot Q$ if $Q$ is small.
#
# ````{solution-end}
# ````
#
# ```{exercise} Each count at most doubles the success (★★, proof, 15 minutes)
# :label: fano-doubling
# Show that no attacker who sees $k$ exact counts succeeds with probability above $2^k Q$, where $Q$ is the best success without counts. Check this on the two places of the first section, with one count, and on Dan, with four.
# ```

# %% [markdown]
# ````{solution-start} fano-doubling
# :class: dropdown
# ````
#
# Let $y$ be one of the $2^k$ sequences of bits, and let $\hat x_y$ be the guess made after seeing it. Then $\Pr[y \text{ and } d \le s] \le \Pr[d(X, \hat x_y) \le s] \le Q$. Add up over all $y$. Only possible answers contribute, so $2^k$ may be replaced by their number. For Dan this number is 8.

# %%
print(f"two places: {two_hours.max(axis=1).sum():.1f} <= 2 x {two_hours.max():.1f}")
n_answers, Q_dan = len(np.unique(answers[probability > 0])), probability.max()
print(f"Dan: {best:.3f} <= {n_answers} x {Q_dan:.3f} = {n_answers * Q_dan:.3f}")
print(f"simulated person, all steps right: at most {2.0**n_epochs * eq_5_terms[0]:.1e}")

# %% [markdown]
# *Learned:* counting the possible answers already gives a bound. For the simulated person's whole path it is $3.8 \cdot 10^{-9}$, far below the tight bound. The bound with the number of possible answers is exact for $s = 0$ if, for each possible answer, some path that agrees with the answer is as probable as the most probable path of all. For Dan it says nothing, although only 8 of his 16 answers are possible.
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
    for of_step in log_likelihood[1:]:
        reach = score[:, None] + chain.log_transition
        remembered.append(reach.argmax(axis=0))
        score = reach.max(axis=0) + of_step
    path = [score.argmax()]
    for before in reversed(remembered):
        path.insert(0, before[path[0]])
    return np.array(path)


rng, same = np.random.default_rng(seed), []
for true in dan.sample(200, 4, rng):
    noisy = (true == sensors) + rng.normal(size=4)
    density = norm.logpdf(noisy[:, None], np.arange(5) == STATION, 1.0)
    scores = [
        dan.log_probability(guess) + density[np.arange(4), guess].sum()
        for guess in (
            viterbi(dan, density),
            rec.viterbi_trajectory(dan, sensors, noisy, 1.0),
        )
    ]
    same.append(np.isclose(*scores))
print(f"as probable as the library's guess: {sum(same)} of {len(same)}")

# %% [markdown]
# *Learned:* noise changes the likelihoods and nothing else. We compare not the two paths but their posterior probabilities, because there may be ties. Up to a common factor, the posterior probability of a path is its probability under the mobility model times its likelihood. The first factor alone would not check the program: two paths may be equally probable before the counts are seen, and not afterwards.
#
# ````{solution-end}
# ````
#
# ```{exercise} How lucky is the lucky constant? (★★, 20 minutes)
# :label: fano-lucky
# A *constant* guess names the same place in every step. The paper simulates 1,000 paths, computes the success of each constant on them, and reports the largest. By how much does this overstate the success of the best constant, for the simulated person, if one step must be right? You need `chain = rec.distance_chain(n_locations, tau)`, `chain.sample(1000, n_epochs, rng)`, and the exact value `rec.exact_loss(chain, np.zeros(n_epochs, int), n_epochs - 1, "constant")` (the sensors are ignored).
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
# *Learned:* the largest of many noisy numbers is biased upwards. The attack [BEST](kk-best) in the Knock-Knock chapter has the same bias.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own fortnight (★★★, an evening)
# :label: fano-project
# Write your own diary for two weeks, one place an hour. Estimate your mobility model on the first week and put a sensor at your busiest place. Attack the second week day by day, with the maximum a priori guess and with MAP, and compute the loose bound. Which of your days breaks the model? *A good answer* names the baseline, says how many of the second week's transitions were never seen in the first, and shows one hour that the model calls impossible.
# ```

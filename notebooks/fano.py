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
# An attack shows what one attacker can achieve. A better attack may be found tomorrow. Can we prove a limit that holds for *every* attacker?
#
# {cite:t}`fanoloss` ask this question about sensors that count people. An attacker reads the published counts and guesses the path of one person. This kind of attack is called **reconstruction**. We want an *upper bound* on its probability of success, that is, a number that this probability cannot exceed, whatever method produced the guess. The paper measures privacy loss by the probability that a reconstruction succeeds, and it derives its bounds on this probability from Fano's inequality. In this book, **Fano loss** is our short name for this measure and its bounds.
#
# After this chapter you can
#
# - compute the most probable path given the counts, and separate what the counts reveal from what habits already reveal;
# - derive Fano's inequality and turn it into a bound in a few lines of code;
# - check a bound against the best possible attack when all paths can be enumerated.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figure to remember:* {numref}`fig-fano-steps`. *Questions for a class:* Is a person safe if no sensor ever counts them? A bound of 1 is correct for every attacker. What does it tell us? *Two common mistakes:* students think that the most probable path is always the best guess, and that the "tight" bound is always below the "loose" one.
#
# **In ninety minutes**
#
# | minutes | what |
# |---|---|
# | 10 | [two places](fano-two), on the board, and [what the attacker knows](fano-knows) |
# | 15 | [one count](fano-examples), up to the entropy and the information for the two hours; {ref}`fano-slow` is homework |
# | 15 | [the most probable path](fano-six): fill in the table of $f$ together with the class; for [the best possible attack](fano-truth) one sentence is enough, because it uses the recipe of the first section |
# | 15 | [Fano's inequality](fano-inequality) |
# | 15 | [two bounds](fano-bounds), on the board: the two theorems, the simple form, and the table of Dan and Eve |
# | 10 | [longer paths](fano-fig5): the figure and the table before it |
# | 10 | questions |
#
# Students can read the following at home: the divergence behind the tight bound; the criterion for which bound is larger, with {ref}`fano-predict`; Eq. 5; the test on two hundred random chains; and the section on [noise](fano-fig7). If time is short, show the table in [two bounds](fano-bounds) without deriving the bounds.
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
# How often can an attacker be right, at best? We begin with an example that is small enough to solve by hand. Dan is either at home or at the office, and we watch him for two hours. In the first hour both places are equally likely. In the second hour he is at the same place as in the first with probability 0.8. This gives four possible paths, with the following probabilities:

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
# The attacker must name the whole path. Without any count, the best guess is one of the two most probable paths. It is right with probability 0.4.
#
# Now suppose that a sensor at Dan's home counts the people there in the first hour. The attacker knows where everybody else is and subtracts them from the count. What remains is one bit: was Dan at home? The value of this bit is the *answer* that the attacker gets, and two answers are possible. For each answer, the attacker names the most probable path that agrees with it. If the answer is "at home", that path stays at home in both hours, and its probability is 0.4. If the answer is "not at home", that path stays at the office, also with probability 0.4. The attacker is right whenever Dan takes one of these two paths, so we add their probabilities:

# %%
print("without a count:", two_hours.max())
print("with the first hour's count:", two_hours.max(axis=1).sum())

# %% [markdown]
# No attacker can do better than the second number, 0.8. For each answer, an attacker must name *some* path, and no path that agrees with the answer is more probable than the one that we took. Choosing the guess at random does not help: the success of a random guess is an average over fixed guesses, so it is at most the success of the best of them. From now on, we therefore consider only guesses that are determined by the counts. We now have a recipe for the best possible success: *for each answer, take the probability of the most probable path that agrees with it, and add up these probabilities.*
#
# If the counts are exact and the attacker must name the whole path, this recipe solves the problem completely, provided that we can list all paths. With 100 places and 10 hours there are $10^{20}$ paths, far too many to list. So we first study what a count reveals and how to guess well, and then [look for bounds](fano-inequality) that need no list of paths.

# %% [markdown]
# (fano-knows)=
# ## What does the attacker know?
#
# Before we can measure an attacker's success, we must state what the attacker wants, knows and sees. There are $M$ places and $T$ time steps. In each step $t$, one sensor is switched on, at place $c_t$. It publishes the number of people who are there, exactly or with noise.
#
# | | the attacker |
# |---|---|
# | wants | to name the target's path $X = (X_1, \dots, X_T)$ with at most $s$ wrong steps |
# | knows | where everybody else is, in every step |
# | knows | how the target usually moves, in the form of a Markov chain |
# | sees | the published counts |
#
# What the attacker knows about the target before seeing any count is a probability distribution over paths. The paper calls this distribution the prior. We call it the **mobility model**, because the paper also uses the word "prior" for a particular guess.
#
# ````{prf:definition} Mobility model
# :label: def-fano-chain
# A person's mobility model is a Markov chain. It consists of an initial probability $\pi(x)$ for each place $x$ and of transition probabilities $P(x', x)$: a person who is at $x'$ in one time step is at $x$ in the next with probability $P(x', x)$, wherever they were before. We call such a transition a *move*, even if the person stays where they are ($x = x'$). The chain is *stationary* if a move does not change the distribution over places: $\pi P = \pi$.
# ````
#
# ````{prf:definition} Privacy loss of a guess (Eq. 2 of the paper)
# :label: def-fano-loss
# The privacy loss of a guess $\hat X$ is its probability of success, $\Pr[d(X, \hat X) \le s]$, which we also call its *success* for short. Here $d(X, \hat X)$ is the number of steps in which the guess is wrong, and $s$, with $0 \le s < T$, is the number of wrong steps that we allow. The probability is taken over the target's path and the noise. (In the literature on differential privacy, *privacy loss* means something else, namely the logarithm of a likelihood ratio. In this chapter it always means a probability of success.)
# ````
#
# The paper makes three assumptions.
#
# - The target moves according to the mobility model, which is stationary.
# - Where the sensors stand does not depend on the counts. [The next chapter](fano-adaptive) drops this assumption.
# - **Different people move independently.**
#
# The third assumption is strong. Among the six people of our small example, Ada and Ben always walk together. An attacker who knows where Ben is also knows where Ada is, before anything is published. No bound in this chapter covers people who move together.
#
# ```{note}
# In one place, where it describes simulated data, the paper writes $d < s$ instead of $d \le s$. We use $d \le s$ everywhere.
# ```

# %% [markdown]
# (fano-examples)=
# ## What does one count reveal?
#
# [The first chapter](foundations.ipynb) showed a differencing attack: it subtracts everybody else from a count, so that only the target is left. For Dan at the station, this attack yields one bit for each of the eight hours of the data:

# %%
from lib.aggregation import aggregate
from lib.datasets import load

six = load("six-users")
STATION = list(six.rois.index).index("station")
count = aggregate(six, [range(6)])[0][STATION]
others = aggregate(six, [[0, 1, 2, 4, 5]])[0][STATION]
print(count, "-", others, "=", count - others)

# %% [markdown]
# How much does such a bit reveal? That depends on what the attacker expected. Let $p$ be the probability that the target is at the sensor. The **entropy** of the bit is
#
# $$h(p) = -p \log p - (1 - p) \log (1 - p) .$$
#
# The entropy measures how uncertain the attacker is about the bit before they see it. We use natural logarithms, so the unit of entropy is the *nat*. One bit, as a unit of entropy, is $\log 2 \approx 0.69$ nats.

# %%
from lib.papers import figures as plots
from lib.papers.fano_loss import figures
from scipy.special import binom, entr  # entr(x) is -x log x

plots.use_style()


def h(p):
    return entr(p) + entr(1 - p)


for p in (0.1, 0.5, 0.95):
    print(f"h({p}) = {h(p):.2f} nats")

# %% mystnb={"figure": {"name": "fig-fano-bit", "caption": "How much one exact count reveals about one person, depending on the probability p that this person is at the sensor. The marks are three people who are there rarely, half of the time and almost always. A count reveals most about a person who is there half of the time. The closer p is to 0 or 1, the less it reveals."}, "image": {"alt": "The binary entropy h(p) against p, an arch from 0 over 0.69 at one half back to 0. Three points are marked: a person who is rarely at the sensor, p 0.1, one who is there half of the time, p 0.5, and one who is almost always there, p 0.95."}} tags=["hide-input"]
p = np.linspace(0, 1, 201)
who = {"half of the time": 0.5, "rarely there": 0.1, "almost always there": 0.95}
figures.show_bit(p, h(p), who)

# %% [markdown]
# Example 1 of the paper illustrates how much this depends on the person. A count at a place in New York reveals much about a New Yorker who is there on half of the days, but next to nothing about a Parisian. Differential privacy ({prf:ref}`def-release`) gives both people the same $\varepsilon$, which is infinite for exact counts. The authors of the paper want a measure that differs from person to person.
#
# ### From one bit to a path
#
# Entropy also measures how uncertain an attacker is about a whole path. We need three quantities.
#
# ````{prf:definition} Entropy and mutual information
# :label: def-fano-information
# Let $Y$ be the published counts.
# - The *entropy* $H(X) = -\sum_x \Pr[x] \log \Pr[x]$ of the path measures how uncertain the attacker is before they see $Y$.
# - The *conditional entropy* $H(X \mid Y) = \sum_y \Pr[y]\, H(X \mid Y = y)$ measures how uncertain the attacker is, on average, after seeing $Y$.
# - The *mutual information* $I = H(X) - H(X \mid Y)$, or *information* for short, is the average uncertainty that the counts remove.
# ````
#
# Mutual information is symmetric in $X$ and $Y$: it also equals $H(Y) - H(Y \mid X)$. The target's path determines the exact counts, because the attacker knows where everybody else is. So $H(Y \mid X) = 0$ and $I = H(Y)$: **the information of exact counts is the entropy of the answers.** (If there are several counts, an answer is the whole sequence of bits.) For the two places and the one count of the first section, we can compute all three quantities by hand:

# %%
H = entr(two_hours).sum()
I = entr(two_hours.sum(axis=1)).sum()
print(f"H(X) = {H:.2f}, I = {I:.2f}, H(X | Y) = {H - I:.2f} nats")

# %% [markdown]
# The count has two equally probable answers, so it removes $\log 2$ nats of uncertainty. What remains is $h(0.2)$, the uncertainty about the second hour.

# %% [markdown]
# (fano-six)=
# ## Which path is the most probable?
#
# How can an attacker find the most probable path among many? We first need a mobility model for Dan. The attacker estimates it from Dan's diary, a record of where he was in each of eight hours. A fifth place, *elsewhere*, stands for all hours in which he was at none of the four places in the data. ([Where was Dan?](crowd.ipynb) calls it *null*.) We count Dan's seven moves and divide each row of the table of counts by its sum, which gives the transition probabilities. As in the paper, the initial distribution $\pi$ is the stationary distribution; we compute it as the distribution after very many moves.

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
# Now a sensor stands at the station for four more hours, and it sees Dan in the second hour only. Which path is the most probable? There are $5^4 = 625$ candidates, but we need not try them all. The most probable path that ends in $x$ must extend the most probable path that ends in some $x'$ one step earlier. So at each step it is enough to remember, for each place, the most probable path that ends there.
#
# ````{prf:algorithm} Viterbi algorithm (Prop. 1 and App. A of the paper)
# :label: alg-fano-map
# Let $\ell_t(x)$ be the likelihood of the count in step $t$ if the target is at $x$.
# 1. $f(1, x) = \ell_1(x)\, \pi(x)$;
# 2. for $t = 2, \dots, T$: $f(t, x) = \ell_t(x) \max_{x'} P(x', x) f(t-1, x')$, and remember the maximising $x'$;
# 3. $\hat X_T = \arg\max_x f(T, x)$; then follow the remembered places back.
# ````
#
# The result is the **maximum a posteriori** path, or **MAP** for short: the most probable path given the counts. We also use the name MAP for the attack that guesses this path. In the code we add logarithms instead of multiplying probabilities. An exact count either allows a place or forbids it, so the log-likelihood of a place is 0 or $-\infty$.

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

# %% mystnb={"figure": {"name": "fig-fano-trellis", "caption": "The table of f, drawn as a trellis with one column for each hour. Each arrow starts at the place that the algorithm remembers. The two dashed arrows belong to places that tie. Grey places are excluded by a count, or no possible path leads to them. The algorithm takes the largest f of the last hour and follows the arrows back along the thick path. A second path has the same probability; which of the two is found depends on rounding."}, "image": {"alt": "Four columns of five places. In hour 2 only the station remains, with dashed arrows from the office and from elsewhere. From there arrows lead to home and elsewhere in hour 3, from home to the office and from elsewhere to the park in hour 4. The thick path is office, station, home, office."}} tags=["hide-input"]
figures.show_trellis(f, dan.transition, path)

# %% [markdown]
# Every number in the table can be checked by hand, and {numref}`fig-fano-trellis` shows where each number comes from. The sensor saw Dan in the second hour, so he was at the station then. He may have come from the office, with probability $\tfrac17 \cdot 1$, or from *elsewhere*, with probability $\tfrac27 \cdot \tfrac12$. Both products are $\tfrac17$, so there is a tie. Rounding decides which of the two paths the program prints. From the station he goes either home or *elsewhere*, so in the third hour each of these places has half of $\tfrac17$. In the fourth hour, the office keeps this value, because home always leads to the office. The park gets only half of it, because Dan goes from *elsewhere* to the park only half of the time. The largest value of the last hour is therefore at the office, and the most probable path ends there.
#
# Without counts, all likelihoods $\ell_t(x)$ are 1. The same algorithm then finds the most probable path under the mobility model alone. This path is the **maximum a priori** guess (Prop. 2 of the paper). We use it as the baseline for MAP, because it shows what habits reveal before anything is published.
#
# How often does each of the two guesses name the whole path correctly? We compute the probabilities for three of the six people, with exact counts at the station in four hours.

# %%
three = fano.losses_by_user(six, ["Ada", "Dan", "Eve"], sensors)
shown = three[["H", "I", "prior", "MAP"]].rename(
    columns=figures.WORDS | {"H": "H(X), nats", "I": "I, nats"}
)
plots.show_table(shown.map("{:.3f}".format), "three-users")

# %% [markdown]
# These probabilities are exact, because the computation sums over all paths. So the table needs no confidence intervals. The difference between the last two columns is what the counts add to the attacker's knowledge of habits.
#
# - For Ada, the counts raise the success from 0.286 to 0.857, by a factor of three. (Here we ignore Ben, who always walks with her.)
# - For Dan, the counts raise the success by a factor of four.
# - For Eve, the counts reveal nothing. In her diary, Eve starts at the station and never comes back, so her mobility model gives the station a probability of almost 0. Even so, Eve's habits alone are enough to name the whole path correctly in one case out of five.
#
# [The next chapter](fano-unseen) asks how far such short diaries can be trusted.
#
# ```{note}
# Why is Eve's probability of being at the station *almost* 0? If we used only the moves in her diary, the stationary probability of the station would be exactly 0. If a diary never returns to a place, the library first mixes the uniform distribution over the visited places into the rows of $P$, with weight $10^{-6}$. It does the same if the chain is periodic. So every path among the places that Eve visited is possible, though most of these paths are extremely improbable.
# ```

# %% [markdown]
# (fano-truth)=
# ## What is the best possible attack?
#
# Is MAP the best possible attack? For Dan we can check this by enumeration: there are only 625 paths and 16 sequences of four bits. The recipe of the first section applies unchanged. For each sequence of bits, we take the probability of the most probable path that agrees with it, and we add up these probabilities.

# %%
paths = np.indices((5,) * 4).reshape(4, -1).T
probability = np.exp(dan.log_probability(paths))
answers = (paths == sensors) @ [8, 4, 2, 1]  # four bits as one number
best = pd.Series(probability).groupby(answers).max().sum()
print(f"{best:.3f}")

# %% [markdown]
# This number equals the success of MAP for Dan in the table above. If the whole path must be right ($s = 0$), no guess is better than MAP.
#
# What if up to $s$ steps may be wrong? Then a guess succeeds for every path that differs from it in at most $s$ steps. The set of these paths is called the **ball** around the guess. For each sequence of bits, the best guess is the centre of the most probable ball. If we ignore the bits, the same computation gives $Q$, the best possible success *without counts*.

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
# In this table, MAP is no longer the best guess from $s = 2$ on, because it maximises the probability that the *whole* path is right. The [next chapter](fano-modes) describes a better guess for this case, which needs no enumeration.
#
# Without counts, too, the most probable path need not be the best guess. If one correct step out of four is enough ($s = 3$), the maximum a priori guess succeeds with probability 0.429, whereas the best guess without counts succeeds with probability 0.893. We should therefore compare like with like: the baseline for MAP is the maximum a priori guess, and the baseline for the best attack is $Q$.

# %% [markdown]
# (fano-inequality)=
# ## Fano's inequality: a bound without enumeration
#
# With more places and steps, we can no longer list all paths. Can we still bound the success of the best attack? Information theory offers a way. The idea is to ask how much uncertainty about the path a *good guess* would leave.
#
# Suppose that there are $n$ possible paths and that a guess fails with probability $p_e$. Somebody tells us the guess, and also whether it is right. If it is right, no uncertainty about the path is left. If it is wrong, the path is one of the $n - 1$ others, and the uncertainty is at most $\log(n - 1)$. So the uncertainty about the path, given the guess, is at most $h(p_e) + p_e \log(n - 1)$. The first term is the uncertainty about whether the guess is right. The second term is the uncertainty that remains if it is wrong, multiplied by the probability of this case.
#
# On the other hand, the guess is made from the counts alone, so it cannot leave less uncertainty than the counts themselves do. The counts leave $H(X) - I$. Together, these two facts give the following inequality:
#
# ````{prf:theorem} Fano's inequality (Eq. 1 of the paper), and the advantage
# :label: thm-fano-advantage
# Let $X$ have $n$ possible values, and let the counts carry the information $I$ about it. Then for every guess
#
# $$H(X) - I \;\le\; h(p_e) + p_e \log (n - 1).$$
#
# So $p_e \ge p_e^*$, where $p_e^*$ is the smallest $p_e$ that satisfies the inequality. Let $Q = \max_x \Pr[X = x]$ be the best success without counts (the paper writes $p^*$). The *advantage* over guessing without counts satisfies
#
# $$\mathrm{Adv} = \frac{\Pr[\hat X = X] - Q}{1 - Q} \le \frac{1 - p_e^* - Q}{1 - Q} .$$
# ````
#
# We now compute this bound for Dan. Under exact counts, $I$ is the entropy of the answers ({prf:ref}`def-fano-information`). We subtract it from $H(X)$ to get the left side of the inequality. Then we search a grid for the smallest $p_e$ that satisfies the inequality. Which value should $n$ have? The paper counts all $M^T = 625$ paths. Only 17 of them are possible under Dan's mobility model, so we try both values of $n$. The grid has steps of $10^{-5}$, so the printed bound on the success may be too small by at most $10^{-5}$. (The library solves the inequality without a grid.)

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
# The advantage is 0 for the best guess without counts and 1 for an attacker who is always right. The best attack on Dan is halfway between the two. Fano's inequality allows an advantage of 0.843 even with the smaller value, $n = 17$.
#
# So the bound is correct, but it is far above the success of the best attack. The derivation suggests two reasons. First, the bound treats a wrong guess as if the path could be any of the other $n - 1$ paths. But the attacker has seen the counts, and the counts exclude most of the 17 possible paths. Second, the inequality uses only the *average* uncertainty, $H(X) - I$. It ignores that some answers leave more uncertainty than others.
#
# We can test both reasons. For the first, we reduce $n$. A good attacker names one of the paths that agree with the answer. So for each answer by itself, the inequality holds with $n$ equal to the number of paths that agree with this answer. It also holds for the average uncertainty if $n$ is the largest of these numbers, because the right side is concave in $p_e$. For the second reason, we apply the inequality to each answer by itself.
#
# The next cell computes both bounds. It prints one line for each answer, with the bound, the success of the best attack and the probabilities of the paths. The bound and the success are multiplied by the probability of the answer, so that they can be added up over all answers. The probabilities of the paths are conditional on the answer.

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
# Each of the eight possible answers leaves at most four paths. With $n = 4$ the bound on the success falls from 0.865 to 0.780. If we apply the inequality to each answer by itself, the bound falls to 0.602. So both reasons contribute to the gap between the bound and the best attack.
#
# The remaining gap is small. For a single answer, the inequality becomes an equality if all paths other than the guess are equally probable. This is always the case if the answer leaves only one or two paths, so six of the eight answers have no gap. The gap comes from the two answers that leave four paths. For these answers, the three paths other than the guess are not equally probable.
#
# However, both improvements require a list of the answers and of the paths that each answer leaves. Such a list is what we wanted to avoid.

# %% [markdown]
# (fano-bounds)=
# ## Two bounds for paths with a few wrong steps
#
# How can Fano's inequality be extended to guesses with up to $s$ wrong steps? The paper does this in two ways. In both, "the guess is right" becomes "the path is in the ball around the guess".
#
# The **loose bound** follows the derivation of the last section. If the guess succeeds, the path is one of the $N$ paths in the ball; if it fails, the path is one of the $M^T - N$ paths outside the ball. So the uncertainty that a guess leaves is at most $h(p_e) + (1 - p_e) \log N + p_e \log (M^T - N)$. With $\log N$ written separately, this is the right side of the following inequality:
#
# ````{prf:theorem} Loose bound (Eq. 3)
# :label: thm-fano-loose
# Let $N = \sum_{l \le s} \binom{T}{l} (M-1)^l$ be the number of paths that differ from a guess in at most $s$ steps, and let $p_e$ be the probability of more than $s$ wrong steps. Then
#
# $$H(X) - I \le h(p_e) + p_e \log \frac{M^T - N}{N} + \log N .$$
# ````
#
# The **tight bound** uses the mobility model in another way. Besides the information $I$, it needs only one number: $Q$, the best success without counts. Its derivation compares two joint distributions of the path and the counts. In the first distribution, the counts come from the target's path. In the second, the path and the counts have the same *marginal distributions*: the path alone and the counts alone are distributed as in the first. But the path and the counts are now independent, so no guess succeeds with probability above $Q$.
#
# How different are these two joint distributions? We measure the difference between two distributions $F$ and $G$ by the **Kullback-Leibler divergence** $D(F \,\|\, G) = \sum_z F(z) \log \frac{F(z)}{G(z)}$. It is never negative, and it is 0 only if $F = G$. If $F$ is our first joint distribution and $G$ is the second, then $D(F \,\|\, G)$ is exactly the information $I$:
#
# $$D(F \,\|\, G) = \sum_{x, y} \Pr[x, y] \log \frac{\Pr[x, y]}{\Pr[x] \Pr[y]} = \sum_{x, y} \Pr[x, y] \log \frac{\Pr[x \mid y]}{\Pr[x]} = H(X) - H(X \mid Y) = I .$$
#
# The first sum does not change if we exchange $x$ and $y$. This is why mutual information is symmetric. Now consider any guess. If it succeeded much more often under the first distribution than under the second, its success would help to tell the two distributions apart. A small divergence does not allow this ({ref}`fano-tight-proof` asks for the proof).
#
# ````{prf:theorem} Tight bound (Sec. 3.3.2 of the paper, after Han and Verdú)
# :label: thm-fano-tight
# Let $p_s = 1 - p_e$ be the probability of at most $s$ wrong steps. Let $Q$ be the largest probability of a ball, that is, of the set of all paths that differ from one given path in at most $s$ steps. Then
#
# $$-I \le h(p_s) + p_s \log Q ,$$
#
# and the tight bound is the largest $p_s$ that satisfies this inequality.
# ````
#
# How large is this bound? We replace $h(p_s)$ by its largest value, $\log 2$, and solve for $p_s$:
#
# $$p_s \le \frac{I + \log 2}{\log (1/Q)} .$$
#
# The right side is the **simple form** of the bound. It is weaker than the tight bound; for Eve, as the table below shows, it is 0.431 instead of 0.423. The simple form shows what matters: it divides the information of the counts by $\log(1/Q)$, the uncertainty that an attacker without counts must overcome.
#
# Two consequences are worth remembering. First, the tight bound is 1 exactly when $I \ge \log(1/Q)$, because only then does $p_s = 1$ satisfy the inequality. Second, as long as the counts reveal something, the tight bound falls slowly as more steps must be right. $Q$ falls exponentially with the number of steps that must be right, but only its logarithm is in the denominator. If $I$ stays the same and is positive, the bound falls roughly like $I / \log(1/Q)$, whereas the success of an attack falls exponentially.
#
# The case $I = 0$ is different: the tight bound then falls as fast as $Q$. If $p_s$ is small, $h(p_s)$ is close to $p_s \log(1/p_s) + p_s$. The inequality then becomes approximately $\log(1/p_s) + 1 \ge \log(1/Q)$, that is, $p_s \le e \cdot Q$, where $e$ is Euler's number. So if the counts reveal nothing and $Q$ is small, the tight bound is too high by a factor of about $e$. The simple form does not show this, because of its term $\log 2$.
#
# We now compute the loose and the tight bound for two people, by a search on a grid as before. The whole path must be right ($s = 0$, so $N = 1$).


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
# Which of the two bounds is smaller depends on the person. The counts reveal much about Dan: $I$ is larger than $\log(1/Q)$, so his tight bound is 1. This bound tells us nothing, because every probability is at most 1. A bound of 1 is called **vacuous**. The counts reveal nothing about Eve, and her tight bound is 0.423, well below her loose bound.
#
# But even Eve's tight bound is about twice as large as it could be. An attacker who learns nothing from the counts cannot succeed with a probability above $Q$, which is 0.2 for Eve. The tight bound is larger because the paper drops a term when it derives the inequality. [An exercise](fano-tight-proof) shows which term is dropped and what it would contribute.
#
# ### Why can the "tight" bound be the larger one?
#
# For $s = 0$, with $n = M^T$ paths, we can write the inequalities of the two theorems with the same right side:
#
# $$\begin{aligned} \text{loose:} \quad & H(X) - p_e \log(n - 1) \le h(p_e) + I , \\ \text{tight:} \quad & p_s \log(1/Q) \le h(p_e) + I . \end{aligned}$$
#
# The inequality with the larger left side is the stricter one. So at a given $p_s = 1 - p_e$, the tight inequality is the weaker one exactly when the following **criterion** holds:
#
# $$H(X) > p_s \log(1/Q) + p_e \log(n - 1) .$$
#
# - *If success is almost certain,* the right side of the criterion is close to $\log(1/Q)$. The entropy is never below $\log(1/Q)$, because it is the mean of $\log(1/\Pr[x])$ and no path is more probable than $Q$. So near $p_s = 1$ the tight inequality is the weaker one, unless all possible paths are equally probable.
# - *If success is rare,* the right side of the criterion is close to $\log(n - 1)$. The entropy is usually well below $\log(n - 1)$, because most of the $n$ paths are impossible or improbable. So for small $p_s$ the tight inequality is the stricter one.
#
# To decide which bound is larger, we set $p_s$ to the loose bound and compare the two sides of the criterion. If $H(X)$ is the larger side, the tight inequality still allows this value of $p_s$, so the tight bound is at least as large as the loose one. If $H(X)$ is the smaller side, the tight inequality excludes this value of $p_s$. It then also excludes every larger value. The reason is that $h(p_s) + p_s \log Q$ is concave and is 0 at $p_s = 0$, so the allowed values form an interval that starts at 0. The tight bound is therefore the smaller one. {ref}`fano-predict` is an example.

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
# For Dan, $H(X)$ exceeds the right side of the criterion, so his tight bound is the larger one. For Eve, $H(X)$ is below the right side, so her tight bound is the smaller one.
#
# ### The bounds without a list of paths
#
# For longer paths, we need $H(X)$, $I$ and $Q$ without listing all paths. The entropy $H(X)$ of a Markov chain is a sum over its steps, so it is easy to compute. For the information of exact counts, the library computes an upper bound: $H(B_1) + \sum_{t \ge 2} H(B_t \mid B_{t-1})$, where $B_t$ is the bit of step $t$. Each term uses only the bit before $B_t$ and ignores the earlier bits. This gives an upper bound, because conditioning on fewer bits cannot decrease an entropy. We write $\bar I$ for any upper bound on $I$; the tables call it *bound on I*. With $\bar I$ in place of $I$, the loose and the tight bound remain valid, and they can only become larger.
#
# The paper uses an upper bound for $Q$ as well. Choose $m$ steps and a place for each of them. The path visits these places in these steps with some probability. Let $q_m$ be the largest such probability over all choices of steps and places. A guess with exactly $l \le s$ wrong steps is right in the other $T - l$ steps, and there are $\binom{T}{l}$ ways to choose these steps. For each choice, the guess is right in all of the chosen steps with probability at most $q_{T-l}$. We add up these probabilities over all choices and all $l \le s$:
#
# $$Q \le \sum_{l \le s} \binom{T}{l}\, q_{T-l} \qquad \text{(Eq. 5 of the paper)} .$$
#
# How good is this bound on $Q$? For Dan we can compute both sides:

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
# For $s = 0$ both sides are equal. For $s = 2$ the right side is 2.000, although a probability is never above 1. The sum is too large for two reasons. First, it counts the same path several times: a path that agrees with the guess in all four steps also agrees with it in every pair of steps. Second, each $q_m$ is the maximum over all choices of steps and places, whereas a real guess names one fixed place for each step. The more wrong steps are allowed, the more the sum exceeds $Q$.
#
# Part of this excess could be avoided. Every successful guess is right in *at least* $T - s$ steps. So the last term alone, $\binom{T}{s}\, q_{T-s}$, is also an upper bound on $Q$, and a smaller one. We keep the sum, because it is the paper's bound. For long paths, the library computes the $q_m$ by a recursion like the Viterbi algorithm (Theorem 1 of the paper; the function `ball_terms`).
#
# ### Are the bounds ever wrong?
#
# We test the bounds on two hundred random Markov chains with up to five places and five steps, and with random sensors and random $s$. These chains are small enough to find the best attack by enumeration. The table covers the chains on which the best possible success is below 0.9. It shows how far each bound, and the success of MAP, is above the best possible success (a negative number means below).

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
# No bound is below the best possible success, and MAP is never above it. How do the two bounds compare with each other? And if the tight bound is the larger one, is Eq. 5 the reason? To find out, we compute the tight bound a second time with the exact $Q$, which can be found by enumeration here. Each row of the next table counts chains for one value of $s$.

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
# On these small chains, the "tight" bound is never below the loose one. Eq. 5 is not the reason: with the exact $Q$, the tight bound is above the loose one on the same number of chains.
#
# In every row of the table, most chains have a tight bound of 1, because $\bar I \ge \log(1/Q)$ even with the exact $Q$. Such short paths among so few places are easy to guess without counts. Then $Q$ is large and $\log(1/Q)$ is small, so the bound on the information of a few counts already exceeds it. For $s \ge 2$, the loose bound is 1 on every chain, too. The reason is that $\log N$ is at least $H(X) - \bar I$ on all of these chains, as the next cell confirms. So $p_e = 0$ satisfies the loose inequality. In words, the ball is so large that an attacker who knows that the path is in the ball may still be at least as uncertain about it as an attacker who knows the counts.
#
# For $s = 0$ we can apply the criterion of this section. If the loose bound is 1, then $\bar I \ge H(X) \ge \log(1/Q)$, so the tight bound is 1 as well. On the chains with a loose bound below 1, we compare the two sides of the criterion at the loose bound:

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
# On all 55 chains with $s = 0$ and a loose bound below 1, $H(X)$ is the larger side of the criterion, so the tight bound is above the loose one. These include the 28 chains on which the tight bound is below 1. The result fits the discussion of the criterion: on all 55 chains the loose bound is at least 0.53, so success is far from rare, and near $p_s = 1$ the tight inequality is the weaker one. In the next section, success is rare, and the tight bound is the smaller one.

# %% [markdown]
# (fano-fig5)=
# ## How far are the bounds from an attack on longer paths?
#
# We now compare attacks and bounds on longer paths. The paper's **simulated person** walks on a line of 100 places for 10 steps. The probability of moving from $i$ to $j$ is proportional to $e^{-|j-i|/(\tau M)}$, where the parameter $\tau$ sets how long the moves are. In every step, one sensor is switched on at a place that is drawn uniformly at random.

# %%
line, place = rec.distance_chain(n_locations, tau), np.arange(n_locations)
distance = np.abs(place[:, None] - place)
length = (line.initial[:, None] * line.transition * distance).sum()
print(f"average length of a move: {length:.1f} places")

# %% [markdown]
# There are far too many paths to enumerate. Even so, the success of MAP and of the maximum a priori guess can be computed exactly. The maximum a priori guess is one fixed path, so it is enough to move along the chain step by step and to count the right steps. For MAP, an exact computation is possible because a *sighting*, that is, a step in which the sensor sees the target, cuts the path in two. We can check this on Dan. If the sensor sees him in the second hour, what he did before says nothing about what he does afterwards, and the probabilities multiply:

# %%
seen = probability.reshape(5, 5, 25)[:, STATION]  # first hour x last two hours
before, after = seen.sum(axis=1), seen.sum(axis=0) / seen.sum()
print("a product:", np.allclose(seen, np.outer(before, after)))

# %% [markdown]
# So we can treat each stretch between two consecutive sightings separately. What MAP guesses inside a stretch depends only on the sightings at its two ends and on the sensors in between. A stretch is determined by its first and its last step, so there are only about $T^2 / 2$ possible stretches. The library computes the distribution of the number of right steps in each possible stretch, and combines these distributions along the path. Only the places of the sensors are sampled: we draw twenty sequences of sensors.
#
# We add a third bound, which does not use entropy. Ten exact counts have at most $2^{10}$ possible answers. For any one answer, the probability that the attacker sees this answer *and* succeeds is at most $Q$. So no attacker succeeds with probability above $2^{10}\, Q$. We call this the **counting bound**; {ref}`fano-doubling` asks for the proof. For $Q$ we use the right side of Eq. 5. The next table and {numref}`fig-fano-steps` show the results by the number of right steps required, $T - s$. Brackets contain 95% intervals over the sequences of sensors.

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

# %% mystnb={"figure": {"name": "fig-fano-steps", "caption": "Success of attacks, and bounds on it, for the simulated person. The horizontal axis is the number of steps that must be right. The vertical axis is logarithmic, and 95% intervals over sequences of sensors are mostly smaller than the marks. The attacks fall steeply and the bounds slowly. If all steps must be right, the tight bound is nine powers of ten above MAP, and the loose bound is ten powers of ten above it. The counting bound (thin line) is 1 for few required steps, but then it follows the attack."}, "image": {"alt": "Logarithmic plot against the number of right steps required: the maximum a priori guess and MAP fall steeply, the tight and the loose bound fall slowly and end many orders of magnitude above. A thin line, the counting bound, is level at 1 up to four steps, then falls as steeply as MAP and ends less than three orders of magnitude above it."}} tags=["hide-input"]
lines = ["loose", "tight", "counting", "MAP", "prior"]
figures.show_swept(steps, lines, f"right steps required, of {n_epochs}")

# %% [markdown]
# ```{note}
# The maximum a priori guess is not the best guess without counts. If only one right step is required, an attacker does better by naming the same place in every step ([an exercise](fano-lucky) computes how often this succeeds). The paper's condition for $s = 5$ can be read as $d \le 5$ or as $d < 5$. In the table above, the first reading is the row for 5 required steps, and the second is the row for 6.
# ```
#
# In this experiment, the tight bound is below the loose one in every row, as the paper says. The map is large, so a sensor at a random place seldom sees this person. The counts therefore reveal little, compared with what the attacker needs to know. The next table makes this comparison. It gives the bound on the information, $\log(1/Q)$ with $Q$ from Eq. 5, the simple form computed with $\bar I$, and the tight bound itself. For the whole path of ten steps, we also compare the two sides of the criterion at the loose bound, with $\log n$ in place of $\log(n - 1)$:

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
# Averaged over the sequences of sensors, the ten counts together reveal at most 0.554 nats, which is less than one bit. To name all ten steps, an attacker without counts has to overcome 26.3 nats. The simple form exceeds the tight bound, as it must, but by less than a factor of two. If all ten steps must be right, the right side of the criterion, 42.5, exceeds $H(X)$. So the tight bound is smaller than the loose one, as we expect when success is rare.
#
# ### Why are the bounds so far above the best attack?
#
# If all ten steps must be right, no guess is better than MAP, and MAP succeeds with probability $1.2 \cdot 10^{-11}$. The tight bound is nine powers of ten above MAP, and the loose bound is ten powers of ten above it. Because no attack can do better than MAP here, the gap must come from the bounds. To find out what keeps each bound high, we compute both a second time, as if the counts revealed nothing ($I = 0$):

# %%
success = np.logspace(-13, 0, 100_001)  # a grid that resolves small probabilities
for known in (I_bar, 0):
    loose_all = largest_success(H - known, h(p_e) + p_e * log_n)
    tight_all = success[h(success) + success * log_Q >= -known].max()
    print(f"I = {known:.3f}: loose bound {loose_all:.3f}, tight bound {tight_all:.1e}")
print(f"H(X) = {H:.1f}, log n = {log_n:.1f}, bound on I / H(X) = {I_bar / H:.3f}")

# %% [markdown]
# *The loose bound is high because of its term $\log(n - 1)$.* If the counts revealed nothing, the loose bound would still be 0.170. Its term $\log(n - 1)$ treats a wrong guess as if all other paths were equally likely. A path drawn uniformly from all $n$ paths has an entropy of 46.1 nats, but this person's path has an entropy of only 38.7 nats. Fano's inequality can account for this difference only by allowing many successes.
#
# *The tight bound is high because of the information.* If the counts revealed nothing, the tight bound would fall to $1.0 \cdot 10^{-11}$, close to $e \cdot Q$. But $I$ is an average, and an average does not say how the information is spread over the answers. Imagine another release, which reveals the whole path with probability $\alpha$ and nothing otherwise. Its information is $\alpha H(X)$ nats. If $\alpha = 0.014$, this is the largest amount that our ten counts can carry. Yet an attacker who sees this release succeeds with probability at least $\alpha$.
#
# A bound that knows only $\bar I$ and the mobility model must hold for this release, too. So it cannot be below 0.014, and the tight bound of 0.026 is less than twice this value. A much better bound has to use more than the amount of information.
#
# Counting the possible answers is one way to do this. From one required step to ten, $\log(1/Q)$ grows only from 1.9 to 26.3, while the bound on $Q$ falls by more than ten powers of ten. The tight bound depends on this logarithm, whereas the success of the attack falls like $Q$ itself. The counting bound falls like the bound on $Q$, because its factor of $2^{10}$ is always the same. From six required steps on, the counting bound is below the tight bound. For ten required steps, it is less than three powers of ten above MAP.
#
# The next chapter derives the [moment bound](fano-gap), which begins to follow the attack at far fewer required steps. We take its mean over the twenty sequences of sensors, as for the other bounds, and divide this mean by the mean success of MAP:

# %%
of_steps = steps.groupby("value")[["moments", "MAP"]].mean()
times_MAP = (of_steps["moments"] / of_steps["MAP"]).to_frame("moment bound / MAP")
shown = times_MAP.map("{:.2f}".format).rename_axis("right steps required")
plots.show_table(shown, "moments")

# %% [markdown]
# For every number of required steps, the moment bound is at most 2.02 times the success of MAP. For the whole path, the moment bound and the success of MAP are equal.
#
# Whether the tight or the loose bound is the smaller one depends on the map. We now take only 20 places and allow five of the ten steps to be wrong:

# %%
small_map = rec.distance_chain(20, tau)
small_sensors = fano.sample_sensors(seed, 20, n_epochs, n_sequences)
for name, bound_of in (("loose", rec.loose_bound), ("tight", rec.tight_bound)):
    mean = bound_of(small_map, small_sensors, allowed_errors).mean()
    print(f"20 places, five errors allowed, {name} bound: {mean:.3f}")

# %% [markdown]
# On this smaller map, the "tight" bound is above the loose one. In the online version of this chapter, you can change $M$, $T$ and $s$ here. The next chapter explains the line *moment bound*.
#
# ```{raw} html
# :file: static/fano.html
# ```

# %% [markdown]
# (fano-fig7)=
# ## What does noise take away?
#
# How much does noise reduce the success of an attack, and do the bounds reflect this? We add normally distributed noise with standard deviation $\sigma$ to each count. The attacker can now misread a bit. The algorithm for MAP does not change, but its likelihoods $\ell_t$ are now normal densities. Let $p_t = \Pr[X_t = c_t]$ be the probability that the target is at the sensor in step $t$. Eq. 4 of the paper gives an upper bound on the information of such counts:
#
# $$I \le -\sum_{t=1}^{T} \Big[ p_t \log\big(p_t + (1 - p_t)\, e^{-1/(2\sigma^2)}\big) + (1 - p_t) \log\big(1 - p_t + p_t\, e^{-1/(2\sigma^2)}\big) \Big] .$$
#
# The right side is another upper bound $\bar I$ on the information. It treats each count separately. The number $1/(2\sigma^2)$ is the Kullback-Leibler divergence between the two distributions of a noisy count, with and without the target. (These distributions have densities, so an integral replaces the sum in the divergence.) Two limiting cases can be checked by hand. If $\sigma$ is very small, $e^{-1/(2\sigma^2)}$ is almost 0, and each term of the sum is almost $h(p_t)$, the entropy of an exact bit. If $\sigma$ is very large, $e^{-1/(2\sigma^2)}$ is almost 1. Then both logarithms are almost 0, and the counts reveal almost nothing.
#
# We use a line of only ten places, because MAP succeeds often enough there for noise to matter. Five of the ten steps may be wrong. In every row of the next table, MAP attacks the *same* simulated paths, and the noise is the same random draw multiplied by $\sigma$. So the column *taken by noise*, which gives the loss of success compared with exact counts, is a paired difference. The row *raw* is for exact counts, and the last row gives the success of the maximum a priori guess.
#
# The last column is the $\varepsilon$ of differential privacy. The unit of privacy is one person's whole path, so this $\varepsilon$ covers all ten counts together. Gaussian noise needs a second parameter, the small allowance $\delta$ of {prf:ref}`def-kkd-dp`. We set $\delta = 10^{-5}$.

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
# Noise with $\sigma = 0.1$ does not reduce the success of MAP, because the attacker can still read off the bits. With $\sigma = 3$ and $\sigma = 10$, the success of MAP has fallen to that of the maximum a priori guess, and it falls no further. **Noise can hide what the counts reveal, but not what the attacker already knows about the target's habits.**
#
# ### Why is the tight bound 1 in every row?
#
# The tight bound does not reflect the noise at all: in the table it is 1 in every row. It is 1 whenever $\bar I \ge \log(1/Q)$. This can happen for three reasons: the counts may really reveal that much, $\bar I$ may be far above the true information, or the value that we use for $Q$ may be too large. The third reason is easy to test. Eq. 5 replaces $Q$ by a sum, and for Dan this sum was above 1 as soon as two wrong steps were allowed. We now compute this sum for the simulated person, with five wrong steps allowed.
#
# We also compute what the tight bound could be with the exact $Q$. We do not know $Q$, but we know a lower and an upper limit for it. It is at least the success of the maximum a priori guess, and the next chapter derives [an upper bound](fano-gap) on $Q$ that is much smaller than the right side of Eq. 5. The next table uses these limits as the least and the largest possible $Q$. All of its columns are means over the twenty sequences of sensors, except for the last one. The last column counts the sequences on which $\bar I \ge \log(1/Q)$ even for the least possible $Q$. On these sequences, the tight bound is 1 whichever possible $Q$ we use.

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
# - *With little noise, the bound on the information alone makes the tight bound vacuous.* Up to $\sigma = 0.3$, $\bar I$ is at least $\log(1/Q)$ for every possible $Q$ on at least 19 of the twenty sequences. The mean of the tight bound is 1.00 for both values of $Q$.
# - *From $\sigma = 1$ on, Eq. 5 makes the tight bound vacuous.* The right side of Eq. 5 is 5.7. A probability is never above 1, so Eq. 5 says nothing about $Q$ here. We therefore have to use $Q = 1$, and then the tight inequality holds for every $p_s$, whatever $I$ is. With the exact $Q$, the tight bound would lie between the two values in the table. It would be below 1, and it would fall as the noise grows.
#
# One more detail of this table is surprising. At $\sigma = 0.1$ and $0.3$, the bound on $I$ is *above* the 3.12 of the exact counts, although noise cannot add information. The reason is that Eq. 4 treats each count separately, whereas the bound for exact counts uses what each count says about the next. The paper observes the consequence on real data: for some $\sigma$, its bounds are higher than those without noise (Sec. 4.2.3).
#
# The next chapter derives a [better bound under noise](fano-noise).
#
# ```{note}
# This note concerns the first table of this section. The $\varepsilon$ in its last column is exact. The paper instead uses the standard formula for Gaussian noise (Sec. 2.2.1), which has been proved only for $\varepsilon$ below 1. The value of $\varepsilon$ limits even an attacker who knows everything except which of two given paths is the true one. That attacker knows far more than ours. This is why $\varepsilon$ still exceeds 1 at $\sigma = 10$, where the counts no longer help MAP. [](guarantees.ipynb) shows what such a guarantee costs. The simulated paths are spread evenly over the twenty sequences of sensors, and the intervals for the success of MAP are over these paths. The last row is computed exactly, so it has no interval.
# ```

# %% [markdown]
# ## What the paper found
#
# The [replication page](replication/fano.ipynb) lists every statement of the paper with its verdict and the numbers behind this verdict. These are the most important statements:
#
# - No bound lies below the success of an attack. This is *<a href="replication/fano.html#claim-fano-bounds-above-estimators">supported</a>*.
# - The success of attacks and the bounds fall as the number of steps that must be right grows. This is *<a href="replication/fano.html#claim-fano-fig5-steps-decreasing">supported</a>*; {numref}`fig-fano-steps` shows it.
# - The success of attacks and the bounds also fall as the number of places grows. This is *<a href="replication/fano.html#claim-fano-fig5-m-decreasing">supported</a>*. The table is in [the replication](fano-replicated-fig5).
# - The paper says that the tight bound almost matches the best attack when few wrong steps are allowed. We test this statement with no wrong step allowed. It is *<a href="replication/fano.html#claim-fano-fig5-tight-at-small-s">supported</a>* only in a weak sense. On the paper's axis, which runs from 0 to 1, our rule counts a difference of up to 0.05 as a match. As a ratio, the gap is large: the bound is nine powers of ten above the attack.
# - The paper says that, with a hundred places, noise hardly changes the success of the attack. This is *<a href="replication/fano.html#claim-fano-fig7-map-flat">supported</a>* by the same rule. The attack almost never succeeds even without noise, so noise has almost nothing to take away. The table is in [the replication](fano-replicated-fig7).
#
# ## Take-aways
#
# - How much the counts reveal depends on the person, that is, on how often a sensor is where they are and on how predictable they are.
# - Every attack should be compared with what habits reveal without any count. Under strong noise, MAP was no better than the maximum a priori guess, which uses habits alone.
# - If all paths can be enumerated, the best possible success is known: we take the best guess for each answer and add up the probabilities of success.
# - A bound from Fano's inequality holds for every attacker, but it may be far above the success of the best attacker. For the simulated person's whole path, the tight bound is too high by nine powers of ten, and the loose bound by ten.
# - All bounds in this chapter assume that people move independently. They do not cover friends who move together.

# %% [markdown]
# ## Exercises
#
# ```{exercise} The slow and the fast (★, 5 minutes)
# :label: fano-slow
# In Example 2 of the paper, two people move among five places. The first person stays where they are with probability 0.96, and moves to each of the other places with equal probability. The second person moves to each of the five places with probability 0.2, wherever they are. A sensor sees both people at place 0 in the first step. In the second step, a sensor at place 4 sees neither of them. For each person, how probable is it that the best guess of both steps is right? (We chose the numbers and the place of the second sensor. The paper says only that the first person stays "with a probability close to 1", and its sensor is outside the five places.)
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
# *Learned:* after a sighting, the next step of the first, slow person is almost certain, but the sighting says nothing about the next step of the second, fast person. For the fast person, the success is 0.25 instead of 0.2 only because the second sensor excludes one place. Differential privacy gives both people the same $\varepsilon$.
#
# ````{solution-end}
# ````
#
# ```{exercise} Where would you put the sensor? (★, 10 minutes)
# :label: fano-worst
# Take Ada's mobility model, `fano.diary_chain(six, "Ada")`, and ignore Ben. In each of four hours, a sensor stands at one of the four places. If the whole path must be right, which sequences of sensors help the best attacker most, and which help least? The function `rec.exact_loss(chain, sensors, 0)` computes the success of MAP. Predict the answer before you compute it.
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
# *Learned:* a sensor in the park, where Ada never is, reveals nothing, so the attacker is left with the maximum a priori guess. Eight sequences of sensors reveal the whole path in every case; one of them has the sensor at home in all four hours. Ada has nine possible paths, and the bits of a sensor at home distinguish all of them. The reason is that whenever she leaves home, she passes the station and the office and is back after three hours. Write down the nine paths and check this.
#
# ````{solution-end}
# ````
#
# ```{exercise} Predict which bound is larger (★★, 15 minutes)
# :label: fano-predict
# Take the two places and the one count of the first section. The whole path must be right. There are $n = 4$ paths, $I = \log 2$ and $Q = 0.4$. Compute the loose bound with the function `largest_success` of this chapter. Then use the criterion to predict whether the tight bound is larger or smaller than the loose bound. Finally, compute the tight bound. How far are the two bounds above the best possible success, 0.8?
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
# *Learned:* if we set $p_s$ to the loose bound, $H(X)$ exceeds the right side of the criterion. So the tight bound must be the larger one, and it is. Unlike Dan's tight bound, it is below 1 and therefore not vacuous. In this example, success is easy, and at a high $p_s$ the tight inequality is the weaker one.
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
# First, $H(X, E \mid \hat X) = H(X \mid \hat X) + H(E \mid X, \hat X) = H(X \mid \hat X)$, because $X$ and $\hat X$ determine $E$. Second, the same entropy equals
# $H(E \mid \hat X) + H(X \mid E, \hat X) \le h(p_e) + p_e \log (n - 1)$, because nothing is uncertain if the guess is right, and at most $n - 1$ values are left if it is wrong. Finally, the guess
# depends on the path only through the counts $Y$, so $H(X \mid \hat X) \ge H(X \mid Y) = H(X) - I$.

# %% [markdown]
# *Learned:* the inequality loses precision in the cases in which the guess fails, because it treats all wrong values as equally likely.
#
# ````{solution-end}
# ````
#
# ```{exercise} Prove the tight bound (★★, proof, 20 minutes)
# :label: fano-tight-proof
# Show that $-I \le h(p_s) + p_s \log Q$. Let $Q'$ be the success that the *same* guess would have if counts and path were independent. Use the *data-processing inequality*: if we apply the same function to two pairs of random variables, the Kullback-Leibler divergence between the distributions of the two results is at most the divergence between the distributions of the two pairs. Here this means that $p_s \log \frac{p_s}{Q'} + p_e \log \frac{p_e}{1 - Q'} \le I$. To get from here to the claim, you must drop a term. Which one? What does the inequality say for $I = 0$ if you keep this term?
# ```

# %% [markdown]
# ````{solution-start} fano-tight-proof
# :class: dropdown
# ````
#
# Suppose that counts and path are independent, with the same marginal distributions as before. Whatever guess the attacker derives from the counts, the path then lies in the ball around that guess with probability at most $Q$. So $Q' \le Q$.
#
# Whether the guess succeeds, that is, has at most $s$ wrong steps, depends only on the path and the counts. By the data-processing inequality, the divergence between the two distributions of success and failure is at most the divergence between the two joint distributions of path and counts. The chapter has shown that the latter is $I$. This gives the inequality of the exercise. Now we drop the term $p_e \log \frac{1}{1 - Q'} \ge 0$. What remains is $-I \le h(p_s) + p_s \log Q'$, and the claim follows because $\log Q' \le \log Q$.
#
# If we keep this term and $I = 0$, the divergence between the two distributions of success and failure is 0. So these distributions are equal, and $p_s = Q' \le Q$.

# %% [markdown]
# *Learned:* the tight bound compares the real world with a world in which the counts reveal nothing. If $I = 0$ and we keep the term that the paper drops, the inequality gives $p_s \le Q$. The best attack on Eve reaches exactly this limit. Without the term, the inequality allows a higher success, up to about $e \cdot Q$ if $Q$ is small.
#
# ````{solution-end}
# ````
#
# ```{exercise} Each count at most doubles the success (★★, proof, 15 minutes)
# :label: fano-doubling
# Show that no attacker who sees $k$ exact counts succeeds with probability above $2^k Q$, where $Q$ is the best success without counts. Check this for the two places of the first section, with one count, and for Dan, with four counts.
# ```

# %% [markdown]
# ````{solution-start} fano-doubling
# :class: dropdown
# ````
#
# Let $y$ be one of the $2^k$ sequences of bits, and let $\hat x_y$ be the guess that the attacker makes after seeing $y$. Then $\Pr[y \text{ and } d \le s] \le \Pr[d(X, \hat x_y) \le s] \le Q$. The claim follows if we add up these probabilities over all $y$. Only possible sequences contribute, so $2^k$ may be replaced by the number of possible sequences. For Dan this number is 8.

# %%
print(f"two places: {two_hours.max(axis=1).sum():.1f} <= 2 x {two_hours.max():.1f}")
n_answers, Q_dan = len(np.unique(answers[probability > 0])), probability.max()
print(f"Dan: {best:.3f} <= {n_answers} x {Q_dan:.3f} = {n_answers * Q_dan:.3f}")
print(f"simulated person, all steps right: at most {2.0**n_epochs * eq_5_terms[0]:.1e}")

# %% [markdown]
# *Learned:* counting the possible answers already gives a bound. For the simulated person's whole path, this bound is $3.8 \cdot 10^{-9}$, far below the tight bound. Consider the version of the bound that multiplies $Q$ by the number of possible answers. For $s = 0$, it equals the best success if every possible answer agrees with some path that is as probable as the most probable path of all. For Dan this version is above 1 and says nothing, although only 8 of his 16 answers are possible.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write MAP under noise (★★, 25 minutes)
# :label: fano-write
# Change the chapter's code for MAP so that it accepts noisy counts: `log_likelihood[t]` becomes the logarithm of a normal density, which is centred at 1 for the place of the sensor and at 0 for every other place. Draw paths of Dan with `dan.sample(200, 4, rng)` and add noise with $\sigma = 1$ to his bits. Compare your guesses with those of the library's `rec.viterbi_trajectory(dan, sensors, noisy_counts, 1.0)`.
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
# *Learned:* noise changes the likelihoods and nothing else. We compare the posterior probabilities of the two paths instead of the paths themselves, because there may be ties. Up to a common factor, the posterior probability of a path is its probability under the mobility model times its likelihood. Comparing only the probabilities under the mobility model would not check the program, because two paths may be equally probable before the counts are seen but not afterwards.
#
# ````{solution-end}
# ````
#
# ```{exercise} How lucky is the lucky constant? (★★, 20 minutes)
# :label: fano-lucky
# A *constant* guess names the same place in every step. The paper simulates 1,000 paths, computes the success of each constant guess on these paths, and reports the largest value. By how much does this value overstate the success of the best constant guess? Compute this for the simulated person if only one step must be right. You need `chain = rec.distance_chain(n_locations, tau)`, `chain.sample(1000, n_epochs, rng)`, and the exact success of the best constant guess, `rec.exact_loss(chain, np.zeros(n_epochs, int), n_epochs - 1, "constant")` (this function ignores the sensors here).
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
# *Learned:* the largest of many noisy estimates is biased upwards. The attack [BEST](kk-best) in the Knock-Knock chapter has the same bias.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own fortnight (★★★, an evening)
# :label: fano-project
# Keep a diary for two weeks, with one place for each hour. Estimate your mobility model from the first week, and put a sensor at the place where you were most often. Attack the second week day by day, with the maximum a priori guess and with MAP, and compute the loose bound. On which of your days does the model fail? *A good answer* names the baseline, says how many transitions of the second week were never seen in the first, and shows one hour that the model calls impossible.
# ```

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
# An attack shows what one attacker can achieve, but a better attack may be found tomorrow. Can we prove a limit that holds for *every* attacker?
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
# *The figure to remember:* {numref}`fig-fano-steps`.
#
# *Questions for a class, with short answers:*
#
# - *Is a person safe if no sensor ever counts them?* No. The counts say almost nothing about Eve, but if her mobility model is right, her habits alone name her whole path in one case out of five ([the table of three people](fano-six)).
# - *A bound of 1 is correct for every attacker. What does it tell us?* Nothing. Every probability is at most 1, so the bound does not say that an attack succeeds, and it does not say that the attack fails.
# - *A release has a tight bound of 0.026, and the best attack on it succeeds almost never. Is the bound wrong?* No. [Another release](fano-why-far), which carries the same amount of information, lets an attacker succeed more than half as often as this bound allows.
#
# *Three common mistakes:* students think that the most probable path is always the best guess (the [table](fano-truth) for $s = 2$ and $s = 3$ shows that it is not); that the "tight" bound is always below the "loose" one ({numref}`fig-fano-people`: for Dan it is not); and that a high bound means that somebody can attack.
#
# *Material:* this chapter has slides with speaker's notes, which are linked at its head. The lab is *Viterbi and Fano* (`make lab LAB=fano`). The minutes in the plans are our estimates.
#
# **If you have one lecture (90 minutes)**
#
# | minutes | part | show | slides |
# |---|---|---|---|
# | 10 | [two places](fano-two), on the board, and [what the attacker knows](fano-knows) | the recipe for the best success | 1 to 3 |
# | 10 | [one count](fano-examples), up to the entropy and the information for the two hours | {numref}`fig-fano-bit` | 4 |
# | 15 | [the most probable path](fano-six): fill in the table of $f$ together with the class; one sentence on [the best possible attack](fano-truth) | {numref}`fig-fano-trellis`, the table of three people | 5, 6 |
# | 15 | [Fano's inequality](fano-inequality); from its end, only the figure of the five bounds | {numref}`fig-fano-sides`, {numref}`fig-fano-refined` | 7 |
# | 15 | [two bounds](fano-bounds), on the board: the two theorems and the simple form | {numref}`fig-fano-people` | 8 |
# | 15 | [longer paths](fano-fig5), and [why the bounds are so high](fano-why-far) with the other release on the board | {numref}`fig-fano-steps` | 10 |
# | 10 | questions and slack | | |
#
# **If you have only 45 minutes**
#
# | minutes | part | show |
# |---|---|---|
# | 7 | [two places](fano-two), on the board | the recipe for the best success |
# | 4 | [what the attacker knows](fano-knows) | the table, and the three assumptions |
# | 6 | [one count](fano-examples): $h(p)$, and the [definition](fano-to-a-path) of $H(X)$ and $I$ with the numbers of the two places | {numref}`fig-fano-bit` |
# | 8 | [Fano's inequality](fano-inequality), without the improvements at its end | {numref}`fig-fano-sides` |
# | 6 | [two bounds](fano-bounds): only the results for Dan and Eve | {numref}`fig-fano-people` |
# | 9 | [longer paths](fano-fig5), with the other release on the board | {numref}`fig-fano-steps` |
# | 5 | questions and slack | |
#
# This plan leaves out the section on the most probable path. Before Fano's inequality, say that Dan and Eve now move among five places, and that a sensor stands at the station in each of four hours ($5^4 = 625$ paths). Introduce MAP as "the recipe of the first section", because MAP follows it if the whole path must be right, and $Q$ as "the best guess without any count".
#
# **A second lecture (90 minutes)**
#
# | minutes | part | show | slides |
# |---|---|---|---|
# | 25 | [why the tight bound can be the larger one](fano-criterion); the students solve {ref}`fano-predict`, with the loose bound on the board | the table of the two sides | |
# | 15 | [the bounds without a list of paths](fano-no-list), on the board for Dan | Dan's four values of $Q$ and of the right side of Eq. 5 | |
# | 5 | [a test on random chains](fano-ever-wrong): only the figure | {numref}`fig-fano-truth` | 9 |
# | 30 | [noise](fano-fig7): first one path under noise, then the experiment; the students solve {ref}`fano-read` on paper | the table of one path, {numref}`fig-fano-noise` | 11 |
# | 15 | questions and slack | | 12 |
#
# *Exercises with pencil and paper:* {ref}`fano-slow` after the first lecture; {ref}`fano-alpha`, with a pocket calculator, if the class has seen the other release. *At the computer:* {ref}`fano-random` after the second lecture. *Reading at home:* the divergence behind the tight bound.
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
# How often can an attacker be right, at best? We begin with an example that is small enough to solve by hand. Dan is either at home or at the office, and we watch him for two hours. In the first hour both places are equally likely, and in the second hour he is at the same place as in the first with probability 0.8. This gives four possible paths. In the next table, a row is the place in the first hour and a column is the place in the second. Each number is the probability of one path:

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
# The attacker must name the whole path. Without any count, the best guess is one of the two most probable paths, and it is right with probability 0.4.
#
# Now suppose that a sensor at Dan's home counts the people there in the first hour. The attacker knows where everybody else is and subtracts them from the count. What remains is one bit: was Dan at home? The value of this bit is the *answer* that the attacker gets, and two answers are possible. For each answer, the attacker names the most probable path that agrees with it. If the answer is "at home", that path stays at home in both hours, and its probability is 0.4. If the answer is "not at home", that path stays at the office, also with probability 0.4. The attacker is right whenever Dan takes one of these two paths, so we add their probabilities. In the code, each row of `two_hours` belongs to one answer, so we take the maximum of each row and add these maxima:

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
# | wants | to name the target's path $X = (X_1, \dots, X_T)$ with at most $s$ wrong steps ($s = 0$: the whole path) |
# | knows | where everybody else is, in every step |
# | knows | how the target usually moves, in the form of a Markov chain |
# | sees | the published counts |
#
# What the attacker knows about the target before seeing any count is a probability distribution over paths. The paper calls this distribution the prior; we call it the **mobility model**, because the paper also uses the word "prior" for a particular guess.
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
# - Where the sensors stand does not depend on the counts. (Here the paper also lists that one sensor is switched on in each step.) [The next chapter](fano-adaptive) drops this assumption.
# - **Different people move independently.**
#
# The assumption that people move independently is strong. It is needed although the attacker knows where everybody else is: if people moved together, this knowledge would itself reveal something about the target, and the bounds count only what the sensors reveal. Among the six people of our small example, Ada and Ben always walk together. An attacker who knows where Ben is also knows where Ada is, before anything is published. No bound in this chapter covers people who move together.
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
everybody = range(6)
all_but_dan = [user for user in everybody if six.users[user] != "Dan"]
count = aggregate(six, [everybody])[0][STATION]
others = aggregate(six, [all_but_dan])[0][STATION]
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
# Example 1 of the paper illustrates how much this depends on the person. A count at a place in New York reveals much about a New Yorker who is often there (half of the time, say, as in {numref}`fig-fano-bit`), but next to nothing about a Parisian, who almost never is. Differential privacy ({prf:ref}`def-release`) gives both people the same $\varepsilon$, which is infinite for exact counts. The authors of the paper want a measure that differs from person to person.
#
# (fano-to-a-path)=
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
# Mutual information is symmetric in $X$ and $Y$: it also equals $H(Y) - H(Y \mid X)$. The reason is that $H(X) + H(Y \mid X)$ and $H(Y) + H(X \mid Y)$ are both the entropy of the pair $(X, Y)$. Because the attacker knows where everybody else is, the target's path is all that is unknown about the exact counts. So $H(Y \mid X) = 0$ and $I = H(Y)$: **the information of exact counts is the entropy of the answers.** (If there are several counts, an answer is the whole sequence of bits.) For the two places and the one count of the first section, we can compute all three quantities by hand:

# %%
H_two = entr(two_hours).sum()
I_two = entr(two_hours.sum(axis=1)).sum()
print(f"H(X) = {H_two:.2f}, I = {I_two:.2f}, H(X | Y) = {H_two - I_two:.2f} nats")

# %% [markdown]
# The count has two equally probable answers, so it removes $\log 2$ nats of uncertainty. What remains is $h(0.2)$, the uncertainty about the second hour.

# %% [markdown]
# (fano-six)=
# ## Which path is the most probable?
#
# How can an attacker find the most probable path among many? We first need a mobility model for Dan. From here on, Dan moves among five places; the two places of the first section were a simplification. The attacker estimates it from Dan's diary, a record of where he was in each of eight hours. A fifth place, *elsewhere*, stands for all hours in which he was at none of the four places in the data. ([Where was Dan?](crowd.ipynb) calls it *null*.) We tally Dan's seven moves in a table, with a row for each place that he leaves, and divide each row by its sum, which gives the transition probabilities. As in the paper, the initial distribution $\pi$ is the stationary distribution. We compute it as the distribution after very many moves: after 1,000 moves, all rows of the matrix of probabilities agree, so it no longer matters where Dan started and we can take any row. (For some people this does not work; the note at the end of this section describes what the library does then.)

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
# 2. for $t = 2, \dots, T$: $f(t, x) = \ell_t(x) \max_{x'} P(x', x) f(t-1, x')$, and remember the maximising $x'$ (if several tie, any one of them);
# 3. $\hat X_T = \arg\max_x f(T, x)$; then follow the remembered places back.
# ````
#
# The result is the **maximum a posteriori** path, or **MAP** for short: the most probable path given the counts. We also use the name MAP for the attack that guesses this path. In the code we add logarithms instead of multiplying probabilities. An exact count either allows a place or forbids it, so the log-likelihood of a place is 0 or $-\infty$.

# %%
sensors, bits = np.full(4, STATION), np.array([0, 1, 0, 0])
allowed = (np.arange(5) == STATION) == bits[:, None]  # step x place
log_likelihood = np.where(allowed, 0.0, -np.inf)

pd.DataFrame(allowed, range(1, 5), places).astype(int)

# %% [markdown]
# In this table, a 1 marks a place that the count of that hour allows. The next cell performs the first two steps of the algorithm. For every place, `remembered` stores the maximising place one step earlier. If you fill in the table by hand, you will find a tie in the second hour; remember either place.

# %%
score, remembered = dan.log_initial + log_likelihood[0], []
f = [np.exp(score)]
for t in range(1, 4):
    reach = score[:, None] + dan.log_transition  # from row to column
    remembered.append(reach.argmax(axis=0))
    score = reach.max(axis=0) + log_likelihood[t]
    f.append(np.exp(score))
f = pd.DataFrame(f, range(1, 5), places).rename_axis("f(t, x), hour t")
plots.show_table(f.round(4), "viterbi")

# %% [markdown]
# In the third step, we begin at the largest value of the last hour and follow the remembered places back:

# %%
path = [score.argmax()]
for before in reversed(remembered):
    path.insert(0, before[path[0]])
print([places[x] for x in path])

# %% mystnb={"figure": {"name": "fig-fano-trellis", "caption": "The table of f, drawn as a trellis with one column for each hour. Each arrow starts at a place from which the largest value is reached. The two dashed arrows tie, and the algorithm remembers one of them. Grey places are excluded by a count, or no possible path leads to them. The algorithm takes the largest f of the last hour and follows the remembered arrows back along the thick path. A second path has the same probability; which of the two is found depends on rounding."}, "image": {"alt": "Four columns of five places. In hour 2 only the station remains, with dashed arrows from the office and from elsewhere. From there arrows lead to home and elsewhere in hour 3, from home to the office and from elsewhere to the park in hour 4. The thick path is office, station, home, office."}} tags=["hide-input"]
figures.show_trellis(f, dan.transition, path)

# %% [markdown]
# Every number in the table can be checked by hand, and {numref}`fig-fano-trellis` shows where each number comes from. The sensor saw Dan in the second hour, so he was at the station then. He may have come from the office, with probability $\tfrac17 \cdot 1$, or from *elsewhere*, with probability $\tfrac27 \cdot \tfrac12$. Both products are $\tfrac17$, so there is a tie. The other path with the same probability is *elsewhere*, station, home, office. Rounding decides which of the two the program prints. From the station he goes either home or *elsewhere*, so in the third hour each of these places has half of $\tfrac17$. In the fourth hour, the office keeps this value because home always leads to the office, but the park gets only half of it because Dan goes from *elsewhere* to the park only half of the time. The largest value of the last hour is therefore at the office, and the most probable path ends there.
#
# Without counts, all likelihoods $\ell_t(x)$ are 1. The same algorithm then finds the most probable path under the mobility model alone. This path is the **maximum a priori** guess (Prop. 2 of the paper). We use it as the baseline for MAP, because it shows what habits reveal before anything is published.
#
# ```{note}
# The names of the two guesses are easily confused. *Maximum a posteriori* uses the counts; it is `"viterbi"` in the code and *MAP* in the tables. *Maximum a priori* ignores them; it is `"prior"` in the code and *maximum a priori* in the tables.
# ```
#
# How often does each of the two guesses name the whole path correctly? The library computes the probabilities for three of the six people, with exact counts at the station in four hours. The next section checks Dan's value for MAP by listing all his paths.

# %% tags=["hide-input"]
three = fano.losses_by_user(six, ["Ada", "Dan", "Eve"], sensors)
shown = three[["H", "I", "prior", "MAP"]].rename(
    columns=figures.WORDS | {"H": "H(X), nats", "I": "I, nats"}
)
plots.show_table(shown.map("{:.3f}".format), "three-users")

# %% [markdown]
# Given the mobility models, these probabilities are exact: the library computes them without simulation ([a later section](fano-fig5) explains how). So the table needs no confidence intervals. A comparison of the last two columns shows what the counts add to the attacker's knowledge of habits. We compare them by their ratio:
#
# - For Ada, the counts raise the success from 0.286 to 0.857, by a factor of three. (Here we ignore Ben, who always walks with her.)
# - For Dan, the counts raise the success by a factor of four.
# - For Eve, the counts reveal nothing to three decimals. In her diary, Eve starts at the station and never comes back, so her mobility model gives the station a probability of almost 0. Even so, if her model is right, Eve's habits alone are enough to name the whole path correctly in one case out of five.
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
# the four bits of each path as one number from 0 to 15; shape (625,)
answers = (paths == sensors) @ [8, 4, 2, 1]
best = pd.Series(probability).groupby(answers).max().sum()
print(f"{best:.3f}")

# %% [markdown]
# This number equals the success of MAP for Dan in the table above. If the whole path must be right ($s = 0$), no guess is better than MAP.
#
# What if up to $s$ steps may be wrong? Then a guess succeeds for every path that differs from it in at most $s$ steps. The set of these paths is called the **ball** around the guess. For each sequence of bits, the best guess is the centre of the most probable ball. If we ignore the bits, the same computation gives the best possible success *without counts*, that is, the largest probability of a ball. We call it $Q$; it has one value for each $s$.

# %%
# a row for each path, a column for each answer; shape (625, 16)
joint = probability[:, None] * np.eye(16)[answers]
# in how many steps a guess (row) differs from a path (column); shape (625, 625)
wrong = (paths[:, None] != paths).sum(axis=2)
guess_of_MAP = joint.argmax(axis=0)  # for each answer, its most probable path
rows = []
for s in range(4):
    ball = wrong <= s
    with_counts = ball @ joint  # a row for each guess, a column for each answer
    row = {"best": with_counts.max(axis=0).sum()}
    row["MAP"] = with_counts[guess_of_MAP, range(16)].sum()
    without_counts = ball @ probability
    row["best without counts (Q)"] = without_counts.max()
    row["maximum a priori"] = without_counts[probability.argmax()]
    rows.append(row)
enumerated = pd.DataFrame(rows).rename_axis("s")
plots.show_table(enumerated.map("{:.3f}".format), "enumerated")
by_library = [rec.exact_loss(dan, sensors, s) for s in range(4)]
print("MAP, by the library:", ", ".join(f"{value:.3f}" for value in by_library))

# %% [markdown]
# The last line of the output shows that the library's function `exact_loss`, which does not list the paths, finds the same values for MAP. In the table, MAP is no longer the best guess from $s = 2$ on, because it maximises the probability that the *whole* path is right. The [next chapter](fano-modes) describes a better guess for this case, which needs no enumeration.
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
# So $p_e \ge p_e^*$, where $p_e^*$ is the smallest $p_e$ that satisfies the inequality. Let $Q$ be the best success without counts for $s = 0$, that is, $Q = \max_x \Pr[X = x]$ (the paper writes $p^*$). The *advantage* over guessing without counts satisfies
#
# $$\mathrm{Adv} = \frac{\Pr[\hat X = X] - Q}{1 - Q} \le \frac{1 - p_e^* - Q}{1 - Q} .$$
# ````
#
# We now compute this bound for Dan. Under exact counts, $I$ is the entropy of the answers ({prf:ref}`def-fano-information`). We subtract it from $H(X)$ to get the left side of the inequality, and then search a grid for the smallest $p_e$ that satisfies it. Which value should $n$ have? The paper counts all $M^T = 625$ paths. Only 17 of them are possible under Dan's mobility model, so we try both values of $n$. The grid has steps of $10^{-5}$, so the printed bound on the success may be too small by at most $10^{-5}$. (The library solves the inequality without a grid.)

# %%
p_e = np.linspace(0, 1, 100_001)


def largest_success(left, right):  # right: one value for each p_e
    return 1 - p_e[right >= left].min()


H_dan = entr(probability).sum()
I_dan = entr(np.bincount(answers, probability)).sum()
Q_dan = probability.max()
left_dan = H_dan - I_dan
print(f"left side: {H_dan:.3f} - {I_dan:.3f} = {left_dan:.3f} nats")
possible = probability > 0
success_at_most = {
    n: largest_success(left_dan, h(p_e) + p_e * np.log(n - 1))
    for n in (625, possible.sum())
}
by_fano = pd.DataFrame({"success": {"best attack": best}})
for n, bound in success_at_most.items():
    by_fano.loc[f"bound, n = {n}"] = bound
by_fano["p_e"] = 1 - by_fano["success"]
by_fano["advantage"] = (by_fano["success"] - Q_dan) / (1 - Q_dan)
plots.show_table(by_fano.map("{:.3f}".format), "dan-by-fano")

# %% mystnb={"figure": {"name": "fig-fano-sides", "caption": "Fano's inequality for Dan's path under four exact counts. The left side (dashed) is the uncertainty that the counts leave. The right side is the most that a guess with failure rate p_e can leave, if n counts all 625 paths (thick curve) or only the 17 possible ones (thin curve). Failure rates to the left of the crossing p_e* of a curve with the dashed line are impossible; everything to the left of the second crossing is shaded. The smaller n excludes more failure rates, but the best attacker still fails far more often than it requires (dotted line)."}, "image": {"alt": "Two curves, the right side of Fano's inequality for n = 625 and, below it, for n = 17, rise from zero and bend. The left side is a level line, which crosses the upper curve at a failure rate of 0.077 and the lower one at 0.135. The area to the left of the second crossing is shaded as impossible. A dotted line marks the best attacker's failure rate, 0.429, far to the right."}} tags=["hide-input"]
right_sides = {n: h(p_e) + p_e * np.log(n - 1) for n in success_at_most}
figures.show_both_sides(p_e, right_sides, left_dan, 1 - best)

# %% [markdown]
# In the table, the bounds are the largest success and advantage, and the smallest $p_e$, that Fano's inequality allows. The advantage is 0 for the best guess without counts and 1 for an attacker who is always right. The best attack on Dan is halfway between the two. Fano's inequality allows an advantage of 0.843 even with the smaller value, $n = 17$.
#
# So the bound is correct, but it is far above the success of the best attack. The derivation suggests two weaknesses. First, $n$ is too large: the bound treats a wrong guess as if the path could be any of the other $n - 1$ paths, although the counts exclude most of the 17 possible paths. Second, the inequality uses only the *average* uncertainty, $H(X) - I$, and ignores that some answers leave more uncertainty than others. We address the two weaknesses in turn and see how far the bound falls.
#
# (fano-refined)=
# ### A smaller $n$
#
# A good attacker names one of the paths that agree with the answer. (Any other guess is certainly wrong, so a bound for good attackers covers it.) Look at one answer $y$, and let the guess fail with probability $p_y$ after this answer. The inequality then holds for $p_y$ and the uncertainty that this answer leaves, with $n$ equal to the number of paths that agree with it. It still holds if we let $n$ be the largest of these numbers for every answer, because a larger $n$ only raises the right side. With this $n$, write $r(p) = h(p) + p \log(n - 1)$ for the right side, and let $p_e$ be the average of the $p_y$. Then
#
# $$H(X) - I = \sum_y \Pr[y]\, H(X \mid Y = y) \;\le\; \sum_y \Pr[y]\, r(p_y) \;\le\; r(p_e) .$$
#
# The first inequality is Fano's inequality for each answer. The second is Jensen's inequality: $r$ is concave, so the average of the $r(p_y)$ is at most $r$ at the average of the $p_y$. How many paths does each of Dan's answers leave?

# %%
left_over = pd.Series(possible).groupby(answers).sum()
left_over = left_over[left_over > 0]  # answer -> number of paths that it leaves
print("paths left by each possible answer:", left_over.tolist())
n_most = left_over.max()
on_average = largest_success(left_dan, h(p_e) + p_e * np.log(n_most - 1))
print(f"average uncertainty, n = {n_most}: success at most {on_average:.3f}")

# %% [markdown]
# ### Each answer's own uncertainty
#
# To address the second weakness, we apply the inequality to each answer separately. In the next table, each row is one answer, written as the four bits of the four hours. The first column lists the conditional probabilities, given the answer, of the paths that agree with it. For each answer we compute two bounds: one with $n = 4$, so that the answers differ only in their uncertainty, and one in which $n$ is the number of paths that the answer leaves (its *own n*). The bounds and the success of the best attack are multiplied by the probability of the answer, so that they can be added up over all answers.

# %%
rows = {}
for answer, own_n in left_over.items():
    with_answer = probability[possible & (answers == answer)]
    of_answer = with_answer.sum()  # the probability of this answer
    shares = with_answer / of_answer
    # minus 1e-9, so that rounding cannot make an allowed p_e = 0 look forbidden
    uncertainty = entr(shares).sum() - 1e-9
    listed = ", ".join(f"{share:.2f}" for share in np.sort(shares)[::-1])
    row = {"probabilities of the paths, given the answer": listed}
    for name, n in (("n = 4", n_most), ("own n", own_n)):
        # if one path is left, no other path is possible: log 1 in place of log 0
        right = h(p_e) + p_e * np.log(max(n - 1, 1))
        row[f"bound, {name}"] = of_answer * largest_success(uncertainty, right)
    rows[f"{answer:04b}"] = row | {"best attack": with_answer.max()}
by_answer = pd.DataFrame.from_dict(rows, orient="index").rename_axis("answer")
plots.show_table(by_answer.round(3), "by-answer")
added_up = by_answer[["bound, n = 4", "bound, own n", "best attack"]].sum()
print("added up:", added_up.map("{:.3f}".format).to_dict())

# %% mystnb={"figure": {"name": "fig-fano-refined", "caption": "Five bounds on the success against Dan, from Fano's inequality. In the first three rows the inequality is applied once, to the average uncertainty, with a smaller and smaller n. In the last two rows it is applied to each answer by itself. Every step lowers the bound, and the last one comes close to the best attack (dotted line)."}, "image": {"alt": "Five dots on an axis of the probability of success. From top to bottom they move to the left: all paths, n = 625, at 0.923; possible paths, n = 17, at 0.865; the paths that an answer leaves, at most 4, at 0.780; each answer's own uncertainty with n = 4, at 0.690; each answer's own uncertainty and own n, at 0.602. A dotted line marks the best attack at 0.571."}} tags=["hide-input"]
named = ("all paths, n = {}", "possible paths, n = {}")
refined = {
    word.format(n): bound
    for word, (n, bound) in zip(named, success_at_most.items(), strict=True)
}
refined[f"paths that an answer\nleaves, at most: n = {n_most}"] = on_average
refined["each answer's own\nuncertainty, n = 4"] = added_up["bound, n = 4"]
refined["each answer's own\nuncertainty and own n"] = added_up["bound, own n"]
figures.show_refinements(refined, best)

# %% [markdown]
# {numref}`fig-fano-refined` shows all five bounds. Each of the eight possible answers leaves at most four paths, and $n = 4$ in place of 17 lowers the bound from 0.865 to 0.780. With $n = 4$ for every answer, each answer's own uncertainty lowers it further, to 0.690. If each answer also has its own $n$, the number of paths that it leaves, the bound falls once more, to 0.602. So both weaknesses contribute to the gap between the bound and the best attack.
#
# The remaining gap is small. For a single answer, the inequality becomes an equality if all paths that agree with it, other than the guess, are equally probable. This is always the case if the answer leaves only one or two paths, so six of the eight answers have no gap. The gap comes from the two answers that leave four paths, because their three paths other than the guess are not equally probable.
#
# However, both improvements require a list of the answers and of the paths that each answer leaves, and such a list is what we wanted to avoid.

# %% [markdown]
# (fano-bounds)=
# ## Two bounds for paths with a few wrong steps
#
# How can Fano's inequality be extended to guesses with up to $s$ wrong steps? The paper does this in two ways, and in both, "the guess is right" becomes "the path is in the ball around the guess".
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
# The **tight bound** uses the mobility model in another way. Besides the information $I$, it needs only one number: $Q$, the best success without counts. Its derivation compares two joint distributions of the path and the counts. In the first distribution, the counts come from the target's path. In the second, the path and the counts have the same *marginal distributions*: the path alone and the counts alone are distributed as in the first. But the path and the counts are now independent, so no guess succeeds with probability above $Q$: whatever the counts say, the path still has the distribution that it had before, so it lies in the ball around the guess with probability at most $Q$.
#
# How different are these two joint distributions? We measure the difference between two distributions $F$ and $G$ by the **Kullback-Leibler divergence** $D(F \,\|\, G) = \sum_z F(z) \log \frac{F(z)}{G(z)}$. It is never negative, and it is 0 only if $F = G$. If $F$ is our first joint distribution and $G$ is the second, then $D(F \,\|\, G)$ is exactly the information $I$:
#
# $$D(F \,\|\, G) = \sum_{x, y} \Pr[x, y] \log \frac{\Pr[x, y]}{\Pr[x] \Pr[y]} = \sum_{x, y} \Pr[x, y] \log \frac{\Pr[x \mid y]}{\Pr[x]} = H(X) - H(X \mid Y) = I .$$
#
# The first sum does not change if we exchange $x$ and $y$, which shows once more that mutual information is symmetric. Now consider any guess. Under the first distribution it succeeds with probability $p_s$ and fails with probability $p_e = 1 - p_s$. Under the second it succeeds with some probability $Q' \le Q$ and fails with probability $1 - Q'$. If $p_s$ were much larger than $Q'$, the success of the guess would help to tell the two distributions apart. A small divergence does not allow this. Success or failure is computed from the path and the counts, and no computation can increase a divergence (the *data-processing inequality*), because merging outcomes can only hide a difference between two distributions. So the divergence of these two outcomes is at most $I$:
#
# $$p_s \log \frac{p_s}{Q'} + p_e \log \frac{p_e}{1 - Q'} \le I .$$
#
# The term $-p_e \log(1 - Q')$ on the left is never negative, so the inequality still holds without it. The rest of the left side is $-h(p_s) - p_s \log Q'$. Finally, $Q'$ is at most $Q$, and this gives the theorem ({ref}`fano-tight-proof` asks for every step).
#
# We check these steps on the two places and the one count of the first section. In the code, `together` is the first joint distribution, with a row for each path and a column for each answer, and `apart` is the second:
#
# $$\texttt{together} = \frac{1}{10} \begin{pmatrix} 4 & 0 \\ 1 & 0 \\ 0 & 1 \\ 0 & 4 \end{pmatrix}, \qquad \texttt{apart} = \frac{1}{10} \begin{pmatrix} 2 & 2 \\ \tfrac12 & \tfrac12 \\ \tfrac12 & \tfrac12 \\ 2 & 2 \end{pmatrix} .$$
#
# The rows are the paths "home, home", "home, office", "office, home" and "office, office". The columns are the answers "at home" and "not at home". In `together`, each path has its probability in the column of its own answer. In `apart`, the same probability is divided equally between the columns, because both answers have probability $\tfrac12$. The guess names "home, home" if the answer is "at home", and "office, office" otherwise, so it succeeds in the upper left and the lower right corner of the tables.

# %%
together = two_hours.reshape(4, 1) * np.repeat(np.eye(2), 2, axis=0)
apart = np.outer(together.sum(axis=1), together.sum(axis=0))
p_first, p_second = together[0, 0] + together[3, 1], apart[0, 0] + apart[3, 1]
print(f"success: {p_first:.1f} with the counts, {p_second:.1f} if they are independent")
first, second = together[together > 0], apart[together > 0]
D = (first * np.log(first / second)).sum()
of_outcomes = p_first * np.log(p_first / p_second)
of_outcomes += (1 - p_first) * np.log((1 - p_first) / (1 - p_second))
print(
    f"divergence of the outcomes {of_outcomes:.2f}, of the distributions {D:.2f} nats"
)

# %% [markdown]
# Without the link between path and counts, the guess succeeds with probability $Q = 0.4$. The second divergence is $\log 2$ nats, the information that we found for this count, and the first is smaller, as it must be.
#
# ````{prf:theorem} Tight bound (Sec. 3.3.2 of the paper, after Han and Verdú)
# :label: thm-fano-tight
# Let $p_s = 1 - p_e$ be the probability of at most $s$ wrong steps. Let $Q$ be the best success without counts for this $s$. It is the largest probability of a ball, that is, of the set of all paths that differ from one given path in at most $s$ steps. Then
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
# The right side is the **simple form** of the bound. It is weaker than the tight bound; for Eve, as we compute below, it is 0.431 instead of 0.423. The simple form shows what matters: it compares the information of the counts (plus $\log 2$) with $\log(1/Q)$, which measures how hard it is to guess well without counts.
#
# Two consequences are worth remembering. First, the tight bound is 1 exactly when $I \ge \log(1/Q)$, because only then does $p_s = 1$ satisfy the inequality. Second, if the counts reveal something and $Q$ is small enough, the tight bound falls only slowly as more steps must be right. Here, *small enough* means that $e \cdot Q$ is far below $I / \log(1/Q)$, where $e$ is Euler's number. For a person who moves at random, $Q$ typically falls at least exponentially with the number of steps that must be right, but the denominator of the simple form contains only its logarithm. If $I$ stays the same, the bound then falls roughly like $I / \log(1/Q)$, whereas the success of an attack typically falls about as fast as $Q$. {numref}`fig-fano-steps` shows both for one such person.
#
# The case $I = 0$ is different: the tight bound then falls as fast as $Q$. If $p_s$ is small, $h(p_s)$ is close to $p_s \log(1/p_s) + p_s$. The inequality then becomes approximately $\log(1/p_s) + 1 \ge \log(1/Q)$, that is, $p_s \le e \cdot Q$. So if the counts reveal nothing and $Q$ is small, the tight bound is too high by a factor of about $e$. The simple form does not show this, because of its term $\log 2$. (If the counts reveal very little, the bound falls like $Q$ at first, roughly until $e \cdot Q$ is as small as $I / \log(1/Q)$.)
#
# We now compute the loose and the tight bound for two people, by a search on a grid as before. The whole path must be right ($s = 0$, so $N = 1$).


# %%
def fano_bounds(chain):
    probability = np.exp(chain.log_probability(paths))
    H = entr(probability).sum()
    I = entr(np.bincount(answers, probability)).sum()
    Q = probability.max()
    loose = largest_success(H - I, h(p_e) + p_e * np.log(625 - 1))
    # the tight inequality, with p_s = 1 - p_e
    tight = largest_success(-I, h(p_e) + (1 - p_e) * np.log(Q))
    short = {"I": I, "Q": Q, "log(1/Q)": np.log(1 / Q)}
    return short | {"loose bound": loose, "tight bound": tight}


eve = fano.diary_chain(six, "Eve")
by_hand = pd.DataFrame({"Dan": fano_bounds(dan), "Eve": fano_bounds(eve)}).T
by_hand["best"] = [rec.best_loss(chain, sensors, 0) for chain in (dan, eve)]
shown = by_hand.map("{:.3f}".format).rename_axis("user (s = 0)")
plots.show_table(shown, "two-bounds")
simple = (by_hand["I"] + np.log(2)) / by_hand["log(1/Q)"]
print("simple form:", simple.round(3).to_dict())

# %% mystnb={"figure": {"name": "fig-fano-people", "caption": "The two bounds for two people and four exact counts, if the whole path must be right (s = 0). Stars show the best possible success, and circles show what it would be without counts. For Dan the tight bound is the larger one, and it is 1. For Eve it is the smaller one, but still about twice as large as her best success."}, "image": {"alt": "Two rows of marks on an axis from 0 to 1. Dan: best without counts 0.14, best with counts 0.57, loose bound 0.92, tight bound 1. Eve: best with and without counts 0.2, tight bound 0.42, loose bound 0.75."}} tags=["hide-input"]
figures.show_people(by_hand)

# %% [markdown]
# Which of the two bounds is smaller depends on the person. The counts reveal much about Dan: $I$ is larger than $\log(1/Q)$, so his tight bound is 1. This bound tells us nothing, because every probability is at most 1. A bound of 1 is called **vacuous**. The simple form can even exceed 1, as it does for Dan, and then it says nothing either. The counts reveal almost nothing about Eve, and her tight bound is 0.423, well below her loose bound.
#
# But even Eve's tight bound is about twice as large as it needs to be. An attacker who learns nothing from the counts cannot succeed with a probability above $Q$, and Eve's counts leave her best success at $Q = 0.200$ to three decimals. Her tight bound is larger because the derivation dropped the term $-p_e \log(1 - Q')$. [An exercise](fano-tight-proof) shows what this term would contribute.
#
# (fano-criterion)=
# ### Why can the "tight" bound be the larger one?
#
# The names of the bounds suggest that the tight bound is always the smaller one, but Dan's is not. A short calculation shows when to expect which order. (You can skip it at first reading, and go on to [the bounds without a list of paths](fano-no-list).)
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
# To decide which bound is larger, we set $p_s$ to the loose bound and compare the two sides of the criterion. If $H(X)$ is the larger side, the tight inequality still allows this value of $p_s$, so the tight bound is at least as large as the loose one. If $H(X)$ is the smaller side, the tight inequality excludes this value of $p_s$. It then also excludes every larger value, because $h(p_s) + p_s \log Q$ is concave and is 0 at $p_s = 0$, so the allowed values form an interval that starts at 0. The tight bound is therefore the smaller one. We compare the two sides for Dan and Eve; {ref}`fano-predict` is an example to solve by yourself.

# %%
p_s = by_hand["loose bound"]  # a value for each person
right_side = p_s * by_hand["log(1/Q)"] + (1 - p_s) * np.log(625 - 1)

sides = by_hand[["loose bound", "tight bound"]].copy()
sides.insert(0, "H(X)", [chain.entropy(4) for chain in (dan, eve)])
sides.insert(1, "p_s log(1/Q) + p_e log(n - 1)", right_side)
shown = sides.map("{:.3f}".format).rename_axis("user (s = 0)")
plots.show_table(shown, "sides")

# %% [markdown]
# For Dan, $H(X)$ exceeds the right side of the criterion, so his tight bound is the larger one. For Eve, $H(X)$ is below the right side, so her tight bound is the smaller one.
#
# (fano-no-list)=
# ### The bounds without a list of paths
#
# For longer paths, we need $H(X)$, $I$ and $Q$ without listing all paths. For the first two, we use the **chain rule** of entropy, which holds for any random variables $Z_1, \dots, Z_T$:
#
# $$H(Z_1, \dots, Z_T) = H(Z_1) + \sum_{t \ge 2} H(Z_t \mid Z_1, \dots, Z_{t-1}) .$$
#
# In a Markov chain, the next place depends on the earlier places only through the last one. The entropy $H(X)$ is therefore $H(X_1) + \sum_{t \ge 2} H(X_t \mid X_{t-1})$: the entropy of the first place, plus for each move the average entropy of a row of $P$.
#
# The information of exact counts is the entropy $H(B_1, \dots, B_T)$ of the answers, where $B_t$ is the bit of step $t$. Here the earlier bits do matter, so the library computes an upper bound: $H(B_1) + \sum_{t \ge 2} H(B_t \mid B_{t-1})$. Each term keeps only the last of the bits on which the chain rule conditions. This gives an upper bound, because conditioning on fewer bits cannot decrease an entropy.
#
# We write $\bar I$ for any upper bound on $I$; the tables call it *bound on I*. With $\bar I$ in place of $I$, the loose and the tight bound remain valid, and they can only become larger. For Dan and a sensor that stays at the station, all of this takes a few lines of code, because his chain is stationary and every term after the first is the same:

# %%
moves_left = 3  # a path of four steps has three moves
in_a_move = dan.initial @ entr(dan.transition).sum(axis=1)
print(f"H(X) = {entr(dan.initial).sum() + moves_left * in_a_move:.3f} nats")

at_station = dan.initial[STATION]
twice = at_station * dan.transition[STATION, STATION]  # seen in both of two steps
once = at_station - twice  # seen in the first step only; as often in the second only
two_bits = entr([twice, once, once, 1 - twice - 2 * once]).sum()
bound_on_I = h(at_station) + moves_left * (two_bits - h(at_station))
print(f"bound on I = {bound_on_I:.3f}, I = {I_dan:.3f} nats")
print(f"the library: {rec.mutual_information(dan, sensors):.3f} nats")

# %% [markdown]
# The bound is slightly larger than the information itself, because each of its terms looks back by only one bit.
#
# The paper uses an upper bound for $Q$ as well. Choose $m$ of the $T$ steps (this $m$ has nothing to do with the number $M$ of places) and a place for each of them. The path visits these places in these steps with some probability, and $q_m$ is the largest such probability over all choices of steps and places. For Dan, $q_1$ is the probability that he is at the station (no place is more probable), and $q_4$ is the probability of his most probable path. A guess with exactly $l \le s$ wrong steps is right in the other $T - l$ steps, and there are $\binom{T}{l}$ ways to choose these steps. For each choice, the guess is right in all of the chosen steps with probability at most $q_{T-l}$, so adding up over all choices and all $l \le s$ gives
#
# $$Q \le \sum_{l \le s} \binom{T}{l}\, q_{T-l} \qquad \text{(Eq. 5 of the paper)} .$$
#
# For Dan and $s = 1$, for example, the right side is $q_4 + 4\, q_3 = \tfrac17 + 4 \cdot \tfrac17 = \tfrac57$. How good is this bound on $Q$? For Dan we can compute both sides:

# %%
from itertools import combinations

q = {}
for m in (4, 3, 2, 1):
    # the places that each path visits in m chosen steps, for every choice of steps
    chosen = [paths[:, steps] for steps in map(list, combinations(range(4), m))]
    q[m] = max(pd.Series(probability).groupby([*x.T]).sum().max() for x in chosen)
print("q:", {m: round(float(value), 3) for m, value in q.items()})
for s in range(4):
    Q_s = ((wrong <= s) @ probability).max()  # Q with s wrong steps
    eq_5 = sum(binom(4, l) * q[4 - l] for l in range(s + 1))
    print(f"s = {s}: Q = {Q_s:.3f}, right side of Eq. 5 = {eq_5:.3f}")

# %% [markdown]
# For $s = 0$ both sides are equal. For $s = 2$ the right side is 2.000, although a probability is never above 1. The sum is too large for two reasons. First, it counts the same path several times: a path that agrees with the guess in all four steps also agrees with it in every pair of steps. Second, each $q_m$ is the maximum over all choices of steps and places, whereas a real guess names one fixed place for each step. For Dan, the difference between the sum and $Q$ grows with the number of wrong steps that we allow.
#
# Part of this excess could be avoided. Every successful guess is right in *at least* $T - s$ steps, so the last term alone, $\binom{T}{s}\, q_{T-s}$, is also an upper bound on $Q$, and a smaller one. We keep the sum, because it is the paper's bound. For long paths, the library computes the $q_m$ by a recursion like the Viterbi algorithm (Theorem 1 of the paper; the function `ball_terms`).
#
# (fano-ever-wrong)=
# ### Are the bounds ever wrong?
#
# We test the bounds on two hundred random Markov chains with up to five places and five steps, and with random sensors and random $s$. These chains are small enough to find the best attack by enumeration. An error in a proof or in the code that makes a bound much too small would show as a bound below the best possible success. An error that makes a bound too large would not show. The table covers the chains on which the best possible success is below 0.9, and shows how far each bound, and the success of MAP, is above it (a negative number means below).

# %%
# "analytic": no dataset, only the formulas
cases = fano.enumerated_chains(["analytic"], seed=seed)  # a row for each chain
best_success, rounding = cases["best"], 1e-9
print("chains:", len(cases))
print("loose bound below the best:", (cases["loose"] < best_success - rounding).sum())
print("tight bound below the best:", (cases["tight"] < best_success - rounding).sum())
print("MAP above the best:", (cases["map"] > best_success + rounding).sum())
print("tight below loose bound:", (cases["tight"] < cases["loose"] - rounding).sum())

# %% tags=["hide-input"]
hard = cases[best_success < 0.9]
print(f"best success below 0.9: {len(hard)} chains")
least = cases.loc[best_success < 0.35, ["loose", "tight"]].min()
print(f"best success below 0.35: least loose bound {least['loose']:.2f},", end=" ")
print(f"least tight bound {least['tight']:.2f}")
lines = ["loose", "tight", "MAP"]
distances = figures.case_table(hard, lines).map("{:.3f}".format)
plots.show_table(distances, "truth")

# %% mystnb={"figure": {"name": "fig-fano-truth", "caption": "In each panel, each point is one of the two hundred random chains; crosses are chains on which the whole path must be right. Bounds lie on or above the diagonal, and MAP lies on or below it, as they must. Where the best success is below 0.35, both bounds are still above one half."}, "image": {"alt": "Three scatter plots against the best possible success, with crosses for no wrong step and circles for one or more: the loose and the tight bound lie on or above the diagonal, MAP on or below it. The bounds of most circles are 1."}} tags=["hide-input"]
figures.show_cases(cases, lines)

# %% [markdown]
# No bound is below the best possible success, and MAP is never above it. On these small chains, the "tight" bound was never below the loose one; {ref}`fano-random` and {ref}`fano-random-errors` show why. On the large map with which the next section begins, success is rare, and the tight bound is the smaller one.

# %% [markdown]
# (fano-fig5)=
# ## How far are the bounds from an attack on longer paths?
#
# We now compare attacks and bounds on longer paths. The paper's **simulated person** walks on a line of 100 places for 10 steps. The probability of moving from $i$ to $j$ is proportional to $e^{-|j-i|/(\tau M)}$, where the parameter $\tau$ sets how long the moves are. In every step, one sensor is switched on at a place that is drawn uniformly at random.
#
# In the code, `n_locations` is the number of places $M$ (100), `n_epochs` is the number of steps $T$ (10), `tau` is $\tau$ (0.1), and `allowed_errors` is $s$ where we fix it (5). We draw `n_sequences` (20) sequences of sensors.

# %%
line, place = rec.distance_chain(n_locations, tau), np.arange(n_locations)
distance = np.abs(place[:, None] - place)
length = (line.initial[:, None] * line.transition * distance).sum()
print(f"average length of a move: {length:.1f} places")

# %% [markdown]
# Although there are far too many paths to enumerate, the success of MAP and of the maximum a priori guess can be computed exactly. The maximum a priori guess is one fixed path, so it is enough to move along the chain step by step and to count the right steps. For MAP, an exact computation is possible because a *sighting*, that is, a step in which the sensor sees the target, cuts the path in two. We can check this on Dan. If the sensor sees him in the second hour, what he did before says nothing about what he does afterwards, and the probabilities multiply. In the next cell, `seen` has a row for each place in the first hour and a column for each pair of places in the last two hours:

# %%
seen = probability.reshape(5, 5, 25)[:, STATION]  # first hour x last two hours
before, after = seen.sum(axis=1), seen.sum(axis=0) / seen.sum()
print("a product:", np.allclose(seen, np.outer(before, after)))

# %% [markdown]
# So we can treat each stretch between two consecutive sightings separately. The first stretch starts where the path starts, and the last one ends where the path ends:

# %% mystnb={"figure": {"name": "fig-fano-stretches", "caption": "Ten steps of a path; the sensor sees the target in steps 3 and 7 (filled boxes). The sightings cut the path into three stretches. Given the two sightings, what happens in one stretch is independent of the others."}, "image": {"alt": "Ten numbered boxes in a row. Boxes 3 and 7 are black and labelled seen. Lines below the boxes mark three stretches: steps 1 and 2, steps 4 to 6, and steps 8 to 10."}} tags=["hide-input"]
figures.show_stretches(10, [3, 7])

# %% [markdown]
# What MAP guesses inside a stretch depends only on the sightings at its two ends and on the sensors in between. A stretch is determined by its first and its last step, so there are only about $T^2 / 2$ possible stretches. The library computes the distribution of the number of right steps in each possible stretch, and combines these distributions along the path. The function `exact_loss` works in this way, and we have already checked it on Dan: in [the section on the best attack](fano-truth), its values for MAP agree with the enumeration for every $s$. Nothing about the path is simulated: for given sensors, the success of MAP is exact. Chance enters only through the draw of the sensors.
#
# We add a third bound, which does not use entropy. Ten exact counts have at most $2^{10}$ possible answers. For any one answer, the probability that the attacker sees this answer *and* succeeds is at most $Q$, so no attacker succeeds with probability above $2^{10}\, Q$. We call this the **counting bound**; {ref}`fano-doubling` asks for the proof. For Dan and four counts it would say nothing, because $2^4 \cdot 0.143$ is above 1. For long paths it can be small, because $Q$ may be far below $2^{-T}$. For $Q$ we use the right side of Eq. 5. Its terms are $\binom{T}{l}\, q_{T-l}$, and `ball_terms` returns the logarithms of the $q_{T-l}$:

# %%
errors = np.arange(n_epochs)
log_q = rec.ball_terms(line, n_epochs, n_epochs - 1)
eq_5_terms = binom(n_epochs, errors) * np.exp(log_q)
# the right side of Eq. 5, by the number of right steps required
Q_bound = pd.Series(eq_5_terms.cumsum(), n_epochs - errors)
counting_bound = np.minimum(1, 2.0**n_epochs * Q_bound)
print("counting bound, all steps right:", f"{counting_bound[n_epochs]:.1e}")

# %% [markdown]
# {numref}`fig-fano-steps` shows the results by the number of right steps required, $T - s$, and the folded table above it has the values. The results depend on where the sensors stand, so we average over the 20 draws. The brackets in the table contain 95% intervals for this average.

# %% tags=["hide-input", "hide-output"]
person = {"n_epochs": n_epochs, "tau": tau, "n_sequences": n_sequences, "seed": seed}
# every attack and bound but the counting bound, by the number of right steps required
steps = fano.sweeps(
    ["simulated"], n_locations=n_locations, map_sizes=[], times=[], **person
)  # [] and []: the map and the period stay as they are
steps["counting"] = steps["value"].map(counting_bound)
lines = ["loose", "tight", "counting", "MAP", "prior"]
swept = figures.swept_table(steps, lines, "right steps required", most=n_epochs)
plots.show_table(swept, "steps")

# %% mystnb={"figure": {"name": "fig-fano-steps", "caption": "Success of attacks, and bounds on it, for the simulated person. The horizontal axis is the number of steps that must be right. The vertical axis is logarithmic, and 95% intervals over sequences of sensors are mostly smaller than the marks. The attacks fall steeply, and the two Fano bounds fall slowly. If all steps must be right, the tight bound is nine powers of ten above MAP (double arrow), and the loose bound is ten powers of ten above it. The counting bound (thin line) is 1 for few required steps. From five steps on it falls even more steeply than MAP, but stays hundreds to thousands of times above it."}, "image": {"alt": "Logarithmic plot against the number of right steps required: the maximum a priori guess and MAP fall steeply, the tight and the loose bound fall slowly and end many orders of magnitude above. A thin line, the counting bound, is level at 1 up to four steps, then falls even more steeply than MAP and ends less than three orders of magnitude above it. A double arrow at ten steps is labelled 9 powers of ten."}} tags=["hide-input"]
xlabel = f"right steps required, of {n_epochs}"
figures.show_swept(steps, lines, xlabel, gap=("tight", "MAP"))

# %% [markdown]
# ```{note}
# The maximum a priori guess is not the best guess without counts. If only one right step is required, an attacker does better by naming the same place in every step ([an exercise](fano-lucky) computes how often this succeeds). The paper's condition for $s = 5$ can be read as $d \le 5$ or as $d < 5$. The first reading asks for 5 right steps, and the second for 6.
# ```
#
# In this experiment, the tight bound is below the loose one for every number of required steps, in line with the paper, which calls the gap between the two bounds large. The map is large, so a sensor at a random place seldom sees this person, and the counts reveal little compared with $\log(1/Q)$. How little? For ten counts, the library can also compute the information itself, because there are only 1,024 possible answers (the [section on noise](fano-fig7) shows the computation). The next cell compares it with the bound $\bar I$. It then computes, for each number of right steps required, $\log(1/Q)$ with $Q$ from Eq. 5, and the simple form with $\bar I$. The table adds the tight bound.

# %%
sensors_drawn = fano.sample_sensors(seed, n_locations, n_epochs, n_sequences)
I_line = rec.mutual_information(line, sensors_drawn, information="exact").mean()
I_bar = rec.mutual_information(line, sensors_drawn).mean()
print(f"possible answers: {2**n_epochs:,}; information {I_line:.3f}", end=", ")
print(f"bound on I {I_bar:.3f} nats")
log_needed = -np.log(Q_bound.sort_index())
simple_form = (I_bar + np.log(2)) / log_needed

# %% tags=["hide-input"]
needed = pd.DataFrame({"log(1/Q)": log_needed.map("{:.1f}".format)})
needed["simple form"] = simple_form.map("{:.3f}".format)
tight = [
    rec.tight_bound(line, sensors_drawn, n_epochs - k).mean() for k in needed.index
]
needed["tight bound"] = [f"{bound:.3f}" for bound in tight]
plots.show_table(needed.rename_axis("right steps required"), "needed")

# %% [markdown]
# Averaged over the sequences of sensors, the ten counts together reveal 0.553 nats, which is less than one bit, and the bound of 0.554 nats is almost equal to this. Without counts, the best guess of all ten steps succeeds with probability $Q \approx e^{-26.3}$, so $\log(1/Q)$ is 26.3 nats. The information of the ten counts is only about 2% of this. The simple form exceeds the tight bound, as it must, but by less than a factor of two.
#
# For the whole path of ten steps, we also compare the two sides of the [criterion](fano-criterion) at the loose bound, with $\log n$ in place of $\log(n - 1)$ (for $n = 10^{20}$, the two agree in all printed digits):

# %%
p_s = rec.loose_bound(line, sensors_drawn, 0).mean()
H_line, log_n = line.entropy(n_epochs), n_epochs * np.log(n_locations)
log_Q = np.log(Q_bound[n_epochs])
right_side = p_s * -log_Q + (1 - p_s) * log_n
print(f"criterion: H(X) = {H_line:.1f}, right side = {right_side:.1f}")

# %% [markdown]
# The right side of the criterion, 42.5, exceeds $H(X)$, so the tight bound is smaller than the loose one, as we expect when success is rare.
#
# (fano-why-far)=
# ### Why are the bounds so far above the best attack?
#
# If all ten steps must be right, no guess is better than MAP, and MAP succeeds with a probability of only about $10^{-11}$. The tight bound is nine powers of ten above MAP, and the loose bound is ten powers of ten above it. Because no attack can do better than MAP here, the gap must come from the bounds. To find out what keeps each bound high, we compute both a second time, as if the counts revealed nothing ($I = 0$):

# %%
success = np.logspace(-13, 0, 100_001)  # a grid that resolves small probabilities
for known in (I_bar, 0):
    loose_all = largest_success(H_line - known, h(p_e) + p_e * log_n)
    tight_all = success[h(success) + success * log_Q >= -known].max()
    print(f"I = {known:.3f}: loose bound {loose_all:.3f}, tight bound {tight_all:.1e}")
print(f"H(X) = {H_line:.1f}, log n = {log_n:.1f}, difference {log_n - H_line:.1f} nats")
print(f"I = 0: the loose inequality allows p_e = {1 - loose_all:.2f}")
print(f"e Q = {np.e * np.exp(log_Q):.1e}")

# %% [markdown]
# *The loose bound is high because of its term $\log(n - 1)$.* If the counts revealed nothing, the loose bound would still be 0.170. Its term $\log(n - 1)$ treats a wrong guess as if all other paths were equally likely. A path drawn uniformly from all $n$ paths has an entropy of $\log n$. This person's entropy $H(X)$ lies 7.4 nats below that, so the inequality still holds when $p_e$ is as low as 0.83.
#
# *The tight bound is high because of the information.* If the counts revealed nothing, the tight bound would fall to $1.0 \cdot 10^{-11}$, close to $e \cdot Q$. But $I$ is an average, and an average does not say how the information is spread over the answers.
#
# Imagine another release. With probability $\alpha$ it reveals the whole path, and otherwise it reveals nothing. In the first case it removes all $H(X)$ nats of uncertainty and in the second case none. (Whether it reveals the path is decided without looking at the path, so the answer "nothing" leaves the uncertainty at $H(X)$.) Its information is therefore $\alpha H(X)$. We choose $\alpha$ so that this is the information of our ten counts:

# %%
alpha = I_line / H_line
print(f"alpha = {I_line:.3f} / {H_line:.1f} = {alpha:.3f}")

# %% [markdown]
# An attacker who sees this release succeeds with probability at least $\alpha = 0.014$, because the release sometimes shows the whole path. A bound that uses only the mobility model and the amount of information cannot tell this release from our ten counts. It must hold for both, so it cannot be below 0.014. The tight bound of 0.026 is less than twice this value, so no better proof from the same two facts could lower it to half its value. A much better bound has to use more than the amount of information; {ref}`fano-alpha` continues this example.
#
# One way to use more than the amount of information is to count the possible answers. From one required step to ten, $\log(1/Q)$ grows only from 1.9 to 26.3, while the bound on $Q$ falls by more than ten powers of ten. The tight bound depends on this logarithm, but the counting bound falls like the bound on $Q$, because its factor of $2^{10}$ is always the same. From six required steps on, the counting bound is below the tight bound. For ten required steps, it is less than three powers of ten above MAP.
#
# The next chapter derives the [moment bound](fano-gap), which stays close to the success of the attack even if few steps must be right. We take its mean over the twenty sequences of sensors, as for the other bounds, and divide this mean by the mean success of MAP:

# %% tags=["hide-input"]
of_steps = steps.groupby("value")[["moments", "MAP"]].mean()
times_MAP = (of_steps["moments"] / of_steps["MAP"]).to_frame("moment bound / MAP")
shown = times_MAP.map("{:.2f}".format).rename_axis("right steps required").T
plots.show_table(shown, "moments")

# %% [markdown]
# For every number of required steps, the moment bound is at most 2.02 times the success of MAP. For the whole path, the ratio is 1.00; the next chapter shows that the two are equal.
#
# ### Is the tight bound always the smaller one on a map?
#
# No. If the tight bound is computed as in the paper, it can be the larger one. We now allow five of the ten steps to be wrong and compare a map of only 20 places with the map of 100. For each map we compute the tight bound twice: once with $Q$ from Eq. 5, and once with a smaller upper bound on $Q$ from the [next chapter](fano-gap), which `moment_ball` returns.

# %%
choices = binom(n_epochs, np.arange(allowed_errors + 1))  # which steps are wrong
maps = {number: rec.distance_chain(number, tau) for number in (20, n_locations)}
limits = {}  # places -> two upper bounds on Q
for places_on_map, on_map in maps.items():
    eq_5 = choices @ np.exp(rec.ball_terms(on_map, n_epochs, allowed_errors))
    smaller = rec.moment_ball(on_map, n_epochs, allowed_errors)
    limits[places_on_map] = {"Eq. 5": eq_5, "smaller Q": smaller}
    nats = -np.log([eq_5, smaller])
    print(f"{places_on_map} places: log(1/Q) is {nats[0]:.2f} with Eq. 5", end=", ")
    print(f"{nats[1]:.2f} with the smaller Q")

# %% tags=["hide-input"]
rows = {}
for places_on_map, on_map in maps.items():
    its_sensors = fano.sample_sensors(seed, places_on_map, n_epochs, n_sequences)
    I_each = rec.mutual_information(on_map, its_sensors)  # for each sequence of sensors
    loose_each = rec.loose_bound(on_map, its_sensors, allowed_errors)
    row = {"loose bound": loose_each.mean(), "bound on I": I_each.mean()}
    for name, Q_most in limits[places_on_map].items():
        right = h(p_e) + (1 - p_e) * np.log(Q_most)
        tight_each = [largest_success(-I_of_one, right) for I_of_one in I_each]
        row[f"tight bound, {name}"] = np.mean(tight_each)
    rows[places_on_map] = row
two_maps = pd.DataFrame(rows).T.rename_axis("places")
plots.show_table(two_maps.map("{:.2f}".format), "two-maps")

# %% [markdown]
# On the map of 100 places, Eq. 5 gives 8.94 nats for $\log(1/Q)$, far more than the bound on the information, and the tight bound is the smaller one. On 20 places, the "tight" bound is 1 and the loose one is slightly below it. The person is now seen more often, so the bound on the information is larger, 1.93 nats. Above all, Eq. 5 gives only 1.22 nats for $\log(1/Q)$, which is less. So the order of the two bounds on this map is a consequence of Eq. 5: with the smaller upper bound on $Q$, the tight bound would be 0.67, well below the loose one.
#
# In the online version of this chapter, you can change $M$, $T$ and $s$ here. Set $M = 20$ and $T = 10$, and look for the number of required steps at which the two bounds cross; the tight bound is drawn with Eq. 5. The next chapter explains the line *moment bound*; the counting bound is not drawn.
#
# ```{raw} html
# :file: static/fano.html
# ```

# %% [markdown]
# (fano-fig7)=
# ## What does noise take away?
#
# How much does noise reduce the success of an attack, and do the bounds reflect this? We add normally distributed noise with standard deviation $\sigma$ to each count. The attacker can now misread a bit, so the likelihoods $\ell_t$ become normal densities. The algorithm for MAP does not change otherwise. Let $p_t = \Pr[X_t = c_t]$ be the probability that the target is at the sensor in step $t$. Eq. 4 of the paper gives an upper bound on the information of such counts:
#
# $$I \le -\sum_{t=1}^{T} \Big[ p_t \log\big(p_t + (1 - p_t)\, e^{-1/(2\sigma^2)}\big) + (1 - p_t) \log\big(1 - p_t + p_t\, e^{-1/(2\sigma^2)}\big) \Big] .$$
#
# The right side is another upper bound $\bar I$ on the information, which treats each count separately. The number $1/(2\sigma^2)$ is the Kullback-Leibler divergence between the two distributions of a noisy count, with and without the target. (These distributions have densities, so an integral replaces the sum in the divergence.)
#
# Why does Eq. 4 hold? Given the target's bits, the noisy counts are independent, so their joint information is at most the sum of the information of the single counts. For one count, let $w_1 = p_t$ and $w_0 = 1 - p_t$, and let $g_1$ and $g_0$ be its densities with and without the target. The density of the count, if we do not know the bit, is the mixture $\sum_j w_j g_j$. The information is the divergence between the joint distribution of bit and count and the product of their marginal distributions, as in the derivation of [the tight bound](fano-bounds). Here this is the average divergence of $g_i$ from the mixture:
#
# $$\sum_i w_i\, D\Big(g_i \,\Big\|\, \sum_j w_j g_j\Big) = -\sum_i w_i\, \mathbb E_{g_i} \log \sum_j w_j \frac{g_j}{g_i} = -\sum_i w_i\, \mathbb E_{g_i} \log \sum_j w_j e^{\log (g_j / g_i)} .$$
#
# The function $z \mapsto \log \sum_j w_j e^{z_j}$ is convex. So by Jensen's inequality the expectation of the logarithm is at least $\log \sum_j w_j e^{-D(g_i \| g_j)}$. The divergence $D(g_i \| g_i)$ is 0, and that of the two different densities is $1/(2\sigma^2)$. So the sum over $j$ is $w_i + w_{1-i}\, e^{-1/(2\sigma^2)}$, and this gives Eq. 4.
#
# Two limiting cases can be checked by hand. If $\sigma$ is very small, $e^{-1/(2\sigma^2)}$ is almost 0, and each term of the sum is almost $h(p_t)$, the entropy of an exact bit. If $\sigma$ is very large, $e^{-1/(2\sigma^2)}$ is almost 1. Then both logarithms are almost 0, and the counts reveal almost nothing.
#
# We use a line of only ten places (`noise_places`), because MAP succeeds often enough there for noise to matter. The person's chain is stationary, so $p_t$ is the stationary probability of the sensor's place, and Eq. 4 takes three lines:

# %%
ten = rec.distance_chain(noise_places, tau)
sensors_of_ten = fano.sample_sensors(seed, noise_places, n_epochs, n_sequences)


def eq_4(p, sigma):
    e = np.exp(-1 / (2 * sigma**2))
    terms = p * np.log(p + (1 - p) * e) + (1 - p) * np.log(1 - p + p * e)
    return -terms.sum(axis=1)


p_t = ten.initial[sensors_of_ten]  # a row for each sequence of sensors
# σ (0: exact counts) -> bound on I, a value for each sequence of sensors
I_bars = {0.0: rec.mutual_information(ten, sensors_of_ten)}
I_bars |= {sigma: eq_4(p_t, sigma) for sigma in noise_stds}
for sigma in noise_stds:
    print(f"σ = {sigma:g}: I is at most {I_bars[sigma].mean():.2f} nats")

# %% [markdown]
# ### One path under noise
#
# Before the experiment, we look at a single path. We draw a path of the person, compute the person's bits under the first sequence of sensors, and add noise. The same ten noise values are multiplied by each $\sigma$. (We chose a draw on which the effect is easy to see.) The library's function `viterbi_trajectory` is the algorithm of [this section](fano-six), with normal densities as likelihoods.

# %%
rng = np.random.default_rng(seed + 1)
true_path = ten.sample(1, n_epochs, rng)[0]
noise = rng.normal(size=n_epochs)
first_sensors = sensors_of_ten[0]
seen_bits = (true_path == first_sensors).astype(int)
guesses = {}
for sigma in noise_stds:
    counts = seen_bits + sigma * noise
    guess = rec.viterbi_trajectory(ten, first_sensors, counts, sigma)
    guesses[f"MAP, σ = {sigma:g}"] = guess
    print(f"σ = {sigma:g}: {(guess == true_path).sum()} of {n_epochs} steps right")

# %% tags=["hide-input"]
second = noise_stds[:2][-1]  # the second σ, or the only one
noisy_counts = {f"count, σ = {second:g}": (seen_bits + second * noise).round(2)}
drawn = {"sensor at": first_sensors, "true path": true_path, "true bit": seen_bits}
by_step = pd.RangeIndex(1, n_epochs + 1, name="step")
one_path = pd.DataFrame(drawn | noisy_counts | guesses, by_step).astype(object).T
plots.show_table(one_path.rename_axis("step"), "one-path")

# %% [markdown]
# The places are numbered from 0 to 9. The sensor sees the person in steps 5, 7 and 9. With $\sigma = 0.1$ the attacker can read off the bits. MAP passes through the places of the three sightings, and eight steps are right. With $\sigma = 0.3$ the count of step 5 is 0.50, halfway between the two possible bits. MAP no longer passes through this sighting, and only four steps are right. In step 8 the count is 0.88, although the person is not at the sensor. This does not mislead MAP, because the sensor of this step is at place 3, too far from the places 7 and 8 of the sightings before and after it. From $\sigma = 1$ on, MAP names place 0 in every step. One can check that this is one of the two most probable paths without counts. By symmetry, the other names place 9 in every step.
#
# (fano-noise-experiment)=
# ### The experiment
#
# Now we simulate the attack. Five of the ten steps may be wrong. We simulate `n_runs` (1,000) paths once, and attack them at each value of $\sigma$ in `noise_stds`. So in every row of the next table, MAP attacks the *same* paths, and the noise is the same random draw multiplied by $\sigma$. The column *taken by noise* gives the reduction of the success compared with exact counts. It is a paired difference: for each path, we subtract the success under noise (0 or 1) from the success with exact counts, and average over the paths. The last row gives the success of the maximum a priori guess.
#
# The last column is the $\varepsilon$ of differential privacy. The unit of privacy is one person's whole path, so this $\varepsilon$ covers all ten counts together. A guarantee with an $\varepsilon$ of about 1 is usually considered strong. With $\sigma = 0.1$, $\varepsilon$ is 634. Such a guarantee says practically nothing, because it allows probabilities to differ by a factor of $e^{634}$. Gaussian noise needs a second parameter, the small allowance $\delta$ of {prf:ref}`def-kkd-dp`, which we set to $10^{-5}$.

# %%
of_ten = {
    "n_locations": noise_places,
    "n_epochs": n_epochs,
    "tau": tau,
    "allowed_errors": allowed_errors,
    "n_sequences": n_sequences,
    "seed": seed,
}
runs = fano.noisy_runs(noise_stds, n_runs=n_runs, **of_ten)  # MAP on simulated paths
bounds = fano.noise_bounds(noise_stds, **of_ten)  # tight bound, ε, maximum a priori
bounds["bound on I"] = [I_bars[sigma].mean() for sigma in bounds.index]
plots.show_table(figures.noise_table(runs, bounds), "noise")

# %% [markdown]
# For example, the reduction at the second value of $\sigma$ is the difference between two values of the column *MAP*, here with three decimals:

# %%
success_of_MAP = runs.groupby("σ")["MAP"].mean()
sigma = noise_stds[:2][-1]  # the second value, 0.3, or the only one
exact, noisy = success_of_MAP.loc[0.0], success_of_MAP.loc[sigma]
print(f"taken by noise at σ = {sigma}: {exact:.3f} - {noisy:.3f} = {exact - noisy:.3f}")

# %% [markdown]
# Noise with $\sigma = 0.1$ took nothing measurable from the success of MAP, because the attacker can still read off the bits. With $\sigma = 3$ and $\sigma = 10$, we can no longer tell the success of MAP from that of the maximum a priori guess, 0.056. **Noise can hide what the counts reveal, but not what the attacker already knows about the target's habits.**
#
# ### Why is the tight bound 1 in every row?
#
# The tight bound does not reflect the noise at all: in the table it is 1 in every row. It is 1 whenever $\bar I \ge \log(1/Q)$. This can happen for three reasons: the counts may really reveal that much, $\bar I$ may be far above the true information, or the value that we use for $Q$ may be too large. We test the three reasons one after the other.
#
# *Do the counts really reveal that much?* For exact counts, we can compute the true information. It is the entropy of the answers, and ten counts have only 1,024 possible answers. We follow the probability of each answer step by step: every step moves the person, and then splits each answer into "seen" and "not seen".


# %%
def exact_information(chain, sensors):
    reach = chain.initial[None]  # answer so far x place: probability of both
    for t, sensor in enumerate(sensors):
        if t > 0:
            reach = reach @ chain.transition
        at_sensor = np.arange(len(chain.initial)) == sensor
        reach = np.concatenate([reach * at_sensor, reach * ~at_sensor])
    return entr(reach.sum(axis=1)).sum()


I_ten = np.array([exact_information(ten, row) for row in sensors_of_ten])
print(f"possible answers: {2**n_epochs:,}")
print(f"exact counts: true information {I_ten.mean():.2f},", end=" ")
print(f"bound on I {I_bars[0.0].mean():.2f}")

# %% [markdown]
# So for exact counts, the bound on the information is only slightly too large. Whether the true information makes the tight bound vacuous depends on $Q$.
#
# *Is the value that we use for $Q$ too large?* Eq. 5 replaces $Q$ by a sum, and for Dan this sum was above 1 as soon as two wrong steps were allowed. We now compute it for the simulated person, with five wrong steps allowed:

# %%
log_q = rec.ball_terms(ten, n_epochs, allowed_errors)
print(f"right side of Eq. 5: {choices @ np.exp(log_q):.1f}")
least_Q = bounds["prior"].iloc[0]
most_Q = rec.moment_ball(ten, n_epochs, allowed_errors)
print(f"Q is at least {least_Q:.3f}, so log(1/Q) is at most {np.log(1 / least_Q):.2f}")
print(f"Q is at most {most_Q:.3f}, so log(1/Q) is at least {np.log(1 / most_Q):.2f}")
vacuous = I_ten >= np.log(1 / least_Q)
print("true information of exact counts at least log(1/Q), least Q:", end=" ")
print(f"{vacuous.sum()} of {len(I_ten)} sequences")

# %% [markdown]
# We do not know $Q$, but we know these two limits. It is at least the success of the maximum a priori guess, and the next chapter derives [the upper bound](fano-gap), which is much smaller than the right side of Eq. 5. The next figure and table show what the tight bound would be for the least and the largest possible $Q$. All columns are means over the twenty sequences of sensors, except for the last one. The last column counts the sequences on which $\bar I \ge \log(1/Q)$ even for the least possible $Q$. On these sequences, the tight bound is 1 whichever possible $Q$ we use.

# %% mystnb={"figure": {"name": "fig-fano-noise", "caption": "What noise does to the attack and to the tight bound, on ten places with five wrong steps allowed. As the noise grows, MAP falls until we cannot tell it from the guess that uses habits alone (grey dashes). The tight bound with Q from Eq. 5 stays at 1 and shows nothing of this. With the exact Q it would lie in the band, and from σ = 1 on it would fall with the noise. The horizontal axis is logarithmic; exact counts stand at its left end."}, "image": {"alt": "Success against the standard deviation of the noise. The tight bound as used is level at 1. A shaded band for the tight bound with the exact Q is at 1 up to sigma 0.3, then falls to between 0.15 and 0.32 at sigma 10. MAP with error bars falls from 0.31 to 0.06 and meets the level line of the maximum a priori guess."}} tags=["hide-input"]
with_exact = bounds[["bound on I"]].copy()
for name, Q_limit in (("least", least_Q), ("largest", most_Q)):
    right = h(p_e) + (1 - p_e) * np.log(Q_limit)
    with_exact[name] = [
        np.mean([largest_success(-I_of_one, right) for I_of_one in I_bars[sigma]])
        for sigma in bounds.index
    ]
figures.show_noise(runs, bounds, with_exact)

# %% tags=["hide-input"]
shown = with_exact.map("{:.2f}".format).rename(
    index=lambda sigma: f"{sigma:g}" if sigma else "exact",
    columns=lambda name: f"tight bound, {name} Q" if name.startswith("l") else name,
)
shown[f"sequences (of {n_sequences}) with bound on I ≥ log(1/Q), for the least Q"] = [
    (I_bars[sigma] >= np.log(1 / least_Q)).sum() for sigma in bounds.index
]
plots.show_table(shown, "noise-exact-q")

# %% [markdown]
# - *On most sequences, exact counts reveal enough to make the tight bound vacuous.* Their true information is 3.01 nats on average. On 18 of the twenty sequences it is at least $\log(1/Q)$ for every value of $Q$ between the two limits, so the tight bound would be 1 there even if we knew both $I$ and $Q$ exactly.
# - *With little noise, the bound on the information is enough to make the tight bound vacuous.* At $\sigma = 0.1$ and $0.3$, $\bar I$ is at least $\log(1/Q)$ for every value of $Q$ between the two limits, on all twenty sequences. At $\sigma = 0.1$ the attacker can still read off the bits, so we expect the true information to be close to that of exact counts. We have not computed it for noisy counts, so at $\sigma = 0.3$ we cannot say whether the counts reveal that much or whether $\bar I$ is too large.
# - *From $\sigma = 1$ on, Eq. 5 makes the tight bound vacuous.* The right side of Eq. 5 is 5.7. A probability is never above 1, so Eq. 5 says nothing about $Q$ here. We therefore have to use $Q = 1$, and then the tight inequality holds for every $p_s$, whatever $I$ is. With the exact $Q$, the tight bound would lie between the two values in the table. It would be below 1, and it would fall as the noise grows.
#
# One more detail of this table is surprising. At $\sigma = 0.1$ and $0.3$, the bound on $I$ is *above* the 3.12 of the exact counts, although noise cannot add information. The reason is that Eq. 4 treats each count separately, whereas the bound for exact counts uses what each count says about the next. Both values at small $\sigma$ are therefore too large: noisy counts cannot reveal more than the 3.01 nats of the exact ones. The paper observes the consequence on real data: for some $\sigma$, its bounds are higher than those without noise (Sec. 4.2.3).
#
# The next chapter derives a [better bound under noise](fano-noise).
#
# ```{note}
# This note concerns the table of [the experiment](fano-noise-experiment). The $\varepsilon$ in its last column is computed from the exact condition for Gaussian noise {cite:p}`balle2018improving`, which the [chapter on guarantees](kkd-label) derives. (If one person takes a different path, each of the ten counts changes by at most 1, so in Euclidean distance the ten counts have sensitivity $\sqrt{10}$.) The paper instead uses the standard formula for Gaussian noise (Sec. 2.2.1), which has been proved only for $\varepsilon$ below 1. The value of $\varepsilon$ limits even an attacker who knows everything except which of two given paths is the true one. That attacker knows far more than ours. This is why $\varepsilon$ still exceeds 1 at $\sigma = 10$, where we could no longer detect that the counts help MAP at all. [](guarantees.ipynb) shows what such a guarantee costs. The simulated paths are spread evenly over the twenty sequences of sensors, and the intervals for the success of MAP are over these paths. The last row is computed exactly, so it has no interval.
# ```

# %% [markdown]
# ## What the paper found
#
# The [replication page](replication/fano.ipynb) lists every statement of the paper with its verdict and the numbers behind this verdict. These are the most important statements:
#
# - In our experiments, as in the paper's, no bound lies below the success of an attack. This is *<a href="replication/fano.html#claim-fano-bounds-above-estimators">supported</a>*.
# - The success of attacks and the bounds fall as the number of steps that must be right grows. This is *<a href="replication/fano.html#claim-fano-fig5-steps-decreasing">supported</a>*; {numref}`fig-fano-steps` shows it. According to the table above this figure, the loose bound is 1 for one and for two required steps, and falls only as more are required.
# - The success of attacks and the bounds also fall as the number of places grows, except that the tight bound stays at 1 up to 20 places. We count this as *<a href="replication/fano.html#claim-fano-fig5-m-decreasing">supported</a>*. The table is in [the replication](fano-replicated-fig5).
# - The paper says that the tight bound almost matches the success of its attacks when few wrong steps are allowed. We test this statement with no wrong step allowed. It is *<a href="replication/fano.html#claim-fano-fig5-tight-at-small-s">supported</a>* only in a weak sense. On the paper's axis, which runs from 0 to 1, our rule counts a difference of up to 0.05 as a match. As a ratio, the gap is large: the bound is nine powers of ten above the attack.
# - The paper says that noise hardly changes the success of MAP. For the simulated person on a hundred places, this is *<a href="replication/fano.html#claim-fano-fig7-map-flat">supported</a>* by the same rule, but the rule could not have rejected it here: MAP almost never succeeds even without noise, so noise has almost nothing to take away. The table is in [the replication](fano-replicated-fig7).
#
# ## Take-aways
#
# - How much the counts help an attacker depends on the person: on how uncertain the attacker is, before each count, whether the person is at the sensor, and on how well one sighting predicts the rest of the path ({ref}`fano-slow`).
# - Every attack should be compared with what habits reveal without any count. Under strong noise, we could no longer tell the success of MAP from that of the maximum a priori guess, which uses habits alone.
# - If the counts are exact and all paths can be enumerated, the best possible success is known: we take the best guess for each answer and add up the probabilities of success.
# - A bound from Fano's inequality holds for every attacker, but it may be far above the success of the best attacker. For the simulated person's whole path, the tight bound is too high by nine powers of ten, and the loose bound by ten. For this person and these counts, no bound that uses only the mobility model and the amount of information could be as low as half of the tight bound, because another release with the same amount of information shows the whole path with probability 0.014.
# - All bounds in this chapter assume that people move independently. They do not cover friends who move together.

# %% [markdown]
# ## Exercises
#
# ```{exercise} The slow and the fast (★, 5 minutes)
# :label: fano-slow
# In Example 2 of the paper, two people move among five places. The first person stays where they are with probability 0.96, and moves to each of the other places with equal probability. The second person moves to each of the five places with probability 0.2, wherever they are. A sensor sees both people at place 0 in the first step. In the second step, a sensor at place 4 sees neither of them. For each person, how probable is it that the best guess of both steps is right? (We chose the numbers and the place of the second sensor. In the paper, the first person stays "with a probability close to 1", and the second sensor stands outside the five places.)
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
# ```{exercise} Correct a sentence (★, 10 minutes)
# :label: fano-read
# A colleague reads the tables of the section on noise and writes: "The bound on the attacker's success is 1 at every $\sigma$, so noise does not help." Use the table of [the experiment](fano-noise-experiment) to write a correct sentence. It should say what noise with $\sigma = 10$ took from the attack, what it cannot take, and what the bound shows.
# ```

# %% [markdown]
# ````{solution-start} fano-read
# :class: dropdown
# ````

# %%
strongest = max(noise_stds)
print(f"MAP: {success_of_MAP.loc[0.0]:.2f} with exact counts", end=", ")
print(f"{success_of_MAP.loc[strongest]:.2f} with σ = {strongest:g}")
print(f"habits alone: {bounds['prior'].iloc[0]:.3f}")
print(f"tight bound at σ = {strongest:g}: {bounds.loc[strongest, 'tight']:.0f}")

# %% [markdown]
# For example: "Noise with $\sigma = 10$ reduces the success of the attack MAP from 0.31 to 0.06. We cannot distinguish this from 0.056, the success of habits alone. The bound is 1 with and without noise, so it shows nothing about the effect of noise."
#
# *Learned:* a vacuous bound is not evidence of danger. It only fails to exclude danger. What noise takes away must be read from an attack, and the attack must be compared with a guess that uses no counts.
#
# ````{solution-end}
# ````
#
# ```{exercise} Same information, another release (★, 15 minutes)
# :label: fano-alpha
# Take the simulated person on 100 places, and consider the release that reveals the whole path with probability $\alpha$ and nothing otherwise. If it reveals nothing, the attacker makes the best guess without counts, which succeeds with probability $Q$. The chapter chose $\alpha$ so that the release carries the information of the ten counts. Now choose $\alpha$ so that the attacker's success is equal to the tight bound of the ten counts, 0.026. How much information does this release carry, and how many times the information of the ten counts is that? (`I_line` holds the information of the ten counts, `H_line` the entropy of the path, and `np.exp(log_Q)` is $Q$.) Then return to the $\alpha$ of the chapter, and compare the success with the counting bound of the ten counts. Does the release violate this bound? If so, why is this not a contradiction?
# ```

# %% [markdown]
# ````{solution-start} fano-alpha
# :class: dropdown
# ````
#
# The attacker succeeds with probability $\alpha + (1 - \alpha) Q$. If this is equal to the tight bound, then $\alpha = (\text{tight bound} - Q) / (1 - Q)$, and the information is $\alpha H(X)$.

# %%
Q_line = np.exp(log_Q)  # all steps right: Eq. 5 has one term and is exact
tight_line = rec.tight_bound(line, sensors_drawn, 0).mean()
alpha_tight = (tight_line - Q_line) / (1 - Q_line)
I_needed = alpha_tight * H_line
print(f"success {tight_line:.3f}: alpha = {alpha_tight:.3f}", end=", ")
print(f"information {I_needed:.2f} nats, {I_needed / I_line:.1f} times {I_line:.3f}")
of_release = alpha + (1 - alpha) * Q_line  # alpha of the chapter
print(f"alpha = {alpha:.3f}: success {of_release:.3f}", end=", ")
print(f"success / counting bound {of_release / counting_bound[n_epochs]:.1e}")

# %% [markdown]
# Because $Q$ is so small, $\alpha$ is almost equal to the tight bound. A release of this kind on which the attacker's success equals 0.026, the tight bound of the ten counts, carries 0.99 nats, 1.8 times as much information as the ten counts.
#
# With the $\alpha$ of the chapter, the success exceeds the counting bound of the ten counts by a factor of millions. This is not a contradiction, because the counting bound holds for releases with at most $2^{10}$ answers. The new release has an answer for each of the $100^{10}$ paths and one more for "nothing", so its own counting bound is 1 and says nothing.
#
# *Learned:* two releases with the same amount of information can differ by many powers of ten in what an attacker can do. The tight bound cannot tell them apart, because it sees only the amount. For a release of this kind, it is too high by a factor of only 1.8. The counting bound can tell them apart, because it uses the number of answers.
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
right_four = loose_four * np.log(1 / Q_four) + (1 - loose_four) * np.log(4 - 1)
print(f"loose bound {loose_four:.3f}")
print(f"criterion: H(X) = {H_four:.3f}, right side = {right_four:.3f}")
tight_four = largest_success(-I_four, h(p_e) + (1 - p_e) * np.log(Q_four))
print(f"tight bound {tight_four:.3f}")
best_four = two_hours.max(axis=1).sum()
print(f"above {best_four:.1f}: loose by {loose_four - best_four:.3f}", end=", ")
print(f"tight by {tight_four - best_four:.3f}")

# %% [markdown]
# The loose bound is 0.079 too high, and the tight bound 0.155.
#
# *Learned:* if we set $p_s$ to the loose bound, $H(X)$ exceeds the right side of the criterion. So the tight bound must be the larger one, and it is. Unlike Dan's tight bound, it is below 1 and therefore not vacuous. In this example, success is easy, and at a high $p_s$ the tight inequality is the weaker one.
#
# ````{solution-end}
# ````
#
# ```{exercise} Which bound is larger on the random chains? (★★, 20 minutes)
# :label: fano-random
# On the two hundred random chains, the tight bound was never below the loose one. Explain this for the chains with $s = 0$. (For $s = 0$, Eq. 5 has only one term and is exact, so it cannot be the reason.) The table `cases` has a row for each chain, with `loose`, `tight`, `s`, `M`, `T`, with `I` (the bound on $I$), and with the exact `Q`. First show by hand that the tight bound is 1 if the loose bound is 1. Then apply the criterion to the other chains. The function `figures.path_entropies(rows, seed)` gives $H(X)$ of the chains in some rows of `cases`.
# ```

# %% [markdown]
# ````{solution-start} fano-random
# :class: dropdown
# ````
#
# The loose bound is 1 if and only if $p_e = 0$ satisfies its inequality, that is, if $\bar I \ge H(X)$. No path is more probable than $Q$, so $H(X) \ge \log(1/Q)$. Then $\bar I \ge \log(1/Q)$, and the tight bound is 1 as well. On the other chains we compare the two sides of the criterion at the loose bound:

# %%
all_right = cases[cases["s"] == 0]
below_1 = all_right[all_right["loose"] < 1 - rounding]
n, p_s = below_1["M"] ** below_1["T"], below_1["loose"]
right_side = p_s * np.log(1 / below_1["Q"]) + (1 - p_s) * np.log(n - 1)
larger = figures.path_entropies(below_1, seed) > right_side
print(f"s = 0: {len(all_right)} chains; loose bound below 1: {len(below_1)} chains")
print(f"H(X) is the larger side: {larger.sum()} chains")
print(f"tight bound below 1 as well: {(below_1['tight'] < 1 - rounding).sum()} chains")
print(f"least loose bound {p_s.min():.2f}, least best success", end=" ")
print(f"{below_1['best'].min():.2f}")

# %% [markdown]
# On all 55 chains, $H(X)$ is the larger side, so the tight bound is at least as large as the loose one. These include the 28 chains on which the tight bound is below 1. On all 55 chains the loose bound is at least 0.53, so we read the criterion at a large $p_s$, although the best possible success may be as low as 0.09.
#
# *Learned:* the criterion is read at the loose bound, and not at the success of an attack. On these random chains the loose bound is always above one half, and there the tight inequality is the weaker one. For Eve, and on long paths on a large map, the order is reversed.
#
# ````{solution-end}
# ````
#
# ```{exercise} And if some steps may be wrong? (★★, 25 minutes)
# :label: fano-random-errors
# Continue {ref}`fano-random` with the chains on which $s \ge 1$. There are two candidates for the reason why the tight bound is not below the loose one: $\bar I$ is at least $\log(1/Q)$ even with the exact $Q$, or Eq. 5 makes $Q$ too large. The column `tight, exact Q` of `cases` is the tight bound with the exact $Q$. On how many chains is each candidate the reason? Why is the loose bound 1 for every $s \ge 2$?
# ```

# %% [markdown]
# ````{solution-start} fano-random-errors
# :class: dropdown
# ````

# %%
some_wrong = cases[cases["s"] > 0]
loose, with_exact_Q = some_wrong["loose"], some_wrong["tight, exact Q"]
compared = pd.DataFrame(
    {
        "chains": 1,
        "loose bound is 1": loose > 1 - rounding,
        "bound on I ≥ log(1/Q)": some_wrong["I"]
        >= np.log(1 / some_wrong["Q"]) - rounding,
        "exact Q: tight above loose": with_exact_Q > loose + rounding,
        "exact Q: tight below loose": with_exact_Q < loose - rounding,
    }
)
plots.show_table(compared.groupby(some_wrong["s"]).sum(), "compared")
shown = some_wrong[compared["bound on I ≥ log(1/Q)"] == 0]
shown = shown[["s", "loose", "tight", "tight, exact Q"]]
print("bound on I below log(1/Q):", shown.round(3).to_dict("list"))

# %% [markdown]
# *On most chains, the reason is the information.* On 128 of the 131 chains (the sum over the rows of the table), $\bar I \ge \log(1/Q)$, so their tight bound is 1. Short paths among so few places are easy to guess without counts. Then $Q$ is large and $\log(1/Q)$ is small, so the bound on the information of a few counts already exceeds it.
#
# *Eq. 5 is the reason on one chain only.* On three chains with $s = 1$, $\bar I$ is below $\log(1/Q)$. On all three, Eq. 5 raises the tight bound to 1. But on two of them the tight bound would be above the loose one with the exact $Q$ as well, so neither candidate is the reason there: the tight inequality itself is the weaker one. On the third, both bounds are 1, and the exact $Q$ would lower the tight bound to 0.994.
#
# *Why is the loose bound 1 for $s \ge 2$?* Because $\log N$ is at least $H(X) - \bar I$ on all of these chains, so that $p_e = 0$ satisfies the loose inequality. In other words, the ball is so large that somebody who knows only that the path is in it may be as uncertain about the path as somebody who knows the counts:


# %%
def ball_size(T, M, s):
    return sum(
        binom(T, wrong_steps) * (M - 1) ** wrong_steps for wrong_steps in range(s + 1)
    )


large_ball = cases[cases["s"] >= 2]
log_N = [np.log(ball_size(*row)) for row in large_ball[["T", "M", "s"]].to_numpy()]
uncertain = figures.path_entropies(large_ball, seed) - large_ball["I"]
print(f"log N at least H(X) - bound on I: {(log_N >= uncertain).sum()}", end=" ")
print(f"of {len(large_ball)} chains with s >= 2")

# %% [markdown]
# *Learned:* to find the reason for the order of two bounds, replace one ingredient at a time by its exact value. On these chains, even the exact $Q$ leaves almost every tight bound at 1, because short paths among few places are easy to guess.
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
# *Learned:* the inequality loses precision in three ways. It treats all wrong values as equally likely if the guess fails. It uses only the average rate of failures, although the guess may fail more often after some answers than after others. And it uses $H(X \mid Y)$ in place of $H(X \mid \hat X)$, although the guess may say less about the path than the counts do.
#
# ````{solution-end}
# ````
#
# ```{exercise} Prove the tight bound (★★, proof, 20 minutes)
# :label: fano-tight-proof
# Show that $-I \le h(p_s) + p_s \log Q$. Let $Q'$ be the success that the *same* guess would have if counts and path were independent. Use the *data-processing inequality*: if we apply the same function to two pairs of random variables, the Kullback-Leibler divergence between the distributions of the two results is at most the divergence between the distributions of the two pairs. Here this means that $p_s \log \frac{p_s}{Q'} + p_e \log \frac{p_e}{1 - Q'} \le I$. Then keep the term that the chapter drops. What does the inequality say for $I = 0$? How much smaller does the bound become for Eve, and for the two places of the first section?
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
# If we keep this term and $I = 0$, the divergence between the two distributions of success and failure is 0. So these distributions are equal, and $p_s = Q' \le Q$. For $I > 0$ we may again replace $Q'$ by $Q$: if $p_s$ is above $Q$, the divergence becomes smaller as $Q'$ grows towards $Q$, so the inequality still holds.


# %%
def with_the_term(I, Q):
    right = h(p_e) + (1 - p_e) * np.log(Q) + p_e * np.log(1 - Q)
    return largest_success(-I - 1e-12, right)  # 1e-12 against rounding


I_eve, Q_eve, tight_eve = by_hand.loc["Eve", ["I", "Q", "tight bound"]]
kept = with_the_term(I_eve, Q_eve)
print(f"Eve: {kept:.3f} with the term, {tight_eve:.3f} without it")
kept = with_the_term(D, two_hours.max())
print(f"two places: {kept:.3f} with the term")

# %% [markdown]
# *Learned:* the tight bound compares the real world with a world in which the counts reveal nothing. If $I = 0$ and we keep the term that the paper drops, the inequality gives $p_s \le Q$. Eve's counts reveal almost nothing, and with the term her bound is 0.202, almost equal to $Q = 0.200$. Without the term, the inequality allows a higher success, up to about $e \cdot Q$ if $Q$ is small. On the two places success is likely, so $p_e$ is small and the term makes little difference ({ref}`fano-predict` computes the bound without it, 0.955).
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
n_answers = len(np.unique(answers[possible]))
print(f"Dan: {best:.3f} <= {n_answers} x {Q_dan:.3f} = {n_answers * Q_dan:.3f}")
print(f"simulated person, all steps right: at most {counting_bound[n_epochs]:.1e}")

# %% [markdown]
# *Learned:* counting the possible answers already gives a bound. For the simulated person's whole path, this bound is $3.8 \cdot 10^{-9}$, far below the tight bound. Consider the version of the bound that multiplies $Q$ by the number of possible answers. For $s = 0$, this version is equal to the best possible success if, for every possible answer, one of the paths that agree with it has the largest probability, $Q$. For Dan this version is above 1 and says nothing, although only 8 of his 16 answers are possible.
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
best_constant = rec.exact_loss(chain, np.zeros(n_epochs, int), n_epochs - 1, "constant")
largest = []
for draw in range(30):
    ways = chain.sample(1000, n_epochs, stream(seed, "lucky", draw))
    largest.append(max((ways == x).any(axis=1).mean() for x in range(n_locations)))
low, high = metrics.mean_interval(largest)
print(f"exact {best_constant:.4f}", end="; ")
print(f"largest: mean {np.mean(largest):.4f} [{low:.4f}, {high:.4f}]")
excess = np.mean(largest) - best_constant
print(f"overstated by {excess:.3f}, {excess / best_constant:.0%} of the exact value")

# %% [markdown]
# The largest value overstates the success of the best constant guess by 0.021, about a fifth of the exact value.
#
# *Learned:* the largest of many noisy estimates is biased upwards, because it is the largest partly by chance. The attack [BEST](kk-best) in the Knock-Knock chapter has the same bias.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own fortnight (★★★, an evening)
# :label: fano-project
# Keep a diary for two weeks, with one place for each hour. Estimate your mobility model from the first week, and put a sensor at the place where you were most often. Attack the second week day by day, with the maximum a priori guess and with MAP, and compute the loose bound. On which of your days does the model fail? *A good answer* names the baseline, says how many transitions of the second week were never seen in the first, and shows one hour that the model calls impossible.
# ```

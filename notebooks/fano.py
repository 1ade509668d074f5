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
# An attack shows what *one* attacker can do. Somebody may come tomorrow and do better. Can we say what *nobody* can do better? For sensors
# that count people, {cite:t}`fanoloss` ask how much of one person's path can be rebuilt from the counts, by any method whatever. After this chapter you can
#
# - compute the best guess of a path, and tell what it owes to counts and what to habits;
# - write Fano's inequality in five lines, and read a bound off it;
# - check a bound against the truth where that can be enumerated.
#
# *For discussion:* {numref}`fig-fano-steps`. *For discussion:* is anybody safe whom no sensor ever counts? *If time is short:* leave out [noise](fano-fig7).

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
# Somebody is at home or at the office, in each of two hours. In the first hour both are equally likely; from the first to the second she stays where
# she is with chance 0.8. So there are four paths:

# %%
import numpy as np
import pandas as pd

start = np.array([0.5, 0.5])
move = np.array([[0.8, 0.2], [0.2, 0.8]])
paths = start[:, None] * move
pd.DataFrame(paths, ["first at home", "first at office"], ["then home", "then office"])

# %% [markdown]
# An attacker who must name the whole path, and sees nothing, names the most probable one. Now a sensor at home counts people in the first hour. An attacker who
# knows where all others are learns one bit: was the target at home? For each answer she names the most probable path that is left:

# %%
print("without a count:", paths.max())
print("with the first hour's count:", paths.max(axis=1).sum())

# %% [markdown]
# *For each answer, the most probable path; add up*: nobody can do better, because every attacker must name some path for each answer. The trouble is that paths become many: 100 places and 10 hours make
# $10^{20}$.

# %% [markdown]
# ## The game, and who knows what
#
# There are $M$ places and $T$ steps of time. In each step one sensor is on, at place $c_t$, and publishes how many people are there, with noise or without.
#
# | | the attacker |
# |---|---|
# | wants | the target's path $X = (X_1, \dots, X_T)$, right in all but at most $s$ steps |
# | knows | where everybody else is, in every step |
# | knows | the target's habits, as a Markov chain |
# | sees | the published counts |
#
# ````{prf:definition} Markov chain
# :label: def-fano-chain
# A person's **habits** are a chance $\pi(x)$ for each first place, and a chance $P(x', x)$ of going from $x'$ to $x$ in one step, whatever came before. The
# chain is *stationary* if a step changes nothing about where she may be: $\pi P = \pi$.
# ````
#
# ````{prf:definition} Privacy loss of a guess (Eq. 2 of the paper)
# :label: def-fano-loss
# $\Pr[d(X, \hat X) \le s]$, where $\hat X$ is the guess, $d$ the number of wrong steps, and $0 \le s < T$. The chance is over the target's path and the noise.
# ````
#
# (For its simulated data the paper writes $d < s$ once, in Sec. 4.1. We take $\le$ everywhere.)
#
# The paper assumes three things. Habits are a stationary Markov chain. The sensors do not follow the counts ([the next chapter](fano-adaptive) lets
# them). And **different people move independently**. Without the third, no count is needed to lose one's privacy: of our six people, Ada and Ben walk together, and who knows where Ben is knows where Ada is, before anything is published.

# %% [markdown]
# (fano-examples)=
# ## What one sensor says
#
# Subtraction, from [the first chapter](foundations.ipynb), turns a count into one bit about the target. All six less the other five, at the station, hour by hour, are Dan's bits:

# %%
from lib.aggregation import aggregate
from lib.datasets import load

six = load("six-users")
STATION = list(six.rois.index).index("station")
count = aggregate(six, [range(6)])[0][STATION]
others = aggregate(six, [[0, 1, 2, 4, 5]])[0][STATION]
print(count, "-", others, "=", count - others)

# %% [markdown]
# How much is a bit worth? That depends on what she believed before. If the target is at the sensor with chance $p$, the answer's *entropy* is
# $h(p) = -p \log p - (1 - p) \log (1 - p)$. We use natural logarithms; the unit is the *nat*, and $\log 2 \approx 0.69$ nats are one bit.

# %%
from scipy.special import entr  # -x log x

p = np.linspace(0, 1, 201)
h = entr(p) + entr(1 - p)

# %% mystnb={"figure": {"name": "fig-fano-bit", "caption": "What one exact count says of one person. It says most of somebody who may as well be there as not, still half as much of somebody who is there one time in ten, and next to nothing as p nears 0, or 1: of somebody who is always there a count is no news."}, "image": {"alt": "The binary entropy h(p) against p, an arch from 0 over 0.69 at one half back to 0. Two points are marked: a person who is often at the sensor, p 0.5, and one who is rarely there, p 0.1."}} tags=["hide-input"]
from lib.papers import figures as plots
from lib.papers.fano_loss import figures

plots.use_style()
figures.show_bit(p, h, {"often there": 0.5, "rarely there": 0.1})

# %% [markdown]
# This is the paper's Example 1: counts in New York say much of a New Yorker and next to nothing of a Parisian. Differential privacy
# ({prf:ref}`def-release`) gives both the same number, infinite for exact counts.

# %% [markdown]
# (fano-six)=
# ## The best guess of a path
#
# Now paths of four steps. All that the attacker has of Dan's habits is his diary of eight hours; *elsewhere* is a fifth place ([Where was Dan?](crowd.ipynb) calls it *null*). Relative
# frequencies of his seven moves make it $P$, and $\pi$ (*is there*) is the distribution that $P$ leaves as it is, as in the paper:

# %%
from lib.papers.fano_loss import experiments as fano

places = [*six.rois.index, "elsewhere"]
dan = fano.diary_chain(six, "Dan")
plots.show_table(figures.moves(dan, places), "dan")

# %% [markdown]
# For four more hours a sensor stands at the station. Dan is seen in the second hour only. Which paths are the most probable? There are $5^4 = 625$, but the most probable path that ends in $x$ goes on from the most probable path that ends in some $x'$ one step before.
#
# ````{prf:algorithm} Maximum a posteriori, MAP (Prop. 1 and App. A of the paper)
# :label: alg-fano-map
# With $\ell_t(x)$ the likelihood of the count in step $t$ if the target is at $x$:
# 1. $f(1, x) = \ell_1(x)\, \pi(x)$;
# 2. $f(t, x) = \ell_t(x) \max_{x'} P(x', x) f(t-1, x')$ for $t = 2, \dots, T$; keep the $x'$;
# 3. $\hat X_T = \arg\max_x f(T, x)$, and then back along what was kept.
# ````
#
# An exact count allows a place or forbids it; in logarithms that is 0 or $-\infty$:

# %%
sensors, bits = np.full(4, STATION), np.array([0, 1, 0, 0])
fits = (np.arange(5) == STATION) == bits[:, None]  # step x place
likely = np.where(fits, 0.0, -np.inf)

score, kept = dan.log_initial + likely[0], []
for t in range(1, 4):
    reach = score[:, None] + dan.log_transition  # from row to column
    kept.append(reach.argmax(axis=0))
    score = reach.max(axis=0) + likely[t]
path = [score.argmax()]
for before in reversed(kept):
    path.insert(0, before[path[0]])
print([places[x] for x in path])

# %% [markdown]
# There is a tie: with *elsewhere* in the first hour the path is as probable ($\frac27 \cdot \frac12 \cdot \frac12 \cdot 1 = \frac17 \cdot 1 \cdot \frac12 \cdot 1 = \frac1{14}$), and rounding decides which one is printed.
#
# Without any counts (all $\ell_t = 1$) the same lines give the **prior** guess, the most probable path of all (Prop. 2). It is MAP's own baseline. How often is the whole path right, for
# three of the six, under four counts at the station?

# %%
three = fano.losses_by_user(six, ["Ada", "Dan", "Eve"], sensors)
plots.show_table(three[["H", "I", "prior", "MAP"]].round(3), "three-users")

# %% [markdown]
# All paths are summed, nothing is sampled. $H$ is the entropy of the path; $I$ is what the four counts say of it. They lift the
# attacker's success with Ada by a factor of three, with Dan by four. (This is Ada as if Ben were not there. With Ben it is 1.) Eve's diary begins at the station and never comes back, so her chain is hardly ever there: the counts
# say nothing of her, and yet habits alone give away one path in five. ([The next chapter](fano-unseen) asks what short diaries decide.) A second baseline, the *lucky constant*, names one place for all steps, the luckiest.
#
# ## What nobody can do better

# %% [markdown]
# (fano-truth)=
# ### The truth, by enumeration
#
# 625 paths and 16 answers of the sensor can be enumerated. It is the line from the beginning:

# %%
paths = np.indices((5,) * 4).reshape(4, -1).T
chance = np.exp(dan.log_probability(paths))
answers = (paths == sensors) @ [8, 4, 2, 1]  # four bits as one number
best = pd.Series(chance).groupby(answers).max().sum()
print(f"{best:.3f}")

# %% [markdown]
# This is MAP's number: with $s = 0$ MAP is the best guess there is. If $s$ steps may be wrong, a guess is worth all the paths around it. Without answers that gives $Q$, the best success *without counts*:

# %%
from lib import reconstruction as rec

joint = chance[:, None] * np.eye(16)[answers]  # path x answer
rows = []
for s in range(4):
    near = (paths[:, None] != paths).sum(axis=2) <= s  # guess x path
    of_map, of_prior = (
        rec.exact_loss(dan, sensors, s, e) for e in ("viterbi", "prior")
    )
    best_of_all = (near @ joint).max(axis=0).sum()
    rows.append([best_of_all, of_map, (near @ chance).max(), of_prior])
names = ["best", "MAP", "best, no count", "prior"]
plots.show_table(pd.DataFrame(rows, columns=names).rename_axis("s"), "enumerated")

# %% [markdown]
# For $s = 2$ and more, MAP is not the best any longer, because it insists on the whole path. The [next chapter](fano-modes) finds a guess for that. Nor is the prior then all that habits
# give away: for one right step of four it has 0.43, and the best guess without counts 0.89. So compare MAP with the prior, and the best attacker with $Q$.
#
# ### Fano's inequality
#
# With more places and steps the truth is out of reach. Information theory has a way around it. If a guess fails with chance $p_e$, who knows the guess and whether it failed has
# little left to ask: which other value is right, if it failed.
#
# ````{prf:theorem} Fano's inequality (Eq. 1 of the paper), and the advantage
# :label: thm-fano-advantage
# If $X$ has $n$ possible values and the counts carry the information $I$ about it, for every guess
#
# $$H(X) - I \;\le\; h(p_e) + p_e \log (n - 1).$$
#
# So $p_e \ge p_e^*$, the smallest $p_e$ that satisfies it. With $p^* = \max_x \Pr[X = x]$, the *advantage* over guessing without counts is
# $\mathrm{Adv} = (\Pr[\hat X = X] - p^*) / (1 - p^*) \le (1 - p_e^* - p^*) / (1 - p^*)$.
# ````
#
# For Dan, exact counts are decided by the path, so $I$ is the entropy of the 16 answers. The left side is $2.738 - 1.970 = 0.768$ nats, from the table of three users:

# %%
information = entr(pd.Series(chance).groupby(answers).sum()).sum()
left = dan.entropy(4) - information
print(f"best {best:.3f}, advantage {(best - chance.max()) / (1 - chance.max()):.2f}")
for n in ((chance > 0).sum(), 625):
    p_e = np.linspace(0, 1 - 1 / n, 2000)
    right = entr(p_e) + entr(1 - p_e) + p_e * np.log(n - 1)
    bound = 1 - p_e[right >= left].min()
    gained = (bound - chance.max()) / (1 - chance.max())
    print(f"Fano, n = {n}: at most {bound:.3f}, advantage {gained:.2f}")

# %% mystnb={"figure": {"name": "fig-fano-sides", "caption": "Fano's inequality for Dan's path under four counts, n = 625. A failure rate left of the crossing is impossible, and even the best attacker fails far more often than that."}, "image": {"alt": "The right side of Fano's inequality rises from zero and bends; the left side is a level line that crosses it at a small chance of failure. To the left is shaded as impossible. A dotted line marks the best attacker's failure rate, far to the right."}} tags=["hide-input"]
figures.show_both_sides(p_e, right, left, 1 - best)

# %% [markdown]
# The inequality is far from tight. It prices an error as if all $n - 1$ other values were equally likely. The paper takes all $M^T$ paths, here 625. Dan's habits leave 17, which is better, and even those
# are not equally likely.

# %% [markdown]
# (fano-bounds)=
# ### Three bounds
#
# The paper has two versions for $s$ wrong steps. The first counts the paths around a guess, the second weighs them by the habits:
#
# ````{prf:theorem} Loose bound (Eq. 3)
# :label: thm-fano-loose
# With $N = \sum_{l \le s} \binom{T}{l} (M-1)^l$ paths within $s$ errors of a guess, and $p_e$ the chance to have more than $s$ wrong steps,
#
# $$H(X) - I \le h(p_e) + p_e \log \frac{M^T - N}{N} + \log N .$$
# ````
#
# ````{prf:theorem} Tight bound (Sec. 3.3.2, after Han and Verdú; Eq. 5)
# :label: thm-fano-tight
# With $p_s = 1 - p_e$, and $Q$ the chance of the most probable *ball*, the paths within $s$ errors of one, $\;-I \le h(p_s) + p_s \log Q$; the bound is the largest $p_s$ that satisfies it. $Q$ is at most
# $\sum_{l \le s} \binom{T}{l} q_{T-l}$, where $q_m$ is the chance of being at any $m$ places in any $m$ steps, chosen to make it largest.
# ````
#
# This $Q$ is that of the table above. A recursion like MAP's finds $q_m$ in polynomial time (Theorem 1; `ball_terms` in `lib.reconstruction`). $I$ is at most
# $H(B_1) + \sum_{t \ge 2} H(B_t \mid B_{t-1})$, where $B_t$ is the bit of step $t$: who forgets older bits is surprised no less.
#
# A third bound is ours, and does without information. Let $C$ be the number of right steps. Success means $C \ge r = T - s$, and a number with a small mean is
# rarely large: $\Pr[C \ge r] \le \mathbb{E}[C] / r$, which is *Markov's inequality*. Nobody has a larger $\mathbb{E}[C]$ than who names in each step the most probable place. Without counts that is $4 \cdot \frac27$ for Dan, so two right steps have at most $\frac47 \approx 0.57$; the table above says 0.43 ($s = 2$). With pairs and triples of right steps the **moment bound** gets sharper
# ({prf:ref}`thm-fano-moments`).
#
# On two hundred random chains of up to five places and steps, with random sensors and $s$, the truth can be enumerated. In most of them somebody can be nearly certain. The table has the others, with a best success below 0.9:

# %%
cases = fano.enumerated_chains(["analytic"], seed=seed)
hard = cases[cases["best"] < 0.9]
further = (hard["tight"] - hard["loose"]).round(9)
print(
    f"{len(hard)} of {len(cases)}; tight above loose on {(further > 0).sum()} of them,"
)
print(f"below on {(further < 0).sum()}")
plots.show_table(figures.case_table(hard).rename_axis("minus the best"), "truth")

# %% mystnb={"figure": {"name": "fig-fano-truth", "caption": "Each point is a random chain, of all two hundred. No bound is below the diagonal and MAP is nowhere above it, and the two bounds from information theory are above one half even where the best success is below 0.35."}, "image": {"alt": "Four scatter plots against the best possible success: loose bound, tight bound and moment bound lie on or above the diagonal, MAP on or below it."}} tags=["hide-input"]
figures.show_cases(cases)

# %% [markdown]
# On none of these chains is the "tight" bound the sharper one. It gains where the counts say little of a long path, as of the next section's person: with no information it falls to $Q$, while the loose bound keeps a floor, because habits are not uniform.

# %% [markdown]
# (fano-fig5)=
# ## A longer path
#
# The paper's *simulated person* walks on a line of 100 places for 10 steps. From $i$ she goes to $j$ with a chance in proportion to
# $e^{-|j-i|/(\tau M)}$; $\tau = 0.1$ makes her go about nine places a step. Sensors are drawn at random. The success of MAP and of the prior can be computed
# exactly all the same, because a sighting cuts the path. If Dan is seen in the second hour, what came before says nothing of what comes after, and chances multiply:

# %%
seen = chance.reshape(5, 5, 25)[:, STATION]  # first hour x last two hours
before, after = seen.sum(axis=1), seen.sum(axis=0) / seen.sum()
print("a product:", np.allclose(seen, np.outer(before, after)))

# %% [markdown]
# So there are only some $T^2 / 2$ stretches from one sighting to the next, and each is summed once. Only the sensors are sampled.

# %%
person = {"n_epochs": n_epochs, "tau": tau, "n_sequences": n_sequences, "seed": seed}
steps = fano.sweeps(
    ["simulated"], n_locations=n_locations, map_sizes=[], times=[], **person
)
lines = ["prior", "MAP", "moments", "tight", "loose"]
plots.show_table(figures.swept_table(steps, lines, "steps asked for"), "steps")

# %% mystnb={"figure": {"name": "fig-fano-steps", "caption": "The simulated person, 95% intervals over sequences of sensors, most of them smaller than the marks. The axis is logarithmic. The moment bound follows the attack, and the bounds from information theory fall slowly, until the tight one is nine powers of ten above, the loose one ten."}, "image": {"alt": "Logarithmic plot against the number of right steps that are asked for: prior and MAP fall steeply, the moment bound lies just above MAP, the tight and the loose bound fall slowly and end many orders of magnitude above."}} tags=["hide-input"]
lines = ["loose", "tight", "moments", "MAP", "prior"]
figures.show_swept(steps, lines, f"right steps asked for, of {n_epochs}")

# %% [markdown]
# Here the tight bound is below the loose one for every $s$, as the paper says. Where all steps are asked for, MAP is the best there is,
# and the moment bound says so exactly. The prior is not the best without counts: for one right step, naming one place throughout has 0.099 ([an exercise](fano-lucky)). Rows 5 and 6 are the two readings of the paper's $s = 5$. On a screen you can move $M$, $T$ and $s$: with 20 places and five of ten steps the "tight" bound is the looser one.
#
# ```{raw} html
# :file: static/fano.html
# ```

# %% [markdown]
# (fano-fig7)=
# ## Under noise
#
# Let each count carry normal noise of standard deviation $\sigma$. The bit can now be read wrongly, and MAP's likelihoods $\ell_t$ are normal densities. The paper
# bounds what such counts say, in $p_t = \Pr[X_t = c_t]$ (Eq. 4):
#
# $$I \le -\sum_{t=1}^{T} \Big[ p_t \log\big(p_t + (1 - p_t)\, e^{-1/(2\sigma^2)}\big) + (1 - p_t) \log\big(1 - p_t + p_t\, e^{-1/(2\sigma^2)}\big) \Big] .$$
#
# The column *moment bound* is the smaller of two bounds of ours. Up to $\sigma = 0.3$ that is the one for exact counts: noise tells nothing new. From $\sigma = 1$ on it is the tight bound with better parts: for $Q$ the moment bound without counts (the last row of the table); for $I$ what each noisy count says of its own
# bit, added up (or what exact counts say, if that is less); and the sharper inequality of [an exercise](fano-tight-proof).
#
# On a line of ten places MAP attacks the *same* simulated paths with the same draws of the noise, times $\sigma$:

# %%
of_ten = person | {"n_locations": noise_places, "allowed_errors": allowed_errors}
runs = fano.noisy_runs(noise_stds, n_runs=n_runs, **of_ten)
bounds = fano.noise_bounds(noise_stds, **of_ten)
plots.show_table(figures.noise_table(runs, bounds), "noise")

# %% [markdown]
# At $\sigma = 0.1$ nothing is taken. At $\sigma = 10$ MAP is down to the prior's success and no further: noise hides
# the counts, not the habits. No attacker has more than 0.17 then, in the mean over sensors; 0.14 is our bound on those who see no count. The paper's tight bound is 1 in every row: with ten places the sum that bounds $Q$ is above 1, whatever $I$ is. (Intervals of MAP are over runs, those of the bound over sensors.)
#
# The last column is the $\varepsilon$ of differential privacy for one person's counts ($\delta = 10^{-5}$), exact; the paper's formula, $\sqrt{2 T \ln (1.25 / \delta)} / \sigma$, is not proven above 1. It is about attackers who know all but which of two paths, and so still above 1 at $\sigma = 10$. What such a promise costs, [](guarantees.ipynb) shows.

# %% [markdown]
# ## What the paper found
#
# The paper finds that its bounds lie above every attack and that losses fall with the number of places and of steps asked for, and both are *supported*. That the tight bound "almost matches" the best attack when few errors are allowed, and that noise hardly changes the attack, are *supported* on the paper's axis from 0 to 1; on a logarithmic axis the bound and the attack are powers of ten apart, and an attack that hardly succeeds has nothing to lose.
# Its one printed number cannot be tested, because we chose the map by it (*input*); [the replication](replication/fano.ipynb) gives every statement with its verdict.
#
# ## Take-aways
#
# - What counts give away depends on the person: on how often a sensor is where she is, and on how predictable she is.
# - Compare every attack with what habits give away without a count. Noise took from MAP what counts had said, and left it its prior.
# - The best possible success, where paths can be enumerated: for each answer the best guess; add up.
# - Fano's inequality holds for every attacker and may be far above the best one: for the simulated person's whole path by ten powers of ten, and the tight bound by nine.
# - All of it assumes that people move independently. Friends are not covered.

# %% [markdown]
# ## Exercises
#
# ```{exercise} The slow and the fast (★, 10 minutes)
# :label: fano-slow
# Example 2 of the paper: two people may be at any of five places. One stays where she is with chance 0.96, the other goes to each place with chance 0.2. Both are seen at place 0 in
# the first step; in the second, a sensor at place 4 does not see them. How probable is the best guess of both steps? (Numbers and sensor are ours. The paper has "close to 1", and a sensor outside the five places.)
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
# *Learned:* one sighting tells the slow person's next step and hardly anything of the fast one's. Differential privacy gives both one number.
#
# ````{solution-end}
# ````
#
# ```{exercise} Where to put the sensor (★, 10 minutes)
# :label: fano-worst
# For Ada's chain, as if Ben were not there, and four hours: which sequences of sensors at the four places help the best attacker most, which least, if the whole path must be right?
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
# *Learned:* a sensor in the park, where Ada never is, says nothing: what is left is the prior. Eight sequences say everything; four hours at home are the first.
#
# ````{solution-end}
# ````
#
# ```{exercise} Prove Fano's inequality (★★, proof, 20 minutes)
# :label: fano-proof
# Let $E = 1$ if the guess $\hat X$ fails. Expand $H(X, E \mid \hat X)$ in two ways to show $H(X \mid \hat X) \le h(p_e) + p_e \log(n - 1)$. Where does $I$ come in?
# ```

# %% [markdown]
# ````{solution-start} fano-proof
# :class: dropdown
# ````
#
# $H(X, E \mid \hat X) = H(X \mid \hat X) + H(E \mid X, \hat X) = H(X \mid \hat X)$, since $X$ and $\hat X$ decide $E$. The other way it is
# $H(E \mid \hat X) + H(X \mid E, \hat X) \le h(p_e) + p_e \log (n - 1)$: if the guess was right nothing is left, if it failed one of $n - 1$ values. The guess
# is made from the counts $Y$ alone, so $H(X \mid \hat X) \ge H(X \mid Y) = H(X) - I$.

# %% [markdown]
# *Learned:* the bound loses where $E = 1$: it prices the right value as if all others were equally likely.
#
# ````{solution-end}
# ````
#
# ```{exercise} Prove the tight bound (★★, proof, 20 minutes)
# :label: fano-tight-proof
# Show $-I \le h(p_s) + p_s \log Q$. Let $Q'$ be the success that the *same* guess would have if counts and path were independent, and use that no function of two variables has more divergence than the
# variables: $p_s \log \frac{p_s}{Q'} + p_e \log \frac{p_e}{1 - Q'} \le I$.
# ```

# %% [markdown]
# ````{solution-start} fano-tight-proof
# :class: dropdown
# ````
#
# Let the guess $\hat X$ be made from the counts. If counts and path were independent with the same distributions, the guess would be within $s$ errors with some chance $Q' \le Q$: whatever the counts make it guess, the path, now independent of them, lies in the ball around that guess with $Q$ at most. "Within $s$ errors" is a function of path and
# counts, so the divergence between its two distributions is at most the divergence between the two distributions of path and counts, which is $I$. Drop $p_e \log \frac{1}{1 - Q'} \ge 0$: then
# $-I \le h(p_s) + p_s \log Q'$, and $\log Q' \le \log Q$. For Eq. 5: a path in the ball is right in some $T - l$ steps; add up over which.

# %% [markdown]
# *Learned:* the bound compares the world with one in which the counts say nothing. What it drops is small where $Q$ is.
#
# ````{solution-end}
# ````
#
# ```{exercise} At most a factor of two for each count (★★, proof, 15 minutes)
# :label: fano-doubling
# Show that no attacker on $n$ exact counts has a success above $2^n Q$, with $Q$ the best success without counts. Check it on the two places of the beginning, with one count, and on Dan, with four.
# ```

# %% [markdown]
# ````{solution-start} fano-doubling
# :class: dropdown
# ````
#
# For each of the $2^n$ sequences $y$ of bits, $\Pr[y \text{ and } d \le s] \le \Pr[d(X, \hat x_y) \le s] \le Q$. Add up.

# %%
two = start[:, None] * move
print(f"two places: {two.max(axis=1).sum():.1f} <= 2 x {two.max():.1f}")
happen = len(np.unique(answers[chance > 0]))
print(f"Dan: {best:.3f} <= {happen} x {chance.max():.3f} = {happen * chance.max():.3f}")

# %% [markdown]
# *Learned:* counting answers is a bound of its own. It is exact where each answer leaves a path that is as probable as any, and empty for Dan, although only 8 of his 16 answers can happen.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write MAP under noise (★★, 25 minutes)
# :label: fano-write
# Change the chapter's lines of MAP so that they take noisy counts: `likely[t]` becomes the logarithm of a normal density around 1 at the sensor and around 0 elsewhere. Test it
# on Dan with $\sigma = 1$ against `viterbi_trajectory` of `lib.reconstruction`.
# ```

# %% [markdown]
# ````{solution-start} fano-write
# :class: dropdown
# ````

# %%
from scipy.stats import norm


def viterbi(chain, likely):
    score, kept = chain.log_initial + likely[0], []
    for each in likely[1:]:
        reach = score[:, None] + chain.log_transition
        kept.append(reach.argmax(axis=0))
        score = reach.max(axis=0) + each
    path = [score.argmax()]
    for before in reversed(kept):
        path.insert(0, before[path[0]])
    return np.array(path)


rng, same = np.random.default_rng(seed), []
for true in dan.sample(200, 4, rng):
    noisy = (true == sensors) + rng.normal(size=4)
    likely = norm.logpdf(noisy[:, None], np.arange(5) == STATION, 1.0)
    library = rec.viterbi_trajectory(dan, sensors, noisy, 1.0)
    same.append(np.isclose(*map(dan.log_probability, (viterbi(dan, likely), library))))
print("as probable as the library's guess:", all(same))

# %% [markdown]
# *Learned:* noise changes the likelihoods and nothing else. (Paths are compared by their probability: there may be ties.)
#
# ````{solution-end}
# ````
#
# ```{exercise} The luck of the lucky constant (★★, 20 minutes)
# :label: fano-lucky
# The paper simulates 1,000 paths, computes the success of each constant, and reports the largest. By how much is that too much, for the simulated person, if one step
# must be right?
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
# Write your own diary as one place an hour for two weeks. Estimate your chain on the first week, put a sensor at your busiest place, and attack the second week day by day: prior, MAP, and the
# loose bound. Which of your days breaks the chain? *A good answer* names the baseline, says how many transitions were never seen, and shows one hour that the
# model calls impossible.
# ```

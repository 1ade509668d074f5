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
# Attacks show what one attacker can do. A bound says what nobody can do better. For a sensor that counts people, the paper
# {cite:p}`fanoloss` asks how much of one person's way can be reconstructed from the counts, by *any* method, and answers with
# information theory: the less the counts say, and the less predictable the person is, the less can be got.
#
# After this chapter you can
#
# - say what an attacker who knows a person's habits gets from counts, and compute her best guess for a thousand runs at once;
# - bound the success of every attacker, and check the bound against the truth where the truth can be enumerated;
# - see which people are exposed: those who are often counted, and those who move slowly;
# - replace two steps of the paper by exact ones, and judge how much the bounds gain.

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-tail"]
windows = {"gowalla": "20D", "foursquare": "20D"}
n_locations = 100
n_epochs = 10
tau = 0.1
allowed_errors = 5
map_sizes = [10, 20, 50, 100, 200]
times = [2, 4, 6, 8, 10, 12, 14]
noise_stds = [0.1, 0.3, 1.0, 3.0, 10.0]
n_test = 5
real_errors = 1
n_places = 100
min_active = 10
n_users = 300
n_sequences = 20
n_attacks = 4
n_runs = 400
n_adaptive = 1000
seed = 2024

# %% [markdown]
# ## The question, and who knows what
#
# There are $M$ places. In each of $T$ time steps (*epochs*) one sensor is on, at place $c_t$, and the number of people there
# is published, as it is or with Gaussian noise of standard deviation $\sigma$. Sensors do not depend on the counts.
#
# | | the attacker |
# |---|---|
# | wants | the target's way $X = (X_1, \dots, X_T)$, right in all but $s$ steps |
# | knows | where everybody else is, in every step |
# | knows | the target's habits: her Markov chain, first step $\pi$ and transitions $P$ |
# | sees | the published counts |
#
# A *Markov chain* goes from $x'$ to $x$ with probability $P(x', x)$, whatever came before. It is *stationary* if one step leaves the law of the
# place as it is, $\pi P = \pi$; then $\pi$ is the law of every step. Its *spectral gap*, one less the second largest modulus of $P$'s eigenvalues,
# is small for a chain that forgets slowly where it was. The entropy of her way, how much there is to be learnt, is
# $H(X) = H(X_1) + \sum_{t \ge 2} H(X_t \mid X_{t-1})$, in nats.
#
# Knowing all others, she subtracts them. What is left of a count is one bit, $B_t = 1$ if the target is at $c_t$ and else 0, exactly
# or behind noise. Differential privacy ({prf:ref}`def-kkd-dp`, Def. 1 of this paper) guards against an attacker who may know anything about the target; this one
# knows her habits and no more.
#
# ````{prf:definition} Privacy loss of an estimator (Eq. 2)
# :label: def-fano-loss
# $\Pr[d(X, \hat X) \le s]$, where $\hat X$ is what the estimator makes of the counts, $d$ counts wrong steps, and $0 \le s < T$. The chance is over
# the target's way and the noise. (Once, in its Sec. 4.1, the paper writes $d < s$; with $\le$ its one printed number comes out.)
# ````

# %% [markdown]
# (fano-six)=
# ### With six users
#
# Ada does on Tuesday what she did on Monday; Fay does not. Their diaries of eight hours are all that the attacker knows; "elsewhere" is a fifth place.
# For the next four hours one sensor stands at the station.

# %%
import numpy as np
import pandas as pd
from lib.datasets import load

six = load("six-users")
STATION = list(six.rois.index).index("station")


def diary_of(user):
    """The user's place in each hour; 4 is elsewhere."""
    trace = six.trace(user)
    return np.where(trace.any(axis=0), trace.argmax(axis=0), 4)


# %%
from lib import plots
from lib import reconstruction as rec

plots.use_style()
station = np.full(4, STATION)
rows = {}
for user in six.users:
    chain = rec.MarkovChain.from_visits(diary_of(user), 5)
    rows[user] = {
        "bits of her next place": (chain.entropy(2) - chain.entropy(1)) / np.log(2),
        "MAP, s = 0": rec.exact_loss(chain, station, 0),
        "MAP, s = 1": rec.exact_loss(chain, station, 1),
        "best possible, s = 1": rec.best_loss(chain, station, 1),
        "tight bound, s = 1": rec.tight_bound(chain, station, 1),
    }
plots.show_table(
    pd.DataFrame.from_dict(rows, orient="index").rename_axis("user"), "six"
)

# %% [markdown]
# These numbers have no sampling error: there are few enough ways to sum over them all. The bound of the paper is above the best possible
# success, as it must be. Here it is 1 for everybody, even for Eve, from whom the best attacker gets little. That gap is a theme of this chapter.
#
# ## The attacker's guesses
#
# ````{prf:algorithm} Maximum a posteriori (Prop. 1, App. A)
# :label: alg-fano-map
# With $\ell_t(x)$ the likelihood of the count in step $t$ if the target is at $x$:
# 1. $f(1, x) = \ell_1(x)\, \pi(x)$;
# 2. for $t = 2, \dots, T$: $f(t, x) = \ell_t(x) \max_{x'} P(x', x) f(t-1, x')$, and $h(t, x)$ is the maximising $x'$;
# 3. $\hat X_T = \arg\max_x f(T, x)$, then back: $\hat X_{t-1} = h(t, \hat X_t)$.
# ````
#
# Without counts ($\ell_t = 1$) the same programme gives the *prior* estimator (Prop. 2). The *lucky constant* says one place for ever, the luckiest.
# The library computes in logarithms, and does not run the programme once for each run. A sighting ($B_t = 1$) fixes where she is, so that
# before and after it she is a free chain again. The stretches between sightings do not depend on what was counted, so they are scored once.

# %%
chain = rec.distance_chain(n_locations, tau)
rng = np.random.default_rng(seed)
sensors = rng.integers(0, n_locations, n_epochs)
truth = chain.sample(n_runs, n_epochs, rng)
counts = rec.observe(truth, sensors)
guesses = rec.map_trajectory(chain, sensors, counts)
best_run = (truth == guesses).sum(axis=1).argmax()
shown = {"sensor": sensors, "truth": truth[best_run], "MAP": guesses[best_run]}
plots.show_table(pd.DataFrame(shown).T.rename_axis("luckiest run"), "one-run")

# %% [markdown]
# This is the paper's *simulated* person: places on a line, and from $i$ to $j$ with a chance in proportion to
# $e^{-|j-i| / (\tau M)}$. A larger $\tau$ makes her faster. The guess likes the ends of the line: from there she has fewer places to go to, so each is likelier.
#
# Between sightings the guess is fixed, so even the law of the number of errors follows stretch by stretch, without simulation.
# In a small map, beside the paper's way, 1,000 simulated runs with their interval:

# %%
small, small_sensors = rec.distance_chain(10, tau), np.array([2, 7, 4, 4, 0, 9, 5, 3])
rows = {}
for estimator in ("map", "marginal", "prior", "constant"):
    found = rec.monte_carlo_loss(
        small, small_sensors, 4, estimator, n_runs=1000, rng=rng
    )
    exact = rec.exact_loss(small, small_sensors, 4, estimator)
    rows[estimator] = [exact, found.loss, found.low, found.high]
columns = ["exact", "simulated", "95% low", "95% high"]
plots.show_table(
    pd.DataFrame.from_dict(rows, orient="index", columns=columns), "exact-loss"
)

# %% [markdown]
# `marginal` is not in the paper; it comes back below.
#
# ## What nobody can do better

# %% [markdown]
# (fano-examples)=
# ### Two examples
#
# Example 1 of the paper (its Fig. 1): one step, one raw count. Two sensors for the same person, one where she is likely to be and one where she is not. The information is the
# binary entropy $h(p)$ of the chance $p$ that she is at the sensor, so the New Yorker next to the sensor in New York loses more than somebody in Paris.
#
# ````{prf:theorem} Fano's inequality, and the advantage (Eq. 1)
# :label: thm-fano-advantage
# If $X$ has $M$ possible values, $I$ is what the counts say of it, and $p_e$ is any estimator's chance of failure,
#
# $$H(X) - I \le h(p_e) + p_e \log (M - 1),$$
#
# so that $p_e \ge p_e^*$, where both sides are equal. With $p^* = \max_x \Pr[X = x]$, the *advantage* over guessing without counts is at most
#
# $$\mathrm{Adv} = \frac{\Pr[\hat X = X] - p^*}{1 - p^*} \le \frac{1 - p_e^* - p^*}{1 - p^*} .$$
# ````

# %%
from lib.studies import fano

one_count = fano.one_count(["analytic"]).set_index("sensor").drop(columns="data")
plots.show_table(one_count, "example-1")

# %% [markdown]
# Example 2 (its Fig. 2): two people who are equally likely to be anywhere, one who stays and one who moves. Both are seen by the sensor in the first step; in the second, a sensor elsewhere does not see them. How
# probable is the best guess of both steps?

# %%
two_counts = fano.two_counts(["analytic"]).set_index("person")[["success"]]
plots.show_table(two_counts, "example-2")

# %% [markdown]
# (fano-information)=
# ### What the counts say
#
# The mutual information $I(X; \text{counts})$ is the heart of both bounds. The paper calls it intractable and bounds it: for raw counts by
# $H(B_1) + \sum_{t \ge 2} H(B_t \mid B_{t-1})$, for noisy ones by a closed form in $p_t = \Pr[X_t = c_t]$ and $\sigma$ (Eq. 4):
#
# $$I \le -\sum_{t=1}^{T} \Big[ p_t \log\big(p_t + (1 - p_t)\, e^{-1/2\sigma^2}\big) + (1 - p_t) \log\big(1 - p_t + p_t\, e^{-1/2\sigma^2}\big) \Big] .$$
#
# ````{prf:proof}
# (App. C.) The noise of each step is its own, so what the counts say together is at most the sum of what each says of its own step. One noisy count is a mixture of two
# normal laws, one user apart, with weights $p_t$ and $1 - p_t$. The entropy of a mixture is bounded through the divergences between its parts, by Jensen's inequality,
# and that of two normal laws one apart is $1 / 2\sigma^2$.
# ````
#
# In nats:

# %%
rows = {}
for sigma in (None, *noise_stds):
    given = small, small_sensors, sigma
    paper_bound = rec.mutual_information(*given)
    sharper = rec.mutual_information(*given, "exact")
    found = rec.monte_carlo_information(*given[:2], 5 * n_runs, rng, sigma)
    rows["raw" if sigma is None else sigma] = [paper_bound, sharper, *found]
columns = ["paper's bound", "exact or sharper", "simulated", "95% low", "95% high"]
table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
plots.show_table(table.rename_axis("σ"), "information")

# %% [markdown]
# For raw counts the second column is not a bound but the value. It needs no $2^T$ sums: the probability of a sequence of counts is a
# product over the stretches between sightings, so its logarithm is a sum over them, and $T^2$ stretches are all there are. For noisy counts the column is the smaller of that
# value (noise tells nothing new) and of the sum of what each noisy count says on its own. At small $\sigma$ the paper's Eq. 4 exceeds its own bound
# for raw counts, because its terms do not know of each other.

# %% [markdown]
# (fano-eq4)=
# Is Eq. 4 a bound, does it fall with noise, and are its ends right? For one step, against the information itself, which is an integral over one noisy count. The last row is the
# binary entropy $h(p)$, what a raw count says.

# %%
from lib.plots import fano as figures

one_step = figures.with_raw(
    fano.eq_4(["analytic"], noise_stds=noise_stds).set_index("σ")
)
columns = {}
for p, each in one_step.groupby("p"):
    for name in ("Eq. 4", "itself"):
        columns[f"p = {p:g}, {name}"] = each[name]
plots.show_table(pd.DataFrame(columns), "eq-4")

# %% [markdown]
# ### Two bounds
#
# ````{prf:theorem} Loose bound (Eq. 3)
# :label: thm-fano-loose
# With $N = \sum_{l \le s} \binom{T}{l} (M-1)^l$ and $p_e = 1 - p_s$ the chance of failure of any estimator,
#
# $$H(X) - I \le h(p_e) + p_e \log \frac{M^T - N}{N} + \log N .$$
# ````
#
# With $s = 0$, $N$ is 1, and this is Eq. 1 with $M^T$ possible values.
#
# ````{prf:theorem} Tight bound (Sec. 3.3.2, after Han and Verdú; Eq. 5)
# :label: thm-fano-tight
# With $Q \ge \max_{\hat x} \Pr[d(X, \hat x) \le s]$, the chance that is in the best *ball* of ways,
#
# $$-I \le h(p_s) + p_s \log Q, \qquad
# Q = \sum_{l=0}^{s} \binom{T}{l} \max_{t_1 < \dots < t_{T-l}} \max_{x} \Pr[X_{t_1} = x_1, \dots, X_{t_{T-l}} = x_{T-l}] .$$
# ````
#
# ````{prf:proof}
# Let $E$ say whether the estimate is within $s$ errors. If the counts knew nothing of $X$, $E$ would happen with some chance $Q' \le Q$, since each guess has a ball of at most
# $Q$. The divergence between the two laws of $E$ is at most the one between the laws of ways and counts, which is $I$:
# $D(p_s \| Q') = p_s \log \frac{p_s}{Q'} + (1 - p_s) \log \frac{1 - p_s}{1 - Q'} \le I$. Now $D$ falls in $Q'$ up to $p_s$, so $Q$ may take its place where $Q \le p_s$; and the term
# $(1 - p_s) \log \frac{1}{1 - Q} \ge 0$ is dropped. Eq. 5: a way in the ball is right in some $T - l$ epochs; sum over them. ($Q$ is cut at 1.)
# ````
#
# Each is solved for the largest $p_s$ that satisfies it. $M^T$ overflows soon, so all is done in logarithms. The name is the paper's: in a small map, where $Q$ reaches 1, the
# "tight" bound is the looser one. The terms of $Q$ come from a dynamic programme:
#
# ````{prf:algorithm} Theorem 1 (App. D)
# :label: alg-fano-theorem-1
# $g(m, k, x)$: the largest probability of being at $m$ places in $m$ epochs, the last at $x$, $k$ epochs after the first, for a stationary chain, with
# $P^{\Delta}(x', x)$ the probability of going from $x'$ to $x$ in $\Delta$ steps.
# 1. $g(1, 0, x) = \pi(x)$.
# 2. $g(m, k, x) = \max_{\Delta} \max_{x'} P^{\Delta}(x', x)\, g(m-1, k-\Delta, x')$.
# 3. The term with $l$ free epochs is $\max_{k < T} \max_x g(T-l, k, x)$.
# ````
#
# Only terms with $l \le s$ are needed, so at most $s$ epochs are free in all: $T s^2 M^2$ steps in place of the paper's $T^3 M^2$.

# %% [markdown]
# (fano-truth)=
# ### The truth, where it can be enumerated
#
# Random chains of up to five places and steps, random sensors and every $s$: the best success any estimator can have, from all ways and all guesses,
# against each bound.

# %%
cases = fano.truth(["analytic"], seed=seed)
names = ["loose", "tight", "tight, exact I and KL", "moments", "map", "marginal"]
above = cases[names].sub(cases["best"], axis=0)
plots.show_table(above.agg(["min", "median", "max"]).T.round(12), "truth")
at_zero = cases["s"] == 0
same = np.isclose(cases["map"], cases["best"], rtol=0, atol=1e-9)
print(
    f"cases with s = 0: {at_zero.sum()}; in all of them MAP is best: {same[at_zero].all()}"
)
print(f"cases with s > 0: {(~at_zero).sum()}; MAP is best in {same[~at_zero].sum()}")

# %% [markdown]
# The table shows each number less the best possible success. No bound is below 0, no estimator above it. For $s = 0$ MAP is the best of all, as the paper says; for
# $s > 0$ it need not be. The last two bounds are explained below.
#
# ## Sweeps on the simulated person

# %% [markdown]
# (fano-fig5)=
# Fig. 5 of the paper. Sensors are drawn uniformly; losses are exact for each of the sequences drawn and averaged over them, so that the only sampling
# error is that of the sensors.

# %%
person = {
    "n_epochs": n_epochs,
    "allowed_errors": allowed_errors,
    "tau": tau,
    "seed": seed,
}
drawn = person | {"n_sequences": n_sequences}
sweeps = fano.sweeps(
    ["simulated"], n_locations=n_locations, map_sizes=map_sizes, times=times, **drawn
)
means, errors = fano.sweep_means(sweeps), fano.sweep_means(sweeps, "sem")

# %%
SHOWN = ["MAP", "marginal", "prior", "constant", "loose", "tight"]
share = (errors[SHOWN] / means[SHOWN]).max(axis=1)
shown = means[SHOWN].assign(**{"standard error, at most": share})
plots.show_table(shown.loc[["M", "T - s"]], "fig-5-upper")

# %% mystnb={"image": {"alt": "Two panels, simulated person. Above, against the number of places, below, against the number of right steps that are asked for: four attacks near 0 beyond small values; the loose bound falls from 1 and stays far above; the tight bound is at 1 for ten and twenty places and elsewhere between them."}} tags=["hide-input"]
figures.sweeps(means, {"M": "places M", "T - s": "right steps asked for, T − s"})

# %% [markdown]
# (The last column is relative: the largest standard error, over sequences of sensors, as a share of its value.) As in the paper, more places and more demanded steps protect. The tight
# bound says something where the loose one is 1; in the smallest maps it is the other way round. But look at the scale: at the default setting the attacks
# almost never succeed, and both bounds leave room for far more.

# %%
plots.show_table(shown.loc[[fano.HALF, fano.MINUS_2]], "fig-5-lower")

# %% mystnb={"image": {"alt": "Two panels, simulated person, against the number of time steps. Above, half of the steps may be wrong: the lines are nearly level. Below, two steps must be right: all lines rise, the bounds most."}} tags=["hide-input"]
panels = {fano.HALF: "time steps T, s = T/2", fano.MINUS_2: "time steps T, s = T − 2"}
figures.sweeps(means, panels)

# %% [markdown]
# "Almost constant" is what the paper says of the upper panel, and on this axis it is. In the table it is not: half of twice as many steps is much harder to get right, and
# every attack falls by orders of magnitude. Two right steps, whichever they be, are the easier the more there are.

# %% [markdown]
# (fano-fig7)=
# ### Noise
#
# Fig. 7: the same person and the same way to draw sensors, with noise on each count. MAP is simulated, some runs for each sequence of sensors, with a Clopper-Pearson interval over all
# runs; `raw` is no noise, and MAP exact there. Beside the paper's tight bound stands one with the smaller of Eq. 4 and of what raw counts would say, which is allowed: noise tells
# nothing new. The last columns have the differential privacy loss for $\delta = 10^{-5}$, as the paper prints it, $\sqrt{2 T \ln(1.25/\delta)}/\sigma$, and exactly.

# %%
sizes = sorted({map_sizes[0], n_locations})
noise = fano.noise(
    ["simulated"], sizes=sizes, noise_stds=noise_stds, n_runs=n_runs, **drawn
)
by_noise = fano.noise_means(noise)
plots.show_table(figures.with_raw(by_noise), "fig-7")

# %% mystnb={"image": {"alt": "Two panels, simulated person with few and with many places: privacy loss against the noise's standard deviation. With few places MAP falls with noise while both bounds stay at 1; with many MAP is level near 0 and the tight bound falls."}} tags=["hide-input"]
lines = ["loose", "tight", "tight, smaller I", "moments", "MAP"]
figures.noise(by_noise, lines, "M = {}")

# %% [markdown]
# $\varepsilon$ does not know the map: it is the same in both halves of the table, and infinite for raw counts. The printed formula is proven for results below 1 only; with little
# noise the exact value is above it, so the formula promises too much. With many places MAP has nothing to lose. With few, noise takes its sightings, and it ends near the prior's success.
#
# ## People, one at a time

# %% [markdown]
# (fano-data)=
# The bounds are per person. The paper estimates a chain for each user of two check-in services, on all but the last five time steps, and attacks those five. A time step is 20 days; a
# user's place is the one most checked in to, of the 100 most visited places, or *somewhere else*. We have a cut of each service only, and not in the book: there, the "users"
# are aircraft, a time step is a day, and a place is an airport. Nobody's privacy is at stake in it.

# %%
from lib.datasets import overview
from lib.studies import fitting

people = {
    name: fano.people(
        file,
        window=windows.get(name, "1D"),
        n_places=n_places,
        min_active=min_active,
        n_users=n_users,
        n_test=n_test,
        seed=seed,
    )
    for name, file in fitting.called(datasets).items()
}
datasets = list(people)
traces = {name: each.traces for name, each in people.items()}
plots.show_table(overview(traces), "data")

# %%
prepared = fano.prepared(people, n_test=n_test).set_index(["data", "stage"])
plots.show_table(prepared, "prepared")

# %% [markdown]
# What the paper leaves open, decided: visits are counted over the whole period; of several places in a step the most frequent counts, of equals the latest; a place
# that was never left in training keeps the user for ever; and where the chain then has no unique law to settle to, transitions between her places are mixed with one
# millionth of the uniform ones. That last choice can move a user's bound from 0 to 1; an exercise looks at it. So the bounds are computed a second time with *one added*
# to the count of each transition between places that she visited, after which every chain settles; we shall need the comparison.
#
# Attacks run on the real last steps. The model may be wrong there: a count may show her at a place where she never was in training. So on real data MAP treats raw counts as if they had noise of
# $\sigma = 0.05$: it then explains as many counts as the chain can, and never has to give up.

# %%
asked = {"n_test": n_test, "seed": seed}
attack = asked | {"real_errors": real_errors, "n_sequences": n_sequences}
habits = fano.habits(people, **attack)
attacked = fano.attacked(people, noise_stds=noise_stds, n_attacks=n_attacks, **attack)

# %% [markdown]
# (fano-fig3)=
# ### Who is often counted
#
# Fig. 3: one sensor, at the most visited place, is on in every step. Each point is a user: her tight bound for $s = 1$ against her visits to that place in
# training. "Often" is at least a quarter of the training steps.

# %%
plots.show_table(fano.by_visits(habits).fillna(0.0), "fig-3")

# %% mystnb={"image": {"alt": "Scatter plot, a panel a dataset: each user's tight bound with a fixed sensor against her visits to it in training. Users with many visits have bounds near one; those without visits are spread between about 0.4 and one."}} tags=["hide-input"]
figures.users(habits, "visits", "training steps at the sensor's place", "fixed")

# %% [markdown]
# Whoever was often at the sensor's place in training has a bound near 1. Those who never were are spread out, as the paper saw: habits alone can give a way away, and a sensor
# that is sure not to see somebody says nothing more. How far they are spread is decided by what one does about transitions that were never seen: with one added, all bounds of the
# never seen are lower and spread wider.

# %% [markdown]
# (fano-fig4)=
# ### Who moves slowly
#
# Fig. 4: sensors at random, the bound against the spectral gap of the user's chain, which is small for a slow mover. Spearman's rank correlation, with a bootstrap
# interval; users who never leave one place have no gap and are left out.

# %%
correlations = fano.correlations(habits, seed)
plots.show_table(correlations.astype(object).fillna(""), "fig-4")

# %% mystnb={"image": {"alt": "Scatter plot, a panel a dataset: each user's tight bound with random sensors against the spectral gap of her chain."}} tags=["hide-input"]
figures.users(habits, "gap", "spectral gap of the user's chain", "random")

# %% [markdown]
# The correlation is negative, as the paper's intuition has it: who moves slowly is easier to follow. But look where it comes from. It is carried by users whose chain never returns from
# some place, or visits it in a fixed rhythm: without the mixing they would have no unique law, and with it their gap is next to nothing and their bound next to 1. Among the others
# ("settled only") nothing of it is left. With one added to each transition it is as clear as in the paper's figure. So what is decided about rows without data decides this
# figure, and the paper does not say what it decided. Most users' bounds are near 1 whatever their speed; that is the bound's doing as much as theirs, as
# the moment bound in the next figure shows.

# %% [markdown]
# (fano-fig6)=
# ### How many steps must be right
#
# Fig. 6, means over users, who are all attacked under the same sequences. The constant says one place, not somewhere else, for everybody. `MAP, places` counts only right
# steps at real places: what is left when being *somewhere else* is no discovery.

# %%
step_means, step_errors = fano.step_means(attacked, fano.constants(people, **asked))
plots.show_table(step_means, "fig-6")
print(f"largest standard error over users: {step_errors.max().max():.2g}")

# %% mystnb={"image": {"alt": "A panel a dataset: mean privacy loss against the number of right steps that are asked for; all lines fall, bounds above attacks."}} tags=["hide-input"]
figures.steps(step_means, datasets)

# %% [markdown]
# MAP gains next to nothing over the prior: a few sensors among a hundred places hardly ever see a given user. And on these flights most of what MAP gets right is *somewhere else*.
# The bounds hold for people who follow their chain. Real users need not: where an attack comes close to a bound or passes it, the estimated chain is at fault, not the theorem.

# %% [markdown]
# (fano-fig8)=
# ### Noise, for real users
#
# Fig. 8: means over users, with the paper's Eq. 4; the third bound has the smaller of it and of what raw counts would say. `raw` is no noise.

# %%
real_noise = fano.people_noise_means(attacked)
plots.show_table(figures.with_raw(real_noise), "fig-8")

# %% mystnb={"image": {"alt": "A panel a dataset: mean privacy loss against the noise's standard deviation. The loose bound is at one throughout; the tight bound is below it and falls a little with noise; MAP is level."}} tags=["hide-input"]
figures.noise(real_noise, ["loose", "tight", "tight, smaller I", "MAP"])

# %% [markdown]
# The last column is the share of users whose tight bound is *higher* with noise than without. Noise cannot tell an attacker more; the bound on the information of noisy counts is looser than
# that for raw ones. Taking the smaller of the two is allowed, and removes the crossing: the third bound never exceeds its value without noise.
#
# ## What the paper did not do

# %% [markdown]
# (fano-modes)=
# ### The right guess for $s > 0$
#
# MAP is best for $s = 0$. Who wants many right steps, and not all, should name the most probable place of each step on its own: the *posterior marginal modes*. They may even form
# a way that is impossible. Four places and four steps can be enumerated; the table averages over every fifth of the $4^4$ sequences of sensors, and is exact for these.

# %%
modes = fano.modes(["analytic"], tau=tau).set_index("s").drop(columns="data")
plots.show_table(modes, "modes")

# %% [markdown]
# In this small map MAP is the best of all for $s = 0$ and still ahead at $s = 1$; the modes win at $s = 2$ and 3. Where the order turns depends on the map, as the sweeps of Fig. 5 show.
# Neither reaches the best for $s > 0$.

# %% [markdown]
# (fano-gap)=
# ### Closing the gap between attack and bound
#
# Two repairs stay within the paper's frame: the exact information of raw counts in place of $\sum_t H(B_t \mid B_{t-1})$, and the full divergence $D(p_s \| Q) \le I$, of
# which the printed form drops the term $p_e \log (1 - Q)$. A third leaves it. Let $C$ be the number of right steps and $r = T - s$.
#
# ````{prf:theorem} Moment bound
# :label: thm-fano-moments
# For every estimator and $1 \le k \le r$, $\ \Pr[C \ge r] \le \mathbb{E}\binom{C}{k} \big/ \binom{r}{k}$.
# ````
#
# ````{prf:proof}
# $\binom{C}{k} \ge \binom{r}{k}$ where $C \ge r$; Markov's inequality.
# ````
#
# $\binom{C}{k}$ counts the sets of $k$ epochs that are all right, so its mean is a sum over sets, and each term at most what the best guess of these $k$ places has. Between two sightings, with
# $K_{tu}(x', x)$ the chance of going from $x'$ in epoch $u$ to $x$ in epoch $t$ unseen by the sensors in between, a programme bounds the sum as Theorem 1 does one term:
# $F_1(t, x)$ is the chance of being at $x$ in $t$ unseen so far, and $F_k(t, x) = \sum_{u < t} \max_{x'} K_{tu}(x', x)\, F_{k-1}(u, x')$; by induction, $\max_x F_k(t, x)$ is at least
# the sum over all sets of $k$ epochs that end in $t$. Sightings are right for certain and separate the stretches. So everything is polynomial again, and no information is involved. For
# $s = 0$ and $k = T$ it is the exact optimum.

# %%
gaps = fano.gaps(means)
over = gaps.groupby("swept", sort=False)
closed = ["closed by I and KL", "closed by moments", "moments / attack"]
spread = over[closed].agg(["min", "max"])
spread.columns = [
    f"{name}, {'least' if end == 'min' else 'most'}" for name, end in spread
]
gap_means = over[["paper's gap", "exact I and KL", "moments"]].mean()
plots.show_table(gap_means.join(spread), "gaps-mean")

# %% mystnb={"image": {"alt": "Simulated person, logarithmic scale: the tight bound, the tight bound with exact information and divergence, the moment bound and the best attack against the number of right steps that are asked for. The moment bound follows the attack; the other two stay orders of magnitude above."}} tags=["hide-input"]
best = gaps.loc["T - s", "best attack"]
figures.gaps(means.loc["T - s"], best, n_epochs)

# %%
by_steps = gaps.loc["T - s"].iloc[:, :4].rename_axis("T - s")
plots.show_table(by_steps.round(14), "gaps-steps")

# %% [markdown]
# The exact information changes little, because sensors at random places of a large map rarely see anybody: what one count says about the next is small. Is it Eq. 5, the union bound in $Q$,
# or Fano's inequality that costs so much? Take the tight bound with the exact information and the divergence, and put the smallest conceivable $Q$ in: the success of the prior's own guess, which a
# valid $Q$ cannot be below. In between, $Q$ from the moment bound without counts, which is valid.

# %%
balls = fano.balls(["simulated"], map_sizes=map_sizes, **drawn).drop(columns="data")
by_ball = balls.groupby("M").mean().drop(columns="sequence")
table = by_ball.join(means.loc["M", "moments"]).join(gaps.loc["M", "best attack"])
plots.show_table(table, "balls")

# %% [markdown]
# Even with the least $Q$ there can be, most of the distance to the attack stays: that is Fano's inequality, which turns bits into success at the worst rate there is. Eq. 5 costs the rest, and in the
# smaller maps it alone makes the bound 1. The moment bound closes most of the gap in every sweep, least in the smallest map; the last columns say how far it is from the best of the four attacks. That
# factor grows with $T$ where half of the steps may be wrong: it is near the attack, not at it.

# %% [markdown]
# (fano-adaptive)=
# ### Sensors that choose where to look
#
# The paper assumes that sensors do not react to counts, and leaves the other case open. A greedy operator switches on the sensor whose answer is most uncertain given all counts so far:
# the place where "is she there?" is nearest to 1/2. MAP decodes both, in simulated runs with Clopper-Pearson intervals. The information of the raw
# counts is their entropy, estimated over runs; the tight bound of the paper needs nothing else from them, so it holds for adaptive sensors too (here from the upper end of the information's interval).

# %%
small_maps = [m for m in map_sizes if m <= 50] or map_sizes[:1]
adaptive = fano.adaptive(
    ["simulated"], map_sizes=small_maps, n_runs=n_adaptive, **person
)
plots.show_table(adaptive.set_index(["M", "sensors"]).drop(columns="data"), "adaptive")

# %% mystnb={"image": {"alt": "Success of MAP in the simulated person against the number of places, with random and with greedy sensors and intervals. Greedy sensors cost the person more where the map is small."}} tags=["hide-input"]
figures.adaptive(adaptive, f"s = {allowed_errors} of {n_epochs}")

# %% [markdown]
# A sensor that follows its own counts is a tracker. Greedy sensors learn more in every map; what that does to MAP's success takes more runs to see: five thousand
# are kept {ref}`beside the paper's figures <fano-replicated-adaptive>`. There too are the figures of the paper, at its size, on check-ins as far as we hold them, and each of its claims
# with a verdict.
#
# ## Take-aways
#
# - What counts give away depends on the person: on how often sensors stand where she is, and on how predictable she is. Differential privacy gives everybody one number, infinite for raw
#   counts. That is the paper's point, and its examples and figures bear it out.
# - A person may be exposed without being seen once: habits alone give her away. A bound on the attacker's *success* counts that; one on what the counts *add* would not.
# - The paper's bounds are sound, and loose by orders of magnitude on its own simulated person. The information of the counts is not to blame, and it is not intractable: sightings cut a way into
#   stretches, and the information of raw counts and the success of an estimator are exact in polynomial time. Fano's inequality is most to blame, the union bound in $Q$ for the rest. Counting sets of right steps gives a bound much nearer to the attack.
# - The paper's conclusion asks for an attacker who does not know everybody else, and for guidelines. Two more of its open ends were tried here: adaptive sensors, which track, and the best guess for $s > 0$.
# - All of it trusts the chain. With twenty-odd training steps a user's chain is a guess, and what is decided about transitions that were never seen moves users from one end of the axis to
#   the other. It makes or unmakes the correlation of Fig. 4.
#
# ## Exercises
#
# ```{exercise} The worst place to put a sensor
# :label: fano-worst
# For Ada's chain and four hours: which sequence of four sensors gives the best attacker most, which least, for $s = 0$?
# ```

# %% [markdown]
# ````{solution-start} fano-worst
# :class: dropdown
# ````

# %%
ada = rec.MarkovChain.from_visits(diary_of("Ada"), 5)
sequences = np.stack(np.meshgrid(*[range(4)] * 4), axis=-1).reshape(-1, 4)
losses = np.array([rec.exact_loss(ada, row, 0) for row in sequences])  # s = 0: MAP
for label, row in (("most", losses.argmax()), ("least", losses.argmin())):
    names = [six.rois.index[place] for place in sequences[row]]
    print(f"{label}: {losses[row]:.3f}, {', '.join(names)}")

# %% [markdown]
# The park is a place where Ada never is: a sensor there says nothing, and what is left is the prior.
#
# ````{solution-end}
# ````
#
# ```{exercise} At most a factor of two for each count
# :label: fano-doubling
# Show that no attacker on $T$ raw counts has a success above $2^T Q$, with $Q$ the best success without counts. Compare with the tight bound in the sweep over $M$, using Eq. 5 for $Q$.
# ```

# %% [markdown]
# ````{solution-start} fano-doubling
# :class: dropdown
# ````

# %%
from lib.reconstruction.bounds import log_ball

rows = {}
for m in map_sizes:
    ball = log_ball(rec.distance_chain(m, tau), n_epochs, allowed_errors)
    rows[m] = [min(1.0, 2**n_epochs * np.exp(ball)), means.loc[("M", m), "tight"]]
columns = ["2^T Q", "tight"]
table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
plots.show_table(table.rename_axis("M"), "doubling")

# %% [markdown]
# For each of the $2^T$ sequences $y$ of counts, $\Pr[y, d \le s] \le \Pr[d(X, \hat x_y) \le s] \le Q$; sum over them. Information theory knows that few of the sequences are likely, but pays more for
# it than this counting does, once the map is large.
#
# ````{solution-end}
# ````
#
# ```{exercise} The luck of the lucky constant
# :label: fano-lucky
# The paper simulates 1,000 ways, computes the success of each constant, and reports the largest. By how much does that exceed the success of the best constant, for the simulated person and $s = T - 1$?
# ```

# %% [markdown]
# ````{solution-start} fano-lucky
# :class: dropdown
# ````

# %%
from lib import metrics
from lib.randomness import numbered

rng = numbered(seed, 7)
constants = np.repeat(np.arange(n_locations)[:, None], n_epochs, axis=1)
chain = rec.distance_chain(n_locations, tau)
exact = rec.guess_loss(chain, constants, n_epochs - 1).max()
largest = []
for _ in range(30):
    ways = chain.sample(1000, n_epochs, rng)
    visited = [(ways == place).any(axis=1).mean() for place in range(n_locations)]
    largest.append(max(visited))
low, high = metrics.mean_interval(np.array(largest))
print(f"exact {exact:.4f}; largest of {n_locations}: mean {np.mean(largest):.4f},")
print(f"95% from {low:.4f} to {high:.4f}")

# %% [markdown]
# The largest of many noisy numbers is biased upwards, like BEST in the Knock-Knock chapter.
#
# ````{solution-end}
# ````
#
# ```{exercise} A different way to fill the holes
# :label: fano-smoothing
# Add one to each count of transitions between a user's places before estimating. How do the mean tight bound with the fixed sensor and the share of users above 0.9 change in the first dataset?
# ```

# %% [markdown]
# ````{solution-start} fano-smoothing
# :class: dropdown
# ````

# %%
first = habits[habits["data"] == datasets[0]]
for chains, each in first.groupby("chains", sort=False):
    low, high = metrics.mean_interval(each["fixed"])
    print(f"{chains}: mean {each['fixed'].mean():.3f} ({low:.3f} to {high:.3f}), ")
    print(f"above 0.9: {(each['fixed'] > 0.9).mean():.3f}")

# %% [markdown]
# A user with a place that was never left is, as estimated, there for ever, and her bound is 1. Prior counts make everybody faster.
#
# ````{solution-end}
# ````
#
# ```{exercise} Noise for a promise
# :label: fano-noise
# How much noise does an exact $\varepsilon = 1$ at $\delta = 10^{-5}$ ask for over the $T$ counts? What do the paper's tight bound and the moment bound say about the simulated person in the smallest map then, and what about raw counts?
# ```

# %% [markdown]
# ````{solution-start} fano-noise
# :class: dropdown
# ````

# %%
from scipy import optimize

excess = lambda x: rec.dp_epsilon(x, n_epochs, 1e-5, "exact") - 1  # noqa: E731
sigma = optimize.brentq(excess, 1, 100)
small = rec.distance_chain(map_sizes[0], tau)
where = fano.drawn_sensors(seed, map_sizes[0], n_epochs, n_sequences)
print(f"σ = {sigma:.3f}")
for label, noise_std in (("raw", None), ("noisy", sigma)):
    tight = rec.tight_bound(small, where, allowed_errors, noise_std).mean()
    moments = [rec.moment_bound(small, row, allowed_errors, noise_std) for row in where]
    print(f"{label}: tight {tight:.3f}, moments {np.mean(moments):.3f}")

# %% [markdown]
# The promise of differential privacy is about somebody of whom the attacker knows all but one bit. Here she knows habits only. Noise takes from her what the counts said, but
# habits still give the bound a floor.
#
# ````{solution-end}
# ````

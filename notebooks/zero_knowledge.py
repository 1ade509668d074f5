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
# # Zero auxiliary knowledge: nobody's traces but hers
#
# Knock-Knock's attacker needs thousands of other people's traces to learn from, and who has those? One may hope
# that this keeps everybody safe. Guan and others {cite:p}`guan2024zero` took the hope away: their attacker makes the
# traces she lacks *from the release itself*, and does about as well.
#
# After this chapter you can
#
# - read from a release where, when and how much its people move, raw or behind noise or suppression;
# - turn these three marginals into synthetic traces, and the traces into an attack;
# - say why training groups should come in pairs, and what an unconverged solver hides;
# - compare two attackers on the same test groups, with an interval of the difference;
# - name the defenses that held, and what they cost.

# %% tags=["parameters", "remove-cell"]
datasets = ["tweeters-zk", "flights-by-number"]
path = ""
callers_users = 3000
n_targets = 5
n_train = 200
n_validation = 100
n_test = 100
ks = [0, 1, 3]
epsilons = [0.5, 1.0, 10.0]
shares = [0.1, 0.5, 1.0]
pair_epsilons = [4.0, 10.0]
sizes = [100, 1000]
n_cautious = 2000
processes = 1
seed = 2024

# %% [markdown]
# ## The question, and who knows what
#
# The game is the one of the chapters before: a group of $m$ users, with the target $u^*$ or without her, is counted and
# the counts are released. What differs is the attacker's prior.
#
# | | Knock-Knock (KK) | zero auxiliary knowledge (ZK) |
# |---|---|---|
# | the release, $m$, the defense and its parameters | yes | yes |
# | where the places are | yes | yes |
# | visits of the target, all or some | yes | yes |
# | traces of thousands of others, same places, same hours | yes | **no** |
#
# KK here is the form in which the ZK paper compares with it, `KnockKnockLR`: logistic regression on the counts
# themselves, with real traces. It is *another* attack than that of the Knock-Knock chapter, which looks at seven
# statistics a place. (The paper cites KK with an AUC above 0.83 at $m = 100$ on two datasets; KK itself prints 0.83 for its
# commuters only, and 0.72 for the cabs.)
#
# ### With six users
#
# Ada is the target. Everybody's counts on Monday: raw; with counts of 1 suppressed; and with noise that
# hides one visit, clipped and rounded down.

# %%
import numpy as np
import pandas as pd
from lib import plots
from lib.aggregation import aggregate
from lib.datasets import load
from lib.mechanisms import Laplace, PostProcess, SuppressSmallCounts, release
from lib.plots import zero_knowledge as figures

plots.use_style()
six = load("six-users").select(epochs=slice(0, 4))
raw_six = aggregate(six, [range(6)])[0]
defenses = {"raw": [], "k = 1": [SuppressSmallCounts(1)],
            "epsilon = 1 a visit": [Laplace(1.0), PostProcess("down")]}  # fmt: skip
releases_of_six = {
    label: release(six, [range(6)], each, np.random.default_rng(seed))[0]
    for label, each in defenses.items()
}

# %% mystnb={"image": {"alt": "Three matrices of counts of the six invented users, places by hours: raw, with counts of one suppressed, and with noise. Suppression empties many cells; noise fills others."}} tags=["hide-input"]
figures.show_releases(releases_of_six, six)

# %%
rows = {
    label: [
        int(counts.sum()),
        int((counts > 0).sum()),
        int(np.abs(counts - raw_six).sum()),
    ]
    for label, counts in releases_of_six.items()
}
columns = ["sum of counts", "cells above 0", "total change"]
plots.show_table(pd.DataFrame.from_dict(rows, orient="index", columns=columns), "six")

# %% [markdown]
# ## Definitions
#
# A trace $L^u$ is a 0/1 matrix of places $\mathcal S$ by hours $\mathcal T$; an aggregate is the sum of the $m$ traces of a
# group. A release is one of four things, each built from small mechanisms in a list.
#
# ````{prf:definition} Releases (Sec. 2.2)
# :label: def-zk-releases
# *Raw*: $A$. *Suppressed*: counts $\le k$ become 0. *$\varepsilon$-DP*: $A + \mathrm{Lap}(\Delta/\varepsilon)$, then clipped to $[0, m]$ and
# rounded down. *DP, then suppressed*: both in that order. The privacy unit sets $\Delta$: 1 for an **event** (one visit);
# the cap on visits a day for a **user-day**, which needs traces to be bounded before they are counted; the cap on all
# her visits for a **user**.
# ````


# %%
from lib.studies import zero_knowledge as studies

for each in studies.defense(epsilon=1.0, k=1, cap=10):
    print(each)

# %% [markdown]
# ### The populations
#
# CDR, the paper's call records, is private, and its Milan tweets (Social Pulse) are a download. `callers` and
# `tweeters-zk` are **synthetic stand-ins** calibrated to the statistics it prints: nothing here is a finding about those cities.
# Flights are real data, of flights. There are fewer of them, so their sizes shrink: groups of 250 instead of 1,000, a reference of
# 500 traces instead of 2,500 or 5,000, one week.

# %%
from lib.datasets import overview
from lib.studies import fitting

sources = fitting.called(datasets)
datasets = list(sources)
populations = {
    name: studies.population(file, path=path, callers_users=callers_users)
    for name, file in ({"callers": "callers"} | sources).items()
}
attacked = {name: populations[name] for name in datasets}
plots.show_table(overview(populations), "data")

# %% [markdown]
# Targets are drawn among users with at least ten visits, and each target's test groups are drawn from users whom no
# attacker knows.


# %%
able = fitting.zero_knowledge(attacked, n_targets)
targets = {
    name: studies.targets(traces, seed=seed, n_targets=able[name])
    for name, traces in attacked.items()
}

# %% [markdown]
# How many visits such users have (the paper's Fig. 14), over all who could be drawn. That the callers have six times those of the
# tweeters is how the stand-ins were made.

# %%
visits = {name: t.visits()[t.visits() >= 10] for name, t in populations.items()}
statistics = ["count", "mean", "std", "min", "50%", "max"]
spread = {name: v.describe()[statistics] for name, v in visits.items()}
plots.show_table(pd.DataFrame(spread), "target-visits")

# %% mystnb={"image": {"alt": "Histograms of the number of visits of users who may be targets, on a logarithmic axis, one panel a population: stand-in callers reach over a thousand, stand-in tweeters and flights mostly stay below fifty."}} tags=["hide-input"]
figures.show_visits(visits)

# %% [markdown]
# ## What a release says about its population
#
# The attacker needs three distributions: where visits are (**space marginal**), when they are (**time marginal**), and how
# many a user makes (**activity marginal**). From raw counts the first two are row and column sums, and the mean of the third is
# the sum over $m$ (Eq. 5, 6, 10). How near are they to those of the whole population? The distance below is *total variation*: half the
# sum of absolute differences, 0 to 1. The data are the stand-in callers.

# %%
from lib.membership import marginals

callers = populations["callers"]
only_callers = {"callers": callers}
crowd = studies.crowd(callers, seed)
space, time = true = studies.true_marginals(callers)
raw_space, raw_time = marginals.empirical(aggregate(callers, crowd)[0], crowd.size)
print(f"raw counts: space {studies.distance(raw_space, space):.3f}, "
      f"time {studies.distance(raw_time, time):.3f} from the population's")  # fmt: skip

# %% [markdown]
# ### Suppression exaggerates, noise flattens
#
# Suppression deletes the rare, so that the frequent looks more frequent: *log compression*, $\log(1 + x / x_{\min})$, flattens it
# again. Noise adds the same to every cell: the *power transform* $x^p$ sharpens it, with the $p$ that gives the
# variance of random probabilities, $1/(3n^2)$. The inverse of log compression, $e^x - 1$, was tried and does
# nothing once it is normalised.

# %%
far = studies.marginal_distances(only_callers, seed=seed).drop(columns="data")
plots.show_table(far.set_index(["release", "estimate"]), "marginal-distances")

# %% mystnb={"image": {"alt": "Stand-in callers. Above: the time marginal of the first two days, the population's against that of a raw, a suppressed and a log-compressed release. Below: the space marginal of every fifth place, sorted by popularity, the population's against a noisy and a power-transformed one, which is steeper."}} tags=["hide-input"]
found = {
    each: studies.released_marginals(callers, each, seed) for each in studies.TRIED
}
labels = ("raw", "empirical"), ("k = 1", "empirical"), ("k = 1", "log compression")
times = {", ".join(key): found[key[0]][key[1]]["time"][0] for key in labels}
spaces = {
    name: found["epsilon = 0.1"][name]["space"][0]
    for name in ("empirical", "power transform")
}
figures.show_marginals(true, times, spaces)

# %% [markdown]
# The paper shows log compression for the time marginal at $k = 1$ and the power transform for the space marginal at noise of scale 1. On this stand-in it comes out
# otherwise: log compression brings space nearer and time further off. At $\varepsilon = 1$ the noisy space marginal varies as much as random probabilities already, so that the
# power selected is 1 and nothing happens; time comes nearer. At $\varepsilon = 0.1$ it is the other way round. A rule that sees only a shape cannot know how much of it is the population's.

# %% [markdown]
# ### How many visits a user makes
#
# Counts say nothing about who made them, only their mean. The paper takes an exponential distribution, which needs no
# more. A lognormal one needs a spread as well, and fits the stand-in better; but the stand-in *was made* lognormal (as the
# paper found its callers to be).

# %%
fits = studies.activity(only_callers).drop(columns="data").set_index("family")
fits = fits.rename(index={"population": "stand-in callers"}).rename_axis(None)
columns = [
    "largest gap of the distribution functions",
    "median",
    "95% of users at most",
]
plots.show_table(fits.set_axis(columns, axis=1), "activity")

# %% mystnb={"image": {"alt": "Share of stand-in callers with at most so many visits: the population's curve, the lognormal one almost on it, and the exponential one apart from it on both sides."}} tags=["hide-input"]
per_user = callers.visits().to_numpy()
figures.show_activity(per_user, studies.activity_families(per_user))

# %% [markdown]
# ### Why noise flattens: a theorem, with its slips mended
#
# ````{prf:lemma} Mean of clipped noise (Lemma A.3)
# :label: lem-zk-clipped
# If $L \sim \mathrm{Lap}(b)$ then $\mathbb E[\max(L, 0)] = b/2$. Rounded down as well, as releases are,
# $\mathbb E\lfloor\max(L, 0)\rfloor = \frac{1}{2\,(e^{1/b} - 1)}$.
# ````
#
# The lemma is right; the paper's proof of the theorem leaves the floor out, which changes the constant and nothing else.

# %%
clipped = studies.clipped(["simulated"], seed=seed).drop(columns="data")
columns = ["b / 2", "clipped", "error", "1 / (2 (exp(1/b) - 1))", "floored", "error "]
clipped = clipped.set_index("scale").rename_axis("b").set_axis(columns, axis=1)
plots.show_table(clipped, "clipped-noise")

# %% [markdown]
# ````{prf:theorem} Noisy marginals tend to the uniform one (Theorem A.2, mended)
# :label: thm-zk-uniform
# Let the raw counts of each place be *strongly sparse*: their mean over the hours tends to 0 as $|\mathcal T| \to \infty$. Then the space marginal
# of counts with Laplace noise, clipped at 0, tends to $1/|\mathcal S|$ everywhere, almost surely. Let the counts of each hour have a bounded sum,
# however finely the places are cut. Then the time marginal tends to $1/|\mathcal T|$ as $|\mathcal S| \to \infty$.
# ````
#
# Write a released count as $\max(L, 0) + X$. Then $0 \le X \le A$, so that the mean of $X$ vanishes with that of $A$, and the mean of
# $\max(L, 0)$ is $b/2$: the marginal of a place tends to $\frac{b/2}{|\mathcal S|\, b/2}$. (The printed proof lets $\varepsilon \to 0$ where it means
# $|\mathcal T| \to \infty$, has $1/|\mathcal S|$ for $|\mathcal S|$ in its last display, and needs three cases for $X$.) Real counts are not strongly sparse: then the limit is
# not uniform, only flatter. (Lemma A.1 says that the sum of an hour does not change when places are cut finer. A user may be in several places in
# an hour, so it may grow; it stays below the number of records, which is all that is needed.) Both cases, with ten places, noise of scale 1, and $\sqrt{t}$ or $t/10$ visits in all to the most popular place:

# %%
limits = studies.uniform(["simulated"], seed=seed)
limits = limits.pivot_table(index="size", columns="regime", values="distance")
limits = limits[list(studies.REGIMES)].rename_axis(None, axis=1)
plots.show_table(limits.rename_axis("hours (space) or places (time)"), "uniform-limit")

# %% [markdown]
# And on the stand-in tweeters (Fig. 17): the more noise, the flatter, but never flat, since what is left is the
# variance of the noise itself. The last row is what noise alone gives. (At scale 0.1 the marginals grow *steeper*: rounding down takes one from about half
# of the positive counts, and small counts lose most. The floor is a mechanism too.)

# %%
tweeters = populations.get("tweeters-zk", load("tweeters-zk"))
flat = studies.flattening({"tweeters-zk": tweeters}, seed=seed).drop(columns="data")
flat = flat.set_index("noise").rename_axis("relative sd of the marginal")
plots.show_table(flat, "flattening")

# %% mystnb={"image": {"alt": "Stand-in tweeters: the time marginal of one release without noise and with Laplace noise of scale 1 and 10; the daily waves become small ripples."}} tags=["hide-input"]
times = {}
for scale in (None, 1.0, 10.0):
    protected = studies.defense(1 / scale if scale else None)
    group = studies.crowd(tweeters, seed)
    made = release(tweeters, group, protected, np.random.default_rng(seed))[0]
    label = f"scale {scale:g}" if scale else "no noise"
    times[label] = marginals.empirical(made, group.size)[1]
figures.show_times(times)

# %% [markdown]
# ## Traces out of thin air
#
# ````{prf:algorithm} A synthetic trace (Alg. 1)
# :label: alg-zk-trace
# 1. Draw an origin from the space marginal.
# 2. Grow a connected set of ten places around it in the Delaunay triangulation of the places.
# 3. Draw the number of visits from the activity marginal.
# 4. For each visit draw a place of the set, by the space marginal, and an hour, by the time marginal.
# ````
#
# Nothing more is known: no home, no office, no weekday. The listing draws with replacement and a trace is
# binary, so that repeats are lost; the last row says how many.

# %%
first = datasets[0]
traces = populations[first]
looks = studies.synthetic({first: traces}, seed=seed).drop(columns="data")
looks = looks.set_index("of").rename(index={"population": first}).rename_axis(None).T
plots.show_table(looks, "synthetic")

# %% mystnb={"image": {"alt": "The places of the first population joined by their Delaunay triangulation, dots sized by their share of visits, and one connected set of ten places highlighted."}} tags=["hide-input"]
space_first, time_first = studies.true_marginals(traces)
title = f"{first}: where a synthetic user may go"
figures.show_patch(traces, space_first, title, np.random.default_rng(seed))

# %% [markdown]
# Behind noise or suppression the sum over $m$ is no estimate of the mean. Algorithm 3 searches for the mean at which
# *synthetic* groups, released in the same way, hold as much as the release does. (As printed it steps from
# $\mu_0$ every time, and its fixed point is another; here the equation it means to solve is solved.) Algorithm 2 is then complete. What it gives is
# nearer than the sum, and too high where counts are protected: its synthetic users all have the mean, and share their ten places differently.

# %%
means = studies.mean_visits(only_callers, seed=seed).drop(columns="data")
means = means.set_index("release").rename_axis("mean visits of a caller")
plots.show_table(means, "mean-visits")

# %% [markdown]
# ## The attack
#
# ````{prf:algorithm} Zero auxiliary knowledge (Sec. 4, 5)
# :label: alg-zk-attack
# 1. Make synthetic traces from the release.
# 2. Make **pairs** of groups: $m - 1$ synthetic users, and then the target, or then another one.
# 3. Count them and protect the counts as the release was protected, *with the same noise for both of a pair*.
# 4. Fit logistic regression with an $L_1$ penalty to the counts, one weight a cell.
# 5. Choose the threshold that is right most often on validation groups, drawn independently.
# 6. Where counts are raw: if nobody is in a cell the target visited, she is not in the group. Say so.
# ````
#
# One game, in pieces. A `Challenge` holds one target's test groups; the attackers never see more of it than their priors allow.

# %%
from lib.membership import zero_knowledge as zk
from lib.randomness import numbered

of = {name: studies.sizes_of(name, each) for name, each in attacked.items()}
m_first, known_users = of[first]["group_size"], of[first]["n_reference"]
challenge = zk.Challenge(
    traces,
    targets[first][0],
    studies.defense(1.0),
    m_first,
    known_users,
    numbered(seed, 0),
)
attacker = zk.ZeroKnowledge(
    challenge.trace, traces.rois, challenge.on_counts, m_first, numbered(seed, 1),
    n_traces=known_users,
)  # fmt: skip
training = attacker.train(challenge.release)
learned = training.attack()
print("training rows:", training.rows.shape, "- cells with weight:", len(learned.cells))
print(f"relative duality gap at most 0.001: {learned.gap <= 1e-3}")

# %% [markdown]
# Where does the weight go? On her cells, mostly; and pairs are the reason.

# %%
weights = studies.weights(
    {first: traces}, target=targets[first][0], n_train=n_train, seed=seed, **of[first]
)
shown = weights.drop(columns="data").set_index("groups").rename_axis("training groups")
shown.columns = ["share of the weight on her cells"]
plots.show_table(shown, "weights")

# %% [markdown]
# ### The same for every experiment
#
# A target's test groups are the same for both attackers, and (where their size is) for every defense. ZK learns from *one*
# released aggregate a target, the first of her test groups, and is scored on all of them: the paper does not say whether each release had
# an attacker of its own.


# %%
sized = {"n_train": n_train, "n_validation": n_validation, "seed": seed}
tested = sized | {"n_test": n_test}
playing = {"units": targets, "processes": processes}

# %% [markdown]
# Tables show means over targets, standard errors over targets (*se*), and the mean of each target's difference, ZK less KK,
# with Student's 95% interval: targets and groups are the same, so this interval is the one to look at.


# %%
from lib.findings.zk import compared, in_words

# %% [markdown]
# ## Against suppression (Fig. 7, Table 3, Fig. 15)


# %%
suppressed = studies.suppression(attacked, ks=ks, of=of, **tested, **playing)
by_k = compared(suppressed, ["data", "k"])
plots.show_table(by_k, "suppression-auc")

# %% mystnb={"image": {"alt": "Mean AUC of KK and ZK against the suppression threshold, one panel a population (stand-in tweeters, flights) with standard errors; both fall from one towards one half as the threshold grows."}} tags=["hide-input"]
figures.show_both(by_k, "k", "counts up to k are suppressed")

# %% [markdown]
# How far ZK is from KK, in one line:


# %%
print(in_words(by_k))

# %% [markdown]
# What suppression takes away: of the counts above 0 in a release, the share that becomes 0.

# %%
share = studies.suppressed(
    populations, seed=seed,
    of={name: {"group_size": studies.sizes_of(name, t)["group_size"]} for name, t in populations.items()},
)  # fmt: skip
share = share.pivot(index="k", columns="data", values="share")[list(populations)]
plots.show_table(share.rename_axis(None, axis=1), "suppressed-share")

# %% [markdown]
# The rule of raw counts, alone: how many groups without the target it finds, and how many with her it wrongly calls out.

# %%
from lib.findings.zk import called_out

rule = studies.rule(attacked, of=of, n_test=n_test, seed=seed, **playing)
plots.show_table(called_out(rule).rename_axis("share called OUT"), "rule")

# %% [markdown]
# At $k = 5$ a stand-in's release has hardly a count left, as in the paper (that is how the stand-ins were made). Suppression does
# protect in the end: by then there is little left to use either.
#
# ### Accuracy
#
# An AUC needs no threshold, an accuracy does. Both attackers tune theirs on groups of other people than those of the test, ZK on synthetic ones; if those are somewhat fuller or
# emptier, a threshold on a sum of counts is off.

# %%
right = compared(suppressed, ["data", "k"], "accuracy")
plots.show_table(right, "suppression-accuracy")

# %% [markdown]
# ## Against noise (Fig. 8, Tables 4 and 5)
#
# Noise on events (sensitivity 1) and on user-days (each user's visits are first cut to at most so many a day, which is
# then the sensitivity).


# %%
capped = {name: each | studies.CAPS.get(name, {}) for name, each in of.items()}
noisy = studies.noise(
    attacked, epsilons=epsilons, scorers=zk.SCORERS, of=capped, **tested, **playing
)
by_noise = compared(noisy, ["data", "unit", "epsilon"])
plots.show_table(by_noise, "noise-auc")

# %%
print(in_words(by_noise))

# %% mystnb={"image": {"alt": "Mean AUC of KK and ZK against the scale of the noise, on a logarithmic axis, one panel a population with standard errors; both fall to one half as the noise grows, and lie close together."}} tags=["hide-input"]
by_scale = compared(noisy, ["data", "scale"]).sort_index()
figures.show_both(by_scale, "scale", "noise scale, sensitivity / epsilon", "log")

# %%
right = compared(noisy, ["data", "unit", "epsilon"], "accuracy")
plots.show_table(right, "noise-accuracy")

# %% [markdown]
# An attacker may be no better than the noise allows: an event-level budget says what one visit costs, and a
# target of ten visits pays it ten times. That is why a good-looking budget at the event level protects so little, and why the unit is
# the first thing to ask about.
#
# ### User-level noise
#
# The paper stops at user-days. Here is the user level: all her visits are one unit, the sensitivity is a cap on them (all visits
# of the busiest user, so that nothing is cut).


# %%
user_level = studies.user_level(
    attacked, epsilon=epsilons[-1], of=of, **tested, **playing
)
by_user = compared(user_level, ["data", "epsilon"])
plots.show_table(by_user, "user-level")

# %% [markdown]
# The busiest tweeter sets much noise for all of them. No flight has many visits in a week, so that for flights the same budget buys far less of it.

# %% [markdown]
# ## How little of the target is enough?
#
# From here on some experiments are on the stand-ins only, or on the first population if there are none.

# %%
stand_ins = {
    name: attacked[name] for name in datasets if name in studies.STAND_INS
} or {first: traces}
one = dict(list(stand_ins.items())[:1])

# %% [markdown]
# ### A part of her visits (Fig. 9)
#
# Event-level $\varepsilon = 1$ and then $k = 1$. The attackers know a random part of the target's visits, rounded up, and train with it; the groups on
# which they are tested hold all of her. A larger part contains the smaller ones.


# %%
partial = studies.partial(stand_ins, shares=shares, of=of, **tested, **playing)
by_share = compared(partial, ["data", "share"])
plots.show_table(by_share, "partial")

# %% mystnb={"image": {"alt": "Mean AUC of KK and ZK against the share of the target's visits that is known, one panel a population with standard errors; it rises with the share."}} tags=["hide-input"]
figures.show_both(by_share, "share", "share of her visits that is known")

# %% [markdown]
# ### Her places, but not when (Tables 10 and 11)
#
# Raw counts. The attackers know the target's most visited places, or all of them, and make up the hours: *random*, as many visits as an
# average user makes, spread over these places, at hours from the (true) time marginal; or *greedy*, every hour at every one of
# these places. A guessed visit is no visit, so the rule of raw counts is off. Both need a logistic regression on wrong visits.


# %%
guesses = studies.places(stand_ins, tops=[1, 0], of=of, **tested, **playing)
by_places = compared(guesses, ["data", "method", "places"])
plots.show_table(by_places, "places")

# %% [markdown]
# ## What the attack is made of

# %% [markdown]
# ### Pairs against independent groups (Fig. 10)
#
# Two training groups that differ in one member show what that member adds; two independent groups show what everybody adds.
# User-day noise; as many training groups in both cases.


# %%
from lib.findings.zk import gained

pairing = studies.pairs(one, epsilons=pair_epsilons, of=capped, **tested, **playing)
by_pairing = gained(pairing, ["epsilon", "attacker"], "groups", "independent", "pairs")
plots.show_table(by_pairing, "pairing")

# %% mystnb={"image": {"alt": "Mean AUC against the user-day budget for KK and ZK, each trained on pairs and on independent groups, on the first population, with standard errors."}} tags=["hide-input"]
figures.show_pairs(pairing)

# %% [markdown]
# ### Users in a group (Fig. 11, Tables 6 to 9)
#
# Raw and suppressed for both attackers, and event-level noise. Sizes above the pool of test users are left out.


# %%
of_sizes = {"of": fitting.sizes(stand_ins, sizes, of), **tested, **playing}
games = [
    studies.sizes(stand_ins, **of_sizes),
    studies.noisy_sizes(stand_ins, epsilons=[1.0], **of_sizes),
]
by_size = compared(pd.concat(games), ["data", "release", "m"])
by_size = by_size.loc[list(stand_ins)]
plots.show_table(by_size, "group-sizes")

# %% mystnb={"image": {"alt": "Mean AUC of ZK against the size of the group, a line a release (raw, suppressed, noisy), on the first population, with standard errors."}} tags=["hide-input"]
figures.show_sizes(by_size, next(iter(stand_ins)))

# %% [markdown]
# ### More synthetic traces (Fig. 12)
#
# Unlike real traces, synthetic ones cost nothing. Event-level $\varepsilon = 1$, $k = 1$.


# %%
from lib.summaries import means

more = studies.traces_made(one, numbers=[1000, 5000], of=of, **tested, **playing)
plots.show_table(means(more, ["traces"], "AUC"), "more-traces")

# %% [markdown]
# ## What the paper did not do

# %% [markdown]
# ### Is learning worth anything?
#
# Logistic regression has a weight for each cell. Two linear scores need no optimisation: each cell's **mean
# difference** within the pairs, and the plain **sum over the target's cells**, which needs no training groups and no traces at all.
# (That last one makes KK and ZK the same but for the threshold.) Below: the mean AUC, and logistic regression less the sum,
# over the same targets.


# %%
from lib.findings.zk import learned as by_score

plots.show_table(by_score(noisy, ["data", "unit", "epsilon"]), "scores-noise")

# %%
plots.show_table(by_score(suppressed, ["data", "k"]), "scores-suppression")

# %% [markdown]
# ### The solver is part of the result
#
# The paper says "logistic regression, $L_1$, defaults" of scikit-learn, which has no such default. `liblinear` is the natural reading. `saga`,
# stopped early, is another model: it has not moved far from the mean difference it starts with. `certified` is this book's: it stops at a proven
# distance from the optimum, the *relative duality gap*, and says so for the others too. Event-level noise with the smallest budget of this chapter, the
# first population, ZK.


# %%
from lib.findings.zk import by_solver

solved = studies.solvers(
    one, epsilon=epsilons[0], saga_iterations=[10, 50], of=of, **tested, **playing
)
plots.show_table(by_solver(solved), "solvers")

# %% [markdown]
# The certified optimum and liblinear find about the same. What `saga` leaves behind when it is stopped is far from this objective's optimum (its gap says so), and does no
# worse: it is nearer to the scores that do not learn. Whoever compares attackers with it compares numbers of iterations.

# %% [markdown]
# ### Marginals by their likelihood
#
# The power transform looks at a shape. But the attacker knows the noise, the clipping, the floor and the threshold: she can write down how likely
# each released count is for given marginals, and maximise that. Total variation to the population's marginals, event-level $\varepsilon = 1$, stand-in callers, five releases:

# %%
from lib.findings.zk import estimated

likelihoods = studies.likelihood(only_callers, seed=seed)
by_estimator = estimated(likelihoods).rename_axis("estimate")
plots.show_table(by_estimator, "likelihood")

# %% [markdown]
# These marginals are about as near as those of raw counts (first row of the table further up): what is left is that a thousand users are not everybody.
# And what they are worth to the attack, against the middle event-level budget of this chapter (the same test groups):


# %%
middle = epsilons[len(epsilons) // 2]
better = studies.estimators(attacked, epsilon=middle, of=of, **tested, **playing)
before = noisy.query(
    "unit == 'event' and epsilon == @middle and scorer == 'logistic' and attacker == 'ZK'"
)

# %%
from lib.summaries import several

both = several({"power transform": before, "likelihood": better}, "marginals")
gains = {
    value: gained(both, ["data"], "marginals", "power transform", "likelihood", value)
    for value in ("AUC", "accuracy")
}
by_marginals = pd.concat(gains, names=["value"]).swaplevel().loc[datasets]
plots.show_table(by_marginals, "likelihood-attack")

# %% [markdown]
# With these few targets no gain shows. The attack needs marginals that are roughly right, and pairs cancel most of the rest. (With thirty targets, in [the kept run](replication/zk.ipynb), the
# AUC is the same again. On flights the accuracy is 0.07 higher: a threshold is chosen on synthetic groups, and these are now as full as real ones.)

# %% [markdown]
# ### The cautious attacker
#
# The paper has 100 test groups a target: one false accusation in a hundred cannot be measured with 50 groups without her. The true positive rate
# at a false positive rate of 1%, event-level $\varepsilon = 1$, with many more groups:


# %%
cautious = studies.cautious(attacked, n_test=n_cautious, of=of, **sized, **playing)
plots.show_table(compared(cautious, ["data"], "TPR"), "tpr")
print(f"test groups a target: {n_cautious}, half of them without her")

# %% [markdown]
# Guessing would give 0.01. A promise of $\varepsilon = 1$ for a visit leaves a cautious attacker many times that.

# %% [markdown]
# ## Beside the paper
#
# At the paper's sizes (400 training groups, its grids, all 11,000 stand-in callers, thirty targets of each population) every table is in
# [the replication](replication/zk.ipynb), beside each number and trend that the paper prints.
#
# On the stand-ins nobody's traces are missed: two of the 32 intervals leave out 0, and only one mean difference (tweeters, $k = 4$) is above 0.03. On the flights,
# which are real, they are: behind event-level noise ZK is behind KK at four of five budgets, by up to 0.05, and behind the weakest user-day noise as well. A likely
# reason, which was not tested: a flight keeps its places *and* its hours, and a synthetic trace draws the two apart.
#
# %% [markdown]
# ## Discussion
#
# ### What holds, and what it costs (Sec. 7.2)
#
# A defense has two numbers: what is left of the attack, and what is left of the counts. Below, for the first population: the higher of the two attackers'
# mean AUCs, and how far the released shares of all cells, and of all places, are from the raw ones (total variation; one release).

# %%
from lib.findings.zk import costs

moved = studies.moved(
    {first: traces}, ks=ks, epsilons=epsilons, seed=seed,
    group_size=m_first, **studies.CAPS.get(first, {}),
)  # fmt: skip
plots.show_table(costs(moved, by_k, by_noise, by_user), "cost")

# %% [markdown]
# Suppression protects as far as it deletes: at the largest threshold of the table it has deleted most counts, and the attack still does better than a coin. Noise
# that hides a visit moves the cells far and leaves the target visible. Only noise that hides a day or a person, with a small budget, brings both attackers near one half, and it
# moves most of what is in single cells; sums over places survive it better. So the paper's advice stands here: protect user-days or users, with a
# budget that was chosen and not inherited, and release fewer, larger numbers. The practice it reports is different: $\varepsilon$ of 0.1 to 1 for single
# visits, or 2 to 16 for user-days. A promise about a visit is a promise about one visit; people make many.
#
# ### Limits (Sec. 7.3)
#
# - *What she must know.* ZK needs the positions of the places, for the triangulation only. In the paper she is near guessing if she knows
#   where the target was but not when; so are both attackers here (the paper's Knock-Knock did better).
# - *Regular populations.* Marginals of a city are much alike from week to week; those of taxis may not be. Our real data are flights, which keep a timetable.
# - *Stand-ins.* Callers and tweeters here are models. The attacker's traces come from another model, but a model; that she is level with KK against them is weaker
#   evidence than what happens with flights, which nobody modelled: there she is above guessing and behind KK.
# - *The other prior.* The paper leaves out the past groups of Knock-Knock: to know in which of hundreds of releases the target was, one must have made them.
# - *One release an attacker.* Both attackers are scored on groups of the population they were trained for; that is the best case for both.
#
# ### Other data (Sec. 7.4)
#
# The method has two steps: read global statistics from a release, undoing what the defense did to them; then make single records with these statistics.
# Nothing in the first is about places: where a mechanism is public, a released table has a likelihood, and the estimator above maximises it. The second needs a model of a record.
# For places it is a triangulation and three distributions; a table of people would need one of its own.

# %% [markdown]
# ## Take-aways
#
# - Not having anybody's traces hardly weakens the attacker where people are drawn by a model: at the paper's sizes the means of ZK and Knock-Knock on the stand-ins lie
#   within 0.03 in all rows but one, as the paper found on its callers. On real flights she pays, by up to 0.05 behind noise, and is far above guessing still. "Nobody has such
#   data" is no defense.
# - Pairs that share their members and their noise raised the mean AUC of both attackers, here at both budgets and in the kept run at all ten.
# - Learning is worth little. Behind noise and suppression the sum over the target's cells, which needs no traces, no training and no computer to speak of, does as well
#   or better in most rows, in the kept run by as much as 0.1 and more (flights behind very little noise are an exception): the risk is in the counts and not in the classifier.
# - The attackers rank groups better than they decide about them: their thresholds come from other groups, and accuracy stays well below what the AUC suggests.
# - A solver that has not converged gives another attack. Say which one it was, and how far it got.
# - The paper's own conclusion is that only user-day or user-level privacy with a small budget held. In our tables too.
#
# ## Exercises
#
# ```{exercise} Noise from nobody
# :label: zk-nobody
# A release of $500 \times 720$ counts has event-level noise of scale 1, clipped and rounded down. How many visits does noise alone put into it, and how many
# for each of $m = 1000$ users? Use Lemma {prf:ref}`lem-zk-clipped` and check by simulation.
# ```

# %% [markdown]
# ````{solution-start} zk-nobody
# :class: dropdown
# ````

# %%
n_cells = 500 * 720
expected = float(marginals.expected_counts(np.zeros(1), 1.0, "down")[0]) * n_cells
nobody = np.zeros((1, 500, 720), int)
drawn = release(nobody, studies.defense(1.0), np.random.default_rng(seed), 1000).sum()
print(
    f"expected {expected:.0f}, drawn {drawn:.0f}: {expected / 1000:.1f} visits a user who never moved"
)

# %% [markdown]
# As many as a stand-in caller makes in a month. That is why the mean has to be searched for, and cannot be read off.
#
# ````{solution-end}
# ````
#
# ```{exercise} What a pair cancels
# :label: zk-cancels
# Show that the difference of a pair of training aggregates does not depend on the other $m - 1$ users or on the noise, as long as nothing is clipped or
# suppressed. What remains in it besides the target?
# ```

# %% [markdown]
# ````{solution-start} zk-cancels
# :class: dropdown
# ````

# %%
pair = zk.Training(
    challenge.reference, challenge.trace, [Laplace(1.0)], m_first,
    np.random.default_rng(seed), n_train=2,
)  # fmt: skip
without, with_her = pair.rows.columns(np.arange(pair.rows.shape[1])).T
her = challenge.trace.ravel()
other = pair.by_user[[pair.groups[0, -1]]].toarray().ravel()
print(
    "the difference is her trace less the other's:",
    np.abs(with_her - without - (her - other)).max() < 1e-3,
)
print("cells in it:", int(np.abs(her - other).sum()), "of", len(her))

# %% [markdown]
# The user whose place she takes remains, another one in each pair, and her mean over the pairs is small in any one cell. With clipping, a cell that noise pushes
# below 0 hides a visit.
#
# ````{solution-end}
# ````
#
# ```{exercise} A certificate
# :label: zk-certificate
# Take the weights of the certified solver and multiply them by 1.05. By how much does the objective grow, and is that more than the certificate allows?
# ```

# %% [markdown]
# ````{solution-start} zk-certificate
# :class: dropdown
# ````

# %%
from lib.membership import sparse_logistic

model = sparse_logistic.fit(training.rows, training.members)
columns_used = training.rows.columns(model.columns)
signs = 2 * training.members - 1
values = {}
for factor in (1.0, 1.05):
    margins = signs * factor * (model.weights @ columns_used + model.intercept)
    size = factor * (np.abs(model.weights).sum() + abs(model.intercept))
    values[factor] = size + np.logaddexp(0, -margins).sum()
print(f"objective 1.05 times the weights: {values[1.05] / values[1.0] - 1:.2%} higher")
print("certified to at most 0.10% above the optimum:", model.gap <= 1e-3)

# %% [markdown]
# Any point whose objective is higher by more than the gap is certainly not optimal. The reverse holds too: nobody can lower the objective by more than the gap.
#
# ````{solution-end}
# ````
#
# ```{exercise} An attacker for each release
# :label: zk-each
# This chapter's ZK learns from one release a target. Give each of ten test groups an attacker of its own: how often do the two agree about a group?
# ```

# %% [markdown]
# ````{solution-start} zk-each
# :class: dropdown
# ````

# %%
cells = np.arange(challenge.trace.size)
ten = challenge.released(cells)[:10].reshape(10, *challenge.trace.shape)
shared = learned.score(ten) > learned.threshold
own = []
for i, one_release in enumerate(ten):
    attacker = zk.ZeroKnowledge(
        challenge.trace, challenge.rois, challenge.on_counts, m_first, numbered(seed, 20, i),
        n_traces=known_users, n_train=n_train,
    ).fit(one_release)  # fmt: skip
    own.append(
        attacker.decision_function(one_release[None])[0] > attacker.learned.threshold
    )
hers = challenge.members[:10]
print("agree on", int((np.array(own) == shared).sum()), "of 10")
print(
    "right: shared",
    int((shared == hers).sum()),
    "- own",
    int((np.array(own) == hers).sum()),
)

# %% [markdown]
# Ten groups say little about which is better, and the cost is tenfold. It matters only where releases of one population differ in more than their members.
#
# ````{solution-end}
# ````
#
# ```{exercise} How low does a budget have to be?
# :label: zk-bound
# Differential privacy bounds *any* attacker: at $\varepsilon$ for the whole user, the accuracy with equal chances is at most $e^\varepsilon / (1 + e^\varepsilon)$.
# At event level a user of $n$ visits has $n \varepsilon$. For which event-level $\varepsilon$ is a target of ten visits, and one of 120, protected to an accuracy of 0.6?
# ```

# %% [markdown]
# ````{solution-start} zk-bound
# :class: dropdown
# ````

# %%
wanted = 0.6
whole = np.log(wanted / (1 - wanted))
for n in (10, 120):
    print(
        f"{n} visits: epsilon = {whole / n:.4f} a visit, noise of scale {n / whole:.0f} on every count"
    )

# %% [markdown]
# A bound is not an attack: the chapter's attackers fall to guessing long before. But nobody can promise that a better one will not come.
#
# ````{solution-end}
# ````

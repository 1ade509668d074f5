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
# # What does the crowd say about you?
#
# A transport company publishes how many people were at each station in each hour. You know a little about one of
# them: where she goes often, or at which hours she travels. Do the counts help you to say where she was?
# {cite:t}`pyrgelis2017crowd` ask this for a whole population at once, with many kinds of prior knowledge and three
# ways to combine it with counts. Here nobody doubts that she was counted; the question is *where*.
#
# After this chapter you can
#
# - write down prior knowledge as a profile, and tell profiling from localization;
# - combine a prior with counts by BAYES, MAX_ROI and MAX_USER, and say what each of them ignores;
# - read a published error, and find out which unprinted convention produced it;
# - say what Laplace noise, Fourier perturbation and SpotMe's coin tosses take from the attacker, and at what price;
# - solve the joint problem that the three strategies approximate.

# %% tags=["parameters", "remove-cell"]
# fmt: off
datasets = ["flights-by-number", "flights-by-tail", "commuters", "cabs"]
path = ""
users_of = {}
noise_users_of = {}
inference = 168
delta = 0.5
epsilons = [0.001, 0.01, 0.1, 1.0]
ps = [0.1, 0.3, 0.5, 0.7, 0.9]
kappa = 20
kappas = {}
sanity_bound = 5.0
n_releases = 1
joint_every = 14
mix = 0.05
seed = 2017
# fmt: on

# %% [markdown]
# ## The question, and who knows what
#
# Time is cut in two. In the **observation period** the attacker has somehow watched: a data leak, a shared office, a
# social network. In the **inference period**, the last week here, she sees only the counts of everybody together.
#
# | | the paper's sign | here |
# |---|---|---|
# | users, ROIs, epochs | $U$, $S$, $T$ | `traces.users`, `.rois`, `.epochs` |
# | inference and observation period | $T'$, $\tilde T$ | `loc.inferred(traces)`, the rest |
# | where everybody really was, and as a distribution | $L$, $L^p$ | the traces of the inference period |
# | counts, and as a distribution | $A$, $A^p$ | `counts`, `loc.aggregate_profile` |
# | counts behind noise | $A'$ | `released` |
# | what the attacker knows before | $P$ | `loc.prior(traces, kind)` |
# | what she believes after | $\hat P$ | `loc.bayes`, `loc.max_roi`, `loc.max_user` |
#
# (The paper's Table 1.) A user who is seen nowhere in an hour is at a ROI of its own, **null**. It is counted, it is
# predicted and it is scored like any other: knowing that somebody was *not* travelling is knowledge.
#
# ### With six users
#
# The attacker watched all six on Monday, and remembers how often each was where. On Tuesday she sees the counts. What does
# she believe of Dan, who was at home, at the station, in the park and nowhere, once each?

# %%
import numpy as np
import pandas as pd
from lib import localization as loc
from lib import metrics, plots
from lib.datasets import load, overview
from lib.plots import crowd as figures
from lib.studies import crowd

plots.use_style()
six = load("six-users").with_null()
tuesday = loc.inferred(six, 4)
six_counts = tuesday.matrix.sum(axis=0).reshape(six.n_rois, 4)
watched = loc.prior(six, "FREQ_ROI", 4)

# %%
hours = [f"{epoch:%H}h" for epoch in tuesday.epochs]
DAN = six.users.get_loc("Dan")
shown = {
    "true": tuesday.trace("Dan"),
    "counts": six_counts,
    "prior": watched.toarray([DAN])[0],
    "BAYES": loc.bayes(watched, six_counts).toarray([DAN])[0],
    "MAX_ROI": loc.max_roi(watched, six_counts).toarray([DAN])[0],
    "MAX_USER": loc.max_user(watched, six_counts).toarray([DAN])[0],
}
tables = {k: pd.DataFrame(v, six.rois.index, hours) for k, v in shown.items()}
plots.show_table(pd.concat(tables, names=["Dan, Tuesday", "ROI"]), "six-users")

# %% [markdown]
# Without counts every hour looks alike. With them BAYES leans to where many were counted: right at 9, wrong at 8, since
# Dan was never seen in the office and zero times anything is zero. MAX_ROI and MAX_USER must name places. Both find
# him at noon and in the evening, say null at 8, and nothing at all at 9: others had been given the station by then.
#
# ## Priors
#
# The paper's Table 2. *Probabilistic* priors are distributions over ROIs; *assignment* priors are zeros and ones.
#
# | prior | she knows how often the user is | equation |
# |---|---|---|
# | `FREQ_ROI` | in each ROI, at any time | 7 |
# | `ROI_DAY`, `ROI_DAY_WEEK` | in each ROI, for each hour of the day, of the week | 8, 9 |
# | `TIME_DAY`, `TIME_DAY_WEEK` | *anywhere* in that hour of the day, of the week; then uniform over all ROIs | 10, 11 |
# | `LAST_WEEK`, `LAST_DAY`, `LAST_HOUR` | where she was a week, a day, an hour before | 14 |
# | `POP` of another | the ROIs with probability $\delta$ or more | 12 |
# | `ALL` of another | every ROI with positive probability | 13 |
#
# `LAST_DAY` and `LAST_HOUR` slide over the truth of the week that is to be inferred: to know where everybody was an
# hour ago is nearly to know where they are. They are oracles rather than priors, and we keep them as printed.
#
# ````{prf:definition} Frequent ROIs (Eq. 7)
# :label: def-crowd-freq-roi
# $P_{s,t'} = \sum_{t \in \tilde T} l_{s,t} / M$ for every $t' \in T'$, where $M$ counts the user's observations, null
# included. The seasonal priors (Eq. 8-11) do the same for each slot of a cycle of $c$ = 24 or 168 hours.
# ````
#
# ## Data
#
# `commuters` and `cabs` are *synthetic stand-ins* for the paper's London fare cards (TFL) and San Francisco cabs
# (SFC), calibrated to statistics that it prints. `cabspotting`, in [the replication](replication/crowd.ipynb), is the cabs themselves.
# Flights are flights: by number they repeat weekly, by tail they do not.

# %%
from lib.studies import fitting

sources, sizes = fitting.called(datasets), {"commuters": 300, "cabs": 120} | users_of
weeks = {
    name: crowd.watched(file, sizes.get(name), inference, path)
    for name, file in sources.items()
}
datasets = list(weeks)
plots.show_table(overview({name: week.traces for name, week in weeks.items()}), "data")

# %% [markdown]
# The next table has the statistics of the paper's Sec. 4.1. They are per user over the whole window and per ROI
# over the inference week, null left out. $\Delta$ is the most visits a user makes in the inference week.

# %% [markdown]
# ### What the data look like


# %%
facts = crowd.statistics(weeks).set_index("data").loc[:, :"sensitivity"]
plots.show_table(facts.T.astype(float).rename_axis("statistic"), "statistics")

# %% [markdown]
# ## Three strategies
#
# ````{prf:algorithm} BAYES (Eq. 15, Alg. 3.1)
# :label: alg-crowd-bayes
# For each user and epoch, multiply the prior's column by the aggregate profile $A^p$ and normalise. Where the two
# have no ROI in common the prior is kept.
# ````
#
# ````{prf:algorithm} MAX_ROI (Alg. 3.2)
# :label: alg-crowd-max-roi
# For each ROI and epoch, the $A_{s,t'}$ users with the largest prior probability are there. Ties go to users with more
# reports. A user may land in several ROIs, or in none.
# ````
#
# ````{prf:algorithm} MAX_USER (Alg. 3.3)
# :label: alg-crowd-max-user
# In each epoch, users in the order of their reports take every ROI with positive prior probability whose count is not
# used up yet.
# ````
#
# A user who lands nowhere is said to be at null; one who lands in several ROIs is spread evenly over them.
#
# Nothing of the size users x ROIs x epochs is ever built: London would need 8 GB for one profile. A profile is a
# function of the epoch, and each epoch is a sparse matrix of users by ROIs. MAX_USER looks sequential and is not: one
# ROI's capacity concerns no other ROI, so its count is filled by the first users in order who have a positive prior.

# %%
first = weeks[datasets[0]]
known = first.prior("FREQ_ROI")
prior, count = known.toarray([0])[0, :, 12], first.counts[:, 12]
belief = prior * count / (prior * count).sum()
print(f"one user at one hour, null: before {prior[-1]:.3f}, after {belief[-1]:.3f}")
believed = loc.bayes(known, first.counts)  # the same, for all users and hours

# %% [markdown]
# ## Errors
#
# ````{prf:definition} Profiling error (Eq. 4)
# :label: def-crowd-profiling
# The mean over epochs of the Jensen-Shannon *distance*, the square root of
# $\tfrac12 D(L^p \| Z) + \tfrac12 D(\hat P \| Z)$ with $Z = \tfrac12 (L^p + \hat P)$, between the user's true
# distribution over ROIs and the attacker's.
# ````
#
# ````{prf:definition} Localization error (Eq. 3, 5)
# :label: def-crowd-localization
# $1 - F_1$ of the cells that the attacker says the user visited, over the whole inference period.
# ````
#
# ````{prf:definition} Privacy loss (Eq. 6)
# :label: def-crowd-loss
# $(e_P - e_{P,A}) / e_P$ of each user, where $e_P$ is the error with the prior alone and $e_{P,A}$ that with the counts as
# well; 0 if the counts did not help.
# ````
#
# The paper's text says JS *distance* and base 2; its numbers fit the natural logarithm, with which the distance ends
# at $\sqrt{\ln 2} \approx 0.83$. We use that one; base 2 is larger by a factor of 1.2.

# %% [markdown]
# ### The distance, checked
#
# In base 2 the divergence lies in $[0, 1]$ and its root satisfies the triangle inequality. On random distributions:

# %%
checked = crowd.js_distance(["simulated"], seed=seed).iloc[0]
print(f"divergence from {checked['smallest']:.3g} to {checked['largest']:.3f}")
print("triangle inequality, share of cases:", checked["triangles"])

# %% [markdown]
# ## Profiling
#
# Every prior, every strategy, every dataset; one error a user.

# %% [markdown]
# ### Who believes what

# %%
error = loc.profiling_error(believed, first.truth)
print(f"{datasets[0]}, BAYES after FREQ_ROI: {error.mean():.4f}")
rows = crowd.errors(weeks, delta=delta)  # the same, for all

# %% [markdown]
# A row of the tables below is a mean over users, with its 95% interval; `loss` is the mean privacy loss and `better`
# the share of users whose error the counts reduced.


# %% [markdown]
# ### Frequent ROIs (Fig. 1)

# %% mystnb={"image": {"alt": "Panels, one for each dataset: share of users against profiling error with the FREQ_ROI prior. BAYES lies left of the prior in each; MAX_ROI crosses it on the cabs."}} tags=["hide-input"]
figures.show_errors(rows, "profiling", ["FREQ_ROI"])

# %%
plots.show_table(
    figures.errors_table(rows, "profiling", "FREQ_ROI"), "profiling-FREQ_ROI"
)

# %% [markdown]
# Knowing only how often somebody is where, the attacker gains much from the counts: mostly *when* people move at all.
# The cabs, stand-ins here, lose least: they are on the road most of the time, and everywhere. For them MAX_ROI does
# worse than no counts at all: it hands the counts to those with few ROIs and hence high probabilities.
#
# ### Hours of the week (Fig. 2)

# %% mystnb={"image": {"alt": "The same panels with the ROI_DAY_WEEK prior: errors are smaller than with FREQ_ROI for the regular datasets, and the strategies lie close to the prior for the cabs."}} tags=["hide-input"]
figures.show_errors(rows, "profiling", ["ROI_DAY_WEEK"])

# %%
plots.show_table(
    figures.errors_table(rows, "profiling", "ROI_DAY_WEEK"), "profiling-ROI_DAY_WEEK"
)

# %% [markdown]
# For regular users this prior is nearly the answer. BAYES can even make it worse: for flights by number it multiplies a
# belief that was right by the popularity of places. MAX_ROI does not, since it only asks who comes first.
#
# ### Hours of the day (Fig. 10)

# %% mystnb={"image": {"alt": "The same panels with the ROI_DAY prior; errors lie between those of FREQ_ROI and ROI_DAY_WEEK."}} tags=["hide-input"]
figures.show_errors(rows, "profiling", ["ROI_DAY"])

# %%
plots.show_table(
    figures.errors_table(rows, "profiling", "ROI_DAY"), "profiling-ROI_DAY"
)

# %% [markdown]
# ### Only when, not where (Fig. 3, 11)
#
# TIME priors say in which hours a user was seen, and are uniform over ROIs in these. Both greedy strategies then see
# nothing but ties, and their results differ only where users of probability 0 are needed to make up a count.

# %% mystnb={"image": {"alt": "The same panels with the TIME_DAY_WEEK prior; MAX_ROI and MAX_USER nearly coincide."}} tags=["hide-input"]
figures.show_errors(rows, "profiling", ["TIME_DAY_WEEK"])

# %%
plots.show_table(
    figures.errors_table(rows, "profiling", "TIME_DAY_WEEK"), "profiling-TIME_DAY_WEEK"
)

# %% mystnb={"image": {"alt": "The same panels with the TIME_DAY prior: its error is larger than with hours of the week, and both greedy strategies leave far less."}} tags=["hide-input"]
figures.show_errors(rows, "profiling", ["TIME_DAY"])

# %%
plots.show_table(
    figures.errors_table(rows, "profiling", "TIME_DAY"), "profiling-TIME_DAY"
)

# %% [markdown]
# ### Last week, last day, last hour (Fig. 12, 13)

# %% mystnb={"image": {"alt": "Panels for the three assignment priors and each dataset: the strategies lie close to the prior for flights and cabs, less so for commuters."}} tags=["hide-input"]
figures.show_errors(rows, "profiling", loc.LAST)

# %%
plots.show_table(figures.last_table(rows, "profiling"), "profiling-LAST")

# %% [markdown]
# ## Localization
#
# Now the attacker must say *where*, yes or no. From a probabilistic prior or posterior she predicts the popular ROIs
# (POP, $\delta = 0.5$) or all of them (ALL). Loss is measured against ALL.

# %% [markdown]
# ### Who predicts what


# %%
error = loc.localization_error(loc.popular(believed, delta), first.truth)
print(f"{datasets[0]}, POP of BAYES after FREQ_ROI: {error.mean():.4f}")

# %% [markdown]
# ### Frequent ROIs (Fig. 4)

# %% mystnb={"image": {"alt": "Panels, one for each dataset: share of users against localization error with the FREQ_ROI prior. ALL is worst for sparse datasets, POP is worst for cabs."}} tags=["hide-input"]
figures.show_errors(rows, "localization", ["FREQ_ROI"])

# %%
plots.show_table(
    figures.errors_table(rows, "localization", "FREQ_ROI"), "localization-FREQ_ROI"
)

# %% [markdown]
# POP looks clever for the sparse datasets. It predicts null, always, for nearly everybody, and is right most of the time.
# An error that a constant answer makes small says more about the data than about the attack.
#
# ### Hours of the week (Fig. 5), and only when (Fig. 16)

# %% mystnb={"image": {"alt": "The same panels with the ROI_DAY_WEEK prior: errors are much smaller for regular datasets; ALL is the best choice for the cabs."}} tags=["hide-input"]
figures.show_errors(rows, "localization", ["ROI_DAY_WEEK"])

# %%
plots.show_table(
    figures.errors_table(rows, "localization", "ROI_DAY_WEEK"),
    "localization-ROI_DAY_WEEK",
)

# %% mystnb={"image": {"alt": "The same panels with the TIME_DAY_WEEK prior: ALL predicts every ROI in active hours and is nearly always wrong."}} tags=["hide-input"]
figures.show_errors(rows, "localization", ["TIME_DAY_WEEK"])

# %%
plots.show_table(
    figures.errors_table(rows, "localization", "TIME_DAY_WEEK"),
    "localization-TIME_DAY_WEEK",
)

# %% [markdown]
# ### Last week, last day, last hour (Fig. 14, 15)

# %% mystnb={"image": {"alt": "Panels for the three assignment priors and each dataset: MAX_ROI and MAX_USER lie close to the prior, farthest from it for the commuters."}} tags=["hide-input"]
figures.show_errors(rows, "localization", loc.LAST)

# %%
plots.show_table(figures.last_table(rows, "localization"), "localization-LAST")

# %% [markdown]
# ## When, and who
#
# ### Hours of the week (Fig. 6)
#
# The error of the ROI_DAY prior, hour by hour, and what the counts leave of it. Hours are local (the traces' own,
# for the synthetic commuters). The table has 95% intervals over users for parts of the week.

# %% mystnb={"image": {"alt": "A panel for each dataset: mean profiling error over the 168 hours of the week for the prior and BAYES. It is near 0 at night for all but the cabs, and for commuters BAYES exceeds the prior at weekday peaks."}} tags=["hide-input"]
figures.show_hours(crowd.hours(weeks))

# %%
plots.show_table(figures.parts_table(crowd.parts(weeks)), "hours")

# %% [markdown]
# For the commuters this is the paper's picture: counts help at mid-day and at weekends, and in the peaks of working days not at all, where
# BAYES does worse than the prior. So it is, on a smaller scale, for flights by number. Flights by tail, which have no habits, lose at
# all hours. The prior has a part in it: ROI_DAY mixes working days and weekends, and expects commuters on Saturdays.
#
# (crowd-regularity)=
# ### Who loses more
#
# Users in thirds, by how often they repeat a visit a week later, and by how often they are seen at all. The loss is
# BAYES's, with the prior that knows frequent ROIs; intervals are over the users of a third.


# %%
plots.show_table(figures.thirds_table(crowd.thirds(weeks)), "regularity")

# %% [markdown]
# "Regular users lose more" is too simple. In every dataset here the mean loss is largest in the third with the fewest visits. With a prior of frequent places
# the counts tell an attacker mainly *when* a user was away, and that is most of what there is to know of those who are seldom seen.

# %% [markdown]
# ## Behind noise
#
# Sec. 5 of the paper puts the counts behind noise and asks what the attack loses.
#
# ````{prf:definition} Privacy gain (Eq. 16)
# :label: def-crowd-gain
# $(e_{P,A'} - e_{P,A}) / (1 - e_{P,A})$ for each user, where $A'$ are the noisy counts; 0 if the noise helped the attacker.
# ````
#
# The **Simple Counter Mechanism** (SCM) adds Laplace noise to every count. Its scale decides whom it protects:
#
# | scale | $\varepsilon$-DP for |
# |---|---|
# | $1/\varepsilon$ | one visit |
# | $\lvert T' \rvert/\varepsilon$ | one user at one ROI, all week |
# | $\Delta/\varepsilon$ | one user of at most $\Delta$ visits: the whole user |
# | $\lvert S \rvert \lvert T' \rvert/\varepsilon$ | one user who is everywhere at all times: nobody |
#
# The third is the L1 sensitivity, so the fourth buys nothing more. **FPA** keeps the first $\kappa$ Fourier coefficients
# of each ROI's series and puts noise on these; its unit is one user at one ROI, like the second. Both attackers of the
# paper's case studies know FREQ_ROI; she who attacks commuters uses MAX_ROI, she who attacks cabs MAX_USER. We do the
# same for regular and irregular flights. Noisy counts are rounded and clipped to $[0, \lvert U \rvert]$, which the paper
# does not say, and which its errors show: they level off as only clipped counts can.

# %%
noise_sizes = {"flights-by-number": 300, "flights-by-tail": 300} | sizes
noise_sizes |= noise_users_of
kept = {"commuters": 25} | kappas
own = {name: {"kappa": kept.get(name, kappa)} for name in datasets}
noisy = {
    name: crowd.watched(file, noise_sizes.get(name), inference, path)
    for name, file in sources.items()
}

# %% [markdown]
# ````{prf:definition} Mean relative error (Eq. 17)
# :label: def-crowd-mre
# The mean over cells of $\lvert A' - A \rvert / \max(\beta, A)$. The paper sets $\beta$ to 0.1% of each ROI's sum.
# ````
#
# With that $\beta$ a ROI with few visits in the week has a say out of all proportion, and one without visits makes the error
# undefined. On the cabs a constant of five users gives about the published sizes. That constant was chosen *after* seeing the published
# numbers and serves comparison only; an exercise compares it with others.

# %% [markdown]
# ### Output perturbation (Tables 3, 4; Fig. 7, 8)

# %%
setting = {"epsilons": epsilons, "sanity_bound": sanity_bound, "seed": seed}
noise = crowd.noise(noisy, ps=ps, n_releases=n_releases, of=own, **setting)

# %%
plots.show_table(figures.noise_table(noise, "MRE"), "mre-output")

# %% mystnb={"image": {"alt": "A panel for each dataset: box plots of users' privacy gain for four mechanisms at each epsilon. Large scales give gain at every epsilon; Lap(1/ε) and FPA lose it as epsilon grows."}} tags=["hide-input"]
figures.show_gains(noise)

# %%
plots.show_table(figures.noise_table(noise, "gain"), "gain-output")
output = noise.query("mechanism != 'SpotMe' and what == 'at'")
gain = crowd.with_interval(output, "gain")
half = (gain["95% high"] - gain["gain"]).max()
print(f"widest 95% interval over users: plus or minus {half:.3f}")

# %% [markdown]
# A gain under $\mathrm{Lap}(1/\varepsilon)$ that fades as $\varepsilon$ grows is what its label promises: it hides visits, not users.
# FPA has the label of $\mathrm{Lap}(\lvert T' \rvert/\varepsilon)$, one user at one ROI, and on the flights at $\varepsilon = 1$ less of its gain. Both keep
# their promise. A gain measures what *this* attacker loses, and she never needed the fine grain of the series that FPA throws away.
#
# Which FPA? The paper does not say what happens to the mirrored half of the coefficients, nor which Fourier transform it is. The
# proof needs the orthonormal one. The default of numerical libraries is another: its coefficients are $\sqrt{\lvert T' \rvert}$ times
# larger, so that noise of the same scale hides $\sqrt{168} \approx 13$ times less. The error of each reading:


# %%
readings = crowd.fpa_readings(noisy, of=own, **setting)
plots.show_table(figures.readings_table(noise, readings), "mre-fpa")

# %% [markdown]
# For the cabs the paper prints 24.1, 8.8, 1.1 and 0.3. Of the four readings only the last comes within about a tenth of these on the
# real cabs ([the replication](replication/crowd.ipynb) has the table): *plain, not mirrored*. If that is what was run, its $\varepsilon$ is 13 times larger than its
# label, and the paper's surprise, that FPA protects so much less than SCM with the same label, has a simple cause.

# %% [markdown]
# ### Input perturbation: SpotMe (Table 5, Fig. 9)
#
# ````{prf:algorithm} SpotMe
# :label: alg-crowd-spotme
# For each ROI and epoch, each user says "yes" with probability $p$, and else tells the truth. From the share $y$ of yes
# among $n$ answers, the count is estimated as $n (y - p) / (1 - p)$.
# ````

# %%
plots.show_table(figures.spotme_table(noise), "spotme")

# %% mystnb={"image": {"alt": "A line for each dataset: mean privacy gain of SpotMe against p, with intervals over users. It rises with p."}} tags=["hide-input"]
figures.show_spotme(noise)

# %% [markdown]
# ### What half of it costs
#
# For each dataset, the smallest error at which a mechanism, at any of its settings, takes at least half of the largest gain seen there.
# An error of 1 is a count off by its own size, or by five users where the count is smaller.

# %%
plots.show_table(figures.price_table(noise), "price")

# %% [markdown]
# ## What the paper did not do
#
# ### SpotMe's actual guarantee
#
# The paper credits SpotMe with $\ln \frac{\lvert S \rvert - (\lvert S \rvert - 1) p}{p}$-DP for each epoch. That is the formula of
# another mechanism, in which a user names one of $\lvert S \rvert$ places. In SpotMe somebody who *is* there says yes, always:
#
# $$\Pr[\text{no} \mid \text{there}] = 0, \qquad \Pr[\text{no} \mid \text{elsewhere}] = 1 - p.$$
#
# One "no" proves absence, so there is no $\varepsilon$ at all. Summing the excess of one distribution over $e^\varepsilon$ times the
# other gives the exact $\delta$: for two traces with $a$ cells only in the first and $b$ only in the second,
#
# $$\delta(\varepsilon) = 1 - p^b + \max(0,\; p^b - e^\varepsilon p^a),$$
#
# or with $a$ and $b$ exchanged, if that is more. For one visit $\delta = 1 - p$ at *every* $\varepsilon \ge 0$. The tests compare the
# formula with all outcomes enumerated. Here is what it means, for a user's week, beside what is printed for an epoch:


# %%
guarantees = crowd.guarantees(noisy, ps=ps)
n_rois = noisy[datasets[0]].traces.n_rois
plots.show_table(figures.guarantee_table(guarantees, n_rois), "spotme-guarantee")

# %% [markdown]
# A $\delta$ of 1 is no promise. Simulated: how often does a single "no" give away the user's absence from a cell?

# %%
from lib.mechanisms import RandomizedResponse

forced = 0.5
answers = RandomizedResponse(forced).apply_traces(six, np.random.default_rng(seed))
told, true = answers.matrix.toarray(), six.matrix.toarray()
nos, absent = int((told == 0).sum()), int((true == 0).sum())
print(
    f"{nos} of {absent} absences given away, {nos / absent:.3f}; expected {1 - forced}"
)
print("a no from somebody who was there:", int(((told == 0) & (true == 1)).sum()))

# %% [markdown]
# And that the estimate is unbiased, as the paper says: its mean over many releases, less the count, in standard errors.

# %%
bias = crowd.spotme_bias(["simulated"], p=forced, seed=seed)["bias"]
print(f"largest bias of {len(bias)} cells: {bias.abs().max():.2f} standard errors")

# %% [markdown]
# (crowd-joint)=
# ### All users at once
#
# BAYES treats users as if each were alone; then twenty users can all be "probably" at a place where three were counted. The counts
# bind everybody together, and with everybody's priors at hand there are two exact questions to ask:
#
# - *Which assignment is the most likely one?* Maximise the sum of log probabilities over all assignments with as many users a
#   ROI as were counted, everybody somewhere. That is a **transport problem**, and linear programming solves it exactly.
# - *What should one believe of each user?* The exact conditional probabilities are sums over all such assignments, too many to
#   list. The **maximum-entropy marginals** approximate them: the beliefs nearest to the prior that add up to the counts on average.
#
# People go where they were never seen, so the prior is mixed with a little of the crowd's own profile. A few epochs, spread over the week.


# %%
few = {name: week for name, week in weeks.items() if week.truth.n_users <= 2000}
joint = crowd.joint(few, every=joint_every, mix=mix) if few else None
for name in weeks.keys() - few.keys():
    print(f"{name}: left out, so many users would take minutes")

# %%
if joint is not None:
    plots.show_table(figures.joint_table(joint, "ROI_DAY"), "joint-ROI_DAY")

# %% [markdown]
# "Visits found" is the share of real (not null) visits that the assignment has in the right place; all assignments but
# MAX_USER's make as many guesses as there were visits. "No or two answers" is the share of users and hours for which the assignment says nothing, or
# both null and a place. So:
#
# - MAX_ROI leaves next to nothing on the table: in visits found it is close to the exact optimum. Indeed it *is* the transport problem without the condition
#   that everybody is somewhere, and pays for that in contradictions.
# - MAX_USER leaves much where users have habits (flights by number, commuters): it looks at the order of users, not at probabilities. For the cabs
#   it finds *more* than the most likely assignment does. What is most likely under a prior is best only if the prior is right.
# - BAYES counts popularity twice, once in the prior and once in the counts. By the Brier score, which rewards honest probabilities, it does
#   worse than the prior for flights by number, and the maximum-entropy marginals do better. By the JS distance it is the other way
#   round: that distance is lenient with those who are too sure of null, and most flights are nowhere most of the time.
# - The marginals assume that everybody is in one place an hour. Cabs are in many, and there they do not help.
#
# The same for the prior of frequent ROIs:

# %%
if joint is not None:
    plots.show_table(figures.joint_table(joint, "FREQ_ROI"), "joint-FREQ_ROI")

# %% [markdown]
# ## Beside the paper
#
# On the cabs themselves most of the published errors and losses are met, with natural logarithms and null counted; MAX_ROI's and those of two
# LAST priors are not. Behind noise the published errors are about a tenth larger than ours, and FPA's are far smaller.
# [The replication](replication/crowd.ipynb) has every figure and table, and the conventions that were tried. Ten of the claims:

# %% tags=["hide-input"]
from lib import claims, findings
from lib.findings.crowd import TELLING

plots.display_table(claims.top(findings.judged("crowd"), TELLING))

# %% [markdown]
# ## Take-aways
#
# - A prior of frequent places gains much from counts, because counts say when everybody is about. A prior of last week's
#   places gains almost nothing: there is little left to say. A small loss may mean a safe user or a lost one.
# - Which error is used decides who looks clever. POP is excellent on sparse data by predicting null; BAYES is
#   good by the JS distance and bad by the Brier score.
# - MAX_ROI is cheap and close to the exact optimum of the joint problem; MAX_USER can leave much of it on the table.
# - Noise that stops this attacker has its price, in the table of prices above. The paper's own discussion is that these mechanisms, used in a straightforward
#   manner, do not give both privacy and utility, and asks for ones made for time series of this kind.
# - Before two mechanisms with one label are compared, check that both have it: the published FPA's errors are those of 13 times less noise.
# - A gain that is measured with one attacker is no guarantee. And a label has to be checked before it is printed: SpotMe's does not hold
#   for any $\varepsilon$.
#
# ## Exercises
#
# ```{exercise} The base of the logarithm
# :label: crowd-base
# Compute the profiling error of the first dataset's FREQ_ROI prior with natural and base-2 logarithms, with and without the root. Which
# ratio does not depend on the data?
# ```

# %% [markdown]
# ````{solution-start} crowd-base
# :class: dropdown
# ````

# %%
for base, root in ((np.e, True), (2, True), (np.e, False), (2, False)):
    error = loc.profiling_error(known, first.truth, base, root)
    print(
        f"base {base:.3g}, {'distance' if root else 'divergence'}: {error.mean():.4f}"
    )
print(f"ratio of the distances: {1 / np.sqrt(np.log(2)):.4f}")

# %% [markdown]
# Distances differ by $1/\sqrt{\ln 2}$, divergences by $1/\ln 2$, whatever the data. Root or no root is another matter: a mean of roots is not the root of a mean.
#
# ````{solution-end}
# ````
#
# ```{exercise} Predicting nothing
# :label: crowd-nothing
# What is the localization error of an attacker who says "null" for every user and hour, in each dataset, and how does it compare with MAX_ROI after FREQ_ROI?
# ```

# %% [markdown]
# ````{solution-start} crowd-nothing
# :class: dropdown
# ````

# %%
for name, week in weeks.items():
    hits = (crowd.real(week.truth).active() == 0).sum(axis=1)
    nothing = 1 - 2 * hits / (inference + week.truth.visits().to_numpy())
    greedy = week.errors("localization", "FREQ_ROI", delta)["MAX_ROI"].mean()
    print(f"{name}: null always {nothing.mean():.3f}, MAX_ROI {greedy:.3f}")

# %% [markdown]
# Where users are seldom seen, saying nothing is hard to beat. An error should be read beside that of the laziest attacker.
#
# ````{solution-end}
# ````
#
# ```{exercise} The bound that shapes the error
# :label: crowd-bound
# Compute the MRE of the second dataset's (of one alone, that one's) $\mathrm{Lap}(1/\varepsilon)$ release at the largest $\varepsilon$ with a sanity bound of 1, 5 and 25 users, and with the
# printed bound on the ROIs that were visited at all.
# ```

# %% [markdown]
# ````{solution-start} crowd-bound
# :class: dropdown
# ````

# %%
from lib.mechanisms import Laplace, PostProcess, release
from lib.randomness import numbered

week = noisy[datasets[min(1, len(datasets) - 1)]]
chain, size = [Laplace(epsilons[-1]), PostProcess()], week.truth.n_users
released = release(week.counts, chain, numbered(seed, 1, 4, 0), size)
for bound in (1, 5, 25):
    cost = metrics.mean_relative_error(week.counts, released, sanity_bound=bound)
    print(f"bound of {bound} users: {cost:.3f}")
seen = week.counts.sum(axis=1) > 0
cost = metrics.mean_relative_error(week.counts[seen], released[seen])
print(f"0.1% of each ROI's sum: {cost:.3f}")

# %% [markdown]
# One release, four errors, orders of magnitude apart. Two papers' errors can be compared only if their bounds are the same.
#
# ````{solution-end}
# ````
#
# ```{exercise} A randomized response that keeps its promise
# :label: crowd-two-sided
# Let a user who does not tell the truth toss a fair coin instead of saying yes. Which $\varepsilon$ does one answer then have, and what does it cost
# in the variance of the estimated count of ten visitors among 500 users, against SpotMe, at $p = 0.5$?
# ```

# %% [markdown]
# ````{solution-start} crowd-two-sided
# :class: dropdown
# ````

# %%
forced, n_users, n_there = 0.5, 500, 10
yes_there, yes_elsewhere = 1 - forced / 2, forced / 2
print(f"epsilon of an answer: {np.log(yes_there / yes_elsewhere):.3f}")
one_sided = (n_users - n_there) * forced / (1 - forced)
two_sided = n_users * yes_there * (1 - yes_there) / (1 - forced) ** 2
print(f"variance: SpotMe {one_sided:.0f}, two-sided {two_sided:.0f}")

# %% [markdown]
# Both answers now have positive probability in both cases, so the likelihood ratio is bounded: $\varepsilon = \ln\frac{1 - p/2}{p/2}$, for one answer. The
# estimate is $n (y - p/2)/(1 - p)$, and it is the better one of the two at this $p$. A week has thousands of answers, and an $\varepsilon$ for each visit.
#
# ````{solution-end}
# ````
#
# ```{exercise} Why BAYES counts twice
# :label: crowd-twice
# A hundred users have the same prior: 0.6 null, 0.4 station. The counts are 60 and 40, just what the prior predicts. What does BAYES believe, and what the maximum-entropy marginals?
# ```

# %% [markdown]
# ````{solution-start} crowd-twice
# :class: dropdown
# ````

# %%
same = np.tile(np.array([0.6, 0.4])[None, :, None], (100, 1, 1))
seen = np.array([[60], [40]])
print("BAYES:", np.round(loc.bayes(same, seen).toarray([0]).ravel(), 4))
print("max entropy:", np.round(loc.max_entropy(same, seen).toarray([0]).ravel(), 4))

# %% [markdown]
# Counts that confirm the prior should change nothing. BAYES multiplies the two all the same, as if the counts were a second, independent
# witness about *this* user: 0.36 to 0.16.
#
# ````{solution-end}
# ````

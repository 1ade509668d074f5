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
# # Where was she, under noise
#
# The [last chapter](crowd.ipynb)'s attacker read counts as they are. Section 5 of {cite:t}`pyrgelis2017crowd` puts noise in front of them, and asks what is left of the counts and what is
# left of the attack. After this chapter you can
#
# - say for whom a scale of noise is a promise, and what it is worth to a whole user;
# - write three mechanisms in three to five lines each: Laplace noise, Fourier perturbation, SpotMe's coin tosses;
# - read a *privacy gain* beside what an attacker gets who looks at no count;
# - check a printed guarantee: one of them holds for no $\varepsilon$ at all, and one may have been run with a thirteenth of its noise.
#
# *For discussion:* {numref}`fig-crowd-price`. *For discussion:* what does a "no" tell, if who is there never says it? *If time is short:* leave out [which FPA it was](crowd-which-fpa).

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-number"]
path = ""
users_of = {}
epsilons = [0.03, 0.1, 0.3, 1.0, 3.0, 10.0]
ps = [0.1, 0.5, 0.9]
kappa = 20
kappas = {}
sanity_bound = 5.0
n_releases = 3
seed = 2017

# %% [markdown]
# ## Who knows what
#
# A **defender** counts and adds noise before she publishes. The **attacker** has a prior and the noisy counts, and uses them as if there were no noise, by an attack of the last chapter ({prf:ref}`alg-crowd`): MAX_ROI, place by place, on regular data (London in the paper, here the flights), MAX_USER, user by user, on irregular ones (the cabs). That is
# the paper's attacker. A cleverer one would know the mechanism; [](knock_knock_defenses.ipynb) has such a one for its game.
#
# ### With six users
#
# It is Tuesday again: four hours, the counts of all six, and Dan's prior from Monday. Laplace noise takes two lines: draw; add, and make numbers look like counts again (which costs no privacy: it looks at the release only).

# %%
import numpy as np
import pandas as pd
from lib import localization as loc
from lib.datasets import load
from lib.papers import figures as plots
from lib.papers.aggregation_privacy import figures

plots.use_style()
six = load("six-users").with_null()
tuesday = loc.inference_period(six, 4)
counts = tuesday.matrix.sum(axis=0).reshape(six.n_rois, 4)
known = loc.prior(six, "FREQ_ROI", inference=4)

# %%
rng = np.random.default_rng(seed)
noise = rng.laplace(scale=1.0, size=(1000, *counts.shape))  # a thousand releases
noisy = np.clip(np.rint(counts + noise), 0, 6)

# %% [markdown]
# BAYES is the prior times the counts, divided by its sum; where that sum is 0, the prior stays. How much does it believe in the place where Dan really was? With the raw counts, with the noisy ones (mean of a thousand releases), and with the prior alone:

# %%
dan = list(six.users).index("Dan")
where = tuesday.trace("Dan").argmax(axis=0)
alone = known.toarray([dan])[0]
weighted = alone * noisy
total = weighted.sum(axis=1, keepdims=True)
beliefs = np.where(total > 0, weighted / np.maximum(total, 0.01), alone)
raw = loc.bayes(known, counts).toarray([dan])[0]
table = {"raw": raw[where, range(4)], "noisy": beliefs[:, where, range(4)].mean(axis=0)}
table["the prior alone"] = alone[where, range(4)]
plots.show_table(pd.DataFrame(table, [f"{e:%H}h" for e in tuesday.epochs]).T, "six")

# %% [markdown]
# At nine the noise takes away a part of what three people at the station said of Dan. The belief is still far above the prior's. (At eight he was where Monday never saw him: zero times any count is zero.)
#
# ## For whom is the promise?
#
# ````{prf:definition} The Simple Counter Mechanism, SCM
# :label: def-crowd-scm
# Laplace noise on every count. Its scale decides which **unit** the promise is for: the noise is $\varepsilon$-DP ({prf:ref}`def-release`) for whatever changes the counts by at most $\varepsilon$ times the scale, added up over all counts.
# ````
#
# With $\lvert S \rvert$ places and $\lvert T' \rvert$ hours:
#
# | scale | $\varepsilon$-DP for | why |
# |---|---|---|
# | $1/\varepsilon$ | one visit | it changes one count by 1 |
# | $\lvert T' \rvert/\varepsilon$ | one user at one place, all week | at most one visit an hour there |
# | $\Delta/\varepsilon$ | a whole user of at most $\Delta$ visits | each changes one count by 1 |
# | $\lvert S \rvert \lvert T' \rvert/\varepsilon$ | every user, without any cap | nobody has more visits than there are counts; far more noise than anyone needs |
#
# By hand: noise of scale 1 is worth $\varepsilon = 1$ to one visit, and $\varepsilon = 3$ to somebody's three. Small print:
#
# - $\Delta$ must be a **public cap**, to which contributions are cut before they are counted. The paper reads it off the private data, and so do we, to compare: the largest number of visits is then leaked.
# - Neighbours differ in a visit added or taken away, and the table speaks of real places. The count of null is published, too, and moves whenever a visit is added to an empty hour, so with it all scales should be up to twice as large.
#
# Here is what a promise of $\varepsilon = 1$ is worth to whole users: what the median user really spends, and the one who spends most. On the first dataset, of which 500 flights are drawn (`week`, the week asked about; FPA is explained below):

# %% tags=["hide-input"]
from lib.papers import fitting
from lib.papers.aggregation_privacy import experiments as crowd

sources = fitting.display_names(datasets)
kappa_of = {
    name: {"kappa": ({"commuters": 25} | kappas).get(name, kappa)} for name in sources
}
few = {"flights-by-number": 500, "flights-by-tail": 500, "commuters": 300, "cabs": 120}
weeks = {
    name: crowd.load_week(file, (few | users_of).get(name), path=path)
    for name, file in sources.items()
}
name, week = next(iter(weeks.items()))
k = kappa_of[name]["kappa"]
plots.show_table(crowd.mechanism_guarantees(week, k).round(3), "promises")

# %% [markdown]
# Event-level noise promises the median user twelve times less. And "one user at one place" costs more noise here than a whole user: no flight number flies in anything like 168 hours.
# FPA's scale $b$ is that of noise on Fourier coefficients: in an hour's count the noise has a standard deviation of $b \sqrt{(8\kappa - 6)/\lvert T' \rvert}$, here 55, where Laplace noise of scale $b$ would have 82.
#
# ## Three mechanisms
#
# Each on the counts of one place, the busiest of the first dataset, at the middle one of the $\varepsilon$ asked for. **Laplace**, for one visit:

# %%
epsilon, n_users = epsilons[len(epsilons) // 2], week.truth.n_users
busiest = week.counts[:-1].sum(axis=1).argmax()  # null is the last
series = week.counts[busiest]
n_hours = len(series)
laplace = series + rng.laplace(scale=1 / epsilon, size=n_hours)

# %% [markdown]
# **FPA**, the Fourier Perturbation Algorithm {cite:p}`rastogi2010`: keep the first $\kappa$ Fourier coefficients (`k`), put noise on them, go back; what is lost is all that is quick. One user at one place changes the series by a vector of length at most $\sqrt{\lvert T' \rvert}$. The orthonormal transform keeps lengths, and each coefficient but the first has a mirror image of its size.
# So real and imaginary parts of $\kappa$ coefficients change, added up, by at most $\sqrt{\kappa \lvert T' \rvert}$, and that over $\varepsilon$ is the scale. With few coefficients it is below $\lvert T' \rvert/\varepsilon$.

# %%
scale = np.sqrt(k * n_hours) / epsilon
first = np.fft.rfft(series, norm="ortho")[:k]
first = first + rng.laplace(scale=scale, size=(k, 2)) @ [1, 1j]
fpa = np.fft.irfft(first, n_hours, norm="ortho")

# %% [markdown]
# **SpotMe** {cite:p}`quercia2011spotme` needs nobody who is trusted. For each place and hour each user says "I am here" with probability $p$ whatever is true, and else tells the truth. Of $n$ users with $y$ yes, $(y - pn)/(1 - p)$ estimates the count.

# %%
p = ps[len(ps) // 2]
present = np.arange(n_users)[:, None] < series  # who exactly does not matter
yes = (present | (rng.random(present.shape) < p)).sum(axis=0)
spotme = (yes - p * n_users) / (1 - p)

# %% mystnb={"figure": {"name": "fig-crowd-series", "caption": "One place's week of counts (full line), and one release of each mechanism at ε = 1 or p = 0.5, neither rounded nor clipped. Each panel has its own scale. Event-level noise follows the counts, FPA, whose ε is for one user at this place, is smooth and far away from them, and SpotMe's noise is large even at night, when nobody is there."}, "image": {"alt": "Three panels with the same black weekly series of counts and a coloured noisy version: Laplace noise close to it, FPA a smooth curve with large swings, SpotMe jagged."}} tags=["hide-input"]
released = {"raw": series, "SCM Lap(1/ε)": laplace, "FPA": fpa, "SpotMe": spotme}
days = [f"{day:%a}" for day in week.truth.epochs[12::24]]
figures.show_series(released, days)

# %% [markdown]
# (crowd-promise)=
# ### SpotMe's promise
#
# The paper credits SpotMe with $\ln \frac{\lvert S \rvert - (\lvert S \rvert - 1) p}{p}$-DP for each hour. That is the formula of another mechanism, in which a user names one of $\lvert S \rvert$ places. In SpotMe, who *is* there says yes, always:
#
# $$\Pr[\text{no} \mid \text{there}] = 0, \qquad \Pr[\text{no} \mid \text{elsewhere}] = 1 - p.$$
#
# $(\varepsilon, \delta)$-DP asks for $\Pr[\text{no} \mid \text{elsewhere}] \le e^\varepsilon \Pr[\text{no} \mid \text{there}] + \delta$, that is $1 - p \le 0 + \delta$. No $\varepsilon$ helps: **a "no" proves absence, and $\delta$ is at least $1 - p$**, for one visit.
# For two traces with $a$ cells only in the first and $b$ only in the second,
#
# $$\delta(\varepsilon) = 1 - p^b + \max(0,\; p^b - e^\varepsilon p^a),$$
#
# or with $a$ and $b$ exchanged, if that is more: $1 - p^b$ is the first trace's chance of a "no" that the second cannot give, and the rest compares answers that are all yes. No visit against a week of twelve has $\delta = 1 - p^{12}$. What is printed, and what is true, of one visit and of the median user's week:

# %%
told = crowd.spotme_guarantees({name: week}, ps=ps).drop(columns="data").set_index("p")
told.columns = [
    f"printed ε of an hour, {week.traces.n_rois} places with null",
    "δ of a visit",
    "δ of a week",
]
plots.show_table(told.round(3), "spotme")

# %% [markdown]
# A $\delta$ of 1 is no promise.
#
# (crowd-price)=
# ## What does it cost, and what does it take?
#
# ````{prf:definition} Mean relative error (Eq. 17)
# :label: def-crowd-mre
# The mean over places and hours of $\lvert A' - A \rvert / \max(\beta, A)$ for released counts $A'$. The *sanity bound* $\beta$ keeps empty cells from dividing by zero. The paper sets it to 0.1% of each place's own sum.
# ````
#
# Null is one of the places. With that bound a place with few visits has a say out of all proportion, and one without visits makes the error undefined. A constant of five users stands for it here. It was chosen *after* seeing the published sizes on the cabs, so that agreement in size proves nothing.
#
# ````{prf:definition} Privacy gain (Eq. 16)
# :label: def-crowd-gain
# $\max(0, (e_{P,A'} - e_{P,A}) / (1 - e_{P,A}))$ for each user: how far the noisy counts $A'$ raise the attacker's error $e$ ({prf:ref}`def-crowd-profiling`), as a share of the way to 1. (Errors end at $\sqrt{\ln 2} \approx 0.83$, so no gain reaches 1.)
# ````
#
# A mean of $\max(0, \cdot)$ is positive even if errors are only shuffled among users: we print it unclipped, too.
#
# **Before the noise, its baselines.** An attacker may ignore the counts: use her prior alone, commit to its likeliest place, or say *null*, always. No noise can do more to an attacker who can tell when to ignore them. The paper's attacker knows frequent places; ours, beside her,
# the hour of the day, with which the [last chapter](crowd.ipynb)'s counts really helped (there of more flights).

# %%
priors = ["FREQ_ROI", "ROI_DAY"]
levels = {"epsilons": epsilons, "ps": ps, "own": kappa_of}
often = {"n_releases": n_releases, "sanity_bound": sanity_bound, "seed": seed}
rows = crowd.attack_noisy_releases(weeks, priors=priors, **levels, **often)
plots.show_table(figures.uninformed_table(rows[rows["data"] == name]), "ignorant")

# %% [markdown]
# With frequent places, MAX_ROI on raw counts is *worse* than always null: there is nothing to protect, and still to use the prior alone counts as a "gain". With the hour of the day there is something to protect: the way from 0.017, what committing leaves, down to 0.010.
# (The gain of always null, 0.001 with frequent places, is all clipping: unclipped it is negative.) Now the errors that noise leaves, against the errors that it makes:

# %% mystnb={"figure": {"name": "fig-crowd-price", "caption": "The attacker's mean error against the error of the release, both on logarithmic axes, for every mechanism and level, with Student's 95% intervals over three releases. Lines across: raw counts, and who looks at no count. Markers say who is promised anything. With the hour of the day only two points, event-level noise at the two largest ε, lie below all broken lines (the second by less than users differ: the last but one exercise), and with frequent places none: above them, noise misleads only who trusts it."}, "image": {"alt": "A panel for each prior: attacker's error against mean relative error on logarithmic axes, a line for each mechanism. All rise with the error of the release. With the hour of the day, only Laplace event-level noise at the largest two epsilons lies below the line of the likeliest place."}} tags=["hide-input"]
figures.show_price(rows)

# %% [markdown]
# The scales of Laplace noise lie on one curve: how much noise there is counts, and not its name. With the hour of the day FPA and SpotMe lie a little below it: for the same MRE they mislead less. (Where on the axis depends on $\beta$.) In numbers, with the hour of the day, at the middle $\varepsilon$ and $p$; brackets are Student's 95% over three releases:

# %%
of_first = rows[(rows["data"] == name) & (rows["prior"] == priors[-1])]
plots.show_table(figures.price_table(of_first, [epsilon, p]), "price")

# %% [markdown]
# The same noise is cheap or absurd by the choice of $\beta$: the second column is hundreds of times the first. At $\varepsilon = 1$, or $p = 0.5$, every mechanism, also event-level noise, leaves this attacker worse off (0.029 and more) than who commits and looks at no count (0.017): for who trusts them, all that the counts gave is gone.
# User-level noise costs much here: an MRE of 1 is a count off by its own size, or by five users where the count is smaller. But these are 500 flights: the noise does not grow with the crowd, so of ten thousand its share would be smaller.
# SpotMe **has no guarantee**, and an attacker who looks at the answers themselves learns every absence that is denied.
#
# ### On the cabs
#
# The paper's own cabs, with its own attacker (frequent places, MAX_USER), from stored results, $\varepsilon = 1$ and $p = 0.5$. MRE: Student's 95% over five releases. Gains are means over five releases and all the cabs that there are, so without an interval over cabs; raw counts leave an error of 0.566.

# %% tags=["hide-input"]
print(crowd.noise.source("cabspotting").replace("whats", "settings"))
print(crowd.ignore_counts.source("cabspotting"))
behind = crowd.noise.stored("cabspotting")
ignored = crowd.ignore_counts.stored("cabspotting")
printed = dict(zip(crowd.SCM, (26.2, 24.3, 8.3, 0.1), strict=True))
printed |= {"FPA": 0.3, "SpotMe": 1.1}
plots.show_table(figures.cabs_table(behind, ignored, printed), "cabs")

# %% [markdown]
# The paper's large gains, 0.36 with Lap(Δ/ε) and Lap(|T'|/ε) at every $\varepsilon$, are more than an attacker loses who throws the counts away (0.17; always null, 0.05). They are what it costs to believe in noise. (A part of always null's 0.05 is clipping again: its mean error is only 0.01 higher.)
#
# The four scales of Laplace noise leave open only what all rows share (β, rounding and clipping, null), and our errors for the three larger ones are seven to eight per cent below what is printed. So something small is different throughout, to which the next section comes back; FPA differs by a factor of about eight.
#
# (crowd-which-fpa)=
# ## Which FPA was it?
#
# The paper's surprise is FPA. It has the label of Lap(|T'|/ε), and protects so much less. *Which* Fourier transform is not said. The proof needs the *orthonormal* one. The default of numerical libraries is *plain*: its coefficients are $\sqrt{\lvert T' \rvert} = \sqrt{168} \approx 13$ times larger, so the same noise
# hides 13 times less. And the $\kappa$ noisy coefficients are "padded with zeros to the size of the original time-series": read literally, the second half, which mirrors the first in every real series, is zero too (*not mirrored*). What comes back is complex; its real part has the mean whole, and half of all else, signal and noise. Four readings on the cabs, beside
# Table 4 (noise on real parts only, a fifth, was not tried):

# %% tags=["hide-input"]
print(crowd.fpa_interpretations.source("cabspotting"))
readings = crowd.fpa_interpretations.stored("cabspotting")
plots.show_table(figures.fpa_table(readings, "MRE", [24.1, 8.8, 1.1, 0.3]), "fpa-mre")

# %% [markdown]
# And the gains. The paper prints 0.36 for $\varepsilon = 0.01$, and "approaches zero" as $\varepsilon$ grows (Sec. 5.2):

# %% tags=["hide-input"]
plots.show_table(figures.fpa_table(readings, "gain"), "fpa-gain")

# %% [markdown]
# With five users as $\beta$ no reading meets all printed errors. *Plain, not mirrored* is nearest: seven to eight per cent below at the two smaller $\varepsilon$, and close at the others; the Laplace rows, in which no transform is open, fall short by much the same share. A search among 200 constants ([replication](replication/crowd.ipynb)) found one, 4.55 users, with which this reading meets all 25 errors of Tables 4 and 5. It was found with their help, and for the synthetic surrogate of London the best is another, 6.0, which meets 12 of 25; all the same, it is one constant for 25 numbers. Gains point the same way: at $\varepsilon = 1$ that of *plain, not mirrored* is near zero, as printed; that of the orthonormal one is not.
#
# **If** that is what was run, its $\varepsilon$ is 13 times larger than its label, and a part of the surprise has a simple cause. A part only: the orthonormal one, too, gains less than Lap(|T'|/ε) at $\varepsilon = 1$, for less noise is what FPA is made for. We have not seen the code, so it stays an "if".
#
# ## What the paper found
#
# The paper finds that differential privacy gives a noticeable gain only where the error is large, and on its own cabs this is *supported*. The gains under Laplace noise and under SpotMe are *reproduced*; the gain under the Fourier mechanism at $\varepsilon = 1$ is *contradicted*, and would come out with another transform.
# The errors of Tables 4 and 5 prove nothing here, because they hang on the fitted $\beta$ (*input*); [the replication](replication/crowd.ipynb) gives every number with its verdict.
#
# ## Take-aways
#
# - A scale of noise is a promise to a unit: a visit, a user at a place, a user. Before two mechanisms are compared, ask whether their promises are for the same unit, and hold.
# - $\Delta$ must be public. Read off the data, it leaks.
# - A privacy gain needs a ceiling: what an attacker gets who looks at no count, the one who commits to her prior among them. What is above it measures her trust in noise.
# - Errors depend on a sanity bound, by factors of hundreds. Two papers' errors can be compared only if their bounds are the same.
# - SpotMe's promise holds for no $\varepsilon$. FPA, *if* it was run as its errors suggest, had 13 times less noise than its label says.
# - The paper concludes that such mechanisms, used in a straightforward manner, leave poor utility; and (Sec. 5.4) that on sparse London both kinds reach reasonable levels of privacy, on the dense cabs neither. Its link of large gains to large errors was not seen on all our data (the last claim above): some noticeable gains come at an MRE below 1 (on flights SpotMe at $p = 0.1$: 0.11 at 0.89, with our $\beta$). But these are gains over an attacker who trusts noise.
# - [Threshold attacks](thresholds.ipynb) ask how close any attack comes to what $\varepsilon$ allows.
#
# ## Exercises
#
# ```{exercise} The bound that shapes the error (★, 10 minutes)
# :label: crowd-bound
# Compute the MRE of `laplace` with a sanity bound of 1, 5 and 25 users and of 0.1% of the place's sum. Then do the same for the place with the fewest visits that has any. Guess first: under which bound do the two agree?
# ```

# %% [markdown]
# ````{solution-start} crowd-bound
# :class: dropdown
# ````

# %%
from lib import metrics

sums = week.counts[:-1].sum(axis=1)
rare = week.counts[np.where(sums > 0, sums, np.inf).argmin()]
noise = laplace - series
for bound in (1, 5, 25):
    both = [
        metrics.mean_relative_error(x, x + noise, sanity_bound=bound)
        for x in (series, rare)
    ]
    print(f"bound of {bound} users: busiest {both[0]:.3f}, rarest {both[1]:.3f}")
both = [metrics.mean_relative_error(x, x + noise) for x in (series, rare)]
print(f"0.1% of the sum: busiest {both[0]:.3f}, rarest {both[1]:.3f}")

# %% [markdown]
# *Learned:* the same noise, and errors that are orders of magnitude apart. They agree under a bound above all counts of both; otherwise an average over places is an average over their bounds.
#
# ````{solution-end}
# ````
#
# ```{exercise} A no is a no (★, 10 minutes)
# :label: crowd-no
# Let the six people answer SpotMe's questions with $p = 0.5$. How many of their absences does a "no" give away, and how many "no" come from somebody who was there?
# ```

# %% [markdown]
# ````{solution-start} crowd-no
# :class: dropdown
# ````

# %%
there = six.matrix.toarray() > 0
says_yes = there | (rng.random(there.shape) < 0.5)
print(f"given away: {(~says_yes).sum()} of {(~there).sum()} absences")
print("no from who was there:", (~says_yes & there).sum())

# %% [markdown]
# *Learned:* about $1 - p$ of all absences are certain. In sparse data, an absence is what is left when all other places are denied: a presence.
#
# ````{solution-end}
# ````
#
# ```{exercise} FPA without noise (★, 10 minutes)
# :label: crowd-truncation
# How wrong is FPA on `series` if it draws no noise at all? For which $\kappa$ is that error smallest, and why is this not the best $\kappa$?
# ```

# %% [markdown]
# ````{solution-start} crowd-truncation
# :class: dropdown
# ````

# %%
for coefficients in (5, 20, 60, 85):
    smooth = np.fft.irfft(np.fft.rfft(series)[:coefficients], n_hours)
    print(
        f"κ = {coefficients}: mean absolute error {np.abs(smooth - series).mean():.3f}"
    )

# %% [markdown]
# *Learned:* with all coefficients there is no error left, and most noise. Choosing $\kappa$ on the data, as the paper does, spends privacy that no $\varepsilon$ accounts for.
#
# ````{solution-end}
# ````
#
# ```{exercise} SpotMe is unbiased (★★, proof, 15 minutes)
# :label: crowd-unbiased
# Of $n$ users, $a$ are there. Show that the estimate has mean $a$ and variance $(n - a) p / (1 - p)$. What is its standard deviation for $n = 500$, $a = 10$ and $p = 0.5$?
# ```

# %% [markdown]
# ````{solution-start} crowd-unbiased
# :class: dropdown
# ````
#
# The $a$ who are there all say yes; each of the $n - a$ others does with probability $p$, independently. So $y = a + B$ with $B$ binomial: mean $a + (n-a)p$, variance $(n-a) p (1-p)$.
# The estimate's mean is $(a + (n - a) p - p n) / (1 - p) = a$, and its variance is that of $y$ over $(1-p)^2$. Here $\sqrt{490} \approx 22$.
#
# *Learned:* the noise comes from those who are *not* there, and there are many. That is why SpotMe is worst where nobody is.
#
# ````{solution-end}
# ````
#
# ```{exercise} Coins that keep a promise (★★, write the mechanism, 20 minutes)
# :label: crowd-two-sided
# Let a user who does not tell the truth toss a fair coin instead of saying yes. Write the mechanism and an unbiased estimate. Which $\varepsilon$ does one answer have at $p = 0.5$? Compare the spread with SpotMe's on 500 users, ten of them there.
# ```

# %% [markdown]
# ````{solution-start} crowd-two-sided
# :class: dropdown
# ````

# %%
forced, here = 0.5, np.arange(500) < 10
lies = rng.random((2000, 500)) < forced
two_sided = np.where(lies, rng.random(lies.shape) < 0.5, here).sum(axis=1)
estimates = (two_sided - 500 * forced / 2) / (1 - forced)
one_sided = ((here | lies).sum(axis=1) - 500 * forced) / (1 - forced)
print(f"epsilon of an answer: {np.log((1 - forced / 2) / (forced / 2)):.3f}")
print(
    f"mean {estimates.mean():.1f}, sd {estimates.std():.1f}; SpotMe {one_sided.std():.1f}"
)

# %% [markdown]
# *Learned:* both answers now have positive probability in both cases, so their ratio is bounded, and at this $p$ the estimate is even better. For one answer: a week has thousands.
#
# ````{solution-end}
# ````
#
# ```{exercise} The ceiling of a gain (★★, proof, 10 minutes)
# :label: crowd-ceiling
# Without counts an attacker errs $e$. With counts under noise of unknown strength she errs anything from $a$ (no noise) to $b$ (nothing but noise), $a < e < b$. She looks at the counts with probability $q$, by a coin. Her *regret* is her mean error less the smaller of the two. Show that its worst case is
# smallest at $q = (e - a)/(b - a)$. What is that with the hour of the day, and $b = \sqrt{\ln 2}$? What does knowing the mechanism give her?
# ```

# %% [markdown]
# ````{solution-start} crowd-ceiling
# :class: dropdown
# ````
#
# If the counts err $x < e$, her regret is $q x + (1-q) e - x = (1-q)(e - x)$, at worst $(1-q)(e-a)$; if $x > e$, it is $q (x - e)$, at worst $q(b-e)$. One falls in $q$, the other rises, so the larger of them is smallest where they meet: $(1-q)(e-a) = q(b-e)$, that is $q = (e-a)/(b-a)$. With $a = 0.010$ and
# $e = 0.017$ it is below 0.01: who knows nothing of the noise should hardly look. Who knows the mechanism can simulate it on weeks that she has watched, learn which is smaller, and, if weeks are alike, regret little.
#
# *Learned:* a defense is measured against what the attacker could do, and doing nothing is one thing that she can do.
#
# ````{solution-end}
# ````
#
# ```{exercise} The careful attacker (★★, 30 minutes)
# :label: crowd-careful
# Write her: she takes the last week that she has watched as if it were the one asked about, adds event-level noise that she draws herself, and attacks it by MAX_ROI with what she knew before. At which $\varepsilon$ does this beat committing to her prior? She looks at the published counts at these only. Does it turn out well?
# ```

# %% [markdown]
# ````{solution-start} crowd-careful
# :class: dropdown
# ````

# %%
before = max(week.traces.n_epochs - 168, 336)  # without the week asked about
past = crowd.ObservedWeek(week.traces.select(epochs=slice(0, before)))
for when, asked in {"rehearsed": past, "published": week}.items():
    expects = asked.prior(priors[-1])
    lazy, looks = loc.profiling_error(loc.popular(expects), asked.truth), []
    for each in epsilons:
        won = []  # by looking, of each user in each of four releases
        for _ in range(4):
            noisy = asked.counts + rng.laplace(scale=1 / each, size=asked.counts.shape)
            attack = loc.max_roi(expects, np.clip(np.rint(noisy), 0, n_users))
            won.append(lazy - loc.profiling_error(attack, asked.truth))
        low, high = metrics.mean_interval(np.mean(won, axis=0))
        if low > 0:
            looks.append(f"{each}: {np.mean(won):.4f} [{low:.4f}, {high:.4f}]")
    print(f"{when}: counts beat committing at ε = {'; '.join(looks) or 'none'}")

# %% [markdown]
# *Learned:* the rehearsal assumes that weeks are alike, and they are not quite: at $\varepsilon = 3$ it promised a little, and in the published week no gain is told from none. Looking at $\varepsilon = 10$ paid, if less than rehearsed.
#
# ````{solution-end}
# ````
#
# ```{exercise} A public cap (★★★, a small project, an evening)
# :label: crowd-cap
# Choose a public cap $C$ on the visits of a user in a week, cut everybody's contributions to it at random, and publish with noise $C/\varepsilon$. Draw error and attack against $C$ for flights by tail, after looking how unequal their visits are. *A good answer* says what was lost by cutting and what was won in noise, with intervals over releases,
# and shows the attackers who look at no count.
# ```

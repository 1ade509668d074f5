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
# # Where was she, behind noise
#
# The [last chapter](crowd.ipynb)'s attacker read counts as they are. Section 5 of {cite:t}`pyrgelis2017crowd` puts noise in front of them, and asks what is left of the counts and what is
# left of the attack. After this chapter you can
#
# - say for whom a scale of noise is a promise, and what it is worth to a whole user;
# - write three mechanisms in three to five lines each: Laplace noise, Fourier perturbation, SpotMe's coin tosses;
# - read a *privacy gain* beside what an attacker gets who looks at no count;
# - check a printed guarantee: one of them holds for no $\varepsilon$ at all, and one seems to have been run with a thirteenth of its noise.

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-number"]
path = ""
users_of = {}
epsilons = [0.01, 0.1, 1.0]
ps = [0.1, 0.5, 0.9]
kappa = 20
kappas = {}
sanity_bound = 5.0
n_releases = 3
seed = 2017

# %% [markdown]
# ## Who knows what
#
# A **defender** counts and adds noise before she publishes. The **attacker** has a prior and the noisy counts, and uses them as if there were no noise: BAYES, MAX_ROI, MAX_USER as in the last chapter.
# That is the paper's attacker. A cleverer one would know the mechanism; [Knock-Knock behind noise](knock_knock_defenses.ipynb) has such a one for its game.
#
# ### With six users
#
# Laplace noise takes three lines: draw, add, and make numbers look like counts again (which costs no privacy: it looks at the release only).

# %%
import numpy as np
import pandas as pd
from lib import localization as loc
from lib import plots
from lib.datasets import load
from lib.plots import crowd as figures

plots.use_style()
six = load("six-users").with_null()
tuesday = loc.inferred(six, 4)
counts = tuesday.matrix.sum(axis=0).reshape(six.n_rois, 4)
known = loc.prior(six, "FREQ_ROI", inference=4)

# %%
rng = np.random.default_rng(seed)
noise = rng.laplace(scale=1.0, size=(1000, *counts.shape))  # a thousand releases
noisy = np.clip(np.rint(counts + noise), 0, 6)

# %% [markdown]
# How much does BAYES believe in the place where Dan really was? With the raw counts, with the noisy ones (mean of a thousand releases), and with the prior alone:

# %%
dan = list(six.users).index("Dan")
where = tuesday.trace("Dan").argmax(axis=0)
alone = known.toarray([dan])[0]
weighted = alone * noisy
beliefs = weighted / np.maximum(weighted.sum(axis=1, keepdims=True), 1e-12)
raw = loc.bayes(known, counts).toarray([dan])[0]
table = {"raw": raw[where, range(4)], "noisy": beliefs[:, where, range(4)].mean(axis=0)}
table["the prior alone"] = alone[where, range(4)]
plots.show_table(pd.DataFrame(table, [f"{e:%H}h" for e in tuesday.epochs]).T, "six")

# %% [markdown]
# At nine the noise takes away a part of what three people at the station said of Dan. The belief is still far above the prior's.
#
# ## For whom is the promise?
#
# ````{prf:definition} The Simple Counter Mechanism, SCM
# :label: def-crowd-scm
# Laplace noise on every count. Its scale decides which **unit** the promise is for: the noise is $\varepsilon$-DP for whatever changes the counts by at most $\varepsilon$ times the scale, added up over all counts.
# ````
#
# | scale | $\varepsilon$-DP for | why |
# |---|---|---|
# | $1/\varepsilon$ | one visit | it changes one count by 1 |
# | $\lvert T' \rvert/\varepsilon$ | one user at one place, all week | at most one visit an hour there |
# | $\Delta/\varepsilon$ | a whole user of at most $\Delta$ visits | each changes one count by 1 |
# | $\lvert S \rvert \lvert T' \rvert/\varepsilon$ | a user who is everywhere at all times | nobody; it promises no more than the third |
#
# Three small prints. $\Delta$ must be a **public cap**, to which contributions are cut before they are counted. The paper reads it off the private data, and so do we, to compare: the largest number of visits
# is then leaked. The table speaks of real places. The count of null is published, too, and moves whenever a visit is added to an empty hour, so with it all scales should be up to twice as large.
# And the scale of FPA, below, is for one user at one place like the second.
#
# Here is what a promise of $\varepsilon = 1$ is worth to whole users: what the median user really spends, and the one who spends most.

# %%
from lib.studies import crowd, fitting

sources = fitting.called(datasets)
own_kappa = {
    name: {"kappa": ({"commuters": 25} | kappas).get(name, kappa)} for name in sources
}
few = {"flights-by-number": 500, "flights-by-tail": 500, "commuters": 300, "cabs": 120}
weeks = {
    name: crowd.watched(file, (few | users_of).get(name), path=path)
    for name, file in sources.items()
}
name, week = next(iter(weeks.items()))
kept = own_kappa[name]["kappa"]
plots.show_table(crowd.promises(week, kept).round(3), "promises")

# %% [markdown]
# Noise for one visit promises a busy user a dozen times less. And "one user at one place" costs more noise here than a whole user: no flight number flies in anything like 168 hours.
#
# ## Three mechanisms
#
# Each on the counts of one place, the busiest of the first dataset, at the largest $\varepsilon$ asked for. **Laplace**, for one visit:

# %%
epsilon, n_users = epsilons[-1], week.truth.n_users
busiest = week.counts[:-1].sum(axis=1).argmax()  # null is the last
series = week.counts[busiest]
n_hours = len(series)
laplace = series + rng.laplace(scale=1 / epsilon, size=n_hours)

# %% [markdown]
# **FPA**, the Fourier Perturbation Algorithm {cite:p}`rastogi2010`: keep the first $\kappa$ Fourier coefficients, put noise on them, go back. Few coefficients need less noise than many counts; what is lost is all that is quick.

# %%
scale = np.sqrt(kept * n_hours) / epsilon
first = np.fft.rfft(series, norm="ortho")[:kept]
first = first + rng.laplace(scale=scale, size=(kept, 2)) @ [1, 1j]
fpa = np.fft.irfft(first, n_hours, norm="ortho")

# %% [markdown]
# **SpotMe** {cite:p}`quercia2011spotme` needs nobody who is trusted. For each place and hour each user says "I am here" with probability $p$ whatever is true, and else tells the truth. Of $n$ users with $y$ yes, $(y - pn)/(1 - p)$ estimates the count.

# %%
p = ps[len(ps) // 2]
present = np.arange(n_users)[:, None] < series  # who exactly does not matter
yes = (present | (rng.random(present.shape) < p)).sum(axis=0)
spotme = (yes - p * n_users) / (1 - p)

# %% mystnb={"figure": {"name": "fig-crowd-series", "caption": "One place's week of counts (black), and one release of each mechanism, neither rounded nor clipped; each panel has its own scale. See that noise for a visit follows the counts, that FPA is smooth and far away from them, and that SpotMe's noise is large even at night, when nobody is there."}, "image": {"alt": "Three panels with the same black weekly series of counts and a coloured noisy version: Laplace noise close to it, FPA a smooth curve with large swings, SpotMe jagged."}} tags=["hide-input"]
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
# or with $a$ and $b$ exchanged, if that is more. What is printed, and what is true, of one visit and of the median user's week:

# %%
told = crowd.guarantees({name: week}, ps=ps).drop(columns="data").set_index("p")
told.columns = [
    f"printed ε, {week.traces.n_rois} places",
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
# With that bound a place with few visits has a say out of all proportion, and one without visits makes the error undefined. On the cabs a constant of five users gives about the published sizes. It was chosen *after* seeing these, and serves comparison only.
#
# ````{prf:definition} Privacy gain (Eq. 16)
# :label: def-crowd-gain
# $\max(0, (e_{P,A'} - e_{P,A}) / (1 - e_{P,A}))$ for each user: how far the noisy counts $A'$ raise the attacker's error, as a share of the way to 1.
# ````
#
# **Before the noise, its baselines.** An attacker may ignore the counts, and use her prior alone, or say *null*, always. No noise can make a reasonable attacker worse than the better of these. The paper's attacker knows frequent places; ours, beside her, the day and week,
# with which regular flights really were found.

# %%
priors = ["FREQ_ROI", "ROI_DAY_WEEK"]
levels = {"epsilons": epsilons, "ps": ps, "of": own_kappa}
often = {"n_releases": n_releases, "sanity_bound": sanity_bound, "seed": seed}
rows = crowd.behind_noise(weeks, priors=priors, **levels, **often)
plots.show_table(figures.lazy_table(rows[rows["data"] == name]), "ignorant")

# %% [markdown]
# With frequent places, the paper's attack on raw counts is *worse* than always null ([last chapter](crowd.ipynb)): there is nothing to protect, and still to ignore the counts and use the prior counts as a "gain". With day and week there is something to protect. Now the errors that noise leaves, against the errors that it makes:

# %% mystnb={"figure": {"name": "fig-crowd-price", "caption": "The attacker's mean error against the error of the release, for every mechanism and level, with 95% intervals over releases. Full line: raw counts; dashed: the prior alone; dotted: always null. Markers say who is promised anything. See that above the lower of the two broken lines noise misleads only an attacker who trusts it, and that SpotMe (crosses) is cheap and promises nothing."}, "image": {"alt": "A panel for each prior: attacker's error against mean relative error on a logarithmic axis, a line for each mechanism. All lines lie close together and rise with the error of the release, far above the lines of the attackers who ignore the counts."}} tags=["hide-input"]
figures.show_price(rows)

# %% [markdown]
# All mechanisms lie about on one curve: what counts is how much noise there is, and not its name. In numbers, with day and week, at the largest $\varepsilon$ and the middle $p$; brackets are 95% over releases:

# %%
of_first = rows[(rows["data"] == name) & (rows["prior"] == priors[-1])]
plots.show_table(figures.price_table(of_first, [epsilon, p]), "price")

# %% [markdown]
# The same noise is cheap or absurd by the choice of $\beta$: the second column is hundreds of times the first. With noise for one visit, at $\varepsilon = 1$, the attacker is still better than with her prior alone. Noise for a whole user takes all that the counts gave her, and costs more than they are worth: an MRE of 1 is a count off by its own size, or by five users where the count is smaller.
# SpotMe takes it, too. **It has no guarantee**, and an attacker who looks at the answers themselves learns every absence that is denied.
#
# ### On the cabs
#
# The paper's own cabs, with its own attacker (frequent places, MAX_USER), from kept rows, $\varepsilon = 1$ and $p = 0.5$. MRE: brackets over five releases; gains are means over all cabs.

# %% tags=["hide-input"]
print(crowd.noise.source("cabspotting").replace("whats", "settings"))
print(crowd.ignored.source("cabspotting"))
behind = crowd.noise.kept("cabspotting")
plots.show_table(figures.cabs_table(behind, crowd.ignored.kept("cabspotting")), "cabs")

# %% [markdown]
# The paper's large gains, 0.36 at all $\varepsilon$, are more than an attacker loses who throws the counts away. They are what it costs to believe in noise.
#
# (crowd-which-fpa)=
# ## Which FPA was it?
#
# The paper's surprise is FPA. It has the label of Lap(|T'|/ε), and protects so much less. Two things are not said: which Fourier transform, and what happens to the mirrored half of the coefficients. The proof needs the *orthonormal* transform. The
# default of numerical libraries is *plain*: its coefficients are $\sqrt{\lvert T' \rvert} = \sqrt{168} \approx 13$ times larger, so the same noise hides 13 times less. Four readings on the cabs, beside what is printed (Table 4):

# %% tags=["hide-input"]
print(crowd.fpa_readings.source("cabspotting"))
readings = crowd.fpa_readings.kept("cabspotting")
plots.show_table(figures.fpa_table(readings, "MRE", [24.1, 8.8, 1.1, 0.3]), "fpa-mre")

# %% [markdown]
# And the gains. The paper prints 0.36 for $\varepsilon = 0.01$, and "approaches zero" for $\varepsilon = 1$:

# %% tags=["hide-input"]
plots.show_table(figures.fpa_table(readings, "gain"), "fpa-gain")

# %% [markdown]
# Errors and gains point the same way. No reading meets all printed errors. *Plain, not mirrored* comes within a tenth of them, and its gain at $\varepsilon = 1$ is near zero, as printed; that of the orthonormal one is not. **If** that is what was run, its $\varepsilon$ is 13 times larger
# than its label, and the surprise has a simple cause. We have not seen the code, so it stays an "if".
#
# ## What the paper found, and what we found

# %% tags=["hide-input"]
from lib import claims, findings

TELLING = [
    "crowd-tab4-order", "crowd-tab4-scm-1-eps0.01", "crowd-tab4-fpa-eps1", "crowd-fig8-scm-delta-pg",
    "crowd-fig8-fpa-pg-eps1", "crowd-fig9-sfc-pg-p0.5", "crowd-fig7-fpa-below-scm-t",
    "crowd-takeaway-dp",
]  # fmt: skip
plots.display_table(claims.top(findings.known("crowd"), TELLING))

# %% [markdown]
# ## Take-aways
#
# - A scale of noise is a promise to a unit: a visit, a user at a place, a user. Before two mechanisms are compared, ask whether their promises are for the same unit, and hold.
# - $\Delta$ must be public. Read off the data, it leaks.
# - A privacy gain needs a ceiling: what an attacker gets who looks at no count. What is above it measures her trust in noise.
# - Errors depend on a sanity bound, by factors of hundreds. Two papers' errors can be compared only if their bounds are the same.
# - SpotMe holds for no $\varepsilon$. FPA, *if* it was run as its errors suggest, had 13 times less noise than its label says.
# - The paper's own conclusion is that such mechanisms, used in a straightforward manner, do not give both privacy and use. Here a few noticeable gains come at an MRE below 1 (the last claim above); but a gain over this attacker is not yet privacy.
# - [Threshold attacks](thresholds.ipynb) ask how close any attack comes to what $\varepsilon$ allows; here the attacker did not even know the noise.
#
# ## Exercises
#
# One star: a few lines. Two: half an hour. Three: an evening.
#
# ```{exercise} The bound that shapes the error (★, 10 minutes)
# :label: crowd-bound
# Compute the MRE of `laplace` with a sanity bound of 1, 5 and 25 users and of 0.1% of the place's sum. Then do the same for the place with the fewest visits that has any.
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
# *Learned:* the same noise, and errors that are orders of magnitude apart. An average over places is an average over their bounds.
#
# ````{solution-end}
# ````
#
# ```{exercise} A no is a no (★, 10 minutes)
# :label: crowd-no
# Let the six people answer SpotMe's questions with $p = 0.5$. How many of their absences does a single "no" give away, and how many "no" come from somebody who was there?
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
# An attacker may choose between what she makes of the noisy counts and her prior alone, by a coin that does not look at the data. Show that her mean error is at most the larger of the two. Why is the paper's attacker not such a one, and what would she need in order to choose well?
# ```

# %% [markdown]
# ````{solution-start} crowd-ceiling
# :class: dropdown
# ````
#
# With probability $q$ she errs $e_1$, else $e_2$: her mean is $q e_1 + (1-q) e_2 \le \max(e_1, e_2)$. With $q = 0$ it is the prior's error, whatever the noise. The paper's attacker always takes $e_1$. To choose well she needs to know which is smaller: it is enough to know the mechanism and to
# simulate it on weeks that she has watched.
#
# *Learned:* a defense is measured against what the attacker could do, and doing nothing is one thing that she can do.
#
# ````{solution-end}
# ````
#
# ```{exercise} The careful attacker (★★, 30 minutes)
# :label: crowd-careful
# Write her: she attacks a watched week (the last before) with noise that she draws herself at each $\varepsilon$, and afterwards trusts noisy counts only at budgets at which this beat her prior. At which $\varepsilon$ does she start to look? (A rehearsal: use the same week's raw counts, and say what that assumes.)
# ```

# %% [markdown]
# ````{solution-start} crowd-careful
# :class: dropdown
# ````

# %%
visit = of_first[of_first["mechanism"] == "SCM Lap(1/ε)"]
lazy = of_first[of_first["mechanism"] == crowd.IGNORED]["error"].min()
trusted = visit.groupby("level")["error"].mean() < lazy
print("looks at counts with noise for a visit:", trusted.to_dict())

# %% [markdown]
# *Learned:* the rehearsal assumes that weeks are alike; for regular users they are. Her error is the lower of the figure's curve and its broken lines.
#
# ````{solution-end}
# ````
#
# ```{exercise} A public cap (★★★, a small project, an evening)
# :label: crowd-cap
# Choose a public cap $C$ on the visits of a user in a week, cut everybody's contributions to it at random, and publish with noise $C/\varepsilon$. Draw error and attack against $C$ for flights by tail, whose busiest aircraft has many times the median's visits. *A good answer* says what was lost by cutting and what was won in noise, with intervals over releases,
# and shows the attackers who look at no count.
# ```

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
# # What a guarantee is worth
#
# A transport agency adds noise to its counts before it publishes them. Below the table it writes: *differentially private, $\varepsilon = 1$*. Dan is one of its passengers, and wants to know what this means for him.
# He has three questions. What can an attacker still find out about him? Does the guarantee protect one of his trips, one of his days, or everything he did? And are the counts still useful?
#
# Knock-Knock {cite:p}`pyrgelis2018knock` (Sec. VII) protects its counts with five mechanisms and attacks each of them. This chapter examines the mechanisms, and the [next chapter](knock_knock_defenses.ipynb) attacks them.
# No dataset is attacked on this page. Two small attackers appear, one who sees a single noisy count and one who sees a week of trips. Everything else follows from the definition of differential privacy, from the data, and from the noise.
#
# After this chapter you can
#
# - compute from $\varepsilon$ and $\delta$ the best result that any attack can have;
# - state the unit of privacy of a release, and compute its sensitivity in two norms;
# - write five mechanisms in a few lines each, and say what each of them guarantees;
# - compute the effective $\varepsilon$ of a user who appears on several days or at several places, if the guarantee is for one of them;
# - compare the error of a release with the error of publishing zeros.
#
# ````{admonition} For the lecturer
# :class: dropdown
# *The figure to remember:* {numref}`fig-kkd-composition`. *Questions for a class:* A release has "$\varepsilon = 1$ for each place". What is its $\varepsilon$ for a person who visits four places? When is an empty table a good release?
#
# *Three common mistakes:* students take $\delta = 0.1$ for a small number; they read a guarantee for one place as a guarantee for one person; and they report an error without the error of a table of zeros.
#
# **In ninety minutes.** LPA adds Laplace noise to each count, and GSM adds Gaussian noise. FPA and EFPAG add noise to the waves of which a series of counts consists.
#
# | minutes | a lecture on the mechanisms |
# |---|---|
# | 15 | [the bound on attacks](kkd-allowed) |
# | 15 | [the unit of privacy](kkd-units) |
# | 15 | [mechanisms](kkd-mechanisms), without EFPAG |
# | 10 | [the constant of GSM](kkd-label) |
# | 15 | [composition](kkd-composition), without EFPAG, with {ref}`kkd-places` on paper |
# | 15 | [errors and zeros](kkd-errors) |
# | 5 | questions |
#
# | minutes | a lecture on what is protected |
# |---|---|
# | 15 | [the bound on attacks](kkd-allowed) |
# | 15 | [the unit of privacy](kkd-units) |
# | 10 | [mechanisms](kkd-mechanisms), only LPA and GSM; of FPA say that it adds Laplace noise scaled to $\sqrt\Delta$ for each place separately |
# | 15 | [composition](kkd-composition), without EFPAG, with {ref}`kkd-places` on paper |
# | 15 | [trips](kkd-trips): let the class write the sentence that Google should have published |
# | 15 | [errors and zeros](kkd-errors) |
# | 5 | questions |
#
# After either lecture, [the price of a correct guarantee](kkd-repair) is a good text to read at home.
# ````

# %% [markdown]
# (kkd-allowed)=
# ## What does a guarantee allow an attacker?
#
# We begin with a single count. On Monday at nine, Fay is alone in the park. The park's count is 1 with Fay and 0 without her. The data holder adds Laplace noise of scale 1, which is the noise for $\varepsilon = 1$.
# An attacker sees only the noisy count, and answers "Fay was counted" if it is above 1/2.

# %%
import numpy as np
import pandas as pd

rng = np.random.default_rng(2018)
with_fay = 1 + rng.laplace(scale=1, size=100_000)
without = 0 + rng.laplace(scale=1, size=100_000)
tpr, fpr = (with_fay > 0.5).mean(), (without > 0.5).mean()
print(f"TPR {tpr:.3f}, FPR {fpr:.3f}, quotient {tpr / fpr:.2f}; e = {np.e:.2f}")

# %% [markdown]
# This attack is better than guessing. But the true positive rate is only 2.29 times the false positive rate, and it could not be more than $e^{\varepsilon} = 2.72$ times as large. This limit holds for every threshold and for every other rule.
#
# Why is this so? Laplace noise of scale 1 makes each released value at most $e$ times as likely with Fay as without her. This ratio bounds the ratio of the two rates, whatever the attacker does with the value. Under Gaussian noise the ratio of the likelihoods has no bound: the further out a released value is, the larger the ratio can be. Gaussian noise therefore satisfies only a weaker form of the guarantee that the [first chapter](foundations.ipynb) introduced. The weaker form has a second parameter, $\delta$. It is an allowance for the rare releases in which the ratio is larger than $e^{\varepsilon}$.
#
# Two datasets are **neighbours**, $D \sim D'$, if they differ in one unit. Here the unit is one person, who is in one of the datasets and not in the other. Such datasets are **add/remove neighbours**. The [next section](kkd-units) looks at other units.
#
# ````{prf:definition} $(\varepsilon, \delta)$-differential privacy (Eq. 4 of the paper)
# :label: def-kkd-dp
# A mechanism $\mathcal M$ is **$(\varepsilon, \delta)$-differentially private** if for all neighbours $D \sim D'$ and all sets $R$ of releases
#
# $$ \Pr[\mathcal M(D) \in R] \le e^{\varepsilon} \Pr[\mathcal M(D') \in R] + \delta. $$
#
# With $\delta = 0$ this is $\varepsilon$-differential privacy.
# ````
#
# What does this definition say about attacks? Let $R$ be the set of all releases for which an attacker answers *member*. Suppose that the target is a member in $D$ and not in $D'$. Then the probability on the left is the true positive rate, and the probability on the right is the false positive rate:
#
# $$ \mathrm{TPR} \le e^{\varepsilon}\, \mathrm{FPR} + \delta. $$
#
# The same argument for the answer *not a member* gives a second bound:
#
# $$ 1 - \mathrm{FPR} \le e^{\varepsilon} (1 - \mathrm{TPR}) + \delta. $$
#
# Both bounds hold for every attack, whatever the attacker knows. Membership inference is a {term}`hypothesis test <hypothesis test>` between two datasets, and differential privacy limits all such tests. This is the **hypothesis-testing view** of differential privacy. In code, the largest
# TPR for a given FPR is the smaller of the two bounds:


# %%
def largest_tpr(fpr, epsilon, delta):
    growth = np.exp(min(epsilon, 50))  # larger numbers make no visible difference
    by_answer_in = growth * fpr + delta
    by_answer_out = 1 - (1 - delta - fpr) / growth
    return np.minimum(by_answer_in, by_answer_out).clip(max=1)


# %% [markdown]
# Let us compute two values by hand, for $\varepsilon = 1$ and $\delta = 0.1$. Suppose that an attacker raises a false alarm for one non-member in ten, so the FPR is 0.1. The first bound is $e \cdot 0.1 + 0.1 = 0.372$. The second is $1 - (0.9 - 0.1) / e = 0.706$. Both must hold, so the TPR is at most 0.372. If the FPR is 0.5, the first bound is above 1 and says nothing. The second decides: $1 - (0.9 - 0.5) / e = 0.853$.

# %%
for each in (0.1, 0.5):
    by_in, by_out = np.e * each + 0.1, 1 - (0.9 - each) / np.e
    print(
        f"FPR {each}: bounds {by_in:.3f} and {by_out:.3f}, so the TPR is at most",
        end=" ",
    )
    print(f"{largest_tpr(each, 1, 0.1):.3f}")
meet = (1 - 0.1) / (1 + np.e)
print(f"FPR {meet:.3f}: TPR at most {largest_tpr(meet, 1, 0.1):.3f}")

# %% [markdown]
# The last line of the output gives the point at which the two bounds are equal, at an FPR of $(1 - \delta) / (1 + e^{\varepsilon})$. It will be the corner of a curve in the figure below.
#
# The following values can be changed when the page is run again. The values of $\varepsilon$ and $\delta$ are those of the paper, and so is $\kappa$, a number of waves that we explain [below](kkd-mechanisms):

# %% tags=["parameters"]
datasets = ["flights-by-number", "flights-by-tail"]
path = ""
epsilons = [0.01, 0.1, 1.0, 10.0]
delta = 0.1
kappa = 20
group_size = 300
seed = 2018

# %%
from lib.papers import figures as plots
from lib.papers.knock_knock import defense_figures as figures

plots.use_style()
fpr = np.linspace(0, 1, 20_001)
curves = {epsilon: largest_tpr(fpr, epsilon, delta) for epsilon in epsilons}
pure = {epsilon: largest_tpr(fpr, epsilon, 0) for epsilon in epsilons}
allowed = {
    f"{epsilon:g}": {
        "TPR at 1% FPR": f"{np.interp(0.01, fpr, most):.3f}",
        "TPR at 10% FPR": f"{np.interp(0.1, fpr, most):.3f}",
        "AUC": f"{np.trapezoid(most, fpr):.3f}",
        "AUC if δ = 0": f"{np.trapezoid(pure[epsilon], fpr):.3f}",
    }
    for epsilon, most in curves.items()
}
plots.show_table(pd.DataFrame(allowed).T.rename_axis("upper bounds at ε"), "bounds")

# %% mystnb={"figure": {"name": "fig-kkd-bounds", "caption": "No attack has a ROC curve above the line of its ε, here for δ = 0.1. (The thin dotted diagonal is guessing.) In the corner of a line both bounds are equal. At ε = 0.01 the line is about δ above guessing. At ε = 10 it leaves out almost nothing."}, "image": {"alt": "Largest true positive rate against false positive rate, a line for each epsilon. The lines for 0.01 and 0.1 run just above the diagonal, that for 1 bulges, that for 10 rises to 1 at once."}} tags=["hide-input"]
figures.show_bounds(fpr, curves)

# %% [markdown]
# For $\varepsilon = 1$ no attack has an AUC above 0.782. For $\varepsilon = 10$ the bound is practically 1, so this guarantee does not limit the AUC of an attack at all. The last column shows the bound without the allowance $\delta$. For $\varepsilon = 1$ it is 0.731, or $e / (1 + e)$.
#
# Now look at the left end of the curves, where no false alarm is raised. Because $\delta = 0.1$, the guarantee lets an attacker identify one target in ten without ever raising a false alarm. This holds for every $\varepsilon$. The paper chose this $\delta$. The standard textbook {cite:p}`dworkroth2014` (Sec. 2.3) advises a value far below one divided by the number of people: a mechanism that publishes the whole record of one person chosen at random has a $\delta$ of about that size.
#
# ````{admonition} What this does not show
# :class: note
# - A bound is not an attack. [](thresholds.ipynb) examines how close real attacks come to such a bound.
# - The bound is about *one* unit of privacy in an otherwise fixed dataset. In the [membership game](kk-game), another user takes the target's place. Two such datasets are **replace-one neighbours**. The bound for this game therefore needs an $\varepsilon$ that holds for replace-one neighbours. A [later section](kkd-label) compares the two kinds.
# ````

# %% [markdown]
# (kkd-units)=
# ## What is protected: a visit, a day or a person?
#
# Neighbours differ in one unit of privacy. A larger unit can change the counts more, and hiding a larger change takes more noise. The size of a change can be measured in two ways.
#
# ````{prf:definition} Sensitivity (Eq. 5 of the paper)
# :label: def-kkd-sensitivity
# The $L_p$ **sensitivity** of a function $f$ is $\Delta_p = \max_{D \sim D'} \lVert f(D) - f(D') \rVert_p$. If $f$ is the matrix of counts and one unit adds at most $\Delta$ visits, each to a different cell, then $\Delta_1 = \Delta$ and $\Delta_2 = \sqrt{\Delta}$.
# ````
#
# The $L_1$ norm adds up the absolute changes of all cells. The $L_2$ norm is the ordinary length: the root of the sum of the squares. We compute both for a visit, a day and all eight visits of Ada:

# %%
from lib.datasets import load

six = load("six-users")
ada = six.trace("Ada")  # places x hours; the first four hours are Monday
for unit, change in {"visit": ada[:, :1], "user-day": ada[:, :4], "user": ada}.items():
    l1, l2 = np.abs(change).sum(), np.sqrt((change**2).sum())
    print(f"{unit:8}  L1 {l1}, L2 {l2:.3f}")

# %% [markdown]
# Laplace noise must be scaled to the $L_1$ norm. Its density at $x$ is proportional to $e^{-|x|/b}$. In the density of a whole release the exponents of all cells add up, so a change of $\Delta_1$ in total changes the density by a factor of at most $e^{\Delta_1/b}$. With $b = \Delta_1/\varepsilon$ this factor is $e^{\varepsilon}$.
#
# Gaussian noise must be scaled to the $L_2$ norm. Its density is the same in every direction, so only the length of the change matters. For a unit with many visits, this length is much smaller than the $L_1$ norm. That is the advantage of Gaussian noise. Its price is that $\delta$ is no longer 0.
#
# We now turn to real traces: the first week of both flight datasets, whose "users" are flight numbers and aircraft. This cell loads them:

# %%
from lib.papers import fitting
from lib.papers.knock_knock import defense_experiments as defenses
from lib.papers.knock_knock import experiments as kk

called = fitting.display_names(datasets)
populations = {name: kk.population(file, path) for name, file in called.items()}
# the size of the groups: `group_size`, or less if a dataset of yours has too few users
own = fitting.only(
    fitting.defenses(populations, group_size=group_size, n_groups=20, n_per_third=2),
    "group_size",
)
weeks = {name: defenses.first_week(traces) for name, traces in populations.items()}

# %% [markdown]
# For each unit, the following function finds the largest number of visits that one unit contains:


# %%
def most_visits(week):
    days = [week.select(epochs=np.arange(24 * d, 24 * d + 24)) for d in range(7)]
    in_a_day = max(day.visits().max() for day in days)
    return {"visit": 1, "user-day": in_a_day, "user": week.visits().max()}


# %%
units = pd.DataFrame({name: most_visits(week) for name, week in weeks.items()}).T
cabs = defenses.effective_epsilons.stored("cabspotting")  # data that we may not share
of_cabs = pd.DataFrame({"visit": 1, "user": cabs["Δ"].item()}, ["cabspotting"])
all_units = pd.concat([units, of_cabs]).astype(float)
plots.show_table(all_units.add_prefix("Δ, one ").rename_axis("data"), "units")

# %% [markdown]
# Laplace noise that hides a whole user is called *user-level* noise, and noise that hides one visit is called *event-level* noise. User-level Laplace noise must be 15 times as large as event-level noise for flight numbers, and 30 times as large for aircraft. The busiest of the paper's cabs visits about 16 squares of the map in an average hour, and so its factor is 2,668. The dash means that the busiest day of a cab is not a stored result. (The paper states a slightly larger one, as the [replication](kkd-cabs) shows; the borders of its map are not printed.)
#
# ````{admonition} One user decides for everybody
# :class: note
# Like the paper, we set $\Delta$ to the largest value *in the data*. Strictly speaking, this already reveals something about the busiest user, and each guarantee on this page holds only given $\Delta$. It is also fragile: without [one cab whose GPS is broken](kkd-cabs), the Laplace noise of all cabs would be nearly a third smaller.
# A data holder should fix $\Delta$ in advance and drop the visits beyond it ({ref}`a project <kkd-project>`).
# ````

# %% [markdown]
# (kkd-mechanisms)=
# ## Five mechanisms for one time series
#
# We take the counts of one group at its busiest place, for the 168 hours of a week. All mechanisms get the same $\varepsilon$. We use $\varepsilon = 10$, because for smaller values the figure would show nothing but noise.
#
# ### Noise on every count: LPA and GSM
#
# **LPA**, the Laplace mechanism, adds Laplace noise of scale $\Delta_1/\varepsilon$ to every count. **GSM**, the Gaussian mechanism, adds Gaussian noise with standard deviation $\sqrt{2 \ln(2/\delta)}\,\Delta_2/\varepsilon$. The paper also has a baseline, **LPA(1/ε)**. Its Laplace noise hides only a single visit, and we add it at the end of the section on [EFPAG](kkd-efpag). In code, LPA and GSM are one line each:

# %%
first, epsilon = next(iter(weeks)), max(epsilons)
week, size = weeks[first], own[first]["group_size"]
counts = defenses.busiest_place(week, first, size, seed)
most = week.visits().max()  # Δ
released = {"LPA(Δ/ε)": counts + rng.laplace(scale=most / epsilon, size=168)}
sigma = np.sqrt(2 * np.log(2 / delta)) * np.sqrt(most) / epsilon
released["GSM"] = counts + rng.normal(scale=sigma, size=168)

# %% [markdown]
# ### Noise on slow waves: FPA
#
# A series of counts can be written as a sum of waves, from slow to fast. As a small example, take the number of the six people who were at home in each of the four hours of Monday: 3, 1, 0 and 4. The discrete Fourier transform of these counts has three waves: a constant, one slow swing, and one that alternates from hour to hour. Each wave has a coefficient, a complex number that states how strong the wave is and where it begins. We drop the fastest wave and transform back:

# %%
from scipy import fft

home = np.array([3, 1, 0, 4])
waves = fft.rfft(home, norm="ortho")
print("coefficients:", waves)
print("without the fastest wave:", fft.irfft(waves * [1, 1, 0], 4, norm="ortho"))

# %% [markdown]
# The result follows the counts to within half a person, although one number fewer is enough to describe it. **FPA**, the Fourier perturbation algorithm, uses this for the 168 counts of a week. It keeps only the $\kappa$ slowest waves, here 20 of 85, adds noise to their coefficients, and drops the others. If the slow waves describe the series well, little is lost by dropping the rest:

# %%
slow = fft.rfft(counts, norm="ortho")[:kappa]
scale = np.sqrt(kappa) * np.sqrt(most) / epsilon
noise = rng.laplace(scale=scale, size=(2, len(slow)))  # real and imaginary parts
released["FPA"] = fft.irfft(slow + noise[0] + 1j * noise[1], 168, norm="ortho")

# %% [markdown]
# Why this scale? The Fourier transform preserves lengths (with `norm="ortho"`), so a user changes all coefficients together by at most $\Delta_2$ in the $L_2$ norm. Laplace noise must be scaled to the $L_1$ norm, which adds up all real and imaginary parts. For the first $\kappa$ coefficients it is at most $\sqrt{\kappa}\,\Delta_2$.
#
# That last step is worth checking. The $\kappa$ coefficients have about $2\kappa$ real and imaginary parts, and the $L_1$ norm of $2\kappa$ numbers is at most $\sqrt{2\kappa}$ times their $L_2$ norm. So we might expect $\sqrt{2\kappa}$ and not $\sqrt{\kappa}$. But the transform of a real series has positive and negative frequencies, and the two halves mirror each other. `rfft` returns only one half. In the small example the sum of the squared counts is $3^2 + 1^2 + 0^2 + 4^2 = 26$. The coefficients give the same sum if the slow swing is counted twice: $4^2 + 2\,(1.5^2 + 1.5^2) + (-1)^2 = 26$. The constant wave and the fastest wave have no mirror image, so they are counted once.
#
# Now let $a_0$ be the user's change of the constant wave, which has no imaginary part. Let $c_i$ be the changes of the $2(\kappa - 1)$ real and imaginary parts of the other waves that FPA keeps. Then $a_0^2 + 2 \sum_i c_i^2 \le \Delta_2^2$, and the Cauchy-Schwarz inequality gives the bound:
#
# $$ \Bigl(|a_0| + \sum_i |c_i|\Bigr)^2 = \Bigl(1 \cdot |a_0| + \sum_i \tfrac{1}{\sqrt 2} \cdot \sqrt 2\,|c_i|\Bigr)^2 \le \Bigl(1 + \tfrac{2(\kappa - 1)}{2}\Bigr) \Bigl(a_0^2 + 2 \sum_i c_i^2\Bigr) \le \kappa\, \Delta_2^2. $$
#
# (kkd-efpag)=
# ### A private choice of the number of waves: EFPAG
#
# How many waves should be kept? If a wave is dropped, its part of the series is lost. If it is kept, there is noise on its coefficient. **EFPAG**, *enhanced* FPA with Gaussian noise, computes the error for every possible number of waves. In our interpretation it spends half of $\varepsilon$ on the choice of this number and the other half on the noise. Its waves are cosines:

# %%
half = 2 * sigma  # half of ε needs twice the noise
cosine = fft.dct(counts, norm="ortho")
dropped = (cosine**2).sum() - (cosine**2).cumsum()  # energy, if 1, 2, ... are kept
error_by_number = np.sqrt(dropped.clip(0) + np.arange(1, 169) * half**2)

# %% [markdown]
# The number with the smallest error depends on the data, so publishing it would reveal something. EFPAG therefore draws the number at random, and gives a larger probability to a smaller error. This is the **exponential mechanism**: a number with error $E$ has a probability proportional to $\exp\bigl(-\tfrac{\varepsilon'}{2 \Delta_2}\, E\bigr)$. Here
# $\varepsilon' = \varepsilon/2$ is the part of the budget that is spent on the choice, and $\Delta_2$ is the largest change of any error by one user. In code:


# %%
def probabilities(errors, budget, sensitivity):
    weights = np.exp(-budget / (2 * sensitivity) * (errors - errors.min()))
    return weights / weights.sum()


# %% [markdown]
# We try it on three candidates with errors 10, 12 and 16, a budget of 1 and a sensitivity of 2. If one more user is counted, each error may change by up to 2. Suppose that the errors become 12, 10 and 18:

# %%
before = probabilities(np.array([10, 12, 16]), 1, 2)
after = probabilities(np.array([12, 10, 18]), 1, 2)
quotients = np.maximum(before / after, after / before)
print("before:", before.round(3), " after:", after.round(3))
print("quotients:", quotients.round(2), f" allowed: e = {np.e:.2f}")

# %% [markdown]
# Every probability changes by a factor of less than $e$, as a budget of 1 requires. The candidate with the smallest error is the most probable one in both cases, but it is not certain to be drawn.
#
# Where does the 2 in the denominator come from? If one user changes $E$ by $\Delta_2$, the exponential changes by a factor of at most $e^{\varepsilon'/2}$. To become a probability it is divided by the sum over all candidates, and this sum changes by at most the same factor. Taken together, these two changes alter the probability by a factor of at most $e^{\varepsilon'}$.
#
# And why does no error change by more than $\Delta_2$? The error of EFPAG is the length of a vector: its entries are the coefficients of the dropped waves, and the standard deviation of the noise once for each kept wave. One user changes the coefficients by at most $\Delta_2$ in the $L_2$ norm, and the lengths of two vectors differ by at most the length of their difference.

# %%
chance = probabilities(error_by_number, epsilon / 2, np.sqrt(most))
n_kept = rng.choice(168, p=chance) + 1
smallest_error = error_by_number.argmin() + 1
print(f"smallest error with {smallest_error} of 168 waves; drawn: {n_kept}")

noisy = cosine + rng.normal(scale=half, size=168)
kept = np.where(np.arange(168) < n_kept, noisy, 0)
released["EFPAG"] = fft.idct(kept, norm="ortho")
released["LPA(1/ε)"] = counts + rng.laplace(scale=1 / epsilon, size=168)

# %% mystnb={"figure": {"name": "fig-kkd-mechanisms", "caption": "Four days at one place (grey) and their release by each mechanism at the largest ε. FPA draws a smooth wave that misses the sharp peaks. EFPAG keeps many waves here and follows the peaks, but with more noise than GSM. Event-level noise can hardly be seen."}, "image": {"alt": "Five panels of one place's hourly counts over four days in grey, each with a mechanism's release as a coloured line: jagged for LPA, GSM and EFPAG, a smooth wave for FPA, nearly exact for event-level noise."}} tags=["hide-input"]
figures.show_mechanisms(counts, released)

# %% [markdown]
# The library has all five mechanisms as objects. For each of them the table gives the unit to which its guarantee applies, the sensitivity ($\Delta_1$ for LPA, $\Delta_2$ for the others), and the noise on one count. The last line compares the noise scales of the library with those of our own code:

# %%
printed = defenses.mechanisms(week, epsilon, delta=delta, kappa=kappa)
plots.show_table(figures.noise(printed), "mechanisms")
ours = {"LPA(Δ/ε)": most / epsilon, "GSM": sigma, "FPA": scale, "EFPAG": half}
print({name: bool(np.isclose(printed[name].scale, by)) for name, by in ours.items()})

# %% [markdown]
# The five rows guarantee three different things. LPA(Δ/ε) and GSM protect a user. FPA and EFPAG protect a user *at one place* (ROI, region of interest). LPA(1/ε) protects a visit. Their noise can therefore not be compared directly, and we return to this [below](kkd-composition).
#
# *Question for a class:* Which of the five panels would you publish, and what would you write below it?
#
# ````{admonition} What the paper leaves open, and what we decided
# :class: note
# - The paper prints a single $\Delta$, the number of visits of the busiest user. Taking $\Delta_2 = \sqrt{\Delta}$ is our interpretation.
# - How EFPAG divides $\varepsilon$ and draws $\kappa$ is left to {cite:t}`acs2014`. Dividing $\varepsilon$ into two halves is our interpretation.
# - The paper does not say whether counts were rounded and clipped. Its Table III suggests that they were. When $\varepsilon$ rises from 0.01 to 1, the noise of LPA(Δ/ε) shrinks to one hundredth, but the printed error hardly falls. From the [section on errors](kkd-errors) on, we round all counts and clip them to between 0 and the size of the group. This is post-processing, and so every guarantee remains. The reverse is not true: a guarantee that fails for the unrounded counts may hold for the rounded ones. Unless we say otherwise, we compute $\delta$ and the effective $\varepsilon$ *before* rounding and clipping. Afterwards they can only be smaller.
# ````

# %% [markdown]
# (kkd-label)=
# ## Is the noise of GSM large enough?
#
# The paper takes the constant $\sqrt{2 \ln(2/\delta)}$ from earlier work, its reference [9]. The textbook {cite:p}`dworkroth2014` (Theorem 3.22) proves that the slightly smaller constant $\sqrt{2 \ln(1.25/\delta)}$ is enough, but only for $\varepsilon < 1$. The paper uses its constant for $\varepsilon$ up to 10. Does the guarantee still hold there?
#
# For Gaussian noise we can compute the smallest possible $\delta$ exactly {cite:p}`balle2018improving`. By the definition, it is the largest value of $\Pr[\mathcal M(D) \in R] - e^{\varepsilon} \Pr[\mathcal M(D') \in R]$ over all sets $R$. This value is largest if $R$ consists of the releases that are more than $e^{\varepsilon}$ times as likely under $D$ as under $D'$.
#
# What is this set for Gaussian noise? Only the direction in which the two datasets differ matters, so we can think of one released number $x$. It has mean $\Delta_2$ under $D$, mean 0 under $D'$, and standard deviation $\sigma$. The logarithm of the ratio of the two densities is a straight line in $x$, so $R$ is everything above some threshold. Both probabilities are then areas under a normal curve. Let $r = \sigma / \Delta_2$ be the noise in units of the sensitivity, and $\Phi$ the standard normal distribution function. Then
#
# $$ \delta(\varepsilon) = \Phi\Bigl(\frac{1}{2r} - \varepsilon r\Bigr) - e^{\varepsilon}\, \Phi\Bigl(-\frac{1}{2r} - \varepsilon r\Bigr). $$

# %%
from scipy.stats import norm


def exact_delta(epsilon, r):
    near, far = 1 / (2 * r) - epsilon * r, -1 / (2 * r) - epsilon * r
    return norm.cdf(near) - np.exp(epsilon + norm.logcdf(far))  # no overflow


constant = np.sqrt(2 * np.log(2 / 0.1))  # what the paper multiplies Δ2 / ε with
for each in (1, 5, 10):
    r = constant / each
    add, replace = exact_delta(each, r), exact_delta(each, r / np.sqrt(2))
    print(f"ε = {each}: δ {add:.4f} if a user is added, {replace:.4f} if replaced")

# %% [markdown]
# Why are there two values? In our membership game one user *replaces* another. A replacement can change the counts more than an addition: by up to $\sqrt{2}\,\Delta_2$ in the $L_2$ norm, and by up to $2\Delta_1$ in the $L_1$ norm. (The triangle inequality gives only $2\Delta_2$. But no trace has a negative entry, so $\lVert a - b \rVert_2^2 = \lVert a \rVert_2^2 + \lVert b \rVert_2^2 - 2\,a \cdot b \le 2\Delta_2^2$.) In units of this larger sensitivity the noise is only $r / \sqrt{2}$. The table lists $\delta$ for both kinds of neighbours at all four values of $\varepsilon$. Its last two columns give the factor by which the noise would have to be multiplied for $\delta$ to be exactly 0.1.

# %%
plots.show_table(figures.delivered(epsilons, delta), "gsm-delivered")

# %% [markdown]
# At $\varepsilon = 1$ the noise is larger than necessary, even for replace-one neighbours. At $\varepsilon = 10$ it is too small: $\delta$ is 0.2644 instead of 0.1. The release is *not* $(10, 0.1)$-differentially private.
#
# The reason is in the first term of the formula. With the printed constant, $\varepsilon r$ is the same number for every $\varepsilon$, but $1/(2r)$ grows in proportion to $\varepsilon$. For small $\varepsilon$ it is negligible, and the constant is generous. For large $\varepsilon$ it increases the first $\Phi$, and with it $\delta$.
#
# Does the guarantee still fail after rounding? Rounding removes information, so $\delta$ becomes smaller. To show that the guarantee fails, a single pair of neighbours is enough. We take the flight numbers at $\varepsilon = 10$, where GSM's noise is so small that rounding matters. Suppose that one more user is counted, with $\Delta$ visits. These are made where many other people are, so that clipping changes practically nothing. We draw releases with this user and round them. For each release we compute how likely it is with the user, $p$, and without, $p'$. The mean of $\max(0,\, 1 - e^{\varepsilon} p'/p)$ over the releases then estimates $\delta$ for this pair:


# %%
def probability(value):  # that noise of this scale is rounded to `value`
    near, far = 0.5 - np.abs(value), -0.5 - np.abs(value)
    return norm.cdf(near / sigma) - norm.cdf(far / sigma)


rounding_rng = np.random.default_rng(seed)
changes = np.rint(1 + rounding_rng.normal(scale=sigma, size=(1_500_000 // most, most)))
without_by_with = (probability(changes) / probability(changes - 1)).prod(axis=1)
# a quotient above 1 leaves no excess; a larger power of e overflows
excess = (1 - np.exp(min(epsilon, 700)) * without_by_with.clip(max=1)).clip(0)
print(f"before rounding: δ {exact_delta(epsilon, sigma / np.sqrt(most)):.4f}")
print(
    f"after rounding: δ {excess.mean():.2f}, standard error {excess.std() / np.sqrt(len(excess)):.3f}"
)

# %% [markdown]
# Rounding lowers $\delta$ from 0.26 to 0.20. This is still twice the nominal 0.1, so the guarantee fails for the rounded counts as well.
#
# The scale of LPA is exact for every $\varepsilon$ and add/remove neighbours. For replace-one neighbours its $\varepsilon$ can be as large as $2\varepsilon$.

# %% [markdown]
# (kkd-composition)=
# ## What does a guarantee for one day, or one place, mean for a person?
#
# A person appears on many days and at many places. A guarantee for one day covers only a part of what the release says about this person, and so does a guarantee for one place. We have to add up all parts. We call a release $\varepsilon$-differentially private *for a person* if the inequality of {prf:ref}`def-kkd-dp`, with $\delta = 0$, holds for all neighbours that differ only in this person's trace. The rule for adding up is **sequential composition**: if one release is $\varepsilon_1$- and another $\varepsilon_2$-differentially private for a person, then both together are $(\varepsilon_1 + \varepsilon_2)$-differentially private. We
# add up the values of all parts of a release to which a user contributes, and call the sum the user's **effective $\varepsilon$**. The whole release is then differentially private for this user with this value.
#
# ### Days: adding up visits
#
# Suppose that the Laplace noise is scaled to $\Delta_{\text{day}}$, the largest number of visits of any user on one day, and that each day has $\varepsilon = 1$. A day with $w$ visits then contributes $w / \Delta_{\text{day}}$ to the effective $\varepsilon$ of a user. A user with $v$ visits in the week therefore has an effective $\varepsilon$ of $v / \Delta_{\text{day}}$. For event-level noise the same holds with 1 in place of
# $\Delta_{\text{day}}$. The table shows the effective $\varepsilon$ of the median user and of the busiest user:

# %%
rows = {}
for name, week_of in weeks.items():
    visits_of_users = week_of.visits()
    for unit, most_of_unit in units.loc[name].items():
        effective = visits_of_users / most_of_unit
        both = {"median user": effective.median(), "busiest user": effective.max()}
        rows[name, unit] = both
by_unit = pd.DataFrame(rows).T.rename_axis(["data", "ε = 1 for one"])
plots.show_table(by_unit.astype(float), "effective-by-unit")

# %% [markdown]
# Event-level noise with $\varepsilon = 1$ gives the median flight number an effective $\varepsilon$ of 12. The bound of the [first section](kkd-allowed) is then practically 1. With user-day noise the values are smaller, but the median flight number still has three times the nominal $\varepsilon$.
#
# ### Places: adding up roots of visits
#
# FPA scales its noise to $\Delta_2 = \sqrt{\Delta}$ and releases each place separately. What is Ada's effective $\varepsilon$? None of the six has more than eight visits, so $\Delta = 8$. Four of Ada's visits are at home. They change the series of this place by $\sqrt{4}$ in the $L_2$ norm. The noise is scaled to a change of $\sqrt{8}$, so Ada's home contributes
# $\sqrt{4/8}$ of the nominal $\varepsilon$. In general, a user $u$ with $v_s$ visits to place $s$ has an effective $\varepsilon$ of at most
#
# $$ \varepsilon_u = \varepsilon \sum_{s} \sqrt{v_s / \Delta}. $$

# %%
of_six = np.array([six.trace(user).sum(axis=1) for user in six.users])  # users x places
visits_of_six = of_six.sum(axis=1)
roots = np.sqrt(of_six / visits_of_six.max())
contributions = pd.DataFrame(roots, six.users, six.rois.index)
contributions.loc["all at home"] = [1.0, 0, 0, 0]
six_table = contributions.assign(total=contributions.sum(axis=1)).round(3)
six_table.insert(0, "visits", [*visits_of_six, visits_of_six.max()])
plots.show_table(six_table, "six-composition")

# %% mystnb={"figure": {"name": "fig-kkd-composition", "caption": "Effective ε of each of the six under a guarantee of ε = 1 for each place (dashed). Fay divides eight visits equally among four places and reaches 2. A person who stayed at home for eight hours would have 1."}, "image": {"alt": "Horizontal bars divided by place for Ada, Ben, Cleo, Dan, Eve, Fay and a person who is always at home. All six bars exceed the dashed line at 1, Fay's reaches 2, the last bar ends at 1."}} tags=["hide-input"]
figures.show_composition(contributions)

# %% [markdown]
# All six people exceed the nominal value of 1. Fay has the most, because she divides her visits equally among four places: each place contributes $\sqrt{2/8} = 1/2$. The others visit three places, or have fewer visits.
#
# The reason is that the sum of several roots is larger than the root of the sum. For a user with $k$ places, $\sum_s \sqrt{v_s / \Delta}$ is at most $\sqrt{k}$, by the Cauchy-Schwarz inequality. LPA and GSM do not have this problem. Under LPA the place $s$ contributes $v_s / \Delta$, and the sum of these numbers is at most 1. Under GSM only the length
# of the whole change matters, and it does not depend on how the visits are divided among places.
#
# EFPAG lies in between. Its Gaussian noise costs a user half of $\varepsilon$, however many places there are. But it draws a number of waves for each place, and the costs of these draws are added up as under FPA. Together, noise and draws give this user an effective $\varepsilon$ of at most
#
# $$ \frac{\varepsilon}{2} + \frac{\varepsilon}{2} \sum_{s} \sqrt{v_s / \Delta}. $$
#
# The sum is again at most $\sqrt{k}$, so the value never exceeds $(1 + \sqrt{k})\,\varepsilon / 2$.
#
# (kkd-spent)=
# ### How far above the nominal value are real users?
#
# For FPA, the sum of roots is only an upper bound on the effective $\varepsilon$, because FPA keeps no more than $\kappa$ waves. The smallest $\varepsilon$ for which the release is differentially private for a user follows from the user's own coefficients. Add up the absolute real and imaginary parts of the first $\kappa$ coefficients at all places, and divide by the scale of the noise for $\varepsilon = 1$. We call this the *exact* effective $\varepsilon$. We compute it for the busiest flight number, and compare the result with the library's:


# %%
def exact_effective(trace):  # places x hours
    own_waves = fft.rfft(trace, norm="ortho")[:, :kappa]
    change = np.abs(own_waves.real).sum() + np.abs(own_waves.imag).sum()
    return change / (np.sqrt(kappa) * np.sqrt(most))


def slow_share(trace):  # of the sum of squares, in the first κ waves
    own_waves = fft.rfft(trace, norm="ortho")[:, :kappa]
    twice = 2 * (np.abs(own_waves) ** 2).sum() - (own_waves[:, 0].real ** 2).sum()
    return twice / (trace**2).sum()


busiest = week.visits().argmax()
trace = week.matrix[[busiest]].toarray().reshape(week.n_rois, 168)
fpa = defenses.mechanisms(week, 1.0, delta=delta, kappa=kappa)["FPA"]
by_hand = exact_effective(trace)
by_library = defenses.fpa_effective_epsilons(week, fpa)[busiest]
bound = np.sqrt(trace.sum(axis=1) / most).sum()
print(f"exact {by_hand:.4f}, library {by_library:.4f}, upper bound {bound:.4f}")
print(
    f"share of the sum of squares in the first {kappa} waves: {slow_share(trace):.1%}"
)

# %% [markdown]
# The exact value of this user is below 1, although the upper bound is above 1. There are two reasons. First, the 20 slow waves contain only 23.6% of the sum of squares of this user's trace. (As above, each wave except the constant is counted twice.) A trace with few visits is a series of short peaks, and such a series has as much energy in its fast waves as in its slow ones. FPA drops the fast ones. Second, the bound on the $L_1$ norm is reached only if all real and imaginary parts have the same size.
#
# So the bound alone does not show who exceeds the nominal value. We now compute the exact value of every user. The table also includes the paper's 534 cabs. Their data may not be distributed, so their row is a *stored result* of an earlier run.

# %%
spent = defenses.effective_epsilons(weeks, kappa=kappa, delta=delta)
everybody = pd.concat([spent, cabs[~cabs["data"].isin(spent["data"])]])
spent_table = figures.effective_epsilon_table(everybody)
users = {
    "cabspotting": 534,
    **{name: week_of.n_users for name, week_of in weeks.items()},
}
spent_table.insert(0, "users", spent_table.index.map(users))
plots.show_table(spent_table, "spent")

# %% [markdown]
# *Effective $\varepsilon$ for a nominal $\varepsilon$ of 1, add/remove neighbours. $\Delta$ is the largest number of visits of a user, and $k$ the largest number of places. "FPA, above 1" is the number of users whose value is above 1. For EFPAG we compute the bound $\frac{1}{2} + \frac{1}{2} \sum_s \sqrt{v_s / \Delta}$ of every user, and the table shows the largest one. It is smaller than $(1 + \sqrt{k})/2$, because no user divides $\Delta$ visits equally among $k$ places.*
#
# Under FPA no flight number in the data exceeds the nominal value, but 8 aircraft and 505 of the 534 cabs do. The largest effective $\varepsilon$ of a cab is 3.829. Cabs make many visits, and divide them among up to 86 places.
#
# Is FPA then differentially private for whole users, at least on the flight numbers? The definition is about *all* neighbours. It includes a user who is not in the data but could be added. We try one with $\Delta = 15$ visits and $k = 6$ places, the largest values in the table for flight numbers. This user spends 15 hours in a row at six places, two or three hours at each:

# %%
hours = np.arange(min(most, 168))
newcomer = np.zeros((6, 168))
newcomer[hours * 6 // len(hours), hours] = 1
print("visits by place:", *newcomer.sum(axis=1).astype(int))
print(f"exact effective ε: {exact_effective(newcomer):.3f}")
print(
    f"share of the sum of squares in the first {kappa} waves: {slow_share(newcomer):.1%}"
)

# %% [markdown]
# This user's exact value is 1.617. So FPA does not guarantee the nominal $\varepsilon$ to whole users, even if nobody has more visits or more places than the flight numbers. This user stays for several hours at each place. The slow waves, which FPA keeps, therefore contain 55.0% of the sum of squares. For the busiest flight number, whose visits are short peaks, it was only 23.6%.
#
# For EFPAG the bound exceeds 1 in all three datasets. It is an upper bound, so this does not prove that the guarantee fails. But the proof for one place does not extend to a user.
#
# *Question for a class:* Who should check whether a nominal guarantee holds: the data holder, the author of the mechanism, or the public?
#
# ````{admonition} What this does not show
# :class: note
# - Simple addition is safe and sometimes too cautious. For many small releases, [optimal composition](threshold-composition) gives a smaller total.
# - These values are for the release before rounding and clipping. Afterwards they can only be smaller. How much smaller they are, we did not compute.
# - These values are for add/remove neighbours. For replace-one neighbours they can be up to twice as large.
# - An effective $\varepsilon$ above the nominal one does not mean that an attack succeeds. That is the question of the [next chapter](knock_knock_defenses.ipynb).
# ````

# %% [markdown]
# (kkd-trips)=
# ## Trips: what a guarantee for one trip is worth for a person
#
# The last section added up values of $\varepsilon$. A large effective $\varepsilon$ means that a successful attack is not *excluded*. How well does the best attack really do against a person who makes many trips?
#
# Researchers have debated this question in public, about a real release. Google gave a group of researchers a table of trips {cite:p}`bassolas2019`. For each week and each pair of places it had a {term}`flow <flow>`, the number of people who travelled from the first place to the second. Laplace noise of scale $1/0.66$ was added to each flow, and flows below 100 were removed. The paper stated that this improves the certainty of an attacker over a random guess by about 16% at best. {cite:t}`houssiau2022` objected that this holds for one trip. One of the authors had made 32 different trips in a week, and against this person the same attacker is right in 95.4% of all cases. The reply {cite:p}`bassolas2022reply` agreed that the unit of privacy was whether an individual made a trip from $A$ to $B$ in a given week, and not the individual's contribution to the whole table.
#
# Where do 16% and 95.4% come from? A pair of places is a cell like any other, so we can compute both. Suppose that Ada makes two trips in a week, from home to work and back. The attacker knows the trips of everybody else and subtracts them. Two noisy numbers remain. They are noise alone if Ada was not counted, and noise plus 1 if she was:

# %%
b = 1 / 0.66  # scale of the noise on each weekly flow
trip_rng = np.random.default_rng(2022)
absent = trip_rng.laplace(scale=b, size=(100_000, 2))  # releases x Ada's flows
present = 1 + trip_rng.laplace(scale=b, size=(100_000, 2))

# %% [markdown]
# The attacker must weigh two pieces of evidence. The best way is the likelihood ratio, which the [chapter on thresholds](thresholds.ipynb) studies. For one flow with the value $x$, its logarithm is $(|x| - |x - 1|)/b$. The flows have independent noise, so the attacker adds up their log-likelihood ratios. If the sum is positive, the attacker answers "Ada was counted". If it is 0, the attacker answers at random. (We round the sum so that floating-point errors do not decide a tie.)


# %%
def share_answered_yes(x):
    evidence = (np.abs(x) - np.abs(x - 1)).sum(axis=-1).round(9)
    return ((np.sign(evidence) + 1) / 2).mean()


right = (share_answered_yes(present) + 1 - share_answered_yes(absent)) / 2
print(f"two trips: right in {right:.1%} of all cases")

# %% [markdown]
# Here Ada is counted in half of the cases, so guessing would be right 50% of the time. For one trip the accuracy has a closed form, $1 - \frac{1}{2} e^{-1/(2b)}$. For more trips it follows from the distribution of a sum. The library computes this distribution by convolution, without simulation. We compare the two:

# %%
from lib.mechanisms import Laplace
from lib.membership.unit_cells import informed_accuracy

compared = {}
for k in (1, 2, 3, 8, 16, 32):
    noise_in, noise_out = trip_rng.laplace(scale=b, size=(2, 50_000, k))
    yes, wrongly = share_answered_yes(1 + noise_in), share_answered_yes(noise_out)
    exact = informed_accuracy(Laplace(0.66), k)
    compared[k] = {"simulated": (yes + 1 - wrongly) / 2, "exact": exact}
print(f"one trip, closed form: {1 - np.exp(-1 / (2 * b)) / 2:.4f}")
accuracies = pd.DataFrame(compared).T.rename_axis("trips in the week")
plots.show_table(accuracies.round(3), "trips")
print("published for 32 trips: 95.4%")

# %% [markdown]
# With 32 trips the best attacker is right in 95.5% of all cases, and the published value is 95.4%. The 16% agree with an upper bound for a person with one trip. By the definition of differential privacy, an attacker who at first thinks both cases equally likely can never be more certain than $e^{\varepsilon}/(1 + e^{\varepsilon})$. This is 50% plus 16%:

# %%
one_trip = np.exp(0.66) / (1 + np.exp(0.66))
numbers = np.arange(1, 65)
by_trips = pd.Series([informed_accuracy(Laplace(0.66), k) for k in numbers], numbers)
print("more than 90% from", (by_trips > 0.9).idxmax(), "trips on")
for k in (1, 32):
    limit = 1 / (1 + np.exp(-0.66 * k))  # e^ε / (1 + e^ε), for the effective ε
    print(f"trips {k:2}: effective ε {0.66 * k:.2f}, bound {limit:.1%},", end=" ")
    print(f"best attacker {by_trips[k]:.1%}")

# %% mystnb={"figure": {"name": "fig-kkd-trips", "caption": "Accuracy of the best attacker against one person, by the number of different trips that the person makes in the week (solid line). Noise has scale 1/0.66. The bound for one trip (dashed) is passed at three trips, and the attacker is right in more than 90% of all cases from 19 trips on. The cross is the value that Houssiau et al. published for a person with 32 trips. Guessing is dotted."}, "image": {"alt": "A line rises from 64 percent at one trip to nearly 100 percent at 64 trips. It crosses a dashed line at 65.9 percent at three trips and passes through a cross at 32 trips and 95.4 percent. A dotted line marks 50 percent."}} tags=["hide-input"]
from lib.papers.riders import figures as trip_figures

trip_figures.show_trips(by_trips, one_trip, (32, 0.954))

# %% [markdown]
# **The guarantee limits every attacker to 65.9% against a person with one trip. Against a person with 32 trips it excludes almost nothing, and the best attacker is in fact right in 95.5% of all cases.** Against one trip the best attacker reaches 64.1%. The 16% of the original paper and the 95.4% of its critics do not contradict each other, for two reasons. They refer to different units of privacy, one trip and all trips of a person in a week. And the first is a bound, while the second is the accuracy of an attack. We reproduce the first. For the second our exact value is 95.5%, and we do not know where the difference in the last digit comes from.
#
# Why does the accuracy grow, although the noise on each flow stays the same? Each flow gives a little evidence. If a person makes $k$ trips, the expected sum of the evidence grows in proportion to $k$, but its standard deviation only in proportion to $\sqrt{k}$. The two distributions, with and without the person, move apart.
#
# ### Who makes that many trips?
#
# How much the result matters depends on how many different trips people make in a week. We count trips in two datasets about people. One is the shared bikes of the ValleyBike system with 171 riders. The other is the 534 cabs, where a trip is a ride with a passenger, and the person is the driver. Neither dataset may be redistributed with this book, so the numbers of trips are *stored results*. From them we compute the share of weeks in which the best attacker is right in more than 90% of all cases:

# %%
from lib.papers.riders import trip_experiments

weekly = trip_experiments.unique_trips.stored()
best = {k: informed_accuracy(Laplace(0.66), k) for k in weekly["trips"].unique()}
weekly = weekly.assign(accuracy=weekly["trips"].map(best))
person_weeks = weekly.loc[weekly.index.repeat(weekly["person-weeks"])]  # a row for each
of_data = person_weeks.groupby("data", sort=False)
people = {
    "person-weeks with a trip": of_data.size(),
    "median trips": of_data["trips"].median(),
    "most trips": of_data["trips"].max(),
    "mean accuracy": of_data["accuracy"].mean().round(3),
    "% above 90%": of_data["accuracy"].agg(lambda a: 100 * (a > 0.9).mean()).round(1),
}
plots.show_table(pd.DataFrame(people), "trips-of-people")

# %% [markdown]
# Against the riders, the best attacker is never right in more than 90% of all cases. Even the most active rider makes only four different trips in a week. Against the cab drivers the best attacker exceeds 90% in 98.9% of the weeks. (Only weeks with at least one trip are counted, and a bike ride that ends in the square where it began does not count as a trip. That is why 171 riders have only 156 person-weeks.)
#
# The noise is the same in both datasets, so the number of trips makes the difference. Why do the two differ so much in this number? One reason is how much of a person's movement the data contain. A bike share sees only the rides on its own bikes, but a cab company sees the whole working day of people whose job is driving. Another reason is that a trip is defined differently in each dataset, as the note below explains. The table cannot separate the two reasons. A phone records nearly all trips of its owner. Houssiau and co-authors estimate from phone records that the best attacker is right in more than 90% of all cases for a typical person.
#
# *Question for a class:* What should Google have written instead of "at best 16%"?
#
# ````{admonition} What this does not show
# :class: note
# - The attacker knows everybody else's trips, which no real attacker does. With this knowledge, the likelihood-ratio attack is right as often as possible. Its accuracy is therefore an upper limit for real attackers.
# - We assume that all trips of the person are in published flows. A trip in a flow that was removed gives hardly any evidence, so people in places with few travellers are better protected than the curve says.
# - The reply states that contributions to a part of the table are bounded, which gives more protection than computed here. It prints no number, so we could not include it.
# - The accuracy assumes that the person is counted with probability 1/2. It says little about the false alarms of an attacker who tests millions of people.
# - A trip is defined differently in each dataset. In the bike data, a trip leads from one square of the map to another, and the squares are 2 km wide. Rides of cabs are cut where they leave the map of 100 squares, and several drivers may share a cab.
# - The shares are exact for these two datasets. They are no estimate for other people.
# - The audit of [your own trips](publish.md) has this release as the preset `bassolas-2019`.
# ````

# %% [markdown]
# (kkd-errors)=
# ## How large is the error, and compared with what?
#
# ````{prf:definition} Mean relative error (Eq. 7 of the paper)
# :label: def-kkd-mre
# For a series $Y$ of $n$ counts and its release $Y'$, the **mean relative error** is $\mathrm{MRE}(Y, Y') = \frac{1}{n} \sum_{i=1}^{n} \frac{|Y'_i - Y_i|}{\max(\gamma, Y_i)}$, averaged over all places. The *sanity bound* $\gamma$ prevents a division by zero in empty cells.
# ````
#
# Here is the error of a single release of four counts, with $\gamma = 0.5$. The release has one person too many in the first cell, and one too few in the third:

# %%
four, of_four = np.array([0, 2, 4, 0]), np.array([1, 2, 3, 0])
for label, published in (("release", of_four), ("zeros", np.zeros(4))):
    relative = np.abs(published - four) / np.maximum(0.5, four)
    print(f"{label}: relative errors {relative}, mean {relative.mean():.4f}")

# %% [markdown]
# The same mistake of one person is an error of 2 in the empty cell, and of only 0.25 in the cell with four people. A table of zeros has the smaller mean, although it tells us nothing. Keep this in mind when you read the results below.
#
# On real data we average over the places that the group visits. The sanity bound decides how large the error is. The paper sets it to 0.1% of a place's total. A place with 100 visits a week then has $\gamma = 0.1$, and one person too many in an empty hour counts as an error of ten. We use $\gamma = 0.5$ people instead. We chose this value *after* seeing the paper's Table III; the
# [replication page](kk-defenses-errors) gives the errors for both values.
#
# An error means little without a baseline. The simplest baseline is the table of zeros. It needs no data and reveals nothing, and its error is easy to compute. In a cell with a count of at least 1 its relative error is exactly 1, and in an empty cell it is 0. **The error of zeros is the share of cells that are not empty.** This holds for every $\gamma$ of at most 1, because the denominator of a cell with a visit is then its count. The error of zeros is never above 1. As announced, we round and clip each release before we compute its error. At the place shown in
# {numref}`fig-kkd-mechanisms`, the errors are:


# %%
def relative_error(published, gamma=0.5):
    return (np.abs(published - counts) / np.maximum(gamma, counts)).mean()


rounded = {name: np.rint(each).clip(0, size) for name, each in released.items()}
at_place = {name: relative_error(each) for name, each in rounded.items()}
at_place["zeros"] = relative_error(0 * counts)
plots.show_table(
    pd.Series(at_place).round(2).to_frame("error at one place"), "one-place"
)
print(f"hours with a visit: {(counts > 0).mean():.2f}")

# %% [markdown]
# Even at the busiest place, only GSM and event-level noise have a smaller error than zeros. But GSM's noise is too small for its guarantee here. Event-level noise protects a single visit only, and at $\varepsilon = 10$ it is so small that rounding removed it from every count. These are the errors of one draw of the noise at one place.
#
# We now average over all places that the group visits, and over twenty releases. The main case is the paper's own dataset, groups of 500 cabs. It is dense: most cells have a visit. For comparison we take flight numbers, which are sparse. Both are stored results. If you run the page with other values, the flights are computed again. The table gives means over the twenty releases, with 95% intervals in brackets. The line below the table says what was stored and when; a run is one mechanism at one $\varepsilon$.

# %%
# errors of every mechanism: stored results where these settings have them, else computed now
noises = {"epsilons": epsilons, "delta": delta, "kappa": kappa, "seed": seed}
live = kk.stored_or_run(weeks, own, defenses.errors, n_releases=20, **noises)
stored = defenses.errors.stored("cabspotting")
every = pd.concat([stored, live[~live["data"].isin(stored["data"])]])
every = every[every["counts"] == "clipped"]  # rounded and clipped

# errors of a table of zeros, for the same groups
of_cabs = figures.zeros_from_bounds(defenses.sanity_bounds.stored("cabspotting"))
of_live = defenses.empty_errors(weeks, of=own, n_releases=20, seed=seed)
zeros = pd.concat([of_cabs, of_live[~of_live["data"].isin(of_cabs["data"])]])

# %%
shown_data = list(dict.fromkeys(["cabspotting", first]))
errors = every[every["mechanism"].isin(printed) & every["data"].isin(shown_data)]
beside = {"zeros": zeros[zeros["data"].isin(shown_data)]}
three = errors[errors["ε"].isin(sorted(epsilons)[-3:])]
plots.show_parts(figures.errors_table(three, beside), "errors")
print("cabs:", defenses.errors.source("cabspotting").replace("units", "runs"))

# %% mystnb={"figure": {"name": "fig-kkd-errors", "caption": "Mean relative error over twenty releases against ε, with 95% intervals; dotted: a release of zeros. The four mechanisms whose noise is scaled to the busiest user stay above the dotted line, even for cabs and at the largest ε. Event-level noise gets below it."}, "image": {"alt": "Two panels, cabs and flights: mean relative error against epsilon on logarithmic axes, a line for each of the five mechanisms, all falling. Only event-level noise is below the dotted line of an empty release."}} tags=["hide-input"]
figures.show_errors(errors, zeros)

# %% [markdown]
# Four mechanisms scale their noise to all visits of the busiest user: LPA(Δ/ε), GSM, FPA and EFPAG. (For the last two, this protects a user at one place only.) None of them has a smaller error than a table of zeros. This holds for both datasets and at every $\varepsilon$. On the cabs at $\varepsilon = 10$, EFPAG comes closest: its error is 1.18, and that of zeros is 0.80.
#
# Event-level noise can have a smaller error than zeros. Whether it does depends on the data. At $\varepsilon = 1$ its error on the cabs is 0.28, well below that of zeros. On the flights it is 0.92, more than six times that of zeros. The noise is the same in both; the counts of cabs are larger.
#
# *Question for a class:* When is a table of zeros a good release?
#
# ````{admonition} What this does not show
# :class: note
# - We measured the error of single cells. The relative error of a total over a day or a city is much smaller, because the noise partly cancels in a sum.
# - Zeros are a baseline and not a proposal. If a mechanism has a larger *mean* error than zeros, its single cells cannot be trusted in general. At a busy place they can still be nearer to the truth than zeros, as those of GSM were in the example above.
# - The error of zeros on the cabs was computed from two stored means, which determine the share of cells with a visit.
# ````

# %% [markdown]
# (kkd-repair)=
# ## What does a correct guarantee cost?
#
# Four mechanisms scale their noise to the busiest user. For three of them, the nominal guarantee at $\varepsilon = 10$ fails for a whole user, or nobody has proved it. The reasons differ.
#
# - **GSM**'s guarantee fails for its own unit, which is a user. On the flight numbers it also fails [after rounding](kkd-label).
# - **FPA**'s guarantee holds for its unit, one user at one place. Read as a guarantee for a whole user, it fails, before rounding, for [8 aircraft and 505 cabs](kkd-spent). For each of the 1,054 flight numbers in the data the exact value is below the nominal one, but for [a user who could be added](kkd-spent) it is larger.
# - **EFPAG**'s guarantee also holds for one user at one place. Its noise uses the same constant as GSM's, but for half of $\varepsilon$. At 5 the constant is still sufficient: [$\delta$ is 0.0381](kkd-label), below 0.1. For a whole user we have only an upper bound on the effective $\varepsilon$, so we do not know whether the guarantee holds.
#
# All three mechanisms can be changed so that their guarantee is proved for every user. Assume that nobody has more than $\Delta$ visits or visits more than $k$ places, and that neighbours differ by adding or removing one user. Then the following changes are enough:
#
# - **GSM** gets the exact standard deviation instead of the constant;
# - **FPA** gets $\sqrt{k}$ times its noise;
# - **EFPAG** gets the smaller budget $2\varepsilon / (1 + \sqrt{k})$ and the exact standard deviation.
#
# We call these mechanisms *calibrated*. For FPA the factor $\sqrt{k}$ covers the worst case. It is larger than the users in these three datasets need, as the [exact values](kkd-spent) show. The next table compares their errors with those of the paper's noise, at the largest $\varepsilon$:

# %%
largest = every[every["ε"] == every.groupby("data")["ε"].transform("max")]
plots.show_parts(figures.calibration_table(largest, zeros), "calibrated")

# %% [markdown]
# For GSM a correct guarantee costs little: the error grows by a factor of 1.15 to 1.17. But GSM's error was already 3 to 10 times that of zeros. For FPA the error grows by a factor of 2.33 on flight numbers. On the cabs, which visit up to 86 places, it grows by a factor of 8.72. The factor of EFPAG is between those of GSM and FPA in all three datasets.
#
# All this is for add/remove neighbours. In the membership game one user replaces another, and a guarantee for replace-one neighbours costs more. The noise of GSM would have to be multiplied by 1.63 instead of 1.15 ([table](kkd-label)), and that of LPA by up to 2. We have not computed the errors for these neighbours.
#
# ````{admonition} What this does not show
# :class: note
# Even a correct guarantee with $\varepsilon = 10$ [allows](kkd-allowed) an AUC of practically 1. Whether the noise stops a particular attack has to be measured. The [next chapter](knock_knock_defenses.ipynb) does so.
# ````

# %% [markdown]
# (kkd-found-errors)=
# ## What the paper found, and what we found
#
# The table has the errors of Table III of the paper at $\varepsilon = 10$, and ours on the same cabs: under the sanity bound that the paper states, and under the one that we use on this page.

# %%
from lib.papers import claims

at_ten = every[(every["data"] == "cabspotting") & (every["ε"] == 10)]
here = at_ten.groupby("mechanism")[list(defenses.BOUNDS)].mean()
beside_paper = here.loc[list(printed)].add_prefix("ours, γ = ")
# the claims about Table III, in the order of the mechanisms in `printed`
rows_of_table_3 = ("lpa-delta", "gsm", "fpa", "efpag", "lpa-1")
paper = [claims.claim(f"kk-tab3-{row}-eps10").value[0] for row in rows_of_table_3]
beside_paper.insert(0, "the paper, γ = 0.1%", paper)
three_digits = beside_paper.map(lambda error: f"{float(f'{error:.3g}'):g}")
plots.show_table(three_digits, "table-3")

# %% [markdown]
# The paper finds that event-level noise has the smallest error of all. Our results on the same cabs *support* this: the last row has the smallest error in every column.
#
# We could not reproduce the errors that the paper prints, and each of the five numbers is *contradicted*. By the [rule of this book](scoreboard.md), this verdict means that the two numbers differ by more than sampling error and the rounding of the printed number can explain. With the sanity bound that the paper states, our errors are more than a hundred times as large. The verdict does not say which of the two numbers is wrong. So large a factor in every row may come from another way to compute the error. The replication tries [other sanity bounds](kk-defenses-errors) and [other noise](kk-noise-search), and no combination gives all the numbers of the table. Under our bound, which we chose after seeing these numbers, only the mechanisms without Fourier transform come within a factor of two.
#
# In the paper FPA has a far smaller error than GSM. On our data FPA's error is larger than GSM's under both sanity bounds, so this statement is *contradicted* as well. We now look for the reason. The [replication of Knock-Knock](kk-defenses-part) gives every number with its verdict, and the versions that we tried.
#
# ### Why does FPA not do better than GSM?
#
# Is FPA's large error caused by the noise that FPA adds, or by the fast waves that it drops? On the flight numbers we can separate the two, at the largest $\varepsilon$. We add the noise without dropping any wave, and we drop the waves without adding any noise:

# %%
twenty = defenses.raw_releases(week, first, 20, size, seed)  # groups x places x hours
all_waves = fft.rfft(twenty, norm="ortho")
is_slow = np.arange(all_waves.shape[-1]) < kappa
slow_waves = np.where(is_slow, all_waves, 0)
parts = np.random.default_rng(seed).laplace(scale=scale, size=(2, *all_waves.shape))
fpa_noise = np.where(is_slow, parts[0] + 1j * parts[1], 0)
variants = {
    "noise, no wave dropped": all_waves + fpa_noise,
    "waves dropped, no noise": slow_waves,
    "both (FPA)": slow_waves + fpa_noise,
}
separated = {}
for name, changed in variants.items():
    of_twenty = np.rint(fft.irfft(changed, 168, norm="ortho")).clip(0, size)
    all_errors = [
        defenses.errors_of(*pair) for pair in zip(twenty, of_twenty, strict=True)
    ]
    separated[name] = np.mean([each["0.5 users"] for each in all_errors])
plots.show_table(pd.Series(separated).round(3).to_frame("error"), "noise-or-waves")

# %% [markdown]
# We compare FPA with GSM: the standard deviations of their noise on one count, and their errors for each dataset and $\varepsilon$.

# %%
deviations = figures.noise(printed)["standard deviation"]
print(f"FPA / GSM, noise on one count: {deviations['FPA'] / deviations['GSM']:.2f}")
of_both = three.pivot_table("0.5 users", ["data", "ε"], "mechanism", sort=False)
quotients_of_errors = (of_both["FPA"] / of_both["GSM"]).unstack("ε").sort_index(axis=1)
print("FPA / GSM, error:", quotients_of_errors.round(2).to_string(), sep="\n")

# %% [markdown]
# The reason is the noise. On the flight numbers it causes nearly all of FPA's error, and dropping the waves adds little to it. But even without noise, the dropped waves alone cause an error of 0.172, and that of zeros is 0.142 ([table](kkd-errors)). FPA has $\delta = 0$ and therefore uses Laplace noise, whose scale grows with $\sqrt{\kappa}$. With $\kappa = 20$ its standard deviation on each count is 1.75 times that of GSM ([table](kkd-mechanisms)). This factor is the same for all data, because both standard deviations are proportional to $\Delta_2 / \varepsilon$. On the cabs at $\varepsilon = 10$, FPA's error is also 1.75 times that of GSM. At $\varepsilon = 0.1$ the quotient of the two errors is smaller in both datasets, and on the flights at $\varepsilon = 10$ it is larger, 1.90. Counts are also rounded and clipped, and FPA drops waves, so the errors are not exactly proportional to the noise.
#
# ### Can FPA's error be as small as the paper's 0.11?
#
# The paper prints this number for FPA *with* its noise, on the cabs at $\varepsilon = 10$. The table lists the error on the cabs *without* any noise, which comes from the dropped waves alone. It shows this error under the sanity bound of the paper and under ours.

# %%
cut = defenses.truncation.stored("cabspotting")
titles = {bound: f"γ = {bound}" for bound in defenses.BOUNDS}
plots.show_table(plots.table(cut, ["κ"], titles, digits=3), "truncation")

# %% [markdown]
# Only the first column uses the sanity bound of the paper. Under this bound, FPA with $\kappa = 20$ has an error of 0.376 even without noise. The paper prints less than a third of this for FPA with noise. So an FPA that sets the dropped waves to 0, as ours does, exceeds the printed error before any noise is added. The [replication](kk-noise-search) also tries one that leaves them unchanged.

# %% [markdown]
# ## Take-aways
#
# What can we now answer to Dan, who read *differentially private, $\varepsilon = 1$* below a table?
#
# 1. *What can an attacker still find out about me?* By {prf:ref}`def-kkd-dp`, a guarantee that states no $\delta$ should mean $\delta = 0$. Then no attack has an AUC above 0.731, and no attack identifies anybody if it never raises a false alarm. But perhaps the agency left its $\delta$ out. With the paper's $\delta = 0.1$ the limit for the AUC is 0.782, and an attacker may identify one target in ten without any false alarm.
# 2. *Does the guarantee protect a trip, a day, or everything I did?* The agency does not say. If the guarantee protects one visit, then Dan, who makes six visits in the [example](kkd-composition), has an effective $\varepsilon$ of 6. The median flight number, with twelve visits in a week, has 12. The guarantee then says next to nothing about everything that Dan did.
# 3. *Are the counts still useful?* If their noise was scaled to the busiest user, their mean error over all places was larger than that of a table of zeros, on the cabs and on the flight numbers. At a single busy place the counts can still be better than zeros. If the noise hides one visit, the counts can be useful where they are large.
#
# So Dan should ask the agency for three things: $\delta$, the unit of privacy, and the error beside that of a table of zeros.
#
# In short:
#
# - $(\varepsilon, \delta)$ bounds the TPR of every attack at every FPR. At $\varepsilon = 1$ and $\delta = 0.1$ no AUC exceeds 0.782, and at $\varepsilon = 10$ the guarantee excludes almost nothing.
# - A guarantee means nothing without its unit of privacy. Event-level noise with $\varepsilon = 1$ gives the median flight number an effective $\varepsilon$ of 12.
# - Guarantees for places or days add up for a person. The nominal $\varepsilon$ of FPA holds for one place. Before rounding, 505 of the 534 cabs have a larger effective $\varepsilon$ as whole users.
# - A constant must be checked outside the range of its proof. GSM's constant is larger than necessary at small $\varepsilon$, and too small at 10.
# - Compare every error with that of zeros. Averaged over all places, no mechanism whose noise is scaled to the busiest user has a smaller error than zeros here, neither in sparse nor in dense data.

# %% [markdown]
# ## Exercises
#
# Two of the exercises need the counts of ten groups, and the library's rounding and clipping:

# %%
from lib import metrics
from lib.mechanisms import PostProcess, release

ten = defenses.raw_releases(week, first, 10, size, seed)  # groups x places x hours

# %% [markdown]
# ```{exercise} The largest AUC (★★, proof, 15 minutes)
# :label: kkd-corner
# (a) Derive the FPR at which the [two bounds](kkd-allowed) on the TPR are equal, and the TPR there. (b) The largest ROC curve consists of straight lines. Show that the area under it is $1 - (1 - \delta)^2 / (1 + e^{\varepsilon})$, and that it is $e^{\varepsilon} / (1 + e^{\varepsilon})$ if $\delta = 0$. Which $\varepsilon$ limits the AUC to 0.6 if $\delta = 0$?
# ```

# %% [markdown]
# ````{solution-start} kkd-corner
# :class: dropdown
# ````
#
# (a) Write $x$ for the FPR. The bounds are equal if $e^{\varepsilon} x + \delta = 1 - e^{-\varepsilon} (1 - \delta - x)$. We subtract $\delta$ and collect the terms: $x\,(e^{\varepsilon} - e^{-\varepsilon}) = (1 - \delta)(1 - e^{-\varepsilon})$. Multiplying by $e^{\varepsilon}$ gives $x\,(e^{\varepsilon} - 1)(e^{\varepsilon} + 1) = (1 - \delta)(e^{\varepsilon} - 1)$, so $x = c$ with $c = (1 - \delta) / (1 + e^{\varepsilon})$. The first bound then says that the TPR is $e^{\varepsilon} c + \delta = 1 - c$.
#
# (b) The curve leads from $(0, \delta)$ to the corner $(c, 1 - c)$, from there to $(1 - \delta, 1)$, and then to $(1, 1)$. The areas under the three lines are
#
# $$ \frac{c\,(\delta + 1 - c)}{2}, \qquad \frac{(1 - \delta - c)(2 - c)}{2}, \qquad \delta. $$
#
# Their sum is $1 - c\,(1 - \delta) = 1 - (1 - \delta)^2 / (1 + e^{\varepsilon})$. With $\delta = 0$ this is $e^{\varepsilon} / (1 + e^{\varepsilon})$. This is at most 0.6 if $e^{\varepsilon} \le 0.6 / 0.4$, that is, if $\varepsilon \le \ln 1.5$. We compare the formula with the areas in the [table of bounds](kkd-allowed):

# %%
for of_delta in (delta, 0):
    corners = [
        np.exp(-each) / (1 + np.exp(-each)) for each in epsilons
    ]  # 1 / (1 + e^ε)
    areas = [1 - (1 - of_delta) ** 2 * each for each in corners]
    print(f"δ = {of_delta}: largest AUC", *map("{:.3f}".format, areas))
print(f"ε for an AUC of at most 0.6: {np.log(1.5):.3f}")

# %% [markdown]
# *Learned:* without $\delta$, the largest AUC is also the largest certainty of an attacker who at first thinks both cases equally likely. Only a small $\varepsilon$ keeps it near 1/2.
#
# ````{solution-end}
# ````
#
# ```{exercise} Add, remove, replace (★, 10 minutes)
# :label: kkd-swap
# By how much can the counts of the six people change, in the $L_1$ and in the $L_2$ norm, if one person is added? And if one person takes another's place? Compare the second answer with $2 \Delta_1$ and $\sqrt{2}\,\Delta_2$. Try Ada and Ben with a pencil first.
# ```

# %% [markdown]
# ````{solution-start} kkd-swap
# :class: dropdown
# ````

# %%
from itertools import combinations

traces_of_six = [six.trace(user) for user in six.users]
replacements = [a - b for a, b in combinations(traces_of_six, 2)]
for label, changes in (("add/remove", traces_of_six), ("replace-one", replacements)):
    l1 = max(np.abs(change).sum() for change in changes)
    l2 = max(np.sqrt((change**2).sum()) for change in changes)
    print(f"{label}: L1 {l1}, L2 {l2:.3f}")

# %% [markdown]
# *Learned:* a replacement can change the counts more than an addition. The change would be $2\Delta_1 = 16$ if two people with eight visits each were never at the same place in the same hour. Replacing Ada by Ben changes nothing.
#
# ````{solution-end}
# ````
#
# ```{exercise} One place or four? (★, 10 minutes)
# :label: kkd-places
# A user has sixteen visits, and $\Delta = 16$. What is this user's effective $\varepsilon$ under FPA with $\varepsilon = 1$, if all visits are at one place? At two places, eight each? At sixteen places, one each? What is it under LPA(Δ/ε) in each case?
# ```

# %% [markdown]
# ````{solution-start} kkd-places
# :class: dropdown
# ````

# %%
for k in (1, 2, 4, 16):
    v = np.full(k, 16 / k)
    fpa, lpa = np.sqrt(v / 16).sum(), (v / 16).sum()
    print(f"{k:2} places: FPA {fpa:.2f}, LPA {lpa:.2f}")

# %% [markdown]
# *Learned:* with visits spread equally over $k$ places, the effective $\varepsilon$ under FPA is $\sqrt{k}$, the worst case. Under LPA it is 1, wherever the visits are. A guarantee for one place is weakest for people who move.
#
# ````{solution-end}
# ````
#
# ```{exercise} Up to which ε is the constant enough? (★, 10 minutes)
# :label: kkd-crossing
# Up to which $\varepsilon$ is GSM's printed scale enough, for $\delta = 0.1$? And for $\delta = 10^{-5}$? Use `exact_delta` and a root finder.
# ```

# %% [markdown]
# ````{solution-start} kkd-crossing
# :class: dropdown
# ````

# %%
from scipy import optimize

for nominal in (0.1, 1e-5):
    constant = np.sqrt(2 * np.log(2 / nominal))
    excess = lambda e, c=constant, d=nominal: exact_delta(e, c / e) / d - 1  # noqa: E731
    print(f"δ = {nominal:g}: up to ε = {optimize.brentq(excess, 0.5, 30):.3f}")

# %% [markdown]
# *Learned:* the constant is sufficient well beyond the range of its proof, but not up to 10. Without a proof, a guarantee may hold or fail. It has to be checked.
#
# ````{solution-end}
# ````
#
# ```{exercise} Noise for a week of trips (★★, 20 minutes)
# :label: kkd-trip-noise
# A publisher wants the limit of 65.9% to hold for a person with 32 trips. (a) What is the scale of the noise if $\varepsilon = 0.66$ is guaranteed for all 32 trips together? How accurate is the best attacker then? (b) What is the smallest scale at which the best attacker is right in at most 65.9% of all cases? Predict first whether it is nearer to 32 times or to $\sqrt{32}$ times the old scale. (c) Which of the two would you publish?
# ```

# %% [markdown]
# ````{solution-start} kkd-trip-noise
# :class: dropdown
# ````

# %%
whole = informed_accuracy(Laplace(0.66 / 32), 32)
print(f"(a) scale {32 * b:.1f}, 32 times as large: accuracy {whole:.3f}")
too_good = lambda each: informed_accuracy(Laplace(each), 32) - one_trip  # noqa: E731
smallest = 1 / optimize.brentq(too_good, 0.02, 0.66, xtol=1e-5)
root = np.sqrt(32)
print(
    f"(b) scale {smallest:.1f}, {smallest / b:.1f} times as large; root of 32: {root:.1f}"
)
of_32 = 32 / smallest
print(f"ε of 32 trips: {of_32:.2f}, certainty up to {1 / (1 + np.exp(-of_32)):.1%}")
as_one = lambda each: informed_accuracy(Laplace(each), 32) - by_trips[1]  # noqa: E731
wider = 1 / optimize.brentq(as_one, 0.02, 0.66, xtol=1e-5)
print(f"for a limit of {by_trips[1]:.1%}: {wider / b:.1f} times as large")
for k, of_noise in ((1, b), (32, wider)):
    laplace = informed_accuracy(Laplace(1 / of_noise), k)
    gaussian = norm.cdf(np.sqrt(k) / (2 * of_noise))  # standard deviation `of_noise`
    print(f"trips {k}, scale {of_noise:.1f}:", end=" ")
    print(f"Laplace {laplace:.1%}, Gaussian {gaussian:.1%}")

# %% [markdown]
# *Learned:* the factor in (b) is much nearer to $\sqrt{32} = 5.7$ than to 32, because independent noise partly cancels in the sum of the evidence. It is even below $\sqrt{32}$, for two reasons. First, the old scale did not use up the limit: against one trip the best attacker reaches only 64.1%, and not 65.9%. For a limit of 64.1% the factor is 5.1.
#
# The second reason is the shape of the noise. With Gaussian noise, the attacker would be equally accurate against $k$ trips if the standard deviation were $\sqrt{k}$ times as large, so the factor would be exactly $\sqrt{32}$. We compare Laplace noise of scale $b$ with Gaussian noise of standard deviation $b$, because both give the same evidence about a very small change. Laplace noise of scale $b$ hides a single trip less well than Gaussian noise with standard deviation $b$: the attacker is right in 64.1% of all cases, and not in 62.9%. With 32 trips the two kinds of noise hardly differ, because each trip gives only a little evidence and a sum of many small terms is nearly Gaussian. Compared with Gaussian noise, Laplace noise is therefore weakest against one trip, and less than $\sqrt{32}$ times the old scale gives the same accuracy against 32.
#
# But (b) bounds a single number, the accuracy on balanced classes. For the person, its $\varepsilon$ is 4.75, and rare releases can make the attacker 99% certain. (a) guarantees $\varepsilon = 0.66$ against every attack, at every false positive rate. Its price is noise of scale 48.5. This is small compared with flows of thousands of people, but it makes flows of about 100 useless.
#
# ````{solution-end}
# ````
#
# ```{exercise} How many waves? (★, 15 minutes)
# :label: kkd-kappa
# Compute FPA's error for several $\kappa$ at the two largest $\varepsilon$. Which $\kappa$ has the smallest error? Is this error smaller than that of zeros? Before you run the code, predict both answers, and say what the advantages of a small $\kappa$ and of a large one are.
# ```

# %% [markdown]
# ````{solution-start} kkd-kappa
# :class: dropdown
# ````

# %%
by_each = []
for each in (1, 5, 20):
    asked = noises | {"epsilons": sorted(epsilons)[-2:], "kappa": each}
    of_each = defenses.errors(weeks, of=own, catalogues=["printed"], **asked)
    of_fpa = of_each.query("mechanism == 'FPA' and counts == 'clipped'")
    by_each.append(of_fpa.assign(κ=each))
by_kappa = pd.concat(by_each).pivot_table("0.5 users", ["data", "ε"], "κ")
by_kappa["zeros"] = (
    zeros.groupby("data")["0.5 users"].mean().reindex(by_kappa.index, level="data")
)
plots.show_table(by_kappa.round(2), "kappa")

# %% [markdown]
# *Learned:* here the smallest $\kappa$ is the best, because each further wave adds more error by its noise than it removes. A larger $\kappa$ would be better if the counts were large compared with the noise. Even with $\kappa = 1$, where only the mean of each place is published, the error is larger than that of zeros. The paper chose $\kappa = 20$ as the best value for its cabs.
#
# ````{solution-end}
# ````
#
# ```{exercise} The wrong Fourier transform (★★, 20 minutes)
# :label: kkd-normalisation
# Without `norm="ortho"`, `numpy.fft.rfft` does not divide by $\sqrt{n}$. Suppose a programmer adds FPA's noise to *these* coefficients. After the inverse transform, the noise on the counts is $\sqrt{n}$ times too small. What is then the largest effective $\varepsilon$ in the first dataset, for a nominal 1? What is the error at the
# largest $\varepsilon$?
# ```

# %% [markdown]
# ````{solution-start} kkd-normalisation
# :class: dropdown
# ````

# %%
from lib.mechanisms import FourierPerturbation

careless = [
    FourierPerturbation(each, kappa, (most / 168) ** 0.5) for each in (1.0, epsilon)
]
largest_effective = defenses.fpa_effective_epsilons(week, careless[0]).max()
print(f"largest effective ε: {largest_effective:.3f}")
careless_releases = release(ten, [careless[1], PostProcess()], rng, size)
careless_errors = [
    defenses.errors_of(*pair)["0.5 users"]
    for pair in zip(ten, careless_releases, strict=True)
]
low, high = metrics.mean_interval(careless_errors)
print(f"error: {np.mean(careless_errors):.3f}, 95% from {low:.3f} to {high:.3f}")

# %% [markdown]
# *Learned:* the error is much smaller, because most of the noise is missing. A description of FPA must state how its Fourier transform is normalised. And a surprisingly small error is a reason to look for a mistake.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write a mechanism: one κ for all places (★★, 45 minutes)
# :label: kkd-one-kappa
# EFPAG draws a $\kappa$ for each place, and the costs of these draws add up. Let it draw a single $\kappa$ for all places. Sum the squared errors of all places before you take the root. One user changes this error by at most $\Delta_2$, so $\varepsilon/2 + \varepsilon/2 = \varepsilon$ holds for a whole user. What does the error of the release become?
# ```

# %% [markdown]
# ````{solution-start} kkd-one-kappa
# :class: dropdown
# ````


# %%
def one_kappa(counts, mechanism, rng):
    """EFPAG with one choice of κ for all places of a release (n_rois, n_epochs)."""
    coefficients = fft.dct(counts, norm="ortho")
    energy = (coefficients**2).sum(axis=0)
    numbers = np.arange(1, len(energy) + 1)
    dropped = (energy.sum() - np.cumsum(energy)).clip(0)
    error = np.sqrt(dropped + numbers * len(counts) * mechanism.scale**2)
    far = (error - error.min()) / mechanism.sensitivity
    weight = np.exp(-mechanism.epsilon / 4 * far)
    kept = rng.choice(numbers, p=weight / weight.sum())
    coefficients += rng.normal(scale=mechanism.scale, size=counts.shape)
    coefficients[:, kept:] = 0
    return fft.idct(coefficients, norm="ortho"), kept


# %%
drawn = [one_kappa(each, printed["EFPAG"], rng) for each in ten]
cleaned = [PostProcess().apply(noisy, rng, size) for noisy, _ in drawn]
pairs_of_ten = zip(ten, cleaned, strict=True)
values = [defenses.errors_of(*each)["0.5 users"] for each in pairs_of_ten]
print(f"κ chosen: {sorted({int(kept) for _, kept in drawn})}")
low, high = metrics.mean_interval(values)
print(f"EFPAG with one κ: {np.mean(values):.3f}, 95% from {low:.3f} to {high:.3f}")
of_first = largest[largest["data"] == first].groupby("mechanism")["0.5 users"].mean()
print(of_first[["EFPAG", "EFPAG, calibrated"]].round(3).to_dict())

# %% [markdown]
# *Learned:* the guarantee now holds for a whole user, and the error is smaller than that of calibrated EFPAG. But look at the values of $\kappa$. With one or two waves, the release says hardly more than the mean of each place. The error is small because little is published, and the error of zeros is still smaller.
#
# ````{solution-end}
# ````
#
# ```{exercise} A public cap (★★★, an evening)
# :label: kkd-project
# On this page $\Delta$ was taken from the private data. Decide instead, without looking at the data, how many visits a user may have on a day, and drop all further visits (`BoundContributions` in `lib.mechanisms`). For aircraft at $\varepsilon = 10$, draw the error against the cap, for LPA and for GSM. In the same figure, draw two more errors: the error that the dropped visits cause without any noise, and the error of zeros.
# *A good answer* states unit and sensitivity, has intervals, runs [matching](kkd-matching), an attack of the next chapter, at the best cap, and says which users pay for it.
# ```

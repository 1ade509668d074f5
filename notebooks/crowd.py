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
datasets: list[str] = ["flights-by-number", "flights-by-tail", "commuters", "cabs"]  # one of flights-by-number|flights-by-tail|commuters|cabs|cabspotting
path: str = ""  # file or folder with Cabspotting; if empty, looked for in the data folder
users_of: dict[str, int] = {"commuters": 300, "cabs": 120}  # users of flights and synthetic datasets; all where not given
noise_users_of: dict[str, int] = {"flights-by-number": 300, "flights-by-tail": 300, "commuters": 300, "cabs": 120}  # the same, behind noise
inference: int = 168  # epochs at the end that are inferred; 24..336
delta: float = 0.5  # what POP counts as popular; 0.01..1
epsilons: list[float] = [0.001, 0.01, 0.1, 1.0]  # privacy budgets, ascending; 0.0001..100
ps: list[float] = [0.1, 0.3, 0.5, 0.7, 0.9]  # SpotMe's probability of a forced yes, ascending; 0.01..0.99
kappa: int = 20  # Fourier coefficients that FPA keeps; 1..85
kappas: dict[str, int] = {"commuters": 25}  # the same, for single datasets
sanity_bound: float = 5.0  # users, of the mean relative error; 0.01..1000
n_releases: int = 1  # noisy releases of each kind; 1..100
joint_every: int = 14  # hours between the epochs of the joint problem; 1..168
mix: float = 0.05  # share of the crowd's profile in the joint problem's prior; 0.0001..0.5
seed: int = 2017  # seed of everything random here; 0..
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
# (SFC), calibrated to statistics that it prints. `cabspotting`, in the run kept below, is the cabs themselves.
# Flights are flights: by number they repeat weekly, by tail they do not.

# %%
stand_in = ("commuters", "cabs")


def population(name, sizes):
    """The traces of a dataset, null counted."""
    options = {"n_users": sizes[name]} if name in sizes else {}
    options |= {"path": path or None} if name == "cabspotting" else {}
    return load(name, **options).with_null()


populations = {name: population(name, users_of) for name in datasets}
plots.show_table(overview(populations), "data")

# %% [markdown]
# The next table has the statistics of the paper's Sec. 4.1. They are per user over the whole window and per ROI
# over the inference week, null left out. $\Delta$ is the most visits a user makes in the inference week.

# %% [markdown]
# (crowd-data)=
# ### What the data look like


# %%
def real(traces):
    """The same without null."""
    return traces.select(rois=[roi for roi in traces.rois.index if roi != "null"])


def statistics(traces):
    """Sec. 4.1 of the paper."""
    seen, week = real(traces), real(loc.inferred(traces, inference))
    by_roi = week.matrix.sum(axis=0).reshape(week.n_rois, -1)
    columns = {
        "reports": seen.visits(),
        "unique_rois": (seen.places() > 0).sum(axis=1),
        "active_slots": (seen.active() > 0).sum(axis=1),
        "reports_per_roi": by_roi.sum(axis=1),
        "active_slots_per_roi": (by_roi > 0).sum(axis=1),
    }
    numbers = {f"{k}_mean": np.mean(v) for k, v in columns.items()}
    numbers |= {f"{k}_std": np.std(v, ddof=1) for k, v in columns.items()}
    sizes = {"users": seen.n_users, "rois": traces.n_rois, "epochs": seen.n_epochs}
    return numbers | sizes | {"sensitivity": week.visits().max()}


# %%
facts = pd.DataFrame({name: statistics(t) for name, t in populations.items()})
plots.show_table(facts.astype(float).rename_axis("statistic"), "statistics")

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
truths = {name: loc.inferred(t, inference) for name, t in populations.items()}


def counted(truth):
    """The counts, (n_rois, n_epochs)."""
    return truth.matrix.sum(axis=0).reshape(truth.n_rois, truth.n_epochs)


counts = {name: counted(truth) for name, truth in truths.items()}
priors = {
    (name, kind): loc.prior(traces, kind, inference)
    for name, traces in populations.items()
    for kind in (*loc.PROBABILISTIC, *loc.LAST)
}

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
# (crowd-js)=
# ### The distance, checked
#
# In base 2 the divergence lies in $[0, 1]$ and its root satisfies the triangle inequality. On random distributions:

# %%
rng = np.random.default_rng(seed)
p, q, r = rng.dirichlet(np.full(5, 0.3), (3, 2000))
divergences = metrics.js_divergence(p, q)
pq, qr, pr = (metrics.js_distance(a, b) for a, b in ((p, q), (q, r), (p, r)))
print(f"divergence from {divergences.min():.3g} to {divergences.max():.3f}")
print("triangle inequality, share of cases:", (pr <= pq + qr + 1e-12).mean())

# %% [markdown]
# ## Profiling
#
# Every prior, every strategy, every dataset; one error a user.

# %% [markdown]
# (crowd-profiling)=
# ### Who believes what

# %%
STRATEGIES = {"BAYES": loc.bayes, "MAX_ROI": loc.max_roi, "MAX_USER": loc.max_user}


def beliefs(name, kind):
    """What the attacker believes with the prior alone, the counts alone, and both."""
    known = priors[name, kind]
    alone = {"PRIOR": known, "AGGREGATE": loc.aggregate_profile(counts[name], known)}
    return alone | {key: f(known, counts[name]) for key, f in STRATEGIES.items()}


profiling = {
    (name, kind, strategy): loc.profiling_error(belief, truths[name])
    for name, kind in priors
    for strategy, belief in beliefs(name, kind).items()
}

# %% [markdown]
# A row of the tables below is a mean over users, with its 95% interval; `loss` is the mean privacy loss and `better`
# the share of users whose error the counts reduced.


# %%
def against(errors, key, base):
    """Mean, interval, mean loss and share of users for whom it beats the base."""
    own, alone = errors[key], errors[base]
    loss = loc.privacy_loss(alone, own)
    low, high = metrics.mean_interval(own)
    return [own.mean(), low, high, loss.mean(), (own < alone - 1e-12).mean()]


COLUMNS = ["error", "95% low", "95% high", "loss", "better"]


def summary(errors, kind, base="PRIOR"):
    """One prior: a row for each dataset and strategy."""
    keys = [key for key in errors if key[1] == kind]
    rows = {key[::2]: against(errors, key, (key[0], kind, base)) for key in keys}
    table = pd.DataFrame.from_dict(rows, orient="index", columns=COLUMNS)
    table.index = pd.MultiIndex.from_tuples(table.index, names=["data", "strategy"])
    return table


# %%
import matplotlib.pyplot as plt


def show_cdfs(errors, kinds, limit, xlabel):
    """The share of users with at most some error: a panel for each prior and dataset."""
    panels = [(kind, name) for kind in kinds for name in datasets]
    rows = (len(panels) + 1) // 2
    height, dots = (1.9, 110) if len(kinds) == 1 else (1.75, 80)
    figure, axes = plt.subplots(
        rows, 2, figsize=(6, 1.1 + height * rows), sharey=True, squeeze=False, dpi=dots
    )
    for ax, (kind, name) in zip(axes.flat, panels, strict=False):
        for (data, prior, strategy), error in errors.items():
            if (data, prior) == (name, kind):
                share = np.arange(1, len(error) + 1) / len(error)
                ax.plot(np.sort(error), share, label=strategy, marker="")
        ax.set_title(name if len(kinds) == 1 else f"{kind},\n{name}", fontsize=11)
        ax.set(xlim=(0, limit), xticks=[0, 0.25, 0.5, 0.75], ylim=(0, 1.02))
    for ax in axes[-1]:
        ax.set_xlabel(xlabel)
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, fontsize=10)
    plt.show()


# %% [markdown]
# ### Frequent ROIs (Fig. 1)

# %% mystnb={"image": {"alt": "Panels, one for each dataset: share of users against profiling error with the FREQ_ROI prior. BAYES lies left of the prior in each; MAX_ROI crosses it on the cabs."}} tags=["hide-input"]
show_cdfs(profiling, ["FREQ_ROI"], 0.84, "profiling error")

# %%
plots.show_table(summary(profiling, "FREQ_ROI"), "profiling-FREQ_ROI")

# %% [markdown]
# Knowing only how often somebody is where, the attacker gains much from the counts: mostly *when* people move at all.
# The cabs, stand-ins here, lose least: they are on the road most of the time, and everywhere. For them MAX_ROI does
# worse than no counts at all: it hands the counts to those with few ROIs and hence high probabilities.
#
# ### Hours of the week (Fig. 2)

# %% mystnb={"image": {"alt": "The same panels with the ROI_DAY_WEEK prior: errors are smaller than with FREQ_ROI for the regular datasets, and the strategies lie close to the prior for the cabs."}} tags=["hide-input"]
show_cdfs(profiling, ["ROI_DAY_WEEK"], 0.84, "profiling error")

# %%
plots.show_table(summary(profiling, "ROI_DAY_WEEK"), "profiling-ROI_DAY_WEEK")

# %% [markdown]
# For regular users this prior is nearly the answer. BAYES can even make it worse: for flights by number it multiplies a
# belief that was right by the popularity of places. MAX_ROI does not, since it only asks who comes first.
#
# ### Hours of the day (Fig. 10)

# %% mystnb={"image": {"alt": "The same panels with the ROI_DAY prior; errors lie between those of FREQ_ROI and ROI_DAY_WEEK."}} tags=["hide-input"]
show_cdfs(profiling, ["ROI_DAY"], 0.84, "profiling error")

# %%
plots.show_table(summary(profiling, "ROI_DAY"), "profiling-ROI_DAY")

# %% [markdown]
# ### Only when, not where (Fig. 3, 11)
#
# TIME priors say in which hours a user was seen, and are uniform over ROIs in these. Both greedy strategies then see
# nothing but ties, and their results differ only where users of probability 0 are needed to make up a count.

# %% mystnb={"image": {"alt": "The same panels with the TIME_DAY_WEEK prior; MAX_ROI and MAX_USER nearly coincide."}} tags=["hide-input"]
show_cdfs(profiling, ["TIME_DAY_WEEK"], 0.84, "profiling error")

# %%
plots.show_table(summary(profiling, "TIME_DAY_WEEK"), "profiling-TIME_DAY_WEEK")

# %% mystnb={"image": {"alt": "The same panels with the TIME_DAY prior: its error is larger than with hours of the week, and both greedy strategies leave far less."}} tags=["hide-input"]
show_cdfs(profiling, ["TIME_DAY"], 0.84, "profiling error")

# %%
plots.show_table(summary(profiling, "TIME_DAY"), "profiling-TIME_DAY")

# %% [markdown]
# ### Last week, last day, last hour (Fig. 12, 13)

# %% mystnb={"image": {"alt": "Panels for the three assignment priors and each dataset: the strategies lie close to the prior for flights and cabs, less so for commuters."}} tags=["hide-input"]
show_cdfs(profiling, loc.LAST, 0.84, "profiling error")

# %%
last = pd.concat({kind: summary(profiling, kind) for kind in loc.LAST}, names=["prior"])
plots.keep_table(last, "profiling-LAST")
plots.show_table(
    last[["error", "loss"]].unstack("strategy", sort=False), "profiling-LAST-wide"
)

# %% [markdown]
# ## Localization
#
# Now the attacker must say *where*, yes or no. From a probabilistic prior or posterior she predicts the popular ROIs
# (POP, $\delta = 0.5$) or all of them (ALL). Loss is measured against ALL.

# %% [markdown]
# (crowd-localization)=
# ### Who predicts what


# %%
def predictions(name, kind):
    """The cells that each strategy predicts."""
    known = priors[name, kind]
    greedy = {
        key: STRATEGIES[key](known, counts[name]) for key in ("MAX_ROI", "MAX_USER")
    }
    if kind in loc.LAST:
        return {"PRIOR": known} | greedy
    posterior = loc.bayes(known, counts[name])
    rules = {
        "ALL": loc.all_rois(known),
        "BAYES+ALL": loc.all_rois(posterior),
        "POP": loc.popular(known, delta),
        "BAYES+POP": loc.popular(posterior, delta),
    }
    return rules | greedy


localization = {
    (name, kind, strategy): loc.localization_error(predicted, truths[name])
    for name, kind in priors
    for strategy, predicted in predictions(name, kind).items()
}

# %% [markdown]
# ### Frequent ROIs (Fig. 4)

# %% mystnb={"image": {"alt": "Panels, one for each dataset: share of users against localization error with the FREQ_ROI prior. ALL is worst for sparse datasets, POP is worst for cabs."}} tags=["hide-input"]
show_cdfs(localization, ["FREQ_ROI"], 1.01, "localization error")

# %%
plots.show_table(summary(localization, "FREQ_ROI", "ALL"), "localization-FREQ_ROI")

# %% [markdown]
# POP looks clever for the sparse datasets. It predicts null, always, for nearly everybody, and is right most of the time.
# An error that a constant answer makes small says more about the data than about the attack.
#
# ### Hours of the week (Fig. 5), and only when (Fig. 16)

# %% mystnb={"image": {"alt": "The same panels with the ROI_DAY_WEEK prior: errors are much smaller for regular datasets; ALL is the best choice for the cabs."}} tags=["hide-input"]
show_cdfs(localization, ["ROI_DAY_WEEK"], 1.01, "localization error")

# %%
plots.show_table(
    summary(localization, "ROI_DAY_WEEK", "ALL"), "localization-ROI_DAY_WEEK"
)

# %% mystnb={"image": {"alt": "The same panels with the TIME_DAY_WEEK prior: ALL predicts every ROI in active hours and is nearly always wrong."}} tags=["hide-input"]
show_cdfs(localization, ["TIME_DAY_WEEK"], 1.01, "localization error")

# %%
plots.show_table(
    summary(localization, "TIME_DAY_WEEK", "ALL"), "localization-TIME_DAY_WEEK"
)

# %% [markdown]
# ### Last week, last day, last hour (Fig. 14, 15)

# %% mystnb={"image": {"alt": "Panels for the three assignment priors and each dataset: MAX_ROI and MAX_USER lie close to the prior, farthest from it for the commuters."}} tags=["hide-input"]
show_cdfs(localization, loc.LAST, 1.01, "localization error")

# %%
last = pd.concat(
    {kind: summary(localization, kind) for kind in loc.LAST}, names=["prior"]
)
plots.keep_table(last, "localization-LAST")
plots.show_table(
    last[["error", "loss"]].unstack("strategy", sort=False), "localization-LAST-wide"
)

# %% [markdown]
# ## When, and who
#
# (crowd-hours)=
# ### Hours of the week (Fig. 6)
#
# The error of the ROI_DAY prior, hour by hour, and what the counts leave of it. Hours are local (the traces' own,
# for the synthetic commuters). The table has 95% intervals over users for parts of the week.

# %%
UTC_OFFSET = {
    "flights-by-number": -4,
    "flights-by-tail": -4,
    "cabs": -7,
    "cabspotting": -7,
}


def by_hour(name):
    """(strategy) -> errors (n_users, n_epochs) with the ROI_DAY prior."""
    chosen = beliefs(name, "ROI_DAY")
    chosen.pop("AGGREGATE")
    return {k: loc.profiling_error_by_epoch(b, truths[name]) for k, b in chosen.items()}


def local_hours(name):
    """Local time of each inferred epoch."""
    return truths[name].epochs + pd.Timedelta(hours=UTC_OFFSET.get(name, 0))


hourly = {name: by_hour(name) for name in datasets}

# %% mystnb={"image": {"alt": "A panel for each dataset: mean profiling error over the 168 hours of the week for the prior and BAYES. It is near 0 at night for all but the cabs, and for commuters BAYES exceeds the prior at weekday peaks."}} tags=["hide-input"]
rows = len(datasets)
figure, axes = plt.subplots(rows, 1, figsize=(6, 1 + 1.8 * rows), sharex=True, dpi=75)
for ax, name in zip(np.atleast_1d(axes), datasets, strict=True):
    clock = local_hours(name)
    at = clock.day_of_week * 24 + clock.hour
    order = np.argsort(at)
    for strategy in ("PRIOR", "BAYES"):
        mean = hourly[name][strategy].mean(axis=0)[order]
        ax.plot(at[order], mean, marker="", linewidth=1.2, label=strategy)
    ax.set(title=name, ylabel="error")
axes[-1].set_xticks(range(12, 168, 24), ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"])
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
plt.show()

# %%
PARTS = {
    "weekday 7-10h": (range(5), range(7, 10)),
    "weekday 12-16h": (range(5), range(12, 16)),
    "weekday 17-20h": (range(5), range(17, 20)),
    "weekend 7-20h": (range(5, 7), range(7, 20)),
    "all nights 0-5h": (range(7), range(5)),
}


def part_of_week(name, part):
    """Mask of epochs."""
    days, of_day = PARTS[part]
    clock = local_hours(name)
    return np.isin(clock.day_of_week, days) & np.isin(clock.hour, of_day)


def taken_off(name, part, strategy):
    """How much the counts take off the prior's error, each user's mean over these hours."""
    chosen = part_of_week(name, part)
    difference = hourly[name]["PRIOR"] - hourly[name][strategy]
    return difference[:, chosen].mean(axis=1)


# %%
rows = {}
for name in datasets:
    for part in PARTS:
        before = hourly[name]["PRIOR"][:, part_of_week(name, part)].mean(axis=1)
        gain = taken_off(name, part, "BAYES")
        by_user = taken_off(name, part, "MAX_USER")
        gains = [gain.mean(), *metrics.mean_interval(gain), by_user.mean()]
        rows[name, part] = [before.mean(), *gains]
hours_table = pd.DataFrame.from_dict(rows, orient="index")
hours_table.columns = [
    "prior's error",
    "BAYES takes off",
    "95% low",
    "95% high",
    "MAX_USER",
]
hours_table.index = pd.MultiIndex.from_tuples(hours_table.index, names=["data", "part"])
plots.show_table(hours_table, "hours")

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
def thirds(values):
    """0, 1, 2 for the lowest, middle and highest third; -1 where there is no value."""
    rank = pd.Series(values).rank(method="first")
    return np.where(rank.isna(), -1, np.floor((rank - 1) / rank.count() * 3)).astype(
        int
    )


def losses_by_third(name):
    own, alone = (profiling[name, "FREQ_ROI", s] for s in ("BAYES", "PRIOR"))
    loss, seen = loc.privacy_loss(alone, own), real(populations[name])
    keys = {
        "recurrence": seen.recurrence("7D").to_numpy(),
        "visits": seen.visits().to_numpy(),
    }
    return {
        (name, key, label): loss[thirds(values) == i]
        for key, values in keys.items()
        for i, label in enumerate(("low", "middle", "high"))
    }


# %%
samples = {k: v for name in datasets for k, v in losses_by_third(name).items()}
plots.show_table(
    metrics.mean_table(samples, ["data", "third by", "third"]), "regularity"
)

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
from lib.mechanisms import (
    FourierPerturbation,
    Laplace,
    PostProcess,
    RandomizedResponse,
    release,
)

noisy_of = {
    name: populations[name]
    if noise_users_of.get(name) == users_of.get(name)
    else population(name, noise_users_of)
    for name in datasets
}
noisy_truth = {name: loc.inferred(t, inference) for name, t in noisy_of.items()}
noisy_raw = {name: counted(truth) for name, truth in noisy_truth.items()}
most = {name: float(real(t).visits().max()) for name, t in noisy_truth.items()}


def output_mechanisms(name, epsilon):
    """The paper's five, for one dataset."""
    n_rois, n_epochs = noisy_raw[name].shape
    kept = kappas.get(name, kappa)
    scm = {"|S||T|": n_rois * n_epochs, "Δ": most[name], "|T|": n_epochs, "1": 1}
    return {
        **{f"SCM Lap({k}/ε)": Laplace(epsilon, float(v)) for k, v in scm.items()},
        "FPA": FourierPerturbation(epsilon, kept, n_epochs**0.5),
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

# %%
STRATEGY = {"commuters": "MAX_ROI", "flights-by-number": "MAX_ROI"}  # others: MAX_USER


def error_with(name, released):
    """Each user's profiling error, in the paper's case study."""
    strategy = STRATEGIES[STRATEGY.get(name, "MAX_USER")]
    belief = strategy(noise_priors[name], released)
    return loc.profiling_error(belief, noisy_truth[name])


noise_priors = {n: loc.prior(t, "FREQ_ROI", inference) for n, t in noisy_of.items()}
raw_errors = {name: error_with(name, noisy_raw[name]) for name in datasets}


def costs_and_gains(name, noisy):
    """MRE of some releases, and each user's mean privacy gain over them."""
    gains = [loc.privacy_gain(raw_errors[name], error_with(name, a)) for a in noisy]
    errors = [
        metrics.mean_relative_error(noisy_raw[name], a, sanity_bound=sanity_bound)
        for a in noisy
    ]
    return np.array(errors), np.mean(gains, axis=0)


# %% [markdown]
# (crowd-noise)=
# ### Output perturbation (Tables 3, 4; Fig. 7, 8)

# %%
from lib.membership.trials import trial_rng


def noisy_releases(name, mechanism, *key):
    """A few independent releases, rounded and clipped."""
    chain, size = [mechanism, PostProcess()], noisy_of[name].n_users
    for i in range(n_releases):
        stream = trial_rng(seed, datasets.index(name), *key, i)
        yield release(noisy_raw[name], chain, stream, size)


outputs = {}
for name in datasets:
    for e, epsilon in enumerate(epsilons):
        for m, (label, mechanism) in enumerate(
            output_mechanisms(name, epsilon).items()
        ):
            released = noisy_releases(name, mechanism, 0, e, m)
            outputs[name, label, epsilon] = costs_and_gains(name, list(released))

# %%
mre = pd.Series({key: errors.mean() for key, (errors, _) in outputs.items()})
mre.index.names = ["data", "mechanism", "ε"]
plots.show_table(mre.unstack("ε", sort=False), "mre-output")

# %% mystnb={"image": {"alt": "A panel for each dataset: box plots of users' privacy gain for four mechanisms at each epsilon. Large scales give gain at every epsilon; Lap(1/ε) and FPA lose it as epsilon grows."}} tags=["hide-input"]
figure, axes = plt.subplots(
    len(datasets), 1, figsize=(6, 1 + 2 * len(datasets)), sharex=True
)
shown = [label for label in output_mechanisms(datasets[0], 1.0) if "|S|" not in label]
for ax, name in zip(np.atleast_1d(axes), datasets, strict=True):
    for m, label in enumerate(shown):
        gains = [outputs[name, label, epsilon][1] for epsilon in epsilons]
        boxes = ax.boxplot(
            gains,
            positions=np.arange(len(epsilons)) + 0.2 * (m - 1.5),
            widths=0.16,
            showfliers=False,
            patch_artist=True,
            medianprops={"color": "black"},
        )
        for box in boxes["boxes"]:
            box.set_facecolor(plots.COLORS[m])
    ax.set(title=name, ylabel="privacy gain")
axes[-1].set_xticks(range(len(epsilons)), [f"{epsilon:g}" for epsilon in epsilons])
axes[-1].set_xlabel("ε")
swatches = [
    plt.Rectangle((0, 0), 1, 1, facecolor=plots.COLORS[m]) for m in range(len(shown))
]
figure.legend(swatches, shown, loc="outside upper center", ncols=2)
plt.show()

# %%
gain = pd.Series({key: gains.mean() for key, (_, gains) in outputs.items()})
gain.index.names = ["data", "mechanism", "ε"]
half = {k: metrics.mean_interval(g)[1] - g.mean() for k, (_, g) in outputs.items()}
plots.keep_table(
    pd.DataFrame({"gain": gain, "half": pd.Series(half)}), "gain-output-long"
)
plots.show_table(gain.unstack("ε", sort=False), "gain-output")
print(f"widest 95% interval over users: plus or minus {max(half.values()):.3f}")

# %% [markdown]
# A gain under $\mathrm{Lap}(1/\varepsilon)$ that fades as $\varepsilon$ grows is what its label promises: it hides visits, not users.
# FPA has the label of $\mathrm{Lap}(\lvert T' \rvert/\varepsilon)$, one user at one ROI, and on the flights at $\varepsilon = 1$ less of its gain. Both keep
# their promise. A gain measures what *this* attacker loses, and she never needed the fine grain of the series that FPA throws away.
#
# Which FPA? The paper does not say what happens to the mirrored half of the coefficients, nor which Fourier transform it is. The
# proof needs the orthonormal one. The default of numerical libraries is another: its coefficients are $\sqrt{\lvert T' \rvert}$ times
# larger, so that noise of the same scale hides $\sqrt{168} \approx 13$ times less. The error of each reading:


# %%
def unmirrored(raw, epsilon, kept, norm, rng):
    """Noise on the first coefficients of the full transform, zeros after them, real part kept."""
    n = raw.shape[-1]
    noise = rng.laplace(
        scale=(kept * n) ** 0.5 / epsilon, size=(*raw.shape[:-1], kept, 2)
    )
    coefficients = np.zeros(raw.shape, complex)
    coefficients[..., :kept] = np.fft.fft(raw, norm=norm)[..., :kept]
    coefficients[..., :kept] += noise.view(complex)[..., 0]
    return np.fft.ifft(coefficients, norm=norm).real


def mirrored_plain(raw, epsilon, kept, rng):
    """The library's mechanism with noise that is smaller by the root of the number of epochs."""
    return FourierPerturbation(epsilon, kept, 1.0).apply(raw, rng, np.asarray(0))


def mre_of(name, noisy):
    """After rounding and clipping."""
    released = PostProcess().apply(
        noisy, trial_rng(seed), np.asarray(noisy_of[name].n_users)
    )
    return metrics.mean_relative_error(
        noisy_raw[name], released, sanity_bound=sanity_bound
    )


# %%
rows = {}
for name in datasets:
    for e, epsilon in enumerate(epsilons):
        raw, kept = noisy_raw[name], kappas.get(name, kappa)
        stream = trial_rng(seed, datasets.index(name), 1, e)
        rows[name, epsilon] = [
            mre[name, "FPA", epsilon],
            mre_of(name, unmirrored(raw, epsilon, kept, "ortho", stream)),
            mre_of(name, mirrored_plain(raw, epsilon, kept, stream)),
            mre_of(name, unmirrored(raw, epsilon, kept, "backward", stream)),
        ]
variants = pd.DataFrame.from_dict(rows, orient="index")
variants.columns = [
    "orthonormal",
    "orthonormal, not mirrored",
    "plain",
    "plain, not mirrored",
]
variants.index = pd.MultiIndex.from_tuples(variants.index, names=["data", "ε"])
plots.show_table(variants, "mre-fpa")

# %% [markdown]
# For the cabs the paper prints 24.1, 8.8, 1.1 and 0.3. Of the four readings only the last comes within about a tenth of these on the
# real cabs (see the kept table below): *plain, not mirrored*. If that is what was run, its $\varepsilon$ is 13 times larger than its
# label, and the paper's surprise, that FPA protects so much less than SCM with the same label, has a simple cause.

# %% [markdown]
# (crowd-spotme)=
# ### Input perturbation: SpotMe (Table 5, Fig. 9)
#
# ````{prf:algorithm} SpotMe
# :label: alg-crowd-spotme
# For each ROI and epoch, each user says "yes" with probability $p$, and else tells the truth. From the share $y$ of yes
# among $n$ answers, the count is estimated as $n (y - p) / (1 - p)$.
# ````

# %%
spotme = {}
for name in datasets:
    size = noisy_of[name].n_users
    for i, forced in enumerate(ps):
        mechanism, tidy = RandomizedResponse(forced), PostProcess()
        noisy = []
        for j in range(n_releases):
            stream = trial_rng(seed, datasets.index(name), 2, i, j)
            estimate = mechanism.simulate(noisy_raw[name], stream, size)
            noisy.append(tidy.apply(estimate, stream, np.asarray(size)))
        spotme[name, forced] = costs_and_gains(name, noisy)

# %%
rows = {
    key: [errors.mean(), gains.mean(), *metrics.mean_interval(gains)]
    for key, (errors, gains) in spotme.items()
}
spotme_table = pd.DataFrame.from_dict(rows, orient="index")
spotme_table.columns = ["MRE", "privacy gain", "95% low", "95% high"]
spotme_table.index = pd.MultiIndex.from_tuples(spotme_table.index, names=["data", "p"])
plots.show_table(spotme_table, "spotme")

# %% mystnb={"image": {"alt": "A line for each dataset: mean privacy gain of SpotMe against p, with intervals over users. It rises with p."}} tags=["hide-input"]
figure, ax = plt.subplots()
for name in datasets:
    rows = spotme_table.loc[name]
    spread = (
        rows["privacy gain"] - rows["95% low"],
        rows["95% high"] - rows["privacy gain"],
    )
    ax.errorbar(rows.index, rows["privacy gain"], yerr=spread, capsize=4, label=name)
ax.set(xlabel="p, the probability of a forced yes", ylabel="mean privacy gain")
figure.legend(loc="outside upper center", ncols=2)
plt.show()

# %% [markdown]
# ### What half of it costs
#
# For each dataset, the smallest error at which a mechanism, at any of its settings, takes at least half of the largest gain seen there.
# An error of 1 is a count off by its own size, or by five users where the count is smaller.

# %%
everything = {(n, f"{k}, ε = {e:g}"): v for (n, k, e), v in outputs.items()}
everything |= {(n, f"SpotMe, p = {forced:g}"): v for (n, forced), v in spotme.items()}
prices = {}
for name in datasets:
    mine = {
        k: (e.mean(), g.mean()) for (n, k), (e, g) in everything.items() if n == name
    }
    largest = max(g for _, g in mine.values())
    enough = {k: (cost, g) for k, (cost, g) in mine.items() if g >= largest / 2}
    cheapest = min(enough, key=lambda k: enough[k][0])
    prices[name] = [largest, cheapest, *enough[cheapest]]
price = pd.DataFrame.from_dict(prices, orient="index").rename_axis("data")
price.columns = ["largest gain", "cheapest half of it", "MRE", "gain"]
plots.show_table(price, "price")

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
def typical_week(name):
    """The real visits of the user with the median number of them."""
    week = real(noisy_truth[name])
    visits = week.visits()
    return week.trace(visits.sort_values(kind="stable").index[len(visits) // 2])


rows = {}
for forced in ps:
    mechanism = RandomizedResponse(forced)
    n_rois = noisy_raw[datasets[0]].shape[0]
    printed = np.log((n_rois - (n_rois - 1) * forced) / forced)
    one_visit = float(mechanism.delta_of(np.array([[1]]), printed))
    weeks = [float(mechanism.delta_of(typical_week(name), 1.0)) for name in datasets]
    rows[forced] = [printed, one_visit, *weeks]
guarantee = pd.DataFrame.from_dict(rows, orient="index")
guarantee.columns = [
    f"printed ε, {n_rois} ROIs",
    "δ of a visit at that ε",
    *(f"δ of a week at ε = 1, {name}" for name in datasets),
]
plots.show_table(guarantee.T.rename_axis("p"), "spotme-guarantee")

# %% [markdown]
# A $\delta$ of 1 is no promise. Simulated: how often does a single "no" give away the user's absence from a cell?

# %%
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
stream, draws = trial_rng(seed, 3), 2000
estimates = [
    RandomizedResponse(forced).simulate(six_counts, stream, 6) for _ in range(draws)
]
spread = np.sqrt((6 - six_counts) * forced / (1 - forced) / draws)
bias = (np.mean(estimates, axis=0) - six_counts) / np.where(spread > 0, spread, 1)
print(f"largest bias of {bias.size} cells: {np.abs(bias).max():.2f} standard errors")

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
def joint(name, kind):
    """Prior, strategies and joint answers in a few epochs."""
    few = np.arange(5, inference, joint_every)
    known, seen = priors[name, kind].select(few), counts[name][:, few]
    answers = {"PRIOR": known, "BAYES": loc.bayes(known, seen)}
    answers["max entropy (approximate)"] = loc.max_entropy(known, seen, mix)
    answers |= {key: STRATEGIES[key](known, seen) for key in ("MAX_ROI", "MAX_USER")}
    answers["transport (exact)"] = loc.most_likely(known, seen, mix)
    return answers, truths[name].select(epochs=few)


def scores(belief, truth):
    """For each user: Brier score, JS distance; for assignments, real visits found and made."""
    null, visits = belief.null, truth.matrix.toarray().reshape(belief.toarray().shape)
    weights = belief.toarray()
    total = weights.sum(axis=1, keepdims=True)
    weights[:, null] += total[:, 0] == 0
    spread, true = (
        weights / np.maximum(total, 1),
        visits / visits.sum(axis=1, keepdims=True),
    )
    brier = ((spread - true) ** 2).sum(axis=1).mean(axis=1)
    found = (weights * visits)[:, :null].sum(axis=(1, 2))
    clash = (weights[:, null] == 1) & (weights[:, :null].sum(axis=1) > 0) | (
        total[:, 0] == 0
    )
    return (
        brier,
        loc.profiling_error(belief, truth),
        found,
        visits[:, :null].sum((1, 2)),
        clash,
    )


# %%
rows = {}
for name in datasets:
    if populations[name].n_users > 2000:
        continue  # minutes, for a stand-in
    for kind in ("FREQ_ROI", "ROI_DAY"):
        answers, truth = joint(name, kind)
        for label, belief in answers.items():
            brier, distance, found, made, clash = scores(belief, truth)
            low, high = metrics.mean_interval(brier)
            assigns = label.startswith(("MAX", "transport"))
            share = (
                [found.sum() / made.sum(), clash.mean()]
                if assigns
                else [np.nan, np.nan]
            )
            rows[name, kind, label] = [brier.mean(), low, high, distance.mean(), *share]

# %%
joint_table = pd.DataFrame.from_dict(rows, orient="index")
joint_table.columns = [
    "Brier",
    "95% low",
    "95% high",
    "JS distance",
    "visits found",
    "no or two answers",
]
joint_table.index = pd.MultiIndex.from_tuples(
    joint_table.index, names=["data", "prior", "answer"]
)
plots.keep_table(joint_table, "joint")
shown = joint_table.astype(object).where(joint_table.notna(), "")
plots.show_table(shown.xs("ROI_DAY", level="prior"), "joint-ROI_DAY")

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
plots.show_table(shown.xs("FREQ_ROI", level="prior"), "joint-FREQ_ROI")

# %% [markdown]
# ## At the paper's sizes
#
# (crowd-conventions)=
# ### Conventions that were tried
#
# Three things the paper leaves open change its numbers: who is first among equals in MAX_ROI, whether null is a row
# that users are assigned to, and the logarithm's base. On the cabs, where they occur, else on the first dataset:


# %%
from dataclasses import replace

subject = "cabspotting" if "cabspotting" in datasets else datasets[-1]
without_null = counts[subject].copy()
without_null[-1] = 0
conventions = {
    "as printed": (True, counts[subject]),
    "null row left out": (True, without_null),
    "ties by position": (False, counts[subject]),
    "both": (False, without_null),
}
rows = {}
for kind in ("FREQ_ROI", "ROI_DAY_WEEK", "TIME_DAY", "TIME_DAY_WEEK"):
    known, alone = priors[subject, kind], profiling[subject, kind, "PRIOR"]
    everywhere = localization[subject, kind, "ALL"]
    for label, (by_reports, seen) in conventions.items():
        order = known if by_reports else replace(known, reports=0 * known.reports)
        belief = loc.max_roi(order, seen)
        error = loc.profiling_error(belief, truths[subject])
        placed = loc.localization_error(belief, truths[subject])
        rows[kind, label] = [
            error.mean(),
            loc.privacy_loss(alone, error).mean(),
            loc.privacy_loss(everywhere, placed).mean(),
            (placed < everywhere - 1e-12).mean(),
        ]
tried = pd.DataFrame.from_dict(rows, orient="index")
tried.columns = [
    "profiling error",
    "profiling loss",
    "localization loss",
    "better than ALL",
]
tried.index = pd.MultiIndex.from_tuples(
    tried.index, names=["prior", f"MAX_ROI, {subject}"]
)
plots.show_table(tried, "conventions")

# %% [markdown]
# The fourth is the clock. What the paper calls morning peak and mid-day of the cabs depends on the time zone of its hours, which it does not print.
# The mean error of the ROI_DAY prior, and how much MAX_USER takes off it:

# %%
clocks = {"San Francisco": -7, "UTC": 0, "London": 1}
rows = {}
for place, offset in clocks.items():
    hour = (truths[subject].epochs + pd.Timedelta(hours=offset)).hour
    for label, span in {"7-10h": range(7, 10), "12-16h": range(12, 16)}.items():
        chosen = np.isin(hour, span)
        before = hourly[subject]["PRIOR"][:, chosen].mean(axis=1)
        after = hourly[subject]["MAX_USER"][:, chosen].mean(axis=1)
        rows[place, label] = [
            before.mean(),
            *metrics.mean_interval(before),
            (before - after).mean(),
        ]
by_clock = pd.DataFrame.from_dict(rows, orient="index")
by_clock.columns = ["prior's error", "95% low", "95% high", "MAX_USER takes off"]
by_clock.index = pd.MultiIndex.from_tuples(by_clock.index, names=["clock", "hours"])
plots.show_table(by_clock, "clocks")

# %% [markdown]
# ### Beside the published numbers
#
# These tables were kept from a run on the cabs themselves (`cabspotting`), on ten thousand synthetic commuters and on
# the flights. What the paper prints for the cabs stands beside.

# %% tags=["hide-input"]
from pathlib import Path

from lib import claims

tables_kept = Path("paper/crowd/tables")
if tables_kept.exists():
    plots.display_table(pd.read_csv(tables_kept / "data.csv", index_col=0).fillna(""))
    plots.display_table(pd.read_csv(tables_kept / "conventions.csv", index_col=[0, 1]))
    plots.display_table(pd.read_csv(tables_kept / "mre-fpa.csv", index_col=[0, 1]))
    plots.display_table(pd.read_csv(tables_kept / "clocks.csv", index_col=[0, 1]))


# %%
def published_for_cabs(errors_kept, goal):
    """Published means of this goal beside those of the kept run."""
    rows = {}
    for _, claim in claims.published("crowd").iterrows():
        where, value = claim["setting"], claim["value"]
        wanted = claim["dataset"] == "sfc" and where.get("goal") == goal and len(value)
        key = where.get("prior"), where.get("strategy")
        measure = {"mean PL": "loss"}.get(claim["quantity"], "error")
        if wanted and claim["quantity"].startswith("mean") and key in errors_kept.index:
            if measure == "loss" and where.get("baseline") == "POP":
                continue
            row = errors_kept.loc[key]
            rows[*key, measure] = [
                value[0],
                row[measure],
                row["95% high"] - row["error"],
            ]
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.columns = ["published", "here", "half interval of the error"]
    frame.index = pd.MultiIndex.from_tuples(
        frame.index, names=["prior", "strategy", ""]
    )
    return frame


def kept_errors(goal):
    """The cabs' rows of the kept tables, by prior and strategy."""
    parts = []
    for file in sorted(tables_kept.glob(f"{goal}-*.csv")):
        if "wide" not in file.stem:
            frame = pd.read_csv(file)
            kind = file.stem.partition("-")[2]
            frame = frame if "prior" in frame else frame.assign(prior=kind)
            parts.append(frame[frame["data"] == "cabspotting"])
    return pd.concat(parts).set_index(["prior", "strategy"])


# %% tags=["hide-input"]
if tables_kept.exists():
    for goal in ("profiling", "localization"):
        beside = published_for_cabs(kept_errors(goal), goal)
        print(
            f"{goal}: median distance {(beside['here'] - beside['published']).abs().median():.3f}"
        )
        plots.display_table(beside)

# %% [markdown]
# Most of them are met, with natural logarithms and null counted. What the paper prints for MAX_ROI fits *ties by position and null left out*, see the
# table of conventions, and not ties by reports, as it says. Its mid-day of the cabs fits London's clock better than San Francisco's. And LAST_WEEK and
# LAST_DAY come out lower here: 0.60 each where 0.67 and 0.63 are printed, although their *localization* errors agree. Other lags (24 to
# 336 hours), base 2, the divergence without its root, a fixed last day and leaving out null hours were tried; none meets all three LAST priors.
#
# ### The claims
#
# All claims of the paper with a verdict are in an appendix. Ten of them:

# %% tags=["hide-input"]
TOP = [
    "crowd-fig1-sfc-prof-prior-freq-roi-err", "crowd-fig1-sfc-prof-bayes-freq-roi-err",
    "crowd-fig1-sfc-prof-max-user-freq-roi-err", "crowd-fig1-maxroi-hurts-sfc",
    "crowd-fig13-sfc-prof-prior-last-week-err", "crowd-fig4-sfc-loc-all-freq-roi-err",
    "crowd-fig5-sfc-all-best", "crowd-tab4-scm-t-eps1", "crowd-fig9-sfc-pg-p0.9",
    "crowd-takeaway-dp",
]  # fmt: skip
if (tables_kept / "claims.csv").exists():
    plots.display_table(claims.top(claims.read(tables_kept / "claims.csv"), TOP))

# %% tags=["remove-cell"]
DATA = {"sfc": "cabspotting", "tfl": "commuters"}
complete = {"cabspotting", "commuters"} <= set(datasets) and n_releases > 1
complete &= {0.001, 0.01, 0.1, 1.0} <= set(epsilons) and {0.1, 0.5, 0.9} <= set(ps)
findings = []


def mean_and_error(values):
    values = np.asarray(values, float)
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


def pick(errors, data, where):
    """Errors of the claim's strategy and of what it is measured against."""
    base = "PRIOR" if errors is profiling or where["prior"] in loc.LAST else "ALL"
    base = where.get("baseline", base)
    own = errors.get((data, where["prior"], where.get("strategy")))
    return own, errors.get((data, where["prior"], base))


def number_of_errors(claim, data):
    where, what = claim["setting"], claim["quantity"]
    errors = profiling if where["goal"] == "profiling" else localization
    if where.get("hours"):
        chosen = np.isin(local_hours(data).hour, range(12, 16))
        return mean_and_error(hourly[data]["PRIOR"][:, chosen].mean(axis=1))
    own, base = pick(errors, data, where)
    if "better predicted" in what:
        first, second = (
            errors[data, where["prior"], s] for s in ("MAX_ROI", "MAX_USER")
        )
        return mean_and_error(first < second)
    if own is None:
        return None
    measures = {
        "mean profiling error (JS)": lambda: own,
        "mean localization error (1 - F1)": lambda: own,
        "mean PL": lambda: loc.privacy_loss(base, own),
        "fraction of users with reduced error": lambda: own < base - 1e-12,
        "fraction of users with increased error": lambda: own > base + 1e-12,
        "fraction of users with error <= 0.5": lambda: own <= 0.5,
        "fraction of users with error > 0.25": lambda: own > 0.25,
    }
    return mean_and_error(measures[what]()) if what in measures else None


# %% tags=["remove-cell"]
LABELS = {"Lap(Delta/eps)": "SCM Lap(Δ/ε)", "Lap(|T|/eps)": "SCM Lap(|T|/ε)"}
LABELS |= {"Lap(1/eps)": "SCM Lap(1/ε)", "Lap(|S||T|/eps)": "SCM Lap(|S||T|/ε)"}


def number_of_noise(claim, data):
    """MRE with its error over releases, privacy gain with that over users."""
    where, which = claim["setting"], int(claim["quantity"] == "mean PG")
    if "p" in where:
        return mean_and_error(spotme[data, where["p"]][which])
    if isinstance(where.get("scale"), list):
        return min(
            outputs[data, LABELS[s], e][0].mean()
            for s in where["scale"]
            for e in epsilons
        ), 0
    label = "FPA" if where["mechanism"] == "FPA" else LABELS[where["scale"]]
    bound = str(where["epsilon"])
    limit = np.inf if bound == "all" else float(bound.removeprefix("<="))
    chosen = [
        e for e in epsilons if (e == limit if bound[0] not in "<a" else e <= limit)
    ]
    return mean_and_error(
        np.mean([outputs[data, label, e][which] for e in chosen], axis=0)
    )


def number_of_data(claim, data):
    where, name = claim["setting"], claim.name
    of = facts[data]
    more = {
        "observation_epochs": of["epochs"] - inference,
        "inference_epochs": inference,
    }
    more |= {"rois": of["rois"]}
    if "statistic" in where:
        return more.get(where["statistic"], of.get(where["statistic"])), 0
    special = {
        "crowd-data-sfc-reports-total": of["reports_mean"] * of["users"],
        "crowd-data-sfc-cells": of["rois"] - 1,
        "crowd-data-tfl-stations": of["rois"] - 1,
        f"crowd-data-{claim['dataset']}-sensitivity": of["sensitivity"],
    }
    if name == "crowd-data-sfc-gps":
        return populations[data].report.read, 0
    if name == "crowd-data-sfc-taxis-raw":
        return int(populations[data].report.notes[-1].split()[0]), 0
    return (special[name], 0) if name in special else None


# %% tags=["remove-cell"]
def reason_for(name, where):
    if name.startswith("crowd-data"):
        return "The papers do not print their grid; ours is the box that meets most of their statistics."
    if where.get("prior") in loc.LAST and where.get("goal") == "profiling":
        return (
            "Unexplained. Lags of 24 to 336 hours, base 2, the divergence, a fixed last day and "
            "scoring without null hours were tried; none meets all three."
        )
    if "hours" in where:
        return "In San Francisco's time. London's clock comes nearer; see the table of clocks."
    if where.get("mechanism") == "FPA":
        return (
            "With the orthonormal transform that the guarantee needs. A plain FFT without mirrored "
            "coefficients, whose noise is 13 times smaller, comes within about a tenth of the "
            "published errors; see the table of readings."
        )
    if where.get("strategy") == "MAX_ROI":
        return (
            "As printed: ties by reports, null a row to fill. Ties by position and null left out of "
            "the assignment come nearer; see the table of conventions."
        )
    if "tab" in name:
        return (
            f"With a sanity bound of {sanity_bound:g} users, chosen after seeing the published "
            "numbers, and counts clipped and rounded; three readings of FPA are in a table."
        )
    if "mechanism" in where:
        return "Noise clipped and rounded, which the paper does not say; otherwise as printed."
    return "As printed, null counted, natural logarithm; no convention that explains it was found."


def add_numbers():
    for name, claim in claims.published("crowd").iterrows():
        data = DATA.get(claim["dataset"])
        if claim["kind"] != "number" or data is None:
            continue
        where = claim["setting"]
        if "mechanism" in where:
            found, cell = number_of_noise(claim, data), "crowd-noise"
            cell = "crowd-spotme" if "SpotMe" in where["mechanism"] else cell
        elif "goal" in where:
            found, cell = number_of_errors(claim, data), f"crowd-{where['goal']}"
            cell = "crowd-hours" if "hours" in where else cell
        else:
            found, cell = number_of_data(claim, data), "crowd-data"
        if found is not None and found[0] is not None:
            here, error = (float(x) for x in found)
            why = reason_for(name, where)
            findings.append(claims.Finding(name, here, data, cell, error, why))
        elif "-data-tfl-" in name:
            why = "The stand-in is made of users' visits: it has neither the other cards nor their trips."
            findings.append(claims.Finding(name, None, data, cell, reason=why))


# %% tags=["remove-cell"]
from itertools import pairwise


def lower(errors, data, kind, a, b):
    """Whether strategy a has a lower error than b, paired over users; either may be (prior, strategy)."""
    first, second = (
        errors[data, *(s if isinstance(s, tuple) else (kind, s))] for s in (a, b)
    )
    return claims.greater(*mean_and_error(second - first), 0.0, 0.0)


def trend(name, found, cell, data="cabspotting", why=""):
    text = claims.claim(name).claim
    why = why or f"At 95% not as said: {text[:60]}"
    findings.append(claims.Finding(name, found, data, cell, reason=why))


def loss_of(errors, data, kind, strategy, base="PRIOR"):
    return mean_and_error(
        loc.privacy_loss(errors[data, kind, base], errors[data, kind, strategy])
    )


NEAR = 0.02  # what "slightly", "negligible" and "insignificant" allow, of an error or a loss


def small(errors, data, kind, strategy, base="PRIOR"):
    """Whether a mean loss is below NEAR."""
    return claims.close(*loss_of(errors, data, kind, strategy, base), 0.0, 0.0, NEAR)


def order_of(data, kinds):
    """Whether the prior's error grows in this order, step by step."""
    steps = [
        lower(profiling, data, None, (a, "PRIOR"), (b, "PRIOR"))
        for a, b in pairwise(kinds)
    ]
    return claims.every(*steps)


# %% tags=["remove-cell"]
def add_profiling_trends():
    cab, com, cell = "cabspotting", "commuters", "crowd-profiling"
    both = f"{cab}, {com}"
    prior = {d: mean_and_error(profiling[d, "FREQ_ROI", "PRIOR"]) for d in (cab, com)}
    loss = {d: loss_of(profiling, d, "FREQ_ROI", "BAYES") for d in (cab, com)}
    trend(
        "crowd-fig1-tfl-over-sfc",
        claims.every(
            claims.greater(*prior[cab], *prior[com]),
            claims.greater(*loss[com], *loss[cab]),
        ),
        cell,
        both,
    )
    hurts = {
        k: lower(profiling, cab, k, "PRIOR", "MAX_ROI")
        for k in ("FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK")
    }
    trend(
        "crowd-fig1-maxroi-hurts-sfc",
        claims.every(
            hurts["FREQ_ROI"],
            lower(profiling, cab, "FREQ_ROI", "BAYES", "PRIOR"),
            lower(profiling, cab, "FREQ_ROI", "MAX_USER", "BAYES"),
        ),
        cell,
    )
    trend("crowd-fig2-sfc-maxroi-worse", hurts["ROI_DAY_WEEK"], cell)
    trend("crowd-fig10-sfc-maxroi", hurts["ROI_DAY"], cell)
    trend(
        "crowd-fig2-vs-fig1",
        lower(profiling, cab, None, ("ROI_DAY_WEEK", "PRIOR"), ("FREQ_ROI", "PRIOR")),
        cell,
    )
    for name, kind in (
        ("crowd-fig3-tfl-bayes-small", "TIME_DAY_WEEK"),
        ("crowd-fig11-tfl-bayes", "TIME_DAY"),
    ):
        trend(
            name,
            small(profiling, com, kind, "BAYES"),
            cell,
            com,
            f"Small is a mean loss below {NEAR}; with null counted and popular, BAYES moves a uniform column to null.",
        )
    hour = ["LAST_HOUR", "LAST_DAY", "LAST_WEEK"]
    trend(
        "crowd-fig13-order",
        claims.every(
            order_of(cab, hour),
            order_of(cab, ["LAST_HOUR", "ROI_DAY_WEEK"]),
            order_of(cab, ["LAST_HOUR", "FREQ_ROI"]),
        ),
        cell,
        why="LAST_DAY and LAST_WEEK come out alike here; unexplained.",
    )
    parts = [
        lower(profiling, cab, k, s, "PRIOR")
        for k in hour
        for s in ("BAYES", "MAX_USER")
    ]
    trend(
        "crowd-fig13-strategies",
        claims.every(
            *parts, *(lower(profiling, cab, k, "PRIOR", "MAX_ROI") for k in hour)
        ),
        cell,
        why="MAX_ROI and MAX_USER move the error by less than 0.01 either way here.",
    )
    trend(
        "crowd-fig12-hour-negligible",
        claims.every(*(small(profiling, com, "LAST_HOUR", s) for s in STRATEGIES)),
        cell,
        com,
        f"Negligible is a mean loss below {NEAR}; on a stand-in.",
    )
    trend(
        "crowd-prior-order-sfc",
        order_of(
            cab,
            [
                "LAST_HOUR",
                "ROI_DAY_WEEK",
                "ROI_DAY",
                "FREQ_ROI",
                "TIME_DAY_WEEK",
                "LAST_WEEK",
                "TIME_DAY",
            ],
        ),
        cell,
        why="LAST_WEEK comes out lower here; unexplained.",
    )
    trend(
        "crowd-prior-order-tfl",
        order_of(
            com,
            [
                "LAST_DAY",
                "LAST_WEEK",
                "ROI_DAY_WEEK",
                "ROI_DAY",
                "TIME_DAY_WEEK",
                "FREQ_ROI",
                "TIME_DAY",
            ],
        ),
        cell,
        com,
        "On a stand-in whose weekly habits were chosen freely.",
    )
    probabilistic, assigned = (
        np.mean(
            [
                loc.privacy_loss(profiling[com, k, "PRIOR"], profiling[com, k, "BAYES"])
                for k in kinds
            ],
            axis=0,
        )
        for kinds in (loc.PROBABILISTIC, loc.LAST)
    )
    trend(
        "crowd-takeaway-profiling",
        claims.every(
            claims.greater(*mean_and_error(probabilistic - assigned), 0.0, 0.0),
            claims.greater(*loss[com], *loss[cab]),
        ),
        cell,
        both,
    )
    trend(
        "crowd-js-bounds",
        claims.always(
            np.concatenate(
                [divergences <= 1 + 1e-12, divergences >= 0, pr <= pq + qr + 1e-12]
            )
        ),
        "crowd-js",
        "simulated",
    )


# %% tags=["remove-cell"]
def add_localization_trends():
    cab, com, cell = "cabspotting", "commuters", "crowd-localization"
    both, near = f"{cab}, {com}", f"Negligible is a mean loss below {NEAR}."
    better = {
        s: localization[cab, "FREQ_ROI", s]
        < localization[cab, "FREQ_ROI", "ALL"] - 1e-12
        for s in ("MAX_ROI", "MAX_USER")
    }
    share = mean_and_error(better["MAX_ROI"].astype(float) - better["MAX_USER"])
    trend(
        "crowd-fig4-sfc-maxroi-consistent",
        claims.every(
            claims.greater(*share, 0.0, 0.0),
            claims.greater(
                *mean_and_error(
                    np.subtract(
                        *(
                            loc.privacy_loss(
                                localization[cab, "FREQ_ROI", "ALL"],
                                localization[cab, "FREQ_ROI", s],
                            )
                            for s in ("MAX_USER", "MAX_ROI")
                        )
                    )
                ),
                0.0,
                0.0,
            ),
        ),
        cell,
        why="Its share of users is larger, its mean loss the same here; with null left out of MAX_ROI the loss is smaller too (table of conventions).",
    )
    trend(
        "crowd-fig4-sfc-bayes-all",
        claims.every(
            small(localization, cab, "FREQ_ROI", "BAYES+ALL", "ALL"),
            lower(localization, cab, "FREQ_ROI", "ALL", "POP"),
        ),
        cell,
        why=near,
    )
    trend(
        "crowd-fig5-sfc-all-best",
        claims.every(
            *(
                lower(localization, cab, "ROI_DAY_WEEK", "ALL", s)
                for s in ("POP", "BAYES+POP", "MAX_ROI", "MAX_USER")
            )
        ),
        cell,
    )
    trend(
        "crowd-fig5-sfc-bayes-all",
        small(localization, cab, "ROI_DAY_WEEK", "BAYES+ALL", "ALL"),
        cell,
        why=near,
    )
    trend(
        "crowd-fig5-vs-fig4-sfc",
        claims.every(
            lower(
                localization, cab, None, ("ROI_DAY_WEEK", "ALL"), ("FREQ_ROI", "ALL")
            ),
            claims.close(
                *mean_and_error(
                    localization[cab, "ROI_DAY_WEEK", "POP"]
                    - localization[cab, "FREQ_ROI", "POP"]
                ),
                0.0,
                0.0,
                NEAR,
            ),
        ),
        cell,
    )
    trend(
        "crowd-fig5-vs-fig4-tfl",
        claims.every(
            *(
                lower(localization, com, None, ("ROI_DAY_WEEK", s), ("FREQ_ROI", s))
                for s in ("ALL", "POP")
            ),
            claims.greater(
                *mean_and_error(
                    loc.privacy_loss(
                        localization[com, "FREQ_ROI", "ALL"],
                        localization[com, "FREQ_ROI", "MAX_ROI"],
                    )
                    - loc.privacy_loss(
                        localization[com, "ROI_DAY_WEEK", "ALL"],
                        localization[com, "ROI_DAY_WEEK", "MAX_ROI"],
                    )
                ),
                0.0,
                0.0,
            ),
        ),
        cell,
        com,
    )
    for name, kind in (
        ("crowd-fig4-tfl-pop-bayes", "FREQ_ROI"),
        ("crowd-fig16-tfl-pop-bayes", "TIME_DAY_WEEK"),
    ):
        trend(
            name,
            claims.close(
                *mean_and_error(
                    localization[com, kind, "BAYES+POP"]
                    - localization[com, kind, "POP"]
                ),
                0.0,
                0.0,
                NEAR,
            ),
            cell,
            com,
            "On a stand-in; no advantage is a difference of errors below 0.02.",
        )
    worst = [
        lower(localization, cab, "TIME_DAY_WEEK", s, "POP")
        for s in ("ALL", "BAYES+ALL", "MAX_ROI", "MAX_USER")
    ]
    trend("crowd-fig16-sfc-pop-worst", claims.every(*worst), cell)
    worse = {
        s: np.mean(
            [
                localization[com, k, s] > localization[com, k, "PRIOR"] + 1e-12
                for k in ("LAST_WEEK", "LAST_DAY")
            ],
            axis=0,
        )
        for s in ("MAX_ROI", "MAX_USER")
    }
    trend(
        "crowd-fig14-tfl-max-user-consistent",
        claims.greater(*mean_and_error(worse["MAX_ROI"] - worse["MAX_USER"]), 0.0, 0.0),
        cell,
        com,
        "On a stand-in: MAX_USER raises the error of more commuters.",
    )
    trend(
        "crowd-fig14-15-order",
        claims.every(
            *(
                lower(localization, cab, None, ("LAST_HOUR", "PRIOR"), (k, "PRIOR"))
                for k in ("LAST_DAY", "LAST_WEEK")
            ),
            *(
                lower(localization, com, None, ("LAST_WEEK", "PRIOR"), (k, "PRIOR"))
                for k in ("LAST_DAY", "LAST_HOUR")
            ),
        ),
        cell,
        both,
    )
    hour, pop = (
        mean_and_error(localization[cab, "LAST_HOUR", "PRIOR"]),
        mean_and_error(localization[com, "ROI_DAY_WEEK", "POP"]),
    )
    trend(
        "crowd-takeaway-localization",
        claims.every(
            claims.greater(*hour, *pop),
            *(
                lower(localization, cab, None, ("LAST_HOUR", "PRIOR"), (k, s))
                for k in ("FREQ_ROI", "ROI_DAY_WEEK")
                for s in ("ALL", "POP")
            ),
        ),
        cell,
        both,
        "On the cabs as said; the commuters are a stand-in.",
    )


# %% tags=["remove-cell"]
def add_hour_trends():
    cab, com, cell = "cabspotting", "commuters", "crowd-hours"

    def before(data, part):
        return hourly[data]["PRIOR"][:, part_of_week(data, part)].mean(axis=1)

    def more(data, part, than, s):
        return claims.greater(
            *mean_and_error(taken_off(data, part, s) - taken_off(data, than, s)),
            0.0,
            0.0,
        )

    morning, midday, evening, weekend, _ = PARTS
    lower_prior = [
        claims.greater(*mean_and_error(before(com, p) - before(com, morning)), 0.0, 0.0)
        for p in (midday, evening)
    ]
    trend(
        "crowd-fig6-tfl-morning",
        claims.every(
            *lower_prior,
            *(more(com, p, morning, "BAYES") for p in (midday, evening, weekend)),
        ),
        cell,
        com,
        "On a stand-in: its commuters are as regular in the evening as in the morning.",
    )
    spike = claims.greater(
        *mean_and_error(before(cab, morning) - before(cab, midday)), 0.0, 0.0
    )
    trend(
        "crowd-fig6-sfc-peak",
        claims.every(
            spike,
            more(cab, midday, morning, "BAYES"),
            more(cab, midday, morning, "MAX_USER"),
            more(cab, weekend, midday, "MAX_USER"),
        ),
        cell,
        why="With hours in San Francisco's time; in London's time it would be nearer, see the table of clocks.",
    )


def add_noise_trends():
    cab, com = "cabspotting", "commuters"
    for name, data in (("crowd-tab3-order", com), ("crowd-tab4-order", cab)):
        large = ["SCM Lap(|S||T|/ε)", "SCM Lap(Δ/ε)", "SCM Lap(|T|/ε)"]
        cases = [
            mre[data, "SCM Lap(1/ε)", e]
            < mre[data, "FPA", e]
            < min(mre[data, k, e] for k in large)
            for e in epsilons
        ]
        trend(
            name,
            claims.always(cases),
            "crowd-noise",
            data,
            "Not at every ε: with our reading of FPA (mirrored, noise on both parts) the order changes where counts are clipped.",
        )
    for name, data in (
        ("crowd-tab5-tfl-monotone", com),
        ("crowd-tab5-sfc-monotone", cab),
    ):
        means, errors = zip(
            *(mean_and_error(spotme[data, p][0]) for p in ps), strict=True
        )
        trend(name, claims.increasing(means, errors), "crowd-spotme", data)
    fpa, scm = (outputs[com, k, 1.0][1] for k in ("FPA", "SCM Lap(|T|/ε)"))
    trend(
        "crowd-fig7-fpa-below-scm-t",
        claims.greater(*mean_and_error(scm - fpa), 0.0, 0.0),
        "crowd-noise",
        com,
    )
    rise = {
        d: mean_and_error(spotme[d, 0.9][1] - spotme[d, 0.1][1]) for d in (com, cab)
    }
    trend(
        "crowd-fig9-trend",
        claims.every(
            claims.greater(*rise[com], *rise[cab]), claims.greater(*rise[cab], 0.0, 0.0)
        ),
        "crowd-spotme",
        f"{cab}, {com}",
        "The stand-in has a thousand commuters behind noise, not ten thousand.",
    )
    noticeable = [
        mre[cab, k, e] > 1
        for k in output_mechanisms(cab, 1.0)
        for e in epsilons
        if outputs[cab, k, e][1].mean() > 0.1
    ]
    trend(
        "crowd-takeaway-dp",
        claims.always(noticeable),
        "crowd-noise",
        cab,
        "Noticeable is a mean gain above 0.1, large an MRE above 1.",
    )
    trend(
        "crowd-rr-unbiased",
        claims.close(
            float((bias**2).mean()), float(np.sqrt(2 / bias.size)), 1.0, 0.0, 1.0
        ),
        "crowd-spotme",
        "simulated",
        "The mean square of the standardised bias is 1 where there is none.",
    )


if complete:
    for add in (
        add_numbers,
        add_profiling_trends,
        add_localization_trends,
        add_hour_trends,
        add_noise_trends,
    ):
        add()
    plots.keep_table(claims.table(findings), "claims")

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
first = datasets[0]
for base, root in ((np.e, True), (2, True), (np.e, False), (2, False)):
    error = loc.profiling_error(priors[first, "FREQ_ROI"], truths[first], base, root)
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
for name in datasets:
    hits = (real(truths[name]).active() == 0).sum(axis=1)
    nothing = 1 - 2 * hits / (inference + truths[name].visits().to_numpy())
    greedy = localization[name, "FREQ_ROI", "MAX_ROI"].mean()
    print(f"{name}: null always {nothing.mean():.3f}, MAX_ROI {greedy:.3f}")

# %% [markdown]
# Where users are seldom seen, saying nothing is hard to beat. An error should be read beside that of the laziest attacker.
#
# ````{solution-end}
# ````
#
# ```{exercise} The bound that shapes the error
# :label: crowd-bound
# Compute the MRE of the second dataset's $\mathrm{Lap}(1/\varepsilon)$ release at the largest $\varepsilon$ with a sanity bound of 1, 5 and 25 users, and with the
# printed bound on the ROIs that were visited at all.
# ```

# %% [markdown]
# ````{solution-start} crowd-bound
# :class: dropdown
# ````

# %%
name = datasets[1]
raw = noisy_raw[name]
(noisy,) = list(noisy_releases(name, Laplace(epsilons[-1]), 4))[:1]
for bound in (1, 5, 25):
    cost = metrics.mean_relative_error(raw, noisy, sanity_bound=bound)
    print(f"bound of {bound} users: {cost:.3f}")
visited = raw.sum(axis=1) > 0
print(
    f"0.1% of each ROI's sum: {metrics.mean_relative_error(raw[visited], noisy[visited]):.3f}"
)

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

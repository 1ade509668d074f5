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
# # Knock-Knock, behind noise
#
# The last chapter's attacker read raw counts. This one reads counts to which noise was added, with a promise
# printed on the package: *differentially private*. Knock-Knock {cite:p}`pyrgelis2018knock` (Sec. VII) tries five such
# mechanisms and asks two questions of each: what is left of the counts, and what is left of the attack?
# We ask a third one: does the package contain what the label says?
#
# After this chapter you can
#
# - say what $\varepsilon$, $\delta$, a sensitivity and a *privacy unit* are, and what each costs in noise;
# - compute what a printed guarantee really delivers, and find the case in which it delivers less;
# - measure utility (MRE) and privacy gain (PG), and say how much of either is a matter of convention;
# - tell an attacker who ignores the noise from one who trains for it.

# %% tags=["parameters", "remove-cell"]
# fmt: off
datasets: list[str] = ["flights-by-number", "flights-by-tail"]  # one of flights-by-number|flights-by-tail|commuters|cabs|cabspotting
path: str = ""  # file or folder with Cabspotting; if empty, looked for in the data folder
classifier: str = "LR"  # one of LR|kNN|RF|MLP
epsilons: list[float] = [0.01, 0.1, 1.0, 10.0]  # privacy budgets, ascending; 0.001..1000
delta: float = 0.1  # of GSM and EFPAG; 0.000001..0.9
kappa: int = 20  # coefficients that FPA keeps; 1..85
kappas: dict[str, int] = {"commuters": 25}  # the same, for single datasets
group_size: int = 300  # users in a group; 2..pool
group_sizes: dict[str, int] = {"cabspotting": 500, "cabs": 500}  # the same, for single datasets
n_groups: int = 60  # groups the attacker knows, an even number; 20..10000
n_groups_of: dict[str, int] = {}  # the same, for single datasets
n_releases: int = 10  # released aggregates over which the error is averaged; 2..1000
n_per_third: int = 2  # targets from each third of the users by visits; 2..
processes: int = 1  # how many targets at once; 1..64
seed: int = 2018  # seed of everything random here; 0..
# fmt: on

# %% [markdown]
# ## The question, and who knows what
#
# The game is that of the last chapter, with one player more: a **defender** who changes the counts before they are
# published. The paper gives the attacker the strongest prior there is, so that the defense alone decides:
#
# | | she knows | she trains on |
# |---|---|---|
# | both | the raw counts of the very groups that are released, and in which of them the target is | |
# | **passive** attacker | nothing about the defense | those raw counts |
# | **strategic** attacker | the mechanism and its parameters, not the noise that was drawn | the same counts, with noise she draws herself |
#
# Both are then shown the counts with the defender's own, fresh noise. Without a defense the game would be over:
# she recognises the groups she has seen.
#
# ### With six users
#
# The counts of all six on Monday: raw; with noise that hides one *visit*; with noise that hides one *user*, all
# her visits at once. Both promise $\varepsilon = 1$. Noisy counts are rounded and kept between 0 and six.

# %%
import numpy as np
import pandas as pd
from lib import plots
from lib.aggregation import aggregate
from lib.datasets import load
from lib.mechanisms import Laplace, PostProcess, release

six = load("six-users")
raw_six = aggregate(six, [range(6)])[0]
most_of_six = float(six.visits().max())
defenses_of_six = {
    "raw": [],
    "a visit hidden": [Laplace(1.0), PostProcess()],
    "a user hidden": [Laplace(1.0, sensitivity=most_of_six), PostProcess()],
}

# %%
hours = [f"{epoch:%a %H}h" for epoch in six.epochs]
monday = slice(0, 4)
tables = {}
for label, defense in defenses_of_six.items():
    noisy = release(raw_six, defense, np.random.default_rng(seed), group_size=6)
    tables[label] = pd.DataFrame(noisy, index=six.rois.index, columns=hours)
    print(f"{label}: mean absolute error {np.abs(noisy - raw_six).mean():.3f}")
plots.show_table(pd.concat(tables, names=["counts"]).iloc[:, monday], "six-users")

# %% [markdown]
# The noise is the same draw, scaled: eight times as much for a user as for a visit, because the busiest of the
# six has eight visits. For groups this small a user's protection leaves nothing to read.
#
# ## Definitions
#
# ````{prf:definition} Differential privacy (Eq. 4)
# :label: def-kkd-dp
# A randomized mechanism $M$ is $(\varepsilon, \delta)$-*differentially private* if for all neighbouring inputs
# $D_1, D_2$ and all sets $R$ of outputs $\Pr[M(D_1) \in R] \le e^{\varepsilon} \Pr[M(D_2) \in R] + \delta$. With
# $\delta = 0$ it is $\varepsilon$-DP. Inputs are *neighbours* if they differ in one **privacy unit**.
# ````
#
# ````{prf:definition} Sensitivity (Eq. 5)
# :label: def-kkd-sensitivity
# $\Delta_p = \max \lVert f(D_1) - f(D_2) \rVert_p$ over all neighbours. For counts and users of at most $\Delta$ visits,
# $\Delta_1 = \Delta$ and, since a user adds 0 or 1 to a cell, $\Delta_2 = \sqrt{\Delta}$. For one visit both are 1.
# ````
#
# The data, and the sensitivity of their first week, which is what will be released. As in the last chapter,
# `commuters` and `cabs`, where they occur, are synthetic stand-ins; `cabspotting` is the cabs themselves.

# %%
from lib.datasets import overview

options = {
    "cabspotting": {"path": path or None, "null": True},
    "commuters": {"null": True},
    "cabs": {"null": True},
}
populations = {name: load(name, **options.get(name, {})) for name in datasets}
plots.show_table(overview(populations), "data")

# %%
WEEK = range(168)
weeks = {name: t.select(epochs=np.asarray(WEEK)) for name, t in populations.items()}
sensitivity = {name: float(week.visits().max()) for name, week in weeks.items()}
most_rois = {name: int((w.places() > 0).sum(axis=1).max()) for name, w in weeks.items()}
of_week = pd.DataFrame(
    {
        "Δ: most visits of a user": sensitivity,
        "most ROIs of a user": most_rois,
        "median visits": {name: week.visits().median() for name, week in weeks.items()},
    }
)
plots.show_table(of_week.rename_axis("data"), "sensitivity")

# %% [markdown]
# Notice that $\Delta$ was read off the data. So does the paper. The busiest user's number of visits is private
# too, and printing it is a small leak that no $\varepsilon$ accounts for: each guarantee below holds *given* $\Delta$.
#
# ### Five mechanisms
#
# | | noise | on |
# |---|---|---|
# | LPA(Δ/ε) | Laplace | each count |
# | GSM | Gaussian | each count |
# | FPA | Laplace | the first $\kappa$ Fourier coefficients of each ROI's series; the others become 0 |
# | EFPAG | Gaussian | the first $\kappa$ cosine coefficients, $\kappa$ itself chosen in private, for each ROI |
# | LPA(1/ε) | Laplace | each count, but no more than hides one visit |

# %%
from lib.mechanisms import (
    EnhancedFourierPerturbation,
    FourierPerturbation,
    Gaussian,
)


def printed(name, epsilon):
    """The paper's five mechanisms, for one dataset."""
    most = sensitivity[name]
    root, kept = most**0.5, kappas.get(name, kappa)
    return {
        "LPA(Δ/ε)": Laplace(epsilon, most),
        "GSM": Gaussian(epsilon, delta, root),
        "FPA": FourierPerturbation(epsilon, kept, root),
        "EFPAG": EnhancedFourierPerturbation(epsilon, delta, root),
        "LPA(1/ε)": Laplace(epsilon),
    }


# %% [markdown]
# Every mechanism says for whom its promise is. For the first dataset, at $\varepsilon = 1$:

# %%
import textwrap

for label, mechanism in printed(datasets[0], 1.0).items():
    print(textwrap.fill(f"{label}: {mechanism}", 86, subsequent_indent="    "))

# %% [markdown]
# Side by side. The standard deviation is that of one noisy number: a count for LPA and GSM, the real part of a
# coefficient for FPA, a coefficient for EFPAG.

# %%
UNITS = {
    "LPA(Δ/ε)": "one user",
    "GSM": "one user",
    "FPA": "one user in one ROI",
    "EFPAG": "one user in one ROI",
    "LPA(1/ε)": "one visit",
}


def noise_of(mechanism):
    """Privacy parameters of one mechanism, and the noise they cost."""
    normal = hasattr(mechanism, "delta")
    return {
        "sensitivity": mechanism.sensitivity,
        "noise": "Gaussian" if normal else "Laplace",
        "scale": mechanism.scale,
        "standard deviation": mechanism.scale * (1 if normal else 2**0.5),
    }


# %%
rows = {
    (name, label): {"privacy unit": UNITS[label]} | noise_of(mechanism)
    for name in datasets
    for label, mechanism in printed(name, 1.0).items()
}
scales = pd.DataFrame.from_dict(rows, orient="index")
scales.index = scales.index.set_names(["data", "mechanism, ε = 1"])
plots.show_table(scales, "mechanisms")

# %% [markdown]
# ## Does the package contain what the label says?
#
# A guarantee is a theorem with conditions. Four things are worth checking before any attack is run.
#
# **Who is protected.** The theorems are for *adding or removing* one user. The game *swaps* her for
# another at constant group size, and a swap can move the counts by up to twice $\Delta_1$ or by up to
# $\sqrt{2}\,\Delta_2$. Against the game, LPA's $\varepsilon$ is up to $2\varepsilon$.
#
# **GSM.** The paper's scale is $\sqrt{2 \ln (2/\delta)}\,\Delta_2 / \varepsilon$. The exact $\delta$ of Gaussian noise is
# known {cite:p}`balle2018improving`, so we need not trust a bound:

# %%
from lib.mechanisms import gaussian_delta

rows = {}
for epsilon in epsilons:
    paper = Gaussian(epsilon, delta)
    exact = Gaussian(epsilon, delta, calibration="analytic")
    rows[epsilon] = {
        "printed scale / Δ2": paper.scale,
        "delivered δ": paper.delivered_delta,
        "delivered δ, swap": gaussian_delta(epsilon, paper.scale / 2**0.5),
        "needed scale / Δ2": exact.scale,
        "printed / needed": paper.scale / exact.scale,
    }
gsm = pd.DataFrame.from_dict(rows, orient="index").rename_axis("ε")
plots.show_table(gsm, "gsm-delivered")

# %% [markdown]
# At $\varepsilon = 0.01$ the constant wastes noise; at $\varepsilon = 10$ it is too small, and the release is *not*
# $(10, 0.1)$-DP. The condition that was lost on the way is $\varepsilon < 1$.
#
# **FPA.** Of one ROI's series the promise holds. But a user moves, and spends $\varepsilon$ in every ROI she visits:
# with $\Delta_2 = \sqrt{\Delta}$ for all ROIs together, up to $\sqrt{k}\,\varepsilon$ for a user seen in $k$ of them. The
# worst case need not occur; what each user of the data really spends is a sum of absolute values that we can compute.


# %%
def spent(name, mechanism, at_once=100):
    """Every user's epsilon under FPA, when she is added or removed."""
    week = weeks[name]
    shape = (-1, week.n_rois, week.n_epochs)
    parts = range(0, week.n_users, at_once)
    traces = (week.matrix[i : i + at_once].toarray().reshape(shape) for i in parts)
    return np.concatenate([mechanism.epsilon_of(part) for part in traces])


def largest_swap(name, mechanism, costs, n=30):
    """The largest epsilon of a swap, among the n users who spend most."""
    week = weeks[name]
    top = week.matrix[np.argsort(costs)[-n:]].toarray().astype(float)
    top = top.reshape(-1, week.n_rois, week.n_epochs)
    return max(mechanism.epsilon_of(top[i] - top[:i]).max() for i in range(1, len(top)))


# %%
rows = {}
for name in datasets:
    mechanism = printed(name, 1.0)["FPA"]
    costs = spent(name, mechanism)
    rows[name] = {
        "promised ε": 1.0,
        "largest of a user": costs.max(),
        "users above the promise": int((costs > 1 + 1e-9).sum()),
        "largest of a swap": largest_swap(name, mechanism, costs),
        "worst case, √k": most_rois[name] ** 0.5,
    }
fpa = pd.DataFrame.from_dict(rows, orient="index").rename_axis("data")
plots.show_table(fpa, "fpa-spent")

# %% [markdown]
# By number nobody spends more than promised when she joins or leaves; by tail the promise is broken by the data
# themselves, without an adversary. (The swap is the largest among the thirty users who spend most.)
#
# **EFPAG.** The noise keeps its promise for a whole user, because squares of L2 norms add up. The choice of
# $\kappa$ does not: it is made anew in each ROI, at $\varepsilon/2$ each, and a user of $k$ ROIs takes part in $k$
# choices. The whole costs up to $(1 + \sqrt{k})\,\varepsilon / 2$. What she really spends is at most half of epsilon times
# one plus the sum of her L2 norms in each ROI, over $\Delta_2$.

# %%
rows = {}
for name, week in weeks.items():
    norms = np.sqrt(week.places()).sum(axis=1) / sensitivity[name] ** 0.5
    rows[name] = {
        "promised ε": 1.0,
        "noise": 0.5,
        "choices, largest of a user": norms.max() / 2,
        "both": 0.5 + norms.max() / 2,
        "worst case": (1 + most_rois[name] ** 0.5) / 2,
    }
efpag = pd.DataFrame.from_dict(rows, orient="index").rename_axis("data")
plots.show_table(efpag, "efpag-spent")

# %% [markdown]
# ## Utility: what is left of the counts
#
# ````{prf:definition} Mean relative error (Eq. 7)
# :label: def-kkd-mre
# $\mathrm{MRE}(Y, Y') = \frac{1}{n} \sum_{i=1}^{n} \frac{|Y'_i - Y_i|}{\max(\gamma, Y_i)}$, averaged over ROIs. The *sanity bound*
# $\gamma$ keeps empty cells from dividing by zero; the paper sets it to 0.1% of the ROI's own sum.
# ````
#
# Small print decides here. A ROI with 100 visits a week has $\gamma = 0.1$, and an error of one user in an empty
# cell counts as ten. We compute two readings: the printed one, and $\gamma$ a constant of 0.5 users, which on the
# cabs came closest to the paper's Table III (it was chosen *after* seeing that table). ROIs that the group never
# visited are left out of both. And the paper does not say whether it rounded noisy counts and kept them within
# $[0, m]$; its columns saturate at small $\varepsilon$, which unclipped noise cannot do. So: both.

# %%
from lib import metrics
from lib.mechanisms import fourier_reconstruction

KNOWN = ["flights-by-number", "flights-by-tail", "commuters", "cabs", "cabspotting"]
BOUNDS = {
    "0.1% of the ROI": {"floor": 0.001},
    "0.5 users": {"sanity_bound": 0.5},
}


def size_of(name):
    return group_sizes.get(name, group_size)


def errors(raw, released):
    """The release's MRE, under each reading of the sanity bound."""
    seen = raw.sum(axis=-1) > 0
    return {
        label: metrics.mean_relative_error(raw[seen], released[seen], **bound)
        for label, bound in BOUNDS.items()
    }


# %%
from lib.aggregation import sample_groups
from lib.membership.trials import trial_rng


def raw_releases(name):
    """Counts of the first week of n_releases random groups."""
    rng = trial_rng(seed, 0, KNOWN.index(name))
    everybody = np.arange(populations[name].n_users)
    groups = sample_groups(everybody, n_releases, size_of(name), rng)
    return aggregate(weeks[name], groups)


def error_rows(name, raw, label, epsilon, mechanism, rng):
    """A row for each release and reading, unclipped and clipped, of the same noise."""
    size = size_of(name)
    noisy = release(raw, [mechanism], rng, size)
    versions = {"unclipped": noisy, "clipped": PostProcess().apply(noisy, rng, size)}
    return [
        {"data": name, "counts": version, "γ": bound, "mechanism": label, "ε": epsilon}
        | {"MRE": value}
        for version, released in versions.items()
        for one_raw, one in zip(raw, released, strict=True)
        for bound, value in errors(one_raw, one).items()
    ]


# %%
def measure_errors(catalogue, stream, budgets):
    """MRE of every mechanism of a catalogue, dataset and budget."""
    rows = []
    for name in datasets:
        raw = raw_releases(name)
        for j, epsilon in enumerate(budgets):
            for i, (label, mechanism) in enumerate(catalogue(name, epsilon).items()):
                rng = trial_rng(seed, stream, KNOWN.index(name), i, j)
                rows += error_rows(name, raw, label, epsilon, mechanism, rng)
    keys = ["data", "counts", "γ", "mechanism", "ε"]
    grouped = pd.DataFrame(rows).groupby(keys, sort=False)["MRE"]
    return metrics.mean_table({key: group for key, group in grouped}, keys)


mre = measure_errors(printed, 1, epsilons)

# %% [markdown]
# Mean over releases, for counts that were rounded and clipped. First the printed sanity bound, then 0.5 users.


# %%
def across(table, *levels):
    """The means of one slice of a table: a column for each epsilon."""
    means = table["mean"]
    for level in levels:
        means = means.xs(level, level=0 if level in KNOWN else LEVEL[level])
    return means.unstack("ε", sort=False).add_prefix("ε = ")


LEVEL = {"clipped": "counts", "unclipped": "counts"} | dict.fromkeys(BOUNDS, "γ")
plots.show_table(across(mre, "clipped", "0.1% of the ROI"), "mre-printed-bound")

# %%
plots.show_table(across(mre, "clipped", "0.5 users"), "mre-constant-bound")

# %% [markdown]
# The same noise, neither rounded nor clipped (constant bound):

# %%
plots.show_table(across(mre, "unclipped", "0.5 users"), "mre-unclipped")

# %% [markdown]
# All four combinations with their 95% intervals over releases, for the reader who wants them:

# %% tags=["hide-output"]
plots.show_table(mre, "mre")

# %% [markdown]
# ### The error without any noise
#
# FPA forgets all but $\kappa$ of 85 coefficients, and would be wrong even if it drew no noise at all:

# %%
rows = {}
for name in datasets:
    raw = raw_releases(name)
    for kept in sorted({1, 5, kappas.get(name, kappa), 40, 85}):
        cut = PostProcess().apply(fourier_reconstruction(raw, kept), None, size_of(name))
        found = [errors(a, b) for a, b in zip(raw, cut, strict=True)]
        for bound in BOUNDS:
            rows[name, kept, bound] = [each[bound] for each in found]
truncation = metrics.mean_table(rows, ["data", "κ", "γ"])
plots.show_table(truncation.drop(columns="n"), "truncation")

# %% [markdown]
# No budget buys FPA an error below its row here. The paper's FPA reaches an MRE of 0.11 on cabs and 0.03 on
# commuters at $\varepsilon = 10$: on data like these the mechanism as described cannot.
#
# ## Privacy: what is left of the attack
#
# ````{prf:definition} Privacy gain (Eq. 6)
# :label: def-kkd-pg
# With $\mathrm{AUC}_A$ of the attack on raw and $\mathrm{AUC}_{A'}$ on protected counts,
# $\mathrm{PG} = \frac{\mathrm{AUC}_A - \mathrm{AUC}_{A'}}{\mathrm{AUC}_A - 0.5}$ if $\mathrm{AUC}_A > \mathrm{AUC}_{A'} \ge 0.5$, and 0 otherwise.
# ````
#
# Read it twice: a defense that makes the attack *worse* than guessing gains nothing. An attack on pure noise lands
# below 1/2 half the time, so that perfect protection would average near 1/2:

# %%
for auc in (0.75, 0.51, 0.49):
    literal = metrics.privacy_gain(1.0, auc)
    clamped = metrics.privacy_gain(1.0, max(auc, 0.5))
    print(f"AUC {auc:.2f}: PG as printed {literal:.2f}, AUC held at 1/2 {clamped:.2f}")

# %% [markdown]
# The published curves come close to 1, so the authors cannot have used the formula as printed on scores like ours.
# We report both, and draw the second. One target, one defense at a time:

# %%
from lib.membership import game
from lib.membership.knock_knock import KnockKnock


def fitted(counts, members):
    """Knock-Knock's attack, trained on these counts; RFE keeps a feature a group."""
    n, n_rois, n_epochs = counts.shape
    attack = KnockKnock(n_rois, n_epochs, classifier, n_features=n, random_state=seed)
    return attack.fit(counts.reshape(n, -1), members)


def auc_of(attack, task):
    """How well a trained attack does on the task's test."""
    cells = task.test.reshape(len(task.test), -1)
    return metrics.auc(task.test_members, attack.decision_function(cells))


# %%
def defended_rows(task, raw_attack, defense, rng):
    """AUC and both gains of the two attackers, on the same released counts."""
    task = game.strategic(task, defense, rng)
    adapted = fitted(task.train, task.train_members)
    rows = []
    for attacker, attack in (("passive", raw_attack), ("strategic", adapted)):
        auc = auc_of(attack, task)
        gains = {
            "PG as printed": metrics.privacy_gain(1.0, auc),
            "PG": metrics.privacy_gain(1.0, max(auc, 0.5)),
        }
        rows.append({"attacker": attacker, "AUC": auc} | gains)
    return rows


# %% [markdown]
# Both gains take $\mathrm{AUC}_A = 1$, as the paper states; the raw attack's own AUC is kept in the table, so that this
# can be checked. Targets are drawn as before, equally from the least, middle and most mobile third.

# %%
from lib.membership.trials import over_targets


def rows_for(name, catalogue, stream, budgets):
    """The function that plays all games of one target."""
    data = KNOWN.index(name)

    def rows_of(target):
        rng = trial_rng(seed, 2, data, target)
        n = n_groups_of.get(name, n_groups)
        task = game.perfect_task(
            populations[name], target, n, size_of(name), WEEK, rng
        )
        raw_attack = fitted(task.train, task.train_members)
        rows = []
        for j, epsilon in enumerate(budgets):
            for i, (label, mechanism) in enumerate(catalogue(name, epsilon).items()):
                rng = trial_rng(seed, stream, data, target, i, j)
                defense = [mechanism, PostProcess()]
                labels = {"data": name, "target": target, "mechanism": label}
                labels |= {"ε": epsilon, "raw AUC": auc_of(raw_attack, task)}
                found = defended_rows(task, raw_attack, defense, rng)
                rows += [labels | row for row in found]
        return rows

    return rows_of


# %%
def targets_of(name):
    """Positions of the targets: users with at least four visits in the week."""
    somewhere = [roi for roi in weeks[name].rois.index if roi != "null"]
    visits = weeks[name].select(rois=somewhere).visits().to_numpy()
    rng = trial_rng(seed, 3, KNOWN.index(name))
    return game.sample_targets(
        weeks[name], np.flatnonzero(visits >= 4), n_per_third, rng
    )


targets = {name: targets_of(name) for name in datasets}


def play_all(catalogue, stream, budgets):
    """Every target of every dataset against every mechanism and budget."""
    found = [
        over_targets(
            rows_for(name, catalogue, stream, budgets), targets[name], name, processes
        )
        for name in datasets
    ]
    return pd.concat(found)


games = play_all(printed, 4, epsilons)
print(f"lowest AUC of the raw attack: {games['raw AUC'].min():.3f}")

# %% tags=["remove-cell"]
import os
from pathlib import Path

if os.environ.get(plots.TABLES_VARIABLE):  # every game, for re-runs of single targets
    games.to_csv(Path(os.environ[plots.TABLES_VARIABLE]) / "games.csv", index=False)

# %% [markdown]
# Mean gain over targets, with its 95% interval, against $\varepsilon$. At 1 the attack is back to guessing.


# %%
def gains_of(games):
    """Mean gain with interval, the gain as printed, and mean AUC."""
    keys = ["attacker", "data", "mechanism", "ε"]
    grouped = games.groupby(keys, sort=False)
    table = metrics.mean_table({key: group["PG"] for key, group in grouped}, keys)
    for column in ("PG as printed", "AUC"):
        table[f"mean {column}"] = [group[column].mean() for _, group in grouped]
    return table.sort_index(level="attacker", sort_remaining=False, kind="stable")


gains = gains_of(games)


# %% mystnb={"image": {"alt": "Panels of mean privacy gain against epsilon, passive attackers above and strategic ones below, a column for each dataset, a line with intervals for each of the five mechanisms."}} tags=["hide-input"]
import matplotlib.pyplot as plt


def show_gains(gains, data):
    """Two panels, passive and strategic, a line a mechanism."""
    figure, axes = plt.subplots(2, 1, figsize=(6, 6.2), sharex=True, sharey=True)
    for ax, attacker in zip(axes, ("passive", "strategic"), strict=True):
        rows = gains.loc[attacker].loc[data]
        for i, (label, row) in enumerate(rows.groupby(level=0, sort=False)):
            at = row.index.get_level_values("ε").to_numpy() * 1.12 ** (i - 2)
            spread = [row["mean"] - row["95% low"], row["95% high"] - row["mean"]]
            ax.errorbar(at, row["mean"], yerr=spread, capsize=3, label=label)
        ax.set(title=f"{attacker}, {data}", ylabel="privacy gain", xscale="log")
        ax.set_ylim(-0.1, 1.15)
    axes[-1].set_xlabel("ε (points moved apart)")
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3)


plots.use_style()
show_gains(gains, datasets[0])
plt.show()

# %% mystnb={"image": {"alt": "The same two panels, passive and strategic attacker, for the last dataset: mean privacy gain against epsilon, a line with intervals for each of the five mechanisms."}} tags=["hide-input"]
if len(datasets) > 1:
    show_gains(gains, datasets[-1])
    plt.show()

# %%
for attacker in ("passive", "strategic"):
    plots.show_table(across(gains.loc[attacker]), f"gain-{attacker}")

# %% [markdown]
# The same games, with the gain as printed:

# %%
literal = gains["mean PG as printed"].unstack("ε", sort=False).add_prefix("ε = ")
plots.show_table(literal, "gain-as-printed")

# %% [markdown]
# And everything, with intervals:

# %% tags=["hide-output"]
plots.show_table(gains, "privacy-gain")

# %% [markdown]
# ### Does it pay to train on noise?
#
# Each target meets both attackers on the same released counts, so that their AUCs can be compared in pairs:
# strategic less passive, with intervals over targets.

# %%
keys = ["data", "mechanism", "ε"]
pairs = games.pivot_table(
    index=[*keys, "target"], columns="attacker", values="AUC", sort=False
)
pairs["more"] = pairs["strategic"] - pairs["passive"]
at_most = pairs.xs(max(epsilons), level="ε")["more"]
samples = {key: each for key, each in at_most.groupby(level=[0, 1], sort=False)}
plots.show_table(metrics.mean_table(samples, keys[:2]), "strategic-less-passive")
